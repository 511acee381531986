"""OpenTelemetry (the extra `otel`): runs as spans, critiques as log events, figures as metrics.

`instrument()`, or the environment variable JIDO_OTEL=1, turns it on. Spans, log events and metrics have the names of
`otel_names`. Texts of models appear only if OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT asks for them, and
without secrets.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Collection, Iterable, Mapping
from importlib.metadata import version
from typing import Any, Final, cast

from jido_ai.extras import check_versions, missing
from jido_ai.integrations.otel_facts import (
    Attributes,
    call_attributes,
    content_of,
    error_of,
    evaluation,
    masked,
    metric_attributes,
    opening,
    outcome_attributes,
    score_gain,
)
from jido_ai.integrations.otel_names import Attribute as A
from jido_ai.integrations.otel_names import LogEvent, Metric
from jido_ai.telemetry import OBSERVING, Observed, Work
from jido_ai.values import Completion, CritiqueResult, ReflectionResult

check_versions("otel")
try:
    from opentelemetry import context as otel_context
    from opentelemetry import metrics, trace
    from opentelemetry._logs import LoggerProvider, LogRecord, SeverityNumber, get_logger
    from opentelemetry.context import _SUPPRESS_INSTRUMENTATION_KEY  # pyright: ignore[reportPrivateUsage] - all use it
    from opentelemetry.metrics import CallbackOptions, MeterProvider, Observation
    from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags, TracerProvider
except ImportError as error:
    raise missing("opentelemetry-api", "otel", error) from error

__all__ = ["JidoInstrumentor", "instrument", "uninstrument"]

_NAME: Final = "jido_ai"
_VERSION: Final = version("jido-ai")
_CAPTURE: Final = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_ON_SPANS: Final = frozenset({"true", "1", "span_only", "span_and_event"})
_ON_EVENTS: Final = frozenset({"true", "1", "event_only", "span_and_event"})
_SECONDS: Final = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
_TOKENS: Final = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304)
_SHARES: Final = (-0.5, -0.2, -0.1, 0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0)
_COUNTS: Final = (0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 50, 100)
_log: Final = logging.getLogger(_NAME)


# -- on and off ------------------------------------------------------------------------------------


def instrument(
    *,
    tracer_provider: TracerProvider | None = None,
    meter_provider: MeterProvider | None = None,
    logger_provider: LoggerProvider | None = None,
) -> None:
    """Turn on spans, metrics and log events for the whole process; a second call does nothing but warn.

    Args:
        tracer_provider, meter_provider, logger_provider: None is the global one.
    """
    if OBSERVING.observer is not None:
        _log.warning("jido_ai is already instrumented; call uninstrument() first to change the providers")
        return
    tracer = trace.get_tracer(_NAME, _VERSION, tracer_provider)
    meter = metrics.get_meter(_NAME, _VERSION, meter_provider)
    OBSERVING.observer = _Observer(tracer, _Meters(meter), get_logger(_NAME, _VERSION, logger_provider))


def uninstrument() -> None:
    """Turn everything off again. Spans of runs in flight still end."""
    OBSERVING.observer = None


class JidoInstrumentor:
    """`instrument` and `uninstrument` in the shape of other libraries' instrumentors."""

    def instrument(self, **options: Any) -> None:
        """Turn on; see the function. Options that other instrumentors know are ignored."""
        names = ("tracer_provider", "meter_provider", "logger_provider")
        instrument(**{name: options.get(name) for name in names})

    def uninstrument(self, **options: Any) -> None:
        """Turn off."""
        del options
        uninstrument()

    @property
    def is_instrumented_by_opentelemetry(self) -> bool:
        """True while it is on."""
        return isinstance(OBSERVING.observer, _Observer)

    def instrumentation_dependencies(self) -> Collection[str]:
        """Return the package that is instrumented."""
        return ("jido-ai",)


# -- metrics ---------------------------------------------------------------------------------------


