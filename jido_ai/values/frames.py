"""Tables of candidates for pandas or polars, whichever is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from jido_ai.errors import ConfigurationError

COLUMNS: Final = (
    "run_id",
    "prompt",
    "iteration",
    "severity",
    "score",
    "issues",
    "is_best",
    "stop_reason",
    "candidate",
    "model",
    "candidate_id",
    "parent_id",
)
"""Of every table, one row for each judged candidate: iterations count from 1, `issues` is their number."""


def frame_of(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = COLUMNS) -> Any:
    """Return a `pandas.DataFrame`, or a `polars.DataFrame` where pandas is not installed.

    Raises:
        ConfigurationError: neither is installed.
    """
    name = next((name for name in ("pandas", "polars") if find_spec(name) is not None), None)
    if name is None:
        raise ConfigurationError("a frame needs pandas or polars: pip install pandas")
    return import_module(name).DataFrame({column: [row.get(column) for row in rows] for column in columns})


def rows_of_result(result: Any) -> list[dict[str, Any]]:
    """Return the rows of a `ReflectionResult`."""
    best = result.best_candidate
    return [
        {
            "run_id": result.run_id,
            "prompt": result.prompt,
            "iteration": iteration.index + 1,
            "severity": iteration.critique.severity,
            "score": iteration.critique.score if iteration.candidate.score is None else iteration.candidate.score,
            "issues": len(iteration.critique.issues),
            "is_best": best is not None and iteration.candidate.id == best.id,
            "stop_reason": result.stopped_by,
            "candidate": iteration.candidate.content,
            "model": iteration.candidate.model,
            "candidate_id": iteration.candidate.id,
            "parent_id": iteration.candidate.parent_id,
        }
        for iteration in result.iterations
    ]


def rows_of_lines(run_id: str, lines: Iterable[tuple[str, Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Return the rows of a run from the lines of its journal; the stop reason is None while it goes on."""
    rows: list[dict[str, Any]] = []
    candidates: dict[int, Mapping[str, Any]] = {}
    prompt, reason, best = None, None, None
    for kind, data in lines:
        if kind == "started":
            prompt = data.get("prompt")
        elif kind == "candidate":
            candidates[data["slot"]] = data["candidate"]
        elif kind == "judged":
            made, critique = candidates[data["slot"]], data["critique"]
            rows.append(
                {
                    "run_id": run_id,
                    "iteration": len(rows) + 1,
                    "severity": critique["severity"],
                    "score": data["score"],
                    "issues": len(critique["issues"]),
                    "candidate": made["content"],
                    "model": made["model"],
                    "candidate_id": made["id"],
                    "parent_id": made["parent_id"],
                }
            )
        elif kind == "stopped":
            evidence: Mapping[str, Any] = data.get("evidence") or {}
            reason, best = evidence.get("rule") or data["reason"], data.get("best")
    for row in rows:
        row |= {"prompt": prompt, "stop_reason": reason, "is_best": best is not None and row["iteration"] == best + 1}
    return rows
