"""What a model is asked when it revises, and how its answer is read."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError, EditError, ParseError
from jido_ai.models.prompts.revision import (
    SCHEMAS,
    RevisionPrompt,
    changes_in_words,
    read_edits,
    read_revision,
    read_text,
)
from jido_ai.models.prompts.source_file import SourceFile
from jido_ai.text.change import unified_diff
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, Location


def reply(text: str) -> str:
    return json.dumps({"improved_response": text, "changes_made": ["a"], "parts_preserved": ["b"]})


def revised(text: str, before: str = "before") -> str:
    return read_revision(reply(text), Candidate(before))[0].improved_response


def test_a_revision_has_its_text_its_changes_and_the_parts_kept() -> None:
    revision, warnings = read_revision(reply("after"), Candidate("before"))
    assert (revision.improved_response, revision.changes_made, revision.parts_preserved) == ("after", ("a",), ("b",))
    assert warnings == ()
    jsonschema.validate(json.loads(reply("x")), SCHEMAS["json"])


@pytest.mark.parametrize(
    ("text", "before", "taken"),
    [
        ("x = 1", "x = 2\n", "x = 1\n"),
        ("```python\nx = 1\n```", "x = 2", "x = 1"),
        ("```python\nx = 1\n```", "```\nx = 2\n```", "```python\nx = 1\n```"),
        ("Do:\n```\nx\n```", "Do", "Do:\n```\nx\n```"),
        ("```\na\n```\nand\n```\nb\n```", "Do", "```\na\n```\nand\n```\nb\n```"),
    ],
)
def test_a_fence_around_everything_is_removed_and_a_last_line_end_stays(text: str, before: str, taken: str) -> None:
    assert revised(text, before) == taken


@pytest.mark.parametrize(
    "text",
    [
        '{"changes_made": ["all"]}',
        reply(" "),
        '{"improved_response": "\\ud800"}',
        reply("x")[:-1],
        reply("a long text")[:30],
        '{"improved_response": "say "hi" to all", "changes_made": []}',
        "Here is the improved text: x",
    ],
)
def test_no_half_or_guessed_text_is_taken(text: str) -> None:
    with pytest.raises(ParseError):
        read_revision(text, Candidate("before"))


CODE = "def total(prices):\n    return sum(prices[1:])\n"


def edits(*pairs: tuple[str, str]) -> str:
    told = {"edits": [{"search": old, "replace": new} for old, new in pairs], "changes_made": []}
    jsonschema.validate(told, SCHEMAS["edits"])
    return json.dumps(told)


def test_edits_make_the_revision_and_nothing_else_changes() -> None:
    revision, warnings = read_edits(edits(("prices[1:]", "prices"), ("total", "sum_of")), Candidate(CODE))
    assert revision.improved_response == "def sum_of(prices):\n    return sum(prices)\n"
    assert warnings == ()
    assert read_edits(edits(), Candidate(CODE))[0].improved_response == CODE


@pytest.mark.parametrize(
    "text",
    [
        edits(("prices", "p")),
        edits(("sum(prices[1:])", "sum(prices)"), ("product", "p")),
        edits((CODE, "")),
        edits((CODE, " \n")),
        edits(("total", "x"))[:-1],
        edits(("total", "x"))[:40],
        '{"edits": [{"search": "total"}]}',
        '{"edits": [{"search": "total", "replace": "\\ud800"}]}',
        '{"edits": [{"search": "total", "replace": "say "hi" to all"}]}',
        '{"edits": [{"search": "total", "replace": "a"}, {"search": "total", "replace": "b", "replace": "c"}]}',
        reply(CODE),
        '{"edits": ' + json.dumps([{"search": "total", "replace": "x"}] * 101) + "}",
    ],
)
def test_edits_that_cannot_be_applied_are_an_unreadable_reply(text: str) -> None:
    with pytest.raises(ParseError):
        read_edits(text, Candidate(CODE))


def test_an_edit_that_cannot_be_applied_is_an_error_of_its_own_with_the_reply() -> None:
    text = edits(("total", "x"), ("prices", "p"))
    with pytest.raises(EditError, match=r"edit 2: .* more than once, at lines 1, 2") as caught:
        read_edits(text, Candidate(CODE))
    assert (caught.value.number, caught.value.raw) == (2, text)


def test_a_text_is_the_revision_and_its_changes_are_computed() -> None:
    revision, warnings = read_text("The moon is 384,400 km away.", Candidate("The moon is far away."))
    assert (revision.improved_response, warnings) == ("The moon is 384,400 km away.", ())
    assert revision.changes_made == ("'far' -> '384,400 km'",)


def test_a_model_that_insists_on_json_is_understood_where_a_text_was_asked_for() -> None:
    assert read_text(reply("after"), Candidate("before"))[0].improved_response == "after"
    own = reply("x")
    assert read_text(reply("y"), Candidate(own))[0].improved_response == reply("y"), "the answer itself is such JSON"


@pytest.mark.parametrize("text", ["", " \n", "x" * 1_000_001, reply("a long text")[:30]])
def test_a_text_that_is_blank_too_long_or_half_an_object_is_rejected(text: str) -> None:
    with pytest.raises(ParseError):
        read_text(text, Candidate("before"))


def test_changes_are_shown_by_words_within_a_line_and_otherwise_by_lines() -> None:
    assert changes_in_words("a b c", "a x c") == ("'b' -> 'x'",)
    assert changes_in_words("a\nb\nc", "a\nc\nd") == ("'b' -> ''", "'' -> 'd'")
    assert changes_in_words("same", "same") == ()
    assert changes_in_words("\n".join("abcdefghijklmnopqrstuvwxyz"), "\n".join("aXcXeXgXiXkXmXoXqXsXuXwXyX"))[-1] == (
        "and 3 more"
    )


def asked(prompt: RevisionPrompt, candidate: str = CODE, **settings: object) -> tuple[str, str]:
    critique = CritiqueResult(severity=0.9, issues=[Issue("unused", location=Location(line=2))])
    system, user = prompt.messages("improve it", candidate, critique, (), **settings)  # type: ignore[arg-type]
    return system.content, user.content


def test_a_source_file_is_shown_with_its_name_and_without_line_numbers() -> None:
    source = SourceFile("shop/total.py", "python", {"shop/tax.py": "RATE = 0.2\n"})
    _, user = asked(RevisionPrompt.of(), source=source)
    assert "File: shop/total.py\nLanguage: python\n" in user
    assert f"<candidate>\n{CODE}\n</candidate>" in user
    assert "File: shop/tax.py\n1 | RATE = 0.2\n" in user
    assert "- line 2 (`return sum(prices[1:])`): unused" in user


def test_the_task_comes_first_and_the_last_line_says_what_to_write() -> None:
    _, user = asked(RevisionPrompt.of())
    assert user.startswith("improve it\n\n")
    assert user.splitlines()[-1] == "Write the whole improved answer, and nothing else."
    assert "file" not in user and "project" not in user


def test_edits_are_requested_with_the_rule_for_reading_them() -> None:
    system, user = asked(RevisionPrompt.of(system="Be terse."), source=SourceFile("a.py"), form="edits")
    assert system.startswith("Be terse.")
    assert '"search"' in user and "occurs in it once" in user and "improved_response" not in user


@pytest.mark.parametrize("template", [None, "$candidate\n\n$critique", "$critique $attempts $candidate"])
def test_every_template_mentions_failed_revisions(template: str | None) -> None:
    before = asked(RevisionPrompt.of(template=template))[1]
    failed = Iteration(1, Candidate("worse"), CritiqueResult(severity=0.9, issues=["no number"]), gain=-0.4)
    broke = failed.replace(broken=["t:test_total"], candidate=Candidate("broken"))
    after = asked(RevisionPrompt.of(template=template), setbacks=(broke,), attempts=(failed,))[1]
    for text in ("t:test_total", "no number", "+worse", "+broken"):
        assert text in after and text not in before


def test_a_long_critique_does_not_displace_failed_revisions() -> None:
    failed = Iteration(1, Candidate("worse"), CritiqueResult(severity=0.9), gain=-0.4)
    critique = CritiqueResult(severity=0.9, issues=["x" * 9_000, "y" * 9_000])
    (_, user) = RevisionPrompt.of(max_chars=2_000).messages("p", "first", critique, (), attempts=(failed,))
    assert "+worse" in user.content


@pytest.mark.rows("J8")
def test_the_request_asks_for_no_other_changes_unless_turned_off() -> None:
    assert "change nothing else" in asked(RevisionPrompt.of())[1]
    assert "change nothing else" not in asked(RevisionPrompt.of(preserve_correct=False))[1]


def test_a_template_must_show_the_candidate_and_the_critique() -> None:
    with pytest.raises(ConfigurationError, match=r"must show .critique"):
        RevisionPrompt.of(template="$candidate")


@pytest.mark.rows("J8")
def test_the_diff_is_computed_from_the_texts() -> None:
    assert unified_diff("a\nb\n", "a\nb\n") == ""
    assert unified_diff("a\nb\n", "a\nc\n").splitlines()[-2:] == ["-b", "+c"]
    assert unified_diff("a\r\nb", "a\nb\n").split("\n")[-4:] == ["-a\r", "-b", "+a", "+b"]


@given(st.text("a\n\r\x0c\u2028", max_size=8), st.text("a\n\r\x0c\u2028", max_size=8))
def test_only_equal_texts_have_no_difference(one: str, other: str) -> None:
    assert (unified_diff(one, other) == "") == (one == other)
