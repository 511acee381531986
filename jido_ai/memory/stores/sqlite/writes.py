"""Writing to the SQLite file: one transaction for all waiting writes. The functions run in the connection's thread."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, groupby, islice, repeat
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeVar, cast

from jido_ai.errors import ConfigurationError, NotFoundError, RunClaimedError
from jido_ai.memory.lessons import lesson_key, merge_lessons
from jido_ai.memory.stores.rows import KEPT_MARKS, encode_entry
from jido_ai.memory.stores.sqlite.file import Home
from jido_ai.memory.stores.sqlite.reads import newest
from jido_ai.memory.stores.sqlite.sql import Where, one, text, text_or_none
from jido_ai.values import MemoryEntry, Scope

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]


@dataclass(frozen=True, slots=True)
class Additions:
    """Entries to add, in order; the outcome is a list with one item per entry."""

    entries: Sequence[MemoryEntry]
    max_entries: int

    def prepared(self) -> list[_Addition | ConfigurationError]:
        try:
            return _additions(self.entries, self.max_entries)
        except ConfigurationError:  # caused by one entry
            return [_addition_or_why_not(entry, self.max_entries) for entry in self.entries]


def transact(db: sqlite3.Connection, *, works: Sequence[Work[Any] | Additions], home: Home | None) -> list[Any]:
    """Do all `works` in one transaction; return their results, or the refusals of those that refused."""
    prepared = [work.prepared() if isinstance(work, Additions) else work for work in works]
    try:
        return _transact_prepared(db, prepared, home, together=True)
    except sqlite3.IntegrityError:  # an id exists already, or occurs twice: add one by one, replacing
        return _transact_prepared(db, prepared, home, together=False)


_Prepared = Work[Any] | list["_Addition | ConfigurationError"]


def _transact_prepared(
    db: sqlite3.Connection, works: Sequence[_Prepared], home: Home | None, *, together: bool
) -> list[Any]:
    outcomes: list[Any] = []
    db.execute("BEGIN IMMEDIATE")
    try:
        for is_addition, group in groupby(works, key=lambda work: isinstance(work, list)):
            if is_addition:
                lists = cast("list[list[_Addition | ConfigurationError]]", list(group))
                added = iter(_add_all(db, list(chain.from_iterable(lists)), together=together))
                outcomes.extend(list(islice(added, len(some))) for some in lists)
            else:
                outcomes.extend(_attempt(work, db) for work in cast("Iterator[Work[Any]]", group))
        if home is not None:
            home.check()
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
    return outcomes


def _attempt(work: Work[Any], db: sqlite3.Connection) -> Any:
    try:
        return work(db)
    except (ConfigurationError, NotFoundError, RunClaimedError) as refusal:  # raised before anything is written
        return refusal


# -- adding ----------------------------------------------------------------------------------------


_Shelf = tuple[str | bytes, str | bytes, str]  # tenant, project, kind
_Labels = tuple[str | bytes | None, ...]  # lesson, domain, task type, agent, session


class _Addition(NamedTuple):
    """An entry to add, and the values of its row. `labels` is None if the entry has none."""

    entry: MemoryEntry
    max_entries: int
    shelf: _Shelf
    id: str | bytes
    prompt: str | bytes
    body: bytes
    labels: _Labels | None

    @property
    def lesson(self) -> str | None:
        return cast("str | None", self.labels[0]) if self.labels else None


def _additions(entries: Sequence[MemoryEntry], max_entries: int) -> list[_Addition | ConfigurationError]:
    """Return the row values of entries. Raises `ConfigurationError` if metadata cannot be written as JSON."""
    additions: list[_Addition | ConfigurationError] = []
    last_scope, last_kind, shelf = None, None, ("", "", "")
    for entry in entries:
        scope, kind, id, prompt = _OF_ROW(entry.__dict__)
        if scope is not last_scope or kind is not last_kind:  # reading a scope's name takes as long as the rest
            last_scope, last_kind, shelf = scope, kind, (text(scope.tenant), text(scope.project), kind.value)
        parts = (
            entry,
            max_entries,
            shelf,
            id if id.isascii() else text(id),
            prompt if prompt.isascii() else text(prompt),
            encode_entry(entry),
            None if _LABELLED_BY.isdisjoint(entry.__pydantic_fields_set__) else _labels(entry),
        )
        additions.append(_make_tuple(_Addition, parts))  # _Addition(*parts), without a function call
    return additions


def _addition(entry: MemoryEntry, max_entries: int) -> _Addition:
    """Return the row values of one entry. Raises `ConfigurationError`."""
    return cast("_Addition", _additions([entry], max_entries)[0])


def _labels(entry: MemoryEntry) -> _Labels | None:
    lesson, names = lesson_key(entry), _NAMES_OF(entry.__dict__)
    return None if lesson is None and names == _NO_NAMES else (lesson, *map(text_or_none, names))


_make_tuple: Final = cast("Callable[[type[_Addition], tuple[Any, ...]], _Addition]", tuple.__new__)
_OF_ROW: Final = itemgetter("scope", "kind", "id", "prompt")
_NAMES_OF: Final = itemgetter("domain", "task_type", "agent_id", "session_id")
_LABELLED_BY: Final = frozenset({"kind", "domain", "task_type", "agent_id", "session_id"})
_NO_NAMES: Final = (None, None, None, None)
_NO_LABELS: Final = (None, None, None, None, None)


def _addition_or_why_not(entry: MemoryEntry, max_entries: int) -> _Addition | ConfigurationError:
    try:
        return _addition(entry, max_entries)
    except ConfigurationError as refusal:
        return refusal


_INSERT: Final = "INSERT INTO entry (row, scope, id, kind, prompt, body) VALUES (?, ?, ?, ?, ?, ?)"
_INSERT_LABELLED: Final = (
    "INSERT INTO entry (row, scope, id, kind, prompt, body, lesson, domain, task_type, agent_id, session_id) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def _add_all(
    db: sqlite3.Connection, additions: Sequence[_Addition | ConfigurationError], *, together: bool
) -> Sequence[MemoryEntry | ConfigurationError]:
    """Add entries in order; with `together`, many at once, except lessons, which may have to be merged."""
    if together and (plain := _all_plain(additions)):
        return _add_alike(db, *plain)
    outcomes: list[MemoryEntry | ConfigurationError] = []
    for limit, group in groupby(additions, key=_limit_of_plain):
        if limit is None or not together:
            outcomes.extend(_add(db, each) if isinstance(each, _Addition) else each for each in group)
        else:
            outcomes.extend(_add_plain(db, cast("list[_Addition]", list(group)), limit))
    return outcomes


def _limit_of_plain(addition: _Addition | ConfigurationError) -> int | None:
    if isinstance(addition, _Addition) and (addition.labels is None or addition.labels[0] is None):
        return addition.max_entries
    return None


_Columns = tuple[tuple[Any, ...], ...]


def _all_plain(additions: Sequence[_Addition | ConfigurationError]) -> tuple[_Shelf, int, _Columns] | None:
    """Return shelf, limit and columns if all have the same shelf and limit and no labels (usual), else None."""
    if set(map(type, additions)) != {_Addition}:
        return None
    columns: _Columns = tuple(zip(*cast("Sequence[_Addition]", additions), strict=True))
    _, limits, shelves, *_, labels = columns
    if any(labels) or len(set(limits)) > 1 or len(set(shelves)) > 1:
        return None
    return shelves[0], limits[0], columns


def _add_alike(db: sqlite3.Connection, shelf: _Shelf, limit: int, columns: _Columns) -> list[MemoryEntry]:
    """Add entries of one shelf without labels, as `_add_plain` does, with no step of Python per entry."""
    entries, _, _, ids, prompts, bodies, _ = columns
    scope, kind, number = _scope_number(db, shelf), shelf[2], len(entries)
    rows = count(_next_row(db, number))
    db.executemany(_INSERT, zip(rows, repeat(scope), ids, repeat(kind), prompts, bodies, strict=False))
    _evict(db, scope, kind, _counted(db, scope, kind, number) - limit)
    return list(entries)


def _add_plain(db: sqlite3.Connection, additions: Sequence[_Addition], limit: int) -> list[MemoryEntry]:
    """Add entries that are not lessons, and keep the newest `limit` per shelf, as if added one by one.

    Raises:
        sqlite3.IntegrityError: not all of the ids are new; some entries may have been added.
    """
    shelves = Counter([addition.shelf for addition in additions])
    scopes = {shelf: _scope_number(db, shelf) for shelf in shelves}
    first = _next_row(db, len(additions))
    plain = [
        (row, scopes[shelf], id, shelf[2], prompt, body)
        for row, (_, _, shelf, id, prompt, body, labels) in enumerate(additions, first)
        if labels is None
    ]
    db.executemany(_INSERT, plain)
    if len(plain) < len(additions):
        labelled = [
            (row, scopes[shelf], id, shelf[2], prompt, body, *labels)
            for row, (_, _, shelf, id, prompt, body, labels) in enumerate(additions, first)
            if labels is not None
        ]
        db.executemany(_INSERT_LABELLED, labelled)
    for shelf, number in shelves.items():
        _evict(db, scopes[shelf], shelf[2], _counted(db, scopes[shelf], shelf[2], number) - limit)
    return [addition.entry for addition in additions]


def _add(db: sqlite3.Connection, addition: _Addition) -> MemoryEntry:
    """Add one entry, step by step."""
    entry, twin = addition.entry, None
    if addition.lesson is not None:
        alike = Where(entry.scope).equals("kind", entry.kind.value).equals("lesson", addition.lesson)
        twin = newest(db, where=alike)
    delete(db, where=Where(entry.scope).equals("id", entry.id))
    if twin is not None:
        delete(db, where=Where().equals("row", twin.row))
        addition = _addition(merge_lessons(twin.entry, entry), addition.max_entries)
    scope, kind = _scope_number(db, addition.shelf), addition.shelf[2]
    _, _, _, id, prompt, body, labels = addition
    db.execute(_INSERT_LABELLED, (_next_row(db, 1), scope, id, kind, prompt, body, *(labels or _NO_LABELS)))
    _evict(db, scope, kind, _counted(db, scope, kind, 1) - addition.max_entries)
    return addition.entry


def _scope_number(db: sqlite3.Connection, shelf: _Shelf) -> int:
    """Return the number of a shelf's scope, a new one when it has none yet."""
    names = shelf[:2]
    found = db.execute("SELECT number FROM scope WHERE tenant = ? AND project = ?", names).fetchone()
    if found is None:
        return cast("int", db.execute("INSERT INTO scope (tenant, project) VALUES (?, ?)", names).lastrowid)
    return found[0]


