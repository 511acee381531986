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
from jido_ai.comparing.answers import overviews
from jido_ai.errors import JidoError
from jido_ai.graph.graph import Graph
from jido_ai.graph.served import Served
from jido_ai.learning.cost_report import cost_report, costs_of_commands
from jido_ai.learning.progress_report import progress_report, report_map
from jido_ai.models.wrappers.ledger import MONTH_DAYS
from jido_ai.runs.leases import is_void, let_go, new_claim
from jido_ai.serve.answers import KnownParameters, answer, described, int_in, parameter
from jido_ai.serve.caller import Administrator, AnyReader, HttpCaller, Overseer, Reader
from jido_ai.serve.problems import Problem
from jido_ai.serve.scan import besides, kept_runs
from jido_ai.serve.state import ServerState, State
from jido_ai.values import Scope, utc_now

_READY_S: Final = 2.0
_MOST_DAYS: Final = 366
_COUNTS: Final = ("calls", "tokens", "known_usd", "unpriced_calls")


_DAYS: Final = {
    "parameters": [
        parameter(
            "days",
            description="Number of days, today included.",
            type="integer",
            minimum=1,
            maximum=_MOST_DAYS,
            default=MONTH_DAYS,
        )
    ]
}

router = APIRouter(tags=["server"], dependencies=[KnownParameters], default_response_class=Response)


@router.get("/healthz", summary="Is it alive?", responses=described("Health", "impossible"))
async def health() -> Response:
    return answer({"status": "ok"})


@router.get("/readyz", summary="Is it ready?", responses=described("Ready", "impossible", "busy", "model-unreachable"))
async def ready(state: State) -> Response:
    try:
        async with asyncio.timeout(_READY_S):
            await state.memory.count()
            await _write_something(state)
    except (JidoError, TimeoutError) as error:
        raise Problem("store-failed", f"the store does not answer: {type(error).__name__}", retry_after_s=5) from error
    if not state.runs.is_writing:
        raise Problem("store-failed", "no event is written any more; start the server again", retry_after_s=5)
    if state.runs.is_draining:
        raise Problem("busy", "the server is stopping", retry_after_s=5)
    models = await state.models.look()
    missing = [name for name, is_there in models.items() if not is_there]
    if missing:
        raise Problem("model-unreachable", f"cannot connect to {', '.join(missing)}", retry_after_s=5)
    served = {name: "running" if one.running_in is not None else "stopped" for name, one in state.served.items()}
    return answer({"status": "ok", "store": "ok", "models": dict.fromkeys(models, "ok"), "things": served})


@router.get(
    "/metrics",
    summary="Metrics for Prometheus",
    responses={
        **described(None, "impossible"),
        200: {"description": "Metrics.", "content": {"text/plain": {"schema": {"type": "string"}}}},
    },
)
async def metrics(request: Request, state: State, _: Administrator) -> Response:
    return Response(state.metrics.text(), media_type=state.metrics.content_type)


@router.get("/v1/things", summary="What can be run", responses=described("Things", "impossible"))
async def things(request: Request, state: State, _: AnyReader) -> Response:
    return answer({"data": [_about(name, one) for name, one in state.served.items()]})


@router.get("/v1/things/{name}/picture", include_in_schema=False)  # for the page
async def picture(request: Request, state: State, _: AnyReader) -> Response:
    graph = state.served.get(request.path_params["name"])
    if not isinstance(graph, Graph):
        raise Problem("not-found", "there is no graph of that name")
    return Response(await asyncio.to_thread(graph.draw, "svg"), media_type="image/svg+xml")


