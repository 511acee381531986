"""The journal of a run: one line per step, and the run read back from its lines. Pure.

A line is written before the next step begins, so a reader knows the finished steps: a candidate was made, a candidate
was judged. Steps that were in flight are repeated. A line may occur twice (a write is repeated when its answer is
lost): the later one counts. A run that starts again under its old id starts over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeVar, cast

from jido_ai.errors import ConfigurationError, StoreDamagedError, StoreVersionError
from jido_ai.loop.floor import with_floor
from jido_ai.loop.lineage import findings_of
from jido_ai.text.plain_json import dumped, plain
from jido_ai.values import (
    Candidate,
    CritiqueResult,
    ErrorInfo,
    Iteration,
    LoopConfig,
    MemoryEntry,
    Reflection,
    ReflectionResult,
    Scope,
    StopReason,
    Usage,
)

__all__ = [
    "Line",
    "Pending",
    "RecordedRun",
    "Stopped",
    "approved_line",
    "candidate_line",
    "judged_line",
    "lessons_line",
    "read_run",
    "reflected_line",
    "refused_line",
    "resumed_line",
    "started_line",
    "stopped_line",
    "trace_of",
    "unjudged_of",
]

_VERSION: Final = 1

T = TypeVar("T")
Line = tuple[str, Mapping[str, Any]]
"""Kind and data of a journal line."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A candidate that is made but not yet judged.

    Attributes:
        slot: its place in the order of creation, from 0; iterations are in this order.
        base: index of the iteration it was revised from; None for a fresh one.
        chain: slot of the first candidate of its line.
        is_approved: it needs no (further) approval.
    """

    slot: int
    candidate: Candidate
    base: int | None
    chain: int
    is_approved: bool = True


@dataclass(frozen=True, slots=True)
class Stopped:
    """How a run ended."""

    reason: StopReason
    evidence: Mapping[str, Any]
    error: ErrorInfo | None
    best: int | None
    lessons_stored: tuple[MemoryEntry, ...]
    duration_s: float
    reflections_skipped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRun:
    """A run as read from its journal.

    Attributes:
        config: of the run, as JSON, without custom stop rules.
        has_own_rules: the run had custom stop rules.
        rules: names of the stop rules.
        chains: for every iteration, the slot of the first candidate of its line.
        pending: candidates made but not judged.
        lessons: None if memory has not been asked yet.
        refused: reasons why lines of revisions ended that a person refused, by the line.
        reflections: by iteration index; None for an iteration that needed none.
        events: number of events that the run emitted.
        digests: of the prompt and the text of `initial`, as they were before secrets were masked.
        trace: ids of the newest trace that saw the run, if it was observed.
        spent: usage settled up to the newest line.
        stopped: None for a run that is in flight or was interrupted.
        is_redacted: a secret in a candidate was masked when it was written, which changed the text.
    """

    run_id: str
    scope: Scope
    prompt: str
    initial: Candidate | None
    metadata: Mapping[str, Any]
    config: Mapping[str, Any]
    started_at: datetime
    has_own_rules: bool = False
    rules: tuple[str, ...] = ()
    iterations: tuple[Iteration, ...] = ()
    chains: tuple[int, ...] = ()
    pending: tuple[Pending, ...] = ()
    refused: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, "tuple[str, ...]"])
    lessons: tuple[MemoryEntry, ...] | None = None
    reflections: Mapping[int, Reflection | None] = field(default_factory=dict[int, "Reflection | None"])
    spent: Usage
    stopped: Stopped | None = None
    is_redacted: bool = False
    events: int = 0
    digests: tuple[str, str | None] = ("", None)
    trace: Mapping[str, str] | None = None

    @property
    def waiting(self) -> Pending | None:
        """Return the revision that waits for a person's decision; None if there is none."""
        return None if self.is_over else next((one for one in self.pending if not one.is_approved), None)

    @property
    def status(self) -> str:
        """Return the stop reason, or "interrupted" without one (the run may also be in flight elsewhere)."""
        return "interrupted" if self.stopped is None else self.stopped.reason.value

    def is_of(self, prompt: str, initial: Candidate | None) -> bool:
        """Tell whether this run has this prompt and this initial candidate."""
        return self.digests == (_digest(prompt), None if initial is None else _digest(initial.content))

    @property
    def is_over(self) -> bool:
        """True if continuing would change nothing: the run converged or made its maximum of candidates."""
        reason = None if self.stopped is None else self.stopped.reason
        return reason is not None and (reason.is_converged or reason in _FINAL)

    def result(self) -> ReflectionResult | None:
        """Return the result of the run; None if it has not stopped."""
        if self.stopped is None:
            return None
        stopped = self.stopped
        return ReflectionResult(
            run_id=self.run_id,
            prompt=self.prompt,
            best_candidate=None if stopped.best is None else self.iterations[stopped.best].candidate,
            iterations=self.iterations,
            findings=() if stopped.best is None else findings_of(self.iterations, self.chains, stopped.best),
            stop_reason=stopped.reason,
            evidence=dict(stopped.evidence),
            error=stopped.error,
            lessons_used=self.lessons or (),
            lessons_stored=stopped.lessons_stored,
            usage=self.spent,
            duration_s=stopped.duration_s,
            reflections=tuple(one for _, one in sorted(self.reflections.items()) if one is not None),
            reflections_skipped=stopped.reflections_skipped,
            unjudged=unjudged_of(self.iterations, self.pending),
        )


