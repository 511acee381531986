"""The resources: lessons like a query (SPEC C20), and runs."""

from __future__ import annotations

import json
import math
from typing import Annotated, Any, Final

from mcp.server.mcpserver import Context, MCPServer, ResourceSecurity
from mcp.server.mcpserver.exceptions import ResourceError
from pydantic import Field

from jido_ai.errors import ConfigurationError
from jido_ai.mcp.limits import LARGEST_LESSON, Caller, CallerOf, Permission, as_resource_error, check_run_id
from jido_ai.mcp.runs import Runner, RunReport
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.text.plain_json import dumped
from jido_ai.text.redaction import redact
from jido_ai.values import MemoryQuery, Scored

_JSON: Final = "application/json"
_MOST: Final = 20
_DIGITS: Final = 40
"""Most characters of a number in an address."""


class Resources:
    """The resources of a server."""

    def __init__(self, memory: ReflexionMemory, runner: Runner, caller_of: CallerOf) -> None:
        self._memory = memory
        self._runner = runner
        self._caller_of = caller_of

    def add_to(self, server: MCPServer[Any]) -> None:
        """Register the resources with a server."""
        server.resource(
            "memory://episode-memory{?query,min_similarity,top_k}",
            name="episode-memory",
            title="Lessons",
            description=(
                "Lessons like a query, nearest first: min_similarity in [0, 1] (0.70), top_k from 1 to 20 (3). "
                "Without a query the most important recent ones."
            ),
            mime_type=_JSON,
            security=ResourceSecurity(exempt_params=frozenset({"query", "min_similarity", "top_k"})),
        )(self.lessons)
        server.resource(
            "run://{run_id}",
            name="run",
            title="Run",
            description="A run: its status, and its result once it has ended.",
            mime_type=_JSON,
        )(self.run)

    async def lessons(
        self, context: Context[Any, Any], query: str = "", min_similarity: str = "0.70", top_k: str = "3"
    ) -> str:
        """Return the lessons like a query as JSON: {"data": [row]}, rows as in SPEC C21, each with its whole entry."""
        with as_resource_error():
            caller = self._permitted(context, "memory")
            if len(query) > LARGEST_LESSON:
                raise ConfigurationError(f"query has {len(query)} characters; the maximum is {LARGEST_LESSON}")
            least, most = _share("min_similarity", min_similarity), _count("top_k", top_k)
            if query.strip():
                found = await self._memory.retrieve_similar(query, most, least, scope=caller.scope)
            else:
                found = await self._memory.query(MemoryQuery(scope=caller.scope, k=most))
            data = [_row(one) for one in found]
            return json.dumps({"data": data}, ensure_ascii=False)

    async def run(self, context: Context[Any, Any], run_id: Annotated[str, Field()]) -> str:
        """Return a run as JSON."""
        with as_resource_error():
            check_run_id(run_id)
            report = await self._runner.load(run_id, self._permitted(context, "read").scope)
            return json.dumps(_map_of(report), ensure_ascii=False)

    def _permitted(self, context: Context[Any, Any], permission: Permission) -> Caller:
        caller = self._caller_of(context.request_context)
        if permission not in caller.may:
            raise ResourceError(f"the token lacks the scope {permission!r}")
        return caller


def _row(found: Scored) -> dict[str, Any]:
    entry = found.entry
    return {
        "id": entry.id,
        "query": entry.prompt,
        "reward": entry.reward,
        "reflection": entry.correction or entry.mistake or entry.answer,
        "similarity": found.similarity,
        "entry": dumped(entry),
    }


def _map_of(report: RunReport) -> dict[str, Any]:
    error = None if report.error is None else {**report.error, "message": redact(str(report.error.get("message")))}
    return {
        "run_id": report.run_id,
        "kind": report.kind,
        "name": report.name,
        "status": report.status,
        "result": report.result,
        "error": error,
        "waiting": [{"path": question.path, "text": question.text} for question in report.questions],
    }


def _share(name: str, text: str) -> float:
    try:
        value = float(text) if len(text) <= _DIGITS else math.nan
    except ValueError:
        value = math.nan
    if not 0.0 <= value <= 1.0:  # NaN fails too
        raise ConfigurationError(f"{name} must be a number from 0 to 1, got {text[:_DIGITS]!r}")
    return value


def _count(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS and 1 <= int(text) <= _MOST):
        raise ConfigurationError(f"{name} must be a whole number from 1 to {_MOST}, got {text[:_DIGITS]!r}")
    return int(text)
