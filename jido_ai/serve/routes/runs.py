"""Routes of runs: start, list, read, follow, cancel, resume, decide; and judging one candidate."""

from __future__ import annotations

import asyncio
import hashlib
import math
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeVar

from fastapi import APIRouter
from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import Response

from jido_ai.argument_hints import nearest
from jido_ai.errors import ConfigurationError, message_of
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import AnyGraph, GraphNode, LoopNode
from jido_ai.graph.orders import Key, RunOrder, fault_of_run_id
from jido_ai.loop.examples import schema_digest
from jido_ai.loop.memory import forget_examples, keep_rated
from jido_ai.loop.options import LearningOptions
from jido_ai.loop.pipeline import Pipeline
from jido_ai.runs.questions import check_decision
from jido_ai.serve.answers import KnownParameters, answer, body_of, described, int_in, parameter, takes
from jido_ai.serve.bodies import CritiqueRequest, DecisionRequest, NoteRequest, ResumeRequest, RunRequest
from jido_ai.serve.caller import HttpCaller, Reader, RunCaller, caller_of, is_head, prefix_of, unless_gone
from jido_ai.serve.entries import STATUSES, Entry, links_of, note_in, note_record, view_of
from jido_ai.serve.events import Note
from jido_ai.serve.problems import Problem
from jido_ai.serve.recovery import stored_note
from jido_ai.serve.run_rows import MOST_SEARCHED, SORTS, Place, RunQuery, after_cursor
from jido_ai.serve.served_runs import ServedRuns
from jido_ai.serve.state import ServerState, State
from jido_ai.serve.told_errors import told_call, told_error, told_result
from jido_ai.text.output_type import OutputType, output_type
from jido_ai.text.plain_json import dumped
from jido_ai.values import StopReason, new_id

_MOST_RUNS: Final = 1_000
_USUAL_RUNS: Final = 50
_MOST_CALLS: Final = 200
_USUAL_CALLS: Final = 50
_LONGEST_WAIT_S: Final = 3_600.0
_ENDING_S: Final = 2.0
_PING_S: Final = 15.0
_NEVER_S: Final = 10**9  # a comment in the middle of an event would break it
_PIECE_BYTES: Final = 64 << 10
_MOST_STREAMS: Final = 32
_WAIT: Final = parameter(
    "wait",
    description="Seconds to wait for the end: 200 with the result if it comes in time, else 202.",
    type="number",
    minimum=0,
    maximum=_LONGEST_WAIT_S,
)
_RESULTS: Final = parameter(
    "results",
    description="false leaves the results out (null); the summaries stay.",
    type="string",
    enum=["true", "false"],
    default="true",
)
_ID: Final = parameter("run_id", "path", description="Id of the run.", type="string", minLength=1, maxLength=255)
_STOP_REASONS: Final = (*(one.value for one in StopReason), "completed", "partial", "failed")
"""Of pipelines; of graphs, their status."""
_ZONE: Final = re.compile(r" (\d\d:?\d\d)$")
"""An offset whose plus was read as a blank, as that of an address is."""
_EVENT: Final = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "Of the run's events: 1, 2, ..."},
        "event": {"type": "string", "description": "Its type, as in RunStopped."},
        "data": {"type": "string", "description": "The event as a JSON object."},
    },
    "required": ["id", "event", "data"],
    "description": "One event of the stream.",
}

T = TypeVar("T")

router = APIRouter(tags=["runs"], dependencies=[KnownParameters], default_response_class=Response)


@router.post(
    "/v1/runs",
    summary="Start a run",
    status_code=202,
    responses=described(
        "Run", "not-json", "impossible", "conflict", "too-large", "timeout", "quota", "busy", s202="It was started."
    ),
    openapi_extra={
        **takes("RunRequest"),
        "parameters": [
            _WAIT,
            parameter(
                "Idempotency-Key",
                "header",
                description="Makes the request idempotent, as a run_id does; run_id comes first.",
                type="string",
                maxLength=255,
            ),
        ],
    },
)
async def start(request: Request, state: State, caller: RunCaller) -> Response:
    wait_s = _wait_of(request)
    key = request.headers.get("idempotency-key")
    order = _order_of(await body_of(request, RunRequest), caller, key)
    check_order(order, state.runs)
    return await _after(request, state.runs, await state.start(order, caller), wait_s)


