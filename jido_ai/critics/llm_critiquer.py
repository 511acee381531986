"""A critic that is a language model."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

from jido_ai.components.component import check_critique_call, check_max_concurrency
from jido_ai.critics.scoring import with_verdict
from jido_ai.errors import ConfigurationError, describe
from jido_ai.models.calls import AsksModel, ModelCaller
from jido_ai.models.defaults import DefaultFloat
from jido_ai.models.own_prompts import own_prompt
from jido_ai.models.prompts.critique import CritiquePrompt, read_checklist, read_critique
from jido_ai.models.prompts.source_file import source_file
from jido_ai.models.prompts.structured_reply import CLAMPED
from jido_ai.models.prompts.template import MAX_CHARS
from jido_ai.models.reply_limits import critique_tokens
from jido_ai.protocols import AnyModel, RunContext
from jido_ai.text.numbers import is_number
from jido_ai.values import Candidate, CritiqueResult

_TEMPERATURE: Final = DefaultFloat(0.3)


class LLMCritiquer(AsksModel):
    """Asks a model for a candidate's issues and their severity.

    The model sees the prompt, the text of the candidate and the lessons; never the writer's reasoning or earlier
    critiques. With `criteria` it judges each of them separately: one that is not met is an issue, and
    `criterion_scores` has all scores.

    A line number that the candidate does not have is dropped; metadata["warnings"] lists it, and every repair of the
    reply. A finding that quotes words which are not in the candidate is dropped; metadata["dropped"] lists it. A reply
    that cannot be read, or has a number on another scale, is requested once more.

    Args:
        model: a `LanguageModel`, a function of a request, or a name such as "openai:gpt-4o-mini".
        domain: "code", "math", "reasoning" or "writing" adds what to look for; anything else adds nothing.
        criteria: a checklist: texts, or texts with their weights (above 0) in the score.
        temperature, seed: as in `CompletionRequest`. The default temperature is 0.3; a model that refuses it is asked
            without one.
        max_tokens: limit of the reply; None is 800, and 80 more for each criterion above five.
        timeout_s: seconds for one whole answer; None is no limit, only limits of silence (see `HttpOptions`).
        template: replaces the default request; shows $candidate (and $criteria, when there are any), and may show
            $prompt, $lessons, $file and $project.
        system: replaces the default role and the domain's guidance. The format of the reply is always added.
        max_chars: limit for each text in the request; a longer one is visibly cut.
        name: the model's, for `source`: "model:NAME"; by default its own.
        max_concurrency: how many candidates are judged at once; None is no limit.
        path: name of the file that the candidate is the text of; by default the run's metadata["path"], if any. Of a
            file, and with domain="code", the lines are shown with their numbers.
        language: of that file, such as "python"; by default the run's metadata["language"], else what the ending of
            `path` says.
        project: other files of the project, by path, for reference; shown as long as they have 8,000 characters or
            fewer together, by name otherwise.

    Raises:
        ConfigurationError: a setting is invalid.
        AuthenticationError: the named model's provider needs a key and there is none.
    """

    def __init__(
        self,
        model: AnyModel,
        domain: str | None = None,
        *,
        criteria: Sequence[str] | Mapping[str, float] = (),
        temperature: float | None = _TEMPERATURE,
        max_tokens: int | None = None,
        seed: int | None = None,
        timeout_s: float | None = None,
        template: str | None = None,
        system: str | None = None,
        max_chars: int = MAX_CHARS,
        name: str | None = None,
        max_concurrency: int | None = None,
        path: str | None = None,
        language: str | None = None,
        project: Mapping[str, str] | None = None,
    ) -> None:
        self._source_of = functools.partial(source_file, path, language, project)
        self._source_of()  # refuses what can never work
        self._criteria = _weights(criteria)
        template, system = own_prompt("checklist" if self._criteria else "critique", template, system)
        self._prompt = CritiquePrompt.of(
            domain=domain, criteria=tuple(self._criteria), template=template, system=system, max_chars=max_chars
        )
        self.max_concurrency = check_max_concurrency(max_concurrency)
        self._model = ModelCaller(
            model,
            component="critiquer",
            timeout_s=timeout_s,
            temperature=temperature,
            max_tokens=max_tokens,
            seed=seed,
            name=name,
        )
        self.name = f"model:{self._model.name}"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Ask for a critique.

        Raises:
            ConfigurationError: an argument is of another type.
            ParseError: the second reply cannot be read either. A severity is never invented.
            TruncatedError, RefusalError, ModelError: see `ModelCaller.ask`.
            BudgetExceededError: the call would exceed the run's budget.
        """
        check_critique_call(candidate, context)
        prompt = self._prompt
        if self._criteria:
            read = functools.partial(read_checklist, candidate=candidate, source=self.name, criteria=self._criteria)
        else:
            read = functools.partial(read_critique, candidate=candidate, source=self.name)
        messages = prompt.messages(
            context.prompt,
            candidate.content,
            context.lessons,
            source=self._source_of(metadata=getattr(context, "metadata", {})),
        )
        answer = await self._model.ask(
            messages,
            _clamping(read),
            context,
            schema=prompt.schema,
            shape=prompt.shape,
            default_tokens=critique_tokens(len(self._criteria)),
        )
        metadata = {**answer.metadata, **answer.value.metadata}
        warnings = [*answer.metadata.get("warnings", ()), *answer.value.metadata.get("warnings", ())]
        if len(candidate.content) > prompt.max_chars:
            warnings.append(f"candidate: only {prompt.max_chars} of {len(candidate.content)} characters were judged")
        if warnings:
            metadata["warnings"] = warnings
        return with_verdict(answer.value.model_copy(update={"metadata": metadata}))


def _clamping(read: Callable[[str], CritiqueResult]) -> Callable[[str], CritiqueResult]:
    """Return a function that reads a reply, and in the second one clamps numbers out of range, with warnings."""
    texts: list[str] = []

    def read_again(text: str) -> CritiqueResult:
        texts.append(text)
        clamped: list[str] = []
        token = CLAMPED.set(clamped if len(texts) > 1 else None)
        try:
            found = read(text)
        finally:
            CLAMPED.reset(token)
        warnings = [*found.metadata.get("warnings", ()), *dict.fromkeys(clamped)]
        return found.model_copy(update={"metadata": {**found.metadata, "warnings": warnings}}) if clamped else found

    return read_again


def _weights(criteria: Sequence[str] | Mapping[str, float]) -> dict[str, float]:
    if isinstance(criteria, str) or not isinstance(criteria, Sequence | Mapping):
        raise ConfigurationError(f"criteria must be a sequence of strings, got {describe(criteria)}")
    weights = dict(criteria) if isinstance(criteria, Mapping) else dict.fromkeys(criteria, 1.0)
    for text, weight in cast("dict[object, object]", weights).items():
        if not isinstance(text, str) or not text.strip():
            raise ConfigurationError(f"a criterion must be a string that is not blank, got {describe(text)}")
        if not is_number(weight) or weight <= 0:
            raise ConfigurationError(f"the weight of a criterion must be above 0 and finite, got {describe(weight)}")
    return weights
