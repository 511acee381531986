"""Tries, harmlessly, to break out of a sandbox and prints the successes. A script for the self-test: never imported.

    python -I -S sandbox_canary.py SECRET HOME OUTSIDE READABLE PORT NAME VICTIM FORKS MEMORY

SECRET and HOME are files that must not be readable, HOME in the user's home; OUTSIDE is a directory that must not be
writable; READABLE is a file that is readable and must not be changed; PORT and NAME listen on loopback and as an
abstract socket; VICTIM is a process that must not be reached; FORKS and MEMORY exceed the allowed processes and bytes.
"""
# A short script that prints its result.
# ruff: noqa: PTH101, PTH123, T201

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
from collections.abc import Callable

_CLONE_NEWUSER = 0x10000000


def _read(path: str) -> None:
    with open(path, "rb") as file:
        file.read()


def _write(directory: str) -> None:
    with open(f"{directory}/written", "wb"):
        pass


def _connect(port: str) -> None:
    socket.create_connection(("127.0.0.1", int(port)), 1).close()


def _connect_to_name(name: str) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + name)


def _unshare() -> None:
    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWUSER):
        raise OSError(ctypes.get_errno(), "unshare")


def _fork(times: int) -> None:
    """Create many concurrent children; the launcher ends them."""
    for _ in range(times):
        if os.fork() == 0:
            signal.pause()


def _main() -> None:
    secret, home, outside, readable, port, name, victim, forks, memory = sys.argv[1:]
    attempts: dict[str, Callable[[], object]] = {
        "read a file outside": lambda: _read(secret),
        "read a file in the home directory": lambda: _read(home),
        "read the environment of a process outside": lambda: _read(f"/proc/{victim}/environ"),
        "send a signal to a process outside": lambda: os.kill(int(victim), signal.SIGKILL),
        "write a file outside": lambda: _write(outside),
        "truncate a file outside": lambda: os.truncate(readable, 0),
        "open and truncate a file outside": lambda: os.close(os.open(readable, os.O_RDONLY | os.O_TRUNC)),
        "change the mode of a file outside": lambda: os.chmod(readable, 0o600),
        "connect to loopback": lambda: _connect(port),
        "connect to an abstract socket": lambda: _connect_to_name(name),
        "make a namespace": _unshare,
        "take more memory than allowed": lambda: bytearray(int(memory)),
        "start more processes than allowed": lambda: _fork(int(forks)),
    }
    for what, attempt in attempts.items():
        try:
            attempt()
        except (OSError, MemoryError):
            continue
        print(what, flush=True)
    print("done")


if __name__ == "__main__":
    _main()
