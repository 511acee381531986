"""Rate limits per minute, as a leaky bucket: a tenth of the limit as a burst, the rest evenly. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from jido_ai.errors import ConfigurationError

__all__ = ["Rate", "take"]


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `per_minute` in any half-open minute, at least 1.

    Raises:
        ConfigurationError: below 1, or no whole number.
    """

    per_minute: int

    def __post_init__(self) -> None:
        if isinstance(self.per_minute, bool) or self.per_minute < 1:
            raise ConfigurationError(f"a limit per minute must be at least 1, got {self.per_minute!r}")

    @property
    def burst(self) -> int:
        """The number of calls that may start at once after a pause."""
        return max(1, self.per_minute // 10)

    @property
    def interval_s(self) -> float:
        """The seconds per call; with the burst, no minute has more than the limit."""
        return 60.0 / (self.per_minute - self.burst + 1)


def take(rate: Rate, empty_at: float, now: float, amount: int) -> tuple[float, float]:
    """Put `amount` into the bucket: return the seconds to wait before it counts as there, and when it will be empty.

    More than the burst waits until the bucket is so far ahead of it that the minute after holds no more than it may.

    Args:
        empty_at: when the bucket is empty as it is.
    """
    empty_at = max(empty_at, now) + amount * rate.interval_s
    return max(0.0, empty_at - rate.burst * rate.interval_s - now), empty_at
