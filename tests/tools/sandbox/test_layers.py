"""The layers of the sandbox, tested for real on every layer that this machine has."""

from __future__ import annotations

import importlib
import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jido_ai.cli import doctor as cli_doctor
from jido_ai.cli import improve as cli_improve
from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import ConfigurationError, ToolError
from jido_ai.improve.outcome import ImproveOptions
from jido_ai.protocols import RunContext
from jido_ai.tools.sandbox import executor as sandbox
from jido_ai.tools.sandbox import layers as sandbox_layers
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.tools.sandbox.layers import LAYERS, Layer, SandboxLimits
from jido_ai.tools.sandbox.selftest import escapes
from jido_ai.tools.tool import Tool
from jido_ai.values import Candidate
from jido_ai.values.tool import ToolJob

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
probes: Any = importlib.import_module("sandbox_probes")
sys.path.pop(0)

HERE = [layer for layer in LAYERS if escapes(layer) is None]
pytestmark = pytest.mark.skipif(not HERE, reason=f"no layer holds here: {[escapes(layer) for layer in LAYERS]}")


@pytest.fixture(params=HERE)
def layer(request: pytest.FixtureRequest) -> Layer:
    return request.param


@pytest.fixture
def executor(layer: Layer) -> SandboxExecutor:
    return SandboxExecutor(layers=(layer,), sandbox_limits=probes.LIMITS)


def python(code: str, **options: Any) -> ToolJob:
    return ToolJob(argv=("python", "-c", code), **options)


