"""`jido ask`: a model writes an answer, it or another one judges, and the first one revises while that pays."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO, cast

from jido_ai.cli.again import command
from jido_ai.cli.calls import show_call
from jido_ai.cli.decisions import ask_for_decision, decide_later
from jido_ai.cli.live import LiveView, interruptible
from jido_ai.config import GIVEN, Settings
from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.errors import ConfigurationError, JidoError
from jido_ai.files.bounded_read import read_at_most
from jido_ai.loop.books import Books, ignore
from jido_ai.loop.events import ModelCalled, RunEvent, RunStopped
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.record import RecordedRun
from jido_ai.loop.settings import load_settings
from jido_ai.loop.state import Pending
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.protocols import LanguageModel
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.text.output_type import output_type
from jido_ai.text.printable import clip, printable
from jido_ai.text.wording import EXPLAINED, counted, scale, taken
from jido_ai.values import Issue, ReflectionResult, StopReason, new_id

_SHOWN: Final = "answer"
_LONGEST_ANSWER: Final = 100_000
_LONGEST_QUESTION: Final = 1_000_000
_LONGEST_SCHEMA: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class AskOptions:
    """The arguments of the command line."""

    text: str
    model: LanguageModel | str
    critic: LanguageModel | str | None = None
    memory: Path | str | None = None
    max_iterations: int | None = None
    approve: bool = False
    decision: bool | str | None = None
    verbose: bool = False
    as_json: bool = False
    schema: Mapping[str, Any] | None = None
    settings: Settings = field(default_factory=Settings)

    @property
    def given_memory(self) -> str | None:
        """The memory as the command line said it; None if the settings or the default name it."""
        return self.settings.memory if self.settings.origins.get("memory") == GIVEN else None


def question(text: str, standard_input: TextIO) -> str:
    """Return the question: `text`, or standard input if it is "-".

    Raises:
        ConfigurationError: it is blank, or standard input has more than 1,000,000 characters or is not text.
    """
    if text == "-":
        try:
            text = standard_input.read(_LONGEST_QUESTION + 1)
        except UnicodeDecodeError as error:
            raise ConfigurationError(f"standard input is not UTF-8 text: {error.reason}") from error
        if len(text) > _LONGEST_QUESTION:
            raise ConfigurationError(f"standard input has more than {_LONGEST_QUESTION:,} characters")
    if not text.strip():
        raise ConfigurationError("the question is blank; give it as one argument, or - to read standard input")
    return text


def read_schema(path: Path) -> Mapping[str, Any]:
    """Return the JSON Schema in a file. Raises `ConfigurationError`."""
    try:
        data = read_at_most(path, _LONGEST_SCHEMA)
    except OSError as error:
        raise ConfigurationError(f"--schema: {path}: {error.strerror}") from error
    if data is None:
        raise ConfigurationError(f"--schema: {path} is longer than {_LONGEST_SCHEMA:,} bytes")
    try:
        schema: object = json.loads(data)
        output_type(schema)
    except (ValueError, RecursionError) as error:  # ConfigurationError is a ValueError
        raise ConfigurationError(f"--schema: {path}: {error}") from error
    return cast("Mapping[str, Any]", schema)


def ask(options: AskOptions, out: TextIO, err: TextIO, recorded: RecordedRun | None = None) -> int:
    """Do it; return the exit status: 0 the answer is good enough, 1 issues are left, 130 interrupted.

    The answer, or one JSON document, goes to `out`; all else to `err`.

    Args:
        recorded: go on with this run of the journal instead of beginning one.

    Raises:
        JidoError: bad input or configuration; or no answer came at all.
    """
    if not options.text.strip():
        raise ConfigurationError("there is nothing to answer; give the question as one argument")
    return asyncio.run(_ask(options, out, err, recorded))


def resume_ask(
    recorded: RecordedRun,
    memory: Path | str,
    out: TextIO,
    err: TextIO,
    *,
    as_json: bool,
    decision: bool | str | None = None,
    given: str | None = None,
) -> int:
    """Continue a run that `ask` began; returns its exit status.

    Args:
        given: the memory as the command line said it.

    Raises:
        ConfigurationError: the run does not say with which models it was made.
    """
    asked = recorded.metadata
    model, critic = asked.get("model"), asked.get("critic")
    if not isinstance(model, str) or not isinstance(critic, str | None):
        raise ConfigurationError(
            f"run {recorded.run_id!r} was not made with named models and cannot be continued; ask again"
        )
    limit = recorded.config.get("max_iterations", 3)
    options = AskOptions(
        text=recorded.prompt,
        model=model,
        critic=critic,
        memory=memory,
        max_iterations=int(limit),
        approve=asked.get("approve") is True,
        decision=decision,
        as_json=as_json,
        schema=asked.get("schema"),
        settings=load_settings(memory=given),
    )
    return ask(options, out, err, recorded)


async def _ask(options: AskOptions, out: TextIO, err: TextIO, recorded: RecordedRun | None) -> int:
    run_id = new_id("ask") if recorded is None else recorded.run_id
    settings = options.settings
    books = Books(options.memory, settings, "ask")
    model = books.model(options.model)
    critic = model if options.critic is None else books.model(options.critic)
    critiquer = LLMCritiquer(critic, criteria=settings.criteria)
    usual = {
        "policy": "adaptive",
        "timeout_s": 900.0,
        "step_retries": 1,
    }
    pipeline = Pipeline(
        LLMGenerator(model),
        critiquer,
        LLMReviser(model, max_chars=_LONGEST_ANSWER),
        config=settings.loop_config("ask", usual=usual, max_iterations=options.max_iterations),
        name="ask",
        sink=ignore,  # the live view shows it
        output=options.schema,
        **books.pipeline_options(model),
    )
    judge = critiquer.name.removeprefix("model:")
    view = LiveView({_SHOWN: f"judging with {judge}"}, err, noun="", waiting="writing")
    books.sink = view.waits
    result: ReflectionResult | None = None
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(books)
        for used in {id(model): model, id(critic): critic}.values():
            if (close := getattr(used, "aclose", None)) is not None:
                stack.push_async_callback(close)
        await books.ledger.require()
        await stack.enter_async_context(pipeline)
        stream = _events(pipeline, options, run_id, recorded)
        live = contextlib.nullcontext() if options.verbose else view.live()  # a table and calls exclude each other
        with live, interruptible(pipeline, [run_id]) as interrupted:
            async with contextlib.aclosing(stream) as events:
                async for event in events:
                    if isinstance(event, RunStopped):
                        result = event.result  # the report shows it
                    elif isinstance(event, ModelCalled):
                        if options.verbose:
                            show_call(event.call, err)
                    else:
                        view.show(_SHOWN, event)
        warnings = await books.warnings()
        assert result is not None
        waiting = await _waiting(pipeline, result)
    ends = _Ends(
        judge,
        scale(pipeline.config.severity_threshold, pipeline.config.accept),
        waiting,
        interrupted=interrupted.is_set(),
        is_kept=pipeline.memory is not None,
    )
    status = _report(result, options, ends, out, err)
    for warning in warnings:
        err.write(f"note     {warning}\n")
    return status


def _events(
    pipeline: Pipeline, options: AskOptions, run_id: str, recorded: RecordedRun | None
) -> AsyncGenerator[RunEvent]:
    """Begin the run, or go on with it; models that have no name are not noted in its journal."""
    approve = decide_later if options.approve else None
    if recorded is not None:
        return pipeline.stream_resumed(run_id, recorded.scope, decision=options.decision, approve=approve)
    names = {"model": options.model, "critic": options.critic}
    named: dict[str, Any] = {role: name for role, name in names.items() if isinstance(name, str)}
    if options.schema is not None:
        named["schema"] = options.schema
    metadata = {"command": "ask", "task_type": "ask", "approve": options.approve, **named}
    return pipeline.stream(options.text, run_id=run_id, metadata=metadata, approve=approve)


async def _waiting(pipeline: Pipeline, result: ReflectionResult) -> _Waiting | None:
    """Return the run and its revision that waits for a decision; None if there is none."""
    if result.stop_reason is not StopReason.SUSPENDED:
        return None
    assert pipeline.memory is not None
    recorded = await RunJournal(pipeline.memory).load(result.run_id)
    return None if recorded.waiting is None else (recorded, recorded.waiting)


_Waiting = tuple[RecordedRun, Pending]


@dataclass(frozen=True, slots=True)
class _Ends:
    """Extra fields of a report.

    Attributes:
        judge: name of the critic.
        scale: how its severities are read.
        waiting: the run and its revision that waits for a decision.
        is_kept: the run is in a journal.
    """

    judge: str
    scale: str
    waiting: _Waiting | None
    interrupted: bool
    is_kept: bool


def _report(result: ReflectionResult, options: AskOptions, ends: _Ends, out: TextIO, err: TextIO) -> int:
    """Print the answer and the report, and return the exit status."""
    answer = result.answer
    if options.as_json:
        out.write(json.dumps(_as_json(result, ends), indent=2) + "\n")
    elif answer is not None:
        # Control characters are removed for terminals only; files and programs get the text unchanged.
        text = printable(answer.content) if out.isatty() else answer.content.encode("utf-8", "replace").decode()
        out.write(text if text.endswith("\n") else text + "\n")
        if out.isatty() and err.isatty():
            err.write("\n")  # both on one screen
    if answer is None and not ends.interrupted:
        error = result.error
        raise JidoError(EXPLAINED[result.stop_reason] if error is None else error.message)
    _tell(err, result, ends)
    if ends.is_kept and not (result.accepted or ends.interrupted or ends.waiting):
        err.write(f"why      {command('runs', 'show', result.run_id, memory=options.given_memory)} --transcript\n")
    if ends.waiting is not None:
        ask_for_decision(*ends.waiting, options.given_memory, err)
    if ends.interrupted:
        shown = "there is no answer yet" if answer is None else "what is shown is the best so far"
        err.write(f"interrupted: {shown}\n")
        if isinstance(options.model, str) and options.memory is not None:
            err.write(f"continue {command('runs', 'resume', result.run_id, memory=options.given_memory)}\n")
        return 130
    return 0 if result.accepted else 1


def _tell(err: TextIO, result: ReflectionResult, ends: _Ends) -> None:
    """Print stop reason, score, remaining issues and usage."""

    def line(label: str, text: str) -> None:
        err.write(printable(f"{label:<9}{text}") + "\n")

    count = counted(result.total_iterations, "iteration")
    line("stopped", f"{result.stop_reason.value} after {count}: {EXPLAINED[result.stop_reason]}")
    best = next((iteration for iteration in result.iterations if result.best_candidate == iteration.candidate), None)
    if best is not None:
        first = result.iterations[0].critique
        line("severity", f"{first.severity:.2f} -> {best.critique.severity:.2f}, judged by {ends.judge}; {ends.scale}")
        for warning in best.critique.metadata.get("warnings", ()):
            line("note", str(warning))
    if result.reflections_skipped:
        line("note", f"{result.reflections_skipped} attempts could not be reflected on")
    for issue in result.open_issues:
        line("left", _in_short(issue))
    if result.unjudged is not None:
        line("warning", "the answer was not judged; --critic NAME lets another model judge")
    if result.error is not None and result.error.kind != result.stop_reason.value:  # else it is printed above
        line("error", f"{result.error.component or 'run'}: {result.error.message}")
    for lesson in result.lessons_used:
        line("recalled", clip(" ".join(f"{lesson.mistake} => {lesson.correction}".split()), 100))
    if result.held_out:
        line("note", "this run was held out: it was shown nothing remembered, to tell whether the memory helps")
    if result.examples_used:
        line("recalled", f"{counted(len(result.examples_used), 'example')}: accepted answers of similar tasks")
    line("took", f"{taken(result.usage)}, {result.duration_s:.1f} s")


def _in_short(issue: Issue) -> str:
    place = "" if issue.location is None or issue.location.line is None else f"line {issue.location.line}: "
    return place + clip(" ".join(issue.message.split()), 200)


def _as_json(result: ReflectionResult, ends: _Ends) -> dict[str, Any]:
    best = next((iteration for iteration in result.iterations if result.best_candidate == iteration.candidate), None)
    usage = result.usage.model_dump()
    if result.usage.unpriced_calls:
        usage["cost_usd"] = None  # unknown for some calls
    return {
        "run_id": result.run_id,
        "answer": None if result.answer is None else result.answer.content,
        "judged": result.best_candidate is not None,
        "stop_reason": result.stop_reason.value,
        "accepted": result.stop_reason is StopReason.ACCEPTED,
        "iterations": result.total_iterations,
        "model": None if best is None else best.candidate.model,
        "critic": ends.judge,
        "waiting": None if ends.waiting is None else ends.waiting[1].candidate.content,
        "severity": None if best is None else [result.iterations[0].critique.severity, best.critique.severity],
        "left": [issue.model_dump(mode="json", exclude_none=True) for issue in result.open_issues],
        "lessons_used": [lesson.id for lesson in result.lessons_used],
        "examples_used": list(result.examples_used),
        "held_out": result.held_out,
        "lessons_stored": [lesson.id for lesson in result.lessons_stored],
        "error": None if result.error is None else result.error.model_dump(mode="json"),
        "usage": usage,
        "duration_s": round(result.duration_s, 3),
    }
