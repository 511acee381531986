"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---------------------------------------------------------------- data structures
    Program(
        name="dary_heap",
        code=r'''"""A min-heap whose nodes have a chosen number of children."""


class DaryHeap:
    """Items with priorities; the priority of an item can be changed."""

    def __init__(self, arity=4):
        if arity < 2:
            raise ValueError("arity must be at least 2")
        self._arity = arity
        self._entries = []
        self._where = {}

    def __len__(self):
        return len(self._entries)

    def __contains__(self, item):
        return item in self._where

    def push(self, item, priority):
        """Add an item, or change the priority of one that is present."""
        if item in self._where:
            i = self._where[item]
            self._entries[i] = (priority, item)
        else:
            i = len(self._entries)
            self._entries.append((priority, item))
            self._where[item] = i
        self._sift_down(self._sift_up(i))

    def pop(self):
        """Remove and return the item of least priority, with its priority."""
        if not self._entries:
            raise IndexError("pop from an empty heap")
        self._swap(0, len(self._entries) - 1)
        priority, item = self._entries.pop()
        del self._where[item]
        if self._entries:
            self._sift_down(0)
        return item, priority

    def _swap(self, i, j):
        self._entries[i], self._entries[j] = self._entries[j], self._entries[i]
        self._where[self._entries[i][1]] = i
        self._where[self._entries[j][1]] = j

    def _sift_up(self, i):
        while i > 0:
            parent = (i - 1) // 2
            if self._entries[parent][0] <= self._entries[i][0]:
                break
            self._swap(i, parent)
            i = parent
        return i

    def _sift_down(self, i):
        while True:
            first = i * self._arity + 1
            children = range(first, min(first + self._arity, len(self._entries)))
            if not children:
                return
            best = min(children, key=lambda child: self._entries[child][0])
            if self._entries[best][0] >= self._entries[i][0]:
                return
            self._swap(i, best)
            i = best
''',
        wrong="parent = (i - 1) // 2",
        right="parent = (i - 1) // self._arity",
        visible=r"""
def drain(heap):
    return [heap.pop() for _ in range(len(heap))]


def test_pops_in_order():
    heap = DaryHeap(2)
    for number in [5, 3, 8, 1, 9, 2]:
        heap.push(str(number), number)
    assert [priority for _, priority in drain(heap)] == [1, 2, 3, 5, 8, 9]


def test_wide_heap():
    heap = DaryHeap(3)
    for number in [8, 6, 3, 9, 13, 4, 18, 14]:
        heap.push(number, number)
    assert [item for item, _ in drain(heap)] == [3, 4, 6, 8, 9, 13, 14, 18]


def test_change_of_priority():
    heap = DaryHeap()
    for number in range(30):
        heap.push(number, number + 100)
    heap.push(17, 3)
    heap.push(0, 500)
    assert heap.pop() == (17, 3)
    assert heap.pop() == (1, 101)
    assert len(heap) == 28
    assert 17 not in heap and 0 in heap


def test_empty():
    with pytest.raises(IndexError):
        DaryHeap().pop()


def test_bad_arity():
    with pytest.raises(ValueError):
        DaryHeap(1)
""",
        hidden=r"""
import random


def drain(heap):
    return [heap.pop()[1] for _ in range(len(heap))]


def test_sorts_for_every_arity():
    rng = random.Random(1)
    for arity in range(2, 9):
        for size in range(0, 60, 7):
            numbers = [rng.randrange(1000) for _ in range(size)]
            heap = DaryHeap(arity)
            for i, number in enumerate(numbers):
                heap.push(i, number)
            assert drain(heap) == sorted(numbers)


def test_heap_order_after_changes():
    rng = random.Random(2)
    for arity in (2, 3, 5, 7):
        heap = DaryHeap(arity)
        model = {}
        for _ in range(300):
            item = rng.randrange(40)
            priority = rng.randrange(10 ** 6)
            heap.push(item, priority)
            model[item] = priority
            if rng.random() < 0.2:
                least, its = heap.pop()
                assert its == min(model.values()) and model.pop(least) == its
        assert drain(heap) == sorted(model.values())


def test_decrease_to_front():
    for arity in (2, 3, 4, 6):
        for target in range(50):
            heap = DaryHeap(arity)
            for number in range(50):
                heap.push(number, number + 10)
            heap.push(target, -1)
            assert heap.pop() == (target, -1)
            rest = [n + 10 for n in range(50) if n != target]
            assert drain(heap) == rest


def test_descending_pushes():
    for arity in (3, 4, 5):
        heap = DaryHeap(arity)
        for number in range(100, 0, -1):
            heap.push(number, number)
        assert drain(heap) == list(range(1, 101))
""",
    ),
    Program(
        name="gap_buffer",
        code=r'''"""Text under edit, kept in a list with a gap at the cursor."""


class GapBuffer:
    """Editable text; edits at the cursor are cheap."""

    def __init__(self, text="", spare=4):
        self._cells = list(text) + [None] * spare
        self._start = len(text)
        self._end = len(self._cells)

    def __len__(self):
        return len(self._cells) - (self._end - self._start)

    @property
    def cursor(self):
        """How many characters stand before the cursor."""
        return self._start

    def text(self):
        """The whole text."""
        return "".join(self._cells[:self._start] + self._cells[self._end:])

    def move(self, position):
        """Put the cursor before the character at `position`."""
        if not 0 <= position <= len(self):
            raise IndexError("no such position")
        while self._start > position:
            self._start -= 1
            self._end -= 1
            self._cells[self._end] = self._cells[self._start]
        while self._start < position:
            self._cells[self._start] = self._cells[self._end]
            self._start += 1
            self._end += 1

    def insert(self, text):
        """Insert text at the cursor, which then stands behind it."""
        for character in text:
            if self._start == self._end:
                self._grow()
            self._cells[self._start] = character
            self._start += 1

    def backspace(self, count=1):
        """Remove up to `count` characters before the cursor; return how many."""
        removed = min(count, self._start)
        self._start -= removed
        return removed

    def delete(self, count=1):
        """Remove up to `count` characters behind the cursor; return how many."""
        removed = min(count, len(self) - self._end)
        self._end += removed
        return removed

    def _grow(self):
        extra = max(4, len(self._cells))
        self._cells[self._start:self._start] = [None] * extra
        self._end += extra
''',
        wrong="removed = min(count, len(self) - self._end)",
        right="removed = min(count, len(self._cells) - self._end)",
        visible=r"""
def test_insert_in_the_middle():
    buffer = GapBuffer("hold")
    buffer.move(2)
    buffer.insert("r")
    assert buffer.text() == "horld"
    assert buffer.cursor == 3


def test_backspace():
    buffer = GapBuffer("abcdef")
    assert buffer.backspace(2) == 2
    assert buffer.text() == "abcd"
    assert len(buffer) == 4
    assert buffer.backspace(9) == 4
    assert buffer.text() == ""


def test_delete():
    buffer = GapBuffer("abcdef")
    buffer.move(1)
    assert buffer.delete(3) == 3
    assert buffer.text() == "aef"
    assert buffer.cursor == 1


def test_delete_past_the_end():
    buffer = GapBuffer("abcdef")
    buffer.move(4)
    assert buffer.delete(10) == 2
    assert buffer.text() == "abcd"


def test_long_insert_grows():
    buffer = GapBuffer("<>")
    buffer.move(1)
    buffer.insert("a fairly long piece of text")
    assert buffer.text() == "<a fairly long piece of text>"


def test_bad_move():
    with pytest.raises(IndexError):
        GapBuffer("ab").move(3)
""",
        hidden=r"""
import random


def test_delete_everywhere():
    for spare in (0, 1, 4, 9):
        for position in range(9):
            for count in range(12):
                buffer = GapBuffer("12345678", spare)
                buffer.move(position)
                assert buffer.delete(count) == min(count, 8 - position)
                assert buffer.text() == "12345678"[:position] + "12345678"[position + count:]
                assert len(buffer) == len(buffer.text())


def test_against_strings():
    rng = random.Random(3)
    for _ in range(60):
        buffer = GapBuffer("start", rng.randrange(6))
        text, at = "start", 5
        for _ in range(60):
            action = rng.randrange(4)
            n = rng.randrange(5)
            if action == 0:
                at = rng.randrange(len(text) + 1)
                buffer.move(at)
            elif action == 1:
                piece = "xyzuvw"[:n]
                buffer.insert(piece)
                text = text[:at] + piece + text[at:]
                at += n
            elif action == 2:
                assert buffer.backspace(n) == min(n, at)
                text, at = text[:max(0, at - n)] + text[at:], max(0, at - n)
            else:
                assert buffer.delete(n) == min(n, len(text) - at)
                text = text[:at] + text[at + n:]
            assert buffer.text() == text
            assert buffer.cursor == at
            assert len(buffer) == len(text)


def test_delete_at_the_end():
    for spare in range(5):
        buffer = GapBuffer("word", spare)
        assert buffer.delete() == 0
        assert buffer.delete(3) == 0
        buffer.insert("s")
        assert buffer.text() == "words"
""",
    ),
    Program(
        name="range_map",
        code=r'''"""A map from numbers to values that is assigned whole ranges at a time."""

from bisect import bisect_left, bisect_right


class RangeMap:
    """Every number has the default value until a range that holds it is assigned."""

    def __init__(self, default=None):
        self._default = default
        self._starts = [float("-inf")]
        self._values = [default]

    def __getitem__(self, key):
        return self._values[bisect_right(self._starts, key) - 1]

    def assign(self, low, high, value):
        """Give all numbers from `low` up to but not including `high` a value."""
        if low >= high:
            return
        after = self[low]
        first = bisect_left(self._starts, low)
        last = bisect_right(self._starts, high)
        self._starts[first:last] = [low, high]
        self._values[first:last] = [value, after]

    def clear(self, low, high):
        """Give a range the default value again."""
        self.assign(low, high, self._default)

    def spans(self):
        """Triples of start, end and value; neighbours with equal values are one."""
        spans = []
        ends = self._starts[1:] + [float("inf")]
        for start, end, value in zip(self._starts, ends, self._values):
            if spans and spans[-1][2] == value:
                spans[-1] = (spans[-1][0], end, value)
            else:
                spans.append((start, end, value))
        return spans

    def measure(self, value):
        """The total length of all spans with a value."""
        return sum(end - start for start, end, other in self.spans() if other == value)
''',
        wrong="after = self[low]",
        right="after = self[high]",
        visible=r"""
def test_default():
    ranges = RangeMap("free")
    assert ranges[0] == ranges[1000] == "free"
    assert ranges.spans() == [(float("-inf"), float("inf"), "free")]


def test_one_range():
    ranges = RangeMap(0)
    ranges.assign(3, 7, 1)
    assert [ranges[n] for n in range(2, 9)] == [0, 1, 1, 1, 1, 0, 0]


def test_overwrite_inside():
    ranges = RangeMap(0)
    ranges.assign(0, 10, 1)
    ranges.assign(4, 6, 2)
    assert [ranges[n] for n in (3, 4, 5, 6, 9, 10)] == [1, 2, 2, 1, 1, 0]
    assert ranges.measure(1) == 8


def test_overlap():
    ranges = RangeMap("")
    ranges.assign(0, 5, "a")
    ranges.assign(3, 9, "b")
    assert ranges[2] == "a"
    assert ranges[3] == ranges[8] == "b"
    assert ranges[9] == ""


def test_clear():
    ranges = RangeMap(0)
    ranges.assign(1, 8, 5)
    ranges.clear(1, 8)
    assert ranges.measure(5) == 0


def test_empty_range():
    ranges = RangeMap(0)
    ranges.assign(5, 5, 1)
    assert ranges[5] == 0
""",
        hidden=r"""
import random


def test_against_a_plain_list():
    rng = random.Random(4)
    for _ in range(150):
        ranges = RangeMap(0)
        model = [0] * 30
        for _ in range(15):
            low, high, value = rng.randrange(30), rng.randrange(30), rng.randrange(4)
            ranges.assign(low, high, value)
            for n in range(low, high):
                model[n] = value
            assert [ranges[n] for n in range(30)] == model
            for wanted in (1, 2, 3):
                assert ranges.measure(wanted) == model.count(wanted)
            assert ranges[-5] == 0 and ranges[35] == 0


def test_spans_cover_everything():
    rng = random.Random(5)
    for _ in range(50):
        ranges = RangeMap("x")
        for _ in range(10):
            low = rng.randrange(20)
            ranges.assign(low, low + rng.randrange(8), rng.choice("xyz"))
        spans = ranges.spans()
        assert spans[0][0] == float("-inf") and spans[-1][1] == float("inf")
        for before, behind in zip(spans, spans[1:]):
            assert before[1] == behind[0]
            assert before[2] != behind[2]


def test_three_overlapping():
    ranges = RangeMap(None)
    ranges.assign(10, 20, "a")
    ranges.assign(0, 12, "b")
    ranges.assign(15, 30, "c")
    assert ranges.spans()[1:-1] == [(0, 12, "b"), (12, 15, "a"), (15, 30, "c")]
    ranges.assign(-5, 40, "d")
    assert ranges.spans()[1:-1] == [(-5, 40, "d")]
""",
    ),
    Program(
        name="sparse_table",
        code=r'''"""Answers to many questions for the least value of a stretch of a fixed list."""


class RangeMinimum:
    """Positions of the least values of stretches; the leftmost one of equals."""

    def __init__(self, values):
        self._values = list(values)
        self._table = [list(range(len(self._values)))]
        self._build()

    def _better(self, a, b):
        return b if self._values[b] < self._values[a] else a

    def _build(self):
        level = 1
        while 1 << level <= len(self._values):
            half = 1 << (level - 1)
            below = self._table[-1]
            row = []
            for i in range(len(self._values) - (1 << level) + 1):
                row.append(self._better(below[i], below[i + level]))
            self._table.append(row)
            level += 1

    def position(self, low, high):
        """The position of the least value from `low` up to but not including `high`."""
        if not 0 <= low < high <= len(self._values):
            raise IndexError("empty or impossible stretch")
        level = (high - low).bit_length() - 1
        row = self._table[level]
        return self._better(row[low], row[high - (1 << level)])

    def least(self, low, high):
        """The least value of a stretch."""
        return self._values[self.position(low, high)]


def valleys(values, width):
    """The least values of all stretches of a width."""
    table = RangeMinimum(values)
    return [table.least(i, i + width) for i in range(len(values) - width + 1)]
''',
        wrong="row.append(self._better(below[i], below[i + level]))",
        right="row.append(self._better(below[i], below[i + half]))",
        visible=r"""
def test_short_stretches():
    table = RangeMinimum([5, 2, 7, 2, 9])
    assert table.least(0, 1) == 5
    assert table.least(0, 3) == 2
    assert table.least(2, 5) == 2
    assert table.least(4, 5) == 9


def test_leftmost_of_equals():
    table = RangeMinimum([4, 1, 3, 1, 1, 6])
    assert table.position(0, 6) == 1
    assert table.position(2, 6) == 3


def test_descending():
    values = list(range(20, 0, -1))
    table = RangeMinimum(values)
    assert table.least(0, 20) == 1
    assert table.least(0, 8) == 13
    assert table.position(3, 15) == 14


def test_valleys():
    assert valleys([3, 1, 2, 5, 4], 2) == [1, 1, 2, 4]
    assert valleys([9, 8, 7, 6, 5, 4, 3, 2, 1, 0], 8) == [2, 1, 0]


def test_impossible():
    table = RangeMinimum([1, 2])
    with pytest.raises(IndexError):
        table.position(1, 1)
    with pytest.raises(IndexError):
        table.position(0, 3)
""",
        hidden=r"""
import random


def test_all_stretches():
    rng = random.Random(6)
    for size in range(1, 40):
        values = [rng.randrange(size) for _ in range(size)]
        table = RangeMinimum(values)
        for low in range(size):
            for high in range(low + 1, size + 1):
                best = min(range(low, high), key=lambda i: (values[i], i))
                assert table.position(low, high) == best
                assert table.least(low, high) == values[best]


def test_one_low_point():
    for size in (8, 16, 33):
        for low_point in range(size):
            values = [1] * size
            values[low_point] = 0
            table = RangeMinimum(values)
            assert table.position(0, size) == low_point
            for width in (7, 8):
                for i in range(size - width + 1):
                    wanted = 0 if i <= low_point < i + width else 1
                    assert table.least(i, i + width) == wanted


def test_valleys_of_every_width():
    values = [(i * 37) % 101 for i in range(70)][::-1]
    for width in range(1, 71):
        assert valleys(values, width) == [min(values[i:i + width]) for i in range(71 - width)]
""",
    ),
    Program(
        name="rollback_sets",
        code=r'''"""Groups of things that can be joined, and joins that can be taken back."""


class RollbackSets:
    """Disjoint sets with a log of the joins."""

    def __init__(self, items):
        self._parent = {item: item for item in items}
        self._size = {item: 1 for item in self._parent}
        self._log = []
        self.groups = len(self._parent)

    def find(self, item):
        """The one item that stands for the group of `item`."""
        while self._parent[item] != item:
            item = self._parent[item]
        return item

    def same(self, a, b):
        """Whether two items are in one group."""
        return self.find(a) == self.find(b)

    def size(self, item):
        """How many items the group of `item` has."""
        return self._size[self.find(item)]

    def join(self, a, b):
        """Join the groups of two items; whether they were different."""
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self._size[a] < self._size[b]:
            a, b = b, a
        self._parent[b] = a
        self._size[a] += self._size[b]
        self._log.append(b)
        self.groups -= 1
        return True

    def mark(self):
        """A mark for the present state, for `rollback`."""
        return len(self._log)

    def rollback(self, mark):
        """Take back all joins since a mark."""
        while len(self._log) > mark:
            child = self._log.pop()
            root = self._parent[child]
            self._parent[child] = child
            self._size[root] -= self._size[child]
''',
        wrong="            self._size[root] -= self._size[child]",
        right="            self._size[root] -= self._size[child]\n            self.groups += 1",
        visible=r"""
def test_join():
    sets = RollbackSets("abcd")
    assert sets.join("a", "b")
    assert not sets.join("b", "a")
    assert sets.same("a", "b")
    assert not sets.same("a", "c")
    assert sets.groups == 3


def test_sizes_come_back():
    sets = RollbackSets(range(6))
    sets.join(0, 1)
    mark = sets.mark()
    sets.join(1, 2)
    sets.join(4, 2)
    assert sets.size(0) == 4
    sets.rollback(mark)
    assert sets.size(0) == 2
    assert sets.size(2) == 1
    assert sets.size(4) == 1


def test_rollback_to_the_start():
    sets = RollbackSets(range(5))
    mark = sets.mark()
    for n in range(4):
        sets.join(n, n + 1)
    assert sets.groups == 1
    sets.rollback(mark)
    assert sets.groups == 5
    assert not sets.same(0, 4)


def test_join_again_after_rollback():
    sets = RollbackSets("xyz")
    mark = sets.mark()
    sets.join("x", "y")
    sets.rollback(mark)
    assert sets.join("x", "y")
    assert sets.groups == 2
""",
        hidden=r"""
import random


def check(sets, groups):
    assert sets.groups == len(groups)
    for group in groups:
        for item in group:
            assert sets.size(item) == len(group)
    for a in range(10):
        for b in range(10):
            assert sets.same(a, b) == any(a in g and b in g for g in groups)


def joined(groups, a, b):
    ga = next(g for g in groups if a in g)
    gb = next(g for g in groups if b in g)
    if ga is gb:
        return groups
    return [g for g in groups if g is not ga and g is not gb] + [ga | gb]


def test_against_a_stack_of_states():
    rng = random.Random(7)
    for _ in range(40):
        sets = RollbackSets(range(10))
        groups = [frozenset([n]) for n in range(10)]
        stack = [(sets.mark(), groups)]
        for _ in range(25):
            action = rng.random()
            if action < 0.6:
                a, b = rng.randrange(10), rng.randrange(10)
                now = joined(groups, a, b)
                assert sets.join(a, b) == (len(now) < len(groups))
                groups = now
            elif action < 0.8:
                stack.append((sets.mark(), groups))
            else:
                depth = rng.randrange(len(stack))
                mark, groups = stack[depth]
                del stack[depth + 1:]
                sets.rollback(mark)
            check(sets, groups)


def test_count_after_nested_rollbacks():
    for joins in range(1, 20):
        sets = RollbackSets(range(20))
        marks = []
        for n in range(joins):
            marks.append(sets.mark())
            sets.join(0, n + 1)
        for back, mark in enumerate(reversed(marks)):
            sets.rollback(mark)
            assert sets.groups == 20 - joins + back + 1


def test_rollback_of_nothing():
    sets = RollbackSets(range(4))
    sets.join(0, 1)
    sets.join(0, 1)
    sets.rollback(sets.mark())
    assert sets.groups == 3
    sets.rollback(0)
    assert sets.groups == 4
    sets.rollback(0)
    assert sets.groups == 4
""",
    ),
    Program(
        name="two_way_tags",
        code=r'''"""Names with tags, looked up from either side."""


class TagIndex:
    """Which names have which tags."""

    def __init__(self):
        self._tags = {}
        self._names = {}

    def add(self, name, *tags):
        """Give a name tags."""
        for tag in tags:
            self._tags.setdefault(name, set()).add(tag)
            self._names.setdefault(tag, set()).add(name)

    def tags(self, name):
        """The tags of a name, sorted."""
        return sorted(self._tags.get(name, ()))

    def names(self, *tags):
        """The names that have all of the tags, sorted."""
        groups = [self._names.get(tag, set()) for tag in tags]
        if not groups:
            return sorted(self._tags)
        return sorted(set.intersection(*groups))

    def all_tags(self):
        """All tags in use, sorted."""
        return sorted(self._names)

    def discard(self, name, tag):
        """Take a tag from a name, if it has it."""
        if tag in self._tags.get(name, ()):
            self._unlink(self._tags, name, tag)
            self._unlink(self._names, tag, name)

    def rename_tag(self, old, new):
        """Replace a tag by another one, which may be in use already."""
        if old == new:
            return
        for name in self._names.pop(old, set()):
            self._unlink(self._tags, name, new)
            self.add(name, new)

    @staticmethod
    def _unlink(table, key, value):
        table[key].discard(value)
        if not table[key]:
            del table[key]
''',
        wrong="self._unlink(self._tags, name, new)",
        right="self._unlink(self._tags, name, old)",
        visible=r"""
def example():
    index = TagIndex()
    index.add("apple", "fruit", "red")
    index.add("cherry", "fruit", "red", "small")
    index.add("tomato", "red")
    return index


def test_lookups():
    index = example()
    assert index.tags("cherry") == ["fruit", "red", "small"]
    assert index.names("fruit", "red") == ["apple", "cherry"]
    assert index.names() == ["apple", "cherry", "tomato"]
    assert index.names("blue") == []


def test_discard():
    index = example()
    index.discard("cherry", "small")
    index.discard("cherry", "green")
    assert index.tags("cherry") == ["fruit", "red"]
    assert index.all_tags() == ["fruit", "red"]
    index.discard("tomato", "red")
    assert index.names() == ["apple", "cherry"]


def test_rename():
    index = example()
    index.rename_tag("red", "crimson")
    assert index.names("crimson") == ["apple", "cherry", "tomato"]
    assert index.names("red") == []
    assert index.tags("tomato") == ["crimson"]


def test_rename_keeps_other_tags():
    index = example()
    index.rename_tag("small", "tiny")
    assert index.names("tiny") == ["cherry"]
    assert index.names("fruit") == ["apple", "cherry"]


def test_rename_unknown():
    index = example()
    index.rename_tag("purple", "violet")
    assert index.all_tags() == ["fruit", "red", "small"]
""",
        hidden=r"""
import random


def check(index, pairs):
    names = {name for name, _ in pairs}
    tags = {tag for _, tag in pairs}
    assert index.names() == sorted(names)
    assert index.all_tags() == sorted(tags)
    for name in "pqrst":
        assert index.tags(name) == sorted(t for n, t in pairs if n == name)
    for tag in "abcdef":
        assert index.names(tag) == sorted(n for n, t in pairs if t == tag)


def test_against_a_set_of_pairs():
    rng = random.Random(8)
    for _ in range(80):
        index = TagIndex()
        pairs = set()
        for _ in range(25):
            action = rng.randrange(4)
            name, tag, other = rng.choice("pqrst"), rng.choice("abcdef"), rng.choice("abcdef")
            if action < 2:
                index.add(name, tag)
                pairs.add((name, tag))
            elif action == 2:
                index.discard(name, tag)
                pairs.discard((name, tag))
            else:
                index.rename_tag(tag, other)
                pairs = {(n, other if t == tag else t) for n, t in pairs}
            check(index, pairs)


def test_rename_into_used_tag():
    index = TagIndex()
    index.add("p", "a", "b")
    index.add("q", "a")
    index.add("r", "b")
    index.rename_tag("a", "b")
    check(index, {("p", "b"), ("q", "b"), ("r", "b")})


def test_rename_to_itself():
    index = TagIndex()
    index.add("p", "a")
    index.rename_tag("a", "a")
    check(index, {("p", "a")})


def test_rename_there_and_back():
    index = TagIndex()
    index.add("p", "a", "c")
    index.add("q", "a")
    index.rename_tag("a", "b")
    index.rename_tag("b", "a")
    check(index, {("p", "a"), ("p", "c"), ("q", "a")})
""",
    ),
    Program(
        name="fold_queue",
        code=r'''"""A queue that knows the combination of all that it holds."""

import math


class FoldQueue:
    """A first-in first-out queue with a running fold, from oldest to newest."""

    def __init__(self, combine, identity):
        self._combine = combine
        self._identity = identity
        self._front = []
        self._back = []
        self._back_fold = identity

    def __len__(self):
        return len(self._front) + len(self._back)

    def push(self, value):
        """Add a value at the end."""
        self._back.append(value)
        self._back_fold = self._combine(self._back_fold, value)

    def pop(self):
        """Remove and return the oldest value."""
        if not self._front:
            self._turn()
        if not self._front:
            raise IndexError("pop from an empty queue")
        value, _ = self._front.pop()
        return value

    def fold(self):
        """The combination of all values; the identity if there is none."""
        front_fold = self._front[-1][1] if self._front else self._identity
        return self._combine(front_fold, self._back_fold)

    def _turn(self):
        fold = self._identity
        while self._back:
            value = self._back.pop()
            fold = self._combine(fold, value)
            self._front.append((value, fold))
        self._back_fold = self._identity


def windows(values, width, combine, identity):
    """The folds of all stretches of a width."""
    queue = FoldQueue(combine, identity)
    folds = []
    for value in values:
        queue.push(value)
        if len(queue) > width:
            queue.pop()
        if len(queue) == width:
            folds.append(queue.fold())
    return folds


def window_gcds(numbers, width):
    """The greatest common divisors of all stretches of a width."""
    return windows(numbers, width, math.gcd, 0)
''',
        wrong="fold = self._combine(fold, value)",
        right="fold = self._combine(value, fold)",
        visible=r"""
def test_gcds():
    assert window_gcds([4, 6, 9, 12, 18], 2) == [2, 3, 3, 6]


def test_sums():
    queue = FoldQueue(lambda a, b: a + b, 0)
    for n in (1, 2, 3):
        queue.push(n)
    assert queue.pop() == 1
    assert queue.fold() == 5
    queue.push(10)
    assert queue.fold() == 15
    assert len(queue) == 3


def test_text():
    queue = FoldQueue(lambda a, b: a + b, "")
    for c in "abcd":
        queue.push(c)
    assert queue.fold() == "abcd"
    assert queue.pop() == "a"
    assert queue.fold() == "bcd"


def test_text_windows():
    assert windows("hello", 3, lambda a, b: a + b, "") == ["hel", "ell", "llo"]


def test_empty():
    queue = FoldQueue(max, 0)
    assert queue.fold() == 0
    with pytest.raises(IndexError):
        queue.pop()
""",
        hidden=r"""
import random


def join(a, b):
    return a + b


def compose(f, g):
    return (f[0] * g[0], f[1] * g[0] + g[1])


def test_text_queue_against_a_list():
    rng = random.Random(9)
    for _ in range(60):
        queue, model = FoldQueue(join, ""), []
        for _ in range(50):
            if model and rng.random() < 0.45:
                assert queue.pop() == model.pop(0)
            else:
                value = rng.choice("abcdefgh")
                queue.push(value)
                model.append(value)
            assert queue.fold() == "".join(model)
            assert len(queue) == len(model)


def test_functions():
    rng = random.Random(10)
    maps = [(rng.randrange(-3, 4), rng.randrange(-5, 6)) for _ in range(30)]
    for width in range(1, 9):
        wanted = []
        for i in range(len(maps) - width + 1):
            fold = (1, 0)
            for m in maps[i:i + width]:
                fold = compose(fold, m)
            wanted.append(fold)
        assert windows(maps, width, compose, (1, 0)) == wanted


def test_text_windows_of_every_width():
    text = "the quick brown fox"
    for width in range(1, len(text) + 1):
        assert windows(text, width, join, "") == [
            text[i:i + width] for i in range(len(text) - width + 1)]


def test_first_and_last():
    first = lambda a, b: b if a is None else a
    last = lambda a, b: a if b is None else b
    values = list(range(12))
    for width in range(1, 6):
        assert windows(values, width, first, None) == values[:12 - width + 1]
        assert windows(values, width, last, None) == values[width - 1:]
""",
    ),
    # ---------------------------------------------------------------- recursion
    Program(
        name="quadtree_image",
        code=r'''"""Square pictures as trees: a node is a colour or a tuple of four nodes.

The four parts of a node are its upper left, upper right, lower left and lower
right quarters.
"""


def encode(rows):
    """The tree of a picture whose side is a power of two."""
    size = len(rows)
    first = rows[0][0]
    if all(cell == first for row in rows for cell in row):
        return first
    half = size // 2
    top, bottom = rows[:half], rows[half:]
    return (
        encode([row[:half] for row in top]),
        encode([row[half:] for row in top]),
        encode([row[:half] for row in bottom]),
        encode([row[half:] for row in bottom]),
    )


def decode(tree, size):
    """The picture of a tree, as a list of lists."""
    if not isinstance(tree, tuple):
        return [[tree] * size for _ in range(size)]
    a, b, c, d = (decode(part, size // 2) for part in tree)
    top = [left + right for left, right in zip(a, b)]
    bottom = [left + right for left, right in zip(c, d)]
    return top + bottom


def leaves(tree):
    """How many leaves a tree has."""
    if not isinstance(tree, tuple):
        return 1
    return sum(leaves(part) for part in tree)


def mirror(tree):
    """The picture with left and right exchanged."""
    if not isinstance(tree, tuple):
        return tree
    a, b, c, d = (mirror(part) for part in tree)
    return (b, a, d, c)


def rotate(tree):
    """The picture turned clockwise by a quarter."""
    if not isinstance(tree, tuple):
        return tree
    a, b, c, d = (rotate(part) for part in tree)
    return (c, a, b, d)
''',
        wrong="return (c, a, b, d)",
        right="return (c, a, d, b)",
        visible=r"""
PICTURE = [
    [1, 1, 0, 1],
    [1, 1, 1, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
]


def test_encode():
    assert encode([[5]]) == 5
    assert encode([[1, 2], [3, 4]]) == (1, 2, 3, 4)
    assert encode(PICTURE) == (1, (0, 1, 1, 0), 0, 0)


def test_decode():
    assert decode(encode(PICTURE), 4) == PICTURE
    assert decode(7, 2) == [[7, 7], [7, 7]]


def test_leaves():
    assert leaves(encode(PICTURE)) == 7


def test_mirror():
    assert mirror((1, 2, 3, 4)) == (2, 1, 4, 3)


def test_rotate():
    assert rotate((1, 2, 3, 4)) == (3, 1, 4, 2)
    assert rotate(9) == 9


def test_four_turns():
    tree = encode(PICTURE)
    turned = tree
    for _ in range(4):
        turned = rotate(turned)
    assert turned == tree
""",
        hidden=r"""
import random


def pictures():
    rng = random.Random(11)
    for size in (1, 2, 4, 8):
        for colours in (2, 3):
            for _ in range(15):
                yield [[rng.randrange(colours) for _ in range(size)] for _ in range(size)]


def test_rotation_of_pictures():
    for rows in pictures():
        turned = [list(row) for row in zip(*rows[::-1])]
        assert rotate(encode(rows)) == encode(turned)


def test_mirror_of_pictures():
    for rows in pictures():
        assert mirror(encode(rows)) == encode([row[::-1] for row in rows])


def test_rotations_and_mirrors():
    for rows in pictures():
        tree = encode(rows)
        once = rotate(tree)
        assert leaves(once) == leaves(tree)
        assert rotate(rotate(rotate(once))) == tree
        assert mirror(rotate(mirror(once))) == tree
        assert decode(rotate(once), len(rows)) == [row[::-1] for row in rows[::-1]]
""",
    ),
    Program(
        name="young_tableaux",
        code=r'''"""Standard fillings of Young diagrams.

A shape is a tuple of row lengths that never grow. A filling holds the numbers
from 1 on, growing along every row and down every column.
"""

from functools import lru_cache


def corners(shape):
    """The rows whose last cell can be taken away."""
    last = len(shape) - 1
    return [row for row in range(len(shape)) if row == last or shape[row] >= shape[row + 1]]


def shrink(shape, row):
    """The shape without the last cell of a row."""
    lengths = list(shape)
    lengths[row] -= 1
    return tuple(length for length in lengths if length)


@lru_cache(maxsize=None)
def count(shape):
    """How many fillings a shape has."""
    if not shape:
        return 1
    return sum(count(shrink(shape, row)) for row in corners(shape))


def fillings(shape):
    """All fillings of a shape, as lists of rows."""
    if not shape:
        return [[]]
    found = []
    number = sum(shape)
    for row in corners(shape):
        for smaller in fillings(shrink(shape, row)):
            filling = [list(cells) for cells in smaller]
            if row == len(filling):
                filling.append([])
            filling[row].append(number)
            found.append(filling)
    return found


def conjugate(shape):
    """The shape with rows and columns exchanged."""
    if not shape:
        return ()
    return tuple(sum(1 for length in shape if length > column) for column in range(shape[0]))
''',
        wrong="shape[row] >= shape[row + 1]]",
        right="shape[row] > shape[row + 1]]",
        visible=r"""
def test_count_of_one_row():
    assert count((5,)) == 1
    assert count(()) == 1


def test_count():
    assert count((2, 1)) == 2
    assert count((3, 1)) == 3
    assert count((2, 2)) == 2
    assert count((3, 3)) == 5


def test_corners():
    assert corners((4, 2, 1)) == [0, 1, 2]
    assert corners((3, 3, 1)) == [1, 2]


def test_fillings():
    assert sorted(fillings((2, 1))) == [[[1, 2], [3]], [[1, 3], [2]]]


def test_conjugate():
    assert conjugate((4, 2, 1)) == (3, 2, 1, 1)
    assert conjugate(()) == ()
""",
        hidden=r"""
import math


def shapes(total, largest):
    if total == 0:
        yield ()
    for first in range(min(total, largest), 0, -1):
        for rest in shapes(total - first, first):
            yield (first,) + rest


def hooks(shape):
    columns = [sum(1 for length in shape if length > c) for c in range(shape[0])] if shape else []
    product = 1
    for r, length in enumerate(shape):
        for c in range(length):
            product *= length - c + columns[c] - r - 1
    return product


def test_hook_length_formula():
    for total in range(11):
        for shape in shapes(total, total):
            assert count(shape) == math.factorial(total) // hooks(shape)


def test_fillings_are_standard():
    for total in range(7):
        for shape in shapes(total, total):
            found = fillings(shape)
            assert len(found) == count(shape)
            assert len({tuple(map(tuple, f)) for f in found}) == len(found)
            for f in found:
                assert tuple(map(len, f)) == shape
                assert sorted(n for row in f for n in row) == list(range(1, total + 1))
                assert all(row == sorted(row) for row in f)
                assert all(f[r][c] < f[r + 1][c] for r in range(len(f) - 1)
                           for c in range(len(f[r + 1])))


def test_corners_leave_shapes():
    for total in range(1, 10):
        for shape in shapes(total, total):
            good = []
            for row in range(len(shape)):
                lengths = list(shape)
                lengths[row] -= 1
                if lengths == sorted(lengths, reverse=True):
                    good.append(row)
            assert corners(shape) == good


def test_sum_of_squares():
    for total in range(9):
        assert sum(count(s) ** 2 for s in shapes(total, total)) == math.factorial(total)
""",
    ),
    Program(
        name="nested_diff",
        code=r'''"""Differences between nested dictionaries and lists."""


class _Missing:
    """Stands for a value that is not there."""

    def __repr__(self):
        return "MISSING"


MISSING = _Missing()


def diff(old, new, path=()):
    """Triples of path, old value and new value, one for each difference."""
    if isinstance(old, dict) and isinstance(new, dict):
        return _diff_keys(old, new, sorted(old.keys() | new.keys()), path)
    if isinstance(old, list) and isinstance(new, list):
        return _diff_keys(
            dict(enumerate(old)),
            dict(enumerate(new)),
            range(max(len(old), len(new))),
            path,
        )
    return [] if old == new else [(path, old, new)]


def _diff_keys(old, new, keys, path):
    changes = []
    for key in keys:
        before = old.get(key, MISSING)
        after = new.get(key, MISSING)
        changes += diff(before, after, (key,))
    return changes


def describe(change):
    """One line of text for a difference."""
    path, old, new = change
    place = "/".join(str(step) for step in path) or "(root)"
    if old is MISSING:
        return f"{place}: added {new!r}"
    if new is MISSING:
        return f"{place}: removed {old!r}"
    return f"{place}: {old!r} -> {new!r}"


def report(old, new):
    """Lines of text for all differences."""
    return [describe(change) for change in diff(old, new)]
''',
        wrong="changes += diff(before, after, (key,))",
        right="changes += diff(before, after, path + (key,))",
        visible=r"""
def test_equal():
    assert diff({"a": [1, 2]}, {"a": [1, 2]}) == []
    assert report(3, 3) == []


def test_root():
    assert diff(1, 2) == [((), 1, 2)]
    assert report([], {}) == ["(root): [] -> {}"]


def test_flat():
    assert report({"a": 1, "b": 2}, {"b": 3, "c": 4}) == [
        "a: removed 1",
        "b: 2 -> 3",
        "c: added 4",
    ]


def test_nested():
    old = {"user": {"name": "Ann", "langs": ["en", "fr"]}}
    new = {"user": {"name": "Bea", "langs": ["en"]}}
    assert report(old, new) == [
        "user/langs/1: removed 'fr'",
        "user/name: 'Ann' -> 'Bea'",
    ]


def test_list_of_dicts():
    assert diff([{"x": 1}], [{"x": 2}]) == [((0, "x"), 1, 2)]
""",
        hidden=r"""
import copy
import random


def build(rng, depth):
    kind = rng.randrange(3) if depth else 2
    if kind == 0:
        return {k: build(rng, depth - 1) for k in rng.sample("abcd", rng.randrange(1, 4))}
    if kind == 1:
        return [build(rng, depth - 1) for _ in range(rng.randrange(1, 4))]
    return rng.randrange(5)


def look(value, path):
    for step in path:
        if isinstance(value, dict):
            value = value.get(step, MISSING)
        elif isinstance(value, list):
            value = value[step] if step < len(value) else MISSING
        else:
            raise AssertionError(path)
    return value


def test_paths_lead_to_the_values():
    rng = random.Random(12)
    for _ in range(400):
        old, new = build(rng, 4), build(rng, 4)
        changes = diff(old, new)
        assert bool(changes) == (old != new)
        paths = [path for path, _, _ in changes]
        assert len(set(paths)) == len(paths)
        for path, before, after in changes:
            assert look(old, path) is before or look(old, path) == before
            assert look(new, path) is after or look(new, path) == after
            assert before != after


def leaves(value, path=()):
    if isinstance(value, dict):
        for k, v in value.items():
            yield from leaves(v, path + (k,))
    elif isinstance(value, list):
        for i, v in enumerate(value):
            yield from leaves(v, path + (i,))
    else:
        yield path


def test_one_changed_leaf():
    rng = random.Random(13)
    for _ in range(100):
        old = build(rng, 5)
        for path in leaves(old):
            if not path:
                continue
            new = copy.deepcopy(old)
            holder = new
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = "new"
            assert diff(old, new) == [(path, look(old, path), "new")]


def test_given_path_is_a_prefix():
    assert diff({"a": {"b": 1}}, {"a": {"b": 2}}, ("top", 3)) == [(("top", 3, "a", "b"), 1, 2)]
    deep_old, deep_new = 1, 2
    wanted = ()
    for n in range(12):
        deep_old, deep_new = {n: deep_old}, {n: deep_new}
        wanted = (n,) + wanted
        assert diff(deep_old, deep_new) == [(wanted, 1, 2)]
""",
    ),
    Program(
        name="dawsons_kayles",
        code=r'''"""Dawson's Kayles: two players knock down two adjacent pins of some row in turn.

Knocking down two pins leaves two rows, either of which may be empty. Who
cannot move loses.
"""

from functools import lru_cache


def splits(pins):
    """The pairs of rows that one move can make of a row, shorter part first."""
    rest = pins - 2
    return [(left, rest - left) for left in range(rest // 2 + 1)] if rest >= 0 else []


def mex(numbers):
    """The least natural number that is not among the numbers."""
    present = set(numbers)
    least = 0
    while least in present:
        least += 1
    return least


@lru_cache(maxsize=None)
def grundy(pins):
    """The Grundy number of a row."""
    return mex(grundy(left) ^ grundy(right) for left, right in splits(pins))


def nim_sum(rows):
    """The Grundy number of several rows together."""
    total = 0
    for pins in rows:
        total ^= grundy(pins)
    return total


def first_player_wins(rows):
    """Whether the player to move can win."""
    return nim_sum(rows) != 0


def winning_moves(rows):
    """The winning moves, as triples of row index and the sizes of both parts."""
    total = nim_sum(rows)
    moves = []
    for index, pins in enumerate(rows):
        others = total
        for left, right in splits(pins):
            if others ^ grundy(left) ^ grundy(right) == 0:
                moves.append((index, left, right))
    return moves
''',
        wrong="others = total",
        right="others = total ^ grundy(pins)",
        visible=r"""
def test_splits():
    assert splits(1) == []
    assert splits(2) == [(0, 0)]
    assert splits(5) == [(0, 3), (1, 2)]


def test_mex():
    assert mex([]) == 0
    assert mex([0, 1, 3]) == 2


def test_grundy_numbers():
    assert [grundy(n) for n in range(10)] == [0, 0, 1, 1, 2, 0, 3, 1, 1, 0]


def test_first_player():
    assert first_player_wins([4])
    assert not first_player_wins([3, 3])


def test_winning_move_in_one_row():
    assert winning_moves([2]) == [(0, 0, 0)]
    assert winning_moves([4]) == [(0, 1, 1)]


def test_winning_moves_in_two_rows():
    assert winning_moves([2, 4]) == [(1, 0, 2)]
""",
        hidden=r"""
from functools import lru_cache
from itertools import combinations_with_replacement


@lru_cache(maxsize=None)
def wins(rows):
    for i, pins in enumerate(rows):
        for left in range(pins - 1):
            rest = rows[:i] + rows[i + 1:] + (left, pins - 2 - left)
            if not wins(tuple(sorted(rest))):
                return True
    return False


def test_winning_moves_by_search():
    for count in (1, 2, 3):
        for rows in combinations_with_replacement(range(7), count):
            wanted = []
            for i, pins in enumerate(rows):
                for left in range(pins - 1):
                    right = pins - 2 - left
                    if left <= right and not wins(tuple(sorted(rows[:i] + rows[i + 1:] + (left, right)))):
                        wanted.append((i, left, right))
            assert winning_moves(list(rows)) == wanted


def test_outcomes_by_search():
    for count in (1, 2, 3):
        for rows in combinations_with_replacement(range(7), count):
            assert first_player_wins(rows) == wins(rows)
            assert bool(winning_moves(rows)) == wins(rows)


def test_moves_leave_balance():
    for a in range(25):
        for b in range(25):
            rows = [a, b, 7]
            moves = winning_moves(rows)
            assert bool(moves) == (nim_sum(rows) != 0)
            for i, left, right in moves:
                assert left + right == rows[i] - 2
                assert nim_sum(rows[:i] + rows[i + 1:] + [left, right]) == 0
""",
    ),
    Program(
        name="symbolic_derivative",
        code=r'''"""Derivatives of formulas in x.

A formula is a number, the text "x", or a triple of operator ("+", "-", "*",
"/") and two formulas.
"""


def make(operator, left, right):
    """A formula, with the plainest simplifications."""
    if isinstance(left, (int, float)) and isinstance(right, (int, float)) and operator != "/":
        return compute(operator, left, right)
    if operator in "+-" and right == 0:
        return left
    if operator in "+-" and left == 0:
        return right
    if operator == "*" and (left == 0 or right == 0):
        return 0
    if operator == "*" and left == 1:
        return right
    if operator in "*/" and right == 1:
        return left
    return (operator, left, right)


def compute(operator, left, right):
    """The result of an operator on two numbers."""
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    return left / right


def derive(formula):
    """The derivative with respect to x."""
    if formula == "x":
        return 1
    if not isinstance(formula, tuple):
        return 0
    operator, u, v = formula
    du, dv = derive(u), derive(v)
    if operator in "+-":
        return make(operator, du, dv)
    if operator == "*":
        return make("+", make("*", du, v), make("*", u, dv))
    top = make("-", make("*", du, v), make("*", u, dv))
    return make("/", top, make("*", v, v))


def evaluate(formula, x):
    """The value of a formula at x."""
    if formula == "x":
        return x
    if not isinstance(formula, tuple):
        return formula
    operator, left, right = formula
    return compute(operator, evaluate(left, x), evaluate(right, x))
''',
        wrong='if operator in "+-" and left == 0:',
        right='if operator == "+" and left == 0:',
        visible=r"""
def test_simple():
    assert derive("x") == 1
    assert derive(7) == 0
    assert derive(("+", "x", 3)) == 1


def test_product():
    assert derive(("*", "x", "x")) == ("+", "x", "x")
    assert derive(("*", 3, "x")) == 3


def test_square_minus_cube():
    square = ("*", "x", "x")
    cube = ("*", "x", square)
    slope = derive(("-", square, cube))
    assert evaluate(slope, 2) == 4 - 12


def test_reciprocal():
    slope = derive(("/", 1, "x"))
    assert evaluate(slope, 2) == -0.25


def test_constant_minus_square():
    slope = derive(("-", 5, ("*", "x", "x")))
    assert evaluate(slope, 3) == -6


def test_make():
    assert make("+", 0, "x") == "x"
    assert make("*", 0, "x") == 0
    assert make("/", "x", 1) == "x"
    assert make("-", "x", 0) == "x"
""",
        hidden=r"""
import random
from fractions import Fraction


def build(rng, depth):
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(["x", "x", 0, 1, 2, 3])
    return (rng.choice("+-*/"), build(rng, depth - 1), build(rng, depth - 1))


def value_and_slope(formula, x):
    if formula == "x":
        return x, Fraction(1)
    if not isinstance(formula, tuple):
        return Fraction(formula), Fraction(0)
    op, a, b = formula
    (u, du), (v, dv) = value_and_slope(a, x), value_and_slope(b, x)
    if op == "+":
        return u + v, du + dv
    if op == "-":
        return u - v, du - dv
    if op == "*":
        return u * v, du * v + u * dv
    return u / v, (du * v - u * dv) / (v * v)


def test_random_formulas():
    rng = random.Random(14)
    checked = 0
    for _ in range(3000):
        formula = build(rng, 4)
        x = Fraction(rng.randrange(2, 30), 7)
        try:
            wanted = value_and_slope(formula, x)[1]
        except ZeroDivisionError:
            continue
        try:
            got = evaluate(derive(formula), x)
        except ZeroDivisionError:
            continue
        assert abs(float(got) - float(wanted)) <= 1e-6 * max(1, abs(float(wanted)))
        checked += 1
    assert checked > 1000


def test_make_keeps_values():
    parts = [0, 1, 2, -3, "x", ("+", "x", 1), ("*", "x", "x")]
    for op in "+-*/":
        for a in parts:
            for b in parts:
                for x in (2, 5, -4):
                    if op == "/" and evaluate(b, x) == 0:
                        continue
                    plain = evaluate((op, a, b), x)
                    assert evaluate(make(op, a, b), x) == plain


def test_make_simplifies():
    assert make("+", 0, "x") == "x"
    assert make("+", "x", 0) == "x"
    assert make("-", "x", 0) == "x"
    assert make("*", 1, "x") == "x"
    assert make("*", "x", 1) == "x"
    assert make("*", "x", 0) == 0
    assert make("+", 2, 3) == 5


def test_constants_minus_something():
    for constant in range(5):
        for x in (1, 2, 3):
            assert evaluate(derive(("-", constant, "x")), x) == -1
            assert evaluate(derive(("-", constant, ("*", 4, "x"))), x) == -4
""",
    ),
    Program(
        name="de_bruijn",
        code=r'''"""Cyclic words that hold every short word exactly once."""


def de_bruijn(size, length):
    """The least cyclic word of numbers below `size` with all words of a length.

    It is the concatenation, in order, of all Lyndon words whose length divides
    `length`.
    """
    if size < 1 or length < 1:
        raise ValueError("size and length must be positive")
    word = [0] * (length + 1)
    result = []

    def extend(t, period):
        if t > length:
            if length % period == 0:
                result.extend(word[1:period + 1])
            return
        word[t] = word[t - period]
        extend(t + 1, period)
        for number in range(word[t - 1] + 1, size):
            word[t] = number
            extend(t + 1, t)

    extend(1, 1)
    return result


def spell(alphabet, length):
    """The least cyclic word over an alphabet, as text."""
    return "".join(alphabet[number] for number in de_bruijn(len(alphabet), length))


def unrolled(alphabet, length):
    """The word with its beginning repeated, so that it need not be read as a circle."""
    word = spell(alphabet, length)
    copies = word * length
    return copies[:len(word) + length - 1]


def opens(code, alphabet):
    """How many keys must be pressed until a lock has seen a code."""
    keys = unrolled(alphabet, len(code))
    position = keys.find(code)
    if position < 0:
        raise ValueError("the code has characters outside the alphabet")
    return position + len(code)
''',
        wrong="for number in range(word[t - 1] + 1, size):",
        right="for number in range(word[t - period] + 1, size):",
        visible=r"""
def test_single_letters():
    assert spell("abc", 1) == "abc"
    assert spell("a", 3) == "a"


def test_pairs():
    assert spell("01", 2) == "0011"
    assert spell("abc", 2) == "aabacbbcc"


def test_binary_triples():
    assert spell("01", 3) == "00010111"


def test_unrolled_pairs():
    assert unrolled("01", 2) == "00110"


def test_opens():
    assert opens("00", "01") == 2
    assert opens("111", "01") == 8


def test_bad_arguments():
    with pytest.raises(ValueError):
        de_bruijn(2, 0)
    with pytest.raises(ValueError):
        opens("12", "01")
""",
        hidden=r"""
from itertools import product


CASES = [(1, 1), (1, 4), (2, 1), (2, 2), (2, 3), (2, 4), (2, 6), (2, 8), (3, 2), (3, 3), (3, 4),
         (4, 3), (5, 2), (5, 3)]


def test_every_word_once():
    for size, length in CASES:
        word = de_bruijn(size, length)
        assert len(word) == size ** length
        circle = word + word * length
        seen = {tuple(circle[i:i + length]) for i in range(len(word))}
        assert seen == set(product(range(size), repeat=length))


def lyndon(size, length):
    words = []
    for n in range(1, length + 1):
        if length % n == 0:
            for w in product(range(size), repeat=n):
                if all(w < w[i:] + w[:i] for i in range(1, n)):
                    words.append(w)
    return sorted(words)


def test_concatenation_of_lyndon_words():
    for size, length in CASES:
        if size ** length <= 300:
            assert de_bruijn(size, length) == [n for w in lyndon(size, length) for n in w]


def test_opens_every_code():
    for alphabet, length in (("01", 4), ("abc", 3), ("wxyz", 2)):
        counts = [opens("".join(code), alphabet) for code in product(alphabet, repeat=length)]
        total = len(alphabet) ** length
        assert sorted(counts) == list(range(length, total + length))
""",
    ),
    Program(
        name="exact_payments",
        code=r'''"""Ways to pay an amount exactly with the coins in a purse."""


def payments(amount, purse):
    """All ways to pay, as dictionaries from coin to count.

    The purse is a dictionary from coin to how many of it there are. Coins that
    a payment does not use are not in its dictionary.
    """
    coins = sorted(purse, reverse=True)
    found = []

    def search(index, rest, chosen):
        if rest == 0:
            found.append(chosen)
            return
        if index == len(coins):
            return
        coin = coins[index]
        most = min(purse[coin], rest // coin)
        for count in range(most, 0, -1):
            chosen[coin] = count
            search(index + 1, rest - count * coin, chosen)
        chosen.pop(coin, None)
        search(index + 1, rest, chosen)

    search(0, amount, {})
    return found


def coin_count(payment):
    """How many coins a payment uses."""
    return sum(payment.values())


def fewest_coins(amount, purse):
    """The payment with the fewest coins, or None if there is no payment."""
    ways = payments(amount, purse)
    return min(ways, key=coin_count) if ways else None


def spend(amount, purse):
    """What is left of a purse after paying with the fewest coins."""
    payment = fewest_coins(amount, purse)
    if payment is None:
        raise ValueError("cannot pay that exactly")
    left = {coin: count - payment.get(coin, 0) for coin, count in purse.items()}
    return {coin: count for coin, count in left.items() if count}
''',
        wrong="found.append(chosen)",
        right="found.append(dict(chosen))",
        visible=r"""
def test_all_ways():
    assert payments(6, {1: 6, 2: 2, 5: 1}) == [
        {5: 1, 1: 1},
        {2: 2, 1: 2},
        {2: 1, 1: 4},
        {1: 6},
    ]


def test_impossible():
    assert payments(3, {2: 5}) == []
    assert fewest_coins(3, {2: 5}) is None
    with pytest.raises(ValueError):
        spend(3, {2: 5})


def test_nothing_to_pay():
    assert payments(0, {1: 2}) == [{}]


def test_fewest():
    assert fewest_coins(6, {1: 2, 3: 2, 4: 1}) == {3: 2}


def test_spend():
    assert spend(7, {1: 3, 5: 2, 2: 1}) == {1: 3, 5: 1}


def test_coin_count():
    assert coin_count({5: 2, 1: 3}) == 5
""",
        hidden=r"""
import random
from itertools import product


def brute(amount, purse):
    coins = sorted(purse)
    ways = []
    for counts in product(*(range(purse[c] + 1) for c in coins)):
        if sum(c * n for c, n in zip(coins, counts)) == amount:
            ways.append({c: n for c, n in zip(coins, counts) if n})
    return ways


def key(way):
    return sorted(way.items())


def purses():
    rng = random.Random(15)
    for _ in range(60):
        coins = rng.sample(range(1, 12), rng.randrange(1, 5))
        yield {coin: rng.randrange(0, 5) for coin in coins}


def test_payments():
    for purse in purses():
        before = dict(purse)
        for amount in range(0, 30):
            assert sorted(payments(amount, purse), key=key) == sorted(brute(amount, purse), key=key)
        assert purse == before


def test_fewest():
    for purse in purses():
        for amount in range(0, 30):
            ways = brute(amount, purse)
            best = fewest_coins(amount, purse)
            if not ways:
                assert best is None
            else:
                assert best in ways
                assert sum(best.values()) == min(sum(w.values()) for w in ways)


def test_payments_are_separate():
    ways = payments(10, {1: 10, 2: 5, 5: 2})
    assert len({id(way) for way in ways}) == len(ways)
    ways[0].clear()
    assert all(ways[1:])


def test_spend_keeps_the_rest():
    for purse in purses():
        for amount in range(1, 25):
            if brute(amount, purse):
                left = spend(amount, purse)
                assert sum(c * n for c, n in left.items()) + amount == sum(c * n for c, n in purse.items())
                assert all(n > 0 for n in left.values())
""",
    ),
    # ---------------------------------------------------------------- strings and parsing
    Program(
        name="brace_expansion",
        code=r'''"""Expansion of braces in file names, as shells do it."""

import re

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")


def matching(text, start):
    """The position of the brace that closes the one at `start`."""
    depth = 0
    for position in range(start, len(text)):
        if text[position] == "{":
            depth += 1
        elif text[position] == "}":
            depth -= 1
            if depth == 0:
                return position
    raise ValueError("unclosed brace")


def alternatives(body):
    """The parts of a text between the commas that are in no inner braces."""
    numbers = _RANGE.fullmatch(body)
    if numbers:
        first, last = int(numbers[1]), int(numbers[2])
        step = 1 if first <= last else -1
        return [str(n) for n in range(first, last + step, step)]
    parts = [""]
    depth = 0
    for character in body:
        if character == "," and depth == 0:
            parts.append("")
            continue
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
        parts[-1] += character
    return parts


def expand(text):
    """All texts that a text with braces stands for, in order."""
    start = text.find("{")
    if start < 0:
        return [text]
    end = text.find("}", start)
    tails = expand(text[end + 1:])
    results = []
    for alternative in alternatives(text[start + 1:end]):
        for middle in expand(alternative):
            results.extend(text[:start] + middle + tail for tail in tails)
    return results
''',
        wrong='end = text.find("}", start)',
        right="end = matching(text, start)",
        visible=r"""
def test_plain():
    assert expand("readme.txt") == ["readme.txt"]


def test_alternatives():
    assert expand("file.{c,h}") == ["file.c", "file.h"]
    assert expand("{a,b}{1,2}") == ["a1", "a2", "b1", "b2"]
    assert expand("x{,y}") == ["x", "xy"]


def test_ranges():
    assert expand("v{1..4}") == ["v1", "v2", "v3", "v4"]
    assert expand("{2..-1}") == ["2", "1", "0", "-1"]


def test_nested():
    assert expand("a{b,c{d,e}}f") == ["abf", "acdf", "acef"]


def test_nested_range():
    assert expand("{x{1..2},y}") == ["x1", "x2", "y"]


def test_matching():
    assert matching("a{b{c}d}e", 1) == 7
    assert matching("a{b{c}d}e", 3) == 5
""",
        hidden=r'''
import random


def build(rng, depth):
    """A text with braces and the texts that it stands for."""
    text, meanings = "", [""]
    for _ in range(rng.randrange(1, 4)):
        if depth and rng.random() < 0.5:
            options = [build(rng, depth - 1) for _ in range(rng.randrange(2, 4))]
            piece = "{" + ",".join(t for t, _ in options) + "}"
            means = [m for _, ms in options for m in ms]
        elif rng.random() < 0.2:
            a, b = rng.randrange(-2, 3), rng.randrange(-2, 3)
            piece = "{%d..%d}" % (a, b)
            means = [str(n) for n in (range(a, b + 1) if a <= b else range(a, b - 1, -1))]
        else:
            piece = rng.choice(["a", "b.", "-c", ""])
            means = [piece]
        if len(meanings) * len(means) > 200:
            break
        text += piece
        meanings = [x + y for x in meanings for y in means]
    return text, meanings


def test_random_texts():
    rng = random.Random(16)
    for _ in range(400):
        text, meanings = build(rng, 3)
        assert expand(text) == meanings


def test_deep():
    text, wanted = "z", ["z"]
    for n in range(8):
        text = "{a" + text + ",b}"
        wanted = ["a" + w for w in wanted] + ["b"]
        assert expand(text) == wanted
        assert expand(text + "{1,2}") == [w + d for w in wanted for d in "12"]


def test_unclosed():
    for text in ("a{b", "{a,{b}", "x{y{z}", "{"):
        with pytest.raises(ValueError):
            expand(text)
''',
    ),
    Program(
        name="iso_duration",
        code=r'''"""Durations in the notation of ISO 8601, without years and months."""

DATE_UNITS = {"W": 7 * 86400, "D": 86400}
TIME_UNITS = {"H": 3600, "M": 60, "S": 1}


def parse(text):
    """The seconds of a duration like 'P2DT3H30M' or '-PT90S'."""
    sign = 1
    if text.startswith("-"):
        sign, text = -1, text[1:]
    if not text.startswith("P") or len(text) < 3:
        raise ValueError(f"not a duration: {text!r}")
    date, mark, time = text[1:].partition("T")
    if mark and not time:
        raise ValueError("nothing behind the T")
    return sign * (_total(date, DATE_UNITS) + _total(time, TIME_UNITS))


def _total(text, units):
    total = 0
    number = ""
    for character in text:
        if character.isdigit():
            number += character
        elif character in units and number:
            total += int(number) * units[character]
            number = ""
        else:
            raise ValueError(f"unexpected {character!r}")
    if number:
        raise ValueError("number without unit")
    return total


def write(seconds):
    """The shortest duration text of a whole number of seconds."""
    if seconds < 0:
        return "-" + write(-seconds)
    if seconds == 0:
        return "PT0S"
    days, rest = divmod(seconds, 86400)
    hours = rest // 3600
    minutes = rest // 60
    date = f"{days}D" if days else ""
    time = ""
    for amount, unit in ((hours, "H"), (minutes, "M"), (rest % 60, "S")):
        if amount:
            time += f"{amount}{unit}"
    return "P" + date + ("T" + time if time else "")


def add(first, second):
    """The sum of two durations, as a duration text."""
    return write(parse(first) + parse(second))
''',
        wrong="minutes = rest // 60",
        right="minutes = rest % 3600 // 60",
        visible=r"""
def test_parse():
    assert parse("PT90S") == 90
    assert parse("P1DT2H") == 86400 + 7200
    assert parse("P2W") == 14 * 86400
    assert parse("-PT1M") == -60


def test_bad_texts():
    for text in ("", "P", "1D", "P1", "P1DT", "PT1D", "P1H", "PTM"):
        with pytest.raises(ValueError):
            parse(text)


def test_write_short():
    assert write(0) == "PT0S"
    assert write(45) == "PT45S"
    assert write(150) == "PT2M30S"
    assert write(3 * 86400) == "P3D"


def test_write_long():
    assert write(3661) == "PT1H1M1S"
    assert write(90000) == "P1DT1H"
    assert write(-7200) == "-PT2H"


def test_add():
    assert add("PT50S", "PT20S") == "PT1M10S"
    assert add("PT45M", "PT30M") == "PT1H15M"
""",
        hidden=r"""
import re


def test_round_trip():
    for seconds in list(range(-8000, 8000, 7)) + list(range(80000, 400000, 997)):
        assert parse(write(seconds)) == seconds


def test_fields_are_small():
    pattern = re.compile(r"-?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
    for seconds in range(1, 300000, 613):
        days, hours, minutes, rest = (int(g or 0) for g in pattern.fullmatch(write(seconds)).groups())
        assert hours < 24 and minutes < 60 and rest < 60
        assert ((days * 24 + hours) * 60 + minutes) * 60 + rest == seconds


def test_every_combination():
    for d in (0, 1, 30):
        for h in (0, 1, 23):
            for m in (0, 1, 59):
                for s in (0, 1, 59):
                    text = "P" + (f"{d}D" if d else "")
                    time = (f"{h}H" if h else "") + (f"{m}M" if m else "") + (f"{s}S" if s else "")
                    text += "T" + time if time else ""
                    seconds = ((d * 24 + h) * 60 + m) * 60 + s
                    if seconds:
                        assert write(seconds) == text
                        assert write(-seconds) == "-" + text
                        assert parse(text) == seconds


def test_sums():
    assert add("P1DT23H", "PT1H") == "P2D"
    assert add("PT1H59M59S", "PT1S") == "PT2H"
    assert add("PT2H", "-PT1H30M") == "PT30M"
    assert add("P1W", "-P8D") == "-P1D"
    assert add("PT1H10M", "PT1H10M") == "PT2H20M"
""",
    ),
    Program(
        name="settings_file",
        code=r'''"""Settings files: sections of 'key = value' lines.

An indented line continues the value of the line above it. Sections may be
left and entered again.
"""


def parse_settings(text):
    """A dictionary from section name to a dictionary of its settings."""
    section = {}
    sections = {"": section}
    key = None
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped:
            key = None
        elif stripped[0] in "#;":
            continue
        elif line[0].isspace():
            if key is None:
                raise ValueError(f"line {number}: nothing to continue")
            section[key] += " " + stripped
        elif stripped.startswith("["):
            if not stripped.endswith("]"):
                raise ValueError(f"line {number}: unclosed section name")
            name = stripped[1:-1].strip()
            section = sections[name] = {}
            key = None
        else:
            key, mark, value = stripped.partition("=")
            if not mark:
                raise ValueError(f"line {number}: no equals sign")
            key = key.strip().lower()
            section[key] = value.strip()
    return sections


def write_settings(sections):
    """The text of a dictionary of sections."""
    blocks = []
    for name, settings in sections.items():
        lines = [f"[{name}]"] if name else []
        lines += [f"{key} = {value}" for key, value in settings.items()]
        if lines:
            blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"
''',
        wrong="section = sections[name] = {}",
        right="section = sections.setdefault(name, {})",
        visible=r"""
def test_sections():
    text = "top = 1\n[window]\nWidth = 80\nheight=25\n[colours]\nback = dark blue\n"
    assert parse_settings(text) == {
        "": {"top": "1"},
        "window": {"width": "80", "height": "25"},
        "colours": {"back": "dark blue"},
    }


def test_continuation_and_comments():
    text = "# about\n[a]\npath = one\n   two\n; more\n   three\n"
    assert parse_settings(text)["a"] == {"path": "one two three"}


def test_section_entered_again():
    text = "[a]\nx = 1\nw = 0\n[b]\ny = 2\n[a]\nz = 3\nx = 4\n"
    assert parse_settings(text) == {"": {}, "a": {"x": "4", "w": "0", "z": "3"}, "b": {"y": "2"}}


def test_errors():
    with pytest.raises(ValueError):
        parse_settings("[a\n")
    with pytest.raises(ValueError):
        parse_settings("just words\n")
    with pytest.raises(ValueError):
        parse_settings("[a]\n  more\n")


def test_write():
    assert write_settings({"": {}, "a": {"x": "1"}, "b": {"y": "2"}}) == "[a]\nx = 1\n\n[b]\ny = 2\n"
""",
        hidden=r"""
import random


def test_shuffled_lines():
    rng = random.Random(17)
    for _ in range(100):
        wanted = {"": {}}
        lines = []
        current = ""
        for n in range(30):
            if rng.random() < 0.3:
                current = rng.choice(["a", "b", "c d"])
                lines.append(rng.choice(["[%s]", "[ %s ]", "[%s]  "]) % current)
                wanted.setdefault(current, {})
            else:
                key = rng.choice("pqrst")
                lines.append(f"{key} = {n}")
                wanted[current][key] = str(n)
            if rng.random() < 0.1:
                lines.append("# remark")
        assert parse_settings("\n".join(lines)) == wanted


def test_top_section_entered_again():
    assert parse_settings("x = 1\n[a]\ny = 2\n[]\nz = 3\n") == {
        "": {"x": "1", "z": "3"}, "a": {"y": "2"}}


def test_immediately_again():
    for repeats in range(1, 6):
        text = "".join(f"[s]\nk{n} = {n}\n" for n in range(repeats))
        assert parse_settings(text)["s"] == {f"k{n}": str(n) for n in range(repeats)}


def test_continuation_is_not_carried_over():
    with pytest.raises(ValueError):
        parse_settings("[a]\nx = 1\n[a]\n  more\n")
    with pytest.raises(ValueError):
        parse_settings("[a]\nx = 1\n\n  more\n")


def test_round_trip():
    sections = {"": {"a": "1"}, "s": {"b": "2 3", "c": ""}, "t": {}}
    assert parse_settings(write_settings(sections)) == sections
""",
    ),
    Program(
        name="cron_fields",
        code=r'''"""Schedules in the notation of cron."""

DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]


def parse_field(text, low, high, names=()):
    """The numbers that a field stands for, sorted.

    A field is a list of terms with commas between them. A term is '*', a
    number or a range 'a-b', and '/step' may follow it; with a step, a single
    number is the start of a range up to the highest number.
    """
    numbers = set()
    for term in text.split(","):
        span, slash, step_text = term.partition("/")
        step = int(step_text) if slash else 1
        if step < 1:
            raise ValueError(f"bad step in {term!r}")
        if span == "*":
            first, last = low, high
        elif "-" in span:
            first_text, _, last_text = span.partition("-")
            first = _number(first_text, names)
            last = _number(last_text, names)
        else:
            first = _number(span, names)
            last = first
        if not low <= first <= last <= high:
            raise ValueError(f"out of range: {term!r}")
        numbers.update(range(first, last + 1, step))
    return sorted(numbers)


def _number(text, names):
    if text.lower() in names:
        return names.index(text.lower())
    return int(text)


def parse_schedule(text):
    """The minutes, hours and days of the week of a schedule of three fields."""
    minute, hour, day = text.split()
    return (
        parse_field(minute, 0, 59),
        parse_field(hour, 0, 23),
        parse_field(day, 0, 6, DAYS),
    )


def runs_per_week(text):
    """How often a week something with a schedule runs."""
    minutes, hours, days = parse_schedule(text)
    return len(minutes) * len(hours) * len(days)
''',
        wrong="last = first",
        right="last = high if slash else first",
        visible=r"""
def test_star_and_numbers():
    assert parse_field("*", 0, 6) == [0, 1, 2, 3, 4, 5, 6]
    assert parse_field("5", 0, 59) == [5]
    assert parse_field("7,3,7", 0, 23) == [3, 7]


def test_ranges_and_steps():
    assert parse_field("9-12", 0, 23) == [9, 10, 11, 12]
    assert parse_field("*/15", 0, 59) == [0, 15, 30, 45]
    assert parse_field("1-10/4", 0, 59) == [1, 5, 9]


def test_step_from_a_number():
    assert parse_field("5/20", 0, 59) == [5, 25, 45]


def test_names():
    assert parse_field("mon-fri", 0, 6, DAYS) == [1, 2, 3, 4, 5]
    assert parse_field("SUN,sat", 0, 6, DAYS) == [0, 6]


def test_errors():
    for text in ("60", "5-3", "*/0", "x", ""):
        with pytest.raises(ValueError):
            parse_field(text, 0, 59)


def test_runs_per_week():
    assert runs_per_week("0 9-17 mon-fri") == 45
    assert runs_per_week("10/10 12 *") == 35
""",
        hidden=r"""
def test_steps_from_every_number():
    for low, high in ((0, 59), (1, 31), (0, 6)):
        for first in range(low, high + 1):
            for step in (1, 2, 3, 7, 20):
                wanted = list(range(first, high + 1, step))
                assert parse_field(f"{first}/{step}", low, high) == wanted
                assert parse_field(f"{first}-{high}/{step}", low, high) == wanted


def test_single_numbers_stay_single():
    for number in range(60):
        assert parse_field(str(number), 0, 59) == [number]
        assert parse_field(f"{number},{number}", 0, 59) == [number]


def test_lists_of_terms():
    assert parse_field("50/3,1,10-12", 0, 59) == [1, 10, 11, 12, 50, 53, 56, 59]
    assert parse_field("1,20/20,2", 0, 59) == [1, 2, 20, 40]
    assert parse_field("3,*/30", 0, 59) == [0, 3, 30]


def test_names_with_steps():
    assert parse_field("mon/2", 0, 6, DAYS) == [1, 3, 5]
    assert parse_field("tue/2", 0, 6, DAYS) == [2, 4, 6]
    assert parse_field("sat/5", 0, 6, DAYS) == [6]
    assert parse_field("wed", 0, 6, DAYS) == [3]


def test_ranges_with_steps():
    for first in range(0, 24, 5):
        for last in range(first, 24, 3):
            for step in (1, 2, 5):
                assert parse_field(f"{first}-{last}/{step}", 0, 23) == list(range(first, last + 1, step))
""",
    ),
    Program(
        name="chess_placement",
        code=r'''"""The placement field of chess positions in Forsyth-Edwards notation."""

FILES = "abcdefgh"
PIECES = "prnbqkPRNBQK"
VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}


def read_placement(text):
    """A dictionary from square name to piece letter."""
    rows = text.split("/")
    if len(rows) != 8:
        raise ValueError("there must be eight rows")
    board = {}
    for rank, row in zip(range(8, 0, -1), rows):
        column = 0
        for character in row:
            if character in "12345678":
                column += int(character)
            elif character in PIECES:
                if column > 7:
                    raise ValueError(f"row {rank} is too long")
                board[f"{FILES[column]}{rank}"] = character
                column += 1
            else:
                raise ValueError(f"unknown piece {character!r}")
        if column != 8:
            raise ValueError(f"row {rank} has {column} squares")
    return board


def write_placement(board):
    """The placement field of a board."""
    rows = []
    for rank in range(8, 0, -1):
        row = ""
        empty = 0
        for file in FILES:
            piece = board.get(f"{file}{rank}")
            if piece is None:
                empty += 1
                continue
            if empty:
                row += str(empty)
            row += piece
        if empty:
            row += str(empty)
        rows.append(row)
    return "/".join(rows)


def balance(board):
    """The worth of the white pieces less that of the black ones."""
    total = 0
    for piece in board.values():
        worth = VALUES[piece.lower()]
        total += worth if piece.isupper() else -worth
    return total
''',
        wrong="            row += piece",
        right="            row += piece\n            empty = 0",
        visible=r"""
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def test_read():
    board = read_placement(START)
    assert len(board) == 32
    assert board["e1"] == "K"
    assert board["d8"] == "q"
    assert "e4" not in board


def test_write_start():
    assert write_placement(read_placement(START)) == START


def test_write_kings():
    text = "4k3/8/8/8/8/8/8/4K3"
    assert write_placement(read_placement(text)) == text


def test_write_empty():
    assert write_placement({}) == "8/8/8/8/8/8/8/8"


def test_write_one_pawn():
    assert write_placement({"h5": "P"}) == "8/8/8/7P/8/8/8/8"


def test_balance():
    assert balance(read_placement(START)) == 0
    assert balance({"a1": "R", "b1": "n", "c1": "p"}) == 1


def test_errors():
    for text in ("8/8", "9/8/8/8/8/8/8/8", "7/8/8/8/8/8/8/8", "x7/8/8/8/8/8/8/8"):
        with pytest.raises(ValueError):
            read_placement(text)
""",
        hidden=r"""
import random


def test_random_boards():
    rng = random.Random(18)
    for _ in range(200):
        share = rng.random()
        board = {f"{f}{r}": rng.choice(PIECES) for f in FILES for r in range(1, 9) if rng.random() < share}
        text = write_placement(board)
        assert read_placement(text) == board
        assert write_placement(read_placement(text)) == text
        for a, b in zip(text, text[1:]):
            assert not (a.isdigit() and b.isdigit())


def test_all_rows():
    for pattern in range(256):
        board = {f"{FILES[i]}3": "Q" for i in range(8) if pattern >> i & 1}
        row = "".join("Q" if pattern >> i & 1 else "." for i in range(8))
        for n in range(8, 0, -1):
            row = row.replace("." * n, str(n))
        assert write_placement(board) == "8/8/8/8/8/" + row + "/8/8"


def test_known_positions():
    for text in (
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8",
        "p6p/1p4p1/2p2p2/3pp3/8/8/8/P1P1P1P1",
    ):
        assert write_placement(read_placement(text)) == text
""",
    ),
    Program(
        name="version_order",
        code=r'''"""Semantic versions: their order, and caret ranges."""

import re

_PATTERN = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?")


def parse(text):
    """The three numbers of a version and the list of its pre-release parts."""
    match = _PATTERN.fullmatch(text)
    if not match:
        raise ValueError(f"not a version: {text!r}")
    numbers = tuple(int(match[i]) for i in (1, 2, 3))
    parts = match[4].split(".") if match[4] else []
    return numbers, parts


def _part_key(part):
    """Numbers come before words."""
    return (1, int(part), "") if part.isdigit() else (0, 0, part)


def order_key(text):
    """A key that sorts versions; a pre-release comes before its release."""
    numbers, parts = parse(text)
    is_release = not parts
    return numbers, is_release, [_part_key(part) for part in parts]


def newest(versions, releases_only=False):
    """The highest of some versions, or None if there is none."""
    if releases_only:
        versions = [version for version in versions if not parse(version)[1]]
    return max(versions, key=order_key, default=None)


def upper_bound(numbers):
    """The first numbers that are not compatible with some numbers."""
    major, minor, patch = numbers
    if major:
        return (major + 1, 0, 0)
    if minor:
        return (0, minor + 1, 0)
    return (0, 0, patch + 1)


def compatible(version, base):
    """Whether a version is in the caret range of a base version."""
    numbers, _ = parse(base)
    return order_key(base) <= order_key(version) and parse(version)[0] < upper_bound(numbers)
''',
        wrong='return (1, int(part), "") if part.isdigit() else (0, 0, part)',
        right='return (0, int(part), "") if part.isdigit() else (1, 0, part)',
        visible=r"""
def in_order(versions):
    return sorted(versions, key=order_key)


def test_numbers():
    assert in_order(["1.10.0", "1.2.0", "1.9.9", "0.20.0"]) == ["0.20.0", "1.2.0", "1.9.9", "1.10.0"]


def test_pre_releases():
    assert in_order(["1.0.0", "1.0.0-rc.1", "1.0.0-alpha"]) == ["1.0.0-alpha", "1.0.0-rc.1", "1.0.0"]


def test_example_of_the_standard():
    versions = [
        "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta",
        "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0",
    ]
    assert in_order(reversed(versions)) == versions


def test_newest():
    assert newest(["1.0.0", "1.1.0-rc.1"]) == "1.1.0-rc.1"
    assert newest(["1.0.0", "1.1.0-rc.1"], releases_only=True) == "1.0.0"
    assert newest([]) is None


def test_compatible():
    assert compatible("1.9.0", "1.2.3")
    assert not compatible("2.0.0", "1.2.3")
    assert not compatible("0.3.0", "0.2.5")
    assert not compatible("0.0.4", "0.0.3")


def test_bad_version():
    with pytest.raises(ValueError):
        parse("1.2")
""",
        hidden=r"""
import functools
import itertools
import random


def compare(a, b):
    (na, pa), (nb, pb) = parse(a), parse(b)
    if na != nb:
        return -1 if na < nb else 1
    if not pa or not pb:
        return (not pa) - (not pb)
    for x, y in zip(pa, pb):
        if x == y:
            continue
        if x.isdigit() and y.isdigit():
            return -1 if int(x) < int(y) else 1
        if x.isdigit() != y.isdigit():
            return -1 if x.isdigit() else 1
        return -1 if x < y else 1
    return (len(pa) > len(pb)) - (len(pa) < len(pb))


PARTS = ["1", "2", "11", "alpha", "beta", "rc", "x-1"]


def test_all_pairs():
    versions = ["1.0.0", "1.0.1"]
    for n in (1, 2):
        versions += ["1.0.0-" + ".".join(p) for p in itertools.product(PARTS, repeat=n)]
    for a in versions:
        for b in versions:
            ka, kb = order_key(a), order_key(b)
            assert (ka > kb) - (ka < kb) == compare(a, b)


def test_sorting():
    rng = random.Random(19)
    for _ in range(100):
        versions = []
        for _ in range(12):
            text = ".".join(str(rng.randrange(3)) for _ in range(3))
            parts = [rng.choice(PARTS) for _ in range(rng.randrange(4))]
            versions.append(text + ("-" + ".".join(parts) if parts else ""))
        wanted = sorted(versions, key=functools.cmp_to_key(compare))
        assert sorted(versions, key=order_key) == wanted
        assert order_key(newest(versions)) == order_key(wanted[-1])


def test_numbers_before_words():
    assert newest(["2.0.0-1", "2.0.0-a"]) == "2.0.0-a"
    assert newest(["2.0.0-z.99", "2.0.0-z.b"]) == "2.0.0-z.b"
    assert compatible("1.2.3-a", "1.2.3-7")
    assert not compatible("1.2.3-7", "1.2.3-a")
    assert newest(["1.0.0-2", "1.0.0-10"]) == "1.0.0-10"
""",
    ),
    Program(
        name="markdown_table",
        code=r'''"""Tables in Markdown, with their columns aligned."""

MARKS = {"left": (":", "-"), "right": ("-", ":"), "centre": (":", ":"), None: ("-", "-")}


def cells(line):
    """The texts of the cells of one line of a table."""
    line = line.strip()
    if line.startswith("|"):
        line = line[1:]
    if line.endswith("|"):
        line = line[:-1]
    return [cell.strip() for cell in line.split("|")]


def alignment(mark):
    """The alignment that a cell of the second line of a table stands for."""
    for name, (first, last) in MARKS.items():
        if mark[0] == first and mark[-1] == last:
            return name
    raise ValueError(f"not a mark: {mark!r}")


def pad(text, width, align):
    """A text, padded to a width."""
    if align == "right":
        return text.rjust(width)
    if align == "centre":
        left = (width - len(text)) // 2
        return " " * left + text + " " * (width - len(text) - left)
    return text.ljust(width)


def render(header, rows, aligns):
    """The lines of a table."""
    widths = [max(3, *(len(row[i]) for row in rows)) for i in range(len(header))]
    lines = []
    for row in [header, *rows]:
        padded = [pad(*parts) for parts in zip(row, widths, aligns)]
        lines.append("| " + " | ".join(padded) + " |")
    marks = []
    for width, align in zip(widths, aligns):
        first, last = MARKS[align]
        marks.append(first + "-" * (width - 2) + last)
    lines.insert(1, "| " + " | ".join(marks) + " |")
    return lines


def tidy(text):
    """The text of a table, with its columns aligned."""
    header, marks, *rows = (cells(line) for line in text.strip().splitlines())
    size = len(header)
    rows = [(row + [""] * size)[:size] for row in rows]
    return "\n".join(render(header, rows, [alignment(mark) for mark in marks]))
''',
        wrong="len(row[i]) for row in rows)",
        right="len(row[i]) for row in [header, *rows])",
        visible=r"""
def test_cells():
    assert cells("| a | b c |") == ["a", "b c"]
    assert cells("a|b") == ["a", "b"]


def test_alignment():
    assert alignment(":--") == "left"
    assert alignment("--:") == "right"
    assert alignment(":-:") == "centre"
    assert alignment("---") is None
    with pytest.raises(ValueError):
        alignment("abc")


def test_pad():
    assert pad("ab", 5, "right") == "   ab"
    assert pad("ab", 5, "centre") == " ab  "
    assert pad("ab", 5, None) == "ab   "


def test_tidy():
    text = "id|fruit\n-:|:-\n1|apple\n10|fig\n"
    assert tidy(text) == "\n".join([
        "|  id | fruit |",
        "| --: | :---- |",
        "|   1 | apple |",
        "|  10 | fig   |",
    ])


def test_tidy_long_header():
    text = "name | amount\n---|--:\nAnn | 5\nBob"
    assert tidy(text) == "\n".join([
        "| name | amount |",
        "| ---- | -----: |",
        "| Ann  |      5 |",
        "| Bob  |        |",
    ])
""",
        hidden=r"""
import random


def tables():
    rng = random.Random(20)
    for _ in range(200):
        columns = rng.randrange(1, 5)
        word = lambda: "abcdefghijkl"[:rng.randrange(1, 12)]
        header = [word() for _ in range(columns)]
        rows = [[word() for _ in range(columns)] for _ in range(rng.randrange(1, 5))]
        aligns = [rng.choice(["left", "right", "centre", None]) for _ in range(columns)]
        yield header, rows, aligns


def test_widths():
    for header, rows, aligns in tables():
        widths = [max([3] + [len(row[i]) for row in rows + [header]]) for i in range(len(header))]
        for line in render(header, rows, aligns):
            assert [len(cell) - 2 for cell in line[1:-1].split("|")] == widths


def test_contents():
    for header, rows, aligns in tables():
        lines = render(header, rows, aligns)
        assert cells(lines[0]) == header
        assert [cells(line) for line in lines[2:]] == rows
        assert [alignment(mark) for mark in cells(lines[1])] == aligns


def test_tidy_of_tidy():
    for header, rows, aligns in tables():
        text = "\n".join(render(header, rows, aligns))
        assert tidy(text) == text
        assert len({len(line) for line in text.splitlines()}) == 1


def test_header_longest():
    for n in range(1, 15):
        lines = render(["h" * n], [["r"]], ["right"])
        width = max(3, n)
        assert lines == ["| " + ("h" * n).rjust(width) + " |", "| " + "-" * (width - 1) + ": |",
                         "| " + "r".rjust(width) + " |"]


def test_no_rows():
    assert render(["title", "x"], [], ["left", None]) == ["| title | x   |", "| :---- | --- |"]
""",
    ),
    # ---------------------------------------------------------------- arithmetic and numbers
    Program(
        name="permutation_rank",
        code=r'''"""Permutations of 0 to n - 1 by their place in the dictionary order."""

from math import factorial


def is_permutation(items):
    """Whether a list has each number from 0 on exactly once."""
    return sorted(items) == list(range(len(items)))


def rank(permutation):
    """How many permutations come before a permutation."""
    if not is_permutation(permutation):
        raise ValueError("not a permutation")
    total = 0
    for index, item in enumerate(permutation):
        smaller = sum(1 for later in permutation[index + 1:] if later < item)
        total += smaller * factorial(len(permutation) - 1 - index)
    return total


def digits(number, size):
    """The factorial-base digits of a number, the highest first."""
    result = []
    for base in range(1, size + 1):
        number, digit = divmod(number, base)
        result.append(digit)
    return result[::-1]


def unrank(number, size):
    """The permutation that has `number` others before it."""
    if not 0 <= number < factorial(size):
        raise ValueError("no such permutation")
    pool = list(range(size))
    return [pool[digit] for digit in digits(number, size)]


def advance(permutation, steps=1):
    """The permutation some steps further, going around at the end."""
    size = len(permutation)
    return unrank((rank(permutation) + steps) % factorial(size), size)


def shuffle_by_number(items, number):
    """Items in the order of the permutation of a number."""
    items = list(items)
    return [items[index] for index in unrank(number, len(items))]
''',
        wrong="return [pool[digit] for digit in digits(number, size)]",
        right="return [pool.pop(digit) for digit in digits(number, size)]",
        visible=r"""
def test_rank():
    assert rank([0, 1, 2]) == 0
    assert rank([2, 1, 0]) == 5
    assert rank([1, 0, 3, 2]) == 7
    with pytest.raises(ValueError):
        rank([0, 0])


def test_digits():
    assert digits(0, 3) == [0, 0, 0]
    assert digits(5, 3) == [2, 1, 0]
    assert digits(7, 4) == [1, 0, 1, 0]


def test_unrank():
    assert unrank(0, 3) == [0, 1, 2]
    assert unrank(3, 3) == [1, 2, 0]
    assert unrank(7, 4) == [1, 0, 3, 2]
    with pytest.raises(ValueError):
        unrank(6, 3)


def test_advance():
    assert advance([0, 1, 2]) == [0, 2, 1]
    assert advance([2, 1, 0]) == [0, 1, 2]


def test_shuffle():
    assert shuffle_by_number("abc", 5) == ["c", "b", "a"]
""",
        hidden=r"""
from itertools import permutations
from math import factorial as fact


def test_all_small():
    for size in range(7):
        for number, wanted in enumerate(permutations(range(size))):
            assert unrank(number, size) == list(wanted)
            assert rank(list(wanted)) == number


def test_big_round_trip():
    for size in (8, 10, 13, 20):
        for k in range(60):
            number = (k * 982451653 + k ** 5) % fact(size)
            permutation = unrank(number, size)
            assert sorted(permutation) == list(range(size))
            assert rank(permutation) == number


def test_advance_goes_through_all():
    permutation = [0, 1, 2, 3, 4]
    seen = []
    for _ in range(120):
        seen.append(tuple(permutation))
        permutation = advance(permutation)
    assert seen == list(permutations(range(5)))
    assert permutation == [0, 1, 2, 3, 4]
    assert advance([3, 0, 2, 1], -1) == [3, 0, 1, 2]


def test_shuffles():
    words = ["p", "q", "r", "s"]
    assert [shuffle_by_number(words, n) for n in range(24)] == [list(p) for p in permutations(words)]
    assert words == ["p", "q", "r", "s"]
""",
    ),
    Program(
        name="continued_fractions",
        code=r'''"""Continued fractions and the best approximations of fractions."""

from fractions import Fraction


def terms(value):
    """The terms of the continued fraction of a fraction."""
    numerator, denominator = value.numerator, value.denominator
    result = []
    while denominator:
        quotient, rest = divmod(numerator, denominator)
        result.append(quotient)
        numerator, denominator = denominator, rest
    return result


def convergents(parts):
    """The fractions of the beginnings of a list of terms."""
    p_before, p = 0, 1
    q_before, q = 0, 1
    result = []
    for part in parts:
        p_before, p = p, part * p + p_before
        q_before, q = q, part * q + q_before
        result.append(Fraction(p, q))
    return result


def value(parts):
    """The fraction of a list of terms."""
    result = Fraction(parts[-1])
    for part in reversed(parts[:-1]):
        result = part + 1 / result
    return result


def last_within(target, limit):
    """The last convergent of a fraction whose denominator is at most a limit."""
    best = None
    for fraction in convergents(terms(target)):
        if fraction.denominator > limit:
            break
        best = fraction
    return best


def square_root_terms(number, count):
    """The first terms of the continued fraction of a square root."""
    root = int(number ** 0.5)
    result = [root]
    m, d, a = 0, 1, root
    while len(result) < count and root * root != number:
        m = d * a - m
        d = (number - m * m) // d
        a = (root + m) // d
        result.append(a)
    return result
''',
        wrong="q_before, q = 0, 1",
        right="q_before, q = 1, 0",
        visible=r"""
def test_terms():
    assert terms(Fraction(415, 93)) == [4, 2, 6, 7]
    assert terms(Fraction(5)) == [5]
    assert terms(Fraction(-7, 3)) == [-3, 1, 2]


def test_value():
    assert value([4, 2, 6, 7]) == Fraction(415, 93)


def test_convergents():
    assert convergents([1, 1, 1, 1]) == [1, 2, Fraction(3, 2), Fraction(5, 3)]
    assert convergents([3, 7, 15, 1]) == [
        3, Fraction(22, 7), Fraction(333, 106), Fraction(355, 113)]


def test_last_within():
    assert last_within(Fraction(314159265, 100000000), 100) == Fraction(22, 7)


def test_square_roots():
    assert square_root_terms(7, 6) == [2, 1, 1, 1, 4, 1]
    assert square_root_terms(9, 4) == [3]
""",
        hidden=r"""
def test_convergents_are_values_of_beginnings():
    for n in range(-40, 60):
        for d in range(1, 30):
            parts = terms(Fraction(n, d))
            assert convergents(parts) == [value(parts[:i + 1]) for i in range(len(parts))]
            assert convergents(parts)[-1] == Fraction(n, d)


def test_neighbours():
    for number in (2, 3, 7, 13, 19, 61):
        found = convergents(square_root_terms(number, 15))
        for i, (a, b) in enumerate(zip(found, found[1:])):
            determinant = b.numerator * a.denominator - a.numerator * b.denominator
            assert determinant == (-1) ** i
        assert abs(float(found[-1]) ** 2 - number) < 1e-6


def test_pell():
    for number, x, y in ((2, 3, 2), (3, 2, 1), (7, 8, 3), (13, 649, 180)):
        solutions = [(f.numerator, f.denominator) for f in convergents(square_root_terms(number, 20))
                     if f.numerator ** 2 - number * f.denominator ** 2 == 1]
        assert solutions[0] == (x, y)


def test_last_within():
    target = Fraction(2718281828459, 1000000000000)
    found = [last_within(target, n) for n in (1, 2, 3, 6, 7, 31, 32, 38, 39, 70, 71)]
    assert found == [3, 3, Fraction(8, 3), Fraction(11, 4), Fraction(19, 7), Fraction(19, 7),
                     Fraction(87, 32), Fraction(87, 32), Fraction(106, 39), Fraction(106, 39),
                     Fraction(193, 71)]
    assert last_within(Fraction(1, 3), 2) == 0
""",
    ),
    Program(
        name="binary_polynomials",
        code=r'''"""Polynomials over the field of two elements, as integers.

Bit i of a number is the coefficient of x to the i.
"""


def degree(a):
    """The degree; -1 for the zero polynomial."""
    return a.bit_length() - 1


def multiply(a, b):
    """The product of two polynomials."""
    result = 0
    while b:
        if b & 1:
            result += a
        a <<= 1
        b >>= 1
    return result


def divide(a, b):
    """Quotient and remainder of two polynomials."""
    if b == 0:
        raise ZeroDivisionError("division by the zero polynomial")
    quotient = 0
    while degree(a) >= degree(b):
        shift = degree(a) - degree(b)
        quotient |= 1 << shift
        a ^= b << shift
    return quotient, a


def gcd(a, b):
    """The greatest common divisor of two polynomials."""
    while b:
        a, b = b, divide(a, b)[1]
    return a


def power(a, exponent, modulus):
    """A power of a polynomial modulo another one."""
    result = divide(1, modulus)[1]
    while exponent:
        if exponent & 1:
            result = divide(multiply(result, a), modulus)[1]
        a = divide(multiply(a, a), modulus)[1]
        exponent >>= 1
    return result


def is_irreducible(a):
    """Whether a polynomial is no product of two of lower degree."""
    if degree(a) < 1:
        return False
    return all(divide(a, b)[1] for b in range(2, 1 << (degree(a) // 2 + 1)))


def show(a):
    """A polynomial as text."""
    names = {0: "1", 1: "x"}
    powers = [names.get(i, f"x^{i}") for i in range(degree(a), -1, -1) if a >> i & 1]
    return " + ".join(powers) or "0"
''',
        wrong="result += a",
        right="result ^= a",
        visible=r"""
def test_degree_and_show():
    assert degree(0) == -1
    assert degree(0b1011) == 3
    assert show(0b1011) == "x^3 + x + 1"
    assert show(0) == "0"


def test_multiply():
    assert multiply(0b10, 0b101) == 0b1010
    assert multiply(0b11, 0b11) == 0b101
    assert multiply(0b111, 0b11) == 0b1001


def test_divide():
    assert divide(0b1001, 0b11) == (0b111, 0)
    assert divide(0b1011, 0b100) == (0b10, 0b11)
    with pytest.raises(ZeroDivisionError):
        divide(1, 0)


def test_gcd():
    assert gcd(0b101, 0b11) == 0b11
    assert gcd(0b111, 0b10) == 1


def test_power():
    assert power(0b10, 8, 0b100011011) == 0b11011
    assert power(0b11, 255, 0b100011011) == 1


def test_irreducible():
    assert [a for a in range(16) if is_irreducible(a)] == [2, 3, 7, 11, 13]
""",
        hidden=r"""
def slow(a, b):
    bits = {}
    for i in range(a.bit_length()):
        for j in range(b.bit_length()):
            if a >> i & 1 and b >> j & 1:
                bits[i + j] = bits.get(i + j, 0) ^ 1
    return sum(v << k for k, v in bits.items())


def test_products():
    for a in range(70):
        for b in range(70):
            assert multiply(a, b) == slow(a, b) == multiply(b, a)


def test_laws():
    for a in range(0, 40, 3):
        for b in range(1, 40, 2):
            for c in range(0, 40, 7):
                assert multiply(a, b ^ c) == multiply(a, b) ^ multiply(a, c)
                q, r = divide(a << 3 ^ c, b)
                assert multiply(q, b) ^ r == a << 3 ^ c
                assert degree(r) < degree(b)


def test_field_of_256():
    modulus = 0b100011011
    assert is_irreducible(modulus)
    seen = set()
    value = 1
    for n in range(255):
        assert power(3, n, modulus) == value
        seen.add(value)
        value = divide(slow(value, 3), modulus)[1]
    assert len(seen) == 255
    for a in range(1, 256):
        assert divide(multiply(a, power(a, 254, modulus)), modulus)[1] == 1


def test_common_divisors():
    for g in (0b111, 0b1011, 0b11):
        for a in range(1, 30):
            for b in range(1, 30):
                found = gcd(slow(g, a), slow(g, b))
                assert divide(found, g)[1] == 0
                assert found == slow(g, gcd(a, b))
""",
    ),
    Program(
        name="balanced_ternary",
        code=r'''"""Numbers in balanced ternary: digits -1, 0 and 1, written as '-', '0' and '+'."""

SIGNS = {"-": -1, "0": 0, "+": 1}
LETTERS = {digit: sign for sign, digit in SIGNS.items()}


def to_digits(text):
    """The digits of a text, the lowest first."""
    try:
        return [SIGNS[sign] for sign in reversed(text)]
    except KeyError as error:
        raise ValueError(f"not a digit: {error}") from None


def to_text(digits):
    """The text of digits, without zeros in front."""
    text = "".join(LETTERS[digit] for digit in reversed(digits))
    return text.lstrip("0") or "0"


def encode(number):
    """The text of an integer."""
    digits = []
    while number:
        digit = (number + 1) % 3 - 1
        digits.append(digit)
        number = (number - digit) // 3
    return to_text(digits)


def decode(text):
    """The integer of a text."""
    value = 0
    for digit in reversed(to_digits(text)):
        value = 3 * value + digit
    return value


def negate(text):
    """The text of the negative number."""
    return text.translate(str.maketrans("+-", "-+"))


def add(first, second):
    """The text of a sum, computed digit by digit."""
    a, b = to_digits(first), to_digits(second)
    size = max(len(a), len(b))
    a += [0] * (size - len(a))
    b += [0] * (size - len(b))
    digits = []
    carry = 0
    for x, y in zip(a, b):
        total = x + y + carry
        digit = (total + 1) % 3 - 1
        carry = (total - digit) // 3
        digits.append(digit)
    if carry > 0:
        digits.append(carry)
    return to_text(digits)


def subtract(first, second):
    """The text of a difference."""
    return add(first, negate(second))


def compare(first, second):
    """-1, 0 or 1, as the first number is less than, equal to or greater than the second."""
    return SIGNS[subtract(first, second)[0]]
''',
        wrong="if carry > 0:",
        right="if carry:",
        visible=r"""
def test_encode():
    assert encode(0) == "0"
    assert encode(5) == "+--"
    assert encode(-4) == "--"
    assert encode(8) == "+0-"


def test_decode():
    assert decode("+0-") == 8
    assert decode("--") == -4
    with pytest.raises(ValueError):
        decode("+2")


def test_negate():
    assert negate("+0-") == "-0+"


def test_add():
    assert add("+", "+") == "+-"
    assert add("+0-", "+--") == encode(13)
    assert add("-", "+") == "0"


def test_subtract():
    assert subtract("+0-", "+") == encode(7)
    assert subtract("0", "+") == "-"
    assert subtract(encode(-10), encode(9)) == encode(-19)


def test_compare():
    assert compare("+", "-") == 1
    assert compare(encode(20), encode(20)) == 0
    assert compare(encode(3), encode(11)) == -1
""",
        hidden=r"""
def test_all_small_sums():
    texts = {n: encode(n) for n in range(-125, 126)}
    for a in range(-60, 61):
        for b in range(-60, 61):
            assert add(texts[a], texts[b]) == texts[a + b]
            assert subtract(texts[a], texts[b]) == texts[a - b]
            assert compare(texts[a], texts[b]) == (a > b) - (a < b)


def test_big_sums():
    for k in range(80):
        a = (k * 7919 + 13) ** 3 * (-1) ** k
        b = (k * 104729 + 1) ** 2 * (-1) ** (k // 2)
        assert decode(add(encode(a), encode(b))) == a + b
        assert decode(subtract(encode(a), encode(b))) == a - b


def test_doubling_repunits():
    for n in range(1, 20):
        assert decode(add("-" * n, "-" * n)) == -(3 ** n - 1)
        assert decode(add("+" * n, "+" * n)) == 3 ** n - 1
        assert add("-" * n, "-") == negate(add("+" * n, "+"))
        assert add("-" * n, "+" * n) == "0"


def test_zeros_in_front():
    assert add("00-", "0-") == "-+"
    assert add("000", "0") == "0"
""",
    ),
    Program(
        name="fair_shares",
        code=r'''"""Dividing whole amounts of cents by weights, without losing any."""


def shares(amount, weights):
    """Whole shares in proportion to the weights, which add up to the amount.

    Every share is rounded down first. The cents that are left go to those who
    lost most by it; among equals, to those who come first.
    """
    if amount < 0:
        return [-share for share in shares(-amount, weights)]
    whole = sum(weights)
    if whole <= 0 or min(weights) < 0:
        raise ValueError("weights must not be negative, nor all zero")
    result = [amount // whole * weight for weight in weights]
    lost = [amount * weight % whole for weight in weights]
    left = amount - sum(result)
    order = sorted(range(len(weights)), key=lambda i: (-lost[i], i))
    for i in order[:left]:
        result[i] += 1
    return result


def split_evenly(amount, people):
    """Shares that differ by at most a cent."""
    return shares(amount, [1] * people)


def split_bill(items, tip_percent=0):
    """What everyone pays, from a dictionary of person to the price of their meal.

    The tip, rounded up to a whole cent, is divided by the prices.
    """
    names = list(items)
    prices = [items[name] for name in names]
    tip = -(-sum(prices) * tip_percent // 100)
    tips = shares(tip, prices)
    return {name: price + extra for name, price, extra in zip(names, prices, tips)}


def to_text(cents):
    """An amount as text with two decimals."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"
''',
        wrong="result = [amount // whole * weight for weight in weights]",
        right="result = [amount * weight // whole for weight in weights]",
        visible=r"""
def test_even():
    assert split_evenly(900, 3) == [300, 300, 300]
    assert split_evenly(1000, 3) == [334, 333, 333]


def test_weights():
    assert shares(100, [1, 3]) == [25, 75]
    assert shares(100, [1, 1, 1, 3]) == [17, 17, 16, 50]


def test_small_amount():
    assert shares(5, [10, 30, 60]) == [1, 1, 3]
    assert shares(0, [1, 2]) == [0, 0]


def test_negative():
    assert shares(-100, [1, 3]) == [-25, -75]


def test_bad_weights():
    with pytest.raises(ValueError):
        shares(10, [0, 0])


def test_bill():
    assert split_bill({"Ann": 1200, "Bob": 800}, 10) == {"Ann": 1320, "Bob": 880}
    assert split_bill({"Ann": 1000, "Bob": 500}) == {"Ann": 1000, "Bob": 500}


def test_text():
    assert to_text(1205) == "12.05"
    assert to_text(-7) == "-0.07"
""",
        hidden=r"""
from fractions import Fraction
import random


def reference(amount, weights):
    whole = sum(weights)
    exact = [Fraction(amount * w, whole) for w in weights]
    result = [int(e) for e in exact]
    order = sorted(range(len(weights)), key=lambda i: (result[i] - exact[i], i))
    for i in order[:amount - sum(result)]:
        result[i] += 1
    return result


def test_against_fractions():
    rng = random.Random(21)
    for _ in range(1500):
        weights = [rng.randrange(0, 50) for _ in range(rng.randrange(1, 7))]
        if not any(weights):
            continue
        amount = rng.randrange(0, 3000)
        assert shares(amount, weights) == reference(amount, weights)
        assert shares(-amount, weights) == [-s for s in reference(amount, weights)]


def test_sum_and_closeness():
    for amount in range(0, 300, 7):
        for weights in ([1, 2, 3], [5, 5, 90], [7], [0, 4, 9], [100, 1, 1, 1]):
            result = shares(amount, weights)
            assert sum(result) == amount
            for share, weight in zip(result, weights):
                assert abs(share * sum(weights) - amount * weight) < sum(weights)


def test_bills():
    for tip in (0, 5, 10, 15):
        for a, b, c in ((1234, 999, 501), (1, 1, 1), (100, 250, 75)):
            paid = split_bill({"a": a, "b": b, "c": c}, tip)
            total = a + b + c
            assert sum(paid.values()) == total + (total * tip + 99) // 100
            assert paid["a"] >= a and paid["b"] >= b and paid["c"] >= c
            extra = reference((total * tip + 99) // 100, [a, b, c])
            assert [paid[k] for k in "abc"] == [a + extra[0], b + extra[1], c + extra[2]]
""",
    ),
    Program(
        name="running_moments",
        code=r'''"""Means and variances of numbers that are seen one by one."""

from math import sqrt


class Moments:
    """Count, mean and variance of the numbers so far."""

    def __init__(self, numbers=()):
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0
        for number in numbers:
            self.add(number)

    def add(self, number):
        """Take one more number into account."""
        self.count += 1
        delta = number - self.mean
        self.mean += delta / self.count
        self._squares += delta * delta

    def merge(self, other):
        """The moments of the numbers of both."""
        result = Moments()
        result.count = self.count + other.count
        if result.count == 0:
            return result
        delta = other.mean - self.mean
        share = other.count / result.count
        result.mean = self.mean + delta * share
        result._squares = self._squares + other._squares + delta * delta * self.count * share
        return result

    def variance(self):
        """The mean squared distance from the mean."""
        if self.count == 0:
            raise ValueError("no numbers")
        return self._squares / self.count

    def sample_variance(self):
        """The unbiased estimate of the variance of what the numbers are drawn from."""
        if self.count < 2:
            raise ValueError("too few numbers")
        return self._squares / (self.count - 1)

    def score(self, number):
        """How many standard deviations a number is above the mean."""
        deviation = sqrt(self.variance())
        return (number - self.mean) / deviation if deviation else 0.0


def outliers(numbers, limit=2.0):
    """The numbers that are more than a limit of standard deviations off the mean."""
    moments = Moments(numbers)
    return [number for number in numbers if abs(moments.score(number)) > limit]
''',
        wrong="self._squares += delta * delta",
        right="self._squares += delta * (number - self.mean)",
        visible=r"""
def test_mean():
    moments = Moments([1, 2, 3, 6])
    assert moments.count == 4
    assert moments.mean == 3


def test_variance():
    assert Moments([2, 4, 4, 4, 5, 5, 7, 9]).variance() == pytest.approx(4)
    assert Moments([3, 3, 3]).variance() == pytest.approx(0)


def test_sample_variance():
    assert Moments([1, 2, 3, 4]).sample_variance() == pytest.approx(5 / 3)
    with pytest.raises(ValueError):
        Moments([1]).sample_variance()


def test_merge():
    both = Moments([1, 2]).merge(Moments([3, 4, 5]))
    assert both.count == 5
    assert both.mean == pytest.approx(3)
    assert both.variance() == pytest.approx(2)


def test_merge_with_nothing():
    assert Moments().merge(Moments()).count == 0
    assert Moments().merge(Moments([7])).mean == 7


def test_outliers():
    assert outliers([10, 11, 9, 10, 10, 11, 9, 10, 30]) == [30]
""",
        hidden=r"""
import random
import statistics


def samples():
    rng = random.Random(22)
    for size in range(1, 40):
        yield [rng.uniform(-50, 80) for _ in range(size)]
        yield [rng.randrange(-5, 5) for _ in range(size)]


def test_variances():
    for numbers in samples():
        moments = Moments(numbers)
        assert moments.mean == pytest.approx(statistics.fmean(numbers), abs=1e-9)
        assert moments.variance() == pytest.approx(statistics.pvariance(numbers), abs=1e-9)
        if len(numbers) > 1:
            assert moments.sample_variance() == pytest.approx(statistics.variance(numbers), abs=1e-9)


def test_merges():
    for numbers in samples():
        for cut in range(0, len(numbers) + 1, 3):
            merged = Moments(numbers[:cut]).merge(Moments(numbers[cut:]))
            assert merged.count == len(numbers)
            assert merged.mean == pytest.approx(statistics.fmean(numbers), abs=1e-9)
            assert merged.variance() == pytest.approx(statistics.pvariance(numbers), abs=1e-9)


def test_shift_does_not_matter():
    base = [1.0, 5.0, 2.5, 9.0]
    for shift in (0, 10, 1000, 1e6):
        assert Moments([n + shift for n in base]).variance() == pytest.approx(
            statistics.pvariance(base), rel=1e-6)


def test_scores():
    for numbers in samples():
        deviation = statistics.pstdev(numbers)
        mean = statistics.fmean(numbers)
        moments = Moments(numbers)
        if deviation > 1e-6:
            assert moments.score(12) == pytest.approx((12 - mean) / deviation, abs=1e-9)
""",
    ),
    Program(
        name="congruences",
        code=r'''"""Systems of congruences whose moduli may have common divisors."""

from math import gcd


def combine(first, second):
    """The one congruence that says the same as two, or None if they contradict.

    A congruence is a pair of remainder and modulus.
    """
    r1, m1 = first
    r2, m2 = second
    common = gcd(m1, m2)
    if (r2 - r1) % common:
        return None
    step = (r2 - r1) // common * pow(m1 // common, -1, m2 // common)
    modulus = m1 * m2
    return ((r1 + m1 * step) % modulus, modulus)


def solve(congruences):
    """The one congruence that says the same as all, or None."""
    result = (0, 1)
    for remainder, modulus in congruences:
        if modulus < 1:
            raise ValueError("moduli must be positive")
        result = combine(result, (remainder % modulus, modulus))
        if result is None:
            return None
    return result


def first_from(start, congruences):
    """The least number not below `start` that satisfies all, or None."""
    solution = solve(congruences)
    if solution is None:
        return None
    remainder, modulus = solution
    return start + (remainder - start) % modulus


def next_meeting(day, cycles):
    """The next day, `day` included, on which all come.

    Everyone is a pair of the first day and the number of days between visits.
    Nobody comes before his first day.
    """
    day = max([day] + [first for first, _ in cycles])
    return first_from(day, cycles)
''',
        wrong="modulus = m1 * m2",
        right="modulus = m1 // common * m2",
        visible=r"""
def test_coprime():
    assert solve([(2, 3), (3, 5), (2, 7)]) == (23, 105)
    assert solve([]) == (0, 1)


def test_common_divisor():
    assert combine((1, 4), (3, 6)) == (9, 12)
    assert solve([(2, 6), (5, 9), (14, 18)]) == (14, 18)


def test_contradiction():
    assert combine((1, 4), (2, 6)) is None
    assert solve([(0, 2), (1, 2)]) is None
    assert first_from(10, [(0, 2), (1, 4)]) is None


def test_first_from():
    assert first_from(100, [(2, 3), (3, 5)]) == 113
    assert first_from(8, [(2, 3), (3, 5)]) == 8


def test_meeting():
    assert next_meeting(0, [(1, 3), (4, 5)]) == 4
    assert next_meeting(13, [(0, 4), (2, 6)]) == 20


def test_bad_modulus():
    with pytest.raises(ValueError):
        solve([(1, 0)])
""",
        hidden=r"""
from itertools import product
from math import lcm


def test_all_pairs():
    for m1 in range(1, 13):
        for m2 in range(1, 13):
            whole = lcm(m1, m2)
            for r1 in range(m1):
                for r2 in range(m2):
                    good = [n for n in range(whole) if n % m1 == r1 and n % m2 == r2]
                    wanted = (good[0], whole) if good else None
                    assert combine((r1, m1), (r2, m2)) == wanted


def test_triples():
    for moduli in product((2, 4, 6, 9, 10), repeat=3):
        whole = lcm(*moduli)
        for n in range(0, whole, 7):
            assert solve([(n, m) for m in moduli]) == (n, whole)
            assert solve([(n - 3 * m, m) for m in moduli]) == (n, whole)


def test_first_from():
    for moduli in ((4, 6), (6, 9, 15), (8, 12), (5, 5)):
        for n in range(20):
            pairs = [(n, m) for m in moduli]
            for start in range(-30, 120, 11):
                found = start
                while any((found - n) % m for m in moduli):
                    found += 1
                assert first_from(start, pairs) == found


def test_meetings():
    for a, b in product(range(1, 11), repeat=2):
        for day in (0, 5, 40):
            cycles = [(3, a), (3 + 2 * a, b)]
            found = next((d for d in range(max(day, 3 + 2 * a), 1000)
                          if (d - 3) % a == 0 and (d - 3 - 2 * a) % b == 0), None)
            assert next_meeting(day, cycles) == found
""",
    ),
    # ---------------------------------------------------------------- graphs
    Program(
        name="weak_links",
        code=r'''"""Links of a network whose failure would cut it."""


class Network:
    """An undirected network; two nodes may have several links between them."""

    def __init__(self, links=()):
        self._links = []
        self._at = {}
        for a, b in links:
            self.connect(a, b)

    def connect(self, a, b):
        """Add a link."""
        number = len(self._links)
        self._links.append((a, b))
        self._at.setdefault(a, []).append((b, number))
        self._at.setdefault(b, []).append((a, number))

    def bridges(self):
        """The links without which their ends would not be connected, in order of creation."""
        order = {}
        low = {}
        found = []

        def visit(node, came_by):
            order[node] = low[node] = len(order)
            for other, number in self._at[node]:
                if number == came_by:
                    continue
                if other in order:
                    low[node] = min(order[other], low[node])
                    continue
                visit(other, number)
                low[node] = min(low[node], order[other])
                if low[other] > order[node]:
                    found.append(number)

        for node in self._at:
            if node not in order:
                visit(node, None)
        return [self._links[number] for number in sorted(found)]

    def is_safe(self):
        """Whether no single link matters."""
        return not self.bridges()
''',
        wrong="low[node] = min(low[node], order[other])",
        right="low[node] = min(low[node], low[other])",
        visible=r"""
def test_path():
    network = Network(["ab", "bc", "cd"])
    assert network.bridges() == [("a", "b"), ("b", "c"), ("c", "d")]


def test_triangle_with_tail():
    network = Network([(1, 2), (2, 3), (3, 1), (3, 4)])
    assert network.bridges() == [(3, 4)]


def test_two_links_between_two_nodes():
    network = Network([("x", "y"), ("x", "y")])
    assert network.is_safe()


def test_two_parts():
    network = Network([(1, 2), (5, 6), (6, 7), (7, 8), (8, 5)])
    assert network.bridges() == [(1, 2)]


def test_empty():
    assert Network().is_safe()
""",
        hidden=r"""
import random


def connected(links, a, b):
    seen, todo = {a}, [a]
    while todo:
        node = todo.pop()
        for p, q in links:
            for here, there in ((p, q), (q, p)):
                if here == node and there not in seen:
                    seen.add(there)
                    todo.append(there)
    return b in seen


def brute(links):
    return [link for i, link in enumerate(links)
            if not connected(links[:i] + links[i + 1:], *link)]


def test_random_networks():
    rng = random.Random(23)
    for _ in range(300):
        size = rng.randrange(2, 9)
        links = [(rng.randrange(size), rng.randrange(size)) for _ in range(rng.randrange(1, 12))]
        links = [(a, b) for a, b in links if a != b]
        network = Network(links)
        assert network.bridges() == brute(links)
        assert network.is_safe() == (not brute(links))


def test_rings():
    for size in range(3, 30):
        ring = [(n, (n + 1) % size) for n in range(size)]
        assert Network(ring).is_safe()
        assert Network(ring + [(0, "tail")]).bridges() == [(0, "tail")]
        assert Network(ring[:-1]).bridges() == ring[:-1]


def test_chain_of_rings():
    links, wanted = [], []
    for k in range(6):
        links += [((k, n), (k, (n + 1) % 5)) for n in range(5)]
        if k:
            links.append(((k - 1, 3), (k, 0)))
            wanted.append(links[-1])
    assert Network(links).bridges() == wanted
""",
    ),
    Program(
        name="word_chain",
        code=r'''"""Chains of all words of a list in which every word starts with the last letter before it."""


def _tallies(words):
    """How many words begin, and how many end, with each letter."""
    begin, end = {}, {}
    for word in words:
        begin[word[0]] = begin.get(word[0], 0) + 1
        end[word[-1]] = end.get(word[-1], 0) + 1
    return begin, end


def start_letter(words):
    """The letter with which a chain must begin, or None if there is no chain.

    If every letter begins as many words as it ends, the chain is a ring, and
    begins with the first word.
    """
    begin, end = _tallies(words)
    surplus = {letter: end.get(letter, 0) - begin.get(letter, 0) for letter in begin | end}
    uneven = {letter: count for letter, count in surplus.items() if count}
    if not uneven:
        return words[0][0]
    if sorted(uneven.values()) != [-1, 1]:
        return None
    return next(letter for letter, count in uneven.items() if count == 1)


def chain(words):
    """A chain of all words, or None if there is none."""
    if not words:
        return []
    start = start_letter(words)
    if start is None:
        return None
    waiting = {}
    for word in reversed(words):
        waiting.setdefault(word[0], []).append(word)
    stack = [(start, None)]
    result = []
    while stack:
        letter, word = stack[-1]
        if waiting.get(letter):
            following = waiting[letter].pop()
            stack.append((following[-1], following))
        else:
            stack.pop()
            if word is not None:
                result.append(word)
    result.reverse()
    return result if len(result) == len(words) else None
''',
        wrong="{letter: end.get(letter, 0) - begin.get(letter, 0) for letter in begin | end}",
        right="{letter: begin.get(letter, 0) - end.get(letter, 0) for letter in begin | end}",
        visible=r"""
def test_no_words():
    assert chain([]) == []


def test_ring():
    assert chain(["ab", "bc", "ca"]) == ["ab", "bc", "ca"]
    assert start_letter(["xy", "yx"]) == "x"


def test_line():
    assert start_letter(["dog", "goat", "tiger"]) == "d"
    assert chain(["goat", "tiger", "dog"]) == ["dog", "goat", "tiger"]


def test_one_word():
    assert chain(["apple"]) == ["apple"]


def test_impossible():
    assert chain(["ab", "cd"]) is None
    assert chain(["ab", "ab"]) is None


def test_two_rings():
    assert chain(["ab", "ba", "cd", "dc"]) is None
""",
        hidden=r"""
import random
from itertools import permutations


def fits(words):
    return all(a[-1] == b[0] for a, b in zip(words, words[1:]))


def test_against_permutations():
    rng = random.Random(24)
    found = 0
    for _ in range(400):
        words = ["".join(rng.choice("abcd") for _ in range(rng.randrange(1, 4)))
                 for _ in range(rng.randrange(1, 6))]
        possible = any(fits(order) for order in permutations(words))
        result = chain(words)
        if possible:
            found += 1
            assert result is not None
            assert sorted(result) == sorted(words)
            assert fits(result)
        else:
            assert result is None
    assert found > 50


def test_long_trails():
    rng = random.Random(25)
    for _ in range(60):
        letters = [rng.choice("abcdef") for _ in range(40)]
        words = [a + "-" + b for a, b in zip(letters, letters[1:])]
        rng.shuffle(words)
        result = chain(words)
        assert sorted(result) == sorted(words)
        assert fits(result)
        if letters[0] != letters[-1]:
            assert result[0][0] == letters[0] and result[-1][-1] == letters[-1]
            assert start_letter(words) == letters[0]


def test_start_letters():
    assert start_letter(["ab"]) == "a"
    assert start_letter(["ba"]) == "b"
    assert start_letter(["bc", "ab", "cd"]) == "a"
    assert start_letter(["aba", "ac"]) == "a"
    assert start_letter(["ab", "ac"]) is None
""",
    ),
    Program(
        name="widest_route",
        code=r'''"""Routes on which the narrowest road is as wide as possible."""

import heapq


class RoadMap:
    """Roads between places, usable in both directions, with their widths."""

    def __init__(self):
        self._roads = {}

    def add_road(self, a, b, width):
        """Add a road; of several between two places the widest counts."""
        for here, there in ((a, b), (b, a)):
            roads = self._roads.setdefault(here, {})
            roads[there] = max(width, roads.get(there, 0))

    def widths_from(self, start):
        """Dictionaries of the best width to every place and of the place before it."""
        best = {start: float("inf")}
        before = {}
        done = set()
        queue = [(-best[start], start)]
        while queue:
            _, place = heapq.heappop(queue)
            if place in done:
                continue
            done.add(place)
            for other, width in self._roads.get(place, {}).items():
                passable = min(best[place], width)
                if passable > best.get(other, 0):
                    best[other] = passable
                    before[other] = place
                    heapq.heappush(queue, (passable, other))
        return best, before

    def widest(self, start, goal):
        """The greatest width that can get from start to goal; 0 if nothing can."""
        return self.widths_from(start)[0].get(goal, 0)

    def route(self, start, goal):
        """The places on a widest route, or an empty list."""
        best, before = self.widths_from(start)
        if goal not in best:
            return []
        places = [goal]
        while places[-1] != start:
            places.append(before[places[-1]])
        return places[::-1]
''',
        wrong="heapq.heappush(queue, (passable, other))",
        right="heapq.heappush(queue, (-passable, other))",
        visible=r"""
def example():
    roads = RoadMap()
    roads.add_road("a", "b", 5)
    roads.add_road("b", "c", 3)
    roads.add_road("a", "d", 2)
    roads.add_road("d", "c", 9)
    return roads


def test_two_routes():
    roads = example()
    assert roads.widest("a", "c") == 3
    assert roads.route("a", "c") == ["a", "b", "c"]


def test_around_a_narrow_road():
    roads = example()
    assert roads.widest("a", "d") == 3
    assert roads.route("a", "d") == ["a", "b", "c", "d"]


def test_further_behind_it():
    roads = example()
    roads.add_road("d", "e", 4)
    assert roads.widest("a", "e") == 3


def test_unreachable():
    roads = example()
    roads.add_road("x", "y", 1)
    assert roads.widest("a", "x") == 0
    assert roads.route("a", "x") == []


def test_start_is_goal():
    assert example().route("b", "b") == ["b"]
    assert example().widest("b", "b") == float("inf")


def test_parallel_roads():
    roads = RoadMap()
    roads.add_road(1, 2, 4)
    roads.add_road(2, 1, 7)
    assert roads.widest(1, 2) == 7
""",
        hidden=r"""
import random


def networks():
    rng = random.Random(26)
    for _ in range(200):
        size = rng.randrange(2, 9)
        roads = {}
        for _ in range(rng.randrange(1, 18)):
            a, b = rng.sample(range(size), 2)
            roads[min(a, b), max(a, b)] = rng.randrange(1, 12)
        yield size, roads


def build(roads):
    result = RoadMap()
    for (a, b), width in roads.items():
        result.add_road(a, b, width)
    return result


def test_widths_by_closure():
    for size, roads in networks():
        table = [[0] * size for _ in range(size)]
        for (a, b), width in roads.items():
            table[a][b] = table[b][a] = width
        for k in range(size):
            for i in range(size):
                for j in range(size):
                    table[i][j] = max(table[i][j], min(table[i][k], table[k][j]))
        built = build(roads)
        for i in range(size):
            for j in range(size):
                if i != j:
                    assert built.widest(i, j) == table[i][j]


def test_routes_have_their_width():
    for size, roads in networks():
        built = build(roads)
        for i in range(size):
            for j in range(size):
                if i == j:
                    continue
                places = built.route(i, j)
                if not places:
                    assert built.widest(i, j) == 0
                    continue
                assert places[0] == i and places[-1] == j
                steps = [roads[min(p), max(p)] for p in zip(places, places[1:])]
                assert min(steps) == built.widest(i, j)


def test_detours():
    for n in range(3, 12):
        roads = RoadMap()
        for i in range(n):
            roads.add_road(i, i + 1, 10)
            roads.add_road(i, n + 1, i + 1)
        roads.add_road(n, n + 1, n + 5)
        roads.add_road(n + 1, n + 2, 50)
        assert roads.widest(0, n + 2) == min(10, n + 5)
        assert roads.widest(0, n) == 10
""",
    ),
    Program(
        name="job_matching",
        code=r'''"""Giving jobs to people who can do them, to as many people as possible."""


def match(skills):
    """A dictionary from job to the index of the person who gets it.

    `skills` has for each person the list of jobs that he can do. The number of
    people with a job is the greatest possible one.
    """
    holder = {}

    def place(person, tried):
        for job in skills[person]:
            if job in tried:
                continue
            tried.add(job)
            if not holder.get(job) or place(holder[job], tried):
                holder[job] = person
                return True
        return False

    for person in range(len(skills)):
        place(person, set())
    return holder


def idle(skills):
    """The indices of the people who get no job."""
    busy = set(match(skills).values())
    return [person for person in range(len(skills)) if person not in busy]


def can_fill(jobs, skills):
    """Whether all the jobs can be done at once."""
    wanted = [[job for job in able if job in jobs] for able in skills]
    return len(match(wanted)) == len(set(jobs))


def roster(names, skills):
    """Lines of text, one for each person who gets a job."""
    jobs = {person: job for job, person in match(skills).items()}
    return [f"{name}: {jobs[i]}" for i, name in enumerate(names) if i in jobs]
''',
        wrong="if not holder.get(job) or place(holder[job], tried):",
        right="if job not in holder or place(holder[job], tried):",
        visible=r"""
def test_no_conflict():
    assert match([["bake"], ["sew"]]) == {"bake": 0, "sew": 1}
    assert match([]) == {}


def test_someone_moves():
    skills = [["bake", "sew"], ["bake"]]
    assert match(skills) == {"sew": 0, "bake": 1}


def test_idle():
    assert idle([["paint"], ["paint"], ["paint", "weld"]]) == [1]
    assert idle([[], ["weld"]]) == [0]


def test_can_fill():
    assert can_fill(["a", "b"], [["a"], ["a", "b"]])
    assert not can_fill(["a", "b", "c"], [["a"], ["a", "b"]])


def test_roster():
    skills = [["drive", "cook"], ["cook"], ["cook", "drive"]]
    assert roster(["Ann", "Bob", "Cem"], skills) == ["Ann: drive", "Bob: cook"]
""",
        hidden=r"""
import random
from functools import lru_cache


def greatest(skills):
    skills = tuple(tuple(s) for s in skills)

    @lru_cache(maxsize=None)
    def best(person, used):
        if person == len(skills):
            return 0
        options = [best(person + 1, used)]
        for job in skills[person]:
            if job not in used:
                options.append(1 + best(person + 1, used | {job}))
        return max(options)

    return best(0, frozenset())


def cases():
    rng = random.Random(27)
    for _ in range(250):
        people, jobs = rng.randrange(1, 7), rng.randrange(1, 7)
        yield [rng.sample(range(jobs), rng.randrange(0, jobs + 1)) for _ in range(people)]


def test_size_and_validity():
    for skills in cases():
        holder = match(skills)
        assert len(holder) == greatest(skills)
        assert len(set(holder.values())) == len(holder)
        for job, person in holder.items():
            assert job in skills[person]


def test_idle():
    for skills in cases():
        assert len(idle(skills)) == len(skills) - greatest(skills)


def test_first_person_keeps_a_job():
    for people in range(1, 8):
        assert idle([["x"]] * people) == list(range(1, people))
        jobs = [str(n) for n in range(people)]
        assert idle([jobs] * people) == []
        assert can_fill(jobs, [jobs] * people)
        assert not can_fill(jobs + ["more"], [jobs + ["more"]] * people)


def test_chain_of_moves():
    for n in range(2, 10):
        skills = [[i, i + 1] for i in range(n)] + [[0]]
        assert match(skills) == {**{i + 1: i for i in range(n)}, 0: n}
""",
    ),
    Program(
        name="project_plan",
        code=r'''"""Critical paths: when the tasks of a project start, and which may be late."""


class Project:
    """Tasks with durations, and the tasks that must be finished before them."""

    def __init__(self):
        self._duration = {}
        self._needs = {}

    def add(self, task, duration, needs=()):
        """Add a task, behind the tasks that it needs."""
        if task in self._duration:
            raise ValueError(f"{task!r} is there already")
        for other in needs:
            if other not in self._duration:
                raise ValueError(f"{other!r} is not known")
        self._duration[task] = duration
        self._needs[task] = list(needs)

    def earliest(self):
        """The earliest start of every task."""
        start = {}
        for task, needs in self._needs.items():
            start[task] = max((start[n] + self._duration[n] for n in needs), default=0)
        return start

    def length(self):
        """The time from the beginning to the end of the project."""
        start = self.earliest()
        return max((start[task] + self._duration[task] for task in start), default=0)

    def latest(self):
        """The latest start of every task that does not delay the project."""
        end = self.length()
        finish = {task: end for task in self._duration}
        start = {}
        for task in reversed(list(self._duration)):
            start[task] = finish[task] - self._duration[task]
            for needed in self._needs[task]:
                finish[needed] = start[task]
        return start

    def slack(self):
        """How much later than possible every task may start."""
        earliest, latest = self.earliest(), self.latest()
        return {task: latest[task] - earliest[task] for task in earliest}

    def critical(self):
        """The tasks that must not be late, in the order in which they were added."""
        return [task for task, slack in self.slack().items() if slack == 0]
''',
        wrong="finish[needed] = start[task]",
        right="finish[needed] = min(finish[needed], start[task])",
        visible=r"""
def house():
    project = Project()
    project.add("plan", 4)
    project.add("walls", 5, ["plan"])
    project.add("garden", 2, ["plan"])
    project.add("roof", 3, ["walls"])
    project.add("party", 1, ["roof", "garden"])
    return project


def test_earliest():
    assert house().earliest() == {"plan": 0, "walls": 4, "garden": 4, "roof": 9, "party": 12}


def test_length():
    assert house().length() == 13
    assert Project().length() == 0


def test_latest():
    assert house().latest() == {"plan": 0, "walls": 4, "garden": 10, "roof": 9, "party": 12}


def test_critical():
    assert house().critical() == ["plan", "walls", "roof", "party"]


def test_short_branch_first():
    project = Project()
    project.add("start", 1)
    project.add("quick", 2, ["start"])
    project.add("slow", 6, ["start"])
    project.add("end", 1, ["quick", "slow"])
    assert project.slack() == {"start": 0, "quick": 4, "slow": 0, "end": 0}


def test_unknown_task():
    with pytest.raises(ValueError):
        Project().add("a", 1, ["b"])
""",
        hidden=r"""
import random


def projects():
    rng = random.Random(28)
    for _ in range(200):
        project, tasks = Project(), []
        for n in range(rng.randrange(1, 9)):
            needs = rng.sample(range(n), rng.randrange(0, min(n, 3) + 1))
            duration = rng.randrange(1, 7)
            project.add(n, duration, needs)
            tasks.append((duration, needs))
        yield project, tasks


def length_with(tasks, delayed=None, at=0):
    ends = []
    for n, (duration, needs) in enumerate(tasks):
        start = max([ends[m] for m in needs] + [0])
        if n == delayed:
            start = max(start, at)
        ends.append(start + duration)
    return max(ends)


def test_latest_by_delaying():
    for project, tasks in projects():
        whole = length_with(tasks)
        assert project.length() == whole
        for task, start in project.latest().items():
            assert length_with(tasks, task, start) == whole
            assert length_with(tasks, task, start + 1) == whole + 1


def test_slack_and_critical():
    for project, tasks in projects():
        slack = project.slack()
        assert all(s >= 0 for s in slack.values())
        critical = project.critical()
        assert critical
        assert critical == [t for t in range(len(tasks))
                            if length_with(tasks, t, project.earliest()[t] + 1) > length_with(tasks)]


def test_fans():
    for n in range(1, 8):
        for order in (range(1, n + 1), range(n, 0, -1)):
            project = Project()
            project.add("first", 2)
            for k in order:
                project.add(k, k, ["first"])
            project.add("last", 3, list(order))
            assert project.latest()["first"] == 0
            assert project.slack() == {"first": 0, "last": 0, **{k: n - k for k in order}}
""",
    ),
    Program(
        name="transitive_reduction",
        code=r'''"""Dependencies without those that follow from others."""


def reachable(graph, start):
    """All nodes that can be reached from a node in one step or more."""
    seen = set()
    todo = list(graph.get(start, ()))
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo.extend(graph.get(node, ()))
    return seen


def check_acyclic(graph):
    """Raise ValueError if a node can be reached from itself."""
    for node in graph:
        if node in reachable(graph, node):
            raise ValueError(f"{node!r} depends on itself")


def reduce(graph):
    """The least graph in which the same nodes can be reached as in an acyclic graph.

    A graph is a dictionary from node to the nodes that it leads to.
    """
    check_acyclic(graph)
    reduced = {}
    for node, targets in graph.items():
        implied = set()
        for target in targets:
            implied = reachable(graph, target)
        reduced[node] = sorted(set(targets) - implied)
    return reduced


def closure(graph):
    """The graph with an edge to everything that can be reached."""
    return {node: sorted(reachable(graph, node)) for node in graph}


def redundant(graph):
    """The edges that the reduced graph does not have, sorted."""
    reduced = reduce(graph)
    return sorted(
        (node, target)
        for node, targets in graph.items()
        for target in targets
        if target not in reduced[node]
    )
''',
        wrong="implied = reachable(graph, target)",
        right="implied |= reachable(graph, target)",
        visible=r"""
def test_reachable():
    graph = {"a": ["b"], "b": ["c"], "c": []}
    assert reachable(graph, "a") == {"b", "c"}
    assert reachable(graph, "c") == set()


def test_shortcut():
    assert reduce({"a": ["c", "b"], "b": ["c"], "c": []}) == {"a": ["b"], "b": ["c"], "c": []}


def test_nothing_to_remove():
    graph = {1: [2, 3], 2: [4], 3: [4], 4: []}
    assert reduce(graph) == graph


def test_build_order():
    graph = {
        "app": ["core", "gui", "log"],
        "gui": ["core", "log"],
        "core": ["log"],
        "log": [],
    }
    assert reduce(graph) == {"app": ["gui"], "gui": ["core"], "core": ["log"], "log": []}
    assert redundant(graph) == [("app", "core"), ("app", "log"), ("gui", "log")]


def test_closure():
    assert closure({"a": ["b"], "b": ["c"], "c": []}) == {"a": ["b", "c"], "b": ["c"], "c": []}


def test_cycle():
    with pytest.raises(ValueError):
        reduce({1: [2], 2: [1]})
""",
        hidden=r"""
import random
from itertools import permutations


def graphs():
    rng = random.Random(29)
    for _ in range(200):
        size = rng.randrange(1, 9)
        names = rng.sample(range(size), size)
        graph = {}
        for i in range(size):
            targets = [names[j] for j in range(i + 1, size) if rng.random() < 0.5]
            rng.shuffle(targets)
            graph[names[i]] = targets
        yield graph


def test_edges_with_no_way_around():
    for graph in graphs():
        wanted = {}
        for node, targets in graph.items():
            keep = []
            for target in targets:
                without = {**graph, node: [t for t in targets if t != target]}
                if target not in reachable(without, node):
                    keep.append(target)
            wanted[node] = sorted(keep)
        assert reduce(graph) == wanted


def test_same_closure():
    for graph in graphs():
        assert closure(reduce(graph)) == closure(graph)
        assert reduce(closure(graph)) == reduce(graph)
        assert redundant(reduce(graph)) == []


def test_order_of_targets_does_not_matter():
    base = {"a": [], "b": ["c"], "c": ["d"], "d": ["e"], "e": []}
    for order in permutations("bcde"):
        graph = {**base, "a": list(order)}
        assert reduce(graph) == {**base, "a": ["b"]}
        assert redundant(graph) == [("a", "c"), ("a", "d"), ("a", "e")]
""",
    ),
    # ---------------------------------------------------------------- stateful objects and simulations
    Program(
        name="token_buckets",
        code=r'''"""Limits on how often clients may call, as buckets of tokens."""


class Limiter:
    """Every client has a bucket that fills with time; a call takes tokens out of it.

    Times are numbers of seconds that the caller passes and that do not go back.
    """

    def __init__(self, capacity, per_second):
        self.capacity = capacity
        self.per_second = per_second
        self._buckets = {}
        self.refused = 0

    def _fill(self, client, now):
        tokens, since = self._buckets.get(client, (self.capacity, now))
        tokens = min(self.capacity, tokens + (now - since) * self.per_second)
        self._buckets[client] = (tokens, since)
        return tokens

    def allow(self, client, now, cost=1):
        """Whether a client may make a call now; if so, its tokens are taken."""
        tokens = self._fill(client, now)
        if tokens < cost:
            self.refused += 1
            return False
        self._buckets[client] = (tokens - cost, now)
        return True

    def wait(self, client, now, cost=1):
        """How many seconds a client must wait for a call; None if it never may."""
        if cost > self.capacity:
            return None
        missing = cost - self._fill(client, now)
        return max(0, missing / self.per_second)

    def forget_idle(self, now):
        """Forget the clients whose buckets are full; return how many."""
        full = [c for c in list(self._buckets) if self._fill(c, now) >= self.capacity]
        for client in full:
            del self._buckets[client]
        return len(full)
''',
        wrong="self._buckets[client] = (tokens, since)",
        right="self._buckets[client] = (tokens, now)",
        visible=r"""
def test_burst():
    limiter = Limiter(3, 1)
    assert [limiter.allow("a", 0) for _ in range(4)] == [True, True, True, False]
    assert limiter.refused == 1


def test_refill():
    limiter = Limiter(2, 0.5)
    assert limiter.allow("a", 0, cost=2)
    assert limiter.allow("a", 2)
    assert not limiter.allow("a", 3)


def test_keeps_asking():
    limiter = Limiter(4, 1)
    assert limiter.allow("a", 0, cost=4)
    assert not limiter.allow("a", 1, cost=4)
    assert not limiter.allow("a", 2, cost=4)
    assert not limiter.allow("a", 3, cost=4)
    assert limiter.allow("a", 4, cost=4)


def test_clients_are_separate():
    limiter = Limiter(1, 1)
    assert limiter.allow("a", 0)
    assert limiter.allow("b", 0)
    assert not limiter.allow("a", 0)


def test_wait():
    limiter = Limiter(10, 2)
    limiter.allow("a", 0, cost=10)
    assert limiter.wait("a", 0, cost=4) == 2
    assert limiter.wait("a", 1, cost=4) == 1
    assert limiter.wait("a", 1, cost=11) is None


def test_forget():
    limiter = Limiter(2, 1)
    limiter.allow("a", 0)
    limiter.allow("b", 5)
    assert limiter.forget_idle(5) == 1
""",
        hidden=r"""
import random
from fractions import Fraction


def test_against_a_model():
    rng = random.Random(30)
    for _ in range(80):
        capacity, rate = rng.randrange(1, 8), Fraction(rng.randrange(1, 5), 4)
        limiter = Limiter(capacity, rate)
        level, refused, now, last = {}, 0, 0, {}
        for _ in range(60):
            now += rng.randrange(3)
            client, cost = rng.choice("xy"), rng.randrange(1, 5)
            tokens = min(capacity, level.get(client, capacity) + (now - last.get(client, now)) * rate)
            if rng.random() < 0.3:
                wanted = None if cost > capacity else max(0, (cost - tokens) / rate)
                assert limiter.wait(client, now, cost) == wanted
            else:
                allowed = tokens >= cost
                assert limiter.allow(client, now, cost) == allowed
                if allowed:
                    tokens -= cost
                else:
                    refused += 1
            level[client], last[client] = tokens, now
            assert limiter.refused == refused


def test_questions_change_nothing():
    for questions in range(6):
        limiter = Limiter(10, 1)
        assert limiter.allow("a", 0, cost=10)
        for t in range(1, questions + 1):
            assert limiter.wait("a", t, cost=10) == 10 - t
            assert limiter.wait("a", t, cost=10) == 10 - t
        assert limiter.wait("a", 6, cost=10) == 4
        assert not limiter.allow("a", 9, cost=10)
        assert limiter.allow("a", 10, cost=10)


def test_rate_over_a_long_time():
    for period in (1, 2, 3):
        limiter = Limiter(5, 1)
        allowed = sum(limiter.allow("a", t, cost=5) for t in range(0, 300, period))
        gap = -(-5 // period) * period
        assert allowed == len(range(0, 300, gap))


def test_forgetting():
    limiter = Limiter(6, 1)
    limiter.allow("a", 0, cost=6)
    for t in range(6):
        assert limiter.forget_idle(t) == 0
    assert limiter.forget_idle(6) == 1
    assert limiter.forget_idle(7) == 0
""",
    ),
    Program(
        name="crossing_lights",
        code=r'''"""The lights for cars at a crossing with a button for walkers."""


class Crossing:
    """Lights that change with time; a press of the button shortens the green phase."""

    DURATION = {"green": 8, "amber": 2, "red": 5}
    FOLLOWING = {"green": "amber", "amber": "red", "red": "green"}

    def __init__(self, shortest_green=3):
        self.light = "green"
        self.shortest_green = shortest_green
        self.elapsed = 0
        self.waiting = False
        self.served = 0

    def press(self):
        """A walker presses the button; it does nothing while he may walk."""
        if self.light != "red":
            self.waiting = True

    def tick(self, seconds=1):
        """Let time pass."""
        for _ in range(seconds):
            self.elapsed += 1
            if self.elapsed >= self._duration():
                self._change()

    def _duration(self):
        if self.waiting:
            return self.shortest_green
        return self.DURATION[self.light]

    def _change(self):
        self.light = self.FOLLOWING[self.light]
        self.elapsed = 0
        if self.light == "red" and self.waiting:
            self.served += 1
            self.waiting = False

    @property
    def walk(self):
        """Whether walkers may walk."""
        return self.light == "red"


def record(crossing, seconds, presses=()):
    """The initials of the lights in every second, with presses at some of them."""
    lights = ""
    for second in range(seconds):
        if second in presses:
            crossing.press()
        lights += crossing.light[0]
        crossing.tick()
    return lights
''',
        wrong="if self.waiting:",
        right='if self.waiting and self.light == "green":',
        visible=r"""
def test_without_presses():
    assert record(Crossing(), 20) == "ggggggggaarrrrrggggg"


def test_early_press():
    crossing = Crossing()
    assert record(crossing, 12, {1}) == "gggaarrrrrgg"
    assert crossing.served == 1


def test_late_press():
    assert record(Crossing(), 14, {5}) == "ggggggaarrrrrg"


def test_press_while_walking():
    crossing = Crossing()
    record(crossing, 16, {12})
    assert not crossing.waiting
    assert crossing.served == 0


def test_long_tick():
    crossing = Crossing()
    crossing.tick(10)
    assert crossing.walk
    crossing.tick(5)
    assert crossing.light == "green"
""",
        hidden=r"""
import itertools


def model(seconds, presses, shortest):
    lights, light, spent, waiting, served = "", "g", 0, False, 0
    for second in range(seconds):
        if second in presses and light != "r":
            waiting = True
        lights += light
        spent += 1
        limit = {"g": shortest if waiting else 8, "a": 2, "r": 5}[light]
        if spent >= limit:
            light, spent = {"g": "a", "a": "r", "r": "g"}[light], 0
            if light == "r" and waiting:
                waiting, served = False, served + 1
    return lights, served


def test_all_pairs_of_presses():
    for shortest in (1, 2, 3, 5, 8):
        for presses in itertools.combinations(range(0, 30), 2):
            crossing = Crossing(shortest)
            assert (record(crossing, 45, presses), crossing.served) == model(45, presses, shortest)


def test_pressed_all_the_time():
    for shortest in range(1, 9):
        presses = range(60)
        crossing = Crossing(shortest)
        lights = record(crossing, 60, presses)
        assert lights == (("g" * shortest + "aarrrrr") * 60)[:60]


def test_amber_is_never_stretched():
    for first in range(0, 11):
        lights = record(Crossing(6), 30, {first})
        for letter, run in itertools.groupby(lights[:lights.rindex("r")]):
            length = len(list(run))
            if letter == "a":
                assert length == 2
""",
    ),
    Program(
        name="darts_leg",
        code=r'''"""Scoring one leg of darts: from a start score down to exactly zero, ending on a double."""


def points(throw):
    """The points of a throw like '20', 'D16', 'T19', '25', 'D25' or '0'."""
    factor = {"D": 2, "T": 3}.get(throw[0], 1)
    number = int(throw if factor == 1 else throw[1:])
    if not (0 <= number <= 20 or number == 25) or throw == "T25":
        raise ValueError(f"no such field: {throw!r}")
    return factor * number


class Leg:
    """The score of one player.

    A turn has three throws. A throw that leaves less than zero, or one, or zero
    without a double ends the turn, and the score is again that at its beginning.
    """

    def __init__(self, start=501):
        self.start = start
        self.remaining = start
        self.turns = 0
        self._thrown = 0
        self._turn_start = start

    @property
    def finished(self):
        """Whether the player has won."""
        return self.remaining == 0

    def throw(self, field):
        """Count one throw; return 'bust', 'won' or the score that remains."""
        if self.finished:
            raise ValueError("the leg is over")
        left = self.remaining - points(field)
        self._thrown += 1
        if left < 0 or left == 1 or (left == 0 and not field.startswith("D")):
            self.remaining = self.start
            self._end_turn()
            return "bust"
        self.remaining = left
        if left == 0:
            self._end_turn()
            return "won"
        if self._thrown == 3:
            self._end_turn()
        return left

    def _end_turn(self):
        self.turns += 1
        self._thrown = 0
        self._turn_start = self.remaining

    def average(self):
        """The points scored in a finished turn, on average."""
        return (self.start - self._turn_start) / self.turns if self.turns else 0.0
''',
        wrong="self.remaining = self.start",
        right="self.remaining = self._turn_start",
        visible=r"""
def test_points():
    assert points("20") == 20
    assert points("T19") == 57
    assert points("D25") == 50
    for field in ("21", "T25", "D22"):
        with pytest.raises(ValueError):
            points(field)


def test_one_turn():
    leg = Leg()
    assert [leg.throw("T20") for _ in range(3)] == [441, 381, 321]
    assert leg.turns == 1
    assert leg.average() == 180


def test_win():
    leg = Leg(60)
    leg.throw("20")
    assert leg.throw("D20") == "won"
    assert leg.finished
    with pytest.raises(ValueError):
        leg.throw("1")


def test_bust_in_first_turn():
    leg = Leg(40)
    leg.throw("10")
    assert leg.throw("T20") == "bust"
    assert leg.remaining == 40
    assert leg.turns == 1


def test_bust_later():
    leg = Leg(101)
    for _ in range(3):
        leg.throw("20")
    assert leg.remaining == 41
    leg.throw("20")
    assert leg.throw("20") == "bust"
    assert leg.remaining == 41
    assert leg.turns == 2


def test_zero_without_double():
    leg = Leg(20)
    assert leg.throw("20") == "bust"
""",
        hidden=r"""
import random


def model(start, fields):
    score, turns, results, i = start, 0, [], 0
    while i < len(fields) and score:
        begin = score
        for _ in range(3):
            if i == len(fields):
                return results, score, turns, begin
            field = fields[i]
            i += 1
            score -= points(field)
            if score < 0 or score == 1 or (score == 0 and field[0] != "D"):
                score = begin
                results.append("bust")
                break
            if score == 0:
                results.append("won")
                break
            results.append(score)
        turns += 1
    return results, score, turns, score


FIELDS = [f"{p}{n}" for p in ("", "D", "T") for n in range(1, 21)] + ["25", "D25", "0"]


def test_random_games():
    rng = random.Random(31)
    for _ in range(400):
        start = rng.choice([2, 40, 101, 170, 301])
        fields = [rng.choice(FIELDS) for _ in range(40)]
        leg, results = Leg(start), []
        for field in fields:
            if leg.finished:
                break
            results.append(leg.throw(field))
        wanted, score, turns, base = model(start, fields)
        assert results == wanted
        assert leg.remaining == score
        assert leg.turns == turns
        if turns:
            assert leg.average() == (start - base) / turns


def test_busts_after_any_number_of_turns():
    for turns in range(0, 9):
        leg = Leg(3 * 20 * turns + 30)
        for _ in range(3 * turns):
            leg.throw("20")
        for fields in (["T20"], ["10", "19"], ["5", "5", "20"], ["10", "10", "10"]):
            results = [leg.throw(field) for field in fields]
            assert results[-1] == "bust"
            assert leg.remaining == 30
        assert leg.turns == turns + 4
        assert leg.throw("D15") == "won"


def test_bust_ends_the_turn():
    leg = Leg(100)
    for field in ("20", "20", "20"):
        leg.throw(field)
    assert leg.throw("T20") == "bust"
    assert [leg.throw("1"), leg.throw("1"), leg.throw("1")] == [39, 38, 37]
    assert leg.turns == 3
    assert leg.throw("T20") == "bust"
    assert leg.remaining == 37
""",
    ),
    Program(
        name="circuit_breaker",
        code=r'''"""A guard that stops calls to a service after too many failures in a row."""


class Refused(Exception):
    """The call was not made, as the service is believed to be down."""


class Breaker:
    """Calls a service unless it has failed too often lately.

    After `limit` failures in a row the breaker is open: calls are refused for
    `pause` seconds. Then one call is tried; it closes the breaker again, or
    opens it for another pause.
    """

    def __init__(self, limit, pause, clock):
        self.limit = limit
        self.pause = pause
        self._clock = clock
        self._failures = 0
        self._opened_at = None

    @property
    def state(self):
        """'closed', 'open' or 'trial'."""
        if self._opened_at is None:
            return "closed"
        if self._clock() - self._opened_at < self.pause:
            return "open"
        return "trial"

    def call(self, function, *arguments):
        """Call a function, count whether it fails, and return what it returns."""
        state = self.state
        if state == "open":
            raise Refused()
        try:
            result = function(*arguments)
        except Exception:
            self._failed(state)
            raise
        self._succeeded()
        return result

    def _failed(self, state):
        self._failures += 1
        if state == "trial" or self._failures >= self.limit:
            self._opened_at = self._clock()

    def _succeeded(self):
        self._opened_at = None

    def remaining(self):
        """The seconds for which calls will still be refused."""
        if self.state != "open":
            return 0
        return self._opened_at + self.pause - self._clock()
''',
        wrong="    def _succeeded(self):",
        right="    def _succeeded(self):\n        self._failures = 0",
        visible=r"""
class Clock:
    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now


def fail(breaker):
    with pytest.raises(ZeroDivisionError):
        breaker.call(lambda: 1 // 0)


def test_calls_through():
    breaker = Breaker(2, 10, Clock())
    assert breaker.call(max, 3, 5) == 5
    assert breaker.state == "closed"


def test_opens():
    clock = Clock()
    breaker = Breaker(2, 10, clock)
    fail(breaker)
    fail(breaker)
    assert breaker.state == "open"
    with pytest.raises(Refused):
        breaker.call(len, "abc")
    clock.now = 4
    assert breaker.remaining() == 6


def test_failed_trial():
    clock = Clock()
    breaker = Breaker(1, 10, clock)
    fail(breaker)
    clock.now = 10
    assert breaker.state == "trial"
    fail(breaker)
    assert breaker.state == "open"
    assert breaker.remaining() == 10


def test_good_trial():
    clock = Clock()
    breaker = Breaker(2, 5, clock)
    fail(breaker)
    fail(breaker)
    clock.now = 7
    assert breaker.call(len, "abc") == 3
    assert breaker.state == "closed"
    fail(breaker)
    assert breaker.state == "closed"


def test_failures_not_in_a_row():
    breaker = Breaker(3, 10, Clock())
    for _ in range(4):
        fail(breaker)
        fail(breaker)
        breaker.call(len, "")
    assert breaker.state == "closed"
""",
        hidden=r"""
import random


class Time:
    now = 0

    def __call__(self):
        return self.now


def broken():
    raise KeyError("down")


def run(breaker, good):
    try:
        return breaker.call(len, "abcd") if good else breaker.call(broken)
    except KeyError:
        return "failed"
    except Refused:
        return "refused"


def test_against_a_model():
    rng = random.Random(32)
    for _ in range(200):
        limit, pause = rng.randrange(1, 5), rng.randrange(1, 8)
        time = Time()
        breaker = Breaker(limit, pause, time)
        row, opened = 0, None
        for _ in range(60):
            time.now += rng.randrange(3)
            good = rng.random() < 0.5
            state = "closed" if opened is None else "open" if time.now - opened < pause else "trial"
            assert breaker.state == state
            result = run(breaker, good)
            if state == "open":
                assert result == "refused"
            elif good:
                assert result == 4
                row, opened = 0, None
            else:
                assert result == "failed"
                row += 1
                if state == "trial" or row >= limit:
                    opened = time.now


def test_full_limit_after_recovery():
    for limit in range(1, 7):
        time = Time()
        breaker = Breaker(limit, 5, time)
        for _ in range(3):
            for n in range(limit):
                assert breaker.state == "closed"
                assert run(breaker, False) == "failed"
            assert breaker.state == "open"
            time.now += 5
            assert run(breaker, True) == 4


def test_success_between_failures():
    for limit in range(2, 8):
        for before in range(limit):
            time = Time()
            breaker = Breaker(limit, 5, time)
            for _ in range(before):
                run(breaker, False)
            run(breaker, True)
            for _ in range(limit - 1):
                run(breaker, False)
                assert breaker.state == "closed"
            run(breaker, False)
            assert breaker.state == "open"
""",
    ),
    Program(
        name="sandpile",
        code=r'''"""Piles of sand on a table: a pile of four grains or more topples onto its neighbours."""


class Table:
    """A table of cells; grains that topple over its edge are lost."""

    def __init__(self, width, height):
        self.width = width
        self.height = height
        self.cells = [[0] * width] * height
        self.lost = 0

    def drop(self, x, y, grains=1):
        """Drop grains on a cell, let everything settle; return the number of topplings."""
        self.cells[y][x] += grains
        return self._settle([(x, y)])

    def _settle(self, unstable):
        topplings = 0
        while unstable:
            x, y = unstable.pop()
            times = self.cells[y][x] // 4
            if not times:
                continue
            topplings += times
            self.cells[y][x] -= 4 * times
            for near_x, near_y in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if 0 <= near_x < self.width and 0 <= near_y < self.height:
                    self.cells[near_y][near_x] += times
                    unstable.append((near_x, near_y))
                else:
                    self.lost += times
        return topplings

    def grains(self):
        """How many grains lie on the table."""
        return sum(sum(row) for row in self.cells)

    def add(self, other):
        """The settled sum of two tables of one size."""
        result = Table(self.width, self.height)
        for y in range(self.height):
            for x in range(self.width):
                result.drop(x, y, self.cells[y][x] + other.cells[y][x])
        return result

    def text(self):
        """The table as lines of digits."""
        return "\n".join("".join(str(cell) for cell in row) for row in self.cells)
''',
        wrong="self.cells = [[0] * width] * height",
        right="self.cells = [[0] * width for _ in range(height)]",
        visible=r"""
def test_one_row():
    table = Table(3, 1)
    assert table.drop(1, 0, 4) == 1
    assert table.text() == "101"
    assert table.lost == 2


def test_no_toppling():
    table = Table(1, 1)
    assert table.drop(0, 0, 3) == 0
    assert table.grains() == 3


def test_middle():
    table = Table(3, 3)
    assert table.drop(1, 1, 4) == 1
    assert table.text() == "010\n101\n010"
    assert table.lost == 0


def test_grains_are_kept():
    table = Table(4, 5)
    for n in range(30):
        table.drop(n % 4, n % 5, 2)
    assert table.grains() + table.lost == 60


def test_add():
    one = Table(2, 2)
    one.drop(0, 0, 3)
    assert one.add(one).text() == "21\n10"


def test_empty():
    assert Table(2, 1).text() == "00"
""",
        hidden=r"""
import random


def settle(grid):
    height, width = len(grid), len(grid[0])
    count = lost = 0
    changed = True
    while changed:
        changed = False
        for y in range(height):
            for x in range(width):
                if grid[y][x] >= 4:
                    changed = True
                    count += 1
                    grid[y][x] -= 4
                    for a, b in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                        if 0 <= a < width and 0 <= b < height:
                            grid[b][a] += 1
                        else:
                            lost += 1
    return count, lost


def test_against_a_model():
    rng = random.Random(33)
    for _ in range(60):
        width, height = rng.randrange(1, 6), rng.randrange(1, 6)
        table = Table(width, height)
        grid = [[0] * width for _ in range(height)]
        lost = 0
        for _ in range(20):
            x, y, n = rng.randrange(width), rng.randrange(height), rng.randrange(1, 12)
            grid[y][x] += n
            count, over = settle(grid)
            lost += over
            assert table.drop(x, y, n) == count
            assert table.cells == grid
            assert table.lost == lost


def test_rows_are_separate():
    for height in range(2, 6):
        for y in range(height):
            table = Table(3, height)
            table.drop(1, y, 2)
            assert table.text().split("\n") == ["020" if r == y else "000" for r in range(height)]


def test_order_does_not_matter():
    rng = random.Random(34)
    for _ in range(30):
        drops = [(rng.randrange(4), rng.randrange(3), rng.randrange(1, 9)) for _ in range(15)]
        first, second = Table(4, 3), Table(4, 3)
        for drop in drops:
            first.drop(*drop)
        for drop in reversed(drops):
            second.drop(*drop)
        assert first.cells == second.cells
        assert first.lost == second.lost
        both = first.add(second)
        grid = [[2 * cell for cell in row] for row in first.cells]
        settle(grid)
        assert both.cells == grid
""",
    ),
    Program(
        name="bank_counters",
        code=r'''"""A simulation of customers who queue for the counters of a bank."""

import heapq


class Visit:
    """What happened to one customer."""

    def __init__(self, arrival, start, end, counter):
        self.arrival = arrival
        self.start = start
        self.end = end
        self.counter = counter

    @property
    def wait(self):
        """The time spent in the queue."""
        return self.start - self.arrival


def simulate(customers, counters):
    """The visits of customers, given as pairs of arrival and service time, in order of arrival.

    There is one queue. A customer goes to the counter that is free first; among
    several, to the one with the lowest number.
    """
    if counters < 1:
        raise ValueError("no counter")
    free = [(0, counter) for counter in range(counters)]
    visits = []
    for arrival, service in sorted(customers, key=lambda customer: customer[0]):
        free_from, counter = heapq.heappop(free)
        start = max(arrival, free_from)
        end = start + service
        visits.append(Visit(arrival, start, end, counter))
        heapq.heappush(free, (arrival + service, counter))
    return visits


def longest_wait(customers, counters):
    """The longest time that a customer spends in the queue."""
    return max((visit.wait for visit in simulate(customers, counters)), default=0)


def closing_time(customers, counters):
    """When the last customer leaves."""
    return max((visit.end for visit in simulate(customers, counters)), default=0)


def counters_needed(customers, patience):
    """The least number of counters with which nobody waits longer than `patience`."""
    counters = 1
    while longest_wait(customers, counters) > patience:
        counters += 1
    return counters


def busy_times(customers, counters):
    """For each counter the time for which it serves someone."""
    times = [0] * counters
    for visit in simulate(customers, counters):
        times[visit.counter] += visit.end - visit.start
    return times
''',
        wrong="heapq.heappush(free, (arrival + service, counter))",
        right="heapq.heappush(free, (end, counter))",
        visible=r"""
def test_no_queue():
    visits = simulate([(0, 2), (5, 2), (9, 1)], 1)
    assert [visit.wait for visit in visits] == [0, 0, 0]
    assert visits[-1].end == 10


def test_one_counter():
    visits = simulate([(0, 5), (1, 4), (2, 3)], 1)
    assert [visit.start for visit in visits] == [0, 5, 9]
    assert closing_time([(0, 5), (1, 4), (2, 3)], 1) == 12


def test_two_counters():
    visits = simulate([(0, 5), (1, 4), (2, 3)], 2)
    assert [visit.counter for visit in visits] == [0, 1, 0]
    assert longest_wait([(0, 5), (1, 4), (2, 3)], 2) == 3


def test_counters_needed():
    rush = [(0, 10)] * 6
    assert counters_needed(rush, 0) == 6
    assert counters_needed(rush, 25) == 2


def test_busy_times():
    assert busy_times([(0, 3), (0, 4), (4, 2)], 2) == [5, 4]


def test_no_customers():
    assert closing_time([], 2) == 0
    with pytest.raises(ValueError):
        simulate([], 0)
""",
        hidden=r'''
import random


def model(customers, counters):
    """Second by second."""
    queue = list(enumerate(sorted(customers, key=lambda c: c[0])))
    until = [0] * counters
    starts, now = {}, 0
    while queue:
        for counter in sorted(range(counters), key=lambda c: (until[c], c)):
            if queue and queue[0][1][0] <= now and until[counter] <= now:
                number, (arrival, service) = queue.pop(0)
                starts[number] = now
                until[counter] = now + service
        now += 1
    return [starts[n] for n in range(len(customers))]


def cases():
    rng = random.Random(35)
    for _ in range(200):
        customers = [(rng.randrange(30), rng.randrange(1, 9)) for _ in range(rng.randrange(1, 15))]
        yield customers, rng.randrange(1, 5)


def test_starts():
    for customers, counters in cases():
        visits = simulate(customers, counters)
        assert [visit.start for visit in visits] == model(customers, counters)


def test_nobody_is_served_twice_at_once():
    for customers, counters in cases():
        visits = simulate(customers, counters)
        for counter in range(counters):
            own = [v for v in visits if v.counter == counter]
            for a, b in zip(own, own[1:]):
                assert a.end <= b.start
        assert sum(busy_times(customers, counters)) == sum(s for _, s in customers)


def test_crowds():
    for people in range(1, 12):
        for counters in range(1, 6):
            crowd = [(0, 7)] * people
            rounds = -(-people // counters)
            assert closing_time(crowd, counters) == 7 * rounds
            assert longest_wait(crowd, counters) == 7 * (rounds - 1)


def test_counters_needed():
    for customers, _ in cases():
        for patience in (0, 3, 10):
            found = counters_needed(customers, patience)
            waits = [s - a for s, (a, _) in zip(model(customers, found), sorted(customers, key=lambda c: c[0]))]
            assert max(waits) <= patience
            if found > 1:
                fewer = model(customers, found - 1)
                assert max(s - a for s, (a, _) in zip(fewer, sorted(customers, key=lambda c: c[0]))) > patience
''',
    ),
)
