"""`jido improve`: tools criticise files, a reviser mends them, tools judge again, while it pays."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TextIO, cast

from jido_ai.adapters.cli_books import Books
from jido_ai.adapters.cli_live import LiveView, interruptible
from jido_ai.adapters.git_changes import changed_since
from jido_ai.adapters.improve_report import ImproveOptions, Job, Output, report, write_sarif
from jido_ai.adapters.sandbox import SandboxExecutor
from jido_ai.adapters.settings import load_settings
from jido_ai.adapters.source_files import (
    SourceFile,
    check_place,
    check_writable,
    find_sources,
    is_blank,
    kind_of,
    project_root,
)
from jido_ai.components.chain_reviser import ChainReviser
from jido_ai.components.llm_critiquer import LLMCritiquer
from jido_ai.components.llm_reviser import LLMReviser
from jido_ai.components.mutation_reviser import MutationReviser
from jido_ai.components.panel import PanelCritiquer
from jido_ai.components.pipeline import Pipeline
from jido_ai.components.run_events import RunStopped
from jido_ai.components.targeted_reviser import TargetedReviser
from jido_ai.components.text_critiquer import TextCritiquer
from jido_ai.components.tool_critiquer import ToolCritiquer, tool_named
from jido_ai.components.tools import Tool
from jido_ai.errors import ConfigurationError
from jido_ai.logic.run_record import RecordedRun
from jido_ai.protocols import LanguageModel, Reviser, RunContext, ToolExecutor
from jido_ai.values import Candidate, CritiqueResult, LoopConfig, ReflectionResult

__all__ = ["ImproveOptions", "improve", "resume_improve"]

_AT_ONCE: Final = 2
_MODEL_S: Final = 110.0
_LONGEST_FOR_MODEL: Final = 60_000


def improve(options: ImproveOptions, out: TextIO, err: TextIO, recorded: RecordedRun | None = None) -> int:
    """Do it; return the exit status: 0 nothing is left, 1 something is, 2 a file could not be written, 130 interrupted.

    Args:
        recorded: go on with this run of the journal, which is about the one file, instead of beginning one.

    Raises:
        JidoError: bad input, found before anything starts; or the memory or an executor refused.
    """
    config = _config(options)
    asked = _asked(replace(options, max_iterations=config.max_iterations))
    books = Books(options.memory, options.settings, "improve")
    options = replace(options, model=books.model(options.model), critic=books.model(options.critic))
    sources = _sources(options)
    if not sources:  # only --since can find none
        err.write(f"nothing to do: no file of a known kind has changed since {options.since}\n")
        if options.as_json:
            out.write("[]\n")
        if options.sarif is not None:
            write_sarif(options.sarif, ())
        return 0
    jobs = _jobs(sources, options)
    if recorded is not None:
        (job,) = jobs
        if recorded.initial is None or job.source.text != recorded.initial.content:
            raise ConfigurationError(f"{job.name} has changed since the run began; `jido improve` begins anew")
        jobs = [replace(job, run_id=recorded.run_id)]
    return asyncio.run(_improve(jobs, options, out, err, config=config, books=books, asked=asked, recorded=recorded))


def resume_improve(
    recorded: RecordedRun, memory: Path | str, out: TextIO, err: TextIO, *, output: Output, as_json: bool
) -> int:
    """Go on with a run that `improve` began; returns its exit status.

    Raises:
        ConfigurationError: the file has changed, the command was called elsewhere, or by a program.
    """
    told = recorded.metadata
    try:
        file, directory, given = str(told["file"]), str(told["directory"]), dict(told["options"])
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
            model=_name(given.get("model")),
            critic=_name(given.get("critic")),
            settings=load_settings(),
        )
    except ConfigurationError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigurationError(f"run {recorded.run_id!r} does not say how it was begun: {error!r}") from error
    if directory != str(Path.cwd()):
        raise ConfigurationError(f"run {recorded.run_id!r} was begun in {directory}; go there first")
    return improve(options, out, err, recorded)


def _path(value: object) -> Path | None:
    return None if value is None else Path(str(value))


def _name(value: object) -> str | None:
    return None if value is None else str(value)


def _asked(options: ImproveOptions) -> dict[str, object]:
    """Return what a run must be told to be gone on with: JSON, and the names of models only."""
    asked: dict[str, object] = {name: getattr(options, name) for name in ("max_iterations", "format", "unsafe")}
    asked |= {name: str(path) for name in ("tests", "root") if (path := getattr(options, name)) is not None}
    return asked | {name: value for name in ("model", "critic") if isinstance(value := getattr(options, name), str)}


def _sources(options: ImproveOptions) -> list[SourceFile]:
    """Return the files to improve; all that a user wrote is looked at before any of it is opened."""
    for path in (*options.files, *((options.tests,) if options.tests else ())):
        check_place(path, options.root)
    if options.sarif is not None:
        _check_sarif(options.sarif)
    if options.root is not None and not options.root.is_dir():
        raise ConfigurationError(f"{options.root}: no such directory; --root takes the project's")
    named = [path if path.is_absolute() else Path(os.path.normpath(path)) for path in options.files]
    if options.since is None:
        if not named:
            raise ConfigurationError("name at least one file or directory, or give --since REF")
        sources = find_sources(named)
    else:
        changed = changed_since(options.since, Path())
        chosen = [path for path in changed if kind_of(path) is not None and not is_blank(path)]
        wanted = [path for path in chosen if not named or any(path.is_relative_to(one) for one in named)]
        sources = find_sources(wanted) if wanted else []
    if options.output == "apply":
        for source in sources:
            check_writable(source)
    return sources


def _check_sarif(path: Path) -> None:
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
    replaces = _place_in(root, source.path)
    language = kind_of(source.path) or "text"
    revisers: list[Reviser] = [TargetedReviser(root=root, replaces=replaces, executor=executor)]
    if language != "python":
        critic = TextCritiquer(language, layout=options.format and language == "markdown")
        return _with_critic(Job(source, critic, _chain(revisers, options), root, replaces, (language,)), options)
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
    names = tuple(tool.name for tool in tools)
    return _with_critic(Job(source, critiquer, _chain(revisers, options), root, replaces, names), options)


def _chain(revisers: Sequence[Reviser], options: ImproveOptions) -> Reviser | None:
    """Return who mends: each is asked when those before it decline, the certain ones first, so a model comes last."""
    if options.model is not None:
        revisers = [*revisers, LLMReviser(options.model, timeout_s=_MODEL_S, max_chars=_LONGEST_FOR_MODEL)]
    return None if options.output == "check" else ChainReviser(revisers)


def _with_critic(job: Job, options: ImproveOptions) -> Job:
    """Return the job with a model among those who judge, when one was asked for."""
    if options.critic is None:
        return job
    domain = "code" if kind_of(job.source.path) == "python" else "writing"
    model = LLMCritiquer(
        options.critic,
        domain,
        criteria=options.settings.criteria,
        timeout_s=_MODEL_S,
        max_chars=_LONGEST_FOR_MODEL,
    )
    return replace(job, critiquer=PanelCritiquer([job.critiquer, model]), tools=(*job.tools, model.name))


def _below(path: Path, root: Path) -> str:
    """Return the path as the project knows it."""
    try:
        return Path(os.path.normpath(path.absolute())).relative_to(os.path.normpath(root.absolute())).as_posix()
    except ValueError:
        raise ConfigurationError(f"{path}: not below the project directory {root}; name another --root") from None


def _place_in(root: Path, path: Path) -> str:
    """Return where the text of a file lies in the project: of a link, where it leads to."""
    named, real = _below(path, root), path.resolve()
    if real == root.resolve() / named:
        return named
    if not real.is_relative_to(root.resolve()):
        raise ConfigurationError(f"{path}: leads out of the project {root} through a link, to {real}; name that file")
    return _below(real, root.resolve())


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


def _config(options: ImproveOptions) -> LoopConfig:
    """Return how a run goes."""
    usual = {
        "max_iterations": 5,
        "policy": "adaptive",
        "accept": "clean",
        "severity_threshold": 1.0,
        "score_threshold": 0.01,
        "timeout_s": 600.0,
        "step_timeout_s": 120.0,
    }
    limit = 1 if options.output == "check" else options.max_iterations
    return options.settings.loop_config("improve", usual=usual, max_iterations=limit)


async def _improve(
    jobs: Sequence[Job],
    options: ImproveOptions,
    out: TextIO,
    err: TextIO,
    *,
    config: LoopConfig,
    books: Books,
    asked: Mapping[str, object],
    recorded: RecordedRun | None,
) -> int:
    crew = _Crew(jobs)
    checks_only = options.output == "check"
    view = LiveView({job.name: f"judging with {', '.join(job.tools)}" for job in jobs}, err)
    async with contextlib.AsyncExitStack() as stack:
        if not checks_only or options.critic is not None:
            await stack.enter_async_context(books)
        pipeline = Pipeline(
            critiquer=crew,
            reviser=None if checks_only else crew,
            config=config,
            name="improve",
            recall_by="critique",
            **({} if checks_only else books.pipeline_options(cast("LanguageModel | None", options.model))),
        )
        await stack.enter_async_context(pipeline)
        with view.live(), interruptible(pipeline, [job.run_id for job in jobs]) as interrupted:
            results = await _run_all(pipeline, jobs, view, interrupted, asked=asked, recorded=recorded)
        warnings = await books.warnings() if books.memory.is_open else ()
    for warning in warnings:
        err.write(f"{warning}\n")
    done = [(job, results[job.name]) for job in jobs if job.name in results]
    return report(done, options, out, err, interrupted=interrupted.is_set())


async def _run_all(
    pipeline: Pipeline,
    jobs: Sequence[Job],
    view: LiveView,
    interrupted: asyncio.Event,
    *,
    asked: Mapping[str, object],
    recorded: RecordedRun | None,
) -> dict[str, ReflectionResult]:
    """Run the jobs, some at a time, and return what became of those that were begun, by name."""
    results: dict[str, ReflectionResult] = {}
    slots = asyncio.Semaphore(_AT_ONCE)

    async def run(job: Job) -> None:
        async with slots:
            if interrupted.is_set():
                return
            if recorded is None:
                stream = pipeline.stream(
                    f"improve {job.name}", job.source.text, run_id=job.run_id, metadata=_metadata(job, asked)
                )
            else:
                stream = pipeline.stream_resumed(recorded.run_id, recorded.scope)
            async with contextlib.aclosing(stream) as events:
                async for event in events:
                    view.show(job.name, event)
                    if isinstance(event, RunStopped):
                        results[job.name] = event.result

    async with asyncio.TaskGroup() as group:
        for job in jobs:
            group.create_task(run(job))
    return results


def _metadata(job: Job, asked: Mapping[str, object]) -> dict[str, object]:
    """Return what the journal keeps of how a run was begun: `resume_improve` reads it."""
    return {
        "command": "improve",
        "task_type": "improve",
        "file": job.name,
        "directory": str(Path.cwd()),
        "options": asked,
    }
