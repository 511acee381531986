"""Tools that are ready to use: compile, ruff, pytest, unittest, doctest, mypy, pyright, bandit."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from jido_ai.errors import ToolError
from jido_ai.protocols import ToolRun
from jido_ai.tools import runners
from jido_ai.tools.reports.checks import parse_bandit, parse_mypy, parse_pyright
from jido_ai.tools.reports.linters import parse_compile, parse_ruff
from jido_ai.tools.reports.tests import parse_outcomes, parse_tests
from jido_ai.tools.tool import CONFIG, Tool
from jido_ai.values import Issue

__all__ = [
    "BANDIT",
    "COMPILE",
    "DOCTEST",
    "MYPY",
    "PYRIGHT",
    "PYTEST",
    "RUFF",
    "RUFF_FORMAT",
    "UNITTEST",
    "split_format",
]

_SCRIPTS: Final = Path(runners.__file__).resolve().parent


# Ruff checks the syntax of a version of Python, too: that of the interpreter, as far as the oldest ruff knows it.
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
    """Return what the compiler says by file. Raises `ToolError` when it cannot be read."""
    if run.exit_status not in (0, 1):
        return {}
    try:
        told = json.loads(run.stdout)["files"]
        return {
            target: dataclasses.replace(
                run,
                stdout=json.dumps(told[target]),
                exit_status=int(any(not one["rule"].endswith("Warning") for one in told[target]["problems"])),
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
    executes=False,
    split=_split_compile,
)
"""Python's own `compile`: does it parse, and what does the compiler warn of. Nothing of the candidate is executed."""


def _split_ruff(run: ToolRun, targets: Sequence[str]) -> dict[str, ToolRun]:
    """Return ruff's findings by file. Raises `ToolError` when they cannot be read."""
    if run.exit_status not in (0, 1):
        return {}
    try:
        found: dict[str, list[object]] = {target: [] for target in targets}
        for one in json.loads(run.stdout):
            found[str(one["filename"]).removeprefix(f"{run.directory}/")].append(one)
    except (ValueError, LookupError, TypeError) as error:
        raise ToolError(f"cannot tell ruff's findings in several files apart: {error!r}") from error
    return {
        target: dataclasses.replace(run, stdout=json.dumps(mine), exit_status=1 if mine else 0)
        for target, mine in found.items()
    }


_RUFF_RULES: Final = "A,B,C4,E,F,I,SIM,UP,W"  # without E501: the length of lines is the formatter's business


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
"""The linter, by the project's rules where it has some, else by a set that looks for mistakes more than for taste."""


RUFF_FORMAT: Final = Tool(
    "ruff-format",
    ("ruff", "format", "--isolated", "--no-cache", "--target-version", _TARGET, "--check", "--quiet", "--", "{file}"),
    ran=frozenset({0, 1}),
    on_fail=Issue("the file is not formatted as `ruff format` would", kind="style", rule="format"),
    executes=False,
    project_argv=("ruff", "format", "--no-cache", "--check", "--quiet", "--", "{file}"),
    project_config=_RUFF_CONFIG,
    config_argv=("ruff", "format", "--no-cache", "--check", "--quiet", "--config", CONFIG, "--", "{file}"),
)
"""The formatter: a file that it would change is one finding of style."""


def split_format(run: ToolRun, targets: Sequence[str]) -> dict[str, ToolRun]:
    """Return that `ruff format --check` would change none of several files, when that is so.

    Which of them it would change it tells in words that differ from version to version: then each is asked alone.
    """
    return dict.fromkeys(targets, run) if run.exit_status == 0 else {}


def _script(name: str) -> tuple[str, ...]:
    """Return how one of our scripts is run, by its report and the candidate: neither the directory it lies in nor the
    user's own packages are there to import."""
    return ("python", "-P", "-s", str(_SCRIPTS / name), "{report}", "{file}")


_PYTEST: Final = _script("pytest_json.py")


_PYTEST_OPTIONS: Final = ("-q", "--tb=short", "--color=no", "-p", "no:cacheprovider")


# Nothing above the directory is looked at: it is none of a test's business, and may be closed to it.
_INSIDE: Final = ("--rootdir={dir}", "--confcutdir={dir}")


PYTEST: Final = Tool(
    "pytest",
    # No configuration, so no option of a plugin can be wanted; that of Hypothesis takes longer to load than most tests.
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
"""All tests of the project, or of the candidate when there is no project.

Cannot run: no test ran, or not all that were chosen; the tests ended the process; the report does not fit the exit
status; files that steer the tests appeared or changed, or functions of pytest were replaced, while they ran. The tests
run in one process with the candidate, so one that means to can still forge a report that fits.
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
"""All tests that `python -m unittest discover` finds; for the rest like `PYTEST`."""


DOCTEST: Final = Tool(
    "doctest",
    _script("doctest_json.py"),
    parser=parse_tests,
    report=".jido-doctest.json",
    ran=frozenset({0, 1}),
    checks=parse_outcomes,
)
"""The examples in the docstrings of the candidate, or in the text when it is no Python. No example: cannot run."""


_MYPY: Final = ("mypy", "--output", "json", "--no-error-summary", "--cache-dir", "/dev/null")


MYPY: Final = Tool(
    "mypy",
    # Of what it imports, only that it fits is told; packages without types are not the candidate's fault.
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
    config_executes=True,  # plugins, an interpreter to ask, reports to write, packages to install: a list has holes
)
"""The type checker. Without a cache, which could carry what one candidate did to the next."""


_PYRIGHT_OWN: Final = ".jido-pyright.json"


# Its way to an interpreter that a project's configuration may name, such as .venv, is not in the copy.
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
"""The other type checker, or basedpyright when only that is installed; both with pyright's standard rules."""


_BANDIT: Final = ("bandit", "--quiet", "--format", "json")


BANDIT: Final = Tool(
    "bandit",
    (*_BANDIT, "--skip", "B101", "--", "{file}"),  # B101: every assert, which is what tests are made of
    parser=parse_bandit,
    ran=frozenset({0, 1}),
    executes=False,
    project_argv=(*_BANDIT, "--configfile", CONFIG, "--", "{file}"),
    project_config={"pyproject.toml": "[tool.bandit", "bandit.yaml": ""},
    config_argv=(*_BANDIT, "--configfile", CONFIG, "--", "{file}"),
)
"""Looks for what is known to be unsafe: shells, weak hashes, `pickle`, passwords in the text."""
