"""Tool: a command, the place of its file, and the parser of its report. Ready ones: `tools/ready.py`."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Final, Literal, TypeGuard, cast

from jido_ai.errors import ConfigurationError, ToolNotFoundError, describe
from jido_ai.files.bounded_read import CONFIG_BYTES, NoFileError, read_at_most
from jido_ai.files.relative_path import relative_path
from jido_ai.protocols import ToolExecutor
from jido_ai.text.numbers import is_number
from jido_ai.values import Issue
from jido_ai.values.tool import Split, ToolJob

Parser = Callable[[str], Sequence[Issue | str]]
"""Takes the output of a tool and returns findings; raises if the text is not such output."""

_PLACEHOLDER = re.compile(r"\{(file|dir|content|report)\}")
CONFIG: Final = "{config}"
_CONFIG_PLACE: Final = ".jido-config"


@dataclass(frozen=True)
class Tool:
    """A program that judges a candidate.

    It runs in a fresh directory. In `argv`, "{file}" is the candidate's path there, "{dir}" the directory, "{content}"
    the candidate itself and "{report}" the report; the paths are relative, so that the tool's messages are the same in
    every run. A candidate passed as an argument may begin with "-": put "--" before it where that matters.

    In a project, the tool uses the project's configuration (`in_project`), unless another is set (`with_config`).

    Attributes:
        name: issues of the tool have the source "tool:NAME".
        argv: the program and its arguments, never a shell; "python" is the running interpreter.
        input: how the candidate is passed: as the file `filename`, on stdin, or only as "{content}".
        filename: name of the candidate's file in the directory.
        parser: reads the report, or `output` without one, and returns issues; without a parser only the exit status
            counts. If it raises, the tool "cannot run".
        output: the stream that the parser reads if there is no report.
        severity_on_fail: severity of an exit status other than 0 without a finding.
        timeout_s: time limit in seconds, after which the tool is killed.
        report: name of the file that the tool writes for the parser. stdout then belongs to the candidate and is
            ignored.
        ran: exit statuses that mean that the tool worked; any other means "cannot run", unless the parser finds that
            the candidate does not parse. None: all statuses.
        on_fail: the issue for an exit status other than 0 without a finding; None quotes the tool's output.
        files: additional files for the directory.
        needs: modules that the running interpreter must have.
        reads_project: the tool reads more of a project than the candidate, so it runs in a copy of the project.
        executes: the tool runs the candidate's code, so it needs a sandbox. Set to False only for a tool that merely
            reads the candidate: where no sandbox holds, it still runs, as a plain process.
        others: alternative names of the program; the first that is installed is run.
        project_argv: replaces `argv` in a project that has the tool's configuration; "{config}" is its path.
        project_config: the files that are such a configuration, and the text that each must contain.
        config_argv: replaces `argv` if a configuration is given, whose path is "{config}".
        split: splits the output of one run over several files, so that they can be judged together
            (`tools.batches`); None: the tool takes one file. "{file}" must then be the last of `argv`.
        config_executes: a configuration may make the tool execute code of the project, or write elsewhere; with one it
            needs a sandbox.
        checks: reads the report and returns the outcome of each test, by name: "passed", "failed", "error", "skipped",
            "xfailed" or "xpassed". It raises `ToolError` if the report is invalid or not credible. None: the tool runs
            no named tests.
        keeps: tells whether a finding of the parser counts; None: all do. A run all of whose findings are left out is
            clean.
    """

    name: str
    argv: Sequence[str]
    input: Literal["file", "stdin", "none"] = "file"
    filename: str = "candidate.py"
    parser: Parser | None = None
    output: Literal["stdout", "stderr"] = "stdout"
    severity_on_fail: float = 0.8
    timeout_s: float = 30.0
    report: str | None = None
    ran: frozenset[int] | None = None
    on_fail: Issue | None = None
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    needs: tuple[str, ...] = ()
    reads_project: bool = True
    executes: bool = True
    others: tuple[str, ...] = ()
    project_argv: Sequence[str] | None = None
    project_config: Mapping[str, str] = field(default_factory=dict[str, str])
    config_argv: Sequence[str] | None = None
    config_executes: bool = False
    split: Split | None = None
    checks: Callable[[str], Mapping[str, str]] | None = None
    keeps: Callable[[Issue], bool] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise ConfigurationError(f"a tool needs a name, got {describe(self.name)}")
        self._keep_copies()
        if self.parser is not None and not callable(self.parser):
            raise ConfigurationError(f"tool {self.name}: parser must be a function, got {describe(self.parser)}")
        if self.checks is not None and not callable(self.checks):
            raise ConfigurationError(f"tool {self.name}: checks must be a function, got {describe(self.checks)}")
        if self.input not in ("file", "stdin", "none"):
            raise ConfigurationError(f'tool {self.name}: input must be "file", "stdin" or "none", got {self.input!r}')
        if self.output not in ("stdout", "stderr"):
            raise ConfigurationError(f'tool {self.name}: output must be "stdout" or "stderr", got {self.output!r}')
        if not (is_number(self.severity_on_fail) and 0.0 <= self.severity_on_fail <= 1.0):
            said = describe(self.severity_on_fail)
            raise ConfigurationError(f"tool {self.name}: severity_on_fail must be a number in [0, 1], got {said}")
        if not (is_number(self.timeout_s) and self.timeout_s > 0.0):
            said = describe(self.timeout_s)
            raise ConfigurationError(f"tool {self.name}: timeout_s must be above 0 and finite, got {said}")
        for path in (self.filename, *self.files, *([self.report] if self.report is not None else [])):
            relative_path(path)

    def _keep_copies(self) -> None:
        """Copy the arguments, so that later changes of them do not change the tool."""
        for field_name in ("argv", "project_argv", "config_argv"):
            argv: Sequence[str] | None = getattr(self, field_name)
            if argv is not None or field_name == "argv":
                self._check_argv(argv)
                object.__setattr__(self, field_name, tuple(argv or ()))
        for field_name in ("files", "project_config"):
            given: object = getattr(self, field_name)
            if not _is_of_texts(given):
                said = describe(given)
                raise ConfigurationError(f"tool {self.name}: {field_name} must be a mapping of strings, got {said}")
            object.__setattr__(self, field_name, dict(given))

    def _check_argv(self, argv: object) -> None:
        is_sequence = isinstance(argv, Sequence) and not isinstance(argv, str)
        parts = cast("Sequence[object]", argv) if is_sequence else ()
        if not parts or not all(isinstance(part, str) for part in parts):
            said = describe(cast("object", argv))
            raise ConfigurationError(f"tool {self.name}: argv must be a sequence of strings, got {said}")
        program = cast("str", parts[0])
        if _PLACEHOLDER.search(program) or not program:
            raise ConfigurationError(f"tool {self.name}: argv must begin with a fixed program name, got {program!r}")

    def with_arguments(self, *arguments: str) -> Tool:
        """Return the same tool with additional arguments at the end, such as the tests to run."""
        return self._with_argv(lambda argv: (*argv, *arguments))

    def _with_argv(self, change: Callable[[Sequence[str]], Sequence[str]]) -> Tool:
        project_argv = None if self.project_argv is None else change(self.project_argv)
        config_argv = None if self.config_argv is None else change(self.config_argv)
        return dataclasses.replace(self, argv=change(self.argv), project_argv=project_argv, config_argv=config_argv)

    def in_project(self, root: Path, path: str) -> Tool:
        """Return the tool for the file `path` of the project `root`, with the project's configuration.

        `project_config` is searched in the directories from that of the file up to `root`, not above. The nearest of
        several is "{config}".
        """
        if self.project_argv is None:
            return self
        steps = path.split("/")[:-1]
        for depth in range(len(steps), -1, -1):
            for name, wanted in self.project_config.items():
                text = _text_of(root.joinpath(*steps[:depth], name))
                if text is not None and wanted in text:
                    return self._configured(self.project_argv, "/".join([*steps[:depth], name]))
        return self

    def with_config(self, config: Literal["ignore"] | Path) -> Tool:
        """Return the tool with the given configuration instead of the project's.

        Args:
            config: a file, which is read now and placed beside the candidate in every run; "ignore": as in a project
                without a configuration.

        Raises:
            ConfigurationError: the file cannot be read, or the tool takes none.
        """
        if config == "ignore":
            return dataclasses.replace(self, project_argv=None)
        if self.config_argv is None:
            raise ConfigurationError(f"tool {self.name}: it takes no configuration file")
        try:
            data = read_at_most(config, CONFIG_BYTES)
            text = "" if data is None else data.decode("utf-8")
        except (OSError, ValueError) as error:
            raise ConfigurationError(f"tool {self.name}: cannot read the configuration {config}: {error}") from error
        if data is None:
            raise ConfigurationError(f"tool {self.name}: the configuration {config} is larger than 1 MiB")
        place = relative_path(f"{_CONFIG_PLACE}/{config.name}")
        chosen = self._configured(self.config_argv, place)
        return dataclasses.replace(chosen, project_argv=None, files={**self.files, place: text})

    def _configured(self, argv: Sequence[str], place: str) -> Tool:
        executes = self.executes or self.config_executes
        return dataclasses.replace(self, argv=tuple(part.replace(CONFIG, place) for part in argv), executes=executes)

    def found(self, executor: ToolExecutor) -> Tool:
        """Return the tool with the first of its programs that is installed.

        Raises:
            ToolNotFoundError: none is installed or allowed, or a needed module is missing. The error names the first
                program.
        """
        self.require(executor)
        for program in self.others if self._missing(executor, self.argv[0]) else ():
            if self._missing(executor, program) is None:
                return self._with_argv(lambda argv, program=program: (program, *argv[1:]))
        return self

    def _missing(self, executor: ToolExecutor, program: str) -> ToolNotFoundError | None:
        try:
            executor.locate(program)
        except ToolNotFoundError as error:
            return error
        return None

    def require(self, executor: ToolExecutor) -> None:
        """Raise `ToolNotFoundError` if the program is missing or not allowed, or a needed module is missing."""
        errors = [self._missing(executor, program) for program in (self.argv[0], *self.others)]
        if errors[0] is not None and all(errors):
            raise ToolNotFoundError(f"tool {self.name!r}: {errors[0]}") from errors[0]
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
        """Return the job that runs the tool on a candidate.

        Args:
            tree: project whose copy the tool runs in.
            path: path of the candidate, instead of `filename`. It is then written there for any `input`.
            timeout_s: additional limit in seconds; the smaller of it and the tool's own applies.
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
            tree=tree if self.reads_project else None,
            stdin=raw if self.input == "stdin" else None,
            report=self.report,
            timeout_s=min(self.timeout_s, timeout_s),
            executes=self.executes,
            unsafe=unsafe,
            target=target if self.input == "file" else None,
            split=self.split if self.input == "file" else None,
        )


def _is_of_texts(given: object) -> TypeGuard[Mapping[str, str]]:
    if not isinstance(given, Mapping):
        return False
    pairs = cast("Mapping[object, object]", given).items()
    return all(isinstance(text, str) for pair in pairs for text in pair)


def _text_of(file: Path) -> str | None:
    """Return the text of a file of the project; None if there is none.

    Raises:
        ConfigurationError: it is larger than 1 MiB, or cannot be read.
    """
    try:
        data = read_at_most(file, CONFIG_BYTES)
    except (NoFileError, FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigurationError(f"{file}: cannot be read: {error.strerror}") from error
    if data is None:
        raise ConfigurationError(f"{file}: larger than 1 MiB, the limit for a configuration file; not read")
    return data.decode("utf-8", "replace")