@pytest.fixture
def no_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine where no layer holds."""
    monkeypatch.setattr(sandbox, "escapes", lambda layer: f"{layer} is not here")
    monkeypatch.setattr(cli_doctor, "escapes", lambda layer: f"{layer} is not here")


# -- what is blocked


@pytest.mark.parametrize("probe", probes.PROBES)
@pytest.mark.quick_cases(20)
async def test_a_hostile_program_cannot_break_out(executor: SandboxExecutor, layer: Layer, probe: str) -> None:
    if layer == "medium" and probe in probes.KNOWN_ON_MEDIUM:
        pytest.skip("known, see docs/planning/archive/0008-sandbox.md")
    got_through, run = await probes.run_probe(executor, probe)
    assert not got_through, run


@pytest.mark.parametrize("name", ["-rf", "a;b", "a\nb", "$(id)", "'"], ids=repr)
async def test_an_argument_is_not_interpreted(executor: SandboxExecutor, name: str) -> None:
    run = await executor.run(ToolJob(argv=("python", "-S", "-c", "import sys; print(sys.argv[1:])", name)))
    assert run.stdout == f"{[name]}\n"


async def test_concurrent_runs_cannot_see_each_other(executor: SandboxExecutor) -> None:
    code = "import glob, os, tempfile; print(glob.glob(os.path.dirname(os.path.dirname(os.getcwd())) + '/jido-*'))"
    run = await executor.run(python(code))
    assert run.stdout in ("[]\n", f"[{str(Path(run.directory).parent)!r}]\n")


async def test_a_limit_that_ends_a_run_is_reported(executor: SandboxExecutor) -> None:
    run = await executor.run(python(probes.PROBES["take memory in many processes"].join(("import os, time\n", ""))))
    assert run.exit_status == -9
    assert "more than 268435456 bytes of memory" in run.stderr


# -- what must still work


@pytest.mark.quick_cases(1)
async def test_pytest_runs_a_candidate_and_its_result_is_read(executor: SandboxExecutor, layer: Layer) -> None:
    critiquer = ToolCritiquer(["pytest"], executor=SandboxExecutor(layers=(layer,)))
    context = RunContext(run_id="run", prompt="prompt")
    good = (
        "import asyncio, subprocess, sys, tempfile\n\n\ndef test_it(tmp_path):\n    (tmp_path / 'x').write_text('x')\n"
    )
    good += "    subprocess.run([sys.executable, '-c', ''], check=True)\n    asyncio.run(asyncio.sleep(0))\n"
    passed = await critiquer.critique(Candidate(good), context)
    assert (passed.severity, passed.metadata["sandbox"]) == (0.0, layer), passed.issues
    failed = await critiquer.critique(Candidate("def test_it():\n    assert 1 == 2\n"), context)
    assert (failed.issues[0].kind, failed.severity) == ("test", 0.9)


async def test_a_native_tool_runs(executor: SandboxExecutor) -> None:
    run = await executor.run(ToolJob(argv=("ruff", "--version"), executes=False))
    assert run.exit_status == 0, run.stderr


async def test_readable_files_pass_checks_for_access(executor: SandboxExecutor, layer: Layer) -> None:
    if layer == "medium":
        pytest.skip("there the directories above are those of the machine, which may be closed to all but root")
    run = await executor.run(python("import os; print(os.access(os.__file__, os.R_OK))"))
    assert run.stdout == "True\n"


async def test_a_program_in_another_directory_runs_and_its_neighbours_stay_hidden(
    executor: SandboxExecutor, tmp_path: Path
) -> None:
    program = tmp_path / "tool"
    program.write_text(f"#!/bin/sh\ncat {tmp_path}/neighbour; echo ran\n")
    program.chmod(0o755)
    (tmp_path / "neighbour").write_text("secret")
    run = await executor.run(ToolJob(argv=(str(program),)))
    assert run.stdout == "ran\n"


async def test_a_program_beside_the_interpreter_may_be_a_link_to_another_directory(
    layer: Layer, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "tool").write_text("#!/bin/sh\necho ran\n")
    (tmp_path / "tool").chmod(0o755)
    (tmp_path / "bin" / "tool").symlink_to(tmp_path / "tool")
    executor = SandboxExecutor(layers=(layer,), readable=(tmp_path / "bin",))
    run = await executor.run(ToolJob(argv=(str(tmp_path / "bin" / "tool"),)))
    assert run.stdout == "ran\n", run.stderr


async def test_only_declared_paths_are_readable(layer: Layer, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "file").write_text("shown")
    executor = SandboxExecutor(layers=(layer,), readable=(tmp_path / "data",))
    name = str(tmp_path / "data" / "file")
    run = await executor.run(python(f"print(open({name!r}).read()); open({name!r}, 'w')"))
    assert run.stdout == "shown\n"
    assert run.exit_status == 1
    assert (tmp_path / "data" / "file").read_text() == "shown"


@pytest.mark.parametrize("kind", ["folder", "file", "folder above"])
async def test_a_link_that_lies_in_the_project_makes_nothing_readable(layer: Layer, kind: str, tmp_path: Path) -> None:
    tree, outside = tmp_path / "tree", tmp_path / "outside"
    (tree / "lib").mkdir(parents=True)
    (outside / "inner").mkdir(parents=True)
    for secret in (outside / "secret", outside / "inner" / "secret"):
        secret.write_text("of the user")
    link = tree / "lib" / "libpython-x"
    link.symlink_to(outside / "secret" if kind == "file" else outside)
    named = link / "inner" if kind == "folder above" else link
    executor = SandboxExecutor(layers=(layer,), readable=(named,))
    secrets = [outside / "secret", outside / "inner" / "secret", named, named / "secret"]
    code = f"""
for name in {list(map(str, secrets))!r}:
    try:
        print(open(name).read())
    except OSError:
        print("closed")
