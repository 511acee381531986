"""The calls of steps, checks, choices and approvals, made from their specifications."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from jido_ai.components.component import as_async, as_candidates, as_critique, method_of
from jido_ai.critics.panel import PanelCritiquer
from jido_ai.errors import ComponentError, describe
from jido_ai.graph.hosts import Call
from jido_ai.graph.job import Job, NodeError
from jido_ai.graph.nodes import ApprovalNode, CheckNode, LoopNode, StepNode, compare
from jido_ai.graph.output import JudgedOutput
from jido_ai.graph.plan import PlanNode
from jido_ai.graph.settings import is_function
from jido_ai.graph.template import Template, as_text
from jido_ai.loop.events import ModelCalled
from jido_ai.loop.named_components import AnyJudge, critiquer_of, generator_of, reviser_of
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.protocols import AnyCritiquer, AnyGenerator, AnyModel, AnyReviser, RunContext
from jido_ai.runs.call_log import Recorder, Way
from jido_ai.runs.questions import question_id
from jido_ai.telemetry import observed
from jido_ai.values import SLACK, SUSPEND, Candidate, CompletionRequest, ModelCall, Usage

# -- components ------------------------------------------------------------------------------------


def _generator(what: object) -> AnyGenerator:
    """Return a generator: itself, or one that asks the model, which may also be a function of a request."""
    if is_function(what) and _takes_a_request(cast("Callable[..., object]", what)):
        return LLMGenerator(cast("AnyModel", what))
    return cast("AnyGenerator", generator_of(cast("AnyGenerator", what)))


def _critiquer(what: AnyJudge | Sequence[AnyJudge]) -> AnyCritiquer:
    """Return a critiquer: itself, a panel of several, or one that asks the model."""
    if isinstance(what, list | tuple):
        members = [critiquer_of(one) for one in cast("Sequence[AnyJudge]", what)]
        return members[0] if len(members) == 1 else PanelCritiquer(members)
    return critiquer_of(cast("AnyJudge", what))


def components_of(
    spec: LoopNode,
) -> tuple[AnyGenerator | None, AnyCritiquer | Sequence[AnyJudge] | None, AnyReviser | None]:
    """Return generator, critiquer and reviser of a loop; where answers have a type, several critics stay several."""
    generator = generator_of(spec.generator)
    critics = spec.critiquer
    critiquer = critics if critics is None or spec.output is not None else _critiquer(critics)
    return generator, cast("Any", critiquer), reviser_of(spec.reviser)


def _takes_a_request(function: Callable[..., object]) -> bool:
    """Tell whether a function is a model: its one parameter is called request or has that type."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    taken = [parameter for parameter in parameters if parameter.kind in kinds]
    return len(taken) == 1 and (taken[0].name == "request" or CompletionRequest.__name__ in str(taken[0].annotation))


def context_of(job: Job, prompt: str, role: str) -> RunContext:
    """Return the context of a call for a job."""
    run = job.run

    def called(call: ModelCall) -> None:
        if job.ended < 0:
            run.tell_event(ModelCalled(run.run_id, call), job.path)

    return RunContext(
        run_id=run.run_id,
        prompt=prompt,
        deadline=run.deadline,
        scope=run.scope,
        metadata=run.metadata,
        meter=job.meter,
        recorder=None if run.calls is None else Recorder(Way(run.calls, called), role=role, path=job.path),
    )


# -- steps -----------------------------------------------------------------------------------------


def step_call(spec: StepNode) -> tuple[Call, tuple[object, ...]]:
    """Return the call of a step, and the components that it uses."""
    if spec.prompt is None:
        return _function_call(cast("Callable[..., object]", spec.what)), ()
    generator = _generator(spec.what)
    generate = method_of(generator, "generate", "a generator")

    async def ask(job: Job) -> str:
        args = (job.args, context_of(job, job.args, "generator"))
        candidate = as_candidates(await observed("agent", generate(*args), role="generator", args=args))[0]
        _record(job, candidate)
        return candidate.content

    return ask, (generator,)


