"""Guard: checks host, origin and token of every request, and adds headers to every answer.

A trailing slash of an address is left out, HEAD is answered like GET without the body, and paths are those below the
prefix under which the application is mounted or a proxy forwards to it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from collections import deque
from collections.abc import Awaitable, Callable, Generator, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from jido_ai.errors import ConfigurationError, message_of
from jido_ai.serve.caller import ANYBODY, HttpCaller
from jido_ai.serve.problems import Problem, openai_error, problem_of, speaks_openai, status_at
from jido_ai.serve.tokens import TokenFile

CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_log: Final = logging.getLogger("jido_ai.serve")
_OPEN: Final = frozenset({"/healthz", "/readyz"})
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_SECURITY: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", CSP.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
Message = MutableMapping[str, Any]


class RequestGuard:
    """Passes valid requests on to the application, and answers the others.

    Args:
        tokens: None: anybody on this machine may do everything, so foreign hosts and origins are refused: a web page
            could otherwise reach the server through the user's browser.
        page: paths of the observer's page, which has no data and is open.
        ready: called before the first request, to start what is not started.
        seen: called with method and status of every answer.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        tokens: TokenFile | None,
        page: frozenset[str],
        ready: Callable[[], Awaitable[None]],
        seen: Callable[[str, int], None],
    ) -> None:
        self._app = app
        self._tokens = tokens
        self._page = page
        self._ready = ready
        self._seen = seen
        self._turns = BodyTurns()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        method: str = scope["method"]
        is_head = method == "HEAD"
        path = path_in(scope)
        if path != "/" and path.endswith("/") and scope.get("raw_path", b"/").endswith(b"/"):  # no %2F
            path = path[:-1]
            scope = {**scope, "path": scope["path"][:-1]}
        if is_head and path != "/mcp":
            scope = {**scope, "method": "GET", "jido.is_head": True}
        has_begun = False

        async def answer(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                message["headers"] = [*_headers_of(message)]
                self._seen(method, message["status"])
            elif is_head:
                message = {**message, "body": b""}
            await send(message)

        try:
            if path not in _OPEN:
                await self._turns.take()
            scope["jido.caller"] = self._caller(scope, path)
            await self._ready()
            await self._app(scope, receive, answer)
        except ClientDisconnect:  # nobody reads an answer
            return
        except Exception as error:  # noqa: BLE001 - the caller is answered, and the log has it
            problem = problem_of(error)
            if problem.status == 500:
                lines = "".join(traceback.format_tb(error.__traceback__))  # of code; the message may quote a prompt
                _log.error("%s %s failed: %s\n%s", method, route_of(scope), type(error).__name__, lines)
                _log.debug("%s", path, exc_info=True)
            if has_begun:  # the server closes the connection, and logs what it is given
                raise RuntimeError(f"an answer broke off: {type(error).__name__}") from None
            await problem_response(problem, path)(scope, receive, answer)

    def _caller(self, scope: Scope, path: str) -> HttpCaller:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        if self._tokens is None:
            _check_host(headers)
            return ANYBODY
        if path in _OPEN or path in self._page:
            return HttpCaller(ANYBODY.scope, ())
        try:
            kind, _, text = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
            token = self._tokens.token_of(text.strip()) if kind.lower() == "bearer" else None
        except ConfigurationError as error:
            raise Problem("store-failed", message_of(error)) from error
        if token is None:
            raise Problem("unauthorized", "send a valid token: Authorization: Bearer TOKEN; see `jido token new`")
        return HttpCaller(token.scope, token.rights, token)


def path_in(scope: MutableMapping[str, Any]) -> str:
    """Return the path of a request below the prefix of the application."""
    path: str = scope["path"]
    prefix: str = scope.get("root_path", "").rstrip("/")
    return path[len(prefix) :] or "/" if prefix and (path == prefix or path.startswith(f"{prefix}/")) else path


def route_of(scope: MutableMapping[str, Any]) -> str:
    """Return the path of the route that takes a request, without what a caller chose; "" if there is none."""
    return str(getattr(scope.get("route"), "path", ""))


def _headers_of(message: Message) -> Generator[tuple[bytes, bytes]]:
    names: set[bytes] = set()
    for name, value in message["headers"]:
        names.add(name)
        yield name, value.replace(b"GET", b"GET, HEAD") if name == b"allow" else value
    yield from (one for one in _SECURITY if one[0] not in names)


def _check_host(headers: dict[bytes, bytes]) -> None:
    host = headers.get(b"host", b"").decode("latin-1")
    if _name_of(host) not in _LOOPBACK:
        raise Problem("foreign-host", f"this server answers for this machine only, not for {host[:100]!r}")
    origin = headers.get(b"origin")
    if origin is None:
        return
    text = origin.decode("latin-1")
    try:
        netloc = urlsplit(text).netloc
    except ValueError:
        netloc = ""
    if netloc != host:
        raise Problem("foreign-origin", f"requests from pages of {text[:100]!r} are refused")


def _name_of(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def problem_response(problem: Problem, path: str) -> Response:
    """Return the response of a problem at a path: in OpenAI's form behind its door, else as RFC 9457 says."""
    if speaks_openai(path):
        body, kind = {"error": openai_error(problem)}, "application/json"
    else:
        body, kind = problem.to_map(), "application/problem+json"
    return Response(json.dumps(body), status_at(path, problem), problem.headers(), kind)


# -- turns -----------------------------------------------------------------------------------------


_MOST: Final = 4


class BodyTurns:
    """Lets callers go on in the order they came, `most` of them per pass of the event loop.

    Args:
        most: at least 1. A request needs about 1 ms before it first waits.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._taken = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self) -> None:
        """Return when it is the caller's turn: at once, unless others wait or have just begun."""
        loop = asyncio.get_running_loop()
        if self._taken < self._most and not self._waiting:
            if self._taken == 0:
                loop.call_soon(self._renew, loop)
            self._taken += 1
            return
        turn = loop.create_future()
        self._waiting.append(turn)
        await turn

    def _renew(self, loop: asyncio.AbstractEventLoop) -> None:
        self._taken = 0
        while self._waiting and self._taken < self._most:
            turn = self._waiting.popleft()
            if not turn.done():  # its caller may have been cancelled
                turn.set_result(None)
                self._taken += 1
        if self._taken:
            loop.call_soon(self._renew, loop)
