"""Questions: what a suspended run waits for a person to answer, read from its journal. Pure.

A question has a mark. An answer that is carried out again after a fault is compared with it, so that it does not answer
what the run asked later at the same place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from jido_ai.graph.record import read_graph
from jido_ai.loop.record import read_run
from jido_ai.values.record import Record

__all__ = ["REVISION", "questions_in", "still_asked"]

REVISION: Final = "revision"
"""The path of the question of a pipeline's run: whether to accept its newest revision."""


def questions_in(records: Sequence[Record]) -> dict[str, str]:
    """Return the marks of the questions of a run by path: nodes of a graph, "revision" of a pipeline.

    Args:
        records: lines of the run's journal in the order of writing, at least one.

    Raises:
        StoreDamagedError, StoreVersionError: they cannot be read.
    """
    first, lines = records[0], [(one.kind, one.data) for one in records]
    if not any(one.kind == "graph" for one in records):
        waiting = read_run(first.key, first.scope, first.timestamp, lines).waiting
        return {} if waiting is None else {REVISION: waiting.candidate.id}
    rows = {str(one.data["path"]): one.row for one in records if one.kind == "waiting"}
    return {path: f"{rows[path]}" for path in read_graph(first.key, first.scope, lines).waiting}


def still_asked(asked: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Return the paths of questions that are still open: asked before, and not asked anew since."""
    return [path for path, mark in asked.items() if now.get(path) == mark]
