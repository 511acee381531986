"""MutationReviser: repairs failing tests without a model, by small edits at suspicious lines, tried in turn."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict

from jido_ai.components.call_check import check_revise_call
from jido_ai.errors import ConfigurationError, Declined, ToolError
from jido_ai.protocols import RunContext, ToolExecutor
from jido_ai.reflection.failure_kind import failure_kind
from jido_ai.repair.fault_localisation import Spectrum, independent_failures, suspicious_lines
from jido_ai.repair.mutation import Mutation, describe_repair, mutations, remembered_operators, remembered_repairs
from jido_ai.repair.repair_choice import (
    Behaviour,
    Passing,
    best_repair,
    certainty,
    describe_choice,
    differences,
    measured_alone,
)
from jido_ai.repair.search_scripts import PROBES_JOB, TRIALS_JOB, is_of_tests, read_answer, script_tool
from jido_ai.repair.untested_conditions import constant_conditions, removes_condition
from jido_ai.text.edits import Edit
from jido_ai.tools.lookup import default_executor, project_path
from jido_ai.tools.ready import PYTEST
from jido_ai.tools.reports.linters import clean_end
from jido_ai.tools.reports.tests import parse_results
from jido_ai.tools.tool import Tool
from jido_ai.values import Candidate, CritiqueResult

_IS_LOOSE: Final = ". The tests would also pass with its condition always true or always false: add one that needs it"
_BOM: Final = "\ufeff"
_MAX_CHARS: Final = 200_000
_TEST_S: Final = 2.0  # per test, while its lines are recorded
_START_S: Final = 0.6  # start of pytest in a process that tries an edit
_FIRST_CHUNK: Final = 36  # edits per process in the first wave; each wave is twice as large as the one before
_LARGEST_CHUNK: Final = 200
_ENOUGH: Final = 4  # edits that pass, per process, before the others of its wave are left untried
_ENOUGH_S: Final = 4.0  # of tests, the same: fewer edits if the tests take long
_MOST_CHOICES: Final = 8  # edits compared with each other
_PROBES_S: Final = 1.0  # of CPU time, for what an edit does on inputs near those of the tests
_CHOICE_S: Final = 10.0
_LOOSE: Final = 0.3  # share of its weight that an edit of a condition keeps if the tests do not need that
_REMOVED: Final = 0.05  # the same if it removes the condition
_LEAST_CERTAIN: Final = 0.52
_MERCY_S: Final = 10.0  # time for a process to write its report


class MutationReviser:
    """Repairs the findings of failing tests if a small change in one place makes all tests pass.

    The suspicious lines are those that failing tests run and passing ones do not (`repair.fault_localisation`). The
    mutation operators (`repair.mutation.OPERATORS`) propose edits of the most suspicious lines, smallest first;
    operators that fixed such a failure before, according to the lessons, come earlier, and an edit that fixed one
    before comes first. The tests judge the edits in waves, several at a time; of those that pass every test, the
    one that has most in its favour (`repair.repair_choice`) is verified by a plain run of the tests.

    Tests that fail in lines which they do not share have separate causes: one of them is repaired, so that fewer tests
    fail, and the next call repairs the next.

    Only the tests vouch for such an edit: it may be wrong in cases that they do not cover. The revision says so in its
    reasoning, and in its metadata under `vouched_by`, with `operator`, `line`, `before`, `after`, `failure`, `tests`,
    the `rank` of the edit in this order, from 1, and the number of edits `tried`: slightly more in parallel searches.
    `is_condition_tested` is False if the tests would also pass with the condition of the edit always true or false;
    such edits are taken last.

    An edit may also pass by luck. Where only one test failed, the search goes on for one more wave of edits; edits of
    other lines that pass, too, make one less certain (`certainty`: `repair.repair_choice.certainty`). If the best is
    too uncertain, it is not made, and the refusal names it, with an input on which others differ.

    Args:
        tests: the tests: `PYTEST`, with arguments to run only some of the project's tests.
        root, replaces: the project, and the file in it that the candidate replaces.
        executor: runs the tests; by default the registered "sandbox".
        max_tries: maximum number of edits tried, at least 1.
        max_seconds: time limit of the search in seconds, above 0; the run's deadline also applies.
        max_lines: maximum number of suspicious lines considered, at least 1.
        max_parallel: maximum number of processes that try edits concurrently, at least 1.
        min_certainty: minimum probability, in [0, 1], that an edit which passes is right; 0 takes any that passes.
        unsafe: see `ToolCritiquer`.

    Attributes:
        max_tries, min_certainty: as given.

    Raises:
        ConfigurationError: a number is out of range, a path is outside the project, or pytest does not run the tests.
    """

    name = "mutation"

    def __init__(
        self,
        *,
        root: Path | str,
        replaces: str,
        tests: Tool = PYTEST,
        executor: ToolExecutor | None = None,
        max_tries: int = 2_000,
        max_seconds: float = 60.0,
        max_lines: int = 40,
        max_parallel: int = 2,
        min_certainty: float = _LEAST_CERTAIN,
        unsafe: bool = False,
    ) -> None:
        checked, path = project_path(root, replaces)
        assert checked is not None
        assert path is not None
        self._root, self._path = checked, path
        for name, number in (("max_tries", max_tries), ("max_lines", max_lines), ("max_parallel", max_parallel)):
            if number < 1:
                raise ConfigurationError(f"{name} must be at least 1, got {number}")
        if not max_seconds > 0.0:
            raise ConfigurationError(f"max_seconds must be above 0, got {max_seconds}")
        self._executor = executor or default_executor()
        self.max_tries, self._max_seconds = max_tries, max_seconds
        if not 0.0 <= min_certainty <= 1.0:
            raise ConfigurationError(f"min_certainty must be in [0, 1], got {min_certainty}")
        self._max_lines, self._max_parallel = max_lines, max_parallel
        self.min_certainty = min_certainty
        self._unsafe = unsafe
        self._tests = tests.in_project(self._root, self._path)
        self._tests.require(self._executor)
        self._spectrum = script_tool(self._tests, "pytest_spectrum.py", str(_TEST_S))
        self._mutants = script_tool(self._tests, "pytest_mutants.py", TRIALS_JOB)
        self._behaviours = script_tool(self._tests, "pytest_behaviours.py", PROBES_JOB)

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        """Return the candidate with the most probable edit that makes all tests pass, or those of one cause.

        Raises:
            ConfigurationError: an argument has the wrong type.
            Declined: no test fails, no such edit was found in time, or the candidate is a test file.
            ToolError: the tests cannot be run.
        """
        check_revise_call(candidate, critique, context)
        failures = [issue for issue in critique.issues if issue.kind in ("test", "timeout")]
        if not failures:
            raise Declined("no test fails")
        if is_of_tests(self._path):
            raise Declined(f"{self._path} is a test file: changing the expectations repairs nothing")
        bom = _BOM if candidate.content.startswith(_BOM) else ""
        source = candidate.content.removeprefix(_BOM)
        if len(source) > _MAX_CHARS:
            raise Declined(f"the file is too large for this search: more than {_MAX_CHARS} characters")
        search = _Search(self, context, self._max_seconds)
        won = await search.run(source, {issue.rule for issue in failures if issue.rule})
        mended = [issue for issue in failures if issue.rule not in search.skipped]
        fixed = [{"rule": issue.rule, "line": won.line, "message": issue.message} for issue in mended]
        others = [issue for issue in critique.issues if issue not in failures]
        return Candidate(
            bom + won.apply(source),
            parent_id=candidate.id,
            reasoning=describe_repair(won, search.failure, search.tests, len(search.skipped))
            + f"; {measured_alone(search.failing).sentence}"
            + (_IS_LOOSE if search.is_loose else "")
            + describe_choice(search.others),
            metadata={
                "reviser": self.name,
                "vouched_by": "tests",
                "operator": won.operator,
                "line": won.line,
                "before": won.before,
                "after": won.after,
                "suspicion": won.suspicion,
                "failure": search.failure,
                "tests": search.tests,
                "rank": search.rank,
                "tried": search.tried,
                "chosen_from": len(search.others) + 1,
                "others": search.others,
                "is_condition_tested": not search.is_loose,
                "certainty": round(search.certainty, 3),
                "tags": [f"mutation:{won.operator}", f"failure:{search.failure}"],
                "fixed": fixed,
                "left_alone": [f"{issue.rule or issue.kind} {issue.message[:200]}: no test" for issue in others],
            },
        )

    # -- the steps of a search ---------------------------------------------------------------------

    async def spectra(self, source: str, timeout_s: float) -> _SpectrumReport:
        """Run the tests and return the lines that each ran."""
        return read_answer(_SpectrumReport, await self._report(self._spectrum, source, timeout_s))

    def proposals(self, source: str, report: _SpectrumReport, context: RunContext) -> Iterator[Mutation]:
        """Return the edits to try, in order; each takes some computing when it is asked for."""
        spectra = [Spectrum(one.test, one.failure is not None, frozenset(one.lines)) for one in report.tests]
        favoured = remembered_operators(context.lessons, report.failure)
        try:
            return mutations(
                source,
                suspicious_lines(spectra),
                max_lines=self._max_lines,
                max_results=self.max_tries,
                favoured=favoured,
                known=remembered_repairs(context.lessons),
            )
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise Declined(f"the file does not parse: {error}") from None

    async def judge(self, texts: Sequence[str], how: _How, seconds: float, enough: int) -> list[_Judged]:
        """Return, for each text, the number of tests passed (None unless all that ran passed) and whether it was tried.

        Args:
            enough: texts that pass, per process, before the others are left untried.
        """
        parts = self._max_parallel
        size = -(-len(texts) // parts)
        chunks = [texts[start : start + size] for start in range(0, len(texts), size)]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._judge(chunk, how, seconds, enough)) for chunk in chunks]
        return [judged for task in tasks for judged in task.result()]

    async def _judge(self, texts: Sequence[str], how: _How, seconds: float, enough: int) -> list[_Judged]:
        asked = {"texts": texts, **dataclasses.asdict(how), "seconds": seconds, "enough": enough}
        tool = dataclasses.replace(self._mutants, files={**self._mutants.files, TRIALS_JOB: json.dumps(asked)})
        limit_s = seconds + 5 * (_START_S + how.seconds_each) + _MERCY_S
        answer = read_answer(_TrialReport, await self._report(tool, texts[0], limit_s))
        found = [_Judged(*one) for one in zip(answer.passed, answer.reached, strict=True)]
        return [*found, *([_Judged(None, 0, was_tried=False)] * (len(texts) - len(found)))]

    async def behaviours(self, texts: Sequence[str], seconds_each: float, seconds: float) -> list[Behaviour | None]:
        """Return the behaviour of each text on inputs near those of the tests; None if it is unknown."""
        job = json.dumps({"texts": texts, "seconds_each": seconds_each, "seconds": seconds})
        tool = dataclasses.replace(self._behaviours, files={**self._behaviours.files, PROBES_JOB: job})
        try:
            answer = read_answer(_BehaviourReport, await self._report(tool, texts[0], seconds + _MERCY_S)).behaviours
        except ToolError:  # then the edits are chosen by their kind alone
            return [None] * len(texts)
        padded: list[Behaviour | None] = [*answer, *([None] * (len(texts) - len(answer)))]
        return padded[: len(texts)]

    async def passes(self, text: str, failing: Collection[str], timeout_s: float) -> bool:
        """Tell whether no other tests than those in `failing` fail with the text, in a plain run of all."""
        job = self._tests.job(text, tree=self._root, path=self._path, timeout_s=timeout_s, unsafe=self._unsafe)
        run = await self._executor.run(job)
        if run.exit_status not in ((0, 1) if failing else (0,)) or run.report is None or self._tests.parser is None:
            return False
        try:
            if not failing:
                return not self._tests.parser(run.report)
            _, failed, unfinished = parse_results(run.report)
        except ToolError:  # no test ran, or the report is not credible: nothing is proven
            return False
        return not unfinished and {test for test, _ in failed} <= set(failing)

    async def _report(self, tool: Tool, text: str, timeout_s: float) -> str:
        job = tool.job(text, tree=self._root, path=self._path, timeout_s=timeout_s, unsafe=self._unsafe)
        run = await self._executor.run(job)
        if run.report is None or run.truncated:
            why = (
                "it took too long"
                if run.timed_out
                else clean_end(run.stderr or run.stdout) or "its report is too large"
            )
            raise ToolError(f"the tests cannot be run: {why}")
        return run.report

    def wave(self, number: int) -> int:
        """Return the number of edits that wave `number`, from 0, tries before the first passing one is taken."""
        return min(_FIRST_CHUNK << min(number, 10), _LARGEST_CHUNK) * self._max_parallel


class _Search:
    """One search and its remaining time."""

    def __init__(self, tools: MutationReviser, context: RunContext, max_seconds: float) -> None:
        self._tools = tools
        self._context = context
        left_s = context.time_left_s
        self._end = _now() + (max_seconds if left_s is None else min(max_seconds, left_s))
        self.tests = 0
        self.tried: int = 0
        self.rank = 0
        self.failure = ""
        self.others: list[dict[str, str]] = []
        self.is_loose = False
        self.certainty = 0.0
        self.skipped: frozenset[str] = frozenset()
        self._passed: frozenset[str] = frozenset()
        self._how = _How([], [], 0.0)
        self._is_uncollected = False
        self.failing = 0
        self._enough = 1  # edits that pass, per process, before the others of their wave are left untried
        self._waves = 0
        self._proposed = 0
        self._before = 0  # edits tried in the stages before
        self._ranks: dict[Edit, int] = {}
        self._reached = 0
        self._far = ""
        self._refuted = 0  # edits that passed when tried, but not in a plain run of the tests
        self._doubt = ""  # why the best of the edits that pass is not made

    async def run(self, source: str, failing: Collection[str]) -> Mutation:
        """Return the first edit that passes; if failing tests have separate causes, one that repairs one of these.

        Args:
            failing: the tests that fail, as far as the critique names them.

        Raises:
            Declined: there is none.
        """
        report = (await self._tools.spectra(source, self._left_s)).without_needless_timeouts(failing)
        if not report.failure:
            raise Declined("no test fails when their lines are recorded")
        refusals: list[str] = []
        stages = report.stages()
        for number, stage in enumerate(stages):
            try:
                return await self._stage(source, stage, _now() + self._left_s / (len(stages) - number))
            except Declined as signal:
                refusals.append(str(signal))
        raise Declined(refusals[0] if len(refusals) == 1 else "; ".join(dict.fromkeys(refusals[1:])))

    def _begin(self, stage: _Stage) -> None:
        """Take up a stage, and forget what the one before found."""
        report = stage.report
        self.tests, self.failure, self.skipped = len(report.tests), report.failure, stage.skipped
        by_time = sorted(report.tests, key=lambda one: one.failure == "Timeout")
        first = [one.test for one in by_time if one.failure]
        self._is_uncollected = any(one.failure == "CollectionError" for one in report.tests)
        self.failing = len(first)
        self._passed = frozenset(one.test for one in report.tests if not one.failure)
        self._how = _How(first, [*stage.skipped], 3.0 * report.collection_s + 5.0 * report.duration_s)
        self._enough = max(1, min(_ENOUGH, int(_ENOUGH_S / max(report.duration_s, 0.001))))
        self._waves, self._proposed, self._before = 0, 0, self.tried
        self._reached, self._far, self._doubt, self._refuted = 0, "", "", 0

    async def _stage(self, source: str, stage: _Stage, end: float) -> Mutation:
        """Return an edit of the stage's lines with which its tests pass. Raises `Declined`."""
        self._begin(stage)
        proposals = await asyncio.to_thread(self._tools.proposals, source, stage.report, self._context)
        proposals = islice(proposals, max(0, self._tools.max_tries - self.tried))
        found, looks = list[Mutation](), 0
        while not self._doubt and (passing := await self._try_wave(source, proposals, end)) is not None:
            found += passing
            looks += bool(found)  # what else passes tells how easy it is to make one failing test pass by luck
            if found and (looks > 1 or self.failing > 1):
                if (won := await self._chosen(source, found)) is not None:
                    return won
                found = []
        if found and (won := await self._chosen(source, found)) is not None:
            return won
        if self._doubt:
            raise Declined(self._doubt)
        tried = self.tried - self._before
        if _now() >= end:
            raise Declined(f"time is up: none of the {tried} edits tried passes all tests{self._came}")
        raise Declined(
            f"none of {tried} small edits of the suspicious lines makes all {self.tests} tests pass{self._came}"
        )

    async def _try_wave(self, source: str, proposals: Iterator[Mutation], end: float) -> list[Mutation] | None:
        """Try the next edits and return those that pass all tests; None if none is left, or the time is over."""
        wave = await asyncio.to_thread(_first, proposals, self._tools.wave(self._waves), end - _now())
        if not wave or _now() >= end:
            return None
        judged = await self._tools.judge([one.apply(source) for one in wave], self._how, end - _now(), self._enough)
        self.tried += sum(one.was_tried for one in judged)
        self._note(wave, judged, len(self._how.first))
        if self._is_uncollected:  # the number of tests was unknown
            self.tests = self.failing = max((one.passed for one in judged if one.passed), default=self.tests)
        passing = [one for one, got in zip(wave, judged, strict=True) if got.passed == self.tests]
        self._ranks |= {one.edit: self._proposed + wave.index(one) + 1 for one in passing}
        self._waves, self._proposed = self._waves + 1, self._proposed + len(wave)
        return passing

    @property
    def _came(self) -> str:
        """How far the search came, for its refusal."""
        if self._refuted:
            return f"; {self._refuted} passed when tried, but not in a plain run of the tests (or it took too long)"
        return self._far

    def _note(self, wave: Sequence[Mutation], judged: Sequence[_Judged], failing: int) -> None:
        """Remember the edit that came farthest: tests that failed run first."""
        for one, got in zip(wave, judged, strict=True):
            if got.passed is None and 0 < got.reached <= failing and got.reached > self._reached:
                self._reached = got.reached
                self._far = (
                    f"; the best attempt, line {one.line}: `{one.before}` to `{one.after}`, makes {got.reached} of "
                    f"{failing} failing tests pass"
                )

    async def _chosen(self, source: str, passing: Sequence[Mutation]) -> Mutation | None:
        """Return the edit that most speaks for, of those that pass, if a plain run of the tests agrees.

        None, and the reason in `_doubt`, if it is too improbable that it is right.
        """
        some = passing[:_MOST_CHOICES]
        seen: list[Behaviour | None] = [None] * len(some)
        original: Behaviour | None = None
        if len(some) > 1 and self._left_s > 0.0:
            texts = [source, *(one.apply(source) for one in some)]
            original, *seen = await self._tools.behaviours(texts, _PROBES_S, min(_CHOICE_S, self._left_s))
        shares = await self._shares(source, some)
        known = [
            Passing(one.weight, one.line, does, share) for one, does, share in zip(some, seen, shares, strict=True)
        ]
        others = [Passing(one.weight, one.line) for one in passing[_MOST_CHOICES:]]
        left = list(range(len(some)))
        while left:
            weights = [known[place].likelihood(original) for place in left]
            place = left.pop(best_repair([seen[place] for place in left], original, self._passed, weights))
            won = some[place]
            limit_s = max(0.0, self._left_s) + self._how.seconds_each + _MERCY_S
            if await self._tools.passes(won.apply(source), self._how.skip, limit_s):
                self.others = _compared(place, some, seen)
                self.is_loose = shares[place] < 1.0
                self.certainty = certainty(place, [*known, *others], original, self.failing)
                self.rank = self._ranks[won.edit]
                if self.certainty >= self._tools.min_certainty:
                    return won
                told = describe_choice(self.others)
                self._doubt = _describe_doubt(won, self.certainty, len(passing), self.tried - self._before, told)
                return None
            self._refuted += 1
        return None

    async def _shares(self, source: str, passing: Sequence[Mutation]) -> list[float]:
        """Return the share of its probability that each edit keeps, because the tests may not need its condition."""
        variants = await asyncio.to_thread(_with_constant_conditions, source, passing)
        texts = [text for some in variants for text in some or ()]
        good = set[str]()
        if texts and self._left_s > 0.0:
            judged = await self._tools.judge(texts, self._how, self._left_s / 2, enough=len(texts))
            good = {text for text, one in zip(texts, judged, strict=True) if one.passed == self.tests}
        return [_REMOVED if some is None else 1.0 if good.isdisjoint(some) else _LOOSE for some in variants]

    @property
    def _left_s(self) -> float:
        return self._end - _now()


