"""One run of ruff over all files finds those that need anything; the others are clean and cost nothing more."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from jido_ai.errors import ConfigurationError, JidoError
from jido_ai.files.relative_path import relative_path
from jido_ai.improve.git_changes import changed_since
from jido_ai.improve.outcome import ImproveOptions
from jido_ai.improve.project import Project, root_of
from jido_ai.improve.project_files import ProjectFiles
from jido_ai.improve.report import ImproveReport, report
from jido_ai.improve.source_files import (
    Found,
    FoundPaths,
    ProjectSource,
    check_place,
    check_writable,
    find_paths,
    is_blank,
    kind_of,
    read_sources,
    small_text,
)
from jido_ai.revisers.edit_policy import COMPILER
from jido_ai.text.wording import plain
from jido_ai.tools.lookup import tool_named
from jido_ai.tools.ready import COMPILE, RUFF
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.values.tool import ToolJob

_LIST: Final = ".jido-files"
_LIMIT_S: Final = 120.0
_OUTPUT_BYTES: Final = 128 * 1024 * 1024
_CONFIGURATION: Final = (
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "tox.ini",
    ".flake8",
    ".python-version",
    "ruff.toml",
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """The files of a call, and the projects that they belong to."""

    found: Found
    roots: Roots


async def prepare(options: ImproveOptions, *, is_resumed: bool = False) -> Prepared:
    """Return the files that need anything.

    Raises:
        ConfigurationError: a model's name is none, a named file cannot be used, or ruff cannot read the project's
            configuration.
    """
    if names := [one for one in (options.model, options.critic) if isinstance(one, str)]:
        from jido_ai.models.names import check_provider  # noqa: PLC0415 - loaded where a model is named

        for name in names:
            check_provider(name)
    roots = Roots(options)
    return Prepared(await _read(_paths(options), options, roots, is_resumed=is_resumed), roots)


def nothing_to_do(prepared: Prepared, options: ImproveOptions) -> ImproveReport:
    """Return the report about files none of which needs anything."""
    found = prepared.found
    empty = report([], options, skipped=left_alone(found), clean=[str(path) for path in found.clean])
    if options.since is None or found.clean or options.is_hook:
        return empty
    nothing = f"nothing to do: no file of a known kind has changed since {options.since}"
    return replace(empty, messages=(nothing, *empty.messages))


def left_alone(found: Found) -> list[tuple[str, str]]:
    """Return the names of the files that are left alone, each with the reason."""
    return [(str(path), why) for path, why in found.left_alone]


class Roots:
    """The project directories of files, each found once."""

    def __init__(self, options: ImproveOptions) -> None:
        self._options = options
        self._known: dict[Path, Path] = {}

    def of(self, path: Path) -> Path:
        """Return the root of a file's project."""
        if path.parent not in self._known:
            self._known[path.parent] = root_of(path, self._options)
        return self._known[path.parent]


async def clean_files(
    paths: Sequence[Path], named: Collection[Path], options: ImproveOptions, roots: Roots
) -> set[Path]:
    """Return the Python files in which ruff finds nothing.

    Args:
        paths: all files; only Python files are looked at.
        named: the absolute paths of the files that the user named; ruff's own excludes hold for the others.

    Raises:
        ConfigurationError: ruff cannot read the project's configuration.
    """
    ready = tool_named(RUFF.name)
    if "--isolated" not in ready.argv or tool_named(COMPILE.name) != COMPILE:
        return set()  # somebody registered other tools
    groups: dict[tuple[Path, tuple[str, ...]], list[Path]] = {}
    commands: dict[tuple[Path, bool], tuple[Path, tuple[str, ...]]] = {}
    projects: dict[Path, Project] = {}
    for path in await asyncio.to_thread(_python_files, paths):
        here = (path.parent, bool(named) and path.absolute() in named)
        if here not in commands:
            whole, root = path.absolute(), roots.of(path)
            if root not in projects:
                projects[root] = Project(ProjectFiles(root, await asyncio.to_thread(_configuration, root)), options)
            commands[here] = (root, _command(projects[root], root, whole, is_named=here[1]))
        groups.setdefault(commands[here], []).append(path)
    found = await asyncio.gather(*(_with_findings(root, argv, files) for (root, argv), files in groups.items()))
    needing = set[Path]().union(*(one for one in found))
    return {path for files in groups.values() for path in files} - needing


def _python_files(paths: Iterable[Path]) -> list[Path]:
    """Return the Python files; ruff would wait for a pipe of such a name."""
    return [path for path in paths if kind_of(path) == "python" and os.path.isfile(path)]  # noqa: PTH113 - never raises


