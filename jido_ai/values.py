"""What travels between components: frozen pydantic models, checked when they are built.

Scores, severities and similarities are floats in [0, 1]; score 1 is best, severity 0 is flawless; a reward is in
[-1, 1]. Times are aware datetimes, durations seconds. A value out of range raises `ConfigurationError` naming the
field, the limit and what came, whether it comes through the constructor, `model_validate` or `model_validate_json`.
Dicts are copied in. `model_dump(mode="json")` and `model_validate` round-trip.

Ids and timestamps have defaults that read the clock and the random source: the one impurity here.
"""

from __future__ import annotations

import copy
import hashlib
import json
import math
import re
import secrets
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import EnumType, StrEnum
from inspect import Parameter, Signature, iscoroutinefunction
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, Self, cast

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic.fields import FieldInfo

from jido_ai.errors import ConfigurationError, describe

__all__ = [
    "MOST_LEVELS",
    "SLACK",
    "Budget",
    "Candidate",
    "Completion",
    "CompletionRequest",
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
    "Link",
    "Location",
    "LoopConfig",
    "MemoryEntry",
    "MemoryKind",
    "MemoryQuery",
    "Message",
    "Outcome",
    "Reflection",
    "ReflectionResult",
    "Regenerate",
    "Revise",
    "Scope",
    "Scored",
    "StopReason",
    "Usage",
    "Value",
    "Verdict",
    "fingerprint_of",
    "is_too_deep",
    "new_id",
    "utc_now",
]

SLACK: Final = 1e-9
"""Numbers nearer than this are equal: a value within it of a threshold equals the threshold."""
MOST_LEVELS: Final = 64
"""So many levels metadata may have, itself the first: what is deeper cannot be written everywhere as JSON."""
_NESTING: Final = (dict, list, tuple, set, frozenset)


def new_id(prefix: str) -> str:
    """Return `prefix` and 16 random hexadecimal digits."""
    return f"{prefix}_{secrets.token_hex(8)}"


def utc_now() -> datetime:
    """Return the aware time now, in UTC."""
    return datetime.now(UTC)


# -- fields ----------------------------------------------------------------------------------------


def is_too_deep(value: object, most: int = MOST_LEVELS) -> bool:
    """Tell whether mappings, lists, tuples and sets stand in each other more than `most` levels deep."""
    level: list[object] = [value] if isinstance(value, _NESTING) else []
    for _ in range(most):
        inside: dict[int, object] = {}  # one that stands in several places is looked at once
        for outer in level:
            fields: Iterable[object] = cast("Any", outer).values() if isinstance(outer, dict) else cast("Any", outer)
            for one in fields:
                if isinstance(one, _NESTING):
                    inside[id(cast("object", one))] = one
        if not inside:
            return False
        level = list(inside.values())
    return bool(level)


def _own_copy(value: object) -> object:
    if not value:
        return copy.copy(value)
    if is_too_deep(value):
        raise ValueError(f"is nested deeper than {MOST_LEVELS} levels")
    try:
        return copy.deepcopy(value)
    except Exception as error:
        raise ValueError(f"cannot be copied: {describe(error)}") from error


def _scope_name(value: str) -> str:
    if not 1 <= len(value) <= 255:
        raise ValueError(f"needs 1 to 255 characters, got {len(value)}")
    return value


def _or_new(prefix: str) -> AfterValidator:
    """Fill in an empty id (SPEC H1, H4, H63)."""
    return AfterValidator(lambda id: id or new_id(prefix))


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("must not be blank")
    return value


