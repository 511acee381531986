"""Changes in learning progress are recorded as META entries."""

from __future__ import annotations

import pytest
from made_entries import NOW

from jido_ai.learning.meta import meta_entries
from jido_ai.values import (
    CritiqueResult,
    Episode,
    MemoryEntry,
    MemoryKind,
    Scope,
)


def judged(*scores: float) -> list[Episode]:
    return [Episode("p", task_type="parsing", critique=CritiqueResult(score=score)) for score in scores]


@pytest.mark.rows("M40")
def test_a_new_trend_or_plateau_is_recorded_once() -> None:
    def tell(kept: list[MemoryEntry], *scores: float) -> list[MemoryEntry]:
        return meta_entries(kept, judged(*scores), Scope(), NOW)

    rising = (0.1, 0.3, 0.5, 0.7, 0.9)
    assert tell([], *rising[:4]) == []
    (up,) = tell([], *rising)
    assert (up.kind, up.task_type, up.metadata["direction"]) == (MemoryKind.META, "parsing", "up")
    assert tell([up], *rising, 1.0) == []
    (level,) = tell([up], *rising, *[0.9] * 5)
    assert level.metadata["plateau"] is True
    assert tell([level, up], *rising, *[0.9] * 5) == []
    (down,) = tell([level, up], *rising[::-1])
    assert down.metadata["direction"] == "down"
