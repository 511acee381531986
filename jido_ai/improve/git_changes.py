"""Changed files in git, from the program git, which must run no other program."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jido_ai.errors import ConfigurationError, describe
from jido_ai.improve.patches import parse_patch

_TIMEOUT_S: Final = 30.0
_QUIETLY: Final = (
    "--no-pager", "--no-optional-locks", "--literal-pathspecs", "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}", "-c", "core.quotePath=false",
)  # fmt: skip
_INSTEAD: Final = {"--since": "; name the files instead"}
_DIFF: Final = ("--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules", "--diff-filter=d")


@dataclass(frozen=True, slots=True)
class Git:
    """A repository.

    Attributes:
        program: the path of git.
        top: the directory of the repository.
        option: for which git is asked, as messages name it.
    """

    program: str
    top: Path
    option: str

    @classmethod
    def of(cls, directory: Path, option: str = "--since") -> Git:
        """Return the repository that a directory is in.

        Raises:
            ConfigurationError: git is not installed, or this is no repository.
        """
        program = shutil.which("git")
        if program is None:
            raise ConfigurationError(f"{option} needs git, which is not installed{_INSTEAD.get(option, '')}")
        run = cls(program, directory, option)._run("rev-parse", "--show-toplevel")
        if run.returncode != 0:
            said = run.stderr.decode("utf-8", "replace").strip().splitlines()
            why = "" if not said or "not a git repository" in said[0] else f" ({said[0].removeprefix('fatal: ')})"
            instead = _INSTEAD.get(option, "; go to one first")
            raise ConfigurationError(f"{option}: {directory.absolute()} is not in a git repository{why}{instead}")
        return cls(program, Path(os.fsdecode(run.stdout.removesuffix(b"\n"))).resolve(), option)

    def ask(self, *words: str, said: str = "") -> bytes | None:
        """Return the output of git; None if it fails. `said` is its standard input."""
        run = self._run(*words, said=said)
        return run.stdout if run.returncode == 0 else None

    def commit(self, ref: str) -> str:
        """Return a commit; before the first one, "@" is the empty tree.

        Raises:
            ConfigurationError: git knows none.
        """
        found = self.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
        if found is None and ref == "@":  # what hooks ask for
            found = self.ask("hash-object", "-t", "tree", os.devnull)
        if found is None or not ref.strip():
            raise ConfigurationError(
                f"{self.option}: git knows no commit {describe(ref)}; give a branch, a tag or a commit"
            )
        return found.decode().strip()

    def told(self, *words: str) -> bytes:
        """Do as `ask`. Raises `ConfigurationError` if git fails."""
        found = self.ask(*words)
        if found is None:
            raise ConfigurationError(f"{self.option}: git could not tell what changed; try `git status` here")
        return found

    def diff(self, ref: str, *words: str) -> bytes:
        """Return the difference of the working tree from a commit, in files that are there.

        Raises:
            ConfigurationError: git knows no such commit, or cannot tell.
        """
        return self.told(*self._without_filters(), "diff", *_DIFF, *words, self.commit(ref), "--")

    def _without_filters(self) -> list[str]:
        """Return the options that disable clean filters."""
        told = self.ask("config", "--null", "--name-only", "--get-regexp", r"^filter\.") or b""
        names = {
            os.fsdecode(key).removeprefix("filter.").rpartition(".")[0]
            for key in told.split(b"\0")
            if key.count(b".") > 1
        }
        if odd := [name for name in names if "=" in name]:
            raise ConfigurationError(
                f"--since: git has a filter with the unusual name {describe(odd[0])}; name the files instead"
            )
        settings = ("clean=", "process=", "required=false")
        return [word for name in sorted(names) for one in settings for word in ("-c", f"filter.{name}.{one}")]

    def _run(self, *words: str, said: str = "") -> subprocess.CompletedProcess[bytes]:
        environment = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "XDG_CONFIG_HOME")}
        environment |= {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat"}
        environment |= {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}  # what is missing here is not asked for
        try:
            return subprocess.run(
                [self.program, *_QUIETLY, *words],
                cwd=self.top,
                env=environment,
                input=said.encode(),
                capture_output=True,
                timeout=_TIMEOUT_S,
                check=False,
            )
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            is_late = isinstance(error, subprocess.TimeoutExpired)
            why = f"no answer within {_TIMEOUT_S:g} s" if is_late else str(error)
            raise ConfigurationError(f"{self.option}: git cannot be run: {why}") from error


def changed_since(ref: str, directory: Path) -> list[Path]:
    """Return the files below `directory` that are not as they are in `ref`, and those that git does not know yet.

    They exist, are no links, and come as paths that begin with `directory`, sorted. What is ignored is left out.

    Raises:
        ConfigurationError: git is not installed or refuses, this is no repository, or it knows no such commit.
    """
    git = Git.of(directory)
    changed = git.diff(ref, "--name-only", "-z") + git.told("ls-files", "--others", "--exclude-standard", "-z")
    here = directory.resolve()
    found: set[Path] = set()
    for name in filter(None, changed.split(b"\0")):
        path = git.top / os.fsdecode(name)
        if path.is_relative_to(here) and path.is_file() and not path.is_symlink():
            found.add(directory / path.relative_to(here))
    return sorted(found)


def changed_rows(ref: str, directory: Path) -> dict[Path, frozenset[int]]:
    """Return the rows, from 1, that are not as they are in `ref`, of each file that git knows and that changed.

    A file that git does not know yet is not in the result: all of its lines are new. Paths are absolute.

    Raises:
        ConfigurationError: as `changed_since`.
    """
    git = Git.of(directory)
    said = git.diff(ref, "--unified=0", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", "--text")
    return {
        git.top / patch.path: frozenset(
            row
            for hunk in patch.hunks
            for row in range(hunk.new_start, hunk.new_start + sum(sign == "+" for sign, _ in hunk.lines))
        )
        for patch in parse_patch(os.fsdecode(said))
    }


def tracked_files(directory: Path) -> frozenset[Path]:
    """Return the absolute paths of the files that git knows, in the repository of `directory`."""
    git = Git.of(directory)
    listed = git.ask("ls-files", "-z") or b""
    return frozenset(git.top / os.fsdecode(name) for name in listed.split(b"\0") if name)
