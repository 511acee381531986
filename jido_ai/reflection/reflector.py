"""Reflector: describes the lesson of an episode."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final, Literal

from jido_ai.components.component import Reopening, as_reflection, check_context, in_own_context, method_of
from jido_ai.errors import ConfigurationError, ParseError, describe, message_of
from jido_ai.memory.importance import importance_of
from jido_ai.memory.lessons import FINDING
from jido_ai.memory.scope_index import aside
from jido_ai.models.calls import ModelCaller
from jido_ai.models.defaults import DefaultFloat, DefaultInt
from jido_ai.models.own_prompts import own_prompt
from jido_ai.models.prompts.reflection import DEPTHS, Depth, ReflectionPrompt, errors_of, read_reflection
from jido_ai.models.prompts.template import MAX_CHARS
from jido_ai.models.spending import enclosing_spending
from jido_ai.protocols import AnyModel, RunContext
from jido_ai.reflection.diagnosis import diagnose
from jido_ai.text.redaction import redact
from jido_ai.values import Episode, Message, Reflection, new_id

_TEMPERATURE: Final = DefaultFloat(0.7)
_MAX_TOKENS: Final = DefaultInt(1_000)
_EVENTS_PER_MS: Final = 100
_CHARS_PER_MS: Final = 2_500
"""Error texts up to this length are diagnosed, or put into a request, in about 1 ms."""


class Reflector(Reopening):
    """Asks a model for the lesson of an episode; without a model, or if it fails, diagnoses the episode.

    A reply with a lesson is used; diagnosis fills in missing fields. A failing model, a reply that cannot be parsed
    twice, or an exhausted budget does not raise: the reflection then comes from the diagnosis (`source` is
    "fallback", `metadata["fell_back"]` gives the reason, `raw` has the model's reply).

    Args:
        model: a `LanguageModel`, a function of a request, or a name such as "openai:gpt-4o-mini"; None is diagnosis
            only.
        depth: how much the model is asked for: "basic", "detailed" or "comprehensive".
        strict: raise instead of falling back.
        temperature, max_tokens, seed: as in `CompletionRequest`; 0.7 and 1,000 by default (SPEC C4); a
            model that refuses a default is asked without it.
        timeout_s: seconds for one whole reply; None is no limit, only limits of silence (see `HttpOptions`).
        template: replaces the default request; must show $task, and may show $goal, $attempt, $outcome, $candidate,
            $critique, $errors, $trace and $priors.
        system: replaces the default role. The question and the form of the reply are always added.
        max_chars: maximum length of each text that is sent; longer texts are visibly cut.

    Attributes:
        fallbacks: number of reflections that a model was asked for but diagnosis gave.

    Raises:
        ConfigurationError: a setting can never work.
        AuthenticationError: the named model's provider needs a key and there is none.
    """

    def __init__(
        self,
        model: AnyModel | None = None,
        *,
        depth: Literal["basic", "detailed", "comprehensive"] = "detailed",
        strict: bool = False,
        temperature: float | None = _TEMPERATURE,
        max_tokens: int | None = _MAX_TOKENS,
        seed: int | None = None,
        timeout_s: float | None = None,
        template: str | None = None,
        system: str | None = None,
        max_chars: int = MAX_CHARS,
    ) -> None:
        if depth not in DEPTHS:
            raise ConfigurationError(f"depth must be one of {', '.join(DEPTHS)}, got {describe(depth)}")
        checked: Depth = depth
        template, system = own_prompt("reflection", template, system)
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
        """Return the lesson of an episode.

        Args:
            priors: earlier reflections on the same task, oldest first.
            context: the context of the episode's run, for its deadline and budget.

        Raises:
            ConfigurationError: `episode` is not an `Episode`, `priors` are not `Reflection`s, or `context` is not a
                `RunContext`.
            ModelError, ParseError, BudgetExceededError, or any other error of the model: only if `strict`.
        """
        if not isinstance(episode, Episode):
            raise ConfigurationError(f"reflect needs an Episode, got {describe(episode)}")
        if not isinstance(priors, Sequence) or not all(isinstance(prior, Reflection) for prior in priors):
            raise ConfigurationError(f"priors must be a sequence of Reflections, got {describe(priors)}")
        if context is not None:
            check_context(context)
        errors = errors_of(episode)
        ms = sum(map(len, errors)) / _CHARS_PER_MS + len(episode.events) / _EVENTS_PER_MS
        fallback = await aside(ms, diagnose, errors, priors, episode.outcome)
        findings = () if episode.critique is None else episode.critique.issues
        metadata = {**fallback.metadata, **({FINDING: findings[0].message} if findings else {})}
        fallback = fallback.replace(importance=importance_of(episode.outcome), metadata=metadata)
        if self._model is None:
            return fallback
        context = context or RunContext(run_id=episode.id, prompt=episode.prompt, scope=episode.scope)
        try:
            messages = await aside(ms, self._prompt.messages, episode, priors, fallback.error_class)
            return await self._ask(self._model, messages, context, fallback)
        except ConfigurationError:
            raise
        except Exception as error:  # third-party models may raise anything
            if self._strict:
                raise
            return self._fallen_back(fallback, error)

    async def aclose(self) -> None:
        """Close the model if it was created here from its name; the next call reopens it."""
        if self._model is not None:
            await self._model.aclose()

    def uses(self) -> tuple[object, ...]:
        """Return the model, if there is one."""
        return () if self._model is None else (self._model.model,)

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
        fell_back = redact(f"{type(error).__name__}: {message_of(error)}")
        return fallback.replace(raw=raw, metadata={**fallback.metadata, "fell_back": fell_back})


async def reflected_outside(reflector: object, episode: Episode) -> Reflection:
    """Return the reflection on an episode; its calls count for the enclosing account, if there is one."""
    account = enclosing_spending.get()
    context = None
    if account is not None:
        context = RunContext(new_id("reflection"), episode.prompt, scope=episode.scope, meter=account)
    return as_reflection(await in_own_context(method_of(reflector, "reflect"), episode, (), context))
