"""Programs, run with limits: each in its own process group and its own fresh directory, gone when it ends.

`SandboxExecutor` holds hostile programs, by the best layer that this machine has and that its self-test found to hold:

- "strong": bubblewrap; a file system with nothing in it but what must be read, a network of its own, seccomp, limits.
- "medium": Landlock and seccomp, which need no namespaces; limits. As root, both run the program as another user.

`ProcessExecutor` is the layer "none": it cleans up after honest and careless programs, also after those that hang,
flood or fork, but a hostile one may read what we may read, reach the network, and kill its own launcher and so leave
processes that changed their session.
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
from jido_ai.protocols import ToolJob, ToolRun
from jido_ai.telemetry import Sink, TelemetryEvent, safe_sink
from jido_ai.tools.sandbox.fingerprint import FingerprintMaker
from jido_ai.tools.sandbox.layers import LAYERS, Layer, Locked, SandboxLimits, search_path
from jido_ai.tools.sandbox.process import MERCY_S, run_locked
from jido_ai.tools.sandbox.selftest import escapes
from jido_ai.tools.sandbox.workspace import Limits, Workspace, fresh_workspace

__all__ = ["ProcessExecutor", "SandboxExecutor"]


class ProcessExecutor:
    """Runs programs as plain processes: the layer "none".

    Always: no shell; the program is an absolute path before anything starts; a clean environment; a fresh directory;
    limits on time and output; everything it started is killed and reaped at its end, at the limit and on cancellation,
    children that changed their session too (on Linux). All blocking work is on threads of this executor.

    Not: limits on memory, files and network. It runs everything: `ToolJob.executes` and `unsafe` are not looked at.

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
        self._sink = safe_sink(sink)
        self._fingerprints = FingerprintMaker(self._limits)
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
        found = shutil.which(program, path=search_path("none")) if program and "\0" not in program else None
        if found is None:
            raise ToolNotFoundError(
                f"the program {program!r} is not installed: looked in {search_path('none')}; install it, for a Python "
                f"tool with: {sys.executable} -m pip install {program or 'NAME'}"
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
        """Return what tells these jobs from others; see `jido_ai.tools.sandbox.fingerprint`."""
        make = self._fingerprints.make
        return await asyncio.to_thread(make, tuple(jobs), self.locate, self._conditions)

    def _conditions(self, job: ToolJob) -> object:
        """Return what, besides the job itself, decides how it is run."""
        del job
        return "none"

    def _run(self, job: ToolJob, stop: threading.Event) -> ToolRun:
        if not job.argv:
            raise ConfigurationError("argv needs at least the name of a program")
        argv = (self.locate(job.argv[0]), *job.argv[1:])
        for name in (*job.files, *([] if job.report is None else [job.report])):
            relative_path(name)
        if job.report is not None and "/" in job.report:
            raise ConfigurationError(f"a report is a plain file name, got {job.report!r}")
        locked = self._locked(job)
        try:
            with fresh_workspace() as workspace:
                return self._run_in(workspace, argv, job, locked, stop)
        except OSError as error:
            raise ToolError(f"cannot make or use a directory to run {job.argv[0]!r} in: {error}") from error

    def _locked(self, job: ToolJob) -> Locked:
        """Return how to hold the program. Raises `ConfigurationError` when it cannot be held well enough."""
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
    """Runs programs on the best layer that holds, and refuses where none does.

    Where none holds, a program that only reads the candidate (`ToolJob.executes` is False) still runs as a plain
    process, and one that executes it is refused, unless its job says `unsafe`. `ToolRun.sandbox` tells the layer.

    A layer holds when the self-test, run at the first use in this process, could not break out of it.

    Args:
        layers: those that may be used, the best first.
        sandbox_limits: what one run may use, besides time and output, which the job limits.
        readable: more files and directories that programs may read. Always readable are the system's programs and
            libraries, the interpreter with what is installed in it, and the program itself; the user's home is not.
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
        sink: Sink | None = None,
    ) -> None:
        super().__init__(allow=allow, max_parallel=max_parallel, limits=limits, sink=sink)
        self._sandbox_limits = sandbox_limits or SandboxLimits()
        self._readable = tuple(readable)
        self._layers = tuple(layers)

    def layer(self) -> Layer:
        """Return the layer that programs run on, "none" when none holds. It blocks at the first use in a process."""
        for layer in self._layers:
            if layer != "none" and escapes(layer) is None:
                return layer
        return "none"

    def refusal(self) -> str | None:
        """Return why programs that execute a candidate are refused, and how to mend that; None when they are not."""
        if self.layer() != "none":
            return None
        why = "; ".join(f"{layer}: {escapes(layer)}" for layer in self._layers if layer != "none")
        return (
            f"no sandbox holds here, so no program that executes a candidate is run ({why or 'no layer is allowed'}). "
            "Install bubblewrap, or use Linux 6.2 or newer, or run in a container or machine that you can lose and say "
            "unsafe=True (jido improve: --unsafe-local-tools)"
        )

    def _conditions(self, job: ToolJob) -> object:
        return (self.layer(), self._sandbox_limits, [str(path) for path in self._readable], job.unsafe)

    def _locked(self, job: ToolJob) -> Locked:
        refusal = self.refusal() if job.executes and not job.unsafe else None
        if refusal is not None:
            raise ConfigurationError(f"{job.argv[0]!r} was not run: {refusal}")
        return Locked(self.layer(), self._readable, self._sandbox_limits)


def _text(raw: bytes | bytearray) -> str:
    return raw.decode("utf-8", "replace")
