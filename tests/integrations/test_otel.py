"""Runs as OpenTelemetry spans, log events and metrics, read from the SDK's in-memory exporters."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx
import pytest
from integration_helpers import CONFIG, PROMPT, Parts, piped
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from opentelemetry.trace import SpanKind, StatusCode, get_current_span

from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import ConfigurationError, ModelUnavailableError
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import LoopNode, StepNode
from jido_ai.graph.orders import RunOrder
from jido_ai.integrations import otel
from jido_ai.integrations.otel_facts import content_of
from jido_ai.integrations.otel_names import OPERATIONS, Attribute, LogEvent, Metric
from jido_ai.integrations.worker import RunWorker
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.providers.openai import OpenAIModel
from jido_ai.protocols import RunContext
from jido_ai.telemetry import OBSERVING
from jido_ai.values import (
    SUSPEND,
    Candidate,
    Completion,
    CompletionRequest,
    CritiqueResult,
    LoopConfig,
    MemoryEntry,
    Message,
    StopReason,
    Usage,
)

CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
SECRET = "sk-" + "a1B2c3D4" * 4


class Seen:
    """What the exporters got."""

    def __init__(self) -> None:
        self._spans = InMemorySpanExporter()
        self._logs = InMemoryLogRecordExporter()
        self._reader = InMemoryMetricReader()
        self.tracers = TracerProvider()
        self.tracers.add_span_processor(SimpleSpanProcessor(self._spans))
        self.loggers = LoggerProvider()
        self.loggers.add_log_record_processor(SimpleLogRecordProcessor(self._logs))
        self.meters = MeterProvider([self._reader])
        self.tracer = self.tracers.get_tracer("the caller")

    def instrument(self) -> None:
        otel.instrument(tracer_provider=self.tracers, meter_provider=self.meters, logger_provider=self.loggers)

    def spans(self, name: str = "") -> list[ReadableSpan]:
        return [span for span in self._spans.get_finished_spans() if span.name.startswith(name)]

    def span(self, name: str) -> ReadableSpan:
        (found,) = self.spans(name)
        return found

    def parent(self, span: ReadableSpan) -> ReadableSpan | None:
        ids = {one.context.span_id: one for one in self.spans() if one.context is not None}
        return None if span.parent is None else ids.get(span.parent.span_id)

    def root(self, span: ReadableSpan) -> ReadableSpan:
        above = self.parent(span)
        return span if above is None else self.root(above)

    def events(self, name: str) -> list[Any]:
        records = [one.log_record for one in self._logs.get_finished_logs()]
        return [record for record in records if record.event_name == name]

    def metrics(self) -> dict[str, list[tuple[Mapping[str, Any], Any]]]:
        data = self._reader.get_metrics_data()
        found: dict[str, list[tuple[Mapping[str, Any], Any]]] = {}
        for resource in () if data is None else data.resource_metrics:
            for scope in resource.scope_metrics:
                for metric in scope.metrics:
                    points: Any = metric.data.data_points
                    found[metric.name] = [
                        (dict(one.attributes), one.value if hasattr(one, "value") else one.sum) for one in points
                    ]
        return found

    def everything(self) -> str:
        """Return all that left the process, as text."""
        spans = [span.to_json() for span in self.spans()]
        logs = [one.to_json() for one in self._logs.get_finished_logs()]
        return "\n".join([*spans, *logs, repr(self.metrics())])


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Seen]:
    monkeypatch.delenv(CAPTURE, raising=False)
    seen = Seen()
    seen.instrument()
    yield seen
    otel.uninstrument()


def facts(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


class Model:
    """A model of the caller's own."""

    provider = "stub"
    model = "stub-1"
    base_url = f"https://user:{SECRET}@models.example:8443/v1?key={SECRET}"

    async def complete(self, request: CompletionRequest) -> Completion:
        usage = Usage(1, 11, 7, 0.25, input_tokens_cached=3, reasoning_tokens=2)
        return Completion("an answer", "stub-1-0611", usage, response_id="resp-1")


