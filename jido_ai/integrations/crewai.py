"""CrewAI (the extra `crewai`): critiquers and pipelines as guardrails, tools and flow steps; its LLMs as components."""
# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportGeneralTypeIssues=false, reportIndexIssue=false, reportInvalidTypeForm=false

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from typing import Any

from pydantic import PrivateAttr

from jido_ai.errors import ConfigurationError, describe
from jido_ai.extras import check_versions, missing
from jido_ai.integrations.common import (
    AnyPipeline,
    Life,
    advance,
    answer_text,
    failure_of,
    schema_instruction,
    translated,
    usage_of,
)
from jido_ai.integrations.parts import OnePieceModel
from jido_ai.loop.pipeline import Pipeline
from jido_ai.values import Completion, CompletionRequest, LoopConfig

check_versions("crewai")
try:
    from crewai.tools import BaseTool
except ImportError as error:
    raise missing("crewai", "crewai", error) from error

__all__ = ["CrewModel", "critique_guardrail", "reflection_guardrail", "reflection_step", "reflection_tool"]


# -- in: parts of their tasks, agents and flows --------------------------------------------------------------


def critique_guardrail(critiquer: Any, *, threshold: float = 0.3) -> Callable[[Any], Any]:
    """Return a guardrail that accepts the output of a task if a critiquer does.

    Otherwise the task is tried again with the critique as feedback, as often as its `guardrail_max_retries` says.

    Args:
        critiquer: judges the raw output; the task's description is the prompt.
        threshold: an output is accepted at this severity or below.

    Raises:
        ComponentError: by the guardrail, if the critiquer fails.
    """
    pipeline = Pipeline(critiquer=critiquer, config=LoopConfig(max_iterations=1))
    life = Life(pipeline)

    # CrewAI reads annotations of a guardrail at run time and refuses those of postponed evaluation.
    def guardrail(output):  # pyright: ignore[reportMissingParameterType]
        result = life.wait(partial(pipeline.run, output.description, output.raw))
        failure = failure_of(result, needs_critique=True)
        if failure is not None:
            raise failure
        critique = result.iterations[0].critique
        return (False, critique.as_feedback()) if critique.should_refine(threshold) else (True, output)

    return guardrail


def reflection_guardrail(pipeline: AnyPipeline) -> Callable[[Any], Any]:
    """Return a guardrail of a task that replaces its output with the best candidate of a pipeline.

    The raw output is the draft, the task's description the prompt. The task itself is never tried again.

    Args:
        pipeline: or a graph with an input for the prompt and the input "draft", or with one input, which is given the
            output; entered by the caller in another thread's event loop, or else run in a thread of its own. A
            `BlockingPipeline` runs in its own thread, here as in the other parts.

    Raises:
        ConfigurationError: it is neither or has other inputs.
        ComponentError: by the guardrail, if the run fails.
    """
    life = Life(pipeline, judges=True)

    def guardrail(output):  # pyright: ignore[reportMissingParameterType]
        return True, answer_text(life.wait(partial(advance, life.pipeline, output.description, output.raw)))

    return guardrail


def reflection_tool(pipeline: AnyPipeline, *, name: str = "reflect", description: str | None = None) -> BaseTool:
    """Return a tool that answers a prompt with the best candidate of a pipeline.

    Raises:
        ConfigurationError: `pipeline` is neither a pipeline nor a graph, or the graph has other inputs.
    """
    Life(pipeline)  # checks it here: inside of the tool its error would be that of a field
    told = description or "Writes an answer to a prompt, has it judged and revised, and gives the best one."
    return _ReflectionTool(name=name, description=told, pipeline=pipeline)


class _ReflectionTool(BaseTool):
    pipeline: Any
    _life: Life = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self._life = Life(self.pipeline)

    def _run(self, prompt: str) -> str:
        return answer_text(self._life.wait(partial(advance, self._life.pipeline, prompt)))

    async def _arun(self, prompt: str) -> str:
        return answer_text(await self._life.run(partial(advance, self._life.pipeline, prompt)))


def reflection_step(pipeline: AnyPipeline, *, prompt: str = "prompt") -> Callable[..., Any]:
    """Return a method for a step of a `Flow`: `judge = listen(write)(reflection_step(pipeline))`.

    A step after it listens to its name: `@listen("judge")`; CrewAI would never call one that listens to the method.
    It takes the output of the step before it as the draft, if there is one, and returns the best candidate's text.

    Args:
        prompt: key of the flow's state that has the prompt.

    Raises:
        ConfigurationError: `pipeline` is neither a pipeline nor a graph, or the graph has other inputs.
    """
    life = Life(pipeline)

    async def reflect(self: Any, draft: Any = None) -> str:
        asked = self.state[prompt] if isinstance(self.state, dict) else getattr(self.state, prompt)
        given = None if draft is None else str(draft)
        return answer_text(await life.run(partial(advance, life.pipeline, asked, given)))

    return reflect


# -- out: their LLMs -----------------------------------------------------------------------------------------


class CrewModel(OnePieceModel):
    """An LLM of CrewAI as a `LanguageModel`.

    Temperature and other settings are those of the LLM. Tokens are counted where the LLM counts them itself, as those
    of CrewAI do. An LLM without `acall` is called in a thread. CrewAI's retries of rate limits are left out: each call
    is one.

    Args:
        llm: it belongs to the caller.

    Raises:
        ConfigurationError: it is not an LLM.
    """

    def __init__(self, llm: Any) -> None:
        if not callable(getattr(llm, "call", None)):
            raise ConfigurationError(f"need an LLM of CrewAI, got {describe(llm)}")
        self._llm = llm
        self.provider, self.model = "crewai", str(getattr(llm, "model", type(llm).__name__))
        counted = getattr(llm, "_token_usage", None)
        if isinstance(counted, dict) and not isinstance(counted, _Counters):
            llm._token_usage = _Counters(counted)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. See `LanguageModel`."""
        messages = [{"role": message.role, "content": message.content} for message in schema_instruction(request)]
        counted: Counter[str] = Counter()
        before = _COUNTED.set(counted)
        try:
            with translated(self.provider, self.model):
                try:
                    text = await _once(self._llm, "acall")(messages)
                except NotImplementedError:
                    text = await asyncio.to_thread(_once(self._llm, "call"), messages)
        finally:
            _COUNTED.reset(before)
        usage = usage_of(
            input_tokens=counted["prompt_tokens"],
            output_tokens=counted["completion_tokens"],
            cached=counted["cached_prompt_tokens"],
            reasoning=counted["reasoning_tokens"],
        )
        return Completion(str(text), model=self.model, usage=usage, finish_reason="stop")


_COUNTED: ContextVar[Counter[str] | None] = ContextVar("counted", default=None)


class _Counters(dict[str, int]):
    """The counters of an LLM for all its calls; the share of the current call is counted separately."""

    def __setitem__(self, name: str, value: int) -> None:
        counted = _COUNTED.get()
        if counted is not None:
            counted[name] += value - self.get(name, 0)
        super().__setitem__(name, value)


def _once(llm: Any, name: str) -> Callable[..., Any]:
    """Return a call method of an LLM without the retries of rate limits that CrewAI wraps around it."""
    method = getattr(type(llm), name, None)
    if getattr(method, "_crewai_rate_limit_wrapped", False):
        return partial(method.__wrapped__, llm)  # pyright: ignore[reportOptionalMemberAccess]
    return getattr(llm, name)
