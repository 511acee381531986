"""Import the modules of a project before and after an edit and write which imports broke. A script, never imported.

    python -P -s imports_json.py REPORT JOB

JOB is a JSON file in the working directory:

    {"roots": ["src", "."],                                      first entries of sys.path, as relative paths
     "modules": [{"name": "pkg.mod", "path": "src/pkg/mod.py"}], modules to import; the path is optional
     "alone": ["pkg.mod"],                                       modules to import also first in a new process
     "after": {"src/pkg/mod.py": "new text"},                    contents of files after the edit,
     "after_b64": {"src/pkg/data.py": "bytes in base64"},        as text or as bytes
     "removed": ["src/pkg/old.py"],                              files that are deleted by the edit
     "seconds": 20.0}                                            time limit of everything

All modules are imported one after the other in one process, before and after the new contents are written. Then each of
"alone" is imported in its own process, because the order of imports matters if they are circular; those that cannot be
are imported again with the old contents. If a module ends its process, or does not finish within five seconds (or three
times its time before the edit), the remaining modules continue in a new process.

Writes to REPORT:

    {"broken": {module: error},      could be imported before (or first, or at all) and cannot be after
     "lost": {module: [name, ...]},  public names that existed before and are gone; only the first if very many
     "unknown": [module, ...],       not reached in time, or another file was imported under that name
     "failing": {module: error},     could not be imported before either
     "checked": number of modules whose before and after are known, "complete": whether these are all}

and exits with 0. Public names are those without a leading underscore whose values are not modules, and the existing
names in `__all__`. `__main__` is a program and should be left out.
"""

from __future__ import annotations

import base64
import contextlib
import importlib
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - as in jido_frames
import jido_watch

sys.path.pop(0)

_MODULE_S = 5.0
_QUICK_S = 0.1
_MOST_AT_ONCE = 4
_MOST_ERROR = 500
_MOST_NAMES = 20_000  # of all modules together, except the first of each
_MOST_LISTED = 1_000  # modules with their full error
_SHORT_ERROR = 100


class _FoundModule(NamedTuple):
    name: str
    path: str | None


class _Import(NamedTuple):
    """The result of an import: `is_fine` is None if it is unknown."""

    is_fine: bool | None
    error: str
    names: frozenset[str]
    seconds: float


_UNKNOWN = _Import(None, "", frozenset(), 0.0)


def _failed(error: str) -> _Import:
    return _Import(False, error, frozenset(), 0.0)


class _Phase:
    """The imports of all modules, before or after the edit.

    Args:
        end: when to stop, on the clock of `time.monotonic`.
        before: duration of each module's import before the edit, in seconds.
    """

    def __init__(self, roots: Sequence[str], end: float, before: dict[str, float]) -> None:
        self._roots = roots
        self._end = end
        self._before = before

    def together(self, modules: Sequence[_FoundModule]) -> dict[str, _Import]:
        """Import the modules in order, in as few processes as possible."""
        found: dict[str, _Import] = {}
        left = list(modules)
        while left and time.monotonic() < self._end:
            got = self._processes([left])
            found.update(got)
            left = left[len(got) :]
        return found

    def alone(self, modules: Sequence[_FoundModule]) -> dict[str, _Import]:
        """Import each module first in its own process: some at a time while these are quick, as few use much memory.

        What fails beside others is imported again by itself.
        """
        found: dict[str, _Import] = {}
        left = list(modules)
        width = 1
        while left and time.monotonic() < self._end:
            got = self._processes([[module] for module in left[:width]])
            failed = width > 1 and not all(one.is_fine for one in got.values())
            if not failed:
                found.update(got)
                left = left[width:]
            is_quick = not failed and all(one.seconds < _QUICK_S for one in got.values())
            width = min(2 * width, _MOST_AT_ONCE) if is_quick else 1
        return found

    def _processes(self, parts: Sequence[Sequence[_FoundModule]]) -> dict[str, _Import]:
        """Import each part in a new process until a module ends it; the answer has the first module of each."""
        begun = [(modules, self._begin(modules), time.monotonic()) for modules in parts]
        found: dict[str, _Import] = {}
        for modules, child, began in begun:
            found.update(self._results(modules, child, began))
        jido_watch.end_all([child for _, child, _ in begun])
        return found

    def _begin(self, modules: Sequence[_FoundModule]) -> jido_watch.Shard:
        reading, writing = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(reading)
            _import_all(self._roots, modules, writing)
        os.close(writing)
        return jido_watch.Shard(process, reading)

    def _results(self, modules: Sequence[_FoundModule], child: jido_watch.Shard, began: float) -> dict[str, _Import]:
        found: dict[str, _Import] = {}

        def limit() -> float:
            name = modules[min(len(found), len(modules) - 1)].name
            return min(self._end, began + max(_MODULE_S, 3.0 * self._before.get(name, 0.0)))

        rest = b""
        for chunk in child.chunks(limit):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines[: len(modules) - len(found)]:
                found[modules[len(found)].name] = _read(line)
                began = time.monotonic()
        if len(found) < len(modules):
            module = modules[len(found)].name
            if time.monotonic() >= self._end:
                found[module] = _UNKNOWN
            elif time.monotonic() >= limit():
                found[module] = _Import(False, f"it did not finish within {limit() - began:.0f} s", frozenset(), 0)
            else:
                found[module] = _Import(False, "it ended the process", frozenset(), 0)
        return found


