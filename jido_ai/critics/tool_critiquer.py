"""ToolCritiquer: runs tools concurrently and turns their findings into one critique."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Literal

from cachetools import LRUCache

from jido_ai.components.component import check_critique_call
from jido_ai.critics.scoring import with_verdict
from jido_ai.errors import ConfigurationError, ToolError, describe, message_of
from jido_ai.protocols import FingerprintingExecutor, RunContext, ToolExecutor
from jido_ai.telemetry import observed
from jido_ai.tools.lookup import default_executor, project_path, tool_named
from jido_ai.tools.reports.linters import SEVERITIES, clean, clean_end
from jido_ai.tools.reports.outcomes import lost_tests
from jido_ai.tools.text_work import read_off_loop
from jido_ai.tools.tool import Tool
from jido_ai.values import Candidate, CritiqueResult, Issue, Location
from jido_ai.values.tool import ToolJob, ToolRun

_CACHED_CHARS = 16_000_000  # of all messages in one critiquer's cache
_NOT_RUN = frozenset({"cannot-run", "timeout", "syntax"})
MOST_FINDINGS = 1_000  # per tool: each finding costs memory in every later step


class ToolCritiquer:
    """Judges a candidate by the findings of tools.

    Severity is that of the worst finding, 0.0 without findings; score = 1 / (1 + the sum of all severities), so that
    every closed finding is a gain. The severity of a finding comes from `severity_map`, else from its parser, else from
    its kind (`SEVERITIES`). Issues are in the order of the tools, without duplicates. `parts` has one result per tool,
    `metadata["tools"]` the exit status, duration and sandbox layer of each.

    A tool that cannot run, or whose output cannot be parsed, is a finding of kind "cannot-run" and severity 1.0; one
    that was killed at its limit is a "timeout", 0.9. A failure never counts as a pass. At most 1,000 findings per tool.

    `checks` holds the result of each test, as "TOOL:TEST". A test that ran on the first candidate of a run
    (`RunContext.baseline`) and is now skipped, expected to fail or missing is a finding of kind "test".

    All tools run even if the candidate does not parse. The first "syntax" finding then stands for all: "syntax" and
    "cannot-run" findings of other tools follow from it and are in `parts` only.

    Results are cached as long as nothing they depend on changes: the candidate, the tool, its program, the project, the
    sandbox. A cached result has "cached": True in its metadata. A tool that was killed, crashed, could not run, or
    wrote more output than was read is run again. Caching needs a `FingerprintingExecutor`. The first result of a flaky
    test is kept until `cache` is False.

    The executor decides how strictly tools are confined; `metadata["sandbox"]` reports it. An executor that cannot
    confine a tool that executes the candidate refuses with a `ConfigurationError`, unless `unsafe` is set.

    Args:
        tools: names from the registry, or `Tool`s; each name once.
        root: a project directory; every tool runs in its own copy of it.
        replaces: the file of the project that the candidate replaces, relative to `root`. None: the candidate is
            written to the tool's own `filename`.
        config: "project": tools use the project's configuration if there is one; "ignore": they do not. For a custom
            configuration, see `Tool.with_config`.
        severity_map: severity of a finding, by the first of these keys that exists: its rule ("F401"), the letters of
            its rule ("F"), its kind ("style"), the name of its tool. "cannot-run" cannot be mapped.
        executor: runs the programs; by default the registered "sandbox".
        unsafe: accept that a tool executes hostile code unconfined where no sandbox is available.
        max_parallel: maximum number of tools that run concurrently, at least 1.
        cache: cache the results of tools.

    Raises:
        ConfigurationError: at construction: a tool is unknown, a path is outside the project, a severity is out of
            range, or the root is not a directory. `ToolNotFoundError`, a subclass, if a program is not installed or not
            allowed.
    """

    def __init__(
        self,
        tools: Sequence[str | Tool],
        *,
        root: Path | str | None = None,
        replaces: str | None = None,
        config: Literal["project", "ignore"] = "project",
        severity_map: Mapping[str, float] | None = None,
        executor: ToolExecutor | None = None,
        unsafe: bool = False,
        max_parallel: int = 4,
        cache: bool = True,
    ) -> None:
        self._root, self._path = project_path(root, replaces)
        if config not in ("project", "ignore"):
            raise ConfigurationError(f'config must be "project" or "ignore", got {describe(config)}')
        self._config = config
        self._severities = _checked(severity_map or {})
        self._executor = executor or default_executor()
        self._unsafe = unsafe
        self._cache: LRUCache[tuple[str, str], _ToolVerdict] | None = None
        if cache and isinstance(self._executor, FingerprintingExecutor):
            self._cache = LRUCache(_CACHED_CHARS, getsizeof=_size)
        if type(max_parallel) is not int or max_parallel < 1:
            raise ConfigurationError(f"max_parallel must be a whole number of at least 1, got {describe(max_parallel)}")
        self._max_parallel = max_parallel
        if not isinstance(tools, Sequence) or isinstance(tools, str) or not tools:
            raise ConfigurationError(f"tools must be a sequence of at least one tool, got {describe(tools)}")
        self._tools = tuple(self._ready(tool) for tool in tools)
        names = [tool.name for tool in self._tools]
        if len(set(names)) < len(names):
            raise ConfigurationError(f"each tool may be given only once, got {', '.join(names)}")
        self.name = "tool:" + "+".join(names)

    def _ready(self, tool: str | Tool) -> Tool:
        chosen = tool_named(tool) if isinstance(tool, str) else tool
        if not isinstance(chosen, Tool):
            raise ConfigurationError(f"a tool must be a name or a Tool, got {describe(chosen)}")
        if self._root is not None and self._config == "project":
            chosen = chosen.in_project(self._root, self._path or chosen.filename)
        return chosen.found(self._executor)

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Run all tools on the candidate. A cancelled call leaves no process and no file behind."""
        check_critique_call(candidate, context)
        turns = asyncio.Semaphore(self._max_parallel)
        jobs = [
            tool.job(candidate.content, tree=self._root, path=self._path, unsafe=self._unsafe) for tool in self._tools
        ]
        keys = await self._keys(jobs)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self._judge(tool, job, self._remembered(key), context, turns))
                    for tool, job, key in zip(self._tools, jobs, keys, strict=True)
                ]
        except ExceptionGroup as errors:  # early versions of Python 3.11 put what `except*` raises into a group
            for error in errors.exceptions:
                if isinstance(error, ConfigurationError):
                    raise error from None
            raise
        judged = [task.result() for task in tasks]
        if not all(one.is_cached for one in judged):
            self._remember(keys, await self._keys(jobs), judged)
        if context.baseline is not None:
            judged = [_with_lost(tool, one, context.baseline) for tool, one in zip(self._tools, judged, strict=True)]
        return self._join([one.part(tool) for tool, one in zip(self._tools, judged, strict=True)])

    async def _judge(
        self, tool: Tool, job: ToolJob, known: _ToolVerdict | None, context: RunContext, turns: asyncio.Semaphore
    ) -> _ToolVerdict:
        if known is not None:
            return known
        async with turns:
            left_s = context.time_left_s
            job = dataclasses.replace(job, timeout_s=min(job.timeout_s, inf if left_s is None else left_s))
            try:
                run = await observed("tool", self._executor.run(job), name=tool.name)
            except ToolError as error:
                issue = _weighed(_cannot_run(tool, str(error)), tool, {})
                return _ToolVerdict((issue,), {"error": clean(str(error))})
        size = len(run.stdout) + len(run.stderr) + len(run.report or "")
        issues, checks = await read_off_loop(size, self._read, tool, run, job.timeout_s)
        return _ToolVerdict(
            tuple(issues[:MOST_FINDINGS]),
            {
                "exit_status": run.exit_status,
                "timed_out": run.timed_out,
                "duration_s": run.duration_s,
                "sandbox": run.sandbox,
                "truncated": run.truncated,
                "findings": len(issues),
                "judged": min(len(issues), MOST_FINDINGS),
            },
            checks,
        )

    async def _keys(self, jobs: Sequence[ToolJob]) -> list[tuple[str, str] | None]:
        """Return the cache key of each tool's result; None for a result that is not cached."""
        if self._cache is None or not isinstance(self._executor, FingerprintingExecutor):
            return [None] * len(jobs)
        keys = await self._executor.fingerprints(jobs)
        return [None if one is None else (tool.name, one) for tool, one in zip(self._tools, keys, strict=True)]

    def _remembered(self, key: tuple[str, str] | None) -> _ToolVerdict | None:
        known = None if self._cache is None or key is None else self._cache.get(key)
        return None if known is None else dataclasses.replace(known, is_cached=True)

    def _remember(
        self,
        before: Sequence[tuple[str, str] | None],
        after: Sequence[tuple[str, str] | None],
        judged: Sequence[_ToolVerdict],
    ) -> None:
        """Cache the results that will repeat, if nothing changed while the tools ran."""
        for key, still, one in zip(before, after, judged, strict=True):
            if self._cache is None or key is None or key != still or not one.is_lasting:
                continue
            if _size(one) <= _CACHED_CHARS:
                self._cache[key] = dataclasses.replace(one, is_cached=False)

    def _read(self, tool: Tool, run: ToolRun, timeout_s: float) -> tuple[list[Issue], Mapping[str, str]]:
        """Return the findings of a run, weighted, located and deduplicated, and the result of each test."""
        found = _findings(tool, run, timeout_s)
        target = self._path or tool.filename
        placed = (_weighed(_placed(issue, run.directory, target), tool, self._severities) for issue in found)
        issues = list(dict.fromkeys(placed))
        if tool.checks is None or run.report is None or any(issue.kind in _NOT_RUN for issue in issues):
            return issues, {}
        return issues, tool.checks(run.report)

    def _join(self, parts: Sequence[CritiqueResult]) -> CritiqueResult:
        speaker = next((part for part in parts if any(issue.kind == "syntax" for issue in part.issues)), None)
        issues = dict.fromkeys(
            issue
            for part in parts
            for issue in part.issues
            if speaker in (None, part) or issue.kind not in ("syntax", "cannot-run")
        )
        layers = {str(part.metadata["sandbox"]) for part in parts if "sandbox" in part.metadata}
        joined = CritiqueResult(
            severity=worst_of(issues),
            score=score_of_issues(issues),
            issues=tuple(issues),
            feedback="\n".join(part.feedback for part in parts if part.feedback),
            source=self.name,
            metadata={
                "tools": {tool.name: part.metadata for tool, part in zip(self._tools, parts, strict=True)},
                "sandbox": ", ".join(sorted(layers)) or "none",
            },
            parts=tuple(part.model_copy(update={"checks": {}}) if part.checks else part for part in parts),
            checks={name: end for part in parts for name, end in part.checks.items()},
        )
        return with_verdict(joined)


