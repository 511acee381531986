"""Restart rules: when to restart, which children with it, when to give up. Source: OTP's `supervisor`."""

from __future__ import annotations

from collections.abc import Reversible, Sequence
from itertools import takewhile
from typing import Literal

from jido_ai.actors.exit_reason import ExitReason

Restart = Literal["permanent", "transient", "temporary"]
Strategy = Literal["one_for_one", "rest_for_one", "one_for_all"]


def should_restart(restart: Restart, reason: ExitReason) -> bool:
    """Return True if a child that ended with `reason` is restarted.

    Permanent: always, also after a clean end. Transient: after a crash only (anything but Normal and Shutdown).
    Temporary: never.
    """
    return restart == "permanent" or (restart == "transient" and reason.is_crash)


def intensity_exceeded(attempts: Sequence[float], *, max_restarts: int, max_seconds: float) -> bool:
    """Return True if the newest attempt is one too many.

    Args:
        attempts: times of all restart attempts, oldest first, the newest included; failed attempts count too.
        max_restarts: attempts allowed in any `max_seconds`; with 0 the first one is too many.
        max_seconds: length of the window, which slides with each attempt and includes both ends.
    """
    # Exceeded if even the oldest of the newest max_restarts + 1 attempts lies in the window.
    return len(attempts) > max_restarts and attempts[-1 - max_restarts] >= attempts[-1] - max_seconds


def group_of(strategy: Strategy, ids: Reversible[str], failed: str) -> tuple[str, ...]:
    """Return the ids to restart after `failed` crashed, in start order; takes time in proportion to the group.

    Args:
        strategy: of the supervisor.
        ids: all children in start order; not read for one_for_one.
        failed: one of them.
    """
    match strategy:
        case "one_for_one":
            return (failed,)
        case "rest_for_one":
            after = [*takewhile(lambda id_: id_ != failed, reversed(ids))]
            return (failed, *reversed(after))
        case "one_for_all":
            return tuple(ids)
