"""ProjectRepair: repairs the failing tests of a project, cause by cause, by small edits of the lines that they run."""

from __future__ import annotations

import asyncio
import dataclasses
import heapq
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from jido_ai.errors import ConfigurationError, ToolError
from jido_ai.files.below import read_below, without_links
from jido_ai.improve.repair.fault_localisation import suspicious_places
from jido_ai.improve.repair.mutation import Mutation, mutations
from jido_ai.improve.repair.passing_edits import (
    PassingEdit,
    choice_test,
    is_vacuous,
    kinds_of_behaviour,
    plausible,
    siblings,
)
from jido_ai.improve.repair.repair_choice import Behaviour, best_repair, measured, standing
from jido_ai.improve.repair.repairs import Choice, FailingTest, RefusedRepair, Repaired, TestRepairs
from jido_ai.improve.repair.search_scripts import PROBES_JOB, TRIALS_JOB, is_of_tests, script_tool
from jido_ai.improve.repair.untested_conditions import constant_conditions, removes_condition
from jido_ai.protocols import LanguageModel, ToolExecutor
from jido_ai.reflection.failure_kind import failure_kind
from jido_ai.text.edits import Edit
from jido_ai.text.wording import counted
from jido_ai.tools.lookup import default_executor
from jido_ai.tools.ready import PYTEST
from jido_ai.tools.reports.linters import Report, clean_end, read_report
from jido_ai.tools.reports.tests import parse_results
from jido_ai.tools.tool import Tool

_TEST_S: Final = 2.0  # per test, while its lines are recorded
_START_S: Final = 0.6
_MERCY_S: Final = 10.0
_PLAIN_S: Final = 15.0  # of a plain run, where a test took too long while its lines were recorded
_MAX_FILES: Final = 8  # files searched for one cause
_MAX_LINES: Final = 40  # lines of each
_MAX_CHARS: Final = 200_000
_MOST_BYTES: Final = 1 << 21  # of a file
_MAX_TRIES: Final = 2_000
_FIRST_CHUNK: Final = 36
_LARGEST_CHUNK: Final = 200
_PARALLEL: Final = 2
_ENOUGH: Final = 4
_MOST_CHOICES: Final = 10  # edits compared with each other
_PROBES_S: Final = 1.5
_CHOICE_S: Final = 15.0
_LOOSE: Final = 0.3
_REMOVED: Final = 0.05
_MOST_SHOWN: Final = 3
_MISSING: Final = "No module named "
_NEW_TERMS: Final = frozenset({"operand", "factor", "widen"})
_ALWAYS: Final = "the tests would also pass with the changed condition always true or always false"


