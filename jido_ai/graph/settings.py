"""Checks of the settings of nodes, each by itself; faults are returned, not raised. Pure."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from jido_ai.argument_hints import nearest
from jido_ai.errors import ConfigurationError, describe
from jido_ai.graph.nodes import (
    COMPARISONS,
    ApprovalNode,
    Case,
    CheckNode,
    ChoiceNode,
    GraphNode,
    LoopNode,
    MapNode,
    Node,
    StepNode,
)
from jido_ai.graph.template import MOST_FIELD_CHARS
from jido_ai.loop.options import LearningOptions
from jido_ai.text.output_type import output_type
from jido_ai.values import LoopConfig

Fault = tuple[str, str]
"""The place, as "retries" or "cases[0]", and what is wrong there."""


def is_function(what: object) -> bool:
    """Tell whether a step's `what` is a function, rather than a generator, a model or the name of one."""
    if isinstance(what, str | type) or not callable(what):
        return inspect.isclass(what)
    return not any(callable(getattr(what, method, None)) for method in ("generate", "complete"))


def faults_of(spec: Node) -> list[Fault]:
    """Return the errors in the settings of a node, regardless of the rest of its graph."""
    faults = [
        *_common(spec),
    ]
    match spec:
        case LoopNode():
            faults += _prompt(spec.prompt)
            faults += _critiquer(spec.critiquer) if spec.output is None else _output(spec.output)
            faults += _initial(spec)
            if spec.config is not None and not isinstance(spec.config, LoopConfig):
                faults.append(("config", f"must be a LoopConfig, got {describe(spec.config)}"))
            faults += _callable("approve", spec.approve, "approve")
            faults += _learning(spec)
        case StepNode():
            faults += _step(spec)
        case CheckNode():
            faults += _critiquer(spec.critiquer)
            if not _is_number(spec.threshold) or not 0.0 <= spec.threshold <= 1.0:
                faults.append(("threshold", f"must be a number in [0, 1], got {describe(spec.threshold)}"))
            faults += _one_of("when", spec.when, ("record", "fail"))
        case MapNode():
            faults += _one_of("on_error", spec.on_error, ("fail", "skip"))
            faults += _count("max_concurrency", spec.max_concurrency, least=1, may_be_none=True)
        case ChoiceNode():
            faults += _cases(spec.cases, spec.value)
        case ApprovalNode():
            faults += _one_of("on_timeout", spec.on_timeout, ("suspend", "pass", "refuse"))
            faults += _callable("approve", spec.approve, "approve")
        case GraphNode():
            if not isinstance(spec.inputs, Mapping):
                faults.append(("inputs", f"must be a mapping of names to templates, got {describe(spec.inputs)}"))
        case _:
            pass
    return faults


def _common(spec: Node) -> list[Fault]:
    faults = [
        *_count("retries", spec.retries, least=0),
        *_count("max_field_chars", spec.max_field_chars, least=1, most=MOST_FIELD_CHARS),
        *_count("max_restarts", spec.max_restarts, least=0, may_be_none=True),
        *_seconds("timeout_s", spec.timeout_s),
        *_seconds("max_seconds", spec.max_seconds),
        *_one_of("restart", spec.restart, ("permanent", "temporary")),
        *_after(spec.after),
    ]
    if spec.fallback is not None and not isinstance(spec.fallback, str):
        faults.append(("fallback", f"must be a string or the name of a node, got {describe(spec.fallback)}"))
    return faults


def _after(after: object) -> list[Fault]:
    if isinstance(after, Sequence) and not isinstance(after, str):
        names = cast("Sequence[object]", after)
        if all(isinstance(name, str) for name in names):
            return []
    return [("after", f"must be a sequence of names of nodes, got {describe(cast('object', after))}")]


def _prompt(prompt: object) -> list[Fault]:
    if isinstance(prompt, str) and not prompt.strip():
        return [("prompt", "must not be blank")]
    return []


def _initial(spec: LoopNode) -> list[Fault]:
    if spec.initial is None and spec.generator is None:
        return [("generator", "the loop needs a generator, or a template of its first candidate: initial=")]
    return []


def _learning(spec: LoopNode) -> list[Fault]:
    try:
        LearningOptions(**spec.learning)
    except ConfigurationError as error:
        name, _, what = str(error).partition(" ")
        return [(name, what)]
    return []


def _critiquer(critiquer: object) -> list[Fault]:
    if critiquer is None or (isinstance(critiquer, list | tuple) and not critiquer):
        return [("critiquer", "needs a critiquer, which decides when a text is good enough")]
    return []


def _output(output: object) -> list[Fault]:
    try:
        output_type(output)
    except ConfigurationError as error:
        return [("output", str(error))]
    return []


