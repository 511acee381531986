"""Routes of runs: start, list, read, follow, cancel, resume, decide; and judging one candidate."""

from __future__ import annotations

import hashlib
import math
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import Any, Final

from fastapi import APIRouter
from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import Response

from jido_ai.errors import ConfigurationError, message_of
from jido_ai.graph.graph import Graph
from jido_ai.loop.pipeline import Pipeline
from jido_ai.serve.answers import answer, body_of, described, takes
from jido_ai.serve.bodies import CritiqueRequest, DecisionRequest, ResumeRequest, RunRequest
from jido_ai.serve.caller import Caller, caller_of
from jido_ai.serve.desk import RunDesk
from jido_ai.serve.entries import STATUSES, Entry, Order, links_of, view_of
from jido_ai.serve.problems import Problem
from jido_ai.serve.scan import kept_runs
from jido_ai.serve.state import ServerState
from jido_ai.text.plain_json import dumped
from jido_ai.values import new_id

__all__ = ["check_run_id", "routes", "view"]

_MOST_RUNS: Final = 1_000
_USUAL_RUNS: Final = 50
_LONGEST_WAIT_S: Final = 3_600.0
_ENDING_S: Final = 2.0
_PING_S: Final = 15
_SEND_S: Final = 60
_MOST_STREAMS: Final = 32
_WAIT: Final = {
    "name": "wait",
    "in": "query",
    "schema": {"type": "number", "minimum": 0, "maximum": _LONGEST_WAIT_S},
    "description": "Seconds to wait for the end: 200 with the result if it comes in time, else 202.",
}

_RESULTS: Final = {
    "name": "results",
    "in": "query",
    "schema": {"type": "string", "enum": ["true", "false"], "default": "true"},
    "description": "false leaves the results out (null); the summaries stay.",
}


def routes(state: ServerState) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["runs"])
    _add_many(router, state)
    _add_one(router, state)
    _add_deciding(router, state)
    return router


def _add_many(router: APIRouter, state: ServerState) -> None:
    desk = state.desk

    @router.post(
        "/v1/runs",
        summary="Start a run",
        status_code=202,
        responses=described(
            "Run", "not-json", "impossible", "conflict", "too-large", "timeout", "quota", "busy", s202="It was started."
        ),
        openapi_extra={
            **takes(RunRequest),
            "parameters": [
                _WAIT,
                {
                    "name": "Idempotency-Key",
                    "in": "header",
                    "schema": {"type": "string", "maxLength": 255},
                    "description": "Makes the request idempotent, as a run_id does; run_id comes first.",
                },
            ],
        },
    )
    async def start(request: Request) -> Response:
        caller = caller_of(request)
        caller.need("run")
        wait_s = _wait_of(request)
        key = request.headers.get("idempotency-key")
        asked = await body_of(request, RunRequest)
        order = _order_of(asked, caller, key, desk)
        entry, _ = await state.start(order, caller, is_fresh=asked.run_id is None and key is None)
        return await _after(desk, entry, wait_s)

    @router.get(
        "/v1/runs",
        summary="List runs, the one that changed last first",
        responses=described("Runs", "impossible"),
        openapi_extra={
            "parameters": [
                {"name": "status", "in": "query", "schema": {"type": "string", "enum": list(STATUSES)}},
                {
                    "name": "q",
                    "in": "query",
                    "schema": {"type": "string", "maxLength": 1_000},
                    "description": "Part of a prompt or an id.",
                },
                {
                    "name": "limit",
                    "in": "query",
                    "schema": {"type": "integer", "minimum": 1, "maximum": _MOST_RUNS, "default": _USUAL_RUNS},
                },
                {
                    "name": "cursor",
                    "in": "query",
                    "schema": {"type": "string", "pattern": "^[0-9]{1,18}$"},
                    "description": "next_cursor of the page before.",
                },
                _RESULTS,
            ]
        },
    )
    async def list_runs(request: Request) -> Response:
        caller = caller_of(request)
        caller.need("read")
        asked = request.query_params
        status = asked.get("status")
        if status is not None and status not in STATUSES:
            raise Problem(
                "impossible", f"status must be one of {', '.join(STATUSES)}, got {status[:100]!r}", field="status"
            )
        limit = int_in(asked.get("limit"), "limit", 1, _MOST_RUNS, _USUAL_RUNS)
        cursor = int_in(asked.get("cursor"), "cursor", 0, 10**18, 0)
        with_results = _flag(asked.get("results"), "results", usual=True)
        needle = asked.get("q", "").casefold()

        def fits(entry: Entry) -> bool:
            if status is not None and entry.status != status:
                return False
            order = entry.order
            said = (order.run_id, order.prompt or "", *map(str, (order.inputs or {}).values()))
            return not needle or any(needle in text.casefold() for text in said)

        found, next_cursor = await _page(desk, caller, cursor, limit, fits)
        data = [await view(desk, entry, with_result=with_results) for entry in found]
        return await answer({"data": data, "next_cursor": next_cursor})


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