class _Meters:
    """The instruments."""

    def __init__(self, meter: metrics.Meter) -> None:
        self.runs = meter.create_counter(Metric.RUNS, "{run}", "Runs that ended, by stop reason")
        self.run_s = _histogram(meter, Metric.RUN_DURATION, "s", "Duration of runs", _SECONDS)
        self.iterations = _histogram(meter, Metric.ITERATIONS, "{iteration}", "Iterations of a run", _COUNTS)
        self.gain = _histogram(meter, Metric.SCORE_GAIN, "1", "Gain of the best score over the first", _SHARES)
        self.call_s = _histogram(meter, Metric.CALL_DURATION, "s", "Duration of model calls", _SECONDS)
        self.tokens = _histogram(meter, Metric.TOKENS, "{token}", "Tokens of model calls", _TOKENS)
        self.cost = meter.create_counter(Metric.COST, "{USD}", "Cost of runs, as far as prices are known")
        self.restarts = meter.create_counter(Metric.RESTARTS, "{restart}", "Restarts of actors by supervisors")
        self.queue = meter.create_up_down_counter(Metric.QUEUE, "{run}", "Runs that wait for their turn")
        self.queue_s = _histogram(meter, Metric.QUEUE_DURATION, "s", "How long runs waited for their turn", _SECONDS)
        self.searches = meter.create_counter(Metric.SEARCHES, "{search}", "Searches of memory, by hit or miss")
        self.hits = meter.create_counter(Metric.HITS, "{entry}", "Entries found in memory")
        self.lessons = meter.create_counter(Metric.LESSONS, "{lesson}", "Lessons shown, by whether the run succeeded")
        self.handovers = meter.create_counter(Metric.HANDOVERS, "{run}", "Runs taken over from workers that are gone")
        self.given_up = meter.create_counter(Metric.GIVEN_UP, "{run}", "Runs that failed because their workers ended")
        meter.create_observable_gauge(
            Metric.MAILBOX, [_mailboxes], "{message}", "Messages in the fullest mailbox of an actor system"
        )


def _histogram(
    meter: metrics.Meter, name: str, unit: str, description: str, bounds: tuple[float, ...]
) -> metrics.Histogram:
    return meter.create_histogram(name, unit, description, explicit_bucket_boundaries_advisory=bounds)


def _mailboxes(options: CallbackOptions) -> Iterable[Observation]:
    """Return the depth of the fullest mailbox of each system. Called in an exporter's thread."""
    del options
    if OBSERVING.observer is None:
        return []
    found: list[Observation] = []
    for _ in range(3):
        try:
            systems = list(OBSERVING.systems)
            depths = [(system.name, max(node.mailbox for node in system.tree().walk())) for system in systems]
        except RuntimeError:  # an actor came or went meanwhile
            continue
        found = [Observation(depth, {A.SYSTEM: name}) for name, depth in depths]
        break
    return found


_KINDS: Final[dict[Work, SpanKind]] = {"model": SpanKind.CLIENT, "order": SpanKind.CONSUMER}


def _lost(what: str, error: Exception) -> None:
    """Log the error of a processor or an exporter, which must not end a run."""
    _log.error("OpenTelemetry: %s could not be recorded: %s", what, type(error).__name__)


# -- the observer ----------------------------------------------------------------------------------


class _NoSpan:
    """A piece of work that is not shown."""

    def end(self, outcome: object = None, error: BaseException | None = None) -> None:
        pass


_NOTHING: Final = _NoSpan()


