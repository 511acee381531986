"""Strategies of a comparison: how an answer to a task comes about, within a limit of calls that is equal for all."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from inspect import isawaitable
from typing import Any, Final, Literal, cast, get_args

from jido_ai.comparing.cases import Verdict
from jido_ai.comparing.tasks import Task
from jido_ai.components.call_context import metering
from jido_ai.components.component import as_candidates, as_critique, close_all, method_of
from jido_ai.critics.acceptance import accepted
from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.critics.scoring import with_verdict
from jido_ai.errors import BudgetExceededError, ConfigurationError, JidoError, ParseError, describe, message_of
from jido_ai.loop.named_components import AnyJudge, critiquer_of
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.calls import ModelCaller
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.names import model_of
from jido_ai.models.prompts.choice import CHOICE_TOKENS, choice_messages, read_choice
from jido_ai.models.prompts.trial_reflection import reflection_messages
from jido_ai.models.spending import Spending, enclosing_spending
from jido_ai.protocols import AnyModel, LanguageModel, RunContext
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.runs.runnable import Runnable
from jido_ai.values import (
    Budget,
    Candidate,
    CritiqueResult,
    ErrorInfo,
    Issue,
    LoopConfig,
    ReflectionResult,
    Scope,
    Usage,
)

Critics = Literal["checks"]
Picks = Literal["critic", "verdict", "most_frequent", "checks"]
_WORDS: Final = {
    "critic": "a critic",
    "verdict": "the model's own verdict",
    "most_frequent": "the most frequent answer",
    "checks": "the checks",
}
_MOST_CANDIDATES: Final = 100
_SEVERITY: Final = 0.8
_SOURCE: Final = "tool:checks"
_REFLECTION_TOKENS: Final = 300
_REFLECTIONS_SHOWN: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Conditions that all strategies of a comparison share.

    Attributes:
        memory: of strategies that learn.
        max_calls: model calls of one answer; None is no limit.
        timeout_s: seconds for one answer.
        critics: "checks": the checks judge in place of every strategy's critics.
    """

    memory: ReflexionMemory
    max_calls: int | None
    timeout_s: float
    critics: Critics | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One task under one strategy.

    Attributes:
        run_id: of the run in the journal, if there is one.
        scope: of its lessons.
        spending: has the limits of calls and dollars.
        judge: tells what the checks say of an answer.
    """

    task: Task
    run_id: str
    scope: Scope
    spending: Spending
    judge: Callable[[str], Awaitable[Verdict]]

    @property
    def prompt(self) -> str:
        """The prompt, with the text that is to be improved."""
        task = self.task
        return task.prompt if task.initial_candidate is None else f"{task.prompt}\n\n{task.initial_candidate}"

    def context(self, asked: str) -> RunContext:
        """Return the context of its components when `asked` is the request."""
        return RunContext(
            self.run_id,
            asked,
            scope=self.scope,
            metadata=self.metadata,
            meter=self.spending,
            output=self.task.output,
        )

    @property
    def metadata(self) -> dict[str, Any]:
        """The metadata of its run: the family of the task is its type."""
        family: object = self.task.metadata.get("family")
        return {"command": "compare", "task": self.task.key} | (
            {"task_type": family} if isinstance(family, str) else {}
        )


@dataclass(frozen=True, slots=True)
class AttemptOutcome:
    """How an attempt ended.

    Attributes:
        usage: of all its calls.
        stop_reason: as `StopReason` has it.
        run_id: of the run in the journal.
    """

    text: str | None
    usage: Usage
    stop_reason: str | None = None
    error: ErrorInfo | None = None
    run_id: str | None = None


Solve = Callable[[Attempt], Awaitable[AttemptOutcome]]

at_hand: ContextVar[Attempt | None] = ContextVar("attempt_at_hand", default=None)
"""The attempt that critics judge by the checks; set for each case."""


class Strategy(ABC):
    """A way to an answer, as `single` and `best_of` make them.

    Attributes:
        learns: it keeps lessons, so it works on one task after the other.
        has_critics: something judges its answers while it works.
        is_oracle: it sees the checks, which nobody does in earnest.
    """

    learns = False
    has_critics = True
    is_oracle = False

    @abstractmethod
    def opened(self, setting: Setting) -> AbstractAsyncContextManager[Solve]:
        """Return a context in which attempts can be made."""

    @abstractmethod
    def parts(self) -> tuple[object, ...]:
        """Return the components and models that it uses."""

    @abstractmethod
    def most_calls(self, max_calls: int | None) -> int | None:
        """Return the most model calls of one answer; None is no limit."""

    def first_model(self) -> LanguageModel | None:
        """Return the model that gives a plain first answer; None if that is not known."""
        return None

    @abstractmethod
    def in_words(self) -> str:
        """Return a short description, the same in every process."""


# -- samples ---------------------------------------------------------------------------------------


def single(model: AnyModel) -> Strategy:
    """One answer of `LLMGenerator(model)`.

    Raises:
        ConfigurationError, AuthenticationError: the model cannot be used.
    """
    return _Samples(model_of(model), 1, None, None, is_own=isinstance(model, str))


def best_of(model: AnyModel, n: int, *, critic: AnyJudge | None = None, picks: Picks | None = None) -> Strategy:
    """The best of `n` answers of `LLMGenerator(model)`, picked without the checks.

    The limit of calls is that of all strategies: a critic that asks a model is asked after each answer, so there may be
    fewer than `n`.

    Args:
        n: how many, 1 to 100.
        critic: judges the answers; a critiquer, or a model or its name.
        picks: "critic"; "verdict": the model chooses among its own answers, which is one more call; "most_frequent",
            the earliest if there are several; "checks": the first that passes the checks, an oracle, told as such.
            None: the critic, else a verdict if a call is left, else the most frequent.

    Raises:
        ConfigurationError: an argument can never work.
        AuthenticationError: the named model's provider needs a key and there is none.
    """
    _checked_count("n", n, _MOST_CANDIDATES)
    if picks is not None and picks not in get_args(Picks):
        raise ConfigurationError(f"picks must be one of {', '.join(get_args(Picks))}, got {describe(picks)}")
    if (picks == "critic") > (critic is not None) or (critic is not None and picks not in (None, "critic")):
        raise ConfigurationError(f"picks={picks!r} with critic={describe(critic)}: a critic picks if it is given")
    return _Samples(model_of(model), n, critic, picks, is_own=isinstance(model, str))


class _Samples(Strategy):
    """Answers of one generator, of which one is picked."""

    def __init__(
        self, model: LanguageModel, n: int, critic: AnyJudge | None, picks: Picks | None, *, is_own: bool
    ) -> None:
        self._generator = LLMGenerator(model)
        self._model = model
        self._is_own = is_own
        self._n = n
        self._critic = None if critic is None else critiquer_of(critic)
        self._critique = None if self._critic is None else method_of(self._critic, "critique", "critic")
        self._chooser = ModelCaller(model, component="critic", temperature=0.0, max_tokens=CHOICE_TOKENS)
        self._picks: Picks | None = picks
        self.has_critics = n > 1
        self.is_oracle = picks == "checks"

    def parts(self) -> tuple[object, ...]:
        return (self._generator, *(() if self._critic is None else (self._critic,)))

    def most_calls(self, max_calls: int | None) -> int | None:
        most = 2 * self._n if self._critic is not None else self._n + (self._n > 1 and self._picks in (None, "verdict"))
        return most if max_calls is None else min(most, max_calls)

    def first_model(self) -> LanguageModel | None:
        return self._model

    def in_words(self) -> str:
        if self._n == 1:
            return "one answer"
        picks = self._picks or ("critic" if self._critic is not None else None)
        how = "the model's own verdict if a call is left, else the most frequent" if picks is None else _WORDS[picks]
        return f"best of {self._n}, picked by {how}"

    @asynccontextmanager
    async def opened(self, setting: Setting) -> AsyncGenerator[Solve]:
        try:
            yield partial(self._solve, setting)
        finally:
            await close_all(self.parts())
            close: Callable[[], Awaitable[object]] | None = getattr(self._model, "aclose", None)
            if self._is_own and close is not None:
                await close()

    async def _solve(self, setting: Setting, attempt: Attempt) -> AttemptOutcome:
        picks: Picks | None = self._picks
        if setting.critics == "checks" and self._n > 1:
            picks = "checks"
        elif picks is None and self._critique is not None:
            picks = "critic"
        with metering(attempt.spending):
            return await self._sampled(picks, attempt)

    async def _sampled(self, picks: Picks | None, attempt: Attempt) -> AttemptOutcome:
        asked = attempt.prompt
        context = attempt.context(asked)
        answers: list[Candidate] = []
        scores: list[float] = []
        spent, failure = Usage(), None
        for _ in range(self._n):
            try:
                made = as_candidates(await self._generator.generate(asked, context))[0]
                answers.append(made)
                if picks == "checks" and (await attempt.judge(made.content)).passed:
                    return AttemptOutcome(made.content, attempt.spending.spent + spent, "accepted")
                if picks == "critic" and self._critique is not None:
                    judged = as_critique(await self._critique(made, context))
                    scores.append(judged.score)
                    spent += _usage_of(judged)
            except BudgetExceededError:  # it is used up: by a blank reply that was asked for again, or by critics
                break
            except JidoError as error:  # a call that failed is used up; others may succeed
                failure = error
        if not answers:
            return AttemptOutcome(None, attempt.spending.spent + spent, "error", failure and _info(failure))
        texts = [answer.content for answer in answers]
        picked = await self._picked(picks, texts, scores, context)
        return AttemptOutcome(texts[picked], attempt.spending.spent + spent)

    async def _picked(
        self, picks: Picks | None, texts: Sequence[str], scores: Sequence[float], context: RunContext
    ) -> int:
        if picks == "critic" and scores:
            return scores.index(max(scores))
        plain = [" ".join(text.split()) for text in texts]
        different = [texts[plain.index(text)] for text in dict.fromkeys(plain)]
        if picks in (None, "verdict") and len(different) > 1 and _has_call(context.budget_left):
            try:
                read = partial(read_choice, count=len(different))
                messages = choice_messages(context.prompt, different)
                return texts.index(different[(await self._chooser.ask(messages, read, context)).value])
            except (ParseError, BudgetExceededError):
                pass  # no verdict can be had within the limit: the most frequent one
        return plain.index(Counter(plain).most_common(1)[0][0])


def _has_call(left: Budget) -> bool:
    return left.max_calls is None or left.max_calls > 0


# -- loops -----------------------------------------------------------------------------------------


def self_refine(model: AnyModel, rounds: int = 1) -> Strategy:
    """An answer that the model judges itself and revises until it finds it good enough, at most `rounds` times.

    The paper (Self-Refine, arXiv 2303.17651) has 4 rounds, which take up to 10 calls: `compare(max_calls=10)`.

    Raises:
        ConfigurationError, AuthenticationError: the model cannot be used, or `rounds` is not in 1..99.
    """
    often = "once" if rounds == 1 else f"up to {rounds} times"
    config = LoopConfig(max_iterations=_checked_count("rounds", rounds, 99) + 1)
    if rounds > 1:
        config = config.replace(stop_rules=(accepted,))
    return _Loop(model, None, config, f"judged by the model itself and revised {often}")


def reflexion(model: AnyModel, trials: int = 3, *, critic: AnyJudge | None = None) -> Strategy:
    """An answer that is written anew after a reflection on each failure; the newest three reflections are shown.

    The paper (Reflexion, arXiv 2303.11366) judges by tests, which `compare(critics="checks")` does, and keeps one to
    three reflections.

    Args:
        trials: answers written, 1 to 100; each but the last takes a call for its reflection.
        critic: judges the answers; None is the model itself.

    Raises:
        ConfigurationError, AuthenticationError: a model cannot be used, or `trials` is out of range.
    """
    return _Reflexion(model, critic, _checked_count("trials", trials, _MOST_CANDIDATES))


def _checked_count(name: str, count: object, most: int) -> int:
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= most:
        raise ConfigurationError(f"{name} must be a whole number in 1..{most}, got {describe(count)}")
    return count


def loop(
    model: AnyModel, *, critic: AnyJudge | None = None, memory: bool = False, config: LoopConfig | None = None
) -> Strategy:
    """The loop of `jido ask`: answers that are judged, written anew or revised, while it pays.

    Args:
        critic: a critiquer, or a model or its name; None is the model itself.
        memory: it learns from one task for the next; a lesson is never offered to its own task.
        config: None is the policy "adaptive".

    Raises:
        ConfigurationError, AuthenticationError: a model cannot be used.
    """
    words = f"loop{' with lessons' if memory else ''}, judged by {'the model itself' if critic is None else 'a critic'}"
    return _Loop(model, critic, config or LoopConfig(policy="adaptive", step_retries=1), words, learns=memory)


class _Loop(Strategy):
    """A pipeline of the model with itself or another as its critic."""

    def __init__(
        self, model: AnyModel, critic: AnyJudge | None, config: LoopConfig, words: str, *, learns: bool = False
    ) -> None:
        self._model = model_of(model)
        self._is_own = isinstance(model, str)
        self._generator = LLMGenerator(self._model)
        self._critic = LLMCritiquer(self._model) if critic is None else critiquer_of(critic)
        self._reviser = LLMReviser(self._model)
        self._config = config
        self._words = words
        self.learns = learns

    def parts(self) -> tuple[object, ...]:
        return self._generator, self._critic, self._reviser

    def most_calls(self, max_calls: int | None) -> int | None:
        return max_calls

    def first_model(self) -> LanguageModel | None:
        return self._model

    def in_words(self) -> str:
        return f"{self._words}; {self._config.model_dump_json(exclude_defaults=True)}"

    @asynccontextmanager
    async def opened(self, setting: Setting) -> AsyncGenerator[Solve]:
        pipelines: dict[str, Pipeline[Any]] = {}
        opening = asyncio.Lock()

        async def solve(attempt: Attempt) -> AttemptOutcome:
            async with opening:  # answers of each type have a pipeline of their own
                output = attempt.task.output
                kind = repr(output) if not isinstance(output, type) else f"type {id(output)}"
                if kind not in pipelines:
                    pipelines[kind] = await stack.enter_async_context(self._pipeline(setting, output))
            return await _run(pipelines[kind], attempt)

        async with AsyncExitStack() as stack:
            close: Callable[[], Awaitable[object]] | None = getattr(self._model, "aclose", None)
            if self._is_own and close is not None:
                stack.push_async_callback(close)
            yield solve

    def _pipeline(self, setting: Setting, output: Any) -> Pipeline[Any]:
        limits: dict[str, Any] = {"timeout_s": setting.timeout_s, "step_timeout_s": setting.timeout_s}
        if self._config.policy == "adaptive" and self._config.max_iterations == LoopConfig().max_iterations:
            limits["max_iterations"] = min(100, max(self._config.candidates, setting.max_calls or 3))
        if setting.critics == "checks":
            limits["accept"] = "clean"
        return Pipeline(
            self._generator,
            _ByChecks() if setting.critics == "checks" else self._critic,
            self._reviser,
            memory=setting.memory if self.learns else None,
            config=self._config.replace(**limits),
            output=output,
        )


class _Reflexion(Strategy):
    """Trials of one model, each with its reflections on those before."""

    def __init__(self, model: AnyModel, critic: AnyJudge | None, trials: int) -> None:
        self._model = model_of(model)
        self._is_own = isinstance(model, str)
        self._generator = LLMGenerator(self._model)
        self._critic = LLMCritiquer(self._model) if critic is None else critiquer_of(critic)
        self._critique = method_of(self._critic, "critique", "critic")
        self._caller = ModelCaller(self._model, component="reflector", max_tokens=_REFLECTION_TOKENS)
        self._trials = trials

    def parts(self) -> tuple[object, ...]:
        return self._generator, self._critic

    def most_calls(self, max_calls: int | None) -> int | None:
        most = 3 * self._trials - 1
        return most if max_calls is None else min(most, max_calls)

    def first_model(self) -> LanguageModel | None:
        return self._model

    def in_words(self) -> str:
        return f"up to {self._trials} answers, each but the first with reflections on those before"

    @asynccontextmanager
    async def opened(self, setting: Setting) -> AsyncGenerator[Solve]:
        judge = _ByChecks().critique if setting.critics == "checks" else self._critique
        try:
            yield partial(self._solve, judge)
        finally:
            await close_all(self.parts())
            close: Callable[[], Awaitable[object]] | None = getattr(self._model, "aclose", None)
            if self._is_own and close is not None:
                await close()

    async def _solve(self, judge: Callable[..., Any], attempt: Attempt) -> AttemptOutcome:
        context = attempt.context(attempt.prompt)
        reflections: list[str] = []
        best: tuple[float, str] | None = None
        reason, failure, spent = "max_iterations", None, Usage()
        with metering(attempt.spending):
            try:
                for trial in range(self._trials):
                    asked = _with_reflections(attempt.prompt, reflections)
                    made = as_candidates(await self._generator.generate(asked, attempt.context(asked)))[0]
                    best = best or (-1.0, made.content)
                    judged = as_critique(await judge(made, context))
                    spent += _usage_of(judged)
                    if judged.score > best[0]:
                        best = (judged.score, made.content)
                    if judged.severity < LoopConfig().severity_threshold:
                        reason = "accepted"
                        break
                    if trial + 1 < self._trials:
                        messages = reflection_messages(attempt.prompt, made.content, judged)
                        reflections.append((await self._caller.ask(messages, str.strip, context)).value)
            except BudgetExceededError:
                reason = "budget"
            except JidoError as error:
                reason, failure = "error", _info(error)
        return AttemptOutcome(None if best is None else best[1], attempt.spending.spent + spent, reason, failure)


def _with_reflections(prompt: str, reflections: Sequence[str]) -> str:
    told = "\n".join(f"- {one}" for one in reflections[-_REFLECTIONS_SHOWN:])
    return f"{prompt}\n\nYour reflections on earlier, failed attempts:\n{told}" if told else prompt


class _ByChecks:
    """A critic that says which checks of the task at hand an answer fails."""

    name = _SOURCE

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        del context
        attempt = at_hand.get()
        assert attempt is not None
        verdict = await attempt.judge(candidate.content)
        wrong = verdict.reasons or (() if verdict.passed else ("the answer does not pass the checks",))
        issues = (
            ()
            if verdict.passed
            else tuple(Issue(one, severity=_SEVERITY, kind="check", source=_SOURCE) for one in wrong)
        )
        score = 1.0 if verdict.passed else 1.0 / (1 + len(wrong))
        severity = _SEVERITY if issues else 0.0
        return with_verdict(CritiqueResult(severity=severity, score=score, issues=issues, source=_SOURCE))


# -- pipelines and graphs --------------------------------------------------------------------------


class _OfRunnable(Strategy):
    """A pipeline or graph of the caller's; one that runs already is used as it is and stays open."""

    def __init__(self, run: Runnable[Any, Any, Any, Any], solve: Solve) -> None:
        self._run = run
        self._solve = solve
        self.learns = run.memory is not None

    def parts(self) -> tuple[object, ...]:
        return cast("tuple[object, ...]", cast("Any", self._run).uses())

    def most_calls(self, max_calls: int | None) -> int | None:
        return max_calls

    def in_words(self) -> str:
        return f"{type(self._run).__name__} {cast('Any', self._run).config.model_dump_json(exclude_defaults=True)}"

    @asynccontextmanager
    async def opened(self, setting: Setting) -> AsyncGenerator[Solve]:
        async with AsyncExitStack() as stack:
            if setting.critics == "checks":
                pipeline = cast("Pipeline[Any]", self._run)
                if not isinstance(pipeline, Pipeline):
                    raise ConfigurationError(f'critics="checks" needs pipelines; {self._run.name} is a graph')
                stack.callback(pipeline.use_critiquer, pipeline.use_critiquer(_ByChecks()))
            run: AbstractAsyncContextManager[object] = self._run
            if self._run.running_in is None:
                await stack.enter_async_context(run)
            yield self._solve


