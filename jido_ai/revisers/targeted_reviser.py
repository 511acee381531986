"""TargetedReviser: repairs known findings in Python without a model, and verifies every edit."""

from __future__ import annotations

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, Final, Protocol, cast

from jido_ai.components.component import check_revise_call
from jido_ai.errors import Declined, ToolError
from jido_ai.extras import require
from jido_ai.protocols import RunContext, ToolExecutor
from jido_ai.revisers.edit_guards import edit_fault
from jido_ai.revisers.halving import culprits, next_units, unit_name
from jido_ai.text.checks import LANGUAGES
from jido_ai.text.edits import Edit, apply_edits, moved_row, named_except, overlap
from jido_ai.text.file_diffs import patched
from jido_ai.text.syntax_repair import SyntaxRepair
from jido_ai.tools.lookup import default_executor, project_path
from jido_ai.tools.ready import COMPILE, RUFF, RUFF_FORMAT, split_diff
from jido_ai.tools.reports.linters import RuffDiagnostic, clean_end, ruff_diagnostics
from jido_ai.tools.text_work import TextWork, read_off_loop
from jido_ai.tools.tool import Tool
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration
from jido_ai.values.tool import ToolRun

CERTAIN: Final = frozenset({"B006", "E711", "E722", "RUF027"})
"""Rules whose repair is made although it may change the program, because that change is the purpose:

- B006, a mutable default: None, and a new object in the function. Breaks programs that rely on sharing it.
- E711, `== None`: `is None`. Breaks objects with their own `__eq__` (a column of a database, an array).
- E722, a bare `except`: see `named_except`.
- RUF027, a string with names in braces that is not an f-string: adds the f. Breaks templates that are filled later.

Tests in the critique detect such breakage; without tests, pass `certain=()`.
"""

_BOM: Final = "\ufeff"
_UNITS: Final = "edits"
_FORMAT: Final = "format"
_SYNTAX: Final = "syntax"
_MISREAD: Final = frozenset({"B015", "B018", "F821"})
"""Ruff findings that show a misread syntax repair: undefined names and unused values."""
_MAX_READINGS: Final = 8


@dataclass(frozen=True, slots=True)
class _Target:
    """A finding to fix: the issues that name it, its current place, and its unit name."""

    issues: tuple[Issue, ...]
    rule: str
    message: str
    row: int
    unit: str = ""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A text and ruff's findings in it."""

    text: str
    findings: tuple[RuffDiagnostic, ...]


class EditPolicy(Protocol):
    """Decides which edits are made. `revisers.edit_policy` has the policy of `jido improve`."""

    def hold_back(self, text: str, finding: RuffDiagnostic) -> str | None:
        """Return why a finding's edit must not be made; None if it may be."""
        ...

    def fault(self, before: str, after: str, rules: Collection[str]) -> str | None:
        """Return why a text with the edits of these rules must be rejected; None if it may stay."""
        ...


