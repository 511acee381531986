"""NumpyCounting: numpy arithmetic for large keyword indexes, ten times faster than `Counter`, with the same results.

numpy is an extra, imported when a `NumpyCounting` is created. During a search numpy reads the packed slots of the index
in place, so they cannot grow: an index shared between threads needs a lock.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from typing import Any

from jido_ai.extras import missing
from jido_ai.memory.index.keyword_index import GONE, Numbers, Slots
from jido_ai.text.pieces import no_turn


class NumpyCounting:
    """Counts with numpy.

    Raises:
        ConfigurationError: numpy is not installed.
    """

    per_ms: int = 150_000

    def __init__(self) -> None:
        try:
            self._np: Any = importlib.import_module("numpy")  # Any: numpy's types would add more text than safety
        except ImportError as error:
            raise missing("numpy", "numpy") from error

    def best(
        self,
        lists: Sequence[tuple[Slots, int]],
        sizes: Numbers,
        *,
        asked: int,
        k: int,
        lowest: float,
        counts: bool,
        weighs: bool,
        others_turn: Callable[[], None] = no_turn,
    ) -> list[tuple[int, float]]:
        np = self._np
        if not lists or not k:
            return []
        others_turn()
        seen = [np.frombuffer(slots, np.uint32) for slots, _ in lists]
        if weighs:
            shared = np.zeros(len(sizes), np.int64)
            for slots, (_, weight) in zip(seen, lists, strict=True):
                shared[slots] += weight
        else:
            shared = np.bincount(np.concatenate(seen, dtype=np.intp, casting="safe"), minlength=len(sizes))
        least = lowest if counts else lowest * asked
        found = np.flatnonzero(shared >= math.ceil(max(least, 0.5)))  # an int: a float converts the array
        size = np.frombuffer(sizes, np.int64 if sizes.itemsize == 8 else np.int32)[found]
        alive = size != GONE
        if not alive.all():
            found, size = found[alive], size[alive]
        common = shared[found]
        score = common.astype(np.float64) if counts else common / (asked + size - common)
        good = score >= lowest
        found, score = found[good], score[good]
        if len(found) > k:
            worst = np.partition(score, len(score) - k)[len(score) - k]
            among = score >= worst
            found, score = found[among], score[among]
        order = np.lexsort((-found, -score))[:k]
        return list(zip(found[order].tolist(), score[order].tolist(), strict=True))

    def kept(self, slots: Slots, moved: Numbers) -> bytearray:
        np = self._np
        new = np.frombuffer(moved, np.int64)[np.frombuffer(slots, np.uint32)]
        return bytearray(new[new != GONE].astype(np.uint32))

    def add_weight(self, sizes: Numbers, slots: Slots, weight: int) -> None:
        np = self._np
        np.frombuffer(sizes, np.int64)[np.frombuffer(slots, np.uint32)] += weight
