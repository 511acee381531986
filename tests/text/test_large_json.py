"""JSON in pieces is the JSON that is written at once, however small the pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.text import large_json
from jido_ai.text.large_json import json_pieces, read_json, size_of
from jido_ai.values import Episode, Event, EventType

TEXTS = st.text(st.characters(exclude_categories=()), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
KEYS = TEXTS | st.integers(0, 3) | st.booleans() | st.none()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=6) | st.lists(inner, max_size=6).map(tuple) | st.dictionaries(KEYS, inner),
    max_leaves=25,
)


@settings(max_examples=150, deadline=None)
@given(VALUES, st.integers(1, 20))
def test_the_pieces_form_the_text_of_json_and_are_read_as_json_reads_them(value: Any, piece: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_json, "_PIECE", piece)
        pieces, read = json_pieces(value)
    whole = json.dumps(value, ensure_ascii=False, allow_nan=False)
    assert "".join(pieces) == whole
    assert repr(read) == repr(json.loads(whole))


@pytest.mark.parametrize(
    "value",
    [
        {"text": "x" * 1_000_000},
        {"steps": ["a step of the trace"] * 50_000},
        {"steps": {f"name {n}": {"n": n} for n in range(20_000)}},
        [["x" * 300_000, ["y" * 300_000]]],
    ],
    ids=["one text", "many items", "many fields", "nested"],
)
def test_no_piece_of_a_large_value_is_large(value: object) -> None:
    pieces, read = json_pieces(value)
    assert "".join(pieces) == json.dumps(value)
    assert read == value
    assert max(map(len, pieces)) < 100_000


@pytest.mark.parametrize("wrong", [float("nan"), {1, 2}, object(), b"bytes"], ids=["nan", "set", "object", "bytes"])
def test_a_value_that_json_refuses_is_refused_in_pieces_too(wrong: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        json_pieces({"text": "x" * 50_000, "inner": [wrong]})


def test_a_large_value_that_contains_itself_is_refused() -> None:
    value: dict[str, object] = {"text": "x" * 50_000}
    value["inner"] = [value]
    with pytest.raises(ValueError, match="Circular"):
        json_pieces(value)


def test_a_large_value_in_two_places_is_written_twice() -> None:
    text = ["x" * 50_000]
    assert json_pieces([text, text])[1] == [text, text]


def test_a_size_counts_texts_names_and_values_and_stops_at_the_limit() -> None:
    assert size_of("abc", 10) == 3
    assert size_of({"ab": ["c", 1]}, 10) == 1 + 2 + 1 + 1 + 1
    assert size_of("x" * 1000, 10) > 10
    episode = Episode("p", events=(Event(EventType.TOOL_CALL, "x" * 500),) * 3)
    assert 1500 <= size_of(episode, 10_000) < 3000
    endless: list[object] = []
    endless.append(endless)
    assert size_of(endless, 10) == 11


@pytest.mark.parametrize("text", ['{"a": "\\ud83d"}', '{"a": "\ud83d"}'], ids=["escaped", "as it is"])
def test_half_a_character_is_read_from_text_and_from_bytes(text: str) -> None:
    assert read_json(text) == {"a": "\ud83d"}
    assert read_json(text.encode("utf-8", "surrogatepass")) == {"a": "\ud83d"}
