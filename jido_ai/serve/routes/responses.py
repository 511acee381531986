"""OpenAI's responses: the part of them that is text."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from jido_ai.graph.orders import RunOrder
from jido_ai.serve.answers import answer, checked_body, parameter, takes
from jido_ai.serve.bodies import ResponseRequest, checked
from jido_ai.serve.caller import AnyReader, RunCaller
from jido_ai.serve.conversation import response_turns
from jido_ai.serve.door import (
    GONE,
    Asked,
    DoorAnswer,
    DoorStream,
    answer_of,
    asked_of,
    described_door,
    order_of,
    start,
    streamed_answer,
    waited,
)
from jido_ai.serve.entries import Entry
from jido_ai.serve.problems import Problem, openai_error
from jido_ai.serve.served_runs import ServedRuns
from jido_ai.serve.state import State

router = APIRouter(tags=["openai"])
_PREFIX: Final = "resp_"


@router.post(
    "/v1/responses",
    summary="Answer a text or a conversation, in the form of OpenAI's responses",
    description="`model` names a pipeline, or a graph with one input. The run ends when its caller is gone, unless the "
    "request has an Idempotency-Key.",
    responses=described_door("Response", 404, 408, 409, 413, 415, 429, 502),
    openapi_extra=takes("ResponseRequest"),
)
async def respond(request: Request, state: State, caller: RunCaller) -> Response:
    asked = await checked_body(request, _asked)
    order, warnings = await order_of(asked, request=request, caller=caller, state=state)
    entry, run = await start(order, caller, state)
    if asked.request.stream:
        return DoorStream(_events(state.runs, entry, order, warnings), state.runs, run)
    if not await waited(request, state.runs, order, run):
        return Response(status_code=GONE)
    found = await answer_of(state.runs, order, warnings)
    if found.failure is not None:
        raise found.failure
    return answer(_response(found.entry, found))


@router.get(
    "/v1/responses/{response_id}",
    summary="Show a response: how far it is, and its text at the end",
    responses=described_door("Response", 404),
    openapi_extra={"parameters": [parameter("response_id", "path", description="Its id.", type="string", minLength=1)]},
)
async def response(request: Request, state: State, caller: AnyReader) -> Response:
    given: str = request.path_params["response_id"]
    try:
        entry = await state.runs.find((caller.scope, given.removeprefix(_PREFIX)))
    except Problem as error:
        raise Problem("not-found", f"there is no response {given[:300]!r}", field="response_id") from error
    if entry.order.token != caller.token_id:
        caller.need("read")
    found = None if entry.is_open else await answer_of(state.runs, entry.order)
    return answer(_response(entry, found))


def _asked(fields: dict[str, Any]) -> Asked[ResponseRequest]:
    asked = checked(ResponseRequest, fields)
    turns = response_turns(asked.instructions, asked.input)
    return asked_of(asked, turns, "input", (asked.text or {}).get("format"), "text.format")


# -- the answer ------------------------------------------------------------------------------------


def _response(entry: Entry, found: DoorAnswer | None) -> dict[str, Any]:
    """Return a response; without an answer it is in progress."""
    order, asked = entry.order, entry.order.asked or {}
    settings, form = asked.get("settings", {}), asked.get("form")
    is_cut = found is not None and found.finish == "length"
    failure = None if found is None else found.failure
    read, written = (0, 0) if found is None else found.usage
    usage = {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": read + written,
    }
    shape = {"type": "text"} if form is None else {"type": "json_schema", "name": "answer", "schema": form}
    has_text = found is not None and failure is None
    ours = ("task_type", order.name)  # see `order_of`
    return {
        "id": f"{_PREFIX}{order.run_id}",
        "object": "response",
        "created_at": int(entry.created_at.timestamp()),
        "status": _status(entry, failure, is_cut=is_cut, is_there=found is not None),
        "error": None if failure is None else {"code": "server_error", "message": failure.detail},
        "incomplete_details": {"reason": "max_output_tokens"} if is_cut else None,
        "instructions": None,
        "max_output_tokens": settings.get("max_tokens"),
        "model": order.name,
        "output": [_message(found, "completed")] if found is not None and has_text else [],
        "parallel_tool_calls": False,
        "previous_response_id": None,
        "store": True,
        "temperature": settings.get("temperature"),
        "text": {"format": shape},
        "tool_choice": "none",
        "tools": [],
        "top_p": settings.get("top_p"),
        "truncation": "disabled",
        "usage": usage if has_text else None,
        "metadata": {name: text for name, text in (order.metadata or {}).items() if (name, text) != ours},
        "jido": {"run_id": order.run_id} if found is None else found.about,
    }


def _status(entry: Entry, failure: Problem | None, *, is_cut: bool, is_there: bool) -> str:
    if not is_there:
        return "queued" if entry.status == "queued" else "in_progress"
    if failure is None:
        return "incomplete" if is_cut else "completed"
    return {"cancelled": "cancelled", "suspended": "in_progress"}.get(entry.status, "failed")


def _message(found: DoorAnswer, status: str) -> dict[str, Any]:
    content = [_part(found.text)] if status == "completed" else []
    run_id = found.entry.order.run_id
    return {"id": f"msg_{run_id}", "type": "message", "role": "assistant", "status": status, "content": content}


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


async def _events(
    runs: ServedRuns, entry: Entry, order: RunOrder, warnings: Sequence[str]
) -> AsyncGenerator[dict[str, str]]:
    count = 0

    def event(kind: str, **more: Any) -> dict[str, str]:
        nonlocal count
        count += 1
        return {"event": kind, "data": json.dumps({"type": kind, "sequence_number": count - 1, **more})}

    for kind in ("response.created", "response.in_progress"):
        yield event(kind, response={**_response(entry, None), "status": "in_progress"})
    found = await streamed_answer(runs, entry, order, warnings)
    whole = _response(found.entry, found)
    if found.failure is not None:
        error = {"code": openai_error(found.failure)["code"], "message": found.failure.detail}
        yield event("response.failed", response={**whole, "status": "failed", "error": error})
        return
    place: dict[str, Any] = {"output_index": 0}
    inside = {**place, "item_id": _message(found, "completed")["id"], "content_index": 0}
    yield event("response.output_item.added", **place, item=_message(found, "in_progress"))
    yield event("response.content_part.added", **inside, part=_part(""))
    yield event("response.output_text.delta", **inside, delta=found.text, logprobs=[])
    yield event("response.output_text.done", **inside, text=found.text, logprobs=[])
    yield event("response.content_part.done", **inside, part=_part(found.text))
    yield event("response.output_item.done", **place, item=_message(found, "completed"))
    yield event("response.incomplete" if whole["status"] == "incomplete" else "response.completed", response=whole)
