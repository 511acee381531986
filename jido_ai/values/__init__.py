"""Values: the frozen pydantic models that components exchange, validated when they are built.

Scores, severities and similarities are floats in [0, 1]; score 1 is best, severity 0 is flawless; a reward is in
[-1, 1]. Times are aware datetimes, durations are seconds. The constructor, `model_validate` and `model_validate_json`
raise `ConfigurationError` for a value out of range; the message names the field, the limit and the value. Dicts are
copied. `model_dump(mode="json")` and `model_validate` round-trip.

Each family of values has its own file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.values.base import MOST_LEVELS as MOST_LEVELS
    from jido_ai.values.base import SLACK as SLACK
    from jido_ai.values.base import Count as Count
    from jido_ai.values.base import Line as Line
    from jido_ai.values.base import NotNegative as NotNegative
    from jido_ai.values.base import Positive as Positive
    from jido_ai.values.base import Unit as Unit
    from jido_ai.values.base import Value as Value
    from jido_ai.values.base import is_too_deep as is_too_deep
    from jido_ai.values.base import new_id as new_id
    from jido_ai.values.base import utc_now as utc_now
    from jido_ai.values.candidate import Candidate as Candidate
    from jido_ai.values.candidate import Usage as Usage
    from jido_ai.values.chart import LineChart as LineChart
    from jido_ai.values.critique import CritiqueResult as CritiqueResult
    from jido_ai.values.critique import Finding as Finding
    from jido_ai.values.critique import Issue as Issue
    from jido_ai.values.critique import Location as Location
    from jido_ai.values.critique import Outcome as Outcome
    from jido_ai.values.critique import fingerprint_of as fingerprint_of
    from jido_ai.values.critique import worse_checks as worse_checks
    from jido_ai.values.episode import Episode as Episode
    from jido_ai.values.episode import ErrorClass as ErrorClass
    from jido_ai.values.episode import Event as Event
    from jido_ai.values.episode import EventType as EventType
    from jido_ai.values.episode import LearningProgress as LearningProgress
    from jido_ai.values.episode import Reflection as Reflection
    from jido_ai.values.memory import Link as Link
    from jido_ai.values.memory import MemoryEntry as MemoryEntry
    from jido_ai.values.memory import MemoryKind as MemoryKind
    from jido_ai.values.memory import MemoryQuery as MemoryQuery
    from jido_ai.values.memory import Scored as Scored
    from jido_ai.values.model import Completion as Completion
    from jido_ai.values.model import CompletionRequest as CompletionRequest
    from jido_ai.values.model import Message as Message
    from jido_ai.values.model_call import ModelCall as ModelCall
    from jido_ai.values.model_call import Try as Try
    from jido_ai.values.run import SUSPEND as SUSPEND
    from jido_ai.values.run import Budget as Budget
    from jido_ai.values.run import ErrorInfo as ErrorInfo
    from jido_ai.values.run import Iteration as Iteration
    from jido_ai.values.run import LoopConfig as LoopConfig
    from jido_ai.values.run import ReflectionResult as ReflectionResult
    from jido_ai.values.run import Regenerate as Regenerate
    from jido_ai.values.run import Revise as Revise
    from jido_ai.values.run import StopReason as StopReason
    from jido_ai.values.run import Suspend as Suspend
    from jido_ai.values.run import Verdict as Verdict
    from jido_ai.values.scope import Scope as Scope
    from jido_ai.values.words import STOP_WORDS as STOP_WORDS
    from jido_ai.values.words import all_words as all_words
    from jido_ai.values.words import extract_keywords as extract_keywords
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
