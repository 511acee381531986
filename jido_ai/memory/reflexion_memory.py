"""ReflexionMemory: what was learnt, kept in a store and retrieved by likeness.

The handle `ReflexionMemory` checks and redacts what it is given, and asks the actor behind it. Whoever was waiting when
that died is served by its successor.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextvars import Context
from datetime import datetime
from functools import partial
from types import TracebackType
from typing import Final, Literal, Self, TypeVar, cast, get_args

from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.exit_reason import Crashed, Killed
from jido_ai.actors.ref import ActorRef, Ask
from jido_ai.actors.supervisor import Supervisor, WhichChildren
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ActorDeadError, ConfigurationError, StoreError, StoreUnavailableError, describe
from jido_ai.memory.index.keyword_index import Counting
from jido_ai.memory.index.similarity import MeasureName, measure_named
from jido_ai.memory.intake import Intake, at_least, log_named
from jido_ai.memory.lessons import entries_from_reflection
from jido_ai.memory.memory_actor import (
    Append,
    AuditLevel,
    ClaimRun,
    Clear,
    Count,
    DropRecords,
    Forget,
    Get,
    KeptEntries,
    LinkTo,
    ListEntries,
    ListRecords,
    ListStored,
    MemoryActor,
    Query,
    RecordUsage,
    ReleaseRun,
    RetrieveSimilar,
    Scopes,
    Store,
    StoreAll,
    Summarise,
    Update,
)
from jido_ai.memory.scope_index import CHARS_PER_MS, aside, turns_of
from jido_ai.memory.store_at import store_at
from jido_ai.protocols import BatchStore, Claim, Embedder, LogName, LogSummary, MemoryStore, Record
from jido_ai.registry import resolve
from jido_ai.text.large_json import size_of
from jido_ai.text.redaction import RedactLevel, redact
from jido_ai.values import Episode, Link, MemoryEntry, MemoryQuery, Reflection, Scope, Scored

__all__ = ["ReflexionMemory", "Similarity"]

T = TypeVar("T")
_Kept = asyncio.Future[MemoryEntry | None]

Similarity = MeasureName | Literal["embedding", "cosine"]
LinkType = Literal["similar", "contradicts", "builds-on", "prerequisite", "outcome", "merged"]
_TRIES: Final = 5
_FEW_CHARS: Final = 20_000
_CHARS_AT_ONCE: Final = 4_000
"""An entry of more is checked in a thread: where a secret may be in it, a millisecond goes by with some 4,000."""
_LOOKED_AT_TOGETHER: Final = 16
"""So many entries are checked together: where one needs a closer look, each of them is looked at again."""
_TURN_S: Final = 0.004
"""For so long entries are checked in one turn of the loop."""
_LARGEST_BATCH: Final = 500
_ROWS_PER_PAGE: Final = 1000
_NEAR: Final = 0.70  # SPEC C22


class ReflexionMemory:
    """Remembers what went wrong and what helped, and finds it again by likeness. Use it in `async with`.

    Args:
        path: None keeps everything in this process; a file name is an SQLite file; "NAME://..." is the store that is
            registered under that name.
        max_entries: how many entries of one kind one scope may have; then the oldest goes first. At least 1.
        similarity: "jaccard" (keywords), "weighted" (stems, rare ones count more), "overlap" (the share of the words
            asked for that an entry has, at least one) or "embedding" (the cosine of what `embedder` makes of the
            prompts, and nothing else; beside an embedder it may also be called "cosine").
        similarity_threshold: lowest similarity for retrieval, inclusive; None is the measure's own: 0.7, 0.15, 0, 0.70.
        embedder: an `Embedder`, or "NAME" or "NAME:MODEL" of one that is registered; None with "embedding" is
            "sentence-transformers". Entries it fails on are stored, and found once it works again.
        redact: what is masked before anything is stored: "secrets", "all" (also e-mail and private addresses), "none".
        retention_days: entries without `expires_at` expire after so many days, 1 to 365 (SPEC M6): half of it when of
            low importance, twice when high, five times when critical. None: never.
        audit: what the log "audit" records, ids and numbers only: "none", "writes", or "all", reading included.
        counting: what searches indexes of more than 10,000 entries: "python", "numpy" (the extra), or "auto", which is
            numpy where it is installed. The results are the same.
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
        similarity: Similarity = "jaccard",
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
        if similarity == "cosine" and embedder is not None:
            similarity = "embedding"
        self._similarity: Similarity = similarity
        self._embedder = _embedder(embedder) if similarity == "embedding" else None
        if embedder is not None and similarity != "embedding":
            raise ConfigurationError('an embedder is used with similarity="embedding", and with nothing else')
        measure = None if similarity == "embedding" else measure_named(similarity)
        self._threshold = _NEAR if measure is None else 0.0 if measure.counts else measure.threshold
        if similarity_threshold is not None:
            self._threshold = self._check_threshold("similarity_threshold", similarity_threshold)
        if audit not in get_args(AuditLevel):
            raise ConfigurationError(f"audit must be none, writes or all, got {describe(audit)}")
        if counting not in ("auto", "python", "numpy"):
            raise ConfigurationError(f"counting must be auto, python or numpy, got {describe(counting)}")
        self._audit: AuditLevel = audit
        self._load_counting = _COUNTINGS[counting]
        if counting == "numpy":
            self._load_counting()  # refused here, where somebody can read it
        self._intake = Intake(redact, max_text_bytes, retention_days)
        if path is not None and store is not None:
            raise ConfigurationError("give a path or a store, not both")
        self._max_entries = at_least(1, "max_entries", max_entries)
        if isinstance(timeout_s, bool) or not isinstance(timeout_s, int | float) or not timeout_s > 0:  # pyright: ignore[reportUnnecessaryIsInstance] - see store
            raise ConfigurationError(f"timeout_s must be more than 0, got {describe(timeout_s)}")
        self._timeout_s = timeout_s
        self._store = store_at(path) if store is None else store
        self._takes_many = audit == "none" and isinstance(self._store, BatchStore)
        self._arrived: list[MemoryEntry] = []  # entries that came in this turn of the loop
        self._waiting: list[_Kept] = []  # and who waits for each of them
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
                        "similarity": self._similarity,
                        "similarity_threshold": self._threshold,
                        "embedder": self._embedder,
                        "large_counting": self._load_counting,
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
        when the actor dies over it; where the store takes no batches, or an audit is kept, a merged lesson may then
        have been counted twice.
        """
        if not isinstance(entry, MemoryEntry):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
            raise ConfigurationError(f"store needs a MemoryEntry, got {describe(entry)}")
        is_long = len(entry.prompt) + len(entry.mistake) + len(entry.correction) > _CHARS_AT_ONCE
        if is_long:
            entry = await asyncio.to_thread(self._intake.entry, entry)
        if self._takes_many and self._actor is not None:
            done: _Kept = self._actor.cell.create_future()  # to ask for the running loop asks the system who we are
            if is_long:
                self._send(self._actor, [entry], [done])
            else:
                if not self._arrived:
                    asyncio.get_running_loop().call_soon(self._send_arrived, self._actor, context=Context())
                self._arrived.append(entry)
                self._waiting.append(done)
            kept = await done
            if kept is not None:
                return kept
        return await self._ask(Store(entry if is_long else self._intake.entry(entry)))

    async def store_reflection(self, reflection: Reflection, episode: Episode) -> MemoryEntry:
        """Keep what an episode taught, as an episodic entry of its scope, which is returned.

        Mistake is the reflection's problem (else its root cause, else the critique's issues), correction its lesson. A
        strategy becomes a procedural lesson of its own, with the tag "strategy", tied to the entry.
        """
        if not isinstance(reflection, Reflection) or not isinstance(episode, Episode):  # pyright: ignore[reportUnnecessaryIsInstance] - see store
            what = f"{describe(reflection)} and {describe(episode)}"
            raise ConfigurationError(f"store_reflection needs a Reflection and an Episode, got {what}")
        kept, *strategy = [await self.store(entry) for entry in entries_from_reflection(reflection, episode)]
        del strategy
        return kept

    async def record_usage(self, id: str, success: bool, scope: Scope | None = None) -> MemoryEntry:
        """Note that an entry was applied, and whether that helped. Raises `NotFoundError`."""
        if not isinstance(success, bool):  # pyright: ignore[reportUnnecessaryIsInstance] - see store
            raise ConfigurationError(f"success must be True or False, got {describe(success)}")
        return await self._ask(RecordUsage(id, success, scope))

    async def link(
        self, id: str, other: str, type: LinkType, *, strength: float = 1.0, scope: Scope | None = None
    ) -> MemoryEntry:
        """Tie an entry to another one of its scope, and return it. Raises `NotFoundError`.

        Of two that are tied by "contradicts" a pipeline offers only the more useful one.
        """
        return await self._ask(LinkTo(id, Link(other, type, strength), scope))

    async def update(
        self, id: str, change: Callable[[MemoryEntry], MemoryEntry], *, scope: Scope | None = None
    ) -> MemoryEntry:
        """Put `change(entry)` in the place of an entry, in one step, and return it. It stays as new as it was.

        For figures, tags, links, evidence and metadata: what it says and whose it is stays. `change` may run in another
        thread and more than once. What it returns is redacted before it is stored, like any entry.

        Raises:
            NotFoundError: no such id.
            ConfigurationError: the change is one of id, kind, scope, prompt, mistake or correction, or no entry.
        """
        return await self._ask(Update(id, partial(_redacted_change, change=change, intake=self._intake), scope))

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
        prompt = self._intake.text("prompt", prompt)
        at_least(0, "max_results", max_results)
        threshold = self._threshold if threshold is None else self._check_threshold("threshold", threshold)
        if max_results == 0:
            return []
        prompt = await self._redacted(prompt)
        return await self._ask(RetrieveSimilar(prompt, max_results, threshold, scope or Scope()))

    async def query(self, query: MemoryQuery) -> list[Scored]:
        """Return what passes the filters of `query` and is like its text, best first.

        One per prompt and per lesson text, as in `retrieve_similar`. The rank is 0.5 similarity + 0.3 importance + 0.2
        recency; ties by impact, success rate, newest. Without a text every similarity is 0.0; with one,
        `min_similarity` is the memory's threshold unless given.
        """
        if not isinstance(query, MemoryQuery):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
            raise ConfigurationError(f"query needs a MemoryQuery, got {describe(query)}")
        if query.text is not None:
            query = query.replace(text=await self._redacted(self._intake.text("text", query.text)))
        return await self._ask(Query(self._intake.query(query)))

    async def count(self, scope: Scope | None = None) -> int:
        """Return how many entries a scope has, or all together."""
        return await self._ask(Count(scope))

    async def scopes(self) -> list[Scope]:
        """Return the scopes that have entries or episodes, by name. It looks at every one of them."""
        return await self._ask(Scopes())

    async def list_entries(
        self,
        scope: Scope | None = None,
        limit: int | None = None,
        offset: int = 0,
        *,
        where: MemoryQuery | None = None,
    ) -> list[MemoryEntry]:
        """Return entries of a scope, or of all, newest first; only those that pass the filters of `where`."""
        if limit is not None:
            at_least(0, "limit", limit)
        where = where and self._intake.query(where)
        return await self._ask(ListEntries(scope, limit, at_least(0, "offset", offset), where))

    async def entries(self, scope: Scope | None = None) -> AsyncGenerator[MemoryEntry]:
        """Yield the entries of a scope, or of all, newest first, and hold only some of them in mind.

        Each comes once, whatever others write meanwhile; what they store or merge after the first one may be left out.
        """
        before: int | None = None
        while page := await self._ask(ListStored(scope, before, _ROWS_PER_PAGE)):
            for stored in page:
                yield stored.entry
            before = page[-1].row

    async def get(self, id: str, scope: Scope | None = None) -> MemoryEntry:
        """Return one entry. Raises `NotFoundError`."""
        return await self._ask(Get(id, scope))

    # -- logs --------------------------------------------------------------------------------------

    async def append(self, records: Sequence[Record]) -> list[Record]:
        """Keep records in their logs, all or none, durably. They come back as they were kept: redacted, with rows.

        As JSON the data of a record may be as long as a text. The call is repeated when the actor dies over it; the
        records may then be there twice.
        """
        chars = size_of([getattr(record, "data", None) for record in records], enough=_FEW_CHARS)
        ms = chars / CHARS_PER_MS
        return await self._ask(Append(await aside(ms, self._intake.records, records, turns_of(ms))))

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
            at_least(0, "limit", limit)
        return await self._ask(
            ListRecords(
                log=log_named(log),
                scope=scope,
                key=key,
                kind=kind,
                after=at_least(0, "after", after),
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
            at_least(0, "limit", limit)
        return await self._ask(Summarise(log_named(log), scope, at_least(0, "offset", offset), limit))

    async def drop_records(
        self, log: LogName, *, scope: Scope | None = None, key: str | None = None, before: datetime | None = None
    ) -> int:
        """Remove the records of a log that pass every filter given (`before`: only earlier ones); return how many."""
        return await self._ask(DropRecords(log_named(log), scope, key, before))

    # -- claims ------------------------------------------------------------------------------------

    async def claim(self, claim: Claim, is_void: Callable[[Claim], bool]) -> Claim:
        """Keep a claim of a run unless another one holds; return the one that holds now. See `ClaimStore.claim`."""
        self._intake.scope(claim.scope)
        return await self._ask(ClaimRun(claim, is_void))

    async def release(self, claim: Claim) -> None:
        """Remove a claim; nothing happens when it does not hold."""
        await self._ask(ReleaseRun(claim))

    # -- behind them -------------------------------------------------------------------------------

    def _send_arrived(self, actor: ActorRef) -> None:
        """Check and redact what came in one turn of the loop, and send it: cheaper together than each by itself."""
        loop = asyncio.get_running_loop()
        batch, waiting = list[MemoryEntry](), list[_Kept]()
        over = loop.time() + _TURN_S
        while self._arrived and len(batch) < _LARGEST_BATCH:
            count = min(_LOOKED_AT_TOGETHER, _LARGEST_BATCH - len(batch))
            some, self._arrived = self._arrived[:count], self._arrived[count:]
            theirs, self._waiting = self._waiting[:count], self._waiting[count:]
            taken, refused = self._intake.entries(some)
            if refused:
                _settle([theirs[place] for place in refused], list(refused.values()))
                theirs = [done for place, done in enumerate(theirs) if place not in refused]
            batch += taken
            waiting += theirs
            if loop.time() > over:
                break
        if self._arrived:
            loop.call_soon(self._send_arrived, actor, context=Context())
        if batch:
            self._send(actor, batch, waiting)

    def _send(self, actor: ActorRef, entries: Sequence[MemoryEntry], waiting: Sequence[_Kept]) -> None:
        """Send entries as one message; each of those who wait is told what became of its own."""
        try:
            message = StoreAll(tuple(entries))
            answer = asyncio.ensure_future(actor.ask(message, timeout_s=self._timeout_s, when_restarting="wait"))
        except Exception as error:  # noqa: BLE001 - it belongs to those who wait, who would wait for ever
            _settle(waiting, [error] * len(waiting))
        else:
            answer.add_done_callback(partial(_share, waiting, message, self._timeout_s))

    async def _ask(self, message: Ask[T]) -> T:
        """Ask the actor; when it dies for a reason that is not ours, ask its successor."""
        self._intake.scope(getattr(message, "scope", None))
        actor = self.actor
        for _ in range(_TRIES - 1):
            try:
                return await actor.ask(message, timeout_s=self._timeout_s, when_restarting="wait")
            except ActorDeadError as error:
                if not isinstance(error.reason, Crashed | Killed):
                    raise
        return await actor.ask(message, timeout_s=self._timeout_s, when_restarting="wait")

    async def _redacted(self, text: str) -> str:
        """Return what to look for: stored prompts are redacted too."""
        return await aside(len(text) / CHARS_PER_MS, redact, text, self._intake.level)

    def _check_threshold(self, name: str, threshold: float) -> float:
        is_number = isinstance(threshold, int | float) and not isinstance(threshold, bool)  # pyright: ignore[reportUnnecessaryIsInstance] - see store
        if not is_number or not 0.0 <= threshold <= 1.0:
            raise ConfigurationError(f"{name} must be a number in [0, 1], got {describe(threshold)}")
        return float(threshold)


def _redacted_change(
    entry: MemoryEntry, *, change: Callable[[MemoryEntry], MemoryEntry], intake: Intake
) -> MemoryEntry:
    """Return what `change` makes of an entry, as it may be stored. Raises `ConfigurationError`."""
    before = entry.model_copy(deep=True) if entry.metadata else entry  # it may change the mapping where it is
    changed = change(entry)
    if not isinstance(changed, MemoryEntry):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
        raise ConfigurationError(f"a change returns a MemoryEntry, got {describe(changed)}")
    return intake.changed(before, changed)


def _share(
    waiting: Sequence[_Kept],
    message: StoreAll,
    timeout_s: float,
    answer: asyncio.Future[Sequence[MemoryEntry | ConfigurationError | StoreError] | None],
) -> None:
    """Give each of those who wait what its entry came to; None when it is to be sent again, alone.

    Where the actor died after it had given them to the store, what the store makes of them is waited for: sent again,
    a lesson would count twice.
    """
    error = asyncio.CancelledError() if answer.cancelled() else answer.exception()
    outcomes: Sequence[MemoryEntry | BaseException | None]
    if isinstance(error, ActorDeadError) and isinstance(error.reason, Crashed | Killed):
        if message.begun:
            late = StoreUnavailableError(f"the store did not answer within {timeout_s:g} s; it may still keep them")
            timer = answer.get_loop().call_later(timeout_s, _settle, waiting, [late] * len(waiting))
            message.begun[0].add_done_callback(partial(_share_late, waiting, timer))
            return
        outcomes = [None] * len(waiting)
    elif error is not None:
        outcomes = [error] * len(waiting)
    else:
        outcomes = answer.result() or [None] * len(waiting)
    _settle(waiting, outcomes)


def _share_late(waiting: Sequence[_Kept], timer: asyncio.TimerHandle, kept: asyncio.Future[KeptEntries]) -> None:
    timer.cancel()
    error = asyncio.CancelledError() if kept.cancelled() else kept.exception()
    if isinstance(error, StoreError | asyncio.CancelledError):
        _settle(waiting, [error] * len(waiting))
    else:  # unforeseen, and nothing was stored: each is sent again, alone
        _settle(waiting, [None] * len(waiting) if error else kept.result())


def _settle(waiting: Sequence[_Kept], outcomes: Sequence[MemoryEntry | BaseException | None]) -> None:
    for done, outcome in zip(waiting, outcomes, strict=True):
        if done.done():  # its caller has gone
            continue
        if isinstance(outcome, BaseException):
            done.set_exception(outcome)
        else:
            done.set_result(outcome)


def _embedder(chosen: Embedder | str | None) -> Embedder:
    """Return the embedder that a user gave or named."""
    if chosen is None:
        chosen = "sentence-transformers"
    if isinstance(chosen, str):
        name, _, model = chosen.partition(":")
        make = cast("Callable[..., Embedder]", resolve("embedder", name))
        return make(model) if model else make()
    if not isinstance(chosen, Embedder):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
        raise ConfigurationError(f"an embedder has name, dim and embed(texts), got {describe(chosen)}")
    return chosen


def _numpy() -> Counting:
    return cast("Callable[[], Counting]", resolve("counting", "numpy"))()


def _numpy_if_there() -> Counting | None:
    try:
        return _numpy()
    except ConfigurationError:
        return None


_COUNTINGS: Final[dict[str, Callable[[], Counting | None]]] = {
    "auto": _numpy_if_there,
    "python": lambda: None,
    "numpy": _numpy,
}
