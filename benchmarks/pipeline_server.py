"""A scripted provider for benchmarks, in a process of its own: OpenAI's chat completions, always the same answers.

    python benchmarks/pipeline_server.py        prints its port; ends when its stdin does

POST /l<MS>/v1/chat/completions answers after MS milliseconds. A request whose schema has an improved_response gets a
revision, with any other schema a critique, without one the first draft. Severity falls: 0.9, 0.65, 0.45, 0.31.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable

SEVERITIES = (0.9, 0.65, 0.45, 0.31)
SUBJECTS = ("eviction", "locking", "expiry", "warming")
DRAFT = re.compile(rb"DRAFT (\d)")


def draft(number: int) -> str:
    """Return 1.2 kB of prose about a subject of its own, so that no draft is like another."""
    subject = SUBJECTS[number % len(SUBJECTS)]
    sentence = f"Round {number} of the cache is about {subject}: what {subject} promises, and who pays for it. "
    return f"DRAFT {number}\n" + sentence * (1200 // len(sentence))


def critique(number: int) -> str:
    severity = SEVERITIES[min(number, len(SEVERITIES) - 1)]
    issues = [
        {
            "message": f"{SUBJECTS[number % len(SUBJECTS)]} ({kind}) needs another look",
            "severity": round(severity * share, 3),
            "kind": kind,
            "line": None,
        }
        for kind, share in (("correctness", 1.0), ("clarity", 0.8), ("coverage", 0.6))
    ]
    suggestions = ["State the bound.", "Cite the test that shows it."]
    return json.dumps(
        {"issues": issues, "suggestions": suggestions, "severity": severity, "feedback": "Not there yet."}
    )


def revision(number: int) -> str:
    changes = {"changes_made": ["rewrote it"], "parts_preserved": ["the title"]}
    return json.dumps({"improved_response": draft(number + 1), **changes})


def answer(body: bytes) -> bytes:
    number = max(map(int, DRAFT.findall(body)), default=0)
    if b'"improved_response"' in body:
        text = revision(number)
    elif b'"response_format"' in body:
        text = critique(number)
    else:
        text = draft(0)
    reply = {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": len(body) // 4, "completion_tokens": len(text) // 4, "total_tokens": 0},
    }
    data = json.dumps(reply).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (len(data), data)


class Connection(asyncio.Protocol):
    """One connection; answers in order, one at a time."""

    def __init__(self) -> None:
        self.received = bytearray()
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment] - uvloop's is one in all but its class

    def connection_lost(self, error: Exception | None) -> None:
        self.transport = None

    def data_received(self, data: bytes) -> None:
        self.received += data
        while (end := self.received.find(b"\r\n\r\n")) >= 0:
            head = bytes(self.received[:end]).lower()
            found = re.search(rb"content-length: *(\d+)", head)
            whole = end + 4 + (int(found[1]) if found else 0)
            if len(self.received) < whole:
                return
            body = bytes(self.received[end + 4 : whole])
            del self.received[:whole]
            latency = re.match(rb"post /l(\d+)/", head)
            wait_s = int(latency[1]) / 1000 if latency else 0.0
            if wait_s:
                asyncio.get_running_loop().call_later(wait_s, self.reply, body)
            else:
                self.reply(body)

    def reply(self, body: bytes) -> None:
        if self.transport is not None:
            self.transport.write(answer(body))


async def serve(port_is: Callable[[int], None]) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", 0, backlog=4096)
    port_is(server.sockets[0].getsockname()[1])
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


def main() -> None:
    try:
        from uvloop import run
    except ImportError:
        run = asyncio.run
    run(serve(lambda port: print(port, flush=True)))


if __name__ == "__main__":
    main()
