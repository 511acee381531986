"""Halving: finds which of several edits broke something."""

from __future__ import annotations

from hypothesis import given
from hypothesis.strategies import integers, sets

from jido_ai.revisers.halving import culprits, next_units, unit_name


@given(integers(1, 40), sets(integers(0, 39), max_size=4))
def test_the_culprits_are_found_and_all_others_are_made(count: int, bad: set[int]) -> None:
    units = [f"u{number}" for number in range(count)]
    guilty = {f"u{number}" for number in bad if number < count}
    made: list[str] = []
    rejected: list[list[str]] = []
    for _ in range(200):
        left = [unit for unit in units if unit not in made]
        wanted = next_units(left, rejected)
        if not wanted:
            break
        if guilty & set(wanted):
            rejected.append(wanted)
        else:
            made += wanted
    assert set(made) == set(units) - guilty
    assert culprits([unit for unit in units if unit not in made], rejected) == guilty


def test_one_culprit_of_sixteen_takes_about_log2_attempts() -> None:
    units = [f"u{number}" for number in range(16)]
    made: list[str] = []
    rejected: list[list[str]] = []
    attempts = 0
    while wanted := next_units([unit for unit in units if unit not in made], rejected):
        attempts += 1
        if "u11" in wanted:
            rejected.append(wanted)
        else:
            made += wanted
    assert len(made) == 15
    assert attempts <= 8


def test_an_edit_keeps_its_name_when_rows_above_it_go() -> None:
    text = "import os\nimport sys\n\n\ndef f():\n    pass\n\n\ndef g(a):\n    return a == None\n"
    later = text.replace("import os\n", "")
    assert unit_name(text, "E711", "m", 10) == unit_name(later, "E711", "m", 9)
    assert unit_name(text, "E711", "m", 10) != unit_name(text, "E711", "m", 5)


def test_equal_rows_in_two_functions_have_names_of_their_own() -> None:
    text = "def f(a):\n    return a == None\n\n\ndef g(a):\n    return a == None\n"
    assert unit_name(text, "E711", "m", 2) != unit_name(text, "E711", "m", 6)
