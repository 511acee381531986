"""Programs of ten kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---------------------------------------------------------- structures
    Program(
        name="ring_log",
        code=r'''"""A log of fixed size which keeps the newest entries."""


class RingLog:
    """Keeps the last `size` entries; older ones are overwritten."""

    def __init__(self, size):
        if size < 1:
            raise ValueError("size must be positive")
        self._slots = [None] * size
        self._next = 0
        self._count = 0

    def add(self, entry):
        """Store an entry, overwriting the oldest one if the log is full."""
        self._slots[self._next] = entry
        self._next = (self._next + 1) % len(self._slots)
        self._count = min(self._count + 1, len(self._slots))

    def __len__(self):
        return self._count

    def entries(self):
        """The stored entries as a list, oldest first."""
        start = self._next - self._count
        return [
            self._slots[(start + i) % len(self._slots)]
            for i in range(self._count)
        ]

    def latest(self, n=1):
        """The newest `n` entries, newest first (fewer if there are fewer)."""
        return self.entries()[::-1][:n]

    def clear(self):
        """Forget everything."""
        self._slots = [None] * self._count
        self._next = 0
        self._count = 0
''',
        wrong="self._slots = [None] * self._count",
        right="self._slots = [None] * len(self._slots)",
        visible=r"""
def test_keeps_order():
    log = RingLog(3)
    for x in "ab":
        log.add(x)
    assert log.entries() == ["a", "b"]

def test_overwrites_oldest():
    log = RingLog(3)
    for x in "abcde":
        log.add(x)
    assert log.entries() == ["c", "d", "e"]
    assert len(log) == 3

def test_latest():
    log = RingLog(4)
    for x in range(6):
        log.add(x)
    assert log.latest() == [5]
    assert log.latest(2) == [5, 4]

def test_bad_size():
    with pytest.raises(ValueError):
        RingLog(0)

def test_reuse_after_clear():
    log = RingLog(3)
    log.add("x")
    log.clear()
    assert len(log) == 0
    for x in "abc":
        log.add(x)
    assert log.entries() == ["a", "b", "c"]
""",
        hidden=r"""
def test_clear_empty_log():
    log = RingLog(2)
    log.clear()
    log.add(1)
    log.add(2)
    log.add(3)
    assert log.entries() == [2, 3]

def test_clear_full_log():
    log = RingLog(2)
    for i in range(5):
        log.add(i)
    log.clear()
    assert log.entries() == []
    log.add(9)
    assert log.entries() == [9]

def test_clear_twice():
    log = RingLog(3)
    log.add(1)
    log.add(2)
    log.clear()
    log.clear()
    for i in range(4):
        log.add(i)
    assert log.entries() == [1, 2, 3]
    assert len(log) == 3

def test_latest_more_than_there_are():
    log = RingLog(5)
    log.add("a")
    log.add("b")
    assert log.latest(10) == ["b", "a"]
""",
    ),
    Program(
        name="linked_queue",
        code=r'''"""A singly linked queue with removal from the middle."""


class _Node:
    def __init__(self, value):
        self.value = value
        self.next = None


class LinkedQueue:
    """First in, first out; any waiting value may also leave early."""

    def __init__(self, values=()):
        self._head = None
        self._tail = None
        for value in values:
            self.push(value)

    def push(self, value):
        """Append a value at the end."""
        node = _Node(value)
        if self._tail is None:
            self._head = node
        else:
            self._tail.next = node
        self._tail = node

    def pop(self):
        """Remove and return the first value; IndexError if empty."""
        if self._head is None:
            raise IndexError("queue is empty")
        node = self._head
        self._head = node.next
        if self._head is None:
            self._tail = None
        return node.value

    def remove(self, value):
        """Remove the first node equal to value; tell whether there was one."""
        previous, node = None, self._head
        while node is not None:
            if node.value == value:
                if previous is None:
                    self._head = node.next
                else:
                    previous.next = node.next
                if node is self._tail:
                    self._tail = node.next
                return True
            previous, node = node, node.next
        return False

    def __iter__(self):
        node = self._head
        while node is not None:
            yield node.value
            node = node.next
''',
        wrong="self._tail = node.next\n                return True",
        right="self._tail = previous\n                return True",
        visible=r"""
def test_fifo():
    q = LinkedQueue([1, 2, 3])
    assert [q.pop(), q.pop(), q.pop()] == [1, 2, 3]

def test_pop_empty():
    q = LinkedQueue([1])
    q.pop()
    with pytest.raises(IndexError):
        q.pop()

def test_remove_middle():
    q = LinkedQueue("abc")
    assert q.remove("b")
    assert list(q) == ["a", "c"]

def test_remove_missing():
    q = LinkedQueue("abc")
    assert not q.remove("z")
    assert list(q) == ["a", "b", "c"]

def test_remove_last_then_push():
    q = LinkedQueue("abc")
    assert q.remove("c")
    q.push("d")
    assert list(q) == ["a", "b", "d"]
""",
        hidden=r"""
def test_remove_last_of_two():
    q = LinkedQueue([1, 2])
    q.remove(2)
    q.push(3)
    q.push(4)
    assert list(q) == [1, 3, 4]

def test_remove_only_one():
    q = LinkedQueue([1])
    assert q.remove(1)
    assert list(q) == []
    q.push(2)
    assert list(q) == [2]

def test_remove_several_from_the_end():
    q = LinkedQueue([1, 2, 3, 4])
    q.remove(4)
    q.remove(3)
    q.push(5)
    assert [q.pop(), q.pop(), q.pop()] == [1, 2, 5]

def test_remove_first_duplicate_only():
    q = LinkedQueue([1, 2, 1])
    q.remove(1)
    assert list(q) == [2, 1]
""",
    ),
    Program(
        name="interval_set",
        code=r'''"""Sets of whole numbers stored as half-open intervals."""


def normalize(intervals):
    """Sorted, disjoint intervals covering the same numbers.

    An interval (a, b) covers a, a+1, ..., b-1.  Empty intervals are dropped;
    overlapping and touching intervals are joined.
    """
    result = []
    for start, end in sorted(intervals):
        if start >= end:
            continue
        if result and start <= result[-1][1]:
            last_start, last_end = result[-1]
            result[-1] = (last_start, max(last_end, end))
        else:
            result.append((start, end))
    return result


def size(intervals):
    """How many different numbers are covered."""
    return sum(end - start for start, end in normalize(intervals))


def contains(intervals, number):
    """Whether some interval covers the number."""
    return any(start <= number < end for start, end in intervals)


def subtract(intervals, hole):
    """The normalized intervals without the numbers covered by `hole`."""
    cut_start, cut_end = hole
    result = []
    for start, end in normalize(intervals):
        if cut_start >= cut_end or end <= cut_start or start >= cut_end:
            result.append((start, end))
            continue
        if start < cut_start:
            result.append((start, cut_start))
        elif end > cut_end:
            result.append((cut_end, end))
    return result
''',
        wrong="        elif end > cut_end:",
        right="        if end > cut_end:",
        visible=r"""
def test_normalize():
    assert normalize([(5, 8), (1, 3), (3, 4), (6, 7)]) == [(1, 4), (5, 8)]

def test_size():
    assert size([(0, 5), (3, 6), (9, 9)]) == 6

def test_contains():
    assert contains([(1, 3)], 1)
    assert not contains([(1, 3)], 3)

def test_subtract_edges():
    assert subtract([(0, 5)], (3, 9)) == [(0, 3)]
    assert subtract([(0, 5)], (-2, 2)) == [(2, 5)]

def test_subtract_whole():
    assert subtract([(0, 5), (7, 9)], (0, 6)) == [(7, 9)]

def test_subtract_inside():
    assert subtract([(0, 10)], (4, 6)) == [(0, 4), (6, 10)]
""",
        hidden=r"""
def test_subtract_one_number():
    assert subtract([(1, 4), (6, 9)], (7, 8)) == [(1, 4), (6, 7), (8, 9)]

def test_subtract_over_two():
    assert subtract([(0, 4), (6, 9)], (2, 7)) == [(0, 2), (7, 9)]

def test_subtract_joined():
    assert subtract([(0, 3), (3, 8)], (2, 4)) == [(0, 2), (4, 8)]

def test_subtract_nothing():
    assert subtract([(0, 3)], (2, 2)) == [(0, 3)]
    assert subtract([], (0, 3)) == []
""",
    ),
    Program(
        name="multimap",
        code=r'''"""A mapping from a key to several values, with the way back."""

from collections import defaultdict


class MultiMap:
    """Each key has a set of values; both directions can be looked up."""

    def __init__(self):
        self._forward = defaultdict(set)
        self._backward = defaultdict(set)

    def add(self, key, value):
        """Connect key and value; connecting twice changes nothing."""
        self._forward[key].add(value)
        self._backward[value].add(key)

    def discard(self, key, value):
        """Disconnect key and value, if they are connected."""
        self._drop(self._forward, key, value)
        self._drop(self._backward, value, key)

    @staticmethod
    def _drop(table, first, second):
        if first in table:
            table[first].discard(second)
            if not table[first]:
                del table[first]

    def values(self, key):
        """A new set with the values of the key (empty if unknown)."""
        return set(self._forward[key])

    def keys(self, value):
        """A new set with the keys which have the value (empty if none)."""
        return set(self._backward.get(value, ()))

    def remove_key(self, key):
        """Disconnect the key from all its values."""
        for value in self.values(key):
            self.discard(key, value)

    def __len__(self):
        """The number of keys which have at least one value."""
        return len(self._forward)

    def __contains__(self, key):
        return key in self._forward
''',
        wrong="return set(self._forward[key])",
        right="return set(self._forward.get(key, ()))",
        visible=r"""
def build():
    m = MultiMap()
    m.add("ann", "red")
    m.add("ann", "blue")
    m.add("bob", "red")
    return m

def test_lookup():
    m = build()
    assert m.values("ann") == {"red", "blue"}
    assert m.keys("red") == {"ann", "bob"}

def test_discard():
    m = build()
    m.discard("bob", "red")
    assert "bob" not in m
    assert m.keys("red") == {"ann"}
    assert len(m) == 1

def test_remove_key():
    m = build()
    m.remove_key("ann")
    assert len(m) == 1
    assert m.keys("blue") == set()

def test_unknown_key():
    m = build()
    assert m.values("zoe") == set()
    assert "zoe" not in m
    assert len(m) == 2

def test_result_is_a_copy():
    m = build()
    m.values("ann").clear()
    assert m.values("ann") == {"red", "blue"}
""",
        hidden=r"""
def test_remove_unknown_key():
    m = MultiMap()
    m.remove_key("x")
    assert len(m) == 0
    assert "x" not in m

def test_look_up_after_removal():
    m = MultiMap()
    m.add(1, 2)
    m.remove_key(1)
    assert m.values(1) == set()
    assert len(m) == 0

def test_values_known():
    m = MultiMap()
    m.add(1, 2)
    m.add(1, 2)
    assert m.values(1) == {2}
    assert m.keys(2) == {1}
""",
    ),
    # ----------------------------------------------------------- recursion
    Program(
        name="flatten_dict",
        code=r'''"""Nested dictionaries to flat ones and back."""


def flatten(tree, sep=".", prefix=""):
    """Turn {"a": {"b": 1}} into {"a.b": 1}.

    Only dictionaries are descended into.  An empty dictionary below the top
    is kept as a value, so that unflatten(flatten(tree)) gives tree back.
    """
    flat = {}
    for key, value in tree.items():
        path = prefix + key
        if isinstance(value, dict) and value:
            flat.update(flatten(value, prefix=path + sep))
        else:
            flat[path] = value
    return flat


def unflatten(flat, sep="."):
    """The opposite of flatten."""
    tree = {}
    for path, value in flat.items():
        *parents, last = path.split(sep)
        node = tree
        for name in parents:
            node = node.setdefault(name, {})
        node[last] = value
    return tree


def depth(tree):
    """0 for anything but a dictionary, else 1 more than the deepest value."""
    if not isinstance(tree, dict):
        return 0
    return 1 + max((depth(value) for value in tree.values()), default=0)
''',
        wrong="flat.update(flatten(value, prefix=path + sep))",
        right="flat.update(flatten(value, sep, path + sep))",
        visible=r"""
def test_flatten():
    assert flatten({"a": {"b": 1, "c": {"d": 2}}, "e": 3}) == {"a.b": 1, "a.c.d": 2, "e": 3}

def test_empty_inside():
    assert flatten({"a": {"b": {}}}) == {"a.b": {}}

def test_round_trip():
    tree = {"x": {"y": {"z": [1, 2]}, "w": None}}
    assert unflatten(flatten(tree)) == tree

def test_own_separator():
    assert flatten({"a": {"b": {"c": 1}}}, sep="/") == {"a/b/c": 1}

def test_depth():
    assert depth(5) == 0
    assert depth({}) == 1
    assert depth({"a": {"b": 1}}) == 2
""",
        hidden=r"""
def test_own_separator_deep():
    assert flatten({"a": {"b": {"c": {"d": 0}}, "e": 1}}, sep="__") == {"a__b__c__d": 0, "a__e": 1}

def test_round_trip_own_separator():
    tree = {"a": {"b.c": {"d": 1, "e": {}}}}
    assert unflatten(flatten(tree, sep=":"), sep=":") == tree

def test_shallow_own_separator():
    assert flatten({"a": {"b": 1}}, "-") == {"a-b": 1}

def test_prefix():
    assert flatten({"a": {"b": 1}}, prefix="top.") == {"top.a.b": 1}
