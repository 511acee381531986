"""`jido improve`: tools criticise files, a reviser mends them, tools judge again, while it pays."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import json
import signal
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TextIO

from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from jido_ai.adapters.sandbox import SandboxExecutor
from jido_ai.adapters.source_files import SourceFile, find_sources, project_root, replace_file
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
from jido_ai.components.tool_critiquer import ToolCritiquer, tool_named
from jido_ai.components.tools import Tool
from jido_ai.errors import ConfigurationError, JidoError
from jido_ai.logic.convergence import score_of
from jido_ai.protocols import Reviser, RunContext
from jido_ai.values import (
    Candidate,
    CritiqueResult,
    Finding,
    Issue,
    LoopConfig,
    MemoryEntry,
    ReflectionResult,
    StopReason,
)

__all__ = ["ImproveOptions", "improve"]

Output = Literal["diff", "apply", "check"]
_AT_ONCE: Final = 2
_EXPLAINED: Final[Mapping[StopReason, str]] = {
    StopReason.ACCEPTED: "nothing is left to find",
    StopReason.CYCLE: "a revision came back to an earlier text",
    StopReason.REGRESSION: "revisions made it worse",
    StopReason.MINIMAL_CHANGE: "the last revision changed and gained too little",
    StopReason.SEVERITY_PLATEAU: "the worst finding stays",
    StopReason.SCORE_PLATEAU: "the score stands still",
    StopReason.NO_EXPECTED_GAIN: "going on would not pay",
    StopReason.DECLINED: "no reviser knows how to repair what is left",
    StopReason.MAX_ITERATIONS: "the limit of iterations is reached",
    StopReason.BUDGET: "the budget is used up",
    StopReason.DEADLINE: "the time is over",
    StopReason.CANCELLED: "it was interrupted",
    StopReason.ERROR: "a component failed",
}


@dataclass(frozen=True, slots=True)
class ImproveOptions:
    """What the command line said."""

    files: Sequence[Path]
    memory: Path
    tests: Path | None = None
    root: Path | None = None
    max_iterations: int = 5
    output: Output = "diff"
    format: bool = False
    as_json: bool = False
    unsafe: bool = False


def improve(options: ImproveOptions, out: TextIO, err: TextIO) -> int:
    """Do it; return the exit status: 0 nothing is left, 1 something is, 130 interrupted.

    Raises:
        JidoError: bad input, found before anything starts; or the memory or an executor refused.
    """
    sources = find_sources(options.files)
    jobs = _jobs(sources, options)
    return asyncio.run(_improve(jobs, options, out, err))


# -- one file --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Job:
    """One file, and who judges and mends it."""

    source: SourceFile
    critiquer: ToolCritiquer
    reviser: Reviser | None
    tools: tuple[str, ...]

    @property
    def name(self) -> str:
        return str(self.source.path)


def _jobs(sources: Sequence[SourceFile], options: ImproveOptions) -> list[_Job]:
    """Check tools, tests and paths for every file, before anything runs."""
    tests = options.tests
    if tests is not None and not tests.exists():
        raise ConfigurationError(f"{tests}: no such tests; --tests takes a file or a directory")
    executor = SandboxExecutor()
    refusal = executor.refusal() if tests is not None and not options.unsafe else None
    if refusal is not None:
        raise ConfigurationError(f"--tests: {refusal}")
    jobs: list[_Job] = []
    for source in sources:
        root = options.root or project_root([source.path, *([tests] if tests else [])])
        replaces = _below(source.path, root)
        tools: list[Tool] = [tool_named("compile"), tool_named("ruff")]
        if options.format:
            tools.append(tool_named("ruff-format"))
        revisers: list[Reviser] = []
        if options.output != "check":
            revisers.append(TargetedReviser(root=root, replaces=replaces, executor=executor))
        if tests is not None:
            tools.append(tool_named("pytest").with_arguments(_below(tests, root)))
        if tests is not None and revisers:
            judge = MutationReviser(
                root=root, replaces=replaces, tests=tools[-1], executor=executor, unsafe=options.unsafe
            )
            revisers.append(judge)
        critiquer = ToolCritiquer(tools, root=root, replaces=replaces, executor=executor, unsafe=options.unsafe)
        reviser = ChainReviser(revisers) if revisers else None
        jobs.append(_Job(source, critiquer, reviser, tuple(tool.name for tool in tools)))
    return jobs


def _below(path: Path, root: Path) -> str:
    """Return the path as the project knows it."""
    try:
        return path.absolute().relative_to(root.absolute()).as_posix()
    except ValueError:
        raise ConfigurationError(f"{path}: not below the project directory {root}; name another --root") from None


class _Crew:
    """One critiquer and one reviser for all files: each run's metadata names its file."""

    def __init__(self, jobs: Sequence[_Job]) -> None:
        self._jobs = {job.name: job for job in jobs}

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        return await self._jobs[context.metadata["file"]].critiquer.critique(candidate, context)

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate | str:
        reviser = self._jobs[context.metadata["file"]].reviser
        assert reviser is not None
        return await reviser.revise(candidate, critique, context)


