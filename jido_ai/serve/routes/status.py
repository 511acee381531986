"""Routes of the server itself: health, metrics, the supervision tree, cost and progress."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from contextlib import aclosing
from datetime import timedelta
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from jido_ai.actors.system import TreeNode
from jido_ai.errors import JidoError
from jido_ai.graph.graph import Graph
from jido_ai.learning.cost_report import cost_report
from jido_ai.learning.progress_report import progress_report, report_map
from jido_ai.models.wrappers.monthly_budget import MONTH_DAYS
from jido_ai.serve.answers import answer, described
from jido_ai.serve.caller import Caller, caller_of
from jido_ai.serve.problems import Problem
from jido_ai.serve.routes.runs import int_in
from jido_ai.serve.scan import kept_runs
from jido_ai.serve.state import ServerState
from jido_ai.values import utc_now

__all__ = ["routes"]

_READY_S: Final = 2.0
_MOST_DAYS: Final = 366
_COUNTS: Final = ("calls", "tokens", "cost_usd")


def routes(state: ServerState) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["server"])
    desk = state.desk

    @router.get("/healthz", summary="Is it alive?", responses=described("Health"))
    async def health() -> Response:
        return await answer({"status": "ok"})

    @router.get("/readyz", summary="Can it work?", responses=described("Ready", "busy", "model-unreachable"))
    async def ready() -> Response:
        try:
            async with asyncio.timeout(_READY_S):
                await state.memory.count()
        except (JidoError, TimeoutError) as error:
            raise Problem(
                "store-failed", f"the store does not answer: {type(error).__name__}", retry_after_s=5
            ) from error
        if desk.is_draining:
            raise Problem("busy", "the server is stopping", retry_after_s=5)
        models = await state.models.look()
        missing = [name for name, is_there in models.items() if not is_there]
        if missing:
            raise Problem("model-unreachable", f"cannot connect to {', '.join(missing)}", retry_after_s=5)
        things = {name: "running" if thing.running_in is not None else "stopped" for name, thing in desk.things.items()}
        return await answer({"status": "ok", "store": "ok", "models": dict.fromkeys(models, "ok"), "things": things})

    @router.get(
        "/metrics",
        summary="Metrics for Prometheus",
        responses={
            **described(None),
            200: {"description": "Metrics.", "content": {"text/plain": {"schema": {"type": "string"}}}},
        },
    )
    async def metrics(request: Request) -> Response:
        caller_of(request).need("admin")
        return Response(state.metrics.text(), media_type=state.metrics.content_type)

    @router.get("/v1/things", summary="What can be run", responses=described("Things"))
    async def things(request: Request) -> Response:
        caller_of(request).need("read", "run")
        return await answer({"data": [_about(name, thing) for name, thing in desk.things.items()]})

    @router.get("/v1/things/{name}/picture", summary="The picture of a graph", responses=_PICTURE, openapi_extra=_NAME)
    async def picture(request: Request) -> Response:
        caller_of(request).need("read", "run")
        thing = desk.things.get(request.path_params["name"])
        if not isinstance(thing, Graph):
            raise Problem("not-found", "there is no graph of that name")
        return Response(await asyncio.to_thread(thing.draw, "svg"), media_type="image/svg+xml")

    @router.get("/v1/tree", summary="The supervision tree", responses=described("Tree"))
    async def tree(request: Request) -> Response:
        caller = caller_of(request)
        caller.need("read")
        systems = {id(node): node for node in (thing.tree() for thing in desk.things.values())}
        nodes = [_node(node, caller) for node in systems.values()]
        return await answer(
            {
                "name": "jido serve",
                "kind": "server",
                "status": "running",
                "restarts": 0,
                "mailbox": 0,
                "messages": 0,
                "children": nodes,
            }
        )

    @router.get("/v1/queues", summary="Queues of workers beside this memory", responses=described("Queues", "busy"))
    async def queues(request: Request) -> Response:
        caller = caller_of(request)
        caller.need("read")
        found = await state.queues.look()
        if "admin" not in caller.rights:  # runs of others are not the caller's business
            found = [{**queue, "handovers": []} for queue in found]
        return await answer({"data": found})

    @router.get("/v1/cost", summary="What runs cost", responses=described("Cost", "impossible"), openapi_extra=_DAYS)
    async def cost(request: Request) -> Response:
        caller = caller_of(request)
        caller.need("read")
        days = int_in(request.query_params.get("days"), "days", 1, _MOST_DAYS, MONTH_DAYS)
        by_day, by_name = await _costs(state, caller, days)
        told: dict[str, Any] = {"days": days, "by_day": by_day, "by_name": by_name, "total": _sum(by_day)}
        if caller.token is None:  # the ledger has the calls of commands, too, and those of all scopes
            told["commands"] = await cost_report(state.memory, days=days)
        return await answer(told)

    @router.get(
        "/v1/progress", summary="How attempts develop, and whether lessons help", responses=described("Progress")
    )
    async def progress(request: Request) -> Response:
        caller = caller_of(request)
        caller.need("read")
        return await answer(report_map(await progress_report(state.memory, caller.scope)))

    return router


_PICTURE: Final = {
    **described(None, "not-found"),
    200: {"description": "SVG.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}},
}
_NAME: Final[dict[str, Any]] = {
    "parameters": [{"name": "name", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}]
}
_DAYS: Final[dict[str, Any]] = {
    "parameters": [
        {
            "name": "days",
            "in": "query",
            "schema": {"type": "integer", "minimum": 1, "maximum": _MOST_DAYS, "default": MONTH_DAYS},
        }
    ]
}


def _about(name: str, thing: Any) -> dict[str, Any]:
    if isinstance(thing, Graph):
        nodes = [{"name": node, "kind": spec.kind} for node, spec in thing.nodes.items()]
        edges = [[edge.source, edge.target] for edge in thing.edges if edge.kind == "input"]
        return {"name": name, "kind": "graph", "inputs": list(thing.inputs), "nodes": nodes, "edges": edges}
    config = thing.config
    limits = {"max_iterations": config.max_iterations, "severity_threshold": config.severity_threshold}
    return {"name": name, "kind": "pipeline", "inputs": ["prompt"], **limits}


def _node(node: TreeNode, caller: Caller) -> dict[str, Any]:
    """Return a part of the tree; runs of others are only counted, as their ids are not the caller's business."""
    children = node.children
    if "admin" not in caller.rights and node.name.endswith(".runs"):
        children = ()
    return {
        "name": node.name,
        "kind": node.kind,
        "status": node.status,
        "restarts": node.restarts,
        "reason": node.reason,
        "mailbox": node.mailbox,
        "messages": node.messages,
        "count": len(node.children),
        "children": [_node(child, caller) for child in children],
    }


