"""Edits by search and replace: each is applied where it fits exactly once, or none is."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jido_ai.errors import EditError
from jido_ai.text.search_replace import MAX_EDITS, Replacement, apply_edits

TEXT = "def total(prices):\n    return sum(prices[1:])\n\n\ndef count(prices):\n    return len(prices)\n"


def test_edits_in_any_order_are_applied_to_the_original_text() -> None:
    edits = [
        Replacement("len(prices)", "len(set(prices))"),
        Replacement("prices[1:]", "prices"),
        Replacement("\n\n\ndef", "\n\ndef"),
    ]
    changed = "def total(prices):\n    return sum(prices)\n\ndef count(prices):\n    return len(set(prices))\n"
    assert apply_edits(TEXT, edits) == apply_edits(TEXT, edits[::-1]) == changed
    assert apply_edits("a b", [Replacement("a", "b"), Replacement("b", "a")]) == "b a"
    assert apply_edits(TEXT, []) == TEXT


@pytest.mark.parametrize(
    ("edits", "why", "number"),
    [
        ([Replacement("", "x")], 'edit 1: "search" is empty', 1),
        (
            [Replacement("total", "x"), Replacement("sums", "x")],
            "edit 2: .* does not occur in the candidate: 'sums'; copy",
            2,
        ),
        ([Replacement("return sum", "x"), Replacement("  return  len", "x")], "edit 2: .* does not occur", 2),
        ([Replacement("2 |     return sum(prices[1:])", "x")], "does not occur .*; leave out the line numbers", 1),
        ([Replacement("prices", "x")], "more than once, at lines 1, 2, 5, and more; add lines around it", 1),
        ([Replacement("return", "x")], "more than once, at lines 2, 6; add", 1),
        ([Replacement("sum(prices[1:])", "x"), Replacement("return sum", "x")], "edits 1 and 2 overlap", 2),
        ([Replacement("sum", "x"), Replacement("sum", "y")], "edits 1 and 2 overlap", 2),
        ([Replacement("sum", "x")] * (MAX_EDITS + 1), "at most 100", 101),
    ],
)
def test_an_edit_that_does_not_fit_exactly_once_is_refused_with_its_number_and_the_reason(
    edits: list[Replacement], why: str, number: int
) -> None:
    with pytest.raises(EditError, match=why) as caught:
        apply_edits(TEXT, edits)
    assert caught.value.number == number
    assert len(str(caught.value)) < 400


def test_overlapping_occurrences_count() -> None:
    with pytest.raises(EditError, match="more than once"):
        apply_edits("aaa", [Replacement("aa", "b")])


def test_line_feeds_match_the_only_line_ends_of_a_text() -> None:
    edit = Replacement("a\nb", "c\nd")
    assert apply_edits("a\r\nb\r\n", [edit]) == "c\r\nd\r\n"
    for mixed in ("a\r\nb\n", "a\r\nb\r\nx\r"):
        with pytest.raises(EditError, match="does not occur"):
            apply_edits(mixed, [edit])


TEXTS = st.text("ab\r\n \u00e9", max_size=40)


@given(TEXTS, st.lists(st.integers(0, 40), max_size=8, unique=True), st.lists(TEXTS, min_size=4, max_size=4), st.data())
def test_the_result_is_the_text_with_all_places_replaced_or_nothing(
    text: str, cuts: list[int], replacements: list[str], data: st.DataObject
) -> None:
    bounds = sorted(cut for cut in cuts if cut <= len(text))
    spans = [span for number, span in enumerate(pairwise(bounds)) if number % 2 == 0]
    edits = [Replacement(text[start:end], new) for (start, end), new in zip(spans, replacements, strict=False)]
    expected, done = "", 0
    for (start, end), new in zip(spans, replacements, strict=False):
        expected, done = expected + text[done:start] + new, end
    expected += text[done:]
    is_unique = all(len(re.findall(f"(?={re.escape(edit.search)})", text)) == 1 for edit in edits)
    only_crlf = "\r\n" in text and not re.search(r"(?<!\r)\n|\r(?!\n)", text)
    assume(not only_crlf)  # line feeds of edits may stand for "\r\n" there
    given = data.draw(st.permutations(edits))
    if not is_unique:
        with pytest.raises(EditError):
            apply_edits(text, given)
    else:
        assert apply_edits(text, given) == expected


@given(TEXTS, st.lists(st.builds(Replacement, TEXTS, TEXTS), max_size=4))
def test_edits_either_raise_or_leave_the_text_outside_of_them_unchanged(text: str, edits: list[Replacement]) -> None:
    made = None
    with suppress(EditError):
        made = apply_edits(text, edits)
    if made is not None and len(edits) == 1 and "\r\n" not in text:
        before, after = text.split(edits[0].search)
        assert made == before + edits[0].replace + after
