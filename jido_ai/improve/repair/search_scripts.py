"""Scripts that run a project's tests for a search: their lines, trials of edits, and what edits do on other inputs."""

from __future__ import annotations

import dataclasses
from pathlib import Path, PurePosixPath
from typing import Final

from jido_ai.errors import ConfigurationError
from jido_ai.tools import runners
from jido_ai.tools.tool import Tool

TRIALS_JOB: Final = ".jido-mutants.in.json"
PROBES_JOB: Final = ".jido-behaviours.in.json"
_SCRIPTS: Final = Path(runners.__file__).resolve().parent


def script_tool(tests: Tool, script: str, *words: str) -> Tool:
    """Return the tool that runs one of our scripts with the same tests.

    Raises:
        ConfigurationError: pytest does not run the tests.
    """
    report = f".jido-{script.removesuffix('.py')}.json"
    head = ("python", "-P", "-s", str(_SCRIPTS / script), "{report}", "{file}", *words)
    argv = (*head, *_arguments(tuple(tests.argv)))
    return dataclasses.replace(
        tests, name=script, argv=argv, project_argv=None, report=report, parser=None, timeout_s=3_600.0
    )


def _arguments(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arguments for pytest: after `python -m pytest`, or after "{file}" of one of our scripts."""
    if argv[:3] == ("python", "-m", "pytest"):
        return tuple(part for part in argv[3:] if not part.startswith("--junitxml"))
    if "{file}" in argv and any(part.startswith(str(_SCRIPTS / "pytest_")) for part in argv):
        words = argv[argv.index("{file}") + 1 :]
        return words[2:] if words[:1] == ("--jido-lines",) else words
    raise ConfigurationError(f"the tests must be run by pytest, got {' '.join(argv)}")


def is_of_tests(path: str) -> bool:
    """Tell whether a path is that of a test file."""
    name = PurePosixPath(path).name
    return name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"