class TargetedReviser:
    """Fixes the findings of ruff that it knows how to fix, and nothing else.

    It fixes issues with a ruff rule that has a safe fix, the rules of `certain`, and the finding "format" of
    `ruff-format`; also issues of kind "syntax", if exactly one of the smallest edits makes the file parse without new
    suspicious findings of ruff (see `text.syntax_repair`). Only edits of issues in the critique are made; all other
    text stays byte for byte, including line endings, byte order mark and the end of the file. A formatted file is
    formatted again.

    In JSON, TOML, YAML, Markdown and plain text it fixes the findings of `TextCritiquer` (see `text.repair`), by the
    same checks; the rest of this text is about Python.

    Edits that broke something in an earlier attempt of the run (`RunContext.setbacks`) are found by halving: the
    suspects are tried again in halves; the remaining edit is reported and no longer made.

    After every round of edits the file must compile, and ruff must find the fixed issues gone and no new ones;
    otherwise the edits are made one at a time, and those that fail are reverted.

    The metadata of the returned candidate list what was `fixed` (rule and line) and what was `left_alone`, and why.

    Args:
        root, replaces: the project, and the file in it that the candidate replaces; use the same values as for
            `ToolCritiquer`, so that the same rules apply.
        executor: runs ruff and the interpreter; by default the registered "sandbox".
        certain: rules for which more than ruff's safe fixes is allowed; from `CERTAIN`.
        schema: a JSON Schema that JSON must match, the same as the `TextCritiquer`'s.
        unsafe: see `ToolCritiquer`. Nothing of the candidate is executed here.
        policy: decides about every edit, in place of `certain`: which to hold back, and whether a result may stay.
        lint: replaces the registered ruff; the same as the `ToolCritiquer`'s.
        formats: keep formatted files formatted.
        compiles: the running Python must compile the file; False: it has newer syntax, and ruff alone judges it.

    Attributes:
        refused: why findings were not fixed, by the names of their edits.

    Raises:
        ConfigurationError: a path is outside the project, or the extra `improve` is not installed. `ToolNotFoundError`,
            if ruff is not installed or not allowed.
    """

    name = "targeted"

    def __init__(
        self,
        *,
        root: Path | str | None = None,
        replaces: str | None = None,
        executor: ToolExecutor | None = None,
        certain: Collection[str] = CERTAIN,
        schema: Mapping[str, Any] | None = None,
        unsafe: bool = False,
        policy: EditPolicy | None = None,
        lint: Tool = RUFF,
        formats: bool = True,
        compiles: bool = True,
    ) -> None:
        require("improve", "libcst", "mdformat", "ruamel.yaml")
        self._root, self._path = project_path(root, replaces)
        self._executor = executor or default_executor()
        self._texts = TextWork(self._executor)
        self._certain = frozenset(certain)
        self._unsafe = unsafe
        self._schema = schema
        self._policy = policy
        self.formats = formats
        self._target = self._path or lint.filename
        self._lint = self._ready(lint)
        self._format = _differing(self._ready(RUFF_FORMAT))
        self._compile = self._ready(COMPILE) if compiles else None
        self.refused: dict[str, str] = {}

    def _ready(self, tool: Tool) -> Tool:
        chosen = tool if self._root is None else tool.in_project(self._root, self._target)
        chosen.require(self._executor)
        return chosen

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        """Return the candidate with all possible fixes.

        Raises:
            ConfigurationError: an argument has the wrong type.
            Declined: nothing could be fixed; with one reason per issue.
            ToolError: ruff or the interpreter could not be run.
        """
        check_revise_call(candidate, critique, context)
        if not critique.issues:
            raise Declined("the critique names no issue")
        if not any(issue.rule or issue.kind == "syntax" for issue in critique.issues):
            raise Declined(*(_reason(issue, "it has no rule of a tool") for issue in critique.issues))
        language = next((issue.source[5:] for issue in critique.issues if _is_of_text(issue) and issue.source), None)
        if language is not None:
            return await self._repaired_text(language, candidate, critique, context)
        bom = _BOM if candidate.content.startswith(_BOM) else ""
        text = candidate.content.removeprefix(_BOM)
        work = _Repair(self, context)
        repaired = await work.run(text, critique.issues)
        if repaired == text:
            raise Declined(*work.reasons(critique.issues))
        if not repaired.strip():
            raise Declined("nothing would be left of the file")
        fixed = [_entry(issue) for issue in critique.issues if issue in work.fixed]
        return Candidate(
            bom + repaired,
            parent_id=candidate.id,
            reasoning="fixed " + ", ".join(dict.fromkeys(str(entry["rule"] or "syntax") for entry in fixed)),
            metadata={
                "reviser": self.name,
                "fixed": fixed,
                "left_alone": list(work.reasons(critique.issues)),
                _UNITS: sorted(work.units),
            },
        )

    async def _repaired_text(
        self, language: str, candidate: Candidate, critique: CritiqueResult, context: RunContext
    ) -> Candidate:
        """Return a text that is not a program with all possible fixes."""
        mine = [issue for issue in critique.issues if issue.source == f"tool:{language}"]
        units = {issue: unit_name(candidate.content, issue.rule or "", issue.message, _line(issue)) for issue in mine}
        chosen = set(next_units(list(dict.fromkeys(units.values())), _rejected(context.setbacks)))
        wanted = [issue for issue in mine if units[issue] in chosen]
        try:
            text, fixed = await self._texts.repair(
                language, candidate.content, wanted, self._schema, left_s=context.time_left_s
            )
        except ToolError as error:
            raise Declined(*(_reason(issue, f"too large to repair: {error}") for issue in critique.issues)) from error
        done = set(fixed)
        left = tuple(_reason(issue, "no certain fix is known") for issue in critique.issues if issue not in done)
        if not fixed:
            raise Declined(*left)
        if not text.strip():
            raise Declined("nothing would be left of the file")
        return Candidate(
            text,
            parent_id=candidate.id,
            reasoning="fixed " + ", ".join(dict.fromkeys(issue.rule or "" for issue in fixed)),
            metadata={
                "reviser": self.name,
                "fixed": [_entry(one) for one in fixed],
                "left_alone": list(left),
                _UNITS: sorted({units[issue] for issue in fixed}),
            },
        )

    async def lint(self, text: str, context: RunContext, tool: Tool | None = None) -> _Draft:
        """Return the text with ruff's findings in it, by the project's rules or those of `tool`."""
        run = await self._run(tool or self._lint, text, context)
        return _Draft(text, await read_off_loop(len(run.stdout), ruff_diagnostics, run.stdout))

    async def readings(self, text: str, context: RunContext) -> tuple[SyntaxRepair, ...]:
        """Return the first few of the smallest edits that make the text parse."""
        found = await self._texts.repair_syntax(text, left_s=context.time_left_s)
        return found[:_MAX_READINGS]

    async def compiles(self, text: str, context: RunContext) -> bool:
        """Tell whether Python accepts the text."""
        return self._compile is None or (await self._run(self._compile, text, context)).exit_status == 0

    def held_back(self, draft: _Draft) -> str | None:
        """Return why a file that does not parse is left alone; None if it may be fixed."""
        finding = next(one for one in draft.findings if one.is_syntax_error)
        return None if self._policy is None else self._policy.hold_back(draft.text, finding)

    def fault(self, before: str, after: str, rules: Collection[str]) -> str | None:
        """Return why the edits of these rules must be reverted, regardless of ruff; None if they may stay."""
        if not rules:  # layout only: the formatter guarantees the same meaning
            return None
        return edit_fault(before, after) or (self._policy.fault(before, after, rules) if self._policy else None)

    async def formatted(self, text: str, context: RunContext) -> str:
        """Return the formatted text; many files share a run."""
        diff = (await self._run(self._format, text, context)).stdout
        try:
            return await read_off_loop(len(text) + len(diff), patched, text, diff)
        except ValueError as error:
            raise ToolError(f"{self._format.name} cannot run: its diff cannot be read: {error}") from error

    async def _run(self, tool: Tool, text: str, context: RunContext) -> ToolRun:
        left_s = context.time_left_s
        limit_s = inf if left_s is None else left_s
        run = await self._executor.run(
            tool.job(text, tree=self._root, path=self._path, timeout_s=limit_s, unsafe=self._unsafe)
        )
        if run.timed_out or run.truncated or run.exit_status not in (tool.ran or {0}):
            why = "it was killed at its limit" if run.timed_out else clean_end(run.stderr) or "its output is too large"
            raise ToolError(f"{tool.name} cannot run: {why}")
        return run

    def is_here(self, issue: Issue) -> bool:
        """Tell whether an issue is about the candidate, not another file of the project."""
        return issue.location is None or issue.location.path in (None, self._target)

    def edits_for(self, text: str, finding: RuffDiagnostic) -> tuple[Edit, ...] | str:
        """Return the edits that fix a finding, or why there are none."""
        rule, fix = finding.code or "", finding.fix
        is_ours = rule == "E722" and (rule in self._certain or self._policy is not None)
        if not is_ours and (fix is None or fix.applicability == "display" or not fix.edits):
            return "ruff has no fix for it"
        if self._policy is not None and (why := self._policy.hold_back(text, finding)) is not None:
            return why
        if is_ours and finding.location is not None:
            edit = named_except(text, finding.location.row)
            return "there is no bare `except` in this row" if edit is None else (edit,)
        if fix is None:
            return "ruff has no fix for it"
        if self._policy is None and fix.applicability == "unsafe" and rule not in self._certain:
            return "ruff's only fix may change what the program does"
        return tuple(
            Edit(
                edit.location.row,
                edit.location.column,
                edit.end_location.row,
                edit.end_location.column,
                edit.content or "",
            )
            for edit in fix.edits
        )


