"""Programs to run, and their results. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Split", "ToolJob", "ToolRun"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolJob:
    """One program to run once, in a fresh directory that is its working directory.

    Attributes:
        argv: the program's name and its arguments; no shell reads them. "python" is the running interpreter.
        files: contents of files in the directory, by relative path; they replace files of `tree` with the same path.
        tree: a directory to copy into the working directory; the original is never touched. Environment files (`.env`)
            and other files with secrets are not copied; pass the ones that the program needs in `files`.
        stdin: standard input of the program; None is empty.
        report: name of a file that the program writes into the directory, to be read back.
        timeout_s: seconds from the start of the program until it and everything it started are killed.
        max_output_bytes: limit for stdout, stderr and the report, each; the rest is dropped.
        executes: the program runs code of the candidate, as tests do; False if it only reads it, as linters do.
        unsafe: the caller accepts that the program may execute hostile code without a sandbox.
        target: the checked file, which is the last argument; None if the job is not about a single file.
        split: divides the output for several files, given as further arguments, into one run per file where possible;
            None if the program takes one file only.
    """

    argv: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    tree: Path | None = None
    stdin: bytes | None = None
    report: str | None = None
    timeout_s: float = 30.0
    max_output_bytes: int = 4 * 1024 * 1024
    executes: bool = True
    unsafe: bool = False
    target: str | None = None
    split: Split | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRun:
    """The result of a `ToolJob`.

    Attributes:
        exit_status: of the program; negative signal number if a signal ended it; None after the time limit.
        report: text of the report, None if none was requested or none was written.
        truncated: an output was longer than `max_output_bytes` and is cut off here.
        directory: the working directory as the program saw it; it no longer exists.
        sandbox: the sandbox layer: "strong", "medium", or "none" for a plain process.
    """

    exit_status: int | None
    stdout: str
    stderr: str
    report: str | None
    truncated: bool
    duration_s: float
    directory: str
    sandbox: str

    @property
    def timed_out(self) -> bool:
        """True if the program was killed at its time limit."""
        return self.exit_status is None


Split = Callable[[ToolRun, Sequence[str]], Mapping[str, ToolRun]]
"""Takes a run over several files and their paths, and returns a run per file; files it cannot separate are missing."""
