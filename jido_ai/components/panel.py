"""Several critiquers as one."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf
from statistics import fmean
from typing import Literal, TypeAlias

from jido_ai.errors import ComponentError, ConfigurationError, JidoError, describe
from jido_ai.protocols import Critiquer, RunContext
from jido_ai.values import Candidate, CritiqueResult, Issue

__all__ = ["PanelCritiquer"]

_Judge: TypeAlias = "Callable[[Candidate, RunContext], CritiqueResult | Awaitable[CritiqueResult]]"


@dataclass(frozen=True, slots=True)
class _Failure:
    """A member that did not answer, answered nonsense or raised."""

    member: str
    error: Exception

    def __str__(self) -> str:
        return f"{self.member}: {str(self.error) or type(self.error).__name__}"


class PanelCritiquer:
    """Asks all members at the same time and makes one critique of their answers.

    With `merge="max"` severity, score and reward are those of the strictest member, with "mean" the averages (of the
    members that gave a reward). Issues, suggestions and strengths are joined without repeats, those of tools before
    those of models, else in the order of the members; so are `parts`, the members' own results. A member that is a
    panel of tools brings its tools as parts. `metadata` has `members`, `answered` and `failed`.

    Args:
        critiquers: objects with `critique`, or plain functions of the same arguments; those that are not async run on
            a thread.
        quorum: how many must answer, 1..n; by default all. All members are waited for, whatever the quorum.
        member_timeout_s: what each member gets; None leaves it to whoever waits for the panel.

    Raises:
        ConfigurationError: no member, or a number out of range.
    """

    name = "panel"

    def __init__(
        self,
        critiquers: Sequence[Critiquer | _Judge],
        *,
        merge: Literal["max", "mean"] = "max",
        quorum: int | None = None,
        member_timeout_s: float | None = None,
    ) -> None:
        if not critiquers:
            raise ConfigurationError("a panel needs at least one critiquer")
        if merge not in ("max", "mean"):
            raise ConfigurationError(f'merge must be "max" or "mean", got {describe(merge)}')
        self._quorum = len(critiquers) if quorum is None else quorum
        if not 1 <= self._quorum <= len(critiquers):
            raise ConfigurationError(f"quorum must be in 1..{len(critiquers)}, got {quorum}")
        if member_timeout_s is not None and not 0.0 < member_timeout_s < inf:
            raise ConfigurationError(f"member_timeout_s must be above 0 and finite, got {member_timeout_s}")
        self._merge = merge
        self._timeout_s = member_timeout_s
        self._members = tuple((_name(one, index), _judge(one)) for index, one in enumerate(critiquers))

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Ask all members.

        Raises:
            ComponentError: fewer than the quorum answered.
        """
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._ask(name, judge, candidate, context)) for name, judge in self._members]
        answers = [task.result() for task in tasks]
        failures = [answer for answer in answers if isinstance(answer, _Failure)]
        results = [answer for answer in answers if isinstance(answer, CritiqueResult)]
        if len(results) < self._quorum:
            raise _no_quorum(len(results), self._quorum, failures)
        return self._join(results, failures)

    async def _ask(
        self, name: str, judge: _Judge, candidate: Candidate, context: RunContext
    ) -> CritiqueResult | _Failure:
        try:
            async with asyncio.timeout(self._timeout_s):
                answer = await _call(judge, candidate, context)
        except TimeoutError as error:
            late = f"did not answer within {self._timeout_s} s" if not str(error) else str(error)
            return _Failure(name, ComponentError(late, component=name))
        except Exception as error:  # noqa: BLE001 - whatever a member raises, the others' answers may be enough
            return _Failure(name, error)
        if not isinstance(answer, CritiqueResult):
            return _Failure(name, ComponentError(f"answered {describe(answer)}, not a CritiqueResult", component=name))
        return answer

    def _join(self, results: Sequence[CritiqueResult], failures: Sequence[_Failure]) -> CritiqueResult:
        ranked = sorted(results, key=lambda result: not _is_of_tools(result))  # stable: else in the members' order
        rewards = [result.reward for result in ranked if result.reward is not None]
        mean = self._merge == "mean"
        return CritiqueResult(
            severity=(fmean if mean else max)(result.severity for result in ranked),
            score=(fmean if mean else min)(result.score for result in ranked),
            reward=(fmean if mean else min)(rewards) if rewards else None,
            issues=_unique_issues(ranked),
            suggestions=tuple(dict.fromkeys(text for result in ranked for text in result.suggestions)),
            strengths=tuple(dict.fromkeys(text for result in ranked for text in result.strengths)),
            feedback="\n".join(result.feedback for result in ranked if result.feedback) or None,
            source=self.name,
            metadata={
                "members": [name for name, _ in self._members],
                "answered": len(results),
                "failed": [str(failure) for failure in failures],
            },
            parts=tuple(part for result in ranked for part in _parts(result)),
        )


def _name(critiquer: object, index: int) -> str:
    named = getattr(critiquer, "name", None) or getattr(critiquer, "__name__", None) or type(critiquer).__name__
    return f"{index}:{named}"


def _judge(critiquer: Critiquer | _Judge) -> _Judge:
    if isinstance(critiquer, Critiquer):
        return critiquer.critique
    if callable(critiquer):
        return critiquer
    raise ConfigurationError(f"a critiquer has a method `critique` or is a function, got {describe(critiquer)}")


async def _call(judge: _Judge, candidate: Candidate, context: RunContext) -> object:
    if inspect.iscoroutinefunction(judge):
        return await judge(candidate, context)
    answer = await asyncio.to_thread(judge, candidate, context)
    return await answer if inspect.isawaitable(answer) else answer


def _unique_issues(results: Iterable[CritiqueResult]) -> tuple[Issue, ...]:
    return tuple(dict.fromkeys(issue for result in results for issue in result.issues))


def _is_of_tools(result: CritiqueResult) -> bool:
    return result.source.startswith("tool:")


def _parts(result: CritiqueResult) -> tuple[CritiqueResult, ...]:
    return result.parts if result.parts and _is_of_tools(result) else (result,)


def _no_quorum(answered: int, quorum: int, failures: Sequence[_Failure]) -> ComponentError:
    error = ComponentError(
        f"{answered} of {quorum} needed critiquers answered; " + "; ".join(str(failure) for failure in failures),
        component="panel",
    )
    error.retryable = any(not isinstance(one.error, JidoError) or one.error.retryable for one in failures)
    error.__cause__ = failures[0].error
    return error
