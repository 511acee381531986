"""Suppressions: comments, decorators and attributes that silence a linter, a type checker or a test. Pure.

Known are those of the usual tools for Python, JavaScript, TypeScript, Go, Rust, Java, C#, C, C++, Ruby, shell and
others. Directives for formatters (`# fmt: skip`) and for coverage (`# pragma: no cover`) silence no finding.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from jido_ai.text.comments import comments_of, program_of

__all__ = ["Suppression", "added_suppressions", "suppressions_of"]

Suppression = Sequence[str]
"""The name of a suppression, and the rules that it names; only the name if it silences all of them."""

_MARK: Final = r"(?:\#|//|/\*+|<!--|--)[!\s]*"
_DIRECTIVE: Final = re.compile(
    _MARK
    + r"""(?P<name>
      (?:(?:flake8|ruff)\s*[:=]\s*)?noqa\b | nopep8\b | nosec\b | nosemgrep\b | nosonar\b | skipcq\b
    | \#nosec\b
    | type\s*:\s*ignore\b | (?:pyright|ty|zuban|pyrefly)\s*:\s*ignore\b | pyright\s*:\s*(?:basic|off)\b
    | mypy\s*:\s*ignore-errors | mypy\s*:\s*disable-error-code | pyre-(?:ignore(?:-all-errors)?|fixme)
    | pylint\s*:\s*(?:disable(?:-next|-msg|-all)?|skip-file)\b | pytype\s*:\s*(?:disable|skip-file)\b
    | ruff\s*:\s*(?:disable|ignore|file-ignore)\b | bandit\s*:\s*skip\b | pydocstyle\s*:\s*noqa | noinspection\b
    | isort\s*:\s*skip(?:_file)?\b | pyflakes\s*:\s*ignore\b | codespell\s*:\s*ignore\b
    | (?:eslint|oxlint|stylelint|tslint\s*:|rslint)[\s-]*disable(?:-next-line|-line)?\b | deno-lint-ignore(?:-file)?\b
    | biome-ignore(?:-all|-start)?\b | @ts-(?:ignore|expect-error|nocheck)\b | @?jshint\s+ignore\b | flow-disable\b
    | \$Flow(?:FixMe|Issue|Ignore)\b
    | nolint(?:next|begin)?(?:line)?\b | lint\s*:\s*(?:file-)?ignore\b | cppcheck-suppress\b
    | rubocop\s*:\s*(?:disable|todo)\b | steep\s*:\s*ignore\b | standard\s*:\s*disable\b
    | shellcheck\s+disable\b | hadolint\s+ignore\b
    | (?:swiftlint|markdownlint|yamllint|credo|luacheck|ktlint|detekt)[\s:-]*(?:disable|ignore)(?:-\w+)*\b
    | no\s+critic\b | @(?:phpstan|psalm)-(?:ignore|suppress)[\w-]*
    | phpcs\s*:\s*(?:ignore|disable)\b | (?:checkov|tfsec)\s*:\s*(?:skip|ignore)\b
    | resharper\s+disable\b | vale\s+off\b
    )
    (?:\s*[:=(\[]\s*(?P<codes>[^\])\#\n]*) | [ \t]+(?P<words>@?[\w@/-]*[-/\d_][\w/-]*(?:\s*,\s*[\w@/-]+)*))?""",
    re.VERBOSE | re.IGNORECASE,
)
_ATTRIBUTE: Final = re.compile(
    r"""(?P<name> \#!?\[\s*(?:allow|expect|ignore)\b | cfg_attr\([^\n]*\ballow\b
    | @(?:\w+:)?(?:SuppressWarnings|SuppressLint|SuppressFBWarnings|Suppress|Disabled|Ignore)\b
    | \[(?:\w+:\s*)?SuppressMessage\b
    | \#\s*pragma\s+(?:(?:GCC|clang)\s+diagnostic\s+ignored|warning\s*\(?\s*disable)\b
    | @?\bpytest\.(?:mark\.(?:skipif|skip|xfail)|skip(?=\()|xfail(?=\()) | @unittest\.(?:skip\w*|expectedFailure)
    | \b(?:it|test|describe|context|suite)\.(?:skip|todo|failing|fixme)(?:If|\.each)?(?=\s*[(`.])
    | \bx(?:it|describe|test|context)(?=\s*\() | \b[tb]\.Skip(?:f|Now)?(?=\() )
    (?:\s*[(:]?\s*(?P<codes>[^)\n\]]*))?""",
    re.VERBOSE,
)
_IS_SKIP: Final = re.compile(r"skip|\.|^x", re.IGNORECASE)
_DOCTEST: Final = re.compile(r"^[ \t]*(?:>>>|\.\.\.).*\#\s*doctest\s*:.*\+SKIP\b", re.MULTILINE)
_CODE: Final = re.compile(r"[\w@/][\w@/.:-]*")
_BY_CODE: Final = re.compile(r"[a-z]+\d+", re.IGNORECASE)
_SKIPPED: Final = frozenset(
    {
        *(f"pytest.{name}" for name in ("skip", "xfail", "importorskip", "mark.skip", "mark.skipif", "mark.xfail")),
        *(f"unittest.{name}" for name in ("skip", "skipIf", "skipUnless", "expectedFailure", "SkipTest")),
        "typing.no_type_check",
    }
)
_HINT: Final = re.compile(
    r"noqa|no(?:sec|pep8|semgrep|sonar|lint|inspection)|critic|skip|ignore|disable|allow|expect|xfail|fixme|todo|failing"
    r"|suppress|flow|no_type_check|\boff\b|basic|\bx(?:it|describe|test|context)\b",
    re.IGNORECASE,
)


def suppressions_of(text: str) -> tuple[Suppression, ...]:
    """Return the suppressions of a text. Strings and comments of Python that merely mention one are none."""
    return tuple(_found(text)) if _HINT.search(text) else ()


def added_suppressions(before: Iterable[Suppression], after: Iterable[Suppression]) -> tuple[str, ...]:
    """Return the suppressions of `after` that are not in `before`, as a reader knows them: "noqa: B006", "pytest.skip".

    One that only moved is not new, nor is one that names its rules where it silenced all of them before. Each more of
    the same is.
    """
    known = Counter((name, code) for name, *codes in before for code in codes or [""])
    added: list[tuple[str, list[str]]] = []
    for name, *codes in after:
        missing: list[str] = []
        for code in codes or [""]:
            if known[name, code]:
                known[name, code] -= 1
            else:
                missing.append(code)
        if missing:
            added.append((name, missing))
    names: list[str] = []
    for name, codes in added:
        if known[name, ""]:
            known[name, ""] -= 1
        else:
            names += [f"{name}: {code}" if code else name for code in codes]
    return tuple(names)


def _found(text: str) -> Iterator[Suppression]:
    program = program_of(text)
    for comment in comments_of(text, is_python=program is not None):
        for found in _DIRECTIVE.finditer(comment):
            yield (_name(found["name"]), *_codes(found["name"], found["codes"] or found["words"] or ""))
    for _ in _DOCTEST.finditer(text):
        yield ("doctest: +SKIP",)
    if program is not None:
        for name in _skips(program):
            yield (name,)
        return
    for found in _ATTRIBUTE.finditer(text):
        yield (_name(found["name"]), *(() if _IS_SKIP.search(found["name"]) else _codes("", found["codes"] or "")))


def _name(told: str) -> str:
    return re.sub(r"\s*([:=])\s*", r"\1 ", " ".join(told.split())).strip("#![ ").casefold()


def _codes(name: str, told: str) -> list[str]:
    told = re.split(r"\s--\s|\*/|-->|//", told)[0]
    codes = _CODE.findall(told)
    if "noqa" in name.lower():
        codes = [one for one in codes if _BY_CODE.fullmatch(one)]
    return codes


def _skips(program: ast.Module) -> Iterator[str]:
    """Yield what skips a test, or expects it to fail, once for each use."""
    imported: dict[str, str] = {}
    for node in ast.walk(program):
        if isinstance(node, ast.Import):
            imported.update({one.asname or one.name: one.name for one in node.names})
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.update({one.asname or one.name: f"{node.module}.{one.name}" for one in node.names})
    for node in ast.walk(program):
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
            name = (
                _dotted(node, imported).replace("_pytest.outcomes.", "pytest.").replace("unittest.case.", "unittest.")
            )
            if name in _SKIPPED or name.endswith(".skipTest"):
                yield name


def _dotted(node: ast.expr, imported: dict[str, str]) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(imported.get(node.id, node.id))
    return ".".join(reversed(parts))
