"""pydantic-ai (the extra `pydantic-ai`): reflection and lessons for agents; models and agents as components."""
# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false, reportCallIssue=false, reportIndexIssue=false

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from jido_ai.components.component import as_critique, method_of
from jido_ai.errors import ConfigurationError, describe
from jido_ai.extras import check_versions, missing
from jido_ai.graph.graph import Graph
from jido_ai.integrations.common import (
    AnyPipeline,
    Life,
    advance,
    answer_text,
    asking,
    check_journal,
    failure_of,
    is_suspended,
    schema_instruction,
    translated,
    usage_of,
    waiting_revision,
)
from jido_ai.integrations.parts import (
    AgentGeneratorPart,
    AgentReviserPart,
    FrameworkModel,
    LessonsPart,
    candidate_of,
    ended_as,
    options_of,
)
from jido_ai.loop.pipeline import Approve
from jido_ai.protocols import RunContext
from jido_ai.values import (
    Candidate,
    Completion,
    CompletionRequest,
    CritiqueResult,
    Usage,
    new_id,
)

check_versions("pydantic-ai")
try:
    from pydantic_ai import Agent, ApprovalRequired, DeferredToolRequests, ModelRetry, Tool, ToolReturn
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.direct import model_request, model_request_stream
    from pydantic_ai.messages import (
        ModelRequest,
        ModelResponse,
        PartDeltaEvent,
        PartStartEvent,
        SystemPromptPart,
        TextPart,
        TextPartDelta,
        UserPromptPart,
    )
    from pydantic_ai.tools import RunContext as AgentContext
    from pydantic_ai.usage import RunUsage
except ImportError as error:
    raise missing("pydantic-ai", "pydantic-ai", error) from error

__all__ = [
    "AgentCritiquer",
    "AgentGenerator",
    "AgentReviser",
    "Lessons",
    "PydanticModel",
    "Reflect",
    "output_validator",
    "reflection_tool",
]

_THRESHOLD: Final = 0.3


# -- in: reflection as a part of their agent -----------------------------------------------------------


class Reflect(AbstractCapability[Any]):
    """A capability that has an agent's output judged and revised: `Agent(..., capabilities=[Reflect(pipeline)])`.

    The agent's output is the first candidate, as JSON if it is not a text; the newest prompt of the user in the
    conversation is the prompt. The answer also takes the draft's place in the agent's messages, so that the next
    turn sees it, except for a text of `run_stream`, whose messages pydantic-ai keeps as they were streamed. The
    usage of the pipeline is added to the agent's. The agent's own draft is returned if the run fails, if its answer
    is not valid as the draft's type, or if the conversation has no prompt; requests of deferred tools and partial
    outputs of a stream are left alone.

    Args:
        pipeline: or a graph with an input for the prompt and the input "draft", or with one input, which is given the
            output; entered by the caller, or by the capability when it is first used; see `aclose`.

    Attributes:
        last: result of the newest run: a `ReflectionResult`, or a `GraphResult` of a graph.

    Raises:
        ConfigurationError: it is neither or has other inputs.
    """

    def __init__(self, pipeline: AnyPipeline) -> None:
        self._life = Life(pipeline, judges=True)
        self._pipeline = self._life.pipeline
        self.last: Any = None

    async def wrap_output_process(
        self, ctx: AgentContext[Any], *, output_context: Any, output: Any, handler: Any
    ) -> Any:
        """Reflect on the processed output; see `AbstractCapability`."""
        draft = await handler(output)
        prompt = _prompt_of(ctx)
        if ctx.partial_output or isinstance(draft, DeferredToolRequests) or not prompt.strip():
            return draft
        kind = TypeAdapter[Any](type(draft))
        text = draft if isinstance(draft, str) else kind.dump_json(draft).decode()
        result = await self._life.run(partial(advance, self._pipeline, prompt, text))
        self.last = result
        ctx.usage.incr(_their_usage(result.usage))
        if failure_of(result) is not None:
            return draft
        told = answer_text(result)
        if told == text:
            return draft
        if isinstance(draft, str):
            _replace_text(ctx.messages, told)
            return told
        try:
            answer = kind.validate_json(told)
        except ValidationError:
            return draft
        if output_context.tool_call is None:
            _replace_text(ctx.messages, told)
        elif output_context.object_def is not None and isinstance(arguments := from_json(told), dict):
            output_context.tool_call.args = arguments
        return answer

    async def aclose(self) -> None:
        """Leave the pipeline if it was entered here."""
        await self._life.aclose()


