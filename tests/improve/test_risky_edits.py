"""Edits that look harmless: each row has one that changes what the program does, and one that does not."""

from __future__ import annotations

import pytest

from jido_ai.improve.newer_python import newer_aliases
from jido_ai.improve.risky_edits import risky_edits, taken_away

ROWS = [
    ("async def f():\n await g()", "async def f():\n g()", "not awaited", "async def f():\n x = await g()"),
    (
        "import mmap\ndef f():\n return mmap.x",
        "if TYPE_CHECKING:\n import mmap\ndef f():\n return mmap.x",
        "for type checkers alone",
        "from __future__ import annotations\nif TYPE_CHECKING:\n import mmap\ndef f(a: mmap.x) -> mmap.x:\n return a",
    ),
    (
        "import mmap\ndef f(a: mmap.x):\n return a",
        "if TYPE_CHECKING:\n import mmap\ndef f(a: mmap.x):\n return a",
        "for type checkers alone",
        "if TYPE_CHECKING:\n import mmap\ndef f(a: 'mmap.x'):\n return a",
    ),
    ("util.register('a')\nx = 1", "x = 1", "util.register() is not called", "util.register('b')\nx = 2"),
    ("def f(d):\n d.pop(k, None)", "def f(d):\n del d[k]", "raises KeyError", "def f(d):\n d.pop(k, 1)"),
    (
        "def f(x):\n return '{!r}'.format(x)",
        "def f(x):\n return f'{x}'",
        "str() in place of repr()",
        "def f(x):\n return f'{x!r}'",
    ),
    (
        "def f(x):\n return '%r' % x",
        "def f(x):\n return '{}'.format(x)",
        "str() in place of repr()",
        "def f(x):\n return '{!r}'.format(x)",
    ),
    ("A = ('a', 'b', 'c')", "A = ('a', 'b' 'c')", "texts that stood apart", "A = ('a', 'b', 'd')"),
]


@pytest.mark.parametrize(("before", "broken", "words", "fine"), ROWS, ids=[row[2] for row in ROWS])
def test_edits_with_effects_that_they_do_not_show_are_found(before: str, broken: str, words: str, fine: str) -> None:
    assert words in " ".join(map(str, risky_edits("a.py", before, broken)))
    assert risky_edits("a.py", before, fine) == ()


def test_a_builtin_that_is_the_same_only_in_newer_pythons() -> None:
    before, after = "except_ = asyncio.TimeoutError", "except_ = TimeoutError"
    assert newer_aliases((3, 7), before, after) == (("asyncio.TimeoutError", "TimeoutError", (3, 11)),)
    assert newer_aliases((3, 11), before, after) == ()
    assert newer_aliases((3, 7), after, after) == ()
    assert newer_aliases((2, 7), "f = io.open(x)", "f = open(x)") == (("io.open", "open", (3, 0)),)


TAKEN = [
    ("abs(int(x))", "int(x)", "the call abs is gone", "fabs(int(x))"),
    ("x > 0", "x", "the comparison x > 0 is gone", "x >= 0"),
    ("x or []", "x", "the condition x or [] is gone", "x or y or []"),
    ("a or b", "b or a", "the order in a or b is another one", "a or b or c"),
    ("f(a, b)", "f(b, a)", "the order in f(a, b) is another one", "f(a, b, c)"),
    ("f('NFC')", "f('NFKC')", "'NFC' became 'NFKC'", "f('NFC', 'NFKC')"),
    ("x == y", "bool(x) == y", "bool() is new", "g(x) == y"),
    ("NotImplemented", "False", "NotImplemented is gone", "NotImplemented or x"),
]


@pytest.mark.parametrize(("before", "broken", "words", "fine"), TAKEN, ids=[row[2] for row in TAKEN])
def test_an_edit_takes_away_what_nothing_of_its_kind_replaces(before: str, broken: str, words: str, fine: str) -> None:
    assert words in (taken_away(before, broken, broken) or "")
    assert taken_away(before, fine, fine) is None


def test_an_exception_its_cause_and_what_is_caught_may_be_taken_away() -> None:
    before = "try:\n  f()\nexcept KeyError as e:\n  g()\n  raise E(1) from e"
    assert taken_away(before, new := before.replace(" from e", ""), new) == "the cause e is gone"
    assert taken_away(before, new := before.replace("KeyError", "Exception"), new) is not None
    assert (
        taken_away(before.replace("E(1) from e", ""), new := before.replace("raise E(1) from e", ""), new) is not None
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("k in d.keys()", "k in d"),
        ("for k in d.keys():\n f(k)", "for k in d:\n f(k)"),
        ("[k for k in d.keys()]", "[k for k in d]"),
        ("x = dict()", "x = {}"),
        ("set([a, b])", "{a, b}"),
        ("list(f(x) for x in y)", "[f(x) for x in y]"),
    ],
)
def test_a_call_that_only_repeats_what_it_stands_around_takes_nothing_away(before: str, after: str) -> None:
    assert taken_away(before, after, after) is None


def test_keys_that_are_returned_are_a_step_of_their_own() -> None:
    assert taken_away("x = d.keys()", "x = d", "x = d") == "the call keys is gone"


def test_a_step_that_moves_to_another_edit_is_not_taken_away() -> None:
    before, after = "def f(x):\n return abs(x)\ny = 1", "def f(x):\n return x\ny = abs(1)"
    assert taken_away(before, after.replace("abs(1)", "1"), after) is None
