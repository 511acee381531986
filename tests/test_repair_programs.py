"""The programs of the repair benchmark are what they claim: one wrong line that some visible tests show."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

repairs: Any = importlib.import_module("repairs")  # the benchmarks are no package
PAIRS: Any = importlib.import_module("repairs.pairs").PAIRS
PROGRAMS = (*repairs.TUNE, *repairs.REPORT)


def _failures(code: str, tests: str) -> tuple[int, int]:
    """Return the number of tests that pass and that fail."""
    module: dict[str, object] = {}
    exec(compile(code, "program.py", "exec"), module)
    lines = tests.replace("from program import *", "")
    space = {"__name__": "tests", **module}
    exec(compile(lines, "test_program.py", "exec"), space)
    passed = failed = 0
    for name, test in list(space.items()):
        if name.startswith("test_") and callable(test):
            try:
                test()
                passed += 1
            except (Exception, pytest.fail.Exception):  # a program with a bug may raise anything
                failed += 1
    return passed, failed


def test_forty_programs_in_six_kinds_are_split_in_halves() -> None:
    assert len(repairs.KINDS) == 6
    assert (len(repairs.TUNE), len(repairs.REPORT)) == (20, 20)
    assert len({program.name for program in PROGRAMS}) == 40


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_some_visible_tests_show_the_bug_and_all_tests_pass_without_it(program: Any) -> None:
    assert program.code.count(program.wrong) == 1
    ast.parse(program.code)
    passed, failed = _failures(program.code, program.visible_tests)
    assert passed >= 1
    assert failed >= 1
    assert _failures(program.code, program.hidden_tests)[1] >= 1
    for tests in (program.visible_tests, program.hidden_tests):
        passed, failed = _failures(program.fixed, tests)
        assert passed >= 1
        assert failed == 0


@pytest.mark.parametrize("name", PAIRS)
def test_a_list_of_pairs_has_one_slip_per_function_and_its_fix(name: str) -> None:
    assert len({title for title, *_ in PAIRS[name]}) == len(PAIRS[name]) >= 160
    for _, code, wrong, right in PAIRS[name]:
        assert code.count(wrong) == 1
        assert ast.dump(ast.parse(code)) != ast.dump(ast.parse(code.replace(wrong, right, 1)))
