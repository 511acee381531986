"""What can be plugged in. Any object with the method is one; so is a plain (async) function of the same arguments.

Each protocol has one contract suite under `tests/contracts` that every implementation passes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from jido_ai.values import Candidate, Completion, CompletionRequest, CritiqueResult, MemoryEntry, Scope

__all__ = ["Critiquer", "Generator", "LanguageModel", "Reviser", "RunContext"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """What a component may know about the run it works for.

    Attributes:
        prompt: what the run was asked; it always arrives.
        iteration: index of the candidate in hand, from 0.
        lessons: what memory had to say about the prompt, most useful first.
        deadline: time of the event loop's clock at which the run ends; None is no limit.
    """

    run_id: str
    prompt: str
    iteration: int = 0
    lessons: tuple[MemoryEntry, ...] = ()
    deadline: float | None = None
    scope: Scope = field(default_factory=Scope)
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def time_left_s(self) -> float | None:
        """Return the seconds until the deadline, at least 0.0; None without one. Needs a running event loop."""
        if self.deadline is None:
            return None
        return max(0.0, self.deadline - asyncio.get_running_loop().time())


@runtime_checkable
class Generator(Protocol):
    """Makes the first candidate, or several, for a prompt."""

    async def generate(self, prompt: str, context: RunContext) -> Candidate | Sequence[Candidate] | str: ...


@runtime_checkable
class Critiquer(Protocol):
    """Judges a candidate. It never changes it."""

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult: ...


@runtime_checkable
class Reviser(Protocol):
    """Makes a better candidate from one and its critique, or raises `Declined` when it does not know how."""

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate | str: ...


@runtime_checkable
class LanguageModel(Protocol):
    """Answers a conversation."""

    async def complete(self, request: CompletionRequest) -> Completion: ...