def _record(job: Job, candidate: Candidate) -> None:
    """Count the tokens of a generator that reports them and was not metered."""
    from_model: object = candidate.metadata.get("usage")
    if job.account is not None and job.account.entries:
        return
    if isinstance(from_model, Usage):
        job.meter.record(from_model)
    elif isinstance(from_model, Mapping):
        job.meter.record(Usage.model_validate(from_model))
    elif candidate.tokens_used:
        job.meter.record(Usage(output_tokens=candidate.tokens_used))


def _function_call(function: Callable[..., object]) -> Call:
    run = as_async(function)

    async def call(job: Job) -> Any:
        return as_output(await run(**job.args))

    return call


def as_output(value: object) -> Any:
    """Return the output of a step: its text, or a copy of its value with JSON's types only.

    Raises:
        ComponentError: JSON cannot hold it.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, Candidate):
        return value.content
    if isinstance(value, str):
        return str(value)
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise ComponentError(f"a step must return a string or a JSON value, got {describe(value)}") from error


# -- checks, choices, approvals --------------------------------------------------------------------


def check_call(spec: CheckNode) -> tuple[Call, tuple[object, ...]]:
    """Return the call of a check, and the components that it uses."""
    critiquer = _critiquer(spec.critiquer)
    critique_of = method_of(critiquer, "critique", "a critiquer")

    async def check(job: Job) -> JudgedOutput:
        text = as_text(job.args)
        args = (Candidate(text), context_of(job, "", "critiquer"))
        critique = as_critique(await observed("agent", critique_of(*args), role="critiquer", args=args))
        job.result = critique
        is_good = critique.severity < spec.threshold - SLACK
        if not is_good and spec.when == "fail":
            message = f"severity {critique.severity:g}, needs less than {spec.threshold:g}"
            feedback = critique.as_feedback(500)
            raise NodeError("check", f"{message}: {feedback}" if feedback else message, job.path, may_retry=True)
        return JudgedOutput(critique.as_feedback(), critique, is_good)

    return check, (critiquer,)


def choice_call(node: PlanNode) -> Call:
    """Return the call of a choice: the first case that holds names the node that goes on."""
    functions = [method_of(case, "choose") if callable(case) else None for case, _, _ in node.cases]

    async def choose(job: Job) -> str:
        for (shown, case, target), function in zip(node.cases, functions, strict=True):
            if case is not None and isinstance(shown, Template):
                holds: object = compare(shown.value(job.read), case.comparison, case.than)
            elif function is not None:
                value = node.templates["value"].value(job.read)
                holds = await function(value)
            else:
                return target
            if holds:
                return target
        raise ComponentError("no case holds", component=job.path)  # the last one always does

    return choose


def approval_call(spec: ApprovalNode) -> Call:
    """Return the call of an approval; without anybody to ask, and after `SUSPEND`, the job waits."""
    own = None if spec.approve is None else method_of(spec.approve, "approve")

    async def ask(job: Job) -> str:
        text = cast("str", job.args)
        decided = job.run.decisions.get(question_id(job.path, text))
        if decided is not None:
            return answered(job, text, decided)
        answer_of = job.run.approve or own
        answer = SUSPEND if answer_of is None else await answer_of(text, context_of(job, text, "approve"))
        if answer is SUSPEND:
            job.run.suspend(job)
            return text
        return answered(job, text, answer)

    return ask


def answered(job: Job, text: str, answer: object) -> str:
    """Return the text as a person approved it.

    Raises:
        NodeError: it was refused.
        ComponentError: the answer is none.
    """
    match answer:
        case True:
            return text
        case False:
            raise NodeError("refused", "the text was not approved", job.path)
        case str():
            return answer
        case Candidate():
            return answer.content
        case _:
            raise ComponentError(f"approve must return a bool, a str, a Candidate or SUSPEND, got {describe(answer)}")
