"""The next moves: the rules are asked about each line in progress, and the limits are applied. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from jido_ai.critics.acceptance import History, is_broken
from jido_ai.errors import ComponentError, describe
from jido_ai.loop.calls import info_of
from jido_ai.loop.convergence import Decision, StopRule, oscillation, score_of
from jido_ai.loop.floor import above_floor
from jido_ai.loop.lineage import best_chains, line_of, positions_of
from jido_ai.loop.policies import Policy, rule_name
from jido_ai.loop.state import Closed, RunState, Stop
from jido_ai.values import Iteration, LoopConfig, Regenerate, Revise, StopReason, Verdict


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
    return tuple([one for one in history if one.candidate.parent_id in same and not is_broken(one)])
