"""A project's configuration of flake8: the rules it turns on and off, and for which files. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Final

from jido_ai.improve.declared_python import ini_of

_FILES: Final = ("setup.cfg", "tox.ini", ".flake8")
_DEFAULT_IGNORE: Final = ("E121", "E123", "E126", "E226", "E24", "E704", "W503", "W504")
_DEFAULT_EXCLUDE: Final = (".svn", "CVS", ".bzr", ".hg", ".git", "__pycache__", ".tox", ".nox", ".eggs", "*.egg")
_CODE: Final = re.compile(r"[A-Z]{1,3}[0-9]{0,4}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Flake8Rules:
    """The part of a configuration of flake8 that selects findings.

    Attributes:
        select, extend_select, ignore, extend_ignore: prefixes of rules. `ignore` is flake8's own list when the project
            gives none.
        per_file_ignores: patterns of paths, each with the prefixes it ignores.
        exclude: patterns of paths that flake8 does not look at; its own list when the project gives none.
        has_ignore: whether the project gives `ignore`.
    """

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = _DEFAULT_IGNORE
    extend_ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = _DEFAULT_EXCLUDE
    has_ignore: bool = False

    def allows(self, path: str, rule: str) -> bool:
        """Tell whether flake8 would report this rule in this file, as far as the configuration decides.

        The longest matching prefix decides between selected and ignored; ignored wins a tie. Flake8's own ignore list
        yields to any selection. Without `select` every rule is selected.

        Args:
            path: relative to the folder of the configuration, with "/".
        """
        selected = _longest(rule, (*self.select, *self.extend_select))
        if self.select and not selected:
            return False
        here = (code for pattern, codes in self.per_file_ignores if _matches(path, pattern) for code in codes)
        explicit = _longest(rule, (*(self.ignore if self.has_ignore else ()), *self.extend_ignore, *here))
        if explicit:
            return len(selected) > len(explicit)
        return bool(selected or self.has_ignore) or not _longest(rule, self.ignore)

    def excludes(self, path: str) -> bool:
        """Tell whether flake8 does not look at a file, or at a folder that it is in."""
        file = PurePosixPath(path)
        places = [str(place) for place in (file, *file.parents) if str(place) != "."]
        return any(_matches(place, pattern) for place in places for pattern in self.exclude)


def flake8_rules(files: Mapping[str, str]) -> Flake8Rules | None:
    """Return the rules of the first of setup.cfg, tox.ini and .flake8 that has a section for flake8; None without one.

    Args:
        files: texts of the files in one folder, by name.
    """
    for name in _FILES:
        if (section := _section(files.get(name, ""))) is not None:
            return _rules(section)
    return None


def _section(text: str) -> dict[str, str] | None:
    """Return the options of flake8 with "_" in their names; None if there are none, or the file cannot be read."""
    parser = ini_of(text) if "flake8" in text else None
    if parser is None or not parser.has_section("flake8"):
        return None
    return {name.replace("-", "_"): str(value or "") for name, value in parser.items("flake8")}


def _rules(section: Mapping[str, str]) -> Flake8Rules:
    exclude = _words(section["exclude"]) if "exclude" in section else _DEFAULT_EXCLUDE
    return Flake8Rules(
        select=_words(section.get("select", "")),
        extend_select=_words(section.get("extend_select", "")),
        ignore=_words(section["ignore"]) if "ignore" in section else _DEFAULT_IGNORE,
        extend_ignore=_words(section.get("extend_ignore", "")),
        per_file_ignores=_per_file(section.get("per_file_ignores", "")),
        exclude=(*exclude, *_words(section.get("extend_exclude", ""))),
        has_ignore="ignore" in section,
    )


def _words(value: str) -> tuple[str, ...]:
    """Return the words between commas, blanks and row ends, without comments."""
    without = re.sub(r"(?m)(?:^|\s)[#;].*$", "", value)
    return tuple(word for word in re.split(r"[,\s]+", without) if word)


def _per_file(value: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the patterns of `a.py,b/*: E1,F401 c.py: W2`, each with its prefixes."""
    without = re.sub(r"(?m)(?:^|\s)[#;].*$", "", value)
    found: list[tuple[str, tuple[str, ...]]] = []
    patterns: list[str] = []
    codes: list[str] = []
    is_after_colon = False
    for token in [*re.findall(r"[^\s:,]+|:", without), ""]:
        if token == ":":
            is_after_colon = True
        elif is_after_colon and _CODE.fullmatch(token):
            codes.append(token)
        elif is_after_colon:
            found += [(pattern, tuple(codes)) for pattern in patterns]
            patterns, codes, is_after_colon = [token], [], False
        else:
            patterns.append(token)
    return tuple(found)


def _longest(rule: str, prefixes: Collection[str]) -> str:
    return max((prefix for prefix in prefixes if rule.startswith(prefix)), key=len, default="")


def _matches(path: str, pattern: str) -> bool:
    """Match as flake8 does: a pattern with "/" from the configuration's folder, any other also the name alone."""
    pattern = pattern.removeprefix("./").rstrip("/")
    if not pattern:
        return False
    if "/" in pattern:
        return fnmatchcase(path, pattern) or fnmatchcase(f"/{path}", pattern)
    return fnmatchcase(path.rpartition("/")[2], pattern) or fnmatchcase(path, pattern)
