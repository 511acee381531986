"""The adaptive policy with a generator that is told what was learnt: fresh candidates, then revisions."""

from __future__ import annotations

import json
from itertools import count
from math import exp
from typing import Any

import pytest
from hypothesis import given
from judged_histories import CONFIG, configs, histories, iteration, panel, prices, tools, verdict

from jido_ai.critics.acceptance import History, accepted
from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.loop.adaptive import adaptive, best_by_evidence
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.regeneration import best_by_opinion, regenerate_or_revise
from jido_ai.loop.replayed_run import replay
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.protocols import RunContext
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.testing import ScriptedModel
from jido_ai.values import Candidate, CompletionRequest, LoopConfig, Regenerate, Revise, StopReason, Verdict

DEAR = CONFIG.replace(call_price=1.0)


def fresh(index: int, score: float, issues: str = "a", **more: Any) -> Any:
    return iteration(index, score, issues, change=None, gain=None, **more)


# -- the rule --------------------------------------------------------------------------------------


@given(histories(), configs)
def test_picks_and_bases_are_judged_candidates(history: History, config: LoopConfig) -> None:
    decision = regenerate_or_revise(history, config)
    if not isinstance(decision, Regenerate):
        assert (decision.base if isinstance(decision, Revise) else decision.pick) in range(len(history))


@given(histories(), configs, prices)
def test_a_higher_price_never_prolongs_a_run(history: History, config: LoopConfig, more: float) -> None:
    if isinstance(regenerate_or_revise(history, config), Verdict):
        dearer = config.replace(call_price=config.call_price + more)
        assert isinstance(regenerate_or_revise(history, dearer), Verdict)


def test_with_one_model_as_judge_two_fresh_candidates_come_before_a_revision_of_the_best() -> None:
    first, second, third = iteration(0, 0.5), fresh(1, 0.6, "b"), fresh(2, 0.4, "c")
    assert regenerate_or_revise((first,), CONFIG) == Regenerate()
    assert regenerate_or_revise((first, second), CONFIG) == Regenerate()
    assert regenerate_or_revise((first, second, third), CONFIG) == Revise(1)


def test_a_third_fresh_candidate_comes_after_a_revision_that_fell() -> None:
    drafts = iteration(0, 0.5), fresh(1, 0.5, "b"), fresh(2, 0.5, "c")
    assert regenerate_or_revise((*drafts, iteration(3, 0.6, "d", parent_id="0")), CONFIG) == Revise(3)
    fell = (*drafts, iteration(3, 0.3, "d", parent_id="0"))
    assert regenerate_or_revise(fell, CONFIG) == Regenerate()
    assert isinstance(regenerate_or_revise((*fell, fresh(4, 0.5, "e")), CONFIG), Revise)


def test_two_more_fresh_candidates_come_if_they_repeat_reported_findings() -> None:
    heeded = iteration(0, 0.5, "ab"), fresh(1, 0.5, "cd"), fresh(2, 0.5, "ef")
    assert isinstance(regenerate_or_revise(heeded, CONFIG), Revise)
    repeated = iteration(0, 0.5, "ab"), fresh(1, 0.5, "ac"), fresh(2, 0.5, "ad")
    assert regenerate_or_revise(repeated, CONFIG) == Regenerate()
    assert regenerate_or_revise((*repeated, fresh(3, 0.5, "ae")), CONFIG) == Regenerate()
    last = regenerate_or_revise((*repeated, fresh(3, 0.5, "ae"), fresh(4, 0.5, "af")), CONFIG)
    assert not isinstance(last, Regenerate)


def test_a_single_model_s_finding_may_survive_three_drafts_and_revisions() -> None:
    drafts = iteration(0, 0.5, "a"), fresh(1, 0.5, "b"), fresh(2, 0.5, "c")
    twice = (*drafts, iteration(3, 0.5, "a", parent_id="0"), iteration(4, 0.5, "a", parent_id="3"))
    assert isinstance(regenerate_or_revise(twice, CONFIG), Revise)
    assert isinstance(adaptive(twice, CONFIG), Verdict), "two, where a generator cannot be told"
    thrice = (*twice, iteration(5, 0.5, "a", parent_id="4"))
    assert verdict(regenerate_or_revise(thrice, CONFIG)).evidence["survived_revisions"] == 3


def test_findings_that_fresh_candidates_fix_count_for_the_expected_gain_of_a_revision() -> None:
    heeded = verdict(regenerate_or_revise((iteration(0, 0.95, "abcd"), fresh(1, 0.95, "e")), DEAR))
    repeated = verdict(regenerate_or_revise((iteration(0, 0.95, "abcd"), fresh(1, 0.95, "abcd")), DEAR))
    assert heeded.evidence["fix_rate"] == pytest.approx(9 / 14)
    assert repeated.evidence["fix_rate"] == pytest.approx(5 / 14)


