"""What a server keeps of each run that it accepted: lines of the log "served", and the run read back from them. Pure.

The first line is written before the caller is told that the run was accepted, so that no accepted run is lost; the last
one together with the run's last event.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, cast
from urllib.parse import quote

from jido_ai.errors import StoreDamagedError
from jido_ai.values import Scope
from jido_ai.values.record import LogSummary, Record

__all__ = [
    "SERVED",
    "STATUSES",
    "Entry",
    "Key",
    "Order",
    "Status",
    "accepted_record",
    "cancelling_record",
    "ended_record",
    "entry_in",
    "entry_of",
    "going_on_record",
    "links_of",
    "view_of",
]

SERVED: Final = "served"
Status = Literal["queued", "running", "suspended", "completed", "failed", "cancelled"]
STATUSES: Final[tuple[Status, ...]] = ("queued", "running", "suspended", "completed", "failed", "cancelled")
Kind = Literal["pipeline", "graph"]
Key = tuple[Scope, str]
"""What tells a run from all others: two scopes may use the same id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a caller asked for.

    Attributes:
        name: of the pipeline or graph.
        prompt, initial: of a pipeline's run.
        inputs: of a graph's run.
        token: id of the caller's token; "" without tokens.
    """

    run_id: str
    scope: Scope
    kind: Kind
    name: str
    prompt: str | None = None
    initial: str | None = None
    inputs: Mapping[str, Any] | None = None
    metadata: Mapping[str, Any] | None = None
    token: str = ""

    @property
    def key(self) -> Key:
        return self.scope, self.run_id

    @property
    def digest(self) -> str:
        """Return what tells whether another request asks for the same."""
        said = [self.kind, self.name, self.prompt, self.initial, self.inputs, self.metadata]
        text = json.dumps(said, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A run as the log has it.

    Attributes:
        digest: of the order, as it was before secrets were masked.
        is_open: it is to be carried out, or goes on.
        is_cancelling: the caller wants it ended.
        decision: a person's answer with which it goes on.
        questions: what it answers; see `graph.questions`.
        summary: of a run that has ended: score, severity, iterations, calls, tokens, cost_usd, stop_reason.
    """

    order: Order
    digest: str
    status: Status
    created_at: datetime
    updated_at: datetime
    is_open: bool
    is_cancelling: bool = False
    decision: Any = None
    questions: Mapping[str, str] = field(default_factory=dict[str, str])
    error: Mapping[str, Any] | None = None
    summary: Mapping[str, Any] | None = None


# -- writing ---------------------------------------------------------------------------------------


def _record(order: Order, kind: str, data: Mapping[str, Any]) -> Record:
    return Record(log=SERVED, key=order.run_id, kind=kind, scope=order.scope, data=data)


def accepted_record(order: Order) -> Record:
    """Return the first line of a run."""
    return _record(
        order,
        "accepted",
        {
            "thing": order.kind,
            "name": order.name,
            "prompt": order.prompt,
            "initial": order.initial,
            "inputs": order.inputs,
            "metadata": order.metadata,
            "token": order.token,
            "sha256": order.digest,
        },
    )


def going_on_record(order: Order, decision: object, questions: Mapping[str, str]) -> Record:
    """Return the line of a resumption."""
    return _record(order, "going on", {"decision": decision, "questions": questions})


def cancelling_record(order: Order) -> Record:
    """Return the line of a cancellation that was asked for."""
    return _record(order, "cancelling", {})


def ended_record(
    order: Order, status: Status, error: Mapping[str, Any] | None, summary: Mapping[str, Any] | None
) -> Record:
    """Return the last line of a run, for now."""
    return _record(order, "ended", {"status": status, "error": error, "summary": summary})


# -- reading ---------------------------------------------------------------------------------------


def entry_of(first: Record, last: Record) -> Entry:
    """Return a run from its first and its last line.

    Raises:
        StoreDamagedError: the lines cannot be read.
    """
    try:
        return _entry(first, last)
    except (LookupError, TypeError, ValueError) as error:
        raise StoreDamagedError(f"what the server kept of run {first.key!r} cannot be read: {error!r}") from error


def _entry(first: Record, last: Record) -> Entry:
    data, end = first.data, last.data
    order = Order(
        run_id=first.key,
        scope=first.scope,
        kind="graph" if data["thing"] == "graph" else "pipeline",
        name=str(data["name"]),
        prompt=data["prompt"],
        initial=data["initial"],
        inputs=data["inputs"],
        metadata=data["metadata"],
        token=str(data["token"]),
    )
    has_ended = last.kind == "ended"
    return Entry(
        order=order,
        digest=str(data["sha256"]),
        status=cast("Status", end["status"]) if has_ended else "queued",
        created_at=first.timestamp,
        updated_at=last.timestamp,
        is_open=not has_ended,
        is_cancelling=last.kind == "cancelling",
        decision=end.get("decision") if last.kind == "going on" else None,
        questions=end.get("questions") or {} if last.kind == "going on" else {},
        error=end.get("error") if has_ended else None,
        summary=end.get("summary") if has_ended else None,
    )


def entry_in(log: LogSummary) -> Entry:
    """Return a run from the summary of its lines."""
    return entry_of(log.first, log.last)


# -- shown -----------------------------------------------------------------------------------------


def view_of(entry: Entry, result: object, summary: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return a run as the API shows it.

    Args:
        result: as JSON; partial while it runs.
        summary: None is that of the entry.
    """
    order = entry.order
    view: dict[str, Any] = {
        "run_id": order.run_id,
        "kind": order.kind,
        "name": order.name,
        "status": entry.status,
        "prompt": order.prompt,
        "inputs": order.inputs,
        "initial_candidate": order.initial,
        "metadata": order.metadata,
        "result": result,
        "summary": summary if summary is not None else entry.summary,
        "error": entry.error,
        "created_at": entry.created_at.isoformat(),
        "updated_at": entry.updated_at.isoformat(),
        "links": links_of(order.run_id),
    }
    del view["inputs" if order.kind == "pipeline" else "prompt"]
    if order.kind == "graph":
        del view["initial_candidate"]
    return view


def links_of(run_id: str) -> dict[str, str]:
    """Return the addresses of a run."""
    here = f"/v1/runs/{quote(run_id, safe='')}"
    return {"self": here, "events": f"{here}/events", "cancel": f"{here}/cancel"}
