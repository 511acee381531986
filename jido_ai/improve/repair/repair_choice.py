"""Repair choice: which of several edits that pass all tests a person would keep, from what they do. Pure.

Each candidate is compared with the program before the repair on inputs near those of the tests. Where a test passed,
the program was right, so that near this test it is probably right too; an edit that changes much there overfits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

Behaviour = Mapping[str, tuple[tuple[str, str], ...]]
"""What a program does: for each probe (a test with changed inputs) the records of code and value; see the runner."""

_KEPT: Final = 8.0
_SHARED: Final = 1.5
_BROKEN: Final = 8.0
_LIKELY: Final = 0.35
_MORE_USUAL: Final = 2.0
"""How much more probable by its kind an edit must be for one that changes more to give way."""
_SLIPS: Final = frozenset({
    "TypeError", "AttributeError", "NameError", "UnboundLocalError", "IndexError", "KeyError", "RecursionError",
    "Timeout", "RuntimeError", "ZeroDivisionError",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """An input on which two repairs differ: the code of a value, and the value with each of them."""

    code: str
    chosen: str
    other: str


def repair_score(
    behaviour: Behaviour, original: Behaviour, others: Sequence[Behaviour], passed: frozenset[str], weight: float
) -> float:
    """Return how much speaks for an edit; the highest wins.

    Args:
        behaviour: of the program with the edit.
        original: of the program before.
        others: those of all edits that pass, this one included.
        passed: the tests that passed before.
        weight: how probable the edit is by its kind, above 0.
    """
    near = [probe for probe in behaviour if probe.rpartition("#")[0] in passed and probe in original]
    kept = sum(behaviour[probe] == original[probe] for probe in near) / len(near) if near else 1.0
    broken = len(_broken(behaviour, original)) / max(1, len(behaviour))
    votes = [Counter(one[probe] for one in others if probe in one)[behaviour[probe]] for probe in behaviour]
    shared = sum(votes) / (len(votes) * len(others)) if votes else 1.0
    return _KEPT * kept + _SHARED * shared - _BROKEN * broken + _LIKELY * log(weight)


def breaks(behaviour: Behaviour | None, original: Behaviour | None) -> bool:
    """Tell whether an edit makes an input raise a slip, like `IndexError`, that raised none before."""
    return behaviour is not None and original is not None and bool(_broken(behaviour, original))


def _broken(behaviour: Behaviour, original: Behaviour) -> list[str]:
    """Return the probes that raise a slip, and did not before."""
    return [probe for probe in behaviour if _slips(behaviour[probe]) and not _slips(original.get(probe, ()))]


def _slips(records: tuple[tuple[str, str], ...]) -> bool:
    return bool(records) and records[-1][0] == "raises" and is_slip(records[-1][1])


def is_slip(name: str) -> bool:
    """Tell whether an exception of that name comes of a mistake in the program rather than of its own decision."""
    return name in _SLIPS


def best_repair(
    behaviours: Sequence[Behaviour | None], original: Behaviour | None, passed: frozenset[str], weights: Sequence[float]
) -> int:
    """Return the place of the edit that most speaks for; of equals the first. The weightiest if nothing is known.

    Args:
        behaviours: one per edit; None where it is not known.
        weights: one per edit, above 0; see `repair_score`.
    """
    known = [one for one in behaviours if one is not None]
    if original is None or not known:
        return max(range(len(weights)), key=lambda place: weights[place])
    scores = [
        float("-inf") if one is None else repair_score(one, original, known, passed, weight)
        for one, weight in zip(behaviours, weights, strict=True)
    ]
    return max(range(len(scores)), key=lambda place: scores[place])


def standing(
    behaviours: Sequence[Behaviour | None],
    original: Behaviour | None,
    passed: frozenset[str],
    weights: Sequence[float],
) -> list[int]:
    """Return the places of the edits that give way to none; all if nothing is known of what the program did.

    One gives way that makes an input raise a slip, like `IndexError`, if another does not. And one gives way to an edit
    that is more probable by its kind and, on every input near passing tests on which they differ, does what the program
    did before: there it was not shown to be wrong.

    Args:
        passed: tests that passed before.
        weights: one per edit, how probable it is by its kind.
    """
    places = list(range(len(behaviours)))
    if original is None:
        return places
    whole = [place for place in places if not breaks(behaviours[place], original)] or places

    def gives_way(place: int) -> bool:
        return any(
            weights[other] > _MORE_USUAL * weights[place]
            and _keeps_more(behaviours[other], behaviours[place], original, passed)
            for other in whole
            if other != place
        )

    return [place for place in whole if not gives_way(place)] or whole


def _keeps_more(one: Behaviour | None, other: Behaviour | None, original: Behaviour, passed: frozenset[str]) -> bool:
    """Tell whether two edits differ near passing tests, and each time the first leaves the program as it was."""
    if one is None or other is None:
        return False
    near = [probe for probe in one if probe.rpartition("#")[0] in passed and probe in other and probe in original]
    differing = [probe for probe in near if one[probe] != other[probe]]
    return bool(differing) and all(one[probe] == original[probe] for probe in differing)


@dataclass(frozen=True, slots=True)
class Measured:
    """How often edits of one kind were right: `right` of `of`, on programs that nobody tuned the search on."""

    right: int
    of: int

    @property
    def sentence(self) -> str:
        return f"{self.right} of {self.of} such edits were right"


_SURE: Final = Measured(12, 14)
_ASKED: Final = Measured(2, 6)


def measured(*, is_sure: bool) -> Measured:
    """Return how often such an edit was right in the first run over `benchmarks/app_programs.jsonl` (decision 0052).

    Args:
        is_sure: nothing is left to choose; else the first of the edits to choose from.
    """
    return _SURE if is_sure else _ASKED


def differences(chosen: Behaviour, other: Behaviour) -> list[Difference]:
    """Return the inputs on which two repairs differ, shortest first: the first difference of each probe."""
    found: dict[str, Difference] = {}
    for probe, records in chosen.items():
        for (code, value), (code_of_other, of_other) in zip(records, other.get(probe, ()), strict=False):
            if (code, value) != (code_of_other, of_other):
                told, told_of_other = _told(code, value), _told(code_of_other, of_other)
                text = code if code != "raises" else code_of_other
                found.setdefault(text, Difference(text, told, told_of_other))
                break
    return sorted(found.values(), key=lambda one: (len(one.code), one.code))


def _told(code: str, value: str) -> str:
    return f"raises {value}" if code == "raises" else value
