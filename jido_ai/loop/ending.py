"""The end of a run: its best candidate, and the error and the skipped reflections that its result reports. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from jido_ai.loop.floor import above_floor
from jido_ai.loop.policies import Policy
from jido_ai.loop.state import RunState, Stop
from jido_ai.values import ErrorInfo, Iteration, StopReason

_CUT_SHORT: Final = {StopReason.DEADLINE: "the run's time is up", StopReason.CANCELLED: "the run was cancelled"}


def best_of(end: Stop, history: Sequence[Iteration], policy: Policy) -> int | None:
    """Return the position that the stop rule picked, if it may be the best, else that of the best; None if empty."""
    if not history:
        return None
    return end.pick if end.pick in above_floor(history) else policy.best(history)


def error_of(end: Stop, best: int | None) -> ErrorInfo | None:
    """Return the error of a run that judged nothing, or was cut short; None for any other."""
    if best is None:
        details = ", ".join(f"{name} {value}" for name, value in end.evidence.items())
        why = f"{end.reason.value} ({details})" if details else end.reason.value
        return ErrorInfo(end.reason.value, f"nothing was judged before the run ended: {why}")
    if end.reason in _CUT_SHORT:
        return ErrorInfo(end.reason.value, f"{_CUT_SHORT[end.reason]}; the result holds what was judged before", "loop")
    return None


def skipped_reflections(state: RunState, is_needed: Callable[[Iteration], bool]) -> int:
    """Return the number of iterations that needed a reflection and got none."""
    unmade = [state.iterations[index] for index, reflection in state.reflections.items() if reflection is None]
    return sum(map(is_needed, unmade))
