"""What is masked before it is remembered, and what is not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.text.redaction import MASK, may_need_redaction, redact, redact_values

# Put together here, so that no scanner takes this file for a leak.
AWS = "AKIA" + "IOSFODNN7EXAMPLE"
GITHUB = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
OPENAI = "sk-proj-" + "abcdefghij0123456789"
JWT = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxIn0" + ".abcDEF123"
PEM = "-----BEGIN RSA PRIVATE" + " KEY-----"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("password=hunter2", f"password={MASK}"),
        ("Passwd: hunter2, next", f"Passwd: {MASK}, next"),
        ("DB_PASSWORD='a b c' ok", f"DB_PASSWORD='{MASK}' ok"),
        ('{"api_key": "abc", "x": 1}', f'{{"api_key": "{MASK}", "x": 1}}'),
        (r"{\"password\": \"hunter2\"}", rf"{{\"password\": \"{MASK}\"}}"),
        ("token: swordfish", f"token: {MASK}"),
        ("api_key=...swordfish", f"api_key={MASK}"),
        ("api_key=..5", f"api_key={MASK}"),
        ("token: abc123 is what it takes", f"token: {MASK} is what it takes"),
        ("token: aBcDeFgHiJ is mixed", f"token: {MASK} is mixed"),
        ("token: ABCDEFGHIJKLMNOP and so on", f"token: {MASK} and so on"),
        ("token: abcdefghijklmnop and so on", f"token: {MASK} and so on"),
        ("invalid token: 1f0c2d3e", f"invalid token: {MASK}"),
        ("unexpected token: abcdefghijklmnop", f"unexpected token: {MASK}"),
        ("token=found character", f"token={MASK} character"),
        ("password: swordfish is what they use", f"password: {MASK} is what they use"),
        ("client_secret: swordfish is what they use", f"client_secret: {MASK} is what they use"),
        ("Secret: Swordfish goes on", f"Secret: {MASK} goes on"),
        ("password: found1", f"password: {MASK}"),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG", f"AWS_SECRET_ACCESS_KEY={MASK}"),
        (f"id {AWS} and {GITHUB}", f"id {MASK} and {MASK}"),
        (f"use {OPENAI}.", f"use {MASK}."),
        (f"jwt {JWT}", f"jwt {MASK}"),
        ("Authorization: Basic dXNlcjpwYXNz", f"Authorization: Basic {MASK}"),
        ("bearer abc.def-123456", f"bearer {MASK}"),
        ("postgres://bob:s3cret@db/x", f"postgres://bob:{MASK}@db/x"),
        (f"{PEM}\nabc\n{PEM.replace('BEGIN', 'END')}\nrest", f"{MASK}\nrest"),
        (f"{PEM}\nabc, cut off", MASK),
    ],
)
def test_secrets_are_masked_and_their_names_stay(text: str, masked: str) -> None:
    assert redact(text) == masked
    assert redact(masked) == masked


@pytest.mark.parametrize(
    "text",
    [
        "password: str, token: int = 3",
        "token = tokenizer.next()",
        "api_key=os.environ['KEY']",
        "max_tokens=100 and num_tokens: 55",
        "bearer authentication is fine",
        "while scanning for the next token: found character '\\t' that cannot start any token",
        "expected the next token: found unknown escape",
        "SyntaxError: Unexpected token: punc (})",
        "Unexpected token: ILLEGAL",
        "unexpected token: identifier.",
        "Unknown token: Keyword",
        "the last token: a comma",
        "token: expired yesterday",
        "password: must have a digit",
        "Password: required.",
        "invalid credentials: missing",
        "secret: not set",
        "secretary: Bob",
        "the key: value pairs of a monkey",
        "me@example.com from 10.0.0.3",
        "set OPENAI_API_KEY or pass api_key=...; for a server without one",
        "f(api_key=..., token=...)",
    ],
)
def test_ordinary_text_and_code_stay_as_they_are(text: str) -> None:
    assert redact(text) == text


def test_the_level_all_also_masks_mail_and_private_addresses() -> None:
    text = "me@example.com at 10.0.0.3, fd00::1 and ::1, not 8.8.8.8, 12:30:45 or std::vector"
    assert redact(text, "all") == f"{MASK} at {MASK}, {MASK} and {MASK}, not 8.8.8.8, 12:30:45 or std::vector"


def test_the_level_none_masks_nothing() -> None:
    assert redact("password=hunter2", "none") == "password=hunter2"
    assert redact_values({"password": "x"}, "none") == {"password": "x"}


def test_values_are_masked_by_name_and_by_shape_at_any_depth() -> None:
    values = {"token": "abc", "n": 1, "deep": [{"db_password": "x", "note": f"see {AWS}"}], "tokens": "5"}
    assert redact_values(values) == {
        "token": MASK,
        "n": 1,
        "deep": [{"db_password": MASK, "note": f"see {MASK}"}],
        "tokens": "5",
    }


def test_a_secret_used_as_a_name_is_masked_too() -> None:
    assert redact_values({AWS: 1, "by key": {f"{OPENAI}{'x' * 100}": 2}}) == {MASK: 1, "by key": {MASK: 2}}
    assert redact_values({AWS: 1}, "none") == {AWS: 1}


@given(st.text(max_size=30), st.text(max_size=30), st.sampled_from([AWS, GITHUB, OPENAI, JWT]))
def test_a_token_is_masked_in_any_surroundings(before: str, after: str, token: str) -> None:
    assert token not in redact(f"{before} {token} {after}")


def test_a_secret_deep_in_a_long_text_is_found() -> None:
    line = "nothing to see here, move on\n"
    assert redact(f"{line * 3000}password=hunter2\n{line * 3000}") == f"{line * 3000}password={MASK}\n{line * 3000}"


_PARTS = [
    *(AWS, GITHUB, OPENAI, JWT, PEM, "AIza" + "x" * 32, "ya29." + "x" * 24, "hf_" + "x" * 24, "npm_" + "x" * 32),
    *("glpat-" + "x" * 20, "pypi-" + "x" * 44, "xoxb-" + "x" * 12, "sk_" + "live_" + "x" * 12),
    *("github_" + "pat_" + "x" * 24, "Bearer", "bearer", "abc123def", "Authorization", "Basic", "https://me:pw@host"),
    *(
        "password",
        "Passwd",
        "API_KEY",
        "apikey",
        "token",
        "client-secret",
        "=",
        ": ",
        " => ",
        '"',
        "'",
        " ",
        "\n",
        "é",
        ".",
    ),
]


@given(st.lists(st.sampled_from(_PARTS), max_size=8).map("".join))
def test_a_text_that_seems_to_need_no_redaction_is_returned_unchanged(text: str) -> None:
    if not may_need_redaction(text):
        assert redact(text) == text


_TEXTS = st.lists(st.sampled_from([*_PARTS, "\t", "\\", "paſſword", "\n", "\0"]), max_size=6).map("".join)


@given(
    st.recursive(
        _TEXTS | st.integers() | st.none(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
        max_leaves=5,
    )
)
def test_a_value_whose_json_seems_to_need_no_redaction_is_left_as_it_is(value: object) -> None:
    for text in (json.dumps({"data": value}, ensure_ascii=False), json.dumps({"token": value}, ensure_ascii=False)):
        if not may_need_redaction(text):
            assert redact_values(json.loads(text)) == json.loads(text)


@pytest.mark.parametrize(
    "values",
    [
        {"input_tokens": 12, "output_tokens": 3, "task_type": "code"},
        {"key": "a", "keys": ["b: c"], "note": "see https://example.com/a?b=c"},
    ],
)
def test_records_of_runs_are_seen_to_need_no_redaction(values: dict[str, object]) -> None:
    assert not may_need_redaction(json.dumps(values))


@pytest.mark.parametrize("text", ["a plain sentence", "An app: no_one - so it is.", "sort by date = yes"])
def test_ordinary_text_needs_no_redaction(text: str) -> None:
    assert not may_need_redaction(text)
