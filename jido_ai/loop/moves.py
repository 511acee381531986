"""The next move where programs judge: a plain sample, a draft that is told the findings, or a revision. Pure.

Each kind of move has a chance to bring a gain. Before anything is tried, a revision's chance grows with what is worth
keeping (the share that already holds, weighted by the length of the text), and a draft's falls with it. Each try
without a gain lowers the chance of its kind, a gain raises it, and a text that was there before counts as two tries;
the kind with the best chance for its price comes next.

The chances are from 79 tasks with small models on a CPU (`benchmarks/real_model`, docs/planning/archive/0045), rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from jido_ai.critics.acceptance import History
from jido_ai.loop.convergence import score_of
from jido_ai.values import SLACK, Iteration, LoopConfig, Regenerate, Revise, StopReason, Verdict

Move = Literal["sample", "sample with examples", "sample without", "draft", "revision"]
MOVES: Final[tuple[Move, ...]] = ("sample", "sample with examples", "sample without", "draft", "revision")
"""Where memory has worked examples for the run, a sample is made with or without them; otherwise it is a plain one."""
SAMPLES: Final[tuple[Move, ...]] = MOVES[:3]
_TURNS: Final[tuple[Move, ...]] = MOVES[1:3]
EARLIER_MOVES: Final = "earlier_moves"
"""Key in the metadata of a run's first candidate: how the moves of earlier runs ended, as `as_record` writes it."""
COPY_OF: Final = "copy_of"
"""Key in the metadata of a candidate: the id of the example whose answer it repeats."""
_CHANCE: Final[Mapping[Move, float]] = {**dict.fromkeys(SAMPLES, 0.5), "draft": 0.4, "revision": 0.1}
"""Chance of a gain when nothing is worth keeping. When everything is, a draft has none and a revision 0.5 more."""
_REVISION_GAINS: Final = 0.5
_WEIGHT: Final = 0.7
"""Tries that the first chance counts for."""
_KEEP_GIVEN: Final = 0.9
"""The same for a candidate that no model wrote: a draft from the prompt alone may not know what it is about."""
_EARLIER_TRIES: Final = 3.0
"""Tries of each kind in earlier runs that count at most, so that a run can unlearn them."""
_LONG: Final = 2_000
"""Characters from which on what holds is worth keeping in full: some 50 lines."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How often a kind of move was tried, and how often it brought a gain."""

    tries: float = 0.0
    gains: float = 0.0


def tallies_in(records: Iterable[Mapping[str, Any]]) -> dict[Move, Tally]:
    """Sum up the moves of earlier runs, as `as_record` writes them; three tries of each kind count at most."""
    tallies = dict.fromkeys(MOVES, Tally())
    for record in records:
        for move in MOVES:
            tries, gains = record.get(move, (0.0, 0.0))
            tallies[move] = Tally(tallies[move].tries + tries, tallies[move].gains + gains)
    shares = {move: min(1.0, _EARLIER_TRIES / max(tally.tries, SLACK)) for move, tally in tallies.items()}
    return {move: Tally(tally.tries * shares[move], tally.gains * shares[move]) for move, tally in tallies.items()}


def as_record(tallies: Mapping[Move, Tally]) -> dict[str, Any]:
    """Return tallies as JSON-ready data; kinds that were not tried are left out."""
    return {move: [tally.tries, tally.gains] for move, tally in tallies.items() if tally.tries}


def move_of(iteration: Iteration) -> Move:
    """Return how a candidate came about; a first candidate is a sample."""
    if iteration.change is not None:
        return "revision"
    noted: object = iteration.candidate.metadata.get("move")
    return noted if noted in MOVES else "sample"


def repeats_of(history: Sequence[Iteration]) -> int:
    """Return how many candidates equal an earlier one, or the answer of an example."""
    copies = sum([COPY_OF in iteration.candidate.metadata for iteration in history])
    return len(history) - len({iteration.candidate.content for iteration in history}) + copies


def tallies_of(history: Sequence[Iteration], bests: Sequence[int]) -> dict[Move, Tally]:
    """Count the moves after the first candidate; a gain is a candidate that is the best when it is judged.

    Args:
        bests: position of the best candidate after each iteration.
    """
    tallies = dict.fromkeys(MOVES, Tally())
    seen: set[str] = set()
    for position, iteration in enumerate(history):
        text = iteration.candidate.content
        if position:
            before = tallies[move := move_of(iteration)]
            gained = bests[position] == position
            is_repeat = text in seen or COPY_OF in iteration.candidate.metadata
            tallies[move] = Tally(before.tries + (2 if is_repeat else 1), before.gains + gained)
        seen.add(text)
    return tallies


def _turns(history: Sequence[Iteration], price: int) -> dict[Move, int]:
    """Return the kinds of samples of a run with examples; right after a copy of one it goes without them."""
    samples = [one for one in history if move_of(one) in _TURNS]
    is_copied = bool(samples) and COPY_OF in samples[-1].candidate.metadata
    return dict.fromkeys(_TURNS[1:] if is_copied else _TURNS, price)


def _worth_keeping(base: Iteration) -> float:
    return score_of(base) * min(1.0, len(base.candidate.content) / _LONG)


def best_move(
    history: History,
    config: LoopConfig,
    bests: Sequence[int],
    *,
    calls: Mapping[Move, int],
) -> Regenerate | Revise | Verdict:
    """Return the move with the best chance, or the verdict that none is worth its price.

    Args:
        bests: position of the best candidate after each iteration; a revision starts from the last one.
        calls: how many calls of models each kind takes; a kind that is not there cannot be made.
    """
    best = bests[-1]
    base = history[best]
    keep = _KEEP_GIVEN if history[0].candidate.model is None else _worth_keeping(base)
    tallies = tallies_of(history, bests)
    prior = tallies_in([history[0].candidate.metadata.get(EARLIER_MOVES, {})])
    calls = {move: price for move, price in calls.items() if move not in _TURNS}
    if "sample" in calls and any(move_of(one) in _TURNS for one in history):
        calls = {**_turns(history, calls.pop("sample")), **calls}
        first_move = move_of(history[0])
        if first_move in _TURNS:  # so that the other kind is next
            begun = tallies[first_move]
            tallies[first_move] = Tally(begun.tries + 1, begun.gains)
    chances: dict[Move, float] = {}
    for move in calls:
        first = _CHANCE[move] + _REVISION_GAINS * keep if move == "revision" else _CHANCE[move] * (1.0 - keep)
        tries, gains = tallies[move].tries + prior[move].tries, tallies[move].gains + prior[move].gains
        chances[move] = (_WEIGHT * first + gains) / (_WEIGHT + tries)
    missing = max(1.0 - score_of(base), base.critique.severity)
    worth = {move: chance * missing - config.call_price * calls[move] for move, chance in chances.items()}
    move = max(worth, key=worth.__getitem__)
    if worth[move] > SLACK:
        if move == "revision":
            return Revise(best)
        with_examples = move == "sample with examples" if move in _TURNS else None
        return Regenerate(with_findings=move == "draft", with_examples=with_examples)
    evidence = {
        "missing": missing,
        "call_price": config.call_price,
        "worth_keeping": keep,
        **{f"chance_of_{name}": chance for name, chance in chances.items()},
    }
    return Verdict(StopReason.NO_EXPECTED_GAIN, evidence, pick=best)
