"""The next moves: the lines in progress, the decision of the rules on each, and the end when none goes on. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from jido_ai.critics.acceptance import History
from jido_ai.errors import ComponentError, describe
from jido_ai.loop.calls import info_of
from jido_ai.loop.convergence import Decision, StopRule, oscillation, score_of
from jido_ai.loop.floor import above_floor
from jido_ai.loop.lineage import best_chains, positions_of
from jido_ai.loop.policies import rule_name
from jido_ai.loop.state import RunState, Stop
from jido_ai.values import Iteration, LoopConfig, Regenerate, Revise, StopReason, Verdict

__all__ = ["Best", "NextMove", "decision_of", "last_word", "next_move", "open_lines", "out_of_iterations"]

Best = Callable[[Sequence[Iteration]], int]
"""Returns the position of the best iteration."""


@dataclass(frozen=True, slots=True)
class NextMove:
    """The next candidate of a line: a revision of the iteration `base`, or a fresh one, told what was wrong or not."""

    chain: int
    base: int | None
    with_findings: bool = False


def open_lines(state: RunState, firsts: int, beam: int, best: Best) -> list[int]:
    """Return the lines in progress, best first.

    Args:
        firsts: number of first candidates.
        beam: number of their lines that are developed: those with the best first candidates.
    """
    if firsts == 1:
        return [] if 0 in state.closed else [0]
    chains = state.chains
    heads = {chain: position for position, chain in reversed([*enumerate(chains)]) if chain in range(firsts)}
    chosen = best_chains([state.iterations[position] for position in heads.values()], list(heads), best)[:beam]
    among = [chain for chain in chosen if chain not in state.closed]
    return best_chains(state.iterations, chains, best, among=among)


def decision_of(rules: Sequence[StopRule], line: History, config: LoopConfig) -> Decision | Stop | None:
    """Return the decision of the first rule that has one; a `Stop` if a rule raises, or returns something else."""
    for rule in rules:
        try:
            decision: object = copy_context().run(rule, line, config)
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


def next_move(state: RunState, chain: int, decision: Decision | None, best: Best) -> NextMove | Stop:
    """Return the next move of a line; a `Stop` if the rules end it. Without a decision its newest is revised."""
    positions = positions_of(state.chains, chain)
    match decision:
        case Verdict(reason=reason, evidence=evidence, pick=pick):
            return Stop(reason, evidence, None if pick is None else positions[pick])
        case Regenerate(with_findings=with_findings):
            return NextMove(chain, None, with_findings)
        case _:
            line = [state.iterations[position] for position in positions]
            base = len(line) - 1 if decision is None else decision.base
            return NextMove(chain, positions[base if base in above_floor(line) else best(line)])


def last_word(state: RunState, best: Best) -> Stop:
    """Return why the line with the best candidate ended, once all lines have ended."""
    first, *_ = best_chains(state.iterations, state.chains, best, among=list(state.closed))
    return state.closed[first]


def out_of_iterations(history: Sequence[Iteration], config: LoopConfig) -> Stop:
    """Return the end of a run that made its maximum of candidates."""
    evidence: dict[str, Any] = {"max_iterations": config.max_iterations}
    swing = oscillation([score_of(one) for one in history], threshold=config.score_threshold)
    return Stop(StopReason.MAX_ITERATIONS, evidence | ({"oscillation": swing} if swing else {}))
