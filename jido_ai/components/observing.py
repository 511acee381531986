"""Turning on the observer that the environment asks for."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

from jido_ai.errors import ConfigurationError, describe
from jido_ai.registry import resolve
from jido_ai.telemetry import OBSERVING

if TYPE_CHECKING:
    from jido_ai.actors.system import ActorSystem

_ON: Final = frozenset({"1", "true", "yes", "on"})
_OFF: Final = frozenset({"", "0", "false", "no", "off"})


def start_observing(system: ActorSystem) -> None:
    """Begin to observe the actor system of a pipeline or graph that is entered.

    With the environment variable JIDO_OTEL=1, OpenTelemetry is turned on first.

    Raises:
        ConfigurationError: JIDO_OTEL has an unknown value, or OpenTelemetry is not installed.
    """
    if OBSERVING.observer is None:
        switch = os.environ.get("JIDO_OTEL", "").strip().lower()
        if switch in _ON:
            cast("Callable[[], object]", resolve("observer", "otel"))()
        elif switch not in _OFF:
            raise ConfigurationError(f"JIDO_OTEL must be 1 or 0, got {describe(switch)}")
    OBSERVING.systems.add(system)
