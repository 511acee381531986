"""The normal form: what a linter writes in place of something is the same, and what does something else is not."""

from __future__ import annotations

import pytest

from jido_ai.improve.effects import CodeEffect, effects, lost_imports
from jido_ai.improve.hunks import LineEdit
from jido_ai.improve.normal_form import changed_parts

SAME = [
    ("class A(object):\n x = 1\n y = 2", "class A:\n x = 1\n y = 2"),
    ("def f(x):\n return io.open(x, 'r', encoding='utf-8')", "def f(x):\n return open(x, encoding='utf-8')"),
    ("async def f(x: int) -> int:\n return x", "async def f(x):\n return x"),
    ("def f():\n try: g()\n except socket.error: h()", "def f():\n try: g()\n except OSError: h()"),
    ("def f():\n try: g()\n except (B, A): h()", "def f():\n try: g()\n except (A, B, A): h()"),
    ("x = g(u'a')", "x = g('a')"),
    ("def f(x):\n if x: return None\n g()", "def f(x):\n if x: return\n g()"),
    ("def f(x):\n return {k: 1 for k in x.keys()}", "def f(x):\n return {k: 1 for k in x}"),
    ("x = dict()", "x = {}"),
    ("x = set([1, 2])", "x = {1, 2}"),
    ("def f(x):\n return '%s %r' % (x, 1)", "def f(x):\n return f'{x!s} {1!r}'"),
    ("def f(x):\n return 'a{}b{:>3}'.format(x, 2)", "def f(x):\n return f'a{x}b{2:>3}'"),
    ("def f(x):\n return '{n}'.format(n=x)", "def f(x):\n return f'{x}'"),
    ("def f(x):\n return not x in y", "def f(x):\n return x not in y"),
    ("def f(x):\n return None == x", "def f(x):\n return x == None"),
    ("def f(x):\n if x == 1: return True\n else: return False", "def f(x):\n return x == 1"),
    ("def f(x):\n if x:\n  return 1\n else:\n  g()\n  return 2", "def f(x):\n if x:\n  return 1\n g()\n return 2"),
    ("def f(x):\n if x: y = 1\n else: y = 2\n return y", "def f(x):\n return 1 if x else 2"),
    ("def f(x):\n if x:\n  if y: g()", "def f(x):\n if x and y: g()"),
    ("def f(x):\n for y in x: yield y", "def f(x):\n yield from x"),
    (
        "def f(x):\n try: g()\n except (KeyError, IOError): pass",
        "def f(x):\n with contextlib.suppress(OSError, KeyError): g()",
    ),
    ("def f(x):\n raise ValueError('a')", "def f(x):\n message = 'a'\n raise ValueError(message)"),
    ("def f(x):\n raise KeyError()", "def f(x):\n raise KeyError"),
    ("def g():\n f = lambda x: x + 1\n return f(2)", "def g():\n def f(x): return x + 1\n return f(2)"),
    ("def f(x):\n return isinstance(x, A) or isinstance(x, B)", "def f(x):\n return isinstance(x, (A, B))"),
    ("def f(x):\n return x.startswith('a') or x.startswith('b')", "def f(x):\n return x.startswith(('a', 'b'))"),
    ("def f(x):\n return 1 < x and x < 2", "def f(x):\n return 1 < x < 2"),
    ("def f(x):\n return x == 1 or x == 2", "def f(x):\n return x in {1, 2}"),
    ("class A(object):\n def f(self): super(A, self).f()", "class A:\n def f(self): super().f()"),
    ('def f(x: int) -> int:\n """Say."""\n y: int = x\n return y', "def f(x):\n return x"),
    ("class A(B):\n x: Optional[List['int']] = None", "class A(B):\n x: list[int] | None = None"),
    ("def f(x):\n for i in x.keys(): g()", "def f(x):\n for _i in x: g()"),
    ("def f(x):\n y = g()\n h()", "def f(x):\n g()\n h()"),
    ("def f(x):\n for y in x:\n  if y: return True\n return False", "def f(x):\n return any(y for y in x)"),
    ("def f(x):\n return [y for y in x]", "def f(x):\n return list(x)"),
    ("def f(x):\n return x + [1]", "def f(x):\n return [*x, 1]"),
    ("def f(x):\n return t.cast(int, x)", "def f(x):\n return t.cast('int', x)"),
    ("@lru_cache(maxsize=None)\ndef f(): return 1", "@functools.cache\ndef f(): return 1"),
    ("def f(p): return open(p, 'r')", "def f(p): return open(p)"),
    ("def f(x):\n return x if x else 1", "def f(x):\n return x or 1"),
    ("import a\nimport b\nx = 1", "from b import c\nx = 1"),
    ("x = 1", "x = 1\n\ndef new(): return 2"),
]
OTHER = [
    ("def f(x):\n return cast(x.a, Integer)", "def f(x):\n return cast(x.b, Integer)"),
    ("def f():\n return\n yield", "def f():\n return"),
    ("def f():\n global n\n n = g()\n return n", "def f():\n return g()"),
    ("def f():\n global n\n n = g()\n return n", "def f():\n global n\n return g()"),
    (
        "def d(f):\n @functools.wraps(f)\n def g(*a): return f(*a)\n return g",
        "def d(f):\n def g(*a): return f(*a)\n return g",
    ),
    ("def f(a, b=1): return a", "def f(a, b=2): return a"),
    ("def f():\n yield 1", "def f():\n return [1]"),
    ("def f():\n try: g()\n except Exception: return 1", "def f():\n try: g()\n except ValueError: return 1"),
    ("def f():\n try: g()\n except Exception:\n  log()\n  raise", "def f():\n try: g()\n except Exception:\n  log()"),
    ("def f():\n try: g()\n finally: h()", "def f():\n g()\n h()"),
    ("def f(x):\n if x is None: return 1\n return 2", "def f(x):\n if not x: return 1\n return 2"),
    ("def f(d):\n for k in list(d): d.pop(k)", "def f(d):\n for k in d: d.pop(k)"),
    ("def f(a,b): return list(zip(a,b))", "def f(a,b): return list(zip(a,b,strict=True))"),
    (
        "class A(B):\n def __init__(self):\n  super().__init__()\n  self.x=1",
        "class A(B):\n def __init__(self):\n  self.x=1",
    ),
    ("@dataclass(frozen=True)\nclass A:\n x: int", "@dataclass\nclass A:\n x: int"),
    ("def f(x): return '%s' % x", "def f(x): return f'{x}'"),
    ("def f(x): return '%d' % x", "def f(x): return f'{x}'"),
    ("def f(x): return '{:.2f}'.format(x)", "def f(x): return f'{x}'"),
    ("N=0\ndef f():\n global N\n N=1", "N=0\ndef f():\n N=1"),
    ("async def f():\n async for x in g(): h(x)", "async def f():\n for x in g(): h(x)"),
    ("def f(p):\n with open(p) as s: return s.read()", "def f(p):\n s = open(p)\n return s.read()"),
    ("def f(self):\n with self.lock:\n  self.n += 1", "def f(self):\n self.n += 1"),
    ("def f(x=None):\n x = x or []\n return x", "def f(x=[]):\n return x"),
    ("class A:\n def __init__(self): self.x = []", "class A:\n x = []\n def __init__(self): pass"),
    ("def f():\n return [lambda i=i: i for i in range(3)]", "def f():\n return [lambda: i for i in range(3)]"),
    ("def f(a,b): return not (a or b)", "def f(a,b): return not a or not b"),
    ("def f(a,b,c): return a < b and b < c", "def f(a,b,c): return a < b > c"),
    ("def f(x):\n for y in x:\n  if y: return True\n return False", "def f(x): return all(y for y in x)"),
    ("def f(x):\n if x: return 1\n return 2", "def f(x):\n if x: return 1"),
    ("def f(x):\n if not x: raise ValueError('x')\n return x", "def f(x):\n return x"),
    (
        "class A:\n def __eq__(self,o):\n  return NotImplemented",
        "class A:\n def __eq__(self,o):\n  raise NotImplementedError",
    ),
    ("class P(NamedTuple):\n a: int\n b: int", "class P(NamedTuple):\n b: int\n a: int"),
    ("LIMIT = 10", "LIMIT = 100"),
    ("ORDER = ['a','b']", "ORDER = {'a','b'}"),
    ("@atexit.register\ndef f(): pass", "def f(): pass"),
    ("class A(metaclass=M): pass", "class A: pass"),
    ("def f(p): return open(p, encoding='utf-8')", "def f(p): return open(p)"),
    ("P = re.compile('\\\\d')", "P = re.compile('d')"),
    ("P = re.compile('a', re.I)", "P = re.compile('a')"),
    ("def f(a,b): return {**a, **b}", "def f(a,b): return {**b, **a}"),
    (
        "def f(x):\n for y in x:\n  if y: break\n else:\n  raise K\n return y",
        "def f(x):\n for y in x:\n  if y: break\n raise K\n return y",
    ),
]


