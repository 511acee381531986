"""Workspaces: the temporary directories of a program, created, filled and removed. Blocks: use a thread."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jido_ai.errors import ToolError
from jido_ai.files.below import create_below, remove_below, without_links
from jido_ai.files.relative_path import relative_path
from jido_ai.tools.sandbox.directories import own_directory

_NO_PART: Final = frozenset(
    {
        ".git", ".hg", ".hypothesis", ".mypy_cache", ".nox", ".pytest_cache", ".ruff_cache", ".svn", ".tox", ".venv",
        "__pycache__", "node_modules", "venv",
    }
)  # fmt: skip
"""Names that do not belong to a project: version control, caches, environments, packages."""
_SECRET: Final = frozenset({".aws", ".envrc", ".git-credentials", ".gnupg", ".netrc", ".pypirc", ".ssh"})
_ENVIRONMENT: Final = re.compile(r"\.env([._~-].*)?", re.DOTALL | re.IGNORECASE)
_SHARED: Final = re.compile(
    r".*[._-](ci|defaults?|dist|example|sample|template|test|testing)", re.DOTALL | re.IGNORECASE
)
"""Suffixes of environment files that are meant to be shared."""
_PAGE: Final = 4096  # minimum size of a file in memory


def is_left_out(name: str) -> bool:
    """Tell whether files and directories of this name are omitted from a program's copy of a project.

    Left out are names that do not belong to the project (version control, caches, environments, packages), and the
    usual
    places of secrets: `.env`, an editor's copy `.env~` and `.env.NAME`, unless the suffix marks a shared file
    (`.env.example`, `.env.test`); keys and logins such as `.netrc`. In any case: `.GIT` is `.git` on some systems.
    """
    if _ENVIRONMENT.fullmatch(name):
        return not _SHARED.fullmatch(name)
    return name.lower() in _NO_PART or name.lower() in _SECRET


@dataclass(frozen=True, slots=True)
class Limits:
    """Maximum size of a project tree to copy: entries, and bytes of all files together."""

    max_files: int = 10_000
    max_bytes: int = 256 * 1024 * 1024


@dataclass(slots=True)
class Workspace:
    """The directories of one run, siblings in one temporary directory.

    Attributes:
        work: the program's working directory, with the candidate in it.
        home, temporary: the values of HOME and TMPDIR.
        tree: a project tree that a sandbox must copy into `work`, below the files that are already there.
        tree_files, tree_bytes: number of the tree's files and directories, and bytes of its files.
        left_out: names to leave out of the tree, at any depth.
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
        """The common parent directory."""
        return self.work.parent

    def copy_tree(self, source: Path, limits: Limits) -> None:
        """Copy `source` without names that `is_left_out`.

        Links inside the tree become relative links; those to the outside, sockets, pipes and devices are left out.

        Raises:
            ToolError: the tree is larger than `limits`, or cannot be read.
        """
        self._take(source, limits, copies=True)

    def show_tree(self, source: Path, limits: Limits) -> None:
        """Do as `copy_tree` without the files, which the reader of `tree` copies: only the links are created.

        Raises:
            ToolError: as in `copy_tree`.
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
        """Write `files`; an existing link of that name is replaced, never followed.

        Raises:
            ConfigurationError: a path is outside of the directory, possibly through a link. Nothing was opened.
            ToolError: a file cannot be written.
        """
        names = {name: relative_path(name).rpartition("/") for name in files}
        folders = dict.fromkeys(folder for folder, _, _ in names.values() if folder)
        ends = {folder: f"{without_links(self.work, folder)}/" for folder in folders}
        places = {name: ends.get(folder, "") + last for name, (folder, _, last) in names.items()}
        for name, content in files.items():
            try:
                try:
                    create_below(self.work, places[name], content)
                except FileExistsError:
                    remove_below(self.work, places[name])
                    create_below(self.work, places[name], content)
            except OSError as error:
                raise ToolError(f"cannot write {name!r}: {error}") from error

    def discard(self, name: str) -> None:
        """Remove the file `name`, so that an old one is not mistaken for the report of this run."""
        remove_below(self.work, name)


@contextmanager
def fresh_workspace() -> Generator[Workspace]:
    """Create the private directories of one run, and remove them however the block ends."""
    with own_directory() as base:
        work, home, temporary = base / "work", base / "home", base / "tmp"
        for directory in (work, home, temporary):
            directory.mkdir()
        yield Workspace(work, home, temporary)


@contextmanager
def without_files(tree: Path, names: Collection[str]) -> Generator[Path]:
    """Make a copy of a project without some files, and remove it however the block ends.

    Raises:
        ToolError: the project is too large to copy, or cannot be read.
    """
    with fresh_workspace() as workspace:
        workspace.copy_tree(tree, Limits())
        for name in names:
            workspace.discard(name)
        yield workspace.work


class _TreeCopy:
    """One copy of a tree; counts its contents and collects the names that are left out."""

    def __init__(self, source: Path, target: Path, limits: Limits, left_out: set[str], *, copies: bool) -> None:
        self._copies = copies
        self._left_out = left_out
        self._source = source
        self._target = target
        self._limits = limits
        self._files = 0
        self._bytes = 0

    def run(self) -> tuple[int, int]:
        """Copy; return the number of files and directories, and the bytes of all files, in whole pages."""
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
        except (OSError, RuntimeError):  # a link to itself: nothing to copy
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
