"""How much of a text was edited."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.text.change import CHARACTER_LIMIT, LINE_LIMIT, change, change_measure

texts = st.text("ab\n", max_size=12) | st.text(max_size=12)
LONG = "x" * (CHARACTER_LIMIT + 1)


def longest_common(before: str, after: str) -> int:
    """Return the length of a longest common subsequence, as the textbook has it."""
    row = [0] * (len(after) + 1)
    for one in before:
        last = row
        row = [0]
        for index, other in enumerate(after):
            row.append(last[index] + 1 if one == other else max(row[index], last[index + 1]))
    return row[-1]


def lines(numbers: list[int]) -> str:
    """Return lines of different lengths, too long together to be compared by characters."""
    return "".join(f"{number}{'x' * (CHARACTER_LIMIT // 4 + 7 * number)}\n" for number in numbers)


@given(texts, texts)
def test_a_change_is_insertions_and_deletions_divided_by_both_lengths(before: str, after: str) -> None:
    total = len(before) + len(after)
    expected = (total - 2 * longest_common(before, after)) / total if before != after else 0.0
    assert change(before, after) == pytest.approx(expected)


@given(st.text("abc", min_size=60, max_size=90), st.text("abc", min_size=60, max_size=90))
@settings(max_examples=30)
def test_the_measure_of_texts_of_more_than_a_machine_word_is_the_same(before: str, after: str) -> None:
    total = len(before) + len(after)
    assert change(before, after) == pytest.approx((total - 2 * longest_common(before, after)) / total)


@given(st.text("abcd", min_size=5, max_size=12), st.text("abcd", min_size=5, max_size=12))
def test_change_by_lines_keeps_as_many_lines_as_can_be_kept_in_order(before: str, after: str) -> None:
    one, other = ("".join(f"{line * CHARACTER_LIMIT}\n" for line in text) for text in (before, after))
    assert change_measure(one, other) == "lines"
    total = len(before) + len(after)
    assert change(one, other) == pytest.approx((total - 2 * longest_common(before, after)) / total)


@given(texts, texts)
def test_change_is_symmetric_and_in_0_to_1(before: str, after: str) -> None:
    assert change(before, after) == change(after, before)
    assert 0.0 <= change(before, after) <= 1.0


@given(st.lists(st.integers(0, 5), min_size=5, max_size=8), st.lists(st.integers(0, 5), min_size=5, max_size=8))
@settings(max_examples=50)
def test_change_by_lines_is_symmetric_and_in_0_to_1(before: list[int], after: list[int]) -> None:
    one, other = lines(before), lines(after)
    assert change_measure(one, other) == "lines"
    assert change(one, other) == change(other, one)
    assert 0.0 <= change(one, other) <= 1.0


@given(texts)
def test_equal_texts_have_no_change_and_two_empty_ones_are_equal(text: str) -> None:
    assert change(text, text) == 0.0
    assert change("", "") == 0.0


@given(texts.filter(bool))
def test_adding_or_removing_a_whole_text_is_a_change_of_1(text: str) -> None:
    assert change("", text) == change(text, "") == 1.0


@given(texts, texts)
def test_different_texts_have_a_change_above_0(before: str, after: str) -> None:
    assert (change(before, after) > 0.0) == (before != after)


def test_replacing_half_of_a_text_by_another_of_the_same_length_is_a_change() -> None:
    assert change("aaaabbbb", "aaaacccc") == 0.5


def test_up_to_16384_characters_are_compared_as_characters() -> None:
    text = "x" * CHARACTER_LIMIT
    assert CHARACTER_LIMIT == 16_384
    assert change_measure(text, "") == change_measure("", text) == "characters"
    assert change(text, text[:-1] + "y") == pytest.approx(2 / (2 * CHARACTER_LIMIT))


def test_above_that_lines_are_compared_weighted_by_their_length() -> None:
    assert change_measure(LONG, "") == change_measure("", LONG) == "lines"
    before = "a" * 20_000 + "\n" + "b" * 9_999 + "\n"
    after = "a" * 20_000 + "\n" + "c" * 9_999 + "\n"
    assert change(before, after) == pytest.approx(10_000 / 30_001)


def test_lines_keep_their_order_up_to_the_line_limit_and_are_counted_above() -> None:
    few = [f"{number:06}\n" for number in range(LINE_LIMIT - 1)]
    many = [f"{number:06}\n" for number in range(LINE_LIMIT)]
    assert change_measure("".join(few), "".join(reversed(few))) == "lines"
    assert change("".join(few), "".join(reversed(few))) > 0.99
    assert change_measure("".join(many), "".join(reversed(many))) == "bag of lines"
    assert change("".join(many), "".join(reversed(many))) == 0.0
    assert change("".join(many), "".join(many[:-1]) + "xxxxxx\n") == pytest.approx(1 / LINE_LIMIT)


@pytest.mark.parametrize("odd", ["\0", "\ud800", "\u202e", "e\u0301", "🙂"])
def test_odd_characters_are_characters(odd: str) -> None:
    assert change(odd * 4, odd * 4 + "x" * 4 * len(odd)) == pytest.approx(1 / 3)


def test_only_a_line_feed_ends_a_line() -> None:
    # Else a text of form feeds would be compared, line by line in order, beyond `LINE_LIMIT`.
    text = "a\x0c\u2028" * CHARACTER_LIMIT
    assert change_measure(text, f"{text}b") == "lines"
    assert change(text, f"{text}b") == 1.0
    assert change(f"x\n{text}", f"y\n{text}") < 0.001


def test_lines_of_two_megabytes_are_not_compared_in_order() -> None:
    one, other = ("".join(f"{number * factor}\n" for number in range(250_000)) for factor in (1, 3))
    assert change_measure(one, other) == "bag of lines"
    assert 0.0 < change(one, other) < 1.0