class ProjectRepair:
    """Searches a project for edits that turn its failing tests green.

    Failing tests that share no line have separate causes. For each cause the lines that its tests run, in all files of
    the project that are no tests, are changed by the operators of `mutation`; an edit passes if one of the tests
    passes with it and none that passed fails. Of those that pass, the ones that repair most tests are compared on
    inputs near those of the tests; the edit is sure only if all of them do the same there. Then the search goes on
    with the edit in place, until no failing test is left that was not searched for.

    Args:
        root: the project.
        tests: runs the tests: `PYTEST`, with arguments to run only some of them.
        executor: runs programs; by default the registered "sandbox".
        texts: texts to use instead of those on the disk, by path.
        files: only these files may change, by path; None: all of the project that are no tests.
        max_seconds: limit of the whole search.
        run_seconds: limit of one run of all tests, if that is less.
        model: asked for an edit where the search finds none.
        unsafe: see `ToolCritiquer`.
        tell: receives the steps, for a person who waits.

    Raises:
        ConfigurationError: the limit is not above 0, or pytest does not run the tests.
    """

    def __init__(
        self,
        root: Path,
        *,
        tests: Tool = PYTEST,
        executor: ToolExecutor | None = None,
        texts: Mapping[str, str] | None = None,
        files: Iterable[str] | None = None,
        max_seconds: float = 120.0,
        run_seconds: float | None = None,
        model: LanguageModel | None = None,
        unsafe: bool = False,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        if not max_seconds > 0.0:
            raise ConfigurationError(f"the time limit must be above 0 s, got {max_seconds}")
        self._root, self._executor, self._unsafe = root, executor or default_executor(), unsafe
        self._texts = dict(texts or {})
        self._files = None if files is None else frozenset(files)
        self._max_seconds, self._model, self._tell = max_seconds, model, tell
        self._run_seconds = max_seconds if run_seconds is None else run_seconds
        self._tests = tests.in_project(root, "conftest.py")
        self._tests.require(self._executor)
        self._spectrum = script_tool(self._tests, "pytest_spectrum.py", str(_TEST_S))
        self._trials = script_tool(self._tests, "pytest_mutants.py", TRIALS_JOB)
        self._probes = script_tool(self._tests, "pytest_behaviours.py", PROBES_JOB)
        self._end = 0.0
        self._sources: dict[str, str] = {}

    async def run(self) -> TestRepairs:
        """Run the tests and search.

        Raises:
            ToolError: the tests cannot be run.
        """
        began = _now()
        self._end = began + self._max_seconds
        changed: dict[str, str] = {}
        self._tell("running the tests")
        report = await self._spectra(changed)
        failed = [one for one in report.tests if one.failure is not None]
        failing = tuple(FailingTest(one.test, one.message) for one in failed)
        passing = len(report.tests) - len(failed)
        missing = dict.fromkeys(name for one in failed if (name := self._missing(one)))
        if missing:
            why = f"the tests cannot be imported here: {', '.join(missing)} is missing; nothing was searched"
            left = tuple(one.test for one in failed)
            return TestRepairs(failing, passing, left=left, seconds=_now() - began, why=why, missing=tuple(missing))
        repairs: list[Repaired] = []
        refusals: list[RefusedRepair] = []
        given_up: set[str] = set()
        while groups := report.groups(given_up):
            number = len(repairs) + len(refusals) + 1
            self._tell(f"cause {number}: searching for an edit that repairs {', '.join(groups[0])[:200]}")
            stage = _Stage(self, report, groups[0], dict(changed), _now() + self._left_s / len(groups))
            found = await stage.search()
            if isinstance(found, RefusedRepair):
                refusals.append(found)
                given_up |= set(found.tests)
                continue
            repairs.append(found)
            if not found.is_sure:
                given_up |= set(found.fixed)
                continue
            after = {**changed, found.choices[0].path: found.choices[0].text}
            new = await self._spectra(after)
            worse = new.failing - report.failing | (set(found.fixed) & new.failing)
            if worse:  # the tests depend on more than the program: nothing is proven
                why = f"an edit passed when tried, but then {', '.join(sorted(worse))[:200]} failed"
                repairs[-1] = dataclasses.replace(found, doubt=why)
                given_up |= set(found.fixed)
                continue
            changed, report = after, new
        left = tuple(one.test for one in report.tests if one.failure is not None)
        paths = {choice.path for one in repairs for choice in one.choices}
        return TestRepairs(
            failing,
            passing,
            tuple(repairs),
            tuple(refusals),
            changed,
            {path: self._texts.get(path, self._sources.get(path, "")) for path in paths},
            left,
            _now() - began,
        )

    def _missing(self, test: _Test) -> str | None:
        """Return the module that a test file could not import, unless it would be one of the project's."""
        if test.failure != "CollectionError" or _MISSING not in test.message:
            return None
        name = test.message.rpartition(_MISSING)[2].split("\n")[0].strip("'\"; ")
        top = name.partition(".")[0]
        is_ours = any((self._root / place / part).exists() for place in ("", "src") for part in (top, f"{top}.py"))
        return None if is_ours else name

    # -- what the steps of a search need -----------------------------------------------------------

    @property
    def _left_s(self) -> float:
        return max(0.0, self._end - _now())

    async def source(self, path: str, changed: Mapping[str, str]) -> str:
        """Return the text of a file, as changed so far."""
        if path in changed or path in self._texts:
            return changed.get(path, self._texts.get(path, ""))
        if path not in self._sources:
            self._sources[path] = await asyncio.to_thread(_read_file, self._root, path)
        return self._sources[path]

    def may_change(self, path: str) -> bool:
        return not is_of_tests(path) and (self._files is None or path in self._files)

    async def _spectra(self, changed: Mapping[str, str]) -> _SpectrumReport:
        """Return the lines that each test runs; one that is too slow only while they are recorded counts as passed."""
        text = await self._report(self._spectrum, changed, min(self._run_seconds, max(_MERCY_S, self._left_s)))
        report = read_report(_SpectrumReport, text, "the report of the tests")
        if all(one.failure != "Timeout" for one in report.tests):
            return report
        failing = await self._still_failing(changed)
        return report if failing is None else report.with_timeouts_of(failing)

    async def judge(
        self, texts: Sequence[tuple[str, str]], how: Mapping[str, object], changed: Mapping[str, str], seconds: float
    ) -> list[_Trial]:
        """Return the outcome of the tests for each text of a file."""
        size = -(-len(texts) // _PARALLEL)
        chunks = [texts[start : start + size] for start in range(0, len(texts), size)]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._judge(chunk, how, changed, seconds)) for chunk in chunks]
        return [one for task in tasks for one in task.result()]

    async def _judge(
        self, texts: Sequence[tuple[str, str]], how: Mapping[str, object], changed: Mapping[str, str], seconds: float
    ) -> list[_Trial]:
        job = json.dumps({"texts": texts, **how, "seconds": seconds})
        tool = dataclasses.replace(self._trials, files={**self._trials.files, TRIALS_JOB: job})
        each_s = how["seconds_each"]
        assert isinstance(each_s, float)
        limit_s = seconds + 5 * (_START_S + each_s) + _MERCY_S
        answer = read_report(_TrialReport, await self._report(tool, changed, limit_s), "the report of the tests")
        found = [_Trial(*one) for one in zip(answer.fixed, answer.broken, strict=True)]
        return [*found, *([_Trial()] * (len(texts) - len(found)))]

    async def behaviours(
        self,
        texts: Sequence[tuple[str, str]],
        literals: Sequence[object],
        sides: Sequence[tuple[int, int, str, str]],
        changed: Mapping[str, str],
    ) -> list[Behaviour | None]:
        """Return the behaviour of each text on inputs near those of the tests; None if it is unknown."""
        seconds = min(_CHOICE_S, max(2.0, self._left_s))
        asked = {"texts": texts, "seconds_each": _PROBES_S, "seconds": seconds, "literals": literals, "sides": sides}
        tool = dataclasses.replace(self._probes, files={**self._probes.files, PROBES_JOB: json.dumps(asked)})
        try:
            said = await self._report(tool, changed, seconds + _MERCY_S)
            answer = read_report(_BehaviourReport, said, "the report of the tests").behaviours
        except ToolError:
            return [None] * len(texts)
        padded: list[Behaviour | None] = [*answer, *([None] * (len(texts) - len(answer)))]
        return padded[: len(texts)]

    async def _still_failing(self, changed: Mapping[str, str]) -> set[str] | None:
        """Return the tests that fail in a plain run; None if not all of them ran."""
        assert self._tests.parser is not None
        try:
            text = await self._report(self._tests, changed, min(_PLAIN_S, max(_MERCY_S, self._left_s / 4)))
            _, failed, unfinished = parse_results(text)
        except ToolError:
            return None
        return None if unfinished else {test for test, _ in failed}

    async def ask_model(
        self, path: str, lines: Sequence[int], failing: Sequence[FailingTest], changed: Mapping[str, str]
    ) -> str | None:
        """Return the text that the model makes of a file; None without a model, or if it makes none."""
        if self._model is None:
            return None
        from jido_ai.improve.repair.model_edit import model_edit  # noqa: PLC0415 - loaded where a model revises

        self._tell(f"asking the model for an edit of {path}")
        text = await self.source(path, changed)
        return await model_edit(self._model, path, text, lines, [(one.test, one.message) for one in failing])

    async def _report(self, tool: Tool, changed: Mapping[str, str], timeout_s: float) -> str:
        job = tool.job("", tree=self._root, path=".jido-none.py", timeout_s=timeout_s, unsafe=self._unsafe)
        texts = {**self._texts, **changed}
        files = {path: text.encode("utf-8", "surrogateescape") for path, text in texts.items()}
        argv = tuple("." if part == ".jido-none.py" else part for part in job.argv)
        run = await self._executor.run(dataclasses.replace(job, argv=argv, files={**job.files, **files}, target=None))
        if run.report is None or run.truncated:
            if run.timed_out:
                raise ToolError(f"the tests did not end within {timeout_s:.0f} s")
            said = clean_end(run.stderr or run.stdout) or "their report is too large"
            raise ToolError(f"the tests cannot be run: {said}")
        return run.report


