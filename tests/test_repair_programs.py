"""The programs of the repair benchmark are what they claim: one wrong line that some visible tests show."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

SETS: Any = importlib.import_module("repair_programs").SETS  # the benchmarks are no package
_MOST_LINES = 500_000
OURS: Any = (*SETS["tune"], *SETS["report"], *SETS["app"])


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
                _run(test)
                passed += 1
            except (Exception, pytest.fail.Exception):  # a program with a bug may raise anything
                failed += 1
    return passed, failed


def _run(test: Callable[[], object]) -> None:
    """Run a test; one that goes on for more than 500,000 lines fails: a bug may make a loop endless."""
    left = _MOST_LINES

    def watch(*_: object) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise RuntimeError("endless")
        return watch

    sys.settrace(watch)
    try:
        test()
    finally:
        sys.settrace(None)


def test_twelve_sets_hold_400_programs_with_one_wrong_place_each() -> None:
    programs = [program for some in SETS.values() for program in some]
    assert (len(SETS), len(programs)) == (12, 400)
    for program in programs:
        broken = program.beside or program.code
        assert broken.count(program.wrong) == 1
        assert ast.dump(ast.parse(broken)) != ast.dump(ast.parse(broken.replace(program.wrong, program.right)))


@pytest.mark.parametrize("program", OURS, ids=[program.name for program in OURS])
def test_some_visible_tests_show_the_bug_and_all_tests_pass_without_it(program: Any) -> None:
    passed, failed = _failures(program.code, program.visible_tests)
    assert passed >= 1
    assert failed >= 1
    assert _failures(program.code, program.hidden_tests)[1] >= 1
    for tests in (program.visible_tests, program.hidden_tests):
        passed, failed = _failures(program.fixed, tests)
        assert passed >= 1
        assert failed == 0
