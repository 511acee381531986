"""The work of `jido progress`: how attempts develop by task type, and whether lessons help."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TextIO

from rich.console import Group, RenderableType
from rich.text import Text

from jido_ai.cli.memory_place import OWN_TENANT, open_memory, scope_of
from jido_ai.cli.pictures import console_for, write_svg
from jido_ai.learning.progress import VerifiedLearning
from jido_ai.learning.progress_report import ProgressReport, TypeProgress, progress_report, report_map
from jido_ai.reflection.evaluation import trigger_statistics
from jido_ai.text.printable import clip, printable
from jido_ai.values import LearningProgress

_HEIGHT: Final = 5
_BARS: Final = 90
_EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
_TEXT_CHARS: Final = 90
_ENOUGH_FOR_PERCENT: Final = 20
_ENOUGH_FOR_A_TREND: Final = 6
_MEDIUM: Final = 20
_RECENT: Final = 5


def show_progress_of(
    memory: str | None, scope: str | None, task_type: str | None, out: TextIO, *, as_json: bool, svg: Path | None
) -> None:
    """Read the attempts of a memory and draw how they develop."""

    async def read() -> ProgressReport:
        async with open_memory(memory) as known:
            whose = OWN_TENANT if scope is None else scope_of(scope)
            return await progress_report(known, whose, task_type)

    report = asyncio.run(read())
    show_progress(report, out, as_json=as_json)
    if svg is not None:
        write_svg(draw_progress(report), "progress", svg)


# -- the picture -----------------------------------------------------------------------------------


def show_progress(report: ProgressReport, out: TextIO, *, as_json: bool) -> None:
    """Print what `progress_report` found."""
    if as_json:
        out.write(json.dumps(report_map(report), indent=2) + "\n")
    else:
        console_for(out).print(draw_progress(report))


def draw_progress(report: ProgressReport) -> RenderableType:
    """Return the result of each task type, last whether lessons help and how often a reflection was called for.

    A task type with more than one attempt has a chart with the score of each.
    """
    parts: list[RenderableType] = []
    for one in report.types:
        parts.append(_head(one))
        if len(one.scores) > 1:
            parts += [_chart(one.scores), _figures(one.progress)]
        parts.append(Text(""))
    if report.types:
        parts += [Text(line) for line in memory_in_words(report.memory)]
        parts.append(Text(verified_in_words(report.verified)))
        if report.rewards:
            parts.append(Text(_triggers_in_words(report.rewards)))
    else:
        parts.append(Text("no attempts are recorded yet"))
    if report.unreadable:
        parts.append(Text(f"{report.unreadable} records of the log cannot be read as attempts; left out", "yellow"))
    return Group(*parts)


def _triggers_in_words(rewards: Sequence[float]) -> str:
    told = trigger_statistics(rewards)
    return (
        f"{told['triggered']} of {told['total']} judged attempts ({told['rate_percent']} %) had a reward below "
        f"{told['threshold']:g}, which calls for a reflection; mean reward {told['mean_reward']:+g}."
    )


def _head(one: TypeProgress) -> Text:
    told: list[str] = []
    progress, idle = one.progress, one.runs_without_attempt
    if one.scores:
        attempts = progress.total_attempts
        successes = round(progress.success_rate * attempts)
        told.append(f"{_share(successes, attempts)}, mean score {progress.average_score:.2f}")
    if idle:
        told.append(f"{_runs(idle)} changed nothing: no attempt")
    return Text.assemble((_shown(progress.task_type) or "(no task type)", "bold"), f"  {'; '.join(told)}")


def _share(successes: int, attempts: int) -> str:
    """Say how many attempts succeeded, in percent only if there are enough of them."""
    if attempts == 1:
        return f"1 attempt, {'succeeded' if successes else 'did not succeed'}"
    if attempts < _ENOUGH_FOR_PERCENT:
        return f"{attempts} attempts, {successes} succeeded"
    return f"{attempts:,} attempts, {successes / attempts:.0%} succeeded"


def _runs(count: int) -> str:
    return "1 run" if count == 1 else f"{count:,} runs"


def _chart(scores: Sequence[tuple[float | None, bool]]) -> Text:
    """Draw one bar per attempt, the newest at the right: green succeeded, red did not, a dot was not judged."""
    drawn = scores[-_BARS:]
    text = Text()
    for row in range(_HEIGHT, 0, -1):
        label = {_HEIGHT: "1.0 ", 1: "0.0 "}.get(row, "    ")
        text.append(label + "│", "dim")
        for score, is_success in drawn:
            text.append(_cell(score, row), "green" if is_success else "red")
        text.append("\n")
    first = len(scores) - len(drawn) + 1
    last = str(len(scores))
    text.append(f"    └{'─' * len(drawn)}\n", "dim")
    ends = (
        str(first) if len(drawn) < len(str(first)) + len(last) + 1 else f"{first}{last:>{len(drawn) - len(str(first))}}"
    )
    text.append(f"     {ends}", "dim")
    return text


def _cell(score: float | None, row: int) -> str:
    """Return the part of a bar that is seen in a row; rows count from 1, at the bottom, where a bar is never empty."""
    if score is None:
        return "·" if row == 1 else " "
    eighths = math.floor(8 * (score * _HEIGHT - (row - 1)) + 0.5)
    return _EIGHTHS[max(1 if row == 1 else 0, min(8, eighths))]


def _figures(progress: LearningProgress) -> Text:
    rows: list[tuple[str, str]] = []
    attempts = progress.total_attempts
    if attempts >= _ENOUGH_FOR_A_TREND:
        trends = [f"{progress.improvement_trend:+.2f} over all"]
        trends += [f"{progress.medium_trend:+.2f} over the last {_MEDIUM}"] if attempts > _MEDIUM else []
        trends += [f"{progress.recent_trend:+.2f} over the last {_RECENT}"] if attempts > _RECENT else []
        rows.append(("trend", ", ".join(trends)))
    if progress.last_improvement is not None:
        rows.append(("last", f"{progress.last_improvement:+.2f} against the attempt before"))
    if progress.plateau:
        rows.append(("plateau", f"nothing gained in the last {progress.plateau_attempts} attempts"))
    rows += [("lesson", lesson) for lesson in progress.key_lessons]
    if progress.persistent_issues:
        rows.append(("issues", ", ".join(progress.persistent_issues)))
    if progress.next_focus_areas:
        rows.append(("next", ", ".join(progress.next_focus_areas)))
    text = Text()
    for label, value in rows:
        text.append(f"  {label:<9}", "dim")
        text.append(f"{clip(_shown(value), _TEXT_CHARS)}\n")
    text.rstrip()
    return text


def memory_in_words(table: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say whether memory helps, a line for each kind and task type for which it found anything."""
    rows = [row for row in table if row["with"]["runs"] or row["without"]["runs"]]
    if not rows:
        return []
    lines = [
        "Does the memory help? First answers of runs that were shown what it found, and of runs held out at random:"
    ]
    for row in rows:
        name = f"{row['of']}, {'all tasks' if row['task_type'] is None else _shown(row['task_type'])}"
        told = [_first_answers(row["with"], "with"), _first_answers(row["without"], "without")]
        paused = " Paused for now." if row["paused"] else ""
        lines.append(f"  {clip(name, _TEXT_CHARS)}: {row['text']}. {told[0]}; {told[1]}.{paused}")
    return lines