def _step(spec: StepNode) -> list[Fault]:
    what = spec.what
    if not isinstance(spec.inputs, Mapping):
        return [("inputs", f"must be a mapping of names to templates, got {describe(spec.inputs)}")]
    if spec.prompt is not None:
        faults = _prompt(spec.prompt)
        if spec.inputs:
            faults.append(("inputs", "a step with a prompt has no inputs; put the fields into the prompt"))
        if not (isinstance(what, str) or callable(what) or hasattr(what, "generate") or hasattr(what, "complete")):
            faults.append(("what", f"must be a generator, a model or its name, got {describe(what)}"))
        return faults
    if not is_function(what):
        if isinstance(what, str) or hasattr(what, "generate") or hasattr(what, "complete"):
            return [("prompt", "a generator or a model needs a prompt: prompt=")]
        return [("what", f"must be a function, a generator, a model or the name of one, got {describe(what)}")]
    return _keywords(cast("Callable[..., object]", what), [str(name) for name in spec.inputs])


def _keywords(function: Callable[..., object], given: Sequence[str]) -> list[Fault]:
    """Compare the keywords of a call with the function's parameters."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # no signature available
        return []
    takes = [
        parameter
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]
    names = [one.name for one in takes]
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
    faults: list[Fault] = []
    if not takes_any:
        faults += [
            (f"inputs.{name}", f"the function has no parameter {name!r}; {nearest(name, names)}")
            for name in given
            if name not in names
        ]
    faults += [
        ("inputs", f"the function needs {one.name!r}: inputs={{{one.name!r}: ...}}")
        for one in takes
        if one.default is one.empty and one.name not in given
    ]
    faults += [
        ("what", f"the function takes {parameter.name!r} by position only; inputs go by keyword")
        for parameter in parameters
        if parameter.kind is parameter.POSITIONAL_ONLY and parameter.default is parameter.empty
    ]
    return faults


def _cases(cases: object, value: object) -> list[Fault]:
    if isinstance(cases, str) or not isinstance(cases, Sequence) or not cases:
        return [("cases", f"must be a sequence of (case, name of a node), got {describe(cast('object', cases))}")]
    faults: list[Fault] = []
    several = list(cast("Sequence[Any]", cases))
    for number, pair in enumerate(several):
        place = f"cases[{number}]"
        if not isinstance(pair, tuple | list) or len(cast("Sequence[object]", pair)) != 2:
            faults.append((place, f"must be (case, name of a node), got {describe(cast('object', pair))}"))
            continue
        case, target = cast("tuple[object, object]", pair)
        if not isinstance(target, str):
            faults.append((place, f"must name a node, got {describe(target)}"))
        if case is None:
            if number < len(several) - 1:
                faults.append((place, "None always holds, so the cases after it can never be chosen"))
                return faults
        elif isinstance(case, Case):
            faults += [(place, fault) for _, fault in _one_of("comparison", case.comparison, COMPARISONS)]
        elif not callable(case):
            faults.append((place, f"must be a Case, a function or None, got {describe(case)}"))
        elif value is None:
            faults.append(("value", f"the function of {place} needs a value: value="))
    last = several[-1]
    if isinstance(last, tuple | list) and cast("Sequence[object]", last)[:1] and last[0] is not None:
        faults.append(("cases", "has no last case: end with (None, name of a node), which holds when no other does"))
    return faults


def _count(name: str, value: object, *, least: int, most: int | None = None, may_be_none: bool = False) -> list[Fault]:
    if may_be_none and value is None:
        return []
    if isinstance(value, int) and not isinstance(value, bool) and value >= least and (most is None or value <= most):
        return []
    limit = f"of at least {least}" if most is None else f"in {least}..{most}"
    none = "None or " if may_be_none else ""
    return [(name, f"must be {none}a whole number {limit}, got {describe(value)}")]


def _seconds(name: str, value: object) -> list[Fault]:
    if value is None or (_is_number(value) and cast("float", value) > 0 and math.isfinite(cast("float", value))):
        return []
    return [(name, f"must be None or a number of seconds above 0, got {describe(value)}")]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _one_of(name: str, value: object, allowed: Sequence[str]) -> list[Fault]:
    if isinstance(value, str) and value in allowed:
        return []
    hint = f"; {nearest(value, allowed)}" if isinstance(value, str) else ""
    return [(name, f"must be one of {', '.join(allowed)}, got {describe(value)}{hint}")]


def _callable(name: str, value: object, method: str) -> list[Fault]:
    if value is None or callable(value) or callable(getattr(value, method, None)):
        return []
    return [(name, f"must be None or a function, got {describe(value)}")]
