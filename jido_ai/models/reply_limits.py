"""Limits of a reply's length where the caller sets none. Pure."""

from __future__ import annotations

from typing import Final

from jido_ai.values import Completion

_CRITIQUE_TOKENS: Final = 800
_CRITERIA: Final = 5
_CRITERION_TOKENS: Final = 80
_TEXT_TOKENS: Final = 2_000
_FEWEST_WORDS: Final = 20
MORE: Final = 2
"""Factor of a default limit after it has cut a reply."""
MORE_FOR_THOUGHTS: Final = 8
"""The same for a model that spends tokens on thoughts: most replies need a few thousand of them."""


def critique_tokens(criteria: int = 0) -> int:
    """Return the default limit of a critique: 800 tokens, and 80 for each criterion above five."""
    return _CRITIQUE_TOKENS + _CRITERION_TOKENS * max(0, criteria - _CRITERIA)


def text_tokens(*lengths: int) -> int:
    """Return the default limit of a text: half a token per character of the longest text it is made from.

    That is one and a half times the estimate of a token per three characters; at least 2,000.

    Args:
        lengths: of those texts, in characters.
    """
    return max(_TEXT_TOKENS, *(-(-length // 2) for length in lengths))


def most_words(limit: int | None, text: str) -> int:
    """Return the number of words to ask for after a reply was cut: about half of the received ones.

    Args:
        limit: that cut the reply, in tokens; None is the model's own.
        text: of the reply.
    """
    return max(_FEWEST_WORDS, len(text) // 12) if limit is None else max(1, limit // 2)


def has_thoughts(completion: Completion) -> bool:
    """True if the model has spent tokens of a cut reply on thoughts."""
    text = completion.text.lstrip()
    return completion.usage.reasoning_tokens > 0 or not text or text.startswith("<think")
