"""Executors: run programs with limits, each in its own process group and its own temporary directory.

`SandboxExecutor` confines hostile programs, with the best layer that passes its self-test on this machine:

- "strong": bubblewrap; a file system with only the files that must be read, its own network, seccomp, limits.
- "medium": Landlock and seccomp, which need no namespaces; limits. As root, both run the program as another user.

`ProcessExecutor` is the layer "none": it cleans up after honest and careless programs, including those that hang, flood
or fork, but a hostile program may read everything that we may read, reach the network, and kill its own launcher and so
leave behind processes that changed their session.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import threading
import time
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jido_ai.errors import ConfigurationError, ToolError, ToolNotFoundError
from jido_ai.files.relative_path import relative_path
from jido_ai.telemetry import Sink, TelemetryEvent, safe_sink
from jido_ai.tools.sandbox.fingerprint import FingerprintMaker
from jido_ai.tools.sandbox.layers import LAYERS, Layer, Locked, SandboxLimits, search_path
from jido_ai.tools.sandbox.process import MERCY_S, run_locked
from jido_ai.tools.sandbox.selftest import escapes
from jido_ai.tools.sandbox.workspace import Limits, Workspace, fresh_workspace
from jido_ai.values.tool import ToolJob, ToolRun


class ProcessExecutor:
    """Runs programs as plain processes: the layer "none".

    It ensures: no shell; the program is resolved to an absolute path before anything starts; a clean environment; a
    fresh directory; limits on time and output; everything that the program started is killed and reaped at its end, at
    the limit and on cancellation, including children that changed their session (on Linux). All blocking work is in
    threads of this executor.

    It does not limit memory, files or network, and it runs everything: `ToolJob.executes` and `unsafe` are ignored.

    Args:
        allow: the programs that may run, by their name in `argv`; None is any on PATH.
        max_parallel: maximum number of concurrent runs, at least 1; others wait for their turn.
        limits: maximum size of a project tree that is copied.
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
        self._sink = safe_sink(sink)
        self._fingerprints = FingerprintMaker(self._limits)
        self._threads = ThreadPoolExecutor(max_parallel, thread_name_prefix="jido-tool")

    def locate(self, program: str) -> str:
        """Return the absolute path of `program`.

        "python" is the running interpreter, others are next to it or on PATH; an absolute path is returned unchanged.

        Raises:
            ToolNotFoundError: it does not exist, is not executable, is not allowed, or is a relative path.
        """
        if self._allow is not None and program not in self._allow:
            allowed = ", ".join(sorted(self._allow)) or "none"
            raise ToolNotFoundError(f"the program {program!r} is not allowed; allowed programs: {allowed}")
        if program in ("python", "python3"):
            return sys.executable
        if os.sep in program and not Path(program).is_absolute():
            raise ToolNotFoundError(f"the program {program!r} is a relative path; give a name or an absolute path")
        found = shutil.which(program, path=search_path("none")) if program and "\0" not in program else None
        if found is None:
            package = "'jido-ai[improve]'" if program == "ruff" else program or "NAME"
            raise ToolNotFoundError(
                f"the program {program!r} is not installed; searched {search_path('none')}; install it, for a Python "
                f"tool with: {sys.executable} -m pip install {package}"
            )
        return str(Path(found).absolute())

    async def run(self, job: ToolJob) -> ToolRun:
        """Run `job`; see `ToolExecutor`. A cancelled call returns once the processes and the directory are gone."""
        stop = threading.Event()
        work = asyncio.get_running_loop().run_in_executor(self._threads, self._run, job, stop)
        try:
            run = await asyncio.shield(work)
        except asyncio.CancelledError:
            stop.set()  # from here on the thread cleans up, even if we are cancelled again
            await asyncio.wait({work}, timeout=2 * MERCY_S)
            raise
        self._sink(
            TelemetryEvent(
                "tool.ran",
                {
                    "program": job.argv[0],
                    "exit_status": run.exit_status,
                    "duration_s": run.duration_s,
                    "sandbox": run.sandbox,
                },
            )
        )
        return run

    async def fingerprints(self, jobs: Sequence[ToolJob]) -> tuple[str | None, ...]:
        """Return one fingerprint per job; see `jido_ai.tools.sandbox.fingerprint`."""
        make = self._fingerprints.make
        return await asyncio.to_thread(make, tuple(jobs), self.locate, self._conditions)

    def _conditions(self, job: ToolJob) -> object:
        """Return the conditions, besides the job itself, that affect how it runs."""
        del job
        return "none"

    def _run(self, job: ToolJob, stop: threading.Event) -> ToolRun:
        if not job.argv:
            raise ConfigurationError("argv needs at least the name of a program")
        argv = (self._program_of(job), *job.argv[1:])
        for name in (*job.files, *([] if job.report is None else [job.report])):
            relative_path(name)
        if job.report is not None and "/" in job.report:
            raise ConfigurationError(f"report must be a plain file name, got {job.report!r}")
        locked = self._locked(job)
        try:
            with fresh_workspace() as workspace:
                return self._run_in(workspace, argv, job, locked, stop)
        except OSError as error:
            raise ToolError(f"cannot make or use a directory to run {job.argv[0]!r} in: {error}") from error

    def _program_of(self, job: ToolJob) -> str:
        """Return the absolute path of a job's program."""
        return self.locate(job.argv[0])

    def _locked(self, job: ToolJob) -> Locked:
        """Return how to confine the program. Raises `ConfigurationError` if it cannot be confined well enough."""
        del job
        return Locked()

    def _run_in(
        self, workspace: Workspace, argv: tuple[str, ...], job: ToolJob, locked: Locked, stop: threading.Event
    ) -> ToolRun:
        if job.tree is not None and locked.layer == "strong":
            workspace.show_tree(job.tree, self._limits)
        elif job.tree is not None:
            workspace.copy_tree(job.tree, self._limits)
        workspace.write(job.files)
        if job.report is not None:
            workspace.discard(job.report)
        started = time.monotonic()
        ended = run_locked(argv, job, workspace, locked, stop)
        limit = job.max_output_bytes
        return ToolRun(
            exit_status=ended.exit_status,
            stdout=_text(ended.stdout.kept),
            stderr=_text(ended.stderr.kept),
            report=None if ended.report is None else _text(ended.report[:limit]),
            truncated=ended.stdout.dropped or ended.stderr.dropped or len(ended.report or b"") > limit,
            duration_s=time.monotonic() - started,
            directory=str(workspace.work),
            sandbox=locked.layer,
        )


