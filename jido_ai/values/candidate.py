"""Candidates, and the usage of model calls."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import AwareDatetime, Field
from pydantic.json_schema import SkipJsonSchema

from jido_ai.errors import ConfigurationError, describe
from jido_ai.values.base import Count, Metadata, NotNegative, Unit, Value, new_id, or_new, utc_now

__all__ = ["Candidate", "Usage", "no_usage"]


_LEAST_SHOWN: Final = 0.0001


class Usage(Value):
    """Usage and cost of model calls; usages add with `+`.

    Attributes:
        cost_usd: of the calls whose price is known. A model that names none has no known price; 0.0 is free.
        unpriced_calls: number of calls that are not in `cost_usd`, because their price is unknown.
        input_tokens_cached: those of `input_tokens` that the provider read from its prompt cache.
        reasoning_tokens: those of `output_tokens` that the model thought with, as far as the provider says.
    """

    calls: Count = Field(default=0, kw_only=False)
    input_tokens: Count = Field(default=0, kw_only=False)
    output_tokens: Count = Field(default=0, kw_only=False)
    cost_usd: NotNegative = Field(default=0.0, kw_only=False)
    unpriced_calls: Count = 0
    input_tokens_cached: Count = 0
    reasoning_tokens: Count = 0

    def __str__(self) -> str:
        """Return all of it in words: "2 calls, 310 tokens in, 40 out, price unknown"."""
        calls = f"{self.calls} call{'' if self.calls == 1 else 's'}"
        return f"{calls}, {self.input_tokens:,} tokens in, {self.output_tokens:,} out, {self.cost_in_words}"

    @property
    def cost_in_words(self) -> str:
        """The cost in dollars, and how many calls have no known price."""
        if self.unpriced_calls and (self.unpriced_calls >= self.calls or not self.cost_usd):
            return "price unknown"
        known = f"${self.cost_usd:.4f}" if not 0.0 < self.cost_usd < _LEAST_SHOWN else f"less than ${_LEAST_SHOWN}"
        if not self.unpriced_calls:
            return known
        return f"{known} and {self.unpriced_calls} call{'' if self.unpriced_calls == 1 else 's'} of unknown price"

    def __add__(self, other: object) -> Usage:
        if not isinstance(other, Usage):
            return NotImplemented
        total = {
            "calls": self.calls + other.calls,
            "input_tokens": self.input_tokens + other.input_tokens,
            "output_tokens": self.output_tokens + other.output_tokens,
            "cost_usd": self.cost_usd + other.cost_usd,
            "unpriced_calls": self.unpriced_calls + other.unpriced_calls,
            "input_tokens_cached": self.input_tokens_cached + other.input_tokens_cached,
            "reasoning_tokens": self.reasoning_tokens + other.reasoning_tokens,
        }
        if math.isfinite(total["cost_usd"]):  # nothing else can be out of range, and this is added up with every call
            return self.model_copy(update=total)
        return Usage.model_validate(total)

    def __radd__(self, other: object) -> Usage:
        """Let `sum(usages)` begin with its 0."""
        return self if type(other) is int and other == 0 else NotImplemented


_NO_USAGE: Final = Usage()


def no_usage() -> Usage:
    return _NO_USAGE


class Candidate(Value):
    """A proposed answer. A revision has the id of the candidate it was made from in `parent_id`.

    Attributes:
        content: the text, unchanged.
        score: in [0, 1]; None before it is judged.
        tokens_used: tokens read and written to make it. If neither a meter nor usage metadata reports them, they count
            towards the run's budget.
        value: an object that the text stands for, as it is: neither checked nor copied. It is in no map, dump or
            journal, so a resumed run does not have it; equality and hash ignore it.
    """

    content: str = Field(strict=True, kw_only=False)
    id: Annotated[str, or_new("candidate")] = Field(default_factory=lambda: new_id("candidate"))
    score: Unit | None = None
    reasoning: str | None = None
    model: str | None = None
    tokens_used: Count | None = None
    parent_id: str | None = None
    timestamp: AwareDatetime = Field(default_factory=utc_now)
    metadata: Metadata = Field(default_factory=dict[str, Any])
    value: SkipJsonSchema[Any] = Field(default=None, exclude=True, repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Candidate) or (self.value is None and other.value is None):
            return super().__eq__(other)
        return super(Candidate, _without_value(self)).__eq__(_without_value(other))

    def __hash__(self) -> int:  # equal candidates have the same id; metadata has no hash
        return hash(self.id)

    def update_score(self, score: float) -> Candidate:
        """Return the same candidate with another score, in [0, 1]."""
        return self.replace(score=score)

    def to_map(self) -> dict[str, Any]:
        """Return a JSON-ready dict that `from_map` reads back.

        Raises:
            ConfigurationError: metadata contains a value that JSON cannot represent.
        """
        try:
            plain = self.model_dump(mode="json")
            json.dumps(plain)
        except (TypeError, ValueError) as error:
            raise ConfigurationError(f"Candidate.metadata cannot be written as JSON: {error}") from error
        return plain

    @classmethod
    def from_map(cls, mapping: Mapping[str, Any]) -> Candidate:
        """Build a candidate from the dict of `to_map`. Raises `ConfigurationError` for anything else."""
        if not isinstance(mapping, Mapping):
            raise ConfigurationError(f"Candidate.from_map needs a mapping, got {describe(mapping)}")
        return cls.model_validate(dict(mapping))


def _without_value(candidate: Candidate) -> Candidate:
    return candidate if candidate.value is None else candidate.model_copy(update={"value": None})
