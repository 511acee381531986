"""The edits of a run in general terms, so that they help with another program. Pure."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

_MOST_LINES: Final = 5_000
_TOKEN: Final = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|\w+(?:\.\d+)?|[<>=!]=|//|\*\*|\S")
_KNOWN: Final = frozenset((*dir(builtins), *keyword.kwlist))
_ORDER: Final = frozenset(("<", "<=", ">", ">="))
_INDEXED: Final = re.compile(r"[\w)\]\"'] \[$")
_BY_ONE: Final = ({"", "+ 1"}, {"", "- 1"})
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

    Known are a name of the language, an operator, a number or a name in the place of another, and a name of the
    language, an operator or `+ 1` that was missing or too much: "try `min` instead of `max`: min keeps a value below a
    limit, max above it".
    """
    changes = list(_changes(before, after))
    if len(changes) != 1:
        return None
    old, new, is_index = changes[0]
    one, other = " ".join(old), " ".join(new)
    if {one, other} in _BY_ONE:
        return _added_or_removed(one, other)
    if len(old) > 1 or len(new) > 1:
        return None
    if not one or not other:
        is_known = _is_general(one or other) and (one or other) not in "()[]{},:;."
        return _added_or_removed(one, other) if is_known else None
    if {one, other} == {"min", "max"}:
        return f"try `{other}` instead of `{one}`: min keeps a value below a limit, max above it"
    if {one, other} <= _ORDER:
        if one[0] == other[0]:
            return f"try `{other}` instead of `{one}`: check whether the bound itself counts"
        return f"try `{other}` instead of `{one}`: check the direction of the comparison"
    if _is_general(one) and _is_general(other):
        return f"try `{other}` instead of `{one}`"
    if one[0].isdigit() and other[0].isdigit():
        return _numbers(one, other, "an index" if is_index else "a constant")
    if one.isidentifier() and other.isidentifier():
        return "try another name in the place of one"
    return None


def _changes(before: str, after: str) -> Iterator[tuple[list[str], list[str], bool]]:
    """Yield the tokens that were replaced, those that replaced them, and whether they begin an index."""
    old, new = before.splitlines(), after.splitlines()
    if max(len(old), len(new)) > _MOST_LINES:
        return
    for kind, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        ours, theirs = (_TOKEN.findall("\n".join(lines)) for lines in (old[start:end], new[new_start:new_end]))
        for what, i, j, k, m in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
            if what != "equal":
                yield ours[i:j], theirs[k:m], _INDEXED.search(" ".join(ours[max(0, i - 2) : i])) is not None


def _is_general(token: str) -> bool:
    """True for a word of the language and for a sign; False for a name, a number or a text of one program."""
    return token in _KNOWN or not (token[0].isalnum() or token[0] in "_\"'")


def _added_or_removed(old: str, new: str) -> str:
    return f"try adding `{new}`" if new else f"try leaving out `{old}`"


def _numbers(one: str, other: str, what: str) -> str | None:
    try:
        difference = float(one) - float(other)
    except ValueError:
        return None
    how = "one less" if difference == 1 else "one more" if difference == -1 else "another value"
    return f"try {how} for {what}"
