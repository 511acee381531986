"""OpenTelemetry names: every span, attribute, log event and metric, in one place. Pure.

The GenAI conventions are in development and change; nothing else in the package knows a name.
"""

from __future__ import annotations

from typing import Final

OPERATIONS: Final = {
    "order": "process",
    "run": "invoke_workflow",
    "graph": "invoke_workflow",
    "agent": "invoke_agent",
    "model": "chat",
    "tool": "execute_tool",
    "search": "search_memory",
    "upsert": "upsert_memory",
    "delete": "delete_memory",
}
"""Operation by kind of work."""


def span_name(work: str, subject: str = "") -> str:
    """Return the name of a span: the operation and its subject, "chat gpt-4o"."""
    return f"{OPERATIONS[work]} {subject}".rstrip()


class Attribute:
    """Keys of attributes."""

    OPERATION: Final = "gen_ai.operation.name"
    WORKFLOW: Final = "gen_ai.workflow.name"
    CONVERSATION: Final = "gen_ai.conversation.id"
    AGENT: Final = "gen_ai.agent.name"
    TOOL: Final = "gen_ai.tool.name"
    TOOL_TYPE: Final = "gen_ai.tool.type"
    PROVIDER: Final = "gen_ai.provider.name"
    REQUEST_MODEL: Final = "gen_ai.request.model"
    REQUEST_TEMPERATURE: Final = "gen_ai.request.temperature"
    REQUEST_TOP_P: Final = "gen_ai.request.top_p"
    REQUEST_MAX_TOKENS: Final = "gen_ai.request.max_tokens"
    REQUEST_SEED: Final = "gen_ai.request.seed"
    REQUEST_STOP: Final = "gen_ai.request.stop_sequences"
    OUTPUT_TYPE: Final = "gen_ai.output.type"
    RESPONSE_MODEL: Final = "gen_ai.response.model"
    RESPONSE_ID: Final = "gen_ai.response.id"
    FINISH_REASONS: Final = "gen_ai.response.finish_reasons"
    INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
    OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"
    CACHED_TOKENS: Final = "gen_ai.usage.cache_read.input_tokens"
    REASONING_TOKENS: Final = "gen_ai.usage.reasoning.output_tokens"
    TOKEN_TYPE: Final = "gen_ai.token.type"
    INPUT_MESSAGES: Final = "gen_ai.input.messages"
    OUTPUT_MESSAGES: Final = "gen_ai.output.messages"
    MEMORY_STORE: Final = "jido.memory.store.id"
    MEMORY_COUNT: Final = "jido.memory.record.count"
    EVALUATION: Final = "gen_ai.evaluation.name"
    EVALUATION_SCORE: Final = "gen_ai.evaluation.score.value"
    EVALUATION_LABEL: Final = "gen_ai.evaluation.score.label"
    EVALUATION_EXPLANATION: Final = "gen_ai.evaluation.explanation"
    SERVER: Final = "server.address"
    PORT: Final = "server.port"
    ERROR: Final = "error.type"
    RUN: Final = "jido.run.id"
    KIND: Final = "jido.workflow.kind"
    STOP_REASON: Final = "jido.stop_reason"
    ITERATIONS: Final = "jido.iterations"
    COST: Final = "jido.cost_usd"
    ITERATION: Final = "jido.iteration.index"
    CANDIDATE: Final = "jido.candidate.id"
    SEVERITY: Final = "jido.critique.severity"
    SCORE: Final = "jido.critique.score"
    ISSUES: Final = "jido.critique.issues"
    EXIT_STATUS: Final = "jido.tool.exit_status"
    CACHED: Final = "jido.cached"
    COMPONENT: Final = "jido.component"
    ATTEMPT: Final = "jido.attempt"
    SYSTEM: Final = "jido.system.name"
    HIT: Final = "jido.memory.hit"
    SUCCEEDED: Final = "jido.lesson.succeeded"
    QUEUE: Final = "jido.queue.name"
    MESSAGING: Final = "messaging.operation.type"


class LogEvent:
    """Names of log events."""

    CALLED: Final = "gen_ai.client.inference.operation.details"
    EVALUATION: Final = "gen_ai.evaluation.result"
    SUSPENDED: Final = "jido.run.suspended"
    RESUMED: Final = "jido.run.resumed"
    RESTARTED: Final = "jido.run.restarted"


class Metric:
    """Names of metrics."""

    RUNS: Final = "jido.runs"
    RUN_DURATION: Final = "jido.run.duration"
    ITERATIONS: Final = "jido.run.iterations"
    SCORE_GAIN: Final = "jido.run.score_gain"
    CALL_DURATION: Final = "gen_ai.client.operation.duration"
    TOKENS: Final = "gen_ai.client.token.usage"
    COST: Final = "jido.cost"
    RESTARTS: Final = "jido.restarts"
    MAILBOX: Final = "jido.mailbox.depth"
    QUEUE: Final = "jido.queue.length"
    QUEUE_DURATION: Final = "jido.queue.duration"
    SEARCHES: Final = "jido.memory.searches"
    HITS: Final = "jido.memory.hits"
    LESSONS: Final = "jido.memory.lessons_shown"
    HANDOVERS: Final = "jido.worker.handovers"
    GIVEN_UP: Final = "jido.worker.given_up"
