"""Outcomes of tasks. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from typing_extensions import TypeVar

from jido_ai.actors.exit_reason import ExitReason

T = TypeVar("T", covariant=True)  # noqa: PLC0105 - in every signature


@dataclass(frozen=True, slots=True)
class Ok(Generic[T]):
    """The function of a task returned `value`."""

    value: T


@dataclass(frozen=True, slots=True)
class Exited:
    """A task ended without a result."""

    reason: ExitReason
