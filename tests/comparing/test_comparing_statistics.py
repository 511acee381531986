"""Statistics of a comparison."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis.strategies import DrawFn, composite, floats, integers, lists

from jido_ai.comparing.comparison import holm, majority, mcnemar, more_tasks, percentile
from jido_ai.errors import ConfigurationError
from jido_ai.memory.effect import wilson

# The numbers of this file come from scipy 1.17.1 and statsmodels 0.15.0, in an environment with nothing else:
#   statsmodels.stats.proportion.proportion_confint(k, n, 1 - c, method="wilson"), and
#   scipy.stats.binomtest(k, n).proportion_ci(c, method="wilson"), which agree to 1e-9;
#   statsmodels.stats.contingency_tables.mcnemar([[0, lost], [gained, 0]], exact=True).pvalue, and
#   scipy.stats.binomtest(gained, gained + lost).pvalue, which agree to 1e-12;
#   statsmodels.stats.multitest.multipletests(p_values, method="holm")[1].
_WILSON = [
    (0, 10, 0.95, 0.0, 0.277532799863),
    (1, 1, 0.95, 0.206549314377, 1.0),
    (5, 10, 0.95, 0.236593090513, 0.763406909487),
    (37, 40, 0.95, 0.801357664757, 0.974163974225),
    (13, 40, 0.99, 0.171485124268, 0.52831050046),
    (499, 1000, 0.9, 0.473030441526, 0.52497495496),
    (0, 1, 0.95, 0.0, 0.793450685623),
    (1000, 1000, 0.95, 0.996173241514, 1.0),
]
_MCNEMAR = [
    (0, 0, 1.0),
    (1, 0, 1.0),
    (5, 0, 0.0625),
    (6, 0, 0.03125),
    (16, 1, 0.000274658203125),
    (8, 8, 1.0),
    (3, 12, 0.03515625),
    (40, 20, 0.01348929373119186),
    (250, 180, 0.0008559705446208579),
]
_HOLM = [
    ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
    ([0.2, 0.001, 0.5, 0.02], [0.4, 0.004, 0.5, 0.06]),
    ([0.05], [0.05]),
    ([0.01, 0.01, 0.9], [0.03, 0.03, 0.9]),
    ([0.9, 0.8, 0.7], [1.0, 1.0, 1.0]),
    ([], []),
]


@composite
def shares(draw: DrawFn) -> tuple[int, int]:
    attempts = draw(integers(1, 500))
    return draw(integers(0, attempts)), attempts


@pytest.mark.parametrize(("successes", "attempts", "confidence", "low", "high"), _WILSON)
def test_an_interval_is_that_of_scipy_and_statsmodels(
    successes: int, attempts: int, confidence: float, low: float, high: float
) -> None:
    assert wilson(successes, attempts, confidence) == pytest.approx((low, high), abs=1e-11)


def test_without_attempts_every_share_is_possible() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("arguments", [(2, 1), (-1, 4), (1, 4, 0.0), (1, 4, 1.0), (math.nan, 4)])
def test_an_interval_of_impossible_numbers_is_an_error(arguments: tuple[float, ...]) -> None:
    with pytest.raises(ConfigurationError, match="successes <= attempts"):
        wilson(*arguments)


@given(shares())
def test_an_interval_contains_its_share_and_mirrors_that_of_the_failures(share: tuple[int, int]) -> None:
    successes, attempts = share
    low, high = wilson(successes, attempts)
    assert 0.0 <= low <= successes / attempts <= high <= 1.0
    assert wilson(attempts - successes, attempts) == pytest.approx((1.0 - high, 1.0 - low), abs=1e-12)


@given(shares())
def test_both_bounds_rise_with_each_success(share: tuple[int, int]) -> None:
    successes, attempts = share
    if successes < attempts:
        assert all(more > less for less, more in zip(wilson(*share), wilson(successes + 1, attempts), strict=True))


@pytest.mark.parametrize(("gained", "lost", "p"), _MCNEMAR)
def test_a_p_value_is_that_of_scipy_and_statsmodels(gained: int, lost: int, p: float) -> None:
    assert mcnemar(gained, lost) == pytest.approx(p, rel=1e-12)


@given(integers(0, 300), integers(0, 300))
def test_gains_and_losses_are_tested_alike_and_a_further_loss_of_the_weaker_says_more(more: int, less: int) -> None:
    p = mcnemar(more, less)
    assert 0.0 < p <= 1.0
    assert p == mcnemar(less, more)
    if more >= less:
        assert mcnemar(more + 1, less) <= p


def test_ten_thousand_pairs_are_tested_exactly() -> None:
    assert mcnemar(5_000, 5_000) == 1.0
    assert 0.0 < mcnemar(5_200, 4_800) < 0.0001


def test_a_negative_number_of_pairs_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="at least 0"):
        mcnemar(-1, 3)


@pytest.mark.parametrize(("p_values", "adjusted"), _HOLM)
def test_p_values_are_adjusted_as_by_statsmodels(p_values: Sequence[float], adjusted: Sequence[float]) -> None:
    assert holm(p_values) == pytest.approx(tuple(adjusted), abs=1e-12)


@given(lists(floats(0.0, 1.0), max_size=8))
def test_adjusting_keeps_the_order_and_lowers_no_p_value(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(p <= more <= 1.0 for p, more in zip(p_values, adjusted, strict=True))
    for one, first in zip(p_values, adjusted, strict=True):
        assert all(second >= first for other, second in zip(p_values, adjusted, strict=True) if other > one)


def power(tasks: int, gains: float, losses: float) -> float:
    """Return the exact chance that McNemar's test calls a difference of these rates one, at 0.05."""
    total = 0.0
    for gained in range(tasks + 1):
        for lost in range(tasks - gained + 1):
            if mcnemar(gained, lost) < 0.05:
                same = tasks - gained - lost
                ways = math.comb(tasks, gained) * math.comb(tasks - gained, lost)
                total += ways * gains**gained * losses**lost * (1.0 - gains - losses) ** same
    return total