Unit = Annotated[float, Field(strict=True, ge=0.0, le=1.0, allow_inf_nan=False)]
"""A float in [0, 1]; a bool is not a number."""
Signed = Annotated[float, Field(strict=True, ge=-1.0, le=1.0, allow_inf_nan=False)]
Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Positive = Annotated[float, Field(strict=True, gt=0.0, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(strict=True, ge=0.0, allow_inf_nan=False)]
Count = Annotated[int, Field(strict=True, ge=0)]
Line = Annotated[int, Field(strict=True, ge=1)]
Metadata = Annotated[dict[str, Any], BeforeValidator(_own_copy)]


def _parameter(name: str, field: FieldInfo, model: type[Value]) -> Parameter:
    """Return a field as `help` shows it."""
    kind = Parameter.POSITIONAL_OR_KEYWORD if field.kw_only is False else Parameter.KEYWORD_ONLY
    default: object = Parameter.empty if field.is_required() else ...
    if name in model._derived:  # pyright: ignore[reportPrivateUsage] - the same file
        default = None
    elif field.default_factory is None and not field.is_required():
        default = field.default
    return Parameter(name, kind, default=default)


def _fields(error: ValidationError, model: type[BaseModel]) -> str:
    """Put a validation error in one line: field, limit, what came."""
    faults: list[str] = []
    for fault in error.errors(include_url=False):
        where = "".join(f"{part}: " for part in (".".join(str(part) for part in fault["loc"]),) if part)
        what = fault["msg"].removeprefix("Value error, ").removeprefix(f"{model.__name__}: ")
        came = "" if fault["type"] in ("value_error", "missing") else f", got {describe(fault['input'])}"
        faults.append(f"{where}{what}{came}")
    return f"{model.__name__}: " + "; ".join(faults)


_MOST_GIVEN: Final = 1_000
_given_names: Final[dict[frozenset[str], set[str]]] = {}
"""The names of the fields that were given, one set for all values to which the same were: a set of its own would be
half the memory of most values. Nothing changes it, for values are frozen."""


def _shared(given: set[str]) -> set[str]:
    return given if len(_given_names) >= _MOST_GIVEN else _given_names.setdefault(frozenset(given), given)


_set: Final = object.__setattr__


class Value(BaseModel):
    """Base of all values: frozen, no unknown fields, errors as `ConfigurationError`."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        defer_build=True,
        arbitrary_types_allowed=True,
        protected_namespaces=(),
    )

    _positional: ClassVar[tuple[str, ...]] = ()
    _derived: ClassVar[tuple[str, ...]] = ()  # required fields that follow from others when they are not given

    if not TYPE_CHECKING:  # type checkers see the fields themselves; those with kw_only=False are positional

        def __init__(self, /, *args: Any, **data: Any) -> None:
            if args:
                data = self._with_positions(args, data)
            try:
                self.__pydantic_validator__.validate_python(data, self_instance=self)  # all that BaseModel's does
            except ValidationError as error:
                raise ConfigurationError(_fields(error, type(self))) from error
            given = self.__pydantic_fields_set__
            shared = _given_names.get(frozenset(given))
            _set(self, "__pydantic_fields_set__", _shared(given) if shared is None else shared)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls._positional = tuple(name for name, field in cls.model_fields.items() if field.kw_only is False)
        cls._sign()

    @classmethod
    def __pydantic_on_complete__(cls) -> None:
        cls._sign()  # pydantic has just put its own in its place

    @classmethod
    def _sign(cls) -> None:
        cls.__signature__ = Signature([_parameter(name, field, cls) for name, field in cls.model_fields.items()])

    @classmethod
    def _with_positions(cls, args: tuple[Any, ...], data: dict[str, Any]) -> dict[str, Any]:
        names = cls._positional
        if len(args) > len(names):
            raise TypeError(f"{cls.__name__} takes {len(names)} positional arguments, got {len(args)}")
        for name, arg in zip(names, args, strict=False):
            if name in data:
                raise TypeError(f"{cls.__name__} got {name!r} twice")
            data[name] = arg
        return data

    def replace(self, **changes: Any) -> Self:
        """Return a copy with `changes`, checked like a new one."""
        return type(self)(**{**{name: getattr(self, name) for name in type(self).model_fields}, **changes})

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with `update`, which is not checked. As pydantic's, at a third of what that costs."""
        if deep or self.__pydantic_private__ is not None or self.__pydantic_extra__ is not None:
            return super().model_copy(update=update, deep=deep)
        copied, names, changes = type(self).__new__(type(self)), self.__pydantic_fields_set__, update or {}
        if not names.issuperset(changes):
            names = _shared({*names, *changes})
        _set(copied, "__dict__", {**self.__dict__, **changes})
        _set(copied, "__pydantic_fields_set__", names)
        _set(copied, "__pydantic_extra__", None)
        _set(copied, "__pydantic_private__", None)
        return copied

    @classmethod
    def model_validate(cls, obj: Any, **kwargs: Any) -> Self:
        """Build one from a mapping. Raises `ConfigurationError`."""
        try:
            return super().model_validate(obj, **kwargs)
        except ValidationError as error:
            raise ConfigurationError(_fields(error, cls)) from error

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **kwargs: Any) -> Self:
        """Build one from JSON text. Raises `ConfigurationError`."""
        try:
            return super().model_validate_json(json_data, **kwargs)
        except ValidationError as error:
            raise ConfigurationError(_fields(error, cls)) from error


def _joined(first: Sequence[Any], second: Sequence[Any]) -> tuple[Any, ...]:
    """Join two sequences in order, without repeats."""
    return tuple(dict.fromkeys((*first, *second)))


# -- enums -----------------------------------------------------------------------------------------


class _ByValue(EnumType):
    """Lets the members be read as the contract writes them, too: `StopReason.accepted`."""

    if not TYPE_CHECKING:  # type checkers know one name of each, the one in capitals

        @property
        def index(cls) -> Any:
            """The member of that value; every text has a method of that name, which would be found first."""
            return cls._value2member_map_.get("index", str.index)

        def __getattr__(cls, name: str) -> Any:
            for members in ("_member_map_", "_value2member_map_"):
                if name in cls.__dict__.get(members, ()):
                    return cls.__dict__[members][name]
            raise AttributeError(f"{cls.__name__} has no member {name!r}; it has: {', '.join(cls.__members__)}")


