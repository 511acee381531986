"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---------------------------------------------------------------- data structures
    Program(
        name="leftist_heap_smallest",
        code=r'''"""A meldable priority queue, kept as a leftist heap."""

import heapq


class Node:
    """One entry of the heap."""

    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None
        self.rank = 1


def rank(node):
    """Length of the right spine below and including node."""
    return node.rank if node else 0


def merge(a, b):
    """Merge two leftist trees into one and return its root."""
    if a is None:
        return b
    if b is None:
        return a
    if b.key < a.key:
        a, b = b, a
    a.right = merge(a.right, b)
    if rank(a.left) < rank(a.right):
        a.left, a.right = a.right, a.left
    a.rank = rank(a.right) + 1
    return a


class LeftistHeap:
    """A min-heap that can swallow another heap cheaply."""

    def __init__(self, keys=()):
        self.root = None
        self.size = 0
        for key in keys:
            self.push(key)

    def __len__(self):
        return self.size

    def push(self, key):
        """Insert a key."""
        self.root = merge(self.root, Node(key))
        self.size += 1

    def pop(self):
        """Remove and return the smallest key."""
        if self.root is None:
            raise IndexError("empty heap")
        key = self.root.key
        self.root = merge(self.root.left, self.root.right)
        self.size -= 1
        return key

    def meld(self, other):
        """Move everything from other into this heap."""
        self.root = merge(self.root, other.root)
        self.size += other.size
        other.root, other.size = None, 0

    def smallest(self, count):
        """Return the count smallest keys in order, leaving the heap alone."""
        found = []
        frontier = [(self.root.key, 0, self.root)] if self.root else []
        serial = 0
        while frontier and len(found) <= count:
            key, _, node = heapq.heappop(frontier)
            found.append(key)
            for child in (node.left, node.right):
                if child:
                    serial += 1
                    heapq.heappush(frontier, (child.key, serial, child))
        return found
''',
        wrong="len(found) <= count",
        right="len(found) < count",
        visible=r"""
def test_push_and_pop_sorted():
    heap = LeftistHeap([5, 2, 8, 1])
    assert [heap.pop() for _ in range(4)] == [1, 2, 5, 8]
    assert len(heap) == 0


def test_pop_empty():
    with pytest.raises(IndexError):
        LeftistHeap().pop()


def test_meld_moves_everything():
    a = LeftistHeap([3, 9])
    b = LeftistHeap([4, 1])
    a.meld(b)
    assert len(a) == 4
    assert len(b) == 0
    assert a.pop() == 1


def test_smallest_two():
    heap = LeftistHeap([7, 3, 9, 4])
    assert heap.smallest(2) == [3, 4]
    assert len(heap) == 4


def test_smallest_more_than_there_are():
    assert LeftistHeap([2, 1]).smallest(10) == [1, 2]
""",
        hidden=r"""
def test_smallest_against_sorted():
    import random
    rng = random.Random(1)
    for size in range(0, 20):
        keys = [rng.randrange(15) for _ in range(size)]
        heap = LeftistHeap(keys)
        for count in range(size + 3):
            assert heap.smallest(count) == sorted(keys)[:count]


def test_smallest_zero_is_empty():
    assert LeftistHeap([1, 2, 3]).smallest(0) == []
    assert LeftistHeap().smallest(0) == []
    assert LeftistHeap([4]).smallest(1) == [4]


def test_smallest_does_not_disturb():
    heap = LeftistHeap([4, 4, 2, 2, 9])
    assert heap.smallest(3) == [2, 2, 4]
    assert heap.smallest(3) == [2, 2, 4]
    assert [heap.pop() for _ in range(5)] == [2, 2, 4, 4, 9]


def test_smallest_after_meld():
    a = LeftistHeap(range(0, 20, 2))
    b = LeftistHeap(range(1, 20, 2))
    a.meld(b)
    for count in range(21):
        assert a.smallest(count) == list(range(count))
    assert b.smallest(3) == []
""",
    ),
    Program(
        name="gap_buffer_editing",
        code=r'''"""A gap buffer, the text store of a simple editor."""


class GapBuffer:
    """Text with a cursor; the free space of the array sits at the cursor."""

    def __init__(self, text="", gap=4):
        self.cells = [None] * gap + list(text)
        self.start = 0
        self.end = gap

    def __len__(self):
        return len(self.cells) - (self.end - self.start)

    def text(self):
        """The whole text."""
        return "".join(self.cells[:self.start] + self.cells[self.end:])

    def cursor(self):
        """Number of characters in front of the cursor."""
        return self.start

    def move(self, position):
        """Put the cursor after the first `position` characters."""
        position = max(0, min(position, len(self)))
        while self.start > position:
            self.start -= 1
            self.end -= 1
            self.cells[self.end] = self.cells[self.start]
        while self.start < position:
            self.cells[self.start] = self.cells[self.end]
            self.start += 1
            self.end += 1

    def _grow(self):
        """Make new room at the cursor, which has none left."""
        extra = max(4, len(self.cells))
        self.cells[self.start:self.start] = [None] * extra
        self.end += extra

    def insert(self, text):
        """Type text at the cursor."""
        for char in text:
            if self.start == self.end:
                self._grow()
            self.cells[self.start] = char
            self.start += 1

    def backspace(self, count=1):
        """Delete up to count characters in front of the cursor; return how many."""
        count = min(count, self.start)
        self.start -= count
        return count

    def delete(self, count=1):
        """Delete up to count characters behind the cursor; return how many."""
        count = min(count, len(self.cells) - self.start)
        self.end += count
        return count
''',
        wrong="min(count, len(self.cells) - self.start)",
        right="min(count, len(self.cells) - self.end)",
        visible=r"""
def test_typing():
    buffer = GapBuffer()
    buffer.insert("hello world")
    assert buffer.text() == "hello world"
    assert buffer.cursor() == 11


def test_insert_in_the_middle():
    buffer = GapBuffer("held")
    buffer.move(3)
    buffer.insert("lo wor")
    assert buffer.text() == "hello word"


def test_backspace():
    buffer = GapBuffer("abcdef")
    buffer.move(4)
    assert buffer.backspace(2) == 2
    assert buffer.text() == "abef"
    assert buffer.backspace(5) == 2
    assert buffer.text() == "ef"


def test_delete():
    buffer = GapBuffer("abcdef")
    buffer.move(1)
    assert buffer.delete(2) == 2
    assert buffer.text() == "adef"
    assert len(buffer) == 4


def test_delete_past_the_end():
    buffer = GapBuffer("abc")
    buffer.move(1)
    assert buffer.delete(10) == 2
    assert buffer.text() == "a"
    assert len(buffer) == 1
""",
        hidden=r"""
def test_random_session():
    import random
    rng = random.Random(7)
    for _ in range(60):
        text = "".join(rng.choice("abcde") for _ in range(rng.randrange(8)))
        buffer = GapBuffer(text, gap=rng.randrange(1, 6))
        at = 0
        for _ in range(30):
            action = rng.randrange(4)
            n = rng.randrange(7)
            if action == 0:
                buffer.move(n)
                at = min(n, len(text))
            elif action == 1:
                word = "xyz" * (n // 3) + "w" * (n % 3)
                buffer.insert(word)
                text = text[:at] + word + text[at:]
                at += len(word)
            elif action == 2:
                assert buffer.backspace(n) == min(n, at)
                text = text[:max(0, at - n)] + text[at:]
                at = max(0, at - n)
            else:
                assert buffer.delete(n) == min(n, len(text) - at)
                text = text[:at] + text[at + n:]
            assert buffer.text() == text
            assert buffer.cursor() == at
            assert len(buffer) == len(text)


def test_delete_at_the_end():
    for gap in range(1, 9):
        buffer = GapBuffer("word", gap=gap)
        buffer.move(4)
        assert buffer.delete() == 0
        assert buffer.delete(3) == 0
        assert len(buffer) == 4


def test_typing_after_deleting_all():
    buffer = GapBuffer("abc")
    assert buffer.delete(99) == 3
    assert len(buffer) == 0
    buffer.insert("0123456789")
    assert buffer.text() == "0123456789"
    assert len(buffer) == 10
    buffer.move(2)
    assert buffer.delete(3) == 3
    assert buffer.text() == "0156789"


def test_delete_exactly_what_is_left():
    for count in range(1, 6):
        buffer = GapBuffer("abcde")
        buffer.move(5 - count)
        assert buffer.delete(count + 1) == count
        assert buffer.text() == "abcde"[:5 - count]
""",
    ),
    Program(
        name="season_prices",
        code=r'''"""Room prices by day, stored as runs of equal price."""

from bisect import bisect_left, bisect_right


class SeasonPrices:
    """Prices of the days 0, 1, 2, ...; days nobody touched cost the default."""

    def __init__(self, default):
        self.starts = [0]
        self.prices = [default]

    def price(self, day):
        """The price of one night."""
        if day < 0:
            raise ValueError("days start at 0")
        return self.prices[bisect_right(self.starts, day) - 1]

    def set_range(self, first, last, price):
        """Give all days from first up to, not including, last a price."""
        if first >= last:
            raise ValueError("empty range")
        after = self.price(last - 1)
        i = bisect_left(self.starts, first)
        j = bisect_right(self.starts, last)
        self.starts[i:j] = [first, last]
        self.prices[i:j] = [price, after]
        self._join()

    def _join(self):
        """Join neighbouring runs that have the same price."""
        starts, prices = [], []
        for start, price in zip(self.starts, self.prices):
            if not prices or prices[-1] != price:
                starts.append(start)
                prices.append(price)
        self.starts, self.prices = starts, prices

    def runs(self):
        """The runs as pairs (first day, price)."""
        return list(zip(self.starts, self.prices))

    def stay(self, arrival, nights):
        """The price of a whole stay."""
        return sum(self.price(arrival + night) for night in range(nights))
''',
        wrong="after = self.price(last - 1)",
        right="after = self.price(last)",
        visible=r"""
def test_default_price():
    assert SeasonPrices(80).price(500) == 80


def test_one_season():
    prices = SeasonPrices(80)
    prices.set_range(10, 20, 120)
    assert prices.runs() == [(0, 80), (10, 120), (20, 80)]
    assert prices.price(19) == 120
    assert prices.price(20) == 80


def test_stay_over_the_border():
    prices = SeasonPrices(50)
    prices.set_range(3, 6, 70)
    assert prices.stay(2, 3) == 50 + 70 + 70


def test_seasons_next_to_each_other():
    prices = SeasonPrices(80)
    prices.set_range(20, 30, 150)
    prices.set_range(10, 20, 120)
    assert prices.runs() == [(0, 80), (10, 120), (20, 150), (30, 80)]


def test_empty_range():
    with pytest.raises(ValueError):
        SeasonPrices(1).set_range(5, 5, 2)
""",
        hidden=r"""
def test_against_plain_list():
    import random
    rng = random.Random(3)
    for _ in range(80):
        prices = SeasonPrices(1)
        days = [1] * 40
        for _ in range(12):
            first = rng.randrange(30)
            last = rng.randrange(first + 1, 36)
            value = rng.randrange(1, 5)
            prices.set_range(first, last, value)
            days[first:last] = [value] * (last - first)
            assert [prices.price(day) for day in range(40)] == days
            runs = [(0, days[0])] + [(d, days[d]) for d in range(1, 40) if days[d] != days[d - 1]]
            assert prices.runs() == runs


def test_overwriting_the_same_range():
    prices = SeasonPrices(10)
    prices.set_range(5, 9, 20)
    prices.set_range(5, 9, 30)
    assert prices.runs() == [(0, 10), (5, 30), (9, 10)]
    prices.set_range(5, 9, 10)
    assert prices.runs() == [(0, 10)]


def test_single_days():
    prices = SeasonPrices(0)
    for day in range(19, -1, -1):
        prices.set_range(day, day + 1, day * 2 + 1)
    assert [prices.price(day) for day in range(21)] == [d * 2 + 1 for d in range(20)] + [0]
    assert prices.stay(0, 21) == 400


def test_end_inside_and_on_border():
    prices = SeasonPrices(1)
    prices.set_range(4, 8, 2)
    prices.set_range(2, 6, 3)
    assert prices.runs() == [(0, 1), (2, 3), (6, 2), (8, 1)]
    prices.set_range(0, 6, 5)
    assert prices.runs() == [(0, 5), (6, 2), (8, 1)]
""",
    ),
    Program(
        name="rainfall_fenwick",
        code=r'''"""Rain gauge totals: add to a range of days, ask for the sum of a range."""


class RainTotals:
    """Two Fenwick trees that together hold one number per day."""

    def __init__(self, days):
        self.days = days
        self._slope = [0] * (days + 2)
        self._shift = [0] * (days + 2)

    @staticmethod
    def _add(tree, index, amount):
        """Add amount at a 0-based index of a tree."""
        index += 1
        while index < len(tree):
            tree[index] += amount
            index += index & -index

    @staticmethod
    def _sum(tree, index):
        """Sum of the entries of a tree before index."""
        total = 0
        while index > 0:
            total += tree[index]
            index -= index & -index
        return total

    def _check(self, first, last):
        if not 0 <= first <= last <= self.days:
            raise ValueError("no such days")

    def rain(self, first, last, amount):
        """Record amount for each day from first up to, not including, last."""
        self._check(first, last)
        self._add(self._slope, first, amount)
        self._add(self._slope, last, -amount)
        self._add(self._shift, first, amount * first)
        self._add(self._shift, last, -amount * (last - 1))

    def before(self, day):
        """Rain on all days before day."""
        return self._sum(self._slope, day) * day - self._sum(self._shift, day)

    def total(self, first, last):
        """Rain from first up to, not including, last."""
        self._check(first, last)
        return self.before(last) - self.before(first)

    def wettest(self):
        """The day with most rain, the earliest of equals."""
        return max(range(self.days), key=lambda day: self.total(day, day + 1))
''',
        wrong="-amount * (last - 1)",
        right="-amount * last",
        visible=r"""
def test_whole_period():
    rain = RainTotals(7)
    rain.rain(0, 7, 3)
    assert rain.total(0, 7) == 21
    assert rain.total(2, 4) == 6


def test_part_of_the_week():
    rain = RainTotals(7)
    rain.rain(2, 5, 4)
    assert rain.total(0, 3) == 4
    assert rain.total(0, 7) == 12


def test_single_day():
    rain = RainTotals(5)
    rain.rain(3, 4, 10)
    assert [rain.total(day, day + 1) for day in range(5)] == [0, 0, 0, 10, 0]


def test_wettest_from_the_start():
    rain = RainTotals(6)
    rain.rain(0, 6, 1)
    rain.rain(4, 6, 2)
    assert rain.wettest() == 4


def test_bad_days():
    with pytest.raises(ValueError):
        RainTotals(3).rain(1, 4, 2)
""",
        hidden=r"""
def test_against_plain_list():
    import random
    rng = random.Random(11)
    for days in range(1, 14):
        rain = RainTotals(days)
        plain = [0] * days
        for _ in range(15):
            first = rng.randrange(days + 1)
            last = rng.randrange(first, days + 1)
            amount = rng.randrange(-3, 8)
            rain.rain(first, last, amount)
            for day in range(first, last):
                plain[day] += amount
            for a in range(days + 1):
                for b in range(a, days + 1):
                    assert rain.total(a, b) == sum(plain[a:b])


def test_empty_range_changes_nothing():
    rain = RainTotals(6)
    for day in range(7):
        rain.rain(day, day, 5)
    assert [rain.before(day) for day in range(7)] == [0] * 7


def test_before_counts_up():
    rain = RainTotals(10)
    for day in range(10):
        rain.rain(day, day + 1, day)
    assert [rain.before(day) for day in range(11)] == [d * (d - 1) // 2 for d in range(11)]


def test_wettest_with_overlap():
    rain = RainTotals(9)
    rain.rain(0, 4, 2)
    rain.rain(2, 6, 2)
    rain.rain(5, 9, 3)
    assert rain.wettest() == 5
    assert rain.total(6, 9) == 9
""",
    ),
    Program(
        name="dial_prefix_routes",
        code=r'''"""Choose a carrier for a telephone number by its longest known prefix."""


class Digit:
    """A node of the digit tree."""

    def __init__(self):
        self.children = {}
        self.carrier = None


class DialPlan:
    """Routes from number prefixes to carriers."""

    def __init__(self):
        self.root = Digit()

    def add(self, prefix, carrier):
        """Route numbers that begin with prefix to carrier."""
        node = self.root
        for digit in prefix:
            node = node.children.setdefault(digit, Digit())
        node.carrier = carrier

    def route(self, number):
        """The carrier of the longest matching prefix, or None."""
        node = self.root
        best = node.carrier
        for digit in number:
            node = node.children.get(digit)
            if node is None:
                break
            if node.carrier is not None:
                best = node.carrier
        return best

    def remove(self, prefix):
        """Forget the route of exactly this prefix; tell whether there was one."""
        return self._remove(self.root, prefix)

    def _remove(self, node, rest):
        if not rest:
            known = node.carrier is not None
            node.carrier = None
            return known
        child = node.children.get(rest[0])
        if child is None:
            return False
        known = self._remove(child, rest[1:])
        if not child.children:
            del node.children[rest[0]]
        return known

    def prefixes(self):
        """All known prefixes in order."""
        found = []

        def walk(node, prefix):
            if node.carrier is not None:
                found.append(prefix)
            for digit in sorted(node.children):
                walk(node.children[digit], prefix + digit)

        walk(self.root, "")
        return found

    def nodes(self):
        """How many nodes the tree has, without its root."""
        def count(node):
            return sum(1 + count(child) for child in node.children.values())

        return count(self.root)
''',
        wrong="if not child.children:",
        right="if not child.children and child.carrier is None:",
        visible=r"""
def make():
    plan = DialPlan()
    plan.add("49", "Deutsche")
    plan.add("4930", "Berlin")
    plan.add("1", "Bell")
    return plan


def test_longest_prefix_wins():
    plan = make()
    assert plan.route("4930123") == "Berlin"
    assert plan.route("4940123") == "Deutsche"
    assert plan.route("33123") is None


def test_prefixes_sorted():
    assert make().prefixes() == ["1", "49", "4930"]


def test_remove_leaf_falls_back():
    plan = make()
    assert plan.remove("4930")
    assert plan.route("4930123") == "Deutsche"


def test_remove_short_keeps_long():
    plan = make()
    assert plan.remove("49")
    assert plan.route("4930123") == "Berlin"
    assert plan.route("4940123") is None


def test_remove_prunes_nodes():
    plan = make()
    assert plan.nodes() == 5
    plan.remove("1")
    assert plan.nodes() == 4
""",
        hidden=r"""
def test_against_dictionary():
    import random
    rng = random.Random(5)
    numbers = ["".join(rng.choice("012") for _ in range(6)) for _ in range(40)]
    for _ in range(40):
        plan, table = DialPlan(), {}
        for step in range(40):
            prefix = "".join(rng.choice("012") for _ in range(rng.randrange(1, 5)))
            if rng.random() < 0.5:
                plan.add(prefix, step)
                table[prefix] = step
            else:
                assert plan.remove(prefix) == (prefix in table)
                table.pop(prefix, None)
            assert plan.prefixes() == sorted(table)
            wanted = {p[:i] for p in table for i in range(1, len(p) + 1)}
            assert plan.nodes() == len(wanted)
        for number in numbers:
            fits = [p for p in table if number.startswith(p)]
            assert plan.route(number) == (table[max(fits, key=len)] if fits else None)


def test_removing_unknown_keeps_the_rest():
    plan = DialPlan()
    plan.add("12", "a")
    assert not plan.remove("123")
    assert not plan.remove("1")
    plan.add("12", "b")
    plan.add("123", "c")
    assert not plan.remove("1234")
    assert plan.prefixes() == ["12", "123"]


def test_chain_removed_from_the_bottom():
    plan = DialPlan()
    for length in range(1, 8):
        plan.add("7" * length, length)
    for length in range(7, 0, -1):
        assert plan.route("7" * 10) == length
        assert plan.remove("7" * length)
        assert plan.nodes() == length - 1
    assert plan.route("7") is None


def test_missing_prefix_below_a_route():
    plan = DialPlan()
    plan.add("5", "five")
    plan.add("556", "long")
    plan.remove("556")
    assert plan.nodes() == 1
    assert plan.route("556") == "five"
    plan.remove("5")
    assert plan.nodes() == 0
""",
    ),
    Program(
        name="altitude_offsets",
        code=r'''"""Height differences between survey points, joined by union-find."""


class Survey:
    """Knows the height of points relative to each other."""

    def __init__(self):
        self.parent = {}
        self.above = {}
        self.members = {}

    def add(self, point):
        """Make a point known."""
        if point not in self.parent:
            self.parent[point] = point
            self.above[point] = 0
            self.members[point] = 1

    def find(self, point):
        """The reference point of a point; afterwards `above` refers to it."""
        parent = self.parent[point]
        if parent == point:
            return point
        root = self.find(parent)
        if parent != root:
            self.above[point] += self.above[parent]
            self.parent[point] = root
        return root

    def measure(self, low, high, difference):
        """Note that high lies `difference` above low; False if that contradicts."""
        self.add(low)
        self.add(high)
        root_low, root_high = self.find(low), self.find(high)
        if root_low == root_high:
            return self.above[high] - self.above[low] == difference
        offset = self.above[low] + difference + self.above[high]
        if self.members[root_low] < self.members[root_high]:
            root_low, root_high, offset = root_high, root_low, -offset
        self.parent[root_high] = root_low
        self.above[root_high] = offset
        self.members[root_low] += self.members[root_high]
        return True

    def difference(self, low, high):
        """How far high lies above low, or None if nobody can tell."""
        if low not in self.parent or high not in self.parent:
            return None
        if self.find(low) != self.find(high):
            return None
        return self.above[high] - self.above[low]
''',
        wrong="self.above[low] + difference + self.above[high]",
        right="self.above[low] + difference - self.above[high]",
        visible=r"""
def test_direct_measurement():
    survey = Survey()
    assert survey.measure("church", "hill", 40)
    assert survey.difference("church", "hill") == 40
    assert survey.difference("hill", "church") == -40


def test_unknown():
    survey = Survey()
    survey.measure("a", "b", 1)
    survey.measure("c", "d", 1)
    assert survey.difference("a", "c") is None
    assert survey.difference("a", "zzz") is None


def test_chain():
    survey = Survey()
    survey.measure("a", "b", 5)
    survey.measure("b", "c", 7)
    assert survey.difference("a", "c") == 12


def test_contradiction():
    survey = Survey()
    survey.measure("a", "b", 5)
    assert survey.measure("a", "b", 5)
    assert not survey.measure("a", "b", 6)


def test_join_two_groups():
    survey = Survey()
    survey.measure("a", "b", 5)
    survey.measure("c", "d", 3)
    survey.measure("b", "d", 10)
    assert survey.difference("a", "d") == 15
    assert survey.difference("a", "c") == 12
""",
        hidden=r"""
def test_random_measurements():
    import random
    rng = random.Random(2)
    for _ in range(60):
        n = 12
        heights = [rng.randrange(100) for _ in range(n)]
        survey = Survey()
        groups = [{i} for i in range(n)]
        for _ in range(14):
            a, b = rng.sample(range(n), 2)
            assert survey.measure(a, b, heights[b] - heights[a])
            joined = next(g for g in groups if a in g) | next(g for g in groups if b in g)
            groups = [g for g in groups if not g & joined] + [joined]
            for x in range(n):
                for y in range(n):
                    if x == y:
                        continue
                    known = any(x in g and y in g for g in groups)
                    want = heights[y] - heights[x] if known else None
                    assert survey.difference(x, y) == want


def test_joining_at_non_reference_points():
    for low in (0, 1, 2):
        for high in (3, 4, 5):
            survey = Survey()
            survey.measure(0, 1, 2)
            survey.measure(1, 2, 3)
            survey.measure(3, 4, 10)
            survey.measure(4, 5, 20)
            true = [0, 2, 5, 100, 110, 130]
            assert survey.measure(low, high, true[high] - true[low])
            for x in range(6):
                for y in range(6):
                    assert survey.difference(x, y) == true[y] - true[x]


def test_contradiction_after_join():
    survey = Survey()
    survey.measure("a", "b", 4)
    survey.measure("c", "d", 6)
    survey.measure("d", "b", 1)
    assert survey.difference("a", "d") == 3
    assert survey.measure("a", "c", -3)
    assert not survey.measure("a", "c", 3)
    assert not survey.measure("a", "d", 5)
""",
    ),
    Program(
        name="linear_probe_shift",
        code=r'''"""A hash table with linear probing that closes gaps when deleting."""


class ProbeTable:
    """Maps keys to values; removal moves later entries back."""

    def __init__(self, capacity=8):
        self.slots = [None] * capacity
        self.used = 0

    def __len__(self):
        return self.used

    def _home(self, key):
        """The slot where the search for a key begins."""
        return hash(key) % len(self.slots)

    def _locate(self, key):
        """The slot that holds key, or the free one where it belongs."""
        at = self._home(key)
        while self.slots[at] is not None and self.slots[at][0] != key:
            at = (at + 1) % len(self.slots)
        return at

    def _grow(self):
        entries = [slot for slot in self.slots if slot is not None]
        self.slots = [None] * (2 * len(self.slots))
        for key, value in entries:
            self.slots[self._locate(key)] = (key, value)

    def put(self, key, value):
        """Store a value, replacing an older one."""
        at = self._locate(key)
        if self.slots[at] is None:
            self.used += 1
        self.slots[at] = (key, value)
        if self.used * 4 > len(self.slots) * 3:
            self._grow()

    def get(self, key, default=None):
        """The value of a key."""
        slot = self.slots[self._locate(key)]
        return default if slot is None else slot[1]

    def remove(self, key):
        """Delete a key; tell whether it was there."""
        size = len(self.slots)
        gap = self._locate(key)
        if self.slots[gap] is None:
            return False
        self.used -= 1
        at = (gap + 1) % size
        while self.slots[at] is not None:
            home = self._home(self.slots[at][0])
            if (at - home) % size > (at - gap) % size:
                self.slots[gap] = self.slots[at]
                gap = at
            at = (at + 1) % size
        self.slots[gap] = None
        return True
''',
        wrong="(at - home) % size > (at - gap) % size",
        right="(at - home) % size >= (at - gap) % size",
        visible=r"""
def test_put_and_get():
    table = ProbeTable()
    table.put("x", 1)
    table.put("y", 2)
    table.put("x", 3)
    assert table.get("x") == 3
    assert table.get("z", "none") == "none"
    assert len(table) == 2


def test_growth():
    table = ProbeTable(4)
    for n in range(50):
        table.put(n, n * n)
    assert len(table) == 50
    assert all(table.get(n) == n * n for n in range(50))


def test_remove():
    table = ProbeTable()
    table.put(3, "c")
    assert table.remove(3)
    assert not table.remove(3)
    assert table.get(3) is None
    assert len(table) == 0


def test_remove_first_of_a_collision():
    table = ProbeTable(8)
    table.put(1, "one")
    table.put(9, "nine")
    table.put(17, "seventeen")
    assert table.remove(1)
    assert table.get(9) == "nine"
    assert table.get(17) == "seventeen"
""",
        hidden=r"""
def test_against_dict():
    import random
    rng = random.Random(13)
    for _ in range(100):
        table, plain = ProbeTable(8), {}
        for step in range(60):
            key = rng.randrange(24)
            if rng.random() < 0.55:
                table.put(key, step)
                plain[key] = step
            else:
                assert table.remove(key) == (key in plain)
                plain.pop(key, None)
            assert len(table) == len(plain)
            for k in range(24):
                assert table.get(k) == plain.get(k)


def test_wrap_around():
    table = ProbeTable(8)
    for key in (7, 15, 6, 0, 23):
        table.put(key, -key)
    table.remove(7)
    assert [table.get(k) for k in (15, 6, 0, 23)] == [-15, -6, 0, -23]
    table.remove(6)
    assert [table.get(k) for k in (15, 0, 23)] == [-15, 0, -23]


def test_no_move_in_front_of_home():
    table = ProbeTable(8)
    for key in (1, 2, 3, 9):
        table.put(key, key)
    table.remove(1)
    assert [table.get(k) for k in (2, 3, 9)] == [2, 3, 9]
    table.remove(2)
    assert [table.get(k) for k in (3, 9)] == [3, 9]


def test_every_removal_order():
    from itertools import permutations
    keys = (5, 13, 21, 6, 7)
    for order in permutations(keys):
        table = ProbeTable(8)
        for key in keys:
            table.put(key, str(key))
        left = set(keys)
        for key in order:
            assert table.remove(key)
            left.remove(key)
            assert all((table.get(k) == str(k)) == (k in left) for k in keys)
""",
    ),
    # ---------------------------------------------------------------- recursion
    Program(
        name="implication_formula",
        code=r'''"""Read and evaluate formulas with the operators !, &, | and ->, which bind ever more loosely."""

import re


class Reader:
    """A recursive descent parser over a list of tokens."""

    def __init__(self, text):
        self.tokens = re.findall(r"->|[a-z]\w*|\S", text)
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self):
        token = self.peek()
        if token is None:
            raise ValueError("formula ends too early")
        self.at += 1
        return token

    def formula(self):
        left = self.either()
        if self.peek() != "->":
            return left
        self.take()
        return ("->", left, self.either())

    def either(self):
        left = self.both()
        while self.peek() == "|":
            self.take()
            left = ("|", left, self.both())
        return left

    def both(self):
        left = self.factor()
        while self.peek() == "&":
            self.take()
            left = ("&", left, self.factor())
        return left

    def factor(self):
        token = self.take()
        if token == "!":
            return ("!", self.factor())
        if token == "(":
            inside = self.formula()
            if self.take() != ")":
                raise ValueError("missing )")
            return inside
        if not token[0].isalpha():
            raise ValueError("unexpected " + token)
        return token


def parse(text):
    """The tree of a formula: names and tuples (operator, parts...)."""
    reader = Reader(text)
    tree = reader.formula()
    if reader.peek() is not None:
        raise ValueError("unexpected " + reader.peek())
    return tree


def evaluate(tree, values):
    """The truth value of a tree under an assignment."""
    if isinstance(tree, str):
        return values[tree]
    parts = [evaluate(part, values) for part in tree[1:]]
    if tree[0] == "!":
        return not parts[0]
    if tree[0] == "&":
        return parts[0] and parts[1]
    if tree[0] == "|":
        return parts[0] or parts[1]
    return not parts[0] or parts[1]
''',
        wrong='return ("->", left, self.either())',
        right='return ("->", left, self.formula())',
        visible=r"""
def test_precedence():
    assert parse("a | b & !c") == ("|", "a", ("&", "b", ("!", "c")))
    assert parse("a -> b | c") == ("->", "a", ("|", "b", "c"))


def test_parentheses():
    assert parse("(a | b) & c") == ("&", ("|", "a", "b"), "c")
    assert parse("(a -> b) -> c") == ("->", ("->", "a", "b"), "c")


def test_evaluate():
    tree = parse("rain -> wet")
    assert evaluate(tree, {"rain": True, "wet": False}) is False
    assert evaluate(tree, {"rain": False, "wet": False}) is True


def test_always_true():
    tree = parse("a -> b -> a")
    for a in (True, False):
        for b in (True, False):
            assert evaluate(tree, {"a": a, "b": b})


def test_errors():
    for text in ["a &", "(a", "a b", ""]:
        with pytest.raises(ValueError):
            parse(text)
""",
        hidden=r"""
def test_chain_leans_right():
    for length in range(1, 8):
        names = "abcdefgh"[:length]
        want = names[-1]
        for name in reversed(names[:-1]):
            want = ("->", name, want)
        assert parse(" -> ".join(names)) == want


def show(tree):
    if isinstance(tree, str):
        return tree
    if tree[0] == "!":
        return "!(" + show(tree[1]) + ")"
    return "(" + show(tree[1]) + ")" + tree[0] + "(" + show(tree[2]) + ")"


def test_chains_mixed_with_others():
    assert parse("a & b -> c | d -> !e") == ("->", ("&", "a", "b"), ("->", ("|", "c", "d"), ("!", "e")))
    assert parse("!a -> (b -> c -> d) | e -> f") == (
        "->", ("!", "a"), ("->", ("|", ("->", "b", ("->", "c", "d")), "e"), "f"))
    assert parse("a -> (b -> c) -> d") == ("->", "a", ("->", ("->", "b", "c"), "d"))


def test_round_trip():
    import random
    rng = random.Random(4)

    def tree(depth):
        if depth == 0 or rng.random() < 0.2:
            return rng.choice("pqr")
        if rng.random() < 0.25:
            return ("!", tree(depth - 1))
        return (rng.choice(["->", "&", "|"]), tree(depth - 1), tree(depth - 1))

    for _ in range(200):
        t = tree(4)
        assert parse(show(t)) == t


def test_value_of_a_chain():
    from itertools import product
    tree = parse("a -> b -> c -> d")
    for row in product((False, True), repeat=4):
        a, b, c, d = row
        assert evaluate(tree, dict(zip("abcd", row))) == (not (a and b and c) or d)


def is_tautology(text):
    from itertools import product
    names = [name for name in "abcpq" if name in text]
    rows = product((False, True), repeat=len(names))
    return all(evaluate(parse(text), dict(zip(names, row))) for row in rows)


def test_known_tautologies():
    assert is_tautology("(a -> b -> c) -> (a -> b) -> a -> c")
    assert is_tautology("(!b -> !a) -> a -> b")
    assert is_tautology("((p -> q) -> p) -> p")
    assert not is_tautology("(a -> b) -> b -> a")


def test_dangling_arrow():
    for text in ["a ->", "a -> b ->", "-> a", "a -> -> b", "a -> b)"]:
        with pytest.raises(ValueError):
            parse(text)
""",
    ),
    Program(
        name="skyline_halves",
        code=r'''"""The outline of a row of houses, by divide and conquer."""


def put(outline, x, height):
    """Add a corner to an outline, unless the height stays the same."""
    before = outline[-1][1] if outline else 0
    if height != before:
        outline.append((x, height))


def join(a, b):
    """The outline of two outlines seen together."""
    outline = []
    i = j = 0
    height_a = height_b = 0
    while i < len(a) and j < len(b):
        if a[i][0] < b[j][0]:
            x, height_a = a[i]
            i += 1
        elif b[j][0] < a[i][0]:
            x, height_b = b[j]
            j += 1
        else:
            x, height_a = a[i]
            height_b = b[i][1]
            i += 1
            j += 1
        put(outline, x, max(height_a, height_b))
    for x, height in a[i:] + b[j:]:
        put(outline, x, height)
    return outline


def skyline(houses):
    """The corners (x, new height) of houses given as (left, right, height)."""
    if not houses:
        return []
    if len(houses) == 1:
        left, right, height = houses[0]
        return [(left, height), (right, 0)] if left < right and height > 0 else []
    middle = len(houses) // 2
    return join(skyline(houses[:middle]), skyline(houses[middle:]))


def area(outline):
    """The area under an outline."""
    total = 0
    for (x, height), (following, _) in zip(outline, outline[1:]):
        total += height * (following - x)
    return total


def visible_width(outline):
    """How much of the ground has a house on it."""
    width = 0
    for (x, height), (following, _) in zip(outline, outline[1:]):
        if height > 0:
            width += following - x
    return width
''',
        wrong="height_b = b[i][1]",
        right="height_b = b[j][1]",
        visible=r"""
def test_one_house():
    assert skyline([(2, 5, 4)]) == [(2, 4), (5, 0)]


def test_overlap():
    assert skyline([(1, 5, 3), (3, 8, 6)]) == [(1, 3), (3, 6), (8, 0)]


def test_gap():
    outline = skyline([(0, 2, 1), (4, 6, 2)])
    assert outline == [(0, 1), (2, 0), (4, 2), (6, 0)]
    assert visible_width(outline) == 4
    assert area(outline) == 6


def test_side_by_side():
    assert skyline([(0, 3, 2), (3, 6, 2)]) == [(0, 2), (6, 0)]


def test_city():
    houses = [(1, 4, 5), (2, 9, 3), (4, 7, 8), (7, 9, 6)]
    assert skyline(houses) == [(1, 5), (4, 8), (7, 6), (9, 0)]


def test_nothing():
    assert skyline([]) == []
""",
        hidden=r"""
def slow(houses):
    top = [0] * 31
    for left, right, height in houses:
        for x in range(left, right):
            top[x] = max(top[x], height)
    corners, before = [], 0
    for x, height in enumerate(top):
        if height != before:
            corners.append((x, height))
        before = height
    return corners


def test_against_columns():
    import random
    rng = random.Random(8)
    for _ in range(400):
        houses = []
        for _ in range(rng.randrange(8)):
            left = rng.randrange(25)
            houses.append((left, left + rng.randrange(1, 6), rng.randrange(1, 6)))
        outline = skyline(houses)
        assert outline == slow(houses)
        assert area(outline) == sum(h * (outline[k + 1][0] - x) for k, (x, h) in enumerate(outline[:-1]))


def test_houses_that_touch():
    houses = [(n, n + 1, n % 3 + 1) for n in range(12)]
    assert skyline(houses) == slow(houses)
    assert skyline(houses[::-1]) == slow(houses)
    assert visible_width(skyline(houses)) == 12


def test_same_left_edge():
    for a in range(1, 5):
        for b in range(1, 5):
            for wide in range(1, 5):
                houses = [(3, 6, a), (3, 3 + wide, b)]
                assert skyline(houses) == slow(houses)


def test_join_of_longer_outlines():
    a = [(0, 2), (4, 0), (6, 1), (9, 0)]
    b = [(1, 1), (2, 3), (3, 0), (6, 4), (7, 0), (9, 2), (10, 0)]
    want = [(0, 2), (2, 3), (3, 2), (4, 0), (6, 4), (7, 1), (9, 2), (10, 0)]
    assert join(a, b) == want
    assert join(b, a) == want
""",
    ),
    Program(
        name="mobile_weights",
        code=r'''"""Hanging mobiles: choose whole weights so that every rod is level.

A mobile is None for a weight yet to choose, or a tuple
(left arm, left mobile, right arm, right mobile) for a rod.
"""

from math import lcm


def unit(mobile):
    """The least total weight with which the mobile can be level throughout.

    The other possible totals are the multiples of it.
    """
    if mobile is None:
        return 1
    left_arm, left, right_arm, right = mobile
    left_unit, right_unit = unit(left), unit(right)
    torque = lcm(left_arm * left_unit, right_arm * left_unit)
    return torque // left_arm + torque // right_arm


def hang(mobile, total):
    """The level mobile with the given total; weights take the place of None."""
    if total % unit(mobile):
        raise ValueError("cannot be level")
    if mobile is None:
        return total
    left_arm, left, right_arm, right = mobile
    on_left = total * right_arm // (left_arm + right_arm)
    return (left_arm, hang(left, on_left), right_arm, hang(right, total - on_left))


def weight(hung):
    """The total weight of a mobile with weights."""
    if isinstance(hung, int):
        return hung
    return weight(hung[1]) + weight(hung[3])


def level(hung):
    """Whether every rod of a mobile with weights is level."""
    if isinstance(hung, int):
        return True
    left_arm, left, right_arm, right = hung
    if left_arm * weight(left) != right_arm * weight(right):
        return False
    return level(left) and level(right)


def lightest(mobile):
    """The lightest level mobile of a shape."""
    return hang(mobile, unit(mobile))
''',
        wrong="right_arm * left_unit)",
        right="right_arm * right_unit)",
        visible=r"""
def test_single_weight():
    assert unit(None) == 1
    assert lightest(None) == 1


def test_one_rod():
    assert unit((2, None, 3, None)) == 5
    assert lightest((2, None, 3, None)) == (2, 3, 3, 2)


def test_rod_on_the_right():
    shape = (1, None, 1, (1, None, 2, None))
    assert unit(shape) == 6
    assert lightest(shape) == (1, 3, 1, (1, 2, 2, 1))


def test_level():
    assert level((1, 4, 2, 2))
    assert not level((1, 4, 1, 2))
    assert not level((1, 2, 1, (1, 2, 1, 0)))


def test_weight():
    assert weight((1, 4, 2, (1, 1, 1, 1))) == 6
""",
        hidden=r"""
def random_shape(rng, depth):
    if depth == 0 or rng.random() < 0.25:
        return None
    return (rng.randrange(1, 6), random_shape(rng, depth - 1), rng.randrange(1, 6), random_shape(rng, depth - 1))


def can(mobile, total):
    if mobile is None:
        return total > 0
    a, left, b, right = mobile
    if total * b % (a + b):
        return False
    on_left = total * b // (a + b)
    return can(left, on_left) and can(right, total - on_left)


def test_least_total():
    import random
    rng = random.Random(6)
    for _ in range(150):
        shape = random_shape(rng, 2)
        best = next(total for total in range(1, 20000) if can(shape, total))
        assert unit(shape) == best
        for factor in (1, 2, 3):
            assert can(shape, best * factor)


def test_lightest_is_level():
    import random
    rng = random.Random(9)
    for _ in range(200):
        shape = random_shape(rng, 4)
        hung = lightest(shape)
        assert level(hung)
        assert weight(hung) == unit(shape)


def test_mirror_has_same_unit():
    import random
    rng = random.Random(10)

    def mirror(m):
        return None if m is None else (m[2], mirror(m[3]), m[0], mirror(m[1]))

    for _ in range(100):
        shape = random_shape(rng, 3)
        assert unit(shape) == unit(mirror(shape))


def test_impossible_total():
    shape = (1, (1, None, 4, None), 2, (1, None, 2, None))
    assert unit(shape) == 45 and level(hang(shape, 90))
    for total in range(1, 45):
        with pytest.raises(ValueError):
            hang(shape, total)
""",
    ),
    Program(
        name="parts_explosion",
        code=r'''"""What goes into a product: bills of materials that contain other products."""


class PartsList:
    """Recipes of assemblies and prices of bought parts."""

    def __init__(self):
        self.recipes = {}
        self.prices = {}

    def assembly(self, name, **parts):
        """Define an assembly by the number of each part directly in it."""
        self.recipes[name] = dict(parts)

    def bought(self, name, price):
        """Define the price of a part that is bought."""
        self.prices[name] = price

    def explode(self, name, quantity=1):
        """How many of each bought part the given quantity needs."""
        totals = {}
        self._collect(name, quantity, totals, ())
        return totals

    def _collect(self, name, quantity, totals, path):
        if name in path:
            raise ValueError("cycle: " + " > ".join(path + (name,)))
        if name not in self.recipes:
            totals[name] = quantity
            return
        for part, count in self.recipes[name].items():
            self._collect(part, quantity * count, totals, path + (name,))

    def cost(self, name):
        """The price of all bought parts in one piece."""
        return sum(self.prices[part] * count for part, count in self.explode(name).items())

    def depth(self, name):
        """How many levels of assemblies are nested in one another."""
        if name not in self.recipes:
            return 0
        return 1 + max((self.depth(part) for part in self.recipes[name]), default=0)

    def where_used(self, part):
        """All assemblies that contain a part, directly or not."""
        users = set()
        for name, parts in self.recipes.items():
            if part in parts and name not in users:
                users |= {name} | self.where_used(name)
        return users
''',
        wrong="totals[name] = quantity",
        right="totals[name] = totals.get(name, 0) + quantity",
        visible=r"""
def bicycle():
    parts = PartsList()
    parts.assembly("bicycle", wheel=2, frame=1)
    parts.assembly("wheel", spoke=32, rim=1)
    parts.bought("spoke", 1)
    parts.bought("rim", 20)
    parts.bought("frame", 100)
    return parts


def test_explode_multiplies():
    assert bicycle().explode("bicycle", 3) == {"spoke": 192, "rim": 6, "frame": 3}


def test_bought_part():
    assert bicycle().explode("rim", 4) == {"rim": 4}


def test_cost():
    assert bicycle().cost("bicycle") == 2 * 52 + 100


def test_part_on_two_levels():
    parts = bicycle()
    parts.assembly("frame", screw=6, tube=3)
    parts.assembly("bicycle", wheel=2, frame=1, screw=4)
    assert parts.explode("bicycle")["screw"] == 10


def test_depth_and_users():
    parts = bicycle()
    assert parts.depth("bicycle") == 2
    assert parts.where_used("spoke") == {"wheel", "bicycle"}


def test_cycle():
    parts = PartsList()
    parts.assembly("a", b=1)
    parts.assembly("b", a=1)
    with pytest.raises(ValueError):
        parts.explode("a")
""",
        hidden=r"""
def test_random_lists():
    import random
    rng = random.Random(12)
    for _ in range(150):
        parts = PartsList()
        names = ["p%d" % n for n in range(8)]
        vectors = {}
        for n in (7, 6, 5):
            parts.bought(names[n], n)
            vectors[names[n]] = {names[n]: 1}
        for n in range(4, -1, -1):
            chosen = rng.sample(names[n + 1:], rng.randrange(1, 4))
            recipe = {name: rng.randrange(1, 5) for name in chosen}
            parts.assembly(names[n], **recipe)
            vector = {}
            for name, count in recipe.items():
                for leaf, k in vectors[name].items():
                    vector[leaf] = vector.get(leaf, 0) + k * count
            vectors[names[n]] = vector
        for name in names:
            for quantity in (1, 2, 5):
                want = {leaf: k * quantity for leaf, k in vectors[name].items()}
                assert parts.explode(name, quantity) == want
            assert parts.cost(name) == sum(int(leaf[1]) * k for leaf, k in vectors[name].items())


def test_diamond():
    parts = PartsList()
    parts.assembly("top", left=2, right=3)
    parts.assembly("left", bolt=5)
    parts.assembly("right", bolt=7)
    parts.bought("bolt", 4)
    assert parts.explode("top") == {"bolt": 31}
    assert parts.explode("top", 10) == {"bolt": 310}
    assert parts.cost("top") == 124


def test_same_assembly_twice():
    parts = PartsList()
    parts.assembly("pair", one=1, box=2)
    parts.assembly("box", one=3, lid=1)
    parts.assembly("crate", pair=2, box=1, one=1)
    assert parts.explode("crate") == {"one": 2 * 7 + 3 + 1, "lid": 5}


def test_calls_do_not_add_up():
    parts = PartsList()
    parts.assembly("a", x=1, b=1)
    parts.assembly("b", x=1)
    assert parts.explode("a") == {"x": 2}
    assert parts.explode("a") == {"x": 2}
""",
    ),
    Program(
        name="quadtree_picture",
        code=r'''"""Pack square pictures into quadtrees.

A tree is a colour, or a list of the trees of the four quarters:
top left, top right, bottom left, bottom right.
"""


def pack(rows):
    """The quadtree of a picture whose side is a power of two."""
    first = rows[0][0]
    if all(cell == first for row in rows for cell in row):
        return first
    half = len(rows) // 2
    top, bottom = rows[:half], rows[half:]
    return [
        pack([row[:half] for row in top]),
        pack([row[half:] for row in top]),
        pack([row[:half] for row in bottom]),
        pack([row[half:] for row in bottom]),
    ]


def unpack(tree, side):
    """The picture of a quadtree as a list of strings."""
    if not isinstance(tree, list):
        return [tree * side for _ in range(side)]
    parts = [unpack(part, side // 2) for part in tree]
    top = [left + right for left, right in zip(parts[0], parts[1])]
    bottom = [left + right for left, right in zip(parts[2], parts[3])]
    return top + bottom


def leaves(tree):
    """The number of one-coloured squares."""
    if not isinstance(tree, list):
        return 1
    return sum(leaves(part) for part in tree)


def rotate(tree):
    """The tree of the picture turned clockwise by a quarter."""
    if not isinstance(tree, list):
        return tree
    top_left, top_right, bottom_left, bottom_right = tree
    return [bottom_left, top_left, bottom_right, top_right]


def recolour(tree, colours):
    """The tree with colours replaced, packed again where quarters became equal."""
    if not isinstance(tree, list):
        return colours.get(tree, tree)
    parts = [recolour(part, colours) for part in tree]
    if not isinstance(parts[0], list) and all(part == parts[0] for part in parts):
        return parts[0]
    return parts
''',
        wrong="bottom_right = tree",
        right="bottom_right = [rotate(part) for part in tree]",
        visible=r"""
def test_pack_plain():
    assert pack(["..", ".."]) == "."


def test_pack_and_unpack():
    picture = ["##..", "##..", "...#", "...."]
    tree = pack(picture)
    assert tree == ["#", ".", ".", [".", "#", ".", "."]]
    assert unpack(tree, 4) == picture
    assert leaves(tree) == 7


def test_rotate_small():
    assert rotate(["a", "b", "c", "d"]) == ["c", "a", "d", "b"]
    assert rotate("x") == "x"


def test_rotate_picture():
    tree = pack(["#...", "....", "....", "...."])
    assert unpack(rotate(tree), 4) == ["...#", "....", "....", "...."]


def test_recolour_packs():
    tree = pack(["ab", "cd"])
    assert recolour(tree, {"b": "a", "c": "a", "d": "a"}) == "a"
    assert recolour(tree, {"b": "x"}) == ["a", "x", "c", "d"]
""",
        hidden=r"""
def turned(picture):
    return ["".join(column) for column in zip(*picture[::-1])]


def random_picture(rng, side):
    return ["".join(rng.choice("ab.") for _ in range(side)) for _ in range(side)]


def test_rotate_random():
    import random
    rng = random.Random(21)
    for side in (1, 2, 4, 8, 16):
        for _ in range(20):
            picture = random_picture(rng, side)
            tree = rotate(pack(picture))
            assert unpack(tree, side) == turned(picture)
            assert tree == pack(turned(picture))


def test_four_turns():
    import random
    rng = random.Random(22)
    for _ in range(20):
        tree = pack(random_picture(rng, 8))
        assert rotate(rotate(rotate(rotate(tree)))) == tree


def test_two_turns_reverse():
    import random
    rng = random.Random(23)
    for _ in range(20):
        picture = random_picture(rng, 8)
        upside_down = [row[::-1] for row in picture[::-1]]
        assert unpack(rotate(rotate(pack(picture))), 8) == upside_down


def test_argument_stays():
    tree = ["a", ["b", "c", "d", "e"], "f", ["g", "g", "h", "g"]]
    copy = ["a", ["b", "c", "d", "e"], "f", ["g", "g", "h", "g"]]
    assert rotate(tree) == ["f", "a", ["h", "g", "g", "g"], ["d", "b", "e", "c"]]
    assert tree == copy
""",
    ),
    Program(
        name="kakuro_cells",
        code=r'''"""Help for kakuro: which different digits add up to a sum."""

LARGEST = 9


def possible(total, cells, low):
    """Whether the bounds allow `cells` different digits from low on with this sum."""
    least = cells * low + cells * (cells - 1) // 2
    most = cells * LARGEST - cells * (cells + 1) // 2
    return least <= total <= most


def combinations(total, cells, low=1):
    """All rising tuples of different digits, none below low, with a sum."""
    if cells == 0:
        return [()] if total == 0 else []
    if not possible(total, cells, low):
        return []
    found = []
    for digit in range(low, LARGEST + 1):
        for rest in combinations(total - digit, cells - 1, digit + 1):
            found.append((digit,) + rest)
    return found


def candidates(total, cells, used=(), banned=()):
    """The digits that may stand in the open cells of a run.

    `used` are the digits already written into the run, `banned` digits
    that other runs rule out for the open cells.
    """
    digits = set()
    for combination in combinations(total, cells):
        open_digits = set(combination) - set(used)
        if len(open_digits) == cells - len(used) and not open_digits & set(banned):
            digits |= open_digits
    return sorted(digits)


def forced(total, cells):
    """The digits that are in every solution of a run."""
    options = combinations(total, cells)
    if not options:
        return []
    return sorted(set.intersection(*map(set, options)))


def crossing(across, down):
    """The digits for the cell where two runs (sum, cells) cross."""
    return sorted(set(candidates(*across)) & set(candidates(*down)))
''',
        wrong="cells * LARGEST - cells * (cells + 1) // 2",
        right="cells * LARGEST - cells * (cells - 1) // 2",
        visible=r"""
def test_two_cells():
    assert combinations(5, 2) == [(1, 4), (2, 3)]
    assert combinations(3, 2) == [(1, 2)]


def test_three_cells():
    assert combinations(7, 3) == [(1, 2, 4)]


def test_impossible():
    assert combinations(2, 2) == []
    assert combinations(18, 2) == []


def test_high_sums():
    assert combinations(17, 2) == [(8, 9)]
    assert combinations(10, 2) == [(1, 9), (2, 8), (3, 7), (4, 6)]


def test_candidates():
    assert candidates(6, 2) == [1, 2, 4, 5]
    assert candidates(6, 3, used=(2,)) == [1, 3]


def test_crossing():
    assert crossing((3, 2), (4, 2)) == [1]
""",
        hidden=r"""
def test_against_itertools():
    import itertools
    for cells in range(1, 10):
        for total in range(0, 50):
            want = [c for c in itertools.combinations(range(1, 10), cells) if sum(c) == total]
            assert combinations(total, cells) == want


def test_with_lower_bound():
    import itertools
    for low in range(1, 10):
        for cells in range(1, 5):
            for total in range(1, 36):
                want = [c for c in itertools.combinations(range(low, 10), cells) if sum(c) == total]
                assert combinations(total, cells, low) == want


def test_bounds():
    assert possible(9, 1, 1) and not possible(10, 1, 1)
    assert possible(17, 2, 1) and not possible(18, 2, 1)
    assert possible(45, 9, 1) and not possible(46, 9, 1) and not possible(44, 9, 1)


def test_forced_and_crossing():
    assert forced(45, 9) == list(range(1, 10))
    assert forced(23, 3) == [6, 8, 9]
    assert forced(22, 3) == [9]
    assert forced(50, 3) == []
    assert crossing((24, 3), (16, 2)) == [7, 9]
    assert crossing((9, 1), (17, 2)) == [9]


def test_candidates_at_the_top():
    assert candidates(30, 4) == [6, 7, 8, 9]
    assert candidates(30, 4, used=(9, 7)) == [6, 8]
    assert candidates(29, 4, banned=(5,)) == []
    assert candidates(16, 2, banned=(1,)) == [7, 9]
""",
    ),
    Program(
        name="bracket_seeding",
        code=r'''"""Knock-out tournaments: seeding, byes and the way to the final."""


def bracket_size(entrants):
    """The least power of two that is not below the number of entrants."""
    size = 1
    while size < entrants:
        size *= 2
    return size


def order(size):
    """The seeds from top to bottom, so that the best two meet in the final."""
    if size == 1:
        return [1]
    slots = []
    for seed in order(size // 2):
        slots += [seed, size + 1 - seed]
    return slots


def first_round(entrants):
    """The pairs of the first round; None stands for a bye."""
    slots = [None if seed >= entrants else seed for seed in order(bracket_size(entrants))]
    return list(zip(slots[::2], slots[1::2]))


def winner(a, b):
    """The better seed of two; a bye never wins."""
    if a is None or b is None:
        return a if b is None else b
    return min(a, b)


def play(slots, result=winner):
    """The winner among slots, halves playing their own finals first."""
    if len(slots) == 1:
        return slots[0]
    half = len(slots) // 2
    return result(play(slots[:half], result), play(slots[half:], result))


def meeting_round(entrants, a, b):
    """In which round two seeds would meet, counting from 1."""
    slots = order(bracket_size(entrants))
    i, j = slots.index(a), slots.index(b)
    number = 0
    while i != j:
        i //= 2
        j //= 2
        number += 1
    return number
''',
        wrong="None if seed >= entrants else seed",
        right="None if seed > entrants else seed",
        visible=r"""
def test_bracket_size():
    assert [bracket_size(n) for n in (1, 2, 3, 4, 5, 8, 9)] == [1, 2, 4, 4, 8, 8, 16]


def test_order_of_eight():
    assert order(8) == [1, 8, 4, 5, 2, 7, 3, 6]


def test_first_round_full():
    assert first_round(4) == [(1, 4), (2, 3)]


def test_first_round_with_byes():
    assert first_round(6) == [(1, None), (4, 5), (2, None), (3, 6)]


def test_play():
    assert play(order(8)) == 1
    assert play([None, 3, 2, None]) == 2


def test_meeting_round():
    assert meeting_round(8, 1, 2) == 3
    assert meeting_round(8, 4, 5) == 1
""",
        hidden=r"""
def test_everybody_plays():
    for entrants in range(2, 70):
        pairs = first_round(entrants)
        seeds = [seed for pair in pairs for seed in pair if seed is not None]
        assert sorted(seeds) == list(range(1, entrants + 1))
        assert len(pairs) * 2 == bracket_size(entrants)


def test_byes_go_to_the_best():
    for entrants in range(2, 70):
        byes = [pair[0] for pair in first_round(entrants) if pair[1] is None]
        assert sorted(byes) == list(range(1, bracket_size(entrants) - entrants + 1))
        assert all(pair[0] is not None for pair in first_round(entrants))


def test_pairs_add_up():
    for entrants in range(2, 40):
        for a, b in first_round(entrants):
            assert b is None or a + b == bracket_size(entrants) + 1


def test_worst_seed_can_win():
    def upset(a, b):
        return (a if b is None else b) if a is None or b is None else max(a, b)

    for entrants in range(2, 30):
        slots = [seed for pair in first_round(entrants) for seed in pair]
        assert play(slots, upset) == entrants
        assert play(slots) == 1
""",
    ),
    # ---------------------------------------------------------------- strings
    Program(
        name="columnar_transposition",
        code=r'''"""The columnar transposition cipher, with a last row that may be short."""


def column_order(keyword):
    """The column numbers in the order in which they are read out."""
    return sorted(range(len(keyword)), key=lambda column: (keyword[column], column))


def letters_only(text):
    """The letters of a text in upper case."""
    return "".join(char for char in text.upper() if char.isalpha())


def encrypt(text, keyword):
    """Write the text in rows below the keyword and read columns in its order."""
    text = letters_only(text)
    return "".join(text[column::len(keyword)] for column in column_order(keyword))


def decrypt(cipher, keyword):
    """The text of a cipher made by encrypt."""
    width = len(keyword)
    rows, extra = divmod(len(cipher), width)
    columns = [""] * width
    start = 0
    for rank, column in enumerate(column_order(keyword)):
        height = rows + (1 if rank < extra else 0)
        columns[column] = cipher[start:start + height]
        start += height
    text = []
    for row in range(rows + 1):
        for column in columns:
            if row < len(column):
                text.append(column[row])
    return "".join(text)


def blocks(text, size=5):
    """The text in blocks, as telegrams have them."""
    return " ".join(text[start:start + size] for start in range(0, len(text), size))


def twice(text, first, second):
    """Encrypt with two keywords, one after the other."""
    return encrypt(encrypt(text, first), second)
''',
        wrong="rank < extra",
        right="column < extra",
        visible=r"""
def test_column_order():
    assert column_order("ZEBRA") == [4, 2, 1, 3, 0]
    assert column_order("NOON") == [0, 3, 1, 2]


def test_encrypt():
    assert encrypt("We attack!", "CAB") == "ETKAAWTC"


def test_blocks():
    assert blocks("ABCDEFGH", 3) == "ABC DEF GH"


def test_decrypt_full_rows():
    assert decrypt(encrypt("defend a tower", "KEY"), "KEY") == "DEFENDATOWER"


def test_decrypt_short_row():
    assert decrypt("ETKAAWTC", "CAB") == "WEATTACK"


def test_decrypt_sorted_keyword():
    assert decrypt("AEIBFCGDH", "ABCD") == "ABCDEFGHI"
""",
        hidden=r"""
def test_round_trip():
    import random
    rng = random.Random(31)
    for _ in range(400):
        keyword = "".join(rng.choice("ABCDEF") for _ in range(rng.randrange(1, 8)))
        text = "".join(rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(rng.randrange(40)))
        assert decrypt(encrypt(text, keyword), keyword) == text


def test_reversed_keyword():
    for length in range(1, 13):
        text = "ABCDEFGHIJKL"[:length]
        cipher = "".join(text[c::4] for c in (3, 2, 1, 0))
        assert encrypt(text, "DCBA") == cipher
        assert decrypt(cipher, "DCBA") == text


def test_two_keywords_undone():
    text = "MEETMEATTHEOLDBRIDGEATNOON"
    cipher = twice(text, "HARBOUR", "STONE")
    assert decrypt(decrypt(cipher, "STONE"), "HARBOUR") == text


def test_repeated_letters_in_keyword():
    for keyword in ("NOON", "BANANA", "ZZA", "BABA"):
        for length in range(20):
            text = "THEQUICKBROWNFOXJUMP"[:length]
            assert decrypt(encrypt(text, keyword), keyword) == text
""",
    ),
    Program(
        name="justify_paragraph",
        code=r'''"""Set paragraphs in justified lines of a fixed width."""


def split_lines(words, width):
    """Distribute words greedily over lines; gives lists of words."""
    lines = []
    line, used = [], 0
    for word in words:
        if line and used + len(line) + len(word) > width:
            lines.append(line)
            line, used = [], 0
        line.append(word)
        used += len(word)
    if line:
        lines.append(line)
    return lines


def stretch(words, width):
    """One line of exactly the width; wider gaps come first."""
    if len(words) == 1:
        return words[0].ljust(width)
    gaps = len(words) - 1
    free = width - sum(len(word) for word in words)
    each, extra = divmod(free, gaps)
    line = words[0]
    for number, word in enumerate(words[1:]):
        line += " " * (each + (1 if number <= extra else 0)) + word
    return line


def justify(text, width):
    """The lines of a text; the last line is not stretched."""
    lines = split_lines(text.split(), width)
    if not lines:
        return []
    set_lines = [stretch(words, width) for words in lines[:-1]]
    set_lines.append(" ".join(lines[-1]).ljust(width))
    return set_lines


def two_columns(text, width, between=3):
    """Set a text in two columns of a width, the left one not shorter."""
    lines = justify(text, width)
    height = (len(lines) + 1) // 2
    right = lines[height:] + [" " * width] * (2 * height - len(lines))
    return [a + " " * between + b for a, b in zip(lines[:height], right)]
''',
        wrong="number <= extra",
        right="number < extra",
        visible=r"""
def test_split_lines():
    assert split_lines(["aa", "bb", "cc"], 5) == [["aa", "bb"], ["cc"]]


def test_last_line_is_left():
    assert justify("to be", 10) == ["to be     "]


def test_single_word_line():
    assert stretch(["word"], 6) == "word  "


def test_one_extra_space():
    assert stretch(["a", "b", "c"], 6) == "a  b c"


def test_even_gaps():
    assert stretch(["ab", "cd", "ef"], 10) == "ab  cd  ef"


def test_paragraph():
    lines = justify("the quick brown fox jumps over the lazy dog", 16)
    assert lines == ["the  quick brown", "fox  jumps  over", "the lazy dog    "]
""",
        hidden=r"""
def test_lines_have_the_width():
    import random
    rng = random.Random(41)
    for _ in range(200):
        words = ["x" * rng.randrange(1, 8) for _ in range(rng.randrange(1, 30))]
        width = rng.randrange(8, 30)
        lines = justify(" ".join(words), width)
        assert [w for line in lines for w in line.split()] == words
        assert all(len(line) == width for line in lines)


def test_gaps_differ_by_one_at_most():
    import re
    for count in range(2, 9):
        for width in range(2 * count - 1, 40):
            line = stretch(["o"] * count, width)
            assert len(line) == width
            gaps = [len(gap) for gap in re.findall(" +", line)]
            assert len(gaps) == count - 1
            assert gaps == sorted(gaps, reverse=True)
            assert gaps[0] - gaps[-1] <= 1


def test_examples():
    assert stretch(["a", "b", "c", "d"], 9) == "a  b  c d"
    assert stretch(["a", "b", "c", "d"], 8) == "a  b c d"
    assert stretch(["a", "b", "c", "d"], 7) == "a b c d"
    assert stretch(["left", "right"], 15) == "left      right"


def test_two_columns():
    rows = two_columns("a b c d e f g", 4)
    assert rows == ["a  b   e  f", "c  d   g   "]
    assert two_columns("", 4) == []
""",
    ),
    Program(
        name="outline_numbering",
        code=r'''"""Number the headings of an indented outline: 1, 1.1, 1.2, 2, ..."""

INDENT = 2


def depth_of(line):
    """How deep a line is nested."""
    spaces = len(line) - len(line.lstrip(" "))
    if spaces % INDENT:
        raise ValueError("odd indentation: " + line)
    return spaces // INDENT


def number(lines):
    """Pairs (number, title) for the lines; empty lines are left out."""
    counters = []
    numbered = []
    for line in lines:
        if not line.strip():
            continue
        depth = depth_of(line)
        if depth > len(counters):
            raise ValueError("nested too deep: " + line)
        if depth == len(counters):
            counters.append(1)
        else:
            counters[depth] += 1
        label = ".".join(str(counter) for counter in counters)
        numbered.append((label, line.strip()))
    return numbered


def render(text):
    """The outline as text, each title behind its number."""
    return "\n".join(label + " " + title for label, title in number(text.splitlines()))


def lookup(lines, label):
    """The title that has a number, or None."""
    return dict(number(lines)).get(label)


def children(lines, label):
    """The titles directly below a number."""
    start = label + "."
    found = []
    for other, title in number(lines):
        if other.startswith(start) and "." not in other[len(start):]:
            found.append(title)
    return found
''',
        wrong="counters[depth] += 1",
        right="counters[depth:] = [counters[depth] + 1]",
        visible=r"""
def test_flat():
    assert number(["intro", "main", "end"]) == [("1", "intro"), ("2", "main"), ("3", "end")]


def test_going_deeper():
    assert number(["a", "  b", "    c"]) == [("1", "a"), ("1.1", "b"), ("1.1.1", "c")]


def test_back_to_the_top():
    lines = ["a", "  b", "  c", "d", "  e"]
    assert [label for label, _ in number(lines)] == ["1", "1.1", "1.2", "2", "2.1"]


def test_render_skips_empty_lines():
    assert render("a\n\n  b\n") == "1 a\n1.1 b"


def test_too_deep():
    with pytest.raises(ValueError):
        number(["a", "    b"])


def test_children():
    lines = ["a", "  b", "    x", "  c"]
    assert children(lines, "1") == ["b", "c"]
""",
        hidden=r"""
def reference(depths):
    labels = []
    for at, depth in enumerate(depths):
        parts, level, k = [], depth, at
        while level >= 0:
            count = 0
            while k >= 0 and depths[k] >= level:
                count += depths[k] == level
                k -= 1
            parts.append(str(count))
            level -= 1
        labels.append(".".join(reversed(parts)))
    return labels


def test_random_outlines():
    import random
    rng = random.Random(51)
    for _ in range(300):
        depths = [0]
        for _ in range(rng.randrange(20)):
            depths.append(rng.randrange(depths[-1] + 2))
        lines = ["  " * depth + "t%d" % k for k, depth in enumerate(depths)]
        assert [label for label, _ in number(lines)] == reference(depths)
        assert [title for _, title in number(lines)] == ["t%d" % k for k in range(len(depths))]


def test_jump_up_two_levels():
    lines = ["a", "  b", "    c", "    d", "e", "  f", "    g"]
    assert [label for label, _ in number(lines)] == ["1", "1.1", "1.1.1", "1.1.2", "2", "2.1", "2.1.1"]


def test_labels_are_unique():
    lines = ["a", "  b", "    c", "  d", "    e", "f", "  g", "  h", "i"]
    labels = [label for label, _ in number(lines)]
    assert len(set(labels)) == len(lines)
    assert lookup(lines, "1.2.1") == "e"
    assert lookup(lines, "3") == "i"
    assert lookup(lines, "3.1") is None
    assert children(lines, "2") == ["g", "h"]


def test_too_deep_after_return():
    with pytest.raises(ValueError):
        number(["a", "  b", "    c", "d", "    e"])
""",
    ),
    Program(
        name="cheque_wording",
        code=r'''"""Write sums of money in words, as on a cheque."""

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
SCALES = ["", " thousand", " million", " billion"]


def below_hundred(n):
    """A number below a hundred in words."""
    if n < 20:
        return ONES[n]
    if n % 10 == 0:
        return TENS[n // 10]
    return TENS[n // 10] + "-" + ONES[n % 10]


def below_thousand(n):
    """A number below a thousand in words."""
    hundreds, rest = divmod(n, 100)
    if hundreds == 0:
        return below_hundred(rest)
    words = ONES[hundreds] + " hundred"
    return words + " and " + below_hundred(rest) if rest else words


def words(n):
    """A number below a billion of thousands in words."""
    if n == 0:
        return ONES[0]
    parts = []
    scale = 0
    while n:
        n, group = divmod(n, 1000)
        if group:
            parts.insert(0, below_thousand(group) + SCALES[scale])
        scale += 1
    return " ".join(parts)


def amount(cents):
    """A sum given in cents, in dollars and cents."""
    if cents < 0:
        raise ValueError("negative amount")
    dollars, cents = divmod(cents, 100)
    dollar_word = "dollar" if dollars == 1 else "dollars"
    cent_word = "cent" if dollars == 1 else "cents"
    text = words(dollars) + " " + dollar_word
    if cents:
        text += " and " + words(cents) + " " + cent_word
    return text


def cheque(name, cents):
    """The line on a cheque."""
    return "Pay " + name.strip().title() + " " + amount(cents).upper() + " ONLY"
''',
        wrong='"cent" if dollars == 1',
        right='"cent" if cents == 1',
        visible=r"""
def test_words():
    assert words(0) == "zero"
    assert words(17) == "seventeen"
    assert words(42) == "forty-two"
    assert words(310) == "three hundred and ten"


def test_large_words():
    assert words(2000000) == "two million"
    assert words(12345) == "twelve thousand three hundred and forty-five"


def test_whole_dollars():
    assert amount(100) == "one dollar"
    assert amount(2000) == "twenty dollars"


def test_dollars_and_cents():
    assert amount(550) == "five dollars and fifty cents"
    assert amount(301) == "three dollars and one cent"


def test_cheque():
    assert cheque("ann miller", 1205) == "Pay Ann Miller TWELVE DOLLARS AND FIVE CENTS ONLY"


def test_negative():
    with pytest.raises(ValueError):
        amount(-1)
""",
        hidden=r"""
def test_singular_and_plural():
    for dollars in (0, 1, 2, 21, 101, 5000):
        for cents in range(1, 100):
            text = amount(dollars * 100 + cents)
            first, second = text.rsplit(" and ", 1)
            assert second == words(cents) + (" cent" if cents == 1 else " cents")
            assert first == words(dollars) + (" dollar" if dollars == 1 else " dollars")


def test_one_dollar_with_cents():
    assert amount(101) == "one dollar and one cent"
    assert amount(102) == "one dollar and two cents"
    assert amount(199) == "one dollar and ninety-nine cents"
    assert amount(1) == "zero dollars and one cent"


def test_no_cents_no_word():
    for dollars in range(300):
        assert "cent" not in amount(dollars * 100)
        assert amount(dollars * 100) == words(dollars) + (" dollar" if dollars == 1 else " dollars")


def test_cheque_lines():
    assert cheque(" bob ", 10001) == "Pay Bob ONE HUNDRED DOLLARS AND ONE CENT ONLY"
    assert cheque("eve", 111) == "Pay Eve ONE DOLLAR AND ELEVEN CENTS ONLY"
""",
    ),
    Program(
        name="front_coded_words",
        code=r'''"""A sorted word list in front coding: each word says how much it shares with the one before."""

from bisect import bisect_right


def shared_prefix(a, b):
    """How many letters two words have in common at the start."""
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count]:
        count += 1
    return count


class WordList:
    """Blocks of words; the first of each block is stored in full."""

    def __init__(self, words, block=4):
        self.heads = []
        self.blocks = []
        before = ""
        for number, word in enumerate(sorted(set(words))):
            if number % block == 0:
                self.heads.append(word)
                self.blocks.append([])
            else:
                shared = shared_prefix(before, word)
                self.blocks[-1].append((shared, word[shared:]))
            before = word

    def _block(self, number):
        """The words of a block."""
        word = self.heads[number]
        yield word
        for shared, suffix in self.blocks[number]:
            word = self.heads[number][:shared] + suffix
            yield word

    def __iter__(self):
        for number in range(len(self.heads)):
            yield from self._block(number)

    def __contains__(self, word):
        number = bisect_right(self.heads, word) - 1
        return number >= 0 and word in self._block(number)

    def stored(self):
        """How many letters are stored."""
        total = sum(len(head) for head in self.heads)
        for block in self.blocks:
            total += sum(len(suffix) for _, suffix in block)
        return total

    def with_prefix(self, prefix):
        """All words that begin with a prefix."""
        number = max(0, bisect_right(self.heads, prefix) - 1)
        found = []
        for at in range(number, len(self.heads)):
            for word in self._block(at):
                if word.startswith(prefix):
                    found.append(word)
                elif word > prefix:
                    return found
        return found
''',
        wrong="word = self.heads[number][:shared] + suffix",
        right="word = word[:shared] + suffix",
        visible=r"""
def test_shared_prefix():
    assert shared_prefix("flower", "flow") == 4
    assert shared_prefix("abc", "xyz") == 0


def test_letters_stored():
    words = WordList(["car", "card", "care", "cars"], block=4)
    assert words.stored() == 3 + 1 + 1 + 1


def test_heads_found():
    words = WordList(["ant", "bee", "cat", "dog", "eel"], block=2)
    assert "ant" in words
    assert "cat" in words
    assert "cow" not in words


def test_all_words_come_back():
    text = ["test", "tested", "tester", "testers", "team", "tea"]
    assert list(WordList(text)) == sorted(text)


def test_with_prefix():
    words = WordList(["sun", "sunday", "sunny", "moon", "monday"], block=3)
    assert words.with_prefix("sun") == ["sun", "sunday", "sunny"]
    assert words.with_prefix("x") == []
""",
        hidden=r"""
def test_random_lists():
    import random
    rng = random.Random(61)
    for _ in range(200):
        text = ["".join(rng.choice("ab") for _ in range(rng.randrange(1, 7))) for _ in range(rng.randrange(1, 30))]
        for block in (1, 2, 3, 8):
            words = WordList(text, block)
            assert list(words) == sorted(set(text))
            for word in text:
                assert word in words
            for _ in range(10):
                word = "".join(rng.choice("abc") for _ in range(rng.randrange(1, 6)))
                assert (word in words) == (word in text)
                assert words.with_prefix(word) == sorted(w for w in set(text) if w.startswith(word))


def test_growing_words():
    text = ["a" * n for n in range(1, 20)]
    for block in range(1, 21):
        words = WordList(text, block)
        assert list(words) == text
        assert all(word in words for word in text)


def test_not_compared_with_the_head():
    words = WordList(["bar", "barn", "barns", "base", "based", "bat"], block=6)
    assert "barns" in words
    assert "based" in words
    assert "bars" not in words
    assert "bad" not in words
    assert words.with_prefix("bas") == ["base", "based"]


def test_empty():
    assert list(WordList([])) == []
    assert "a" not in WordList([])
    assert WordList([]).with_prefix("a") == []
""",
    ),
    Program(
        name="soundex_index",
        code=r'''"""Find names that sound alike, with the Soundex code."""

GROUPS = {"BFPV": "1", "CGJKQSXZ": "2", "DT": "3", "L": "4", "MN": "5", "R": "6"}
CODES = {letter: code for letters, code in GROUPS.items() for letter in letters}


def soundex(name):
    """The code of a name: its first letter and three digits.

    Neighbouring letters of one group count once, also with H or W between them,
    and also when the first letter of the name is one of them.
    """
    letters = [char for char in name.upper() if char.isalpha()]
    if not letters:
        raise ValueError("no letters in name")
    code = letters[0]
    previous = ""
    for letter in letters[1:]:
        digit = CODES.get(letter, "")
        if digit and digit != previous:
            code += digit
        if letter not in "HW":
            previous = digit
    return code[:4].ljust(4, "0")


class NameIndex:
    """Names grouped by their codes."""

    def __init__(self, names=()):
        self.by_code = {}
        for name in names:
            self.add(name)

    def add(self, name):
        """Put a name into the index, once."""
        names = self.by_code.setdefault(soundex(name), [])
        if name not in names:
            names.append(name)

    def similar(self, name):
        """All other names that sound like this one."""
        return [other for other in self.by_code.get(soundex(name), []) if other != name]

    def largest(self):
        """The code that most names share, the first in the alphabet of equals."""
        return min(self.by_code, key=lambda code: (-len(self.by_code[code]), code))
''',
        wrong='previous = ""',
        right='previous = CODES.get(letters[0], "")',
        visible=r"""
def test_robert_and_rupert():
    assert soundex("Robert") == "R163"
    assert soundex("Rupert") == "R163"


def test_short_name():
    assert soundex("Lee") == "L000"


def test_h_between():
    assert soundex("Ashcraft") == "A261"


def test_vowel_separates():
    assert soundex("Tymczak") == "T522"


def test_double_letter_at_start():
    assert soundex("Pfister") == "P236"


def test_similar():
    index = NameIndex(["Robert", "Rupert", "Rubin"])
    assert index.similar("Robert") == ["Rupert"]
    assert index.largest() == "R163"
""",
        hidden=r"""
def reference(name):
    name = [c for c in name.upper() if c.isalpha()]
    first = name[0]
    kept = [name[0]] + [c for c in name[1:] if c not in "HW"]
    digits = [CODES.get(c, "") for c in kept]
    out = [d for k, d in enumerate(digits) if k == 0 or d != digits[k - 1]]
    return (first + "".join(out[1:]) + "000")[:4]


def test_random_names():
    import random
    rng = random.Random(71)
    for _ in range(3000):
        name = "".join(rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(rng.randrange(1, 9)))
        assert soundex(name) == reference(name), name


def test_start_with_one_group():
    assert soundex("Jackson") == "J250"
    assert soundex("Czarkowska") == "C622"
    assert soundex("Lloyd") == "L300"
    assert soundex("Schmidt") == "S530"
    assert soundex("Aab") == "A100"


def test_pairs_of_letters():
    for first in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
        for second in "BCDFLMR":
            same = CODES.get(first) == CODES[second]
            assert soundex(first + second) == first + ("000" if same else CODES[second] + "00")
            assert soundex(first + "h" + second) == soundex(first + second)
            assert soundex(first + "e" + second) == first + CODES[second] + "00"


def test_index():
    index = NameIndex(["Lloyd", "Loyd", "Ladd", "Pfaff", "Lloyd"])
    assert index.similar("Loyd") == ["Lloyd", "Ladd"]
    assert index.largest() == "L300"
    assert index.similar("Paff") == ["Pfaff"]
""",
    ),
    Program(
        name="semver_precedence",
        code=r'''"""Order version numbers by the rules of semantic versioning."""

import re

PATTERN = re.compile(r"v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?")


def parse(text):
    """The numbers of a version and the list of its pre-release parts."""
    match = PATTERN.fullmatch(text.strip())
    if match is None:
        raise ValueError("no version: " + text)
    major, minor, patch, pre = match.groups()
    return (int(major), int(minor), int(patch)), pre.split(".") if pre else []


def part_key(part):
    """Sort key of one pre-release part: numbers come before words."""
    if part.isdigit():
        return (0, 0, part)
    return (1, 0, part)


def key(text):
    """Sort key of a version; a release comes after its pre-releases."""
    numbers, pre = parse(text)
    return (numbers, not pre, [part_key(part) for part in pre])


def compare(a, b):
    """-1, 0 or 1, as a comes before, with or after b."""
    key_a, key_b = key(a), key(b)
    return (key_a > key_b) - (key_a < key_b)


def latest(versions, pre_releases=False):
    """The highest version, or None if there is none to choose from."""
    allowed = [version for version in versions if pre_releases or not parse(version)[1]]
    return max(allowed, key=key, default=None)


def bump(text, level):
    """The next release at a level: 'major', 'minor' or 'patch'."""
    (major, minor, patch), pre = parse(text)
    if level == "major":
        return "%d.0.0" % (major + 1)
    if level == "minor":
        return "%d.%d.0" % (major, minor + 1)
    if level == "patch":
        return "%d.%d.%d" % (major, minor, patch if pre else patch + 1)
    raise ValueError("unknown level: " + level)
''',
        wrong="return (0, 0, part)",
        right='return (0, int(part), "")',
        visible=r"""
def test_numbers():
    assert compare("1.10.0", "1.9.3") == 1
    assert compare("2.0.0", "10.0.0") == -1


def test_release_after_pre_release():
    assert compare("1.0.0-rc.1", "1.0.0") == -1


def test_build_is_ignored():
    assert compare("1.0.0+linux", "1.0.0+mac") == 0


def test_pre_release_numbers():
    assert compare("1.0.0-beta.2", "1.0.0-beta.11") == -1
    assert compare("1.0.0-beta.2", "1.0.0-beta.3") == -1


def test_numbers_before_words():
    assert compare("1.0.0-alpha.1", "1.0.0-alpha.beta") == -1


def test_latest():
    versions = ["0.9.0", "1.0.0-rc.1", "0.10.0"]
    assert latest(versions) == "0.10.0"
    assert latest(versions, pre_releases=True) == "1.0.0-rc.1"
""",
        hidden=r"""
def test_order_of_the_specification():
    chain = [
        "1.0.0-1", "1.0.0-9", "1.0.0-10", "1.0.0-100.2", "1.0.0-100.11", "1.0.0-alpha", "1.0.0-alpha.1",
        "1.0.0-alpha.9", "1.0.0-alpha.10", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
        "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1-0", "1.0.1",
    ]
    for i, a in enumerate(chain):
        for j, b in enumerate(chain):
            assert compare(a, b) == (i > j) - (i < j), (a, b)


def test_all_pre_release_numbers():
    for a in range(0, 130, 3):
        for b in range(0, 130, 7):
            assert compare("2.1.0-rc.%d" % a, "2.1.0-rc.%d" % b) == (a > b) - (a < b)


def test_latest_of_many():
    import random
    rng = random.Random(81)
    versions = ["3.0.0-dev.%d" % n for n in range(1, 120)]
    for _ in range(20):
        chosen = rng.sample(range(len(versions)), 15)
        assert latest([versions[n] for n in chosen], True) == versions[max(chosen)]
    assert latest(versions) is None


def test_words_with_digits_stay_words():
    assert compare("1.0.0-rc10", "1.0.0-rc9") == -1
    assert compare("1.0.0-x.7", "1.0.0-x.07a") == -1
    assert compare("1.0.0-99", "1.0.0--1") == -1
""",
    ),
    # ---------------------------------------------------------------- arithmetic
    Program(
        name="loan_schedule",
        code=r'''"""Repayment plans for loans, in whole cents."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One month of a plan."""

    month: int
    payment: int
    interest: int
    balance: int


def monthly_interest(balance, percent):
    """A month of interest at a yearly rate, rounded half up."""
    return int(balance * percent / 1200 + 0.5)


def schedule(principal, percent, payment):
    """Pay a loan back at a fixed payment; the last payment may be smaller."""
    if payment <= monthly_interest(principal, percent):
        raise ValueError("payment does not cover the interest")
    rows = []
    balance = principal
    while balance > 0:
        interest = monthly_interest(balance, percent)
        paid = min(payment, balance)
        balance += interest - paid
        rows.append(Row(len(rows) + 1, paid, interest, balance))
    return rows


def total_interest(rows):
    """All interest of a plan."""
    return sum(row.interest for row in rows)


def balance_after(rows, principal, months):
    """What is still owed after some months."""
    if months == 0:
        return principal
    if months > len(rows):
        return 0
    return rows[months - 1].balance


def least_payment(principal, percent, months):
    """The least payment that repays the loan within some months."""
    low, high = monthly_interest(principal, percent) + 1, 2 * principal
    while low < high:
        middle = (low + high) // 2
        if len(schedule(principal, percent, middle)) <= months:
            high = middle
        else:
            low = middle + 1
    return low
''',
        wrong="min(payment, balance)",
        right="min(payment, balance + interest)",
        visible=r"""
def test_monthly_interest():
    assert monthly_interest(120000, 5) == 500
    assert monthly_interest(1000, 6) == 5


def test_without_interest():
    rows = schedule(1000, 0, 400)
    assert [row.payment for row in rows] == [400, 400, 200]
    assert rows[-1].balance == 0


def test_first_month():
    row = schedule(100000, 12, 10000)[0]
    assert row == Row(1, 10000, 1000, 91000)


def test_last_payment_includes_interest():
    rows = schedule(10000, 12, 6000)
    assert [row.payment for row in rows] == [6000, 4141]
    assert total_interest(rows) == 141


def test_payment_too_small():
    with pytest.raises(ValueError):
        schedule(100000, 12, 1000)


def test_balance_after():
    rows = schedule(1000, 0, 300)
    assert [balance_after(rows, 1000, n) for n in range(6)] == [1000, 700, 400, 100, 0, 0]
""",
        hidden=r"""
def test_books_balance():
    for principal in (1000, 25000, 99999, 1234567):
        for percent in (0, 1, 4.5, 12, 30):
            for share in (2, 3, 7, 20):
                payment = principal // share
                rows = schedule(principal, percent, payment)
                assert sum(row.payment for row in rows) == principal + total_interest(rows)
                assert all(row.payment == payment for row in rows[:-1])
                assert 0 < rows[-1].payment <= payment
                assert rows[-1].balance == 0
                assert [row.month for row in rows] == list(range(1, len(rows) + 1))


def test_each_row_follows():
    for percent in (3, 9, 24):
        balance = 500000
        for row in schedule(500000, percent, 33333):
            assert row.interest == monthly_interest(balance, percent)
            assert row.payment == min(33333, balance + row.interest)
            balance += row.interest - row.payment
            assert row.balance == balance


def test_pay_everything_at_once():
    rows = schedule(10000, 12, 10100)
    assert rows == [Row(1, 10100, 100, 0)]
    assert schedule(10000, 12, 20000) == [Row(1, 10100, 100, 0)]
    assert [row.payment for row in schedule(10000, 12, 10099)] == [10099, 1]


def test_least_payment():
    for months in (1, 2, 5, 12):
        payment = least_payment(60000, 12, months)
        assert len(schedule(60000, 12, payment)) <= months
        assert len(schedule(60000, 12, payment - 1)) > months
    assert least_payment(60000, 12, 1) == 60600
""",
    ),
    Program(
        name="iso_week_numbers",
        code=r'''"""Week numbers by ISO 8601, computed without the datetime module."""

MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_leap(year):
    """Whether a year has 366 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def day_of_year(year, month, day):
    """The number of a day in its year, from 1."""
    before = sum(MONTH_DAYS[:month - 1])
    if month > 2 and is_leap(year):
        before += 1
    return before + day


def weekday_of_december_31(year):
    """Day of the week of the last day of a year; Sunday is 0."""
    return (year + year // 4 - year // 100 + year // 400) % 7


def weekday(year, month, day):
    """Day of the week, from Monday = 1 to Sunday = 7."""
    number = weekday_of_december_31(year - 1) + day_of_year(year, month, day)
    return (number - 1) % 7 + 1


def weeks_in_year(year):
    """52 or 53: the year is long if it ends or began on a Thursday."""
    if weekday_of_december_31(year) == 4 or weekday_of_december_31(year - 1) == 3:
        return 53
    return 52


def iso_date(year, month, day):
    """The ISO year, week and weekday of a date."""
    on = weekday(year, month, day)
    week = (day_of_year(year, month, day) - on + 10) // 7
    if week == 0:
        return year - 1, weeks_in_year(year), on
    if week > weeks_in_year(year):
        return year + 1, 1, on
    return year, week, on


def week_label(year, month, day):
    """A label such as 2024-W07."""
    iso_year, week, _ = iso_date(year, month, day)
    return "%d-W%02d" % (iso_year, week)
''',
        wrong="return year - 1, weeks_in_year(year), on",
        right="return year - 1, weeks_in_year(year - 1), on",
        visible=r"""
def test_day_of_year():
    assert day_of_year(2023, 12, 31) == 365
    assert day_of_year(2024, 3, 1) == 61


def test_weekday():
    assert weekday(2024, 2, 29) == 4
    assert weekday(2000, 1, 1) == 6


def test_middle_of_the_year():
    assert iso_date(2024, 7, 1) == (2024, 27, 1)
    assert week_label(2024, 2, 14) == "2024-W07"


def test_end_of_december_in_next_year():
    assert iso_date(2024, 12, 30) == (2025, 1, 1)


def test_start_of_january_in_old_year():
    assert iso_date(2023, 1, 1) == (2022, 52, 7)
    assert iso_date(2021, 1, 3) == (2020, 53, 7)


def test_long_years():
    assert [y for y in range(2000, 2030) if weeks_in_year(y) == 53] == [2004, 2009, 2015, 2020, 2026]
""",
        hidden=r"""
def test_every_new_year():
    import datetime
    for year in range(1901, 2200):
        for month, day in ((1, 1), (1, 2), (1, 3), (1, 4), (12, 28), (12, 29), (12, 30), (12, 31)):
            want = tuple(datetime.date(year, month, day).isocalendar())
            assert iso_date(year, month, day) == want


def test_every_day_of_some_years():
    import datetime
    for year in (1999, 2000, 2009, 2010, 2015, 2016, 2021, 2100):
        date = datetime.date(year, 1, 1)
        while date.year == year:
            assert iso_date(date.year, date.month, date.day) == tuple(date.isocalendar())
            date += datetime.timedelta(1)


def test_long_and_short_old_year():
    assert iso_date(2010, 1, 3) == (2009, 53, 7)
    assert iso_date(2016, 1, 1) == (2015, 53, 5)
    assert iso_date(2027, 1, 1) == (2026, 53, 5)
    assert iso_date(2011, 1, 1) == (2010, 52, 6)
    assert iso_date(2012, 1, 1) == (2011, 52, 7)


def test_weeks_follow_each_other():
    import datetime
    date = datetime.date(1995, 1, 2)
    before = iso_date(1995, 1, 2)
    for _ in range(2000):
        date += datetime.timedelta(7)
        now = iso_date(date.year, date.month, date.day)
        assert now == (before[0], before[1] + 1, 1) or (now == (before[0] + 1, 1, 1) and before[1] >= 52)
        sunday = date + datetime.timedelta(6)
        assert iso_date(sunday.year, sunday.month, sunday.day) == now[:2] + (7,)
        before = now
""",
    ),
    Program(
        name="polygon_centroid",
        code=r'''"""Areas, centroids and inside tests of simple polygons with exact numbers."""

from fractions import Fraction


def edges(points):
    """The pairs of neighbouring corners."""
    return zip(points, points[1:] + points[:1])


def signed_area(points):
    """The area, positive if the corners run counter-clockwise."""
    doubled = sum(ax * by - bx * ay for (ax, ay), (bx, by) in edges(points))
    return Fraction(doubled, 2)


def area(points):
    """The area as a positive number."""
    return abs(signed_area(points))


def centroid(points):
    """The centre of gravity of the area."""
    sum_x = sum_y = Fraction(0)
    for (ax, ay), (bx, by) in edges(points):
        cross = ax * by - bx * ay
        sum_x += (ax + bx) * cross
        sum_y += (ay + by) * cross
    scale = 6 * area(points)
    return sum_x / scale, sum_y / scale


def contains(points, x, y):
    """Whether a point that is on no edge lies inside."""
    inside = False
    for (ax, ay), (bx, by) in edges(points):
        if (ay > y) != (by > y):
            crossing = ax + Fraction((y - ay) * (bx - ax), by - ay)
            if x < crossing:
                inside = not inside
    return inside


def moved(points, dx, dy):
    """The polygon shifted."""
    return [(x + dx, y + dy) for x, y in points]


def is_convex(points):
    """Whether all corners turn the same way."""
    turns = set()
    for (ax, ay), (bx, by), (cx, cy) in zip(points, points[1:] + points[:1], points[2:] + points[:2]):
        turn = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
        if turn:
            turns.add(turn > 0)
    return len(turns) == 1
''',
        wrong="scale = 6 * area(points)",
        right="scale = 6 * signed_area(points)",
        visible=r"""
SQUARE = [(0, 0), (2, 0), (2, 2), (0, 2)]


def test_area():
    assert area(SQUARE) == 4
    assert area([(0, 0), (0, 3), (4, 0)]) == 6


def test_signed_area():
    assert signed_area(SQUARE) == 4
    assert signed_area(SQUARE[::-1]) == -4


def test_centroid_of_square():
    assert centroid(SQUARE) == (1, 1)
    assert centroid(moved(SQUARE, 5, -3)) == (6, -2)


def test_centroid_of_triangle():
    assert centroid([(0, 0), (0, 3), (3, 0)]) == (1, 1)


def test_contains():
    assert contains(SQUARE, 1, 1)
    assert not contains(SQUARE, 3, 1)


def test_is_convex():
    assert is_convex(SQUARE)
    assert not is_convex([(0, 0), (4, 0), (1, 1), (0, 4)])
""",
        hidden=r"""
def test_triangles_both_ways():
    import random
    rng = random.Random(91)
    done = 0
    while done < 200:
        points = [(rng.randrange(-9, 10), rng.randrange(-9, 10)) for _ in range(3)]
        if signed_area(points) == 0:
            continue
        done += 1
        want = (Fraction(sum(x for x, _ in points), 3), Fraction(sum(y for _, y in points), 3))
        assert centroid(points) == want
        assert centroid(points[::-1]) == want


def test_l_shape():
    shape = [(0, 0), (4, 0), (4, 2), (2, 2), (2, 6), (0, 6)]
    want = (Fraction(8 * 2 + 8 * 1, 16), Fraction(8 * 1 + 8 * 4, 16))
    for start in range(6):
        turned = shape[start:] + shape[:start]
        assert centroid(turned) == want
        assert centroid(turned[::-1]) == want


def test_shift():
    shape = [(0, 0), (1, 5), (3, 4), (7, 6), (5, -2)]
    x, y = centroid(shape)
    for dx in range(-10, 11, 5):
        for dy in range(-10, 11, 5):
            assert centroid(moved(shape, dx, dy)) == (x + dx, y + dy)
            assert centroid(moved(shape[::-1], dx, dy)) == (x + dx, y + dy)


def test_centroid_of_convex_is_inside():
    for shape in ([(0, 0), (1, 3), (4, 4), (5, 1)], [(-5, -5), (-6, -2), (-1, -1)], [(2, 9), (9, 9), (9, 2)]):
        assert is_convex(shape)
        assert contains(shape, *centroid(shape))
        assert contains(shape[::-1], *centroid(shape[::-1]))
""",
    ),
    Program(
        name="continued_fractions",
        code=r'''"""Continued fractions and the best approximations they give."""

from fractions import Fraction


def expand(number):
    """The terms of the continued fraction of a Fraction."""
    terms = []
    top, bottom = number.numerator, number.denominator
    while bottom:
        whole, rest = divmod(top, bottom)
        terms.append(whole)
        top, bottom = bottom, rest
    return terms


def value(terms):
    """The number that has these terms."""
    result = Fraction(terms[-1])
    for term in reversed(terms[:-1]):
        result = term + 1 / result
    return result


def convergents(terms):
    """The values of the first terms, the first two terms, and so on."""
    found = []
    top, bottom = 1, 0
    old_top, old_bottom = 0, 1
    for term in terms:
        top, old_top = term * top + old_top, top
        bottom, old_bottom = term * bottom + old_bottom, bottom
        found.append(Fraction(top, bottom))
    return found


def approximate(number, limit):
    """The fraction nearest to a number among those with a denominator up to limit."""
    if number.denominator <= limit:
        return number
    top, bottom = 1, 0
    old_top, old_bottom = 0, 1
    for term in expand(number):
        if term * bottom + old_bottom > limit:
            break
        top, old_top = term * top + old_top, top
        bottom, old_bottom = term * bottom + old_bottom, bottom
    steps = (limit - bottom) // bottom
    between = Fraction(old_top + steps * top, old_bottom + steps * bottom)
    nearest = Fraction(top, bottom)
    if abs(between - number) < abs(nearest - number):
        return between
    return nearest


def gear_ratio(ratio, teeth):
    """Teeth of two wheels, none with more than `teeth`, for a ratio below 1."""
    best = approximate(ratio, teeth)
    return best.numerator, best.denominator
''',
        wrong="steps = (limit - bottom) // bottom",
        right="steps = (limit - old_bottom) // bottom",
        visible=r"""
PI = Fraction(314159265, 100000000)


def test_expand():
    assert expand(Fraction(415, 93)) == [4, 2, 6, 7]
    assert expand(Fraction(-7, 2)) == [-4, 2]


def test_value():
    assert value([4, 2, 6, 7]) == Fraction(415, 93)


def test_convergents():
    assert convergents(expand(PI))[:3] == [3, Fraction(22, 7), Fraction(333, 106)]


def test_approximate_convergents():
    assert approximate(PI, 10) == Fraction(22, 7)
    assert approximate(PI, 1000) == Fraction(355, 113)


def test_approximate_between():
    assert approximate(PI, 100) == Fraction(311, 99)
    assert approximate(PI, 60) == Fraction(179, 57)


def test_exact():
    assert approximate(Fraction(3, 8), 8) == Fraction(3, 8)
""",
        hidden=r"""
def test_against_library():
    import random
    rng = random.Random(101)
    for _ in range(600):
        number = Fraction(rng.randrange(1, 3000), rng.randrange(1, 3000))
        for limit in (1, 2, 3, 5, 10, 37, 100, 999):
            assert approximate(number, limit) == number.limit_denominator(limit)


def test_brute_force():
    for top in range(1, 40, 3):
        for bottom in range(top + 1, 60, 4):
            number = Fraction(top, bottom)
            for limit in range(1, 14):
                got = approximate(number, limit)
                assert got.denominator <= limit
                best = min(abs(Fraction(round(number * d), d) - number) for d in range(1, limit + 1))
                assert abs(got - number) == best


def test_limits_in_a_row():
    number = Fraction(2718281828, 1000000000)
    for limit in range(1, 300):
        assert approximate(number, limit) == number.limit_denominator(limit)


def test_gears():
    assert gear_ratio(Fraction(7071, 10000), 50) == (29, 41)
    assert gear_ratio(Fraction(1, 1000), 600) == (1, 600)
    assert gear_ratio(Fraction(1, 1000), 400) == (0, 1)
""",
    ),
    Program(
        name="mergeable_moments",
        code=r'''"""Mean and variance of streams of numbers, which can be computed in parts."""

from fractions import Fraction
from math import sqrt


class Moments:
    """Count, mean and sum of squared deviations of some numbers."""

    def __init__(self, numbers=()):
        self.count = 0
        self.mean = Fraction(0)
        self.squares = Fraction(0)
        for number in numbers:
            self.add(number)

    def add(self, number):
        """Take in a number."""
        self.count += 1
        before = number - self.mean
        self.mean += before / self.count
        self.squares += before * (number - self.mean)

    def remove(self, number):
        """Take out a number that was added earlier."""
        if self.count == 0:
            raise ValueError("nothing to remove")
        if self.count == 1:
            self.__init__()
            return
        before = number - self.mean
        self.count -= 1
        self.mean -= before / self.count
        self.squares -= before * (number - self.mean)

    def merged(self, other):
        """The moments of both sets of numbers together."""
        result = Moments()
        result.count = self.count + other.count
        if result.count == 0:
            return result
        apart = other.mean - self.mean
        result.mean = self.mean + apart * other.count / result.count
        between = apart * apart * other.count / result.count
        result.squares = self.squares + other.squares + between
        return result

    def variance(self, sample=False):
        """The variance of the numbers, or the estimate from a sample."""
        divisor = self.count - 1 if sample else self.count
        if divisor < 1:
            raise ValueError("too few numbers")
        return self.squares / divisor

    def deviation(self):
        """The standard deviation."""
        return sqrt(self.variance())
''',
        wrong="between = apart * apart * other.count / result.count",
        right="between = apart * apart * self.count * other.count / result.count",
        visible=r"""
def test_mean_and_variance():
    moments = Moments([2, 4, 4, 4, 5, 5, 7, 9])
    assert moments.mean == 5
    assert moments.variance() == 4
    assert moments.deviation() == 2.0


def test_sample_variance():
    assert Moments([1, 2, 3]).variance(sample=True) == 1


def test_remove():
    moments = Moments([1, 5, 9])
    moments.remove(9)
    assert moments.mean == 3
    assert moments.variance() == 4


def test_merge_singles():
    both = Moments([1]).merged(Moments([3]))
    assert both.mean == 2
    assert both.variance() == 1


def test_merge():
    both = Moments([1, 2, 3]).merged(Moments([7, 8, 9]))
    assert both.count == 6
    assert both.mean == 5
    assert both.squares == 58


def test_too_few():
    with pytest.raises(ValueError):
        Moments([4]).variance(sample=True)
""",
        hidden=r"""
def test_merge_random():
    import random
    rng = random.Random(111)
    for _ in range(300):
        a = [rng.randrange(-20, 20) for _ in range(rng.randrange(8))]
        b = [rng.randrange(-20, 20) for _ in range(rng.randrange(8))]
        got = Moments(a).merged(Moments(b))
        want = Moments(a + b)
        assert (got.count, got.mean, got.squares) == (want.count, want.mean, want.squares)


def test_merge_is_symmetric():
    import random
    rng = random.Random(112)
    for _ in range(100):
        a = Moments(rng.randrange(50) for _ in range(rng.randrange(1, 9)))
        b = Moments(rng.randrange(50) for _ in range(rng.randrange(1, 9)))
        one, two = a.merged(b), b.merged(a)
        assert (one.count, one.mean, one.squares) == (two.count, two.mean, two.squares)


def test_merge_many():
    from statistics import pvariance
    data = [Fraction(n * n % 37) for n in range(60)]
    total = Moments()
    for start in range(0, 60, 7):
        total = total.merged(Moments(data[start:start + 7]))
    assert total.count == 60
    assert total.variance() == pvariance(data)


def test_merge_with_nothing():
    some = Moments([3, 8, 8])
    for both in (some.merged(Moments()), Moments().merged(some)):
        assert (both.count, both.mean, both.squares) == (some.count, some.mean, some.squares)
    assert Moments().merged(Moments()).count == 0


def test_merge_then_remove():
    both = Moments([4, 10]).merged(Moments([1, 1, 7]))
    both.remove(10)
    both.remove(1)
    want = Moments([4, 1, 7])
    assert (both.mean, both.squares) == (want.mean, want.squares)
""",
    ),
    Program(
        name="exact_linear_solver",
        code=r'''"""Solve systems of linear equations exactly."""

from fractions import Fraction


def augmented(matrix, right):
    """The rows of the matrix with the right sides appended."""
    return [[Fraction(entry) for entry in row] + [Fraction(side)] for row, side in zip(matrix, right)]


def pivot_row(rows, column):
    """The first row from the diagonal down with an entry in the column."""
    for number in range(column, len(rows)):
        if rows[number][column] != 0:
            return number
    return None


def subtract(row, other, factor):
    """row minus factor times other."""
    return [a - factor * b for a, b in zip(row, other)]


def solve(matrix, right):
    """The only solution of a square system; ValueError if there is not just one."""
    rows = augmented(matrix, right)
    for column in range(len(rows)):
        pivot = pivot_row(rows, column)
        if pivot is None:
            raise ValueError("singular matrix")
        rows[column], rows[pivot] = rows[pivot], rows[column]
        lead = rows[column][column]
        rows[column] = [entry / lead for entry in rows[column]]
        for number in range(len(rows)):
            if number > column:
                rows[number] = subtract(rows[number], rows[column], rows[number][column])
    return [row[-1] for row in rows]


def times(matrix, vector):
    """The product of a matrix and a vector."""
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def inverse(matrix):
    """The inverse matrix, found column by column."""
    size = len(matrix)
    columns = []
    for column in range(size):
        unit = [1 if row == column else 0 for row in range(size)]
        columns.append(solve(matrix, unit))
    return [list(row) for row in zip(*columns)]


def through_points(points):
    """The coefficients, lowest first, of the polynomial through points."""
    matrix = [[x ** power for power in range(len(points))] for x, _ in points]
    return solve(matrix, [y for _, y in points])
''',
        wrong="if number > column:",
        right="if number != column:",
        visible=r"""
def test_one_equation():
    assert solve([[4]], [2]) == [Fraction(1, 2)]


def test_lower_triangle():
    assert solve([[2, 0], [3, 1]], [4, 7]) == [2, 1]


def test_two_equations():
    assert solve([[1, 1], [1, -1]], [10, 4]) == [7, 3]


def test_needs_row_swap():
    assert solve([[0, 2], [5, 0]], [6, 10]) == [2, 3]


def test_singular():
    with pytest.raises(ValueError):
        solve([[1, 2], [2, 4]], [1, 2])


def test_through_points():
    assert through_points([(0, 1), (1, 2), (2, 5)]) == [1, 0, 1]
""",
        hidden=r"""
def test_random_systems():
    import random
    rng = random.Random(121)
    solved = 0
    for _ in range(300):
        size = rng.randrange(1, 6)
        matrix = [[rng.randrange(-4, 5) for _ in range(size)] for _ in range(size)]
        wanted = [Fraction(rng.randrange(-9, 10), rng.randrange(1, 5)) for _ in range(size)]
        try:
            got = solve(matrix, times(matrix, wanted))
        except ValueError:
            continue
        solved += 1
        assert got == wanted
    assert solved > 150


def test_inverse():
    import random
    rng = random.Random(122)
    for size in range(1, 6):
        matrix = [[rng.randrange(-3, 4) + (10 if i == j else 0) for j in range(size)] for i in range(size)]
        turned = inverse(matrix)
        for j in range(size):
            column = [row[j] for row in turned]
            assert times(matrix, column) == [1 if i == j else 0 for i in range(size)]


def test_polynomials():
    for coefficients in ([5], [1, 2], [0, -3, 4], [7, 0, 0, 2], [1, 1, 1, 1, 1]):
        points = [(x, sum(c * x ** k for k, c in enumerate(coefficients))) for x in range(-1, len(coefficients) - 1)]
        assert through_points(points) == coefficients


def test_upper_triangle():
    assert solve([[1, 2, 3], [0, 1, 4], [0, 0, 2]], [14, 14, 6]) == [1, 2, 3]
""",
    ),
    Program(
        name="seat_apportionment",
        code=r'''"""Share seats among parties by their votes."""

from fractions import Fraction


def largest_remainder(votes, seats):
    """The method of Hamilton: whole quotas first, then the largest remainders."""
    total = sum(votes.values())
    won = {party: count * seats // total for party, count in votes.items()}
    by_remainder = sorted(votes, key=lambda party: (-(votes[party] * seats % total), party))
    left = seats - sum(won.values())
    for party in by_remainder[:left]:
        won[party] += 1
    return won


def dhondt_divisor(seats):
    """The divisors 1, 2, 3, ... favour large parties."""
    return seats + 1


def sainte_lague_divisor(seats):
    """The divisors 1, 3, 5, ... favour nobody."""
    return 2 * (seats + 1)


def highest_average(votes, seats, divisor):
    """Give seat after seat to the party with the highest quotient."""
    won = {party: 0 for party in votes}
    for _ in range(seats):
        party = min(votes, key=lambda name: (-Fraction(votes[name], divisor(won[name])), name))
        won[party] += 1
    return won


def apportion(votes, seats, method="hamilton", threshold=0):
    """Share seats; parties below a threshold in percent get none."""
    total = sum(votes.values())
    strong = {party: count for party, count in votes.items() if 100 * count >= threshold * total}
    if method == "hamilton":
        won = largest_remainder(strong, seats)
    elif method == "dhondt":
        won = highest_average(strong, seats, dhondt_divisor)
    elif method == "sainte-lague":
        won = highest_average(strong, seats, sainte_lague_divisor)
    else:
        raise ValueError("unknown method: " + method)
    return {party: won.get(party, 0) for party in votes}


def majority(won):
    """The party with more than half of the seats, or None."""
    for party, seats in won.items():
        if 2 * seats > sum(won.values()):
            return party
    return None
''',
        wrong="return 2 * (seats + 1)",
        right="return 2 * seats + 1",
        visible=r"""
VOTES = {"A": 53000, "B": 24000, "C": 23000}


def test_hamilton():
    assert apportion(VOTES, 7) == {"A": 4, "B": 2, "C": 1}


def test_dhondt():
    assert apportion(VOTES, 7, "dhondt") == {"A": 4, "B": 2, "C": 1}


def test_sainte_lague():
    assert apportion(VOTES, 7, "sainte-lague") == {"A": 3, "B": 2, "C": 2}


def test_sainte_lague_single_seat():
    assert apportion(VOTES, 1, "sainte-lague") == {"A": 1, "B": 0, "C": 0}


def test_threshold():
    votes = {"A": 60, "B": 36, "C": 4}
    assert apportion(votes, 10, "dhondt", threshold=5) == {"A": 6, "B": 4, "C": 0}


def test_majority():
    assert majority({"A": 3, "B": 2}) == "A"
    assert majority({"A": 2, "B": 2}) is None
""",
        hidden=r"""
def by_list(votes, seats):
    quotients = [(-Fraction(v, d), p) for p, v in votes.items() for d in range(1, 2 * seats + 2, 2)]
    won = {p: 0 for p in votes}
    for _, p in sorted(quotients)[:seats]:
        won[p] += 1
    return won


def test_sainte_lague_against_sorted_quotients():
    import random
    rng = random.Random(131)
    for _ in range(200):
        votes = {p: rng.randrange(1, 5000) for p in "ABCDE"[:rng.randrange(1, 6)]}
        for seats in (1, 2, 5, 9, 20):
            assert apportion(votes, seats, "sainte-lague") == by_list(votes, seats)


def test_divisors():
    assert [sainte_lague_divisor(n) for n in range(6)] == [1, 3, 5, 7, 9, 11]
    assert [dhondt_divisor(n) for n in range(4)] == [1, 2, 3, 4]


def test_small_parties_do_better_than_with_dhondt():
    votes = {"big": 600, "small": 130, "other": 120, "last": 110}
    assert apportion(votes, 6, "dhondt") == {"big": 5, "small": 1, "other": 0, "last": 0}
    assert apportion(votes, 6, "sainte-lague") == {"big": 3, "small": 1, "other": 1, "last": 1}


def test_threshold_with_sainte_lague():
    votes = {"A": 500, "B": 300, "C": 160, "D": 40}
    assert apportion(votes, 6, "sainte-lague", threshold=5) == {"A": 3, "B": 2, "C": 1, "D": 0}
    assert apportion({"A": 70, "B": 30}, 3, "sainte-lague") == {"A": 2, "B": 1}
    assert apportion({"A": 78, "B": 22}, 3, "sainte-lague") == {"A": 2, "B": 1}
""",
    ),
    # ---------------------------------------------------------------- graphs
    Program(
        name="project_slack",
        code=r'''"""Project planning by the critical path method."""


class Project:
    """Tasks with durations and the tasks they wait for."""

    def __init__(self):
        self.durations = {}
        self.needs = {}

    def task(self, name, duration, *needs):
        """Add a task that starts when all it needs is done."""
        self.durations[name] = duration
        self.needs[name] = needs

    def order(self):
        """The tasks in an order that respects what they need."""
        done, busy, ordered = set(), set(), []

        def visit(name):
            if name in done:
                return
            if name in busy:
                raise ValueError("tasks wait for each other: " + name)
            busy.add(name)
            for other in self.needs[name]:
                visit(other)
            done.add(name)
            ordered.append(name)

        for name in self.durations:
            visit(name)
        return ordered

    def earliest(self):
        """The earliest start of each task."""
        start = {}
        for name in self.order():
            start[name] = max((start[other] + self.durations[other] for other in self.needs[name]), default=0)
        return start

    def length(self):
        """When the whole project can be finished."""
        return max((start + self.durations[name] for name, start in self.earliest().items()), default=0)

    def latest(self):
        """The latest start of each task that does not delay the project."""
        early = self.earliest()
        start = {}
        for name in reversed(self.order()):
            limits = [start[other] for other in start if name in self.needs[other]]
            end = min(limits, default=early[name] + self.durations[name])
            start[name] = end - self.durations[name]
        return start

    def slack(self):
        """By how much each task may be late."""
        early, late = self.earliest(), self.latest()
        return {name: late[name] - early[name] for name in self.durations}

    def critical(self):
        """The tasks without slack, in order of their start."""
        early, slack = self.earliest(), self.slack()
        return sorted((name for name in slack if slack[name] == 0), key=lambda name: (early[name], name))
''',
        wrong="default=early[name] + self.durations[name])",
        right="default=self.length())",
        visible=r"""
def house():
    project = Project()
    project.task("plan", 2)
    project.task("dig", 3, "plan")
    project.task("walls", 5, "dig")
    project.task("roof", 4, "walls")
    return project


def test_earliest():
    assert house().earliest() == {"plan": 0, "dig": 2, "walls": 5, "roof": 10}
    assert house().length() == 14


def test_chain_is_critical():
    assert house().critical() == ["plan", "dig", "walls", "roof"]


def test_slack_in_the_middle():
    project = house()
    project.task("order windows", 1, "plan")
    project.task("windows", 2, "walls", "order windows")
    project.task("paint", 3, "windows", "roof")
    assert project.slack()["order windows"] == 9
    assert project.slack()["windows"] == 2


def test_slack_of_a_last_task():
    project = house()
    project.task("garden", 4, "dig")
    assert project.slack()["garden"] == 5
    assert "garden" not in project.critical()


def test_circle():
    project = Project()
    project.task("a", 1, "b")
    project.task("b", 1, "a")
    with pytest.raises(ValueError):
        project.order()
""",
        hidden=r"""
def random_project(rng):
    project = Project()
    names = [chr(97 + n) for n in range(rng.randrange(1, 8))]
    for n, name in enumerate(names):
        project.task(name, rng.randrange(1, 7), *rng.sample(names[:n], rng.randrange(min(n, 3) + 1)))
    return project


def length_with_delay(project, late, by):
    end = {}
    for name in project.order():
        start = max((end[other] for other in project.needs[name]), default=0)
        end[name] = start + project.durations[name] + (by if name == late else 0)
    return max(end.values())


def test_slack_is_the_largest_harmless_delay():
    import random
    rng = random.Random(141)
    for _ in range(200):
        project = random_project(rng)
        for name, slack in project.slack().items():
            assert slack >= 0
            assert length_with_delay(project, name, slack) == project.length()
            assert length_with_delay(project, name, slack + 1) > project.length()


def test_tasks_alone():
    project = Project()
    for n in range(1, 8):
        project.task("t%d" % n, n)
    assert project.slack() == {"t%d" % n: 7 - n for n in range(1, 8)}
    assert project.critical() == ["t7"]
    assert project.latest() == {"t%d" % n: 7 - n for n in range(1, 8)}


def test_slack_spreads_back():
    project = Project()
    project.task("a", 1)
    project.task("b", 2, "a")
    project.task("c", 3, "b")
    project.task("long", 20)
    assert project.slack() == {"a": 14, "b": 14, "c": 14, "long": 0}
    assert project.critical() == ["long"]


def test_critical_path_fills_the_project():
    import random
    rng = random.Random(142)
    for _ in range(100):
        project = random_project(rng)
        late = project.latest()
        assert max(late[name] + project.durations[name] for name in late) == project.length()
        ends = [name for name in late if not any(name in needs for needs in project.needs.values())]
        assert all(late[name] + project.durations[name] == project.length() for name in ends)
""",
    ),
    Program(
        name="shift_matching",
        code=r'''"""Give each worker one shift they can do, for as many workers as possible."""


class Roster:
    """Workers with the shifts they can do, in order of preference."""

    def __init__(self):
        self.wishes = {}
        self.holder = {}

    def worker(self, name, *shifts):
        """Add a worker."""
        self.wishes[name] = list(shifts)

    def _place(self, name, tried):
        """Find a shift for a worker, moving others if needed."""
        for shift in self.wishes[name]:
            if shift in tried:
                continue
            tried.add(shift)
            other = self.holder.get(shift)
            if other is None or self._place(name, tried):
                self.holder[shift] = name
                return True
        return False

    def fill(self):
        """Assign shifts; gives a dict from worker to shift."""
        self.holder = {}
        for name in self.wishes:
            self._place(name, set())
        return {name: shift for shift, name in self.holder.items()}

    def idle(self):
        """The workers without a shift, in order of their names."""
        return sorted(set(self.wishes) - set(self.fill()))

    def open_shifts(self):
        """The shifts somebody could do that stay empty."""
        all_shifts = {shift for shifts in self.wishes.values() for shift in shifts}
        self.fill()
        return sorted(all_shifts - set(self.holder))

    def everyone_works(self):
        """Whether all workers get a shift."""
        return len(self.fill()) == len(self.wishes)

    def needed(self, name):
        """Whether fewer shifts would be filled without a worker."""
        others = Roster()
        others.wishes = {key: shifts for key, shifts in self.wishes.items() if key != name}
        return len(others.fill()) < len(self.fill())
''',
        wrong="or self._place(name, tried):",
        right="or self._place(other, tried):",
        visible=r"""
def test_first_wishes():
    roster = Roster()
    roster.worker("Ann", "early", "late")
    roster.worker("Bob", "late")
    assert roster.fill() == {"Ann": "early", "Bob": "late"}


def test_second_wish():
    roster = Roster()
    roster.worker("Ann", "early")
    roster.worker("Bob", "early", "night")
    assert roster.fill() == {"Ann": "early", "Bob": "night"}


def test_somebody_moves():
    roster = Roster()
    roster.worker("Ann", "early", "late")
    roster.worker("Bob", "early")
    assert roster.fill() == {"Ann": "late", "Bob": "early"}


def test_idle():
    roster = Roster()
    roster.worker("Ann", "early")
    roster.worker("Bob", "early")
    assert roster.idle() == ["Bob"]
    assert not roster.everyone_works()


def test_open_shifts():
    roster = Roster()
    roster.worker("Ann", "early", "late", "night")
    assert roster.open_shifts() == ["late", "night"]


def test_needed():
    roster = Roster()
    roster.worker("Ann", "early", "late")
    roster.worker("Bob", "early")
    roster.worker("Cid", "early")
    assert roster.needed("Ann")
    assert not roster.needed("Bob")
""",
        hidden=r"""
def best(wishes):
    if not wishes:
        return 0
    (first, *rest) = wishes
    most = best(rest)
    for shift in first:
        most = max(most, 1 + best([[s for s in w if s != shift] for w in rest]))
    return most


def test_most_workers():
    import random
    rng = random.Random(151)
    for _ in range(250):
        roster = Roster()
        for n in range(rng.randrange(1, 6)):
            roster.worker("w%d" % n, *rng.sample("abcde", rng.randrange(4)))
        got = roster.fill()
        assert len(set(got.values())) == len(got)
        assert all(shift in roster.wishes[name] for name, shift in got.items())
        assert len(roster.holder) == len(got)
        assert len(got) == best(list(roster.wishes.values()))


def test_long_chain():
    for length in range(1, 12):
        roster = Roster()
        for n in range(length):
            roster.worker("w%d" % n, n, n + 1)
        roster.worker("last", 0)
        assert roster.everyone_works()
        assert roster.fill()["last"] == 0
        assert roster.fill()["w0"] == 1


def test_no_worker_holds_two():
    roster = Roster()
    roster.worker("Ann", "a")
    roster.worker("Bob", "a", "b", "c")
    roster.worker("Cid", "a", "b")
    roster.worker("Dan", "c", "d")
    got = roster.fill()
    assert got == {"Ann": "a", "Bob": "c", "Cid": "b", "Dan": "d"}
    assert roster.open_shifts() == []
    assert roster.idle() == []


def test_nobody_can_move():
    roster = Roster()
    for name in ("a", "b", "c"):
        roster.worker(name, "x", "y")
    assert len(roster.fill()) == 2
    assert roster.idle() == ["c"]
    assert not any(roster.needed(name) for name in "abc")
""",
    ),
    Program(
        name="network_bridges",
        code=r'''"""Find the cables whose failure splits a network."""


class Network:
    """Stations joined by cables; there may be several between two stations."""

    def __init__(self):
        self.cables = []
        self.at = {}

    def station(self, name):
        """Make a station known."""
        self.at.setdefault(name, [])

    def cable(self, a, b):
        """Join two stations."""
        self.station(a)
        self.station(b)
        number = len(self.cables)
        self.cables.append((a, b))
        self.at[a].append((b, number))
        self.at[b].append((a, number))

    def bridges(self):
        """The cables that are the only way between their ends, in order of their numbers."""
        entered, low, found = {}, {}, []

        def visit(station, via):
            entered[station] = low[station] = len(entered)
            for other, number in self.at[station]:
                if number == via:
                    continue
                if other in entered:
                    low[station] = entered[other]
                    continue
                visit(other, number)
                low[station] = min(low[station], low[other])
                if low[other] > entered[station]:
                    found.append(number)

        for station in self.at:
            if station not in entered:
                visit(station, None)
        return [self.cables[number] for number in sorted(found)]

    def reachable(self, start):
        """All stations that can be reached from one."""
        seen, todo = {start}, [start]
        while todo:
            for other, _ in self.at[todo.pop()]:
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return seen

    def parts(self):
        """The number of parts the network has."""
        left, count = set(self.at), 0
        while left:
            left -= self.reachable(next(iter(left)))
            count += 1
        return count

    def is_robust(self):
        """Whether the network is in one part after any one failure."""
        return self.parts() <= 1 and not self.bridges()
''',
        wrong="low[station] = entered[other]",
        right="low[station] = min(low[station], entered[other])",
        visible=r"""
def make(*cables):
    network = Network()
    for a, b in cables:
        network.cable(a, b)
    return network


def test_line():
    assert make("ab", "bc").bridges() == [("a", "b"), ("b", "c")]


def test_ring():
    network = make("ab", "bc", "ca")
    assert network.bridges() == []
    assert network.is_robust()


def test_double_cable():
    assert make("ab", "ab", "bc").bridges() == [("b", "c")]


def test_two_rings():
    network = make("ab", "bc", "ca", "cd", "de", "ef", "fd")
    assert network.bridges() == [("c", "d")]


def test_ring_with_chord():
    network = make("ab", "bc", "cd", "da", "db")
    assert network.bridges() == []


def test_parts():
    network = make("ab", "cd")
    network.station("e")
    assert network.parts() == 3
    assert not network.is_robust()
""",
        hidden=r"""
def slow(cables, count):
    def parts(some):
        network = Network()
        for n in range(count):
            network.station(n)
        for a, b in some:
            network.cable(a, b)
        return network.parts()

    whole = parts(cables)
    return [c for k, c in enumerate(cables) if parts(cables[:k] + cables[k + 1:]) > whole]


def test_against_removal():
    import random
    rng = random.Random(161)
    for _ in range(400):
        count = rng.randrange(2, 8)
        cables = [tuple(rng.sample(range(count), 2)) for _ in range(rng.randrange(12))]
        network = Network()
        for n in range(count):
            network.station(n)
        for a, b in cables:
            network.cable(a, b)
        assert network.bridges() == slow(cables, count)


def test_complete_networks():
    for size in range(3, 9):
        network = Network()
        for a in range(size):
            for b in range(a):
                network.cable(a, b)
        assert network.bridges() == []
        assert network.is_robust()
        network.cable(0, "leaf")
        assert network.bridges() == [(0, "leaf")]


def test_ladder():
    for length in range(2, 9):
        network = Network()
        for n in range(length):
            network.cable(("l", n), ("r", n))
            if n:
                network.cable(("l", n), ("l", n - 1))
                network.cable(("r", n), ("r", n - 1))
        assert network.bridges() == []


def test_chords_in_any_order():
    from itertools import permutations
    for order in permutations([(0, 1), (1, 2), (2, 3), (3, 0), (1, 3)]):
        network = Network()
        for a, b in order:
            network.cable(a, b)
        assert network.is_robust()
""",
    ),
    Program(
        name="currency_exchange_steps",
        code=r'''"""Best ways to change money in a limited number of steps."""

from fractions import Fraction


class Market:
    """Offers to change one currency into another."""

    def __init__(self):
        self.offers = []

    def offer(self, source, target, rate):
        """Somebody gives `rate` units of target for one of source."""
        self.offers.append((source, target, Fraction(rate)))

    def currencies(self):
        """All currencies in alphabetical order."""
        return sorted({name for source, target, _ in self.offers for name in (source, target)})

    def after(self, source, steps):
        """The most of each currency that one unit of source becomes in at most some steps."""
        best = {source: Fraction(1)}
        for _ in range(steps):
            following = best
            for giving, getting, rate in self.offers:
                if giving in best:
                    amount = best[giving] * rate
                    if amount > following.get(getting, 0):
                        following[getting] = amount
            best = following
        return best

    def best_rate(self, source, target, steps):
        """The best rate between two currencies, or None if there is no way."""
        return self.after(source, steps).get(target)

    def fewest_steps(self, source, target):
        """The least number of steps that leads to a currency, or None."""
        for steps in range(len(self.currencies()) + 1):
            if target in self.after(source, steps):
                return steps
        return None

    def arbitrage(self):
        """The currencies that can be made more of by changing them around."""
        names = self.currencies()
        return [name for name in names if self.best_rate(name, name, len(names)) > 1]
''',
        wrong="following = best",
        right="following = dict(best)",
        visible=r"""
def make():
    market = Market()
    market.offer("EUR", "USD", "1.1")
    market.offer("USD", "GBP", "0.8")
    market.offer("EUR", "GBP", "0.85")
    return market


def test_currencies():
    assert make().currencies() == ["EUR", "GBP", "USD"]


def test_direct_rate():
    assert make().best_rate("EUR", "USD", 1) == Fraction("1.1")


def test_two_steps_are_better():
    assert make().best_rate("EUR", "GBP", 2) == Fraction("0.88")


def test_one_step_only():
    assert make().best_rate("EUR", "GBP", 1) == Fraction("0.85")


def test_no_way():
    assert make().best_rate("GBP", "EUR", 3) is None
    assert make().fewest_steps("GBP", "EUR") is None


def test_arbitrage():
    market = make()
    assert market.arbitrage() == []
    market.offer("GBP", "EUR", "1.2")
    assert market.arbitrage() == ["EUR", "GBP", "USD"]
""",
        hidden=r"""
def slow(offers, source, target, steps):
    best = Fraction(1) if source == target else None
    if steps:
        for giving, getting, rate in offers:
            if giving == source:
                rest = slow(offers, getting, target, steps - 1)
                if rest is not None and (best is None or rate * rest > best):
                    best = rate * rest
    return best


def test_against_all_ways():
    import random
    rng = random.Random(171)
    for _ in range(120):
        market = Market()
        for _ in range(rng.randrange(1, 8)):
            a, b = rng.sample("ABCD", 2)
            market.offer(a, b, Fraction(rng.randrange(1, 9), rng.randrange(1, 9)))
        for source in market.currencies():
            for target in market.currencies():
                for steps in range(4):
                    assert market.best_rate(source, target, steps) == slow(market.offers, source, target, steps)


def test_chain_in_both_orders():
    names = "ABCDEFG"
    pairs = list(zip(names, names[1:]))
    for order in (pairs, pairs[::-1]):
        market = Market()
        for a, b in order:
            market.offer(a, b, 2)
        for k, name in enumerate(names):
            assert market.fewest_steps("A", name) == k
            for steps in range(8):
                assert market.best_rate("A", name, steps) == (2 ** k if steps >= k else None)


def test_circle_grows_step_by_step():
    market = Market()
    market.offer("A", "B", 2)
    market.offer("B", "A", 1)
    assert [market.best_rate("A", "A", steps) for steps in range(7)] == [1, 1, 2, 2, 4, 4, 8]
    assert [market.best_rate("A", "B", steps) for steps in range(1, 6)] == [2, 2, 4, 4, 8]


def test_more_steps_never_worse():
    market = Market()
    for a, b, rate in (("X", "Y", "0.5"), ("Y", "Z", "3"), ("Z", "X", "0.6"), ("X", "Z", "1")):
        market.offer(a, b, rate)
    assert market.after("X", 0) == {"X": 1}
    assert market.after("X", 1) == {"X": 1, "Y": Fraction(1, 2), "Z": 1}
    assert market.after("X", 2) == {"X": 1, "Y": Fraction(1, 2), "Z": Fraction(3, 2)}
""",
    ),
    Program(
        name="street_sweeper_route",
        code=r'''"""A route through a town that uses each street exactly once."""


class Town:
    """Crossings joined by streets; streets may be doubled."""

    def __init__(self, streets=()):
        self.streets = []
        self.at = {}
        for a, b in streets:
            self.street(a, b)

    def street(self, a, b):
        """Add a street between two crossings."""
        number = len(self.streets)
        self.streets.append((a, b))
        self.at.setdefault(a, []).append((b, number))
        self.at.setdefault(b, []).append((a, number))

    def odd(self):
        """The crossings where an odd number of streets meet."""
        return sorted(name for name, ends in self.at.items() if len(ends) % 2)

    def connected(self):
        """Whether all streets hang together."""
        if not self.at:
            return True
        todo = [next(iter(self.at))]
        seen = set(todo)
        while todo:
            for other, _ in self.at[todo.pop()]:
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return len(seen) == len(self.at)

    def route(self):
        """The crossings in the order of a sweep, or None if there is none."""
        odd = self.odd()
        if len(odd) > 2 or not self.connected():
            return None
        if not self.streets:
            return []
        start = min(self.at)
        left = {name: list(ends) for name, ends in self.at.items()}
        used = set()
        stack, path = [start], []
        while stack:
            ends = left[stack[-1]]
            while ends and ends[-1][1] in used:
                ends.pop()
            if ends:
                other, number = ends.pop()
                used.add(number)
                stack.append(other)
            else:
                path.append(stack.pop())
        return path[::-1]

    def is_round_trip(self):
        """Whether the sweeper can end where it began."""
        return self.connected() and not self.odd()
''',
        wrong="start = min(self.at)",
        right="start = odd[0] if odd else min(self.at)",
        visible=r"""
def check(town):
    route = town.route()
    ways = sorted(tuple(sorted(pair)) for pair in zip(route, route[1:]))
    assert ways == sorted(tuple(sorted(street)) for street in town.streets)


def test_square():
    town = Town(["ab", "bc", "cd", "da"])
    assert town.is_round_trip()
    check(town)


def test_line():
    check(Town(["ab", "bc", "cd"]))


def test_house():
    town = Town(["ab", "bd", "dc", "ca", "ad", "bc", "ce", "de"])
    assert town.odd() == ["a", "b"]
    assert not town.is_round_trip()
    check(town)


def test_loop_with_tail():
    check(Town(["ab", "bc", "ca", "cd"]))
    check(Town(["ba", "ac", "cb", "cd", "de"]))


def test_too_many_odd_crossings():
    assert Town(["ab", "ac", "ad"]).route() is None


def test_two_towns():
    assert Town(["ab", "ab", "cd", "cd"]).route() is None
""",
        hidden=r"""
def sweep_ok(town):
    route = town.route()
    if len(route) != len(town.streets) + 1:
        return False
    ways = sorted(tuple(sorted(pair)) for pair in zip(route, route[1:]))
    return ways == sorted(tuple(sorted(street)) for street in town.streets)


def test_random_walks():
    import random
    rng = random.Random(181)
    for _ in range(400):
        walk = [rng.randrange(6)]
        for _ in range(rng.randrange(1, 14)):
            walk.append(rng.choice([n for n in range(6) if n != walk[-1]]))
        streets = list(zip(walk, walk[1:]))
        rng.shuffle(streets)
        town = Town(streets)
        assert sweep_ok(town)
        ends = {town.route()[0], town.route()[-1]}
        assert town.is_round_trip() == (walk[0] == walk[-1]) == (len(ends) == 1)
        if len(ends) == 2:
            assert ends == {walk[0], walk[-1]}


def test_line_through_the_first_name():
    for middle in range(1, 6):
        names = list(range(1, middle + 1)) + [0] + list(range(middle + 1, 8))
        town = Town(list(zip(names, names[1:])))
        assert sweep_ok(town)
        assert town.route() in (names, names[::-1])


def test_smallest_name_is_even():
    town = Town([("m", "a"), ("a", "z"), ("z", "m"), ("m", "q")])
    assert town.odd() == ["m", "q"]
    assert sweep_ok(town)
    assert {town.route()[0], town.route()[-1]} == {"m", "q"}


def test_round_trips_close():
    import random
    rng = random.Random(182)
    for _ in range(100):
        walk = [0]
        for _ in range(rng.randrange(2, 9)):
            walk.append(rng.choice([n for n in range(5) if n != walk[-1]]))
        if walk[-1] == 0:
            walk.append(3)
        town = Town(list(zip(walk, walk[1:])) + [(walk[-1], 0)])
        assert town.is_round_trip()
        assert sweep_ok(town)
        assert town.route()[0] == town.route()[-1]
""",
    ),
    Program(
        name="common_boss_lifting",
        code=r'''"""Questions about the bosses in a company, answered by binary lifting."""


class Company:
    """A tree of employees; the head is their own boss."""

    def __init__(self, head, bosses):
        """`bosses` maps all others to their bosses, bosses before their people."""
        self.depth = {head: 0}
        for name, boss in bosses.items():
            self.depth[name] = self.depth[boss] + 1
        self.levels = max(1, max(self.depth.values()).bit_length())
        self.up = [{head: head, **bosses}]
        for _ in range(1, self.levels):
            below = self.up[-1]
            self.up.append({name: below[below[name]] for name in below})

    def boss(self, name, steps=1):
        """The boss some steps up; the head if there are not so many."""
        steps = min(steps, self.depth[name])
        for level, table in enumerate(self.up):
            if steps >> level & 1:
                name = table[name]
        return name

    def common(self, a, b):
        """The lowest employee who is above, or is, both."""
        if self.depth[a] < self.depth[b]:
            a, b = b, a
        a = self.boss(a, self.depth[a] - self.depth[b])
        if a == b:
            return a
        for level in range(self.levels):
            if self.up[level][a] != self.up[level][b]:
                a, b = self.up[level][a], self.up[level][b]
        return self.up[0][a]

    def distance(self, a, b):
        """How many steps of the tree lie between two employees."""
        return self.depth[a] + self.depth[b] - 2 * self.depth[self.common(a, b)]

    def is_above(self, a, b):
        """Whether a is a boss of b, directly or not."""
        return a != b and self.common(a, b) == a

    def path(self, a, b):
        """The employees a message passes on its way from a to b."""
        top = self.common(a, b)
        first = [self.boss(a, n) for n in range(self.depth[a] - self.depth[top])]
        last = [self.boss(b, n) for n in range(self.depth[b] - self.depth[top])]
        return first + [top] + last[::-1]
''',
        wrong="for level in range(self.levels):",
        right="for level in reversed(range(self.levels)):",
        visible=r"""
def firm():
    return Company("eve", {
        "max": "eve", "kim": "eve", "bob": "max", "joe": "max", "pat": "kim",
        "lou": "bob", "tim": "lou", "sue": "pat", "ray": "sue",
    })


def test_boss():
    assert firm().boss("tim") == "lou"
    assert firm().boss("tim", 3) == "max"
    assert firm().boss("tim", 99) == "eve"


def test_common_of_colleagues():
    assert firm().common("bob", "joe") == "max"
    assert firm().common("lou", "joe") == "max"


def test_common_with_own_boss():
    assert firm().common("tim", "bob") == "bob"
    assert firm().is_above("bob", "tim")
    assert not firm().is_above("joe", "tim")


def test_common_far_away():
    assert firm().common("lou", "sue") == "eve"
    assert firm().common("tim", "ray") == "eve"


def test_distance_and_path():
    assert firm().distance("joe", "lou") == 3
    assert firm().path("joe", "lou") == ["joe", "max", "bob", "lou"]
    assert firm().distance("tim", "ray") == 8
""",
        hidden=r"""
def chain(bosses, name):
    names = [name]
    while names[-1] in bosses:
        names.append(bosses[names[-1]])
    return names


def test_random_companies():
    import random
    rng = random.Random(191)
    for _ in range(60):
        size = rng.randrange(2, 25)
        bosses = {n: rng.randrange(max(0, n - 3), n) for n in range(1, size)}
        company = Company(0, bosses)
        for a in range(size):
            for b in range(size):
                above_a, above_b = chain(bosses, a), chain(bosses, b)
                want = next(name for name in above_a if name in above_b)
                assert company.common(a, b) == want
                assert company.distance(a, b) == above_a.index(want) + above_b.index(want)


def test_two_long_branches():
    for length in range(1, 20):
        bosses = {}
        for side in "lr":
            for n in range(length):
                bosses[side, n] = (side, n - 1) if n else "top"
        company = Company("top", bosses)
        for n in range(length):
            assert company.common(("l", n), ("r", length - 1)) == "top"
            assert company.distance(("l", n), ("r", n)) == 2 * n + 2


def test_fork_at_each_depth():
    for fork in range(0, 12):
        for tail in range(1, 9):
            bosses = {n: n - 1 for n in range(1, fork + 1)}
            for side in "ab":
                for n in range(tail):
                    bosses[side, n] = (side, n - 1) if n else fork
            company = Company(0, bosses)
            assert company.common(("a", tail - 1), ("b", tail - 1)) == fork


def test_path():
    bosses = {1: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 1, 7: 6, 8: 7, 9: 8}
    company = Company(0, bosses)
    assert company.path(5, 9) == [5, 4, 3, 2, 1, 6, 7, 8, 9]
    assert company.path(9, 6) == [9, 8, 7, 6]
    assert company.path(4, 4) == [4]
""",
    ),
    # ---------------------------------------------------------------- state
    Program(
        name="library_holds",
        code=r'''"""Loans and reservations of one title in a library."""


class Title:
    """The copies of a book; returned copies are put aside for those who wait."""

    def __init__(self, copies):
        self.copies = copies
        self.loans = set()
        self.waiting = []
        self.aside = set()

    def free(self):
        """Copies on the shelf that anybody may take."""
        return self.copies - len(self.loans)

    def borrow(self, patron):
        """Lend a copy to a patron; False if there is none for them."""
        if patron in self.loans:
            raise ValueError("already has a copy")
        if patron in self.aside:
            self.aside.remove(patron)
        elif self.free() <= 0:
            return False
        elif patron in self.waiting:
            self.waiting.remove(patron)
        self.loans.add(patron)
        return True

    def reserve(self, patron):
        """Let a patron wait for a copy; gives the place in the queue, from 1."""
        if patron in self.loans or patron in self.aside:
            raise ValueError("nothing to wait for")
        if patron not in self.waiting:
            self.waiting.append(patron)
        place = self.waiting.index(patron) + 1
        self._serve()
        return place

    def bring_back(self, patron):
        """Take a copy back."""
        if patron not in self.loans:
            raise ValueError("has no copy")
        self.loans.remove(patron)
        self._serve()

    def cancel(self, patron):
        """End the reservation of a patron."""
        if patron in self.waiting:
            self.waiting.remove(patron)
        elif patron in self.aside:
            self.aside.remove(patron)
            self._serve()

    def _serve(self):
        """Put free copies aside for the first in the queue."""
        while self.waiting and self.free() > 0:
            self.aside.add(self.waiting.pop(0))
''',
        wrong="return self.copies - len(self.loans)",
        right="return self.copies - len(self.loans) - len(self.aside)",
        visible=r"""
def test_borrow_until_none_left():
    title = Title(2)
    assert title.borrow("ann")
    assert title.borrow("bob")
    assert not title.borrow("cid")
    assert title.free() == 0


def test_bring_back():
    title = Title(1)
    title.borrow("ann")
    title.bring_back("ann")
    assert title.free() == 1
    with pytest.raises(ValueError):
        title.bring_back("ann")


def test_places_in_the_queue():
    title = Title(1)
    title.borrow("ann")
    assert title.reserve("bob") == 1
    assert title.reserve("cid") == 2
    assert title.reserve("bob") == 1


def test_returned_copy_is_kept_for_the_first():
    title = Title(1)
    title.borrow("ann")
    title.reserve("bob")
    title.bring_back("ann")
    assert not title.borrow("dan")
    assert title.borrow("bob")


def test_cancel_passes_on():
    title = Title(1)
    title.borrow("ann")
    title.reserve("bob")
    title.reserve("cid")
    title.bring_back("ann")
    assert title.aside == {"bob"}
    title.cancel("bob")
    assert title.aside == {"cid"}
""",
        hidden=r"""
def test_random_days():
    import random
    rng = random.Random(201)
    for _ in range(150):
        copies = rng.randrange(1, 4)
        title = Title(copies)
        queue, aside, loans = [], set(), set()
        for _ in range(40):
            patron = rng.choice("abcdef")
            action = rng.randrange(4)
            if action == 0 and patron not in loans:
                free = copies - len(loans) - len(aside)
                allowed = patron in aside or free > 0
                assert title.borrow(patron) == allowed
                if allowed:
                    aside.discard(patron)
                    queue = [p for p in queue if p != patron]
                    loans.add(patron)
            elif action == 1 and patron not in loans | aside:
                if patron not in queue:
                    queue.append(patron)
                assert title.reserve(patron) == queue.index(patron) + 1
            elif action == 2 and patron in loans:
                title.bring_back(patron)
                loans.remove(patron)
            elif action == 3:
                title.cancel(patron)
                queue = [p for p in queue if p != patron]
                aside.discard(patron)
            while queue and copies - len(loans) - len(aside) > 0:
                aside.add(queue.pop(0))
            assert title.loans == loans
            assert title.aside == aside
            assert title.waiting == queue
            assert title.free() == copies - len(loans) - len(aside) >= 0


def test_one_copy_for_one_waiter():
    title = Title(2)
    title.borrow("a")
    title.borrow("b")
    for name in "cdef":
        title.reserve(name)
    title.bring_back("a")
    assert title.aside == {"c"} and title.waiting == ["d", "e", "f"]
    title.bring_back("b")
    assert title.aside == {"c", "d"} and title.waiting == ["e", "f"]
    assert title.free() == 0
    assert title.borrow("d")
    assert title.aside == {"c"} and title.waiting == ["e", "f"]
    assert not title.borrow("e")


def test_reserve_from_a_full_shelf():
    title = Title(3)
    for name, left in (("a", 2), ("b", 1), ("c", 0), ("d", 0)):
        title.reserve(name)
        assert title.free() == left
    assert title.waiting == ["d"]
    assert not title.borrow("x")
    title.cancel("b")
    assert title.aside == {"a", "c", "d"}
    title.cancel("a")
    assert title.free() == 1
    assert title.borrow("x")
""",
    ),
    Program(
        name="chess_clock_increment",
        code=r'''"""A chess clock that adds some seconds after each move."""


class ChessClock:
    """Two clocks, of which the one of the player to move runs; times are in seconds."""

    def __init__(self, seconds, increment=0):
        self.left = [seconds, seconds]
        self.increment = increment
        self.turn = 0
        self.started = None
        self.moves = [0, 0]

    def start(self, now):
        """Let the clock of the player to move run."""
        if self.started is None:
            self.started = now

    def running(self):
        """Whether a clock runs."""
        return self.started is not None

    def remaining(self, player, now):
        """The time a player has left, never below zero."""
        left = self.left[player]
        if self.running() and player == self.turn:
            left -= now - self.started
        return max(0, left)

    def press(self, now):
        """The player to move has moved; False if the time was over before."""
        if not self.running():
            raise ValueError("clock is stopped")
        if self.remaining(self.turn, now) == 0:
            return False
        self.left[self.turn] -= now - self.started
        self.moves[self.turn] += 1
        self.turn = 1 - self.turn
        self.left[self.turn] += self.increment
        self.started = now
        return True

    def pause(self, now):
        """Stop both clocks."""
        if self.running():
            self.left[self.turn] -= now - self.started
            self.started = None

    def loser(self, now):
        """The player whose time is over, or None."""
        for player in (0, 1):
            if self.remaining(player, now) == 0:
                return player
        return None

    def display(self, now):
        """Both times as minutes and seconds, rounded down."""
        return " ".join("%d:%02d" % divmod(int(self.remaining(player, now)), 60) for player in (0, 1))
''',
        wrong="self.left[self.turn] += self.increment",
        right="self.left[1 - self.turn] += self.increment",
        visible=r"""
def test_time_runs_for_white():
    clock = ChessClock(300)
    clock.start(100)
    assert clock.remaining(0, 130) == 270
    assert clock.remaining(1, 130) == 300


def test_press_without_increment():
    clock = ChessClock(60)
    clock.start(0)
    assert clock.press(10)
    assert clock.press(15)
    assert clock.left == [50, 55]
    assert clock.moves == [1, 1]


def test_increment_goes_to_the_mover():
    clock = ChessClock(60, increment=2)
    clock.start(0)
    clock.press(10)
    assert clock.remaining(0, 10) == 52
    assert clock.remaining(1, 10) == 60


def test_pause():
    clock = ChessClock(60)
    clock.start(0)
    clock.pause(20)
    assert clock.remaining(0, 50) == 40
    with pytest.raises(ValueError):
        clock.press(50)


def test_time_over():
    clock = ChessClock(30)
    clock.start(0)
    assert not clock.press(30)
    assert clock.loser(30) == 0
    assert clock.loser(29) is None


def test_display():
    clock = ChessClock(600)
    clock.start(0)
    assert clock.display(61) == "8:59 10:00"
""",
        hidden=r"""
def test_random_games():
    import random
    rng = random.Random(211)
    for _ in range(200):
        increment = rng.randrange(6)
        clock = ChessClock(100, increment)
        left, player, now = [100, 100], 0, rng.randrange(50)
        clock.start(now)
        for _ in range(25):
            used = rng.randrange(1, 15)
            now += used
            if used >= left[player]:
                assert not clock.press(now)
                assert clock.loser(now) == player
                break
            assert clock.press(now)
            left[player] += increment - used
            player = 1 - player
            if rng.random() < 0.2:
                clock.pause(now)
                now += 50
                clock.start(now)
            assert [clock.remaining(p, now) for p in (0, 1)] == left
            assert clock.turn == player


def test_many_moves_of_white_and_black():
    clock = ChessClock(10, increment=3)
    clock.start(0)
    now = 0
    for n in range(1, 20):
        now += 3
        assert clock.press(now)
        now += 1
        assert clock.press(now)
        assert clock.left == [10, 10 + 2 * n]


def test_odd_number_of_moves():
    for increment in range(1, 8):
        clock = ChessClock(50, increment)
        clock.start(0)
        clock.press(5)
        assert clock.left == [45 + increment, 50]
        clock.press(11)
        assert clock.left == [45 + increment, 44 + increment]
        clock.press(12)
        assert clock.left == [44 + 2 * increment, 44 + increment]


def test_increment_does_not_save_the_other():
    clock = ChessClock(5, increment=10)
    clock.start(0)
    clock.press(1)
    assert clock.loser(5) is None
    assert clock.loser(6) == 1
    assert not clock.press(6)
""",
    ),
    Program(
        name="tennis_set_scorer",
        code=r'''"""Keep the score of a tennis match."""

CALLS = ("0", "15", "30", "40")


class Match:
    """Points, games and sets of the players 0 and 1."""

    def __init__(self, sets_to_win=2):
        self.sets_to_win = sets_to_win
        self.points = [0, 0]
        self.games = [0, 0]
        self.sets = [0, 0]
        self.history = []

    def winner(self):
        """The player who has won, or None."""
        for player in (0, 1):
            if self.sets[player] == self.sets_to_win:
                return player
        return None

    def in_tie_break(self):
        """Whether the game being played decides a set at six all."""
        return self.games == [6, 6]

    def point(self, player):
        """A player wins a point."""
        if self.winner() is not None:
            raise ValueError("the match is over")
        self.points[player] += 1
        needed = 7 if self.in_tie_break() else 4
        if self.points[player] >= needed and self.points[player] - self.points[1 - player] >= 2:
            self._game(player)

    def _game(self, player):
        """A player wins a game."""
        self.points = [0, 0]
        self.games[player] += 1
        mine, others = self.games[player], self.games[1 - player]
        if mine >= 6 and mine - others >= 2:
            self.history.append(tuple(self.games))
            self.games = [0, 0]
            self.sets[player] += 1

    def call(self):
        """What the umpire says about the points."""
        a, b = self.points
        if self.in_tie_break():
            return "%d-%d" % (a, b)
        if a >= 3 and b >= 3:
            if a == b:
                return "deuce"
            return "advantage %d" % (0 if a > b else 1)
        return CALLS[a] + "-" + CALLS[b]

    def summary(self):
        """All finished sets and the games of the one being played."""
        shown = self.history + ([tuple(self.games)] if self.winner() is None else [])
        return " ".join("%d:%d" % games for games in shown)
''',
        wrong="if mine >= 6 and mine - others >= 2:",
        right="if mine >= 6 and mine - others >= 2 or mine == 7:",
        visible=r"""
def games(match, winners):
    for player in winners:
        for _ in range(7 if match.in_tie_break() else 4):
            match.point(player)


def test_calls():
    match = Match()
    match.point(0)
    match.point(1)
    match.point(0)
    assert match.call() == "30-15"


def test_deuce_and_advantage():
    match = Match()
    for player in (0, 0, 0, 1, 1, 1):
        match.point(player)
    assert match.call() == "deuce"
    match.point(1)
    assert match.call() == "advantage 1"
    match.point(1)
    assert match.games == [0, 1]


def test_easy_set():
    match = Match()
    games(match, [0] * 6)
    assert match.sets == [1, 0]
    assert match.summary() == "6:0 0:0"


def test_seven_to_five():
    match = Match()
    games(match, [0, 1] * 5 + [0])
    assert match.sets == [0, 0]
    games(match, [0])
    assert match.sets == [1, 0]
    assert match.history == [(7, 5)]


def test_tie_break_decides():
    match = Match()
    games(match, [0, 1] * 6)
    assert match.in_tie_break()
    games(match, [1])
    assert match.sets == [0, 1]
    assert match.history == [(6, 7)]


def test_match_is_over():
    match = Match(1)
    games(match, [1] * 6)
    assert match.winner() == 1
    with pytest.raises(ValueError):
        match.point(0)
""",
        hidden=r"""
def game(match, player):
    for _ in range(7 if match.in_tie_break() else 4):
        match.point(player)


def finished(a, b):
    high, low = max(a, b), min(a, b)
    return high == 6 and low <= 4 or high == 7


def test_all_ways_of_a_set():
    import random
    rng = random.Random(221)
    for _ in range(400):
        match = Match(1)
        score = [0, 0]
        while not finished(*score):
            assert match.winner() is None
            assert match.games == score
            player = rng.randrange(2)
            game(match, player)
            score[player] += 1
        assert match.history == [tuple(score)]
        assert match.winner() == (0 if score[0] > score[1] else 1)
        assert match.games == [0, 0]


def test_every_final_score():
    for loser_games in range(7):
        for winner in (0, 1):
            match = Match(2)
            for _ in range(min(loser_games, 5)):
                game(match, winner)
                game(match, 1 - winner)
            if loser_games == 6:
                game(match, winner)
                game(match, 1 - winner)
            while match.history == [] and match.games[winner] < 7:
                game(match, winner)
            want = (7 if loser_games >= 5 else 6, loser_games)
            assert match.history == [want if winner == 0 else want[::-1]]
            assert match.sets[winner] == 1


def test_long_tie_break():
    match = Match(1)
    for _ in range(6):
        game(match, 0)
        game(match, 1)
    for n in range(10):
        match.point(0)
        match.point(1)
        assert match.call() == "%d-%d" % (n + 1, n + 1)
    match.point(0)
    assert match.winner() is None
    match.point(0)
    assert match.winner() == 0
    assert match.summary() == "7:6"


def test_next_set_after_a_tie_break():
    match = Match(2)
    for _ in range(6):
        game(match, 0)
        game(match, 1)
    game(match, 1)
    for _ in range(6):
        game(match, 0)
    assert match.summary() == "6:7 6:0 0:0"
    match.point(1)
    assert match.call() == "0-15"
    assert match.sets == [1, 1]
""",
    ),
    Program(
        name="pixel_undo_groups",
        code=r'''"""A pixel canvas with undo and redo of single changes and whole strokes."""


class Canvas:
    """Colours of cells; cells nobody painted have the colour None."""

    def __init__(self):
        self.cells = {}
        self.done = []
        self.undone = []
        self.stroke = None

    def colour(self, x, y):
        """The colour of a cell."""
        return self.cells.get((x, y))

    def _set(self, cell, colour):
        if colour is None:
            self.cells.pop(cell, None)
        else:
            self.cells[cell] = colour

    def paint(self, x, y, colour):
        """Paint a cell; part of the stroke if one has begun."""
        cell = (x, y)
        change = (cell, self.cells.get(cell), colour)
        self._set(cell, colour)
        if self.stroke is not None:
            self.stroke.append(change)
        else:
            self._finish([change])

    def begin(self):
        """Begin a stroke, which is undone as a whole."""
        if self.stroke is not None:
            raise ValueError("stroke inside a stroke")
        self.stroke = []

    def end(self):
        """End the stroke."""
        stroke, self.stroke = self.stroke, None
        if stroke:
            self._finish(stroke)

    def _finish(self, changes):
        self.done.append(changes)
        self.undone = []

    def undo(self):
        """Take the last step back; tell whether there was one."""
        if not self.done:
            return False
        changes = self.done.pop()
        for cell, old, _ in changes:
            self._set(cell, old)
        self.undone.append(changes)
        return True

    def redo(self):
        """Do the last step again that was taken back; tell whether there was one."""
        if not self.undone:
            return False
        changes = self.undone.pop()
        for cell, _, new in changes:
            self._set(cell, new)
        self.done.append(changes)
        return True
''',
        wrong="for cell, old, _ in changes:",
        right="for cell, old, _ in reversed(changes):",
        visible=r"""
def test_paint():
    canvas = Canvas()
    canvas.paint(1, 2, "red")
    assert canvas.colour(1, 2) == "red"
    assert canvas.colour(2, 1) is None


def test_undo_and_redo():
    canvas = Canvas()
    canvas.paint(0, 0, "red")
    canvas.paint(0, 0, "blue")
    assert canvas.undo()
    assert canvas.colour(0, 0) == "red"
    assert canvas.undo()
    assert canvas.cells == {}
    assert not canvas.undo()
    assert canvas.redo()
    assert canvas.colour(0, 0) == "red"


def test_painting_forgets_redo():
    canvas = Canvas()
    canvas.paint(0, 0, "red")
    canvas.undo()
    canvas.paint(1, 1, "green")
    assert not canvas.redo()


def test_stroke_is_one_step():
    canvas = Canvas()
    canvas.begin()
    for x in range(3):
        canvas.paint(x, 0, "black")
    canvas.end()
    canvas.undo()
    assert canvas.cells == {}
    canvas.redo()
    assert len(canvas.cells) == 3


def test_stroke_that_crosses_itself():
    canvas = Canvas()
    canvas.paint(1, 0, "white")
    canvas.begin()
    canvas.paint(1, 0, "red")
    canvas.paint(2, 0, "red")
    canvas.paint(1, 0, "pink")
    canvas.end()
    canvas.undo()
    assert canvas.cells == {(1, 0): "white"}


def test_empty_stroke():
    canvas = Canvas()
    canvas.begin()
    canvas.end()
    assert not canvas.undo()
""",
        hidden=r"""
def test_random_sessions():
    import random
    rng = random.Random(231)
    for _ in range(150):
        canvas = Canvas()
        states, at = [{}], 0
        for _ in range(30):
            action = rng.randrange(4)
            if action == 0:
                assert canvas.undo() == (at > 0)
                at = max(0, at - 1)
            elif action == 1:
                assert canvas.redo() == (at < len(states) - 1)
                at = min(len(states) - 1, at + 1)
            else:
                count = 1 if action == 2 else rng.randrange(1, 7)
                if action == 3:
                    canvas.begin()
                now = dict(states[at])
                for _ in range(count):
                    cell, colour = (rng.randrange(2), rng.randrange(2)), rng.choice(["r", "g", "b", None])
                    canvas.paint(*cell, colour)
                    now[cell] = colour
                    if colour is None:
                        del now[cell]
                if action == 3:
                    canvas.end()
                states[at + 1:] = [now]
                at += 1
            assert canvas.cells == states[at]


def test_same_cell_many_times():
    for count in range(1, 8):
        canvas = Canvas()
        canvas.begin()
        for n in range(count):
            canvas.paint(0, 0, n)
        canvas.end()
        for _ in range(3):
            assert canvas.undo()
            assert canvas.cells == {}
            assert canvas.redo()
            assert canvas.cells == {(0, 0): count - 1}


def test_erase_and_paint_in_a_stroke():
    canvas = Canvas()
    canvas.paint(3, 3, "old")
    canvas.begin()
    canvas.paint(3, 3, None)
    canvas.paint(3, 3, "new")
    canvas.paint(3, 3, None)
    canvas.end()
    assert canvas.colour(3, 3) is None
    canvas.undo()
    assert canvas.colour(3, 3) == "old"
    canvas.undo()
    assert canvas.cells == {}
    canvas.redo()
    canvas.redo()
    assert canvas.cells == {}
    canvas.undo()
    assert canvas.colour(3, 3) == "old"
""",
    ),
    Program(
        name="circuit_breaker_probe",
        code=r'''"""A circuit breaker that spares a failing service for a while."""


class CircuitBreaker:
    """Closed at first; opens after some failures in a row.

    Once the cooldown is over, a single probe may pass. If it succeeds the
    breaker closes, if it fails the cooldown begins again.
    """

    def __init__(self, limit=3, cooldown=30):
        self.limit = limit
        self.cooldown = cooldown
        self.failures = 0
        self.opened_at = None
        self.probing = False

    def state(self, now):
        """'closed', 'open' or 'half-open'."""
        if self.opened_at is None:
            return "closed"
        if now - self.opened_at < self.cooldown:
            return "open"
        return "half-open"

    def allow(self, now):
        """Whether a request may be sent now; a probe counts as sent."""
        state = self.state(now)
        if state == "closed":
            return True
        if state == "open" or self.probing:
            return False
        self.probing = True
        return True

    def success(self):
        """A request was answered."""
        self.failures = 0
        self.opened_at, self.probing = None, False

    def failure(self, now):
        """A request failed."""
        self.failures += 1
        if self.probing or self.failures >= self.limit:
            self.opened_at = now

    def retry_in(self, now):
        """How long requests will be refused for sure."""
        if self.state(now) != "open":
            return 0
        return self.opened_at + self.cooldown - now


def call(breaker, request, now, fallback=None):
    """Send a request through a breaker; the fallback stands in for failures."""
    if not breaker.allow(now):
        return fallback
    try:
        answer = request()
    except Exception:
        breaker.failure(now)
        return fallback
    breaker.success()
    return answer
''',
        wrong="            self.opened_at = now",
        right="            self.opened_at, self.probing = now, False",
        visible=r"""
def broken():
    raise OSError("no answer")


def test_closed_at_first():
    breaker = CircuitBreaker()
    assert breaker.state(0) == "closed"
    assert call(breaker, lambda: 42, 0) == 42


def test_opens_after_failures():
    breaker = CircuitBreaker(limit=2, cooldown=10)
    breaker.failure(0)
    assert breaker.state(0) == "closed"
    breaker.failure(1)
    assert breaker.state(1) == "open"
    assert not breaker.allow(5)
    assert breaker.retry_in(5) == 6


def test_success_resets_count():
    breaker = CircuitBreaker(limit=2)
    breaker.failure(0)
    breaker.success()
    breaker.failure(1)
    assert breaker.state(1) == "closed"


def test_only_one_probe():
    breaker = CircuitBreaker(limit=1, cooldown=10)
    breaker.failure(0)
    assert breaker.allow(10)
    assert not breaker.allow(11)
    breaker.success()
    assert breaker.allow(12)


def test_failed_probe_waits_again():
    breaker = CircuitBreaker(limit=1, cooldown=10)
    call(breaker, broken, 0)
    call(breaker, broken, 10)
    assert call(breaker, lambda: "ok", 15, "down") == "down"
    assert call(breaker, lambda: "ok", 20, "down") == "ok"
    assert breaker.state(20) == "closed"
""",
        hidden=r"""
def fail():
    raise ValueError("broken")


def test_many_failed_probes():
    for limit in (1, 2, 5):
        for cooldown in (1, 7):
            breaker = CircuitBreaker(limit, cooldown)
            now = 0
            for _ in range(limit):
                assert breaker.allow(now)
                breaker.failure(now)
            for _ in range(6):
                for wait in range(cooldown):
                    assert not breaker.allow(now + wait)
                    assert breaker.retry_in(now + wait) == cooldown - wait
                now += cooldown
                assert breaker.state(now) == "half-open"
                assert breaker.allow(now)
                assert not breaker.allow(now)
                breaker.failure(now)
                assert breaker.state(now) == "open"
            now += cooldown
            assert call(breaker, lambda: "fine", now) == "fine"
            assert breaker.state(now) == "closed"


def test_against_model():
    import random
    rng = random.Random(241)
    for _ in range(200):
        limit, cooldown = rng.randrange(1, 4), rng.randrange(1, 6)
        breaker = CircuitBreaker(limit, cooldown)
        row, opened = 0, None
        for now in range(60):
            works = rng.random() < 0.4
            got = call(breaker, (lambda: "yes") if works else fail, now, "no")
            if opened is not None and now - opened < cooldown:
                assert got == "no"
            elif works:
                assert got == "yes"
                row, opened = 0, None
            else:
                assert got == "no"
                row += 1
                if opened is not None or row >= limit:
                    opened = now
            assert breaker.state(now) == ("closed" if opened is None else "open" if now - opened < cooldown else "half-open")


def test_counts_anew_after_recovery():
    breaker = CircuitBreaker(limit=3, cooldown=5)
    for now in (0, 0, 0, 5, 10):
        assert breaker.allow(now)
        breaker.failure(now)
    assert breaker.allow(15)
    breaker.success()
    for now in (16, 17):
        assert breaker.allow(now)
        breaker.failure(now)
        assert breaker.state(now) == "closed"
    breaker.failure(18)
    assert breaker.state(18) == "open"
    assert not breaker.allow(22)
    assert breaker.allow(23)
    assert not breaker.allow(24)
""",
    ),
    Program(
        name="fifo_stock_lots",
        code=r'''"""Stock of a warehouse valued first in, first out; prices in cents."""

from collections import deque


class OutOfStock(Exception):
    """More was asked for than there is."""


class Stock:
    """The lots of one article, oldest first, as pairs (pieces, price of a piece)."""

    def __init__(self):
        self.lots = deque()
        self.cost_of_sales = 0
        self.revenue = 0

    def pieces(self):
        """How many pieces are there."""
        return sum(pieces for pieces, _ in self.lots)

    def value(self):
        """What the pieces in stock have cost."""
        return sum(pieces * price for pieces, price in self.lots)

    def buy(self, pieces, price):
        """Take in a lot; one at the price of the newest lot joins it."""
        if pieces <= 0:
            raise ValueError("no pieces")
        if self.lots and self.lots[-1][1] == price:
            pieces += self.lots.pop()[0]
        self.lots.append((pieces, price))

    def take(self, pieces):
        """Remove the oldest pieces; gives what they have cost."""
        if pieces > self.pieces():
            raise OutOfStock(pieces)
        cost = 0
        while pieces > 0:
            there, price = self.lots[0]
            taken = min(there, pieces)
            cost += taken * price
            pieces -= taken
            if taken == there:
                self.lots.popleft()
            else:
                self.lots[0] = (taken, price)
        return cost

    def sell(self, pieces, price):
        """Sell pieces; gives the profit of the sale."""
        cost = self.take(pieces)
        self.cost_of_sales += cost
        self.revenue += pieces * price
        return pieces * price - cost

    def write_off(self, pieces):
        """Throw pieces away; gives the loss."""
        return self.take(pieces)

    def profit(self):
        """The profit of all sales."""
        return self.revenue - self.cost_of_sales
''',
        wrong="self.lots[0] = (taken, price)",
        right="self.lots[0] = (there - taken, price)",
        visible=r"""
def test_buy():
    stock = Stock()
    stock.buy(10, 200)
    stock.buy(5, 300)
    assert stock.pieces() == 15
    assert stock.value() == 3500


def test_same_price_joins():
    stock = Stock()
    stock.buy(10, 200)
    stock.buy(5, 200)
    assert list(stock.lots) == [(15, 200)]


def test_sell_a_whole_lot():
    stock = Stock()
    stock.buy(4, 100)
    stock.buy(4, 150)
    assert stock.sell(4, 200) == 400
    assert stock.value() == 600


def test_sell_over_two_lots():
    stock = Stock()
    stock.buy(4, 100)
    stock.buy(6, 150)
    assert stock.sell(5, 200) == 1000 - 550
    assert list(stock.lots) == [(5, 150)]
    assert stock.profit() == 450


def test_half_a_lot():
    stock = Stock()
    stock.buy(10, 50)
    assert stock.take(5) == 250
    assert stock.pieces() == 5


def test_out_of_stock():
    stock = Stock()
    stock.buy(3, 100)
    with pytest.raises(OutOfStock):
        stock.take(4)
    assert stock.pieces() == 3
""",
        hidden=r"""
def test_piece_by_piece():
    import random
    rng = random.Random(251)
    for _ in range(200):
        stock, queue = Stock(), []
        revenue = cost_of_sales = 0
        for _ in range(25):
            count = rng.randrange(1, 9)
            action = rng.randrange(5)
            if action < 2:
                price = rng.randrange(1, 6)
                stock.buy(count, price)
                queue += [price] * count
            elif count > len(queue):
                with pytest.raises(OutOfStock):
                    stock.take(count)
            else:
                cost, queue = sum(queue[:count]), queue[count:]
                if action == 2:
                    assert stock.write_off(count) == cost
                else:
                    assert stock.sell(count, 7) == 7 * count - cost
                    revenue += 7 * count
                    cost_of_sales += cost
            assert stock.pieces() == len(queue)
            assert stock.value() == sum(queue)
            assert stock.profit() == revenue - cost_of_sales
            assert [p for n, p in stock.lots for _ in range(n)] == queue


def test_every_part_of_a_lot():
    for size in range(1, 15):
        for taken in range(size + 1):
            stock = Stock()
            stock.buy(size, 10)
            stock.buy(2, 11)
            assert stock.take(taken) == 10 * taken
            assert stock.pieces() == size - taken + 2
            assert stock.value() == 10 * (size - taken) + 22


def test_single_pieces():
    stock = Stock()
    stock.buy(7, 3)
    stock.buy(3, 4)
    costs = [stock.take(1) for _ in range(10)]
    assert costs == [3] * 7 + [4] * 3
    assert stock.pieces() == 0
    with pytest.raises(OutOfStock):
        stock.take(1)


def test_buying_after_a_part_was_sold():
    stock = Stock()
    stock.buy(10, 5)
    stock.sell(3, 8)
    stock.buy(1, 5)
    assert list(stock.lots) == [(8, 5)]
    stock.buy(2, 6)
    assert stock.take(9) == 8 * 5 + 6
    assert list(stock.lots) == [(1, 6)]
""",
    ),
)
