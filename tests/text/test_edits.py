"""Edits by row and column."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis.strategies import integers, sampled_from
from hypothesis.strategies import text as texts

from jido_ai.text.edits import Edit, apply_edits, moved_row, named_except, overlap


def test_an_edit_replaces_from_its_start_to_before_its_end() -> None:
    assert apply_edits("abc\ndef\n", [Edit(1, 2, 2, 2, "X")]) == "aXef\n"


def test_positions_of_edits_refer_to_the_original_text() -> None:
    edits = [Edit(2, 1, 3, 1, ""), Edit(1, 1, 1, 1, "new\n"), Edit(3, 1, 3, 2, "C")]
    assert apply_edits("a\nb\nc\n", edits) == "new\na\nC\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_ending_ends_a_row_and_is_kept(end: str) -> None:
    assert apply_edits(f"a{end}b{end}c", [Edit(2, 1, 2, 2, "X")]) == f"a{end}X{end}c"


def test_columns_count_characters_and_a_form_feed_ends_no_row() -> None:
    assert apply_edits("é😀\x0cx\u2028y\nb", [Edit(1, 4, 1, 5, "Z")]) == "é😀\x0cZ\u2028y\nb"


def test_the_place_after_the_last_row_can_be_edited() -> None:
    assert apply_edits("a\n", [Edit(2, 1, 2, 1, "b\n")]) == "a\nb\n"
    assert apply_edits("", [Edit(1, 1, 1, 1, "b")]) == "b"


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(1, 1, 1, 3, "x"), Edit(1, 2, 1, 4, "y")],
        [Edit(9, 1, 9, 1, "x")],
        [Edit(1, 1, 1, 99, "x")],
        [Edit(1, 3, 1, 2, "x")],
        [Edit(0, 1, 1, 1, "x")],
    ],
    ids=["overlap", "below", "beyond", "backwards", "above"],
)
def test_edits_that_overlap_or_lie_outside_the_text_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(ValueError):
        apply_edits("abcd", edits)


def test_adjacent_edits_count_as_overlapping() -> None:
    one = [Edit(1, 1, 2, 1, "")]
    assert overlap(one, [Edit(2, 1, 2, 1, "x")])
    assert not overlap(one, [Edit(2, 2, 2, 3, "x")])
    assert not overlap([], one)


LINES = texts(sampled_from("ab é\r\n"), max_size=30)


@given(LINES, integers(1, 5), LINES)
def test_a_row_below_an_edit_is_found_at_its_new_place(head: str, rows: int, content: str) -> None:
    head, content = head.replace("\r", "") + "\n", content.replace("\r", "")
    text = head + "x\n" * rows + "MARK\n"
    row = head.count("\n") + rows + 1
    edit = Edit(1, 1, head.count("\n") + 1, 1, content)
    after = apply_edits(text, [edit])
    assert after[: after.index("MARK")].count("\n") + 1 == moved_row(row, [edit])


@given(LINES)
def test_an_empty_list_of_edits_changes_nothing(text: str) -> None:
    assert apply_edits(text, []) == text


def mended(text: str, row: int) -> str:
    edit = named_except(text, row)
    assert edit is not None
    after = apply_edits(text, [edit])
    ast.parse(after)
    return after


def test_a_bare_except_becomes_except_exception() -> None:
    assert (
        mended("try:\n    f()\nexcept:  # why\n    pass\n", 3) == "try:\n    f()\nexcept Exception:  # why\n    pass\n"
    )


def test_a_bare_except_that_raises_again_still_catches_all() -> None:
    text = "try:\n    f()\nexcept:\n    if x:\n        raise\n"
    assert "except BaseException:" in mended(text, 3)


def test_a_bare_except_that_raises_another_error_does_not_catch_all() -> None:
    assert "except Exception:" in mended("try:\n    f()\nexcept:\n    raise ValueError\n", 3)


def test_a_bare_except_below_except_exception_catches_the_rest() -> None:
    text = "try:\n    f()\nexcept (ValueError, Exception):\n    pass\nexcept:\n    pass\n"
    assert "except BaseException:" in mended(text, 5)


def test_an_except_is_found_behind_wide_characters() -> None:
    text = "def f():\n  'é😀'\n  try: g()\n  except : 'é'\n"
    assert "except Exception :" in mended(text, 4)


def test_a_row_without_a_bare_except_has_no_edit() -> None:
    assert named_except("try:\n    f()\nexcept ValueError:\n    pass\n", 3) is None
    with pytest.raises(SyntaxError):
        named_except("try:", 1)


def test_a_bare_except_beside_deeply_nested_code_is_left() -> None:
    assert named_except(f"try:\n    f()\nexcept:\n    x = {'a + ' * 200_000}a\n", 3) is None
