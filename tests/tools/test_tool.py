"""The ready tools, in the real sandbox of this machine."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from jido_ai.cli.doctor import doctor
from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import ConfigurationError, ToolNotFoundError
from jido_ai.protocols import RunContext
from jido_ai.registry import names
from jido_ai.tools.ready import BANDIT, COMPILE, DOCTEST, MYPY, PYRIGHT, PYTEST, RUFF, UNITTEST
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.tools.tool import Tool
from jido_ai.values import Candidate, CritiqueResult, Issue, Location

CONTEXT = RunContext(run_id="run", prompt="prompt")
# without plugins that take longer to load than these tests to run
QUICK = PYTEST.with_arguments("--disable-plugin-autoload")
BESIDE = Path(sys.executable).parent
WRONG_TYPE = "def f(a: int) -> int:\n    return a\n\n\nf('e')\n"
pytestmark = pytest.mark.skipif(SandboxExecutor().refusal() is not None, reason="no layer of the sandbox holds here")


def needs(*programs: str) -> pytest.MarkDecorator:
    is_here = any((BESIDE / program).exists() or shutil.which(program) for program in programs)
    return pytest.mark.skipif(not is_here, reason=f"{programs[0]} is not installed")


async def judge(content: str, *tools: str | Tool, **options: object) -> CritiqueResult:
    return await ToolCritiquer(tools, **options).critique(Candidate(content), CONTEXT)  # type: ignore[arg-type]


async def only(content: str, *tools: str | Tool, **options: object) -> Issue:
    (issue,) = (await judge(content, *tools, **options)).issues
    return issue


def project(root: Path, **files: str) -> Path:
    """Create files; "__" in a name is "/", and ".py" is added to names without a suffix."""
    for name, text in files.items():
        path = root / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


# -- type checkers and bandit


@needs("mypy")
async def test_mypy_reports_type_errors_with_their_places() -> None:
    issue = await only(WRONG_TYPE, "mypy")
    assert (issue.kind, issue.rule, issue.severity) == ("error", "arg-type", 0.7)
    assert issue.location == Location("candidate.py", 5, 3, 5, 6)
    assert (await judge(WRONG_TYPE.replace("'e'", "1"), "mypy")).issues == ()


@needs("mypy")
@pytest.mark.slow
async def test_mypy_reports_unparsable_code_as_such() -> None:
    issue = await only("def f(:\n", "mypy")
    assert (issue.kind, issue.severity) == ("syntax", 1.0)


@needs("pyright", "basedpyright")
@pytest.mark.slow
async def test_pyright_reports_type_errors_with_their_places() -> None:
    issue = await only(WRONG_TYPE, "pyright")
    assert (issue.kind, issue.rule, issue.severity) == ("error", "reportArgumentType", 0.7)
    assert issue.location == Location("candidate.py", 5, 3, 5, 6)
    assert (await only("def f(:\n", "pyright")).kind == "syntax"


@needs("bandit")
async def test_bandit_reports_unsafe_code_and_ignores_asserts() -> None:
    issue = await only("import hashlib\n\nassert hashlib.md5(b'')\n", "bandit")
    assert (issue.kind, issue.rule, issue.severity) == ("error", "B324", 0.7)
    assert issue.location == Location("candidate.py", 3, 8, 3, 24)


@needs("bandit")
async def test_bandit_does_not_pass_unparsable_code() -> None:
    assert (await judge("def f(:\n", "bandit")).severity == 1.0


def test_the_first_program_that_is_installed_is_run(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    chosen = Tool("t", ("no-such-tool", "x"), others=("no-such-either", str(other))).found(SandboxExecutor())
    assert chosen.argv == (str(other), "x")
    with pytest.raises(ToolNotFoundError, match="'no-such-tool' is not installed"):
        Tool("t", ("no-such-tool",), others=("no-such-either",)).found(SandboxExecutor())
    assert Tool("t", ("true",), others=(str(other),)).found(SandboxExecutor()).argv == ("true",)


# -- a failing test names the assertion with its values, and the innermost place in the candidate

SOLUTION = "def f(x):\n    return g(x)\n\n\ndef g(x):\n    return 3 // x\n"
TESTS = """import unittest

from solution import f


def test_value():
    assert f(1) == 4