@router.get(
    "/v1/runs",
    summary="List runs, the newest first",
    description="Runs that began in the same instant, or have the same value, are ordered by id.",
    responses=described("Runs", "impossible"),
    openapi_extra={
        "parameters": [
            parameter("pipeline", description="Name of a pipeline or graph.", type="string", maxLength=255),
            parameter(
                "tenant",
                description="Tenant of the runs. A token sees its own tenant only; without tokens all are seen.",
                type="string",
                maxLength=255,
            ),
            parameter("status", description="State of the run.", type="string", enum=list(STATUSES)),
            parameter("stop_reason", description="As in the summary.", type="string", maxLength=255),
            parameter("since", description="Runs accepted at this time or later; ISO 8601.", type="string"),
            parameter("until", description="Runs accepted before this time; ISO 8601.", type="string"),
            parameter(
                "q",
                description=f"Part of a prompt, an input, an answer (of each the first {MOST_SEARCHED:,} characters) "
                "or an id.",
                type="string",
                maxLength=1_000,
            ),
            parameter(
                "sort",
                description="A minus: the largest first. Runs without the value are last.",
                type="string",
                enum=list(SORTS),
                default="-created_at",
            ),
            parameter(
                "limit",
                description="Maximum runs on the page.",
                type="integer",
                minimum=1,
                maximum=_MOST_RUNS,
                default=_USUAL_RUNS,
            ),
            parameter(
                "cursor",
                description="next_cursor of the previous page of the same list.",
                type="string",
                maxLength=4_000,
            ),
            _RESULTS,
        ]
    },
)
async def list_runs(request: Request, state: State, caller: Reader) -> Response:
    asked, runs = request.query_params, state.runs
    query = _query_of(asked, caller)
    limit = int_in(asked.get("limit"), "limit", 1, _MOST_RUNS, _USUAL_RUNS)
    after = _place_of(asked.get("cursor"), query)
    with_results = _flag(asked.get("results"), "results", usual=True)
    found, next_cursor, figures = await runs.list.page(query, after, limit, runs.statuses())
    data = [
        await _view(
            request, runs, runs.current(entry), with_result=with_results, notes=runs.list.note_of(entry.order.key)
        )
        for entry in found
    ]
    return answer({"data": data, "next_cursor": next_cursor, "figures": figures})


@router.get(
    "/v1/runs/{run_id}",
    summary="Read a run",
    responses=described("Run", "not-found", "impossible"),
    openapi_extra={"parameters": [_ID, _RESULTS]},
)
async def read(request: Request, state: State, caller: Reader) -> Response:
    with_result = _flag(request.query_params.get("results"), "results", usual=True)
    key = _key_in(request, caller)
    entry = await state.runs.find(key)
    shown = await _view(request, state.runs, entry, with_result=with_result, notes=await stored_note(state.memory, key))
    if with_result and entry.status == "suspended":
        shown["waiting"] = await state.runs.questions(entry)
    return answer(shown)


@router.get(
    "/v1/runs/{run_id}/calls",
    summary="List the calls of models of a run, in the order in which they began",
    responses=described("Calls", "not-found", "impossible"),
    openapi_extra={
        "parameters": [
            _ID,
            parameter(
                "limit",
                description="Maximum calls on the page.",
                type="integer",
                minimum=1,
                maximum=_MOST_CALLS,
                default=_USUAL_CALLS,
            ),
            parameter(
                "cursor", description="next_cursor of the previous page.", type="string", pattern="^[0-9]{1,18}$"
            ),
        ]
    },
)
async def list_calls(request: Request, state: State, caller: Reader) -> Response:
    asked = request.query_params
    limit = int_in(asked.get("limit"), "limit", 1, _MOST_CALLS, _USUAL_CALLS)
    cursor = int_in(asked.get("cursor"), "cursor", 0, 10**18, 0)
    found = [call for call in await state.runs.calls(_key_in(request, caller)) if call.seq > cursor]
    data = [dumped(call) for call in found[:limit]]
    if caller.token is not None:
        data = [told_call(one) for one in data]
    return answer({"data": data, "next_cursor": str(found[limit - 1].seq) if len(found) > limit else None})