class StopReason(StrEnum, metaclass=_ByValue):
    """Why a loop ended. The first seven count as converged."""

    ACCEPTED = "accepted"
    CYCLE = "cycle"
    REGRESSION = "regression"
    MINIMAL_CHANGE = "minimal_change"
    SEVERITY_PLATEAU = "severity_plateau"
    SCORE_PLATEAU = "score_plateau"
    NO_EXPECTED_GAIN = "no_expected_gain"
    DECLINED = "declined"
    MAX_ITERATIONS = "max_iterations"
    BUDGET = "budget"
    DEADLINE = "deadline"
    CANCELLED = "cancelled"
    ERROR = "error"

    @property
    def is_converged(self) -> bool:
        """True when the loop stopped because going on would not pay."""
        return self in _CONVERGED


_CONVERGED: Final = frozenset(tuple(StopReason)[:7])


class Outcome(StrEnum, metaclass=_ByValue):
    """How an attempt ended, as whoever judged it said."""

    SUCCESS = "success"
    FAILURE = "failure"
    PARTIAL = "partial"
    TIMEOUT = "timeout"
    ERROR = "error"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


class ErrorClass(StrEnum, metaclass=_ByValue):
    """What kind of failure a text tells of."""

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


class EventType(StrEnum, metaclass=_ByValue):
    """What an event of a trace is."""

    TOOL_CALL = "tool_call"
    TOOL_RESPONSE = "tool_response"
    LLM_CALL = "llm_call"
    LLM_RESPONSE = "llm_response"
    USER_INPUT = "user_input"
    SYSTEM_EVENT = "system_event"
    ERROR_EVENT = "error_event"


