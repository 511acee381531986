"""MaintenanceConfig and MaintenanceReport: the settings and the results of a round of maintenance."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AwareDatetime, Field, model_validator

from jido_ai.values import Count, ErrorInfo, Line, NotNegative, Positive, Scope, Unit, Value

_SECONDS_PER_DAY: Final = 86_400.0

Days = Annotated[float, Field(strict=True, gt=0.0, le=100_000.0)]
Retention = Annotated[float, Field(strict=True, ge=1.0, le=365.0, allow_inf_nan=False)]
"""SPEC M6."""


class MaintenanceConfig(Value):
    """Settings of a round of maintenance.

    Attributes:
        mode: "lite" or "full", which also dreams; "lite" by default.
        retention_days: entries unused for this many days, 1 to 365, are removed, unless they ever helped: half as many
            days for low importance, twice for high, five times for critical (SPEC M45). None removes expired entries
            only.
        half_life_days: days without use after which the importance has halved, unless the entry ever helped; 30 by
            default (SPEC R45).
        floor: decay does not reduce the importance below this; 0.05 by default.
        episode_days: days to keep episodes in the log; 90 by default, None keeps them.
        journal_days: days to keep the steps of stopped runs in the journal, and the answers of comparisons; 30 by
            default, None keeps them. Interrupted and suspended runs are always kept, and a graph with its loops.
        dream_lookback_s: maximum age in seconds of memories in a dream; a day by default (SPEC R42).
        dream_importance: their minimum importance; 0.6 by default.
        dream_most, dream_least: maximum number of memories in a dream, and the minimum for a dream; 20 and 3.
        dream_timeout_s: timeout of the reflection in seconds; 120 by default.
    """

    mode: Literal["lite", "full"] = "lite"
    retention_days: Retention | None = None
    half_life_days: Days = 30.0
    floor: Unit = 0.05
    episode_days: Days | None = 90.0
    journal_days: Days | None = 30.0
    dream_lookback_s: Positive = _SECONDS_PER_DAY
    dream_importance: Unit = 0.6
    dream_most: Line = 20
    dream_least: Line = 3
    dream_timeout_s: Positive = 120.0

    @model_validator(mode="after")
    def _can_dream(self) -> MaintenanceConfig:
        if self.dream_least > self.dream_most:
            raise ValueError(f"dream_least must be at most dream_most, got {self.dream_least} and {self.dream_most}")
        return self


class MaintenanceReport(Value):
    """The results of a round of maintenance, as counts.

    Attributes:
        scope: the scope; None means all scopes.
        scopes, entries, episodes: number read.
        expired, pruned: entries removed because they expired, or were unused for too long.
        decayed: entries whose importance changed.
        lessons: lessons created or extended from a root cause that several episodes share.
        summaries: lessons created or replaced from a tag that several entries have.
        merged: lessons removed because an older one says the same.
        contradictions: links added between lessons that contradict each other.
        dreams: reflections on recent important memories.
        meta: entries created about learning progress.
        episodes_dropped, runs_dropped: episodes and runs removed from the logs.
        failures: number of operations that failed; the others were done.
        errors: the first hundred failures; `component` names the step and the scope.
    """

    started_at: AwareDatetime
    mode: Literal["lite", "full"] = "lite"
    scope: Scope | None = None
    duration_s: NotNegative = 0.0
    scopes: Count = 0
    entries: Count = 0
    episodes: Count = 0
    expired: Count = 0
    pruned: Count = 0
    decayed: Count = 0
    lessons: Count = 0
    summaries: Count = 0
    merged: Count = 0
    contradictions: Count = 0
    dreams: Count = 0
    meta: Count = 0
    episodes_dropped: Count = 0
    runs_dropped: Count = 0
    failures: Count = 0
    errors: tuple[ErrorInfo, ...] = ()

    @property
    def changes(self) -> int:
        """Return the total number of changes."""
        done = (self.expired, self.pruned, self.decayed, self.lessons, self.summaries, self.merged)
        made = (self.contradictions, self.dreams, self.meta, self.episodes_dropped, self.runs_dropped)
        return sum(done) + sum(made)
