"""Conversations in OpenAI's forms, as one prompt. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from jido_ai.errors import describe
from jido_ai.serve.bodies import ChatMessage
from jido_ai.serve.problems import Problem

Turn = tuple[str, str]
"""A role, with its name if it has one, and a text."""
_ROLES: Final = ("system", "developer", "user", "assistant", "tool", "function")
_TEXT_PARTS: Final = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}


def prompt_of(turns: Sequence[Turn], field: str) -> str:
    """Return the last message of the user, after the messages before it and before those after it.

    Args:
        field: that has the messages, in errors.

    Raises:
        Problem: there is no message of the user, or the last one is blank ("malformed").
    """
    last = next((index for index in range(len(turns) - 1, -1, -1) if turns[index][0].split(" ")[0] == "user"), None)
    if last is None:
        raise Problem("malformed", f"{field}: one message must have the role user", field=field)
    if not turns[last][1].strip():
        raise Problem("malformed", f"{field}: the last message of the user must not be blank", field=field)
    before, after = _told(turns[:last]), _told(turns[last + 1 :])
    parts = [
        f"<conversation>\n{before}\n</conversation>" if before else "",
        turns[last][1],
        f"<after_the_message>\n{after}\n</after_the_message>" if after else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _told(turns: Sequence[Turn]) -> str:
    return "\n\n".join(f"{role}: {text}" for role, text in turns if text)


def chat_turns(messages: Sequence[ChatMessage]) -> list[Turn]:
    """Return the messages of a chat. Raises `Problem` ("malformed") for one that is not text."""
    return [turn for index, one in enumerate(messages) for turn in _message(dict(one), f"messages.{index}")]


def response_turns(instructions: str | None, given: str | Sequence[Mapping[str, Any]]) -> list[Turn]:
    """Return the instructions and the input of a response. Raises `Problem` ("malformed") for one that is not text."""
    turns = [("system", instructions)] if instructions else []
    if isinstance(given, str):
        return [*turns, ("user", given)]
    return [*turns, *(turn for index, item in enumerate(given) for turn in _item(item, f"input.{index}"))]


def _item(item: Mapping[str, Any], field: str) -> Iterator[Turn]:
    match item.get("type", "message"):
        case "message":
            yield from _message(item, field)
        case "function_call":
            yield "assistant", _call(item)
        case "function_call_output":
            yield "tool", _text(item.get("output"), f"{field}.output")
        case "reasoning":  # of the model that answered before
            return
        case other:
            raise Problem("malformed", f"{field}: items of type {describe(other)} are not supported", field=field)


def _message(message: Mapping[str, Any], field: str) -> Iterator[Turn]:
    role, name = message.get("role"), message.get("name")
    if role not in _ROLES:
        known = ", ".join(_ROLES)
        raise Problem("malformed", f"{field}.role must be one of {known}, got {describe(role)}", field=f"{field}.role")
    said = f"{role} {name}" if isinstance(name, str) and name else str(role)
    texts = [_text(message.get("content"), f"{field}.content"), str(message.get("refusal") or "")]
    tools = [_map(call) for call in _calls(message.get("tool_calls"), f"{field}.tool_calls")]
    called = [_map(call.get("function", call.get("custom"))) for call in tools]
    texts += [_call(one) for one in (*called, _map(message.get("function_call"))) if one]
    yield said, "\n".join(text for text in texts if text)


def _calls(calls: object, field: str) -> list[object]:
    if calls is None:
        return []
    if not isinstance(calls, list):
        raise Problem("malformed", f"{field} must be a list, got {describe(calls)}", field=field)
    return cast("list[object]", calls)


def _call(call: Mapping[str, Any]) -> str:
    return f"(calls {call.get('name')} with {call.get('arguments', call.get('input'))})"


def _text(content: object, field: str) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    texts: list[str] = []
    for part in cast("list[object]", content) if isinstance(content, list) else [content]:
        kind: object = _map(part).get("type")
        text: object = _map(part).get(_TEXT_PARTS.get(str(kind), ""))
        if not isinstance(text, str):
            message = f"{field}: only parts of type text are supported, got {describe(kind)}"
            raise Problem("malformed", message, field=field)
        texts.append(text)
    return "".join(texts)


def _map(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
