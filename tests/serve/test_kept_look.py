"""A costly look is shared by all that ask at once, kept for some seconds, and taken again after an error."""

from __future__ import annotations

import asyncio

import pytest

from jido_ai.serve.reachable import KeptLook


class Counter:
    """Counts the looks; the first one fails if asked to."""

    def __init__(self, *, fails: bool = False) -> None:
        self.looks = 0
        self.fails = fails

    async def look(self) -> int:
        self.looks += 1
        await asyncio.sleep(0)
        if self.fails and self.looks == 1:
            raise OSError("away")
        return self.looks


async def test_a_look_is_shared_and_kept() -> None:
    counter = Counter()
    kept = KeptLook(counter.look, 1_000.0)
    assert await asyncio.gather(kept.get(), kept.get()) == [1, 1]
    assert await kept.get() == 1
    await kept.close()


async def test_a_look_is_taken_anew_when_it_is_old_also_after_an_error() -> None:
    counter = Counter(fails=True)
    kept = KeptLook(counter.look, -1.0)
    with pytest.raises(OSError, match="away"):
        await kept.get()
    assert [await kept.get(), await kept.get()] == [2, 3]


async def test_a_cancelled_caller_does_not_end_the_look_of_the_others() -> None:
    counter = Counter()
    kept = KeptLook(counter.look, 1_000.0)
    first, second = asyncio.create_task(kept.get()), asyncio.create_task(kept.get())
    await asyncio.sleep(0)
    first.cancel()
    assert await second == 1
