"""JSON with comments, as in settings of editors and compilers: read without changes. Pure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

# Every alternative takes what it begins, closed or not, so that no character is read more than a few times.
_STRING: Final = r"""(?P<string>"[^"\\\r\n]*+(?:\\.[^"\\\r\n]*+)*+"?|'[^'"\\\r\n]*+'?)"""
_PIECE: Final = re.compile(
    _STRING + r"""|(?P<comment>//[^\r\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?)""",
    re.DOTALL,
)
_TRAILING: Final = re.compile(_STRING + r"""|(?P<comma>,)(?=[ \t\r\n]*+[]}])""", re.DOTALL)
_NOT_ROW_END: Final = re.compile(r"[^\r\n]")
_TOKEN: Final = re.compile(r"""(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+")|[][{}:,]""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class LenientJson:
    """A text that may be JSON with comments.

    Attributes:
        plain: the text with blanks in place of comments and of commas before a closing bracket: as long, and with the
            same rows, so places in one are places in the other.
        comments: what they are, in order, with their marks.
        first_comment: offset of the first one; None without any.
    """

    plain: str
    comments: tuple[str, ...]
    first_comment: int | None


@dataclass(frozen=True, slots=True)
class RepeatedKey:
    """A key that an object has already.

    Attributes:
        key: what it says.
        first: offset of the first one in the same object.
        at: offset of this one.
    """

    key: str
    first: int
    at: int


def without_comments(text: str) -> LenientJson:
    """Return the text as `json` can read it: `//` and `/* */` comments and trailing commas are blanked out.

    The time is in proportion to the text, whatever it is. A comment that nothing closes stays, so the text does not
    parse.
    """
    comments, first = list[str](), None
    if "/" in text:
        pieces, done = list[str](), 0
        for found in _PIECE.finditer(text):
            comment = found["comment"]
            is_closed = comment is not None and (
                comment.startswith("//") or (len(comment) > 3 and comment.endswith("*/"))
            )
            if comment is not None and is_closed:
                first = found.start() if first is None else first
                comments.append(comment)
                pieces += [text[done : found.start()], _NOT_ROW_END.sub(" ", comment)]
                done = found.end()
        text = "".join([*pieces, text[done:]])
    plain = _TRAILING.sub(lambda found: found[0] if found["comma"] is None else " ", text)
    return LenientJson(plain, tuple(comments), first)


def repeated_keys(plain: str) -> list[RepeatedKey]:
    """Return the keys that come again in their object, in the order of the text, which is JSON that parses."""
    found: list[RepeatedKey] = []
    open_objects: list[dict[str, int] | None] = []  # keys and where they are; None for a list
    awaits_key = False
    for match in _TOKEN.finditer(plain):
        token = match[0]
        if token == "{":
            open_objects.append({})
            awaits_key = True
        elif token == "[":
            open_objects.append(None)
            awaits_key = False
        elif token in "]}":
            open_objects.pop()
            awaits_key = False
        elif token == ",":
            awaits_key = open_objects[-1] is not None
        elif token == ":":
            awaits_key = False
        elif awaits_key:
            keys = open_objects[-1]
            assert keys is not None
            key: str = json.loads(token)
            if key in keys:
                found.append(RepeatedKey(key, keys[key], match.start()))
            keys.setdefault(key, match.start())
    return found
