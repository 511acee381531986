"""Halving: finds which of several edits broke something, half of the suspects at a time. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from functools import lru_cache

from jido_ai.text.change import lines_of


def culprits(units: Collection[str], rejected: Sequence[Collection[str]]) -> set[str]:
    """Return the units known to have broken something: the only ones left of a rejected attempt.

    Args:
        units: those not applied yet. Units already in the text have passed, so they are not suspects.
        rejected: the units of each attempt that broke something.
    """
    pending = set(units)
    alone = (pending & set(attempt) for attempt in rejected)
    return {unit for suspects in alone if len(suspects) == 1 for unit in suspects}


def next_units(units: Sequence[str], rejected: Sequence[Collection[str]]) -> list[str]:
    """Return the units to try next, in their order; empty if each is a culprit.

    While no culprit explains a rejected attempt, this is the first half of its suspects; afterwards all units that are
    not culprits. With n units and one culprit, log2(n) + 2 attempts find it and keep the others.

    Args:
        units, rejected: see `culprits`.
    """
    guilty = culprits(units, rejected)
    pending = [unit for unit in units if unit not in guilty]
    suspects = [set(attempt) & set(units) for attempt in rejected]
    open_cases = [case for case in suspects if len(case) > 1 and not case & guilty]
    if not open_cases:
        return pending
    smallest = min(open_cases, key=len)
    ordered = [unit for unit in pending if unit in smallest]
    return ordered[: (len(ordered) + 1) // 2]


def unit_name(text: str, rule: str, message: str, row: int) -> str:
    """Return the name of an edit in every attempt of a run: its rule and a digest of its location.

    The location is the message, the row's text and the functions and classes around it, so that edits of other rows do
    not change the name. Equal findings in equal rows of one function share a name: they are applied or reverted
    together.

    Args:
        row: row of the finding in `text`, from 1.
    """
    rows = _rows_of(text)
    line = rows[row - 1] if 1 <= row <= len(rows) else ""
    place = [message, line.strip(), *_around(rows, row)]
    return f"{rule}-{hashlib.sha256(repr(place).encode('utf-8', 'replace')).hexdigest()[:12]}"


@lru_cache(maxsize=8)
def _rows_of(text: str) -> tuple[str, ...]:
    return tuple(lines_of(text))


def _around(rows: Sequence[str], row: int) -> list[str]:
    """Return the first rows of the functions and classes around a row, innermost first, judged by indentation."""
    found: list[str] = []
    depth = _depth(rows[row - 1]) if 1 <= row <= len(rows) else 0
    for line in reversed(rows[: max(0, row - 1)]):
        if depth == 0:
            break
        if line.strip() and _depth(line) < depth:
            depth = _depth(line)
            if line.lstrip().startswith(("def ", "class ", "async def ")):
                found.append(line.strip())
    return found


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