def _first_answers(group: Mapping[str, Any], name: str) -> str:
    calls = "" if group["calls"] is None else f", {group['calls']:.2f} calls until accepted"
    return f"{group['passed']:,} of {group['runs']:,} passed {name}{calls}"


def verified_in_words(verified: VerifiedLearning) -> str:
    """Say whether attempts with lessons did better: percentages and a difference only if it is not chance."""
    count, others = verified.with_lessons, verified.without_lessons
    if not count and not others:
        return "lessons: no attempts yet, so nothing can be said about them."
    if not count or not others:
        whose = "all attempts" if count else "no attempt"
        return f"lessons: {whose} used lessons, so there is nothing to compare."
    if verified.difference is None or verified.low is None or verified.high is None or verified.verdict == "not shown":
        used, unused = (_counted(verified.rate_with, count), _counted(verified.rate_without, others))
        return (
            f"lessons: {used} attempts that used lessons succeeded, {unused} of the others: "
            "not enough to tell a difference from chance."
        )
    told = [
        _group("used lessons", count, verified.rate_with),
        _group("did not", others, verified.rate_without),
    ]
    low, high = 100 * verified.low, 100 * verified.high
    points = f"{100 * verified.difference:+.0f} points, 95 % interval {low:+.0f} to {high:+.0f}"
    return (
        f"lessons: {told[0]}; {told[1]}. Difference {points}: attempts with lessons did {verified.verdict}. "
        "This is a correlation, not proof of a cause."
    )


def _counted(rate: float | None, count: int) -> str:
    return f"{round((rate or 0.0) * count)} of {count:,}"


def _group(what: str, count: int, rate: float | None) -> str:
    attempts = "1 attempt" if count == 1 else f"{count:,} attempts"
    return f"{attempts} {what}" + ("" if rate is None else f", {rate:.0%} succeeded")


def _shown(text: str) -> str:
    return " ".join(printable(text).split())
