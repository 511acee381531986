"""A plain interpreter of graphs, without actors, to compare the runner with.

A described graph is a dict of nodes in order; each node is a `Told`. The rules are those of decision 0035, once
more and in another way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from jido_ai.graph.nodes import Case, ChoiceNode, MapNode, Node, StepNode

__all__ = ["Told", "inputs_of", "interpret", "nodes_of"]


@dataclass(frozen=True)
class Told:
    """One node: what it reads and waits for, how it fails, and what stands in for it."""

    kind: str = "step"  # step, map, choice
    reads: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    fails: bool = False
    items: tuple[bool, ...] = ()  # of a map: which of them fail
    on_error: Literal["fail", "skip"] = "fail"
    targets: tuple[str, ...] = ()  # of a choice
    pick: int = 0
    text: str | None = None  # fallback
    standby: str | None = None  # fallback


def interpret(told: dict[str, Told]) -> dict[str, tuple[str, object]]:
    """Return status and output of every node; of a skipped one, what skipped it."""
    behind = {name: _behind(name, told) for name in told}
    owner = {one.standby: name for name, one in told.items() if one.standby}
    seen: dict[str, tuple[str, object]] = {}
    has_output: set[str] = set()
    failed_first: set[str] = set()

    def result(name: str) -> tuple[str, object]:
        if name not in seen:
            seen[name] = find(name)
            if seen[name][0] == "done" or (seen[name][0] == "failed" and seen[name][1] is not None):
                has_output.add(name)
        return seen[name]

    def find(name: str) -> tuple[str, object]:
        verdict = fate(name)
        if verdict is not None:
            return verdict
        one = told[name]
        values = [result(read)[1] if read in has_output else "" for read in one.reads]
        out: object = name + "(" + ",".join(map(str, values)) + ")"
        failed = one.fails
        if one.kind == "map":
            failed = failed or (any(one.items) and one.on_error == "fail")
            out = [f"{name}{number}" for number, item in enumerate(one.items) if not item]
        elif one.kind == "choice":
            out = one.targets[one.pick]
        if not failed:
            return "done", out
        failed_first.add(name)
        if one.text is not None:
            return "failed", one.text
        if one.standby is not None:
            status, stand_in = result(one.standby)
            return "failed", stand_in if one.standby in has_output and status else None
        return "failed", None

    def fate(name: str) -> tuple[str, object] | None:
        one = told[name]
        if name in owner and owner[name] not in failed_first:
            status, what = result(owner[name])
            if status == "skipped":
                return status, what
            if owner[name] not in failed_first:
                return ("skipped", owner[name]) if status == "done" else ("not_reached", None)
        choices = [other for other, choice in told.items() if name in choice.targets]
        naming = [choice for choice in choices if result(choice) == ("done", name)]
        if choices and not naming:
            states = [result(choice) for choice in choices]
            if any(status in ("failed", "not_reached") for status, _ in states):
                return "not_reached", None
            return "skipped", next((choice for choice in choices if result(choice)[0] == "done"), states[0][1])
        inputs = list(dict.fromkeys((*one.reads, *one.after)))
        states = [result(other) for other in inputs]
        if any(
            status != "skipped" and other not in has_output for other, (status, _) in zip(inputs, states, strict=True)
        ):
            return "not_reached", None
        there = [other for other in inputs if other in has_output] + naming
        for status, cause in states:
            if status == "skipped" and cause not in naming:
                is_choice = told[str(cause)].kind == "choice"
                if not any(x in behind[str(cause)] or (x == cause and not is_choice) for x in there):
                    return "skipped", cause
        return None

    for name in told:
        result(name)
    return seen


def _behind(name: str, told: dict[str, Told]) -> set[str]:
    found: set[str] = set()
    left = [name]
    while left:
        here = left.pop()
        stands_for = _owners(here, told)
        following = set(told[here].targets) | ({told[here].standby} - {None})
        following |= {
            other for other, one in told.items() for source in (here, *stands_for) if source in (*one.reads, *one.after)
        }
        for other in following:
            if other is not None and other not in found:
                found.add(other)
                left.append(other)
    return found - {name}


def _owners(name: str, told: dict[str, Told]) -> list[str]:
    owner = next((owner for owner, one in told.items() if one.standby == name), None)
    return [] if owner is None else [owner, *_owners(owner, told)]


# -- the same graph for the runner -------------------------------------------------------------------


def nodes_of(told: dict[str, Told]) -> dict[str, Node]:
    """Return the nodes of a described graph."""
    return {name: _node(name, one) for name, one in told.items()}


def inputs_of(told: dict[str, Told]) -> dict[str, object]:
    """Return the inputs that the nodes read."""
    inputs: dict[str, object] = {
        f"items_{name}": ["bad" if fails else "good" for fails in one.items]
        for name, one in told.items()
        if one.kind == "map"
    }
    return inputs | (
        {"seed": "yes"} if any(one.kind == "choice" and len(one.targets) > 1 for one in told.values()) else {}
    )


def _node(name: str, one: Told) -> Node:
    common: dict[str, Any] = {"after": _after(one), "fallback": one.standby or one.text}
    if one.kind == "choice":
        last = len(one.targets) - 1
        cases = [
            (None if number == last else Case("{seed}", "==", "yes" if number == one.pick else "no"), target)
            for number, target in enumerate(one.targets)
        ]
        return ChoiceNode(cases, **common)
    if one.kind == "map":

        async def each(item: str, index: int) -> str:
            if item == "bad":
                raise ValueError(item)
            return f"{name}{index}"

        inner = StepNode(each, inputs={"item": "{item}", "index": "{index}"})
        return MapNode("{items_" + name + "}", inner, on_error=one.on_error, **common)

    async def step(**values: object) -> str:
        if one.fails:
            raise ValueError(name)
        return name + "(" + ",".join("" if value is None else str(value) for value in values.values()) + ")"

    return StepNode(step, inputs={f"v_{read}": "{" + read + "}" for read in one.reads}, **common)


def _after(one: Told) -> Iterable[str]:
    return one.after if one.kind == "step" else tuple(dict.fromkeys((*one.reads, *one.after)))
