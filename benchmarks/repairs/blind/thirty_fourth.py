"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="fenwick_range_counter",
        code=r'''
class FenwickTree:
    """Sums over a list of numbers; positions count from 1."""

    def __init__(self, values):
        self.size = len(values)
        self.tree = [0] * (self.size + 1)
        for position, value in enumerate(values, start=1):
            self.add(position, value)

    def add(self, position, amount):
        if not 1 <= position <= self.size:
            raise IndexError(position)
        while position <= self.size:
            self.tree[position] += amount
            position += position & -position

    def prefix(self, position):
        total = 0
        while position > 0:
            total += self.tree[position]
            position -= position & -position
        return total

    def between(self, first, last):
        """Sum of the values at first..last, both included."""
        if first > last:
            return 0
        return self.prefix(last) - self.prefix(first)
''',
        wrong="self.prefix(last) - self.prefix(first)",
        right="self.prefix(last) - self.prefix(first - 1)",
        visible=r"""
def test_prefix():
    tree = FenwickTree([3, 1, 4, 1, 5])
    assert [tree.prefix(i) for i in range(6)] == [0, 3, 4, 8, 9, 14]


def test_between_middle():
    assert FenwickTree([3, 1, 4, 1, 5]).between(2, 4) == 6


def test_between_all():
    assert FenwickTree([3, 1, 4, 1, 5]).between(1, 5) == 14


def test_empty_range():
    assert FenwickTree([3, 1, 4]).between(3, 2) == 0


def test_bad_position():
    with pytest.raises(IndexError):
        FenwickTree([1]).add(2, 5)
""",
        hidden=r"""
def test_single_position():
    tree = FenwickTree([7, 8, 9])
    assert [tree.between(i, i) for i in (1, 2, 3)] == [7, 8, 9]


def test_after_add():
    tree = FenwickTree([0] * 8)
    tree.add(3, 10)
    tree.add(6, 5)
    assert tree.between(3, 6) == 15
    assert tree.between(4, 8) == 5


def test_prefix_after_add():
    tree = FenwickTree([1, 1, 1, 1])
    tree.add(2, 4)
    assert tree.prefix(1) == 1
    assert tree.prefix(4) == 8


def test_negative_values():
    assert FenwickTree([-2, 5, -3]).between(1, 2) == 3
""",
    ),
    Program(
        name="sparse_vector_sum",
        code=r'''
class SparseVector:
    """A vector that stores only its entries other than zero."""

    def __init__(self, entries=()):
        self.entries = {i: v for i, v in dict(entries).items() if v != 0}

    def __getitem__(self, index):
        return self.entries.get(index, 0)

    def __len__(self):
        return len(self.entries)

    def add(self, other):
        result = dict(self.entries)
        for index, value in other.entries.items():
            total = result.get(index, 0) + value
            if total:
                result[index] = total
            else:
                result.pop(index, None)
        return SparseVector(result)

    def dot(self, other):
        small, large = self.entries, other.entries
        if len(small) > len(large):
            small, large = large, small
        return sum(v * large.get(i, 1) for i, v in small.items())

    def scale(self, factor):
        return SparseVector({i: v * factor for i, v in self.entries.items()})
''',
        wrong="large.get(i, 1)",
        right="large.get(i, 0)",
        visible=r"""
def test_add_cancels():
    total = SparseVector({1: 2, 5: 3}).add(SparseVector({5: -3, 7: 1}))
    assert total.entries == {1: 2, 7: 1}


def test_dot_same_places():
    assert SparseVector({0: 2, 3: 4}).dot(SparseVector({0: 5, 3: 1})) == 14


def test_dot_disjoint():
    assert SparseVector({0: 2}).dot(SparseVector({1: 9})) == 0


def test_scale_by_zero():
    assert len(SparseVector({2: 8}).scale(0)) == 0


def test_missing_is_zero():
    assert SparseVector({2: 8})[3] == 0
""",
        hidden=r"""
def test_dot_partly_shared():
    assert SparseVector({0: 1, 1: 2, 2: 3}).dot(SparseVector({2: 4, 9: 5})) == 12


def test_dot_is_symmetric():
    a = SparseVector({0: 1, 4: 2, 6: 7})
    b = SparseVector({4: 3})
    assert a.dot(b) == b.dot(a) == 6


def test_dot_with_empty():
    assert SparseVector({1: 1}).dot(SparseVector()) == 0


def test_dot_nothing_shared():
    assert SparseVector({1: 4, 2: 4}).dot(SparseVector({3: 4, 5: 4})) == 0


def test_scale():
    assert SparseVector({1: 4, 2: 0}).scale(3).entries == {1: 12}
""",
    ),
    Program(
        name="deep_merge_settings",
        code=r'''
def merge(base, override):
    """A new dict: base with override's values laid over it, nested dicts merged."""
    result = {}
    for key, value in base.items():
        if key not in override:
            result[key] = value
        elif isinstance(value, dict) and isinstance(override[key], dict):
            result[key] = merge(override[key], value)
        else:
            result[key] = override[key]
    for key, value in override.items():
        if key not in base:
            result[key] = value
    return result


def lookup(settings, path, default=None):
    """The value at a dotted path, or default."""
    head, _, rest = path.partition(".")
    if head not in settings:
        return default
    if not rest:
        return settings[head]
    if not isinstance(settings[head], dict):
        return default
    return lookup(settings[head], rest, default)
''',
        wrong="merge(override[key], value)",
        right="merge(value, override[key])",
        visible=r"""
def test_flat():
    assert merge({"a": 1, "b": 2}, {"b": 3, "c": 4}) == {"a": 1, "b": 3, "c": 4}


def test_nested_override_wins():
    base = {"log": {"level": "info", "file": "x"}}
    assert merge(base, {"log": {"level": "debug"}}) == {"log": {"level": "debug", "file": "x"}}


def test_dict_replaced_by_scalar():
    assert merge({"log": {"level": 1}}, {"log": None}) == {"log": None}


def test_base_is_untouched():
    base = {"a": {"b": 1}}
    merge(base, {"a": {"c": 2}})
    assert base == {"a": {"b": 1}}


def test_lookup():
    assert lookup({"a": {"b": {"c": 7}}}, "a.b.c") == 7
    assert lookup({"a": 1}, "a.b", "none") == "none"
""",
        hidden=r"""
def test_three_levels():
    base = {"a": {"b": {"c": 1, "d": 2}, "e": 5}}
    over = {"a": {"b": {"c": 9}, "e": 6}}
    assert merge(base, over) == {"a": {"b": {"c": 9, "d": 2}, "e": 6}}


def test_two_levels():
    assert merge({"x": {"y": 1}}, {"x": {"y": 2}}) == {"x": {"y": 2}}


def test_disjoint_nested():
    assert merge({"x": {"y": 1}}, {"x": {"z": 2}}) == {"x": {"y": 1, "z": 2}}


def test_scalar_replaced_by_dict():
    assert merge({"x": 1}, {"x": {"z": 2}}) == {"x": {"z": 2}}


def test_lookup_missing():
    assert lookup({}, "a.b") is None
    assert lookup({"a": {"b": 0}}, "a.b", 5) == 0
""",
    ),
    Program(
        name="symbolic_derivative",
        code=r'''
def derive(expr, name):
    """Derivative of a nested tuple such as ("+", "x", ("*", 2, "y"))."""
    if isinstance(expr, (int, float)):
        return 0
    if isinstance(expr, str):
        return 1 if expr == name else 0
    op, left, right = expr
    if op == "+":
        return plus(derive(left, name), derive(right, name))
    if op == "*":
        return plus(
            times(derive(left, name), right),
            times(left, right),
        )
    raise ValueError(f"unknown operator {op!r}")


def plus(left, right):
    if left == 0:
        return right
    if right == 0:
        return left
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    return ("+", left, right)


def times(left, right):
    if left == 0 or right == 0:
        return 0
    if left == 1:
        return right
    if right == 1:
        return left
    return ("*", left, right)
''',
        wrong="            times(left, right),\n",
        right="            times(left, derive(right, name)),\n",
        visible=r"""
def test_number_and_name():
    assert derive(7, "x") == 0
    assert derive("x", "x") == 1
    assert derive("y", "x") == 0


def test_sum():
    assert derive(("+", "x", ("+", "x", 3)), "x") == 2


def test_linear_term():
    assert derive(("*", 5, "x"), "x") == 5


def test_square():
    assert derive(("*", "x", "x"), "x") == ("+", "x", "x")


def test_unknown_operator():
    with pytest.raises(ValueError):
        derive(("-", "x", 1), "x")
""",
        hidden=r"""
def test_factor_on_the_right():
    assert derive(("*", "x", 4), "x") == 4


def test_constant_product():
    assert derive(("*", "y", 4), "x") == 0


def test_polynomial():
    assert derive(("+", ("*", 3, "x"), ("*", "y", "x")), "x") == ("+", 3, "y")


def test_cube():
    expr = ("*", "x", ("*", "x", "x"))
    assert derive(expr, "x") == ("+", ("*", "x", "x"), ("*", "x", ("+", "x", "x")))
""",
    ),
    Program(
        name="quoted_field_splitter",
        code=r'''
def split_fields(line, separator=",", quote='"'):
    """Split one line; quoted fields may hold separators and doubled quotes."""
    fields = []
    current = []
    inside = False
    position = 0
    while position < len(line):
        char = line[position]
        if inside:
            if char != quote:
                current.append(char)
            elif line[position + 1:position + 2] == quote:
                current.append(quote)
                position += 1
            else:
                inside = False
        elif char == quote:
            inside = True
        elif char == separator:
            fields.append("".join(current))
            current = current[:1]
        else:
            current.append(char)
        position += 1
    if inside:
        raise ValueError("quote not closed")
    fields.append("".join(current))
    return fields
''',
        wrong="current = current[:1]",
        right="current = []",
        visible=r'''
def test_single_field():
    assert split_fields("abc") == ["abc"]


def test_plain_fields():
    assert split_fields("a,bc,d") == ["a", "bc", "d"]


def test_quoted_separator():
    assert split_fields('"a,b"') == ["a,b"]


def test_doubled_quote():
    assert split_fields('"say ""hi"""') == ['say "hi"']


def test_open_quote():
    with pytest.raises(ValueError):
        split_fields('a,"b')
''',
        hidden=r"""
def test_empty_fields():
    assert split_fields(",,") == ["", "", ""]


def test_mixed():
    assert split_fields('x,"1,5",z') == ["x", "1,5", "z"]


def test_other_separator():
    assert split_fields("red;green;;blue", separator=";") == ["red", "green", "", "blue"]


def test_empty_line():
    assert split_fields("") == [""]


def test_trailing_separator():
    assert split_fields("name,") == ["name", ""]
""",
    ),
    Program(
        name="shell_pattern_match",
        code=r'''
def matches(pattern, text):
    """Whether text as a whole fits a pattern with * (any run) and ? (one character)."""
    p = t = 0
    star = None
    resume = 0
    while t < len(text):
        if p < len(pattern) and pattern[p] == "*":
            star = p
            resume = t
            p += 1
        elif p < len(pattern) and pattern[p] in ("?", text[t]):
            p += 1
            t += 1
        elif star is not None:
            resume += 1
            t = resume
            p = star + 1
        else:
            return False
    while p < len(pattern) and pattern[p] == "?":
        p += 1
    return p == len(pattern)


def select(pattern, names):
    return [name for name in names if matches(pattern, name)]
''',
        wrong='while p < len(pattern) and pattern[p] == "?":',
        right='while p < len(pattern) and pattern[p] == "*":',
        visible=r"""
def test_literal():
    assert matches("abc", "abc")
    assert not matches("abc", "abd")


def test_star_in_the_middle():
    assert matches("a*c", "abbbc")
    assert not matches("a*c", "abbb")


def test_question_mark():
    assert matches("a?c", "abc")
    assert not matches("a?c", "ac")


def test_star_at_the_end():
    assert matches("ab*", "abcd")
    assert matches("ab*", "ab")


def test_select():
    assert select("*.py", ["a.py", "b.txt", "c.py"]) == ["a.py", "c.py"]
""",
        hidden=r"""
def test_only_stars_and_empty_text():
    assert matches("**", "")
    assert matches("", "")


def test_question_mark_needs_a_character():
    assert not matches("ab?", "ab")
    assert not matches("?", "")


def test_backtracking():
    assert matches("*ab*ab", "abxabab")
    assert not matches("*ab*ab", "abxaba")


def test_star_after_exact_text():
    assert select("log*", ["log", "logs", "lo"]) == ["log", "logs"]
""",
    ),
    Program(
        name="ratio_allocation",
        code=r'''
def allocate(cents, ratios):
    """Split an amount by ratios; the shares add up to the amount.

    What rounding down leaves over goes, a cent each, to the first shares with a ratio other than zero.
    """
    if cents < 0:
        raise ValueError("negative amount")
    total = sum(ratios)
    if total <= 0:
        raise ValueError("no ratios")
    shares = [cents * ratio // total for ratio in ratios]
    rest = cents - sum(shares)
    for index, ratio in enumerate(ratios):
        if rest == 0:
            break
        if ratio >= 0:
            shares[index] += 1
            rest -= 1
    return shares


def format_cents(cents):
    return f"{cents // 100}.{cents % 100:02d}"
''',
        wrong="if ratio >= 0:",
        right="if ratio > 0:",
        visible=r"""
def test_even():
    assert allocate(90, [1, 1, 1]) == [30, 30, 30]


def test_rest_goes_first():
    assert allocate(100, [1, 1, 1]) == [34, 33, 33]


def test_zero_ratio_gets_nothing():
    assert allocate(5, [0, 1, 1]) == [0, 3, 2]


def test_bad_ratios():
    with pytest.raises(ValueError):
        allocate(5, [0, 0])


def test_format():
    assert format_cents(1205) == "12.05"
""",
        hidden=r"""
def test_zero_ratio_first():
    assert allocate(100, [0, 1, 1, 1]) == [0, 34, 33, 33]


def test_zero_ratio_between():
    assert allocate(11, [1, 0, 1, 1]) == [4, 0, 4, 3]


def test_weights():
    assert allocate(10, [3, 7]) == [3, 7]
    assert allocate(5, [3, 7]) == [2, 3]


def test_nothing_to_share():
    assert allocate(0, [2, 0, 1]) == [0, 0, 0]


def test_negative_amount():
    with pytest.raises(ValueError):
        allocate(-1, [1])
""",
    ),
    Program(
        name="egyptian_fractions",
        code=r'''
from math import gcd


def egyptian(numerator, denominator):
    """Denominators of distinct unit fractions that sum to a fraction below one (greedy)."""
    if not 0 < numerator < denominator:
        raise ValueError("fraction must lie between 0 and 1")
    parts = []
    while numerator:
        unit = denominator // numerator + 1
        parts.append(unit)
        numerator = numerator * unit - denominator
        denominator *= unit
        common = gcd(numerator, denominator)
        numerator //= common
        denominator //= common
        if len(parts) > 12:
            break
    return parts
''',
        wrong="unit = denominator // numerator + 1",
        right="unit = -(-denominator // numerator)",
        visible=r"""
def test_unit_fraction():
    assert egyptian(1, 4) == [4]


def test_two_parts():
    assert egyptian(2, 3) == [2, 6]


def test_three_parts():
    assert egyptian(5, 6) == [2, 3]


def test_too_large():
    with pytest.raises(ValueError):
        egyptian(4, 3)


def test_zero():
    with pytest.raises(ValueError):
        egyptian(0, 3)
""",
        hidden=r"""
def test_half():
    assert egyptian(1, 2) == [2]


def test_not_reduced():
    assert egyptian(2, 4) == [2]


def test_seven_fifteenths():
    assert egyptian(7, 15) == [3, 8, 120]


def test_three_quarters():
    assert egyptian(3, 4) == [2, 4]


def test_one():
    with pytest.raises(ValueError):
        egyptian(3, 3)
""",
    ),
    Program(
        name="dependency_levels",
        code=r'''
def levels(needs):
    """Map each task to its level: 0 without needs, else one more than its highest need.

    needs: task -> iterable of the tasks it needs.
    """
    result = {}
    visiting = set()

    def level(task):
        if task in result:
            return result[task]
        if task in visiting:
            raise ValueError(f"cycle at {task}")
        visiting.add(task)
        highest = -1
        for need in needs.get(task, ()):
            highest = min(highest, level(need))
        visiting.remove(task)
        result[task] = highest + 1
        return result[task]

    for task in needs:
        level(task)
    return result


def batches(needs):
    """Lists of tasks that can run together, in order."""
    ranked = levels(needs)
    groups = [[] for _ in range(max(ranked.values(), default=-1) + 1)]
    for task in sorted(ranked):
        groups[ranked[task]].append(task)
    return groups
''',
        wrong="highest = min(highest, level(need))",
        right="highest = max(highest, level(need))",
        visible=r"""
def test_no_tasks():
    assert batches({}) == []


def test_independent():
    assert batches({"b": [], "a": []}) == [["a", "b"]]


def test_chain():
    assert levels({"c": ["b"], "b": ["a"]}) == {"a": 0, "b": 1, "c": 2}


def test_diamond():
    needs = {"d": ["b", "c"], "b": ["a"], "c": ["a"]}
    assert batches(needs) == [["a"], ["b", "c"], ["d"]]


def test_cycle():
    with pytest.raises(ValueError):
        levels({"a": ["b"], "b": ["a"]})
""",
        hidden=r"""
def test_uneven_needs():
    needs = {"d": ["a", "c"], "c": ["b"], "b": ["a"]}
    assert levels(needs) == {"a": 0, "b": 1, "c": 2, "d": 3}


def test_order_of_needs_is_irrelevant():
    assert levels({"z": ["y", "x"], "y": ["x"]}) == levels({"z": ["x", "y"], "y": ["x"]})
    assert levels({"z": ["y", "x"], "y": ["x"]})["z"] == 2


def test_two_components():
    assert batches({"b": ["a"], "q": ["p"]}) == [["a", "p"], ["b", "q"]]


def test_self_need():
    with pytest.raises(ValueError):
        batches({"a": ["a"]})
""",
    ),
    Program(
        name="vending_machine_credit",
        code=r'''
class VendingMachine:
    COINS = (200, 100, 50, 20, 10)

    def __init__(self, prices):
        self.prices = dict(prices)
        self.stock = {name: 0 for name in prices}
        self.credit = 0
        self.takings = 0

    def refill(self, name, count):
        self.stock[name] += count

    def insert(self, coin):
        if coin not in self.COINS:
            raise ValueError(f"unknown coin {coin}")
        self.credit += coin

    def buy(self, name):
        """Sell one item; what is left stays as credit."""
        if self.stock[name] == 0:
            return "sold out"
        if self.credit < self.prices[name]:
            return "insert more"
        self.stock[name] -= 1
        self.credit -= self.prices[name]
        self.takings += self.prices[name]
        return name

    def change(self):
        """Pay out the credit, large coins first."""
        coins = []
        for coin in self.COINS:
            count, rest = divmod(self.credit, coin)
            coins += [coin] * count
        self.credit = 0
        return coins
''',
        wrong="count, rest = divmod(self.credit, coin)",
        right="count, self.credit = divmod(self.credit, coin)",
        visible=r"""
def machine():
    m = VendingMachine({"tea": 120, "gum": 50})
    m.refill("tea", 2)
    return m


def test_sold_out():
    m = machine()
    m.insert(100)
    assert m.buy("gum") == "sold out"
    assert m.credit == 100


def test_insert_more():
    m = machine()
    m.insert(100)
    assert m.buy("tea") == "insert more"


def test_buy_and_change():
    m = machine()
    m.insert(200)
    assert m.buy("tea") == "tea"
    assert m.change() == [50, 20, 10]
    assert m.takings == 120


def test_no_change():
    assert machine().change() == []


def test_unknown_coin():
    with pytest.raises(ValueError):
        machine().insert(5)
""",
        hidden=r"""
def test_change_for_one_large_coin():
    m = VendingMachine({})
    m.insert(200)
    assert m.change() == [200]
    assert m.credit == 0


def test_change_after_two_purchases():
    m = VendingMachine({"gum": 50})
    m.refill("gum", 2)
    m.insert(200)
    m.insert(50)
    m.buy("gum")
    m.buy("gum")
    assert m.change() == [100, 50]


def test_second_change_is_empty():
    m = VendingMachine({})
    m.insert(10)
    m.change()
    assert m.change() == []


def test_stock_runs_out():
    m = VendingMachine({"gum": 10})
    m.refill("gum", 1)
    m.insert(50)
    assert [m.buy("gum"), m.buy("gum")] == ["gum", "sold out"]
""",
    ),
    Program(
        name="bag_intersection",
        code=r'''
class Bag:
    """A collection that counts equal items."""

    def __init__(self, items=()):
        self.counts = {}
        for item in items:
            self.add(item)

    def add(self, item, times=1):
        self.counts[item] = self.counts.get(item, 0) + times

    def remove(self, item):
        if self.counts.get(item, 0) == 0:
            raise KeyError(item)
        self.counts[item] -= 1
        if self.counts[item] == 0:
            del self.counts[item]

    def __len__(self):
        return len(self.counts)

    def __contains__(self, item):
        return item in self.counts

    def common(self, other):
        result = Bag()
        for item, count in self.counts.items():
            shared = min(count, other.counts.get(item, 0))
            if shared:
                result.add(item, shared)
        return result
''',
        wrong="return len(self.counts)",
        right="return sum(self.counts.values())",
        visible=r"""
def test_empty():
    assert len(Bag()) == 0


def test_length_counts_repeats():
    assert len(Bag("abca")) == 4


def test_remove_last():
    bag = Bag("ab")
    bag.remove("a")
    assert "a" not in bag
    assert len(bag) == 1


def test_remove_missing():
    with pytest.raises(KeyError):
        Bag("ab").remove("c")


def test_common():
    assert Bag("aabbc").common(Bag("abbb")).counts == {"a": 1, "b": 2}
""",
        hidden=r"""
def test_length_after_add_times():
    bag = Bag()
    bag.add("x", 5)
    assert len(bag) == 5


def test_length_after_remove():
    bag = Bag("xxx")
    bag.remove("x")
    assert len(bag) == 2
    assert "x" in bag


def test_common_length():
    assert len(Bag([1, 1, 1, 2]).common(Bag([1, 1, 3]))) == 2


def test_nothing_common():
    assert len(Bag("abc").common(Bag("xyz"))) == 0
""",
    ),
    Program(
        name="gap_text_buffer",
        code=r'''
class TextBuffer:
    """Text with a cursor, kept as two stacks of characters."""

    def __init__(self, text=""):
        self.before = list(text)
        self.after = []

    def __str__(self):
        return "".join(self.before) + "".join(reversed(self.after))

    @property
    def cursor(self):
        return len(self.before)

    def left(self, count=1):
        for _ in range(min(count, len(self.before))):
            self.after.append(self.before.pop())

    def right(self, count=1):
        for _ in range(min(count, len(self.after))):
            self.before.append(self.after.pop(0))

    def insert(self, text):
        self.before.extend(text)

    def backspace(self):
        if self.before:
            self.before.pop()

    def delete(self):
        if self.after:
            self.after.pop()
''',
        wrong="self.before.append(self.after.pop(0))",
        right="self.before.append(self.after.pop())",
        visible=r"""
def test_insert_at_end():
    buffer = TextBuffer("ab")
    buffer.insert("cd")
    assert str(buffer) == "abcd"
    assert buffer.cursor == 4


def test_insert_in_the_middle():
    buffer = TextBuffer("held")
    buffer.left(1)
    buffer.insert("lo wor")
    assert str(buffer) == "hello word"


def test_left_then_right_keeps_text():
    buffer = TextBuffer("abcdef")
    buffer.left(4)
    buffer.right(2)
    assert str(buffer) == "abcdef"
    assert buffer.cursor == 4


def test_backspace_and_delete():
    buffer = TextBuffer("abcd")
    buffer.left(2)
    buffer.backspace()
    buffer.delete()
    assert str(buffer) == "ad"


def test_borders():
    buffer = TextBuffer("x")
    buffer.left(9)
    buffer.backspace()
    assert str(buffer) == "x"
""",
        hidden=r"""
def test_right_one():
    buffer = TextBuffer("xyz")
    buffer.left(3)
    buffer.right()
    buffer.insert("-")
    assert str(buffer) == "x-yz"


def test_right_all():
    buffer = TextBuffer("12345")
    buffer.left(5)
    buffer.right(99)
    assert str(buffer) == "12345"
    assert buffer.cursor == 5


def test_delete_at_the_start():
    buffer = TextBuffer("abc")
    buffer.left(3)
    buffer.delete()
    assert str(buffer) == "bc"


def test_empty():
    buffer = TextBuffer()
    buffer.right()
    buffer.delete()
    assert str(buffer) == ""
""",
    ),
    Program(
        name="integer_partitions",
        code=r'''
def partitions(total, largest=None):
    """All ways to write total as a sum of positive numbers, each falling, largest first part first."""
    if largest is None:
        largest = total
    if total == 0:
        return [[]]
    result = []
    for part in range(min(total, largest), 0, -1):
        for rest in partitions(total - part, largest):
            result.append([part] + rest)
    return result


def count_distinct(total):
    """How many partitions have no part twice."""
    return sum(1 for parts in partitions(total) if len(set(parts)) == len(parts))


def conjugate(parts):
    """The partition read by columns."""
    if not parts:
        return []
    return [sum(1 for part in parts if part > column) for column in range(parts[0])]
''',
        wrong="partitions(total - part, largest)",
        right="partitions(total - part, part)",
        visible=r"""
def test_zero():
    assert partitions(0) == [[]]


def test_two():
    assert partitions(2) == [[2], [1, 1]]


def test_four():
    assert partitions(4) == [[4], [3, 1], [2, 2], [2, 1, 1], [1, 1, 1, 1]]


def test_limit():
    assert partitions(4, 2) == [[2, 2], [2, 1, 1], [1, 1, 1, 1]]


def test_conjugate():
    assert conjugate([4, 2, 1]) == [3, 2, 1, 1]
""",
        hidden=r"""
def test_counts():
    assert [len(partitions(n)) for n in range(8)] == [1, 1, 2, 3, 5, 7, 11, 15]


def test_three():
    assert partitions(3) == [[3], [2, 1], [1, 1, 1]]


def test_distinct():
    assert [count_distinct(n) for n in range(7)] == [1, 1, 1, 2, 2, 3, 4]


def test_ones_only():
    assert partitions(3, 1) == [[1, 1, 1]]


def test_conjugate_twice():
    assert conjugate(conjugate([5, 3, 3])) == [5, 3, 3]
""",
    ),
    Program(
        name="limited_flatten",
        code=r'''
def flatten(items, depth=None):
    """Flatten nested lists; depth limits how many levels are opened (None: all)."""
    result = []
    for item in items:
        if isinstance(item, list) and depth != 0:
            deeper = None if depth is None else depth - 1
            result.extend(flatten(item, deeper))
        else:
            result.append(item)
    return result


def nesting(items):
    """How deeply lists are nested: 0 for what is no list, 1 for a flat list."""
    if not isinstance(items, list):
        return 0
    return 1 + max(map(nesting, items), default=1)


def map_nested(function, items):
    if not isinstance(items, list):
        return function(items)
    return [map_nested(function, item) for item in items]
''',
        wrong="return 1 + max(map(nesting, items), default=1)",
        right="return 1 + max(map(nesting, items), default=0)",
        visible=r"""
def test_flatten_all():
    assert flatten([1, [2, [3, [4]]]]) == [1, 2, 3, 4]


def test_flatten_one_level():
    assert flatten([1, [2, [3, [4]]]], depth=1) == [1, 2, [3, [4]]]


def test_nesting():
    assert nesting(5) == 0
    assert nesting([1, [2, [3]]]) == 3


def test_nesting_empty():
    assert nesting([]) == 1


def test_map():
    assert map_nested(lambda n: n * 2, [1, [2, []]]) == [2, [4, []]]
""",
        hidden=r"""
def test_nesting_with_empty_inside():
    assert nesting([[]]) == 2
    assert nesting([1, [], 2]) == 2


def test_nesting_after_flatten():
    assert nesting(flatten([[], [[]]])) == 1


def test_nesting_flat():
    assert nesting(["a", "b"]) == 1


def test_flatten_zero():
    assert flatten([[1], 2], depth=0) == [[1], 2]
""",
    ),
    Program(
        name="slug_maker",
        code=r'''
def slugify(title, limit=40):
    """Lower-case words joined by hyphens; other characters separate words.

    A slug longer than limit is cut at a word's end where possible.
    """
    words = []
    word = ""
    for char in title.lower():
        if char.isalnum():
            word += char
        elif word:
            words.append(word)
            word = ""
    words.append(word)
    slug = "-".join(words)
    if len(slug) <= limit:
        return slug
    cut = slug[:limit + 1].rfind("-")
    return slug[:cut] if cut > 0 else slug[:limit]


def unique_slug(title, taken):
    base = slugify(title)
    if base not in taken:
        return base
    number = 2
    while f"{base}-{number}" in taken:
        number += 1
    return f"{base}-{number}"
''',
        wrong="    words.append(word)\n    slug",
        right="    if word:\n        words.append(word)\n    slug",
        visible=r"""
def test_simple():
    assert slugify("Hello World") == "hello-world"


def test_many_separators():
    assert slugify("a  --  b") == "a-b"


def test_punctuation_at_the_end():
    assert slugify("What is new?") == "what-is-new"


def test_limit():
    assert slugify("one two three", limit=8) == "one-two"
    assert slugify("extraordinary", limit=5) == "extra"


def test_unique():
    assert unique_slug("My Page", {"my-page", "my-page-2"}) == "my-page-3"
""",
        hidden=r"""
def test_trailing_blank():
    assert slugify(" padded ") == "padded"


def test_several_marks_at_the_end():
    assert slugify("Stop it!!!") == "stop-it"


def test_exact_limit():
    assert slugify("one two", limit=7) == "one-two"


def test_unique_with_mark():
    assert unique_slug("Done.", {"done"}) == "done-2"


def test_digits():
    assert slugify("Top 10: Tips") == "top-10-tips"
""",
    ),
    Program(
        name="number_words",
        code=r'''
ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()


def words(number):
    """English words of a number from 0 to 999999."""
    if not 0 <= number < 1_000_000:
        raise ValueError(number)
    if number < 20:
        return ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return TENS[tens] + (f"-{ONES[ones]}" if ones else "")
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        return f"{ONES[hundreds]} hundred" + (f" and {words(rest)}" if rest else "")
    thousands, rest = divmod(number, 1000)
    text = f"{words(thousands)} thousand"
    if rest == 0:
        return text
    joint = " " if rest > 100 else " and "
    return text + joint + words(rest)
''',
        wrong="rest > 100 else",
        right="rest >= 100 else",
        visible=r"""
def test_small():
    assert words(0) == "zero"
    assert words(13) == "thirteen"


def test_tens():
    assert words(40) == "forty"
    assert words(85) == "eighty-five"


def test_hundreds():
    assert words(300) == "three hundred"
    assert words(718) == "seven hundred and eighteen"


def test_thousands():
    assert words(1100) == "one thousand one hundred"
    assert words(2005) == "two thousand and five"


def test_range():
    with pytest.raises(ValueError):
        words(1_000_000)
""",
        hidden=r"""
def test_round_hundred_after_thousands():
    assert words(5100) == "five thousand one hundred"
    assert words(12100) == "twelve thousand one hundred"


def test_other_hundreds():
    assert words(1200) == "one thousand two hundred"
    assert words(1101) == "one thousand one hundred and one"


def test_ninety_nine():
    assert words(1099) == "one thousand and ninety-nine"


def test_largest():
    assert words(999999).startswith("nine hundred and ninety-nine thousand nine hundred")


def test_negative():
    with pytest.raises(ValueError):
        words(-1)
""",
    ),
    Program(
        name="chinese_remainders",
        code=r'''
def extended_gcd(a, b):
    """(g, x, y) with a*x + b*y == g."""
    if b == 0:
        return a, 1, 0
    g, x, y = extended_gcd(b, a % b)
    return g, y, x - (a // b) * y


def inverse(a, modulus):
    g, x, _ = extended_gcd(a % modulus, modulus)
    if g != 1:
        raise ValueError(f"{a} has no inverse modulo {modulus}")
    return x % modulus


def solve(remainders, moduli):
    """The smallest n >= 0 that leaves each remainder; the moduli share no factor."""
    product = 1
    for modulus in moduli:
        product *= modulus
    total = 0
    for remainder, modulus in zip(remainders, moduli):
        others = product // modulus
        total += remainder * others * inverse(modulus, others)
    return total % product
''',
        wrong="inverse(modulus, others)",
        right="inverse(others, modulus)",
        visible=r"""
def test_extended_gcd():
    g, x, y = extended_gcd(240, 46)
    assert g == 2
    assert 240 * x + 46 * y == 2


def test_inverse():
    assert inverse(3, 7) == 5


def test_no_inverse():
    with pytest.raises(ValueError):
        inverse(4, 6)


def test_sun_tzu():
    assert solve([2, 3, 2], [3, 5, 7]) == 23


def test_zero_remainders():
    assert solve([0, 0], [4, 9]) == 0
""",
        hidden=r"""
def test_two_moduli():
    assert solve([1, 4], [5, 7]) == 11


def test_large():
    n = solve([9, 10, 11], [10, 11, 13])
    assert (n % 10, n % 11, n % 13) == (9, 10, 11)


def test_result_is_smallest():
    assert solve([3, 3, 3], [4, 5, 7]) == 3


def test_shared_factor():
    with pytest.raises(ValueError):
        solve([1, 2], [4, 6])


def test_inverse_of_negative():
    assert inverse(-1, 11) == 10
""",
    ),
    Program(
        name="negative_base_digits",
        code=r'''
DIGITS = "0123456789"


def to_negabase(number, base):
    """Digits of an integer in base -base (base 2 to 10)."""
    if not 2 <= base <= 10:
        raise ValueError(base)
    if number == 0:
        return "0"
    digits = []
    while number != 0 and len(digits) < 64:
        number, remainder = divmod(number, -base)
        if remainder < 0:
            remainder += base
            number -= 1
        digits.append(DIGITS[remainder])
    return "".join(reversed(digits))


def from_negabase(text, base):
    value = 0
    for digit in text:
        value = value * -base + DIGITS.index(digit)
    return value
''',
        wrong="number -= 1",
        right="number += 1",
        visible=r"""
def test_zero_and_one():
    assert to_negabase(0, 2) == "0"
    assert to_negabase(1, 2) == "1"


def test_negabinary():
    assert to_negabase(2, 2) == "110"
    assert to_negabase(3, 2) == "111"
    assert to_negabase(-1, 2) == "11"


def test_from():
    assert from_negabase("110", 2) == 2
    assert from_negabase("174", 10) == 34


def test_bad_base():
    with pytest.raises(ValueError):
        to_negabase(5, 1)


def test_there_and_back():
    for number in range(-20, 21):
        assert from_negabase(to_negabase(number, 3), 3) == number
""",
        hidden=r"""
def test_negadecimal():
    assert to_negabase(34, 10) == "174"
    assert to_negabase(-5, 10) == "15"


def test_negabinary_six():
    assert to_negabase(6, 2) == "11010"


def test_single_digits():
    assert [to_negabase(n, 7) for n in range(7)] == list("0123456")


def test_round_trip_base_ten():
    for number in (-987, -100, 10, 11, 4321):
        assert from_negabase(to_negabase(number, 10), 10) == number
""",
    ),
    Program(
        name="two_colouring",
        code=r'''
from collections import deque


def neighbours(edges):
    graph = {}
    for a, b in edges:
        graph.setdefault(a, []).append(b)
        graph.setdefault(b, []).append(a)
    return graph


def two_colour(edges):
    """Split the nodes into two sets without an edge inside; None if that cannot be done."""
    graph = neighbours(edges)
    colour = {}
    for start in graph:
        if start in colour:
            continue
        colour[start] = 0
        queue = deque([start])
        while queue:
            node = queue.popleft()
            for other in graph[node]:
                if other not in colour:
                    colour[other] = 1 - colour[start]
                    queue.append(other)
                elif colour[other] == colour[node]:
                    return None
    left = {node for node in colour if colour[node] == 0}
    return left, set(colour) - left
''',
        wrong="colour[other] = 1 - colour[start]",
        right="colour[other] = 1 - colour[node]",
        visible=r"""
def test_single_edge():
    assert two_colour([("a", "b")]) == ({"a"}, {"b"})


def test_path():
    assert two_colour([(1, 2), (2, 3), (3, 4)]) == ({1, 3}, {2, 4})


def test_square():
    assert two_colour([(1, 2), (2, 3), (3, 4), (4, 1)]) == ({1, 3}, {2, 4})


def test_triangle():
    assert two_colour([(1, 2), (2, 3), (3, 1)]) is None


def test_star():
    assert two_colour([(0, 1), (0, 2), (0, 3)]) == ({0}, {1, 2, 3})


def test_no_edges():
    assert two_colour([]) == (set(), set())
""",
        hidden=r"""
def test_two_components():
    assert two_colour([(1, 2), (5, 6), (6, 7)]) == ({1, 5, 7}, {2, 6})


def test_pentagon():
    assert two_colour([(1, 2), (2, 3), (3, 4), (4, 5), (5, 1)]) is None


def test_tree():
    edges = [("r", "a"), ("r", "b"), ("a", "c"), ("b", "d")]
    assert two_colour(edges) == ({"r", "c", "d"}, {"a", "b"})


def test_self_loop():
    assert two_colour([(1, 1)]) is None
""",
    ),
    Program(
        name="edit_history",
        code=r'''
class History:
    """A value with undo and redo."""

    def __init__(self, value, limit=5):
        self.value = value
        self.limit = limit
        self.past = []
        self.future = []

    def set(self, value):
        if value == self.value:
            return
        self.past.append(self.value)
        if len(self.past) > self.limit:
            self.past.pop(0)
        self.value = value

    def undo(self):
        if not self.past:
            return False
        self.future.append(self.value)
        self.value = self.past.pop()
        return True

    def redo(self):
        if not self.future:
            return False
        self.past.append(self.value)
        self.value = self.future.pop()
        return True
''',
        wrong="            self.past.pop(0)\n        self.value = value\n",
        right="            self.past.pop(0)\n        self.future.clear()\n        self.value = value\n",
        visible=r"""
def test_undo():
    history = History("a")
    history.set("b")
    assert history.undo()
    assert history.value == "a"
    assert not history.undo()


def test_redo():
    history = History("a")
    history.set("b")
    history.undo()
    assert history.redo()
    assert history.value == "b"


def test_new_value_drops_redo():
    history = History("a")
    history.set("b")
    history.undo()
    history.set("c")
    assert not history.redo()
    assert history.value == "c"


def test_limit():
    history = History(0, limit=2)
    for n in (1, 2, 3):
        history.set(n)
    while history.undo():
        pass
    assert history.value == 1


def test_same_value_is_no_step():
    history = History(1)
    history.set(1)
    assert not history.undo()
""",
        hidden=r"""
def test_branch():
    history = History(0)
    for n in (1, 2, 3):
        history.set(n)
    history.undo()
    history.undo()
    history.set(9)
    assert history.future == []
    history.undo()
    assert history.value == 1
    history.redo()
    assert history.value == 9


def test_same_value_keeps_redo():
    history = History("a")
    history.set("b")
    history.undo()
    history.set("a")
    assert history.redo()
    assert history.value == "b"


def test_redo_after_two_branches():
    history = History("x")
    history.set("y")
    history.undo()
    history.set("z")
    history.undo()
    assert history.redo()
    assert history.value == "z"
    assert not history.redo()


def test_undo_redo_pairs():
    history = History(1)
    history.set(2)
    history.set(3)
    history.undo()
    history.undo()
    history.redo()
    assert history.value == 2
""",
    ),
    Program(
        name="leftist_heap",
        code=r'''
class Node:
    def __init__(self, key, left=None, right=None):
        self.key = key
        self.left = left
        self.right = right
        self.rank = 1 + rank(right)


def rank(node):
    return 0 if node is None else node.rank


def meld(a, b):
    """Join two heaps (smallest key on top); neither is changed."""
    if a is None:
        return b
    if b is None:
        return a
    if b.key < a.key:
        a, b = b, a
    joined = meld(a.right, b)
    if rank(joined) > rank(a.left):
        return Node(a.key, joined, a.right)
    return Node(a.key, a.left, joined)


def from_items(items):
    heap = None
    for item in items:
        heap = meld(heap, Node(item))
    return heap


def drain(heap):
    """All keys in rising order."""
    keys = []
    while heap is not None:
        keys.append(heap.key)
        heap = meld(heap.left, heap.right)
    return keys
''',
        wrong="return Node(a.key, joined, a.right)",
        right="return Node(a.key, joined, a.left)",
        visible=r"""
def test_empty():
    assert drain(from_items([])) == []


def test_one():
    assert drain(from_items([4])) == [4]


def test_falling_input():
    assert drain(from_items([5, 4, 3, 2, 1])) == [1, 2, 3, 4, 5]


def test_mixed_input():
    assert drain(from_items([2, 9, 4, 7, 1, 8])) == [1, 2, 4, 7, 8, 9]


def test_meld_two_heaps():
    assert drain(meld(from_items([1, 5]), from_items([3, 2]))) == [1, 2, 3, 5]


def test_meld_with_nothing():
    heap = from_items([1])
    assert meld(heap, None) is heap
""",
        hidden=r"""
def test_repeated_keys():
    assert drain(from_items([3, 1, 3, 1, 2])) == [1, 1, 2, 3, 3]


def test_rising_input():
    assert drain(from_items(range(10))) == list(range(10))


def test_words():
    assert drain(from_items("the quick brown fox".split())) == ["brown", "fox", "quick", "the"]


def test_melded_heaps_are_kept():
    a = from_items([4, 2, 6])
    b = from_items([5, 1, 3])
    assert drain(meld(a, b)) == [1, 2, 3, 4, 5, 6]
    assert drain(a) == [2, 4, 6]


def test_two():
    assert drain(from_items([8, 3])) == [3, 8]
""",
    ),
    Program(
        name="room_bookings",
        code=r'''
from bisect import bisect_left, insort


class Room:
    """Bookings as half-open spans [start, end) that do not overlap."""

    def __init__(self):
        self.spans = []

    def is_free(self, start, end):
        index = bisect_left(self.spans, (start, start))
        if index < len(self.spans) and self.spans[index][0] < end:
            return False
        return index == 0 or self.spans[index - 1][1] < start

    def book(self, start, end):
        if start >= end:
            raise ValueError("empty span")
        if not self.is_free(start, end):
            return False
        insort(self.spans, (start, end))
        return True

    def cancel(self, start):
        for span in self.spans:
            if span[0] == start:
                self.spans.remove(span)
                return True
        return False

    def busy_time(self):
        return sum(end - start for start, end in self.spans)
''',
        wrong="self.spans[index - 1][1] < start",
        right="self.spans[index - 1][1] <= start",
        visible=r"""
def test_first_booking():
    room = Room()
    assert room.book(9, 10)
    assert room.spans == [(9, 10)]


def test_overlap():
    room = Room()
    room.book(9, 12)
    assert not room.book(11, 13)
    assert not room.book(8, 10)


def test_back_to_back():
    room = Room()
    assert room.book(9, 10)
    assert room.book(10, 11)
    assert room.busy_time() == 2


def test_before_another():
    room = Room()
    room.book(9, 10)
    assert room.book(8, 9)


def test_empty_span():
    with pytest.raises(ValueError):
        Room().book(5, 5)


def test_cancel():
    room = Room()
    room.book(9, 12)
    assert room.cancel(9)
    assert not room.cancel(9)
    assert room.book(10, 11)
""",
        hidden=r"""
def test_fill_the_gap():
    room = Room()
    room.book(8, 9)
    room.book(11, 12)
    assert room.book(9, 11)
    assert room.spans == [(8, 9), (9, 11), (11, 12)]


def test_is_free_at_the_end_of_a_span():
    room = Room()
    room.book(1, 4)
    assert room.is_free(4, 6)
    assert not room.is_free(3, 6)


def test_inside_another():
    room = Room()
    room.book(1, 10)
    assert not room.book(3, 4)


def test_around_another():
    room = Room()
    room.book(3, 4)
    assert not room.book(1, 10)


def test_same_start():
    room = Room()
    room.book(3, 4)
    assert not room.book(3, 9)
""",
    ),
    Program(
        name="arithmetic_parser",
        code=r'''
import re


def evaluate(text):
    """Value of an expression of whole numbers, + - * and brackets."""
    tokens = re.findall(r"\d+|[-+*()]", text)
    value, position = sum_at(tokens, 0)
    if position != len(tokens):
        raise ValueError(f"unexpected {tokens[position]}")
    return value


def sum_at(tokens, position):
    value, position = product_at(tokens, position)
    while position < len(tokens) and tokens[position] in "+-":
        sign = 1 if tokens[position] == "+" else -1
        term, position = product_at(tokens, position + 1)
        value += sign * term
    return value, position


def product_at(tokens, position):
    value, position = atom_at(tokens, position)
    while position < len(tokens) and tokens[position] == "*":
        factor, position = sum_at(tokens, position + 1)
        value *= factor
    return value, position


def atom_at(tokens, position):
    if position >= len(tokens):
        raise ValueError("unexpected end")
    if tokens[position] == "-":
        value, position = atom_at(tokens, position + 1)
        return -value, position
    if tokens[position] == "(":
        value, position = sum_at(tokens, position + 1)
        if position >= len(tokens) or tokens[position] != ")":
            raise ValueError("missing )")
        return value, position + 1
    return int(tokens[position]), position + 1
''',
        wrong="factor, position = sum_at(tokens, position + 1)",
        right="factor, position = atom_at(tokens, position + 1)",
        visible=r"""
def test_numbers_and_sums():
    assert evaluate("12") == 12
    assert evaluate("10 - 3 - 2") == 5


def test_product_first():
    assert evaluate("1 + 2 * 3") == 7
    assert evaluate("2 * 3 + 1") == 7


def test_brackets():
    assert evaluate("(1 + 2) * (3 + 4)") == 21


def test_minus_sign():
    assert evaluate("-(2 + 3) * 2") == -10


def test_errors():
    with pytest.raises(ValueError):
        evaluate("(1 + 2")
    with pytest.raises(ValueError):
        evaluate("1 2")
""",
        hidden=r"""
def test_product_then_difference():
    assert evaluate("4 * 5 - 6") == 14


def test_two_products():
    assert evaluate("2 * 3 + 4 * 5") == 26


def test_chain_of_products():
    assert evaluate("2 * 3 * 4") == 24


def test_inside_brackets():
    assert evaluate("10 - (2 * 2 + 1)") == 5


def test_negative_factor():
    assert evaluate("3 * -2 + 1") == -5


def test_end():
    with pytest.raises(ValueError):
        evaluate("1 +")
""",
    ),
    Program(
        name="subset_sums",
        code=r'''
def subsets(numbers, target):
    """All ways to pick from positive numbers (each place once) a sum of target.

    Ways that hold the same numbers are listed once.
    """
    ordered = sorted(numbers)
    found = []

    def search(start, rest, chosen):
        if rest == 0:
            found.append(chosen[:])
            return
        for index in range(start, len(ordered)):
            number = ordered[index]
            if number > rest:
                break
            if index > 0 and ordered[index] == ordered[index - 1]:
                continue
            chosen.append(number)
            search(index + 1, rest - number, chosen)
            chosen.pop()

    search(0, target, [])
    return found


def can_halve(numbers):
    """Whether the numbers split into two groups of equal sum."""
    total = sum(numbers)
    return total % 2 == 0 and bool(subsets(numbers, total // 2))
''',
        wrong="if index > 0 and",
        right="if index > start and",
        visible=r"""
def test_distinct_numbers():
    assert subsets([1, 2, 3, 4], 5) == [[1, 4], [2, 3]]


def test_number_twice():
    assert subsets([2, 2, 3], 4) == [[2, 2]]


def test_same_way_once():
    assert subsets([1, 1, 2], 3) == [[1, 2]]


def test_no_way():
    assert subsets([5, 7], 6) == []


def test_zero():
    assert subsets([1, 2], 0) == [[]]


def test_halve():
    assert can_halve([1, 5, 6])
    assert not can_halve([1, 2])
""",
        hidden=r"""
def test_classic():
    assert subsets([10, 1, 2, 7, 6, 1, 5], 8) == [[1, 1, 6], [1, 2, 5], [1, 7], [2, 6]]


def test_all_equal():
    assert subsets([3, 3, 3, 3], 9) == [[3, 3, 3]]


def test_halve_equal_numbers():
    assert can_halve([4, 4, 4, 4])
    assert not can_halve([4, 4, 4])


def test_too_large():
    assert subsets([9], 3) == []


def test_single():
    assert subsets([3, 3], 3) == [[3]]
""",
    ),
    Program(
        name="text_justifier",
        code=r'''
def fill(words, width):
    """Group words into lines of at most width characters, one blank between words."""
    lines = []
    line = []
    used = 0
    for word in words:
        if line and used + 1 + len(word) > width:
            lines.append(line)
            line = []
            used = 0
        used += len(word) + (1 if line else 0)
        line.append(word)
    if line:
        lines.append(line)
    return lines


def stretch(line, width):
    """Join words with blanks to the given width; the first gaps get the extra ones."""
    if len(line) == 1:
        return line[0]
    gaps = len(line) - 1
    blanks = width - sum(map(len, line))
    each, extra = divmod(blanks, gaps)
    text = line[0]
    for number, word in enumerate(line[1:]):
        text += " " * (each + (number <= extra)) + word
    return text


def justify(text, width):
    """All lines but the last are stretched."""
    lines = fill(text.split(), width)
    return [stretch(line, width) for line in lines[:-1]] + [" ".join(line) for line in lines[-1:]]
''',
        wrong="(number <= extra)",
        right="(number < extra)",
        visible=r"""
def test_fill():
    assert fill("a bb ccc d".split(), 4) == [["a", "bb"], ["ccc"], ["d"]]


def test_fill_exactly():
    assert fill(["ab", "cd"], 5) == [["ab", "cd"]]


def test_stretch_even():
    assert stretch(["a", "b", "c"], 7) == "a  b  c"


def test_stretch_uneven():
    assert stretch(["a", "b", "c"], 6) == "a  b c"


def test_justify_last_line():
    assert justify("one", 10) == ["one"]
    assert justify("", 10) == []
""",
        hidden=r"""
def test_stretch_four_words():
    assert stretch(["a", "b", "c", "d"], 9) == "a  b  c d"
    assert stretch(["a", "b", "c", "d"], 7) == "a b c d"


def test_stretch_width():
    for width in range(8, 20):
        assert len(stretch(["ab", "c", "de"], width)) == width


def test_justify():
    assert justify("to be or not to be", 9) == ["to  be or", "not to be"]


def test_single_word_line():
    assert justify("wonderful x", 9) == ["wonderful", "x"]
""",
    ),
    Program(
        name="template_expander",
        code=r'''
def expand(template, values):
    """Replace {name} and {name|default}; {{ and }} stand for single braces."""
    out = []
    position = 0
    while position < len(template):
        pair = template[position:position + 2]
        if pair in ("{{", "}}"):
            out.append(pair[0])
            position += 2
        elif template[position] == "{":
            end = template.find("}", position)
            if end < 0:
                raise ValueError("brace not closed")
            name, bar, default = template[position + 1:end].partition("|")
            if name in values:
                out.append(str(values[name]))
            elif default:
                out.append(default)
            else:
                raise KeyError(name)
            position = end + 1
        else:
            out.append(template[position])
            position += 1
    return "".join(out)


def names(template, known):
    """The names among known that the template uses, in order of known."""
    return [name for name in known if "{" + name + "}" in template or "{" + name + "|" in template]
''',
        wrong="elif default:",
        right="elif bar:",
        visible=r"""
def test_plain():
    assert expand("hello", {}) == "hello"


def test_values():
    assert expand("{a} and {b}", {"a": 1, "b": "two"}) == "1 and two"


def test_default():
    assert expand("hi {who|you}", {}) == "hi you"
    assert expand("hi {who|you}", {"who": "me"}) == "hi me"


def test_empty_default():
    assert expand("a{x|}b", {}) == "ab"


def test_braces():
    assert expand("{{{a}}}", {"a": 3}) == "{3}"


def test_missing():
    with pytest.raises(KeyError):
        expand("{a}", {"b": 1})
""",
        hidden=r"""
def test_empty_default_alone():
    assert expand("{x|}", {}) == ""


def test_empty_default_not_used():
    assert expand("{x|}", {"x": 0}) == "0"


def test_several_empty_defaults():
    assert expand("[{a|}{b|}{c|z}]", {"b": "y"}) == "[yz]"


def test_open_brace():
    with pytest.raises(ValueError):
        expand("x{y", {"y": 1})


def test_names():
    assert names("{a} {c|1}", ["a", "b", "c"]) == ["a", "c"]
""",
    ),
    Program(
        name="polynomial_arithmetic",
        code=r'''
def trim(poly):
    """Coefficients, lowest power first, without zeros at the end."""
    poly = list(poly)
    while poly and poly[-1] == 0:
        poly.pop()
    return poly


def evaluate(poly, x):
    value = 0
    for coefficient in reversed(poly):
        value = value * x + coefficient
    return value


def multiply(a, b):
    if not a or not b:
        return []
    result = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            result[i + j] += x * y
    return trim(result)


def derivative(poly):
    return trim(power * c for power, c in enumerate(poly))


def power(poly, exponent):
    result = [1]
    for _ in range(exponent):
        result = multiply(result, poly)
    return result
''',
        wrong="trim(power * c for power, c in enumerate(poly))",
        right="trim(power * c for power, c in enumerate(poly) if power > 0)",
        visible=r"""
def test_evaluate():
    assert evaluate([1, 2, 3], 2) == 17
    assert evaluate([], 5) == 0


def test_multiply():
    assert multiply([1, 1], [-1, 1]) == [-1, 0, 1]


def test_derivative():
    assert derivative([5, 3, 2]) == [3, 4]


def test_derivative_of_constant():
    assert derivative([5]) == []


def test_power():
    assert power([1, 1], 3) == [1, 3, 3, 1]
    assert power([4, 4], 0) == [1]
""",
        hidden=r"""
def test_derivative_of_cube():
    assert derivative([0, 0, 0, 1]) == [0, 0, 3]


def test_derivative_of_line():
    assert derivative([9, -2]) == [-2]


def test_second_derivative():
    assert derivative(derivative([1, 1, 1, 1])) == [2, 6]


def test_derivative_of_nothing():
    assert derivative([]) == []


def test_slope():
    assert evaluate(derivative([0, 0, 1]), 3) == 6
""",
    ),
    Program(
        name="continued_fractions",
        code=r'''
def terms(numerator, denominator):
    """The simple continued fraction of a quotient (denominator > 0)."""
    if denominator <= 0:
        raise ValueError("denominator must be positive")
    result = []
    while denominator:
        whole, rest = divmod(numerator, denominator)
        result.append(whole)
        numerator, denominator = denominator, rest
    return result


def convergents(parts):
    """The fractions (p, q) reached after each term."""
    before_p, before_q = 0, 1
    p, q = 1, 0
    found = []
    for part in parts:
        p, before_p = part * p + before_p, p
        q, before_q = part * q + before_q, p
        found.append((p, q))
    return found


def best_below(numerator, denominator, limit):
    """The last convergent whose denominator is at most limit."""
    best = None
    for p, q in convergents(terms(numerator, denominator)):
        if q <= limit:
            best = (p, q)
    return best
''',
        wrong="q, before_q = part * q + before_q, p",
        right="q, before_q = part * q + before_q, q",
        visible=r"""
def test_terms():
    assert terms(415, 93) == [4, 2, 6, 7]


def test_terms_of_negative():
    assert terms(-7, 3) == [-3, 1, 2]


def test_first_convergent():
    assert convergents([3]) == [(3, 1)]


def test_convergents():
    assert convergents([4, 2, 6, 7]) == [(4, 1), (9, 2), (58, 13), (415, 93)]


def test_best_below():
    assert best_below(314159, 100000, 120) == (355, 113)


def test_zero_denominator():
    with pytest.raises(ValueError):
        terms(1, 0)
""",
        hidden=r"""
def test_root_of_two():
    assert convergents([1, 2, 2, 2]) == [(1, 1), (3, 2), (7, 5), (17, 12)]


def test_golden():
    assert convergents([1, 1, 1, 1, 1])[-1] == (8, 5)


def test_last_convergent_is_the_number():
    assert convergents(terms(22, 7))[-1] == (22, 7)
    assert convergents(terms(3, 11))[-1] == (3, 11)


def test_best_below_small():
    assert best_below(314159, 100000, 10) == (22, 7)


def test_whole_number():
    assert convergents(terms(6, 1)) == [(6, 1)]
""",
    ),
    Program(
        name="cheapest_route",
        code=r'''
import heapq


def cheapest(graph, start, goal):
    """(cost, path) of a cheapest route, or None.

    graph: node -> {neighbour: cost}, costs not negative.
    """
    best = {start: 0}
    came_from = {}
    queue = [(0, start)]
    done = set()
    while queue:
        cost, node = heapq.heappop(queue)
        if node == goal:
            return cost, trace(came_from, goal)
        if node in done:
            continue
        done.add(node)
        for other, step in graph.get(node, {}).items():
            total = cost + step
            if other not in best or total < best[other]:
                best[other] = total
                came_from.setdefault(other, node)
                heapq.heappush(queue, (total, other))
    return None


def trace(came_from, node):
    path = [node]
    while node in came_from:
        node = came_from[node]
        path.append(node)
    return path[::-1]
''',
        wrong="came_from.setdefault(other, node)",
        right="came_from[other] = node",
        visible=r"""
def test_same_node():
    assert cheapest({}, "a", "a") == (0, ["a"])


def test_single_edge():
    assert cheapest({"a": {"b": 3}}, "a", "b") == (3, ["a", "b"])


def test_detour_is_cheaper():
    graph = {"a": {"b": 10, "c": 1}, "c": {"b": 2}}
    assert cheapest(graph, "a", "b") == (3, ["a", "c", "b"])


def test_direct_is_cheaper():
    graph = {"a": {"b": 2, "c": 1}, "c": {"b": 2}}
    assert cheapest(graph, "a", "b") == (2, ["a", "b"])


def test_unreachable():
    assert cheapest({"a": {"b": 1}}, "b", "a") is None
""",
        hidden=r"""
def test_improved_twice():
    graph = {1: {4: 9, 2: 1}, 2: {4: 5, 3: 1}, 3: {4: 1}}
    assert cheapest(graph, 1, 4) == (3, [1, 2, 3, 4])


def test_improved_in_the_middle():
    graph = {"s": {"m": 5, "n": 1}, "n": {"m": 1}, "m": {"t": 1}}
    assert cheapest(graph, "s", "t") == (3, ["s", "n", "m", "t"])


def test_chain():
    assert cheapest({1: {2: 1}, 2: {3: 1}}, 1, 3) == (2, [1, 2, 3])


def test_zero_costs():
    assert cheapest({"a": {"b": 0}, "b": {"c": 0}}, "a", "c") == (0, ["a", "b", "c"])
""",
    ),
    Program(
        name="tennis_game_score",
        code=r'''
NAMES = ("love", "fifteen", "thirty", "forty")


class Game:
    """One game of tennis between two players, 0 and 1."""

    def __init__(self):
        self.points = [0, 0]

    @property
    def winner(self):
        high, low = max(self.points), min(self.points)
        if high >= 4 and high - low >= 1:
            return self.points.index(high)
        return None

    def point(self, player):
        if player not in (0, 1):
            raise ValueError(player)
        if self.winner is not None:
            raise RuntimeError("the game is over")
        self.points[player] += 1

    def score(self):
        if self.winner is not None:
            return f"game player {self.winner}"
        a, b = self.points
        if min(a, b) >= 3:
            if a == b:
                return "deuce"
            return f"advantage player {0 if a > b else 1}"
        if a == b:
            return f"{NAMES[a]} all"
        return f"{NAMES[a]} {NAMES[b]}"
''',
        wrong="high - low >= 1",
        right="high - low >= 2",
        visible=r"""
def play(points):
    game = Game()
    for player in points:
        game.point(player)
    return game


def test_start():
    assert play([]).score() == "love all"


def test_early_scores():
    assert play([0, 1, 0]).score() == "thirty fifteen"
    assert play([0, 1]).score() == "fifteen all"


def test_win_to_love():
    assert play([1, 1, 1, 1]).score() == "game player 1"


def test_deuce():
    assert play([0, 0, 0, 1, 1, 1]).score() == "deuce"


def test_advantage():
    assert play([0, 0, 0, 1, 1, 1, 1]).score() == "advantage player 1"


def test_over():
    with pytest.raises(RuntimeError):
        play([0] * 5)
""",
        hidden=r"""
def run(points):
    game = Game()
    for player in points:
        game.point(player)
    return game


def test_advantage_lost():
    assert run([0, 0, 0, 1, 1, 1, 0, 1]).score() == "deuce"


def test_advantage_then_win():
    game = run([0, 0, 0, 1, 1, 1, 0, 0])
    assert game.winner == 0
    assert game.score() == "game player 0"


def test_no_winner_at_advantage():
    assert run([1, 1, 1, 0, 0, 0, 0]).winner is None


def test_win_to_thirty():
    assert run([0, 1, 0, 1, 0, 0]).winner == 0


def test_bad_player():
    with pytest.raises(ValueError):
        run([2])
""",
    ),
    Program(
        name="prefix_count_trie",
        code=r'''
class Trie:
    """Words with counts; the same word may be added more than once."""

    def __init__(self):
        self.children = {}
        self.passing = 0
        self.ending = 0

    def add(self, word):
        node = self
        node.passing += 1
        for letter in word:
            node = node.children.setdefault(letter, Trie())
            node.passing += 1
        node.ending += 1

    def find(self, prefix):
        node = self
        for letter in prefix:
            node = node.children.get(letter)
            if node is None:
                return None
        return node

    def count(self, word):
        node = self.find(word)
        return node.ending if node else 0

    def count_prefix(self, prefix):
        node = self.find(prefix)
        return node.passing if node else 0

    def remove(self, word):
        if self.count(word) == 0:
            raise KeyError(word)
        node = self
        for letter in word:
            node.passing -= 1
            node = node.children[letter]
        node.ending -= 1
''',
        wrong="        node.ending -= 1",
        right="        node.passing -= 1\n        node.ending -= 1",
        visible=r"""
def build(*words):
    trie = Trie()
    for word in words:
        trie.add(word)
    return trie


def test_count():
    trie = build("car", "cart", "car")
    assert trie.count("car") == 2
    assert trie.count("ca") == 0


def test_count_prefix():
    trie = build("car", "cart", "dog")
    assert trie.count_prefix("car") == 2
    assert trie.count_prefix("x") == 0
    assert trie.count_prefix("") == 3


def test_remove_count():
    trie = build("car", "car")
    trie.remove("car")
    assert trie.count("car") == 1


def test_remove_prefix_counts():
    trie = build("car", "cart")
    trie.remove("car")
    assert [trie.count_prefix(p) for p in ("c", "ca", "car", "cart")] == [1, 1, 1, 1]


def test_remove_missing():
    with pytest.raises(KeyError):
        build("car").remove("ca")
""",
        hidden=r"""
def make(*words):
    trie = Trie()
    for word in words:
        trie.add(word)
    return trie


def test_remove_everything():
    trie = make("ab")
    trie.remove("ab")
    assert [trie.count_prefix(p) for p in ("", "a", "ab")] == [0, 0, 0]


def test_remove_longer_word():
    trie = make("a", "abc")
    trie.remove("abc")
    assert trie.count_prefix("abc") == 0
    assert trie.count_prefix("a") == 1


def test_remove_and_add_again():
    trie = make("to", "tea")
    trie.remove("to")
    trie.add("to")
    assert trie.count_prefix("to") == 1
    assert trie.count("to") == 1


def test_empty_word():
    trie = make("", "x")
    trie.remove("")
    assert trie.count_prefix("") == 1


def test_remove_twice():
    trie = make("x")
    trie.remove("x")
    with pytest.raises(KeyError):
        trie.remove("x")
""",
    ),
    Program(
        name="quadtree_compression",
        code=r'''
def compress(grid):
    """A square grid (side a power of two) as a value or four quarters:
    top left, top right, bottom left, bottom right.
    """

    def build(row, column, size):
        if size == 1:
            return grid[row][column]
        half = size // 2
        quarters = [
            build(row, column, half),
            build(row, column + half, half),
            build(row + half, column, half),
            build(row + half, column + half, half),
        ]
        first = quarters[0]
        if not isinstance(first, list) and all(quarter == first for quarter in quarters):
            return first
        return quarters

    return build(0, 0, len(grid))


def leaves(tree):
    """How many values the tree holds."""
    if not isinstance(tree, list):
        return 1
    return sum(leaves(quarter) for quarter in tree)


def area(tree, value, size):
    """How many cells of a grid of the given side have the value."""
    if not isinstance(tree, list):
        return size * size if tree == value else 0
    return sum(area(quarter, value, size) for quarter in tree)
''',
        wrong="area(quarter, value, size) for",
        right="area(quarter, value, size // 2) for",
        visible=r"""
def test_uniform():
    assert compress([[1, 1], [1, 1]]) == 1


def test_two_by_two():
    assert compress([[1, 2], [3, 4]]) == [1, 2, 3, 4]


def test_four_by_four():
    grid = [[0, 0, 1, 1], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    tree = compress(grid)
    assert tree == [0, [1, 1, 1, 0], 0, 0]
    assert leaves(tree) == 7


def test_area_uniform():
    assert area(5, 5, 4) == 16
    assert area(5, 6, 4) == 0


def test_area_of_quarters():
    assert area([1, 2, 1, 1], 1, 2) == 3
""",
        hidden=r"""
def test_area_of_large_quarter():
    assert area([7, 0, 0, 0], 7, 4) == 4


def test_area_of_nested_tree():
    assert area([0, [1, 1, 1, 0], 0, 0], 1, 4) == 3
    assert area([0, [1, 1, 1, 0], 0, 0], 0, 4) == 13


def test_area_absent():
    assert area([0, 0, 1, 0], 9, 2) == 0


def test_same_quarters_stay():
    quarter = [1, 0, 0, 1]
    grid = [[1, 0] * 2, [0, 1] * 2] * 2
    assert compress(grid) == [quarter] * 4


def test_areas_add_up():
    grid = [[1, 2, 1, 1], [1, 1, 1, 1], [2, 2, 1, 2], [2, 2, 2, 1]]
    tree = compress(grid)
    assert area(tree, 1, 4) + area(tree, 2, 4) == 16
""",
    ),
    Program(
        name="longest_border",
        code=r'''
def border_table(text):
    """For each prefix the length of its longest proper border (prefix that is also a suffix)."""
    table = [0] * len(text)
    length = 0
    for index in range(1, len(text)):
        while length > 0 and text[index] != text[length]:
            length = table[length - 1]
        if text[index] == text[length]:
            length += 1
        table[index] = length
    return table


def period(text):
    """The shortest piece whose repetition gives text (text itself if none is shorter)."""
    if not text:
        return ""
    size = len(text) - border_table(text)[-1]
    return text[:size] if len(text) % size == 0 else text


def occurrences(needle, text):
    """Where needle begins in text; occurrences may overlap."""
    if not needle:
        return []
    table = border_table(needle)
    found = []
    length = 0
    for index, char in enumerate(text):
        while length > 0 and char != needle[length]:
            length = table[length - 1]
        if char == needle[length]:
            length += 1
        if length == len(needle):
            found.append(index - length)
            length = table[length - 1]
    return found
''',
        wrong="found.append(index - length)",
        right="found.append(index - length + 1)",
        visible=r"""
def test_border_table():
    assert border_table("ababaca") == [0, 0, 1, 2, 3, 0, 1]


def test_period():
    assert period("abcabc") == "abc"
    assert period("abcab") == "abcab"


def test_single_occurrence():
    assert occurrences("lo", "hello") == [3]


def test_overlapping():
    assert occurrences("aba", "ababa") == [0, 2]


def test_absent_and_empty():
    assert occurrences("x", "abc") == []
    assert occurrences("", "abc") == []
""",
        hidden=r"""
def test_one_letter():
    assert occurrences("a", "banana") == [1, 3, 5]


def test_whole_text():
    assert occurrences("same", "same") == [0]


def test_runs():
    assert occurrences("aa", "aaaa") == [0, 1, 2]


def test_after_mismatch():
    assert occurrences("aab", "aaab") == [1]


def test_period_of_run():
    assert period("zzz") == "z"
    assert period("") == ""
""",
    ),
    Program(
        name="calendar_weekdays",
        code=r'''
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_length(year, month):
    return LENGTHS[month - 1] + (month == 2 and is_leap(year))


def day_of_year(year, month, day):
    if not 1 <= day <= month_length(year, month):
        raise ValueError(f"no such day: {day}")
    return sum(month_length(year, m) for m in range(1, month)) + day


def days_since_start(year, month, day):
    """Days since 1 January of year 1, which was a Monday."""
    before = year - 1
    leaps = before // 4 + before // 100 + before // 400
    return before * 365 + leaps + day_of_year(year, month, day) - 1


def weekday(year, month, day):
    return DAYS[days_since_start(year, month, day) % 7]


def days_between(first, second):
    return days_since_start(*second) - days_since_start(*first)
''',
        wrong="before // 4 + before // 100 + before // 400",
        right="before // 4 - before // 100 + before // 400",
        visible=r"""
def test_first_day():
    assert weekday(1, 1, 1) == "Mon"


def test_leap_years():
    assert [y for y in (1900, 1996, 2000, 2023) if is_leap(y)] == [1996, 2000]


def test_day_of_year():
    assert day_of_year(2024, 3, 1) == 61
    assert day_of_year(2023, 3, 1) == 60


def test_known_weekday():
    assert weekday(2024, 2, 29) == "Thu"


def test_days_between():
    assert days_between((2024, 2, 28), (2024, 3, 1)) == 2


def test_no_such_day():
    with pytest.raises(ValueError):
        weekday(2023, 2, 29)
""",
        hidden=r"""
def test_weekdays():
    assert weekday(1969, 7, 20) == "Sun"
    assert weekday(2000, 1, 1) == "Sat"


def test_over_1900():
    assert days_between((1900, 1, 1), (1901, 1, 1)) == 365


def test_over_2000():
    assert days_between((2000, 1, 1), (2001, 1, 1)) == 366


def test_days_since_start():
    assert days_since_start(101, 1, 1) == 36524


def test_same_day():
    assert days_between((1999, 5, 5), (1999, 5, 5)) == 0
""",
    ),
    Program(
        name="network_bridges",
        code=r'''
def bridges(graph):
    """Edges (smaller, larger) without which the graph falls into more parts.

    graph: node -> list of neighbours, each edge listed at both ends, no parallel edges.
    """
    number = {}
    low = {}
    found = []

    def visit(node, parent):
        number[node] = low[node] = len(number)
        for other in graph[node]:
            if other == parent:
                continue
            if other in number:
                low[node] = min(low[node], number[other])
            else:
                visit(other, node)
                low[node] = min(low[node], low[other])
                if low[other] >= number[node]:
                    found.append((min(node, other), max(node, other)))

    for node in graph:
        if node not in number:
            visit(node, None)
    return sorted(found)


def from_edges(edges):
    graph = {}
    for a, b in edges:
        graph.setdefault(a, []).append(b)
        graph.setdefault(b, []).append(a)
    return graph
''',
        wrong="if low[other] >= number[node]:",
        right="if low[other] > number[node]:",
        visible=r"""
def test_single_edge():
    assert bridges(from_edges([(1, 2)])) == [(1, 2)]


def test_path():
    assert bridges(from_edges([(3, 2), (2, 1)])) == [(1, 2), (2, 3)]


def test_triangle():
    assert bridges(from_edges([(1, 2), (2, 3), (3, 1)])) == []


def test_triangle_with_tail():
    assert bridges(from_edges([(1, 2), (2, 3), (3, 1), (3, 4)])) == [(3, 4)]


def test_lonely_node():
    assert bridges({1: []}) == []
""",
        hidden=r"""
def test_two_triangles_joined():
    edges = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6), (6, 4)]
    assert bridges(from_edges(edges)) == [(3, 4)]


def test_two_triangles_sharing_a_node():
    edges = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 3)]
    assert bridges(from_edges(edges)) == []


def test_star():
    assert bridges(from_edges([(0, 1), (0, 2), (0, 3)])) == [(0, 1), (0, 2), (0, 3)]


def test_square_with_diagonal():
    assert bridges(from_edges([(1, 2), (2, 3), (3, 4), (4, 1), (1, 3)])) == []


def test_two_parts():
    assert bridges(from_edges([("a", "b"), ("c", "d")])) == [("a", "b"), ("c", "d")]
""",
    ),
    Program(
        name="spanning_forest",
        code=r'''
def spanning_forest(nodes, edges):
    """Cheapest edges (cost, a, b) that join all nodes that can be joined."""
    parent = {node: node for node in nodes}

    def root(node):
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    chosen = []
    for cost, a, b in sorted(edges):
        top_a, top_b = root(a), root(b)
        if top_a != top_b:
            parent[a] = top_b
            chosen.append((cost, a, b))
    return chosen


def total_cost(edges):
    return sum(cost for cost, _, _ in edges)


def parts(nodes, edges):
    """How many separate parts the graph has."""
    return len(set(nodes)) - len(spanning_forest(nodes, edges))
''',
        wrong="parent[a] = top_b",
        right="parent[top_a] = top_b",
        visible=r"""
def test_no_edges():
    assert spanning_forest("abc", []) == []
    assert parts("abc", []) == 3


def test_one_edge():
    assert spanning_forest("ab", [(4, "a", "b")]) == [(4, "a", "b")]


def test_triangle():
    edges = [(3, "a", "c"), (1, "a", "b"), (2, "b", "c")]
    assert spanning_forest("abc", edges) == [(1, "a", "b"), (2, "b", "c")]


def test_star_then_closing_edge():
    edges = [(1, "a", "b"), (2, "a", "c"), (3, "b", "c")]
    assert spanning_forest("abc", edges) == [(1, "a", "b"), (2, "a", "c")]


def test_total_cost():
    assert total_cost([(1, "a", "b"), (5, "b", "c")]) == 6
""",
        hidden=r"""
def test_star_of_four():
    edges = [(1, 1, 2), (2, 1, 3), (3, 1, 4), (9, 2, 3), (9, 3, 4)]
    assert spanning_forest([1, 2, 3, 4], edges) == [(1, 1, 2), (2, 1, 3), (3, 1, 4)]


def test_parts():
    assert parts([1, 2, 3, 4], [(1, 1, 2), (1, 1, 3), (1, 2, 3)]) == 2


def test_complete_graph():
    edges = [(abs(a - b), a, b) for a in range(5) for b in range(a)]
    assert total_cost(spanning_forest(range(5), edges)) == 4


def test_parallel_edges():
    assert spanning_forest("xy", [(5, "x", "y"), (2, "x", "y")]) == [(2, "x", "y")]


def test_loop():
    assert spanning_forest("x", [(1, "x", "x")]) == []
""",
    ),
    Program(
        name="island_sizes",
        code=r'''
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def land_cells(rows):
    return {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "#"}


def island_sizes(rows):
    """Sizes of the connected groups of '#' (no diagonals), largest first."""
    left = land_cells(rows)
    sizes = []
    while left:
        stack = [left.pop()]
        size = 0
        while stack:
            r, c = stack.pop()
            size += 1
            for dr, dc in STEPS:
                near = (r + dr, c + dc)
                if near in left:
                    left.remove(near)
                    stack.append(near)
        sizes.append(size)
    return sorted(sizes)


def perimeter(rows):
    """Number of sides of '#' cells that face water or the border."""
    land = land_cells(rows)
    return sum((r + dr, c + dc) not in land for r, c in land for dr, dc in STEPS)
''',
        wrong="return sorted(sizes)",
        right="return sorted(sizes, reverse=True)",
        visible=r"""
def test_no_land():
    assert island_sizes(["...", "..."]) == []


def test_one_island():
    assert island_sizes(["##.", ".#.", ".##"]) == [5]


def test_largest_first():
    assert island_sizes(["#.##", "..##"]) == [4, 1]


def test_diagonals_do_not_join():
    assert island_sizes(["#.", ".#"]) == [1, 1]


def test_perimeter():
    assert perimeter(["#"]) == 4
    assert perimeter(["##"]) == 6
""",
        hidden=r"""
def test_three_islands():
    assert island_sizes(["##.#", "...#", "#..#"]) == [3, 2, 1]


def test_ring():
    assert island_sizes(["###", "#.#", "###"]) == [8]
    assert perimeter(["###", "#.#", "###"]) == 16


def test_ring_with_centre():
    rows = ["#####", "#...#", "#.#.#", "#...#", "#####"]
    assert island_sizes(rows) == [16, 1]


def test_equal_sizes():
    assert island_sizes(["#.#.#"]) == [1, 1, 1]
""",
    ),
    Program(
        name="request_limiter",
        code=r'''
class Limiter:
    """A token bucket; times are given by the caller in whole seconds."""

    def __init__(self, capacity, per_second):
        self.capacity = capacity
        self.per_second = per_second
        self.tokens = capacity
        self.updated = 0
        self.refused = 0

    def refill(self, now):
        if now < self.updated:
            raise ValueError("time runs backwards")
        gained = (now - self.updated) * self.per_second
        self.tokens = max(self.capacity, self.tokens + gained)
        self.updated = now

    def allow(self, now, cost=1):
        self.refill(now)
        if cost > self.tokens:
            self.refused += 1
            return False
        self.tokens -= cost
        return True

    def wait(self, now, cost=1):
        """Seconds until a request of that cost would pass; None if it never will."""
        if cost > self.capacity:
            return None
        self.refill(now)
        missing = cost - self.tokens
        return max(0, -(-missing // self.per_second))
''',
        wrong="self.tokens = max(self.capacity, self.tokens + gained)",
        right="self.tokens = min(self.capacity, self.tokens + gained)",
        visible=r"""
def test_burst():
    limiter = Limiter(2, 1)
    assert [limiter.allow(0) for _ in range(3)] == [True, True, False]


def test_first_request():
    assert Limiter(1, 1).allow(0)


def test_refill():
    limiter = Limiter(2, 1)
    limiter.allow(0, cost=2)
    assert limiter.allow(1)
    assert not limiter.allow(1)
    assert limiter.refused == 1


def test_never_above_capacity():
    limiter = Limiter(3, 1)
    limiter.refill(100)
    assert limiter.tokens == 3


def test_too_costly():
    assert Limiter(3, 1).wait(0, cost=4) is None


def test_backwards():
    limiter = Limiter(3, 1)
    limiter.allow(5)
    with pytest.raises(ValueError):
        limiter.allow(4)
""",
        hidden=r"""
def test_wait():
    limiter = Limiter(4, 2)
    limiter.allow(0, cost=4)
    assert limiter.wait(0, cost=3) == 2
    assert limiter.wait(1, cost=3) == 1
    assert limiter.wait(2, cost=3) == 0


def test_long_pause_then_burst():
    limiter = Limiter(2, 5)
    limiter.allow(0, cost=2)
    assert [limiter.allow(60) for _ in range(3)] == [True, True, False]


def test_refused_costs_nothing():
    limiter = Limiter(2, 1)
    limiter.allow(0)
    assert not limiter.allow(0, cost=2)
    assert limiter.allow(0)


def test_cost_of_capacity():
    limiter = Limiter(5, 1)
    assert limiter.allow(9, cost=5)
    assert limiter.tokens == 0
""",
    ),
    Program(
        name="elevator_controller",
        code=r'''
class Elevator:
    """Serves called floors; keeps its direction while calls lie ahead."""

    def __init__(self, floors):
        self.floors = floors
        self.floor = 0
        self.direction = 1
        self.calls = set()
        self.travelled = 0

    def call(self, floor):
        if not 0 <= floor < self.floors:
            raise ValueError(f"no floor {floor}")
        self.calls.add(floor)

    def next_stop(self):
        """The floor to stop at next, or None; turns round if no call lies ahead."""
        if not self.calls:
            return None
        if self.floor in self.calls:
            return self.floor
        ahead = [f for f in self.calls if (f - self.floor) * self.direction > 0]
        if not ahead:
            self.direction = -self.direction
            ahead = self.calls
        return min(ahead)

    def serve(self):
        stop = self.next_stop()
        if stop is not None:
            self.travelled += abs(stop - self.floor)
            self.floor = stop
            self.calls.discard(stop)
        return stop

    def serve_all(self):
        stops = []
        while self.calls:
            stops.append(self.serve())
        return stops
''',
        wrong="return min(ahead)",
        right="return min(ahead, key=lambda f: abs(f - self.floor))",
        visible=r"""
def test_no_calls():
    assert Elevator(5).serve() is None


def test_upwards():
    lift = Elevator(10)
    for floor in (7, 2, 4):
        lift.call(floor)
    assert lift.serve_all() == [2, 4, 7]
    assert lift.travelled == 7


def test_downwards():
    lift = Elevator(10)
    lift.call(9)
    lift.serve()
    for floor in (1, 6):
        lift.call(floor)
    assert lift.serve_all() == [6, 1]


def test_keeps_direction():
    lift = Elevator(10)
    lift.call(5)
    lift.serve()
    lift.call(3)
    lift.call(8)
    assert lift.serve_all() == [8, 3]


def test_bad_floor():
    with pytest.raises(ValueError):
        Elevator(3).call(3)
""",
        hidden=r"""
def test_three_down():
    lift = Elevator(20)
    lift.call(19)
    lift.serve()
    for floor in (0, 12, 5):
        lift.call(floor)
    assert lift.serve_all() == [12, 5, 0]
    assert lift.travelled == 38


def test_up_and_down():
    lift = Elevator(10)
    lift.call(5)
    lift.serve()
    for floor in (7, 4, 1):
        lift.call(floor)
    assert lift.serve_all() == [7, 4, 1]


def test_same_floor():
    lift = Elevator(3)
    lift.call(0)
    assert lift.serve() == 0
    assert lift.travelled == 0


def test_call_twice():
    lift = Elevator(4)
    lift.call(2)
    lift.call(2)
    assert lift.serve_all() == [2]
""",
    ),
    Program(
        name="library_loans",
        code=r'''
class Library:
    """Copies of books, loans and a queue of reservations for each title."""

    def __init__(self, copies, loan_limit=2):
        self.copies = dict(copies)
        self.loan_limit = loan_limit
        self.loans = {}
        self.waiting = {title: [] for title in copies}

    def borrowed(self, reader):
        return self.loans.setdefault(reader, set())

    def borrow(self, reader, title):
        """True if the book was lent; a reader without luck is put in the queue (once)."""
        held = self.borrowed(reader)
        if title in held or len(held) >= self.loan_limit:
            return False
        if self.copies[title] == 0:
            if reader not in self.waiting[title]:
                self.waiting[title].append(reader)
            return False
        self.copies[title] -= 1
        held.add(title)
        return True

    def give_back(self, reader, title):
        """Take a book back and lend it to the first in the queue, who is returned (or None)."""
        self.borrowed(reader).remove(title)
        self.copies[title] += 1
        for candidate in list(self.waiting[title]):
            if self.borrow(candidate, title):
                self.waiting[title].remove(reader)
                return candidate
        return None
''',
        wrong="self.waiting[title].remove(reader)",
        right="self.waiting[title].remove(candidate)",
        visible=r"""
def test_borrow():
    library = Library({"Emma": 1})
    assert library.borrow("ann", "Emma")
    assert library.copies == {"Emma": 0}
    assert library.borrowed("ann") == {"Emma"}


def test_no_copy_left():
    library = Library({"Emma": 1})
    library.borrow("ann", "Emma")
    assert not library.borrow("bob", "Emma")
    assert not library.borrow("bob", "Emma")
    assert library.waiting["Emma"] == ["bob"]


def test_give_back_to_queue():
    library = Library({"Emma": 1})
    library.borrow("ann", "Emma")
    library.borrow("bob", "Emma")
    assert library.give_back("ann", "Emma") == "bob"
    assert library.waiting["Emma"] == []
    assert library.borrowed("bob") == {"Emma"}


def test_give_back_without_queue():
    library = Library({"Emma": 1})
    library.borrow("ann", "Emma")
    assert library.give_back("ann", "Emma") is None
    assert library.copies["Emma"] == 1


def test_limit():
    library = Library({"a": 1, "b": 1}, loan_limit=1)
    assert library.borrow("ann", "a")
    assert not library.borrow("ann", "b")


def test_give_back_what_was_not_lent():
    with pytest.raises(KeyError):
        Library({"a": 1}).give_back("ann", "a")
""",
        hidden=r"""
def test_queue_order():
    library = Library({"x": 1})
    for reader in ("a", "b", "c"):
        library.borrow(reader, "x")
    assert library.give_back("a", "x") == "b"
    assert library.give_back("b", "x") == "c"
    assert library.give_back("c", "x") is None


def test_skips_reader_at_limit():
    library = Library({"x": 1, "y": 1}, loan_limit=1)
    library.borrow("a", "x")
    library.borrow("b", "x")
    library.borrow("c", "x")
    library.borrow("b", "y")
    assert library.give_back("a", "x") == "c"
    assert library.waiting["x"] == ["b"]


def test_queue_again():
    library = Library({"x": 1})
    library.borrow("a", "x")
    library.borrow("b", "x")
    library.give_back("a", "x")
    assert not library.borrow("a", "x")
    assert library.give_back("b", "x") == "a"


def test_same_title_twice():
    library = Library({"x": 2})
    assert library.borrow("a", "x")
    assert not library.borrow("a", "x")
    assert library.copies["x"] == 1
""",
    ),
)
