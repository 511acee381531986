"""OpenAI Agents SDK (the extra `openai-agents`): a pipeline as a tool, critiques as guardrails; models and agents."""
# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

from jido_ai.components.component import as_critique, method_of
from jido_ai.errors import ConfigurationError, describe
from jido_ai.extras import check_versions, missing
from jido_ai.integrations.common import (
    AnyPipeline,
    Life,
    advance,
    answer_text,
    schema_instruction,
    translated,
    usage_of,
)
from jido_ai.integrations.parts import AgentGeneratorPart, AgentReviserPart, OnePieceModel, candidate_of, tokens_of
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, Completion, CompletionRequest, CritiqueResult, Usage, new_id

check_versions("openai-agents")
try:
    from agents import (
        Agent,
        FunctionTool,
        GuardrailFunctionOutput,
        ItemHelpers,
        ModelSettings,
        ModelTracing,
        OutputGuardrail,
        RunContextWrapper,
        Runner,
    )
    from agents import Usage as TheirUsage
except ImportError as error:
    raise missing("openai-agents", "openai-agents", error) from error

__all__ = [
    "AcceptedRun",
    "AgentGenerator",
    "AgentReviser",
    "AgentsModel",
    "critique_guardrail",
    "reflection_tool",
    "run_until_accepted",
]

_THRESHOLD: Final = 0.3
_PARAMETERS: Final = {
    "type": "object",
    "properties": {"task": {"type": "string", "description": "the whole task, as the user put it"}},
    "required": ["task"],
    "additionalProperties": False,
}


# -- in: reflection as a part of their agent -----------------------------------------------------------


def reflection_tool(
    pipeline: AnyPipeline,
    *,
    name: str = "reflect",
    description: str = "Write an answer to a task, have it judged and revised, and return the best one.",
    needs_approval: Any = False,
) -> FunctionTool:
    """Return a tool of one argument, `task`, that runs the pipeline. Its usage is added to the agent's.

    A failed run is raised as `UserError` by the SDK's runner, with our error as its cause.

    Args:
        pipeline: or a graph, whose input is the task; entered by the caller, or by the tool when it is first used.
        needs_approval: True, or a function as the SDK takes it: the run stops with an interruption before the tool is
            called; a person approves or rejects it there, with `state.approve(...)` or `state.reject(...)`.

    Raises:
        ConfigurationError: `pipeline` is neither or has other inputs, or the installed version has no approval.
    """
    life = Life(pipeline)

    async def invoke(ctx: Any, arguments: str) -> str:
        try:
            task = json.loads(arguments)["task"]
        except (ValueError, TypeError, KeyError):
            return 'The arguments must be JSON with the text "task".'
        if not isinstance(task, str) or not task.strip():
            return 'The argument "task" must be a string that is not blank.'
        result = await life.run(partial(advance, life.pipeline, task))
        ctx.usage.add(_their_usage(result.usage))
        return answer_text(result)

    approval = {} if needs_approval is False else {"needs_approval": needs_approval}  # old versions do not have it
    try:
        return FunctionTool(
            name=name,
            description=description,
            params_json_schema=dict(_PARAMETERS),
            on_invoke_tool=invoke,
            **approval,
        )
    except TypeError as error:
        raise ConfigurationError(
            "this openai-agents has no needs_approval: pip install -U 'jido-ai[openai-agents]'"
        ) from error


