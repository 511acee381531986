"""What a well-behaved provider answers, in each of the three wire forms."""

from __future__ import annotations

import json
from typing import Any, Literal

Form = Literal["openai", "anthropic", "ollama"]

FINISH: dict[Form, dict[str, str]] = {
    "openai": {"stop": "stop", "length": "length", "refusal": "stop", "filter": "content_filter"},
    "anthropic": {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal", "filter": "refusal"},
    "ollama": {"stop": "stop", "length": "length", "refusal": "stop", "filter": "stop"},
}


def form_of(path: str) -> Form:
    if path.endswith("/messages"):
        return "anthropic"
    return "ollama" if path.endswith("/api/chat") else "openai"


def whole(form: Form, text: str | None = "fine", finish: str = "stop", *, tool: bool = False) -> dict[str, Any]:
    """Return a whole answer; 3 tokens came in, 2 go out."""
    reason = FINISH[form][finish]
    if form == "openai":
        said: dict[str, Any] = {"role": "assistant", "content": text}
        if finish == "refusal":
            said = {"role": "assistant", "content": None, "refusal": text}
        return {
            "object": "chat.completion",
            "model": "served",
            "choices": [{"index": 0, "message": said, "finish_reason": reason}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
        }
    if form == "anthropic":
        block: dict[str, Any] = {"type": "text", "text": text}
        if tool:
            block = {"type": "tool_use", "id": "t1", "name": "reply", "input": json.loads(text or "{}")}
        return {
            "type": "message",
            "role": "assistant",
            "model": "served",
            "content": [block],
            "stop_reason": "tool_use" if tool else reason,
            "usage": {"input_tokens": 3, "output_tokens": 2},
        }
    return {
        "model": "served",
        "message": {"role": "assistant", "content": text},
        "done": True,
        "done_reason": reason,
        "prompt_eval_count": 3,
        "eval_count": 2,
    }


def sse(data: object, name: str | None = None) -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def begin(form: Form, *, tool: bool = False) -> list[bytes]:
    """Return the events before the first piece of a stream."""
    if form == "anthropic":
        start = {"type": "message", "model": "served", "content": [], "usage": {"input_tokens": 3, "output_tokens": 1}}
        block = {"type": "tool_use", "id": "t1", "name": "reply", "input": {}} if tool else {"type": "text", "text": ""}
        return [
            sse({"type": "message_start", "message": start}, "message_start"),
            sse({"type": "content_block_start", "index": 0, "content_block": block}, "content_block_start"),
            sse({"type": "ping"}, "ping"),
        ]
    if form == "openai":
        return [sse({"model": "served", "choices": [{"index": 0, "delta": {"role": "assistant", "content": None}}]})]
    return []


def piece(form: Form, text: str, *, tool: bool = False) -> bytes:
    """Return the event that brings a piece of text."""
    if form == "openai":
        return sse({"model": "served", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]})
    if form == "anthropic":
        delta = {"type": "input_json_delta", "partial_json": text} if tool else {"type": "text_delta", "text": text}
        return sse({"type": "content_block_delta", "index": 0, "delta": delta}, "content_block_delta")
    line = {"model": "served", "message": {"role": "assistant", "content": text}, "done": False}
    return json.dumps(line, ensure_ascii=False).encode() + b"\n"


def reason(form: Form, finish: str = "stop", *, tool: bool = False) -> list[bytes]:
    """Return the events after the last piece, up to what says how it ended."""
    word = FINISH[form][finish]
    if form == "openai":
        return [sse({"choices": [{"index": 0, "delta": {}, "finish_reason": word}]})]
    if form == "anthropic":
        delta = {"stop_reason": "tool_use" if tool else word}
        return [
            sse({"type": "content_block_stop", "index": 0}, "content_block_stop"),
            sse({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 2}}, "message_delta"),
        ]
    return []


def end(form: Form, finish: str = "stop") -> list[bytes]:
    """Return the events that say that nothing more follows."""
    if form == "openai":
        usage = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
        return [sse({"choices": [], "usage": usage}), b"data: [DONE]\n\n"]
    if form == "anthropic":
        return [sse({"type": "message_stop"}, "message_stop")]
    last = {**whole("ollama", "", finish)}
    return [json.dumps(last).encode() + b"\n"]


def refused(form: Form, message: str, *, code: str = "", kind: str = "error") -> dict[str, Any]:
    """Return the body of a refusal."""
    if form == "ollama":
        return {"error": message}
    if form == "anthropic":
        return {"type": "error", "error": {"type": code or kind, "message": message}}
    return {"error": {"message": message, "type": kind, "code": code or None, "param": None}}
