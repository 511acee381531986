"""Syntax and names that the oldest declared Python lacks are found without that Python."""

from __future__ import annotations

import pytest

from jido_ai.improve.newer_python import newer_than


@pytest.mark.parametrize(
    ("minimum", "before", "after"),
    [
        ((2, 7), "a = '%s' % b\n", "a = f'{b}'\n"),
        ((3, 8), "def f(a: List[int]): pass\n", "def f(a: list[int]): pass\n"),
        ((3, 9), "def f(a: Optional[int]): pass\n", "def f(a: int | None): pass\n"),
        ((3, 7), "a = b\n", "if (a := b): pass\n"),
        ((3, 10), "import tomli\n", "import tomllib\n"),
        ((2, 7), "class A(object):\n    pass\n", "class A:\n    pass\n"),
        ((2, 7), "class A(B):\n    x = super(A, self)\n", "class A(B):\n    x = super()\n"),
    ],
)
def test_a_new_need_is_found_below_its_first_python_only(minimum: tuple[int, int], before: str, after: str) -> None:
    ((_, line, needed),) = newer_than(minimum, before, after)
    assert line <= 2
    assert newer_than(needed, before, after) == ()
    assert newer_than(minimum, after, after) == ()


def test_annotations_that_are_not_evaluated_need_nothing() -> None:
    text = "from __future__ import annotations\n\ndef f(a: list[int]) -> int | None: pass\n"
    assert newer_than((3, 7), None, text) == ()
    assert newer_than((3, 8), None, f"{text}A = list[int]\n") == (("list[...]", 4, (3, 9)),)
