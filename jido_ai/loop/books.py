"""Books: the memory, cost ledger and monthly budget of a command that calls models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, cast, overload

from jido_ai.components.component import Reopening, as_reflection, close_all, method_of
from jido_ai.config import Settings
from jido_ai.loop.settings import learning_options, memory_options
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.wrappers.ledger import REFLECTIONS_STOP_AT, CostLedger, MonthlyBudgetModel
from jido_ai.protocols import LanguageModel, RunContext
from jido_ai.reflection.reflector import Reflector
from jido_ai.registry import resolve
from jido_ai.telemetry import Sink, TelemetryEvent
from jido_ai.values import Episode, MemoryEntry, Reflection

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
        if model is None or self.ledger.monthly_usd is None:
            return model
        return MonthlyBudgetModel(model, self.ledger)

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
            options["reflector"] = ThriftyReflector(Reflector(model, depth=settings.depth), self.ledger)
            options["mode"] = "full" if settings.reflect_on_success else "lite"
        return options

    async def remember(self, lessons: Iterable[MemoryEntry]) -> None:
        """Store lessons, if the command has a memory."""
        for lesson in lessons if self._has_memory else ():
            await self.memory.store(lesson)

    async def warnings(self) -> tuple[str, ...]:
        """Return the warnings about this month's budget."""
        share = await self.ledger.share()
        if share < REFLECTIONS_STOP_AT:
            return ()
        return (f"{share:.0%} of the month's ${self.ledger.monthly_usd:.2f} is spent: attempts are not reflected on",)


class ThriftyReflector(Reopening):
    """Reflects while less than 80 % of the monthly budget is spent, then refuses; runs count refusals and continue.

    Args:
        reflector: any object with the method, or a function.
    """

    def __init__(self, reflector: object, ledger: CostLedger) -> None:
        self._reflector = reflector
        self._reflect = method_of(reflector, "reflect")
        self._ledger = ledger

    async def aclose(self) -> None:
        """Close the reflector if it can be reopened."""
        await close_all((self._reflector,))

    def uses(self) -> tuple[object, ...]:
        """Return the reflector."""
        return (self._reflector,)

    async def reflect(
        self, episode: Episode, priors: Sequence[Reflection] = (), context: RunContext | None = None
    ) -> Reflection:
        """Return the lesson of an episode. Raises `BudgetExceededError` if 80 % of the budget is spent."""
        await self._ledger.require(REFLECTIONS_STOP_AT, "what is left is for answers")
        return as_reflection(await self._reflect(episode, priors, context))


def ignore(event: TelemetryEvent) -> None:
    """Ignore an event; commands show progress themselves."""