@router.get("/v1/tree", summary="The supervision tree", responses=described("Tree", "impossible"))
async def tree(request: Request, state: State, caller: Overseer) -> Response:
    systems = {id(node): node for node in (one.tree() for one in state.served.values())}
    nodes = [_node(node, caller) for node in systems.values()]
    return answer(
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


@router.get(
    "/v1/queues", summary="Queues of workers beside this memory", responses=described("Queues", "impossible", "busy")
)
async def queues(request: Request, state: State, caller: Overseer) -> Response:
    found = await state.queues.look()
    if "admin" not in caller.rights:  # runs of others are not the caller's business
        found = [{**queue, "handovers": [], "given_up": []} for queue in found]
    return answer({"data": found})


@router.get(
    "/v1/comparisons",
    summary="Comparisons in this memory, newest first",
    responses=described("Comparisons", "impossible"),
)
async def comparisons(request: Request, state: State, caller: Overseer) -> Response:
    is_open = "admin" in caller.rights  # they have the prompts of all scopes
    return answer({"data": await overviews(state.memory) if is_open else []})


@router.get("/v1/cost", summary="What runs cost", responses=described("Cost", "impossible"), openapi_extra=_DAYS)
async def cost(request: Request, state: State, caller: Reader) -> Response:
    days = int_in(request.query_params.get("days"), "days", 1, _MOST_DAYS, MONTH_DAYS)
    by_day, by_name = await _costs(state, caller, days)
    report: dict[str, Any] = {}
    if caller.token is None:  # the ledger has the calls of commands, too, and those of all scopes
        report["commands"] = await cost_report(state.memory, days=days)
        served = [*state.served, *by_name]
        for row in await costs_of_commands(state.memory, days=days, but=served):
            _add(by_day[row["day"]], row, runs=0)
            _add(by_name[row["label"]], row, runs=0)
    by_days: list[dict[str, Any]] = [{"day": day, **_known(sums)} for day, sums in sorted(by_day.items())]
    dearest = sorted(by_name.items(), key=lambda item: (-item[1]["known_usd"], -item[1]["calls"], item[0]))
    report |= {"days": days, "by_day": by_days, "by_name": [{"name": name, **_known(sums)} for name, sums in dearest]}
    total: dict[str, Any] = {name: sum(row[name] for row in by_days) for name in ("runs", *_COUNTS)}
    return answer({**report, "total": _known(total)})


@router.get(
    "/v1/progress",
    summary="How attempts develop, and whether lessons help",
    responses=described("Progress", "impossible"),
)
async def progress(request: Request, state: State, caller: Reader) -> Response:
    return answer(report_map(await progress_report(state.memory, caller.scope)))


async def _write_something(state: ServerState) -> None:
    """Write to the store, and take it back. Raises `StoreError` if it takes no writes, as on a full disk."""
    claim = new_claim("readyz//", Scope(), _READY_S)
    try:
        await state.memory.release(await state.memory.claim(claim, is_void))
    finally:
        let_go(claim)


def _about(name: str, served: Served) -> dict[str, Any]:
    if isinstance(served, Graph):
        nodes = [{"name": node, "kind": spec.kind} for node, spec in served.nodes.items()]
        edges = [[edge.source, edge.target] for edge in served.edges if edge.kind == "input"]
        return {"name": name, "kind": "graph", "inputs": list(served.inputs), "nodes": nodes, "edges": edges}
    config = served.config
    limits = {"max_iterations": config.max_iterations, "severity_threshold": config.severity_threshold}
    return {"name": name, "kind": "pipeline", "inputs": ["prompt"], **limits}


def _node(node: TreeNode, caller: HttpCaller) -> dict[str, Any]:
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


_Sums = defaultdict[str, dict[str, Any]]


async def _costs(state: ServerState, caller: HttpCaller, days: int) -> tuple[_Sums, _Sums]:
    """Return the cost of the caller's runs by day, and by name."""
    since = utc_now().date() - timedelta(days=days - 1)
    by_day: _Sums = defaultdict(lambda: {"runs": 0, **dict.fromkeys(_COUNTS, 0)})
    by_name: _Sums = defaultdict(lambda: {"runs": 0, **dict.fromkeys(_COUNTS, 0)})
    async with aclosing(kept_runs(state.memory, caller.scope)) as runs:
        async for _, entry in runs:
            if entry.updated_at.date() < since:
                break
            for day, counts in (entry.by_day or {entry.updated_at.date().isoformat(): None}).items():
                if day >= since.isoformat():
                    _add(by_day[day], counts)
            _add(by_name[entry.order.name], entry.summary)
    for one in await besides(state.memory, since, caller.scope):
        _add(by_day[one["day"]], one, runs=0)
        _add(by_name[one["name"]], one, runs=0)
    return by_day, by_name


def _add(sums: dict[str, Any], summary: Mapping[str, Any] | None, *, runs: int = 1) -> None:
    sums["runs"] += runs
    for count in _COUNTS:
        sums[count] += (summary or {}).get(count) or 0
    if summary is not None and "known_usd" not in summary:  # of an earlier version
        sums["known_usd"] += summary.get("cost_usd") or 0.0


def _known(sums: dict[str, Any]) -> dict[str, Any]:
    """Return the sums with their cost, None if it is only partly known."""
    return {**sums, "cost_usd": None if sums["unpriced_calls"] else sums["known_usd"]}