def _next_row(db: sqlite3.Connection, number: int) -> int:
    """Reserve `number` new rows and return the first. Rows ascend and are never reused."""
    db.execute("UPDATE clock SET row = row + ?", (number,))
    return one(db, "SELECT row FROM clock") - number + 1


def _counted(db: sqlite3.Connection, scope: int, kind: str, number: int) -> int:
    """Note that `number` more entries are on a shelf; return how many that makes."""
    db.execute(
        "INSERT INTO shelf VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET entries = entries + excluded.entries",
        (scope, kind, number),
    )
    return db.execute("SELECT entries FROM shelf WHERE scope = ? AND kind = ?", (scope, kind)).fetchone()[0]


def _evict(db: sqlite3.Connection, scope: int, kind: str, number: int) -> None:
    """Remove the `number` oldest entries of a shelf that may go (`is_kept`); the newest one stays."""
    if number > 0:
        may_go = " AND NOT instr(body, ?)" * len(KEPT_MARKS)
        db.execute(
            "DELETE FROM entry WHERE row IN (SELECT row FROM entry WHERE scope = ? AND kind = ? AND row < "
            f"(SELECT max(row) FROM entry WHERE scope = ? AND kind = ?){may_go} ORDER BY row LIMIT ?)",
            (scope, kind, scope, kind, *KEPT_MARKS, number),
        )


