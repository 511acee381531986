"""Recall by meaning: how often the right memory is found, by measure, on the labelled sets beside this file.

    python benchmarks/memory/meanings.py [test|dev|requests|blind]

Prints the reserved half of `meanings.tsv` ("test", 60 memories); "dev" is the half for tuning; "requests" is the whole
of `requests.tsv` (108 memories), on which only the threshold of "minilm" was tuned; "blind" is the whole of
`blind.tsv` (120 memories), on which nothing was tuned. The spread is that of 1,000 resamples (seed 7) of the questions.
"hits" and "false" are at the measure's default threshold; "best" is the threshold at which at most 6 % of the questions
without an answer find something, chosen on the dev half.
"""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import MemoryEntry

__all__ = ["Row", "load", "measure"]

_FALSE = 0.06
_REACH = "reach: hits >= 0.75 at false <= 0.06, recall@3 >= 0.90"


@dataclass(frozen=True, slots=True)
class Row:
    kind: str
    domain: str
    task: str
    correction: str
    question: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: its row, the best score, whether the right entry has it, and whether it is among the best three."""

    row: Row
    score: float
    is_right: bool
    is_near: bool


def load(half: str) -> list[Row]:
    """Return the rows of "dev" (1, 3, 5, ... of each kind and domain), "test" (2, 4, 6, ...), "requests" or "blind"."""
    seen, rows = Counter[tuple[str, str]](), list[Row]()
    name = "meanings.tsv" if half in ("dev", "test") else f"{half}.tsv"
    lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    for line in (line for line in lines if not line.startswith("#")):
        row = Row(*line.split("|"))
        seen[row.kind, row.domain] += 1
        if half in ("requests", "blind", ("test", "dev")[seen[row.kind, row.domain] % 2]):
            rows.append(row)
    return rows


async def measure(half: str, similarity: str) -> tuple[list[Asked], float]:
    """Ask all questions of a half; return the answers and the measure's default threshold."""
    rows = load(half)
    asked: list[Asked] = []
    async with ReflexionMemory(similarity=similarity) as memory:  # type: ignore[arg-type]
        pairs = [row for row in rows if row.kind != "none"]
        ids = {row: (await memory.store(MemoryEntry(row.task, correction=row.correction))).id for row in pairs}
        for row in rows:
            found = await memory.retrieve_similar(row.question, 3, 0.0001)
            names = [scored.entry.id for scored in found]
            score = found[0].similarity if found else 0.0
            asked.append(Asked(row, score, names[:1] == [ids.get(row)], ids.get(row) in names))
        return asked, memory._threshold  # pyright: ignore[reportPrivateUsage]


def shares(asked: list[Asked], threshold: float) -> dict[str, float]:
    """Return hits, hits of far paraphrases, hits in the other domain, false, wrong_first and recall_at_3."""
    pairs = [one for one in asked if one.row.kind != "none"]
    hit = [one for one in pairs if one.is_right and one.score >= threshold]
    none = [one for one in asked if one.row.kind == "none"]
    far, other = ([one for one in pairs if label in (one.row.kind, one.row.domain)] for label in ("far", "other"))
    return {
        "hits": len(hit) / max(1, len(pairs)),
        "far": sum(one in hit for one in far) / max(1, len(far)),
        "other": sum(one in hit for one in other) / max(1, len(other)),
        "false": sum(one.score >= threshold for one in none) / max(1, len(none)),
        "wrong_first": sum(not one.is_right and one.score >= threshold for one in pairs) / max(1, len(pairs)),
        "recall_at_3": sum(one.is_near for one in pairs) / max(1, len(pairs)),
    }


def _spread(asked: list[Asked], threshold: float) -> dict[str, tuple[float, float]]:
    """Return the 5th and 95th percentile of each share over 1,000 resamples."""
    rng = random.Random(7)
    drawn = [shares(rng.choices(asked, k=len(asked)), threshold) for _ in range(1_000)]
    ordered = {name: sorted(one[name] for one in drawn) for name in drawn[0]}
    return {name: (values[50], values[950]) for name, values in ordered.items()}


def _best_threshold(asked: list[Asked]) -> float:
    scores = sorted((one.score for one in asked if one.row.kind == "none"), reverse=True)
    return scores[int(_FALSE * len(scores))] + 1e-6


async def main(half: str) -> None:
    print(f"{half}: {len(load(half))} questions; {_REACH}")
    for similarity in ("jaccard", "weighted", "static", "minilm"):
        asked, default = await measure(half, similarity)
        best = _best_threshold((await measure("dev", similarity))[0])
        for label, threshold in (("default", default), ("best", best)):
            spread = _spread(asked, threshold)
            figures = "  ".join(
                f"{name} {share:.2f} ({spread[name][0]:.2f} to {spread[name][1]:.2f})"
                for name, share in shares(asked, threshold).items()
            )
            print(f"{similarity:9} {label:7} {threshold:.3f}  {figures}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "test"))