def critique_guardrail(
    critiquer: object, *, threshold: float = _THRESHOLD, name: str = "critique"
) -> OutputGuardrail[Any]:
    """Return an output guardrail that trips when the output is bad: `Agent(..., output_guardrails=[...])`.

    A guardrail can only trip; the critique is `exception.guardrail_result.output.output_info`, as a map with
    "severity", "score", "issues" and "feedback". To try again with it, use `run_until_accepted`.

    Args:
        critiquer: an object with the method, or a (plain or async) function of a candidate and a context.
        threshold: an output with a lower severity passes, in [0, 1].
    """
    call = method_of(critiquer, "critique")

    async def check(ctx: RunContextWrapper[Any], agent: Agent[Any], output: Any) -> GuardrailFunctionOutput:
        context = RunContext(new_id("run"), _input_text(getattr(ctx, "turn_input", None)) or "?")
        critique = as_critique(await call(candidate_of(output), context))
        return GuardrailFunctionOutput(
            output_info={
                "severity": critique.severity,
                "score": critique.score,
                "issues": [issue.message for issue in critique.issues],
                "feedback": critique.as_feedback(),
            },
            tripwire_triggered=critique.severity >= threshold,
        )

    return OutputGuardrail(guardrail_function=check, name=name)


@dataclass(frozen=True, slots=True)
class AcceptedRun:
    """The result of `run_until_accepted`.

    Attributes:
        result: the SDK's result of the best attempt.
        critique: of its output.
        accepted: False if all attempts were used and the best one is still bad.
        attempts: number of attempts made.
        usage: of all attempts.
    """

    result: Any
    critique: CritiqueResult
    accepted: bool
    attempts: int
    usage: TheirUsage

    @property
    def final_output(self) -> Any:
        """The output of the best attempt."""
        return self.result.final_output


async def run_until_accepted(
    agent: Agent[Any],
    input: Any,
    critiquer: object,
    *,
    threshold: float = _THRESHOLD,
    max_attempts: int = 3,
    **options: Any,
) -> AcceptedRun:
    """Run an agent, judge its output, and continue the conversation with the critique until it is accepted.

    The best attempt is returned, the earlier one if two are equally good. A run with interruptions is returned as it
    is, with the critique of a failure: handle its interruptions first.

    Args:
        agent, input: as for `Runner.run`.
        critiquer: an object with the method, or a (plain or async) function of a candidate and a context.
        threshold: an output with a lower severity is accepted, in [0, 1].
        max_attempts: at least 1.
        options: for `Runner.run`.

    Raises:
        ConfigurationError: `max_attempts` is not a whole number of at least 1.
    """
    if isinstance(max_attempts, bool) or not isinstance(max_attempts, int) or max_attempts < 1:
        raise ConfigurationError(f"max_attempts must be a whole number of at least 1, got {describe(max_attempts)}")
    call = method_of(critiquer, "critique")
    prompt, run_id, usage = _input_text(input), new_id("run"), TheirUsage()
    best: tuple[Any, CritiqueResult] | None = None
    for attempt in range(max_attempts):
        result = await Runner.run(agent, input, **options)
        usage.add(result.context_wrapper.usage)
        if getattr(result, "interruptions", None):
            waiting = CritiqueResult(severity=1.0, feedback="the run waits for a person")
            return AcceptedRun(result, waiting, False, attempt + 1, usage)
        context = RunContext(run_id, prompt or "?", iteration=attempt)
        critique = as_critique(await call(candidate_of(result.final_output), context))
        if best is None or critique.severity < best[1].severity:
            best = result, critique
        if critique.severity < threshold:
            return AcceptedRun(result, critique, True, attempt + 1, usage)
        again = {"role": "user", "content": _again(critique)}
        if options.get("previous_response_id") is not None or options.get("auto_previous_response_id"):
            options = {**options, "previous_response_id": result.last_response_id}
        is_kept = any(options.get(name) for name in _KEEPERS)  # then the conversation has the earlier items already
        input = [again] if is_kept else [*result.to_input_list(), again]
    assert best is not None
    return AcceptedRun(*best, False, max_attempts, usage)


_KEEPERS: Final = ("session", "conversation_id", "previous_response_id", "auto_previous_response_id")
"""Options of `Runner.run` that make the SDK or the server keep the conversation."""


def _again(critique: CritiqueResult) -> str:
    told = critique.as_feedback() or "The answer is not good enough."
    return f"The answer was reviewed. Fix what the review says and answer again, in full.\n\n{told}"


