"""Books: the memory, cost ledger and monthly budget of a command that calls models."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, cast, overload

from jido_ai.config import Settings
from jido_ai.loop.settings import learning_options, memory_options
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.wrappers.ledger import CostLedger
from jido_ai.models.wrappers.monthly_budget import (
    REFLECTIONS_STOP_AT,
    MonthlyBudget,
    MonthlyBudgetModel,
    ThriftyReflector,
)
from jido_ai.protocols import LanguageModel
from jido_ai.reflection.reflector import Reflector
from jido_ai.registry import resolve
from jido_ai.telemetry import Sink, TelemetryEvent
from jido_ai.values import MemoryEntry

_RETRIES: Final = 2


class Books:
    """The memory of a command and the cost of its calls, stored in that memory. Use it in `async with`.

    Leaving it closes the models that it made from names.

    Args:
        address: of the memory; None keeps everything in the process, and pipelines get no memory. An open memory is
            used as it is, and stays open.
        settings: the effective settings.
        label: label of the calls in the ledger.

    Attributes:
        sink: receives the events of the models, such as waits.

    Raises:
        ConfigurationError: the address can never work.
    """

    def __init__(self, address: Path | str | ReflexionMemory | None, settings: Settings, label: str) -> None:
        self.sink: Sink = ignore
        self._settings = settings
        self._label = label
        self._is_given = isinstance(address, ReflexionMemory)
        self.memory = (
            address if isinstance(address, ReflexionMemory) else ReflexionMemory(address, **memory_options(settings))
        )
        self._has_memory = address is not None and settings.enabled
        self._made: list[Any] = []
        store = None if address is None else self.memory
        self.ledger = CostLedger(store, monthly_usd=settings.monthly_budget_usd, sink=ignore)
        self.budget = MonthlyBudget(self.ledger, settings.monthly_budget_usd)

    async def __aenter__(self) -> Self:
        if not self._is_given:
            await self.memory.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        async with AsyncExitStack() as each:  # the last first; one that fails leaves the others to be closed
            for model in self._made:
                each.push_async_callback(model.aclose)
            if not self._is_given:
                each.push_async_callback(self.memory.close)
            each.push_async_callback(self.ledger.flush)

    @overload
    def model(self, model: None) -> None: ...
    @overload
    def model(self, model: LanguageModel | str) -> LanguageModel: ...
    def model(self, model: LanguageModel | str | None) -> LanguageModel | None:
        """Return the model of a command, which fails fast when a provider is down, because a user is waiting.

        Raises:
            ConfigurationError, AuthenticationError: see `model_named`.
        """
        if isinstance(model, str):
            with_limits = cast("Callable[..., LanguageModel]", resolve("model", "default wrappers"))  # loaded only here
            model = with_limits(
                model,
                retries=_RETRIES,
                when_open="fail",
                ledger=self.ledger,
                label=self._label,
                sink=self._told,
            )
            self._made.append(model)
        if model is None or self.budget.monthly_usd is None:
            return model
        return MonthlyBudgetModel(model, self.budget)

    def _told(self, event: TelemetryEvent) -> None:
        self.sink(event)

    def pipeline_options(self, model: LanguageModel | None) -> dict[str, Any]:
        """Return the arguments of a command's pipeline; in mode "full" the model reflects on attempts."""
        settings = self._settings
        options: dict[str, Any] = {"record_calls": settings.record_calls}
        if not self._has_memory:
            return options
        options |= {"memory": self.memory, **learning_options(settings)}
        if settings.mode == "full":
            options["reflector"] = ThriftyReflector(Reflector(model, depth=settings.depth), self.budget)
            options["mode"] = "full" if settings.reflect_on_success else "lite"
        return options

    async def remember(self, lessons: Iterable[MemoryEntry]) -> None:
        """Store lessons, if the command has a memory."""
        for lesson in lessons if self._has_memory else ():
            await self.memory.store(lesson)

    async def warnings(self) -> tuple[str, ...]:
        """Return the warnings about this month's budget."""
        share = await self.budget.share()
        if share < REFLECTIONS_STOP_AT:
            return ()
        return (f"{share:.0%} of the month's ${self.budget.monthly_usd:.2f} is spent: attempts are not reflected on",)


def ignore(event: TelemetryEvent) -> None:
    """Ignore an event; commands show progress themselves."""
