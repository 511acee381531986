"""Fault localisation: the lines that failing tests make suspicious, from coverage spectra. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

__all__ = ["Spectrum", "ochiai", "suspicious_lines"]


@dataclass(frozen=True, slots=True)
class Spectrum:
    """The coverage of one test.

    Attributes:
        lines: lines of the file under test that it ran, from 1.
    """

    test: str
    failed: bool
    lines: frozenset[int]


def ochiai(failed: int, passed: int, all_failed: int) -> float:
    """Return the suspicion of a line, in [0, 1], from the numbers of failing and passing tests that ran it.

    failed / sqrt(all_failed * (failed + passed)); 0.0 if no failing test ran it.

    Source: Ochiai's coefficient, in Abreu, Zoeteweij, van Gemund: On the Accuracy of Spectrum-based Fault Localization
    (2007).
    """
    return failed / sqrt(all_failed * (failed + passed)) if failed else 0.0


def suspicious_lines(spectra: Sequence[Spectrum]) -> dict[int, float]:
    """Return the suspicion of every line that a failing test ran, the highest first, ties from the top down."""
    all_failed = sum(one.failed for one in spectra)
    found: dict[int, float] = {}
    for line in frozenset[int]().union(*(one.lines for one in spectra if one.failed)):
        ran = [one.failed for one in spectra if line in one.lines]
        found[line] = ochiai(sum(ran), len(ran) - sum(ran), all_failed)
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