def test_a_run_judged_by_tool_and_model_or_by_several_models_asks_for_no_fresh_candidate() -> None:
    assert regenerate_or_revise(panel("model:m", "tool:t"), CONFIG) == Revise(0)
    assert regenerate_or_revise(panel("model:m", "model:n"), CONFIG) == Revise(0)


def test_a_fresh_candidate_that_repeats_an_earlier_text_is_the_last_one_but_does_not_end_the_run() -> None:
    repeated = (iteration(0, 0.5, text="x"), fresh(1, 0.5, text="x"))
    assert regenerate_or_revise(repeated, CONFIG) == Revise(0)
    cycle = verdict(regenerate_or_revise((iteration(0, 0.5, text="x"), iteration(1, 0.5, text="x")), CONFIG))
    assert cycle.reason is StopReason.CYCLE


def test_no_fresh_candidate_is_worth_more_than_it_can_win() -> None:
    good = (iteration(0, 0.95, "a", severity=0.3),)
    found = verdict(regenerate_or_revise(good, CONFIG.replace(severity_threshold=0.1)))
    assert found.reason is StopReason.NO_EXPECTED_GAIN
    assert 0.0 < found.evidence["expected_excess"] < found.evidence["price_of_draft"] == 0.02
    dear = verdict(regenerate_or_revise((iteration(0, 0.5),), CONFIG.replace(call_price=1.0)))
    assert dear.evidence["drafts"] == 1


def test_an_accepted_candidate_without_findings_ends_the_run_and_is_picked() -> None:
    history = (iteration(0, 0.9, severity=0.6), fresh(1, 0.8, "", severity=0.1))
    found = verdict(regenerate_or_revise(history, CONFIG))
    assert (found.reason, found.pick) == (StopReason.ACCEPTED, 1)


def test_an_accepted_candidate_with_findings_ends_the_run_if_it_is_the_best() -> None:
    history = (iteration(0, 0.5, severity=0.6), fresh(1, 0.8, "b", severity=0.1))
    found = verdict(regenerate_or_revise(history, CONFIG))
    assert (found.reason, found.pick) == (StopReason.ACCEPTED, 1)


def test_an_accepted_candidate_with_findings_that_is_not_the_best_neither_ends_the_run_nor_is_revised() -> None:
    drafts = iteration(0, 0.6, "a", severity=0.4), fresh(1, 0.5, "b"), fresh(2, 0.4, "cde", severity=0.2)
    assert regenerate_or_revise(drafts, CONFIG) == Revise(0)
    revised = (*drafts[:2], fresh(2, 0.4, "c"), iteration(3, 0.55, "def", severity=0.2, parent_id="0"))
    assert regenerate_or_revise(revised, CONFIG) == Revise(0)
    clean = CONFIG.replace(accept="clean")
    assert regenerate_or_revise(drafts, clean) == Revise(0), "accepted only without findings, which always ends it"


def test_an_accepted_candidate_that_proves_to_be_the_best_ends_the_run() -> None:
    drafts = iteration(0, 0.65, "abc", severity=0.2), fresh(1, 0.65, "d", severity=0.4)
    assert best_by_opinion(drafts) == 1
    assert regenerate_or_revise(drafts, CONFIG) == Regenerate()
    found = verdict(regenerate_or_revise((*drafts, fresh(2, 0.3, "abc", severity=0.6)), CONFIG))
    assert (found.reason, found.pick) == (StopReason.ACCEPTED, 0)


@given(histories(), configs)
def test_an_accepted_candidate_is_never_revised(history: History, config: LoopConfig) -> None:
    opinions = all(part.source != "tool:t" for one in history for part in (one.critique, *one.critique.parts))
    decision = regenerate_or_revise(history, config)
    if opinions and isinstance(decision, Revise):
        assert accepted((history[decision.base],), config) is None


def test_opinions_rank_by_score_and_findings_together() -> None:
    many = (iteration(0, 0.60, "a"), fresh(1, 0.65, "bcd"))
    assert best_by_opinion(many) == 0
    assert best_by_opinion((iteration(0, 0.60, "a"), fresh(1, 0.65, "b"))) == 1
    assert best_by_opinion((iteration(0, 0.60, "a"), fresh(1, 0.60, "b"))) == 0, "a tie goes to the earlier"


def test_a_later_candidate_is_the_best_only_if_it_is_ahead_of_the_first_by_a_hundredth() -> None:
    first = iteration(0, 0.60, "a")
    assert best_by_opinion((first, fresh(1, 0.61, "b"))) == 0
    assert best_by_opinion((first, fresh(1, 0.62, "b"))) == 1
    assert best_by_opinion((first, fresh(1, 0.62, "b"), fresh(2, 0.625, "c"))) == 2, "among later ones any lead counts"


