"""The critiquer and the reviser of each file of `jido improve`, and the baseline of its tests."""

from __future__ import annotations

import ast
import asyncio
import dataclasses
import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from jido_ai.critics.panel import PanelCritiquer
from jido_ai.critics.text_critiquer import TextCritiquer
from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import ConfigurationError, Declined, ToolError
from jido_ai.improve.declared_python import DeclaredPython, declared_python
from jido_ai.improve.flake8_rules import Flake8Rules, flake8_rules
from jido_ai.improve.project_files import ProjectFiles
from jido_ai.improve.project_names import ProjectNames
from jido_ai.improve.report import ImproveOptions, Job
from jido_ai.improve.skipped_files import reason_left_alone, unused_sample
from jido_ai.improve.source_files import SourceFile, kind_of, project_root
from jido_ai.protocols import Reviser, RunContext, ToolExecutor
from jido_ai.revisers.chain_reviser import ChainReviser
from jido_ai.revisers.edit_policy import SELECTED, CarefulEdits, import_rows
from jido_ai.revisers.halving import unit_name
from jido_ai.revisers.targeted_reviser import TargetedReviser
from jido_ai.text.python_tree import parsed
from jido_ai.tools.lookup import tool_named
from jido_ai.tools.ready import PYTEST, RUFF
from jido_ai.tools.reports.linters import RuffDiagnostic, parse_ruff, ruff_diagnostics
from jido_ai.tools.reports.tests import parse_lines
from jido_ai.tools.tool import Tool
from jido_ai.values import Candidate, Issue

__all__ = ["Baseline", "Project", "below", "make_job", "place_in", "root_of", "run_baseline", "text_without"]

_LONGEST_FOR_MODEL: Final = 60_000
_OLDEST_OF_RUFF: Final = (3, 7)
_NEWEST_OF_RUFF: Final = (3, 13)
_LINES_JOB: Final = ".jido-lines.json"


@dataclass(frozen=True)
class Project:
    """A project with the options of the call, and its configuration."""

    files: ProjectFiles
    options: ImproveOptions

    @cached_property
    def names(self) -> ProjectNames:
        """The uses of names in the project."""
        return ProjectNames(self.files.texts)

    @cached_property
    def declared(self) -> DeclaredPython | None:
        """The oldest Python it declares."""
        return declared_python(self.files.texts)

    @cached_property
    def flake8(self) -> Flake8Rules | None:
        """Its configuration for flake8."""
        return flake8_rules(self.files.texts)

    @property
    def minimum(self) -> tuple[int, int] | None:
        """The oldest version of Python it declares."""
        return None if self.declared is None else self.declared.minimum

    def reason_left_alone(self, path: str, text: str, chosen: int = 0) -> str | None:
        """Return why a file that was found in a directory is left alone; None if it is not.

        Args:
            chosen: how many of the first folders of the path the user named.
        """
        if self.flake8 is not None and self.flake8.excludes(path):
            return "excluded by the project's configuration of flake8"
        return reason_left_alone(path, text, self.files.licences, chosen) or unused_sample(
            path, self.files.texts, chosen
        )

    def linter(self, path: str, *, is_named: bool = True) -> tuple[Tool, bool]:
        """Return ruff as it judges a file, and whether its rules were chosen by the project or the user.

        Args:
            is_named: the user named this very file; of the others those stay out that the project's ruff excludes.
        """
        options, flake8, ruff = self.options, self.flake8, tool_named(RUFF.name)
        if "--isolated" not in ruff.argv:
            return ruff, True  # somebody registered another one
        chosen: list[str] = []
        if options.select is not None:
            chosen += ["--select", options.select]
        ignored = list(options.ignore)
        configured = ruff.in_project(self.files.root, path)
        is_configured = configured is not ruff
        if not is_configured and options.select is None:
            selected, left_out = SELECTED
            chosen += ["--select", ",".join(selected)]
            ignored += left_out
        if ignored:
            # what ruff's own configuration ignores stays so, when only more is named
            chosen += ["--extend-ignore" if is_configured else "--ignore", ",".join(ignored)]
        if not is_configured or self._needs_version():
            chosen += ["--target-version", self._version()]
        if is_configured and not is_named:
            chosen.append("--force-exclude")
        head = configured.argv[: configured.argv.index("--")] if is_configured else (*_plain(ruff), "--isolated")
        argv = (*head, *chosen, "--", "{file}")
        tool = dataclasses.replace(ruff, argv=argv, project_argv=None, config_argv=None)
        if flake8 is not None and not is_configured and options.select is None:
            tool = dataclasses.replace(tool, parser=_allowed(flake8, path))
        return tool, is_configured or options.select is not None

    def _needs_version(self) -> bool:
        """Tell whether the oldest Python is declared where ruff does not look for it."""
        return self.declared is not None and not self.declared.source.startswith("pyproject.toml")

    def _version(self) -> str:
        wanted = self.minimum
        if wanted is None:
            return RUFF.argv[RUFF.argv.index("--target-version") + 1]
        return "py{}{}".format(*min(max(wanted, _OLDEST_OF_RUFF), _NEWEST_OF_RUFF))


