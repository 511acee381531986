"""Routes of the memory: the lessons of the caller's scope; and reflecting on an episode of another agent."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, cast

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from jido_ai.errors import ConfigurationError, message_of
from jido_ai.learning.lesson_counts import LessonCounts, counts_by_id, counts_map, counts_of, heirs_of
from jido_ai.loop.memory import remember as remember_episodes
from jido_ai.reflection.reflector import reflected_outside
from jido_ai.serve.answers import KnownParameters, answer, body_of, checked_body, described, int_in, parameter, takes
from jido_ai.serve.bodies import GenerateRequest, entry_in
from jido_ai.serve.caller import Learner, unless_gone
from jido_ai.serve.problems import Problem
from jido_ai.serve.state import ServerState, State
from jido_ai.text.plain_json import dumped, plain
from jido_ai.values import Episode, Event, EventType, MemoryEntry, Scope

_MOST_FOUND: Final = 20
_USUAL_FOUND: Final = 5
_MOST_LISTED: Final = 1_000
_LONGEST_QUERY: Final = 100_000


router = APIRouter(tags=["memory"], dependencies=[KnownParameters], default_response_class=Response)


@router.get(
    "/v1/memory/search",
    summary="Find lessons for a prompt",
    responses=described("Found", "impossible"),
    openapi_extra={
        "parameters": [
            parameter("query", description="The task at hand; or give q.", type="string", minLength=1),
            parameter(
                "max_results",
                description="Most lessons.",
                type="integer",
                minimum=1,
                maximum=_MOST_FOUND,
                default=_USUAL_FOUND,
            ),
            parameter(
                "threshold",
                description="Least similarity; that of the memory if it is left out.",
                type="number",
                minimum=0,
                maximum=1,
            ),
            parameter("q", description="The same as query.", type="string", minLength=1),
            *(
                parameter(name, description="The same as max_results.", type="integer", minimum=1, maximum=_MOST_FOUND)
                for name in ("top_k", "k")
            ),
            parameter("min_similarity", description="The same as threshold.", type="number", minimum=0, maximum=1),
        ]
    },
)
async def search(request: Request, state: State, caller: Learner) -> Response:
    name, query = _given(request, "query", "q")
    if query is None or not query.strip() or len(query) > _LONGEST_QUERY:
        raise Problem("impossible", f"query must have 1 to {_LONGEST_QUERY} characters", field=name)
    name, text = _given(request, "max_results", "top_k", "k")
    count = int_in(text, name, 1, _MOST_FOUND, _USUAL_FOUND)
    name, text = _given(request, "threshold", "min_similarity")
    least = _share(text, name)
    found = await state.memory.retrieve_similar(query, count, least, scope=caller.scope)
    counts = {entry.id: counts_map(each) for entry, each in await _counted(state, [one.entry for one in found])}
    data = [{"entry": dumped(one.entry), "similarity": one.similarity} for one in found]
    return answer({"data": data, "counts": counts})


@router.get(
    "/v1/memory/entries",
    summary="List lessons, newest first",
    responses=described("Entries", "impossible"),
    openapi_extra={
        "parameters": [
            parameter(
                "limit",
                description="Maximum lessons on the page.",
                type="integer",
                minimum=1,
                maximum=_MOST_LISTED,
                default=50,
            ),
            parameter("cursor", description="next_cursor of the previous page.", type="string", pattern="^[0-9]{1,9}$"),
        ]
    },
)
async def entries(request: Request, state: State, caller: Learner) -> Response:
    asked = request.query_params
    limit = int_in(asked.get("limit"), "limit", 1, _MOST_LISTED, 50)
    offset = int_in(asked.get("cursor"), "cursor", 0, 10**9, 0)
    found = await state.memory.list_entries(caller.scope, limit + 1, offset)
    data = [dumped(entry) for entry in found[:limit]]
    counts = {entry.id: counts_map(one) for entry, one in await _counted(state, found[:limit])}
    cursor = str(offset + limit) if len(found) > limit else None
    return answer({"data": data, "next_cursor": cursor, "counts": counts})


@router.post(
    "/v1/memory/entries",
    summary="Remember a lesson",
    responses=described("MemoryEntry", "impossible", "not-json", "too-large", "timeout"),
    openapi_extra=takes("EntryRequest"),
)
async def remember(request: Request, state: State, caller: Learner) -> Response:
    entry = await checked_body(request, partial(entry_in, scope=caller.scope))
    try:
        stored = await state.memory.store(entry)
    except ConfigurationError as error:
        raise Problem("impossible", message_of(error)) from error
    return answer(dumped(stored))


@router.delete(
    "/v1/memory/entries",
    summary="Forget a lesson",
    responses=described("Forgotten", "not-found", "impossible"),
    openapi_extra={
        "parameters": [
            {**parameter("id", description="Id of the lesson.", type="string", minLength=1), "required": True}
        ]
    },
)
async def forget(request: Request, state: State, caller: Learner) -> Response:
    id_ = request.query_params.get("id", "")
    if not id_:
        raise Problem("impossible", "id: the parameter is missing", field="id")
    count = await state.memory.forget(id_, scope=caller.scope)
    if not count:
        raise Problem("not-found", f"there is no lesson {id_[:100]!r}")
    return answer({"forgotten": count})


@router.get("/v1/memory/stats", summary="Count lessons and their uses", responses=described("Stats", "impossible"))
async def stats(request: Request, state: State, caller: Learner) -> Response:
    kinds: Counter[str] = Counter()
    ids: list[tuple[Scope, str]] = []
    heirs: dict[tuple[Scope, str], str] = {}
    conflicts = 0
    async for entry in state.memory.entries(caller.scope):
        kinds[entry.kind.value] += 1
        ids.append((entry.scope, entry.id))
        heirs |= heirs_of(entry)
        conflicts += any(link.type == "contradicts" for link in entry.links)
    told = (await counts_by_id(state.memory, ids, heirs)).values()  # as each entry's own counts
    uses, successes = sum(one.shown for one in told), sum(one.shown_succeeded for one in told)
    counts = {"entries": kinds.total(), "kinds": dict(kinds), "uses": uses, "successes": successes}
    return answer({**counts, "conflicts": conflicts, "scope": dumped(caller.scope)})


@router.post(
    "/api/v1/reflections/generate",
    summary="Reflect on an episode of another agent, and remember the lesson",
    responses=described(
        "GeneratedReflection", "impossible", "not-json", "too-large", "timeout", "quota", "model-failed"
    ),
    openapi_extra=takes("GenerateRequest"),
)
async def generate(request: Request, state: State, caller: Learner) -> Response:
    asked = await body_of(request, GenerateRequest)
    scope = caller.scope
    if caller.token is None:
        scope = Scope(asked.tenant, asked.project)
    elif (asked.tenant, asked.project) != (scope.tenant, scope.project):
        raise Problem("forbidden", "tenant and project must be those of the token", field="tenant")
    episode = _episode_of(asked, scope)
    work = partial(reflected_outside, state.reflector, episode)
    reflection = await unless_gone(request, state.beside(caller, "reflections", work))
    stored = await remember_episodes(state.memory, [episode.replace(reflection=reflection)])
    return answer(
        {
            "reflection_id": stored[0].id if stored else episode.id,
            "reflection_text": stored[0].correction if stored else reflection.lesson,
            "strategy_text": reflection.strategy,
            "importance": reflection.importance,
            "confidence": reflection.confidence,
            "tags": list(stored[0].tags if stored else reflection.tags),
        }
    )


async def _counted(state: ServerState, entries: Sequence[MemoryEntry]) -> list[tuple[MemoryEntry, LessonCounts]]:
    counts = await counts_of(state.memory, entries)
    return [(entry, counts[entry.scope, entry.id]) for entry in entries]


def _given(request: Request, *names: str) -> tuple[str, str | None]:
    """Return name and value of the first of these parameters that is there; the first name and None without any."""
    asked = request.query_params
    name = next((one for one in names if one in asked), names[0])
    return name, asked.get(name)


def _share(text: str | None, name: str) -> float | None:
    if text is None:
        return None
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0.0 <= share <= 1.0:
        raise Problem("impossible", f"{name} must be a number from 0 to 1, got {text[:100]!r}", field=name)
    return share


def _episode_of(asked: GenerateRequest, scope: Scope) -> Episode:
    try:
        return Episode(
            asked.description or _text(asked.events[0])[:2_000] or "an episode",
            scope=scope,
            agent_id="http",
            session_id=asked.session_id,
            goal=asked.goal,
            outcome=asked.outcome,
            error=None if asked.error is None else _error(asked.error),
            events=tuple(_event(event) for event in asked.events),
            metadata={
                "outcome": None if asked.outcome is None else asked.outcome.value,
                **({"related_memory_ids": asked.related_memory_ids} if asked.related_memory_ids else {}),
                **({"error": dict(asked.error)} if isinstance(asked.error, dict) else {}),
            },
        )
    except ConfigurationError as error:
        raise Problem("impossible", message_of(error)) from error


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(plain(value), ensure_ascii=False)


def _error(value: object) -> str:
    """Return an error as a text: of an object, its kind and its message."""
    fields: Mapping[str, Any] = cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
    names = (("error_category", "category", "type"), ("error_message", "message"))
    told = [next((fields[name] for name in some if isinstance(fields.get(name), str)), None) for some in names]
    return ": ".join(filter(None, told)) if told[1] else _text(cast("object", value))


def _event(value: object) -> Event:
    fields: Mapping[str, Any] = cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
    kind = fields.get("type") or fields.get("event_type") or EventType.SYSTEM_EVENT
    given = {
        "id": fields.get("event_id", fields.get("id")),
        "timestamp": _time(fields.get("timestamp")),
        "metadata": fields.get("metadata"),
        "tool_name": fields.get("tool_name"),
        "error": None if fields.get("error") is None else _error(fields["error"]),
    }
    more = {name: one for name, one in given.items() if one is not None}
    return Event.model_validate({"type": kind, "content": _text(fields.get("content", value)), **more})


def _time(given: object) -> object:
    """Return a time in ISO 8601 as it is, in UTC if it names no zone."""
    try:
        time = datetime.fromisoformat(given) if isinstance(given, str) else None
    except ValueError:
        return given  # refused as a field of the event
    return time.replace(tzinfo=UTC) if time is not None and time.tzinfo is None else given