def _input_text(given: Any) -> str:
    """Return the text of an input: itself, or the user's newest message."""
    if isinstance(given, str):
        return given
    for item in reversed(given or ()):
        if isinstance(item, dict) and item.get("role") == "user":
            content = cast("dict[str, Any]", item).get("content", "")
            if isinstance(content, str):
                return content
            return "\n".join(part.get("text", "") for part in content if isinstance(part, dict))
    return ""


def _their_usage(usage: Usage) -> TheirUsage:
    read, written, total = tokens_of(usage)
    return TheirUsage(requests=usage.calls, input_tokens=read, output_tokens=written, total_tokens=total)


# -- out: their models and agents as components --------------------------------------------------------


class AgentsModel(OnePieceModel):
    """A `Model` of the SDK as a `LanguageModel`. It retries nothing itself. A stream has the text as one piece.

    Args:
        model: a `Model`; it belongs to the caller.

    Raises:
        ConfigurationError: it is not a model.
    """

    def __init__(self, model: Any) -> None:
        if not callable(getattr(model, "get_response", None)):
            raise ConfigurationError(f"need a Model of the Agents SDK, got {describe(model)}")
        self._model = model
        self.provider = "openai-agents"
        self.model = str(getattr(model, "model", None) or type(model).__name__)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. See `LanguageModel`."""
        messages = schema_instruction(request)
        system = "\n\n".join(message.content for message in messages if message.role == "system")
        with translated(self.provider, self.model):
            response = await self._model.get_response(
                system_instructions=system or None,
                input=[
                    {"role": message.role, "content": message.content}
                    for message in messages
                    if message.role != "system"
                ],
                model_settings=_settings(request),
                tools=[],
                output_schema=None,
                handoffs=[],
                tracing=ModelTracing.DISABLED,
                previous_response_id=None,
                conversation_id=None,
                prompt=None,
            )
        texts = [ItemHelpers.extract_last_text(item) for item in response.output]
        return Completion(
            "".join(text for text in texts if text),
            model=self.model,
            usage=usage_of(
                input_tokens=response.usage.input_tokens,
                output_tokens=response.usage.output_tokens,
                cached=getattr(response.usage.input_tokens_details, "cached_tokens", 0),
                reasoning=getattr(response.usage.output_tokens_details, "reasoning_tokens", 0),
            ),
            response_id=response.response_id,
        )


class _AgentPart:
    """An agent of the SDK, run once for each call; its usage goes to the run.

    Args:
        agent: its own settings apply.
        options: for `Runner.run`, such as `run_config`.
    """

    def __init__(self, agent: Agent[Any], **options: Any) -> None:
        if not hasattr(agent, "instructions"):
            raise ConfigurationError(f"need an agent of the Agents SDK, got {describe(agent)}")
        self._agent, self._options = agent, options

    async def _ask(self, prompt: str) -> Candidate:
        with translated("openai-agents"):
            result = await Runner.run(self._agent, prompt, **self._options)
        told = result.context_wrapper.usage
        calls = max(told.requests, 1)
        usage = Usage(calls, told.input_tokens, told.output_tokens, unpriced_calls=calls)
        return candidate_of(result.final_output, usage)


class AgentGenerator(_AgentPart, AgentGeneratorPart):
    """An agent as a generator. Output that is not text becomes the candidate's `value`, its JSON or str the text."""


class AgentReviser(_AgentPart, AgentReviserPart):
    """An agent as a reviser: it is given the task, the answer and its review."""


def _settings(request: CompletionRequest) -> ModelSettings:
    extra = {"stop": list(request.stop) or None, "seed": request.seed}
    given = {name: value for name, value in extra.items() if value is not None}
    return ModelSettings(
        temperature=request.temperature,
        top_p=request.top_p,
        max_tokens=request.max_tokens,
        extra_args=given or None,
    )
