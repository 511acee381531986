"""How attempts develop, told and drawn."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.cli.pictures import write_svg
from jido_ai.cli.progress import draw_progress, show_progress, verified_in_words
from jido_ai.errors import ConfigurationError, NotFoundError
from jido_ai.learning.progress import VerifiedLearning
from jido_ai.learning.progress_report import ProgressReport, progress_report
from jido_ai.loop.memory import remember
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import CritiqueResult, Episode, MemoryEntry, Scope, utc_now
from jido_ai.values.record import Record

START = utc_now()


@pytest.fixture
async def memory() -> AsyncIterator[ReflexionMemory]:
    async with ReflexionMemory() as memory:
        yield memory


def attempt(n: int, score: float | None, **more: Any) -> Episode:
    critique = None if score is None else CritiqueResult(score=score, **more.pop("judged", {}))
    fields: dict[str, Any] = {
        "task_type": "parse",
        "timestamp": START + timedelta(minutes=n),
        "id": f"e{n}",
        "critique": critique,
    }
    return Episode("parse it", **{**fields, **more})


def shown(report: ProgressReport, *, as_json: bool = False) -> str:
    out = io.StringIO()
    show_progress(report, out, as_json=as_json)
    return out.getvalue()


async def test_attempts_are_listed_by_task_type_newest_first(memory: ReflexionMemory) -> None:
    await remember(memory, [attempt(3, 1.0), attempt(1, 0.2, task_type="write"), attempt(2, 0.5), attempt(9, 0.4)])
    report = await progress_report(memory)
    assert [one.progress.task_type for one in report.types] == ["parse", "write"]
    assert [score for score, _ in report.types[0].scores] == [0.5, 1.0, 0.4]  # by time, not as they were written
    assert report.types[0].progress.success_rate == pytest.approx(1 / 3)
    assert "parse  3 attempts, 1 succeeded, mean score 0.63" in shown(report)


async def test_the_last_of_two_records_of_an_episode_counts(memory: ReflexionMemory) -> None:
    await remember(memory, [attempt(1, 0.2)])
    await remember(memory, [attempt(1, 0.9)])
    report = await progress_report(memory)
    assert [score for score, _ in report.types[0].scores] == [0.9]


async def test_one_task_type_can_be_selected_and_an_unknown_one_is_reported(memory: ReflexionMemory) -> None:
    await remember(memory, [attempt(1, 0.2), attempt(2, 0.3, task_type=None)])
    assert [one.progress.total_attempts for one in (await progress_report(memory, task_type="parse")).types] == [1]
    assert [one.progress.task_type for one in (await progress_report(memory, task_type="")).types] == [""]
    with pytest.raises(NotFoundError, match="'sing' is recorded in default/default"):
        await progress_report(memory, task_type="sing")


async def test_another_scope_is_never_seen(memory: ReflexionMemory) -> None:
    other = Scope("a/b", "c")
    await remember(memory, [attempt(1, 0.2), attempt(2, 0.9, scope=other)])
    assert [score for score, _ in (await progress_report(memory, other)).types[0].scores] == [0.9]
    assert [score for score, _ in (await progress_report(memory)).types[0].scores] == [0.2]


async def test_key_lessons_are_lessons_of_the_type_and_lessons_used_by_its_attempts(memory: ReflexionMemory) -> None:
    kept = [
        await memory.store(MemoryEntry("p", "m", f"lesson {name}", task_type=task_type))
        for name, task_type in (("of the type", "parse"), ("used", None), ("of nobody", None))
    ]
    for entry in kept:
        await memory.record_usage(entry.id, success=True)
    await remember(memory, [attempt(1, 0.2, memories_used=(kept[1].id, "forgotten since"))])
    (one,) = (await progress_report(memory)).types
    assert sorted(one.progress.key_lessons) == ["lesson of the type", "lesson used"]


async def test_a_record_that_is_not_an_episode_is_skipped_and_reported(memory: ReflexionMemory) -> None:
    await memory.append([Record(log="episodes", key="x", kind="parse", data={"outcome": "nobody knows"})])
    await remember(memory, [attempt(1, 0.2)])
    report = await progress_report(memory)
    assert (len(report.types), report.unreadable) == (1, 1)
    assert "1 records of the log cannot be read" in shown(report)


async def test_figures_are_in_the_picture(memory: ReflexionMemory) -> None:
    judged = {"criterion_scores": {"clarity": 0.2, "accuracy": 0.9}}
    await remember(
        memory, [attempt(n, 0.5, judged=judged, error="IndexError: list index out of range") for n in range(6)]
    )
    text = shown(await progress_report(memory))
    assert "trend    +0.00 over all, +0.00 over the last 5" in text
    assert "nothing gained in the last 6 attempts" in text
    assert "issues   index" in text
    assert "next     clarity, accuracy" in text


async def test_a_bar_is_as_high_as_the_score_and_the_newest_is_at_the_right(memory: ReflexionMemory) -> None:
    await remember(memory, [attempt(1, 0.0), attempt(2, 0.5), attempt(3, 1.0), attempt(4, None)])
    lines = shown(await progress_report(memory)).splitlines()[1:8]
    assert [line.rstrip() for line in lines] == [
        "1.0 │  █",
        "    │  █",
        "    │ ▄█",
        "    │ ██",
        "0.0 │▁██·",
        "    └────",
        "     1  4",
    ]


async def test_only_the_newest_90_are_drawn_and_the_axis_says_which(memory: ReflexionMemory) -> None:
    await remember(memory, [attempt(n, 0.5) for n in range(1, 101)])
    lines = shown(await progress_report(memory)).splitlines()
    assert lines[7].split() == ["11", "100"]
    assert len(lines[6].strip()) == 91


async def test_the_same_picture_as_svg_fetches_nothing(memory: ReflexionMemory, tmp_path: Path) -> None:
    await remember(memory, [attempt(n, n / 10) for n in range(10)])
    picture = draw_progress(await progress_report(memory))
    write_svg(picture, "progress", tmp_path / "p.svg")
    svg = (tmp_path / "p.svg").read_text("utf-8")
    assert "<svg" in svg
    assert "█" in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    with pytest.raises(ConfigurationError, match="name another --svg"):
        write_svg(picture, "progress", tmp_path / "no such directory" / "p.svg")


async def test_a_missing_history_is_stated_plainly(memory: ReflexionMemory) -> None:
    assert shown(await progress_report(memory)) == "no attempts are recorded yet\n"


async def test_a_task_type_cannot_steer_the_terminal(memory: ReflexionMemory) -> None:
    await remember(memory, [attempt(1, 0.5, task_type="\x1b[31m[red]x\n")])
    text = shown(await progress_report(memory))
    assert "\x1b" not in text
    assert "[red]x" in text


async def test_json_has_every_figure(memory: ReflexionMemory) -> None:
    await remember(memory, [attempt(1, 0.5, memories_used=("x",)), attempt(2, 0.9)])
    told = json.loads(shown(await progress_report(memory), as_json=True))
    assert told["task_types"][0]["scores"] == [0.5, 0.9]
    assert told["task_types"][0]["improvement_trend"] == pytest.approx(0.4)
    assert (told["verified"]["with_lessons"], told["verified"]["verdict"]) == (1, "not shown")


@pytest.mark.rows("C7")
async def test_the_number_of_expected_reflections_is_shown(memory: ReflexionMemory) -> None:
    rewarded = {"reward": -0.5}
    await remember(memory, [attempt(1, 0.25, judged=rewarded), attempt(2, 0.65), attempt(3, 0.9), attempt(4, None)])
    report = await progress_report(memory)
    told = json.loads(shown(report, as_json=True))["reflection"]
    assert told == {"total": 3, "triggered": 1, "rate_percent": 33.3, "mean_reward": 0.2, "threshold": 0.3}
    line = "1 of 3 judged attempts (33.3 %) had a reward below 0.3, which calls for a reflection; mean reward +0.2."
    assert line in shown(report)


@pytest.mark.rows("M39")
def test_verified_learning_is_described_in_plain_words_with_its_interval() -> None:
    better = VerifiedLearning(20, 20, 0.9, 0.4, 0.5, 0.215, 0.71)
    assert verified_in_words(better) == (
        "lessons: 20 attempts used lessons, 90% succeeded; 20 attempts did not, 40% succeeded. "
        "Difference +50 points, 95 % interval +22 to +71: attempts with lessons did better. "
        "This is a correlation, not proof of a cause."
    )
    assert "did worse" in verified_in_words(VerifiedLearning(20, 20, 0.1, 0.9, -0.8, -0.9, -0.5))
    assert "not enough to tell" in verified_in_words(VerifiedLearning(2, 2, 1.0, 0.5, 0.5, -0.3, 0.9))


def test_too_few_attempts_are_counted_without_percentages_and_differences() -> None:
    text = verified_in_words(VerifiedLearning(2, 2, 1.0, 0.5, 0.5, -0.3, 0.9))
    assert text == (
        "lessons: 2 of 2 attempts that used lessons succeeded, 1 of 2 of the others: "
        "not enough to tell a difference from chance."
    )
    assert "%" not in text
    assert "points" not in text


def test_without_attempts_of_both_kinds_nothing_is_compared() -> None:
    none = VerifiedLearning(0, 1, None, 1.0, None, None, None)
    assert verified_in_words(none) == ("lessons: no attempt used lessons, so there is nothing to compare.")
    every = VerifiedLearning(3, 0, 1.0, None, None, None, None)
    assert verified_in_words(every) == "lessons: all attempts used lessons, so there is nothing to compare."
    nothing = VerifiedLearning(0, 0, None, None, None, None, None)
    assert verified_in_words(nothing) == "lessons: no attempts yet, so nothing can be said about them."


def of_run(n: int, run: str, score: float, **more: Any) -> Episode:
    return attempt(n, score, metadata={"run_id": run, **more.pop("metadata", {})}, **more)


async def test_a_first_draft_that_its_run_improved_is_no_failure(memory: ReflexionMemory) -> None:
    await remember(memory, [of_run(1, "a", 0.2), of_run(2, "a", 0.9), of_run(3, "b", 0.3), of_run(4, "b", 0.8)])
    report = await progress_report(memory)
    assert [score for score, _ in report.types[0].scores] == [0.9, 0.8]
    assert "parse  2 attempts, 2 succeeded, mean score 0.85" in shown(report)


async def test_a_run_that_used_lessons_in_any_attempt_counts_once_among_those_with_lessons(
    memory: ReflexionMemory,
) -> None:
    await remember(memory, [of_run(1, "a", 0.2), of_run(2, "a", 0.9, memories_used=("x",)), of_run(3, "b", 0.9)])
    verified = (await progress_report(memory)).verified
    assert (verified.with_lessons, verified.without_lessons) == (1, 1)
    assert (verified.rate_with, verified.rate_without) == (1.0, 1.0)


async def test_files_without_findings_are_no_evidence(memory: ReflexionMemory) -> None:
    given = {"given": True}
    clean = [of_run(n, f"clean{n}", 1.0, metadata=given, memories_used=("x",)) for n in range(3)]
    await remember(memory, [of_run(7, "a", 0.4, metadata=given), of_run(8, "a", 0.9), *clean])
    report = await progress_report(memory)
    assert (report.verified.with_lessons, report.verified.without_lessons) == (0, 1)
    text = shown(report)
    assert "parse  1 attempt, succeeded, mean score 0.90; 3 runs changed nothing: no attempt" in text
    assert "no attempt used lessons" in text
    assert "%" not in text.split("lessons: ")[1].split("\n")[0]
    assert len(report.rewards) == 1


async def test_clean_files_alone_show_no_chart(memory: ReflexionMemory) -> None:
    await remember(memory, [of_run(n, f"r{n}", 1.0, metadata={"given": True}) for n in range(3)])
    assert shown(await progress_report(memory)) == (
        "parse  3 runs changed nothing: no attempt\n\nlessons: no attempts yet, so nothing can be said about them.\n"
    )


async def test_fewer_than_six_attempts_have_no_trend(memory: ReflexionMemory) -> None:
    await remember(memory, [attempt(n, 0.2 * n) for n in range(1, 6)])
    assert "trend" not in shown(await progress_report(memory))


async def test_twenty_attempts_have_a_percentage(memory: ReflexionMemory) -> None:
    await remember(memory, [attempt(n, 0.9 if n % 4 else 0.2) for n in range(20)])
    assert "20 attempts, 75% succeeded" in shown(await progress_report(memory))


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=2, max_size=12))
@settings(max_examples=25, deadline=None)
async def test_every_attempt_is_one_column_whatever_its_score(scores: list[float | None]) -> None:
    async with ReflexionMemory() as memory:
        await remember(memory, [attempt(n, score) for n, score in enumerate(scores)])
        lines = shown(await progress_report(memory)).splitlines()
    bottom = lines[5].removeprefix("0.0 │")
    assert len(bottom) == len(scores)
    assert [cell == "·" for cell in bottom] == [score is None for score in scores]
