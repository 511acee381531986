"""Run events: the frozen values that `Pipeline.stream` yields, in order; `RunStopped` is the last."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, cast

from jido_ai.text.plain_json import dumped, plain
from jido_ai.values import (
    Candidate,
    CritiqueResult,
    Iteration,
    MemoryEntry,
    ModelCall,
    Reflection,
    ReflectionResult,
    Value,
)

__all__ = [
    "BaseEvent",
    "CandidateGenerated",
    "ComponentRestarted",
    "Critiqued",
    "LessonsRetrieved",
    "MemoryPaused",
    "ModelCalled",
    "PartialOutput",
    "Reflected",
    "Revised",
    "RunEvent",
    "RunStarted",
    "RunStopped",
]


_now: Final = partial(datetime.now, UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    """Base of all events; equality ignores the number and the time.

    Attributes:
        seq: number of the event in its run, from 1, without gaps; 1 for an event that no run emitted.
        at: when it was made, in UTC, aware.
        path: in a graph, the node that it belongs to: "sections[3]"; "" for a run by itself.
    """

    seq: int = field(default=1, compare=False)
    at: datetime = field(default_factory=_now, compare=False)
    path: str = ""

    def to_map(self) -> dict[str, Any]:
        """Return a JSON-ready dict; "type" is the name of the class, "at" is in ISO 8601.

        Metadata that JSON cannot represent is described in words.
        """
        parts = {one.name: _as_json(getattr(self, one.name)) for one in fields(self)}
        parts["at"] = self.at.isoformat()
        if not self.path:
            del parts["path"]
        return {"type": type(self).__name__, **parts}


def _as_json(value: object) -> object:
    if isinstance(value, Value):
        return dumped(value)
    if isinstance(value, tuple):
        return [_as_json(one) for one in cast("tuple[object, ...]", value)]
    to_map: object = getattr(value, "to_map", None)  # isinstance of a protocol takes ten times as long
    if callable(to_map):
        return to_map()
    return plain(value)


BaseEvent = _Event
"""For the events of graphs."""


@dataclass(frozen=True, slots=True)
class RunStarted(_Event):
    """A run started."""

    run_id: str
    prompt: str


@dataclass(frozen=True, slots=True)
class LessonsRetrieved(_Event):
    """Memory returned the lessons, which go to every component of the run, and the ids of its generator's examples."""

    run_id: str
    lessons: tuple[MemoryEntry, ...]
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PartialOutput(_Event):
    """The beginning of an answer with a type while a generator is making it, as plain JSON values.

    At most ten a second, and only in `stream` and `start`.
    """

    run_id: str
    value: Any


@dataclass(frozen=True, slots=True)
class CandidateGenerated(_Event):
    """A first or fresh candidate exists: generated, or given by the caller."""

    run_id: str
    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Critiqued(_Event):
    """A candidate was judged; the stop rules see this iteration."""

    run_id: str
    iteration: Iteration

    @property
    def candidate(self) -> Candidate:
        """The candidate that was judged, with its score."""
        return self.iteration.candidate

    @property
    def critique(self) -> CritiqueResult:
        """The critiquer's judgement of it."""
        return self.iteration.critique


@dataclass(frozen=True, slots=True)
class Revised(_Event):
    """A revision was made from the candidate of iteration `base`."""

    run_id: str
    candidate: Candidate
    base: int


@dataclass(frozen=True, slots=True)
class Reflected(_Event):
    """A reflector drew a lesson from the attempt of iteration `index`."""

    run_id: str
    index: int
    reflection: Reflection


@dataclass(frozen=True, slots=True)
class ComponentRestarted(_Event):
    """A component failed and its actor was restarted; `attempt` (from 1) failed with `error`."""

    run_id: str
    component: str
    attempt: int
    error: str


@dataclass(frozen=True, slots=True)
class ModelCalled(_Event):
    """A component called a model, and the call has ended."""

    run_id: str
    call: ModelCall


@dataclass(frozen=True, slots=True)
class MemoryPaused(_Event):
    """After this run, lessons or examples (`of`) are not shown to runs of its task type for a while: they hurt.

    `text` says how much, from the runs so far.
    """

    run_id: str
    task_type: str | None
    of: str
    text: str


@dataclass(frozen=True, slots=True)
class RunStopped(_Event):
    """The run ended."""

    run_id: str
    result: ReflectionResult


RunEvent = (
    RunStarted
    | LessonsRetrieved
    | PartialOutput
    | CandidateGenerated
    | Critiqued
    | Reflected
    | Revised
    | ComponentRestarted
    | ModelCalled
    | MemoryPaused
    | RunStopped
)
