"""Results of tools are cached while nothing that they depend on changes."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import pytest

from jido_ai.critics import tool_critiquer
from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.protocols import FingerprintingExecutor, RunContext
from jido_ai.tools.sandbox import fingerprint as job_fingerprint
from jido_ai.tools.sandbox.executor import ProcessExecutor
from jido_ai.tools.tool import Tool
from jido_ai.values import Candidate, CritiqueResult
from jido_ai.values.tool import ToolJob, ToolRun

CONTEXT = RunContext(run_id="run", prompt="prompt")
ECHO = Tool("echo", ("cat", "--", "{file}"), parser=lambda text: [text], filename="a.txt")


class Counting(ProcessExecutor):
    runs = 0

    async def run(self, job: ToolJob) -> ToolRun:
        self.runs += 1
        return await super().run(job)


class Plain:
    """An executor without fingerprints."""

    def __init__(self) -> None:
        self.inner = Counting()

    @property
    def runs(self) -> int:
        return self.inner.runs

    def locate(self, program: str) -> str:
        return self.inner.locate(program)

    async def run(self, job: ToolJob) -> ToolRun:
        return await self.inner.run(job)


class Judge:
    def __init__(self, tool: Tool, **options: Any) -> None:
        self.executor = options.setdefault("executor", Counting())
        self._critiquer = ToolCritiquer([tool], **options)

    async def __call__(self, content: str = "x") -> CritiqueResult:
        return await self._critiquer.critique(Candidate(content), CONTEXT)


async def runs_of_two(judge: Judge) -> int:
    first, second = await judge(), await judge()
    assert first.issues == second.issues
    return judge.executor.runs


def test_the_shipped_executors_make_fingerprints() -> None:
    assert isinstance(Counting(), FingerprintingExecutor)
    assert not isinstance(Plain(), FingerprintingExecutor)


async def test_the_same_candidate_is_not_judged_twice_and_the_result_is_marked_as_cached() -> None:
    judge = Judge(ECHO)
    first, second = await judge(), await judge()
    assert judge.executor.runs == 1
    assert [one.metadata["tools"]["echo"]["cached"] for one in (first, second)] == [False, True]
    assert (second.issues, second.severity, second.score) == (first.issues, first.severity, first.score)
    assert second.parts[0].metadata["exit_status"] == 0
    assert (await judge("y")).issues[0].message == "y"
    assert judge.executor.runs == 2


async def test_caching_can_be_switched_off_and_needs_fingerprints() -> None:
    assert await runs_of_two(Judge(ECHO, cache=False)) == 2
    assert await runs_of_two(Judge(ECHO, executor=Plain())) == 2


@pytest.mark.parametrize(
    "tool",
    [
        Tool("timeout", ("sleep", "61"), timeout_s=0.2),
        Tool("crashed", ("sh", "-c", "kill -SEGV $$")),
        Tool("garbage", ("true",), parser=lambda _text: [str(1 / 0)]),
        Tool("status", ("false",), ran=frozenset({0})),
        Tool("flood", ("python", "-c", "print('x' * 5_000_000)")),
    ],
    ids=lambda tool: tool.name,
)
async def test_a_run_that_was_killed_crashed_cut_off_or_impossible_is_repeated(tool: Tool) -> None:
    judge = Judge(tool)
    await judge()
    assert not (await judge()).metadata["tools"][tool.name]["cached"]
    assert judge.executor.runs == 2


async def test_every_change_in_the_project_counts_even_one_of_the_same_size(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    other = tmp_path / "pkg" / "other.txt"
    judge = Judge(ECHO, root=tmp_path, replaces="a.txt")
    steps = [
        lambda: None,
        lambda: other.write_text("one"),
        lambda: other.write_text("two"),
        lambda: other.chmod(0o755),
        lambda: (tmp_path / "link").symlink_to(other),
        lambda: (tmp_path / "empty").mkdir(),
        other.unlink,
    ]
    for count, step in enumerate(steps, start=1):
        step()
        await judge()
        assert judge.executor.runs == count
        await judge()
        assert judge.executor.runs == count


async def test_a_cached_file_is_read_again_when_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_fingerprint, "_RACY_NS", -(10**18))  # as if every file were old
    file = tmp_path / "old.txt"
    file.write_text("one")
    os.utime(file, ns=(1, 1))
    judge = Judge(ECHO, root=tmp_path, replaces="a.txt")
    await judge()
    file.write_text("two")
    os.utime(file, ns=(1, 1))  # only the change time shows the change, and it cannot be set
    await judge()
    assert judge.executor.runs == 2


async def test_files_that_are_not_copied_do_not_count(tmp_path: Path) -> None:
    judge = Judge(ECHO, root=tmp_path, replaces="a.txt")
    await judge()
    for name in (".git", "__pycache__", ".venv"):
        (tmp_path / name).mkdir()
    await judge()
    assert judge.executor.runs == 1


async def test_a_changed_program_or_script_counts(tmp_path: Path) -> None:
    script = tmp_path / "check.sh"
    script.write_text("exit 0")
    for argv in (("sh", str(script)), (str(script),)):
        script.chmod(0o755)
        judge = Judge(Tool("t", argv, parser=lambda _text: []))
        await judge()
        script.write_text(script.read_text() + "\n")
        await judge()
        assert judge.executor.runs == 2


async def test_results_are_not_cached_if_something_changed_during_the_run(tmp_path: Path) -> None:
    changing = Tool("t", ("sh", "-c", f"echo x >> {tmp_path}/log"), parser=lambda _text: [])
    assert await runs_of_two(Judge(changing, root=tmp_path, replaces="a.txt")) == 2


async def test_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_critiquer, "_CACHED_CHARS", 3_000)
    assert await runs_of_two(Judge(ECHO)) == 1
    long = dataclasses.replace(ECHO, parser=lambda text: [text * 2_000])
    assert await runs_of_two(Judge(long)) == 2


async def test_jobs_with_other_conditions_are_different_jobs(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    plain = ToolJob(argv=("true",))
    jobs = [
        plain,
        dataclasses.replace(plain, stdin=b""),
        dataclasses.replace(plain, files={"a": b"b"}),
        dataclasses.replace(plain, files={"ab": b""}),
        dataclasses.replace(plain, report="r"),
        dataclasses.replace(plain, tree=tmp_path),
        dataclasses.replace(plain, argv=("true", "x")),
        dataclasses.replace(plain, argv=("no-such-program",)),
        dataclasses.replace(plain, tree=tmp_path / "no"),
    ]
    told = await Counting().fingerprints(jobs)
    assert told[-2:] == (None, None)
    assert len(set(told[:-2])) == len(jobs) - 2
    assert await Counting().fingerprints([dataclasses.replace(plain, timeout_s=1.0)]) == told[:1]


async def test_files_left_out_of_the_copy_do_not_change_the_job(tmp_path: Path) -> None:
    job = ToolJob(argv=("true",), tree=tmp_path)
    before = await Counting().fingerprints([job])
    (tmp_path / ".env").write_text("KEY=1")
    assert await Counting().fingerprints([job]) == before
    (tmp_path / ".env.test").write_text("KEY=1")
    assert await Counting().fingerprints([job]) != before