class MemoryKind(StrEnum, metaclass=_ByValue):
    """What a memory is about. Episodic is history and never merged; semantic and procedural are lessons."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    META = "meta"
    FEEDBACK = "feedback"


# -- candidates and critiques ----------------------------------------------------------------------


class Scope(Value):
    """Whose it is. Nothing of one scope is ever seen from another."""

    tenant: Annotated[str, AfterValidator(_scope_name)] = Field(default="default", kw_only=False)
    project: Annotated[str, AfterValidator(_scope_name)] = Field(default="default", kw_only=False)


class Usage(Value):
    """What model calls cost; adds with `+`.

    Attributes:
        cost_usd: of the calls whose price is known.
        unpriced_calls: how many calls are not in `cost_usd`, because nobody knows their price.
    """

    calls: Count = Field(default=0, kw_only=False)
    input_tokens: Count = Field(default=0, kw_only=False)
    output_tokens: Count = Field(default=0, kw_only=False)
    cost_usd: NotNegative = Field(default=0.0, kw_only=False)
    unpriced_calls: Count = 0

    def __add__(self, other: object) -> Usage:
        if not isinstance(other, Usage):
            return NotImplemented
        total = {
            "calls": self.calls + other.calls,
            "input_tokens": self.input_tokens + other.input_tokens,
            "output_tokens": self.output_tokens + other.output_tokens,
            "cost_usd": self.cost_usd + other.cost_usd,
            "unpriced_calls": self.unpriced_calls + other.unpriced_calls,
        }
        if math.isfinite(total["cost_usd"]):  # nothing else can be out of range, and this is added up with every call
            return self.model_copy(update=total)
        return Usage.model_validate(total)

    def __radd__(self, other: object) -> Usage:
        """Let `sum(usages)` begin with its 0."""
        return self if type(other) is int and other == 0 else NotImplemented


_DEFAULT_SCOPE: Final = Scope()
_NO_USAGE: Final = Usage()


def _default_scope() -> Scope:
    return _DEFAULT_SCOPE


def _no_usage() -> Usage:
    return _NO_USAGE


class Candidate(Value):
    """A proposed answer; a revision names in `parent_id` what it was made from.

    Attributes:
        content: the text itself, as it is.
        score: in [0, 1], when somebody has judged it.
        tokens_used: read and written to make it; what no meter and no usage tell of counts at the run's budget.
    """

    content: str = Field(strict=True, kw_only=False)
    id: Annotated[str, _or_new("candidate")] = Field(default_factory=lambda: new_id("candidate"))
    score: Unit | None = None
    reasoning: str | None = None
    model: str | None = None
    tokens_used: Count | None = None
    parent_id: str | None = None
    timestamp: AwareDatetime = Field(default_factory=utc_now)
    metadata: Metadata = Field(default_factory=dict[str, Any])

    def __hash__(self) -> int:  # what is equal has the same id; metadata has no hash
        return hash(self.id)

    def update_score(self, score: float) -> Candidate:
        """Return the same candidate with another score, in [0, 1]."""
        return self.replace(score=score)

    def to_map(self) -> dict[str, Any]:
        """Return a JSON-ready dict that `from_map` reads back.

        Raises:
            ConfigurationError: metadata holds something that JSON cannot.
        """
        try:
            plain = self.model_dump(mode="json")
            json.dumps(plain)
        except (TypeError, ValueError) as error:
            raise ConfigurationError(f"Candidate.metadata cannot be written as JSON: {error}") from error
        return plain

    @classmethod
    def from_map(cls, mapping: Mapping[str, Any]) -> Candidate:
        """Read what `to_map` wrote. Raises `ConfigurationError` for anything else."""
        if not isinstance(mapping, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
            raise ConfigurationError(f"Candidate.from_map needs a mapping, got {describe(mapping)}")
        return cls.model_validate(dict(mapping))


class Location(Value):
    """Where in a candidate; lines and columns count from 1."""

    path: str | None = Field(default=None, kw_only=False)
    line: Line | None = Field(default=None, kw_only=False)
    column: Line | None = Field(default=None, kw_only=False)
    end_line: Line | None = Field(default=None, kw_only=False)
    end_column: Line | None = Field(default=None, kw_only=False)

    def __str__(self) -> str:
        """Return `path:line:column` as far as it is known, the form editors and terminals link."""
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
    """One thing that is wrong with a candidate.

    Attributes:
        kind: what sort of thing: "syntax", "style", "test", "type", ...
        source: who says so: "tool:ruff", "model:NAME".
        rule: the critic's own name for it: "F401".
    """

    message: str = Field(strict=True, kw_only=False)
    severity: Unit | None = None
    kind: str | None = None
    location: Location | None = None
    source: str | None = None
    rule: str | None = None

    @property
    def fingerprint(self) -> str:
        """Return 16 hexadecimal digits by which the same finding is known in another iteration.

        Made of source, rule (else kind), path and the message with case, quotes, blanks, numbers and the full stop
        levelled. Lines and columns are left out: they move with every edit above them.
        """
        path = self.location.path if self.location else None
        return fingerprint_of(self.source, self.rule or self.kind, path, self.message)


class Finding(Value):
    """An issue over the iterations of a run.

    Attributes:
        status: open, fixed, regressed (it was fixed and came back) or disputed (critics disagree), as it stands at
            the best candidate.
        first_iteration, last_iteration: index of the first and the last iteration that reported it.
    """

    issue: Issue = Field(kw_only=False)
    status: Literal["open", "fixed", "regressed", "disputed"] = Field(kw_only=False)
    first_iteration: Count = Field(kw_only=False)
    last_iteration: Count = Field(kw_only=False)


def _issues(value: object) -> object:
    if isinstance(value, str):
        raise ValueError("needs a sequence of issues, got one str")
    if isinstance(value, Iterable):
        return tuple(Issue(message=item) if isinstance(item, str) else item for item in cast("Iterable[object]", value))
    return value


def _texts(value: object) -> object:
    if isinstance(value, str):
        raise ValueError("needs a sequence of texts, got one str")
    return value


Issues = Annotated[tuple[Issue, ...], BeforeValidator(_issues)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]

# From best to worst: a merged critique takes the worse one.
_OUTCOME_ORDER: Final = (
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

    One of severity, score and reward is required; severity and score follow from what is given:
    severity = 1 - score = (1 - reward) / 2. Explicit values are kept: severity says whether it is good enough, score
    measures progress (a tool critic's score rises with every finding that goes although the worst one stays).

    Attributes:
        source: who judged: "tool:ruff", "model:NAME", "panel".
        parts: the members' results, when a panel judged.
        confidence: in [0, 1], how sure the critiquer is of itself.
        checks: how each single check ended, by name: "passed", or what else became of it ("failed", "skipped", ...).
            What the first candidate of a run passed is the floor for those after it (`jido_ai.loop.floor`).
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
    criterion_scores: Annotated[dict[str, Unit], BeforeValidator(_own_copy)] = Field(default_factory=dict)
    strengths: Texts = ()
    confidence: Unit | None = None
    outcome: Outcome | None = None
    parts: tuple[CritiqueResult, ...] = ()
    checks: Annotated[dict[str, str], BeforeValidator(_own_copy)] = Field(default_factory=dict[str, str])

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
    def _follow(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        given = dict(cast("dict[str, Any]", data))
        severity, score, reward = (given.get(name) for name in ("severity", "score", "reward"))
        if severity is None and score is None and reward is None:
            raise ValueError("one of severity, score and reward is required")
        if severity is None:
            severity = _one_minus(score) if score is not None else _from_reward(reward)
        if score is None:
            score = _one_minus(severity)
        given["severity"], given["score"] = severity, score
        return given

    def __hash__(self) -> int:  # of what tells most apart; metadata has no hash
        return hash((self.severity, self.score, self.source, self.issues, self.feedback))

    @property
    def actionable(self) -> bool:
        """True when there is something to act on: an issue, or a severity above 0.3."""
        return self.has_issues or self.should_refine()

    @property
    def has_issues(self) -> bool:
        """True when at least one issue is named."""
        return bool(self.issues)

    def should_refine(self, threshold: float = 0.3) -> bool:
        """Tell whether severity is above `threshold`, in [0, 1] (strictly, with 1e-9 slack).

        Raises:
            ConfigurationError: `threshold` is no number, or out of range.
        """
        if not (_is_number(threshold) and 0.0 <= threshold <= 1.0):  # NaN fails too
            raise ConfigurationError(f"threshold must be a number in [0, 1], got {describe(threshold)}")
        return self.severity > threshold + SLACK

    def severity_level(self) -> Literal["low", "medium", "high"]:
        """Return "low" below 0.3, "medium" below 0.7, else "high"."""
        if self.severity < 0.3 - SLACK:
            return "low"
        return "medium" if self.severity < 0.7 - SLACK else "high"

    def add_issue(self, issue: Issue | str) -> CritiqueResult:
        """Return the same critique with one more issue; one that is there already is not repeated."""
        more = Issue(issue) if isinstance(issue, str) else issue
        return self.replace(issues=_joined(self.issues, (more,)))

    def merge(self, other: CritiqueResult) -> CritiqueResult:
        """Return both as one.

        Issues, suggestions and strengths are joined in order without repeats, feedback by a newline; severity, score,
        reward, confidence, outcome and checks are the worse ones; metadata and criteria take `other`'s where both
        speak.

        Raises:
            ConfigurationError: `other` is no critique.
        """
        if not isinstance(other, CritiqueResult):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
            raise ConfigurationError(f"a critique is merged with another CritiqueResult, got {describe(other)}")
        feedback = [text for text in (self.feedback, other.feedback) if text]
        outcomes = [outcome for outcome in (self.outcome, other.outcome) if outcome is not None]
        return CritiqueResult(
            severity=max(self.severity, other.severity),
            score=min(self.score, other.score),
            reward=_smaller(self.reward, other.reward),
            issues=_joined(self.issues, other.issues),
            suggestions=_joined(self.suggestions, other.suggestions),
            feedback="\n".join(feedback) or None,
            source=self.source if self.source == other.source else f"{self.source}+{other.source}",
            metadata={**self.metadata, **other.metadata},
            criterion_scores={**self.criterion_scores, **other.criterion_scores},
            strengths=_joined(self.strengths, other.strengths),
            confidence=_smaller(self.confidence, other.confidence),
            outcome=max(outcomes, key=_OUTCOME_ORDER.index) if outcomes else None,
            parts=(*self.parts, *other.parts),
            checks=worse_checks(self.checks, other.checks),
        )

    @classmethod
    def no_issues(cls) -> CritiqueResult:
        """Return the flawless critique: severity 0, no issue."""
        return cls(severity=0.0)


def worse_checks(first: Mapping[str, str], second: Mapping[str, str]) -> dict[str, str]:
    """Return the checks of both; of one that both know, the end that is not "passed"."""
    both = {name: end for name, end in first.items() if name in second and end != "passed"}
    return {**first, **second, **both}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _one_minus(value: Any) -> float:
    """Return 1 - value; what is out of range or no number is left to the check of the field it was given for."""
    return 1.0 - max(0.0, min(1.0, value)) if _is_number(value) else 0.0


def _from_reward(value: Any) -> float:
    return (1.0 - max(-1.0, min(1.0, value))) / 2.0 if _is_number(value) else 0.0


def _smaller(first: float | None, second: float | None) -> float | None:
    return min((value for value in (first, second) if value is not None), default=None)


# -- runs ------------------------------------------------------------------------------------------


class Budget(Value):
    """How much a run may spend; None is no limit.

    Attributes:
        max_wall_s: seconds from the start, after which no call is begun.
    """

    max_calls: Count | None = Field(default=None, kw_only=False)
    max_tokens: Count | None = Field(default=None, kw_only=False)
    max_cost_usd: NotNegative | None = Field(default=None, kw_only=False)
    max_wall_s: Positive | None = None


class Verdict(Value):
    """A stop rule says: stop.

    Attributes:
        evidence: the figures and thresholds that led to it.
        pick: index of the iteration to return; None is the best one.
    """

    reason: StopReason = Field(kw_only=False)
    evidence: Metadata = Field(default_factory=dict[str, Any], kw_only=False)
    pick: Count | None = Field(default=None, kw_only=False)


class Revise(Value):
    """A stop rule says: go on from that iteration's candidate."""

    base: Count = Field(kw_only=False)


