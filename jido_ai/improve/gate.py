"""Gate: checks all changes of a call together and reverts those that break the project."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import dataclasses
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final

from pydantic import AfterValidator

from jido_ai.errors import JidoError, ToolError
from jido_ai.improve.blame import Damage, Search
from jido_ai.improve.project_files import Module, ProjectFiles
from jido_ai.improve.project_tests import LINES_JOB, watching
from jido_ai.protocols import ToolExecutor
from jido_ai.text.wording import counted
from jido_ai.tools import runners
from jido_ai.tools.reports.linters import Report, clean, clean_end, read_report
from jido_ai.tools.reports.outcomes import lost_tests
from jido_ai.tools.reports.tests import parse_lines
from jido_ai.tools.sandbox.workspace import without_files
from jido_ai.tools.tool import Tool
from jido_ai.values.tool import ToolJob, ToolRun

_SCRIPTS: Final = Path(runners.__file__).resolve().parent
_IMPORTS_JOB: Final = ".jido-imports.in.json"
_IMPORTS_REPORT: Final = ".jido-imports.json"
_IMPORT_S: Final = 60.0  # of all modules, before and after each
_COMPILE_S: Final = 60.0
_MOST_S: Final = 1_800.0  # of finding out what broke
_MISSING: Final = re.compile(r"(?:cannot import name|has no attribute|NameError: name) '(\w+)'")
_NO_TIME: Final = "there was no time to tell whether it breaks something"


@dataclass(frozen=True, slots=True)
class Change:
    """One file that is to be changed.

    Attributes:
        path: in the project.
        units: the edits that can be made or left one by one; empty when all are one.
        rebuild: makes the text without some of the units.
    """

    path: str
    before: str
    after: str
    units: tuple[str, ...] = ()
    rebuild: Callable[[Collection[str]], Awaitable[str]] | None = None


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """The changes that may be written.

    Attributes:
        texts: the new text of every changed file, by path; without files whose edits were all reverted.
        taken_back: what each reverted edit breaks, by path and unit (None: all edits of the file).
        unchecked: checks that could not be made, and why.
    """

    texts: Mapping[str, str]
    taken_back: Mapping[tuple[str, str | None], str] = field(default_factory=dict[tuple[str, "str | None"], str])
    unchecked: tuple[str, ...] = ()


_Unit = tuple[str, str | None]


class Gate:
    """Checks changes of a project against the unchanged project.

    Every module that could be imported can be imported still, alone as well, and has the public names it had; the files
    compile on the oldest Python declared, where that is on the machine; and each test that passed passes.

    Args:
        project: the texts as they are.
        executor: runs programs; what it refuses to run is not checked, and the verdict says so.
        tests: the tests, as a tool for this project; None: none are run.
        outcomes: outcome of each test on the unchanged project; None if unknown: tests are not run.
        interpreter: the oldest declared Python; None where it is not on the machine or is the running one.
        keeps_names: public names must stay.
        is_public: tells whether a module, given by its path, offers a name of its own to others; all are by default.
        unsafe: see `ToolJob`.
        tell: receives the steps, for a person who waits.
    """

    def __init__(
        self,
        project: ProjectFiles,
        executor: ToolExecutor,
        *,
        tests: Tool | None = None,
        outcomes: Mapping[str, str] | None = None,
        interpreter: str | None = None,
        keeps_names: bool = True,
        is_public: Callable[[str, str], bool] = lambda _path, _name: True,
        unsafe: bool = False,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._project = project
        self._executor = executor
        self._tests = tests if outcomes else None
        self._outcomes = outcomes or {}
        self._interpreter = interpreter
        self._keeps_names = keeps_names
        self._is_public = is_public
        self._unsafe = unsafe
        self._tell = tell
        self._modules = project.modules()
        self._checks = 0
        self._unchecked: dict[str, None] = {}
        self.unimported: dict[str, str] = {}
        """Modules of changed files that could not be imported before either, with the error, by path."""
        self._end = 0.0

    async def hold(self, changes: Sequence[Change]) -> GateVerdict:
        """Return the changes that break nothing."""
        self._end = asyncio.get_running_loop().time() + _MOST_S
        by_path = {change.path: change for change in changes}
        before = {change.path: change.before for change in changes}
        units: list[_Unit] = [
            (change.path, unit) for change in changes for unit in (change.units if change.rebuild else ()) or (None,)
        ]

        async def damage(chosen: Sequence[_Unit]) -> tuple[Damage, ...]:
            return await self.damage(before, await self._texts(by_path, chosen))

        taken_back: dict[_Unit, str] = {}
        search = Search(damage, lambda unit: unit[0], {}, taken_back, no_time=self.no_time)
        kept = await search.kept([], units)
        return GateVerdict(await self._texts(by_path, kept), taken_back, self.unchecked)

    @property
    def runs_tests(self) -> bool:
        """True if tests that passed judge the changes."""
        return self._tests is not None

    def is_module(self, path: str) -> bool:
        """Tell whether a file is a module that is imported to judge its changes."""
        return any(module.path == path for module in self._modules)

    @property
    def unchecked(self) -> tuple[str, ...]:
        """Checks that could not be made, and why."""
        return tuple(self._unchecked)

    def no_time(self) -> str | None:
        """Return why there is no more time to find out what breaks; None if there is. It begins with the first call."""
        now = asyncio.get_running_loop().time()
        self._end = self._end or now + _MOST_S
        return _NO_TIME if now > self._end else None

    async def _texts(self, changes: Mapping[str, Change], units: Sequence[_Unit]) -> dict[str, str]:
        """Return the changed files with these units."""
        wanted: dict[str, set[str | None]] = {}
        for path, unit in units:
            wanted.setdefault(path, set()).add(unit)
        texts: dict[str, str] = {}
        for path, chosen in wanted.items():
            change = changes[path]
            missing = [unit for unit in change.units if unit not in chosen]
            if not missing or None in chosen or change.rebuild is None:
                texts[path] = change.after
            else:
                texts[path] = await change.rebuild(missing)
        return {path: text for path, text in texts.items() if text != changes[path].before}

    # -- the checks --------------------------------------------------------------------------------

    async def damage(self, before: Mapping[str, str | None], texts: Mapping[str, str | None]) -> tuple[Damage, ...]:
        """Return the damage done by these texts.

        Args:
            before: the old texts of these files, and perhaps of others; None for a file that was not there.
            texts: the new ones; None for a file that is deleted.
        """
        if not texts:
            return ()
        self._checks += 1
        again = "" if self._checks == 1 else f", attempt {self._checks} to find what breaks it"
        python = {path: text for path, text in texts.items() if path.endswith((".py", ".pyi", ".pyw"))}
        self._tell(f"checking {counted(len(texts), 'changed file')} together{again}")
        found = [*await self._not_compiling(before, python), *await self._not_importing(python)]
        if not found and self._tests is not None:
            found += await self._failing(self._tests, texts)
        return tuple(found)

    async def _not_compiling(self, before: Mapping[str, str | None], texts: Mapping[str, str | None]) -> list[Damage]:
        new = {path: text for path, text in texts.items() if text is not None}
        if self._interpreter is None or not new:
            return []
        script = (self._interpreter, "-S", "-E", str(_SCRIPTS / "compile_json.py"))
        was = await self._compiled(script, {path: before.get(path) or "" for path in new})
        now = await self._compiled(script, new)
        if was is None or now is None:
            return []
        name = Path(self._interpreter).name
        return [
            Damage(f"{path}: no longer compiles on {name}", path, line=now[path])
            for path in sorted(now.keys() - was.keys())
        ]

    async def _compiled(self, script: tuple[str, ...], texts: Mapping[str, str]) -> dict[str, int | None] | None:
        """Return the paths of the texts that do not compile, each with a line; None if the check failed."""
        names = [*texts, ".jido-none.py"]  # of one file alone the answer has another form
        files = {path: text.encode("utf-8", "surrogateescape") for path, text in texts.items()}
        job = ToolJob(
            argv=(*script, *names),
            files={**files, ".jido-none.py": b""},
            timeout_s=_COMPILE_S,
            executes=False,
            unsafe=self._unsafe,
            max_output_bytes=64 * 1024 * 1024,
        )
        try:
            run = await self._executor.run(job)
            told = json.loads(run.stdout)["files"]
            faults = {
                path: [one for one in told[path]["problems"] if not one["rule"].endswith("Warning")] for path in texts
            }
            return {path: found[0].get("line") for path, found in faults.items() if found}
        except (JidoError, ValueError, LookupError, TypeError) as error:
            self._unchecked[f"whether the files compile on {script[0]} ({type(error).__name__})"] = None
            return None

    async def _not_importing(self, texts: Mapping[str, str | None]) -> list[Damage]:
        added = {path: text for path, text in texts.items() if text is not None and path not in self._project.texts}
        project = dataclasses.replace(self._project, texts={**self._project.texts, **added}) if added else self._project
        edited = [module for path in texts if (module := project.module(path)) is not None]
        modules = {module.name: module for module in self._modules}
        paths = {module.path for module in self._modules}
        edited = [one for one in edited if one.path in paths or (one.name not in modules and _is_free(one))]
        modules |= {module.name: module for module in edited}
        if not edited:
            return []
        report = await self._imported(list(modules.values()), edited, texts)
        if report is None:
            return []
        if report.unknown:
            self._unchecked[f"whether {len(report.unknown)} of {len(modules)} modules can be imported"] = None
        failing = {modules[name].path: error for name, error in report.failing.items() if name in modules}
        self.unimported |= {
            path: error for path, error in failing.items() if path in texts and path in self._project.texts
        }
        found: list[Damage] = []
        for name, error in sorted(report.broken.items()):
            missing = _MISSING.search(error)
            place = modules[name].path if name in modules else None
            found.append(
                Damage(f"{name} cannot be imported any more: {error}", place, (missing[1],) if missing else ())
            )
        for name, lost in sorted(report.lost.items()) if self._keeps_names else ():
            place = modules[name].path if name in modules else ""
            names = tuple(one for one in lost if self._is_public(place, one))
            if names:
                found.append(Damage(f"{name} has no {', '.join(names)} any more", place, names))
        return found

    async def _imported(
        self, modules: Sequence[Module], edited: Sequence[Module], texts: Mapping[str, str | None]
    ) -> ImportReport | None:
        """Return the changes in the imports of the modules; None if the check failed."""
        roots = list(dict.fromkeys([*(module.root for module in modules), "."]))
        after = {path: base64.b64encode(_raw(text)).decode() for path, text in texts.items() if text is not None}
        job = {
            "roots": roots,
            "modules": [{"name": module.name, "path": module.path} for module in modules],
            "alone": [module.name for module in edited],
            "after_b64": after,
            "removed": [path for path, text in texts.items() if text is None],
            "seconds": _IMPORT_S,
        }
        try:
            run = await self._executor.run(
                ToolJob(
                    argv=("python", "-P", "-s", str(_SCRIPTS / "imports_json.py"), _IMPORTS_REPORT, _IMPORTS_JOB),
                    files={_IMPORTS_JOB: json.dumps(job).encode()},
                    tree=self._project.root,
                    report=_IMPORTS_REPORT,
                    timeout_s=3 * _IMPORT_S,
                    executes=True,
                    unsafe=self._unsafe,
                )
            )
            return parse_imports(_report_of(run))
        except JidoError as error:
            self._unchecked[f"whether modules can be imported: {error}"] = None
            return None

    async def _failing(self, tests: Tool, texts: Mapping[str, str | None]) -> list[Damage]:
        try:
            after = await self.tested(tests, texts)
        except ToolError as error:
            return [Damage(f"the tests cannot be run any more: {error}")]
        failing = [
            f"{test} fails"
            for test, end in self._outcomes.items()
            if end == "passed" and after.get(test) in ("failed", "error")
        ]
        return list(map(Damage, failing + [one.sentence for one in lost_tests(self._outcomes, after)]))

    async def tested(self, tests: Tool, texts: Mapping[str, str | None]) -> Mapping[str, str]:
        """Return the outcome of each test with these texts."""
        assert tests.checks is not None
        return tests.checks(await self.report_of_tests(tests, texts))

    async def unrun(self, texts: Mapping[str, str | None], rows: Mapping[str, Collection[int]]) -> dict[str, set[int]]:
        """Return those of these lines of the texts, by path, that no passing test runs; all if nothing tells."""
        assert self._tests is not None
        try:
            report = await self.report_of_tests(watching(self._tests), texts, rows)
            lines = parse_lines(report)
        except ToolError as error:
            self._unchecked[f"which lines the tests run: {error}"] = None
            lines = {}
        return {path: {row for row in wanted if not lines.get(path, {}).get(row)} for path, wanted in rows.items()}

    async def report_of_tests(
        self, tests: Tool, texts: Mapping[str, str | None], rows: Mapping[str, Collection[int]] | None = None
    ) -> str:
        """Return the report of the tests with these texts.

        Args:
            rows: lines of the texts to watch, by path; for tests that are `watching`.

        Raises:
            ToolError: they did not end in time, or left no report.
        """
        new = {path: text for path, text in texts.items() if text is not None}
        gone = [path for path, text in texts.items() if text is None]
        with contextlib.ExitStack() as stack:
            root = self._project.root
            if gone:  # a program's directory begins as the whole project, so a smaller project is made
                root = stack.enter_context(without_files(root, gone))
            first = next(iter(new), None) or next(path for path in self._project.texts if path not in gone)
            text = new.get(first, self._project.texts.get(first, ""))
            job = tests.job(text, tree=root, path=first, unsafe=self._unsafe)
            files = {path: _raw(text) for path, text in new.items()}
            if rows is not None:
                files[LINES_JOB] = json.dumps({path: sorted(wanted) for path, wanted in rows.items()}).encode()
            job = dataclasses.replace(job, files={**job.files, **files}, target=None, split=None)
            run = await self._executor.run(job)
        if run.timed_out:
            raise ToolError(f"they did not end within {job.timeout_s:g} s; give more with --test-timeout SECONDS")
        return _report_of(run)


def interpreter_for(minimum: tuple[int, int] | None) -> tuple[str, Path] | None:
    """Return the oldest installed Python between the declared and the running one, and its prefix.

    It blocks for the time that the interpreter takes to begin: use a thread.
    """
    if minimum is None:
        return None
    versions = [(2, 7)] if minimum < (3, 0) else []
    versions += [(3, minor) for minor in range(max(minimum, (3, 0))[1], sys.version_info.minor)]
    for major, minor in versions:
        program = shutil.which(f"python{major}.{minor}")
        if program is None:
            continue
        said = "import sys; print(sys.executable); print(sys.prefix)"
        try:
            told = subprocess.run(
                [program, "-S", "-E", "-c", said], capture_output=True, text=True, timeout=10.0, check=True
            )
            executable, prefix = told.stdout.split("\n")[:2]
        except (OSError, ValueError, subprocess.SubprocessError):
            continue  # a shim without an interpreter behind it
        return executable, Path(prefix)
    return None


def _is_free(module: Module) -> bool:
    return module.name.partition(".")[0] not in sys.stdlib_module_names


def _report_of(run: ToolRun) -> str:
    if run.report is None or run.truncated:
        why = "it took too long" if run.timed_out else clean_end(run.stderr or run.stdout) or "it left no report"
        raise ToolError(why)
    return run.report


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


# -- import report ---------------------------------------------------------------------------------


_Clean = Annotated[str, AfterValidator(clean)]


class ImportReport(Report):
    """Changes in the imports of a project after an edit.

    Attributes:
        broken: modules that could be imported before the edit and cannot be after it, with the error; one that begins
            with "imported first: " is raised only where the module is the first of its project to be imported.
        lost: public names of modules that were there before the edit and are gone.
        unknown: modules that were not reached in time, or of which another file was imported.
        failing: modules that could not be imported before the edit, with the error.
        checked: how many modules are known before and after.
    """

    broken: dict[_Clean, _Clean]
    lost: dict[_Clean, tuple[_Clean, ...]]
    unknown: tuple[_Clean, ...]
    failing: dict[_Clean, _Clean]
    checked: int


def parse_imports(text: str) -> ImportReport:
    """Parse the report.

    Raises:
        ToolError: it has another form.
    """
    return read_report(ImportReport, text)