def judge(severity: float = 0.0) -> Any:
    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=severity, issues=["it is wrong"] if severity else [], source="model:judge")

    return critique


async def run_once(**settings: Any) -> Any:
    async with Pipeline(LLMGenerator(Model()), judge(), **settings) as pipeline:
        return await pipeline.run(PROMPT, run_id="run-1")


# -- names -----------------------------------------------------------------------------------------


def test_the_names_of_spans_and_events_are_pinned() -> None:
    assert set(OPERATIONS.values()) == {
        *("invoke_workflow", "invoke_agent", "chat", "execute_tool"),
        *("search_memory", "upsert_memory", "delete_memory", "process"),
    }
    events = {value for name, value in vars(LogEvent).items() if name.isupper()}
    assert events == {
        "gen_ai.client.inference.operation.details",
        "gen_ai.evaluation.result",
        *(f"jido.run.{what}" for what in ("suspended", "resumed", "restarted")),
    }
    metrics = {value for name, value in vars(Metric).items() if name.isupper()}
    assert metrics == {
        *("jido.runs", "jido.run.duration", "jido.run.iterations", "jido.run.score_gain"),
        *("gen_ai.client.operation.duration", "gen_ai.client.token.usage", "jido.cost", "jido.restarts"),
        *("jido.mailbox.depth", "jido.queue.length", "jido.queue.duration"),
        *("jido.memory.searches", "jido.memory.hits", "jido.memory.lessons_shown"),
        *("jido.worker.handovers", "jido.worker.given_up"),
    }


def test_the_names_of_attributes_are_pinned() -> None:
    names = {value for name, value in vars(Attribute).items() if name.isupper()}
    ours = {name.removeprefix("jido.") for name in names if name.startswith("jido.")}
    assert ours == {
        *("run.id", "workflow.kind", "stop_reason", "iterations", "cost_usd", "iteration.index", "candidate.id"),
        *("critique.severity", "critique.score", "critique.issues", "tool.exit_status", "cached", "component"),
        *("attempt", "system.name", "memory.hit", "memory.store.id", "memory.record.count", "lesson.succeeded"),
        "queue.name",
    }
    theirs = {name.removeprefix("gen_ai.") for name in names if name.startswith("gen_ai.")}
    assert theirs == {
        *("operation.name", "workflow.name", "conversation.id", "agent.name", "tool.name", "tool.type"),
        *("provider.name", "request.model", "request.temperature", "request.max_tokens", "request.seed"),
        *(
            "request.top_p",
            "request.stop_sequences",
            "output.type",
            "response.model",
            "response.id",
            "response.finish_reasons",
        ),
        *("usage.input_tokens", "usage.output_tokens", "usage.cache_read.input_tokens"),
        *("usage.reasoning.output_tokens", "token.type", "input.messages", "output.messages"),
        *("evaluation.name", "evaluation.score.value", "evaluation.score.label", "evaluation.explanation"),
    }
    rest = {name for name in names if not name.startswith(("jido.", "gen_ai."))}
    assert rest == {"server.address", "server.port", "error.type", "messaging.operation.type"}


@pytest.mark.skipif(version("opentelemetry-semantic-conventions") < "0.66", reason="older conventions have fewer names")
def test_every_attribute_under_gen_ai_is_in_the_conventions() -> None:
    known = {value for name, value in vars(gen_ai_attributes).items() if name.startswith("GEN_AI_")}
    names = {value for name, value in vars(Attribute).items() if name.isupper()}
    assert {name for name in names if name.startswith("gen_ai.")} <= known


# -- spans -----------------------------------------------------------------------------------------


