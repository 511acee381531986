"""Rows of a store: entries and their changes, lines of logs, claims of runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Self

from pydantic_core import from_json

from jido_ai.values.base import utc_now
from jido_ai.values.memory import MemoryEntry
from jido_ai.values.scope import Scope

__all__ = ["Changes", "Claim", "Cursor", "LogName", "LogSummary", "Record", "StoredEntry"]


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry and its row: a number that grows with every stored entry, so newer entries have larger rows."""

    row: int
    entry: MemoryEntry


@dataclass(frozen=True, slots=True)
class Cursor:
    """A reader's position in the changes of a scope; only the store that made it can read it."""

    row: int = 0
    removal: int = 0


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of a scope after a cursor.

    Attributes:
        cursor: the position to continue from.
        came: row and prompt of added entries, rows ascending.
        went: rows of removed entries; the reader may not have seen some of them.
        start_over: too many entries were removed to list them: discard everything read before; `came` starts anew.
        is_complete: False if there is more to read after `cursor`.
        texts: by row, what an added entry is found by apart from its prompt (`jido_ai.memory.lessons.found_by`).
        examples: rows of added entries that are worked examples.
    """

    cursor: Cursor
    came: Sequence[tuple[int, str]] = ()
    went: Sequence[int] = ()
    start_over: bool = False
    is_complete: bool = True
    texts: Mapping[int, Sequence[str]] = field(default_factory=dict[int, Sequence[str]])
    examples: Sequence[int] = ()


LogName = Literal[
    "journal",
    "episodes",
    "ledger",
    "audit",
    "embeddings",
    "served",
    "events",
    "moves",
    "calls",
    "notes",
    "compared",
    "trials",
]
"""Logs beside the entries: steps of runs, episodes, costs of calls, reads and writes, vectors; of a server, the runs
that it accepted, their events, and the notes of people on them; answers and cases of comparisons; of a run, whether
memory helped it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One line of a log: written once, never changed.

    Attributes:
        key: groups records: a run's id, an episode's id, a day.
        kind: the kind of record within its log; "" if there is only one.
        data: JSON-ready.
        row: set by the store, larger for later records; 0 before.
        json: `data` as JSON, if it has been written already: a store may keep these bytes. Otherwise empty.
    """

    log: LogName
    key: str
    data: Mapping[str, Any]
    kind: str = ""
    scope: Scope = field(default_factory=Scope)
    timestamp: datetime = field(default_factory=utc_now)
    row: int = 0
    json: bytes = field(default=b"", repr=False, compare=False)

    @classmethod
    def written(cls, json: bytes, **fields: Any) -> Self:
        """Return a record of JSON, which is read when `data` is looked at.

        Args:
            json: an object.
            fields: the others.
        """
        record = cls(data={}, json=json, **fields)
        object.__delattr__(record, "data")
        return record

    def __getattr__(self, name: str) -> Any:
        if name != "data":
            raise AttributeError(name)
        try:
            data = from_json(self.json)
        except (ValueError, TypeError):  # lone surrogates
            data = json.loads(self.json.decode("utf-8", "surrogatepass"))
        object.__setattr__(self, "data", data)
        return data

    def stored(self, row: int, json: bytes) -> Record:
        """Return the record as a store returns it: in its row, with its data as JSON."""
        return Record.written(
            json,
            log=self.log,
            key=self.key,
            kind=self.kind,
            scope=self.scope,
            timestamp=self.timestamp,
            row=row,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSummary:
    """Summary of the records of one key of a log."""

    scope: Scope
    key: str
    records: int
    first: Record
    last: Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Marks a run as in flight.

    Attributes:
        token: unique to this claim.
        owner: the process; read by `jido_ai.loop.claims`.
        expires_at: when the claim becomes void, unless it is renewed before.
        number: set by the store, larger for each new claim of a run; 0 before.
    """

    run_id: str
    scope: Scope
    token: str
    owner: str
    expires_at: datetime
    number: int = 0
