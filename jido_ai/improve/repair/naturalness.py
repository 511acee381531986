"""Naturalness: how much of the code that an edit makes stands elsewhere in the same file. Pure.

Programmers repeat themselves, most of all within a file, and wrong code is less usual than right code. Sources: Tu, Su,
Devanbu: On the Localness of Software (2014); Ray and others: On the "Naturalness" of Buggy Code (2016).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

_TOKEN: Final = re.compile(r"\n\s*|\w+|[<>=!]=|//=?|\*\*|[-+*/%|&]=|->|\S")
_COMMENT: Final = re.compile(r"#[^\r\n]*")
_LENGTH: Final = 3


class Naturalness:
    """Compares edits with the runs of three tokens of a file.

    Args:
        source: the program before the edits.
    """

    def __init__(self, source: str) -> None:
        self._runs = Counter(_runs(_tokens(source)))

    def of(self, before: str, after: str) -> float:
        """Return the share of the runs around the changed tokens that stand in another place of the file, 0 to 1.

        Args:
            before, after: a statement of the file in one row, without and with the edit.
        """
        old, new = _tokens(before), _tokens(after)
        head = _in_common(old, new)
        tail = min(_in_common(old[::-1], new[::-1]), min(len(old), len(new)) - head)
        changed = _runs(new[max(0, head - _LENGTH + 1) : len(new) - max(0, tail - _LENGTH + 1)])
        own = Counter(_runs(old))
        return sum(self._runs[run] > own[run] for run in changed) / len(changed) if changed else 0.0


def _tokens(code: str) -> list[str]:
    """Return the tokens; the end of a row is a semicolon, but for the one of a statement's head."""
    rows = _COMMENT.sub("", code).strip()
    found = [";" if token[0] == "\n" else token for token in _TOKEN.findall(rows)]
    return [
        token for place, token in enumerate(found) if token != ";" or (place and found[place - 1] not in (":", ";"))
    ]


def _runs(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(tokens[start : start + _LENGTH]) for start in range(len(tokens) - _LENGTH + 1)]


def _in_common(one: Sequence[str], other: Sequence[str]) -> int:
    number = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        number += 1
    return number
