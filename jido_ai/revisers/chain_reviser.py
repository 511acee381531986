"""ChainReviser: several revisers as one; they are asked in order until one does not decline."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

from jido_ai.components.component import Reopening, as_revision, close_all, method_of
from jido_ai.errors import ConfigurationError, Declined, describe
from jido_ai.protocols import AnyReviser, RunContext
from jido_ai.values import Candidate, CritiqueResult


class ChainReviser(Reopening):
    """Returns the answer of the first reviser that does not decline.

    An error is not a decline: it is raised, and no other reviser is asked.

    Args:
        revisers: objects with `revise`, or plain (async) functions with the same arguments, the preferred one first;
            functions that are not async run in a thread.

    Raises:
        ConfigurationError: there is no reviser, or one of them is not a reviser.
    """

    name = "chain"

    def __init__(self, revisers: Sequence[AnyReviser]) -> None:
        if isinstance(revisers, str) or not isinstance(revisers, Iterable):
            raise ConfigurationError(f"a chain needs a sequence of revisers, got {describe(revisers)}")
        self._revisers = tuple(revisers)
        if not self._revisers:
            raise ConfigurationError("a chain needs at least one reviser, got none")
        self._revise: list[Callable[..., Awaitable[object]]] = [method_of(reviser, "revise") for reviser in revisers]

    async def aclose(self) -> None:
        """Close the revisers; those that can reopen do so on the next use."""
        await close_all(self._revisers)

    def uses(self) -> tuple[object, ...]:
        """Return the revisers."""
        return self._revisers

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        """Ask the revisers in order.

        Raises:
            Declined: all of them declined; with all their reasons, in order and without duplicates.
        """
        reasons: dict[str, None] = {}
        for revise in self._revise:
            try:
                return as_revision(await revise(candidate, critique, context))
            except Declined as signal:
                reasons.update(dict.fromkeys(signal.reasons))
        raise Declined(*reasons)
