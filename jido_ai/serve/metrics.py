"""Metrics for Prometheus. Labels are names of our own, so that no caller can add series."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from jido_ai.serve.entries import Entry

_BUCKETS_S: Final = (0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)


class Metrics:
    """The metrics of one server."""

    content_type = CONTENT_TYPE_PLAIN_0_0_4

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        by_name = ("kind", "name", "status", "stop_reason")
        self._runs = Counter("jido_runs", "Runs that ended.", by_name, registry=registry)
        self._iterations = Counter("jido_iterations", "Judged candidates.", ("name",), registry=registry)
        self._calls = Counter("jido_model_calls", "Model calls.", ("name",), registry=registry)
        self._tokens = Counter("jido_model_tokens", "Tokens read and written by models.", ("name",), registry=registry)
        self._cost = Counter(
            "jido_cost_usd", "Cost of model calls, as far as prices are known.", ("name",), registry=registry
        )
        self._unpriced = Counter(
            "jido_unpriced_calls", "Model calls whose price is not known.", ("name",), registry=registry
        )
        self._duration = Histogram(
            "jido_run_duration_seconds", "Duration of runs.", ("name",), registry=registry, buckets=_BUCKETS_S
        )
        self._running = Gauge("jido_runs_in_flight", "Runs that are carried out.", registry=registry)
        self._waiting = Gauge("jido_runs_waiting", "Accepted runs that wait for their turn.", registry=registry)
        self._streams = Gauge("jido_event_streams", "Open streams of events.", registry=registry)
        self._requests = Counter("jido_http_requests", "Answers.", ("method", "status"), registry=registry)

    def watch(self, in_flight: Callable[[], int], waiting: Callable[[], int]) -> None:
        """Take the gauges of runs from these functions."""
        self._running.set_function(in_flight)
        self._waiting.set_function(waiting)

    def ended(self, entry: Entry, new: Mapping[str, Any]) -> None:
        """Count a run that has ended.

        Args:
            new: its figures since its end before, if it was resumed.
        """
        name, summary = entry.order.name, entry.summary or {}
        reason = str(summary.get("stop_reason") or "")
        self._runs.labels(entry.order.kind, name, entry.status, reason).inc()
        self._iterations.labels(name).inc(new.get("iterations") or 0)
        self.spent(name, new)
        self._duration.labels(name).observe(new.get("duration_s") or 0.0)

    def spent(self, name: str, counts: Mapping[str, Any]) -> None:
        """Count the calls of a run, a critique or a reflection."""
        self._calls.labels(name).inc(counts.get("calls") or 0)
        self._tokens.labels(name).inc(counts.get("tokens") or 0)
        self._cost.labels(name).inc(counts.get("known_usd") or 0.0)
        self._unpriced.labels(name).inc(counts.get("unpriced_calls") or 0)

    def seen(self, method: str, status: int) -> None:
        """Count an answer."""
        known = method if method in ("GET", "POST", "DELETE", "HEAD", "OPTIONS") else "other"
        self._requests.labels(known, str(status)).inc()

    def stream(self, change: int) -> None:
        """Count a stream that begins (1) or ends (-1)."""
        self._streams.inc(change)

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self._registry)
