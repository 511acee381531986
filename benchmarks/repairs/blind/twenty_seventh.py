"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ------------------------------------------------------------ data structures
    Program(
        name="ranked_bag_fenwick",
        code=r'''
"""A multiset of small integers with fast rank queries."""


class RankedBag:
    """Holds integers from range(size); a Fenwick tree keeps the counts."""

    def __init__(self, size):
        self.size = size
        self.counts = [0] * size
        self.tree = [0] * (size + 1)
        self.total = 0

    def __len__(self):
        return self.total

    def _change(self, value, delta):
        self.counts[value] += delta
        self.total += delta
        index = value + 1
        while index <= self.size:
            self.tree[index] += delta
            index += index & -index

    def add(self, value):
        """Put one more copy of value in the bag."""
        if not 0 <= value < self.size:
            raise ValueError("value out of range")
        self._change(value, 1)

    def discard(self, value):
        """Take one copy of value out; tell whether there was one."""
        if not 0 <= value < self.size or not self.counts[value]:
            return False
        self._change(value, -1)
        return True

    def rank(self, value):
        """How many elements are strictly smaller than value."""
        index = min(max(value, 0), self.size)
        smaller = 0
        while index > 0:
            smaller += self.tree[index]
            index -= index & -index
        return smaller

    def kth(self, k):
        """The element at position k (from 0) in sorted order."""
        if not 0 <= k < self.total:
            raise IndexError("no such position")
        position = 0
        step = 1 << self.size.bit_length()
        while step:
            following = position + step
            if following <= self.size and self.tree[following] < k:
                position = following
                k -= self.tree[following]
            step >>= 1
        return position

    def median(self):
        """The lower median of the elements."""
        return self.kth((self.total - 1) // 2)
''',
        wrong="if following <= self.size and self.tree[following] < k:",
        right="if following <= self.size and self.tree[following] <= k:",
        visible=r"""
def bag_of(size, *values):
    bag = RankedBag(size)
    for value in values:
        bag.add(value)
    return bag

def test_length_and_discard():
    bag = bag_of(10, 3, 3, 7)
    assert len(bag) == 3
    assert bag.discard(3)
    assert not bag.discard(4)
    assert len(bag) == 2

def test_rank():
    bag = bag_of(10, 2, 5, 5, 9)
    assert bag.rank(0) == 0
    assert bag.rank(5) == 1
    assert bag.rank(6) == 3
    assert bag.rank(100) == 4

def test_kth():
    bag = bag_of(10, 2, 5, 5, 9)
    assert [bag.kth(k) for k in range(4)] == [2, 5, 5, 9]

def test_median():
    assert bag_of(20, 4, 18, 11).median() == 11

def test_kth_out_of_range():
    with pytest.raises(IndexError):
        bag_of(5, 1).kth(1)
""",
        hidden=r"""
import random

def test_kth_matches_sorted_list():
    rng = random.Random(1)
    for size in (1, 2, 3, 7, 8, 9, 31, 50):
        for _ in range(10):
            values = [rng.randrange(size) for _ in range(rng.randrange(1, 30))]
            bag = RankedBag(size)
            for value in values:
                bag.add(value)
            assert [bag.kth(k) for k in range(len(values))] == sorted(values)

def test_random_operations():
    rng = random.Random(2)
    bag, model = RankedBag(16), []
    for _ in range(600):
        value = rng.randrange(16)
        if rng.random() < 0.55:
            bag.add(value)
            model.append(value)
        else:
            assert bag.discard(value) == (value in model)
            if value in model:
                model.remove(value)
        model.sort()
        assert len(bag) == len(model)
        probe = rng.randrange(-2, 19)
        assert bag.rank(probe) == sum(x < probe for x in model)
        if model:
            k = rng.randrange(len(model))
            assert bag.kth(k) == model[k]
            assert bag.median() == model[(len(model) - 1) // 2]

def test_bounds():
    bag = RankedBag(4)
    for bad in (-1, 4):
        with pytest.raises(ValueError):
            bag.add(bad)
    with pytest.raises(IndexError):
        bag.kth(0)
    bag.add(3)
    assert bag.kth(0) == 3
    with pytest.raises(IndexError):
        bag.kth(-1)
""",
    ),
    Program(
        name="indexed_heap_positions",
        code=r'''
"""A priority queue whose priorities can be changed."""


class IndexedHeap:
    """A binary min-heap of distinct keys that remembers where each key is."""

    def __init__(self):
        self.heap = []
        self.where = {}
        self.priority = {}

    def __len__(self):
        return len(self.heap)

    def __contains__(self, key):
        return key in self.where

    def _swap(self, i, j):
        self.heap[i], self.heap[j] = self.heap[j], self.heap[i]
        self.where[self.heap[i]] = i
        self.where[self.heap[j]] = i

    def _less(self, i, j):
        return self.priority[self.heap[i]] < self.priority[self.heap[j]]

    def _up(self, i):
        while i > 0 and self._less(i, (i - 1) // 2):
            self._swap(i, (i - 1) // 2)
            i = (i - 1) // 2

    def _down(self, i):
        while True:
            smallest = i
            for child in (2 * i + 1, 2 * i + 2):
                if child < len(self.heap) and self._less(child, smallest):
                    smallest = child
            if smallest == i:
                return
            self._swap(i, smallest)
            i = smallest

    def push(self, key, priority):
        """Add a key, or change the priority that it has."""
        if key not in self.where:
            self.where[key] = len(self.heap)
            self.heap.append(key)
        self.priority[key] = priority
        self._up(self.where[key])
        self._down(self.where[key])

    def pop(self):
        """Remove the key of least priority; return it and its priority."""
        if not self.heap:
            raise IndexError("pop from an empty heap")
        self._swap(0, len(self.heap) - 1)
        key = self.heap.pop()
        del self.where[key]
        if self.heap:
            self._down(0)
        return key, self.priority.pop(key)
''',
        wrong="self.where[self.heap[j]] = i",
        right="self.where[self.heap[j]] = j",
        visible=r"""
def drain(heap):
    keys = []
    while len(heap):
        keys.append(heap.pop()[0])
    return keys

def test_single():
    heap = IndexedHeap()
    heap.push("a", 3)
    assert "a" in heap
    assert heap.pop() == ("a", 3)
    assert "a" not in heap

def test_sorted_pushes():
    heap = IndexedHeap()
    for key, priority in (("a", 1), ("b", 2), ("c", 3)):
        heap.push(key, priority)
    assert drain(heap) == ["a", "b", "c"]

def test_decrease():
    heap = IndexedHeap()
    heap.push("low", 1)
    heap.push("mid", 5)
    heap.push("high", 9)
    heap.push("high", 0)
    heap.push("low", 7)
    assert drain(heap) == ["high", "mid", "low"]

def test_decrease_twice():
    heap = IndexedHeap()
    for key, priority in (("b", 1), ("c", 4), ("d", 5), ("a", 3)):
        heap.push(key, priority)
    heap.push("a", 0)
    assert drain(heap) == ["a", "b", "c", "d"]

def test_pop_empty():
    with pytest.raises(IndexError):
        IndexedHeap().pop()
""",
        hidden=r"""
import random

def check(heap):
    assert heap.where == {key: i for i, key in enumerate(heap.heap)}
    assert set(heap.priority) == set(heap.heap)
    for i in range(1, len(heap.heap)):
        assert heap.priority[heap.heap[(i - 1) // 2]] <= heap.priority[heap.heap[i]]

def test_invariants_under_random_operations():
    rng = random.Random(5)
    for _ in range(30):
        heap, model = IndexedHeap(), {}
        for _ in range(80):
            if model and rng.random() < 0.3:
                key, priority = heap.pop()
                assert priority == min(model.values())
                assert model.pop(key) == priority
            else:
                key, priority = rng.randrange(15), rng.randrange(100)
                heap.push(key, priority)
                model[key] = priority
            assert len(heap) == len(model)
            check(heap)

def test_heap_sort():
    rng = random.Random(6)
    for n in range(0, 40):
        order = list(range(n))
        rng.shuffle(order)
        heap = IndexedHeap()
        for x in order:
            heap.push(x, x * x)
        assert [heap.pop() for _ in range(n)] == [(x, x * x) for x in range(n)]
        assert heap.where == {} and heap.priority == {}

def test_reprioritise_everything():
    heap = IndexedHeap()
    for x in range(20):
        heap.push(x, x)
    for x in range(20):
        heap.push(x, -x)
        check(heap)
    assert [heap.pop()[0] for _ in range(20)] == list(range(19, -1, -1))
""",
    ),
    Program(
        name="range_set_merge",
        code=r'''
"""A set of integers stored as disjoint half-open ranges."""

from bisect import bisect_right


class RangeSet:
    """Ranges are kept sorted, disjoint and not adjacent."""

    def __init__(self):
        self.ranges = []

    def __contains__(self, value):
        index = bisect_right(self.ranges, (value, float("inf"))) - 1
        return index >= 0 and value < self.ranges[index][1]

    def __len__(self):
        return sum(stop - start for start, stop in self.ranges)

    def add(self, start, stop):
        """Include all integers of range(start, stop)."""
        if start >= stop:
            return
        kept = []
        for low, high in self.ranges:
            if high < start or low > stop:
                kept.append((low, high))
            else:
                start = min(start, low)
                stop = high
        kept.append((start, stop))
        self.ranges = sorted(kept)

    def remove(self, start, stop):
        """Exclude all integers of range(start, stop)."""
        if start >= stop:
            return
        kept = []
        for low, high in self.ranges:
            if low < start:
                kept.append((low, min(high, start)))
            if high > stop:
                kept.append((max(low, stop), high))
        self.ranges = kept

    def gaps(self):
        """The ranges that lie between those of the set."""
        return [
            (before[1], after[0])
            for before, after in zip(self.ranges, self.ranges[1:])
        ]
''',
        wrong="stop = high\n",
        right="stop = max(stop, high)\n",
        visible=r"""
def test_add_apart():
    s = RangeSet()
    s.add(10, 12)
    s.add(1, 4)
    assert s.ranges == [(1, 4), (10, 12)]
    assert len(s) == 5
    assert s.gaps() == [(4, 10)]

def test_add_bridges_two_ranges():
    s = RangeSet()
    s.add(0, 3)
    s.add(6, 9)
    s.add(2, 7)
    assert s.ranges == [(0, 9)]

def test_add_covering():
    s = RangeSet()
    s.add(3, 5)
    s.add(1, 8)
    assert s.ranges == [(1, 8)]

def test_adjacent_ranges_join():
    s = RangeSet()
    s.add(0, 3)
    s.add(3, 5)
    assert s.ranges == [(0, 5)]

def test_remove_splits():
    s = RangeSet()
    s.add(0, 10)
    s.remove(4, 6)
    assert s.ranges == [(0, 4), (6, 10)]
    assert 3 in s
    assert 4 not in s
""",
        hidden=r"""
import random

def as_ranges(values):
    ranges = []
    for v in sorted(values):
        if ranges and ranges[-1][1] == v:
            ranges[-1] = (ranges[-1][0], v + 1)
        else:
            ranges.append((v, v + 1))
    return ranges

def test_adds_against_plain_set():
    rng = random.Random(3)
    for _ in range(200):
        s, model = RangeSet(), set()
        for _ in range(8):
            a = rng.randrange(30)
            b = a + rng.randrange(8)
            s.add(a, b)
            model |= set(range(a, b))
            assert s.ranges == as_ranges(model)

def test_mixed_against_plain_set():
    rng = random.Random(4)
    for _ in range(150):
        s, model = RangeSet(), set()
        for _ in range(15):
            a = rng.randrange(-10, 30)
            b = a + rng.randrange(10)
            if rng.random() < 0.6:
                s.add(a, b)
                model |= set(range(a, b))
            else:
                s.remove(a, b)
                model -= set(range(a, b))
            assert s.ranges == as_ranges(model)
            assert len(s) == len(model)
            assert all((v in s) == (v in model) for v in range(-12, 45))

def test_every_pair():
    for a in range(6):
        for b in range(a, 7):
            for c in range(6):
                for d in range(c, 7):
                    s = RangeSet()
                    s.add(a, b)
                    s.add(c, d)
                    assert s.ranges == as_ranges(set(range(a, b)) | set(range(c, d)))
""",
    ),
    Program(
        name="pairing_heap_two_pass",
        code=r'''
"""A pairing heap: a mergeable priority queue."""


class Node:
    """A value and the heaps below it."""

    def __init__(self, value):
        self.value = value
        self.children = []


def link(first, second):
    """Make the root of greater value a child of the other one."""
    if first is None:
        return second
    if second is None:
        return first
    if second.value < first.value:
        first, second = second, first
    first.children.append(second)
    return first


def combine(children):
    """Link a list of heaps in two passes: in pairs, then all from the right."""
    pairs = []
    for index in range(0, len(children) - 1, 2):
        group = children[index:index + 2]
        pairs.append(group[0] if len(group) == 1 else link(*group))
    root = None
    for heap in reversed(pairs):
        root = link(root, heap)
    return root


class PairingHeap:
    """A min-heap with cheap insertion and merging."""

    def __init__(self, values=()):
        self.root = None
        self.size = 0
        for value in values:
            self.push(value)

    def __len__(self):
        return self.size

    def push(self, value):
        """Add a value."""
        self.root = link(self.root, Node(value))
        self.size += 1

    def peek(self):
        """The least value."""
        if self.root is None:
            raise IndexError("empty heap")
        return self.root.value

    def pop(self):
        """Remove and return the least value."""
        value = self.peek()
        self.root = combine(self.root.children)
        self.size -= 1
        return value

    def absorb(self, other):
        """Move all values of another heap into this one."""
        self.root = link(self.root, other.root)
        self.size += other.size
        other.root, other.size = None, 0
''',
        wrong="range(0, len(children) - 1, 2)",
        right="range(0, len(children), 2)",
        visible=r"""
def drain(heap):
    return [heap.pop() for _ in range(len(heap))]

def test_peek_is_least():
    heap = PairingHeap([5, 2, 8])
    assert heap.peek() == 2
    assert len(heap) == 3

def test_three_values():
    assert drain(PairingHeap([5, 2, 8])) == [2, 5, 8]

def test_ascending():
    assert drain(PairingHeap([1, 2, 3, 4, 5, 6])) == [1, 2, 3, 4, 5, 6]

def test_absorb():
    left, right = PairingHeap([4, 9]), PairingHeap([1])
    left.absorb(right)
    assert len(left) == 3
    assert len(right) == 0
    assert left.peek() == 1

def test_empty():
    with pytest.raises(IndexError):
        PairingHeap().pop()
""",
        hidden=r"""
import random
from itertools import permutations

def drain(heap):
    return [heap.pop() for _ in range(len(heap))]

def test_all_small_permutations():
    for n in range(7):
        for order in permutations(range(n)):
            heap = PairingHeap(order)
            assert drain(heap) == list(range(n))
            assert heap.root is None

def test_random_with_duplicates():
    rng = random.Random(8)
    for _ in range(100):
        values = [rng.randrange(20) for _ in range(rng.randrange(60))]
        assert drain(PairingHeap(values)) == sorted(values)

def test_interleaved_and_absorbed():
    rng = random.Random(9)
    for _ in range(60):
        heap, model = PairingHeap(), []
        for _ in range(60):
            choice = rng.random()
            if choice < 0.4:
                heap.push(value := rng.randrange(100))
                model.append(value)
            elif choice < 0.6:
                more = [rng.randrange(100) for _ in range(rng.randrange(5))]
                heap.absorb(PairingHeap(more))
                model += more
            elif model:
                assert heap.peek() == min(model)
                assert heap.pop() == min(model)
                model.remove(min(model))
            assert len(heap) == len(model)
        assert drain(heap) == sorted(model)

def test_combine_keeps_every_heap():
    for n in range(12):
        root = combine([Node(v) for v in range(n)])
        seen, stack = [], [root] if root else []
        while stack:
            node = stack.pop()
            seen.append(node.value)
            stack.extend(node.children)
        assert sorted(seen) == list(range(n))
""",
    ),
    Program(
        name="gap_buffer_lookup",
        code=r'''
"""A text buffer that is cheap to edit at its cursor."""


class GapBuffer:
    """Characters before the cursor, and those after it in reverse order."""

    def __init__(self, text=""):
        self._before = list(text)
        self._after = []

    def __len__(self):
        return len(self._before) + len(self._after)

    def __str__(self):
        return "".join(self._before) + "".join(reversed(self._after))

    @property
    def cursor(self):
        """The number of characters to the left of the cursor."""
        return len(self._before)

    def move(self, offset):
        """Move the cursor by offset characters, not beyond the ends."""
        while offset > 0 and self._after:
            self._before.append(self._after.pop())
            offset -= 1
        while offset < 0 and self._before:
            self._after.append(self._before.pop())
            offset += 1

    def insert(self, text):
        """Type text at the cursor."""
        self._before.extend(text)

    def backspace(self, count=1):
        """Erase up to count characters left of the cursor; return them."""
        start = max(0, len(self._before) - count)
        erased = self._before[start:]
        del self._before[start:]
        return "".join(erased)

    def char_at(self, index):
        """The character at an index of the whole text."""
        if not 0 <= index < len(self):
            raise IndexError("index out of range")
        if index < len(self._before):
            return self._before[index]
        return self._after[-(index - len(self._before))]

    def find(self, char):
        """The first index of a character, or -1."""
        for index in range(len(self)):
            if self.char_at(index) == char:
                return index
        return -1
''',
        wrong="return self._after[-(index - len(self._before))]",
        right="return self._after[-1 - (index - len(self._before))]",
        visible=r"""
def test_insert_in_the_middle():
    buffer = GapBuffer("helo")
    buffer.move(-1)
    buffer.insert("l")
    assert str(buffer) == "hello"
    assert buffer.cursor == 4

def test_backspace():
    buffer = GapBuffer("abc")
    assert buffer.backspace(2) == "bc"
    assert buffer.backspace(5) == "a"
    assert len(buffer) == 0

def test_char_at_before_cursor():
    buffer = GapBuffer("abc")
    assert buffer.char_at(0) == "a"
    assert buffer.char_at(2) == "c"
    with pytest.raises(IndexError):
        buffer.char_at(3)

def test_char_at_after_cursor():
    buffer = GapBuffer("abcdef")
    buffer.move(-4)
    assert buffer.char_at(2) == "c"
    assert buffer.char_at(5) == "f"

def test_find():
    buffer = GapBuffer("xyz")
    buffer.move(-3)
    assert buffer.find("y") == 1
    assert buffer.find("q") == -1
""",
        hidden=r"""
import random

def test_every_cursor_and_index():
    for n in range(1, 9):
        text = "abcdefgh"[:n]
        for back in range(n + 2):
            buffer = GapBuffer(text)
            buffer.move(-back)
            assert "".join(buffer.char_at(i) for i in range(n)) == text
            assert [buffer.find(c) for c in text] == list(range(n))
            assert buffer.cursor == max(0, n - back)
            for bad in (-1, n):
                with pytest.raises(IndexError):
                    buffer.char_at(bad)

def test_find_gives_the_first():
    for back in range(8):
        buffer = GapBuffer("abcabca")
        buffer.move(-back)
        assert [buffer.find(c) for c in "abcd"] == [0, 1, 2, -1]

def test_random_editing():
    rng = random.Random(11)
    for _ in range(40):
        buffer, text, cursor = GapBuffer(), "", 0
        for _ in range(60):
            choice = rng.randrange(3)
            if choice == 0:
                piece = "".join(rng.choice("pqrs") for _ in range(rng.randrange(4)))
                buffer.insert(piece)
                text = text[:cursor] + piece + text[cursor:]
                cursor += len(piece)
            elif choice == 1:
                offset = rng.randrange(-6, 7)
                buffer.move(offset)
                cursor = min(max(cursor + offset, 0), len(text))
            else:
                count = rng.randrange(3)
                start = max(0, cursor - count)
                assert buffer.backspace(count) == text[start:cursor]
                text, cursor = text[:start] + text[cursor:], start
            assert str(buffer) == text and buffer.cursor == cursor
            assert [buffer.char_at(i) for i in range(len(buffer))] == list(text)
            assert buffer.find("q") == text.find("q")
""",
    ),
    Program(
        name="open_addressing_tombstones",
        code=r'''
"""A hash map with open addressing and linear probing."""

_DELETED = object()


class ProbingMap:
    """A mapping; removed entries leave a mark behind in their slots."""

    def __init__(self, capacity=8):
        self._slots = [None] * capacity
        self._used = 0

    def __len__(self):
        return self._used

    def _probe(self, key):
        """The indices of the slots where the key may be, in order."""
        start = hash(key) % len(self._slots)
        for step in range(len(self._slots)):
            yield (start + step) % len(self._slots)

    def _find(self, key):
        for index in self._probe(key):
            entry = self._slots[index]
            if entry is None:
                return None
            if entry is not _DELETED and entry[0] == key:
                return index
        return None

    def get(self, key, default=None):
        """The value of a key, or the default."""
        index = self._find(key)
        return default if index is None else self._slots[index][1]

    def put(self, key, value):
        """Set the value of a key."""
        index = self._find(key)
        if index is not None:
            self._slots[index] = (key, value)
            return
        if (self._used + 1) * 2 > len(self._slots):
            self._resize(len(self._slots) * 2)
        for index in self._probe(key):
            if self._slots[index] is None or self._slots[index] is _DELETED:
                self._slots[index] = (key, value)
                self._used += 1
                return

    def remove(self, key):
        """Forget a key; raise KeyError where it is not known."""
        index = self._find(key)
        if index is None:
            raise KeyError(key)
        self._slots[index] = None
        self._used -= 1

    def items(self):
        """All pairs, in the order of the slots."""
        return [e for e in self._slots if e is not None and e is not _DELETED]

    def _resize(self, capacity):
        entries = self.items()
        self._slots = [None] * capacity
        self._used = 0
        for key, value in entries:
            self.put(key, value)
''',
        wrong="self._slots[index] = None\n",
        right="self._slots[index] = _DELETED\n",
        visible=r"""
def test_put_and_get():
    m = ProbingMap()
    m.put(1, "one")
    m.put(2, "two")
    m.put(1, "uno")
    assert m.get(1) == "uno"
    assert m.get(2) == "two"
    assert m.get(3, "none") == "none"
    assert len(m) == 2

def test_collision():
    m = ProbingMap(8)
    m.put(3, "a")
    m.put(11, "b")
    assert m.get(3) == "a"
    assert m.get(11) == "b"

def test_remove():
    m = ProbingMap()
    m.put(5, "x")
    m.remove(5)
    assert m.get(5) is None
    assert len(m) == 0
    with pytest.raises(KeyError):
        m.remove(5)

def test_remove_first_of_colliding_keys():
    m = ProbingMap(8)
    m.put(3, "a")
    m.put(11, "b")
    m.remove(3)
    assert m.get(11) == "b"

def test_growing():
    m = ProbingMap(2)
    for n in range(20):
        m.put(n, n * n)
    assert [m.get(n) for n in range(20)] == [n * n for n in range(20)]
""",
        hidden=r"""
import random

def test_against_dict():
    rng = random.Random(12)
    for capacity in (2, 4, 8, 16):
        for _ in range(20):
            m, model = ProbingMap(capacity), {}
            for _ in range(150):
                key = rng.randrange(6) + 8 * rng.randrange(4)
                if rng.random() < 0.5:
                    m.put(key, value := rng.randrange(1000))
                    model[key] = value
                elif key in model:
                    m.remove(key)
                    del model[key]
                else:
                    with pytest.raises(KeyError):
                        m.remove(key)
                assert len(m) == len(model)
                assert sorted(m.items()) == sorted(model.items())
                assert all(m.get(k, -1) == model.get(k, -1) for k in range(40))

def test_chain_survives_removals():
    for gone in range(4):
        m = ProbingMap(16)
        keys = [1, 17, 33, 49]
        for key in keys:
            m.put(key, str(key))
        m.remove(keys[gone])
        for i, key in enumerate(keys):
            assert m.get(key) == (None if i == gone else str(key))
        for key in keys:
            m.put(key, "again")
        assert len(m) == 4
        assert sorted(m.items()) == [(k, "again") for k in keys]

def test_slot_is_used_again():
    m = ProbingMap(8)
    for n in range(200):
        m.put(n, n)
        m.remove(n)
        assert m.items() == []
    m.put("end", 1)
    assert m.items() == [("end", 1)]
    assert len(m._slots) == 8

def test_none_value_and_overwrite_behind_a_hole():
    m = ProbingMap(8)
    m.put(2, "a")
    m.put(10, None)
    m.remove(2)
    m.put(10, "new")
    assert len(m) == 1
    assert m.items() == [(10, "new")]
""",
    ),
    Program(
        name="ring_deque_indexing",
        code=r'''
"""A double-ended queue in a circular array that grows."""


class RingDeque:
    """Items sit in consecutive cells of a ring, from a head cell on."""

    def __init__(self, items=()):
        self._cells = [None] * 4
        self._head = 0
        self._count = 0
        for item in items:
            self.push_back(item)

    def __len__(self):
        return self._count

    def _cell(self, index):
        """The place in the ring of the item at an index."""
        return (self._head + index) % self._count

    def _reserve(self):
        if self._count == len(self._cells):
            ordered = self._cells[self._head:] + self._cells[:self._head]
            self._cells = ordered + [None] * len(ordered)
            self._head = 0

    def __getitem__(self, index):
        if not -self._count <= index < self._count:
            raise IndexError("index out of range")
        return self._cells[self._cell(index % self._count)]

    def push_back(self, item):
        """Add an item at the end."""
        self._reserve()
        self._count += 1
        self._cells[self._cell(self._count - 1)] = item

    def push_front(self, item):
        """Add an item at the start."""
        self._reserve()
        self._head = (self._head - 1) % len(self._cells)
        self._count += 1
        self._cells[self._head] = item

    def pop_front(self):
        """Remove and return the first item."""
        item = self[0]
        self._cells[self._head] = None
        self._head = (self._head + 1) % len(self._cells)
        self._count -= 1
        return item

    def pop_back(self):
        """Remove and return the last item."""
        item = self[-1]
        self._cells[self._cell(self._count - 1)] = None
        self._count -= 1
        return item
''',
        wrong="return (self._head + index) % self._count",
        right="return (self._head + index) % len(self._cells)",
        visible=r"""
def test_back_to_front():
    d = RingDeque([1, 2, 3])
    assert len(d) == 3
    assert list(d) == [1, 2, 3]
    assert d[-1] == 3

def test_growing():
    assert list(RingDeque(range(10))) == list(range(10))

def test_queue():
    d = RingDeque("abc")
    assert d.pop_front() == "a"
    d.push_back("d")
    assert list(d) == ["b", "c", "d"]

def test_push_front():
    d = RingDeque([2, 3])
    d.push_front(1)
    assert [d[0], d[1], d[2]] == [1, 2, 3]

def test_stack():
    d = RingDeque([1, 2])
    assert d.pop_back() == 2
    assert d.pop_back() == 1
    assert len(d) == 0
""",
        hidden=r"""
import random
from collections import deque

def test_against_deque():
    rng = random.Random(13)
    for _ in range(60):
        d, model = RingDeque(), deque()
        for n in range(80):
            choice = rng.randrange(5)
            if choice in (0, 4):
                d.push_back(n)
                model.append(n)
            elif choice == 1:
                d.push_front(n)
                model.appendleft(n)
            elif model and choice == 2:
                assert d.pop_front() == model.popleft()
            elif model and choice == 3:
                assert d.pop_back() == model.pop()
            assert len(d) == len(model)
            assert [d[i] for i in range(len(d))] == list(model)
            assert [d[i] for i in range(-len(d), 0)] == list(model)

def test_rotation():
    for n in range(1, 12):
        d = RingDeque(range(n))
        for step in range(30):
            assert d.pop_front() == step % n
            d.push_back(step % n)
            assert list(d) == [(step + 1 + i) % n for i in range(n)]

def test_capacity_does_not_grow_needlessly():
    d = RingDeque([1, 2, 3])
    for n in range(50):
        d.push_front(d.pop_back())
    assert len(d._cells) == 4
    assert sum(c is not None for c in d._cells) == 3

def test_errors():
    d = RingDeque()
    for action in (d.pop_front, d.pop_back, lambda: d[0], lambda: d[-1]):
        with pytest.raises(IndexError):
            action()
    d.push_front(1)
    for bad in (1, -2):
        with pytest.raises(IndexError):
            d[bad]
""",
    ),
    # ------------------------------------------------------------ recursion
    Program(
        name="distinct_partitions",
        code=r'''
"""Partitions of integers into positive parts."""

from functools import lru_cache


def partitions(total, largest=None):
    """All partitions of total, parts in descending order, as tuples."""
    if total == 0:
        return [()]
    if largest is None or largest > total:
        largest = total
    found = []
    for part in range(largest, 0, -1):
        for rest in partitions(total - part, part):
            found.append((part,) + rest)
    return found


def distinct_partitions(total, largest=None):
    """The partitions of total whose parts all differ."""
    if total == 0:
        return [()]
    if largest is None or largest > total:
        largest = total
    found = []
    for part in range(largest, 0, -1):
        for rest in distinct_partitions(total - part, part):
            found.append((part,) + rest)
    return found


@lru_cache(maxsize=None)
def count_partitions(total, largest):
    """The number of partitions of total with no part above largest."""
    if total == 0:
        return 1
    if total < 0 or largest == 0:
        return 0
    with_largest = count_partitions(total - largest, largest)
    return with_largest + count_partitions(total, largest - 1)


def conjugate(partition):
    """The partition whose diagram is that of the given one, mirrored."""
    if not partition:
        return ()
    rest = conjugate(tuple(part - 1 for part in partition if part > 1))
    return (len(partition),) + rest
''',
        wrong="for rest in distinct_partitions(total - part, part):",
        right="for rest in distinct_partitions(total - part, part - 1):",
        visible=r"""
def test_partitions_of_four():
    assert partitions(4) == [(4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1)]

def test_count():
    assert count_partitions(10, 10) == 42
    assert count_partitions(5, 2) == 3

def test_distinct():
    assert distinct_partitions(6) == [(6,), (5, 1), (4, 2), (3, 2, 1)]

def test_distinct_of_one():
    assert distinct_partitions(1) == [(1,)]

def test_conjugate():
    assert conjugate((4, 2, 1)) == (3, 2, 1, 1)
    assert conjugate(()) == ()
""",
        hidden=r"""
def test_distinct_is_a_filter_of_all():
    for n in range(16):
        expected = [p for p in partitions(n) if len(set(p)) == len(p)]
        assert distinct_partitions(n) == expected

def test_euler():
    for n in range(18):
        odd = [p for p in partitions(n) if all(part % 2 for part in p)]
        assert len(odd) == len(distinct_partitions(n))

def test_distinct_with_a_largest_part():
    for n in range(12):
        for largest in range(14):
            expected = [p for p in partitions(n) if len(set(p)) == len(p) and max(p, default=0) <= largest]
            assert distinct_partitions(n, largest) == expected

def test_others_stay_right():
    for n in range(14):
        every = partitions(n)
        assert all(sum(p) == n and list(p) == sorted(p, reverse=True) for p in every)
        assert len(set(every)) == len(every) == count_partitions(n, n)
        for p in every:
            assert conjugate(conjugate(p)) == p
            assert conjugate(p) == tuple(sum(x > i for x in p) for i in range(max(p, default=0)))
""",
    ),
    Program(
        name="dotted_settings",
        code=r'''
"""Nested settings as flat dictionaries with dotted keys, and back."""


def flatten(settings, prefix=""):
    """Turn {"a": {"b": 1}} into {"a.b": 1}; empty dictionaries are values."""
    flat = {}
    for key, value in settings.items():
        path = prefix + key
        if isinstance(value, dict):
            flat.update(flatten(value, path + "."))
        else:
            flat[path] = value
    return flat


def unflatten(flat):
    """The inverse of flatten."""
    settings = {}
    for path, value in flat.items():
        _store(settings, path.split("."), value)
    return settings


def _store(settings, keys, value):
    head, rest = keys[0], keys[1:]
    if not rest:
        settings[head] = value
    else:
        _store(settings.setdefault(head, {}), rest, value)


def lookup(settings, path, default=None):
    """The value at a dotted path, or the default."""
    head, _, rest = path.partition(".")
    if not isinstance(settings, dict) or head not in settings:
        return default
    return lookup(settings[head], rest, default) if rest else settings[head]


def depth(settings):
    """How many levels of dictionaries there are."""
    if not isinstance(settings, dict):
        return 0
    return 1 + max((depth(value) for value in settings.values()), default=0)
''',
        wrong="if isinstance(value, dict):\n",
        right="if isinstance(value, dict) and value:\n",
        visible=r"""
def test_flatten():
    settings = {"db": {"host": "h", "port": 1}, "debug": False}
    assert flatten(settings) == {"db.host": "h", "db.port": 1, "debug": False}

def test_flatten_deep():
    assert flatten({"a": {"b": {"c": [1]}}}) == {"a.b.c": [1]}

def test_unflatten():
    assert unflatten({"a.b": 1, "a.c": 2, "d": 3}) == {"a": {"b": 1, "c": 2}, "d": 3}

def test_round_trip():
    settings = {"plugins": {}, "ui": {"theme": "dark", "extra": {}}}
    assert unflatten(flatten(settings)) == settings

def test_lookup():
    settings = {"a": {"b": 0}}
    assert lookup(settings, "a.b", 7) == 0
    assert lookup(settings, "a.x", 7) == 7

def test_depth():
    assert depth({"a": {"b": {}}}) == 3
""",
        hidden=r"""
import random

def random_settings(rng, level):
    settings = {}
    for key in rng.sample("abcdef", rng.randrange(4)):
        if level and rng.random() < 0.6:
            settings[key] = random_settings(rng, level - 1)
        else:
            settings[key] = rng.choice([0, "", None, False, 5, "x", [], [1], 2.5])
    return settings

def test_round_trips():
    rng = random.Random(21)
    for _ in range(500):
        settings = random_settings(rng, 4)
        assert unflatten(flatten(settings)) == settings

def test_flat_keys_are_the_leaves():
    rng = random.Random(22)
    for _ in range(300):
        settings = random_settings(rng, 3)
        flat = flatten(settings)
        for path, value in flat.items():
            assert lookup(settings, path, "nothing") == value
            assert not (isinstance(value, dict) and value)

def test_falsy_values_are_kept():
    assert flatten({"a": {"x": 0, "y": None, "z": ""}, "b": []}) == {
        "a.x": 0, "a.y": None, "a.z": "", "b": []}
    assert flatten({"a": {}}) == {"a": {}}
    assert flatten({"a": {"b": {"c": {}}}}) == {"a.b.c": {}}
    assert flatten({}) == {}

def test_prefix():
    assert flatten({"a": {"b": 1, "c": {}}}, "top.") == {"top.a.b": 1, "top.a.c": {}}
""",
    ),
    Program(
        name="symbolic_quotient_rule",
        code=r'''
"""Symbolic differentiation of small expressions.

An expression is a number, the name of a variable, or a tuple of an operator
(one of + - * /) and its two operands.
"""

from fractions import Fraction


def plus(a, b):
    if a == 0:
        return b
    return a if b == 0 else ("+", a, b)


def minus(a, b):
    return a if b == 0 else ("-", a, b)


def times(a, b):
    if a == 0 or b == 0:
        return 0
    if a == 1:
        return b
    return a if b == 1 else ("*", a, b)


def over(a, b):
    if a == 0:
        return 0
    return a if b == 1 else ("/", a, b)


def derive(expression, name):
    """The derivative of an expression by the variable of that name."""
    if isinstance(expression, str):
        return 1 if expression == name else 0
    if not isinstance(expression, tuple):
        return 0
    operator, u, v = expression
    du, dv = derive(u, name), derive(v, name)
    if operator == "+":
        return plus(du, dv)
    if operator == "-":
        return minus(du, dv)
    if operator == "*":
        return plus(times(du, v), times(u, dv))
    if operator == "/":
        return over(minus(times(u, dv), times(du, v)), times(v, v))
    raise ValueError("unknown operator " + operator)


def evaluate(expression, values):
    """The value of an expression where its variables have these values."""
    if isinstance(expression, str):
        return Fraction(values[expression])
    if not isinstance(expression, tuple):
        return Fraction(expression)
    operator, u, v = expression
    left, right = evaluate(u, values), evaluate(v, values)
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    return left * right if operator == "*" else left / right
''',
        wrong="return over(minus(times(u, dv), times(du, v)), times(v, v))",
        right="return over(minus(times(du, v), times(u, dv)), times(v, v))",
        visible=r"""
def test_simple():
    assert derive("x", "x") == 1
    assert derive("y", "x") == 0
    assert derive(5, "x") == 0

def test_sum_and_product():
    assert derive(("+", "x", 3), "x") == 1
    assert derive(("*", "x", "x"), "x") == ("+", "x", "x")

def test_reciprocal():
    slope = derive(("/", 1, "x"), "x")
    assert evaluate(slope, {"x": 2}) == Fraction(-1, 4)

def test_quotient():
    slope = derive(("/", "x", ("+", "x", 1)), "x")
    assert evaluate(slope, {"x": 1}) == Fraction(1, 4)

def test_evaluate():
    assert evaluate(("/", ("-", "x", 1), 4), {"x": 3}) == Fraction(1, 2)

def test_unknown_operator():
    with pytest.raises(ValueError):
        derive(("%", "x", 2), "x")
""",
        hidden=r'''
import random

def random_expression(rng, level):
    if level == 0 or rng.random() < 0.2:
        return rng.choice(["x", "x", "y", 1, 2, 3, -1])
    return (rng.choice("+-*/"), random_expression(rng, level - 1), random_expression(rng, level - 1))

class Dual:
    """A number with its derivative."""
    def __init__(self, value, slope=0):
        self.value, self.slope = Fraction(value), Fraction(slope)

def dual(expression, values, name):
    if isinstance(expression, str):
        return Dual(values[expression], expression == name)
    if not isinstance(expression, tuple):
        return Dual(expression)
    op, u, v = expression
    a, b = dual(u, values, name), dual(v, values, name)
    if op == "+":
        return Dual(a.value + b.value, a.slope + b.slope)
    if op == "-":
        return Dual(a.value - b.value, a.slope - b.slope)
    if op == "*":
        return Dual(a.value * b.value, a.slope * b.value + a.value * b.slope)
    quotient = a.value / b.value
    return Dual(quotient, (a.slope - quotient * b.slope) / b.value)

def test_against_dual_numbers():
    rng = random.Random(31)
    done = 0
    for _ in range(1500):
        expression = random_expression(rng, 4)
        for name in "xy":
            values = {"x": Fraction(rng.randrange(1, 30), 7), "y": Fraction(rng.randrange(1, 30), 11)}
            try:
                expected = dual(expression, values, name)
            except ZeroDivisionError:
                continue
            assert evaluate(expression, values) == expected.value
            assert evaluate(derive(expression, name), values) == expected.slope
            done += 1
    assert done > 1000

def test_quotients_of_monomials():
    for k in range(-4, 5):
        for x in (Fraction(1, 3), Fraction(-2), Fraction(5, 2)):
            e = ("/", ("*", k, ("*", "x", "x")), ("-", "x", 7))
            want = Fraction(k) * (x * x - 14 * x) / (x - 7) ** 2
            assert evaluate(derive(e, "x"), {"x": x}) == want

def test_constant_denominator():
    for n in (1, 2, 5):
        assert evaluate(derive(("/", "x", n), "x"), {"x": 9}) == Fraction(1, n)
        assert derive(("/", "y", n), "x") == 0
''',
    ),
    Program(
        name="word_break_sentences",
        code=r'''
"""Splitting run-together text into words of a dictionary."""


def splittings(text, words):
    """All ways to write text as a sequence of words, as lists.

    A way that begins with a shorter word comes before the others.
    """
    known = {}

    def from_position(start):
        if start in known:
            return known[start]
        if start == len(text):
            return []
        found = []
        for end in range(start + 1, len(text) + 1):
            word = text[start:end]
            if word in words:
                for rest in from_position(end):
                    found.append([word] + rest)
        known[start] = found
        return found

    return from_position(0)


def sentences(text, words):
    """The splittings with spaces between the words."""
    return [" ".join(parts) for parts in splittings(text, words)]


def can_split(text, words):
    """Whether there is any splitting."""
    reachable = {0}
    for end in range(1, len(text) + 1):
        for start in range(end):
            if start in reachable and text[start:end] in words:
                reachable.add(end)
                break
    return len(text) in reachable


def fewest_words(text, words):
    """A splitting with as few words as possible, or None."""
    return min(splittings(text, words), key=len, default=None)
''',
        wrong="return []\n",
        right="return [[]]\n",
        visible=r"""
WORDS = {"cat", "cats", "and", "sand", "dog"}

def test_can_split():
    assert can_split("catsanddog", WORDS)
    assert not can_split("catsandog", WORDS)

def test_sentences():
    assert sentences("catsanddog", WORDS) == ["cat sand dog", "cats and dog"]

def test_no_sentence():
    assert sentences("catsandog", WORDS) == []
    assert fewest_words("xyz", WORDS) is None

def test_single_word():
    assert splittings("dog", WORDS) == [["dog"]]

def test_fewest():
    assert fewest_words("aaaa", {"a", "aa", "aaa"}) == ["a", "aaa"]
""",
        hidden=r"""
import random

def brute(text, words):
    result = []
    n = len(text)
    if n == 0:
        return [[]]
    for mask in range(1 << (n - 1)):
        parts, begin = [], 0
        for i in range(1, n):
            if mask >> (i - 1) & 1:
                parts.append(text[begin:i])
                begin = i
        parts.append(text[begin:])
        if all(p in words for p in parts):
            result.append(parts)
    return sorted(result, key=lambda parts: [len(p) for p in parts])

def test_against_all_cuts():
    rng = random.Random(41)
    for _ in range(300):
        words = {"".join(rng.choice("ab") for _ in range(rng.randrange(1, 4))) for _ in range(4)}
        text = "".join(rng.choice("ab") for _ in range(rng.randrange(0, 9)))
        expected = brute(text, words)
        assert splittings(text, words) == expected
        assert sentences(text, words) == [" ".join(p) for p in expected]
        assert can_split(text, words) == bool(expected)
        best = fewest_words(text, words)
        if expected:
            assert best in expected and len(best) == min(map(len, expected))
        else:
            assert best is None

def test_number_of_compositions():
    for n in range(1, 11):
        assert len(splittings("a" * n, {"a" * k for k in range(1, n + 1)})) == 2 ** (n - 1)

def test_empty_text():
    assert splittings("", {"a"}) == [[]]
    assert sentences("", {"a"}) == [""]
    assert fewest_words("", set()) == []

def test_results_do_not_share_lists():
    ways = splittings("aab", {"a", "aa", "b", "ab"})
    assert ways == [["a", "a", "b"], ["a", "ab"], ["aa", "b"]]
    ways[0].append("changed")
    assert ways[1:] == [["a", "ab"], ["aa", "b"]]
""",
    ),
    Program(
        name="quadtree_bitmap",
        code=r'''
"""Quadtrees of square bitmaps whose side is a power of two.

A tree is 0 or 1 for an area of one colour, else a tuple of the trees of its
quarters: upper left, upper right, lower left, lower right.
"""


def build(bitmap, row=0, column=0, side=None):
    """The tree of a bitmap, which is a list of rows of 0 and 1."""
    if side is None:
        side = len(bitmap)
    if side == 1:
        return bitmap[row][column]
    half = side // 2
    quarters = (
        build(bitmap, row, column, half),
        build(bitmap, row, column + half, half),
        build(bitmap, row + half, column, half),
        build(bitmap, row + half, column + half, half),
    )
    if quarters in ((0, 0, 0, 0), (1, 1, 1, 1)):
        return quarters[0]
    return quarters


def expand(tree, side):
    """The bitmap of a tree."""
    if not isinstance(tree, tuple):
        return [[tree] * side for _ in range(side)]
    parts = [expand(quarter, side // 2) for quarter in tree]
    upper = [a + b for a, b in zip(parts[0], parts[1])]
    lower = [a + b for a, b in zip(parts[2], parts[3])]
    return upper + lower


def area(tree, side):
    """How many cells are 1."""
    if not isinstance(tree, tuple):
        return tree * side * side
    return sum(area(quarter, side // 4) for quarter in tree)


def union(a, b):
    """The tree of the cells that are 1 in at least one of two trees."""
    if a == 1 or b == 1:
        return 1
    if a == 0:
        return b
    if b == 0:
        return a
    merged = tuple(union(x, y) for x, y in zip(a, b))
    return 1 if merged == (1, 1, 1, 1) else merged
''',
        wrong="return sum(area(quarter, side // 4) for quarter in tree)",
        right="return sum(area(quarter, side // 2) for quarter in tree)",
        visible=r"""
PICTURE = [
    [1, 1, 0, 0],
    [1, 1, 0, 1],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
]

def test_build():
    assert build(PICTURE) == (1, (0, 0, 0, 1), 0, 0)
    assert build([[1, 1], [1, 1]]) == 1

def test_expand():
    assert expand(build(PICTURE), 4) == PICTURE

def test_area_of_one_colour():
    assert area(1, 8) == 64
    assert area(0, 8) == 0

def test_area():
    assert area(build(PICTURE), 4) == 5

def test_union():
    assert union((1, 0, 0, 0), (0, 1, 0, 0)) == (1, 1, 0, 0)
    assert union((1, 1, 0, 0), (0, 0, 1, 1)) == 1
""",
        hidden=r"""
import random

def random_bitmap(rng, side):
    p = rng.choice([0.1, 0.5, 0.9])
    return [[int(rng.random() < p) for _ in range(side)] for _ in range(side)]

def test_area_counts_cells():
    rng = random.Random(51)
    for side in (1, 2, 4, 8, 16):
        for _ in range(25):
            bitmap = random_bitmap(rng, side)
            assert area(build(bitmap), side) == sum(map(sum, bitmap))

def test_area_of_large_blocks():
    assert area((1, 0, 0, 0), 16) == 64
    assert area((1, (1, 0, 0, 0), 0, 1), 16) == 64 + 16 + 64
    assert area(((0, 0, 0, (0, 1, 0, 0)), 0, 0, 0), 8) == 1
    for side in (2, 4, 8, 16, 32):
        assert area((0, 1, 1, 0), side) == side * side // 2

def test_round_trip_and_union():
    rng = random.Random(52)
    for side in (1, 2, 4, 8):
        for _ in range(25):
            p, q = random_bitmap(rng, side), random_bitmap(rng, side)
            assert expand(build(p), side) == p
            both = [[x | y for x, y in zip(r, s)] for r, s in zip(p, q)]
            assert union(build(p), build(q)) == build(both)
            assert area(union(build(p), build(q)), side) == sum(map(sum, both))
""",
    ),
    Program(
        name="bracket_ranking",
        code=r'''
"""Numbering the well-formed strings of brackets.

All strings of n pairs are in alphabetical order, where "(" is before ")";
the number of a string is its place in that order, from 0.
"""

from functools import lru_cache


@lru_cache(maxsize=None)
def completions(length, depth):
    """In how many ways `length` more characters can close `depth` brackets."""
    if depth > length:
        return 0
    if length == 0:
        return 1
    return completions(length - 1, depth + 1) + completions(length - 1, depth - 1)


def how_many(pairs):
    """The number of well-formed strings of that many pairs."""
    return completions(2 * pairs, 0)


def unrank(pairs, number):
    """The well-formed string with a number."""
    if not 0 <= number < how_many(pairs):
        raise ValueError("no such string")
    text = ""
    depth = 0
    for left in range(2 * pairs - 1, -1, -1):
        opening = completions(left, depth + 1)
        if number < opening:
            text += "("
            depth += 1
        else:
            number -= opening
            text += ")"
            depth -= 1
    return text


def rank(text):
    """The number of a well-formed string."""
    number = 0
    depth = 0
    for position, char in enumerate(text):
        left = len(text) - position - 1
        if char == "(":
            depth += 1
        else:
            number += completions(left, depth + 1)
            depth -= 1
    return number
''',
        wrong="if depth > length:",
        right="if depth < 0 or depth > length:",
        visible=r"""
def test_counts():
    assert how_many(0) == 1
    assert how_many(3) == 5
    assert how_many(4) == 14

def test_unrank():
    assert [unrank(3, n) for n in range(5)] == [
        "((()))", "(()())", "(())()", "()(())", "()()()"]

def test_rank_of_first():
    assert rank("(((())))") == 0
    assert rank("") == 0

def test_rank_of_last():
    assert rank("()()()") == 4

def test_too_large():
    with pytest.raises(ValueError):
        unrank(3, 1000)
    with pytest.raises(ValueError):
        unrank(3, -1)
""",
        hidden=r"""
from itertools import product
from math import comb

def well_formed(text):
    depth = 0
    for c in text:
        depth += 1 if c == "(" else -1
        if depth < 0:
            return False
    return depth == 0

def test_catalan_numbers():
    for n in range(40):
        assert how_many(n) == comb(2 * n, n) // (n + 1)

def test_bijection():
    for n in range(7):
        every = [t for t in map("".join, product("()", repeat=2 * n)) if well_formed(t)]
        assert [unrank(n, i) for i in range(len(every))] == every
        assert [rank(t) for t in every] == list(range(len(every)))
        with pytest.raises(ValueError):
            unrank(n, len(every))

def test_completions_by_enumeration():
    for length in range(9):
        for depth in range(7):
            ways = sum(well_formed("(" * depth + "".join(t)) for t in product("()", repeat=length))
            assert completions(length, depth) == ways

def test_large_round_trip():
    total = how_many(25)
    for i in range(0, total, total // 50):
        text = unrank(25, i)
        assert well_formed(text) and len(text) == 50
        assert rank(text) == i
""",
    ),
    Program(
        name="merge_patch_copy",
        code=r'''
"""Merge patches for JSON-like documents.

In a patch, None removes a key, a dictionary is merged into what is there, and
any other value replaces it. The functions leave their arguments unchanged.
"""


def apply_patch(document, patch):
    """The document that a patch makes of another one."""
    if not isinstance(patch, dict):
        return patch
    result = document if isinstance(document, dict) else {}
    for key, change in patch.items():
        if change is None:
            result.pop(key, None)
        else:
            result[key] = apply_patch(result.get(key), change)
    return result


def make_patch(before, after):
    """A patch that turns one document into the other."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return after
    patch = {key: None for key in before if key not in after}
    for key, value in after.items():
        if key not in before:
            patch[key] = value
        elif before[key] != value:
            patch[key] = make_patch(before[key], value)
    return patch


def is_noop(document, patch):
    """Whether the patch would not change the document."""
    return apply_patch(document, patch) == document


def history(document, patches):
    """The documents before, between and after the patches."""
    documents = [document]
    for patch in patches:
        documents.append(apply_patch(documents[-1], patch))
    return documents
''',
        wrong="result = document if isinstance(document, dict) else {}",
        right="result = dict(document) if isinstance(document, dict) else {}",
        visible=r"""
def test_apply():
    patched = apply_patch({"a": 1, "b": {"c": 2, "d": 3}}, {"a": None, "b": {"c": 9}})
    assert patched == {"b": {"c": 9, "d": 3}}

def test_apply_replaces_a_value_by_a_dictionary():
    assert apply_patch({"a": 5}, {"a": {"x": 1, "y": None}}) == {"a": {"x": 1}}

def test_make():
    patch = make_patch({"a": 1, "b": 2}, {"b": 3, "c": 4})
    assert patch == {"a": None, "b": 3, "c": 4}

def test_noop():
    assert is_noop({"a": 1}, {"a": 1})
    assert not is_noop({"a": 1}, {"a": 2})

def test_history():
    steps = history({"n": 0}, [{"n": 1}, {"m": 5}])
    assert steps == [{"n": 0}, {"n": 1}, {"n": 1, "m": 5}]
""",
        hidden=r"""
import copy
import random

def random_document(rng, level):
    document = {}
    for key in rng.sample("abcd", rng.randrange(5)):
        if level and rng.random() < 0.6:
            document[key] = random_document(rng, level - 1)
        else:
            document[key] = rng.choice([0, 1, "s", [1, 2], False])
    return document

def model(document, patch):
    if not isinstance(patch, dict):
        return copy.deepcopy(patch)
    result = copy.deepcopy(document) if isinstance(document, dict) else {}
    for key, change in patch.items():
        if change is None:
            result.pop(key, None)
        else:
            result[key] = model(result.get(key), change)
    return result

def test_arguments_unchanged():
    rng = random.Random(61)
    for _ in range(400):
        document, patch = random_document(rng, 3), random_document(rng, 3)
        for key in rng.sample("abcd", 2):
            if rng.random() < 0.5:
                patch[key] = None
        d, p = copy.deepcopy(document), copy.deepcopy(patch)
        assert apply_patch(document, patch) == model(d, p)
        assert document == d and patch == p

def test_made_patches():
    rng = random.Random(62)
    for _ in range(400):
        before, after = random_document(rng, 3), random_document(rng, 3)
        b, a = copy.deepcopy(before), copy.deepcopy(after)
        patch = make_patch(before, after)
        assert apply_patch(before, patch) == a
        assert before == b and after == a
        assert is_noop(before, patch) == (a == b)
        assert before == b

def test_nested_history():
    first = {"x": {"y": {"z": 0}}, "w": {"v": 1}}
    steps = history(first, [{"x": {"y": {"z": n}}} for n in range(1, 5)])
    assert [s["x"]["y"]["z"] for s in steps] == [0, 1, 2, 3, 4]
    assert first == {"x": {"y": {"z": 0}}, "w": {"v": 1}}

def test_patch_not_a_dictionary():
    assert apply_patch({"a": 1}, 5) == 5
    assert apply_patch(3, {"a": {"b": None, "c": 1}}) == {"a": {"c": 1}}
""",
    ),
    # ------------------------------------------------------------ strings and parsing
    Program(
        name="query_string_decoding",
        code=r'''
"""Reading and writing the query strings of URLs."""

SAFE = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")


def percent_decode(text):
    """Replace each %XX by its byte, and read the bytes as UTF-8."""
    data = bytearray()
    position = 0
    while position < len(text):
        code = text[position + 1:position + 3]
        if text[position] == "%" and is_hex(code):
            data.append(int(code, 16))
            position += 3
        else:
            data.extend(text[position].encode())
            position += 1
    return data.decode("utf-8", "replace")


def is_hex(code):
    """Whether a text consists of two hexadecimal digits."""
    return len(code) == 2 and all(c in "0123456789abcdefABCDEF" for c in code)


def decode(text):
    """Decode a name or value, where a plus sign stands for a space."""
    return percent_decode(text).replace("+", " ")


def encode(text):
    """The inverse of decode."""
    pieces = []
    for char in text:
        if char == " ":
            pieces.append("+")
        elif char in SAFE:
            pieces.append(char)
        else:
            pieces.extend("%%%02X" % byte for byte in char.encode())
    return "".join(pieces)


def parse_query(query):
    """A dictionary from each name to the list of its values."""
    fields = {}
    for part in query.lstrip("?").split("&"):
        if part:
            name, _, value = part.partition("=")
            fields.setdefault(decode(name), []).append(decode(value))
    return fields


def build_query(fields):
    """The query string for a dictionary as parse_query makes it."""
    return "&".join(
        encode(name) + "=" + encode(value)
        for name, values in fields.items()
        for value in values
    )
''',
        wrong='return percent_decode(text).replace("+", " ")',
        right='return percent_decode(text.replace("+", " "))',
        visible=r"""
def test_parse():
    assert parse_query("?a=1&b=2&a=3") == {"a": ["1", "3"], "b": ["2"]}

def test_no_value():
    assert parse_query("flag&x=") == {"flag": [""], "x": [""]}
    assert parse_query("") == {}

def test_decode():
    assert decode("hello+world%21") == "hello world!"
    assert decode("caf%C3%A9") == "caf\u00e9"
    assert decode("100%") == "100%"

def test_decode_plus_sign():
    assert decode("1%2B1%3D2") == "1+1=2"

def test_build():
    assert build_query({"q": ["a b", "c&d"]}) == "q=a+b&q=c%26d"
""",
        hidden=r"""
import random
from urllib.parse import parse_qs, quote_plus, unquote_plus

ALPHABET = "ab+ %&=?;\u00e9\u20ac\U0001f600/-~1F"

def random_text(rng):
    return "".join(rng.choice(ALPHABET) for _ in range(rng.randrange(8)))

def test_encode_and_decode():
    rng = random.Random(71)
    for _ in range(1000):
        text = random_text(rng)
        assert encode(text) == quote_plus(text)
        assert decode(encode(text)) == text

def test_decode_anything():
    rng = random.Random(72)
    for _ in range(1000):
        text = "".join(rng.choice("+%2Bb0 z") for _ in range(rng.randrange(12)))
        assert decode(text) == unquote_plus(text)

def test_queries():
    rng = random.Random(73)
    for _ in range(300):
        fields = {}
        for _ in range(rng.randrange(4)):
            fields.setdefault("k" + random_text(rng), []).append(random_text(rng))
        query = build_query(fields)
        assert parse_query(query) == fields
        assert parse_query(query) == parse_qs(query, keep_blank_values=True)

def test_plain_plus_is_a_space():
    assert decode("a+b") == "a b"
    assert decode("+%2B+") == " + "
    assert decode("%252B") == "%2B"
    assert parse_query("a%2Bb=c+d") == {"a+b": ["c d"]}
""",
    ),
    Program(
        name="glob_classes",
        code=r'''
"""Matching of names against shell-like patterns.

`?` is any character, `*` any run of them, and `[...]` one character of a
class, in which a-z is a range and a leading `!` negates.
"""


def parse_class(pattern, start):
    """Read the class that opens at start; give its predicate and its end."""
    end = pattern.find("]", start + 2)
    if end < 0:
        raise ValueError("unclosed class in " + pattern)
    body = pattern[start + 1:end]
    negated = body.startswith("!")
    if negated:
        body = body[1:]
    members = set()
    index = 0
    while index < len(body):
        if body[index + 1:index + 2] == "-" and index + 2 < len(body):
            first, last = ord(body[index]), ord(body[index + 2])
            members.update(chr(code) for code in range(first, last))
            index += 3
        else:
            members.add(body[index])
            index += 1
    return (lambda char: (char in members) != negated), end + 1


def compile_pattern(pattern):
    """A list of predicates of a character, where None stands for a star."""
    parts = []
    index = 0
    while index < len(pattern):
        char = pattern[index]
        index += 1
        if char == "*":
            parts.append(None)
        elif char == "?":
            parts.append(lambda c: True)
        elif char == "[":
            test, index = parse_class(pattern, index - 1)
            parts.append(test)
        else:
            parts.append(char.__eq__)
    return parts


def matches(pattern, name):
    """Whether the whole name fits the pattern."""
    parts = compile_pattern(pattern)
    states = {0}
    for char in name:
        states = close(states, parts)
        following = set()
        for state in states:
            if state < len(parts):
                if parts[state] is None:
                    following.add(state)
                elif parts[state](char):
                    following.add(state + 1)
        states = following
    return len(parts) in close(states, parts)


def close(states, parts):
    """Add the states that can be reached by leaving out stars."""
    closed = set()
    for state in states:
        closed.add(state)
        while state < len(parts) and parts[state] is None:
            state += 1
            closed.add(state)
    return closed
''',
        wrong="members.update(chr(code) for code in range(first, last))",
        right="members.update(chr(code) for code in range(first, last + 1))",
        visible=r"""
def test_literal():
    assert matches("abc", "abc")
    assert not matches("abc", "abcd")

def test_star():
    assert matches("*.py", "setup.py")
    assert matches("a*b*c", "a--b-b-c")
    assert not matches("*.py", "setup.pyc")

def test_question_mark():
    assert matches("file?.txt", "file1.txt")
    assert not matches("file?.txt", "file.txt")

def test_class():
    assert matches("[abc]x", "bx")
    assert not matches("[!abc]x", "bx")

def test_range():
    assert matches("v[0-9].[0-9]", "v3.9")
    assert not matches("v[!0-9]", "v9")

def test_unclosed():
    with pytest.raises(ValueError):
        matches("[ab", "a")
""",
        hidden=r"""
import random
from fnmatch import fnmatchcase
from string import ascii_lowercase, digits

def test_ranges():
    for i in range(26):
        for j in range(i, 26):
            pattern = "[%s-%s]" % (ascii_lowercase[i], ascii_lowercase[j])
            negated = "[!" + pattern[1:]
            for k, c in enumerate(ascii_lowercase):
                assert matches(pattern, c) == (i <= k <= j)
                assert matches(negated, c) == (not i <= k <= j)

def test_against_fnmatch():
    rng = random.Random(74)
    pieces = ["*", "?", "a", "b", "c", "[a-b]", "[b-c]", "[!a-b]", "[ac]", "[!b]", "[a-ad]", "[a-bc]"]
    for _ in range(3000):
        pattern = "".join(rng.choice(pieces) for _ in range(rng.randrange(6)))
        name = "".join(rng.choice("abcd") for _ in range(rng.randrange(6)))
        assert matches(pattern, name) == fnmatchcase(name, pattern), (pattern, name)

def test_hyphen_and_bracket_as_members():
    assert matches("[a-]", "-") and matches("[a-]", "a") and not matches("[a-]", "b")
    assert matches("[-a]", "-") and matches("[-a]", "a")
    assert matches("[]a]", "]") and matches("[]a]", "a")

def test_neighbours_of_a_range_stay_out():
    for c in digits:
        assert matches("[0-9]", c)
    for c in "/:":
        assert not matches("[0-9]", c)
    assert matches("[k-k]", "k") and not matches("[k-k]", "l")
""",
    ),
    Program(
        name="csv_quoted_fields",
        code=r'''
"""Reading and writing lines of comma-separated values."""


class CsvError(ValueError):
    """A line that cannot be read."""


def split_line(line, separator=","):
    """The fields of a line.

    A field may be in double quotes; inside them a separator is an ordinary
    character, and two double quotes stand for one.
    """
    fields = []
    field = []
    quoted = False
    index = 0
    while index < len(line):
        char = line[index]
        if quoted:
            if char != '"':
                field.append(char)
            elif line[index + 1:index + 2] == '"':
                field.append('"')
                index += 1
            else:
                quoted = False
        elif char == '"' and not field:
            quoted = True
        elif char == separator:
            fields.append("".join(field))
            field = []
        else:
            field.append(char)
        index += 1
    if quoted:
        raise CsvError("missing closing quote")
    fields.append("".join(field))
    return fields


def quote(field, separator=","):
    """A field as it must be written."""
    if separator in field or '"' in field or field != field.strip():
        return '"' + field.replace('"', '\\"') + '"'
    return field


def join_line(fields, separator=","):
    """The line for a list of fields."""
    return separator.join(quote(field, separator) for field in fields)


def read_table(text, separator=","):
    """A list of dictionaries, whose keys are the fields of the first line."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return []
    header = split_line(lines[0], separator)
    return [dict(zip(header, split_line(line, separator))) for line in lines[1:]]
''',
        wrong="""return '"' + field.replace('"', '\\\\"') + '"'""",
        right="""return '"' + field.replace('"', '""') + '"'""",
        visible=r"""
def test_plain():
    assert split_line("a,b,,c") == ["a", "b", "", "c"]
    assert split_line("") == [""]

def test_quoted_separator():
    assert split_line('1,"Doe, Jane",x') == ["1", "Doe, Jane", "x"]

def test_doubled_quotes():
    assert split_line('"say ""hi"" now",2') == ['say "hi" now', "2"]

def test_missing_quote():
    with pytest.raises(CsvError):
        split_line('"abc')

def test_join():
    assert join_line(["a", "b,c", 'd"e']) == 'a,"b,c","d""e"'

def test_table():
    assert read_table("x;y\n1;2\n\n3;4\n", ";") == [{"x": "1", "y": "2"}, {"x": "3", "y": "4"}]
""",
        hidden=r'''
import csv
import io
import random

def random_fields(rng):
    return ["".join(rng.choice('ab, ";\\') for _ in range(rng.randrange(6))) for _ in range(rng.randrange(1, 5))]

def test_round_trip():
    rng = random.Random(91)
    for _ in range(1000):
        fields = random_fields(rng)
        for separator in ",;":
            assert split_line(join_line(fields, separator), separator) == fields

def test_written_lines_are_read_by_csv():
    rng = random.Random(92)
    for _ in range(1000):
        fields = random_fields(rng)
        if fields == [""]:
            continue
        assert next(csv.reader([join_line(fields)])) == fields

def test_lines_of_csv_are_read():
    rng = random.Random(93)
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL):
        for _ in range(500):
            fields = random_fields(rng)
            out = io.StringIO()
            csv.writer(out, quoting=quoting, lineterminator="").writerow(fields)
            assert split_line(out.getvalue()) == fields

def test_exact_quoting():
    assert quote('"') == '""""'
    assert quote('a""b') == '"a""""b"'
    assert quote("a\\b") == "a\\b"
    assert quote("a;b") == "a;b" and quote("a;b", ";") == '"a;b"'
    assert quote(" a") == '" a"'
    assert quote("") == ""
''',
    ),
    Program(
        name="justified_paragraphs",
        code=r'''
"""Setting of paragraphs in lines of a fixed width."""


def break_lines(words, width):
    """Put as many words in each line as fit, as lists of words."""
    lines = []
    line = []
    used = 0
    for word in words:
        if line and used + 1 + len(word) > width:
            lines.append(line)
            line, used = [], 0
        used += len(word) + (1 if line else 0)
        line.append(word)
    if line:
        lines.append(line)
    return lines


def stretch(words, width):
    """A line of exactly the width; the spaces to the left are wider.

    A single word, or words that are too wide, are not stretched.
    """
    gaps = len(words) - 1
    spaces = width - sum(len(word) for word in words)
    if gaps == 0 or spaces < gaps:
        return " ".join(words)
    narrow, wider = divmod(spaces, len(words))
    line = ""
    for index, word in enumerate(words[:-1]):
        line += word + " " * (narrow + (1 if index < wider else 0))
    return line + words[-1]


def justify(text, width):
    """The lines of a paragraph; all but the last are stretched."""
    lines = break_lines(text.split(), width)
    done = [stretch(line, width) for line in lines[:-1]]
    if lines:
        done.append(" ".join(lines[-1]))
    return done


def centre(text, width):
    """The lines of a paragraph, centred, without spaces at their ends."""
    centred = []
    for words in break_lines(text.split(), width):
        line = " ".join(words)
        centred.append(" " * ((width - len(line)) // 2) + line)
    return centred
''',
        wrong="narrow, wider = divmod(spaces, len(words))",
        right="narrow, wider = divmod(spaces, gaps)",
        visible=r"""
def test_break_lines():
    assert break_lines("a bb ccc d".split(), 4) == [["a", "bb"], ["ccc"], ["d"]]

def test_stretch_two_words():
    assert stretch(["ab", "cd"], 8) == "ab    cd"

def test_stretch_uneven():
    assert stretch(["a", "b", "c"], 8) == "a   b  c"

def test_single_word():
    assert stretch(["word"], 10) == "word"

def test_justify():
    assert justify("the quick brown fox jumps", 11) == ["the   quick", "brown   fox", "jumps"]

def test_centre():
    assert centre("one two three", 7) == ["one two", " three"]
""",
        hidden=r"""
import random
import textwrap

def random_text(rng):
    return " ".join("x" * rng.randrange(1, 8) for _ in range(rng.randrange(30)))

def test_width_and_gaps():
    rng = random.Random(75)
    for _ in range(500):
        words = ["w" * rng.randrange(1, 6) for _ in range(rng.randrange(2, 7))]
        least = sum(map(len, words)) + len(words) - 1
        width = least + rng.randrange(25)
        line = stretch(words, width)
        assert len(line) == width
        assert line.split() == words
        gaps, run = [], 0
        for c in line + "w":
            if c == " ":
                run += 1
            elif run:
                gaps.append(run)
                run = 0
        assert len(gaps) == len(words) - 1
        assert gaps == sorted(gaps, reverse=True)
        assert max(gaps) - min(gaps) <= 1

def test_exact_and_too_narrow():
    assert stretch(["ab", "c", "d"], 6) == "ab c d"
    assert stretch(["ab", "c", "d"], 5) == "ab c d"
    assert stretch(["ab", "c", "d"], 7) == "ab  c d"
    assert stretch(["ab"], 2) == "ab"

def test_paragraphs():
    rng = random.Random(76)
    for _ in range(200):
        text, width = random_text(rng), rng.randrange(8, 40)
        plain = textwrap.wrap(text, width)
        lines = justify(text, width)
        assert [" ".join(line.split()) for line in lines] == plain
        for line in lines[:-1]:
            assert len(line) == width or " " not in line
        assert lines[-1:] == plain[-1:]
        assert [" " * ((width - len(p)) // 2) + p for p in plain] == centre(text, width)

def test_four_words():
    assert stretch(list("abcd"), 10) == "a  b  c  d"
    assert stretch(list("abcd"), 12) == "a   b   c  d"
    assert stretch(list("abcd"), 11) == "a   b  c  d"
""",
    ),
    Program(
        name="iso_durations",
        code=r'''
"""Durations in the notation of ISO 8601, such as P1DT2H30M."""

DATE_UNITS = {"W": 7 * 86400, "D": 86400}
TIME_UNITS = {"H": 3600, "M": 60, "S": 1}


def parse_duration(text):
    """The number of seconds of a duration."""
    negative = text.startswith("-")
    if negative:
        text = text[1:]
    if len(text) < 2 or text[0] != "P" or text.endswith("T"):
        raise ValueError("not a duration: " + text)
    date, _, time = text[1:].partition("T")
    seconds = _sum_units(date, DATE_UNITS) + _sum_units(time, TIME_UNITS)
    return -seconds if negative else seconds


def _sum_units(text, units):
    total = 0
    number = ""
    remaining = list(units)
    for char in text:
        if char.isdigit():
            number += char
        elif char in remaining and number:
            total += int(number) * units[char]
            number = ""
            del remaining[:remaining.index(char) + 1]
        else:
            raise ValueError("unexpected " + char)
    if number:
        raise ValueError("number without a unit")
    return total


def format_duration(seconds):
    """The shortest notation for a number of seconds, in days and below."""
    if seconds == 0:
        return "PT0S"
    sign = "-" if seconds < 0 else ""
    days, rest = divmod(abs(seconds), 86400)
    hours, rest = divmod(rest, 3600)
    minutes, rest = divmod(rest, 60)
    text = sign + "P"
    if days:
        text += f"{days}D"
    if hours and minutes and rest:
        text += "T"
    for amount, unit in ((hours, "H"), (minutes, "M"), (rest, "S")):
        if amount:
            text += f"{amount}{unit}"
    return text
''',
        wrong="if hours and minutes and rest:",
        right="if hours or minutes or rest:",
        visible=r"""
def test_parse():
    assert parse_duration("P1DT2H30M") == 95400
    assert parse_duration("P2W") == 1209600
    assert parse_duration("-PT5M") == -300

def test_parse_errors():
    for text in ("", "P", "PT", "1D", "P5", "PTH", "PT5S3M"):
        with pytest.raises(ValueError):
            parse_duration(text)

def test_format_full():
    assert format_duration(93784) == "P1DT2H3M4S"

def test_format_parts():
    assert format_duration(3600) == "PT1H"
    assert format_duration(-90) == "-PT1M30S"

def test_format_days():
    assert format_duration(172800) == "P2D"
    assert format_duration(0) == "PT0S"
""",
        hidden=r"""
import random
import re

SHAPE = re.compile(r"-?P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?")

def test_round_trip():
    rng = random.Random(77)
    values = list(range(-4000, 4000, 7)) + [rng.randrange(-10**7, 10**7) for _ in range(500)]
    for seconds in values:
        text = format_duration(seconds)
        assert SHAPE.fullmatch(text), text
        assert parse_duration(text) == seconds

def test_all_combinations():
    for d in (0, 1, 40):
        for h in (0, 1, 23):
            for m in (0, 1, 59):
                for s in (0, 1, 59):
                    total = ((d * 24 + h) * 60 + m) * 60 + s
                    if not total:
                        continue
                    date = f"{d}D" if d else ""
                    time = (f"{h}H" if h else "") + (f"{m}M" if m else "") + (f"{s}S" if s else "")
                    want = "P" + date + ("T" + time if time else "")
                    assert format_duration(total) == want
                    assert format_duration(-total) == "-" + want
                    assert parse_duration(want) == total

def test_single_units():
    assert [format_duration(n) for n in (1, 60, 3600, 86400)] == ["PT1S", "PT1M", "PT1H", "P1D"]
    assert format_duration(86401) == "P1DT1S"
    assert format_duration(86400 + 60) == "P1DT1M"
    assert format_duration(-86400) == "-P1D"
    assert format_duration(0) == "PT0S"
""",
    ),
    Program(
        name="placeholder_expansion",
        code=r'''
"""Filling in of placeholders in templates.

${name} stands for a value, ${name:-text} for the text where the value is
missing or empty, and $$ for a dollar sign.
"""


class TemplateError(ValueError):
    """A template that cannot be expanded."""


def substitute(expression, values):
    """The text for what stands between the braces of a placeholder."""
    name, marker, fallback = expression.partition(":-")
    name = name.strip()
    if not name.isidentifier():
        raise TemplateError("bad name: " + name)
    value = values.get(name, "")
    if marker:
        return str(value) or fallback
    if name not in values:
        raise TemplateError("no value for " + name)
    return str(value)


def expand(template, values):
    """The template with its placeholders filled in."""
    pieces = []
    position = 0
    while True:
        dollar = template.find("$", position)
        if dollar < 0:
            pieces.append(template[position:])
            return "".join(pieces)
        pieces.append(template[position:dollar])
        following = template[dollar + 1:dollar + 2]
        if following == "$":
            pieces.append("$")
            position = dollar + 2
        elif following == "{":
            end = template.find("}")
            if end < 0:
                raise TemplateError("missing closing brace")
            pieces.append(substitute(template[dollar + 2:end], values))
            position = end + 1
        else:
            raise TemplateError("stray dollar sign")


def expand_all(templates, values):
    """Expand a dictionary of templates, each of which may use those before."""
    known = dict(values)
    for name, template in templates.items():
        known[name] = expand(template, known)
    return {name: known[name] for name in templates}
''',
        wrong='end = template.find("}")',
        right='end = template.find("}", dollar)',
        visible=r"""
def test_no_placeholder():
    assert expand("plain {text}", {}) == "plain {text}"

def test_one_placeholder():
    assert expand("Hello ${name}!", {"name": "Ann"}) == "Hello Ann!"

def test_two_placeholders():
    assert expand("${a}-${b}", {"a": 1, "b": 2}) == "1-2"

def test_fallback():
    assert expand("${port:-80}", {}) == "80"
    assert expand("${port:-80}", {"port": ""}) == "80"
    assert expand("${port:-80}", {"port": 8080}) == "8080"

def test_dollar():
    assert expand("$$5", {}) == "$5"

def test_errors():
    for template in ("$x", "${x", "${x}", "${1x}", "$"):
        with pytest.raises(TemplateError):
            expand(template, {})

def test_expand_all():
    templates = {"home": "/home/${user}", "docs": "${home}/docs"}
    assert expand_all(templates, {"user": "u"}) == {"home": "/home/u", "docs": "/home/u/docs"}
""",
        hidden=r"""
import random

def test_random_templates():
    rng = random.Random(78)
    values = {"a": "A}", "b": "", "c": 7, "dd": "${a}"}
    kinds = [
        ("x", "x"), ("}", "}"), ("{", "{"), ("$$", "$"), ("${a}", "A}"), ("${b}", ""),
        ("${c}", "7"), ("${dd}", "${a}"), ("${b:-z}", "z"), ("${c:-z}", "7"), ("${q:-}", ""),
        ("${q:-x y:-{}", "x y:-{"), ("${ a }", "A}"), ("\n", "\n"),
    ]
    for _ in range(1500):
        chosen = [rng.choice(kinds) for _ in range(rng.randrange(8))]
        template = "".join(t for t, _ in chosen)
        assert expand(template, values) == "".join(e for _, e in chosen), template

def test_many_placeholders():
    for n in range(1, 30):
        template = ",".join("${v%d}" % i for i in range(n))
        values = {"v%d" % i: i for i in range(n)}
        assert expand(template, values) == ",".join(map(str, range(n)))

def test_brace_before():
    assert expand("} ${a}", {"a": 1}) == "} 1"
    assert expand("{x} ${a} {y}", {"a": 1}) == "{x} 1 {y}"
    assert expand("}$$}${a}}", {"a": 1}) == "}$}1}"
    for template in ("} ${a", "${a} ${a", "}${", "{}${a:-b"):
        with pytest.raises(TemplateError):
            expand(template, {"a": 1})

def test_expand_all_with_several():
    made = expand_all({"x": "${p}${q}", "y": "${x}+${x}"}, {"p": 1, "q": 2})
    assert made == {"x": "12", "y": "12+12"}
""",
    ),
    Program(
        name="release_precedence",
        code=r'''
"""Comparing of version numbers by the rules of semantic versioning."""

import re

_PATTERN = re.compile(
    r"v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?"
)


def parse_version(text):
    """The three numbers and the tuple of pre-release identifiers."""
    match = _PATTERN.fullmatch(text.strip())
    if match is None:
        raise ValueError("not a version: " + text)
    numbers = tuple(int(match.group(n)) for n in (1, 2, 3))
    identifiers = match.group(4)
    return numbers, tuple(identifiers.split(".")) if identifiers else ()


def identifier_key(identifier):
    """Numbers come before words, in numerical order."""
    if identifier.isdigit():
        return (0, int(identifier), "")
    return (1, 0, identifier)


def version_key(text):
    """A key that sorts versions by precedence."""
    numbers, prerelease = parse_version(text)
    return numbers, bool(prerelease), tuple(map(identifier_key, prerelease))


def compare(first, second):
    """-1, 0 or 1 as the first version is lower, equal or higher."""
    a, b = version_key(first), version_key(second)
    return (a > b) - (a < b)


def latest(versions, include_prereleases=False):
    """The highest version, or None where there is none."""
    candidates = [
        version
        for version in versions
        if include_prereleases or not parse_version(version)[1]
    ]
    return max(candidates, key=version_key, default=None)


def is_compatible(version, wanted):
    """Whether a version may stand in for the wanted one (same major)."""
    same_major = parse_version(version)[0][0] == parse_version(wanted)[0][0]
    return same_major and compare(version, wanted) >= 0
''',
        wrong="return numbers, bool(prerelease), tuple(map(identifier_key, prerelease))",
        right="return numbers, not prerelease, tuple(map(identifier_key, prerelease))",
        visible=r"""
def test_parse():
    assert parse_version("v1.20.3-rc.1+build5") == ((1, 20, 3), ("rc", "1"))
    with pytest.raises(ValueError):
        parse_version("1.2")

def test_numbers():
    assert compare("1.10.0", "1.9.9") == 1
    assert compare("1.0.0", "1.0.0+meta") == 0

def test_prerelease_identifiers():
    assert compare("1.0.0-alpha.2", "1.0.0-alpha.10") == -1
    assert compare("1.0.0-alpha", "1.0.0-alpha.1") == -1

def test_release_after_prerelease():
    assert compare("2.0.0-rc.1", "2.0.0") == -1
    assert is_compatible("2.0.0", "2.0.0-beta")

def test_latest():
    versions = ["1.0.0", "1.2.0-beta", "1.1.5"]
    assert latest(versions) == "1.1.5"
    assert latest(versions, include_prereleases=True) == "1.2.0-beta"
    assert latest([]) is None
""",
        hidden=r"""
import random

ORDER = [
    "0.0.1", "0.1.0-0", "0.1.0-1.a", "0.1.0-a", "0.1.0", "1.0.0-1", "1.0.0-9", "1.0.0-10", "1.0.0-alpha",
    "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
    "1.0.0-rc.1", "1.0.0", "1.0.1-x", "1.0.1", "1.2.0", "1.10.0-a", "1.10.0", "2.0.0-0", "2.0.0", "10.0.0",
]

def test_total_order():
    for i, a in enumerate(ORDER):
        for j, b in enumerate(ORDER):
            assert compare(a, b) == (i > j) - (i < j), (a, b)
            assert compare("v" + a + "+x", b) == (i > j) - (i < j)

def test_sorting():
    rng = random.Random(79)
    for _ in range(100):
        some = rng.sample(ORDER, rng.randrange(1, len(ORDER)))
        assert sorted(some, key=version_key) == sorted(some, key=ORDER.index)
        assert latest(some, True) == max(some, key=ORDER.index)
        stable = [v for v in some if "-" not in v]
        assert latest(some) == (max(stable, key=ORDER.index) if stable else None)

def test_compatibility():
    for i, a in enumerate(ORDER):
        for j, b in enumerate(ORDER):
            assert is_compatible(a, b) == (a.split(".")[0] == b.split(".")[0] and i >= j)
""",
    ),
    # ------------------------------------------------------------ arithmetic and numbers
    Program(
        name="continued_fraction_convergents",
        code=r'''
"""Continued fractions of rational numbers."""

from fractions import Fraction


def expand(value):
    """The terms [a0, a1, ...] of the continued fraction of a rational."""
    value = Fraction(value)
    terms = []
    while True:
        whole = value.numerator // value.denominator
        terms.append(whole)
        value -= whole
        if value == 0:
            return terms
        value = 1 / value


def convergents(terms):
    """The fractions got by breaking the expansion off after each term."""
    found = []
    h_before, h = 0, 1
    k_before, k = 0, 1
    for term in terms:
        h_before, h = h, term * h + h_before
        k_before, k = k, term * k + k_before
        found.append(Fraction(h, k))
    return found


def collapse(terms):
    """The value of a continued fraction."""
    if not terms:
        raise ValueError("no terms")
    value = Fraction(terms[-1])
    for term in reversed(terms[:-1]):
        value = term + 1 / value
    return value


def approximate(value, tolerance):
    """The first convergent whose error is at most the tolerance."""
    value = Fraction(value)
    for fraction in convergents(expand(value)):
        if abs(fraction - value) <= tolerance:
            return fraction
    return value


def gear_ratios(value, largest):
    """The convergents whose parts are both at most `largest`."""
    return [
        fraction
        for fraction in convergents(expand(value))
        if fraction.denominator <= largest and abs(fraction.numerator) <= largest
    ]
''',
        wrong="k_before, k = 0, 1",
        right="k_before, k = 1, 0",
        visible=r"""
def test_expand():
    assert expand(Fraction(415, 93)) == [4, 2, 6, 7]
    assert expand(5) == [5]

def test_expand_negative():
    assert expand(Fraction(-7, 3)) == [-3, 1, 2]

def test_collapse():
    assert collapse([4, 2, 6, 7]) == Fraction(415, 93)
    with pytest.raises(ValueError):
        collapse([])

def test_convergents():
    assert convergents([4, 2, 6, 7]) == [4, Fraction(9, 2), Fraction(58, 13), Fraction(415, 93)]

def test_approximate():
    pi = Fraction(314159265, 100000000)
    assert approximate(pi, Fraction(1, 100)) == Fraction(22, 7)
""",
        hidden=r"""
import random

def test_convergents_are_collapsed_beginnings():
    rng = random.Random(81)
    for _ in range(300):
        terms = [rng.randrange(-9, 10)] + [rng.randrange(1, 12) for _ in range(rng.randrange(8))]
        expected = [collapse(terms[:n]) for n in range(1, len(terms) + 1)]
        assert convergents(terms) == expected

def test_round_trip():
    for p in range(-40, 41):
        for q in range(1, 25):
            value = Fraction(p, q)
            terms = expand(value)
            assert collapse(terms) == value
            assert convergents(terms)[-1] == value
            assert convergents(terms)[0] == p // q

def test_approximations():
    rng = random.Random(82)
    for _ in range(200):
        value = Fraction(rng.randrange(-5000, 5000), rng.randrange(1, 3000))
        tolerance = Fraction(1, rng.randrange(1, 5000))
        terms = expand(value)
        candidates = [collapse(terms[:n]) for n in range(1, len(terms) + 1)]
        assert approximate(value, tolerance) == next(c for c in candidates if abs(c - value) <= tolerance)
        assert gear_ratios(value, 50) == [c for c in candidates if c.denominator <= 50 and abs(c.numerator) <= 50]

def test_golden_ratio():
    fibonacci = [1, 1]
    while len(fibonacci) < 25:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    expected = [Fraction(b, a) for a, b in zip(fibonacci, fibonacci[1:])]
    assert convergents([1] * 24) == expected
    assert convergents([]) == []
""",
    ),
    Program(
        name="negative_base_numerals",
        code=r'''
"""Numerals in positive and in negative bases."""

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def check_base(base):
    """Raise ValueError for a base without enough digits."""
    if not 2 <= abs(base) <= len(DIGITS):
        raise ValueError("unsupported base")


def to_base(number, base):
    """The numeral of an integer; a minus sign is used in positive bases only."""
    check_base(base)
    if number == 0:
        return "0"
    if number < 0 and base > 0:
        return "-" + to_base(-number, base)
    digits = []
    while number:
        number, digit = divmod(number, base)
        if digit < 0:
            digit = abs(digit)
            number += 1
        digits.append(DIGITS[digit])
    return "".join(reversed(digits))


def from_base(text, base):
    """The integer that a numeral stands for."""
    check_base(base)
    if text.startswith("-"):
        if base < 0:
            raise ValueError("sign in a negative base")
        return -from_base(text[1:], base)
    if not text:
        raise ValueError("empty numeral")
    number = 0
    for char in text.lower():
        digit = DIGITS.find(char)
        if not 0 <= digit < abs(base):
            raise ValueError("bad digit " + char)
        number = number * base + digit
    return number


def convert(text, source, target):
    """Write a numeral of one base in another one."""
    return to_base(from_base(text, source), target)


def digit_sum(number, base):
    """The sum of the digits of an integer, whatever its sign."""
    return sum(DIGITS.index(char) for char in to_base(number, base).lstrip("-"))
''',
        wrong="digit = abs(digit)",
        right="digit -= base",
        visible=r"""
def test_positive_bases():
    assert to_base(255, 16) == "ff"
    assert to_base(-10, 2) == "-1010"
    assert to_base(0, 7) == "0"

def test_negabinary():
    assert [to_base(n, -2) for n in range(6)] == ["0", "1", "110", "111", "100", "101"]
    assert to_base(-3, -2) == "1101"

def test_negadecimal():
    assert to_base(15, -10) == "195"
    assert to_base(-7, -10) == "13"

def test_from_base():
    assert from_base("195", -10) == 15
    assert from_base("-FF", 16) == -255

def test_convert():
    assert convert("110", -2, 10) == "2"

def test_errors():
    for text, base in (("12", 2), ("", 10), ("-1", -3), ("1", 1), ("1", 37)):
        with pytest.raises(ValueError):
            from_base(text, base)
""",
        hidden=r"""
def test_round_trip_in_all_bases():
    for size in range(2, 37):
        for base in (size, -size):
            for n in range(-150, 150):
                text = to_base(n, base)
                assert from_base(text, base) == n
                assert text == "0" or text.lstrip("-")[0] != "0"
            for n in (10**9 + 7, -10**9 - 7, 36**5, -(36**5)):
                assert from_base(to_base(n, base), base) == n

def test_digits_are_those_of_the_definition():
    for base in (-2, -3, -4, -7, -10, -16):
        table = {}
        size = -base
        for code in range(size ** 3):
            digits = [code // size ** i % size for i in range(3)]
            value = sum(d * base ** i for i, d in enumerate(digits))
            table[value] = digits
        for value, digits in table.items():
            text = "".join(DIGITS[d] for d in reversed(digits)).lstrip("0") or "0"
            assert to_base(value, base) == text
            assert digit_sum(value, base) == sum(digits)

def test_conversions():
    for n in range(-60, 60):
        for source in (-10, -5, -3, 2, 10):
            for target in (-36, -10, -4, 3, 16):
                assert convert(to_base(n, source), source, target) == to_base(n, target)

def test_int_agrees():
    for base in range(2, 37):
        for n in range(-80, 80, 3):
            assert int(to_base(n, base), base) == n
""",
    ),
    Program(
        name="congruence_systems",
        code=r'''
"""Systems of linear congruences, whose moduli need not be coprime."""

from math import gcd


def extended_gcd(a, b):
    """Numbers (g, x, y) where g = gcd(a, b) = a * x + b * y."""
    x, next_x = 1, 0
    y, next_y = 0, 1
    while b:
        quotient = a // b
        a, b = b, a - quotient * b
        x, next_x = next_x, x - quotient * next_x
        y, next_y = next_y, y - quotient * next_y
    return a, x, y


def solve_linear(a, b, modulus):
    """All x below modulus with a * x = b (mod modulus), in ascending order."""
    common = gcd(a, modulus)
    if b % common:
        return []
    step = modulus // common
    _, inverse, _ = extended_gcd(a // common, step)
    first = inverse * (b // common) % step
    return [first + k * step for k in range(common)]


def combine(r1, m1, r2, m2):
    """One congruence for x = r1 (mod m1) and x = r2 (mod m2), or None."""
    common, p, _ = extended_gcd(m1, m2)
    if (r2 - r1) % common:
        return None
    modulus = m1 * m2
    x = r1 + m1 * ((r2 - r1) // common * p % (m2 // common))
    return x % modulus, modulus


def solve_system(congruences):
    """The least x >= 0 that fits all (remainder, modulus), and its period.

    The result is None where no number fits.
    """
    solution = (0, 1)
    for remainder, modulus in congruences:
        solution = combine(*solution, remainder, modulus)
        if solution is None:
            return None
    return solution


def next_meeting(now, congruences):
    """The least time from now on that fits all congruences, or None."""
    solution = solve_system(congruences)
    if solution is None:
        return None
    first, period = solution
    return now + (first - now) % period
''',
        wrong="modulus = m1 * m2",
        right="modulus = m1 // common * m2",
        visible=r"""
def test_extended_gcd():
    g, x, y = extended_gcd(240, 46)
    assert g == 2
    assert 240 * x + 46 * y == 2

def test_solve_linear():
    assert solve_linear(3, 1, 7) == [5]
    assert solve_linear(4, 2, 6) == [2, 5]
    assert solve_linear(2, 1, 4) == []

def test_coprime_system():
    assert solve_system([(2, 3), (3, 5), (2, 7)]) == (23, 105)

def test_common_factor():
    assert solve_system([(1, 4), (3, 6)]) == (9, 12)

def test_contradiction():
    assert solve_system([(0, 4), (1, 6)]) is None
    assert next_meeting(0, [(0, 2), (1, 2)]) is None

def test_next_meeting():
    assert next_meeting(10, [(0, 4), (0, 6)]) == 12
    assert next_meeting(13, [(0, 4), (0, 6)]) == 24
""",
        hidden=r"""
import random
from math import lcm

def brute(congruences):
    period = lcm(*(m for _, m in congruences))
    for x in range(period):
        if all((x - r) % m == 0 for r, m in congruences):
            return x, period
    return None

def test_pairs():
    for m1 in range(1, 13):
        for m2 in range(1, 13):
            for r1 in range(m1):
                for r2 in range(m2):
                    assert solve_system([(r1, m1), (r2, m2)]) == brute([(r1, m1), (r2, m2)])

def test_longer_systems():
    rng = random.Random(83)
    for _ in range(300):
        x = rng.randrange(1000)
        system = [(x % m if rng.random() < 0.95 else rng.randrange(m), m)
                  for m in (rng.choice([2, 3, 4, 6, 8, 9, 10, 12, 15]) for _ in range(rng.randrange(1, 5)))]
        assert solve_system(system) == brute(system)

def test_meetings():
    rng = random.Random(84)
    for _ in range(300):
        x = rng.randrange(200)
        system = [(x, m) for m in rng.sample([4, 6, 8, 9, 10, 12], 2)]
        now = rng.randrange(300)
        expected = next(t for t in range(now, now + 200) if all((t - r) % m == 0 for r, m in system))
        assert next_meeting(now, system) == expected

def test_linear():
    for m in range(1, 15):
        for a in range(1, 15):
            for b in range(m):
                assert solve_linear(a, b, m) == [x for x in range(m) if (a * x - b) % m == 0]
""",
    ),
    Program(
        name="polynomial_products",
        code=r'''
"""Polynomials as lists of coefficients, from the constant term upwards."""


def trim(p):
    """The polynomial without zero coefficients at its end."""
    end = len(p)
    while end and p[end - 1] == 0:
        end -= 1
    return list(p[:end])


def add(p, q):
    """The sum of two polynomials."""
    longer, shorter = (p, q) if len(p) >= len(q) else (q, p)
    result = list(longer)
    for i, coefficient in enumerate(shorter):
        result[i] += coefficient
    return trim(result)


def multiply(p, q):
    """The product of two polynomials."""
    if not p or not q:
        return []
    result = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            result[i + j] = a * b
    return trim(result)


def power(p, exponent):
    """The polynomial raised to a natural exponent."""
    result = [1]
    for _ in range(exponent):
        result = multiply(result, p)
    return result


def evaluate(p, x):
    """The value at x, by Horner's rule."""
    value = 0
    for coefficient in reversed(p):
        value = value * x + coefficient
    return value


def compose(p, q):
    """The polynomial p(q(x))."""
    result = []
    for coefficient in reversed(p):
        result = add(multiply(result, q), [coefficient])
    return result


def from_roots(roots):
    """The monic polynomial with these roots."""
    result = [1]
    for root in roots:
        result = multiply(result, [-root, 1])
    return result
''',
        wrong="result[i + j] = a * b",
        right="result[i + j] += a * b",
        visible=r"""
def test_add():
    assert add([1, 2, 3], [4, -2, -3]) == [5]
    assert add([], [1]) == [1]

def test_evaluate():
    assert evaluate([1, 0, 2], 3) == 19
    assert evaluate([], 3) == 0

def test_multiply_by_constant_and_zero():
    assert multiply([1, 2, 3], [2]) == [2, 4, 6]
    assert multiply([1, 2], []) == []

def test_multiply():
    assert multiply([1, 1], [1, 1]) == [1, 2, 1]

def test_from_roots():
    assert from_roots([1, 2]) == [2, -3, 1]
    assert from_roots([]) == [1]

def test_compose():
    assert compose([0, 0, 1], [1, 1]) == [1, 2, 1]
""",
        hidden=r"""
import random
from math import comb

def random_polynomial(rng):
    return trim([rng.randrange(-5, 6) for _ in range(rng.randrange(6))])

def test_values_of_products():
    rng = random.Random(85)
    for _ in range(500):
        p, q = random_polynomial(rng), random_polynomial(rng)
        product = multiply(p, q)
        assert len(product) == (len(p) + len(q) - 1 if p and q else 0)
        for x in range(-6, 7):
            assert evaluate(product, x) == evaluate(p, x) * evaluate(q, x)
            assert evaluate(add(p, q), x) == evaluate(p, x) + evaluate(q, x)

def test_composition():
    rng = random.Random(86)
    for _ in range(200):
        p, q = random_polynomial(rng), random_polynomial(rng)
        for x in range(-4, 5):
            assert evaluate(compose(p, q), x) == evaluate(p, evaluate(q, x))

def test_binomial_powers():
    for n in range(12):
        assert power([1, 1], n) == [comb(n, k) for k in range(n + 1)]
        assert power([1, -1], n) == [(-1) ** k * comb(n, k) for k in range(n + 1)]

def test_roots():
    rng = random.Random(87)
    for _ in range(100):
        roots = [rng.randrange(-4, 5) for _ in range(rng.randrange(6))]
        p = from_roots(roots)
        assert p[-1] == 1 and len(p) == len(roots) + 1
        assert {x for x in range(-5, 6) if evaluate(p, x) == 0} == set(roots)
""",
    ),
    Program(
        name="largest_remainder_split",
        code=r'''
"""Fair splitting of amounts of money, in whole cents."""


def allocate(total, weights):
    """Split total in proportion to the weights, without losing a cent.

    Each share is first rounded down; the cents left over go to the shares
    that lost most by that, the earlier one where two lost the same.
    """
    if not weights or any(weight < 0 for weight in weights):
        raise ValueError("weights must be given, and not be negative")
    whole = sum(weights)
    if whole == 0:
        raise ValueError("all weights are zero")
    shares = []
    lost = []
    for weight in weights:
        share, remainder = divmod(total * weight, whole)
        shares.append(share)
        lost.append(remainder)
    left_over = total - sum(shares)
    order = sorted(range(len(weights)), key=lambda i: lost[i])
    for index in order[:left_over]:
        shares[index] += 1
    return shares


def split_evenly(total, people):
    """Equal shares, as far as possible."""
    return allocate(total, [1] * people)


def instalments(total, count, first_percent):
    """A down payment of that many percent, then equal instalments."""
    down, rest = allocate(total, [first_percent, 100 - first_percent])
    return [down] + split_evenly(rest, count - 1)


def format_cents(cents):
    """An amount such as -1,234.05."""
    sign = "-" if cents < 0 else ""
    units, rest = divmod(abs(cents), 100)
    return f"{sign}{units:,}.{rest:02d}"
''',
        wrong="order = sorted(range(len(weights)), key=lambda i: lost[i])",
        right="order = sorted(range(len(weights)), key=lambda i: -lost[i])",
        visible=r"""
def test_exact():
    assert allocate(100, [1, 3]) == [25, 75]

def test_evenly():
    assert split_evenly(100, 3) == [34, 33, 33]
    assert sum(split_evenly(1001, 7)) == 1001

def test_largest_remainder():
    assert allocate(10, [1, 5, 8]) == [1, 3, 6]
    assert allocate(100, [1, 1, 4]) == [17, 17, 66]

def test_errors():
    for weights in ([], [0, 0], [1, -1]):
        with pytest.raises(ValueError):
            allocate(10, weights)

def test_instalments():
    assert instalments(1000, 4, 10) == [100, 300, 300, 300]

def test_format():
    assert format_cents(-123405) == "-1,234.05"
""",
        hidden=r"""
import random
from fractions import Fraction

def reference(total, weights):
    exact = [Fraction(total * w, sum(weights)) for w in weights]
    shares = [e.numerator // e.denominator for e in exact]
    rests = [e - s for e, s in zip(exact, shares)]
    while sum(shares) < total:
        best = max(range(len(weights)), key=lambda i: (rests[i], -i))
        shares[best] += 1
        rests[best] = Fraction(-1)
    return shares

def test_against_reference():
    rng = random.Random(88)
    for _ in range(1500):
        weights = [rng.randrange(10) for _ in range(rng.randrange(1, 7))]
        if not any(weights):
            continue
        total = rng.randrange(300)
        shares = allocate(total, weights)
        assert shares == reference(total, weights), (total, weights)
        assert sum(shares) == total

def test_zero_weights_get_nothing():
    for total in range(60):
        for w in range(1, 8):
            shares = allocate(total, [0, w, 0, 3, 0, 5])
            assert shares[0] == shares[2] == shares[4] == 0

def test_negative_totals():
    for total in range(-50, 0):
        for weights in ([1, 1, 1], [2, 3, 7], [5, 1]):
            assert allocate(total, weights) == reference(total, weights)

def test_even_shares_are_descending():
    for total in range(100):
        for people in range(1, 9):
            shares = split_evenly(total, people)
            assert shares == sorted(shares, reverse=True)
            assert max(shares) - min(shares) <= 1
""",
    ),
    Program(
        name="multiplicative_functions",
        code=r'''
"""Arithmetical functions of natural numbers."""


def factorize(n):
    """The prime factors as a dictionary from prime to exponent."""
    if n < 1:
        raise ValueError("not a positive number")
    factors = {}
    divisor = 2
    while divisor * divisor <= n:
        while n % divisor == 0:
            factors[divisor] = factors.get(divisor, 0) + 1
            n //= divisor
        divisor += 1 if divisor == 2 else 2
    if n > 1:
        factors[n] = factors.get(n, 0) + 1
    return factors


def totient(n):
    """How many of 1..n have no factor in common with n."""
    result = n
    for prime in factorize(n):
        result -= n // prime
    return result


def divisor_count(n):
    """How many divisors n has."""
    count = 1
    for exponent in factorize(n).values():
        count *= exponent + 1
    return count


def divisor_sum(n):
    """The sum of the divisors of n."""
    total = 1
    for prime, exponent in factorize(n).items():
        total *= (prime ** (exponent + 1) - 1) // (prime - 1)
    return total


def mobius(n):
    """0 where a square divides n, else 1 or -1 by the number of primes."""
    exponents = factorize(n).values()
    if any(exponent > 1 for exponent in exponents):
        return 0
    return -1 if len(exponents) % 2 else 1


def is_perfect(n):
    """Whether n is the sum of its proper divisors."""
    return divisor_sum(n) == 2 * n
''',
        wrong="result -= n // prime",
        right="result -= result // prime",
        visible=r"""
def test_factorize():
    assert factorize(360) == {2: 3, 3: 2, 5: 1}
    assert factorize(97) == {97: 1}
    with pytest.raises(ValueError):
        factorize(0)

def test_totient_of_prime_powers():
    assert totient(7) == 6
    assert totient(8) == 4
    assert totient(1) == 1

def test_totient():
    assert totient(36) == 12
    assert totient(10) == 4

def test_divisors():
    assert divisor_count(12) == 6
    assert divisor_sum(12) == 28

def test_mobius():
    assert [mobius(n) for n in range(1, 7)] == [1, -1, -1, 0, -1, 1]

def test_perfect():
    assert is_perfect(28)
    assert not is_perfect(27)
""",
        hidden=r"""
from math import gcd, prod

def test_totient_by_counting():
    for n in range(1, 400):
        assert totient(n) == sum(gcd(k, n) == 1 for k in range(1, n + 1))

def test_totients_of_divisors_sum_to_n():
    for n in range(1, 600):
        assert sum(totient(d) for d in range(1, n + 1) if n % d == 0) == n

def test_many_primes():
    assert totient(2 * 3 * 5 * 7 * 11 * 13) == 1 * 2 * 4 * 6 * 10 * 12
    assert totient(1000000) == 400000
    assert totient(2**4 * 3**3 * 5**2 * 101) == 8 * 18 * 20 * 100

def test_other_functions():
    for n in range(1, 400):
        divisors = [d for d in range(1, n + 1) if n % d == 0]
        assert divisor_count(n) == len(divisors)
        assert divisor_sum(n) == sum(divisors)
        assert is_perfect(n) == (sum(divisors) == 2 * n)
        assert prod(p ** e for p, e in factorize(n).items()) == n
        assert sum(mobius(d) for d in divisors) == (1 if n == 1 else 0)
""",
    ),
    Program(
        name="nth_weekday_calendar",
        code=r'''
"""Calendar arithmetic for holidays such as "the last Monday of May".

Weekdays are numbered from 0 for Monday to 6 for Sunday.
"""

MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_leap(year):
    """Whether February has 29 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year, month):
    """The length of a month."""
    if month == 2 and is_leap(year):
        return 29
    return MONTH_DAYS[month - 1]


def ordinal(year, month, day):
    """The number of a day, where 1 January of the year 1 is day 1."""
    before = year - 1
    days = before * 365 + before // 4 - before // 100 + before // 400
    days += sum(days_in_month(year, m) for m in range(1, month))
    return days + day


def weekday(year, month, day):
    """The day of the week of a date."""
    return (ordinal(year, month, day) - 1) % 7


def nth_weekday(year, month, wanted, n):
    """The day of the month of the n-th such weekday, or None."""
    first = weekday(year, month, 1)
    day = 1 + (first - wanted) % 7 + 7 * (n - 1)
    return day if day <= days_in_month(year, month) else None


def last_weekday(year, month, wanted):
    """The day of the month of the last such weekday."""
    length = days_in_month(year, month)
    return length - (weekday(year, month, length) - wanted) % 7


def count_weekday(year, month, wanted):
    """How many such weekdays there are in a month."""
    return 5 if nth_weekday(year, month, wanted, 5) else 4


def days_between(start, end):
    """The number of days from one (year, month, day) to another."""
    return ordinal(*end) - ordinal(*start)
''',
        wrong="day = 1 + (first - wanted) % 7 + 7 * (n - 1)",
        right="day = 1 + (wanted - first) % 7 + 7 * (n - 1)",
        visible=r"""
def test_leap():
    assert is_leap(2000) and is_leap(2024)
    assert not is_leap(1900) and not is_leap(2023)

def test_weekday():
    assert weekday(2024, 1, 1) == 0
    assert weekday(2000, 2, 29) == 1

def test_nth_weekday_on_the_first():
    assert nth_weekday(2024, 1, 0, 1) == 1
    assert nth_weekday(2024, 1, 0, 5) == 29

def test_thanksgiving():
    assert nth_weekday(2023, 11, 3, 4) == 23
    assert nth_weekday(2024, 11, 3, 4) == 28

def test_no_fifth():
    assert nth_weekday(2023, 2, 0, 5) is None

def test_last():
    assert last_weekday(2024, 5, 0) == 27

def test_between():
    assert days_between((2024, 2, 28), (2024, 3, 1)) == 2
""",
        hidden=r"""
import calendar
import datetime

def test_all_months():
    for year in list(range(1999, 2013)) + [1900, 2100, 2400]:
        for month in range(1, 13):
            weeks = calendar.Calendar(0).monthdayscalendar(year, month)
            for wanted in range(7):
                days = [week[wanted] for week in weeks if week[wanted]]
                for n in range(1, 7):
                    expected = days[n - 1] if n <= len(days) else None
                    assert nth_weekday(year, month, wanted, n) == expected
                assert last_weekday(year, month, wanted) == days[-1]
                assert count_weekday(year, month, wanted) == len(days)

def test_result_falls_on_the_weekday():
    for month in range(1, 13):
        for wanted in range(7):
            for n in range(1, 5):
                day = nth_weekday(2031, month, wanted, n)
                assert datetime.date(2031, month, day).weekday() == wanted
                assert 7 * (n - 1) < day <= 7 * n

def test_ordinals():
    date = datetime.date(1895, 1, 1)
    for _ in range(400):
        assert ordinal(date.year, date.month, date.day) == date.toordinal()
        assert weekday(date.year, date.month, date.day) == date.weekday()
        date += datetime.timedelta(days=97)
""",
    ),
    # ------------------------------------------------------------ graphs
    Program(
        name="articulation_points",
        code=r'''
"""The weak spots of an undirected network: cut vertices and bridges."""


class Network:
    """An undirected graph without parallel edges."""

    def __init__(self, edges=()):
        self.neighbours = {}
        for a, b in edges:
            self.connect(a, b)

    def add(self, node):
        """Add a node, which may remain alone."""
        self.neighbours.setdefault(node, [])

    def connect(self, a, b):
        """Add an edge, unless it is there already or is a loop."""
        self.add(a)
        self.add(b)
        if a != b and b not in self.neighbours[a]:
            self.neighbours[a].append(b)
            self.neighbours[b].append(a)

    def _search(self):
        """The sets of cut vertices and of bridges."""
        order, low = {}, {}
        cuts, bridges = set(), set()

        def visit(node, parent):
            order[node] = low[node] = len(order)
            children = 0
            for other in self.neighbours[node]:
                if other == parent:
                    continue
                if other in order:
                    low[node] = min(low[node], order[other])
                    continue
                children += 1
                visit(other, node)
                low[node] = min(low[node], low[other])
                if low[other] > order[node]:
                    bridges.add(frozenset((node, other)))
                if parent is not None and low[other] >= order[node]:
                    cuts.add(node)
            if children > 1:
                cuts.add(node)

        for node in self.neighbours:
            if node not in order:
                visit(node, None)
        return cuts, bridges

    def cut_vertices(self):
        """The nodes whose removal splits their component, sorted."""
        return sorted(self._search()[0])

    def bridges(self):
        """The edges whose removal splits their component, sorted."""
        return sorted(tuple(sorted(edge)) for edge in self._search()[1])

    def is_robust(self):
        """Whether no single failure of a node splits a component."""
        return not self.cut_vertices()
''',
        wrong="if children > 1:",
        right="if parent is None and children > 1:",
        visible=r"""
def test_path():
    network = Network([(1, 2), (2, 3), (3, 4)])
    assert network.cut_vertices() == [2, 3]
    assert network.bridges() == [(1, 2), (2, 3), (3, 4)]

def test_cycle():
    network = Network([(1, 2), (2, 3), (3, 1)])
    assert network.is_robust()
    assert network.bridges() == []

def test_two_triangles():
    network = Network([(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 3)])
    assert network.cut_vertices() == [3]
    assert network.bridges() == []

def test_star():
    assert Network([(0, 1), (0, 2), (0, 3)]).cut_vertices() == [0]

def test_square_with_diagonal():
    network = Network([("a", "b"), ("b", "c"), ("c", "a"), ("b", "d"), ("d", "a")])
    assert network.cut_vertices() == []
    assert network.is_robust()

def test_lonely_node():
    network = Network()
    network.add("x")
    assert network.cut_vertices() == []
""",
        hidden=r"""
import random

def components(nodes, edges):
    nodes, count = set(nodes), 0
    while nodes:
        count += 1
        stack = [nodes.pop()]
        while stack:
            n = stack.pop()
            for a, b in edges:
                for x, y in ((a, b), (b, a)):
                    if x == n and y in nodes:
                        nodes.remove(y)
                        stack.append(y)
    return count

def brute(nodes, edges):
    whole = components(nodes, edges)
    cuts = [n for n in sorted(nodes)
            if components(set(nodes) - {n}, [e for e in edges if n not in e]) > whole]
    bridges = sorted(tuple(sorted(e)) for e in edges
                     if components(nodes, [f for f in edges if f != e]) > whole)
    return cuts, bridges

def check(nodes, edges):
    network = Network(edges)
    for n in nodes:
        network.add(n)
    cuts, bridges = brute(nodes, edges)
    assert network.cut_vertices() == cuts
    assert network.bridges() == bridges
    assert network.is_robust() == (not cuts)

def test_random_graphs():
    rng = random.Random(101)
    for _ in range(500):
        n = rng.randrange(1, 9)
        pairs = [(a, b) for a in range(n) for b in range(a)]
        edges = rng.sample(pairs, rng.randrange(min(len(pairs), 12) + 1))
        rng.shuffle(edges)
        check(range(n), edges)

def test_all_graphs_of_four_nodes():
    pairs = [(a, b) for a in range(4) for b in range(a)]
    for mask in range(64):
        check(range(4), [p for i, p in enumerate(pairs) if mask >> i & 1])

def test_theta_graphs():
    for k in range(2, 7):
        edges = [(0, 1)] + [(h, m) for m in range(2, 2 + k) for h in (0, 1)]
        check(range(2 + k), edges)
        check(range(3 + k), edges + [(1, 2 + k)])
""",
    ),
    Program(
        name="bipartite_assignment",
        code=r'''
"""Assignment of workers to jobs that they are able to do."""


class Assignment:
    """A matching between workers and jobs, made as large as possible.

    `skills` maps each worker to the jobs in question, the preferred first.
    """

    def __init__(self, skills):
        self.skills = {worker: list(jobs) for worker, jobs in skills.items()}
        self.owner = {}
        for worker in self.skills:
            self._place(worker, set())

    def _place(self, worker, tried):
        """Find a job for a worker, where need be by moving other workers."""
        for job in self.skills[worker]:
            if job in tried:
                continue
            tried.add(job)
            if job not in self.owner or self._place(worker, tried):
                self.owner[job] = worker
                return True
        return False

    def __len__(self):
        return len(self.owner)

    def pairs(self):
        """The sorted list of (worker, job)."""
        return sorted((worker, job) for job, worker in self.owner.items())

    def job_of(self, worker):
        """The job of a worker, or None."""
        for job, owner in self.owner.items():
            if owner == worker:
                return job
        return None

    def idle(self):
        """The workers without a job, sorted."""
        return sorted(w for w in self.skills if self.job_of(w) is None)

    def open_jobs(self):
        """The jobs without a worker, sorted."""
        jobs = {job for wanted in self.skills.values() for job in wanted}
        return sorted(jobs - set(self.owner))


def can_staff(skills, jobs):
    """Whether all of these jobs can be done at the same time."""
    wanted = set(jobs)
    relevant = {w: [j for j in able if j in wanted] for w, able in skills.items()}
    return len(Assignment(relevant)) == len(wanted)
''',
        wrong="if job not in self.owner or self._place(worker, tried):",
        right="if job not in self.owner or self._place(self.owner[job], tried):",
        visible=r"""
def test_everyone_has_another_job():
    a = Assignment({"ann": ["cook"], "bob": ["drive"]})
    assert a.pairs() == [("ann", "cook"), ("bob", "drive")]
    assert a.idle() == []

def test_preferences():
    a = Assignment({"ann": ["cook", "drive"]})
    assert a.job_of("ann") == "cook"
    assert a.open_jobs() == ["drive"]

def test_moving_a_worker():
    a = Assignment({"ann": ["cook", "drive"], "bob": ["cook"]})
    assert len(a) == 2
    assert a.pairs() == [("ann", "drive"), ("bob", "cook")]

def test_too_few_jobs():
    a = Assignment({"ann": ["cook"], "bob": ["cook"]})
    assert len(a) == 1
    assert a.idle() == ["bob"]

def test_can_staff():
    skills = {"ann": ["x", "y"], "bob": ["x"], "cy": ["z"]}
    assert can_staff(skills, ["x", "z"])
    assert not can_staff({"ann": ["x", "y"]}, ["x", "y"])
""",
        hidden=r"""
import random

def largest(skills):
    workers = list(skills)
    def best(i, used):
        if i == len(workers):
            return 0
        result = best(i + 1, used)
        for job in skills[workers[i]]:
            if job not in used:
                result = max(result, 1 + best(i + 1, used | {job}))
        return result
    return best(0, frozenset())

def random_skills(rng):
    jobs = "abcdef"[:rng.randrange(1, 7)]
    return {w: rng.sample(jobs, rng.randrange(min(len(jobs), 3) + 1)) for w in range(rng.randrange(1, 7))}

def test_size_is_largest_and_valid():
    rng = random.Random(102)
    for _ in range(600):
        skills = random_skills(rng)
        a = Assignment(skills)
        pairs = a.pairs()
        assert len(a) == len(pairs) == largest(skills)
        assert all(job in skills[worker] for worker, job in pairs)
        assert len({w for w, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
        assert a.idle() == sorted(set(skills) - {w for w, _ in pairs})
        assert set(a.open_jobs()) == {j for js in skills.values() for j in js} - {j for _, j in pairs}
        assert all(a.job_of(w) == j for w, j in pairs)

def test_chain_of_moves():
    for n in range(1, 20):
        skills = {i: [i, i + 1] for i in range(n)}
        skills[n] = [0]
        a = Assignment(skills)
        assert a.pairs() == [(i, i + 1) for i in range(n)] + [(n, 0)]

def test_staffing():
    rng = random.Random(103)
    for _ in range(300):
        skills = random_skills(rng)
        jobs = rng.sample("abcdef", rng.randrange(5))
        limited = {w: [j for j in able if j in jobs] for w, able in skills.items()}
        assert can_staff(skills, jobs) == (largest(limited) == len(jobs))
""",
    ),
    Program(
        name="gentlest_mountain_route",
        code=r'''
"""Routes over a height map that avoid steep steps."""

import heapq

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


class HeightMap:
    """A grid of heights; a step goes to one of the four neighbours."""

    def __init__(self, rows):
        self.rows = [list(row) for row in rows]
        self.height = len(self.rows)
        self.width = len(self.rows[0])

    def neighbours(self, cell):
        """The cells beside a cell."""
        row, column = cell
        for down, right in STEPS:
            r, c = row + down, column + right
            if 0 <= r < self.height and 0 <= c < self.width:
                yield r, c

    def slope(self, here, there):
        """By how much one cell is higher than the other; negative downhill."""
        return self.rows[there[0]][there[1]] - self.rows[here[0]][here[1]]

    def gentlest(self, start, goal):
        """The least possible steepest step of a route, and such a route."""
        best = {start: 0}
        previous = {}
        queue = [(0, start)]
        while queue:
            effort, cell = heapq.heappop(queue)
            if cell == goal:
                break
            if effort > best[cell]:
                continue
            for other in self.neighbours(cell):
                steepest = max(effort, self.slope(cell, other))
                if steepest < best.get(other, float("inf")):
                    best[other] = steepest
                    previous[other] = cell
                    heapq.heappush(queue, (steepest, other))
        return best[goal], self._trace(previous, start, goal)

    def _trace(self, previous, start, goal):
        route = [goal]
        while route[-1] != start:
            route.append(previous[route[-1]])
        return route[::-1]

    def climb(self, route):
        """The sum of all rises on a route."""
        return sum(max(0, self.slope(a, b)) for a, b in zip(route, route[1:]))
''',
        wrong="steepest = max(effort, self.slope(cell, other))",
        right="steepest = max(effort, abs(self.slope(cell, other)))",
        visible=r"""
def test_neighbours():
    m = HeightMap([[1, 2], [3, 4]])
    assert sorted(m.neighbours((0, 0))) == [(0, 1), (1, 0)]

def test_flat():
    m = HeightMap([[5, 5, 5]])
    assert m.gentlest((0, 0), (0, 2)) == (0, [(0, 0), (0, 1), (0, 2)])

def test_uphill():
    m = HeightMap([[1, 3, 4]])
    assert m.gentlest((0, 0), (0, 2))[0] == 2

def test_downhill():
    m = HeightMap([[9, 4, 3]])
    assert m.gentlest((0, 0), (0, 2))[0] == 5

def test_way_round():
    m = HeightMap([
        [1, 9, 1],
        [2, 9, 2],
        [3, 4, 3],
    ])
    effort, route = m.gentlest((0, 0), (0, 2))
    assert effort == 1
    assert route == [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2)]

def test_climb():
    m = HeightMap([[1, 4, 6, 2]])
    assert m.climb([(0, 0), (0, 1), (0, 2), (0, 3)]) == 5
""",
        hidden=r"""
import random

def random_map(rng):
    h, w = rng.randrange(1, 6), rng.randrange(1, 6)
    return [[rng.randrange(-9, 10) for _ in range(w)] for _ in range(h)]

def reachable(rows, start, goal, limit):
    seen, stack = {start}, [start]
    while stack:
        r, c = stack.pop()
        for s in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if 0 <= s[0] < len(rows) and 0 <= s[1] < len(rows[0]) and s not in seen:
                if abs(rows[s[0]][s[1]] - rows[r][c]) <= limit:
                    seen.add(s)
                    stack.append(s)
    return goal in seen

def test_least_limit_and_valid_route():
    rng = random.Random(113)
    for _ in range(300):
        rows = random_map(rng)
        cells = [(r, c) for r in range(len(rows)) for c in range(len(rows[0]))]
        start, goal = rng.choice(cells), rng.choice(cells)
        effort, route = HeightMap(rows).gentlest(start, goal)
        assert effort == next(k for k in range(30) if reachable(rows, start, goal, k))
        assert route[0] == start and route[-1] == goal
        steps = list(zip(route, route[1:]))
        assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in steps)
        assert max([abs(rows[a[0]][a[1]] - rows[b[0]][b[1]]) for a, b in steps], default=0) == effort

def test_same_both_ways():
    rng = random.Random(114)
    for _ in range(100):
        rows = random_map(rng)
        m = HeightMap(rows)
        corner = (len(rows) - 1, len(rows[0]) - 1)
        assert m.gentlest((0, 0), corner)[0] == m.gentlest(corner, (0, 0))[0]

def test_climb_counts_rises_only():
    rng = random.Random(115)
    for _ in range(200):
        heights = [rng.randrange(-9, 10) for _ in range(rng.randrange(1, 9))]
        m = HeightMap([heights])
        route = [(0, i) for i in range(len(heights))]
        up = sum(b - a for a, b in zip(heights, heights[1:]) if b > a)
        down = sum(a - b for a, b in zip(heights, heights[1:]) if a > b)
        assert m.climb(route) == up
        assert m.climb(route[::-1]) == down

def test_slope_has_a_sign():
    m = HeightMap([[3, 7], [1, 0]])
    assert m.slope((0, 0), (0, 1)) == 4
    assert m.slope((0, 1), (0, 0)) == -4
    assert m.slope((1, 1), (0, 1)) == 7
""",
    ),
    Program(
        name="component_condensation",
        code=r'''
"""Strongly connected components of a directed graph."""


def components(graph):
    """The components as sets, those that are reached from others first.

    `graph` maps each node to a list of nodes; the algorithm is Tarjan's.
    """
    order, low = {}, {}
    stack, on_stack = [], set()
    found = []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        on_stack.add(node)
        for other in graph.get(node, ()):
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on_stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            component = set()
            while node not in component:
                member = stack.pop()
                on_stack.discard(member)
                component.add(member)
            found.append(component)

    for node in graph:
        if node not in order:
            visit(node)
    return found


def condense(graph):
    """The components, and a dictionary of the edges between them.

    The dictionary maps the index of each component to the set of the indices
    of the other components that its edges lead to.
    """
    parts = components(graph)
    index = {node: i for i, part in enumerate(parts) for node in part}
    edges = {i: set() for i in range(len(parts))}
    for node, others in graph.items():
        for other in others:
            if node != other:
                edges[index[node]].add(index[other])
    return parts, edges


def sources(graph):
    """The components that no edge leads to, as sorted lists."""
    parts, edges = condense(graph)
    reached = set().union(*edges.values())
    return sorted(sorted(part) for i, part in enumerate(parts) if i not in reached)


def is_acyclic(graph):
    """Whether there is no cycle, not even a loop."""
    loops = any(node in others for node, others in graph.items())
    return not loops and all(len(part) == 1 for part in components(graph))
''',
        wrong="if node != other:",
        right="if index[node] != index[other]:",
        visible=r"""
def test_components():
    graph = {1: [2], 2: [3], 3: [1, 4], 4: []}
    assert components(graph) == [{4}, {1, 2, 3}]

def test_condense_without_cycles():
    parts, edges = condense({"a": ["b", "c"], "b": ["c"], "c": []})
    assert parts == [{"c"}, {"b"}, {"a"}]
    assert edges == {0: set(), 1: {0}, 2: {0, 1}}

def test_condense():
    parts, edges = condense({1: [2], 2: [1, 3], 3: [3]})
    assert parts == [{3}, {1, 2}]
    assert edges == {0: set(), 1: {0}}

def test_sources():
    assert sources({1: [2], 2: [], 3: [2]}) == [[1], [3]]

def test_source_that_is_a_cycle():
    assert sources({1: [2], 2: [1, 3], 3: []}) == [[1, 2]]

def test_acyclic():
    assert is_acyclic({1: [2], 2: []})
    assert not is_acyclic({1: [2], 2: [1]})
    assert not is_acyclic({1: [1]})
""",
        hidden=r"""
import random

def reach(graph, start):
    seen, stack = {start}, [start]
    while stack:
        for other in graph.get(stack.pop(), ()):
            if other not in seen:
                seen.add(other)
                stack.append(other)
    return seen

def random_graph(rng):
    n = rng.randrange(1, 9)
    return {a: [b for b in range(n) if rng.random() < 1.3 / n] for a in range(n)}

def test_condensation_by_reachability():
    rng = random.Random(104)
    for _ in range(500):
        graph = random_graph(rng)
        far = {n: reach(graph, n) for n in graph}
        parts, edges = condense(graph)
        assert sorted(n for p in parts for n in p) == sorted(graph)
        for i, part in enumerate(parts):
            for n in part:
                assert part == {m for m in graph if m in far[n] and n in far[m]}
            expected = {j for j, other in enumerate(parts) if j != i
                        and any(b in other for a in part for b in graph[a])}
            assert edges[i] == expected
            assert all(j < i for j in edges[i])

def test_sources_by_reachability():
    rng = random.Random(105)
    for _ in range(500):
        graph = random_graph(rng)
        far = {n: reach(graph, n) for n in graph}
        expected = []
        for n in graph:
            before = {m for m in graph if n in far[m]}
            if before <= far[n] and n == min(before):
                expected.append(sorted(before))
        assert sources(graph) == sorted(expected)

def test_cycles():
    for n in range(1, 12):
        graph = {i: [(i + 1) % n] for i in range(n)}
        parts, edges = condense(graph)
        assert parts == [set(range(n))] and edges == {0: set()}
        assert sources(graph) == [list(range(n))]
        assert not is_acyclic(graph)
""",
    ),
    Program(
        name="critical_path_schedule",
        code=r'''
"""Project schedules by the critical path method."""


class Project:
    """Tasks with durations; each may have to wait for others."""

    def __init__(self):
        self.duration = {}
        self.needs = {}

    def add(self, task, duration, needs=()):
        """Add a task; those that it needs must have been added before."""
        for other in needs:
            if other not in self.duration:
                raise KeyError(other)
        self.duration[task] = duration
        self.needs[task] = list(needs)

    def earliest_finish(self):
        """When each task can be finished at the earliest."""
        finish = {}
        for task, duration in self.duration.items():
            start = max((finish[other] for other in self.needs[task]), default=0)
            finish[task] = start + duration
        return finish

    def length(self):
        """The time that the whole project takes."""
        return max(self.earliest_finish().values(), default=0)

    def latest_finish(self):
        """When each task must be finished, so as not to delay the project."""
        total = self.length()
        latest = {}
        for task in reversed(self.duration):
            deadlines = [
                latest[other] - self.duration[other]
                for other in latest
                if task in self.needs[other]
            ]
            latest[task] = max(deadlines, default=total)
        return latest

    def slack(self):
        """By how much each task may be late."""
        earliest, latest = self.earliest_finish(), self.latest_finish()
        return {task: latest[task] - earliest[task] for task in self.duration}

    def critical(self):
        """The tasks that must not be late, in the order of their addition."""
        return [task for task, slack in self.slack().items() if slack == 0]

    def timetable(self):
        """Pairs of task and earliest start, by start and then by name."""
        finish = self.earliest_finish()
        starts = [(finish[task] - self.duration[task], task) for task in finish]
        return [(task, start) for start, task in sorted(starts)]
''',
        wrong="latest[task] = max(deadlines, default=total)",
        right="latest[task] = min(deadlines, default=total)",
        visible=r"""
def house():
    project = Project()
    project.add("dig", 2)
    project.add("walls", 5, ["dig"])
    project.add("garden", 1, ["dig"])
    project.add("roof", 3, ["walls"])
    project.add("party", 1, ["roof", "garden"])
    return project

def test_length():
    assert house().length() == 11
    assert Project().length() == 0

def test_timetable():
    assert house().timetable() == [
        ("dig", 0), ("garden", 2), ("walls", 2), ("roof", 7), ("party", 10)]

def test_slack_in_a_chain():
    project = Project()
    project.add("a", 2)
    project.add("b", 3, ["a"])
    assert project.slack() == {"a": 0, "b": 0}

def test_slack():
    assert house().slack() == {"dig": 0, "walls": 0, "garden": 7, "roof": 0, "party": 0}

def test_critical():
    assert house().critical() == ["dig", "walls", "roof", "party"]

def test_unknown_need():
    with pytest.raises(KeyError):
        Project().add("a", 1, ["b"])
""",
        hidden=r"""
import random

def random_project(rng):
    project, names = Project(), []
    for i in range(rng.randrange(1, 10)):
        needs = rng.sample(names, rng.randrange(min(len(names), 3) + 1))
        project.add("t%d" % i, rng.randrange(1, 9), needs)
        names.append("t%d" % i)
    return project

def length_with(project, late, delay):
    finish = {}
    for task in project.duration:
        begin = max([finish[n] for n in project.needs[task]] + [0])
        finish[task] = begin + project.duration[task] + (delay if task == late else 0)
    return max(finish.values())

def test_slack_is_the_largest_harmless_delay():
    rng = random.Random(106)
    for _ in range(300):
        project = random_project(rng)
        total = project.length()
        assert total == length_with(project, None, 0)
        for task, slack in project.slack().items():
            assert slack >= 0
            assert length_with(project, task, slack) == total
            assert length_with(project, task, slack + 1) == total + 1

def test_critical_tasks_fill_the_time():
    rng = random.Random(107)
    for _ in range(200):
        project = random_project(rng)
        critical = project.critical()
        assert critical == [t for t in project.duration if length_with(project, t, 1) > project.length()]
        assert sum(project.duration[t] for t in critical) >= project.length()

def test_latest_finish_leaves_time_for_the_followers():
    rng = random.Random(108)
    for _ in range(200):
        project = random_project(rng)
        latest = project.latest_finish()
        for task in project.duration:
            followers = [t for t in project.duration if task in project.needs[t]]
            bounds = [latest[t] - project.duration[t] for t in followers] or [project.length()]
            assert latest[task] == min(bounds)

def test_fork():
    project = Project()
    project.add("s", 1)
    for i in range(1, 6):
        project.add(i, i, ["s"])
    assert project.slack() == {"s": 0, 1: 4, 2: 3, 3: 2, 4: 1, 5: 0}
""",
    ),
    Program(
        name="eulerian_trail",
        code=r'''
"""Trails that use every edge of a directed multigraph exactly once."""

from collections import defaultdict


class Roads:
    """One-way roads between places."""

    def __init__(self, edges=()):
        self.edges = []
        self.leaving = defaultdict(list)
        self.degree_in = defaultdict(int)
        self.degree_out = defaultdict(int)
        for start, end in edges:
            self.add(start, end)

    def add(self, start, end):
        """Add a road; there may be several between the same places."""
        self.edges.append((start, end))
        self.leaving[start].append(end)
        self.degree_out[start] += 1
        self.degree_in[end] += 1

    def places(self):
        """All places at which a road starts or ends, in order of addition."""
        return list(dict.fromkeys(place for edge in self.edges for place in edge))

    def start(self):
        """The place where a trail must start; any will do for a circuit."""
        places = self.places()
        for place in places:
            if self.degree_out[place] >= self.degree_in[place]:
                return place
        return places[0]

    def trail(self):
        """The places along a trail over all roads, or None."""
        if not self.edges:
            return []
        unused = {place: list(ends) for place, ends in self.leaving.items()}
        stack = [self.start()]
        route = []
        while stack:
            if unused.get(stack[-1]):
                stack.append(unused[stack[-1]].pop())
            else:
                route.append(stack.pop())
        route.reverse()
        return route if self.is_trail(route) else None

    def is_trail(self, route):
        """Whether a list of places uses every road exactly once."""
        return sorted(zip(route, route[1:])) == sorted(self.edges)

    def has_circuit(self):
        """Whether there is a trail that ends where it started."""
        route = self.trail()
        return route is not None and route[:1] == route[-1:]


def rebuild(pieces):
    """A text whose pairs of neighbouring letters are the given ones, or None."""
    route = Roads((piece[0], piece[1]) for piece in pieces).trail()
    return None if route is None else "".join(route)
''',
        wrong="if self.degree_out[place] >= self.degree_in[place]:",
        right="if self.degree_out[place] > self.degree_in[place]:",
        visible=r"""
def test_path():
    assert Roads([(1, 2), (2, 3)]).trail() == [1, 2, 3]

def test_circuit():
    roads = Roads([("a", "b"), ("b", "c"), ("c", "a")])
    assert roads.trail() == ["a", "b", "c", "a"]
    assert roads.has_circuit()

def test_start_is_not_mentioned_first():
    assert Roads([(2, 3), (1, 2)]).trail() == [1, 2, 3]

def test_no_trail():
    assert Roads([(1, 2), (1, 3)]).trail() is None
    assert Roads([(1, 2), (3, 4)]).trail() is None

def test_loop_on_the_way():
    roads = Roads([(1, 2), (2, 2), (2, 3)])
    assert roads.trail() == [1, 2, 2, 3]
    assert not roads.has_circuit()

def test_rebuild():
    assert rebuild(["an", "ba", "nd"]) == "band"
    assert rebuild([]) == ""
""",
        hidden=r"""
import random

def exists(edges):
    n = len(edges)
    def go(place, left):
        if not left:
            return True
        return any(e[0] == place and go(e[1], left[:i] + left[i + 1:])
                   for i, e in enumerate(left) if e not in left[:i])
    return n == 0 or any(go(p, edges) for p in {a for a, _ in edges})

def test_walks_are_found():
    rng = random.Random(109)
    for _ in range(500):
        walk = [rng.randrange(5) for _ in range(rng.randrange(2, 12))]
        edges = list(zip(walk, walk[1:]))
        rng.shuffle(edges)
        roads = Roads(edges)
        route = roads.trail()
        assert route is not None
        assert sorted(zip(route, route[1:])) == sorted(edges)
        assert roads.has_circuit() == (walk[0] == walk[-1])

def test_any_edges():
    rng = random.Random(110)
    for _ in range(500):
        edges = [(rng.randrange(4), rng.randrange(4)) for _ in range(rng.randrange(7))]
        route = Roads(edges).trail()
        if exists(edges):
            assert route is not None and sorted(zip(route, route[1:])) == sorted(edges)
        else:
            assert route is None

def test_long_chain_in_any_order():
    rng = random.Random(111)
    for n in range(2, 40):
        edges = [(i, i + 1) for i in range(n)]
        rng.shuffle(edges)
        assert Roads(edges).trail() == list(range(n + 1))

def test_words():
    rng = random.Random(112)
    for word in ("letters", "straw", "python", "abracadabrx", "programs"):
        pairs = [word[i:i + 2] for i in range(len(word) - 1)]
        for _ in range(20):
            rng.shuffle(pairs)
            made = rebuild(pairs)
            assert sorted(made[i:i + 2] for i in range(len(made) - 1)) == sorted(pairs)
            assert made[0] == word[0] and made[-1] == word[-1]
""",
    ),
    # ------------------------------------------------------------ stateful objects, simulations
    Program(
        name="elevator_scan",
        code=r'''
"""A lift that serves its calls in one direction before it turns."""


class Lift:
    """A lift between floor 0 and a top floor."""

    def __init__(self, top, floor=0):
        self.top = top
        self.floor = floor
        self.direction = 1
        self.calls = set()
        self.travelled = 0

    def call(self, floor):
        """Ask the lift to stop at a floor."""
        if not 0 <= floor <= self.top:
            raise ValueError("no such floor")
        self.calls.add(floor)

    def _calls_ahead(self):
        return any((floor - self.floor) * self.direction > 0 for floor in self.calls)

    def step(self):
        """Do one thing, and tell what: "stop", "move", "turn" or "idle".

        The lift stops where it is called, else moves on by a floor while
        there are calls ahead, else turns round if there are calls at all.
        """
        if self.floor in self.calls:
            self.calls.remove(self.floor)
            return "stop"
        if not self.calls:
            return "idle"
        if not self._calls_ahead():
            self.direction = -1
            return "turn"
        self.floor += self.direction
        self.travelled += 1
        return "move"

    def run(self, limit=1000):
        """Step until idle, or up to a limit; return the floors of the stops."""
        stops = []
        for _ in range(limit):
            action = self.step()
            if action == "idle":
                break
            if action == "stop":
                stops.append(self.floor)
        return stops


def serve(top, start, calls):
    """The stops and the distance travelled for calls made at the same time."""
    lift = Lift(top, start)
    for floor in calls:
        lift.call(floor)
    return lift.run(), lift.travelled
''',
        wrong="self.direction = -1\n",
        right="self.direction = -self.direction\n",
        visible=r"""
def test_upwards():
    assert serve(9, 0, [5, 2, 7]) == ([2, 5, 7], 7)

def test_up_then_down():
    assert serve(9, 4, [2, 6, 0]) == ([6, 2, 0], 8)

def test_call_at_the_present_floor():
    lift = Lift(5)
    lift.call(0)
    assert lift.step() == "stop"
    assert lift.step() == "idle"

def test_up_again_after_going_down():
    lift = Lift(9, 5)
    lift.call(3)
    assert lift.run() == [3]
    lift.call(1)
    lift.call(8)
    assert lift.run() == [1, 8]
    assert lift.travelled == 11

def test_bad_floor():
    with pytest.raises(ValueError):
        Lift(5).call(6)
""",
        hidden=r'''
import random

def expected(floor, direction, calls):
    """The stops, the distance and the last direction for pending calls."""
    calls = set(calls)
    stops, way = [], 0
    while calls:
        ahead = sorted((f for f in calls if (f - floor) * direction >= 0), key=lambda f: abs(f - floor))
        if not ahead:
            direction = -direction
            continue
        for f in ahead:
            way += abs(f - floor)
            floor = f
            stops.append(f)
        calls -= set(ahead)
    return stops, way, direction

def test_rounds_of_calls():
    rng = random.Random(121)
    for _ in range(200):
        top = rng.randrange(1, 15)
        lift = Lift(top, rng.randrange(top + 1))
        total = 0
        for _ in range(8):
            calls = [rng.randrange(top + 1) for _ in range(rng.randrange(5))]
            want, way, direction = expected(lift.floor, lift.direction, calls)
            for f in calls:
                lift.call(f)
            assert lift.run() == want
            total += way
            assert lift.travelled == total
            assert lift.direction == direction
            assert not lift.calls
            assert lift.step() == "idle"

def test_stays_in_the_building():
    rng = random.Random(122)
    lift = Lift(7, 3)
    waiting = {}
    for now in range(3000):
        if rng.random() < 0.15:
            floor = rng.randrange(8)
            lift.call(floor)
            waiting.setdefault(floor, now)
        if lift.step() == "stop":
            assert now - waiting.pop(lift.floor) < 60
        assert 0 <= lift.floor <= 7
        assert lift.direction in (1, -1)

def test_turning_twice():
    lift = Lift(10, 10)
    for floor in (0, 10, 0, 10, 5):
        lift.call(floor)
        assert lift.run(100) == [floor]
    assert lift.travelled == 45
''',
    ),
    Program(
        name="token_bucket_limit",
        code=r'''
"""Rate limiting with token buckets; the time is passed in by the caller."""


class TokenBucket:
    """Holds up to `capacity` tokens and gains `rate` tokens a second."""

    def __init__(self, capacity, rate, now=0):
        if capacity <= 0 or rate <= 0:
            raise ValueError("capacity and rate must be positive")
        self.capacity = capacity
        self.rate = rate
        self.tokens = capacity
        self.updated = now

    def _refill(self, now):
        if now > self.updated:
            self.tokens += (now - self.updated) * self.rate
            self.updated = now

    def take(self, now, amount=1):
        """Take tokens if there are enough; tell whether there were."""
        self._refill(now)
        if amount > self.tokens:
            return False
        self.tokens -= amount
        return True

    def wait_time(self, now, amount=1):
        """How long to wait until so many tokens are there, or None."""
        if amount > self.capacity:
            return None
        self._refill(now)
        missing = amount - self.tokens
        return max(0, missing / self.rate)


class Limiter:
    """A bucket for each client, all of the same kind."""

    def __init__(self, capacity, rate):
        self.capacity = capacity
        self.rate = rate
        self.buckets = {}

    def allow(self, client, now):
        """Whether a client may send a request now."""
        if client not in self.buckets:
            self.buckets[client] = TokenBucket(self.capacity, self.rate, now)
        return self.buckets[client].take(now)

    def forget_idle(self, now, age):
        """Drop the clients without a request for more than `age` seconds."""
        idle = [c for c, b in self.buckets.items() if now - b.updated > age]
        for client in idle:
            del self.buckets[client]
        return sorted(idle)
''',
        wrong="self.tokens += (now - self.updated) * self.rate",
        right="self.tokens = min(self.capacity, self.tokens + (now - self.updated) * self.rate)",
        visible=r"""
def test_burst():
    bucket = TokenBucket(3, 1)
    assert [bucket.take(0) for _ in range(5)] == [True, True, True, False, False]

def test_refill():
    bucket = TokenBucket(2, 0.5)
    assert bucket.take(0, 2)
    assert not bucket.take(1)
    assert bucket.take(2)

def test_long_pause():
    bucket = TokenBucket(3, 1)
    assert bucket.take(0)
    assert [bucket.take(100) for _ in range(5)] == [True, True, True, False, False]

def test_wait_time():
    bucket = TokenBucket(4, 2)
    bucket.take(0, 4)
    assert bucket.wait_time(0, 3) == 1.5
    assert bucket.wait_time(0, 5) is None

def test_clients_are_independent():
    limiter = Limiter(1, 1)
    assert limiter.allow("a", 0)
    assert not limiter.allow("a", 0)
    assert limiter.allow("b", 0)

def test_forget_idle():
    limiter = Limiter(1, 1)
    limiter.allow("a", 0)
    limiter.allow("b", 50)
    assert limiter.forget_idle(60, 30) == ["a"]
""",
        hidden=r"""
import random
from fractions import Fraction

def test_against_model():
    rng = random.Random(123)
    for _ in range(200):
        capacity = rng.randrange(1, 8)
        rate = Fraction(rng.randrange(1, 9), rng.choice([1, 2, 4]))
        bucket = TokenBucket(capacity, rate)
        level, last, now = Fraction(capacity), 0, 0
        for _ in range(60):
            now += rng.choice([0, 0, 1, 1, 2, 10])
            level = min(Fraction(capacity), level + (now - last) * rate)
            last = now
            amount = rng.randrange(1, 6)
            wait = bucket.wait_time(now, amount)
            if amount > capacity:
                assert wait is None
            else:
                assert wait == max(0, (amount - level) / rate)
            assert bucket.take(now, amount) == (amount <= level)
            if amount <= level:
                level -= amount
            assert bucket.tokens == level <= capacity

def test_a_full_bucket_stays_full():
    for capacity in range(1, 10):
        for pause in (1, 5, 1000):
            bucket = TokenBucket(capacity, 3)
            assert not bucket.take(pause, capacity + 1)
            assert bucket.take(pause, capacity)
            assert not bucket.take(pause, 1)
            assert bucket.wait_time(pause, 3 if capacity >= 3 else capacity) == min(3, capacity) / 3

def test_limiter_over_long_times():
    limiter = Limiter(5, 1)
    for start in range(0, 1000, 100):
        assert sum(limiter.allow("c", start) for _ in range(20)) == 5
        assert sum(limiter.allow("c", start + 2) for _ in range(20)) == 2

def test_time_going_back():
    bucket = TokenBucket(2, 1, now=10)
    assert bucket.take(10, 2)
    assert not bucket.take(5)
    assert bucket.updated == 10
    assert bucket.take(11) and not bucket.take(11)
""",
    ),
    Program(
        name="expiring_lru_cache",
        code=r'''
"""A cache that forgets what is old or has not been used for long."""

from collections import OrderedDict


class ExpiringCache:
    """Keeps at most `capacity` entries, each for at most `lifetime` ticks."""

    def __init__(self, capacity, lifetime):
        self.capacity = capacity
        self.lifetime = lifetime
        self.now = 0
        self.hits = 0
        self.misses = 0
        self._entries = OrderedDict()

    def __len__(self):
        return len(self._entries)

    def advance(self, ticks=1):
        """Let time pass, and drop the entries that expire."""
        self.now += ticks
        expired = [k for k, (_, until) in self._entries.items() if until <= self.now]
        for key in expired:
            del self._entries[key]

    def get(self, key, default=None):
        """The value of a key; this counts as a use."""
        if key not in self._entries:
            self.misses += 1
            return default
        self.hits += 1
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def put(self, key, value):
        """Store a value; the least recently used entry may have to go."""
        if key in self._entries:
            del self._entries[key]
        elif len(self._entries) >= self.capacity:
            self._entries.popitem()
        self._entries[key] = (value, self.now + self.lifetime)

    def keys(self):
        """The keys, from the least to the most recently used."""
        return list(self._entries)

    def hit_rate(self):
        """The part of the look-ups that were successful."""
        lookups = self.hits + self.misses
        return self.hits / lookups if lookups else 0.0


def cached(function, cache):
    """A version of a function of one argument that uses a cache."""
    missing = object()

    def wrapper(argument):
        value = cache.get(argument, missing)
        if value is missing:
            value = function(argument)
            cache.put(argument, value)
        return value

    return wrapper
''',
        wrong="self._entries.popitem()",
        right="self._entries.popitem(last=False)",
        visible=r"""
def test_put_and_get():
    cache = ExpiringCache(2, 10)
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b", 0) == 0
    assert cache.hit_rate() == 0.5

def test_expiry():
    cache = ExpiringCache(5, 3)
    cache.put("a", 1)
    cache.advance(2)
    cache.put("b", 2)
    cache.advance()
    assert cache.keys() == ["b"]

def test_least_recently_used_goes():
    cache = ExpiringCache(2, 10)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]

def test_overwriting():
    cache = ExpiringCache(2, 10)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    assert cache.keys() == ["b", "a"]
    assert len(cache) == 2

def test_cached_function():
    calls = []
    square = cached(lambda x: calls.append(x) or x * x, ExpiringCache(4, 10))
    assert [square(3), square(3), square(2)] == [9, 9, 4]
    assert calls == [3, 2]
""",
        hidden=r"""
import random

def test_against_model():
    rng = random.Random(124)
    for _ in range(150):
        capacity, lifetime = rng.randrange(1, 5), rng.randrange(1, 9)
        cache = ExpiringCache(capacity, lifetime)
        entries, now, hits, looks = [], 0, 0, 0
        for _ in range(100):
            key = rng.choice("abcdefg")
            choice = rng.random()
            if choice < 0.2:
                ticks = rng.randrange(3)
                cache.advance(ticks)
                now += ticks
                entries = [e for e in entries if e[2] > now]
            elif choice < 0.6:
                old = [e for e in entries if e[0] == key]
                looks += 1
                hits += len(old)
                assert cache.get(key) == (old[0][1] if old else None)
                entries = [e for e in entries if e[0] != key] + old
            else:
                value = rng.randrange(100)
                cache.put(key, value)
                entries = [e for e in entries if e[0] != key]
                entries = entries[max(0, len(entries) - capacity + 1):] + [(key, value, now + lifetime)]
            assert cache.keys() == [e[0] for e in entries]
            assert len(cache) == len(entries) <= capacity
            assert cache.hit_rate() == (hits / looks if looks else 0.0)

def test_without_any_look_up():
    for capacity in range(1, 8):
        cache = ExpiringCache(capacity, 100)
        for n in range(30):
            cache.put(n, -n)
            assert cache.keys() == list(range(max(0, n - capacity + 1), n + 1))

def test_cached_calls():
    calls = []
    f = cached(lambda x: calls.append(x) or x + 1, ExpiringCache(3, 100))
    for x in (1, 2, 3, 1, 4, 1, 3, 2, 1):
        assert f(x) == x + 1
    assert calls == [1, 2, 3, 4, 2]

def test_rewriting_renews_the_lifetime():
    cache = ExpiringCache(2, 3)
    cache.put("a", 1)
    cache.advance(2)
    cache.put("a", 2)
    cache.advance(2)
    assert cache.get("a") == 2
    cache.advance(1)
    assert cache.get("a") is None
""",
    ),
    Program(
        name="nested_transactions",
        code=r'''
"""A key-value store with nested transactions."""

_ABSENT = object()


class NoTransaction(Exception):
    """There is no open transaction to commit or to roll back."""


class Store:
    """A stack of layers: the data, and the changes of each open transaction."""

    def __init__(self):
        self._layers = [{}]

    def get(self, key, default=None):
        """The present value of a key, or the default."""
        for layer in reversed(self._layers):
            if key in layer:
                value = layer[key]
                return default if value is _ABSENT else value
        return default

    def __contains__(self, key):
        return self.get(key, _ABSENT) is not _ABSENT

    def set(self, key, value):
        """Give a key a value."""
        self._layers[-1][key] = value

    def delete(self, key):
        """Remove a key; tell whether it was there."""
        present = key in self
        self._layers[-1][key] = _ABSENT
        return present

    def begin(self):
        """Open a transaction inside of those that are open."""
        self._layers.append({})

    def rollback(self):
        """Undo the changes of the innermost transaction, and close it."""
        self._close()

    def commit(self):
        """Close the innermost transaction.

        Its changes become part of the transaction around it, if there is one.
        """
        changes = self._close()
        self._layers[0].update(changes)

    def _close(self):
        if len(self._layers) == 1:
            raise NoTransaction
        return self._layers.pop()

    @property
    def level(self):
        """The number of open transactions."""
        return len(self._layers) - 1

    def snapshot(self):
        """A plain dictionary of all keys and their present values."""
        merged = {}
        for layer in self._layers:
            merged.update(layer)
        return {key: value for key, value in merged.items() if value is not _ABSENT}
''',
        wrong="self._layers[0].update(changes)",
        right="self._layers[-1].update(changes)",
        visible=r"""
def test_plain():
    store = Store()
    store.set("a", 1)
    assert store.get("a") == 1
    assert store.delete("a")
    assert not store.delete("a")
    assert store.get("a", 5) == 5

def test_rollback():
    store = Store()
    store.set("a", 1)
    store.begin()
    store.set("a", 2)
    store.delete("a")
    assert "a" not in store
    store.rollback()
    assert store.get("a") == 1

def test_commit():
    store = Store()
    store.begin()
    store.set("a", 1)
    store.commit()
    assert store.level == 0
    assert store.snapshot() == {"a": 1}

def test_commit_inside_of_rollback():
    store = Store()
    store.begin()
    store.begin()
    store.set("a", 1)
    store.commit()
    assert store.get("a") == 1
    store.rollback()
    assert "a" not in store

def test_no_transaction():
    store = Store()
    for action in (store.commit, store.rollback):
        with pytest.raises(NoTransaction):
            action()
""",
        hidden=r"""
import random

def test_against_saved_copies():
    rng = random.Random(125)
    for _ in range(200):
        store, data, saved = Store(), {}, []
        for _ in range(80):
            key = rng.choice("abcd")
            choice = rng.randrange(8)
            if choice < 2:
                value = rng.choice([None, 0, 1, 2, "x"])
                store.set(key, value)
                data[key] = value
            elif choice == 2:
                assert store.delete(key) == (key in data)
                data.pop(key, None)
            elif choice < 5:
                store.begin()
                saved.append(dict(data))
            elif choice == 5:
                if saved:
                    store.commit()
                    saved.pop()
                else:
                    with pytest.raises(NoTransaction):
                        store.commit()
            elif choice == 6:
                if saved:
                    store.rollback()
                    data = saved.pop()
                else:
                    with pytest.raises(NoTransaction):
                        store.rollback()
            assert store.snapshot() == data
            assert store.level == len(saved)
            for k in "abcd":
                assert (k in store) == (k in data)
                assert store.get(k, "none") == data.get(k, "none")

def test_inner_value_wins_after_commit():
    for depth in range(2, 8):
        store = Store()
        for n in range(depth):
            store.begin()
            store.set("k", n)
        for n in range(depth):
            store.commit()
            assert store.get("k") == depth - 1
        assert store.snapshot() == {"k": depth - 1}

def test_deletion_in_an_inner_transaction():
    store = Store()
    store.set("a", 1)
    store.begin()
    store.set("a", 2)
    store.begin()
    store.delete("a")
    store.commit()
    assert "a" not in store
    store.rollback()
    assert store.snapshot() == {"a": 1}
    store.begin()
    store.begin()
    store.delete("a")
    store.commit()
    store.commit()
    assert store.snapshot() == {}
""",
    ),
    Program(
        name="counter_queue_simulation",
        code=r'''
"""Simulation of a queue in front of several counters."""

import heapq
from dataclasses import dataclass


@dataclass(frozen=True)
class Visit:
    """What became of a customer."""

    arrival: int
    start: int
    end: int

    @property
    def waited(self):
        """How long the customer stood in the queue."""
        return self.start - self.arrival


class Bank:
    """Counters that serve customers in the order of their arrival."""

    def __init__(self, counters):
        if counters < 1:
            raise ValueError("at least one counter is needed")
        self._free_at = [0] * counters
        self.visits = []

    def serve(self, arrival, duration):
        """Serve the next customer, who arrives not before the last one."""
        if self.visits and arrival < self.visits[-1].arrival:
            raise ValueError("customers must be in order of arrival")
        free = heapq.heappop(self._free_at)
        start = max(arrival, free)
        heapq.heappush(self._free_at, arrival + duration)
        visit = Visit(arrival, start, start + duration)
        self.visits.append(visit)
        return visit

    def average_wait(self):
        """The mean of the waiting times."""
        if not self.visits:
            return 0.0
        return sum(visit.waited for visit in self.visits) / len(self.visits)

    def longest_queue(self):
        """The largest number of people who waited at the same time."""
        changes = []
        for visit in self.visits:
            if visit.waited > 0:
                changes.append((visit.arrival, 1))
                changes.append((visit.start, -1))
        longest = waiting = 0
        for _, change in sorted(changes):
            waiting += change
            longest = max(longest, waiting)
        return longest


def simulate(counters, customers):
    """The bank after serving customers, pairs of arrival and duration."""
    bank = Bank(counters)
    for arrival, duration in sorted(customers):
        bank.serve(arrival, duration)
    return bank
''',
        wrong="heapq.heappush(self._free_at, arrival + duration)",
        right="heapq.heappush(self._free_at, start + duration)",
        visible=r"""
def test_no_waiting():
    bank = simulate(2, [(0, 5), (1, 5), (7, 2)])
    assert [visit.waited for visit in bank.visits] == [0, 0, 0]
    assert bank.longest_queue() == 0

def test_one_waits():
    bank = simulate(1, [(0, 5), (2, 4)])
    assert bank.visits[1] == Visit(2, 5, 9)
    assert bank.average_wait() == 1.5

def test_three_in_a_row():
    bank = simulate(1, [(0, 5), (1, 5), (2, 5)])
    assert [visit.start for visit in bank.visits] == [0, 5, 10]
    assert bank.longest_queue() == 2

def test_two_counters():
    bank = simulate(2, [(0, 4), (0, 6), (1, 3), (2, 1), (3, 2)])
    assert [visit.start for visit in bank.visits] == [0, 0, 4, 6, 7]

def test_errors():
    with pytest.raises(ValueError):
        Bank(0)
    bank = simulate(1, [(5, 1)])
    with pytest.raises(ValueError):
        bank.serve(4, 1)
""",
        hidden=r'''
import random

def random_customers(rng):
    return sorted((rng.randrange(40), rng.randrange(1, 9)) for _ in range(rng.randrange(25)))

def tick_by_tick(counters, customers):
    """The starts, found by letting the clock run."""
    busy, queue, starts = [0] * counters, list(customers), []
    now = 0
    while queue:
        for i in range(counters):
            if busy[i] <= now and queue and queue[0][0] <= now:
                starts.append(now)
                busy[i] = now + queue.pop(0)[1]
        now += 1
    return starts

def test_against_a_clock():
    rng = random.Random(126)
    for _ in range(400):
        counters, customers = rng.randrange(1, 5), random_customers(rng)
        visits = simulate(counters, customers).visits
        assert [v.start for v in visits] == tick_by_tick(counters, customers)
        assert [(v.arrival, v.end - v.start) for v in visits] == customers

def test_never_more_served_than_counters():
    rng = random.Random(127)
    for _ in range(200):
        counters, customers = rng.randrange(1, 4), random_customers(rng)
        bank = simulate(counters, customers)
        for t in range(250):
            assert sum(v.start <= t < v.end for v in bank.visits) <= counters
        queue = max((sum(v.arrival <= t < v.start for v in bank.visits) for t in range(250)), default=0)
        assert bank.longest_queue() == queue
        if customers:
            assert bank.average_wait() == sum(v.start - v.arrival for v in bank.visits) / len(customers)

def test_single_counter_formula():
    for gap in range(1, 6):
        for duration in range(1, 9):
            bank = simulate(1, [(i * gap, duration) for i in range(12)])
            assert [v.waited for v in bank.visits] == [i * max(0, duration - gap) for i in range(12)]
''',
    ),
    Program(
        name="tennis_scoreboard",
        code=r'''
"""The scoreboard of a tennis match without tie-breaks in the points."""

NAMES = ("love", "15", "30", "40")


class Match:
    """A match of two players, 0 and 1, over a number of sets to be won."""

    def __init__(self, sets_to_win=2):
        self.sets_to_win = sets_to_win
        self.points = [0, 0]
        self.games = [0, 0]
        self.sets = []

    def sets_won(self, player):
        """How many sets a player has won."""
        return sum(games[player] > games[1 - player] for games in self.sets)

    @property
    def winner(self):
        """The player who has won the match, or None."""
        for player in (0, 1):
            if self.sets_won(player) == self.sets_to_win:
                return player
        return None

    def point(self, player):
        """Record a point for a player."""
        if self.winner is not None:
            raise RuntimeError("the match is over")
        self.points[player] += 1
        won, lost = self.points[player], self.points[1 - player]
        if won >= 4 and won - lost >= 2:
            self._game(player)

    def _game(self, player):
        self.points[0] = self.points[1] = 0
        self.games[player] += 1
        won, lost = self.games[player], self.games[1 - player]
        if won >= 6 and won - lost >= 2 or won == 7:
            self.sets.append(self.games)
            self.games[0] = self.games[1] = 0

    def play(self, players):
        """Record the points of a sequence of players."""
        for player in players:
            self.point(player)

    def point_score(self):
        """The score of the game, such as "30-love", "deuce" or "advantage 1"."""
        a, b = self.points
        if min(a, b) >= 3:
            if a == b:
                return "deuce"
            return "advantage " + ("0" if a > b else "1")
        return NAMES[a] + "-" + NAMES[b]

    def summary(self):
        """The sets, and then the games of the set that is being played."""
        scores = [f"{a}-{b}" for a, b in self.sets]
        if self.winner is None:
            scores.append(f"{self.games[0]}-{self.games[1]}")
        return " ".join(scores)
''',
        wrong="self.sets.append(self.games)",
        right="self.sets.append(tuple(self.games))",
        visible=r"""
def play_games(match, *players):
    for player in players:
        match.play([player] * 4)

def test_points():
    match = Match()
    assert match.point_score() == "love-love"
    match.play([0, 0, 1])
    assert match.point_score() == "30-15"

def test_deuce():
    match = Match()
    match.play([0, 1, 0, 1, 0, 1])
    assert match.point_score() == "deuce"
    match.point(1)
    assert match.point_score() == "advantage 1"
    match.point(0)
    assert match.point_score() == "deuce"

def test_game():
    match = Match()
    match.play([1, 1, 1, 1])
    assert match.games == [0, 1]
    assert match.point_score() == "love-love"

def test_set():
    match = Match()
    play_games(match, 0, 0, 0, 0, 0, 1, 0)
    assert match.sets_won(0) == 1
    assert match.summary() == "6-1 0-0"

def test_match():
    match = Match()
    play_games(match, *[1] * 12)
    assert match.winner == 1
    assert match.summary() == "0-6 0-6"
    with pytest.raises(RuntimeError):
        match.point(0)
""",
        hidden=r"""
import random

def reference(points, need):
    sets, games, score = [], (0, 0), (0, 0)
    for p in points:
        score = (score[0] + (p == 0), score[1] + (p == 1))
        if max(score) >= 4 and abs(score[0] - score[1]) >= 2:
            games, score = (games[0] + (p == 0), games[1] + (p == 1)), (0, 0)
            if max(games) >= 6 and abs(games[0] - games[1]) >= 2 or max(games) == 7:
                sets, games = sets + [games], (0, 0)
    return sets, games, score

def test_random_matches():
    rng = random.Random(128)
    for _ in range(150):
        need, bias = rng.choice([1, 2, 3]), rng.choice([0.3, 0.5, 0.55])
        match, played = Match(need), []
        while match.winner is None and len(played) < 2000:
            p = int(rng.random() < bias)
            match.point(p)
            played.append(p)
            if len(played) % 7 == 0:
                sets, games, score = reference(played, need)
                assert [tuple(s) for s in match.sets] == sets
                assert tuple(match.games) == games and tuple(match.points) == score
        sets, games, score = reference(played, need)
        assert [tuple(s) for s in match.sets] == sets
        assert match.winner is not None
        wins = [sum(a > b for a, b in sets), sum(a < b for a, b in sets)]
        assert wins[match.winner] == need and wins[1 - match.winner] < need
        assert [match.sets_won(0), match.sets_won(1)] == wins
        assert match.summary() == " ".join("%d-%d" % s for s in sets)

def test_recorded_sets_do_not_change():
    match = Match(3)
    match.play([0] * 24)
    match.play([1] * 24)
    match.play([0] * 8)
    assert match.summary() == "6-0 0-6 2-0"
    match.play([1] * 24)
    assert match.summary() == "6-0 0-6 2-6 0-0"
    assert match.games == [0, 0] and match.winner is None

def test_close_sets():
    match = Match(2)
    for _ in range(5):
        match.play([0] * 4 + [1] * 4)
    match.play([0] * 4)
    assert match.summary() == "6-5"
    match.play([1] * 4)
    assert match.summary() == "6-6"
    match.play([1] * 4)
    assert match.summary() == "6-7 0-0"
    assert match.sets_won(1) == 1 and match.sets_won(0) == 0

def test_two_matches_are_independent():
    first, second = Match(1), Match(1)
    first.play([0] * 24)
    assert first.winner == 0 and second.winner is None
    assert second.summary() == "0-0" and first.summary() == "6-0"
""",
    ),
)
