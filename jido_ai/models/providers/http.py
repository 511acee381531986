"""What all HTTP providers share: one request, a bounded response or stream, one deadline, typed errors.

A provider says how a `CompletionRequest` is written and how an answer is read; see `llm_openai`.
"""

from __future__ import annotations

import asyncio
import math
import zlib
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypedDict

import aiohttp
import httpx
from pydantic import ValidationError
from pydantic_core import to_json

from jido_ai.components.time_limit import TimeLimit
from jido_ai.errors import (
    BadRequestError,
    ConfigurationError,
    ContextLengthError,
    ModelError,
    ModelTimeoutError,
    ModelUnavailableError,
    ReplyError,
    describe,
)
from jido_ai.models.providers.connections import Place, connect, disconnect
from jido_ai.models.providers.exchange import CONNECT_S, Exchange, GivenTransport, Incoming, Upload
from jido_ai.models.providers.headers import RateLimits, read_rate_limits
from jido_ai.models.providers.refusals import Origin, error_body, read_error, refusal, status_of
from jido_ai.models.providers.sse import EventDecoder, LineDecoder
from jido_ai.text.redaction import redact
from jido_ai.values import Completion, CompletionRequest

__all__ = ["Assembler", "HttpModel", "HttpOptions", "ProviderSaysError"]

_CLOSE_S: Final = 0.5
_ERROR_BODY_BYTES: Final = 64 * 1024
_REASON_CHARS: Final = 300


class HttpOptions(TypedDict, total=False):
    """Keywords that every provider takes.

    Attributes:
        timeout_s: from the call to the end of the answer, unless the request has its own; 120.0.
        max_bytes: of a request and, unpacked, of an answer, each; 8 MiB.
        max_connections: at once, per base address and event loop; further calls wait their turn; 256.
        transport: an httpx transport to use instead of the shared one; it stays the caller's to close.
        on_headers: called with what each answer's headers say about rate limits, when they say anything.
    """

    timeout_s: float
    max_bytes: int
    max_connections: int
    transport: httpx.AsyncBaseTransport | None
    on_headers: Callable[[RateLimits], None] | None


class Assembler(Protocol):
    """Puts an answer together from the data of a stream's events."""

    is_whole: bool
    """The end was told: nothing that may follow belongs to the answer."""

    def feed(self, data: str) -> str:
        """Take the next event's data and return the text that it brings, "" for none.

        Raises:
            ValidationError: it is not of the provider's form.
            ProviderSaysError: it is an error.
        """
        ...

    def completion(self) -> Completion | None:
        """Return the answer, when all that makes one has come; else None."""
        ...


class ProviderSaysError(Exception):
    """An answer that began well turned out to be an error; translated before it leaves this room.

    Attributes:
        error: what the provider gave as the error, of any form.
    """

    def __init__(self, error: object) -> None:
        super().__init__("the provider says error")
        self.error = error


