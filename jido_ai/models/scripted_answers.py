"""Answers from a file in the place of a model: for examples without a key or a network.

[[answers]]
when = "Outline"        # a text that the request contains; without it any request
text = "..."
times = 1               # how often it is given; without it again and again
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from jido_ai.errors import ConfigurationError, describe
from jido_ai.values import Completion, CompletionRequest, Usage

_KEYS = ("when", "text", "times")


@dataclass(slots=True)
class _Answer:
    text: str
    when: str = ""
    left: int | None = None


class ScriptedAnswers:
    """A model that gives the first answer of a script that fits the request and is not used up.

    Args:
        name: of the script, in errors.

    Raises:
        ConfigurationError: the script is not as the module says.
    """

    provider = "scripted"

    def __init__(self, script: str, name: str) -> None:
        self.model = name
        try:
            read = tomllib.loads(script)
        except tomllib.TOMLDecodeError as error:
            raise ConfigurationError(f"{name}: not TOML: {error}") from error
        answers: object = read.pop("answers", None)
        if read or not isinstance(answers, list) or not answers:
            raise ConfigurationError(f"{name}: needs [[answers]] tables, and nothing else")
        self._answers = [
            self._checked(f"{name}: answers[{n}]", one) for n, one in enumerate(cast("list[Any]", answers))
        ]

    @staticmethod
    def _checked(place: str, one: object) -> _Answer:
        fields: Mapping[str, object] = cast("Mapping[str, object]", one) if isinstance(one, Mapping) else {}
        unknown = [key for key in fields if key not in _KEYS]
        text, when, times = fields.get("text"), fields.get("when", ""), fields.get("times")
        if unknown:
            raise ConfigurationError(f"{place}: unknown key {unknown[0]!r}; known: {', '.join(_KEYS)}")
        if not isinstance(text, str) or not isinstance(when, str):
            raise ConfigurationError(
                f"{place}: needs a text, and when= must be one, got {describe(cast('object', one))}"
            )
        if times is not None and (isinstance(times, bool) or not isinstance(times, int) or times < 1):
            raise ConfigurationError(f"{place}: times must be a whole number of at least 1, got {describe(times)}")
        return _Answer(text, when, times)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the answer that fits. Raises `ConfigurationError` if there is none."""
        asked = "\n".join(message.content for message in request.messages)
        for answer in self._answers:
            if answer.when in asked and answer.left != 0:
                answer.left = None if answer.left is None else answer.left - 1
                usage = Usage(1, len(asked.split()), len(answer.text.split()), 0.0)  # a token for each word
                return Completion(answer.text, model=self.model, usage=usage)
        raise ConfigurationError(f"{self.model} has no answer for this request: {describe(asked[-200:])}")
