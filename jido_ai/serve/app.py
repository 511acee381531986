"""`create_app`: pipelines, graphs and a memory as an ASGI application.

    app = create_app({"answer": pipeline}, memory="lessons.db")      # uvicorn module:app

It owns the life of what it is given: it starts with the server (or, mounted in another application, with the first
request) and leaves unfinished runs to the next start.
"""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, cast

from fastapi import APIRouter, FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jido_ai.errors import ConfigurationError, JidoError, StoreError, describe, message_of
from jido_ai.graph.graph import Graph
from jido_ai.graph.served import Served, checked_served, memory_named
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.wrappers.ledger import CostLedger
from jido_ai.serve.answers import body_within_limits
from jido_ai.serve.guard import RequestGuard, path_in, problem_response, route_of
from jido_ai.serve.problems import Problem, problem_of
from jido_ai.serve.routes import chat, responses, runs, status
from jido_ai.serve.routes import memory as memory_routes
from jido_ai.serve.schemas import components
from jido_ai.serve.state import ServerState
from jido_ai.serve.tokens import TokenFile

_log: Final = logging.getLogger("jido_ai.serve")
_ABOUT: Final = (
    "Critique-revise runs over HTTP: start them, follow them, decide, and read the lessons learned. "
    "A caller names what the server offers, and never sends a model address, a tool, a path or code."
)
_ORIGIN: Final = re.compile(r"https?://(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")


