"""Approval over MCP: the question comes as an InputRequiredResult, the decision with a second call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from mcp_helpers import CONFIG, Parts, later, piped, structured, text_of

pytest.importorskip("mcp.server.mcpserver", reason="mcp 2 is not installed")

from mcp import Client
from mcp_types import ElicitResult, InputRequiredResult

from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import ApprovalNode, LoopNode
from jido_ai.mcp import create_server
from jido_ai.memory.reflexion_memory import ReflexionMemory

Answer = dict[str, Any] | str
CALL = {"name": "a", "prompt": "count", "run_id": "asked"}


class Person:
    """Answers each question with the next of the answers; a text is an action without content."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, context: Any, params: Any) -> ElicitResult:
        self.asked.append(params.message)
        answer = self.answers.pop(0)
        if isinstance(answer, str):
            return ElicitResult(action=answer)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        return ElicitResult(action="accept", content=answer)


def asking(good: str = "v1", **options: Any) -> Any:
    return create_server({"a": piped(Parts(good), approve=later, **options)})


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(
    ("answer", "output", "reason"),
    [
        ({"decision": "yes"}, "v1", "accepted"),
        ({"decision": True}, "v1", "accepted"),
        ({"decision": "no"}, "v0", "declined"),
        ({"decision": "no", "text": "v1"}, "v0", "declined"),
        ({"decision": "yes", "text": "v1 "}, "v1 ", "accepted"),
        ({"decision": "v1 "}, "v1 ", "accepted"),
    ],
    ids=["yes", "true", "no", "no with a text", "another text", "a text for yes"],
)
async def test_a_decision_continues_the_run(mode: Any, answer: Answer, output: str, reason: str) -> None:
    person = Person(answer)
    server = asking("v1 " if output == "v1 " else "v1")
    async with Client(server, elicitation_callback=person, mode=mode) as client:
        told = structured(await client.call_tool("run", CALL))
    assert (told["output"], told["stop_reason"], told["status"]) == (output, reason, "completed")
    (asked,) = person.asked
    assert "Approve this text?\n\nv1" in asked
    assert "v0 is not good enough" in asked


async def test_every_revision_is_asked_about() -> None:
    person = Person(*({"decision": "yes"} for _ in range(3)))
    async with Client(asking("v3"), elicitation_callback=person) as client:
        told = structured(await client.call_tool("improve", {"text": "v0"}))
    assert told["best_candidate"] == "v3"
    assert len(person.asked) == 3


async def test_the_question_is_a_result_and_the_answer_a_second_call() -> None:
    async with Client(asking(), elicitation_callback=Person()) as client:
        first = await client.session.call_tool("run", CALL, allow_input_required=True)
        assert isinstance(first, InputRequiredResult)
        assert first.input_requests is not None
        assert list(first.input_requests) == ["decision"]
        assert "asked" not in (first.request_state or "asked")  # sealed
        second = await client.session.call_tool(
            "run",
            CALL,
            input_responses={"decision": ElicitResult(action="accept", content={"decision": "yes"})},
            request_state=first.request_state,
            allow_input_required=True,
        )
    assert structured(second)["output"] == "v1"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("answer", ["decline", "cancel", {"decision": ""}], ids=str)
async def test_a_run_without_a_decision_stays_suspended_and_says_so(mode: Any, answer: Answer) -> None:
    person = Person(answer, {"decision": "yes"})
    async with Client(asking(), elicitation_callback=person, mode=mode) as client:
        told = structured(await client.call_tool("run", CALL))
        assert (told["status"], told["stop_reason"]) == ("suspended", "suspended")
        assert "nobody decided, so the run is suspended" in told["note"]
        assert told["waiting"] == ["v1"]
        again = structured(await client.call_tool("run", {"run_id": "asked"}))  # as the note says
    assert again["output"] == "v1"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_that_cannot_ask_gets_a_suspended_run_that_another_client_can_decide(mode: Any) -> None:
    server = asking()
    async with Client(server, elicitation_callback=Person({"decision": "yes"})) as other:
        async with Client(server, mode=mode) as client:
            told = structured(await client.call_tool("improve", {"text": "v0"}))
        assert told["status"] == "suspended"
        assert "cannot ask a person" in told["note"]
        assert told["best_candidate"] == "v0"
        decided = structured(await other.call_tool("run", {"run_id": told["run_id"]}))
    assert decided["output"] == "v1"


