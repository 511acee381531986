"""Measures of likeness, and the index that must agree with a comparison of everything."""

from __future__ import annotations

import gc
import inspect
import math
import sys
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.memory.index import keyword_index
from jido_ai.memory.index.keyword_index import KeywordIndex
from jido_ai.memory.index.similarity import Measure, jaccard, measure_named, overlap
from jido_ai.text.pieces import pieces
from jido_ai.values import SLACK, extract_keywords

WORDS = st.frozensets(st.sampled_from("abcdefghij"), max_size=6)
NAMES = ["jaccard", "weighted", "overlap"]


# -- pairs -----------------------------------------------------------------------------------------


def test_jaccard_is_the_share_of_all_words_that_both_have() -> None:
    assert jaccard({"a", "b", "c"}, {"b", "c", "d"}) == 0.5
    assert jaccard({"a"}, {"a"}) == 1.0


def test_jaccard_is_zero_when_either_is_empty() -> None:
    assert jaccard(set(), {"a"}) == jaccard({"a"}, set()) == jaccard(set(), set()) == 0.0


def test_jaccard_of_texts_equals_jaccard_of_their_keywords() -> None:
    assert jaccard("sort the numbers", ["sort", "words"]) == jaccard({"sort", "numbers"}, {"sort", "words"})
    assert jaccard("sort numbers", "") == 0.0


@pytest.mark.rows("H10", "H60")
def test_overlap_counts_the_shared_words() -> None:
    assert overlap({"a", "b"}, {"b", "c"}) == 1


@given(WORDS, WORDS)
def test_jaccard_is_symmetric_and_in_range(a: frozenset[str], b: frozenset[str]) -> None:
    assert jaccard(a, b) == jaccard(b, a)
    assert 0.0 <= jaccard(a, b) <= 1.0
    assert (jaccard(a, b) == 1.0) == (a == b and bool(a))


# -- measures --------------------------------------------------------------------------------------


@pytest.mark.rows("J15")
def test_a_measure_brings_its_own_threshold() -> None:
    assert [measure_named(name).threshold for name in NAMES] == [0.7, 0.15, 1.0]
    with pytest.raises(ConfigurationError, match="static or embedding, got 'cosine'"):
        measure_named("cosine")


def test_weighted_levels_forms_width_case_and_numbers_but_keeps_no_and_not() -> None:
    words = measure_named("weighted").words
    assert words("Parsing the ＤＡＴＥＳ, 2024") == words("parse a date 7")
    assert words("do not parse") == {"not", "pars"}
    assert words("what is the") == words("THE what is") != frozenset()


@given(st.text(st.sampled_from("ab \n\u2003the é_1"), max_size=60), st.integers(1, 9))
def test_pieces_join_to_the_text_and_cut_no_word(text: str, size: int) -> None:
    parts = list(pieces(text, size))
    assert "".join(parts) == text
    assert [word for part in parts for word in part.split()] == text.split()


@pytest.mark.parametrize("name", ["jaccard", "overlap"])
@given(st.one_of(st.text(), st.text(st.characters(max_codepoint=127)), st.text(st.sampled_from("the \n\x1f\x85A_é9ß"))))
@settings(max_examples=150, deadline=None)
def test_the_words_of_a_measure_are_the_keywords_of_the_text(name: str, text: str) -> None:
    assert measure_named(name).words(text) == extract_keywords(text)


def test_keywords_of_a_long_text_cover_the_whole_text() -> None:
    text = "the of " * 5000
    assert measure_named("jaccard").words(text) == extract_keywords(text) == {"the", "of"}
    assert measure_named("jaccard").words(text + "Parse a date") == {"parse", "date"}


def test_stems_are_cached_outside_of_the_garbage_collector_and_dropped_when_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("jido_ai.memory.index.similarity._REMEMBERED_STEMS", 3)
    words = measure_named("weighted").words
    known = inspect.getclosurevars(words).nonlocals["known"]
    for text in ("parsing dates", "zones parsed", "parsing headers"):
        assert words(text) == measure_named("weighted").words(text)
        assert 0 < len(known) <= 3
        assert not gc.is_tracked(known) or sys.version_info >= (3, 14)  # which tracks every dict


