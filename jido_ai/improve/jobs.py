"""The critiquer and the reviser of each file of `jido improve`, and the baseline of its tests."""

from __future__ import annotations

import ast
import asyncio
import dataclasses
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from jido_ai.critics.panel import PanelCritiquer
from jido_ai.critics.text_critiquer import TextCritiquer
from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import Declined, ToolError
from jido_ai.improve.outcome import FileJob, ImproveOptions
from jido_ai.improve.project import Project
from jido_ai.improve.project_tests import LINES_JOB, watching
from jido_ai.improve.source_files import ProjectSource, kind_of
from jido_ai.improve.test_problems import needs_network
from jido_ai.protocols import Reviser, RunContext, ToolExecutor
from jido_ai.revisers.chain_reviser import ChainReviser
from jido_ai.revisers.edit_policy import CarefulEdits, import_rows
from jido_ai.revisers.halving import unit_name
from jido_ai.revisers.targeted_reviser import TargetedReviser
from jido_ai.text.python_tree import first_step, parsed
from jido_ai.tools.lookup import tool_named
from jido_ai.tools.reports.linters import RuffDiagnostic, clean_end, ruff_diagnostics
from jido_ai.tools.reports.tests import parse_lines
from jido_ai.tools.tool import Tool
from jido_ai.values import Candidate, Issue

_LONGEST_FOR_MODEL: Final = 60_000


# -- tests, as the project is ------------------------------------------------------------------------


@dataclass(frozen=True)
class Baseline:
    """The result of the tests on the unchanged project.

    Attributes:
        outcomes: the outcome of each test; None if they could not be run.
        fails: a test failed, or they could not be run.
        said: messages and places of all failures.
        failing: the failures, each once; without those that need the network.
        problem: why the tests could not be run at all; None if they were. Then nothing is searched for.
        unreached: tests that need the network, which the sandbox does not have.
        covered: names of edits (`halving.unit_name`) whose lines are run by tests that pass, by path.
    """

    tool: Tool
    outcomes: Mapping[str, str] | None
    fails: bool
    said: str = ""
    failing: tuple[Issue, ...] = ()
    problem: str | None = None
    unreached: tuple[str, ...] = ()
    covered: Mapping[str, frozenset[str]] = field(default_factory=dict[str, "frozenset[str]"])


async def run_baseline(
    project: Project, sources: Mapping[str, ProjectSource], tests: str, executor: ToolExecutor
) -> Baseline:
    """Run the tests once on the unchanged project, and find the edits that they would notice.

    Args:
        sources: the files to be worked on, by path in the project.
        tests: the tests' path in the project.
    """
    tool, missing = project.tests.tool(tests), partial(project.tests.missing, paths=project.files.texts)
    first = next(iter(sources))
    ready = tool.in_project(project.files.root, first)
    unsafe = {} if project.options.unsafe_fixes else await _unsafe_edits(project, sources, executor)
    watched = {path: sorted({row for rows in units.values() for row in rows}) for path, units in unsafe.items()}
    ready_to_watch = watching(ready) if any(watched.values()) else ready
    job = ready_to_watch.job(sources[first].text, tree=project.files.root, path=first, unsafe=project.options.unsafe)
    job = dataclasses.replace(job, files={**job.files, LINES_JOB: json.dumps(watched).encode()})
    run = await executor.run(job)
    said = f"{run.stdout}\n{run.stderr}"
    if run.timed_out:
        why = f"they did not end within {job.timeout_s:g} s; give more with --test-timeout SECONDS"
        return Baseline(tool, None, fails=True, said=said, problem=why)
    try:
        if run.report is None or run.truncated or ready.parser is None or ready.checks is None:
            raise ToolError(clean_end(run.stderr or run.stdout) or "they left no report")
        issues = [one if isinstance(one, Issue) else Issue(one) for one in ready.parser(run.report)]
        outcomes = ready.checks(run.report)
    except ToolError as error:
        said = f"{said}\n{error}"
        return Baseline(tool, None, fails=True, said=said, problem=missing(said) or str(error))
    texts = [f"{one.location or ''} {one.message}" for one in issues]
    said = "\n".join([*texts, said])
    missing = missing("\n".join(texts)) if any(one in ("error", "failed") for one in outcomes.values()) else None
    if missing is not None and not any(one == "passed" for one in outcomes.values()):
        return Baseline(tool, None, fails=True, said=said, problem=missing)
    unreached = tuple(one.rule for one in issues if one.rule is not None and needs_network(one.message))
    if unreached:  # no edit will make them pass, so they take no part in the search for one
        tool = tool.with_arguments(*(word for test in unreached for word in ("--deselect", test)))
        outcomes = {test: end for test, end in outcomes.items() if test not in unreached}
    failing = tuple(one.replace(source=f"tool:{tool.name}") for one in issues if one.rule not in unreached)
    lines = parse_lines(run.report)
    covered = {
        path: frozenset(
            unit for unit, rows in units.items() if rows and all(lines.get(path, {}).get(row) for row in rows)
        )
        for path, units in unsafe.items()
    }
    return Baseline(
        tool, outcomes, fails=bool(failing), said=said, failing=failing, unreached=unreached, covered=covered
    )