class _Repair:
    """One revision in progress."""

    def __init__(self, tools: TargetedReviser, context: RunContext) -> None:
        self._tools = tools
        self._context = context
        self._why: dict[Issue, str] = {}
        self._rejected = _rejected(context.setbacks)
        self._indexed: tuple[_Draft, dict[tuple[str | None, str], list[RuffDiagnostic]]] | None = None
        self.fixed: set[Issue] = set()
        self.units: set[str] = set()

    def reasons(self, issues: Iterable[Issue]) -> tuple[str, ...]:
        """Return one sentence for each unfixed issue."""
        return tuple(_reason(issue, self._why.get(issue, "")) for issue in issues if issue not in self.fixed)

    async def run(self, text: str, issues: Sequence[Issue]) -> str:
        """Return the text with as many issues fixed as possible; `fixed` and `reasons` report the rest."""
        draft = await self._tools.lint(text, self._context)
        if any(finding.is_syntax_error for finding in draft.findings):
            self._why = dict.fromkeys(issues, "the file does not parse")
            broken = [issue for issue in issues if issue.kind == "syntax" and self._tools.is_here(issue)]
            if broken and (why := self._tools.held_back(draft)) is not None:
                self._why.update(dict.fromkeys(broken, why))
                return text
            return await self._made_to_parse(text, broken) if broken else text
        style = [issue for issue in issues if _is_format(issue) and self._tools.is_here(issue)]
        targets = self._targets(draft, [issue for issue in issues if issue not in style])
        wanted = {_FORMAT, *(target.unit for target in targets)}
        if self._rejected:
            wanted = await asyncio.to_thread(self._wanted, draft, targets, style)
        style = style if _FORMAT in wanted else []
        chosen = [target for target in targets if target.unit in wanted]
        if not (chosen or style):
            return text
        async with asyncio.TaskGroup() as group:  # concurrently: each may wait for a shared run
            repairing = group.create_task(self._fix(draft, chosen))
            asking = group.create_task(self._was_formatted(draft, style))
        return await self._shape(draft, repairing.result(), style, was_formatted=asking.result())

    async def _was_formatted(self, draft: _Draft, style: Sequence[Issue]) -> bool:
        """Tell whether the text was formatted and must stay so."""
        if not style and not self._tools.formats:
            return False
        return await self._tools.formatted(draft.text, self._context) == draft.text

    def _wanted(self, draft: _Draft, targets: Sequence[_Target], style: Sequence[Issue]) -> set[str]:
        """Return the units to try now; the others are left, each with a reason."""
        units = [target.unit for target in targets if not isinstance(self._found_edits(draft, target), str)]
        units = list(dict.fromkeys(units + ([_FORMAT] if style else [])))
        guilty = culprits(units, self._rejected)
        wanted = set(next_units(units, self._rejected))
        for target in targets:
            if target.unit in guilty:
                self._leave(target, f"its fix was reverted: {self._broken_by(target.unit)}")
            elif target.unit in units and target.unit not in wanted:
                self._leave(target, "an earlier attempt broke something; it will be retried later")
        if style and _FORMAT not in wanted:
            self._why.update(dict.fromkeys(style, "formatting was reverted: it broke something"))
        return wanted | {target.unit for target in targets if target.unit not in units}

    def _found_edits(self, draft: _Draft, target: _Target) -> tuple[Edit, ...] | str:
        finding = next((one for one in self._alike(draft, target) if _is_at(one, target)), None)
        return "it is gone" if finding is None else self._tools.edits_for(draft.text, finding)

    def _broken_by(self, unit: str) -> str:
        """Return the findings that the unit caused."""
        attempts = [setback for setback in self._context.setbacks if unit in _units_of(setback)]
        broken = min((attempt.broken for attempt in attempts), key=len, default=())
        more = f" and {len(broken) - 1} more" if len(broken) > 1 else ""
        return f"it breaks {broken[0]}{more}" if broken else "it breaks a check that passed"

    async def _made_to_parse(self, text: str, broken: Sequence[Issue]) -> str:
        """Return the text that parses if there is exactly one reading, else the text unchanged."""
        readings = await self._tools.readings(text, self._context)
        async with asyncio.TaskGroup() as group:
            checks = [group.create_task(self._is_sound(reading)) for reading in readings]
        sound = [reading.text for reading, check in zip(readings, checks, strict=True) if check.result()]
        if len(sound) == 1 and len(readings) < _MAX_READINGS and _SYNTAX not in culprits([_SYNTAX], self._rejected):
            self.fixed.update(broken)
            self.units.add(_SYNTAX)
            return sound[0]
        why = "no small edit is known that makes the file parse"
        if readings:
            why = f"{len(sound)} of {len(readings)} equally small edits that make it parse make sense, not only one"
        self._why.update(dict.fromkeys(broken, why))
        return text

    async def _is_sound(self, repair: SyntaxRepair) -> bool:
        """Tell whether it compiles and ruff finds no sign of a misreading in the edited rows."""
        if not await self._tools.compiles(repair.text, self._context):
            return False
        found = (await self._tools.lint(repair.text, self._context, RUFF)).findings
        return not any(one.is_syntax_error or (one.code in _MISREAD and _row(one) in repair.rows) for one in found)

    def _targets(self, draft: _Draft, issues: Sequence[Issue]) -> list[_Target]:
        """Return the findings that the issues name; import sorting comes last, after unused imports are removed."""
        named: dict[int, list[Issue]] = {}
        for issue in issues:
            index = _confirmed(issue, draft.findings) if self._tools.is_here(issue) else None
            if index is None:
                self._why[issue] = "ruff does not find it in this file"
            else:
                named.setdefault(index, []).append(issue)
        targets = [_target(draft.text, draft.findings[index], about) for index, about in sorted(named.items())]
        return sorted(targets, key=lambda target: target.rule.startswith("I"))

    async def _fix(self, draft: _Draft, targets: list[_Target]) -> _Draft:
        """Fix as many as possible at a time; after the first failed round, one at a time."""
        pending, together = targets, True
        while pending:
            batch = await asyncio.to_thread(self._batch, draft, pending, len(pending) if together else 1)
            pending = [target for target in pending if not self._is_settled(target)]
            if not batch:
                return draft
            made = [edit for edits in batch.values() for edit in edits]
            trial = await self._verified(draft, apply_edits(draft.text, made), list(batch), made)
            if isinstance(trial, _Draft):
                draft = trial
                self.fixed.update(issue for target in batch for issue in target.issues)
                self.units.update(target.unit for target in batch)
                pending = [_moved(target, made) for target in pending if target not in batch]
            elif len(batch) > 1:
                together = False
            else:
                (target,) = batch
                self._leave(target, trial)
                pending.remove(target)
        return draft

    def _batch(self, draft: _Draft, pending: Sequence[_Target], size: int) -> dict[_Target, tuple[Edit, ...]]:
        """Return edits for up to `size` targets that do not touch each other; settle those without edits."""
        batch: dict[_Target, tuple[Edit, ...]] = {}
        named = Counter((one.rule, one.message, one.row) for one in pending)
        counts = Counter((one.rule, one.message) for one in pending)
        sharing: dict[str, list[RuffDiagnostic]] = {}  # findings by fix
        for finding in draft.findings:
            if finding.fix is not None:
                sharing.setdefault(repr(finding.fix), []).append(finding)
        taken: dict[int, list[Edit]] = {}  # by touched row
        for target in pending:
            edits = self._edits(draft, target, counts, named, sharing)
            if edits is None or len(batch) >= size:
                continue
            rows = {row for edit in edits for row in range(edit.row, edit.end_row + 1)}
            if not any(overlap(edits, taken.get(row, ())) for row in rows):
                batch[target] = edits
                for row in rows:
                    taken.setdefault(row, []).extend(edits)
        return batch

    def _alike(self, draft: _Draft, target: _Target) -> list[RuffDiagnostic]:
        """Return the findings with the rule and the message of the target."""
        if self._indexed is None or self._indexed[0] is not draft:
            index: dict[tuple[str | None, str], list[RuffDiagnostic]] = {}
            for finding in draft.findings:
                index.setdefault((finding.code, finding.message), []).append(finding)
            self._indexed = draft, index
        return self._indexed[1].get((target.rule, target.message), [])

    def _edits(
        self,
        draft: _Draft,
        target: _Target,
        counts: Mapping[tuple[str, str], int],
        named: Collection[tuple[str | None, str, int]],
        sharing: Mapping[str, Sequence[RuffDiagnostic]],
    ) -> tuple[Edit, ...] | None:
        """Return the edits for a target; None if it is settled: gone with another edit, or left alone."""
        alike = self._alike(draft, target)
        if not alike:
            self.fixed.update(target.issues)  # the fix of another target fixed it too
            return None
        all_named = len(alike) <= counts[target.rule, target.message]
        # An edit in its row may have moved it; if all findings like it are named, any of them will do.
        finding = next((one for one in alike if _is_at(one, target)), alike[0] if all_named else None)
        if finding is None:
            self._leave(target, "it cannot be found after another edit")
            return None
        edits = self._tools.edits_for(draft.text, finding)
        shared = [one for one in sharing.get(repr(finding.fix), ()) if one is not finding]
        unnamed = next((one for one in shared if (one.code, one.message, _row(one)) not in named), None)
        alone = _without_name(draft.text, finding) if unnamed is not None else None
        if alone is not None:
            edits = (alone,)
        elif unnamed is not None:
            edits = f"its fix would also change a finding outside the critique: {unnamed.message}"
        if isinstance(edits, str):
            self._leave(target, edits)
            return None
        return edits

    def _leave(self, target: _Target, why: str) -> None:
        self._tools.refused[target.unit] = why
        self._why.update(dict.fromkeys(target.issues, why))

    def _is_settled(self, target: _Target) -> bool:
        return any(issue in self.fixed or issue in self._why for issue in target.issues)

    async def _verified(
        self, before: _Draft, text: str, repaired: Sequence[_Target] = (), edits: Sequence[Edit] = ()
    ) -> _Draft | str:
        """Return the text as a draft if it is better, else why it is not.

        A finding at the place of one with the same rule is not new, even if its message differs.
        """
        async with asyncio.TaskGroup() as group:
            linting = group.create_task(self._tools.lint(text, self._context))
            compiling = group.create_task(self._tools.compiles(text, self._context))
        after = linting.result()
        if not compiling.result() or any(finding.is_syntax_error for finding in after.findings):
            return "its fix was reverted: the file no longer parsed"
        had, has = _census(before.findings), _census(after.findings)
        gone = {(one.code, moved_row(_row(one), edits)) for one in before.findings if _key(one) in had - has}
        worse = (one for one in after.findings if _key(one) in has - had and (one.code, _row(one)) not in gone)
        if (new := next(worse, None)) is not None:
            return f"its fix was reverted: it led to {new.code} {new.message}"
        rules = [target.rule for target in repaired]
        fault = await read_off_loop(len(before.text) + len(text), self._tools.fault, before.text, text, rules)
        if fault is not None:
            return f"its fix was reverted: {fault}"
        asked = Counter(_fingerprint(target.rule, target.message) for target in repaired)
        if asked - (had - has):
            return "its fix was reverted: the finding was still there"
        return after

    async def _shape(self, first: _Draft, draft: _Draft, style: Sequence[Issue], *, was_formatted: bool) -> str:
        """Format on request, and keep formatted what was formatted."""
        if not style and (draft.text == first.text or not self._tools.formats):
            return draft.text
        if not style and not was_formatted:
            return draft.text
        self._why.update(dict.fromkeys(style, "the file is formatted") if was_formatted else {})
        text = await self._tools.formatted(draft.text, self._context)
        if text == draft.text:
            return text
        shaped = await self._verified(draft, text)
        stable = await self._tools.formatted(text, self._context) == text
        if isinstance(shaped, _Draft) and stable:
            self.fixed.update(() if was_formatted else style)
            self.units.update(() if was_formatted else (_FORMAT,))
            return text
        why = "formatting was reverted: " + (shaped if isinstance(shaped, str) else "it is not stable")
        self._why.update(dict.fromkeys(style, why))
        if not was_formatted:
            return draft.text
        self._why.update(dict.fromkeys(self.fixed, why))  # a formatted file must stay formatted: nothing was gained
        self.fixed.clear()
        return first.text