# -- the index -------------------------------------------------------------------------------------


def brute_force(
    index: KeywordIndex, measure: Measure, rows: dict[int, frozenset[str]], asked: frozenset[str], threshold: float
) -> list[tuple[int, float]]:
    def weigh(words: frozenset[str]) -> int:
        return sum(map(index.weight, words))

    def score(words: frozenset[str]) -> float:
        shared = weigh(words & asked)
        if measure.counts:
            return float(shared)
        return shared / (weigh(words) + weigh(asked) - shared) if shared else 0.0

    scored = [(row, score(words)) for row, words in rows.items()]
    return sorted(
        (pair for pair in scored if pair[1] >= threshold - SLACK and not (measure.counts and pair[1] == 0.0)),
        key=lambda pair: (-pair[1], -pair[0]),
    )


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["add", "add", "add", "remove", "compact", "search"]), WORDS), max_size=60),
    st.sampled_from([0.0, 0.15, 0.25, 1 / 3, 0.5, 0.7, 1.0]) | st.floats(0, 1),
    st.integers(0, 8),
)
def test_the_index_finds_exactly_the_results_of_a_full_scan(
    name: str, steps: list[tuple[str, frozenset[str]]], threshold: float, k: int
) -> None:
    measure = measure_named(name)
    index, rows, numbers = KeywordIndex(measure), dict[int, frozenset[str]](), count(1)
    for step, words in [*steps, ("search", frozenset("abc"))]:
        match step:
            case "add":
                row = next(numbers)
                rows[row] = words
                index.add(row, words)
            case "remove" if rows:
                row = min(rows)
                del rows[row]
                assert index.remove(row)
            case "compact":
                index = index.compacted()
            case _:
                asked = words | {"never seen"}
                assert index.search(asked, k, threshold) == brute_force(index, measure, rows, asked, threshold)[:k]
        assert len(index) == len(rows)


def indexed(name: str, *texts: str) -> KeywordIndex:
    index = KeywordIndex(measure_named(name))
    for row, text in enumerate(texts, 1):
        index.add(row, frozenset(text.split()))
    return index


def test_words_never_seen_count_towards_the_size_of_the_query() -> None:
    assert indexed("jaccard", "a b").search(frozenset({"a", "b", "x", "y"}), 5, 0.1) == [(1, 0.5)]


def test_the_threshold_is_inclusive_with_a_slack_of_a_billionth() -> None:
    index = indexed("jaccard", "a b")
    asked = frozenset("abc")  # 2 / 3
    assert index.search(asked, 5, 2 / 3 + 0.9e-9)
    assert not index.search(asked, 5, 2 / 3 + 1.1e-9)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=12), st.integers(0, 12), st.integers(1, 8)
)
def test_a_row_of_several_texts_counts_by_its_best_one_also_after_others_went(
    texts: list[list[frozenset[str]]], gone: int, k: int
) -> None:
    index, asked = KeywordIndex(measure_named("jaccard")), frozenset("abc")
    for row, words in enumerate(texts, 1):
        index.add_all([row] * len(words), words)
    for row in range(1, min(gone, len(texts)) + 1):
        index.remove(row)
    best = {row: max(jaccard(asked, each) for each in words) for row, words in enumerate(texts, 1) if row > gone}
    expected = sorted(
        ((row, score) for row, score in best.items() if score > 0.19), key=lambda one: (-one[1], -one[0])
    )[:k]
    for searched in (index, index.compacted()):
        found = searched.search(asked, k, 0.19)
        assert [score for _, score in found] == pytest.approx([score for _, score in expected])
        assert {row: best[row] for row, _ in found} == pytest.approx(dict(found))


def test_ties_are_newest_first() -> None:
    assert [row for row, _ in indexed("jaccard", "a b", "b a", "a b").search(frozenset("ab"), 2, 0.5)] == [3, 2]


def test_rows_must_ascend_and_a_removed_row_is_gone_once() -> None:
    index = indexed("jaccard", "a", "a")
    with pytest.raises(ConfigurationError, match="ascending"):
        index.add(1, frozenset("a"))
    with pytest.raises(ConfigurationError, match="3 after 4"):
        index.add_all([3, 4, 3], [frozenset("a")] * 3)
    assert [index.remove(1), index.remove(1), index.remove(99)] == [True, False, False]
    assert index.search(frozenset("a"), 5, 0.0) == [(2, 1.0)]


