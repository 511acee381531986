"""Effect: whether a memory helps, from runs that were shown what it holds and runs that were not. Pure.

The runs must be random groups (`Pipeline(holdout=...)`); otherwise a difference is a correlation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, Literal

from jido_ai.errors import ConfigurationError, describe
from jido_ai.text.numbers import is_number

Verdict = Literal["helps", "hurts", "not shown"]
_POWER: Final = 0.8
_LEAST_POINT: Final = 0.01


@dataclass(frozen=True, slots=True)
class Effect:
    """How much more often runs pass with something than without it.

    Attributes:
        difference: of the shares that passed, in [-1, 1]; None without runs of both groups.
        low, high: bounds of its interval.
        verdict: "helps" if the interval is above 0, "hurts" if it is below 0, else "not shown".
        more_runs: about how many more runs, divided as those so far, would show a difference like this one; None once
            it is shown, without runs of both groups, or if it is below one point.
        text: all of that in words, in whole points.
    """

    difference: float | None
    low: float | None
    high: float | None
    verdict: Verdict
    more_runs: int | None
    text: str


def effect(passed_with: int, runs_with: int, passed_without: int, runs_without: int, level: float = 0.95) -> Effect:
    """Compare the runs with something with those without it, by Newcombe's interval.

    Args:
        passed_with, passed_without: how many runs of each group passed.
        level: of the interval, in (0, 1).

    Raises:
        ConfigurationError: a number is out of range.
    """
    for passed, runs in ((passed_with, runs_with), (passed_without, runs_without)):
        if not _is_count(passed) or not _is_count(runs) or passed > runs:
            raise ConfigurationError(
                f"need whole numbers with 0 <= passed <= runs, got {describe(passed)} of {describe(runs)}"
            )
    if not is_number(level) or not 0.0 < level < 1.0:
        raise ConfigurationError(f"level must be in (0, 1), got {describe(level)}")
    if not runs_with or not runs_without:
        missing = "with it" if not runs_with else "without it to compare with"
        return Effect(None, None, None, "not shown", None, f"not shown yet; no runs {missing}")
    low, high = newcombe(passed_with, runs_with, passed_without, runs_without, level)
    difference = passed_with / runs_with - passed_without / runs_without
    told = f"({100 * difference:+.0f} points, {100 * low:.0f} to {100 * high:.0f})"
    if low > 0.0:
        return Effect(difference, low, high, "helps", None, f"helps {told}")
    if high < 0.0:
        return Effect(difference, low, high, "hurts", None, f"hurts {told}")
    more = _more_runs(passed_with, runs_with, passed_without, runs_without, level)
    text = (
        "not shown yet; no difference so far" if more is None else f"not shown yet; about {more:,} more runs would tell"
    )
    return Effect(difference, low, high, "not shown", more, text)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _more_runs(passed_with: int, runs_with: int, passed_without: int, runs_without: int, level: float) -> int | None:
    """Return how many more runs would show this difference with a probability of 0.8, to two digits.

    The shares are drawn towards one half by two runs more, so that a group in which all runs agree has a variance.
    """
    difference = passed_with / runs_with - passed_without / runs_without
    if abs(difference) < _LEAST_POINT:
        return None
    variance = 0.0
    for passed, runs in ((passed_with, runs_with), (passed_without, runs_without)):
        share = (passed + 1) / (runs + 2)
        variance += share * (1.0 - share) / runs
    normal = NormalDist()
    z = normal.inv_cdf(0.5 + level / 2.0) + normal.inv_cdf(_POWER)
    runs = runs_with + runs_without
    more = max(1.0, runs * (z * z * variance / (difference * difference) - 1.0))
    digits = max(0, math.floor(math.log10(more)) - 1)
    return math.ceil(more / 10**digits) * 10**digits


def newcombe(
    passed_with: float, runs_with: float, passed_without: float, runs_without: float, level: float = 0.95
) -> tuple[float, float]:
    """Return the bounds of the difference of two proportions; it is valid for small samples too.

    Args:
        runs_with, runs_without: above 0.

    Source: R. G. Newcombe, Statistics in Medicine 17 (1998), method 10, from two Wilson intervals.
    """
    one, other = passed_with / runs_with, passed_without / runs_without
    low_one, high_one = wilson(passed_with, runs_with, level)
    low_other, high_other = wilson(passed_without, runs_without, level)
    return (
        one - other - math.hypot(one - low_one, high_other - other),
        one - other + math.hypot(high_one - one, other - low_other),
    )


def wilson(successes: float, attempts: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the bounds of Wilson's score interval for a proportion; (0.0, 1.0) without attempts.

    Args:
        successes: in [0, `attempts`]; a mean over repeats may be a fraction.
        confidence: in (0, 1).

    Raises:
        ConfigurationError: an argument is out of range.

    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927).
    """
    if not 0.0 <= successes <= attempts or not 0.0 < confidence < 1.0:
        raise ConfigurationError(
            f"need 0 <= successes <= attempts and confidence in (0, 1), got {successes}, {attempts} and {confidence}"
        )
    if attempts == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2.0)
    share = successes / attempts
    shrink = 1.0 + z * z / attempts
    middle = (share + z * z / (2.0 * attempts)) / shrink
    width = z * math.sqrt(share * (1.0 - share) / attempts + z * z / (4.0 * attempts * attempts)) / shrink
    low = 0.0 if successes == 0 else max(0.0, middle - width)
    return low, 1.0 if successes == attempts else min(1.0, middle + width)
