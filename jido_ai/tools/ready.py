"""Ready tools: compile, ruff, pytest, unittest, doctest, mypy, pyright, bandit."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from jido_ai.errors import ToolError
from jido_ai.text.file_diffs import diffs_by_file
from jido_ai.tools import runners
from jido_ai.tools.reports.checks import parse_bandit, parse_mypy, parse_pyright
from jido_ai.tools.reports.linters import parse_compile, parse_ruff
from jido_ai.tools.reports.tests import parse_outcomes, parse_tests
from jido_ai.tools.tool import CONFIG, Tool
from jido_ai.values import Issue
from jido_ai.values.tool import ToolRun

_SCRIPTS: Final = Path(runners.__file__).resolve().parent


# Ruff also checks the syntax for a Python version: the interpreter's, within the range that the oldest ruff knows.
_TARGET: Final = f"py3{min(sys.version_info.minor, 13)}"


_RUFF_CONFIG: Final = {"ruff.toml": "", ".ruff.toml": "", "pyproject.toml": "[tool.ruff"}


_PYTEST_CONFIG: Final = {
    "pytest.ini": "",
    ".pytest.ini": "",
    "pyproject.toml": "[tool.pytest",
    "tox.ini": "[pytest]",
    "setup.cfg": "[tool:pytest]",
}


def _split_compile(run: ToolRun, targets: Sequence[str]) -> dict[str, ToolRun]:
    """Return the compiler's output by file. Raises `ToolError` if it cannot be parsed."""
    if run.exit_status not in (0, 1):
        return {}
    try:
        reports = json.loads(run.stdout)["files"]
        return {
            target: dataclasses.replace(
                run,
                stdout=json.dumps(reports[target]),
                exit_status=int(any(not one["rule"].endswith("Warning") for one in reports[target]["problems"])),
            )
            for target in targets
        }
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ToolError(f"cannot tell the compiler's findings in several files apart: {error!r}") from error


COMPILE: Final = Tool(
    "compile",
    ("python", "-I", "-S", str(_SCRIPTS / "compile_json.py"), "{file}"),
    parser=parse_compile,
    ran=frozenset({0, 1}),
    reads_project=False,
    executes=False,
    split=_split_compile,
)
"""Python's own `compile`: syntax errors and compiler warnings. Nothing of the candidate is executed."""


def _split_ruff(run: ToolRun, targets: Sequence[str]) -> dict[str, ToolRun]:
    """Return ruff's findings by file. Raises `ToolError` if they cannot be parsed."""
    if run.exit_status not in (0, 1):
        return {}
    try:
        found: dict[str, list[object]] = {target: [] for target in targets}
        for load in json.loads(run.stdout):
            found[str(load["filename"]).removeprefix(f"{run.directory}/")].append(load)
    except (ValueError, LookupError, TypeError) as error:
        raise ToolError(f"cannot tell ruff's findings in several files apart: {error!r}") from error
    return {
        target: dataclasses.replace(run, stdout=json.dumps(mine), exit_status=1 if mine else 0)
        for target, mine in found.items()
    }


_RUFF_RULES: Final = "A,B,C4,E,F,I,SIM,UP,W"  # without E501: the formatter handles line lengths


_RUFF: Final = ("ruff", "check", "--no-cache", "--no-fix", "--output-format", "json")


RUFF: Final = Tool(
    "ruff",
    (*_RUFF, "--isolated", "--target-version", _TARGET, "--select", _RUFF_RULES, "--ignore", "E501", "--", "{file}"),
    parser=parse_ruff,
    ran=frozenset({0, 1}),
    executes=False,
    project_argv=(*_RUFF, "--", "{file}"),
    project_config=_RUFF_CONFIG,
    config_argv=(*_RUFF, "--config", CONFIG, "--", "{file}"),
    split=_split_ruff,
)
"""The linter, with the project's rules if it has some, else with rules that look for errors rather than style."""


RUFF_FORMAT: Final = Tool(
    "ruff-format",
    ("ruff", "format", "--isolated", "--no-cache", "--target-version", _TARGET, "--check", "--quiet", "--", "{file}"),
    ran=frozenset({0, 1}),
    on_fail=Issue("the file is not formatted as `ruff format` would format it", kind="style", rule="format"),
    executes=False,
    project_argv=("ruff", "format", "--no-cache", "--check", "--quiet", "--", "{file}"),
    project_config=_RUFF_CONFIG,
    config_argv=("ruff", "format", "--no-cache", "--check", "--quiet", "--config", CONFIG, "--", "{file}"),
)
"""The formatter: a file that it would change is one finding of style."""


def split_diff(run: ToolRun, targets: Sequence[str]) -> dict[str, ToolRun]:
    """Return the output of `ruff format --diff` by file. Raises `ToolError` if it cannot be parsed."""
    if run.exit_status not in (0, 1):
        return {}
    try:
        found = {name.removeprefix(f"{run.directory}/"): diff for name, diff in diffs_by_file(run.stdout).items()}
    except ValueError as error:
        raise ToolError(f"cannot tell the formatter's diffs of several files apart: {error}") from error
    return {
        target: dataclasses.replace(run, stdout=found.get(target, ""), exit_status=int(target in found))
        for target in targets
    }


