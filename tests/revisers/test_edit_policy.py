"""The edits that `jido improve` makes by default."""

from __future__ import annotations

import pytest

from jido_ai.revisers.edit_policy import CarefulEdits, imported_name, keeps_state
from jido_ai.revisers.halving import unit_name
from jido_ai.tools.reports.linters import RuffDiagnostic, RuffFix, SourcePos


def finding(code: str, row: int = 1, column: int = 1, applicability: str | None = "safe") -> RuffDiagnostic:
    fix = None if applicability is None else RuffFix(applicability=applicability, edits=())  # type: ignore[arg-type]
    return RuffDiagnostic(code=code, message=f"{code}!", location=SourcePos(row=row, column=column), fix=fix)


def policy(why: str | None = None, **options: object) -> CarefulEdits:
    return CarefulEdits(lambda _name, _row: why, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("code", ["W605", "F541"])
def test_edits_that_cannot_change_a_program_are_made(code: str) -> None:
    assert policy().hold_back("x = 1\n", finding(code)) is None


@pytest.mark.parametrize("code", ["B006", "E711", "E722", "F841", "F811", "F632", "UP006", "SIM105", "C401"])
def test_edits_that_may_change_one_are_held_back_with_the_reason(code: str) -> None:
    why = policy().hold_back("x = 1\n", finding(code, applicability="unsafe"))
    assert why is not None
    assert why.startswith("unsafe: ")


def test_requested_unsafe_edits_are_made() -> None:
    assert policy(unsafe=True).hold_back("x = a == None\n", finding("E711", applicability="unsafe")) is None


def test_rules_of_the_project_are_fixed_if_ruff_marks_the_fix_as_safe() -> None:
    text = "import b\nimport a\n"
    assert policy(has_own_rules=True).hold_back(text, finding("I001")) is None
    assert policy().hold_back(text, finding("I001")) is not None
    assert policy(has_own_rules=True).hold_back(text, finding("B006", applicability="unsafe")) is not None
    assert policy(has_own_rules=True).hold_back(text, finding("E711")) is not None  # ours are stricter


def test_edits_for_newer_pythons_than_the_declared_one_are_held_back() -> None:
    old = policy(has_own_rules=True, minimum=(3, 5))
    assert "3.5" in str(old.hold_back("x = 1\n", finding("UP032")))
    assert old.hold_back("x = f''\n", finding("F541")) is None
    assert policy(has_own_rules=True, minimum=(3, 9)).hold_back("x = 1\n", finding("UP032")) is None


def test_an_edit_whose_lines_passing_tests_run_is_made_unless_it_looks_deliberate() -> None:
    plain = "def f(a):\n    return a == None\n"
    noted = "def f(a):\n    # columns overload ==\n    return a == None\n"
    for text, row, is_held in ((plain, 2, False), (noted, 3, True)):
        one = finding("E711", row, applicability="unsafe")
        covered = policy(covered={unit_name(text, "E711", one.message, row)})
        assert (covered.hold_back(text, one) is not None) is is_held


def test_an_unused_variable_is_removed_only_on_request() -> None:
    one = finding("F841", 1, applicability="unsafe")
    covered = policy(covered={unit_name("x = f()\n", "F841", one.message, 1)})
    assert covered.hold_back("x = f()\n", one) is not None


@pytest.mark.parametrize(
    ("text", "keeps"),
    [
        ("def f(a, seen=[]):\n    seen.append(a)\n", True),
        ("def f(a, seen={}):\n    seen[a] = 1\n", True),
        ("def f(a, *, seen={}):\n    seen.setdefault(a, 1)\n", True),
        ("def f(a, seen=[]):\n    return seen\n", True),
        ("def f(a, seen=[]):\n    g(seen)\n", True),
        ("def f(a, seen=[]):\n    self.seen = seen\n", True),
        ("def f(a, _running=set()):\n    return a in _running\n", True),
        ("def f(a, seen=[]):\n    for one in seen:\n        print(one)\n", False),
        ("def f(a, seen=[]):\n    return len(a)\n", False),
    ],
)
def test_a_default_shared_between_calls_is_distinguished_from_one_that_is_only_read(text: str, keeps: bool) -> None:
    assert keeps_state(text, 1) is keeps


def test_a_default_that_keeps_state_is_not_replaced_though_tests_run_it() -> None:
    text = "def f(a, seen=[]):\n    seen.append(a)\n    return len(seen)\n"
    one = finding("B006", 1, 15, "unsafe")
    covered = policy(covered={unit_name(text, "B006", one.message, 1)})
    assert covered.hold_back(text, one) == "unsafe: the default keeps state between calls"


@pytest.mark.parametrize(
    ("text", "row", "column", "name"),
    [
        ("import os.path\n", 1, 8, "os"),
        ("import os.path as p\n", 1, 8, "p"),
        ("from a import b as c, d\n", 1, 15, "c"),
        ("from a import b as c, d\n", 1, 23, "d"),
        ("é = 1; from a import b\n", 1, 22, "b"),
        ("x = 1\n", 1, 1, None),
    ],
)
def test_the_name_that_an_import_binds_is_known(text: str, row: int, column: int, name: str | None) -> None:
    assert imported_name(text, row, column) == name


def test_a_needed_import_stays() -> None:
    text = "import os\n"
    assert policy("pkg/user.py imports it").hold_back(text, finding("F401", 1, 8)) == "unsafe: pkg/user.py imports it"
    assert policy().hold_back(text, finding("F401", 1, 8)) is None


@pytest.mark.parametrize(
    "text",
    [
        "from fixtures import client\n\n\ndef test_it(client):\n    pass\n",
        "from shared import TestShared\n",
        "from shared import CommonTests\n",
    ],
)
def test_names_that_pytest_discovers_stay(text: str) -> None:
    column = text.index("import ") + len("import ") + 1
    assert policy().hold_back(text, finding("F401", 1, column)) is not None


def test_a_broken_file_is_fixed_only_if_it_was_named() -> None:
    broken = finding("invalid-syntax", applicability=None)
    assert policy().hold_back("x = (\n", broken) is None
    assert policy(is_named=False).hold_back("x = (\n", broken) is not None
    assert policy(minimum=(2, 7)).hold_back("print 'x'\n", broken) is not None


def test_a_result_that_is_another_program_is_a_fault() -> None:
    assert policy().fault("x = f'a'\n", "x = 'a'\n", ["F541"]) is None
    assert policy().fault("x = f'a'\n", "x = 'b'\n", ["F541"]) is not None
    assert policy().fault("import os\nx = 1\n", "x = 1\n", ["F401"]) is None
    assert policy().fault("import os\nx = 1\n", "x = 2\n", ["F401"]) is not None


def test_a_result_that_the_declared_python_does_not_know_is_a_fault() -> None:
    before, after = "x = 1\n", "match x:\n    case 1: pass\n"
    assert policy(minimum=(3, 8)).fault(before, after, ["X1"]) is not None
    assert policy(minimum=(3, 10)).fault(before, after, ["X1"]) is None
    assert policy(minimum=(3, 8)).fault(after, after, ["X1"]) is None


def test_a_reverted_edit_is_not_made_again() -> None:
    text, one = "x = f'a'\n", finding("F541")
    careful = policy()
    with careful.without([unit_name(text, "F541", one.message, 1)]):
        assert careful.hold_back(text, one) == "it was reverted"
    assert careful.hold_back(text, one) is None
    assert careful.held_back == {}