class Regenerate(Value):
    """A stop rule says: make a fresh candidate with what was learnt."""


def _rules(value: object) -> object:
    if value is None:
        return None
    if callable(value) or not isinstance(value, Iterable):
        raise ValueError("needs a sequence of rules")
    rules = tuple(cast("Iterable[object]", value))
    for rule in rules:
        if not callable(rule):
            raise ValueError(f"every rule must be callable, got {describe(rule)}")
        if iscoroutinefunction(rule):
            raise ValueError(f"a rule is a plain function, which does not wait; got the async {describe(rule)}")
    return rules


class LoopConfig(Value):
    """How a loop runs and when it stops.

    Attributes:
        max_iterations: how many candidates are judged at most, the first included; 1 to 100.
        candidates: how many first candidates are made; the best of them is revised. They count among the judged.
        beam: how many of them are revised, side by side; at most `candidates`.
        severity_threshold: below it a candidate is good enough.
        change_threshold: share of the text that must be edited for a revision to count, in [0, 1].
        score_threshold: smallest difference of scores that counts, in (0, 1].
        patience: how many iterations without gain are borne; at least 1.
        timeout_s, step_timeout_s: for a run and for one step of it.
        step_retries: how often a step whose component crashed, hung or answered nonsense is tried again.
        accept: "severity" (below the threshold) or "clean" (no open issue at all).
        policy: "documented" or "adaptive"; `stop_rules` replaces both.
        call_price: score units that a model call must bring to be worth it ("adaptive").
        floor: "first": what the first candidate passed (the caller's own, else the first of each line) every later one
            must pass, whatever its score; "none": only the score counts.
    """

    max_iterations: Annotated[int, Field(strict=True, ge=1, le=100)] = Field(default=3, kw_only=False)
    severity_threshold: Unit = Field(default=0.3, kw_only=False)
    change_threshold: Unit = Field(default=0.1, kw_only=False)
    score_threshold: Annotated[float, Field(strict=True, gt=0.0, le=1.0, allow_inf_nan=False)] = Field(
        default=0.1, kw_only=False
    )
    patience: Annotated[int, Field(strict=True, ge=1)] = Field(default=1, kw_only=False)
    budget: Budget | None = Field(default=None, kw_only=False)
    timeout_s: Positive = Field(default=300.0, kw_only=False)
    step_timeout_s: Positive = Field(default=60.0, kw_only=False)
    step_retries: Count = Field(default=2, kw_only=False)
    accept: Literal["severity", "clean"] = Field(default="severity", kw_only=False)
    policy: Literal["documented", "adaptive"] = Field(default="documented", kw_only=False)
    call_price: NotNegative = Field(default=0.01, kw_only=False)
    stop_rules: Annotated[tuple[Callable[..., Any], ...] | None, BeforeValidator(_rules)] = Field(
        default=None, kw_only=False, exclude_if=lambda value: value is not None
    )
    candidates: Annotated[int, Field(strict=True, ge=1, le=100)] = 1
    beam: Annotated[int, Field(strict=True, ge=1, le=100)] = 1
    floor: Literal["first", "none"] = "first"

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if not self.beam <= self.candidates <= self.max_iterations:
            raise ValueError(
                "needs beam <= candidates <= max_iterations (every first candidate is judged), got "
                f"{self.beam}, {self.candidates} and {self.max_iterations}"
            )
        return self


