"""Values: the frozen pydantic models that components exchange, validated when they are built.

Scores, severities and similarities are floats in [0, 1]; score 1 is best, severity 0 is flawless; a reward is in
[-1, 1]. Times are aware datetimes, durations are seconds. The constructor, `model_validate` and `model_validate_json`
raise `ConfigurationError` for a value out of range; the message names the field, the limit and the value. Dicts are
copied. `model_dump(mode="json")` and `model_validate` round-trip.

Each family of values has its own file.
"""

from __future__ import annotations

from jido_ai.values.base import (
    MOST_LEVELS,
    SLACK,
    Count,
    Line,
    NotNegative,
    Positive,
    Unit,
    Value,
    is_too_deep,
    new_id,
    utc_now,
)
from jido_ai.values.candidate import Candidate, Usage
from jido_ai.values.critique import CritiqueResult, Finding, Issue, Location, Outcome, fingerprint_of, worse_checks
from jido_ai.values.episode import Episode, ErrorClass, Event, EventType, LearningProgress, Reflection
from jido_ai.values.memory import Link, MemoryEntry, MemoryKind, MemoryQuery, Scored
from jido_ai.values.model import Completion, CompletionRequest, Message
from jido_ai.values.run import (
    SUSPEND,
    Budget,
    ErrorInfo,
    Iteration,
    LoopConfig,
    ReflectionResult,
    Regenerate,
    Revise,
    StopReason,
    Suspend,
    Verdict,
)
from jido_ai.values.scope import Scope
from jido_ai.values.words import STOP_WORDS, all_words, extract_keywords

__all__ = [
    "MOST_LEVELS",
    "SLACK",
    "STOP_WORDS",
    "SUSPEND",
    "Budget",
    "Candidate",
    "Completion",
    "CompletionRequest",
    "Count",
    "CritiqueResult",
    "Episode",
    "ErrorClass",
    "ErrorInfo",
    "Event",
    "EventType",
    "Finding",
    "Issue",
    "Iteration",
    "LearningProgress",
    "Line",
    "Link",
    "Location",
    "LoopConfig",
    "MemoryEntry",
    "MemoryKind",
    "MemoryQuery",
    "Message",
    "NotNegative",
    "Outcome",
    "Positive",
    "Reflection",
    "ReflectionResult",
    "Regenerate",
    "Revise",
    "Scope",
    "Scored",
    "StopReason",
    "Suspend",
    "Unit",
    "Usage",
    "Value",
    "Verdict",
    "all_words",
    "extract_keywords",
    "fingerprint_of",
    "is_too_deep",
    "new_id",
    "utc_now",
    "worse_checks",
]
