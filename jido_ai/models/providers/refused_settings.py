"""Settings, or a system role, that a model refuses and a request can do without, from its provider's error. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, cast

from jido_ai.models.defaults import settings_by_default
from jido_ai.models.providers.refusals import ErrorBody
from jido_ai.values import CompletionRequest, Message

LIMIT_NAME: Final = "name of max_tokens"
"""Stands for the name under which the limit is sent, where there are two and most models know one of them."""
STREAM_OPTIONS: Final = "stream_options"
SYSTEM_ROLE: Final = "system role"
"""Stands for messages with the role "system"; without it their text is in front of the first message of the user."""
_SCHEMA: Final = r"response[_ ]format|(?:json|response)[_ ](?:json_)?schema|structured[_ ]outputs?|grammar|guided_json"
_LIMIT: Final = r"max_(?:completion_|output_|new_)?tokens|num_predict|in the completion|completion tokens"
_SETTINGS: Final = {
    "temperature": ("temperature", r"temperature"),
    "seed": ("seed", r"seed"),
    "top_p": ("top_p", r"top_p"),
    **dict.fromkeys(("stop", "stop_sequences"), ("stop", r"stop(?:_sequences)?")),
    **dict.fromkeys(("max_tokens", "max_completion_tokens", "num_predict"), ("max_tokens", _LIMIT)),
    "response_format": ("schema", _SCHEMA),
    "format": ("schema", rf"format|{_SCHEMA}"),
    "tools": ("schema", r"tools?|tool_choice|input_schema"),
    STREAM_OPTIONS: (STREAM_OPTIONS, r"stream_options|include_usage"),
}
"""By the name in a payload: the field of the request, and the words by which an error names it."""
_NO_SYSTEM: Final = re.compile(
    r"system (?:role|messages?|prompts?|instructions?) (?:(?:is|are) )?(?:not|un)|roles? must alternate|"
    r"(?:not support|unsupported|unknown|unexpected|invalid)[^.]{0,40}\b(?:role\W+system|system\W+(?:role|message))|"
    r"developer instruction is not enabled|only user(?:,| and) (?:assistant|model)[^.]{0,20} roles",
    re.IGNORECASE,
)
"""As the templates of Gemma, Mistral and others, and the servers around them, say it."""
_UNKNOWN: Final = re.compile(
    r"unsupported|not support|unrecogni[sz]ed|unknown|unexpected|\bextra\b|not permitted|not allowed", re.IGNORECASE
)


def refused_setting(
    error: ErrorBody,
    payload: Mapping[str, Any],
    request: CompletionRequest,
    known: Collection[str] = (),
    *,
    limit_names: Collection[str] = (),
) -> str | None:
    """Return the setting to omit from a refused request: a field, `STREAM_OPTIONS` or `LIMIT_NAME`.

    It is the setting that the error is about: its `param`, else the first of those sent that its message names. None
    if there is none, or if the user asked for it.

    Args:
        payload: as it was sent.
        known: what it was sent without.
        limit_names: the names under which the provider's models may know the limit, if there are several.
    """
    options = payload.get("options")
    sent = {*payload, *(cast("dict[str, Any]", options) if isinstance(options, dict) else ())}
    places = [(place, name) for name in sent & _SETTINGS.keys() if (place := _place(name, error)) is not None]
    if not places:
        return None
    name = min(places)[1]
    field = _SETTINGS[name][0]
    others = [other for other in limit_names if other != name]
    is_other_name = bool(_UNKNOWN.search(error.message)) or any(other in error.message for other in others)
    if name in limit_names and LIMIT_NAME not in known and is_other_name:
        return LIMIT_NAME
    is_ours = field == STREAM_OPTIONS or field in settings_by_default(request)
    return field if is_ours and field not in known else None


def refuses_system(error: ErrorBody, request: CompletionRequest, known: Collection[str] = ()) -> bool:
    """True if a model knows no system role, and the request has one."""
    has_system = any(message.role == "system" for message in request.messages)
    return has_system and SYSTEM_ROLE not in known and bool(_NO_SYSTEM.search(error.message))


def _place(name: str, error: ErrorBody) -> int | None:
    """Return where an error names a setting; None if it does not."""
    found = re.search(rf"\b(?:{_SETTINGS[name][1]})\b", error.param or error.message, re.IGNORECASE)
    return None if found is None else found.start()


def left_out(request: CompletionRequest, refused: Collection[str], *, is_stream: bool) -> frozenset[str]:
    """Return the refused settings to omit from this request: the ones that its user did not set."""
    has = {name for name in settings_by_default(request) if getattr(request, name, None) is not None}
    if request.max_tokens is not None:
        has.add(LIMIT_NAME)
    if is_stream:
        has.add(STREAM_OPTIONS)
    if any(message.role == "system" for message in request.messages):
        has.add(SYSTEM_ROLE)
    return frozenset(has & {*refused})


def without_fields(request: CompletionRequest, names: Collection[str]) -> CompletionRequest:
    """Return the request without the fields, and without a system role."""
    changes: dict[str, Any] = dict.fromkeys(name for name in names if name in CompletionRequest.model_fields)
    if SYSTEM_ROLE in names:
        changes["messages"] = _without_system(request.messages)
    return request.model_copy(update=changes) if changes else request


def _without_system(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages with the system's text in front of the first one of the user, so that roles alternate."""
    texts = [message.content for message in messages if message.role == "system" and message.content.strip()]
    merged = [Message("user", "\n\n".join(texts))] if texts else []
    for message in messages:
        if message.role == "system":
            continue
        if merged and merged[-1].role == message.role:
            merged[-1] = Message(message.role, f"{merged[-1].content}\n\n{message.content}")
        else:
            merged.append(message)
    return tuple(merged)
