"""Exit reasons: why an actor ended. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from jido_ai.errors import ConfigurationError, describe


@dataclass(frozen=True, slots=True)
class Normal:
    """The actor finished its work."""

    is_crash: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Shutdown:
    """The actor was asked to stop, usually by its supervisor; `detail` may give a reason."""

    detail: object = None
    is_crash: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Crashed:
    """An unexpected exception escaped from the actor."""

    error: BaseException
    is_crash: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Killed:
    """The actor was killed, or did not stop in time; on_stop did not finish. `detail` may say why; all are equal."""

    detail: object = field(default=None, compare=False)
    is_crash: ClassVar[bool] = True

    def __repr__(self) -> str:
        return "Killed()" if self.detail is None else f"Killed({self.detail!r})"


@dataclass(frozen=True, slots=True)
class NoProc:
    """The actor did not exist, or had already ended."""

    is_crash: ClassVar[bool] = True


ExitReason = Normal | Shutdown | Crashed | Killed | NoProc


def check_reason(reason: object) -> None:
    """Raise `ConfigurationError` unless `reason` is an exit reason; it would fail later, when the actor ends."""
    if not isinstance(reason, ExitReason):
        raise ConfigurationError(
            f"reason must be a Normal(), Shutdown(), Crashed(error), Killed() or NoProc(), got {describe(reason)}"
        )


@dataclass(frozen=True, slots=True)
class IdleTimeout:
    """No message arrived within the time given to `set_idle_timeout`."""
