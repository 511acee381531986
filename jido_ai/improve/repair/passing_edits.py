"""Passing edits: rules for edits that turn failing tests green, and their differences. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from jido_ai.improve.repair.mutation import Mutation, mutations
from jido_ai.improve.repair.program_code import own_nodes
from jido_ai.improve.repair.repair_choice import Behaviour, Difference, differences, is_slip
from jido_ai.text.python_tree import parsed

_CEILING: Final = 5.0
"""A page or part is counted up more often than it is rounded."""
_MOST_SIBLINGS: Final = 4
_INDENT: Final = "    "


@dataclass(frozen=True, slots=True)
class PassingEdit:
    """An edit that turns failing tests green and breaks none.

    Attributes:
        source, text: the file without and with it.
        fixed: the tests that it turns green.
    """

    path: str
    edit: Mutation
    source: str
    text: str
    fixed: tuple[str, ...]

    @property
    def weight(self) -> float:
        """How probable it was before any test: a count of parts is rounded up rather than in another way."""
        is_of_parts = "//" in self.edit.before and "-(-" in self.edit.after and "-(-" not in self.edit.before
        return self.edit.weight * (_CEILING if is_of_parts else 1.0)

    def literals(self) -> Iterator[object]:
        """Yield the numbers and texts of the statement, without and with the edit."""
        for text in (self.source, self.text):
            statement = _statement(text, self.edit.line)
            for node in own_nodes(statement) if statement is not None else ():
                if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float):
                    yield node.value

    def sides(self) -> Iterator[tuple[int, str, str]]:
        """Yield the line and the two sides of each comparison of the statement with the edit."""
        statement = _statement(self.text, self.edit.line)
        if statement is None:
            return
        for node in own_nodes(statement):
            if isinstance(node, ast.Compare) and len(node.ops) == 1 and not isinstance(node.ops[0], ast.In | ast.NotIn):
                yield statement.lineno, ast.unparse(node.left), ast.unparse(node.comparators[0])


def _statement(text: str, line: int) -> ast.stmt | None:
    """Return the innermost statement of a line; None if there is none."""
    tree = parsed(text)
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)] if tree is not None else []
    there = [one for one in statements if one.lineno <= line <= (one.end_lineno or one.lineno)]
    return max(there, key=lambda one: one.lineno, default=None)


def is_vacuous(edit: PassingEdit) -> bool:
    """Tell whether an edit leaves a variable or attribute without an effect: all that it is set to is one constant.

    A lock that is never held again makes the test of it pass, and locks nothing.
    """
    before, after = _assigned(edit.source), _assigned(edit.text)
    return any(
        len(values) == 1 and next(iter(values)).startswith("Constant(") and len(before.get(name, ())) > 1
        for name, values in after.items()
    )


def _assigned(text: str) -> dict[str, set[str]]:
    """Return the values, as code, of each attribute and variable that is assigned."""
    found: dict[str, set[str]] = {}
    tree = parsed(text)
    for node in ast.walk(tree) if tree is not None else ():
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Name | ast.Attribute):
                        found.setdefault(ast.unparse(target), set()).add(ast.dump(value))
            case ast.AugAssign(target=target) | ast.For(target=target) | ast.AnnAssign(target=target):
                found.setdefault(ast.unparse(target), set()).add(f"other {node.lineno}")
            case _:
                pass
    return found


def plausible(edits: Sequence[PassingEdit]) -> list[PassingEdit]:
    """Return the edits without those that give way to another.

    One that replaces an element gives way to one that removes it; one that changes a signature, whose defaults are
    for callers, to one that does not.
    """
    inside = [one for one in edits if not one.edit.before.startswith(("def ", "async def "))]
    edits = inside or list(edits)
    removed = [one for one in edits if not one.edit.edit.content.strip()]

    def gives_way(one: PassingEdit) -> bool:
        mine = one.edit.edit
        return any(
            one.path == other.path
            and other.edit.edit is not mine
            and mine.content.strip() != ""
            and (other.edit.edit.row, other.edit.edit.column) <= (mine.row, mine.column)
            and (mine.end_row, mine.end_column) <= (other.edit.edit.end_row, other.edit.edit.end_column)
            for other in removed
        )

    return [one for one in edits if not gives_way(one)]


def siblings(won: PassingEdit) -> list[PassingEdit]:
    """Return the edit with one comparison of its statement the other way where both sides are equal."""
    try:
        found = mutations(won.text, {won.edit.line: 1.0}, max_lines=1)
        flips = list(islice((one for one in found if one.operator == "boundary"), _MOST_SIBLINGS))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [
        replace(won, edit=replace(won.edit, after=one.after, weight=won.edit.weight / 2), text=text)
        for one in flips
        if (text := one.apply(won.text)) != won.source
    ]


def kinds_of_behaviour(
    won: PassingEdit, mine: Behaviour | None, rest: Sequence[PassingEdit], of_rest: Sequence[Behaviour | None]
) -> list[tuple[PassingEdit, tuple[str, str] | None]]:
    """Return one edit for each behaviour, the chosen one first, with an input that tells it from it and its value.

    For the chosen edit, that is the input which tells it from the second.
    """
    found: list[tuple[PassingEdit, tuple[str, str] | None]] = [(won, None)]
    known: list[Behaviour] = [mine] if mine is not None else []
    for one, does in zip(rest, of_rest, strict=True):
        if mine is None or does is None or any(not differences(other, does) for other in known):
            continue
        best = min(differences(mine, does), key=_is_of_a_slip)
        if len(found) == 1:
            found[0] = (won, (best.code, best.chosen))
        found.append((one, (best.code, best.other)))
        known.append(does)
    return found


def _is_of_a_slip(one: Difference) -> tuple[bool, bool, int]:
    values = (one.chosen, one.other)
    is_of_a_slip = any(is_slip(value.removeprefix("raises ")) for value in values if value.startswith("raises "))
    return is_of_a_slip, one.code == "raises", len(one.code)


def choice_test(code: str, value: str) -> str:
    """Return a test that passes if a value is this one; empty if the code does not stand alone.

    Args:
        code: statements, the last an expression.
        value: its `repr`, or "raises NAME".
    """
    tree = parsed(code)
    if tree is None or not tree.body or not isinstance(tree.body[-1], ast.Expr):
        return ""
    *setup, last = (ast.unparse(one) for one in tree.body)
    if value.startswith("raises "):
        ending = [f"with pytest.raises({value.removeprefix('raises ')}):", f"{_INDENT}{last}"]
    else:
        try:
            ast.literal_eval(value)
            ending = [f"assert {last} == {value}"]
        except (SyntaxError, ValueError):
            ending = [f"assert repr({last}) == {value!r}"]
    rows = [row for part in setup for row in part.split("\n")] + ending
    return "def test_choice():\n" + "".join(f"{_INDENT}{row}\n" for row in rows)
