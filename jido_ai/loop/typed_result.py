"""The result of a run whose answers have a type: its candidates with the objects that their texts stand for."""

from __future__ import annotations

from typing import Any

from jido_ai.components.readings import checked
from jido_ai.text.output_type import OutputType, Readings
from jido_ai.values import Candidate, ReflectionResult


async def typed_result(
    result: ReflectionResult[Any], output: OutputType[Any] | None, known: Readings | None = None
) -> ReflectionResult[Any]:
    """Return the result with a value for each candidate that validates; the result as it is without a type."""
    if output is None:
        return result

    async def with_value(candidate: Candidate) -> Candidate:
        value = (await checked(output, candidate.content, known)).value  # the very object: critics had copies
        return candidate.model_copy(update={"value": value})

    iterations = [one.model_copy(update={"candidate": await with_value(one.candidate)}) for one in result.iterations]
    best = result.best_candidate
    if best is not None:
        best = next((one.candidate for one in iterations if one.candidate.id == best.id), best)
    return result.model_copy(update={"iterations": tuple(iterations), "best_candidate": best, "is_typed": True})