def _differing(tool: Tool) -> Tool:
    """Return the formatter that prints a diff of the files it would change."""
    argv = ("--diff" if part == "--check" else part for part in tool.argv if part != "--quiet")
    return dataclasses.replace(tool, argv=tuple(argv), split=split_diff)


def _is_of_text(issue: Issue) -> bool:
    return (issue.source or "").removeprefix("tool:") in LANGUAGES


def _is_format(issue: Issue) -> bool:
    return issue.rule == "format" and issue.source in (None, "tool:ruff-format")


def _confirmed(issue: Issue, findings: Sequence[RuffDiagnostic]) -> int | None:
    """Return the index of the issue's finding: same rule and line, and the nearest of several; None without one."""
    line, column = (issue.location.line, issue.location.column) if issue.location else (None, None)
    fits = [
        (one.location.column == column, one.message == issue.message, -index)
        for index, one in enumerate(findings)
        if one.code == issue.rule and one.location is not None and line in (None, one.location.row)
    ]
    return -max(fits)[-1] if fits else None


def _without_name(text: str, finding: RuffDiagnostic) -> Edit | None:
    """Return the edit that removes this one name from an import with other names."""
    if finding.code != "F401" or finding.location is None:
        return None
    from jido_ai.text.python_edits import without_import  # noqa: PLC0415 - takes 0.5 s to import and is rarely needed

    return without_import(text, finding.location.row, finding.location.column)


