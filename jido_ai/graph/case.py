"""Cases of a choice: comparisons of one value. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from jido_ai.errors import ComponentError
from jido_ai.graph.template import as_text
from jido_ai.values import SLACK

Comparison = Literal["==", "!=", "<", "<=", ">", ">=", "contains"]
COMPARISONS: Final[tuple[Comparison, ...]] = ("==", "!=", "<", "<=", ">", ">=", "contains")
_NUMBER: Final = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Case:
    """A comparison of a template's value with a constant.

    Attributes:
        value: template of the value.
        comparison: one of ==, !=, <, <=, >, >=, contains. Two numbers, or texts that are numbers, compare as numbers,
            with a slack of 1e-9. "contains" looks for an element of a list or a part of a text.
        than: what it is compared with.
    """

    value: str
    comparison: Comparison
    than: Any


_ORDERS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}


def compare(value: Any, comparison: str, than: Any) -> bool:
    """Compare two values that JSON can hold. Raises `ComponentError` if they have no order."""
    if comparison == "contains":
        if isinstance(value, list):
            return any(_are_equal(one, than) for one in cast("list[Any]", value))
        return as_text(than) in as_text(value)
    if comparison in ("==", "!="):
        return _are_equal(value, than) is (comparison == "==")
    one, other = _number(value), _number(than)
    if one is not None and other is not None:
        if abs(one - other) <= SLACK:
            return comparison in ("<=", ">=")
        return _ORDERS[comparison](one, other)
    if isinstance(value, str) and isinstance(than, str):
        return _ORDERS[comparison](value, than)
    error = ComponentError(f"a {_kind(value)} and a {_kind(than)} have no order: {comparison} needs two numbers")
    error.retryable = False
    raise error


def _are_equal(value: Any, than: Any) -> bool:
    one, other = _number(value), _number(than)
    if one is not None and other is not None:
        return one == other or abs(one - other) <= SLACK
    if isinstance(value, str) or isinstance(than, str):
        return as_text(value) == as_text(than)
    return type(value) is type(than) and value == than


def _number(value: Any) -> float | None:
    """Return a number, or a text that is one, as a float; None for anything else."""
    if isinstance(value, str):
        return float(value) if len(value) <= 400 and _NUMBER.fullmatch(value) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    return None if math.isnan(number) else number


def _kind(value: object) -> str:
    names: dict[type, str] = {str: "text", bool: "truth value", list: "list", dict: "map", type(None): "nothing"}
    return names.get(type(value), "number")
