"""Hunks that change what a program does, and the lines that a test has to run to judge them. Pure."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from jido_ai.improve.hunks import LineEdit, joined
from jido_ai.improve.normal_form import changed_parts
from jido_ai.improve.project_names import IMPORTS_WITH_EFFECTS
from jido_ai.improve.risky_edits import taken_away
from jido_ai.text.python_tree import first_step, tree_to_read


@dataclass(frozen=True, slots=True)
class CodeEffect:
    """A change of behaviour.

    Attributes:
        parts: functions and classes that do something else, "" for statements outside of them.
        rows: lines of the new text, from 1, that a test must run; () for what an import runs.
        doubt: what is taken away, which passing tests need not notice; None: nothing is.
        lost: modules that nothing in the project imports any more, though importing one may do something.
    """

    parts: tuple[str, ...]
    rows: tuple[int, ...]
    lost: tuple[str, ...] = ()
    doubt: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        if self.lost:
            return f"nothing else imports {' and '.join(self.lost)}, and importing it may do something"
        names = [part.partition(",")[0] for part in self.parts if part]
        return f"{' and '.join(dict.fromkeys(names)) or 'a statement at import'} does something else"


def effects(before: str, after: str, hunks: Mapping[int, Sequence[LineEdit]]) -> dict[int, CodeEffect]:
    """Return the effects of the hunks that have one, by their numbers.

    Args:
        after: the text with all hunks.
        hunks: all hunks of the text.
    """
    added = _places(hunks)
    found: dict[int, CodeEffect] = {}
    for number, edits in hunks.items():
        removed = [(edit.start + 1, edit.end) for edit in edits]
        parts = changed_parts(before, after, removed, added[number])
        alone = after
        if parts and len(hunks) > 1:  # another hunk of the same function may have changed it
            alone = joined(before, edits)
            if tree_to_read(alone) is not None:
                parts = changed_parts(before, alone, removed, _places({0: edits})[0])
        if parts:
            rows, doubt = tuple(_rows(after, added[number])), taken_away(before, alone, after)
            found[number] = CodeEffect(tuple(parts), rows, doubt=doubt)
    return found


def lost_imports(
    path: str, before: str, after: str, hunks: Mapping[int, Sequence[LineEdit]], others: Collection[str]
) -> dict[int, CodeEffect]:
    """Return the hunks that remove the last import of a module with an effect that nobody knows, by their numbers.

    Modules of the standard library have none, but for a few.

    Args:
        path: of the file, from which relative imports count.
        others: the texts of the other files of the project.
    """
    old, new = (dict(_imported(path, tree_to_read(text))) for text in (before, after))
    gone = {
        module: row
        for module, row in old.items()
        if module not in new and module.split(".")[0] not in sys.stdlib_module_names - IMPORTS_WITH_EFFECTS
    }
    names = {module: re.compile(rf"(?m)^[ \t]*(?:from|import)\b.*\b{module.rpartition('.')[2]}\b") for module in gone}
    gone = {module: row for module, row in gone.items() if not any(map(names[module].search, others))}
    found: dict[int, CodeEffect] = {}
    for number, edits in hunks.items():
        lost = [module for module, row in gone.items() if any(edit.start < row <= edit.end for edit in edits)]
        if lost:
            found[number] = CodeEffect((), (), tuple(lost))
    return found


def _imported(path: str, tree: ast.AST | None) -> Iterator[tuple[str, int]]:
    """Yield the modules that a text imports when it runs, with their rows."""
    stack = [] if tree is None else [tree]
    while stack:
        node = stack.pop()
        match node:
            case ast.If(test=ast.Name("TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
                stack += node.orelse
            case ast.Import():
                yield from ((alias.name, node.lineno) for alias in node.names)
            case ast.ImportFrom():
                folder = PurePosixPath(path).parts[: -node.level] if node.level else ()
                yield ".".join((*folder, *([node.module] if node.module else [node.names[0].name]))), node.lineno
            case _:
                stack += ast.iter_child_nodes(node)


def _places(hunks: Mapping[int, Sequence[LineEdit]]) -> dict[int, list[tuple[int, int]]]:
    """Return the lines of the new text that each hunk wrote."""
    found: dict[int, list[tuple[int, int]]] = {number: [] for number in hunks}
    shift = 0
    for edit, number in sorted(
        ((edit, number) for number, edits in hunks.items() for edit in edits), key=lambda one: (one[0].start, one[1])
    ):
        first = edit.start + shift + 1
        found[number].append((first, first + len(edit.added) - 1))
        shift += len(edit.added) - len(edit.removed)
    return found


def _rows(text: str, places: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Yield the first lines of the statements in functions that are written there; the function's for a deletion."""
    tree = tree_to_read(text)
    functions = [
        node
        for node in ast.walk(tree or ast.Module([], []))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    for first, last in places:
        around = [one for one in functions if one.lineno <= first and max(first, last) <= (one.end_lineno or 0) + 1]
        if not around:
            continue
        inner = max(around, key=lambda one: one.lineno)
        written = [row for row in map(_header, ast.walk(inner)) if row[0] <= last and first <= row[1]]
        yield from sorted({row for row, _ in written}) or [first_step(inner).lineno]


def _header(node: ast.AST) -> tuple[int, int]:
    """Return the lines of a statement without its block; none for other nodes and definitions."""
    if not isinstance(node, ast.stmt) or isinstance(
        node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Global | ast.Nonlocal | ast.Try
    ):
        return (0, -1)
    body: list[ast.stmt] = getattr(node, "body", [])
    return node.lineno, body[0].lineno - 1 if body else node.end_lineno or node.lineno
