"""One program as processes: started, fed, drained, and ended with all it started. All of it blocks: use a thread."""

from __future__ import annotations

import os
import selectors
import signal
import socket
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from typing import IO, Final, cast

from jido_ai.errors import ToolError
from jido_ai.protocols import ToolJob
from jido_ai.tools.sandbox.layers import Locked, Report, command, search_path
from jido_ai.tools.sandbox.workspace import Workspace

__all__ = ["MERCY_S", "Ended", "Output", "run_locked"]

_GLANCE_S: Final = 0.05  # how often a run looks whether it was cancelled
MERCY_S: Final = 2.0
"""What a launcher gets to kill and reap; then it is killed itself."""
_CHUNK: Final = 65_536


@dataclass(slots=True)
class Output:
    """What came out of one pipe, up to a limit."""

    limit: int
    kept: bytearray = field(default_factory=bytearray)
    dropped: bool = False

    def add(self, chunk: bytes) -> None:
        room = self.limit - len(self.kept)
        self.kept += chunk[:room]
        self.dropped = self.dropped or len(chunk) > room


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended. `exit_status` is None when it was stopped; `report` may be a byte longer than asked for."""

    exit_status: int | None
    stdout: Output
    stderr: Output
    report: bytes | None = None


def run_locked(
    argv: tuple[str, ...],
    job: ToolJob,
    workspace: Workspace,
    locked: Locked,
    stop: threading.Event,
) -> Ended:
    """Run `argv` until it ends, the job's time is over or `stop` is set; no process of it is left then.

    Raises:
        ToolError: it could not be started or locked in; or it could not be killed.
    """
    report = None if job.report is None else Report(job.report, job.max_output_bytes)
    deadline = time.monotonic() + job.timeout_s
    ours, theirs = socket.socketpair()  # each side sees it when the other one is gone, even killed
    with tempfile.TemporaryFile() as result, ours:
        try:
            held = {"result": result.fileno(), "alive": theirs.fileno()}
            process = subprocess.Popen(
                command(argv, workspace, locked, **held, time_s=job.timeout_s, report=report),
                cwd=workspace.work,
                env=_environment(workspace, locked),
                stdin=subprocess.DEVNULL if job.stdin is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                pass_fds=tuple(held.values()),
            )
        except (OSError, ValueError) as error:  # arguments too long, or with a NUL
            raise ToolError(f"cannot start {job.argv[0]!r}: {error}") from error
        finally:
            theirs.close()
        outputs = Output(job.max_output_bytes), Output(job.max_output_bytes)
        in_time = False
        try:
            in_time = _attend(process, job.stdin or b"", outputs, stop, deadline)
        finally:
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
            _end(process, ours)
        if not in_time:
            return Ended(None, *outputs)
        result.seek(0)
        return _ended(process.returncode, result.read(), outputs)


def _ended(launcher: int, result: bytes, outputs: tuple[Output, Output]) -> Ended:
    """Return what the launcher wrote. One that was killed wrote nothing, and speaks for its program."""
    head, _, rest = result.partition(b"\n")
    if not head and launcher < 0:
        return Ended(launcher, *outputs)
    if not head or head.startswith(b"!"):
        why = head[1:] or bytes(outputs[1].kept[-500:]).strip() or b"it said nothing"
        raise ToolError(f"the sandbox could not be set up: {why.decode('utf-8', 'replace')}")
    if head == b"late":
        return Ended(None, *outputs)
    return Ended(int(head), *outputs, report=rest[1:] if rest else None)


def _environment(workspace: Workspace, locked: Locked) -> dict[str, str]:
    """Return all that a program sees of our environment: where programs are, and nothing that could be a secret."""
    return {
        "PATH": search_path(locked.layer),
        "HOME": str(workspace.home),
        "TMPDIR": str(workspace.temporary),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONNOUSERSITE": "1",
    }


def _attend(
    process: subprocess.Popen[bytes],
    stdin: bytes,
    outputs: tuple[Output, Output],
    stop: threading.Event,
    deadline: float,
) -> bool:
    """Feed and drain the pipes until the process ends; return False when it was stopped or the deadline passed first.

    The launcher ends last and holds the pipes, so they close when nothing of the program is left.
    """
    pending = memoryview(stdin)
    with selectors.DefaultSelector() as selector:
        for pipe, output in zip((process.stdout, process.stderr), outputs, strict=True):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, selectors.EVENT_READ, output)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE)
        while not stop.is_set() and (left_s := deadline - time.monotonic()) > 0:
            if not selector.get_map():
                try:
                    process.wait(min(left_s, _GLANCE_S))
                except subprocess.TimeoutExpired:
                    continue
                return True
            for key, _ in selector.select(min(left_s, _GLANCE_S)):
                pipe = cast("IO[bytes]", key.fileobj)
                if key.data is None:
                    pending = _feed(pipe, pending)
                    at_end = not pending
                else:
                    chunk = os.read(pipe.fileno(), _CHUNK)
                    cast("Output", key.data).add(chunk)
                    at_end = not chunk
                if at_end:
                    selector.unregister(pipe)
                    pipe.close()
            if process.poll() is not None:  # its pipes may be held by a process that got away
                _drain(selector)
                return True
    return False


def _feed(pipe: IO[bytes], pending: memoryview) -> memoryview:
    """Write what fits and return the rest; nothing is left for a program that reads no more."""
    try:
        return pending[os.write(pipe.fileno(), pending[:_CHUNK]) :]
    except BrokenPipeError:
        return pending[len(pending) :]


def _drain(selector: selectors.BaseSelector) -> None:
    """Take what is in the pipes, and wait for no more."""
    for key in list(selector.get_map().values()):
        if key.data is None:
            continue
        output = cast("Output", key.data)
        try:
            while not output.dropped and (chunk := os.read(key.fd, _CHUNK)):
                output.add(chunk)
        except BlockingIOError:
            continue


def _end(process: subprocess.Popen[bytes], launchers: socket.socket) -> None:
    """End the launchers, and with them all they look after; then whatever is left of the group.

    Raises:
        ToolError: it could not be killed, as a process that hangs in the kernel cannot.
    """
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(MERCY_S)
        except subprocess.TimeoutExpired:
            pass  # it is stopped or overrun; the group is killed below
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # nobody is left, or (elsewhere than on Linux) only zombies are
        pass
    try:
        process.wait(MERCY_S)
    except subprocess.TimeoutExpired as error:
        raise ToolError(f"process {process.pid} cannot be killed; it may hang in the kernel") from error
    launchers.shutdown(socket.SHUT_WR)  # the second of them, if the first was killed from elsewhere, ends the rest
    launchers.settimeout(MERCY_S)
    try:
        launchers.recv(1)
    except TimeoutError as error:
        raise ToolError(f"what process {process.pid} started cannot be killed; it may hang in the kernel") from error