async def _unsafe_edits(
    project: Project, sources: Mapping[str, ProjectSource], executor: ToolExecutor
) -> dict[str, dict[str, tuple[int, ...]]]:
    """Return, by path and unit, the rows that tests must run before an unsafe edit is made."""

    async def of_one(path: str, source: ProjectSource) -> dict[str, tuple[int, ...]]:
        tool, has_own_rules = project.linter(path)
        text = source.text.removeprefix("\ufeff")
        try:
            run = await executor.run(tool.job(text, tree=project.files.root, path=path))
        except ToolError:
            return {}  # its own run will say so
        if run.exit_status not in (0, 1) or run.truncated:
            return {}
        policy = CarefulEdits(lambda _name, _row: None, minimum=project.minimum, has_own_rules=has_own_rules)
        found: dict[str, tuple[int, ...]] = {}
        for one in ruff_diagnostics(run.stdout):
            if one.code != "F401" and not one.is_syntax_error and policy.hold_back(text, one) is not None:
                row = one.location.row if one.location else 1
                unit = unit_name(text, one.code or "", one.message, row)
                found[unit] = (*found.get(unit, ()), *_rows_of(text, one))
        return found

    python = {path: source for path, source in sources.items() if kind_of(source.path) == "python"}
    async with asyncio.TaskGroup() as group:
        tasks = {path: group.create_task(of_one(path, source)) for path, source in python.items()}
    return {path: task.result() for path, task in tasks.items()}


def _rows_of(text: str, finding: RuffDiagnostic) -> tuple[int, ...]:
    """Return the rows that run when the edit of a finding matters: for a parameter, the first of its function."""
    row = finding.location.row if finding.location else 1
    tree = parsed(text)
    for node in () if tree is None else ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno <= row < node.body[0].lineno:
            return (first_step(node).lineno,)
    return (row,)


# -- one file --------------------------------------------------------------------------------------