@pytest.mark.parametrize(("tasks", "gained", "lost"), [(20, 5, 1), (12, 4, 1), (30, 9, 3)])
def test_the_number_of_further_tasks_would_show_the_difference_four_times_in_five(
    tasks: int, gained: int, lost: int
) -> None:
    more = more_tasks(tasks, gained, lost)
    assert more is not None
    assert 0.7 <= power(tasks + more, gained / tasks, lost / tasks) <= 0.9


def test_two_gains_of_two_need_four_more_tasks_since_six_are_the_fewest_that_show_anything() -> None:
    assert mcnemar(5, 0) > 0.05 > mcnemar(6, 0)
    assert more_tasks(2, 2, 0) == 4
    assert more_tasks(1, 1, 0) == 5


def test_no_difference_needs_no_number_and_a_large_one_no_more_tasks() -> None:
    assert more_tasks(40, 3, 3) is None
    assert more_tasks(40, 0, 0) is None
    assert more_tasks(40, 30, 0) == 0


@given(integers(1, 30), integers(0, 30))
def test_a_larger_difference_needs_fewer_tasks_and_more_comparisons_need_more(gained: int, lost: int) -> None:
    once, among_four = (more_tasks(100, gained, lost, comparisons=count) for count in (1, 4))
    assert (once is None) == (gained == lost)
    if once is not None and among_four is not None:
        assert among_four >= once
        if gained > lost:
            assert (more_tasks(100, gained + 1, lost) or 0) <= once


def test_a_task_is_passed_by_more_than_half_of_its_repeats() -> None:
    assert majority([True])
    assert majority([True, False, True])
    assert not majority([True, False])
    assert not majority([])


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([float(one) for one in range(1, 21)], 0.95) == 19.0
    assert percentile([7.0], 0.95) == 7.0
    assert percentile([], 0.5) is None
