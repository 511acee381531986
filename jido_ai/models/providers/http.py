"""HTTP models, the base of all providers: requests, bounded responses and streams, limits of silence, typed errors.

A subclass encodes a `CompletionRequest` and parses the response; see `openai.py`.
"""

from __future__ import annotations

import asyncio
import math
import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import aclosing, nullcontext
from contextvars import copy_context
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypedDict

import aiohttp
import httpx
from pydantic import ValidationError
from pydantic_core import to_json

from jido_ai.components.call_context import current_call
from jido_ai.components.time_limit import SilenceLimit, TimeLimit, waiting_for_model
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
from jido_ai.models.providers.access import PROXY_HINT, proxy_of
from jido_ai.models.providers.connections import ServerAddress, connect, disconnect
from jido_ai.models.providers.draft import HalfCharacters
from jido_ai.models.providers.exchange import (
    CONNECT_S,
    Exchange,
    GivenTransport,
    Incoming,
    StaleConnectionError,
    Upload,
)
from jido_ai.models.providers.headers import RateLimits, read_rate_limits
from jido_ai.models.providers.refusals import ErrorBody, Origin, error_body, host_of, read_error, refusal, status_of
from jido_ai.models.providers.refused_settings import (
    LIMIT_NAME,
    SYSTEM_ROLE,
    left_out,
    refused_setting,
    refuses_system,
    without_fields,
)
from jido_ai.models.providers.sse import EventDecoder, LineDecoder
from jido_ai.telemetry import OBSERVING, observed
from jido_ai.text.redaction import redact
from jido_ai.values import Completion, CompletionRequest

_CLOSE_S: Final = 0.5
_ERROR_BODY_BYTES: Final = 64 * 1024
_REASON_CHARS: Final = 300
_GOOD: Final = frozenset({200, 201, 202, 203})
_NONE: Final[frozenset[str]] = frozenset()
_TOKEN: Final = re.compile(
    r'"(?:content|text|thinking|reasoning|reasoning_content|refusal|arguments|partial_json|signature|data)"\s*:\s*"[^"]'
)
"""A part of the answer in an event: text, reasoning or arguments that are not empty, under any name in use."""


class HttpOptions(TypedDict, total=False):
    """Keyword arguments of all providers.

    Attributes:
        timeout_s: seconds for a whole call, unless the request has its own timeout; default None, no limit.
        first_token_s: seconds until the first token of an answer, or for a whole answer that is not streamed; default
            120.0.
        silence_s: seconds from one token to the next; default 30.0. Reasoning counts, keep-alive messages do not.
        max_bytes: maximum size of a request, and of a decompressed response; default 8 MiB.
        max_connections: concurrent connections per base address and event loop; more calls wait; default 256.
        proxy: the address of a proxy; "" is none. By default HTTPS_PROXY, HTTP_PROXY and ALL_PROXY say it; an address
            of this machine needs none, nor does a host that NO_PROXY names.
        transport: an httpx transport to use instead of the shared one; the caller closes it.
        enforces_schema: whether the server keeps to the schema of a request; if not, requests also describe the JSON in
            words. By default True for OpenAI, Anthropic and Ollama; None, not known, for other servers.
        on_headers: called with the rate limits in each response's headers, if there are any.
    """

    timeout_s: float | None
    first_token_s: float
    silence_s: float
    max_bytes: int
    max_connections: int
    proxy: str | None
    transport: httpx.AsyncBaseTransport | None
    on_headers: Callable[[RateLimits], None] | None
    enforces_schema: bool | None


class Assembler(Protocol):
    """Assembles an answer from the data of a stream's events."""

    is_whole: bool
    """True after the end of the answer; later events are ignored."""

    def feed(self, data: str) -> str:
        """Process the next event's data and return its text, or "".

        Raises:
            ValidationError: the data does not have the provider's format.
            ProviderSaysError: the event reports an error.
        """
        ...

    def completion(self) -> Completion | None:
        """Return the answer, or None if it is incomplete."""
        ...


class ProviderSaysError(Exception):
    """A response with status 200 contains an error. Translated before it leaves this package.

    Attributes:
        error: the provider's error, in any format.
    """

    def __init__(self, error: object) -> None:
        super().__init__("the provider says error")
        self.error = error