def changed(before: str, after: str) -> list[str]:
    return changed_parts(before, after, [(1, before.count("\n") + 1)], [(1, after.count("\n") + 1)])


@pytest.mark.parametrize(("before", "after"), SAME)
def test_another_spelling_is_no_change_of_behaviour(before: str, after: str) -> None:
    assert changed(before, after) == []


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_a_change_of_behaviour_is_seen(before: str, after: str) -> None:
    assert changed(before, after) != []


def test_a_hunk_beside_a_changed_line_has_no_effect_of_its_own() -> None:
    before = "def f(x):\n    y = dict()\n    return g(x, y, 1)\n"
    hunks = {
        0: (LineEdit(1, ("    y = dict()\n",), ("    y = {}\n",)),),
        1: (LineEdit(2, ("    return g(x, y, 1)\n",), ("    return g(x, y, 2)\n",)),),
    }
    after = "def f(x):\n    y = {}\n    return g(x, y, 2)\n"
    assert effects(before, after, hunks) == {1: CodeEffect(("f",), (3,))}


def test_a_deletion_is_judged_by_the_first_step_of_its_function() -> None:
    before = "def f(x):\n    'Say.'\n    a(x)\n    b(x)\n    return 1\n"
    hunk = {0: (LineEdit(3, ("    b(x)\n",), ()),)}
    assert effects(before, before.replace("    b(x)\n", ""), hunk) == {0: CodeEffect(("f",), (3,))}


@pytest.mark.parametrize(
    ("old", "new", "other", "lost"),
    [
        ("import pkg.hooks", "", "", ("pkg.hooks",)),
        ("from . import hooks", "", "", ("pkg.hooks",)),
        ("from .hooks import Hook", "if TYPE_CHECKING:\n    from .hooks import Hook", "", ("pkg.hooks",)),
        ("import readline", "", "", ("readline",)),
        ("import json", "", "", ()),
        ("import pkg.hooks", "from pkg.hooks import Hook", "", ()),
        ("import pkg.hooks", "", "from pkg.hooks import Hook\n", ()),
    ],
)
def test_an_import_that_goes_is_an_effect_where_nothing_else_imports_the_module(
    old: str, new: str, other: str, lost: tuple[str, ...]
) -> None:
    hunk = {0: (LineEdit(1, (f"{old}\n",), (f"{new}\n",)),)}
    found = lost_imports("pkg/a.py", f"import os\n{old}\n", f"import os\n{new}\n", hunk, [other])
    assert found == ({0: CodeEffect((), (), lost)} if lost else {})
