"""Output of the command line: standard output and files fail loudly, standard error fails silently."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, cast

from jido_ai.errors import ConfigurationError, JidoError
from jido_ai.files.replacement import write_whole

if TYPE_CHECKING:
    from typing_extensions import Buffer


class OutputError(JidoError):
    """Standard output takes no more: the disk is full, or its reader has gone."""


@contextlib.contextmanager
def checked_output() -> Generator[None]:
    """Raise `OutputError` inside of the `with` block, or at its end, when standard output cannot be written.

    Failed writes to standard error are dropped, because they cannot be reported. A stream that was closed
    before the program began, as by `>&-`, fails in the same way; its number is taken, so that no file gets it.
    """
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _stream(streams[0], _Strict), _stream(streams[1], _Quiet)
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    finally:
        sys.stderr.flush()
        sys.stdout, sys.stderr = streams


class _Strict(io.FileIO):
    """A file whose first failure raises `OutputError`; later writes are dropped."""

    _has_failed = False

    def write(self, data: Buffer) -> int:
        if self._has_failed:
            return memoryview(data).nbytes
        try:
            return super().write(data)
        except OSError as error:
            self._has_failed = True
            raise OutputError(f"standard output cannot be written: {error.strerror}") from error


class _Quiet(io.FileIO):
    """A file that drops failed writes."""

    def write(self, data: Buffer) -> int:
        with contextlib.suppress(OSError):
            return super().write(data)
        return memoryview(data).nbytes


def _stream(stream: TextIO | None, kind: type[io.FileIO]) -> TextIO:
    """Return a stream that writes to the same file; one that is no file, as in a test, as it is."""
    if stream is None:  # it was closed before we began; what is written to this one fails, too
        raw = kind(os.open(os.devnull, os.O_RDONLY), "w", closefd=False)
        return io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace")
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream = cast("io.TextIOWrapper[io.BufferedWriter]", stream)
    try:
        number = stream.fileno()
    except (OSError, ValueError):
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(kind(number, "w", closefd=False)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def check_place(path: Path | None) -> None:
    """Raise `ConfigurationError` before anything starts if no file can be where --out says."""
    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        why = "it is a directory" if path.is_dir() else "its directory does not exist"
        raise ConfigurationError(f"--out {path}: {why}; name another file")


def write_file(path: Path, text: str, option: str = "--out") -> None:
    """Write a file that an option names. Raises `ConfigurationError` if it cannot be written."""
    try:
        write_whole(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be written: {error.strerror}; name another {option}") from error
