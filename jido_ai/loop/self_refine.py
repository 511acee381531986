"""SelfRefine: generate, judge, revise and judge again, once, without a loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from pydantic import Field

from jido_ai.components.component import Reopening, as_candidates, as_critique, as_revision, close_all, method_of
from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.critics.silenced import with_silenced
from jido_ai.errors import ComponentError, ConfigurationError, Declined, describe
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.names import model_of
from jido_ai.protocols import AnyModel, RunContext
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.values import SLACK, Candidate, CritiqueResult, Usage, Value, new_id


def _no_usage() -> Usage:
    return Usage()


class SelfRefineResult(Value):
    """Both candidates and their critiques.

    Attributes:
        improved: the refined candidate's score is above the original's, by more than 1e-9.
        usage: sum over all calls.
    """

    original: Candidate = Field(kw_only=False)
    critique: CritiqueResult = Field(kw_only=False)
    refined: Candidate = Field(kw_only=False)
    refined_critique: CritiqueResult = Field(kw_only=False)
    improved: bool = Field(kw_only=False)
    usage: Usage = Field(default_factory=_no_usage)

    @property
    def best(self) -> Candidate:
        """Return the better of the two; the original on a tie."""
        return self.refined if self.improved else self.original


class SelfRefine(Reopening):
    """One model that generates, judges, revises and judges again, once (SPEC J16). No actors, no memory.

    If `model` is a name, the caller must call `aclose`.

    Args:
        model: a `LanguageModel`, a function of a request, or a name such as "openai:gpt-4o-mini".
        generator, critiquer, reviser: replace the `LLMGenerator`, `LLMCritiquer` and `LLMReviser` of `model`.

    Raises:
        ConfigurationError: a setting that can never work.
        AuthenticationError: the named model's provider needs a key and there is none.
    """

    def __init__(
        self,
        model: AnyModel,
        *,
        generator: object = None,
        critiquer: object = None,
        reviser: object = None,
    ) -> None:
        self._model = model_of(model)
        self._is_own = isinstance(model, str)
        self._in_flight = 0
        self._parts = (
            LLMGenerator(self._model) if generator is None else generator,
            LLMCritiquer(self._model) if critiquer is None else critiquer,
            LLMReviser(self._model) if reviser is None else reviser,
        )
        self._generate = method_of(self._parts[0], "generate")
        self._critique = method_of(self._parts[1], "critique")
        self._revise = method_of(self._parts[2], "revise")

    async def aclose(self) -> None:
        """Close the parts that can reopen, and the model if it was created here and no run is in flight.

        The next run reopens them.
        """
        await close_all(self._parts)
        close: Callable[[], Awaitable[object]] | None = getattr(self._model, "aclose", None)
        if self._is_own and not self._in_flight and close is not None:
            await close()

    def uses(self) -> tuple[object, ...]:
        """Return the parts."""
        return self._parts

    async def run(self, prompt: str, initial: Candidate | str | None = None) -> SelfRefineResult:
        """Generate, or take `initial` instead, then judge, revise and judge again.

        Raises:
            ConfigurationError: the prompt is blank, or `initial` is not a candidate.
            ComponentError: a component returned something unusable, or the reviser declined.
            ModelError: a call to the model failed.
        """
        if not isinstance(prompt, str) or not prompt.strip():
            raise ConfigurationError(f"the prompt must be a string that is not blank, got {describe(prompt)}")
        if initial is not None and not isinstance(initial, str | Candidate):
            raise ConfigurationError(f"initial must be a Candidate or a str, got {describe(initial)}")
        self._in_flight += 1
        try:
            return await self._run(prompt, initial)
        finally:
            self._in_flight -= 1

    async def _run(self, prompt: str, initial: Candidate | str | None) -> SelfRefineResult:
        context = RunContext(run_id=new_id("refine"), prompt=prompt)
        original = as_candidates(await self._generate(prompt, context) if initial is None else initial)[0]
        critique = as_critique(await self._critique(original, context))
        try:
            refined = as_revision(await self._revise(original, critique, context))
        except Declined as signal:
            raise ComponentError(f"the reviser declined: {signal}", component="reviser") from signal
        judged = as_critique(await self._critique(refined, context))
        refined_critique = await asyncio.to_thread(with_silenced, judged, refined.content, critique, original.content)
        made = (refined,) if initial is not None else (original, refined)
        return SelfRefineResult(
            original if original.score is not None else original.update_score(critique.score),
            critique,
            refined.replace(parent_id=original.id).update_score(refined_critique.score),
            refined_critique,
            refined_critique.score > critique.score + SLACK,
            usage=sum((_usage_of(part) for part in (*made, critique, refined_critique)), Usage()),
        )


def _usage_of(part: Candidate | CritiqueResult) -> Usage:
    usage: object = part.metadata.get("usage")
    return usage if isinstance(usage, Usage) else Usage() if usage is None else Usage.model_validate(usage)
