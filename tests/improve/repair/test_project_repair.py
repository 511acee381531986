"""Failing tests of a project, repaired over its files, with the real pytest."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.improve.repair.project_repair import ProjectRepair
from jido_ai.improve.repair.repairs import TestRepairs
from jido_ai.tools.ready import PYTEST

QUICK = PYTEST.with_arguments("--disable-plugin-autoload")
FEES = "RATE, CAP = 0.25, 5\n\n\ndef fee(days):\n    return max(CAP, days * RATE)\n"
LOANS = "def overdue(dues, today):\n    return [d for d in dues if d <= today]\n"
TEST_FEES = (
    "from shelf.fees import fee\n\n\ndef test_small():\n    assert fee(2) == 0.5\n\n\n"
    "def test_capped():\n    assert fee(200) == 5\n"
)
TEST_LOANS = (
    "from shelf.loans import overdue\n\n\ndef test_not_on_the_day():\n    assert overdue([3], 3) == []\n\n\n"
    "def test_overdue():\n    assert overdue([3, 9], 5) == [3]\n"
)
SHELF = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["src"]\n',
    "src/shelf/__init__.py": "",
    "src/shelf/fees.py": FEES,
    "src/shelf/loans.py": LOANS,
    "tests/test_fees.py": TEST_FEES,
    "tests/test_loans.py": TEST_LOANS,
}


async def searched(root: Path, project: Mapping[str, str], **options: Any) -> TestRepairs:
    for path, text in project.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return await ProjectRepair(root, **{"tests": QUICK, "max_seconds": 300.0, **options}).run()


@pytest.mark.slow
async def test_two_bugs_in_two_files_with_their_own_tests_are_both_repaired(tmp_path: Path) -> None:
    found = await searched(tmp_path, SHELF)
    assert found.texts == {
        "src/shelf/fees.py": FEES.replace("max", "min"),
        "src/shelf/loans.py": LOANS.replace("<=", "<"),
    }
    assert (len(found.failing), found.passing, found.left) == (3, 1, ())
    assert (tmp_path / "src/shelf/fees.py").read_text() == FEES


FLAT = {
    "fees.py": FEES,
    "area.py": "def area(a, b):\n    return a + b\n",
    "test_fees.py": TEST_FEES.replace("shelf.fees", "fees"),
    "test_area.py": (
        "from area import area\n\n\ndef test_area():\n    assert area(3, 4) == 12\n    assert area(2, 5) == 10\n"
    ),
}


@pytest.mark.slow
async def test_modules_beside_their_tests_are_repaired_too(tmp_path: Path) -> None:
    found = await searched(tmp_path, FLAT)
    assert set(found.texts) == {"fees.py", "area.py"}
    assert found.left == ()


@pytest.mark.slow
async def test_two_bugs_in_one_file_are_both_repaired(tmp_path: Path) -> None:
    both = {
        "one.py": FEES + "\n\ndef area(a, b):\n    return a + b\n",
        "test_one.py": (
            "from one import area, fee\n\n\ndef test_fee():\n    assert fee(2) == 0.5\n    assert fee(200) == 5\n\n\n"
            "def test_area():\n    assert area(3, 4) == 12\n    assert area(2, 5) == 10\n"
        ),
    }
    found = await searched(tmp_path, both)
    assert found.texts["one.py"] == both["one.py"].replace("max", "min").replace("a + b", "a * b")
    assert found.left == ()


@pytest.mark.slow
async def test_a_bug_in_a_file_that_another_file_uses_is_found_where_it_is(tmp_path: Path) -> None:
    files = {
        "app/__init__.py": "",
        "app/prices.py": "def total(prices):\n    return max(prices)\n",
        "app/cart.py": (
            "from app.prices import total\n\n\ndef receipt(prices):\n    return f'total {total(prices)}'\n"
        ),
        "test_cart.py": (
            "from app.cart import receipt\n\n\ndef test_one():\n    assert receipt([3]) == 'total 3'\n\n\n"
            "def test_two():\n    assert receipt([3, 4]) == 'total 7'\n\n\ndef test_three():\n"
            "    assert receipt([1, 1, 5]) == 'total 7'\n"
        ),
    }
    found = await searched(tmp_path, files)
    assert found.texts == {"app/prices.py": "def total(prices):\n    return sum(prices)\n"}


@pytest.mark.slow
async def test_a_test_that_no_edit_repairs_does_not_hide_the_others_and_is_refused_with_numbers(tmp_path: Path) -> None:
    files = {
        **FLAT,
        "test_more.py": "from area import area\n\n\ndef test_odd():\n    assert area('x', 'y') == 'never'\n",
    }
    found = await searched(tmp_path, files)
    assert "fees.py" in found.texts
    (refused,) = [one for one in found.refusals if "test_more.py::test_odd" in one.tests]
    assert "edits tried" in refused.why


@pytest.mark.slow
async def test_edits_that_differ_on_some_input_are_asked_with_a_test_for_each_and_none_is_made(tmp_path: Path) -> None:
    files = {
        "age.py": "def is_adult(age):\n    return age < 18\n",
        "test_age.py": "from age import is_adult\n\n\ndef test_adult():\n    assert is_adult(40)\n\n\n"
        "def test_child():\n    assert not is_adult(5)\n",
    }
    found = await searched(tmp_path, files)
    (asked,) = found.repairs
    assert not asked.is_sure
    assert found.texts == {}
    assert {choice.after for choice in asked.choices} >= {"return age > 18", "return age >= 18"}
    assert all(choice.test.startswith("def test_choice():") for choice in asked.choices[:2])
    assert found.left == tuple(one.test for one in found.failing)


async def test_a_missing_dependency_ends_the_search(tmp_path: Path) -> None:
    found = await searched(tmp_path, {"test_it.py": "import no_such_dependency\n\n\ndef test_it():\n    pass\n"})
    assert "no_such_dependency is missing" in found.why
    assert found.repairs == found.refusals == ()


async def test_a_project_whose_tests_pass_is_left_alone(tmp_path: Path) -> None:
    found = await searched(tmp_path, {"test_it.py": "def test_it():\n    assert True\n"})
    assert (found.failing, found.passing, found.texts) == ((), 1, {})


async def test_only_the_named_files_may_change(tmp_path: Path) -> None:
    found = await searched(tmp_path, FLAT, files=["other.py"])
    assert found.texts == {}
    assert all("0 edits tried" in one.why for one in found.refusals)


def test_a_time_limit_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="time limit"):
        ProjectRepair(tmp_path, max_seconds=0.0)
