"""Wire: types and helpers to parse the fields of a provider's response."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import to_json

from jido_ai.values import Usage

__all__ = ["Content", "FinishReason", "Tokens", "Wire", "arguments_in", "count_in", "text_or_none", "usage_of"]

_LARGEST_COUNT: Final = 2**53
_TEXT_PARTS: Final = ("text", "output_text")
_THOUGHT_PARTS: Final = ("thinking", "redacted_thinking", "reasoning")
_ONE_CALL: Final = Usage(calls=1, input_tokens=0, output_tokens=0, unpriced_calls=1)

FinishReason = Literal["stop", "length", "refusal", "filter"]


def _count(value: object) -> object:
    """Round a fraction up, and take a negative number for a missing one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if value < 0:
        return None
    return math.ceil(value) if isinstance(value, float) and math.isfinite(value) else value


def _joined(content: object) -> object:
    """Return the text of a list of parts, without thoughts; None if there are only parts of other kinds."""
    if not isinstance(content, list):
        return content
    texts: list[str] = []
    is_other = False
    for part in cast("list[object]", content):
        fields = cast("dict[str, object]", part) if isinstance(part, dict) else {"text": part}
        kind, text = fields.get("type", "text"), fields.get("text")
        if kind in _TEXT_PARTS and isinstance(text, str):
            texts.append(text)
        elif kind not in _THOUGHT_PARTS:
            is_other = True
    return None if is_other and not texts else "".join(texts)


Tokens = Annotated[Annotated[int, Field(ge=0, le=_LARGEST_COUNT)] | None, BeforeValidator(_count)]
"""A count; None if it is missing or negative."""
Content = Annotated[str | None, BeforeValidator(_joined)]
"""The text of a message, which may come as a list of parts."""


class Wire(BaseModel):
    """Base of parsed responses: exact types; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", hide_input_in_errors=True)

    @classmethod
    def of(cls, data: str | bytes) -> Self:
        """Parse JSON, with or without a byte order mark. Raises `ValidationError`."""
        if isinstance(data, bytes):
            return cls.model_validate_json(data.removeprefix(b"\xef\xbb\xbf"))
        return cls.model_validate_json(data.removeprefix("\ufeff"))


def arguments_in(calls: object) -> str | None:
    """Return the arguments of the first tool call: JSON, or a piece of it in a stream; None if there are none.

    Some servers answer a schema with a call of a tool that they make of it.
    """
    first = cast("list[object]", calls)[0] if isinstance(calls, list) and calls else None
    call = cast("dict[str, object]", first) if isinstance(first, dict) else {}
    function = call.get("function")
    if not isinstance(function, dict) or call.get("index", 0) not in (0, None):
        return None
    given = cast("dict[str, object]", function).get("arguments")
    return given if given is None or isinstance(given, str) else to_json(given).decode("utf-8")


def text_or_none(value: object) -> str | None:
    """Return an id from a response; None for anything that is not a text, so that a bad id fails no call."""
    return value if isinstance(value, str) and value else None


def count_in(details: object, name: str) -> int:
    """Return a count from the details of a usage; 0 if missing or invalid, so that a bad count fails no call."""
    count = cast("Mapping[object, object]", details).get(name) if isinstance(details, Mapping) else None
    count = _count(count)
    return count if isinstance(count, int) and not isinstance(count, bool) and count > 0 else 0


def usage_of(
    input_tokens: int | None, output_tokens: int | None, *, cached: int | None = None, reasoning: int | None = None
) -> Usage:
    """Return the usage of one call, without a price. Missing numbers count as 0 tokens.

    Args:
        input_tokens, output_tokens, cached, reasoning: at least 0, as in `Tokens`.
    """
    read, written = min(input_tokens or 0, _LARGEST_COUNT), min(output_tokens or 0, _LARGEST_COUNT)
    counts = {"input_tokens": read, "output_tokens": written}
    if cached or reasoning:
        counts["input_tokens_cached"] = min(cached or 0, _LARGEST_COUNT)
        counts["reasoning_tokens"] = min(reasoning or 0, _LARGEST_COUNT)
    return _ONE_CALL.model_copy(update=counts)
