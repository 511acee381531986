"""The result of a comparison: rows, pairs, hollow checks, and one sentence of advice. Pure."""

from __future__ import annotations

import dataclasses
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, Final, NamedTuple, cast

from pydantic import TypeAdapter, ValidationError

from jido_ai.comparing.cases import Case, Hollow
from jido_ai.comparing.tasks import Task
from jido_ai.errors import ConfigurationError, describe
from jido_ai.memory.effect import wilson
from jido_ai.text.printable import clip, printable
from jido_ai.text.wording import counted
from jido_ai.values import StopReason
from jido_ai.values.chart import Bar, BarChart
from jido_ai.values.frames import frame_of
from jido_ai.values.result_text import table_of

_VERSION: Final = 1
_PROMPT_CHARS: Final = 200
_ALPHA: Final = 0.05
_MOST_LOST: Final = 10
_MOST_SHOWN: Final = 100
_SHOWN_CHARS: Final = 40
_BROKEN: Final = ("error", "failed")
"""Stop reasons of a loop, and of a graph."""
_ERROR_CHARS: Final = 200
_MANY_ACCEPTED: Final = 3
"""Wrong answers, at least half of all, that the judges inside of a strategy must have accepted to be told."""
_ROUGHLY: Final = 2
"""Digits of a number of tasks that is an estimate."""


class Against(NamedTuple):
    """The pairs of a strategy and the baseline: one for each task that was judged under both.

    Attributes:
        gained: tasks that this strategy passed and the baseline did not.
        lost: tasks that the baseline passed and this strategy did not.
        p: two-sided, of McNemar's exact test, adjusted by Holm's method for the number of strategies.
    """

    gained: int
    lost: int
    p: float