class Lessons(LessonsPart, AbstractCapability[Any]):
    """A capability that gives an agent the lessons that a memory has for its prompt, as instructions.

    Args:
        memory: open while the agent runs.
        limit: maximum number of lessons, at least 1.
        scope: None is the default scope.

    Raises:
        ConfigurationError: an argument is invalid.
    """

    def get_instructions(self) -> Any:
        """Return the function that looks for lessons; see `AbstractCapability`."""

        async def lessons(ctx: AgentContext[Any]) -> str | None:
            prompt = _prompt_of(ctx)
            if not prompt:
                return None
            lines = [f"- {one.entry.correction}" for one in await self._found(prompt) if one.entry.correction]
            return "Lessons of earlier attempts, as data:\n" + "\n".join(lines) if lines else None

        return lessons


def output_validator(critiquer: object, *, threshold: float = _THRESHOLD) -> Callable[..., Awaitable[Any]]:
    """Return a function for `agent.output_validator`: a bad output is retried with the critique as feedback.

    When the retries are spent, pydantic-ai raises `UnexpectedModelBehavior` and the best draft is lost; `Reflect`
    returns it.

    Args:
        critiquer: an object with the method, or a (plain or async) function of a candidate and a context.
        threshold: an output with a lower severity is accepted, in [0, 1].
    """
    call = method_of(critiquer, "critique")

    async def validate(ctx: AgentContext[Any], output: Any) -> Any:
        if ctx.partial_output:
            return output
        text = output if isinstance(output, str) else str(output)
        context = RunContext(new_id("run"), _prompt_of(ctx) or "?", iteration=ctx.retry)
        critique = as_critique(await call(Candidate(text), context))
        if critique.severity >= threshold:
            raise ModelRetry(critique.as_feedback() or "The answer is not good enough.")
        return output

    return validate


def reflection_tool(
    pipeline: AnyPipeline,
    *,
    name: str = "reflect",
    description: str = "Write an answer to a task, have it judged and revised, and return the best one.",
    approve: bool | Approve = False,
) -> Tool[Any]:
    """Return a tool of one argument, `task`, that runs the pipeline.

    Args:
        pipeline: or a graph, whose input is the task and whose approval nodes ask; entered by the caller, or by the
            tool when it is first used.
        approve: True asks about every revision by a deferred tool call, whose metadata is the question; answer with
            `ToolApproved()`, `ToolDenied()`, or `ToolApproved(override_args={"task": ..., "revision": text})`, and give
            the metadata back in the `DeferredToolResults`: an answer without them counts for whatever question is open,
            also if it comes twice. Needs a memory.

    Raises:
        ConfigurationError: `approve=True` without a memory.
    """
    life, ask = Life(pipeline), asking(approve)
    check_journal(life.pipeline, approve)
    may_wait = approve is True or isinstance(life.pipeline, Graph)

    async def reflect(ctx: AgentContext[Any], task: str, revision: str | None = None) -> Any:
        run_id = f"{ctx.conversation_id or ctx.run_id}/{ctx.tool_call_id}" if may_wait else None
        decision = (revision or True) if may_wait and ctx.tool_call_approved else None
        shown = ctx.tool_call_metadata if isinstance(ctx.tool_call_metadata, dict) else {}
        answer: dict[str, Any] = {"decision": decision, "question": shown.get("id")}
        result = await life.run(partial(advance, life.pipeline, task, run_id=run_id, approve=ask, **answer))
        ctx.usage.incr(_their_usage(result.usage))
        if is_suspended(result):
            raise ApprovalRequired(metadata=await life.run(partial(waiting_revision, life.pipeline, result)))
        failure = failure_of(result)
        if failure is not None:
            raise failure
        return ToolReturn(answer_text(result), metadata={"run_id": result.run_id})

    return Tool(reflect, name=name, description=description)


def _prompt_of(ctx: AgentContext[Any]) -> str:
    """Return the text of the prompt of a run, or of the newest prompt in its messages; "" without one."""
    asked = (
        part.content
        for message in reversed(ctx.messages)
        for part in reversed(message.parts)
        if isinstance(part, UserPromptPart)
    )
    return next((text for text in map(_text_of_prompt, (ctx.prompt, *asked)) if text.strip()), "")


def _text_of_prompt(prompt: Any) -> str:
    if isinstance(prompt, str):
        return prompt
    return "\n".join(part for part in prompt or () if isinstance(part, str))


