"""How a supervisor starts, stops and restarts one child."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from jido_ai.actors.mailbox import Bounded
from jido_ai.actors.restart import Restart
from jido_ai.actors.via_name import Via
from jido_ai.errors import ConfigurationError, describe

Start = Callable[[], object] | tuple[Callable[..., object], Sequence[Any], Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """Waits between restarts: none before the first, then `base_s`, growing by `factor` up to `cap_s` seconds.

    Attributes:
        jitter: largest share of the delay, in [0, 1], by which it is shortened at random.
    """

    base_s: float = 0.05
    factor: float = 2.0
    cap_s: float = 5.0
    jitter: float = 0.0

    def __post_init__(self) -> None:
        for name, least in (("base_s", 0.0), ("factor", 1.0), ("cap_s", 0.0), ("jitter", 0.0)):
            value = getattr(self, name)
            if not _is_number(value) or not least <= value < math.inf:
                raise ConfigurationError(f"Backoff.{name} must be a number of at least {least}, got {describe(value)}")
        if self.jitter > 1.0:
            raise ConfigurationError(f"Backoff.jitter must be in [0, 1], got {describe(self.jitter)}")

    def delay_s(self, attempt: int, chance: float = 0.0) -> float:
        """Return the seconds to wait before the `attempt`-th restart in a row, counted from 1.

        `chance`, in [0, 1], is the share of the jitter that is subtracted.
        """
        if attempt <= 1 or self.base_s == 0.0:
            return 0.0
        # The exponent is bounded, so that a thousandth attempt does not overflow.
        delay = min(self.cap_s, self.base_s * self.factor ** min(attempt - 2, 64))
        return delay * (1.0 - self.jitter * chance)


@dataclass(frozen=True, slots=True)
class ChildSpec:
    """How to start one child, when to restart it, and how long it may take to stop.

    Attributes:
        id: unique among its siblings; names the child in every event.
        start: `(Class, args, kwargs)`, or a factory without arguments; called for the first start and for every
            restart, so it must build a fresh actor and close over no state that a crash could have corrupted.
        restart: permanent, transient or temporary.
        shutdown: seconds from the request to stop until the child is killed, at least 0, or "brutal_kill" or
            "infinity". None is OTP's default: 5.0 for a worker, "infinity" for a supervisor.
        type: shown by WhichChildren; determines the default shutdown.
        significant: its end may end the supervisor (`auto_shutdown`); not allowed for a permanent child.
        backoff: waits between restarts; None is no wait before the first, then 0.05 s doubling up to 5 s.
        name, mailbox: apply to every incarnation; `via(registry, key)` is a name, too.

    Raises:
        ConfigurationError: a field has the wrong type or is out of range; the message names the field and the value.
    """

    id: str
    start: Start
    restart: Restart = "permanent"
    shutdown: float | Literal["brutal_kill", "infinity"] | None = None
    type: Literal["worker", "supervisor"] = "worker"
    significant: bool = False
    backoff: Backoff | None = None
    name: str | Via | None = None
    mailbox: Bounded | None = None

    def __post_init__(self) -> None:
        if not _is_text(self.id):
            raise ConfigurationError(f"ChildSpec.id must be a non-empty string, got {describe(self.id)}")
        object.__setattr__(self, "id", str.__str__(self.id))  # a subclass may override comparison and str
        self._check_start()
        self._check_choice("restart", self.restart, ("permanent", "transient", "temporary"))
        self._check_choice("type", self.type, ("worker", "supervisor"))
        self._check_shutdown()
        self._check_type("significant", self.significant, bool)
        if self.significant and self.restart == "permanent":
            self._refuse("significant", "cannot be True for a permanent child", self.significant)
        self._check_type("backoff", self.backoff, Backoff, optional=True)
        self._check_type("mailbox", self.mailbox, Bounded, optional=True)
        if self.name is not None and not isinstance(self.name, Via):
            if not _is_text(self.name):
                self._refuse("name", "must be None, a non-empty string or via(registry, key)", self.name)
            object.__setattr__(self, "name", str.__str__(self.name))

    @property
    def shutdown_s(self) -> float:
        """Return the shutdown limit in seconds: 0.0 for "brutal_kill", infinity for "infinity"."""
        if self.shutdown is None:
            return math.inf if self.type == "supervisor" else 5.0
        if self.shutdown == "infinity":
            return math.inf
        return 0.0 if self.shutdown == "brutal_kill" else float(self.shutdown)

    def build(self) -> object:
        """Call `start` and return its result; errors propagate."""
        if isinstance(self.start, tuple):
            factory, args, kwargs = cast("tuple[Callable[..., object], Sequence[Any], Mapping[str, Any]]", self.start)
            return factory(*args, **kwargs)
        return self.start()

    def _check_start(self) -> None:
        start = cast("object", self.start)
        if isinstance(start, tuple):
            parts = cast("tuple[object, ...]", start)
            ok = (
                len(parts) == 3
                and callable(parts[0])
                and isinstance(parts[1], Sequence)
                and not isinstance(parts[1], str | bytes | bytearray)
                and isinstance(parts[2], Mapping)
                and all(isinstance(key, str) for key in cast("Mapping[object, object]", parts[2]))
            )
        else:
            ok = callable(start)
        if not ok:
            self._refuse("start", "must be (Class, args, kwargs) or a callable without arguments", self.start)

    def _check_shutdown(self) -> None:
        value: object = self.shutdown
        if value is None or (isinstance(value, str) and value in ("brutal_kill", "infinity")):
            return
        if not _is_number(value) or not value >= 0:
            self._refuse("shutdown", 'must be None, seconds of at least 0, "brutal_kill" or "infinity"', value)

    def _check_choice(self, field: str, value: object, choices: tuple[str, ...]) -> None:
        if not isinstance(value, str) or value not in choices:
            self._refuse(field, f"must be one of {', '.join(choices)}", value)

    def _check_type(self, field: str, value: object, kind: type, *, optional: bool = False) -> None:
        if not isinstance(value, kind) and not (optional and value is None):
            self._refuse(field, f"must be a {kind.__name__}{' or None' if optional else ''}", value)

    def _refuse(self, field: str, limit: str, value: object) -> None:
        raise ConfigurationError(f"ChildSpec {self.id!r}: {field} {limit}, got {describe(value)}")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and str.__len__(value) > 0


def _is_number(value: object) -> Any:
    if isinstance(value, int):
        return not isinstance(value, bool) and abs(value) <= sys.float_info.max  # larger ones overflow a float
    return isinstance(value, float)