def create_app(
    things: Mapping[str, Served],
    *,
    memory: ReflexionMemory | str | Path | None = None,
    tokens: str | Path | None = None,
    max_runs: int = 64,
    max_queue: int = 1_000,
    reflector: Any = None,
    monthly_usd: float | None = None,
    allowed_origins: Sequence[str] = (),
) -> FastAPI:
    """Return an ASGI application that serves pipelines and graphs.

    Args:
        things: by the names under which callers know them. One that is not entered is entered and left with the server;
            one without a memory gets the server's.
        memory: keeps lessons, journals and accepted runs: a path, an address, or a `ReflexionMemory`. None keeps all in
            this process. One that is open stays open.
        tokens: file of `jido token new`; None: only clients on this machine are answered, without a token.
        max_runs: runs that are carried out at once, at least 1.
        max_queue: accepted runs that wait for their turn, at least 0; past it, 503.
        reflector: for `POST /api/v1/reflections/generate`; None: one without a model.
        monthly_usd: limit for the calls of any 30 days, above 0; None is no limit. Calls of models with a cost ledger,
            as those given by name have, are recorded in the memory, by the name of the pipeline or graph.
        allowed_origins: websites whose pages may ask with a token, as in "https://app.example"; only with tokens, and
            no wildcards.

    Raises:
        ConfigurationError: an argument can never work.
    """
    served = checked_served(things)
    for name, value, least in (("max_runs", max_runs, 1), ("max_queue", max_queue, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ConfigurationError(f"{name} must be a whole number of at least {least}, got {describe(value)}")
    CostLedger(monthly_usd=monthly_usd)  # checks it
    token_file = None if tokens is None else TokenFile(Path(tokens))
    origins = _checked_origins(allowed_origins, has_tokens=token_file is not None)
    state = ServerState(
        served,
        memory_named(memory),
        token_file,
        max_runs=max_runs,
        max_queue=max_queue,
        reflector=reflector,
        monthly_usd=monthly_usd,
    )

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncGenerator[None]:
        try:
            await state.open()
            yield
        finally:
            await state.close()

    app = FastAPI(
        title="jido_ai",
        description=_ABOUT,
        version="1",
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        redirect_slashes=False,
        middleware=[
            *([_cors(origins)] if origins else []),
            Middleware(RequestGuard, tokens=token_file, page=PAGE_PATHS, ready=state.open, seen=state.metrics.seen),
        ],
    )
    app.state.jido = state
    for group in (runs, chat, responses, memory_routes, status):
        app.include_router(group.router)
    app.include_router(page_routes())
    _open_mcp_door(app, state)
    for kind in (JidoError, Problem, HTTPException):
        app.add_exception_handler(kind, _answer_error)
    _describe(app, served, has_tokens=token_file is not None)
    return app


def _checked_origins(origins: Sequence[str], *, has_tokens: bool) -> tuple[str, ...]:
    if isinstance(origins, str):
        raise ConfigurationError(f"allowed_origins must be a list, got the text {origins!r}")
    if origins and not has_tokens:
        raise ConfigurationError("allowed_origins need tokens: without them, only this machine is answered")
    for origin in origins:
        if not isinstance(origin, str) or _ORIGIN.fullmatch(origin) is None:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigurationError(
                f"allowed_origins: {describe(origin)} is not an origin; give scheme, host and port, as in "
                '"https://app.example" or "http://localhost:3000", without a wildcard or a path'
            )
    return tuple(origin.lower() for origin in origins)


def _cors(origins: Sequence[str]) -> Middleware:
    """Return the answers to browsers: pages of these websites may ask, and read the answers."""
    return Middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=("GET", "HEAD", "POST", "DELETE"),
        allow_headers=("*",),
        expose_headers=("Location", "Retry-After", "Mcp-Session-Id"),
    )


def _open_mcp_door(app: FastAPI, state: ServerState) -> None:
    """Answer MCP clients at /mcp, if the package mcp is there."""
    if find_spec("mcp") is None:  # an extra of its own
        return
    from jido_ai.mcp.http import StreamableHTTP  # noqa: PLC0415
    from jido_ai.mcp.server import create_server  # noqa: PLC0415
    from jido_ai.serve.mcp_door import OwnSessions, ServedRunner, caller_of  # noqa: PLC0415

    server = create_server(state.served, memory=state.memory, runner=ServedRunner(state), caller_of=caller_of)
    door = StreamableHTTP(server, allowed_hosts=None)  # the guard looks at the host
    state.doors.append(door)
    app.router.routes.append(Route("/mcp", _Whole(OwnSessions(door)), methods=None, include_in_schema=False))


class _Whole:
    """Reads the body of a request within the limits of its token, and then passes it on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body: bytes | None = await body_within_limits(Request(scope, receive)) if scope["method"] == "POST" else b""

        async def received() -> Message:
            nonlocal body
            if body is None or scope["method"] != "POST":
                return await receive()
            whole, body = body, None
            return {"type": "http.request", "body": whole, "more_body": False}

        await self._app(scope, received, send)


def state_of(app: FastAPI) -> ServerState:
    """Return the state of an application."""
    return cast("ServerState", app.state.jido)


def _names(served: Mapping[str, Served]) -> tuple[list[str], list[str]]:
    """Return the names of the pipelines, and of the graphs."""
    graphs = [name for name, one in served.items() if isinstance(one, Graph)]
    return [name for name in served if name not in graphs], graphs


async def _answer_error(request: Request, error: Exception) -> Response:
    if isinstance(error, StoreError):
        _log.error("%s %s: %s: %s", request.method, route_of(request.scope), type(error).__name__, message_of(error))
    response = problem_response(_problem_of(error), path_in(request.scope))
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response


def _problem_of(error: Exception) -> Problem:
    if not isinstance(error, HTTPException):
        return problem_of(error)
    match error.status_code:
        case 404:
            return Problem("not-found", "there is no such address; /openapi.json lists all")
        case 405:
            return Problem("method-not-allowed", "the address exists, but not with this method; see the header Allow")
        case _:
            return Problem("malformed", str(error.detail))


def _describe(app: FastAPI, served: Mapping[str, Served], *, has_tokens: bool) -> None:
    """Complete the OpenAPI document with the schemas of bodies and answers."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is not None:
            return app.openapi_schema
        document = plain()
        parts = document.setdefault("components", {})
        parts["schemas"] = {**parts.get("schemas", {}), **components(_names(served))}
        if has_tokens:
            parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            document["security"] = [{"token": []}]
            for path in ("/healthz", "/readyz"):
                document["paths"][path]["get"]["security"] = []
        app.openapi_schema = document
        return document

    app.openapi = openapi  # type: ignore[method-assign]


# -- page ------------------------------------------------------------------------------------------


_KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FOLDER: Final = resources.files("jido_ai.serve") / "observer"


def _files() -> dict[str, tuple[bytes, str]]:
    """Return content and media type of each file, by its path on the server."""
    found: dict[str, tuple[bytes, str]] = {}
    for file in sorted(_FOLDER.iterdir(), key=lambda one: one.name):
        kind = _KINDS.get(file.name[file.name.rfind(".") :])
        if kind is not None:
            path = "/" if file.name == "index.html" else f"/observer/{file.name}"
            found[path] = (file.read_bytes(), kind)
    return found


_FILES: Final = _files()
PAGE_PATHS: Final = frozenset(_FILES)
"""Where the page's files are; they have no data."""


def page_routes() -> APIRouter:
    """Return the routes of the page."""
    router = APIRouter()
    for path, (content, kind) in _FILES.items():
        router.add_api_route(path, _sender(content, kind), include_in_schema=False, methods=["GET"])
    return router


def _sender(content: bytes, kind: str):
    async def send() -> Response:
        return Response(content, media_type=kind, headers={"cache-control": "no-cache"})

    return send
