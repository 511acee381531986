"""What an edit takes from the users of a module: each row has an edit that does, and one that does not."""

from __future__ import annotations

import pytest

from jido_ai.improve.public_surface import broken_entry_points, broken_surface

ROWS = [
    # before, after that breaks, words of the reason, after that breaks nothing
    ("def f(): ...", "def g(): ...", "no f any more", "def f(): ...\ndef g(): ..."),
    ("def f(): ...", "f_ = 1", "no f any more", "from other import f"),
    ("X = 1", "Y = 1", "no X any more", "X = 2"),
    ("def f(a, b): ...", "def f(a): ...", "no parameter b", "def f(a, b, c=1): ..."),
    ("def f(a, b): ...", "def f(b, a): ...", "positional parameters", "def f(a, b, *rest): ..."),
    ("def f(a): ...", "def f(a, b): ...", "needs b", "def f(a, *, b=1): ..."),
    ("def f(a=1): ...", "def f(a): ...", "needs a", "def f(a=1, **more): ..."),
    ("def f(a=1): ...", "def f(a=2): ...", "another default for a", "def f(a: int = 1): ..."),
    ("def f(a=[]): ...", "def f(b=None): ...", "no parameter a", "def f(a=None): ..."),
    ("def f(a, b=1): ...", "def f(a, *, b=1): ...", "positional parameters", "def f(a, b=1, /): ..."),
    ("async def f(): ...", "def f(): ...", "no longer async", "async def f() -> None: ..."),
    ("class A:\n def m(self): ...", "class A:\n def n(self): ...", "A has no m", "class A:\n def m(self, x=1): ..."),
    (
        "class A:\n async def __aexit__(self, *a): ...",
        "class A:\n def __aexit__(self, *a): ...",
        "A.__aexit__ is no longer async",
        "class A:\n async def __aexit__(self, *args): ...",
    ),
    (
        "class A:\n def __init__(self):\n  self.x = 1",
        "class A:\n def __init__(self):\n  self._x = 1",
        "A has no x",
        "class A:\n def __init__(self):\n  self.x = 2",
    ),
    ("class A(B): ...", "class A: ...", "no base B", "class A(B, C): ..."),
    ("class A(object): ...", "class B: ...", "no A any more", "class A: ..."),
    (
        "class A:\n @property\n def m(self): ...",
        "class A:\n def m(self): ...",
        "no longer a property",
        "class A:\n @property\n def m(self) -> int: ...",
    ),
    (
        "class A:\n __slots__ = ('b', 'a')",
        "class A:\n __slots__ = ('a', 'b')",
        "__slots__ of A",
        "class A:\n __slots__ = ['b', 'a']",
    ),
    (
        "@dataclass\nclass A:\n x: int\n y: int",
        "@dataclass\nclass A:\n y: int\n x: int",
        "fields of A change their order",
        "@dataclass\nclass A:\n x: int\n y: int\n z: int = 0",
    ),
    (
        "P = namedtuple('P', 'x y')",
        "P = namedtuple('P', 'y x')",
        "fields of P",
        "P = namedtuple('P', ['x', 'y', 'z'])",
    ),
    (
        "class E(Enum):\n A = True\n B = False",
        "class E(Enum):\n A = auto()\n B = auto()",
        "E.A has another value",
        "class E(Enum):\n A = True\n B = False\n C = 3",
    ),
    (
        "__all__ = ['a', 'b']\na = b = 1",
        "__all__ = ['a']\na = b = 1",
        "__all__ has no b",
        "__all__ = ('b', 'a')\na = b = 1",
    ),
    (
        "def f(x):\n raise ValueError(x)",
        "def f(x):\n raise TypeError(x)",
        "raises TypeError in place of ValueError",
        "def f(x):\n raise ValueError(str(x)) from None",
    ),
    (
        "if A:\n def f(a): ...\nelse:\n def f(a): ...",
        "if A:\n g = 1",
        "no f any more",
        "if A:\n def f(a): ...",
    ),
]


@pytest.mark.parametrize(("before", "broken", "words", "fine"), ROWS, ids=[row[2] for row in ROWS])
def test_an_edit_breaks_the_surface_or_leaves_it(before: str, broken: str, words: str, fine: str) -> None:
    assert words in " ".join(map(str, broken_surface("pkg/a.py", before, broken)))
    assert broken_surface("pkg/a.py", before, fine) == ()


@pytest.mark.parametrize("path", ["tests/test_a.py", "pkg/tests/a.py", "docs/conf.py", "pkg/_a.py", "conftest.py"])
def test_a_module_that_is_for_nobody_else_has_no_surface(path: str) -> None:
    assert broken_surface(path, "def f(): ...", "x = 1") == ()


@pytest.mark.parametrize(
    ("build", "text"),
    [
        ("pyproject.toml", '[project.scripts]\nprog = "pkg.cli:main"\n'),
        ("setup.cfg", "[options.entry_points]\nconsole_scripts =\n    prog = pkg.cli:main\n"),
        ("setup.py", "setup(entry_points={'console_scripts': ['prog = pkg.cli:main']})\n"),
    ],
)
@pytest.mark.parametrize("path", ["pkg/cli.py", "src/pkg/cli/__init__.py"])
def test_an_entry_point_must_lead_somewhere(build: str, text: str, path: str) -> None:
    before = {build: text, path: "def main(): ...\n"}
    assert broken_entry_points(before, before) == ()
    assert broken_entry_points(before, {**before, path: "from pkg.run import main\n"}) == ()
    (lost,) = broken_entry_points(before, {**before, path: "def _main(): ...\n"})
    assert (lost.path, lost.names) == (path, ("main",))
    (lost,) = broken_entry_points(before, {**before, build: text.replace("main", "gone")})
    assert "pkg.cli:gone" in lost.text
    assert broken_entry_points({**before, path: ""}, {**before, path: "x = 1"}) == (), "it led nowhere before"
