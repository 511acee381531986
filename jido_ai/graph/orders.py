"""Orders: runs that are requested by the name of a pipeline or graph, and the one way to carry them out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from jido_ai.components.call_context import Wishes, current_wishes
from jido_ai.errors import ConfigurationError, NotFoundError
from jido_ai.graph.graph import Graph
from jido_ai.graph.graph_runs import with_questions
from jido_ai.graph.record import NodeLine, RecordedGraph, read_graph
from jido_ai.graph.results import GraphResult, NodeResult
from jido_ai.graph.served import Served
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.record import RecordedRun, read_run
from jido_ai.runs.handle import RunHandle
from jido_ai.runs.questions import Question
from jido_ai.text.output_type import output_type
from jido_ai.values import Candidate, ErrorInfo, ReflectionResult, Scope, StopReason
from jido_ai.values.record import Record

RunKind = Literal["pipeline", "graph"]
RunStatus = Literal["queued", "running", "suspended", "completed", "failed", "cancelled"]
Recorded = RecordedRun | RecordedGraph
Key = tuple[Scope, str]
"""Identifies a run: two scopes may use the same id."""
DRAFT: Final = "draft"
"""The input of a graph that takes a draft beside the prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOrder:
    """A run, as a caller requests it.

    Attributes:
        run_id: names the run in a queue and in the journal.
        name: of the pipeline or graph, as it is served.
        prompt: of a pipeline's run, or of a graph's with one input; None with `inputs`.
        initial: first candidate of a pipeline's run; None lets it generate one.
        inputs: of a graph's run, by name.
        answers: a person's decisions with which a suspended run continues, by path: True, False or a text; of a
            pipeline's run the path is "revision".
        questions: ids of the questions that they answer, by path; see `runs.questions`.
        token: id of the caller's token; "" without one.
        trace: ids of the caller's work, if it was observed; see `telemetry.Observer.trace`.
        is_kept: it goes on when its caller is gone; not part of the journal, so a run goes on after a restart.
        asked: what else its caller asks for, as JSON; None for nothing: `form`, a JSON Schema of the answer, and
            `settings` of models (see `components.wishes`); others are the caller's.
        is_fresh: the id was made for this order, so no other run has it.
    """

    run_id: str
    name: str
    prompt: str | None = None
    initial: str | None = None
    inputs: Mapping[str, Any] | None = None
    scope: Scope = field(default_factory=Scope)
    metadata: Mapping[str, Any] | None = None
    answers: Mapping[str, bool | str] = field(default_factory=dict[str, "bool | str"])
    questions: Mapping[str, str] = field(default_factory=dict[str, str])
    token: str = ""
    trace: Mapping[str, str] | None = None
    is_fresh: bool = field(default=False, compare=False)
    is_kept: bool = field(default=True, compare=False)
    asked: Mapping[str, Any] | None = None

    @property
    def kind(self) -> RunKind:
        """The kind of run: only that of a graph has inputs."""
        return "pipeline" if self.inputs is None else "graph"

    @property
    def key(self) -> Key:
        """The identity of the run."""
        return self.scope, self.run_id

    @property
    def digest(self) -> str:
        """The fingerprint of the request: orders that ask for the same run have the same one."""
        said: list[Any] = [self.kind, self.name, self.prompt, self.initial, self.inputs, self.metadata]
        if self.asked is not None:
            said.append(self.asked)
        text = json.dumps(said, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """How a run ended on a worker; the journal has the rest.

    Attributes:
        reason: stop reason of a pipeline's run, status of a graph's.
        output: of a graph's run, with secrets masked; None for a pipeline's, whose journal has its text.
    """

    kind: RunKind
    status: RunStatus
    reason: str
    output: Any = None
    error: ErrorInfo | None = None


def fault_of_run_id(run_id: str) -> str | None:
    """Return why an id that a caller chose cannot be used; None if it can: it stands in addresses."""
    if not 1 <= len(run_id) <= 255 or not run_id.isprintable() or not run_id.strip():
        return "run_id must have 1 to 255 printable characters, and not only blanks"
    if "/" in run_id or run_id in (".", ".."):
        return f'run_id must have no "/", and not be "." or "..", got {run_id!r}'
    return None


def kind_of(served: object) -> RunKind:
    """Return the kind of runs that a pipeline or graph makes."""
    return "graph" if isinstance(served, Graph) else "pipeline"


def status_of(result: ReflectionResult | GraphResult) -> RunStatus:
    """Return the status of a run that ended with a result."""
    if isinstance(result, GraphResult):
        return "completed" if result.status == "partial" else result.status
    match result.stop_reason:
        case StopReason.SUSPENDED:
            return "suspended"
        case StopReason.CANCELLED:
            return "cancelled"
        case StopReason.ERROR:
            return "failed"
        case _:
            return "completed" if result.best_candidate is not None else "failed"


# -- inputs ----------------------------------------------------------------------------------------


def check_inputs(graph: Graph, *, judges: bool = False) -> None:
    """Check that a prompt, and a draft if there is one, can be the inputs of a graph.

    Args:
        judges: there is always a draft.

    Raises:
        ConfigurationError: the graph has other inputs.
    """
    others = [name for name in graph.inputs if name != DRAFT]
    given = ", ".join(graph.inputs) or "none"
    if len(others) > 1:
        raise ConfigurationError(
            f"a graph may take one input for the prompt, and the input {DRAFT!r}; its inputs are {given}"
        )
    if judges and not graph.inputs:
        raise ConfigurationError("a graph that is given a draft needs an input for it, but it has none")


def inputs_of(graph: Graph, prompt: str, draft: str | None) -> dict[str, str]:
    """Return the inputs of a run: the draft under "draft", the prompt under the other. Without a draft, it is empty.

    A graph with one input is given one text, whatever the name of the input: the draft if there is one, else the
    prompt.

    Raises:
        ConfigurationError: the graph has other inputs, or none for the draft.
    """
    check_inputs(graph, judges=draft is not None)
    if len(graph.inputs) == 1:
        return {graph.inputs[0]: prompt if draft is None else draft}
    return {name: (draft or "") if name == DRAFT else prompt for name in graph.inputs}


def arguments_of(served: Served, order: RunOrder) -> tuple[Any, ...]:
    """Return the first arguments of `run` for an order. Raises `ConfigurationError` if they do not fit."""
    if isinstance(served, Graph):
        if order.initial is not None and DRAFT not in served.inputs:
            raise ConfigurationError(f"{order.name} is a graph without the input {DRAFT!r}: omit the initial candidate")
        return (order.inputs if order.prompt is None else inputs_of(served, order.prompt, order.initial),)
    if order.prompt is None:
        raise ConfigurationError(f"{order.name} is a pipeline: it takes a prompt, not inputs")
    return order.prompt, order.initial


# -- the journal -----------------------------------------------------------------------------------


async def recorded_run(journal: RunJournal, run_id: str, scope: Scope | None) -> Recorded | None:
    """Return a run of a pipeline or a graph; None if the journal has none of that id and scope.

    Raises:
        StoreDamagedError, StoreVersionError: it cannot be read.
    """
    try:
        recorded = _read(await journal.records(run_id, scope))
    except NotFoundError:
        return None
    return await with_questions(recorded, journal) if isinstance(recorded, RecordedGraph) else recorded


def _read(records: list[Record] | Any) -> Recorded:
    first, lines = records[0], [(record.kind, record.data) for record in records]
    if any(record.kind == "graph" for record in records):
        return read_graph(first.key, first.scope, lines)
    return read_run(first.key, first.scope, first.timestamp, lines)


def is_of(recorded: Recorded, order: RunOrder) -> bool:
    """Tell whether a run of the journal is the one that an order asks for."""
    if isinstance(recorded, RecordedGraph):
        return order.inputs is not None and recorded.is_of(order.inputs)
    initial = None if order.initial is None else Candidate(order.initial)
    return order.inputs is None and recorded.is_of(order.prompt or "", initial)


def node_result(line: NodeLine, loop: ReflectionResult | None = None) -> NodeResult:
    """Return the result of a node from its line in the journal, and from the result of its loop if it is one."""
    best = None if loop is None else loop.best_candidate
    return NodeResult(
        name=line.path,
        status="waiting" if line.is_waiting else "done" if line.error is None else "failed",
        output=line.out if best is None else best.content,
        score=line.critique.score if line.critique is not None else (None if best is None else best.score),
        stop_reason=None if loop is None else loop.stop_reason.value,
        result=loop or line.critique,
        error=line.error,
        attempts=line.attempts,
        usage=line.usage if loop is None else loop.usage,
        started=line.started,
        duration_s=line.duration_s,
        warnings=line.warnings,
    )


def result_without_run(
    order: RunOrder, error: ErrorInfo | None, *, is_cancelled: bool
) -> ReflectionResult | GraphResult:
    """Return the result of a run that could not begin: it failed, or was cancelled."""
    if order.kind == "graph":
        return GraphResult(order.run_id, None, "cancelled" if is_cancelled else "failed", {}, error=error)
    return ReflectionResult(
        run_id=order.run_id,
        prompt=order.prompt or "",
        best_candidate=None,
        iterations=(),
        findings=(),
        stop_reason=StopReason.CANCELLED if is_cancelled else StopReason.ERROR,
        error=error,
    )


async def questions_of(served: Served | None, run_id: str, scope: Scope | None) -> tuple[Question, ...]:
    """Return the open questions of a run, oldest first; none if the journal does not have the run."""
    journal = None if served is None else served.journal
    recorded = None if journal is None else await recorded_run(journal, run_id, scope)
    return () if recorded is None else recorded.questions


# -- carrying out ----------------------------------------------------------------------------------


async def open_decision(served: Served, order: RunOrder) -> Any:
    """Return the part of an order's answers that the journal does not have yet, as `resume` takes it; None for none.

    An order that is carried out again after a fault thus does not answer a later question at the same place.
    """
    if not order.answers:
        return None
    asked = await questions_of(served, order.run_id, order.scope)
    is_answered = {order.questions.get(path) for path in order.answers}
    return {one.id: order.answers[one.path] for one in asked if one.id in is_answered} or None


async def begun(served: Any, order: RunOrder) -> RunHandle:
    """Start the run of an order, or continue it from its journal with the answers that are left; return its handle.

    Raises:
        ConfigurationError, RunClaimedError, StoreError: as `start`.
    """
    token = current_wishes.set(_wishes_of(order.asked) if order.asked else None)
    try:
        return await _begun(served, order)
    finally:
        current_wishes.reset(token)


def _wishes_of(asked: Mapping[str, Any]) -> Wishes | None:
    form = asked.get("form")
    settings = dict(asked.get("settings") or {})
    if "stop" in settings:  # a list, as it comes from JSON
        settings["stop"] = tuple(settings["stop"])
    wishes = Wishes(None if form is None else output_type(form), settings)
    return wishes if wishes != Wishes() else None


async def _begun(served: Any, order: RunOrder) -> RunHandle:
    journal: RunJournal | None = served.journal
    if not order.is_fresh and journal is not None and await journal.has(order.run_id, order.scope):
        decision = await open_decision(served, order)
        return await served.start(resume=order.run_id, scope=order.scope, decision=decision)
    arguments = arguments_of(served, order)
    return await served.start(*arguments, run_id=order.run_id, scope=order.scope, metadata=order.metadata)
