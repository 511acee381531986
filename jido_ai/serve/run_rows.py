"""Rows of the list of runs: the fields that it is filtered and sorted by, its pages, and its figures. Pure."""

from __future__ import annotations

import base64
import heapq
import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, cast, get_args

from jido_ai.graph.orders import Key, RunStatus
from jido_ai.values import Scope
from jido_ai.values.record import Record

Sort = Literal["created_at", "-created_at", "duration", "-duration", "cost", "-cost", "score", "-score"]
SORTS: Final[tuple[Sort, ...]] = get_args(Sort)
MOST_SEARCHED: Final = 10_000
"""Characters of a prompt, and of an answer, that are searched."""
Place = tuple[bool, float, str]
"""Where a run stands in an order: runs without a value are last, runs of equal values ordered by id."""


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run in the list.

    Attributes:
        row: of its last line in the log.
        status: as the log has it: "queued" until it ends.
        owner: as in the entry.
        text: prompt, inputs, id and answer in lower case, one per line.
    """

    key: Key
    row: int
    name: str
    status: RunStatus
    created_at: datetime
    text: str
    stop_reason: str | None = None
    duration_s: float | None = None
    cost_usd: float | None = None
    score: float | None = None
    owner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunQuery:
    """The runs that a list has, and their order.

    Attributes:
        scope: None is all.
        tenant: None is every tenant of the scope.
        name: of a pipeline or graph.
        since, until: bounds of the time of acceptance; the first is inclusive.
        text: occurs in the prompt, an input, the answer or the id, in any case.
    """

    scope: Scope | None = None
    tenant: str | None = None
    status: RunStatus | None = None
    name: str | None = None
    stop_reason: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""
    sort: Sort = "-created_at"

    def takes(self, row: RunRow, status: RunStatus) -> bool:
        """Tell whether a run belongs to the list.

        Args:
            status: its current one.
        """
        return (
            (self.scope is None or row.key[0] == self.scope)
            and (self.tenant is None or row.key[0].tenant == self.tenant)
            and (self.status is None or status == self.status)
            and (self.name is None or row.name == self.name)
            and (self.stop_reason is None or row.stop_reason == self.stop_reason)
            and (self.since is None or row.created_at >= self.since)
            and (self.until is None or row.created_at < self.until)
            and (not self.text or self.text.casefold() in row.text)
        )

    def place(self, row: RunRow) -> Place:
        """Return where a run stands."""
        value: float | None
        match self.sort.lstrip("-"):
            case "duration":
                value = row.duration_s
            case "cost":
                value = row.cost_usd
            case "score":
                value = row.score
            case _:
                value = row.created_at.timestamp()
        sign = -1.0 if self.sort.startswith("-") else 1.0
        return value is None, 0.0 if value is None else sign * value, row.key[1]


# -- from lines ------------------------------------------------------------------------------------


def row_after(row: RunRow | None, record: Record) -> RunRow | None:
    """Return a run after one more of its lines; None if its first line is missing.

    Raises:
        LookupError, TypeError, ValueError: the line cannot be read.
    """
    data = record.data
    if record.kind == "accepted":
        inputs: Mapping[str, object] = data["inputs"] or {}
        return RunRow(
            key=(record.scope, record.key),
            row=record.row,
            name=str(data["name"]),
            status="queued",
            created_at=record.timestamp,
            text=_searched(record.key, data["prompt"], *inputs.values()),
            owner=_owner_in(data),
        )
    if row is None:
        return None
    if record.kind != "ended":
        return RunRow(row.key, record.row, row.name, "queued", row.created_at, row.text, owner=_owner_in(data))
    summary: Mapping[str, Any] = data.get("summary") or {}
    answer = data.get("answer")
    return RunRow(
        row.key,
        record.row,
        row.name,
        cast("RunStatus", data["status"]),
        row.created_at,
        row.text if answer is None else f"{row.text}\n{_searched(answer)}",
        summary.get("stop_reason"),
        summary.get("duration_s"),
        summary.get("cost_usd"),
        summary.get("score"),
    )


def _owner_in(data: Mapping[str, Any]) -> str:
    return sys.intern(str(data.get("owner", "")))  # the same for many runs


def _searched(*texts: object) -> str:
    return "\n".join(str(text)[:MOST_SEARCHED].casefold() for text in texts if text is not None)


# -- pages -----------------------------------------------------------------------------------------


def page_of(
    rows: Iterable[RunRow], now: Mapping[Key, RunStatus], query: RunQuery, after: Place | None, limit: int
) -> tuple[list[RunRow], list[RunRow]]:
    """Return all rows that fit, and of these the first ones after a place.

    Args:
        now: current status of the runs in flight.
    """
    fitting = [row for row in rows if query.takes(row, now.get(row.key, row.status))]
    later = fitting if after is None else [row for row in fitting if query.place(row) > after]
    return fitting, heapq.nsmallest(limit, later, key=query.place)


def cursor_at(query: RunQuery, row: RunRow) -> str:
    """Return the cursor of the page after a row."""
    text = json.dumps([query.sort, *query.place(row)], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def after_cursor(cursor: str, sort: Sort) -> Place:
    """Return the place where a page begins. Raises `ValueError` for any text but a cursor of this order."""
    raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    match json.loads(raw):
        case [str() as order, bool() as is_last, int() | float() as value, str() as run_id] if order == sort:
            return is_last, float(value), run_id
        case _:
            raise ValueError("the cursor belongs to another list")


def figures_of(rows: Sequence[RunRow], now: Mapping[Key, RunStatus]) -> dict[str, Any]:
    """Return the figures of a list: how many runs, how many failed, and the median and 95th percentile of their time.

    Runs that have not ended count in `runs` alone; cancelled and suspended ones have a time, and do not count for the
    rate of errors.
    """
    statuses = [now.get(row.key, row.status) for row in rows]
    failed, completed = statuses.count("failed"), statuses.count("completed")
    times = sorted(row.duration_s for row in rows if row.duration_s is not None)
    return {
        "runs": len(rows),
        "failed": failed,
        "error_rate": failed / (failed + completed) if failed + completed else None,
        "p50_s": _percentile(times, 0.5),
        "p95_s": _percentile(times, 0.95),
    }


def _percentile(ordered: Sequence[float], share: float) -> float | None:
    """Return the smallest value that at least this share of the values does not exceed; None without values."""
    if not ordered:
        return None
    return ordered[math.ceil(share * len(ordered)) - 1]