async def _costs(state: ServerState, caller: Caller, days: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the cost of the caller's runs by day, oldest first, and by what was run, dearest first."""
    since = utc_now().date() - timedelta(days=days - 1)
    by_day: defaultdict[str, dict[str, Any]] = defaultdict(lambda: {"runs": 0, **dict.fromkeys(_COUNTS, 0)})
    by_name: defaultdict[str, dict[str, Any]] = defaultdict(lambda: {"runs": 0, **dict.fromkeys(_COUNTS, 0)})
    async with aclosing(kept_runs(state.memory, caller.scope)) as runs:
        async for _, entry in runs:
            if entry.updated_at.date() < since:
                break
            _add(by_day[entry.updated_at.date().isoformat()], entry.summary)
            _add(by_name[entry.order.name], entry.summary)
    days_in_order = [{"day": day, **sums} for day, sums in sorted(by_day.items())]
    dearest = sorted(by_name.items(), key=lambda item: (-item[1]["cost_usd"], -item[1]["calls"], item[0]))
    return days_in_order, [{"name": name, **sums} for name, sums in dearest]


def _add(sums: dict[str, Any], summary: Mapping[str, Any] | None) -> None:
    sums["runs"] += 1
    for count in _COUNTS:
        sums[count] += (summary or {}).get(count) or 0


def _sum(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {name: sum(row[name] for row in rows) for name in ("runs", *_COUNTS)}
