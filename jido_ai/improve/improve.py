"""`jido improve`: tools criticise files, a reviser fixes them, tools judge again, while it pays.

Nothing that worked before is broken: edits that may change what a program does are held back, and all changes together
are checked against the project as it was before anything is written (`gate.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, cast

from jido_ai.critics.findings import gone_issues
from jido_ai.errors import ConfigurationError, ToolError
from jido_ai.files.relative_path import relative_path
from jido_ai.improve.baseline import baseline_of
from jido_ai.improve.batches import BatchingExecutor
from jido_ai.improve.gate import Change, Gate, GateVerdict, interpreter_for
from jido_ai.improve.git_changes import changed_rows, tracked_files
from jido_ai.improve.jobs import (
    Baseline,
    make_job,
    ruff_findings,
    run_baseline,
    text_without,
)
from jido_ai.improve.only_new import ChangedLines, OnlyNew
from jido_ai.improve.outcome import FileJob, Improved, ImproveOptions, Output, TestsOutcome
from jido_ai.improve.project import Project, below, place_in, project_scope
from jido_ai.improve.project_files import ProjectFiles
from jido_ai.improve.repair.repairs import TestRepairs
from jido_ai.improve.repair_lessons import repair_lessons
from jido_ai.improve.report import ImproveReport, reference, report
from jido_ai.improve.screening import Prepared, Roots, left_alone, nothing_to_do, prepare
from jido_ai.improve.source_files import (
    Found,
    ProjectSource,
    kind_of,
)
from jido_ai.loop.books import Books
from jido_ai.loop.events import RunEvent, RunStopped
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.record import RecordedRun
from jido_ai.loop.settings import load_settings
from jido_ai.protocols import LanguageModel, RunContext
from jido_ai.revisers.halving import unit_name
from jido_ai.telemetry import TelemetryEvent
from jido_ai.tools.ready import PYTEST
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.values import Candidate, CritiqueResult, Issue, LoopConfig, MemoryEntry, ReflectionResult, Scope

_AT_ONCE: Final = 2
"""Files at work at the same time, when each takes processes or models of its own."""
_AT_ONCE_IN_BATCHES: Final = 500
"""The same for files whose tools run in batches: the more, the fewer batches."""
_NOT_OF_THE_FILE: Final = frozenset({"cannot-run", "timeout"})
"""Kinds of findings about a tool: when they are gone, nothing was fixed."""

Interruptible = Callable[[Pipeline, Iterable[str]], AbstractContextManager[asyncio.Event]]
"""A `with` block in which an interruption cancels the runs with these ids and sets the event."""


class FixProgress(Protocol):
    """Receives the progress of `improve`."""

    def begin(self, names: Mapping[str, str]) -> None:
        """Receive the names of all files, each with what it waits for while it is judged."""
        ...

    def note(self, text: str) -> None:
        """Receive a step that concerns all files."""
        ...

    def show(self, name: str, event: RunEvent) -> None:
        """Receive an event of a file's run."""
        ...

    def waits(self, event: TelemetryEvent) -> None:
        """Receive an event of a model, such as a wait."""
        ...

    def live(self) -> AbstractContextManager[None]:
        """Return a `with` block around the work."""
        ...


async def improve(
    options: ImproveOptions,
    progress: FixProgress,
    interruptible: Interruptible,
    recorded: RecordedRun | None = None,
    prepared: Prepared | None = None,
) -> ImproveReport:
    """Improve the files; the status of the report is 0 if no issues are left.

    1 stands for remaining issues, 2 for a file that could not be written, 130 for an interruption.

    Args:
        recorded: a run of the journal, about the one file, to resume instead of beginning a new one.
        prepared: what `prepare` returned for these options; None: it is called here.

    Raises:
        JidoError: bad input, found before anything starts; or the memory or an executor refused.
    """
    config = _config(options)
    asked = _asked(replace(options, max_iterations=config.max_iterations))
    books = Books(options.memory, options.settings, "improve")
    options = replace(options, model=books.model(options.model), critic=books.model(options.critic))
    ready = prepared or await prepare(options, is_resumed=recorded is not None)
    found = ready.found
    if not found.sources:
        return nothing_to_do(ready, options)
    work = _Work(options, found, ready.roots)
    if recorded is not None:
        (source,) = found.sources
        if recorded.initial is None or source.text != recorded.initial.content:
            raise ConfigurationError(f"{source.path} has changed since the run began; run `jido improve` again instead")
    return await _improve(work, progress, interruptible, config=config, books=books, asked=asked, recorded=recorded)


