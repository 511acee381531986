"""The self-test of the sandbox: a layer holds if its canaries cannot break out, on this machine and now."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from jido_ai.errors import ToolError
from jido_ai.tools.sandbox.directories import own_directory
from jido_ai.tools.sandbox.layers import Layer, Locked, SandboxLimits
from jido_ai.tools.sandbox.process import run_locked
from jido_ai.tools.sandbox.workspace import fresh_workspace
from jido_ai.values.tool import ToolJob

_CANARY: Final = str(Path(__file__).resolve().with_name("sandbox_canary.py"))
_LIMITS: Final = SandboxLimits(memory_bytes=256 * 1024 * 1024, processes=16)
_TIMEOUT_S: Final = 10.0
_ONE_AT_A_TIME: Final = threading.Lock()
_CHANGES_MODE: Final = "change the mode of a file outside"
_SIGNALS: Final = "send a signal to a process outside"


def escapes(layer: Layer) -> str | None:
    """Return why `layer` does not hold here (a missing feature, or successes of the canaries); None if it holds.

    Blocks for about 0.1 s, once per process.
    """
    with _ONE_AT_A_TIME:
        return _escapes(layer)


@cache
def _escapes(layer: Layer) -> str | None:
    if sys.platform != "linux":
        return f"it needs Linux, this is {sys.platform}"
    try:
        with fresh_workspace() as workspace, _outside() as outside:
            argv = (sys.executable, "-I", "-S", _CANARY, *outside.arguments)
            locked = Locked(layer, (outside.readable.parent,), _LIMITS)
            ended = run_locked(argv, ToolJob(argv=argv, timeout_s=_TIMEOUT_S), workspace, locked, threading.Event())
            lines = bytes(ended.stdout.kept).decode("utf-8", "replace").splitlines()
            if not lines or lines[-1] != "done":
                why = bytes(ended.stderr.kept[-500:]).decode("utf-8", "replace").strip()
                return f"the self-test ended with {ended.exit_status}: {why or 'no output'}"
            got_through = [*lines[:-1], *outside.harm()]
    except (OSError, ToolError) as error:
        return str(error)
    # Signals in another process namespace and faked mode changes do no harm.
    real = dict.fromkeys(one for one in got_through if one not in (_SIGNALS, _CHANGES_MODE) or one in outside.harmed)
    return f"the self-test could {', '.join(real)}" if real else None


@dataclass(slots=True)
class _Outside:
    """Targets that the canaries must not reach."""

    directory: Path
    readable: Path
    arguments: tuple[str, ...]
    victim: subprocess.Popen[bytes]
    harmed: tuple[str, ...] = ()

    def harm(self) -> tuple[str, ...]:
        """Return the damage done, regardless of the canaries' reports."""
        signs = {
            _SIGNALS: self.victim.poll() is not None,
            "write a file outside": (self.directory / "written").exists(),
            "truncate a file outside": not self.readable.read_bytes(),
            _CHANGES_MODE: self.readable.stat().st_mode & 0o777 != 0o666,
        }
        self.harmed = tuple(what for what, is_so in signs.items() if is_so)
        return self.harmed


@contextmanager
def _outside() -> Generator[_Outside]:
    """Create a directory, files, sockets and a process that any user may use."""
    name = f"jido-canary-{secrets.token_hex(8)}"
    with own_directory() as directory, _victim() as victim:
        secret, readable = directory / "secret", directory / "readable" / "file"
        readable.parent.mkdir()
        for path, mode in ((secret, 0o644), (readable, 0o666)):
            path.write_text("canary")
            path.chmod(mode)
        directory.chmod(0o777)
        with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as named:
            named.bind(f"\0{name}")
            named.listen()
            port = server.getsockname()[1]
            places = (secret, _file_at_home() or secret, directory, readable)
            numbers = (victim.pid, 4 * _LIMITS.processes, 4 * _LIMITS.memory_bytes)
            arguments = tuple(str(place) for place in (*places, port, name, *numbers))
            yield _Outside(directory, readable, arguments, victim)


@contextmanager
def _victim() -> Generator[subprocess.Popen[bytes]]:
    """Start a process that waits for the end of its input, which comes with our own end, even if we are killed."""
    victim = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        yield victim
    finally:
        assert victim.stdin is not None
        victim.stdin.close()
        victim.kill()
        victim.wait()


def _file_at_home() -> Path | None:
    """Return a file of the user's own; None if there is none."""
    try:
        return next((path for path in Path.home().iterdir() if path.is_file() and os.access(path, os.R_OK)), None)
    except (OSError, RuntimeError):  # there is no home, or it is not accessible
        return None
