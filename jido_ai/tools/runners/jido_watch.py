"""Runs tests in a separate process and writes their report, for the scripts beside this file.

The tests share their process with untrusted code, so another process, which never loads that code, writes the report:
after the tests have ended and all their processes are gone, so that nothing can overwrite it. If the report does not
match the way the process ended, or if files that configure the tests (`conftest.py`, `pytest.ini`, ...) changed during
the run, it is written without tests, and "broken" gives the reason. Tests that end without a report, as with
`os._exit`, leave none; this process then ends as they did.

The report still comes from the process that the tests run in, so malicious code can forge a matching one.
"""
# Without pathlib, hashlib or subprocess: this process runs every time, so it imports little.
# ruff: noqa: PTH118, PTH123

from __future__ import annotations

import ctypes
import json
import os
import re
import select
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from math import inf
from typing import Any

_MOST_BYTES = 3_900_000  # per report: an executor reads at most 4 MiB
_MOST_SENT = 64_000_000
_MOST_OUTCOMES = 20_000
_MOST_OUTCOME_BYTES = 1_500_000
_MOST_NAME_CHARS = 1_000
_STEERS = frozenset(
    {
        ".pytest.ini", "conftest.py", "pyproject.toml", "pytest.ini", "pytest.toml", ".pytest.toml", "setup.cfg",
        "sitecustomize.py", "tox.ini", "usercustomize.py",
    }
)  # fmt: skip
_MOST_ENTRIES = 100_000
_MOST_READ = 1_000_000
_LONE = re.compile("[\ud800-\udfff]")
_PR_SET_CHILD_SUBREAPER = 36
_MOST_PIDS = 1 << 22  # of Linux
_WAIT_S = 0.05
_NOTHING: dict[str, Any] = {"ran": 0, "skipped": 0, "unfinished": 0, "problems": []}


def run(report: str, act: Callable[[], tuple[int, dict[str, Any]]], check: Callable[[int, Any], str | None]) -> int:
    """Run `act` in a new process and return the exit status for this one; there may be a report then.

    Args:
        report: a plain file name in the working directory.
        act: runs the tests; returns the exit status and the report.
        check: returns why a report does not match the exit status; None if it does.
    """
    directory = os.open(os.curdir, os.O_RDONLY)
    before = steering_files(os.curdir)
    adopt()
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        _act(writing, act)
    os.close(writing)
    child = Shard(process, reading)
    found = _read(_attend(child))
    status = os.waitstatus_to_exitcode(child.end())
    os.fchdir(directory)
    _remove(directory, report)  # anything that the tests put in its place
    if found is None:
        return _end_as(status)
    why = None if status == found["status"] else f"the tests reported status {found['status']}, but ended with {status}"
    why = why or check(status, found["report"]) or _changed(before)
    write(directory, report, found["report"] if why is None else {**_NOTHING, "broken": why})
    return status if why is None or status != 0 else 1


def _act(writing: int, act: Callable[[], tuple[int, dict[str, Any]]]) -> None:
    """Run `act` and send its result, in a process just for this. It does not return."""
    process = os.getpid()
    status = 1
    try:
        status, found = act()
        if os.getpid() == process:  # a test may have forked, and its child continues as if it were us
            _send(writing, dumped({"status": status, "report": found}))
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
        raise
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        raise
    finally:
        _flush()
        os._exit(status & 0xFF)  # without waiting for threads or exit handlers of the tests


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # noqa: BLE001 - the tests may have replaced or closed it
            continue


def _send(writing: int, raw: bytes) -> None:
    view = memoryview(b"%d\n%b" % (len(raw), raw))
    while view:
        view = view[os.write(writing, view) :]


class Shard:
    """A process that sends its result through a pipe.

    Attributes:
        status: as from `os.waitpid`; None until the process was seen to end.
    """

    def __init__(self, process: int, reading: int) -> None:
        os.set_blocking(reading, False)
        self._process = process
        self._reading = reading
        self.status: int | None = None

    def chunks(self, limit: Callable[[], float]) -> Iterator[bytes]:
        """Yield its output until it ends, or until `limit`, a time of `time.monotonic`. Call it once.

        Other processes that hold the pipe do not matter.
        """
        is_open = True
        try:
            while (left_s := limit() - time.monotonic()) > 0 and self.status is None:
                if is_open and select.select([self._reading], [], [], min(left_s, _WAIT_S))[0]:
                    chunk = os.read(self._reading, 1 << 20)
                    is_open = bool(chunk)
                    yield chunk
                    continue
                self._look()
                if not is_open and self.status is None:
                    time.sleep(min(left_s, 0.001))
            while (
                is_open and select.select([self._reading], [], [], 0)[0] and (chunk := os.read(self._reading, 1 << 20))
            ):
                yield chunk
        finally:
            os.close(self._reading)

    def _look(self) -> None:
        ended, status = os.waitpid(self._process, os.WNOHANG)
        if ended == self._process:
            self.status = status

    def end(self) -> int:
        """Kill it, unless it has ended, with all its descendants, and return its status."""
        end_all([self])
        assert self.status is not None
        return self.status

    def kill(self) -> None:
        """Kill it, unless it has ended."""
        if self.status is None:
            os.kill(self._process, signal.SIGKILL)  # it is not reaped yet, so the pid is still its own
            self.status = os.waitpid(self._process, 0)[1]


def end_all(shards: Iterable[Shard]) -> None:
    """Kill those that have not ended, with all descendants of this process."""
    for shard in shards:
        shard.kill()
    _end_descendants()


