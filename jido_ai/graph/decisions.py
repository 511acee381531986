"""Decisions: the answers of people to the nodes that wait for them. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from jido_ai.errors import ConfigurationError, describe
from jido_ai.graph.record import RecordedGraph
from jido_ai.text.nearest import nearest
from jido_ai.values import Candidate

__all__ = ["Decision", "answers_of", "decisions_of"]

Decision = bool | str | Candidate


def decisions_of(recorded: RecordedGraph, decision: object) -> dict[str, bool | str]:
    """Return the decisions by path.

    Raises:
        ConfigurationError: no node waits for it, several do and it names none, or it is no decision.
    """
    if decision is None:
        return {}
    return answers_of(decision, recorded.waiting, run_id=recorded.run_id, status=recorded.status)


def answers_of(decision: object, waiting: Sequence[str], *, run_id: str, status: str) -> dict[str, bool | str]:
    """Return a decision by path, as JSON values.

    Args:
        decision: True, False, a text or a `Candidate`; or several of them by path.
        waiting: paths that wait for one.

    Raises:
        ConfigurationError: as `decisions_of`.
    """
    if not waiting:
        raise ConfigurationError(f"run {run_id!r} waits for no decision (it is {status}); nothing was changed")
    if isinstance(decision, Mapping):
        given = cast("Mapping[object, object]", decision)
        for path in given:
            if path not in waiting:
                raise ConfigurationError(f"{path!r} waits for no decision; {nearest(str(path), waiting)}")
        return {str(path): _decision(one) for path, one in given.items()}
    first, *others = waiting
    if others:
        raise ConfigurationError(
            f"several nodes wait for a decision: {', '.join(waiting)}; give them by path: decision={{path: ...}}"
        )
    return {first: _decision(decision)}


def _decision(decision: object) -> bool | str:
    if isinstance(decision, Candidate):
        return decision.content
    if not isinstance(decision, bool | str):
        raise ConfigurationError(f"a decision must be a bool, a str or a Candidate, got {describe(decision)}")
    if isinstance(decision, str) and not decision.strip():
        raise ConfigurationError(f"a decision must not be blank, got {describe(decision)}; False refuses")
    return decision
