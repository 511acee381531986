"""A reflector: what an episode teaches, in words."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final, Literal

from jido_ai.components.call_check import check_context
from jido_ai.components.component import Reopening
from jido_ai.errors import ConfigurationError, ParseError, describe, message_of
from jido_ai.memory.importance import importance_of
from jido_ai.memory.scope_index import aside
from jido_ai.models.calls import ModelCaller
from jido_ai.models.prompts.reflection import DEPTHS, Depth, ReflectionPrompt, errors_of, read_reflection
from jido_ai.models.prompts.template import MAX_CHARS
from jido_ai.protocols import AnyModel, RunContext
from jido_ai.reflection.diagnosis import diagnose
from jido_ai.text.redaction import redact
from jido_ai.values import Episode, Message, Reflection

__all__ = ["Reflector"]

_EVENTS_PER_MS: Final = 100
_CHARS_PER_MS: Final = 2_500
"""Of error texts, which are diagnosed, or put into a request, in about a millisecond."""


class Reflector(Reopening):
    """Asks a model what an episode teaches; without one, or when it fails, diagnosis answers.

    A reply with a lesson in it is taken; what it leaves out is filled by diagnosis. A model that fails, in any way,
    a reply that cannot be read twice and a budget that is spent never end in an error: the reflection is then the one
    that error classes allow (`source` is "fallback", `metadata["fell_back"]` says why, `raw` has what the model wrote).

    Args:
        model: a `LanguageModel`, a function of a request, or a name such as "openai:gpt-4o-mini"; None is diagnosis
            alone.
        depth: how much is asked for: "basic", "detailed" or "comprehensive".
        strict: raise instead of falling back.
        temperature, max_tokens, seed: as in `CompletionRequest`; 0.7 and 1,000 by default (SPEC C4).
        timeout_s: for one answer.
        template: in place of the usual request; shows $task, and may show $goal, $attempt, $outcome, $candidate,
            $critique, $errors, $trace and $priors.
        system: in place of the usual role. The question and the form of the reply are always added.
        max_chars: of each text that goes out; what is longer is cut, visibly.

    Attributes:
        fallbacks: how many reflections a model was asked for and diagnosis gave.

    Raises:
        ConfigurationError: a setting that can never work.
        AuthenticationError: the named model's provider needs a key and there is none.
    """

    def __init__(
        self,
        model: AnyModel | None = None,
        *,
        depth: Literal["basic", "detailed", "comprehensive"] = "detailed",
        strict: bool = False,
        temperature: float | None = 0.7,
        max_tokens: int | None = 1_000,
        seed: int | None = None,
        timeout_s: float = 60.0,
        template: str | None = None,
        system: str | None = None,
        max_chars: int = MAX_CHARS,
    ) -> None:
        if depth not in DEPTHS:
            raise ConfigurationError(f"depth must be one of {', '.join(DEPTHS)}, got {describe(depth)}")
        checked: Depth = depth
        self._prompt = ReflectionPrompt.of(depth=checked, template=template, system=system, max_chars=max_chars)
        self._strict = strict
        self._model = None
        if model is not None:
            self._model = ModelCaller(
                model,
                component="reflector",
                timeout_s=timeout_s,
                temperature=temperature,
                max_tokens=max_tokens,
                seed=seed,
            )
        self.fallbacks = 0

    async def reflect(
        self, episode: Episode, priors: Sequence[Reflection] = (), context: RunContext | None = None
    ) -> Reflection:
        """Return what the episode teaches.

        Args:
            priors: earlier reflections on the same task, oldest first.
            context: of the run that the episode is from, for its deadline and its budget.

        Raises:
            ConfigurationError: what came is no `Episode`, the priors are no `Reflection`s, or the context is no
                `RunContext`.
            ModelError, ParseError, BudgetExceededError, or what else the model raises: only when `strict`.
        """
        if not isinstance(episode, Episode):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
            raise ConfigurationError(f"reflect needs an Episode, got {describe(episode)}")
        if not isinstance(priors, Sequence) or not all(isinstance(prior, Reflection) for prior in priors):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
            raise ConfigurationError(f"priors must be a sequence of Reflections, got {describe(priors)}")
        if context is not None:
            check_context(context)
        errors = errors_of(episode)
        ms = sum(map(len, errors)) / _CHARS_PER_MS + len(episode.events) / _EVENTS_PER_MS
        fallback = await aside(ms, diagnose, errors, priors, episode.outcome)
        fallback = fallback.replace(importance=importance_of(episode.outcome))
        if self._model is None:
            return fallback
        context = context or RunContext(run_id=episode.id, prompt=episode.prompt, scope=episode.scope)
        try:
            messages = await aside(ms, self._prompt.messages, episode, priors, fallback.error_class)
            return await self._ask(self._model, messages, context, fallback)
        except ConfigurationError:
            raise
        except Exception as error:  # a model may be anybody's, and raise anything
            if self._strict:
                raise
            return self._fallen_back(fallback, error)

    async def aclose(self) -> None:
        """Close the model if it was made here, from its name; the next call opens it again."""
        if self._model is not None:
            await self._model.aclose()

    async def _ask(
        self,
        model: ModelCaller,
        messages: Sequence[Message],
        context: RunContext,
        fallback: Reflection,
    ) -> Reflection:
        read = functools.partial(read_reflection, fallback=fallback)
        answer = await model.ask(messages, read, context, schema=self._prompt.schema)
        return answer.value.model_copy(update={"metadata": {**answer.metadata, **answer.value.metadata}})

    def _fallen_back(self, fallback: Reflection, error: Exception) -> Reflection:
        self.fallbacks += 1
        raw = error.raw if isinstance(error, ParseError) else ""
        return fallback.replace(raw=raw, metadata={"fell_back": redact(f"{type(error).__name__}: {message_of(error)}")})