def _with_constant_conditions(source: str, passing: Sequence[Mutation]) -> list[list[str] | None]:
    """Return, per edit, the program with it and its condition always true or false; None if it removes a condition."""
    repaired = [one.apply(source) for one in passing]
    return [
        None if removes_condition(source, text) else constant_conditions(text, one.edit)
        for one, text in zip(passing, repaired, strict=True)
    ]


def _compared(place: int, passing: Sequence[Mutation], seen: Sequence[Behaviour | None]) -> list[dict[str, str]]:
    """Return the other edits that pass, each with the first input on which the chosen one differs from it, if any."""
    found: list[dict[str, str]] = []
    mine = seen[place]
    for other, theirs in zip(passing, seen, strict=True):
        if other is not passing[place]:
            edit = {"before": other.before, "after": other.after}
            both = differences(mine, theirs) if mine is not None and theirs is not None else []
            found.append(
                edit | ({"input": both[0].code, "chosen": both[0].chosen, "other": both[0].other} if both else {})
            )
    return found


def _describe_doubt(won: Mutation, certain: float, passing: int, tried: int, others: str) -> str:
    """Return why an edit that passes is not made."""
    best = f"the best of {passing} edits that pass" if passing > 1 else "the only edit that passes"
    return (
        f"{best} all tests, of {tried} tried, is only {certain:.0%} certain to be right, and is not made: "
        f"line {won.line}, `{won.before}` to `{won.after}`{others}. One more test of what this line is for would tell"
    )


