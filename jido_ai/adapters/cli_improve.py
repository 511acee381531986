"""`jido improve`: tools criticise files, a reviser mends them, tools judge again, while it pays."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from jido_ai.adapters.git_changes import changed_since
from jido_ai.adapters.improve_report import ImproveOptions, Job, report, write_sarif
from jido_ai.adapters.sandbox import SandboxExecutor
from jido_ai.adapters.source_files import (
    SourceFile,
    check_place,
    check_writable,
    find_sources,
    kind_of,
    project_root,
)
from jido_ai.components.chain_reviser import ChainReviser
from jido_ai.components.mutation_reviser import MutationReviser
from jido_ai.components.pipeline import Pipeline
from jido_ai.components.run_events import (
    CandidateGenerated,
    ComponentRestarted,
    Critiqued,
    LessonsRetrieved,
    Revised,
    RunEvent,
    RunStarted,
    RunStopped,
)
from jido_ai.components.targeted_reviser import TargetedReviser
from jido_ai.components.text_critiquer import TextCritiquer
from jido_ai.components.tool_critiquer import ToolCritiquer, tool_named
from jido_ai.components.tools import Tool
from jido_ai.errors import ConfigurationError, JidoError
from jido_ai.logic.convergence import score_of
from jido_ai.protocols import Reviser, RunContext, ToolExecutor
from jido_ai.values import Candidate, CritiqueResult, LoopConfig, ReflectionResult

__all__ = ["ImproveOptions", "improve"]

_AT_ONCE: Final = 2


def improve(options: ImproveOptions, out: TextIO, err: TextIO) -> int:
    """Do it; return the exit status: 0 nothing is left, 1 something is, 2 a file could not be written, 130 interrupted.

    Raises:
        JidoError: bad input, found before anything starts; or the memory or an executor refused.
    """
    sources = _sources(options)
    if not sources:  # only --since can find none
        err.write(f"nothing to do: no file of a known kind has changed since {options.since}\n")
        if options.as_json:
            out.write("[]\n")
        if options.sarif is not None:
            write_sarif(options.sarif, ())
        return 0
    jobs = _jobs(sources, options)
    return asyncio.run(_improve(jobs, options, out, err))


def _sources(options: ImproveOptions) -> list[SourceFile]:
    """Return the files to improve; all that a user wrote is looked at before any of it is opened."""
    for path in (*options.files, *((options.tests,) if options.tests else ())):
        check_place(path, options.root)
    if options.sarif is not None:
        check_sarif(options.sarif)
    if options.root is not None and not options.root.is_dir():
        raise ConfigurationError(f"{options.root}: no such directory; --root takes the project's")
    named = [path if path.is_absolute() else Path(os.path.normpath(path)) for path in options.files]
    if options.since is None:
        if not named:
            raise ConfigurationError("name at least one file or directory, or give --since REF")
        sources = find_sources(named)
    else:
        changed = changed_since(options.since, Path())
        chosen = [path for path in changed if kind_of(path) is not None and path.stat().st_size > 0]
        wanted = [path for path in chosen if not named or any(path.is_relative_to(one) for one in named)]
        sources = find_sources(wanted) if wanted else []
    if options.output == "apply":
        for source in sources:
            check_writable(source)
    return sources


def check_sarif(path: Path) -> None:
    """Raise `ConfigurationError` when no file can be made there."""
    if path.is_dir() or not path.parent.is_dir():
        why = "a directory" if path.is_dir() else "its directory does not exist"
        raise ConfigurationError(f"--sarif {path}: {why}; name a file")


# -- one file --------------------------------------------------------------------------------------


def _jobs(sources: Sequence[SourceFile], options: ImproveOptions) -> list[Job]:
    """Check tools, tests and paths for every file, before anything runs."""
    tests = options.tests
    if tests is not None and not tests.exists():
        raise ConfigurationError(f"{tests}: no such tests; --tests takes a file or a directory")
    executor = SandboxExecutor()
    refusal = executor.refusal() if tests is not None and not options.unsafe else None
    if refusal is not None:
        raise ConfigurationError(f"--tests: {refusal}")
    return [_job(source, options, executor) for source in sources]


def _job(source: SourceFile, options: ImproveOptions, executor: ToolExecutor) -> Job:
    tests = options.tests
    root = options.root or project_root([source.path, *([tests] if tests else [])])
    replaces = _below(source.path, root)
    language = kind_of(source.path) or "text"
    revisers: list[Reviser] = [TargetedReviser(root=root, replaces=replaces, executor=executor)]
    if language != "python":
        critic = TextCritiquer(language, layout=options.format and language == "markdown")
        return Job(source, critic, _chain(revisers, options), root, replaces, (language,))
    tools: list[Tool] = [tool_named("compile"), tool_named("ruff")]
    if options.format:
        tools.append(tool_named("ruff-format"))
    if tests is not None:
        judge = tool_named("pytest").with_arguments(_below(tests, root))
        tools.append(judge)
        revisers.append(
            MutationReviser(root=root, replaces=replaces, tests=judge, executor=executor, unsafe=options.unsafe)
        )
    critiquer = ToolCritiquer(tools, root=root, replaces=replaces, executor=executor, unsafe=options.unsafe)
    return Job(source, critiquer, _chain(revisers, options), root, replaces, tuple(tool.name for tool in tools))


def _chain(revisers: Sequence[Reviser], options: ImproveOptions) -> Reviser | None:
    """Return who mends: each is asked when those before it decline, the certain ones first, so a model comes last."""
    return None if options.output == "check" else ChainReviser(revisers)


def _below(path: Path, root: Path) -> str:
    """Return the path as the project knows it."""
    try:
        return Path(os.path.normpath(path.absolute())).relative_to(os.path.normpath(root.absolute())).as_posix()
    except ValueError:
        raise ConfigurationError(f"{path}: not below the project directory {root}; name another --root") from None


class _Crew:
    """One critiquer and one reviser for all files: each run's metadata names its file."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._jobs = {job.name: job for job in jobs}

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        return await self._jobs[context.metadata["file"]].critiquer.critique(candidate, context)

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate | str:
        reviser = self._jobs[context.metadata["file"]].reviser
        assert reviser is not None
        return await reviser.revise(candidate, critique, context)


