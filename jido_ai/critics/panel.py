"""PanelCritiquer: several critiquers as one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from statistics import fmean
from typing import Any, Final, Literal, cast

from jido_ai.components.component import Reopening, close_all, method_of, text_of
from jido_ai.critics.findings import disputed_issues
from jido_ai.critics.scoring import joint_outcome
from jido_ai.errors import BudgetExceededError, ComponentError, ConfigurationError, JidoError, describe, message_of
from jido_ai.protocols import AnyCritiquer, RunContext
from jido_ai.text.numbers import is_number
from jido_ai.values import Candidate, CritiqueResult, Issue, Usage, fingerprint_of, worse_checks

_ISSUES_ON_THE_LOOP: Final = 200
"""Joining up to this many takes 1 to 2 ms and stays on the event loop; larger joins go to a thread."""


@dataclass(frozen=True, slots=True)
class _MemberFailure:
    """A member that did not answer, returned junk or raised."""

    member: str
    error: Exception

    def __str__(self) -> str:
        return f"{self.member}: {text_of(self.error)}"


class PanelCritiquer(Reopening):
    """Asks all members concurrently and merges their critiques into one.

    With `merge="max"` severity, score and reward are those of the strictest member, with "mean" the averages (reward:
    over the members that gave one). The outcome is partial if only some members saw a success. Issues, suggestions and
    strengths are joined without duplicates, those of tools before those of models, then in member order. So are
    `parts`, the members' own results; a member that is a panel of tools contributes its tools as parts. Criterion
    scores are merged like the severity.

    Two issues are duplicates if they have the same fingerprint and the same line (or one has none), whatever their
    source. The first is kept, with the larger severity, and with a line if either has one.

    `metadata` has `members`, `answered`, `failed`, and `disputed`: fingerprints of the issues that some models report
    while others report none. `usage` is the sum over the members.

    Args:
        critiquers: objects with `critique`, or plain functions with the same arguments; those that are not async run in
            a thread.
        quorum: minimum number of answers, 1..n; by default all. All members are awaited, whatever the quorum.
        member_timeout_s: time limit of each member in seconds, or a sequence with one value each; None leaves the limit
            to the panel's caller.

    Raises:
        ConfigurationError: there is no member, or a number is out of range.
    """

    name = "panel"

    def __init__(
        self,
        critiquers: Sequence[AnyCritiquer],
        merge: Literal["max", "mean"] = "max",
        *,
        quorum: int | None = None,
        member_timeout_s: float | Sequence[float | None] | None = None,
    ) -> None:
        if not isinstance(critiquers, Sequence) or isinstance(critiquers, str):
            raise ConfigurationError(f"a panel needs a sequence of critiquers, got {describe(critiquers)}")
        if not critiquers:
            raise ConfigurationError("a panel needs at least one critiquer, got none")
        if merge not in ("max", "mean"):
            raise ConfigurationError(f'merge must be "max" or "mean", got {describe(merge)}')
        self._quorum = len(critiquers) if quorum is None else quorum
        if type(self._quorum) is not int or not 1 <= self._quorum <= len(critiquers):
            raise ConfigurationError(f"quorum must be a whole number in 1..{len(critiquers)}, got {describe(quorum)}")
        limits = _limits(member_timeout_s, len(critiquers))
        self._merge = merge
        self._critiquers = tuple(critiquers)
        self._members = tuple(
            _Member(_name(one, index), method_of(one, "critique", "a critiquer of a panel"), limit)
            for index, (one, limit) in enumerate(zip(critiquers, limits, strict=True))
        )

    async def aclose(self) -> None:
        """Close the members; those that can reopen do so on the next use."""
        await close_all(self._critiquers)

    def uses(self) -> tuple[object, ...]:
        """Return the critics."""
        return self._critiquers

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Ask all members and merge their critiques.

        Raises:
            ComponentError: fewer members than the quorum answered.
            BudgetExceededError: the quorum was missed because the budget refused a member's call.
        """
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_ask(member, candidate, context)) for member in self._members]
        answers = [task.result() for task in tasks]
        failures = [answer for answer in answers if isinstance(answer, _MemberFailure)]
        results = [answer for answer in answers if isinstance(answer, CritiqueResult)]
        if len(results) < self._quorum:
            raise _no_quorum(len(results), self._quorum, failures)
        if sum(len(result.issues) for result in results) > _ISSUES_ON_THE_LOOP:
            return await asyncio.to_thread(self._join, results, failures)
        return self._join(results, failures)

    def _join(self, results: Sequence[CritiqueResult], failures: Sequence[_MemberFailure]) -> CritiqueResult:
        ranked = sorted(results, key=lambda result: not _is_of_tools(result))  # stable: otherwise in member order
        rewards = [result.reward for result in ranked if result.reward is not None]
        mean = self._merge == "mean"
        scores: dict[str, list[float]] = {}
        for result in ranked:
            for criterion, score in result.criterion_scores.items():
                scores.setdefault(criterion, []).append(score)
        metadata: dict[str, Any] = {
            "members": [member.name for member in self._members],
            "answered": len(results),
            "failed": [str(failure) for failure in failures],
        }
        disputed = disputed_issues(ranked)
        if disputed:
            metadata["disputed"] = sorted(disputed)
        spent = [usage for result in ranked if (usage := result.metadata.get("usage")) is not None]
        if spent:
            metadata["usage"] = sum(map(_as_usage, spent), Usage()).model_dump()
        return CritiqueResult(
            severity=(fmean if mean else max)(result.severity for result in ranked),
            score=(fmean if mean else min)(result.score for result in ranked),
            reward=(fmean if mean else min)(rewards) if rewards else None,
            issues=_unique_issues(ranked),
            suggestions=tuple(dict.fromkeys(text for result in ranked for text in result.suggestions)),
            strengths=tuple(dict.fromkeys(text for result in ranked for text in result.strengths)),
            feedback="\n".join(result.feedback for result in ranked if result.feedback) or None,
            source=self.name,
            criterion_scores={name: (fmean if mean else min)(given) for name, given in scores.items()},
            metadata=metadata,
            parts=tuple(part for result in ranked for part in _parts(result)),
            outcome=joint_outcome(ranked),
            checks=reduce(worse_checks, (result.checks for result in ranked), {}),
        )


