"""Cost of OpenTelemetry per run of seven model calls, in a pipeline without a delay.

Two cases take turns in one process: "off" (as it ships) and "on" (a batch exporter to a stub, metrics in memory, log
events to a stub). The figures are CPU milliseconds of this process per run, exporter thread included: medians and
quartiles of the rounds, and of the differences within a round. Beside them is what the library alone takes for as
many spans, log events and figures. To compare "off" with another version of the package, run its own copy with
PYTHONPATH and --off-only, in turns.

    python benchmarks/telemetry/run.py [--runs 300] [--rounds 15] [--off-only]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import importlib
import json
import time
from collections.abc import Sequence
from statistics import median, quantiles
from typing import Any

from opentelemetry._logs import LogRecord
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor, LogRecordExporter, LogRecordExportResult
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from jido_ai.loop.pipeline import Pipeline
from jido_ai.models.calls import ModelCaller
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, Completion, CompletionRequest, CritiqueResult, LoopConfig, Message, Usage

CALLS, SPANS, EVENTS = 7, 16, 4
CONFIG = LoopConfig(max_iterations=4, stop_rules=())


class Model:
    """A model that answers at once."""

    provider = "stub"
    model = "stub-1"

    async def complete(self, request: CompletionRequest) -> Completion:
        return Completion("an answer", "stub-1", Usage(1, 10, 5))


class Parts:
    """Generator, critiquer and reviser, which call the model seven times in a run."""

    def __init__(self) -> None:
        self.calls = 0
        self._caller = ModelCaller(Model(), component="bench", timeout_s=10.0)

    async def _ask(self, context: RunContext) -> int:
        self.calls += 1
        await self._caller.ask([Message("user", "go on")], str, context)
        return self.calls

    async def generate(self, prompt: str, context: RunContext) -> str:
        return f"first {await self._ask(context)}"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        if context.iteration < 3:  # 1 + 3 + 3 calls
            await self._ask(context)
        return CritiqueResult(severity=0.9 - 0.1 * context.iteration, issues=["it is wrong"])

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return f"next {await self._ask(context)}"


class Spans(SpanExporter):
    """Counts the spans."""

    count = 0

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.count += len(spans)
        return SpanExportResult.SUCCESS


class Logs(LogRecordExporter):
    """Counts the log events."""

    count = 0

    def export(self, batch: Sequence[Any]) -> LogRecordExportResult:
        self.count += len(batch)
        return LogRecordExportResult.SUCCESS

    def shutdown(self) -> None:
        pass

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return True


class Exporters:
    """The providers of "on"."""

    def __init__(self) -> None:
        self.spans, self.logs = Spans(), Logs()
        self.tracers, self.loggers = TracerProvider(), LoggerProvider()
        self.tracers.add_span_processor(BatchSpanProcessor(self.spans, max_queue_size=100_000))
        self.loggers.add_log_record_processor(BatchLogRecordProcessor(self.logs, max_queue_size=100_000))
        self.meters = MeterProvider([InMemoryMetricReader()])

    def flush(self) -> None:
        self.tracers.force_flush()
        self.loggers.force_flush()


def _otel() -> Any:
    """Return the module, which older versions of the package do not have."""
    return importlib.import_module("jido_ai.integrations.otel")


async def cost(parts: Parts, runs: int, exporters: Exporters | None) -> float:
    """Return the CPU milliseconds per run."""
    if exporters is not None:
        _otel().instrument(
            tracer_provider=exporters.tracers, meter_provider=exporters.meters, logger_provider=exporters.loggers
        )
    try:
        async with Pipeline(parts, parts, parts, config=CONFIG) as pipeline:
            gc.collect()
            before, began = parts.calls, time.process_time()
            for _ in range(runs):
                await pipeline.run("how would you parse a date?")
            if exporters is not None:
                exporters.flush()
            spent = time.process_time() - began
    finally:
        if exporters is not None:
            _otel().uninstrument()
    assert parts.calls - before == CALLS * runs, (parts.calls - before) / runs
    return 1000 * spent / runs


def cost_of_library(runs: int, exporters: Exporters) -> float:
    """Return the CPU milliseconds of the spans, log events and figures of a run, made by the library alone."""
    tracer, logger = exporters.tracers.get_tracer("bench"), exporters.loggers.get_logger("bench")
    meter = exporters.meters.get_meter("bench")
    sums, figures = meter.create_counter("bench.sum"), meter.create_histogram("bench.figure")
    before = {f"a{number}": "a text" for number in range(4)}
    after = {f"b{number}": number for number in range(4)}
    gc.collect()
    began = time.process_time()
    for _ in range(runs):
        for _ in range(SPANS):
            with tracer.start_as_current_span("work", attributes=before) as span:
                span.set_attributes(after)
        for _ in range(EVENTS):
            logger.emit(LogRecord(timestamp=time.time_ns(), attributes=after, event_name="bench"))
        for _ in range(3 * CALLS + 2):  # of each call its time and its tokens
            figures.record(1.0, before)
        for _ in range(2):
            sums.add(1, before)
    exporters.flush()
    return 1000 * (time.process_time() - began) / runs


def shown(values: list[float]) -> dict[str, float]:
    """Return median and quartiles."""
    low, _, high = quantiles(values, n=4)
    return {"median": round(median(values), 4), "q1": round(low, 4), "q3": round(high, 4)}


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=300)
    arguments.add_argument("--rounds", type=int, default=15)
    arguments.add_argument("--off-only", action="store_true")
    options = arguments.parse_args()
    parts, exporters = Parts(), Exporters()
    off: list[float] = []
    on: list[float] = []
    await cost(parts, 50, None)
    if options.off_only:
        off = [await cost(parts, options.runs, None) for _ in range(options.rounds)]
        print(json.dumps({"runs": options.runs, "rounds": options.rounds, "off_ms": shown(off)}))
        return
    await cost(parts, 50, exporters)
    exporters.spans.count = exporters.logs.count = 0
    others, library = Exporters(), list[float]()
    for _ in range(options.rounds):
        off.append(await cost(parts, options.runs, None))
        on.append(await cost(parts, options.runs, exporters))
        library.append(cost_of_library(options.runs, others))
    total = options.runs * options.rounds
    figures = {
        "runs": options.runs,
        "rounds": options.rounds,
        "spans_per_run": exporters.spans.count / total,
        "events_per_run": exporters.logs.count / total,
        "off_ms": shown(off),
        "on_ms": shown(on),
        "on_adds_ms": shown([one - other for one, other in zip(on, off, strict=True)]),
        "library_alone_ms": shown(library),
        "on_times_off": shown([one / other for one, other in zip(on, off, strict=True)]),
        "reach": 1.25,
    }
    print(json.dumps(figures))


asyncio.run(main())
