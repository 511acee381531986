"""Entries: the lines that a server keeps of each accepted run, in the log "served", and the run read from them. Pure.

The first line is written before the caller is told that the run was accepted, so that no accepted run is lost; the last
one together with the run's last event.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, cast
from urllib.parse import quote

from jido_ai.errors import StoreDamagedError
from jido_ai.graph.orders import RunOrder, RunStatus
from jido_ai.runs.summary import NOTES
from jido_ai.values import Scope
from jido_ai.values.record import LogSummary, Record

SERVED: Final = "served"
STATUSES: Final[tuple[RunStatus, ...]] = ("queued", "running", "suspended", "completed", "failed", "cancelled")


COUNTS: Final = ("calls", "tokens", "known_usd", "unpriced_calls", "iterations", "duration_s")
"""Figures of a summary that are added up."""
ByDay = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A run as the log has it.

    Attributes:
        order: with a person's answers, if it was resumed with them.
        digest: of the order, as it was before secrets were masked.
        is_open: it is to be carried out, or goes on.
        is_cancelling: the caller wants it ended.
        is_abandoned: it was ended because its caller was gone, so it goes on when it is asked for again.
        summary: of a run that has ended: score, severity, iterations, calls, tokens, cost_usd, stop_reason.
        by_day: calls, tokens and cost by the day on which the part of the run ended that made them.
        new: what of that belongs to the part that has just ended.
        owner: the process that carries it out, as in its claims; "" if that is not known.
    """

    order: RunOrder
    digest: str
    status: RunStatus
    created_at: datetime
    updated_at: datetime
    is_open: bool
    is_cancelling: bool = False
    is_abandoned: bool = False
    error: Mapping[str, Any] | None = None
    summary: Mapping[str, Any] | None = None
    by_day: ByDay = field(default_factory=dict[str, "Mapping[str, Any]"])
    new: Mapping[str, Any] = field(default_factory=dict[str, Any])
    owner: str = ""

    @property
    def spent(self) -> dict[str, Any]:
        """The sum of `by_day`."""
        return {name: sum(day.get(name) or 0 for day in self.by_day.values()) for name in COUNTS}


def ended_by_day(entry: Entry, summary: Mapping[str, Any], day: str) -> tuple[ByDay, dict[str, Any]]:
    """Return the spending of a run by day when it ends (again), and the part of it since its previous end.

    Args:
        summary: of the whole run.
        day: of its end.
    """
    counts = counts_of(summary)
    new = {name: max(0, counts[name] - before) for name, before in entry.spent.items()}
    today = entry.by_day.get(day, {})
    return {**entry.by_day, day: {name: new[name] + (today.get(name) or 0) for name in COUNTS}}, new