def test_an_index_is_stale_when_more_than_a_quarter_is_gone() -> None:
    index = indexed("jaccard", *["a"] * 100)
    for row in range(1, 26):
        index.remove(row)
    assert not index.is_stale
    index.remove(26)
    assert index.is_stale
    assert not index.compacted().is_stale
    assert index.compacted().cost("a") == 74


def test_a_rare_word_weighs_more_than_a_frequent_one() -> None:
    index = indexed("weighted", *["often"] * 20, "often rare").compacted()
    assert index.weight("often") < index.weight("rare") < index.weight("never seen")
    assert index.weight("never seen") == round(1024 * (1 + math.log(22)))


def test_weights_do_not_drift_between_compactions() -> None:
    index = indexed("weighted", *["often"] * 20, "often rare").compacted()
    before = index.search(frozenset({"often", "rare"}), 1, 0.0)
    for row in range(100, 120):
        index.add(row, frozenset({"rare"}))
    assert before == [pair for pair in index.search(frozenset({"often", "rare"}), 50, 0.0) if pair[0] == 21]
    assert index.is_stale or index.compacted().weight("rare") < index.weight("rare")


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), WORDS), min_size=1, max_size=80),
    st.lists(st.tuples(st.booleans(), WORDS), max_size=40),
    st.floats(0, 1),
)
def test_a_large_index_that_is_rebuilt_while_it_changes_finds_the_same(
    name: str, before: list[tuple[bool, frozenset[str]]], meanwhile: list[tuple[bool, frozenset[str]]], threshold: float
) -> None:
    """Large: its words are in many tables; removals are told to both."""
    measure = measure_named(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keyword_index, "_WORDS_IN_FIRST", 3)
        patch.setattr(keyword_index, "_ROWS_AT_ONCE", 4)
        index, rows, gone, numbers = KeywordIndex(measure), dict[int, frozenset[str]](), list[int](), count(1)

        def change(is_removal: bool, words: frozenset[str]) -> None:
            if is_removal and rows:
                gone.append(min(rows))
                del rows[gone[-1]]
                index.remove(gone[-1])
            else:
                row = next(numbers)
                rows[row] = words
                index.add(row, words)

        for step in before:
            change(*step)
        slots, newest, steps = index.slots, max(rows, default=0), iter(meanwhile)
        gone.clear()

        def others_turn() -> None:
            if (step := next(steps, None)) is not None:
                change(*step)

        fresh = index.compacted(slots, others_turn)
        for row, words in rows.items():
            if row > newest and row not in gone:
                fresh.add(row, words)
        for row in gone:
            fresh.remove(row)
        assert len(fresh) == len(rows)
        asked = frozenset("abc") | {"never seen"}
        assert fresh.search(asked, 9, threshold) == brute_force(fresh, measure, rows, asked, threshold)[:9]


def test_an_index_has_no_objects_for_the_garbage_collector_to_scan() -> None:
    index = KeywordIndex(measure_named("jaccard"))
    gc.collect()
    before = len(gc.get_objects())
    for row in range(2_000):
        index.add(row, frozenset({f"word{row}", "all"}))
    gc.collect()
    assert len(gc.get_objects()) - before < 100


@pytest.mark.parametrize("name", NAMES)
def test_a_search_gives_others_a_turn_every_8192_numbers_and_finds_the_same(name: str) -> None:
    index = KeywordIndex(measure_named(name))
    for row in range(10_000):
        index.add(row, frozenset({"all", "most" if row % 3 else "few", f"word{row % 100}"}))
    given_turns: list[None] = []
    asked = frozenset({"all", "few", "word7"})
    found = index.search(asked, 40, 0.1, lambda: given_turns.append(None))
    assert len(given_turns) >= 2 + 1 + 1 + 2  # each list, then what they count to
    rows = {row: frozenset({"all", "most" if row % 3 else "few", f"word{row % 100}"}) for row in range(10_000)}
    assert found == brute_force(index, measure_named(name), rows, asked, 0.1)[:40]
