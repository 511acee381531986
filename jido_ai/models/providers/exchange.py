"""One POST request and its response, over aiohttp or through an httpx transport given by the caller.

httpx's request and response objects take a fifth of a call's time, so only httpx transports use them: see
docs/planning/archive/0015-language-models.md.
"""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64encode
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextvars import Context, ContextVar
from typing import Any, Final, Protocol, cast

import aiohttp
import httpx
from aiohttp.abc import AbstractStreamWriter
from aiohttp.client_proto import ResponseHandler

CONNECT_S: Final = 10.0
"""Seconds that a connection may take to open."""
_IDLE_S: Final = 30.0
_PIECE_BYTES: Final = 16 * 1024
_UPLOAD_BYTES: Final = 256 * 1024
Headers = Sequence[tuple[str, str]]


class StaleConnectionError(Exception):
    """The server had closed a reused connection: not a byte of a response came, and the request can be sent again."""


class Incoming(Protocol):
    """A response whose body has not been read yet.

    Attributes:
        status: the HTTP status.
        headers: by name, in lower case.
    """

    status: int
    headers: Mapping[str, str]

    async def next(self) -> bytes:
        """Return the next chunk of the body, or b"" at the end."""
        ...

    async def close(self) -> None:
        """Return the connection to its pool, or close it if the body was not fully read."""
        ...


class Exchange(Protocol):
    """Sends requests. Raises the errors of httpx and aiohttp."""

    async def post(self, url: str, headers: Headers, body: Upload) -> Incoming:
        """Send a request and return the beginning of the response. Redirects are not followed.

        Raises:
            StaleConnectionError: the connection was reused, and closed.
        """
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...


class Upload(httpx.AsyncByteStream):
    """A request body, sent once. A large one is sent in pieces, so that it does not block the event loop.

    Closes the request in flight, whose response may take a minute.

    Attributes:
        size: in bytes.
    """

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.size = len(content)

    @property
    def is_large(self) -> bool:
        """True if the body is sent in more than one piece."""
        return self.size > _UPLOAD_BYTES

    def take(self) -> bytes:
        """Return the whole body, once."""
        content, self._content = self._content, b""
        return content

    async def __aiter__(self) -> AsyncIterator[bytes]:
        content = self.take()
        for start in range(0, len(content), _UPLOAD_BYTES):
            yield content[start : start + _UPLOAD_BYTES]


class _Payload(aiohttp.Payload):
    """An `Upload` as an aiohttp payload; aiohttp's own payload for iterators takes three times as long.

    It cannot be sent twice. aiohttp only resends for redirects and idempotent requests, which we do not make.
    """

    _autoclose = True

    def __init__(self, body: Upload) -> None:
        super().__init__(body)
        self._size = body.size

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """Raise `TypeError`: the body is not kept."""
        raise TypeError("a request body cannot be read")

    async def write(self, writer: AbstractStreamWriter) -> None:
        """Send it."""
        await self.write_with_length(writer, None)

    async def write_with_length(self, writer: AbstractStreamWriter, content_length: int | None) -> None:
        """Send the body; `content_length` is ignored."""
        self._consumed = True
        body: Upload = self._value
        if not body.is_large:
            await writer.write(body.take())
            return
        async for piece in body:
            await writer.write(piece)


def _headers_of(raw: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in raw}


# -- aiohttp ---------------------------------------------------------------------------------------

_reuses: Final[ContextVar[bool]] = ContextVar("_reuses")
"""False after the request that this task makes had to open a connection."""


class _Connector(aiohttp.TCPConnector):
    """Opens connections in an empty context: they keep it, and the context of a call would keep its run in memory."""

    async def _create_connection(
        self, req: aiohttp.ClientRequest, traces: list[Any], timeout: aiohttp.ClientTimeout
    ) -> ResponseHandler:
        _reuses.set(False)
        opening = asyncio.get_running_loop().create_task(
            super()._create_connection(req, traces, timeout), context=Context()
        )
        try:
            return await opening
        except asyncio.CancelledError:
            if opening.done() and not opening.cancelled() and opening.exception() is None:
                opening.result().close()  # opened just after the cancellation
            raise


def _proxied(address: str) -> Callable[[], dict[str, Any]]:
    """Return a function that returns the arguments for a proxy, so that its password is in no attribute."""
    if not address:
        return dict[str, Any]
    url = httpx.URL(address)
    given: dict[str, Any] = {"proxy": str(url.copy_with(userinfo=b""))}
    if url.userinfo:
        user = b64encode(f"{url.username}:{url.password}".encode()).decode("ascii")
        given["proxy_headers"] = {"proxy-authorization": f"Basic {user}"}
    return lambda: given


class Pool:
    """Connections of aiohttp. Keeps no cookies and follows no redirect.

    Args:
        tls: None for plain http.
        proxy: its address, with user and password if it wants them; "" is none.
    """

    def __init__(self, max_connections: int, tls: ssl.SSLContext | None = None, proxy: str = "") -> None:
        self._proxy = _proxied(proxy)
        connector = _Connector(
            limit=max_connections,
            keepalive_timeout=_IDLE_S,
            ssl=tls or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            auto_decompress=False,
            timeout=aiohttp.ClientTimeout(sock_connect=CONNECT_S),
        )

    async def post(self, url: str, headers: Headers, body: Upload) -> _AiohttpIncoming:
        """Send a request and return the beginning of the response. May raise `StaleConnectionError`."""
        _reuses.set(True)
        try:
            response = await self._session.request(
                "POST", url, headers=headers, data=_Payload(body), allow_redirects=False, **self._proxy()
            )
        except aiohttp.ClientConnectionError:
            if not _reuses.get():
                raise
        else:
            return _AiohttpIncoming(response)
        raise StaleConnectionError  # outside `except`, so that nothing with the headers is chained to it

    async def aclose(self) -> None:
        """Close all connections."""
        await self._session.close()


class _AiohttpIncoming:
    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self.status: int = response.status
        self.headers: Mapping[str, str] = _headers_of(response.raw_headers)
        self._response = response

    async def next(self) -> bytes:
        return await self._response.content.read(_PIECE_BYTES)

    async def close(self) -> None:
        self._response.release()
        await self._response.wait_for_close()


# -- httpx -----------------------------------------------------------------------------------------


class GivenTransport:
    """An httpx transport of the caller, who closes it."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport

    async def post(self, url: str, headers: Headers, body: Upload) -> _HttpxIncoming:
        """Send a request and return the beginning of the response."""
        request = httpx.Request(  # with stream=, httpx adds no headers; all are there
            "POST",
            url,
            headers=headers,
            stream=body if body.is_large else httpx.ByteStream(body.take()),
            extensions={"timeout": {"connect": CONNECT_S}},
        )
        if not body.is_large:
            request.read()
        return _HttpxIncoming(await self._transport.handle_async_request(request))

    async def aclose(self) -> None:
        """Do nothing: the owner closes the transport."""


class _HttpxIncoming:
    def __init__(self, response: httpx.Response) -> None:
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = _headers_of(response.headers.raw)
        self._response = response
        self._pieces: AsyncIterator[bytes] | None = None

    async def next(self) -> bytes:
        if self._pieces is None:
            self._pieces = aiter(cast("httpx.AsyncByteStream", self._response.stream))
        while (piece := await anext(self._pieces, None)) is not None:
            if piece:
                return piece
        return b""

    async def close(self) -> None:
        if isinstance(self._pieces, AsyncGenerator):
            await cast("AsyncGenerator[bytes]", self._pieces).aclose()
        await self._response.aclose()
