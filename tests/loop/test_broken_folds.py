"""Ten lines of the fold and of the order of steps, each broken in one way: a cut run tells the difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest
from cuts import Cutter
from test_cut_runs import CASES, every_second, uncut, whole

from jido_ai.loop import learned, order, reflection_loop
from jido_ai.loop.state import RunState
from jido_ai.memory import evidence, lessons, memory_actor
from jido_ai.memory.memory_actor import MemoryActor
from jido_ai.testing import virtual_run
from jido_ai.values import MemoryEntry, new_id
from jido_ai.values.record import Record

Break = tuple[str, Sequence[tuple[object, str]], Callable[..., Any]]
"""The case whose cells tell, the names that are replaced, and the broken line."""


def counts_each_time(old: MemoryEntry, new: MemoryEntry) -> dict[str, Any]:
    return {**evidence_counted(old, new), "frequency": old.frequency + new.frequency}


def uses_each_time(entry: MemoryEntry, *, success: bool, now: Any, run_id: str | None = None) -> MemoryEntry:
    return evidence_used(entry, success=success, now=now)


def keeps_no_evidence(old: MemoryEntry, new: MemoryEntry) -> dict[str, Any]:
    return {**evidence_counted(old, new), "evidence": old.evidence}


def moves_from_the_next_slot(state: RunState, moves: Sequence[Any]) -> list[tuple[int, Any]]:
    return [(state.next_slot + n, move) for n, move in enumerate(moves)] if not state.pending else []


async def appends(self: MemoryActor, records: Sequence[Record]) -> list[Record]:
    return await self.append(records)


evidence_counted, evidence_used = evidence.counted_together, evidence.used
BROKEN: Final[dict[str, Break]] = {
    "an entry of each telling": (
        "reflecting",
        [(learned, "learned_id"), (lessons, "learned_id")],
        lambda source, kind: new_id("memory"),
    ),
    "a frequency of each telling": ("reflecting", [(lessons, "counted_together")], counts_each_time),
    "evidence of the first telling": ("reflecting", [(lessons, "counted_together")], keeps_no_evidence),
    "a use of each telling": ("reflecting", [(memory_actor, "used")], uses_each_time),
    "an episode of each telling": ("reflecting", [(MemoryActor, "note")], appends),
    "last reflection only": (
        "beam",
        [(reflection_loop, "unreflected")],
        lambda state: [n for n in order.unreflected(state) if n == len(state.iterations) - 1],
    ),
    "no reflection that was in flight": (
        "beam",
        [(reflection_loop, "unreflected")],
        lambda state: [] if state.pending else order.unreflected(state)[:1],
    ),
    "judged once more": ("beam", [(reflection_loop, "unjudged")], lambda state: list(state.pending)),
    "no move beside a pending one": ("beam", [(reflection_loop, "missing_moves")], moves_from_the_next_slot),
    "lessons before the critique that finds them": (
        "given",
        [(reflection_loop, "is_time_to_recall")],
        lambda state, by_critique: state.lessons is None,
    ),
}


def plans(case: str) -> list[Callable[[int, str], str | None]]:
    """Return ways to cut a run: in every call, and once at each write."""
    places = uncut(case)[1]
    writes = [n for n, place in enumerate(places) if place.startswith("after")]
    once = [lambda number, _place, at=at: "kill" if number == at else None for at in writes]
    return [every_second("kill"), every_second("cancel"), *reversed(once)]


def tells(case: str, plan: Callable[[int, str], str | None]) -> bool:
    """Tell whether a run with these cuts differs from the one without any, with the code as it was."""
    try:
        return virtual_run(whole(CASES[case], Cutter(plan))) != uncut(case)[0]
    except Exception:
        return True


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize("line", BROKEN)
def test_a_cut_run_tells_when_a_line_of_the_fold_is_broken(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case, places, broken = BROKEN[line]
    cells = plans(case)
    for where, name in places:
        monkeypatch.setattr(where, name, broken)
    assert any(tells(case, plan) for plan in cells)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("case", ["reflecting", "beam", "given"])
def test_no_cell_tells_anything_while_no_line_is_broken(case: str) -> None:
    assert not any(tells(case, plan) for plan in plans(case)[:4])