def _script(name: str) -> tuple[str, ...]:
    """Return how to run one of our scripts on its report and the candidate; it imports neither from its own directory
    nor from the user's packages."""
    return ("python", "-P", "-s", str(_SCRIPTS / name), "{report}", "{file}")


_PYTEST: Final = _script("pytest_json.py")


_PYTEST_OPTIONS: Final = ("-q", "--tb=short", "--color=no", "-p", "no:cacheprovider")


# No files above the directory are read: they do not concern a test, and may be inaccessible.
_INSIDE: Final = ("--rootdir={dir}", "--confcutdir={dir}")


PYTEST: Final = Tool(
    "pytest",
    # Without a configuration no plugin options apply; Hypothesis takes longer to load than most tests take to run.
    (*_PYTEST, *_PYTEST_OPTIONS, *_INSIDE, "-c", "/dev/null", "-p", "no:hypothesispytest"),
    filename="test_candidate.py",
    parser=parse_tests,
    report=".jido-pytest.json",
    ran=frozenset({0, 1, 2, 5}),
    needs=("pytest",),
    checks=parse_outcomes,
    project_argv=(*_PYTEST, *_PYTEST_OPTIONS, *_INSIDE),
    project_config=_PYTEST_CONFIG,
    config_argv=(*_PYTEST, *_PYTEST_OPTIONS, *_INSIDE, "-c", CONFIG),
)
"""All tests of the project, or of the candidate without a project.

It "cannot run" if no test ran, or not all selected ones; if the tests ended the process, or the report does not match
the exit status; or if files that configure the tests appeared or changed, or functions of pytest were replaced, during
the run. The tests run in one process with the candidate, so a malicious candidate can still forge a matching report.
"""


UNITTEST: Final = Tool(
    "unittest",
    _script("unittest_json.py"),
    filename="test_candidate.py",
    parser=parse_tests,
    report=".jido-unittest.json",
    ran=frozenset({0, 1}),
    checks=parse_outcomes,
)
"""All tests that `python -m unittest discover` finds; otherwise like `PYTEST`."""


DOCTEST: Final = Tool(
    "doctest",
    _script("doctest_json.py"),
    parser=parse_tests,
    report=".jido-doctest.json",
    ran=frozenset({0, 1}),
    checks=parse_outcomes,
)
"""The examples in the candidate's docstrings, or in the text if it is not Python. Without examples it "cannot run"."""


_MYPY: Final = ("mypy", "--output", "json", "--no-error-summary", "--cache-dir", "/dev/null")


MYPY: Final = Tool(
    "mypy",
    # Imports are only checked against their types; packages without types are not the candidate's fault.
    (
        *(*_MYPY, "--config-file=", "--follow-imports", "silent", "--check-untyped-defs"),
        *("--disable-error-code", "import-untyped", "--", "{file}"),
    ),
    parser=parse_mypy,
    ran=frozenset({0, 1}),
    executes=False,
    project_argv=(*_MYPY, "--config-file", CONFIG, "--", "{file}"),
    project_config={"mypy.ini": "", ".mypy.ini": "", "pyproject.toml": "[tool.mypy", "setup.cfg": "[mypy"},
    config_argv=(*_MYPY, "--config-file", CONFIG, "--", "{file}"),
    config_executes=True,  # plugins, interpreters, reports, package installs: no list of harmless options is complete
)
"""The type checker. It runs without a cache, which could carry effects of one candidate to the next."""


_PYRIGHT_OWN: Final = ".jido-pyright.json"


# A relative path to an interpreter in a project's configuration, such as .venv, is not in the copy.
_PYRIGHT: Final = ("pyright", "--outputjson", "--pythonpath", sys.executable)


PYRIGHT: Final = Tool(
    "pyright",
    (*_PYRIGHT, "--project", _PYRIGHT_OWN, "{file}"),
    parser=parse_pyright,
    ran=frozenset({0, 1}),
    files={_PYRIGHT_OWN: '{"typeCheckingMode": "standard"}\n'},
    executes=False,
    others=("basedpyright",),
    project_argv=(*_PYRIGHT, "--project", CONFIG, "{file}"),
    project_config={"pyrightconfig.json": "", "pyproject.toml": "pyright]"},
    config_argv=(*_PYRIGHT, "--project", CONFIG, "{file}"),
)
"""The other type checker, or basedpyright if only that is installed; both with pyright's standard rules."""


_BANDIT: Final = ("bandit", "--quiet", "--format", "json")


BANDIT: Final = Tool(
    "bandit",
    (*_BANDIT, "--skip", "B101", "--", "{file}"),  # B101: asserts, which tests need
    parser=parse_bandit,
    ran=frozenset({0, 1}),
    executes=False,
    project_argv=(*_BANDIT, "--configfile", CONFIG, "--", "{file}"),
    project_config={"pyproject.toml": "[tool.bandit", "bandit.yaml": ""},
    config_argv=(*_BANDIT, "--configfile", CONFIG, "--", "{file}"),
)
"""Finds known security problems: shells, weak hashes, `pickle`, passwords in the text."""
