"""The generator that asks a language model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any, Final, cast

from jido_ai.components.component import check_generate_call, check_max_concurrency, text_of
from jido_ai.components.readings import current_readings
from jido_ai.errors import BudgetExceededError, ComponentError, ConfigurationError, JidoError, describe
from jido_ai.models.calls import AsksModel, ModelCaller, answered_candidate, varied
from jido_ai.models.defaults import DefaultFloat
from jido_ai.models.own_prompts import own_prompt
from jido_ai.models.prompts.generation import GenerationPrompt, read_generation
from jido_ai.models.prompts.template import MAX_CHARS
from jido_ai.models.reply_limits import text_tokens
from jido_ai.protocols import AnyModel, LanguageModel, RunContext
from jido_ai.text.numbers import is_number
from jido_ai.text.output_type import Reading, output_type
from jido_ai.values import Candidate, Iteration, MemoryEntry

_TEMPERATURE: Final = DefaultFloat(0.7)
_LONGEST_PROMPT: Final = 1_000_000
_MOST_CANDIDATES: Final = 100


class LLMGenerator(AsksModel):
    """Asks a model for one candidate, or for several at the same time.

    If one of several fails, the others are returned in order, and metadata["failed"] of the first has the errors. A
    blank reply is requested once more. The worked examples of a run (`RunContext.examples`) go before the task, as
    earlier turns; of several candidates every second one is asked for without them. In a run whose answers have a type
    (`RunContext.output`) it asks for JSON of its
    schema: enforced by the model's server, or else described in the request.

    Args:
        model: a `LanguageModel`, a function of a request, or a name such as "openai:gpt-4o-mini".
        n: how many candidates, 1 to 100.
        temperature: one for all; or lowest and highest, spread evenly over the candidates; None leaves it to the
            provider. The default is 0.7; a model that refuses it is asked without one. It rises by 0.2, up to 1.2,
            with each candidate of a run that equals an earlier one.
        max_tokens: limit of each reply; None is half a token per character of the prompt or of the longest attempt so
            far, at least 2,000.
        seed: of the first candidate; the others, and later ones of the same run, count on from it.
        timeout_s: seconds for one whole answer; None is no limit, only limits of silence (see `HttpOptions`).
        concurrency: how many of the n are asked for at once.
        template: replaces the request; may show $prompt, $lessons and $findings (what was wrong with earlier answers).
        system: replaces the default system message; "" is none.
        max_chars: of the lessons, and of what earlier attempts had wrong. The prompt itself goes out whole; above a
            million characters it is refused.
        uses_attempts: tells the model the critique of the best attempt so far and what others had wrong when a run
            begins again, and lets the policy "adaptive" do that. False: that policy only revises.
        name: the model's, in errors; by default its own.
        max_concurrency: runs it works for at once; None is no limit.
        output: type of the answer, as in `Pipeline`, where the run has none.

    Attributes:
        longest_prompt: in characters; a pipeline refuses what is longer before anything starts.

    Raises:
        ConfigurationError: a setting is invalid.
        AuthenticationError: the named model's provider needs a key and there is none.
    """

    name = "llm"
    longest_prompt = _LONGEST_PROMPT

    def __init__(
        self,
        model: AnyModel,
        n: int = 1,
        *,
        temperature: float | tuple[float, float] | None = _TEMPERATURE,
        max_tokens: int | None = None,
        seed: int | None = None,
        timeout_s: float | None = None,
        concurrency: int = 4,
        template: str | None = None,
        system: str | None = None,
        max_chars: int = MAX_CHARS,
        uses_attempts: bool = True,
        name: str | None = None,
        max_concurrency: int | None = None,
        output: object = None,
    ) -> None:
        for setting, value, most in (("n", n, _MOST_CANDIDATES), ("concurrency", concurrency, _MOST_CANDIDATES)):
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                raise ConfigurationError(f"{setting} must be a whole number in 1..{most}, got {describe(value)}")
        self._temperatures = _spread(temperature, n)
        self._seeds = [None if seed is None else seed + index for index in range(n)]
        self._concurrency = concurrency
        self._output = None if output is None else output_type(output)
        self.uses_attempts = uses_attempts
        template, system = own_prompt("generation", template, system)
        self._prompt = GenerationPrompt.of(template=template, system=system, max_chars=max_chars)
        self.max_concurrency = check_max_concurrency(max_concurrency)
        self._model = ModelCaller(
            model,
            component="generator",
            timeout_s=timeout_s,
            temperature=temperature if isinstance(temperature, DefaultFloat) else self._temperatures[0],
            max_tokens=max_tokens,
            seed=seed,
            name=name,
        )

    @property
    def asked_model(self) -> LanguageModel:
        """The model."""
        return self._model.model

    async def generate(self, prompt: str, context: RunContext) -> tuple[Candidate, ...]:
        """Generate the candidates, and return those that succeeded, in order.

        Raises:
            ConfigurationError: the prompt is longer than a million characters, or an argument is of another type.
            ComponentError: all failed; it carries every cause. With n=1 the cause itself is raised.
            BudgetExceededError: all failed, and the run's budget refused one of them.
        """
        check_generate_call(prompt, context)
        if len(prompt) > _LONGEST_PROMPT:
            raise ConfigurationError(
                f"the prompt has {len(prompt)} characters; a model is sent {_LONGEST_PROMPT} at most"
            )
        answers = await self._all(prompt, context)
        failures = [answer for answer in answers if isinstance(answer, Exception)]
        candidates = [answer for answer in answers if isinstance(answer, Candidate)]
        if not candidates:
            raise _none_came(failures)
        if failures:
            failed = [f"{type(error).__name__}: {text_of(error)}" for error in failures]
            first = candidates[0]
            candidates[0] = first.replace(metadata={**first.metadata, "failed": failed})
        return tuple(candidates)

    async def _all(self, prompt: str, context: RunContext) -> list[Candidate | Exception]:
        wished: Mapping[str, Any] = getattr(context, "settings", {})  # a stand-in for a context may have none
        first = wished.get("seed")
        seeds = self._seeds if first is None else [first + index for index in range(len(self._seeds))]
        examples: Sequence[MemoryEntry] = getattr(context, "examples", ())
        if len(self._temperatures) == 1:
            return [await self._one(prompt, context, self._temperatures[0], seeds[0], examples)]
        slots = asyncio.Semaphore(self._concurrency)

        async def in_turn(number: int, temperature: float | None, seed: int | None) -> Candidate | Exception:
            async with slots:
                return await self._one(prompt, context, temperature, seed, () if number % 2 else examples)

        settings = zip(count(), self._temperatures, seeds, strict=False)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(in_turn(*setting)) for setting in settings]
        return [task.result() for task in tasks]

    async def _one(
        self,
        prompt: str,
        context: RunContext,
        temperature: float | None,
        seed: int | None,
        examples: Sequence[MemoryEntry],
    ) -> Candidate | Exception:
        attempts: Sequence[Iteration] = getattr(context, "attempts", ()) if self.uses_attempts else ()
        messages = self._prompt.messages(prompt, context.lessons, attempts, examples)
        limit = text_tokens(len(prompt), *(len(one.candidate.content) for one in attempts))
        given: object = getattr(context, "output", None)  # a stand-in for a context may have none
        output = self._output if given is None else output_type(given)
        known = current_readings.get()
        read: Callable[[str], str | Reading[Any]] = read_generation
        if output is not None:
            read = partial(output.read, known=known, is_reply=True)
        try:
            temperature = varied(temperature, context)
            seed = None if seed is None else seed + context.iteration * len(self._seeds)
            answer = await self._model.ask(
                messages,
                read,
                context,
                default_tokens=limit,
                takes_cut=True,
                output=output,
                temperature=temperature,
                seed=seed,
            )
        except Exception as error:  # noqa: BLE001 - whatever became of one, the others may be enough
            return error
        metadata = dict(answer.metadata)
        if temperature is not None and "temperature" not in answer.metadata.get("dropped", ()):
            metadata["temperature"] = temperature
        if isinstance(answer.value, str):
            return answered_candidate(answer.value, answer, metadata)
        return answered_candidate(answer.value.text, answer, metadata).model_copy(update={"value": answer.value.value})


def _spread(temperature: object, n: int) -> list[float | None]:
    """Return one temperature per candidate."""
    if temperature is None:
        return [None] * n
    is_range = isinstance(temperature, tuple | list)
    bounds = cast("Sequence[object]", temperature) if is_range else (temperature, temperature)
    numbers = [value for value in bounds if is_number(value)]
    if len(bounds) != 2 or len(numbers) != 2 or not 0.0 <= numbers[0] <= numbers[1]:
        raise ConfigurationError(
            f"temperature must be None, a number of at least 0, or lowest and highest, got {describe(bounds)}"
        )
    low, high = float(numbers[0]), float(numbers[1])
    return [low + (high - low) * index / max(1, n - 1) for index in range(n)]


def _none_came(failures: Sequence[Exception]) -> Exception:
    if len(failures) == 1:
        return failures[0]
    for error in failures:
        if isinstance(error, BudgetExceededError):
            return error
    causes = "; ".join(dict.fromkeys(f"{type(error).__name__}: {text_of(error)}" for error in failures))
    error = ComponentError(f"none of {len(failures)} candidates could be generated: {causes}", component="generator")
    error.retryable = any(not isinstance(one, JidoError) or one.retryable for one in failures)
    error.__cause__ = ExceptionGroup("all candidates failed", failures)
    return error
