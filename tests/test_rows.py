"""Every row of the specification has a test or a reason, and the page that says so is true."""

from __future__ import annotations

import ast
import re

from rows import COUNTS, LEFT_OUT, PAGE, ROOT, _marks, marked, page, rows

MARKS = marked()
ROWS = rows(MARKS)


def test_the_table_has_every_row_once() -> None:
    wanted = {f"{letter}{number}" for letter, count in COUNTS.items() for number in range(1, count + 1)}
    assert sorted(row.id for row in ROWS) == sorted(wanted)
    assert all(1 <= len(row.title.split()) <= 10 for row in ROWS)


def test_every_row_has_a_test_or_a_reason() -> None:
    assert [row.id for row in ROWS if not row.tests and not row.left_out] == []


def test_a_row_with_a_test_says_where_it_lives_and_all_named_paths_exist() -> None:
    assert [row.id for row in ROWS if row.tests and not row.where] == []
    assert [path for row in ROWS for path in row.where if not (ROOT / "jido_ai" / path).is_file()] == []


def test_marks_and_reasons_name_rows_that_exist() -> None:
    known = {row.id for row in ROWS}
    assert set(MARKS) <= known
    assert set(LEFT_OUT) <= known


def test_the_page_is_what_the_marks_say() -> None:
    assert PAGE.read_text("utf-8") == page(ROWS), "renew it: python tests/rows.py"


def test_no_mark_is_overlooked() -> None:
    for path in (ROOT / "tests").rglob("test_*.py"):
        if path.name != "test_rows.py":
            source = path.read_text("utf-8")
            read = [test for test, ids in _marks(ast.parse(source)) if test and ids]
            assert len(read) == len(re.findall(r"^ *@pytest\.mark\.rows\(", source, re.MULTILINE)), path


def test_marks_are_read_from_decorators_and_from_pytestmark() -> None:
    source = """
pytestmark = [pytest.mark.slow, pytest.mark.rows("H1")]
@pytest.mark.parametrize("a", [1])
@pytest.mark.rows("H2", "H3")
async def test_a(a): ...
@pytest.mark.slow
def test_b(): ...
"""
    found = [(test, ids) for test, ids in _marks(ast.parse(source)) if ids]
    assert found == [("", ["H1"]), ("::test_a", ["H2", "H3"])]