class ErrorInfo(Value):
    """What went wrong, and where.

    Attributes:
        kind: name of the exception's class; the stop reason of a run that was cut short.
        component: the component it came from, as the pipeline names it.
    """

    kind: str = Field(kw_only=False)
    message: str = Field(kw_only=False)
    component: str | None = Field(default=None, kw_only=False)


class Iteration(Value):
    """One judged candidate of a run.

    Attributes:
        index: from 0, in order.
        candidate: with its score: its own, else the critique's.
        revised: a revision was made from it.
        change: share of the text that was edited, in [0, 1], against the candidate it was revised from; None if first.
        gain: score minus that candidate's score, in [-1, 1]; None for a first.
        duration_s: making and judging it.
        usage: what making and judging it cost.
        broken: the checks that it fails and the first candidate passed. With any, it is below the floor: it is never
            the best, never accepted, and never revised (unless `LoopConfig.floor` is "none").
    """

    index: Count = Field(kw_only=False)
    candidate: Candidate = Field(kw_only=False)
    critique: CritiqueResult = Field(kw_only=False)
    revised: bool = Field(default=False, kw_only=False)
    change: Unit | None = Field(default=None, kw_only=False)
    gain: Signed | None = Field(default=None, kw_only=False)
    duration_s: NotNegative = Field(default=0.0, kw_only=False)
    usage: Usage = Field(default_factory=_no_usage, kw_only=False)
    broken: Texts = ()