class HttpModel(ABC):
    """A language model behind HTTP. Safe to use from many tasks at once.

    Its connections are shared with all models of the same base address on the same event loop. `aclose`, or leaving
    `async with`, releases them; the last user closes them, at the latest when the event loop ends. A closed
    model opens them again when it is used.

    Attributes:
        provider, model, base_url: who is asked, for what, and where.
        on_headers: see `HttpOptions`; a wrapper may put its own here.
    """

    _streams_lines = False
    """True when a stream is one JSON object per line, False for server-sent events."""

    def __init__(
        self,
        *,
        origin: Origin,
        path: str,
        headers: Mapping[str, str],
        timeout_s: float = 120.0,
        max_bytes: int = 8 * 1024 * 1024,
        max_connections: int = 256,
        transport: httpx.AsyncBaseTransport | None = None,
        on_headers: Callable[[RateLimits], None] | None = None,
    ) -> None:
        _check_positive("timeout_s", timeout_s)
        _check_positive("max_bytes", max_bytes)
        _check_positive("max_connections", max_connections)
        self.provider = origin.provider
        self.model = origin.model
        self.base_url = origin.base_url
        self._origin = origin
        self._url = httpx.URL(origin.base_url + path)
        self._address = str(self._url)
        self._timeout_s = timeout_s
        self._max_bytes = max_bytes
        self.on_headers = on_headers
        self._given = None if transport is None else GivenTransport(transport)
        self._places = {
            is_kept: Place(self._url.scheme, self._url.host, self._url.port, max_connections, is_kept)
            for is_kept in (True, False)
        }
        self._loop: asyncio.AbstractEventLoop | None = None
        self._open: dict[bool, Exchange] = {}
        common = {"host": self._url.netloc.decode("ascii"), "accept": "application/json"}
        common |= {"accept-encoding": "gzip", "user-agent": "jido-ai"}
        self._headers = _hidden({**common, "content-type": "application/json", **headers})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r}, base_url={self.base_url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Let go of the connections on this event loop. Twice is fine."""
        self._open.clear()
        for place in self._places.values():
            await disconnect(place, self)

    # -- what a provider adds ----------------------------------------------------------------------

    @abstractmethod
    def _payload(self, request: CompletionRequest, model: str, *, is_stream: bool) -> dict[str, Any]:
        """Return the request as the provider wants it."""

    @abstractmethod
    def _read(self, body: bytes, request: CompletionRequest) -> Completion | None:
        """Read a whole answer; None when there is no completion in it. Raises as `Assembler.feed` does."""

    @abstractmethod
    def _assembler(self, request: CompletionRequest) -> Assembler:
        """Return what puts the stream of this request together."""

    # -- asking ------------------------------------------------------------------------------------

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. See `LanguageModel`."""
        origin = self._origin_of(request)
        body = self._encode(request, origin, is_stream=False)
        timeout_s = request.timeout_s or self._timeout_s
        try:
            async with TimeLimit(asyncio.get_running_loop().time() + timeout_s):
                answer = await self._send(body)
                try:
                    if answer.status != 200:
                        raise await _refused(answer, origin)
                    said = await answer.read()
                finally:
                    await answer.close()
            completion = self._read(said, request)
        except _FAILURES as error:
            failure = _translated(origin, timeout_s, error)
        else:
            if completion is not None:
                return completion
            failure = _reply_error(origin, "there is no text in the answer, nor a reason why")
        raise failure  # out here nothing is chained to it: see `_translated`

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the pieces of the text in order, and last the whole `Completion`. See `StreamingModel`.

        The time that the caller takes between two pieces counts towards the deadline.
        """
        origin = self._origin_of(request)
        body = self._encode(request, origin, is_stream=True)
        timeout_s = request.timeout_s or self._timeout_s
        deadline = asyncio.get_running_loop().time() + timeout_s
        batches = self._batches(request, origin, body)
        failure: ModelError | None = None
        try:
            while failure is None:
                try:
                    async with asyncio.timeout_at(deadline):
                        batch = await anext(batches, None)
                except _FAILURES as error:
                    failure = _translated(origin, timeout_s, error)
                else:
                    if batch is None:
                        return
                    for piece in batch:
                        yield piece
            raise failure  # see `complete`
        finally:
            await batches.aclose()

    # -- inside ------------------------------------------------------------------------------------

    async def _batches(
        self, request: CompletionRequest, origin: Origin, body: Upload
    ) -> AsyncGenerator[Sequence[str | Completion]]:
        """Yield what each piece of the answer brings; the completion is in the last."""
        answer = await self._send(body, keep=False)
        try:
            if answer.status != 200:
                raise await _refused(answer, origin)
            if not self._is_stream(answer):
                whole = self._read(await answer.read(), request)
                if whole is not None:
                    yield (whole.text, whole) if whole.text else (whole,)
            else:
                assembler = self._assembler(request)
                decoder = LineDecoder() if self._streams_lines else EventDecoder()
                is_open = True
                while is_open and not assembler.is_whole:
                    chunk = await answer.next()
                    is_open = bool(chunk)
                    yield _feed(assembler, decoder.feed(chunk) if chunk else decoder.finish())
                whole = assembler.completion()
                if whole is not None:
                    yield (whole,)
            if whole is None:
                raise _reply_error(origin, "the stream ended before the answer did")
        finally:
            await answer.close()

    def _origin_of(self, request: CompletionRequest) -> Origin:
        if request.model is None or request.model == self.model:
            return self._origin
        origin = self._origin
        return Origin(origin.provider, request.model, origin.base_url, origin.key_hint, origin.secret)

    def _encode(self, request: CompletionRequest, origin: Origin, *, is_stream: bool) -> Upload:
        """Write the request. What cannot be sent is refused here, before anything is."""
        characters = sum(len(message.content) for message in request.messages)
        if characters <= self._max_bytes:
            try:
                content = to_json(self._payload(request, origin.model, is_stream=is_stream))
            except (ValueError, RecursionError) as error:
                what = _unsendable(request) or redact(str(error))[:_REASON_CHARS]
                raise BadRequestError(
                    f"the request cannot be sent: {what}", provider=origin.provider, model=origin.model
                ) from None  # the cause quotes nothing that helps, and its frames hold the whole prompt
            if len(content) <= self._max_bytes:
                return Upload(content)
            characters = len(content)
        raise ContextLengthError(
            f"the request is {characters} characters or bytes long, more than max_bytes={self._max_bytes}; "
            "shorten the prompt",
            provider=origin.provider,
            model=origin.model,
        )

    async def _send(self, body: Upload, *, keep: bool = True) -> _Answer:
        """Send, and return the beginning of the answer.

        Args:
            keep: the connection may serve another request. Not after a stream: some servers, llama.cpp's among them,
                close it without a word, and the next request would run into that.
        """
        exchange = self._given or await self._exchange(is_kept=keep)
        headers = [*self._headers(), ("content-length", str(body.size))]
        answer = _Answer(await exchange.post(self._address, headers, body), self._max_bytes)
        if self.on_headers is not None:
            try:
                limits = read_rate_limits(answer.headers, datetime.now(UTC))
                if limits is not None:
                    self.on_headers(limits)
            except BaseException:  # raised by the consumer; the connection must be returned here
                await answer.close()
                raise
        return answer

    async def _exchange(self, *, is_kept: bool) -> Exchange:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop = loop
            self._open.clear()
        if is_kept not in self._open:
            self._open[is_kept] = await connect(self._places[is_kept], self)
        return self._open[is_kept]

    def _is_stream(self, answer: _Answer) -> bool:
        """Tell whether a stream came: some servers answer whole although they were asked to stream."""
        kind = answer.headers.get("content-type", "").lower()
        return self._streams_lines or not kind.startswith("application/json")


# -- helpers -----------------------------------------------------------------------------------------


def _check_positive(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise ConfigurationError(f"{name} must be a number above 0, got {describe(value)}")


def _hidden(headers: Mapping[str, str]) -> Callable[[], list[tuple[str, str]]]:
    """Return a function that returns the headers, so that no attribute and no local variable shows them."""
    pairs = list(headers.items())
    return lambda: pairs


def _unsendable(request: CompletionRequest) -> str | None:
    """Say where in the request a text is that is not Unicode; None when there is none."""
    for number, message in enumerate(request.messages, 1):
        try:
            message.content.encode("utf-8")
        except UnicodeEncodeError as error:
            return (
                f"message {number} has half a surrogate pair at character {error.start}; "
                "decode the text rightly, or replace it (errors='replace')"
            )
    return None


# -- the answer ------------------------------------------------------------------------------------


class _UnreadableError(Exception):
    """The answer cannot be read any further; its text says why."""


_WIRE_ERRORS: Final = (httpx.HTTPError, httpx.InvalidURL, aiohttp.ClientError, OSError, asyncio.IncompleteReadError)


class _Answer:
    """A response whose body is read piece by piece, unpacked, and never beyond `max_bytes`.

    httpx unpacks whole pieces whatever they become, so that a few kilobytes could become gigabytes; this does not.

    Raises (from `next` and `read`):
        _UnreadableError: it is too long, or packed in a way that cannot be unpacked.
    """

    def __init__(self, incoming: Incoming, max_bytes: int) -> None:
        self.status = incoming.status
        self.headers = incoming.headers
        self._incoming = incoming
        self._max_bytes = self._left = max_bytes
        self._has_begun = False
        self._unpacker: Any = None
        self._is_over = False

    async def next(self) -> bytes:
        """Return the next piece, b"" after the last."""
        if not self._has_begun:
            self._begin()
        while packed := await self._incoming.next():
            chunk = packed if self._unpacker is None else self._unpack(packed)
            self._left -= len(chunk)
            if self._left < 0:
                raise _UnreadableError(f"it is longer than max_bytes={self._max_bytes}")
            if chunk:
                return chunk
        if self._unpacker is not None and not self._unpacker.eof:
            raise _UnreadableError("it is packed, and its end is missing")
        self._is_over = True
        return b""

    async def read(self) -> bytes:
        """Return all of it."""
        chunks: list[bytes] = []
        while chunk := await self.next():
            chunks.append(chunk)
        return b"".join(chunks)

    async def close(self) -> None:
        """Give the connection back, or drop it when not all was read; never waits for long."""
        try:
            if self._is_over:  # there is nothing to wait for, and a time limit costs more than the rest
                await self._incoming.close()
                return
            async with asyncio.timeout(_CLOSE_S):
                await self._incoming.close()
        except (TimeoutError, *_WIRE_ERRORS):  # the connection is gone, which is what was wanted
            pass

    def _begin(self) -> None:
        self._has_begun = True
        packing = self.headers.get("content-encoding", "").strip().lower()
        if packing not in ("", "identity", "gzip"):
            raise _UnreadableError(f"it is packed as {describe(packing)}, which was not asked for")
        if packing == "gzip":
            self._unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
        announced = self.headers.get("content-length", "")
        if announced.isdigit() and (len(announced) > 15 or int(announced) > self._max_bytes):
            raise _UnreadableError(f"it is longer than max_bytes={self._max_bytes}")

    def _unpack(self, packed: bytes) -> bytes:
        try:
            return self._unpacker.decompress(packed, self._left + 1)
        except zlib.error as error:
            raise _UnreadableError(f"it cannot be unpacked: {error}") from None


async def _refused(answer: _Answer, origin: Origin) -> ModelError:
    """Return the error that a refusal is; how much of its reason can be read does not matter."""
    body = b""
    try:
        while len(body) < _ERROR_BODY_BYTES and (chunk := await answer.next()):
            body += chunk
    except (_UnreadableError, *_WIRE_ERRORS):  # the status says enough
        pass
    return refusal(origin, answer.status, read_error(body[:_ERROR_BODY_BYTES]), answer.headers)


def _feed(assembler: Assembler, events: list[str]) -> list[str]:
    """Feed events up to the end of the answer, and return the pieces of text that they brought."""
    pieces: list[str] = []
    for data in events:
        if data and not assembler.is_whole:
            piece = assembler.feed(data)
            if piece:
                pieces.append(piece)
    return pieces


# -- errors ----------------------------------------------------------------------------------------


_FAILURES: Final = (
    ValidationError,
    UnicodeDecodeError,
    _UnreadableError,
    ProviderSaysError,
    TimeoutError,
    *_WIRE_ERRORS,
)


def _translated(origin: Origin, timeout_s: float, error: Exception) -> ModelError:
    """Return what HTTP or JSON raised as one of our errors.

    It is raised where nothing can be chained to it: the frames of the libraries, and even some attributes of their
    errors, hold the headers, with the key.
    """
    match error:
        case ValidationError():
            what = _fault(error)
            is_json = not what.startswith("no JSON")
            return _reply_error(origin, what if is_json else f"{what}; is the base address {origin.base_url} right?")
        case UnicodeDecodeError():
            return _reply_error(origin, "it is not UTF-8")
        case _UnreadableError():
            return _reply_error(origin, str(error))
        case ProviderSaysError():
            said = error_body(error.error)
            return refusal(origin, status_of(said), said)
        case _:
            return _wire_error(origin, timeout_s, error)


def _reply_error(origin: Origin, what: str) -> ReplyError:
    return ReplyError(f"the answer is not a completion: {what}", provider=origin.provider, model=origin.model)


def _fault(error: ValidationError) -> str:
    """Say what is wrong with an answer, without quoting it."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return (f"{where}: " if where else "") + first["msg"].replace("Invalid JSON", "no JSON")[:_REASON_CHARS]


def _wire_error(origin: Origin, timeout_s: float, error: BaseException) -> ModelError:
    who: dict[str, Any] = {"provider": origin.provider, "model": origin.model}
    causes = list(_chain(error))
    reason = origin.masked(f"{type(error.__cause__ or error).__name__}: {' '.join(str(error).split())}")[:_REASON_CHARS]
    refused = next((cause for cause in causes if isinstance(cause, aiohttp.ClientConnectorError)), None)
    if refused is not None:
        reason = str(refused.os_error)
    if refused is not None or isinstance(error, httpx.ConnectError):
        return ModelUnavailableError(
            f"cannot reach {origin.base_url}: {reason}; is the server running and the base address right?", **who
        )
    if any(isinstance(cause, aiohttp.ClientResponseError | httpx.RemoteProtocolError) for cause in causes):
        return ReplyError(f"what came from {origin.base_url} is not HTTP: {reason}", **who)
    if any(isinstance(cause, aiohttp.ConnectionTimeoutError) for cause in causes):
        return ModelUnavailableError(f"{origin.base_url} took no connection within {CONNECT_S:g} s", **who)
    broke = (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, httpx.NetworkError)
    if any(isinstance(cause, broke) for cause in causes):
        return ModelUnavailableError(f"the connection to {origin.base_url} broke: {reason}", **who)
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        return ModelTimeoutError(f"no complete answer within {timeout_s:g} s", **who)
    return ModelUnavailableError(f"asking {origin.base_url} failed: {reason}", **who)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
