"""Maintenance of a memory: expiry, decay, consolidation and log clean-up, on demand or periodically.

`maintain` does one round; the actor `Maintenance` does one every period, and when asked.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterable, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from math import inf
from typing import Any, ClassVar, Final, TypeVar

from jido_ai.actors.actor import Actor
from jido_ai.actors.ref import Ask
from jido_ai.components.component import method_of
from jido_ai.errors import ConfigurationError, JidoError, NotFoundError, RunClaimedError, describe, message_of
from jido_ai.learning.decay import decayed, has_outlived
from jido_ai.learning.dreams import dream_entries, dream_of, select_for_dream
from jido_ai.learning.maintenance_report import MaintenanceConfig, MaintenanceReport
from jido_ai.learning.merging import contradicting, find_duplicates, merge
from jido_ai.learning.meta import meta_entries
from jido_ai.learning.promotion import (
    Promotion,
    promotions_from_causes,
    promotions_from_tags,
    read_episode,
    reinforce,
)
from jido_ai.loop.journal import RunJournal
from jido_ai.memory.lessons import is_expired, knows_cause
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.scope_index import turns_of
from jido_ai.reflection.reflector import Reflector
from jido_ai.runs.leases import Leases
from jido_ai.runs.summary import OF_RUNS
from jido_ai.text.large_json import size_of
from jido_ai.values import Episode, ErrorInfo, MemoryEntry, Reflection, Scope, StopReason, utc_now
from jido_ai.values.record import Record

T = TypeVar("T")

_AT_ONCE: Final = 64
_EPISODES: Final = 5_000
_EPISODES_PER_PAGE: Final = 200
_RUNS_PER_PAGE: Final = 500
_FEW: Final = 50
_FEW_CHARS: Final = 20_000
_MOST_ERRORS: Final = 100
_ROUND: Final = "round of maintenance"
"""Id of the claim of a round."""
_LEASE_S: Final = 30.0
_LOOK_AGAIN_S: Final = 0.05
_LOOKED_BACK: Final = 20


async def maintain(
    memory: ReflexionMemory,
    config: MaintenanceConfig | None = None,
    *,
    scope: Scope | None = None,
    reflector: object = None,
    now: datetime | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> MaintenanceReport:
    """Run one round of maintenance and return a report.

    In each scope, remove expired entries and entries unused for too long; reduce the importance of unused ones; create
    lessons from root causes and tags that several attempts share (of the newest 5,000 episodes); merge equivalent
    lessons; link contradicting ones; in mode "full" dream; record changes in learning progress; embed entries that have
    no embedding. Then remove old episodes and the journals of old stopped runs from their logs. The report is stored as
    a record of kind "maintenance" in the log "audit". A second round right after the first changes nothing.

    Rounds in one store, also of other processes, take turns: a later one waits until the one under way has ended.

    A failure of one entry, step or scope is listed in the report; the rest continues.

    Args:
        memory: an open memory. Its `max_entries` applies to the entries created here too.
        scope: None means all scopes.
        reflector: reflects on dreams: a `Reflector`, any object with a `reflect` method, or a function; None diagnoses
            without a model.
        now: the current time, with a time zone; None uses the clock.
        progress: called after each scope with the number of scopes done and the total.

    Raises:
        ConfigurationError: an argument is invalid, or the memory is not open.
        StoreError: nothing can be read.
    """
    if not isinstance(memory, ReflexionMemory):
        raise ConfigurationError(f"maintain needs a ReflexionMemory, got {describe(memory)}")
    if now is not None and now.tzinfo is None:
        raise ConfigurationError(f"now needs a time zone, got {now.isoformat()}")
    round_ = _Round(memory, config or MaintenanceConfig(), Reflector() if reflector is None else reflector, now)
    async with _alone(memory):
        return await round_.run(scope, progress or (lambda _done, _all: None))


def _ignored(_name: str, **_facts: object) -> None:
    """Ignore an event: a claim that is left expires."""


@asynccontextmanager
async def _alone(memory: ReflexionMemory) -> AsyncGenerator[None]:
    """Wait until no other round is under way in this store, here or in another process; then keep others waiting."""
    leases = Leases(memory, _LEASE_S, _ignored)
    lease = leases.new(_ROUND, Scope())
    try:
        while True:
            try:
                await lease.claim()
                break
            except RunClaimedError:
                await asyncio.sleep(_LOOK_AGAIN_S)
        yield
    finally:
        await leases.release(lease) if lease.is_stored else leases.drop(lease)
        await leases.close()


def _above(run_id: str) -> Generator[str]:
    """Yield the ids of the graph runs that a run may be a loop of."""
    for number, sign in enumerate(run_id):
        if sign == "/":
            yield run_id[:number]


class _Round:
    """One round and its results so far."""

    def __init__(
        self, memory: ReflexionMemory, config: MaintenanceConfig, reflector: object, now: datetime | None
    ) -> None:
        self._memory = memory
        self._config = config
        self._reflect = method_of(reflector, "reflect")
        self._now = now or utc_now()
        self._done: Counter[str] = Counter()
        self._errors: list[ErrorInfo] = []

    async def run(self, scope: Scope | None, progress: Callable[[int, int], object]) -> MaintenanceReport:
        began_at = asyncio.get_running_loop().time()
        scopes = await self._memory.scopes() if scope is None else [scope]
        for number, one in enumerate(scopes):
            await self._maintain(one)
            progress(number + 1, len(scopes))
        with self._going_on("logs", scope):
            await self._drop_episodes(scope)
        with self._going_on("logs", scope):
            await self._drop_journals(scope)
        self._done["scopes"] = len(scopes)
        duration_s = asyncio.get_running_loop().time() - began_at
        report = self._report(scope, duration_s)
        with self._going_on("audit", scope):
            data = report.model_dump(mode="json")
            record = Record(
                log="audit", key="", kind="maintenance", data=data, scope=scope or Scope(), timestamp=self._now
            )
            await self._memory.append([record])
        return self._report(scope, duration_s)

    def _report(self, scope: Scope | None, duration_s: float) -> MaintenanceReport:
        return MaintenanceReport(
            started_at=self._now,
            mode=self._config.mode,
            scope=scope,
            duration_s=duration_s,
            errors=tuple(self._errors),
            **self._done,
        )

    @contextmanager
    def _going_on(self, step: str, scope: Scope | None) -> Generator[None]:
        """Catch the errors of a step and add them to the report."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - one step or scope never stops the others; the report names it
            self._failed(error, step, scope)

    def _failed(self, error: Exception, step: str, scope: Scope | None) -> None:
        self._done["failures"] += 1
        if len(self._errors) < _MOST_ERRORS:
            where = "all scopes" if scope is None else f"{scope.tenant}/{scope.project}"
            self._errors.append(ErrorInfo(type(error).__name__, message_of(error), f"{step} {where}"))

    # -- a scope -----------------------------------------------------------------------------------

    async def _maintain(self, scope: Scope) -> None:
        self._done["entries"] += await self._count(scope)
        attempts: list[tuple[int, Episode]] = []
        with self._going_on("episodes", scope):
            attempts = await self._attempts(scope)
        steps: list[tuple[str, Callable[[], Coroutine[Any, Any, None]]]] = [
            ("expire", partial(self._drop_old, scope)),
            ("decay", partial(self._decay, scope)),
            *([("dream", partial(self._dream, scope))] if self._config.mode == "full" else []),
            ("consolidate", partial(self._learn_from_causes, scope, attempts)),
            ("consolidate", partial(self._learn_from_tags, scope)),
            ("merge", partial(self._merge, scope)),
            ("contradict", partial(self._tie, scope)),
            ("meta", partial(self._record_progress, scope, attempts)),
            ("embed", partial(self._embed, scope)),
        ]
        for name, step in steps:
            with self._going_on(name, scope):
                await step()

    async def _embed(self, scope: Scope) -> None:
        """Embed the entries without an embedding, such as those stored before the memory had an embedder."""
        pending = await self._memory.embed_pending(scope)
        while 0 < (left := await self._memory.embed_pending(scope)) < pending:
            pending = left

    async def _count(self, scope: Scope) -> int:
        with self._going_on("count", scope):
            return await self._memory.count(scope)
        return 0

    async def _drop_old(self, scope: Scope) -> None:
        entries = await self._memory.list_entries(scope)
        expired = [entry.id for entry in entries if is_expired(entry, self._now)]
        outlived: list[str] = []
        days = self._config.retention_days
        if days is not None:
            kept = [entry for entry in entries if not is_expired(entry, self._now)]
            outlived = [entry.id for entry in kept if has_outlived(entry, self._now, days)]
        for what, ids in (("expired", expired), ("pruned", outlived)):
            self._done[what] += await self._all(what, scope, (self._memory.forget(id, scope=scope) for id in ids))

    async def _decay(self, scope: Scope) -> None:
        fade = partial(decayed, now=self._now, config=self._config)
        entries = await self._memory.list_entries(scope)
        faded = await _aside(entries, lambda: [entry.id for entry in entries if fade(entry) is not entry])
        self._done["decayed"] += await self._all(
            "decay", scope, (self._memory.update(id, fade, scope=scope) for id in faded)
        )

    # -- lessons -----------------------------------------------------------------------------------

    async def _attempts(self, scope: Scope) -> list[tuple[int, Episode]]:
        """Return the newest episodes of a scope, oldest first, each with its row; of duplicates the last one."""
        found: dict[str, tuple[int, Episode]] = {}
        before = 0
        while len(found) < _EPISODES:
            page = await self._memory.records(
                "episodes", scope=scope, after=before, newest_first=True, limit=_EPISODES_PER_PAGE
            )
            for row, episode in await _aside(page, partial(self._read, page, scope)):
                found.setdefault(episode.id, (row, episode))
            if len(page) < _EPISODES_PER_PAGE:
                break
            before = page[-1].row
        self._done["episodes"] += len(found)
        return list(found.values())[::-1]

    def _read(self, page: Sequence[Record], scope: Scope) -> list[tuple[int, Episode]]:
        read: list[tuple[int, Episode]] = []
        for record in page:
            with self._going_on(f"episode {record.key}", scope):
                read.append((record.row, read_episode(record.data)))
        return read

    async def _learn_from_causes(self, scope: Scope, attempts: Sequence[tuple[int, Episode]]) -> None:
        entries = await self._memory.list_entries(scope)
        work = partial(promotions_from_causes, entries, attempts, self._now)
        await self._promote("lessons", scope, await _aside((*entries, *(episode for _, episode in attempts)), work))

    async def _learn_from_tags(self, scope: Scope) -> None:
        entries = await self._memory.list_entries(scope)
        await self._promote(
            "summaries", scope, await _aside(entries, partial(promotions_from_tags, entries, self._now))
        )

    async def _promote(self, what: str, scope: Scope, promotions: Iterable[Promotion]) -> None:
        for one in promotions:  # in order: a later one may extend an earlier one
            with self._going_on(what, scope):
                if one.into is not None:
                    more = partial(reinforce, more=one.lesson, now=self._now, config=self._config)
                    await self._memory.update(one.into, more, scope=scope)
                else:
                    if one.instead_of is not None:
                        await self._memory.forget(one.instead_of, scope=scope)
                    await self._memory.store(one.lesson)
                self._done[what] += 1

    async def _merge(self, scope: Scope) -> None:
        entries = await self._memory.list_entries(scope)
        for older, newer in await _aside(entries, partial(find_duplicates, entries, _turns_for(entries))):
            with self._going_on("merge", scope):
                absorb = partial(merge, newer=newer, now=self._now, config=self._config)
                await self._memory.update(older.id, absorb, scope=scope)
                await self._memory.forget(newer.id, scope=scope)
                self._done["merged"] += 1

    async def _tie(self, scope: Scope) -> None:
        entries = await self._memory.list_entries(scope)
        ties = await _aside(entries, partial(contradicting, entries))
        links = (self._memory.link(one, other, "contradicts", scope=scope) for one, other in ties)
        self._done["contradictions"] += await self._all("contradict", scope, links)

    async def _dream(self, scope: Scope) -> None:
        memories = select_for_dream(await self._memory.list_entries(scope), self._now, self._config)
        if not memories:
            return
        episode = dream_of(memories, self._now)
        async with asyncio.timeout(self._config.dream_timeout_s):
            reflection = await self._reflect(episode, ())
        if not isinstance(reflection, Reflection):
            raise ConfigurationError(f"a reflector must return a Reflection, got {describe(reflection)}")
        if knows_cause(reflection) or episode.error:  # else the advice is the same each time
            for entry in dream_entries(reflection, episode):
                await self._memory.store(entry)
            self._done["dreams"] += 1

    async def _record_progress(self, scope: Scope, attempts: Sequence[tuple[int, Episode]]) -> None:
        entries = await self._memory.list_entries(scope)
        episodes = [episode for _, episode in attempts]
        work = partial(meta_entries, entries, episodes, scope, self._now)
        made = await _aside((*entries, *episodes), work)
        self._done["meta"] += await self._all("meta", scope, map(self._memory.store, made))

    # -- logs --------------------------------------------------------------------------------------

    async def _drop_episodes(self, scope: Scope | None) -> None:
        days = self._config.episode_days
        if days is not None:
            before = self._now - timedelta(days=days)
            self._done["episodes_dropped"] += await self._memory.drop_records("episodes", scope=scope, before=before)

    async def _drop_journals(self, scope: Scope | None) -> None:
        days = self._config.journal_days
        if days is None:
            return
        before = self._now - timedelta(days=days)
        await self._memory.drop_records("compared", scope=scope, before=before)
        journal = RunJournal(self._memory)
        old: list[tuple[str, Scope]] = []
        kept: set[tuple[str, Scope]] = set()
        offset = 0
        while page := await journal.list(scope, limit=_RUNS_PER_PAGE, offset=offset):
            offset += len(page)
            for run in page:
                is_over = run.status not in ("interrupted", StopReason.SUSPENDED)  # these go on some day
                (old.append if is_over and run.last_at < before else kept.add)((run.run_id, run.scope))
        old = [(run_id, of) for run_id, of in old if not any((above, of) in kept for above in _above(run_id))]
        drop = (self._memory.drop_records("journal", scope=of, key=run_id, before=before) for run_id, of in old)
        self._done["runs_dropped"] += await self._all("logs", scope, drop)
        served = await self._memory.summaries(
            "served", scope=scope
        )  # some never began, or an earlier version dropped them
        ended = [
            (log.last.key, log.last.scope) for log in served if log.last.kind == "ended" and log.last.timestamp < before
        ]
        old += [(run_id, of) for run_id, of in ended if not await journal.has(run_id, of)]
        gone = dict.fromkeys(old)
        rest = (self._memory.drop_records(log, scope=of, key=run_id) for run_id, of in gone for log in OF_RUNS)
        await self._all("logs", scope, rest)

    async def _all(self, step: str, scope: Scope | None, work: Iterable[Coroutine[Any, Any, object]]) -> int:
        """Run all of `work`, some concurrently; return how many succeeded. Skips entries removed meanwhile."""
        done = 0
        waiting = iter(work)  # coroutines are created only when started
        while some := list(islice(waiting, _AT_ONCE)):
            for outcome in await asyncio.gather(*some, return_exceptions=True):
                if isinstance(outcome, NotFoundError):
                    continue
                if isinstance(outcome, Exception):
                    self._failed(outcome, step, scope)
                elif isinstance(outcome, BaseException):
                    raise outcome
                else:
                    done += 1
        return done


