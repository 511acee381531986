"""Repairs that only tests confirm, with the real pytest."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from jido_ai.errors import ConfigurationError, Declined, ToolError
from jido_ai.protocols import Reviser, RunContext
from jido_ai.repair.mutation_reviser import MutationReviser
from jido_ai.tools.ready import COMPILE, PYTEST
from jido_ai.tools.sandbox.executor import ProcessExecutor
from jido_ai.values import Candidate, CritiqueResult, Issue, MemoryEntry
from jido_ai.values.tool import ToolJob, ToolRun

QUICK = PYTEST.with_arguments("--disable-plugin-autoload")  # plugins take longer than the tests
CONTEXT = RunContext(run_id="run", prompt="prompt")
FAILING = CritiqueResult(severity=0.9, issues=[Issue("it fails", kind="test", rule="test_it")])
WRONG = "def largest(items):\n    best = 0\n    for one in items[1:]:\n        best = min(best, one)\n    return best\n"
TESTS = "from code import largest\n\n\ndef test_largest():\n    assert largest([1, 3, 2]) == 3\n"
BOUND = "def is_adult(age):\n    '''Ä'''\n    return age > 18\n"
BOUND_TESTS = (
    "import pytest\nfrom bound import is_adult\n\n\n"
    "@pytest.mark.parametrize(('age', 'adult'), [(17, False), (18, True), (19, True)])\n"
    "def test_it(age, adult):\n    assert is_adult(age) is adult\n"
)


class Counting(ProcessExecutor):
    """Records the scripts and tools it ran."""

    def __init__(self) -> None:
        super().__init__()
        self.ran: list[str] = []

    async def run(self, job: ToolJob) -> ToolRun:
        self.ran.append(next((Path(part).name for part in job.argv if part.endswith(".py")), ""))
        return await super().run(job)


def reviser(root: Path, name: str, tests: str, **options: Any) -> MutationReviser:
    (root / "test_it.py").write_text(tests)
    return MutationReviser(root=root, replaces=name, **{"tests": QUICK, "max_parallel": 1, **options})


async def repaired(
    root: Path, name: str, code: str, tests: str, context: RunContext = CONTEXT, **options: Any
) -> Candidate:
    return await reviser(root, name, tests, **options).revise(Candidate(code), FAILING, context)


async def refused(made: MutationReviser, code: str, critique: CritiqueResult = FAILING) -> str:
    with pytest.raises(Declined) as caught:
        await made.revise(Candidate(code), critique, CONTEXT)
    return str(caught.value)


def test_it_is_a_reviser(tmp_path: Path) -> None:
    assert isinstance(reviser(tmp_path, "bound.py", BOUND_TESTS), Reviser)


async def test_the_smallest_edit_that_passes_all_tests_wins_and_says_that_only_they_vouch_for_it(
    tmp_path: Path,
) -> None:
    candidate = Candidate("\ufeff" + BOUND.replace("\n", "\r\n"))
    result = await reviser(tmp_path, "bound.py", BOUND_TESTS).revise(candidate, FAILING, CONTEXT)
    assert result.content == "\ufeff" + BOUND.replace("> 18", ">= 18").replace("\n", "\r\n")
    assert result.parent_id == candidate.id
    assert "Only the tests vouch for it: 3 of 3 pass; 10 of 12 such edits were right" in (result.reasoning or "")
    told = {key: result.metadata[key] for key in ("vouched_by", "operator", "line", "before", "after", "failure")}
    assert told == {
        "vouched_by": "tests",
        "operator": "boundary",
        "line": 3,
        "before": "return age > 18",
        "after": "return age >= 18",
        "failure": "AssertionError:truth",
    }
    assert result.metadata["tags"] == ["mutation:boundary", "failure:AssertionError:truth"]
    assert result.metadata["tests"] == 3
    assert 1 <= result.metadata["tried"] <= 60
    assert not list(tmp_path.glob("*.json"))  # the project itself is unchanged


@pytest.mark.slow
async def test_operators_that_fixed_such_a_failure_before_are_tried_earlier(tmp_path: Path) -> None:
    code = "def price(amount, percent, customer=None):\n    return amount + amount * percent / 100\n"
    tests = "from code_ import price\n\n\ndef test_price():\n    assert price(200, 10) == 180\n"
    # edits of likelier operators come before the right one, unless it fixed such failures before
    lesson = MemoryEntry("p", "m", "mutation operator 'arithmetic' for AssertionError:number, line 9: ...")
    before = await repaired(tmp_path, "code_.py", code, tests)
    context = RunContext(run_id="run", prompt="prompt", lessons=(lesson,) * 3)
    after = await repaired(tmp_path, "code_.py", code, tests, context)
    assert after.metadata["operator"] == before.metadata["operator"] == "arithmetic"
    assert after.metadata["rank"] < before.metadata["rank"]


@pytest.mark.slow
async def test_an_endless_loop_is_ended_and_repaired(tmp_path: Path) -> None:
    code = "def down(n):\n    steps = 0\n    while n > 0:\n        n += 2\n        steps += 1\n    return steps\n"
    tests = "from down import down\n\n\ndef test_down():\n    assert down(4) == 2\n"
    lesson = MemoryEntry(
        "p", "m", "mutation operator 'arithmetic' for Timeout, line 9: ..."
    )  # most others loop as well
    context = RunContext(run_id="run", prompt="prompt", lessons=(lesson,))
    result = await repaired(tmp_path, "down.py", code, tests, context)
    assert result.content == code.replace("n += 2", "n -= 2")
    assert result.metadata["failure"] == "Timeout"


@pytest.mark.slow
async def test_a_module_that_cannot_be_imported_is_repaired_too(tmp_path: Path) -> None:
    code = "SIZES = [1, 2, 3]\nLAST = SIZES[3]\n\n\ndef last():\n    return LAST\n"
    tests = "from sizes import last\n\n\ndef test_last():\n    assert last() == 3\n"
    result = await repaired(tmp_path, "sizes.py", code, tests)
    assert result.content == code.replace("SIZES[3]", "SIZES[2]")
    assert result.metadata["failure"] == "CollectionError"


@pytest.mark.slow
async def test_a_file_that_the_projects_conftest_loads_is_repaired_too(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("import helper\nimport bound\n")
    (tmp_path / "helper.py").write_text("import bound\nADULT = bound.is_adult\n")
    tests = "from helper import ADULT\n\n\ndef test_it():\n    assert ADULT(18) and not ADULT(17)\n"
    result = await repaired(tmp_path, "bound.py", BOUND, tests)
    assert result.content == BOUND.replace("> 18", ">= 18")


@pytest.mark.parametrize("ending", ["os._exit(0)", "pytest.exit('enough', 0)"])
@pytest.mark.slow
async def test_an_edit_that_ends_the_tests_early_is_rejected(tmp_path: Path, ending: str) -> None:
    # the smallest edit of the condition ends the process; the one after it is right
    code = f"import os\nimport sys\nimport pytest\n\n\ndef f(a):\n    if a > 4:\n        {ending}\n    return a > 3\n"
    tests = "from early import f\n\n\ndef test_it():\n    assert f(3)\n    assert not f(2)\n    assert f(4)\n"
    result = await repaired(tmp_path, "early.py", code, tests)
    assert result.content == code.replace("a > 3", "a >= 3")


@pytest.mark.slow
async def test_the_tests_that_failed_run_first_in_a_trial(tmp_path: Path) -> None:
    class Jobs(Counting):
        firsts: list[object] = []

        async def run(self, job: ToolJob) -> ToolRun:
            for name, content in job.files.items():
                if name.endswith("mutants.in.json"):
                    self.firsts.append(json.loads(content)["first"])
            return await super().run(job)

    tests = "from bound import is_adult\n\n\ndef test_a():\n    pass\n\n\ndef test_b():\n    assert is_adult(18)\n"
    executor = Jobs()
    await repaired(tmp_path, "bound.py", BOUND, tests, executor=executor)
    assert executor.firsts
    assert all(first == ["test_it.py::test_b"] for first in executor.firsts)


async def test_edits_that_make_tests_disappear_do_not_count(tmp_path: Path) -> None:
    code = "CASES = 1\n\n\ndef value():\n    return 'a'\n"
    tests = (
        "import pytest\nimport cases\n\n\n@pytest.mark.parametrize('n', range(cases.CASES))\n"
        "def test_it(n):\n    assert cases.value() == 'b'\n\n\ndef test_other():\n    pass\n"
    )
    assert "makes all 2 tests pass" in await refused(reviser(tmp_path, "cases.py", tests), code)


async def test_a_bug_beyond_small_edits_is_left_with_the_number_of_those_that_were_tried(tmp_path: Path) -> None:
    said = await refused(reviser(tmp_path, "bound.py", BOUND_TESTS), "def is_adult(age):\n    return None\n")
    assert re.search(r"none of \d+ small edits", said)


async def test_no_more_edits_are_tried_than_allowed(tmp_path: Path) -> None:
    assert "none of 1 small edits" in await refused(
        reviser(tmp_path, "bound.py", BOUND_TESTS, max_tries=1), WRONG.replace("largest", "is_adult")
    )


async def test_it_ends_when_the_time_is_over(tmp_path: Path) -> None:
    context = RunContext(run_id="run", prompt="prompt", deadline=asyncio.get_running_loop().time() + 0.01)
    with pytest.raises((Declined, ToolError)):
        await reviser(tmp_path, "bound.py", BOUND_TESTS).revise(Candidate(BOUND), FAILING, context)


@pytest.mark.slow
async def test_a_test_with_subtests_counts_once(tmp_path: Path) -> None:
    tests = (
        "import unittest\nfrom bound import is_adult\n\n\nclass TestIt(unittest.TestCase):\n"
        "    def test_young(self):\n        for age in range(3):\n            with self.subTest(age=age):\n"
        "                self.assertFalse(is_adult(age))\n\n"
        "    def test_grown(self):\n        self.assertTrue(is_adult(18))\n        self.assertTrue(is_adult(19))\n"
    )
    result = await repaired(tmp_path, "bound.py", BOUND, tests)
    assert result.content == BOUND.replace("> 18", ">= 18")
    assert result.metadata["tests"] == 2


@pytest.mark.slow
async def test_a_test_that_is_too_slow_only_while_its_lines_are_recorded_is_not_taken_for_failing(
    tmp_path: Path,
) -> None:
    tests = (
        "import time\nfrom bound import is_adult, is_old\n\n\ndef test_slow():\n    assert is_old(99)\n"
        "    time.sleep(2.1)\n\n\ndef test_it():\n    assert is_adult(18)\n    assert not is_adult(17)\n"
    )
    failing = FAILING.replace(issues=(Issue("it fails", kind="test", rule="test_it.py::test_it"),))
    code = f"{BOUND}\n\ndef is_old(age):\n    return age > 80\n"
    result = await reviser(tmp_path, "bound.py", tests).revise(Candidate(code), failing, CONTEXT)
    assert result.content == code.replace("> 18", ">= 18")
    assert "2 of 2 pass" in (result.reasoning or "")


async def test_without_a_failing_test_there_is_nothing_to_do_and_nothing_runs(tmp_path: Path) -> None:
    executor = Counting()
    made = reviser(tmp_path, "bound.py", BOUND_TESTS, executor=executor)
    assert await refused(made, BOUND, CritiqueResult(severity=0.5, issues=["x"])) == "no test fails"
    assert executor.ran == []
    assert "no test fails when" in await refused(made, BOUND.replace(">", ">="))


async def test_tests_are_never_changed(tmp_path: Path) -> None:
    assert "is a test file" in await refused(reviser(tmp_path, "test_it.py", BOUND_TESTS), BOUND_TESTS)


async def test_a_text_that_does_not_parse_is_left_alone(tmp_path: Path) -> None:
    assert "does not parse" in await refused(reviser(tmp_path, "bound.py", BOUND_TESTS), "def f(:\n")


@pytest.mark.slow
async def test_a_winner_passes_a_plain_run_of_the_tests_as_well(tmp_path: Path) -> None:
    executor = Counting()
    await repaired(tmp_path, "bound.py", BOUND, BOUND_TESTS, executor=executor)
    assert executor.ran[0] == "pytest_spectrum.py"
    assert {"pytest_mutants.py"} <= set(executor.ran[1:-1]) <= {"pytest_mutants.py", "pytest_behaviours.py"}
    assert executor.ran[-1] == "pytest_json.py"


@pytest.mark.slow
async def test_a_refusal_says_when_edits_passed_only_while_they_were_tried(tmp_path: Path) -> None:
    while_tried = "import sys\n\n\ndef test_when():\n    assert any('mutants' in word for word in sys.orig_argv)\n"
    why = await refused(reviser(tmp_path, "bound.py", BOUND_TESTS + while_tried), BOUND)
    assert "passed when tried, but not in a plain run of the tests" in why


@pytest.mark.parametrize(
    "options", [{"max_tries": 0}, {"max_lines": 0}, {"max_parallel": 0}, {"max_seconds": 0.0}, {"tests": COMPILE}]
)
def test_arguments_that_cannot_work_are_refused_at_once(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        MutationReviser(root=tmp_path, replaces="a.py", **options)


@pytest.mark.slow
async def test_the_user_sees_other_passing_edits_and_an_input_on_which_they_differ(tmp_path: Path) -> None:
    code = "def area(a, b):\n    return a + b\n"
    tests = "from area import area\n\n\ndef test_area():\n    assert area(3, 2) == 6\n"
    result = await repaired(tmp_path, "area.py", code, tests)
    others = result.metadata["others"]
    assert result.metadata["chosen_from"] == len(others) + 1 >= 2
    assert any({"input", "chosen", "other"} <= set(one) for one in others)
    assert "; check what you want where they differ: `area(" in (result.reasoning or "")


@pytest.mark.slow
async def test_a_refusal_names_the_edit_that_came_farthest(tmp_path: Path) -> None:
    code = "def f(a):\n    return a > 3, a > 5\n"
    tests = (
        "from far import f\n\n\ndef test_f():\n    assert f(3)[0]\n    assert not f(2)[0]\n\n\n"
        "def test_g():\n    assert f(5)[1]\n    assert not f(4)[1]\n"
    )
    said = await refused(reviser(tmp_path, "far.py", tests), code)
    assert "the best attempt, line 2: `return a > 3, a > 5` to `return a " in said
    assert "makes 1 of 2 failing tests pass" in said


SHOP = (
    "def discount(total):\n    if total > 100:\n        return total * 0.9\n    return total\n\n\n"
    "def shipping(total):\n    if total < 50:\n        return 0\n    return 5\n"
)
SHOP_TESTS = (
    "from shop import discount, shipping\n\n\n"
    "def test_discount():\n    assert discount(99) == 99\n    assert discount(100) == 90\n\n\n"
    "def test_shipping():\n    assert shipping(60) == 0\n"
)


@pytest.mark.slow
async def test_tests_that_fail_for_separate_causes_are_repaired_one_after_the_other(tmp_path: Path) -> None:
    made = reviser(tmp_path, "shop.py", SHOP_TESTS)
    failing = [
        Issue("it fails", kind="test", rule=f"test_it.py::{name}") for name in ("test_discount", "test_shipping")
    ]
    first = await made.revise(Candidate(SHOP), CritiqueResult(severity=0.9, issues=failing), CONTEXT)
    assert first.content == SHOP.replace("> 100", ">= 100")
    assert [one["rule"] for one in first.metadata["fixed"]] == ["test_it.py::test_discount"]
    assert "1 of 2 pass; 1 still fail, elsewhere in the file" in (first.reasoning or "")
    second = await made.revise(first, CritiqueResult(severity=0.9, issues=failing[1:]), CONTEXT)
    assert second.content == first.content.replace("< 50", "> 50")
    assert "1 of 1 pass" not in (second.reasoning or "")
    assert "2 of 2 pass" in (second.reasoning or "")


@pytest.mark.slow
async def test_a_test_whose_name_begins_like_that_of_another_cause_is_not_passed_over(tmp_path: Path) -> None:
    tests = SHOP_TESTS.replace("def test_shipping", "def test_discount_or_shipping")
    made = reviser(tmp_path, "shop.py", tests)
    first = await made.revise(Candidate(SHOP), FAILING, CONTEXT)
    assert (await made.revise(first, FAILING, CONTEXT)).content == SHOP.replace("> 100", ">= 100").replace(
        "< 50", "> 50"
    )


async def test_all_causes_together_take_no_more_tries_than_allowed(tmp_path: Path) -> None:
    code = SHOP.replace("total * 0.9", "total * 0.7").replace("< 50", "< 7 - 7 * 7")
    said = await refused(reviser(tmp_path, "shop.py", SHOP_TESTS, max_tries=10, max_parallel=1), code)
    assert "none of 10 " in said
    assert "none of 0 " in said


@pytest.mark.slow
async def test_one_wrong_line_that_runs_on_import_explains_failures_that_share_no_other(tmp_path: Path) -> None:
    code = "LIMIT = 9\n\n\ndef is_low(a):\n    return a < LIMIT\n\n\ndef is_high(a):\n    return a >= LIMIT\n"
    tests = (
        "from limits import is_high, is_low\n\n\ndef test_low():\n    assert is_low(9)\n    assert not is_low(10)\n\n\n"
        "def test_high():\n    assert is_high(10)\n    assert not is_high(9)\n"
    )
    result = await repaired(tmp_path, "limits.py", code, tests)
    assert result.content == code.replace("LIMIT = 9", "LIMIT = 10")


@pytest.mark.slow
async def test_a_condition_that_tests_do_not_need_is_reported_and_changed_rather_than_removed(
    tmp_path: Path,
) -> None:
    code = SHOP[SHOP.index("def shipping") :]
    tests = "from shop import shipping\n\n\ndef test_shipping():\n    assert shipping(60) == 0\n"
    result = await repaired(tmp_path, "shop.py", code, tests)
    assert result.content == code.replace("< 50", "> 50")
    assert "would also pass with its condition always true or always false" in (result.reasoning or "")
    assert result.metadata["is_condition_tested"] is False
    needed = await repaired(tmp_path, "shop.py", code, f"{tests}\n\ndef test_small():\n    assert shipping(49) == 5\n")
    assert needed.content == result.content
    assert needed.metadata["is_condition_tested"] is True


@pytest.mark.slow
async def test_an_edit_that_is_too_uncertain_is_not_made_but_told(tmp_path: Path) -> None:
    made = reviser(tmp_path, "bound.py", BOUND_TESTS, min_certainty=1.0)
    said = await refused(made, BOUND)
    found = re.search(r"is only (\d+)% certain to be right, and is not made: line \d+, `.+` to `.+`", said)
    assert found is not None
    assert 0 < int(found[1]) < 100
    won = await repaired(tmp_path, "bound.py", BOUND, BOUND_TESTS, min_certainty=0.0)
    assert won.metadata["certainty"] == pytest.approx(int(found[1]) / 100, abs=0.01)


WAYS = "def fare(age, trips):\n    price = 3 * trips\n    fee = 2 * age\n    return price + fee\n"
WAYS_TESTS = "from ways import fare\n\n\ndef test_it():\n    assert fare(2, 2) == 8\n"


@pytest.mark.slow
async def test_where_edits_of_several_lines_make_the_one_failing_test_pass_none_is_made(tmp_path: Path) -> None:
    said = await refused(reviser(tmp_path, "ways.py", WAYS_TESTS, min_certainty=0.8), WAYS)
    assert re.search(r"the best of \d+ edits that pass all tests, of \d+ tried, is only \d\d% certain", said)
    assert re.search(r"where they differ: `fare\(.+?\)` gives `.+?`, and `.+?` with `.+`", said)
    assert "One more test" in said
    more = f"{WAYS_TESTS}\n\ndef test_other():\n    assert fare(1, 5) == 12\n"
    told = await repaired(tmp_path, "ways.py", WAYS, more, min_certainty=0.8)
    assert told.content == WAYS.replace("3 * trips", "2 * trips")


@pytest.mark.slow
async def test_another_wave_is_tried_after_an_edit_that_makes_only_one_failing_test_pass(tmp_path: Path) -> None:
    wave = reviser(tmp_path, "bound.py", BOUND_TESTS).wave(0)
    known = "known = [(age, 18 * age, age - 1), (len(str(age)), age + 18)]"
    code = BOUND.replace("    return", f"    {known}\n    return")
    one = await repaired(tmp_path, "bound.py", code, BOUND_TESTS)
    assert one.metadata["rank"] <= wave < one.metadata["tried"]
    several = await repaired(tmp_path, "bound.py", code.replace(">", "<="), BOUND_TESTS)
    assert several.metadata["tried"] <= wave


@pytest.mark.parametrize("certain", [-0.1, 1.1, float("nan")])
def test_a_certainty_outside_of_0_to_1_is_refused(tmp_path: Path, certain: float) -> None:
    with pytest.raises(ConfigurationError, match="min_certainty must be in"):
        reviser(tmp_path, "bound.py", BOUND_TESTS, min_certainty=certain)
