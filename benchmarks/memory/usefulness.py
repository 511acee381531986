"""What memory is worth when a fifth of it is wrong: how much of what pipelines are offered is wrong after 200 uses.

A world of topics, each with lessons of which some are wrong. A use: a prompt, the lessons that a pipeline would be
offered, and a run whose outcome all of them share (nobody knows which one helped). A run with only right lessons
succeeds nine times in ten; each wrong one among k takes its share of that away. Deterministic: a seed, no clock.
"""

from __future__ import annotations

import asyncio
import random

from jido_ai.loop.lesson import offered
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import MemoryEntry

__all__ = ["wrong_share"]

_WORDS = [f"{verb}{noun}" for verb in ("sort", "merge", "retry", "stream", "index", "cancel") for noun in "abcdef"]


async def wrong_share(
    *, uses: int = 200, lessons: int = 20, wrong: float = 0.2, k: int = 5, seed: int = 7, shared: bool = True
) -> float:
    """Return the share of wrong lessons among what is offered in the 100 prompts after `uses` uses of one topic.

    Args:
        shared: all lessons of a run share its outcome; else each is judged for itself.
    """
    rng = random.Random(seed)
    async with ReflexionMemory(similarity="weighted", max_entries=10_000) as memory:
        bad: set[str] = set()
        order = [index < round(wrong * lessons) for index in range(lessons)]
        rng.shuffle(order)
        for index, is_wrong in enumerate(order):
            about = " ".join(rng.sample(_WORDS, 6))
            entry = MemoryEntry(f"read a file of dates and {about}", "wrong", f"do {about} {index}", kind="semantic")
            kept = await memory.store(entry)
            if is_wrong:
                bad.add(kept.id)

        async def offer() -> list[MemoryEntry]:
            prompt = f"read a file of dates and {' '.join(rng.sample(_WORDS, 6))}"
            found = await memory.retrieve_similar(prompt, max_results=4 * k)
            return [scored.entry for scored in offered(found, k)]

        for _ in range(uses):
            entries = await offer()
            share = sum(entry.id in bad for entry in entries) / max(1, len(entries))
            helped = rng.random() < 0.9 * (1.0 - share)
            for entry in entries:
                success = helped if shared else (entry.id not in bad and rng.random() < 0.9)
                await memory.record_usage(entry.id, success)
        later = [entry.id in bad for _ in range(100) for entry in await offer()]
        return sum(later) / max(1, len(later))


if __name__ == "__main__":
    for shared in (False, True):
        shares = [asyncio.run(wrong_share(seed=seed, shared=shared)) for seed in range(10)]
        print(f"shared={shared}", [round(share, 3) for share in shares], sum(shares) / len(shares))
