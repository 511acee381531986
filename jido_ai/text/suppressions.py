"""Suppressions: comments, decorators and attributes that silence a linter, a type checker or a test. Pure.

Known are those of the usual tools for Python, JavaScript, TypeScript, Go, Rust, Java, C#, C, C++, Ruby, shell and
others. Directives for formatters (`# fmt: skip`) and for coverage (`# pragma: no cover`) silence no finding.
"""

from __future__ import annotations

import ast
import difflib
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from jido_ai.text.change import LINE_LIMIT
from jido_ai.text.comments import comments_of, program_of

Suppression = Sequence[str]
"""The name of a suppression, the place where it stands, and the rules that it names; none if it silences all of them.

The place is a digest of the code on its line, or on the next one if it silences that; "" if it has a line of its own
and silences a block or a file, or stands above all code.
"""

_MARK: Final = r"(?:\#|//|/\*+|<!--|--)[!\s]*"
_DIRECTIVE: Final = re.compile(
    _MARK
    + r"""(?P<name>
      (?:(?:flake8|ruff)\s*[:=]\s*)?noqa\b | nopep8\b | nosec\b | nosemgrep\b | nosonar\b | skipcq\b
    | \#nosec\b
    | type\s*:\s*ignore\b | (?:pyright|ty|zuban|pyrefly)\s*:\s*ignore\b
    | pyright\s*:\s*(?:basic|off|report\w+\s*=\s*(?:false|none))\b
    | mypy\s*:\s*ignore-errors | mypy\s*:\s*disable-error-code | pyre-(?:ignore(?:-all-errors)?|fixme)
    | pylint\s*:\s*(?:disable(?:-next|-msg|-all)?|skip-file)\b | pytype\s*:\s*(?:disable|skip-file)\b
    | ruff\s*:\s*(?:disable|ignore|file-ignore)\b | bandit\s*:\s*skip\b | pydocstyle\s*:\s*noqa | noinspection\b
    | isort\s*:\s*skip(?:_file)?\b | pyflakes\s*:\s*ignore\b | codespell\s*:\s*ignore\b
    | eslint(?=\s[^\n*]*:\s*["'\[]*(?:0|off)\b) | sqlfluff\s*:\s*off\b
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
    | \b(?:it|test|describe|context|suite)\.(?:skip|todo|failing|fixme|only)(?:If|\.each)?(?=\s*[(`.])
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
_OF_SCRIPTS: Final = re.compile(
    r"(?:it|test|describe|context|suite)\.(?:skip|todo|failing|fixme|only)(?:If|\.each)?|x(?:it|describe|test|context)"
)
_TEST: Final = re.compile(r"^x?(?:it|describe|test|context|suite)(?:\.\w+)*(?=\s*[(`])")
_FOR_NEXT: Final = re.compile(
    r"next|@ts-(?:ignore|expect)|(?:biome|deno-lint)-ignore$|shellcheck|hadolint|nosemgrep|nolint$|noinspection|flow"
    r"|lint: ignore"
)
"""Names of comments that silence the line below theirs."""
_HEADS: Final = ("@", "#[", "[")
"""What stands before the code that it belongs to, on a line of its own."""
_ALIKE: Final = 0.6  # of two lines, by `difflib`
_HINTS: Final = (
    *("noqa", "nocheck", "only", "eslint", "pyright", "nosec", "nopep8", "nosemgrep", "nosonar", "nolint"),
    *("noinspection", "critic", "skip", "ignore", "disable", "allow", "expect", "xfail", "fixme", "todo", "failing"),
    *("suppress", "flow", "no_type_check", "off", "basic", "xit", "xdescribe", "xtest", "xcontext"),
)
"""Every suppression has one of these, in any case. To look for each is ten times as fast as a pattern of them all."""


def suppressions_of(text: str) -> tuple[Suppression, ...]:
    """Return the suppressions of a text. Strings and comments of Python that merely mention one are none."""
    lowered = text.lower()
    for hint in _HINTS:  # any() takes three times as long, and every candidate gets here
        if hint in lowered:
            return tuple(_found(text))
    return ()


def added_suppressions(before: Iterable[Suppression], text: str, old_text: str) -> tuple[str, ...]:
    """Return the suppressions of a text that are not in `before`, as a reader knows them: "noqa: B006", "pytest.skip".

    One that names its rules where it silenced all of them before is not new. Each more of the same is, and so is one
    that moved to code which was there without it; if its line was edited or went, it may stand on another new line, and
    on the line that replaced its own one even if the text has the same line elsewhere.

    Args:
        old_text: the text that this one was revised from.
    """
    known = Counter((name, code, place) for name, place, *codes in before for code in codes or [""])
    wanted = [(name, code, place) for name, place, *codes in suppressions_of(text) for code in codes or [""]]
    if not wanted:
        return ()
    old_places, places = _places(old_text), _places(text)
    replaced: dict[str, set[str]] = {}

    def is_known(one: tuple[str, str, str], *, has_moved: bool) -> bool:
        name, code, place = one
        for known_code in dict.fromkeys((code, "")):
            others = [(name, known_code, place)]
            if has_moved:
                others = [(name, known_code, other) for other in sorted(replaced.get(place, ()))]
            if has_moved and place not in old_places:
                others += [other for other in known if other[:2] == (name, known_code) and other[2] not in places]
            for other in others:
                if known[other] > 0:
                    known[other] -= known_code == code
                    return True
        return False

    wanted = [one for one in wanted if not is_known(one, has_moved=False)]
    replaced = _replaced(old_text, text) if wanted else {}
    wanted = [one for one in wanted if not is_known(one, has_moved=True)]
    return tuple(f"{name}: {code}" if code else name for name, code, _ in wanted)


def _found(text: str) -> Iterator[Suppression]:
    program = program_of(text)
    code, comments = _split(text, is_python=program is not None)
    lines = [_bare(line) for line in code.split("\n")]

    def place(start: int, name: str = "next") -> str:
        number = code.count("\n", 0, start)
        return _place(lines, number) if lines[number] or _FOR_NEXT.search(name) else ""

    for start, comment in comments:
        for found in _DIRECTIVE.finditer(comment):
            codes = _codes(found["name"], found["codes"] or found["words"] or "")
            name = _name(found["name"])
            yield (name, place(start, name), *codes)
    for found in _DOCTEST.finditer(text):
        yield ("doctest: +SKIP", _digest(_bare(found[0].split("#")[0])))
    if program is not None:
        for name, line in _skips(program):
            yield (name, _place(lines, line - 1))
        return
    for found in _ATTRIBUTE.finditer(text):
        codes = () if _IS_SKIP.search(found["name"]) else _codes("", found["codes"] or "")
        yield (_name(found["name"]), place(found.start()), *codes)


def _split(text: str, *, is_python: bool) -> tuple[str, list[tuple[int, str]]]:
    """Return the text with blanks for its comments, and the comments with their places."""
    parts: list[str] = []
    comments: list[tuple[int, str]] = []
    end = 0
    for comment in comments_of(text, is_python=is_python):
        start = text.find(comment, end)
        if start < 0:
            continue
        comments.append((start, comment))
        parts += [text[end:start], re.sub(r"[^\n]", " ", comment)]
        end = start + len(comment)
    return "".join([*parts, text[end:]]), comments


def _bare(line: str) -> str:
    return _TEST.sub("", " ".join(line.split()))


def _place(lines: Sequence[str], number: int) -> str:
    """Return the digest of the code on a suppression's line, counted from 0."""
    own = lines[number] if number < len(lines) else ""
    if not own and not any(lines[:number]):
        return ""
    return _digest(next((line for line in lines[number:] if line and not line.startswith(_HEADS)), own))


def _places(text: str) -> set[str]:
    return {_digest(line) for line in _code_lines(text)}


def _code_lines(text: str) -> list[str]:
    code, _ = _split(text, is_python=program_of(text) is not None)
    return [_bare(line) for line in code.split("\n")]


def _replaced(old_text: str, text: str) -> dict[str, set[str]]:
    """Return, for each place with a changed line, the places of the lines with a comment that it replaced.

    Of as many lines as before, each replaces the one in its row; of more or fewer, the one that is most alike.
    """
    old, new, whole = _code_lines(old_text), _code_lines(text), old_text.split("\n")
    if max(len(old), len(new)) > LINE_LIMIT:
        return {}
    found: dict[str, set[str]] = {}
    for kind, start, end, new_start, new_end in difflib.SequenceMatcher(None, old, new, False).get_opcodes():
        if kind != "replace":
            continue
        before, after = old[start:end], new[new_start:new_end]
        for place, line in enumerate(after):
            like = [before[place]] if len(before) == len(after) else difflib.get_close_matches(line, before, 1, _ALIKE)
            row = start + (place if len(before) == len(after) else before.index(like[0]) if like else 0)
            if like and _bare(whole[row]) != old[row]:
                found.setdefault(_digest(line), set()).add(_digest(old[row]))
    return found


def _digest(line: str) -> str:
    return f"{zlib.crc32(line.encode('utf-8', 'replace')):08x}"


def _name(text: str) -> str:
    return re.sub(r"\s*([:=])\s*", r"\1 ", " ".join(text.split())).strip("#![ ").casefold()


def _codes(name: str, text: str) -> list[str]:
    text = re.split(r"\s--\s|\*/|-->|//", text)[0]
    codes = _CODE.findall(text)
    if "noqa" in name.lower():
        codes = [code for code in codes if _BY_CODE.fullmatch(code)]
    return codes


def _skips(program: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield each mark that skips a test or expects it to fail, and its line from 1.

    A script in another language may be a Python program, too: `it.skip('adds', f)`.
    """
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
                yield name, node.lineno
        elif isinstance(node, ast.Call) and _OF_SCRIPTS.fullmatch(name := _dotted(node.func, {})):
            yield name.casefold(), node.lineno


def _dotted(node: ast.expr, imported: dict[str, str]) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(imported.get(node.id, node.id))
    return ".".join(reversed(parts))