@dataclass(frozen=True, slots=True)
class _ToolVerdict:
    """The judgement of one tool; for tests, the result of each."""

    issues: tuple[Issue, ...]
    metadata: Mapping[str, object]
    checks: Mapping[str, str] = field(default_factory=dict[str, str])
    is_cached: bool = False

    @property
    def is_lasting(self) -> bool:
        """True if the tool finished and its output was parsed."""
        status = self.metadata.get("exit_status")
        came_to_its_end = isinstance(status, int) and status >= 0 and not self.metadata["truncated"]
        return came_to_its_end and not any(issue.kind in ("cannot-run", "timeout") for issue in self.issues)

    def part(self, tool: Tool) -> CritiqueResult:
        checks = {f"{tool.name}:{test}": end for test, end in self.checks.items()}
        return _part(tool, self.issues, {**self.metadata, "cached": self.is_cached}, checks)


def _with_lost(tool: Tool, judged: _ToolVerdict, baseline: CritiqueResult) -> _ToolVerdict:
    """Return the judgement with a finding for each test that ran on the first candidate and no longer runs."""
    head = f"{tool.name}:"
    before = {name.removeprefix(head): end for name, end in baseline.checks.items() if name.startswith(head)}
    if tool.checks is None or not before or any(issue.kind in _NOT_RUN for issue in judged.issues):
        return judged
    known = {issue.rule for issue in judged.issues}
    lost = [
        _weighed(Issue(clean(test.sentence), kind="test", rule=clean(test.test)), tool, {})
        for test in lost_tests(before, judged.checks)
        if test.test not in known
    ]
    return dataclasses.replace(judged, issues=(*judged.issues, *lost)[:MOST_FINDINGS]) if lost else judged


