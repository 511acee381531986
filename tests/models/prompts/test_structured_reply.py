"""Reading a JSON object out of what a model wrote."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from jido_ai.errors import ParseError
from jido_ai.models.prompts.structured_reply import Items, LineNumber, Severity, read_reply


class Reply(BaseModel):
    """A small reply."""

    verdict: str
    severity: Severity
    line: LineNumber = None
    notes: Items = ()


GOOD = {"verdict": "fine", "severity": 0.25, "line": 3, "notes": ["a"]}
JSON = json.dumps(GOOD)


@pytest.mark.parametrize(
    "text",
    [
        JSON,
        f"```json\n{JSON}\n```",
        f"Here {{you}} are:\n\n{JSON}\n\nHope this helps!",
        f"{JSON}\n{JSON}",
        f'{{"reply": {JSON}}}',
        f"[{JSON}]",
        JSON.replace('"fine"', '"fine",'),
        JSON[:-1] + ",}",
        JSON.replace('"', "'"),
        JSON.replace('"verdict"', "verdict"),
        JSON.replace("0.25", '"0.25"'),
    ],
    ids=["plain", "fenced", "prose", "twice", "wrapped", "list", "two commas", "comma", "quotes", "bare key", "text"],
)
def test_small_slips_do_not_matter(text: str) -> None:
    read = read_reply(text, Reply).value
    assert (read.verdict, read.severity, read.line, read.notes) == ("fine", 0.25, 3, ("a",))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON object"),
        ("I think it is fine.", "no JSON object"),
        ('{"verdict": "fine"}', "severity: Field required"),
        ('{"verdict": "fine", "severity": null}', "severity: must be a number"),
        ('{"verdict": "fine", "severity": "high"}', "severity: must be a number"),
        ('{"verdict": "fine", "severity": true}', "severity: must be a number"),
        ('{"verdict": "fine", "severity": 7}', r"severity: must be a number from 0 .* to 1 .*, got 7"),
        ('{"verdict": "fine", "severity": NaN}', "severity: must be a number"),
        ('{"verdict": "fine", "severity": 1e999}', "severity: must be a number"),
        (f'{{"verdict": "fine", "severity": {"9" * 5000}}}', "severity: must be a number"),
        ('{"verdict": "fine", "severity": 0.1, "severity": 0.9}', "'severity' occurs twice"),
        ('{"verdict": "fine", "severity": 0.1, "severity": 0.9,}', "'severity' occurs twice"),
        ('{"verdict": "fine", "severity": 0.1} {"verdict": "fine", "severity": 0.9}', "several JSON objects"),
        ('{"verdict": "fine", "severity": 0.1', "cut off"),
        ('{"severity": 0.1, "verdict": "fin', "cut off"),
        # Were they looked at from each bracket on, this would not end within the minute that a test may take.
        ("[" * 1_000_000, "no JSON object"),
        ('{"a":' * 200_000, "nested deeper"),
        ("{" * 1_000_000, "nested deeper"),
        ("x" * 1_000_001, "1000001 characters"),
    ],
)
def test_an_unreadable_reply_is_a_parse_error_that_says_why(text: str, why: str) -> None:
    with pytest.raises(ParseError, match=why) as caught:
        read_reply(text, Reply)
    assert len(caught.value.raw) <= 2_000
    assert caught.value.raw.startswith(text[:100])
    assert len(str(caught.value)) <= 700


def test_an_invalid_line_is_left_out_and_recorded() -> None:
    reading = read_reply('{"verdict": "bad", "severity": 1, "line": -2}', Reply)
    assert (reading.value.severity, reading.value.line) == (1.0, None)
    assert reading.warnings == ("line: is not a line number and was left out",)


def test_several_objects_that_differ_are_refused_unless_the_reply_is_a_verdict() -> None:
    text = '{"verdict": "fine", "severity": 0.1} {"verdict": "bad", "severity": 0.9}'
    with pytest.raises(ParseError, match="several JSON objects"):
        read_reply(text, Reply)
    assert read_reply(text, Reply, judged="").value.verdict == "bad"


def test_repairs_are_recorded() -> None:
    assert read_reply(JSON, Reply).warnings == ()
    assert read_reply(JSON[:-1] + ",}", Reply).warnings == ("the JSON of the reply was repaired",)


def test_a_missing_last_bracket_is_added_only_if_nothing_is_cut_off() -> None:
    assert read_reply(JSON[:-1], Reply, may_be_unclosed=True).value.severity == 0.25
    for text in ('{"severity": 0.1, "verdict": "fin', '{"verdict": "fine", "severity": 0.1, "notes": ["a"'):
        with pytest.raises(ParseError, match="cut off"):
            read_reply(text, Reply, may_be_unclosed=True)


def test_a_verbatim_text_is_never_guessed_by_a_repair() -> None:
    broken = '{"verdict": "print("hi")", "severity": 0.5}'
    assert read_reply(broken, Reply).value.severity == 0.5
    with pytest.raises(ParseError, match="must be escaped"):
        read_reply(broken, Reply, verbatim=("verdict",))
    kept = '{verdict: "print(\\"hi\\")", "severity": 0.5,}'
    assert read_reply(kept, Reply, verbatim=("verdict",)).value.verdict == 'print("hi")'


FRAGMENTS = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        '"',
        "\\",
        '\\"',
        "'",
        ":",
        ",",
        '"a":',
        "1",
        "NaN",
        "//",
        "/*",
        "```",
        "\n",
        "(",
        '"severity":',
    ]
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(FRAGMENTS, min_size=1, max_size=4),
    st.lists(FRAGMENTS, max_size=4),
    st.sampled_from([50, 2_000, 11_000, 200_000]),
)
def test_no_junk_takes_a_minute_or_raises_anything_else(again: list[str], end: list[str], size: int) -> None:
    part = "".join(again)
    text = "{" + part * (size // len(part)) + "".join(end)
    with suppress(ParseError):
        read_reply(text, Reply, may_be_unclosed=True)


@given(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=20), max_size=4), st.text(max_size=60))
def test_a_valid_reply_is_read_unchanged_with_any_texts(extra: dict[str, Any], verdict: str) -> None:
    plain = verdict.encode("utf-8", "replace").decode()
    reply = {**extra, "verdict": plain, "severity": 0.5}
    assert read_reply(json.dumps(reply), Reply, verbatim=("verdict",)).value.verdict == plain