""",
    ),
    Program(
        name="boolean_formula",
        code=r'''"""Boolean formulas as nested tuples.

A formula is True, False, a variable name, ("not", f), ("and", f, g, ...)
or ("or", f, g, ...).
"""


def variables(formula):
    """The set of variable names in the formula."""
    if isinstance(formula, bool):
        return set()
    if isinstance(formula, str):
        return {formula}
    names = set()
    for part in formula[1:]:
        names |= variables(part)
    return names


def simplify(formula):
    """An equivalent formula without needless constants.

    Constants disappear unless the whole formula is constant, double
    negations cancel, and an "and"/"or" with one part left is that part.
    """
    if isinstance(formula, (bool, str)):
        return formula
    op, *parts = formula
    parts = [simplify(part) for part in parts]
    if op == "not":
        inner = parts[0]
        if isinstance(inner, bool):
            return not inner
        if isinstance(inner, tuple) and inner[0] == "not":
            return inner[1]
        return ("not", inner)
    neutral = op == "and"
    kept = []
    for part in parts:
        if part is (not neutral):
            return part
        if part is not neutral:
            kept.append(part)
    if not kept:
        return True
    if len(kept) == 1:
        return kept[0]
    return (op, *kept)
''',
        wrong="        return True\n",
        right="        return neutral\n",
        visible=r"""
def test_variables():
    assert variables(("and", "a", ("not", "b"), True)) == {"a", "b"}

def test_constants_go():
    assert simplify(("and", "a", True, "b")) == ("and", "a", "b")
    assert simplify(("or", "a", False)) == "a"

def test_decided():
    assert simplify(("and", "a", False)) is False
    assert simplify(("or", "a", ("not", False))) is True

def test_double_negation():
    assert simplify(("not", ("not", "a"))) == "a"

def test_all_neutral():
    assert simplify(("and", True, True)) is True
    assert simplify(("or", False, False)) is False
""",
        hidden=r"""
def test_nested_false():
    assert simplify(("or", "x", ("or", False, ("not", True)))) == "x"

def test_not_of_empty_or():
    assert simplify(("not", ("or", False))) is True

def test_empty_and():
    assert simplify(("and",)) is True

def test_mixed():
    assert simplify(("and", "p", ("or", False, False))) is False

def test_keeps_structure():
    f = ("or", ("and", "a", "b"), ("not", "c"))
    assert simplify(f) == f
""",
    ),
    Program(
        name="subset_budget",
        code=r'''"""Choosing items within a budget."""


def best_choice(items, budget):
    """The most valuable choice of items whose total cost is within budget.

    items is a list of (name, cost, value) with costs above zero.  Returns
    (total value, list of names); the names keep the order of the items.
    A total cost of exactly the budget is allowed.
    """
    return _best(items, 0, budget, {})


def _best(items, index, budget, memo):
    if index == len(items):
        return 0, []
    if (index, budget) in memo:
        return memo[index, budget]
    name, cost, value = items[index]
    result = _best(items, index + 1, budget, memo)
    if cost < budget:
        rest_value, rest_names = _best(items, index + 1, budget - cost, memo)
        if rest_value + value > result[0]:
            result = rest_value + value, [name] + rest_names
    memo[index, budget] = result
    return result


def count_choices(costs, total):
    """In how many ways some of the costs (each used once) sum up to total."""
    if not costs:
        return 1 if total == 0 else 0
    first, rest = costs[0], costs[1:]
    return count_choices(rest, total) + count_choices(rest, total - first)
''',
        wrong="    if cost < budget:",
        right="    if cost <= budget:",
        visible=r"""
def test_nothing_fits():
    assert best_choice([("tv", 500, 9)], 100) == (0, [])

def test_choose_better():
    items = [("a", 5, 10), ("b", 4, 40), ("c", 6, 30)]
    assert best_choice(items, 11) == (70, ["b", "c"])

def test_exact_budget():
    items = [("tent", 6, 6), ("stove", 4, 5), ("lamp", 5, 4)]
    assert best_choice(items, 10) == (11, ["tent", "stove"])

def test_no_items():
    assert best_choice([], 10) == (0, [])

def test_count():
    assert count_choices([1, 2, 3], 3) == 2
    assert count_choices([], 1) == 0
""",
        hidden=r"""
def test_single_exact():
    assert best_choice([("x", 7, 1)], 7) == (1, ["x"])

def test_all_exact():
    items = [("a", 1, 1), ("b", 2, 1), ("c", 3, 1)]
    assert best_choice(items, 6) == (3, ["a", "b", "c"])

def test_zero_budget():
    assert best_choice([("x", 1, 1)], 0) == (0, [])

def test_not_over():
    assert best_choice([("x", 4, 1), ("y", 4, 2)], 7) == (2, ["y"])
""",
    ),
    Program(
        name="file_tree_sizes",
        code=r'''"""Sizes of a directory tree given as nested dictionaries.

A directory is a dictionary from names to entries; a file is its size.
"""


def total_size(entry):
    """The size of a file, or of everything below a directory."""
    if isinstance(entry, int):
        return entry
    return sum(total_size(child) for child in entry.values())


def find(entry, wanted, path=()):
    """The paths (tuples of names) of all entries with the wanted name.

    Entries come in the order of the tree, a directory before what is in it.
    """
    found = []
    if isinstance(entry, int):
        return found
    for name, child in entry.items():
        here = path + (name,)
        if name == wanted:
            found.append(here)
        found.extend(find(child, wanted, path))
    return found


def prune(entry, limit):
    """A new tree without files smaller than limit and without directories
    which are, or have become, empty.  The top directory always stays."""
    result = {}
    for name, child in entry.items():
        if isinstance(child, int):
            if child >= limit:
                result[name] = child
        else:
            smaller = prune(child, limit)
            if smaller:
                result[name] = smaller
    return result
''',
        wrong="found.extend(find(child, wanted, path))",
        right="found.extend(find(child, wanted, here))",
        visible=r"""
TREE = {"src": {"main.py": 30, "lib": {"main.py": 12, "x.py": 5}}, "README": 8, "doc": {}}

def test_total_size():
    assert total_size(TREE) == 55
    assert total_size({}) == 0

def test_find_top():
    assert find(TREE, "README") == [("README",)]

def test_find_nested():
    assert find(TREE, "main.py") == [("src", "main.py"), ("src", "lib", "main.py")]

def test_find_nothing():
    assert find(TREE, "setup.py") == []

def test_prune():
    assert prune(TREE, 10) == {"src": {"main.py": 30, "lib": {"main.py": 12}}}
""",
        hidden=r"""
def test_directory_before_content():
    assert find({"a": {"a": {"a": 1}}}, "a") == [("a",), ("a", "a"), ("a", "a", "a")]

def test_find_deep():
    assert find({"p": {"q": {"r": 1}}}, "r") == [("p", "q", "r")]

def test_find_siblings():
    assert find({"x": {"k": 1}, "y": {"k": 2}, "k": 3}, "k") == [("x", "k"), ("y", "k"), ("k",)]

def test_start_path():
    assert find({"x": {"k": 1}}, "k", ("root",)) == [("root", "x", "k")]
""",
    ),
    # ------------------------------------------------------------- strings
    Program(
        name="wrap_paragraph",
        code=r'''"""Wrapping and aligning plain text."""


def wrap(text, width):
    """Break the text into lines of at most `width` characters.

    Words are separated by single spaces; a word longer than the width
    gets a line of its own.  An empty text gives no lines.
    """
    lines = []
    current = ""
    for word in text.split():
        if not current:
            current = word
        elif len(current) + len(word) <= width:
            current += " " + word
        else:
            lines.append(current)
            current = word
    if current:
        lines.append(current)
    return lines


def align_right(lines, width):
    """Pad every line on the left to the width."""
    return [line.rjust(width) for line in lines]


def box(text, width):
    """The wrapped text in a frame; `width` is that of the text inside."""
    edge = "+" + "-" * (width + 2) + "+"
    body = ["| " + line.ljust(width) + " |" for line in wrap(text, width)]
    return "\n".join([edge] + body + [edge])
''',
        wrong="elif len(current) + len(word) <= width:",
        right="elif len(current) + 1 + len(word) <= width:",
        visible=r"""
def test_short():
    assert wrap("hello big world", 20) == ["hello big world"]

def test_empty():
    assert wrap("   ", 10) == []

def test_long_word():
    assert wrap("a extraordinary b", 5) == ["a", "extraordinary", "b"]

def test_lines_fit():
    lines = wrap("the cat sat on the mat and looked at me", 10)
    assert all(len(line) <= 10 for line in lines)

def test_align_right():
    assert align_right(["ab", "abc"], 4) == ["  ab", " abc"]

def test_box():
    assert box("hi you", 4) == "+------+\n| hi   |\n| you  |\n+------+"
""",
        hidden=r"""
def test_exact_fit():
    assert wrap("ab cd ef", 5) == ["ab cd", "ef"]

def test_one_too_many():
    assert wrap("abc de", 5) == ["abc", "de"]

def test_single_letters():
    assert wrap("a b c d", 2) == ["a", "b", "c", "d"]

def test_box_rows_have_equal_length():
    rows = box("one two three four five six", 9).split("\n")
    assert {len(row) for row in rows} == {13}
""",
    ),
    Program(
        name="template_fill",
        code=r'''"""A tiny template language: {name} is replaced, {{ and }} are braces."""


class TemplateError(ValueError):
    """The template or its values are not usable."""


def fill(template, values):
    """Replace each {name} by str(values[name]).

    "{{" and "}}" stand for single braces.  Spaces around a name are ignored.
    Raises TemplateError for an unknown name, an unclosed "{" or a lone "}".
    """
    out = []
    i = 0
    while i < len(template):
        char = template[i]
        if template[i:i + 2] in ("{{", "}}"):
            out.append(char)
            i += 2
        elif char == "{":
            end = template.find("}")
            if end < 0:
                raise TemplateError("unclosed brace at %d" % i)
            name = template[i + 1:end].strip()
            if name not in values:
                raise TemplateError("unknown name %r" % name)
            out.append(str(values[name]))
            i = end + 1
        elif char == "}":
            raise TemplateError("unexpected brace at %d" % i)
        else:
            out.append(char)
            i += 1
    return "".join(out)
''',
        wrong='template.find("}")',
        right='template.find("}", i)',
        visible=r"""
def test_plain():
    assert fill("hello", {}) == "hello"

def test_one_name():
    assert fill("Dear { who }!", {"who": "Ann"}) == "Dear Ann!"

def test_braces():
    assert fill("a {{b}} c", {}) == "a {b} c"

def test_two_names():
    assert fill("{x} + {y}", {"x": 1, "y": 2}) == "1 + 2"

def test_unknown_name():
    with pytest.raises(TemplateError):
        fill("{nope}", {"x": 1})

def test_unclosed():
    with pytest.raises(TemplateError):
        fill("a {x", {"x": 1})
""",
        hidden=r"""
def test_same_name_twice():
    assert fill("{a}-{a}", {"a": "z"}) == "z-z"

def test_braces_then_name():
    assert fill("{{}} {n}", {"n": 7}) == "{} 7"

def test_unclosed_after_name():
    with pytest.raises(TemplateError):
        fill("{x} and {x", {"x": 1})

def test_lone_closing():
    with pytest.raises(TemplateError):
        fill("a } b", {})
""",
    ),
    Program(
        name="slug_names",
        code=r'''"""Readable, unique identifiers from titles."""

import re
import unicodedata


def slugify(title, max_length=40):
    """Lower case letters and digits of the title, words joined by "-".

    Accents are removed.  The result is never longer than max_length and
    neither starts nor ends with "-".  If nothing is left it is "untitled".
    """
    text = unicodedata.normalize("NFKD", title)
    text = text.encode("ascii", "ignore").decode("ascii").lower()
    text = re.sub(r"[^a-z0-9]+", "-", text).strip("-")
    return text[:max_length] or "untitled"


def unique_slugs(titles):
    """A slug for each title; repeated ones get "-2", "-3", ... in order."""
    seen = {}
    result = []
    for title in titles:
        slug = slugify(title)
        seen[slug] = seen.get(slug, 0) + 1
        if seen[slug] > 1:
            result.append("%s-%d" % (slug, seen[slug]))
        else:
            result.append(slug)
    return result


def to_title(slug):
    """A slug as words, the first with a capital letter."""
    return slug.replace("-", " ").capitalize()
''',
        wrong='return text[:max_length] or "untitled"',
        right='return text[:max_length].strip("-") or "untitled"',
        visible=r"""
def test_simple():
    assert slugify("Hello, World!") == "hello-world"

def test_accents():
    assert slugify("Café Crème") == "cafe-creme"

def test_nothing_left():
    assert slugify("???") == "untitled"

def test_max_length():
    assert slugify("abcdef", max_length=4) == "abcd"
    assert slugify("one two three", max_length=8) == "one-two"

def test_unique():
    assert unique_slugs(["A b", "c", "a-B", "A B!"]) == ["a-b", "c", "a-b-2", "a-b-3"]

def test_to_title():
    assert to_title("my-first-post") == "My first post"
""",
        hidden=r"""
def test_cut_after_word():
    assert slugify("to be or not", max_length=3) == "to"

def test_default_length():
    title = "x" * 39 + " yes"
    assert slugify(title) == "x" * 39

def test_cut_inside_word():
    assert slugify("to be or not", max_length=4) == "to-b"

