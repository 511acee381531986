"""Runs as the MCP server sees them: the protocol of whatever carries them out, and the reports that it gives."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from jido_ai.graph.orders import RunKind, RunOrder, RunStatus
from jido_ai.graph.served import Served
from jido_ai.mcp.limits import Caller
from jido_ai.runs.questions import Question
from jido_ai.values import CritiqueResult, Scope

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """The current state of a run.

    Attributes:
        name: of the pipeline or graph; "" if unknown.
        result: `ReflectionResult` or `GraphResult` as JSON; None while the run goes on.
        questions: what a suspended run waits for, oldest first.
        token: id of the token that started it; None if that is not known.
    """

    run_id: str
    kind: RunKind
    name: str
    status: RunStatus
    result: Mapping[str, Any] | None = None
    questions: tuple[Question, ...] = ()
    token: str | None = None

    @property
    def error(self) -> Mapping[str, Any] | None:
        """Return why the run failed; None if it did not."""
        return None if self.result is None else self.result.get("error")


class RunInFlight(Protocol):
    """A run that was started."""

    @property
    def run_id(self) -> str: ...

    def events(self) -> AsyncGenerator[Mapping[str, Any]]:
        """Yield the run's events `Critiqued` and `NodeStopped` as JSON (`event.to_map()`), past and future.

        Others may be among them. It ends when the run stops.
        """
        ...

    async def result(self) -> RunReport:
        """Wait for the end. Cancelling this wait does not end the run."""
        ...

    async def cancel(self) -> None:
        """End the run soon. Does nothing if it has ended."""
        ...


class Runner(Protocol):
    """Carries out runs. Errors are `JidoError`s; their messages are shown to the caller.

    Attributes:
        served: pipelines and graphs by name.
    """

    @property
    def served(self) -> Mapping[str, Served]: ...

    async def start(self, order: RunOrder) -> RunInFlight | RunReport:
        """Start a run; one whose id is known is joined, or continued from its journal; the report of one that ended.

        Raises:
            ConfigurationError: the order can never work, or another run has its id.
        """
        ...

    async def resume(self, report: RunReport, question: Question, decision: bool | str, caller: Caller) -> RunInFlight:
        """Answer a question of a suspended run, and continue it.

        Raises:
            ConfigurationError: the run waits for no such decision.
        """
        ...

    async def load(self, run_id: str, scope: Scope) -> RunReport:
        """Return a run. Raises `NotFoundError` for an unknown run, or one of another scope."""
        ...

    async def critique(self, name: str, text: str, task: str, caller: Caller) -> CritiqueResult:
        """Judge a text with the critics of a pipeline."""
        ...

    async def beside(self, name: str, caller: Caller, work: Callable[[], Awaitable[T]]) -> T:
        """Do work that may call models and is no run, in the queue and within the limits of runs.

        Args:
            name: of the pipeline whose models it calls, or what it is.
        """
        ...