# -- changing and removing -------------------------------------------------------------------------


def update(
    db: sqlite3.Connection, *, id: str, change: Callable[[MemoryEntry], MemoryEntry], scope: Scope | None
) -> MemoryEntry:
    """Put `change(entry)` in the place of the newest entry of that id. Raises `NotFoundError`."""
    found = newest(db, where=Where(scope).equals("id", id))
    if found is None:
        raise NotFoundError(f"no memory entry {id!r}")
    entry = change(found.entry)
    db.execute(
        "UPDATE entry SET domain = ?, task_type = ?, agent_id = ?, session_id = ?, lesson = ?, body = ? WHERE row = ?",
        (
            *map(text_or_none, (entry.domain, entry.task_type, entry.agent_id, entry.session_id)),
            *(lesson_key(entry), encode_entry(entry), found.row),
        ),
    )
    return entry


def remove(db: sqlite3.Connection, *, ids: Sequence[str], scope: Scope | None) -> int:
    """Remove all entries with those ids, or none; return their number. Raises `NotFoundError`."""
    each = [Where(scope).equals("id", id) for id in dict.fromkeys(ids)]
    unknown = [id for id, where in zip(dict.fromkeys(ids), each, strict=True) if newest(db, where=where) is None]
    if unknown:
        raise NotFoundError(f"no memory entry {', '.join(map(repr, unknown))}")
    return sum(delete(db, where=where) for where in each)


def delete(db: sqlite3.Connection, *, where: Where) -> int:
    """Remove the entries that pass; return their number."""
    return db.execute(f"DELETE FROM entry{where}", where.values).rowcount
