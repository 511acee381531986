"""English: first lines of docstrings and names of tests have a subject, and a noun or a verb in front."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import jido_ai

PACKAGE = Path(jido_ai.__file__).parent
TESTS = Path(__file__).parent
ODD_LINE = re.compile(r"(What|Whatever|Whoever|That|Those|(Tell|Return|Say|Do|Put|Remove) what)\b")
ODD_NAME = re.compile(
    r"^test_(what|whatever|who|whoever|of|that|those|told|asked|turned|so)_"
    r"|_(goes|go|gone|going)_on(_|$)|_(is|are)_told(_|$)|_(is|are)_none$|_things?(_|$)"
)


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


def found_in(top: Path, pattern: str, odd: Callable[[Path], list[str]]) -> list[str]:
    paths = [path for path in sorted(top.rglob(pattern)) if "workshop" not in path.parts]  # files with defects, as data
    return [line for path in paths for line in odd(path)]


def test_the_first_line_of_a_docstring_begins_with_a_noun_or_a_verb() -> None:
    assert found_in(PACKAGE, "*.py", odd_lines) == []


def test_the_name_of_a_test_is_a_plain_sentence() -> None:
    assert found_in(TESTS, "test_*.py", odd_names) == []
