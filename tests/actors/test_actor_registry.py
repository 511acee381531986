"""Registry: unique and duplicate keys, entries that go with their actor, dispatch, and names by `via`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from actor_helpers import Call, Crash, Plain, Probe, settle

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.exit_reason import Crashed, ExitReason, Killed, NoProc, Shutdown
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.registry import Registry, RegistryRef, via
from jido_ai.actors.relations import Down, Exit
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import (
    ActorDeadError,
    ActorError,
    AlreadyRegisteredError,
    ConfigurationError,
    NameTakenError,
    StartError,
)
from jido_ai.telemetry import TelemetryEvent

pytestmark = pytest.mark.virtual_clock


def quiet(_: TelemetryEvent) -> None:
    """Take an event and say nothing."""


@pytest.fixture
async def system() -> AsyncIterator[ActorSystem]:
    async with ActorSystem(sink=quiet) as system:
        yield system


class Member(Actor[Any]):
    """Registers itself in on_start; crashes in on_start when told to."""

    def __init__(self, registry: RegistryRef, key: object, *, fails: bool = False) -> None:
        self.registry = registry
        self.key = key
        self.fails = fails

    async def on_start(self) -> None:
        self.registry.register(self.key, "mine")
        if self.fails:
            raise ValueError("fails on purpose")

    async def on_receive(self, message: Any) -> Any:
        if isinstance(message, Crash):
            raise ValueError("crashed on purpose")
        return message


async def test_a_handler_registers_its_own_actor(system: ActorSystem) -> None:
    registry = await system.spawn(Registry)
    one = await system.spawn(Plain)
    await one.ask(Call(lambda _: registry.register("key", 1)))
    assert registry.lookup("key") == ((one, 1),)
    assert await one.ask(Call(lambda _: registry.keys())) == ("key",)
    await one.ask(Call(lambda _: registry.unregister("key")))
    assert registry.lookup("key") == () and registry.count() == 0


async def test_outside_of_a_handler_the_actor_is_named(system: ActorSystem) -> None:
    registry = await system.spawn(Registry)
    for call in (registry.register, registry.unregister):
        with pytest.raises(ActorError, match="ref="):
            call("key")
    with pytest.raises(ActorError, match="ref="):
        registry.keys()
    one = await system.spawn(Plain)
    await registry.register("key", ref=one)
    assert registry.lookup("key") == ((one, None),)
    with pytest.raises(ConfigurationError, match="ActorRef"):
        registry.register("other", ref="somebody")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("same", [False, True])
async def test_a_unique_key_has_one_holder(system: ActorSystem, same: bool) -> None:
    registry = await system.spawn(Registry, "unique")
    one, other = await system.spawn(Plain), await system.spawn(Plain)
    registry.register("key", 1, ref=one)
    with pytest.raises(AlreadyRegisteredError, match="'key'") as error:
        registry.register("key", 2, ref=one if same else other)
    assert error.value.ref is one and error.value.key == "key"
    assert registry.lookup("key") == ((one, 1),)
    assert registry.keys(other) == ()


async def test_a_duplicate_key_has_many_entries_also_of_one_actor(system: ActorSystem) -> None:
    registry = await system.spawn(Registry, keys="duplicate")
    one, other = await system.spawn(Plain), await system.spawn(Plain)
    for ref, value in ((one, 1), (other, 2), (one, 3)):
        registry.register("key", value, ref=ref)
    registry.register("more", ref=one)
    assert registry.lookup("key") == ((one, 1), (other, 2), (one, 3))
    assert registry.keys(one) == ("key", "key", "more")
    assert registry.count() == 4
    registry.unregister("key", ref=one)
    assert registry.lookup("key") == ((other, 2),)
    assert registry.keys(one) == ("more",)
    registry.unregister("never", ref=one)
    registry.unregister("more", ref=other)
    assert registry.count() == 2


@pytest.mark.parametrize("keys", ["unique", "duplicate"])
@pytest.mark.parametrize("end", ["stop", "kill", "crash", "exit"])
async def test_entries_go_before_the_down_of_their_actor_is_delivered(system: ActorSystem, keys: Any, end: str) -> None:
    registry = await system.spawn(Registry, keys)
    one = await system.spawn(Plain)
    registry.register("key", 1, ref=one)
    registry.register("other", 2, ref=one)
    seen: list[object] = []

    class Watcher(Actor[Any]):
        async def on_start(self) -> None:
            self.monitor(one)

        async def on_receive(self, message: Any) -> None:
            seen.append((type(message), registry.lookup("key"), registry.count()))

    await system.spawn(Watcher)
    match end:
        case "stop":
            one.stop()
        case "kill":
            one.kill()
        case "crash":
            one.tell(Crash())
        case _:
            one.tell(Call(lambda actor: actor.exit()))
    await settle()
    assert seen == [(Down, (), 0)]
    assert registry.keys(one) == ()


async def test_the_ended_cannot_register(system: ActorSystem) -> None:
    registry = await system.spawn(Registry)
    one = await system.spawn(Plain)
    await one.stop()
    with pytest.raises(ActorDeadError):
        registry.register("key", ref=one)
    assert registry.count() == 0


async def test_a_failed_start_leaves_no_entry(system: ActorSystem) -> None:
    registry = await system.spawn(Registry)
    with pytest.raises(StartError):
        await system.spawn(Member, registry, "key", fails=True)
    assert registry.count() == 0


async def test_a_restarted_actor_registers_again_under_the_same_ref(system: ActorSystem) -> None:
    registry = await system.spawn(Registry)
    one = await system.spawn(ChildSpec(id="one", start=(Member, (registry, "key"), {})))
    one.tell(Crash())
    await settle()
    assert one.is_alive
    assert registry.lookup("key") == ((one, "mine"),)
    assert registry.count() == 1


async def test_dispatch_calls_once_with_all_entries_and_not_without_any(system: ActorSystem) -> None:
    registry = await system.spawn(Registry, "duplicate", partitions=4)
    calls: list[Any] = []
    registry.dispatch("key", calls.append)
    assert calls == []
    refs = [await system.spawn(Plain) for _ in range(3)]
    for number, ref in enumerate(refs):
        registry.register("key", number, ref=ref)
    registry.dispatch("key", calls.append)
    assert calls == [tuple(zip(refs, range(3), strict=True))]


async def test_a_subscriber_that_ends_during_a_dispatch_disturbs_nobody(system: ActorSystem) -> None:
    registry = await system.spawn(Registry, "duplicate")
    log: list[Any] = []
    refs = [await system.spawn(Probe, log, str(number)) for number in range(3)]
    for ref in refs:
        registry.register("key", ref=ref)

    def send(entries: tuple[tuple[ActorRef, Any], ...]) -> None:
        entries[1][0].kill()
        for ref, _ in entries:
            ref.tell("news")

    log.clear()
    registry.dispatch("key", send)
    await settle()
    assert log == [("0", "news"), ("2", "news")]
    assert [ref for ref, _ in registry.lookup("key")] == [refs[0], refs[2]]


async def test_an_error_of_the_dispatched_function_reaches_the_one_who_dispatches(system: ActorSystem) -> None:
    registry = await system.spawn(Registry)
    registry.register("key", ref=await system.spawn(Plain))
    with pytest.raises(ZeroDivisionError):
        registry.dispatch("key", lambda _: 1 / 0)

    async def later(_: object) -> None:
        pass

    with pytest.raises(ConfigurationError, match="async"):
        registry.dispatch("key", later)
    assert registry.count() == 1


@pytest.mark.parametrize("arguments", [("other",), (None,), ("unique", 0), ("unique", True), ("unique", 1.5)])
async def test_a_wrong_argument_is_refused(system: ActorSystem, arguments: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"keys|partitions"):
        await system.spawn(Registry, *arguments)


async def test_a_key_is_hashable(system: ActorSystem) -> None:
    registry = await system.spawn(Registry)
    for call in (registry.lookup, registry.register, registry.unregister):
        with pytest.raises(ConfigurationError, match="hashable"):
            call([])  # type: ignore[operator]
    with pytest.raises(ConfigurationError, match="hashable"):
        via(registry, {})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def test_a_registry_takes_no_messages_and_lives(system: ActorSystem) -> None:
    registry = await system.spawn(Registry)
    with pytest.raises(ConfigurationError, match="takes no messages"):
        await registry.ask("lookup")
    registry.tell("lookup")
    await settle()
    assert registry.is_alive


async def test_a_stopped_registry_answers_with_actor_dead_error(system: ActorSystem) -> None:
    registry = await system.spawn(Registry)
    await registry.stop()
    for call in (registry.lookup, registry.unregister, registry.register):
        with pytest.raises(ActorDeadError):
            call("key")  # type: ignore[operator]
    with pytest.raises(ActorDeadError):
        registry.count()


@pytest.mark.parametrize("keys", ["unique", "duplicate"])
async def test_members_of_a_registry_that_stops_normally_end_with_shutdown_and_register_again(
    system: ActorSystem, keys: Any
) -> None:
    log: list[Any] = []

    class Registered(Probe):
        async def on_start(self) -> None:
            await system.whereis("names").register("me")  # type: ignore[union-attr]

    specs = [
        ChildSpec(id="registry", start=(Registry, (keys,), {}), name="names"),
        ChildSpec(id="member", start=(Registered, (log, "member"), {}), name="member"),
    ]
    await system.spawn(ChildSpec(id="top", start=(Supervisor, (specs,), {})))
    registry, member = system.whereis("names"), system.whereis("member")
    assert isinstance(registry, RegistryRef)
    await registry.stop()
    await settle(60)
    assert log == [("member", "stop", Shutdown())]
    assert registry.lookup("me") == ((member, None),)


async def test_a_name_kept_by_a_registry_that_stops_normally_is_found_again(system: ActorSystem) -> None:
    specs = [
        ChildSpec(id="registry", start=Registry, name="names"),
        ChildSpec(id="room", start=Plain, name=via("names", "room 1")),
    ]
    await system.spawn(ChildSpec(id="top", start=(Supervisor, (specs,), {})))
    registry, room = system.whereis("names"), system.whereis(via("names", "room 1"))
    assert registry is not None and room is not None
    await registry.stop()
    await settle(60)
    assert system.whereis(via("names", "room 1")) is room
    assert await room.ask("here") == "here"


async def test_members_of_a_registry_that_crashes_end_with_it_and_register_again(system: ActorSystem) -> None:
    top = await system.spawn(
        ChildSpec(id="top", start=(Supervisor, ([ChildSpec(id="registry", start=Registry, name="names")],), {}))
    )
    registry = system.whereis("names")
    assert isinstance(registry, RegistryRef)
    log: list[Any] = []
    trapping = await system.spawn(Probe, log)
    await trapping.ask(Call(lambda actor: setattr(actor, "trap_exit", True)))
    registry.register("trapping", ref=trapping)
    one = await system.spawn(ChildSpec(id="one", start=(Member, (registry, "key"), {})))
    registry.kill()
    await settle()
    assert registry.is_alive and top.is_alive
    assert registry.lookup("key") == ((one, "mine"),) and registry.lookup("trapping") == ()
    assert log[-1] == ("probe", Exit(registry, Killed()))


async def test_the_last_entry_takes_the_link_along(system: ActorSystem) -> None:
    registry = await system.spawn(Registry)
    one, other = await system.spawn(Plain), await system.spawn(Plain)
    for key in (1, 2):
        registry.register(key, ref=one)
    registry.register(3, ref=other)
    registry.unregister(1, ref=one)
    registry.unregister(2, ref=one)
    registry.kill()
    await settle()
    assert one.is_alive and not other.is_alive


# -- names -----------------------------------------------------------------------------------------


async def test_a_via_name_is_found_and_freed_with_its_actor(system: ActorSystem) -> None:
    registry = await system.spawn(Registry, name="names")
    one = await system.spawn(Plain, name=via(registry, ("room", 1)))
    other = await system.spawn(ChildSpec(id="other", start=Plain, name=via("names", "key", "value")))
    assert system.whereis(via("names", ("room", 1))) is one
    assert system.whereis(via(registry, "key")) is other
    assert registry.lookup("key") == ((other, "value"),)
    assert system.whereis(via(registry, "nobody")) is None
    assert system.whereis(via("no registry", "key")) is None
    assert await other.ask(1) == 1
    await one.stop()
    assert system.whereis(via(registry, ("room", 1))) is None
    again = await system.spawn(Plain, name=via(registry, ("room", 1)))
    assert system.whereis(via(registry, ("room", 1))) is again


async def test_a_taken_via_name_fails_the_start_with_its_holder(system: ActorSystem) -> None:
    registry = await system.spawn(Registry, name="names")
    one = await system.spawn(Plain)
    registry.register("key", ref=one)
    for name in (via(registry, "key"), via("names", "key")):
        with pytest.raises(NameTakenError) as error:
            await system.spawn(Plain, name=name)
        assert error.value.ref is one
    with pytest.raises(StartError) as start:
        await system.spawn(Supervisor, [ChildSpec(id="child", start=Plain, name=via(registry, "key"))])
    assert isinstance(start.value.reason, Crashed) and isinstance(start.value.reason.error, NameTakenError)
    assert registry.count() == 1


async def test_a_via_name_belongs_to_every_incarnation(system: ActorSystem) -> None:
    names = ChildSpec(id="names", start=Registry, name="names")
    child = ChildSpec(id="child", start=Plain, name=via("names", "key"))
    await system.spawn(Supervisor, [names, child])
    one = system.whereis(via("names", "key"))
    assert one is not None
    one.tell(Crash())
    await settle()
    assert one.is_alive and system.whereis(via("names", "key")) is one


async def test_a_via_name_needs_a_living_unique_registry(system: ActorSystem) -> None:
    many = await system.spawn(Registry, "duplicate", name="many")
    plain = await system.spawn(Plain, name="plain")
    for wrong in (many, plain, "", 5):
        with pytest.raises(ConfigurationError, match="via needs"):
            via(wrong, "key")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    for name in ("many", "plain"):
        with pytest.raises(ConfigurationError, match="via needs"):
            await system.spawn(Plain, name=via(name, "key"))
    with pytest.raises(StartError, match="nobody"):
        await system.spawn(Plain, name=via("nobody", "key"))
    gone = await system.spawn(Registry)
    name = via(gone, "key")
    await gone.stop()
    with pytest.raises(StartError) as error:
        await system.spawn(Plain, name=name)
    assert isinstance(error.value.__cause__, ActorDeadError) and error.value.__cause__.reason == NoProc()


async def test_a_factory_may_build_a_registry(system: ActorSystem) -> None:
    ref = await system.spawn(ChildSpec(id="names", start=lambda: Registry("duplicate")))
    assert isinstance(ref, RegistryRef)
    assert ref.lookup("key") == ()


async def test_an_actor_can_look_up_in_its_last_moments(system: ActorSystem) -> None:
    registry = await system.spawn(Registry)
    seen: list[Any] = []

    class Leaving(Actor[Any]):
        async def on_start(self) -> None:
            registry.register("key")

        async def on_stop(self, reason: ExitReason) -> None:
            seen.append(registry.lookup("key"))

    one = await system.spawn(Leaving)
    await one.stop()
    assert seen == [((one, None),)] and registry.lookup("key") == ()
