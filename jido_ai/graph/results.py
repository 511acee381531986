"""Results of graph runs: plain frozen values, made when a run ends. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Final, Generic, Literal, cast

from typing_extensions import TypeVar

from jido_ai.text.plain_json import dumped, plain
from jido_ai.values import CritiqueResult, ErrorInfo, ModelCall, ReflectionResult, Usage, Value
from jido_ai.values.result_text import one_line, table_of

NodeStatus = Literal["done", "failed", "skipped", "waiting", "not_reached"]
GraphStatus = Literal["completed", "partial", "failed", "suspended", "cancelled"]
_NO_USAGE: Final = Usage()
OutputT = TypeVar("OutputT", default=Any)


@dataclass(frozen=True, slots=True)
class NodeResult:
    """The outcome of one node in a run.

    Attributes:
        name: of the node; of a map's item with its number: "sections[3]".
        status: "done"; "failed", also when it was refused or a fallback stands in; "skipped" by a choice; "waiting" for
            a person; "not_reached", because an input is not there.
        output: a text, or a value that JSON can hold; that of the fallback if one stands in; None if there is none.
        score: how good the output is, in [0, 1]; None if nothing judged it.
        stop_reason: of a loop.
        result: of a loop the whole result, of a check the critique.
        error: why it failed; kind "refused" for a refused approval.
        attempts: number of tries; 0 if it never began.
        usage: model calls of all its tries.
        started: when it began, aware; None if it never did.
        skipped_by: the choice that skipped it.
        items: of a map, in order.
        nodes: of a nested graph, by name.
        warnings: fields of its prompt that were cut.
    """

    name: str
    status: NodeStatus
    output: Any = None
    score: float | None = None
    stop_reason: str | None = None
    result: ReflectionResult | CritiqueResult | None = None
    error: ErrorInfo | None = None
    attempts: int = 0
    usage: Usage = _NO_USAGE
    started: datetime | None = None
    duration_s: float = 0.0
    skipped_by: str | None = None
    items: tuple[NodeResult, ...] = ()
    nodes: Mapping[str, NodeResult] = field(default_factory=dict[str, "NodeResult"])
    warnings: tuple[str, ...] = ()

    def to_map(self) -> dict[str, Any]:
        """Return a JSON-ready dict."""
        return _map_of(self)


@dataclass(frozen=True, slots=True)
class GraphResult(Generic[OutputT]):
    """The result of a run of a graph.

    Attributes:
        output: of the output node; None if it has none.
        status: "completed": the output is there and nothing failed; "partial": it is there, and something failed or was
            refused; "failed": there is no output; "suspended": a node waits for a person; "cancelled".
        nodes: by name, in the order of the graph.
        duration_s: seconds of work; of a resumed run in all processes.
        error: why there is no output.
        calls: of models, in the order in which they began; each with the path of its node. They are in no map.
    """

    run_id: str
    output: OutputT
    status: GraphStatus
    nodes: Mapping[str, NodeResult]
    usage: Usage = _NO_USAGE
    duration_s: float = 0.0
    error: ErrorInfo | None = None
    calls: tuple[ModelCall, ...] = field(default=(), repr=False, compare=False)

    def __str__(self) -> str:
        """Return it in a few lines: each node with its score, the output, how the run ended, and what it cost."""
        rows = [f"{name}: {status}{score}{why}" for name, status, score, why in self._told()]
        output = [] if self.output is None else [f"output: {one_line(str(self.output))}"]
        error = f" ({self.error.kind}: {one_line(self.error.message)})" if self.error else ""
        return "\n".join([*rows, *output, f"{self.status}{error}; {self.usage}"])

    def _repr_html_(self) -> str:
        rows = [(name, status, score.strip(), why.strip(" ,")) for name, status, score, why in self._told()]
        return table_of(("node", "state", "score", "stopped by"), rows, caption=f"{self.status}; {self.usage}")

    def _told(self) -> list[tuple[str, str, str, str]]:
        return [
            (
                name,
                node.status,
                "" if node.score is None else f" {node.score:.2f}",
                f", {node.stop_reason}" if node.stop_reason else "",
            )
            for name, node in self.nodes.items()
        ]

    def to_map(self) -> dict[str, Any]:
        """Return a JSON-ready dict."""
        return _map_of(self)


def _map_of(value: NodeResult | GraphResult) -> dict[str, Any]:
    return {one.name: _plain(getattr(value, one.name)) for one in fields(value) if one.name != "calls"}


def _plain(value: object) -> object:
    match value:
        case NodeResult() | GraphResult():
            return _map_of(cast("NodeResult | GraphResult", value))
        case Value():
            return dumped(value)
        case datetime():
            return value.isoformat()
        case tuple():
            return [_plain(one) for one in cast("tuple[object, ...]", value)]
        case Mapping():
            return {str(name): _plain(one) for name, one in cast("Mapping[object, object]", value).items()}
        case _:
            return plain(value)
