"""Programs, run with limits: each in its own process group and its own fresh directory, gone when it ends.

`ProcessExecutor` is the weakest layer, "none": it cleans up after honest and careless programs, also after those
that hang, flood or fork, but does not hold a hostile one, which may read what we may read, reach the network, and
kill its own launcher and so leave processes that changed their session.
"""

from __future__ import annotations

import asyncio
import os
import selectors
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, cast

from jido_ai.adapters.workspace import Limits, Workspace, fresh_workspace
from jido_ai.errors import ConfigurationError, ToolError, ToolNotFoundError
from jido_ai.logic.relative_path import relative_path
from jido_ai.protocols import ToolJob, ToolRun
from jido_ai.telemetry import LoggingSink, Sink, TelemetryEvent

__all__ = ["ProcessExecutor"]

_LAUNCHER: Final = str(Path(__file__).resolve().with_name("sandbox_launcher.py"))
_OURS: Final = Path(sys.executable).parent  # not resolved: in a virtual environment the program is a link
_GLANCE_S: Final = 0.05  # how often a run looks whether it was cancelled
_MERCY_S: Final = 2.0  # what a launcher gets to kill and reap; then it is killed itself
_CHUNK: Final = 65_536


class ProcessExecutor:
    """Runs programs as plain processes: the layer "none".

    Always: no shell; the program is an absolute path before anything starts; a clean environment; a fresh directory;
    limits on time and output; everything it started is killed and reaped at its end, at the limit and on cancellation,
    children that changed their session too (on Linux). All blocking work is on threads of this executor.

    Not: limits on memory, files and network. `ToolJob.unsafe` is for layers that can refuse, and is not looked at.

    Args:
        allow: the programs that may be run, by the name that is written in `argv`; None is any on PATH.
        max_parallel: how many run at the same time, at least 1; others wait their turn.
        limits: of a project tree that is copied.
    """

    def __init__(
        self,
        *,
        allow: Collection[str] | None = None,
        max_parallel: int = 8,
        limits: Limits | None = None,
        sink: Sink | None = None,
    ) -> None:
        if max_parallel < 1:
            raise ConfigurationError(f"max_parallel must be at least 1, got {max_parallel}")
        self._allow = None if allow is None else frozenset(allow)
        self._limits = limits or Limits()
        self._sink = sink or LoggingSink()
        self._threads = ThreadPoolExecutor(max_parallel, thread_name_prefix="jido-tool")

    def locate(self, program: str) -> str:
        """Return the absolute path of `program`: "python" is the running interpreter, others come from beside it or
        from PATH; an absolute path is taken as it is.

        Raises:
            ToolNotFoundError: it is not there, not executable, not allowed, or a relative path.
        """
        if self._allow is not None and program not in self._allow:
            allowed = ", ".join(sorted(self._allow)) or "none"
            raise ToolNotFoundError(f"the program {program!r} is not allowed; allowed are: {allowed}")
        if program in ("python", "python3"):
            return sys.executable
        if os.sep in program and not Path(program).is_absolute():
            raise ToolNotFoundError(f"the program {program!r} is a relative path; give a name or an absolute path")
        found = shutil.which(program, path=_search_path()) if program and "\0" not in program else None
        if found is None:
            raise ToolNotFoundError(
                f"the program {program!r} is not installed: looked in {_search_path()}; install it, for a Python tool "
                f"with: {sys.executable} -m pip install {program or 'NAME'}"
            )
        return str(Path(found).absolute())

    async def run(self, job: ToolJob) -> ToolRun:
        """Run `job`; see `ToolExecutor`. Cancelled, it returns when the processes and the directory are gone."""
        stop = threading.Event()
        work = asyncio.get_running_loop().run_in_executor(self._threads, self._run, job, stop)
        try:
            run = await asyncio.shield(work)
        except asyncio.CancelledError:
            stop.set()  # from here the thread cleans up, even if we are cancelled again
            await asyncio.wait({work}, timeout=2 * _MERCY_S)
            raise
        self._sink(
            TelemetryEvent(
                "tool.ran",
                {
                    "program": job.argv[0],
                    "exit_status": run.exit_status,
                    "duration_s": run.duration_s,
                    "sandbox": "none",
                },
            )
        )
        return run

    def _run(self, job: ToolJob, stop: threading.Event) -> ToolRun:
        if not job.argv:
            raise ConfigurationError("argv needs at least the name of a program")
        argv = (self.locate(job.argv[0]), *job.argv[1:])
        for name in (*job.files, *([] if job.report is None else [job.report])):
            relative_path(name)
        if job.report is not None and "/" in job.report:
            raise ConfigurationError(f"a report is a plain file name, got {job.report!r}")
        try:
            with fresh_workspace() as workspace:
                return self._run_in(workspace, argv, job, stop)
        except OSError as error:
            raise ToolError(f"cannot make or use a directory to run {job.argv[0]!r} in: {error}") from error

    def _run_in(self, workspace: Workspace, argv: tuple[str, ...], job: ToolJob, stop: threading.Event) -> ToolRun:
        if job.tree is not None:
            workspace.copy_tree(job.tree, self._limits)
        workspace.write(job.files)
        if job.report is not None:
            workspace.discard(job.report)
        started = time.monotonic()
        ended = _Process(argv, workspace).run(job, stop, started + job.timeout_s)
        limit = job.max_output_bytes
        report = None if job.report is None else workspace.read(job.report, limit)
        return ToolRun(
            exit_status=ended.exit_status,
            stdout=_text(ended.stdout.kept),
            stderr=_text(ended.stderr.kept),
            report=None if report is None else _text(report[:limit]),
            truncated=ended.stdout.dropped or ended.stderr.dropped or len(report or b"") > limit,
            duration_s=time.monotonic() - started,
            directory=str(workspace.work),
            sandbox="none",
        )


