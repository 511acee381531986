"""The state of a run: one value, folded forward by what happened. Pure.

A run in flight applies each step when it happens; `loop.record` applies the steps of a journal. Both arrive at the same
state. Applying a step a second time changes nothing, because a line may be written twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Annotated, Any, Final, Self, assert_never

from pydantic import Field

from jido_ai.critics.findings import ledger
from jido_ai.loop.floor import broken_checks
from jido_ai.values import (
    Candidate,
    CritiqueResult,
    ErrorInfo,
    Finding,
    Iteration,
    MemoryEntry,
    Reflection,
    ReflectionResult,
    StopReason,
    Usage,
)
from jido_ai.values.base import Count, NotNegative, Signed, Unit


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a run, or one line of candidates, ends.

    Attributes:
        pick: index of the iteration to return; None is the best one.
    """

    reason: StopReason
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])
    pick: int | None = None
    error: ErrorInfo | None = None


@dataclass(frozen=True, slots=True)
class Pending:
    """A candidate that was made and is not yet judged.

    Attributes:
        slot: its place in the order of creation, from 0.
        base: index of the iteration it was revised from; None for a fresh one.
        chain: slot of the first candidate of its line.
        is_approved: it needs no (further) approval.
    """

    slot: Count
    candidate: Candidate
    base: Count | None
    chain: Count
    is_approved: Annotated[bool, Field(alias="approved")] = True


@dataclass(frozen=True, slots=True)
class Resumed:
    """The run was resumed.

    Attributes:
        trace: ids of the trace that sees it, if it is observed.
        settles: what was judged entered the history before all beside it was judged; so in journals of older versions.
    """

    trace: object = None
    settles: bool = True