def _read(line: bytes) -> _Import:
    try:
        is_fine, error, names, seconds = json.loads(line)
        return _Import(is_fine, str(error)[:_MOST_ERROR], frozenset(names), float(seconds))
    except (ValueError, TypeError):
        return _failed("it overwrote its own report")


# -- in a separate process -------------------------------------------------------------------------


def _import_all(roots: Sequence[str], modules: Sequence[_FoundModule], writing: int) -> None:
    """Import modules and report the result of each. It does not return."""
    try:
        process = os.getpid()
        quiet = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(quiet, number)
        here = os.getcwd()  # noqa: PTH109
        sys.path[:0] = [os.path.normpath(f"{here}/{root}") for root in roots]
        for module in modules:
            sys.argv = [module.name]
            told = _import(here, module)
            if os.getpid() != process:
                break
            os.chdir(here)
            raw = jido_watch.dumped(told) + b"\n"
            while raw:
                raw = raw[os.write(writing, raw) :]
    finally:
        os._exit(0)


def _import(here: str, wanted: _FoundModule) -> tuple[bool | None, str, list[str], float]:
    began = time.monotonic()
    try:
        importlib.import_module(wanted.name)
        module = sys.modules[wanted.name]
        names = _names(module)
    except BaseException as error:  # noqa: BLE001 - including SystemExit: the exception is the result
        return False, _said(error), [], time.monotonic() - began
    seconds = time.monotonic() - began
    file = getattr(module, "__file__", None)
    if wanted.path is not None and isinstance(file, str) and not os.path.samefile(file, f"{here}/{wanted.path}"):  # noqa: PTH121
        return None, "another file was imported under this name", [], seconds
    return True, "", names, seconds


def _names(module: ModuleType) -> list[str]:
    """Return the public names of a module."""
    values = dict(getattr(module, "__dict__", {}))
    names = {
        name
        for name, value in values.items()
        if isinstance(name, str) and not name.startswith("_") and not isinstance(value, ModuleType)
    }
    named: Any = values.get("__all__")
    listed: list[object] = list(named) if isinstance(named, list | tuple | set | frozenset) else []  # pyright: ignore[reportUnknownArgumentType]
    for name in listed:
        if isinstance(name, str) and name not in names:
            with contextlib.suppress(BaseException):  # a lazy name that cannot be resolved does not exist
                getattr(module, name)
                names.add(name)
    return sorted(names)


def _said(error: BaseException) -> str:
    try:
        said = str(error)
    except BaseException:  # noqa: BLE001 - code of the candidate may raise anything
        said = "its message is not available"
    return f"{type(error).__name__}: {said}"[:_MOST_ERROR]


# -- before and after ------------------------------------------------------------------------------


def _contents(job: dict[str, Any]) -> dict[str, bytes | None]:
    """Return the new contents by path; None for a file that is deleted."""
    as_text: dict[str, str] = job.get("after") or {}
    as_bytes: dict[str, str] = job.get("after_b64") or {}
    removed: list[str] = job.get("removed") or []
    return {
        **{path: text.encode("utf-8", "surrogatepass") for path, text in as_text.items()},
        **{path: base64.b64decode(raw) for path, raw in as_bytes.items()},
        **dict.fromkeys(removed),
    }


