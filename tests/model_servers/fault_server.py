"""A provider that misbehaves on script: the name of the model in a request is the name of the fault.

Raw sockets, on a thread of its own, so that half a response can be sent. It speaks all three wire forms, by the path.

    with FaultServer() as server:
        model = CompatibleModel("hangs", base_url=server.base_url("openai"))
"""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import struct
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

from model_servers.wire import Form, begin, end, form_of, piece, reason, refused, sse, whole

MIB: Final = 1024 * 1024


@dataclass
class Call:
    """One request, and the connection it came on."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    server: FaultServer
    writer: asyncio.StreamWriter
    form: Form = field(init=False)

    def __post_init__(self) -> None:
        self.form = form_of(self.path)

    def whole(self) -> dict[str, Any]:
        """Return an answer in which nothing is wrong."""
        return whole(self.form, self.server.text)

    @property
    def is_stream(self) -> bool:
        return bool(self.body.get("stream"))

    async def send(self, *pieces: bytes) -> None:
        for data in pieces:
            self.writer.write(data)
            await self.writer.drain()

    async def answer(
        self, body: object, status: str = "200 OK", kind: str = "application/json", **headers: str
    ) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        lines = {"Content-Type": kind, "Content-Length": str(len(data)), **headers}
        head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
        await self.send(f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1") + data)

    async def begin_stream(self) -> None:
        kind = "application/x-ndjson" if self.form == "ollama" else "text/event-stream"
        await self.send(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n".encode())

    async def refuse(self, status: str, message: str, *, code: str = "", kind: str = "error", **headers: str) -> None:
        await self.answer(refused(self.form, message, code=code, kind=kind), status, **headers)

    def reset(self) -> None:
        """Break the connection at once, with what is on its way."""
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Fault = Callable[[Call], Awaitable[None]]
FAULTS: dict[str, Fault] = {}
STREAM_FAULTS: dict[str, Fault] = {}


def fault(act: Fault) -> Fault:
    FAULTS[act.__name__.replace("_", "-")] = act
    return act


def stream_fault(act: Fault) -> Fault:
    STREAM_FAULTS[act.__name__.replace("_", "-")] = act
    return act


class FaultServer:
    """See the module.

    Args:
        text: what an answer says in which nothing is wrong; "fine" is in it.

    Attributes:
        calls: path, headers and body of every request, in order.
        handshakes: how many connections were taken.
    """

    def __init__(self, text: str = "fine") -> None:
        self.text = text
        self.calls: list[Call] = []
        self.handshakes = 0
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="fault-server", daemon=True)
        self._ready = threading.Event()
        self._stop: asyncio.Event | None = None

    def __enter__(self) -> FaultServer:
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._stop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def base_url(self, form: Form = "openai") -> str:
        return f"http://127.0.0.1:{self.port}{'/v1' if form == 'openai' else ''}"

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0, backlog=512, limit=64 * MIB)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.handshakes += 1
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                start, *lines = head.strip().split("\r\n")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
                early = b"early-refusal" in await self._peek(reader)
                body = {"model": "early-refusal"}
                if not early:
                    body = json.loads(await reader.readexactly(int(headers.get("content-length", "0"))) or b"{}")
                call = Call(start.split()[1], headers, body, self, writer)
                self.calls.append(call)
                name = str(body.get("model"))
                act = STREAM_FAULTS.get(name) if call.is_stream else None
                await (act or FAULTS.get(name) or fine)(call)
                if early or act is not None or headers.get("connection") == "close" or writer.is_closing():
                    return
        except (asyncio.IncompleteReadError, OSError):
            pass
        except asyncio.CancelledError:  # the server stops, and asyncio would report the cancelled connection
            pass
        finally:
            writer.close()

    @staticmethod
    async def _peek(reader: asyncio.StreamReader) -> bytes:
        """Return the first bytes of the body, without taking them, when they have come with the head."""
        return bytes(reader._buffer[:400])  # type: ignore[attr-defined]


# -- whole answers ---------------------------------------------------------------------------------


@fault
async def fine(call: Call) -> None:
    if call.is_stream:
        await call.begin_stream()
        half = len(call.server.text) // 2
        pieces = [piece(call.form, text) for text in (call.server.text[:half], call.server.text[half:])]
        await call.send(*begin(call.form), *pieces)
        await call.send(*reason(call.form), *end(call.form))
        call.writer.close()
    else:
        await call.answer(call.whole())


@fault
async def rate_limited(call: Call) -> None:
    await call.refuse("429 Too Many Requests", "slow down", code="rate_limit_exceeded", Retry_After="7")


@fault
async def rate_limited_until(call: Call) -> None:
    date = "Sun, 22 Nov 2026 05:00:00 GMT"
    until = "Sun, 22 Nov 2026 05:00:30 GMT"
    await call.refuse("429 Too Many Requests", "slow down", Retry_After=until, Date=date)


@fault
async def rate_limited_garbage(call: Call) -> None:
    await call.refuse("429 Too Many Requests", "slow down", Retry_After="soon, I hope")


@fault
async def rate_limited_negative(call: Call) -> None:
    await call.refuse("429 Too Many Requests", "slow down", Retry_After="-5")


@fault
async def out_of_money(call: Call) -> None:
    message = "Your credit balance is too low"
    await call.refuse("429 Too Many Requests", message, code="insufficient_quota", Retry_After="1")


@fault
async def overloaded(call: Call) -> None:
    await call.refuse("529 Overloaded", "Overloaded", kind="overloaded_error", Retry_After="3")


@fault
async def internal_error(call: Call) -> None:
    await call.refuse("500 Internal Server Error", "boom")


@fault
async def gateway_page(call: Call) -> None:
    await call.answer(b"<html><h1>Bad gateway</h1></html>", "502 Bad Gateway", "text/html")


@fault
async def login_page(call: Call) -> None:
    await call.answer(b"<html><form>Log in to the hotel's network</form></html>", kind="text/html")


@fault
async def key_refused(call: Call) -> None:
    sent = call.headers.get("authorization", call.headers.get("x-api-key", "none"))
    await call.refuse("401 Unauthorized", f"Incorrect API key provided: {sent}. Find yours on our site.")


@fault
async def forbidden(call: Call) -> None:
    await call.refuse("403 Forbidden", "this key may not use that model", kind="permission_error")


@fault
async def unknown_model(call: Call) -> None:
    await call.refuse("404 Not Found", "model: unknown-model", code="model_not_found", kind="not_found_error")


@fault
async def too_long(call: Call) -> None:
    message = "This model's maximum context length is 4097 tokens, you asked for 5000"
    await call.refuse("400 Bad Request", message, kind="invalid_request_error")


@fault
async def too_large(call: Call) -> None:
    await call.answer(b"<html>413</html>", "413 Request Entity Too Large", "text/html")


@fault
async def early_refusal(call: Call) -> None:
    """Answer before the request was read, and never read it."""
    await call.refuse("413 Request Entity Too Large", "too large", code="request_too_large", Connection="close")
    await asyncio.sleep(3600)


@fault
async def bad_request(call: Call) -> None:
    await call.refuse("400 Bad Request", "temperature must be at most 2", kind="invalid_request_error")


@fault
async def error_inside(call: Call) -> None:
    """Say 200, and tell of an error in the body."""
    if call.form == "ollama":
        await call.answer({"error": "the runner has died"})
    else:
        await call.answer({"error": {"type": "overloaded_error", "code": 529, "message": "Overloaded"}})


@fault
async def hangs(call: Call) -> None:
    await asyncio.sleep(3600)


@fault
async def drips(call: Call) -> None:
    """Send a byte every 20 ms: each read is quick, the whole never ends."""
    data = json.dumps(whole(call.form, "x" * 100_000)).encode()
    await call.send(
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode()
    )
    for byte in data:
        await call.send(bytes([byte]))
        await asyncio.sleep(0.02)


@fault
async def drips_headers(call: Call) -> None:
    await call.send(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not call.writer.is_closing():
        await call.send(b"x")
        await asyncio.sleep(0.02)


@fault
async def endless_header(call: Call) -> None:
    await call.send(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while not call.writer.is_closing():
        await call.send(b"h" * 8192)


@fault
async def continues_for_ever(call: Call) -> None:
    while not call.writer.is_closing():
        await call.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        await asyncio.sleep(0.01)


@fault
async def reset_at_once(call: Call) -> None:
    call.reset()


@fault
async def reset_halfway(call: Call) -> None:
    await call.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{")
    await asyncio.sleep(0.01)
    call.reset()


@fault
async def closes_without_answer(call: Call) -> None:
    call.writer.close()


@fault
async def half_an_answer(call: Call) -> None:
    """Announce more than is sent, and close."""
    data = json.dumps(whole(call.form, "x" * 200)).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    await call.send(head.encode() + data[:60])
    call.writer.close()


@fault
async def half_json(call: Call) -> None:
    """Announce what is sent, but it is half of a text."""
    await call.answer(json.dumps(whole(call.form, "x" * 200)).encode()[:-40])


@fault
async def length_too_small(call: Call) -> None:
    data = json.dumps(call.whole()).encode()
    await call.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n" + data)


@fault
async def two_lengths(call: Call) -> None:
    data = json.dumps(call.whole()).encode()
    await call.send(
        f"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n".encode()
        + data
    )
    call.writer.close()


@fault
async def bad_chunks(call: Call) -> None:
    await call.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n")
    call.writer.close()


@fault
async def not_http(call: Call) -> None:
    await call.send(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")
    call.writer.close()


@fault
async def no_content(call: Call) -> None:
    await call.send(b"HTTP/1.1 204 No Content\r\n\r\n")


@fault
async def empty(call: Call) -> None:
    await call.answer(b"")


@fault
async def redirects(call: Call) -> None:
    await call.answer(b"", "307 Temporary Redirect", Location=f"{call.server.base_url()}/stolen")


@fault
async def not_json(call: Call) -> None:
    await call.answer(b"fine, thank you")


@fault
async def list_not_object(call: Call) -> None:
    await call.answer([1, 2, 3])


@fault
async def wrong_types(call: Call) -> None:
    await call.answer({"choices": "many", "content": 7, "message": [], "done": "yes", "usage": "some"})


@fault
async def no_text(call: Call) -> None:
    """Be a completion in all but the text."""
    await call.answer({"choices": [], "content": None, "message": None, "model": "served"})


@fault
async def null_text(call: Call) -> None:
    await call.answer(whole(call.form, None))


@fault
async def deep(call: Call) -> None:
    data = json.dumps(call.whole()).encode()
    await call.answer(data[:-1] + b', "extra": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")


@fault
async def long_number(call: Call) -> None:
    data = json.dumps(call.whole()).encode()
    await call.answer(data.replace(b": 3", b": " + b"9" * 5_000))


@fault
async def not_a_number(call: Call) -> None:
    data = json.dumps(call.whole()).encode()
    await call.answer(data.replace(b": 3", b": NaN"))


@fault
async def negative_usage(call: Call) -> None:
    await call.answer(json.dumps(call.whole()).encode().replace(b": 3", b": -3"))


@fault
async def lone_surrogate(call: Call) -> None:
    await call.answer(json.dumps(call.whole()).encode().replace(b"fine", b"\\ud800"))


@fault
async def not_utf8(call: Call) -> None:
    await call.answer(json.dumps(call.whole()).encode().replace(b"fine", b"\xff\xfe"))


@fault
async def doubled_keys(call: Call) -> None:
    data = json.dumps(call.whole()).encode()
    await call.answer(b'{"model": "first", ' + data[1:])


@fault
async def huge(call: Call) -> None:
    """Send 50 MiB, with its length announced."""
    await call.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
    await call.send(f"Content-Length: {50 * MIB}\r\n\r\n".encode(), *[b"x" * MIB] * 50)


@fault
async def huge_unannounced(call: Call) -> None:
    await call.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
    chunk = f"{MIB:x}\r\n".encode() + b"x" * MIB + b"\r\n"
    await call.send(*[chunk] * 50)


_BOMB: Final = gzip.compress(b" " * (64 * MIB), 9)


@fault
async def gzip_bomb(call: Call) -> None:
    """Send 64 KiB that unpack to 64 MiB."""
    await call.answer(_BOMB, Content_Encoding="gzip")


@fault
async def packed_well(call: Call) -> None:
    await call.answer(gzip.compress(json.dumps(call.whole()).encode()), Content_Encoding="gzip")


@fault
async def packed_badly(call: Call) -> None:
    await call.answer(b"\x1f\x8b not gzip at all", Content_Encoding="gzip")


@fault
async def packed_by_half(call: Call) -> None:
    await call.answer(gzip.compress(json.dumps(call.whole()).encode())[:-12], Content_Encoding="gzip")


@fault
async def packed_unasked(call: Call) -> None:
    await call.answer(b"whatever", Content_Encoding="br")


@fault
async def cut_by_length(call: Call) -> None:
    await call.answer(whole(call.form, "half a sent", "length"))


@fault
async def sets_a_cookie(call: Call) -> None:
    await call.answer(call.whole(), Set_Cookie="track=me; Path=/")


@fault
async def byte_order_mark(call: Call) -> None:
    await call.answer(b"\xef\xbb\xbf" + json.dumps(call.whole()).encode())


@fault
async def created(call: Call) -> None:
    await call.answer(call.whole(), "201 Created")


@fault
async def fractional_usage(call: Call) -> None:
    await call.answer(json.dumps(call.whole()).encode().replace(b": 3", b": 3.0"))


@fault
async def parts(call: Call) -> None:
    """Give the text in parts, after thoughts."""
    body = call.whole()
    content = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": call.server.text}]
    messages = {
        "openai": lambda: body["choices"][0]["message"],
        "anthropic": lambda: body,
        "ollama": lambda: body["message"],
    }
    messages[call.form]()["content"] = content
    await call.answer(body)


@fault
async def streams_unasked(call: Call) -> None:
    kind = "application/x-ndjson" if call.form == "ollama" else "text/event-stream"
    pieces = (piece(call.form, text) for text in (call.server.text[:2], call.server.text[2:]))
    events = (*begin(call.form), *pieces, *reason(call.form), *end(call.form))
    await call.answer(b"".join(events), kind=kind)


@fault
async def waits_in_the_body(call: Call) -> None:
    """Say how long to wait as Google does: in a list, in the details of the error."""
    details = [{"@type": "QuotaFailure"}, {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "2s"}]
    error = {"code": 429, "message": "quota exceeded", "status": "RESOURCE_EXHAUSTED", "details": details}
    await call.answer([{"error": error}], "429 Too Many Requests")


@fault
async def flagged(call: Call) -> None:
    await call.refuse("403 Forbidden", "Your chosen model requires moderation and your input was flagged")


@fault
async def refuses_temperature(call: Call) -> None:
    if "temperature" not in {**call.body, **call.body.get("options", {})}:
        await fine(call)
        return
    message = (
        "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) is supported."
    )
    await call.refuse("400 Bad Request", message, code="unsupported_value")


# -- streams ---------------------------------------------------------------------------------------


@stream_fault
async def mark_first(call: Call) -> None:
    await call.begin_stream()
    events = (*begin(call.form), piece(call.form, "fine"), *reason(call.form), *end(call.form))
    await call.send(b"\xef\xbb\xbf" + b"".join(events))


@stream_fault
async def ends_early(call: Call) -> None:
    """Close in good order in the middle of the answer."""
    await call.begin_stream()
    await call.send(*begin(call.form), piece(call.form, "half"))


@stream_fault
async def ends_inside_an_event(call: Call) -> None:
    await call.begin_stream()
    await call.send(*begin(call.form), piece(call.form, "half"), piece(call.form, "cut")[:30])


@stream_fault
async def resets_midway(call: Call) -> None:
    await call.begin_stream()
    await call.send(*begin(call.form), piece(call.form, "half"))
    await asyncio.sleep(0.01)
    call.reset()


@stream_fault
async def error_midway(call: Call) -> None:
    await call.begin_stream()
    await call.send(*begin(call.form), piece(call.form, "half"))
    if call.form == "ollama":
        await call.send(b'{"error": "overloaded"}\n')
    else:
        await call.send(sse({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "error"))


@stream_fault
async def stalls(call: Call) -> None:
    await call.begin_stream()
    await call.send(*begin(call.form), piece(call.form, "half"))
    await asyncio.sleep(3600)


@stream_fault
async def pings_for_ever(call: Call) -> None:
    """Show life every 20 ms, and bring nothing."""
    await call.begin_stream()
    while not call.writer.is_closing():
        await call.send(piece("ollama", "") if call.form == "ollama" else b": ping\n\n")
        await asyncio.sleep(0.02)


@stream_fault
async def stays_open_after_the_end(call: Call) -> None:
    await call.begin_stream()
    await call.send(*begin(call.form), piece(call.form, "fine"), *reason(call.form), *end(call.form))
    await asyncio.sleep(3600)


@stream_fault
async def splits_characters(call: Call) -> None:
    await call.begin_stream()
    for data in (*begin(call.form), piece(call.form, "größer ☃"), *reason(call.form), *end(call.form)):
        for byte in data:
            await call.send(bytes([byte]))
        await asyncio.sleep(0)


@stream_fault
async def comments_and_crlf(call: Call) -> None:
    await call.begin_stream()
    events = b"".join((*begin(call.form), piece(call.form, "fine"), *reason(call.form), *end(call.form)))
    if call.form != "ollama":
        events = b": good morning\n\nid: 7\nretry: 10\n\n" + events
    await call.send(events.replace(b"\n", b"\r\n"))


@stream_fault
async def garbage_event(call: Call) -> None:
    await call.begin_stream()
    await call.send(piece(call.form, "half"), b"data: {no json\n\n")


@stream_fault
async def not_utf8_midway(call: Call) -> None:
    await call.begin_stream()
    await call.send(*begin(call.form), piece(call.form, "half").replace(b"half", b"\xff\xfe"))


@stream_fault
async def endless_line(call: Call) -> None:
    await call.begin_stream()
    await call.send(b"data: ", *[b"x" * MIB] * 50)


@stream_fault
async def endless_stream(call: Call) -> None:
    await call.begin_stream()
    await call.send(*begin(call.form))
    many = piece(call.form, "more " * 1000) * 50
    while not call.writer.is_closing():
        await call.send(many)


@stream_fault
async def no_reason(call: Call) -> None:
    """Say that it is over without having said how it ended."""
    await call.begin_stream()
    await call.send(*begin(call.form), piece(call.form, "half"))
    if call.form == "openai":
        await call.send(b"data: [DONE]\n\n")


@stream_fault
async def answers_whole(call: Call) -> None:
    """Take no notice of being asked to stream."""
    await call.answer(call.whole())


@stream_fault
async def no_end_mark(call: Call) -> None:
    """Say how it ended, and close without the mark that comes last."""
    await call.begin_stream()
    await call.send(*begin(call.form), piece(call.form, "fine"), *reason(call.form))
    if call.form == "ollama":
        await call.send(*end(call.form))
