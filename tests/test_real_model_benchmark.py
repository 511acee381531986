"""The benchmark with a real model: its tasks, its programs, its runner, without a model."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

TASKS: Any = importlib.import_module("real_model.tasks").TASKS  # the benchmarks are no package
PROGRAMS: Any = importlib.import_module("real_model.programs").PROGRAMS
BY_ID = {task.id: task for task in TASKS}

# For each task with a check: an answer that passes, and answers that do not, each with words of the finding.
ANSWERS: dict[str, tuple[str, dict[str, str]]] = {
    "acrostic/lamp": (
        "Light fills the room\nAll night it glows\nMoths come to dance\nPages turn in silence",
        {
            "Light fills the room\nAll night it glows\nMoths come to dance": "3 lines",
            "Light fills the room\nThe night is long\nMoths come to dance\nPages turn slowly now": "begin with 'A'",
            "Light light light\nAll all all\nMoths moths moths\nPages pages pages": "says too little",
        },
    ),
    "times/morning": (
        "07:00 get up\n07:30 drink a coffee\n08:15 walk to work",
        {
            "7:00 get up\n07:30 drink a coffee\n08:15 walk to work": "line 1 must begin with a time",
            "07:30 get up\n07:00 drink a coffee\n08:15 walk to work": "must rise",
            "07:00 get up\n07:30 drink a coffee": "2 lines",
            "07:00 .\n07:30 .\n08:15 .": "the same",
        },
    ),
    "csv/cities": (
        "city,country,people\nTokyo,Japan,37000000\nDelhi,India,32000000\nCairo,Egypt,22000000",
        {
            "Tokyo,Japan,37000000\nDelhi,India,32000000\nCairo,Egypt,22000000": "header",
            "city,country,people\nTokyo,Japan,37 million\nDelhi,India,32000000\nCairo,Egypt,22000000": "digits only",
            "city,country,people\nTokyo,Japan,37000000": "1 rows",
            "city,country,people\n,,\n,,\n,,": "it must be a text",
            "city,country,people\nTokyo,Japan,37000000\nTokyo,Japan,37000000\nTokyo,Japan,37000000": "same cell",
            "city,country,people\nTokyo,Japan,37,000,000\nDelhi,India,32000000\nCairo,Egypt,22000000": "5 cells",
        },
    ),
    "csv/shop": (
        "item,price\nsoap,2.50\nbread,3.00",
        {"item,price\nsoap,$2.50\nbread,3.00": "two decimals", "item,price\nsoap,2.50\nbread,3": "row 2 has '3'"},
    ),
    "markdown/animals": (
        "| Animal | Sound |\n|---|---|\n| cow | moo |\n| dog | woof |\n| cat | meow |",
        {
            "| Animal | Sound |\n| cow | moo |\n| dog | woof |\n| cat | meow |": "line of dashes",
            "Here it is:\n| Animal | Sound |\n|---|---|\n| cow | moo |\n| dog | woof |\n| cat | meow |": "nothing but",
            "| Animal | Sound |\n|---|---|\n| | |\n| | |\n| | |": "must be a text",
        },
    ),
    "fields/person": (
        "Name: Ada Stone\nJob: baker\nCity: Leeds",
        {
            "Name: Ada Stone\nCity: Leeds\nJob: baker": "line 2 must begin with 'Job:'",
            "Name:\nJob:\nCity:": "nothing after 'Name:'",
            "Name: Ada Stone\nJob: baker": "2 lines",
        },
    ),
    "letter/late": (
        "Subject: Late today\n\nDear Ms Hill,\n\nmy train stands still, so I will be late today.\n\nKind regards",
        {
            "Subject: Late today\n\nDear Ms Hill,\n\nKind regards": "between greeting and ending",
            "Dear Ms Hill,\nmy train stands still, so I will be late today.\nKind regards": "'Subject: '",
            "Subject: Late\nDear Ms Hill,\nmy train stands still, so I will be late.\nKind regards,\nBob": "last line",
            "Subject: Late\nHi,\nmy train stands still, so I will be late today.\nKind regards": "Dear Ms Hill",
        },
    ),
    "count/357": (
        "A small frog\nIt sits by the pond\nWaiting for rain",
        {
            "A frog\nIt sits by the pond\nWaiting for rain": "line 1 has 2 words",
            "A small toad\nIt sits by the pond\nWaiting for rain": "'frog' does not occur",
            "frog frog frog\nfrog frog frog frog frog\nfrog frog frog": "repeat the same words",
        },
    ),
    "speech/market": (
        '"These apples are fresh," she said at the market.',
        {
            "She said at the market that the apples are fresh.": "quotation marks",
            '"These apples are fresh," cried a woman at the market.': "'she said'",
            '"" she said market': "quotation marks",
            '"These apples are fresh,"\nshe said at the market.': "2 lines",
        },
    ),
    "anaphora/today": (
        "Today we swim in the lake. Today nobody has to work. Today ends with a fire.",
        {
            "Today we swim in the lake. We all have time. Today ends with a fire.": "sentence 2 begins with 'We'",
            "Today we swim in the lake. Today ends with a fire.": "2 sentences",
            "Today. Today. Today.": "the same",
        },
    ),
    "sorted/fruits": (
        "apple\nbanana\ncherries\nplum",
        {
            "banana\napple\ncherry\nplum": "'apple' must come before 'banana'",
            "apple\nbanana\ncherry": "3 lines",
            "1. apple\n2. banana\n3. cherry\n4. plum": "not the name of one fruit",
            "apple\napple\nbanana\ncherry": "twice",
            "aa\nbb\ncc\ndd": "not the name of one fruit",
        },
    ),
    "alliteration/s": (
        "sun, sea, sand, stone, silver",
        {
            "sun sea sand stone": "4 words",
            "sun sea sand stone gold": "do not begin with 's': gold",
            "s s s s s": "different English words",
            "sun sun sun sun sun": "different English words",
        },
    ),
    "html/pets": (
        "<ul>\n  <li>a dog</li>\n  <li>a cat</li>\n  <li>a fish</li>\n</ul>",
        {
            "<ul><li>a dog</li><li>a cat</li></ul>": "it has 2 <li>",
            "<ul><li>a dog<li>a cat<li>a fish</ul>": "closed properly",
            "Here: <ul><li>a dog</li><li>a cat</li><li>a fish</li></ul>": "outside",
            "<ul><li></li><li></li><li></li></ul>": "the same",
        },
    ),
    "dialogue/bus": (
        "Tom: Is the bus late again?\nEva: It comes in five minutes.\nTom: That is good news.\nEva: Here it is!",
        {
            "Tom: Is the bus late?\nTom: It comes soon.\nTom: That is good.\nEva: Here it is!": "line 2 must begin",
            "Tom: Is the bus late?\nEva: It comes soon.": "2 lines",
            "Tom: hi\nEva: hi\nTom: hi\nEva: hi": "the same",
        },
    ),
    "hashtags/hiking": (
        "#hiking #mountains #outdoors",
        {
            "#Hiking #mountains #outdoors": "'#Hiking' is no hashtag",
            "hiking mountains outdoors": "no hashtag",
            "#hiking #mountains": "2 parts",
            "#hiking #hiking #hiking": "twice",
        },
    ),
    "sections/pancakes": (
        "Ingredients:\nflour\nmilk and eggs\nSteps:\nmix it all\nbake it in a pan",
        {
            "flour\nmilk\nSteps:\nmix\nbake": "'Ingredients:'",
            "Steps:\nmix it\nbake it\nIngredients:\nflour\nmilk": "in this order",
            "Ingredients:\nSteps:": "0 lines",
            "Ingredients:\n-\n.\nSteps:\n-\n.": "says too little",
        },
    ),
    "json/evens": (
        "[2, 4, 6, 8, 10]",
        {
            "[2, 4, 6, 8]": "exactly 5",
            "[2, 4, 5, 8, 10]": "5 is not an even number",
            "[2, 4, 4, 8, 10]": "do not rise",
            "2, 4, 6, 8, 10": "not JSON",
            "[true, 4, 6, 8, 10]": "whole numbers",
        },
    ),
    "rating/chair": (
        "The chair is soft and steady. Its legs look a little thin.\nRating: 4/5",
        {
            "The chair is soft and steady. Its legs look a little thin.": "last line",
            "The chair is soft and steady. Its legs look a little thin.\nRating: 9/5": "last line",
            "The chair is soft and steady.\nRating: 4/5": "1 sentences",
            "Rating: 4/5": "0 sentences",
            "The table is soft and steady. Its legs look a little thin.\nRating: 4/5": "'chair' does not occur",
        },
    ),
    "palindrome": ("Level.", {"house": "backwards is 'esuoh'", "aaaa": "not an English word", "dad": "four letters"}),
    "iso_date": ("2023-07-04", {"04-07-2023": "the year comes first", "It is 2023-07-04": "alone"}),
    "weekday": ("Sunday", {"Saturday": "Saturday", "It is Sunday": "alone"}),
    "centimetres": ("300", {"30": "100 centimetres", "300 centimetres": "alone"}),
    "minutes": ("135", {"215": "60 minutes", "120 + 15 = 135": "alone"}),
    "roman": ("XIV", {"XIIII": "one before five", "xiv": "wrong"}),
    "alphabet": ("apple, fig, pear", {"pear, apple, fig": "a comes before f", "apple, fig, pear, plum": "wrong"}),
    "initialism": ("ASAP", {"asap": "first letter", "A S A P": "alone"}),
    "short_month": ("June.", {"May": "30 days", "April, June": "alone"}),
    "doubling": ("32", {"24": "twice", "18": "twice"}),
}


def test_forty_tasks_of_three_families_have_different_names_and_prompts() -> None:
    assert len(TASKS) == len(BY_ID) == len({task.prompt for task in TASKS}) == 40
    assert [sum(task.family == family for task in TASKS) for family in ("form", "word", "code")] == [18, 10, 12]


@pytest.mark.parametrize("name", [task.id for task in TASKS if task.check])
def test_a_right_answer_passes_and_a_wrong_one_is_told_what_is_wrong(name: str) -> None:
    right, wrong = ANSWERS[name]
    check = BY_ID[name].check
    assert check(right) == []
    assert check(f"\n{right}\n") == []
    for answer, words in wrong.items():
        found = check(answer)
        assert any(words in message for message in found), (answer, found)


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize("answer", ["", " ", "\n\n", ".", "...", "the the the the", "- - -", "Sure!", "```\n```"])
def test_an_empty_or_hollow_answer_passes_no_check(name: str, answer: str) -> None:
    assert BY_ID[name].check(answer)


@pytest.mark.parametrize("name", ANSWERS)
def test_neither_the_task_nor_a_finding_is_an_answer(name: str) -> None:
    task = BY_ID[name]
    assert task.check(task.prompt)
    for answer in ANSWERS[name][1]:
        assert all(task.check(message) for message in task.check(answer))


def _results(program: Any, code: str, tests: str) -> dict[str, bool]:
    """Return for each test function whether it passes."""
    module: dict[str, Any] = {"__name__": "program"}
    exec(compile(code, f"{program.name}.py", "exec", dont_inherit=True), module)
    space = {**module, "pytest": pytest}
    exec(compile(tests, f"test_{program.name}.py", "exec", dont_inherit=True), space)
    results: dict[str, bool] = {}
    for name, test in list(space.items()):
        if name.startswith("test_"):
            try:
                test()
                results[name] = True
            except (Exception, pytest.fail.Exception):  # a program with a bug may raise anything
                results[name] = False
    return results


def test_twenty_programs_have_bugs_of_different_kinds() -> None:
    assert len(PROGRAMS) == len({program.name for program in PROGRAMS}) == 20
    assert len({program.bug for program in PROGRAMS}) >= 10


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_exactly_one_test_of_a_program_shows_its_bug_and_none_fails_without_it(
    program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "program", type(sys)("program"))  # dataclasses look their module up
    assert 60 <= len(program.code.splitlines()) <= 150
    assert program.code.count(program.wrong) == 1
    ast.parse(program.code)
    results = _results(program, program.code, program.tests)
    assert 6 <= len(results) <= 10
    assert list(results.values()).count(False) == 1
    assert all(_results(program, program.fixed, program.tests).values())
    held_back = _results(program, program.fixed, program.held_back)
    assert held_back
    assert all(held_back.values())
    assert not all(_results(program, program.code, program.held_back).values())
