"""LogContract: how a memory store keeps records."""

from __future__ import annotations

import math
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.memory.store import MemoryStore
from jido_ai.testing.contracts.helpers import (
    NOON,
    OURS,
    THEIRS,
    numbers,
    on_an_open_store,
    record,
)
from jido_ai.values import Scope

__all__ = ["LogContract"]


class LogContract:
    """How a memory store keeps records: all or none, in order, filtered, paged, summarised and dropped."""

    @pytest.fixture
    def store(self) -> MemoryStore:
        """Override this: return a new, empty store that is not open."""
        raise NotImplementedError("override the fixture `store`: return a new, empty store that is not open")

    @on_an_open_store
    async def test_records_returns_the_records_that_append_returned(self, store: MemoryStore) -> None:
        zone = timezone(timedelta(hours=5, minutes=30))
        time = datetime(2030, 2, 3, 4, 5, 6, 7, tzinfo=zone)
        data = {"deep": [1, {"big": 10**30, "text": "\0a\ud800\u202eb"}], "none": None, "pair": (1, 2)}
        kept = await store.append([record(data=data, timestamp=time, kind="step"), record("other")])
        assert await store.records("journal") == kept
        assert kept[0].data == {**data, "pair": [1, 2]}
        assert (kept[0].timestamp, kept[0].kind, kept[0].scope, kept[0].key) == (time, "step", OURS, "run")
        assert 0 < kept[0].row < kept[1].row

    @on_an_open_store
    async def test_records_are_one_log_each_in_the_order_of_their_rows(self, store: MemoryStore) -> None:
        await store.append([record(n=n, log=log) for n, log in enumerate(("journal", "audit", "journal", "ledger"))])
        await store.append([record(n=9, timestamp=NOON - timedelta(days=1))])
        assert await numbers(store) == [0, 2, 9]
        assert await numbers(store, "audit") == [1]
        assert await numbers(store, "episodes") == []
        assert await numbers(store, newest_first=True) == [9, 2, 0]

    @on_an_open_store
    async def test_records_pass_every_filter_that_is_given(self, store: MemoryStore) -> None:
        hours = [NOON + timedelta(hours=n) for n in range(6)]
        await store.append(
            [
                record("a", 0, kind="x", timestamp=hours[0]),
                record("a", 1, kind="y", timestamp=hours[1]),
                record("b", 2, kind="x", timestamp=hours[2]),
                record("a", 3, THEIRS, kind="x", timestamp=hours[3]),
                record("a", 4, kind="x", timestamp=hours[4]),
            ]
        )
        assert await numbers(store, key="a") == [0, 1, 3, 4]
        assert await numbers(store, scope=OURS) == [0, 1, 2, 4]
        assert await numbers(store, scope=OURS, key="a", kind="x") == [0, 4]
        assert await numbers(store, since=hours[1], until=hours[3]) == [1, 2, 3]
        assert await numbers(store, since=hours[2], scope=OURS, limit=1) == [2]
        assert await numbers(store, since=hours[2].astimezone(timezone(timedelta(hours=-8)))) == [2, 3, 4]
        assert await numbers(store, newest_first=True, limit=2) == [4, 3]
        assert await numbers(store, limit=0) == []
        assert await numbers(store, scope=Scope("nobody", "p")) == []

    @on_an_open_store
    async def test_records_are_paged_by_row_in_both_directions(self, store: MemoryStore) -> None:
        rows = [kept.row for kept in await store.append([record(n=n) for n in range(5)])]
        assert await numbers(store, after=rows[1], limit=2) == [2, 3]
        assert await numbers(store, after=rows[4]) == []
        assert await numbers(store, after=rows[3], newest_first=True, limit=2) == [2, 1]
        assert await numbers(store, after=rows[0], newest_first=True) == []

    @on_an_open_store
    async def test_a_summary_per_scope_and_key_the_newest_first(self, store: MemoryStore) -> None:
        await store.append([record("a", 1), record("b", 2), record("a", 3, THEIRS), record("a", 4), record("c", 5)])
        await store.append([record("x", 6, log="ledger")])
        found = await store.summaries("journal")
        assert [(s.scope, s.key, s.records, s.first.data["n"], s.last.data["n"]) for s in found] == [
            (OURS, "c", 1, 5, 5),
            (OURS, "a", 2, 1, 4),
            (THEIRS, "a", 1, 3, 3),
            (OURS, "b", 1, 2, 2),
        ]
        assert found[1].last == (await store.records("journal", scope=OURS, key="a"))[-1]
        assert [s.key for s in await store.summaries("journal", scope=OURS, offset=1, limit=1)] == ["a"]
        assert await store.summaries("audit") == []

    @on_an_open_store
    async def test_dropped_records_are_gone_and_counted(self, store: MemoryStore) -> None:
        hours = [NOON + timedelta(hours=n) for n in range(3)]
        await store.append([record("a", n, timestamp=time) for n, time in enumerate(hours)])
        await store.append([record("b", 3, THEIRS), record("a", 4, log="audit")])
        assert await store.drop_records("journal", scope=OURS, before=hours[1]) == 1
        assert await numbers(store) == [1, 2, 3]
        assert await store.drop_records("journal", key="b") == 1
        assert await store.drop_records("journal", key="b") == 0
        assert await store.drop_records("journal") == 2
        assert await store.summaries("journal") == []
        assert await numbers(store, "audit") == [4]

    @on_an_open_store
    async def test_records_beyond_the_newest_of_a_kind_are_dropped(self, store: MemoryStore) -> None:
        kinds = [(kind, scope) for _ in range(4) for kind, scope in (("x", OURS), ("y", OURS), ("x", THEIRS))]
        await store.append([record(f"k{n}", n, scope, kind=kind) for n, (kind, scope) in enumerate(kinds)])
        assert await store.drop_records("journal", scope=OURS, kind="x", beyond=4) == 0
        assert await store.drop_records("journal", scope=OURS, kind="x", beyond=2**70) == 0
        assert await store.drop_records("journal", scope=OURS, kind="x", beyond=1) == 3
        assert await numbers(store) == [1, 2, 4, 5, 7, 8, 9, 10, 11]
        assert await store.drop_records("journal", scope=OURS, beyond=2) == 3
        assert await store.drop_records("journal", beyond=5) == 1
        assert await numbers(store) == [5, 8, 9, 10, 11]
        assert await store.drop_records("journal", kind="y") == 1
        assert await numbers(store) == [5, 8, 9, 11]

    @on_an_open_store
    async def test_a_row_is_never_given_twice(self, store: MemoryStore) -> None:
        (first,) = await store.append([record()])
        await store.drop_records("journal")
        (second,) = await store.append([record()])
        assert second.row > first.row

    @on_an_open_store
    async def test_of_records_that_are_appended_together_all_are_kept_or_none(self, store: MemoryStore) -> None:
        refused: list[dict[str, Any]] = [
            {"data": {"o": object()}},
            {"data": {"n": math.nan}},
            {"data": [1]},
            {"log": "diary"},
        ]
        for bad in refused:
            with pytest.raises(ConfigurationError):
                await store.append([record(), record(**bad)])
        with pytest.raises(ConfigurationError, match="zone"):
            await store.append([record(timestamp=datetime(2030, 1, 1))])
        assert await numbers(store) == []
        assert await store.append([]) == []

    @on_an_open_store
    async def test_records_that_are_handed_out_are_not_shared(self, store: MemoryStore) -> None:
        data = {"list": [1]}
        (kept,) = await store.append([record(data=data)])
        data["list"].append(2)
        kept.data["list"].append(3)
        (found,) = await store.records("journal")
        assert found.data == {"list": [1]}
        found.data["list"].append(4)
        (summary,) = await store.summaries("journal")
        assert summary.first.data == {"list": [1]}

    @on_an_open_store
    async def test_clear_leaves_the_logs_alone(self, store: MemoryStore) -> None:
        await store.append([record()])
        await store.clear()
        assert await numbers(store) == [0]

    @on_an_open_store
    async def test_names_of_records_may_hold_anything(self, store: MemoryStore) -> None:
        for odd in ("\0", "a\ud800b", "", "k" * 9000):
            scope = Scope("t" + odd[:200], "p" + odd[:200])
            (kept,) = await store.append([record(odd, 7, scope, kind=odd)])
            assert await store.records("journal", scope=scope, key=odd, kind=odd) == [kept]
            assert [(s.scope, s.key) for s in await store.summaries("journal", scope=scope)] == [(scope, odd)]
            assert await store.drop_records("journal", scope=scope, key=odd) == 1
