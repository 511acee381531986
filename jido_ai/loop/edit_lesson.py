"""The edits of a run in general terms, so that they help with another program. Pure."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

__all__ = ["edit_in_words", "failure_in_words", "repair_in_words"]

_MOST_LINES: Final = 5_000
_TOKEN: Final = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|\w+(?:\.\d+)?|[<>=!]=|//|\*\*|\S")
_KNOWN: Final = frozenset((*dir(builtins), *keyword.kwlist))
_ORDER: Final = frozenset(("<", "<=", ">", ">="))
_FAILURES: Final = {
    "number": "a wrong number",
    "one-off": "a number that is off by one",
    "sign": "a number with the wrong sign",
    "truth": "True instead of False, or the reverse",
    "order": "elements in the wrong order",
    "length": "a result of the wrong length",
    "elements": "wrong elements",
    "keys": "wrong keys",
    "values": "wrong values",
    "nothing": "None instead of a value, or the reverse",
    "type": "a value of the wrong type",
    "text": "a wrong text",
    "Timeout": "a program that does not end",
    "AssertionError": "a wrong result",
}


def failure_in_words(kind: str) -> str:
    """Return a kind of failure, as `failure_kind` names it, in words: "a number that is off by one"."""
    exception, _, difference = kind.partition(":")
    return _FAILURES.get(difference) or _FAILURES.get(exception) or f"{exception}"


def repair_in_words(kind: str, before: str, after: str) -> str | None:
    """Return an edit that tests vouch for as a lesson about such a failure; None if it has no general terms."""
    how = edit_in_words(before, after)
    return how and f"When a test finds {failure_in_words(kind)}, {how}."


def edit_in_words(before: str, after: str) -> str | None:
    """Return the one change between two texts in general terms; None if there is none, or it is not of a known kind.

    Known are a name of the language, an operator, a number or a name in the place of another, and one that was missing
    or too much: "look for `max` where `min` was meant: min keeps a value below a limit, max above it".
    """
    changes = list(_changes(before, after))
    if len(changes) != 1:
        return None
    old, new = changes[0]
    if len(old) > 1 or len(new) > 1:
        return None
    one, other = (tokens[0] if tokens else "" for tokens in changes[0])
    if not one or not other:
        return _added_or_removed(one or other, is_added=not one)
    if {one, other} == {"min", "max"}:
        return f"look for `{one}` where `{other}` was meant: min keeps a value below a limit, max above it"
    if {one, other} <= _ORDER:
        if one[0] == other[0]:
            return f"check whether the bound itself counts: `{one}` stood where `{other}` was meant"
        return f"check the direction of comparisons: `{one}` stood where `{other}` was meant"
    if _is_general(one) and _is_general(other):
        return f"look for `{one}` where `{other}` was meant"
    if one[0].isdigit() and other[0].isdigit():
        return _numbers(one, other)
    if one.isidentifier() and other.isidentifier():
        return "look for a name that stands where another one was meant"
    return None


def _changes(before: str, after: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the tokens that were replaced, and those that replaced them."""
    old, new = before.splitlines(), after.splitlines()
    if max(len(old), len(new)) > _MOST_LINES:
        return
    for kind, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        ours, theirs = (_TOKEN.findall("\n".join(lines)) for lines in (old[start:end], new[new_start:new_end]))
        for what, i, j, k, m in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
            if what != "equal":
                yield ours[i:j], theirs[k:m]


def _is_general(token: str) -> bool:
    """True for a word of the language and for a sign; False for a name, a number or a text of one program."""
    return token in _KNOWN or not (token[0].isalnum() or token[0] in "_\"'")


def _added_or_removed(token: str, *, is_added: bool) -> str | None:
    if not _is_general(token) or token in "()[]{},:;.":
        return None
    return f"look for a missing `{token}`" if is_added else f"look for a `{token}` that should not be there"


def _numbers(one: str, other: str) -> str | None:
    try:
        difference = float(one) - float(other)
    except ValueError:
        return None
    how = "one too large" if difference == 1 else "one too small" if difference == -1 else "wrong"
    return f"look for a constant that is {how}"