def make_job(
    project: Project,
    source: ProjectSource,
    path: str,
    executor: ToolExecutor,
    *,
    is_named: bool,
    baseline: Baseline | None = None,
    is_judged_by_tests: bool = False,
) -> FileJob:
    """Return the job of one file.

    Args:
        path: of the file in the project.
        executor: runs the tools.
        is_named: the user named this very file.
        baseline: result of the tests; None without tests.
        is_judged_by_tests: each version of the file is tested, since a model revises.
    """
    options, root = project.options, project.files.root
    language = kind_of(source.path) or "text"
    if language != "python":
        critic = TextCritiquer(language, layout=options.format and language == "markdown")
        reviser = TargetedReviser(root=root, replaces=path, executor=executor)
        return _with_critic(FileJob(source, critic, _chain([reviser], options, path), root, path, (language,)), options)
    linter, has_own_rules = project.linter(path, is_named=is_named)
    policy = CarefulEdits(
        lambda name, _row: _reason_to_keep(project, path, name),
        minimum=project.minimum,
        has_own_rules=has_own_rules,
        is_named=is_named,
        unsafe=options.unsafe_fixes,
        covered=frozenset() if baseline is None else baseline.covered.get(path, frozenset()),
    )
    compiles = not project.is_newer_than_ours
    targeted = TargetedReviser(
        root=root, replaces=path, executor=executor, policy=policy, lint=linter, compiles=compiles
    )
    revisers: list[Reviser] = [targeted]
    tools: list[Tool] = [tool_named("compile"), linter] if compiles else [linter]
    if options.format:
        tools.append(tool_named("ruff-format"))
    if baseline is not None and is_judged_by_tests:
        tools.append(baseline.tool)
    critiquer = ToolCritiquer(
        tools, root=root, replaces=path, executor=executor, unsafe=options.unsafe, cache=is_judged_by_tests
    )
    names = tuple(tool.name for tool in tools)
    return _with_critic(
        FileJob(
            source,
            critiquer,
            _chain(revisers, options, path),
            root,
            path,
            names,
            policy=policy,
            targeted=targeted,
            runs_in_batches=not (is_judged_by_tests or options.model or options.critic or options.format),
        ),
        options,
    )


def _reason_to_keep(project: Project, path: str, name: str) -> str | None:
    """Return why an import must stay, looked up where it was before anything was edited."""
    if project.files.is_cut:
        return "the project is too large to see what else uses it"
    rows = import_rows(project.files.texts.get(path, ""), name)
    if not rows:
        return "it is not clear where it came from"
    return next(filter(None, (project.names.reason_to_keep(path, name, row) for row in rows)), None)


def _chain(revisers: Sequence[Reviser], options: ImproveOptions, path: str) -> Reviser | None:
    """Return the revisers as one: each is asked if all before it decline, so a model comes last."""
    if options.model is not None:
        from jido_ai.revisers.llm_reviser import LLMReviser  # noqa: PLC0415 - loaded where a model revises

        revisers = [
            *revisers,
            LLMReviser(options.model, max_chars=_LONGEST_FOR_MODEL, path=path),
        ]
    return None if options.output == "check" else ChainReviser(revisers)


def _with_critic(job: FileJob, options: ImproveOptions) -> FileJob:
    """Return the job with the chosen model as another critiquer."""
    if options.critic is None:
        return job
    from jido_ai.improve.model_critic import ModelCritic  # noqa: PLC0415 - loaded where a model judges

    domain = "code" if kind_of(job.source.path) == "python" else "writing"
    model = ModelCritic(
        options.critic,
        domain,
        criteria=options.settings.criteria,
        max_chars=_LONGEST_FOR_MODEL,
        path=job.replaces,
        threshold=options.settings.loop_config("improve").severity_threshold,
    )
    return dataclasses.replace(
        job, critiquer=PanelCritiquer([job.critiquer, model], quorum=1), tools=(*job.tools, model.name)
    )


async def text_without(job: FileJob, units: Collection[str], most: int) -> str:
    """Return the text that the targeted reviser makes of a file without these edits, in at most `most` revisions.

    Raises:
        JidoError: a tool could not be run.
    """
    assert job.policy is not None
    assert job.targeted is not None
    candidate = Candidate(job.source.text)
    with job.policy.without(units):
        for _ in range(most):
            context = RunContext(run_id=job.run_id, prompt=f"improve {job.name}")
            critique = await job.critiquer.critique(candidate, context)
            try:
                candidate = await job.targeted.revise(candidate, critique, context)
            except Declined:
                break
    return candidate.content


async def ruff_findings(
    project: Project, job: FileJob, executor: ToolExecutor, text: str
) -> dict[tuple[str, int, int], RuffDiagnostic]:
    """Return ruff's findings in a text of the job's file, by rule, row and column."""
    if job.policy is None:
        return {}
    tool, _ = project.linter(job.replaces)
    try:
        run = await executor.run(tool.job(text, tree=project.files.root, path=job.replaces))
        found = ruff_diagnostics(run.stdout)
    except ToolError:
        return {}
    return {(one.code or "", one.location.row, one.location.column): one for one in found if one.location is not None}
