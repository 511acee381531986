"""The contract suite of `LanguageModel`, for the models of frameworks: `from model_contract import *` into a test file.

The file gives a fixture `model`, parametrized under a name that says what it is.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "contracts"))

from test_language_model import (  # type: ignore[import-not-found]
    answer,
    test_a_completion_has_text_usage_and_a_reason,
    test_a_stream_may_be_left_at_any_time,
    test_an_answer_keeps_to_the_schema,
    test_calls_and_streams_follow_each_other,
    test_many_calls_at_once_are_all_answered,
    test_the_pieces_of_a_stream_make_the_text_of_its_completion,
)

__all__ = [
    "answer",
    "test_a_completion_has_text_usage_and_a_reason",
    "test_a_stream_may_be_left_at_any_time",
    "test_an_answer_keeps_to_the_schema",
    "test_calls_and_streams_follow_each_other",
    "test_many_calls_at_once_are_all_answered",
    "test_the_pieces_of_a_stream_make_the_text_of_its_completion",
]
