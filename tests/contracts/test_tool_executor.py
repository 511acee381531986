"""What every executor promises."""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from functools import partial
from pathlib import Path

import pytest

from jido_ai.errors import ConfigurationError, ToolError, ToolNotFoundError
from jido_ai.protocols import ToolExecutor
from jido_ai.tools.sandbox.executor import ProcessExecutor, SandboxExecutor
from jido_ai.values.tool import ToolJob

EXECUTORS = {
    "none": ProcessExecutor,
    "medium": partial(SandboxExecutor, layers=("medium",)),
    "strong": partial(SandboxExecutor, layers=("strong",)),
}
OUTSIDE = ["/etc/x", "../x", "a/../../x", "a\0b", "C:\\x", "C:x", "a\\..\\x", "", ".", "a//b", "-rf", "a/./b"]


@pytest.fixture(params=EXECUTORS)
def executor(request: pytest.FixtureRequest) -> ToolExecutor:
    made = EXECUTORS[request.param]()
    if isinstance(made, SandboxExecutor) and (refusal := made.refusal()):
        pytest.skip(refusal)
    return made


def python(code: str, **options: object) -> ToolJob:
    return ToolJob(argv=("python", "-c", code), **options)  # type: ignore[arg-type]


def sleeper() -> str:
    """Return a `sleep` that can be told from all others."""
    return f"sleep 60.{random.randrange(10**9):09}"


def alive(command: str) -> list[str]:
    """Return the processes with this command line."""
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            found += [entry.name] if line.strip() == command else []
    return found


def zombies_of_ours() -> set[str]:
    found: set[str] = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state == "Z" and int(parent) in (1, os.getpid()):
                found.add(entry.name)
    return found


async def new_zombies(before: set[str]) -> set[str]:
    """Return the zombies that were not there before and that nobody, not even init, reaps within 30 s."""
    end = time.monotonic() + 30.0
    while (new := zombies_of_ours() - before) and time.monotonic() < end:
        await asyncio.sleep(0.05)
    return new


def test_it_is_an_executor(executor: ToolExecutor) -> None:
    assert isinstance(executor, ToolExecutor)