class MemoryEntry(Value):
    """Something remembered; for a lesson, `mistake` is the pattern and `correction` the lesson.

    Attributes:
        frequency: how often it was learnt; at least 1.
        impact: in [0, 1], how much it brought.
        use_count, success_count: how often it was applied, and how often that helped.
        evidence: ids of the episodes or runs it comes from.
        links: other entries, by type.
    """

    prompt: str = Field(kw_only=False)
    mistake: str = Field(default="", kw_only=False)
    correction: str = Field(default="", kw_only=False)
    id: Annotated[str, _or_new("memory")] = Field(default_factory=lambda: new_id("memory"))
    kind: MemoryKind = MemoryKind.EPISODIC
    scope: Scope = Field(default_factory=_default_scope)
    severity: Unit = 0.5
    importance: Unit = 0.5
    confidence: Unit | None = None
    reward: Signed | None = None
    tags: Texts = ()
    domain: str | None = None
    task_type: str | None = None
    agent_id: str | None = None
    session_id: str | None = None
    timestamp: AwareDatetime = Field(default_factory=utc_now)
    expires_at: AwareDatetime | None = None
    frequency: Annotated[int, Field(strict=True, ge=1)] = 1
    impact: Unit = 0.0
    use_count: Count = 0
    success_count: Count = 0
    last_used: AwareDatetime | None = None
    evidence: Texts = ()
    links: tuple[Link, ...] = ()
    source: str = "loop"
    metadata: Metadata = Field(default_factory=dict[str, Any])

    def __hash__(self) -> int:  # see Candidate
        return hash(self.id)

    @property
    def success_rate(self) -> float:
        """Return the share of uses that helped; 0.0 before the first use."""
        return self.success_count / self.use_count if self.use_count else 0.0

    @property
    def prompt_hash(self) -> str:
        """Return the SHA-256 of the prompt, 64 hexadecimal digits."""
        return hashlib.sha256(self.prompt.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def keywords(self) -> frozenset[str]:
        """Return the words of the prompt that carry meaning."""
        return extract_keywords(self.prompt)

    @model_validator(mode="after")
    def _no_more_successes_than_uses(self) -> Self:
        if self.success_count > self.use_count:
            raise ValueError(f"success_count {self.success_count} is larger than use_count {self.use_count}")
        return self


class Link(Value):
    """A tie from one memory entry to another; strength in [0, 1]."""

    id: str = Field(kw_only=False)
    type: Literal["similar", "contradicts", "builds-on", "prerequisite", "outcome", "merged"] = Field(kw_only=False)
    strength: Unit = Field(default=1.0, kw_only=False)


class ReflectionResult(Value):
    """What a run came to. A partial result carries its reason and its error: a failure, a deadline, a cancellation.

    Attributes:
        best_candidate: the judged candidate with the highest score, ties to the earlier; None when nothing was judged.
        converged: stopped because going on would not pay (the first seven stop reasons).
        evidence: figures and thresholds of the rule that stopped it.
        lessons_used, lessons_stored: entries that were offered to the components, and entries learnt from this run.
        reflections: what the pipeline's reflector made of the attempts that called for it, in order.
        reflections_skipped: how many it could not make; a run goes on without them.
    """

    run_id: str = Field(kw_only=False)
    prompt: str = Field(kw_only=False)
    best_candidate: Candidate | None = Field(kw_only=False)
    iterations: tuple[Iteration, ...] = Field(kw_only=False)
    findings: tuple[Finding, ...] = Field(kw_only=False)
    stop_reason: StopReason = Field(kw_only=False)
    converged: bool = Field(default=False, kw_only=False)
    evidence: Metadata = Field(default_factory=dict[str, Any], kw_only=False)
    error: ErrorInfo | None = Field(default=None, kw_only=False)
    lessons_used: tuple[MemoryEntry, ...] = Field(default=(), kw_only=False)
    lessons_stored: tuple[MemoryEntry, ...] = Field(default=(), kw_only=False)
    usage: Usage = Field(default_factory=_no_usage, kw_only=False)
    duration_s: NotNegative = Field(default=0.0, kw_only=False)
    reflections: tuple[Reflection, ...] = ()
    reflections_skipped: Count = 0

    @model_validator(mode="after")
    def _converged_follows_the_reason(self) -> Self:
        object.__setattr__(self, "converged", self.stop_reason.is_converged)
        return self

    @property
    def total_iterations(self) -> int:
        """Return how many candidates were judged."""
        return len(self.iterations)

    @property
    def accepted(self) -> bool:
        """True when the best candidate was good enough."""
        return self.stop_reason is StopReason.ACCEPTED

    @property
    def open_issues(self) -> tuple[Issue, ...]:
        """Return what is still wrong with the best candidate, in the order it was found."""
        return tuple(finding.issue for finding in self.findings if finding.status != "fixed")


# -- memory ----------------------------------------------------------------------------------------

_WORD: Final = re.compile(r"\w+")
_WORDS_ONLY: Final = bytes(ord(chr(byte).lower()) if _WORD.match(chr(byte)) else ord(" ") for byte in range(128)) * 2
"""ASCII to what is left of it: letters in lower case, digits and underscores; all else is a space. Twice, as a table of
bytes has 256 of them."""
STOP_WORDS: Final = frozenset(
    """a an the is are was were be been being have has had do does did will would could should may might must shall can
    need what how when where why who which that this these those and or but if then else so because although though
    while since until for of with by from to in on at as into through during before after above below between under
    again further once here there all both each few more most other some such nor only own same than too very
    just""".split()  # noqa: SIM905 - ninety-one quoted words are harder to check against the specification
)
"""The 91 words that say nothing about a prompt. "no" and "not" carry meaning and are not among them (SPEC J14)."""


def all_words(text: str) -> frozenset[str]:
    """Return the words of `extract_keywords`, stop words too.

    ASCII, as most texts are, by a table of bytes and `split`: a third of what a regular expression takes, and reading
    words is half of what it takes to load an index.
    """
    if text.isascii():
        return frozenset(text.encode().translate(_WORDS_ONLY).decode().split())
    return frozenset(_WORD.findall(text.casefold()))


def extract_keywords(text: str) -> frozenset[str]:
    """Return the case-folded Unicode words of `text`, digits and underscores kept, minus the stop words.

    A text of stop words alone keeps them all; a text without words gives the empty set. No stemming (SPEC J14).

    Raises:
        ConfigurationError: it is no text.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
        raise ConfigurationError(f"text must be a str, got {describe(text)}")
    words = all_words(text)
    return words - STOP_WORDS or words


class Scored(Value):
    """A memory entry and how similar it is to what was asked for, in [0, 1]."""

    entry: MemoryEntry = Field(kw_only=False)
    similarity: NotNegative = Field(kw_only=False)


class MemoryQuery(Value):
    """What to look for: filters first, then similarity to `text`, then rank. Tags match any.

    Attributes:
        k: how many at most, 0 or more.
        since, until: bounds of the entry's timestamp, inclusive.
    """

    text: str | None = Field(default=None, kw_only=False)
    scope: Scope = Field(default_factory=_default_scope)
    kinds: tuple[MemoryKind, ...] = ()
    tags: Texts = ()
    domain: str | None = None
    task_type: str | None = None
    agent_id: str | None = None
    session_id: str | None = None
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    min_importance: Unit | None = None
    min_similarity: Unit | None = None
    k: Count = 5
    include_expired: bool = False


# -- episodes --------------------------------------------------------------------------------------


class Event(Value):
    """One thing that happened while an agent worked."""

    type: EventType = Field(kw_only=False)
    content: str = Field(default="", kw_only=False)
    id: Annotated[str, _or_new("event")] = Field(default_factory=lambda: new_id("event"))
    timestamp: AwareDatetime = Field(default_factory=utc_now)
    metadata: Metadata = Field(default_factory=dict[str, Any])
    tool_name: str | None = None
    error: str | None = None


class Reflection(Value):
    """What went wrong (or right) in an episode, and the lesson, in words.

    Attributes:
        source: "llm", or "fallback" when it was drawn without a model.
        raw: the reply it was read from.
    """

    lesson: Annotated[str, AfterValidator(_not_blank)] = Field(kw_only=False)
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
    """The record of one attempt at a prompt, ours or another agent's.

    Attributes:
        candidate: a plain str becomes one.
        attempt: counts from 1.
        error: the error text, when it failed.
        memories_used, memories_created: ids.
        metrics: numbers with their units in the names.
    """

    prompt: str = Field(kw_only=False)
    candidate: Annotated[Candidate | None, BeforeValidator(_candidate)] = Field(default=None, kw_only=False)
    id: Annotated[str, _or_new("episode")] = Field(default_factory=lambda: new_id("episode"))
    scope: Scope = Field(default_factory=_default_scope)
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
    metrics: Annotated[dict[str, Finite], BeforeValidator(_own_copy)] = Field(default_factory=dict)
    timestamp: AwareDatetime = Field(default_factory=utc_now)
    metadata: Metadata = Field(default_factory=dict[str, Any])

    @property
    def prompt_hash(self) -> str:
        """Return the SHA-256 of the prompt, 64 hexadecimal digits."""
        return hashlib.sha256(self.prompt.encode("utf-8", "surrogatepass")).hexdigest()


class LearningProgress(Value):
    """How the attempts at one task type develop; computed, never stored.

    Attributes:
        average_score: of the attempts that were judged; 0.0 when none was.
        improvement_trend: mean score of the later half minus that of the earlier half, in [-1, 1].
        recent_trend, medium_trend: the same over the last 5 and the last 20 judged attempts.
        last_improvement: the newest score minus the one before it; None below two.
        plateau: the last 5 judged attempts brought next to nothing.
        plateau_attempts: for how many attempts it has lasted; 0 without one.
        volatility: mean absolute difference between one score and the next, in [0, 1].
        key_lessons: the three that helped most often, as words.
        persistent_issues: error classes and causes that came in at least 3 of the last 10 attempts.
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


# -- language models -------------------------------------------------------------------------------


class Message(Value):
    """One turn of a conversation with an LLM."""

    role: Literal["system", "user", "assistant"] = Field(kw_only=False)
    content: str = Field(kw_only=False)


with warnings.catch_warnings():
    # `schema` is the public name of the field; pydantic still has a deprecated method of that name.
    warnings.filterwarnings("ignore", message='Field name "schema"', category=UserWarning)

    class CompletionRequest(Value):
        """What an LLM is asked for; None leaves a setting to the provider."""

        messages: tuple[Message, ...] = Field(kw_only=False, min_length=1)
        model: str | None = Field(default=None, kw_only=False)
        temperature: NotNegative | None = Field(default=None, kw_only=False)
        max_tokens: Line | None = Field(default=None, kw_only=False)
        stop: Texts = Field(default=(), kw_only=False)
        seed: int | None = Field(default=None, kw_only=False)
        schema: Annotated[dict[str, Any] | None, BeforeValidator(_own_copy)] = Field(default=None, kw_only=False)  # pyright: ignore[reportIncompatibleMethodOverride, reportIncompatibleVariableOverride] - see above
        timeout_s: Positive | None = Field(default=None, kw_only=False)
        metadata: Metadata = Field(default_factory=dict[str, Any], kw_only=False)


class Completion(Value):
    """What an LLM answered.

    Attributes:
        is_cached: it was not asked again, but had answered the same request before; the usage is none then.
    """

    text: str = Field(kw_only=False)
    model: str | None = Field(default=None, kw_only=False)
    usage: Usage = Field(default_factory=_no_usage, kw_only=False)
    finish_reason: Literal["stop", "length", "refusal", "filter"] = Field(default="stop", kw_only=False)
    is_cached: bool = False
