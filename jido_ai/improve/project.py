"""A project as `jido improve` sees it: its files, its configuration, its linter and its Python."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import re
import sys
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jido_ai.errors import ConfigurationError
from jido_ai.improve.declared_python import (
    CONFIGS_OF_RUFF,
    DeclaredPython,
    declared_python,
    extended_config,
    pinned_python,
    ruff_target,
)
from jido_ai.improve.flake8_rules import Flake8Rules, flake8_rules
from jido_ai.improve.project_files import ProjectFiles
from jido_ai.improve.project_names import ProjectNames
from jido_ai.improve.project_python import ProjectPython, project_python
from jido_ai.improve.project_tests import ProjectTests
from jido_ai.improve.skipped_files import reason_left_alone, unused_sample
from jido_ai.improve.source_files import project_root, small_text
from jido_ai.revisers.edit_policy import SELECTED
from jido_ai.tools.lookup import tool_named
from jido_ai.tools.ready import RUFF
from jido_ai.tools.tool import Tool
from jido_ai.values import Issue, Scope

if TYPE_CHECKING:
    from jido_ai.improve.outcome import ImproveOptions

_MOST_EXTENDED: Final = 5
_OLDEST_OF_RUFF: Final = (3, 7)
_NEWEST_OF_RUFF: Final = (3, 14)


@dataclass(frozen=True)
class Project:
    """A project with the options of the call, and its configuration."""

    files: ProjectFiles
    options: ImproveOptions

    @cached_property
    def names(self) -> ProjectNames:
        """The uses of names in the project."""
        return ProjectNames(self.files.texts)

    @cached_property
    def declared(self) -> DeclaredPython | None:
        """The oldest Python it declares; without one, the oldest that a part with a configuration of its own does."""
        texts = self.files.texts
        if (found := declared_python(texts)) is not None:
            return found
        parts = [
            DeclaredPython(one.minimum, f"{name}: {one.source}")
            for name, text in texts.items()
            if name.endswith("/pyproject.toml") and extended_config({"pyproject.toml": text}) is not None
            if (one := declared_python({"pyproject.toml": text})) is not None
        ]
        return min(parts, key=lambda one: one.minimum, default=None)

    @cached_property
    def flake8(self) -> Flake8Rules | None:
        """Its configuration for flake8."""
        return flake8_rules(self.files.texts)

    @cached_property
    def black(self) -> tuple[re.Pattern[str], ...]:
        """Its patterns of paths that black does not look at."""
        return black_excludes(self.files.texts.get("pyproject.toml", ""))

    @cached_property
    def python(self) -> tuple[ProjectPython | None, str | None]:
        """The interpreter of its tests, None for the running one; and a note about one that was passed over."""
        options = self.options
        wanted = options.python or (None if options.settings.python is None else Path(options.settings.python))
        return project_python(self.files.root, wanted, os.environ)

    @property
    def tests(self) -> ProjectTests:
        """How its tests are run."""
        return ProjectTests(self.python[0], self.options.test_timeout_s)

    @cached_property
    def newest(self) -> tuple[int, int] | None:
        """The newest Python that it names, as its oldest one, in `.python-version` or as ruff's target."""
        versions = [self.minimum, pinned_python(self.files.texts), ruff_target(self.files.texts)]
        return max((version for version in versions if version is not None), default=None)

    @property
    def is_newer_than_ours(self) -> bool:
        """Tell whether it may have syntax that the running Python does not know: that is left to ruff."""
        return self.newest is not None and self.newest > sys.version_info[:2]

    @property
    def minimum(self) -> tuple[int, int] | None:
        """The oldest version of Python it declares."""
        return None if self.declared is None else self.declared.minimum

    def reason_left_alone(self, path: str, text: str, chosen: int = 0) -> str | None:
        """Return why a file that was found in a directory is left alone; None if it is not.

        Args:
            chosen: how many of the first folders of the path the user named.
        """
        if self.flake8 is not None and self.flake8.excludes(path):
            return "excluded by the project's configuration of flake8"
        if any(pattern.search(f"/{path}") for pattern in self.black):
            return "excluded by the project's configuration of black"
        return reason_left_alone(path, text, self.files.licences, chosen) or unused_sample(
            path, self.files.texts, chosen
        )

    def linter(self, path: str, *, is_named: bool = True) -> tuple[Tool, bool]:
        """Return ruff as it judges a file, and whether its rules were chosen by the project or the user.

        Args:
            is_named: the user named this very file; of the others those stay out that the project's ruff excludes.
        """
        options, flake8, ruff = self.options, self.flake8, tool_named(RUFF.name)
        if "--isolated" not in ruff.argv:
            return ruff, True  # somebody registered another one
        chosen: list[str] = []
        if options.select is not None:
            chosen += ["--select", options.select]
        ignored = list(options.ignore)
        configured = ruff.in_project(self.files.root, path)
        is_configured = configured is not ruff
        if not is_configured and options.select is None:
            selected, left_out = SELECTED
            chosen += ["--select", ",".join(selected)]
            ignored += left_out
        if ignored:
            # what ruff's own configuration ignores stays so, when only more is named
            chosen += ["--extend-ignore" if is_configured else "--ignore", ",".join(ignored)]
        if not is_configured or self._needs_version():
            chosen += ["--target-version", self._version()]
        if is_configured and not is_named:
            chosen.append("--force-exclude")
        head = configured.argv[: configured.argv.index("--")] if is_configured else (*_plain(ruff), "--isolated")
        argv = (*head, *chosen, "--", "{file}")
        asks_flake8 = flake8 is not None and not is_configured and options.select is None

        def keeps(issue: Issue) -> bool:
            rule = issue.rule or ""
            if asks_flake8 and flake8 is not None and issue.kind != "syntax" and not flake8.allows(path, rule):
                return False
            return rule != "F401" or not self.names.is_reexport(path, issue.message)

        tool = dataclasses.replace(ruff, argv=argv, project_argv=None, config_argv=None, keeps=keeps)
        return tool, is_configured or options.select is not None

    def _needs_version(self) -> bool:
        """Tell whether the oldest Python is declared where ruff does not look for it."""
        if self.declared is None:
            return ruff_target(self.files.texts) is None and pinned_python(self.files.texts) is not None
        return not self.declared.source.startswith("pyproject.toml")

    def _version(self) -> str:
        wanted = self.minimum or self.newest
        if wanted is None:
            return RUFF.argv[RUFF.argv.index("--target-version") + 1]
        return "py{}{}".format(*min(max(wanted, _OLDEST_OF_RUFF), _NEWEST_OF_RUFF))