class _Stage:
    """The search for one cause.

    Args:
        tests: the failing tests of the cause; other failing ones do not run.
        changed: texts of the files changed so far.
        end: of the time.
    """

    def __init__(
        self, tools: ProjectRepair, report: _SpectrumReport, tests: Sequence[str], changed: dict[str, str], end: float
    ) -> None:
        self._tools, self._report, self._changed, self._end = tools, report, changed, end
        own = [one for one in report.tests if one.test in tests]
        self._failing = [one.test for one in own]
        self._failed = [FailingTest(one.test, one.message) for one in own]
        late = [one.test for one in own if one.failure == "Timeout"] if len(own) > 1 else []
        late = late if len(late) < len(own) else []
        self._passed = [one.test for one in report.tests if one.failure is None]
        others = [one.test for one in report.tests if one.failure is not None and one.test not in tests]
        self._how: dict[str, object] = {
            "first": self._failing,
            "late": late,
            "keep": self._passed,
            "skip": others,
            "seconds_each": 3.0 * report.collection_s + 5.0 * report.duration_s + 0.2,
            "enough": _ENOUGH if report.duration_s < 1.0 else 1,
        }
        self._places = suspicious_places(
            {one.test: _places(one) for one in report.tests if one.test not in others}, set(self._failing)
        )
        self._failure = failure_kind(own[0].failure or "", own[0].message) if own else ""
        self._tried, self._reached, self._far = 0, 0, ""
        self._found: list[PassingEdit] = []

    async def search(self) -> Repaired | RefusedRepair:
        sources = {path: await self._tools.source(path, self._changed) for path in self._paths()}
        proposals = await asyncio.to_thread(self._proposals, sources)
        wave, looks = 0, 0
        while _now() < self._end and self._tried < _MAX_TRIES:
            size = min(_FIRST_CHUNK << min(wave, 10), _LARGEST_CHUNK) * _PARALLEL
            edits = await asyncio.to_thread(_next, proposals, size, self._end - _now())
            if not edits or _now() >= self._end:
                break
            texts = [(path, one.apply(sources[path])) for path, one in edits]
            judged = await self._tools.judge(texts, self._how, self._changed, self._end - _now())
            self._tried += len(edits)
            for (path, edit), (_, text), got in zip(edits, texts, judged, strict=True):
                if got.fixed:
                    self._found.append(PassingEdit(path, edit, sources[path], text, got.fixed))
                elif got.broken is not None and got.broken[0] > self._reached:
                    self._reached = got.broken[0]
                    self._far = (
                        f"{path}:{edit.line}, `{edit.before}` to `{edit.after}`, repairs {got.broken[0]} of "
                        f"{counted(len(self._failing), 'failing test')}, but {got.broken[1]} fails then"
                    )
            wave += 1
            looks += bool(self._found)
            is_whole = any(len(one.fixed) == len(self._failing) for one in self._found)
            if self._found and (looks > 2 or (is_whole and (looks > 1 or len(self._failing) > 1))):
                break
        if self._found and (chosen := await self._chosen()) is not None:
            return chosen
        if (made := await self._by_model()) is not None:
            return made
        return RefusedRepair(tuple(self._failing), self._why(), self._tried)

    def _paths(self) -> list[str]:
        best: dict[str, float] = {}
        for (path, _), suspicion in self._places.items():
            if self._tools.may_change(path):
                best[path] = max(best.get(path, 0.0), suspicion)
        return sorted(best, key=lambda path: -best[path])[:_MAX_FILES]

    def _proposals(self, sources: Mapping[str, str]) -> Iterator[tuple[str, Mutation]]:
        """Yield the edits of all files, the most probable first."""
        streams: list[Iterator[tuple[float, int, str, Mutation]]] = []
        top = max(self._places.values(), default=1.0)
        for place, (path, source) in enumerate(sources.items()):
            lines = {line: one for (of, line), one in self._places.items() if of == path}
            share = (max(lines.values()) / top) ** 3
            try:
                if len(source) > _MAX_CHARS:
                    continue
                found = mutations(source, lines, max_lines=_MAX_LINES, max_results=_MAX_TRIES)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            streams.append(_ranked(found, share, place, path))
        return ((path, one) for _, _, path, one in heapq.merge(*streams, key=lambda item: item[:2]))

    async def _chosen(self) -> Repaired | None:
        """Return the edit that most speaks for, with others that differ; None if each is vacuous."""
        most = max(len(one.fixed) for one in self._found)
        sets = [one.fixed for one in self._found if len(one.fixed) == most]
        fixed = max(sets, key=lambda one: sum(it.edit.weight for it in self._found if it.fixed == one))
        same = [one for one in self._found if one.fixed == fixed and not is_vacuous(one)]
        same = plausible(same)
        same.sort(key=lambda one: -one.weight)
        some = same[:_MOST_CHOICES]
        if not some:
            return None
        shares = await self._tested_conditions(some, fixed)
        before = (some[0].path, some[0].source)
        seen: list[Behaviour | None] = [None] * len(some)
        literals = list(dict.fromkeys(value for one in some for value in one.literals()))[:8]
        sides = [(place + 1, *side) for place, one in enumerate(some) for side in one.sides()][:12]
        texts = [before, *((one.path, one.text) for one in some)]
        original, *seen = await self._tools.behaviours(texts, literals, sides, self._changed)
        passed = frozenset(self._passed)
        likely = [one.weight * share for one, share in zip(some, shares, strict=True)]
        left = standing(seen, original, passed, likely)
        order: list[int] = []
        while left:
            weights = [likely[place] for place in left]
            best = left[best_repair([seen[place] for place in left], original, passed, weights)]
            order.append(best)
            left = [place for place in left if place != best]
        return self._repaired(order, some, seen, shares)

    def _repaired(
        self,
        order: Sequence[int],
        some: Sequence[PassingEdit],
        seen: Sequence[Behaviour | None],
        shares: Sequence[float],
    ) -> Repaired:
        """Return the repair by the first of the edits in this order."""
        place, *others = order
        won, mine = some[place], seen[place]
        rest, of_rest = [some[one] for one in others], [seen[one] for one in others]
        kinds = kinds_of_behaviour(won, mine, rest, of_rest)
        choices = [_choice(one, difference) for one, difference in kinds[:_MOST_SHOWN]]
        is_known = mine is not None and all(one is not None for one in of_rest)
        doubt = ""
        if len(kinds) > 1:
            doubt = f"{len(kinds)} edits that pass do something else on some input"
        elif not is_known and rest:
            doubt = f"{len(rest) + 1} edits pass, and on which inputs they differ is not known"
        elif shares[place] < 1.0:
            doubt = f"{_ALWAYS}: add a test that needs it"
        elif won.edit.operator in _NEW_TERMS and len(won.fixed) == 1:
            doubt = "only one test asks for a new term here: another test with other values would tell"
        elif len(won.fixed) < len(self._failing) and len(won.fixed) < 2:
            doubt = f"{len(self._failing) - 1} failing tests run the same lines and still fail"
        found = measured(is_sure=not doubt)
        return Repaired(tuple(choices), won.fixed, doubt, found, self._tried, len(rest) + 1, won.edit.operator)

    async def _tested_conditions(self, some: list[PassingEdit], fixed: tuple[str, ...]) -> list[float]:
        """Return the share of its weight that each edit keeps, because the tests may not need its condition.

        To `some` the first edit is added with a comparison of its statement the other way at equality, if that passes.
        """
        variants = await asyncio.to_thread(_constant, some)
        others = await asyncio.to_thread(siblings, some[0])
        found = [(one.path, text) for one, texts in zip(some, variants, strict=True) for text in texts or ()]
        texts = [*found, *((one.path, one.text) for one in others)]
        good = set[tuple[str, str]]()
        if texts and _now() < self._end:
            how = {**self._how, "enough": len(texts)}
            judged = await self._tools.judge(texts, how, self._changed, self._end - _now())
            good = {text for text, got in zip(texts, judged, strict=True) if set(got.fixed or ()) >= set(fixed)}
        shares = [
            _REMOVED if texts is None else _LOOSE if any((one.path, text) in good for text in texts) else 1.0
            for one, texts in zip(some, variants, strict=True)
        ]
        known = {one.text for one in self._found}
        also = [one for one in others if (one.path, one.text) in good and one.text not in known]
        some += also
        return [*shares, *([1.0] * len(also))]

    async def _by_model(self) -> Repaired | None:
        """Return the edit of a model, if it turns failing tests green and breaks none."""
        for path in self._paths()[:1]:
            lines = [line for (of, line) in self._places if of == path][:5]
            source = await self._tools.source(path, self._changed)
            text = await self._tools.ask_model(path, lines, self._failed, self._changed)
            if text is None or text == source:
                continue
            got = (await self._tools.judge([(path, text)], self._how, self._changed, 60.0))[0].fixed
            self._tried += 1
            if not got:
                continue
            edit = Mutation("model", min(lines, default=1), "", "", 0, 1.0, Edit(1, 1, 1, 1, ""))
            shown = Choice(path, edit.line, "", "", text)
            doubt = "" if len(got) == len(self._failing) else "some tests of the same lines still fail"
            found = measured(is_sure=False)
            return Repaired((shown,), got, doubt, found, self._tried, 1, "model")
        return None

    def _why(self) -> str:
        """Return how many edits were tried, and how far the best came."""
        if not self._places:
            return "no line of the project's own files is run by these tests; 0 edits tried"
        tried = f"{self._tried} edits tried in {counted(len(self._paths()), 'file')}"
        over = ", time is up" if _now() >= self._end else ""
        if self._found:
            return f"{tried}{over}; {len(self._found)} pass, but each removes an effect that the program had"
        best = self._far or "none makes a failing test pass"
        return f"{tried}{over}; {'the best: ' if self._far else ''}{best}"


