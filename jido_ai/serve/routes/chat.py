"""OpenAI's models and chat completions: a pipeline or graph is a model, and its best candidate the answer."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from jido_ai.graph.orders import RunOrder
from jido_ai.serve.answers import answer, checked_body, parameter, takes
from jido_ai.serve.bodies import ChatRequest, checked
from jido_ai.serve.caller import AnyReader, RunCaller
from jido_ai.serve.conversation import chat_turns
from jido_ai.serve.door import (
    GONE,
    Asked,
    DoorAnswer,
    DoorStream,
    answer_of,
    asked_of,
    described_door,
    model_named,
    order_of,
    start,
    streamed_answer,
    waited,
)
from jido_ai.serve.entries import Entry
from jido_ai.serve.problems import openai_error
from jido_ai.serve.served_runs import ServedRuns
from jido_ai.serve.state import State

router = APIRouter(tags=["openai"])


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "jido"}


@router.get("/v1/models", summary="List what can be asked, in OpenAI's form", responses=described_door("Models"))
async def models(request: Request, state: State, _: AnyReader) -> Response:
    return answer({"object": "list", "data": [_model(name) for name in state.served]})


@router.get(
    "/v1/models/{model:path}",
    summary="Tell whether a model can be asked, in OpenAI's form",
    responses=described_door("Model", 404),
    openapi_extra={
        "parameters": [parameter("model", "path", description="A pipeline or graph.", type="string", minLength=1)]
    },
)
async def model(request: Request, state: State, _: AnyReader) -> Response:
    name = request.path_params["model"]
    model_named(name, state)
    return answer(_model(name))


@router.post(
    "/v1/chat/completions",
    summary="Answer a chat, in OpenAI's form",
    description="`model` names a pipeline, or a graph with one input. The run ends when its caller is gone, unless the "
    "request has an Idempotency-Key.",
    responses=described_door("ChatCompletion", 404, 408, 409, 413, 415, 429, 502),
    openapi_extra=takes("ChatRequest"),
)
async def complete(request: Request, state: State, caller: RunCaller) -> Response:
    asked = await checked_body(request, _asked)
    order, warnings = await order_of(asked, request=request, caller=caller, state=state)
    entry, run = await start(order, caller, state)
    if asked.request.stream:
        counts = bool((asked.request.stream_options or {}).get("include_usage"))
        return DoorStream(_chunks(state.runs, entry, order, warnings, with_usage=counts), state.runs, run)
    if not await waited(request, state.runs, order, run):
        return Response(status_code=GONE)
    found = await answer_of(state.runs, order, warnings)
    if found.failure is not None:
        raise found.failure
    message = {"role": "assistant", "content": found.text}
    choice = {"index": 0, "message": message, "finish_reason": found.finish, "logprobs": None}
    head = _head(found.entry, "chat.completion")
    return answer({**head, "choices": [choice], "usage": _usage(found), "jido": found.about})


def _asked(fields: dict[str, Any]) -> Asked[ChatRequest]:
    asked = checked(ChatRequest, fields)
    return asked_of(asked, chat_turns(asked.messages), "messages", asked.response_format, "response_format")


def _head(entry: Entry, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{entry.order.run_id}",
        "object": kind,
        "created": int(entry.created_at.timestamp()),
        "model": entry.order.name,
    }


def _usage(found: DoorAnswer) -> dict[str, int]:
    read, written = found.usage
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


async def _chunks(
    runs: ServedRuns, entry: Entry, order: RunOrder, warnings: Sequence[str], *, with_usage: bool
) -> AsyncGenerator[dict[str, str]]:
    head = _head(entry, "chat.completion.chunk")

    def chunk(delta: Mapping[str, Any], finish: str | None = None, **more: Any) -> dict[str, str]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return {"data": json.dumps({**head, "choices": [choice], **more})}

    yield chunk({"role": "assistant", "content": ""})
    found = await streamed_answer(runs, entry, order, warnings)
    if found.failure is not None:
        yield {"data": json.dumps({"error": openai_error(found.failure)})}
        return
    yield chunk({"content": found.text})
    yield chunk({}, found.finish, jido=found.about)
    if with_usage:
        yield {"data": json.dumps({**head, "choices": [], "usage": _usage(found)})}
    yield {"data": "[DONE]"}
