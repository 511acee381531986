"""OpenAI's responses, with the real `openai` package: SERVING.md 7."""

from __future__ import annotations

import json
from typing import Any

import httpx
import openai
import pytest

from jido_ai import Pipeline
from jido_ai.errors import StoreUnavailableError
from jido_ai.serve.served_runs import ServedRuns
from tests.serve.conftest import Stub, client_of, served

ASKED: dict[str, Any] = {"model": "answer", "input": "What is a tree?"}
EVENTS = [
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
]


async def test_a_response_has_the_best_candidate_as_its_text_and_can_be_read_again(stub: Stub) -> None:
    async with served(stub) as address, openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="any") as client:
        found = await client.responses.create(**ASKED, store=False, metadata={"team": "red"})
        assert found.output_text.startswith("draft 3")
        assert (found.status, found.error, found.metadata) == ("completed", None, {"team": "red"})
        again = await client.responses.retrieve(found.id)
        assert (again.output_text, again.status) == (found.output_text, "completed")


async def test_a_stream_has_the_standard_events_in_order(stub: Stub) -> None:
    async with served(stub) as address, openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="any") as client:
        events = [event async for event in await client.responses.create(**ASKED, stream=True)]
        assert [one.type for one in events] == EVENTS
        assert [one.sequence_number for one in events] == list(range(len(EVENTS)))
        async with client.responses.stream(**ASKED) as stream:
            final = await stream.get_final_response()
        assert final.output_text.startswith("draft 3")


async def test_instructions_and_messages_are_one_conversation(client: httpx.AsyncClient, stub: Stub) -> None:
    given = [
        {"role": "user", "content": "Hello"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hi"}]},
        {"role": "user", "content": [{"type": "input_text", "text": "What is a tree?"}]},
        {"type": "function_call", "call_id": "c", "name": "look_up", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": "a woody plant"},
    ]
    answer = await client.post("/v1/responses", json={"model": "answer", "instructions": "Be kind.", "input": given})
    assert answer.status_code == 200, answer.text
    prompt = next(one for one in stub.seen if one.startswith("generate "))
    places = [prompt.index(one) for one in ("Be kind.", "Hello", "Hi", "What is a tree?", "look_up", "a woody plant")]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"previous_response_id": "resp_1"}, "previous_response_id"),
        ({"background": True}, "background"),
        ({"conversation": "conv_1"}, "conversation"),
        ({"input": []}, "input"),
        ({"model": "line", "input": ""}, "input"),
        ({"input": [{"type": "item_reference", "id": "a"}]}, "input.0"),
        ({"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "a"}]}]}, "input.0.content"),
        ({"text": {"format": {"type": "json_schema", "name": "a"}}}, "text.format"),
        ({"input": [{"role": "user", "content": "x", "tool_calls": 5}]}, "input.0.tool_calls"),
        ({"input": [{"role": "user", "content": "x", "tool_calls": True}]}, "input.0.tool_calls"),
        ({"text": {"format": {"type": "json_schema", "schema": {"$schema": 5}}}}, "text.format"),
        ({"text": {"format": {"type": "json_schema", "schema": {"$ref": "#/$defs/nope"}}}}, "text.format"),
        ({"tools": [{"type": "function", "name": "f"}], "tool_choice": "required"}, "tool_choice"),
        ({"max_output_tokens": -2}, "max_output_tokens"),
    ],
)
async def test_a_request_that_cannot_be_honoured_is_400_with_a_reason(
    client: httpx.AsyncClient, stub: Stub, more: dict[str, Any], param: str
) -> None:
    answer = await client.post("/v1/responses", json={**ASKED, **more})
    error = answer.json()["error"]
    assert (answer.status_code, error["type"]) == (400, "invalid_request_error")
    assert error["param"].startswith(param)
    assert len(error["message"]) > 20
    assert stub.seen == []


async def test_harmless_values_are_accepted(client: httpx.AsyncClient) -> None:
    more: dict[str, Any] = {"previous_response_id": None, "background": False, "store": True, "truncation": "auto"}
    more |= {"tools": [{"type": "function", "name": "f"}], "tool_choice": "auto", "text": {"format": {"type": "text"}}}
    answer = await client.post("/v1/responses", json={**ASKED, **more})
    assert answer.status_code == 200
    assert [one.split()[0] for one in answer.json()["jido"]["warnings"]] == ["tools", "store", "truncation"]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_failed_run_is_5xx_or_the_event_that_says_so(stub: Stub, stream: bool) -> None:
    async def breaks(*_: object) -> str:
        raise RuntimeError("the key is sk-12345")

    async with client_of(stub, things={"answer": Pipeline(breaks, stub, stub)}) as client:
        answer = await client.post("/v1/responses", json={**ASKED, "stream": stream})
    assert "sk-12345" not in answer.text
    if not stream:
        assert answer.status_code >= 500
        assert answer.json()["error"]["type"] == "server_error"
        return
    last = json.loads(answer.text.strip().splitlines()[-1].removeprefix("data: "))
    assert (last["type"], last["response"]["status"]) == ("response.failed", "failed")
    assert last["response"]["error"]["message"]


@pytest.mark.parametrize("kind", [StoreUnavailableError, RuntimeError])
@pytest.mark.parametrize("route", ["/v1/responses", "/v1/chat/completions"])
async def test_a_stream_whose_answer_cannot_be_read_ends_with_an_error(
    stub: Stub, route: str, kind: type[Exception], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    said = "the prompt is secret"

    async def breaks(*_: object) -> None:
        raise kind(said)

    asked = ASKED | {"stream": True, "messages": [{"role": "user", "content": "a"}]}
    async with client_of(stub) as client:
        monkeypatch.setattr(ServedRuns, "result_of", breaks)
        answer = await client.post(route, json=asked)
        assert answer.status_code == 200
        assert "secret" not in answer.text
    last = json.loads(answer.text.strip().splitlines()[-1].removeprefix("data: "))
    error = last["response"]["error"] if route == "/v1/responses" else last["error"]
    assert error["code"] == ("failed" if kind is RuntimeError else "store-failed")
    assert f"has no answer: {kind.__name__}" in caplog.text
    assert ("secret" in caplog.text) is (kind is StoreUnavailableError)


@pytest.mark.parametrize("given", [[], 5, {}, None, [5], True])
async def test_an_input_that_is_no_text_and_no_message_is_refused_with_its_name(
    client: httpx.AsyncClient, given: object
) -> None:
    answer = await client.post("/v1/responses", json={"model": "answer", "input": given})
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert error["param"].startswith("input")
    assert ".str" not in error["message"] or given == [5]
    if not isinstance(given, list) or not given:
        assert "a text, or a list of at least one message" in error["message"]
