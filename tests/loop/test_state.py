"""The state of a run: the same fold live and from the journal."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.errors import Declined
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.order import next_moves
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.policies import policy_of
from jido_ai.loop.record import Line, RecordedRun, line_of, read_run, step_of
from jido_ai.loop.reflection_loop import LoopRun
from jido_ai.loop.state import (
    Approved,
    Closed,
    Judged,
    LessonDrawn,
    Pending,
    Refused,
    Resumed,
    RunState,
    Stop,
    Stopped,
)
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.testing import virtual_run
from jido_ai.values import (
    SUSPEND,
    Candidate,
    CritiqueResult,
    Episode,
    LoopConfig,
    Reflection,
    ReflectionResult,
    Scope,
    StopReason,
    Usage,
    utc_now,
)

SEVERITIES = st.lists(st.floats(0.0, 1.0), min_size=12, max_size=12)
TROUBLE = st.dictionaries(
    st.integers(0, 12), st.sampled_from(["decline", "fail", "refuse", "edit", "suspend"]), max_size=4
)
SHAPES = st.fixed_dictionaries(
    {"candidates": st.integers(1, 3), "beam": st.integers(1, 3), "asks": st.booleans(), "reflects": st.booleans()}
)


class Author:
    """Makes texts, judges them as a list of severities says, and has some trouble at the calls of these numbers."""

    def __init__(self, severities: list[float], trouble: dict[int, str]) -> None:
        self.severities, self.trouble = severities, trouble
        self.calls = self.judged = 0

    def next(self) -> str | None:
        self.calls += 1
        return self.trouble.pop(self.calls, None)

    async def generate(self, prompt: str, context: RunContext) -> str:
        return f"draft {self.calls}"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        self.judged += 1
        if self.next() == "fail":
            raise RuntimeError("no")
        severity = self.severities[self.judged % len(self.severities)]
        return CritiqueResult(severity=severity, issues=["x"] * self.judged, checks={"t:a": _end(severity)})

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        match self.next():
            case "fail":
                raise RuntimeError("no")
            case "decline":
                raise Declined("no idea")
            case _:
                return f"{candidate.content} {self.calls * 1111}"

    async def approve(self, revision: Candidate, before: Any, context: RunContext) -> Any:
        answers: dict[str | None, Any] = {"refuse": False, "edit": f"by hand {self.calls}", "suspend": SUSPEND}
        return answers.get(self.next(), True)

    async def reflect(self, episode: Episode, priors: Any, context: RunContext) -> Reflection:
        if self.next() == "fail":
            raise RuntimeError("no")
        return Reflection(root_cause="haste", lesson=f"lesson {len(priors)}")


def _end(severity: float) -> Any:
    return "passed" if severity < 0.5 else "failed"


async def lived(
    author: Author, config: LoopConfig, *, asks: bool, reflects: bool, initial: str | None
) -> tuple[RunState, RecordedRun, ReflectionResult]:
    """Run, and resume while it is suspended; return the live state at the end, the recorded one, and the result."""
    runs: list[LoopRun] = []
    begin = LoopRun.run

    async def noted(run: LoopRun) -> ReflectionResult:
        runs.append(run)
        return await begin(run)

    options: dict[str, Any] = {"approve": author.approve if asks else None, "reflector": author if reflects else None}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LoopRun, "run", noted)
        async with ReflexionMemory() as memory:
            async with Pipeline(author, author, author, memory, config, **options) as pipeline:
                result = await pipeline.run("p", initial, run_id="r")
                while result.stop_reason is StopReason.SUSPENDED:
                    result = await pipeline.resume("r", decision=True)
            return runs[-1].state.settled(), await RunJournal(memory).load("r"), result


@settings(max_examples=40, deadline=None)
@given(SEVERITIES, TROUBLE, SHAPES, st.sampled_from([None, "given"]))
def test_the_steps_that_a_run_wrote_fold_into_the_state_that_it_had_at_its_end(
    severities: list[float], trouble: dict[int, str], shape: dict[str, Any], initial: str | None
) -> None:
    candidates, beam = shape["candidates"], min(shape["beam"], shape["candidates"])
    config = LoopConfig(max_iterations=8, candidates=candidates, beam=beam, patience=3, step_retries=0)
    author = Author(severities, dict(trouble))
    run = lived(author, config, asks=shape["asks"], reflects=shape["reflects"], initial=initial)
    live, recorded, result = virtual_run(run)
    for name in {field.name for field in fields(RunState)} - {"closed"}:
        assert getattr(recorded, name) == getattr(live, name), name
    assert recorded.closed.items() <= live.closed.items()  # the rules and the reviser are asked again
    assert recorded.result() == result


# -- single steps ----------------------------------------------------------------------------------


def made(slot: int, base: int | None = None, chain: int | None = None, *, is_approved: bool = True) -> Pending:
    return Pending(slot, Candidate(f"text {slot}"), base, slot if chain is None else chain, is_approved)


def judged(slot: int, severity: float = 0.5, **checks: Any) -> Judged:
    ends = {f"t:{name}": end for name, end in checks.items()}
    return Judged(slot, 1.0 - severity, CritiqueResult(severity=severity, checks=ends), None, None, 0.0, Usage())


def stopped(best: int | None = 0, events: int = 0) -> Stopped:
    return Stopped(StopReason.MAX_ITERATIONS, {}, None, best, (), 1.0, events=events)


def after(*steps: Any, state: RunState | None = None) -> RunState:
    state = state or RunState()
    for step in steps:
        state = state.after(step)
    return state.settled()


def slots(state: RunState) -> list[int]:
    return [origin.slot for origin in state.origins]


def test_candidates_of_a_group_enter_the_history_in_the_order_in_which_they_were_made() -> None:
    state = after(made(1), made(0), judged(1), judged(0))
    assert slots(state) == [0, 1]
    assert [one.index for one in state.iterations] == [0, 1]


def test_candidates_of_a_group_keep_their_order_when_the_run_is_cut_between_their_judgements() -> None:
    state = after(made(0), made(1), judged(1), stopped(best=0), Resumed(settles=False), judged(0))
    assert slots(state) == [0, 1]


def test_in_journals_of_older_versions_a_candidate_that_is_judged_after_the_next_resumption_comes_later() -> None:
    state = after(made(0), made(1), judged(1), Resumed(), judged(0))
    assert slots(state) == [1, 0]


@pytest.mark.parametrize(
    "steps", [(judged(0),), (Approved(0, Candidate("a")),), (LessonDrawn(0, None),), (stopped(),), (made(0, base=0),)]
)
def test_a_step_about_something_that_did_not_happen_is_refused(steps: tuple[Any, ...]) -> None:
    with pytest.raises(LookupError):
        after(*steps)


def test_a_revision_counts_when_it_needs_no_approval() -> None:
    base = made(0), judged(0)
    assert after(*base, made(1, 0, 0)).iterations[0].revised
    waiting = after(*base, made(1, 0, 0, is_approved=False))
    assert not waiting.iterations[0].revised
    assert waiting.waiting == waiting.pending[0]
    approved = after(Approved(1, Candidate("edited")), state=waiting)
    assert approved.iterations[0].revised
    assert approved.pending[0].candidate.content == "edited"
    assert approved.waiting is None


def test_the_slot_of_a_refused_revision_is_not_used_again() -> None:
    state = after(made(0), judged(0), made(1, 0, 0, is_approved=False), Refused(1, 0, ("no",)))
    assert (state.pending, state.next_slot) == ((), 2)
    assert state.closed == {0: Stop(StopReason.DECLINED, {"reasons": ["no"]})}


def test_a_slot_that_an_older_version_gave_to_two_candidates_has_both() -> None:
    before = made(0), made(1), judged(0), judged(1), made(3, 1, 1), judged(3)
    state = after(*before, made(3, 0, 0), judged(3, 0.1))
    assert slots(state) == [0, 1, 3, 3]
    assert state.chains == [0, 1, 1, 0]


def test_without_a_candidate_of_the_caller_each_line_has_its_own_floor() -> None:
    one, other = judged(0, a="passed", b="failed"), judged(1, a="failed", b="passed")
    steps = (made(0), made(1), one, other)
    assert [found.broken for found in after(*steps).iterations] == [(), ()]
    assert [found.broken for found in after(*steps, state=RunState(has_initial=True)).iterations] == [(), ("t:a",)]
    revised = (made(0), one, made(1, 0, 0), other)
    assert [found.broken for found in after(*revised).iterations] == [(), ("t:a",)]
    assert [found.broken for found in after(*revised, state=RunState(floor="none")).iterations] == [(), ()]


def test_events_of_components_before_an_end_count_for_the_events_after_it() -> None:
    state = after(made(0), judged(0), stopped(events=9), Resumed(), made(1, 0, 0))
    assert state.events == 11


# -- lines -----------------------------------------------------------------------------------------


ALL = (
    made(0), made(1), judged(1, 0.4), judged(0, 0.6), LessonDrawn(0, Reflection(root_cause="r", lesson="l")),
    LessonDrawn(1, None), made(2, 1, 1, is_approved=False), made(3, 0, 0, is_approved=False),
    Approved(3, Candidate("edited")), Refused(2, 1, ("no",)), judged(3), made(4, 2, 0), judged(4, 0.9),
)  # fmt: skip
STARTED: Line = (
    "started",
    {
        **{"version": 1, "prompt": "p", "initial": None, "metadata": {}, "own_rules": False, "rules": []},
        "config": {"floor": "first"},
    },
)


def read(steps: Any) -> RecordedRun:
    return read_run("r", Scope(), utc_now(), [STARTED, *(line_of(step, Usage(calls=1)) for step in steps)])


def test_a_line_has_the_fields_of_its_step() -> None:
    for step in (*ALL, Resumed({"trace_id": "t"}), stopped(events=3)):
        kind, data = line_of(step, Usage())
        assert step_of(kind, data) == step


@given(st.integers(0, len(ALL)), st.integers(0, len(ALL)))
def test_lines_that_are_written_again_change_nothing(one: int, other: int) -> None:
    first, last = sorted((one, other))
    again, once = read((*ALL[:last], *ALL[first:])), read(ALL)
    for name in {field.name for field in fields(RunState)}:
        assert getattr(again, name) == getattr(once, name), name


def test_the_end_of_a_line_by_a_rule_is_not_journaled() -> None:
    with pytest.raises(LookupError):
        line_of(Closed(0, Stop(StopReason.CYCLE)), Usage())


# -- the next moves --------------------------------------------------------------------------------


def moves_of(state: RunState, config: LoopConfig, firsts: int) -> Any:
    return next_moves(state, policy_of(config), config, firsts)


def test_moves_of_several_lines_never_pass_the_maximum_of_iterations() -> None:
    state = after(*(made(slot) for slot in range(3)), *(judged(slot, 0.6 + slot / 10) for slot in range(3)))
    config = LoopConfig(max_iterations=5, candidates=3, beam=3, stop_rules=())
    _, moves = moves_of(state, config, 3)
    assert [(move.chain, move.base) for move in moves] == [(0, 0), (1, 1)]
    _, stop = moves_of(state, config.replace(max_iterations=3), 3)
    assert (stop.reason, stop.evidence) == (StopReason.MAX_ITERATIONS, {"max_iterations": 3})


def test_a_line_that_ended_is_not_developed_and_the_best_one_has_the_last_word() -> None:
    state = after(made(0), made(1), judged(0, 0.6), judged(1, 0.5), Closed(1, Stop(StopReason.CYCLE)))
    config = LoopConfig(max_iterations=9, candidates=2, beam=2, stop_rules=())
    _, moves = moves_of(state, config, 2)
    assert [move.chain for move in moves] == [0]
    _, stop = moves_of(after(Closed(0, Stop(StopReason.REGRESSION)), state=state), config, 2)
    assert stop.reason is StopReason.CYCLE
