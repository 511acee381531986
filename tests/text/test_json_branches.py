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

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


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
    new = '{"id": 5, "items": [{"name": "CHANGED", "price": 2}, {"price": 3, "name": "n"}], "note": "new"}'
    merged = merged_branches(OLD, new, [at("id"), at("items[1].name"), at("items[1].price")])
    assert json.loads(merged) == {
        "id": 5,
        "items": [{"name": "a", "price": 1.5}, {"price": 3, "name": "n"}],
        "note": None,
    }
    assert '{"name":"a",  "price": 1.50}' in merged


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


@given(json_values, json_values, st.data())
def test_merging_changes_nothing_outside_of_the_findings(old: Any, new: Any, data: st.DataObject) -> None:
    text = json.dumps(old, indent=data.draw(st.sampled_from([None, 2])))
    spans = value_spans(text)
    wrong: list[Path] = data.draw(st.lists(st.sampled_from(sorted(spans, key=repr)), min_size=1, max_size=2))
    merged = merged_branches(text, json.dumps(new), [at(json_path(path)) for path in wrong])
    after = value_spans(merged)
    for path, (start, end) in spans.items():
        related = any(path[: len(one)] == one or one[: len(path)] == path for one in wrong)
        if not related and path in after:
            assert merged[slice(*after[path])] == text[start:end]
    if wrong == [()]:
        assert json.loads(merged) == new
