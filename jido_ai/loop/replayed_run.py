"""Replay: run a recorded run again without a model. The same history must lead to the same decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jido_ai.errors import ConfigurationError, Declined
from jido_ai.loop.convergence import StopRule
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.policies import rule_name
from jido_ai.loop.record import RecordedRun
from jido_ai.loop.regeneration import regenerate_or_revise
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, LoopConfig, ReflectionResult, StopReason

_OUTSIDE = frozenset({StopReason.ERROR, StopReason.CANCELLED, StopReason.DEADLINE})
"""Ends that no rule decided: their causes are not in the journal."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A run and its replay.

    Attributes:
        result: the result of the replay.
        differences: one sentence per decision that differs; empty if all are the same.
    """

    result: ReflectionResult
    differences: tuple[str, ...]


async def replay(recorded: RecordedRun, stop_rules: Sequence[StopRule] | None = None) -> Replay:
    """Apply the rules again to the recorded history; nothing is generated, judged or revised again.

    Args:
        stop_rules: the run's custom rules, if it had some: a journal only holds their names.

    Raises:
        ConfigurationError: the run had custom stop rules and they were not given.
    """
    config = LoopConfig.model_validate({**recorded.config, "stop_rules": None, "timeout_s": 3600.0, "step_retries": 0})
    if recorded.has_own_rules and stop_rules is None:
        raise ConfigurationError(f"run {recorded.run_id!r} had custom stop rules; pass them as stop_rules=")
    if stop_rules is not None:
        config = config.replace(stop_rules=tuple(stop_rules))
    tape = _Tape(recorded)
    initial = recorded.initial
    async with Pipeline(tape, tape, tape, config=config) as pipeline:
        result = await pipeline.run(recorded.prompt, initial, run_id=recorded.run_id, metadata=recorded.metadata)
    return Replay(result, tuple(_differences(recorded, result)))


class _Tape:
    """Acts as generator, critiquer and reviser, from the record."""

    def __init__(self, recorded: RecordedRun) -> None:
        iterations = recorded.iterations
        self.uses_attempts = rule_name(regenerate_or_revise) in recorded.rules
        self._judged = {iteration.candidate.id: iteration for iteration in iterations}
        candidates = [iteration.candidate for iteration in iterations]
        candidates += [pending.candidate for pending in recorded.pending]
        mine = None if recorded.initial is None else recorded.initial.id
        known = {candidate.id for candidate in candidates}
        self._fresh = [one for one in candidates if one.parent_id not in known and one.id != mine]
        stopped = recorded.stopped
        reasons: Sequence[str] = stopped.evidence.get("reasons", ()) if stopped is not None else ()
        self._reasons = tuple(reasons) or ("the journal has no further revision of the candidate",)
        self._revisions: dict[str, list[Candidate]] = {}
        for candidate in candidates:
            if candidate.parent_id in known:
                self._revisions.setdefault(candidate.parent_id or "", []).append(candidate)

    async def generate(self, prompt: str, context: RunContext) -> Candidate:
        if not self._fresh:
            raise ConfigurationError("the journal has no further first candidate")
        return _unjudged(self._fresh.pop(0))

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        iteration = self._judged.get(candidate.id)
        if iteration is None:
            raise ConfigurationError(f"the journal has no critique of {candidate.id}")
        if context.meter is not None:
            context.meter.reserve(calls=0).settle(iteration.usage)
        return iteration.critique.replace(metadata=_without_usage(iteration.critique.metadata))

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        revisions = self._revisions.get(candidate.id)
        if not revisions:
            raise Declined(*self._reasons)
        return _unjudged(revisions.pop(0))


def _unjudged(candidate: Candidate) -> Candidate:
    return candidate.replace(metadata=_without_usage(candidate.metadata))


def _without_usage(metadata: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in metadata.items() if name != "usage"}


def _differences(recorded: RecordedRun, result: ReflectionResult) -> list[str]:
    found: list[str] = []
    for before, now in zip(recorded.iterations, result.iterations, strict=False):
        if before.candidate.id != now.candidate.id:
            found.append(
                f"iteration {now.index}: the candidate was {before.candidate.id}, now it is {now.candidate.id}"
            )
    then, now = len(recorded.iterations), result.total_iterations
    if then != now:
        found.append(f"the run judged {then} candidates, the replay {now}")
    stopped = recorded.stopped
    if stopped is None or stopped.reason in _OUTSIDE:
        return found
    if stopped.reason is not result.stop_reason:
        found.append(f"the stop reason was {stopped.reason.value}, now it is {result.stop_reason.value}")
    best = None if stopped.best is None else recorded.iterations[stopped.best].candidate.id
    if best != (result.best_candidate and result.best_candidate.id):
        found.append("the best candidate differs")
    return found