async def test_exit_status_and_both_outputs_come_back(executor: ToolExecutor) -> None:
    run = await executor.run(python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"))
    assert (run.exit_status, run.stdout, run.stderr) == (3, "out\n", "err\n")
    assert not run.timed_out
    assert not run.truncated
    assert run.report is None
    assert run.sandbox


async def test_a_signal_that_ends_the_program_is_a_negative_status(executor: ToolExecutor) -> None:
    run = await executor.run(ToolJob(argv=("sh", "-c", "kill -SEGV $$")))
    assert run.exit_status == -11


async def test_no_shell_reads_the_arguments(executor: ToolExecutor) -> None:
    run = await executor.run(ToolJob(argv=("echo", "$HOME; `id` > x | y *")))
    assert run.stdout == "$HOME; `id` > x | y *\n"


async def test_stdin_arrives_and_is_empty_otherwise(executor: ToolExecutor) -> None:
    big = b"x" * 300_000
    assert (await executor.run(ToolJob(argv=("cat",), stdin=big))).stdout == big.decode()
    assert (await executor.run(ToolJob(argv=("cat",)))).stdout == ""


async def test_a_program_that_does_not_read_its_input_does_no_harm(executor: ToolExecutor) -> None:
    run = await executor.run(ToolJob(argv=("true",), stdin=b"x" * 300_000))
    assert run.exit_status == 0


async def test_the_files_lie_in_the_working_directory_and_nothing_else(executor: ToolExecutor) -> None:
    code = "import pathlib; print(sorted(p.as_posix() for p in pathlib.Path().rglob('*')), open('a/b.py').read())"
    run = await executor.run(python(code, files={"a/b.py": b"hi", "c.py": b""}))
    assert run.stdout == "['a', 'a/b.py', 'c.py'] hi\n"


async def test_every_run_has_a_fresh_directory_that_is_gone_afterwards(executor: ToolExecutor) -> None:
    code = "import os; open('left', 'w').close(); os.mkdir('dir'); print(os.getcwd())"
    first, second = [await executor.run(python(code)) for _ in range(2)]
    assert first.directory != second.directory
    assert first.stdout.strip() == first.directory
    assert not Path(first.directory).parent.exists()


async def test_the_environment_holds_no_secret_and_no_home_of_ours(
    executor: ToolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    monkeypatch.setenv("PYTHONPATH", "/canary")
    run = await executor.run(python("import os; print(dict(os.environ))"))
    assert "canary" not in run.stdout
    assert os.environ["HOME"] + "'" not in run.stdout
    assert f"'HOME': '{Path(run.directory).parent}" in run.stdout


async def test_a_program_is_killed_at_its_limit_and_its_output_is_kept(executor: ToolExecutor) -> None:
    command = sleeper()
    run = await executor.run(ToolJob(argv=("sh", "-c", f"echo hi; {command}"), timeout_s=2.0))
    assert run.timed_out
    assert run.exit_status is None
    assert run.stdout == "hi\n"
    assert run.duration_s < 60
    assert not alive(command)
    assert not Path(run.directory).parent.exists()


async def test_children_in_sessions_of_their_own_are_gone_at_the_limit(executor: ToolExecutor) -> None:
    before = zombies_of_ours()
    command = sleeper()
    await executor.run(ToolJob(argv=("sh", "-c", f"setsid {command} & ({command} &) ; {command}"), timeout_s=0.5))
    assert not alive(command)
    assert await new_zombies(before) == set()


async def test_children_are_gone_after_a_normal_end_too(executor: ToolExecutor) -> None:
    before = zombies_of_ours()
    command = sleeper()
    run = await executor.run(ToolJob(argv=("sh", "-c", f"setsid {command} & ({command} &) ; exit 4")))
    assert run.exit_status == 4
    assert not alive(command)
    assert await new_zombies(before) == set()


async def test_cancellation_passes_through_and_leaves_nothing(
    executor: ToolExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await executor.run(ToolJob(argv=("true",)))  # a self-test would use the directory, too
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    command = sleeper()
    task = asyncio.create_task(executor.run(ToolJob(argv=("sh", "-c", f"setsid {command} & {command}"))))
    while not alive(command):  # a program that is held cannot tell us that it runs
        await asyncio.sleep(0.01)
    assert list(tmp_path.iterdir())
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not alive(command)
    assert not list(tmp_path.iterdir())


async def test_a_flood_of_output_is_cut_and_reported(executor: ToolExecutor) -> None:
    run = await executor.run(python("print('x' * 50_000)", max_output_bytes=1_000))
    assert run.stdout == "x" * 1_000
    assert run.truncated


async def test_output_as_long_as_the_limit_is_whole(executor: ToolExecutor) -> None:
    run = await executor.run(python("print('x' * 999)", max_output_bytes=1_000))
    assert run.stdout == "x" * 999 + "\n"
    assert not run.truncated


async def test_a_missing_program_is_named_with_a_hint(executor: ToolExecutor) -> None:
    with pytest.raises(ToolNotFoundError, match=r"no-such-tool.*install"):
        executor.locate("no-such-tool")
    with pytest.raises(ToolNotFoundError, match="no-such-tool"):
        await executor.run(ToolJob(argv=("no-such-tool",)))


@pytest.mark.parametrize("path", OUTSIDE)
async def test_a_path_that_leads_outside_is_refused(executor: ToolExecutor, path: str) -> None:
    with pytest.raises(ConfigurationError):
        await executor.run(ToolJob(argv=("true",), files={path: b"x"}))
    with pytest.raises(ConfigurationError):
        await executor.run(ToolJob(argv=("true",), report=path))


async def test_a_path_through_a_link_that_leads_outside_is_refused(executor: ToolExecutor, tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "tree" / "link").symlink_to(tmp_path / "outside")
    await executor.run(ToolJob(argv=("true",), tree=tmp_path / "tree", files={"link/x": b"x"}))
    assert not list((tmp_path / "outside").iterdir())


async def test_arguments_that_no_program_can_take_are_an_error(executor: ToolExecutor) -> None:
    with pytest.raises(ToolError):
        await executor.run(ToolJob(argv=("echo", "a\0b")))
    with pytest.raises(ToolError):
        await executor.run(ToolJob(argv=("echo", "x" * 3_000_000)))


async def test_a_report_is_read_back_and_an_old_one_is_not(executor: ToolExecutor, tmp_path: Path) -> None:
    (tmp_path / "report.txt").write_text("old")
    fresh = await executor.run(python("open('report.txt', 'w').write('new')", tree=tmp_path, report="report.txt"))
    assert fresh.report == "new"
    none = await executor.run(python("pass", tree=tmp_path, report="report.txt"))
    assert none.report is None


async def test_a_long_report_is_cut_and_reported(executor: ToolExecutor) -> None:
    code = "open('report.txt', 'w').write('x' * 2_000)"
    run = await executor.run(python(code, report="report.txt", max_output_bytes=1_000))
    assert run.report == "x" * 1_000
    assert run.truncated


@pytest.mark.parametrize(
    "code",
    ["os.symlink('/etc/passwd', 'report.txt')", "os.mkfifo('report.txt')", "os.mkdir('report.txt')"],
    ids=["link", "pipe", "directory"],
)
async def test_only_a_plain_file_is_a_report(executor: ToolExecutor, code: str) -> None:
    assert (await executor.run(python(f"import os; {code}", report="report.txt"))).report is None


async def test_a_directory_swapped_for_a_link_does_not_show_files_of_ours(
    executor: ToolExecutor, tmp_path: Path
) -> None:
    (tmp_path / "report.txt").write_text("secret")
    code = f"import os; here = os.getcwd(); os.rename(here, here + '2'); os.symlink({str(tmp_path)!r}, here)"
    run = await executor.run(python(code, report="report.txt"))
    assert run.report is None
    assert (tmp_path / "report.txt").exists()
    assert not Path(run.directory).parent.exists()


async def test_a_run_works_in_a_copy_of_the_tree(executor: ToolExecutor, tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "mod.py").write_text("VALUE = 1")
    (tmp_path / "data.txt").write_text("kept")
    code = "import pkg.mod, os; print(pkg.mod.VALUE); os.remove('data.txt'); open('pkg/mod.py', 'w').close()"
    run = await executor.run(python(code, tree=tmp_path, files={"pkg/mod.py": b"VALUE = 2"}))
    assert run.stdout == "2\n"
    assert (tmp_path / "pkg" / "mod.py").read_text() == "VALUE = 1"
    assert (tmp_path / "data.txt").read_text() == "kept"


async def test_caches_and_special_files_are_not_copied(executor: ToolExecutor, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for name in (".git", ".venv", "__pycache__", "node_modules", ".ruff_cache", "src"):
        (tree / name).mkdir(parents=True)
        (tree / name / "x").write_text("x")
    os.mkfifo(tree / "pipe")
    (tmp_path / "secret").write_text("secret")
    (tree / "out").symlink_to(tmp_path / "secret")
    (tree / "in").symlink_to(tree / "src" / "x")
    code = "import pathlib, os; print(sorted(os.listdir()), open('in').read(), os.readlink('in'))"
    run = await executor.run(python(code, tree=tree))
    assert run.stdout == "['in', 'src'] x src/x\n"


async def test_the_secrets_of_a_project_stay_out_of_the_copy(executor: ToolExecutor, tmp_path: Path) -> None:
    shared = [".env.example", ".env.test", ".environment", "env.py", "settings.env"]
    secret = [".env", ".env.local", ".env-prod", ".env.test.local", ".envrc", ".netrc", ".env~", ".ENV"]
    (tmp_path / "app").mkdir()
    for name in (*shared, *secret, *(f"app/{name}" for name in secret)):
        (tmp_path / name).write_text(name)
    (tmp_path / "link").symlink_to(".env")
    code = "import os; print(sorted(os.listdir()), os.listdir('app'), os.path.exists('link'))"
    run = await executor.run(python(code, tree=tmp_path, files={".env": b"given"}))
    assert run.stdout == f"{sorted(['app', 'link', '.env', *shared])} [] True\n", run.stderr


async def test_many_run_at_the_same_time(executor: ToolExecutor) -> None:
    runs = await asyncio.gather(*(executor.run(python(f"print({number})")) for number in range(12)))
    assert [int(run.stdout) for run in runs] == list(range(12))


async def test_files_that_a_run_writes_are_invisible_to_other_runs(executor: ToolExecutor, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("kept")
    writes = "open('data', 'w').write('spoilt'); open('new', 'w').close()"
    looks = "import os; print(open('data').read(), os.listdir())"
    runs = await asyncio.gather(*(executor.run(python(code, tree=tmp_path)) for code in (writes, looks) * 2))
    assert [run.stdout for run in runs[1::2]] == ["kept ['data']\n"] * 2
    assert (tmp_path / "data").read_text() == "kept"
    assert not (tmp_path / "new").exists()


async def test_a_file_may_be_written_through_a_link_that_stays_inside(executor: ToolExecutor, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a").write_text("old")
    (tmp_path / "in").symlink_to("src")
    code = "import os; print(open('src/a').read(), open('in/b').read(), os.readlink('in'))"
    run = await executor.run(python(code, tree=tmp_path, files={"in/a": b"new", "in/b": b"more"}))
    assert run.stdout == "new more src\n", run.stderr


async def test_a_tree_keeps_its_modes_and_times_and_belongs_to_the_program(
    executor: ToolExecutor, tmp_path: Path
) -> None:
    (tmp_path / "run.sh").write_text("#!/bin/sh\necho ran\n")
    (tmp_path / "run.sh").chmod(0o700)
    os.utime(tmp_path / "run.sh", (1_000_000_000, 1_000_000_000))
    code = "import os, subprocess; print(subprocess.run(['./run.sh'], capture_output=True).stdout, "
    code += "os.stat('run.sh').st_mtime, os.access('run.sh', os.W_OK))"
    run = await executor.run(python(code, tree=tmp_path))
    assert run.stdout == "b'ran\\n' 1000000000.0 True\n", run.stderr


async def test_files_with_odd_names_come_along(executor: ToolExecutor, tmp_path: Path) -> None:
    for name in ("-rf", "a;b", "a\nb", "$(id)", "é"):
        (tmp_path / name).write_text(name)
    run = await executor.run(python("import os; print(sorted(os.listdir()))", tree=tmp_path))
    assert run.stdout == f"{sorted(['-rf', 'a;b', chr(97) + chr(10) + 'b', '$(id)', 'é'])}\n"


@pytest.mark.parametrize("files", [{"a/b": b""}, {"d": b""}], ids=["below a file", "over a directory"])
async def test_a_file_where_the_tree_has_something_else_is_an_error(
    executor: ToolExecutor, tmp_path: Path, files: dict[str, bytes]
) -> None:
    (tmp_path / "a").write_text("")
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "x").write_text("")
    with pytest.raises(ToolError):
        await executor.run(ToolJob(argv=("true",), tree=tmp_path, files=files))
