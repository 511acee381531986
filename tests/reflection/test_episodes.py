"""Episodes: an iteration of a run as the record of an attempt."""

from __future__ import annotations

import pytest

from jido_ai.reflection.episodes import episode_of
from jido_ai.values import Candidate, CritiqueResult, Episode, Iteration, MemoryEntry, Scope, Usage

CRITIQUE = CritiqueResult(severity=0.5, issues=["too slow"], outcome="failure")
LESSON = MemoryEntry("p", "m", "c")


def second(**metadata: object) -> Episode:
    iteration = Iteration(1, Candidate("x"), CRITIQUE, gain=-0.25, duration_s=2.5, usage=Usage(3, 10, 5, 0.5))
    return episode_of(
        iteration, prompt="p", run_id="r", scope=Scope("t"), metadata=metadata, lessons=[LESSON, MemoryEntry("q")]
    )


@pytest.mark.rows("H1", "M10")
def test_an_attempt_is_known_by_its_run_and_its_number_from_one() -> None:
    episode = second()
    assert (episode.id, episode.session_id, episode.turn_id, episode.attempt) == ("episode_r_1", "r", "r:1", 2)
    assert (episode.prompt, episode.scope, episode.metadata) == ("p", Scope("t"), {"run_id": "r"})


@pytest.mark.rows("H53", "M9", "R7")
def test_the_caller_may_name_task_type_agent_session_and_goal_as_texts() -> None:
    named = second(task_type="dates", agent_id="me", session_id="s", goal="be right")
    assert (named.task_type, named.agent_id, named.session_id, named.goal) == ("dates", "me", "s", "be right")
    assert second(agent_id=" ", goal=3).agent_id == "jido"
    assert second(goal=3).goal is None


@pytest.mark.rows("M9", "M12")
def test_an_attempt_names_the_lessons_it_was_offered() -> None:
    assert second().memories_used[0] == LESSON.id
    assert len(second().memories_used) == 2


@pytest.mark.rows("M11")
def test_outcome_issues_and_time_of_an_attempt_are_kept() -> None:
    episode = second()
    assert (episode.outcome, episode.critique) == ("failure", CRITIQUE)
    assert episode.candidate is not None
    assert episode.candidate.content == "x"
    assert episode.metrics["duration_s"] == 2.5


@pytest.mark.rows("M12")
def test_the_cost_of_an_attempt_is_kept_in_metrics() -> None:
    metrics = second().metrics
    assert (metrics["calls"], metrics["tokens"], metrics["cost_usd"]) == (3.0, 15.0, 0.5)


@pytest.mark.rows("M10")
def test_an_attempt_tells_its_gain_over_the_one_it_was_made_from() -> None:
    assert second().metrics["gain"] == pytest.approx(-0.25)
    first = episode_of(Iteration(0, Candidate("x"), CRITIQUE), prompt="p", run_id="r", scope=Scope(), metadata={})
    assert "gain" not in first.metrics
