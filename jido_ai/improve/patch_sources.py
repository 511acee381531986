"""Where patches come from: a command that runs on a copy of the project, or a branch of git. Blocks: use a thread."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from jido_ai.errors import ConfigurationError, ToolError, describe
from jido_ai.files.below import create_below
from jido_ai.files.relative_path import relative_path
from jido_ai.improve.git_changes import Git
from jido_ai.improve.patches import patch_of_texts
from jido_ai.improve.project_files import files_below
from jido_ai.improve.source_files import MAX_BYTES
from jido_ai.tools.sandbox.workspace import Limits, fresh_workspace, is_left_out

_MOST_FILES: Final = 20_000
_SHOWN: Final = 300


def command_changes(root: Path, commands: list[str], *, timeout_s: float) -> str:
    """Return the patch that commands make of a copy of the project, one after the other.

    They run as the user's own programs, in the copy, without a shell. An exit status other than 0 is no error if files
    were changed, since linters end so with findings left.

    Args:
        timeout_s: seconds for each command.

    Raises:
        ConfigurationError: a command cannot be started, does not end in time, or fails and changes nothing.
        ToolError: the project is too large to copy.
    """
    with fresh_workspace() as workspace:
        workspace.copy_tree(root, Limits())
        failed: list[str] = []
        for command in commands:
            failed += _run(command, workspace.work, timeout_s)
        patch = patch_between(root, workspace.work)
    if failed and not patch:
        raise ConfigurationError(f"{failed[0]}; it changed no file")
    return patch


def _run(command: str, directory: Path, timeout_s: float) -> list[str]:
    """Run one command; return what it said if it failed."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ConfigurationError(f"--with {describe(command)}: {error}; quote it as for a shell") from None
    if not words:
        raise ConfigurationError('--with needs a command, such as "ruff check --fix"')
    beside = str(Path(sys.executable).parent)  # programs installed with this package are found too
    path = os.pathsep.join(filter(None, [os.environ.get("PATH"), beside]))
    program = shutil.which(words[0], path=path) or words[0]
    try:
        run = subprocess.run(
            [program, *words[1:]],
            cwd=directory,
            env=os.environ | {"PWD": str(directory), "PATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ConfigurationError(f"--with {describe(command)}: it did not end within {timeout_s:g} s") from None
    except OSError as error:
        raise ConfigurationError(f"--with {describe(command)}: cannot be run: {error.strerror}") from error
    said = (run.stderr or run.stdout).decode("utf-8", "replace").strip()[-_SHOWN:]
    return [f"--with {describe(command)} ended with status {run.returncode}: {said}"] if run.returncode else []


def patch_between(old: Path, new: Path) -> str:
    """Return the patch from one directory to another, without files that do not belong to a project.

    A file that is binary, too large or a link is named as binary.
    """
    return _patch(_found(old), _found(new))


def _found(root: Path) -> dict[str, Path]:
    return {path.relative_to(root).as_posix(): path for path in files_below(root)}


def _patch(before: Mapping[str, Path], after: Mapping[str, Path]) -> str:
    return "".join(_patch_of(path, before, after) for path in sorted(before.keys() | after.keys()))


def _patch_of(path: str, before: Mapping[str, Path], after: Mapping[str, Path]) -> str:
    old, new = before.get(path), after.get(path)
    raw = [None if file is None else _read(file) for file in (old, new)]
    modes = [None if file is None else "100755" if file.stat().st_mode & 0o100 else "100644" for file in (old, new)]
    if raw[0] == raw[1] and modes[0] == modes[1]:
        return ""
    texts = [None if one is None else one.decode("utf-8", "surrogateescape") for one in raw]
    return patch_of_texts(path, texts[0], texts[1], modes[0], modes[1])


def _read(path: Path) -> bytes:
    """Return the bytes of a file; of one that is too large a digest-like stand-in, which counts as binary."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        return b"\0%d %d" % (size, path.stat().st_mtime_ns)
    return path.read_bytes()


# -- branches --------------------------------------------------------------------------------------


@contextmanager
def branch_changes(ref: str, directory: Path) -> Generator[tuple[Path, str, str]]:
    """Give the project as it was where a branch began, the changes since, and these in words.

    Where the branch has commits that HEAD lacks, these are its changes up to its last commit; otherwise, those of HEAD
    and the working tree since `ref`. The project is a copy that is removed when the block ends.

    Raises:
        ConfigurationError: git is not installed, this is no repository, or it knows no such commit.
    """
    git = Git.of(directory, "--branch")
    commit, head = git.commit(ref), git.commit("HEAD")
    base = (git.ask("merge-base", commit, head) or b"").decode().strip()
    if not base:
        raise ConfigurationError(f"--branch: {describe(ref)} and HEAD have no commit in common")
    with fresh_workspace() as workspace:
        before = workspace.work
        _write(git, base, before)
        if base != commit:
            after = workspace.temporary
            _write(git, commit, after)
            yield before, patch_between(before, after), f"{ref} since {base[:12]}, where it left HEAD"
        else:
            yield before, _working_tree(git, before), f"the working tree since {ref}"


def _working_tree(git: Git, before: Path) -> str:
    """Return the patch from a directory to the files in the working tree that git knows or would add."""
    told = git.ask("ls-files", "--cached", "--others", "--exclude-standard", "-z") or b""
    after: dict[str, Path] = {}
    for name in filter(None, told.split(b"\0")):
        path = relative_path(os.fsdecode(name))
        if not any(map(is_left_out, path.split("/"))) and (file := git.top / path).is_file() and not file.is_symlink():
            after[path] = file
    return _patch(_found(before), after)


def _write(git: Git, commit: str, target: Path) -> None:
    """Write the files of a commit, without links and submodules, into an empty directory.

    Raises:
        ConfigurationError: a name leads out of the directory, or two files have one place.
        ToolError: there are too many files.
    """
    listed = git.ask("ls-tree", "-r", "-z", "--full-tree", commit) or b""
    entries: list[tuple[str, str, str]] = []
    for line in filter(None, listed.split(b"\0")):
        about, _, name = line.partition(b"\t")
        mode, kind, digest = about.decode().split()
        path = os.fsdecode(name)
        if kind == "blob" and mode != "120000" and not any(map(is_left_out, path.split("/"))):
            entries.append((mode, digest, relative_path(path)))
    if len(entries) > _MOST_FILES:
        raise ToolError(f"--branch: the repository has more than {_MOST_FILES} files; check a patch of a part")
    blobs = git.ask("cat-file", "--batch", said="".join(f"{one[1]}\n" for one in entries)) or b""
    at = 0
    for mode, _, path in entries:
        end = blobs.index(b"\n", at)
        *_, kind, told = blobs[at:end].split()
        if kind != b"blob":
            raise ConfigurationError(f"--branch: git has no content of {describe(path)}; fetch the commit again")
        size = int(told)
        data, allowed = blobs[end + 1 : end + 1 + size], 0o777 if mode == "100755" else 0o666
        try:
            create_below(target, path, data, mode=allowed)
        except (FileExistsError, NotADirectoryError):
            raise ConfigurationError(
                f"--branch: the commit has {describe(path)} twice; check it with git fsck"
            ) from None
        except OSError as error:
            raise ToolError(f"--branch: {describe(path)} cannot be written: {error.strerror}") from error
        at = end + 1 + size + 1
