"""OutputCritiquer: judges whether a text is JSON of a type, and lets other critics judge the object."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast, get_type_hints

from jido_ai.components.component import Reopening, as_critique, close_all, method_of
from jido_ai.components.readings import checked, with_value
from jido_ai.critics.panel import PanelCritiquer
from jido_ai.protocols import AnyCritiquer, RunContext
from jido_ai.text.output_type import OutputType, Readings
from jido_ai.values import Candidate, CritiqueResult, Outcome


async def misfit_of(
    output: OutputType[Any], candidate: Candidate, known: Readings | None = None
) -> CritiqueResult | None:
    """Return the critique of a candidate that is not of the type; None for one that is."""
    issues = (await checked(output, candidate.content, known)).issues
    if not issues:
        return None
    severities = [issue.severity or 0.0 for issue in issues]
    score = 1.0 / (1.0 + sum(severities))
    return CritiqueResult(
        severity=max(severities), score=score, issues=issues, source=OutputCritiquer.name, outcome=Outcome.FAILURE
    )


class OutputCritiquer(Reopening):
    """Reports what keeps a candidate from being of a type (`OutputType.issues`), and asks the critics about the rest.

    The critics see only candidates that validate, each with an object of its own as `candidate.value`. A plain function
    whose first argument is annotated with the type gets that object instead of the candidate. Without critics a
    candidate that validates is flawless.

    severity is that of the worst finding; score = 1 / (1 + the sum of all severities).

    Args:
        output: the type.
        critiquer: judges candidates that validate; a list is a panel; None: nobody does.
    """

    name = "output"

    def __init__(self, output: OutputType[Any], critiquer: AnyCritiquer | Sequence[AnyCritiquer] | None = None) -> None:
        self._output = output
        if isinstance(critiquer, list | tuple):
            members = [_WithValue(output, one) for one in cast("Sequence[AnyCritiquer]", critiquer)]
            self._inner: _WithValue | PanelCritiquer | None = PanelCritiquer(members)
        else:
            self._inner = None if critiquer is None else _WithValue(output, cast("AnyCritiquer", critiquer))
        self.max_concurrency: int | None = getattr(self._inner, "max_concurrency", None)

    async def aclose(self) -> None:
        """Close the critics; those that can reopen do so on the next use."""
        await close_all((self._inner,))

    def uses(self) -> tuple[object, ...]:
        """Return the critics."""
        return () if self._inner is None else (self._inner,)

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Judge a candidate: first by its type, then by the critics."""
        misfit = await misfit_of(self._output, candidate)
        if misfit is not None:
            return misfit
        if self._inner is None:
            return CritiqueResult(severity=0.0, source=self.name, outcome=Outcome.SUCCESS)
        return await self._inner.critique(candidate, context)


class _WithValue(Reopening):
    """A critic that is given the object."""

    def __init__(self, output: OutputType[Any], critic: AnyCritiquer) -> None:
        self._output = output
        self._critic = critic
        self._judge = _judge_of(output, critic)
        self.name = str(getattr(critic, "name", None) or getattr(critic, "__name__", None) or type(critic).__name__)
        limit: object = getattr(critic, "max_concurrency", None)
        self.max_concurrency = limit if isinstance(limit, int) else None

    async def aclose(self) -> None:
        await close_all((self._critic,))

    def uses(self) -> tuple[object, ...]:
        return (self._critic,)

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        return as_critique(await self._judge(await with_value(self._output, candidate), context))


def _judge_of(output: OutputType[Any], critic: AnyCritiquer) -> Callable[..., Awaitable[object]]:
    judge = method_of(critic, "critique", "a critiquer")
    if not inspect.isfunction(critic):
        return judge
    try:
        hints, parameters = get_type_hints(critic, include_extras=True), list(inspect.signature(critic).parameters)
    except (NameError, TypeError, ValueError):  # annotations that cannot be resolved
        return judge
    if not parameters or hints.get(parameters[0]) != output.given:
        return judge
    takes_context = len(parameters) > 1

    async def judged(candidate: Candidate, context: RunContext) -> object:
        return await judge(candidate.value, *((context,) if takes_context else ()))

    return judged