class _Observer:
    """Turns events of the core into spans, log events and metrics. Never raises."""

    def __init__(self, tracer: trace.Tracer, meters: _Meters, logger: Any) -> None:
        self.tracer = tracer
        self.meters = meters
        self._logger = logger

    def begin(self, work: Work, facts: Mapping[str, Any]) -> Observed:
        """See `Observer`."""
        try:
            around = otel_context.get_current()
            if not around.get(_SUPPRESS_INSTRUMENTATION_KEY):
                return _Waiting(self) if work == "queue" else _Step(self, work, facts, around)
        except Exception as error:  # noqa: BLE001 - foreign code
            _lost("a span", error)
        return _NOTHING

    def happened(self, name: str, facts: Mapping[str, Any]) -> None:
        """See `Observer`."""
        try:
            self._note(name, facts)
        except Exception as error:  # noqa: BLE001 - foreign code
            _lost("an event", error)

    def _note(self, name: str, facts: Mapping[str, Any]) -> None:
        if name == "actor.restarted":
            self.meters.restarts.add(1, {A.COMPONENT: str(facts["actor"]).rpartition(".")[2]})
        elif name == "worker.handed_over":
            self.meters.handovers.add(int(facts["runs"]), {A.QUEUE: str(facts["queue"])})
        elif name == "worker.gave_up":
            self.meters.given_up.add(1, {A.QUEUE: str(facts["queue"])})
        elif name == "lesson.used":
            self.meters.lessons.add(1, {A.SUCCEEDED: bool(facts["success"])})
        elif name == "model.called":
            if _captures(_ON_EVENTS):
                self.log(LogEvent.CALLED, call_attributes(facts["call"]))
        elif name == "restarted":
            told = {A.RUN: facts["run_id"], A.COMPONENT: facts["component"]}
            if "attempt" in facts:
                told[A.ATTEMPT] = facts["attempt"]
            self.log(LogEvent.RESTARTED, told)

    def trace(self) -> Mapping[str, str] | None:
        """See `Observer`."""
        span = trace.get_current_span().get_span_context()
        if not span.is_valid:
            return None
        return {"trace_id": trace.format_trace_id(span.trace_id), "span_id": trace.format_span_id(span.span_id)}

    def log(self, name: str, attributes: Attributes) -> None:
        """Emit a log event in the current context."""
        record = LogRecord(
            timestamp=time.time_ns(),
            context=otel_context.get_current(),
            severity_number=SeverityNumber.INFO,
            attributes=attributes,
            event_name=name,
        )
        self._logger.emit(record)


class _Waiting:
    """A run that waits for its turn."""

    __slots__ = ("_began", "_meters")

    def __init__(self, observer: _Observer) -> None:
        self._meters = observer.meters
        self._began = time.perf_counter()
        self._meters.queue.add(1)

    def end(self, outcome: object = None, error: BaseException | None = None) -> None:
        """See `Observed`."""
        try:
            self._meters.queue.add(-1)
            self._meters.queue_s.record(time.perf_counter() - self._began)
        except Exception as failure:  # noqa: BLE001 - foreign code
            _lost("an event", failure)