# -- all files -------------------------------------------------------------------------------------


async def _improve(jobs: Sequence[_Job], options: ImproveOptions, out: TextIO, err: TextIO) -> int:
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

        async def one(job: _Job) -> None:
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
    return _report(done, options, out, err, interrupted=interrupted.is_set())


@contextlib.contextmanager
def _interruptible(pipeline: Pipeline, jobs: Sequence[_Job]) -> Generator[asyncio.Event]:
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

    def __init__(self, jobs: Sequence[_Job], err: TextIO) -> None:
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

    def show(self, job: _Job, event: RunEvent) -> None:
        """Take one event of a run."""
        row = self._rows[job.name]
        line = self._change(job, row, event)
        if self._live is None and line:
            self._console.print(Text(f"{job.name}: {line}"), soft_wrap=True)

    def _change(self, job: _Job, row: _Row, event: RunEvent) -> str | None:
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


# -- when it is over -------------------------------------------------------------------------------


def _report(
    done: Sequence[tuple[_Job, ReflectionResult]],
    options: ImproveOptions,
    out: TextIO,
    err: TextIO,
    *,
    interrupted: bool,
) -> int:
    """Write files, print what came of it, and return the exit status."""
    applied = options.output == "apply" and not interrupted
    written = [job.name for job, result in done if applied and _apply(job, result)]
    if options.as_json:
        out.write(json.dumps([_as_json(job, result, written) for job, result in done], indent=2) + "\n")
    else:
        console = Console(file=out, highlight=False)
        for job, result in done:
            _print(console, job, result, written, options)
    if interrupted:
        err.write("interrupted: what is shown is the best so far; no file was changed\n")
        return 130
    return 1 if any(_is_left(result) for _, result in done) else 0


def _is_left(result: ReflectionResult) -> bool:
    return bool(result.open_issues) or not result.accepted


def _apply(job: _Job, result: ReflectionResult) -> bool:
    best = result.best_candidate
    if best is None or best.content == job.source.text:
        return False
    try:
        replace_file(job.source, best.content)
    except OSError as error:
        raise JidoError(f"{job.name}: cannot be written: {error.strerror}; it was left as it is") from error
    return True


def _diff(job: _Job, result: ReflectionResult) -> str:
    best = result.best_candidate
    if best is None or best.content == job.source.text:
        return ""
    before, after = (text.splitlines(keepends=True) for text in (job.source.text, best.content))
    lines: list[str] = []
    for line in difflib.unified_diff(before, after, f"a/{job.name}", f"b/{job.name}"):
        lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(lines)


def _place(issue: Issue, job: _Job) -> str:
    """Return where, with the path as the user wrote it, so that terminals and editors can follow it."""
    place = issue.location
    if place is None:
        return job.name
    tail = ":".join(str(part) for part in (place.line, place.column) if part is not None)
    named = job.name if place.path is None or job.name.endswith(place.path) else place.path
    return f"{named}:{tail}" if tail else named