def _choice(one: PassingEdit, difference: tuple[str, str] | None) -> Choice:
    code, value = difference or ("", "")
    edit, test = one.edit, choice_test(code, value) if code else ""
    return Choice(one.path, edit.line, edit.before, edit.after, one.text, test, code, value)


def _ranked(
    found: Iterator[Mutation], share: float, place: int, path: str
) -> Iterator[tuple[float, int, str, Mutation]]:
    return ((-one.weight * share, place, path, one) for one in found)


def _constant(some: Sequence[PassingEdit]) -> list[list[str] | None]:
    found: list[list[str] | None] = []
    for one in some:
        is_removed = removes_condition(one.source, one.text)
        found.append(None if is_removed else constant_conditions(one.text, one.edit.edit))
    return found


def _next(proposals: Iterator[tuple[str, Mutation]], number: int, seconds: float) -> list[tuple[str, Mutation]]:
    end, found = time.monotonic() + seconds, list[tuple[str, Mutation]]()
    for one in islice(proposals, number):
        found.append(one)
        if time.monotonic() > end:
            break
    return found


def _read_file(root: Path, path: str) -> str:
    """Return the text of a file, its line ends as they are; empty if it is no UTF-8, gone or not in the project.

    The path is from a report, which a test can forge.
    """
    try:
        return (read_below(root, without_links(root, path), _MOST_BYTES) or b"").decode("utf-8")
    except (OSError, ValueError):
        return ""


