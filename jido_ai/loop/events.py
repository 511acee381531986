"""Run events: the frozen values that `Pipeline.stream` yields, in order; `RunStopped` is the last."""

from __future__ import annotations

from dataclasses import dataclass

from jido_ai.values import Candidate, CritiqueResult, Iteration, MemoryEntry, Reflection, ReflectionResult

__all__ = [
    "CandidateGenerated",
    "ComponentRestarted",
    "Critiqued",
    "LessonsRetrieved",
    "Reflected",
    "Revised",
    "RunEvent",
    "RunStarted",
    "RunStopped",
]


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run started."""

    run_id: str
    prompt: str


@dataclass(frozen=True, slots=True)
class LessonsRetrieved:
    """Memory returned the lessons, which go to every component of the run."""

    run_id: str
    lessons: tuple[MemoryEntry, ...]


@dataclass(frozen=True, slots=True)
class CandidateGenerated:
    """A first or fresh candidate exists: generated, or given by the caller."""

    run_id: str
    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Critiqued:
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
class Revised:
    """A revision was made from the candidate of iteration `base`."""

    run_id: str
    candidate: Candidate
    base: int


@dataclass(frozen=True, slots=True)
class Reflected:
    """A reflector drew a lesson from the attempt of iteration `index`."""

    run_id: str
    index: int
    reflection: Reflection


@dataclass(frozen=True, slots=True)
class ComponentRestarted:
    """A component failed and its actor was restarted; `attempt` (from 1) failed with `error`."""

    run_id: str
    component: str
    attempt: int
    error: str


@dataclass(frozen=True, slots=True)
class RunStopped:
    """The run ended."""

    run_id: str
    result: ReflectionResult


RunEvent = (
    RunStarted
    | LessonsRetrieved
    | CandidateGenerated
    | Critiqued
    | Reflected
    | Revised
    | ComponentRestarted
    | RunStopped
)