class HttpModel(ABC):
    """A language model behind HTTP. Many tasks may use it at once.

    Its connections are shared with all models of the same base address on the same event loop. `aclose`, or leaving
    `async with`, releases them. They close with their last user, or when the event loop ends. A closed
    model opens them again when it is used.

    Attributes:
        provider, model, base_url: names of provider and model, and the base address.
        on_headers: see `HttpOptions`; a wrapper may set it.
    """

    observes_itself = True
    """Observers see each HTTP request, every retry included."""
    limits_silence = True
    """It ends calls whose answer does not come: callers need no limit of their own."""
    _keeps_schema: bool | None = True
    _streams_lines = False
    """True if streams have one JSON object per line, False for server-sent events."""
    _whole_from: tuple[str, ...] = ()
    """Ends of the hosts that `complete` asks for an answer in one piece. Elsewhere it asks for a stream, and so notices
    a model that has fallen silent. A stream takes the CPU a hundred times as long, and large services rarely hang."""
    _limit_names: tuple[str, ...] = ()
    """The names under which models know the limit of tokens, if there are several."""

    def __init__(
        self,
        *,
        origin: Origin,
        path: str,
        headers: Mapping[str, str],
        timeout_s: float | None = None,
        first_token_s: float = 120.0,
        silence_s: float = 30.0,
        max_bytes: int = 8 * 1024 * 1024,
        max_connections: int = 256,
        proxy: str | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        on_headers: Callable[[RateLimits], None] | None = None,
        enforces_schema: bool | None = None,
    ) -> None:
        if timeout_s is not None:
            _check_positive("timeout_s", timeout_s)
        _check_positive("first_token_s", first_token_s)
        _check_positive("silence_s", silence_s)
        _check_positive("max_bytes", max_bytes)
        _check_positive("max_connections", max_connections)
        self.provider = origin.provider
        self.model = origin.model
        self.base_url = origin.base_url
        self._origin = origin
        self._host = host_of(origin.base_url)
        base, _, query = origin.base_url.partition("?")
        self._url = httpx.URL(base.rstrip("/") + path + (f"?{query}" if query else ""))
        self._address = str(self._url)
        self._timeout_s = timeout_s
        self._first_token_s = first_token_s
        self._silence_s = silence_s
        self._streams = not self._url.host.endswith(self._whole_from)
        self._max_bytes = max_bytes
        self.on_headers = on_headers
        self.enforces_schema = self._keeps_schema if enforces_schema is None else enforces_schema
        self._given = None if transport is None else GivenTransport(transport)
        through = proxy_of(self._url, proxy)
        self._origin = replace(origin, proxy=host_of(through))
        self._place = ServerAddress(self._url.scheme, self._url.host, self._url.port, max_connections, through)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._open: Exchange | None = None
        self._refused_schemas: set[tuple[str, bytes]] = set()  # by the model, and a digest
        self._refused: dict[str, frozenset[str]] = {}  # settings, by the model that refuses them
        common = {"host": self._url.netloc.decode("ascii"), "accept": "application/json"}
        common |= {"accept-encoding": "gzip", "user-agent": "jido-ai"}
        self._headers = _hidden({**common, "content-type": "application/json", **headers})

    def called(self, provider: str, key_name: str | None = None) -> Self:
        """Take the name of a provider of the user's own, for errors, limits and prices.

        Args:
            key_name: of the variable with the key; None keeps the provider's usual one.
        """
        key_hint = self._origin.key_hint if key_name is None else key_name
        self._origin = replace(self._origin, provider=provider, key_hint=key_hint)
        self.provider = provider
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r}, base_url={self.base_url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Release the connections of this event loop. May be called again."""
        self._open = None
        await disconnect(self._place, self)

    # -- for subclasses ----------------------------------------------------------------------------

    @abstractmethod
    def _payload(
        self, request: CompletionRequest, model: str, *, is_stream: bool, refused: Collection[str] = ()
    ) -> dict[str, Any]:
        """Return the request in the provider's format.

        Args:
            refused: what to send it without, besides fields of the request: `STREAM_OPTIONS`, `LIMIT_NAME`.
        """

    @abstractmethod
    def _read(self, body: bytes, request: CompletionRequest) -> Completion | None:
        """Parse a whole answer; None if it contains no completion. Raises the errors of `Assembler.feed`."""

    @abstractmethod
    def _assembler(self, request: CompletionRequest) -> Assembler:
        """Return an assembler for the stream of this request."""

    # -- asking ------------------------------------------------------------------------------------

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. See `LanguageModel`."""
        return await observed("model", self._complete(request), model=self, request=request)

    async def _complete(self, request: CompletionRequest) -> Completion:
        if self._streams:
            try:
                return await self._assembled(request, is_stream=True)
            except BadRequestError as error:
                if "stream" not in error.message.lower():
                    raise
            completion = await self._assembled(request, is_stream=False)
            self._streams = False  # the server refuses streams, or this account may not have them
            return completion
        return await self._assembled(request, is_stream=False)

    async def _assembled(self, request: CompletionRequest, *, is_stream: bool) -> Completion:
        """Make the request once and return the whole answer."""
        origin = self._origin_of(request)
        sending = self._sending(request, origin, is_stream=is_stream)
        patience = self._patience(request)
        deadline = patience.deadline
        recorded = current_call.get()
        if recorded is not None:
            recorded.host = self._host
        whole: Completion | None = None
        try:
            with waiting_for_model():
                async with (
                    nullcontext() if deadline is None else TimeLimit(deadline),
                    SilenceLimit(patience.first_token_s) as silence,
                    aclosing(self._batches(sending)) as batches,
                ):
                    async for batch in batches:
                        patience.heard()
                        if recorded is not None and is_stream:
                            recorded.first_token()
                        if batch and isinstance(batch[-1], Completion):
                            whole = batch[-1]
                        else:
                            silence.heard(patience.silence_s)
        except _FAILURES as error:
            failure = _translated(origin, patience, error)
        else:
            assert whole is not None, "the last batch has it"
            return whole
        raise failure  # outside `except`, so that nothing is chained to it: see `_translated`

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the pieces of the text in order, then the whole `Completion`. See `StreamingModel`.

        The caller's time between two pieces counts towards the deadline, but is no silence of the model.
        """
        origin = self._origin_of(request)
        sending = self._sending(request, origin, is_stream=True)
        patience = self._patience(request)
        batches = self._batches(sending)
        failure: ModelError | None = None
        observer, context = OBSERVING.observer, copy_context()
        facts = {"model": self, "request": request}
        step = None if observer is None else context.run(observer.begin, "model", facts)
        whole: Completion | None = None
        try:
            while failure is None:
                patience.listen()
                try:
                    with waiting_for_model():
                        async with asyncio.timeout_at(patience.until):
                            batch = await anext(batches, None)
                except _FAILURES as error:
                    failure = _translated(origin, patience, error)
                else:
                    patience.heard()
                    if batch is None:
                        return
                    for piece in batch:
                        if isinstance(piece, Completion):
                            whole = piece
                        yield piece
            raise failure  # see `_assembled`
        finally:
            if step is not None:
                context.run(step.end, whole, failure)
            await batches.aclose()

    # -- inside ------------------------------------------------------------------------------------

    async def _batches(self, sending: _Sending) -> AsyncGenerator[Sequence[str | Completion]]:
        """Yield the texts of each chunk that has a token, which may be one of reasoning, and last the completion."""
        request, origin = sending.request, sending.origin
        answer = await self._accepted(sending)
        try:
            if not sending.is_stream or not await self._is_stream(answer):
                body = await answer.read()
                whole = self._read(body, request)
                if whole is None:
                    said = read_error(body)
                    if said.message:
                        raise refusal(origin, status_of(said), said)
                    raise _reply_error(origin, "it has neither a text nor a reason for having none")
                whole = _with_whole_characters(sending.reported(whole))
                yield (whole.text, whole) if whole.text else (whole,)
                return
            assembler = self._assembler(request)
            decoder = LineDecoder() if self._streams_lines else EventDecoder()
            halves = HalfCharacters()
            is_open, has_begun = True, False
            while is_open and not assembler.is_whole:
                chunk = await answer.next()
                is_open = bool(chunk)
                events = decoder.feed(chunk) if chunk else decoder.finish()
                has_begun = has_begun or bool(events)
                pieces = _feed(assembler, events)
                if pieces is not None:
                    yield [text for text in map(halves.take, pieces) if text]
            whole = assembler.completion()
            if whole is None:
                hint = "" if has_begun else f"; is the base address {origin.base_url} right?"
                raise _reply_error(origin, f"the stream ended before the answer was complete{hint}")
            await answer.drain()
            whole = _with_whole_characters(sending.reported(whole))
            yield (rest, whole) if (rest := halves.rest()) else (whole,)
        finally:
            await answer.close()

    def _patience(self, request: CompletionRequest) -> _Patience:
        limits = [one for one in (request.timeout_s, self._timeout_s) if one is not None]
        return _Patience(min(limits, default=None), self._first_token_s, self._silence_s)

    def _origin_of(self, request: CompletionRequest) -> Origin:
        if request.model is None or request.model == self.model:
            return self._origin
        origin = self._origin
        return replace(origin, model=request.model)

    def _sending(self, request: CompletionRequest, origin: Origin, *, is_stream: bool) -> _Sending:
        """Return the request without the settings that the model is known to refuse."""
        refused = self._refused.get(origin.model, _NONE)
        if self._refused_schemas and (origin.model, _digest(request)) in self._refused_schemas:
            refused |= {"schema"}
        dropped = left_out(request, refused, is_stream=is_stream) if refused else refused
        return _Sending(request, origin, is_stream, self._encode(request, origin, is_stream, dropped), dropped)

    async def _accepted(self, sending: _Sending) -> _BodyStream:
        """Send the request, and again without each default setting that the model refuses.

        Raises:
            ModelError: the provider refuses the request.
        """
        while True:
            answer = await self._answer(sending)
            if answer.status in _GOOD:
                if sending.learned:
                    model = sending.origin.model
                    if "schema" in sending.learned:  # another one may do
                        self._refused_schemas.add((model, _digest(sending.request)))
                    self._refused[model] = self._refused.get(model, _NONE) | (sending.learned - {"schema"})
                return answer
            try:
                error = await self._refusal(answer, sending)
            finally:
                await answer.close()
            if error is not None:
                raise error

    async def _refusal(self, answer: _BodyStream, sending: _Sending) -> ModelError | None:
        """Return the error for an error response; None if the request can be sent again, and is ready for it."""
        request, origin, is_stream = sending.request, sending.origin, sending.is_stream
        said = await _error_body(answer)  # which may quote the key: in no frame that an error passes
        error = refusal(origin, answer.status, said, answer.headers)
        if answer.status not in (400, 422, 500):
            return error
        payload = self._payload_of(request, origin, is_stream, sending.dropped)
        name: str | None = None
        if refuses_system(said, request, sending.dropped):
            name = SYSTEM_ROLE
        elif answer.status != 500:
            name = refused_setting(said, payload, request, sending.dropped, limit_names=self._limit_names)
        dropped = sending.dropped | {name} if name else sending.dropped
        if name is None or self._payload_of(request, origin, is_stream, dropped) == payload:
            return error
        sending.body, sending.dropped = self._encode(request, origin, is_stream, dropped), dropped
        if not isinstance(error, ContextLengthError):  # which is about this request rather than the model
            sending.learned |= {name}
        return None

    def _payload_of(
        self, request: CompletionRequest, origin: Origin, is_stream: bool, dropped: frozenset[str]
    ) -> dict[str, Any]:
        """Return the request in the provider's format, without some settings."""
        lesser = without_fields(request, dropped)
        return self._payload(lesser, origin.model, is_stream=is_stream, refused=dropped)

    def _encode(self, request: CompletionRequest, origin: Origin, is_stream: bool, dropped: frozenset[str]) -> Upload:
        """Encode the request. Raises `BadRequestError` or `ContextLengthError` if it cannot be sent."""
        characters = sum(len(message.content) for message in request.messages)
        if characters <= self._max_bytes:
            try:
                content = to_json(self._payload_of(request, origin, is_stream, dropped))
            except (ValueError, RecursionError) as error:
                what = _unsendable(request) or redact(str(error))[:_REASON_CHARS]
                raise BadRequestError(
                    f"the request cannot be sent: {what}", provider=origin.provider, model=origin.model
                ) from None  # the cause is not helpful, and its frames hold the whole prompt
            if len(content) <= self._max_bytes:
                return Upload(content)
            characters = len(content)
        raise ContextLengthError(
            f"the request is {characters} characters or bytes long, more than max_bytes={self._max_bytes}; "
            "shorten the prompt",
            provider=origin.provider,
            model=origin.model,
        )

    async def _answer(self, sending: _Sending) -> _BodyStream:
        """Send the request and return the beginning of the response.

        It is sent again when it met a reused connection that had just been closed: some servers, such as llama.cpp's,
        close the connection of a stream without notice.
        """
        headers = [*self._headers(), ("content-length", str(sending.body.size))]
        exchange = self._given or await self._exchange()
        while True:
            try:
                incoming = await exchange.post(self._address, headers, sending.body)
                break
            except StaleConnectionError:  # each takes one out of the pool, and a new one is never stale
                sending.body = self._encode(sending.request, sending.origin, sending.is_stream, sending.dropped)
        answer = _BodyStream(incoming, self._max_bytes)
        if self.on_headers is not None:
            try:
                limits = read_rate_limits(answer.headers, datetime.now(UTC))
                if limits is not None:
                    self.on_headers(limits)
            except BaseException:  # raised by the consumer; the connection must be returned here
                await answer.close()
                raise
        return answer

    async def _exchange(self) -> Exchange:
        loop = asyncio.get_running_loop()
        if self._open is None or self._loop is not loop:
            self._open = await connect(self._place, self)
            self._loop = loop
        return self._open

    async def _is_stream(self, answer: _BodyStream) -> bool:
        """True if the response is a stream: some servers ignore the request to stream, some call a stream a text."""
        if answer.headers.get("content-type", "").lower().startswith("application/json"):
            return False
        return self._streams_lines or not (await answer.peek()).startswith((b"{", b"[", b"<"))


# -- helpers -----------------------------------------------------------------------------------------


def _check_positive(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise ConfigurationError(f"{name} must be a number above 0, got {describe(value)}")


def _hidden(headers: Mapping[str, str]) -> Callable[[], list[tuple[str, str]]]:
    """Return a function that returns the headers, so that they appear in no attribute or local variable."""
    pairs = list(headers.items())
    return lambda: pairs


def _digest(request: CompletionRequest) -> bytes:
    """Return a digest of the schema of a request; b"" without one."""
    return b"" if request.schema is None else sha256(to_json(request.schema)).digest()


def _unsendable(request: CompletionRequest) -> str | None:
    """Return which message is not valid Unicode, and where; None if all are valid."""
    for number, message in enumerate(request.messages, 1):
        try:
            message.content.encode("utf-8")
        except UnicodeEncodeError as error:
            return (
                f"message {number} has half a surrogate pair at character {error.start}; "
                "decode the text with the right encoding, or with errors='replace'"
            )
    return None


# -- the request and the answer --------------------------------------------------------------------


@dataclass(slots=True)
class _Sending:
    """A request on its way.

    Attributes:
        body: as it is sent, once.
        dropped: what it is sent without, since the model refuses it.
        learned: the part of it that was not known before.
    """

    request: CompletionRequest
    origin: Origin
    is_stream: bool
    body: Upload
    dropped: frozenset[str]
    learned: frozenset[str] = _NONE

    def reported(self, completion: Completion) -> Completion:
        """Return the completion with the settings that were dropped."""
        names = self.dropped - {LIMIT_NAME, SYSTEM_ROLE}
        return completion.model_copy(update={"dropped": tuple(sorted(names))}) if names else completion


def _with_whole_characters(completion: Completion) -> Completion:
    if completion.text.isascii():
        return completion
    halves = HalfCharacters()
    text = halves.take(completion.text) + halves.rest()
    return completion if text == completion.text else completion.model_copy(update={"text": text})


# -- patience --------------------------------------------------------------------------------------


class _Patience:
    """Limits of a call's duration and of its silence.

    Attributes:
        deadline: of the whole call, on the event loop's clock; None is no limit.
        first_token_s, silence_s: see `HttpOptions`.
    """

    def __init__(self, timeout_s: float | None, first_token_s: float, silence_s: float) -> None:
        self._clock = asyncio.get_running_loop().time
        self._began = self._since = self._clock()
        self._timeout_s = timeout_s
        self._has_begun = False
        self.deadline = None if timeout_s is None else self._began + timeout_s
        self.first_token_s = first_token_s
        self.silence_s = silence_s

    @property
    def until(self) -> float:
        """The time at which the call is abandoned if nothing more arrives."""
        quiet_until = self._since + (self.silence_s if self._has_begun else self.first_token_s)
        return quiet_until if self.deadline is None else min(quiet_until, self.deadline)

    def listen(self) -> None:
        """Restart the measurement of silence."""
        self._since = self._clock()

    def heard(self) -> None:
        """Note a token."""
        self._has_begun = True
        self._since = self._clock()

    def reason(self) -> str:
        """Return the reason for abandoning the call."""
        if self.until == self.deadline:
            what = "the answer was not complete" if self._has_begun else "the model did not answer"
            return f"{what} in {self._timeout_s:g} s"
        if not self._has_begun:
            return f"the model did not answer in {self.first_token_s:g} s"
        return f"no token for {self.silence_s:g} s after {self._since - self._began:.0f} s"


# -- the answer ------------------------------------------------------------------------------------


class _UnreadableError(Exception):
    """The response cannot be read any further; the message says why."""


_WIRE_ERRORS: Final = (httpx.HTTPError, httpx.InvalidURL, aiohttp.ClientError, OSError, asyncio.IncompleteReadError)


class _BodyStream:
    """A response whose body is read in chunks and decompressed up to `max_bytes`.

    httpx decompresses each chunk without a limit: a few kilobytes could become gigabytes.

    Raises (from `next` and `read`):
        _UnreadableError: the body is too long, or its compression is unknown or invalid.
    """

    def __init__(self, incoming: Incoming, max_bytes: int) -> None:
        self.status = incoming.status
        self.headers = incoming.headers
        self._incoming = incoming
        self._max_bytes = self._left = max_bytes
        self._has_begun = False
        self._unpacker: Any = None
        self._is_over = False
        self._ahead = b""

    async def peek(self) -> bytes:
        """Return the beginning of the body without blanks before it, which remains to be read; b"" if it is blank."""
        while chunk := await self.next():
            self._ahead = chunk.removeprefix(b"\xef\xbb\xbf").lstrip()
            if self._ahead:
                break
        return self._ahead

    async def next(self) -> bytes:
        """Return the next chunk, or b"" at the end."""
        if self._ahead:
            ahead, self._ahead = self._ahead, b""
            return ahead
        if not self._has_begun:
            self._begin()
        while packed := await self._incoming.next():
            chunk = packed if self._unpacker is None else self._unpack(packed)
            self._left -= len(chunk)
            if self._left < 0:
                raise _UnreadableError(f"longer than max_bytes={self._max_bytes}")
            if chunk:
                return chunk
        if self._unpacker is not None and not self._unpacker.eof:
            raise _UnreadableError("compressed, and its end is missing")
        self._is_over = True
        return b""

    async def read(self) -> bytes:
        """Return the whole body."""
        chunks: list[bytes] = []
        while chunk := await self.next():
            chunks.append(chunk)
        return b"".join(chunks)

    async def drain(self) -> None:
        """Read to the end, for at most 0.5 s, so that the connection can be used again."""
        try:
            async with asyncio.timeout(_CLOSE_S):
                while await self.next():
                    pass
        except (TimeoutError, _UnreadableError, *_WIRE_ERRORS):  # it is closed
            pass

    async def close(self) -> None:
        """Return the connection to its pool, or close it if the body was not fully read; takes at most 0.5 s."""
        try:
            if self._is_over:  # nothing to wait for, and a time limit would cost more than the rest
                await self._incoming.close()
                return
            async with asyncio.timeout(_CLOSE_S):
                await self._incoming.close()
        except (TimeoutError, *_WIRE_ERRORS):  # the connection is closed anyway
            pass

    def _begin(self) -> None:
        self._has_begun = True
        packing = self.headers.get("content-encoding", "").strip().lower()
        if packing not in ("", "identity", "gzip"):
            raise _UnreadableError(f"unexpected content-encoding {describe(packing)}")
        if packing == "gzip":
            self._unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
        announced = self.headers.get("content-length", "")
        if announced.isdigit() and (len(announced) > 15 or int(announced) > self._max_bytes):
            raise _UnreadableError(f"longer than max_bytes={self._max_bytes}")

    def _unpack(self, packed: bytes) -> bytes:
        try:
            return self._unpacker.decompress(packed, self._left + 1)
        except zlib.error as error:
            raise _UnreadableError(f"invalid compression: {error}") from None


async def _error_body(answer: _BodyStream) -> ErrorBody:
    """Return the provider's description in an error response; an empty one if the body is unreadable."""
    body = b""
    try:
        while len(body) < _ERROR_BODY_BYTES and (chunk := await answer.next()):
            body += chunk
    except (_UnreadableError, *_WIRE_ERRORS):  # the status is enough
        pass
    return read_error(body[:_ERROR_BODY_BYTES])


def _feed(assembler: Assembler, events: list[str]) -> list[str] | None:
    """Feed events up to the end of the answer, and return the pieces of text that they brought; None without a token.

    Reasoning is a token, though no piece of the text.
    """
    pieces: list[str] = []
    has_token = False
    for data in events:
        if data and not assembler.is_whole:
            piece = assembler.feed(data)
            if piece:
                pieces.append(piece)
            has_token = has_token or bool(piece) or _TOKEN.search(data) is not None
    return pieces if has_token else None


def assembled(assembler: Assembler, decoder: LineDecoder | EventDecoder, body: bytes) -> Completion | None:
    """Return the answer of a stream that came whole; None if it is incomplete. Raises the errors of `feed`."""
    _feed(assembler, [*decoder.feed(body), *decoder.finish()])
    return assembler.completion()


# -- errors ----------------------------------------------------------------------------------------


_FAILURES: Final = (
    ValidationError,
    UnicodeDecodeError,
    _UnreadableError,
    ProviderSaysError,
    TimeoutError,
    *_WIRE_ERRORS,
)


def _translated(origin: Origin, patience: _Patience, error: Exception) -> ModelError:
    """Translate an error of HTTP or JSON to a `ModelError`.

    It must be raised outside `except`: the frames of the libraries, and even some attributes of their errors, hold the
    headers with the key, so they must not be chained.
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
            return _wire_error(origin, patience, error)


def _reply_error(origin: Origin, what: str) -> ReplyError:
    who: dict[str, Any] = {"provider": origin.provider, "model": origin.model, "host": origin.host}
    return ReplyError(f"the answer is not a completion: {what}", **who)


def _fault(error: ValidationError) -> str:
    """Describe the fault of a response, without quoting it."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return (f"{where}: " if where else "") + first["msg"].replace("Invalid JSON", "no JSON")[:_REASON_CHARS]


def _wire_error(origin: Origin, patience: _Patience, error: BaseException) -> ModelError:
    who: dict[str, Any] = {"provider": origin.provider, "model": origin.model, "host": origin.host}
    causes = list(_chain(error))
    reason = origin.masked(f"{type(error.__cause__ or error).__name__}: {' '.join(str(error).split())}")[:_REASON_CHARS]
    refused = next((cause for cause in causes if isinstance(cause, aiohttp.ClientConnectorError)), None)
    if refused is not None:
        reason = str(refused.os_error)
    if isinstance(refused, aiohttp.ClientProxyConnectionError):
        hint = f"fix {PROXY_HINT}, or name the host in NO_PROXY"
        return ModelUnavailableError(f"cannot reach the proxy {origin.proxy}: {reason}; {hint}", **who)
    if any(isinstance(cause, aiohttp.ClientHttpProxyError) for cause in causes):
        return ModelUnavailableError(f"the proxy {origin.proxy} makes no connection: {reason}", **who)
    if refused is not None or isinstance(error, httpx.ConnectError):
        is_unknown = isinstance(refused, aiohttp.ClientConnectorDNSError) and not origin.proxy
        hint = f" Behind a proxy, set {PROXY_HINT}" if is_unknown else ""
        return ModelUnavailableError(
            f"cannot reach {origin.base_url}: {reason}; is the server running and the base address right?{hint}", **who
        )
    if any(isinstance(cause, aiohttp.ClientResponseError | httpx.RemoteProtocolError) for cause in causes):
        return ReplyError(f"the response of {origin.base_url} is not HTTP: {reason}", **who)
    if any(isinstance(cause, aiohttp.ConnectionTimeoutError) for cause in causes):
        return ModelUnavailableError(f"{origin.base_url} accepted no connection within {CONNECT_S:g} s", **who)
    broke = (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, httpx.NetworkError)
    if any(isinstance(cause, broke) for cause in causes):
        return ModelUnavailableError(f"the connection to {origin.base_url} was lost: {reason}", **who)
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        return ModelTimeoutError(patience.reason(), **who)
    return ModelUnavailableError(f"the request to {origin.base_url} failed: {reason}", **who)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
