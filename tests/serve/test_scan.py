"""Runs that a server has kept are read newest first, each once."""

from __future__ import annotations

from jido_ai.graph.orders import RunOrder
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve.entries import accepted_record, ended_record
from jido_ai.serve.scan import kept_runs
from jido_ai.values import Scope

HOME, GUEST = Scope(), Scope(tenant="guest")


def order(number: int, scope: Scope = HOME) -> RunOrder:
    """Return the order of a run."""
    return RunOrder(run_id=f"run-{number}", scope=scope, name="essay", prompt="why?")


async def test_runs_of_all_pages_come_newest_first() -> None:
    async with ReflexionMemory() as memory:
        await memory.append([accepted_record(order(number)) for number in range(1_203)])
        found = [entry.order.run_id async for _, entry in kept_runs(memory, first=2)]
    assert found == [f"run-{number}" for number in reversed(range(1_203))]


async def test_a_run_is_not_repeated_if_others_change_meanwhile() -> None:
    async with ReflexionMemory() as memory:
        await memory.append([accepted_record(order(number)) for number in range(10)])
        found: list[str] = []
        async for _, entry in kept_runs(memory, first=3):
            found.append(entry.order.run_id)
            if len(found) == 2:  # the last one becomes the first one
                await memory.append([ended_record(order(0), "completed", None, None)])
    assert found == [f"run-{number}" for number in range(9, 0, -1)]


async def test_runs_of_other_scopes_are_left_out_and_runs_of_equal_ids_are_not_confused() -> None:
    async with ReflexionMemory() as memory:
        await memory.append([accepted_record(order(1)), accepted_record(order(1, GUEST))])
        assert [entry.order.scope async for _, entry in kept_runs(memory)] == [GUEST, HOME]
        assert [entry.order.scope async for _, entry in kept_runs(memory, HOME)] == [HOME]
