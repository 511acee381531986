"""Fault localisation: the lines that failing tests make suspicious, from coverage spectra. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt


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


def independent_failures(spectra: Sequence[Spectrum], imported: frozenset[int]) -> list[frozenset[str]]:
    """Return the failing tests in groups that share no line, in order of appearance; each has a cause of its own.

    Args:
        imported: lines that run when the file is imported; they are no reason to put two tests into one group.
    """
    groups: list[tuple[frozenset[str], frozenset[int]]] = []
    for one in (one for one in spectra if one.failed):
        own = one.lines - imported
        same = [group for group in groups if not own or not group[1] or group[1] & own]
        tests = frozenset({one.test}).union(*(group[0] for group in same))
        lines = own.union(*(group[1] for group in same))
        at = groups.index(same[0]) if same else len(groups)
        groups = [group for group in groups if group not in same]
        groups.insert(at, (tests, lines))
    return [tests for tests, _ in groups]
