"""Evidence: what was learned once counts once, however often it is told. Pure.

Everything that a memory learns comes from a run, an iteration or an episode, whose id is its evidence. An entry that is
told again with the same evidence counts nothing again: not its frequency, and of each run one use, whose last outcome
stands. This file is the only place that counts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import islice
from operator import add
from typing import Any, Final, cast

from jido_ai.memory.importance import spared
from jido_ai.values import MemoryEntry

KEPT_EVIDENCE: Final = 100
_KEPT_RUNS: Final = 200
RUNS: Final = "runs"
"""Key in the metadata of a used entry: the outcome in each of the newest runs, by a digest of the run's id."""
_OF_A_MOMENT: Final = frozenset({"id", "timestamp", "generated_at"})


def learned_id(source: str, kind: str) -> str:
    """Return the id of the entry of a kind that an attempt teaches, the same each time.

    Args:
        source: id of the episode.
    """
    return f"memory_{_digest(f'{kind}:{source}')}"


def counted_together(old: MemoryEntry, new: MemoryEntry) -> dict[str, Any]:
    """Return frequency, uses and evidence of two entries that are merged, `new` being the later one.

    The frequency of what only one of them has the evidence of is added; if `old` has all evidence of `new`, the larger
    one counts. Uses are added, but those of one run, and those of an entry that is stored again under its id.
    """
    known = set(old.evidence).intersection(new.evidence)
    is_known = bool(new.evidence) and len(known) == len(set(new.evidence))
    both: Callable[[int, int], int] = max if old.id == new.id else add
    one, other = runs_of(old), runs_of(new)
    runs = _newest({**one, **other})
    dropped = {**one, **other}.items() - runs.items()
    uses = both(old.use_count - len(one), new.use_count - len(other)) + len(dropped)
    wins = both(old.success_count - sum(one.values()), new.success_count - sum(other.values())) + sum(
        [won for _, won in dropped]
    )
    return {
        "frequency": max(old.frequency, new.frequency)
        if is_known
        else old.frequency + max(1, new.frequency - len(known)),
        "use_count": uses + len(runs),
        "success_count": min(wins, uses) + sum(runs.values()),
        "last_used": max((time for time in (old.last_used, new.last_used) if time), default=None),
        "evidence": tuple(dict.fromkeys((*old.evidence, *new.evidence)))[-KEPT_EVIDENCE:],
    }


def joined_runs(metadata: Mapping[str, Any], old: MemoryEntry, new: MemoryEntry) -> dict[str, Any]:
    """Return the metadata of two merged entries with the runs that used either."""
    runs = _newest({**runs_of(old), **runs_of(new)})
    return {**metadata, RUNS: runs} if runs else dict(metadata)


def used(entry: MemoryEntry, *, success: bool, now: datetime, run_id: str | None = None) -> MemoryEntry:
    """Return the entry with a use counted: one more, or the one of the run `run_id`, whose outcome this is.

    What helped is kept beyond `retention_days`.
    """
    entry = spared(entry) if success else entry
    if run_id is None:
        return entry.replace(
            use_count=entry.use_count + 1, success_count=entry.success_count + bool(success), last_used=now
        )
    runs, mark = runs_of(entry), _digest(run_id)
    before = runs.get(mark)
    if before is success:
        return entry
    runs = _newest({**{name: won for name, won in runs.items() if name != mark}, mark: success})
    return entry.replace(
        use_count=entry.use_count + (before is None),
        success_count=entry.success_count + success - bool(before),
        last_used=now,
        metadata={**entry.metadata, RUNS: runs},
    )


def withdrawn(entry: MemoryEntry, source: str) -> MemoryEntry | None:
    """Return the entry without what it has from a run; None if that was all, and no run has used it."""
    rest = tuple(one for one in entry.evidence if one != source)
    if not rest and not entry.use_count:
        return None
    return entry.replace(evidence=rest, frequency=max(1, entry.frequency - 1))


def is_told_again(known: object, told: object) -> bool:
    """Tell whether two values, as JSON, say the same, whatever ids and times they were given."""
    return _gist(known) == _gist(told)


def runs_of(entry: MemoryEntry) -> dict[str, bool]:
    """Return the outcomes of the runs that used an entry, oldest first, by a digest of their ids."""
    noted: object = entry.metadata.get(RUNS)
    if not isinstance(noted, Mapping):
        return {}
    return {name: won for name, won in cast("Mapping[str, object]", noted).items() if isinstance(won, bool)}


def _newest(runs: Mapping[str, bool]) -> dict[str, bool]:
    return dict(islice(runs.items(), max(0, len(runs) - _KEPT_RUNS), None))


def _gist(value: object) -> object:
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        return {name: _gist(one) for name, one in fields.items() if name not in _OF_A_MOMENT}
    return [_gist(one) for one in cast("list[object]", value)] if isinstance(value, list | tuple) else value


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
