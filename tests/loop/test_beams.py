"""Several first candidates, several lines side by side, approval of revisions, and runs that wait for their turn."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.loop.events import Revised
from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.testing import virtual_run
from jido_ai.values import SLACK, Candidate, CritiqueResult, Iteration, LoopConfig, ReflectionResult, Revise, Verdict


class Painter:
    """Makes first candidates 0, 1, 2, ... and revisions "0a", "0aa", ...; the score is what a table says of each.

    Attributes:
        most: how many steps were under way at the same time.
    """

    def __init__(self, scores: dict[str, float], drafts_at_once: int = 1) -> None:
        self.scores = scores
        self.drafts_at_once = drafts_at_once
        self.calls: list[str] = []
        self.made = self.busy = self.most = 0

    async def _step(self, name: str) -> None:
        self.calls.append(name)
        self.busy += 1
        self.most = max(self.most, self.busy)
        await asyncio.sleep(1.0)
        self.busy -= 1

    async def generate(self, prompt: str, context: RunContext) -> Any:
        first = self.made
        self.made += self.drafts_at_once
        await self._step("generate")
        return [str(n) for n in range(first, self.made)]

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        await self._step(f"critique {candidate.content}")
        return CritiqueResult(score=self.scores.get(candidate.content, 0.5), severity=0.9, issues=[candidate.content])

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        await self._step(f"revise {candidate.content}")
        return candidate.content + "a"


def paint(painter: Painter, *, initial: str | None = None, **config: Any) -> ReflectionResult:
    rules = config.pop("stop_rules", ())

    async def run() -> ReflectionResult:
        parts = LoopConfig(stop_rules=rules, timeout_s=1e6, **config)
        async with Pipeline(painter, painter, painter, config=parts) as pipeline:
            return await pipeline.run("p", initial)

    return virtual_run(run())


def texts(result: ReflectionResult) -> list[str]:
    return [iteration.candidate.content for iteration in result.iterations]


SCORES = {"0": 0.2, "1": 0.6, "2": 0.4, "1a": 0.7, "2a": 0.8, "2aa": 0.9}


# -- several first candidates ----------------------------------------------------------------------


def test_the_best_of_several_first_candidates_is_revised() -> None:
    result = paint(Painter(SCORES), candidates=3, max_iterations=5)
    assert texts(result) == ["0", "1", "2", "1a", "1aa"]
    assert [iteration.index for iteration in result.iterations] == [0, 1, 2, 3, 4]


def test_first_candidates_count_among_the_judged() -> None:
    result = paint(Painter(SCORES), candidates=3, max_iterations=3)
    assert texts(result) == ["0", "1", "2"]
    assert (result.stop_reason, result.best_candidate.content) == ("max_iterations", "1")


def test_first_candidates_are_made_and_judged_side_by_side() -> None:
    painter = Painter(SCORES)
    paint(painter, candidates=3, max_iterations=3)
    assert painter.most == 3


def test_a_generator_that_makes_several_at_once_is_asked_once() -> None:
    painter = Painter(SCORES, drafts_at_once=5)
    assert texts(paint(painter, candidates=3, max_iterations=3)) == ["0", "1", "2"]
    assert painter.calls.count("generate") == 1


def test_the_first_candidate_is_the_one_given_by_the_caller() -> None:
    assert texts(paint(Painter(SCORES), initial="mine", candidates=2, max_iterations=2)) == ["mine", "0"]


def test_a_rule_sees_one_line_only() -> None:
    seen: list[list[tuple[int, str]]] = []

    def look(history: tuple[Iteration, ...], config: LoopConfig) -> None:
        seen.append([(iteration.index, iteration.candidate.content) for iteration in history])

    paint(Painter(SCORES), candidates=3, max_iterations=5, stop_rules=[look])
    assert seen[:2] == [[(0, "1")], [(0, "1"), (1, "1a")]]


def test_a_pick_of_a_rule_is_an_index_in_its_line() -> None:
    def pick_first(history: tuple[Iteration, ...], config: LoopConfig) -> Verdict | Revise:
        return Verdict("no_expected_gain", pick=0) if len(history) == 3 else Revise(0)

    result = paint(Painter(SCORES), candidates=3, max_iterations=9, stop_rules=[pick_first])
    assert texts(result) == ["0", "1", "2", "1a", "1a"]  # twice from the first of the line
    assert result.best_candidate.content == "1"


def test_findings_come_from_the_line_of_the_best_candidate() -> None:
    result = paint(Painter(SCORES), candidates=3, max_iterations=4)
    assert [(one.issue.message, one.first_iteration) for one in result.findings] == [("1", 1), ("1a", 3)]


# -- beams -----------------------------------------------------------------------------------------


def test_a_beam_revises_the_best_lines_side_by_side() -> None:
    painter = Painter(SCORES)
    result = paint(painter, candidates=3, beam=2, max_iterations=7)
    assert texts(result) == ["0", "1", "2", "1a", "2a", "2aa", "1aa"]  # the better line first
    assert result.best_candidate.content == "2aa"
    assert "revise 0" not in painter.calls


def test_the_last_place_in_a_beam_goes_to_the_better_line() -> None:
    result = paint(Painter(SCORES), candidates=3, beam=2, max_iterations=6)
    assert texts(result)[-1] == "2aa"


@pytest.mark.parametrize("most", [4, 5, 6, 7])
def test_lines_side_by_side_make_no_more_candidates_than_max_iterations(most: int) -> None:
    painter = Painter(SCORES)
    result = paint(painter, candidates=3, beam=3, max_iterations=most)
    assert (len(result.iterations), result.stop_reason) == (most, "max_iterations")
    assert sum(call.startswith("revise") for call in painter.calls) == most - 3


def test_a_line_that_stops_does_not_stop_the_others() -> None:
    def stop_low(history: tuple[Iteration, ...], config: LoopConfig) -> Verdict | None:
        return Verdict("score_plateau", {"of": history[-1].candidate.content}) if len(history) > 1 else None

    def stop_one(history: tuple[Iteration, ...], config: LoopConfig) -> Verdict | None:
        return stop_low(history, config) if history[0].candidate.content == "1" else None

    result = paint(Painter(SCORES), candidates=3, beam=2, max_iterations=6, stop_rules=[stop_one])
    assert texts(result) == ["0", "1", "2", "1a", "2a", "2aa"]
    result = paint(Painter(SCORES), candidates=3, beam=2, max_iterations=9, stop_rules=[stop_low])
    assert result.evidence == {"of": "2a"}  # the line that holds the best speaks last


def test_an_accepted_candidate_ends_the_whole_run() -> None:
    def accept(history: tuple[Iteration, ...], config: LoopConfig) -> Verdict | None:
        return Verdict("accepted") if history[-1].candidate.content == "2a" else None

    result = paint(Painter(SCORES), candidates=3, beam=2, max_iterations=9, stop_rules=[accept])
    assert result.accepted
    assert result.best_candidate.content == "2a"


@pytest.mark.parametrize(("candidates", "beam", "most"), [(0, 1, 3), (2, 3, 5), (4, 1, 3), (1, 0, 3), (True, 1, 3)])
def test_inconsistent_limits_are_refused(candidates: Any, beam: Any, most: int) -> None:
    with pytest.raises(ConfigurationError):
        LoopConfig(candidates=candidates, beam=beam, max_iterations=most)


@given(st.lists(st.floats(0, 1), min_size=30, max_size=30), st.integers(1, 5), st.integers(1, 5), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_the_best_is_judged_and_no_worse_than_any_and_no_limit_is_passed(
    scores: list[float], candidates: int, beam: int, most: int
) -> None:
    candidates = min(candidates, most)
    given_scores = iter(scores)

    class Judge(Painter):
        async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
            return CritiqueResult(score=next(given_scores))

    result = paint(Judge({}), candidates=candidates, beam=min(beam, candidates), max_iterations=most)
    assert len(result.iterations) == most
    assert result.best_candidate.score is not None
    assert result.best_candidate.score >= max(one.critique.score for one in result.iterations) - SLACK
    assert [iteration.index for iteration in result.iterations] == list(range(most))


# -- approval --------------------------------------------------------------------------------------


async def approved_by(approve: Any, **config: Any) -> tuple[ReflectionResult, list[Any]]:
    asked: list[Any] = []

    async def ask(revision: Candidate, before: Iteration, context: RunContext) -> Any:
        asked.append((revision.content, before.candidate.content))
        answer = approve(revision)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def generate(prompt: str, context: RunContext) -> str:
        return "0"

    painter = Painter(SCORES)
    loop = LoopConfig(stop_rules=(), max_iterations=3, timeout_s=1e6, **config)
    async with Pipeline(generate, painter, painter, config=loop, approve=ask) as pipeline:
        return await pipeline.run("p"), asked


@pytest.mark.virtual_clock
async def test_every_revision_is_shown_before_it_is_judged() -> None:
    result, asked = await approved_by(lambda revision: True)
    assert asked == [("0a", "0"), ("0aa", "0a")]
    assert texts(result) == ["0", "0a", "0aa"]


@pytest.mark.virtual_clock
async def test_a_revision_that_is_not_approved_ends_the_line_and_is_not_judged() -> None:
    result, _ = await approved_by(lambda revision: revision.content == "0a")
    assert texts(result) == ["0", "0a"]
    assert result.stop_reason == "declined"
    assert result.evidence["reasons"] == ["the revision was not approved"]


@pytest.mark.virtual_clock
@pytest.mark.parametrize("edited", ["by hand", Candidate("by hand")], ids=["text", "candidate"])
async def test_a_persons_text_replaces_the_revision(edited: Any) -> None:
    result, _ = await approved_by(lambda revision: edited)
    assert texts(result) == ["0", "by hand", "by hand"]
    assert result.iterations[1].candidate.parent_id == result.iterations[0].candidate.id


@pytest.mark.virtual_clock
@pytest.mark.parametrize("answer", [None, 3, RuntimeError("no")])
async def test_an_invalid_answer_ends_the_run_with_its_result_so_far(answer: Any) -> None:
    result, _ = await approved_by(lambda revision: answer)
    assert (result.stop_reason, result.error.component) == ("error", "approve")
    assert texts(result) == ["0"]


@pytest.mark.virtual_clock
async def test_a_person_may_take_longer_than_a_step() -> None:
    async def slowly(revision: Candidate, before: Iteration, context: RunContext) -> bool:
        await asyncio.sleep(3600.0)
        return True

    painter = Painter(SCORES)
    loop = LoopConfig(stop_rules=(), max_iterations=2, timeout_s=1e6, step_timeout_s=10.0)
    async with Pipeline(painter, painter, painter, config=loop, approve=slowly) as pipeline:
        events = [event async for event in pipeline.stream("p")]
    assert texts(events[-1].result) == ["0", "0a"]
    assert sum(isinstance(event, Revised) for event in events) == 1


def test_a_plain_function_may_approve_too() -> None:
    async def run() -> ReflectionResult:
        painter = Painter(SCORES)
        loop = LoopConfig(stop_rules=(), max_iterations=2)
        async with Pipeline(painter, painter, painter, config=loop, approve=lambda *about: True) as pipeline:
            return await pipeline.run("p")

    assert texts(virtual_run(run())) == ["0", "0a"]


# -- turns -----------------------------------------------------------------------------------------


@pytest.mark.virtual_clock
async def test_runs_wait_for_their_turn_and_their_time_begins_then() -> None:
    painter = Painter(SCORES)
    loop = LoopConfig(stop_rules=(), max_iterations=1, timeout_s=5.0)
    async with Pipeline(painter, painter, painter, config=loop, max_concurrency=2) as pipeline:
        results = await asyncio.gather(*(pipeline.run("p") for _ in range(20)))
    assert {result.stop_reason.value for result in results} == {"max_iterations"}  # none ran into its deadline
    assert painter.most == 2


@pytest.mark.virtual_clock
async def test_a_run_that_waits_can_be_cancelled() -> None:
    painter = Painter(SCORES)
    async with Pipeline(painter, painter, painter, max_concurrency=1) as pipeline:
        first = asyncio.ensure_future(pipeline.run("p", run_id="first"))
        await asyncio.sleep(0.5)
        second = asyncio.ensure_future(pipeline.run("p", run_id="second"))
        await asyncio.sleep(0.1)
        await pipeline.cancel("second")
        result = await second
        assert (result.stop_reason, result.iterations) == ("cancelled", ())
        assert not first.done()
        first.cancel()
        await asyncio.wait({first})
    assert painter.calls == ["generate"]


@pytest.mark.virtual_clock
async def test_runs_that_wait_when_the_pipeline_closes_end_as_cancelled() -> None:
    painter = Painter(SCORES)
    async with Pipeline(painter, painter, painter, max_concurrency=1) as pipeline:
        runs = [asyncio.ensure_future(pipeline.run("p")) for _ in range(3)]
        await asyncio.sleep(0.5)
    assert [(await run).stop_reason.value for run in runs] == ["cancelled"] * 3


@pytest.mark.virtual_clock
async def test_a_caller_that_leaves_while_it_waits_gives_its_turn_to_the_next() -> None:
    painter = Painter(SCORES)
    loop = LoopConfig(stop_rules=(), max_iterations=1)
    async with Pipeline(painter, painter, painter, config=loop, max_concurrency=1) as pipeline:
        runs = [asyncio.ensure_future(pipeline.run("p")) for _ in range(3)]
        await asyncio.sleep(0.5)
        runs[1].cancel()
        assert (await runs[2]).stop_reason == "max_iterations"
        await asyncio.wait(runs)


async def test_two_runs_of_one_id_are_refused_even_while_one_waits() -> None:
    painter = Painter(SCORES)
    async with Pipeline(painter, painter, painter, max_concurrency=1) as pipeline:
        runs = [asyncio.ensure_future(pipeline.run("p", run_id=run_id)) for run_id in ("a", "r")]
        await asyncio.sleep(0)
        with pytest.raises(ConfigurationError, match="in flight"):
            await pipeline.run("p", run_id="r")
        for run in runs:
            run.cancel()
        await asyncio.wait(runs)


@pytest.mark.parametrize("bad", [0, -1, 1.5, True, "3"])
def test_an_invalid_limit_is_refused(bad: Any) -> None:
    with pytest.raises(ConfigurationError):
        Pipeline(critiquer=Painter({}), max_concurrency=bad)
