"""Attributes of spans of runs and calls: ids, names and figures, and texts only on request. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

from jido_ai.graph.orders import RunOrder, RunOutcome
from jido_ai.graph.results import GraphResult
from jido_ai.integrations.otel_names import OPERATIONS, span_name
from jido_ai.integrations.otel_names import Attribute as A
from jido_ai.protocols import RunContext
from jido_ai.text.redaction import redact
from jido_ai.values import (
    Candidate,
    Completion,
    CompletionRequest,
    CritiqueResult,
    ErrorInfo,
    MemoryEntry,
    Message,
    ModelCall,
    ReflectionResult,
    StopReason,
    Usage,
)
from jido_ai.values.tool import ToolRun

Attributes = dict[str, Any]
_MOST_CHARS: Final = 20_000
_CUT_CHARS: Final = 1_000
_FINISH: Final = {"filter": "content_filter"}
_GENERATED: Final = re.compile(r"(?:pipeline|graph)-\d+")
_SETTINGS: Final = (
    ("temperature", A.REQUEST_TEMPERATURE),
    ("top_p", A.REQUEST_TOP_P),
    ("max_tokens", A.REQUEST_MAX_TOKENS),
    ("seed", A.REQUEST_SEED),
)


# -- the beginning ---------------------------------------------------------------------------------


def opening(work: str, facts: Mapping[str, Any]) -> tuple[str, Attributes]:
    """Return the name of the span of a piece of work, and the attributes known when it begins."""
    if work == "order":  # of a queue, not of the GenAI conventions
        order: RunOrder = facts["order"]
        return span_name(work, order.name), {A.MESSAGING: OPERATIONS[work], A.RUN: order.run_id}
    subject, attributes = "", {A.OPERATION: OPERATIONS[work]}
    if work in ("run", "graph"):
        subject, request = facts["name"], facts["request"]
        attributes |= {A.WORKFLOW: subject, A.RUN: request.run_id, A.CONVERSATION: _conversation(request)}
    elif work == "agent":
        subject = facts["role"]
        attributes[A.AGENT] = subject
        attributes |= _of_call(facts["args"])
    elif work == "model":
        subject, more = _of_request(facts["model"], facts["request"])
        attributes |= more
    elif work == "tool":
        subject = facts["name"]
        attributes |= {A.TOOL: subject, A.TOOL_TYPE: "function"}
    else:
        attributes[A.MEMORY_STORE] = facts["memory"].store_id
    return span_name(work, subject), attributes


def _conversation(request: Any) -> str:
    """Return the caller's conversation id, else the id of the graph's run, else the run's."""
    for name in ("conversation_id", "graph_run"):
        value: object = request.metadata.get(name)
        if isinstance(value, str) and value:
            return redact(value[:255])
    return request.run_id


def _of_call(args: Sequence[object]) -> Attributes:
    context = args[-1]
    if not isinstance(context, RunContext):
        return {}
    attributes: Attributes = {A.RUN: context.run_id, A.ITERATION: context.iteration}
    judged = getattr(args[0], "candidate", args[0])  # an episode holds its candidate
    if isinstance(judged, Candidate):
        attributes[A.CANDIDATE] = judged.id
    return attributes


def _of_request(model: Any, request: CompletionRequest) -> tuple[str, Attributes]:
    name = request.model or getattr(model, "model", None)
    attributes: Attributes = {A.PROVIDER: str(getattr(model, "provider", None) or type(model).__name__)}
    if isinstance(name, str):
        attributes[A.REQUEST_MODEL] = name
    for field, key in _SETTINGS:
        value: object = getattr(request, field)
        if value is not None:
            attributes[key] = value
    if request.stop:
        attributes[A.REQUEST_STOP] = tuple(request.stop)
    if request.schema is not None:
        attributes[A.OUTPUT_TYPE] = "json"
    base_url: object = getattr(model, "base_url", None)
    if isinstance(base_url, str) and base_url:
        attributes |= _server(base_url)
    return name if isinstance(name, str) else type(model).__name__, attributes


