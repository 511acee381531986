"""What a tool is, and the ones that are ready to use."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Final, Literal

from jido_ai.components import runners
from jido_ai.errors import ConfigurationError, ToolNotFoundError, describe
from jido_ai.logic.relative_path import relative_path
from jido_ai.logic.tool_reports import parse_compile, parse_junit, parse_ruff, parse_unittest
from jido_ai.protocols import ToolExecutor, ToolJob
from jido_ai.values import Issue

__all__ = ["COMPILE", "PYTEST", "RUFF", "RUFF_FORMAT", "UNITTEST", "Parser", "Tool"]

Parser = Callable[[str], Sequence[Issue | str]]
"""Text of a tool in, findings out; it raises when the text is not what the tool writes."""

_PLACEHOLDER = re.compile(r"\{(file|dir|content|report)\}")


@dataclass(frozen=True)
class Tool:
    """A program that judges a candidate.

    It runs in a fresh directory. In `argv`, "{file}" is the candidate's path there, "{dir}" the directory, "{content}"
    the candidate itself and "{report}" the report; the paths are relative, so that what the tool says about them is
    the same in every run. A candidate that is an argument may begin with "-": put "--" before it where that matters.

    Attributes:
        name: issues of the tool have the source "tool:NAME".
        argv: the program and its arguments, never a shell; "python" is the running interpreter.
        input: how the candidate arrives: as the file `filename`, on stdin, or not but by "{content}".
        filename: where the candidate lies in the directory.
        parser: reads the report, or stdout without one, and finds issues; without it only the exit status counts. If
            it raises, the tool "cannot run".
        severity_on_fail: of an exit status other than 0 without a finding.
        timeout_s: until the tool is killed.
        report: name of the file the tool writes for the parser. stdout is then the candidate's own, and ignored.
        ran: the exit statuses that mean that the tool did its work; any other means "cannot run". None: all do.
        on_fail: what an exit status other than 0 without a finding means; None quotes the tool's output.
        files: more files for the directory.
        needs: modules the running interpreter must have.
        executes: the tool runs the candidate's code, so that it needs a sandbox. Say False only of a tool that reads
            the candidate and nothing else: where no sandbox holds, it still runs, as a plain process.
        project_argv: takes the place of `argv` in a project that has the tool's configuration.
        project_config: the files that are such a configuration, and the text each must contain.
    """

    name: str
    argv: Sequence[str]
    input: Literal["file", "stdin", "none"] = "file"
    filename: str = "candidate.py"
    parser: Parser | None = None
    severity_on_fail: float = 0.8
    timeout_s: float = 30.0
    report: str | None = None
    ran: frozenset[int] | None = None
    on_fail: Issue | None = None
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    needs: tuple[str, ...] = ()
    executes: bool = True
    project_argv: Sequence[str] | None = None
    project_config: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise ConfigurationError("a tool needs a name")
        for argv in (self.argv, self.project_argv):
            if argv is not None:
                self._check_argv(argv)
        if self.input not in ("file", "stdin", "none"):
            raise ConfigurationError(f'tool {self.name}: input must be "file", "stdin" or "none", got {self.input!r}')
        if not 0.0 <= self.severity_on_fail <= 1.0:
            raise ConfigurationError(f"tool {self.name}: severity_on_fail must be in [0, 1]: {self.severity_on_fail}")
        if not 0.0 < self.timeout_s < inf:
            raise ConfigurationError(f"tool {self.name}: timeout_s must be above 0 and finite, got {self.timeout_s}")
        for path in (self.filename, *self.files, *([self.report] if self.report is not None else [])):
            relative_path(path)

    def _check_argv(self, argv: Sequence[str]) -> None:
        if isinstance(argv, str) or not argv or not all(isinstance(part, str) for part in argv):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
            raise ConfigurationError(f"tool {self.name}: argv must be a sequence of texts, got {describe(argv)}")
        if _PLACEHOLDER.search(argv[0]) or not argv[0]:
            raise ConfigurationError(f"tool {self.name}: the program must be named, got {argv[0]!r}")

    def with_arguments(self, *arguments: str) -> Tool:
        """Return the same tool with more arguments at the end, such as the tests to run."""
        project_argv = None if self.project_argv is None else (*self.project_argv, *arguments)
        return dataclasses.replace(self, argv=(*self.argv, *arguments), project_argv=project_argv)

    def in_project(self, root: Path, path: str) -> Tool:
        """Return the tool as it is used for the file `path` of the project `root`: by the project's configuration.

        The directories from that of the file up to `root` are searched for `project_config`; nothing above.
        """
        directories = [root, *(root.joinpath(*path.split("/")[:depth]) for depth in range(1, path.count("/") + 1))]
        if self.project_argv is None or not any(
            _contains(directory / name, text) for directory in directories for name, text in self.project_config.items()
        ):
            return self
        return dataclasses.replace(self, argv=self.project_argv)

    def require(self, executor: ToolExecutor) -> None:
        """Raise `ToolNotFoundError` when the program is missing or not allowed, or a needed module is missing."""
        try:
            executor.locate(self.argv[0])
        except ToolNotFoundError as error:
            raise ToolNotFoundError(f"tool {self.name!r}: {error}") from error
        for module in self.needs:
            if find_spec(module) is None:
                raise ToolNotFoundError(
                    f"tool {self.name!r} needs the module {module!r}, which {sys.executable} does not have; "
                    f"install it with: {sys.executable} -m pip install {module}"
                )

    def job(
        self,
        content: str,
        *,
        tree: Path | None = None,
        path: str | None = None,
        timeout_s: float = inf,
        unsafe: bool = False,
    ) -> ToolJob:
        """Return what an executor must do to run the tool on a candidate.

        Args:
            tree: project whose copy the tool runs in.
            path: where the candidate lies, instead of `filename`. It is then written there for any `input`.
            timeout_s: a limit besides the tool's own; the smaller one holds.
        """
        target = path or self.filename
        raw = content.encode("utf-8", "surrogatepass")
        values = {"file": target, "dir": ".", "content": content, "report": self.report or ""}
        files = {name: text.encode() for name, text in self.files.items()}
        if self.input == "file" or path is not None:
            files[target] = raw
        return ToolJob(
            argv=tuple(_PLACEHOLDER.sub(lambda match: values[match[1]], part) for part in self.argv),
            files=files,
            tree=tree,
            stdin=raw if self.input == "stdin" else None,
            report=self.report,
            timeout_s=min(self.timeout_s, timeout_s),
            executes=self.executes,
            unsafe=unsafe,
        )


def _contains(file: Path, text: str) -> bool:
    return file.is_file() and text in file.read_text("utf-8", "replace")


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

COMPILE: Final = Tool(
    "compile",
    ("python", "-I", "-S", str(_SCRIPTS / "compile_json.py"), "{file}"),
    parser=parse_compile,
    ran=frozenset({0, 1}),
    executes=False,
)
"""Python's own `compile`: does it parse, and what does the compiler warn of. Nothing of the candidate is executed."""

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
)
"""The formatter: a file that it would change is one finding of style."""

