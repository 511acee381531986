"""LearningOptions: what a pipeline keeps of its runs, and what it shows to later ones. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from jido_ai.errors import ConfigurationError, describe
from jido_ai.loop.options import LearnFrom
from jido_ai.runs.checks import checked_whole
from jido_ai.text.numbers import is_number


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningOptions:
    """The arguments of a `Pipeline` that concern learning, checked.

    Raises:
        ConfigurationError: one is out of range.
    """

    max_lessons: int | None = None
    max_lesson_tokens: int | None = None
    learn_from: LearnFrom = "known"
    max_examples: int = 50
    max_examples_shown: int = 2
    holdout: float | None = None
    reward_threshold: float = 0.3

    def __post_init__(self) -> None:
        checked_whole("max_lessons", self.max_lessons)
        checked_whole("max_lesson_tokens", self.max_lesson_tokens)
        if self.learn_from not in get_args(LearnFrom):
            raise ConfigurationError(f"learn_from must be known, accepted or nothing, got {describe(self.learn_from)}")
        for name, count in (("max_examples", self.max_examples), ("max_examples_shown", self.max_examples_shown)):
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise ConfigurationError(f"{name} must be a whole number of at least 0, got {describe(count)}")
        if self.holdout is not None and not (is_number(self.holdout) and 0.0 <= self.holdout <= 1.0):
            raise ConfigurationError(f"holdout must be None or a number in [0, 1], got {describe(self.holdout)}")
        if not (is_number(self.reward_threshold) and -1.0 <= self.reward_threshold <= 1.0):
            raise ConfigurationError(
                f"reward_threshold must be a number in [-1, 1], got {describe(self.reward_threshold)}"
            )