def _plain(tool: Tool) -> tuple[str, ...]:
    """Return the command of ruff without options that choose rules."""
    return tuple(tool.argv[: tool.argv.index("--isolated")])


# -- places ----------------------------------------------------------------------------------------


def root_of(source: Path, options: ImproveOptions) -> Path:
    """Return the root of a file's project, which contains the file's whole package and the named directory."""
    if options.root is not None:
        return options.root
    folder = source.absolute().parent
    while (folder / "__init__.py").exists() and folder != folder.parent:
        folder = folder.parent
    named = [path.absolute() for path in options.files if path.is_dir() and source.is_relative_to(path)]
    return _with_extended(project_root([folder, *named, *([options.tests] if options.tests else [])]))


def project_scope(root: Path) -> Scope:
    """Return the scope of the project in a directory: its name and a digest of its path, so projects share nothing."""
    real = root.resolve()
    name = os.fsencode(real.name).decode("utf-8", "replace")[:200] or "root"
    return Scope(project=f"{name}-{hashlib.sha256(os.fsencode(real)).hexdigest()[:8]}")


def _with_extended(root: Path) -> Path:
    """Return the directory with the configuration of ruff that the project's own extends, in the same repository."""
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)
    for _ in range(_MOST_EXTENDED):
        texts = {name: text for name in CONFIGS_OF_RUFF if (text := small_text(root / name)) is not None}
        extended = extended_config(texts)
        place = None if extended is None else Path(os.path.normpath(root / extended))
        if place is None or place.is_relative_to(root) or not place.is_relative_to(top):
            return root
        root = Path(os.path.commonpath([root, place.parent]))
    return root


def below(path: Path, root: Path) -> str:
    """Return the path relative to the project."""
    try:
        return Path(os.path.normpath(path.absolute())).relative_to(os.path.normpath(root.absolute())).as_posix()
    except ValueError:
        raise ConfigurationError(f"{path}: not below the project directory {root}; name another --root") from None


def place_in(root: Path, path: Path) -> str:
    """Return the path of a file in the project; for a link, that of its target."""
    named, real = below(path, root), path.resolve()
    if real == root.resolve() / named:
        return named
    if not real.is_relative_to(root.resolve()):
        raise ConfigurationError(f"{path}: leads out of the project {root} through a link, to {real}; name that file")
    return below(real, root.resolve())


# -- black excludes --------------------------------------------------------------------------------


_KEYS: Final = ("exclude", "extend-exclude", "force-exclude")
_MOST_CHARS: Final = 2_000
_SLOW: Final = re.compile(r"[+*}]\)?[+*{]|[+*}][^()]*\)[+*{]")
"""Repeated repetitions, with which a search may take for ever."""


def black_excludes(pyproject: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns, to be searched in "/" and the path in the project; those that cannot be used are left out.

    Args:
        pyproject: text of pyproject.toml.
    """
    if "[tool.black]" not in pyproject:
        return ()
    try:
        table: Any = tomllib.loads(pyproject.removeprefix("\ufeff"))["tool"]["black"]
        given = [table.get(key) for key in _KEYS]
    except (tomllib.TOMLDecodeError, LookupError, TypeError, AttributeError, RecursionError):
        return ()
    found: list[re.Pattern[str]] = []
    for text in given:
        if not isinstance(text, str) or not text.strip() or len(text) > _MOST_CHARS or _SLOW.search(text):
            continue
        try:
            found.append(re.compile(f"(?x){text}" if "\n" in text else text))
        except re.error:
            continue
    return tuple(found)
