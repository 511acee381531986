"""The place of a test failure, for the scripts beside this file, which put its directory on sys.path to import it.

A failure is {"test", "message", "path", "line", "column", "at"}. Path and line are the innermost place in the candidate
if the failure came through it, else the same as `at`: the line of the test, {"path", "line", "text"}. Paths are
relative to the directory in which the script started; places outside of it are left out.
"""

from __future__ import annotations

import linecache
import os
import traceback
from types import TracebackType

MOST_PROBLEMS = 1_000
_MOST_CHARS = 3_000  # per message: with the maximum of problems the report stays below the executor's limit


def bounded(text: str) -> str:
    """Return the beginning of a text; a cut is marked."""
    return text if len(text) <= _MOST_CHARS else text[:_MOST_CHARS] + " [the rest was cut]"


class Places:
    """Finds places in tracebacks.

    Args:
        candidate: the path of the candidate, relative to the working directory.
    """

    def __init__(self, candidate: str) -> None:
        self._here = os.path.realpath(os.curdir)  # now, before a test changes the directory
        self._candidate = os.path.realpath(candidate)

    def failure(
        self, test: str, message: str, error: BaseException | None, trace: TracebackType | None, file: str | None
    ) -> dict[str, object]:
        """Return the failure of a test.

        Args:
            file: the file of the test, if it is known.
        """
        inside = [frame for frame in traceback.extract_tb(trace) if self.relative(frame.filename) is not None]
        wanted = None if file is None else os.path.realpath(self._absolute(file))
        ours = [frame for frame in inside if os.path.realpath(frame.filename) == self._candidate]
        tests = [frame for frame in inside if os.path.realpath(frame.filename) == wanted]
        place = next(reversed(ours or tests or inside), None)
        # for a test in the candidate itself, the outermost line: the innermost is already the location
        at = (tests[0] if wanted == self._candidate else tests[-1]) if tests else place
        found = {"test": test, "message": bounded(message), **self._place(place)}
        if at is not None:
            text = bounded((at.line or "").strip())
            found["at"] = {"path": self.relative(at.filename), "line": at.lineno, "text": text}
        if isinstance(error, SyntaxError) and error.filename is not None:
            known = self.relative(error.filename)
            found.update({} if known is None else {"path": known, "line": error.lineno, "column": error.offset})
        return found

    def relative(self, path: str) -> str | None:
        """Return the path relative to the directory; None if it is outside, or not a file ("<string>")."""
        if path.startswith("<"):
            return None
        whole = os.path.realpath(self._absolute(path))
        return os.path.relpath(whole, self._here) if whole.startswith(self._here + os.sep) else None

    def _absolute(self, path: str) -> str:
        return path if path.startswith(os.sep) else f"{self._here}/{path}"

    def _place(self, frame: traceback.FrameSummary | None) -> dict[str, object]:
        if frame is None:
            return {"path": None, "line": None, "column": None}
        column = None
        if frame.colno is not None and frame.lineno is not None:
            row = linecache.getline(frame.filename, frame.lineno).encode("utf-8", "replace")
            column = len(row[: frame.colno].decode("utf-8", "replace")) + 1
        return {"path": self.relative(frame.filename), "line": frame.lineno, "column": column}
