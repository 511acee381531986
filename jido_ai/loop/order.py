"""The order of a run's steps, and its end: both follow from the state alone, whatever happened before. Pure.

A turn: reflect on the judged attempts, retrieve the lessons when it is time, make the candidates of the round, judge
them. What is done already is left out, so a run that was cut goes on with what was in flight: a missing reflection is
made before the next revision, and a round that lacks a candidate gets it, in its place, before the others are judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, Final

from jido_ai.critics.acceptance import History
from jido_ai.critics.silenced import with_silenced
from jido_ai.errors import ComponentError, describe
from jido_ai.loop.calls import info_of
from jido_ai.loop.convergence import DOCUMENTED_RULES, Decision, StopRule, oscillation, score_of
from jido_ai.loop.floor import above_floor
from jido_ai.loop.policies import Policy, rule_name
from jido_ai.loop.state import Closed, Judged, Pending, RunState, Stop, best_chains, line_of, positions_of
from jido_ai.text.change import change
from jido_ai.values import (
    CritiqueResult,
    ErrorInfo,
    Iteration,
    LoopConfig,
    Regenerate,
    Revise,
    StopReason,
    Usage,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class NextMove:
    """The next candidate of a line: a revision of the iteration `base`, or a fresh one, told what was wrong or not.

    Attributes:
        with_examples: as in `Regenerate`.
    """

    chain: int
    base: int | None
    with_findings: bool = False
    with_examples: bool | None = None


def next_moves(
    state: RunState, policy: Policy, config: LoopConfig, firsts: int
) -> tuple[RunState, list[NextMove] | Stop]:
    """Return the next moves, and the state with the lines that the rules end. The limits come after the rules.

    Args:
        firsts: number of first candidates.
    """
    moves: list[NextMove] = []
    chains = state.chains
    for chain in _open_lines(state, chains, policy, config.beam, firsts):
        positions = positions_of(chains, chain)
        line = line_of(state.iterations, positions)
        decision = _decision(policy.rules, line, config)
        match decision:
            case Stop():
                return state, decision
            case Verdict(reason=reason, evidence=evidence, pick=pick):
                stop = Stop(reason, evidence, None if pick is None else positions[pick])
                if reason is StopReason.ACCEPTED:
                    return state, stop
                state = state.after(Closed(chain, stop))
            case Regenerate(with_findings=with_findings, with_examples=with_examples):
                moves.append(NextMove(chain, None, with_findings, with_examples))
            case _:  # a base that may not be the best is not revised
                base = len(line) - 1 if decision is None else decision.base
                moves.append(NextMove(chain, positions[base if base in above_floor(line) else policy.best(line)]))
    if not moves:
        first, *_ = best_chains(state.iterations, chains, policy.best, among=list(state.closed))
        return state, state.closed[first]
    room = config.max_iterations - len(state.iterations)
    return state, moves[:room] if room > 0 else _out_of_iterations(state.iterations, config)


def _open_lines(state: RunState, chains: Sequence[int], policy: Policy, beam: int, firsts: int) -> Sequence[int]:
    """Return the lines in progress, best first: those with the best first candidates that have not ended."""
    if firsts == 1:
        return () if 0 in state.closed else (0,)
    heads = {chain: position for position, chain in reversed([*enumerate(chains)]) if chain in range(firsts)}
    drafts = [state.iterations[position] for position in heads.values()]
    among = [chain for chain in best_chains(drafts, list(heads), policy.best)[:beam] if chain not in state.closed]
    return best_chains(state.iterations, chains, policy.best, among=among)


def _decision(rules: Sequence[StopRule], line: History, config: LoopConfig) -> Decision | Stop | None:
    """Return the decision of the first rule that has one; a `Stop` if a rule raises, or returns something else."""
    for rule in rules:
        try:
            is_ours = rule in DOCUMENTED_RULES  # and needs no context of its own
            decision: object = rule(line, config) if is_ours else copy_context().run(rule, line, config)
        except Exception as error:  # noqa: BLE001 - whatever a rule raises ends the run
            return Stop(StopReason.ERROR, error=info_of(error, rule_name(rule)))
        match decision:
            case None:
                continue
            case Regenerate():
                return decision
            case Verdict(pick=pick) if pick is None or pick < len(line):
                return decision
            case Revise(base=base) if base < len(line):
                return decision
            case _:
                fault = ComponentError(
                    f"must return None, Regenerate(), or a Verdict or Revise of an iteration below {len(line)}, "
                    f"got {describe(decision)}"
                )
                return Stop(StopReason.ERROR, error=info_of(fault, rule_name(rule)))
    return None


def _out_of_iterations(history: Sequence[Iteration], config: LoopConfig) -> Stop:
    evidence: dict[str, Any] = {"max_iterations": config.max_iterations}
    swing = oscillation([score_of(one) for one in history], threshold=config.score_threshold)
    return Stop(StopReason.MAX_ITERATIONS, evidence | ({"oscillation": swing} if swing else {}))


def attempts_before(state: RunState, move: NextMove) -> tuple[Iteration, ...]:
    """Return the attempts that the component is told of: a generator its line, a reviser what it made of the same text.

    Those that broke something are left out for the reviser, and a generator that makes a plain sample gets none.
    """
    history = state.iterations
    if move.base is None:
        return line_of(history, positions_of(state.chains, move.chain)) if move.with_findings else ()
    text = history[move.base].candidate.content
    same = {one.candidate.id for one in history if one.candidate.content == text}
    return tuple([one for one in history if one.candidate.parent_id in same and not one.broken])


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


def previous_of(state: RunState, pending: Pending) -> Iteration | None:
    """Return the iteration that a candidate was revised from, or else the one before it in its line."""
    if pending.base is not None:
        return state.iterations[pending.base]
    for iteration, origin in zip(reversed(state.iterations), reversed(state.origins), strict=True):
        if origin.chain == pending.chain:
            return iteration
    return None


def judged_of(
    pending: Pending, critique: CritiqueResult, previous: Iteration | None, duration_s: float, usage: Usage
) -> Judged:
    """Return the judgement of a candidate; findings that it only silences are open in its critique.

    Args:
        previous: as `previous_of` returns it.
    """
    candidate, edited, gain = pending.candidate, None, None
    score = critique.score if candidate.score is None else candidate.score
    if previous is not None:
        old, new, judged = previous.candidate.content, candidate.content, critique
        critique = with_silenced(judged, new, previous.critique, old)
        if critique is not judged:
            score = critique.score if candidate.score is None else min(score, score_of(previous))
        if pending.base is not None:
            edited, gain = change(old, new), score - score_of(previous)
    return Judged(pending.slot, score, critique, edited, gain, duration_s, usage)


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
