"""One POST request and its response, over aiohttp or through an httpx transport given by the caller.

httpx's own requests and responses would be a fifth of what a call costs, so they are made for such a transport only:
see docs/planning/0015-language-models.md.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextvars import Context
from typing import Any, Final, Protocol, cast

import aiohttp
import httpx
from aiohttp.abc import AbstractStreamWriter
from aiohttp.client_proto import ResponseHandler

__all__ = ["CONNECT_S", "Exchange", "GivenTransport", "Incoming", "Pool", "Upload"]

CONNECT_S: Final = 10.0
"""Seconds that a connection may take to open."""
_IDLE_S: Final = 30.0
_PIECE_BYTES: Final = 16 * 1024
_UPLOAD_BYTES: Final = 256 * 1024
Headers = Sequence[tuple[str, str]]


class Incoming(Protocol):
    """An answer whose body is still on its way.

    Attributes:
        status, headers: as they came; names of headers in lower case.
    """

    status: int
    headers: Mapping[str, str]

    async def next(self) -> bytes:
        """Return the next piece of the body, b"" after the last."""
        ...

    async def close(self) -> None:
        """Give the connection back, or drop it when not all was read."""
        ...


class Exchange(Protocol):
    """Sends requests. Raises what httpx and aiohttp raise."""

    async def post(self, url: str, headers: Headers, body: Upload) -> Incoming:
        """Send, and return the beginning of the answer. Redirects are answers."""
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...


class Upload(httpx.AsyncByteStream):
    """A body that is sent once, a large one in pieces, so that the event loop has its turn in between.

    Closes the request in flight, whose response may take a minute.

    Attributes:
        size: in bytes.
    """

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.size = len(content)

    @property
    def is_large(self) -> bool:
        """Tell whether it is sent in more than one piece."""
        return self.size > _UPLOAD_BYTES

    def take(self) -> bytes:
        """Return all of it, once."""
        content, self._content = self._content, b""
        return content

    async def __aiter__(self) -> AsyncIterator[bytes]:
        content = self.take()
        for start in range(0, len(content), _UPLOAD_BYTES):
            yield content[start : start + _UPLOAD_BYTES]


class _Payload(aiohttp.Payload):
    """An `Upload` as aiohttp sends it. Its own way, an iterator of pieces, costs three times as much.

    It cannot be sent twice, and need not be: aiohttp sends again only what follows a redirect or may be repeated.
    """

    _autoclose = True

    def __init__(self, body: Upload) -> None:
        super().__init__(body)
        self._size = body.size

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """Refuse: what was sent is gone."""
        raise TypeError("a body is sent, not read")

    async def write(self, writer: AbstractStreamWriter) -> None:
        """Send it."""
        await self.write_with_length(writer, None)

    async def write_with_length(self, writer: AbstractStreamWriter, content_length: int | None) -> None:
        """Send it; `content_length` is its own."""
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


class _Connector(aiohttp.TCPConnector):
    """Opens connections in a context of their own, which they keep: that of a call would hold on to its run."""

    async def _create_connection(
        self, req: aiohttp.ClientRequest, traces: list[Any], timeout: aiohttp.ClientTimeout
    ) -> ResponseHandler:
        opening = asyncio.get_running_loop().create_task(
            super()._create_connection(req, traces, timeout), context=Context()
        )
        try:
            return await opening
        except asyncio.CancelledError:
            if opening.done() and not opening.cancelled() and opening.exception() is None:
                opening.result().close()  # it opened just after it was given up
            raise


class Pool:
    """Connections of aiohttp. Keeps no cookies, follows no redirect and reads no proxy from the environment.

    Args:
        tls: None for plain http, where no certificate is ever looked at.
        is_kept: a connection serves one request after the other; False: one, and is closed then.
    """

    def __init__(self, max_connections: int, tls: ssl.SSLContext | None = None, *, is_kept: bool = True) -> None:
        connector = _Connector(
            limit=max_connections,
            keepalive_timeout=_IDLE_S if is_kept else None,
            force_close=not is_kept,
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
        """Send, and return the beginning of the answer."""
        return _AiohttpIncoming(
            await self._session.request("POST", url, headers=headers, data=_Payload(body), allow_redirects=False)
        )

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
    """An httpx transport, which stays its owner's to close."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport

    async def post(self, url: str, headers: Headers, body: Upload) -> _HttpxIncoming:
        """Send, and return the beginning of the answer."""
        request = httpx.Request(  # with stream= it looks for no header to add: they are all there
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
        """Leave it to its owner."""


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
