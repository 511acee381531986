"""Prompts as they come: frequent and rare words, some prompts nearly the same. Deterministic by seed.

With numpy a million take some seconds, without it a minute; the two make different prompts of the same kind.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate, islice

__all__ = ["Corpus"]

_VOCABULARY = 50_000
_AT_ONCE = 10_000


class Corpus:
    """Sets of words, by number, and queries: light edits of a stored one, heavy edits, and unrelated ones."""

    def __init__(self, entries: int, seed: int = 7) -> None:
        self._random = random.Random(seed)
        self._steps = list(accumulate(1.0 / (rank + 40.0) for rank in range(_VOCABULARY)))
        self._names = [f"w{number:05d}" for number in range(_VOCABULARY)]
        self.entries: list[frozenset[str]] = []
        fresh = self._fresh(seed)
        for words in islice(fresh, entries):
            self.entries.append(frozenset(self._edited() + words[:3] if self._is_edit() else words))

    def _is_edit(self) -> bool:
        """A fifth is nearly an earlier prompt."""
        return bool(self.entries) and self._random.random() < 0.2

    def _edited(self) -> list[str]:
        rng = self._random
        return [word for word in sorted(rng.choice(self.entries)) if rng.random() < 0.8]

    def _fresh(self, seed: int) -> Iterator[list[str]]:
        """Yield the words of new prompts: 8 to 40 of them."""
        try:
            import numpy as np
        except ImportError:
            while True:
                yield self.draw(min(40, max(8, round(self._random.lognormvariate(2.83, 0.42)))))
        rng, steps, names = np.random.default_rng(seed), np.array(self._steps), self._names
        while True:
            ends = np.cumsum(np.clip(np.round(rng.lognormal(2.83, 0.42, _AT_ONCE)), 8, 40).astype(int)).tolist()
            drawn = np.searchsorted(steps, rng.random(ends[-1]) * steps[-1]).tolist()
            for start, end in zip([0, *ends], ends, strict=False):
                yield [names[word] for word in drawn[start:end]]

    def draw(self, count: int) -> list[str]:
        return self._random.choices(self._names, cum_weights=self._steps, k=count)

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