def test_a_finding_reported_before_and_after_a_candidate_but_not_in_it_counts_by_half() -> None:
    def worth_of_the_last(finding: str) -> float:
        """Return the worth of a candidate that is judged once the finding is reported, or not, after it."""
        history = (iteration(0, 0.2, "a"), fresh(1, 0.8, "b"), fresh(2, 0.2, finding))
        return float(verdict(regenerate_or_revise(history, DEAR)).evidence["worth"])

    assert worth_of_the_last("c") == pytest.approx(0.7 * 0.8 + 0.3 * exp(-0.45 * 0.5))
    assert worth_of_the_last("a") == pytest.approx(0.7 * 0.8 + 0.3 * exp(-0.45 * (0.5 + 0.5 * 0.5)))
    assert worth_of_the_last("b") == pytest.approx(0.7 * 0.8 + 0.3 * exp(-0.45 * 0.5)), "it is reported there"
    close = iteration(0, 0.60, "a"), fresh(1, 0.62, "b")
    assert best_by_opinion((*close, fresh(2, 0.2, "c"))) == 1
    assert best_by_opinion((*close, fresh(2, 0.2, "a"))) == 0


def test_an_overlooked_finding_has_the_severity_of_its_last_report_before() -> None:
    history = (
        iteration(0, 0.2, "a", severity=1.0), fresh(1, 0.2, "a", severity=0.4), fresh(2, 0.8, "b"), fresh(3, 0.2, "a")
    )  # fmt: skip
    worth = verdict(regenerate_or_revise(history, DEAR)).evidence["worth"]
    assert worth == pytest.approx(0.7 * 0.8 + 0.3 * exp(-0.45 * (0.5 + 0.5 * 0.4)))


def test_findings_of_tools_rank_as_under_the_adaptive_policy() -> None:
    history = (tools(0, 0.9, "ab"), tools(1, 0.4, "a"))
    assert best_by_opinion(history) == best_by_evidence(history) == 1


# -- in a pipeline ---------------------------------------------------------------------------------


def model(seen: list[CompletionRequest]) -> ScriptedModel:
    """Write drafts and revisions that are all different, and judge the tenth text good."""
    written, judged = count(), count()

    def answer(request: CompletionRequest) -> str:
        seen.append(request)
        text = f"text {next(written)}" if "severity" not in str(request.schema) else ""
        if request.schema is None:
            return text
        letter = "abcdefghijkl"[next(judged)]
        return json.dumps({"issues": [f"{letter * 12} is wrong"], "severity": 0.6, "suggestions": [], "feedback": ""})

    return ScriptedModel(answer)


async def kinds_of(
    *, generator: Any = None, memory: ReflexionMemory | None = None, **options: Any
) -> tuple[str, list[CompletionRequest]]:
    """Return for each candidate whether it is fresh (f) or a revision (r), and the requests."""
    seen: list[CompletionRequest] = []
    one = model(seen)
    config = LoopConfig(policy="adaptive", max_iterations=4)
    generator = LLMGenerator(one) if generator is None else generator(one)
    async with Pipeline(generator, LLMCritiquer(one), LLMReviser(one), config=config, memory=memory) as pipeline:
        result = await pipeline.run("write", run_id="run", **options)
    assert result.error is None
    return "".join("f" if one.change is None else "r" for one in result.iterations), seen


async def test_a_generator_that_uses_attempts_begins_again_and_sees_the_findings() -> None:
    kinds, seen = await kinds_of()
    assert kinds == "fffr"
    first, second, third = [
        request.messages[-1].content
        for request in seen
        if request.schema is None and "<candidate>" not in request.messages[-1].content
    ]
    assert first == "write"
    assert "aaaaaaaaaaaa is wrong" in second
    assert "bbbbbbbbbbbb" not in second
    assert "aaaaaaaaaaaa is wrong" in third
    assert "bbbbbbbbbbbb is wrong" in third


@pytest.mark.parametrize(
    "generator", [lambda model: LLMGenerator(model, uses_attempts=False), lambda model: lambda prompt, context: "draft"]
)
async def test_any_other_generator_is_asked_once(generator: Any) -> None:
    kinds, _ = await kinds_of(generator=generator)
    assert kinds[:2] == "fr"
    assert kinds.count("f") == 1


async def test_fresh_candidates_replace_no_revision_that_a_person_approves() -> None:
    async def approve(revision: Candidate, _iteration: object, _context: RunContext) -> bool:
        return True

    kinds, _ = await kinds_of(approve=approve)
    assert kinds.count("f") == 1


async def test_a_recorded_run_that_began_again_replays_the_same() -> None:
    async with ReflexionMemory() as memory:
        await kinds_of(memory=memory)
        recorded = await RunJournal(memory).load("run")
        assert recorded.rules == ("stop rule regenerate_or_revise",)
        assert (await replay(recorded)).differences == ()