@router.get(
    "/v1/runs/{run_id}/events",
    summary="Follow a run",
    description="Server-sent events from the beginning, or after Last-Event-ID, to RunStopped (GraphStopped).",
    responses={
        **described(None, "not-found", "impossible", "quota"),
        200: {
            "description": "Events; data is JSON.",
            "content": {"text/event-stream": {"schema": _EVENT}},
        },
    },
    openapi_extra={
        "parameters": [
            _ID,
            parameter(
                "Last-Event-ID",
                "header",
                description="Number of the last event that was received.",
                type="string",
                pattern="^[0-9]{1,18}$",
            ),
        ]
    },
)
async def follow(request: Request, state: State, caller: Reader) -> Response:
    after = int_in(request.headers.get("last-event-id"), "Last-Event-ID", 0, 10**18, 0)
    key = _key_in(request, caller)
    await state.runs.find(key)
    if is_head(request):
        return Response(media_type="text/event-stream")
    if caller.token is not None and state.streams.get(caller.token_id, 0) >= _MOST_STREAMS:
        message = f"{_MOST_STREAMS} streams of events are open; that is the maximum for one token"
        raise Problem("quota", message, retry_after_s=5)
    return EventSourceResponse(_sent_events(state, caller, key, after), ping=_NEVER_S, sep="\n")


@router.post(
    "/v1/runs/{run_id}/cancel",
    summary="End a run soon, with its result so far",
    responses=described("Run", "not-found", "conflict", "impossible", s202="It is ending."),
    openapi_extra={"parameters": [_ID]},
)
async def cancel(request: Request, state: State, caller: RunCaller) -> Response:
    key = _key_in(request, caller)
    await state.runs.cancel(key)
    await state.runs.wait(key, _ENDING_S)
    entry = await state.runs.find(key)
    return answer(await _view(request, state.runs, entry), 202 if entry.is_open else 200)


_CONTINUED: Final = described(
    *("Run", "not-found", "conflict", "impossible", "not-json", "too-large", "timeout", "quota", "busy"),
    s202="It continues.",
)


@router.post(
    "/v1/runs/{run_id}/resume",
    summary="Resume a run that was suspended, cancelled or failed",
    responses=_CONTINUED,
    openapi_extra={**takes("ResumeRequest", is_required=False), "parameters": [_ID, _WAIT]},
)
async def resume(request: Request, state: State, caller: RunCaller) -> Response:
    wait_s = _wait_of(request)
    decision: object = None
    if request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers:
        decision = (await body_of(request, ResumeRequest)).decision
    with _field("decision"):
        check_decision(decision)
    entry = await state.runs.resume(_key_in(request, caller), decision)
    return await _after(request, state.runs, entry, wait_s)


@router.post(
    "/v1/runs/{run_id}/approvals/{node}",
    summary="Answer a question of a run",
    description='A node of a graph by its path, as in "sections[3]"; of a pipeline "revision"; or the id of the '
    "question, which is refused when another text is shown by now.",
    responses=_CONTINUED,
    openapi_extra={
        **takes("DecisionRequest"),
        "parameters": [
            _ID,
            parameter("node", "path", description="The question.", type="string", minLength=1),
            _WAIT,
        ],
    },
)
async def decide(request: Request, state: State, caller: RunCaller) -> Response:
    wait_s = _wait_of(request)
    asked = await body_of(request, DecisionRequest)
    with _field("decision"):
        check_decision(asked.decision)
    entry = await state.runs.resume(_key_in(request, caller), {request.path_params["node"]: asked.decision})
    return await _after(request, state.runs, entry, wait_s)


