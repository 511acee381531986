"""Forms and settings that callers of the OpenAI-compatible door ask for: SERVING.md 7."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import openai
import pytest
from pydantic import BaseModel

from jido_ai import (
    Candidate,
    CritiqueResult,
    Graph,
    LLMGenerator,
    LLMReviser,
    LoopNode,
    Pipeline,
    RunContext,
    StepNode,
)
from jido_ai.testing import ScriptedModel
from jido_ai.values import Completion, CompletionRequest
from tests.serve.conftest import Stub, client_of

ASKED: list[Any] = [{"role": "user", "content": "A city"}]
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "people": {"type": "integer"}},
    "required": ["name", "people"],
    "additionalProperties": False,
}
FORM = {"type": "json_schema", "json_schema": {"name": "city", "schema": SCHEMA, "strict": True}}
GOOD = '{"name": "Ulm", "people": 128928}'


class City(BaseModel):
    name: str
    people: int


def content(candidate: Candidate, context: RunContext) -> CritiqueResult:
    """Accepts everything but a text with "bad"."""
    return CritiqueResult(severity=0.9 if "bad" in candidate.content else 0.0, issues=["it is bad"])


def writes(replies: Any) -> tuple[dict[str, Any], ScriptedModel]:
    model = ScriptedModel(replies)
    pipeline = Pipeline(LLMGenerator(model), content, LLMReviser(model))
    loop = LoopNode("{text}", generator=LLMGenerator(model), critiquer=content, reviser=LLMReviser(model))
    return {"answer": pipeline, "graph": Graph({"loop": loop}, inputs=["text"], output="loop")}, model


async def chat(things: dict[str, Any], stub: Stub, **more: Any) -> httpx.Response:
    async with client_of(stub, things=things) as client:
        return await client.post("/v1/chat/completions", json={"model": "answer", "messages": ASKED, **more})


def text_of(answer: httpx.Response) -> str:
    return answer.json()["choices"][0]["message"]["content"]


# -- forms -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["answer", "graph"])
async def test_an_answer_is_judged_by_the_schema_and_repaired(stub: Stub, name: str) -> None:
    things, model = writes(['{"name": "Ulm", "people": "many"}', GOOD])
    answer = await chat(things, stub, model=name, response_format=FORM)
    assert json.loads(text_of(answer)) == json.loads(GOOD)
    assert answer.json()["jido"]["valid"] is True
    assert model.requests[0].schema == SCHEMA, "the model is asked for the form"


async def test_an_answer_in_a_fence_is_taken_out_of_it_without_another_call(stub: Stub) -> None:
    things, model = writes([f"Here it is:\n```json\n{GOOD}\n```\n"])
    answer = await chat(things, stub, response_format=FORM)
    assert text_of(answer) == GOOD
    assert len(model.requests) == 1


@pytest.mark.parametrize("stream", [False, True])
async def test_a_text_that_cannot_be_brought_to_the_schema_is_the_best_one_and_not_valid(
    stub: Stub, stream: bool
) -> None:
    things, _ = writes(lambda _: "no JSON at all")
    answer = await chat(things, stub, response_format=FORM, stream=stream)
    assert answer.status_code == 200
    if stream:
        last = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: {")][-1]
    else:
        last = answer.json()
    assert (last["choices"][0]["finish_reason"], last["jido"]["valid"]) == ("stop", False)


async def test_json_object_asks_for_any_object(stub: Stub) -> None:
    things, _ = writes(['["a list"]', '{"a": 1}'])
    answer = await chat(things, stub, response_format={"type": "json_object"})
    assert (json.loads(text_of(answer)), answer.json()["jido"]["valid"]) == ({"a": 1}, True)


async def test_valid_is_there_only_if_a_form_was_asked_for(stub: Stub) -> None:
    things, _ = writes(["a text"])
    assert "valid" not in (await chat(things, stub)).json()["jido"]


async def test_the_critics_of_the_pipeline_judge_what_has_the_form(stub: Stub) -> None:
    things, model = writes(['{"name": "bad", "people": 1}', GOOD])
    answer = await chat(things, stub, response_format=FORM)
    assert (text_of(answer), len(model.requests)) == (GOOD, 2)


async def test_a_graph_whose_output_is_no_loop_is_judged_at_the_end(stub: Stub) -> None:
    async def city(text: str) -> dict[str, Any]:
        return {"name": text, "people": 1}

    graph = Graph({"step": StepNode(city, inputs={"text": "{text}"})}, inputs=["text"], output="step")
    good = await chat({"answer": graph}, stub, response_format=FORM)
    other = {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "array"}}}
    bad = await chat({"answer": graph}, stub, response_format=other)
    assert (good.json()["jido"]["valid"], bad.json()["jido"]["valid"]) == (True, False)


async def test_the_parse_methods_of_the_package_return_objects(stub: Stub) -> None:
    things, _ = writes(lambda _: GOOD)
    async with client_of(stub, things=things) as http:
        client = openai.AsyncOpenAI(base_url="http://localhost/v1", api_key="any", http_client=http)
        chosen = await client.chat.completions.parse(model="answer", messages=ASKED, response_format=City)
        response = await client.responses.parse(model="answer", input="A city", text_format=City)
    assert chosen.choices[0].message.parsed == City(name="Ulm", people=128928)
    assert response.output_parsed == City(name="Ulm", people=128928)


async def test_a_form_that_the_pipelines_own_type_allows_wins(stub: Stub) -> None:
    model = ScriptedModel([GOOD])
    things = {"answer": Pipeline(LLMGenerator(model), content, LLMReviser(model), output=City)}
    answer = await chat(things, stub, response_format={"type": "json_object"})
    assert (answer.json()["jido"]["valid"], json.loads(text_of(answer))["name"]) == (True, "Ulm")


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {"type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": False},
        {"type": "object", "properties": {"name": {"type": "array"}}},
    ],
)
async def test_a_form_that_the_pipelines_own_type_excludes_is_400(stub: Stub, schema: dict[str, Any]) -> None:
    model = ScriptedModel([GOOD])
    things = {"answer": Pipeline(LLMGenerator(model), content, LLMReviser(model), output=City)}
    form = {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}}
    answer = await chat(things, stub, response_format=form)
    assert (answer.status_code, answer.json()["error"]["param"]) == (400, "response_format")
    assert model.requests == []


async def test_a_form_that_takes_long_to_judge_is_400(stub: Stub) -> None:
    things, model = writes([GOOD])
    schema = {"type": "object", "properties": {"name": {"type": "string", "pattern": r"(?=a)(a+)+$"}}}
    answer = await chat(things, stub, response_format={"type": "json_schema", "json_schema": {"schema": schema}})
    assert (answer.status_code, answer.json()["error"]["param"]) == (400, "response_format")
    assert model.requests == []


# -- settings --------------------------------------------------------------------------------------

SETTINGS: dict[str, Any] = {"temperature": 0.25, "top_p": 0.5, "max_tokens": 50, "seed": 7, "stop": "END"}


def sent(request: CompletionRequest) -> dict[str, Any]:
    return {name: getattr(request, name) for name in SETTINGS}


@pytest.mark.parametrize("name", ["answer", "graph"])
async def test_settings_reach_the_models_that_write(stub: Stub, name: str) -> None:
    things, model = writes(["bad", "good"])
    answer = await chat(things, stub, model=name, **SETTINGS)
    assert text_of(answer) == "good"
    assert [sent(one) for one in model.requests] == [{**SETTINGS, "stop": ("END",)}] * 2


@pytest.mark.parametrize(
    ("given", "limit"),
    [
        ({"max_completion_tokens": 40}, 40),
        ({"max_tokens": 40, "max_completion_tokens": 30}, 30),
        ({"max_tokens": 30, "max_completion_tokens": 40}, 30),
    ],
)
async def test_the_lower_of_two_limits_counts(stub: Stub, given: dict[str, Any], limit: int) -> None:
    things, model = writes(["good"])
    await chat(things, stub, **given)
    assert model.requests[0].max_tokens == limit


async def test_without_settings_the_components_keep_their_own(stub: Stub) -> None:
    model = ScriptedModel(["good"])
    generator = LLMGenerator(model, temperature=0.9, max_tokens=77, seed=3)
    await chat({"answer": Pipeline(generator, content, None)}, stub, stop=[])
    assert sent(model.requests[0]) == {"temperature": 0.9, "top_p": None, "max_tokens": 77, "seed": 3, "stop": ()}


@pytest.mark.parametrize("route", ["chat", "responses"])
async def test_a_text_that_is_cut_off_at_the_callers_limit_says_so(stub: Stub, route: str) -> None:
    things, model = writes([Completion("a text that is", finish_reason="length")])
    async with client_of(stub, things=things) as client:
        if route == "chat":
            body: dict[str, Any] = {"model": "answer", "messages": ASKED, "max_tokens": 5}
            found = (await client.post("/v1/chat/completions", json=body)).json()
            assert (found["choices"][0]["finish_reason"], len(model.requests)) == ("length", 1)
        else:
            body = {"model": "answer", "input": "A city", "max_output_tokens": 5}
            found = (await client.post("/v1/responses", json=body)).json()
            assert (found["status"], found["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})


async def test_a_setting_that_a_model_refuses_is_left_out_and_told(stub: Stub) -> None:
    things, _ = writes([Completion("good", dropped=("temperature",))])
    answer = await chat(things, stub, temperature=0.5)
    assert answer.json()["jido"]["warnings"] == ["a model refused temperature, and answered without it"]


async def test_other_settings_with_the_same_run_id_are_another_request(stub: Stub) -> None:
    things, _ = writes(lambda _: "good")
    async with client_of(stub, things=things) as client:
        body: dict[str, Any] = {"model": "answer", "messages": ASKED, "metadata": {"run_id": "mine"}}
        answers = [
            await client.post("/v1/chat/completions", json={**body, **more})
            for more in ({"seed": 1}, {"seed": 1}, {"seed": 2}, {"response_format": FORM})
        ]
    assert [one.status_code for one in answers] == [200, 200, 409, 409]


async def test_form_and_settings_survive_the_end_of_the_server(stub: Stub, store: Any) -> None:
    import asyncio

    gate: Callable[[], Any] = asyncio.Event().wait
    things, model = writes([GOOD])
    generator = things["answer"]

    async def waits(*_: object) -> str:
        await gate()
        return ""

    body = {"model": "answer", "messages": ASKED, "metadata": {"run_id": "mine"}, "response_format": FORM, "seed": 5}
    headers = {"idempotency-key": "a"}
    async with client_of(stub, things={"answer": Pipeline(waits, content, None)}, memory=store) as client:
        waiting = asyncio.create_task(client.post("/v1/chat/completions", json=body, headers=headers))
        while (await client.get("/v1/runs/mine")).json().get("status") != "running":
            await asyncio.sleep(0.005)
    waiting.cancel()
    await asyncio.wait({waiting})
    async with client_of(stub, things={"answer": generator}, memory=store) as client:
        answer = await client.post("/v1/chat/completions", json=body, headers=headers)
    assert answer.json()["jido"]["valid"] is True
    assert (model.requests[0].seed, model.requests[0].schema) == (5, SCHEMA)
