"""Edits of a text by search and replace: each search text must occur exactly once. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jido_ai.errors import EditError
from jido_ai.text.printable import clip

MAX_EDITS: Final = 100
"""Edits that are applied at once."""
_PLACES_NAMED: Final = 3
_QUOTED_CHARS: Final = 80
_NUMBERED_LINE: Final = re.compile(r"[ \t]*\d+ \|(?: .*)?")
"""A line with its number beside it, as prompts show it."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """Replace the one place where `search` occurs with `replace`."""

    search: str
    replace: str


def apply_edits(text: str, edits: Sequence[Replacement]) -> str:
    r"""Return the text with all edits applied, or raise and apply none.

    Every search text is looked up in `text` as it was given, never in the result of another edit, so the order of the
    edits does not matter. Nothing is matched loosely, with one exception that leaves no choice: in a text whose lines
    all end in "\r\n", a "\n" in an edit without any "\r" stands for "\r\n".

    Args:
        edits: at most 100; none leaves the text as it is.

    Raises:
        EditError: a search text is empty, does not occur, or occurs more than once (occurrences that overlap count);
            two edits overlap; or there are too many. The message says which edit and why; `number` counts from 1.
    """
    if len(edits) > MAX_EDITS:
        raise EditError(f"there are {len(edits)} edits; at most {MAX_EDITS} can be applied", number=MAX_EDITS + 1)
    has_crlf = "\r\n" in text and text.count("\r\n") == text.count("\n") == text.count("\r")
    spans: list[tuple[int, int, int, str]] = []
    for number, edit in enumerate(edits, 1):
        search, replacement = edit.search, edit.replace
        if has_crlf and "\r" not in search and "\r" not in replacement:
            search, replacement = search.replace("\n", "\r\n"), replacement.replace("\n", "\r\n")
        start = _only_place(text, search, number)
        spans.append((start, start + len(search), number, replacement))
    spans.sort()
    parts: list[str] = []
    end, before = 0, 0
    for start, stop, number, replacement in spans:
        if start < end:
            first, second = sorted((before, number))
            raise EditError(f"edits {first} and {second} overlap; make one edit of them", number=second)
        parts += (text[end:start], replacement)
        end, before = stop, number
    return "".join((*parts, text[end:]))


def _only_place(text: str, search: str, number: int) -> int:
    """Return where the search text occurs. Raises `EditError` unless that is one place."""
    if not search:
        raise EditError(f'edit {number}: "search" is empty', number=number)
    first = text.find(search)
    if first < 0:
        hint = "copy the lines exactly, with their indentation"
        if all(_NUMBERED_LINE.fullmatch(line) for line in search.split("\n")):
            hint = "leave out the line numbers"
        quoted = clip(repr(search[: 2 * _QUOTED_CHARS]), _QUOTED_CHARS)
        raise EditError(f'edit {number}: "search" does not occur in the candidate: {quoted}; {hint}', number=number)
    places = [first]
    while len(places) <= _PLACES_NAMED and (place := text.find(search, places[-1] + 1)) >= 0:
        places.append(place)
    if len(places) == 1:
        return first
    lines = ", ".join(str(text.count("\n", 0, place) + 1) for place in places[:_PLACES_NAMED])
    more = ", and more" if len(places) > _PLACES_NAMED else ""
    raise EditError(
        f'edit {number}: "search" occurs more than once, at lines {lines}{more}; add lines around it until it occurs '
        "exactly once",
        number=number,
    )
