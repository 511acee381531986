"""Why an actor ended, and the messages that tell others of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from jido_ai.errors import ConfigurationError, describe

if TYPE_CHECKING:
    from jido_ai.actors.ref import ActorRef

__all__ = ["Crashed", "Down", "Exit", "ExitReason", "IdleTimeout", "Killed", "NoProc", "Normal", "Shutdown"]


@dataclass(frozen=True, slots=True)
class Normal:
    """It had nothing more to do."""

    is_crash: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Shutdown:
    """It was told to stop, by its supervisor as a rule; `detail` may say more."""

    detail: object = None
    is_crash: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Crashed:
    """An exception nobody expected escaped from it."""

    error: BaseException
    is_crash: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Killed:
    """It was killed, or did not stop in its time; on_stop did not run to its end."""

    is_crash: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class NoProc:
    """There was no such actor (any more) when it was asked for."""

    is_crash: ClassVar[bool] = True


ExitReason = Normal | Shutdown | Crashed | Killed | NoProc


def check_reason(reason: object) -> None:
    """Refuse what is no exit reason, with a `ConfigurationError`: it would fail where the actor ends."""
    if not isinstance(reason, ExitReason):
        raise ConfigurationError(
            f"reason must be a Normal(), Shutdown(), Crashed(error), Killed() or NoProc(), got {describe(reason)}"
        )


@dataclass(frozen=True, slots=True)
class Down:
    """A monitored actor ended. Delivered exactly once per monitor."""

    ref: ActorRef
    reason: ExitReason
    handle: object = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Exit:
    """A linked actor ended. Delivered to actors with `trap_exit`; others end with the same reason."""

    ref: ActorRef
    reason: ExitReason


@dataclass(frozen=True, slots=True)
class IdleTimeout:
    """Nothing arrived for as long as `set_idle_timeout` said."""
