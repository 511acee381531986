"""The class of a failure, from the output of Python, pytest and other tools; the reflection without a model."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
import traceback
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from failing_programs import PROGRAMS
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.reflection.diagnosis import DIAGNOSES, classify_error, diagnose
from jido_ai.values import ErrorClass, Outcome, Reflection

CASES = [(code, error_class) for error_class, programs in PROGRAMS.items() for code in programs]


def traceback_of(code: str) -> str:
    """Run a program and return the traceback at its end."""
    try:
        exec(compile(code, "program.py", "exec"), {"__name__": "program", "__package__": ""})
    except BaseException as error:
        return "".join(traceback.format_exception(error))
    pytest.fail(f"did not fail: {code}")


@pytest.mark.rows("H37", "R5")
@pytest.mark.filterwarnings("ignore")
def test_two_hundred_python_failures_are_put_in_the_right_class() -> None:
    assert len(CASES) >= 200
    found = [(code, wanted, classify_error(traceback_of(code))) for code, wanted in CASES]
    gc.collect()  # leftovers of the programs warn here, not in a later test
    wrong = [case for case in found if case[1] is not case[2]]
    assert len(wrong) <= 0.03 * len(CASES), wrong


def test_the_last_lines_that_pytest_prints_are_read_as_well(tmp_path: Path) -> None:
    chosen = [case for case in CASES if "\n" not in case[0]][::3]
    tests = "\n".join(f"def test_{number}():\n    {code}\n" for number, (code, _) in enumerate(chosen))
    tests = tests.replace("    from . import sibling", "    import no_such_sibling")
    (tmp_path / "test_programs.py").write_text(tests)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-rN"]
    run = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, check=False, timeout=150)
    reports = re.split(r"^_{3,} (test_\d+) _{3,}$", run.stdout, flags=re.MULTILINE)[1:]
    found = {name: classify_error(text) for name, text in zip(reports[::2], reports[1::2], strict=True)}
    assert len(found) >= 0.95 * len(chosen), run.stdout[-3000:]
    wrong = [
        (code, found[f"test_{number}"])
        for number, (code, wanted) in enumerate(chosen)
        if found.get(f"test_{number}", wanted) is not wanted
    ]
    assert len(wrong) <= 0.03 * len(chosen), wrong


@pytest.mark.rows("H23", "H24", "H25", "H26", "H27", "H28", "H29", "H30", "H31", "H32", "H33", "H34")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("main.go:3: syntax error: unexpected newline", "compile"),
        ("undefined: foo", "compile"),
        ("expected 3, got 4", "assertion"),
        ("values are not equal", "assertion"),
        ("context deadline exceeded", "timeout"),
        ("invalid memory address or nil pointer dereference", "nil"),
        ("segmentation fault (core dumped)", "nil"),
        ("index out of range [5] with length 3", "index"),
        ("403 Forbidden", "permission"),
        ("missing dependency: left-pad", "import"),
        ("incompatible operand", "type"),
        ("all goroutines are asleep - deadlock!", "concurrency"),
        ("DATA RACE in worker", "concurrency"),
        ("OOM killed", "memory"),
        ("the weather is bad", "unknown"),
        ("", "unknown"),
        ("   \n ", "unknown"),
    ],
)
def test_a_message_of_another_language_is_read_by_its_words(text: str, wanted: str) -> None:
    assert classify_error(text) == wanted


@pytest.mark.rows("H37")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Traceback (most recent call last):\n  something", "unknown"),  # holds "race"
        ("[TestGotcha] he forgot it", "unknown"),  # hold "got"
        ("the broadcast in the room", "unknown"),  # hold "cast" and "oom"
        ("NameError: name 'x' is not defined", "compile"),
        ("TypeError: 'NoneType' object is not iterable", "nil"),
        ("'NoneType' object has no attribute 'x'", "nil"),  # str(error): without the name
    ],
)
def test_words_count_at_their_boundaries_and_names_before_words(text: str, wanted: str) -> None:
    assert classify_error(text) == wanted


def test_the_last_of_chained_errors_decides() -> None:
    chained = traceback_of("try:\n    {}['a']\nexcept KeyError as error:\n    raise PermissionError('no') from error")
    assert "KeyError" in chained
    assert classify_error(chained) is ErrorClass.PERMISSION


def test_the_errors_within_a_group_decide() -> None:
    group = traceback_of("raise ExceptionGroup('several', [ValueError('a'), TimeoutError('b')])")
    assert classify_error(group) is ErrorClass.TIMEOUT


@pytest.mark.rows("H37")
def test_a_label_in_front_is_not_read() -> None:
    assert classify_error("[test_import_of_types] expected 3 got 4") is ErrorClass.ASSERTION


@pytest.mark.parametrize("empty", ["\n", " \n", "\t\n\n", "\r\n", "\n\v\n"])
def test_empty_lines_are_passed_over_however_many(empty: str) -> None:
    """Searching each of them to the last one would take longer than a test may."""
    for _ in range(6):
        assert classify_error(f"ValueError: a\n{20_000 * empty}x[") is ErrorClass.UNKNOWN
    assert classify_error(f"{5_000 * empty}IndexError: list index out of range") is ErrorClass.INDEX


def test_a_test_whose_name_is_full_of_brackets_is_read() -> None:
    assert classify_error(f"FAILED a.py::{200 * 'x['} - IndexError: x") is ErrorClass.INDEX


def test_a_long_text_is_read_from_its_end() -> None:
    assert classify_error("TimeoutError: x\n" + "frame\n" * 10_000 + "IndexError: list index out of range") == "index"


@given(st.text())
def test_any_text_has_a_class(text: str) -> None:
    assert classify_error(text) in ErrorClass


@pytest.mark.rows("H35")
def test_every_class_has_its_own_cause_description_and_fix() -> None:
    assert set(DIAGNOSES) == set(ErrorClass)
    for field in ("root_cause", "problem", "fix"):
        assert len({getattr(diagnosis, field) for diagnosis in DIAGNOSES.values()}) == len(ErrorClass)


@pytest.mark.rows("H24", "H25", "H26", "H27", "H28", "H29", "H30", "H31", "H32", "H33", "H34")
@pytest.mark.parametrize(
    ("error_class", "confidence"),
    [
        ("compile", 0.6), ("assertion", 0.5), ("timeout", 0.5), ("nil", 0.6), ("index", 0.6), ("permission", 0.4),
        ("import", 0.6), ("type", 0.5), ("concurrency", 0.4), ("memory", 0.4), ("unknown", 0.3),
    ],
)  # fmt: skip
def test_the_confidence_of_a_class_is_the_documented_one(error_class: str, confidence: float) -> None:
    assert DIAGNOSES[ErrorClass(error_class)].confidence == confidence


# -- the reflection --------------------------------------------------------------------------------


@pytest.mark.parametrize("junk", [None, 3, b"IndexError", ["IndexError"]])
def test_a_value_that_is_not_a_text_has_no_class(junk: Any) -> None:
    with pytest.raises(ConfigurationError, match="classify_error"):
        classify_error(junk)


TELLING = {
    ErrorClass.COMPILE: "SyntaxError: invalid syntax",
    ErrorClass.ASSERTION: "expected 3, got 4",
    ErrorClass.TIMEOUT: "the test timed out",
    ErrorClass.NIL: "TypeError: 'NoneType' object is not iterable",
    ErrorClass.INDEX: "IndexError: list index out of range",
    ErrorClass.PERMISSION: "403 Forbidden",
    ErrorClass.IMPORT: "ModuleNotFoundError: No module named 'x'",
    ErrorClass.TYPE: "incompatible operand",
    ErrorClass.CONCURRENCY: "all goroutines are asleep - deadlock!",
    ErrorClass.MEMORY: "MemoryError",
    ErrorClass.NETWORK: "ConnectionResetError: [Errno 104]",
    ErrorClass.LLM: "RateLimitError: slow down",
    ErrorClass.TOOL: "CalledProcessError: it failed",
    ErrorClass.VALIDATION: "ValueError: x",
    ErrorClass.UNKNOWN: "it broke",
}
"""A text of each class, in the order of the table."""


@pytest.mark.rows("H23")
@given(st.permutations([*TELLING, *TELLING]), st.integers(1, 30))
def test_the_first_row_of_the_table_decides_for_several_issues_in_any_order(
    classes: list[ErrorClass], count: int
) -> None:
    some = classes[:count]
    wanted = next(one for one in TELLING if one in some)
    reflection = diagnose([TELLING[one] for one in some])
    assert (reflection.error_class, reflection.source) == (wanted, "fallback")
    assert reflection.confidence == DIAGNOSES[wanted].confidence
    assert reflection.problem.endswith(f"The error says: {TELLING[wanted]}")


@pytest.mark.rows("H23")
def test_the_words_of_one_text_and_several_texts_are_ranked_by_one_table() -> None:
    words = (
        "undeclared", "mismatch", "deadline", "null pointer", "out of bounds", "forbidden", "dependency",
        "incompatible", "goroutine", "oom", "unreachable", "llm", "exit status", "required field",
    )  # fmt: skip
    assert [classify_error(word) for word in words] == [one for one in DIAGNOSES if one is not ErrorClass.UNKNOWN]
    for first, second in combinations(words, 2):
        assert classify_error(f"{second} {first}") is classify_error(first)
        assert diagnose([second, first]).error_class is classify_error(first)


def test_the_first_text_of_the_class_that_decides_is_quoted() -> None:
    errors = ["TypeError: x", "it broke", "IndexError: one", "IndexError: two"]
    assert diagnose(errors).problem.endswith("The error says: IndexError: one")
    assert diagnose(["it broke", "", "it fell over"]).problem.endswith("The error says: it broke")
    assert diagnose(["", "it fell over"]).problem.endswith("The error says: it fell over")


@pytest.mark.rows("H34")
def test_without_errors_there_is_still_a_reflection() -> None:
    reflection = diagnose([])
    assert (reflection.error_class, reflection.confidence) == (ErrorClass.UNKNOWN, 0.3)
    assert reflection.lesson


@pytest.mark.rows("H36")
def test_priors_lower_the_confidence_once_and_the_newest_is_called_not_enough() -> None:
    priors = [Reflection("try this"), Reflection("try that")]
    reflection = diagnose(["IndexError: x"], priors)
    assert reflection.confidence == pytest.approx(0.54)
    assert "not enough" in reflection.lesson
    assert "try th" not in reflection.lesson  # the advice of one reflection is not quoted inside the next
    assert reflection.metadata["insufficient"] == "try that"


def test_a_success_is_not_called_a_failure() -> None:
    praise = diagnose([], [Reflection("what was done")], Outcome.SUCCESS)
    assert praise.problem == "The attempt succeeded."
    assert "not enough" not in praise.lesson
    assert "failed" not in praise.lesson
    assert (praise.error_class, praise.confidence) == (ErrorClass.UNKNOWN, 0.3)
    assert diagnose(["IndexError: x"], (), Outcome.SUCCESS).error_class is ErrorClass.INDEX


def test_quotes_are_bounded() -> None:
    reflection = diagnose(["ValueError: " + "x" * 100_000], [Reflection("y" * 100_000)])
    assert len(reflection.problem) < 1_000
    assert len(reflection.lesson) < 1_000


@given(st.lists(st.text(), max_size=5), st.integers(0, 3))
def test_it_never_fails(errors: list[str], priors: int) -> None:
    assert diagnose(errors, [Reflection("x")] * priors).lesson
