"""First lines of docstrings have a subject: a noun phrase, or a verb and its object."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import jido_ai

PACKAGE = Path(jido_ai.__file__).parent
NOT_YET = {"actors", "cli", "files", "graph", "improve", "loop", "mcp", "protocols", "repair", "serve", "testing"}
"""Rooms whose first lines are still to be rewritten."""
WITHOUT_A_SUBJECT = re.compile(r"(What|Whatever|Whoever|That|Those|(Tell|Return|Say|Do|Put|Remove) what)\b")
WITH = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
ROOMS = sorted({path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in PACKAGE.rglob("*.py")} - NOT_YET)


def first_lines(room: str) -> Iterator[tuple[str, str]]:
    for path in (*(PACKAGE / room).rglob("*.py"), PACKAGE / f"{room}.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))) if path.is_file() else ():
            if isinstance(node, WITH) and (text := ast.get_docstring(node)):
                yield f"{path.relative_to(PACKAGE)}:{getattr(node, 'lineno', 1)}", text.partition("\n")[0]


@pytest.mark.parametrize("room", ROOMS)
def test_no_first_line_begins_with_a_clause_without_a_subject(room: str) -> None:
    assert [found for found in first_lines(room) if WITHOUT_A_SUBJECT.match(found[1])] == []


@pytest.mark.parametrize("line", ["What a call is told.", "Return what passes.", "Tell what to do.", "Those of a run."])
def test_such_a_line_is_recognised(line: str) -> None:
    assert WITHOUT_A_SUBJECT.match(line)


@pytest.mark.parametrize("line", ["Return whatever", "Tell whether it is open.", "The answer to a call."])
def test_other_lines_pass(line: str) -> None:
    assert not WITHOUT_A_SUBJECT.match(line)
