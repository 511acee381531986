"""JSON with comments, read without changing it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis.strategies import lists, sampled_from, text

from jido_ai.text.json_comments import repeated_keys, without_comments


@pytest.mark.parametrize(
    ("content", "meaning"),
    [
        ('{"a": 1, // one\n "b": [2,], /* two\n*/ }', {"a": 1, "b": [2]}),
        ('{"url": "http://a//b", "c": "/* no */"}', {"url": "http://a//b", "c": "/* no */"}),
        ('{"q": "\\"// no", "r": ",]"}', {"q": '"// no', "r": ",]"}),
        ("/***/[1/**/,/* * / */2]//", [1, 2]),
        ("[1, // a\n]", [1]),
    ],
)
def test_comments_and_trailing_commas_are_blanked_out_and_strings_are_kept(content: str, meaning: object) -> None:
    assert json.loads(without_comments(content).plain) == meaning


@pytest.mark.parametrize("content", ["[1] /* open", "/*/ [1]", '["a // ', "# [1]\n1"])
def test_an_unclosed_or_foreign_comment_does_not_parse(content: str) -> None:
    with pytest.raises(ValueError, match=r"^."):
        json.loads(without_comments(content).plain)


def test_comments_are_reported_with_their_marks_and_the_place_of_the_first() -> None:
    found = without_comments('{"a": 1} // one\n/* two */')
    assert found.comments == ("// one", "/* two */")
    assert found.first_comment == 9
    assert without_comments('"//"').first_comment is None


@given(lists(sampled_from(['"', "\\", "//", "/*", "*/", "'", ",", "]", "\n", "\r\n", "a", " "])).map("".join))
def test_positions_stay_the_same(content: str) -> None:
    plain = without_comments(content).plain
    assert len(plain) == len(content)
    assert all(one in (other, " ") for one, other in zip(plain, content, strict=True))
    assert [at for at, one in enumerate(plain) if one in "\r\n"] == [
        at for at, one in enumerate(content) if one in "\r\n"
    ]


def test_repeated_keys_of_an_object_are_found() -> None:
    content = r'{"a": {"a": 1}, "b": ["a", {"a": 1, "\u0061": 2}], "a": 3, "a": 4}'
    found = repeated_keys(content)
    assert [(one.key, content[one.first :][:4], one.at) for one in found] == [
        ("a", '"a":', content.index('"\\u0061"')),
        ("a", '"a":', content.index('"a": 3')),
        ("a", '"a":', content.index('"a": 4')),
    ]
    assert found[-1].first == 1


@given(lists(text(max_size=2), unique=True))
def test_unique_keys_are_no_finding(keys: list[str]) -> None:
    assert repeated_keys(json.dumps({key: ["x", {"y": ","}] for key in keys})) == []
