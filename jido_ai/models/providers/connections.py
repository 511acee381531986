"""Shared connections: one pool for each base address and event loop, closed by its last user."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from functools import cache
from typing import Final
from weakref import WeakKeyDictionary, WeakSet

import httpx

from jido_ai.models.providers.exchange import Pool


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The destination of connections.

    Attributes:
        max_connections: maximum number of concurrent connections.
        proxy: the address of the proxy, which may have a password; "" is none.
    """

    scheme: str
    host: str
    port: int | None
    max_connections: int
    proxy: str = field(default="", repr=False)


@dataclass(slots=True, eq=False)
class _Shared:
    """A pool, the models that use it, and the generator whose end closes it."""

    pool: Pool
    keeper: AsyncGenerator[None]
    users: WeakSet[object] = field(default_factory=WeakSet[object])


_shared: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, dict[ServerAddress, _Shared]]] = WeakKeyDictionary()


async def connect(place: ServerAddress, user: object) -> Pool:
    """Return the connections to `place` on this event loop and register `user` as a user.

    They close when the last user calls `disconnect`, or when `asyncio.run` ends the event loop.
    """
    tls = await asyncio.to_thread(_tls) if place.scheme == "https" or place.proxy.startswith("https:") else None
    loop = asyncio.get_running_loop()
    for ended in [other for other in _shared if other.is_closed()]:
        del _shared[ended]
    places = _shared.setdefault(loop, {})
    shared = places.get(place)
    if shared is None:
        pool = Pool(place.max_connections, tls, place.proxy)
        shared = places[place] = _Shared(pool, _keep(pool, place))
        await anext(shared.keeper)  # runs to its yield without waiting; from now on the loop closes it at its end
    shared.users.add(user)
    return shared.pool


async def disconnect(place: ServerAddress, user: object) -> None:
    """Remove `user`; close the connections to `place` on this event loop if it was the last one."""
    shared = _shared.get(asyncio.get_running_loop(), {}).get(place)
    if shared is None:
        return
    shared.users.discard(user)
    if not shared.users:
        await shared.keeper.aclose()


async def _keep(pool: Pool, place: ServerAddress) -> AsyncGenerator[None]:
    """Keep a pool open. At its end, the event loop closes this generator and thus the pool."""
    try:
        yield
    finally:
        places = _shared.get(asyncio.get_running_loop(), {})
        places.pop(place, None)
        await pool.aclose()


@cache
def _tls() -> ssl.SSLContext:
    """Return the TLS context of all https connections; it honours SSL_CERT_FILE and SSL_CERT_DIR."""
    return httpx.create_ssl_context(trust_env=True)
