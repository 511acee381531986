"""ReflexionMemory: what was learnt, kept in a store and retrieved by likeness.

The handle `ReflexionMemory` checks and redacts what it is given, and asks. The actor behind it is the one writer; it
follows the store with a keyword index per scope, so that it also finds what other processes wrote. The store outlives
the actor: when that dies, its successor reads the store anew, and whoever was waiting is served by it.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import nlargest
from types import TracebackType
from typing import Any, Final, Self, TypeVar, assert_never, cast, get_args

from cachetools import LRUCache

from jido_ai.actors.actor import Actor, Reply
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.exit_reason import Crashed, Killed
from jido_ai.actors.ref import ActorRef, Ask
from jido_ai.actors.supervisor import Supervisor, WhichChildren
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ActorDeadError, CallError, ConfigurationError, NotFoundError, StoreError, describe
from jido_ai.logic.keyword_index import KeywordIndex
from jido_ai.logic.lessons import entry_from_reflection, is_expired, matches, one_per_prompt_and_lesson, rank, used
from jido_ai.logic.redaction import RedactLevel, redact, redact_values
from jido_ai.logic.similarity import Measure, MeasureName, measure_named
from jido_ai.protocols import Changes, Cursor, LogName, LogSummary, MemoryStore, Record, StoredEntry
from jido_ai.registry import resolve
from jido_ai.values import Episode, MemoryEntry, MemoryQuery, Reflection, Scope, Scored, utc_now

__all__ = ["MemoryActor", "ReflexionMemory"]

T = TypeVar("T")

_SCOPES_IN_MIND: Final = 64
_ROWS_PER_STEP: Final = 2000
_ROWS_PER_PAGE: Final = 500
_CHARS_ON_THE_LOOP: Final = 20_000
_COUNTS_ON_THE_LOOP: Final = 10_000
"""Work up to here is a millisecond or two and stays on the event loop; more of it goes to a thread."""
_TRIES: Final = 5


# -- messages --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Store(Ask[MemoryEntry]):
    """Keep one entry. Answered when it is durable, with the entry as it was stored."""

    entry: MemoryEntry


@dataclass(frozen=True, slots=True)
class RetrieveSimilar(Ask[list[Scored]]):
    """Answer with at most `max_results` entries, most similar to `prompt` first."""

    prompt: str
    max_results: int
    threshold: float
    scope: Scope


@dataclass(frozen=True, slots=True)
class Query(Ask[list[Scored]]):
    """Answer with what a query finds, best rank first."""

    query: MemoryQuery


@dataclass(frozen=True, slots=True)
class RecordUsage(Ask[MemoryEntry]):
    """Count one more use of an entry."""

    id: str
    success: bool
    scope: Scope | None


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
    """Keep records of the logs, all or none."""

    records: tuple[Record, ...]


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


Message = (
    Store
    | RetrieveSimilar
    | Query
    | RecordUsage
    | Count
    | ListEntries
    | Get
    | Forget
    | Clear
    | Append
    | ListRecords
    | Summarise
    | DropRecords
)


# -- the actor -------------------------------------------------------------------------------------


class MemoryActor(Actor[Message]):
    """The one writer of a store, and the index that follows it.

    Each message is served by a task of its own, so that many writes reach the store together (it commits them as one)
    and a slow query holds nobody up. An error that is not the caller's or the store's ends the actor.
    """

    def __init__(
        self, store: MemoryStore, *, max_entries: int, similarity: MeasureName, similarity_threshold: float
    ) -> None:
        self._store = store
        self._max_entries = max_entries
        self._similarity: MeasureName = similarity
        self._threshold = similarity_threshold
        self._scopes: LRUCache[Scope, _Follower] = LRUCache(_SCOPES_IN_MIND)

    async def on_receive(self, message: Message) -> None:
        self.run_task(self._serve(message, self.defer_reply()))

    async def _serve(self, message: Message, reply: Reply) -> None:
        try:
            reply.send(await self._answer(message))
        except (ConfigurationError, NotFoundError, StoreError) as error:
            reply.fail(error)
        except Exception as error:  # the one who asked is told; those who wait beside are served by our successor
            failure = CallError(Crashed(error), str(self.ref), message)
            failure.__cause__ = error
            reply.fail(failure)
            raise

    async def _answer(self, message: Message) -> Any:
        match message:
            case Store(entry):
                return await self._store.add(entry, max_entries=self._max_entries)
            case RetrieveSimilar():
                return await self._retrieve(message)
            case Query(query):
                return await self._query(query)
            case RecordUsage(id, success, scope):
                now = utc_now()
                return await self._store.update(id, lambda entry: used(entry, success=success, now=now), scope=scope)
            case Count(scope):
                return await self._store.count(scope)
            case ListEntries(scope, limit, offset):
                return [stored.entry for stored in await self._store.select(scope, offset=offset, limit=limit)]
            case Get(id, scope):
                entry = await self._store.get(id, scope=scope)
                if entry is None:
                    raise NotFoundError(f"no memory entry {id!r}")
                return entry
            case Forget(ids, scope):
                return await self._store.remove(ids, scope=scope)
            case Clear(scope):
                return await self._store.clear(scope)
            case Append(records):
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
            case _:
                assert_never(message)

    async def _retrieve(self, ask: RetrieveSimilar) -> list[Scored]:
        """Look at more and more hits until there are enough that differ."""
        now, looked_at = utc_now(), max(16, 4 * ask.max_results)
        async with self._followed(ask.scope) as follower:
            words = await follower.words(ask.prompt)
            while True:
                hits = await follower.search(words, looked_at, ask.threshold)
                entries = await self._store.fetch([row for row, _ in hits])
                found = one_per_prompt_and_lesson(
                    Scored(entries[row], score)
                    for row, score in hits
                    if row in entries and not is_expired(entries[row], now)
                )
                if len(found) >= ask.max_results or len(hits) < looked_at:
                    return found[: ask.max_results]
                looked_at *= 4

    async def _query(self, query: MemoryQuery) -> list[Scored]:
        now = utc_now()
        best: list[tuple[tuple[float, ...], Scored]] = []

        def consider(found: Sequence[tuple[StoredEntry, float, float]]) -> None:
            """Keep the best of what was best and `found`: entry, similarity and the share of 1.0 that it is."""
            ranked = (
                ((*rank(stored.entry, share, now), stored.row), Scored(stored.entry, similarity))
                for stored, similarity, share in found
                if query.include_expired or not is_expired(stored.entry, now)
            )
            best[:] = nlargest(query.k, (*best, *ranked), key=lambda pair: pair[0])

        if query.text is None:
            before: int | None = None
            while page := await self._store.select(query.scope, where=query, before=before, limit=_ROWS_PER_PAGE):
                before = page[-1].row
                consider([(stored, 0.0, 0.0) for stored in page])
        else:
            threshold = self._threshold if query.min_similarity is None else query.min_similarity
            async with self._followed(query.scope) as follower:
                words = await follower.words(query.text)
                hits = await follower.search(words, len(follower.index), threshold)
            whole = len(words) if follower.measure.counts else 1
            for start in range(0, len(hits), _ROWS_PER_PAGE):
                page = hits[start : start + _ROWS_PER_PAGE]
                entries = await self._store.fetch([row for row, _ in page])
                consider(
                    [
                        (StoredEntry(row, entries[row]), score, score / whole)
                        for row, score in page
                        if row in entries and matches(entries[row], query)
                    ]
                )
        return [scored for _, scored in best]

    @asynccontextmanager
    async def _followed(self, scope: Scope) -> AsyncGenerator[_Follower]:
        """Lend the index of a scope, brought up to date; one borrower at a time."""
        follower = self._scopes.get(scope)
        if follower is None:
            follower = self._scopes[scope] = _Follower(measure_named(self._similarity))
        async with follower.lock:
            await follower.catch_up(self._store, scope)
            yield follower


class _Follower:
    """A keyword index, and how far it has followed the store."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.index = KeywordIndex(measure)
        self.lock = asyncio.Lock()
        self._cursor = Cursor()

    async def catch_up(self, store: MemoryStore, scope: Scope) -> None:
        """Read what happened since last time, step by step."""
        while True:
            changes = await store.changes(scope, self._cursor, _ROWS_PER_STEP)
            await _aside(sum(len(text) for _, text in changes.came), self._apply, changes)
            self._cursor = changes.cursor
            if changes.is_complete:
                break
        if self.index.is_stale:
            self.index = await _aside(10 * len(self.index), self.index.compacted)

    def _apply(self, changes: Changes) -> None:
        if changes.start_over:
            self.index = KeywordIndex(self.measure)
        for row, prompt in changes.came:
            self.index.add(row, self.measure.words(prompt))
        for row in changes.went:
            self.index.remove(row)

    async def words(self, text: str) -> frozenset[str]:
        return await _aside(len(text), self.measure.words, text)

    async def search(self, words: frozenset[str], k: int, threshold: float) -> list[tuple[int, float]]:
        cost = self.index.cost(words) * _CHARS_ON_THE_LOOP // _COUNTS_ON_THE_LOOP
        return await _aside(cost, self.index.search, words, k, threshold)


