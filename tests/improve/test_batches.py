"""Batches: many small runs of a tool joined."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence

import pytest

from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import ToolError
from jido_ai.improve.batches import BatchingExecutor
from jido_ai.protocols import RunContext
from jido_ai.revisers.targeted_reviser import TargetedReviser
from jido_ai.tools.ready import COMPILE, RUFF
from jido_ai.tools.sandbox.executor import ProcessExecutor
from jido_ai.values import Candidate, Issue, Location
from jido_ai.values.tool import ToolJob, ToolRun

CONTEXT = RunContext(run_id="r", prompt="p")


class Counting:
    """A real executor that records its jobs."""

    def __init__(self, refuse: str | None = None) -> None:
        self.jobs: list[ToolJob] = []
        self._refuse = refuse
        self._executor = ProcessExecutor()

    def locate(self, program: str) -> str:
        return self._executor.locate(program)

    async def run(self, job: ToolJob) -> ToolRun:
        self.jobs.append(job)
        if self._refuse is not None and any(self._refuse in raw.decode() for raw in job.files.values()):
            raise ToolError("it crashed")
        return await self._executor.run(job)


TEXTS = {"a.py": "import os\n\nx = 1\n", "b.py": "x = (\n", "sub/c.py": "x = 1\n", "d.py": "x = f'a'\n"}


Found = list[tuple[str, str | None, int | None]]


async def judged(executor: BatchingExecutor, texts: Mapping[str, str]) -> list[Found]:
    critics = [ToolCritiquer([COMPILE, RUFF], replaces=path, executor=executor, cache=False) for path in texts]
    results = await asyncio.gather(
        *(critic.critique(Candidate(text), CONTEXT) for critic, text in zip(critics, texts.values(), strict=True))
    )
    return [[_seen(issue) for issue in result.issues] for result in results]


def _seen(issue: Issue) -> tuple[str, str | None, int | None]:
    place = issue.location or Location()
    return issue.rule or "", place.path, place.line


async def test_files_judged_together_get_the_findings_they_get_alone() -> None:
    counting = Counting()
    together = await judged(BatchingExecutor(counting), TEXTS)
    alone = [one for path, text in TEXTS.items() for one in await judged(BatchingExecutor(Counting()), {path: text})]
    assert together == alone
    assert [[rule for rule, *_ in found] for found in together] == [["F401"], ["SyntaxError"], [], ["F541"]]
    assert len(counting.jobs) <= 4  # two tools; the first file may run before the others


async def test_results_are_cached() -> None:
    counting = Counting()
    executor = BatchingExecutor(counting)
    first = await judged(executor, TEXTS)
    jobs = len(counting.jobs)
    assert await judged(executor, TEXTS) == first
    assert len(counting.jobs) == jobs
    await judged(executor, {"a.py": "x = 2\n"})
    assert len(counting.jobs) == jobs + 2


async def test_two_versions_of_one_file_are_not_mixed_up() -> None:
    executor = BatchingExecutor(Counting())
    versions = ["import os\n\nx = 1\n", "import sys\n\nx = 1\n", "x = 1\n"]
    jobs = [RUFF.job(text, path="a.py") for text in versions]
    runs = await asyncio.gather(*(executor.run(job) for job in jobs))
    assert [[one["message"][:4] for one in json.loads(run.stdout)] for run in runs] == [["`os`"], ["`sys"], []]


async def test_a_hostile_file_does_not_affect_other_files_of_its_batch() -> None:
    counting = Counting(refuse="crash")
    executor = BatchingExecutor(counting)
    texts = {f"f{number}.py": f"import os\n\nx = {number}\n" for number in range(4)} | {"bad.py": "crash = 1\n"}
    runs = await asyncio.gather(
        *(executor.run(RUFF.job(text, path=path)) for path, text in texts.items()), return_exceptions=True
    )
    assert [isinstance(run, ToolError) for run in runs] == [False, False, False, False, True]
    assert all(len(json.loads(run.stdout)) == 1 for run in runs if isinstance(run, ToolRun))


async def test_a_batch_continues_when_its_leader_is_cancelled() -> None:
    started, go_on = asyncio.Event(), asyncio.Event()

    class Slow(Counting):
        async def run(self, job: ToolJob) -> ToolRun:
            started.set()
            await go_on.wait()
            return await super().run(job)

    executor = BatchingExecutor(Slow())
    leader = asyncio.create_task(executor.run(RUFF.job("import os\n\nx = 1\n", path="a.py")))
    await started.wait()
    other = asyncio.create_task(executor.run(RUFF.job("import os\n\nx = 2\n", path="b.py")))
    await asyncio.sleep(0)
    leader.cancel()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await leader
    assert len(json.loads((await other).stdout)) == 1


async def test_jobs_that_cannot_be_joined_run_separately() -> None:
    counting = Counting()
    job = ToolJob(argv=("python", "-c", "print(1)"))
    runs = await asyncio.gather(*(BatchingExecutor(counting).run(job) for _ in range(3)))
    assert [run.stdout for run in runs] == ["1\n"] * 3
    assert len(counting.jobs) == 3


async def test_a_reviser_and_a_critic_share_cached_findings() -> None:
    counting = Counting()
    executor = BatchingExecutor(counting)
    critic = ToolCritiquer([COMPILE, RUFF], executor=executor, cache=False)
    candidate = Candidate("import os\n\nx = 1\n")
    critique = await critic.critique(candidate, CONTEXT)
    jobs = len(counting.jobs)
    revised = await TargetedReviser(executor=executor, formats=False).revise(candidate, critique, CONTEXT)
    assert revised.content == "\nx = 1\n"
    assert (await critic.critique(revised, CONTEXT)).issues == ()
    assert [job.argv[0] for job in counting.jobs[jobs:]] in (["ruff", "python"], ["python", "ruff"])


def split(run: ToolRun, targets: Sequence[str]) -> dict[str, ToolRun]:
    return {}


async def test_a_split_that_cannot_separate_files_costs_extra_runs_but_no_findings() -> None:
    counting = Counting()
    executor = BatchingExecutor(counting)
    jobs = [
        ToolJob(
            argv=("python", "-c", "import sys; print(open(sys.argv[1]).read())", path),
            files={path: path.encode()},
            target=path,
            split=split,
        )
        for path in ("a", "b", "c")
    ]
    runs = await asyncio.gather(*(executor.run(job) for job in jobs))
    assert [run.stdout.strip() for run in runs] == ["a", "b", "c"]


async def test_unformatted_files_stay_unformatted_when_others_are_fixed_with_them() -> None:
    executor = BatchingExecutor(Counting())
    texts = {"a.py": "x = f'a'\n", "b.py": "y  =  f'b'\n", "c.py": 'z = f"c"\n'}

    async def mended(path: str, text: str) -> str:
        candidate = Candidate(text)
        critique = await ToolCritiquer([RUFF], replaces=path, executor=executor).critique(candidate, CONTEXT)
        return (await TargetedReviser(replaces=path, executor=executor).revise(candidate, critique, CONTEXT)).content

    found = await asyncio.gather(*(mended(path, text) for path, text in texts.items()))
    assert found == ["x = 'a'\n", "y  =  'b'\n", 'z = "c"\n']
