"""JSON with repeated small syntax errors: fixed if two independent readings agree. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from jido_ai.text.json_comments import without_comments

_MAX_CHARS: Final = 100_000
_MAX_DEPTH: Final = 100
_TOKEN: Final = re.compile(
    r"""(?P<blank>[ \t\r\n]+)|(?P<comment>//[^\r\n]*|/\*.*?\*/)|(?P<string>"(?:[^"\\\r\n]|\\.)*")"""
    r"""|(?P<single>'[^'"\\\r\n]*')|(?P<number>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.]))"""
    r"""|(?P<word>[A-Za-z_]\w*)|(?P<mark>[][{}:,])""",
    re.DOTALL,
)
_WORDS: Final = {"true": "true", "false": "false", "null": "null", "True": "true", "False": "false", "None": "null"}
_CLOSERS: Final = {"{": "}", "[": "]"}


def repair_json(text: str, *, lenient: bool = False) -> str | None:
    """Return the JSON text with its errors fixed and everything else unchanged; None if the fix is ambiguous.

    Fixed are: commas before a closing bracket, missing commas between two rows, single quotes, keys without quotes,
    True, False and None, and unclosed brackets at the end. The result must equal that of the library json-repair, which
    works independently; no string or number is added, lost or changed.

    Comments stay. In a text with comments, or if `lenient` is true (JSON with comments), commas before a closing
    bracket are allowed and stay.
    """
    if len(text) > _MAX_CHARS:
        return None
    lenient = lenient or without_comments(text).first_comment is not None
    pieces = _pieces(text, keeps_commas=lenient)
    if pieces is None:
        return None
    repaired = "".join(pieces)
    try:
        meaning = json.loads(without_comments(repaired).plain if lenient else repaired)
    except (ValueError, RecursionError):
        return None
    import json_repair  # noqa: PLC0415 - slow to load, and seldom needed

    second: object = json_repair.repair_json(without_comments(text).plain, return_objects=True, skip_json_loads=True)  # pyright: ignore[reportUnknownVariableType]
    return repaired if repr(second) == repr(meaning) else None


def _pieces(text: str, *, keeps_commas: bool) -> list[str] | None:
    """Return the text in pieces with the errors fixed; None if a piece is unknown or two meet in one row."""
    pieces: list[str] = []
    opened: list[str] = []
    last = ""  # kind of the last piece that counts: "value", "open", "comma", "colon"
    last_at = 0  # where it is among the pieces
    is_bare = False  # it is a word without quotes, so a colon must follow
    row_ended = False
    for kind, token in _tokens(text):
        piece = token
        if kind is None or len(opened) > _MAX_DEPTH:
            return None
        if kind in ("blank", "comment"):
            row_ended = row_ended or "\n" in piece or "\r" in piece
            pieces.append(piece)
            continue
        if is_bare and piece != ":":
            return None
        is_bare = kind == "word" and piece not in _WORDS
        if kind == "mark" and piece in "]}":
            if not opened or _CLOSERS[opened.pop()] != piece:
                return None
            if last == "comma" and not keeps_commas:
                pieces[last_at] = ""
            last = "value"
        elif kind == "mark" and piece in "[{":
            if not _made_room(pieces, last, last_at, row_ended):
                return None
            opened.append(piece)
            last = "open"
        elif kind == "mark":
            if last != "value":
                return None
            last = "comma" if piece == "," else "colon"
        else:
            if not _made_room(pieces, last, last_at, row_ended):
                return None
            piece, last = _scalar(kind, piece), "value"
        last_at, row_ended = len(pieces), False
        pieces.append(piece)
    if not opened:
        return pieces
    if last in ("comma", "colon"):
        return None
    return [*pieces[: last_at + 1], *(_CLOSERS[one] for one in reversed(opened)), *pieces[last_at + 1 :]]


def _made_room(pieces: list[str], last: str, last_at: int, row_ended: bool) -> bool:
    """Put a comma between two values, when a row ended between them; False when none did."""
    if last != "value":
        return True
    pieces[last_at] += ","
    return row_ended


def _scalar(kind: str, piece: str) -> str:
    if kind == "single":
        return f'"{piece[1:-1]}"'
    if kind == "word":
        return _WORDS.get(piece, f'"{piece}"')
    return piece


def _tokens(text: str) -> Iterator[tuple[str | None, str]]:
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            yield None, text[place]
            return
        yield found.lastgroup, found[0]
        place = found.end()
