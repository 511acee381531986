"""PanelCritiquer: several critiquers as one."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from jido_ai.critics.panel import PanelCritiquer
from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import BudgetExceededError, ComponentError, ConfigurationError
from jido_ai.protocols import Critiquer, RunContext
from jido_ai.tools.tool import Tool
from jido_ai.values import Candidate, CritiqueResult, Issue, Location, Usage

CONTEXT = RunContext(run_id="run", prompt="prompt")
CANDIDATE = Candidate("content")


class Fixed:
    """Always returns the same answer."""

    def __init__(self, severity: float, *issues: str, source: str = "model:m") -> None:
        self.result = CritiqueResult(severity=severity, issues=[Issue(one) for one in issues], source=source)

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        return self.result


async def broken(candidate: Candidate, context: RunContext) -> CritiqueResult:
    raise RuntimeError("boom")


async def never(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return await asyncio.get_running_loop().create_future()


async def nonsense(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return "fine"  # type: ignore[return-value]


async def ask(*members: object, **options: object) -> CritiqueResult:
    return await PanelCritiquer(members, **options).critique(CANDIDATE, CONTEXT)  # type: ignore[arg-type]


def test_a_panel_is_a_critiquer() -> None:
    assert isinstance(PanelCritiquer([Fixed(0.5)]), Critiquer)


async def test_max_takes_the_strictest_severity_and_mean_the_average() -> None:
    members = (Fixed(0.25), Fixed(0.75))
    assert ((await ask(*members)).severity, (await ask(*members)).score) == (0.75, 0.25)
    mean = await ask(*members, merge="mean")
    assert (mean.severity, mean.score) == (0.5, 0.5)


async def test_issues_are_joined_without_repeats_in_the_order_of_the_members() -> None:
    result = await ask(Fixed(0.5, "a", "b"), Fixed(0.5, "b", "c"))
    assert [issue.message for issue in result.issues] == ["a", "b", "c"]


@pytest.mark.rows("J19")
async def test_issues_of_tools_come_before_those_of_models() -> None:
    result = await ask(Fixed(0.5, "model"), Fixed(0.5, "tool", source="tool:t"))
    assert [issue.message for issue in result.issues] == ["tool", "model"]
    assert [part.source for part in result.parts] == ["tool:t", "model:m"]


async def test_a_member_with_several_tools_brings_each_as_a_part() -> None:
    tools = ToolCritiquer([Tool("a", ("true",)), Tool("b", ("false",))])
    result = await ask(Fixed(0.5), tools)
    assert [part.source for part in result.parts] == ["tool:a", "tool:b", "model:m"]


@pytest.mark.rows("J19")
async def test_members_are_asked_at_the_same_time() -> None:
    both = asyncio.Barrier(2)

    async def meet(candidate: Candidate, context: RunContext) -> CritiqueResult:
        await both.wait()
        return CritiqueResult(severity=0.0)

    assert (await asyncio.wait_for(ask(meet, meet), 60)).severity == 0.0


async def test_functions_are_members_and_plain_ones_run_on_a_thread() -> None:
    threads: list[str] = []

    def plain(candidate: Candidate, context: RunContext) -> CritiqueResult:
        threads.append(threading.current_thread().name)
        return CritiqueResult(severity=0.125 if candidate.content == "content" and context is CONTEXT else 1.0)

    assert (await ask(plain)).severity == 0.125
    assert threads != [threading.main_thread().name]


@pytest.mark.rows("J19")
@pytest.mark.virtual_clock
@pytest.mark.parametrize("member", [broken, never, nonsense])
async def test_a_member_that_fails_is_reported_while_the_quorum_holds(member: object) -> None:
    result = await ask(Fixed(0.5), member, quorum=1, member_timeout_s=0.05)
    assert result.severity == 0.5
    (failure,) = result.metadata["failed"]
    assert getattr(member, "__name__", "") in failure
    assert result.metadata["answered"] == 1


async def test_without_a_quorum_the_panel_fails_and_names_the_members() -> None:
    with pytest.raises(ComponentError, match=r"1 of the 2 required.*broken: boom") as caught:
        await ask(Fixed(0.5), broken)
    assert caught.value.retryable
    assert isinstance(caught.value.__cause__, RuntimeError)


async def test_the_error_of_a_member_is_reported_without_secrets() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no words")

    async def leaks(candidate: Candidate, context: RunContext) -> CritiqueResult:
        raise RuntimeError("401 for sk-" + "a1b2c3d4" * 4)

    async def mute(candidate: Candidate, context: RunContext) -> CritiqueResult:
        raise Mute

    result = await ask(Fixed(0.5), leaks, mute, quorum=1)
    assert result.metadata["failed"] == ["1:leaks: 401 for [redacted]", "2:mute: Mute()"]
    with pytest.raises(ComponentError, match=r"1:leaks: 401 for \[redacted\]"):
        await ask(Fixed(0.5), leaks)


@pytest.mark.parametrize(("issues", "at_once"), [(50, True), (500, False)])
async def test_many_issues_are_joined_beside_the_event_loop(
    issues: int, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    join = PanelCritiquer._join

    def noted(*args: Any) -> CritiqueResult:
        threads.append(threading.get_ident())
        return join(*args)

    monkeypatch.setattr(PanelCritiquer, "_join", noted)
    said = tuple(Issue(f"row {n} is wrong", rule=f"R{n}") for n in range(issues))

    async def finds(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.5, issues=said)

    assert (await ask(finds, finds)).issues == said
    assert [thread == threading.get_ident() for thread in threads] == [at_once]


async def test_a_configuration_error_is_not_retried() -> None:
    async def misconfigured(candidate: Candidate, context: RunContext) -> CritiqueResult:
        raise ConfigurationError("wrong key")

    with pytest.raises(ComponentError) as caught:
        await ask(misconfigured)
    assert not caught.value.retryable


async def test_cancellation_reaches_the_members() -> None:
    entered, left = asyncio.Event(), asyncio.Event()

    async def waits(candidate: Candidate, context: RunContext) -> CritiqueResult:
        entered.set()
        try:
            return await never(candidate, context)
        finally:
            left.set()

    task = asyncio.create_task(ask(waits))
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert left.is_set()


def test_the_merge_mode_may_follow_the_critiquers() -> None:
    assert isinstance(PanelCritiquer([broken], "mean"), PanelCritiquer)


@pytest.mark.parametrize(
    "options",
    [
        {"critiquers": []},
        {"critiquers": "ruff"},
        {"critiquers": 3},
        {"critiquers": [broken], "quorum": 2},
        {"critiquers": [broken], "quorum": 0},
        {"critiquers": [broken], "quorum": True},
        {"critiquers": [broken, broken], "quorum": 1.5},
        {"critiquers": [broken], "merge": "median"},
        {"critiquers": [broken], "member_timeout_s": 0.0},
        {"critiquers": ["ruff"]},
        {"critiquers": [Fixed]},
    ],
)
def test_an_invalid_panel_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError):
        PanelCritiquer(**options)  # type: ignore[arg-type]


@pytest.mark.rows("J19")
async def test_each_member_may_have_a_limit_of_its_own() -> None:
    result = await ask(Fixed(0.5), never, quorum=1, member_timeout_s=[None, 0.01])
    assert result.metadata["failed"] == ["1:never: did not answer within 0.01 s"]
    for limits in ([1.0], [1.0, 0.0], [1.0, float("nan")], [1.0, True], "1"):
        with pytest.raises(ConfigurationError, match="member_timeout_s"):
            PanelCritiquer([Fixed(0.5), Fixed(0.5)], member_timeout_s=limits)  # type: ignore[arg-type]


def finding(message: str, severity: float | None = None, line: int | None = None, source: str = "model:m") -> Issue:
    return Issue(message, severity=severity, location=Location(line=line) if line else None, source=source)


def judged(*issues: Issue, source: str = "model:m", **more: Any) -> Fixed:
    fixed = Fixed(0.5, source=source)
    fixed.result = fixed.result.replace(issues=issues, **more)
    return fixed


async def test_an_issue_that_several_members_find_appears_once_with_the_larger_severity_and_the_line() -> None:
    result = await ask(
        judged(finding("no unit", 0.25)),
        judged(finding("No  `unit`", 0.75, 3, "model:n"), finding("other"), source="model:n"),
    )
    assert [(issue.message, issue.severity) for issue in result.issues] == [("no unit", 0.75), ("other", None)]
    assert result.issues[0].location == Location(line=3)
    assert result.issues[0].source == "model:m"


async def test_a_tools_finding_stays_when_a_model_names_it_too() -> None:
    result = await ask(judged(finding("fails", 0.9)), judged(finding("fails", 0.5, 2, "tool:t"), source="tool:t"))
    ((source, severity),) = [(issue.source, issue.severity) for issue in result.issues]
    assert (source, severity) == ("tool:t", 0.9)


async def test_equal_words_at_other_lines_are_other_findings() -> None:
    twice = judged(finding("unused", line=1), finding("unused", line=9))
    assert len((await ask(twice)).issues) == 2
    assert len((await ask(twice, judged(finding("unused", line=9), finding("unused", line=20)))).issues) == 3
    assert len((await ask(twice, judged(finding("unused")))).issues) == 2


async def test_disputed_issues_of_models_are_named() -> None:
    complaint = finding("vague", source="model:a")
    result = await ask(judged(complaint, source="model:a"), Fixed(0.0, source="model:b"))
    assert result.metadata["disputed"] == [complaint.fingerprint]
    assert "disputed" not in (await ask(judged(complaint), Fixed(0.5, "too"))).metadata


async def test_usage_and_criteria_of_the_members_are_merged() -> None:
    def member(score: float, calls: int) -> Fixed:
        return judged(criterion_scores={"short": score}, metadata={"usage": Usage(calls).model_dump()})

    assert (await ask(member(0.25, 1), member(0.75, 2))).criterion_scores == {"short": 0.25}
    mean = await ask(member(0.25, 1), member(0.75, 2), merge="mean")
    assert (mean.criterion_scores, mean.metadata["usage"]["calls"]) == ({"short": 0.5}, 3)


async def test_a_quorum_missed_because_of_the_budget_is_a_budget_error() -> None:
    async def refused(candidate: Candidate, context: RunContext) -> CritiqueResult:
        raise BudgetExceededError("max_calls", allowed=1, spent=1)

    with pytest.raises(BudgetExceededError):
        await ask(broken, refused, quorum=1)
    assert (await ask(Fixed(0.5), refused, quorum=1)).severity == 0.5
