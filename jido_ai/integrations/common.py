"""Shared by all integrations: the life of a pipeline inside a framework, messages, usage, errors and approval."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Mapping
from contextlib import aclosing, contextmanager
from types import TracebackType
from typing import Any, Final, Self, TypeVar, cast

from jido_ai.actors.to_its_end import to_its_end
from jido_ai.errors import (
    AuthenticationError,
    BadRequestError,
    ComponentError,
    ConfigurationError,
    JidoError,
    ModelError,
    ModelNotFoundError,
    QuotaError,
    describe,
    message_of,
)
from jido_ai.graph.events import GraphEvent, GraphStopped
from jido_ai.graph.graph import Graph
from jido_ai.graph.orders import DRAFT, RunOrder, check_inputs, inputs_of, is_of, recorded_run, status_of
from jido_ai.graph.record import RecordedGraph
from jido_ai.graph.results import GraphResult, NodeResult
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.events import RunStopped
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Approve, Pipeline
from jido_ai.models.prompts.template import DATA_NOTE, data_blocks
from jido_ai.models.retry import causes, passing_failure
from jido_ai.protocols import RunContext
from jido_ai.runs.kept_open import KeptOpen
from jido_ai.runs.questions import REVISION, Decision
from jido_ai.runs.summary import LOG
from jido_ai.text.redaction import redact
from jido_ai.values import (
    SUSPEND,
    Candidate,
    CompletionRequest,
    CritiqueResult,
    Iteration,
    Message,
    ReflectionResult,
    Scope,
    StopReason,
    Suspend,
    Usage,
    utc_now,
)

T = TypeVar("T")
AnyPipeline = Pipeline | Graph | BlockingPipeline
"""What runs inside of a part of a framework."""
_SHOWN_CHARS: Final = 300


# -- life ------------------------------------------------------------------------------------------


class Life:
    """Keeps a pipeline running for a part of a framework.

    A pipeline that its caller has entered is used as it is. Any other is entered when it is first used, in the event
    loop of that use, and left by `aclose` or when that loop ends; then it can be used in another one. Code without an
    event loop uses `wait`, which runs the pipeline in a thread of its own. A `BlockingPipeline` runs in its own thread
    and is closed by its caller.

    Args:
        pipeline: a `Pipeline`, a `Graph`, or a `BlockingPipeline` of either.
        judges: there is always a draft, so a graph needs an input for it.
        takes_prompt: False: a graph is given inputs by name instead of a prompt and a draft.

    Attributes:
        pipeline: the `Pipeline` or the `Graph`.

    Raises:
        ConfigurationError: it is none of them, or a graph has other inputs; see `check_inputs`.
    """

    def __init__(self, pipeline: AnyPipeline, *, judges: bool = False, takes_prompt: bool = True) -> None:
        self._given = pipeline if isinstance(pipeline, BlockingPipeline) else None
        pipeline = pipeline.pipeline if isinstance(pipeline, BlockingPipeline) else pipeline
        if not isinstance(pipeline, Pipeline | Graph):
            raise ConfigurationError(f"need a Pipeline or a Graph, got {describe(pipeline)}")
        if isinstance(pipeline, Graph) and takes_prompt:
            check_inputs(pipeline, judges=judges)
        self.pipeline: Pipeline | Graph = pipeline
        self._lock = threading.Lock()
        self._kept = KeptOpen(lambda: pipeline)
        self._blocking: BlockingPipeline | None = None

    async def __aenter__(self) -> Self:
        try:
            await self._enter()
        except BaseException:
            await to_its_end(self.aclose())
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Await `work()` in the event loop in which the pipeline runs, entering it if need be."""
        if self.pipeline.running_in is not asyncio.get_running_loop():
            await self._enter()
        home = self.pipeline.running_in
        if home is None or home is asyncio.get_running_loop():
            return await work()
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), home))

    def wait(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do as `run` from code without an event loop.

        Raises:
            ConfigurationError: the pipeline runs in the event loop of this thread, which would wait for itself.
        """
        with self._lock:
            home = self.pipeline.running_in
            if home is None or home.is_closed():
                if self._given is None:
                    self._blocking = BlockingPipeline(self.pipeline).__enter__()
                else:
                    self._given.__enter__()
                home = self.pipeline.running_in
                assert home is not None
        try:
            here: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            here = None
        if here is home:
            raise ConfigurationError(
                "a blocking call would stop the event loop that the pipeline runs in; use the async call instead"
            )
        future = asyncio.run_coroutine_threadsafe(work(), home)
        try:
            return future.result()
        finally:
            future.cancel()  # after ^C; otherwise it is done

    async def aclose(self) -> None:
        """Leave the pipeline if it was entered here; a thread of its own ends too."""
        thread, self._blocking = self._blocking, None
        await self._kept.close()
        if thread is not None:
            await asyncio.to_thread(thread.close)

    async def _enter(self) -> None:
        home = self.pipeline.running_in
        if home is not None and not home.is_closed():
            return
        if self._given is None:
            await self._kept.open()
        else:
            await asyncio.to_thread(self._given.__enter__)


# -- runs and approval -----------------------------------------------------------------------------


def approve_later(revision: Candidate, iteration: Iteration, context: RunContext) -> Suspend:
    """Suspend the run at every revision: an `approve` for frameworks that ask a person by ending the call."""
    return SUSPEND


def asking(approve: bool | Approve) -> Approve | None:
    """Return the `approve` of a run: True suspends it for the framework's own question, a callable is asked itself."""
    if approve is True:
        return approve_later
    return approve or None


def check_journal(pipeline: Pipeline | Graph, approve: object) -> None:
    """Raise `ConfigurationError` if approval suspends runs and the pipeline has no journal to keep them in."""
    if approve is True and pipeline.memory is None:
        raise ConfigurationError("approve=True suspends runs and needs a journal: give the pipeline a memory")


async def advance(
    pipeline: Pipeline | Graph,
    prompt: str | None,
    draft: str | None = None,
    *,
    inputs: Mapping[str, Any] | None = None,
    run_id: str | None = None,
    scope: Scope | None = None,
    approve: Approve | None = None,
    decision: Decision | None = None,
    question: str | None = None,
    emit: Callable[[GraphEvent], object] | None = None,
) -> Any:
    """Run, or continue the run of that id if the journal has one, and pass its events on.

    Returns the `ReflectionResult` of a pipeline, or the `GraphResult` of a graph.

    Args:
        prompt: None for a run that exists, whatever it was asked for.
        inputs: of a graph, instead of the prompt and the draft.
        run_id: a stable id where the framework repeats a step after a fault; None for a run that is never repeated.
            If a run of that id was asked for something else, and does not wait for a person, this one gets its own.
        approve: for the nodes of a graph that wait for a person, `approve_later` is None: they suspend the run anyway.
        decision: answers what the run waits for; of several nodes, the first.
        question: id of the question that the person was shown, for a decision; None: the open one.
        emit: called with each event, in the event loop.

    Raises:
        ConfigurationError: a node waits for a person, and the graph has no journal to keep the run in.
        JidoError: as `run` and `resume`.
    """
    ask = None if isinstance(pipeline, Graph) and approve is approve_later else approve
    journal = None if pipeline.memory is None or run_id is None else RunJournal(pipeline.memory)
    if isinstance(pipeline, Graph) and inputs is None and prompt is not None:
        inputs = inputs_of(pipeline, prompt, draft)
    is_known = decision is not None
    if journal is not None and not is_known:
        assert run_id is not None
        order = RunOrder(run_id=run_id, name="", prompt=prompt, initial=draft, inputs=inputs)
        recorded = await recorded_run(journal, run_id, scope)
        is_known = recorded is not None
        is_asked = prompt is not None and recorded is not None and recorded.status != "suspended"
        if is_asked and not is_of(cast("Any", recorded), order):
            run_id = f"{run_id}~{order.digest[:16]}"  # such as the second of two in one task
            is_known = await journal.has(run_id, scope or Scope())
    events: AsyncGenerator[GraphEvent]
    if journal is not None and is_known:
        answer: Any = decision
        if decision is not None:
            if question is None and (asked := await pipeline.questions(cast("str", run_id), scope)):
                question = asked[0].id
            answer = decision if question is None else {question: decision}
        events = pipeline.stream_resumed(cast("str", run_id), scope, decision=answer, approve=ask)
    elif isinstance(pipeline, Graph):
        events = pipeline.stream(cast("Any", inputs), run_id=run_id, scope=scope, approve=ask)
    else:
        events = pipeline.stream(cast("str", prompt), draft, run_id=run_id, scope=scope, approve=ask)
    result: Any = None
    async with aclosing(events):
        async for event in events:
            if emit is not None:
                emit(event)
            if isinstance(event, RunStopped | GraphStopped) and not event.path:
                result = event.result
    if isinstance(pipeline, Graph) and pipeline.memory is None and _is_misused(result):
        raise ConfigurationError(f"{result.error.component} {result.error.message}")
    return result


def _is_misused(result: GraphResult) -> bool:
    return result.error is not None and result.error.kind == "ConfigurationError"


async def decisions_made(pipeline: Pipeline | Graph, run_id: str, scope: Scope | None = None) -> int:
    """Return how many decisions about revisions the journal has for a run."""
    if pipeline.memory is None:
        return 0
    lines = await pipeline.memory.records(LOG, scope=scope or Scope(), key=run_id)
    return sum(line.kind in ("approved", "refused", "decided") for line in lines)


def is_suspended(result: ReflectionResult | GraphResult) -> bool:
    """Tell whether a run waits for a person."""
    return status_of(result) == "suspended"


def question_of(result: ReflectionResult, waiting: Candidate | None = None) -> dict[str, Any]:
    """Return the question of a suspended run for a person, JSON-ready.

    "revision" is the text to approve where it is known, "best" the best text so far, "feedback" its critique.
    """
    best = result.iterations[-1] if result.iterations else None
    return {
        "type": "approval",
        "run_id": result.run_id,
        "prompt": result.prompt,
        "revision": None if waiting is None else waiting.content,
        "id": None if waiting is None else f"{REVISION}:{waiting.id}",
        "revision_id": result.evidence.get("revision"),
        "best": None if result.best_candidate is None else result.best_candidate.content,
        "feedback": "" if best is None else best.critique.as_feedback(),
    }


async def shown_question(pipeline: Pipeline | Graph, run_id: str, scope: Scope | None = None) -> dict[str, Any] | None:
    """Return the open question of a suspended run as it was shown, without carrying anything on; None for none."""
    if pipeline.memory is None:
        return None
    recorded = await recorded_run(RunJournal(pipeline.memory), run_id, scope or Scope())
    if recorded is None or recorded.status != "suspended" or not recorded.questions:
        return None
    if isinstance(pipeline, Graph):
        return await graph_question(pipeline, run_id, scope)
    result = cast("Any", recorded).result()
    return None if result is None else await waiting_revision(pipeline, result, scope)


async def waiting_revision(
    pipeline: Pipeline | Graph, result: ReflectionResult | GraphResult, scope: Scope | None = None
) -> dict[str, Any]:
    """Return `question_of` a suspended run, with the text of the revision that waits; see also `graph_question`."""
    if isinstance(result, GraphResult):
        assert isinstance(pipeline, Graph)
        return await graph_question(pipeline, result.run_id, scope)
    recorded = None
    if pipeline.memory is not None:
        recorded = await RunJournal(pipeline.memory).load(result.run_id, scope or Scope())
    waiting = None if recorded is None else recorded.waiting
    return question_of(result, None if waiting is None else waiting.candidate)


def failure_of(result: ReflectionResult | GraphResult, *, needs_critique: bool = False) -> JidoError | None:
    """Return the error to raise in the framework: for a run that an error ended or that has no answer, else None.

    Args:
        needs_critique: for a run that judged nothing, too.
    """
    if isinstance(result, GraphResult):
        if result.status in ("completed", "partial"):
            return None
        kind, component = result.status, "graph"
    else:
        found = result.best_candidate if needs_critique else result.answer
        if result.stop_reason is not StopReason.ERROR and found is not None:
            return None
        kind, component = result.stop_reason.value, "pipeline"
    if result.error is None:
        return ComponentError(f"the run has no answer: {kind}", component=component)
    return ComponentError(f"{result.error.kind}: {result.error.message}", component=result.error.component or component)


def answer_text(result: ReflectionResult | GraphResult) -> str:
    """Return the answer of a run as text, judged or not. Raises the error of a run without one; see `failure_of`."""
    failure = failure_of(result)
    if failure is not None:
        raise failure
    if isinstance(result, GraphResult):
        return result.output if isinstance(result.output, str) else json.dumps(result.output, ensure_ascii=False)
    assert result.answer is not None
    return result.answer.content


def summary_of(result: ReflectionResult | GraphResult) -> dict[str, Any]:
    """Return how a run ended, JSON-ready and small: ids and figures, no texts but the open issues."""
    if isinstance(result, GraphResult):
        return graph_summary(result)
    best = result.best_candidate
    return {
        "run_id": result.run_id,
        "stop_reason": result.stop_reason.value,
        "converged": result.converged,
        "iterations": result.total_iterations,
        "score": None if best is None else best.score,
        **({} if result.unjudged is None else {"judged": False}),
        "open_issues": [issue.message for issue in result.open_issues],
        "usage": result.usage.model_dump(mode="json"),
    }


# -- models and agents of a framework --------------------------------------------------------------


def revision_prompt(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    """Return the message that asks an agent to revise a candidate. Its texts are data in marked blocks."""
    lessons = "\n".join(f"- {entry.correction}" for entry in context.lessons if entry.correction)
    blocks = {
        "task": context.prompt,
        "answer": candidate.content,
        "review": critique.as_feedback(),
        "lessons": lessons,
    }
    told = data_blocks([(name, text) for name, text in blocks.items() if text])
    return "\n\n".join(
        [
            DATA_NOTE,
            *told,
            "Write the answer again so that the issues of its review are fixed, and keep what is right. Write only the "
            "answer.",
        ]
    )


def schema_instruction(request: CompletionRequest) -> tuple[Message, ...]:
    """Return the request's messages; where it has a schema, with an instruction to keep to it.

    For frameworks' models without structured output.
    """
    if request.schema is None:
        return request.messages
    told = json.dumps(request.schema, ensure_ascii=False)
    return (*request.messages, Message("user", f"Reply with JSON only, valid under this schema:\n{told}"))


def usage_of(
    *, input_tokens: int | None, output_tokens: int | None, cached: int | None = None, reasoning: int | None = None
) -> Usage:
    """Return the usage of one call of a framework's model; its price is unknown."""
    return Usage(
        1,
        max(input_tokens or 0, 0),
        max(output_tokens or 0, 0),
        unpriced_calls=1,
        input_tokens_cached=max(cached or 0, 0),
        reasoning_tokens=max(reasoning or 0, 0),
    )


_REFUSALS: Final[Mapping[int, type[ModelError]]] = {
    400: BadRequestError,
    401: AuthenticationError,
    402: QuotaError,
    403: AuthenticationError,
    404: ModelNotFoundError,
    422: BadRequestError,
    429: QuotaError,  # any other 429 passes
}


@contextmanager
def translated(provider: str, model: str | None = None, *, is_model: bool | None = None) -> Generator[None]:
    """Translate errors of a framework's model inside the `with` block to `ModelError`s, by status and type.

    Args:
        model: its name.
        is_model: False for agents, graphs and tools, whose other errors are not translated: they may be mistakes in
            the caller's code. None: True if it has a name.
    """
    try:
        yield
    except JidoError:
        raise
    except Exception as error:
        known = _known(error, provider, model)
        if known is None and not (model is not None if is_model is None else is_model):
            raise
        raise known or ModelError(_said(error), provider=provider, model=model) from error


def _known(error: BaseException, provider: str, model: str | None) -> ModelError | None:
    """Return a client's error, or the cause that a framework wrapped, as a `ModelError`; None if it is unknown."""
    passing = passing_failure(error, provider=provider, model=model, now=utc_now())
    if passing is not None:
        return passing
    for seen in causes(error):
        for told in (seen, getattr(seen, "response", None)):
            for name in ("status_code", "status", "code"):
                status = getattr(told, name, None)
                if isinstance(status, int) and status in _REFUSALS:
                    return _REFUSALS[status](_said(seen), provider=provider, model=model, status=status)
    return None


def _said(error: BaseException) -> str:
    return redact(f"{type(error).__name__}: {message_of(error)}"[: 10 * _SHOWN_CHARS])[:_SHOWN_CHARS]


# -- graphs --------------------------------------------------------------------------------------


async def graph_question(graph: Graph, run_id: str, scope: Scope | None = None) -> dict[str, Any]:
    """Return the question of a suspended run for a person, JSON-ready: of several nodes that wait, the first.

    "node" is its path, "revision" the text to approve, "note" why it is asked again; the other keys are those of the
    question of a pipeline.
    """
    question: dict[str, Any] = {
        "type": "approval",
        "run_id": run_id,
        "id": None,
        "prompt": "",
        "revision": None,
        "revision_id": None,
        "best": None,
        "feedback": "",
    }
    recorded = None
    if graph.journal is not None:
        recorded = await recorded_run(graph.journal, run_id, scope or Scope())
    if not isinstance(recorded, RecordedGraph) or not recorded.questions:
        return question
    asked = recorded.questions[0]
    prompts = [value for name, value in recorded.inputs.items() if name != DRAFT]
    prompt = prompts[0] if len(prompts) == 1 else dict(recorded.inputs)
    told = {"id": asked.id, "prompt": prompt, "node": asked.path, "revision": asked.text, "note": asked.note}
    return question | told


def graph_summary(result: GraphResult) -> dict[str, Any]:
    """Return how a run ended, JSON-ready and small, with the keys of the summary of a pipeline's run.

    "stop_reason" is the status, "iterations" and "open_issues" are those of all loops, "score" that of the output.
    """
    loops = [loop for node in result.nodes.values() for loop in _loops(node)]
    last = (node for node in reversed(list(result.nodes.values())) if node.output is result.output is not None)
    shown = next(last, None)
    return {
        "run_id": result.run_id,
        "stop_reason": result.status,
        "converged": result.status == "completed",
        "iterations": sum(loop.total_iterations for loop in loops),
        "score": None if shown is None else shown.score,
        "open_issues": [issue.message for loop in loops for issue in loop.open_issues],
        "usage": result.usage.model_dump(mode="json"),
    }


def _loops(node: NodeResult) -> list[ReflectionResult]:
    own = [node.result] if isinstance(node.result, ReflectionResult) else []
    return own + [loop for item in (*node.items, *node.nodes.values()) for loop in _loops(item)]
