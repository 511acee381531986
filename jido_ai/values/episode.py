"""Episodes: the record of one attempt, its events and its reflection."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field

from jido_ai.values.base import (
    ByValue,
    Count,
    Finite,
    Line,
    Metadata,
    Signed,
    Texts,
    Unit,
    Value,
    new_id,
    not_blank,
    or_new,
    own_copy,
    utc_now,
)
from jido_ai.values.candidate import Candidate
from jido_ai.values.critique import CritiqueResult, Outcome
from jido_ai.values.scope import Scope, default_scope

__all__ = ["Episode", "ErrorClass", "Event", "EventType", "LearningProgress", "Reflection"]


class ErrorClass(StrEnum, metaclass=ByValue):
    """Class of an error, derived from its text."""

    COMPILE = "compile"
    ASSERTION = "assertion"
    TIMEOUT = "timeout"
    NIL = "nil"
    INDEX = "index"
    PERMISSION = "permission"
    IMPORT = "import"
    TYPE = "type"
    CONCURRENCY = "concurrency"
    MEMORY = "memory"
    TOOL = "tool"
    VALIDATION = "validation"
    LLM = "llm"
    NETWORK = "network"
    UNKNOWN = "unknown"


class EventType(StrEnum, metaclass=ByValue):
    """Type of an event in a trace."""

    TOOL_CALL = "tool_call"
    TOOL_RESPONSE = "tool_response"
    LLM_CALL = "llm_call"
    LLM_RESPONSE = "llm_response"
    USER_INPUT = "user_input"
    SYSTEM_EVENT = "system_event"
    ERROR_EVENT = "error_event"


class Event(Value):
    """One event of an agent's trace."""

    type: EventType = Field(kw_only=False)
    content: str = Field(default="", kw_only=False)
    id: Annotated[str, or_new("event")] = Field(default_factory=lambda: new_id("event"))
    timestamp: AwareDatetime = Field(default_factory=utc_now)
    metadata: Metadata = Field(default_factory=dict[str, Any])
    tool_name: str | None = None
    error: str | None = None


class Reflection(Value):
    """The problem or success of an episode, and the lesson, in words.

    Attributes:
        source: "llm", or "fallback" if it was made without a model.
        raw: the model's reply that it was parsed from.
    """

    lesson: Annotated[str, AfterValidator(not_blank)] = Field(kw_only=False)
    root_cause: str = ""
    problem: str = ""
    strategy: str | None = None
    insights: Texts = ()
    knowledge_gaps: Texts = ()
    applicability: Texts = ()
    confidence: Unit = 0.5
    importance: Unit = 0.5
    tags: Texts = ()
    error_class: ErrorClass | None = None
    source: Literal["llm", "fallback"] = "llm"
    raw: str = ""
    generated_at: AwareDatetime = Field(default_factory=utc_now)
    metadata: Metadata = Field(default_factory=dict[str, Any])


def _candidate(value: object) -> object:
    return Candidate(value) if isinstance(value, str) else value


class Episode(Value):
    """The record of one attempt at a prompt, by a pipeline or another agent.

    Attributes:
        candidate: a plain str becomes one.
        attempt: counts from 1.
        error: the error text, if it failed.
        memories_used, memories_created: ids.
        metrics: numbers with their units in the names.
    """

    prompt: str = Field(kw_only=False)
    candidate: Annotated[Candidate | None, BeforeValidator(_candidate)] = Field(default=None, kw_only=False)
    id: Annotated[str, or_new("episode")] = Field(default_factory=lambda: new_id("episode"))
    scope: Scope = Field(default_factory=default_scope)
    agent_id: str = "jido"
    session_id: str | None = None
    turn_id: str | None = None
    task_type: str | None = None
    goal: str | None = None
    attempt: Line = 1
    critique: CritiqueResult | None = None
    reflection: Reflection | None = None
    outcome: Outcome | None = None
    error: str | None = None
    events: tuple[Event, ...] = ()
    memories_used: Texts = ()
    memories_created: Texts = ()
    metrics: Annotated[dict[str, Finite], BeforeValidator(own_copy)] = Field(default_factory=dict)
    timestamp: AwareDatetime = Field(default_factory=utc_now)
    metadata: Metadata = Field(default_factory=dict[str, Any])

    @property
    def prompt_hash(self) -> str:
        """Return the SHA-256 of the prompt, 64 hexadecimal digits."""
        return hashlib.sha256(self.prompt.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def test_results(self) -> Any:
        """Return the results of its tests: its own, else those that its critique has; None without any."""
        judged = self.critique
        of_critique = None if judged is None else judged.metadata.get("test_results") or judged.checks or None
        return self.metadata.get("test_results", of_critique)


class LearningProgress(Value):
    """Development of the attempts at one task type; computed, never stored.

    Attributes:
        average_score: of the judged attempts; 0.0 without one.
        improvement_trend: mean score of the later half minus that of the earlier half, in [-1, 1].
        recent_trend, medium_trend: the same over the last 5 and the last 20 judged attempts.
        last_improvement: the newest score minus the one before it; None with fewer than two scores.
        plateau: the last 5 judged attempts brought hardly any improvement.
        plateau_attempts: the number of attempts it has lasted; 0 without a plateau.
        volatility: mean absolute difference between consecutive scores, in [0, 1].
        key_lessons: the texts of the three lessons that helped most often.
        persistent_issues: error classes and causes in at least 3 of the last 10 attempts.
        next_focus_areas: the criteria with the lowest scores, lowest first, at most three.
    """

    task_type: str = Field(kw_only=False)
    total_attempts: Count = 0
    success_rate: Unit = 0.0
    average_score: Unit = 0.0
    improvement_trend: Signed = 0.0
    recent_trend: Signed = 0.0
    medium_trend: Signed = 0.0
    last_improvement: Signed | None = None
    plateau: bool = False
    plateau_attempts: Count = 0
    volatility: Unit = 0.0
    key_lessons: Texts = ()
    persistent_issues: Texts = ()
    next_focus_areas: Texts = ()
