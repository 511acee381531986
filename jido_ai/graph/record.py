"""The journal of a graph's run: one line per finished node, and the run read back from its lines. Pure.

A line is written before anything that waits for its node begins. A loop has a journal of its own, under the id
"<run>/<path>"; here stands only that it ended. A line may occur twice: the later one counts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, cast

from jido_ai.errors import ConfigurationError, StoreDamagedError, StoreVersionError
from jido_ai.graph.results import GraphResult, GraphStatus
from jido_ai.graph.template import as_text
from jido_ai.loop.record import Line, trace_of
from jido_ai.runs.questions import ASKED_AGAIN, Question, question_id
from jido_ai.text.plain_json import dumped, plain
from jido_ai.values import CritiqueResult, ErrorInfo, Scope, Usage
from jido_ai.values.record import Record

_VERSION: Final = 1
_SHOWN_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class NodeLine:
    """A node, or an item of a map, that has ended.

    Attributes:
        kind: of the node.
        out: the output; None if it failed, of a loop, and of what waits.
        is_waiting: it waits for a person.
        question: id of what an approval showed; "" of any other.
    """

    path: str
    kind: str
    out: Any = None
    critique: CritiqueResult | None = None
    error: ErrorInfo | None = None
    is_waiting: bool = False
    attempts: int = 1
    started: datetime | None = None
    duration_s: float = 0.0
    usage: Usage = field(default_factory=Usage)
    warnings: tuple[str, ...] = ()
    question: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedGraph:
    """A run as read from its journal.

    Attributes:
        graph: name that the graph gave itself.
        nodes: what has ended, by path.
        decisions: of persons, by id of the question.
        asked: id of the newest question that was asked at a path.
        questions: the open ones; those of loops only if their journals were read, see `with_questions`.
        status: "interrupted" for a run that is in flight or was killed.
        end: why it was ended early, if it was.
        duration_s: seconds of work, in all processes; of one that was killed, until the end of its last node.
        events: number of events that the run emitted.
        trace: ids of the newest trace that saw the run, if it was observed.
        digest: of the inputs, as they were before secrets were masked.
        is_redacted: a secret in an input or an output was masked when it was written.
    """

    run_id: str
    scope: Scope
    graph: str
    inputs: Mapping[str, Any]
    metadata: Mapping[str, Any]
    nodes: Mapping[str, NodeLine]
    decisions: Mapping[str, bool | str]
    asked: Mapping[str, str] = field(default_factory=dict[str, str])
    questions: tuple[Question, ...] = ()
    status: GraphStatus | str = "interrupted"
    end: ErrorInfo | None = None
    duration_s: float = 0.0
    events: int = 0
    trace: Mapping[str, str] | None = None
    digest: str = ""
    is_redacted: bool = False

    @property
    def is_over(self) -> bool:
        """True if it is not resumed: it has its output."""
        return self.status in ("completed", "partial")

    @property
    def waiting(self) -> tuple[str, ...]:
        """Return the paths of the nodes that wait for a person."""
        return tuple(path for path, line in self.nodes.items() if line.is_waiting)

    def is_of(self, inputs: Mapping[str, Any]) -> bool:
        """Tell whether this run has these inputs."""
        return self.digest == _digest(inputs)


# -- writing -----------------------------------------------------------------------------------------


def started_line(
    graph: str, inputs: Mapping[str, Any], metadata: Mapping[str, Any], trace: Mapping[str, str] | None = None
) -> Line:
    """Return the first line of a run."""
    shown = ", ".join(f"{name}: {value}" for name, value in inputs.items())
    return "graph", {
        "version": _VERSION,
        "graph": graph,
        "prompt": shown[:_SHOWN_CHARS],
        "inputs": dict(inputs),
        "metadata": plain(metadata),
        "sha256": _digest(inputs),
        **_traced(trace),
    }


def resumed_line(events: int, trace: Mapping[str, str] | None = None) -> Line:
    """Return the line of a resumption."""
    return "graph_resumed", {"events": events, **_traced(trace)}


def _traced(trace: Mapping[str, str] | None) -> dict[str, Any]:
    return {} if trace is None else {"trace": dict(trace)}


def node_line(line: NodeLine, events: int) -> tuple[str, dict[str, Any]]:
    """Return the line of a node that has ended."""
    data: dict[str, Any] = {
        "path": line.path,
        "kind": line.kind,
        "out": line.out,
        "sha256": _digest(line.out),
        "attempts": line.attempts,
        "started": None if line.started is None else line.started.isoformat(),
        "duration_s": line.duration_s,
        "events": events,
    }
    if line.usage.calls or line.usage.input_tokens or line.usage.output_tokens:
        data["usage"] = line.usage.model_dump(mode="json")
    if line.critique is not None:
        data["critique"] = dumped(line.critique)
    if line.error is not None:
        data["error"] = line.error.model_dump(mode="json")
    if line.question:
        data["question"] = line.question
    if line.warnings:
        data["warnings"] = list(line.warnings)
    return "waiting" if line.is_waiting else "node", data


def decided_line(question: Question, decision: bool | str) -> Line:
    """Return the line of a person's decision."""
    return "decided", {
        "path": question.path,
        "question": question.id,
        "decision": decision,
        "sha256": _digest(decision),
    }