def unjudged_of(iterations: Sequence[Iteration], pending: Sequence[Pending]) -> Candidate | None:
    """Return the newest candidate of a run in which none was judged; None in any other run."""
    return pending[-1].candidate if pending and not iterations else None


_FINAL: Final = frozenset({StopReason.DECLINED, StopReason.MAX_ITERATIONS})


# -- writing ---------------------------------------------------------------------------------------


def started_line(
    prompt: str,
    initial: Candidate | None,
    metadata: Mapping[str, Any],
    config: LoopConfig,
    rules: Sequence[str],
    *,
    trace: Mapping[str, str] | None = None,
) -> Line:
    """Return the first line, with the request. Of stop rules only the names are written, of a trace only ids."""
    data: dict[str, Any] = {
        "version": _VERSION,
        "prompt": prompt,
        "prompt_sha256": _digest(prompt),
        "initial": None if initial is None else _candidate(initial),
        "metadata": plain(dict(metadata)),
        "config": config.model_dump(mode="json"),
        "own_rules": config.stop_rules is not None,
        "rules": list(rules),
    }
    return "started", data if trace is None else {**data, "trace": dict(trace)}


def resumed_line(trace: Mapping[str, str] | None = None) -> Line:
    """Return the line that marks a resumption."""
    return "resumed", {} if trace is None else {"trace": dict(trace)}


def lessons_line(lessons: Sequence[MemoryEntry]) -> Line:
    """Return the line with the lessons from memory."""
    return "lessons", {"lessons": [dumped(lesson) for lesson in lessons]}


def candidate_line(pending: Pending, spent: Usage) -> Line:
    """Return the line of a new candidate."""
    data = {
        "slot": pending.slot,
        "base": pending.base,
        "chain": pending.chain,
        "approved": pending.is_approved,
        "candidate": _candidate(pending.candidate),
        "spent": spent.model_dump(mode="json"),
    }
    return "candidate", data


def approved_line(pending: Pending) -> Line:
    """Return the line of a revision as a person approved it."""
    return "approved", {"slot": pending.slot, "candidate": _candidate(pending.candidate)}


def refused_line(pending: Pending, reasons: Sequence[str]) -> Line:
    """Return the line of a revision that a person refused, which ends its line of revisions."""
    return "refused", {"slot": pending.slot, "chain": pending.chain, "reasons": list(reasons)}


def judged_line(slot: int, iteration: Iteration, spent: Usage) -> Line:
    """Return the line of a judged candidate."""
    data = dumped(iteration.model_copy(update={"candidate": Candidate("")}))
    return "judged", {
        **{name: data[name] for name in ("critique", "change", "gain", "duration_s", "usage")},
        "slot": slot,
        "score": iteration.candidate.score,
        "spent": spent.model_dump(mode="json"),
    }


def reflected_line(index: int, reflection: Reflection | None) -> Line:
    """Return the line of an iteration's reflection; None if it needed none."""
    return "reflected", {
        "index": index,
        "reflection": None if reflection is None else dumped(reflection),
    }


