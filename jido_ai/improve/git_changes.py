"""Changed files in git, from the program git, which must run no other program."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from jido_ai.errors import ConfigurationError, describe

_TIMEOUT_S: Final = 30.0
_HUNK: Final = re.compile(rb"@@ -\S+ \+([0-9]+)(?:,([0-9]+))? @@")
_ESCAPE: Final = re.compile(rb"\\([0-7]{3}|.)")
_QUIETLY: Final = (
    "--no-pager", "--no-optional-locks", "--literal-pathspecs", "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}", "-c", "core.quotePath=false",
)  # fmt: skip


def changed_since(ref: str, directory: Path) -> list[Path]:
    """Return the files below `directory` that are not as they are in `ref`, and those that git does not know yet.

    They exist, are no links, and come as paths that begin with `directory`, sorted. What is ignored is left out.

    Raises:
        ConfigurationError: git is not installed or refuses, this is no repository, or it knows no such commit.
    """
    git = shutil.which("git")
    if git is None:
        raise ConfigurationError("--since needs git, which is not installed; name the files instead")
    top = _top(git, directory)
    commit = _commit(git, top, ref)
    limits = ("--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules")
    changed = _ask(git, top, *_without_filters(git, top), "diff", *limits, "--diff-filter=d", commit, "--")
    added = _ask(git, top, "ls-files", "--others", "--exclude-standard", "-z")
    if changed is None or added is None:
        raise ConfigurationError("--since: git could not tell what changed; try `git status` here")
    here = directory.resolve()
    found: set[Path] = set()
    for name in filter(None, (changed + added).split(b"\0")):
        path = top / os.fsdecode(name)
        if path.is_relative_to(here) and path.is_file() and not path.is_symlink():
            found.add(directory / path.relative_to(here))
    return sorted(found)


def git_top(directory: Path, option: str) -> Path:
    """Return the top of the repository that a directory is in.

    Args:
        option: for which git is asked, as messages name it.

    Raises:
        ConfigurationError: git is not installed, or this is no repository.
    """
    git = shutil.which("git")
    if git is None:
        raise ConfigurationError(f"{option} needs git, which is not installed")
    try:
        return _top(git, directory)
    except ConfigurationError as error:
        said = str(error).replace("--since", option).replace("; name the files instead", "; go to one first")
        raise ConfigurationError(said) from None


def ask_git(directory: Path, option: str, *words: str, said: str = "") -> bytes | None:
    """Return the output of git; None if it fails. `said` is its standard input, `option` as in `git_top`."""
    git = shutil.which("git")
    if git is None:
        raise ConfigurationError(f"{option} needs git, which is not installed")
    run = _run(git, directory, *words, said=said)
    return run.stdout if run.returncode == 0 else None


def changed_rows(ref: str, directory: Path) -> dict[Path, frozenset[int]]:
    """Return the rows, from 1, that are not as they are in `ref`, of each file that git knows and that changed.

    A file that git does not know yet is not in the result: all of its lines are new. Paths are absolute.

    Raises:
        ConfigurationError: as `changed_since`.
    """
    git = shutil.which("git")
    if git is None:
        raise ConfigurationError("--since needs git, which is not installed; name the files instead")
    top = _top(git, directory)
    limits = ("--unified=0", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules", "--no-color")
    prefixes = ("--src-prefix=a/", "--dst-prefix=b/", "--diff-filter=d", "--text")
    said = _ask(git, top, *_without_filters(git, top), "diff", *limits, *prefixes, _commit(git, top, ref), "--")
    if said is None:
        raise ConfigurationError("--since: git could not tell what changed; try `git status` here")
    found: dict[Path, set[int]] = {}
    rows: set[int] = set()
    is_head = False
    for line in said.split(b"\n"):
        if line.startswith(b"diff --git "):
            is_head = True
        elif (is_head and line.startswith(b"+++ b/")) or (is_head and line.startswith(b'+++ "')):
            rows = found.setdefault(top / os.fsdecode(_unquoted(line[4:]))[2:], set())
        elif hunk := _HUNK.match(line):
            is_head = False
            first, count = int(hunk[1]), int(hunk[2] or 1)
            rows.update(range(first, first + count))
    return {path: frozenset(rows) for path, rows in found.items()}


def tracked_files(directory: Path) -> frozenset[Path]:
    """Return the absolute paths of the files that git knows, in the repository of `directory`."""
    git = shutil.which("git")
    top = None if git is None else _top(git, directory)
    listed = None if git is None or top is None else _ask(git, top, "ls-files", "-z")
    return frozenset(top / os.fsdecode(name) for name in (listed or b"").split(b"\0") if name and top is not None)


def _unquoted(name: bytes) -> bytes:
    """Return a path as it is; git writes one with quotes or control characters in quotes, as C does."""
    name = name.rstrip(b"\t")
    if not name.startswith(b'"'):
        return name
    inside = name[1:-1]
    plain = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
    return _ESCAPE.sub(lambda one: bytes([int(one[1], 8)]) if one[1].isdigit() else plain.get(one[1], one[1]), inside)


def _commit(git: str, top: Path, ref: str) -> str:
    """Return a commit; before the first one, "@" is the empty tree."""
    found = _ask(git, top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    if found is None and ref == "@":  # what hooks ask for
        found = _ask(git, top, "hash-object", "-t", "tree", os.devnull)
    if found is None or not ref.strip():
        raise ConfigurationError(f"--since: git knows no commit {describe(ref)}; give a branch, a tag or a commit")
    return found.decode().strip()


def _without_filters(git: str, top: Path) -> list[str]:
    """Return the options by which git compares files as they are, and runs no program to clean them before."""
    told = _ask(git, top, "config", "--null", "--name-only", "--get-regexp", r"^filter\.") or b""
    names = {
        os.fsdecode(key).removeprefix("filter.").rpartition(".")[0] for key in told.split(b"\0") if key.count(b".") > 1
    }
    if odd := [name for name in names if "=" in name]:
        raise ConfigurationError(
            f"--since: git has a filter with the unusual name {describe(odd[0])}; name the files instead"
        )
    settings = ("clean=", "process=", "required=false")
    return [word for name in sorted(names) for one in settings for word in ("-c", f"filter.{name}.{one}")]


def _top(git: str, directory: Path) -> Path:
    run = _run(git, directory, "rev-parse", "--show-toplevel")
    if run.returncode != 0:
        said = run.stderr.decode("utf-8", "replace").strip().splitlines()
        why = "" if not said or "not a git repository" in said[0] else f" ({said[0].removeprefix('fatal: ')})"
        raise ConfigurationError(
            f"--since: {directory.absolute()} is not in a git repository{why}; name the files instead"
        )
    return Path(os.fsdecode(run.stdout.removesuffix(b"\n"))).resolve()


def _ask(git: str, directory: Path, *words: str) -> bytes | None:
    """Return the output of git; None if it fails."""
    run = _run(git, directory, *words)
    return run.stdout if run.returncode == 0 else None


def _run(git: str, directory: Path, *words: str, said: str = "") -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "XDG_CONFIG_HOME")}
    environment |= {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat"}
    environment |= {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}  # what is missing here is not asked for
    try:
        return subprocess.run(
            [git, *_QUIETLY, *words],
            cwd=directory,
            env=environment,
            input=said.encode(),
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        why = f"no answer within {_TIMEOUT_S:g} s" if isinstance(error, subprocess.TimeoutExpired) else str(error)
        raise ConfigurationError(f"--since: git cannot be run: {why}") from error