@router.post(
    "/v1/runs/{run_id}/notes",
    summary="Note what a person thinks of a run",
    description="Kept with the run, shown and exported with it, and forgotten with it.",
    responses=described("Run", "not-found", "impossible", "not-json", "too-large", "timeout"),
    openapi_extra={**takes("NoteRequest"), "parameters": [_ID]},
)
async def note(request: Request, state: State, caller: RunCaller) -> Response:
    asked = await body_of(request, NoteRequest)
    key = _key_in(request, caller)
    entry = await state.runs.find(key)
    given = {name: getattr(asked, name) for name in asked.model_fields_set}
    async with state.noting.hold(key):
        before = await stored_note(state.memory, key) or {"thumb": None, "note": ""}
        noted = {**before, **given}
        [record] = await state.memory.append([note_record(*key, noted["thumb"], noted["note"] or "")])
        if noted["thumb"] == "down":
            await forget_examples(state.memory, key[1], key[0])
        found = _loop_of(state.served.get(entry.order.name), key[1]) if noted["thumb"] == "up" else None
        if found is not None:
            run_id, options, output = found
            schema = None if output is None else schema_digest(output.plain)
            await keep_rated(state.memory, run_id, key[0], options, schema=schema)
    return answer(await _view(request, state.runs, entry, with_result=False, notes=note_in(record)))


def _loop_of(
    served: Pipeline | AnyGraph | None, run_id: str
) -> tuple[str, LearningOptions, OutputType[Any] | None] | None:
    """Return the run of the loop that made the answer of a run, how it learns, and the type of its answers.

    None if no loop did: the output of a graph may be that of another node.
    """
    if served is None or isinstance(served, Pipeline):
        return None if served is None else (run_id, served.learning, served.output)
    name = served.output
    node = served.nodes[name]
    if isinstance(node, GraphNode):
        return _loop_of(node.graph, f"{run_id}/{name}")
    if not isinstance(node, LoopNode):
        return None
    output = None if node.output is None else output_type(node.output)
    return f"{run_id}/{name}", LearningOptions(**node.learning), output


@router.post(
    "/v1/critiques",
    summary="Judge one candidate",
    responses=described(
        "CritiqueResult", "impossible", "not-json", "too-large", "timeout", "quota", "busy", "model-failed"
    ),
    openapi_extra=takes("CritiqueRequest"),
)
async def critique(request: Request, state: State, caller: RunCaller) -> Response:
    asked = await body_of(request, CritiqueRequest)
    pipeline = state.served.get(asked.pipeline)
    if not isinstance(pipeline, Pipeline):
        hint = nearest(asked.pipeline[:100], [name for name, one in state.served.items() if isinstance(one, Pipeline)])
        raise Problem("impossible", f"there is no pipeline {asked.pipeline[:100]!r}; {hint}", field="pipeline")
    with _field("prompt"):
        pipeline.check_request(asked.prompt, asked.candidate)
    work = partial(pipeline.critique, asked.prompt, asked.candidate, caller.scope)
    return answer(dumped(await unless_gone(request, state.beside(caller, asked.pipeline, work))))


def _key_in(request: Request, caller: HttpCaller) -> Key:
    return caller.scope, request.path_params["run_id"]


# -- orders ----------------------------------------------------------------------------------------


