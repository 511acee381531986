"""The user's files: checked and read before anything starts, and replaced in one step or not at all."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from jido_ai.errors import ConfigurationError, JidoError, describe
from jido_ai.files.bounded_read import NoFileError, read_at_most
from jido_ai.files.replacement import write_whole
from jido_ai.text.checks import language_of

MAX_BYTES: Final = 2 * 1024 * 1024
_BLANK_BYTES: Final = 4096
_CONFIGURATION_BYTES: Final = 1024 * 1024
_SKIPPED: Final = frozenset({"__pycache__", "node_modules", "venv", "build", "dist", "site-packages"})
_PYTHON: Final = (".py", ".pyi", ".pyw")
_DRIVE: Final = re.compile(r"[A-Za-z]:[\\/]")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_ROOT_MARKS: Final = ("pyproject.toml", "setup.cfg", "setup.py", "tox.ini", ".git")


class FileChangedError(JidoError):
    """The file has changed since it was read; it was not written."""

    retryable = False


@dataclass(frozen=True, slots=True)
class ProjectSource:
    """One file as it was read.

    Attributes:
        path: as the user wrote it, or as it was found below the directory the user wrote.
        text: decoded from UTF-8, byte order mark and line endings kept.
        digest: of its bytes, by which a later change is seen.
    """

    path: Path
    text: str
    digest: bytes


def kind_of(path: Path) -> str | None:
    """Return "python", or the language of a text, by the end of the name; None when it is not known."""
    return "python" if path.name.lower().endswith(_PYTHON) and path.suffix else language_of(path.absolute().as_posix())


def check_place(path: Path, root: Path | None = None) -> None:
    """Check a path that a user wrote, as a string: nothing is opened.

    Raises:
        ConfigurationError: it has a control character or a drive letter; a relative path leads out of the directory we
            are in (or out of `root`), or, with a `root`, an absolute one is not below it.
    """
    text = str(path)
    if _CONTROL.search(text):
        raise ConfigurationError(f"{describe(text)}: a control character in a name; rename the file")
    if _DRIVE.match(text):
        raise ConfigurationError(f"{text}: a path with a drive letter; give one of this system")
    home = Path(os.path.abspath(root or Path.cwd()))  # noqa: PTH100 - resolve() would follow links
    whole = Path(os.path.abspath(text))  # noqa: PTH100
    if (root is not None or not path.is_absolute()) and not whole.is_relative_to(home):
        cure = "name another --root" if root is not None else "go there first, or name its project with --root"
        raise ConfigurationError(f"{text}: leads out of {home}; {cure}")


def check_writable(source: ProjectSource) -> None:
    """Raise `ConfigurationError` if nobody may write the file, even where it could be replaced."""
    if not source.path.stat().st_mode & 0o222:
        raise ConfigurationError(f"{source.path}: read-only; make it writable (chmod u+w), or omit --apply")


@dataclass(frozen=True, slots=True)
class Found:
    """The files to work on, and those that are left alone, each with the reason.

    Attributes:
        named: the absolute paths of the files that the user named; the others were found below a directory.
        clean: files that were not read because nothing was found in them.
    """

    sources: tuple[ProjectSource, ...]
    left_alone: tuple[tuple[Path, str], ...] = ()
    named: frozenset[Path] = frozenset()
    clean: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundPaths:
    """The paths of files, not read yet; the attributes are those of `Found`."""

    paths: tuple[Path, ...]
    left_alone: tuple[tuple[Path, str], ...] = ()
    named: frozenset[Path] = frozenset()


def find_sources(arguments: Iterable[Path], exclude: Iterable[str] = ()) -> Found:
    """Read every file named, and every Python file below each directory named, each once.

    What a file is, its name tells: Python, Markdown, JSON, YAML, TOML or plain text.

    Below a directory, hidden folders, virtual environments, caches, submodules, links and blank files are passed over;
    what cannot be worked on (not UTF-8, too large, an odd name) is left alone. A file that is named and blank is left
    alone, too.

    Args:
        exclude: patterns as of a shell; a file is left alone when its path, its name or a folder above it fits one.

    Raises:
        ConfigurationError: a named file cannot be used, or a directory has no files; the message says how to fix it.
    """
    return read_sources(find_paths(arguments, exclude))


def find_paths(arguments: Iterable[Path], exclude: Iterable[str] = ()) -> FoundPaths:
    """Return the paths that `find_sources` reads. Raises `ConfigurationError` as it does."""
    here = Path.cwd()
    found: dict[str, Path] = {}
    left: dict[Path, str] = {}
    named: set[Path] = set()
    patterns = tuple(exclude)
    for argument in arguments:
        if argument.is_dir():
            below = list(_python_files(argument))
            if all(is_blank(path) for path in below):
                raise ConfigurationError(f"{argument}: no Python file in this directory; name a file, or another one")
        else:
            if kind_of(argument) is None:
                raise ConfigurationError(f"{argument}: {_unknown(argument)}")
            below = [argument]
            named.add(argument.absolute())
        for path in below:
            whole = os.path.join(here, path)  # noqa: PTH118 - `Path.absolute` takes seconds for many files
            if whole in found:
                continue
            if patterns and is_excluded(_seen_from_here(path), patterns):
                left[path] = "excluded"
            elif argument is not path and _has_odd_name(path):
                left[path] = "an odd name; rename it to have it looked at"
            else:
                found[whole] = path
    if not found and not left:
        raise ConfigurationError("name at least one file or directory")
    return FoundPaths(tuple(found.values()), tuple(left.items()), frozenset(named))


def read_sources(found: FoundPaths, clean: Collection[Path] = ()) -> Found:
    """Read the files, but for the clean ones, of which only those that the user named are looked at.

    Raises:
        ConfigurationError: a named file cannot be used; the message says how to fix it.
    """
    sources: list[ProjectSource] = []
    left = dict(found.left_alone)
    passed: list[Path] = []
    for path in found.paths:
        is_named = bool(found.named) and path.absolute() in found.named
        if path in clean and not is_named:
            passed.append(path)
            continue
        if is_blank(path):
            if is_named:
                left[path] = "it is empty"
            continue
        try:
            source = _read(path)
        except ConfigurationError as error:
            if is_named:
                raise
            left[path] = str(error).removeprefix(f"{path}: ")
        else:
            if path in clean:
                passed.append(path)
            else:
                sources.append(source)
    return Found(tuple(sources), tuple(left.items()), found.named, tuple(passed))


def is_excluded(path: Path, patterns: Iterable[str]) -> bool:
    """Tell whether the path, its name or a folder above it fits a pattern as of a shell."""
    parts = path.parts
    texts = {path.as_posix(), *parts, *("/".join(parts[:depth]) for depth in range(1, len(parts)))}
    return any(fnmatchcase(text, pattern.rstrip("/")) for pattern in patterns for text in texts)


def _seen_from_here(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_absolute() and path.is_relative_to(here) else path


def _has_odd_name(path: Path) -> bool:
    return path.name.startswith("-") or not str(path).isprintable()


def _unknown(path: Path) -> str:
    if not path.exists():
        return "no such file; check the name and the directory you are in"
    what = f"files that end in {path.suffix}" if path.suffix else "files whose name has no ending"
    return f"{what} are not supported; supported are .py, .md, .json, .yaml, .toml and .txt"


def _python_files(directory: Path) -> Iterator[Path]:
    """Yield the Python files below a directory, sorted; of a submodule or another repository none."""
    pending = [directory]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError:
            continue
        if folder is not directory and any(entry.name == ".git" for entry in entries):
            continue
        below: list[Path] = []
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.startswith(".") and entry.name not in _SKIPPED:
                    below.append(folder / entry.name)
            elif entry.name.endswith(".py") and not entry.is_symlink() and _has_content(entry):
                yield folder / entry.name
        pending += reversed(below)


def _has_content(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.stat(follow_symlinks=False).st_size > 0 or not entry.is_file(follow_symlinks=False)
    except OSError:
        return True  # reading it will say why


def is_blank(path: Path) -> bool:
    """Tell whether a file of at most 4 KiB holds nothing but white space, as `__init__.py` often does.

    False for what is no file, or cannot be read: `find_sources` says why.
    """
    try:
        data = read_at_most(path, _BLANK_BYTES)
        return data is not None and not data.strip()
    except OSError:
        return False


def _read(path: Path) -> ProjectSource:
    _refuse_link_out_of_the_tree(path)
    data = read_bytes(path, MAX_BYTES)
    if not data.strip():
        raise ConfigurationError(f"{path}: empty; there is nothing to improve")
    if b"\0" in data:
        raise ConfigurationError(f"{path}: a binary file; name a text file")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"{path}: not UTF-8 (byte {error.start}); convert it first, for example with iconv -t UTF-8"
        ) from None
    return ProjectSource(path, text, hashlib.sha256(data).digest())


def read_bytes(path: Path, most: int) -> bytes:
    """Return the content of a regular file of at most `most` bytes; no more is read.

    Raises:
        ConfigurationError: it is no such file, larger, or cannot be read.
    """
    try:
        data = read_at_most(path, most)
    except NoFileError:
        raise ConfigurationError(f"{path}: not a regular file") from None
    except FileNotFoundError:
        raise ConfigurationError(f"{path}: no such file; check the name and the directory you are in") from None
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
    if data is None:
        raise ConfigurationError(f"{path}: larger than {most / 1024 / 1024:g} MiB; split it, or name smaller files")
    return data


def _refuse_link_out_of_the_tree(path: Path) -> None:
    if path.is_symlink():
        home = project_root([path.parent / path.name]).resolve()
        target = path.resolve()
        if not target.is_relative_to(home):
            raise ConfigurationError(f"{path}: a link out of its tree, to {target}; name that file itself")


def small_text(path: Path) -> str | None:
    """Return the text of a configuration file of at most 1 MiB; None if there is none, or it cannot be read."""
    try:
        raw = read_at_most(path, _CONFIGURATION_BYTES)
    except (OSError, NoFileError):
        return None
    return None if raw is None else raw.decode("utf-8", "surrogateescape")


def project_root(paths: Iterable[Path]) -> Path:
    """Return the directory the files belong to: the nearest with a project file above all of them, else the common one.

    Links are not followed: a file belongs where it is named.
    """
    folders = [path.absolute() if path.is_dir() else path.absolute().parent for path in paths]
    common = Path(os.path.commonpath(folders))
    for folder in (common, *common.parents):
        if any((folder / mark).exists() for mark in _ROOT_MARKS):
            return folder
    return common


def replace_file(source: ProjectSource, text: str) -> None:
    """Replace the text of a file in one step: readers see the old file or the new one.

    Mode (and owner, where we may) stay. A link keeps pointing where it did; its target is replaced.

    Raises:
        FileChangedError: the file is not as it was read any more. It was left as it is.
        OSError: it could not be written (no space, no right). It was left as it is.
    """
    path = source.path.resolve()

    def check() -> None:
        if _digest(path) != source.digest:
            raise FileChangedError(f"{source.path}: changed since it was read; this file was not written, run again")

    check()
    write_whole(path, text.encode("utf-8"), check=check)


def _digest(path: Path) -> bytes | None:
    """Return the digest of the bytes of a file; None when it is larger than any that was read, or no file any more."""
    data = read_at_most(path, MAX_BYTES)
    return None if data is None else hashlib.sha256(data).digest()
