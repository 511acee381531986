"""MemoryActor: the actor behind ReflexionMemory, and its messages.

It is the only writer of its store in this process. One index per scope follows the store, so entries of other processes
are found too. The store outlives the actor: a successor rebuilds the indexes from the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from heapq import merge
from typing import Any, Final, Literal, TypeVar, assert_never

from cachetools import LRUCache

from jido_ai.actors.actor import Actor, Reply
from jido_ai.actors.exit_reason import Crashed
from jido_ai.actors.ref import Ask
from jido_ai.errors import CallError, ConfigurationError, EmbeddingError, NotFoundError, RunClaimedError, StoreError
from jido_ai.memory.index.keyword_index import Counting
from jido_ai.memory.index.vector_index import Scan
from jido_ai.memory.lessons import is_expired, linked, matches, one_per_prompt_and_lesson, rank, result_marks, used
from jido_ai.memory.scope_index import EmbeddingScope, KeywordScope, ScopeIndex, Surroundings, digests
from jido_ai.memory.store import BatchStore, ClaimStore, MemoryStore
from jido_ai.protocols import Embedder
from jido_ai.values import Link, MemoryEntry, MemoryQuery, Scope, Scored, utc_now
from jido_ai.values.record import Claim, LogName, LogSummary, Record, StoredEntry

__all__ = [
    "Append",
    "AuditLevel",
    "ClaimRun",
    "Clear",
    "Count",
    "DropRecords",
    "EmbedPending",
    "Forget",
    "Get",
    "KeptEntries",
    "LinkTo",
    "ListEntries",
    "ListRecords",
    "ListStored",
    "MemoryActor",
    "Query",
    "RecordUsage",
    "ReleaseRun",
    "RetrieveSimilar",
    "Scopes",
    "Store",
    "StoreAll",
    "Summarise",
    "Update",
]

T = TypeVar("T")
KeptEntries = Sequence[MemoryEntry | ConfigurationError | StoreError]
"""The outcome of each entry of a batch."""

_Ranked = tuple[tuple[float, float, float, int], float, tuple[str, ...]]
"""A search result: its sort key (the row last), its similarity, and its marks for deduplication."""

AuditLevel = Literal["none", "writes", "all"]
_ROWS_PER_PAGE: Final = 500
_ROWS_PER_TURN: Final = 100
_ROWS_PER_LOOK: Final = 5_000
_ENTRIES_IN_MIND: Final = 2_000_000
_ENTRIES_A_SCOPE_COSTS: Final = 1_000
_IDS_PER_AUDIT: Final = 100
_LARGEST_BATCH: Final = 500
_FIXED: Final = ("id", "kind", "scope", "prompt", "mistake", "correction")


# -- messages --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Store(Ask[MemoryEntry]):
    """Store one entry. Answers with the entry as stored, once it is durable."""

    entry: MemoryEntry


@dataclass(frozen=True, slots=True)
class StoreAll(Ask[Sequence[MemoryEntry | ConfigurationError | StoreError] | None]):
    """Store entries together, as `BatchStore.add_all` does, in one transaction if the store has transactions.

    Answers with the outcome of each, once they are durable. None: an unexpected error of one entry made the batch fail;
    send them one by one. Only for a memory whose store is a `BatchStore`, without an audit log.

    Attributes:
        begun: receives the store's future once the store has accepted the entries. If the actor dies meanwhile, the
            future has their outcome.
    """

    entries: tuple[MemoryEntry, ...]
    begun: list[asyncio.Future[KeptEntries]] = field(default_factory=list["asyncio.Future[KeptEntries]"], compare=False)


@dataclass(frozen=True, slots=True)
class RetrieveSimilar(Ask[list[Scored]]):
    """Answer with at most `max_results` entries, most similar to `prompt` first."""

    prompt: str
    max_results: int
    threshold: float
    scope: Scope


@dataclass(frozen=True, slots=True)
class Query(Ask[list[Scored]]):
    """Answer with the results of a query, best rank first."""

    query: MemoryQuery


@dataclass(frozen=True, slots=True)
class RecordUsage(Ask[MemoryEntry]):
    """Count one more use of an entry."""

    id: str
    success: bool
    scope: Scope | None


@dataclass(frozen=True, slots=True)
class LinkTo(Ask[MemoryEntry]):
    """Link an entry to another one of the same scope."""

    id: str
    link: Link
    scope: Scope | None


@dataclass(frozen=True, slots=True)
class Update(Ask[MemoryEntry]):
    """Replace an entry with `change(entry)`, which has the same texts."""

    id: str
    change: Callable[[MemoryEntry], MemoryEntry]
    scope: Scope | None


@dataclass(frozen=True, slots=True)
class Scopes(Ask[list[Scope]]):
    """Answer with the scopes that have entries or episodes."""


@dataclass(frozen=True, slots=True)
class Count(Ask[int]):
    """Answer with the number of entries."""

    scope: Scope | None


@dataclass(frozen=True, slots=True)
class ListEntries(Ask[list[MemoryEntry]]):
    """Answer with entries, newest first."""

    scope: Scope | None
    limit: int | None
    offset: int
    where: MemoryQuery | None = None


@dataclass(frozen=True, slots=True)
class ListStored(Ask[list[StoredEntry]]):
    """Answer with entries and their rows, newest first; only rows below `before`."""

    scope: Scope | None
    before: int | None
    limit: int


@dataclass(frozen=True, slots=True)
class Get(Ask[MemoryEntry]):
    """Answer with one entry."""

    id: str
    scope: Scope | None


@dataclass(frozen=True, slots=True)
class Forget(Ask[int]):
    """Remove entries, all or none."""

    ids: tuple[str, ...]
    scope: Scope | None


@dataclass(frozen=True, slots=True)
class Clear(Ask[int]):
    """Remove everything."""

    scope: Scope | None


@dataclass(frozen=True, slots=True)
class Append(Ask[list[Record]]):
    """Store records in their logs, all or none; with a claim, only while the store holds it."""

    records: tuple[Record, ...]
    claim: Claim | None = None
    release: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRecords(Ask[list[Record]]):
    """Answer with records of a log, by row; the filters are those of `MemoryStore.records`."""

    log: LogName
    scope: Scope | None
    key: str | None
    kind: str | None
    after: int
    since: datetime | None
    until: datetime | None
    newest_first: bool
    limit: int | None


@dataclass(frozen=True, slots=True)
class Summarise(Ask[list[LogSummary]]):
    """Answer with one summary per scope and key of a log."""

    log: LogName
    scope: Scope | None
    offset: int
    limit: int | None


@dataclass(frozen=True, slots=True)
class DropRecords(Ask[int]):
    """Remove records of a log."""

    log: LogName
    scope: Scope | None
    key: str | None
    before: datetime | None


@dataclass(frozen=True, slots=True)
class EmbedPending(Ask[int]):
    """Embed some of the entries of a scope that have no embedding. Answer with the number of the others."""

    scope: Scope


@dataclass(frozen=True, slots=True)
class ClaimRun(Ask[Claim]):
    """Answer with the valid claim: this one, unless another process has claimed the run."""

    claim: Claim
    is_void: Callable[[Claim], bool]


@dataclass(frozen=True, slots=True)
class ReleaseRun(Ask[None]):
    """Remove a claim."""

    claim: Claim


Message = (
    Store
    | StoreAll
    | RetrieveSimilar
    | Query
    | RecordUsage
    | LinkTo
    | Update
    | Scopes
    | Count
    | ListEntries
    | ListStored
    | Get
    | Forget
    | Clear
    | Append
    | ListRecords
    | Summarise
    | DropRecords
    | EmbedPending
    | ClaimRun
    | ReleaseRun
)


# -- the actor -------------------------------------------------------------------------------------


class MemoryActor(Actor[Message]):
    """Writes to a store and keeps the indexes that follow it.

    Each message has its own task, so that concurrent writes reach the store together (it commits them as one) and a
    slow query blocks nothing else. An error that is neither the caller's nor the store's ends the actor.
    """

    def __init__(
        self,
        store: MemoryStore,
        *,
        max_entries: int,
        similarity: str,
        similarity_threshold: float,
        embedder: Embedder | None = None,
        large_counting: Callable[[], Counting | None] = lambda: None,
        large_scan: Callable[[], Scan | None] = lambda: None,
        audit: AuditLevel = "none",
    ) -> None:
        self._store = store
        self._batches = store if isinstance(store, BatchStore) else None
        self._claims = store if isinstance(store, ClaimStore) else None
        self._max_entries = max_entries
        self._similarity = similarity
        self._threshold = similarity_threshold
        self._embedder = embedder
        self._large_counting = large_counting
        self._large_scan = large_scan
        self._audit: AuditLevel = audit
        self._scopes = _Indexes(lambda index: self.run_task(index.drop()))

    async def on_receive(self, message: Message) -> None:
        if isinstance(message, StoreAll):
            self._store_all(message, self.defer_reply())
        else:
            self.run_task(self._serve(message, self.defer_reply()))

    async def _serve(self, message: Message, reply: Reply) -> None:
        try:
            answer = await self._answer(message)
            if self._audit != "none":
                await self._note(message, answer)
            reply.send(answer)
        except (ConfigurationError, NotFoundError, RunClaimedError, StoreError, EmbeddingError) as error:
            reply.fail(error)
        except Exception as error:  # the caller gets the error; other pending calls go to the successor
            failure = CallError(Crashed(error), str(self.ref), message)
            failure.__cause__ = error
            reply.fail(failure)
            raise

    async def _answer(self, message: Message) -> Any:
        match message:
            case Store(entry):
                kept = await self._store.add(entry, max_entries=self._max_entries)
                if self._embedder is not None:
                    self.run_task(self._embed_soon(entry.scope))
                return kept
            case StoreAll():
                raise AssertionError("see on_receive")
            case RetrieveSimilar():
                return await self._retrieve(message)
            case Query(query):
                return await self._query(query)
            case RecordUsage(id, success, scope):
                now = utc_now()
                return await self._store.update(id, lambda entry: used(entry, success=success, now=now), scope=scope)
            case LinkTo(id, link, scope):
                return await self._link(id, link, scope)
            case Update(id, change, scope):
                return await self._store.update(id, partial(_with_its_texts, change=change), scope=scope)
            case Scopes():
                return await self._scopes_with_anything()
            case Count(scope):
                return await self._store.count(scope)
            case ListEntries(scope, limit, offset, where):
                found = await self._store.select(scope, where=where, offset=offset, limit=limit)
                return [stored.entry for stored in found]
            case ListStored(scope, before, limit):
                return await self._store.select(scope, before=before, limit=limit)
            case Get(id, scope):
                return await self._get(id, scope)
            case Forget(ids, scope):
                return await self._forget(ids, scope)
            case Clear(scope):
                await self._store.drop_records("embeddings", scope=scope)
                return await self._store.clear(scope)
            case Append(records, claim, release):
                if claim is not None and self._claims is not None:
                    return await self._claims.append_claimed(records, claim, release=release)
                return await self._store.append(records)
            case ListRecords(log=log):
                return await self._store.records(
                    log,
                    scope=message.scope,
                    key=message.key,
                    kind=message.kind,
                    after=message.after,
                    since=message.since,
                    until=message.until,
                    newest_first=message.newest_first,
                    limit=message.limit,
                )
            case Summarise(log, scope, offset, limit):
                return await self._store.summaries(log, scope=scope, offset=offset, limit=limit)
            case DropRecords(log, scope, key, before):
                return await self._store.drop_records(log, scope=scope, key=key, before=before)
            case EmbedPending(scope):
                async with self._followed(scope) as index:
                    return await index.fill()
            case ClaimRun(claim, is_void):
                return claim if self._claims is None else await self._claims.claim(claim, is_void)
            case ReleaseRun(claim):
                return None if self._claims is None else await self._claims.release(claim)
            case _:
                assert_never(message)

    def _store_all(self, message: StoreAll, reply: Reply) -> None:
        """Store the entries and reply, without a task if the store needs none: every insert passes here."""
        assert self._batches is not None
        entries = message.entries
        try:
            kept = self._batches.add_all(entries, max_entries=self._max_entries)
        except Exception as error:  # noqa: BLE001 - handled like an error raised later
            self._tell_stored(entries, reply, error)
            return
        if isinstance(kept, asyncio.Future):
            message.begun.append(kept)
            kept.add_done_callback(lambda done: self._tell_stored(entries, reply, _outcome(done)))
        else:
            self.run_task(self._store_all_in_a_task(kept, entries, reply))

    async def _store_all_in_a_task(
        self, kept: Awaitable[KeptEntries], entries: Sequence[MemoryEntry], reply: Reply
    ) -> None:
        (outcome,) = await asyncio.gather(kept, return_exceptions=True)
        self._tell_stored(entries, reply, outcome)

    def _tell_stored(self, entries: Sequence[MemoryEntry], reply: Reply, outcome: KeptEntries | BaseException) -> None:
        if isinstance(outcome, StoreError):
            reply.fail(outcome)
        elif isinstance(outcome, BaseException):  # caused by one entry: sent one by one, the others succeed
            reply.send(None)
        else:
            if self._embedder is not None and self.cell.is_alive:
                for scope in dict.fromkeys(entry.scope for entry in entries):
                    self.run_task(self._embed_soon(scope))
            reply.send(outcome)

    async def _get(self, id: str, scope: Scope | None) -> MemoryEntry:
        entry = await self._store.get(id, scope=scope)
        if entry is None:
            raise NotFoundError(f"no memory entry {id!r}")
        return entry

    async def _link(self, id: str, link: Link, scope: Scope | None) -> MemoryEntry:
        entry = await self._get(id, scope)
        await self._get(link.id, entry.scope)
        return await self._store.update(id, partial(linked, link=link), scope=entry.scope)

    async def _scopes_with_anything(self) -> list[Scope]:
        found: dict[Scope, None] = {}
        before: int | None = None
        while page := await self._store.select(None, before=before, limit=_ROWS_PER_LOOK):
            before = page[-1].row
            found.update(dict.fromkeys(stored.entry.scope for stored in page))
        after = 0
        while records := await self._store.records("episodes", after=after, limit=_ROWS_PER_PAGE):
            after = records[-1].row
            found.update(dict.fromkeys(record.scope for record in records))
        return sorted(found, key=lambda scope: (scope.tenant, scope.project))

    async def _forget(self, ids: Sequence[str], scope: Scope | None) -> int:
        """Remove entries and their embeddings."""
        entries = [entry for id in ids if (entry := await self._store.get(id, scope=scope)) is not None]
        gone = await self._store.remove(ids, scope=scope)
        for entry in entries:
            for key in digests(entry):
                await self._store.drop_records("embeddings", scope=entry.scope, key=key)
        return gone

    async def _retrieve(self, ask: RetrieveSimilar) -> list[Scored]:
        """Read more and more hits until enough of them are distinct."""
        now, looked_at = utc_now(), max(16, 4 * ask.max_results)
        async with self._followed(ask.scope) as index:
            await index.fill()
            asked = await index.read(ask.prompt)
            found: list[Scored] = []
            seen = 0
            while True:
                hits = await index.search(asked, looked_at, ask.threshold)
                for start in range(seen, len(hits), _ROWS_PER_TURN):
                    page = hits[start : start + _ROWS_PER_TURN]
                    entries = await self._store.fetch([row for row, _ in page])
                    fresh = [
                        Scored(entries[row], score)
                        for row, score in page
                        if row in entries and not is_expired(entries[row], now)
                    ]
                    found = one_per_prompt_and_lesson((*found, *fresh))
                    if len(found) >= ask.max_results:
                        return found[: ask.max_results]
                    await asyncio.sleep(0)  # a store that answers at once never yields to the event loop
                if len(hits) < looked_at:
                    return found
                seen, looked_at = len(hits), looked_at * 4

    async def _query(self, query: MemoryQuery) -> list[Scored]:
        now = utc_now()
        pages: list[list[_Ranked]] = []

        def consider(found: Sequence[tuple[StoredEntry, float]]) -> None:
            """Add a page of entries and their similarities, sorted best first."""
            page = [
                ((*rank(stored.entry, similarity, now), stored.row), similarity, result_marks(stored.entry))
                for stored, similarity in found
                if query.include_expired or not is_expired(stored.entry, now)
            ]
            pages.append(sorted(page, reverse=True))

        if query.text is None:
            before: int | None = None
            while page := await self._store.select(query.scope, where=query, before=before, limit=_ROWS_PER_PAGE):
                before = page[-1].row
                consider([(stored, 0.0) for stored in page])
                await asyncio.sleep(0)
        else:
            threshold = self._threshold if query.min_similarity is None else query.min_similarity
            async with self._followed(query.scope) as index:
                await index.fill()
                asked = await index.read(query.text)
                hits = await index.search(asked, len(index), threshold)
            for start in range(0, len(hits), _ROWS_PER_PAGE):
                page = hits[start : start + _ROWS_PER_PAGE]
                entries = await self._store.fetch([row for row, _ in page])
                consider(
                    [
                        (StoredEntry(row, entries[row]), score)
                        for row, score in page
                        if row in entries and matches(entries[row], query)
                    ]
                )
                await asyncio.sleep(0)
        return await self._best_of(pages, query.k)

    async def _best_of(self, pages: Sequence[Sequence[_Ranked]], k: int) -> list[Scored]:
        """Return at most `k` entries of the pages, best first, one per prompt and per lesson text."""
        chosen: dict[int, float] = {}
        seen: set[str] = set()
        for number, (key, similarity, marks) in enumerate(merge(*pages, reverse=True), 1):
            if len(chosen) == k:
                break
            if seen.isdisjoint(marks):
                seen.update(marks)
                chosen[key[-1]] = similarity
            if number % _ROWS_PER_TURN == 0:
                await asyncio.sleep(0)
        entries = await self._store.fetch(list(chosen))
        return [Scored(entries[row], similarity) for row, similarity in chosen.items() if row in entries]

    @asynccontextmanager
    async def _followed(self, scope: Scope) -> AsyncGenerator[ScopeIndex]:
        """Lock the index of a scope and bring it up to date."""
        index = self._scopes.get(scope)
        if index is None:
            index = self._scopes[scope] = self._new_index(scope)
        async with index.lock:
            await index.catch_up()
            self._scopes.pop(scope, None)  # else the cache could evict it to make room for itself
            self._scopes[scope] = index  # its size has changed
            yield index

    def _new_index(self, scope: Scope) -> ScopeIndex:
        around = Surroundings(
            store=self._store,
            emit=lambda name, facts: self.system.emit(name, actor=str(self.ref), **facts),
            run_task=self.run_task,
            large_counting=self._large_counting,
            large_scan=self._large_scan,
        )
        if self._embedder is not None:
            return EmbeddingScope(scope, around, self._embedder)
        return KeywordScope(scope, around, self._similarity)

    async def _embed_soon(self, scope: Scope) -> None:
        """Embed newly stored entries, so that the next query does not have to wait."""
        try:
            async with self._followed(scope):
                pass
        except StoreError:
            return  # the next query meets the error again and raises it

    async def _note(self, message: Message, answer: Any) -> None:
        """Record a message in the audit log: ids and numbers, no text."""
        note = _audit_note(message, answer)
        if note is None or (note.data["access"] == "read" and self._audit != "all"):
            return
        await self._store.append([note])


class _Indexes(LRUCache[Scope, ScopeIndex]):
    """An LRU cache of the indexes, limited by their total size."""

    def __init__(self, drop: Callable[[ScopeIndex], object]) -> None:
        super().__init__(_ENTRIES_IN_MIND, getsizeof=_size_in_mind)
        self._drop = drop

    def popitem(self) -> tuple[Scope, ScopeIndex]:
        scope, index = super().popitem()
        self._drop(index)
        return scope, index


def _outcome(done: asyncio.Future[T]) -> T | BaseException:
    return asyncio.CancelledError() if done.cancelled() else done.exception() or done.result()


def _with_its_texts(entry: MemoryEntry, change: Callable[[MemoryEntry], MemoryEntry]) -> MemoryEntry:
    """Return the changed entry. Raises `ConfigurationError` if its identity or texts differ."""
    changed = change(entry)
    if any(getattr(entry, name) != getattr(changed, name) for name in _FIXED):
        raise ConfigurationError(f"update cannot change {', '.join(_FIXED)}; store a new entry instead")
    return changed


def _size_in_mind(index: ScopeIndex) -> int:
    return min(_ENTRIES_IN_MIND, len(index) + _ENTRIES_A_SCOPE_COSTS)


def _audit_note(message: Message, answer: Any) -> Record | None:
    """Return the audit record of an answered message; None for messages about the logs themselves."""
    ids: Sequence[str]
    match message:
        case Store(entry):
            verb, access, scope, ids = "store", "write", entry.scope, (answer.id,)
        case RecordUsage(id, _, _):
            verb, access, scope, ids = "record_usage", "write", answer.scope, (id,)
        case LinkTo(id, _, _):
            verb, access, scope, ids = "link", "write", answer.scope, (id,)
        case Update(id, _, _):
            verb, access, scope, ids = "update", "write", answer.scope, (id,)
        case Forget(ids, scope):
            verb, access = "forget", "write"
        case Clear(scope):
            verb, access, ids = "clear", "write", ()
        case RetrieveSimilar(scope=scope):
            verb, access, ids = "retrieve", "read", [scored.entry.id for scored in answer]
        case Query(query):
            verb, access, scope, ids = "query", "read", query.scope, [scored.entry.id for scored in answer]
        case ListEntries(scope=scope):
            verb, access, ids = "list", "read", [entry.id for entry in answer]
        case ListStored(scope=scope):
            verb, access, ids = "list", "read", [stored.entry.id for stored in answer]
        case Get(id, _):
            verb, access, scope, ids = "get", "read", answer.scope, (id,)
        case _:
            return None
    data = {
        "access": access,
        "ids": list(ids[:_IDS_PER_AUDIT]),
        "entries": answer if isinstance(answer, int) else len(ids),
    }
    key = ids[0] if len(ids) == 1 else ""
    return Record(log="audit", key=key, kind=verb, data=data, scope=scope or Scope())
