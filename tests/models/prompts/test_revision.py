"""What a model is asked when it revises, and how its answer is read."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError, EditError, ParseError
from jido_ai.models.prompts.revision import (
    EDITS_SCHEMA,
    REVISION_SCHEMA,
    RevisionPrompt,
    critique_in_words,
    read_edits,
    read_revision,
    unified_diff,
)
from jido_ai.models.prompts.source_file import SourceFile
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, Location


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


CODE = "def total(prices):\n    return sum(prices[1:])\n"


def edits(*pairs: tuple[str, str]) -> str:
    told = {"edits": [{"search": old, "replace": new} for old, new in pairs], "changes_made": [], "parts_preserved": []}
    jsonschema.validate(told, EDITS_SCHEMA)
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


def test_a_text_with_our_line_numbers_in_it_is_not_taken() -> None:
    copied = reply("1 | def total(prices):\n2 |     return sum(prices)")
    with pytest.raises(ParseError, match="without them"):
        read_revision(copied, Candidate(CODE), was_numbered=True)
    table = "1 | one\n2 | two"
    assert read_revision(reply(table), Candidate(table), was_numbered=True)[0].improved_response == table


def asked(prompt: RevisionPrompt, candidate: str = CODE, **settings: object) -> tuple[str, str]:
    critique = CritiqueResult(severity=0.9, issues=[Issue("unused", location=Location(line=2))])
    system, user = prompt.messages("improve it", candidate, critique, (), **settings)  # type: ignore[arg-type]
    return system.content, user.content


def test_a_source_file_is_asked_about_as_such() -> None:
    source = SourceFile("shop/total.py", "python", {"shop/tax.py": "RATE = 0.2\n"})
    system, user = asked(RevisionPrompt.of(), source=source)
    assert all(text in system for text in ("source file", "Keep the behaviour", "public names", '"NUMBER | TEXT"'))
    assert "File: shop/total.py\nLanguage: python\n" in user
    assert "\n1 | def total(prices):\n2 |     return sum(prices[1:])\n</candidate_" in user
    assert "File: shop/tax.py\n1 | RATE = 0.2\n" in user
    assert "1. [line 2] unused" in user
    assert "public names" not in asked(RevisionPrompt.of(), source=SourceFile("a.md", "markdown"))[0]


def test_without_a_file_nothing_is_numbered_and_nothing_is_said_of_code() -> None:
    system, user = asked(RevisionPrompt.of())
    assert "source file" not in system
    assert f"\n{CODE}\n</candidate_" in user
    assert "file_" not in user and "project_" not in user


def test_edits_are_asked_for_with_the_rule_that_they_are_read_by() -> None:
    system, _ = asked(RevisionPrompt.of(system="Be terse."), source=SourceFile("a.py"), by_edits=True)
    assert system.startswith("Be terse.")
    assert '"search"' in system and "exactly once" in system and "improved_response" not in system


@pytest.mark.parametrize("template", [None, "$candidate\n\n$critique", "$critique $attempts $candidate"])
def test_every_template_tells_of_the_revisions_that_failed(template: str | None) -> None:
    before = asked(RevisionPrompt.of(template=template))[1]
    failed = Iteration(1, Candidate("worse"), CritiqueResult(severity=0.9, issues=["no number"]), gain=-0.4)
    broke = failed.replace(broken=["t:test_total"], candidate=Candidate("broken"))
    after = asked(RevisionPrompt.of(template=template), setbacks=(broke,), attempts=(failed,))[1]
    for text in ("t:test_total", "no number", "+worse", "+broken"):
        assert text in after and text not in before


def test_a_long_critique_does_not_push_out_what_failed() -> None:
    failed = Iteration(1, Candidate("worse"), CritiqueResult(severity=0.9), gain=-0.4)
    critique = CritiqueResult(severity=0.9, issues=["x" * 9_000, "y" * 9_000])
    (_, user) = RevisionPrompt.of(max_chars=2_000).messages("p", "first", critique, (), attempts=(failed,))
    assert "+worse" in user.content


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
    assert critique_in_words(critique).splitlines() == [
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