def _target(text: str, finding: RuffDiagnostic, issues: Iterable[Issue]) -> _Target:
    rule, row = finding.code or "", _row(finding)
    return _Target(tuple(issues), rule, finding.message, row, unit_name(text, rule, finding.message, row))


def _units_of(iteration: Iteration) -> tuple[str, ...]:
    units: object = iteration.candidate.metadata.get(_UNITS)
    return tuple(str(unit) for unit in cast("Sequence[object]", units)) if isinstance(units, list | tuple) else ()


def _rejected(setbacks: Iterable[Iteration]) -> list[tuple[str, ...]]:
    """Return the units of each attempt that was made here and broke something."""
    return [units for setback in setbacks if (units := _units_of(setback))]


def _line(issue: Issue) -> int:
    return (issue.location.line if issue.location else None) or 1


def _row(finding: RuffDiagnostic) -> int:
    return finding.location.row if finding.location else 1


def _is_at(finding: RuffDiagnostic, target: _Target) -> bool:
    return (finding.code, finding.message, _row(finding)) == (target.rule, target.message, target.row)


def _moved(target: _Target, edits: Iterable[Edit]) -> _Target:
    return dataclasses.replace(target, row=moved_row(target.row, edits))


def _census(findings: Iterable[RuffDiagnostic]) -> Counter[str]:
    return Counter(_key(finding) for finding in findings)


def _key(finding: RuffDiagnostic) -> str:
    return _fingerprint(finding.code, finding.message)


def _fingerprint(rule: str | None, message: str) -> str:
    return Issue(message, rule=rule).fingerprint


def _entry(issue: Issue) -> dict[str, object]:
    return {"rule": issue.rule, "line": issue.location.line if issue.location else None, "message": issue.message}


def _reason(issue: Issue, why: str) -> str:
    where = f"{issue.location} " if issue.location else ""
    return f"{where}{issue.rule or issue.kind or 'issue'} {issue.message[:200]}: {why or 'no repair is known'}"