def _plain(tool: Tool) -> tuple[str, ...]:
    """Return the command of ruff without options that choose rules."""
    return tuple(tool.argv[: tool.argv.index("--isolated")])


def _allowed(rules: Flake8Rules, path: str) -> Callable[[str], tuple[Issue, ...]]:
    """Return a parser of ruff's report that leaves out rules that the project's flake8 ignores."""

    def read(text: str) -> tuple[Issue, ...]:
        return tuple(
            issue for issue in parse_ruff(text) if issue.kind == "syntax" or rules.allows(path, issue.rule or "")
        )

    return read


# -- tests, as the project is ------------------------------------------------------------------------


@dataclass(frozen=True)
class Baseline:
    """The result of the tests on the unchanged project.

    Attributes:
        outcomes: the outcome of each test; None if they could not be run.
        fails: a test failed, or they could not be run.
        said: messages and places of all failures.
        covered: names of edits (`halving.unit_name`) whose lines are run by tests that pass, by path.
    """

    tool: Tool
    outcomes: Mapping[str, str] | None
    fails: bool
    said: str = ""
    covered: Mapping[str, frozenset[str]] = field(default_factory=dict[str, "frozenset[str]"])


async def run_baseline(
    project: Project, sources: Mapping[str, SourceFile], tests: str, executor: ToolExecutor
) -> Baseline:
    """Run the tests once on the unchanged project, and find the edits that they would notice.

    Args:
        sources: the files to be worked on, by path in the project.
        tests: the tests' path in the project.
    """
    tool = tool_named(PYTEST.name).with_arguments(tests)
    first = next(iter(sources))
    ready = tool.in_project(project.files.root, first)
    unsafe = {} if project.options.unsafe_fixes else await _unsafe_edits(project, sources, executor)
    watched = {path: sorted({row for rows in units.values() for row in rows}) for path, units in unsafe.items()}
    ready_to_watch = _watching(ready) if any(watched.values()) else ready
    job = ready_to_watch.job(sources[first].text, tree=project.files.root, path=first, unsafe=project.options.unsafe)
    job = dataclasses.replace(job, files={**job.files, _LINES_JOB: json.dumps(watched).encode()})
    run = await executor.run(job)
    said = f"{run.stdout}\n{run.stderr}"
    if run.report is None or run.timed_out or run.truncated or ready.parser is None or ready.checks is None:
        return Baseline(tool, None, fails=True, said=said)
    try:
        issues = ready.parser(run.report)
        outcomes = ready.checks(run.report)
    except ToolError as error:
        return Baseline(tool, None, fails=True, said=f"{said}\n{error}")
    lines = parse_lines(run.report)
    covered = {
        path: frozenset(
            unit for unit, rows in units.items() if rows and all(lines.get(path, {}).get(row) for row in rows)
        )
        for path, units in unsafe.items()
    }
    texts = [one if isinstance(one, str) else f"{one.location or ''} {one.message}" for one in issues]
    return Baseline(tool, outcomes, fails=bool(issues), said="\n".join([*texts, said]), covered=covered)


def _watching(tests: Tool) -> Tool:
    """Return the tests with a list of lines to watch."""
    place = tests.argv.index("{file}") + 1
    return dataclasses.replace(tests, argv=(*tests.argv[:place], "--jido-lines", _LINES_JOB, *tests.argv[place:]))