_PYTEST: Final = ("python", "-m", "pytest", "-q", "--tb=short", "--color=no", "-p", "no:cacheprovider")
_JUNIT: Final = ("-o", "junit_family=xunit1", "-o", "junit_logging=no", "--junitxml={report}")
# Nothing above the directory is looked at: it is none of a test's business, and may be closed to it.
_INSIDE: Final = ("--rootdir={dir}", "--confcutdir={dir}")
PYTEST: Final = Tool(
    "pytest",
    # No configuration, so no option of a plugin can be wanted; that of Hypothesis takes longer to load than most tests.
    (*_PYTEST, *_JUNIT, *_INSIDE, "-c", "/dev/null", "-p", "no:hypothesispytest"),
    filename="test_candidate.py",
    parser=parse_junit,
    report=".jido-pytest.xml",
    ran=frozenset({0, 1, 2, 5}),
    needs=("pytest",),
    project_argv=(*_PYTEST, *_JUNIT, *_INSIDE),
    project_config=_PYTEST_CONFIG,
)
"""All tests of the project, or of the candidate when there is no project.

The tests run in one process with the candidate: one that means to can forge the report. No test ran: cannot run.
"""

UNITTEST: Final = Tool(
    "unittest",
    ("python", "-P", "-s", str(_SCRIPTS / "unittest_json.py"), "{report}"),
    filename="test_candidate.py",
    parser=parse_unittest,
    report=".jido-unittest.json",
    ran=frozenset({0, 1}),
)
"""All tests that `python -m unittest discover` finds; for the rest like `PYTEST`."""
