"""ClaimContract: how a store keeps the claims of runs."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Protocol

import pytest

from jido_ai.errors import RunClaimedError
from jido_ai.memory.store import ClaimStore, MemoryStore
from jido_ai.testing.contracts.helpers import (
    OURS,
    THEIRS,
    claim,
    is_same,
    on_an_open_store,
)
from jido_ai.values.record import Claim, Record

__all__ = ["ClaimContract"]


class ClaimingStore(MemoryStore, ClaimStore, Protocol):
    """A memory store that keeps claims."""


class ClaimContract:
    """How a store that is also a `ClaimStore` keeps the claims of runs."""

    @pytest.fixture
    def store(self) -> ClaimingStore:
        """Override this: return a new, empty store that is not open."""
        raise NotImplementedError("override the fixture `store`: return a new, empty store that is not open")

    @on_an_open_store
    async def test_of_two_claims_of_a_run_one_holds_until_it_is_released(self, store: ClaimingStore) -> None:
        one = await store.claim(claim("one"), lambda _: False)
        held = await store.claim(claim("two"), lambda _: False)
        assert is_same(held, one)
        await store.release(claim("two"))  # does not hold: nothing happens
        assert (await store.claim(claim("two"), lambda _: False)).token == "one"
        await store.release(one)
        two = await store.claim(claim("two"), lambda _: False)
        assert two.token == "two"
        assert two.number > one.number

    @on_an_open_store
    async def test_a_claim_that_is_void_gives_way_and_is_shown_as_it_was_kept(self, store: ClaimingStore) -> None:
        one = await store.claim(claim("one \ud800\0"), lambda _: False)
        seen: list[Claim] = []
        two = await store.claim(claim("two"), lambda holder: not seen.append(holder))
        (holder,) = seen
        assert is_same(holder, one)
        assert (two.token, two.number > one.number) == ("two", True)

    @on_an_open_store
    async def test_a_claim_is_renewed_and_claims_of_other_runs_and_scopes_hold(self, store: ClaimingStore) -> None:
        await store.claim(claim("one"), lambda _: False)
        for other in (claim("two", "other run"), claim("three", scope=THEIRS)):
            assert (await store.claim(other, lambda _: False)).token == other.token
        later = await store.claim(claim("one", minutes=60.0), lambda _: False)
        assert later.expires_at > datetime.now(UTC) + timedelta(minutes=30)
        assert is_same(await store.claim(claim("four"), lambda _: False), later)

    @on_an_open_store
    async def test_records_are_appended_only_while_their_claim_holds(self, store: ClaimingStore) -> None:
        line = Record(log="journal", key="run", kind="step", scope=OURS, data={"n": 1})
        one = await store.claim(claim("one"), lambda _: False)
        (kept,) = await store.append_claimed([line], one)
        assert [kept] == await store.records("journal")
        two = await store.claim(claim("two"), lambda _: True)
        with pytest.raises(RunClaimedError) as refusal:
            await store.append_claimed([line, line], one)
        assert (refusal.value.run_id, refusal.value.owner) == ("run", "owner of two")
        (last,) = await store.append_claimed([line], two, release=True)
        with pytest.raises(RunClaimedError) as refusal:
            await store.append_claimed([line], two)
        assert refusal.value.owner == ""
        assert [kept, last] == await store.records("journal")

    @on_an_open_store
    async def test_an_expired_claim_holds_until_another_takes_it(self, store: ClaimingStore) -> None:
        one = await store.claim(claim("one", minutes=-1.0), lambda _: False)
        line = Record(log="journal", key="run", kind="step", scope=OURS, data={})
        assert len(await store.append_claimed([line], one)) == 1

    @on_an_open_store
    async def test_a_keeper_renews_claims_from_a_thread_and_none_that_are_gone(self, store: ClaimingStore) -> None:
        keeper = store.keeper()
        if keeper is None:
            return  # nobody else can see the claims
        one = await store.claim(claim("one", minutes=1.0), lambda _: False)
        gone = await store.claim(claim("gone", "other run"), lambda _: False)
        await store.release(gone)
        later = replace(one, expires_at=one.expires_at + timedelta(hours=1))
        with ThreadPoolExecutor(1) as thread:
            renewing = thread.submit(keeper.renew, [later, gone])
            renewing.result(timeout=20.0)  # while this loop is blocked
            thread.submit(keeper.close).result(timeout=20.0)
        assert is_same(await store.claim(claim("two"), lambda _: False), later)
        assert (await store.claim(claim("three", "other run"), lambda _: False)).token == "three"

    @on_an_open_store
    async def test_of_many_that_claim_a_run_at_once_one_gets_it(self, store: ClaimingStore) -> None:
        held = await asyncio.gather(*(store.claim(claim(str(n)), lambda _: False) for n in range(20)))
        assert len({one.token for one in held}) == 1
