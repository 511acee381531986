"""What is wrong with texts that are no programs, and what is certain to mend it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis.strategies import sampled_from, text

from jido_ai.logic.text_checks import LANGUAGES, check_text, parse_data
from jido_ai.logic.text_repair import PLACES, WHOLES, PlaceRepairer, WholeRepairer, mend_text
from jido_ai.logic.yaml_text import yaml_meaning


def mended(language: str, before: str) -> str:
    """Return what becomes of the text when every issue is asked for once."""
    for issue in check_text(language, before):
        before = mend_text(language, before, issue) or before
    return before


@pytest.mark.parametrize(
    ("language", "content", "rule", "place"),
    [
        ("json", '{"a": 1,}', "json", (1, 8)),
        ("json", '{\n"a" 1}', "json", (2, 5)),
        ("toml", "a = 1\nb = \n", "toml", (2, 5)),
        ("text", "a\nb \n", "trailing-whitespace", (2, 2)),
        ("text", "a\nb\r\nc\n", "line-endings", (2, 2)),
        ("text", "a\nbc", "final-newline", (2, 3)),
        ("markdown", "a\n\n```py\nx\n", "unclosed-fence", (3, 1)),
        ("markdown", "a   \n", "trailing-whitespace", (1, 2)),
        ("markdown", "a\n\n##Title\n", "heading-space", (3, 3)),
        ("markdown", "see (it)[https://a.b/c]\n", "reversed-link", (1, 5)),
        ("markdown", "| a | b |\n| --- |\n| 1 | 2 |\n", "table-columns", (2, 8)),
        ("yaml", "a: 1\nb: c: d\n", "yaml", (2, 5)),
        ("yaml", "a:\n\tb: 1\n", "yaml-tab", (2, 1)),
        ("yaml", "a: 1\nb: 2\na: 3\n", "duplicate-key", (3, 1)),
        ("yaml", "x: {a: 1, a: 2}\n", "duplicate-key", (1, 11)),
        ("yaml", "a: 1  \n", "trailing-whitespace", (1, 5)),
        ("yaml", "a: 'x\nb: 1\n", "yaml", (1, 4)),
    ],
)
def test_a_check_names_rule_and_place(language: str, content: str, rule: str, place: tuple[int, int]) -> None:
    found = check_text(language, content)
    assert [issue.rule for issue in found] == [rule]
    location = found[0].location
    assert location is not None
    assert location.line == place[0]
    assert language == "json" or location.column == place[1]  # versions of Python name different columns


@pytest.mark.parametrize(
    ("language", "content"),
    [
        ("json", '{"a": [1, "x"]}'),
        ("toml", "a = 1\n"),
        ("text", "a\r\n\r\nb\r\n"),
        ("text", ""),
        ("yaml", "# c\na: &x [1, 2]\nb: *x\n---\n- <<: {c: 1}\n  c: 2\n"),
        ("yaml", ""),
        ("markdown", "#tag and #123\n\n```\n##x (a)[http://b]\n```\n\n`##x` and [a](http://b)\n"),
        ("markdown", "| a | b |\n|---|:-:|\n| 1 |\n"),
        ("markdown", "a  \nb\n\n````\n```\n````\n"),  # a line break, and a fence in a longer one
    ],
)
def test_what_is_right_is_left(language: str, content: str) -> None:
    assert check_text(language, content) == ()


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("json", '{"a": 1,}\n', '{"a": 1}\n'),
        ("json", '{"a" 1}', '{"a": 1}'),
        ("json", '{\r\n  "a": [1, 2\r\n}\r\n', '{\r\n  "a": [1, 2]\r\n}\r\n'),
        ("json", '{"a": 1\n"b": 2}', '{"a": 1,\n"b": 2}'),
        ("json", "{'a': 'b'}", '{"a": "b"}'),
        ("json", "{a: 1, b: 2}", '{"a": 1, "b": 2}'),
        ("json", '{"a": True}', '{"a": true}'),
        ("json", '{"a": "b}', '{"a": "b"}'),
        ("toml", 'a = "b\nc = 1\n', 'a = "b"\nc = 1\n'),
        ("toml", "[a\nb = 1\n", "[a]\nb = 1\n"),
        ("text", "a \t\nb  \n\nc", "a\nb\n\nc\n"),
        ("text", "a\r\nb\nc\r\n", "a\r\nb\r\nc\r\n"),
        ("markdown", "a\n\n~~~~\nx", "a\n\n~~~~\nx\n~~~~\n"),
    ],
)
def test_what_is_certain_is_mended_and_the_rest_stays(language: str, before: str, after: str) -> None:
    assert mended(language, before) == after


@pytest.mark.parametrize(
    ("language", "content"),
    [
        ("json", "[1 2"),
        ("json", '{"a"'),
        ("json", "[12 3]x"),
        ("toml", "a ="),
        ("json", ""),
        ("json", '{"a": b}'),
        ("json", "[1, 2]]]"),
        ("json", '{"a": 1}\n{"b": 2}'),
        ("json", '{"a": "b "c" d"}'),
        ("yaml", "a: 1\na: 2\n"),
        ("yaml", "a: b: c\n"),
        ("yaml", "a:\n  b: 1\n c: 2\n"),
        ("yaml", "a: *anchor\n"),
        ("yaml", "a: |\n  b  \n"),
        ("yaml", "a: 1\n\tb: 2\n"),
        ("markdown", "[a]: (b)[c]\n"),
    ],
)
def test_what_may_mean_several_things_or_lacks_more_than_a_mark_is_left(language: str, content: str) -> None:
    assert mended(language, content) == content


def test_only_the_row_that_is_named_is_mended() -> None:
    _, second = check_text("text", "a \nb \n")
    assert mend_text("text", "a \nb \n", second) == "a \nb\n"


def test_every_repairer_has_the_shape_and_rules_of_its_own() -> None:
    rules = [rule for one in (*PLACES, *WHOLES) for rule in one.rules]
    assert len(rules) == len(set(rules))
    places: tuple[PlaceRepairer, ...] = PLACES
    wholes: tuple[WholeRepairer, ...] = WHOLES
    assert places
    assert wholes


@settings(max_examples=150, deadline=None)
@given(sampled_from(LANGUAGES), text("a1 \"'`~{}[]:,=#|-*\n\r\t", max_size=40))
def test_a_repair_is_never_worse_by_any_check_and_data_parses(language: str, content: str) -> None:
    before = check_text(language, content)
    for issue in before:
        result = mend_text(language, content, issue)
        if result is not None:
            after = check_text(language, result)
            assert len(after) < len(before)
            assert {one.rule for one in after} <= {one.rule for one in before}
            if language in ("json", "jsonc", "toml"):
                parse_data(language, result)


def test_yaml_of_brackets_in_brackets_is_read_to_a_hundred_of_them_and_no_further() -> None:
    assert not check_text("yaml", "[" * 100 + "]" * 100 + "\n")
    for mark, end in ("[]", "{}"):
        for deep in (mark * 101 + end * 101, mark * 500_000):  # at once: the parser takes 5 s over 2,000
            (issue,) = [one for one in check_text("yaml", deep) if one.kind == "syntax"]
            assert issue.message == "too deeply nested"
            with pytest.raises(ValueError, match="more than 100 brackets"):
                yaml_meaning(deep)


@settings(max_examples=100, deadline=None)
@given(text("a1 \"':{}[],-#\n\t", max_size=60))
def test_yaml_that_parses_says_the_same_after_every_repair(content: str) -> None:
    try:
        meaning = yaml_meaning(content)
    except ValueError:
        return
    for issue in check_text("yaml", content):
        result = mend_text("yaml", content, issue)
        assert result is None or yaml_meaning(result) == meaning


def test_yaml_that_is_too_long_or_too_deep_is_no_pass() -> None:
    assert [one.kind for one in check_text("yaml", "a: 1\n" * 200_001)] == ["cannot-run"]
    assert [one.kind for one in check_text("yaml", "[" * 1000 + "\n")] == ["syntax"]


@pytest.mark.parametrize(
    ("language", "before", "after"), [("json", "{", "x"), ("yaml", "a: @x", "y\n"), ("yaml", "a: 'x", "y\n")]
)
def test_a_row_of_many_blanks_is_looked_at_once(language: str, before: str, after: str) -> None:
    # Were it looked at from each blank on, this would not end within the minute that a test may take.
    text = f"{before}{' ' * 99_000}{after}"
    issue, *_ = check_text(language, text)
    mended = mend_text(language, text, issue)
    assert mended is None or not check_text(language, mended)