class _Step:
    """A piece of work with a span, which is the current one until the end."""

    __slots__ = ("_attributes", "_began", "_facts", "_inside", "_observer", "_span", "_token", "_work")

    def __init__(self, observer: _Observer, work: Work, facts: Mapping[str, Any], around: otel_context.Context) -> None:
        self._observer, self._work, self._facts = observer, work, facts
        name, attributes = opening(work, facts)
        if work == "model" and _captures(_ON_SPANS):
            attributes[A.INPUT_MESSAGES] = content_of(facts["request"].messages)
        self._attributes = attributes
        self._span = observer.tracer.start_span(
            name,
            around,
            kind=_KINDS.get(work, SpanKind.INTERNAL),
            attributes=attributes,
            links=_links(facts.get("recorded") or facts.get("order")),
        )
        self._inside = trace.set_span_in_context(self._span, around)
        self._token = otel_context.attach(self._inside)
        self._began = time.perf_counter()
        if facts.get("recorded") is not None:
            observer.log(LogEvent.RESUMED, {A.RUN: facts["request"].run_id})

    def end(self, outcome: object = None, error: BaseException | None = None) -> None:
        """See `Observed`."""
        try:
            self._tell(outcome, error)
        except Exception as failure:  # noqa: BLE001 - foreign code
            _lost("a span", failure)
        otel_context.detach(self._token)
        try:
            self._span.end()
        except Exception as failure:  # noqa: BLE001 - foreign code
            _lost("a span", failure)

    def _tell(self, outcome: object, error: BaseException | None) -> None:
        duration_s, span = time.perf_counter() - self._began, self._span
        told = outcome_attributes(outcome) if span.is_recording() else None
        if told:
            span.set_attributes(told)
        known = None if type(error).__name__ == "Declined" else error_of(outcome, error)  # a reviser may pass
        if known is not None:
            kind, message = known
            span.set_attribute(A.ERROR, kind)
            span.set_status(Status(StatusCode.ERROR, masked(message) if _captures(_ON_SPANS) else None))
        match self._work:
            case "run" | "graph":
                self._of_run(outcome, duration_s)
            case "model":
                self._of_model(outcome, duration_s, None if known is None else known[0])
            case "search" if isinstance(outcome, list | tuple):
                lessons = outcome[0] if isinstance(outcome, tuple) else outcome  # pyright: ignore[reportUnknownVariableType]
                found = len(lessons)  # pyright: ignore[reportUnknownArgumentType] - worked examples are not counted
                self._observer.meters.searches.add(1, {A.HIT: found > 0})
                self._observer.meters.hits.add(found)
            case "agent" if isinstance(outcome, CritiqueResult):
                self._of_critique(outcome)
            case _:
                pass

    def _of_run(self, outcome: Any, duration_s: float) -> None:
        meters, request = self._observer.meters, self._facts["request"]
        is_loop = isinstance(outcome, ReflectionResult)
        reason = "none" if outcome is None else outcome.stop_reason.value if is_loop else str(outcome.status)
        labels = metric_attributes("graph" if self._work == "graph" else "pipeline", self._facts["name"], reason)
        meters.runs.add(1, labels)
        meters.run_s.record(duration_s, labels, self._inside)
        if is_loop:
            meters.iterations.record(outcome.total_iterations, labels, self._inside)
            gain = score_gain(cast("ReflectionResult", outcome))
            if gain is not None:
                meters.gain.record(gain, labels, self._inside)
        if outcome is not None and getattr(request, "outer", None) is None:  # otherwise the outer run counts it
            cost = outcome.usage.cost_usd - _cost_before(self._facts["recorded"])
            if cost > 0.0:
                meters.cost.add(cost, labels)
        if reason == "suspended":
            self._observer.log(LogEvent.SUSPENDED, {A.RUN: request.run_id})

    def _of_model(self, outcome: object, duration_s: float, error: str | None) -> None:
        meters = self._observer.meters
        told = (A.OPERATION, A.PROVIDER, A.REQUEST_MODEL, A.SERVER, A.PORT)
        labels = {name: self._attributes[name] for name in told if name in self._attributes}
        if isinstance(outcome, Completion):
            if outcome.is_cached:
                return
            if outcome.model:
                labels[A.RESPONSE_MODEL] = outcome.model
            usage, inside = outcome.usage, self._inside
            meters.tokens.record(usage.input_tokens, {**labels, A.TOKEN_TYPE: "input"}, inside)
            meters.tokens.record(usage.output_tokens, {**labels, A.TOKEN_TYPE: "output"}, inside)
            if A.INPUT_MESSAGES in self._attributes:
                self._span.set_attribute(A.OUTPUT_MESSAGES, content_of(outcome.text))
        if error is not None:
            labels[A.ERROR] = error
        meters.call_s.record(duration_s, labels, self._inside)

    def _of_critique(self, critique: CritiqueResult) -> None:
        told = evaluation(critique)
        for name in (A.RUN, A.CANDIDATE):
            if name in self._attributes:
                told[name] = self._attributes[name]
        if _captures(_ON_EVENTS):
            told[A.EVALUATION_EXPLANATION] = masked(critique.as_feedback())
        self._observer.log(LogEvent.EVALUATION, told)


def _captures(where: frozenset[str]) -> bool:
    """Tell whether texts are captured: on spans, or on log events."""
    asked = os.environ.get(_CAPTURE)
    return asked is not None and asked.strip().lower() in where


def _links(earlier: Any) -> list[Link] | None:
    """Return the link to the trace that saw the run before it was resumed, or submitted it, if one did."""
    ids: Mapping[str, str] | None = None if earlier is None else earlier.trace
    try:
        if ids is None:
            return None
        span = SpanContext(
            int(ids["trace_id"], 16),
            int(ids["span_id"], 16),
            is_remote=True,
            trace_flags=TraceFlags(TraceFlags.SAMPLED),
        )
    except (LookupError, ValueError):  # a journal is data
        return None
    return [Link(span)] if span.is_valid else None


def _cost_before(recorded: Any) -> float:
    """Return the cost of a run before it was resumed, in USD."""
    if recorded is None:
        return 0.0
    spent = getattr(recorded, "spent", None)
    if spent is not None:
        return spent.cost_usd
    return sum(line.usage.cost_usd for line in recorded.nodes.values())