def resumed_options(
    recorded: RecordedRun, memory: Path | str, *, output: Output, as_json: bool = False
) -> ImproveOptions:
    """Return the options that `improve` needs to resume a recorded run of its own.

    Raises:
        ConfigurationError: the run began in another directory, or without the command `jido improve`.
    """
    metadata = recorded.metadata
    try:
        file, directory, given = str(metadata["file"]), str(metadata["directory"]), dict(metadata["options"])
        options = ImproveOptions(
            files=[Path(file)],
            memory=memory,
            tests=_path(given.get("tests")),
            root=_path(given.get("root")),
            max_iterations=int(given["max_iterations"]),
            output=output,
            format=bool(given["format"]),
            as_json=as_json,
            unsafe=bool(given["unsafe"]),
            unsafe_fixes=bool(given.get("unsafe_fixes", False)),
            select=_name(given.get("select")),
            ignore=tuple(map(str, given.get("ignore", ()))),
            model=_name(given.get("model")),
            critic=_name(given.get("critic")),
            settings=load_settings(),
        )
    except ConfigurationError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigurationError(f"run {recorded.run_id!r} does not say how it was started: {error!r}") from error
    if directory != str(Path.cwd()):
        raise ConfigurationError(f"run {recorded.run_id!r} was started in {directory}; go there first")
    return options


def _path(value: object) -> Path | None:
    return None if value is None else Path(str(value))


def _name(value: object) -> str | None:
    return None if value is None else str(value)


def _asked(options: ImproveOptions) -> dict[str, object]:
    """Return the settings needed to resume a run, as JSON; of models only the names."""
    asked: dict[str, object] = {
        name: getattr(options, name) for name in ("max_iterations", "format", "unsafe", "unsafe_fixes")
    }
    asked |= {"select": options.select} if options.select is not None else {}
    asked |= {"ignore": list(options.ignore)} if options.ignore else {}
    asked |= {name: str(path) for name in ("tests", "root") if (path := getattr(options, name)) is not None}
    return asked | {name: value for name in ("model", "critic") if isinstance(value := getattr(options, name), str)}


# -- the files of a call -----------------------------------------------------------------------------


