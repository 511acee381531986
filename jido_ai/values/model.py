"""Messages, requests and completions of language models."""

from __future__ import annotations

import warnings
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from jido_ai.values.base import Line, Metadata, NotNegative, Positive, Texts, Unit, Value, own_copy
from jido_ai.values.candidate import Usage, no_usage

__all__ = ["Completion", "CompletionRequest", "Message"]


class Message(Value):
    """One turn of a conversation with an LLM."""

    role: Literal["system", "user", "assistant"] = Field(kw_only=False)
    content: str = Field(kw_only=False)


with warnings.catch_warnings():
    # `schema` is the public name of the field; pydantic still has a deprecated method of that name.
    warnings.filterwarnings("ignore", message='Field name "schema"', category=UserWarning)

    class CompletionRequest(Value):
        """A request to an LLM; None leaves a setting to the provider."""

        messages: tuple[Message, ...] = Field(kw_only=False, min_length=1)
        model: str | None = Field(default=None, kw_only=False)
        temperature: NotNegative | None = Field(default=None, kw_only=False)
        max_tokens: Line | None = Field(default=None, kw_only=False)
        stop: Texts = Field(default=(), kw_only=False)
        seed: int | None = Field(default=None, kw_only=False)
        schema: Annotated[dict[str, Any] | None, BeforeValidator(own_copy)] = Field(default=None, kw_only=False)  # pyright: ignore[reportIncompatibleMethodOverride, reportIncompatibleVariableOverride] - see above
        timeout_s: Positive | None = Field(default=None, kw_only=False)
        metadata: Metadata = Field(default_factory=dict[str, Any], kw_only=False)
        top_p: Unit | None = None


class Completion(Value):
    """An answer of an LLM.

    Attributes:
        response_id: the provider's id of the answer, if it gave one.
        dropped: settings of the request that the model refused, so that it was asked without them: "temperature",
            "max_tokens", "seed", "top_p", "stop", "schema", "stream_options".
        ended_by: the provider's word for why the answer ended, if it is not one that is known; such an answer counts as
            complete.
        is_only_thoughts: the model has thought, and given no answer: the text is blank.
        is_cached: the answer was cached from an earlier equal request; its usage is zero.
    """

    text: str = Field(kw_only=False)
    model: str | None = Field(default=None, kw_only=False)
    usage: Usage = Field(default_factory=no_usage, kw_only=False)
    finish_reason: Literal["stop", "length", "refusal", "filter"] = Field(default="stop", kw_only=False)
    is_cached: bool = False
    is_only_thoughts: bool = False
    response_id: str | None = None
    dropped: Texts = ()
    ended_by: str | None = None
