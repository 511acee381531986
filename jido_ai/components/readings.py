"""The texts of one run that were checked against its type: each is validated once, and all see the same object."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from copy import deepcopy
from functools import partial
from typing import Any, Final, TypeVar

from jido_ai.text.output_type import OutputType, Reading, Readings
from jido_ai.values import Candidate, ReflectionResult


async def aside(work: Callable[[str], T], text: str, most: int) -> T:
    """Return `work(text)`, for a text of more than `most` characters from a thread, so that the event loop goes on."""
    return work(text) if len(text) <= most else await asyncio.to_thread(work, text)


T = TypeVar("T")
current_readings: Final[ContextVar[Readings | None]] = ContextVar("current_readings", default=None)
"""Those of the run that a component works for; None outside of runs."""


async def checked(output: OutputType[Any], text: str, known: Readings | None = None) -> Reading[Any]:
    """Return the reading of a text as it stands; `known` is by default that of the run."""
    known = current_readings.get() if known is None else known
    return await aside(partial(output.check, known=known), text, output.light_chars)


async def read(output: OutputType[Any], text: str, known: Readings | None = None) -> Reading[Any]:
    """Return the reading of the JSON in a text; `known` is by default that of the run."""
    known = current_readings.get() if known is None else known
    return await aside(partial(output.read, known=known), text, output.light_chars)


async def with_value(output: OutputType[Any], candidate: Candidate, known: Readings | None = None) -> Candidate:
    """Return the candidate with a copy of the object that its text stands for; None if it does not validate."""
    value = (await checked(output, candidate.content, known)).value
    return candidate.model_copy(update={"value": await aside(lambda _: _copy(value), candidate.content, 10_000)})


def _copy(value: T) -> T:
    """Return a deep copy: nobody spoils the object of another. What cannot be copied is shared."""
    try:
        return deepcopy(value)
    except Exception:  # noqa: BLE001 - of objects of the caller's, which may raise anything
        return value


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
