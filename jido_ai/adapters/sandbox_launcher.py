"""Runs one program, then ends everything the program started. A script: it is run, never imported.

    python -I -S sandbox_launcher.py PROGRAM [ARGUMENT...]

It stands between us and the program because only a parent can reap. On Linux it adopts what the program leaves
behind (PR_SET_CHILD_SUBREAPER), so that a child that changed its session, or whose parent is gone, is found, killed
and reaped too. It ends the way the program ended. SIGTERM, and the death of the process that started it, mean: stop.

Elsewhere than on Linux it ends the program alone; the caller ends the rest of the process group.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from types import FrameType

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_ON_LINUX = sys.platform == "linux"


class _Stop(BaseException):
    """We were asked to stop."""


def _on_sigterm(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the clean-up that follows is not interrupted
    raise _Stop


def _prctl(option: int, value: int) -> None:
    if _ON_LINUX:
        import ctypes  # noqa: PLC0415 - only where it is needed: it doubles the start-up time

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _start(argv: list[str]) -> int:
    """Start the program in our process group and return its id."""
    pid = os.fork()
    if pid:
        return pid
    try:
        for number in (signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)  # Python changes these; the program should not notice us
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        os.execv(argv[0], argv)
    except OSError as error:
        os.write(2, f"cannot execute {argv[0]}: {error}\n".encode(errors="replace"))
    finally:
        os._exit(126)


def _wait_for(program: int) -> int:
    """Reap whatever ends until `program` does; return its wait status."""
    while True:
        pid, status = os.wait()
        if pid == program:
            return status


def _children() -> list[int]:
    """Return the ids of our children, adopted ones included."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            # "pid (name) state ppid ...": the name may hold anything, a parenthesis too
            parent = (entry / "stat").read_bytes().rpartition(b")")[2].split()[1]
        except OSError:  # it ended meanwhile
            continue
        if int(parent) == os.getpid():
            found.append(int(entry.name))
    return found


def _end_all(program: int | None) -> None:
    """Kill and reap until no child is left: each death may hand us the children of the dead."""
    while True:
        for pid in _children() if _ON_LINUX else [program] if program else []:
            try:
                os.kill(pid, signal.SIGKILL)  # it cannot be somebody else: nobody but us reaps it
            except PermissionError:  # it took other rights; we wait for it, and whoever waits for us loses patience
                continue
        try:
            os.wait()
        except ChildProcessError:
            return


def _main() -> None:
    program: int | None = None
    status: int | None = None
    signal.signal(signal.SIGTERM, _on_sigterm)
    try:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        program = _start(sys.argv[1:])
        status = _wait_for(program)
        program = None
        _end_all(program)
    except _Stop:
        _end_all(program)
    if status is None:
        os._exit(128 + signal.SIGTERM)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    _main()