@lru_cache(maxsize=256)
def _server(base_url: str) -> Attributes:
    """Return host and port of an address; never its user, password or options."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return {}
    if not host:
        return {}
    return {A.SERVER: host} if port is None else {A.SERVER: host, A.PORT: port}


# -- the end ---------------------------------------------------------------------------------------


def outcome_attributes(outcome: object) -> Attributes:
    """Return the attributes known when a piece of work has succeeded."""
    match outcome:
        case ReflectionResult():
            told: Attributes = {A.STOP_REASON: outcome.stop_reason.value, A.ITERATIONS: outcome.total_iterations}
            return told | _usage(outcome.usage) | {A.COST: outcome.usage.cost_usd}
        case GraphResult():
            return {A.STOP_REASON: outcome.status, A.COST: outcome.usage.cost_usd} | _usage(outcome.usage)
        case RunOutcome():
            return {A.STOP_REASON: outcome.reason}
        case CritiqueResult():
            return {A.SEVERITY: outcome.severity, A.SCORE: outcome.score, A.ISSUES: len(outcome.issues)}
        case Candidate():
            return {A.CANDIDATE: outcome.id}
        case Completion():
            return _of_completion(outcome)
        case ToolRun():
            return {} if outcome.exit_status is None else {A.EXIT_STATUS: outcome.exit_status}
        case MemoryEntry():
            return {A.MEMORY_COUNT: 1}
        case bool():
            return {}
        case int():
            return {A.MEMORY_COUNT: outcome}
        case list():
            return {A.MEMORY_COUNT: len(outcome)}  # pyright: ignore[reportUnknownArgumentType] - only counted
        case tuple() if outcome and isinstance(outcome[0], Candidate):
            return {A.CANDIDATE: outcome[0].id}
        case _:
            return {}


def _of_completion(completion: Completion) -> Attributes:
    reason = _FINISH.get(completion.finish_reason, completion.finish_reason)
    attributes: Attributes = {A.FINISH_REASONS: (reason,), **_usage(completion.usage)}
    if completion.model:
        attributes[A.RESPONSE_MODEL] = completion.model
    if completion.response_id:
        attributes[A.RESPONSE_ID] = completion.response_id
    if completion.is_cached:
        attributes[A.CACHED] = True
    return attributes


def _usage(usage: Usage) -> Attributes:
    attributes: Attributes = {A.INPUT_TOKENS: usage.input_tokens, A.OUTPUT_TOKENS: usage.output_tokens}
    if usage.input_tokens_cached:
        attributes[A.CACHED_TOKENS] = usage.input_tokens_cached
    if usage.reasoning_tokens:
        attributes[A.REASONING_TOKENS] = usage.reasoning_tokens
    return attributes


def error_of(outcome: object, error: BaseException | None) -> tuple[str, str] | None:
    """Return the type and the message of the error of a piece of work; None if it has none.

    A result that an error did not end has none, even if it reports one on the side.
    """
    match outcome:
        case (
            GraphResult(status="failed") | RunOutcome(status="failed") | ReflectionResult(stop_reason=StopReason.ERROR)
        ):
            info: ErrorInfo | None = outcome.error
        case _:
            info = None
    if info is not None:
        return info.kind, info.message
    return None if error is None else (type(error).__name__, str(error))


def evaluation(critique: CritiqueResult) -> Attributes:
    """Return the attributes of the log event of a critique."""
    label = critique.outcome or ("flawless" if critique.severity == 0.0 else "issues found")
    return {
        A.EVALUATION: redact(critique.source[:255]),
        A.EVALUATION_SCORE: critique.score,
        A.EVALUATION_LABEL: str(getattr(label, "value", label)),
    }


def score_gain(result: ReflectionResult) -> float | None:
    """Return the gain of the best candidate's score over the first one's; None if nothing was judged."""
    best = result.best_candidate
    if best is None or best.score is None or not result.iterations:
        return None
    return best.score - (result.iterations[0].candidate.score or 0.0)


def metric_attributes(kind: str, name: str, reason: str) -> Attributes:
    """Return the attributes of a run's metrics. A generated name would be one more series for each pipeline."""
    attributes = {A.KIND: kind, A.STOP_REASON: reason}
    return attributes if _GENERATED.fullmatch(name) else {**attributes, A.WORKFLOW: name}


# -- content ---------------------------------------------------------------------------------------


def content_of(messages: Sequence[Message] | str) -> str:
    """Return messages, or an answer, as JSON in the form of the conventions: no secrets, at most 20,000 characters."""
    if isinstance(messages, str):
        return json.dumps([_part("assistant", masked(messages))], ensure_ascii=False)
    left, shown = _MOST_CHARS, list[Attributes]()
    for message in messages:
        text = masked(message.content[: max(left, 0)], is_cut=len(message.content) > left)
        left -= len(message.content)
        shown.append(_part(message.role, text))
        if left <= 0:
            break
    return json.dumps(shown, ensure_ascii=False)


def call_attributes(call: ModelCall) -> Attributes:
    """Return the attributes of the log event of a call, with its texts as the run keeps them."""
    attributes: Attributes = {
        A.OPERATION: OPERATIONS["model"],
        A.RUN: call.run_id,
        A.AGENT: call.role,
        A.ITERATION: call.iteration,
        A.INPUT_MESSAGES: content_of(call.messages),
        **_usage(call.usage),
    }
    if call.model:
        attributes[A.RESPONSE_MODEL] = call.model
    if call.host:
        attributes |= _server(f"//{call.host}")
    if call.finish_reason:
        attributes[A.FINISH_REASONS] = (_FINISH.get(call.finish_reason, call.finish_reason),)
    if call.reply is not None:
        attributes[A.OUTPUT_MESSAGES] = content_of(call.reply)
    if call.error is not None:
        attributes[A.ERROR] = call.error.partition(":")[0]
    return attributes


def masked(text: str, *, is_cut: bool = False) -> str:
    """Return the beginning of a text without secrets; of one that is cut, the end could be half of a secret."""
    is_cut = is_cut or len(text) > _MOST_CHARS
    shown = redact(text[:_MOST_CHARS])
    return f"{shown[:-_CUT_CHARS]}..." if is_cut else shown


def _part(role: str, text: str) -> Attributes:
    return {"role": role, "parts": [{"type": "text", "content": text}]}
