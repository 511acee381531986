"""Text patterns: another regular expression, format specification or separator, as fixes of texts need. Pure.

Each function proposes replacements like those of `revisers.fix_patterns`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Final

from jido_ai.repair.program_code import Code, Place, Scope, own_nodes

__all__ = ["COSTS", "PATTERNS", "texts_of"]

PATTERNS: Final = {
    "regex": "another regular expression: a quantifier, an anchor, a class or a flag more, less or instead",
    "format": "another format in an f-string: filled with zeros, other alignment, width or number of decimals",
    "spacing": "a text with a space, or a line end, more or less at an end",
}
"""The patterns and their replacements."""

COSTS: Final = {"regex": 5, "format": 5, "spacing": 4}
"""Each stands in place of the number of characters that a change removes and adds."""

_Found = Iterator[tuple[str, Place, str]]
_LONGEST: Final = 80
_ATOM: Final = re.compile(r"(\[\^?\]?(?:\\.|[^\]\\])*\]|\\[wWdDsS.]|\.|\))(\*\?|\+\?|[*+?]|\{\d*,?\d*\})?")
_QUANTIFIED: Final = {None: ("+", "*", "?"), "+": ("*", ""), "*": ("+",), "?": ("", "*"), "*?": ("*",), "+?": ("+",)}
_CLASS: Final = {
    "a-z]": ("a-zA-Z]", "a-z0-9]", "a-z_]", "a-z-]"), "A-Z]": ("A-Za-z]", "A-Z0-9]"), "0-9]": ("0-9_]", "0-9.]"),
    r"\w": (r"[\w-]", r"\S"), r"\d": (r"[\d.]", r"\w"), r"\s": (r"\W",),
}  # fmt: skip
_FUNCTIONS: Final = ("compile", "match", "search", "fullmatch", "findall", "finditer", "split", "sub", "subn")
_SPECIFICATION: Final = re.compile(r"(?P<to>![rsa])?(?::(?P<spec>[^{}\r\n]*))?\}")
_SPEC: Final = re.compile(r"(?P<fill>.(?=[<>^]))?(?P<align>[<>^])?(?P<zero>0)?(?P<width>\d+)?(?P<rest>.*)")


def texts_of(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    """Yield the name, the place and the code of the proposals for a statement without its block."""
    for pattern in _PATTERNS:
        yield from pattern(statement, source)


# -- regular expressions ---------------------------------------------------------------------------


def _regexes(statement: ast.stmt, source: Code) -> _Found:
    for node in own_nodes(statement):
        name = source.of(node.func) if isinstance(node, ast.Call) else ""
        if not isinstance(node, ast.Call) or name.removeprefix("re.") not in _FUNCTIONS or not name.startswith("re."):
            continue
        code = source.of(node)
        if not node.keywords and code.endswith(")"):
            yield "regex", Place.of(node), f"{code[:-1]}, flags=re.IGNORECASE)"
        for given in node.args[:1]:
            if isinstance(given, ast.Constant) and isinstance(given.value, str) and len(given.value) <= _LONGEST:
                for text in dict.fromkeys(_expressions(source.of(given))):
                    yield "regex", Place.of(given), text


def _expressions(code: str) -> Iterator[str]:
    """Yield similar regular expressions, as code with the same quotes."""
    found = re.fullmatch(r"""([rR]?)('|")([^\r\n]*)\2""", code)
    if found is None:
        return
    raw, quote, text = found.groups()
    for other in _changed(text):
        yield f"{raw}{quote}{other}{quote}"


def _changed(text: str) -> Iterator[str]:
    for atom in _ATOM.finditer(text):
        head, tail = text[: atom.start()], text[atom.end() :]
        body, quantifier = atom[1], atom[2]
        for other in _QUANTIFIED.get(quantifier, ("+",)):
            yield f"{head}{body}{other}{tail}"
        if quantifier in ("*", "+"):
            yield f"{head}{body}{quantifier}?{tail}"
        if body == ".":
            yield rf"{head}\.{quantifier or ''}{tail}"
        for old, new in _CLASS.items():
            if body.endswith(old):
                for other in new:
                    yield f"{head}{body.removesuffix(old)}{other}{quantifier or ''}{tail}"
    if text.endswith("$"):
        yield text[:-1]
    else:
        yield f"{text}$"
    if text.startswith("^"):
        yield text[1:]
    else:
        yield f"^{text}"
    yield rf"\b{text}\b"
    if "(" not in text:
        yield f"({text})"


# -- formats ---------------------------------------------------------------------------------------


def _formats(statement: ast.stmt, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, ast.FormattedValue):
            value = Place.of(node.value)
            rest = source.row(value.end_row)[source.column(value.end_row, value.end_byte) - 1 :]
            found = _SPECIFICATION.match(rest)
            if found is None:
                continue
            end = value.end_byte + len(found[0].encode()) - 1
            place = Place(value.end_row, value.end_byte, value.end_row, end)
            for spec in dict.fromkeys(_specifications(found["spec"] or "")):
                yield "format", place, (found["to"] or "") + (f":{spec}" if spec else "")


def _specifications(text: str) -> Iterator[str]:
    """Yield similar format specifications; common ones for none."""
    if not text:
        yield from ("02d", "02", "03d", "2", ".2f", ".1f", ".0f", ",")
        return
    found = _SPEC.fullmatch(text)
    if found is None:
        return
    fill, align, zero, width, rest = (found[name] or "" for name in ("fill", "align", "zero", "width", "rest"))
    for other in "<>^":
        if width and other != align:
            yield f"{fill}{other}{zero}{width}{rest}"
    if width:
        yield f"{fill}{align}{'' if zero else '0'}{width}{rest}"
        for number in (int(width) + 1, int(width) - 1):
            yield f"{fill}{align}{zero}{number}{rest}"
    decimals = re.fullmatch(r"(,?)\.(\d)([fge%])", rest)
    if decimals is not None:
        for number in (int(decimals[2]) + 1, int(decimals[2]) - 1):
            if number >= 0:
                yield f"{fill}{align}{zero}{width}{decimals[1]}.{number}{decimals[3]}"
    if decimals is not None and not decimals[1]:
        yield f"{fill}{align}{zero}{width},{rest}"
    yield ""


# -- other texts -----------------------------------------------------------------------------------


def _spacings(statement: ast.stmt, source: Code) -> _Found:
    for node in _joining(statement):
        found = re.fullmatch(r"""([rR]?)('|")([^\r\n]{1,80})\2""", source.of(node))
        if found is not None:
            prefix, quote, text = found.groups()
            for other in _spaced(text):
                yield "spacing", Place.of(node), f"{prefix}{quote}{other}{quote}"


def _joining(statement: ast.stmt) -> list[ast.expr]:
    """Return what texts are joined with, split at and made of."""
    found: list[ast.expr] = []
    for node in own_nodes(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            is_of_texts = node.func.attr in ("split", "rsplit", "partition", "rpartition", "replace", "strip")
            found += node.args if is_of_texts else [node.func.value] if node.func.attr == "join" else []
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            found += [node.left, node.right]
        elif isinstance(node, ast.IfExp):
            found += [node.body, node.orelse]
    return [one for one in found if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def _spaced(text: str) -> Iterator[str]:
    if text.strip() != text:
        yield text.strip()
    if text.rstrip() == text:
        yield f"{text} "
    if text.lstrip() == text and text:
        yield f" {text}"
    if text.endswith(r"\n"):
        yield text.removesuffix(r"\n")
    elif not text.startswith("\\"):
        yield rf"{text}\n"


_PATTERNS: Final[tuple[Callable[[ast.stmt, Code], _Found], ...]] = (_regexes, _formats, _spacings)