async def _aside(read: Sequence[Record | MemoryEntry | Episode], work: Callable[[], T]) -> T:
    """Run `work` in a thread if it reads many or long values, else here."""
    return work() if _is_little(read) else await asyncio.to_thread(work)


def _is_little(read: Sequence[Record | MemoryEntry | Episode]) -> bool:
    return len(read) <= _FEW and size_of([_texts_of(one) for one in read], _FEW_CHARS) <= _FEW_CHARS


def _turns_for(read: Sequence[MemoryEntry]) -> Callable[[], None]:
    """Return the callable with which work on `read`, run by `_aside`, releases the GIL."""
    return turns_of(0.0 if _is_little(read) else inf)


def _texts_of(one: Record | MemoryEntry | Episode) -> object:
    return one.data if isinstance(one, Record) else one


# -- the actor -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Maintain(Ask[MaintenanceReport]):
    """Run a round now and answer with the report.

    Attributes:
        scope: None uses the actor's scope.
    """

    scope: Scope | None = None


@dataclass(frozen=True, slots=True)
class _Due:
    """A period has ended.

    Attributes:
        at: its end, in event loop time.
    """

    at: float


class Maintenance(Actor[Maintain | _Due]):
    """Maintains a memory once per period, and on request.

    The first round is due one period after the last one in the memory's audit log, or at once if there is none, so
    frequently restarted processes run maintenance too. Later rounds are due at whole periods after the first: a slow
    round does not delay the schedule, rounds never overlap, and missed ones are skipped. If a whole round fails, for
    example because the store is unavailable, the event "maintenance.failed" is emitted and the next round runs as
    scheduled.

    Args:
        memory: must stay open while the actor runs.
        period_s: seconds between rounds, more than 0 and finite; a day by default.
        config, scope, reflector: as in `maintain`.
        clock: returns the current time.
    """

    expected_errors: ClassVar[tuple[type[Exception], ...]] = (JidoError,)

    def __init__(
        self,
        memory: ReflexionMemory,
        *,
        period_s: float = 86_400.0,
        config: MaintenanceConfig | None = None,
        scope: Scope | None = None,
        reflector: object = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        if isinstance(period_s, bool) or not isinstance(period_s, int | float) or not 0 < period_s < float("inf"):
            raise ConfigurationError(f"period_s must be a finite number above 0, got {describe(period_s)}")
        self._memory = memory
        self._period_s = period_s
        self._scope = scope
        self._clock = clock
        self._maintain = partial(maintain, memory, config, reflector=reflector)

    async def on_start(self) -> None:
        self._wait_until(asyncio.get_running_loop().time() + await self._left_s())

    async def on_receive(self, message: Maintain | _Due) -> MaintenanceReport | None:
        if isinstance(message, Maintain):
            return await self._round(message.scope or self._scope)
        try:
            await self._round(self._scope)
        except JidoError as error:
            self.system.emit(
                "maintenance.failed", actor=str(self.ref), error=f"{type(error).__name__}: {message_of(error)}"
            )
        due, now = message.at + self._period_s, asyncio.get_running_loop().time()
        if due <= now:
            due += ((now - due) // self._period_s + 1) * self._period_s
        self._wait_until(due)
        return None

    async def _round(self, scope: Scope | None) -> MaintenanceReport:
        report = await self._maintain(scope=scope, now=self._clock())
        self.system.emit(
            "maintenance.done",
            actor=str(self.ref),
            duration_s=report.duration_s,
            scopes=report.scopes,
            changes=report.changes,
            failures=report.failures,
        )
        return report

    async def _left_s(self) -> float:
        """Return the seconds until the first round."""
        own = None if self._scope is None else self._scope.model_dump(mode="json")
        found = await self._memory.records("audit", kind="maintenance", newest_first=True, limit=_LOOKED_BACK)
        last = next((record.timestamp for record in found if record.data.get("scope") == own), None)
        if last is None:
            return 0.0
        return min(self._period_s, max(0.0, self._period_s - (self._clock() - last).total_seconds()))

    def _wait_until(self, due: float) -> None:
        self.run_task(self._remind(due))

    async def _remind(self, due: float) -> None:
        await asyncio.sleep(max(0.0, due - asyncio.get_running_loop().time()))
        self.ref.tell(_Due(due))
