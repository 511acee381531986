"""Failure kinds: the exception of a failing test and, for an assertion, how the values differ. Pure.

Memory uses them to find what fixed such a failure before, in any program.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, cast

from jido_ai.values import Issue

_ASSERTED: Final = re.compile(r"\bassert (.+)$", re.MULTILINE)
_COMPARED: Final = re.compile(r"(?P<got>.+?) (?:==|is) (?P<wanted>.+)")
_RAISED: Final = re.compile(r"\b([A-Z]\w*(?:Error|Exception|Warning|Iteration|Interrupt))\b")
_MAX_CHARS: Final = 2_000
_MOST: Final = 5


def failure_tags(issues: Iterable[Issue]) -> tuple[str, ...]:
    """Return "failure:KIND" for the first five kinds of failure in the issues of failing tests, without duplicates."""
    tags: dict[str, None] = {}
    for issue in issues:
        if issue.kind == "timeout":
            tags["failure:Timeout"] = None
        elif issue.kind == "test":
            raised = _RAISED.search(issue.message)
            tags[f"failure:{failure_kind(raised[1] if raised else 'AssertionError', issue.message)}"] = None
    return tuple(tags)[:_MOST]


def failure_kind(exception: str, message: str) -> str:
    """Return the name of the exception; for an AssertionError with its kind: "AssertionError:order".

    - "truth": a value should have been true or false, and is the opposite.
    - "one-off", "sign", "number": two numbers that differ by one, only in sign, or otherwise.
    - "order", "length", "elements": two lists or tuples, with the same elements in another order, of different lengths,
      or with other elements; "keys" and "values": two dictionaries.
    - "nothing": None instead of a value, or a value instead of None.
    - "type": values of different types; "text": two texts, unless they differ only in the "order" of their characters.

    Values are parsed as literals. Without literals, or if they are cut off, only the exception is returned.
    """
    if exception != "AssertionError":
        return exception
    differences = (_difference(found[1].strip()) for found in _ASSERTED.finditer(message[:_MAX_CHARS]))
    difference = next((one for one in differences if one is not None), None)
    return exception if difference is None else f"{exception}:{difference}"


def _difference(asserted: str) -> str | None:
    found = _COMPARED.fullmatch(asserted)
    if found is None:
        return "truth" if re.fullmatch(r"(not )?(True|False|None)", asserted) else None
    try:
        got, wanted = (ast.literal_eval(found[name].strip()) for name in ("got", "wanted"))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return _how(got, wanted)


def _how(got: object, wanted: object) -> str:
    match got, wanted:
        case (bool(), bool()):
            return "truth"
        case (None, _) | (_, None):
            return "nothing"
        case (bool(), _) | (_, bool()):
            return "type"
        case (int() | float(), int() | float()):
            return "one-off" if abs(got - wanted) == 1 else "sign" if got == -wanted else "number"
        case (list() | tuple(), list() | tuple()) | (str(), str()) | (bytes(), bytes()):
            return _how_in_a_row(cast("Sequence[object]", got), cast("Sequence[object]", wanted))
        case (dict(), dict()):
            ours, theirs = cast("dict[object, object]", got), cast("dict[object, object]", wanted)
            return "values" if ours.keys() == theirs.keys() else "keys"
        case _:
            return "type" if type(got) is not type(wanted) else "elements"


def _how_in_a_row(got: Sequence[object], wanted: Sequence[object]) -> str:
    if Counter(map(repr, got)) == Counter(map(repr, wanted)):
        return "order"
    if isinstance(got, str | bytes):
        return "text"
    return "elements" if len(got) == len(wanted) else "length"