def _add_one(router: APIRouter, state: ServerState) -> None:
    desk = state.desk

    @router.get(
        "/v1/runs/{run_id}",
        summary="Read a run",
        responses=described("Run", "not-found", "impossible"),
        openapi_extra={"parameters": [*_ID["parameters"], _RESULTS]},
    )
    async def read(request: Request) -> Response:
        caller = caller_of(request)
        caller.need("read")
        with_result = _flag(request.query_params.get("results"), "results", usual=True)
        entry = await desk.find((caller.scope, request.path_params["run_id"]))
        shown = await view(desk, entry, with_result=with_result)
        if with_result and entry.status == "suspended":
            shown = {**shown, "waiting": await desk.questions(entry)}
        return await answer(shown)

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
                *_ID["parameters"],
                {
                    "name": "Last-Event-ID",
                    "in": "header",
                    "schema": {"type": "string", "pattern": "^[0-9]{1,18}$"},
                    "description": "Number of the last event that was received.",
                },
            ]
        },
    )
    async def follow(request: Request) -> Response:
        caller = caller_of(request)
        caller.need("read")
        after = int_in(request.headers.get("last-event-id"), "Last-Event-ID", 0, 10**18, 0)
        key = (caller.scope, request.path_params["run_id"])
        await desk.find(key)
        if caller.token is not None and state.streams.get(caller.token_id, 0) >= _MOST_STREAMS:
            said = f"{_MOST_STREAMS} streams of events are open; that is the maximum for one token"
            raise Problem("quota", said, retry_after_s=5)
        return EventSourceResponse(_told(state, caller, key, after), ping=_PING_S, send_timeout=_SEND_S, sep="\n")


