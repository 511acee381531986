"""MemoryActor: the actor behind ReflexionMemory, and its messages.

It is the only writer of its store in this process. One index per scope follows the store, so entries of other processes
are found too. The store outlives the actor: a successor rebuilds the indexes from the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from functools import partial
from heapq import merge
from typing import Any, Final, Literal, TypeVar

from cachetools import LRUCache

from jido_ai.actors.actor import Actor, Reply
from jido_ai.actors.exit_reason import Crashed
from jido_ai.actors.ref import Ask
from jido_ai.errors import CallError, ConfigurationError, EmbeddingError, NotFoundError, RunClaimedError, StoreError
from jido_ai.memory.batches import KeptEntries, StoreAll
from jido_ai.memory.evidence import is_told_again, used
from jido_ai.memory.index.keyword_index import Counting
from jido_ai.memory.index.vector_index import Scan
from jido_ai.memory.lessons import (
    found_by,
    is_expired,
    linked,
    matches,
    nearest_first,
    one_per_prompt_and_lesson,
    rank,
    short_marks,
    unlinked,
)
from jido_ai.memory.scope_index import EmbeddingScope, KeywordScope, ScopeIndex, Surroundings, digests
from jido_ai.memory.store import BatchStore, MemoryStore
from jido_ai.protocols import Embedder
from jido_ai.values import Link, MemoryEntry, MemoryQuery, Scope, Scored, utc_now
from jido_ai.values.record import Record, StoredEntry

T = TypeVar("T")
_Ranked = tuple[tuple[float, float, float, int], float, tuple[str, ...]]
"""A search result: its sort key (the row last), its similarity, and its marks for deduplication."""

AuditLevel = Literal["none", "writes", "all"]
_ROWS_PER_PAGE: Final = 500
_ROWS_PER_TURN: Final = 100
_ROWS_PER_LOOK: Final = 5_000
_ENTRIES_IN_MIND: Final = 2_000_000
_ENTRIES_A_SCOPE_COSTS: Final = 1_000
_IDS_PER_AUDIT: Final = 100
_TRIES: Final = 3
_SCORED: Final = {"entry", "similarity"}
_READS: Final = frozenset(("get", "list", "query", "retrieve"))


class _Hits:
    """The hits of one query; what was searched for once is not searched for again."""

    def __init__(self, index: ScopeIndex, asked: Any, threshold: float) -> None:
        self._search = partial(index.search, asked, threshold=threshold)
        self._hits: list[tuple[int, float]] = []
        self._limit = 0
        self.entries: dict[int, MemoryEntry] = {}  # those of them that were read

    async def first(self, count: int) -> list[tuple[int, float]]:
        """Return at most `count` pairs of row and score, best first."""
        if self._limit < count and len(self._hits) == self._limit:
            self._hits, self._limit = await self._search(count), count
        return self._hits[:count]


def _looked_at(most: int) -> int:
    """Return how many hits are read to find so many that are distinct."""
    return max(16, 4 * most)


@dataclass(frozen=True, slots=True, eq=False)
class Call(Ask[T]):
    """Answer with the result of `operation`.

    Attributes:
        operation: gets the actor; most of them only pass a call on to its store.
        verb: recorded in the audit log, with the ids and the scope of the answer; None records nothing.
        ids, scope: recorded if the answer has none.
    """

    operation: Callable[[MemoryActor], Awaitable[T]]
    verb: str | None = None
    ids: Sequence[str] = ()
    scope: Scope | None = None


Message = Call[Any] | StoreAll


class _MovedError(Exception):
    """An entry was found and is not in its place any more: it was merged, which gives it a new row, or removed."""


_is_last_try: Final[ContextVar[bool]] = ContextVar("_is_last_try", default=False)


async def _in_peace(search: Callable[[], Awaitable[T]]) -> T:
    """Search; if entries move meanwhile, search again, and the last time leave them out."""
    for _ in range(_TRIES):
        with suppress(_MovedError):
            return await search()
    token = _is_last_try.set(True)
    try:
        return await search()
    finally:
        _is_last_try.reset(token)


# -- the actor -------------------------------------------------------------------------------------


class MemoryActor(Actor[Message]):
    """Writes to a store and keeps the indexes that follow it.

    Each message has its own task, so that concurrent writes reach the store together (it commits them as one) and a
    slow query blocks nothing else. An error that is neither the caller's nor the store's ends the actor.
    """

    takes_asks = True  # each message is a task

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
        self.store = store
        self._batches = store if isinstance(store, BatchStore) else None
        self._max_entries = max_entries
        self._similarity = similarity
        self._threshold = similarity_threshold
        self._embedder = embedder
        self._large_counting = large_counting
        self._large_scan = large_scan
        self._audit: AuditLevel = audit
        self._scopes = _Indexes(lambda index: self.run_task(index.drop()))
        self._telling = asyncio.Lock()
        self._to_embed = set[Scope]()
        self._context = copy_context()

    def take(self, message: Message, reply: asyncio.Future[Any]) -> None:
        self.cell.reply = reply
        self._context.run(self._begin, message)  # not the asker's, whose run would pay for embeddings

    async def on_receive(self, message: Message) -> None:
        self._begin(message)

    def _begin(self, message: Message) -> None:
        if isinstance(message, StoreAll):
            self._store_all(message, self.defer_reply())
        else:
            self.run_task(self._serve(message, self.defer_reply()))

    async def _serve(self, message: Call[Any], reply: Reply) -> None:
        try:
            answer = await message.operation(self)
            if self._audit != "none" and message.verb is not None:
                await self._note(message, message.verb, answer)
            reply.send(answer)
        except (ConfigurationError, NotFoundError, RunClaimedError, StoreError, EmbeddingError) as error:
            reply.fail(error)
        except Exception as error:  # the caller gets the error; other pending calls go to the successor
            failure = CallError(Crashed(error), str(self.ref), message)
            failure.__cause__ = error
            reply.fail(failure)
            raise

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
                    self._embed_soon(scope)
            reply.send(outcome)

    # -- operations that take more than a call of the store ------------------------------------------

    async def add(self, entry: MemoryEntry) -> MemoryEntry:
        kept = await self.store.add(entry, max_entries=self._max_entries)
        if self._embedder is not None:
            self._embed_soon(entry.scope)
        return kept

    async def learn(self, entry: MemoryEntry) -> MemoryEntry:
        """Store what a run or an episode taught; an entry that is there already stays where it is, with its uses."""
        async with self._telling:
            known = await self.store.get(entry.id, scope=entry.scope)
            if known is not None and (known.evidence, *_words(known)) == (entry.evidence, *_words(entry)):
                return known
            return await self.add(entry)

    async def note(self, records: Sequence[Record]) -> list[Record]:
        """Append what is told for the first time; what is told anew under its key replaces what it said before."""
        async with self._telling:
            kept: list[Record] = []
            for record in records:
                log, scope, key = record.log, record.scope, record.key
                newest = await self.store.records(log, scope=scope, key=key, newest_first=True, limit=1)
                if newest and is_told_again(newest[0].data, record.data):
                    kept += newest
                    continue
                kept += await self.store.append([record])
                if newest:
                    await self.store.drop_records(log, scope=scope, key=key, before=record.timestamp)
            return kept

    async def use(self, id: str, scope: Scope | None, *, success: bool, run_id: str | None = None) -> MemoryEntry:
        """Count a use of an entry."""
        now = utc_now()
        return await self.store.update(
            id, lambda entry: used(entry, success=success, now=now, run_id=run_id), scope=scope
        )

    async def update(self, id: str, change: Callable[[MemoryEntry], MemoryEntry], scope: Scope | None) -> MemoryEntry:
        """Change an entry; if it is found by other texts then, its scope's index is read anew."""
        before: list[tuple[str, ...]] = []

        def changed(entry: MemoryEntry) -> MemoryEntry:
            before.append(found_by(entry.kind, entry.prompt, entry.__dict__))
            return change(entry)

        entry = await self.store.update(id, changed, scope=scope)
        if before[-1] != found_by(entry.kind, entry.prompt, entry.__dict__):
            index = self._scopes.pop(entry.scope, None)
            if index is not None:
                self.run_task(index.drop())
        return entry

    async def get(self, id: str, scope: Scope | None) -> MemoryEntry:
        entry = await self.store.get(id, scope=scope)
        if entry is None:
            raise NotFoundError(f"no memory entry {id!r}")
        return entry

    async def add_link(self, id: str, link: Link, scope: Scope | None) -> MemoryEntry:
        entry = await self.get(id, scope)
        await self.get(link.id, entry.scope)
        return await self.store.update(id, partial(linked, link=link), scope=entry.scope)

    async def scopes(self) -> list[Scope]:
        """Return the scopes that have entries or episodes."""
        found: dict[Scope, None] = {}
        before: int | None = None
        while page := await self.store.select(None, before=before, limit=_ROWS_PER_LOOK):
            before = page[-1].row
            found.update(dict.fromkeys(stored.entry.scope for stored in page))
        after = 0
        while records := await self.store.records("episodes", after=after, limit=_ROWS_PER_PAGE):
            after = records[-1].row
            found.update(dict.fromkeys(record.scope for record in records))
        return sorted(found, key=lambda scope: (scope.tenant, scope.project))

    async def forget(self, ids: Sequence[str], scope: Scope | None) -> int:
        """Remove entries and their embeddings, all or none, then the links to them."""
        entries = [entry for id in ids if (entry := await self.store.get(id, scope=scope)) is not None]
        gone = await self.store.remove(ids, scope=scope)
        for entry in entries:
            for key in digests(entry):
                await self.store.drop_records("embeddings", scope=entry.scope, key=key)
        unlink = partial(unlinked, ids=frozenset(ids))
        for within in dict.fromkeys(entry.scope for entry in entries):
            before: int | None = None
            while page := await self.store.select(within, before=before, limit=_ROWS_PER_PAGE):
                before = page[-1].row
                for stored in page:
                    if unlink(stored.entry) is not stored.entry:
                        with suppress(NotFoundError):  # it went, too
                            await self.store.update(stored.entry.id, unlink, scope=within)
                await asyncio.sleep(0)
        return gone

    async def clear(self, scope: Scope | None) -> int:
        await self.store.drop_records("embeddings", scope=scope)
        return await self.store.clear(scope)

    async def embed_pending(self, scope: Scope) -> int:
        return (await self._followed(scope)).pending

    async def retrieve(self, prompt: str, max_results: int, threshold: float, scope: Scope) -> list[Scored]:
        """Return the most similar entries."""

        async def search() -> list[Scored]:
            index = await self._followed(scope)
            return await self._nearest(_Hits(index, await index.read(prompt), threshold), max_results)

        return await _in_peace(search)

    async def recall(
        self,
        prompt: str,
        most: int,
        threshold: float,
        scope: Scope,
        *,
        wants: Callable[[MemoryEntry], bool],
        shown: int,
    ) -> tuple[list[Scored], list[Scored]]:
        """Return the most similar entries that are no examples, and the most similar examples that `wants` accepts."""

        async def search() -> tuple[list[Scored], list[Scored]]:
            index = await self._followed(scope)
            hits, examples = _Hits(index, await index.read(prompt), threshold), index.examples
            if not examples:
                return await self._nearest(hits, most), []
            looked_at = 4 * len(examples) if shown else 0
            first = await hits.first(max(looked_at, _looked_at(most)))
            hits.entries = await self._fetched([row for row, _ in first[:_ROWS_PER_TURN]])  # at once for both
            others = await self._nearest(hits, most, among=lambda row: row not in examples)
            if shown < 1:
                return others, []
            passing = examples.__contains__
            return others, await self._nearest(hits, shown, among=passing, wants=wants, looked_at=looked_at)

        return await _in_peace(search)

    async def _nearest(
        self,
        hits: _Hits,
        most: int,
        *,
        among: Callable[[int], bool] | None = None,
        wants: Callable[[MemoryEntry], bool] | None = None,
        looked_at: int = 0,
    ) -> list[Scored]:
        """Return the most similar entries: read more and more hits until enough of them are distinct.

        Args:
            among: passes the rows to look at; `wants` the entries.
            looked_at: hits to begin with.
        """
        now, looked_at, seen = utc_now(), max(_looked_at(most), looked_at), 0
        found: list[Scored] = []
        while True:
            nearest = await hits.first(looked_at)
            for start in range(seen, len(nearest), _ROWS_PER_TURN):
                page = nearest[start : start + _ROWS_PER_TURN]
                if among is not None:
                    page = [(row, score) for row, score in page if among(row)]
                if unread := [row for row, _ in page if row not in hits.entries]:
                    hits.entries |= await self._fetched(unread)
                fresh = [
                    Scored.of_checked({"entry": entry, "similarity": score}, _SCORED)
                    for row, score in page
                    if (entry := hits.entries.get(row)) is not None
                    and not is_expired(entry, now)
                    and (wants is None or wants(entry))
                ]
                found = one_per_prompt_and_lesson(nearest_first((*found, *fresh), now))
                if len(found) >= most:
                    return found[:most]
                if start + _ROWS_PER_TURN < len(nearest):
                    await asyncio.sleep(0)  # a store that answers at once never yields to the event loop
            if len(nearest) < looked_at:
                return found
            await asyncio.sleep(0)
            seen, looked_at = len(nearest), looked_at * 4

    async def query(self, query: MemoryQuery) -> list[Scored]:
        """Return the results of a query, best rank first."""
        return await _in_peace(partial(self._query, query))

    async def _query(self, query: MemoryQuery) -> list[Scored]:
        now = utc_now()
        pages: list[list[_Ranked]] = []

        def consider(found: Sequence[tuple[StoredEntry, float]]) -> None:
            """Add a page of entries and their similarities, sorted best first."""
            page = [
                ((*rank(stored.entry, similarity, now), stored.row), similarity, short_marks(stored.entry))
                for stored, similarity in found
                if query.include_expired or not is_expired(stored.entry, now)
            ]
            pages.append(sorted(page, reverse=True))

        if query.text is None:
            before: int | None = None
            while page := await self.store.select(query.scope, where=query, before=before, limit=_ROWS_PER_PAGE):
                before = page[-1].row
                consider([(stored, 0.0) for stored in page])
                await asyncio.sleep(0)
        else:
            threshold = self._threshold if query.min_similarity is None else query.min_similarity
            index = await self._followed(query.scope)
            hits = await index.search(await index.read(query.text), len(index), threshold)
            for start in range(0, len(hits), _ROWS_PER_PAGE):
                page = hits[start : start + _ROWS_PER_PAGE]
                entries = await self._fetched([row for row, _ in page])
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
        entries = await self._fetched(list(chosen))
        return [Scored(entries[row], similarity) for row, similarity in chosen.items() if row in entries]

    async def _fetched(self, rows: Sequence[int]) -> dict[int, MemoryEntry]:
        """Return entries. Raises `_MovedError` if one is gone, unless the search is not to be repeated."""
        entries = await self.store.fetch(rows)
        if len(entries) < len(rows) and not _is_last_try.get():
            raise _MovedError
        return entries

    async def _followed(self, scope: Scope, *, fills: bool = True) -> ScopeIndex:
        """Return the index of a scope, brought up to date; see `ScopeIndex.follow`."""
        index = self._scopes.get(scope)
        if index is None:
            index = self._scopes[scope] = self._new_index(scope)
        if await index.follow(fills=fills):
            self._scopes.pop(scope, None)  # else the cache could evict it to make room for itself
            self._scopes[scope] = index  # its size has changed
        return index

    def _new_index(self, scope: Scope) -> ScopeIndex:
        around = Surroundings(
            store=self.store,
            emit=lambda name, facts: self.system.emit(name, actor=str(self.ref), **facts),
            run_task=self.run_task,
            large_counting=self._large_counting,
            large_scan=self._large_scan,
        )
        if self._embedder is not None:
            return EmbeddingScope(scope, around, self._embedder)
        return KeywordScope(scope, around, self._similarity)

    def _embed_soon(self, scope: Scope) -> None:
        """Embed newly stored entries in a task, so that the next query does not have to wait."""
        if scope not in self._to_embed:
            self._to_embed.add(scope)
            self.run_task(self._embed(scope))

    async def _embed(self, scope: Scope) -> None:
        await asyncio.sleep(0)  # what is stored in this turn is embedded together
        self._to_embed.discard(scope)
        with suppress(StoreError):  # the next query meets the error again and raises it
            await self._followed(scope, fills=False)

    async def _note(self, message: Call[Any], verb: str, answer: Any) -> None:
        """Record an operation in the audit log: ids and numbers, no text."""
        access = "read" if verb in _READS else "write"
        if access == "read" and self._audit != "all":
            return
        scope, ids = message.scope, message.ids
        if isinstance(answer, MemoryEntry):
            scope, ids = answer.scope, (answer.id,)
        elif not isinstance(answer, int):
            ids = [getattr(one, "entry", one).id for one in answer]
        count = answer if isinstance(answer, int) else len(ids)
        data = {"access": access, "ids": list(ids[:_IDS_PER_AUDIT]), "entries": count}
        key = ids[0] if len(ids) == 1 else ""
        await self.store.append([Record(log="audit", key=key, kind=verb, data=data, scope=scope or Scope())])


class _Indexes(LRUCache[Scope, ScopeIndex]):
    """An LRU cache of the indexes, limited by their total size."""

    def __init__(self, drop: Callable[[ScopeIndex], object]) -> None:
        super().__init__(_ENTRIES_IN_MIND, getsizeof=_size_in_mind)
        self._drop = drop

    def popitem(self) -> tuple[Scope, ScopeIndex]:
        scope, index = super().popitem()
        self._drop(index)
        return scope, index


def _words(entry: MemoryEntry) -> tuple[str, ...]:
    return entry.kind, entry.prompt, entry.mistake, entry.correction


def _outcome(done: asyncio.Future[T]) -> T | BaseException:
    return asyncio.CancelledError() if done.cancelled() else done.exception() or done.result()


def _size_in_mind(index: ScopeIndex) -> int:
    return min(_ENTRIES_IN_MIND, len(index) + _ENTRIES_A_SCOPE_COSTS)
