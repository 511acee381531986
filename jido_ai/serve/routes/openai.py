"""The OpenAI-compatible door: a pipeline or graph is a model, and its best candidate the answer."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final

from fastapi import APIRouter
from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import Response

from jido_ai.graph.graph import Graph
from jido_ai.graph.orders import RunOrder
from jido_ai.serve.answers import answer, body_of, described, takes
from jido_ai.serve.bodies import ChatMessage, ChatRequest
from jido_ai.serve.caller import AnyReader, Caller, RunCaller
from jido_ai.serve.entries import Entry
from jido_ai.serve.guard import problem_body
from jido_ai.serve.problems import Problem
from jido_ai.serve.routes.runs import check_order, check_run_id
from jido_ai.serve.served_runs import ServedRuns
from jido_ai.serve.state import ServerState, State
from jido_ai.serve.told_errors import told_error
from jido_ai.values import new_id

__all__ = ["router"]

_REFUSED: Final = (
    "tools",
    "tool_choice",
    "functions",
    "function_call",
    "logprobs",
    "top_logprobs",
    "audio",
    "modalities",
)
_TEXT_ONLY: Final = {"modalities": ["text"], "response_format": {"type": "text"}, "tool_choice": "none"}
_PING_S: Final = 5
_SEND_S: Final = 60
_LONGEST_S: Final = 3_600.0


def _described(schema: str, *codes: int) -> dict[int | str, dict[str, Any]]:
    responses = described(schema)
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/OpenAIError"}}}
    for code in (400, 401, 403, 421, 500, 503, *codes):
        responses[code] = {"description": "An error in OpenAI's form.", "content": error}
    return responses


class _Whole(ChatRequest):
    """The request with the parameters that cannot be honoured, to refuse them."""

    n: Any = None
    tools: Any = None
    tool_choice: Any = None
    functions: Any = None
    function_call: Any = None
    logprobs: Any = None
    top_logprobs: Any = None
    audio: Any = None
    modalities: Any = None
    response_format: Any = None


router = APIRouter(tags=["openai"])


@router.get("/v1/models", summary="List what can be asked, in OpenAI's form", responses=_described("Models"))
async def models(request: Request, state: State, _: AnyReader) -> Response:
    data = [{"id": name, "object": "model", "created": 0, "owned_by": "jido"} for name in state.served]
    return await answer({"object": "list", "data": data})


@router.post(
    "/v1/chat/completions",
    summary="Answer a chat, in OpenAI's form",
    description="`model` names a pipeline, or a graph with one input. Unknown parameters are ignored.",
    responses=_described("ChatCompletion", 404, 408, 409, 413, 415, 422, 429, 500, 502, 503),
    openapi_extra=takes("ChatRequest"),
)
async def complete(request: Request, state: State, caller: RunCaller) -> Response:
    asked = await body_of(request, _Whole)
    order = _order_of(asked, caller, state)
    entry = await state.start(order, caller)
    if asked.stream:
        counts = bool((asked.stream_options or {}).get("include_usage"))
        return EventSourceResponse(
            _chunks(state.runs, entry, with_usage=counts), ping=_PING_S, send_timeout=_SEND_S, sep="\n"
        )
    await state.runs.wait(order.key, _LONGEST_S)
    entry = await state.runs.find(order.key)
    result = await state.runs.result_of(entry)
    failure = _failure(entry, result)
    if failure is not None:
        raise failure
    message = {"role": "assistant", "content": _text_of(result)}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return await answer(
        {
            **_head(entry, "chat.completion"),
            "choices": [choice],
            "usage": _usage(entry, result),
            "jido": _about(entry, result),
        }
    )


# -- the request -----------------------------------------------------------------------------------


def _order_of(asked: _Whole, caller: Caller, state: ServerState) -> RunOrder:
    _check_parameters(asked)
    served = state.served.get(asked.model)
    if served is None:
        known = ", ".join(state.served) or "none"
        raise Problem("not-found", f"the model {asked.model[:100]!r} does not exist; known: {known}", field="model")
    prompt = _prompt_of(asked.messages)
    metadata = dict(asked.metadata or {})
    given = metadata.pop("run_id", None)
    if given is not None and not isinstance(given, str):
        raise Problem("malformed", "metadata.run_id must be a text", field="metadata.run_id")
    is_graph = isinstance(served, Graph)
    if not is_graph:
        metadata.setdefault("task_type", asked.model)
    order = RunOrder(
        run_id=new_id("run") if given is None else check_run_id(given),
        name=asked.model,
        prompt=None if is_graph else prompt,
        inputs={_only_input(asked.model, served): prompt} if is_graph else None,
        scope=caller.scope,
        metadata=metadata or None,
        token=caller.token_id,
        is_fresh=given is None,
    )
    check_order(order, state.runs)
    return order


def _check_parameters(asked: _Whole) -> None:
    if asked.n is not None and asked.n != 1:
        raise Problem("malformed", f"n must be 1, got {asked.n!r}: one answer is judged and revised", field="n")
    for name in (*_REFUSED, "response_format"):
        value = getattr(asked, name)
        if value is None or value is False or value in ([], _TEXT_ONLY.get(name)):
            continue
        raise Problem("malformed", f"{name} is not supported: the answer is one text", field=name)


def _only_input(name: str, graph: Graph) -> str:
    if len(graph.inputs) != 1:
        inputs = ", ".join(graph.inputs) or "none"
        said = f"the graph {name!r} has the inputs {inputs}; only a graph with one input can be asked this way"
        raise Problem("malformed", said, field="model")
    return graph.inputs[0]


def _prompt_of(messages: list[ChatMessage]) -> str:
    """Return the last message of the user, with the messages before it as context."""
    position = next((index for index in range(len(messages) - 1, -1, -1) if messages[index].role == "user"), None)
    if position is None:
        raise Problem("malformed", "messages need one with the role user", field="messages")
    prompt = _content_of(messages[position], position)
    before = [(one.role, _content_of(one, index)) for index, one in enumerate(messages[:position])]
    if not any(text for _, text in before):
        return prompt
    said = "\n\n".join(f"{role}: {text}" for role, text in before if text)
    return f"<conversation>\n{said}\n</conversation>\n\n{prompt}"


def _content_of(message: ChatMessage, index: int) -> str:
    if message.content is None:
        return ""
    if isinstance(message.content, str):
        return message.content
    texts: list[str] = []
    for part in message.content:
        text = part.get("text")
        if part.get("type") != "text" or not isinstance(text, str):
            said = f"messages.{index}: only parts of type text are supported, got {str(part.get('type'))[:100]!r}"
            raise Problem("malformed", said, field=f"messages.{index}.content")
        texts.append(text)
    return "".join(texts)


# -- the answer ------------------------------------------------------------------------------------


def _text_of(result: Mapping[str, Any] | None) -> str | None:
    """Return the output of a graph, or the best or else the unjudged candidate of a loop; None if there is none."""
    if result is None:
        return None
    if "nodes" in result:
        output = result["output"]
        return output if output is None or isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    answer = result["best_candidate"] or result.get("unjudged")
    return None if answer is None else str(answer["content"])


def _failure(entry: Entry, result: Mapping[str, Any] | None) -> Problem | None:
    """Return why there is no answer; None if there is one."""
    run_id = entry.order.run_id
    if entry.status == "suspended":
        return Problem("conflict", f"run {run_id} waits for a decision: POST /v1/runs/{run_id}/resume")
    if entry.is_open:
        return Problem("busy", f"run {run_id} has not ended yet; ask again with metadata.run_id", retry_after_s=5)
    if _text_of(result) is None:
        error = told_error(entry.error) or {}
        said = f"{error.get('kind', entry.status)}: {error.get('message', 'there is no answer')}"
        return Problem("model-failed" if entry.status == "failed" else "failed", f"run {run_id}: {said}")
    return None


def _head(entry: Entry, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{entry.order.run_id}",
        "object": kind,
        "created": int(entry.created_at.timestamp()),
        "model": entry.order.name,
    }


def _usage(entry: Entry, result: Mapping[str, Any] | None) -> dict[str, int]:
    usage: Mapping[str, Any] = (result or {}).get("usage") or {}
    read, written = int(usage.get("input_tokens", 0)), int(usage.get("output_tokens", 0))
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _about(entry: Entry, result: Mapping[str, Any]) -> dict[str, Any]:
    summary = entry.summary or {}
    findings = [one for one in result.get("findings", ()) if one["status"] != "fixed"]
    notes = {"judged": False} if result.get("unjudged") else {}
    return {
        "run_id": entry.order.run_id,
        "stop_reason": summary.get("stop_reason"),
        "iterations": summary.get("iterations", 0),
        "score": summary.get("score"),
        "open_issues": [one["issue"] for one in findings],
        **notes,
        **({"error": told_error(entry.error)} if entry.error else {}),
    }


async def _chunks(runs: ServedRuns, entry: Entry, *, with_usage: bool) -> AsyncGenerator[dict[str, str]]:
    head = {**_head(entry, "chat.completion.chunk")}

    def chunk(delta: Mapping[str, Any], finish: str | None = None, **more: Any) -> dict[str, str]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return {"data": json.dumps({**head, "choices": [choice], **more})}

    yield chunk({"role": "assistant", "content": ""})
    await runs.wait(entry.order.key, _LONGEST_S)
    entry = await runs.find(entry.order.key)
    result = await runs.result_of(entry)
    failure = _failure(entry, result)
    if failure is not None or result is None:
        assert failure is not None
        yield {"data": problem_body(failure, "/v1/chat/completions")[0].decode()}
        return
    yield chunk({"content": _text_of(result)})
    yield chunk({}, "stop", jido=_about(entry, result))
    if with_usage:
        yield {"data": json.dumps({**head, "choices": [], "usage": _usage(entry, result)})}
    yield {"data": "[DONE]"}
