"""The connections that models share: one transport per base address and event loop, closed by whoever leaves last."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from functools import cache
from typing import Final
from weakref import WeakKeyDictionary, WeakSet

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

__all__ = ["Place", "connect", "disconnect", "new_transport"]

_IDLE_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where connections lead.

    Attributes:
        max_connections: how many there may be at once.
        is_kept: a connection serves one request after the other; False: one, and is closed then.
    """

    scheme: str
    host: str
    port: int | None
    max_connections: int
    is_kept: bool = True


@dataclass(slots=True, eq=False)
class _Shared:
    """A transport, the models that use it, and the generator whose end closes it."""

    transport: httpx.AsyncBaseTransport
    keeper: AsyncGenerator[None]
    users: WeakSet[object] = field(default_factory=WeakSet[object])


_shared: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Place, _Shared]]] = WeakKeyDictionary()


async def connect(place: Place, user: object) -> httpx.AsyncBaseTransport:
    """Return the transport to `place` on this event loop, and count `user` among those who use it.

    It is closed when its last user calls `disconnect`, at the latest when the event loop ends as `asyncio.run` ends it.
    """
    tls = await asyncio.to_thread(_tls) if place.scheme == "https" else None
    loop = asyncio.get_running_loop()
    for ended in [other for other in _shared if other.is_closed()]:
        del _shared[ended]
    places = _shared.setdefault(loop, {})
    shared = places.get(place)
    if shared is None:
        transport = new_transport(place.max_connections, tls, is_kept=place.is_kept)
        shared = places[place] = _Shared(transport, _keep(transport, place))
        await anext(shared.keeper)  # runs to its yield without waiting; the loop knows of it now, and will end it
    shared.users.add(user)
    return shared.transport


async def disconnect(place: Place, user: object) -> None:
    """Count `user` out, and close the transport to `place` on this event loop when nobody else uses it."""
    shared = _shared.get(asyncio.get_running_loop(), {}).get(place)
    if shared is None:
        return
    shared.users.discard(user)
    if not shared.users:
        await shared.keeper.aclose()


async def _keep(transport: httpx.AsyncBaseTransport, place: Place) -> AsyncGenerator[None]:
    """Hold a transport open. The loop, too, ends this generator, so that what nobody closed is closed with the loop."""
    try:
        yield
    finally:
        places = _shared.get(asyncio.get_running_loop(), {})
        places.pop(place, None)
        await transport.aclose()


def new_transport(
    max_connections: int, tls: ssl.SSLContext | None = None, *, is_kept: bool = True
) -> httpx.AsyncBaseTransport:
    """Return a transport of httpx whose connections are aiohttp's: see docs/planning/0015-language-models.md.

    It keeps no cookies, follows no redirect and reads no proxy from the environment.

    Args:
        tls: None for plain http, where no certificate is ever looked at.
        max_connections, is_kept: see `Place`.
    """
    context = tls or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

    def new_session() -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            limit=max_connections, keepalive_timeout=_IDLE_S if is_kept else None, force_close=not is_kept, ssl=context
        )
        return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar(), trust_env=False)

    return AiohttpTransport(verify=context, trust_env=False, client=new_session)


@cache
def _tls() -> ssl.SSLContext:
    """Return the context that all https connections use; SSL_CERT_FILE and SSL_CERT_DIR name other authorities."""
    return httpx.create_ssl_context(trust_env=True)