def _search_path() -> str:
    return os.pathsep.join([str(_OURS), os.environ.get("PATH", os.defpath)])


def _environment(workspace: Workspace) -> dict[str, str]:
    """Return all that a program sees of our environment: where programs are, and nothing that could be a secret."""
    return {
        "PATH": _search_path(),
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


def _text(raw: bytes | bytearray) -> str:
    return raw.decode("utf-8", "replace")


@dataclass(slots=True)
class _Output:
    """What came out of one pipe, up to a limit."""

    limit: int
    kept: bytearray = field(default_factory=bytearray)
    dropped: bool = False

    def add(self, chunk: bytes) -> None:
        room = self.limit - len(self.kept)
        self.kept += chunk[:room]
        self.dropped = self.dropped or len(chunk) > room


@dataclass(frozen=True, slots=True)
class _Ended:
    exit_status: int | None
    stdout: _Output
    stderr: _Output


class _Process:
    """One launcher with the program under it."""

    def __init__(self, argv: tuple[str, ...], workspace: Workspace) -> None:
        self._argv = [sys.executable, "-I", "-S", _LAUNCHER, *argv]
        self._workspace = workspace

    def run(self, job: ToolJob, stop: threading.Event, deadline: float) -> _Ended:
        """Run it until it ends, `deadline` (of `time.monotonic`) passes or `stop` is set; nothing of it is left."""
        try:
            process = subprocess.Popen(
                self._argv,
                cwd=self._workspace.work,
                env=_environment(self._workspace),
                stdin=subprocess.DEVNULL if job.stdin is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:  # arguments too long, or with a NUL
            raise ToolError(f"cannot start {job.argv[0]!r}: {error}") from error
        outputs = _Output(job.max_output_bytes), _Output(job.max_output_bytes)
        in_time = False
        try:
            in_time = _attend(process, job.stdin or b"", outputs, stop, deadline)
        finally:
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
            _end(process)
        return _Ended(process.returncode if in_time else None, *outputs)


def _attend(
    process: subprocess.Popen[bytes],
    stdin: bytes,
    outputs: tuple[_Output, _Output],
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
                    cast("_Output", key.data).add(chunk)
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
        output = cast("_Output", key.data)
        try:
            while not output.dropped and (chunk := os.read(key.fd, _CHUNK)):
                output.add(chunk)
        except BlockingIOError:
            continue


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the launcher, and with it all it looks after; then whatever is left of the group.

    Raises:
        ToolError: it could not be killed, as a process that hangs in the kernel cannot.
    """
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_MERCY_S)
        except subprocess.TimeoutExpired:
            pass  # it is stopped or overrun; the group is killed below
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # nobody is left, or (elsewhere than on Linux) only zombies are
        pass
    try:
        process.wait(_MERCY_S)
    except subprocess.TimeoutExpired as error:
        raise ToolError(f"process {process.pid} cannot be killed; it may hang in the kernel") from error
