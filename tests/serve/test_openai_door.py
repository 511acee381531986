"""The OpenAI-compatible door, with the real `openai` package: SERVING.md 2."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest

from tests.serve.conftest import FIRST, Stub, client_of, served

ASKED: list[Any] = [{"role": "user", "content": "What is a tree?"}]
TOOLS: list[Any] = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}]


async def test_the_async_client_gets_the_best_candidate(stub: Stub) -> None:
    async with served(stub) as address, openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="any") as client:
        answer = await client.chat.completions.create(model="answer", messages=ASKED)
        message = answer.choices[0].message
        assert (message.role, message.content) == ("assistant", "draft 3 " + "of words " * 5)
        assert answer.choices[0].finish_reason == "stop"
        about = answer.model_extra["jido"] if answer.model_extra else {}
        assert (about["stop_reason"], about["iterations"], about["open_issues"]) == ("accepted", 4, [])
        assert [model.id async for model in client.models.list()] == ["answer", "asks", "talk", "line"]


async def test_the_sync_client_works_and_a_graph_with_one_input_is_a_model(stub: Stub) -> None:
    def ask(address: str) -> str | None:
        with openai.OpenAI(base_url=f"{address}/v1", api_key="any") as client:
            return client.chat.completions.create(model="line", messages=ASKED).choices[0].message.content

    async with served(stub) as address:
        assert (await asyncio.to_thread(ask, address) or "").startswith("draft 3")


async def test_a_stream_has_the_role_then_the_text_then_the_usage(stub: Stub) -> None:
    async with served(stub) as address, openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="any") as client:
        stream = await client.chat.completions.create(
            model="answer", messages=ASKED, stream=True, stream_options={"include_usage": True}
        )
        chunks = [chunk async for chunk in stream]
    assert chunks[0].choices[0].delta.role == "assistant"
    assert "".join(one.choices[0].delta.content or "" for one in chunks if one.choices).startswith("draft 3")
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].usage is not None


async def test_messages_before_the_last_one_are_context(client: httpx.AsyncClient, stub: Stub) -> None:
    messages = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi"},
        {"role": "user", "content": [{"type": "text", "text": "What is a tree?"}]},
    ]
    await client.post("/v1/chat/completions", json={"model": "answer", "messages": messages})
    prompt = next(one for one in stub.seen if one.startswith("generate "))
    assert prompt.endswith("What is a tree?")
    assert prompt.index("system: Be kind.") < prompt.index("assistant: Hi") < prompt.index("What is a tree?")


async def test_metadata_run_id_makes_it_idempotent(client: httpx.AsyncClient, stub: Stub) -> None:
    body = {"model": "answer", "messages": ASKED, "metadata": {"run_id": "mine"}}
    answers = [(await client.post("/v1/chat/completions", json=body)).json() for _ in range(2)]
    assert answers[0] == answers[1]
    assert sum(one.startswith("generate") for one in stub.seen) == 1
    assert (await client.get("/v1/runs/mine")).json()["status"] == "completed"


@pytest.mark.parametrize(
    "more",
    [
        {"n": 2},
        {"tools": TOOLS, "tool_choice": "required"},
        {"tools": TOOLS, "tool_choice": {"type": "function", "function": {"name": "f"}}},
        {"functions": [{"name": "f"}]},
        {"audio": {"voice": "a"}},
        {"modalities": ["text", "audio"]},
        {"response_format": {"type": "grammar"}},
        {"response_format": {"type": "json_schema", "json_schema": {"name": "a"}}},
        {"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "nix"}}}},
        {"messages": []},
        {"messages": [{"role": "user", "content": " "}]},
        {"model": "line", "messages": [{"role": "user"}]},
        {"messages": [{"role": "wizard", "content": "a"}]},
        {"messages": "a"},
        {"messages": [{"role": "system", "content": "a"}]},
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://a"}}]}]},
        {"model": "two"},
    ],
)
async def test_unsupported_parameters_are_400_in_openais_form(stub: Stub, more: dict[str, Any]) -> None:
    from jido_ai import Graph, LoopNode
    from tests.serve.conftest import things

    two = Graph(
        {"loop": LoopNode("{a} {b}", critiquer=stub, reviser=stub, initial="draft 0")}, inputs=["a", "b"], output="loop"
    )
    async with client_of(stub, things={**things(stub), "two": two}) as client:
        answer = await client.post("/v1/chat/completions", json={"model": "answer", "messages": ASKED, **more})
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["type"] == "invalid_request_error"
    assert stub.seen == [], "nothing was started"


async def test_parameters_without_effect_give_warnings(client: httpx.AsyncClient) -> None:
    more = {"user": "me", "nix": {"a": 1}, "tools": TOOLS, "tool_choice": "auto", "store": False}
    answer = await client.post("/v1/chat/completions", json={"model": "answer", "messages": ASKED, **more})
    warnings = answer.json()["jido"]["warnings"]
    assert [one.split()[0] for one in warnings] == ["tools", "user", "store", "unknown"]
    assert warnings[-1].endswith("nix")


async def test_parameters_that_ask_for_nothing_give_no_warnings(client: httpx.AsyncClient) -> None:
    more = {"n": 1, "logprobs": False, "top_logprobs": 0, "logit_bias": {}, "stop": None, "tools": [], "user": None}
    more |= {"response_format": {"type": "text"}, "modalities": ["text"], "presence_penalty": 0.0}
    answer = await client.post("/v1/chat/completions", json={"model": "answer", "messages": ASKED, **more})
    assert answer.status_code == 200
    assert "warnings" not in answer.json()["jido"]


@pytest.mark.parametrize("choice", [None, "auto", "none", {"type": "allowed_tools", "mode": "auto", "tools": []}])
async def test_tools_are_accepted_and_not_called_in_streams_too(client: httpx.AsyncClient, choice: Any) -> None:
    asked = {"model": "answer", "messages": ASKED, "stream": True, "tools": TOOLS, "tool_choice": choice}
    answer = await client.post("/v1/chat/completions", json=asked)
    told = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: {")]
    assert told[-1]["choices"][0]["finish_reason"] == "stop"
    assert told[-1]["jido"]["warnings"] == ["tools are not called: the answer is a text"]


async def test_a_model_can_be_looked_up(stub: Stub) -> None:
    async with served(stub) as address, openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="any") as client:
        assert (await client.models.retrieve("line")).id == "line"
        for ask in (client.models.retrieve("gpt-9"), client.chat.completions.create(model="gpt-9", messages=ASKED)):
            with pytest.raises(openai.NotFoundError) as raised:
                await ask
            assert (raised.value.code, raised.value.param) == ("model_not_found", "model")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/responses/resp_nix", 404),
        ("GET", "/v1/chat/completions", 405),
        ("DELETE", "/v1/models/answer", 405),
    ],
)
async def test_errors_at_the_routes_of_the_door_have_openais_form(
    client: httpx.AsyncClient, method: str, path: str, status: int
) -> None:
    answer = await client.request(method, path, json={} if method == "POST" else None)
    assert answer.status_code == status
    assert set(answer.json()["error"]) == {"message", "type", "param", "code"}


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/embeddings", "/v1/nix/more", "/v1/runs/nothing"])
async def test_an_unknown_address_elsewhere_below_v1_is_a_problem_document(
    client: httpx.AsyncClient, path: str
) -> None:
    answer = await client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == "urn:jido:not-found"


async def test_errors_of_the_other_routes_below_v1_stay_problem_documents(stub: Stub) -> None:
    from jido_ai.serve import create_app
    from jido_ai.serve.problems import speaks_openai
    from tests.serve.conftest import things

    paths = list(create_app(things(stub)).openapi()["paths"])
    door = [path for path in paths if speaks_openai(path)]
    assert {path.split("/")[2] for path in door} == {"chat", "models", "responses"}


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"temperature": 3}, "temperature"),
        ({"temperature": "warm"}, "temperature"),
        ({"top_p": -1}, "top_p"),
        ({"max_tokens": -2}, "max_tokens"),
        ({"max_completion_tokens": 1.5}, "max_completion_tokens"),
        ({"stop": ["a", "b", "c", "d", "e"]}, "stop"),
        ({"seed": "1"}, "seed"),
        ({"n": 2}, "n"),
        ({"logprobs": True}, "logprobs"),
        ({"top_logprobs": 2}, "top_logprobs"),
        ({"logit_bias": {"5": 1}}, "logit_bias"),
        ({"response_format": {"type": "grammar"}}, "response_format"),
        ({"stream": "yes"}, "stream"),
        ({"metadata": {"run_id": " "}}, "run_id"),
        ({"metadata": {"run_id": 1}}, "metadata.run_id"),
    ],
)
async def test_a_wrong_value_is_400_and_names_its_parameter(
    client: httpx.AsyncClient, stub: Stub, more: dict[str, Any], param: str
) -> None:
    answer = await client.post("/v1/chat/completions", json={"model": "answer", "messages": ASKED, **more})
    assert (answer.status_code, answer.json()["error"]["param"]) == (400, param)
    assert stub.seen == []


async def test_messages_after_the_last_one_of_the_user_belong_to_it_in_order(
    client: httpx.AsyncClient, stub: Stub
) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": '{"word": "tree"}'}}
    messages = [
        {"role": "user", "content": "What is a tree?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "a woody plant"},
        {"role": "assistant", "content": "A tree is"},
    ]
    answer = await client.post("/v1/chat/completions", json={"model": "answer", "messages": messages})
    assert answer.status_code == 200
    prompt = next(one for one in stub.seen if one.startswith("generate "))
    places = [prompt.index(one) for one in ("What is a tree?", "look_up", "a woody plant", "A tree is")]
    assert places == sorted(places)


async def test_an_unknown_model_is_404_and_a_wrong_token_401_as_the_package_expects(stub: Stub, tmp_path: Path) -> None:
    from jido_ai.serve.tokens import add_token

    tokens = tmp_path / "tokens"
    token = add_token(tokens, tenant="a", project="b")
    async with served(stub, tokens=tokens) as address:
        async with openai.AsyncOpenAI(base_url=f"{address}/v1", api_key=token, max_retries=0) as client:
            with pytest.raises(openai.NotFoundError):
                await client.chat.completions.create(model="nix", messages=ASKED)
        async with openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="wrong", max_retries=0) as client:
            with pytest.raises(openai.AuthenticationError):
                await client.chat.completions.create(model="answer", messages=ASKED)


async def test_a_failed_run_is_5xx_and_a_suspended_one_409(client: httpx.AsyncClient, stub: Stub) -> None:
    suspended = await client.post("/v1/chat/completions", json={"model": "asks", "messages": ASKED})
    assert suspended.status_code == 409

    async def breaks(*_: object) -> str:
        raise RuntimeError("the generator broke")

    from jido_ai import Pipeline

    things = {"broken": Pipeline(breaks, stub, stub)}
    async with client_of(stub, things=things) as other:
        failed = await other.post("/v1/chat/completions", json={"model": "broken", "messages": ASKED})
    assert failed.status_code in (500, 502)
    assert failed.json()["error"]["type"] == "server_error"


@pytest.mark.parametrize("stream", [False, True])
async def test_a_run_whose_critic_fails_is_answered_with_the_unjudged_text_and_says_so(
    stub: Stub, stream: bool
) -> None:
    from jido_ai import Pipeline

    async def draft(*_: object) -> str:
        return "broken"

    asked = {"model": "broken", "messages": ASKED, "stream": stream, "metadata": {"run_id": "r"}}
    async with client_of(stub, things={"broken": Pipeline(draft, stub, stub)}) as client:
        answer = await client.post("/v1/chat/completions", json=asked)
        run = (await client.get("/v1/runs/r")).json()
    assert answer.status_code == 200
    if stream:
        told = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: {")]
        text = "".join(one["choices"][0]["delta"].get("content", "") for one in told)
        jido = told[-1]["jido"]
    else:
        text, jido = answer.json()["choices"][0]["message"]["content"], answer.json()["jido"]
    assert (text, jido["judged"], jido["score"]) == ("broken", False, None)
    assert jido["error"]["message"].startswith("critiquer failed with RuntimeError")
    assert (run["status"], run["result"]["best_candidate"]) == ("failed", None)
    assert run["result"]["unjudged"]["content"] == "broken"


async def test_a_run_that_fails_later_is_answered_with_the_best_text(stub: Stub) -> None:
    from jido_ai import Pipeline

    async def breaks(*_: object) -> str:
        raise RuntimeError("the reviser broke")

    async with client_of(stub, things={"late": Pipeline(stub, stub, breaks)}) as client:
        told = (await client.post("/v1/chat/completions", json={"model": "late", "messages": ASKED})).json()
    assert told["choices"][0]["message"]["content"] == FIRST
    assert "judged" not in told["jido"]
    assert (told["jido"]["stop_reason"], told["jido"]["score"]) == ("error", pytest.approx(0.1))


@pytest.mark.parametrize("stream", [False, True])
async def test_the_text_of_a_components_exception_does_not_reach_the_caller(stub: Stub, stream: bool) -> None:
    from jido_ai import Pipeline

    async def breaks(*_: object) -> str:
        raise RuntimeError("the key is sk-12345")

    asked = {"model": "broken", "messages": ASKED, "stream": stream}
    async with client_of(stub, things={"broken": Pipeline(breaks, stub, stub)}) as client:
        answer = await client.post("/v1/chat/completions", json=asked)
    assert "sk-12345" not in answer.text
    assert "generator failed with RuntimeError" in answer.text
