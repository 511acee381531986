"""English: first lines of docstrings and names of tests have a subject, and a noun or a verb in front."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import jido_ai

PACKAGE = Path(jido_ai.__file__).parent
TESTS = Path(__file__).parent
ODD_LINE = re.compile(r"(What|That|Those|Tell what|Return what|Whoever)\b")
ODD_NAME = re.compile(
    r"^test_(what|whatever|who|whoever|of|that|those|told|asked|turned|so)_"
    r"|_(goes|go|gone|going)_on(_|$)|_(is|are)_told(_|$)|_(is|are)_none$|_things?(_|$)"
)
LINES_LEFT: dict[str, int] = {
    "actors": 2,
    "cli": 13,
    "errors.py": 2,
    "files": 1,
    "graph": 25,
    "improve": 28,
    "integrations": 14,
    "loop": 5,
    "mcp": 2,
    "memory": 4,
    "models": 15,
    "protocols.py": 3,
    "repair": 6,
    "revisers": 1,
    "serve": 14,
    "testing": 2,
    "text": 3,
    "values": 1,
}
"""The odd first lines still left, by room; none is added."""
NAMES_LEFT: dict[str, int] = {"improve": 2, "learning": 21, "memory": 29, "repair": 23}
"""The odd names of tests still left, by room; none is added."""


def odd_lines(path: Path) -> list[str]:
    """Return the first lines of the docstrings in a file that have no subject."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, documented))
    lines = ((ast.get_docstring(node) or "").partition("\n")[0] for node in nodes)
    return [f"{path}: {line}" for line in lines if ODD_LINE.match(line)]


def odd_names(path: Path) -> list[str]:
    """Return the names of tests in a file that begin with a clause or use an odd word."""
    names = re.findall(r"^ *(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
    return [f"{path}: {name}" for name in names if ODD_NAME.search(name)]


def check(found: dict[str, list[str]], left: dict[str, int]) -> None:
    too_many = {room: odd for room, odd in found.items() if len(odd) > left.get(room, 0)}
    assert not too_many, "\n".join(line for odd in too_many.values() for line in odd)


def by_room(top: Path, pattern: str, odd: Callable[[Path], list[str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in sorted(top.rglob(pattern)):
        if "workshop" not in path.parts:  # files with defects, as data
            found.setdefault(path.relative_to(top).parts[0], []).extend(odd(path))
    return found


def test_the_first_line_of_a_docstring_begins_with_a_noun_or_a_verb() -> None:
    check(by_room(PACKAGE, "*.py", odd_lines), LINES_LEFT)


def test_the_name_of_a_test_is_a_plain_sentence() -> None:
    check(by_room(TESTS, "test_*.py", odd_names), NAMES_LEFT)
