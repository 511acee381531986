"""The server's log: kinds of errors and ids of runs, and no prompt, candidate or message of an exception."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from mcp import Client

from jido_ai import Candidate, Graph, LoopNode, Pipeline, RunContext, StepNode
from jido_ai.mcp.server import create_server
from tests.serve.conftest import CONFIG, Stub, client_of

SECRET = "the-prompt-of-a-tenant"


class Quoting(Stub):
    """Quotes whatever it is given in the exceptions that it raises."""

    async def generate(self, prompt: str, context: RunContext) -> str:
        raise RuntimeError(f"cannot handle {prompt}")

    async def critique(self, candidate: Candidate, context: RunContext) -> Any:
        raise ValueError(f"cannot judge {candidate.content}")


async def _step(topic: str) -> str:
    raise KeyError(topic)


def _things() -> dict[str, Any]:
    quoting = Quoting()
    return {
        "answer": Pipeline(quoting, quoting, quoting, config=CONFIG),
        "line": Graph(
            {"loop": LoopNode("{topic}", generator=quoting, critiquer=quoting, reviser=quoting, config=CONFIG)},
            inputs=["topic"],
            output="loop",
        ),
        "step": Graph({"step": StepNode(_step, inputs={"topic": "{topic}"})}, inputs=["topic"], output="step"),
    }


@pytest.mark.parametrize(
    "body",
    [
        {"pipeline": "answer", "prompt": SECRET},
        {"pipeline": "answer", "prompt": "p", "initial_candidate": SECRET},
        {"graph": "line", "inputs": {"topic": SECRET}},
        {"graph": "step", "inputs": {"topic": SECRET}},
    ],
)
async def test_a_failed_run_is_logged_without_its_prompt(body: Any, caplog: pytest.LogCaptureFixture) -> None:
    async with client_of(Stub(), things=_things()) as client:
        run = (await client.post("/v1/runs?wait=20", json={**body, "run_id": "run-77"})).json()
    assert run["status"] == "failed"
    assert SECRET not in caplog.text


async def test_the_log_has_component_run_and_kind_of_error(caplog: pytest.LogCaptureFixture) -> None:
    body = {"pipeline": "answer", "prompt": SECRET, "run_id": "run-77"}
    async with client_of(Stub(), things=_things()) as client:
        await client.post("/v1/runs?wait=20", json=body)
    crashes = [one for one in caplog.messages if one.startswith("actor.crashed")]
    assert crashes
    for line in crashes:
        assert "error='ComponentError from RuntimeError' component='generator' run_id='run-77'" in line


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/critiques", {"pipeline": "answer", "prompt": "p", "candidate": SECRET}),
        ("/v1/chat/completions", {"model": "answer", "messages": [{"role": "user", "content": SECRET}]}),
    ],
)
async def test_other_requests_that_fail_are_logged_without_their_texts(
    path: str, body: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async with client_of(Stub(), things=_things()) as client:
        assert (await client.post(path, json=body)).status_code >= 500
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("improve", {"text": SECRET, "pipeline": "answer"}),
        ("critique", {"text": SECRET, "pipeline": "answer"}),
        ("run", {"name": "answer", "prompt": SECRET}),
    ],
)
async def test_a_tool_that_fails_is_logged_without_its_texts(
    tool: str, arguments: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async with Client(create_server(_things())) as client:
        assert (await client.call_tool(tool, arguments)).is_error
    assert SECRET not in "\n".join(one.getMessage() for one in caplog.records if one.levelno > logging.DEBUG)