class SandboxExecutor(ProcessExecutor):
    """Runs programs in the best layer that holds, and refuses to where none does.

    Where none holds, a program that only reads the candidate (`ToolJob.executes` is False) still runs as a plain
    process, and one that executes it is refused, unless its job sets `unsafe`. `ToolRun.sandbox` reports the layer.

    A layer holds if the self-test, run on first use in this process, could not break out of it.

    Args:
        layers: allowed layers, the best first.
        python: the interpreter that "python" means in jobs that execute the candidate, such as its tests; None is the
            running one, as for all other jobs. What it needs is given as `readable`.
        sandbox_limits: limits of one run, besides time and output, which the job limits.
        readable: additional files and directories that programs may read. Always readable are the system's programs and
            libraries, the interpreter with its packages, and the program itself; the user's home is not. Nothing is
            readable through a link that lies in the job's tree.
    """

    def __init__(
        self,
        *,
        allow: Collection[str] | None = None,
        max_parallel: int = 8,
        limits: Limits | None = None,
        sandbox_limits: SandboxLimits | None = None,
        readable: Sequence[Path] = (),
        layers: Sequence[Layer] = LAYERS,
        python: Path | None = None,
        sink: Sink | None = None,
    ) -> None:
        super().__init__(allow=allow, max_parallel=max_parallel, limits=limits, sink=sink)
        self._sandbox_limits = sandbox_limits or SandboxLimits()
        self._readable = tuple(readable)
        self._layers = tuple(layers)
        self._python = python

    def layer(self) -> Layer:
        """Return the layer that programs run in, "none" if none holds. Blocks on first use in a process."""
        for layer in self._layers:
            if layer != "none" and escapes(layer) is None:
                return layer
        return "none"

    def refusal(self) -> str | None:
        """Return why programs that execute a candidate are refused, and how to fix that; None if they are not."""
        if self.layer() != "none":
            return None
        why = "; ".join(f"{layer}: {escapes(layer)}" for layer in self._layers if layer != "none")
        return (
            f"no sandbox works here, so programs that execute a candidate cannot run ({why or 'no layer is allowed'}). "
            "Install bubblewrap, use Linux 6.2 or newer, or run in a disposable container or machine with "
            "unsafe=True (jido improve: --unsafe-local-tools)"
        )

    def _conditions(self, job: ToolJob) -> object:
        readable = [str(path) for path in self._readable]
        return (self.layer(), self._sandbox_limits, readable, job.unsafe, str(self._python))

    def _program_of(self, job: ToolJob) -> str:
        if self._python is not None and job.executes and job.argv[0] in ("python", "python3"):
            return str(self._python)
        return super()._program_of(job)

    def _locked(self, job: ToolJob) -> Locked:
        refusal = self.refusal() if job.executes and not job.unsafe else None
        if refusal is not None:
            raise ConfigurationError(f"{job.argv[0]!r} was not run: {refusal}")
        return Locked(self.layer(), self._readable, self._sandbox_limits, job.tree)


def _text(raw: bytes | bytearray) -> str:
    return raw.decode("utf-8", "replace")