def _order_of(asked: RunRequest, caller: HttpCaller, key: str | None) -> RunOrder:
    if (asked.pipeline is None) == (asked.graph is None):
        raise Problem("impossible", "name exactly one of pipeline and graph", field="pipeline")
    run_id = asked.run_id
    if run_id is None and key is not None:
        run_id = run_id_of_key(key)
    order = RunOrder(
        run_id=new_id("run") if run_id is None else check_run_id(run_id),
        name=asked.pipeline or asked.graph or "",
        scope=caller.scope,
        metadata=asked.metadata,
        token=caller.token_id,
        is_fresh=run_id is None,
    )
    if asked.pipeline is None:
        for name in ("prompt", "initial_candidate"):
            if getattr(asked, name) is not None:
                raise Problem("impossible", f"{name} belongs to a pipeline; a graph takes inputs", field=name)
        return replace(order, inputs=asked.inputs or {})
    if asked.inputs is not None:
        raise Problem("impossible", "inputs belong to a graph; a pipeline takes a prompt", field="inputs")
    if asked.prompt is None:
        raise Problem("impossible", "prompt: the field is missing", field="prompt")
    return replace(order, prompt=asked.prompt, initial=asked.initial_candidate)


def check_order(order: RunOrder, runs: ServedRuns) -> None:
    """Raise `Problem` ("impossible") if a run would be refused."""
    runs.check(order)
    served = runs.served[order.name]
    if isinstance(served, Graph):
        with _field("inputs"):
            served.check_request(order.inputs, order.run_id, order.metadata)
    else:
        with _field("prompt"):
            served.check_request(order.prompt or "", order.initial, order.run_id, order.metadata)


def run_id_of_key(key: str) -> str:
    """Return the id of the run that a header Idempotency-Key names. Raises `Problem` ("impossible")."""
    if not key.strip() or len(key) > 255:
        message = f"Idempotency-Key must have 1 to 255 characters, not only blanks, got {len(key)}"
        raise Problem("impossible", message, field="Idempotency-Key")
    return "run-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def check_run_id(run_id: str) -> str:
    """Return an id. Raises `Problem` ("impossible") if it cannot stand in an address."""
    fault = fault_of_run_id(run_id)
    if fault is not None:
        raise Problem("impossible", fault, field="run_id")
    return run_id


class _field:
    """Turns a `ConfigurationError` of the block into a `Problem` about a field."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ConfigurationError):
            name = next(
                (one for one in ("metadata", "initial_candidate", "run_id") if message_of(error).startswith(one)), None
            )
            raise Problem("impossible", message_of(error), field=name or self._name) from error


# -- answers ---------------------------------------------------------------------------------------


async def _view(
    request: Request,
    runs: ServedRuns,
    entry: Entry,
    *,
    with_result: bool = True,
    notes: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a run as JSON."""
    result = await runs.result_of(entry) if with_result else None
    return _told(request, entry, view_of(entry, result, runs.summary_now(entry), notes))


def _may_see(caller: HttpCaller, entry: Entry) -> bool:
    """Tell whether a caller sees the texts of a run: one who may only start runs sees those of its own token."""
    return "read" in caller.rights or entry.order.token == caller.token_id


def _told(request: Request, entry: Entry, shown: dict[str, Any]) -> dict[str, Any]:
    """Return a run with its addresses; where tokens are needed, without the texts of foreign exceptions."""
    if not _may_see(caller_of(request), entry):
        texts = ("prompt", "inputs", "initial_candidate", "metadata", "result", "error", "notes")
        shown |= dict.fromkeys(set(texts) & set(shown))
    shown["links"] = links_of(shown["run_id"], prefix_of(request))
    if caller_of(request).token is not None:
        shown["error"], shown["result"] = told_error(shown["error"]), told_result(shown["result"])
    return shown


async def _after(request: Request, runs: ServedRuns, entry: Entry, wait_s: float) -> Response:
    """Answer for a run that was accepted, at the latest after some seconds."""
    run = await runs.wait(entry.order.key, wait_s) if wait_s > 0 else None
    if run is None:
        entry = await runs.find(entry.order.key) if wait_s > 0 else entry
        shown = await _view(request, runs, entry)
    else:  # it may be over, and no longer among those in flight
        entry = run.entry
        shown = _told(request, entry, view_of(entry, run.result()))
    return answer(shown, 202 if entry.is_open else 200, {"location": shown["links"]["self"]})


