"""How the commands word figures: counts, costs, stop reasons, columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from jido_ai.values import StopReason, Usage

EXPLAINED: Final[Mapping[StopReason, str]] = {
    StopReason.ACCEPTED: "the result is good enough",
    StopReason.CYCLE: "a revision repeated an earlier text",
    StopReason.REGRESSION: "revisions made it worse",
    StopReason.MINIMAL_CHANGE: "the last revision changed too little",
    StopReason.SEVERITY_PLATEAU: "the worst issue remains",
    StopReason.SCORE_PLATEAU: "the score no longer improves",
    StopReason.RULE: "a rule of your own ended it",
    StopReason.NO_EXPECTED_GAIN: "another revision is not expected to help",
    StopReason.DECLINED: "no reviser can fix the remaining issues",
    StopReason.MAX_ITERATIONS: "iteration limit reached",
    StopReason.BUDGET: "budget used up",
    StopReason.DEADLINE: "out of time",
    StopReason.CANCELLED: "interrupted",
    StopReason.ERROR: "a component failed",
    StopReason.SUSPENDED: "waiting for a decision",
}


def taken(usage: Usage, *, is_so_far: bool = False) -> str:
    """Return the calls, tokens and cost of a run.

    Args:
        is_so_far: the run goes on: a cost that is not known is told at its end.
    """
    calls = counted(usage.calls, "model call")
    cost = "" if is_so_far and usage.unpriced_calls >= max(1, usage.calls) else f", {money(usage)}"
    return f"{calls}, {usage.input_tokens:,} tokens in, {usage.output_tokens:,} out{cost}"


def money(usage: Usage) -> str:
    """Return the cost, and how many calls have no known price."""
    return usage.cost_in_words


def scale(threshold: float, accept: str) -> str:
    """Say how severities are read, under the settings `severity_threshold` and `accept` of a run."""
    clean = " without any issue" if accept == "clean" else ""
    return f"0 is flawless, below {threshold:g}{clean} is good enough"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return the number with its noun: "1 model call", "2 model calls", "3 entries"."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def shown_in_words(shown: int, succeeded: int) -> str:
    """Say in how many runs a lesson was shown, and how many of them succeeded; that does not mean that it helped."""
    return f"shown in {counted(shown, 'run')}, {succeeded:,} succeeded" if shown else "not shown yet"


def plain(text: str) -> str:
    """Return the text in one line, without control characters."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def columns(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return one line per row, its cells below each other; the last cell of a row is as long as it is.

    Args:
        right: columns that are aligned to the right.
    """
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines: list[str] = []
    for row in rows:
        cells = [
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