def _add_deciding(router: APIRouter, state: ServerState) -> None:
    desk = state.desk

    @router.post(
        "/v1/runs/{run_id}/cancel",
        summary="End a run soon, with its result so far",
        responses=described("Run", "not-found", "conflict", s202="It is ending."),
        openapi_extra=_ID,
    )
    async def cancel(request: Request) -> Response:
        caller = caller_of(request)
        caller.need("run")
        key = (caller.scope, request.path_params["run_id"])
        await desk.cancel(key)
        await desk.wait(key, _ENDING_S)
        entry = await desk.find(key)
        return await answer(await view(desk, entry), 202 if entry.is_open else 200)

    @router.post(
        "/v1/runs/{run_id}/resume",
        summary="Let a run go on that was suspended, cancelled or failed",
        responses=described(
            "Run", "not-found", "conflict", "impossible", "not-json", "too-large", "timeout", "busy", s202="It goes on."
        ),
        openapi_extra={**takes(ResumeRequest, is_required=False), "parameters": [*_ID["parameters"], _WAIT]},
    )
    async def resume(request: Request) -> Response:
        caller = caller_of(request)
        caller.need("run")
        wait_s = _wait_of(request)
        decision: object = None
        if request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers:
            decision = (await body_of(request, ResumeRequest)).decision
        entry = await desk.resume((caller.scope, request.path_params["run_id"]), decision)
        return await _after(desk, entry, wait_s)

    @router.post(
        "/v1/runs/{run_id}/approvals/{node}",
        summary="Answer a question of a run",
        description='A node of a graph by its path, as in "sections[3]"; of a pipeline "revision".',
        responses=described(
            "Run", "not-found", "conflict", "impossible", "not-json", "too-large", "timeout", "busy", s202="It goes on."
        ),
        openapi_extra={
            **takes(DecisionRequest),
            "parameters": [
                *_ID["parameters"],
                {"name": "node", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}},
                _WAIT,
            ],
        },
    )
    async def decide(request: Request) -> Response:
        caller = caller_of(request)
        caller.need("run")
        wait_s = _wait_of(request)
        asked = await body_of(request, DecisionRequest)
        key = (caller.scope, request.path_params["run_id"])
        entry = await desk.resume(key, {request.path_params["node"]: asked.decision})
        return await _after(desk, entry, wait_s)

    @router.post(
        "/v1/critiques",
        summary="Judge one candidate",
        responses=described(
            "Critique", "impossible", "not-json", "too-large", "timeout", "quota", "busy", "model-failed"
        ),
        openapi_extra=takes(CritiqueRequest),
    )
    async def critique(request: Request) -> Response:
        caller = caller_of(request)
        caller.need("run")
        asked = await body_of(request, CritiqueRequest)
        thing = desk.things.get(asked.pipeline)
        if not isinstance(thing, Pipeline):
            known = ", ".join(name for name, one in desk.things.items() if isinstance(one, Pipeline)) or "none"
            raise Problem(
                "impossible", f"there is no pipeline {asked.pipeline[:100]!r}; known: {known}", field="pipeline"
            )
        state.admit(caller)
        with _field("prompt"):
            thing.check_request(asked.prompt, asked.candidate)
        found = await thing.critique(asked.prompt, asked.candidate, caller.scope)
        return await answer({**dumped(found), "score": found.score, "accepted": _accepts(thing, found.severity)})


_ID: Final[dict[str, Any]] = {
    "parameters": [
        {
            "name": "run_id",
            "in": "path",
            "required": True,
            "schema": {"type": "string", "minLength": 1, "maxLength": 255},
        }
    ]
}


# -- orders ----------------------------------------------------------------------------------------


def _order_of(asked: RunRequest, caller: Caller, key: str | None, desk: RunDesk) -> Order:
    if (asked.pipeline is None) == (asked.graph is None):
        raise Problem("impossible", "name exactly one of pipeline and graph", field="pipeline")
    run_id = asked.run_id
    if run_id is None and key is not None:
        if not 1 <= len(key) <= 255:
            raise Problem("impossible", f"Idempotency-Key must have 1 to 255 characters, got {len(key)}")
        run_id = "run-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    run_id = new_id("run") if run_id is None else check_run_id(run_id)
    common: dict[str, Any] = {
        "run_id": run_id,
        "scope": caller.scope,
        "metadata": asked.metadata,
        "token": caller.token_id,
    }
    if asked.pipeline is not None:
        if asked.inputs is not None:
            raise Problem("impossible", "inputs belong to a graph; a pipeline takes a prompt", field="inputs")
        if asked.prompt is None:
            raise Problem("impossible", "prompt: the field is missing", field="prompt")
        order = Order(
            kind="pipeline", name=asked.pipeline, prompt=asked.prompt, initial=asked.initial_candidate, **common
        )
    else:
        assert asked.graph is not None
        for name in ("prompt", "initial_candidate"):
            if getattr(asked, name) is not None:
                raise Problem("impossible", f"{name} belongs to a pipeline; a graph takes inputs", field=name)
        order = Order(kind="graph", name=asked.graph, inputs=asked.inputs or {}, **common)
    check_order(order, desk)
    return order