async def test_a_run_is_a_span_with_its_usage_and_its_end(seen: Seen) -> None:
    await run_once(name="dates")
    assert facts(seen.span("invoke_workflow dates")) == {
        "gen_ai.operation.name": "invoke_workflow",
        "gen_ai.workflow.name": "dates",
        "gen_ai.conversation.id": "run-1",
        "gen_ai.usage.input_tokens": 11,
        "gen_ai.usage.output_tokens": 7,
        "gen_ai.usage.cache_read.input_tokens": 3,
        "gen_ai.usage.reasoning.output_tokens": 2,
        "jido.run.id": "run-1",
        "jido.stop_reason": "accepted",
        "jido.iterations": 1,
        "jido.cost_usd": 0.25,
    }


async def test_a_model_call_is_a_client_span_of_the_component_that_made_it(seen: Seen) -> None:
    await run_once()
    span = seen.span("chat stub-1")
    assert span.kind is SpanKind.CLIENT
    told = facts(span)
    told.pop("gen_ai.request.temperature", None)
    told.pop("gen_ai.request.max_tokens", None)
    assert told == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "stub",
        "gen_ai.request.model": "stub-1",
        "gen_ai.response.model": "stub-1-0611",
        "gen_ai.response.id": "resp-1",
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.input_tokens": 11,
        "gen_ai.usage.output_tokens": 7,
        "gen_ai.usage.cache_read.input_tokens": 3,
        "gen_ai.usage.reasoning.output_tokens": 2,
        "server.address": "models.example",
        "server.port": 8443,
    }
    above = seen.parent(span)
    assert above is not None
    assert above.name == "invoke_agent generator"


async def test_components_are_spans_with_candidate_and_critique(seen: Seen) -> None:
    async with piped(Parts(good="v1"), reflector=True, memory=True) as pipeline:
        result = await pipeline.run(PROMPT)
    names = [span.name for span in seen.spans("invoke_agent")]
    assert sorted(names) == [
        *["invoke_agent critiquer"] * 2,
        *["invoke_agent generator", "invoke_agent reflector", "invoke_agent reviser"],
    ]
    first, second = (facts(span) for span in seen.spans("invoke_agent critiquer"))
    assert (first["jido.critique.severity"], first["jido.critique.issues"]) == (0.9, 1)
    assert second["jido.critique.score"] == 1.0
    assert [first["jido.iteration.index"], second["jido.iteration.index"]] == [0, 1]
    assert [first["jido.candidate.id"], second["jido.candidate.id"]] == [one.candidate.id for one in result.iterations]
    assert facts(seen.span("invoke_agent reviser"))["jido.candidate.id"] == second["jido.candidate.id"]
    assert facts(seen.span("invoke_agent reflector"))["jido.candidate.id"] == first["jido.candidate.id"]


async def test_memory_is_searched_written_and_forgotten_in_spans(seen: Seen) -> None:
    async with ReflexionMemory() as memory:
        with seen.tracer.start_as_current_span("caller"):
            entry = await memory.store(MemoryEntry(prompt=PROMPT, mistake="a", correction="b"))
            assert await memory.retrieve_similar(PROMPT)
            await memory.forget(entry.id)
    for operation in ("upsert_memory", "search_memory", "delete_memory"):
        span = seen.span(operation)
        assert facts(span) == {
            "gen_ai.operation.name": operation,
            "jido.memory.store.id": "InProcessStore",
            "jido.memory.record.count": 1,
        }
        above = seen.parent(span)
        assert above is not None
        assert above.name == "caller"


async def test_a_tool_is_a_span_of_its_critique(seen: Seen) -> None:
    critiquer = ToolCritiquer(["ruff"])
    async with Pipeline(None, critiquer) as pipeline:
        await pipeline.run(PROMPT, "import os\n")
    span = seen.span("execute_tool ruff")
    assert facts(span) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "ruff",
        "gen_ai.tool.type": "function",
        "jido.tool.exit_status": 1,
    }
    above = seen.parent(span)
    assert above is not None
    assert above.name == "invoke_agent critiquer"