"""
    assert (await executor.run(python(code, tree=tree))).stdout == "closed\n" * 4
    (tree / "tool").symlink_to("/usr/bin/id")  # readable anyway, as part of the system
    run = await executor.run(ToolJob(argv=(str(tree / "tool"), "-u"), tree=tree))
    assert run.exit_status == 0


async def test_a_project_tree_does_not_count_against_the_disk_limit(layer: Layer, tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number}").write_bytes(b"x" * 100_000)
    limits = SandboxLimits(disk_bytes=1_000_000, files=15)
    executor = SandboxExecutor(layers=(layer,), sandbox_limits=limits)
    run = await executor.run(python("import os; print(len(os.listdir())); open('new', 'w').write('x')", tree=tmp_path))
    assert (run.exit_status, run.stdout) == (0, "20\n"), run.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
async def test_root_becomes_another_user_without_harmful_capabilities(executor: SandboxExecutor) -> None:
    code = "import ctypes, os; version = ctypes.create_string_buffer((0x20080522).to_bytes(4, 'little') + bytes(4))\n"
    code += "sets = (ctypes.c_uint * 6)(); ctypes.CDLL(None).capget(version, sets); to_read = 1 << 2\n"
    code += "print(os.getuid() > 1000, os.getgroups(), [each & ~to_read for each in sets])"
    run = await executor.run(python(code))
    assert run.stdout == "True [] [0, 0, 0, 0, 0, 0]\n"


# -- the choice of the layer, and machines without one


async def test_the_best_layer_is_taken_and_recorded() -> None:
    run = await SandboxExecutor().run(ToolJob(argv=("true",)))
    assert run.sandbox == HERE[0]


async def test_without_a_layer_a_program_that_executes_is_refused_with_a_remedy(no_layer: None) -> None:
    with pytest.raises(ConfigurationError, match=r"strong is not here.*medium is not here.*Install bubblewrap.*unsafe"):
        await SandboxExecutor().run(ToolJob(argv=("true",)))


async def test_without_a_layer_a_program_that_executes_runs_when_its_job_says_unsafe(no_layer: None) -> None:
    run = await SandboxExecutor().run(ToolJob(argv=("true",), unsafe=True))
    assert (run.exit_status, run.sandbox) == (0, "none")


async def test_unsafe_does_not_disable_an_available_sandbox() -> None:
    run = await SandboxExecutor().run(ToolJob(argv=("true",), unsafe=True))
    assert run.sandbox == HERE[0]


async def test_without_a_layer_linters_still_lint_and_tests_do_not_run(no_layer: None) -> None:
    context = RunContext(run_id="run", prompt="prompt")
    linted = await ToolCritiquer(["ruff", "compile"]).critique(Candidate("import os\n"), context)
    assert [issue.rule for issue in linted.issues] == ["F401"]
    assert linted.metadata["sandbox"] == "none"
    with pytest.raises(ConfigurationError, match="no sandbox works"):
        await ToolCritiquer(["pytest"]).critique(Candidate(""), context)


def test_a_tool_executes_the_candidate_unless_it_says_otherwise() -> None:
    assert Tool("mine", ("true",)).job("").executes
    assert not replace(Tool("mine", ("true",)), executes=False).job("").executes


def test_improve_refuses_tests_before_anything_runs_unless_told_otherwise(no_layer: None, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("A = 1\n")
    (tmp_path / "test_a.py").write_text("def test_a():\n    pass\n")
    options = ImproveOptions(
        files=[tmp_path / "a.py"], memory=tmp_path / "memory.db", tests=tmp_path / "test_a.py", output="check"
    )
    with pytest.raises(ConfigurationError, match="--unsafe-local-tools"):
        cli_improve.improve(options, sys.stdout, sys.stderr)
    assert cli_improve.improve(replace(options, unsafe=True), sys.stdout, sys.stderr) == 0


def test_doctor_reports_the_layer_in_use_and_why_the_others_are_not_used(
    no_layer: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cli_doctor.doctor(tmp_path / "memory.db", sys.stdout)
    told = capsys.readouterr().out
    assert re.search(r"^sandbox +none: ", told, re.MULTILINE)
    assert "strong is not here" in told
    assert "medium is not here" in told


async def test_a_sandbox_that_cannot_be_set_up_is_an_error_and_never_a_pass(
    monkeypatch: pytest.MonkeyPatch, executor: SandboxExecutor
) -> None:
    monkeypatch.setattr(sandbox_layers, "_resource_limits", lambda _limits: (("NO_SUCH_LIMIT", 1),))
    with pytest.raises(ToolError, match="could not be set up"):
        await executor.run(ToolJob(argv=("true",)))


@pytest.mark.parametrize("name", SandboxLimits.__slots__)
def test_a_limit_is_at_least_1(name: str) -> None:
    with pytest.raises(ConfigurationError, match=name):
        SandboxLimits(**{name: 0})
