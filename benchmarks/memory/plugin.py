"""Our index in the shape that a side-by-side measuring tool asks for: add, remove, query over words.

`Plain` counts with what Python brings, `Numpy` with the extra. An index under test is given words, not texts.
"""

from __future__ import annotations

from jido_ai.memory.index.keyword_index import PLAIN, Counting, KeywordIndex
from jido_ai.memory.index.numpy_counting import NumpyCounting
from jido_ai.memory.index.similarity import measure_named

__all__ = ["Numpy", "Plain"]


class Plain:
    exact, max_n = True, 1_000_000
    measure = "jaccard"

    def __init__(self, counting: Counting = PLAIN) -> None:
        self.index = KeywordIndex(measure_named(self.measure), counting)

    def add(self, id: int, words: list[str]) -> None:
        self.index.add(id, frozenset(words))

    def remove(self, id: int) -> None:
        self.index.remove(id)

    def query(self, words: list[str], k: int, threshold: float) -> list[tuple[int, float]]:
        return self.index.search(frozenset(words), k, threshold)


class Numpy(Plain):
    def __init__(self) -> None:
        super().__init__(NumpyCounting())
