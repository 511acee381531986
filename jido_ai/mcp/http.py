"""StreamableHTTP: an MCP server as an ASGI app, to be mounted in another one or served by itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Final, Self

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from jido_ai.errors import ConfigurationError
from jido_ai.mcp.limits import LARGEST_BODY

Message = MutableMapping[str, Any]
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
_MAX_SESSIONS: Final = 1000


class StreamableHTTP:
    """An MCP server over streamable HTTP: an ASGI app that answers at whatever path it is mounted.

    Use it in `async with` (a mounted app has no lifespan of its own), or let an ASGI server send it the lifespan. It
    may be entered again after it was left.

    Args:
        server: as `create_server` returns it.
        allowed_hosts: names that the Host header may have, with any port; another one is 421. None checks neither Host
            nor Origin, for a server that does it itself.
        max_body: bytes of a request; a longer one is 413.
        max_sessions: clients of older protocols at once, which have sessions.
    """

    def __init__(
        self,
        server: MCPServer[Any],
        *,
        allowed_hosts: Sequence[str] | None = _LOOPBACK,
        max_body: int = LARGEST_BODY,
        max_sessions: int = _MAX_SESSIONS,
    ) -> None:
        self._server = server
        self._security = _security(allowed_hosts)
        self._max_body = max_body
        self._max_sessions = max_sessions
        self._stack: AsyncExitStack | None = None

    async def __aenter__(self) -> Self:
        if self._stack is not None:
            raise ConfigurationError("the MCP server is already running; enter it once")
        self._server.streamable_http_app(  # makes a new session manager: each runs only once
            transport_security=self._security,
            max_request_body_size=self._max_body,
            max_sessions=self._max_sessions,
        )
        self._manager = self._server.session_manager
        stack = AsyncExitStack()
        await stack.enter_async_context(self._manager.run())
        self._stack = stack
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        stack, self._stack = self._stack, None
        if stack is not None:
            await stack.__aexit__(kind, error, trace)

    async def __call__(
        self,
        scope: Message,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        """Answer a request; see ASGI."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            if self._stack is None:
                raise ConfigurationError("the MCP server is not running; enter it in the lifespan of the app")
            await self._manager.handle_request(scope, receive, send)

    async def _live(
        self, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
    ) -> None:
        await receive()
        try:
            await self.__aenter__()
        except Exception as error:  # noqa: BLE001 - the ASGI server tells of it
            await send({"type": "lifespan.startup.failed", "message": f"{type(error).__name__}: {error}"})
            return
        try:
            await send({"type": "lifespan.startup.complete"})
            await receive()
        finally:
            await self.__aexit__(None, None, None)
        await send({"type": "lifespan.shutdown.complete"})


def _security(hosts: Sequence[str] | None) -> TransportSecuritySettings:
    if hosts is None:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    return TransportSecuritySettings(
        allowed_hosts=[one for host in hosts for one in (host, f"{host}:*")],
        allowed_origins=[one for origin in origins for one in (origin, f"{origin}:*")],
    )
