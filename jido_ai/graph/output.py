"""Outputs of nodes, and their fields as templates read them. Pure.

A step's output is what it returned: a text, or anything else that JSON can hold. The output of a loop or a check is a
`JudgedOutput`, that of a map a `Several`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from jido_ai.errors import ComponentError
from jido_ai.graph.template import Field, as_text
from jido_ai.values import CritiqueResult, ReflectionResult, StopReason

_ANY: Final = frozenset({"text", "lines", "json", "value"})
_JUDGEMENT: Final = frozenset({"score", "severity", "accepted"})
FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "loop": _ANY | _JUDGEMENT | {"issues", "feedback"},
    "step": _ANY,
    "check": _ANY | _JUDGEMENT | {"issues", "feedback"},
    "map": _ANY | _JUDGEMENT | {"texts"},
    "choice": _ANY,
    "approval": _ANY,
    "graph": _ANY | _JUDGEMENT | {"issues", "feedback", "texts"},
}
"""The fields that the output of a node can have, by kind; which ones are there is known when it has run."""
ITEM_FIELDS: Final = _ANY
"""The fields of a graph input, and of the item of a map."""
_DIGITS: Final = 9


@dataclass(frozen=True, slots=True)
class JudgedOutput:
    """The output of a node that judges.

    Attributes:
        text: the best candidate of a loop; a check's critique as feedback.
        critique: the judgement; None if nothing was judged.
        accepted: it was good enough.
    """

    text: str
    critique: CritiqueResult | None
    accepted: bool


@dataclass(frozen=True, slots=True)
class Several:
    """The output of a map: those of its items, in order."""

    outputs: tuple[Any, ...] = field(default=())


def judged_of(result: ReflectionResult) -> JudgedOutput | None:
    """Return the output of a loop; None if it has none: it failed, or judged nothing."""
    best = result.best_candidate
    if best is None or result.stop_reason in (StopReason.ERROR, StopReason.CANCELLED):
        return None
    judged = next((iteration for iteration in result.iterations if iteration.candidate.id == best.id), None)
    return JudgedOutput(best.content, None if judged is None else judged.critique, result.accepted)


class _Missing(Exception):
    """The field is not there; says why."""


def value_of(output: Any) -> Any:
    """Return the shown output of a result: a text, or a value that JSON can hold."""
    if isinstance(output, JudgedOutput):
        return output.text
    if isinstance(output, Several):
        return [value_of(one) for one in output.outputs]
    return output


def read_field(output: Any, wanted: Field) -> Any:
    """Return a field of an output. Raises `ComponentError`, which names the field, if it is not there."""
    if not wanted.path:
        return value_of(output)
    try:
        return _read(output, wanted.path)
    except _Missing as missing:
        error = ComponentError(f"{wanted} is not there: {missing}", component=wanted.name)
        error.retryable = False
        raise error from None


def _read(output: Any, path: tuple[str, ...]) -> Any:
    name, *rest = path
    if name == "json":
        return _inside(_parsed(output), rest)
    if rest:
        raise _Missing(f"{name!r} has no fields of its own")
    match name:
        case "text":
            return as_text(value_of(output))
        case "value":
            return value_of(output)
        case "lines":
            return [line for line in map(str.strip, as_text(value_of(output)).splitlines()) if line]
        case "texts":
            if isinstance(output, Several):
                return [as_text(value_of(one)) for one in output.outputs]
            if isinstance(output, list):
                return [as_text(one) for one in cast("list[object]", output)]
            raise _Missing("the output is not that of a map")
        case "score" | "severity" | "accepted" | "issues" | "feedback":
            return _judgement(output, name)
        case _:
            raise _Missing("outputs have no such field")


def _judgement(output: Any, name: str) -> Any:
    if isinstance(output, Several) and name in _JUDGEMENT:
        return _worst([_judgement(one, name) for one in output.outputs], name)
    if not isinstance(output, JudgedOutput):
        raise _Missing("nothing judged this output")
    if name == "accepted":
        return output.accepted
    critique = output.critique
    if critique is None:
        raise _Missing("nothing judged this output")
    match name:
        case "score":
            return critique.score
        case "severity":
            return critique.severity
        case "issues":
            return [issue.message for issue in critique.issues]
        case _:
            return critique.as_feedback() if critique.feedback is None else critique.feedback


def _worst(judgements: Iterable[Any], name: str) -> Any:
    """Return the judgement of a map: that of its worst item."""
    several = list(judgements)
    if not several:
        raise _Missing("the map is empty")
    return max(several) if name == "severity" else min(several)


def _parsed(output: Any) -> Any:
    value = value_of(output)
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise _Missing("the text is not JSON") from None


def _inside(value: Any, keys: Iterable[str]) -> Any:
    for key in keys:
        if isinstance(value, Mapping):
            fields = cast("Mapping[str, Any]", value)
            if key not in fields:
                raise _Missing(f"the JSON has no key {key!r}")
            value = fields[key]
        elif isinstance(value, list) and key.isascii() and key.isdigit():
            elements = cast("list[Any]", value)
            if len(key) > _DIGITS or int(key) >= len(elements):
                raise _Missing(f"the JSON list has {len(elements)} elements, none at {key[:_DIGITS]}")
            value = elements[int(key)]
        else:
            raise _Missing(f"the JSON has no {key!r}")
    return value