async def test_an_answer_counts_only_for_its_own_question() -> None:
    yes: dict[str, Any] = {"decision": ElicitResult(action="accept", content={"decision": "yes"})}
    server = asking("v2")
    async with Client(server, elicitation_callback=Person()) as client:
        call: Callable[..., Any] = client.session.call_tool
        first = await call("run", CALL, allow_input_required=True)
        options = {"input_responses": yes, "request_state": first.request_state, "allow_input_required": True}
        second = await call("run", CALL, **options)
        assert isinstance(second, InputRequiredResult)  # about v2
        replayed = await call("run", CALL, **options)  # the answer about v1 says nothing about v2
        assert isinstance(replayed, InputRequiredResult)
        request: Any = (replayed.input_requests or {})["decision"]
        assert "Approve this text?\n\nv2" in request.params.message
        last = await call("run", CALL, **{**options, "request_state": replayed.request_state})
    assert structured(last)["output"] == "v2"


@pytest.mark.parametrize("state", ["v1.AAAA", "{}", ""])
async def test_a_forged_state_is_refused(state: str) -> None:
    async with Client(asking(), elicitation_callback=Person()) as client:
        await client.session.call_tool("run", CALL, allow_input_required=True)
        with pytest.raises(Exception, match="requestState"):
            await client.session.call_tool("run", CALL, request_state=state, allow_input_required=True)


async def test_an_answer_without_its_question_is_refused() -> None:
    yes: dict[str, Any] = {"decision": ElicitResult(action="accept", content={"decision": "yes"})}
    async with Client(asking(), elicitation_callback=Person()) as client:
        result = await client.session.call_tool("run", CALL, input_responses=yes, allow_input_required=True)
    assert result.is_error  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue]
    assert "requestState" in text_of(result)


async def test_nodes_of_a_graph_wait_for_decisions_one_after_the_other() -> None:
    parts = Parts("v1")
    graph = Graph(
        {
            "draft": LoopNode("{topic}", generator=parts, critiquer=parts, reviser=parts, config=CONFIG, approve=later),
            "ok": ApprovalNode("publish {draft}"),
        },
        inputs=["topic"],
        output="ok",
    )
    person = Person({"decision": "yes"}, {"decision": "yes", "text": "publish less"})
    async with Client(create_server({"talk": graph}), elicitation_callback=person) as client:
        told = structured(await client.call_tool("run", {"name": "talk", "prompt": "trees"}))
    assert told["output"] == "publish less"
    assert "at draft. Approve this text?\n\nv1" in person.asked[0]
    assert "at ok. Approve this text?\n\npublish v1" in person.asked[1]


async def test_a_decision_may_come_after_the_server_was_restarted(tmp_path: Any) -> None:
    path = tmp_path / "memory.db"
    server = create_server({"a": piped(Parts("v1"), approve=later)}, memory=path)
    async with Client(server) as client:
        assert structured(await client.call_tool("run", CALL))["status"] == "suspended"
    server = create_server({"a": piped(Parts("v1"), approve=later)}, memory=path)
    async with Client(server, elicitation_callback=Person({"decision": "yes"})) as client:
        assert structured(await client.call_tool("run", CALL))["output"] == "v1"


async def test_a_run_without_a_journal_fails_and_says_that_it_needs_one() -> None:
    server = create_server({"a": piped(Parts("v1"), approve=later, journal=False)}, memory=ReflexionMemory())
    async with Client(server, elicitation_callback=Person()) as client:
        result = await client.call_tool("run", CALL)
    assert result.is_error
    assert "no journal" in structured(result)["error"]
