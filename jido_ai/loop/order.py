"""The order of a run's steps: what comes next follows from the state alone, whatever happened before. Pure.

A turn: reflect on the judged attempts, retrieve the lessons when it is time, make the candidates of the round, judge
them. What is done already is left out, so a run that was cut goes on with what was in flight: a missing reflection is
made before the next revision, and a round that lacks a candidate gets it, in its place, before the others are judged.
"""

from __future__ import annotations

from collections.abc import Sequence

from jido_ai.loop.next_moves import NextMove
from jido_ai.loop.state import Pending, RunState


def unreflected(state: RunState) -> list[int]:
    """Return the indices of the iterations that were not reflected on, nor found to need no reflection."""
    return [index for index in range(len(state.iterations)) if index not in state.reflections]


def is_time_to_recall(state: RunState, *, by_critique: bool) -> bool:
    """Tell whether memory is to be asked now: once, before the first candidate or after the first critique."""
    return state.lessons is None and by_critique == bool(state.iterations)


def missing_firsts(state: RunState, count: int) -> list[int]:
    """Return the slots of the first candidates, `count` in all, that are yet to be made."""
    if state.iterations or state.judged:
        return []
    return sorted({*range(count)}.difference([one.slot for one in state.pending]))


def missing_moves(state: RunState, moves: Sequence[NextMove]) -> list[tuple[int, NextMove]]:
    """Return the moves of the round whose candidates are yet to be made, each with its slot.

    The slots of a round are in the order of its moves.
    """
    made = {one.chain: one.slot for one in state.pending}
    start = next((made[move.chain] - n for n, move in enumerate(moves) if move.chain in made), state.next_slot)
    return [(start + n, move) for n, move in enumerate(moves) if move.chain not in made]


def unjudged(state: RunState) -> list[Pending]:
    """Return the candidates that are to be judged, in the order of their slots."""
    return [one for one in state.pending if one.slot not in state.judged]