class _Work:
    """The files of a call, by project.

    Raises:
        ConfigurationError: a file leads out of its project, or tests cannot be held by a sandbox.
    """

    def __init__(self, options: ImproveOptions, found: Found, roots: Roots) -> None:
        self.options = options
        self.clean = [str(path) for path in found.clean]
        self.left_alone = left_alone(found)
        self._named = found.named
        self._executor = SandboxExecutor()
        self.tools = BatchingExecutor(self._executor)
        refusal = self._executor.refusal() if options.tests is not None and not options.unsafe else None
        if refusal is not None:
            raise ConfigurationError(f"--tests: {refusal}")
        self._by_root: dict[Path, dict[str, ProjectSource]] = {}
        for source in found.sources:
            root = roots.of(source.path)
            place = relative_path(place_in(root, source.path))
            self._by_root.setdefault(root, {}).setdefault(place, source)
            if options.tests is not None:
                below(options.tests, root)
        self.filters: list[OnlyNew] = []
        self._tools: dict[Path, BatchingExecutor] = {}
        self.projects: dict[Path, Project] = {}
        self.baselines: dict[Path, Baseline] = {}
        self.repairs: list[TestRepairs] = []
        self.lessons: list[MemoryEntry] = []

    async def read(self) -> None:
        """Read the projects, and drop the files that should be left alone."""
        for root, sources in self._by_root.items():
            files = await asyncio.to_thread(ProjectFiles.read, root)
            project = self.projects[root] = Project(files, self.options)
            for path, source in list(sources.items()):
                if source.path.absolute() in self._named:
                    continue
                why = project.reason_left_alone(path, source.text, self._chosen(root, source.path))
                if why is not None:
                    del sources[path]
                    self.left_alone.append((str(source.path), why))

    def _chosen(self, root: Path, path: Path) -> int:
        """Return how many of the folders between the project and a file are in a directory that the user named."""
        whole, top = path.absolute(), root.absolute()
        given = (one.absolute() for one in self.options.files if one.is_dir())
        folders = [one for one in given if whole.is_relative_to(one) and one.is_relative_to(top)]
        return max((len(Path(below(one, root)).parts) for one in folders), default=0)

    def tools_of(self, root: Path) -> BatchingExecutor:
        """Return the executor of a project, which runs its tests with its own Python."""
        if root not in self._tools:
            own = self._executor_of(root)
            self._tools[root] = self.tools if own is self._executor else BatchingExecutor(own)
        return self._tools[root]

    def _executor_of(self, root: Path) -> SandboxExecutor:
        """Return the sandbox that runs a project's tests with its own Python."""
        tests = self.projects[root].tests if self.options.tests is not None else None
        return self._executor if tests is None or tests.python is None else tests.executor()

    async def test(self) -> None:
        """Run the tests on the projects as they are."""
        tests = self.options.tests
        for root, sources in self._by_root.items():
            if tests is not None and sources:
                place = below(tests, root)
                baseline = await run_baseline(self.projects[root], sources, place, self.tools_of(root))
                self.baselines[root] = baseline

    def ended(self, done: Sequence[Improved]) -> TestsOutcome:
        """Return how the tests ended: a test that one file's edits repaired fails in the runs of the others still."""
        before = [issue for baseline in self.baselines.values() for issue in baseline.failing]
        repaired = {issue.rule for one in done for issue in one.tests_fixed}
        repaired |= {test for found in self.repairs for one in found.repairs if one.is_sure for test in one.fixed}
        known = {issue.rule for issue in before}
        lost = {issue.rule: issue for one in done for issue in one.tests_left if issue.rule not in known}
        baselines = self.baselines.items()
        return TestsOutcome(
            failing=(*(issue for issue in before if issue.rule not in repaired), *lost.values()),
            fixed=tuple(issue for issue in before if issue.rule in repaired),
            problems=tuple(one.problem for _, one in baselines if one.problem is not None),
            unreached=tuple(test for _, one in baselines for test in one.unreached),
            repairs=tuple(self.repairs),
        )

    def notes(self) -> list[str]:
        """Return notes about the Python that ran the tests."""
        notes = (project.python[1] for project in self.projects.values() if self.options.tests is not None)
        return [note for note in notes if note is not None]

    async def with_findings(self, one: Improved) -> Improved:
        """Return the outcome with ruff's findings in the file as it will be on disk."""
        text = one.text if self.options.output == "apply" else one.job.source.text
        found = await ruff_findings(self.projects[one.job.root], one.job, self.tools_of(one.job.root), text)
        return replace(one, diagnostics=found)

    def jobs(self) -> list[FileJob]:
        """Return a job for each file, which judges only what is new if that was asked for."""
        options = self.options
        wants_lines = (options.lines or ("changed" if options.since is not None else "all")) == "changed"
        changed = changed_rows(options.since or "HEAD", Path()) if wants_lines else {}
        tracked = tracked_files(Path()) if wants_lines else frozenset[Path]()
        known = {} if options.baseline is None else baseline_of(options.baseline)
        if not wants_lines and options.baseline is None:
            return self._jobs()
        jobs: list[FileJob] = []
        for job in self._jobs():
            place = job.source.path.resolve()
            lines = None
            if place in changed or (wants_lines and place in tracked):
                lines = ChangedLines(job.source.text.removeprefix("\ufeff"), changed.get(place, frozenset()))
            new = OnlyNew(job.critiquer, lines, known.get(reference(job), {}))
            self.filters.append(new)
            jobs.append(replace(job, critiquer=new))
        return jobs

    def _jobs(self) -> list[FileJob]:
        return [
            make_job(
                self.projects[root],
                source,
                path,
                self.tools_of(root),
                is_named=source.path.absolute() in self._named,
                baseline=self.baselines.get(root),
                is_judged_by_tests=path in self._tested(root),
            )
            for root, sources in self._by_root.items()
            for path, source in sources.items()
        ]

    def _tested(self, root: Path) -> set[str]:
        """Return the files whose every version is tested: with a model all, else none; the gate tests them together."""
        is_revised = root in self.baselines and self.options.model is not None
        return {path for path, one in self._by_root[root].items() if is_revised and kind_of(one.path) == "python"}

    async def repair(self, runs: Sequence[_Outcome], progress: FixProgress) -> None:
        """Repair the failing tests in the files as they will be written, by edits that are sure."""
        for root, baseline in self.baselines.items():
            if baseline.problem is not None or not baseline.failing:
                continue
            mine = {run.job.replaces: run for run in runs if run.job.root == root}
            found = await self._searched(root, baseline, mine, progress)
            self.repairs.append(found)
            self.lessons.extend(repair_lessons(found, self.options.scope or project_scope(root)))
            for path, text in found.texts.items():
                mine[path].held = text

    async def _searched(
        self, root: Path, baseline: Baseline, mine: Mapping[str, _Outcome], progress: FixProgress
    ) -> TestRepairs:
        from jido_ai.improve.repair.project_repair import ProjectRepair  # noqa: PLC0415 - loaded where tests fail

        search = ProjectRepair(
            root,
            tests=baseline.tool,
            executor=self._executor_of(root),
            texts={path: run.text for path, run in mine.items() if run.is_changed},
            files=[path for path, run in mine.items() if kind_of(run.job.source.path) == "python"],
            unsafe=self.options.unsafe,
            tell=progress.note,
        )
        try:
            return await search.run()
        except ToolError as error:
            return TestRepairs(why=str(error))

    def gate(self, root: Path, interpreter: tuple[str, Path] | None, progress: FixProgress) -> Gate:
        """Return the gate that checks all changes of a project together."""
        options, baseline = self.options, self.baselines.get(root)
        executor = self.projects[root].tests.executor(() if interpreter is None else (interpreter[1],))
        return Gate(
            self.projects[root].files,
            executor,
            tests=None if baseline is None else baseline.tool.in_project(root, next(iter(self._by_root[root]))),
            outcomes=None if baseline is None else baseline.outcomes,
            interpreter=None if interpreter is None else interpreter[0],
            keeps_names=not options.unsafe_fixes,
            unsafe=options.unsafe,
            tell=progress.note,
        )