async def _aside(chars: int, work: Callable[..., T], *args: Any) -> T:
    """Do `work` here when it is as little as reading a few thousand characters, else in a thread."""
    return work(*args) if chars <= _CHARS_ON_THE_LOOP else await asyncio.to_thread(work, *args)


# -- the handle ------------------------------------------------------------------------------------


class ReflexionMemory:
    """Remembers what went wrong and what helped, and finds it again by likeness. Use it in `async with`.

    Args:
        path: None keeps everything in this process; a file name is an SQLite file; "NAME://..." is the store that is
            registered under that name.
        max_entries: how many entries of one kind one scope may have; then the oldest goes first. At least 1.
        similarity: "jaccard" (keywords), "weighted" (stems, rare ones count more) or "overlap" (shared words).
        similarity_threshold: lowest similarity for retrieval, inclusive; None is the measure's own: 0.7, 0.15, 1.
        redact: what is masked before anything is stored: "secrets", "all" (also e-mail and private addresses), "none".
        max_text_bytes: longest text field, and all metadata together, in UTF-8.
        store: a store of your own instead of a path; it is opened and closed with the memory.
        system: the actor system to live in; None is one of its own.
        timeout_s: limit of every call.

    All methods raise a `StoreError` when the store cannot do it (now), `AskTimeoutError` past the limit, and
    `ConfigurationError` for arguments that can never work, before anything is stored.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        max_entries: int = 1000,
        similarity: MeasureName = "jaccard",
        similarity_threshold: float | None = None,
        redact: RedactLevel = "secrets",
        max_text_bytes: int = 1 << 20,
        store: MemoryStore | None = None,
        system: ActorSystem | None = None,
        timeout_s: float = 30.0,
    ) -> None:
        self._measure = measure_named(similarity)
        self._threshold = (
            self._measure.threshold if similarity_threshold is None else self._check_threshold(similarity_threshold)
        )
        if redact not in get_args(RedactLevel):
            raise ConfigurationError(f"redact must be secrets, all or none, got {describe(redact)}")
        if path is not None and store is not None:
            raise ConfigurationError("give a path or a store, not both")
        self._max_entries = _at_least(1, "max_entries", max_entries)
        self._max_text_bytes = _at_least(1, "max_text_bytes", max_text_bytes)
        if not timeout_s > 0:
            raise ConfigurationError(f"timeout_s must be more than 0, got {describe(timeout_s)}")
        self._timeout_s = timeout_s
        self._redact: RedactLevel = redact
        self._store = _store_at(path) if store is None else store
        self._own_system = ActorSystem("memory") if system is None else None
        self._system = system or self._own_system
        self._supervisor: ActorRef | None = None
        self._actor: ActorRef | None = None

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def open(self) -> None:
        """Open the store and start the actor; what `async with` does. Opened already: nothing happens.

        Raises:
            StoreDamagedError, StoreVersionError: the file cannot be used, and was left untouched.
            StoreUnavailableError: it cannot be reached now.
        """
        if self._actor is not None:
            return
        assert self._system is not None
        await self._store.open()
        try:
            if self._own_system is not None:
                await self._own_system.start()
            spec = ChildSpec(
                id="memory",
                start=(
                    MemoryActor,
                    (self._store,),
                    {
                        "max_entries": self._max_entries,
                        "similarity": self._measure.name,
                        "similarity_threshold": self._threshold,
                    },
                ),
            )
            supervisor = (Supervisor, ([spec],), {"max_restarts": 20})
            above = ChildSpec(id="reflexion-memory", start=supervisor, restart="transient", type="supervisor")
            self._supervisor = await self._system.spawn(above)
            (child,) = await self._supervisor.ask(WhichChildren())
            self._actor = child.ref
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Stop the actor and close the store; what leaving `async with` does. Closed already: nothing happens."""
        supervisor, self._supervisor, self._actor = self._supervisor, None, None
        try:
            if supervisor is not None:
                await supervisor.stop()
            if self._own_system is not None:
                await self._own_system.stop()
        finally:
            await self._store.close()

    @property
    def is_open(self) -> bool:
        """True between `open` and `close`."""
        return self._actor is not None

    @property
    def actor(self) -> ActorRef:
        """The actor's address. Raises `ConfigurationError` outside of `async with`."""
        if self._actor is None:
            raise ConfigurationError("this memory is not open; use `async with ReflexionMemory(...) as memory`")
        return self._actor

    # -- writing -----------------------------------------------------------------------------------

    async def store(self, entry: MemoryEntry) -> MemoryEntry:
        """Keep an entry; durable when this returns, and returned as it was stored: redacted, merged.

        Episodes are history and never merged. A lesson (semantic, procedural) whose text is known in its scope and kind
        becomes one with the older one. An entry of the same id in the same scope is replaced. The call is repeated
        when the actor dies over it; a merged lesson may then have been counted twice.
        """
        if not isinstance(entry, MemoryEntry):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
            raise ConfigurationError(f"store needs a MemoryEntry, got {describe(entry)}")
        size = len(entry.prompt) + len(entry.mistake) + len(entry.correction)
        return await self._ask(Store(await _aside(size, self._prepared, entry)))

    async def store_reflection(self, reflection: Reflection, episode: Episode) -> MemoryEntry:
        """Keep what an episode taught, as an episodic entry of its scope.

        Mistake is the reflection's problem (else its root cause, else the critique's issues), correction its lesson.
        """
        return await self.store(entry_from_reflection(reflection, episode))

    async def record_usage(self, id: str, success: bool, scope: Scope | None = None) -> MemoryEntry:
        """Note that an entry was applied, and whether that helped. Raises `NotFoundError`."""
        return await self._ask(RecordUsage(id, success, scope))

    async def forget(self, *ids: str, scope: Scope | None = None) -> int:
        """Remove entries, all of them or, when one is unknown (`NotFoundError`), none; return how many went."""
        return await self._ask(Forget(ids, scope))

    async def clear(self, scope: Scope | None = None) -> int:
        """Remove everything in a scope, or in all of them, and return how many entries went."""
        return await self._ask(Clear(scope))

    # -- reading -----------------------------------------------------------------------------------

    async def retrieve_similar(
        self, prompt: str, max_results: int = 5, threshold: float | None = None, scope: Scope | None = None
    ) -> list[Scored]:
        """Return the entries whose prompts are most like `prompt`: most similar first, ties newest first.

        One per prompt and per lesson text, none that has expired, none of another scope. Being retrieved is no use.

        Args:
            max_results: at most so many; 0 is none.
            threshold: lowest similarity, inclusive; None is the memory's own.
            scope: None is the default scope.
        """
        prompt = self._checked_text("prompt", prompt)
        _at_least(0, "max_results", max_results)
        threshold = self._threshold if threshold is None else self._check_threshold(threshold)
        if max_results == 0:
            return []
        prompt = await _aside(len(prompt), redact, prompt, self._redact)  # stored prompts are redacted too
        return await self._ask(RetrieveSimilar(prompt, max_results, threshold, scope or Scope()))

    async def query(self, query: MemoryQuery) -> list[Scored]:
        """Return what passes the filters of `query` and is like its text, best first.

        The rank is 0.5 similarity + 0.3 importance + 0.2 recency; ties by impact, success rate, newest. Without a
        text every similarity is 0.0; with one, `min_similarity` is the memory's threshold unless given.
        """
        if query.text is not None:
            text = self._checked_text("text", query.text)
            query = query.replace(text=await _aside(len(text), redact, text, self._redact))
        return await self._ask(Query(query))

    async def count(self, scope: Scope | None = None) -> int:
        """Return how many entries a scope has, or all together."""
        return await self._ask(Count(scope))

    async def list_entries(
        self, scope: Scope | None = None, limit: int | None = None, offset: int = 0
    ) -> list[MemoryEntry]:
        """Return entries of a scope, or of all, newest first."""
        if limit is not None:
            _at_least(0, "limit", limit)
        return await self._ask(ListEntries(scope, limit, _at_least(0, "offset", offset)))

    async def get(self, id: str, scope: Scope | None = None) -> MemoryEntry:
        """Return one entry. Raises `NotFoundError`."""
        return await self._ask(Get(id, scope))

    # -- logs --------------------------------------------------------------------------------------

    async def append(self, records: Sequence[Record]) -> list[Record]:
        """Keep records in their logs, all or none, durably. They come back as they were kept: redacted, with rows.

        As JSON the data of a record may be as long as a text. The call is repeated when the actor dies over it; the
        records may then be there twice.
        """
        return await self._ask(Append(await _aside(_chars(records), self._prepared_records, records)))

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
        """Return records of a log that pass every filter given, by row; the filters: `MemoryStore.records`."""
        if limit is not None:
            _at_least(0, "limit", limit)
        return await self._ask(
            ListRecords(
                log=_log_named(log),
                scope=scope,
                key=key,
                kind=kind,
                after=_at_least(0, "after", after),
                since=since,
                until=until,
                newest_first=newest_first,
                limit=limit,
            )
        )

    async def summaries(
        self, log: LogName, *, scope: Scope | None = None, offset: int = 0, limit: int | None = None
    ) -> list[LogSummary]:
        """Return one summary per scope and key of a log, the one with the newest record first."""
        if limit is not None:
            _at_least(0, "limit", limit)
        return await self._ask(Summarise(_log_named(log), scope, _at_least(0, "offset", offset), limit))

    async def drop_records(
        self, log: LogName, *, scope: Scope | None = None, key: str | None = None, before: datetime | None = None
    ) -> int:
        """Remove the records of a log that pass every filter given (`before`: only earlier ones); return how many."""
        return await self._ask(DropRecords(_log_named(log), scope, key, before))

    # -- behind them -------------------------------------------------------------------------------

    async def _ask(self, message: Ask[T]) -> T:
        """Ask the actor; when it dies for a reason that is not ours, ask its successor."""
        actor = self.actor
        for _ in range(_TRIES - 1):
            try:
                return await actor.ask(message, timeout_s=self._timeout_s, when_restarting="wait")
            except ActorDeadError as error:
                if not isinstance(error.reason, Crashed | Killed):
                    raise
        return await actor.ask(message, timeout_s=self._timeout_s, when_restarting="wait")

    def _prepared(self, entry: MemoryEntry) -> MemoryEntry:
        """Return the entry as it may be stored. Raises `ConfigurationError`."""
        self._checked_text("prompt", entry.prompt)
        for name in ("mistake", "correction", "id", "domain", "task_type", "agent_id", "session_id", "source"):
            self._check_size(name, getattr(entry, name) or "")
        for name in ("tags", "evidence"):
            for text in getattr(entry, name):
                self._check_size(name, text)
        changes: dict[str, object] = {
            name: redact(getattr(entry, name), self._redact) for name in ("prompt", "mistake", "correction")
        }
        changes["tags"] = tuple(redact(tag, self._redact) for tag in entry.tags)
        if entry.metadata:
            changes["metadata"] = redact_values(self._as_json(entry.metadata), self._redact)
        changes = {name: value for name, value in changes.items() if value != getattr(entry, name)}
        return entry.replace(**changes) if changes else entry

    def _prepared_records(self, records: Sequence[Record]) -> tuple[Record, ...]:
        return tuple(self._prepared_record(record) for record in records)

    def _prepared_record(self, record: Record) -> Record:
        """Return the record as it may be kept. Raises `ConfigurationError`."""
        if not isinstance(record, Record):  # pyright: ignore[reportUnnecessaryIsInstance] - see store
            raise ConfigurationError(f"append needs Records, got {describe(record)}")
        _log_named(record.log)
        self._check_size("Record.key", record.key)
        self._check_size("Record.kind", record.kind)
        data = self._as_json(record.data, "Record.data")
        return replace(record, data=redact_values(data, self._redact))

    def _checked_text(self, name: str, text: str) -> str:
        if not isinstance(text, str) or not text.strip():  # pyright: ignore[reportUnnecessaryIsInstance] - see store
            raise ConfigurationError(f"{name} must not be blank, got {describe(text)}")
        self._check_size(name, text)
        return text

    def _check_size(self, name: str, text: str) -> None:
        limit = self._max_text_bytes
        if 4 * len(text) > limit and (len(text) > limit or len(text.encode("utf-8", "surrogatepass")) > limit):
            raise ConfigurationError(f"{name} may have {limit} bytes, got {len(text)} characters; nothing was stored")

    def _as_json(self, values: Mapping[str, Any], name: str = "MemoryEntry.metadata") -> dict[str, object]:
        """Return a mapping as it will be read back: lists for tuples, texts for keys."""
        try:
            text = json.dumps(dict(values), ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise ConfigurationError(f"{name} cannot be written as JSON: {error}") from error
        self._check_size(name, text)
        return json.loads(text)

    def _check_threshold(self, threshold: float) -> float:
        is_number = isinstance(threshold, int | float) and not isinstance(threshold, bool)  # pyright: ignore[reportUnnecessaryIsInstance] - see store
        highest = math.inf if self._measure.counts else 1.0
        if not is_number or not 0.0 <= threshold <= highest:
            raise ConfigurationError(f"a threshold must be in [0, {highest}], got {describe(threshold)}")
        return float(threshold)


def _log_named(name: LogName) -> LogName:
    if name not in get_args(LogName):
        raise ConfigurationError(f"a log is one of {', '.join(get_args(LogName))}, got {describe(name)}")
    return name


def _chars(records: Sequence[Record]) -> int:
    """Return how much there is to read in records, or what is more than enough to leave the loop for."""
    chars, unread = 0, list[object](getattr(record, "data", None) for record in records)
    while unread and chars <= _CHARS_ON_THE_LOOP:
        value = unread.pop()
        chars += len(value) if isinstance(value, str) else 1
        if isinstance(value, Mapping):
            unread.extend(cast("Mapping[object, object]", value).values())
        elif isinstance(value, list | tuple):
            unread.extend(cast("Sequence[object]", value))
    return chars


def _at_least(least: int, name: str, value: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
        raise ConfigurationError(f"{name} must be a whole number of at least {least}, got {describe(value)}")
    return value


def _store_at(path: str | os.PathLike[str] | None) -> MemoryStore:
    """Return the store that a user named."""
    if path is None:
        return cast("Callable[[], MemoryStore]", resolve("store", "memory"))()
    address = os.fspath(path)
    if not isinstance(address, str) or not address.strip() or "\0" in address or address == ":memory:":  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
        raise ConfigurationError(f"path must be a file name, an address or None, got {describe(path)}")
    scheme, is_address, _ = address.partition("://")
    store = resolve("store", scheme if is_address else "sqlite")
    return cast("Callable[[str], MemoryStore]", store)(address)