def stopped_line(result: GraphResult, end: ErrorInfo | None, events: int, before_s: float = 0.0) -> Line:
    """Return the last line of a run.

    Args:
        before_s: seconds of work in earlier processes, which their own lines have.
    """
    return "stopped", {
        "reason": result.status,
        "end": None if end is None else end.model_dump(mode="json"),
        "duration_s": max(0.0, result.duration_s - before_s),
        "events": events,
    }


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# -- reading -----------------------------------------------------------------------------------------


def read_graph(run_id: str, scope: Scope, lines: Sequence[Line]) -> RecordedGraph:
    """Return the run from its lines, in the order of writing.

    Raises:
        ConfigurationError: it is the run of a pipeline, not of a graph.
        StoreVersionError: a newer version wrote it.
        StoreDamagedError: the lines cannot be read as a run.
    """
    starts = [index for index, (kind, _) in enumerate(lines) if kind == "graph"]
    if not starts:
        raise ConfigurationError(f"run {run_id!r} is the run of a pipeline; resume it with its pipeline")
    try:
        return _read(run_id, scope, lines[starts[-1] :])
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise StoreDamagedError(f"the journal of run {run_id!r} cannot be read: {error!r}") from error


def _read(run_id: str, scope: Scope, lines: Sequence[Line]) -> RecordedGraph:
    first = lines[0][1]
    if first["version"] != _VERSION:
        raise StoreVersionError(
            f"the journal of run {run_id!r} has version {first['version']!r}, but this jido_ai reads {_VERSION}"
        )
    nodes: dict[str, NodeLine] = {}
    decisions: dict[str, bool | str] = {}
    asked: dict[str, str] = {}
    status, end, duration_s, events = "interrupted", None, 0.0, 0
    began: datetime | None = None  # the first node of a process
    worked_s = 0.0  # from then on, until the end of its last node
    is_redacted = _digest(first["inputs"]) != first["sha256"]
    trace = trace_of(first)
    for kind, data in lines[1:]:
        trace = trace_of(data) or trace
        events = max(events, int(data.get("events", 0)))
        match kind:
            case "node" | "waiting":
                node = nodes[str(data["path"])] = _node_of(data, is_waiting=kind == "waiting")
                if node.started is not None:
                    began = min(began or node.started, node.started)
                    worked_s = max(worked_s, (node.started - began).total_seconds() + node.duration_s)
                if node.question:
                    asked[node.path] = node.question
                is_redacted |= _digest(data["out"]) != data["sha256"]
            case "decided":
                path = str(data["path"])
                question = str(data.get("question") or asked.get(path, path))  # older lines name the place alone
                decisions[question] = data["decision"]
                is_redacted |= _digest(data["decision"]) != data["sha256"]
                if (line := nodes.get(path)) is not None and line.is_waiting and line.question == question:
                    del nodes[path]
            case "graph_resumed":
                status, end = "interrupted", None
                duration_s, began, worked_s = duration_s + worked_s, None, 0.0
            case "stopped":
                status, duration_s = str(data["reason"]), duration_s + float(data["duration_s"])
                began, worked_s = None, 0.0
                end = None if data["end"] is None else ErrorInfo.model_validate(data["end"])
            case _:
                pass
    return RecordedGraph(
        run_id=run_id,
        scope=scope,
        graph=str(first["graph"]),
        inputs=dict(cast("Mapping[str, Any]", first["inputs"])),
        metadata=dict(cast("Mapping[str, Any]", first["metadata"])),
        nodes=nodes,
        decisions=decisions,
        asked=asked,
        questions=tuple(_question_of(line) for line in nodes.values() if line.is_waiting and line.question),
        status=status,
        end=end,
        duration_s=duration_s + worked_s,
        events=events,
        trace=trace,
        digest=str(first["sha256"]),
        is_redacted=is_redacted,
    )


def _question_of(line: NodeLine) -> Question:
    note = ASKED_AGAIN if ASKED_AGAIN in line.warnings else ""
    return Question(id=line.question, path=line.path, text=as_text(line.out), note=note)


def spent_in(records: Sequence[Record]) -> Usage:
    """Return the usage of all tries of all nodes, in all processes; a repeated line counts once."""
    tries = {
        (record.data["path"], record.data["started"]): Usage.model_validate(record.data.get("usage", {}))
        for record in records
        if record.kind in ("node", "waiting")
    }
    return sum(tries.values(), Usage())


def _node_of(data: Mapping[str, Any], *, is_waiting: bool) -> NodeLine:
    critique, error, started = data.get("critique"), data.get("error"), data["started"]
    path, kind = str(data["path"]), str(data["kind"])
    shown = question_id(path, as_text(data["out"])) if is_waiting and kind == "approval" else ""
    return NodeLine(
        path=path,
        kind=kind,
        out=data["out"],
        critique=None if critique is None else CritiqueResult.model_validate(critique),
        error=None if error is None else ErrorInfo.model_validate(error),
        is_waiting=is_waiting,
        attempts=int(data["attempts"]),
        started=None if started is None else datetime.fromisoformat(started),
        duration_s=float(data["duration_s"]),
        usage=Usage.model_validate(data.get("usage", {})),
        warnings=tuple(data.get("warnings", ())),
        question=str(data.get("question", shown)),  # older lines have none
    )
