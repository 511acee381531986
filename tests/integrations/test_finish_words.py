"""Why an answer of a framework's model ended: its words are read from the same table as those of our providers."""

from __future__ import annotations

import pytest

from jido_ai.errors import ModelUnavailableError
from jido_ai.integrations.parts import ended_as


@pytest.mark.parametrize(
    ("word", "reason"),
    [(None, "stop"), ("stop", "stop"), ("STOP", "stop"), ("end_turn", "stop"), ("function_calls", "stop"),
     ("length", "length"), ("MAX_TOKENS", "length"), ("model_length", "length"), ("content_filter", "filter"),
     ("SAFETY", "filter"), ("RECITATION", "filter"), ("refusal", "refusal")],
)  # fmt: skip
def test_a_known_word_of_a_framework_is_its_reason(word: str | None, reason: str) -> None:
    assert ended_as(word, provider="p", model="m") == {"finish_reason": reason}


@pytest.mark.parametrize("word", ["vibes", "unknown", "OTHER"])
def test_an_unknown_word_of_a_framework_is_in_the_answer(word: str) -> None:
    assert ended_as(word, provider="p", model="m") == {"finish_reason": "stop", "ended_by": word}


@pytest.mark.parametrize("word", ["error", "MALFORMED_FUNCTION_CALL", "insufficient_system_resource"])
def test_a_word_for_a_failure_of_a_framework_is_a_failure_to_try_again(word: str) -> None:
    with pytest.raises(ModelUnavailableError, match=word):
        ended_as(word, provider="p", model="m")