@dataclass(frozen=True, slots=True)
class Recalled:
    """Memory returned the lessons, and the worked examples, the nearest last.

    Attributes:
        held_out: the run is made without anything remembered.
        withheld: what it would have been shown.
        paused: "lessons" or "examples" that no run is shown at this time.
    """

    lessons: tuple[MemoryEntry, ...]
    examples: tuple[MemoryEntry, ...] = ()
    held_out: bool = False
    withheld: tuple[MemoryEntry, ...] = ()
    paused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Approved:
    """A person approved a revision, perhaps edited."""

    slot: Count
    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Refused:
    """A person refused a revision, or the reviser declined to make one, which ends its line."""

    slot: Count
    chain: Count
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Closed:
    """A rule ended a line. Not journaled: a resumed run asks the rules again."""

    chain: int
    stop: Stop


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate was judged; the fields are those of its `Iteration`."""

    slot: Count
    score: float | None
    critique: CritiqueResult
    change: Unit | None
    gain: Signed | None
    duration_s: NotNegative
    usage: Usage


@dataclass(frozen=True, slots=True)
class LessonDrawn:
    """An iteration was reflected on, or needed no reflection (None)."""

    index: Count
    reflection: Reflection | None


@dataclass(frozen=True, slots=True)
class Stopped:
    """The run ended.

    Attributes:
        best: index of the best iteration; None if none was judged.
        events: number of the run's last event; 0 if unknown.
    """

    reason: StopReason
    evidence: Mapping[str, Any]
    error: ErrorInfo | None
    best: Count | None
    lessons_stored: tuple[MemoryEntry, ...]
    duration_s: float
    reflections_skipped: int = 0
    events: Count = 0


Step = Resumed | Recalled | Pending | Approved | Refused | Closed | Judged | LessonDrawn | Stopped
_FINAL: Final = frozenset({StopReason.DECLINED, StopReason.MAX_ITERATIONS})


# -- the fold --------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class RunState:
    """The state of a run so far. Without slots, which a copy would have to fill one by one.

    Attributes:
        has_initial: the caller gave the first candidate, whose checks are the floor of all lines; otherwise the first
            candidate of each line sets its floor.
        floor: as in `LoopConfig`.
        origins: of every iteration, the candidate as it was made.
        pending: candidates that are not in the history, in the order of their slots.
        judged: those of them that are judged, by slot. They enter the history together, when all of them are judged.
        next_slot: for the next candidate.
        closed: why lines ended, by line.
        lessons: None if memory has not been asked yet.
        examples: worked examples for the generator, the nearest last.
        recall: the answer of memory; None if it has not been asked yet, or did not answer.
        approved: slots of the revisions that a person approved.
        reflections: by iteration index; None for an iteration that needed none.
        stopped: None for a run that is in flight or was interrupted.
        events: number of events that the steps stand for. Failures of components are no steps.
    """

    has_initial: bool = False
    floor: str = "first"
    iterations: tuple[Iteration, ...] = ()
    origins: tuple[Pending, ...] = ()
    pending: tuple[Pending, ...] = ()
    judged: Mapping[int, Judged] = field(default_factory=dict[int, Judged])
    next_slot: int = 0
    closed: Mapping[int, Stop] = field(default_factory=dict[int, Stop])
    lessons: tuple[MemoryEntry, ...] | None = None
    examples: tuple[MemoryEntry, ...] = ()
    recall: Recalled | None = None
    approved: frozenset[int] = frozenset()
    reflections: Mapping[int, Reflection | None] = field(default_factory=dict[int, "Reflection | None"])
    stopped: Stopped | None = None
    events: int = 1

    # -- questions ---------------------------------------------------------------------------------

    @property
    def chains(self) -> list[int]:
        """The line of every iteration: the slot of its first candidate."""
        return [one.chain for one in self.origins]

    @property
    def examples_used(self) -> tuple[str, ...]:
        """Ids of the worked examples."""
        return tuple([one.id for one in self.examples])

    @property
    def unjudged(self) -> Candidate | None:
        """The newest candidate if none was judged; None otherwise."""
        return self.pending[-1].candidate if self.pending and not (self.iterations or self.judged) else None

    @property
    def waiting(self) -> Pending | None:
        """The revision that waits for a person's decision; None if there is none."""
        return None if self.is_over else next((one for one in self.pending if not one.is_approved), None)

    @property
    def status(self) -> str:
        """The stop reason, or "interrupted" without one (the run may also be in flight elsewhere)."""
        return "interrupted" if self.stopped is None else self.stopped.reason.value

    @property
    def is_over(self) -> bool:
        """True if continuing would change nothing: the run converged or made its maximum of candidates."""
        reason = None if self.stopped is None else self.stopped.reason
        return reason is not None and (reason.is_converged or reason in _FINAL)

    def baseline(self, chain: int) -> CritiqueResult | None:
        """Return the critique that sets a line's floor: of the caller's candidate, else of the line's first."""
        return self._baseline(chain, self.iterations, self.origins)

    def result_of(self, run_id: str, prompt: str, usage: Usage) -> ReflectionResult | None:
        """Return the result of a run; None if it has not stopped."""
        stopped = self.stopped
        if stopped is None:
            return None
        best, told = stopped.best, self.settled()
        return ReflectionResult(
            run_id=run_id,
            prompt=prompt,
            best_candidate=None if best is None else told.iterations[best].candidate,
            iterations=told.iterations,
            findings=() if best is None else findings_of(told.iterations, told.chains, best),
            stop_reason=stopped.reason,
            evidence=dict(stopped.evidence),
            error=stopped.error,
            lessons_used=self.lessons or (),
            lessons_stored=stopped.lessons_stored,
            usage=usage,
            duration_s=stopped.duration_s,
            reflections=tuple([one for _, one in sorted(self.reflections.items()) if one is not None]),
            reflections_skipped=stopped.reflections_skipped,
            unjudged=self.unjudged,
            examples_used=self.examples_used,
            held_out=self.recall is not None and self.recall.held_out,
        )

    # -- the next state ----------------------------------------------------------------------------

    def after(self, step: Step) -> Self:
        """Return the state after a step. Raises `LookupError` if the step is about something that did not happen."""
        if self.judged and (isinstance(step, Recalled | LessonDrawn) or (isinstance(step, Resumed) and step.settles)):
            return self.settled().after(step)
        events = self.events
        match step:
            case Resumed():
                return self._with(stopped=None, events=events + 1)
            case Recalled(lessons, examples):
                is_new = self.lessons is None
                return self._with(lessons=lessons, examples=examples, recall=step, events=events + is_new)
            case Pending():
                return self._made(step)
            case Approved(slot, candidate):
                before = self._pending_in(slot)
                if before is None or before.is_approved:
                    return self
                approved = replace(before, candidate=candidate, is_approved=True)
                pending = tuple([approved if one is before else one for one in self.pending])
                iterations = _revised(self.iterations, approved)
                done = self.approved | {slot}
                return self._with(pending=pending, approved=done, iterations=iterations, events=events + 1)
            case Refused(slot, chain, reasons):
                left = tuple([one for one in self.pending if one.slot != slot])
                stop = Stop(StopReason.DECLINED, {"reasons": list(reasons)})
                closed, following = {**self.closed, chain: stop}, max(self.next_slot, slot + 1)
                entered = self._entered(left, self.judged)
                return self._with(**{"pending": left, "closed": closed, "next_slot": following, **entered})
            case Closed(chain, stop):
                return self._with(closed={**self.closed, chain: stop})
            case Judged(slot):
                if slot in self.judged or self._pending_in(slot) is None:
                    return self
                judged = {**self.judged, slot: step}
                return self._with(**{"judged": judged, "events": events + 1, **self._entered(self.pending, judged)})
            case LessonDrawn(index, reflection):
                self.iterations[index]  # it must be there
                is_new = reflection is not None and index not in self.reflections
                return self._with(reflections={**self.reflections, index: reflection}, events=events + is_new)
            case Stopped():
                if step.best is not None:
                    self.settled().iterations[step.best]  # it must be there
                return self._with(stopped=step, events=max(step.events, events + (self.stopped is None)))
            case _:
                assert_never(step)

    def settled(self) -> Self:
        """Return the state with the judged candidates in the history, in the order of their slots."""
        return self._with(**self._entered(self.pending, self.judged, waits=False)) if self.judged else self

    def _with(self, **changes: Any) -> Self:
        """Return a copy with other fields: `replace`, in a quarter of the calls."""
        state = object.__new__(type(self))
        state.__dict__.update(self.__dict__, **changes)
        return state

    def _entered(
        self, pending: tuple[Pending, ...], judged: Mapping[int, Judged], *, waits: bool = True
    ) -> dict[str, Any]:
        """Return the fields that change when the judged ones of the pending candidates enter the history.

        Args:
            waits: nothing changes before all are judged.
        """
        if not judged or (waits and len(judged) < len(pending)):
            return {}
        iterations, origins = list(self.iterations), list(self.origins)
        for one in pending:
            if one.slot in judged:
                iterations.append(self._iteration(one, judged[one.slot], iterations, origins))
                origins.append(one)
        left = tuple([one for one in pending if one.slot not in judged])
        return {"iterations": tuple(iterations), "origins": tuple(origins), "pending": left, "judged": {}}

    def _iteration(
        self, pending: Pending, judged: Judged, iterations: Sequence[Iteration], origins: Sequence[Pending]
    ) -> Iteration:
        """Return the iteration of a judged candidate that comes after these."""
        candidate, first = pending.candidate, self._baseline(pending.chain, iterations, origins)
        if candidate.score != judged.score:
            candidate = candidate.model_copy(update={"score": judged.score})
        fields = {
            "index": len(iterations),
            "candidate": candidate,
            "critique": judged.critique,
            "revised": False,
            "change": judged.change,
            "gain": judged.gain,
            "duration_s": judged.duration_s,
            "usage": judged.usage,
            "broken": () if first is None or self.floor == "none" else broken_checks(first, judged.critique),
        }
        return Iteration.of_checked(fields, {*fields})

    def _baseline(
        self, chain: int, iterations: Sequence[Iteration], origins: Sequence[Pending]
    ) -> CritiqueResult | None:
        for position, origin in enumerate(origins):
            if self.has_initial or origin.chain == chain:
                return iterations[position].critique
        return None

    def _made(self, pending: Pending) -> Self:
        for one in (*self.origins, *self.pending):
            if (one.slot, one.base, one.chain) == (pending.slot, pending.base, pending.chain):
                return self
        state = self.settled()
        waiting = tuple(sorted((*state.pending, pending), key=_slot_of)) if state.pending else (pending,)
        changes: dict[str, Any] = {"pending": waiting, "next_slot": max(self.next_slot, pending.slot + 1)}
        if pending.is_approved:
            changes |= {"iterations": _revised(state.iterations, pending), "events": self.events + 1}
        return state._with(**changes)

    def _pending_in(self, slot: int) -> Pending | None:
        """Return the pending candidate of a slot; None for one in the history. Raises `LookupError` for any other."""
        for one in self.pending:
            if one.slot == slot:
                return one
        if slot not in [one.slot for one in self.origins]:
            raise LookupError(f"no candidate {slot} was made")
        return None


