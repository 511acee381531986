"""PartitionSupervisor: equal children, and the same child for a key, whatever happens."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from enum import Enum
from typing import Any
from uuid import UUID

import pytest
from actor_helpers import Call, Crash, Plain, settle
from hypothesis import given
from hypothesis.strategies import binary, floats, integers, none, recursive, text, tuples

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import ChildCounts, CountChildren, DeleteChild, StartChild, WhichChildren
from jido_ai.actors.partition_supervisor import PartitionRef, PartitionSupervisor, partition_of
from jido_ai.actors.system import ActorSystem
from jido_ai.actors.thread_actor import ThreadActor
from jido_ai.errors import (
    ActorDeadError,
    ConfigurationError,
    NameTakenError,
    StartError,
    SupervisorError,
)
from jido_ai.telemetry import TelemetryEvent

pytestmark = pytest.mark.virtual_clock

CHILD = ChildSpec(id="part", start=Plain)
KEYS = recursive(none() | integers() | floats() | text() | binary(), lambda keys: tuples(keys, keys), max_leaves=4)


class Colour(Enum):
    RED = 1
    BLUE = 2


def quiet(_: TelemetryEvent) -> None:
    """Take an event and say nothing."""


@pytest.fixture
async def system() -> AsyncIterator[ActorSystem]:
    async with ActorSystem(sink=quiet) as system:
        yield system


async def number_of(ref: Any) -> int:
    return await ref.ask(Call(lambda actor: actor.partition))


async def test_each_key_belongs_to_one_of_the_children(system: ActorSystem) -> None:
    ref = await system.spawn(PartitionSupervisor, CHILD, partitions=3, name="parts")
    assert system.whereis("parts") is ref
    assert [await number_of(ref.of(number)) for number in (0, 1, 2, 3, -4, 7)] == [0, 1, 2, 0, 1, 1]
    assert {await number_of(ref.of(f"key {number}")) for number in range(50)} == {0, 1, 2}
    assert [info.id for info in await ref.ask(WhichChildren())] == ["part-0", "part-1", "part-2"]
    assert await ref.ask(CountChildren()) == ChildCounts(3, 3, 0, 3)


async def test_a_child_knows_its_partition_before_it_starts(system: ActorSystem) -> None:
    seen: list[Any] = []

    class Noting(Actor[Any]):
        async def on_start(self) -> None:
            seen.append(self.partition)

    class OnThread(ThreadActor[Any]):
        def on_start(self) -> None:
            seen.append(self.partition)

    await system.spawn(PartitionSupervisor, ChildSpec(id="one", start=Noting), 2)
    await system.spawn(PartitionSupervisor, ChildSpec(id="two", start=lambda: OnThread()), 2)
    assert seen == [0, 1, 0, 1]


async def test_a_crash_restarts_one_child_with_the_same_ref_and_number(system: ActorSystem) -> None:
    ref = await system.spawn(PartitionSupervisor, CHILD, 2)
    one, other = ref.of(0), ref.of(1)
    before = other.cell
    one.tell(Crash())
    await settle()
    assert ref.of(0) is one and one.is_alive and await number_of(one) == 0
    assert other.cell is before


async def test_keys_keep_their_refs_when_the_supervisor_itself_is_restarted(system: ActorSystem) -> None:
    ref = await system.spawn(ChildSpec(id="parts", start=(PartitionSupervisor, (CHILD, 4), {}), type="supervisor"))
    assert isinstance(ref, PartitionRef)
    refs = [ref.of(number) for number in range(4)]
    ref.kill()
    assert [ref.of(number) for number in range(4)] == refs
    await settle(60)
    assert [ref.of(number) for number in range(4)] == refs
    assert [await number_of(one) for one in refs] == [0, 1, 2, 3]


async def test_keys_find_their_child_while_the_others_are_still_starting(system: ActorSystem) -> None:
    found: list[Any] = []

    class Asking(Actor[Any]):
        def __init__(self) -> None:
            self.above: Any = None

        async def on_start(self) -> None:
            above = self.system.whereis("parts")
            assert isinstance(above, PartitionRef)
            found.append((above.of(self.partition) is self.ref, above.of(2).is_alive))

    await system.spawn(PartitionSupervisor, ChildSpec(id="asking", start=Asking), 3, name="parts")
    assert found == [(True, False), (True, False), (True, True)]


async def test_more_crashes_than_the_intensity_end_the_supervisor(system: ActorSystem) -> None:
    ref = await system.spawn(PartitionSupervisor, CHILD, 2, max_restarts=1, max_seconds=10.0)
    one = ref.of(0)
    for _ in range(2):
        one.tell(Crash())
        await asyncio.sleep(1)  # on the virtual clock: the second restart is delayed
    assert not ref.is_alive
    with pytest.raises(ActorDeadError):
        await one.ask(1)
    with pytest.raises(ConfigurationError, match="max_restarts"):
        await system.spawn(PartitionSupervisor, CHILD, 2, max_restarts=-1)


async def test_a_key_leads_to_a_temporary_child_that_has_ended(system: ActorSystem) -> None:
    ref = await system.spawn(PartitionSupervisor, ChildSpec(id="part", start=Plain, restart="temporary"), 2)
    one, other = ref.of(0), ref.of(1)
    one.kill()
    await settle()
    assert ref.of(0) is one and ref.of(1) is other
    with pytest.raises(ActorDeadError):
        await one.ask(1)


async def test_a_failing_child_fails_the_start(system: ActorSystem) -> None:
    class Failing(Actor[Any]):
        async def on_start(self) -> None:
            if self.partition == 1:
                raise ValueError("no")

    with pytest.raises(StartError, match="part-1"):
        await system.spawn(PartitionSupervisor, ChildSpec(id="part", start=Failing), 3)
    assert system.tree().children == ()


async def test_a_stopped_supervisor_has_no_children(system: ActorSystem) -> None:
    ref = await system.spawn(PartitionSupervisor, CHILD, 2)
    one = ref.of("key")
    await ref.stop()
    assert not one.is_alive


async def test_children_are_neither_added_nor_deleted(system: ActorSystem) -> None:
    ref = await system.spawn(PartitionSupervisor, CHILD, 2)
    for message in (StartChild(ChildSpec(id="more", start=Plain)), DeleteChild("part-0")):
        with pytest.raises(SupervisorError, match="one child for each partition"):
            await ref.ask(message)
    assert ref.is_alive


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((Plain,), "child"),
        ((CHILD, 0), "partitions"),
        ((CHILD, True), "partitions"),
        ((CHILD, 2.0), "partitions"),
        ((ChildSpec(id="part", start=Plain, name="one"), 2), "name"),
    ],
)
async def test_a_wrong_argument_is_refused_before_anything_starts(
    system: ActorSystem, arguments: Any, named: str
) -> None:
    with pytest.raises(ConfigurationError, match=named):
        await system.spawn(PartitionSupervisor, *arguments)


async def test_the_constructor_may_name_it_too(system: ActorSystem) -> None:
    spec = ChildSpec(id="parts", start=(PartitionSupervisor, (CHILD, 2), {"name": "parts"}), type="supervisor")
    ref = await system.spawn(spec)
    assert system.whereis("parts") is ref
    with pytest.raises((NameTakenError, StartError), match="parts"):
        await system.spawn(spec)
    ref.kill()
    await settle()
    assert system.whereis("parts") is ref and ref.is_alive


async def test_a_partition_may_be_a_supervisor(system: ActorSystem) -> None:
    from jido_ai.actors.dynamic_supervisor import DynamicSupervisor

    child = ChildSpec(id="pool", start=DynamicSupervisor, type="supervisor")
    ref = await system.spawn(PartitionSupervisor, child, 2)
    started = await ref.of("user 1").ask(StartChild(CHILD))
    assert [info.ref for info in await ref.of("user 1").ask(WhichChildren())] == [started]


# -- keys ------------------------------------------------------------------------------------------


@given(KEYS, integers(1, 1000))
def test_the_partition_of_a_key_is_in_range_and_always_the_same(key: Any, partitions: int) -> None:
    assert 0 <= partition_of(key, partitions) < partitions
    assert partition_of(key, partitions) == partition_of(key, partitions)


@given(integers(-(2**53), 2**53), integers(1, 99))
def test_a_number_belongs_where_its_absolute_value_does(number: int, partitions: int) -> None:
    assert partition_of(number, partitions) == abs(number) % partitions == partition_of(float(number), partitions)


def test_another_process_finds_the_same_partitions() -> None:
    keys = "['a', 'user 17', b'a', ('a', 1, None), 2.5, None, True, '\\ud800']"
    program = (
        "from jido_ai.actors.partition_supervisor import partition_of\n"
        f"print([partition_of(key, 1000) for key in {keys}])"
    )
    here = str([partition_of(key, 1000) for key in eval(keys)])
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        )
        assert run.stdout.strip() == here


async def test_a_ref_is_a_key_and_an_object_without_a_stable_number_is_not(system: ActorSystem) -> None:
    ref = await system.spawn(PartitionSupervisor, CHILD, 3)
    assert ref.of(ref) is ref.of(ref.id)
    for key in (Colour.RED, UUID(int=5)):
        assert ref.of(key) is ref.of(key)
    for wrong in (object(), frozenset("ab"), ["a"], ("a", object())):
        with pytest.raises(ConfigurationError, match="a key must be"):
            ref.of(wrong)