def test_edges_trimmed():
    assert slugify("--a  b--") == "a-b"
""",
    ),
    Program(
        name="csv_line",
        code=r'''"""Reading and writing single lines of comma separated values."""


def parse_line(line, separator=","):
    """Split a line into fields.

    A field may be quoted with "..."; inside quotes the separator is ordinary
    and "" stands for one quote.  An empty line has one empty field.
    """
    fields = []
    field = ""
    quoted = False
    i = 0
    while i < len(line):
        char = line[i]
        if quoted:
            if char == '"' and line[i + 1:i + 2] == '"':
                field += '"'
                i += 1
            elif char == '"':
                quoted = False
            else:
                field += char
        elif char == '"':
            quoted = True
        elif char == separator:
            fields.append(field)
            field = ""
        else:
            field += char
        i += 1
    if quoted:
        raise ValueError("unclosed quote")
    fields.append(field)
    return fields


def format_line(fields, separator=","):
    """The opposite of parse_line; only fields which need it are quoted."""
    parts = []
    for field in fields:
        if separator in field or '"' in field:
            field.replace('"', '""')
            field = '"' + field + '"'
        parts.append(field)
    return separator.join(parts)
''',
        wrong="            field.replace('\"', '\"\"')",
        right="            field = field.replace('\"', '\"\"')",
        visible=r'''
def test_parse_plain():
    assert parse_line("a,b,,c") == ["a", "b", "", "c"]

def test_parse_quoted():
    assert parse_line('"a,b",c') == ["a,b", "c"]
    assert parse_line('"say ""hi""",x') == ['say "hi"', "x"]

def test_unclosed():
    with pytest.raises(ValueError):
        parse_line('a,"b')

def test_format():
    assert format_line(["a", "b,c"]) == 'a,"b,c"'

def test_round_trip():
    fields = ["plain", "with, comma", 'with "quotes"', ""]
    assert parse_line(format_line(fields)) == fields
''',
        hidden=r'''
def test_format_quote():
    assert format_line(['5" disk']) == '"5"" disk"'

def test_round_trip_only_quotes():
    assert parse_line(format_line(['""', '"'])) == ['""', '"']

def test_other_separator():
    assert format_line(["a;b", "c,d", 'e"'], ";") == '"a;b";c,d;"e"""'

def test_empty_line():
    assert parse_line("") == [""]
''',
    ),
    # ---------------------------------------------------------- arithmetic
    Program(
        name="fair_split",
        code=r'''"""Splitting amounts of money without losing a cent."""


def split_evenly(cents, people):
    """Shares of nearly equal size which sum up to cents.

    The first shares get the extra cents.
    """
    if people < 1:
        raise ValueError("need at least one person")
    share, extra = divmod(cents, people)
    return [share + 1 if i < extra else share for i in range(people)]


