"""Critiques: issues, findings, outcomes, and the judgement of one critiquer."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, cast

from pydantic import BeforeValidator, Field, model_validator

from jido_ai.errors import ConfigurationError, describe
from jido_ai.values.base import SLACK, ByValue, Count, Line, Metadata, Signed, Texts, Unit, Value, joined, own_copy

__all__ = ["CritiqueResult", "Finding", "Issue", "Issues", "Location", "Outcome", "fingerprint_of", "worse_checks"]


class Outcome(StrEnum, metaclass=ByValue):
    """The end of an attempt, according to its critiquer."""

    SUCCESS = "success"
    FAILURE = "failure"
    PARTIAL = "partial"
    TIMEOUT = "timeout"
    ERROR = "error"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


class Location(Value):
    """A place in a candidate; lines and columns count from 1."""

    path: str | None = Field(default=None, kw_only=False)
    line: Line | None = Field(default=None, kw_only=False)
    column: Line | None = Field(default=None, kw_only=False)
    end_line: Line | None = Field(default=None, kw_only=False)
    end_column: Line | None = Field(default=None, kw_only=False)

    def __str__(self) -> str:
        """Return the known parts of `path:line:column`, the form that editors and terminals link."""
        parts = [self.path or "<candidate>"]
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        return ":".join(parts)


_QUOTES = str.maketrans("", "", "`'\"‘’“”«»")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def fingerprint_of(source: str | None, rule: str | None, path: str | None, message: str) -> str:
    """Return the fingerprint of an issue with these: see `Issue.fingerprint`."""
    message = unicodedata.normalize("NFKC", message).casefold().translate(_QUOTES)
    message = " ".join(_NUMBER.sub("#", message).split()).rstrip(" .!")
    parts = (source or "", rule or "", path or "", message)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Issue(Value):
    """One defect of a candidate.

    Attributes:
        kind: "syntax", "style", "test", "type", ...
        source: the critiquer that reported it: "tool:ruff", "model:NAME".
        rule: the critiquer's own name for it: "F401".
    """

    message: str = Field(strict=True, kw_only=False)
    severity: Unit | None = None
    kind: str | None = None
    location: Location | None = None
    source: str | None = None
    rule: str | None = None

    @property
    def fingerprint(self) -> str:
        """Return 16 hexadecimal digits that identify the same finding in other iterations.

        Computed from source, rule (else kind), path and the message, with case, quotes, blanks, numbers and the full
        stop normalized. Lines and columns are left out: they move with every edit above them.
        """
        path = self.location.path if self.location else None
        return fingerprint_of(self.source, self.rule or self.kind, path, self.message)


class Finding(Value):
    """An issue, tracked over the iterations of a run.

    Attributes:
        status: open, fixed, regressed (it was fixed and came back) or disputed (critiquers disagree), at the best
            candidate.
        first_iteration, last_iteration: index of the first and the last iteration that reported it.
    """

    issue: Issue = Field(kw_only=False)
    status: Literal["open", "fixed", "regressed", "disputed"] = Field(kw_only=False)
    first_iteration: Count = Field(kw_only=False)
    last_iteration: Count = Field(kw_only=False)


def _issues(value: object) -> object:
    if isinstance(value, str):
        raise ValueError("needs a sequence of issues, got one str")
    if not isinstance(value, Iterable):
        return value
    given = cast("Iterable[object]", value)
    return tuple([Issue(message=item) if isinstance(item, str) else item for item in given])


Issues = Annotated[tuple[Issue, ...], BeforeValidator(_issues)]
# From best to worst: a merged critique takes the worse one.
OUTCOME_ORDER: Final = (
    Outcome.SUCCESS,
    Outcome.UNKNOWN,
    Outcome.PARTIAL,
    Outcome.CANCELLED,
    Outcome.FAILURE,
    Outcome.TIMEOUT,
    Outcome.ERROR,
)


class CritiqueResult(Value):
    """One critiquer's judgement of one candidate.

    One of severity, score and reward is required. Missing ones are computed: severity = 1 - score = (1 - reward) / 2.
    Explicit values are kept: severity decides whether the candidate is good enough, score measures progress (a tool's
    score rises with every fixed finding, even while the worst one remains).

    Attributes:
        source: the critiquer: "tool:ruff", "model:NAME", "panel".
        parts: the members' results, if a panel judged.
        confidence: in [0, 1], the critiquer's confidence in its judgement.
        checks: the result of each check, by name: "passed", "failed", "skipped", ... The checks that the first
            candidate of a run passed are the floor for later ones (`jido_ai.loop.floor`).
    """

    _derived = ("severity", "score")

    severity: Unit
    issues: Issues = ()
    suggestions: Texts = ()
    feedback: str | None = None
    source: str = "unknown"
    metadata: Metadata = Field(default_factory=dict[str, Any])
    score: Unit
    reward: Signed | None = None
    criterion_scores: Annotated[dict[str, Unit], BeforeValidator(own_copy)] = Field(default_factory=dict)
    strengths: Texts = ()
    confidence: Unit | None = None
    outcome: Outcome | None = None
    parts: tuple[CritiqueResult, ...] = ()
    checks: Annotated[dict[str, str], BeforeValidator(own_copy)] = Field(default_factory=dict[str, str])

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            severity: float | None = None,
            issues: Iterable[Issue | str] = (),
            suggestions: Iterable[str] = (),
            feedback: str | None = None,
            source: str = "unknown",
            metadata: Mapping[str, Any] = ...,
            score: float | None = None,
            reward: float | None = None,
            criterion_scores: Mapping[str, float] = ...,
            strengths: Iterable[str] = (),
            confidence: float | None = None,
            outcome: Outcome | str | None = None,
            parts: Iterable[CritiqueResult] = (),
            checks: Mapping[str, str] = ...,
        ) -> None: ...

    @model_validator(mode="before")
    @classmethod
    def _follow(cls, data: Any) -> object:
        if not isinstance(data, dict):
            return data
        given: dict[str, Any] = {**data}
        severity, score, reward = map(given.get, ("severity", "score", "reward"))
        if severity is None and score is None and reward is None:
            raise ValueError("one of severity, score and reward is required")
        if severity is None:
            severity = _one_minus(score) if score is not None else _from_reward(reward)
        if score is None:
            score = _one_minus(severity)
        given["severity"], given["score"] = severity, score
        return given

    def __hash__(self) -> int:  # the most distinctive fields; metadata has no hash
        return hash((self.severity, self.score, self.source, self.issues, self.feedback))

    @property
    def actionable(self) -> bool:
        """True if there is an issue, or the severity is above 0.3."""
        return self.has_issues or self.should_refine()

    @property
    def has_issues(self) -> bool:
        """True if there is at least one issue."""
        return bool(self.issues)

    def should_refine(self, threshold: float = 0.3) -> bool:
        """Tell whether severity is above `threshold`, in [0, 1] (strictly, with 1e-9 slack).

        Raises:
            ConfigurationError: `threshold` is not a number, or out of range.
        """
        if not (_is_number(threshold) and 0.0 <= threshold <= 1.0):  # NaN fails too
            raise ConfigurationError(f"threshold must be a number in [0, 1], got {describe(threshold)}")
        return self.severity > threshold + SLACK

    def severity_level(self) -> Literal["low", "medium", "high"]:
        """Return "low" below 0.3, "medium" below 0.7, else "high"."""
        if self.severity < 0.3 - SLACK:
            return "low"
        return "medium" if self.severity < 0.7 - SLACK else "high"

    def as_feedback(self, max_chars: int = 2000) -> str:
        """Return the critique as text for the agent that tries again: issues, then suggestions, then feedback.

        The most severe issue is first, with its place and its rule as far as they are known. An issue without a
        severity counts as severe as the critique; equally severe ones keep their order. "" if there is nothing to say.

        Args:
            max_chars: of the whole text, at least 1; a longer one is cut, and says so at its end.

        Raises:
            ConfigurationError: `max_chars` is not a whole number of at least 1.
        """
        if isinstance(max_chars, bool) or not isinstance(max_chars, int) or max_chars < 1:
            raise ConfigurationError(f"max_chars must be a whole number of at least 1, got {describe(max_chars)}")

        def severity_of(issue: Issue) -> float:
            return self.severity if issue.severity is None else issue.severity

        issues = map(_told, sorted(self.issues, key=severity_of, reverse=True))
        return bounded(feedback_text(issues, self.suggestions, self.feedback), max_chars)

    def add_issue(self, issue: Issue | str) -> CritiqueResult:
        """Return the critique with one more issue; an issue that it already has is not repeated."""
        more = Issue(issue) if isinstance(issue, str) else issue
        return self.replace(issues=joined(self.issues, (more,)))

    def merge(self, other: CritiqueResult) -> CritiqueResult:
        """Return both critiques as one.

        Issues, suggestions and strengths are joined in order without repeats, feedback by a newline. Severity, score,
        reward, confidence, outcome and checks are the worse ones. Where both have a key of metadata or a criterion,
        `other` wins.

        Raises:
            ConfigurationError: `other` is not a critique.
        """
        if not isinstance(other, CritiqueResult):
            raise ConfigurationError(f"merge needs another CritiqueResult, got {describe(other)}")
        feedback = [text for text in (self.feedback, other.feedback) if text]
        outcomes = [outcome for outcome in (self.outcome, other.outcome) if outcome is not None]
        return CritiqueResult(
            severity=max(self.severity, other.severity),
            score=min(self.score, other.score),
            reward=_smaller(self.reward, other.reward),
            issues=joined(self.issues, other.issues),
            suggestions=joined(self.suggestions, other.suggestions),
            feedback="\n".join(feedback) or None,
            source=self.source if self.source == other.source else f"{self.source}+{other.source}",
            metadata={**self.metadata, **other.metadata},
            criterion_scores={**self.criterion_scores, **other.criterion_scores},
            strengths=joined(self.strengths, other.strengths),
            confidence=_smaller(self.confidence, other.confidence),
            outcome=max(outcomes, key=OUTCOME_ORDER.index) if outcomes else None,
            parts=(*self.parts, *other.parts),
            checks=worse_checks(self.checks, other.checks),
        )

    @classmethod
    def no_issues(cls) -> CritiqueResult:
        """Return the flawless critique: severity 0, no issue."""
        return cls(severity=0.0)


def worse_checks(first: Mapping[str, str], second: Mapping[str, str]) -> dict[str, str]:
    """Return the checks of both; if both have a check, the result that is not "passed"."""
    both = {name: end for name, end in first.items() if name in second and end != "passed"}
    return {**first, **second, **both}


def _told(issue: Issue) -> str:
    """Return an issue as a person reads it: "src/a.py:3:5: unused import (F401)", "line 3: unused import"."""
    rule = f" ({issue.rule})" if issue.rule else ""
    place = issue.location
    if place is None or (place.path is None and place.line is None):
        where = ""
    elif place.path is not None:
        where = f"{place}: "
    else:
        where = f"line {place.line}: " if place.column is None else f"line {place.line}, column {place.column}: "
    return f"{where}{issue.message.strip()}{rule}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _one_minus(value: Any) -> float:
    """Return 1 - value; invalid values are refused later, by the check of the field they were given for."""
    if value.__class__ is float:
        return 1.0 - value if 0.0 <= value <= 1.0 else 0.0
    return 1.0 - max(0.0, min(1.0, value)) if _is_number(value) else 0.0


def _from_reward(value: Any) -> float:
    return (1.0 - max(-1.0, min(1.0, value))) / 2.0 if _is_number(value) else 0.0


def _smaller(first: float | None, second: float | None) -> float | None:
    return min((value for value in (first, second) if value is not None), default=None)


# -- feedback --------------------------------------------------------------------------------------


_MARK = "\n… (cut: {} more characters)"


def feedback_text(issues: Iterable[str], suggestions: Iterable[str], feedback: str | None) -> str:
    """Return the parts that are not blank under a heading each, issues and suggestions as lists; "" if all are blank.

    Further lines of an issue or suggestion are indented below its first.
    """
    parts = [_listed("Issues", issues), _listed("Suggestions", suggestions)]
    if feedback and feedback.strip():
        parts.append(f"Feedback:\n{feedback.strip()}")
    return "\n\n".join(part for part in parts if part)


def _listed(heading: str, items: Iterable[str]) -> str:
    lines = ["- " + "\n  ".join(item.strip().splitlines()) for item in items if item.strip()]
    return "\n".join([f"{heading}:", *lines]) if lines else ""


def bounded(text: str, max_chars: int) -> str:
    """Return `text` in at most `max_chars` characters, at least 1; a cut shows the number of omitted ones.

    It is cut after a whole line if that keeps at least half of the room. Where the number does not fit, "…" stands
    alone at the end.
    """
    if len(text) <= max_chars:
        return text
    room = max_chars - len(_MARK.format(len(text)))
    if room <= 0:
        return text[: max_chars - 1] + "…"
    kept = text[:room]
    end = kept.rfind("\n")
    if end >= room // 2 > 0:
        kept = kept[:end]
    return kept + _MARK.format(len(text) - len(kept))