# -- all files -------------------------------------------------------------------------------------


async def _improve(jobs: Sequence[Job], options: ImproveOptions, out: TextIO, err: TextIO) -> int:
    crew = _Crew(jobs)
    checks_only = options.output == "check"
    config = LoopConfig(
        max_iterations=1 if checks_only else options.max_iterations,
        policy="adaptive",
        accept="clean",
        severity_threshold=1.0,
        score_threshold=0.01,
        timeout_s=600.0,
        step_timeout_s=120.0,
    )
    view = _View(jobs, err)
    results: dict[str, ReflectionResult] = {}
    async with Pipeline(
        critiquer=crew,
        reviser=None if checks_only else crew,
        memory=None if checks_only else options.memory,
        config=config,
        name="improve",
        recall_by="critique",
    ) as pipeline:
        slots = asyncio.Semaphore(_AT_ONCE)

        async def one(job: Job) -> None:
            async with slots:
                if interrupted.is_set():
                    return
                prompt = f"improve {job.name}"
                metadata = {"file": job.name}
                stream = pipeline.stream(prompt, job.source.text, run_id=job.name, metadata=metadata)
                async with contextlib.aclosing(stream) as events:
                    async for event in events:
                        view.show(job, event)
                        if isinstance(event, RunStopped):
                            results[job.name] = event.result

        with view.live(), _interruptible(pipeline, jobs) as interrupted:
            async with asyncio.TaskGroup() as group:
                for job in jobs:
                    group.create_task(one(job))
    done = [(job, results[job.name]) for job in jobs if job.name in results]
    return report(done, options, out, err, interrupted=interrupted.is_set())


