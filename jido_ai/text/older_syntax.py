"""Python in an older syntax with the same rows, to be read where the running Python is older than the text. Pure.

Type parameters are left out and a `type` statement is an assignment (PEP 695), and an f-string between single quotes,
whose expressions may have the same quotes, is between triple ones (PEP 701).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from jido_ai.text.python_tree import parsed

_GENERIC: Final = re.compile(r"(?m)^[ \t]*(?:(?:async[ \t]+)?def|class|type)[ \t]+\w+[ \t]*(?=[\[=])")
_TOKEN: Final = re.compile(r"#[^\n]*|(?<!\w)(\w{0,2})('''|\"\"\"|'|\")")


def tree_of_newer(text: str) -> ast.Module | None:
    """Return the tree of a text, which may have the syntax of a newer Python; None if it cannot be read.

    Positions are those of the text for its rows, and for the columns of statements without such syntax.
    """
    return parsed(text) or parsed("".join(_with_long_quotes(_without_type_parameters(text))))


def _without_type_parameters(text: str) -> str:
    parts: list[str] = []
    done = 0
    for found in _GENERIC.finditer(text):
        end = _closing(text, found.end()) if text.startswith("[", found.end()) else found.end()
        head = found[0].replace("type", "", 1).lstrip() if found[0].lstrip().startswith("type") else ""
        indent = found[0][: len(found[0]) - len(found[0].lstrip())]
        rows = text.count("\n", found.end(), end)
        parts += [text[done : found.start()], indent + head if head else found[0], "\\\n" * rows]
        done = end
    return "".join([*parts, text[done:]])


def _closing(text: str, at: int) -> int:
    """Return the place after the bracket that closes the one there."""
    depth = 0
    for found in re.finditer(r"[\[\]]", text[at:]):
        depth += 1 if found[0] == "[" else -1
        if depth == 0:
            return at + found.end()
    return at


def _with_long_quotes(text: str) -> Iterator[str]:
    done = at = 0
    while (found := _TOKEN.search(text, at)) is not None:
        at = found.end()
        quote = found[2]
        if quote is None:
            continue
        is_formatted = "f" in found[1].lower()
        begin, at = at, _end(text, at, quote, is_formatted=is_formatted)
        body = text[begin : at - len(quote)]
        if is_formatted and len(quote) == 1 and quote in body:
            long = "'''" if quote == '"' else '"""'
            yield text[done:begin][:-1] + long + body + long
            done = at
    yield text[done:]


def _end(text: str, at: int, quote: str, *, is_formatted: bool) -> int:
    """Return the place after the end of a string whose text begins there."""
    depth = 0
    while at < len(text):
        char = text[at]
        if depth == 0 and text.startswith(quote, at):
            return at + len(quote)
        if depth == 0 and (char == "\\" or (is_formatted and text[at : at + 2] in ("{{", "}}"))):
            at += 1
        elif depth and char in "'\"":
            at = _end(text, at + 1, char, is_formatted=False) - 1
        elif is_formatted:
            depth = max(0, depth + (char == "{") - (char == "}"))
        at += 1
    return at
