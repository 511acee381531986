"""One run of ruff over all files finds those that need anything; the others are clean and cost nothing more."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from jido_ai.errors import ConfigurationError, JidoError
from jido_ai.files.bounded_read import NoFileError, read_at_most
from jido_ai.improve.jobs import Project, root_of
from jido_ai.improve.outcome import ImproveOptions
from jido_ai.improve.project_files import ProjectFiles
from jido_ai.improve.source_files import kind_of
from jido_ai.text.wording import plain
from jido_ai.tools.lookup import tool_named
from jido_ai.tools.ready import COMPILE, RUFF
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.values.tool import ToolJob

__all__ = ["Roots", "clean_files"]

_LIST: Final = ".jido-files"
_LIMIT_S: Final = 120.0
_OUTPUT_BYTES: Final = 128 * 1024 * 1024
_CONFIGURATION: Final = ("pyproject.toml", "setup.cfg", "setup.py", "tox.ini", ".flake8", ".python-version", "ruff.toml")
_CONFIGURATION_BYTES: Final = 1024 * 1024
_COMPILER: Final = "E9,F6,F7,W605"
"""Rules for what the compiler warns of, which a project may not have chosen."""


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


async def clean_files(paths: Sequence[Path], named: Collection[Path], options: ImproveOptions, roots: Roots) -> set[Path]:
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
    for path in paths:
        if kind_of(path) != "python":
            continue
        whole = path.absolute()
        here = (whole.parent, whole in named)
        if here not in commands:
            root = roots.of(path)
            if root not in projects:
                projects[root] = Project(ProjectFiles(root, await asyncio.to_thread(_configuration, root)), options)
            commands[here] = (root, _command(projects[root], root, whole, is_named=here[1]))
        groups.setdefault(commands[here], []).append(path)
    found = await asyncio.gather(*(_with_findings(root, argv, files) for (root, argv), files in groups.items()))
    needing = set[Path]().union(*(one for one in found))
    return {path for files in groups.values() for path in files} - needing


def _command(project: Project, root: Path, path: Path, *, is_named: bool) -> tuple[str, ...]:
    """Return the command of ruff for the files of a folder, without the files."""
    place = os.path.relpath(path, root).replace(os.sep, "/")
    if place.startswith("../"):
        place = path.name  # the check of its place will say so
    tool, _ = project.linter(place, is_named=is_named)
    head = tool.argv[: tool.argv.index("--")]
    return (*head, "--extend-select", _COMPILER)


def _configuration(root: Path) -> dict[str, str]:
    texts: dict[str, str] = {}
    for name in _CONFIGURATION:
        try:
            raw = read_at_most(root / name, _CONFIGURATION_BYTES)
        except (OSError, NoFileError):
            continue
        texts[name] = (raw or b"").decode("utf-8", "surrogateescape")
    return texts


async def _with_findings(root: Path, argv: tuple[str, ...], files: Sequence[Path]) -> set[Path]:
    """Return the files with findings; all of them if that cannot be told."""
    whole = {os.path.realpath(path): path for path in files} if len(files) < 2 else {}
    whole |= {str(path.absolute()): path for path in files}
    executor = SandboxExecutor(readable=(root,))
    listed = os.fsencode("\n".join(str(path.absolute()) for path in files))
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
    kept = [line for line in lines if line and line != "ruff failed" and not line.strip("|^ 0123456789").startswith("|")]
    return "; ".join(kept)[:500]