async def test_a_request_over_http_is_one_span_even_if_a_component_streams_it(seen: Seen) -> None:
    answer = {"id": "c-1", "model": "m-2", "choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=answer))
    async with OpenAIModel("m", api_key=SECRET, base_url="http://localhost:99/v1", transport=transport) as model:
        await model.complete(CompletionRequest((Message("user", PROMPT),)))
        assert [piece async for piece in model.stream(CompletionRequest((Message("user", PROMPT),)))]
        async with Pipeline(LLMGenerator(model), judge()) as pipeline:
            await pipeline.run(PROMPT)
    spans = seen.spans("chat m")
    assert [facts(span)["gen_ai.response.id"] for span in spans] == ["c-1"] * 3
    assert all(facts(span)["server.address"] == "localhost" for span in spans)
    assert SECRET not in seen.everything()


async def test_a_model_of_a_framework_gets_no_span(seen: Seen) -> None:
    class Theirs(Model):
        observes_itself = True

    async with Pipeline(LLMGenerator(Theirs()), judge()) as pipeline:
        await pipeline.run(PROMPT)
    assert not seen.spans("chat")


# -- parents ---------------------------------------------------------------------------------------


async def test_spans_of_components_in_threads_and_tasks_nest_below_the_caller(seen: Seen) -> None:
    def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        with seen.tracer.start_as_current_span("in a thread"):
            return "v3"

    async with Pipeline(lambda prompt, context: "v0", Parts(), revise, config=CONFIG) as pipeline:
        with seen.tracer.start_as_current_span("caller"):
            await pipeline.run(PROMPT)
    span = seen.span("in a thread")
    line = [span.name]
    while (above := seen.parent(span)) is not None:
        line.append((span := above).name)
    assert line == ["in a thread", "invoke_agent reviser", f"invoke_workflow {pipeline.name}", "caller"]


async def test_twenty_callers_at_once_each_have_their_own_tree(seen: Seen) -> None:
    async with piped(Parts()) as pipeline:

        async def call(number: int) -> None:
            with seen.tracer.start_as_current_span(f"caller {number}"):
                await pipeline.run(PROMPT, run_id=f"run {number}")

        await asyncio.gather(*(call(number) for number in range(20)))
    spans = [span for span in seen.spans() if not span.name.startswith("caller")]
    assert len(spans) == 20 * 9
    for span in spans:
        caller = seen.root(span).name
        assert facts(span)["jido.run.id"] == caller.replace("caller", "run")


async def test_the_caller_s_own_span_is_current_again_after_the_run(seen: Seen) -> None:
    async with piped(Parts()) as pipeline:
        with seen.tracer.start_as_current_span("caller") as span:
            await pipeline.run(PROMPT)
            assert get_current_span() is span


async def test_the_loops_and_steps_of_a_graph_nest_below_its_span(seen: Seen) -> None:
    parts = Parts()
    graph = Graph(
        {
            "draft": StepNode(LLMGenerator(Model()), prompt="write: {topic}"),
            "polish": LoopNode(prompt="{topic}", generator=parts, critiquer=parts, reviser=parts, config=CONFIG),
        },
        output="polish",
        inputs=["topic"],
        name="talk",
    )
    async with graph:
        with seen.tracer.start_as_current_span("caller"):
            result = await graph.run({"topic": "dates"}, run_id="g")
    assert result.status == "completed", result
    (whole,) = [span for span in seen.spans() if span.name == "invoke_workflow talk"]
    spans = {span.name for span in seen.spans() if seen.parent(span) is whole}
    assert len([name for name in spans if name.startswith("invoke_workflow")]) == 1
    assert "invoke_agent generator" in spans
    assert {seen.root(span).name for span in seen.spans()} == {"caller"}
    assert facts(whole)["jido.stop_reason"] == "completed"
    ids = {facts(span).get("gen_ai.conversation.id") for span in seen.spans("invoke_workflow")}
    assert ids == {"g"}


# -- ends ------------------------------------------------------------------------------------------


async def test_an_error_is_the_type_of_the_spans_that_it_ended(seen: Seen) -> None:
    async with piped(Parts(fail=ModelUnavailableError("down", provider="p"))) as pipeline:
        await pipeline.run(PROMPT)
    for name in ("invoke_workflow", "invoke_agent critiquer"):
        span = seen.spans(name)[-1]
        assert facts(span)["error.type"] == "ModelUnavailableError"
        assert span.status.status_code is StatusCode.ERROR
        assert not span.status.description
    assert facts(seen.span("invoke_workflow"))["jido.stop_reason"] == "error"


async def test_a_component_that_is_restarted_is_a_log_event_in_the_run_s_trace(seen: Seen) -> None:
    parts = Parts()
    judge, calls = parts.critique, list[str]()

    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        calls.append(candidate.content)
        if len(calls) == 1:
            raise RuntimeError("a bug")
        return await judge(candidate, context)

    async with Pipeline(parts, critique, parts, config=CONFIG) as pipeline:
        await pipeline.run(PROMPT, run_id="r")
    (event,) = seen.events("jido.run.restarted")
    assert dict(event.attributes) == {"jido.run.id": "r", "jido.component": "critiquer", "jido.attempt": 1}
    run = seen.span("invoke_workflow")
    assert run.context is not None
    assert event.trace_id == run.context.trace_id
    assert ({"jido.component": "critiquer"}, 1) in seen.metrics()["jido.restarts"]


async def test_a_cancelled_run_ends_its_span(seen: Seen) -> None:
    parts = Parts(hold=asyncio.Event())
    async with piped(parts) as pipeline:
        run = asyncio.create_task(pipeline.run(PROMPT))
        await parts.begun.wait()
        run.cancel()
        await asyncio.wait({run})
    assert facts(seen.span("invoke_workflow"))["jido.stop_reason"] == "cancelled"


async def test_a_resumed_run_links_to_the_trace_that_suspended_it(seen: Seen) -> None:
    parts = Parts()
    async with piped(parts, memory=True, approve=lambda *_: SUSPEND) as pipeline:
        first = await pipeline.run(PROMPT, run_id="r")
        assert first.stop_reason is StopReason.SUSPENDED
        assert [dict(one.attributes) for one in seen.events("jido.run.suspended")] == [{"jido.run.id": "r"}]
        assert not seen.events("jido.run.resumed")
        await pipeline.resume("r", decision=True)
    before, after = seen.spans("invoke_workflow")
    assert not before.links
    assert [link.context.span_id for link in after.links] == [before.context and before.context.span_id]
    assert [link.context.trace_id for link in after.links] == [before.context and before.context.trace_id]
    assert [dict(one.attributes) for one in seen.events("jido.run.resumed")] == [{"jido.run.id": "r"}]


async def test_a_journal_has_the_ids_of_a_trace_only_while_it_is_observed(seen: Seen) -> None:
    async with ReflexionMemory() as memory, piped(Parts(), memory=memory) as pipeline:
        await pipeline.run(PROMPT, run_id="on")
        otel.uninstrument()
        await pipeline.run(PROMPT, run_id="off")
        (on,) = [line for line in await memory.records("journal", key="on") if line.kind == "started"]
        (off,) = [line for line in await memory.records("journal", key="off") if line.kind == "started"]
    assert set(on.data["trace"]) == {"trace_id", "span_id"}
    assert "trace" not in off.data


async def test_a_resumed_graph_links_to_its_earlier_trace(seen: Seen) -> None:
    def step() -> str:
        if not tried:
            tried.append(1)
            raise RuntimeError("not yet")
        return "done"

    tried: list[int] = []
    async with Graph({"one": StepNode(step)}, output="one", memory=True) as graph:
        await graph.run({}, run_id="g")
        result = await graph.resume("g")
    assert result.status == "completed", result
    before, after = seen.spans("invoke_workflow")
    assert [link.context.span_id for link in after.links] == [before.context and before.context.span_id]
    assert facts(before)["error.type"] == "RuntimeError"


async def test_an_order_of_a_queue_is_a_span_that_links_to_the_trace_of_its_submitter(seen: Seen) -> None:
    with seen.tracer.start_as_current_span("request"):
        assert OBSERVING.observer is not None
        order = RunOrder(run_id="r", name="answer", prompt=PROMPT, trace=OBSERVING.observer.trace())
    async with piped(memory=True) as pipeline:
        outcome = await RunWorker({"answer": pipeline}, lambda *_, **__: None).run_or_resume(order)
    span, submitter = seen.span("process answer"), seen.span("request")
    assert span.kind is SpanKind.CONSUMER
    assert [link.context.span_id for link in span.links] == [submitter.context and submitter.context.span_id]
    assert span.parent is None
    assert seen.parent(seen.span("invoke_workflow")) is span
    assert outcome is not None
    expected = {"messaging.operation.type": "process", "jido.run.id": "r", "jido.stop_reason": outcome.reason}
    assert facts(span) == expected


async def test_an_order_that_fails_has_the_error_s_type(seen: Seen) -> None:
    order = RunOrder(run_id="r", name="answer", inputs={"prompt": PROMPT})
    async with piped(memory=True) as pipeline:
        await RunWorker({"answer": pipeline}, lambda *_, **__: None).run_or_resume(order)
    span = seen.span("process answer")
    assert not span.links
    assert facts(span)["error.type"] == "ConfigurationError"


# -- events and content ----------------------------------------------------------------------------


async def test_each_critique_is_an_evaluation_event_without_its_text(seen: Seen) -> None:
    await run_once()
    (event,) = seen.events("gen_ai.evaluation.result")
    told = dict(event.attributes)
    assert told.pop("jido.candidate.id").startswith("candidate")
    assert told == {
        "gen_ai.evaluation.name": "model:judge",
        "gen_ai.evaluation.score.value": 1.0,
        "gen_ai.evaluation.score.label": "flawless",
        "jido.run.id": "run-1",
    }
    critiquer = seen.span("invoke_agent critiquer")
    assert critiquer.context is not None
    assert event.span_id == critiquer.context.span_id


async def test_no_text_leaves_the_process_unless_it_is_asked_for(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Pipeline(LLMGenerator(Model()), judge(0.9), config=LoopConfig(max_iterations=1)) as pipeline:
        await pipeline.run("a private question")
        shown = seen.everything()
        assert not any(text in shown for text in ("private question", "an answer", "it is wrong"))
        monkeypatch.setenv(CAPTURE, "true")
        await pipeline.run("a private question")
    told = facts(seen.spans("chat")[-1])
    messages = json.loads(told["gen_ai.input.messages"])
    assert "a private question" in messages[-1]["parts"][0]["content"]
    assert json.loads(told["gen_ai.output.messages"])[0]["parts"] == [{"type": "text", "content": "an answer"}]
    explanation = dict(seen.events("gen_ai.evaluation.result")[-1].attributes)["gen_ai.evaluation.explanation"]
    assert "it is wrong" in explanation


@pytest.mark.parametrize(
    ("value", "on_spans", "on_events"),
    [("SPAN_ONLY", True, False), ("EVENT_ONLY", False, True), ("NO_CONTENT", False, False), ("false", False, False)],
)
async def test_the_variable_selects_the_destination_of_content(
    seen: Seen, monkeypatch: pytest.MonkeyPatch, value: str, on_spans: bool, on_events: bool
) -> None:
    monkeypatch.setenv(CAPTURE, value)
    await run_once()
    assert ("gen_ai.input.messages" in facts(seen.span("chat"))) is on_spans
    (event,) = seen.events("gen_ai.evaluation.result")
    assert ("gen_ai.evaluation.explanation" in dict(event.attributes)) is on_events
    called = seen.events("gen_ai.client.inference.operation.details")
    assert bool(called) is on_events
    for call in called:
        assert {"gen_ai.input.messages", "gen_ai.output.messages", "jido.run.id"} <= set(call.attributes)


@pytest.mark.parametrize("capture", ["false", "true"])
async def test_a_secret_is_in_no_span_event_or_metric(
    seen: Seen, monkeypatch: pytest.MonkeyPatch, capture: str
) -> None:
    class Leaky(Model):
        async def complete(self, request: CompletionRequest) -> Completion:
            return Completion(f"password={SECRET}", "m")

    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        if context.iteration:
            raise ValueError(f"token {SECRET}")
        return CritiqueResult(severity=0.9, issues=[f"the key {SECRET} is wrong"], feedback=SECRET)

    monkeypatch.setenv(CAPTURE, capture)
    async with Pipeline(LLMGenerator(Leaky()), critique, lambda *_: SECRET, memory=True) as pipeline:
        await pipeline.run(f"is {SECRET} a key?", metadata={"conversation_id": SECRET})
    assert seen.spans("chat")
    assert SECRET not in seen.everything()
    assert SECRET[:20] not in seen.everything()


def test_long_content_is_cut_and_no_half_of_a_secret_remains() -> None:
    text = "x" * 19_990 + SECRET + "y" * 100_000
    for shown in (content_of(text), content_of([Message("user", text)])):
        assert len(shown) < 20_000
        assert SECRET[:8] not in shown


# -- metrics ---------------------------------------------------------------------------------------


async def test_metrics_cover_runs_calls_tokens_cost_and_queue(seen: Seen) -> None:
    await run_once(name="dates", max_concurrency=1)
    found = seen.metrics()
    labels = {"jido.workflow.kind": "pipeline", "jido.stop_reason": "accepted", "gen_ai.workflow.name": "dates"}
    assert found["jido.runs"] == [(labels, 1)]
    assert found["jido.run.iterations"] == [(labels, 1)]
    assert found["jido.run.score_gain"] == [(labels, 0.0)]
    assert found["jido.cost"] == [(labels, 0.25)]
    tokens = {attributes["gen_ai.token.type"]: value for attributes, value in found["gen_ai.client.token.usage"]}
    assert tokens == {"input": 11, "output": 7}
    assert found["gen_ai.client.operation.duration"][0][0]["gen_ai.request.model"] == "stub-1"
    assert found["jido.queue.length"] == [({}, 0)]
    assert len(found["jido.run.duration"]) == len(found["jido.queue.duration"]) == 1


class Reader(Parts):
    """Parts that look at the lessons."""

    async def generate(self, prompt: str, context: RunContext) -> Candidate:
        assert len([*context.lessons]) < 2
        return await super().generate(prompt, context)


@pytest.mark.parametrize("parts", [Parts, Reader])
async def test_memory_hits_and_lessons_that_were_shown_are_counted(seen: Seen, parts: type[Parts]) -> None:
    async with ReflexionMemory() as memory, piped(parts(), memory=memory) as pipeline:
        await pipeline.run(PROMPT)
        await pipeline.run(PROMPT)
    found = seen.metrics()
    assert sorted(found["jido.memory.searches"], key=str) == [
        ({"jido.memory.hit": False}, 1),
        ({"jido.memory.hit": True}, 1),
    ]
    assert found["jido.memory.hits"] == [({}, 1)]
    shown = [({"jido.lesson.succeeded": False}, 1)]  # its first answer was no better than the one before
    assert found.get("jido.memory.lessons_shown", []) == (shown if parts is Reader else [])


def test_runs_that_a_worker_took_over_are_counted_by_queue(seen: Seen) -> None:
    assert OBSERVING.observer is not None
    for runs in (2, 3):
        OBSERVING.observer.happened("worker.handed_over", {"queue": "work", "worker": "alpha", "runs": runs})
    assert seen.metrics()["jido.worker.handovers"] == [({"jido.queue.name": "work"}, 5)]


def test_runs_that_a_worker_gave_up_are_counted_by_queue(seen: Seen) -> None:
    assert OBSERVING.observer is not None
    OBSERVING.observer.happened("worker.gave_up", {"queue": "work", "run_id": "r", "name": "answer", "attempts": 3})
    assert seen.metrics()["jido.worker.given_up"] == [({"jido.queue.name": "work"}, 1)]


async def test_the_cost_of_a_resumed_run_is_counted_once(seen: Seen) -> None:
    async with Pipeline(
        LLMGenerator(Model()), judge(0.9), lambda *_: "other", memory=True, approve=lambda *_: SUSPEND
    ) as pipeline:
        await pipeline.run(PROMPT, run_id="r")
        await pipeline.resume("r", decision=False)
    assert sum(value for _, value in seen.metrics()["jido.cost"]) == 0.25


async def test_the_cost_of_a_graph_is_not_counted_again_for_its_loops(seen: Seen) -> None:
    node = LoopNode(prompt="{topic}", generator=LLMGenerator(Model()), critiquer=judge())
    async with Graph({"one": node}, output="one", inputs=["topic"]) as graph:
        await graph.run({"topic": "x"})
    assert sum(value for _, value in seen.metrics()["jido.cost"]) == 0.25


async def test_the_fullest_mailbox_of_each_system_is_a_gauge(seen: Seen) -> None:
    async with piped(Parts(), name="boxes"):
        depths = {attributes["jido.system.name"]: value for attributes, value in seen.metrics()["jido.mailbox.depth"]}
    assert depths["boxes"] >= 0


# -- on and off ------------------------------------------------------------------------------------


async def test_uninstrument_turns_everything_off(seen: Seen) -> None:
    otel.uninstrument()
    assert OBSERVING.observer is None
    await run_once()
    assert not seen.spans()


async def test_instrumenting_twice_warns_and_keeps_the_first(seen: Seen, caplog: pytest.LogCaptureFixture) -> None:
    otel.JidoInstrumentor().instrument(tracer_provider=TracerProvider(), skip_dep_check=True)
    assert "already instrumented" in caplog.text
    await run_once()
    assert seen.spans()
    assert otel.JidoInstrumentor().is_instrumented_by_opentelemetry


async def test_a_processor_that_raises_ends_no_run(seen: Seen, caplog: pytest.LogCaptureFixture) -> None:
    class Bad(SpanProcessor):
        def on_start(self, span: Any, parent_context: Any = None) -> None:
            raise RuntimeError(SECRET)

        def on_end(self, span: Any) -> None:
            raise RuntimeError(SECRET)

    seen.tracers.add_span_processor(Bad())
    assert (await run_once()).stop_reason is StopReason.ACCEPTED
    assert "OpenTelemetry" in caplog.text
    assert SECRET not in caplog.text


def in_a_process(code: str, **environment: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=150, env=environment, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


ENTER = """
import asyncio, sys
from jido_ai import CritiqueResult, Pipeline
async def main():
    async with Pipeline("a".join, lambda c, x: CritiqueResult(severity=0.0)):
        print(any(name.partition(".")[0] == "opentelemetry" for name in sys.modules))
asyncio.run(main())
"""


def test_the_variable_turns_instrumentation_on_and_nothing_is_imported_without_it() -> None:
    assert in_a_process(ENTER) == "False\n"
    assert in_a_process(ENTER, JIDO_OTEL="0") == "False\n"
    assert in_a_process(ENTER, JIDO_OTEL="1") == "True\n"


def test_a_missing_package_names_the_extra() -> None:
    code = "import sys; sys.modules['opentelemetry'] = None\n" + ENTER.replace(
        "asyncio.run(main())", "try: asyncio.run(main())\nexcept Exception as error: print(type(error).__name__, error)"
    )
    said = in_a_process(code, JIDO_OTEL="1")
    assert said.startswith("ConfigurationError")
    assert "jido-ai[otel]" in said


async def test_an_unknown_value_of_the_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JIDO_OTEL", "perhaps")
    with pytest.raises(ConfigurationError, match="JIDO_OTEL must be 1 or 0"):
        await run_once()


def test_the_program_of_the_page_prints_the_output_on_the_page(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "opentelemetry.md").read_text("utf-8")
    code = text.split("```python\n")[-1].split("```")[0]
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=150, cwd=tmp_path, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == text.split("```text\n")[-1].split("```")[0]
