"""Supervisors: OTP's semantics, row by row; `test_supervision_model.py` has random trees and random deaths."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from actor_helpers import Call, Crash, Plain, Probe, Stubborn, other_tasks, settle
from hypothesis import given, settings
from hypothesis.strategies import integers, lists

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import Backoff, ChildSpec
from jido_ai.actors.children import (
    ChildCounts,
    ChildInfo,
    CountChildren,
    DeleteChild,
    RestartChild,
    StartChild,
    TerminateChild,
    WhichChildren,
)
from jido_ai.actors.exit_reason import Crashed, ExitReason, Killed, Normal, Shutdown
from jido_ai.actors.mailbox import Bounded
from jido_ai.actors.ref import ActorRef, Ignored
from jido_ai.actors.restart import Restart, Strategy
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import (
    ActorDeadError,
    AlreadyPresentError,
    AlreadyStartedError,
    ChildRunningError,
    ConfigurationError,
    Ignore,
    NameTakenError,
    NotFoundError,
    RestartingError,
    StartError,
)
from jido_ai.telemetry import TelemetryEvent
from jido_ai.testing import virtual_run

pytestmark = pytest.mark.virtual_clock

AT_ONCE = Backoff(base_s=0.0)


def now() -> float:
    return asyncio.get_running_loop().time()


def quiet(_: TelemetryEvent) -> None:
    """Take an event and say nothing."""


class Bench:
    """A system with one supervisor over probes that share a log."""

    def __init__(self, system: ActorSystem) -> None:
        self.system = system
        self.log: list[Any] = []
        self.supervisor: ActorRef

    def child(self, id_: str, restart: Restart = "permanent", **more: Any) -> ChildSpec:
        more.setdefault("start", (Probe, (self.log, id_), {}))
        return ChildSpec(id=id_, name=id_, restart=restart, **more)

    async def start(self, *children: ChildSpec, **options: Any) -> ActorRef:
        self.supervisor = await self.system.spawn(Supervisor, children, name="supervisor", **options)
        return self.supervisor

    def __getitem__(self, name: str) -> ActorRef:
        ref = self.system.whereis(name)
        assert ref is not None, f"{name} does not live"
        return ref

    def names(self, *ids: str) -> str:
        return "".join(id_ for id_ in ids if self.system.whereis(id_) is not None)

    def starts(self) -> str:
        """Return what has started since the last look, in order."""
        started = "".join(tag for tag, what, *_ in self.log if what == "start")
        self.log.clear()
        return started

    def happened(self) -> str:
        """Return starts as +a and stops as -a since the last look, in order."""
        marks = {"start": "+", "stop": "-"}
        text = " ".join(marks[what] + tag for tag, what, *_ in self.log)
        self.log.clear()
        return text

    async def which(self) -> list[tuple[str, str]]:
        infos = await self.supervisor.ask(WhichChildren())
        return [(info.id, info.status) for info in infos]


@pytest.fixture
async def bench() -> Any:
    """A bench whose system is stopped afterwards."""
    async with ActorSystem(sink=quiet) as system:
        yield Bench(system)


# -- start and stop order --------------------------------------------------------------------------


async def test_children_start_in_order_each_waiting_for_the_one_before_and_stop_in_reverse(bench: Bench) -> None:
    class Slow(Probe):
        async def on_start(self) -> None:
            await asyncio.sleep(1)
            await super().on_start()

    slow = bench.child("b", start=(Slow, (bench.log, "b"), {}))
    await bench.start(bench.child("a"), slow, bench.child("c"))
    assert bench.happened() == "+a +b +c"
    await bench.supervisor.stop()
    assert bench.happened() == "-c -b -a"


async def test_a_failing_start_stops_the_started_ones_and_never_starts_the_later_ones(bench: Bench) -> None:
    def broken() -> Actor:
        raise ValueError("broken")

    with pytest.raises(StartError) as failure:
        await bench.start(bench.child("a"), bench.child("b"), bench.child("c", start=broken), bench.child("d"))
    assert failure.value.id == "c"
    assert isinstance(failure.value.__cause__, ValueError)
    assert bench.happened() == "+a +b -b -a"
    assert bench.system.whereis("supervisor") is None


async def test_a_start_error_names_the_child_by_its_id_not_its_name(bench: Bench) -> None:
    class Broken(Actor):
        async def on_start(self) -> None:
            raise ValueError("broken")

    with pytest.raises(StartError) as failure:
        await bench.start(ChildSpec(id="the id", name="the name", start=Broken))
    assert failure.value.id == "the id"


async def test_a_start_that_returns_nonsense_is_a_start_error(bench: Bench) -> None:
    for nonsense in (None, 7, Plain, object()):
        with pytest.raises(StartError, match="must return an Actor"):
            await bench.start(bench.child("a", start=lambda nonsense=nonsense: nonsense))


async def test_a_start_that_returns_the_same_actor_twice_is_a_start_error(bench: Bench) -> None:
    actor = Plain()
    with pytest.raises(StartError, match="fresh"):
        await bench.start(bench.child("a", start=lambda: actor), bench.child("b", start=lambda: actor))


async def test_specs_are_checked_before_anything_starts(bench: Bench) -> None:
    for wrong in (
        {"children": [bench.child("a"), bench.child("a")]},
        {"children": [bench.child("a"), "b"]},
        {"children": [bench.child("a"), bench.child("b", "transient", significant=True)]},
        {"children": (bench.child(name) for name in "ab")},
        {"strategy": "all_for_one"},
        {"auto_shutdown": "sometimes"},
        {"max_restarts": -1},
        {"max_restarts": 1.5},
        {"max_seconds": 0},
        {"max_seconds": float("nan")},
        {"max_seconds": 10**400},
    ):
        with pytest.raises(ConfigurationError):
            await bench.system.spawn(Supervisor, **wrong)
    assert bench.log == []


async def test_ignore_is_a_child_without_an_actor(bench: Bench) -> None:
    class Idle(Actor):
        async def on_start(self) -> None:
            raise Ignore

    await bench.start(bench.child("idle", start=Idle), bench.child("a"))
    infos = await bench.supervisor.ask(WhichChildren())
    assert infos[0] == ChildInfo("idle", None, "stopped", "worker")
    assert infos[1].ref is bench["a"]


async def test_an_ignored_child_that_starts_after_all_has_an_ordinary_ref(bench: Bench) -> None:
    class Late(Probe):
        has_nothing_to_do = True

        async def on_start(self) -> None:
            if Late.has_nothing_to_do:
                raise Ignore

    await bench.start()
    ref = await bench.supervisor.ask(StartChild(bench.child("late", start=Late)))
    Late.has_nothing_to_do = False
    assert isinstance(ref, Ignored)
    assert await bench.supervisor.ask(RestartChild("late")) is ref
    assert not isinstance(ref, Ignored)
    assert await ref.ask("here") == "here"


@pytest.mark.parametrize("restart", ["temporary", "transient", "permanent"])
async def test_an_ignored_temporary_child_is_forgotten_as_start_child_forgets_it(
    bench: Bench, restart: Restart
) -> None:
    class Idle(Actor):
        async def on_start(self) -> None:
            raise Ignore

    await bench.start(bench.child("idle", restart, start=Idle), bench.child("a"))
    assert isinstance(await bench.supervisor.ask(StartChild(bench.child("later", restart, start=Idle))), Ignored)
    is_kept = restart != "temporary"
    all_three = [("idle", "stopped"), ("a", "running"), ("later", "stopped")]
    assert await bench.which() == (all_three if is_kept else all_three[1:2])
    if not is_kept:
        with pytest.raises(NotFoundError):
            await bench.supervisor.ask(RestartChild("idle"))
        assert await bench.supervisor.ask(StartChild(bench.child("idle"))) is bench["idle"]


async def test_an_unknown_child_of_a_large_supervisor_is_refused_in_few_words(bench: Bench) -> None:
    await bench.start(*(bench.child(f"c{number}") for number in range(100)))
    with pytest.raises(NotFoundError, match=r"has no child 'x'; it has: c0, c1, .*c9 and 90 more$"):
        await bench.supervisor.ask(TerminateChild("x"))


# -- who is restarted ------------------------------------------------------------------------------


ENDS: dict[str, Callable[[ActorRef], object]] = {
    "crash": lambda ref: ref.tell(Crash()),
    "kill": lambda ref: ref.kill(),
    "normal": lambda ref: ref.tell(Call(lambda actor: actor.exit())),
    "shutdown": lambda ref: ref.tell(Call(lambda actor: actor.exit(Shutdown("x")))),
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("restart", ["permanent", "transient", "temporary"])
async def test_the_restart_value_decides_and_the_spec_is_kept_or_dropped(
    bench: Bench, restart: Restart, end: str
) -> None:
    await bench.start(bench.child("a", restart))
    ENDS[end](bench["a"])
    await settle()
    if restart == "permanent" or (restart == "transient" and end in ("crash", "kill")):
        assert await bench.which() == [("a", "running")]
    elif restart == "transient":
        assert await bench.which() == [("a", "stopped")]
        assert (await bench.supervisor.ask(RestartChild("a"))).is_alive  # by hand
    else:
        assert await bench.which() == []


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [("one_for_one", "+b"), ("rest_for_one", "-d -c +b +c +d"), ("one_for_all", "-d -c -a +a +b +c +d")],
)
async def test_a_strategy_stops_its_group_in_reverse_and_starts_it_in_order(
    bench: Bench, strategy: Strategy, expected: str
) -> None:
    await bench.start(*(bench.child(id_) for id_ in "abcd"), strategy=strategy)
    refs = {id_: bench[id_] for id_ in "abcd"}
    bench.log.clear()
    bench["b"].kill()
    await settle(60)
    assert bench.happened() == expected
    assert {id_: bench[id_] for id_ in "abcd"} == refs  # the same addresses


@pytest.mark.parametrize("strategy", ["rest_for_one", "one_for_all"])
async def test_a_normal_exit_of_a_transient_child_affects_no_sibling(bench: Bench, strategy: Strategy) -> None:
    await bench.start(bench.child("a", "transient"), bench.child("b"), strategy=strategy)
    bench.log.clear()
    await bench["a"].stop()
    await settle()
    assert bench.happened() == "-a"


async def test_a_temporary_child_stopped_by_a_group_restart_is_dropped(bench: Bench) -> None:
    await bench.start(bench.child("a"), bench.child("t", "temporary"), bench.child("b"), strategy="one_for_all")
    bench["a"].kill()
    await settle(60)
    assert await bench.which() == [("a", "running"), ("b", "running")]


async def test_a_transient_child_that_had_ended_is_started_again_by_a_group_restart(bench: Bench) -> None:
    await bench.start(bench.child("a"), bench.child("t", "transient"), strategy="one_for_all")
    await bench["t"].stop()
    await settle()
    bench["a"].kill()
    await settle(60)
    assert bench.names("a", "t") == "at"


async def test_a_second_death_during_a_group_restart_is_absorbed(bench: Bench) -> None:
    await bench.start(*(bench.child(id_) for id_ in "abc"), strategy="one_for_all", max_restarts=1)
    bench.log.clear()
    bench["a"].kill()
    bench["b"].kill()
    bench["c"].kill()
    await settle(60)
    assert bench.starts() == "abc"
    assert bench.names("a", "b", "c") == "abc"


async def test_a_failed_start_in_one_for_all_stops_the_started_ones_and_tries_the_group_again(bench: Bench) -> None:
    fails = [False]

    class Moody(Probe):
        async def on_start(self) -> None:
            await super().on_start()
            if fails[0]:
                fails[0] = False
                raise ValueError("moody")

    moody = bench.child("b", start=(Moody, (bench.log, "b"), {}))
    await bench.start(bench.child("a"), moody, bench.child("c"), strategy="one_for_all")
    bench.log.clear()
    fails[0] = True
    bench["c"].kill()
    await asyncio.sleep(1)
    assert bench.happened() == "-b -a +a +b -a +a +b +c"


async def test_between_attempts_of_one_for_all_children_before_the_failing_one_run(bench: Bench) -> None:
    fails = [0]

    class Moody(Probe):
        async def on_start(self) -> None:
            if fails[0]:
                fails[0] -= 1
                raise ValueError("moody")

    moody = bench.child("b", start=(Moody, (bench.log, "b"), {}), backoff=Backoff(base_s=1.0))
    await bench.start(bench.child("a"), moody, bench.child("c"), strategy="one_for_all", max_restarts=9)
    fails[0] = 2
    bench["a"].kill()
    await asyncio.sleep(0.5)
    assert await bench.which() == [("a", "running"), ("b", "restarting"), ("c", "stopped")]
    assert bench.names("a", "b", "c") == "a"
    await asyncio.sleep(0.6)
    assert bench.names("a", "b", "c") == "abc"
    fails[0] = 2
    bench["c"].kill()
    await asyncio.sleep(0.5)
    await bench.supervisor.ask(TerminateChild("b"))
    assert await bench.which() == [("a", "running"), ("b", "stopped"), ("c", "stopped")]


async def test_between_attempts_of_rest_for_one_earlier_children_run_and_later_ones_do_not(
    bench: Bench,
) -> None:
    fails = [0]

    class Moody(Probe):
        async def on_start(self) -> None:
            if fails[0]:
                fails[0] -= 1
                raise ValueError("moody")

    moody = bench.child("b", start=(Moody, (bench.log, "b"), {}), backoff=Backoff(base_s=1.0))
    await bench.start(bench.child("a"), moody, bench.child("c"), strategy="rest_for_one")
    later = bench["c"]
    fails[0] = 2
    bench["a"].kill()
    await asyncio.sleep(0.5)
    assert await bench.which() == [("a", "running"), ("b", "restarting"), ("c", "stopped")]
    asked = asyncio.ensure_future(later.ask("x", when_restarting="wait", timeout_s=None))
    await settle()
    assert not asked.done()
    await bench.supervisor.ask(TerminateChild("b"))  # with it goes what was to start after it
    with pytest.raises(ActorDeadError):
        await asked
    assert await bench.which() == [("a", "running"), ("b", "stopped"), ("c", "stopped")]


async def test_siblings_answer_while_a_child_is_restarted(bench: Bench) -> None:
    await bench.start(bench.child("a"), bench.child("b"))
    bench["a"].kill()
    assert await bench["b"].ask("here", timeout_s=0.1) == "here"


# -- intensity -------------------------------------------------------------------------------------


async def test_one_restart_more_than_max_restarts_in_max_seconds_ends_the_supervisor_with_shutdown(
    bench: Bench,
) -> None:
    supervisor = await bench.start(bench.child("a", backoff=AT_ONCE), bench.child("b"))
    down = asyncio.ensure_future(bench.system.wait_down(supervisor))
    await settle()
    for _ in range(4):
        assert not down.done()
        bench["a"].kill()
        await settle()
    reason = (await down).reason
    assert isinstance(reason, Shutdown)
    assert bench.names("a", "b") == ""


async def test_the_defaults_are_3_restarts_in_5_seconds_and_the_window_slides(bench: Bench) -> None:
    await bench.start(bench.child("a", backoff=AT_ONCE))
    for _ in range(30):  # never more than 3 in any 5 s
        bench["a"].kill()
        await asyncio.sleep(1.75)
    assert bench.supervisor.is_alive


async def test_the_first_crash_ends_a_supervisor_with_max_restarts_0(bench: Bench) -> None:
    await bench.start(bench.child("a"), max_restarts=0)
    bench["a"].kill()
    await settle()
    assert not bench.supervisor.is_alive


async def test_a_clean_exit_of_a_permanent_child_uses_up_intensity(bench: Bench) -> None:
    await bench.start(bench.child("a"), max_restarts=0)
    await bench["a"].stop()
    await settle()
    assert not bench.supervisor.is_alive


async def test_every_failed_attempt_counts(bench: Bench) -> None:
    attempts: list[float] = []

    def broken() -> Actor:
        attempts.append(now())
        if len(attempts) > 1:
            raise ValueError("broken")
        return Plain()

    await bench.start(bench.child("a", start=broken), max_restarts=3, max_seconds=100.0)
    bench["a"].kill()
    await asyncio.sleep(50)
    assert not bench.supervisor.is_alive
    assert len(attempts) == 1 + 3


async def test_a_start_that_returns_nonsense_at_a_restart_is_a_failed_attempt(bench: Bench) -> None:
    answers = iter([Plain(), None, 7, object])
    await bench.start(
        bench.child("a", start=lambda: next(answers)), bench.child("b"), max_restarts=3, max_seconds=100.0
    )
    bench["a"].kill()
    await asyncio.sleep(50)
    assert not bench.supervisor.is_alive
    assert list(answers) == []


async def test_attempts_outside_of_the_window_are_forgotten(bench: Bench) -> None:
    await bench.start(bench.child("a", backoff=AT_ONCE))
    for _ in range(100):
        bench["a"].kill()
        await asyncio.sleep(2)
    assert len(bench.supervisor.cell.actor._attempts) <= 3


async def test_a_supervisor_that_gives_up_emits_an_event(bench: Bench) -> None:
    events: list[TelemetryEvent] = []
    async with ActorSystem(sink=events.append) as system:
        await system.spawn(Supervisor, [ChildSpec(id="a", start=Plain, name="a")], max_restarts=0)
        system.whereis("a").kill()  # type: ignore[union-attr]
        await settle()
    names = [event.name for event in events]
    assert names.count("supervisor.gave_up") == 1


# -- backoff and the state of restarting -----------------------------------------------------------


async def test_backoff_waits_nothing_then_50_ms_doubling_and_resets_after_max_seconds(bench: Bench) -> None:
    starts: list[float] = []

    class Timed(Plain):
        async def on_start(self) -> None:
            starts.append(now())

    await bench.start(bench.child("a", start=Timed), max_restarts=100)
    for _ in range(4):
        bench["a"].kill()
        await asyncio.sleep(1)
    assert [start % 1 for start in starts] == pytest.approx([0, 0, 0.05, 0.1, 0.2])
    await asyncio.sleep(5)
    bench["a"].kill()
    await settle()
    assert starts[-1] == now()


async def restarting(bench: Bench) -> None:
    """Start a supervisor whose child "a" waits for its second restart, a second long."""
    backoff = Backoff(base_s=1.0)
    await bench.start(bench.child("a", backoff=backoff), bench.child("b"), max_restarts=10)
    for _ in range(2):
        bench["a"].kill()
        await settle()
    assert await bench.which() == [("a", "restarting"), ("b", "running")]


async def test_a_supervisor_answers_while_a_child_waits_for_its_restart_and_refuses_senseless_requests(
    bench: Bench,
) -> None:
    await restarting(bench)
    for request in (StartChild(bench.child("a")), RestartChild("a"), DeleteChild("a")):
        with pytest.raises(RestartingError):
            await bench.supervisor.ask(request)
    assert (await bench.supervisor.ask(CountChildren())) == ChildCounts(2, 1, 0, 2)
    assert now() == 0
    await asyncio.sleep(1)
    assert await bench.which() == [("a", "running"), ("b", "running")]


async def test_terminate_ends_the_restarting(bench: Bench) -> None:
    await restarting(bench)
    await bench.supervisor.ask(TerminateChild("a"))
    await asyncio.sleep(10)
    assert await bench.which() == [("a", "stopped"), ("b", "running")]


async def test_a_wait_that_terminate_has_ended_does_not_cut_a_later_one_short(bench: Bench) -> None:
    await restarting(bench)
    await asyncio.sleep(0.9)
    await bench.supervisor.ask(TerminateChild("a"))
    await bench.supervisor.ask(RestartChild("a"))
    bench["a"].kill()
    await asyncio.sleep(0.9)  # the first wait would have been over
    assert await bench.which() == [("a", "restarting"), ("b", "running")]


async def test_a_supervisor_can_be_stopped_while_a_child_waits_for_its_restart(bench: Bench) -> None:
    await restarting(bench)
    bench.log.clear()
    await bench.supervisor.stop()
    await asyncio.sleep(10)
    assert bench.happened() == "-b"


@pytest.mark.parametrize("end", ["stop", "kill"])
async def test_a_supervisor_that_ends_leaves_no_timer_of_a_restart_behind(bench: Bench, end: str) -> None:
    await restarting(bench)
    await bench.supervisor.stop() if end == "stop" else bench.supervisor.kill()
    await settle(60)
    loop: Any = asyncio.get_running_loop()
    timers = [timer for timer in loop._scheduled if not timer.cancelled() and "TryAgain" in repr(timer)]
    assert timers == []


# -- stopping a child ------------------------------------------------------------------------------


async def test_a_child_gets_shutdown_and_its_time_and_then_is_killed(bench: Bench) -> None:
    release = asyncio.Event()
    stubborn = bench.child("s", start=(Stubborn, (release,), {}), shutdown=2.0)
    await bench.start(stubborn, bench.child("a"))
    bench["s"].tell("work")
    await settle()
    down = asyncio.ensure_future(bench.system.wait_down(bench["s"]))
    await settle()
    await bench.supervisor.ask(TerminateChild("s"))
    assert (await down).reason == Killed()
    assert 2.0 <= now() <= 2.5
    release.set()


async def test_shutdown_0_is_legal(bench: Bench) -> None:
    await bench.start(bench.child("a", shutdown=0))
    await bench.supervisor.ask(TerminateChild("a"))
    assert bench.names("a") == ""


async def test_brutal_kill_does_not_run_on_stop(bench: Bench) -> None:
    await bench.start(bench.child("a", shutdown="brutal_kill"))
    await bench.supervisor.ask(TerminateChild("a"))
    assert bench.happened() == "+a"


async def test_infinity_waits_as_long_as_it_takes(bench: Bench) -> None:
    class Slow(Probe):
        async def on_stop(self, reason: ExitReason) -> None:
            assert reason == Shutdown()
            await asyncio.sleep(1000)

    await bench.start(bench.child("a", start=(Slow, (bench.log, "a"), {}), shutdown="infinity"))
    await bench.supervisor.ask(TerminateChild("a"), timeout_s=None)
    assert now() == 1000


async def test_children_that_end_by_themselves_while_the_supervisor_stops_are_not_restarted(bench: Bench) -> None:
    class Slow(Probe):
        async def on_stop(self, reason: ExitReason) -> None:
            await asyncio.sleep(1)

    await bench.start(bench.child("a"), bench.child("slow", start=(Slow, (bench.log, "slow"), {})))
    bench.log.clear()
    stopping = asyncio.create_task(bench.supervisor.stop())
    await settle()
    bench["a"].kill()
    await stopping
    assert bench.starts() == ""


async def test_a_supervisor_stopped_in_the_middle_of_a_start_leaves_nothing_behind(bench: Bench) -> None:
    class Slow(Probe):
        async def on_start(self) -> None:
            await super().on_start()
            await asyncio.sleep(1000)

    before = other_tasks()
    slow = bench.child("slow", start=(Slow, (bench.log, "slow"), {}))
    starting = asyncio.create_task(bench.start(bench.child("a"), slow))
    await settle()
    await bench["supervisor"].stop()
    with pytest.raises(StartError):
        await starting
    assert bench.happened() == "+a +slow -a"
    assert bench.names("a", "slow", "supervisor") == ""
    assert other_tasks() == before


@pytest.mark.parametrize("end", ["stop", "kill"])
async def test_a_supervisor_ended_in_the_middle_of_a_group_restart_leaves_nothing_behind(
    bench: Bench, end: str
) -> None:
    slow = [False]

    class Slow(Probe):
        async def on_start(self) -> None:
            if slow[0]:
                await asyncio.sleep(1000)

    before = other_tasks()
    await bench.start(
        bench.child("a"), bench.child("slow", start=(Slow, (bench.log, "slow"), {})), strategy="one_for_all"
    )
    slow[0] = True
    bench["a"].kill()
    await settle(60)
    if end == "stop":
        await bench.supervisor.stop()
    else:
        bench.supervisor.kill()
    await settle(60)
    assert bench.names("a", "slow", "supervisor") == ""
    assert other_tasks() == before
    assert now() == 0


class _Lingering(Probe):
    """Takes 3 seconds to stop."""

    async def on_stop(self, reason: ExitReason) -> None:
        await asyncio.sleep(3)
        await super().on_stop(reason)


async def test_a_supervisor_that_is_stopped_while_a_group_restart_stops_a_child_waits_for_that_child(
    bench: Bench,
) -> None:
    lingering = bench.child("lingering", start=(_Lingering, (bench.log, "lingering"), {}))
    await bench.start(bench.child("a"), lingering, strategy="one_for_all")
    bench["a"].kill()
    await asyncio.sleep(1)  # the group restart waits for its second member
    await bench.supervisor.stop()
    assert now() == 3
    assert bench.happened() == "+a +lingering -lingering"
    assert bench.names("a", "lingering", "supervisor") == ""


@pytest.mark.parametrize("shutdown", [None, "brutal_kill"])
async def test_a_stopping_supervisor_waits_for_the_orphans_of_a_killed_supervisor_below(
    bench: Bench, shutdown: Any
) -> None:
    lingering = bench.child("lingering", start=(_Lingering, (bench.log, "lingering"), {}))
    inner = sub(bench, "inner", sub(bench, "deep", lingering))
    await bench.start(replace(inner, shutdown=shutdown))
    if shutdown is None:
        bench["deep"].kill()
        await asyncio.sleep(1)
        bench["inner"].kill()
    await bench.supervisor.stop()
    assert now() == 3
    assert bench.happened() == "+lingering -lingering"


# -- requests --------------------------------------------------------------------------------------


async def test_requests_and_their_refusals(bench: Bench) -> None:
    supervisor = await bench.start(bench.child("a"))
    with pytest.raises(AlreadyStartedError) as refusal:
        await supervisor.ask(StartChild(bench.child("a")))
    assert refusal.value.ref is bench["a"]
    for request in (RestartChild("a"), DeleteChild("a")):
        with pytest.raises(ChildRunningError):
            await supervisor.ask(request)
    await supervisor.ask(TerminateChild("a"))
    with pytest.raises(AlreadyPresentError):
        await supervisor.ask(StartChild(bench.child("a")))
    assert (await supervisor.ask(RestartChild("a"))) is bench["a"]
    await supervisor.ask(TerminateChild(bench["a"]))
    await supervisor.ask(DeleteChild("a"))
    for request in (RestartChild("a"), DeleteChild("a"), TerminateChild("a")):
        with pytest.raises(NotFoundError):
            await supervisor.ask(request)
    with pytest.raises(ConfigurationError):
        await supervisor.ask("nonsense")
    with pytest.raises(ConfigurationError):
        await supervisor.ask(StartChild("nonsense"))  # type: ignore[arg-type]
    assert supervisor.is_alive
    assert await bench.which() == []


async def test_start_child_comes_after_all_others_and_its_failure_leaves_nothing(bench: Bench) -> None:
    await bench.start(bench.child("a"))
    await bench.supervisor.ask(StartChild(bench.child("b")))

    def broken() -> Actor:
        raise ValueError("broken")

    with pytest.raises(StartError):
        await bench.supervisor.ask(StartChild(bench.child("c", start=broken)))
    assert await bench.which() == [("a", "running"), ("b", "running")]


async def test_a_taken_name_is_a_start_error_with_the_owner(bench: Bench) -> None:
    await bench.start(bench.child("a"))
    with pytest.raises(StartError) as failure:
        await bench.supervisor.ask(StartChild(ChildSpec(id="b", start=Plain, name="a")))
    assert isinstance(failure.value.__cause__, NameTakenError)
    assert failure.value.__cause__.ref is bench["a"]


async def test_the_start_error_of_a_supervisor_names_the_child_for_any_error(bench: Bench) -> None:
    def misconfigured() -> Actor:
        raise ConfigurationError("no such tool")

    owner = await bench.system.spawn(Plain, name="taken")
    for spec, cause in (
        (ChildSpec(id="c", start=misconfigured), ConfigurationError),
        (ChildSpec(id="c", start=Plain, name="taken"), NameTakenError),
    ):
        with pytest.raises(StartError) as failure:
            await bench.system.spawn(Supervisor, [bench.child("a"), spec])
        assert failure.value.id == "c"
        assert isinstance(failure.value.__cause__, cause)
    assert owner.is_alive


@pytest.mark.parametrize("children", [None, 3])
async def test_children_that_are_no_sequence_are_refused_by_name(bench: Bench, children: Any) -> None:
    with pytest.raises(ConfigurationError, match="children must be a sequence of ChildSpecs"):
        await bench.system.spawn(Supervisor, children)


async def test_count_and_which_are_consistent_with_2000_children(bench: Bench) -> None:
    await bench.start(*(ChildSpec(id=str(n), start=Plain, restart="temporary") for n in range(2000)))
    infos = await bench.supervisor.ask(WhichChildren())
    assert [info.id for info in infos] == [str(n) for n in range(2000)]
    for info in infos[::2]:
        assert info.ref is not None
        info.ref.kill()
    await settle()
    assert await bench.supervisor.ask(CountChildren()) == ChildCounts(1000, 1000, 0, 1000)


async def test_name_and_mailbox_hold_for_every_incarnation(bench: Bench) -> None:
    await bench.start(bench.child("a", mailbox=Bounded(7)))
    first = bench["a"].cell.queue
    bench["a"].kill()
    await settle()
    assert bench["a"].cell.queue is not first
    assert type(bench["a"].cell.queue) is type(first)


async def test_a_factory_is_called_at_every_start(bench: Bench) -> None:
    calls: list[int] = []

    def factory() -> Actor:
        calls.append(1)
        return Plain()

    await bench.start(bench.child("a", start=factory))
    bench["a"].kill()
    await settle()
    assert len(calls) == 2


# -- trees -----------------------------------------------------------------------------------------


def sub(bench: Bench, id_: str, *children: ChildSpec, restart: Restart = "permanent", **options: Any) -> ChildSpec:
    return ChildSpec(
        id=id_, name=id_, start=(Supervisor, (children,), options), type="supervisor", restart=restart, backoff=AT_ONCE
    )


@pytest.mark.parametrize("restart", ["permanent", "transient"])
async def test_a_sub_supervisor_that_gives_up_is_restarted_if_permanent_but_not_if_transient(
    bench: Bench, restart: Restart
) -> None:
    inner = sub(bench, "inner", bench.child("a"), restart=restart, max_restarts=0)
    await bench.start(inner)
    await bench["inner"].ask(StartChild(bench.child("added")))
    bench["a"].kill()
    await settle(60)
    assert bench.names("inner", "a", "added") == ("innera" if restart == "permanent" else "")
    assert bench.supervisor.is_alive


async def test_a_permanent_sub_supervisor_costs_its_parent_one_restart(bench: Bench) -> None:
    await bench.start(sub(bench, "inner", bench.child("a"), max_restarts=0), max_restarts=1)
    bench["a"].kill()
    await settle(60)
    assert bench.supervisor.is_alive
    bench["a"].kill()
    await settle(60)
    assert not bench.supervisor.is_alive


async def test_a_killed_supervisor_takes_its_children_along_and_is_restarted_with_the_names_free(bench: Bench) -> None:
    class Slow(Probe):
        async def on_stop(self, reason: ExitReason) -> None:
            await asyncio.sleep(1)
            await super().on_stop(reason)

    slow = bench.child("slow", start=(Slow, (bench.log, "slow"), {}))
    await bench.start(sub(bench, "inner", bench.child("a"), sub(bench, "deep", slow)))
    bench.log.clear()
    bench["inner"].kill()
    await asyncio.sleep(5)
    assert bench.happened() == "-a -slow +a +slow"
    assert bench.names("inner", "a", "deep", "slow") == "inneradeepslow"


@pytest.mark.parametrize("shutdown", ["dies too", "brutal_kill", 1.0])
async def test_a_group_restart_waits_until_the_names_below_a_killed_supervisor_are_free(
    bench: Bench, shutdown: Any
) -> None:
    lingering = bench.child("lingering", start=(_Lingering, (bench.log, "lingering"), {}))
    inner = sub(bench, "inner", sub(bench, "deep", lingering))
    if shutdown != "dies too":
        inner = replace(inner, shutdown=shutdown)
    await bench.start(bench.child("a"), inner, strategy="one_for_all", max_restarts=1)
    bench.log.clear()
    bench["a"].kill()
    if shutdown == "dies too":
        bench["inner"].kill()
    await asyncio.sleep(10)
    assert bench.happened() == "-lingering +a +lingering"
    assert bench.names("a", "inner", "deep", "lingering") == "ainnerdeeplingering"


async def test_a_restart_by_hand_waits_until_the_names_below_a_killed_supervisor_are_free(bench: Bench) -> None:
    lingering = bench.child("lingering", start=(_Lingering, (bench.log, "lingering"), {}))
    await bench.start(replace(sub(bench, "inner", lingering), shutdown="brutal_kill"))
    await bench.supervisor.ask(TerminateChild("inner"))
    assert now() == 0
    await bench.supervisor.ask(RestartChild("inner"))
    assert now() == 3
    assert bench.happened() == "+lingering -lingering +lingering"


async def test_a_start_that_fails_leaves_no_name_taken_below(bench: Bench) -> None:
    def broken() -> Actor:
        raise ValueError("broken")

    lingering = bench.child("lingering", start=(_Lingering, (bench.log, "lingering"), {}))
    deep = replace(sub(bench, "deep", lingering), shutdown="brutal_kill")
    with pytest.raises(StartError):
        await bench.start(deep, bench.child("broken", start=broken))
    assert bench.names("supervisor", "deep", "lingering") == ""
    assert now() == 3


# -- automatic shutdown ----------------------------------------------------------------------------


@pytest.mark.parametrize(("auto", "deaths"), [("never", 0), ("any_significant", 1), ("all_significant", 2)])
@pytest.mark.parametrize("restart", ["transient", "temporary"])
async def test_auto_shutdown_fires_when_significant_children_are_gone_for_good(
    bench: Bench, restart: Restart, auto: Any, deaths: int
) -> None:
    significant = auto != "never"
    children = [bench.child(id_, restart, significant=significant) for id_ in "ab"]
    supervisor = await bench.start(*children, bench.child("c"), auto_shutdown=auto)
    down = asyncio.ensure_future(bench.system.wait_down(supervisor))
    died = 0
    for id_ in "ab":
        if supervisor.is_alive:
            await bench[id_].stop()
            await settle()
            died += 1
            assert supervisor.is_alive == (died != deaths)
    if deaths:
        assert isinstance((await down).reason, Shutdown)
    else:
        down.cancel()


async def test_a_significant_child_that_waits_for_its_restart_is_not_gone_for_good(bench: Bench) -> None:
    slow = Backoff(base_s=1.0)
    children = [bench.child(id_, "transient", significant=True, backoff=slow) for id_ in "ab"]
    await bench.start(*children, auto_shutdown="all_significant")
    for _ in range(2):
        bench["a"].kill()
        await settle()
    assert await bench.which() == [("a", "restarting"), ("b", "running")]
    await bench["b"].stop()
    await asyncio.sleep(2)
    assert await bench.which() == [("a", "running"), ("b", "stopped")]
    await bench["a"].stop()
    await settle()
    assert not bench.supervisor.is_alive


async def test_an_automatic_shutdown_escalates_as_a_clean_end(bench: Bench) -> None:
    for restart in ("permanent", "transient"):
        child = bench.child(f"worker of {restart}", "temporary", significant=True)
        inner = sub(bench, restart, child, restart=restart, auto_shutdown="any_significant")  # type: ignore[arg-type]
        supervisor = await bench.system.spawn(Supervisor, [inner])
        await bench[child.id].stop()
        await settle(60)
        infos = await supervisor.ask(WhichChildren())
        assert [info.status for info in infos] == ["running" if restart == "permanent" else "stopped"]


async def test_auto_shutdown_does_not_fire_for_a_child_that_is_restarted(bench: Bench) -> None:
    await bench.start(bench.child("restarted", "transient", significant=True), auto_shutdown="any_significant")
    bench["restarted"].kill()
    await settle(60)
    assert bench.supervisor.is_alive
    assert await bench.which() == [("restarted", "running")]


async def test_auto_shutdown_does_not_fire_for_a_child_that_is_stopped_by_request(bench: Bench) -> None:
    await bench.start(bench.child("terminated", "transient", significant=True), auto_shutdown="any_significant")
    await bench.supervisor.ask(TerminateChild("terminated"))
    await settle(60)
    assert bench.supervisor.is_alive
    assert await bench.which() == [("terminated", "stopped")]


async def test_auto_shutdown_does_not_fire_for_a_child_that_ends_with_its_sibling(bench: Bench) -> None:
    children = [bench.child("restarted"), bench.child("bystander", "temporary", significant=True)]
    await bench.start(*children, auto_shutdown="any_significant", strategy="rest_for_one")
    bench["restarted"].kill()
    await settle(60)
    assert bench.supervisor.is_alive
    assert await bench.which() == [("restarted", "running")]


# -- random schedules -----------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(lists(integers(0, 12), min_size=1, max_size=12), integers(0, 4), integers(1, 4))
def test_a_supervisor_gives_up_at_exactly_the_restart_that_the_rule_names(
    quarters: list[int], max_restarts: int, max_seconds: int
) -> None:
    async def main() -> None:
        async with ActorSystem(sink=quiet) as system:
            spec = ChildSpec(id="a", name="a", start=Plain, backoff=AT_ONCE)
            supervisor = await system.spawn(
                Supervisor, [spec], max_restarts=max_restarts, max_seconds=float(max_seconds)
            )
            times: list[float] = []
            for gap in quarters:
                await asyncio.sleep(gap / 4)
                system.whereis("a").kill()  # type: ignore[union-attr]
                times.append(now())
                await settle()
                recent = [time for time in times if time >= now() - max_seconds]
                assert supervisor.is_alive == (len(recent) <= max_restarts)
                if not supervisor.is_alive:
                    return

    virtual_run(main())


async def test_many_random_kills_leave_no_task_name_or_monitor_behind(bench: Bench) -> None:
    before = other_tasks()
    specs = [ChildSpec(id=str(n), name=f"w{n}", start=Plain, backoff=AT_ONCE) for n in range(200)]
    await bench.start(*specs, max_restarts=10**6)
    outcomes: Counter[str] = Counter()

    async def call(name: str) -> None:
        for n in range(20):
            ref = bench.system.whereis(name)
            if ref is None:
                outcomes["nobody"] += 1
            else:
                (outcome,) = await asyncio.gather(ref.ask(n, when_restarting="wait"), return_exceptions=True)
                outcomes[type(outcome).__name__] += 1
            await asyncio.sleep(0.01)

    callers = [asyncio.create_task(call(f"w{n}")) for n in range(200)]
    for n in range(400):
        ref = bench.system.whereis(f"w{n * 7 % 200}")
        if ref is not None:
            ref.kill()
        await asyncio.sleep(0.0005)
    await asyncio.gather(*callers)
    assert sum(outcomes.values()) == 200 * 20
    await bench.supervisor.stop()
    assert other_tasks() == before
    assert all(bench.system.whereis(f"w{n}") is None for n in range(200))


async def test_a_normal_exit_reason_is_reported_to_monitors(bench: Bench) -> None:
    await bench.start(bench.child("a", "temporary"))
    down = asyncio.ensure_future(bench.system.wait_down(bench["a"]))
    await settle()
    await bench["a"].stop()
    assert (await down).reason == Normal()


async def test_a_crash_reason_carries_the_error(bench: Bench) -> None:
    await bench.start(bench.child("a", "temporary"))
    down = asyncio.ensure_future(bench.system.wait_down(bench["a"]))
    await settle()
    bench["a"].tell(Crash())
    reason = (await down).reason
    assert isinstance(reason, Crashed)
    assert isinstance(reason.error, ValueError)
