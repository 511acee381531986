"""Branches of a JSON text: paths in words, and texts that are merged by branch."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jido_ai.text.json_branches import json_path, merged_branches, path_of
from jido_ai.text.json_spans import Path, value_spans
from jido_ai.values import Issue, Location


def at(path: str | None) -> Issue:
    return Issue("wrong", severity=0.8, location=None if path is None else Location(path))


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ((), "$"),
        (("items", 2, "price"), "items[2].price"),
        ((0, "a"), "[0].a"),
        (("a b", "c"), '["a b"].c'),
        (("x", 'say "hi"'), 'x["say \\"hi\\""]'),
        (("", "é"), '[""].é'),
    ],
)
def test_a_path_in_words_has_brackets_where_a_name_would_not_do(path: Path, words: str) -> None:
    assert json_path(path) == words


@given(st.lists(st.integers(0, 99) | st.text(max_size=6), max_size=5).map(tuple))
def test_a_path_is_read_back_from_its_words(path: Path) -> None:
    assume(path != ("$",))
    assert path_of(at(json_path(path))) == path


@pytest.mark.parametrize("path", [None, "src/a.py", "a..b", "[x]", "$"])
def test_a_location_that_is_no_json_path_is_the_whole(path: str | None) -> None:
    assert path_of(at(path)) == ()


OLD = '{"id": "x",   "items": [{"name":"a",  "price": 1.50}, {"price":-1}], "note": null}'


def test_branches_without_a_finding_stay_byte_for_byte() -> None:
    new = '{"id": 5, "items": [{"name": "a", "price": 1.5}, {"price": 3, "name": "n"}], "note": "new"}'
    merged = merged_branches(OLD, new, [at("id"), at("items[1].name"), at("items[1].price")])
    assert json.loads(merged) == {
        "id": 5,
        "items": [{"name": "a", "price": 1.5}, {"price": 3, "name": "n"}],
        "note": None,
    }
    assert '{"name":"a",  "price": 1.50}' in merged


def test_an_item_that_the_reply_changed_is_that_of_the_reply() -> None:
    new = '{"id": "x", "items": [{"name": "CHANGED", "price": 2}, {"price": 3}], "note": "new"}'
    merged = merged_branches(OLD, new, [at("items[1].price")])
    assert json.loads(merged) == {**json.loads(new), "note": None}


def test_a_finding_about_the_whole_lets_everything_change_and_keeps_equal_branches() -> None:
    new = '{"id": "x", "items": [{"name": "a", "price": 1.5}], "more": 1}'
    merged = merged_branches(OLD, new, [at("$")])
    assert json.loads(merged) == json.loads(new)
    assert '"id": "x"' in merged


def test_a_member_with_a_finding_goes_if_the_new_text_lacks_it() -> None:
    assert merged_branches('{"a": 1, "b": 2}', '{"a": 5}', [at("b")]) == '{"a": 1}'


def test_a_member_without_a_finding_stays_if_the_new_text_lacks_it() -> None:
    assert json.loads(merged_branches('{"a": "x", "b": 2}', '{"a": 5}', [at("a")])) == {"a": 5, "b": 2}


def test_the_rows_of_an_old_text_stay_rows() -> None:
    merged = merged_branches('{\n  "a": "x",\n  "b": [1,2]\n}', '{"a":1,"b":[3,4],"c":0}', [at("a"), at("c")])
    assert merged == '{\n  "a": 1,\n  "b": [1,2],\n  "c": 0\n}'


def test_without_findings_everything_may_change() -> None:
    assert merged_branches(OLD, '{"a": 1}', []) == '{"a": 1}'


@pytest.mark.parametrize(("old", "new"), [("no json", '{"a": 1}'), ('{"a": 1}', "no json"), ("[" * 5000, "[]")])
def test_the_new_text_is_taken_whole_unless_both_are_json(old: str, new: str) -> None:
    assert merged_branches(old, new, [at("a")]) == new


records = st.recursive(
    st.none() | st.integers(-1000, 1000) | st.lists(st.integers(0, 3), max_size=3),
    lambda inner: st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def rewritten(value: Any, data: st.DataObject) -> Any:
    """Return an object of the same structure whose values differ."""
    if isinstance(value, dict):
        return {name: rewritten(inner, data) for name, inner in value.items()}
    return data.draw(st.text(max_size=3) | st.lists(st.integers(0, 3), max_size=3))


@given(records, st.data())
def test_merging_changes_nothing_outside_of_the_findings_where_the_structure_is_the_same(
    old: Any, data: st.DataObject
) -> None:
    text, new = json.dumps(old, indent=data.draw(st.sampled_from([None, 2]))), rewritten(old, data)
    spans = value_spans(text)
    wrong: list[Path] = data.draw(st.lists(st.sampled_from(sorted(spans, key=repr)), min_size=1, max_size=2))
    merged = merged_branches(text, json.dumps(new), [at(json_path(path)) for path in wrong])
    after = value_spans(merged)
    for path, (start, end) in spans.items():
        related = any(path[: len(one)] == one or one[: len(path)] == path for one in wrong)
        if not related and not any(isinstance(part, int) for part in path):
            assert merged[slice(*after[path])] == text[start:end]
    if wrong == [()]:
        assert json.loads(merged) == new


@pytest.mark.parametrize(
    ("old", "new", "wrong", "tags"),
    [
        ([["a", 1], ["b", 0], ["c", 3]], [["a", 1], ["c", 3]], "[1][1]", ()),  # gone
        ([["a", 1], ["b", 0], ["c", 3]], [["a", 1], ["c", 3], ["d", 4]], "[1][1]", ()),  # gone, and one more
        ([["a", 1], ["b", 0]], [["b", 2], ["a", 1]], "[1][1]", ()),  # another order
        ([["a", 1], ["b", 0]], [["a", 1], ["d", 4]], "[1][1]", ()),  # another item
        ([1, -1, 3], [1, 3, 4], "[1]", ()),
        ({"x": {"id": 1, "nick_name": "T"}}, {"x": {"id": 1, "nickname": "T"}}, "x.nick_name", ()),
        ({"a": {"age": -1}, "b": 2}, {"A": {"age": 1}, "B": 2}, "a.age", ()),
        ({"kind": "card", "n": 0}, {"kind": "cash", "n": 5}, "n", ("kind",)),
        ({"by": {"kind": "card", "n": 0}}, {"by": {"kind": "cash", "n": 5}}, "by.n", ("kind",)),
        ({"x": {"a": 0}}, {"x": [5]}, "x.a", ()),
        ({"a": 0, "b": 1}, {"a": 5, "b": 1, "c": 7}, "a", ()),
    ],
)
def test_the_new_text_counts_whole_where_the_structure_around_a_finding_is_another(
    old: Any, new: Any, wrong: str, tags: tuple[str, ...]
) -> None:
    assert json.loads(merged_branches(json.dumps(old), json.dumps(new), [at(wrong)], tags)) == new