def _attend(child: Shard) -> bytes:
    """Return the output of the process after its end."""
    sent: list[bytes] = []
    size = 0
    for chunk in child.chunks(lambda: inf):
        size += len(chunk)
        if size <= _MOST_SENT:
            sent.append(chunk)
    return b"".join(sent)


def _read(sent: bytes) -> dict[str, Any] | None:
    head, _, body = sent.partition(b"\n")
    if not head.isdigit() or int(head) != len(body):
        return None
    found = json.loads(body)
    return found if isinstance(found.get("report"), dict) and type(found.get("status")) is int else None


def _end_as(status: int) -> int:
    """Return an exit status, or end by the signal that ended the tests."""
    if status < 0:
        try:
            signal.signal(-status, signal.SIG_DFL)
        except (OSError, ValueError):
            pass  # SIGKILL has no handler
        os.kill(os.getpid(), -status)
    return abs(status)


# -- remaining processes ---------------------------------------------------------------------------


def adopt() -> None:
    """Become the parent of orphaned descendants, on Linux; elsewhere our caller ends them."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end_descendants() -> None:
    """Kill remaining processes of the tests, on Linux; those that survive five seconds are left to the callers."""
    end = time.monotonic() + 5.0
    while time.monotonic() < end and _has_children():
        for child in _children():
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.001)


def _has_children() -> bool:
    """Reap the child processes that have ended; return True if others remain."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        return True
    except ChildProcessError:
        return False


def _children() -> list[int]:
    """Return the child processes of this one."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", "rb") as file:
            return [int(word) for word in file.read().split()]
    except OSError:  # no Linux, or the sandbox hides /proc
        return [pid for pid in _younger() if _is_child(pid)] if sys.platform == "linux" else []


def _younger() -> Iterable[int]:
    """Return the pids that were given out since this process started: they go up, and after the last from the start."""
    mine = os.getpid()
    try:
        newest = os.fork()
    except OSError:  # there are as many processes as allowed
        newest = mine - 1
    else:
        if newest == 0:
            os._exit(0)
        os.waitpid(newest, 0)
    return range(mine + 1, newest) if mine < newest else chain(range(mine + 1, _MOST_PIDS), range(2, newest + 1))


def _is_child(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == 0
    except ChildProcessError:
        return False


# -- files that configure the tests ----------------------------------------------------------------


def steering_files(top: str) -> dict[str, bytes]:
    """Return the files below `top` that configure tests, by real path, with the beginning of their text."""
    found: dict[str, bytes] = {}
    entries = 0
    for place, directories, files in os.walk(os.path.realpath(top)):
        entries += len(directories) + len(files)
        if entries > _MOST_ENTRIES:
            break
        for name in _STEERS.intersection(files):
            path = os.path.join(place, name)
            try:
                reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            except OSError:
                found[path] = b""
                continue
            try:
                found[path] = os.read(reading, _MOST_READ)
            except OSError:
                found[path] = b""
            finally:
                os.close(reading)
    return found


def _changed(before: dict[str, bytes]) -> str | None:
    """Return which configuring file appeared, changed or was removed during the run; None if none did."""
    after = steering_files(os.curdir)
    top = os.path.realpath(os.curdir)
    for path in sorted({*before, *after}):
        if before.get(path) != after.get(path):
            how = "appeared" if path not in before else "changed" if path in after else "was removed"
            return f"{os.path.relpath(path, top)}, which configures the tests, {how} while they ran"
    return None


# -- the report ------------------------------------------------------------------------------------


def bounded_outcomes(outcomes: dict[str, str]) -> dict[str, Any]:
    """Return {"outcomes": ...} sorted by name, with "outcomes_cut" if there are too many."""
    kept: dict[str, str] = {}
    room = _MOST_OUTCOME_BYTES
    for test in sorted(outcomes):
        name = _short(test)
        room -= len(name.encode("utf-8", "replace")) + 12
        if room < 0 or len(kept) >= _MOST_OUTCOMES:
            return {"outcomes": kept, "outcomes_cut": True}
        kept[name] = outcomes[test]
    return {"outcomes": kept}


def _short(test: str) -> str:
    if len(test) <= _MOST_NAME_CHARS:
        return test
    raw = test.encode("utf-8", "surrogatepass")
    number = 5381
    for byte in raw:
        number = (number * 33 + byte) & 0xFFFFFFFFFFFFFFFF
    return f"{test[: _MOST_NAME_CHARS - 20]}...{number:016x}"


def dumped(found: object) -> bytes:
    """Return JSON with lone surrogates, which no parser accepts, escaped."""
    return _LONE.sub(lambda one: f"\\\\u{ord(one[0]):04x}", json.dumps(found, ensure_ascii=False)).encode()


def write(directory: int, report: str, found: dict[str, Any]) -> None:
    """Write the report."""
    raw = dumped(found)
    problems: list[object] = found.get("problems") or []
    while len(raw) > _MOST_BYTES and len(problems) > 1:
        problems = problems[: len(problems) // 2]
        raw = dumped({**found, "problems": problems})
    _remove(directory, report)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    writing = os.open(report, flags, 0o600, dir_fd=directory)
    with os.fdopen(writing, "wb") as file:
        file.write(raw)


def _remove(directory: int, report: str) -> None:
    """Remove the file at the report's path, or a link or directory there."""
    try:
        os.unlink(report, dir_fd=directory)
    except FileNotFoundError:
        pass
    except (IsADirectoryError, PermissionError):
        shutil.rmtree(report, ignore_errors=True, dir_fd=directory)
