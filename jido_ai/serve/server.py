"""The server process: uvicorn with deadlines, and an end that loses nothing.

uvicorn has no limit for how long or how large the head of a request may be, and none for clients that read no more;
without these, half-sent requests and stalled clients hold connections for ever.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ipaddress
import logging
import signal
import socket
from collections.abc import Callable, Generator
from typing import Any, Final, cast

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from jido_ai.errors import ConfigurationError
from jido_ai.serve.app import state_of
from jido_ai.serve.guard import route_of
from jido_ai.serve.state import ServerState

_HEAD_S: Final = 10.0
_BODY_S: Final = 65.0
"""Seconds for the body of a request, also after an early answer; routes that read it answer after 60 s."""
_READ_S: Final = 60.0
_LEAST_READ_BYTES: Final = 64 << 10
"""Bytes that a client must read within `_READ_S` seconds while more wait for it."""
_MOST_HEAD_BYTES: Final = 64 << 10
_KEEP_ALIVE_S: Final = 75
_LAST_ANSWERS_S: Final = 5
_BACKLOG: Final = 2048
_MOST_ACCEPTED: Final = 16  # connections per pass of the event loop
_log: Final = logging.getLogger("jido_ai.serve")


class _Protocol(HttpToolsProtocol):
    """One connection; the head of each request must come within `_HEAD_S` seconds and `_MOST_HEAD_BYTES` bytes."""

    _late: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _in_head = True
    _late_body: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._have_head()
        self._have_body()
        self._have_read()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._expect_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._have_read()

    def timeout_keep_alive_handler(self) -> None:
        if self.transport.get_write_buffer_size():  # closing it would wait for a client that reads nothing
            self.transport.abort()
        super().timeout_keep_alive_handler()

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > _MOST_HEAD_BYTES and b"\r\n\r\n" not in data:
                self._refuse(431, "Request Header Fields Too Large")
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._late is None:
            self._expect_head()

    def on_headers_complete(self) -> None:
        self._have_head()
        super().on_headers_complete()
        self._have_body()
        self._late_body = self.loop.call_later(_BODY_S, self.transport.abort)

    def on_message_complete(self) -> None:
        self._have_body()
        super().on_message_complete()

    def _have_body(self) -> None:
        if self._late_body is not None:
            self._late_body.cancel()
            self._late_body = None

    def _expect_reading(self) -> None:
        self._unread = self.loop.call_later(_READ_S, self._check_reading, self.transport.get_write_buffer_size())

    def _have_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _check_reading(self, before: int) -> None:
        """Close a connection whose client has read less than `_LEAST_READ_BYTES` meanwhile."""
        if self.transport.get_write_buffer_size() <= before - _LEAST_READ_BYTES:
            self._expect_reading()
            return
        _log.warning("%s: its client reads no more, so the connection is closed", route_of(cast("Any", self.scope)))
        self.transport.abort()

    def _expect_head(self) -> None:
        self._in_head, self._head_bytes = True, 0
        self._late = self.loop.call_later(_HEAD_S, self._refuse, 408, "Request Timeout")

    def _have_head(self) -> None:
        self._in_head = False
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _refuse(self, status: int, reason: str) -> None:
        self._have_head()
        if not self.transport.is_closing():
            head = f"HTTP/1.1 {status} {reason}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            self.transport.write(head.encode())
            self.transport.close()


class _Server(uvicorn.Server):
    """uvicorn without its own handling of signals, which ends the process with the signal after a clean end.

    asyncio has one number for the connections that the system queues and for those it accepts at once: few are accepted
    at once, so that a crowd does not hold up the others, and many are queued.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for one in sockets or ():
            one.listen(_BACKLOG)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach a server that binds `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket, so that a port in use is reported before anything starts.

    Args:
        port: 0 takes a free one.

    Raises:
        ConfigurationError: it cannot be bound.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ConfigurationError(f"cannot listen on {host}: {error.strerror}") from error
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(_BACKLOG)  # who connects before the server has started waits for it
    except OSError as error:
        bound.close()
        raise ConfigurationError(f"cannot listen on {host}:{port}: {error.strerror}; choose another --port") from error
    return bound


def serve(
    app: FastAPI,
    bound: socket.socket,
    *,
    drain_s: float,
    tell: Callable[[str], None],
    begun: Callable[[], None] = lambda: None,
) -> None:
    """Serve until SIGINT or SIGTERM; then accept no new runs, give those in flight `drain_s` seconds, and end.

    Unfinished runs go on at the next start. A second signal ends at once.

    Args:
        tell: gets a line about the end that begins.
        begun: called when the store is open, before requests are answered.
    """
    config = uvicorn.Config(
        app,
        http=_Protocol,
        ws="none",
        lifespan="off",  # the state is opened and closed here
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=_LAST_ANSWERS_S,
        backlog=_MOST_ACCEPTED,
    )
    server, log = _Server(config), logging.getLogger("uvicorn.error")
    log.addFilter(_is_worth_a_line)
    try:
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(_serve(server, state_of(app), bound, drain_s=drain_s, tell=tell, begun=begun))
    finally:
        log.removeFilter(_is_worth_a_line)


def _is_worth_a_line(record: logging.LogRecord) -> bool:
    """Tell whether a record is about neither a request cut off by the server's end nor one that is no HTTP."""
    if record.msg == "Invalid HTTP request received.":  # it is answered, and anybody can send many
        return False
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or not issubclass(kind, asyncio.CancelledError)


async def _serve(
    server: _Server,
    state: ServerState,
    bound: socket.socket,
    *,
    drain_s: float,
    tell: Callable[[str], None],
    begun: Callable[[], None],
) -> None:
    loop = asyncio.get_running_loop()
    ending: list[asyncio.Task[None]] = []

    def end() -> None:
        if ending:
            server.should_exit = server.force_exit = True
            return
        ending.append(asyncio.create_task(_drained(server, state, drain_s, tell), name="drain"))

    signals: tuple[Any, ...] = (signal.SIGINT, signal.SIGTERM)
    for one in signals:
        loop.add_signal_handler(one, end)
    collecting = asyncio.create_task(collect_when_idle(lambda: state.runs.in_flight), name="garbage")
    try:
        await state.open()  # what can never work is told before anything is answered
        if ending:
            await asyncio.wait(ending)
        else:
            begun()
            await server.serve(sockets=[bound])
    finally:
        collecting.cancel()
        for task in ending:
            task.cancel()
        await asyncio.wait([collecting, *ending])
        if not ending:
            await state.close()
        for one in signals:
            loop.remove_signal_handler(one)


async def _drained(server: _Server, state: ServerState, drain_s: float, tell: Callable[[str], None]) -> None:
    count = state.runs.in_flight
    if count:
        tell(f"ending: {count} in flight get {drain_s:g} s; interrupt again to end at once")
    if not await state.runs.drained(drain_s):
        tell(f"{state.runs.in_flight} unfinished; they continue at the next start")
    await state.close()  # before uvicorn waits for the streams, which end with it
    server.should_exit = True


# -- garbage ---------------------------------------------------------------------------------------


_LOOK_S: Final = 1.0
_LONGEST_S: Final = 60.0
_NEVER: Final = 1_000_000


async def collect_when_idle(in_flight: Callable[[], int]) -> None:
    """Make full collections when nothing is in flight, until cancelled. It changes the thresholds of this process."""
    loop = asyncio.get_running_loop()
    young, middle, old = gc.get_threshold()
    gc.collect()
    gc.freeze()  # what is here now stays
    gc.set_threshold(young, middle, _NEVER)
    try:
        collected_at, has_worked = loop.time(), False
        while True:
            await asyncio.sleep(_LOOK_S)
            is_busy = in_flight() > 0
            has_worked |= is_busy
            if has_worked and (not is_busy or loop.time() - collected_at >= _LONGEST_S):
                gc.collect()
                collected_at, has_worked = loop.time(), is_busy
    finally:
        gc.set_threshold(young, middle, old)
