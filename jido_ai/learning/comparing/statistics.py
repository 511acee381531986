"""Statistics of a comparison: shares with their intervals, pairs, and the number of tasks that would tell. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from jido_ai.errors import ConfigurationError


def mcnemar(gained: int, lost: int) -> float:
    """Return the two-sided p-value of McNemar's exact test; 1.0 without pairs that differ.

    Args:
        gained, lost: the numbers of pairs of which only the second, or only the first, passed; at least 0.

    Raises:
        ConfigurationError: a number is negative.
    """
    if min(gained, lost) < 0:
        raise ConfigurationError(f"numbers of pairs must be at least 0, got {gained} and {lost}")
    pairs = gained + lost
    ways = total = 1  # whole numbers: exact for any size
    for wins in range(min(gained, lost)):
        ways = ways * (pairs - wins) // (wins + 1)
        total += ways
    return min(1.0, 2 * total / 2**pairs)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return the p-values adjusted for their number by Holm's method, in the same order.

    Source: S. Holm, Scandinavian Journal of Statistics 6 (1979).
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return tuple(adjusted)


def more_tasks(
    tasks: int, gained: int, lost: int, *, alpha: float = 0.05, power: float = 0.8, comparisons: int = 1
) -> int | None:
    """Return how many more tasks would show a difference as large as the one seen; None if none was seen.

    The sample size of McNemar's test, but enough for the exact test to show anything, minus the tasks at hand; 0 if
    they are enough. It is an estimate from few tasks:
    round it before you tell it.

    Args:
        tasks: compared so far, at least `gained` + `lost`.
        power: the share of such comparisons that would then show it.
        comparisons: of several that are told together, `alpha` is divided by their number.

    Source: R. J. Connor, Biometrics 43 (1987).
    """
    if gained == lost:
        return None
    apart, difference = (gained + lost) / tasks, abs(gained - lost) / tasks
    alpha /= comparisons
    z_alpha = NormalDist().inv_cdf(1.0 - alpha / 2.0)
    z_power = NormalDist().inv_cdf(power)
    spread = math.sqrt(max(0.0, apart - difference * difference))
    needed = ((z_alpha * math.sqrt(apart) + z_power * spread) / difference) ** 2
    fewest = math.floor(1.0 - math.log2(alpha)) + 1  # pairs that differ, all in one direction: 6 at 0.05
    return max(0, math.ceil(max(needed, fewest / apart) - 1e-9) - tasks)


def majority(results: Sequence[bool]) -> bool:
    """True if more than half of the repeats of a task passed."""
    return 2 * sum(results) > len(results)


def percentile(values: Sequence[float], share: float) -> float | None:
    """Return the smallest value that at least this share of the values, in (0, 1], does not exceed; None of none."""
    if not values:
        return None
    return sorted(values)[max(0, math.ceil(share * len(values) - 1e-9) - 1)]
