"""Limits that the workers of a store share."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("dbos", reason="dbos is not installed: make test-integrations")


from jido_ai import LLMCritiquer, LLMGenerator, LLMReviser
from jido_ai.errors import CircuitOpenError, ModelUnavailableError, StoreDamagedError
from jido_ai.integrations.dbos import client, worker
from jido_ai.integrations.dbos_engine import migrated
from jido_ai.integrations.dbos_orders import place_of
from jido_ai.integrations.dbos_workers import TableLimits
from jido_ai.loop.pipeline import Pipeline
from jido_ai.models.guard import Guard
from jido_ai.models.limits import BreakerRules, LimitedCall, PlaceState, enter
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.testing import ScriptedModel
from jido_ai.values import CompletionRequest, Message

COUNTING = """
import asyncio, sys
from jido_ai.integrations.dbos_workers import TableLimits
from jido_ai.integrations.dbos_orders import place_of
from jido_ai.models.limits import PlaceState

def one_more(state, now):
    return PlaceState(state.hold_until + 1.0), None

async def main():
    limits = TableLimits(place_of(sys.argv[1]))
    for _ in range(50):
        await limits.change("p", "", one_more)
    limits.close()

asyncio.run(main())
"""


@pytest.fixture(params=["postgres", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of each store that a queue can have."""
    return request.getfixturevalue("postgres") if request.param == "postgres" else str(tmp_path / "runs.db")


def made(store: str) -> TableLimits:
    """Return the limits of a store, with their table."""
    place = place_of(store)
    migrated(place)
    limits = TableLimits(place)
    limits.create()
    return limits


def read(state: PlaceState, now: float) -> tuple[PlaceState, PlaceState]:
    del now
    return state, state


async def test_no_change_of_several_processes_is_lost(store: str) -> None:
    limits = made(store)
    counting = [subprocess.Popen([sys.executable, "-c", COUNTING, store]) for _ in range(3)]
    assert [await asyncio.to_thread(one.wait, 120) for one in counting] == [0, 0, 0]
    assert (await limits.change("p", "", read)).hold_until == 150.0
    limits.close()


async def test_states_of_different_providers_are_separate_and_addresses_are_not_stored(tmp_path: Path) -> None:
    store = str(tmp_path / "runs.db")
    limits = made(store)

    def held(state: PlaceState, now: float) -> tuple[PlaceState, None]:
        del state, now
        return PlaceState(7.0), None

    await limits.change("p", "http://user:secret@one", held)
    assert await limits.change("p", "http://two", read) == PlaceState()
    limits.close()
    with sqlite3.connect(f"{store}.queue") as db:
        rows = db.execute("SELECT place, state FROM jido_limit").fetchall()
    assert len(rows) == 2
    assert "secret" not in repr(rows)


async def test_a_state_written_by_another_program_is_an_error(tmp_path: Path) -> None:
    store = str(tmp_path / "runs.db")
    limits = made(store)
    await limits.change("p", "", read)
    with sqlite3.connect(f"{store}.queue") as db:
        db.execute("""UPDATE jido_limit SET state = '{"breakers": 7}'""")
    with pytest.raises(StoreDamagedError, match="shared limits of p cannot be read"):
        await limits.change("p", "", read)
    limits.close()


async def test_the_models_of_a_worker_share_their_breaker_with_other_workers(store: str) -> None:
    def down(request: CompletionRequest) -> ModelUnavailableError:
        del request
        return ModelUnavailableError("down", provider="p", model="m", status=503)

    rules = BreakerRules(failures=2, probe_every_s=600.0)
    model = with_limits(ScriptedModel(down, provider="p"), retries=3, breaker=rules, when_open="fail")
    pipeline = Pipeline(LLMGenerator(model), LLMCritiquer(model), LLMReviser(model))
    limits = made(store)
    guard = Guard()
    elsewhere = with_limits(
        ScriptedModel(["ok"], provider="p"), guard=guard, breaker=rules, when_open="fail", retries=0
    )
    request = CompletionRequest((Message("user", "hello"),))
    async with (
        guard.sharing(limits),
        worker({"answer": pipeline}, store=store, queue="work", share_limits=True),
        client(store=store, queue="work") as work,
    ):
        result = await work.result(await work.submit("answer", "why?"), timeout_s=60.0)
        assert result.error is not None
        with pytest.raises(CircuitOpenError, match="failed 2 times in a row"):
            await elsewhere.complete(request)
    assert (await elsewhere.complete(request)).text == "ok"
    limits.close()


async def test_workers_share_limits_only_on_request(tmp_path: Path) -> None:
    store = str(tmp_path / "runs.db")
    model = with_limits(ScriptedModel("fine", provider="p"), requests_per_minute=1)
    pipeline = Pipeline(LLMGenerator(model), LLMCritiquer(model), LLMReviser(model))
    async with worker({"answer": pipeline}, store=store, queue="work"):
        with sqlite3.connect(f"{store}.queue") as db:
            assert db.execute("SELECT name FROM sqlite_master WHERE name = 'jido_limit'").fetchall() == []


async def test_the_store_provides_the_clock(store: str) -> None:
    limits = made(store)

    def times(state: PlaceState, now: float) -> tuple[PlaceState, float]:
        call = LimitedCall(id=1, requests_per_minute=1)
        state, _ = enter(state, call, now, has_share=False, waits_when_open=True, time_left_s=1e9)
        return state, now

    first = await limits.change("p", "", times)
    second = await limits.change("p", "", times)
    assert 0.0 <= second - first < 60.0
    ((empty_at, _),) = (await limits.change("p", "", read)).empty_at.values()
    assert empty_at == pytest.approx(first + 120.0, abs=60.0)
    limits.close()