def test_crash():
    f(0)


class Suite(unittest.TestCase):
    def test_value(self):
        self.assertEqual(f(1), 4)

    def test_crash(self):
        f(0)
"""


async def test_pytest_points_to_the_assertion_or_to_the_failing_line_of_the_candidate(tmp_path: Path) -> None:
    project(tmp_path, test_solution=TESTS, solution="")
    tests = QUICK.with_arguments("-k", "not Suite")
    value, crash = (await judge(SOLUTION, tests, root=tmp_path, replaces="solution.py")).issues
    assert value.rule == "test_solution.py::test_value"
    assert value.message.splitlines() == [
        "test_solution.py::test_value: assert 3 == 4",
        " +  where 3 = f(1)",
        "at test_solution.py:7: assert f(1) == 4",
    ]
    assert value.location == Location("test_solution.py", 7, 5)
    assert "ZeroDivisionError" in crash.message
    assert crash.message.splitlines()[-1] == "at test_solution.py:11: f(0)"
    assert crash.location == Location("solution.py", 6, 12)


async def test_unittest_points_to_the_assertion_or_to_the_failing_line_of_the_candidate(tmp_path: Path) -> None:
    project(tmp_path, test_solution=TESTS, solution="")
    crash, value = (await judge(SOLUTION, UNITTEST, root=tmp_path, replaces="solution.py")).issues
    assert value.message.splitlines() == [
        "test_solution.Suite.test_value: AssertionError: 3 != 4",
        "at test_solution.py:16: self.assertEqual(f(1), 4)",
    ]
    assert value.location == Location("test_solution.py", 16, 9)
    assert crash.location == Location("solution.py", 6, 12)
    assert crash.message.splitlines()[-1] == "at test_solution.py:19: f(0)"


async def test_a_candidate_that_cannot_be_imported_fails_at_the_line_that_raises(tmp_path: Path) -> None:
    project(tmp_path, test_solution=TESTS, solution="")
    for content, place in (("x = 1\ny = x.z\n", (2, 5)), ("x = 1\ndef f(:\n", (2, 7))):
        issue = await only(content, QUICK, root=tmp_path, replaces="solution.py")
        assert issue.location is not None
        assert (issue.kind, issue.location.path) == ("test", "solution.py")
        assert (issue.location.line, issue.location.column) == place


async def test_the_message_of_a_failing_test_is_bounded() -> None:
    issue = await only("def test_it():\n    raise ValueError('x' * 1_000_000)\n", "pytest")
    assert len(issue.message) < 5_000
    assert "cut" in issue.message


async def test_a_test_that_passes_on_a_rerun_is_no_failure(tmp_path: Path) -> None:
    again = (
        "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True, tryfirst=True)\ndef pytest_runtest_makereport(item):\n"
        "    outcome = yield\n    report = outcome.get_result()\n"
        "    report.outcome = 'rerun' if report.failed else report.outcome\n"
    )
    project(tmp_path, conftest=again, solution="")
    content = "def test_a():\n    assert 0\n\n\ndef test_b():\n    pass\n"
    assert (await judge(content, QUICK, root=tmp_path, replaces="test_it.py")).issues == ()


async def test_doctest_reports_the_example_and_its_output(tmp_path: Path) -> None:
    code = 'def f(x):\n    """Triple.\n\n    >>> f(1)\n    4\n    >>> f(None)\n    0\n    """\n    return x * 3\n'
    value, crash = (await judge(code, "doctest")).issues
    assert value.message == "candidate.f: f(1): expected 4, got 3\nat candidate.py:4: f(1)"
    assert (value.kind, value.severity, value.location) == ("test", 0.9, Location("candidate.py", 4, 5))
    assert "TypeError" in crash.message
    assert crash.location == Location("candidate.py", 9, 12)
    project(tmp_path, pkg____init__="", pkg__other="ONE = 1\n", pkg__mod="")
    code = 'from pkg.other import ONE\n\n\ndef f():\n    """One.\n\n    >>> f()\n    1\n    """\n    return ONE\n'
    assert (await judge(code, DOCTEST, root=tmp_path, replaces="pkg/mod.py")).issues == ()


# -- runs without results do not pass

EARLY = {
    "os._exit in a module": "import os\nos._exit(0)\ndef test_it():\n    pass\n",
    "os._exit in a test": "import os\ndef test_a():\n    pass\ndef test_b():\n    os._exit(0)\n",
    "sys.exit in a module": "import sys\nsys.exit(0)\ndef test_it():\n    pass\n",
    "pytest.exit in a test": "import pytest\ndef test_a():\n    pass\ndef test_b():\n    pytest.exit('done', 0)\n",
    "all skipped": "import pytest\npytestmark = pytest.mark.skip\ndef test_it():\n    assert 0\n",
    "all expected to fail": "import pytest\n@pytest.mark.xfail\ndef test_it():\n    assert 0\n",
}


@pytest.mark.parametrize("how", EARLY)
@pytest.mark.quick_cases(2)
async def test_pytest_cannot_run_if_it_ends_early_or_runs_no_test(how: str) -> None:
    issue = await only(EARLY[how], QUICK)
    assert (issue.kind, issue.severity) == ("cannot-run", 1.0)


CONFTEST = {
    "os._exit": "import os\nos._exit(0)\n",
    "sys.exit": "import sys\nsys.exit(0)\n",
    "pytest.exit": "import pytest\npytest.exit('done', 0)\n",
    "everything is deselected": (
        "def pytest_collection_modifyitems(config, items):\n    config.hook.pytest_deselected(items=items[:])\n"
        "    items[:] = []\n"
    ),
    "exit at the end": "import os\ndef pytest_runtest_logreport(report):\n    os._exit(0)\n",
    "the loop is replaced": "def pytest_runtestloop(session):\n    return True\n",
}


@pytest.mark.parametrize("how", CONFTEST)
@pytest.mark.quick_cases(1)
async def test_pytest_cannot_run_if_a_conftest_ends_it_early(how: str, tmp_path: Path) -> None:
    project(tmp_path, conftest=CONFTEST[how], test_it="def test_it():\n    assert 0\n", solution="")
    issue = await only("", QUICK, root=tmp_path, replaces="solution.py")
    assert (issue.kind, issue.severity) == ("cannot-run", 1.0)


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos._exit(0)\n",
        "import unittest\n@unittest.skip('x')\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n",
        "import unittest\nclass T(unittest.TestCase):\n    @unittest.expectedFailure\n    def test_a(self):\n"
        "        raise ValueError\n",
        "x = 1\n",
    ],
    ids=["os._exit", "skipped", "expected to fail", "no test"],
)
@pytest.mark.quick_cases(1)
async def test_unittest_cannot_run_if_it_ends_early_or_runs_no_test(code: str) -> None:
    assert (await only(code, "unittest")).kind == "cannot-run"


@pytest.mark.parametrize("code", ["x = 1\n", "import os\nos._exit(0)\n", "import sys\nsys.exit()\n"])
@pytest.mark.quick_cases(1)
async def test_doctest_cannot_run_if_it_ends_early_or_runs_no_test(code: str) -> None:
    assert (await only(code, "doctest")).kind == "cannot-run"


async def test_endless_tests_are_killed_and_do_not_pass() -> None:
    issue = await only("def test_it():\n    while True:\n        pass\n", replace(QUICK, timeout_s=1.5))
    assert (issue.kind, issue.severity) == ("timeout", 0.9)


# -- the configuration of the project


@needs("mypy")
@pytest.mark.slow
async def test_the_configuration_of_the_project_applies_unless_it_is_ignored_or_replaced(tmp_path: Path) -> None:
    project(tmp_path, pkg__mod="")
    (tmp_path / "mypy.ini").write_text("[mypy]\ndisallow_untyped_defs = True\n")
    content = "def f(a):\n    return a\n"

    async def rules(tool: Tool | str, **options: object) -> list[str | None]:
        found = await judge(content, tool, root=tmp_path, replaces="pkg/mod.py", **options)
        return [issue.rule for issue in found.issues]

    assert await rules("mypy") == ["no-untyped-def"]
    assert await rules("mypy", config="ignore") == []
    assert MYPY.with_config("ignore").in_project(tmp_path, "pkg/mod.py").argv == MYPY.argv
    other = tmp_path.parent / "other.ini"
    other.write_text("[mypy]\n")
    assert await rules(MYPY.with_config(other)) == []


async def test_a_given_configuration_is_read_at_once_and_applies_without_a_project(tmp_path: Path) -> None:
    config = tmp_path / "ruff.toml"
    config.write_text("[lint]\nselect = ['Q']\n")
    chosen = RUFF.with_config(config)
    config.unlink()
    assert [issue.rule for issue in (await judge("import os\nx = 'a'\n", chosen)).issues] == ["Q000"]
    with pytest.raises(ConfigurationError, match=r"ruff\.toml"):
        RUFF.with_config(config)
    with pytest.raises(ConfigurationError, match="takes no configuration"):
        UNITTEST.with_config(config)


async def test_pytest_takes_a_given_configuration(tmp_path: Path) -> None:
    config = tmp_path / "some.ini"
    config.write_text("[pytest]\npython_functions = check_*\n")
    content = "def check_it():\n    assert 0\n\n\ndef test_it():\n    pass\n"
    issue = await only(content, QUICK.with_config(config))
    assert issue.rule == "test_candidate.py::check_it"


@needs("bandit")
@pytest.mark.slow
async def test_bandit_uses_the_nearest_configuration(tmp_path: Path) -> None:
    project(tmp_path, pkg__mod="")
    (tmp_path / "pyproject.toml").write_text("[tool.bandit]\nskips = ['B324']\n")
    content = "import hashlib\n\nhashlib.md5(b'')\nassert hashlib\n"
    assert (await only(content, "bandit", root=tmp_path, replaces="pkg/mod.py")).rule == "B101"
    (tmp_path / "pkg" / "bandit.yaml").write_text("skips: ['B101']\n")
    assert (await only(content, "bandit", root=tmp_path, replaces="pkg/mod.py")).rule == "B324"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mypy.ini", "[mypy]\nplugins = evil.py\n"),
        ("mypy.ini", "[mypy]\nPlugins = evil.py\n"),
        ("mypy.ini", "[mypy]\npython_executable = ./evil.sh\n"),
        ("setup.cfg", "[mypy]\njunit_xml = ../over.xml\n"),
        ("pyproject.toml", '[tool.mypy]\n"plug\\u0069ns" = ["evil.py"]\n'),
    ],
)
def test_a_configuration_that_may_execute_code_requires_a_sandbox(name: str, text: str, tmp_path: Path) -> None:
    assert not MYPY.in_project(tmp_path, "a.py").executes
    (tmp_path / name).write_text(text)
    assert MYPY.in_project(tmp_path, "a.py").executes
    assert MYPY.with_config(tmp_path / name).executes
    assert not MYPY.with_config("ignore").in_project(tmp_path, "a.py").executes


def test_tools_that_only_read_the_candidate_are_known() -> None:
    assert [tool.executes for tool in (BANDIT, PYRIGHT, RUFF, DOCTEST)] == [False, False, False, True]


# -- files with names that mean something to a shell


async def test_shell_characters_in_a_name_are_not_interpreted(tmp_path: Path) -> None:
    name = "a;b $(id) 'x'.py"
    (tmp_path / "-rf").write_text("")
    (tmp_path / "new\nline.py").write_text("")
    found = await judge("import os\n", "ruff", "compile", "mypy", root=tmp_path, replaces=name)
    assert {issue.location.path for issue in found.issues if issue.location} == {name}
    for refused in ("-rf", "new\nline.py"):
        with pytest.raises(ConfigurationError):
            ToolCritiquer(["ruff"], root=tmp_path, replaces=refused)


# -- what is installed


def test_doctor_names_the_program_of_every_tool(tmp_path: Path) -> None:
    out = StringIO()
    doctor(tmp_path / "memory.db", out)
    rows = dict(line.split(maxsplit=2)[1:] for line in out.getvalue().splitlines() if line.startswith("tool "))
    assert sorted(rows) == list(names("tool"))
    if (BESIDE / "basedpyright").exists() and shutil.which("pyright") is None:
        assert rows["pyright"] == str(BESIDE / "basedpyright")


def test_only_a_tool_that_reads_the_project_gets_a_copy_of_it(tmp_path: Path) -> None:
    assert RUFF.job("x = 1\n", tree=tmp_path, path="a.py").tree == tmp_path
    assert COMPILE.job("x = 1\n", tree=tmp_path, path="a.py").tree is None
