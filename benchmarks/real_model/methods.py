"""The methods that are compared, each with the same number of model calls at most.

Of a task, all of them have the same first answer: the same request with the same seed.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from jido_ai import (
    Budget,
    Candidate,
    CritiqueResult,
    JidoError,
    LLMGenerator,
    LLMReviser,
    LoopConfig,
    MemoryEntry,
    Pipeline,
    ReflexionMemory,
    RunContext,
)
from jido_ai.critics import driven_by_tests
from jido_ai.errors import BudgetExceededError
from jido_ai.models import CompletionRequest, Message
from real_model.cached_model import RunModel
from real_model.judging import Judge, code_of

__all__ = ["PROGRAM_METHODS", "TASK_METHODS", "Outcome", "Trial", "draft_prompt"]

REPAIR: Final = "This Python module has one bug. Fix it, so that all of its tests pass, and change nothing else."
_MANY: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Trial:
    """One run to be made.

    Attributes:
        prompt: the task.
        judge: tells the faults of an answer.
        model: counts calls and tokens.
        calls: model calls at most.
        call_s: seconds for one of them.
        initial: the program to repair.
        family: kind of the task.
        memory: offers lessons to the loop, and keeps its own.
    """

    prompt: str
    judge: Judge
    model: RunModel
    calls: int
    call_s: float
    initial: str | None = None
    family: str = "program"
    memory: ReflexionMemory | None = None

    @property
    def limit_s(self) -> float:
        """Seconds for the whole run."""
        return self.calls * self.call_s

    def config(self, **changes: Any) -> LoopConfig:
        """Return limits that are equal for all methods."""
        limits: dict[str, Any] = {
            "max_iterations": self.calls + (self.initial is not None),
            "budget": Budget(max_calls=self.calls),
            "timeout_s": self.limit_s,
            "step_timeout_s": min(self.limit_s, 2 * self.call_s),
        }
        return LoopConfig(accept="clean", **limits, **changes)

    def until_passed(self) -> LoopConfig:
        """Return the limits of a loop that only an answer without faults ends."""
        config = self.config()
        return driven_by_tests(
            config.max_iterations, config.timeout_s, budget=config.budget, step_timeout_s=config.step_timeout_s
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run: every candidate in order, the best of them, why it ended, and the lessons around it."""

    texts: tuple[str, ...]
    best: str | None
    stop: str
    error: str | None = None
    lessons: tuple[MemoryEntry, ...] = ()
    offered: int = 0


Method = Callable[[Trial], Awaitable[Outcome]]


def _reviser(trial: Trial, kind: str = "auto", **options: Any) -> LLMReviser:
    """Return a reviser whose replies have a format: "edits", "text", or "auto", its own choice."""
    known = inspect.signature(LLMReviser).parameters
    if kind != "auto" and "format" in known:
        options["format"] = kind
    elif kind != "auto":
        options["edits_above"] = 0 if kind == "edits" else _MANY
    return LLMReviser(trial.model, timeout_s=trial.call_s, **options)


async def _looped(trial: Trial, generator: Any, reviser: Any, config: LoopConfig) -> Outcome:
    async with Pipeline(generator, trial.judge, reviser, trial.memory, config) as pipeline:
        result = await pipeline.run(trial.prompt, trial.initial, metadata={"task_type": trial.family})
    best = result.best_candidate
    return Outcome(
        tuple(one.candidate.content for one in result.iterations),
        None if best is None else best.content,
        result.stop_reason.value,
        result.error and f"{result.error.kind}: {result.error.message}"[:300],
        result.lessons_stored,
        len(result.lessons_used),
    )


async def _sampled(trial: Trial, count: int, generator: Any) -> Outcome:
    """Ask up to `count` times, until an answer passes; the checker picks the best. A call that fails is used up."""
    trial.model.most = count
    texts: list[str] = []
    failure: str | None = None
    context = RunContext(run_id="samples", prompt=trial.prompt)
    for _ in range(count):
        try:
            made = await generator.generate(trial.prompt, context)
        except BudgetExceededError:  # a blank answer was asked for again
            break
        except JidoError as error:
            failure = f"{type(error).__name__}: {error}"[:300]
            continue
        texts.append(made[0].content)
        if await trial.judge.passes(texts[-1]):
            return Outcome(tuple(texts), texts[-1], "accepted", failure)
    return Outcome(tuple(texts), await _best(trial.judge, texts), "budget" if texts else "error", failure)


async def _best(judge: Judge, texts: list[str]) -> str | None:
    scores = [(await judge.of(text)).score for text in texts]
    return texts[scores.index(max(scores))] if texts else None


# -- tasks -----------------------------------------------------------------------------------------


def _generator(trial: Trial) -> LLMGenerator:
    return LLMGenerator(trial.model, timeout_s=trial.call_s)


async def single(trial: Trial) -> Outcome:
    return await _sampled(trial, 1, _generator(trial))


async def best_of(trial: Trial) -> Outcome:
    return await _sampled(trial, trial.calls, _generator(trial))


async def retell(trial: Trial) -> Outcome:
    """Tell the task again, with the findings as its last lines; the failed answer is not shown."""

    async def ask_again(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        del candidate
        findings = "\n".join(f"- {issue.message}" for issue in critique.issues)
        message = Message("user", f"{context.prompt}\nMind this:\n{findings}")
        request = CompletionRequest(messages=(message,), temperature=0.7, timeout_s=trial.call_s)
        return (await trial.model.complete(request)).text

    return await _looped(trial, _generator(trial), ask_again, trial.until_passed())


async def adaptive(trial: Trial) -> Outcome:
    return await _looped(trial, _generator(trial), _reviser(trial), trial.config(policy="adaptive"))


async def documented(trial: Trial) -> Outcome:
    return await _looped(trial, _generator(trial), _reviser(trial), trial.config())


TASK_METHODS: Final[dict[str, Method]] = {
    "single": single,
    "best_of": best_of,
    "retell": retell,
    "adaptive": adaptive,
    "documented": documented,
}


# -- programs --------------------------------------------------------------------------------------


def draft_prompt(code: str, findings: str) -> str:
    """Return the request for a whole module, without an earlier attempt at it."""
    return f"{REPAIR}\nReply with the whole module and nothing else.\n\n```python\n{code}```\n\n{findings}"


class _Draft:
    """Writes the whole module anew, from the program with the bug."""

    uses_attempts = True

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._generator = _generator(trial)

    async def generate(self, prompt: str, context: RunContext) -> tuple[Candidate, ...]:
        del prompt
        code = self._trial.initial or ""
        findings = (await self._trial.judge.of(code)).as_feedback()
        (made,) = await self._generator.generate(draft_prompt(code, findings), context)
        return (made.model_copy(update={"content": code_of(made.content)}),)


def _path(trial: Trial, kind: str = "auto") -> LLMReviser:
    return _reviser(trial, kind, path="program.py")


async def edits(trial: Trial) -> Outcome:
    return await _looped(trial, None, _path(trial, "edits"), trial.until_passed())


async def text(trial: Trial) -> Outcome:
    return await _looped(trial, None, _path(trial, "text"), trial.until_passed())


async def drafts(trial: Trial) -> Outcome:
    return await _sampled(trial, trial.calls, _Draft(trial))


async def policy(trial: Trial) -> Outcome:
    return await _looped(trial, _Draft(trial), _path(trial), trial.config(policy="adaptive"))


PROGRAM_METHODS: Final[dict[str, Method]] = {"edits": edits, "text": text, "drafts": drafts, "policy": policy}
