"""Wire: types and helpers to parse the fields of a provider's response."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from jido_ai.values import Usage

__all__ = ["FinishReason", "Tokens", "Wire", "count_in", "text_or_none", "usage_of"]

_LARGEST_COUNT: Final = 2**53
_ONE_CALL: Final = Usage(calls=1, input_tokens=0, output_tokens=0, unpriced_calls=1)

FinishReason = Literal["stop", "length", "refusal", "filter"]
Tokens = Annotated[int, Field(ge=0, le=_LARGEST_COUNT)]


class Wire(BaseModel):
    """Base of parsed responses: exact types; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", hide_input_in_errors=True)


def text_or_none(value: object) -> str | None:
    """Return an id from a response; None for anything that is not a text, so that a bad id fails no call."""
    return value if isinstance(value, str) and value else None


def count_in(details: object, name: str) -> int:
    """Return a count from the details of a usage; 0 if missing or invalid, so that a bad count fails no call."""
    count = cast("Mapping[object, object]", details).get(name) if isinstance(details, Mapping) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and count > 0 else 0


def usage_of(
    input_tokens: int | None, output_tokens: int | None, *, cached: int | None = None, reasoning: int | None = None
) -> Usage:
    """Return the usage of one call, without a price. Missing numbers count as 0 tokens.

    Args:
        input_tokens, output_tokens, cached, reasoning: at least 0, as in `Tokens`.
    """
    read, written = min(input_tokens or 0, _LARGEST_COUNT), min(output_tokens or 0, _LARGEST_COUNT)
    told = {"input_tokens": read, "output_tokens": written}
    if cached or reasoning:
        told["input_tokens_cached"] = min(cached or 0, _LARGEST_COUNT)
        told["reasoning_tokens"] = min(reasoning or 0, _LARGEST_COUNT)
    return _ONE_CALL.model_copy(update=told)
