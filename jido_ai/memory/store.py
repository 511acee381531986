"""Protocols of stores. Their contract suite, which yours passes too, is in `jido_ai.testing.contracts`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Protocol, runtime_checkable

from jido_ai.errors import ConfigurationError, StoreError
from jido_ai.values import MemoryEntry, MemoryQuery, Scope
from jido_ai.values.record import Changes, Claim, Cursor, LogName, LogSummary, Record, StoredEntry


class MemoryStore(Protocol):
    """Keeps memory entries and logs. When a method returns, its writes are as durable as the store can make them.

    `scope=None` means all scopes. Ids are unique within a scope. Failures of the store are `StoreError`s. Other
    processes may use the same store: every method sees the writes that they committed before it was called.
    """

    async def open(self) -> None:
        """Prepare the store for use. A damaged, foreign or newer store is refused and left untouched."""
        ...

    async def close(self) -> None:
        """Finish pending requests and release resources. Closing twice is allowed."""
        ...

    async def add(self, entry: MemoryEntry, *, max_entries: int) -> MemoryEntry:
        """Store an entry as the newest of its scope and return it as stored.

        An entry with the same id in that scope is replaced; lessons with the same `lesson_key` are merged by
        `merge_lessons`. At `max_entries` of its kind in its scope, the oldest of these is removed first.
        """
        ...

    async def update(
        self, id: str, change: Callable[[MemoryEntry], MemoryEntry], *, scope: Scope | None = None
    ) -> MemoryEntry:
        """Replace the entry by `change(entry)`, atomically, and return the new entry. Its row does not change.

        If several scopes have the id, the newest entry is changed. `change` may run on another thread, and more than
        once; it must not change id, kind, scope or prompt.

        Raises:
            NotFoundError: no such id.
        """
        ...

    async def remove(self, ids: Sequence[str], *, scope: Scope | None = None) -> int:
        """Remove the entries with these ids, atomically, and return how many were removed.

        Raises:
            NotFoundError: one of the ids does not exist; then nothing is removed.
        """
        ...

    async def clear(self, scope: Scope | None = None) -> int:
        """Remove all entries and return how many were removed."""
        ...

    async def count(self, scope: Scope | None = None) -> int:
        """Return the number of entries."""
        ...

    async def get(self, id: str, *, scope: Scope | None = None) -> MemoryEntry | None:
        """Return the entry with that id, the newest one if several scopes have it, or None."""
        ...

    async def fetch(self, rows: Sequence[int]) -> dict[int, MemoryEntry]:
        """Return the entries of `rows` that still exist."""
        ...

    async def select(
        self,
        scope: Scope | None = None,
        *,
        where: MemoryQuery | None = None,
        before: int | None = None,
        offset: int = 0,
        limit: int | None = None,
    ) -> list[StoredEntry]:
        """Return entries, newest first.

        Args:
            where: the filters of a query, as `jido_ai.memory.lessons.matches` reads them.
            before: only rows smaller than this one.
            offset, limit: how many to skip, and how many to return at most; None is no limit.
        """
        ...

    async def changes(self, scope: Scope, since: Cursor, limit: int) -> Changes:
        """Return the changes of `scope` after `since`, with at most `limit` added rows. `Cursor()` is the start."""
        ...

    # -- logs --------------------------------------------------------------------------------------

    async def append(self, records: Sequence[Record]) -> list[Record]:
        """Store records, all or none, in order, and return them as they will be read back, with their rows.

        Raises:
            ConfigurationError: a record has an unknown log, a time without a zone, or data that JSON cannot hold.
        """
        ...

    async def records(
        self,
        log: LogName,
        *,
        scope: Scope | None = None,
        key: str | None = None,
        kind: str | None = None,
        after: int = 0,
        since: datetime | None = None,
        until: datetime | None = None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[Record]:
        """Return the records of a log that match all given filters, by row.

        Args:
            after: only rows above this one; with `newest_first`, and not 0, only rows below it.
            since, until: bounds of the timestamp, both inclusive.
        """
        ...

    async def summaries(
        self, log: LogName, *, scope: Scope | None = None, offset: int = 0, limit: int | None = None
    ) -> list[LogSummary]:
        """Return one summary per scope and key of a log, the one with the newest record first."""
        ...

    async def drop_records(
        self,
        log: LogName,
        *,
        scope: Scope | None = None,
        key: str | None = None,
        kind: str | None = None,
        before: datetime | None = None,
        beyond: int = 0,
    ) -> int:
        """Remove the records of a log that match all given filters, and return how many were removed.

        Args:
            before: only records with an earlier time.
            beyond: of the records that match, the number of newest ones that stay, at least 0.
        """
        ...


@runtime_checkable
class BatchStore(Protocol):
    """A memory store that stores many entries in one step, which is faster than one `add` after the other."""

    def add_all(
        self, entries: Sequence[MemoryEntry], *, max_entries: int
    ) -> Awaitable[Sequence[MemoryEntry | ConfigurationError | StoreError]]:
        """Call `add` for each entry, in order; return its result or, for a refused entry, the error.

        An error that is raised concerns all entries: then nothing was stored. A method that returns a future has
        already started.
        """
        ...


@runtime_checkable
class ClaimStore(Protocol):
    """A memory store that also keeps claims of runs. Without one, only a pipeline's own runs are known as in flight."""

    async def claim(self, claim: Claim, is_void: Callable[[Claim], bool]) -> Claim:
        """Store a claim unless another valid claim of that run exists; return the valid one, with its number.

        Atomic: of two concurrent claims only one is stored. A claim with the same token is renewed; its number stays.

        Args:
            is_void: returns True if the existing claim is no longer valid. May be called in another thread.
        """
        ...

    async def append_claimed(self, records: Sequence[Record], claim: Claim, *, release: bool = False) -> list[Record]:
        """Do as `append`, if the stored claim of the run is still this one, even if it has expired.

        Args:
            release: also remove the claim, in the same transaction.

        Raises:
            RunClaimedError: it is not: nothing was stored. `owner` is the stored claim's, "" if there is none.
        """
        ...

    def keeper(self) -> ClaimKeeper | None:
        """Return a keeper that renews claims in another thread while the event loop is blocked; None if only this
        process can see them.
        """
        ...

    async def release(self, claim: Claim) -> None:
        """Remove a claim; does nothing if another claim of that run is valid, or none."""
        ...


class ClaimKeeper(Protocol):
    """Renews claims of one store. Its methods block; they are called in one thread, without an event loop."""

    def renew(self, claims: Sequence[Claim]) -> None:
        """Store the `expires_at` of the given claims, by token; claims that are no longer stored are skipped.

        Raises:
            StoreError: the store cannot be reached.
        """
        ...

    def close(self) -> None:
        """Close its connection. It opens again with the next `renew`."""
        ...
