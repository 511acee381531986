"""The work of a run, as the service that carries it out sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextvars import Context
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from jido_ai.actors.actor import Actor
from jido_ai.actors.ref import Ask
from jido_ai.errors import ActorError
from jido_ai.runs.questions import Question
from jido_ai.values import Scope

ResultT = TypeVar("ResultT")


class Request(Protocol):
    """One run, as the caller requested it.

    Attributes:
        context: the caller's context variables; every call of the run runs in a copy.
    """

    @property
    def run_id(self) -> str: ...
    @property
    def scope(self) -> Scope: ...
    @property
    def metadata(self) -> Mapping[str, Any]: ...
    @property
    def context(self) -> Context: ...


class RecordedState(Protocol):
    """A run as read from its journal.

    Attributes:
        status: how it ended, or "interrupted".
        is_over: continuing would change nothing.
        events: number of events that it emitted.
        questions: what it asks a person.
    """

    @property
    def run_id(self) -> str: ...
    @property
    def scope(self) -> Scope: ...
    @property
    def status(self) -> str: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def is_redacted(self) -> bool: ...
    @property
    def events(self) -> int: ...
    @property
    def questions(self) -> tuple[Question, ...]: ...


@dataclass(frozen=True, slots=True)
class Begin(Ask[Any]):
    """To the actor of a run: start its work, or continue it; the reply is the result."""


class RunWork(Protocol[ResultT]):
    """The state of one run and the steps that advance it. It outlives the actor that works on it.

    Attributes:
        finished: done, with the result, when nothing works on it any more.
        is_under_way: an actor is working on it.
        shutdown_s: seconds that its actor has to stop.
    """

    @property
    def finished(self) -> asyncio.Future[ResultT]: ...
    @property
    def is_under_way(self) -> bool: ...
    @property
    def shutdown_s(self) -> float: ...

    def actor(self) -> Actor[Any]:
        """Return a new actor for the work; its first message is `Begin`."""
        ...

    def cancel(self) -> None:
        """End soon, with the result so far."""
        ...

    def forsake(self) -> None:
        """End because the caller was cancelled: at once, or soon if an actor brings the work to its end."""
        ...

    async def abandoned(self, error: ActorError) -> ResultT:
        """Return the result so far, because no actor can continue."""
        ...
