"""Programs of data structures."""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="ring_buffer",
        code='''\
class RingBuffer:
    """Keeps the newest items, at most `capacity` of them."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.slots = [None] * capacity
        self.start = 0
        self.size = 0

    def push(self, item):
        end = (self.start + self.size) % self.capacity
        self.slots[end] = item
        if self.size < self.capacity:
            self.size += 1
        else:
            self.start = self.start + 1

    def items(self):
        return [self.slots[(self.start + i) % self.capacity] for i in range(self.size)]

    def oldest(self):
        if self.size == 0:
            raise IndexError("empty")
        return self.slots[self.start]
''',
        wrong="self.start = self.start + 1",
        right="self.start = (self.start + 1) % self.capacity",
        visible="""\
def test_keeps_what_fits():
    ring = RingBuffer(3)
    ring.push(1)
    ring.push(2)
    assert ring.items() == [1, 2]
    assert ring.oldest() == 1


def test_drops_the_oldest():
    ring = RingBuffer(2)
    for n in range(3):
        ring.push(n)
    assert ring.items() == [1, 2]
    assert ring.oldest() == 1


def test_wraps_around():
    ring = RingBuffer(3)
    for n in range(9):
        ring.push(n)
    assert ring.items() == [6, 7, 8]
    assert ring.oldest() == 6


def test_empty():
    with pytest.raises(IndexError):
        RingBuffer(1).oldest()
""",
        hidden="""\
def test_many():
    ring = RingBuffer(4)
    for n in range(50):
        ring.push(n)
        assert ring.oldest() == max(0, n - 3)
        assert ring.items() == list(range(max(0, n - 3), n + 1))


def test_one():
    ring = RingBuffer(1)
    ring.push("a")
    ring.push("b")
    ring.push("c")
    assert ring.oldest() == "c"
""",
    ),
    Program(
        name="linked_list",
        code="""\
class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


class LinkedList:
    def __init__(self, values=()):
        self.head = None
        for value in reversed(list(values)):
            self.head = Node(value, self.head)

    def __iter__(self):
        node = self.head
        while node is not None:
            yield node.value
            node = node.next

    def remove(self, value):
        previous = None
        node = self.head
        while node is not None:
            if node.value == value:
                if previous is None:
                    self.head = node.next
                else:
                    previous.next = node
                return True
            previous, node = node, node.next
        return False

    def reverse(self):
        previous = None
        node = self.head
        while node is not None:
            node.next, previous, node = previous, node, node.next
        self.head = previous
""",
        wrong="previous.next = node\n",
        right="previous.next = node.next\n",
        visible="""\
def test_iterates():
    assert list(LinkedList([1, 2, 3])) == [1, 2, 3]


def test_removes_the_head():
    values = LinkedList([1, 2, 3])
    assert values.remove(1)
    assert list(values) == [2, 3]


def test_removes_in_the_middle():
    values = LinkedList([1, 2, 3])
    assert values.remove(2)
    assert list(values) == [1, 3]


def test_removes_what_is_not_there():
    values = LinkedList([1])
    assert not values.remove(9)
    assert list(values) == [1]


def test_reverses():
    values = LinkedList([1, 2, 3])
    values.reverse()
    assert list(values) == [3, 2, 1]
""",
        hidden="""\
def test_removes_the_last():
    values = LinkedList([1, 2, 3, 4])
    assert values.remove(4)
    assert list(values) == [1, 2, 3]


def test_removes_only_the_first_of_equals():
    values = LinkedList([5, 1, 2, 1, 7])
    assert values.remove(1)
    assert list(values) == [5, 2, 1, 7]
    assert values.remove(1)
    assert list(values) == [5, 2, 7]
""",
    ),
    Program(
        name="min_heap",
        code="""\
class MinHeap:
    def __init__(self):
        self._items = []

    def __len__(self):
        return len(self._items)

    def push(self, item):
        self._items.append(item)
        child = len(self._items) - 1
        while child > 0:
            parent = (child - 1) // 2
            if self._items[parent] <= self._items[child]:
                break
            self._swap(parent, child)
            child = parent

    def pop(self):
        if not self._items:
            raise IndexError("pop from an empty heap")
        self._swap(0, len(self._items) - 1)
        item = self._items.pop()
        self._sink(0)
        return item

    def _sink(self, parent):
        size = len(self._items)
        while True:
            smallest = parent
            for child in (2 * parent + 1, 2 * parent + 2):
                if child < size and self._items[child] < self._items[parent]:
                    smallest = child
            if smallest == parent:
                return
            self._swap(parent, smallest)
            parent = smallest

    def _swap(self, i, j):
        self._items[i], self._items[j] = self._items[j], self._items[i]
""",
        wrong="self._items[child] < self._items[parent]:",
        right="self._items[child] < self._items[smallest]:",
        visible="""\
def drain(values):
    heap = MinHeap()
    for value in values:
        heap.push(value)
    return [heap.pop() for _ in range(len(heap))]


def test_one():
    assert drain([4]) == [4]


def test_two():
    assert drain([2, 1]) == [1, 2]


def test_sorted():
    assert drain([1, 2, 3, 4, 5, 6]) == [1, 2, 3, 4, 5, 6]


def test_mixed():
    assert drain([5, 3, 8, 1, 9, 2, 7]) == [1, 2, 3, 5, 7, 8, 9]


def test_empty():
    with pytest.raises(IndexError):
        MinHeap().pop()
""",
        hidden="""\
def drain(values):
    heap = MinHeap()
    for value in values:
        heap.push(value)
    return [heap.pop() for _ in range(len(heap))]


def test_repeats():
    assert drain([2, 2, 1, 1, 3, 3]) == [1, 1, 2, 2, 3, 3]


def test_many():
    values = [(n * 37) % 101 for n in range(101)]
    assert drain(values) == sorted(values)
""",
    ),
    Program(
        name="lru_cache",
        code='''\
from collections import OrderedDict


class LRUCache:
    """Maps keys to values and forgets the least recently used."""

    def __init__(self, limit):
        if limit < 1:
            raise ValueError("limit must be positive")
        self.limit = limit
        self._data = OrderedDict()

    def get(self, key, default=None):
        if key not in self._data:
            return default
        self._data.move_to_end(key)
        return self._data[key]

    def put(self, key, value):
        if key in self._data:
            self._data.move_to_end(key)
        self._data[key] = value
        if len(self._data) > self.limit:
            self._data.popitem()

    def keys(self):
        return list(self._data)
''',
        wrong="self._data.popitem()",
        right="self._data.popitem(last=False)",
        visible="""\
def test_remembers():
    cache = LRUCache(2)
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b", 0) == 0


def test_forgets_the_oldest():
    cache = LRUCache(2)
    for key in "abc":
        cache.put(key, key.upper())
    assert cache.get("a") is None
    assert cache.get("c") == "C"


def test_use_keeps_alive():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]


def test_limit():
    with pytest.raises(ValueError):
        LRUCache(0)
""",
        hidden="""\
def test_update_counts_as_use():
    cache = LRUCache(3)
    for key in "abc":
        cache.put(key, 1)
    cache.put("a", 2)
    cache.put("d", 1)
    assert cache.keys() == ["c", "a", "d"]
    assert cache.get("a") == 2


def test_one():
    cache = LRUCache(1)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.keys() == ["b"]
""",
    ),
    Program(
        name="matrix",
        code="""\
def zeros(rows, columns):
    return [[0] * columns] * rows


def identity(size):
    result = zeros(size, size)
    for i in range(size):
        result[i][i] = 1
    return result


def multiply(a, b):
    if len(a[0]) != len(b):
        raise ValueError("shapes do not fit")
    result = zeros(len(a), len(b[0]))
    for i, row in enumerate(a):
        for j in range(len(b[0])):
            result[i][j] = sum(row[k] * b[k][j] for k in range(len(b)))
    return result
""",
        wrong="[[0] * columns] * rows",
        right="[[0] * columns for _ in range(rows)]",
        visible="""\
def test_zeros():
    assert zeros(2, 3) == [[0, 0, 0], [0, 0, 0]]


def test_identity():
    assert identity(1) == [[1]]
    assert identity(2) == [[1, 0], [0, 1]]


def test_multiply():
    assert multiply([[1, 2], [3, 4]], [[0, 1], [1, 0]]) == [[2, 1], [4, 3]]


def test_shapes():
    with pytest.raises(ValueError):
        multiply([[1, 2]], [[1, 2]])
""",
        hidden="""\
def test_identity_of_three():
    assert identity(3) == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_multiply_shapes():
    assert multiply([[1], [2], [3]], [[4, 5]]) == [[4, 5], [8, 10], [12, 15]]
    assert multiply([[1, 2, 3], [4, 5, 6]], [[1], [0], [2]]) == [[7], [16]]
""",
    ),
    Program(
        name="trie",
        code="""\
class Trie:
    def __init__(self):
        self.children = {}
        self.ends_word = False

    def add(self, word):
        node = self
        for letter in word:
            node = node.children.setdefault(letter, Trie())
        node.ends_word = True

    def _find(self, prefix):
        node = self
        for letter in prefix:
            if letter not in node.children:
                return None
            node = node.children[letter]
        return node

    def __contains__(self, word):
        node = self._find(word)
        return node is not None

    def starting_with(self, prefix):
        node = self._find(prefix)
        if node is None:
            return []
        found = [prefix] if node.ends_word else []
        for letter in sorted(node.children):
            found.extend(self.starting_with(prefix + letter))
        return found
""",
        wrong="return node is not None\n",
        right="return node is not None and node.ends_word\n",
        visible="""\
def words():
    trie = Trie()
    for word in ("car", "cart", "dog"):
        trie.add(word)
    return trie


def test_contains():
    assert "car" in words()
    assert "dog" in words()


def test_contains_no_prefix():
    assert "ca" not in words()


def test_contains_no_other_word():
    assert "cat" not in words()
    assert "cow" not in words()


def test_starting_with():
    assert words().starting_with("ca") == ["car", "cart"]
    assert words().starting_with("x") == []
""",
        hidden="""\
def test_more():
    trie = Trie()
    trie.add("banana")
    assert "banana" in trie
    assert "ban" not in trie
    assert "" not in trie
    assert "bananas" not in trie
    trie.add("")
    assert "" in trie


def test_leaf_and_inner():
    trie = Trie()
    trie.add("to")
    trie.add("tote")
    assert "to" in trie
    assert "tot" not in trie
    assert "tote" in trie
""",
    ),
    Program(
        name="interval_set",
        code='''\
def merge(intervals):
    """Return the union of closed intervals, sorted and disjoint."""
    merged = []
    for low, high in sorted(intervals):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return merged


def covers(intervals, point):
    return any(low <= point <= high for low, high in merge(intervals))


def total_length(intervals):
    return sum(high - low for low, high in merge(intervals))
''',
        wrong="(merged[-1][0], high)",
        right="(merged[-1][0], max(merged[-1][1], high))",
        visible="""\
def test_disjoint():
    assert merge([(5, 6), (1, 2)]) == [(1, 2), (5, 6)]


def test_overlapping():
    assert merge([(1, 4), (3, 7)]) == [(1, 7)]


def test_nested():
    assert merge([(1, 10), (2, 3)]) == [(1, 10)]
    assert total_length([(0, 9), (1, 2), (4, 5)]) == 9


def test_covers():
    assert covers([(1, 2), (4, 6)], 5)
    assert not covers([(1, 2), (4, 6)], 3)
""",
        hidden="""\
def test_nested_then_overlapping():
    assert merge([(1, 10), (2, 3), (9, 12), (20, 21)]) == [(1, 12), (20, 21)]


def test_touching():
    assert merge([(1, 2), (2, 3)]) == [(1, 3)]
    assert covers([(1, 10), (2, 3)], 7)


def test_same_start():
    assert merge([(1, 3), (1, 9), (1, 5)]) == [(1, 9)]
""",
    ),
)