@dataclass(frozen=True, slots=True)
class _Member:
    """A critiquer and its time limit."""

    name: str
    judge: Callable[[Candidate, RunContext], Awaitable[object]]
    timeout_s: float | None


async def _ask(member: _Member, candidate: Candidate, context: RunContext) -> CritiqueResult | _MemberFailure:
    name = member.name
    try:
        async with asyncio.timeout(member.timeout_s):
            answer = await member.judge(candidate, context)
    except TimeoutError as error:
        late = message_of(error) or f"did not answer within {member.timeout_s} s"
        return _MemberFailure(name, ComponentError(late, component=name))
    except Exception as error:  # noqa: BLE001 - the other members may still make the quorum
        return _MemberFailure(name, error)
    if not isinstance(answer, CritiqueResult):
        return _MemberFailure(
            name, ComponentError(f"answered {describe(answer)}, not a CritiqueResult", component=name)
        )
    return answer


def _limits(timeout_s: object, members: int) -> list[float | None]:
    """Return the time limit of each member."""
    limits = list(cast("Sequence[object]", timeout_s)) if isinstance(timeout_s, list | tuple) else [timeout_s] * members
    if len(limits) != members:
        raise ConfigurationError(f"member_timeout_s has {len(limits)} values for {members} members")
    for limit in limits:
        if limit is not None and (not is_number(limit) or limit <= 0.0):
            raise ConfigurationError(f"member_timeout_s must be above 0 and finite, got {describe(limit)}")
    return cast("list[float | None]", limits)


def _as_usage(usage: object) -> Usage:
    return usage if isinstance(usage, Usage) else Usage.model_validate(usage)


def _name(critiquer: object, index: int) -> str:
    named = getattr(critiquer, "name", None) or getattr(critiquer, "__name__", None) or type(critiquer).__name__
    return f"{index}:{named}"


def _unique_issues(results: Iterable[CritiqueResult]) -> tuple[Issue, ...]:
    """Return the issues of all members, in order and without duplicates."""
    issues: list[Issue] = []
    by_fingerprint: dict[str, list[int]] = {}
    for result in results:
        mine: list[Issue] = list(dict.fromkeys(result.issues))
        others = {key: list(places) for key, places in by_fingerprint.items()}
        for issue in mine:
            path = None if issue.location is None else issue.location.path
            key = fingerprint_of(None, issue.rule or issue.kind, path, issue.message)
            same = next((place for place in others.get(key, ()) if _is_same_place(issues[place], issue)), None)
            if same is None:
                by_fingerprint.setdefault(key, []).append(len(issues))
                issues.append(issue)
            else:
                others[key].remove(same)
                issues[same] = _joined(issues[same], issue)
    return tuple(issues)


def _is_same_place(one: Issue, other: Issue) -> bool:
    lines = {issue.location.line for issue in (one, other) if issue.location is not None}
    return len(lines - {None}) < 2


def _joined(first: Issue, again: Issue) -> Issue:
    severities = [issue.severity for issue in (first, again) if issue.severity is not None]
    has_line = first.location is not None and first.location.line is not None
    return first.model_copy(
        update={
            "severity": max(severities, default=None),
            "location": first.location if has_line else again.location or first.location,
        }
    )


def _is_of_tools(result: CritiqueResult) -> bool:
    return result.source.startswith("tool:")


def _parts(result: CritiqueResult) -> tuple[CritiqueResult, ...]:
    return result.parts if result.parts and _is_of_tools(result) else (result,)


def _no_quorum(answered: int, quorum: int, failures: Sequence[_MemberFailure]) -> JidoError:
    for failure in failures:
        if isinstance(failure.error, BudgetExceededError):
            return failure.error
    error = ComponentError(
        f"{answered} of the {quorum} required critiquers answered; " + "; ".join(str(failure) for failure in failures),
        component="panel",
    )
    error.retryable = any(not isinstance(one.error, JidoError) or one.error.retryable for one in failures)
    error.__cause__ = failures[0].error
    return error
