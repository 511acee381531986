"""Base classes of the parts that integrations make: parts of a framework with a pipeline inside, and components."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from jido_ai.errors import ConfigurationError, ModelUnavailableError, describe, message_of
from jido_ai.integrations.common import Life, revision_prompt
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.prompts.lessons import format_for_prompt
from jido_ai.models.providers.draft import finish_of
from jido_ai.protocols import RunContext
from jido_ai.values import (
    Candidate,
    Completion,
    CompletionRequest,
    CritiqueResult,
    MemoryEntry,
    MemoryKind,
    Scope,
    Scored,
    Usage,
)


def decision_in(answer: Any, question: Mapping[str, Any] | None = None) -> bool | str:
    """Return a person's answer: a bool, "yes" or "no", or another text, which replaces the revision.

    Args:
        answer: or a map of one item, such as `{"approved": True}`, or a map of "decision" and of items of the question,
            such as "revision_id", that say which question it answers. Also as JSON.
        question: that is open; None takes an answer to any.

    Raises:
        ConfigurationError: it is something else, or blank, or answers another question.
    """
    told: object = answer
    if isinstance(told, str) and told.lstrip().startswith("{"):
        try:
            read: object = json.loads(told)
        except ValueError:
            read = None  # a text
        if isinstance(read, dict) and "decision" in read:
            told = cast("object", read)
    if isinstance(told, Mapping):
        items = cast("Mapping[str, object]", told)
        if "decision" in items:
            named = {name: value for name, value in items.items() if name != "decision"}
            asked = named if question is None else question
            other = sorted(name for name, value in named.items() if name not in asked or asked[name] != value)
            if other:
                raise ConfigurationError(f"the answer is for another question: the open one has another {other[0]}")
            told = items["decision"]
        elif len(items) == 1:
            told = next(iter(items.values()))
    if isinstance(told, bool):
        return told
    if not isinstance(told, str) or not told.strip():
        raise ConfigurationError(f'answer with True or "yes", False or "no", or a new text; got {describe(answer)}')
    return {"yes": True, "no": False}.get(told.strip().lower(), told)


def asked_again(question: Mapping[str, Any], problem: ConfigurationError | str) -> dict[str, Any]:
    """Return a question once more, with what was wrong with its answer as "problem"."""
    return {**question, "problem": message_of(problem) if isinstance(problem, Exception) else problem}


def options_of(request: CompletionRequest, *, stop: str = "stop") -> dict[str, Any]:
    """Return the settings of a request that are set, under the names that most frameworks use.

    Args:
        stop: name of the stop sequences.
    """
    given: dict[str, Any] = {
        "temperature": request.temperature,
        "top_p": request.top_p,
        "max_tokens": request.max_tokens,
        "seed": request.seed,
        stop: list(request.stop) or None,
    }
    return {name: value for name, value in given.items() if value is not None}


def ended_as(word: object, *, provider: str, model: str) -> dict[str, Any]:
    """Return the fields of a `Completion` that say why it ended, by a framework's word for it; an unknown one is told.

    Raises:
        ModelUnavailableError: the server ended it because it failed.
    """
    reason = finish_of(word)
    if reason == "failed":
        raise ModelUnavailableError(f"it ended the answer with {word!r}", provider=provider, model=model)
    return {"finish_reason": reason} if reason else {"finish_reason": "stop", "ended_by": str(word)}


def tokens_of(usage: Usage) -> tuple[int, int, int]:
    """Return the input, output and total tokens of a usage."""
    return usage.input_tokens, usage.output_tokens, usage.input_tokens + usage.output_tokens


def candidate_of(output: Any, usage: Usage | None = None) -> Candidate:
    """Return the output of an agent. One that is not text becomes the `value`, its JSON or str the text."""
    metadata = {} if usage is None else {"usage": usage}
    if isinstance(output, str):
        return Candidate(output, metadata=metadata)
    dump = getattr(output, "model_dump_json", None)
    return Candidate(str(dump()) if callable(dump) else str(output), value=output, metadata=metadata)


# -- in --------------------------------------------------------------------------------------------


class ClosablePart:
    """A part of a framework that keeps a pipeline running."""

    if TYPE_CHECKING:  # some frameworks make fields of annotations
        _life: Life

    async def close(self) -> None:
        """Leave the pipeline if it was entered here."""
        await self._life.aclose()


class LessonsPart:
    """The lessons of a memory as a part of a framework.

    Args:
        memory: open while it is used; it belongs to the caller.
        limit: maximum number of lessons, at least 1.
        scope: None is the default scope.

    Raises:
        ConfigurationError: an argument is invalid.
    """

    def __init__(self, memory: ReflexionMemory, *, limit: int = 5, scope: Scope | None = None) -> None:
        if not isinstance(memory, ReflexionMemory):
            raise ConfigurationError(f"{type(self).__name__} needs a ReflexionMemory, got {describe(memory)}")
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            raise ConfigurationError(f"limit must be a whole number of at least 1, got {describe(limit)}")
        self._memory, self._limit, self._scope = memory, limit, scope

    async def _found(self, prompt: str, scope: Scope | None = None) -> list[Scored]:
        """Return the lessons for a prompt."""
        return list(await self._memory.retrieve_similar(prompt, self._limit, scope=scope or self._scope))

    async def _remember(self, lesson: str, about: Any, scope: Scope | None = None) -> None:
        """Store a lesson; `about` may have the prompt that it applies to, and the mistake."""
        entry = MemoryEntry(
            str(about.get("prompt") or lesson),
            str(about.get("mistake") or ""),
            lesson,
            kind=MemoryKind.SEMANTIC,
            scope=scope or self._scope or Scope(),
        )
        await self._memory.store(entry)


# -- out -------------------------------------------------------------------------------------------


class FrameworkModel:
    """A framework's model as a `LanguageModel`. The framework traces its calls."""

    observes_itself = True
    base_url = ""


class OnePieceModel(FrameworkModel):
    """A framework's model whose answers come in one piece."""

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. See `LanguageModel`."""
        raise NotImplementedError

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the text in one piece, and last the whole `Completion`. See `StreamingModel`."""
        completion = await self.complete(request)
        if completion.text:
            yield completion.text
        yield completion


_LESSONS_ALONE: Final = 2_000
_WITH_EXAMPLES: Final = 8_000


def with_lessons(prompt: str, context: RunContext) -> str:
    """Return a prompt with the lessons and the worked examples of a run."""
    examples: Sequence[MemoryEntry] = getattr(context, "examples", ())
    remembered = format_for_prompt((*context.lessons, *examples), _WITH_EXAMPLES if examples else _LESSONS_ALONE)
    return f"{prompt}\n\n{remembered}" if remembered else prompt


class AgentGeneratorPart:
    """An agent as a generator; a subclass has `_ask`, which returns its answer to a prompt."""

    async def _ask(self, prompt: str) -> Candidate:
        raise NotImplementedError

    async def generate(self, prompt: str, context: RunContext) -> Candidate:
        """Ask the agent with the prompt and the lessons. See `Generator`."""
        return await self._ask(with_lessons(prompt, context))


class AgentReviserPart:
    """An agent as a reviser: it is given the task, the answer and its review."""

    async def _ask(self, prompt: str) -> Candidate:
        raise NotImplementedError

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        """Ask the agent. See `Reviser`."""
        return await self._ask(revision_prompt(candidate, critique, context))
