"""Rounds of maintenance on real stores, and the actor that makes one in every period."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ConfigurationError, NotFoundError, StoreUnavailableError
from jido_ai.graph import ApprovalNode, Graph, LoopNode
from jido_ai.learning import maintenance
from jido_ai.learning.maintenance import Maintain, Maintenance, maintain
from jido_ai.learning.maintenance_report import MaintenanceConfig, MaintenanceReport
from jido_ai.loop.memory import remember
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve.entries import note_record
from jido_ai.telemetry import TelemetryEvent
from jido_ai.values import CritiqueResult, Episode, MemoryEntry, MemoryKind, Reflection, Scope, utc_now
from jido_ai.values.record import Record

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
FULL = MaintenanceConfig(mode="full", retention_days=10.0)


@pytest.fixture(params=["in-process", "sqlite"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ReflexionMemory]:
    path = tmp_path / "memory.db" if request.param == "sqlite" else None
    async with ReflexionMemory(path, similarity="weighted") as opened:
        yield opened


def entry(text: str, days: float = 0.0, **fields: Any) -> MemoryEntry:
    return MemoryEntry(text, **{"timestamp": NOW - days * DAY, **fields})


def lesson(text: str, days: float = 0.0, **fields: Any) -> MemoryEntry:
    return entry(f"p {text}", days, **{"mistake": f"m {text}", "correction": text, "kind": "semantic", **fields})


def episode(number: int, *, cause: str = "a file stayed open", days: float = 1.0, **fields: Any) -> Episode:
    reflection = Reflection("close what you open", root_cause=cause, importance=0.7, tags=["files"])
    return Episode(
        f"task {number}",
        **{
            "id": f"episode {number}",
            "reflection": reflection,
            "critique": CritiqueResult(score=0.2 + 0.05 * number),
            "task_type": "files",
            "timestamp": NOW - days * DAY,
            **fields,
        },
    )


async def contents(memory: ReflexionMemory) -> list[dict[str, Any]]:
    return [one.model_dump() for one in await memory.list_entries()]


async def everything_at_once(memory: ReflexionMemory) -> None:
    """Fill two scopes with something for every step."""
    for scope in (Scope(), Scope("t", "p")):
        here: dict[str, Any] = {"scope": scope}
        for one in [
            lesson("expired", 5, expires_at=NOW - DAY, **here),
            lesson("outlived", 40, importance=0.5, **here),
            lesson("helped", 900, importance=0.1, use_count=1, success_count=1, **here),
            lesson("fades", 5, importance=0.9, **here),
            lesson("say it once", 3, evidence=["a"], **here),
            lesson("SAY it, once", 2, evidence=["b"], use_count=2, success_count=1, **here),
            lesson("lock it", mistake="two writers", use_count=4, success_count=4, **here),
            lesson("wait a while", mistake="two writers", use_count=4, success_count=1, **here),
            *[entry(f"q{number}", number / 10, importance=0.7, mistake="m", **here) for number in range(3)],
            *[entry(f"r{number}", 5, mistake=f"n{number}", tags=["io"], **here) for number in range(5)],
        ]:
            await memory.store(one)
        await remember(memory, [episode(number, **here) for number in range(6)])


@pytest.mark.rows("M8", "M30", "M44", "R33", "R44")
async def test_a_round_does_every_step_in_every_scope_and_a_second_round_does_nothing(memory: ReflexionMemory) -> None:
    await everything_at_once(memory)
    report = await maintain(memory, FULL, now=NOW)
    assert report.errors == ()
    for name in ("scopes", "expired", "pruned", "lessons", "summaries", "merged", "dreams", "meta"):
        assert getattr(report, name) == 2, name
    assert report.contradictions == 4
    assert report.decayed > 0
    before = await contents(memory)
    again = await maintain(memory, FULL, now=NOW + timedelta(minutes=1))
    assert (again.changes, again.failures) == (0, 0)
    assert await contents(memory) == before


async def test_a_lesson_that_helped_is_never_lost(memory: ReflexionMemory) -> None:
    rng = random.Random(3)
    for _ in range(40):
        words = " ".join(rng.choices(["open", "close", "lock", "file"], k=3))
        wins = rng.randrange(2)
        await memory.store(lesson(words, rng.uniform(0, 90), use_count=3, success_count=wins, importance=rng.random()))
    before = await memory.list_entries()
    for days in (0, 5, 50):
        await maintain(memory, FULL, now=NOW + days * DAY)
    after = await memory.list_entries()
    homes = {one.id for one in after} | {link.id for one in after for link in one.links if link.type == "merged"}
    assert {one.id for one in before if one.success_count} <= homes
    assert sum(one.success_count for one in after) == sum(one.success_count for one in before)


@pytest.mark.rows("M49")
async def test_the_report_is_a_record_of_the_audit_log(memory: ReflexionMemory) -> None:
    report = await maintain(memory, now=NOW)
    (record,) = await memory.records("audit", kind="maintenance")
    assert MaintenanceReport.model_validate(record.data) == report


async def test_only_the_named_scope_is_maintained(memory: ReflexionMemory) -> None:
    for scope in (Scope(), Scope("t", "p")):
        await memory.store(lesson("fades", 40, scope=scope))
    assert (await maintain(memory, scope=Scope("t", "p"), now=NOW)).decayed == 1
    assert [one.importance < 0.5 for one in await memory.list_entries()] == [True, False]


@pytest.mark.rows("H56")
async def test_lessons_grow_by_the_attempts_since_the_last_round(memory: ReflexionMemory) -> None:
    await remember(memory, [episode(1), episode(2)])
    await remember(memory, [episode(2)])  # told twice: the last counts
    assert (await maintain(memory, now=NOW)).lessons == 1
    await remember(memory, [episode(3)])
    assert (await maintain(memory, now=NOW)).lessons == 1
    (kept,) = [one for one in await memory.list_entries() if one.source == "consolidation"]
    assert (kept.frequency, set(kept.evidence)) == (3, {"episode 1", "episode 2", "episode 3"})


async def test_a_record_that_is_no_episode_is_reported_and_the_others_are_read(memory: ReflexionMemory) -> None:
    await remember(memory, [episode(1), episode(2)])
    await memory.append([Record(log="episodes", key="junk", data={"prompt": 3})])
    report = await maintain(memory, now=NOW)
    assert (report.lessons, report.failures) == (1, 1)
    assert report.errors[0].component == "episode junk default/default"
    assert report.errors[0].kind == "ConfigurationError"


@pytest.mark.rows("R43")
async def test_a_failed_dream_is_reported_and_blocks_nothing(memory: ReflexionMemory) -> None:
    def fails(_: Episode) -> Reflection:
        raise OSError("no sleep tonight")

    for number in range(3):
        await memory.store(entry(f"q{number}", importance=0.9))
    await memory.store(lesson("fades", 40))
    report = await maintain(memory, MaintenanceConfig(mode="full"), reflector=fails, now=NOW)
    assert (report.dreams, report.decayed, report.failures) == (0, 1, 1)
    assert report.errors[0].message == "no sleep tonight"
    assert await memory.count() == 4


@pytest.mark.virtual_clock
async def test_a_dream_has_a_time_limit() -> None:
    async def dreams_on(_: Episode) -> Reflection:
        await asyncio.Event().wait()
        raise AssertionError

    async with ReflexionMemory() as memory:
        for number in range(3):
            await memory.store(entry(f"q{number}", importance=0.9))
        report = await maintain(memory, MaintenanceConfig(mode="full"), reflector=dreams_on, now=NOW)
    assert (report.dreams, report.errors[0].kind, report.duration_s) == (0, "TimeoutError", 120.0)


@pytest.mark.rows("R37")
async def test_a_dream_without_a_cause_or_a_mistake_is_not_stored(memory: ReflexionMemory) -> None:
    for number in range(3):
        await memory.store(entry(f"task {number}", 0.1, importance=0.9))
    assert (await maintain(memory, FULL, now=NOW)).dreams == 0
    assert await memory.count() == 3


async def test_in_mode_lite_there_is_no_dream(memory: ReflexionMemory) -> None:
    for number in range(3):
        await memory.store(entry(f"q{number}", importance=0.9))
    assert (await maintain(memory, now=NOW)).dreams == 0


async def test_old_episodes_and_journals_of_stopped_runs_are_removed(memory: ReflexionMemory) -> None:
    def line(run: str, kind: str, days: float) -> Record:
        data = {"prompt": "p", "reason": "accepted"}
        return Record(log="journal", key=run, kind=kind, data=data, timestamp=NOW - days * DAY)

    await memory.append(
        [
            line("old", "started", 40),
            line("old", "stopped", 31),
            line("interrupted", "started", 400),
            line("long", "started", 40),
            line("long", "stopped", 29),
        ]
    )
    await memory.append([note_record(Scope(), run, "up", "good") for run in ("old", "long")])
    await remember(memory, [episode(1, days=91), episode(2, days=89)])
    report = await maintain(memory, now=NOW)
    assert (report.runs_dropped, report.episodes_dropped) == (1, 1)
    assert [one.key for one in await memory.records("notes")] == ["long"], "also a note that is newer than its run"
    assert {one.key for one in await memory.records("journal")} == {"interrupted", "long"}
    assert len(await memory.records("journal", key="long")) == 2
    assert [one.key for one in await memory.records("episodes")] == ["episode 2"]


async def test_a_run_that_waits_for_a_person_is_kept_with_its_loops_as_long_as_it_waits(
    memory: ReflexionMemory,
) -> None:
    loop = LoopNode("{t}", generator=lambda prompt: "text", critiquer=lambda candidate: CritiqueResult(severity=0.0))
    graph = Graph({"loop": loop, "asked": ApprovalNode("{loop}")}, inputs=["t"], output="asked", memory=memory)
    async with graph:
        for name in ("a/b", "over"):
            assert (await graph.run({"t": "x"}, run_id=name)).status == "suspended"
        assert (await graph.resume("over", decision=True)).output == "text"
        report = await maintain(memory, now=utc_now() + timedelta(days=400))
        assert report.runs_dropped == 2
        assert {one.key for one in await memory.records("journal")} == {"a/b", "a/b/loop"}
        assert (await graph.resume("a/b", decision=True)).output == "text"


async def test_answers_of_old_comparisons_are_removed(memory: ReflexionMemory) -> None:
    ages = {"old": 31, "young": 29}
    await memory.append([Record(log="compared", key=key, data={}, timestamp=NOW - n * DAY) for key, n in ages.items()])
    await maintain(memory, config=MaintenanceConfig(journal_days=None), now=NOW)
    assert len(await memory.records("compared")) == 2
    await maintain(memory, now=NOW)
    assert [one.key for one in await memory.records("compared")] == ["young"]


@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
async def test_the_lines_of_a_server_are_removed_with_old_runs(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    def lines(run: str, days: float, *ended: str, journal: str = "") -> list[Record]:
        at, data = NOW - days * DAY, {"prompt": "p", "reason": "accepted"}
        made = [Record(log="served", key=run, kind=one, data=data, timestamp=at) for one in ("accepted", *ended)]
        made.append(Record(log="events", key=run, data={"events": []}, timestamp=at))
        if journal:
            made += [Record(log="journal", key=run, kind=one, data=data, timestamp=at) for one in ("started", journal)]
        return made

    address: Any = {"memory": None, "sqlite": tmp_path / "m.db"}.get(kind)
    if kind == "postgres":
        address = request.getfixturevalue("postgres")
    async with ReflexionMemory(address) as memory:
        await memory.append(
            [
                *lines("old", 31, "ended", journal="stopped"),
                *lines("young", 29, "ended", journal="stopped"),
                *lines("never begun", 31, "ended"),
                *lines("interrupted", 400, "ended", journal="iteration"),
                *lines("waiting", 400),
            ]
        )
        assert (await maintain(memory, now=NOW)).runs_dropped == 1
        for log in ("served", "events"):
            assert {one.key for one in await memory.records(log)} == {"young", "interrupted", "waiting"}


async def test_an_entry_that_is_removed_meanwhile_is_not_an_error(memory: ReflexionMemory) -> None:
    kept = await memory.store(lesson("expired", 5, expires_at=NOW - DAY))
    report, _ = await asyncio.gather(maintain(memory, now=NOW), memory.forget(kept.id))
    assert report.failures == 0


async def test_a_scope_that_cannot_be_written_does_not_hold_up_the_others() -> None:
    async with ReflexionMemory() as memory:
        for scope in (Scope("a"), Scope("b")):
            await memory.store(lesson("fades", 40, scope=scope))
        update = memory.update

        async def refuses_a(id: str, change: Callable[[MemoryEntry], MemoryEntry], *, scope: Scope) -> MemoryEntry:
            if scope == Scope("a"):
                raise StoreUnavailableError("not now")
            return await update(id, change, scope=scope)

        memory.update = refuses_a  # type: ignore[method-assign,assignment]
        report = await maintain(memory, now=NOW)
    assert (report.decayed, report.failures) == (1, 1)
    assert report.errors[0].component == "decay a/default"


async def test_an_update_changes_figures_and_never_texts(memory: ReflexionMemory) -> None:
    kept = await memory.store(lesson("a"))
    assert (await memory.update(kept.id, lambda one: one.replace(importance=0.9))).importance == 0.9
    with pytest.raises(ConfigurationError, match="correction"):
        await memory.update(kept.id, lambda one: one.replace(correction="b"))
    with pytest.raises(NotFoundError):
        await memory.update("nobody", lambda one: one)
    assert await memory.get(kept.id) == kept.replace(importance=0.9)


async def test_scopes_are_those_of_entries_and_of_episodes(memory: ReflexionMemory) -> None:
    await memory.store(entry("p", scope=Scope("b")))
    await memory.append([Record(log="episodes", key="e", data={}, scope=Scope("a"))])
    assert await memory.scopes() == [Scope("a"), Scope("b")]


@pytest.mark.rows("R42")
def test_a_dream_of_at_least_more_than_at_most_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="dream_least must be at most dream_most, got 5 and 3"):
        MaintenanceConfig(dream_least=5, dream_most=3)
    assert MaintenanceConfig(dream_least=3, dream_most=3).dream_most == 3


async def test_invalid_settings_are_rejected() -> None:
    async with ReflexionMemory() as memory:
        with pytest.raises(ConfigurationError, match="zone"):
            await maintain(memory, now=datetime(2026, 1, 1))
        with pytest.raises(ConfigurationError, match="reflect"):
            await maintain(memory, reflector=3)
        for period_s in (0, -1.0, float("nan"), True):
            with pytest.raises(ConfigurationError, match="period_s"):
                Maintenance(memory, period_s=period_s)
    with pytest.raises(ConfigurationError, match="ReflexionMemory"):
        await maintain("memory.db")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(ConfigurationError, match="open"):
        await maintain(memory)


async def test_progress_is_reported_after_each_scope(memory: ReflexionMemory) -> None:
    for tenant in "ab":
        await memory.store(entry("p", scope=Scope(tenant)))
    told: list[tuple[int, int]] = []
    await maintain(memory, now=NOW, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]


# -- the actor -------------------------------------------------------------------------------------


def on_the_loops_clock() -> datetime:
    return NOW + timedelta(seconds=asyncio.get_running_loop().time())


async def rounds(memory: ReflexionMemory) -> list[float]:
    """Return when rounds began, in days."""
    return [(one.timestamp - NOW) / DAY for one in await memory.records("audit", kind="maintenance")]


@pytest.mark.rows("R44")
@pytest.mark.virtual_clock
async def test_a_round_is_due_at_once_and_then_every_day_without_drift() -> None:
    async def takes_an_hour(_: Episode) -> Reflection:
        await asyncio.sleep(3600)
        return Reflection("x")

    config = MaintenanceConfig(mode="full", dream_timeout_s=5000.0)
    async with ReflexionMemory() as memory, ActorSystem() as system:
        for number in range(3):
            await memory.store(MemoryEntry(f"q{number}", importance=0.9, timestamp=NOW))
        await system.spawn(Maintenance, memory, config=config, reflector=takes_an_hour, clock=on_the_loops_clock)
        await asyncio.sleep(3.5 * 86_400)
        assert await rounds(memory) == pytest.approx([0, 1, 2, 3], abs=1e-3)


@pytest.mark.virtual_clock
async def test_a_slow_round_never_overlaps_the_next_and_missed_rounds_are_skipped() -> None:
    at_once = 0

    async def slow(_: Episode) -> Reflection:
        nonlocal at_once
        at_once += 1
        assert at_once == 1
        await asyncio.sleep(250)
        at_once -= 1
        return Reflection("x")

    config = MaintenanceConfig(mode="full", dream_timeout_s=5000.0)
    async with ReflexionMemory() as memory, ActorSystem() as system:
        for number in range(3):
            await memory.store(MemoryEntry(f"q{number}", importance=0.9, timestamp=NOW))
        keywords: dict[str, Any] = {"config": config, "reflector": slow, "clock": on_the_loops_clock}
        ref = await system.spawn(Maintenance, memory, period_s=100.0, **keywords)
        await asyncio.sleep(1)
        asked = await ref.ask(Maintain(), timeout_s=1000.0)
        assert asked.dreams == 0  # the round that was due came first
        await asyncio.sleep(200)
        starts = [days * 86_400 for days in await rounds(memory)]
        assert starts == pytest.approx([0, 250, 300, 400], abs=1.0)


@pytest.mark.virtual_clock
async def test_after_a_restart_the_next_round_is_due_a_period_after_the_last() -> None:
    async with ReflexionMemory() as memory:
        for _ in range(3):
            async with ActorSystem() as system:
                await system.spawn(Maintenance, memory, clock=on_the_loops_clock)
                await asyncio.sleep(0.75 * 86_400)
        assert await rounds(memory) == pytest.approx([0, 1, 2], abs=1e-3)


@pytest.mark.virtual_clock
async def test_a_failed_round_is_an_event_and_the_next_round_is_due_on_schedule() -> None:
    events: list[TelemetryEvent] = []
    async with ReflexionMemory() as memory, ActorSystem(sink=events.append) as system:
        scopes = memory.scopes

        async def away() -> list[Scope]:
            raise StoreUnavailableError("away")

        memory.scopes = away  # type: ignore[method-assign]
        ref = await system.spawn(Maintenance, memory, clock=on_the_loops_clock)
        await asyncio.sleep(10)
        assert [event.name for event in events if event.name.startswith("maintenance")] == ["maintenance.failed"]
        with pytest.raises(StoreUnavailableError):
            await ref.ask(Maintain())
        memory.scopes = scopes  # type: ignore[method-assign]
        await asyncio.sleep(86_400)
        assert ref.is_alive
        assert await rounds(memory) == pytest.approx([1], abs=1e-3)


@pytest.mark.rows("M40")
async def test_meta_memory_names_the_task_type(memory: ReflexionMemory) -> None:
    await remember(memory, [episode(number) for number in range(6)])
    await maintain(memory, now=NOW)
    (meta,) = [one for one in await memory.list_entries() if one.kind is MemoryKind.META]
    assert (meta.task_type, meta.metadata["direction"]) == ("files", "up")


# -- size ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("long", [True, False], ids=["long", "short"])
@pytest.mark.parametrize("number", [10, 60], ids=["few", "many"])
async def test_many_entries_and_long_ones_are_read_in_a_thread_and_a_few_short_ones_at_once(
    number: int, long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once: dict[str, bool] = {}
    loop_thread = threading.get_ident()

    def watched(name: str) -> None:
        rule = getattr(maintenance, name)

        def watching(*args: Any, **options: Any) -> Any:
            at_once[name] = threading.get_ident() == loop_thread
            return rule(*args, **options)

        monkeypatch.setattr(maintenance, name, watching)

    rules = ("promotions_from_causes", "promotions_from_tags", "find_duplicates", "contradicting", "meta_entries")
    for name in rules:
        watched(name)
    async with ReflexionMemory() as memory:
        for n in range(number):  # and not one attempt
            await memory.store(lesson(f"{n} {'as it says ' * 300}" if long else f"{n}"))
        await maintain(memory, now=NOW)
    assert at_once == dict.fromkeys(rules, number == 10 and not long)