def _size(judged: _ToolVerdict) -> int:
    said = sum(1_000 + len(issue.message) for issue in judged.issues)
    return 1_000 + said + sum(100 + len(test) for test in judged.checks)


def _checked(severities: Mapping[str, float]) -> dict[str, float]:
    if not isinstance(severities, Mapping):
        raise ConfigurationError(f"severity_map must be a mapping, got {describe(severities)}")
    for key, severity in severities.items():
        if key == "cannot-run":
            raise ConfigurationError('severity_map: "cannot-run" is always 1.0, it must not become a pass')
        if isinstance(severity, bool) or not isinstance(severity, int | float) or not 0.0 <= severity <= 1.0:
            raise ConfigurationError(f"severity_map: {key!r} must be a number in [0, 1], got {describe(severity)}")
    return dict(severities)


def _findings(tool: Tool, run: ToolRun, timeout_s: float) -> list[Issue]:
    """Return the findings of a run, from the parser or the exit status."""
    if run.timed_out:
        return [
            Issue(f"{tool.name} was killed: it did not finish within {timeout_s:g} s", kind="timeout", rule="timeout")
        ]
    did_not_run = tool.ran is not None and run.exit_status not in tool.ran
    ended = f"exit status {run.exit_status}: {_last_words(run)}"
    found: list[Issue] = []
    if tool.parser is not None:
        text = run.report if tool.report is not None else run.stdout if tool.output == "stdout" else run.stderr
        if text is None:
            return [_cannot_run(tool, f"it left no report; {ended}")]
        try:
            found = [Issue(one) if isinstance(one, str) else one for one in tool.parser(text)]
        except Exception as error:  # noqa: BLE001 - a parser may raise anything on junk, which must never be a pass
            cut = "its output was cut; " if run.truncated else ""
            return [_cannot_run(tool, ended if did_not_run else f"{cut}{message_of(error) or type(error).__name__}")]
    if did_not_run and not any(issue.kind == "syntax" for issue in found):
        return [_cannot_run(tool, ended)]
    if found and tool.keeps is not None:
        return [issue for issue in found if tool.keeps(issue)]  # perhaps none: the exit status is about all of them
    if not found and run.exit_status != 0:
        said = Issue(f"{tool.name} ended with exit status {run.exit_status}: {_last_words(run)}", kind="failed")
        return [tool.on_fail or said]
    return found


