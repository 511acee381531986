"""What is wrong with texts that are no programs, and what is certain to mend it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis.strategies import sampled_from, text

from jido_ai.text.checks import LANGUAGES, check_text, count_findings, is_quick, language_of, parse_data
from jido_ai.text.markdown_layout import formatted_markdown
from jido_ai.text.repair import PLACES, WHOLES, PlaceRepairer, WholeRepairer, repair_texts
from jido_ai.text.yaml import yaml_meaning
from jido_ai.values import Issue


def repair_text(language: str, content: str, issue: Issue) -> str | None:
    repaired, fixed = repair_texts(language, content, [issue])
    return repaired if fixed else None


def mended(language: str, before: str) -> str:
    """Return what becomes of the text when every issue is asked for once."""
    for issue in check_text(language, before):
        before = repair_text(language, before, issue) or before
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
def test_correct_text_is_left_unchanged(language: str, content: str) -> None:
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
def test_certain_faults_are_repaired_and_the_rest_stays(language: str, before: str, after: str) -> None:
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
def test_faults_that_are_ambiguous_or_lack_more_than_a_mark_are_left(language: str, content: str) -> None:
    assert mended(language, content) == content


def test_only_the_named_row_is_repaired() -> None:
    _, second = check_text("text", "a \nb \n")
    assert repair_text("text", "a \nb \n", second) == "a \nb\n"


def test_every_repairer_has_its_own_form_and_rules() -> None:
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
        result = repair_text(language, content, issue)
        if result is not None:
            after = check_text(language, result)
            assert len(after) < len(before)
            assert {one.rule for one in after} <= {one.rule for one in before}
            if language in ("json", "jsonc", "toml"):
                parse_data(language, result)


def test_yaml_is_parsed_with_up_to_a_hundred_nested_brackets() -> None:
    assert not check_text("yaml", "[" * 100 + "]" * 100 + "\n")
    for mark, end in ("[]", "{}"):
        for deep in (mark * 101 + end * 101, mark * 500_000):  # at once: the parser takes 5 s over 2,000
            (issue,) = [one for one in check_text("yaml", deep) if one.kind == "syntax"]
            assert issue.message == "too deeply nested"
            with pytest.raises(ValueError, match="more than 100 nested brackets"):
                yaml_meaning(deep)


@settings(max_examples=100, deadline=None)
@given(text("a1 \"':{}[],-#\n\t", max_size=60))
def test_yaml_that_parses_says_the_same_after_every_repair(content: str) -> None:
    try:
        meaning = yaml_meaning(content)
    except ValueError:
        return
    for issue in check_text("yaml", content):
        result = repair_text("yaml", content, issue)
        assert result is None or yaml_meaning(result) == meaning


def test_yaml_that_is_too_long_or_too_deep_does_not_pass() -> None:
    assert [one.kind for one in check_text("yaml", "a: 1\n" * 200_001)] == ["cannot-run"]
    assert [one.kind for one in check_text("yaml", "[" * 1000 + "\n")] == ["syntax"]


@pytest.mark.parametrize(
    ("language", "before", "after"), [("json", "{", "x"), ("yaml", "a: @x", "y\n"), ("yaml", "a: 'x", "y\n")]
)
def test_a_row_of_many_blanks_is_checked_in_linear_time(language: str, before: str, after: str) -> None:
    # Were it looked at from each blank on, this would not end within the minute that a test may take.
    text = f"{before}{' ' * 99_000}{after}"
    issue, *_ = check_text(language, text)
    mended = repair_text(language, text, issue)
    assert mended is None or not check_text(language, mended)


# -- what a repair must not touch -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        (
            "jsonc",
            '{\n  // why\n  "a": 1 /* b */\n  "c": 2, // d\n}\n',
            '{\n  // why\n  "a": 1, /* b */\n  "c": 2, // d\n}\n',
        ),
        ("jsonc", '{"a": True, // b\n}', '{"a": true, // b\n}'),
        ("json", '{"a": 1 // why\n "b": 2}', '{"a": 1, // why\n "b": 2}'),
        ("json", '{"a": 1 // why\n}', '{"a": 1 // why\n}'),
        ("json", '{"a": 1, // why\n}', '{"a": 1, // why\n}'),
        ("json", '{"a": 1 # why\n}', '{"a": 1 # why\n}'),
        ("json", "{'a': 'http://b'}", '{"a": "http://b"}'),
    ],
)
def test_a_repair_keeps_every_comment_of_json(language: str, before: str, after: str) -> None:
    assert mended(language, before) == after


def test_comments_are_correct_in_json_with_comments_and_a_finding_in_other_json() -> None:
    content = '{\n  // why\n  "a": [1, 2,], /* b */\n}\n'
    assert check_text("jsonc", content) == ()
    (issue,) = check_text("json", content)
    assert (issue.rule, issue.kind) == ("json-comments", "syntax")
    assert str(issue.location).endswith("2:3")


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("tsconfig.json", "jsonc"),
        ("web/tsconfig.base.json", "jsonc"),
        ("app.jsconfig.json", "jsonc"),
        ("a/.vscode/settings.json", "jsonc"),
        ("a.code-workspace", "jsonc"),
        ("A.JSONC", "jsonc"),
        (".eslintrc.json", "jsonc"),
        ("package.json", "json"),
        ("mytsconfig.json", "json"),
        ("vscode/settings.json", "json"),
        (".vscode/README.md", "markdown"),
    ],
)
def test_files_with_commented_json_are_known_by_their_names(path: str, language: str) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize("language", ["json", "jsonc"])
def test_a_repeated_key_is_a_finding_and_no_repair_removes_it(language: str) -> None:
    (issue,) = check_text(language, '{"a": 1,\n "b": {"c": 1, "c": 2}, "a": 3}')[1:]
    assert (issue.rule, issue.kind) == ("duplicate-key", "error")
    assert issue.message == "the key 'a' is in this object already, in row 1"
    for content in ('{"a": 1, "a": 2}', '{"a": 1\n"a": 2}', "{a: 1, a: 2}", '{"a": 1, "a": 2', '{"a": 1, "a": True}'):
        kept = mended(language, content)
        assert kept == content


@pytest.mark.parametrize(
    ("language", "broken", "whole"),
    [
        ("json", '{"a": 1\n"b": 2}', '{"a": 1,\n"b": 2}'),
        ("toml", 'a = "b\nc = 1', 'a = "b"\nc = 1'),
        ("yaml", "a: 1\nb: 'x\nc: 1", "a: 1\nb: 'x'\nc: 1"),
        ("markdown", "a\n\n##Title\nb", "a\n\n## Title\nb"),
        ("markdown", "a\n\n```\nb", "a\n\n```\nb\n```"),
        ("text", "a \nb", "a\nb"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("before", ["", "\ufeff", "\n", "\ufeff\n\n", "\n \n"])
def test_a_repair_keeps_byte_order_mark_first_rows_line_ends_and_a_missing_final_line_end(
    language: str, broken: str, whole: str, end: str, before: str
) -> None:
    if language == "toml" and end == "\r":
        return  # TOML knows no such end of a row
    content, wanted = ((before + text).replace("\n", end) for text in (broken, whole))
    found = check_text(language, content)
    named = [one for one in found if one.rule != "final-newline" and not _is_of_first_rows(one, before)]
    assert named
    result, fixed = repair_texts(language, content, named)
    assert list(fixed) == named
    assert result == wanted


def _is_of_first_rows(issue: Issue, before: str) -> bool:
    line = issue.location.line if issue.location else None
    return line is not None and line <= before.count("\n")


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("text", "a \f\nb \n\fc\r\nd \r\n", "a \f\nb\n\fc\r\nd\r\n"),
        ("markdown", "\f\na\t\n", "\f\na\n"),
        ("yaml", "a: 1 \r\n\r\nb: 2\n", "a: 1\r\n\r\nb: 2\n"),
    ],
)
def test_trailing_blanks_are_removed_and_form_feeds_and_mixed_line_ends_stay(
    language: str, before: str, after: str
) -> None:
    named = [one for one in check_text(language, before) if one.rule == "trailing-whitespace"]
    assert repair_texts(language, before, named)[0] == after


def test_a_layout_keeps_byte_order_mark_first_rows_line_ends_and_a_missing_final_line_end() -> None:
    made = formatted_markdown("\ufeff\r\n\r\n* a\r\n* b")
    assert made == "\ufeff\r\n\r\n- a\r\n- b"
    assert formatted_markdown("* a\r\n* b\n") is None  # which end would be meant?


# -- many findings, and large texts ----------------------------------------------------------------


def test_a_hundred_findings_of_a_rule_are_listed_and_the_others_counted() -> None:
    *told, rest = check_text("text", "word \n" * 30_000)
    assert [one.location.line for one in told if one.location] == list(range(1, 101))
    assert rest.message == "29,900 more places where trailing-whitespace applies"
    assert (rest.rule, rest.location) == ("trailing-whitespace", None)


def test_many_findings_are_repaired_in_one_pass_with_three_checks_of_the_text() -> None:
    content = "word \n" * 30_000 + "\tlast\t"
    issues = check_text("text", content)
    result, fixed = repair_texts("text", content, issues)
    assert result == "word\n" * 30_000 + "\tlast\n"
    assert set(fixed) == set(issues)


def test_line_breaks_stay_when_all_rows_of_a_markdown_text_are_repaired() -> None:
    content = "a   \nb  \nc\n\n" * 200
    result, _ = repair_texts("markdown", content, check_text("markdown", content))
    assert result == "a\nb  \nc\n\n" * 200


def test_blanks_in_a_block_of_yaml_are_content_and_those_around_it_go() -> None:
    content = "a: 1 \nb: |\n  x \n  y \nc: 2 \n" + "d: 3 \ne: 4 \n"
    result, fixed = repair_texts("yaml", content, check_text("yaml", content))
    assert result == "a: 1\nb: |\n  x \n  y \nc: 2\nd: 3\ne: 4\n"
    assert [one.location.line for one in fixed if one.location] == [1, 5, 6, 7]


def test_helpful_edits_are_made_even_if_another_does_not_help() -> None:
    content = "a\n\n##b\n\n(c)[./d] \\(e)[./f]\n\n(g)[./h] ]: (i)[./j]\n"
    before = count_findings("markdown", content)
    result, fixed = repair_texts("markdown", content, check_text("markdown", content))
    assert count_findings("markdown", result).total() == before.total() - len(fixed)
    assert "## b" in result


@pytest.mark.parametrize(
    ("language", "content"),
    [
        ("markdown", "| a |\n|-" + " " * 200_000 + "x\n"),
        ("markdown", "| a | b |\n|" + "-" * 200_000 + "x\n"),
        ("markdown", "`" * 200_000 + "a\n"),
        ("markdown", " ".join("`" * n for n in range(1, 600)) + "\n"),
        ("markdown", "[" * 200_000 + "\n"),
        ("markdown", "*a " * 70_000 + "\n"),
        ("text", "word \n" * 30_000),
        ("text", "a\rb\n" * 50_000),
        ("json", "/*" * 100_000),
        ("json", '{"a": 1, // b\n' * 10_000),
        ("json", '{"\\"' + '"\\"' * 60_000),
        ("jsonc", "[1," + " " * 200_000 + "x"),
        ("json", "{" + '"a": 1,' * 20_000 + '"a": 2}'),
    ],
)
def test_a_large_text_is_checked_and_repaired_in_linear_time(language: str, content: str) -> None:
    # Were the time in proportion to the square, this would not end within the minute that a test may take.
    repair_texts(language, content, check_text(language, content))


def test_a_text_that_may_take_quadratic_time_to_parse_is_not_quick() -> None:
    assert is_quick("toml", "a = 1\n" * 1_000)
    assert not is_quick("toml", "a." * 100 + "b = 1\n")
    assert not is_quick("yaml", "- a\n" * 5_000)
    assert not is_quick("markdown", "a\n\n" * 100_000)
    assert is_quick("text", "a\n" * 50_000)
    assert not is_quick("text", "a\n" * 500_000)
