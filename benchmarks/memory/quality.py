"""How often the right memory is found, and how often a wrong one: two wordings of the same task, by measure."""

from __future__ import annotations

import paraphrases

from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import Embedder
from jido_ai.values import MemoryEntry

__all__ = ["quality"]


async def quality(
    similarity: str, threshold: float | None = None, embedder: Embedder | None = None
) -> dict[str, float]:
    """Return hits, false and recall_at_3 of a measure at its threshold, each a share.

    The first wordings are stored. hits: asked with the second wording, its first wording comes first. wrong_first:
    another one does. false: something comes for a question that nothing stored answers. recall_at_3: the first wording
    is among the nearest three, whatever its similarity.
    """
    pairs, unrelated = paraphrases.PAIRS, paraphrases.UNRELATED
    hits = wrong = near = false = 0
    async with ReflexionMemory(similarity=similarity, embedder=embedder) as memory:  # type: ignore[arg-type]
        ids = [(await memory.store(MemoryEntry(first))).id for first, _ in pairs]
        for id, (_, second) in zip(ids, pairs, strict=True):
            found = [scored.entry.id for scored in await memory.retrieve_similar(second, 1, threshold)]
            hits += found == [id]
            wrong += found not in ([id], [])
            nearest = await memory.retrieve_similar(second, 3, 0.001)
            near += id in [scored.entry.id for scored in nearest]
        for question in unrelated:
            false += bool(await memory.retrieve_similar(question, 1, threshold))
    return {
        "hits": hits / len(pairs),
        "wrong_first": wrong / len(pairs),
        "false": false / len(unrelated),
        "recall_at_3": near / len(pairs),
    }
