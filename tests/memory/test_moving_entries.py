"""A lesson that is learned again while somebody searches is found all the same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import pytest

from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.values import MemoryEntry, MemoryQuery, Scored

PROMPT: Final = "sort the numbers of a list"
LESSON: Final = MemoryEntry(PROMPT, "too slow", "sort once", kind="semantic")


class Moving(InProcessStore):
    """Merges the lesson with itself, which gives it a new row, before each of the next fetches."""

    moves = 0

    async def fetch(self, rows: Sequence[int]) -> dict[int, MemoryEntry]:
        if self.moves:
            self.moves -= 1
            await self.add(LESSON.replace(id=f"again_{self.moves}"), max_entries=10)
        return await super().fetch(rows)


async def recalled(memory: ReflexionMemory) -> list[Scored]:
    return (await memory.recall(PROMPT, 5, lambda _: True, 2))[0]


SEARCHES: Final[dict[str, Callable[[ReflexionMemory], Awaitable[list[Scored]]]]] = {
    "retrieve_similar": lambda memory: memory.retrieve_similar(PROMPT),
    "query": lambda memory: memory.query(MemoryQuery(PROMPT)),
    "query without a text": lambda memory: memory.query(MemoryQuery()),
    "recall": recalled,
}


@pytest.mark.parametrize("search", SEARCHES)
async def test_a_search_finds_a_lesson_that_is_merged_meanwhile(search: str) -> None:
    store = Moving()
    async with ReflexionMemory(store=store) as memory:
        await memory.store(LESSON)
        store.moves = 2
        assert [one.entry.correction for one in await SEARCHES[search](memory)] == ["sort once"]


async def test_a_search_ends_although_entries_move_all_the_time() -> None:
    store = Moving()
    async with ReflexionMemory(store=store) as memory:
        await memory.store(LESSON)
        store.moves = 1000
        assert await memory.retrieve_similar(PROMPT) == []
