"""The gate for patches: takes any diff of a project, and keeps the hunks that break nothing that worked."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jido_ai.errors import ConfigurationError, JidoError, ToolError
from jido_ai.files.below import without_links
from jido_ai.files.relative_path import relative_path
from jido_ai.improve.blame import Damage, Search
from jido_ai.improve.declared_python import declared_python
from jido_ai.improve.effects import CodeEffect, effects, lost_imports
from jido_ai.improve.gate import Gate, interpreter_for
from jido_ai.improve.hunk_needs import (
    Names,
    flow_groups,
    grouped,
    names_of_edits,
    names_of_file,
    needs_of,
    parse_groups,
)
from jido_ai.improve.hunks import LineEdit, joined, placed_edits, rendered, whole_file
from jido_ai.improve.newer_python import lost_guards, newer_aliases, newer_than
from jido_ai.improve.patch_faults import can_be_read, text_faults
from jido_ai.improve.patch_verdict import HunkVerdict, PatchVerdict
from jido_ai.improve.patches import FilePatch, Hunk, diff_header, parse_patch, patch_of_texts
from jido_ai.improve.project_files import ProjectFiles
from jido_ai.improve.project_names import ProjectNames
from jido_ai.improve.project_tests import ProjectTests
from jido_ai.improve.public_surface import broken_entry_points, broken_surface
from jido_ai.improve.risky_edits import risky_edits
from jido_ai.improve.source_files import MAX_BYTES, read_bytes
from jido_ai.improve.type_check import TypeCheck, has_types
from jido_ai.protocols import ToolExecutor
from jido_ai.text.change import lines_of
from jido_ai.tools.lookup import tool_named
from jido_ai.tools.ready import RUFF
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.tools.sandbox.workspace import is_left_out
from jido_ai.tools.tool import Tool
from jido_ai.values.tool import ToolJob

_PYTHON: Final = (".py", ".pyi", ".pyw")
_LARGE: Final = 1_000_000  # characters of a patch
_MODES: Final = frozenset({None, "100644", "100755"})
_GROWTH: Final = {" ": 0, "-": -1, "+": 1}
_UNDEFINED_S: Final = 60.0


@dataclass(slots=True)
class _Unit:
    """A hunk that can be kept or left.

    Attributes:
        file: its file's number.
        edits: of the text; () for a whole file, a mode or a hunk that fits nowhere.
        raw: as it came, for a hunk that is written back as it is.
    """

    number: int
    file: int
    path: str
    line: int
    edits: tuple[LineEdit, ...] = ()
    kind: str = "edit"
    raw: str = ""
    names: Names = field(default_factory=Names)


@dataclass(slots=True)
class _File:
    patch: FilePatch
    before: str | None
    after: str | None
    fault: str | None = None


class PatchGate:
    """Keeps the hunks of a patch that break nothing in a project.

    A file of the patch is read from the project, and never written. Hunks that need each other (`hunk_needs`) are kept
    or rejected together. The whole patch is checked first, and parts of it only where that fails.

    Args:
        root: of the project; a patch may touch nothing outside of it.
        tests: path of the tests in the project, which must pass as before; None: none are run.
        unsafe: run code of the project even without a sandbox.
        allows_api: let hunks change what the project offers to others.
        runs: how the project's code is run; by default with the running Python.
        executor: runs programs; None is a sandbox.
        tell: receives the steps, for a person who waits.
    """

    def __init__(
        self,
        root: Path,
        *,
        tests: str | None = None,
        runs: ProjectTests | None = None,
        executor: ToolExecutor | None = None,
        unsafe: bool = False,
        allows_api: bool = False,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._root = root
        self._allows_api = allows_api
        self._tests = tests
        self._runs = runs or ProjectTests()
        self._executor = executor
        self._unsafe = unsafe
        self._tell = tell
        self._unchecked: dict[str, None] = {}
        self._checks = 0
        self._files: list[_File] = []
        self._units: list[_Unit] = []
        self._gate: Gate | None = None
        self._types: TypeCheck | None = None
        self._undefined_before: dict[str, Counter[str]] = {}
        self._static: dict[tuple[str, str], tuple[Damage, ...]] = {}
        self._project: ProjectFiles | None = None
        self._minimum: tuple[int, int] | None = None
        self._run: ToolExecutor = SandboxExecutor() if executor is None else executor
        self._needs_of_units: dict[int, set[int]] = {}
        self._kept_units: list[int] = []
        self._rejected: dict[int, str] = {}
        self._numbers: dict[int, int] = {}
        self._revised: dict[str, tuple[str, str]] = {}
        self._unjudged: dict[int, str] = {}

    # -- the patch -----------------------------------------------------------------------------------

    async def judge(self, patch: str) -> PatchVerdict:
        """Return the verdict on a patch.

        Raises:
            ConfigurationError: the text is no patch, or the tests cannot be run in a sandbox.
        """
        if len(patch) > _LARGE:
            self._tell(f"checking a patch of {len(patch) / 1e6:.1f} MB: it may take half a minute for each MB")
        await asyncio.to_thread(self._read, parse_patch(patch), self._rejected)
        self._project = await asyncio.to_thread(ProjectFiles.read, self._root)
        declared = declared_python(self._project.texts)
        self._minimum = None if declared is None else declared.minimum
        open_units = [unit for unit in self._units if unit.number not in self._rejected]
        groups = await asyncio.to_thread(self._groups, open_units)
        self._numbers = {number: place for place, group in enumerate(groups) for number in group}
        if groups:
            self._kept_units = await self._kept(groups, self._rejected)
            await self._find_unjudged()
        return self._verdict()

    # -- another try ---------------------------------------------------------------------------------

    def refused_files(self) -> dict[str, tuple[str, str, tuple[str, ...]]]:
        """Return the files with rejected edits of text, each with its text now, the text wanted, and the reasons."""
        found: dict[str, tuple[str, str, tuple[str, ...]]] = {}
        now = self._texts(self._kept_units)
        for number, file in enumerate(self._files):
            mine = [unit for unit in self._units if unit.file == number and unit.kind == "edit"]
            reasons = [self._rejected[unit.number] for unit in mine if unit.number in self._rejected]
            path = file.patch.path
            if reasons and file.before is not None and file.after is not None and path not in self._revised:
                found[path] = (now.get(path) or file.before, file.after, tuple(dict.fromkeys(reasons)))
        return found

    async def damage_of(self, path: str, text: str) -> tuple[Damage, ...]:
        """Return the damage that a file of the patch does with another text, beside everything that is kept."""
        texts = {**self._texts(self._kept_units), **{one: new for one, (new, _) in self._revised.items()}, path: text}
        static = await asyncio.to_thread(self._static_damage, texts)
        return tuple(static or await self._damage_of_texts(texts))

    def revise(self, path: str, text: str, by: str) -> PatchVerdict:
        """Take another text for a file with rejected edits, in place of these, and return the new verdict."""
        self._revised[path] = (text, by)
        return self._verdict()

    def _read(self, patches: Sequence[FilePatch], rejected: dict[int, str]) -> None:
        """Split the patch into units; those that cannot be made are rejected."""
        seen: set[str] = set()
        for patch in patches:
            paths = {path for path in (patch.old, patch.new) if path is not None}
            file = self._file(patch)
            if file.fault is None and seen & paths:
                file.fault = "an earlier diff of the same patch changes this file; check one commit at a time"
            seen |= paths
            self._files.append(file)
            number = len(self._files) - 1
            if file.fault is not None:
                raws = [(max(hunk.start, 1), hunk) for hunk in patch.hunks] or [(1, None)]
                for line, hunk in raws:
                    unit = self._add(number, patch.path, line, kind="raw", raw=hunk.raw if hunk else "")
                    unit.edits = _as_edits(hunk)
                    rejected[unit.number] = file.fault
                continue
            self._split(number, file, rejected)

    def _add(self, file: int, path: str, line: int, **more: object) -> _Unit:
        unit = _Unit(len(self._units), file, path, line, **more)  # type: ignore[arg-type]
        self._units.append(unit)
        return unit

    def _split(self, number: int, file: _File, rejected: dict[int, str]) -> None:
        """Add the units of a file that can be read."""
        patch = file.patch
        if patch.old is None or patch.new is None or patch.old != patch.new:
            self._whole(number, file, rejected)
            return
        if patch.old_mode != patch.new_mode and patch.old_mode is not None and patch.new_mode is not None:
            self._add(number, patch.path, 1, kind="mode")
        old, end = lines_of(file.before or ""), 0
        edits: list[LineEdit] = []
        for hunk in patch.hunks:
            try:
                placed = placed_edits(hunk, old, end)
            except ConfigurationError as error:
                unit = self._add(number, patch.path, max(hunk.start, 1), kind="raw", raw=hunk.raw)
                unit.edits = _as_edits(hunk)
                rejected[unit.number] = str(error)
                continue
            for edit in placed:
                end = edit.end
                edits.append(edit)
        for group in (
            parse_groups(file.before or "", edits)
            if patch.path.endswith(_PYTHON)
            else [[place] for place in range(len(edits))]
        ):
            chosen = tuple(edits[place] for place in group)
            self._add(number, patch.path, chosen[0].start + 1, edits=chosen)
        file.after = joined(file.before or "", edits)

    def _whole(self, number: int, file: _File, rejected: dict[int, str]) -> None:
        """Add a new, deleted, renamed or copied file as one unit."""
        patch = file.patch
        unit = self._add(number, patch.path, 1, kind="file")
        old, end = lines_of(file.before or ""), 0
        edits: list[LineEdit] = []
        try:
            for hunk in patch.hunks:
                placed = placed_edits(hunk, old, end)
                end = max((edit.end for edit in placed), default=end)
                edits += placed
        except ConfigurationError as error:
            rejected[unit.number] = str(error)
            unit.kind, unit.raw = "raw", patch.raw
            unit.edits = tuple(edit for hunk in patch.hunks for edit in _as_edits(hunk))
            return
        unit.edits = tuple(edits)
        text = joined(file.before or "", edits)
        if patch.new is None and text:
            rejected[unit.number] = "it deletes the file, but the file has lines that are not in the patch"
            unit.kind, unit.raw = "raw", patch.raw
        file.after = None if patch.new is None else text

    def _file(self, patch: FilePatch) -> _File:
        """Read a file as it is; `fault` says why its changes cannot be made."""
        fault = next((why for path in (patch.old, patch.new) if (why := self._outside(path)) is not None), None)
        if fault is not None:
            return _File(patch, None, None, fault)
        if patch.is_binary:
            return _File(patch, None, None, "a binary file, which the gate cannot judge")
        if not {patch.old_mode, patch.new_mode} <= _MODES:
            return _File(patch, None, None, "a link or a submodule, which the gate does not judge")
        if patch.new is not None and patch.new != patch.old and (self._root / patch.new).exists():
            return _File(patch, None, None, "the file exists already")
        try:
            raw = b"" if patch.old is None else read_bytes(self._root / patch.old, MAX_BYTES)
        except ConfigurationError as error:
            return _File(patch, None, None, str(error).replace(f"{self._root / (patch.old or patch.path)}: ", ""))
        growth = sum(len(text) * _GROWTH[sign] for hunk in patch.hunks for sign, text in hunk.lines)
        if len(raw) + growth > MAX_BYTES:
            return _File(patch, None, None, f"the file would have more than {MAX_BYTES >> 20} MiB; split it")
        if patch.old is None:
            return _File(patch, None, "")
        if b"\0" in raw:
            return _File(patch, None, None, "a binary file, which the gate cannot judge")
        text = raw.decode("utf-8", "surrogateescape")
        return _File(patch, text, text)

    def _outside(self, path: str | None) -> str | None:
        """Return why a path may not be touched; None if it may."""
        if path is None:
            return None
        try:
            relative_path(path)
        except ConfigurationError as error:
            return f"not a path in the project: {str(error).rpartition(': ')[2]}"
        if any(map(is_left_out, path.split("/"))):
            return "not a file of the project: version control, an environment, a cache or a secret"
        if (self._root / path).is_symlink():
            return "a link; patch the file that it points to"
        folder = path.rpartition("/")[0]
        try:
            inside = not folder or without_links(self._root, folder) == folder
        except ConfigurationError:
            inside = False
        return None if inside else "a folder above it is a link"

    # -- groups --------------------------------------------------------------------------------------

    def _groups(self, units: Sequence[_Unit]) -> list[tuple[int, ...]]:
        """Return the numbers of the units in groups that need each other, in an order to make them in."""
        by_file: dict[int, list[_Unit]] = {}
        together: list[set[int]] = []
        for unit in units:
            by_file.setdefault(unit.file, []).append(unit)
        for number, mine in by_file.items():
            file = self._files[number]
            if not file.patch.path.endswith(_PYTHON):
                continue
            if mine[0].kind == "file":
                mine[0].names = names_of_file(file.before, file.after, file.patch.old, file.patch.new)
                continue
            edited = [unit for unit in mine if unit.kind == "edit"]
            edits = [edit for unit in edited for edit in unit.edits]
            found = iter(names_of_edits(file.before or "", file.after or "", edits))
            for unit in edited:
                unit.names = _together([next(found) for _ in unit.edits])
            owners = [unit.number for unit in edited for _ in unit.edits]
            flows = flow_groups(file.before or "", file.after or "", edits)
            together += [{owners[place] for place in places} for places in flows]
        names = {unit.number: unit.names for unit in units}
        needs = needs_of(names, {unit.number: unit.path for unit in units})
        for numbers in together:
            for one in numbers:
                needs[one] |= numbers - {one}
        self._needs_of_units = needs
        return [tuple(group) for group in grouped([unit.number for unit in units], needs)]

    # -- what is kept --------------------------------------------------------------------------------

    async def _kept(self, groups: Sequence[tuple[int, ...]], rejected: dict[int, str]) -> list[int]:
        owner = {number: group for group in groups for number in group}
        needs = {
            group: {
                owner[other] for number in group for other in self._needs_of_units.get(number, ()) if other in owner
            }
            - {group}
            for group in groups
        }
        refused: dict[tuple[int, ...], str] = {}

        def path_of(group: tuple[int, ...]) -> str:
            return self._units[group[0]].path

        async def static(chosen: Sequence[tuple[int, ...]]) -> Sequence[Damage]:
            return await asyncio.to_thread(self._static_damage, self._texts([one for group in chosen for one in group]))

        async def damage(chosen: Sequence[tuple[int, ...]]) -> Sequence[Damage]:
            return await static(chosen) or await self._damage([one for group in chosen for one in group])

        def blamed(one: Damage, chosen: Sequence[tuple[int, ...]]) -> Collection[tuple[int, ...]]:
            there = self._at_line([number for group in chosen for number in group], one)
            return {
                group
                for group in chosen
                if there in group or any(self._breaks(self._units[number], one) for number in group)
            }

        by_file: dict[str, list[tuple[int, ...]]] = {}
        for group in groups:
            by_file.setdefault(path_of(group), []).append(group)
        # texts alone first, file by file: that takes no program
        fine: set[tuple[int, ...]] = set()
        for mine in by_file.values():
            inner = {group: needs[group] & set(mine) for group in mine}
            fine.update(await Search(static, path_of, inner, refused, blamed=blamed).kept([], mine))
        gate = await self._ready()
        search = Search(damage, path_of, needs, refused, blamed=blamed, no_time=gate.no_time)
        kept = await search.kept([], [group for group in groups if group in fine])
        again = [group for group in groups if group in fine and group not in kept and len(fine) > 1]
        if again and kept and any(not refused[group].startswith("it needs") for group in again):
            # what was tried before hunks that it turned out to need
            kept = await self._second_look(search, kept, again)
        kept = self._without_idle(kept, refused)
        for group, why in refused.items():
            if group not in kept:
                rejected.update(dict.fromkeys(group, why))
        return [number for group in kept for number in group]

    @staticmethod
    async def _second_look(
        search: Search[tuple[int, ...]], kept: list[tuple[int, ...]], again: Sequence[tuple[int, ...]]
    ) -> list[tuple[int, ...]]:
        whys = dict(search.rejected)
        if len(again) <= 1 or await search.damage([*kept, *again]):
            return kept
        for group in again:
            whys.pop(group, None)
        search.rejected.clear()
        search.rejected.update(whys)
        return [*kept, *again]

    def _without_idle(self, kept: list[tuple[int, ...]], refused: dict[tuple[int, ...], str]) -> list[tuple[int, ...]]:
        """Return the groups without new imports whose every use was rejected."""
        numbers = {number for group in kept for number in group}
        left: list[tuple[int, ...]] = []
        for group in kept:
            users = [
                other for other, needed in self._needs_of_units.items() if needed & set(group) and other not in group
            ]
            adds_only = all(
                unit.kind == "edit" and not unit.names.unuses and not unit.names.unbinds and unit.names.binds
                and all(_is_import(edit) for edit in unit.edits)
                for unit in (self._units[number] for number in group)
            )  # fmt: skip
            if adds_only and users and not numbers.intersection(users):
                refused[group] = "every hunk that uses it is rejected"
            else:
                left.append(group)
        return left

    def _at_line(self, numbers: Collection[int], damage: Damage) -> int | None:
        """Return the unit that brings the line of a damage that is about a line alone; None if there is none."""
        if damage.line is None or damage.names or "needs Python" not in damage.text:
            return None
        units = [self._units[number] for number in numbers if self._units[number].path == damage.path]
        edits = sorted(((edit, unit) for unit in units for edit in unit.edits), key=lambda one: one[0].start)
        shift = 0
        for edit, unit in edits:
            first = edit.start + shift
            if first < damage.line <= first + len(edit.added):
                return unit.number
            shift += len(edit.added) - len(edit.removed)
        return None

    @staticmethod
    def _breaks(unit: _Unit, damage: Damage) -> bool:
        """Tell whether a unit takes away the names that are missing."""
        if not damage.names:
            return False
        gone = unit.names.unbinds | unit.names.undefines
        return unit.path == damage.path and not gone.isdisjoint(damage.names)

    def _texts(self, numbers: Collection[int]) -> dict[str, str | None]:
        """Return the changed files with these units."""
        by_file: dict[int, list[_Unit]] = {}
        for number in sorted(numbers):
            by_file.setdefault(self._units[number].file, []).append(self._units[number])
        texts: dict[str, str | None] = {}
        for number, units in by_file.items():
            file = self._files[number]
            patch = file.patch
            if units[0].kind == "file":
                if patch.old is not None and not patch.is_copy and patch.old != patch.new:
                    texts[patch.old] = None
                if patch.new is not None:
                    texts[patch.new] = file.after
            elif file.before is not None:
                text = joined(file.before, [edit for unit in units for edit in unit.edits])
                if text != file.before:
                    texts[patch.path] = text
        return texts

    # -- checks --------------------------------------------------------------------------------------

    def _before(self) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        for file in self._files:
            if file.patch.old is not None:
                found[file.patch.old] = file.before
            if file.patch.new is not None and file.patch.new != file.patch.old:
                found.setdefault(file.patch.new, None)
        return found

    def _static_damage(self, texts: Mapping[str, str | None]) -> list[Damage]:
        before, found = self._before(), list[Damage]()
        renamed = {file.patch.new: file.before for file in self._files if file.patch.old != file.patch.new}
        for path, text in texts.items():
            if text is None:
                continue
            if (path, text) not in self._static:
                old = before.get(path) or renamed.get(path)
                faults = text_faults(path, old, text)
                self._static[path, text] = (*faults, *(self._read_faults(path, old, text) if not faults else ()))
            found += self._static[path, text]
        return found or self._entry_points(texts)

    def _read_faults(self, path: str, before: str | None, after: str) -> tuple[Damage, ...]:
        """Return the faults that the syntax tree shows: newer Python, risky edits, losses of the public surface."""
        if not path.endswith(_PYTHON):
            return ()
        surface = () if self._allows_api else broken_surface(path, before, after)
        return (*self._too_new(path, before, after), *risky_edits(path, before, after), *surface)

    def _entry_points(self, texts: Mapping[str, str | None]) -> list[Damage]:
        if self._project is None or self._allows_api:
            return []
        before = self._project.texts
        after = {path: text for path, text in {**before, **texts}.items() if text is not None}
        return list(broken_entry_points(before, after))

    def _too_new(self, path: str, before: str | None, after: str) -> tuple[Damage, ...]:
        """Return the needs that the oldest Python which the project declares lacks."""
        if self._minimum is None or not path.endswith(_PYTHON):
            return ()
        oldest = "{}.{}".format(*self._minimum)
        newer = (
            Damage(f"{name} needs Python {needed[0]}.{needed[1]}, and the project declares {oldest}", path, line=line)
            for name, line, needed in newer_than(self._minimum, before, after)
        )
        aliases = (
            Damage(f"{name} is {old} from Python {major}.{minor} on, and the project declares {oldest}", path, (name,))
            for old, name, (major, minor) in newer_aliases(self._minimum, before, after)
        )
        lost = (
            Damage(f"it removes a check for Python {major}.{minor}, and the project declares {oldest}", path)
            for major, minor in lost_guards(self._minimum, before, after)
        )
        return (*newer, *aliases, *lost)

    async def _ready(self) -> Gate:
        """Read the project, run its tests as they are, and return the gate."""
        files = self._project
        assert files is not None
        interpreter = await asyncio.to_thread(interpreter_for, self._minimum)
        executor = self._executor or self._runs.executor(() if interpreter is None else (interpreter[1],))
        names = ProjectNames(files.texts)
        tests, outcomes = await self._tested(files, executor)
        self._run = executor
        if has_types(files.texts, self._runs.python):
            self._types = TypeCheck(files, executor, unsafe=self._unsafe)
        self._gate = Gate(
            files,
            executor,
            tests=tests,
            outcomes=outcomes,
            interpreter=None if interpreter is None else interpreter[0],
            keeps_names=not self._allows_api,
            is_public=names.is_offered,
            unsafe=self._unsafe,
            tell=self._tell,
        )
        return self._gate

    async def _tested(
        self, files: ProjectFiles, executor: ToolExecutor
    ) -> tuple[Tool | None, Mapping[str, str] | None]:
        if self._tests is None:
            return None, None
        if isinstance(executor, SandboxExecutor) and not self._unsafe and (why := executor.refusal()) is not None:
            raise ConfigurationError(f"--tests: {why}")
        first = next((path for path in files.texts if path.endswith(".py")), None)
        if first is None:
            return None, None
        tool = self._runs.tool(self._tests).in_project(self._root, first)
        assert tool.checks is not None
        assert tool.parser is not None
        self._tell("running the tests on the project as it is")
        outcomes: Mapping[str, str] = {}
        try:
            report = await Gate(files, executor, unsafe=self._unsafe).report_of_tests(tool, {})
            said, outcomes = "\n".join(map(str, tool.parser(report))), tool.checks(report)
        except ToolError as error:
            said = str(error)
            if self._runs.missing(said, files.texts) is None:
                self._unchecked[f"whether tests pass: on the project as it is, {error}"] = None
        missing = self._runs.missing(said, files.texts)
        if missing is not None:
            self._unchecked[f"whether tests pass: {missing}"] = None
        return (tool, outcomes) if "passed" in outcomes.values() else (None, None)

    async def _damage(self, numbers: Collection[int]) -> list[Damage]:
        """Return the damage that these units do, as programs see it."""
        return await self._damage_of_texts(self._texts(numbers))

    async def _damage_of_texts(self, texts: Mapping[str, str | None]) -> list[Damage]:
        assert self._gate is not None
        self._checks += 1
        before = self._before()
        found = await self._undefined(before, texts) or list(await self._gate.damage(before, texts))
        return found or ([] if self._types is None else await self._types.damage(texts))

    async def _undefined(self, before: Mapping[str, str | None], texts: Mapping[str, str | None]) -> list[Damage]:
        """Return the names that are used and defined nowhere, and were not so before."""
        new = {path: text for path, text in texts.items() if text is not None and path.endswith(_PYTHON)}
        if not new:
            return []
        unknown = {path: before.get(path) or "" for path in new if path not in self._undefined_before}
        try:
            if unknown:
                found = await self._undefined_in(unknown)
                self._undefined_before |= {path: found.get(path, Counter()) for path in unknown}
            after = await self._undefined_in(new)
        except (JidoError, ValueError, LookupError, TypeError) as error:
            self._unchecked[f"whether every name is defined ({type(error).__name__})"] = None
            return []
        return [
            Damage(f"{path}: the name {name!r} is not defined any more", path, (name,))
            for path, names in sorted(after.items())
            for name in names - self._undefined_before.get(path, Counter[str]())
        ]

    async def _undefined_in(self, texts: Mapping[str, str]) -> dict[str, Counter[str]]:
        program = tool_named(RUFF.name).argv[0]
        options = ("check", "--isolated", "--no-cache", "--select", "F821", "--ignore-noqa", "--output-format", "json")
        job = ToolJob(
            argv=(program, *options, "--exit-zero", "--", *texts),
            files={path: text.encode("utf-8", "surrogateescape") for path, text in texts.items()},
            timeout_s=_UNDEFINED_S,
            max_output_bytes=64 * 1024 * 1024,
            executes=False,
            unsafe=self._unsafe,
        )
        run = await self._run.run(job)
        found: dict[str, Counter[str]] = {}
        for one in json.loads(run.stdout):
            if one["code"] == "F821":
                path = next(path for path in texts if one["filename"].endswith(f"/{path}") or one["filename"] == path)
                found.setdefault(path, Counter())[one["message"].partition("`")[2].rpartition("`")[0]] += 1
        return found

    # -- the verdict ---------------------------------------------------------------------------------

    def _verdict(self) -> PatchVerdict:
        chosen = set(self._kept_units)
        revised = {unit.number for unit in self._units if unit.kind == "edit" and unit.path in self._revised}
        hunks = tuple(
            HunkVerdict(
                unit.path,
                unit.line,
                self._numbers.get(unit.number, -1),
                sum(len(edit.added) for edit in unit.edits),
                sum(len(edit.removed) for edit in unit.edits),
                None if unit.number in chosen | revised else self._rejected[unit.number],
                f"as {self._revised[unit.path][1]} wrote it; as it came: {self._rejected[unit.number]}"
                if unit.number in revised - chosen
                else None,
                *self._judged_by(unit),
            )
            for unit in self._units
        )
        texts = {**self._texts(chosen), **{path: text for path, (text, _) in self._revised.items()}}
        before = {path: text for path, text in self._before().items() if path in texts}
        patches = self._patch(chosen, is_kept=True), self._patch(chosen, is_kept=False)
        unchecked = (*self._unchecked, *(self._gate.unchecked if self._gate is not None else ()))
        unchecked += (self._types.fault,) if self._types is not None and self._types.fault is not None else ()
        modes = {
            self._files[unit.file].patch.path: self._files[unit.file].patch.new_mode or ""
            for unit in self._units
            if unit.number in chosen and (unit.kind == "mode" or self._files[unit.file].patch.new_mode == "100755")
        }
        unchecked = tuple(dict.fromkeys(unchecked))
        return PatchVerdict(hunks, *patches, texts, before, unchecked, checks=self._checks, modes=modes)

    async def _find_unjudged(self) -> None:
        """Find the kept hunks that change what the program does, and that no test ran."""
        assert self._gate is not None
        texts = self._texts(self._kept_units)
        found = await asyncio.to_thread(self._effects, texts)
        unrun: dict[str, set[int]] = {}
        if self._gate.runs_tests:
            rows: dict[str, set[int]] = {}
            for number, effect in found.items():
                rows.setdefault(self._units[number].path, set()).update(effect.rows)
            rows = {path: wanted for path, wanted in rows.items() if wanted}
            if rows:
                self._tell("looking which of the changed lines the tests run")
                unrun = await self._gate.unrun(texts, rows)
        for number, effect in found.items():
            path = self._units[number].path
            if not self._gate.runs_tests or not unrun.get(path, set()).isdisjoint(effect.rows):
                self._unjudged[number] = f"{effect}, and no test ran it"
            elif effect.doubt is not None:
                self._unjudged[number] = f"{effect}: {effect.doubt}, which tests that pass need not notice"
        waiting = list(self._unjudged)
        while waiting:
            needed = waiting.pop()
            for number in self._kept_units:
                if needed in self._needs_of_units.get(number, ()) and number not in self._unjudged:
                    self._unjudged[number] = "it needs another hunk, which nothing judged"
                    waiting.append(number)

    def _effects(self, texts: Mapping[str, str | None]) -> dict[int, CodeEffect]:
        by_file: dict[int, dict[int, Sequence[LineEdit]]] = {}
        for number in self._kept_units:
            unit = self._units[number]
            if unit.kind == "edit" and unit.path.endswith(_PYTHON):
                by_file.setdefault(unit.file, {})[number] = unit.edits
        found: dict[int, CodeEffect] = {}
        project = {**(self._project.texts if self._project else {}), **texts}
        project = {path: text for path, text in project.items() if path.endswith(_PYTHON)}
        for file, hunks in by_file.items():
            path, before = self._files[file].patch.path, self._files[file].before or ""
            after = texts.get(path) or ""
            others = [text for other, text in project.items() if other != path and text is not None]
            found |= {**lost_imports(path, before, after, hunks, others), **effects(before, after, hunks)}
        return found

    def _judged_by(self, unit: _Unit) -> tuple[tuple[str, ...], str | None]:
        """Return the checks that judged a hunk, and why none could."""
        path = unit.path
        if not path.endswith(_PYTHON) or self._gate is None:
            return ("syntax",) if can_be_read(path) else (), None
        error, is_module = self._gate.unimported.get(path), self._gate.is_module(path)
        is_judged = unit.number not in self._unjudged
        ran = [
            *(["import"] if is_module and error is None else []),
            *(["types"] if self._types is not None and self._types.fault is None else []),
            *(["tests"] if self._gate.runs_tests and is_judged else []),
        ]
        why = (
            f"{path} cannot be imported here ({error})"
            if error is not None and not {"import", "tests"} & {*ran}
            else None
        )
        return ("syntax", "names", *ran), why or self._unjudged.get(unit.number)

    def _patch(self, chosen: Collection[int], *, is_kept: bool) -> str:
        """Return the patch of the kept or of the rejected units."""
        parts: list[str] = []
        for number, file in enumerate(self._files):
            mine = [unit for unit in self._units if unit.file == number]
            wanted = [unit for unit in mine if (unit.number in chosen) == is_kept]
            patch = file.patch
            if patch.path in self._revised and file.before is not None:
                if is_kept:
                    parts.append(patch_of_texts(patch.path, file.before, self._revised[patch.path][0]))
                wanted = [unit for unit in wanted if unit.kind != "edit"]
            if not wanted:
                continue
            if file.fault is not None or any(unit.kind == "raw" and unit.raw == patch.raw for unit in wanted):
                parts.append(patch.raw if patch.raw.endswith("\n") else f"{patch.raw}\n")
            elif wanted[0].kind == "file":
                parts.append(whole_file(patch, file.before or "", file.after or "", patch.new_mode or "100644"))
            else:
                parts.append(self._of_file(file, mine, wanted))
        return "".join(parts)

    @staticmethod
    def _of_file(file: _File, mine: Sequence[_Unit], wanted: Sequence[_Unit]) -> str:
        path, before = file.patch.path, file.before or ""
        edits = [edit for unit in wanted if unit.kind == "edit" for edit in unit.edits]
        others = [edit for unit in mine if unit.kind == "edit" and unit not in wanted for edit in unit.edits]
        text = rendered(path, before, edits, others)
        raw = "".join(unit.raw for unit in wanted if unit.kind == "raw")
        if raw:
            text = (text or diff_header(path, path)) + raw
        if any(unit.kind == "mode" for unit in wanted):
            head = diff_header(path, path, has_lines=False)
            modes = f"old mode {file.patch.old_mode}\nnew mode {file.patch.new_mode}\n"
            text = head + modes + text.removeprefix(head)
        return text


def _as_edits(hunk: Hunk | None) -> tuple[LineEdit, ...]:
    """Return a hunk that fits nowhere as one edit, to count its lines."""
    if hunk is None:
        return ()
    removed = tuple(line for sign, line in hunk.lines if sign == "-")
    added = tuple(line for sign, line in hunk.lines if sign == "+")
    return (LineEdit(max(hunk.start - 1, 0), removed, added),)


def _together(names: Sequence[Names]) -> Names:
    whole = Names()
    for one in names:
        for kind in Names.__slots__:  # type: ignore[attr-defined]
            getattr(whole, kind).update(getattr(one, kind))
    return whole


def _is_import(edit: LineEdit) -> bool:
    return not edit.removed and all(
        not line.strip() or line.lstrip().startswith(("import ", "from ")) for line in edit.added
    )
