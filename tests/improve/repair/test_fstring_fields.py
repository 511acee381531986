"""The places of expressions inside f-strings."""

from __future__ import annotations

import ast

import pytest

from jido_ai.improve.repair.fstring_fields import placed_tree
from jido_ai.improve.repair.program_code import Code


def _fields(source: str) -> list[str]:
    """Return the code at the places of the fields, in the order of their places."""
    code = Code(source)
    found = [node.value for node in ast.walk(placed_tree(source)) if isinstance(node, ast.FormattedValue)]
    return [code.of(one) for one in sorted(found, key=lambda one: (one.lineno, one.col_offset))]


@pytest.mark.parametrize(
    ("source", "fields"),
    [
        ('x = f"{a} {b + 1:.2f}"\n', ["a", "b + 1"]),
        ('x = f"{a:>{width}} {b!r:<{n + 1}}"\n', ["a", "width", "b", "n + 1"]),
        ('x = f"ä {a}" + f"{b}"\n', ["a", "b"]),
        ('x = (f"{a}"\n     f"ö {b}")\n', ["a", "b"]),
        ('x = f"""\n {a} {b.c}\n{d[0]}\n"""\n', ["a", "b.c", "d[0]"]),
        ('x = f"{{a}} {b} {{{c}}}"\n', ["b", "c"]),
        ('x = f"{ a }{b if c else d:=5}"\n', ["a", "b if c else d"]),
        ("x = f\"{a['k']} {f(b, c=1)}\"\n", ["a['k']", "f(b, c=1)"]),
    ],
)
def test_a_field_has_the_place_where_it_stands(source: str, fields: list[str]) -> None:
    assert _fields(source) == fields


def test_every_part_of_a_field_has_its_place() -> None:
    source = 'x = f"- {a.b + c[1]}"\n'
    code, tree = Code(source), placed_tree(source)
    parts = [code.of(node) for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute | ast.Constant)]
    assert {"a", "a.b", "c", "1"} <= set(parts)


@pytest.mark.parametrize("source", ['x = f"{a, b} {c}"\n', 'x = ("{b}"\n     f"{b, 1}")\n'])
def test_a_place_that_would_be_wrong_is_left_out(source: str) -> None:
    code = Code(source)
    for node in ast.walk(placed_tree(source)):
        if isinstance(node, ast.FormattedValue):
            assert ast.dump(ast.parse(code.of(node.value), mode="eval").body) == ast.dump(node.value)
    assert set(_fields(source)) <= {"a, b", "c", "b, 1"}