def _revised(iterations: tuple[Iteration, ...], pending: Pending) -> tuple[Iteration, ...]:
    """Return the history when a candidate needs no approval: the iteration it was made from counts as revised."""
    if pending.base is None:
        return iterations
    base = iterations[pending.base].model_copy(update={"revised": True})
    return (*iterations[: pending.base], base, *iterations[pending.base + 1 :])


_slot_of: Final = attrgetter("slot")


def positions_of(chains: Sequence[int], chain: int) -> list[int]:
    """Return the positions in the history of a line's iterations, in order."""
    return [position for position, other in enumerate(chains) if other == chain]


def line_of(history: Sequence[Iteration], positions: Sequence[int]) -> tuple[Iteration, ...]:
    """Return the iterations at these positions, which ascend, numbered from 0."""
    if len(positions) == len(history):
        return tuple(history)
    return tuple(
        history[position] if position == index else history[position].model_copy(update={"index": index})
        for index, position in enumerate(positions)
    )


def best_chains(
    history: Sequence[Iteration],
    chains: Sequence[int],
    best: Callable[[Sequence[Iteration]], int],
    *,
    among: Sequence[int] | None = None,
) -> list[int]:
    """Return the lines, the one with the best candidate first; ties go to the earlier.

    Args:
        best: returns the position of the best candidate.
        among: consider only these lines; None is all of them.
    """
    left = [position for position, chain in enumerate(chains) if among is None or chain in among]
    found: list[int] = []
    while left:
        chain = chains[left[best([history[position] for position in left])]]
        found.append(chain)
        left = [position for position in left if chains[position] != chain]
    return found


def findings_of(history: Sequence[Iteration], chains: Sequence[int], best: int) -> tuple[Finding, ...]:
    """Return the findings ledger of the line of the best iteration, with the indices of the whole history."""
    positions = positions_of(chains, chains[best])
    found = ledger(line_of(history, positions), positions.index(best))
    if positions == list(range(len(positions))):
        return found
    return tuple(
        finding.replace(
            first_iteration=positions[finding.first_iteration], last_iteration=positions[finding.last_iteration]
        )
        for finding in found
    )
