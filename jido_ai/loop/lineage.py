"""Lines of candidates: the iterations that a rule sees when several candidates are developed side by side. Pure.

With one candidate at a time the line is the history. With several first candidates, or a beam, each line is one first
candidate and its revisions; a rule sees one line at a time, numbered from 0, and nothing of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jido_ai.critics.findings import ledger
from jido_ai.values import Finding, Iteration


def positions_of(chains: Sequence[int], chain: int) -> list[int]:
    """Return the positions in the history of a line's iterations, in order."""
    return [position for position, other in enumerate(chains) if other == chain]


def line_of(history: Sequence[Iteration], positions: Sequence[int]) -> tuple[Iteration, ...]:
    """Return the iterations at these positions, which ascend, numbered from 0."""
    if len(positions) == len(history):
        return tuple(history)
    return tuple(
        history[position] if position == index else history[position].model_copy(update={"index": index})
        for index, position in enumerate(positions)
    )


def best_chains(
    history: Sequence[Iteration],
    chains: Sequence[int],
    best: Callable[[Sequence[Iteration]], int],
    *,
    among: Sequence[int] | None = None,
) -> list[int]:
    """Return the lines, the one with the best candidate first; ties go to the earlier.

    Args:
        best: returns the position of the best candidate.
        among: consider only these lines; None is all of them.
    """
    left = [position for position, chain in enumerate(chains) if among is None or chain in among]
    found: list[int] = []
    while left:
        chain = chains[left[best([history[position] for position in left])]]
        found.append(chain)
        left = [position for position in left if chains[position] != chain]
    return found


def findings_of(history: Sequence[Iteration], chains: Sequence[int], best: int) -> tuple[Finding, ...]:
    """Return the findings ledger of the line of the best iteration, with the indices of the whole history."""
    positions = positions_of(chains, chains[best])
    found = ledger(line_of(history, positions), positions.index(best))
    if positions == list(range(len(positions))):
        return found
    return tuple(
        finding.replace(
            first_iteration=positions[finding.first_iteration], last_iteration=positions[finding.last_iteration]
        )
        for finding in found
    )
