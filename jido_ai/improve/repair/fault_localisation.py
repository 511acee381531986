"""Fault localisation: the lines that failing tests make suspicious, from coverage spectra. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import sqrt


def ochiai(failed: int, passed: int, all_failed: int) -> float:
    """Return the suspicion of a line, in [0, 1], from the numbers of failing and passing tests that ran it.

    failed / sqrt(all_failed * (failed + passed)); 0.0 if no failing test ran it.

    Source: Ochiai's coefficient, in Abreu, Zoeteweij, van Gemund: On the Accuracy of Spectrum-based Fault Localization
    (2007).
    """
    return failed / sqrt(all_failed * (failed + passed)) if failed else 0.0


def suspicious_places(
    ran: Mapping[str, Collection[tuple[str, int]]], failed: Collection[str]
) -> dict[tuple[str, int], float]:
    """Return the suspicion of every line of a project that a failing test ran, the highest first.

    Args:
        ran: for each test, the lines that it ran, as path and line.
        failed: the failing tests of one cause; others that fail are better left out of `ran`.
    """
    runs: dict[tuple[str, int], list[int]] = {}
    for test, places in ran.items():
        for place in places:
            runs.setdefault(place, [0, 0])[test not in failed] += 1
    found = {place: ochiai(bad, good, len(failed)) for place, (bad, good) in runs.items() if bad}
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