@contextlib.contextmanager
def _interruptible(pipeline: Pipeline, jobs: Sequence[Job]) -> Generator[asyncio.Event]:
    """Let Ctrl-C end the runs, which then report the best so far; a second one ends at once."""
    loop = asyncio.get_running_loop()
    interrupted = asyncio.Event()
    endings: set[asyncio.Task[None]] = set()

    def end() -> None:
        if interrupted.is_set():
            loop.remove_signal_handler(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            return
        interrupted.set()
        for job in jobs:
            task = loop.create_task(_cancel(pipeline, job.name))
            endings.add(task)
            task.add_done_callback(endings.discard)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end)
    try:
        yield interrupted
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


async def _cancel(pipeline: Pipeline, run_id: str) -> None:
    with contextlib.suppress(JidoError):  # it has not begun, or is over already
        await pipeline.cancel(run_id)


# -- while it runs ---------------------------------------------------------------------------------


@dataclass(slots=True)
class _Row:
    """What the live view knows of one file."""

    doing: str = "waiting"
    iterations: int = 0
    severity: float | None = None
    score: float | None = None
    gain: float | None = None
    issues: int | None = None


class _View:
    """Live progress on standard error: a table on a terminal, plain lines elsewhere."""

    def __init__(self, jobs: Sequence[Job], err: TextIO) -> None:
        self._console = Console(file=err, highlight=False)
        self._rows = {job.name: _Row() for job in jobs}
        self._live: Live | None = None

    @contextlib.contextmanager
    def live(self) -> Generator[None]:
        if not self._console.is_terminal:
            yield
            return
        with Live(console=self._console, get_renderable=self._table, refresh_per_second=8, transient=True) as live:
            self._live = live
            yield

    def show(self, job: Job, event: RunEvent) -> None:
        """Take one event of a run."""
        row = self._rows[job.name]
        line = self._change(job, row, event)
        if self._live is None and line:
            self._console.print(Text(f"{job.name}: {line}"), soft_wrap=True)

    def _change(self, job: Job, row: _Row, event: RunEvent) -> str | None:
        judging = f"judging with {', '.join(job.tools)}"
        match event:
            case RunStarted() | LessonsRetrieved(lessons=()):
                return None
            case CandidateGenerated() | Revised():
                row.doing = judging
                return None if isinstance(event, CandidateGenerated) else f"revised iteration {event.base}, {judging}"
            case LessonsRetrieved(lessons=lessons):
                return f"{len(lessons)} lessons of earlier runs apply"
            case Critiqued(iteration=iteration):
                row.doing, row.iterations = "revising", iteration.index + 1
                row.severity, row.score = iteration.critique.severity, score_of(iteration)
                row.gain, row.issues = iteration.gain, len(iteration.critique.issues)
                gain = "" if iteration.gain is None else f", gain {iteration.gain:+.2f}"
                return f"iteration {iteration.index}: severity {row.severity:.2f}, {row.issues} open issues{gain}"
            case ComponentRestarted(component=component, error=error):
                return f"{component} failed and was restarted: {error}"
            case RunStopped(result=result):
                row.doing = result.stop_reason.value
                return f"stopped: {result.stop_reason.value}"

    def _table(self) -> Table:
        table = Table(box=None, pad_edge=False, header_style="dim")
        for heading in ("file", "iteration", "severity", "open", "gain", ""):
            table.add_column(heading, justify="left" if heading in ("file", "") else "right")
        for name, row in self._rows.items():
            table.add_row(
                escape(name),
                str(row.iterations) if row.iterations else "",
                "" if row.severity is None else f"{row.severity:.2f}",
                "" if row.issues is None else str(row.issues),
                "" if row.gain is None else f"{row.gain:+.2f}",
                f"[dim]{escape(row.doing)}[/]",
            )
        return table