def _command(project: Project, root: Path, path: Path, *, is_named: bool) -> tuple[str, ...]:
    """Return the command of ruff for the files of a folder, without the files."""
    place = os.path.relpath(path, root).replace(os.sep, "/")
    if place.startswith("../"):
        place = path.name  # the check of its place will say so
    tool, _ = project.linter(place, is_named=is_named)
    head = tool.argv[: tool.argv.index("--")]
    return (*head, "--extend-select", COMPILER)


def _configuration(root: Path) -> dict[str, str]:
    return {name: text for name in _CONFIGURATION if (text := small_text(root / name)) is not None}


async def _with_findings(root: Path, argv: tuple[str, ...], files: Sequence[Path]) -> set[Path]:
    """Return the files with findings; all of them if that cannot be told."""
    here = Path.cwd()
    whole = {os.path.join(here, path): path for path in files}  # noqa: PTH118 - `Path.absolute` is slow for many files
    executor = SandboxExecutor(readable=(root,))
    listed = os.fsencode("\n".join(whole))
    job = ToolJob(
        argv=(*argv, f"@{_LIST}"),
        files={_LIST: listed},
        timeout_s=_LIMIT_S,
        executes=False,
        max_output_bytes=_OUTPUT_BYTES,
    )
    try:
        run = await executor.run(job)
    except JidoError:
        return set(files)
    if run.exit_status == 2 and "Cause:" in run.stderr:
        raise ConfigurationError(f"ruff cannot read the project's configuration: {_causes(run.stderr)}")
    if run.exit_status not in (0, 1) or run.truncated or run.timed_out:
        return set(files)
    try:
        names = await asyncio.to_thread(_file_names, run.stdout)
    except (ValueError, LookupError, TypeError):
        return set(files)
    return {whole[name] for name in names if name in whole} if names <= whole.keys() else set(files)


def _file_names(report: str) -> set[str]:
    entries: Iterable[Mapping[str, str]] = json.loads(report)
    return {one["filename"] for one in entries}


def _causes(said: str) -> str:
    lines = (plain(line).removeprefix("Cause: ").strip() for line in said.splitlines())
    kept = [
        line for line in lines if line and line != "ruff failed" and not line.strip("|^ 0123456789").startswith("|")
    ]
    return "; ".join(kept)[:500]


# -- the arguments ---------------------------------------------------------------------------------


def _paths(options: ImproveOptions) -> FoundPaths:
    """Return the files to improve; every argument is checked before any file is opened."""
    for path in (*options.files, *((options.tests,) if options.tests else ())):
        check_place(path, options.root)
    if options.sarif is not None:
        _check_sarif(options.sarif)
    if options.root is not None and not options.root.is_dir():
        raise ConfigurationError(f"{options.root}: no such directory; --root takes the project's")
    if options.tests is not None and not options.tests.exists():
        raise ConfigurationError(f"{options.tests}: no such tests; --tests takes a file or a directory")
    named = [path if path.is_absolute() else Path(os.path.normpath(path)) for path in options.files]
    if options.since is None:
        if not named:
            raise ConfigurationError("name at least one file or directory, or give --since REF")
        return find_paths(named, options.exclude)
    changed = changed_since(options.since, Path())
    chosen = [path for path in changed if kind_of(path) is not None and not is_blank(path)]
    wanted = [path for path in chosen if not named or any(path.is_relative_to(one) for one in named)]
    for path in wanted:
        check_place(path)
        relative_path(path.name)
    # of what changed, nobody named a file: what the project excludes stays out
    return replace(find_paths(wanted, options.exclude), named=frozenset()) if wanted else FoundPaths(())


async def _read(paths: FoundPaths, options: ImproveOptions, roots: Roots, *, is_resumed: bool) -> Found:
    """Read the files that need anything.

    Raises:
        ConfigurationError: a named file cannot be used, or ruff cannot read the project's configuration.
    """
    clean = await clean_files(paths.paths, paths.named, options, roots)
    every = options.tests is not None or options.critic is not None or options.format or is_resumed
    found = read_sources(paths, () if every else clean)
    return _writable(found) if options.output == "apply" else found


def _writable(found: Found) -> Found:
    """Return the writable files; a read-only one that was found below a directory is left alone.

    Raises:
        ConfigurationError: a file that was named is read-only.
    """
    sources: list[ProjectSource] = []
    left_alone = list(found.left_alone)
    for source in found.sources:
        try:
            check_writable(source)
        except ConfigurationError:
            if source.path.absolute() in found.named:
                raise
            left_alone.append((source.path, "read-only"))
        else:
            sources.append(source)
    return replace(found, sources=tuple(sources), left_alone=tuple(left_alone))


def _check_sarif(path: Path) -> None:
    """Raise `ConfigurationError` when no file can be made there."""
    if path.is_dir() or not path.parent.is_dir():
        why = "a directory" if path.is_dir() else "its directory does not exist"
        raise ConfigurationError(f"--sarif {path}: {why}; name a file")
