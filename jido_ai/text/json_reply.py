"""The JSON in a model's reply: whole, in fences or between words, with small slips fixed. Pure.

Nothing is completed, and no part of a text that was cut off is an answer: where a bracket that begins JSON is never
closed, the rest of its region (the fence, or the reply) has no JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, cast

from jido_ai.text.json_slips import repair_json

_MOST_TEXTS: Final = 32
_LONGEST_SCAN: Final = 1_000_000
_FENCE_OR_BRACKET: Final = re.compile(r"(?P<fence>(?P<marks>`{3,}|~{3,})[^\n`]*\n)|[\[{]")
_STRING: Final = r'"(?:[^"\\]|\\.)*+"'
_COMMENT: Final = r"//[^\r\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?|\#[^\r\n]*+"
_TOKEN: Final = re.compile(rf"(?P<string>{_STRING})|(?P<comment>{_COMMENT})|(?P<open>[\[{{])|[\]}}'\"]", re.DOTALL)
_SINGLE: Final = re.compile(r"'[^'\r\n]*'")
_BEGINS_JSON: Final = re.compile(
    rf"""\{{(?:\s|{_COMMENT})*(?:["'}}{{]|[A-Za-z_]\w*\s*:|\Z)"""
    rf"""|\[(?:\s|{_COMMENT})*(?:["'{{\[\]]|-?\d+(?:\.\d+)?\s*(?:,|\Z)|(?:true|false|null)\b|\Z)""",
    re.DOTALL,
)
_STRING_OR_COMMENT: Final = re.compile(rf"(?P<string>{_STRING})|(?:{_COMMENT})", re.DOTALL)
_CONTROL: Final = re.compile(r"[\x00-\x1f]")
_STRINGS: Final = re.compile(_STRING, re.DOTALL)
_HALF: Final = r"[dD][89abAB][0-9a-fA-F]{2}"
_OTHER_HALF: Final = r"[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE: Final = re.compile(rf"\\(?:u{_HALF}\\u{_OTHER_HALF}|(?P<alone>u(?:{_HALF}|{_OTHER_HALF}))|.)", re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def parsed(text: str) -> object:
    """Parse JSON. Raises `ValueError`, or `RecursionError` for one that is nested too deeply."""
    return cast("object", json.loads(text, parse_constant=_refuse))


def plain_data(text: str) -> object:
    """Return the plain values of JSON; None for any other text."""
    try:
        return parsed(text)
    except (ValueError, RecursionError):
        return None


def is_json(text: str) -> bool:
    """Tell whether a text is JSON as it stands."""
    try:
        parsed(text)
    except (ValueError, RecursionError):
        return False
    return True


def whole_characters(text: str) -> str:
    """Return a text with U+FFFD in place of each half of a character, in the text and in its JSON escapes."""
    text = _SURROGATE.sub("\ufffd", text)
    return _ESCAPE.sub(lambda one: "\\ufffd" if one["alone"] else one[0], text) if "\\u" in text else text


def json_texts(reply: str) -> Iterator[tuple[str, bool]]:
    """Yield the outermost JSON texts of a reply in order, at most 32, and whether each stands alone or in a fence.

    A text stays as it is if it is JSON; else comments go and slips are fixed. Brackets in prose, as in "[sic]", are no
    JSON; what is between them is looked at.
    """
    found = _in_region(reply[:_LONGEST_SCAN], alone=True)
    for text, _ in zip(found, range(_MOST_TEXTS), strict=False):
        yield text


def _in_region(region: str, *, alone: bool) -> Iterator[tuple[str, bool]]:
    """Yield the texts of a reply, or of a fence in it."""
    stripped = region.strip()
    if is_json(stripped):
        yield stripped, True
        return
    at = 0
    while (mark := _FENCE_OR_BRACKET.search(region, at)) is not None:
        if mark["fence"]:
            closing = re.compile(rf"^[ \t]*{mark['marks']}", re.MULTILINE).search(region, mark.end())
            end = len(region) if closing is None else closing.start()
            yield from _in_region(region[mark.end() : end], alone=True)
            at = len(region) if closing is None else closing.end()
            continue
        start, is_meant = mark.start(), _BEGINS_JSON.match(region, mark.start()) is not None
        end = _end_of(region, start) if is_meant else None
        if end is not None and (text := _mended(region[start:end])) is not None:
            yield text, alone and region[start:end] == stripped
            at = end
        elif not is_meant:
            at = start + 1
        elif end is None:
            return
        else:
            at = end


def _end_of(text: str, start: int) -> int | None:
    """Return the end of the JSON text that begins at a bracket, broken or not; None if it is never closed."""
    depth, at = 0, start
    while (token := _TOKEN.search(text, at)) is not None:
        at = token.end()
        if token["open"]:
            depth += 1
        elif token[0] in ("]", "}"):
            depth -= 1
            if depth == 0:
                return at
        elif token[0] == '"':
            return None  # a string that is never closed
        elif token[0] == "'" and text[max(0, token.start() - 50) : token.start()].rstrip()[-1:] in ("{", "[", ",", ":"):
            single = _SINGLE.match(text, token.start())
            at = at if single is None else single.end()
    return None


def _mended(text: str) -> str | None:
    """Return the JSON text with its slips fixed; None if its meaning would be a guess."""
    if is_json(text):
        return text
    plain = _STRING_OR_COMMENT.sub(lambda one: one[0] if one["string"] else " ", text)
    plain = _STRINGS.sub(lambda one: _CONTROL.sub(_escaped, one[0]), plain)
    if is_json(plain):
        return plain
    try:
        mended = repair_json(plain)
    except RecursionError:
        return None
    is_whole = mended is not None and all(mended.count(one) == plain.count(one) for one in "]}")
    return mended if is_whole else None  # a text that was cut off may lack more than its brackets


def _escaped(control: re.Match[str]) -> str:
    return json.dumps(control[0])[1:-1]


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")
