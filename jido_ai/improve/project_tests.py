"""The tests of a project as they are run: with its own Python, and a limit."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jido_ai.improve.project_python import ProjectPython
from jido_ai.improve.test_problems import missing_package
from jido_ai.tools.lookup import tool_named
from jido_ai.tools.ready import PYTEST
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.tools.tool import Tool

LINES_JOB: Final = ".jido-lines.json"
"""The file with the lines to watch, by path."""


def watching(tests: Tool) -> Tool:
    """Return the tests with a list of lines to watch."""
    place = tests.argv.index("{file}") + 1
    return dataclasses.replace(tests, argv=(*tests.argv[:place], "--jido-lines", LINES_JOB, *tests.argv[place:]))


@dataclass(frozen=True, slots=True)
class ProjectTests:
    """How the tests of a project are run.

    Attributes:
        python: the interpreter; None for the running one.
        timeout_s: limit of one run in seconds; None for that of the tool.
    """

    python: ProjectPython | None = None
    timeout_s: float | None = None

    def tool(self, *places: str) -> Tool:
        """Return the tool that runs the tests at these places in the project."""
        tool = tool_named(PYTEST.name)
        tool = tool.with_arguments(*places) if places else tool
        if self.python is not None:
            tool = dataclasses.replace(tool, needs=())  # its own pytest runs them
        return tool if self.timeout_s is None else dataclasses.replace(tool, timeout_s=self.timeout_s)

    def executor(self, readable: Sequence[Path] = ()) -> SandboxExecutor:
        """Return a sandbox that runs the project's code with its Python.

        Args:
            readable: more that it may read.
        """
        if self.python is None:
            return SandboxExecutor(readable=readable)
        return SandboxExecutor(readable=(*readable, *self.python.readable), python=self.python.executable)

    def missing(self, said: str, paths: Collection[str]) -> str | None:
        """Return a sentence about the package that the tests need and do not have; None if there is none.

        Args:
            said: the output and the failures of the tests.
            paths: of the project's files, relative, with "/".
        """
        name = missing_package(said, paths)
        return None if name is None else self.told_missing(name)

    def told_missing(self, name: str) -> str:
        """Return the sentence about a missing package, with the cure."""
        where, cure = sys.executable, "name the project's own Python with --python"
        if self.python is not None:
            where = str(self.python.executable)
            cure = f"{where} -m pip install {name}"
        return f"the tests cannot be imported here: {name} is missing in {where}; {cure}"
