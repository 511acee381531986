"""A local stand-in for model providers, so that the examples need neither a network nor a key."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

ANSWERS = {
    "/v1/chat/completions": {
        "choices": [{"message": {"content": "Hello from chat completions."}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 5},
    },
    "/v1/messages": {
        "content": [{"type": "text", "text": "Hello from messages."}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 9, "output_tokens": 4},
    },
    "/api/chat": {
        "message": {"content": "Hello from Ollama."},
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": 9,
        "eval_count": 4,
    },
}


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one request and close."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    length = next(int(line.split(":")[1]) for line in head.splitlines() if line.lower().startswith("content-length"))
    await reader.readexactly(length)
    body = json.dumps(ANSWERS[head.split()[1]])
    lines = ["HTTP/1.1 200 OK", "content-type: application/json", f"content-length: {len(body)}", "connection: close"]
    writer.write("\r\n".join([*lines, "", body]).encode())
    await writer.drain()
    writer.close()


@asynccontextmanager
async def stand_in() -> AsyncGenerator[str]:
    """Serve on loopback, and yield the address."""
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        host, port = server.sockets[0].getsockname()
        yield f"http://{host}:{port}"