def _print(
    console: Console, job: _Job, result: ReflectionResult, written: Sequence[str], options: ImproveOptions
) -> None:
    def line(style: str, label: str, text: str) -> None:
        console.print(Text.assemble((f"  {label:<9}", style), text), soft_wrap=True)

    why = _EXPLAINED[result.stop_reason]
    count = f"{result.total_iterations} iteration{'s' if result.total_iterations != 1 else ''}"
    console.print(
        Text.assemble((job.name, "bold"), f": {result.stop_reason.value} after {count}: {why}"), soft_wrap=True
    )
    if result.iterations:
        first, best = result.iterations[0], _best(result)
        line(
            "dim",
            "score",
            f"{score_of(first):.2f} -> {score_of(best):.2f}, severity {first.critique.severity:.2f} -> "
            f"{best.critique.severity:.2f}, in {result.duration_s:.1f} s",
        )
    for finding in result.findings:
        _print_finding(line, finding, job)
    if result.error is not None:
        line("red", "error", f"{result.error.component or 'run'}: {result.error.kind}: {result.error.message}")
    for note in _notes(result):
        line("yellow", "note", note)
    for label, lessons in (("recalled", result.lessons_used), ("learnt", result.lessons_stored)):
        for lesson in lessons:
            line("cyan", label, _lesson(lesson))
    if job.name in written:
        line("green", "written", job.name)
    diff = _diff(job, result)
    if diff and options.output == "diff":
        if console.is_terminal:
            console.print(Syntax(diff, "diff", background_color="default"))
        else:
            console.file.write(diff)


def _print_finding(line: Callable[[str, str, str], None], finding: Finding, job: _Job) -> None:
    issue = finding.issue
    head, *more = issue.message.splitlines() or [""]
    rule = f"{issue.rule} " if issue.rule and not head.startswith(issue.rule) else ""
    style = "green" if finding.status == "fixed" else "red" if (issue.severity or 0.0) >= 0.7 else "yellow"
    line(style, "fixed" if finding.status == "fixed" else "left", f"{_place(issue, job)}: {rule}{head}")
    for text in more:
        line("", "", f"  {text}")


def _notes(result: ReflectionResult) -> list[str]:
    """Return what a reader must know of the edits in the best candidate: those that only the tests vouch for."""
    made = {one.candidate.id: one.candidate for one in result.iterations}
    found: list[str] = []
    candidate = result.best_candidate
    while candidate is not None:
        if candidate.metadata.get("vouched_by") == "tests" and candidate.reasoning:
            found.insert(0, candidate.reasoning)
        candidate = made.get(candidate.parent_id or "")
    return found


def _lesson(lesson: MemoryEntry) -> str:
    text = " ".join(f"{lesson.mistake} => {lesson.correction}".split())
    text = text if len(text) <= 100 else text[:99] + "…"
    return f"{text}  [{lesson.id}, helped {lesson.success_count} of {lesson.use_count}]"


def _best(result: ReflectionResult) -> Any:
    assert result.best_candidate is not None
    return next(one for one in result.iterations if one.candidate.id == result.best_candidate.id)


def _as_json(job: _Job, result: ReflectionResult, written: Sequence[str]) -> dict[str, Any]:
    def issue(one: Issue) -> dict[str, Any]:
        return {**one.model_dump(mode="json", exclude_none=True), "at": _place(one, job)}

    first = result.iterations[0] if result.iterations else None
    best = _best(result) if result.best_candidate is not None else None
    return {
        "file": job.name,
        "stop_reason": result.stop_reason.value,
        "iterations": result.total_iterations,
        "severity": None if first is None or best is None else [first.critique.severity, best.critique.severity],
        "score": None if first is None or best is None else [score_of(first), score_of(best)],
        "fixed": [issue(finding.issue) for finding in result.findings if finding.status == "fixed"],
        "left": [issue(one) for one in result.open_issues],
        "lessons_used": [lesson.id for lesson in result.lessons_used],
        "lessons_stored": [lesson.id for lesson in result.lessons_stored],
        "notes": _notes(result),
        "error": None if result.error is None else result.error.model_dump(mode="json"),
        "diff": _diff(job, result),
        "written": job.name in written,
        "duration_s": round(result.duration_s, 3),
    }