def counts_of(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the counts of a summary that can be added up; those of earlier versions lack some."""
    known = summary.get("known_usd")
    return {name: summary.get(name) or 0 for name in COUNTS} | {
        "known_usd": (summary.get("cost_usd") if known is None else known) or 0.0
    }


# -- writing ---------------------------------------------------------------------------------------


def _record(order: RunOrder, kind: str, data: Mapping[str, Any]) -> Record:
    return Record(log=SERVED, key=order.run_id, kind=kind, scope=order.scope, data=data)


def accepted_record(order: RunOrder, owner: str = "") -> Record:
    """Return the first line of a run.

    Args:
        owner: the process that carries it out, as in its claims.
    """
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
            "token_id": order.token,  # a key "token" would be masked as a secret
            "sha256": order.digest,
            "owner": owner,
            # as a text: a key of a schema may look like that of a secret
            **({} if order.asked is None else {"asked": json.dumps(order.asked, ensure_ascii=False)}),
        },
    )


def resumed_record(order: RunOrder, by_day: ByDay | None = None, owner: str = "") -> Record:
    """Return the line of a resumption, with the answers of the order and what was spent before."""
    data = {"decision": dict(order.answers), "questions": dict(order.questions), "by_day": by_day or {}}
    return _record(order, "going on", {**data, "owner": owner})


def cancelling_record(order: RunOrder, by_day: ByDay | None = None, owner: str = "") -> Record:
    """Return the line of a requested cancellation."""
    return _record(order, "cancelling", {"by_day": by_day or {}, "owner": owner})


def ended_record(
    order: RunOrder,
    status: RunStatus,
    error: Mapping[str, Any] | None,
    summary: Mapping[str, Any] | None,
    answer: str | None = None,
    *,
    by_day: ByDay | None = None,
    is_abandoned: bool = False,
) -> Record:
    """Return the last line of a run, for now.

    Args:
        answer: its beginning, by which the run is found.
    """
    data = {"status": status, "error": error, "summary": summary, "answer": answer, "by_day": by_day or {}}
    return _record(order, "ended", {**data, "abandoned": True} if is_abandoned else data)


def note_record(scope: Scope, run_id: str, thumb: str | None, note: str) -> Record:
    """Return the line of a person's note on a run; it counts in place of the ones before."""
    return Record(log=NOTES, key=run_id, scope=scope, data={"thumb": thumb, "note": note})


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
    order = RunOrder(
        run_id=first.key,
        scope=first.scope,
        name=str(data["name"]),
        prompt=data["prompt"],
        initial=data["initial"],
        inputs=data["inputs"],
        metadata=data["metadata"],
        token=str(data.get("token_id", "")),
        asked=json.loads(data["asked"]) if "asked" in data else None,
        **(_answers_in(end) if last.kind == "going on" else {}),
    )
    has_ended = last.kind == "ended"
    return Entry(
        order=order,
        digest=str(data["sha256"]),
        status=cast("RunStatus", end["status"]) if has_ended else "queued",
        created_at=first.timestamp,
        updated_at=last.timestamp,
        is_open=not has_ended,
        is_cancelling=last.kind == "cancelling",
        is_abandoned=has_ended and bool(end.get("abandoned")),
        error=end.get("error") if has_ended else None,
        summary=end.get("summary") if has_ended else None,
        by_day=_by_day(last, has_ended=has_ended),
        owner="" if has_ended else str(end.get("owner", "")),
    )


def _by_day(last: Record, *, has_ended: bool) -> ByDay:
    """Return the spending by day; earlier versions wrote the whole summary only."""
    kept, summary = last.data.get("by_day"), last.data.get("summary")
    if kept or not has_ended or not summary:
        return kept or {}
    return {last.timestamp.date().isoformat(): counts_of(summary)}


def _answers_in(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers of a resumption; older versions wrote a single one without its path."""
    decision: object = data.get("decision")
    questions: dict[str, str] = data.get("questions") or {}
    if decision is None or isinstance(decision, Mapping):
        return {"answers": decision or {}, "questions": questions}
    return {"answers": dict.fromkeys(questions, decision), "questions": questions}


def entry_in(log: LogSummary) -> Entry:
    """Return a run from the summary of its lines."""
    return entry_of(log.first, log.last)


def note_in(record: Record) -> dict[str, Any] | None:
    """Return the note that a line of the log "notes" leaves on its run; None for an empty one."""
    thumb, note = record.data.get("thumb"), record.data.get("note") or ""
    return {"thumb": thumb, "note": note, "at": record.timestamp.isoformat()} if thumb or note else None


# -- shown -----------------------------------------------------------------------------------------


def view_of(
    entry: Entry, result: object, summary: Mapping[str, Any] | None = None, notes: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return a run as the API shows it.

    Args:
        result: as JSON; partial while it runs.
        summary: None is that of the entry.
        notes: what a person noted; see `note_in`.
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
        "notes": notes,
        "created_at": entry.created_at.isoformat(),
        "updated_at": entry.updated_at.isoformat(),
        "links": links_of(order.run_id),
    }
    del view["inputs" if order.kind == "pipeline" else "prompt"]
    if order.kind == "graph":
        del view["initial_candidate"]
    return view


def links_of(run_id: str, prefix: str = "") -> dict[str, str]:
    """Return the addresses of a run.

    Args:
        prefix: under which the server is reached, as in "/jido".
    """
    here = f"{prefix}/v1/runs/{quote(run_id, safe='')}"
    return {"self": here, "events": f"{here}/events", "cancel": f"{here}/cancel"}
