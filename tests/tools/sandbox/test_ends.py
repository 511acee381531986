"""Whichever process dies first, no process of a sandbox remains, and none runs beyond its time."""

from __future__ import annotations

import importlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from jido_ai.tools.sandbox.layers import LAYERS, Layer, Locked, command
from jido_ai.tools.sandbox.selftest import escapes
from jido_ai.tools.sandbox.workspace import fresh_workspace

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
soak_kills: Any = importlib.import_module("soak_kills")
sys.path.pop(0)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it needs /proc")
# A daemon in its own session, which reports that and then holds the pipe of stdout for longer than any test takes.
DAEMON = """
import os, signal, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (1, 2, 15):
            signal.signal(number, signal.SIG_IGN)
        print("ready", flush=True)
        time.sleep(600)
    os._exit(0)
time.sleep(600)
"""


@pytest.fixture(params=["none", *LAYERS])
def layer(request: pytest.FixtureRequest) -> Layer:
    if request.param != "none" and (why := escapes(request.param)):
        pytest.skip(why)
    return request.param


@dataclass
class Started:
    """A launcher with its program, as `run_locked` starts it."""

    process: subprocess.Popen[bytes]
    alive: socket.socket
    result: IO[bytes]

    def all_is_gone(self) -> bool:
        """Return when no process holds stdout any more; the test's time limit ends a test that is stuck here."""
        assert self.process.stdout is not None
        self.process.stdout.read()
        self.process.wait()
        return True

    def is_ready(self) -> bool:
        assert self.process.stdout is not None
        return self.process.stdout.readline() == b"ready\n"

    def second(self) -> int:
        """Return the other launcher, or the bubblewrap around it."""
        pid = self.process.pid
        return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


@contextmanager
def started(layer: Layer, code: str, *, time_s: float = 600.0, parent_is_gone: bool = False) -> Generator[Started]:
    ours, theirs = socket.socketpair()
    with fresh_workspace() as workspace, tempfile.TemporaryFile() as result, ours, theirs:
        argv = (sys.executable, "-I", "-S", "-c", code)
        held = {"result": result.fileno(), "alive": theirs.fileno()}
        if parent_is_gone:
            ours.close()
        process = subprocess.Popen(
            command(argv, workspace, Locked(layer), **held, time_s=time_s, report=None),
            cwd=workspace.work,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            start_new_session=True,
            pass_fds=tuple(held.values()),
        )
        theirs.close()
        try:
            yield Started(process, ours, result)
        finally:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


def test_all_processes_end_when_the_handle_of_their_caller_is_closed_in_any_way(layer: Layer) -> None:
    with started(layer, DAEMON) as run:
        assert run.is_ready()
        run.alive.close()
        assert run.all_is_gone()


def test_all_processes_end_when_the_first_launcher_is_killed(layer: Layer) -> None:
    with started(layer, DAEMON) as run:
        assert run.is_ready()
        run.process.kill()
        assert run.all_is_gone()


def test_all_processes_end_when_the_second_launcher_is_killed(layer: Layer) -> None:
    with started(layer, DAEMON) as run:
        assert run.is_ready()
        os.kill(run.second(), signal.SIGKILL)
        assert run.all_is_gone()


def test_all_processes_end_when_the_second_launcher_is_stopped_and_the_first_terminated(layer: Layer) -> None:
    with started(layer, DAEMON) as run:
        assert run.is_ready()
        os.kill(run.second(), signal.SIGSTOP)
        run.process.terminate()
        assert run.all_is_gone()


def test_the_launchers_keep_the_time_limit_when_nobody_else_does(layer: Layer) -> None:
    with started(layer, DAEMON, time_s=0.5) as run:
        assert run.all_is_gone()
        run.result.seek(0)
        assert run.result.read() == b"late\n"


def test_no_program_starts_if_its_caller_is_gone(layer: Layer) -> None:
    with started(layer, "print('it started')", parent_is_gone=True) as run:
        assert run.process.communicate()[0] == b""
        assert run.process.returncode == 128 + signal.SIGTERM


def test_no_program_starts_when_another_process_became_the_parent(layer: Layer) -> None:
    with started(layer, "print('it started')") as run:
        words = [f"parent={os.getpid() + 1}" if word.startswith("parent=") else word for word in run.process.args]  # type: ignore[union-attr]
        done = subprocess.run(words, capture_output=True, pass_fds=(run.result.fileno(),), check=False)
        assert (done.stdout, done.returncode) == (b"", 128 + signal.SIGTERM)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_commands_that_are_killed_at_random_moments_leave_no_process_and_no_directory(layer: Layer) -> None:
    seen = soak_kills.soak(layer, 6, seed=1)
    assert (seen["left_processes"], seen["left_directories"]) == (0, 0), seen
    assert seen["met_a_program"] > 0, seen
