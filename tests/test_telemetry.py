"""Events and sinks."""

from __future__ import annotations

import asyncio
import logging

import pytest

from jido_ai.actors.exit_reason import Crashed
from jido_ai.errors import ComponentError, ConfigurationError
from jido_ai.telemetry import LoggingSink, TelemetryEvent, safe_sink


@pytest.mark.parametrize(
    "name",
    [
        "actor.crashed",
        "supervisor.gave_up",
        "store.failed",
        "reflection.fell_back",
        "loop.blocked",
        "actor.abandoned",
        "run.error",
        "mailbox.high_water",
    ],
)
def test_trouble_is_a_warning(name: str, caplog: pytest.LogCaptureFixture) -> None:
    LoggingSink()(TelemetryEvent(name, {"actor": "counter"}))
    assert [(record.name, record.levelname) for record in caplog.records] == [("jido_ai", "WARNING")]


@pytest.mark.parametrize("name", ["actor.started", "actor.stopped", "crashed.actor", "stopped"])
def test_all_else_is_debug(name: str, caplog: pytest.LogCaptureFixture) -> None:
    LoggingSink()(TelemetryEvent(name))
    assert caplog.records == []
    caplog.set_level(logging.DEBUG, "jido_ai")
    LoggingSink()(TelemetryEvent(name))
    assert [record.levelname for record in caplog.records] == ["DEBUG"]


def test_a_record_names_the_event_and_its_facts(caplog: pytest.LogCaptureFixture) -> None:
    LoggingSink()(TelemetryEvent("actor.crashed", {"actor": "counter", "duration_s": 1.5}))
    assert caplog.messages == ["actor.crashed actor='counter' duration_s=1.5"]


def test_a_warning_has_the_kinds_of_errors_and_the_message_is_debug(caplog: pytest.LogCaptureFixture) -> None:
    error = ComponentError("RuntimeError: cannot handle <prompt>", component="generator")
    error.__cause__, error.run_id = RuntimeError("cannot handle <prompt>"), "run-7"
    LoggingSink()(TelemetryEvent("actor.crashed", {"actor": "a", "error": error}))
    told = "actor.crashed actor='a' error='ComponentError from RuntimeError' component='generator' run_id='run-7'"
    assert caplog.messages == [told]
    caplog.clear()
    caplog.set_level(logging.DEBUG, "jido_ai")
    LoggingSink()(TelemetryEvent("actor.crashed", {"actor": "a", "error": error}))
    assert [record.levelname for record in caplog.records] == ["WARNING", "DEBUG"]
    assert "<prompt>" in caplog.messages[1]


def test_an_error_inside_an_exit_reason_is_shown_by_its_kind(caplog: pytest.LogCaptureFixture) -> None:
    LoggingSink()(TelemetryEvent("supervisor.gave_up", {"reason": Crashed(ValueError("<prompt>")), "count": 3}))
    assert caplog.messages == ["supervisor.gave_up reason='ValueError' count=3"]


def test_percent_signs_and_huge_or_rude_facts_do_not_harm_a_record(caplog: pytest.LogCaptureFixture) -> None:
    class Rude:
        def __repr__(self) -> str:
            raise ValueError("no")

    LoggingSink()(TelemetryEvent("actor.crashed", {"100%s": "%d", "huge": "x" * 10**6, "rude": Rude()}))
    assert "100%s='%d'" in caplog.messages[0]
    assert "<Rude whose repr raises ValueError>" in caplog.messages[0]
    assert len(caplog.messages[0]) < 1_000


def test_facts_of_a_disabled_log_level_are_not_formatted() -> None:
    class Counted:
        shown = 0

        def __repr__(self) -> str:
            Counted.shown += 1
            return "counted"

    LoggingSink("jido_ai.quiet")(TelemetryEvent("actor.started", {"thing": Counted()}))
    assert Counted.shown == 0


def test_a_sink_may_have_a_logger_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    LoggingSink("mine")(TelemetryEvent("actor.crashed"))
    assert caplog.records[0].name == "mine"


def test_events_are_frozen_values() -> None:
    assert TelemetryEvent("a", {"x": 1}) == TelemetryEvent("a", {"x": 1})
    assert TelemetryEvent("a").data == {}
    with pytest.raises(AttributeError):
        TelemetryEvent("a").name = "b"  # type: ignore[misc]


def test_a_sink_that_raises_is_replaced_by_the_log_with_one_complaint(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[TelemetryEvent] = []

    def sink(event: TelemetryEvent) -> None:
        seen.append(event)
        raise RuntimeError("no room")

    safe = safe_sink(sink)
    safe(TelemetryEvent("store.failed"))
    safe_sink(safe)(TelemetryEvent("run.error"))
    assert [event.name for event in seen] == ["store.failed"]
    assert [record.getMessage().split(" at ")[0] for record in caplog.records][1:] == ["store.failed ", "run.error "]
    assert "not used again" in caplog.messages[0]


def test_a_sink_derived_from_the_log_may_raise_as_any_other(caplog: pytest.LogCaptureFixture) -> None:
    class Full(LoggingSink):
        def __call__(self, event: TelemetryEvent, /) -> None:
            raise RuntimeError("no room")

    safe_sink(Full())(TelemetryEvent("store.failed"))
    assert caplog.messages[1].startswith("store.failed")


@pytest.mark.parametrize("fault", [SystemExit, GeneratorExit, asyncio.CancelledError, RecursionError])
def test_errors_of_a_sink_and_of_its_repr_do_not_propagate(
    fault: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    class Rude:
        def __call__(self, event: TelemetryEvent) -> None:
            raise fault

        def __repr__(self) -> str:
            raise fault

    safe_sink(Rude())(TelemetryEvent("store.failed"))
    assert f"Rude whose repr raises {fault.__name__}>" in caplog.messages[0]
    assert caplog.messages[1].startswith("store.failed")


def test_an_interrupt_of_the_user_passes_a_sink() -> None:
    def sink(event: TelemetryEvent) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        safe_sink(sink)(TelemetryEvent("store.failed"))


@pytest.mark.parametrize("fault", [ValueError, SystemExit, asyncio.CancelledError])
def test_a_logging_handler_that_raises_is_reported_with_the_lost_record(
    fault: type[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            raise fault("full")

    handler = Broken()
    logging.getLogger("jido_ai").addHandler(handler)
    try:
        safe_sink(None)(TelemetryEvent("store.failed", {"store": "s"}))
    finally:
        logging.getLogger("jido_ai").removeHandler(handler)
    said = capsys.readouterr().err
    assert "full" in said
    assert "store.failed store='s'" in said


async def _waits(event: TelemetryEvent) -> None:
    """Nobody would await it."""


class _Waits:
    async def __call__(self, event: TelemetryEvent) -> None:
        """Nobody would await it."""


@pytest.mark.parametrize("junk", [3, "log", object(), _waits, _Waits()])
def test_a_sink_must_be_callable_and_not_async(junk: object) -> None:
    with pytest.raises(ConfigurationError, match="sink"):
        safe_sink(junk)  # type: ignore[arg-type]