@dataclass(frozen=True, slots=True)
class Row:
    """A strategy in the table.

    Attributes:
        name: of the strategy.
        passed: answers that passed, each counted with the weight of its task.
        total: tasks times repeats; answers whose checks could not run are not among them.
        interval: Wilson's 95 % interval of the share of tasks passed, unweighted; repeats of a task count as one task.
        against: the comparison with the baseline; None of the baseline.
        calls, tokens, cost_usd: in total, without those of judges; the cost is None if a price is unknown.
        p50_s, p95_s: seconds that half, and 95 %, of the runs took at most; None without runs.
        weight: of all answers of `total`; equals `total` if no task has a weight of its own.
        by_judge: the part of `passed` that rests on a model's opinion.
        failed: runs that ended without an answer; they are in `total`.
        unjudged: answers whose checks could not run; they are in no other number but calls, tokens, cost and seconds.
    """

    name: str
    passed: float
    total: int
    interval: tuple[float, float]
    against: Against | None
    calls: int
    tokens: int
    cost_usd: float | None
    p50_s: float | None
    p95_s: float | None
    weight: float
    by_judge: float = 0.0
    failed: int = 0
    unjudged: int = 0

    @property
    def by_program(self) -> float:
        """The part of `passed` that programs decided alone."""
        return self.passed - self.by_judge


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A task in the result.

    Attributes:
        id: of the task.
        prompt: its first 200 characters.
        weight: of the task.
        family: its metadata["family"]; None without one.
    """

    id: str
    prompt: str
    weight: float = 1.0
    family: str | None = None


@dataclass(frozen=True)
class Comparison:
    """Strategies compared on the same tasks; made by `compare`.

    Attributes:
        tasks: in the order of the set.
        names: the strategies, in the order given.
        baseline: the strategy that the others are compared with.
        cases: one for each task, strategy and repeat.
        hollow: answers without content that pass checks.
        run_id: to go on with; None without a journal.
        stopped: why it ended before all cases were made; None if it did not.
        notes: remarks on strategies, by name.
        rows: one for each strategy.
        recommendation: one sentence.

    Raises:
        ConfigurationError: the baseline is not among the strategies, or a case is of a task or strategy that is not
            given.
    """

    tasks: tuple[TaskLine, ...]
    names: tuple[str, ...]
    baseline: str
    cases: tuple[Case, ...]
    hollow: tuple[Hollow, ...] = ()
    run_id: str | None = None
    stopped: str | None = None
    notes: Mapping[str, str] = field(default_factory=dict[str, str])
    rows: tuple[Row, ...] = field(init=False)
    recommendation: str = field(init=False)

    def __post_init__(self) -> None:
        if self.baseline not in self.names:
            raise ConfigurationError(
                f"baseline must be one of the strategies {', '.join(self.names)}, got {describe(self.baseline)}"
            )
        ids = {task.id for task in self.tasks}
        for case in self.cases:
            if case.task_id not in ids or case.strategy not in self.names:
                raise ConfigurationError(f"there is no task {case.task_id!r} with strategy {case.strategy!r}")
        object.__setattr__(self, "rows", _rows(self))
        object.__setattr__(self, "recommendation", _recommendation(self))

    @classmethod
    def of(
        cls,
        cases: Iterable[Case],
        *,
        tasks: Iterable[Task],
        names: Iterable[str],
        baseline: str,
        hollow: Iterable[Hollow] = (),
        run_id: str | None = None,
        stopped: str | None = None,
        notes: Mapping[str, str] | None = None,
    ) -> Comparison:
        """Return the result of these cases, which may be in any order; those that are missing count nowhere.

        Raises:
            ConfigurationError: see `Comparison`.
        """
        lines = tuple(_line(task) for task in tasks)
        strategies = tuple(names)
        places = {line.id: place for place, line in enumerate(lines)}
        order = {name: place for place, name in enumerate(strategies)}
        came = sorted(cases, key=lambda one: (places.get(one.task_id, 0), order.get(one.strategy, 0), one.repeat))
        return cls(lines, strategies, baseline, tuple(came), tuple(hollow), run_id, stopped, dict(notes or {}))

    def row(self, name: str) -> Row:
        """Return the row of a strategy. Raises `ConfigurationError` if there is none of that name."""
        for row in self.rows:
            if row.name == name:
                return row
        raise ConfigurationError(f"there is no strategy {describe(name)}; compared were {', '.join(self.names)}")

    def cases_of(self, name: str) -> tuple[Case, ...]:
        """Return the cases of a strategy."""
        return tuple(case for case in self.cases if case.strategy == name)

    def pairs(self, name: str, than: str) -> tuple[tuple[str, ...], tuple[str, ...], int]:
        """Return the tasks that `name` gained and lost against `than`, and how many were judged under both.

        With repeats, a task is passed if more than half of its answers are.
        """
        mine, theirs = (_by_task(self, self.row(one).name) for one in (name, than))
        both = [task.id for task in self.tasks if task.id in mine and task.id in theirs]
        gained = tuple(id for id in both if mine[id] and not theirs[id])
        return gained, tuple(id for id in both if theirs[id] and not mine[id]), len(both)

    def assert_not_worse(self, name: str, than: str, alpha: float = _ALPHA) -> None:
        """Raise `AssertionError`, with the figures in words, if a strategy is worse than another beyond chance.

        Worse means: it lost more tasks than it gained, and the two-sided p-value of McNemar's exact test is below
        `alpha`. With few tasks only large differences show: that a strategy passes here does not prove that it is as
        good. The p-value is not adjusted for other comparisons.

        Raises:
            ConfigurationError: a name is unknown, `alpha` is not in (0, 1), or no task was judged under both.
        """
        if not 0.0 < alpha < 1.0:
            raise ConfigurationError(f"alpha must be in (0, 1), got {describe(alpha)}")
        gained, lost, both = self.pairs(name, than)
        if not both:
            raise ConfigurationError(f"no task was judged under both {name} and {than}")
        p = mcnemar(len(gained), len(lost))
        if len(lost) > len(gained) and p < alpha:
            raise AssertionError(
                f"{name} is worse than {than} on {counted(both, 'task')}: it gained {len(gained)} and lost {len(lost)} "
                f"(p = {_p(p)}, McNemar's exact test, below {alpha:g}); lost: {_listed(self, lost)}"
            )

    def to_markdown(self) -> str:
        """Return the result as Markdown: the recommendation, the table, and its meaning in words."""
        return _markdown(self)

    def __str__(self) -> str:
        """Return it as Markdown."""
        return self.to_markdown()

    def _repr_html_(self) -> str:
        rows = [
            (
                row.name,
                f"{row.passed:g} of {row.weight:g}",
                f"{100 * row.interval[0]:.0f} to {100 * row.interval[1]:.0f}",
                f"{row.calls:,}",
                "unknown" if row.cost_usd is None else f"${row.cost_usd:.4f}",
            )
            for row in self.rows
        ]
        return table_of(("strategy", "passed", "95 %", "calls", "cost"), rows, caption=self.recommendation)

    def to_frame(self) -> Any:
        """Return a `pandas.DataFrame` (polars where pandas is missing) with a row for each case.

        Raises:
            ConfigurationError: neither is installed.
        """
        columns = ("task_id", "strategy", "repeat", "passed", "calls", "cost_usd", "duration_s", "answer")
        return frame_of([{name: getattr(case, name) for name in columns} for case in self.cases], columns)

    def plot(self, ax: Any = None) -> Any:
        """Return a chart of the share of tasks passed, with 95 % intervals; notebooks show it.

        Args:
            ax: axes of matplotlib to draw into; they are returned instead.
        """
        bars = [
            Bar(row.name, min(max(_share(row), row.interval[0]), row.interval[1]), *row.interval) for row in self.rows
        ]
        chart = BarChart(bars, "tasks passed, with 95 % intervals")
        return chart if ax is None else chart.draw(ax)

    def to_json(self) -> str:
        """Return the result as JSON; `from_json` reads it back. Rows and recommendation are in it for other readers."""
        return json.dumps({"version": _VERSION, **dataclasses.asdict(self), "rows": _told_rows(self)}, indent=2)

    def overview(self) -> dict[str, Any]:
        """Return the table and its meaning in words, JSON-ready, without the cases."""
        prompts = {task.id: task.prompt for task in self.tasks}
        lost = {row.name: self.pairs(row.name, self.baseline)[1] for row in self.rows if row.against is not None}
        return {
            "recommendation": self.recommendation,
            "baseline": self.baseline,
            "tasks": len(self.tasks),
            "rows": _told_rows(self),
            "remarks": [_against_in_words(self, row) for row in self.rows if row.against is not None] + _doubts(self),
            "lost": [
                {
                    "strategy": name,
                    "tasks": [{"id": id, "prompt": prompts[id]} for id in ids[:_MOST_SHOWN]],
                    "of": len(ids),
                }
                for name, ids in lost.items()
                if ids
            ],
        }

    @classmethod
    def from_json(cls, text: str) -> Comparison:
        """Return the comparison that `to_json` wrote.

        Raises:
            ConfigurationError: the text is no such JSON, or of a later version.
        """
        try:
            told: object = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ConfigurationError(f"not the JSON of a comparison: {error}") from error
        if not isinstance(told, dict):
            raise ConfigurationError(f"not the JSON of a comparison: {describe(told)}")
        fields = cast("dict[str, Any]", told)
        version = fields.pop("version", None)
        if version != _VERSION:
            raise ConfigurationError(f"need version {_VERSION} of a comparison, got {describe(version)}")
        for made in ("rows", "recommendation"):  # of the rest
            fields.pop(made, None)
        try:
            return _READER.validate_python(fields, strict=False)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise ConfigurationError(f"not the JSON of a comparison: {place}: {first['msg']}") from error


_READER: Final = TypeAdapter(Comparison)


def _line(task: Task) -> TaskLine:
    family: object = task.metadata.get("family")
    prompt = " ".join(printable(task.prompt).split())
    return TaskLine(task.key, clip(prompt, _PROMPT_CHARS), float(task.weight), None if family is None else str(family))


# -- rows ------------------------------------------------------------------------------------------


def _told_rows(comparison: Comparison) -> list[dict[str, Any]]:
    """Return the rows, JSON-ready."""
    return [
        {**dataclasses.asdict(row), "against": None if row.against is None else row.against._asdict()}
        for row in comparison.rows
    ]


def _judged(comparison: Comparison, name: str) -> dict[str, list[bool]]:
    """Return the outcomes of the repeats of each task under a strategy, without answers whose checks could not run."""
    found: dict[str, list[bool]] = defaultdict(list)
    for case in comparison.cases:
        if case.strategy == name and not case.is_unjudged:
            found[case.task_id].append(case.passed)
    return found


def _by_task(comparison: Comparison, name: str) -> dict[str, bool]:
    return {id: majority(results) for id, results in _judged(comparison, name).items()}


def _rows(comparison: Comparison) -> tuple[Row, ...]:
    others = [name for name in comparison.names if name != comparison.baseline]
    by_name = {name: _by_task(comparison, name) for name in comparison.names}
    theirs = by_name[comparison.baseline]
    counts: dict[str, tuple[int, int]] = {}
    for name in others:
        mine = by_name[name]
        both = mine.keys() & theirs.keys()
        counts[name] = (
            sum(mine[id] and not theirs[id] for id in both),
            sum(theirs[id] and not mine[id] for id in both),
        )
    adjusted = holm([mcnemar(*counts[name]) for name in others])
    against = {name: Against(*counts[name], p) for name, p in zip(others, adjusted, strict=True)}
    return tuple(_row(comparison, name, against.get(name)) for name in comparison.names)


def _row(comparison: Comparison, name: str, against: Against | None) -> Row:
    weights = {task.id: task.weight for task in comparison.tasks}
    cases = comparison.cases_of(name)
    counted_ones = [case for case in cases if not case.is_unjudged]
    passed = [case for case in counted_ones if case.passed]
    shares = [sum(results) / len(results) for results in _judged(comparison, name).values()]
    costs = [case.cost_usd for case in cases]
    times = [case.duration_s for case in cases]
    return Row(
        name,
        passed=sum(weights[case.task_id] for case in passed),
        total=len(counted_ones),
        interval=wilson(min(sum(shares), len(shares)), len(shares)),
        against=against,
        calls=sum(case.calls for case in cases),
        tokens=sum(case.prompt_tokens + case.completion_tokens for case in cases),
        cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
        p50_s=percentile(times, 0.5),
        p95_s=percentile(times, 0.95),
        weight=sum(weights[case.task_id] for case in counted_ones),
        by_judge=sum(weights[case.task_id] for case in passed if case.verdict and case.verdict.by == "judge"),
        failed=sum(case.answer is None for case in cases),
        unjudged=len(cases) - len(counted_ones),
    )


def _share(row: Row) -> float:
    return row.passed / row.weight if row.weight else 0.0


def _is_shown(row: Row) -> bool:
    return row.against is not None and row.against.p < _ALPHA


def _is_better(row: Row) -> bool:
    return row.against is not None and row.against.gained > row.against.lost


# -- words -----------------------------------------------------------------------------------------


def _recommendation(comparison: Comparison) -> str:
    base = comparison.row(comparison.baseline)
    others = [row for row in comparison.rows if row.against is not None]
    on = _on(comparison)
    if not base.total:
        return f"Nothing can be recommended: no answer of {base.name} was judged."
    is_one_call = base.calls <= len(comparison.cases_of(base.name)) and any(row.calls > base.calls for row in others)
    if not any(row.passed for row in comparison.rows):
        return f"Nothing can be recommended: no answer passed {on}."
    stays = "One call is enough" if is_one_call else f"Stay with {base.name}"
    stays = stays if base.passed else "Nothing is shown"
    if not others:
        return f"{base.name} passed {_passed(base)} {on}; compare it with another strategy to learn what pays."
    better = [row for row in others if _is_better(row) and _is_shown(row)]
    if better:
        best = min(better, key=lambda row: (-_share(row), row.calls))
        gained, lost, p = cast("Against", best.against)
        return (
            f"Use {best.name}: {on} it passed {_passed(best)} where {base.name} passed {_passed(base)} "
            f"(gained {gained}, lost {lost}, p = {_p(p)}), for {_times(best, base)}."
        )
    hopeful = [row for row in others if _is_better(row)]
    if not hopeful:
        return f"{stays}: no other strategy passed more tasks than {base.name} {on}."
    best = max(hopeful, key=lambda row: cast("Against", row.against).gained - cast("Against", row.against).lost)
    gained, lost, _ = cast("Against", best.against)
    more = _more(comparison, best)
    tell = f"; about {more} more tasks like these would tell" if more else ""
    seen = f"{best.name} gained {gained} and lost {lost} {on}, which may be chance"
    return f"{stays} as far as these tasks tell: {seen}{tell}."


def _on(comparison: Comparison) -> str:
    """Return "on these 8 tasks"; of a comparison that was stopped, "on the 3 of 8 tasks that were judged"."""
    count = len(comparison.tasks)
    if comparison.stopped is None:
        return f"on {'this' if count == 1 else 'these'} {counted(count, 'task')}"
    judged = len({case.task_id for case in comparison.cases if case.verdict is not None})
    return f"on the {judged} of {counted(count, 'task')} that {'was' if judged == 1 else 'were'} judged"


def _times(row: Row, base: Row) -> str:
    if not row.calls or not base.calls:
        return counted(row.calls, "call")
    factor = (row.calls / (row.total + row.unjudged)) / (base.calls / (base.total + base.unjudged))
    return f"{factor:.1f} times the calls" if abs(factor - 1.0) > 0.05 else "as many calls"


def _more(comparison: Comparison, row: Row) -> str | None:
    """Return about how many more tasks would show the difference; None if it is shown, or there is none."""
    gained, lost, p = cast("Against", row.against)
    both = comparison.pairs(row.name, comparison.baseline)[2]
    number = more_tasks(both, gained, lost, comparisons=len(comparison.names) - 1) if both and p >= _ALPHA else None
    return None if not number else f"{_roughly(number):,}"


def _roughly(number: int) -> int:
    digits = len(str(number))
    return number if digits <= 1 else round(number, _ROUGHLY - digits) if digits > _ROUGHLY else -(-number // 5) * 5


def _passed(row: Row) -> str:
    if row.weight == row.total:
        return f"{row.passed:g} of {row.total}"
    return f"{row.passed:g} of {row.weight:g} by weight"


def _p(p: float) -> str:
    return "1" if p >= 0.995 else f"{p:.2f}" if p >= 0.1 else f"{p:.3f}" if p >= 0.001 else f"{p:.0e}"


def _listed(comparison: Comparison, ids: Sequence[str]) -> str:
    prompts = {task.id: clip(task.prompt, _SHOWN_CHARS) for task in comparison.tasks}
    shown = ", ".join(f"{_code(id)} ({_cell(prompts[id])})" if id in prompts else _code(id) for id in ids[:_MOST_LOST])
    return shown + (f" and {len(ids) - _MOST_LOST} more" if len(ids) > _MOST_LOST else "")


def _markdown(comparison: Comparison) -> str:
    base = comparison.baseline
    parts = [comparison.recommendation, _table(comparison)]
    points = [_against_in_words(comparison, row) for row in comparison.rows if row.against is not None]
    points += [_lost_in_words(comparison, row) for row in comparison.rows if row.against and row.against.lost]
    points += _doubts(comparison)
    if points:
        parts.append("\n".join(f"- {point}" for point in points))
    if families := _families(comparison):
        parts.append(families)
    parts.append(
        f"Intervals: Wilson, 95 %. Pairs against {_cell(base)}: McNemar's exact test, two-sided"
        + (", adjusted by Holm's method." if len(comparison.names) > 2 else ".")
    )
    return "\n\n".join(parts) + "\n"


def _table(comparison: Comparison) -> str:
    head = ["strategy", "passed", "95 %", f"against {comparison.baseline}", "calls", "tokens", "cost", "p50", "p95"]
    has_judges = any(case.verdict is not None and case.verdict.by == "judge" for case in comparison.cases)
    if has_judges:
        head.insert(2, "of them by a judge")
    lines = [head, ["---", *["---:"] * (len(head) - 1)]]
    for row in comparison.rows:
        low, high = row.interval
        against = "" if row.against is None else f"+{row.against.gained} -{row.against.lost}, p = {_p(row.against.p)}"
        cells = [
            row.name,
            _passed(row),
            f"{100 * low:.0f} to {100 * high:.0f}",
            against,
            f"{row.calls:,}",
            f"{row.tokens:,}",
            "unknown" if row.cost_usd is None else f"${row.cost_usd:.4f}",
            *("" if one is None else f"{one:.1f} s" for one in (row.p50_s, row.p95_s)),
        ]
        if has_judges:
            cells.insert(2, f"{row.by_judge:g}")
        lines.append(cells)
    return "\n".join(f"| {' | '.join(map(_cell, cells))} |" for cells in lines)


def _against_in_words(comparison: Comparison, row: Row) -> str:
    gained, lost, p = cast("Against", row.against)
    name, base = _cell(row.name), _cell(comparison.baseline)
    if gained == lost:
        return f"{name} and {base} passed equally many tasks."
    word = "better" if gained > lost else "worse"
    if _is_shown(row):
        return f"{name} is {word} than {base} beyond chance (p = {_p(p)})."
    more = _more(comparison, row)
    tell = f": about {more} more tasks like these would tell" if more else ""
    return f"{name} is not shown to be {word} than {base} (p = {_p(p)}){tell}."


def _lost_in_words(comparison: Comparison, row: Row) -> str:
    lost = comparison.pairs(row.name, comparison.baseline)[1]
    return f"{_cell(row.name)} lost {counted(len(lost), 'task')}: {_listed(comparison, lost)}"


def _doubts(comparison: Comparison) -> list[str]:
    """Return the reasons to doubt the table."""
    found = [] if comparison.stopped is None else [f"Stopped early: {_cell(comparison.stopped)}."]
    found += [
        f"Checks of {counted(len(one.task_ids), 'task')} pass {one.answer}: {_listed(comparison, one.task_ids)}"
        for one in comparison.hollow
    ]
    judged = [case.verdict for case in comparison.cases if case.verdict is not None]
    if any(verdict.by == "judge" for verdict in judged):
        calls = sum(verdict.judge_calls for verdict in judged)
        costs = [verdict.judge_cost_usd for verdict in judged]
        cost = "price unknown" if None in costs else f"${sum(cost for cost in costs if cost is not None):.4f}"
        found.append(
            f"A judge's verdict is a model's opinion. Judges took {counted(calls, 'call')} ({cost}); no row has them."
        )
    for row in comparison.rows:
        name, cases = _cell(row.name), comparison.cases_of(row.name)
        if row.failed:
            failed = f"{counted(row.failed, 'run')} ended without an answer, counted as not passed"
            found.append(f"{name}: {failed}{_why(case for case in cases if case.answer is None)}.")
        broken = [case for case in cases if case.stop_reason in _BROKEN and case.answer is not None]
        if broken:
            ended = f"{counted(len(broken), 'run')} ended early by an error, with the answer that was there"
            found.append(f"{name}: {ended}{_why(broken)}.")
        wrong = [case for case in cases if case.verdict is not None and not case.passed and case.stop_reason]
        accepted = sum(case.stop_reason == StopReason.ACCEPTED for case in wrong)
        if accepted >= _MANY_ACCEPTED and 2 * accepted >= len(wrong):
            of = counted(len(wrong), "answer")
            found.append(f"{name}: its own judges accepted {accepted} of {of} that failed; better ones may pay.")
        if row.unjudged:
            unjudged = f"checks of {counted(row.unjudged, 'answer')} could not run; no total has them"
            found.append(f"{name}: {unjudged}{_why(case for case in cases if case.is_unjudged)}.")
    return [*found, *(f"{_cell(name)}: {_cell(note)}." for name, note in comparison.notes.items())]


def _why(cases: Iterable[Case]) -> str:
    """Return the first error among cases, as the end of a sentence."""
    error = next((case.error for case in cases if case.error), "")
    return f" (for example {clip(_cell(error), _ERROR_CHARS)})" if error else ""


def _families(comparison: Comparison) -> str:
    family_of = {task.id: task.family or "" for task in comparison.tasks}
    families = list(dict.fromkeys(family_of.values()))
    if len(families) < 2:
        return ""
    lines = [["family", *comparison.names], ["---", *["---:"] * len(comparison.names)]]
    for family in families:
        cells = [family or "none"]
        for name in comparison.names:
            ones = [
                case for case in comparison.cases_of(name) if family_of[case.task_id] == family and not case.is_unjudged
            ]
            cells.append(f"{sum(case.passed for case in ones)} of {len(ones)}")
        lines.append(cells)
    return "\n".join(f"| {' | '.join(map(_cell, cells))} |" for cells in lines)


def _cell(text: str) -> str:
    return " ".join(printable(text).split()).replace("|", "\\|")


def _code(text: str) -> str:
    return f"`{_cell(text).replace('`', chr(39))}`"


# -- statistics ------------------------------------------------------------------------------------


def mcnemar(gained: int, lost: int) -> float:
    """Return the two-sided p-value of McNemar's exact test; 1.0 without pairs that differ.

    Args:
        gained, lost: the numbers of pairs of which only the second, or only the first, passed; at least 0.

    Raises:
        ConfigurationError: a number is negative.
    """
    if min(gained, lost) < 0:
        raise ConfigurationError(f"numbers of pairs must be at least 0, got {gained} and {lost}")
    pairs = gained + lost
    ways = total = 1  # whole numbers: exact for any size
    for wins in range(min(gained, lost)):
        ways = ways * (pairs - wins) // (wins + 1)
        total += ways
    return min(1.0, 2 * total / 2**pairs)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return the p-values adjusted for their number by Holm's method, in the same order.

    Source: S. Holm, Scandinavian Journal of Statistics 6 (1979).
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return tuple(adjusted)


def more_tasks(
    tasks: int, gained: int, lost: int, *, alpha: float = 0.05, power: float = 0.8, comparisons: int = 1
) -> int | None:
    """Return how many more tasks would show a difference as large as the one seen; None if none was seen.

    The sample size of McNemar's test, but enough for the exact test to show anything, minus the tasks at hand; 0 if
    they are enough. It is an estimate from few tasks:
    round it before you tell it.

    Args:
        tasks: compared so far, at least `gained` + `lost`.
        power: the share of such comparisons that would then show it.
        comparisons: of several that are told together, `alpha` is divided by their number.

    Source: R. J. Connor, Biometrics 43 (1987).
    """
    if gained == lost:
        return None
    apart, difference = (gained + lost) / tasks, abs(gained - lost) / tasks
    alpha /= comparisons
    z_alpha = NormalDist().inv_cdf(1.0 - alpha / 2.0)
    z_power = NormalDist().inv_cdf(power)
    spread = math.sqrt(max(0.0, apart - difference * difference))
    needed = ((z_alpha * math.sqrt(apart) + z_power * spread) / difference) ** 2
    fewest = math.floor(1.0 - math.log2(alpha)) + 1  # pairs that differ, all in one direction: 6 at 0.05
    return max(0, math.ceil(max(needed, fewest / apart) - 1e-9) - tasks)


def majority(results: Sequence[bool]) -> bool:
    """True if more than half of the repeats of a task passed."""
    return 2 * sum(results) > len(results)


def percentile(values: Sequence[float], share: float) -> float | None:
    """Return the smallest value that at least this share of the values, in (0, 1], does not exceed; None of none."""
    if not values:
        return None
    return sorted(values)[max(0, math.ceil(share * len(values) - 1e-9) - 1)]