class _OfFunction(Strategy):
    """A function of the prompt, plain or async, that returns the answer; a plain one runs on a thread.

    Calls of models that it makes through this library count; what others make is not seen.
    """

    has_critics = False

    def __init__(self, function: Callable[[str], object]) -> None:
        self._function = function

    def parts(self) -> tuple[object, ...]:
        return ()

    def most_calls(self, max_calls: int | None) -> int | None:
        return max_calls

    def in_words(self) -> str:
        return f"the function {getattr(self._function, '__qualname__', type(self._function).__name__)}"

    @asynccontextmanager
    async def opened(self, setting: Setting) -> AsyncGenerator[Solve]:
        del setting
        yield self._solve

    async def _solve(self, attempt: Attempt) -> AttemptOutcome:
        enclosing_spending.set(attempt.spending)
        try:
            with metering(attempt.spending):
                answer = await asyncio.to_thread(self._function, attempt.prompt)
                if isawaitable(answer):
                    answer = await cast("Awaitable[object]", answer)
        except Exception as error:  # noqa: BLE001 - the caller's code: an attempt that failed, told in the result
            return AttemptOutcome(None, attempt.spending.spent, "error", _info(error))
        if not isinstance(answer, str):
            raise ConfigurationError(f"a strategy must return a text, got {describe(answer)}")
        return AttemptOutcome(answer, attempt.spending.spent)


