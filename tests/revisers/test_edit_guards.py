"""Edit guards: properties of Python text that every edit must preserve."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis.strategies import lists, sampled_from, text

from jido_ai.revisers.edit_guards import edit_fault, same_but_imports, same_program

LINES = sampled_from(
    ["import os", "import os, sys  # both", "# why", "x = 1", '"""doc"""', "", "def f():  # f", "    return 1", "\f"]
)

FAULTS = {
    "a comment alone": ("# why\nx = 1\n", "x = 1\n", "comment"),
    "a comment after code that stays": ("x = 1  # why\n", "x = 1\n", "comment"),
    "a comment after code that stays in part": ("import os, sys  # why\n", "import os\n", "comment"),
    "a comment in a default": (
        "def f(a=[  # why\n]):\n    return a\n",
        "def f(a=None):\n    if a is None:\n        a = []\n    return a\n",
        "comment",
    ),
    "a comment beside a removed line": ("import os\n# why\nx = 1\n", "x = 1\n", "comment"),
    "one of two equal comments": ("x = 1  # noqa\ny = 2  # noqa\n", "x = 1  # noqa\ny = 2\n", "comment"),
    "code before a docstring": ('"""Doc."""\n', 'import os\n"""Doc."""\n', "docstring"),
    "code before the docstring of a one-line body": (
        'def f(a={}): "Doc."; return a\n',
        'def f(a=None):\n    if a is None:\n        a = {}\n    "Doc."; return a\n',
        "f lost its docstring",
    ),
    "the docstring of a method": (
        'class A:\n    def f(self):\n        "Doc."\n',
        'class A:\n    def f(self):\n        x = 1\n        "Doc."\n',
        "A.f lost its docstring",
    ),
    "a string that becomes a docstring": ('import os\n"no doc"\n', '"no doc"\n', "docstring"),
    "the coding line is lost": ("# -*- coding: latin-1 -*-\nx = 1\n", "x = 1\n", "coding"),
    "the coding line is moved": ("# coding: utf-8\nx = 1\n", "import os\n# coding: utf-8\nx = 1\n", "coding"),
    "the coding line moves up": ("#\n# coding: utf-8\nx = 1\n", "# coding: utf-8\n#\nx = 1\n", "coding"),
    "a comment becomes a coding line": ("\nx = 1\n# coding: big5\n", "# coding: big5\n", "coding"),
    "the shebang": ("#!/usr/bin/python\nx = 1\n", "x = 1\n#!/usr/bin/python\n", "#!"),
    "the byte order mark": ("\ufeffx = 1\n", "x = 1\n", "byte order mark"),
    "a new byte order mark": ("x = 1\n", "\ufeffx = 1\n", "byte order mark"),
    "the first blank line": ("\nx = 1\n", "x = 1\n", "blank line"),
    "a form feed": ("x = 1\n\f\ny = 2\n", "x = 1\n\ny = 2\n", "form feed"),
    "a form feed that moves": (
        "import b\n\f\nimport a\nx = 1\n",
        "import a\nimport b\nx = 1\n\f\n",
        "form feed was moved",
    ),
    "line ends": ("x = 1\r\ny = 2\r\n", "x = 1\ny = 2\n", "line ends"),
    "one line end": ("x = 1\r\ny = 2\r\n", "x = 1\r\ny = 2\n", "line ends"),
    "one of mixed line ends": ("x = 1\r\ny = 2\nz = 3\n", "x = 1\ny = 2\nz = 3\n", "line ends"),
    "the last line end is lost": ("x = 1\n", "x = 1", "last line"),
    "the last line end is added": ("x = 1", "x = 1\n", "last line"),
    "it does not parse": ("if x:\n    import os\n", "if x:\n", "does not parse"),
    "too large": ("x = 1\n", "x = 1\n" * 400_000, "too large"),
    "too deeply nested": ("x = 1\n", "x = " + "-" * 150_000 + "1\n", "nested"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_an_edit_that_loses_something_is_a_fault(name: str) -> None:
    before, after, word = FAULTS[name]
    assert word in (edit_fault(before, after) or "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import os  # for paths\nx = 1\n", "x = 1\n"),
        ("from a import (\n    b,  # for c\n    d,\n)\n", "from a import (\n    d,\n)\n"),
        ("# why\nimport os\nx = 1\n", "# why\nx = 1\n"),
        ("import sys  # kept\nimport os  # gone\nx = 1\n", "import sys  # kept\nx = 1\n"),
        ("def f():\n    '''Doc.'''\n", 'def f():\n    """Doc."""\n'),
        ('def f(a=[]):\n    "Doc."\n', 'def f(a=None):\n    "Doc."\n    if a is None:\n        a = []\n'),
        ("#!/bin/sh\n# coding: latin-1\nx = 1\n", "#!/bin/sh\n# coding: latin-1\nx = 2\n"),
        ("\ufeffx = 1\n", "\ufeffx = 2\n"),
        ("\n\nx = 1\n", "\n\ny = 1\n"),
        ("import a\nimport b\n\f\nx = 1\n", "import b\n\f\nx = 1\n"),
        ("x = 1\n\f\nimport b\ny = 2\n", "x = 1\n\f\ny = 2\n"),
        ("x = 1\r\ny = 2\r\n", "x = 1\r\nz = 2\r\n"),
        ("x = 1\r\ny = 2\nz = 3\n", "x = 1\r\nz = 3\n"),
        ("x = 'a  # b\n", "x = 'a  # b'\n"),
        ("print 'x'  # old\n", "print('x')  # old\n"),
        ("x = '# no comment'\n", "x = 'none'\n"),
        ("import os\n", ""),
        ("x = 1  # why  \n", "x = 1  # why\n"),
    ],
)
def test_an_edit_that_preserves_everything_is_no_fault(before: str, after: str) -> None:
    assert edit_fault(before, after) is None


def test_a_text_too_deeply_nested_before_and_after_is_refused() -> None:
    deep = "x = " + "-" * 150_000 + "1\n"
    assert "nested" in (edit_fault(deep, deep + "y = 1\n") or "")


@given(lists(LINES, max_size=8))
def test_no_edit_at_all_is_never_a_fault(lines: list[str]) -> None:
    source = "\n".join(lines)
    assert edit_fault(source, source) is None


@given(text(max_size=60), text(max_size=60))
def test_any_two_texts_can_be_judged(before: str, after: str) -> None:
    assert edit_fault(before, after) is None or before != after
    assert same_program(before, after) == same_program(after, before)


@given(lists(LINES, max_size=8), lists(LINES, max_size=8))
def test_an_accepted_edit_loses_no_comment_that_stands_alone(before: list[str], after: list[str]) -> None:
    if edit_fault("\n".join(before), "\n".join(after)) is None and before != after and _parses("\n".join(before)):
        assert after.count("# why") >= before.count("# why")


def _parses(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


# -- programs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x=1", "x = 1  # one\n"),
        ("x = f'a'\n", "x = 'a'\n"),
        ("x = f'{{}}'\n", "x = '{}'\n"),
        ("x = f'' 'b'\n", "x = 'b'\n"),
        ("x = f'{a:>{f\"9\"}}'\n", "x = f'{a:>{\"9\"}}'\n"),
        ("x = (\n    1)\n", "x = 1\n"),
        ("\ufeffx = 1\n", "x = 1\n"),
        ("x = 0xff\n", "x = 255\n"),
    ],
)
def test_programs_that_differ_in_layout_only_are_the_same(before: str, after: str) -> None:
    assert same_program(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1\n", "x = 1.0\n"),
        ("x = 1\n", "x = True\n"),
        ("x = 0.0\n", "x = -0.0\n"),
        ("x = 'a'\n", "x = b'a'\n"),
        ("x = u'a'\n", "x = 'a'\n"),
        ("x = f'{a}'\n", "x = '{a}'\n"),
        ("f'doc'\n", "'doc'\n"),
        ("def f():\n    f'doc'\n", "def f():\n    'doc'\n"),
        ("import os\n", ""),
        ("x = [1, 2]\n", "x = [1]\n"),
        ("x: int = 1\n", "x = 1\n"),
        ("(x): int\n", "x: int\n"),
        ("x = 1\n", "x =\n"),
        ("x =\n", "x =\n"),
    ],
)
def test_programs_that_differ_are_not_the_same(before: str, after: str) -> None:
    assert not same_program(before, after)


def test_deeply_nested_texts_are_never_the_same_program() -> None:
    deep = "x = " + "-" * 150_000 + "1\n"
    assert not same_program(deep, deep)


def test_long_chains_are_compared_without_recursion() -> None:
    chain = "x = 1" + " + 1" * 900 + "\n"
    assert same_program(chain, chain + "\n")
    assert not same_program(chain, chain.replace("x = 1", "x = 2"))


@pytest.mark.parametrize(
    ("before", "after", "removed"),
    [
        ("import os\nx = 1\n", "x = 1\n", {"os"}),
        ("import os.path\nx = 1\n", "x = 1\n", {"os"}),
        ("import os, sys\n", "import sys\n", {"os"}),
        ("import a as b, c\n", "import c\n", {"b"}),
        ("from . import a, b as c\n", "from . import a\n", {"c"}),
        ("from m import a\nfrom m import b\n", "from m import b\n", {"a"}),
        ("if x:\n    import os\n", "if x:\n    pass\n", {"os"}),
        ("if x:\n    y = 1\nelse:\n    import os\n", "if x:\n    y = 1\n", {"os"}),
        ("def f():\n    import os\n    return 1\nimport sys\n", "def f():\n    return 1\n", {"os", "sys"}),
        ("import a\nimport a, b\n", "import b\n", {"a"}),
        ("import os\n", "", {"os"}),
        ("import os\n", "\n", {"os"}),
        ("import os\nx = f'a'\n", "x = 'a'\n", {"os"}),
        ("x = 1\n", "x = 1\n", set()),
        ("try:\n    import a\nexcept E:\n    a = 1\n", "try:\n    pass\nexcept E:\n    a = 1\n", {"a"}),
    ],
)
def test_a_program_without_the_removed_imports_is_recognised(before: str, after: str, removed: set[str]) -> None:
    assert same_but_imports(before, after, removed)


@pytest.mark.parametrize(
    ("before", "after", "removed"),
    [
        ("import os\nx = 1\n", "x = 1\n", set()),
        ("import os\nx = 1\n", "import os\nx = 1\n", {"os"}),
        ("import os, sys\n", "", {"os"}),
        ("import os\nimport sys\nx = 1\n", "x = 2\n", {"os", "sys"}),
        ("import a as b\n", "", {"a"}),
        ("from m import a, b\n", "from n import b\n", {"a"}),
        ("from .m import a, b\n", "from m import b\n", {"a"}),
        ("from m import a, b\n", "from m import c, b\n", {"a"}),
        ("if x:\n    import os\ny = 1\n", "y = 1\n", {"os"}),
        ("import os\n'text'\n", "'text'\n", {"os"}),
        ("from __future__ import division\n", "", {"division"}),
        ("import a, b, c\n", "import c, b\n", {"a"}),
        ("import os\nx = 1\n", "x = \n", {"os"}),
        ("import os\nimport sys\n", "import sys\nimport os\n", set()),
        ("import os\nimport sys\n", "import sys\nimport os\n", {"os"}),
        ("import os\nx = 1\n", "pass\nx = 1\n", {"os"}),
    ],
)
def test_any_other_difference_is_recognised(before: str, after: str, removed: set[str]) -> None:
    assert not same_but_imports(before, after, removed)


@given(lists(sampled_from(["os", "sys", "json", "re"]), min_size=1, unique=True).map(sorted), sampled_from([0, 1]))
def test_removing_the_first_name_is_recognised_for_any_import(names: list[str], shape: int) -> None:
    tail = ["x = 1"]
    before = [f"import {', '.join(names)}"] if shape else [f"import {name}" for name in names]
    after = ([f"import {', '.join(names[1:])}"] if names[1:] else []) if shape else before[1:]
    assert same_but_imports("\n".join(before + tail), "\n".join(after + tail), {names[0]})
