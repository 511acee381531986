"""Lines and events, however the bytes are cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, lists, sampled_from, text

from jido_ai.models.providers.sse import EventDecoder, LineDecoder

LINES = lists(text(alphabet="aé☃\u2028 :", max_size=6), max_size=6)


def cut(data: bytes, at: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(place % (len(data) + 1) for place in at)})
    return [data[begin:end] for begin, end in pairwise(places)]


def lines_of(chunks: list[bytes]) -> list[str]:
    decoder = LineDecoder()
    return [line for chunk in chunks for line in decoder.feed(chunk)] + decoder.finish()


def events_of(*chunks: bytes) -> list[str]:
    decoder = EventDecoder()
    return [event for chunk in chunks for event in decoder.feed(chunk)] + decoder.finish()


@given(LINES, sampled_from(["\n", "\r\n", "\r"]), lists(integers(0, 200), max_size=8))
@settings(max_examples=200, deadline=None)
def test_lines_do_not_depend_on_the_ends_of_pieces(lines: list[str], end: str, at: list[int]) -> None:
    data = "".join(line + end for line in lines).encode()
    assert lines_of(cut(data, at)) == lines


@given(LINES, sampled_from(["\n", "\r\n"]), lists(integers(0, 400), max_size=8))
@settings(max_examples=200, deadline=None)
def test_the_data_of_events_does_not_depend_on_the_ends_of_pieces(texts: list[str], end: str, at: list[int]) -> None:
    data = "".join(f"event: x{end}data: {text}{end}{end}: ping{end}" for text in texts).encode()
    assert events_of(*cut(data, at)) == texts


def test_data_on_several_lines_is_one_event() -> None:
    assert events_of(b"data: one\ndata:two\n\n") == ["one\ntwo"]


def test_comments_names_and_empty_events_are_ignored() -> None:
    assert events_of(b": hi\nid: 1\nretry: 5\nevent: ping\n\n\n\ndata\n\n") == [""]


def test_a_byte_order_mark_is_not_part_of_the_first_line() -> None:
    assert events_of(b"\xef\xbb\xbfdata: a\n\n") == ["a"]


def test_an_event_without_a_blank_line_at_the_end_counts() -> None:
    assert events_of(b"data: a\n\ndata: b") == ["a", "b"]


def test_bytes_that_are_not_utf8_are_an_error() -> None:
    with pytest.raises(UnicodeDecodeError):
        events_of(b"data: \xff\n\n")