def stopped_line(result: ReflectionResult, events: int) -> Line:
    """Return the last line, with the result and the number of events."""
    best = next(
        (index for index, iteration in enumerate(result.iterations) if iteration.candidate is result.best_candidate),
        None,
    )
    data: dict[str, Any] = {
        "reason": result.stop_reason.value,
        "evidence": plain(result.evidence),
        "error": None if result.error is None else result.error.model_dump(mode="json"),
        "best": best,
        "lessons_stored": [dumped(lesson) for lesson in result.lessons_stored],
        "duration_s": result.duration_s,
        "reflections_skipped": result.reflections_skipped,
        "spent": result.usage.model_dump(mode="json"),
        "events": events,
    }
    return "stopped", data


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {**dumped(candidate), "sha256": _digest(candidate.content)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# -- reading ---------------------------------------------------------------------------------------


def read_run(run_id: str, scope: Scope, started_at: datetime, lines: Sequence[Line]) -> RecordedRun:
    """Return the run from its lines, in the order of writing.

    Raises:
        StoreVersionError: a newer version wrote it.
        StoreDamagedError: the lines cannot be read as a run.
    """
    try:
        lines = _since_the_last_start(lines)
        version = lines[0][1]["version"]
        if version != _VERSION:
            raise StoreVersionError(
                f"the journal of run {run_id!r} has version {version!r}, but this jido_ai reads version {_VERSION}"
            )
        steps = _Steps()
        for kind, data in lines:
            steps.take(kind, data)
        return steps.run(run_id, scope, started_at, lines[0][1])
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise StoreDamagedError(f"the journal of run {run_id!r} cannot be read: {error!r}") from error


def _since_the_last_start(lines: Sequence[Line]) -> Sequence[Line]:
    starts = [index for index, (kind, _) in enumerate(lines) if kind == "started"]
    if not starts:
        raise ConfigurationError("it has no line that says how the run started")
    return lines[starts[-1] :]


class _Steps:
    """The state read from the lines so far; the later of two lines on the same subject counts."""

    def __init__(self) -> None:
        self._made: dict[int, Pending] = {}
        self._refused: dict[int, tuple[str, ...]] = {}
        self._told = 0  # events up to the newest end of the run
        self._starts = self._stops = 0
        self._judged: dict[int, Mapping[str, Any]] = {}
        self._lessons: tuple[MemoryEntry, ...] | None = None
        self._reflections: dict[int, Reflection | None] = {}
        self._stopped: Mapping[str, Any] | None = None
        self._spent: Any = {}
        self._trace: Mapping[str, str] | None = None
        self._is_redacted = False

    def take(self, kind: str, data: Mapping[str, Any]) -> None:
        """Read the next line; of an unknown kind only the usage."""
        self._spent = data.get("spent", self._spent)
        self._trace = trace_of(data) or self._trace
        match kind:
            case "started":
                self._starts += 1
            case "lessons":
                self._lessons = tuple(MemoryEntry.model_validate(lesson) for lesson in data["lessons"])
            case "candidate":
                candidate = self._candidate(data["candidate"])
                slot, base, chain = _number(data["slot"]), data["base"], _number(data["chain"])
                base = None if base is None else _number(base)
                self._made[slot] = Pending(slot, candidate, base, chain, bool(data["approved"]))
            case "approved":
                before, candidate = self._made[data["slot"]], self._candidate(data["candidate"])
                self._made[before.slot] = Pending(before.slot, candidate, before.base, before.chain)
            case "refused":
                self._made.pop(data["slot"], None)
                self._refused[_number(data["chain"])] = tuple(_of(str, reason) for reason in data["reasons"])
            case "judged":
                self._judged[data["slot"]] = data
            case "reflected":
                found = data["reflection"]
                self._reflections[_number(data["index"])] = None if found is None else Reflection.model_validate(found)
            case "stopped":
                self._stopped = data
                self._stops += 1
                self._told = _number(data.get("events", 0))  # journals of older versions have no number
            case "resumed":
                self._stopped = None
                self._starts += 1
            case _:
                pass

    def run(self, run_id: str, scope: Scope, started_at: datetime, first: Mapping[str, Any]) -> RecordedRun:
        """Return the run with `first` as its first line."""
        made, done = self._made, sorted(self._judged)
        chains = tuple(made[slot].chain for slot in done)
        return RecordedRun(
            run_id=run_id,
            scope=scope,
            prompt=_of(str, first["prompt"]),
            digests=(
                first.get("prompt_sha256") or _digest(_of(str, first["prompt"])),  # older journals have none
                None if first["initial"] is None else first["initial"]["sha256"],
            ),
            initial=None if first["initial"] is None else _candidate_of(first["initial"])[0],
            metadata=_mapping(first["metadata"]),
            config=_mapping(first["config"]),
            has_own_rules=bool(first["own_rules"]),
            rules=tuple(first["rules"]),
            started_at=started_at,
            iterations=tuple(
                with_floor(
                    _iterations([(made[slot], self._judged[slot]) for slot in done]),
                    chains,
                    has_initial=first["initial"] is not None,
                    floor=first["config"].get("floor", "none"),  # journals of older versions have no floor
                )
            ),
            chains=chains,
            pending=tuple(made[slot] for slot in sorted(made) if slot not in self._judged),
            refused=self._refused,
            lessons=self._lessons,
            reflections=self._reflections,
            spent=Usage.model_validate(self._spent),
            stopped=None if self._stopped is None else _stopped_of(self._stopped, len(done)),
            is_redacted=self._is_redacted,
            trace=self._trace,
            events=max(self._told, self._events()),
        )

    def _events(self) -> int:
        """Return the number of events that the lines stand for. Failures of components have no lines."""
        candidates = sum(one.is_approved for one in self._made.values())
        reflections = sum(one is not None for one in self._reflections.values())
        ends = self._starts + self._stops
        return ends + candidates + len(self._judged) + reflections + (self._lessons is not None)

    def _candidate(self, data: Mapping[str, Any]) -> Candidate:
        candidate, is_redacted = _candidate_of(data)
        self._is_redacted |= is_redacted
        return candidate


def trace_of(data: Mapping[str, Any]) -> Mapping[str, str] | None:
    """Return the ids of the trace in a line; None if there are none, or nothing that could be ids."""
    trace: object = data.get("trace")
    if not isinstance(trace, Mapping):
        return None
    ids = cast("Mapping[object, object]", trace)
    return {str(name): value for name, value in ids.items() if isinstance(value, str)}


def _of(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"{type(value).__name__} where {kind.__name__} belongs")
    return value


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{type(value).__name__} where an object belongs")
    return cast("Mapping[str, Any]", value)


def _number(value: object) -> int:
    if isinstance(value, bool) or _of(int, value) < 0:
        raise TypeError("a position is missing in the order of the run")
    return _of(int, value)


def _iterations(steps: Sequence[tuple[Pending, Mapping[str, Any]]]) -> tuple[Iteration, ...]:
    revised = {pending.base for pending, _ in steps}
    return tuple(
        Iteration(
            index=index,
            candidate=pending.candidate.model_copy(update={"score": data["score"]}),
            critique=CritiqueResult.model_validate(data["critique"]),
            revised=index in revised,
            change=data["change"],
            gain=data["gain"],
            duration_s=data["duration_s"],
            usage=Usage.model_validate(data["usage"]),
        )
        for index, (pending, data) in enumerate(steps)
    )


def _candidate_of(data: Mapping[str, Any]) -> tuple[Candidate, bool]:
    """Return the candidate, and whether redaction changed its text."""
    fields = dict(data)
    digest = fields.pop("sha256")
    candidate = Candidate.model_validate(fields)
    return candidate, _digest(candidate.content) != digest


def _stopped_of(data: Mapping[str, Any], iterations: int) -> Stopped:
    if data["best"] is not None and not _number(data["best"]) < iterations:
        raise ConfigurationError(f"its best candidate is that of iteration {data['best']}, of {iterations}")
    return Stopped(
        reason=StopReason(data["reason"]),
        evidence=_mapping(data["evidence"]),
        error=None if data["error"] is None else ErrorInfo.model_validate(data["error"]),
        best=data["best"],
        lessons_stored=tuple(MemoryEntry.model_validate(lesson) for lesson in data["lessons_stored"]),
        duration_s=data["duration_s"],
        reflections_skipped=data["reflections_skipped"],
    )
