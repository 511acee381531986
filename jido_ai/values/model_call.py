"""Calls of language models as a run keeps them: what was sent, what came back, what it cost. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pydantic import AwareDatetime, Field

from jido_ai.values.base import Count, Line, Metadata, NotNegative, Texts, Value
from jido_ai.values.candidate import Usage, no_usage
from jido_ai.values.model import Message

__all__ = ["LONGEST_TEXT", "ModelCall", "Try", "cost_of", "failed_free"]

LONGEST_TEXT: Final = 100_000
"""Most characters of a text in a kept call."""


class Try(Value):
    """A try of a call that failed.

    Attributes:
        error: kind and message.
        waited_s: seconds from it to the next try; 0.0 after the last one.
    """

    error: str = Field(kw_only=False)
    waited_s: NotNegative = Field(default=0.0, kw_only=False)


class ModelCall(Value):
    """One call of a language model by a component of a run.

    Attributes:
        seq: number of the call in its run, from 1, in the order in which calls began.
        path: of the node, in a graph; "" for a run by itself.
        iteration: index of the candidate that it was made for, from 0.
        role: of the component: "generator", "critiquer", "reviser", "reflector", or a name of its own.
        model: that answered, as it says; else that was asked.
        host: of the model; "" for one that has none.
        messages: as they were sent.
        parameters: temperature, top_p, max_tokens, stop, seed and schema, as far as they were set.
        dropped: parameters that the model refused, so that it was asked without them.
        reply: as it came, thoughts included; None if none came.
        thoughts: of the model, as far as it shows them; "" for none.
        finish_reason: None if no reply came.
        cost_usd: None if it is unknown.
        first_token_s: seconds to the first token; None for an answer in one piece.
        tries: that failed, in order; of a call without a reply the last one says why.
        cached: the answer came from a cache or a recording; nothing was sent.
        lessons_shown: ids of the lessons that the component was offered.
        truncated: a text was longer than 100,000 characters and is cut.
    """

    run_id: str
    seq: Line
    path: str = ""
    iteration: Count = 0
    role: str = ""
    model: str | None = None
    host: str = ""
    messages: tuple[Message, ...] = ()
    parameters: Metadata = Field(default_factory=dict[str, Any])
    dropped: Texts = ()
    reply: str | None = None
    thoughts: str = ""
    finish_reason: str | None = None
    usage: Usage = Field(default_factory=no_usage)
    cost_usd: NotNegative | None = None
    started: AwareDatetime
    first_token_s: NotNegative | None = None
    duration_s: NotNegative = 0.0
    tries: tuple[Try, ...] = ()
    cached: bool = False
    lessons_shown: Texts = ()
    truncated: bool = False

    @property
    def error(self) -> str | None:
        """Why there is no reply; None if there is one."""
        return self.tries[-1].error if self.reply is None and self.tries else None


def failed_free(calls: Iterable[ModelCall]) -> int:
    """Return how many calls failed without being billed, so that no usage counts them."""
    return sum(call.reply is None and not call.usage.calls for call in calls)


def cost_of(usage: Usage) -> float | None:
    """Return the cost of one call in dollars; None if it is unknown."""
    return None if usage.unpriced_calls else usage.cost_usd
