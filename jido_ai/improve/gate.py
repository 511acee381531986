"""Gate: checks all changes of a call together and reverts those that break the project."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jido_ai.errors import JidoError, ToolError
from jido_ai.improve.import_report import ImportReport, parse_imports
from jido_ai.improve.project_files import Module, ProjectFiles
from jido_ai.protocols import ToolExecutor
from jido_ai.tools import runners
from jido_ai.tools.reports.linters import clean_end
from jido_ai.tools.reports.outcomes import lost_tests
from jido_ai.tools.tool import Tool
from jido_ai.values.tool import ToolJob, ToolRun

__all__ = ["Change", "Gate", "GateVerdict", "interpreter_for"]

_SCRIPTS: Final = Path(runners.__file__).resolve().parent
_IMPORTS_JOB: Final = ".jido-imports.in.json"
_IMPORTS_REPORT: Final = ".jido-imports.json"
_IMPORT_S: Final = 60.0  # of all modules, before and after each
_COMPILE_S: Final = 60.0
_MOST_S: Final = 1_800.0  # of finding out what broke
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
        unsafe: bool = False,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._project = project
        self._executor = executor
        self._tests = tests if outcomes else None
        self._outcomes = outcomes or {}
        self._interpreter = interpreter
        self._keeps_names = keeps_names
        self._unsafe = unsafe
        self._tell = tell
        self._modules = project.modules()
        self._checks = 0
        self._unchecked: dict[str, None] = {}
        self._end = 0.0

    async def hold(self, changes: Sequence[Change]) -> GateVerdict:
        """Return the changes that break nothing."""
        self._end = asyncio.get_running_loop().time() + _MOST_S
        by_path = {change.path: change for change in changes}
        units: list[_Unit] = [
            (change.path, unit) for change in changes for unit in (change.units if change.rebuild else ()) or (None,)
        ]
        taken_back: dict[_Unit, str] = {}
        kept = await self._kept(by_path, [], units, taken_back)
        return GateVerdict(await self._texts(by_path, kept), taken_back, tuple(self._unchecked))

    async def _kept(
        self,
        changes: Mapping[str, Change],
        kept: list[_Unit],
        units: list[_Unit],
        taken_back: dict[_Unit, str],
        broken: Sequence[str] = (),
    ) -> list[_Unit]:
        """Return `kept` and those of `units` that break nothing beside it; `broken` is the damage of all of them."""
        if not units:
            return kept
        if not broken:
            if asyncio.get_running_loop().time() > self._end:
                taken_back.update(dict.fromkeys(units, _NO_TIME))
                return kept
            broken = await self._broken(changes, await self._texts(changes, [*kept, *units]))
        if not broken:
            return [*kept, *units]
        if len(units) == 1:
            taken_back[units[0]] = _shown(broken)
            return kept
        middle = _middle(units)
        first = await self._kept(changes, kept, units[:middle], taken_back)
        is_same = len(first) == len(kept) + middle
        return await self._kept(changes, first, units[middle:], taken_back, broken if is_same else ())

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

    async def _broken(self, changes: Mapping[str, Change], texts: Mapping[str, str]) -> tuple[str, ...]:
        """Return the damage done by these texts, a sentence each."""
        if not texts:
            return ()
        self._checks += 1
        again = "" if self._checks == 1 else f", attempt {self._checks} to find what breaks it"
        python = {path: text for path, text in texts.items() if path.endswith((".py", ".pyi", ".pyw"))}
        self._tell(f"checking {len(texts)} changed files together{again}")
        found = [*await self._not_compiling(changes, python), *await self._not_importing(python)]
        if not found and self._tests is not None:
            found += await self._failing(self._tests, texts)
        return tuple(found)

    async def _not_compiling(self, changes: Mapping[str, Change], texts: Mapping[str, str]) -> list[str]:
        if self._interpreter is None or not texts:
            return []
        script = (self._interpreter, "-S", "-E", str(_SCRIPTS / "compile_json.py"))
        before = await self._compiled(script, {path: changes[path].before for path in texts})
        after = await self._compiled(script, texts)
        if before is None or after is None:
            return []
        return [f"{path}: no longer compiles on {Path(self._interpreter).name}" for path in sorted(after - before)]

    async def _compiled(self, script: tuple[str, ...], texts: Mapping[str, str]) -> set[str] | None:
        """Return the paths of the texts that do not compile; None if the check failed."""
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
            return {
                path for path in texts if any(not one["rule"].endswith("Warning") for one in told[path]["problems"])
            }
        except (JidoError, ValueError, LookupError, TypeError) as error:
            self._unchecked[f"whether the files compile on {script[0]} ({type(error).__name__})"] = None
            return None

    async def _not_importing(self, texts: Mapping[str, str]) -> list[str]:
        edited = [module for path in texts if (module := self._project.module(path)) is not None]
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
        found = [f"{name} cannot be imported any more: {error}" for name, error in sorted(report.broken.items())]
        if self._keeps_names:
            found += [
                f"{name} has no {', '.join(names)} any more" for name, names in sorted(report.lost.items()) if names
            ]
        return found

    async def _imported(
        self, modules: Sequence[Module], edited: Sequence[Module], texts: Mapping[str, str]
    ) -> ImportReport | None:
        """Return the changes in the imports of the modules; None if the check failed."""
        roots = list(dict.fromkeys([*(module.root for module in modules), "."]))
        job = {
            "roots": roots,
            "modules": [{"name": module.name, "path": module.path} for module in modules],
            "alone": [module.name for module in edited],
            "after": dict(texts),
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

    async def _failing(self, tests: Tool, texts: Mapping[str, str]) -> list[str]:
        first = next(iter(texts))
        job = tests.job(texts[first], tree=self._project.root, path=first, unsafe=self._unsafe)
        files = {path: text.encode("utf-8", "surrogateescape") for path, text in texts.items()}
        job = dataclasses.replace(job, files={**job.files, **files}, target=None, split=None)
        try:
            assert tests.checks is not None
            run = await self._executor.run(job)
            if run.timed_out:
                return [f"the tests did not end within {job.timeout_s:g} s"]
            after = tests.checks(_report_of(run))
        except ToolError as error:
            return [f"the tests cannot be run any more: {error}"]
        failing = [
            f"{test} fails"
            for test, end in self._outcomes.items()
            if end == "passed" and after.get(test) in ("failed", "error")
        ]
        return failing + [one.sentence for one in lost_tests(self._outcomes, after)]


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


def _middle(units: Sequence[_Unit]) -> int:
    """Return the index of the cut: between two files, as near to the middle as possible."""
    half = len(units) // 2
    borders = [place for place in range(1, len(units)) if units[place - 1][0] != units[place][0]]
    return min(borders, key=lambda place: abs(place - half)) if borders else half


def _is_free(module: Module) -> bool:
    return module.name.partition(".")[0] not in sys.stdlib_module_names


def _report_of(run: ToolRun) -> str:
    if run.report is None or run.truncated:
        why = "it took too long" if run.timed_out else clean_end(run.stderr or run.stdout) or "it left no report"
        raise ToolError(why)
    return run.report


def _shown(broken: Sequence[str]) -> str:
    more = f", and {len(broken) - 1} more" if len(broken) > 1 else ""
    return f"{broken[0]}{more}"
