"""Several revisers as one: each is asked until one knows what to do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from jido_ai.components.component import Reopening, as_revision, close_all, method_of
from jido_ai.errors import ConfigurationError, Declined, describe
from jido_ai.protocols import Reviser, RunContext
from jido_ai.values import Candidate, CritiqueResult

__all__ = ["ChainReviser"]


class ChainReviser(Reopening):
    """Answers what the first of its revisers answers that does not decline.

    An error is not a decline: it is raised, and no other reviser is asked.

    Args:
        revisers: objects with `revise`, or plain (async) functions of the same arguments, the preferred one first;
            functions that are not async run on a thread.

    Raises:
        ConfigurationError: no reviser, or something that is none.
    """

    name = "chain"

    def __init__(self, revisers: Sequence[Reviser | Callable[..., Any]]) -> None:
        if isinstance(revisers, str) or not isinstance(revisers, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
            raise ConfigurationError(f"a chain needs a sequence of revisers, got {describe(revisers)}")
        self._revisers = tuple(revisers)
        if not self._revisers:
            raise ConfigurationError("a chain needs at least one reviser, got none")
        self._revise: list[Callable[..., Awaitable[object]]] = [method_of(one, "revise") for one in revisers]

    async def aclose(self) -> None:
        """Close the revisers that open again when they are used."""
        await close_all(self._revisers)

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        """Ask one after the other.

        Raises:
            Declined: all of them did; with all their reasons, in order, each once.
        """
        reasons: dict[str, None] = {}
        for revise in self._revise:
            try:
                return as_revision(await revise(candidate, critique, context))
            except Declined as signal:
                reasons.update(dict.fromkeys(signal.reasons))
        raise Declined(*reasons)
