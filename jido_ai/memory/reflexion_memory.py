"""ReflexionMemory: stores lessons and episodes, and retrieves them by similarity.

The handle `ReflexionMemory` checks and redacts its input and asks the actor behind it. If the actor dies, pending calls
are repeated with its successor.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, ParamSpec, Self, TypeVar, get_args

from cachetools import LRUCache

from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import WhichChildren
from jido_ai.actors.exit_reason import Crashed, Killed
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem, running_loop
from jido_ai.actors.to_its_end import to_its_end
from jido_ai.errors import (
    ActorDeadError,
    AskTimeoutError,
    CallError,
    ConfigurationError,
    NotFoundError,
    RunClaimedError,
    StoreDamagedError,
    StoreError,
    describe,
)
from jido_ai.memory.batches import Arrivals, Kept
from jido_ai.memory.index.choice import (
    COUNTINGS,
    SCANS,
    Similarity,
    default_threshold,
    embedder_of,
    measure_and_embedder,
)
from jido_ai.memory.intake import Intake, at_least, log_named
from jido_ai.memory.lessons import entries_from_reflection
from jido_ai.memory.memory_actor import AuditLevel, Call, MemoryActor
from jido_ai.memory.scope_index import CHARS_PER_MS, aside, turns_of
from jido_ai.memory.store import BatchStore, ClaimKeeper, ClaimStore, MemoryStore
from jido_ai.memory.store_at import store_at
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.protocols import Embedder
from jido_ai.telemetry import OBSERVING, observed
from jido_ai.text.large_json import size_of
from jido_ai.text.redaction import RedactLevel, redact
from jido_ai.values import Episode, Link, MemoryEntry, MemoryQuery, Outcome, Reflection, Scope, Scored
from jido_ai.values.checks import checked, checked_id
from jido_ai.values.frames import frame_of, rows_of_lines
from jido_ai.values.record import Claim, LogName, LogSummary, Record

T = TypeVar("T")
P = ParamSpec("P")

LinkType = Literal["similar", "contradicts", "builds-on", "prerequisite", "outcome", "merged"]
_TRIES: Final = 5
_FEW_CHARS: Final = 20_000
_CHARS_AT_ONCE: Final = 4_000
"""Longer entries are checked in a thread: a text that may contain a secret takes 1 ms per 4,000 characters."""
_ROWS_PER_PAGE: Final = 1000
_SHELVES: Final = 1_000
_GROWTH: Final = 20
_EXPECTED: Final = (ConfigurationError, NotFoundError, RunClaimedError, StoreError)
"""Errors of a store that say what is wrong; any other is a fault of the store."""
_EPISODES_PER_PAGE: Final = 200


class ReflexionMemory:
    """Stores mistakes and corrections and retrieves them by similarity. Use it in `async with`.

    Args:
        path: None keeps everything in this process; a file name uses an SQLite file; "NAME://..." uses the store
            registered under that name.
        max_entries: maximum number of entries per scope and kind, at least 1; beyond it the oldest is removed.
        similarity: "jaccard" (keywords), "weighted" (stems, rare ones count more), "overlap" (the share of the query's
            words that an entry contains, at least one word), "embedding" (the cosine of the embeddings only; "cosine"
            is accepted too when `embedder` is given), "minilm" or "static" (the embedder of that name) or "auto":
            "minilm" if the extra `semantic` is installed, "static" if of the extra only its part is, else "weighted".
            None: "embedding" if `embedder` is given, else "jaccard".
        similarity_threshold: minimum similarity for retrieval, inclusive; None uses the measure's default: 0.7, 0.15,
            0, the embedder's (0.45 for "minilm", 0.35 for "static", 0.70 for one without a default).
        embedder: an `Embedder`, or "NAME" or "NAME:MODEL" of a registered one; None with "embedding" means
            "sentence-transformers". Entries whose embedding fails are stored and can be found once it succeeds.
            Embeddings are stored under the embedder's name; those of another embedder are never compared.
        redact: what to mask before storing: "secrets", "all" (also e-mail and private addresses) or "none".
        retention_days: entries without `expires_at` that never helped expire after this many days, 1 to 365 (SPEC M6):
            half as many for low importance, twice for high, five times for critical. None: never.
        audit: what the log "audit" records, ids and numbers only: "none", "writes", or "all", which includes reads.
        counting: the arithmetic for indexes of more than 10,000 entries: "python", "numpy" (the extra), or "auto":
            numpy if installed. The results are the same.
        max_text_bytes: maximum UTF-8 bytes of each text field, and of all metadata together.
        store: a store to use instead of a path; it is opened and closed with the memory.
        system: the actor system to run in; None creates one.
        timeout_s: timeout of every call, in seconds.

    Attributes:
        address: the path, which may contain a password; None without one.
        is_prompt: the store answers without waiting, so that no time limit is needed.

    All methods raise a `StoreError` if the store fails, `AskTimeoutError` on a timeout, and `ConfigurationError` for
    invalid arguments, before anything is stored.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        max_entries: int = 1000,
        similarity: Similarity | None = None,
        similarity_threshold: float | None = None,
        embedder: Embedder | str | None = None,
        redact: RedactLevel = "secrets",
        retention_days: float | None = None,
        audit: AuditLevel = "none",
        counting: Literal["auto", "python", "numpy"] = "auto",
        max_text_bytes: int = 1 << 20,
        store: MemoryStore | None = None,
        system: ActorSystem | None = None,
        timeout_s: float = 30.0,
    ) -> None:
        self._similarity, embedder = measure_and_embedder(similarity, embedder)
        self._embedder = embedder_of(embedder) if self._similarity == "embedding" else None
        self._threshold = default_threshold(self._similarity, self._embedder)
        if similarity_threshold is not None:
            self._threshold = self._check_threshold("similarity_threshold", similarity_threshold)
        if audit not in get_args(AuditLevel):
            raise ConfigurationError(f"audit must be none, writes or all, got {describe(audit)}")
        if counting not in ("auto", "python", "numpy"):
            raise ConfigurationError(f"counting must be auto, python or numpy, got {describe(counting)}")
        self._audit: AuditLevel = audit
        self._counting = counting
        self._load_counting = COUNTINGS[counting]
        if counting == "numpy":
            self._load_counting()  # raises here if numpy is missing
        self._intake = Intake(redact, max_text_bytes, retention_days)
        if path is not None and store is not None:
            raise ConfigurationError("pass a path or a store, not both")
        self._max_entries = at_least(1, "max_entries", max_entries)
        if isinstance(timeout_s, bool) or not isinstance(timeout_s, int | float) or not timeout_s > 0:
            raise ConfigurationError(f"timeout_s must be more than 0, got {describe(timeout_s)}")
        self._timeout_s = timeout_s
        self._store = store_at(path) if store is None else store
        self._claims = self._store if isinstance(self._store, ClaimStore) else None
        self.store_id = _id_of(path, self._store)
        self.address = None if path is None else os.fspath(path)
        self.is_prompt = type(self._store) is InProcessStore
        self._loop: asyncio.AbstractEventLoop | None = None
        self._takes_many = audit == "none" and isinstance(self._store, BatchStore)
        self._arrivals = Arrivals(self._intake, timeout_s)
        self._own_system = ActorSystem("memory") if system is None else None
        self._system = system or self._own_system
        self._supervisor: ActorRef | None = None
        self._actor: ActorRef | None = None
        self._door = asyncio.Lock()  # others that open it at the same time wait
        self._grown: LRUCache[tuple[str, str, str], int] = LRUCache(_SHELVES)  # episodes that came since the last cut

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def open(self) -> bool:
        """Open the store and start the actor, as `async with` does; return False if it was open already.

        Raises:
            StoreDamagedError, StoreVersionError: the file cannot be used; it was not changed.
            StoreUnavailableError: the store cannot be reached.
        """
        self._loop = running_loop()
        async with self._door:
            if self._actor is not None:
                return False
            await to_its_end(self._open(), undo=self.close)
        return True

    async def _open(self) -> None:
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
                        "similarity": self._similarity,
                        "similarity_threshold": self._threshold,
                        "embedder": self._embedder,
                        "large_counting": self._load_counting,
                        "large_scan": SCANS[self._counting],
                        "audit": self._audit,
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
        """Stop the actor and close the store, as leaving `async with` does. Does nothing if already closed."""
        running_loop()
        supervisor, self._supervisor, self._actor = self._supervisor, None, None
        if not self._door.locked():
            self._door = asyncio.Lock()  # the next event loop needs its own
        await to_its_end(self._close(supervisor))

    async def _close(self, supervisor: ActorRef | None) -> None:
        try:
            if supervisor is not None:
                await supervisor.stop()
            if self._own_system is not None:
                await self._own_system.stop()
        finally:
            await self._store.close()

    @property
    def similarity(self) -> str:
        """The measure in use: "jaccard", "weighted", "overlap", or the name of the embedder."""
        return self._similarity if self._embedder is None else self._embedder.name

    @property
    def redacts(self) -> RedactLevel:
        """The kind of texts that are masked before storing."""
        return self._intake.level

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

    def _check_loop(self) -> ActorRef:
        """Return the actor. Raises `ConfigurationError` if the memory is not open in the running event loop."""
        actor = self._actor
        if actor is None:
            return self.actor  # raises
        if self._loop is not running_loop():
            raise ConfigurationError("this memory was opened in another event loop and works only there")
        return actor

    # -- writing -----------------------------------------------------------------------------------

    async def store(self, entry: MemoryEntry) -> MemoryEntry:
        """Store an entry durably and return it as stored: redacted and merged.

        Episodes are never merged. A lesson (semantic or procedural) with the same text as an older one of its scope and
        kind is merged into it. An entry with the same id in the same scope is replaced. If the actor dies, the call is
        repeated; without batches (the store has none, or an audit is kept) a merged lesson may then count twice.
        """
        if not isinstance(entry, MemoryEntry):
            raise ConfigurationError(f"store needs a MemoryEntry, got {describe(entry)}")
        return await observed("upsert", self._kept(entry), memory=self)

    async def _kept(self, entry: MemoryEntry) -> MemoryEntry:
        actor = self._check_loop()
        is_long = sum(map(len, (entry.prompt, entry.mistake, entry.correction, entry.answer))) > _CHARS_AT_ONCE
        if is_long:
            entry = await asyncio.to_thread(self._intake.entry, entry)
        if self._takes_many:
            done: Kept = actor.cell.create_future()
            if is_long:
                self._arrivals.send(actor, [entry], [done])
            else:
                self._arrivals.add(actor, entry, done)
            kept = await done
            if kept is not None:
                return kept
        clean = entry if is_long else self._intake.entry(entry)
        return await self._do(lambda memory: memory.add(clean), verb="store")

    async def store_reflection(self, reflection: Reflection, episode: Episode) -> MemoryEntry:
        """Store the lesson of an episode as an episodic entry of its scope, and return the entry.

        The mistake is the reflection's problem, else its root cause, else the critique's issues; the correction is its
        lesson. A strategy is stored as a separate procedural lesson with the tag "strategy", linked to the entry.
        """
        if not isinstance(reflection, Reflection) or not isinstance(episode, Episode):
            what = f"{describe(reflection)} and {describe(episode)}"
            raise ConfigurationError(f"store_reflection needs a Reflection and an Episode, got {what}")
        return (await self.learn(entries_from_reflection(reflection, episode)))[0]

    async def learn(self, entries: Sequence[MemoryEntry]) -> tuple[MemoryEntry, ...]:
        """Store what attempts taught, each once, and return the entries as stored.

        As `store`, but an entry that is stored under its id already, in the same words and with the same evidence,
        stays as it is.
        """
        clean = [await asyncio.to_thread(self._intake.entry, checked("entries", one, MemoryEntry)) for one in entries]
        return tuple([await self._do(partial(_learned, one), verb="store") for one in clean])

    async def record_usage(
        self, id: str, success: bool, *, scope: Scope | None = None, run_id: str | None = None
    ) -> MemoryEntry:
        """Record that an entry was used, and whether it helped. Raises `NotFoundError`.

        Args:
            run_id: counts once for this run, however often it is recorded; the last outcome stands.
        """
        if not isinstance(success, bool):
            raise ConfigurationError(f"success must be True or False, got {describe(success)}")
        checked_id(id, "id")
        if run_id is not None:
            checked_id(run_id)
        entry = await self._do(
            lambda memory: memory.use(id, scope, success=success, run_id=run_id), scope, verb="record_usage"
        )
        if OBSERVING.observer is not None:
            OBSERVING.observer.happened("lesson.used", {"success": success})
        return entry

    async def link(
        self, id: str, other: str, type: LinkType, *, strength: float = 1.0, scope: Scope | None = None
    ) -> MemoryEntry:
        """Link an entry to another one of its scope, and return it. Raises `NotFoundError`.

        Of two entries linked by "contradicts" a pipeline offers only the more useful one.
        """
        for one in (id, other):
            checked_id(one, "id")
        link = Link(other, type, strength)
        return await self._do(lambda memory: memory.add_link(id, link, scope), scope, verb="link")

    async def update(
        self, id: str, change: Callable[[MemoryEntry], MemoryEntry], *, scope: Scope | None = None
    ) -> MemoryEntry:
        """Replace an entry with `change(entry)` atomically, and return it. Its place in the order does not change.

        For numbers, tags, links, evidence and metadata; the texts and the scope cannot be changed. `change` may run in
        another thread and more than once. Its result is redacted before it is stored.

        Raises:
            NotFoundError: no such id.
            ConfigurationError: `change` returns no entry, or changes id, kind, scope, prompt, mistake or correction.
        """
        checked_id(id, "id")
        clean = partial(self._intake.changed, change)
        return await self._do(lambda memory: memory.update(id, clean, scope), scope, verb="update")

    async def forget(self, *ids: str, scope: Scope | None = None) -> int:
        """Remove entries, and the links to them, and return how many.

        Raises:
            NotFoundError: an id is unknown. None is removed.
        """
        for id in ids:
            checked_id(id, "id")
        gone = self._do(lambda memory: memory.forget(ids, scope), scope, verb="forget", ids=ids)
        return await observed("delete", gone, memory=self)

    async def clear(self, scope: Scope | None = None) -> int:
        """Remove everything in a scope (None: in all scopes). Return the number of entries removed."""
        return await observed("delete", self._do(lambda memory: memory.clear(scope), scope, verb="clear"), memory=self)

    # -- reading -----------------------------------------------------------------------------------

    async def retrieve_similar(
        self, prompt: str, max_results: int = 5, threshold: float | None = None, *, scope: Scope | None = None
    ) -> list[Scored]:
        """Return the entries most similar to `prompt`, most similar first.

        An entry is found by its prompts, and wisdom (semantic and meta entries) also by pattern, lesson, tags and
        domain; the best of them counts. Of equally similar entries those with more impact come first, then those that
        helped more often, then the newer ones, in whole days of their timestamps and then by the order of storing.

        At most one entry per lesson text, and one episode and one example per prompt; expired entries and other scopes
        are excluded. Retrieval does not count as a use.

        Args:
            max_results: maximum number of entries; 0 returns none.
            threshold: minimum similarity, inclusive; None uses the memory's threshold.
            scope: None is the default scope.
        """
        prompt = self._intake.text("prompt", prompt)
        at_least(0, "max_results", max_results)
        least = self._threshold if threshold is None else self._check_threshold("threshold", threshold)
        within = self._intake.scope(scope) or Scope()
        if max_results == 0:
            return []
        clean = await self._redacted(prompt)
        found = self._do(lambda memory: memory.retrieve(clean, max_results, least, within), within, verb="retrieve")
        return await observed("search", found, memory=self)

    async def recall(
        self,
        prompt: str,
        max_results: int,
        wants: Callable[[MemoryEntry], bool],
        max_examples: int,
        *,
        scope: Scope | None = None,
    ) -> tuple[list[Scored], list[Scored]]:
        """Return two lists as `retrieve_similar` does: of entries that are no worked examples, and of examples.

        Args:
            wants: passes the examples to return.
        """
        prompt = self._intake.text("prompt", prompt)
        within, least = self._intake.scope(scope) or Scope(), self._threshold
        clean = await self._redacted(prompt)
        found = self._do(
            lambda memory: memory.recall(clean, max_results, least, within, wants=wants, shown=max_examples), within
        )
        return await observed("search", found, memory=self)

    async def query(self, query: MemoryQuery) -> list[Scored]:
        """Return the entries that pass the filters of `query` and are similar to its text, best first.

        At most one entry per lesson text, as in `retrieve_similar`. The rank is 0.5 similarity + 0.3 importance + 0.2
        recency in whole days; ties by impact, success rate, newest. Without a text every similarity is 0.0; with a
        text `min_similarity` defaults to the memory's threshold.
        """
        text = checked("query", query, MemoryQuery).text
        if text is not None:
            query = query.replace(text=await self._redacted(self._intake.text("text", text)))
        clean = self._intake.query(query)
        found = self._do(lambda memory: memory.query(clean), clean.scope, verb="query")
        return await observed("search", found, memory=self)

    async def count(self, scope: Scope | None = None) -> int:
        """Return the number of entries in a scope (None: in all scopes)."""
        return await self._of_store(self._store.count, self._intake.scope(scope))

    async def scopes(self) -> list[Scope]:
        """Return the scopes that have entries or episodes, sorted by name. Reads all entries and episodes."""
        return await self._do(lambda memory: memory.scopes())

    async def list_entries(
        self,
        scope: Scope | None = None,
        limit: int | None = None,
        offset: int = 0,
        *,
        where: MemoryQuery | None = None,
    ) -> list[MemoryEntry]:
        """Return the entries of a scope (None: of all scopes) that pass the filters of `where`, newest first."""
        if limit is not None:
            at_least(0, "limit", limit)
        at_least(0, "offset", offset)
        filters = None if where is None else self._intake.query(where)
        found = await self._do(
            lambda memory: memory.store.select(scope, where=filters, offset=offset, limit=limit), scope, verb="list"
        )
        return [stored.entry for stored in found]

    async def entries(self, scope: Scope | None = None) -> AsyncGenerator[MemoryEntry]:
        """Yield the entries of a scope (None: of all scopes), newest first, reading them in pages.

        Each entry comes once, even during concurrent writes; entries stored or merged after the first may be missing.
        """
        before: int | None = None
        while page := await self._do(
            lambda memory, end=before: memory.store.select(scope, before=end, limit=_ROWS_PER_PAGE), scope, verb="list"
        ):
            for stored in page:
                yield stored.entry
            before = page[-1].row

    async def get(self, id: str, *, scope: Scope | None = None) -> MemoryEntry:
        """Return one entry. Raises `NotFoundError`."""
        checked_id(id, "id")
        return await self._do(lambda memory: memory.get(id, scope), scope, verb="get")

    # -- logs --------------------------------------------------------------------------------------

    async def append(
        self, records: Sequence[Record], *, claim: Claim | None = None, release: bool = False
    ) -> list[Record]:
        """Store records in their logs durably, all or none. Return them as stored: redacted, with rows.

        The data of a record may have `max_text_bytes` bytes as JSON; that of journals, episodes, comparisons, and runs
        of a server, at least 64 MiB.

        Args:
            claim: the records are stored only while the store holds this claim.
            release: also remove the claim.

        Raises:
            RunClaimedError: it does not. Nothing was stored.
        """
        if not isinstance(records, list | tuple) and (
            not isinstance(records, Sequence) or isinstance(records, str | bytes)
        ):
            raise ConfigurationError(f"append needs a sequence of Records, got {describe(records)}")
        clean = await self.as_kept(records)
        claims = self._claims
        if claim is not None:
            self._intake.claim(claim)
        if claim is not None and claims is not None:
            return await self._of_store(claims.append_claimed, clean, claim, release=release)
        stored = await self._of_store(self._store.append, clean)
        await self._cut_episodes(clean)
        return stored

    async def note(self, records: Sequence[Record]) -> list[Record]:
        """Store records under their keys, each once, and return them as stored.

        What equals the newest record of its key, whatever its times and random ids, is not stored again; what differs
        takes the place of older ones.
        """
        clean = await self.as_kept(records)
        stored = await self._do(lambda memory: memory.note(clean))
        await self._cut_episodes(clean)
        return stored

    async def known(self, record: Record) -> Record | None:
        """Return the newest record of its log, scope and key; None without one."""
        found = await self.records(record.log, scope=record.scope, key=record.key, newest_first=True, limit=1)
        return found[0] if found else None

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
        """Return the records of a log that pass all filters, ordered by row. Filters: see `MemoryStore.records`."""
        if limit is not None:
            at_least(0, "limit", limit)
        log_named(log)
        at_least(0, "after", after)
        for name, text in (("key", key), ("kind", kind)):
            if text is not None:
                checked(name, text, str)
        self._intake.scope(scope)
        return await self._of_store(
            self._store.records,
            log,
            scope=scope,
            key=key,
            kind=kind,
            after=after,
            since=since,
            until=until,
            newest_first=newest_first,
            limit=limit,
        )

    async def runs_frame(self, scope: Scope | None = None) -> Any:
        """Return a `pandas.DataFrame` (polars where pandas is missing): a row for each judged candidate of each run.

        The columns are those of `ReflectionResult.to_frame`. Graphs have none.

        Args:
            scope: None is all scopes.

        Raises:
            ConfigurationError: neither is installed.
        """
        runs: dict[tuple[Scope, str], list[tuple[str, Mapping[str, Any]]]] = {}
        for record in await self.records("journal", scope=scope):
            runs.setdefault((record.scope, record.key), []).append((record.kind, record.data))
        return frame_of([row for (_, run_id), lines in runs.items() for row in rows_of_lines(run_id, lines)])

    async def episodes(
        self,
        scope: Scope | None = None,
        *,
        task_type: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        outcome: Outcome | None = None,
        limit: int | None = None,
        offset: int = 0,
    ) -> list[Episode]:
        """Return the recorded episodes that pass all filters, newest first.

        Runs and `Pipeline.observe` record them. The newest `max_entries` of each scope and task type are kept; those
        beyond go when a twentieth more has come.

        Args:
            scope: None selects all scopes.
            task_type: "" selects the episodes without one.
            session_id: of a run without a session of its own, the run's id.

        Raises:
            StoreDamagedError: a record cannot be read.
        """
        at_least(0, "offset", offset)
        if limit is not None:
            at_least(0, "limit", limit)
        filters = {"agent_id": agent_id, "session_id": session_id, "outcome": outcome}
        wanted = {name: checked(name, value, str) for name, value in filters.items() if value is not None}
        if outcome is not None and outcome not in set(Outcome):
            raise ConfigurationError(f"outcome must be one of {', '.join(Outcome)}, got {describe(outcome)}")
        stop = None if limit is None else offset + limit
        found: list[Episode] = []
        after = 0
        while (stop is None or len(found) < stop) and (
            page := await self.records(
                "episodes", scope=scope, kind=task_type, after=after, newest_first=True, limit=_EPISODES_PER_PAGE
            )
        ):
            after = page[-1].row
            passing = [one for one in page if all(one.data.get(name) == value for name, value in wanted.items())]
            ms = size_of([record.data for record in passing], enough=_FEW_CHARS) / CHARS_PER_MS
            found += await aside(ms, _episodes_in, passing, turns_of(ms))
        return found[offset:stop]

    async def summaries(
        self, log: LogName, *, scope: Scope | None = None, offset: int = 0, limit: int | None = None
    ) -> list[LogSummary]:
        """Return one summary per scope and key of a log, ordered by newest record, newest first."""
        if limit is not None:
            at_least(0, "limit", limit)
        log_named(log)
        at_least(0, "offset", offset)
        self._intake.scope(scope)
        return await self._of_store(self._store.summaries, log, scope=scope, offset=offset, limit=limit)

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
        """Remove the records of a log that pass all filters, and return how many. See `MemoryStore.drop_records`."""
        log_named(log)
        at_least(0, "beyond", beyond)
        for name, text in (("key", key), ("kind", kind)):
            if text is not None:
                checked(name, text, str)
        self._intake.scope(scope)
        return await self._of_store(
            self._store.drop_records, log, scope=scope, key=key, kind=kind, before=before, beyond=beyond
        )

    async def embed_pending(self, scope: Scope | None = None) -> int:
        """Embed up to 1,024 entries of a scope that have no embedding yet, for about a second.

        Return how many are left. Queries do the same, and a task in the background embeds the others. Returns 0 at once
        if the memory has no embedder.
        """
        within = self._intake.scope(scope) or Scope()
        if self._embedder is None:
            return 0
        return await self._do(lambda memory: memory.embed_pending(within), within)

    # -- claims ------------------------------------------------------------------------------------

    async def claim(self, claim: Claim, is_void: Callable[[Claim], bool]) -> Claim:
        """Claim a run unless another claim is valid; return the valid claim. See `ClaimStore.claim`."""
        self._intake.claim(claim)
        claims = self._claims
        return claim if claims is None else await self._of_store(claims.claim, claim, is_void)

    def claim_keeper(self) -> ClaimKeeper | None:
        """Return the renewer of claims for another thread; None if the store needs none. See `ClaimStore.keeper`."""
        return None if self._claims is None else self._claims.keeper()

    async def release(self, claim: Claim) -> None:
        """Remove a claim. Does nothing if it is no longer valid."""
        claims = self._claims
        self._intake.claim(claim)
        if claims is not None:
            await self._of_store(claims.release, claim)

    # -- internals ---------------------------------------------------------------------------------

    async def as_kept(self, records: Sequence[Record]) -> tuple[Record, ...]:
        """Return records as they would be stored: checked and redacted."""
        chars = 0
        for record in records:
            if record.__class__ is Record or isinstance(record, Record):
                chars += len(record.json) or (size_of(record.data, enough=_FEW_CHARS) if chars <= _FEW_CHARS else 0)
        if chars <= _FEW_CHARS:
            return self._intake.records(records, are_small=True)
        return await asyncio.to_thread(self._intake.records, records, turns_of(chars / CHARS_PER_MS))

    async def _cut_episodes(self, records: Sequence[Record]) -> None:
        """Remove the oldest episodes of the shelves that have grown by a twentieth since, and of those seen first."""
        enough, came = self._max_entries // _GROWTH, dict[tuple[str, str, str], int]()
        for record in records:
            if record.log == "episodes":
                shelf = record.scope.tenant, record.scope.project, record.kind
                came[shelf] = came.get(shelf, 0) + 1
        for shelf, count in came.items():
            self._grown[shelf] = grown = self._grown.get(shelf, enough) + count
            if grown >= enough:
                tenant, project, kind = shelf
                scope, most = Scope(tenant, project), self._max_entries
                await self._of_store(self._store.drop_records, "episodes", scope=scope, kind=kind, beyond=most)
                self._grown[shelf] = 0

    async def _of_store(self, call: Callable[P, Awaitable[T]], *args: P.args, **more: P.kwargs) -> T:
        """Call the store itself, which orders what is written: only entries and their indexes need the actor."""
        actor, limit = self._check_loop(), None if self.is_prompt else asyncio.timeout(self._timeout_s)
        try:
            if limit is None:
                return await call(*args, **more)
            async with limit:
                return await call(*args, **more)
        except _EXPECTED:
            raise
        except Exception as error:
            if limit is not None and limit.expired():
                raise AskTimeoutError(self._timeout_s, str(actor), call) from None
            raise CallError(Crashed(error), str(actor), call) from error

    async def _do(
        self,
        operation: Callable[[MemoryActor], Awaitable[T]],
        scope: Scope | None = None,
        *,
        verb: str | None = None,
        ids: Sequence[str] = (),
    ) -> T:
        """Ask the actor for an operation; if it crashes or is killed, ask its successor. See `Call` for the others."""
        if scope is not None:
            self._intake.scope(scope)
        actor, message = self._check_loop(), Call(operation, verb, ids, scope)
        for _ in range(_TRIES - 1):
            try:
                return await actor.ask(message, timeout_s=self._timeout_s, when_restarting="wait")
            except ActorDeadError as error:
                if not isinstance(error.reason, Crashed | Killed):
                    raise
        return await actor.ask(message, timeout_s=self._timeout_s, when_restarting="wait")

    async def _redacted(self, text: str) -> str:
        """Return the redacted search text: stored prompts are redacted too."""
        self._check_loop()
        return await aside(len(text) / CHARS_PER_MS, redact, text, self._intake.level)

    def _check_threshold(self, name: str, threshold: float) -> float:
        is_number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
        if not is_number or not 0.0 <= threshold <= 1.0:
            raise ConfigurationError(f"{name} must be a number in [0, 1], got {describe(threshold)}")
        return float(threshold)


async def _learned(entry: MemoryEntry, memory: MemoryActor) -> MemoryEntry:
    return await memory.learn(entry)


def _episodes_in(records: Sequence[Record], others_turn: Callable[[], None]) -> list[Episode]:
    found: list[Episode] = []
    for record in records:
        others_turn()
        try:
            found.append(Episode.model_validate(record.data))
        except ConfigurationError as error:
            raise StoreDamagedError(f"row {record.row} of the log episodes is no episode: {error}") from error
    return found


def _id_of(path: str | os.PathLike[str] | None, store: MemoryStore) -> str:
    """Return a name of a store for people: file name, or address without user, password and options."""
    if path is None:
        return type(store).__name__
    scheme, is_address, rest = os.fspath(path).partition("://")
    if not is_address:
        return Path(scheme).name
    host, _, database = rest.partition("?")[0].partition("#")[0].rpartition("@")[2].partition("/")
    return f"{scheme}://{host}/{database}"