class _Crew:
    """One critiquer and one reviser for all files: each run's metadata names its file."""

    def __init__(self, jobs: Sequence[FileJob]) -> None:
        self._jobs = {job.name: job for job in jobs}

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        return await self._jobs[context.metadata["file"]].critiquer.critique(candidate, context)

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate | str:
        reviser = self._jobs[context.metadata["file"]].reviser
        assert reviser is not None
        return await reviser.revise(candidate, critique, context)


# -- all files -------------------------------------------------------------------------------------


def _config(options: ImproveOptions) -> LoopConfig:
    """Return how a run goes."""
    usual = {
        "max_iterations": 5,
        "policy": "adaptive",
        "accept": "clean",
        "severity_threshold": 1.0,
        "score_threshold": 0.01,
        "timeout_s": max(600.0, 10.0 * (options.test_timeout_s or 0.0)),
        "step_timeout_s": max(120.0, 2.0 * (options.test_timeout_s or 0.0)),
    }
    limit = 1 if options.output == "check" else options.max_iterations
    return options.settings.loop_config("improve", usual=usual, max_iterations=limit)


async def _improve(
    work: _Work,
    progress: FixProgress,
    interruptible: Interruptible,
    *,
    config: LoopConfig,
    books: Books,
    asked: Mapping[str, object],
    recorded: RecordedRun | None,
) -> ImproveReport:
    options = work.options
    checks_only = options.output == "check"
    await work.read()
    unchecked: tuple[str, ...] = ()
    async with contextlib.AsyncExitStack() as stack:
        if not checks_only or options.critic is not None:
            await stack.enter_async_context(books)
        books.sink = progress.waits
        with progress.live():
            if options.tests is not None:
                progress.note("running the tests on the project as it is")
                await work.test()
            jobs = work.jobs()
            if recorded is not None:
                jobs = [replace(job, run_id=recorded.run_id) for job in jobs]
            progress.begin({job.name: f"judging with {', '.join(job.tools)}" for job in jobs})
            crew = _Crew(jobs)
            model = cast("LanguageModel | None", options.model)
            learning: dict[str, Any] = {} if checks_only else books.pipeline_options(model)
            pipeline = Pipeline(
                critiquer=crew,
                reviser=None if checks_only else crew,
                config=config,
                name="improve",
                recall_by="critique",
                **learning,
            )
            await stack.enter_async_context(pipeline)
            with interruptible(pipeline, [job.run_id for job in jobs]) as interrupted:
                results = await _run_all(
                    pipeline, jobs, progress, interrupted, asked=asked, recorded=recorded, scope=options.scope
                )
                runs = [_Outcome(job, results[job.name]) for job in jobs if job.name in results]
                if not checks_only:
                    unchecked = await _until(interrupted, _hold(work, runs, config, progress))
                    await books.remember(work.lessons)
                done = [await run.improved() for run in runs]
                if options.sarif is not None:
                    done = [await work.with_findings(one) for one in done]
        warnings = await books.warnings() if books.memory.is_open else ()
    result = report(
        done,
        options,
        interrupted=interrupted.is_set(),
        skipped=work.left_alone,
        unchecked=(*work.notes(), *unchecked),
        tests=work.ended(done),
        clean=work.clean,
        known=sum(one.left_out for one in work.filters),
    )
    return replace(result, messages=(*warnings, *result.messages))


