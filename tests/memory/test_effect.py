"""Whether runs with something pass more often than runs without it."""

from __future__ import annotations

from functools import cache
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.learning import Effect, effect
from jido_ai.memory.effect import newcombe

GROUPS = st.integers(0, 300).flatmap(lambda runs: st.tuples(st.integers(0, runs), st.just(runs)))


def test_the_interval_is_newcombes() -> None:
    # R. G. Newcombe, Statistics in Medicine 17 (1998), table II, method 10
    assert newcombe(56, 70, 48, 80) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert newcombe(9, 10, 3, 10) == pytest.approx((0.1705, 0.8090), abs=5e-5)
    assert newcombe(10, 10, 0, 20) == pytest.approx((0.6791, 1.0), abs=5e-5)


def test_the_text_has_whole_points() -> None:
    assert effect(90, 100, 30, 50).text == "helps (+30 points, 16 to 45)"
    assert effect(30, 50, 90, 100).text == "hurts (-30 points, -45 to -16)"
    assert effect(28, 40, 20, 40).text == "not shown yet; about 110 more runs would tell"


@pytest.mark.parametrize(("groups", "missing"), [((0, 0, 3, 4), "with it"), ((3, 4, 0, 0), "without it to compare")])
def test_a_group_without_runs_shows_nothing(groups: tuple[int, int, int, int], missing: str) -> None:
    told = effect(*groups)
    assert told == Effect(None, None, None, "not shown", None, told.text)
    assert missing in told.text


@given(GROUPS, GROUPS)
def test_a_verdict_is_given_only_if_the_interval_is_on_one_side_of_zero(
    shown: tuple[int, int], not_shown: tuple[int, int]
) -> None:
    told = effect(*shown, *not_shown)
    if told.difference is None or told.low is None or told.high is None:
        assert 0 in (shown[1], not_shown[1])
        return
    assert -1.0 <= told.low <= told.difference <= told.high <= 1.0
    assert (told.verdict == "helps", told.verdict == "hurts") == (told.low > 0.0, told.high < 0.0)
    assert told.more_runs is None or (told.verdict == "not shown" and told.more_runs >= 1)
    swapped = effect(*not_shown, *shown)
    assert (swapped.low, swapped.high) == pytest.approx((-told.high, -told.low))


@pytest.mark.parametrize(
    "numbers", [(2, 1, 0, 1), (-1, 1, 0, 1), (0, 1, 2, 1), (0.5, 1, 0, 1), (True, 1, 0, 1), (0, 1, 0, 1, 1.0)]
)
def test_numbers_out_of_range_are_refused(numbers: tuple[float, ...]) -> None:
    with pytest.raises(ConfigurationError):
        effect(*numbers)  # type: ignore[arg-type]


# -- how often it is right, computed over all histories --------------------------------------------


@cache
def _chances(runs: int, share: float) -> list[float]:
    return [comb(runs, passed) * share**passed * (1.0 - share) ** (runs - passed) for passed in range(runs + 1)]


def _told(runs: int, held_out: int, share_with: float, share_without: float) -> float:
    """Return the probability that the runs are told to differ."""
    likely = [
        (passed, other, one * two)
        for passed, one in enumerate(_chances(runs - held_out, share_with))
        for other, two in enumerate(_chances(held_out, share_without))
        if one * two > 1e-7
    ]
    return sum(
        chance
        for passed, other, chance in likely
        if effect(passed, runs - held_out, other, held_out).verdict != "not shown"
    )


@pytest.mark.slow
@pytest.mark.parametrize("held_out", [20, 40])
def test_at_most_5_percent_of_histories_of_200_runs_without_an_effect_look_like_one(held_out: int) -> None:
    bases = (0.1, 0.3, 0.5, 0.7, 0.9)
    rates = [_told(200, held_out, base, base) for base in bases]
    assert sum(rates) / len(rates) <= 0.05
    assert max(rates) <= 0.055


@pytest.mark.slow
@pytest.mark.parametrize(("base", "held_out"), [(0.8, 40), (0.3, 80), (0.5, 80), (0.65, 80), (0.5, 120)])
def test_60_percent_of_histories_show_an_effect_of_15_points_after_400_runs(base: float, held_out: int) -> None:
    assert _told(400, held_out, base + 0.15, base) >= 0.6


def test_runs_that_are_not_enough_are_said_to_be_too_few() -> None:
    """At a tenth held out and a base of one half, 400 runs show an effect of 15 points in 46 % of histories."""
    seen = effect(234, 360, 20, 40)
    assert seen.difference == pytest.approx(0.15)
    assert seen.more_runs is not None
    assert seen.more_runs > 400