def _first(proposals: Iterator[Mutation], number: int, seconds: float) -> list[Mutation]:
    """Return the next edits, fewer if they take longer than that to find."""
    end, found = time.monotonic() + seconds, list[Mutation]()
    while len(found) < number and time.monotonic() < end and (one := next(proposals, None)) is not None:
        found.append(one)
    return found


def _now() -> float:
    return asyncio.get_running_loop().time()


# -- reports of the scripts ------------------------------------------------------------------------


class _Test(BaseModel):
    model_config = ConfigDict(frozen=True)

    test: str
    failure: str | None
    message: str = ""
    lines: tuple[int, ...]


class _SpectrumReport(BaseModel):
    model_config = ConfigDict(frozen=True)

    tests: tuple[_Test, ...]
    imported: tuple[int, ...]
    duration_s: float
    collection_s: float = 0.0

    def without_needless_timeouts(self, failing: Collection[str]) -> _SpectrumReport:
        """Return the report with tests as passed that took too long only because their lines were recorded.

        Args:
            failing: tests that fail otherwise; if it names none of those in the report, nothing is known.
        """
        if not any(one.failure and one.test in failing for one in self.tests):
            return self
        some = [
            one.model_copy(update={"failure": None}) if one.failure == "Timeout" and one.test not in failing else one
            for one in self.tests
        ]
        return self.model_copy(update={"tests": tuple(some)})

    def stages(self) -> list[_Stage]:
        """Return the parts to search: all at once or, if failing tests share no line, one cause after another.

        Then an edit that repairs all of them can only be in a line that runs when the file is imported: those first.
        """
        spectra = [Spectrum(one.test, one.failure is not None, frozenset(one.lines)) for one in self.tests]
        imported = frozenset(self.imported)
        groups = independent_failures(spectra, imported)
        if len(groups) < 2:
            return [_Stage(self)]
        stages = [_Stage(self._of(self.tests, imported.__contains__))]
        failing = frozenset[str]().union(*groups)
        for group in groups:
            others = failing - group
            tests = [one for one in self.tests if one.test not in others]
            stages.append(_Stage(self._of(tests, lambda line: line not in imported), others))
        return stages

    def _of(self, tests: Sequence[_Test], is_searched: Callable[[int], bool]) -> _SpectrumReport:
        """Return a report of some tests, with some of the lines."""
        some = [one.model_copy(update={"lines": tuple(filter(is_searched, one.lines))}) for one in tests]
        return self.model_copy(update={"tests": tuple(some)})

    @property
    def failure(self) -> str:
        """The kind of failure of the first failing test; empty if none fails."""
        return next((failure_kind(one.failure, one.message) for one in self.tests if one.failure is not None), "")


@dataclass(frozen=True, slots=True)
class _Stage:
    """A part of a search: the tests that must pass with the lines that are searched, and the tests left to others."""

    report: _SpectrumReport
    skipped: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _How:
    """How texts are tried.

    Attributes:
        first: tests that run before the others, because they fail soonest.
        skip: tests that do not run.
        seconds_each: CPU time in seconds, for the tests and their imports.
    """

    first: Sequence[str]
    skip: Sequence[str]
    seconds_each: float


class _TrialReport(BaseModel):
    model_config = ConfigDict(frozen=True)

    passed: tuple[int | None, ...]
    reached: tuple[int, ...]


class _BehaviourReport(BaseModel):
    model_config = ConfigDict(frozen=True)

    behaviours: tuple[dict[str, tuple[tuple[str, str], ...]] | None, ...]


@dataclass(frozen=True, slots=True)
class _Judged:
    """The outcome of one trial: tests passed if all did, tests passed before the first failure."""

    passed: int | None
    reached: int
    was_tried: bool = True