def _cannot_run(tool: Tool, why: str) -> Issue:
    return Issue(f"{tool.name} cannot run: {why}", kind="cannot-run", rule="cannot-run")


def _last_words(run: ToolRun) -> str:
    said = run.stderr.strip() or run.stdout.strip() or "no output"
    return clean_end(_without_directory(said, run.directory))


def _without_directory(text: str, directory: str) -> str:
    """Return the text without the run's directory, whose name changes each time."""
    return text.replace(directory + "/", "").replace(directory, ".") if directory else text


def _placed(issue: Issue, directory: str, target: str) -> Issue:
    """Return the issue with paths relative to the project, not the temporary directory, and a bounded message."""
    place = issue.location
    if place is not None:
        path = (place.path or target).removeprefix(directory + "/").removeprefix("./")
        place = Location(path, place.line, place.column, place.end_line, place.end_column)
    return issue.replace(message=clean(_without_directory(issue.message, directory)), location=place)


def _weighed(issue: Issue, tool: Tool, severities: Mapping[str, float]) -> Issue:
    """Return the issue with its source and severity."""
    kind, rule = issue.kind or "", issue.rule or ""
    keys = [] if kind == "cannot-run" else [rule, rule.rstrip("0123456789"), kind, tool.name]
    mapped = next((severities[key] for key in keys if key in severities), None)
    severity = issue.severity if mapped is None else mapped
    if severity is None:
        severity = SEVERITIES.get(kind, tool.severity_on_fail)
    return issue.replace(source=f"tool:{tool.name}", severity=severity)


def worst_of(issues: Iterable[Issue]) -> float:
    """Return the severity of a critique with these findings."""
    return max((issue.severity or 0.0 for issue in issues), default=0.0)


def score_of_issues(issues: Iterable[Issue]) -> float:
    """Return the score of a critique with these findings."""
    return 1.0 / (1.0 + sum(issue.severity or 0.0 for issue in issues))


def _part(
    tool: Tool, issues: Sequence[Issue], metadata: dict[str, object], checks: Mapping[str, str]
) -> CritiqueResult:
    count = f"{len(issues)} findings" if len(issues) != 1 else "1 finding"
    part = CritiqueResult(
        severity=worst_of(issues),
        score=score_of_issues(issues),
        issues=tuple(issues),
        feedback=f"{tool.name}: {count if issues else 'nothing found'}",
        source=f"tool:{tool.name}",
        metadata=metadata,
        checks=checks,
    )
    return with_verdict(part)
