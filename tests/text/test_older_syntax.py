"""Text in a newer syntax is read with the same rows."""

from __future__ import annotations

import ast

import pytest

from jido_ai.improve.project_names import ProjectNames
from jido_ai.revisers.edit_guards import same_but_imports
from jido_ai.revisers.edit_policy import imported_name
from jido_ai.text.older_syntax import tree_of_newer
from jido_ai.text.python_tree import parsed

ROWS = [
    ("type Pair[T] = tuple[T, T]", "Pair = tuple[T, T]"),
    ("type Pair = tuple[int, int]", "Pair = tuple[int, int]"),
    ("def first[T: (int, str)](x: list[T]) -> T:\n    return x", "def first(x: list[T]) -> T:\n    return x"),
    ("class A[K, V: dict[str, K]](B):\n    x = 1", "class A(B):\n    x = 1"),
    ("async def f[\n    T,\n](x): ...\ny = 1", "async def f(x): ...\ny = 1"),
    ('x = f"{", ".join(a)} {b["c"]}" + "d"', "x = f'''{', '.join(a)} {b['c']}''' + 'd'"),
    ("x = rf'{a['b']:>{w}}{{}}'", "x = f'''{a['b']:>{w}}{{}}'''"),
    ('x = "{\'[" # f"{"\ntype A = int', 'x = "{\'["\nA = int'),
]


@pytest.mark.parametrize(("text", "older"), ROWS, ids=[str(place) for place in range(len(ROWS))])
def test_newer_syntax_is_read_as_what_it_was_before(text: str, older: str) -> None:
    tree = tree_of_newer(text)
    assert tree is not None
    assert ast.dump(tree) == ast.dump(parsed(text) or ast.parse(older))  # a newer Python reads it itself


def test_rows_stay() -> None:
    tree = tree_of_newer("def f[\n    T,\n](x): ...\ntype A[\n  B] = int\nlast = f'{a['b']}'\n")
    assert tree is not None
    assert [one.lineno for one in tree.body] == [1, 4, 6]


def test_a_text_that_is_no_python_has_no_tree() -> None:
    assert tree_of_newer("type = = 1") is None
    assert tree_of_newer('f"{"') is None
    assert tree_of_newer("def f[T(x):") is None


def test_an_unused_import_above_newer_syntax_may_be_removed() -> None:
    rest = "import sys\n\ntype A[T] = list[T]\nx = f'{sys.argv['a']}'\n"
    text = f"import os\n{rest}"
    assert imported_name(text, 1, 8) == "os"
    assert ProjectNames({"p/_m.py": text, "p/__init__.py": ""}).reason_to_keep("p/_m.py", "os", 1) is None
    assert same_but_imports(text, rest, {"os"})
    assert not same_but_imports(text, rest.replace("argv", "path"), {"os"})