def split_by_weight(cents, weights):
    """Whole shares in proportion to the weights which sum up to cents.

    Every share is first rounded down; the cents left over go one each to the
    shares with the largest lost fractions, earlier ones first on a tie.
    """
    total = sum(weights)
    if total <= 0:
        raise ValueError("weights must have a positive sum")
    shares = [cents * weight // total for weight in weights]
    left_over = cents - sum(shares)
    order = sorted(
        range(len(weights)),
        key=lambda i: cents * weights[i] % total,
    )
    for i in order[:left_over]:
        shares[i] += 1
    return shares


def format_cents(cents):
    """1234 as "12.34"; a minus sign comes first."""
    sign = "-" if cents < 0 else ""
    return "%s%d.%02d" % (sign, abs(cents) // 100, abs(cents) % 100)
''',
        wrong="key=lambda i: cents * weights[i] % total,",
        right="key=lambda i: -(cents * weights[i] % total),",
        visible=r"""
def test_evenly():
    assert split_evenly(100, 3) == [34, 33, 33]

def test_evenly_nobody():
    with pytest.raises(ValueError):
        split_evenly(10, 0)

def test_by_weight_exact():
    assert split_by_weight(100, [1, 3]) == [25, 75]

def test_by_weight_sum():
    assert sum(split_by_weight(1001, [3, 5, 7, 11])) == 1001

def test_by_weight_remainder():
    assert split_by_weight(10, [1, 2, 3]) == [2, 3, 5]
    assert split_by_weight(100, [1, 1, 4]) == [17, 17, 66]

def test_format():
    assert format_cents(1205) == "12.05"
    assert format_cents(-7) == "-0.07"
""",
        hidden=r"""
def test_largest_fraction_gets_it():
    assert split_by_weight(10, [10, 16, 14]) == [3, 4, 3]

def test_zero_weight_gets_nothing():
    assert split_by_weight(10, [0, 1, 2]) == [0, 3, 7]

def test_tie_goes_to_earlier():
    assert split_by_weight(5, [1, 1]) == [3, 2]

def test_no_weights():
    with pytest.raises(ValueError):
        split_by_weight(5, [0, 0])
""",
    ),
    Program(
        name="running_stats",
        code=r'''"""Mean and spread of numbers which arrive one by one."""

import math


class RunningStats:
    """Collects count, mean, variance, smallest and largest value."""

    def __init__(self):
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0
        self.smallest = None
        self.largest = None

    def add(self, value):
        """Take one more value into account."""
        self.count += 1
        delta = value - self.mean
        self.mean += delta / self.count
        self._squares += delta * (value - self.mean)
        if self.smallest is None or value < self.smallest:
            self.smallest = value
        if not self.largest or value > self.largest:
            self.largest = value

    def variance(self):
        """The sample variance; 0.0 for fewer than two values."""
        if self.count < 2:
            return 0.0
        return self._squares / (self.count - 1)

    def deviation(self):
        """The square root of the variance."""
        return math.sqrt(self.variance())

    def summary(self):
        """A line of text, or "no values"."""
        if self.count == 0:
            return "no values"
        return "n=%d mean=%.2f sd=%.2f range=%g..%g" % (
            self.count, self.mean, self.deviation(),
            self.smallest, self.largest)
''',
        wrong="if not self.largest or value > self.largest:",
        right="if self.largest is None or value > self.largest:",
        visible=r"""
def collect(values):
    stats = RunningStats()
    for v in values:
        stats.add(v)
    return stats

def test_mean():
    assert collect([2, 4, 9]).mean == pytest.approx(5.0)

def test_variance():
    assert collect([2, 4, 9]).variance() == pytest.approx(13.0)
    assert collect([3]).variance() == 0.0

def test_range():
    s = collect([5, -3, 8, 1])
    assert (s.smallest, s.largest) == (-3, 8)

def test_temperatures():
    s = collect([-4, 0, -2])
    assert (s.smallest, s.largest) == (-4, 0)

def test_summary():
    assert collect([]).summary() == "no values"
    assert collect([1, 3]).summary() == "n=2 mean=2.00 sd=1.41 range=1..3"
""",
        hidden=r"""
def test_zero_first():
    s = RunningStats()
    for v in (0, -1):
        s.add(v)
    assert s.largest == 0

def test_zero_in_between():
    s = RunningStats()
    for v in (-5.0, 0.0, -1.5, -9.0):
        s.add(v)
    assert (s.smallest, s.largest) == (-9.0, 0.0)
    assert s.summary().endswith("range=-9..0")

def test_negative_only():
    s = RunningStats()
    for v in (-5, -2, -7):
        s.add(v)
    assert (s.smallest, s.largest) == (-7, -2)

def test_no_values():
    s = RunningStats()
    assert s.smallest is None and s.largest is None
""",
    ),
    Program(
        name="loan_plan",
        code=r'''"""Repayment plans for loans, in whole cents."""

from dataclasses import dataclass


@dataclass
class Payment:
    month: int
    interest: int
    principal: int
    remaining: int

    @property
    def total(self):
        return self.interest + self.principal


def monthly_interest(balance, yearly_percent):
    """Interest for one month on the balance, rounded to whole cents."""
    return round(balance * yearly_percent / 100 / 12)


def plan(loan, yearly_percent, rate):
    """The payments, month by month, until the loan is paid back.

    Every month the rate is paid: first the interest on what remained after
    the month before, the rest pays back the loan.  The last payment is only
    as large as needed.  Raises ValueError if the loan would never shrink.
    """
    payments = []
    remaining = loan
    while remaining > 0:
        interest = monthly_interest(loan, yearly_percent)
        if rate <= interest:
            raise ValueError("rate too small")
        principal = min(rate - interest, remaining)
        remaining -= principal
        payments.append(
            Payment(len(payments) + 1, interest, principal, remaining))
    return payments


def total_interest(payments):
    """The sum of all interest paid."""
    return sum(payment.interest for payment in payments)
''',
        wrong="interest = monthly_interest(loan, yearly_percent)",
        right="interest = monthly_interest(remaining, yearly_percent)",
        visible=r"""
def test_monthly_interest():
    assert monthly_interest(120000, 6) == 600

def test_no_interest():
    p = plan(1000, 0, 400)
    assert [x.principal for x in p] == [400, 400, 200]
    assert total_interest(p) == 0

def test_rate_too_small():
    with pytest.raises(ValueError):
        plan(120000, 6, 600)

def test_first_payment():
    first = plan(120000, 6, 10600)[0]
    assert (first.month, first.interest, first.principal, first.remaining) == (1, 600, 10000, 110000)

def test_second_payment():
    second = plan(120000, 6, 10600)[1]
    assert second.interest == 550
    assert second.total == 10600
""",
        hidden=r"""
def test_three_payments():
    p = plan(100000, 12, 40000)
    assert [x.interest for x in p] == [1000, 610, 216]
    assert [x.remaining for x in p] == [61000, 21610, 0]

def test_last_payment_is_smaller():
    p = plan(100000, 12, 40000)
    assert p[-1].total == 21826

def test_total_interest():
    assert total_interest(plan(100000, 12, 40000)) == 1826

def test_nothing_to_pay():
    assert plan(0, 5, 100) == []
""",
    ),
    Program(
        name="mixed_units",
        code=r'''"""Durations and lengths made of several units."""

DURATION_UNITS = (("d", 86400), ("h", 3600), ("m", 60), ("s", 1))


def format_duration(seconds, parts=None):
    """90061 as "1d 1h 1m 1s"; units with 0 are left out, 0 is "0s".

    With `parts`, only that many of the largest non-zero units are shown
    (the rest is cut off, not rounded).
    """
    if seconds < 0:
        raise ValueError("negative duration")
    pieces = []
    for unit, size in DURATION_UNITS:
        amount, seconds = divmod(seconds, size)
        if amount:
            pieces.append("%d%s" % (amount, unit))
    return " ".join(pieces[:parts]) or "0s"


def parse_duration(text):
    """The opposite of format_duration; units may come in any order and
    may be repeated.  Raises ValueError for anything else."""
    sizes = dict(DURATION_UNITS)
    total = 0
    for piece in text.split():
        number, unit = piece[:-1], piece[-1]
        if unit not in sizes or not number.isdigit():
            raise ValueError("not a duration: %r" % piece)
        total += int(number) * sizes[unit]
    return total


def average_pace(distance_km, seconds):
    """Minutes and seconds per kilometre as "m:ss", rounded to the second."""
    if distance_km <= 0:
        raise ValueError("distance must be positive")
    minutes, rest = divmod(seconds / distance_km, 60)
    return "%d:%02d" % (minutes, round(rest))
''',
        wrong="divmod(seconds / distance_km, 60)",
        right="divmod(round(seconds / distance_km), 60)",
        visible=r"""
def test_format():
    assert format_duration(90061) == "1d 1h 1m 1s"
    assert format_duration(0) == "0s"

def test_format_parts():
    assert format_duration(3725, parts=2) == "1h 2m"

def test_parse():
    assert parse_duration("2h 30m") == 9000
    with pytest.raises(ValueError):
        parse_duration("3x")

def test_pace():
    assert average_pace(10, 3000) == "5:00"
    assert average_pace(5, 1573) == "5:15"

def test_pace_just_below_the_minute():
    assert average_pace(3, 899) == "5:00"

def test_pace_no_distance():
    with pytest.raises(ValueError):
        average_pace(0, 10)
""",
        hidden=r"""
def test_marathon():
    assert average_pace(42.2, 15191) == "6:00"

def test_under_a_minute():
    assert average_pace(4, 239) == "1:00"

def test_rounding_down():
    assert average_pace(3, 901) == "5:00"

def test_single_digits():
    assert average_pace(1, 245) == "4:05"
""",
    ),
    # -------------------------------------------------------------- graphs
    Program(
        name="task_order",
        code=r'''"""Ordering tasks by what they depend on."""


class CycleError(ValueError):
    """Some tasks depend on each other in a circle."""


def order_tasks(needs):
    """All tasks, each after everything it needs.

    needs maps a task to the list of tasks it needs; tasks which are only
    mentioned as needed count too.  Among the tasks which are ready, the
    alphabetically first comes next.  Raises CycleError if impossible.
    """
    open_needs = {task: set(before) for task, before in needs.items()}
    for before in needs.values():
        for task in before:
            open_needs.setdefault(task, set())
    done = []
    ready = sorted(task for task in open_needs if not open_needs[task])
    while ready:
        task = ready.pop(0)
        done.append(task)
        for other in open_needs:
            if task in open_needs[other]:
                open_needs[other].remove(task)
                if not open_needs[other]:
                    ready.append(other)
        ready.sort()
    if len(done) < len(needs):
        raise CycleError("tasks depend on each other")
    return done


def all_needed(needs, task):
    """Everything the task needs, directly or not, as a set."""
    found = set()
    stack = list(needs.get(task, ()))
    while stack:
        other = stack.pop()
        if other not in found:
            found.add(other)
            stack.extend(needs.get(other, ()))
    return found
''',
        wrong="if len(done) < len(needs):",
        right="if len(done) < len(open_needs):",
        visible=r"""
def test_chain():
    assert order_tasks({"c": ["b"], "b": ["a"]}) == ["a", "b", "c"]

def test_alphabetical():
    assert order_tasks({"z": [], "b": [], "a": ["z"]}) == ["b", "z", "a"]

def test_pure_cycle():
    with pytest.raises(CycleError):
        order_tasks({"a": ["b"], "b": ["a"]})

def test_cycle_with_other_tasks():
    with pytest.raises(CycleError):
        order_tasks({"a": ["b", "x", "y"], "b": ["a"]})

def test_all_needed():
    assert all_needed({"a": ["b"], "b": ["c"], "d": ["a"]}, "a") == {"b", "c"}
""",
        hidden=r"""
def test_self_cycle():
    with pytest.raises(CycleError):
        order_tasks({"a": ["a", "lib"]})

def test_blocked_after_some():
    with pytest.raises(CycleError):
        order_tasks({"a": ["b", "p"], "b": ["c", "q"], "c": ["a", "r"]})

def test_only_mentioned_tasks_count():
    assert order_tasks({"a": ["y", "x"]}) == ["x", "y", "a"]

def test_empty():
    assert order_tasks({}) == []
""",
    ),
    Program(
        name="cheapest_route",
        code=r'''"""Cheapest routes in a network of roads."""

import heapq


def cheapest_route(roads, start, goal):
    """The cheapest route from start to goal as (cost, list of towns).

    roads maps a town to a dictionary {neighbour: cost} of one-way roads;
    costs are not negative.  Returns None if there is no route.
    """
    best = {start: 0}
    came_from = {}
    queue = [(0, start)]
    while queue:
        cost, town = heapq.heappop(queue)
        if town == goal:
            return cost, _trace(came_from, goal)
        if cost > best[town]:
            continue
        for neighbour, step in roads.get(town, {}).items():
            new_cost = cost + step
            if neighbour not in best or new_cost < best[neighbour]:
                best[neighbour] = new_cost
                came_from.setdefault(neighbour, town)
                heapq.heappush(queue, (new_cost, neighbour))
    return None


def _trace(came_from, town):
    route = [town]
    while town in came_from:
        town = came_from[town]
        route.append(town)
    return route[::-1]


def route_cost(roads, route):
    """The cost of a route; ValueError if some road of it does not exist."""
    cost = 0
    for here, there in zip(route, route[1:]):
        if there not in roads.get(here, {}):
            raise ValueError("no road from %s to %s" % (here, there))
        cost += roads[here][there]
    return cost
''',
        wrong="came_from.setdefault(neighbour, town)",
        right="came_from[neighbour] = town",
        visible=r"""
def test_direct():
    assert cheapest_route({"a": {"b": 3}}, "a", "b") == (3, ["a", "b"])

def test_start_is_goal():
    assert cheapest_route({}, "a", "a") == (0, ["a"])

def test_no_route():
    assert cheapest_route({"b": {"a": 1}}, "a", "b") is None

def test_detour_is_cheaper():
    roads = {"a": {"b": 10, "c": 2}, "c": {"b": 3}}
    assert cheapest_route(roads, "a", "b") == (5, ["a", "c", "b"])

def test_route_cost():
    assert route_cost({"a": {"b": 2}, "b": {"c": 4}}, ["a", "b", "c"]) == 6
    with pytest.raises(ValueError):
        route_cost({"a": {"b": 2}}, ["b", "a"])
""",
        hidden=r"""
def test_cost_matches_route():
    roads = {
        "s": {"a": 7, "b": 2, "c": 9}, "b": {"a": 3, "c": 8},
        "a": {"c": 1, "t": 9}, "c": {"t": 2},
    }
    cost, route = cheapest_route(roads, "s", "t")
    assert cost == 8
    assert route == ["s", "b", "a", "c", "t"]
    assert route_cost(roads, route) == cost

def test_improved_twice():
    roads = {"a": {"d": 20, "b": 1}, "b": {"d": 10, "c": 1}, "c": {"d": 1}}
    assert cheapest_route(roads, "a", "d") == (3, ["a", "b", "c", "d"])

def test_free_roads():
    assert cheapest_route({"a": {"b": 0}, "b": {"c": 0}}, "a", "c") == (0, ["a", "b", "c"])
""",
    ),
    Program(
        name="friend_groups",
        code=r'''"""Groups of people who know each other, directly or through others."""

from collections import deque


def build_graph(pairs):
    """A dictionary from each person to the set of those they know.

    Knowing is mutual.
    """
    graph = {}
    for one, other in pairs:
        graph.setdefault(one, set()).add(other)
        graph.setdefault(other, set()).add(one)
    return graph


def groups(graph):
    """The groups as sorted lists, larger groups first, then alphabetical."""
    seen = set()
    result = []
    for person in graph:
        if person in seen:
            continue
        group = set(distances(graph, person))
        seen |= group
        result.append(sorted(group))
    return sorted(result, key=lambda group: (-len(group), group))


def distances(graph, person, limit=None):
    """How many steps away everyone reachable is; the person itself is 0.

    With a limit, only people at most that many steps away.
    """
    steps = {person: 0}
    queue = deque([person])
    while queue:
        current = queue.popleft()
        if limit is not None and steps[current] > limit:
            continue
        for friend in graph[current]:
            if friend not in steps:
                steps[friend] = steps[current] + 1
                queue.append(friend)
    return steps


def suggestions(graph, person):
    """Sorted list of those exactly two steps away."""
    near = distances(graph, person, 2)
    return sorted(other for other, n in near.items() if n == 2)
''',
        wrong="steps[current] > limit:",
        right="steps[current] >= limit:",
        visible=r"""
PAIRS = [("ann", "bob"), ("bob", "cid"), ("cid", "dan"), ("eve", "fay")]

def test_graph_is_mutual():
    assert build_graph(PAIRS)["bob"] == {"ann", "cid"}

def test_groups():
    assert groups(build_graph(PAIRS)) == [["ann", "bob", "cid", "dan"], ["eve", "fay"]]

def test_distances():
    assert distances(build_graph(PAIRS), "ann") == {"ann": 0, "bob": 1, "cid": 2, "dan": 3}

def test_distances_with_limit():
    assert distances(build_graph(PAIRS), "ann", 1) == {"ann": 0, "bob": 1}

def test_suggestions():
    assert suggestions(build_graph(PAIRS), "ann") == ["cid"]
""",
        hidden=r"""
def test_limit_zero():
    assert distances({"a": {"b"}, "b": {"a"}}, "a", 0) == {"a": 0}

def test_limit_two():
    g = build_graph([(1, 2), (2, 3), (3, 4), (4, 5)])
    assert distances(g, 1, 2) == {1: 0, 2: 1, 3: 2}

def test_large_limit():
    g = build_graph([(1, 2), (2, 3)])
    assert distances(g, 3, 99) == {3: 0, 2: 1, 1: 2}

def test_group_order():
    g = build_graph([("x", "y"), ("a", "b")])
    assert groups(g) == [["a", "b"], ["x", "y"]]
""",
    ),
    Program(
        name="spanning_cables",
        code=r'''"""Connecting houses with as little cable as possible."""


class Groups:
    """Which houses are already connected (union-find)."""

    def __init__(self, items):
        self._parent = {item: item for item in items}
        self._size = dict.fromkeys(self._parent, 1)

    def find(self, item):
        """The representative of the item's group."""
        while self._parent[item] != item:
            self._parent[item] = self._parent[self._parent[item]]
            item = self._parent[item]
        return item

    def join(self, a, b):
        """Join two groups; False if they were the same group already."""
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self._size[a] < self._size[b]:
            a, b = b, a
        self._parent[b] = a
        self._size[a] += self._size[b]
        return True

    def size(self, item):
        """The number of items in the item's group."""
        return self._size[item]


def cheapest_network(houses, cables):
    """The cheapest cables which connect all houses, cheapest first.

    cables is a list of (length, house, house).  Raises ValueError if the
    houses cannot all be connected.
    """
    groups = Groups(houses)
    chosen = []
    for length, a, b in sorted(cables):
        if groups.join(a, b):
            chosen.append((length, a, b))
    if len(chosen) < len(houses) - 1:
        raise ValueError("not all houses can be connected")
    return chosen
''',
        wrong="return self._size[item]",
        right="return self._size[self.find(item)]",
        visible=r"""
def test_join():
    g = Groups("abc")
    assert g.join("a", "b")
    assert not g.join("b", "a")
    assert g.find("a") == g.find("b") != g.find("c")

def test_size():
    g = Groups("abcd")
    g.join("a", "b")
    g.join("c", "b")
    assert g.size("a") == g.size("b") == g.size("c") == 3
    assert g.size("d") == 1

def test_network():
    cables = [(4, "a", "b"), (1, "b", "c"), (2, "a", "c"), (9, "c", "d")]
    assert cheapest_network("abcd", cables) == [(1, "b", "c"), (2, "a", "c"), (9, "c", "d")]

def test_impossible():
    with pytest.raises(ValueError):
        cheapest_network("abc", [(1, "a", "b")])
""",
        hidden=r"""
def test_all_members_agree():
    g = Groups(range(6))
    for i in range(5):
        g.join(i, i + 1)
    assert [g.size(i) for i in range(6)] == [6] * 6

def test_two_pairs():
    g = Groups("wxyz")
    g.join("w", "x")
    g.join("y", "z")
    assert [g.size(c) for c in "wxyz"] == [2, 2, 2, 2]
    g.join("x", "z")
    assert [g.size(c) for c in "wxyz"] == [4, 4, 4, 4]

def test_single():
    assert Groups(["q"]).size("q") == 1
    assert cheapest_network(["q"], []) == []
""",
    ),
    # --------------------------------------------------------------- state
    Program(
        name="undo_editor",
        code=r'''"""A list of lines with undo and redo."""


class Editor:
    """Every change can be undone, and redone until the next change."""

    def __init__(self, lines=()):
        self.lines = list(lines)
        self._undo = []
        self._redo = []

    def _remember(self):
        self._undo.append(list(self.lines))

    def insert(self, index, text):
        """Insert a line before the one at index."""
        if not 0 <= index <= len(self.lines):
            raise IndexError("no such place")
        self._remember()
        self.lines.insert(index, text)

    def delete(self, index):
        """Delete and return the line at index."""
        if not 0 <= index < len(self.lines):
            raise IndexError("no such line")
        self._remember()
        return self.lines.pop(index)

    def replace_all(self, old, new):
        """Replace a text in all lines; returns how many lines changed."""
        changed = [line.replace(old, new) for line in self.lines]
        count = sum(a != b for a, b in zip(self.lines, changed))
        if count:
            self._remember()
            self.lines = changed
        return count

    def undo(self):
        """Take back the last change; False if there is none."""
        if not self._undo:
            return False
        self._redo.append(self.lines)
        self.lines = self._undo.pop()
        return True

    def redo(self):
        """Repeat the change undone last; False if there is none."""
        if not self._redo:
            return False
        self._undo.append(self.lines)
        self.lines = self._redo.pop()
        return True
''',
        wrong="        self._undo.append(list(self.lines))\n",
        right="        self._undo.append(list(self.lines))\n        self._redo.clear()\n",
        visible=r"""
def test_insert_and_delete():
    e = Editor(["a", "c"])
    e.insert(1, "b")
    assert e.lines == ["a", "b", "c"]
    assert e.delete(0) == "a"
    assert e.lines == ["b", "c"]

def test_undo():
    e = Editor(["a"])
    e.insert(1, "b")
    e.delete(0)
    assert e.undo() and e.lines == ["a", "b"]
    assert e.undo() and e.lines == ["a"]
    assert not e.undo()

def test_redo():
    e = Editor(["a"])
    e.insert(0, "x")
    e.undo()
    assert e.redo()
    assert e.lines == ["x", "a"]

def test_no_redo_after_change():
    e = Editor(["a"])
    e.insert(1, "b")
    e.undo()
    e.insert(1, "c")
    assert not e.redo()
    assert e.lines == ["a", "c"]

def test_replace_all():
    e = Editor(["one two", "two", "three"])
    assert e.replace_all("two", "2") == 2
    assert e.lines == ["one 2", "2", "three"]

def test_bad_index():
    with pytest.raises(IndexError):
        Editor().delete(0)
""",
        hidden=r"""
def test_delete_ends_redo():
    e = Editor(["a", "b"])
    e.delete(0)
    e.undo()
    e.delete(1)
    assert not e.redo()
    assert e.lines == ["a"]

def test_replace_ends_redo():
    e = Editor(["a"])
    e.insert(1, "b")
    e.undo()
    e.replace_all("a", "z")
    assert not e.redo()
    assert e.lines == ["z"]

def test_replace_nothing_keeps_redo():
    e = Editor(["a"])
    e.insert(1, "b")
    e.undo()
    assert e.replace_all("q", "z") == 0
    assert e.redo()
    assert e.lines == ["a", "b"]

def test_redo_several():
    e = Editor()
    for i in range(3):
        e.insert(i, str(i))
    while e.undo():
        pass
    assert e.redo() and e.redo() and e.redo() and not e.redo()
    assert e.lines == ["0", "1", "2"]
    assert e.undo() and e.lines == ["0", "1"]
""",
    ),
    Program(
        name="bank_accounts",
        code=r'''"""Bank accounts with an overdraft and a history."""


class InsufficientFunds(Exception):
    """A withdrawal would exceed the overdraft."""


class Account:
    """An account; the balance may go down to -overdraft."""

    def __init__(self, owner, balance=0, overdraft=0):
        self.owner = owner
        self.balance = balance
        self.overdraft = overdraft
        self.history = []

    def deposit(self, amount):
        """Put money in; the amount must be positive."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        """Take money out; the amount must be positive."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        if self.balance - amount < -self.overdraft:
            raise InsufficientFunds(self.owner)
        self.balance -= amount
        self.history.append(("withdraw", amount))


def transfer(source, target, amount):
    """Move money from source to target; on any error nothing changes."""
    target.deposit(amount)
    source.withdraw(amount)


def total_deposited(account):
    """The sum of all deposits in the history."""
    return sum(amount for kind, amount in account.history if kind == "deposit")
''',
        wrong="    target.deposit(amount)\n    source.withdraw(amount)",
        right="    source.withdraw(amount)\n    target.deposit(amount)",
        visible=r"""
def test_deposit_and_withdraw():
    a = Account("ann")
    a.deposit(50)
    a.withdraw(20)
    assert a.balance == 30
    assert a.history == [("deposit", 50), ("withdraw", 20)]

def test_overdraft():
    a = Account("ann", overdraft=10)
    a.withdraw(10)
    with pytest.raises(InsufficientFunds):
        a.withdraw(1)

def test_transfer():
    a, b = Account("ann", 100), Account("bob")
    transfer(a, b, 40)
    assert (a.balance, b.balance) == (60, 40)

def test_failed_transfer_changes_nothing():
    a, b = Account("ann", 10), Account("bob")
    with pytest.raises(InsufficientFunds):
        transfer(a, b, 40)
    assert (a.balance, b.balance) == (10, 0)

def test_bad_amount():
    a, b = Account("ann", 10), Account("bob")
    with pytest.raises(ValueError):
        transfer(a, b, -5)
    assert (a.balance, b.balance) == (10, 0)
""",
        hidden=r"""
def test_history_after_failed_transfer():
    a, b = Account("ann", 10), Account("bob", 5)
    with pytest.raises(InsufficientFunds):
        transfer(a, b, 11)
    assert a.history == [] and b.history == []

def test_failed_transfer_with_overdraft():
    a, b = Account("ann", 0, overdraft=20), Account("bob", 5)
    transfer(a, b, 20)
    with pytest.raises(InsufficientFunds):
        transfer(a, b, 1)
    assert (a.balance, b.balance) == (-20, 25)

def test_total_deposited():
    a, b = Account("ann", 100), Account("bob")
    transfer(a, b, 10)
    transfer(a, b, 20)
    assert total_deposited(b) == 30
    assert total_deposited(a) == 0
""",
    ),
    Program(
        name="timed_cache",
        code=r'''"""A cache whose entries expire; the clock is given from outside."""


class TimedCache:
    """Remembers values for `lifetime` units of the clock.

    An entry stored at time t is valid while clock() < t + lifetime.  At most
    `capacity` entries are kept; storing one more drops the entry which
    expires first.
    """

    def __init__(self, clock, lifetime, capacity=100):
        self._clock = clock
        self._lifetime = lifetime
        self._capacity = capacity
        self._entries = {}
        self.hits = 0
        self.misses = 0

    def put(self, key, value):
        """Store a value, with a new lifetime if the key is known."""
        self._remove_expired()
        if len(self._entries) >= self._capacity:
            oldest = min(self._entries, key=lambda k: self._entries[k][1])
            del self._entries[oldest]
        self._entries[key] = (value, self._clock() + self._lifetime)

    def get(self, key, default=None):
        """The valid value of the key, else default; counts hit or miss."""
        self._remove_expired()
        if key in self._entries:
            self.hits += 1
            return self._entries[key][0]
        self.misses += 1
        return default

    def _remove_expired(self):
        now = self._clock()
        expired = [k for k, (_, end) in self._entries.items() if end <= now]
        for key in expired:
            del self._entries[key]

    def __len__(self):
        self._remove_expired()
        return len(self._entries)
''',
        wrong="        if len(self._entries) >= self._capacity:",
        right="        if key not in self._entries and len(self._entries) >= self._capacity:",
        visible=r"""
def test_get():
    c = TimedCache(lambda: 0, 10)
    c.put("a", 1)
    assert c.get("a") == 1
    assert c.get("b", 7) == 7
    assert (c.hits, c.misses) == (1, 1)

def test_expiry():
    now = [0]
    c = TimedCache(lambda: now[0], 10)
    c.put("a", 1)
    now[0] = 9
    assert c.get("a") == 1
    now[0] = 10
    assert c.get("a") is None

def test_capacity():
    now = [0]
    c = TimedCache(lambda: now[0], 10, capacity=2)
    for key in "abc":
        c.put(key, key.upper())
        now[0] += 1
    assert len(c) == 2
    assert c.get("a") is None
    assert c.get("c") == "C"

def test_update_when_full():
    now = [0]
    c = TimedCache(lambda: now[0], 10, capacity=2)
    c.put("a", 1)
    now[0] = 1
    c.put("b", 2)
    c.put("b", 3)
    assert c.get("a") == 1
    assert c.get("b") == 3
""",
        hidden=r"""
def test_update_middle_keeps_others():
    now = [0]
    c = TimedCache(lambda: now[0], 100, capacity=3)
    for key in "xyz":
        c.put(key, 0)
        now[0] += 1
    c.put("z", 1)
    c.put("y", 2)
    assert len(c) == 3
    assert [c.get(k) for k in "xyz"] == [0, 2, 1]

def test_update_renews():
    now = [0]
    c = TimedCache(lambda: now[0], 10, capacity=2)
    c.put("a", 1)
    c.put("b", 1)
    now[0] = 5
    c.put("a", 2)
    now[0] = 12
    assert c.get("a") == 2
    assert c.get("b") is None

def test_new_key_when_full():
    now = [0]
    c = TimedCache(lambda: now[0], 10, capacity=1)
    c.put("a", 1)
    now[0] = 1
    c.put("b", 2)
    assert len(c) == 1
    assert c.get("b") == 2
""",
    ),
    Program(
        name="vending_machine",
        code=r'''"""A vending machine: insert coins, choose, take the change."""

COINS = (200, 100, 50, 20, 10)


class VendingMachine:
    """Sells products for coins.

    products maps a name to (price, amount in stock).
    """

    def __init__(self, products):
        self._price = {name: price for name, (price, _) in products.items()}
        self._stock = {name: amount for name, (_, amount) in products.items()}
        self.credit = 0
        self.earned = 0

    def insert(self, coin):
        """Insert a coin; a coin of unknown value is a ValueError."""
        if coin not in COINS:
            raise ValueError("unknown coin")
        self.credit += coin

    def choose(self, name):
        """Buy a product and return the change as a list of coins.

        Raises KeyError for an unknown product, and LookupError if it is sold
        out or the credit is too small; the credit stays in both cases.
        """
        price = self._price[name]
        if self._stock[name] == 0:
            raise LookupError("sold out")
        if self.credit < price:
            raise LookupError("not enough credit")
        self._stock[name] -= 1
        self.credit -= price
        self.earned += self.credit
        return self.cancel()

    def cancel(self):
        """Give the credit back as a list of coins, largest first."""
        coins = []
        for coin in COINS:
            while self.credit >= coin:
                coins.append(coin)
                self.credit -= coin
        return coins

    def sold_out(self):
        """Sorted names of the products which are sold out."""
        return sorted(name for name, n in self._stock.items() if n == 0)
''',
        wrong="self.earned += self.credit",
        right="self.earned += price",
        visible=r"""
def machine():
    return VendingMachine({"tea": (120, 2), "cake": (250, 1)})

def test_cancel():
    m = machine()
    m.insert(50)
    m.insert(100)
    assert m.cancel() == [100, 50]
    assert m.credit == 0

def test_buy_with_change():
    m = machine()
    m.insert(200)
    assert m.choose("tea") == [50, 20, 10]

def test_earned():
    m = machine()
    m.insert(200)
    m.choose("tea")
    assert m.earned == 120

def test_not_enough():
    m = machine()
    m.insert(100)
    with pytest.raises(LookupError):
        m.choose("tea")
    assert m.credit == 100

def test_sold_out():
    m = machine()
    m.insert(200)
    m.insert(50)
    m.choose("cake")
    assert m.sold_out() == ["cake"]
""",
        hidden=r"""
def test_earned_exact():
    m = VendingMachine({"gum": (50, 3)})
    for _ in range(2):
        m.insert(50)
        assert m.choose("gum") == []
    assert m.earned == 100

def test_cancel_earns_nothing():
    m = VendingMachine({"gum": (50, 3)})
    m.insert(200)
    m.cancel()
    assert m.earned == 0

def test_earned_two_products():
    m = VendingMachine({"gum": (50, 3), "nut": (80, 1)})
    m.insert(200)
    assert m.choose("nut") == [100, 20]
    m.insert(100)
    m.choose("gum")
    assert m.earned == 130
""",
    ),
    # --------------------------------------------------------------- dates
    Program(
        name="workdays",
        code=r'''"""Counting and adding working days."""

from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


def is_workday(day, holidays=()):
    """Monday to Friday, unless it is a holiday."""
    return day.weekday() < 5 and day not in holidays


def add_workdays(day, count, holidays=()):
    """The date `count` working days after the day.

    The day itself does not count; it need not be a working day.  A count of
    0 gives the day itself.
    """
    while count > 0:
        day += ONE_DAY
        if is_workday(day, holidays):
            count -= 1
    return day


def count_workdays(first, last, holidays=()):
    """The number of working days from first to last, both included."""
    count = 0
    day = first
    while day < last:
        if is_workday(day, holidays):
            count += 1
        day += ONE_DAY
    return count


def next_workday(day, holidays=()):
    """The day itself if it is a working day, else the next one."""
    while not is_workday(day, holidays):
        day += ONE_DAY
    return day
''',
        wrong="while day < last:",
        right="while day <= last:",
        visible=r"""
def test_is_workday():
    assert is_workday(date(2024, 3, 1))
    assert not is_workday(date(2024, 3, 2))
    assert not is_workday(date(2024, 3, 1), {date(2024, 3, 1)})

def test_add_over_weekend():
    assert add_workdays(date(2024, 2, 29), 2) == date(2024, 3, 4)

def test_count_week():
    assert count_workdays(date(2024, 3, 4), date(2024, 3, 10)) == 5

def test_count_to_wednesday():
    assert count_workdays(date(2024, 3, 4), date(2024, 3, 6)) == 3

def test_next_workday():
    assert next_workday(date(2024, 3, 2)) == date(2024, 3, 4)
""",
        hidden=r"""
def test_single_day():
    assert count_workdays(date(2024, 3, 5), date(2024, 3, 5)) == 1

def test_single_weekend_day():
    assert count_workdays(date(2024, 3, 3), date(2024, 3, 3)) == 0

def test_last_is_holiday():
    assert count_workdays(date(2024, 12, 23), date(2024, 12, 25), {date(2024, 12, 25)}) == 2

def test_two_weeks_with_holiday():
    assert count_workdays(date(2024, 4, 29), date(2024, 5, 10), {date(2024, 5, 1)}) == 9

def test_empty_range():
    assert count_workdays(date(2024, 3, 6), date(2024, 3, 5)) == 0
""",
    ),
    Program(
        name="month_arithmetic",
        code=r'''"""Adding months to dates, and monthly due dates."""

import calendar
from datetime import date


def last_day(year, month):
    """The number of days of the month."""
    return calendar.monthrange(year, month)[1]


def add_months(day, months):
    """The date some months later (or earlier, if months is negative).

    If the month is too short for the day of the month, its last day is used.
    """
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    month += 1
    return date(year, month, min(day.day, last_day(year, month)))


def due_dates(start, count):
    """The first `count` monthly due dates; the first one is start itself.

    A start on the 31st is due on the last day of shorter months, but on the
    31st again in longer ones.
    """
    dates = []
    due = start
    for number in range(count):
        dates.append(due)
        due = add_months(due, 1)
    return dates


def months_between(first, second):
    """The number of full months from first to second (first <= second)."""
    months = (second.year - first.year) * 12 + second.month - first.month
    if add_months(first, months) > second:
        months -= 1
    return months
''',
        wrong="due = add_months(due, 1)",
        right="due = add_months(start, number + 1)",
        visible=r"""
def test_add_months():
    assert add_months(date(2023, 11, 15), 3) == date(2024, 2, 15)
    assert add_months(date(2024, 1, 10), -1) == date(2023, 12, 10)

def test_add_months_short():
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)

def test_due_dates():
    assert due_dates(date(2023, 11, 5), 3) == [date(2023, 11, 5), date(2023, 12, 5), date(2024, 1, 5)]

def test_due_dates_end_of_month():
    assert due_dates(date(2023, 3, 31), 3) == [date(2023, 3, 31), date(2023, 4, 30), date(2023, 5, 31)]

def test_months_between():
    assert months_between(date(2023, 1, 15), date(2023, 3, 14)) == 1
    assert months_between(date(2023, 1, 15), date(2023, 3, 15)) == 2
""",
        hidden=r"""
def test_through_february():
    assert due_dates(date(2024, 1, 30), 4) == [
        date(2024, 1, 30), date(2024, 2, 29), date(2024, 3, 30), date(2024, 4, 30)]

def test_whole_year():
    days = [d.day for d in due_dates(date(2023, 1, 31), 12)]
    assert days == [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

def test_no_dates():
    assert due_dates(date(2024, 1, 31), 0) == []

def test_one_date():
    assert due_dates(date(2024, 1, 31), 1) == [date(2024, 1, 31)]
""",
    ),
    Program(
        name="opening_hours",
        code=r'''"""Opening hours of a shop, which may go past midnight."""

from datetime import datetime, time, timedelta


class OpeningHours:
    """hours maps a weekday (0 = Monday) to (opens, closes).

    A day which is missing is closed.  If closes is not later than opens, the
    shop closes on the following day.  It is open at the very minute of
    opening, and closed at that of closing.
    """

    def __init__(self, hours):
        self._hours = dict(hours)

    def _period(self, day):
        """(start, end) for the period which begins on the day, or None."""
        if day.weekday() not in self._hours:
            return None
        opens, closes = self._hours[day.weekday()]
        start = datetime.combine(day, opens)
        end = datetime.combine(day, closes)
        if end <= start:
            end += timedelta(days=1)
        return start, end

    def is_open(self, moment):
        """Whether the shop is open at the moment."""
        today = moment.date()
        for day in (today, today + timedelta(days=1)):
            period = self._period(day)
            if period and period[0] <= moment < period[1]:
                return True
        return False

    def next_opening(self, moment):
        """The first opening at or after the moment; None if never."""
        for offset in range(8):
            period = self._period(moment.date() + timedelta(days=offset))
            if period and period[0] >= moment:
                return period[0]
        return None
''',
        wrong="for day in (today, today + timedelta(days=1)):",
        right="for day in (today, today - timedelta(days=1)):",
        visible=r"""
def pub():
    return OpeningHours({4: (time(18), time(2)), 5: (time(12), time(22))})

def test_open_in_the_evening():
    assert pub().is_open(datetime(2024, 3, 1, 20, 0))

def test_closed():
    assert not pub().is_open(datetime(2024, 3, 1, 17, 59))
    assert not pub().is_open(datetime(2024, 3, 2, 22, 0))

def test_open_after_midnight():
    assert pub().is_open(datetime(2024, 3, 2, 1, 30))
    assert not pub().is_open(datetime(2024, 3, 2, 2, 0))

def test_next_opening():
    assert pub().next_opening(datetime(2024, 3, 1, 19)) == datetime(2024, 3, 2, 12)
    assert OpeningHours({}).next_opening(datetime(2024, 3, 1)) is None
""",
        hidden=r"""
def test_sunday_night_to_monday():
    h = OpeningHours({6: (time(20), time(4))})
    assert h.is_open(datetime(2024, 3, 4, 3, 59))
    assert not h.is_open(datetime(2024, 3, 3, 3, 59))

def test_around_the_clock():
    h = OpeningHours({2: (time(6), time(6))})
    assert h.is_open(datetime(2024, 3, 7, 5, 59))
    assert not h.is_open(datetime(2024, 3, 7, 6, 0))

def test_opening_minute():
    h = OpeningHours({0: (time(9), time(17))})
    assert h.is_open(datetime(2024, 3, 4, 9, 0))
    assert not h.is_open(datetime(2024, 3, 4, 17, 0))
""",
    ),
    Program(
        name="birthdays",
        code=r'''"""Ages and coming birthdays."""

from datetime import date


def birthday_in(born, year):
    """The birthday in the given year; 29 February becomes 1 March if the
    year has no 29 February."""
    try:
        return born.replace(year=year)
    except ValueError:
        return date(year, 3, 1)


def age_on(born, day):
    """The age in full years on the day; on the birthday one is a year older."""
    age = day.year - born.year
    if day < birthday_in(born, day.year):
        age -= 1
    return age


def next_birthday(born, today):
    """The next birthday; today if it is today."""
    birthday = birthday_in(born, today.year)
    if birthday < today:
        birthday = birthday_in(born, today.year + 1)
    return birthday


def upcoming(people, today, days):
    """Birthdays within the next `days` days, today included as day 0.

    people maps a name to the date of birth.  Returns a list of
    (date, name, age the person will reach), soonest first.
    """
    result = []
    for name, born in people.items():
        birthday = next_birthday(born, today)
        if (birthday - today).days <= days:
            result.append((birthday, name, age_on(born, today)))
    return sorted(result)
''',
        wrong="result.append((birthday, name, age_on(born, today)))",
        right="result.append((birthday, name, age_on(born, birthday)))",
        visible=r"""
def test_age():
    assert age_on(date(1990, 6, 15), date(2024, 6, 14)) == 33
    assert age_on(date(1990, 6, 15), date(2024, 6, 15)) == 34

def test_leap_day():
    assert birthday_in(date(2000, 2, 29), 2023) == date(2023, 3, 1)

def test_next_birthday():
    assert next_birthday(date(1990, 1, 5), date(2024, 12, 20)) == date(2025, 1, 5)

def test_upcoming_today():
    assert upcoming({"ann": date(2000, 5, 1)}, date(2024, 5, 1), 0) == [(date(2024, 5, 1), "ann", 24)]

def test_upcoming_order():
    people = {"ann": date(2000, 5, 9), "bob": date(1980, 5, 3), "cid": date(1999, 7, 1)}
    assert upcoming(people, date(2024, 5, 2), 10) == [
        (date(2024, 5, 3), "bob", 44), (date(2024, 5, 9), "ann", 24)]
""",
        hidden=r"""
def test_upcoming_over_new_year():
    assert upcoming({"eve": date(1995, 1, 2)}, date(2024, 12, 30), 5) == [(date(2025, 1, 2), "eve", 30)]

def test_upcoming_leap_day():
    assert upcoming({"leo": date(2004, 2, 29)}, date(2023, 2, 27), 3) == [(date(2023, 3, 1), "leo", 19)]

def test_upcoming_nobody():
    assert upcoming({"ann": date(2000, 5, 9)}, date(2024, 5, 10), 30) == []

def test_limit_included():
    assert upcoming({"ann": date(2000, 5, 9)}, date(2024, 5, 2), 7) == [(date(2024, 5, 9), "ann", 24)]
""",
    ),
    # ------------------------------------------------------------- reports
    Program(
        name="text_table",
        code=r'''"""Plain text tables."""


def column_widths(header, rows):
    """The width of each column: that of its widest cell or heading."""
    widths = [len(title) for title in header]
    for row in rows:
        for i, cell in enumerate(row):
            widths[i] = max(widths[i], len(str(cell)))
    return widths


def format_cell(value, width):
    """Numbers are aligned to the right, anything else to the left."""
    if isinstance(value, (int, float)):
        return str(value).rjust(width)
    return str(value).ljust(width)


def render(header, rows, totals=False):
    """The table as a list of lines, without trailing spaces.

    Columns are separated by two spaces, a line of dashes follows the header.
    With totals, a second line of dashes and a row follow, which has "Total"
    in the first column and the sums of all the others.
    """
    rows = [list(row) for row in rows]
    sums = []
    if totals:
        sums = ["Total"] + [sum(column) for column in list(zip(*rows))[1:]]
    widths = column_widths(header, rows)
    dashes = "  ".join("-" * width for width in widths)

    def line(cells):
        parts = [format_cell(c, w) for c, w in zip(cells, widths)]
        return "  ".join(parts).rstrip()

    lines = [line(header), dashes]
    lines += [line(row) for row in rows]
    if totals:
        lines += [dashes, line(sums)]
    return lines
''',
        wrong="    widths = column_widths(header, rows)\n",
        right="    widths = column_widths(header, rows + [sums])\n",
        visible=r"""
def test_widths():
    assert column_widths(["a", "long"], [["abc", 1]]) == [3, 4]

def test_format_cell():
    assert format_cell(5, 3) == "  5"
    assert format_cell("x", 3) == "x  "

def test_render():
    assert render(["Name", "Qty"], [["tea", 2], ["coffee", 10]]) == [
        "Name    Qty",
        "------  ---",
        "tea       2",
        "coffee   10",
    ]

def test_totals():
    assert render(["Item", "N"], [["cup", 7], ["pot", 5]], totals=True) == [
        "Item   N",
        "-----  --",
        "cup     7",
        "pot     5",
        "-----  --",
        "Total  12",
    ]
""",
        hidden=r"""
def test_wide_sum():
    lines = render(["Product", "A"], [["x", 60], ["y", 50]], totals=True)
    assert lines[-1] == "Total    110"
    assert lines[2] == "x         60"

def test_short_first_column():
    lines = render(["K", "Count"], [["a", 1]], totals=True)
    assert lines == ["K      Count", "-----  -----", "a          1", "-----  -----", "Total      1"]

def test_no_totals_not_wider():
    assert render(["K", "C"], [["a", 1]]) == ["K  C", "-  -", "a  1"]

def test_totals_when_wide_enough():
    lines = render(["Product", "Amount"], [["x", 1], ["y", 2]], totals=True)
    assert lines[-1] == "Total         3"
""",
    ),
    Program(
        name="sales_summary",
        code=r'''"""Summaries of sales records.

A record is a dictionary with "region", "product", "units" and "price" (in
cents, for one unit).
"""

from collections import defaultdict


def revenue(record):
    """What was earned with the record."""
    return record["units"] * record["price"]


def by_key(records, key):
    """A dictionary from each value of the key to its total revenue."""
    totals = defaultdict(int)
    for record in records:
        totals[record[key]] += revenue(record)
    return dict(totals)


def top_products(records, count=3):
    """The products with the most units sold, as (product, units).

    Most units first; products with equal units in alphabetical order.
    """
    units = defaultdict(int)
    for record in records:
        units[record["product"]] += record["units"]
    ranking = sorted(units.items(), key=lambda item: item[1], reverse=True)
    return ranking[:count]


def report(records):
    """Lines "region: 12.50 (40%)", sorted by region."""
    totals = by_key(records, "region")
    total = sum(totals.values())
    lines = []
    for region, amount in sorted(totals.items()):
        percent = round(100 * amount / total) if total else 0
        lines.append("%s: %.2f (%d%%)" % (region, amount / 100, percent))
    return lines
''',
        wrong="ranking = sorted(units.items(), key=lambda item: item[1], reverse=True)",
        right="ranking = sorted(units.items(), key=lambda item: (-item[1], item[0]))",
        visible=r"""
def sale(region, product, units, price):
    return {"region": region, "product": product, "units": units, "price": price}

SALES = [
    sale("north", "pen", 10, 100),
    sale("south", "ink", 4, 500),
    sale("north", "cup", 4, 250),
    sale("south", "pen", 2, 100),
]

def test_revenue():
    assert revenue(SALES[1]) == 2000

def test_by_key():
    assert by_key(SALES, "region") == {"north": 2000, "south": 2200}

def test_top_product():
    assert top_products(SALES, 1) == [("pen", 12)]

def test_top_products_with_tie():
    assert top_products(SALES) == [("pen", 12), ("cup", 4), ("ink", 4)]

def test_report():
    assert report(SALES) == ["north: 20.00 (48%)", "south: 22.00 (52%)"]
    assert report([]) == []
""",
        hidden=r"""
def rec(product, units):
    return {"region": "r", "product": product, "units": units, "price": 1}

def test_tie_at_the_cut():
    assert top_products([rec("z", 3), rec("m", 3), rec("a", 3)], 2) == [("a", 3), ("m", 3)]

def test_tie_after_summing():
    records = [rec("b", 1), rec("a", 3), rec("b", 2), rec("c", 9)]
    assert top_products(records) == [("c", 9), ("a", 3), ("b", 3)]

def test_already_sorted():
    assert top_products([rec("a", 5), rec("b", 4)]) == [("a", 5), ("b", 4)]

def test_empty():
    assert top_products([]) == []
""",
    ),
    Program(
        name="grade_report",
        code=r'''"""Grades of a class."""

LIMITS = ((90, "A"), (80, "B"), (65, "C"), (50, "D"))


def letter(points):
    """The letter for 0..100 points; below 50 it is "F"."""
    for limit, name in LIMITS:
        if points >= limit:
            return name
    return "F"


def median(values):
    """The middle value, or the mean of the two in the middle."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def histogram(points):
    """Lines such as "A: ** (2)", for every letter from A to F, even unused."""
    counts = {name: 0 for _, name in LIMITS}
    counts["F"] = 0
    for value in points:
        counts[letter(value)] += 1
    return [
        ("%s: %s (%d)" % (name, "*" * count, count)).replace("  ", " ")
        for name, count in counts.items()
    ]


def rank(results):
    """A dictionary from name to rank; the most points have rank 1.

    Equal points have the same rank, and the ranks after them are left out
    (1, 2, 2, 4).
    """
    ranks = {}
    previous = None
    current = 0
    ordered = sorted(results.items(), key=lambda item: -item[1])
    for position, (name, points) in enumerate(ordered, start=1):
        if points != previous:
            current += 1
        ranks[name] = current
        previous = points
    return ranks
''',
        wrong="            current += 1\n",
        right="            current = position\n",
        visible=r"""
def test_letter():
    assert [letter(p) for p in (100, 90, 89, 65, 50, 49)] == ["A", "A", "B", "C", "D", "F"]

def test_median():
    assert median([5, 1, 3]) == 3
    assert median([4, 1, 3, 2]) == 2.5

def test_histogram():
    assert histogram([95, 91, 10]) == ["A: ** (2)", "B: (0)", "C: (0)", "D: (0)", "F: * (1)"]

def test_rank():
    assert rank({"ann": 70, "bob": 90, "cid": 80}) == {"bob": 1, "cid": 2, "ann": 3}

def test_rank_with_ties():
    assert rank({"a": 90, "b": 80, "c": 80, "d": 10}) == {"a": 1, "b": 2, "c": 2, "d": 4}
""",
        hidden=r"""
def test_tie_at_the_top():
    assert rank({"x": 5, "y": 5, "z": 5, "w": 1}) == {"x": 1, "y": 1, "z": 1, "w": 4}

def test_two_ties():
    assert rank({"a": 9, "b": 9, "c": 7, "d": 7, "e": 3}) == {"a": 1, "b": 1, "c": 3, "d": 3, "e": 5}

def test_all_equal():
    assert rank({"a": 0, "b": 0}) == {"a": 1, "b": 1}

def test_nobody():
    assert rank({}) == {}
""",
    ),
    Program(
        name="log_summary",
        code=r'''"""Summaries of log files with lines such as

    2024-05-01 12:00:03 ERROR disk: write failed
"""

import re
from collections import Counter

LINE = re.compile(r"(\S+) (\S+) (DEBUG|INFO|WARNING|ERROR) (\w+): (.*)")
LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR"]


def parse(text):
    """A list of dictionaries with date, time, level, source and message.

    Lines which do not have the right form continue the message of the entry
    before, after a newline; at the beginning they are ignored.
    """
    entries = []
    for line in text.splitlines():
        match = LINE.fullmatch(line)
        if match:
            names = ("date", "time", "level", "source", "message")
            entries.append(dict(zip(names, match.groups())))
        elif entries:
            entries[-1]["message"] += "\n" + line
    return entries


def at_least(entries, level):
    """The entries of this level or a more serious one."""
    return [e for e in entries if e["level"] >= level]


def counts_by_source(entries):
    """Pairs (source, number of entries), most frequent first, then by name."""
    counts = Counter(e["source"] for e in entries)
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def digest(text, level="WARNING"):
    """One line for each source with serious entries: "disk: 2"."""
    serious = at_least(parse(text), level)
    return ["%s: %d" % pair for pair in counts_by_source(serious)]
''',
        wrong='return [e for e in entries if e["level"] >= level]',
        right='return [e for e in entries if LEVELS.index(e["level"]) >= LEVELS.index(level)]',
        visible=r'''
LOG = """\
2024-05-01 12:00:01 INFO net: connected
2024-05-01 12:00:03 ERROR disk: write failed
  sector 7
2024-05-01 12:00:04 WARNING disk: retry
2024-05-01 12:00:05 ERROR cpu: too hot
2024-05-01 12:00:06 DEBUG net: ping
"""

def test_parse():
    entries = parse(LOG)
    assert len(entries) == 5
    assert entries[0]["time"] == "12:00:01"

def test_continuation():
    assert parse(LOG)[1]["message"] == "write failed\n  sector 7"

def test_counts():
    assert counts_by_source(parse(LOG)) == [("disk", 2), ("net", 2), ("cpu", 1)]

def test_at_least():
    assert len(at_least(parse(LOG), "DEBUG")) == 5
    assert [e["source"] for e in at_least(parse(LOG), "ERROR")] == ["disk", "cpu"]

def test_digest():
    assert digest(LOG) == ["disk: 2", "cpu: 1"]
''',
        hidden=r"""
def entries_of(*levels):
    return [dict(date="d", time="t", level=x, source="s", message="m") for x in levels]

def test_each_level():
    e = entries_of("DEBUG", "INFO", "WARNING", "ERROR")
    assert [len(at_least(e, x)) for x in ("DEBUG", "INFO", "WARNING", "ERROR")] == [4, 3, 2, 1]

def test_info_includes_errors():
    e = entries_of("ERROR", "DEBUG", "INFO")
    assert [x["level"] for x in at_least(e, "INFO")] == ["ERROR", "INFO"]

def test_digest_of_errors():
    text = "a b ERROR x: 1\na b INFO y: 2\na b WARNING z: 3"
    assert digest(text) == ["x: 1", "z: 1"]
    assert digest(text, "ERROR") == ["x: 1"]

def test_leading_garbage():
    assert parse("hello\n") == []
""",
    ),
    # ---------------------------------------------------------- validation
    Program(
        name="password_rules",
        code=r'''"""Checking passwords against rules."""

MIN_LENGTH = 8
SPECIAL = set("!@#$%^&*-_+?")


def longest_run(text):
    """The length of the longest run of one repeated character."""
    longest = run = 0
    previous = None
    for char in text:
        run = run + 1 if char == previous else 1
        longest = max(longest, run)
        previous = char
    return longest


def problems(password, user=""):
    """What is wrong with the password, as a list of messages in this order:

    "too short"       fewer than 8 characters
    "needs a letter"  no letter
    "needs a digit"   no digit
    "needs a special" none of the special characters
    "repetitive"      a character more than three times in a row
    "contains user"   the user name (unless empty) is in it, in any case
    """
    found = []
    if len(password) < MIN_LENGTH:
        found.append("too short")
    if not any(c.isalpha() for c in password):
        found.append("needs a letter")
    if not any(c.isdigit() for c in password):
        found.append("needs a digit")
    if not SPECIAL & set(password):
        found.append("needs a special")
    if longest_run(password) > 3:
        found.append("repetitive")
    if user and user in password.lower():
        found.append("contains user")
    return found


def is_valid(password, user=""):
    """Whether nothing is wrong with the password."""
    return not problems(password, user)
''',
        wrong="if user and user in password.lower():",
        right="if user and user.lower() in password.lower():",
        visible=r"""
def test_good():
    assert is_valid("correct-horse7", "ann")

def test_short():
    assert problems("a1-") == ["too short"]

def test_several():
    assert problems("12345678") == ["needs a letter", "needs a special"]

def test_repetitive():
    assert problems("aaaa-bcd1") == ["repetitive"]
    assert problems("aaa-bcde1") == []

def test_contains_user():
    assert problems("x-ann-2024", "ann") == ["contains user"]
    assert problems("x-ANN-2024", "ann") == ["contains user"]

def test_contains_capital_user():
    assert problems("x-Ann-2024", "Ann") == ["contains user"]
""",
        hidden=r"""
def test_capital_user_small_password():
    assert not is_valid("-mrsmith99", "MrSmith")

def test_all_capital_user():
    assert problems("ROOT-root-1", "ROOT") == ["contains user"]

def test_empty_user():
    assert is_valid("abcdefg-1", "")

def test_other_user():
    assert is_valid("abcdefg-1", "Zoe")
""",
    ),
    Program(
        name="order_schema",
        code=r'''"""Validation of order data as it comes from a form or a JSON file."""


def check_field(data, name, kind, required=True):
    """The error message for a field, or None if it is fine.

    Fields which are not required may be missing or None.  A bool is not
    accepted as an int.
    """
    value = data.get(name)
    if value is None:
        return "%s is missing" % name if required else None
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        return "%s must be %s" % (name, kind.__name__)
    return None


def check_item(item, number):
    """The errors of one item of an order; `number` is its place from 1."""
    errors = [
        check_field(item, "sku", str),
        check_field(item, "quantity", int),
        check_field(item, "note", str, required=False),
    ]
    errors = [error for error in errors if error]
    if not errors and item["quantity"] < 1:
        errors.append("quantity must be positive")
    return ["item %d: %s" % (number, error) for error in errors]


def check_order(order):
    """All errors of an order, first its own, then those of its items."""
    errors = []
    for name, kind in (("customer", str), ("items", list)):
        error = check_field(order, name, kind)
        if error:
            errors.append(error)
    if errors:
        return errors
    if not order["items"]:
        errors.append("items must not be empty")
    for number, item in enumerate(order["items"], start=1):
        errors = check_item(item, number)
    return errors
''',
        wrong="        errors = check_item(item, number)",
        right="        errors += check_item(item, number)",
        visible=r"""
def test_good_order():
    assert check_order({"customer": "ann", "items": [{"sku": "x1", "quantity": 2}]}) == []

def test_missing_fields():
    assert check_order({}) == ["customer is missing", "items is missing"]

def test_wrong_type():
    assert check_order({"customer": 5, "items": []}) == ["customer must be str"]

def test_bool_is_no_int():
    assert check_field({"n": True}, "n", int) == "n must be int"

def test_bad_item():
    order = {"customer": "ann", "items": [{"sku": "a", "quantity": 1}, {"sku": "b", "quantity": 0}]}
    assert check_order(order) == ["item 2: quantity must be positive"]

def test_bad_items():
    order = {"customer": "ann", "items": [{"quantity": 1}, {"sku": "b", "quantity": "3"}]}
    assert check_order(order) == ["item 1: sku is missing", "item 2: quantity must be int"]
""",
        hidden=r"""
def test_only_first_item_bad():
    order = {"customer": "x", "items": [{}, {"sku": "b", "quantity": 1}]}
    assert check_order(order) == ["item 1: sku is missing", "item 1: quantity is missing"]

def test_three_bad_items():
    bad = {"sku": "a", "quantity": -1}
    assert len(check_order({"customer": "x", "items": [bad, bad, bad]})) == 3

def test_empty_items():
    assert check_order({"customer": "x", "items": []}) == ["items must not be empty"]

def test_note():
    assert check_order({"customer": "x", "items": [{"sku": "a", "quantity": 1, "note": 4}]}) == ["item 1: note must be str"]
""",
    ),
    Program(
        name="member_number",
        code=r'''"""Member numbers with a check digit, such as "KA-20417-4"."""

WEIGHTS = (7, 3, 1, 7, 3)


def check_digit(digits):
    """The check digit for a string of five digits.

    Each digit is multiplied by its weight; the check digit makes the sum of
    all the products and itself a multiple of 10.
    """
    if len(digits) != len(WEIGHTS) or not digits.isdigit():
        raise ValueError("need %d digits" % len(WEIGHTS))
    total = sum(int(d) * w for d, w in zip(digits, WEIGHTS))
    return str(10 - total % 10)


def make_number(region, serial):
    """The member number for a region and a serial number below 100000."""
    if not 0 <= serial < 100000:
        raise ValueError("serial number out of range")
    digits = "%05d" % serial
    return "%s-%s-%s" % (region.upper(), digits, check_digit(digits))


def is_valid(number):
    """Whether the text is a member number with the right check digit.

    Spaces around it are ignored; the region is two capital letters.
    """
    parts = number.strip().split("-")
    if len(parts) != 3:
        return False
    region, digits, check = parts
    if len(region) != 2 or not region.isalpha() or not region.isupper():
        return False
    try:
        return check_digit(digits) == check
    except ValueError:
        return False
''',
        wrong="return str(10 - total % 10)",
        right="return str(-total % 10)",
        visible=r"""
def test_check_digit():
    assert check_digit("20417") == "4"
    assert check_digit("00001") == "7"

def test_check_digit_zero():
    assert check_digit("10010") == "6"
    assert check_digit("10001") == "0"

def test_make_number():
    assert make_number("ka", 1) == "KA-00001-7"
    with pytest.raises(ValueError):
        make_number("KA", 100000)

def test_valid():
    assert is_valid(" KA-20417-4 ")

def test_invalid():
    assert not is_valid("KA-20417-3")
    assert not is_valid("K1-20417-4")
    assert not is_valid("KA-2041-4")
""",
        hidden=r"""
def test_all_zero():
    assert check_digit("00000") == "0"
    assert make_number("ab", 0) == "AB-00000-0"

def test_valid_with_zero():
    assert is_valid("ZZ-01010-0")
    assert not is_valid("ZZ-01010-10")
    assert is_valid("QQ-10001-0")

def test_all_made_numbers_are_valid():
    numbers = [make_number("xy", n) for n in range(0, 100000, 997)]
    assert all(is_valid(n) and len(n) == 10 for n in numbers)

def test_wrong_input():
    with pytest.raises(ValueError):
        check_digit("12a45")
""",
    ),
    Program(
        name="booking_rules",
        code=r'''"""Rules for booking meeting rooms; times are minutes since midnight."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Booking:
    room: str
    start: int
    end: int


def parse_time(text):
    """Minutes since midnight for "hh:mm"; "24:00" is allowed as an end."""
    hours, colon, minutes = text.partition(":")
    if not colon or not hours.isdigit() or not minutes.isdigit():
        raise ValueError("not a time: %r" % text)
    total = int(hours) * 60 + int(minutes)
    if int(minutes) > 59 or total > 24 * 60:
        raise ValueError("not a time: %r" % text)
    return total


def overlaps(one, other):
    """Whether two bookings of the same room have some time in common.

    A booking may start at the minute at which another one ends.
    """
    if one.room != other.room:
        return False
    return one.start <= other.start < one.end


def conflicts(bookings, new):
    """The existing bookings which overlap with the new one, by start."""
    found = [old for old in bookings if overlaps(old, new)]
    return sorted(found, key=lambda booking: booking.start)


def book(bookings, room, start, end):
    """Add a booking to the list and return it, or raise ValueError."""
    new = Booking(room, parse_time(start), parse_time(end))
    if new.start >= new.end:
        raise ValueError("must end after it starts")
    if conflicts(bookings, new):
        raise ValueError("room %s is taken" % room)
    bookings.append(new)
    return new
''',
        wrong="return one.start <= other.start < one.end",
        right="return one.start < other.end and other.start < one.end",
        visible=r"""
def test_parse_time():
    assert parse_time("09:30") == 570
    assert parse_time("24:00") == 1440
    with pytest.raises(ValueError):
        parse_time("9.30")

def test_book():
    bookings = []
    assert book(bookings, "A", "09:00", "10:00") == Booking("A", 540, 600)
    assert len(bookings) == 1

def test_back_to_back():
    bookings = []
    book(bookings, "A", "09:00", "10:00")
    book(bookings, "A", "10:00", "11:00")
    book(bookings, "B", "09:30", "10:30")
    assert len(bookings) == 3

def test_starts_during_another():
    bookings = [Booking("A", 540, 600)]
    with pytest.raises(ValueError):
        book(bookings, "A", "09:30", "11:00")

def test_ends_during_another():
    bookings = [Booking("A", 540, 600)]
    with pytest.raises(ValueError):
        book(bookings, "A", "08:00", "09:30")
""",
        hidden=r"""
def test_symmetric():
    a, b = Booking("A", 0, 100), Booking("A", 50, 150)
    assert overlaps(a, b) and overlaps(b, a)

def test_inside_and_around():
    inner, outer = Booking("A", 20, 30), Booking("A", 10, 40)
    assert overlaps(inner, outer) and overlaps(outer, inner)

def test_touching():
    a, b = Booking("A", 0, 10), Booking("A", 10, 20)
    assert not overlaps(a, b) and not overlaps(b, a)

def test_conflicts():
    old = [Booking("A", 60, 90), Booking("A", 10, 20), Booking("B", 0, 99), Booking("A", 120, 130)]
    assert conflicts(old, Booking("A", 15, 100)) == [Booking("A", 10, 20), Booking("A", 60, 90)]
""",
    ),
    # --------------------------------------------------------------- games
    Program(
        name="four_in_a_row",
        code=r'''"""The game of four in a row, seven columns wide and six rows high."""

COLUMNS, ROWS = 7, 6
DIRECTIONS = ((1, 0), (0, 1), (1, 1))


class Board:
    """Cells are addressed as (column, row); row 0 is at the bottom."""

    def __init__(self):
        self.cells = {}

    def height(self, column):
        """The number of pieces in the column."""
        return sum(1 for row in range(ROWS) if (column, row) in self.cells)

    def drop(self, column, player):
        """Drop a piece and return its row; ValueError if impossible."""
        if not 0 <= column < COLUMNS:
            raise ValueError("no such column")
        row = self.height(column)
        if row == ROWS:
            raise ValueError("column is full")
        self.cells[column, row] = player
        return row

    def _count(self, column, row, dx, dy):
        player = self.cells[column, row]
        count = 0
        while self.cells.get((column, row)) == player:
            count += 1
            column, row = column + dx, row + dy
        return count

    def winner(self):
        """The player with four pieces in a row (across, upright or on
        either diagonal), or None."""
        for (column, row), player in self.cells.items():
            for dx, dy in DIRECTIONS:
                if self._count(column, row, dx, dy) >= 4:
                    return player
        return None
''',
        wrong="DIRECTIONS = ((1, 0), (0, 1), (1, 1))",
        right="DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))",
        visible=r"""
def test_drop():
    b = Board()
    assert b.drop(3, "x") == 0
    assert b.drop(3, "o") == 1
    with pytest.raises(ValueError):
        b.drop(7, "x")

def test_full_column():
    b = Board()
    for i in range(6):
        b.drop(0, "xo"[i % 2])
    with pytest.raises(ValueError):
        b.drop(0, "x")

def test_across_and_upright():
    b = Board()
    for c in (1, 2, 4):
        b.drop(c, "x")
    assert b.winner() is None
    b.drop(3, "x")
    assert b.winner() == "x"
    b = Board()
    for _ in range(4):
        b.drop(5, "o")
    assert b.winner() == "o"

def test_rising_diagonal():
    b = Board()
    for c, pieces in enumerate(["x", "ox", "oox", "xoox"]):
        for p in pieces:
            b.drop(c, p)
    assert b.winner() == "x"

def test_falling_diagonal():
    b = Board()
    for c, pieces in enumerate(["xoox", "oox", "ox", "x"]):
        for p in pieces:
            b.drop(c, p)
    assert b.winner() == "x"
""",
        hidden=r"""
def fill(*columns):
    b = Board()
    for c, pieces in enumerate(columns):
        for p in pieces:
            b.drop(c, p)
    return b

def test_falling_to_the_right_edge():
    assert fill("", "", "", "xxoo", "oxo", "xo", "o").winner() == "o"

def test_falling_high_up():
    assert fill("xoxoxo", "oxoxo", "oxxo", "xoo").winner() == "o"

def test_three_falling():
    assert fill("oox", "ox", "x").winner() is None

def test_empty():
    assert Board().winner() is None
""",
    ),
    Program(
        name="dice_scores",
        code=r'''"""Scores for a game with five dice."""

from collections import Counter


def upper(dice, number):
    """The sum of the dice which show the number."""
    return number * dice.count(number)


def of_a_kind(dice, n):
    """The sum of all dice if at least n of them are equal, else 0."""
    if max(Counter(dice).values()) >= n:
        return sum(dice)
    return 0


def full_house(dice):
    """25 for three dice of one number and two of another, else 0."""
    return 25 if sorted(Counter(dice).values()) == [2, 3] else 0


def longest_straight(dice):
    """The length of the longest run of consecutive numbers."""
    longest = run = 0
    for number in range(1, 7):
        run = run + 1 if number in dice else 0
        longest = max(longest, run)
    return longest


def straight(dice):
    """40 for five consecutive numbers, 30 for four, else 0."""
    length = longest_straight(dice)
    return 40 if length == 5 else 30 if length == 4 else 0


def best_category(dice, free):
    """The name of the free category with the highest score.

    free is a list of names; on a tie the one earlier in the list wins.
    """
    scores = {
        "three": of_a_kind(dice, 3),
        "four": of_a_kind(dice, 4),
        "house": full_house(dice),
        "straight": straight(dice),
        "chance": sum(dice),
    }
    return max(scores, key=scores.get)
''',
        wrong="return max(scores, key=scores.get)",
        right="return max(free, key=scores.get)",
        visible=r"""
def test_upper():
    assert upper([1, 4, 4, 2, 4], 4) == 12

def test_of_a_kind():
    assert of_a_kind([2, 2, 2, 5, 6], 3) == 17
    assert of_a_kind([2, 2, 2, 5, 6], 4) == 0

def test_full_house():
    assert full_house([3, 3, 5, 5, 5]) == 25
    assert full_house([5, 5, 5, 5, 5]) == 0

def test_straight():
    assert straight([2, 3, 4, 5, 6]) == 40
    assert straight([1, 2, 3, 4, 6]) == 30

def test_best_of_all():
    names = ["three", "four", "house", "straight", "chance"]
    assert best_category([1, 2, 3, 4, 5], names) == "straight"

def test_best_of_the_free_ones():
    assert best_category([3, 3, 5, 5, 5], ["four", "chance"]) == "chance"
""",
        hidden=r"""
def test_only_one_free():
    assert best_category([1, 2, 3, 4, 5], ["house"]) == "house"

def test_tie_earlier_in_list():
    assert best_category([6, 6, 6, 1, 2], ["chance", "three"]) == "chance"
    assert best_category([6, 6, 6, 1, 2], ["three", "chance"]) == "three"

def test_all_zero():
    assert best_category([1, 1, 2, 4, 6], ["straight", "four"]) == "straight"

def test_house_free():
    assert best_category([1, 1, 1, 2, 2], ["three", "house", "chance"]) == "house"
""",
    ),
    Program(
        name="life_grid",
        code=r'''"""Cells which live and die on a grid with edges."""


def parse(text):
    """Rows of booleans from lines in which "#" is a living cell."""
    return [[char == "#" for char in line] for line in text.split()]


def show(grid):
    """The opposite of parse, with "." for dead cells."""
    return "\n".join("".join("#" if c else "." for c in row) for row in grid)


def neighbours(grid, row, column):
    """The number of living cells among the up to eight around a cell."""
    count = 0
    for r in range(max(row - 1, 0), min(row + 2, len(grid))):
        for c in range(max(column - 1, 0), min(column + 2, len(grid[0]))):
            if (r, c) != (row, column) and grid[r][c]:
                count += 1
    return count


def step(grid):
    """The next generation, as a new grid; the old one is not changed.

    A living cell survives with two or three neighbours, a dead cell comes to
    life with exactly three.
    """
    new = list(grid)
    for r, row in enumerate(grid):
        for c, alive in enumerate(row):
            n = neighbours(grid, r, c)
            new[r][c] = n == 3 or (alive and n == 2)
    return new


def generations_until_still(grid, limit=50):
    """How many steps it takes until nothing changes; None above the limit."""
    for number in range(limit + 1):
        following = step(grid)
        if following == grid:
            return number
        grid = following
    return None
''',
        wrong="new = list(grid)",
        right="new = [list(row) for row in grid]",
        visible=r"""
def test_parse_and_show():
    text = "#..\n.#.\n..#"
    assert show(parse(text)) == text

def test_neighbours():
    grid = parse("##.\n#..\n..#")
    assert neighbours(grid, 1, 1) == 4
    assert neighbours(grid, 0, 0) == 2

def test_block_is_still():
    grid = parse("##\n##")
    assert step(grid) == grid

def test_blinker():
    assert show(step(parse("...\n###\n..."))) == ".#.\n.#.\n.#."

def test_old_grid_is_unchanged():
    grid = parse("#..\n...\n...")
    step(grid)
    assert show(grid) == "#..\n...\n..."
""",
        hidden=r"""
def test_never_still():
    assert generations_until_still(parse("...\n###\n..."), 10) is None

def test_dies_out():
    assert generations_until_still(parse("#..\n...\n...")) == 1

def test_birth():
    assert show(step(parse("##.\n#..\n..."))) == "##.\n##.\n..."

def test_twice():
    grid = parse(".....\n..#..\n..#..\n..#..\n.....")
    assert step(step(grid)) == grid

def test_already_still():
    assert generations_until_still(parse("...\n...")) == 0
""",
    ),
    Program(
        name="card_trick",
        code=r'''"""A trick-taking card game.

A card is a text such as "10h" or "Ks": a rank and a suit (c, d, h or s).
"""

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def rank(card):
    """0 for a two up to 12 for an ace."""
    return RANKS.index(card[:-1])


def suit(card):
    """The letter of the suit."""
    return card[-1]


def playable(hand, trick):
    """The cards of the hand which may be played on the trick, in order.

    The suit of the first card of the trick must be followed if possible.
    """
    if not trick:
        return list(hand)
    following = [card for card in hand if suit(card) == suit(trick[0])]
    return following or list(hand)


def winning_card(trick, trump=None):
    """The card which wins the trick.

    The highest trump wins; without trumps, the highest card of the suit of
    the first card.
    """
    best = trick[0]
    for card in trick[1:]:
        if suit(card) == suit(best):
            if rank(card) > rank(best):
                best = card
        elif suit(card) == trump:
            best = card
    return best


def play_round(hands, leader, choose):
    """Play one card from each hand; returns (winner, trick).

    hands is a list of lists, from which the cards are removed.  The leader
    begins and the others follow in order.  choose(cards, trick) picks one of
    the playable cards.
    """
    trick = []
    for i in range(len(hands)):
        hand = hands[(leader + i) % len(hands)]
        card = choose(playable(hand, trick), trick)
        hand.remove(card)
        trick.append(card)
    return trick.index(winning_card(trick)), trick
''',
        wrong="return trick.index(winning_card(trick)), trick",
        right="return (leader + trick.index(winning_card(trick))) % len(hands), trick",
        visible=r"""
def test_rank_and_suit():
    assert rank("10h") == 8
    assert suit("10h") == "h"

def test_playable():
    assert playable(["2h", "Ks", "Ah"], ["5h"]) == ["2h", "Ah"]
    assert playable(["2h", "Ks"], ["5d"]) == ["2h", "Ks"]

def test_winning_card():
    assert winning_card(["5h", "Kh", "As"]) == "Kh"
    assert winning_card(["Ah", "2s", "Kh"], trump="s") == "2s"

def test_round_led_by_first():
    hands = [["5h"], ["9h"], ["2h"]]
    assert play_round(hands, 0, lambda cards, trick: cards[0]) == (1, ["5h", "9h", "2h"])
    assert hands == [[], [], []]

def test_round_led_by_another():
    hands = [["Qh", "2c"], ["9h"], ["3h"]]
    winner, trick = play_round(hands, 1, lambda cards, trick: cards[0])
    assert trick == ["9h", "3h", "Qh"]
    assert winner == 0
""",
        hidden=r"""
def first(cards, trick):
    return cards[0]

def test_leader_wins():
    assert play_round([["2h"], ["3h"], ["Ah"], ["4h"]], 2, first)[0] == 2

def test_nobody_follows():
    assert play_round([["As"], ["Ac"], ["2d"]], 2, first) == (2, ["2d", "As", "Ac"])

def test_two_players():
    assert play_round([["Kd"], ["Qd"]], 1, first) == (0, ["Qd", "Kd"])
    assert play_round([["Kd"], ["Ad"]], 0, first) == (1, ["Kd", "Ad"])

def test_last_player():
    assert play_round([["2h"], ["3h"], ["4h"]], 0, first)[0] == 2
""",
    ),
)