def _put(contents: dict[str, bytes | None]) -> dict[str, bytes | None]:
    """Write the contents, remove what was compiled, and return the old contents."""
    old: dict[str, bytes | None] = {}
    for path, raw in contents.items():
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        old[path] = target.read_bytes() if target.exists() else None
        target.unlink(missing_ok=True)
        if raw is not None:
            target.write_bytes(raw)
        for stale in [target.with_suffix(".pyc"), *(target.parent / "__pycache__").glob(f"{target.stem}.*.pyc")]:
            stale.unlink(missing_ok=True)
    return old


def _error(before: _Import, after: _Import) -> str | None:
    return after.error if before.is_fine and after.is_fine is False else None


def _main(report: str, job_name: str) -> None:
    job: dict[str, Any] = json.loads(Path(job_name).read_text("utf-8"))
    modules = [
        _FoundModule(name, path) for name, path in {one["name"]: one.get("path") for one in job["modules"]}.items()
    ]
    asked: list[str] = job.get("alone") or []
    chosen = frozenset(asked)
    alone = [module for module in modules if module.name in chosen]
    sys.dont_write_bytecode = True
    began = time.monotonic()
    span_s = float(job.get("seconds", 20.0))
    directory = os.open(os.curdir, os.O_RDONLY)
    jido_watch.adopt()
    before = _Phase(job["roots"], began + 0.4 * span_s, {}).together(modules)
    seconds = {name: one.seconds for name, one in before.items()}
    os.fchdir(directory)
    old = _put(_contents(job))
    phase = _Phase(job["roots"], began + 0.8 * span_s, seconds)
    after, first_after = phase.together(modules), phase.alone(alone)
    os.fchdir(directory)
    _put(old)
    first_before = {name: one for name, one in first_after.items() if one.is_fine}  # nothing is broken, whatever it was
    doubtful = [module for module in alone if module.name not in first_before]
    first_before.update(_Phase(job["roots"], began + span_s, seconds).alone(doubtful))
    found = _found(modules, chosen, (before, first_before), (after, first_after))
    os.fchdir(directory)
    jido_watch.write(directory, report, found)


def _found(
    modules: Sequence[_FoundModule],
    chosen: frozenset[str],
    before: tuple[dict[str, _Import], dict[str, _Import]],
    after: tuple[dict[str, _Import], dict[str, _Import]],
) -> dict[str, Any]:
    broken: dict[str, str] = {}
    failing: dict[str, str] = {}
    lost: dict[str, list[str]] = {}
    unknown: list[str] = []
    checked, room = 0, _MOST_NAMES
    for name in dict.fromkeys(module.name for module in modules):
        pairs = [(before[place].get(name, _UNKNOWN), after[place].get(name, _UNKNOWN)) for place in (0, 1)]
        pairs = pairs if name in chosen else pairs[:1]
        (was, now), errors = pairs[0], [_error(*pair) for pair in pairs]
        if errors[0] is not None:
            broken[name] = errors[0]
        elif errors[-1] is not None:
            broken[name] = f"imported first: {errors[-1]}"
        elif was.is_fine is False:
            failing[name] = was.error
        gone = sorted(was.names - now.names) if was.is_fine and now.is_fine else []
        if gone:
            lost[name] = gone[: max(1, room)]
            room -= len(lost[name])
        if any(one.is_fine is None for pair in pairs for one in pair) and name not in broken:
            unknown.append(name)
        else:
            checked += 1
    return {
        "broken": _bounded(broken),
        "lost": lost,
        "unknown": unknown,
        "failing": _bounded(failing),
        "checked": checked,
        "complete": not unknown,
    }


def _bounded(errors: dict[str, str]) -> dict[str, str]:
    """Return the errors; after the first thousand only their beginnings."""
    return {
        name: error if place < _MOST_LISTED else error[:_SHORT_ERROR]
        for place, (name, error) in enumerate(errors.items())
    }


if __name__ == "__main__":
    _main(*sys.argv[1:])