async def _unsafe_edits(
    project: Project, sources: Mapping[str, SourceFile], executor: ToolExecutor
) -> dict[str, dict[str, tuple[int, ...]]]:
    """Return, by path and unit, the rows that tests must run before an unsafe edit is made."""

    async def of_one(path: str, source: SourceFile) -> dict[str, tuple[int, ...]]:
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
            step = node.body[0]
            is_docstring = isinstance(step, ast.Expr) and isinstance(step.value, ast.Constant)
            return (node.body[1].lineno,) if is_docstring and len(node.body) > 1 else (step.lineno,)
    return (row,)


# -- one file --------------------------------------------------------------------------------------


def make_job(
    project: Project,
    source: SourceFile,
    path: str,
    executor: ToolExecutor,
    *,
    is_named: bool,
    baseline: Baseline | None = None,
    is_judged_by_tests: bool = False,
) -> Job:
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
        return _with_critic(Job(source, critic, _chain([reviser], options, path), root, path, (language,)), options)
    linter, has_own_rules = project.linter(path, is_named=is_named)
    policy = CarefulEdits(
        lambda name, _row: _reason_to_keep(project, path, name),
        minimum=project.minimum,
        has_own_rules=has_own_rules,
        is_named=is_named,
        unsafe=options.unsafe_fixes,
        covered=frozenset() if baseline is None else baseline.covered.get(path, frozenset()),
    )
    targeted = TargetedReviser(root=root, replaces=path, executor=executor, policy=policy, lint=linter)
    revisers: list[Reviser] = [targeted]
    tools: list[Tool] = [tool_named("compile"), linter]
    if options.format:
        tools.append(tool_named("ruff-format"))
    if baseline is not None and is_judged_by_tests:
        tools.append(baseline.tool)
    critiquer = ToolCritiquer(
        tools, root=root, replaces=path, executor=executor, unsafe=options.unsafe, cache=is_judged_by_tests
    )
    names = tuple(tool.name for tool in tools)
    return _with_critic(
        Job(
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
        return "the project is too large to see who else uses it"
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


def _with_critic(job: Job, options: ImproveOptions) -> Job:
    """Return the job with the chosen model as another critiquer."""
    if options.critic is None:
        return job
    from jido_ai.critics.llm_critiquer import LLMCritiquer  # noqa: PLC0415 - loaded where a model judges

    domain = "code" if kind_of(job.source.path) == "python" else "writing"
    model = LLMCritiquer(
        options.critic,
        domain,
        criteria=options.settings.criteria,
        max_chars=_LONGEST_FOR_MODEL,
        path=job.replaces,
    )
    return dataclasses.replace(job, critiquer=PanelCritiquer([job.critiquer, model]), tools=(*job.tools, model.name))


async def text_without(job: Job, units: Collection[str], most: int) -> str:
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


# -- places ----------------------------------------------------------------------------------------


def root_of(source: Path, options: ImproveOptions) -> Path:
    """Return the root of a file's project, which contains the file's whole package and the named directory."""
    if options.root is not None:
        return options.root
    folder = source.absolute().parent
    while (folder / "__init__.py").exists() and folder != folder.parent:
        folder = folder.parent
    named = [path.absolute() for path in options.files if path.is_dir() and source.is_relative_to(path)]
    return project_root([folder, *named, *([options.tests] if options.tests else [])])


def below(path: Path, root: Path) -> str:
    """Return the path relative to the project."""
    try:
        return Path(os.path.normpath(path.absolute())).relative_to(os.path.normpath(root.absolute())).as_posix()
    except ValueError:
        raise ConfigurationError(f"{path}: not below the project directory {root}; name another --root") from None


def place_in(root: Path, path: Path) -> str:
    """Return the path of a file in the project; for a link, that of its target."""
    named, real = below(path, root), path.resolve()
    if real == root.resolve() / named:
        return named
    if not real.is_relative_to(root.resolve()):
        raise ConfigurationError(f"{path}: leads out of the project {root} through a link, to {real}; name that file")
    return below(real, root.resolve())