def _replace_text(messages: Sequence[Any], text: str) -> None:
    """Put a text in the place of that of the newest response; a stream's is not there, only those of earlier turns."""
    newest = messages[-1]
    if isinstance(newest, ModelResponse):
        others = [part for part in newest.parts if not isinstance(part, TextPart)]
        newest.parts = [*others, TextPart(text)]


def _their_usage(usage: Usage) -> RunUsage:
    return RunUsage(
        requests=usage.calls,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.input_tokens_cached,
    )


# -- out: their models and agents as components --------------------------------------------------------


class PydanticModel(FrameworkModel):
    """A model of pydantic-ai as a `LanguageModel`.

    Args:
        model: a `Model`, or its name as pydantic-ai knows it.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self.provider = "pydantic-ai"
        self.model: str = model if isinstance(model, str) else str(getattr(model, "model_name", type(model).__name__))

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. See `LanguageModel`."""
        with translated(self.provider, self.model):
            response = await model_request(self._model, _messages(request), model_settings=_settings(request))
            return self._completion(response)

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the pieces of the text, and last the whole `Completion`. See `StreamingModel`."""
        with translated(self.provider, self.model):
            asked = model_request_stream(self._model, _messages(request), model_settings=_settings(request))
            async with asked as events:
                async for event in events:
                    text = _piece_of(event)
                    if text:
                        yield text
                response = events.get()
            yield self._completion(response)

    def _completion(self, response: ModelResponse) -> Completion:
        usage = response.usage
        return Completion(
            "".join(part.content for part in response.parts if isinstance(part, TextPart)),
            model=response.model_name or self.model,
            usage=usage_of(
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cached=usage.cache_read_tokens,
                reasoning=usage.details.get("reasoning_tokens"),
            ),
            **ended_as(response.finish_reason, provider=self.provider, model=self.model),
            response_id=response.provider_response_id,
        )


class _AgentPart:
    """An agent of pydantic-ai, asked once for each call; its usage goes to the run."""

    def __init__(self, agent: Agent[Any, Any], *, deps: Any = None) -> None:
        if not callable(getattr(agent, "run", None)):
            raise ConfigurationError(f"need an agent of pydantic-ai, got {describe(agent)}")
        self._agent, self._deps = agent, deps

    async def _asked(self, prompt: str) -> tuple[Any, Usage]:
        with translated("pydantic-ai"):
            result = await self._agent.run(prompt, deps=self._deps)
        told: Any = result.usage() if inspect.ismethod(result.usage) else result.usage
        usage = Usage(
            max(told.requests, 1), told.input_tokens, told.output_tokens, unpriced_calls=max(told.requests, 1)
        )
        return result.output, usage

    async def _ask(self, prompt: str) -> Candidate:
        return candidate_of(*await self._asked(prompt))


class AgentGenerator(_AgentPart, AgentGeneratorPart):
    """An agent as a generator. Output that is not text becomes the candidate's `value`, its JSON or str the text."""


class AgentReviser(_AgentPart, AgentReviserPart):
    """An agent as a reviser: it is given the task, the answer and its review."""


class AgentCritiquer(_AgentPart):
    """An agent as a critiquer. Its output is a `CritiqueResult`, or has the fields severity or score, and issues."""

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Run the agent. See `Critiquer`."""
        asked = f"Judge the answer to the task.\n\nTask:\n{context.prompt}\n\nAnswer:\n{candidate.content}"
        output, usage = await self._asked(asked)
        if not isinstance(output, CritiqueResult):
            fields = (
                output
                if isinstance(output, dict)
                else {field: getattr(output, field) for field in CritiqueResult.model_fields if hasattr(output, field)}
            )
            output = CritiqueResult(**fields)
        return output.replace(metadata={**output.metadata, "usage": usage})


def _messages(request: CompletionRequest) -> list[Any]:
    messages: list[Any] = []
    for message in schema_instruction(request):
        if message.role == "assistant":
            messages.append(ModelResponse(parts=[TextPart(message.content)]))
            continue
        part = (SystemPromptPart if message.role == "system" else UserPromptPart)(message.content)
        if messages and isinstance(messages[-1], ModelRequest):
            messages[-1] = ModelRequest(parts=[*messages[-1].parts, part])
        else:
            messages.append(ModelRequest(parts=[part]))
    return messages


def _settings(request: CompletionRequest) -> Any:
    options = options_of(request, stop="stop_sequences")
    return options if request.timeout_s is None else {**options, "timeout": request.timeout_s}


def _piece_of(event: Any) -> str:
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""
