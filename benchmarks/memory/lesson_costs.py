"""What an example and wisdom cost beside a lesson that is found by its prompt: CPU to store, load and retrieve.

    python benchmarks/memory/lesson_costs.py [--entries 5000] [--rounds 5]

All three have the same prompts. Wisdom is also found by its pattern, lesson, tags and domain: three times the words.
The kinds take turns; a figure is the median over the rounds, and a ratio is beside the lesson's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from statistics import median
from typing import Any, Final

from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import MemoryEntry, MemoryKind

__all__ = ["costs"]

_WORDS: Final = 6_000
_QUERIES: Final = 200
_REACH: Final = 1.1


def _entries(kind: str, count: int) -> tuple[list[MemoryEntry], list[str]]:
    """Return entries of a kind, and queries; words are as rare as in a language."""
    chance = random.Random(7)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(3, 9))) for _ in range(_WORDS)]
    shares = [1 / (place + 5) for place in range(_WORDS)]

    def text(length: int) -> str:
        return " ".join(chance.choices(words, shares, k=length))

    entries: list[MemoryEntry] = []
    for _ in range(count):
        prompt, mistake, correction, tags, domain = text(12), text(8), text(14), (text(1), text(1)), text(1)
        said: dict[str, Any] = {"mistake": mistake, "correction": correction, "tags": tags, "domain": domain}
        made_of: dict[str, dict[str, Any]] = {
            "lesson": {**said, "kind": MemoryKind.PROCEDURAL},
            "example": {"answer": f"{mistake} {correction}"},
            "wisdom": {**said, "kind": MemoryKind.SEMANTIC},
        }
        entries.append(MemoryEntry(prompt, **made_of[kind]))
    return entries, [text(10) for _ in range(_QUERIES)]


async def _cost(kind: str, count: int) -> dict[str, float]:
    entries, queries = _entries(kind, count)
    async with ReflexionMemory(similarity="weighted", max_entries=2 * count) as memory:
        begin = time.process_time()
        for entry in entries:
            await memory.store(entry)
        stored = time.process_time()
        await memory.retrieve_similar(queries[0])
        loaded = time.process_time()
        for query in queries:
            await memory.retrieve_similar(query)
        retrieved = time.process_time()
    return {"store": stored - begin, "load": loaded - stored, "retrieve": retrieved - loaded}


async def costs(count: int, rounds: int) -> list[dict[str, Any]]:
    """Return a row for each kind and step: ours and anchor in CPU seconds, ratio, reach."""
    found: dict[str, list[dict[str, float]]] = {"lesson": [], "example": [], "wisdom": []}
    for _ in range(rounds):
        for kind, some in found.items():
            some.append(await _cost(kind, count))
    rows: list[dict[str, Any]] = []
    for kind in ("example", "wisdom"):
        for step in ("store", "load", "retrieve"):
            ours, anchor = (median(one[step] for one in found[name]) for name in (kind, "lesson"))
            row = {"name": f"{step} of {kind} beside a lesson, CPU s", "entries": count, "ours": ours, "anchor": anchor}
            reach = {"reach": f"<= {_REACH}", "reached": ours <= _REACH * anchor} if kind == "example" else {}
            rows.append({**row, "ratio": round(ours / anchor, 2), **reach})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--entries", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    for row in asyncio.run(costs(asked.entries, asked.rounds)):
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