def check_order(order: Order, desk: RunDesk) -> None:
    """Raise `Problem` ("impossible") if a run would be refused."""
    desk.check(order)
    thing = desk.things[order.name]
    if isinstance(thing, Graph):
        with _field("inputs"):
            thing.check_request(order.inputs, order.run_id, order.metadata)
    else:
        with _field("prompt"):
            thing.check_request(order.prompt or "", order.initial, order.run_id, order.metadata)


def check_run_id(run_id: str) -> str:
    """Return an id. Raises `Problem` ("impossible") if it cannot stand in an address."""
    if not run_id.isprintable() or "/" in run_id or run_id in (".", "..") or not 1 <= len(run_id) <= 255:
        raise Problem("impossible", 'run_id must be 1 to 255 printable characters without "/"', field="run_id")
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


def _accepts(pipeline: Pipeline, severity: float) -> bool:
    return severity < pipeline.config.severity_threshold


# -- answers ---------------------------------------------------------------------------------------


async def view(desk: RunDesk, entry: Entry, *, with_result: bool = True) -> Mapping[str, Any]:
    """Return a run as JSON."""
    result = await desk.result_of(entry) if with_result else None
    return view_of(entry, result, desk.summary_now(entry))


async def _after(desk: RunDesk, entry: Entry, wait_s: float) -> Response:
    """Answer for a run that was accepted, at the latest after some seconds."""
    job = await desk.wait(entry.order.key, wait_s) if wait_s > 0 else None
    if job is None:
        shown = await view(desk, entry)
    else:  # it may be over and gone from the desk
        entry = job.entry
        shown = view_of(entry, job.result())
    links = links_of(entry.order.run_id)
    return await answer(shown, 202 if entry.is_open else 200, {"location": links["self"]})


async def _page(
    desk: RunDesk, caller: Caller, cursor: int, limit: int, fits: Callable[[Entry], bool]
) -> tuple[list[Entry], str | None]:
    """Return runs that changed before the cursor, newest first, and the cursor of the next page."""
    found: list[Entry] = []
    last_row = 0
    async with aclosing(kept_runs(desk.memory, caller.scope, first=limit + 1)) as runs:
        async for row, kept in runs:
            entry = desk.current(kept)
            if (cursor and row >= cursor) or not fits(entry):
                continue
            if len(found) == limit:
                return found, str(last_row)
            found.append(entry)
            last_row = row
    return found, None


async def _told(state: ServerState, caller: Caller, key: Any, after: int) -> AsyncGenerator[dict[str, str]]:
    token = caller.token_id
    state.streams[token] = state.streams.get(token, 0) + 1
    state.metrics.stream(1)
    try:
        async for note in state.desk.events(key, after):
            yield {"id": str(note.seq), "event": note.to_map()["type"], "data": note.to_text()}
    finally:
        state.metrics.stream(-1)
        state.streams[token] -= 1
        if not state.streams[token]:
            del state.streams[token]


# -- parameters ------------------------------------------------------------------------------------


def int_in(text: str | None, name: str, least: int, most: int, usual: int) -> int:
    """Return a whole number of a query. Raises `Problem` ("impossible")."""
    if text is None:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) <= 18 and least <= int(text) <= most):
        raise Problem(
            "impossible", f"{name} must be a whole number from {least} to {most}, got {text[:100]!r}", field=name
        )
    return int(text)


def _flag(text: str | None, name: str, *, usual: bool) -> bool:
    if text is None:
        return usual
    if text not in ("true", "false"):
        raise Problem("impossible", f"{name} must be true or false, got {text[:100]!r}", field=name)
    return text == "true"


def _wait_of(request: Request) -> float:
    text = request.query_params.get("wait")
    if text is None:
        return 0.0
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= _LONGEST_WAIT_S:
        said = f"wait must be a number of seconds from 0 to {_LONGEST_WAIT_S:g}, got {text[:100]!r}"
        raise Problem("impossible", said, field="wait")
    return seconds
