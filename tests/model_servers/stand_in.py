"""A provider that behaves, in all three wire forms, and is strict about what it is asked: a thread on loopback.

The answer is "well then" in pieces, or JSON for a schema, or `critique` for the schema of a critique; the name of the
model does not matter.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from model_servers.wire import Form, begin, end, form_of, piece, reason, refused, whole

TEXT = ("well", " then")
JSON = ('{"score": 7,', ' "verdict": "accept"}')
TAKES = 10_000
ALLOWED: dict[Form, set[str]] = {
    "openai": {
        *("model", "messages", "temperature", "max_tokens", "stop", "seed", "response_format"),
        *("stream", "stream_options"),
    },
    "anthropic": {
        *("model", "messages", "system", "temperature", "max_tokens", "stop_sequences", "tools", "tool_choice"),
        "stream",
    },
    "ollama": {"model", "messages", "options", "format", "stream"},
}


class StandIn:
    """See the module.

    Attributes:
        url: without a path.
        asked: the bodies of all requests that were let in.
    """

    def __init__(self, key: str, critique: str | None = None) -> None:
        self.asked: list[dict[str, Any]] = []
        handler = type("Handler", (_Handler,), {"key": key, "asked": self.asked, "critique": critique})
        self._server = _Server(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, name="stand-in", daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> StandIn:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients of tests leave when they like."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    key = ""
    asked: list[dict[str, Any]]

    def log_message(self, *_: object) -> None:
        """Keep the tests' output clean."""

    def do_POST(self) -> None:
        form = form_of(self.path)
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        sent = self.headers.get("x-api-key") or self.headers.get("authorization", "").removeprefix("Bearer ")
        if sent != self.key:
            self._json(401, refused(form, "invalid key", kind="authentication_error"))
        elif complaint := _complaint(form, body):
            self._json(400, refused(form, complaint, kind="invalid_request_error"))
        elif sum(len(message["content"]) for message in body["messages"]) > TAKES:
            self._json(400, refused(form, "prompt is too long: 20000 tokens > 10000 maximum"))
        else:
            self.asked.append(body)
            self._answer(form, body)

    def _answer(self, form: Form, body: dict[str, Any]) -> None:
        is_tool = "tool_choice" in body
        pieces = JSON if is_tool or "response_format" in body or "format" in body else TEXT
        if self.critique and '"severity"' in json.dumps(body):
            pieces = (self.critique,)
        limit = body.get("max_tokens", body.get("options", {}).get("num_predict", 100))
        finish = "length" if limit < 4 else "stop"
        if not body.get("stream"):
            self._json(200, whole(form, "".join(pieces), finish, tool=is_tool))
            return
        self.send_response(200)
        self.send_header("content-type", "application/x-ndjson" if form == "ollama" else "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for data in _stream(form, pieces, finish, tool=is_tool):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.write(b"0\r\n\r\n")

    def _json(self, status: int, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _stream(form: Form, pieces: tuple[str, ...], finish: str, *, tool: bool) -> Iterator[bytes]:
    yield from begin(form, tool=tool)
    for text in pieces:
        yield piece(form, text, tool=tool)
    yield from reason(form, finish, tool=tool)
    yield from end(form, finish)


def _complaint(form: Form, body: dict[str, Any]) -> str | None:
    """Say what is wrong with a request, as strictly as the providers themselves."""
    if unknown := set(body) - ALLOWED[form]:
        return f"unknown fields: {unknown}"
    roles = {message["role"] for message in body["messages"]}
    if form == "anthropic" and ("system" in roles or "max_tokens" not in body or body["messages"][0]["role"] != "user"):
        return "system belongs beside the messages, which begin with a user; max_tokens is required"
    if form == "openai" and "response_format" in body and not body["response_format"]["json_schema"]["name"]:
        return "a schema needs a name"
    return None
