"""The fresh directory a program runs in: made, filled and removed. All of it blocks: use a thread."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jido_ai.errors import ConfigurationError, ToolError
from jido_ai.files.relative_path import relative_path
from jido_ai.tools.sandbox.directories import own_directory

__all__ = ["Limits", "Workspace", "fresh_workspace", "is_left_out"]

_NO_PART: Final = frozenset(
    {
        ".git", ".hg", ".hypothesis", ".mypy_cache", ".nox", ".pytest_cache", ".ruff_cache", ".svn", ".tox", ".venv",
        "__pycache__", "node_modules", "venv",
    }
)  # fmt: skip
"""What is no part of a project: version control, caches, environments, packages."""
_SECRET: Final = frozenset({".aws", ".envrc", ".git-credentials", ".gnupg", ".netrc", ".pypirc", ".ssh"})
_ENVIRONMENT: Final = re.compile(r"\.env([._~-].*)?", re.DOTALL | re.IGNORECASE)
_SHARED: Final = re.compile(
    r".*[._-](ci|defaults?|dist|example|sample|template|test|testing)", re.DOTALL | re.IGNORECASE
)
"""Of environment files, those that are made to be shared."""
_PAGE: Final = 4096  # of memory: what a file in it takes at least


def is_left_out(name: str) -> bool:
    """Tell whether a file or directory of this name stays out of the copy of a project that a program gets.

    Out stay what is no part of it (version control, caches, environments, packages), and where by custom the secrets of
    its user are: `.env`, an editor's copy `.env~` and `.env.NAME`, unless the name ends as one that is shared
    (`.env.example`, `.env.test`); keys and logins such as `.netrc`.
    """
    if _ENVIRONMENT.fullmatch(name):
        return not _SHARED.fullmatch(name)
    return name in _NO_PART or name in _SECRET


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a project tree may be to be copied: entries, and bytes of all files together."""

    max_files: int = 10_000
    max_bytes: int = 256 * 1024 * 1024


@dataclass(slots=True)
class Workspace:
    """The directories of one run, siblings in one fresh directory.

    Attributes:
        work: where the program starts, with the candidate in it.
        home, temporary: what HOME and TMPDIR say.
        tree: a project tree that a sandbox shall copy into `work`, under what lies there already.
        tree_files, tree_bytes: what comes with a project tree.
        left_out: the names in it that stay out, wherever they lie.
    """

    work: Path
    home: Path
    temporary: Path
    tree: Path | None = None
    tree_files: int = 0
    tree_bytes: int = 0
    left_out: set[str] = field(default_factory=set[str])

    @property
    def base(self) -> Path:
        """The directory of them all."""
        return self.work.parent

    def copy_tree(self, source: Path, limits: Limits) -> None:
        """Copy `source` without what `is_left_out`.

        Links that stay inside are made again as relative links; those that point outside, sockets, pipes and
        devices are left out.

        Raises:
            ToolError: the tree is larger than `limits`, or cannot be read.
        """
        self._take(source, limits, copies=True)

    def show_tree(self, source: Path, limits: Limits) -> None:
        """Do what `copy_tree` does but for the files, which whoever reads `tree` copies: only the links are made.

        Raises:
            ToolError: like `copy_tree`.
        """
        self._take(source, limits, copies=False)
        self.tree = source.resolve()

    def _take(self, source: Path, limits: Limits, *, copies: bool) -> None:
        try:
            copy = _TreeCopy(source.resolve(strict=True), self.work, limits, self.left_out, copies=copies)
            self.tree_files, self.tree_bytes = copy.run()
        except OSError as error:
            raise ToolError(f"cannot copy the project tree {source}: {error}") from error

    def write(self, files: Mapping[str, bytes]) -> None:
        """Write `files`; a link of that name is replaced, never followed.

        Raises:
            ConfigurationError: a path leads outside, also through a link. Nothing was opened.
            ToolError: a file cannot be written.
        """
        parents: dict[str, Path] = {}
        for name in files:
            relative_path(name)
            parents[name] = (self.work / name).parent.resolve()
            if not parents[name].is_relative_to(self.work):
                raise ConfigurationError(f"{name!r} leads out of the directory through a link")
        for name, content in files.items():
            target = parents[name] / Path(name).name
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.unlink(missing_ok=True)
                with target.open("xb") as file:
                    file.write(content)
            except OSError as error:
                raise ToolError(f"cannot write {name!r}: {error}") from error

    def discard(self, name: str) -> None:
        """Remove the file `name`, so that an old one is not taken for the report of this run."""
        (self.work / relative_path(name)).unlink(missing_ok=True)


@contextmanager
def fresh_workspace() -> Generator[Workspace]:
    """Make the directories of one run, readable by us alone, and remove them however the block ends."""
    with own_directory() as base:
        work, home, temporary = base / "work", base / "home", base / "tmp"
        for directory in (work, home, temporary):
            directory.mkdir()
        yield Workspace(work, home, temporary)


class _TreeCopy:
    """One copy of a tree, counting what is in it, and noting the names that stay out of it."""

    def __init__(self, source: Path, target: Path, limits: Limits, left_out: set[str], *, copies: bool) -> None:
        self._copies = copies
        self._left_out = left_out
        self._source = source
        self._target = target
        self._limits = limits
        self._files = 0
        self._bytes = 0

    def run(self) -> tuple[int, int]:
        """Do it; return how many files and directories, and the bytes of all files, in whole pages."""
        self._directory(self._source, self._target)
        return self._files, self._bytes + self._files * _PAGE

    def _directory(self, source: Path, target: Path) -> None:
        pending = [(source, target)]
        while pending:
            old, new = pending.pop()
            with os.scandir(old) as entries:
                for entry in entries:
                    self._entry(entry, new / entry.name, pending)

    def _entry(self, entry: os.DirEntry[str], there: Path, pending: list[tuple[Path, Path]]) -> None:
        if is_left_out(entry.name):
            self._left_out.add(entry.name)
        elif entry.is_symlink():
            self._link(Path(entry.path), there)
        elif entry.is_dir(follow_symlinks=False):
            self._count(0)
            if self._copies:
                there.mkdir()
            pending.append((Path(entry.path), there))
        elif entry.is_file(follow_symlinks=False):
            self._count(entry.stat(follow_symlinks=False).st_size)
            if self._copies:
                shutil.copy2(entry.path, there, follow_symlinks=False)

    def _link(self, link: Path, there: Path) -> None:
        try:
            end = link.resolve()
        except (OSError, RuntimeError):  # a link to itself leads nowhere, so there is nothing to copy
            return
        if end.is_relative_to(self._source):
            self._count(0)
            there.parent.mkdir(parents=True, exist_ok=True)
            there.symlink_to(os.path.relpath(end, link.parent))

    def _count(self, size: int) -> None:
        self._files += 1
        self._bytes += size
        if self._files > self._limits.max_files or self._bytes > self._limits.max_bytes:
            raise ToolError(
                f"the project tree {self._source} is too large to copy: more than {self._limits.max_files} files "
                f"or {self._limits.max_bytes} bytes; give a smaller root"
            )
