"""Prompts as they come: frequent and rare words, some prompts nearly the same. Deterministic by seed."""

from __future__ import annotations

import random
from itertools import accumulate

__all__ = ["Corpus"]

_VOCABULARY = 50_000


class Corpus:
    """Sets of words, by number, and queries: light edits of a stored one, heavy edits, and unrelated ones."""

    def __init__(self, entries: int, seed: int = 7) -> None:
        self._random = random.Random(seed)
        self._steps = list(accumulate(1.0 / (rank + 40.0) for rank in range(_VOCABULARY)))
        self._names = [f"w{number:05d}" for number in range(_VOCABULARY)]
        self.entries: list[frozenset[str]] = []
        for _ in range(entries):
            self.entries.append(self.one())

    def draw(self, count: int) -> list[str]:
        return self._random.choices(self._names, cum_weights=self._steps, k=count)

    def one(self) -> frozenset[str]:
        """Return the words of one more prompt: 8 to 40 of them, a fifth nearly those of an earlier one."""
        rng = self._random
        if self.entries and rng.random() < 0.2:
            kept = [word for word in sorted(rng.choice(self.entries)) if rng.random() < 0.8]
            return frozenset(kept + self.draw(3))
        return frozenset(self.draw(min(40, max(8, round(rng.lognormvariate(2.83, 0.42))))))

    def queries(self, count: int) -> list[frozenset[str]]:
        rng, made = self._random, list[frozenset[str]]()
        for number in range(count):
            base = sorted(rng.choice(self.entries))
            match number % 10:
                case 0 | 1 | 2 | 3:
                    words = [word for word in base if rng.random() < 0.85] + self.draw(2)
                case 4 | 5 | 6:
                    words = [word for word in base if rng.random() < 0.45] + self.draw(max(4, len(base) // 2))
                case _:
                    words = self.draw(len(base))
            made.append(frozenset(words + ([f"unseen{number}"] if number % 3 == 0 else [])))
        return made
