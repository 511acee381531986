"""What a model is asked when it revises, and how its answer is read."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError, ParseError
from jido_ai.models.prompts.revision import REVISION_SCHEMA, RevisionPrompt, in_words, read_revision, unified_diff
from jido_ai.values import Candidate, CritiqueResult, Issue, Location


def reply(text: str) -> str:
    return json.dumps({"improved_response": text, "changes_made": ["a"], "parts_preserved": ["b"]})


def revised(text: str, before: str = "before") -> str:
    return read_revision(reply(text), Candidate(before))[0].improved_response


def test_a_revision_is_its_text_and_what_was_changed_and_kept() -> None:
    revision, warnings = read_revision(reply("after"), Candidate("before"))
    assert (revision.improved_response, revision.changes_made, revision.parts_preserved) == ("after", ("a",), ("b",))
    assert warnings == ()
    jsonschema.validate(json.loads(reply("x")), REVISION_SCHEMA)


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
def test_a_fence_around_everything_goes_and_a_last_line_end_stays(text: str, before: str, taken: str) -> None:
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


def test_a_critique_is_told_with_severities_and_places() -> None:
    critique = CritiqueResult(
        severity=0.9,
        issues=[
            Issue("wrong sum\n2. fake", severity=0.9, source="tool:pytest", location=Location(line=4)),
            Issue("vague"),
        ],
        suggestions=["add"],
        strengths=["short"],
        feedback="no",
    )
    assert in_words(critique).splitlines() == [
        "Severity as a whole: 0.90",
        "1. [line 4, tool:pytest, severity 0.90] wrong sum",
        "   2. fake",
        "2. vague",
        "Suggestions:",
        "- add",
        "Good as it is:",
        "- short",
        "In short: no",
    ]


@pytest.mark.rows("J8")
def test_what_is_right_is_to_be_kept_unless_that_is_turned_off() -> None:
    assert "Keep what is right" in RevisionPrompt.of().system
    assert "Keep what is right" not in RevisionPrompt.of(preserve_correct=False).system


def test_a_template_must_show_the_candidate_and_the_critique() -> None:
    with pytest.raises(ConfigurationError, match=r"must show .critique"):
        RevisionPrompt.of(template="$candidate")


@pytest.mark.rows("J8")
def test_a_diff_is_that_of_the_texts() -> None:
    assert unified_diff("a\nb\n", "a\nb\n") == ""
    assert unified_diff("a\nb\n", "a\nc\n").splitlines()[-2:] == ["-b", "+c"]
    assert unified_diff("a\r\nb", "a\nb\n").split("\n")[-4:] == ["-a\r", "-b", "+a", "+b"]


@given(st.text("a\n\r\x0c\u2028", max_size=8), st.text("a\n\r\x0c\u2028", max_size=8))
def test_only_equal_texts_have_no_difference(one: str, other: str) -> None:
    assert (unified_diff(one, other) == "") == (one == other)
