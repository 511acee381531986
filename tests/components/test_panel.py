"""Several critiquers as one."""

from __future__ import annotations

import asyncio
import threading

import pytest

from jido_ai.components.panel import PanelCritiquer
from jido_ai.components.tool_critiquer import ToolCritiquer
from jido_ai.components.tools import Tool
from jido_ai.errors import ComponentError, ConfigurationError
from jido_ai.protocols import Critiquer, RunContext
from jido_ai.values import Candidate, CritiqueResult, Issue

CONTEXT = RunContext(run_id="run", prompt="prompt")
CANDIDATE = Candidate("content")


class Fixed:
    """Answers always the same."""

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


def test_it_is_a_critiquer() -> None:
    assert isinstance(PanelCritiquer([Fixed(0.5)]), Critiquer)


async def test_max_takes_the_strictest_and_mean_the_average() -> None:
    members = (Fixed(0.25), Fixed(0.75))
    assert ((await ask(*members)).severity, (await ask(*members)).score) == (0.75, 0.25)
    mean = await ask(*members, merge="mean")
    assert (mean.severity, mean.score) == (0.5, 0.5)


async def test_issues_are_joined_without_repeats_in_the_order_of_the_members() -> None:
    result = await ask(Fixed(0.5, "a", "b"), Fixed(0.5, "b", "c"))
    assert [issue.message for issue in result.issues] == ["a", "b", "c"]


async def test_tools_speak_before_models() -> None:
    result = await ask(Fixed(0.5, "model"), Fixed(0.5, "tool", source="tool:t"))
    assert [issue.message for issue in result.issues] == ["tool", "model"]
    assert [part.source for part in result.parts] == ["tool:t", "model:m"]


async def test_a_member_with_several_tools_brings_each_as_a_part() -> None:
    tools = ToolCritiquer([Tool("a", ("true",)), Tool("b", ("false",))])
    result = await ask(Fixed(0.5), tools)
    assert [part.source for part in result.parts] == ["tool:a", "tool:b", "model:m"]


async def test_members_are_asked_at_the_same_time() -> None:
    both = asyncio.Barrier(2)

    async def meet(candidate: Candidate, context: RunContext) -> CritiqueResult:
        await both.wait()
        return CritiqueResult(severity=0.0)

    assert (await asyncio.wait_for(ask(meet, meet), 5)).severity == 0.0


async def test_functions_are_members_and_plain_ones_run_on_a_thread() -> None:
    threads: list[str] = []

    def plain(candidate: Candidate, context: RunContext) -> CritiqueResult:
        threads.append(threading.current_thread().name)
        return CritiqueResult(severity=0.125 if candidate.content == "content" and context is CONTEXT else 1.0)

    assert (await ask(plain)).severity == 0.125
    assert threads != [threading.main_thread().name]


@pytest.mark.parametrize("member", [broken, never, nonsense])
async def test_a_member_that_fails_is_reported_while_the_quorum_holds(member: object) -> None:
    result = await ask(Fixed(0.5), member, quorum=1, member_timeout_s=0.05)
    assert result.severity == 0.5
    (failure,) = result.metadata["failed"]
    assert getattr(member, "__name__", "") in failure
    assert result.metadata["answered"] == 1


async def test_without_a_quorum_the_panel_fails_and_says_who() -> None:
    with pytest.raises(ComponentError, match=r"1 of 2.*broken: boom") as caught:
        await ask(Fixed(0.5), broken)
    assert caught.value.retryable
    assert isinstance(caught.value.__cause__, RuntimeError)


async def test_what_can_never_work_is_not_tried_again() -> None:
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


@pytest.mark.parametrize(
    "options",
    [
        {"critiquers": []},
        {"critiquers": [broken], "quorum": 2},
        {"critiquers": [broken], "quorum": 0},
        {"critiquers": [broken], "merge": "median"},
        {"critiquers": [broken], "member_timeout_s": 0.0},
        {"critiquers": ["ruff"]},
    ],
)
def test_a_panel_that_can_never_work_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError):
        PanelCritiquer(**options)  # type: ignore[arg-type]
