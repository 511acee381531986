"""Importance fades without use, and entries that never helped are removed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_entries import CONFIG, DAY, NOW, entry

from jido_ai.errors import ConfigurationError
from jido_ai.learning.decay import decayed, has_outlived
from jido_ai.learning.maintenance_report import MaintenanceConfig


@pytest.mark.rows("R45")
@pytest.mark.parametrize(("days", "importance"), [(0, 0.8), (30, 0.4), (60, 0.2), (10_000, 0.05)])
def test_importance_halves_every_thirty_days_down_to_the_floor(days: int, importance: float) -> None:
    assert decayed(entry(days=days, importance=0.8), NOW, CONFIG).importance == pytest.approx(importance)


def test_importance_below_the_floor_stays() -> None:
    low = entry(days=100, importance=0.01)
    assert decayed(low, NOW, CONFIG) is low


@given(st.lists(st.floats(0.0, 200.0), max_size=12), st.floats(0.0, 1.0), st.booleans())
def test_it_does_not_matter_how_often_importance_fades(days: list[float], importance: float, used: bool) -> None:
    fresh = entry(importance=importance, last_used=NOW + DAY if used else None)
    often = fresh
    for day in sorted(days):
        often = decayed(often, NOW + day * DAY, CONFIG)
    end = NOW + 200 * DAY
    assert decayed(often, end, CONFIG).importance == pytest.approx(decayed(fresh, end, CONFIG).importance)
    again = decayed(often, end, CONFIG)
    assert decayed(again, end, CONFIG) is again


def test_a_lesson_that_helped_does_not_fade_and_gets_back_what_it_had_lost() -> None:
    faded = decayed(entry(days=60, importance=0.8), NOW, CONFIG)
    assert faded.importance == pytest.approx(0.2)
    assert decayed(faded.replace(use_count=1, success_count=1), NOW, CONFIG).importance == pytest.approx(0.8)


def test_a_use_restarts_the_decay() -> None:
    assert decayed(entry(days=60, importance=0.8, last_used=NOW - DAY / 2), NOW, CONFIG).importance == 0.8


def test_importance_that_was_set_meanwhile_fades_from_that_value() -> None:
    faded = decayed(entry(days=60, importance=0.8), NOW, CONFIG)
    chosen = decayed(faded.replace(importance=0.6), NOW, CONFIG)
    assert chosen.importance == 0.6
    assert decayed(chosen, NOW, CONFIG) is chosen
    assert decayed(chosen, NOW + 30 * DAY, CONFIG).importance == pytest.approx(0.3)


@pytest.mark.parametrize(
    "note",
    [
        3,
        {},
        {"from": 2.0, "to": 0.5, "since": NOW.isoformat()},
        {"from": 0.5, "to": 0.5, "since": "x"},
        {"from": float("nan"), "to": 0.5, "since": NOW.isoformat()},
        {"from": 0.5, "to": 0.5, "since": "2026-01-01"},
    ],
)
def test_an_unreadable_note_is_ignored(note: object) -> None:
    assert decayed(entry(days=30, importance=0.8, metadata={"decay": note}), NOW, CONFIG).importance == 0.4


def test_entries_from_the_future_have_not_faded() -> None:
    assert decayed(entry(days=-400, importance=0.8), NOW, CONFIG).importance == 0.8


@pytest.mark.rows("M44", "M45", "R33")
@pytest.mark.parametrize(("importance", "days"), [(0.1, 5), (0.5, 10), (0.7, 20), (0.9, 50)])
def test_an_entry_unused_for_the_lifetime_of_its_importance_is_removed(importance: float, days: int) -> None:
    assert has_outlived(entry(days=days, importance=importance), NOW, 10.0)
    assert not has_outlived(entry(days=days - 0.01, importance=importance), NOW, 10.0)


def test_a_faded_entry_lives_as_long_as_its_original_importance_allows() -> None:
    faded = decayed(entry(days=40, importance=0.9), NOW, CONFIG)
    assert faded.importance < 0.6
    assert not has_outlived(faded, NOW, 10.0)


def test_lessons_that_helped_and_meta_entries_are_never_removed() -> None:
    assert not has_outlived(entry(days=9_000, use_count=9, success_count=1), NOW, 1.0)
    assert not has_outlived(entry(days=9_000, kind="meta"), NOW, 1.0)


@pytest.mark.parametrize("days", [0.0, -1.0, float("nan"), float("inf"), 1e6, True])
def test_invalid_days_are_refused(days: float) -> None:
    for name in ("retention_days", "half_life_days", "episode_days", "journal_days"):
        with pytest.raises(ConfigurationError, match=name):
            MaintenanceConfig(**{name: days})