def strategy_of(name: str, given: object) -> Strategy:
    """Return a strategy: itself, or one that runs a pipeline, a graph, or a function of the prompt.

    Raises:
        ConfigurationError: it is something else, or a graph that takes more than one input.
    """
    if isinstance(given, Strategy):
        return given
    if isinstance(given, Pipeline):
        return _OfRunnable(cast("Any", given), partial(_run, cast("Pipeline[Any]", given)))
    inputs: object = getattr(given, "inputs", None)
    if isinstance(given, Runnable) and isinstance(inputs, Sequence):
        names = cast("Sequence[str]", inputs)
        if len(names) != 1:
            told = ", ".join(names) or "none"
            raise ConfigurationError(f"strategy {name!r}: a graph must take one input, the prompt; it takes {told}")
        return _OfRunnable(cast("Any", given), partial(_run_graph, cast("Any", given), names[0]))
    if callable(given):  # pyright: ignore[reportUnknownArgumentType] - anything is asked
        return _OfFunction(cast("Callable[[str], object]", given))
    raise ConfigurationError(
        f"strategy {name!r} must be single(...), best_of(...), a Pipeline, a Graph or a function, "
        f"got {describe(cast('object', given))}"
    )


async def _run(pipeline: Pipeline[Any], attempt: Attempt) -> AttemptOutcome:
    enclosing_spending.set(attempt.spending)  # the case has a context of its own
    task = attempt.task
    result: ReflectionResult[Any] = await pipeline.run(
        task.prompt, task.initial_candidate, run_id=attempt.run_id, scope=attempt.scope, metadata=attempt.metadata
    )
    answer = result.answer
    return AttemptOutcome(
        None if answer is None else answer.content,
        result.usage,
        result.stop_reason.value,
        result.error,
        attempt.run_id if pipeline.journal is not None else None,
    )


async def _run_graph(graph: Any, name: str, attempt: Attempt) -> AttemptOutcome:
    enclosing_spending.set(attempt.spending)
    result: Any = await graph.run(
        {name: attempt.prompt}, run_id=attempt.run_id, scope=attempt.scope, metadata=attempt.metadata
    )
    output: object = result.output
    text = output if output is None or isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    run_id = attempt.run_id if graph.journal is not None else None
    return AttemptOutcome(text, result.usage, str(result.status), result.error, run_id)


def _usage_of(part: CritiqueResult) -> Usage:
    usage: object = cast("Mapping[str, object]", part.metadata).get("usage")
    return usage if isinstance(usage, Usage) else Usage() if usage is None else Usage.model_validate(usage)


def _info(error: BaseException) -> ErrorInfo:
    return ErrorInfo(type(error).__name__, message_of(error), getattr(error, "component", None))
