"""Where tokens are needed, no caller is told the text of a component's exception, through any door."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from jido_ai import (
    Candidate,
    CritiqueResult,
    Graph,
    LLMGenerator,
    LoopNode,
    MapNode,
    PanelCritiquer,
    Pipeline,
    RunContext,
    StepNode,
)
from jido_ai.errors import BadRequestError
from jido_ai.serve.tokens import add_token
from jido_ai.serve.told_errors import told_error, told_result
from tests.serve.conftest import CONFIG, Stub, client_of, events_of, served

SECRET = "/srv/keys/of-the-operator.pem"


class Quoting(Stub):
    """Raises an exception with a path of the server."""

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        raise OSError(f"cannot read {SECRET}")


async def _step(topic: str) -> str:
    raise OSError(f"cannot read {SECRET}")


def _things() -> dict[str, Any]:
    stub, quoting = Stub(), Quoting()
    step = StepNode(_step, inputs={"topic": "{topic}"})
    each = StepNode(_step, inputs={"topic": "{item}"})
    panel = PanelCritiquer([stub, quoting], quorum=1)
    return {
        "answer": Pipeline(stub, quoting, stub, config=CONFIG),
        "panel": Pipeline(stub, panel, stub, config=CONFIG),
        "line": Graph(
            {"loop": LoopNode("{topic}", critiquer=quoting, reviser=stub, initial="draft 0", config=CONFIG)},
            inputs=["topic"],
            output="loop",
        ),
        "step": Graph({"step": step}, inputs=["topic"], output="step"),
        "each": Graph({"each": MapNode("{topic}", each)}, inputs=["topic"], output="each"),
    }


BODIES = [
    {"pipeline": "answer", "prompt": "p"},
    {"pipeline": "panel", "prompt": "p"},
    {"graph": "line", "inputs": {"topic": "t"}},
    {"graph": "step", "inputs": {"topic": "t"}},
    {"graph": "each", "inputs": {"topic": ["t"]}},
]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: str(next(iter(body.values()))))
async def test_a_run_its_list_and_its_events_have_no_text_of_an_exception(body: Any, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    token = add_token(tokens, tenant="a", project="b")
    async with client_of(Stub(), things=_things(), tokens=tokens, token=token, host="any.example") as client:
        run = (await client.post("/v1/runs?wait=30", json={**body, "run_id": "one"})).json()
        again = (await client.get("/v1/runs/one")).json()
        listed = (await client.get("/v1/runs")).json()
        events = await events_of(client, "one")
        resumed = await client.post("/v1/runs/one/resume")
    assert run["status"] == ("completed" if body.get("pipeline") == "panel" else "failed")
    assert SECRET not in json.dumps([run, again, listed, events, resumed.json()])
    assert "OSError" in json.dumps(run) or body.get("pipeline") == "panel"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/critiques", {"pipeline": "answer", "prompt": "p", "candidate": "c"}),
        ("/v1/chat/completions", {"model": "answer", "messages": [{"role": "user", "content": "p"}]}),
    ],
)
async def test_other_answers_have_none_either(path: str, body: Any, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    token = add_token(tokens, tenant="a", project="b")
    async with client_of(Stub(), things=_things(), tokens=tokens, token=token, host="any.example") as client:
        answer = await client.post(path, json=body)
    assert SECRET not in answer.text
    assert "critiquer" in answer.text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("improve", {"text": "draft 0", "pipeline": "answer"}),
        ("improve", {"text": "draft 0", "pipeline": "panel"}),
        ("critique", {"text": "draft 0", "pipeline": "answer"}),
        ("critique", {"text": "draft 0", "pipeline": "panel"}),
        ("run", {"name": "step", "inputs": {"topic": "t"}}),
    ],
)
async def test_no_tool_of_mcp_tells_it(tool: str, arguments: Any, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    token = add_token(tokens, tenant="a", project="b")
    import httpx2

    async with (
        served(Stub(), things=_things(), tokens=tokens) as address,
        httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client,
    ):
        made = await client.call_tool(tool, arguments)
        assert SECRET not in made.model_dump_json()
        run_id = (made.structured_content or {}).get("run_id")
        if run_id is not None:
            assert SECRET not in (await client.read_resource(f"run://{run_id}")).model_dump_json()


async def test_without_tokens_the_operator_reads_the_text() -> None:
    async with client_of(Stub(), things=_things()) as client:
        run = (await client.post("/v1/runs?wait=30", json=BODIES[0])).json()
    assert run["error"]["message"] == f"cannot read {SECRET}"


async def test_a_call_of_a_model_that_failed_has_the_kind_alone(tmp_path: Path) -> None:
    def broken(request: Any) -> str:
        raise OSError(f"cannot read {SECRET}")

    tokens = tmp_path / "tokens.json"
    token = add_token(tokens, tenant="a", project="b")
    things = {"it": Pipeline(LLMGenerator(broken), Stub(), Stub(), config=CONFIG)}
    async with client_of(Stub(), things=things, tokens=tokens, token=token, host="any.example") as client:
        await client.post("/v1/runs?wait=30", json={"pipeline": "it", "prompt": "p", "run_id": "one"})
        calls = await client.get("/v1/runs/one/calls")
        events = await client.get("/v1/runs/one/events")
    assert calls.json()["data"][0]["tries"][0]["error"].startswith("OSError; ")
    assert SECRET not in calls.text + events.text


@pytest.mark.parametrize("kind", ["OSError", "ComponentError", "ParseError", "EditError"])
def test_an_error_that_quotes_is_shown_by_component_and_kind(kind: str) -> None:
    told = told_error({"kind": kind, "message": SECRET, "component": "critiquer"})
    assert told is not None
    assert told["message"] == f"critiquer failed with {kind}; the run's journal on the server has the text"


@pytest.mark.parametrize("kind", [BadRequestError.__name__, "BudgetExceededError", "cancelled"])
def test_our_own_errors_keep_their_text(kind: str) -> None:
    error = {"kind": kind, "message": "the limit of calls is reached", "component": None}
    assert told_error(error) == error


def test_a_value_without_errors_is_unchanged() -> None:
    assert told_error(None) is None
    assert [told_result(one) for one in (None, "text", [1])] == [None, "text", [1]]