async def _until(interrupted: asyncio.Event, holding: Coroutine[Any, Any, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the checks that could not be made; an interruption ends the check, and nothing will be written."""
    task, stop = asyncio.ensure_future(holding), asyncio.ensure_future(interrupted.wait())
    try:
        await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else ()
    finally:
        stop.cancel()
        task.cancel()
        await asyncio.wait({task, stop})


async def _hold(work: _Work, runs: Sequence[_Outcome], config: LoopConfig, progress: FixProgress) -> tuple[str, ...]:
    """Revert edits that break something, and return the checks that could not be made."""
    unchecked: list[str] = []
    for root in {run.job.root: None for run in runs if run.is_changed}:
        changed = {run.job.replaces: run for run in runs if run.job.root == root and run.is_changed}
        interpreter = await asyncio.to_thread(interpreter_for, work.projects[root].minimum)
        gate = work.gate(root, interpreter, progress)
        verdict = await gate.hold([run.change(config.max_iterations) for run in changed.values()])
        unchecked += verdict.unchecked
        for path, run in changed.items():
            run.take(path, verdict)
    await work.repair(runs, progress)
    return tuple(dict.fromkeys(unchecked))


# -- the outcome for a file --------------------------------------------------------------------------


@dataclass(slots=True)
class _Outcome:
    """A finished run, and the part of its change that is kept."""

    job: FileJob
    result: ReflectionResult
    taken_back: dict[str | None, str] = field(default_factory=dict[str | None, str])
    held: str | None = None

    @property
    def text(self) -> str:
        """The new text of the file: the best one that was judged, however the run ended."""
        best = self.result.best_candidate
        if best is None:
            return self.job.source.text
        return best.content if self.held is None else self.held

    @property
    def is_changed(self) -> bool:
        """True when there is something to write."""
        return self.text != self.job.source.text

    def change(self, most: int) -> Change:
        """Return the change that the gate checks."""
        units = self._units()
        rebuild = partial(text_without, self.job, most=most) if len(units) > 1 else None
        return Change(self.job.replaces, self.job.source.text, self.text, units if rebuild else (), rebuild)

    def _units(self) -> tuple[str, ...]:
        """Return the separable edits; none unless the targeted reviser made all of them."""
        if self.job.targeted is None:
            return ()
        made = {one.candidate.id: one.candidate for one in self.result.iterations}
        units: list[str] = []
        candidate = self.result.best_candidate
        while candidate is not None and candidate.parent_id in made:
            edits = candidate.metadata.get("edits")
            if candidate.metadata.get("reviser") != self.job.targeted.name or not isinstance(edits, list | tuple):
                return ()
            units = [*map(str, cast("Sequence[object]", edits)), *units]
            candidate = made.get(candidate.parent_id or "")
        return tuple(dict.fromkeys(units))

    def take(self, path: str, verdict: GateVerdict) -> None:
        """Keep the part of the change that passed the gate."""
        self.taken_back = {unit: why for (one, unit), why in verdict.taken_back.items() if one == path}
        if self.taken_back:
            self.held = verdict.texts.get(path, self.job.source.text)

    async def improved(self) -> Improved:
        """Return the outcome for the report, after a critique of the text that is kept."""
        result, text = self.result, self.text
        if not result.iterations:
            return Improved(self.job, result, text, ())
        first = result.iterations[0].critique
        critique = await self._critique(text)
        held = self.job.policy.held_back if self.job.policy else {}
        left = tuple(issue for issue in critique.issues if not _is_of_tests(issue))
        why = {issue: reason for issue in left if (reason := self._why(text, issue, held)) is not None}
        back = [f"{unit or 'all edits'}: {why}" for unit, why in self.taken_back.items()]
        gone = [issue for issue in gone_issues(first, critique) if issue.kind not in _NOT_OF_THE_FILE]
        return Improved(
            self.job,
            result,
            text,
            left,
            tuple(issue for issue in gone if not _is_of_tests(issue)),
            why,
            tuple(back),
            trouble=tuple(map(str, critique.metadata.get("failed", ()))),
            tests_fixed=tuple(issue for issue in gone if _is_of_tests(issue)),
            tests_left=tuple(issue for issue in critique.issues if _is_of_tests(issue)),
        )

    async def _critique(self, text: str) -> CritiqueResult:
        known = {one.candidate.content: one.critique for one in self.result.iterations}
        if text in known:
            return known[text]
        context = RunContext(run_id=self.job.run_id, prompt=f"improve {self.job.name}")
        return await self.job.critiquer.critique(Candidate(text), context)

    def _why(self, text: str, issue: Issue, held: Mapping[str, str]) -> str | None:
        """Return why a finding is left; None if no edit for it was held back or reverted."""
        row = issue.location.line if issue.location else None
        unit = unit_name(text.removeprefix("\ufeff"), issue.rule or "", issue.message, row or 1)
        if unit in self.taken_back:
            return f"reverted: {self.taken_back[unit]}"
        refused = {} if self.job.targeted is None else self.job.targeted.refused
        return held.get(unit) or refused.get(unit)


def _is_of_tests(issue: Issue) -> bool:
    """Tell whether a finding is of the project's tests, and so of no single file."""
    return issue.source == f"tool:{PYTEST.name}"


# -- all runs ----------------------------------------------------------------------------------------


async def _run_all(
    pipeline: Pipeline,
    jobs: Sequence[FileJob],
    progress: FixProgress,
    interrupted: asyncio.Event,
    *,
    asked: Mapping[str, object],
    recorded: RecordedRun | None,
    scope: Scope | None,
) -> dict[str, ReflectionResult]:
    """Run the jobs, some at a time, and return the results of those that were begun, by name.

    Each runs in `scope`; None is the scope of its project.
    """
    results: dict[str, ReflectionResult] = {}
    many, few = asyncio.Semaphore(_AT_ONCE_IN_BATCHES), asyncio.Semaphore(_AT_ONCE)

    async def run(job: FileJob) -> None:
        async with many if job.runs_in_batches else few:
            if interrupted.is_set():
                return
            if recorded is None:
                stream = pipeline.stream(
                    f"improve {job.name}",
                    job.source.text,
                    run_id=job.run_id,
                    scope=scope or project_scope(job.root),
                    metadata=_metadata(job, asked),
                )
            else:
                stream = pipeline.stream_resumed(recorded.run_id, recorded.scope)
            async with contextlib.aclosing(stream) as events:
                async for event in events:
                    progress.show(job.name, event)
                    if isinstance(event, RunStopped):
                        results[job.name] = event.result

    async with asyncio.TaskGroup() as group:
        for job in jobs:
            group.create_task(run(job))
    return results


def _metadata(job: FileJob, asked: Mapping[str, object]) -> dict[str, object]:
    """Return the metadata of a run in the journal, which `resumed_options` reads."""
    return {
        "command": "improve",
        "task_type": "improve",
        "asked": "",  # the findings say it all
        "file": job.name,
        "directory": str(Path.cwd()),
        "options": asked,
    }