async def _sent_events(state: ServerState, caller: HttpCaller, key: Key, after: int) -> AsyncGenerator[bytes]:
    """Yield events in pieces, so that a listener that does not read holds one, and comments while none come."""
    token = caller.token_id
    state.streams[token] = state.streams.get(token, 0) + 1
    state.metrics.stream(1)
    try:
        async with aclosing(_with_comments(state.runs.events(key, after))) as notes:
            async for note in notes:
                frame = b": ping\n\n" if note is None else note.frame(is_told=caller.token is not None)
                for begin in range(0, len(frame), _PIECE_BYTES):
                    yield frame[begin : begin + _PIECE_BYTES]
    finally:
        state.metrics.stream(-1)
        state.streams[token] -= 1
        if not state.streams[token]:
            del state.streams[token]


async def _with_comments(notes: AsyncGenerator[Note]) -> AsyncGenerator[Note | None]:
    """Yield the notes, and None after each 15 s without one."""
    coming: asyncio.Task[Note] | None = None
    try:
        while True:
            coming = coming or asyncio.ensure_future(anext(notes))
            await asyncio.wait({coming}, timeout=_PING_S)
            if not coming.done():
                yield None
                continue
            try:
                note = coming.result()
            except StopAsyncIteration:
                return
            coming = None
            yield note
    finally:
        if coming is not None and not coming.done():
            coming.cancel()
            await asyncio.wait({coming})
        await notes.aclose()


# -- parameters ------------------------------------------------------------------------------------


def _flag(text: str | None, name: str, *, usual: bool) -> bool:
    if text is None:
        return usual
    if text not in ("true", "false"):
        raise Problem("impossible", f"{name} must be true or false, got {text[:100]!r}", field=name)
    return text == "true"


def _query_of(asked: Mapping[str, str], caller: HttpCaller) -> RunQuery:
    tenant = asked.get("tenant")
    return RunQuery(
        scope=caller.scope if tenant is None or caller.token is not None else None,
        tenant=tenant,
        status=_one_of(STATUSES, asked.get("status"), "status"),
        name=asked.get("pipeline"),
        stop_reason=_one_of(_STOP_REASONS, asked.get("stop_reason"), "stop_reason"),
        since=_time_of(asked.get("since"), "since"),
        until=_time_of(asked.get("until"), "until"),
        text=asked.get("q", ""),
        sort=_one_of(SORTS, asked.get("sort"), "sort") or SORTS[1],
    )


def _one_of(known: Sequence[T], text: str | None, name: str) -> T | None:
    """Return the one that a parameter names; None without it. Raises `Problem` ("impossible")."""
    found = next((one for one in known if one == text), None)
    if text is not None and found is None:
        message = f"{name} must be one of {', '.join(map(str, known))}, got {text[:100]!r}"
        raise Problem("impossible", message, field=name)
    return found


def _time_of(text: str | None, name: str) -> datetime | None:
    """Return a time, in UTC where it has no zone. Raises `Problem` ("impossible")."""
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(_ZONE.sub(r"+\1", text))
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        message = f'{name} must be a time as in "2026-01-31T12:00:00Z", got {text[:100]!r}'
        raise Problem("impossible", message, field=name) from error


def _place_of(cursor: str | None, query: RunQuery) -> Place | None:
    if cursor is None:
        return None
    try:
        return after_cursor(cursor, query.sort)
    except (ValueError, RecursionError) as error:
        message = f"cursor must be next_cursor of a page of this list, got {cursor[:100]!r}"
        raise Problem("impossible", message, field="cursor") from error


def _wait_of(request: Request) -> float:
    text = request.query_params.get("wait")
    if text is None:
        return 0.0
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= _LONGEST_WAIT_S:
        message = f"wait must be a number of seconds from 0 to {_LONGEST_WAIT_S:g}, got {text[:100]!r}"
        raise Problem("impossible", message, field="wait")
    return seconds
