"""The order of edits, and that each is valid and one; the lessons of repairs."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis.strategies import sampled_from, sets

from jido_ai.improve.repair.mutation import (
    OPERATORS,
    Mutation,
    mutations,
)
from jido_ai.values import MemoryEntry


def test_changes_by_an_operator_that_fits_few_places_come_first() -> None:
    source = f"def f(a, i):\n    return {'1, ' * 12}a > i\n"
    found = [one for one in mutations(source, {2: 1.0}) if one.size == 2]
    assert [one.operator for one in found[:2]] == ["opposite", "constant"]


def test_no_more_changes_are_returned_than_asked_for_and_these_are_the_first() -> None:
    assert list(mutations(PROGRAM, {6: 1.0}, max_results=3)) == list(mutations(PROGRAM, {6: 1.0}))[:3]


def test_only_lines_under_suspicion_are_changed_and_a_head_without_its_block() -> None:
    source = "def f(a):\n    if a < 1:\n        return 2\n    return 3\n"

    def changed(suspicion: dict[int, float]) -> list[Mutation]:
        found = mutations(source, suspicion, max_lines=2)
        return [one for one in found if not OPERATORS[one.operator].is_of_statement]

    assert {one.line for one in changed({2: 0.5})} == {2}
    assert {one.line for one in changed({2: 0.5, 3: 1.0, 4: 0.1})} == {2, 3}
    assert {one.before for one in changed({2: 0.5})} == {"if a < 1:"}


def test_small_changes_and_changes_of_suspicious_lines_come_first() -> None:
    source = "def f(a, b):\n    x = a < b\n    y = a < b\n    return x\n"
    found = list(mutations(source, {2: 0.5, 3: 1.0}))
    sizes = [one.size for one in found if one.operator == "variable" and one.line == 3]
    assert sizes == sorted(sizes)
    assert [one.line for one in found if one.operator == "boundary"] == [3, 2]


def test_a_change_of_a_line_half_as_suspicious_is_an_eighth_as_probable() -> None:
    source = "def f(a, b):\n    a = a - b\n    b = b - a\n    return a, b\n"
    found = {one.after: one for one in mutations(source, {2: 1.0, 3: 0.5}) if one.operator == "arithmetic"}
    assert found["b = b + a"].weight == pytest.approx(found["a = a + b"].weight / 8)


def test_changes_whose_code_occurs_elsewhere_come_first() -> None:
    source = "def g(a, b, c):\n    return a[b + 1] < c[b]\n\n\ndef f(a, b, c):\n    return a[b] < c[b]\n"
    found = [one.after for one in mutations(source, {6: 1.0}) if one.operator == "off-by-one"]
    assert found[0] == "return a[b + 1] < c[b]"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_columns_count_characters_and_brackets_comments_and_line_endings_stay(end: str) -> None:
    source = "def f(ä, b):\n    return 'ß' + ((ä)  # why < not\n        < b)\n".replace("\n", end)
    (found,) = [one for one in mutations(source, {2: 1.0}) if one.operator == "boundary"]
    assert found.apply(source) == source.replace("        < b", "        <= b")


def test_text_that_is_not_python_is_refused() -> None:
    with pytest.raises(SyntaxError):
        mutations("def f(:\n", {1: 1.0})


# -- memory


def lesson(correction: str) -> MemoryEntry:
    return MemoryEntry("p", "m", correction)


# -- properties

PROGRAM = '''\
"""Doc."""
LIMIT = 10


class Stock:
    def add(self, part, amount=1, *, müsli=False):
        if part is None or amount <= 0 and not müsli:
            raise ValueError(f"{part!r}: {amount + 1}")
        rest = [one[0] for one in self.parts if one[1] - amount > LIMIT]  # ß
        for index in range(1, len(rest)):
            rest[index - 1], rest[index] = rest[index], rest[index - 1]
            if index % 2 == 0: continue
        while rest and amount:
            amount -= 1
        return sorted(rest, key=lambda one: (one.size, -one.weight)), {a: b for a, b in self.parts}
'''


@settings(max_examples=15, deadline=None)
@given(sets(sampled_from(range(1, 17)), min_size=1, max_size=3), sampled_from(["\n", "\r\n"]))
@pytest.mark.slow
def test_every_change_is_valid_is_one_and_leaves_all_other_lines_byte_for_byte(lines: set[int], end: str) -> None:
    source = PROGRAM.replace("\n", end)
    found = list(mutations(source, dict.fromkeys(lines, 1.0)))
    results = [one.apply(source) for one in found]
    assert len(set(results)) == len(results)
    for one, result in zip(found, results, strict=True):
        ast.parse(result)
        assert one.operator in OPERATORS
        if OPERATORS[one.operator].is_of_statement:
            continue
        before, after = source.splitlines(keepends=True), result.splitlines(keepends=True)
        assert [row for row, (a, b) in enumerate(zip(before, after, strict=True), 1) if a != b] == [one.line]


SYNTAX = {
    "handlers": (
        "try:\n    f()\nexcept (A, B) as e:\n    g(1)\nexcept C[0]:\n    h()\nelse:\n    i()\nfinally:\n    j()\n"
    ),
    "one-line handlers": "try: f()\nexcept (A, B): g()\nfinally: h(1)\n",
    "groups of exceptions": "try:\n    f()\nexcept* (A, B):\n    g(1)\n",
    "match": (
        "match x, y:\n    case (1, z) if z > 1 and z < n:\n        f(z)\n"
        "    case [a, *b] | {'k': a, **b}:\n        g()\n"
        "    case C(1, k=-2) | None:\n        pass\n    case _ if (w := x + 1): h()\n"
    ),
    "decorators": (
        "@a(1)\n@b.c(\n    x + 1,\n    (1, 2),\n)\ndef f(x, /, y=1, *z, k: int = 2, **w) -> x[0]:\n    return y\n"
    ),
    "a decorated statement first in a block": (
        "class A(B, metaclass=c(1, 2)):\n    @p(1)\n    def f(self): return 1 + 1\n"
    ),
    "a decorated class": "@a(1, 2)\nclass A: x = 1\n",
    "an assignment expression": "if (n := len(a)) > 1 and (m := n - 1):\n    f(n)\n",
    "defaults of lambdas": "f = lambda x=1, *y, z=a + b, **k: (x, -y, [z])\n",
    "f-strings": "x = f'{a + 1!r:>{w - 1}} {f\"{b[1]}\"} {{}}' f'{c}' 'd'\n",
    "async comprehensions": (
        "async def f(a):\n    async for x, y in g(a, 1):\n        yield x\n    async with a(1) as b, c: pass\n"
        "    return [await x async for x in a if x > 1 async for y in x if not y]\n"
    ),
    "comprehensions": "x = {a: b for a, b in c if a if b > 1}, {*a, *b}, (i for i in range(n))\n",
    "stars": "a, *b = *c, *d\nf(*a, *b, **c)\nx[*a, 1:2, ::3]\nfor x in *a, *b:\n    g(x)\n",
    "empty tuples": "x = ()\nf(())\nx[()]\nfor y in ():\n    pass\nreturn_ = ((),)\n",
    "loops with else": "for i in range(1, n):\n    break\nelse:\n    f(i - 1)\nwhile a > 1:\n    continue\nelse: g()\n",
    "if in a row": "if a > 1: b()\nelif a < 1:\n    c()\nelse: d(1)\n",
    "several on a row": "x = 1; y = x + 1; assert x < y, (x, y)\n",
    "rows that go on": "x = a + \\\n    1\nreturned = (  # why\n    a\n    <  # less\n    b\n)\n",
    "other letters": "é = 'ß' + f(ö, 1)\nif é == 'ü' and ö < 1: ä = é[1]\n",
    "tabs and form feeds": "if x > 1:\n\ty = 1 + 1\n\f\ndef f():\n\treturn 1 + 1\n",
    "other row ends": "if x > 1:\r\n    y = a + 1\rz = b < 1\r\n",
    "scopes": (
        "def f(a):\n    global g\n    def h(b):\n        nonlocal a\n        del b[0], a\n"
        "        raise E(1) from None\n    return h\n"
    ),
    "types": "x: list[int] = [1, 2]\ny: int\ndef f(a: 'int' = 1) -> (int, str): ...\n",
    "texts with no end": "x = 1 + 1",
    "aliases of types": (
        "type A[T: (int, str), *U, **V] = list[T]\ndef f[T](x: T) -> T: return x\nclass B[T](C[T]): y = 1\n"
    ),
    "new f-strings": "x = f'{'a' + f'{b + 1}'}' f'{c # why\n}'\n",
}


@pytest.mark.parametrize("form", SYNTAX)
def test_every_form_of_syntax_can_be_changed_on_any_of_its_lines(form: str) -> None:
    source = SYNTAX[form]
    try:
        ast.parse(source)
    except SyntaxError:
        pytest.skip("this Python does not know it")
    rows = len(source.splitlines())
    together = {one.apply(source) for one in mutations(source, dict.fromkeys(range(1, rows + 2), 1.0))}
    for row in range(1, rows + 2):
        for one in mutations(source, {row: 1.0}):
            assert one.apply(source) in together
            assert one.after.strip() or not one.before.strip() or one.operator == "remove"
            ast.parse(one.apply(source))


@pytest.mark.parametrize(
    ("source", "row", "before", "after"),
    [
        ("try:\n    f()\nexcept (A, B):\n    g()\n", 3, "except (A, B):", "except (B, A):"),
        ("match x:\n    case y if y > 1:\n        f()\n", 2, "y if y > 1:", "y if y >= 1:"),
        ("@cache(1)\ndef f():\n    return 1\n", 1, "@cache(1) def f():", "@cache(2) def f():"),
    ],
)
def test_a_change_of_a_handler_case_or_decorator_is_described_by_its_own_code(
    source: str, row: int, before: str, after: str
) -> None:
    assert (before, after) in {(one.before, one.after) for one in mutations(source, {row: 1.0})}


def test_a_suspicious_line_changes_the_handler_it_is_in_and_no_other() -> None:
    source = "try:\n    f()\nexcept (A, B):\n    g()\nexcept (C, D):\n    h()\n"
    assert {one.line for one in mutations(source, {5: 1.0})} == {5}
    assert {one.line for one in mutations(source, {1: 1.0})} == set()


@pytest.mark.parametrize(
    ("code", "line", "nobody_means"),
    [
        (
            "class C:\n    def __init__(self):\n        self.a = []\n\n    def f(self, i):\n        self.a[i] = None\n",
            6,
            "self.a[i] = self.a",
        ),
        ("def f(a, n):\n    return (a + 1) % n\n", 2, "return a + (1 % n)"),
        ("END = None\n\n\ndef f(n):\n    return [END] + [None] * n\n", 5, "return [END] + [None, END] * n"),
    ],
)
def test_redundant_code_is_not_proposed(code: str, line: int, nobody_means: str) -> None:
    found = {one.after for one in mutations(code, {line: 1.0}, max_results=5_000)}
    assert found
    assert nobody_means not in found


def test_the_probabilities_of_all_changes_sum_to_one() -> None:
    source = "def f(a, b):\n    return a < b\n"
    assert 0.5 < sum(one.weight for one in mutations(source, {2: 1.0})) <= 1.0 + 1e-9


def test_forty_equally_suspicious_lines_are_changed() -> None:
    source = "def f(a):\n" + "    a.b(1)\n" * 50
    assert {one.line for one in mutations(source, dict.fromkeys(range(2, 52), 0.5))} == set(range(2, 42))
