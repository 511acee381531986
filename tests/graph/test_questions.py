"""What a person is shown is journaled with the question, and a decision is for that text alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai import (
    SUSPEND,
    ApprovalNode,
    Candidate,
    CritiqueResult,
    Graph,
    GraphConfig,
    GraphNode,
    LoopNode,
    MapNode,
    Pipeline,
    ReflexionMemory,
    RunContext,
    StepNode,
)
from jido_ai.errors import ConfigurationError, OtherQuestionError
from jido_ai.runs.questions import ASKED_AGAIN, answers_of, question_id

SMALL, LARGE = "Refund 10 dollars.", "Refund 9000 dollars."


def step(text: str, calls: list[str] | None = None) -> Callable[..., str]:
    def made(x: str = "") -> str:
        if calls is not None:
            calls.append(text)
        return text

    return made


def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.0 if "OK" in candidate.content else 0.8, feedback="x")


def refund(memory: ReflexionMemory, text: str = SMALL, *, draft: str = "draft", sent: list[str] | None = None) -> Graph:
    def send(x: str) -> str:
        if sent is not None:
            sent.append(x)
        return f"sent: {x}"

    return Graph(
        {
            draft: StepNode(step(text), inputs={"x": "{t}"}),
            "sign": ApprovalNode(f"{{{draft}}}"),
            "send": StepNode(
                lambda x: (sent if sent is not None else []).append(x) or f"sent: {x}", inputs={"x": "{sign}"}
            ),
        },
        inputs=["t"],
        output="send",
        memory=memory,
    )


@pytest.mark.parametrize("decision", [True, "Refund 11 dollars.", {"sign": True}])
async def test_a_decision_on_another_text_than_the_shown_one_asks_again(decision: Any) -> None:
    sent: list[str] = []
    async with ReflexionMemory() as memory:
        async with refund(memory) as before:
            assert (await before.run({"t": "x"}, run_id="r")).status == "suspended"
        async with refund(memory, LARGE, draft="draft_2", sent=sent) as after:
            asked_again = await after.resume("r", decision=decision)
            assert (asked_again.status, sent) == ("suspended", [])
            assert asked_again.nodes["sign"].warnings == (ASKED_AGAIN,)
            [question] = await after.questions("r")
            assert (question.text, question.note, question.path) == (LARGE, ASKED_AGAIN, "sign")
            result = await after.resume("r", decision=True)
    assert (result.output, sent) == (f"sent: {LARGE}", [LARGE])


async def test_a_question_with_the_same_text_is_not_asked_again() -> None:
    async with ReflexionMemory() as memory:
        async with refund(memory) as before:
            await before.run({"t": "x"}, run_id="r")
            [shown] = await before.questions("r")
        async with refund(memory, draft="draft_2") as after:
            result = await after.resume("r", decision={shown.id: True})
    assert (result.output, result.nodes["sign"].warnings) == (f"sent: {SMALL}", ())


async def test_a_decision_that_names_another_question_is_refused() -> None:
    async with ReflexionMemory() as memory, refund(memory) as graph:
        await graph.run({"t": "x"}, run_id="r")
        with pytest.raises(OtherQuestionError, match="is not open: the text that is shown now is another one"):
            await graph.resume("r", decision={question_id("sign", LARGE): True})
        [question] = await graph.questions("r")
        assert (await graph.resume("r", decision={question.id: True})).output == f"sent: {SMALL}"
        assert await graph.questions("r") == ()


async def test_a_pipelines_decision_may_name_its_question() -> None:
    async with (
        ReflexionMemory() as memory,
        Pipeline(None, judge, lambda *_: "v1 OK", memory=memory, approve=lambda *_: SUSPEND) as pipeline,
    ):
        await pipeline.run("x", "v0", run_id="r")
        [question] = await pipeline.questions("r")
        assert (question.path, question.text, question.feedback) == ("revision", "v1 OK", "Feedback:\nx")
        with pytest.raises(OtherQuestionError):
            await pipeline.resume("r", decision={"revision:cand_0": True})
        result = await pipeline.resume("r", decision={question.id: True})
    assert result.best_candidate is not None
    assert result.best_candidate.content == "v1 OK"


async def test_an_approval_that_was_answered_is_asked_again_when_its_text_changes() -> None:
    def graph(memory: ReflexionMemory, text: str, draft: str) -> Graph:
        return Graph(
            {
                draft: StepNode(step(text), inputs={"x": "{t}"}),
                "first": ApprovalNode(f"{{{draft}}}"),
                "second": ApprovalNode("{t}?"),
                "send": StepNode(lambda a, b: a, inputs={"a": f"{{{draft}}}", "b": "{second}"}, after=["first"]),
            },
            inputs=["t"],
            output="send",
            memory=memory,
        )

    async with ReflexionMemory() as memory:
        async with graph(memory, SMALL, "draft") as before:
            await before.run({"t": "x"}, run_id="r")
            assert (await before.resume("r", decision={"first": True})).status == "suspended"
        async with graph(memory, LARGE, "draft_2") as after:
            again = await after.resume("r", decision={"second": True})
            assert (again.status, again.nodes["first"].status) == ("suspended", "waiting")
            assert (await after.resume("r", decision=True)).output == LARGE


def approved(memory: ReflexionMemory, texts: Sequence[str], draft: str, kind: str) -> Graph:
    """Return a graph whose question or questions lie at the top, in a map or in a graph."""
    shown: Any = ApprovalNode("{item}" if kind == "map" else f"{{{draft}}}" if kind == "top" else "{text}")
    inside = Graph({"sign": shown}, inputs=["text"], output="sign") if kind == "graph" else None
    if kind == "map":
        shown = MapNode(f"{{{draft}}}", shown)
    elif inside is not None:
        shown = GraphNode(inside, inputs={"text": f"{{{draft}}}"})
    made: Any = list(texts) if kind == "map" else texts[0]
    return Graph(
        {draft: StepNode(step(made), inputs={"x": "{t}"}), "ask": shown}, inputs=["t"], output="ask", memory=memory
    )


@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from(["top", "map", "graph"]),
    versions=st.lists(st.lists(st.sampled_from("abc"), min_size=2, max_size=2), min_size=1, max_size=4),
    answer_now=st.lists(st.booleans(), min_size=4, max_size=4),
)
async def test_every_text_that_was_approved_was_shown_before(
    kind: str, versions: list[list[str]], answer_now: list[bool]
) -> None:
    names = (f"draft_{number}" for number in itertools.count())
    seen: set[str] = set()  # ids of the questions that a person said yes to
    async with ReflexionMemory() as memory:
        async with approved(memory, versions[0], next(names), kind) as graph:
            result = await graph.run({"t": "x"}, run_id="r")
            open_now = await graph.questions("r")
        for texts, answers in zip([*versions[1:], versions[-1]], answer_now, strict=False):
            decision = {one.id: True for one in open_now} if answers else None
            seen |= set(decision or ())
            async with approved(memory, texts, next(names), kind) as graph:
                result = await graph.resume("r", decision=decision)
                open_now = () if result.status == "completed" else await graph.questions("r")
            paths = (
                [f"ask[{number}]" for number in range(2)] if kind == "map" else ["ask" if kind == "top" else "ask/sign"]
            )
            now = {question_id(path, text) for path, text in zip(paths, texts, strict=False)}
            assert {one.id for one in open_now} == now - seen
            if result.status == "completed":
                break


async def test_a_loop_in_a_graph_asks_by_the_id_of_its_revision() -> None:
    async with ReflexionMemory() as memory:
        loop = LoopNode(
            "{t}",
            generator=lambda prompt, context: "v0",
            critiquer=judge,
            reviser=lambda *_: "v1 OK",
            approve=lambda *_: SUSPEND,
        )
        async with Graph({"draft": loop}, inputs=["t"], output="draft", memory=memory) as graph:
            assert (await graph.run({"t": "x"}, run_id="r")).status == "suspended"
            [question] = await graph.questions("r")
            assert (question.path, question.text) == ("draft", "v1 OK")
            with pytest.raises(OtherQuestionError):
                await graph.resume("r", decision={"draft:cand_0": True})
            assert (await graph.resume("r", decision={question.id: True})).output == "v1 OK"


def test_an_unknown_name_in_a_decision_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="'sing' waits for no decision"):
        answers_of({"sing": True}, {"sign": "sign:1"}, run_id="r", status="suspended")


async def test_a_step_after_an_approval_with_a_time_limit_is_asked_by_the_same_rule() -> None:
    def graph(memory: ReflexionMemory, text: str, draft: str) -> Graph:
        return Graph(
            {draft: StepNode(step(text), inputs={"x": "{t}"}), "sign": ApprovalNode(f"{{{draft}}}", timeout_s=5.0)},
            inputs=["t"],
            output="sign",
            memory=memory,
            config=GraphConfig(timeout_s=50),
        )

    async with ReflexionMemory() as memory:
        async with graph(memory, SMALL, "a") as before:
            await before.run({"t": "x"}, run_id="r")
        async with graph(memory, LARGE, "b") as after:
            assert (await after.resume("r", decision=True)).status == "suspended"


def waits_everywhere(memory: ReflexionMemory) -> Graph:
    def suspends(*given: Any) -> Any:
        return SUSPEND

    loop = LoopNode(
        "{t}",
        generator=lambda prompt, context: "a text",
        critiquer=judge,
        reviser=lambda *given: "a text OK",
        approve=suspends,
    )
    inner = Graph({"ask": ApprovalNode("{t}?")}, inputs=["t"], output="ask")
    nodes = {
        "ask": ApprovalNode("{t}?"),
        "loop": loop,
        "each": MapNode("{items}", ApprovalNode("{item}?")),
        "inner": GraphNode(inner, inputs={"t": "{t}"}),
        "end": StepNode(lambda **texts: "done", inputs={n: f"{{{n}}}" for n in ("ask", "loop", "each", "inner")}),
    }
    return Graph(nodes, inputs=["t", "items"], output="end", memory=memory)


async def test_a_question_that_is_still_open_is_written_once() -> None:
    async with ReflexionMemory() as memory, waits_everywhere(memory) as graph:
        await graph.run({"t": "x", "items": ["1", "2"]}, run_id="r")
        paths = [one.data["path"] for one in await memory.records("journal", key="r", kind="waiting")]
        asked = await graph.questions("r")
        for _ in range(2):
            assert (await graph.resume("r")).status == "suspended"
            assert await graph.questions("r") == asked
        assert [one.data["path"] for one in await memory.records("journal", key="r", kind="waiting")] == paths
        assert len(paths) == len(set(paths))
        result = await graph.resume("r", decision={question.path: True for question in asked})
    assert (result.status, result.output) == ("completed", "done")
