"""Trials: whether what a memory shows helps, from runs that were shown it and runs that were held out. Pure.

The rules of `Pipeline(holdout=...)` (LEARNING 3): which runs are held out, which count, and when something that hurts
is paused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any, Final, Literal, cast

from jido_ai.memory.effect import Effect, effect
from jido_ai.values.record import LogName, Record

TRIALS: Final[LogName] = "trials"
Kind = Literal["lessons", "examples"]
KINDS: Final[tuple[Kind, ...]] = ("lessons", "examples")
RECENT_RUNS: Final = 20
"""Ended runs of a scope and task type after which some are held out, unless the pipeline says otherwise."""
_SHARE: Final = 0.1
_FIRST_LOOK: Final = 50
_PAUSE_LEVEL: Final = 0.99
_PAUSED_RUNS: Final = 50
_KEY_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class Trial:
    """A run that ended, as far as it tells whether memory helps.

    Attributes:
        held_out: nothing was shown to it.
        found: what memory found for it.
        paused: what was not shown to any run at that time; such a run does not count.
        passed: its first answer was good enough.
        calls: answers until one was good enough; None if none was.
        counted: for each kind, the runs of its scope and task type that counted so far, with this one.
        pauses: for each kind, how many more runs are not shown it.
    """

    run_id: str
    task_type: str | None
    held_out: bool
    found: tuple[Kind, ...]
    paused: tuple[Kind, ...]
    passed: bool
    calls: int | None
    counted: Mapping[Kind, int] = field(default_factory=dict[Kind, int])
    pauses: Mapping[Kind, int] = field(default_factory=dict[Kind, int])

    def counts_for(self, kind: Kind) -> bool:
        """True if the run is in one of the two groups."""
        return kind in self.found and kind not in self.paused

    def after(self, last: Trial | None) -> Trial:
        """Return the trial with the running figures after those of the last one of its scope and task type."""
        counted: Mapping[Kind, int] = {} if last is None else last.counted
        pauses: Mapping[Kind, int] = {} if last is None else last.pauses
        return replace(
            self,
            counted={kind: counted.get(kind, 0) + self.counts_for(kind) for kind in KINDS},
            pauses={kind: left - 1 for kind, left in pauses.items() if left > 1},
        )

    def as_map(self) -> dict[str, Any]:
        """Return the trial as JSON."""
        return {
            "run_id": self.run_id,
            "task_type": self.task_type,
            "held_out": self.held_out,
            "found": list(self.found),
            "paused": list(self.paused),
            "passed": self.passed,
            "calls": self.calls,
            "counted": dict(self.counted),
            "pauses": dict(self.pauses),
        }


def trial_key(task_type: str | None) -> str:
    """Return the key of the records of a task type."""
    return f"of {task_type or ''}"[:_KEY_CHARS]


def trials_in(records: Iterable[Record]) -> list[Trial]:
    """Return the trials in records, one for each run, the last one of a run; those that cannot be read are left out.

    Args:
        records: oldest first.
    """
    found: dict[tuple[object, str], Trial] = {}
    for record in records:
        trial = _read(record.data)
        if trial is not None:
            found.pop((record.scope, trial.run_id), None)
            found[record.scope, trial.run_id] = trial
    return list(found.values())


def _read(data: Mapping[str, Any]) -> Trial | None:
    run_id, task_type, calls = data.get("run_id"), data.get("task_type"), data.get("calls")
    if not isinstance(run_id, str) or not isinstance(task_type, str | None) or not isinstance(calls, int | None):
        return None
    return Trial(
        run_id,
        task_type,
        data.get("held_out") is True,
        _kinds(data.get("found")),
        _kinds(data.get("paused")),
        data.get("passed") is True,
        calls,
        _counts(data.get("counted")),
        _counts(data.get("pauses")),
    )


def _kinds(value: object) -> tuple[Kind, ...]:
    if not value or not isinstance(value, list | tuple):
        return ()
    told = cast("Sequence[object]", value)
    return tuple([kind for kind in KINDS if kind in told])


def _counts(value: object) -> dict[Kind, int]:
    if not value or not isinstance(value, Mapping):
        return {}
    told = cast("Mapping[str, object]", value)
    return {kind: count for kind in KINDS if isinstance(count := told.get(kind), int)}


# -- before a run ----------------------------------------------------------------------------------


def is_held_out(run_id: str, share: float) -> bool:
    """Tell whether a run is made without anything remembered. It follows from its id and the share alone."""
    digest = hashlib.sha256(run_id.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8]) / 2**64 < share


def share_of(holdout: float | None, recent: Sequence[object]) -> float:
    """Return the share of runs that are held out.

    Args:
        holdout: of the pipeline; None is 0.1 once `RECENT_RUNS` runs have ended.
        recent: the newest ended runs of the scope and task type, or their ids.
    """
    if holdout is not None:
        return holdout
    return _SHARE if len(recent) >= RECENT_RUNS else 0.0


def paused_in(recent: Sequence[Trial]) -> tuple[Kind, ...]:
    """Return the kinds that the next run is not shown because they hurt, from the newest ended runs, oldest first."""
    return tuple(kind for kind in KINDS if recent and recent[-1].pauses.get(kind, 0) > 0)


# -- after a run -----------------------------------------------------------------------------------


def is_due(trial: Trial, kind: Kind) -> bool:
    """Tell whether a kind is looked at after this run: at 50, 100, 200, 400, ... runs that counted."""
    count = trial.counted.get(kind, 0)
    looks = count // _FIRST_LOOK
    return trial.counts_for(kind) and looks > 0 and count == _FIRST_LOOK * looks and looks & (looks - 1) == 0


def decision_of(trial: Trial, trials: Sequence[Trial]) -> tuple[Trial, dict[Kind, Effect]]:
    """Return the trial with the pauses that begin after it, and why they do.

    A kind is paused if it hurts by a 99 % interval: with 95 % after each run, 20 to 30 % of histories without an effect
    would raise an alarm within 200 runs.

    Args:
        trials: of the scope and task type, with this one.
    """
    hurting: dict[Kind, Effect] = {}
    for kind in KINDS:
        if is_due(trial, kind) and (seen := effect_of(trials, kind, _PAUSE_LEVEL)).verdict == "hurts":
            hurting[kind] = seen
    return replace(trial, pauses={**trial.pauses, **dict.fromkeys(hurting, _PAUSED_RUNS)}), hurting


def effect_of(trials: Iterable[Trial], kind: Kind, level: float = 0.95) -> Effect:
    """Return the effect of a kind over these runs."""
    shown, held_out = _groups(trials, kind)
    return effect(sum(map(_passed, shown)), len(shown), sum(map(_passed, held_out)), len(held_out), level)


def _groups(trials: Iterable[Trial], kind: Kind) -> tuple[list[Trial], list[Trial]]:
    groups: tuple[list[Trial], list[Trial]] = ([], [])
    for trial in trials:
        if trial.counts_for(kind):
            groups[trial.held_out].append(trial)
    return groups


def _passed(trial: Trial) -> bool:
    return trial.passed


# -- the report ------------------------------------------------------------------------------------


def memory_table(trials: Sequence[Trial]) -> list[dict[str, Any]]:
    """Return whether memory helps: for all task types and for each, apart for lessons and examples.

    A kind that was found for no run of a task type has no row of it; the rows for all are always there.

    Args:
        trials: oldest first.
    """
    types: dict[str | None, list[Trial]] = {}
    for trial in trials:
        if trial.task_type is not None:
            types.setdefault(trial.task_type, []).append(trial)
    rows = [_row(None, kind, trials) for kind in KINDS]
    for name, some in sorted(types.items(), key=lambda one: str(one[0])):
        rows += [_row(name, kind, some) for kind in KINDS if any(kind in trial.found for trial in some)]
    return rows


def _row(task_type: str | None, kind: Kind, trials: Sequence[Trial]) -> dict[str, Any]:
    shown, held_out = _groups(trials, kind)
    told = effect_of(trials, kind)
    latest = {trial.task_type: trial for trial in trials}
    return {
        "task_type": task_type,
        "of": kind,
        "with": _group(shown),
        "without": _group(held_out),
        "difference": told.difference,
        "low": told.low,
        "high": told.high,
        "verdict": told.verdict,
        "more_runs": told.more_runs,
        "text": told.text,
        "paused": any(kind in paused_in([trial]) for trial in latest.values()),
    }


def _group(trials: Sequence[Trial]) -> dict[str, Any]:
    calls = [trial.calls for trial in trials if trial.calls is not None]
    return {
        "runs": len(trials),
        "passed": sum(map(_passed, trials)),
        "calls": fmean(calls) if calls else None,
    }
