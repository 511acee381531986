"""Adversarial texts that are slow to check: twenty shapes for each language, of any length."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

__all__ = ["SHAPES"]

Shape = Callable[[int], str]
"""Returns a text of about the given number of characters."""


def _again(piece: str, *, before: str = "", after: str = "\n") -> Shape:
    return lambda size: before + piece * (max(0, size - len(before) - len(after)) // len(piece)) + after


def _nested(opening: str, closing: str, *, inside: str = "", before: str = "", after: str = "\n") -> Shape:
    def shape(size: int) -> str:
        depth = size // (len(opening) + len(closing))
        return before + opening * depth + inside + closing * depth + after

    return shape


def _numbered(piece: str, *, before: str = "", after: str = "\n") -> Shape:
    """A piece with a number, up to as many as the size holds."""

    def shape(size: int) -> str:
        count = max(1, size // (len(piece) + 4))
        return before + "".join(piece.format(n) for n in range(count)) + after

    return shape


def _indented(piece: str, step: str = " ") -> Shape:
    """Rows, each deeper than the one above."""

    def shape(size: int) -> str:
        rows, length = list[str](), 0
        while length < size:
            rows.append(step * len(rows) + piece + "\n")
            length += len(rows[-1])
        return "".join(rows)

    return shape


def _growing(mark: str, end: str = " ") -> Shape:
    """Runs of a mark, each longer than the last."""

    def shape(size: int) -> str:
        runs, length = list[str](), 0
        while length < size:
            runs.append(mark * (len(runs) + 1) + end)
            length += len(runs[-1])
        return "".join(runs) + "\n"

    return shape


_TEXT: Final[Mapping[str, Shape]] = {
    "blank at each end": _again("word \n"),
    "one row of blanks": _again(" ", before="a"),
    "blanks before a sign": _again(" ", before="a", after="b"),
    "tabs": _again("\t"),
    "rows of a blank": _again(" \n"),
    "no row ends": _again("a", after=""),
    "line feeds": _again("\n"),
    "carriage returns": _again("\r", after=""),
    "CR and LF by turns": _again("a\rb\n"),
    "CRLF and LF by turns": _again("a\r\nb\n"),
    "LF and CR": _again("\n\r"),
    "CRLF, last LF": _again("a\r\n", after="b\n"),
    "form feeds": _again("\f"),
    "blank and form feed": _again(" \f\n"),
    "line separators": _again("\u2028 "),
    "NUL": _again("\0"),
    "byte order marks": _again("\ufeff"),
    "lone surrogates": _again("\ud800 \n"),
    "combining marks": _again("\u0301"),
    "tab and blank by turns": _again("\t ", before="a"),
}
_MARKDOWN: Final[Mapping[str, Shape]] = {
    "dashes and blanks": _again(" ", before="| a |\n|-", after="x\n"),
    "dashes": _again("-", before="| a | b |\n|", after="x\n"),
    "columns": lambda size: "|a" * (size // 4) + "|\n" + "|-" * (size // 4 - 2) + "|\n",
    "backticks": _again("`"),
    "growing backticks": _growing("`"),
    "open links": _again("["),
    "reversed links": _again("(a)[./"),
    "open parentheses": _again("(a"),
    "stars": _again("*a "),
    "quotes in quotes": _again("> "),
    "rows of quotes": _again("> a\n"),
    "list": _again("- a\n"),
    "empty items": _again("-\n\n"),
    "deeper lists": _indented("- a", "  "),
    "references": _numbered("[{}]: b\n"),
    "open references": _again("[a\n"),
    "headings without a blank": _again("##a\n\n"),
    "tables": _again("|a|b|\n|-|\n|c|d|\n\n"),
    "fences": _growing("`", "\n"),
    "HTML": _again("<div a='\n"),
}
_JSON: Final[Mapping[str, Shape]] = {
    "lists in lists": _again("["),
    "closed lists in lists": _nested("[", "]"),
    "objects in objects": _again('{"a":'),
    "quotes": _again('"'),
    "escaped quotes": _again('"\\"', before="{"),
    "open comments": _again("/*"),
    "stars": _again("*", before="/*", after=""),
    "line comments": _again("//a\n", after="1"),
    "comments in a list": _again("1,//a\n", before="[", after="]\n"),
    "commas": _again(",", before="["),
    "blanks after a comma": _again(" ", before="[1,", after="x"),
    "commas before brackets": _again("[1,],", before="[", after="1]"),
    "one key again": _again('"a":1,', before="{", after='"a":1}'),
    "digits": _again("1", before="[", after="x]"),
    "bare words": _again("a:1,", before="{", after="}"),
    "single quotes": _again("'a':1,\n", before="{", after="}"),
    "missing commas": _again("1\n", before="[", after="]"),
    "apostrophes": _again("'"),
    "colons": _again('"a":', before="{"),
    "many good rows": _again('{"a": [1, 2]},\n', before="[", after="{}]\n"),
}
_TOML: Final[Mapping[str, Shape]] = {
    "parts of a key": _again("a.", after="b=1"),
    "parts of a table": _again("a.", before="[", after="b]\n"),
    "keys with parts": _numbered("a.b{}.c = 1\n"),
    "deeper tables": _indented("[a]", "#"),
    "tables": _numbered("[t{}]\n"),
    "one table again": _again("[a]\n"),
    "lists of tables": _again("[[a]]\n"),
    "lists in lists": _again("[", before="a = "),
    "closed lists in lists": _nested("[", "]", before="a = "),
    "inline tables": _again("{a=", before="a="),
    "quotes": _again('"', before="a = "),
    "escaped quotes": _again('\\"', before='a = "'),
    "open text": _again("a\n", before='a = """'),
    "dots in rows": _numbered("k{} = '" + "." * 60 + "'\n"),
    "digits": _again("1", before="a = ", after="_\n"),
    "underscores": _again("1_", before="a = "),
    "comments": _again("#a\n"),
    "blanks": _again(" ", before="a =", after="x"),
    "missing quotes": _numbered('k{} = "a\n'),
    "many good rows": _numbered("key{} = 1\n"),
}
_YAML: Final[Mapping[str, Shape]] = {
    "lists in lists": _again("["),
    "flow list": _again("b, ", before="a: [", after="]\n"),
    "open flow list": _again("b, ", before="a: ["),
    "question marks": _again("? "),
    "dashes": _again("- "),
    "deeper maps": _indented("a:"),
    "deeper lists": _indented("- a:", "  "),
    "blank at each end": _numbered("k{}: 1 \n"),
    "one key again": _again("a: 1\n"),
    "anchors": _numbered("- &a{} b\n"),
    "aliases": _again("- *a\n", before="- &a [1]\n"),
    "quotes": _again("'"),
    "open quote": _again("a\n", before="a: '"),
    "colons": _again("a: ", before="a: "),
    "tabs": _again("\t- a\n", before="a:\n"),
    "documents": _again("---\na: 1\n"),
    "block text": _again("  b \n", before="a: |\n"),
    "comments": _again("# a\n"),
    "blanks": _again(" ", before="a: b", after="x: 1"),
    "one plain text": _again("a b\n", before="a:\n "),
}
_PYTHON: Final[Mapping[str, Shape]] = {
    "operands without commas": _again("a b, ", before="x = ("),
    "open parentheses": _again("("),
    "closed parentheses": _nested("(", ")", inside="1"),
    "open functions": _again("def f(:\n"),
    "quotes": _again('"', before="x = "),
    "escaped quotes": _again('"\\"', before="x = "),
    "open triple quote": _again("a\n", before='"""'),
    "apostrophes": _again("don't "),
    "deeper rows": _indented("if a:"),
    "odd indents": _again("  a = 1\n b = 2\n"),
    "tabs and blanks": _again("if a:\n\tb = 1\n        c = 2\n"),
    "else if": _again("else if "),
    "equals": _again("a = b == ", before="if "),
    "commas": _again(",", before="f("),
    "braces": _again("{", before='x = f"'),
    "print statements": _again('print "a"\n'),
    "backslashes": _again("\\\n", before="x = 1"),
    "minus signs": _again("-", before="x = ", after="1\n"),
    "attributes": _again(".a", before="x"),
    "many good rows": _numbered("a{} = 1\n", after="if x\n    pass\n"),
}
SHAPES: Final[Mapping[str, Mapping[str, Shape]]] = {
    "text": _TEXT,
    "markdown": _MARKDOWN,
    "json": _JSON,
    "jsonc": _JSON,
    "toml": _TOML,
    "yaml": _YAML,
    "python": _PYTHON,
}
"""By language, by name."""