def _now() -> float:
    return asyncio.get_running_loop().time()


# -- reports of the scripts ------------------------------------------------------------------------


class _Test(Report):
    test: str
    failure: str | None
    message: str = ""
    lines: dict[str, tuple[int, ...]]


class _SpectrumReport(Report):
    tests: tuple[_Test, ...]
    imported: dict[str, tuple[int, ...]]
    duration_s: float
    collection_s: float = 0.0

    @property
    def failing(self) -> set[str]:
        return {one.test for one in self.tests if one.failure is not None}

    def with_timeouts_of(self, failing: set[str]) -> _SpectrumReport:
        """Return the report with tests as passed that took too long only because their lines were recorded."""
        some = [
            one.model_copy(update={"failure": None}) if one.failure == "Timeout" and one.test not in failing else one
            for one in self.tests
        ]
        return self.model_copy(update={"tests": tuple(some)})

    def groups(self, given_up: set[str]) -> list[list[str]]:
        """Return the failing tests that are not given up, in groups that share a line; files that do not load first."""
        imported = {(path, line) for path, lines in self.imported.items() for line in lines}
        found: list[tuple[list[str], set[tuple[str, int]]]] = []
        for one in self.tests:
            if one.failure is None or one.test in given_up:
                continue
            own = _places(one) - imported
            same = [group for group in found if (group[1] & own) or not (group[1] or own)]
            tests = [test for group in same for test in group[0]] + [one.test]
            lines = own.union(*(group[1] for group in same))
            found = [group for group in found if group not in same]
            found.append((tests, lines))
        found.sort(key=lambda group: "::" in group[0][0])
        return [tests for tests, _ in found]


def _places(test: _Test) -> set[tuple[str, int]]:
    return {(path, line) for path, lines in test.lines.items() for line in lines}


class _TrialReport(Report):
    fixed: tuple[tuple[str, ...] | None, ...]
    broken: tuple[tuple[int, str] | None, ...]


@dataclass(frozen=True, slots=True)
class _Trial:
    """The outcome of the tests with an edit.

    Attributes:
        fixed: the failing tests that pass; None if one broke, or it was not tried.
        broken: how many failing tests passed, and the test that broke then.
    """

    fixed: tuple[str, ...] | None = None
    broken: tuple[int, str] | None = None


class _BehaviourReport(Report):
    behaviours: tuple[dict[str, tuple[tuple[str, str], ...]] | None, ...]
