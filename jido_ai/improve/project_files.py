"""The texts of a project, read once, to find the effects of an edit on other files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jido_ai.errors import JidoError
from jido_ai.improve.source_files import read_bytes
from jido_ai.tools.sandbox.workspace import is_left_out

_READ: Final = (
    ".py",
    ".pyi",
    ".pyw",
    ".pyx",
    ".rst",
    ".md",
    ".txt",
    ".cfg",
    ".toml",
    ".ini",
    ".flake8",
    ".python-version",
)
_LICENCES: Final = ("LICENSE", "LICENCE", "COPYING")
_MOST_FILES: Final = 10_000
_MOST_BYTES: Final = 1024 * 1024  # of one file
_MOST_BYTES_IN_ALL: Final = 128 * 1024 * 1024
_NO_MODULES: Final = frozenset(
    {"tests", "test", "testing", "docs", "doc", "examples", "example", "benchmarks", "scripts"}
)
_NO_MODULE: Final = frozenset({"__main__.py", "setup.py", "conftest.py", "noxfile.py", "tasks.py", "fabfile.py"})


@dataclass(frozen=True, slots=True)
class Module:
    """A Python file as `import` knows it.

    Attributes:
        name: with dots.
        path: in the project.
        root: the directory that must be on the path, "." for the project's own.
        is_packaged: it lies in a package.
    """

    name: str
    path: str
    root: str
    is_packaged: bool


@dataclass(frozen=True, slots=True)
class ProjectFiles:
    """The texts of a project.

    Attributes:
        texts: of Python, documentation and configuration, by path in the project; bytes that are no UTF-8 are kept as
            surrogates, so that names can be looked for in any file.
        licences: the paths of files with a licence.
        is_cut: there were more files than are read.
    """

    root: Path
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    licences: tuple[str, ...] = ()
    is_cut: bool = False

    @classmethod
    def read(cls, root: Path) -> ProjectFiles:
        """Read the project below `root` without unreadable files. It blocks: use a thread."""
        texts: dict[str, str] = {}
        licences: list[str] = []
        left = _MOST_BYTES_IN_ALL
        for path in files_below(root):
            name = path.relative_to(root).as_posix()
            if path.name.upper().startswith(_LICENCES):
                licences.append(name)
            if not path.name.endswith(_READ):
                continue
            if len(texts) >= _MOST_FILES or left <= 0:
                return cls(root, texts, tuple(licences), is_cut=True)
            try:
                raw = read_bytes(path, _MOST_BYTES)
            except JidoError:
                continue
            left -= len(raw)
            texts[name] = raw.decode("utf-8", "surrogateescape")
        return cls(root, texts, tuple(licences))

    def module(self, path: str) -> Module | None:
        """Return a file as a module; None for a file that is not imported by name."""
        *folders, name = path.split("/")
        stem = name.removesuffix(".py")
        if not name.endswith(".py") or name in _NO_MODULE or not stem.isidentifier():
            return None
        depth = len(folders)
        while depth and "/".join([*folders[:depth], "__init__.py"]) in self.texts and folders[depth - 1].isidentifier():
            depth -= 1
        parts = folders[depth:] if stem == "__init__" else [*folders[depth:], stem]
        if not parts:
            return None
        return Module(".".join(parts), path, "/".join(folders[:depth]) or ".", is_packaged=depth < len(folders))

    def modules(self) -> list[Module]:
        """Return every module in a package that is no test or example; of several with one name the first."""
        found: dict[str, Module] = {}
        for path in self.texts:
            module = self.module(path)
            if module is not None and module.is_packaged and not _NO_MODULES & set(path.split("/")[:-1]):
                found.setdefault(module.name, module)
        return sorted(found.values(), key=lambda module: module.name)


def files_below(root: Path) -> Iterator[Path]:
    """Yield the files of a project, without links and what does not belong to one."""
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if not is_left_out(name) and not Path(folder, name).is_symlink())
        for name in sorted(files):
            path = Path(folder, name)
            if not is_left_out(name) and not path.is_symlink() and path.is_file():
                yield path
