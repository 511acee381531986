"""Runs one program: starts it, feeds and drains it, and ends it with all its processes. Blocks: use a thread."""

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
from jido_ai.tools.sandbox.layers import LayerReport, Locked, command, search_path
from jido_ai.tools.sandbox.workspace import Workspace
from jido_ai.values.tool import ToolJob

_GLANCE_S: Final = 0.05  # interval at which a run checks whether it was cancelled
MERCY_S: Final = 2.0
"""Time for a launcher to kill and reap; afterwards it is killed itself."""
_CHUNK: Final = 65_536


@dataclass(slots=True)
class Output:
    """The output of one pipe, up to a limit."""

    limit: int
    kept: bytearray = field(default_factory=bytearray)
    dropped: bool = False

    def add(self, chunk: bytes) -> None:
        room = self.limit - len(self.kept)
        self.kept += chunk[:room]
        self.dropped = self.dropped or len(chunk) > room


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a run. `exit_status` is None if it was stopped; `report` may be one byte longer than requested."""

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
    """Run `argv` until it ends, the job's time is over or `stop` is set; no process of it remains.

    Raises:
        ToolError: it could not be started, confined or killed.
    """
    report = None if job.report is None else LayerReport(job.report, job.max_output_bytes)
    deadline = time.monotonic() + job.timeout_s
    ours, theirs = socket.socketpair()  # each side notices when the other is gone, even if killed
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
    """Return the launcher's result. One that was killed wrote nothing and counts as its program."""
    head, _, rest = result.partition(b"\n")
    if not head and launcher < 0:
        return Ended(launcher, *outputs)
    if not head or head.startswith(b"!"):
        why = head[1:] or bytes(outputs[1].kept[-500:]).strip() or b"no output"
        raise ToolError(f"the sandbox could not be set up: {why.decode('utf-8', 'replace')}")
    if head == b"late":
        return Ended(None, *outputs)
    return Ended(int(head), *outputs, report=rest[1:] if rest else None)


def _environment(workspace: Workspace, locked: Locked) -> dict[str, str]:
    """Return the environment of a program: where programs are, and nothing that could be secret."""
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
    """Feed and drain the pipes until the process ends; return False if it was stopped or the deadline passed first.

    The launcher ends last and holds the pipes, so they close when all processes of the program are gone.
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
            if process.poll() is not None:  # a process that escaped may hold its pipes
                _drain(selector)
                return True
    return False


def _feed(pipe: IO[bytes], pending: memoryview) -> memoryview:
    """Write as much as possible and return the rest; nothing if the program reads no more."""
    try:
        return pending[os.write(pipe.fileno(), pending[:_CHUNK]) :]
    except BrokenPipeError:
        return pending[len(pending) :]


def _drain(selector: selectors.BaseSelector) -> None:
    """Read the pipes without waiting."""
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
    """End the launchers and with them everything they supervise; then the rest of the process group.

    Raises:
        ToolError: a process could not be killed, e.g. because it hangs in the kernel.
    """
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(MERCY_S)
        except subprocess.TimeoutExpired:
            pass  # it is stopped or overloaded; the group is killed below
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # none is left, or (except on Linux) only zombies are
        pass
    try:
        process.wait(MERCY_S)
    except subprocess.TimeoutExpired as error:
        raise ToolError(f"process {process.pid} cannot be killed; it may hang in the kernel") from error
    launchers.shutdown(socket.SHUT_WR)  # if the first was killed by others, the second ends the rest
    launchers.settimeout(MERCY_S)
    try:
        launchers.recv(1)
    except TimeoutError as error:
        raise ToolError(f"a child of process {process.pid} cannot be killed; it may hang in the kernel") from error
