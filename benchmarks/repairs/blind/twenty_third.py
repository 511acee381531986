"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="ring_buffer_of_recent_values",
        code=r'''"""A buffer that remembers the most recent values."""


class RingBuffer:
    """Keeps the last `capacity` values pushed, oldest first; older ones are overwritten."""

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self._slots = [None] * capacity
        self._start = 0
        self._size = 0

    def push(self, value):
        """Add a value; when the buffer is full, the oldest one is lost."""
        end = (self._start + self._size) % len(self._slots)
        self._slots[end] = value
        if self._size < len(self._slots):
            self._size += 1
        else:
            self._start = self._next(self._start)

    def pop(self):
        """Remove and return the oldest value; IndexError when there is none."""
        if self._size == 0:
            raise IndexError("buffer is empty")
        value = self._slots[self._start]
        self._slots[self._start] = None
        self._start = self._next(self._start)
        self._size -= 1
        return value

    def _next(self, index):
        return (index + 1) % self._size

    def __len__(self):
        return self._size

    def __iter__(self):
        for offset in range(self._size):
            yield self._slots[(self._start + offset) % len(self._slots)]
''',
        wrong="(index + 1) % self._size",
        right="(index + 1) % len(self._slots)",
        visible=r"""
def test_push_keeps_order():
    b = RingBuffer(3)
    b.push(1)
    b.push(2)
    assert list(b) == [1, 2]
    assert len(b) == 2


def test_overwrites_oldest():
    b = RingBuffer(3)
    for n in range(5):
        b.push(n)
    assert list(b) == [2, 3, 4]
    assert len(b) == 3


def test_pop_returns_oldest_first():
    b = RingBuffer(3)
    for n in "abc":
        b.push(n)
    assert b.pop() == "a"
    assert b.pop() == "b"
    assert b.pop() == "c"
    assert len(b) == 0


def test_empty():
    b = RingBuffer(2)
    assert list(b) == []
    with pytest.raises(IndexError):
        b.pop()


def test_bad_capacity():
    with pytest.raises(ValueError):
        RingBuffer(0)
""",
        hidden=r"""
def test_push_and_pop_like_a_bounded_list():
    for capacity in range(1, 6):
        b = RingBuffer(capacity)
        model = []
        for step, action in enumerate("++-+++-+--+++++-++---+-++++++----+"):
            if action == "+":
                b.push(step)
                model = (model + [step])[-capacity:]
            elif model:
                assert b.pop() == model.pop(0)
            else:
                with pytest.raises(IndexError):
                    b.pop()
            assert list(b) == model
            assert len(b) == len(model)


def test_pop_some_then_push():
    b = RingBuffer(4)
    for n in range(4):
        b.push(n)
    assert [b.pop(), b.pop(), b.pop()] == [0, 1, 2]
    b.push(10)
    b.push(11)
    assert list(b) == [3, 10, 11]
    b.push(12)
    b.push(13)
    assert list(b) == [10, 11, 12, 13]


def test_drained_buffer_can_be_used_again():
    b = RingBuffer(5)
    for round_ in range(7):
        b.push(round_)
        b.push(-round_)
        assert b.pop() == round_
        assert b.pop() == -round_
        assert list(b) == []


def test_capacity_one():
    b = RingBuffer(1)
    b.push("x")
    b.push("y")
    assert list(b) == ["y"]
    assert b.pop() == "y"
    b.push("z")
    assert b.pop() == "z"


def test_overwrite_full_many_times():
    b = RingBuffer(4)
    for n in range(23):
        b.push(n)
    assert list(b) == [19, 20, 21, 22]
    assert b.pop() == 19
    assert list(b) == [20, 21, 22]
""",
    ),
    Program(
        name="binary_min_heap",
        code=r'''"""A binary heap in a list."""


class MinHeap:
    """A heap: `pop` always removes the smallest item."""

    def __init__(self, items=()):
        self._items = list(items)
        for index in reversed(range(len(self._items) // 2)):
            self._sift_down(index)

    def __len__(self):
        return len(self._items)

    def peek(self):
        """The smallest item, which stays in the heap."""
        return self._items[0]

    def push(self, item):
        """Put an item into the heap."""
        self._items.append(item)
        index = len(self._items) - 1
        while index > 0:
            parent = (index - 1) // 2
            if self._items[parent] <= self._items[index]:
                break
            self._swap(parent, index)
            index = parent

    def pop(self):
        """Remove and return the smallest item; IndexError when the heap is empty."""
        self._swap(0, -1)
        smallest = self._items.pop()
        self._sift_down(0)
        return smallest

    def _sift_down(self, index):
        while True:
            least = index
            for child in (2 * index + 1, 2 * index + 2):
                if child < len(self._items) and self._items[child] < self._items[index]:
                    least = child
            if least == index:
                return
            self._swap(least, index)
            index = least

    def _swap(self, a, b):
        self._items[a], self._items[b] = self._items[b], self._items[a]
''',
        wrong="self._items[child] < self._items[index]",
        right="self._items[child] < self._items[least]",
        visible=r"""
def test_push_and_peek():
    h = MinHeap()
    for n in (5, 3, 8, 1):
        h.push(n)
    assert h.peek() == 1
    assert len(h) == 4


def test_pop_three():
    h = MinHeap([2, 3, 1])
    assert h.pop() == 1
    assert h.pop() == 2
    assert h.pop() == 3


def test_pops_sorted():
    h = MinHeap()
    for n in (9, 4, 7, 1, 8, 2, 5):
        h.push(n)
    assert [h.pop() for _ in range(7)] == [1, 2, 4, 5, 7, 8, 9]
    assert len(h) == 0


def test_pop_empty():
    with pytest.raises(IndexError):
        MinHeap().pop()


def test_heapify_keeps_items():
    h = MinHeap([4, 1])
    assert h.peek() == 1
    assert len(h) == 2
""",
        hidden=r"""
import itertools


def drain(heap):
    return [heap.pop() for _ in range(len(heap))]


def test_all_orders_heapified():
    for size in range(1, 7):
        for order in itertools.permutations(range(size)):
            assert drain(MinHeap(order)) == list(range(size))


def test_all_orders_pushed():
    for order in itertools.permutations("abcdef"):
        h = MinHeap()
        for item in order:
            h.push(item)
        assert drain(h) == list("abcdef")


def test_equal_items():
    assert drain(MinHeap([3, 1, 3, 1, 2, 2, 1])) == [1, 1, 1, 2, 2, 3, 3]
    assert drain(MinHeap([0] * 9)) == [0] * 9


def test_mixed_use():
    h = MinHeap([50, 20, 40, 10, 30])
    assert h.pop() == 10
    h.push(5)
    h.push(45)
    assert h.peek() == 5
    assert drain(h) == [5, 20, 30, 40, 45, 50]
    with pytest.raises(IndexError):
        h.pop()


def test_argument_is_not_changed():
    source = [3, 2, 1]
    h = MinHeap(source)
    h.pop()
    assert source == [3, 2, 1]
    assert len(h) == 2
""",
    ),
    Program(
        name="linked_list_with_tail",
        code=r'''"""A singly linked list that can append quickly."""


class Node:
    def __init__(self, value, following=None):
        self.value = value
        self.following = following


class LinkedList:
    """A linked list that knows its first and its last node."""

    def __init__(self, values=()):
        self._head = self._tail = None
        for value in values:
            self.append(value)

    def append(self, value):
        """Add a value at the end."""
        node = Node(value)
        if self._head is None:
            self._head = node
        else:
            self._tail.following = node
        self._tail = node

    def remove(self, value):
        """Remove the first node with this value; ValueError when there is none."""
        previous, node = None, self._head
        while node is not None and node.value != value:
            previous, node = node, node.following
        if node is None:
            raise ValueError(f"{value!r} is not in the list")
        if previous is None:
            self._head = node.following
        else:
            previous.following = node.following
        if node.following is None:
            self._tail = node

    def last(self):
        """The last value, None when the list is empty."""
        return self._tail.value if self._tail else None

    def __iter__(self):
        node = self._head
        while node is not None:
            yield node.value
            node = node.following
''',
        wrong="            self._tail = node",
        right="            self._tail = previous",
        visible=r"""
def test_append():
    items = LinkedList([1, 2])
    items.append(3)
    assert list(items) == [1, 2, 3]
    assert items.last() == 3


def test_remove_first_and_middle():
    items = LinkedList("abcd")
    items.remove("a")
    assert list(items) == ["b", "c", "d"]
    items.remove("c")
    assert list(items) == ["b", "d"]
    assert items.last() == "d"


def test_remove_last_then_append():
    items = LinkedList([1, 2, 3])
    items.remove(3)
    assert list(items) == [1, 2]
    items.append(4)
    assert list(items) == [1, 2, 4]


def test_remove_missing():
    items = LinkedList([1])
    with pytest.raises(ValueError):
        items.remove(5)
    assert list(items) == [1]


def test_empty():
    items = LinkedList()
    assert list(items) == []
    assert items.last() is None
""",
        hidden=r"""
def test_last_after_each_removal():
    items = LinkedList("xyz")
    items.remove("z")
    assert items.last() == "y"
    items.remove("y")
    assert items.last() == "x"
    items.remove("x")
    assert items.last() is None
    assert list(items) == []


def test_removing_the_only_value_then_appending():
    items = LinkedList(["only"])
    items.remove("only")
    items.append("new")
    assert list(items) == ["new"]
    assert items.last() == "new"
    items.append("newer")
    assert list(items) == ["new", "newer"]
    assert items.last() == "newer"


def test_against_a_list():
    items, model = LinkedList(), []
    for n in (3, 1, 4, 1, 5, -5, 9, -1, 2, -2, 6, -3, 5, -6, -5, 3):
        if n > 0:
            items.append(n)
            model.append(n)
        else:
            items.remove(-n)
            model.remove(-n)
        assert list(items) == model
        assert items.last() == (model[-1] if model else None)


def test_only_first_match_goes():
    items = LinkedList([1, 2, 1, 2, 1])
    items.remove(1)
    assert list(items) == [2, 1, 2, 1]
    items.remove(2)
    assert list(items) == [1, 2, 1]
    assert items.last() == 1


def test_missing_value_leaves_the_tail():
    items = LinkedList([7, 8])
    with pytest.raises(ValueError):
        items.remove(9)
    items.append(9)
    assert list(items) == [7, 8, 9]
    with pytest.raises(ValueError):
        LinkedList().remove(None)
""",
    ),
    Program(
        name="lru_cache_class",
        code=r'''"""A cache that forgets what has not been used for longest."""

from collections import OrderedDict


class LRUCache:
    """A mapping of at most `capacity` entries.

    Reading or writing an entry makes it the most recently used one. When there
    is no room for a new entry, the least recently used one is dropped.
    """

    def __init__(self, capacity):
        self._capacity = capacity
        self._entries = OrderedDict()

    def get(self, key, default=None):
        """The value of a key, which counts as a use, or the default."""
        if key not in self._entries:
            return default
        self._entries.move_to_end(key)
        return self._entries[key]

    def put(self, key, value):
        """Store a value under a key, dropping another entry when needed."""
        if key in self._entries:
            self._entries.move_to_end(key)
        elif len(self._entries) >= self._capacity:
            self._entries.popitem()
        self._entries[key] = value

    def keys(self):
        """The keys, least recently used first."""
        return list(self._entries)

    def __len__(self):
        return len(self._entries)
''',
        wrong="self._entries.popitem()",
        right="self._entries.popitem(last=False)",
        visible=r"""
def test_put_and_get():
    c = LRUCache(2)
    c.put("a", 1)
    c.put("b", 2)
    assert c.get("a") == 1
    assert c.get("b") == 2
    assert len(c) == 2


def test_default():
    c = LRUCache(2)
    assert c.get("a") is None
    assert c.get("a", 0) == 0


def test_evicts_least_recently_used():
    c = LRUCache(2)
    c.put("a", 1)
    c.put("b", 2)
    c.get("a")
    c.put("c", 3)
    assert c.get("b") is None
    assert c.get("a") == 1
    assert c.get("c") == 3


def test_never_too_large():
    c = LRUCache(3)
    for n in range(10):
        c.put(n, n)
    assert len(c) == 3


def test_overwrite():
    c = LRUCache(2)
    c.put("a", 1)
    c.put("a", 5)
    assert c.get("a") == 5
    assert len(c) == 1
""",
        hidden=r"""
def test_keys_after_overflow():
    c = LRUCache(3)
    for key in "abcde":
        c.put(key, key.upper())
    assert c.keys() == ["c", "d", "e"]
    assert c.get("a") is None
    assert c.get("d") == "D"
    assert c.keys() == ["c", "e", "d"]


def test_overwriting_counts_as_use():
    c = LRUCache(2)
    c.put("a", 1)
    c.put("b", 2)
    c.put("a", 3)
    assert c.keys() == ["b", "a"]
    c.put("c", 4)
    assert c.keys() == ["a", "c"]
    assert c.get("a") == 3


def test_reading_a_missing_key_changes_nothing():
    c = LRUCache(2)
    c.put(1, "one")
    c.put(2, "two")
    assert c.get(3, "none") == "none"
    assert c.keys() == [1, 2]
    c.put(3, "three")
    assert c.keys() == [2, 3]


def test_capacity_one():
    c = LRUCache(1)
    c.put("x", 0)
    c.put("y", 1)
    assert c.keys() == ["y"]
    assert c.get("x", "gone") == "gone"
    c.put("y", 2)
    assert c.get("y") == 2


def test_against_a_list():
    c, model = LRUCache(4), []
    for n in (1, 2, 3, 1, 4, 5, 2, 6, 1, 5, 7, 7, 3, 2, 1, 8):
        c.put(n, n * n)
        model = ([k for k in model if k != n] + [n])[-4:]
        assert c.keys() == model
        assert c.get(n) == n * n
""",
    ),
    Program(
        name="trie_with_removal",
        code=r'''"""A set of words stored letter by letter."""


class Node:
    def __init__(self):
        self.children = {}
        self.is_word = False


class Trie:
    """Words that share their beginnings."""

    def __init__(self, words=()):
        self._root = Node()
        for word in words:
            self.add(word)

    def add(self, word):
        node = self._root
        for letter in word:
            node = node.children.setdefault(letter, Node())
        node.is_word = True

    def _path(self, word):
        """The nodes from the root along the word, as far as they exist."""
        path = [self._root]
        for letter in word:
            if letter not in path[-1].children:
                break
            path.append(path[-1].children[letter])
        return path

    def __contains__(self, word):
        path = self._path(word)
        return len(path) == len(word) + 1 and path[-1].is_word

    def has_prefix(self, prefix):
        """Whether the letters of the prefix are in the trie."""
        return len(self._path(prefix)) == len(prefix) + 1

    def remove(self, word):
        """Remove a word with the nodes that no other word needs; KeyError when absent."""
        if word not in self:
            raise KeyError(word)
        path = self._path(word)
        path[-1].is_word = False
        for depth in range(len(word), 0, -1):
            if path[depth].children:
                break
            del path[depth - 1].children[word[depth - 1]]
''',
        wrong="if path[depth].children:",
        right="if path[depth].children or path[depth].is_word:",
        visible=r"""
def test_contains():
    t = Trie(["car", "card"])
    assert "car" in t
    assert "card" in t
    assert "ca" not in t
    assert "cars" not in t


def test_prefixes():
    t = Trie(["dog"])
    assert t.has_prefix("do")
    assert t.has_prefix("dog")
    assert not t.has_prefix("dogs")


def test_remove_shorter_word():
    t = Trie(["car", "card"])
    t.remove("car")
    assert "car" not in t
    assert "card" in t


def test_remove_longer_word():
    t = Trie(["car", "card"])
    t.remove("card")
    assert "card" not in t
    assert "car" in t
    assert not t.has_prefix("card")


def test_remove_prunes():
    t = Trie(["cat", "dog"])
    t.remove("cat")
    assert not t.has_prefix("c")
    assert "dog" in t


def test_remove_missing():
    t = Trie(["cat"])
    with pytest.raises(KeyError):
        t.remove("ca")
    assert "cat" in t
""",
        hidden=r"""
import itertools

WORDS = ["a", "ab", "abc", "abd", "abcde", "b", "bcd"]


def test_remove_one_of_many():
    for gone in WORDS:
        t = Trie(WORDS)
        t.remove(gone)
        assert gone not in t
        for word in WORDS:
            assert (word in t) == (word != gone), (gone, word)


def test_remove_in_any_order():
    words = ["x", "xy", "xyz", "xyw", "q"]
    for order in itertools.permutations(words):
        t = Trie(words)
        left = set(words)
        for word in order:
            t.remove(word)
            left.discard(word)
            assert {w for w in words if w in t} == left
            for prefix in ("x", "xy", "xyz", "xyw", "q"):
                assert t.has_prefix(prefix) == any(w.startswith(prefix) for w in left)


def test_empty_word():
    t = Trie(["", "go"])
    assert "" in t
    t.remove("go")
    assert "" in t
    assert not t.has_prefix("g")
    t.remove("")
    assert "" not in t
    with pytest.raises(KeyError):
        t.remove("")


def test_removed_word_can_come_back():
    t = Trie(["in", "inner"])
    t.remove("inner")
    with pytest.raises(KeyError):
        t.remove("inner")
    t.add("inn")
    assert "inn" in t and "in" in t and "inner" not in t
    t.remove("in")
    assert "inn" in t and "in" not in t
    assert t.has_prefix("in")
""",
    ),
    Program(
        name="busy_calendar_spans",
        code=r'''"""Busy times as a list of spans (start, end)."""


def merge(spans):
    """Join spans that overlap or touch; the result is sorted."""
    merged = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def total(spans):
    """The time that is covered by at least one span."""
    return sum(end - start for start, end in merge(spans))


def gaps(spans, opening, closing):
    """The free spans between opening and closing time."""
    free = []
    position = opening
    for start, end in merge(spans):
        if position < min(start, closing):
            free.append((position, min(start, closing)))
        position = max(position, end)
    if position < closing:
        free.append((position, closing))
    return free
''',
        wrong="merged[-1] = (merged[-1][0], end)",
        right="merged[-1] = (merged[-1][0], max(merged[-1][1], end))",
        visible=r"""
def test_merge_overlapping():
    assert merge([(1, 4), (3, 6)]) == [(1, 6)]
    assert merge([(8, 9), (1, 2)]) == [(1, 2), (8, 9)]
    assert merge([]) == []


def test_merge_touching():
    assert merge([(1, 2), (2, 3)]) == [(1, 3)]
    assert merge([(2, 3), (1, 2), (5, 6)]) == [(1, 3), (5, 6)]


def test_merge_contained():
    assert merge([(1, 10), (2, 5)]) == [(1, 10)]
    assert merge([(0, 3), (0, 3)]) == [(0, 3)]


def test_total():
    assert total([(1, 4), (3, 6), (10, 11)]) == 6
    assert total([]) == 0


def test_gaps():
    assert gaps([(9, 10), (12, 13)], 8, 17) == [(8, 9), (10, 12), (13, 17)]
    assert gaps([], 8, 17) == [(8, 17)]
    assert gaps([(7, 18)], 8, 17) == []
""",
        hidden=r"""
import itertools


def covered(spans):
    return {n for start, end in spans for n in range(start, end)}


def test_small_sets_of_spans():
    all_spans = [(a, b) for a in range(5) for b in range(a + 1, 6)]
    for chosen in itertools.combinations(all_spans, 3):
        result = merge(reversed(chosen))
        assert covered(result) == covered(chosen)
        assert total(chosen) == len(covered(chosen))
        assert all(first[1] < second[0] for first, second in zip(result, result[1:]))


def test_long_span_over_several():
    assert merge([(0, 20), (1, 2), (3, 4), (19, 25), (21, 22)]) == [(0, 25)]
    assert merge([(0, 9), (1, 2), (8, 10)]) == [(0, 10)]
    assert merge([(0, 9), (1, 2), (5, 6), (12, 13)]) == [(0, 9), (12, 13)]


def test_negative_times():
    assert merge([(-9, -1), (-8, -7)]) == [(-9, -1)]
    assert merge([(-9, -7), (-8, 3)]) == [(-9, 3)]
    assert total([(-5, 5), (-1, 1)]) == 10


def test_gaps_with_contained_meetings():
    assert gaps([(9, 15), (10, 11)], 8, 17) == [(8, 9), (15, 17)]
    assert gaps([(6, 9), (7, 8), (16, 20)], 8, 17) == [(9, 16)]
    assert gaps([(1, 2), (18, 19)], 8, 17) == [(8, 17)]


def test_argument_is_not_changed():
    spans = [(5, 6), (1, 9)]
    assert merge(spans) == [(1, 9)]
    assert spans == [(5, 6), (1, 9)]
""",
    ),
    Program(
        name="stack_with_minimum",
        code=r'''"""A stack that always knows its smallest value."""


class MinStack:
    """A stack with a constant-time minimum."""

    def __init__(self):
        self._values = []
        self._minima = []

    def push(self, value):
        """Put a value on top."""
        self._values.append(value)
        if not self._minima or value < self._minima[-1]:
            self._minima.append(value)

    def pop(self):
        """Remove and return the value on top; IndexError when the stack is empty."""
        if not self._values:
            raise IndexError("the stack is empty")
        value = self._values.pop()
        if value == self._minima[-1]:
            self._minima.pop()
        return value

    def top(self):
        """The value on top; IndexError when the stack is empty."""
        return self._values[-1]

    def minimum(self):
        """The smallest value in the stack; ValueError when the stack is empty."""
        if not self._values:
            raise ValueError("an empty stack has no minimum")
        return self._minima[-1]

    def __len__(self):
        return len(self._values)
''',
        wrong="value < self._minima[-1]",
        right="value <= self._minima[-1]",
        visible=r"""
def test_push_pop():
    s = MinStack()
    s.push(3)
    s.push(7)
    assert s.top() == 7
    assert s.pop() == 7
    assert s.pop() == 3
    assert len(s) == 0


def test_minimum_follows():
    s = MinStack()
    for value, least in ((5, 5), (2, 2), (9, 2), (1, 1)):
        s.push(value)
        assert s.minimum() == least
    s.pop()
    assert s.minimum() == 2
    s.pop()
    s.pop()
    assert s.minimum() == 5


def test_minimum_with_equal_values():
    s = MinStack()
    for value in (4, 2, 2, 6):
        s.push(value)
    s.pop()
    s.pop()
    assert s.minimum() == 2
    s.pop()
    assert s.minimum() == 4


def test_empty():
    s = MinStack()
    with pytest.raises(IndexError):
        s.pop()
    with pytest.raises(IndexError):
        s.top()
    with pytest.raises(ValueError):
        s.minimum()
""",
        hidden=r"""
import itertools


def test_all_short_sequences():
    for values in itertools.product((1, 2, 3), repeat=5):
        s = MinStack()
        for n, value in enumerate(values):
            s.push(value)
            assert s.minimum() == min(values[:n + 1])
        for n in range(5, 0, -1):
            assert len(s) == n
            assert s.minimum() == min(values[:n])
            assert s.top() == values[n - 1]
            assert s.pop() == values[n - 1]
        with pytest.raises(ValueError):
            s.minimum()


def test_same_value_many_times():
    s = MinStack()
    for _ in range(4):
        s.push(0)
    for _ in range(3):
        assert s.pop() == 0
        assert s.minimum() == 0
    assert s.pop() == 0
    with pytest.raises(IndexError):
        s.pop()


def test_mixed_pushes_and_pops():
    s, model = MinStack(), []
    for step in (5, 5, None, 3, 8, 3, None, None, 3, 1, 1, None, None, None, 4):
        if step is None:
            assert s.pop() == model.pop()
        else:
            s.push(step)
            model.append(step)
        assert s.minimum() == min(model)
        assert s.top() == model[-1]


def test_words():
    s = MinStack()
    for word in ("pear", "apple", "fig", "apple"):
        s.push(word)
    s.pop()
    assert s.minimum() == "apple"
    s.pop()
    s.pop()
    assert s.minimum() == "pear"
""",
    ),
    Program(
        name="flatten_to_depth",
        code=r'''"""Nested lists."""


def flatten(items, depth=None):
    """Replace lists in a list by their items.

    With a depth, only that many levels are opened: depth 0 changes nothing,
    depth 1 opens the lists in the list, and so on. Without one, all are opened.
    """
    flat = []
    for item in items:
        if not isinstance(item, list) or depth == 0:
            flat.append(item)
        elif depth is None:
            flat.extend(flatten(item))
        else:
            flat.append(flatten(item, depth - 1))
    return flat


def nesting(items):
    """How deep lists are nested: 1 for a list without lists in it."""
    return 1 + max((nesting(item) for item in items if isinstance(item, list)), default=0)


def count_leaves(items):
    """How many items are not lists, at all levels."""
    return sum(count_leaves(item) if isinstance(item, list) else 1 for item in items)
''',
        wrong="flat.append(flatten(item, depth - 1))",
        right="flat.extend(flatten(item, depth - 1))",
        visible=r"""
def test_flatten_completely():
    assert flatten([1, [2, [3, [4]]], 5]) == [1, 2, 3, 4, 5]
    assert flatten([]) == []
    assert flatten([[], [[]]]) == []


def test_depth_zero():
    assert flatten([1, [2, [3]]], 0) == [1, [2, [3]]]
    assert flatten([], 0) == []


def test_depth_one():
    assert flatten([1, [2, [3]]], 1) == [1, 2, [3]]
    assert flatten([1, 2], 1) == [1, 2]


def test_nesting():
    assert nesting([]) == 1
    assert nesting([1, [2], [[3]]]) == 3


def test_count_leaves():
    assert count_leaves([1, [2, [3, 4]], []]) == 4
    assert count_leaves([]) == 0
""",
        hidden=r"""
DEEP = [1, [2, [3, [4, [5]]]], [[[6]], 7], []]


def test_each_depth():
    assert flatten(DEEP, 0) == DEEP
    assert flatten(DEEP, 1) == [1, 2, [3, [4, [5]]], [[6]], 7]
    assert flatten(DEEP, 2) == [1, 2, 3, [4, [5]], [6], 7]
    assert flatten(DEEP, 3) == [1, 2, 3, 4, [5], 6, 7]
    assert flatten(DEEP, 4) == [1, 2, 3, 4, 5, 6, 7]
    assert flatten(DEEP, 9) == [1, 2, 3, 4, 5, 6, 7]


def test_depths_add_up():
    for first in range(4):
        for second in range(4):
            assert flatten(flatten(DEEP, first), second) == flatten(DEEP, first + second)


def test_empty_lists_vanish():
    assert flatten([[], [], 1, [[]]], 1) == [1, []]
    assert flatten([[], [[]], [[[]]]], 2) == [[]]


def test_other_items_stay():
    assert flatten(["ab", ("c", ["d"]), ["ef", {}]], 2) == ["ab", ("c", ["d"]), "ef", {}]
    assert flatten([None, [None]], 1) == [None, None]


def test_argument_is_not_changed():
    items = [1, [2, [3]]]
    flatten(items, 1)
    flatten(items)
    assert items == [1, [2, [3]]]


def test_depth_and_leaves():
    assert nesting(flatten(DEEP, 2)) == nesting(DEEP) - 2
    assert count_leaves(flatten(DEEP, 2)) == count_leaves(DEEP) == len(flatten(DEEP))
""",
    ),
    Program(
        name="ways_to_pay_with_coins",
        code=r'''"""Paying an amount with coins."""


def payments(coins, amount):
    """All ways to pay the amount exactly.

    Each kind of coin may be used any number of times. A way is a list of coins
    in ascending order; the ways are sorted. Amount 0 is paid by no coin at all.
    """
    kinds = sorted(set(coins))
    if any(coin <= 0 for coin in kinds):
        raise ValueError("coins must be positive")
    found = []
    _search(kinds, 0, amount, [], found)
    return found


def _search(kinds, first, remaining, chosen, found):
    if remaining == 0:
        found.append(list(chosen))
        return
    for index in range(first, len(kinds)):
        coin = kinds[index]
        if coin > remaining:
            break
        chosen.append(coin)
        _search(kinds, index + 1, remaining - coin, chosen, found)
        chosen.pop()


def fewest_coins(coins, amount):
    """How many coins are needed at least; None when the amount cannot be paid."""
    return min(map(len, payments(coins, amount)), default=None)
''',
        wrong="_search(kinds, index + 1, remaining - coin, chosen, found)",
        right="_search(kinds, index, remaining - coin, chosen, found)",
        visible=r"""
def test_different_coins():
    assert payments([2, 3], 5) == [[2, 3]]
    assert payments([1, 4], 5)[-1] == [1, 4]


def test_repeated_coins():
    assert payments([2, 3], 6) == [[2, 2, 2], [3, 3]]
    assert payments([5], 10) == [[5, 5]]


def test_impossible():
    assert payments([4, 6], 7) == []
    assert payments([], 3) == []


def test_nothing_to_pay():
    assert payments([1, 2], 0) == [[]]
    assert fewest_coins([1, 2], 0) == 0


def test_fewest():
    assert fewest_coins([1, 5, 10], 15) == 2
    assert fewest_coins([7], 3) is None


def test_bad_coin():
    with pytest.raises(ValueError):
        payments([0, 1], 2)
""",
        hidden=r"""
import itertools


def brute_force(coins, amount):
    return sorted(
        list(way)
        for size in range(amount + 1)
        for way in itertools.combinations_with_replacement(sorted(set(coins)), size)
        if sum(way) == amount
    )


def test_against_brute_force():
    for coins in ([1, 2], [2, 3], [3, 5, 7], [1, 4, 6], [2, 4], [9]):
        for amount in range(11):
            assert payments(coins, amount) == brute_force(coins, amount)


def test_each_way_once():
    ways = payments([1, 2, 5], 10)
    assert len(ways) == 10
    assert len(set(map(tuple, ways))) == 10
    assert all(way == sorted(way) and sum(way) == 10 for way in ways)


def test_order_and_repetition_of_kinds():
    assert payments([3, 1, 3], 4) == [[1, 1, 1, 1], [1, 3]]
    assert payments((5, 2, 2), 9) == [[2, 2, 5]]


def test_fewest_is_not_greedy():
    assert fewest_coins([1, 3, 4], 6) == 2
    assert fewest_coins([1, 5, 12], 15) == 3
    assert fewest_coins([2, 6], 9) is None
    assert fewest_coins([2], 8) == 4


def test_bad_coins():
    with pytest.raises(ValueError):
        payments([2, -1], 3)
""",
    ),
    Program(
        name="longest_path_in_binary_tree",
        code=r'''"""Binary trees as nested tuples (left, value, right); None is the empty tree."""


def leaf(value):
    """A tree with one node."""
    return (None, value, None)


def height(tree):
    """The number of nodes on the longest way down; 0 for the empty tree."""
    if tree is None:
        return 0
    left, _, right = tree
    return 1 + max(height(left), height(right))


def diameter(tree):
    """The number of edges on the longest path between any two nodes."""
    return _measure(tree)[1]


def _measure(tree):
    """The height and the diameter of a tree."""
    if tree is None:
        return 0, 0
    left, _, right = tree
    left_height, left_diameter = _measure(left)
    right_height, right_diameter = _measure(right)
    through = left_height + right_height
    return 1 + max(left_height, right_height), through


def mirror(tree):
    """The tree with left and right exchanged everywhere."""
    if tree is None:
        return None
    left, value, right = tree
    return mirror(right), value, mirror(left)
''',
        wrong="1 + max(left_height, right_height), through",
        right="1 + max(left_height, right_height), max(left_diameter, right_diameter, through)",
        visible=r"""
def test_height():
    assert height(None) == 0
    assert height(leaf(1)) == 1
    assert height((leaf(1), 2, (None, 3, leaf(4)))) == 3


def test_diameter_small():
    assert diameter(None) == 0
    assert diameter(leaf(1)) == 0
    assert diameter((leaf(1), 2, None)) == 1
    assert diameter((leaf(1), 2, leaf(3))) == 2


def test_diameter_through_the_root():
    tree = (((leaf(1), 2, None), 3, None), 4, leaf(5))
    assert diameter(tree) == 4


def test_diameter_beside_the_root():
    below = ((leaf(1), 2, None), 3, (None, 4, leaf(5)))
    assert diameter(below) == 4
    assert diameter((below, 6, None)) == 4


def test_mirror():
    assert mirror((leaf(1), 2, None)) == (None, 2, leaf(1))
    assert mirror(None) is None
""",
        hidden=r"""
def chain(n, tree=None):
    for value in range(n):
        tree = (tree, value, None)
    return tree


def test_wide_subtree_on_either_side():
    wide = (chain(4), 0, mirror(chain(5)))
    assert diameter(wide) == 9
    for tree in ((wide, 1, leaf(2)), (leaf(2), 1, wide), (None, 1, wide)):
        assert diameter(tree) == 9
        assert diameter(mirror(tree)) == 9
    assert diameter((wide, 1, chain(3))) == 9
    assert diameter((wide, 1, chain(4))) == 10


def test_widest_part_far_below():
    wide = (chain(6), 0, chain(6))
    for n in range(6):
        assert diameter(chain(n, wide)) == 12
    assert diameter(chain(6, wide)) == 12
    assert diameter(chain(7, wide)) == 13


def test_wider_of_two_subtrees():
    small = (chain(2), 0, chain(2))
    large = (chain(3), 0, chain(3))
    assert diameter((small, 1, large)) == 7
    tall = chain(3, (chain(9), 0, chain(9)))
    assert diameter((tall, 1, small)) == 18
    assert diameter((small, 1, tall)) == 18


def test_chains():
    for n in range(1, 8):
        assert height(chain(n)) == n
        assert diameter(chain(n)) == n - 1
        assert diameter(mirror(chain(n))) == n - 1


def test_mirror_twice():
    tree = ((leaf(1), 2, chain(3)), 4, leaf(5))
    assert mirror(mirror(tree)) == tree
    assert mirror(tree)[0] == leaf(5)
""",
    ),
    Program(
        name="recursive_descent_calculator",
        code=r'''"""A calculator for sums and products of whole numbers."""

import re


def tokens_of(text):
    """The numbers, operators and parentheses of a text."""
    if re.search(r"[^\d\s()+*-]", text):
        raise ValueError("unknown character")
    return re.findall(r"\d+|[()+*-]", text)


def calculate(text):
    """The value of an expression such as 2*(3-1); operators group from the left."""
    tokens = tokens_of(text)
    value, position = _sum(tokens, 0)
    if position != len(tokens):
        raise ValueError("unexpected rest")
    return value


def _sum(tokens, position):
    value, position = _product(tokens, position)
    while position < len(tokens) and tokens[position] in "+-":
        sign = 1 if tokens[position] == "+" else -1
        other, position = _sum(tokens, position + 1)
        value += sign * other
    return value, position


def _product(tokens, position):
    value, position = _atom(tokens, position)
    while position < len(tokens) and tokens[position] == "*":
        other, position = _atom(tokens, position + 1)
        value *= other
    return value, position


def _atom(tokens, position):
    if position == len(tokens):
        raise ValueError("unexpected end")
    if tokens[position] == "(":
        value, position = _sum(tokens, position + 1)
        if tokens[position:position + 1] != [")"]:
            raise ValueError("missing parenthesis")
        return value, position + 1
    return int(tokens[position]), position + 1
''',
        wrong="other, position = _sum(tokens, position + 1)",
        right="other, position = _product(tokens, position + 1)",
        visible=r"""
def test_single_operators():
    assert calculate("7") == 7
    assert calculate("1 + 2") == 3
    assert calculate("9-4") == 5
    assert calculate("6*7") == 42


def test_precedence():
    assert calculate("2+3*4") == 14
    assert calculate("2*3+4") == 10
    assert calculate("10-2*3") == 4


def test_parentheses():
    assert calculate("(2+3)*4") == 20
    assert calculate("2*(3-1)") == 4
    assert calculate("((5))") == 5


def test_from_the_left():
    assert calculate("1+2+3") == 6
    assert calculate("10-3-2") == 5
    assert calculate("10-3+2") == 9


def test_errors():
    for text in ("", "1+", "(1", "1 2", "a+1"):
        with pytest.raises(ValueError):
            calculate(text)
""",
        hidden=r"""
import itertools


def test_against_python():
    for operators in itertools.product("+-*", repeat=4):
        text = "9" + "".join(o + n for o, n in zip(operators, "3527"))
        assert calculate(text) == eval(text), text


def test_long_chains():
    assert calculate("100-1-2-3-4") == 90
    assert calculate("1-1+1-1+1") == 1
    assert calculate("20-2*3-4*2-1") == 5
    assert calculate("5-10") == -5


def test_chains_in_parentheses():
    assert calculate("(9-3-2)*2") == 8
    assert calculate("10-(5-2-1)-1") == 7
    assert calculate("(1-2)-(3-4)-(5-6)") == 1
    assert calculate("2*(8-(3-1)-1)-3-1") == 6


def test_errors_at_various_places():
    for text in ("1-", "2*", "1+*2", "(1-2", "1-2)", "()", "3-(2", "1 - 2 3", "4/2"):
        with pytest.raises(ValueError):
            calculate(text)


def test_tokens():
    assert tokens_of(" 12+(3 -45)*6") == ["12", "+", "(", "3", "-", "45", ")", "*", "6"]
    assert tokens_of("") == []
""",
    ),
    Program(
        name="root_to_leaf_sums",
        code=r'''"""Trees of numbers as pairs (value, list of subtrees)."""


def leaf_paths(tree):
    """The values on each way from the root to a leaf, from left to right."""
    paths = []
    _walk(tree, [], paths)
    return paths


def _walk(tree, path, paths):
    value, subtrees = tree
    path.append(value)
    if not subtrees:
        paths.append(path)
    for subtree in subtrees:
        _walk(subtree, path, paths)
    path.pop()


def paths_with_sum(tree, target):
    """Those ways from the root to a leaf whose values add up to the target."""
    return [path for path in leaf_paths(tree) if sum(path) == target]


def size(tree):
    """The number of nodes."""
    return 1 + sum(size(subtree) for subtree in tree[1])


def largest(tree):
    """The largest value anywhere in the tree."""
    value, subtrees = tree
    return max([value] + [largest(subtree) for subtree in subtrees])
''',
        wrong="paths.append(path)",
        right="paths.append(list(path))",
        visible=r"""
TREE = (5, [(4, [(11, [])]), (8, []), (2, [(6, []), (1, [])])])


def test_leaf_paths():
    assert leaf_paths(TREE) == [[5, 4, 11], [5, 8], [5, 2, 6], [5, 2, 1]]


def test_number_of_paths():
    assert len(leaf_paths(TREE)) == 4
    assert len(leaf_paths((1, []))) == 1


def test_paths_with_sum():
    assert paths_with_sum(TREE, 13) == [[5, 8], [5, 2, 6]]
    assert paths_with_sum(TREE, 99) == []


def test_size():
    assert size(TREE) == 7
    assert size((1, [])) == 1


def test_largest():
    assert largest(TREE) == 11
    assert largest((-3, [(-1, []), (-2, [])])) == -1
""",
        hidden=r"""
def test_single_node():
    assert leaf_paths((7, [])) == [[7]]
    assert paths_with_sum((7, []), 7) == [[7]]
    assert paths_with_sum((0, []), 0) == [[0]]


def test_chain():
    tree = (1, [(2, [(3, [(4, [])])])])
    assert leaf_paths(tree) == [[1, 2, 3, 4]]
    assert paths_with_sum(tree, 10) == [[1, 2, 3, 4]]
    assert paths_with_sum(tree, 6) == []


def test_paths_are_separate_lists():
    paths = leaf_paths((1, [(2, []), (3, [])]))
    paths[0].append("x")
    assert paths == [[1, 2, "x"], [1, 3]]


def test_order_and_different_depths():
    tree = (0, [(1, [(2, []), (3, [(4, []), (5, [])])]), (6, []), (7, [(8, [(9, [])])])])
    assert leaf_paths(tree) == [[0, 1, 2], [0, 1, 3, 4], [0, 1, 3, 5], [0, 6], [0, 7, 8, 9]]
    assert paths_with_sum(tree, 8) == [[0, 1, 3, 4]]
    assert paths_with_sum(tree, 6) == [[0, 6]]
    assert size(tree) == 10
    assert largest(tree) == 9


def test_negative_values_and_tree_unchanged():
    tree = (3, [(-3, []), (-5, [(2, [])]), (1, [(-4, [])])])
    assert paths_with_sum(tree, 0) == [[3, -3], [3, -5, 2], [3, 1, -4]]
    assert tree == (3, [(-3, []), (-5, [(2, [])]), (1, [(-4, [])])])
""",
    ),
    Program(
        name="layered_settings_merge",
        code=r'''"""Settings in nested dictionaries, where later layers change earlier ones."""

import copy


def merge(base, changes):
    """A new dictionary: the base with the changes applied.

    Where both have a dictionary these are merged in the same way; everywhere
    else the changes replace what the base has. Neither argument is changed,
    and the result shares nothing with them.
    """
    result = copy.deepcopy(base)
    for key, value in changes.items():
        if isinstance(value, dict) and key in result:
            result[key] = merge(result[key], value)
        else:
            result[key] = copy.deepcopy(value)
    return result


def merge_all(layers):
    """All layers merged in order; without any, an empty dictionary."""
    result = {}
    for layer in layers:
        result = merge(result, layer)
    return result


def lookup(settings, path, default=None):
    """The setting at a dotted path such as "server.port"."""
    for name in path.split("."):
        if not isinstance(settings, dict) or name not in settings:
            return default
        settings = settings[name]
    return settings
''',
        wrong="isinstance(value, dict) and key in result",
        right="isinstance(value, dict) and isinstance(result.get(key), dict)",
        visible=r"""
def test_flat():
    assert merge({"a": 1, "b": 2}, {"b": 3, "c": 4}) == {"a": 1, "b": 3, "c": 4}
    assert merge({}, {"a": 1}) == {"a": 1}


def test_nested():
    base = {"server": {"host": "localhost", "port": 80}}
    assert merge(base, {"server": {"port": 8080}}) == {"server": {"host": "localhost", "port": 8080}}
    assert base == {"server": {"host": "localhost", "port": 80}}


def test_new_section():
    assert merge({"a": 1}, {"b": {"c": 2}}) == {"a": 1, "b": {"c": 2}}


def test_replacing_kinds():
    assert merge({"log": {"level": 1}}, {"log": False}) == {"log": False}
    assert merge({"log": None}, {"log": {"level": 1}}) == {"log": {"level": 1}}


def test_merge_all():
    assert merge_all([{"a": 1}, {"b": 2}, {"a": 3}]) == {"a": 3, "b": 2}
    assert merge_all([]) == {}


def test_lookup():
    settings = {"server": {"port": 80}}
    assert lookup(settings, "server.port") == 80
    assert lookup(settings, "server.name", "x") == "x"
""",
        hidden=r"""
def test_dictionary_replaces_other_things():
    for old in (1, "text", None, [], [1, 2], True, 0, ("a", 1), ""):
        assert merge({"k": old}, {"k": {"x": 1}}) == {"k": {"x": 1}}
        assert merge({"k": old}, {"k": {}}) == {"k": {}}
        assert merge({"s": {"k": old}}, {"s": {"k": {"x": {"y": 2}}}}) == {"s": {"k": {"x": {"y": 2}}}}


def test_other_things_replace_dictionaries():
    for new in (1, "text", None, [], [("x", 1)], False):
        assert merge({"k": {"x": 1}}, {"k": new}) == {"k": new}


def test_empty_dictionaries():
    assert merge({"k": {"x": 1}}, {"k": {}}) == {"k": {"x": 1}}
    assert merge({"k": {}}, {"k": {"x": 1}}) == {"k": {"x": 1}}
    assert merge({"k": {"x": 1}}, {}) == {"k": {"x": 1}}


def test_nothing_is_shared_or_changed():
    base, changes = {"a": {"b": [1]}, "n": 0}, {"c": {"d": [2]}, "n": {"e": [3]}}
    result = merge(base, changes)
    result["a"]["b"].append(9)
    result["c"]["d"].append(9)
    result["n"]["e"].append(9)
    assert base == {"a": {"b": [1]}, "n": 0}
    assert changes == {"c": {"d": [2]}, "n": {"e": [3]}}


def test_deep_and_many_layers():
    layers = [{"a": {"b": {"c": 1, "d": 2}}}, {"a": {"b": {"c": {"e": 5}}}}, {"a": {"b": {"c": {"f": 6}}, "g": 7}}]
    assert merge_all(layers) == {"a": {"b": {"c": {"e": 5, "f": 6}, "d": 2}, "g": 7}}
    assert merge_all([{"x": {"y": 1}}, {"x": 2}, {"x": {"z": 3}}]) == {"x": {"z": 3}}


def test_lookup_of_merged():
    merged = merge({"a": {"b": 0}}, {"a": {"c": None}})
    assert lookup(merged, "a.b", 5) == 0
    assert lookup(merged, "a.c", 5) is None
    assert lookup(merged, "a.b.c", 5) == 5
    assert lookup(merged, "a") == {"b": 0, "c": None}
""",
    ),
    Program(
        name="gray_codes_reflected",
        code=r'''"""Reflected binary codes, where neighbours differ in one bit."""


def codes(bits):
    """All codes with so many bits, from all zeros on.

    The first half is 0 before each of the shorter codes in order, the second
    half is 1 before each of them in reversed order.
    """
    if bits == 0:
        return [""]
    shorter = codes(bits - 1)
    return ["0" + code for code in shorter] + ["1" + code for code in shorter]


def position(code):
    """Where a code stands among all codes of its length."""
    number, bit = 0, 0
    for digit in code:
        bit ^= int(digit)
        number = 2 * number + bit
    return number


def differences(first, second):
    """In how many places two codes of the same length differ."""
    if len(first) != len(second):
        raise ValueError("codes differ in length")
    return sum(a != b for a, b in zip(first, second))
''',
        wrong='["1" + code for code in shorter]',
        right='["1" + code for code in reversed(shorter)]',
        visible=r"""
def test_short_codes():
    assert codes(0) == [""]
    assert codes(1) == ["0", "1"]


def test_two_bits():
    assert codes(2) == ["00", "01", "11", "10"]


def test_all_different():
    assert len(set(codes(4))) == 16
    assert all(len(code) == 4 for code in codes(4))


def test_position():
    assert position("") == 0
    assert position("01") == 1
    assert position("11") == 2
    assert position("10") == 3


def test_differences():
    assert differences("0110", "0011") == 2
    assert differences("", "") == 0
    with pytest.raises(ValueError):
        differences("0", "01")
""",
        hidden=r"""
def test_neighbours_differ_in_one_bit():
    for bits in range(1, 9):
        all_codes = codes(bits)
        assert len(all_codes) == 2 ** bits == len(set(all_codes))
        for first, second in zip(all_codes, all_codes[1:]):
            assert differences(first, second) == 1
        assert differences(all_codes[0], all_codes[-1]) == 1


def test_three_bits():
    assert codes(3) == ["000", "001", "011", "010", "110", "111", "101", "100"]


def test_formula():
    for bits in range(1, 8):
        assert codes(bits) == [format(n ^ (n >> 1), f"0{bits}b") for n in range(2 ** bits)]


def test_positions_of_codes():
    for bits in range(7):
        assert [position(code) for code in codes(bits)] == list(range(2 ** bits))


def test_reflection():
    for bits in range(1, 6):
        all_codes = codes(bits)
        half = len(all_codes) // 2
        assert [code[1:] for code in all_codes[:half]] == [code[1:] for code in all_codes[half:]][::-1]
        assert {code[0] for code in all_codes[:half]} == {"0"}
        assert {code[0] for code in all_codes[half:]} == {"1"}
""",
    ),
    Program(
        name="run_length_text",
        code=r'''"""Run-length encoding of texts without digits."""


def encode(text):
    """Write runs as count and letter: "aaab" becomes "3ab"; a single letter has no count."""
    result = ""
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or text[end] != text[start]:
            count = end - start
            result += (str(count) if count > 1 else "") + text[start]
            start = end
    return result


def decode(code):
    """Undo `encode`; ValueError when the code ends with a count."""
    result = ""
    count = 0
    for char in code:
        if char.isdigit():
            count = int(char)
        else:
            result += char * (count or 1)
            count = 0
    if count:
        raise ValueError("count without a letter")
    return result


def saved(text):
    """How many characters encoding saves."""
    return len(text) - len(encode(text))
''',
        wrong="count = int(char)",
        right="count = 10 * count + int(char)",
        visible=r"""
def test_encode():
    assert encode("aaab") == "3ab"
    assert encode("abc") == "abc"
    assert encode("") == ""
    assert encode("zz") == "2z"


def test_decode():
    assert decode("3ab") == "aaab"
    assert decode("abc") == "abc"
    assert decode("") == ""


def test_long_runs():
    assert encode("x" * 12) == "12x"
    assert decode("12x") == "x" * 12


def test_decode_error():
    with pytest.raises(ValueError):
        decode("ab3")


def test_saved():
    assert saved("aaaa") == 2
    assert saved("abc") == 0
""",
        hidden=r"""
def test_round_trip_of_all_lengths():
    for n in range(1, 131):
        text = "a" * n + "b"
        assert decode(encode(text)) == text
        text = "-" + "c" * n
        assert decode(encode(text)) == text


def test_counts_with_zeros():
    assert decode("10a") == "a" * 10
    assert decode("100b2c") == "b" * 100 + "cc"
    assert decode("20 30.") == " " * 20 + "." * 30


def test_several_runs():
    assert decode("11x3y12z") == "x" * 11 + "yyy" + "z" * 12
    assert decode("a15ba2ca") == "a" + "b" * 15 + "acca"
    assert encode("x" * 11 + "yyy" + "z" * 12) == "11x3y12z"
    assert decode("2a2b21c") == "aabb" + "c" * 21


def test_error_at_the_end():
    for code in ("5", "a12", "3b10"):
        with pytest.raises(ValueError):
            decode(code)


def test_saved_with_long_runs():
    assert saved("a" * 100) == 96
    assert saved("ab" * 5) == 0
    assert saved("aabb") == 0
""",
    ),
    Program(
        name="vigenere_cipher",
        code=r'''"""The Vigenere cipher on small letters."""

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def _shifts(key):
    """The numbers by which the letters of the key shift."""
    if not key or any(letter not in ALPHABET for letter in key):
        raise ValueError("the key must consist of small letters")
    return [ALPHABET.index(letter) for letter in key]


def _apply(text, shifts):
    """Shift the letters of a text in turn; other characters stay and use up no shift."""
    result = []
    used = 0
    for index, char in enumerate(text):
        if char in ALPHABET:
            shift = shifts[index % len(shifts)]
            char = ALPHABET[(ALPHABET.index(char) + shift) % len(ALPHABET)]
            used += 1
        result.append(char)
    return "".join(result)


def encrypt(text, key):
    """Encrypt a text."""
    return _apply(text, _shifts(key))


def decrypt(text, key):
    """Undo `encrypt` with the same key."""
    return _apply(text, [-shift for shift in _shifts(key)])
''',
        wrong="shifts[index % len(shifts)]",
        right="shifts[used % len(shifts)]",
        visible=r"""
def test_encrypt_one_word():
    assert encrypt("attackatdawn", "lemon") == "lxfopvefrnhr"
    assert encrypt("abc", "b") == "bcd"
    assert encrypt("xyz", "d") == "abc"


def test_decrypt_one_word():
    assert decrypt("lxfopvefrnhr", "lemon") == "attackatdawn"
    assert decrypt("abc", "d") == "xyz"


def test_several_words():
    assert encrypt("attack at dawn", "lemon") == "lxfopv ef rnhr"


def test_round_trip():
    text = "the quick, brown fox: jumps!"
    assert decrypt(encrypt(text, "key"), "key") == text
    assert encrypt("", "key") == ""


def test_bad_key():
    for key in ("", "Key", "a b"):
        with pytest.raises(ValueError):
            encrypt("text", key)
""",
        hidden=r"""
def test_other_characters_make_no_difference():
    plain = encrypt("meetmeatnoon", "secret")
    for text in ("meet me at noon", "m-e-e-t me... at noon", "  meetmeat noon!", "Xmeet\nme at 12 noon"):
        code = encrypt(text, "secret")
        assert "".join(c for c in code if c in ALPHABET) == plain
        assert [c for c in code if c not in ALPHABET] == [c for c in text if c not in ALPHABET]


def test_shift_by_hand():
    assert encrypt("a a a a", "abc") == "a b c a"
    assert encrypt("--aaaa", "bd") == "--bdbd"
    assert encrypt("a1a2a3", "xyz") == "x1y2z3"


def test_decrypt_by_hand():
    assert decrypt("a b c a", "abc") == "a a a a"
    assert decrypt("lxf opv, efr nhr", "lemon") == "att ack, atd awn"


def test_key_of_one_letter():
    assert encrypt("a b, c", "b") == "b c, d"
    assert encrypt("hello world", "a") == "hello world"


def test_round_trips():
    for key in ("a", "zebra", "qq", "python", "abcdefghijklmnopqrstuvwxyz"):
        for text in ("", "...", "x", "one two  three", "a,b,c,d,e,f,g", "Mixed Case text"):
            assert decrypt(encrypt(text, key), key) == text
            assert len(encrypt(text, key)) == len(text)
""",
    ),
    Program(
        name="wrap_paragraph",
        code=r'''"""Setting text in lines."""


def wrap(text, width):
    """Break a text into lines of at most `width` characters.

    Words are joined by single spaces; each line takes as many words as fit. A
    word that is longer than the width gets a line of its own.
    """
    if width < 1:
        raise ValueError("width must be positive")
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


def align_right(text, width):
    """The wrapped text, with each line moved to the right margin."""
    return "\n".join(line.rjust(width) for line in wrap(text, width))


def bullet(text, width):
    """The wrapped text as an item that starts with "- "."""
    return "\n".join(
        ("  " if number else "- ") + line for number, line in enumerate(wrap(text, width - 2))
    )
''',
        wrong="len(current) + len(word) <= width",
        right="len(current) + 1 + len(word) <= width",
        visible=r"""
def test_one_line():
    assert wrap("a short text", 40) == ["a short text"]
    assert wrap("  two   words ", 20) == ["two words"]


def test_several_lines():
    assert wrap("the quick brown fox", 11) == ["the quick", "brown fox"]
    assert wrap("one two three", 6) == ["one", "two", "three"]


def test_exact_fit():
    assert wrap("aaa bbb", 7) == ["aaa bbb"]


def test_empty():
    assert wrap("", 5) == []
    assert wrap("   ", 5) == []
    with pytest.raises(ValueError):
        wrap("a", 0)


def test_align_right():
    assert align_right("to be or not", 8) == "to be or\n     not"


def test_bullet():
    assert bullet("buy some milk", 10) == "- buy some\n  milk"
""",
        hidden=r"""
TEXT = "It is a truth universally acknowledged that a single man in possession of a fortune must be in want of a wife"


def test_widths():
    for width in range(14, 60):
        lines = wrap(TEXT, width)
        assert " ".join(lines) == TEXT
        assert all(len(line) <= width for line in lines)
        for line, following in zip(lines, lines[1:]):
            assert len(line) + 1 + len(following.split()[0]) > width


def test_words_just_too_long():
    assert wrap("ab cd", 4) == ["ab", "cd"]
    assert wrap("ab cd", 5) == ["ab cd"]
    assert wrap("a b c d", 3) == ["a b", "c d"]
    assert wrap("a b c d", 2) == ["a", "b", "c", "d"]
    assert wrap("a b c d", 5) == ["a b c", "d"]


def test_long_word():
    assert wrap("a incredible b", 4) == ["a", "incredible", "b"]
    assert wrap("incredible", 1) == ["incredible"]
    assert wrap("abcd e", 3) == ["abcd", "e"]


def test_helpers_keep_the_width():
    for width in (12, 17, 23):
        text = "some words and more of them"
        assert {len(line) for line in align_right(text, width).split("\n")} == {width}
        assert all(len(line) <= width for line in bullet(text, width).split("\n"))
    assert bullet("aa bb cc", 6) == "- aa\n  bb\n  cc"
    assert bullet("aa bb cc", 7) == "- aa bb\n  cc"
""",
    ),
    Program(
        name="quoted_fields_of_a_line",
        code=r'''"""Lines of fields that are separated by commas."""


def parse_line(line):
    """The fields of a line.

    A field may stand in double quotes; then it may contain commas, and a quote
    in it is written twice. ValueError when a quote is not closed.
    """
    fields = []
    field = ""
    quoted = False
    position = 0
    while position < len(line):
        char = line[position]
        position += 1
        if char == '"' and line[position:position + 1] == '"':
            field += char
            position += 1
        elif char == '"':
            quoted = not quoted
        elif char == "," and not quoted:
            fields.append(field)
            field = ""
        else:
            field += char
    if quoted:
        raise ValueError("unclosed quote")
    return fields + [field]


def format_line(fields):
    """Write fields so that `parse_line` reads them back; quotes only where needed."""
    return ",".join(
        '"' + field.replace('"', '""') + '"' if "," in field or '"' in field else field
        for field in fields
    )
''',
        wrong="""if char == '"' and line[position:position + 1]""",
        right="""if quoted and char == '"' and line[position:position + 1]""",
        visible=r"""
def test_plain():
    assert parse_line("a,b,c") == ["a", "b", "c"]
    assert parse_line("one") == ["one"]
    assert parse_line("") == [""]
    assert parse_line("a,,b,") == ["a", "", "b", ""]


def test_quoted():
    assert parse_line('"a,b",c') == ["a,b", "c"]
    assert parse_line('x,"y z"') == ["x", "y z"]


def test_quote_in_quotes():
    assert parse_line('"say ""hi"" now",2') == ['say "hi" now', "2"]


def test_empty_quotes():
    assert parse_line('a,"",b') == ["a", "", "b"]


def test_unclosed():
    with pytest.raises(ValueError):
        parse_line('a,"b')


def test_format_line():
    assert format_line(["a", "b,c", 'd"e']) == 'a,"b,c","d""e"'
    assert format_line([]) == ""
""",
        hidden=r'''
import itertools


def test_round_trip():
    pieces = ["", "a", ",", '"', '""', 'a"', '"a', '","', ' ', '",', '"""']
    for fields in itertools.product(pieces, repeat=3):
        assert parse_line(format_line(fields)) == list(fields)


def test_empty_quotes_everywhere():
    assert parse_line('""') == [""]
    assert parse_line('"",""') == ["", ""]
    assert parse_line('"","",x') == ["", "", "x"]
    assert parse_line('x,""') == ["x", ""]


def test_only_quotes():
    assert parse_line('""""') == ['"']
    assert parse_line('""""""') == ['""']
    assert parse_line('"""a"""') == ['"a"']
    assert parse_line('"a""",b') == ['a"', "b"]
    assert parse_line('""",",b') == ['",', "b"]


def test_unclosed_quotes():
    for line in ('"', '"""', 'a,"', '"a""', '"a,b', '"","""'):
        with pytest.raises(ValueError):
            parse_line(line)


def test_spaces_stay():
    assert parse_line(' a , "b" ') == [" a ", " b "]
    assert format_line([" a", "b "]) == " a,b "
''',
    ),
    Program(
        name="names_in_camel_and_snake_case",
        code=r'''"""Names of variables and classes in different styles."""


def words_of(name):
    """The words of a camel-case name, in small letters.

    A capital letter begins a word when the letter before it is not a capital
    or when the letter after it is small: HTTPServerName is http, server, name.
    """
    words = []
    for index, char in enumerate(name):
        before = name[index - 1:index]
        after = name[index + 1:index + 2]
        if index == 0 or char.isupper() and (not before.isupper() and after.islower()):
            words.append("")
        words[-1] += char.lower()
    return words


def to_snake(name):
    """A camel-case name in snake case."""
    return "_".join(words_of(name))


def to_camel(name):
    """A snake-case name in camel case, beginning with a capital letter."""
    return "".join(word.capitalize() for word in name.split("_"))


def to_constant(name):
    """A camel-case name in capitals with underscores."""
    return to_snake(name).upper()
''',
        wrong="not before.isupper() and after.islower()",
        right="not before.isupper() or after.islower()",
        visible=r"""
def test_ordinary_names():
    assert to_snake("UserName") == "user_name"
    assert to_snake("userName") == "user_name"
    assert to_snake("name") == "name"
    assert to_snake("") == ""


def test_words_of():
    assert words_of("MaxRetryCount") == ["max", "retry", "count"]
    assert words_of("A") == ["a"]


def test_acronym_before_a_word():
    assert to_snake("HTTPServer") == "http_server"
    assert to_snake("parseXMLFile") == "parse_xml_file"


def test_to_camel():
    assert to_camel("user_name") == "UserName"
    assert to_camel("x") == "X"


def test_to_constant():
    assert to_constant("MaxCount") == "MAX_COUNT"
""",
        hidden=r"""
def test_acronym_at_the_end():
    assert to_snake("userID") == "user_id"
    assert to_snake("LoadFromURL") == "load_from_url"
    assert to_snake("planB") == "plan_b"
    assert words_of("ID") == ["id"]


def test_acronym_at_the_beginning():
    assert to_snake("XMLParser") == "xml_parser"
    assert to_snake("ABTest") == "ab_test"
    assert to_snake("AClass") == "a_class"
    assert words_of("HTTPServerName") == ["http", "server", "name"]


def test_acronym_in_the_middle():
    assert to_snake("myURLList") == "my_url_list"
    assert to_snake("getHTTPStatusOK") == "get_http_status_ok"
    assert to_snake("isAGoodName") == "is_a_good_name"


def test_digits():
    assert to_snake("version2Name") == "version2_name"
    assert to_snake("utf8") == "utf8"
    assert to_snake("Base64URL") == "base64_url"
    assert to_snake("vectorX2") == "vector_x2"


def test_there_and_back():
    for name in ("one", "one_two", "a_long_name_here", "one_two3_four"):
        assert to_snake(to_camel(name)) == name


def test_constants():
    assert to_constant("maxURLLength") == "MAX_URL_LENGTH"
    assert to_constant("userID") == "USER_ID"
    assert to_constant("x") == "X"
""",
    ),
    Program(
        name="file_name_endings",
        code=r'''"""Names of files and their endings; nothing touches the disk."""


def without_ending(name, ending):
    """The name without this ending, such as ".txt"; unchanged when it has another one."""
    return name.rstrip(ending)


def with_ending(name, ending):
    """The name with this ending, which is not added a second time."""
    return without_ending(name, ending) + ending


def change_ending(name, old, new):
    """Replace one ending by another; ValueError when the name does not have the old one."""
    if not name.endswith(old):
        raise ValueError(f"{name} does not end with {old}")
    return without_ending(name, old) + new


def numbered(name, ending, taken):
    """The name with its ending or, if that is taken, the first free one with a number.

    The numbers begin with 2 and stand in parentheses: plan (2).txt.
    """
    base = without_ending(name, ending)
    candidate = base + ending
    number = 2
    while candidate in taken:
        candidate = f"{base} ({number}){ending}"
        number += 1
    return candidate
''',
        wrong="name.rstrip(ending)",
        right="name.removesuffix(ending)",
        visible=r"""
def test_without_ending():
    assert without_ending("notes.md", ".md") == "notes"
    assert without_ending("plan.csv", ".csv") == "plan"
    assert without_ending("Makefile", ".py") == "Makefile"


def test_without_ending_similar_letters():
    assert without_ending("test.txt", ".txt") == "test"


def test_with_ending():
    assert with_ending("notes", ".md") == "notes.md"
    assert with_ending("notes.md", ".md") == "notes.md"


def test_change_ending():
    assert change_ending("photo.jpeg", ".jpeg", ".png") == "photo.png"
    with pytest.raises(ValueError):
        change_ending("photo.gif", ".jpeg", ".png")


def test_numbered():
    assert numbered("plan", ".md", set()) == "plan.md"
    assert numbered("plan.md", ".md", {"plan.md", "plan (2).md"}) == "plan (3).md"
""",
        hidden=r"""
def test_letters_of_the_ending_in_the_name():
    assert without_ending("happy.py", ".py") == "happy"
    assert without_ending("summary.gz.gz", ".gz") == "summary.gz"
    assert without_ending("next.txt", ".txt") == "next"
    assert without_ending("jpg.jpg", ".jpg") == "jpg"
    assert without_ending("a...", ".") == "a.."


def test_other_ending():
    assert without_ending("text", ".txt") == "text"
    assert without_ending("pretty.PY", ".py") == "pretty.PY"
    assert without_ending("a.txt.zip", ".txt") == "a.txt.zip"
    assert without_ending("txt", ".txt") == "txt"
    assert without_ending("xtxt", ".txt") == "xtxt"


def test_ending_in_the_middle_and_alone():
    assert without_ending("a.py.b.py", ".py") == "a.py.b"
    assert without_ending(".py", ".py") == ""
    assert without_ending("", ".py") == ""
    assert without_ending("name.py", "") == "name.py"


def test_with_ending_keeps_the_name():
    assert with_ending("copy", ".py") == "copy.py"
    assert with_ending("copy.py", ".py") == "copy.py"
    assert with_ending("context", ".txt") == "context.txt"


def test_change_ending_keeps_the_name():
    assert change_ending("puppy.py", ".py", ".txt") == "puppy.txt"
    assert change_ending("test.txt", ".txt", "") == "test"
    assert change_ending("tar.tar", ".tar", ".zip") == "tar.zip"
    with pytest.raises(ValueError):
        change_ending("apy", ".py", ".txt")


def test_numbered_keeps_the_name():
    assert numbered("copy", ".py", {"copy.py"}) == "copy (2).py"
    assert numbered("list.txt", ".txt", {"list.txt", "list (2).txt"}) == "list (3).txt"
    assert numbered("text.txt", ".txt", {"tex.txt"}) == "text.txt"
""",
    ),
    Program(
        name="most_frequent_words",
        code=r'''"""Counting the words of a text."""

import re
from collections import Counter


def words_of(text):
    """The words of a text in small letters; an apostrophe may stand inside a word."""
    return re.findall(r"[a-z]+(?:'[a-z]+)*", text.lower())


def ranking(text):
    """Pairs (word, count): frequent words first, equally frequent ones by alphabet."""
    counts = Counter(words_of(text))
    return sorted(counts.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)


def top(text, number):
    """The most frequent words without their counts."""
    return [word for word, _ in ranking(text)[:number]]


def once_only(text):
    """The words that occur only once, in the order of the text."""
    counts = Counter(words_of(text))
    return [word for word in counts if counts[word] == 1]
''',
        wrong="key=lambda pair: (pair[1], pair[0]), reverse=True",
        right="key=lambda pair: (-pair[1], pair[0])",
        visible=r"""
def test_words_of():
    assert words_of("Don't panic, it's 42!") == ["don't", "panic", "it's"]
    assert words_of("") == []


def test_ranking_by_count():
    assert ranking("a b a c a b") == [("a", 3), ("b", 2), ("c", 1)]
    assert ranking("") == []


def test_equal_counts_by_alphabet():
    assert ranking("pear fig apple") == [("apple", 1), ("fig", 1), ("pear", 1)]


def test_top():
    assert top("x y x y x z", 2) == ["x", "y"]
    assert top("x", 5) == ["x"]


def test_once_only():
    assert once_only("to be or not to be") == ["or", "not"]
    assert once_only("a a") == []
""",
        hidden=r"""
import itertools


def test_any_order_of_the_words():
    words = ["b", "b", "a", "a", "d", "c"]
    for order in itertools.permutations(words):
        assert ranking(" ".join(order)) == [("a", 2), ("b", 2), ("c", 1), ("d", 1)]


def test_counts_before_alphabet():
    text = "zoo zoo zoo ant bee bee cow cow dog"
    assert ranking(text) == [("zoo", 3), ("bee", 2), ("cow", 2), ("ant", 1), ("dog", 1)]
    assert top(text, 3) == ["zoo", "bee", "cow"]
    assert top(text, 4) == ["zoo", "bee", "cow", "ant"]
    assert top(text, 0) == []


def test_large_counts():
    text = "b " * 12 + "a " * 12 + "c " * 100 + "d " * 9
    assert ranking(text) == [("c", 100), ("a", 12), ("b", 12), ("d", 9)]


def test_prefixes_and_case():
    assert ranking("aab AA aa a AAB A") == [("a", 2), ("aa", 2), ("aab", 2)]
    assert top("The cat. the Dog, THE end", 2) == ["the", "cat"]


def test_once_only_keeps_text_order():
    assert once_only("z y x y w") == ["z", "x", "w"]
    assert once_only("It's it's its") == ["its"]
""",
    ),
    Program(
        name="sieve_up_to_limit",
        code=r'''"""Prime numbers."""

from math import isqrt


def primes_up_to(limit):
    """All primes that are not larger than the limit, in order."""
    if limit < 2:
        return []
    is_prime = [True] * (limit + 1)
    is_prime[0] = is_prime[1] = False
    for number in range(2, isqrt(limit) + 1):
        if is_prime[number]:
            for multiple in range(number * number, limit, number):
                is_prime[multiple] = False
    return [number for number in range(limit + 1) if is_prime[number]]


def factors(number):
    """The prime factors of a positive number, in order, repeated as needed."""
    found = []
    for prime in primes_up_to(isqrt(number)):
        while number % prime == 0:
            found.append(prime)
            number //= prime
    if number > 1:
        found.append(number)
    return found


def twins(limit):
    """Pairs of primes up to the limit that differ by two."""
    primes = primes_up_to(limit)
    return [(a, b) for a, b in zip(primes, primes[1:]) if b - a == 2]
''',
        wrong="range(number * number, limit, number)",
        right="range(number * number, limit + 1, number)",
        visible=r"""
def test_small_limits():
    assert primes_up_to(1) == []
    assert primes_up_to(2) == [2]
    assert primes_up_to(3) == [2, 3]
    assert primes_up_to(-5) == []


def test_prime_limit_is_included():
    assert primes_up_to(13) == [2, 3, 5, 7, 11, 13]
    assert primes_up_to(19)[-1] == 19


def test_composite_limit_is_not():
    assert primes_up_to(10) == [2, 3, 5, 7]
    assert primes_up_to(25)[-1] == 23


def test_factors():
    assert factors(1) == []
    assert factors(12) == [2, 2, 3]
    assert factors(97) == [97]


def test_twins():
    assert twins(13) == [(3, 5), (5, 7), (11, 13)]
    assert twins(4) == []
""",
        hidden=r"""
def slowly(limit):
    return [n for n in range(2, limit + 1) if all(n % d for d in range(2, n))]


def test_every_limit():
    for limit in range(150):
        assert primes_up_to(limit) == slowly(limit)


def test_squares_as_limits():
    for root in (2, 3, 4, 5, 7, 11, 13):
        assert root * root not in primes_up_to(root * root)
    assert primes_up_to(4) == [2, 3]
    assert primes_up_to(9) == [2, 3, 5, 7]


def test_factors_of_many_numbers():
    for number in range(1, 500):
        product = 1
        for factor in factors(number):
            assert slowly(factor)[-1] == factor
            product *= factor
        assert product == number
        assert factors(number) == sorted(factors(number))


def test_twins_at_the_limit():
    assert twins(9) == [(3, 5), (5, 7)]
    assert twins(15) == [(3, 5), (5, 7), (11, 13)]
    assert twins(21) == [(3, 5), (5, 7), (11, 13), (17, 19)]
    assert twins(33) == [(3, 5), (5, 7), (11, 13), (17, 19), (29, 31)]


def test_larger_counts():
    assert len(primes_up_to(1000)) == 168
    assert len(primes_up_to(10000)) == 1229
""",
    ),
    Program(
        name="fair_shares_in_cents",
        code=r'''"""Dividing whole numbers of cents."""


def allocate(total, weights):
    """Divide a total in proportion to the weights, without losing a cent.

    Each share is first rounded down. The cents that are left go, one each, to
    the shares that lost the largest fractions; of equal ones the first gets it.
    """
    if total < 0 or any(weight < 0 for weight in weights) or not sum(weights):
        raise ValueError("nothing to divide or nobody to divide it among")
    whole = sum(weights)
    shares = [total * weight // whole for weight in weights]
    lost = [total * weight % whole for weight in weights]
    order = sorted(range(len(weights)), key=lambda index: lost[index])
    for index in order[:total - sum(shares)]:
        shares[index] += 1
    return shares


def split(total, people):
    """Divide a total into equal shares; the first ones may be a cent larger."""
    return allocate(total, [1] * people)


def format_cents(cents):
    """An amount such as 1234 as 12.34."""
    return f"{cents // 100}.{cents % 100:02}"
''',
        wrong="key=lambda index: lost[index]",
        right="key=lambda index: -lost[index]",
        visible=r"""
def test_even_division():
    assert allocate(100, [1, 1]) == [50, 50]
    assert allocate(90, [1, 2]) == [30, 60]
    assert allocate(0, [3, 4]) == [0, 0]


def test_split():
    assert split(10, 3) == [4, 3, 3]
    assert split(11, 3) == [4, 4, 3]
    assert split(9, 3) == [3, 3, 3]


def test_largest_fraction_first():
    assert allocate(10, [1, 5]) == [2, 8]
    assert allocate(100, [1, 2]) == [33, 67]


def test_nothing_is_lost():
    for total in range(30):
        assert sum(allocate(total, [3, 5, 7])) == total


def test_errors():
    for total, weights in ((5, []), (5, [0, 0]), (-1, [1]), (5, [2, -1])):
        with pytest.raises(ValueError):
            allocate(total, weights)


def test_format_cents():
    assert format_cents(1234) == "12.34"
    assert format_cents(5) == "0.05"
""",
        hidden=r"""
from fractions import Fraction


def test_nobody_is_far_from_the_exact_share():
    for weights in ([1, 2, 3], [5, 3, 1, 1], [7, 11], [1, 1, 1], [10, 0, 3], [2, 9, 4, 8, 1]):
        for total in range(60):
            shares = allocate(total, weights)
            assert sum(shares) == total
            exact = [Fraction(total * weight, sum(weights)) for weight in weights]
            raised = [e - int(e) for e, s in zip(exact, shares) if s > int(e)]
            kept = [e - int(e) for e, s in zip(exact, shares) if s == int(e)]
            assert len(raised) + len(kept) == len(weights)
            assert not raised or not kept or min(raised) >= max(kept)


def test_by_hand():
    assert allocate(7, [50, 30, 20]) == [4, 2, 1]
    assert allocate(8, [50, 30, 20]) == [4, 2, 2]
    assert allocate(5, [1, 1, 8]) == [1, 0, 4]
    assert allocate(4, [5, 4, 1]) == [2, 2, 0]
    assert allocate(9, [1, 2, 4]) == [1, 3, 5]


def test_weight_zero_gets_nothing():
    assert allocate(10, [0, 3, 0, 4]) == [0, 4, 0, 6]
    assert allocate(1, [0, 1]) == [0, 1]
    assert allocate(100, [0, 3, 4]) == [0, 43, 57]


def test_first_of_equal_fractions():
    assert split(5, 4) == [2, 1, 1, 1]
    assert split(7, 4) == [2, 2, 2, 1]
    assert allocate(3, [1, 1, 2]) == [1, 1, 1]
    assert allocate(1, [5, 5, 5]) == [1, 0, 0]


def test_amounts():
    assert [format_cents(s) for s in split(1000, 3)] == ["3.34", "3.33", "3.33"]
    assert format_cents(100) == "1.00"
""",
    ),
    Program(
        name="luhn_check_digit",
        code=r'''"""The check digit of card numbers."""


def _digits(text):
    """The digits of a number that may be written in groups."""
    compact = text.replace(" ", "").replace("-", "")
    if not compact.isdecimal():
        raise ValueError("a number must consist of digits")
    return [int(char) for char in compact]


def checksum(text):
    """The Luhn sum modulo 10.

    Counting from the right, every second digit is doubled; a result above 9
    is reduced by 9. Then all are added.
    """
    total = 0
    for index, digit in enumerate(_digits(text)):
        if index % 2 == 1:
            digit *= 2
            if digit > 9:
                digit -= 9
        total += digit
    return total % 10


def is_valid(text):
    """Whether the number has the right check digit at its end."""
    return checksum(text) == 0


def complete(text):
    """The digits of a number with the check digit added."""
    compact = "".join(map(str, _digits(text)))
    return compact + str(-checksum(compact + "0") % 10)
''',
        wrong="enumerate(_digits(text))",
        right="enumerate(reversed(_digits(text)))",
        visible=r"""
def test_checksum_small():
    assert checksum("0") == 0
    assert checksum("7") == 7
    assert checksum("050") == 1


def test_fifteen_digits():
    assert is_valid("3782 822463 10005")
    assert not is_valid("3782 822463 10006")


def test_sixteen_digits():
    assert is_valid("4111 1111 1111 1111")
    assert is_valid("4012-8888-8888-1881")
    assert not is_valid("4111 1111 1111 1112")


def test_complete():
    assert complete("7992739871") == "79927398713"
    assert is_valid(complete("79-92"))


def test_bad_numbers():
    for text in ("", "12a4", "1.2"):
        with pytest.raises(ValueError):
            checksum(text)
""",
        hidden=r"""
def test_valid_numbers_of_all_lengths():
    for text in ("18", "26", "117", "1230", "59", "49927398716", "5555555555554444", "6011111111111117",
                 "30569309025904", "371449635398431", "0", "00", "1234567812345670"):
        assert is_valid(text), text


def test_invalid_numbers():
    for text in ("81", "62", "5", "1231", "49927398717", "1234567812345678", "5555555555554445"):
        assert not is_valid(text), text


def test_leading_zeros_make_no_difference():
    for n in range(0, 3000, 7):
        assert checksum(str(n)) == checksum("0" + str(n)) == checksum("000" + str(n))


def test_two_digits():
    for tens in range(10):
        for ones in range(10):
            doubled = sum(divmod(2 * tens, 10))
            assert checksum(f"{tens}{ones}") == (doubled + ones) % 10


def test_complete_many():
    assert complete("123") == "1230"
    assert complete("1") == "18"
    assert complete("411111111111111") == "4111111111111111"
    assert complete("37828224631000") == "378282246310005"
    for n in range(200):
        assert is_valid(complete(str(n)))
        assert complete(str(n))[:-1] == str(n)


def test_every_wrong_digit_is_noticed():
    good = "49927398716"
    for place in range(len(good)):
        for digit in "0123456789":
            changed = good[:place] + digit + good[place + 1:]
            assert is_valid(changed) == (changed == good)
""",
    ),
    Program(
        name="running_mean_and_variance",
        code=r'''"""Statistics of a stream of numbers that are not kept."""

import math


class Running:
    """Mean, variance and range of the numbers pushed so far (Welford's method)."""

    def __init__(self):
        self.count = 0
        self._mean = 0.0
        self._squares = 0.0
        self.smallest = math.inf
        self.largest = -math.inf

    def push(self, value):
        """Take one more number into account."""
        self.count += 1
        delta = value - self._mean
        self._mean += delta / self.count
        self._squares += delta * delta
        self.smallest = min(self.smallest, value)
        self.largest = max(self.largest, value)

    def mean(self):
        """The mean; ValueError when there are no numbers."""
        if not self.count:
            raise ValueError("no numbers")
        return self._mean

    def variance(self):
        """The variance of a sample; ValueError when there are fewer than two numbers."""
        if self.count < 2:
            raise ValueError("at least two numbers are needed")
        return self._squares / (self.count - 1)

    def deviation(self):
        """The standard deviation of a sample."""
        return math.sqrt(self.variance())
''',
        wrong="delta * delta",
        right="delta * (value - self._mean)",
        visible=r"""
def running(*values):
    r = Running()
    for value in values:
        r.push(value)
    return r


def test_mean():
    assert running(2, 4, 9).mean() == pytest.approx(5)
    assert running(7).mean() == 7
    assert running(-1, 1).mean() == 0


def test_range():
    r = running(3, -8, 5)
    assert (r.smallest, r.largest, r.count) == (-8, 5, 3)


def test_variance():
    assert running(0, 2, 2).variance() == pytest.approx(4 / 3)
    assert running(0, 0, 0).variance() == 0


def test_deviation():
    assert running(0, 3, 3, 0, 3).deviation() == pytest.approx(math.sqrt(2.7))
    assert running(0, 0).deviation() == 0


def test_too_few():
    with pytest.raises(ValueError):
        running().mean()
    with pytest.raises(ValueError):
        running(5).variance()
""",
        hidden=r"""
import statistics

SERIES = (
    [1, 2, 3, 4, 5, 6],
    [5, 5, 5, 5],
    [2, 4, 4, 4, 5, 5, 7, 9],
    [-3.5, 0.25, 10, -7.75, 2],
    [100, 1],
    [0, 0, 0, 1],
    [1e6, 1e6 + 1, 1e6 + 2, 1e6 + 3],
)


def test_against_statistics():
    for series in SERIES:
        r = Running()
        for n, value in enumerate(series, 1):
            r.push(value)
            assert r.count == n
            assert r.mean() == pytest.approx(statistics.mean(series[:n]))
            assert r.smallest == min(series[:n])
            assert r.largest == max(series[:n])
            if n > 1:
                assert r.variance() == pytest.approx(statistics.variance(series[:n]))
                assert r.deviation() == pytest.approx(statistics.stdev(series[:n]))


def test_equal_numbers_do_not_vary():
    r = Running()
    for _ in range(10):
        r.push(8)
    assert r.variance() == pytest.approx(0)
    assert r.deviation() == pytest.approx(0)


def test_shift_and_scale():
    plain, shifted, scaled = Running(), Running(), Running()
    for value in (3, 1, 4, 1, 5, 9, 2, 6):
        plain.push(value)
        shifted.push(value + 1000)
        scaled.push(-2 * value)
    assert shifted.variance() == pytest.approx(plain.variance())
    assert scaled.variance() == pytest.approx(4 * plain.variance())
    assert scaled.deviation() == pytest.approx(2 * plain.deviation())


def test_order_does_not_matter():
    a, b = Running(), Running()
    for value in (1, 10, 4, 7):
        a.push(value)
    for value in (7, 4, 10, 1):
        b.push(value)
    assert a.variance() == pytest.approx(15)
    assert b.variance() == pytest.approx(15)
""",
    ),
    Program(
        name="polynomials_as_lists",
        code=r'''"""Polynomials as lists of coefficients: [5, 0, 2] is 5 + 2x^2."""


def trim(poly):
    """The polynomial without zeros at its end; the zero polynomial is []."""
    end = len(poly)
    while end and poly[end - 1] == 0:
        end -= 1
    return poly[:end]


def add(first, second):
    """The sum of two polynomials."""
    size = max(len(first), len(second))
    padded = [poly + [0] * (size - len(poly)) for poly in (first, second)]
    return trim([a + b for a, b in zip(*padded)])


def multiply(first, second):
    """The product of two polynomials."""
    product = [0] * (len(first) + len(second))
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            product[i + j] = a * b
    return trim(product)


def power(poly, exponent):
    """A polynomial multiplied by itself; power 0 is [1]."""
    result = [1]
    for _ in range(exponent):
        result = multiply(result, poly)
    return result


def derivative(poly):
    """The derivative of a polynomial."""
    return trim([index * c for index, c in enumerate(poly)][1:])


def value(poly, x):
    """The value at x, by Horner's rule."""
    result = 0
    for coefficient in reversed(poly):
        result = result * x + coefficient
    return result
''',
        wrong="product[i + j] = a * b",
        right="product[i + j] += a * b",
        visible=r"""
def test_add():
    assert add([1, 2], [3, 0, 4]) == [4, 2, 4]
    assert add([1, 2], [0, -2]) == [1]
    assert add([], []) == []


def test_multiply_by_simple():
    assert multiply([1, 2, 3], [2]) == [2, 4, 6]
    assert multiply([1, 2], [0, 1]) == [0, 1, 2]
    assert multiply([], [1, 2]) == []


def test_multiply():
    assert multiply([1, 1], [1, 1]) == [1, 2, 1]
    assert multiply([1, 2], [3, 4]) == [3, 10, 8]


def test_power():
    assert power([2], 3) == [8]
    assert power([5, 1], 0) == [1]


def test_derivative():
    assert derivative([5, 3, 2]) == [3, 4]
    assert derivative([7]) == []


def test_value():
    assert value([5, 0, 2], 3) == 23
    assert value([], 4) == 0
""",
        hidden=r"""
import math

POLYS = ([], [3], [1, 1], [1, -1], [0, 2, 5], [4, 0, 0, -1], [-2, 7, 1, 3])


def test_product_has_the_product_of_the_values():
    for first in POLYS:
        for second in POLYS:
            product = multiply(first, second)
            assert product == multiply(second, first)
            assert product == trim(product)
            for x in range(-3, 4):
                assert value(product, x) == value(first, x) * value(second, x)


def test_terms_that_cancel():
    assert multiply([1, 1], [1, -1]) == [1, 0, -1]
    assert multiply([1, 1, 1], [1, -1]) == [1, 0, 0, -1]
    assert multiply([1, 0, 1], [1, 0, -1]) == [1, 0, 0, 0, -1]


def test_powers():
    for n in range(7):
        assert power([1, 1], n) == [math.comb(n, k) for k in range(n + 1)]
    assert power([1, 1, 1], 2) == [1, 2, 3, 2, 1]
    assert power([0, 2], 3) == [0, 0, 0, 8]
    assert power([], 2) == []


def test_distributive():
    for a in POLYS:
        for b in POLYS:
            for c in POLYS:
                assert multiply(a, add(b, c)) == add(multiply(a, b), multiply(a, c))


def test_product_rule():
    for a in POLYS:
        for b in POLYS:
            left = derivative(multiply(a, b))
            assert left == add(multiply(derivative(a), b), multiply(a, derivative(b)))


def test_arguments_are_not_changed():
    a, b = [1, 2, 3], [4, 5]
    assert multiply(a, b) == [4, 13, 22, 15]
    assert (a, b) == ([1, 2, 3], [4, 5])
""",
    ),
    Program(
        name="modular_inverse_by_euclid",
        code=r'''"""Euclid's algorithm and what can be done with it."""


def extended_gcd(a, b):
    """Three numbers g, x, y: the greatest common divisor of two
    non-negative numbers a and b, and factors with a*x + b*y == g."""
    if b == 0:
        return a, 1, 0
    g, x, y = extended_gcd(b, a % b)
    return g, y, x - (a // b) * x


def inverse(number, modulus):
    """The number in range(modulus) whose product with `number` leaves remainder 1.

    ValueError when there is none.
    """
    g, x, _ = extended_gcd(number % modulus, modulus)
    if g != 1:
        raise ValueError(f"{number} has no inverse modulo {modulus}")
    return x % modulus


def common_solution(first, second):
    """The smallest n >= 0 with given remainders.

    Each argument is a pair (remainder, modulus). ValueError when the moduli
    have a common factor.
    """
    (r1, m1), (r2, m2) = first, second
    steps = (r2 - r1) * inverse(m1, m2) % m2
    return (r1 + steps * m1) % (m1 * m2)
''',
        wrong="x - (a // b) * x",
        right="x - (a // b) * y",
        visible=r"""
def test_gcd():
    assert extended_gcd(48, 18)[0] == 6
    assert extended_gcd(7, 0) == (7, 1, 0)
    assert extended_gcd(35, 64)[0] == 1


def test_factors():
    for a, b in ((12, 4), (240, 46), (99, 78)):
        g, x, y = extended_gcd(a, b)
        assert a * x + b * y == g


def test_inverse():
    assert inverse(1, 9) == 1
    assert inverse(3, 7) == 5
    assert inverse(10, 17) == 12


def test_no_inverse():
    with pytest.raises(ValueError):
        inverse(4, 6)
    with pytest.raises(ValueError):
        inverse(0, 5)


def test_common_solution():
    assert common_solution((0, 3), (0, 5)) == 0
    assert common_solution((2, 3), (3, 5)) == 8
""",
        hidden=r"""
import math


def test_identity_for_many_pairs():
    for a in range(40):
        for b in range(40):
            g, x, y = extended_gcd(a, b)
            assert g == math.gcd(a, b)
            assert a * x + b * y == g


def test_all_small_inverses():
    for modulus in range(2, 40):
        for number in range(-20, 80):
            if math.gcd(number, modulus) == 1:
                result = inverse(number, modulus)
                assert 0 <= result < modulus
                assert number * result % modulus == 1
            else:
                with pytest.raises(ValueError):
                    inverse(number, modulus)


def test_factors_stay_small():
    for a, b in ((1071, 462), (1000, 777), (233, 144), (17, 3120)):
        _, x, y = extended_gcd(a, b)
        assert abs(x) <= b and abs(y) <= a


def test_all_remainders():
    for m1, m2 in ((3, 5), (4, 9), (7, 2), (1, 6), (8, 15)):
        for n in range(m1 * m2):
            assert common_solution((n % m1, m1), (n % m2, m2)) == n


def test_moduli_with_common_factor():
    with pytest.raises(ValueError):
        common_solution((1, 4), (3, 6))


def test_large_numbers():
    assert inverse(3, 1000000007) == 333333336
    assert inverse(65537, 2 ** 61 - 1) == pow(65537, -1, 2 ** 61 - 1)
""",
    ),
    Program(
        name="dijkstra_distances",
        code=r'''"""Shortest ways in a network with lengths.

A network is a dictionary: node -> {neighbour: length}, with positive lengths.
"""

import heapq


def distances(network, start):
    """The length of the shortest way from the start to each node that can be reached."""
    best = {}
    frontier = [(0, start)]
    while frontier:
        distance, node = heapq.heappop(frontier)
        if node in best:
            continue
        best[node] = distance
        for neighbour, length in network.get(node, {}).items():
            if neighbour not in best:
                heapq.heappush(frontier, (length, neighbour))
    return best


def within(network, start, limit):
    """The nodes whose distance from the start is at most the limit, by name."""
    return sorted(node for node, distance in distances(network, start).items() if distance <= limit)


def farthest(network, start):
    """The largest distance from the start to a node that can be reached."""
    return max(distances(network, start).values())


def reversed_network(network):
    """The network with the direction of each connection reversed."""
    result = {node: {} for node in network}
    for node, neighbours in network.items():
        for neighbour, length in neighbours.items():
            result.setdefault(neighbour, {})[node] = length
    return result
''',
        wrong="heapq.heappush(frontier, (length, neighbour))",
        right="heapq.heappush(frontier, (distance + length, neighbour))",
        visible=r"""
ROADS = {"a": {"b": 4, "c": 1}, "b": {"d": 1}, "c": {"b": 2, "d": 5}, "d": {}}


def test_direct_neighbours():
    assert distances({"x": {"y": 3, "z": 7}}, "x") == {"x": 0, "y": 3, "z": 7}
    assert distances({}, "x") == {"x": 0}


def test_unreachable_nodes_are_missing():
    assert "a" not in distances(ROADS, "b")
    assert distances(ROADS, "d") == {"d": 0}


def test_shorter_detour():
    assert distances(ROADS, "a") == {"a": 0, "c": 1, "b": 3, "d": 4}


def test_within():
    assert within({"x": {"y": 3, "z": 7}}, "x", 5) == ["x", "y"]
    assert within(ROADS, "d", 9) == ["d"]


def test_farthest():
    assert farthest({"x": {"y": 3, "z": 7}}, "x") == 7
    assert farthest(ROADS, "d") == 0


def test_reversed_network():
    assert reversed_network({"a": {"b": 2}}) == {"a": {}, "b": {"a": 2}}
""",
        hidden=r"""
def brute_force(network, start):
    best = {start: 0}
    for _ in range(30):
        for node in list(best):
            for neighbour, length in network.get(node, {}).items():
                best[neighbour] = min(best.get(neighbour, 10 ** 9), best[node] + length)
    return best


NETWORKS = (
    {n: {(n * 3 + 1) % 11: n % 4 + 1, (n * 5 + 2) % 11: n % 3 + 2, (n + 1) % 11: 9} for n in range(11)},
    {n: {n + 1: 1, n + 2: 3} for n in range(8)},
    {"a": {"b": 10, "c": 3}, "b": {"a": 10, "c": 4, "d": 2}, "c": {"a": 3, "b": 4, "d": 8}, "d": {"b": 2}},
    {1: {2: 0.5, 3: 2.0}, 2: {3: 0.25, 1: 1.0}, 4: {1: 1.0}},
)


def test_against_brute_force():
    for network in NETWORKS:
        for start in network:
            assert distances(network, start) == brute_force(network, start)


def test_long_chain():
    chain = {n: {n + 1: 2} for n in range(50)}
    assert distances(chain, 0) == {n: 2 * n for n in range(51)}
    assert farthest(chain, 10) == 80
    assert within(chain, 3, 5) == [3, 4, 5]


def test_many_short_steps_against_one_long():
    network = {"s": {"t": 10, "a": 3}, "a": {"b": 3}, "b": {"t": 3}}
    assert distances(network, "s")["t"] == 9
    network["b"]["t"] = 5
    assert distances(network, "s")["t"] == 10
    network["s"]["t"] = 12
    assert distances(network, "s")["t"] == 11


def test_cycle():
    ring = {n: {(n + 1) % 6: 1} for n in range(6)}
    assert distances(ring, 2) == {2: 0, 3: 1, 4: 2, 5: 3, 0: 4, 1: 5}
    assert distances(reversed_network(ring), 2) == {2: 0, 1: 1, 0: 2, 5: 3, 4: 4, 3: 5}


def test_reversed_distances():
    network = NETWORKS[0]
    back = reversed_network(network)
    for a in network:
        for b in network:
            assert distances(network, a).get(b) == distances(back, b).get(a)
""",
    ),
    Program(
        name="cycle_in_dependencies",
        code=r'''"""Dependencies between tasks: task -> list of the tasks that it needs."""


def find_cycle(needs):
    """A cycle, as a list of tasks in which each needs the next one.

    The first task stands at the end again; no other task occurs twice. None
    when there is no cycle.
    """
    done = set()
    for task in needs:
        cycle = _search(needs, task, [], done)
        if cycle:
            return cycle
    return None


def _search(needs, task, path, done):
    if task in path:
        return path + [task]
    if task in done:
        return None
    for needed in needs.get(task, ()):
        cycle = _search(needs, needed, path + [task], done)
        if cycle:
            return cycle
    done.add(task)
    return None


def describe(needs):
    """A sentence for the user."""
    cycle = find_cycle(needs)
    if cycle is None:
        return "no cycle"
    return "cycle: " + " -> ".join(cycle)
''',
        wrong="return path + [task]",
        right="return path[path.index(task):] + [task]",
        visible=r"""
def test_no_cycle():
    assert find_cycle({}) is None
    assert find_cycle({"a": ["b", "c"], "b": ["c"]}) is None
    assert find_cycle({"a": []}) is None


def test_cycle_from_the_first_task():
    assert find_cycle({"a": ["b"], "b": ["a"]}) == ["a", "b", "a"]
    assert find_cycle({"a": ["b"], "b": ["c"], "c": ["a"]}) == ["a", "b", "c", "a"]


def test_task_that_needs_itself():
    assert find_cycle({"a": ["a"]}) == ["a", "a"]


def test_cycle_behind_other_tasks():
    assert find_cycle({"a": ["b"], "b": ["c"], "c": ["b"]}) == ["b", "c", "b"]


def test_describe():
    assert describe({"a": ["b"]}) == "no cycle"
    assert describe({"a": ["b"], "b": ["a"]}) == "cycle: a -> b -> a"
""",
        hidden=r"""
import itertools


def check(needs):
    cycle = find_cycle(needs)
    if cycle is not None:
        assert len(cycle) >= 2
        assert cycle[0] == cycle[-1]
        assert len(set(cycle[1:])) == len(cycle) - 1
        for task, needed in zip(cycle, cycle[1:]):
            assert needed in needs[task]
    return cycle


def test_all_graphs_of_three_tasks():
    pairs = [(a, b) for a in "abc" for b in "abc"]
    for size in range(5):
        for chosen in itertools.combinations(pairs, size):
            needs = {task: [b for a, b in chosen if a == task] for task in "abc"}
            acyclic = any(
                all(order.index(b) < order.index(a) for a, b in chosen)
                for order in itertools.permutations("abc")
            )
            assert (check(needs) is None) == acyclic


def test_long_way_into_the_cycle():
    needs = {str(n): [str(n + 1)] for n in range(6)}
    needs["6"] = ["3"]
    assert find_cycle(needs) == ["3", "4", "5", "6", "3"]
    needs["6"] = ["6"]
    assert find_cycle(needs) == ["6", "6"]
    needs["6"] = ["5"]
    assert describe(needs) == "cycle: 5 -> 6 -> 5"


def test_dead_ends_are_not_in_the_cycle():
    needs = {"start": ["x", "y"], "x": ["z"], "y": ["x", "w"], "w": ["z", "y"]}
    assert find_cycle(needs) == ["y", "w", "y"]


def test_cycle_in_another_part():
    needs = {"a": ["b"], "p": ["q"], "q": ["r"], "r": ["q"]}
    assert find_cycle(needs) == ["q", "r", "q"]
    assert check({"a": ["b"], "p": ["q"], "q": ["a"]}) is None


def test_description_behind_other_tasks():
    assert describe({"build": ["test"], "test": ["lint", "run"], "run": ["test"]}) == "cycle: test -> run -> test"
""",
    ),
    Program(
        name="union_find_spanning_tree",
        code=r'''"""Groups that are joined step by step, and cheapest networks."""


class Groups:
    """Items in groups; at first each item is a group of its own."""

    def __init__(self, items):
        self._parent = {item: item for item in items}
        self.count = len(self._parent)

    def find(self, item):
        """The representative of the item's group."""
        while self._parent[item] != item:
            self._parent[item] = self._parent[self._parent[item]]
            item = self._parent[item]
        return item

    def join(self, first, second):
        """Join the groups of two items; False when it is one group already."""
        root = self.find(first)
        other = self.find(second)
        if root == other:
            return False
        self._parent[second] = root
        self.count -= 1
        return True

    def together(self, first, second):
        """Whether two items are in one group."""
        return self.find(first) == self.find(second)


def cheapest_network(nodes, edges):
    """The edges (cost, a, b) of the cheapest network that connects all nodes.

    They are in order of cost. ValueError when the nodes cannot be connected.
    """
    groups = Groups(nodes)
    chosen = [edge for edge in sorted(edges) if groups.join(edge[1], edge[2])]
    if groups.count > 1:
        raise ValueError("not connected")
    return chosen
''',
        wrong="self._parent[second] = root",
        right="self._parent[other] = root",
        visible=r"""
def test_at_first_apart():
    g = Groups("abc")
    assert g.count == 3
    assert not g.together("a", "b")
    assert g.together("c", "c")


def test_join_two():
    g = Groups("abc")
    assert g.join("a", "b")
    assert g.together("b", "a")
    assert not g.together("a", "c")
    assert g.count == 2


def test_join_again():
    g = Groups([1, 2])
    assert g.join(1, 2)
    assert not g.join(2, 1)
    assert g.count == 1


def test_join_larger_groups():
    g = Groups(range(4))
    g.join(0, 1)
    g.join(2, 3)
    assert g.join(1, 3)
    assert g.together(0, 2)
    assert g.count == 1


def test_cheapest_network():
    edges = [(3, "a", "b"), (1, "b", "c"), (2, "a", "c")]
    assert cheapest_network("abc", edges) == [(1, "b", "c"), (2, "a", "c")]
    with pytest.raises(ValueError):
        cheapest_network("abcd", edges)
""",
        hidden=r"""
import itertools


def partition(g, items):
    return {frozenset(b for b in items if g.together(a, b)) for a in items}


def test_against_sets():
    pairs = [(0, 1), (2, 3), (4, 5), (1, 3), (5, 3), (6, 2), (0, 4), (7, 7)]
    for order in itertools.permutations(pairs[:6]):
        g = Groups(range(8))
        sets = {frozenset([n]) for n in range(8)}
        for a, b in order + ((0, 4), (7, 7)):
            first = next(s for s in sets if a in s)
            second = next(s for s in sets if b in s)
            assert g.join(a, b) == (first != second)
            sets = (sets - {first, second}) | {first | second}
            assert partition(g, range(8)) == sets
            assert g.count == len(sets)


def test_second_item_is_not_the_root():
    for a, b in itertools.product("abc", "xyz"):
        for swapped in (False, True):
            g = Groups("abcxyz")
            g.join("a", "b")
            g.join("b", "c")
            g.join("x", "y")
            g.join("y", "z")
            assert g.join(b, a) if swapped else g.join(a, b)
            assert all(g.together(p, q) for p in "abcxyz" for q in "abcxyz")
            assert g.count == 1


def test_network_of_six():
    edges = [(4, 0, 1), (4, 0, 2), (2, 1, 2), (3, 2, 3), (6, 2, 5), (1, 2, 4), (5, 3, 4), (7, 4, 5)]
    network = cheapest_network(range(6), edges)
    assert network == [(1, 2, 4), (2, 1, 2), (3, 2, 3), (4, 0, 1), (6, 2, 5)]
    assert sum(cost for cost, _, _ in network) == 16


def test_network_of_joined_pairs():
    edges = [(1, "a", "b"), (1, "c", "d"), (2, "b", "d"), (3, "a", "c"), (3, "b", "c")]
    assert cheapest_network("abcd", edges) == [(1, "a", "b"), (1, "c", "d"), (2, "b", "d")]
    with pytest.raises(ValueError):
        cheapest_network("abcd", edges[:2])
    assert cheapest_network("a", []) == []


def test_all_joined_one_after_another():
    g = Groups(range(10))
    for n in range(9):
        assert g.join(9, n) if n % 2 else g.join(n, 9)
    assert g.count == 1
    assert len({g.find(n) for n in range(10)}) == 1
""",
    ),
    Program(
        name="all_pairs_of_towns",
        code=r'''"""Distances between all towns of a map with one-way roads (Floyd and Warshall)."""

from math import inf


def all_distances(towns, roads):
    """A dictionary (a, b) -> length of the shortest way, infinite when there is none.

    Roads are a dictionary (a, b) -> length of the road from a to b.
    """
    dist = {(a, b): roads.get((a, b), inf) for a in towns for b in towns}
    for town in towns:
        dist[town, town] = 0
    for via in towns:
        for a in towns:
            for b in towns:
                dist[a, b] = min(dist[a, b], dist[a, via] + dist[b, via])
    return dist


def best_meeting_point(towns, roads):
    """The town with the smallest sum of the distances from all towns; the first of equal ones."""
    dist = all_distances(towns, roads)
    return min(towns, key=lambda goal: sum(dist[start, goal] for start in towns))


def is_connected(towns, roads):
    """Whether each town can be reached from each other one."""
    return inf not in all_distances(towns, roads).values()


def both_ways(roads):
    """The same roads, usable in both directions."""
    return {**roads, **{(b, a): length for (a, b), length in roads.items()}}
''',
        wrong="dist[a, via] + dist[b, via]",
        right="dist[a, via] + dist[via, b]",
        visible=r"""
from math import inf


def test_single_roads():
    dist = all_distances("ab", {("a", "b"): 5})
    assert dist["a", "b"] == 5
    assert dist["b", "a"] == inf
    assert dist["a", "a"] == 0


def test_roads_in_both_directions():
    dist = all_distances("abc", both_ways({("a", "b"): 2, ("b", "c"): 3, ("a", "c"): 9}))
    assert dist["a", "c"] == 5
    assert dist["c", "a"] == 5


def test_one_way_roads():
    dist = all_distances("abc", {("a", "b"): 1, ("b", "c"): 2})
    assert dist["a", "c"] == 3
    assert dist["c", "a"] == inf


def test_is_connected():
    assert is_connected("ab", {("a", "b"): 1, ("b", "a"): 1})
    assert not is_connected("ab", {("a", "b"): 1})


def test_best_meeting_point():
    assert best_meeting_point("abc", both_ways({("a", "b"): 1, ("b", "c"): 1})) == "b"
    assert best_meeting_point("a", {}) == "a"
""",
        hidden=r"""
from math import inf


def slowly(towns, roads, start):
    best = {town: inf for town in towns}
    best[start] = 0
    for _ in towns:
        for (a, b), length in roads.items():
            best[b] = min(best[b], best[a] + length)
    return best


MAPS = (
    ("abcd", {("a", "b"): 1, ("b", "c"): 1, ("c", "d"): 1, ("d", "a"): 1}),
    ("abcde", {("a", "b"): 3, ("b", "a"): 8, ("b", "c"): 2, ("a", "d"): 7, ("c", "a"): 5, ("c", "d"): 1, ("d", "a"): 2}),
    (range(7), {(n, (3 * n + 2) % 7): n + 1 for n in range(7)} | {(n, (n + 4) % 7): 5 for n in range(5)}),
    ("xyz", {("x", "z"): 1, ("y", "z"): 1}),
    ("xyz", {("z", "x"): 1, ("z", "y"): 4}),
)


def test_against_single_starts():
    for towns, roads in MAPS:
        dist = all_distances(towns, roads)
        assert len(dist) == len(towns) ** 2
        for start in towns:
            best = slowly(towns, roads, start)
            assert all(dist[start, goal] == best[goal] for goal in towns)


def test_ring():
    towns, roads = MAPS[0]
    dist = all_distances(towns, roads)
    assert [dist["a", town] for town in towns] == [0, 1, 2, 3]
    assert [dist[town, "a"] for town in towns] == [0, 3, 2, 1]
    assert is_connected(towns, roads)


def test_common_goal_does_not_connect():
    towns, roads = MAPS[3]
    dist = all_distances(towns, roads)
    assert dist["x", "y"] == dist["y", "x"] == inf
    assert not is_connected(towns, roads)
    assert best_meeting_point(towns, roads) == "z"


def test_detour_in_one_direction():
    roads = {("a", "b"): 10, ("b", "a"): 10, ("a", "c"): 2, ("c", "b"): 3}
    dist = all_distances("abc", roads)
    assert dist["a", "b"] == 5
    assert dist["b", "a"] == 10
    assert dist["c", "a"] == 13
    assert dist["b", "c"] == 12
    assert best_meeting_point("abc", roads) == "b"


def test_both_ways_is_symmetric():
    for towns, roads in (MAPS[0], MAPS[3], MAPS[4]):
        dist = all_distances(towns, both_ways(roads))
        assert all(dist[a, b] == dist[b, a] for a in towns for b in towns)
""",
    ),
    Program(
        name="islands_on_a_map",
        code=r'''"""Maps as lists of equally long strings: "#" is land, everything else water."""


def is_land(rows, row, column):
    """Whether the place is on the map and is land."""
    return row < len(rows) and column < len(rows[row]) and rows[row][column] == "#"


def neighbours(row, column):
    """The places above, below, to the left and to the right."""
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def islands(rows):
    """The islands as sets of places (row, column), in reading order of their first places."""
    found = []
    seen = set()
    for row in range(len(rows)):
        for column in range(len(rows[row])):
            if is_land(rows, row, column) and (row, column) not in seen:
                island = {(row, column)}
                waiting = [(row, column)]
                while waiting:
                    for place in neighbours(*waiting.pop()):
                        if is_land(rows, *place) and place not in island:
                            island.add(place)
                            waiting.append(place)
                seen |= island
                found.append(island)
    return found


def coast(rows, island):
    """The number of sides of land that do not touch land; outside of the map is water."""
    return sum(not is_land(rows, *side) for place in island for side in neighbours(*place))
''',
        wrong="return row < len(rows) and column < len(rows[row])",
        right="return 0 <= row < len(rows) and 0 <= column < len(rows[row])",
        visible=r"""
def test_is_land():
    rows = ["..#", ".#."]
    assert is_land(rows, 0, 2)
    assert not is_land(rows, 0, 0)
    assert not is_land(rows, 2, 0)
    assert not is_land(rows, 0, 3)


def test_islands_away_from_the_edge():
    assert islands([".....", ".##..", "...#.", "....."]) == [{(1, 1), (1, 2)}, {(2, 3)}]
    assert islands(["...", "..."]) == []
    assert islands([]) == []


def test_islands_at_opposite_edges():
    assert islands(["#.#"]) == [{(0, 0)}, {(0, 2)}]


def test_single_place_in_the_corner():
    assert islands(["#..", "...", "..."]) == [{(0, 0)}]
    assert islands(["...", "...", "..#"]) == [{(2, 2)}]


def test_coast():
    rows = ["....", ".##.", "...."]
    assert coast(rows, {(1, 1), (1, 2)}) == 6
""",
        hidden=r"""
import itertools


def test_outside_of_the_map_is_water():
    rows = ["###", "###"]
    for row in range(-4, 6):
        for column in range(-5, 7):
            assert is_land(rows, row, column) == (row in (0, 1) and column in (0, 1, 2))


def test_full_map():
    assert islands(["###", "###"]) == [set(itertools.product(range(2), range(3)))]
    assert coast(["###", "###"], islands(["###", "###"])[0]) == 10
    assert coast(["#"], {(0, 0)}) == 4


def test_edges_do_not_wrap():
    assert islands(["#..", "...", "#.."]) == [{(0, 0)}, {(2, 0)}]
    assert islands(["##.#", "....", "#..#"]) == [{(0, 0), (0, 1)}, {(0, 3)}, {(2, 0)}, {(2, 3)}]
    rows = ["#.#", "#.#"]
    assert [coast(rows, island) for island in islands(rows)] == [6, 6]


def test_all_maps_of_three_by_three():
    places = list(itertools.product(range(3), range(3)))
    for land in itertools.product("#.", repeat=9):
        rows = ["".join(land[n:n + 3]) for n in (0, 3, 6)]
        found = islands(rows)
        covered = [place for island in found for place in island]
        assert sorted(covered) == [p for p in places if rows[p[0]][p[1]] == "#"]
        for a, b in itertools.combinations(found, 2):
            assert all(abs(p - r) + abs(q - s) > 1 for p, q in a for r, s in b)
        for island in found:
            group = {min(island)}
            for _ in range(9):
                group |= {p for p in island for q in group if abs(p[0] - q[0]) + abs(p[1] - q[1]) == 1}
            assert group == island
        assert [min(island) for island in found] == sorted(min(island) for island in found)


def test_coast_at_the_edge():
    assert coast(["##.#"], {(0, 0), (0, 1)}) == 6
    assert coast(["#", ".", "#"], {(0, 0)}) == 4
    assert coast([".#.", "###", ".#."], {(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)}) == 12
""",
    ),
    Program(
        name="bridges_of_a_network",
        code=r'''"""Connections that a network cannot do without.

A network is a dictionary: node -> list of neighbours; connections go both ways.
"""


def bridges(network):
    """The connections without which the network falls into more parts.

    Each is a sorted pair; the pairs are in order.
    """
    entered = {}
    lowest = {}
    found = []

    def visit(node, parent):
        entered[node] = lowest[node] = len(entered)
        for neighbour in network[node]:
            if neighbour == parent:
                continue
            if neighbour in entered:
                lowest[node] = min(lowest[node], entered[neighbour])
                continue
            visit(neighbour, node)
            lowest[node] = min(lowest[node], lowest[neighbour])
            if lowest[neighbour] >= entered[node]:
                found.append(tuple(sorted((node, neighbour))))

    for node in network:
        if node not in entered:
            visit(node, None)
    return sorted(found)


def network_of(pairs):
    """The network with these connections."""
    network = {}
    for a, b in pairs:
        network.setdefault(a, []).append(b)
        network.setdefault(b, []).append(a)
    return network
''',
        wrong="lowest[neighbour] >= entered[node]",
        right="lowest[neighbour] > entered[node]",
        visible=r"""
def test_network_of():
    assert network_of([(1, 2), (2, 3)]) == {1: [2], 2: [1, 3], 3: [2]}
    assert network_of([]) == {}


def test_chain():
    assert bridges(network_of([("a", "b"), ("b", "c")])) == [("a", "b"), ("b", "c")]
    assert bridges({}) == []


def test_star():
    assert bridges(network_of([(5, 1), (5, 2), (3, 5)])) == [(1, 5), (2, 5), (3, 5)]


def test_ring():
    assert bridges(network_of([(1, 2), (2, 3), (3, 1)])) == []


def test_two_parts():
    assert bridges({"a": ["b"], "b": ["a"], "c": []}) == [("a", "b")]
""",
        hidden=r"""
import itertools


def parts(nodes, pairs):
    groups = [{node} for node in nodes]
    for a, b in pairs:
        first = next(g for g in groups if a in g)
        second = next(g for g in groups if b in g)
        if first is not second:
            groups.remove(second)
            first |= second
    return len(groups)


def slowly(nodes, pairs):
    return sorted(p for p in pairs if parts(nodes, [q for q in pairs if q != p]) > parts(nodes, pairs))


def test_all_networks_of_five_nodes():
    nodes = range(5)
    all_pairs = list(itertools.combinations(nodes, 2))
    for size in range(8):
        for pairs in itertools.combinations(all_pairs, size):
            network = {node: [] for node in nodes} | network_of(pairs)
            assert bridges(network) == slowly(nodes, pairs)


def test_ring_with_tail():
    pairs = [("t", "a"), ("a", "b"), ("b", "c"), ("c", "d"), ("d", "b")]
    for order in itertools.permutations(pairs):
        assert bridges(network_of(order)) == [("a", "b"), ("a", "t")]


def test_two_rings():
    ring = [(0, 1), (1, 2), (2, 0)]
    other = [(3, 4), (4, 5), (5, 6), (6, 3)]
    assert bridges(network_of(ring + other)) == []
    assert bridges(network_of(ring + other + [(4, 2)])) == [(2, 4)]
    assert bridges(network_of(ring + other + [(4, 2), (0, 6)])) == []


def test_rings_that_share_a_node():
    assert bridges(network_of([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)])) == []
    assert bridges(network_of([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (2, 9)])) == [(2, 9)]
""",
    ),
    Program(
        name="token_bucket_limiter",
        code=r'''"""Limiting how often something may happen; the time is told by the caller."""


class TokenBucket:
    """A bucket that holds at most `capacity` tokens and gains `rate` of them per second.

    It is full at the start. An action is allowed when its cost is in the bucket.
    """

    def __init__(self, capacity, rate, now=0):
        if capacity <= 0 or rate <= 0:
            raise ValueError("capacity and rate must be positive")
        self._capacity = capacity
        self._rate = rate
        self._tokens = capacity
        self._updated = now

    def _refill(self, now):
        if now < self._updated:
            raise ValueError("time does not run backwards")
        gained = (now - self._updated) * self._rate
        self._tokens = self._tokens + gained
        self._updated = now

    def available(self, now):
        """The tokens in the bucket at this time."""
        self._refill(now)
        return self._tokens

    def allow(self, now, cost=1):
        """Whether an action is allowed now; if so, its cost is taken from the bucket."""
        if cost > self.available(now):
            return False
        self._tokens -= cost
        return True

    def wait(self, now, cost=1):
        """How many seconds to wait before the cost is there; None when it never will be."""
        if cost > self._capacity:
            return None
        return max(0, cost - self.available(now)) / self._rate
''',
        wrong="self._tokens = self._tokens + gained",
        right="self._tokens = min(self._capacity, self._tokens + gained)",
        visible=r"""
def test_full_at_the_start():
    b = TokenBucket(3, 1)
    assert [b.allow(0) for _ in range(4)] == [True, True, True, False]
    assert b.available(0) == 0


def test_refill():
    b = TokenBucket(2, 0.5)
    assert b.allow(0, 2)
    assert not b.allow(1)
    assert b.allow(2)
    assert b.available(4) == 1


def test_full_again_after_a_long_time():
    b = TokenBucket(2, 1)
    b.allow(0, 2)
    assert b.available(100) == 2
    assert not b.allow(100, 3)


def test_wait():
    b = TokenBucket(4, 2)
    assert b.wait(0) == 0
    b.allow(0, 4)
    assert b.wait(0, 3) == 1.5
    assert b.wait(1, 5) is None


def test_errors():
    with pytest.raises(ValueError):
        TokenBucket(0, 1)
    b = TokenBucket(1, 1, now=10)
    with pytest.raises(ValueError):
        b.allow(9)
""",
        hidden=r"""
def test_never_more_than_the_capacity():
    for capacity in (1, 3, 10):
        for rate in (0.25, 1, 4):
            b = TokenBucket(capacity, rate)
            tokens, last = capacity, 0
            for now, cost in ((0, 1), (1, 2), (1, 1), (5, 3), (6, 1), (30, 4), (31, 9), (32, 1), (32.5, 1)):
                tokens = min(capacity, tokens + (now - last) * rate)
                last = now
                assert b.available(now) == tokens
                allowed = cost <= tokens
                assert b.allow(now, cost) == allowed
                tokens -= cost if allowed else 0


def test_unused_bucket_does_not_overflow():
    b = TokenBucket(5, 2, now=100)
    assert b.available(100) == 5
    assert b.available(101) == 5
    assert b.allow(1000, 5)
    assert not b.allow(1000, 1)
    assert b.available(1001) == 2


def test_burst_after_a_pause():
    b = TokenBucket(3, 1)
    b.allow(0)
    assert [b.allow(60) for _ in range(5)] == [True, True, True, False, False]
    assert b.allow(61)
    assert not b.allow(61)


def test_partial_refill_stays_exact():
    b = TokenBucket(10, 0.5)
    assert b.allow(0, 10)
    assert [b.available(t) for t in (1, 2, 3, 19, 20, 21)] == [0.5, 1.0, 1.5, 9.5, 10, 10]


def test_wait_after_a_pause():
    b = TokenBucket(4, 2)
    b.allow(50, 4)
    assert b.wait(50, 4) == 2
    assert b.wait(51, 4) == 1
    assert b.wait(70, 4) == 0
    b.allow(70, 4)
    assert b.wait(70, 2) == 1
    assert b.wait(70, 4.5) is None
""",
    ),
    Program(
        name="editor_with_undo_and_redo",
        code=r'''"""A text that remembers what was done to it."""


class Editor:
    """A text with undo and redo; a new change makes redo impossible."""

    def __init__(self, text=""):
        self.text = text
        self._before = []
        self._after = []

    def _change(self, text):
        self._before.append(self.text)
        self._after.clear()
        self.text = text

    def type(self, addition):
        """Add something at the end."""
        self._change(self.text + addition)

    def delete(self, count):
        """Remove the last characters."""
        self._change(self.text[:max(0, len(self.text) - count)])

    def replace(self, old, new):
        """Replace every occurrence of a text; no change when there is none."""
        if old in self.text:
            self._change(self.text.replace(old, new))

    def undo(self):
        """Take back the last change; False when there is none."""
        if not self._before:
            return False
        self._after.append(self.text)
        self.text = self._before.pop()
        return True

    def redo(self):
        """Make a change again that was taken back; False when there is none."""
        if not self._after:
            return False
        following = self._after.pop()
        self._before.append(following)
        self.text = following
        return True
''',
        wrong="self._before.append(following)",
        right="self._before.append(self.text)",
        visible=r"""
def test_changes():
    e = Editor("one")
    e.type(" two")
    assert e.text == "one two"
    e.replace("o", "0")
    assert e.text == "0ne tw0"
    e.delete(4)
    assert e.text == "0ne"


def test_undo():
    e = Editor()
    e.type("a")
    e.type("b")
    assert e.undo()
    assert e.text == "a"
    assert e.undo()
    assert e.text == ""
    assert not e.undo()


def test_redo():
    e = Editor()
    e.type("a")
    e.type("b")
    e.undo()
    e.undo()
    assert e.redo()
    assert e.text == "a"
    assert e.redo()
    assert e.text == "ab"
    assert not e.redo()


def test_undo_after_redo():
    e = Editor("x")
    e.type("y")
    e.undo()
    e.redo()
    assert e.undo()
    assert e.text == "x"


def test_change_forgets_redo():
    e = Editor()
    e.type("a")
    e.undo()
    e.type("b")
    assert not e.redo()
    assert e.text == "b"
""",
        hidden=r"""
def test_forth_and_back_many_times():
    e = Editor()
    states = [""]
    for addition in ("one ", "two ", "three"):
        e.type(addition)
        states.append(e.text)
    e.delete(5)
    states.append(e.text)
    for _ in range(3):
        for state in states[-2::-1]:
            assert e.undo()
            assert e.text == state
        assert not e.undo()
        for state in states[1:]:
            assert e.redo()
            assert e.text == state
        assert not e.redo()


def test_single_steps_back_and_forth():
    e = Editor("a")
    e.type("b")
    e.type("c")
    for _ in range(4):
        assert e.undo()
        assert e.text == "ab"
        assert e.redo()
        assert e.text == "abc"
    assert e.undo() and e.undo()
    assert e.text == "a"
    assert not e.undo()


def test_change_after_redo():
    e = Editor()
    e.type("1")
    e.type("2")
    e.undo()
    e.undo()
    e.redo()
    e.type("3")
    assert e.text == "13"
    assert not e.redo()
    assert e.undo()
    assert e.text == "1"
    assert e.undo()
    assert e.text == ""
    assert e.redo() and e.redo()
    assert e.text == "13"


def test_replace_without_match_is_no_change():
    e = Editor("abc")
    e.replace("b", "x")
    e.undo()
    e.replace("q", "z")
    assert e.redo()
    assert e.text == "axc"
    assert e.undo()
    assert e.text == "abc"
    assert not e.undo()


def test_delete_more_than_there_is():
    e = Editor("ab")
    e.delete(5)
    assert e.text == ""
    e.undo()
    assert e.text == "ab"
    e.redo()
    assert e.text == ""
    e.undo()
    assert e.text == "ab"
""",
    ),
    Program(
        name="vending_machine_stock",
        code=r'''"""A machine that sells snacks for coins."""


class SoldOut(Exception):
    """There is none of the product left."""


class TooLittleMoney(Exception):
    """The coins do not cover the price."""


class Machine:
    """Products with prices and stock, the coins put in and the money taken."""

    def __init__(self, prices):
        self._prices = dict(prices)
        self._stock = dict.fromkeys(prices, 0)
        self.credit = 0
        self.taken = 0

    def fill(self, product, count):
        """Add to the stock of a product."""
        self._stock[product] += count

    def insert(self, coin):
        """Put in a coin; ValueError when it is none."""
        if coin not in (5, 10, 20, 50, 100, 200):
            raise ValueError("unknown coin")
        self.credit += coin

    def buy(self, product):
        """Take out one piece; the rest of the money stays as credit."""
        if not self._stock[product]:
            raise SoldOut(product)
        if self.credit < self._prices[product]:
            raise TooLittleMoney(product)
        self._stock[product] =- 1
        self.credit -= self._prices[product]
        self.taken += self._prices[product]

    def refund(self):
        """Give back the credit and return how much it was."""
        amount, self.credit = self.credit, 0
        return amount

    def sold_out(self):
        """The names of the products of which none is left, sorted."""
        return sorted(product for product, count in self._stock.items() if not count)
''',
        wrong="self._stock[product] =- 1",
        right="self._stock[product] -= 1",
        visible=r"""
def filled():
    m = Machine({"chips": 120, "gum": 50})
    m.fill("chips", 1)
    m.fill("gum", 3)
    return m


def test_insert_and_refund():
    m = filled()
    m.insert(50)
    m.insert(20)
    assert m.credit == 70
    assert m.refund() == 70
    assert m.credit == 0
    with pytest.raises(ValueError):
        m.insert(3)


def test_buy():
    m = filled()
    m.insert(200)
    m.buy("gum")
    assert m.credit == 150
    assert m.taken == 50
    m.buy("gum")
    assert m.refund() == 100


def test_too_little_money():
    m = filled()
    m.insert(100)
    with pytest.raises(TooLittleMoney):
        m.buy("chips")
    assert m.credit == 100
    assert m.taken == 0


def test_last_piece():
    m = filled()
    m.insert(200)
    m.insert(200)
    m.buy("chips")
    assert m.sold_out() == ["chips"]
    with pytest.raises(SoldOut):
        m.buy("chips")


def test_empty_machine():
    m = Machine({"b": 5, "a": 5})
    assert m.sold_out() == ["a", "b"]
    with pytest.raises(SoldOut):
        m.buy("a")
""",
        hidden=r"""
def test_exactly_as_many_as_filled_in():
    for count in range(1, 6):
        m = Machine({"bar": 20, "nut": 10})
        m.fill("bar", count)
        m.fill("nut", 1)
        for _ in range(8):
            m.insert(20)
        for _ in range(count):
            assert m.sold_out() == []
            m.buy("bar")
        assert m.sold_out() == ["bar"]
        with pytest.raises(SoldOut):
            m.buy("bar")
        assert m.taken == 20 * count
        assert m.credit == 160 - 20 * count


def test_filling_again():
    m = Machine({"bar": 5})
    m.fill("bar", 2)
    m.insert(100)
    m.buy("bar")
    m.fill("bar", 1)
    m.buy("bar")
    m.buy("bar")
    assert m.sold_out() == ["bar"]
    m.fill("bar", 1)
    assert m.sold_out() == []
    m.buy("bar")
    assert m.sold_out() == ["bar"]
    assert m.refund() == 80


def test_failed_purchase_keeps_the_stock():
    m = Machine({"bar": 20})
    m.fill("bar", 1)
    m.insert(10)
    for _ in range(3):
        with pytest.raises(TooLittleMoney):
            m.buy("bar")
    assert m.sold_out() == []
    m.insert(10)
    m.buy("bar")
    assert m.credit == 0
    with pytest.raises(SoldOut):
        m.buy("bar")


def test_products_do_not_affect_each_other():
    m = Machine({"a": 10, "b": 20, "c": 50})
    for product in "abc":
        m.fill(product, 2)
    m.insert(200)
    for product in "abbca":
        m.buy(product)
    assert m.sold_out() == ["a", "b"]
    assert m.taken == 110
    m.buy("c")
    assert m.sold_out() == ["a", "b", "c"]
    assert m.refund() == 40


def test_unknown_product_and_coin():
    m = Machine({"a": 10})
    with pytest.raises(KeyError):
        m.buy("z")
    with pytest.raises(ValueError):
        m.insert(0)
    assert m.refund() == 0
""",
    ),
    Program(
        name="bowling_score_sheet",
        code=r'''"""The score of a game of bowling."""


class Game:
    """Ten frames of up to two rolls at ten pins.

    A frame counts the pins knocked down. A strike (ten with one roll) also
    counts the next two rolls, a spare (ten with two) the next one. After a
    strike or spare in the last frame there are extra rolls for the bonus only.
    """

    def __init__(self):
        self._rolls = []

    def roll(self, pins):
        """Note the pins of one roll."""
        if not 0 <= pins <= 10:
            raise ValueError("there are ten pins")
        self._rolls.append(pins)

    def frames(self):
        """The points of each of the ten frames; rolls not yet made count as 0."""
        rolls = self._rolls + [0] * 21
        points = []
        index = 0
        for _ in range(10):
            first, second, third = rolls[index:index + 3]
            if first == 10:
                points.append(10 + second + third)
                index += 1
            elif first + second == 10:
                points.append(10 + second)
                index += 2
            else:
                points.append(first + second)
                index += 2
        return points

    def score(self):
        """The sum over all frames."""
        return sum(self.frames())
''',
        wrong="points.append(10 + second)",
        right="points.append(10 + third)",
        visible=r"""
def game(*rolls):
    g = Game()
    for pins in rolls:
        g.roll(pins)
    return g


def test_open_frames():
    assert game(*[0] * 20).score() == 0
    assert game(*[3, 4] * 10).score() == 70
    assert game(1, 2, 3, 4).frames()[:3] == [3, 7, 0]


def test_strike():
    assert game(10, 3, 4).frames()[:2] == [17, 7]
    assert game(10, 10, 2, 1).score() == 38


def test_perfect_game():
    assert game(*[10] * 12).score() == 300


def test_spare():
    assert game(6, 4, 3, 0).frames()[:2] == [13, 3]
    assert game(*[5] * 21).score() == 150


def test_bad_rolls():
    for pins in (-1, 11):
        with pytest.raises(ValueError):
            game(pins)
""",
        hidden=r"""
def play(*rolls):
    g = Game()
    for pins in rolls:
        g.roll(pins)
    return g


def test_every_spare_with_every_next_roll():
    for first in range(10):
        for following in range(11):
            g = play(first, 10 - first, following)
            assert g.frames()[0] == 10 + following
            if following < 10:
                assert g.score() == 10 + 2 * following


def test_spare_without_next_roll():
    for first in range(10):
        assert play(first, 10 - first).score() == 10
        assert play(*[0] * 16, first, 10 - first).frames()[8] == 10


def test_spare_in_the_last_frame():
    assert play(*[0] * 18, 7, 3, 5).score() == 15
    assert play(*[0] * 18, 0, 10, 10).score() == 20
    assert play(*[0] * 18, 9, 1, 0).score() == 10


def test_known_game():
    g = play(1, 4, 4, 5, 6, 4, 5, 5, 10, 0, 1, 7, 3, 6, 4, 10, 2, 8, 6)
    assert g.frames() == [5, 9, 15, 20, 11, 1, 16, 20, 20, 16]
    assert g.score() == 133


def test_strikes_and_spares_by_turns():
    assert play(*[10, 3, 7] * 5, 10).score() == 200
    assert play(*[0, 10] * 10, 0).score() == 100
    assert play(10, 0, 10, 4).frames()[:3] == [20, 14, 4]


def test_ten_pins_over_two_frames_are_no_spare():
    assert play(2, 5, 5, 3).frames()[:2] == [7, 8]
    assert play(0, 4, 6, 1).score() == 11
""",
    ),
    Program(
        name="event_emitter_with_once",
        code=r'''"""Telling interested functions about events."""


class Emitter:
    """Calls the functions that were registered for an event, in order of registration."""

    def __init__(self):
        self._listeners = {}

    def on(self, event, function, once=False):
        """Register a function; with `once` only for the next time the event happens."""
        self._listeners.setdefault(event, []).append((function, once))

    def off(self, event, function):
        """Remove a function from an event, also if it was registered several times."""
        kept = [entry for entry in self._listeners.get(event, []) if entry[0] != function]
        self._listeners[event] = kept

    def emit(self, event, *arguments):
        """Call the functions of an event and return how many were called.

        Functions that are registered by one of them wait for the next time.
        """
        called = 0
        for entry in self._listeners.get(event, []):
            function, once = entry
            if once:
                self._listeners[event].remove(entry)
            function(*arguments)
            called += 1
        return called

    def count(self, event):
        """How many functions are registered for an event."""
        return len(self._listeners.get(event, []))
''',
        wrong="for entry in self._listeners.get(event, []):",
        right="for entry in list(self._listeners.get(event, [])):",
        visible=r"""
def test_on_and_emit():
    seen = []
    e = Emitter()
    e.on("add", seen.append)
    assert e.emit("add", 1) == 1
    assert e.emit("add", 2) == 1
    assert seen == [1, 2]
    assert e.emit("other") == 0


def test_order():
    seen = []
    e = Emitter()
    e.on("go", lambda: seen.append("first"))
    e.on("go", lambda: seen.append("second"))
    assert e.emit("go") == 2
    assert seen == ["first", "second"]


def test_off():
    seen = []
    e = Emitter()
    e.on("x", seen.append)
    e.on("x", seen.append)
    assert e.count("x") == 2
    e.off("x", seen.append)
    assert e.emit("x", 1) == 0
    assert seen == []


def test_once():
    seen = []
    e = Emitter()
    e.on("x", seen.append, once=True)
    assert e.emit("x", 1) == 1
    assert e.emit("x", 2) == 0
    assert seen == [1]


def test_once_before_another():
    seen = []
    e = Emitter()
    e.on("x", lambda n: seen.append(("once", n)), once=True)
    e.on("x", lambda n: seen.append(("always", n)))
    assert e.emit("x", 1) == 2
    assert e.emit("x", 2) == 1
    assert seen == [("once", 1), ("always", 1), ("always", 2)]
""",
        hidden=r"""
import itertools


def recorder(seen, name):
    return lambda *arguments: seen.append((name,) + arguments)


def test_all_mixtures():
    for kinds in itertools.product((False, True), repeat=4):
        seen = []
        e = Emitter()
        for number, once in enumerate(kinds):
            e.on("x", recorder(seen, number), once=once)
        assert e.emit("x", "a") == 4
        assert seen == [(n, "a") for n in range(4)]
        assert e.count("x") == kinds.count(False)
        seen.clear()
        assert e.emit("x", "b") == kinds.count(False)
        assert seen == [(n, "b") for n in range(4) if not kinds[n]]


def test_registered_while_emitting():
    seen = []
    e = Emitter()

    def first():
        seen.append("first")
        if len(seen) < 6:
            e.on("x", recorder(seen, "late"))

    e.on("x", first)
    assert e.emit("x") == 1
    assert seen == ["first"]
    assert e.emit("x") == 2
    assert seen == ["first", "first", ("late",)]
    assert e.count("x") == 3


def test_once_function_registers_itself_again():
    seen = []
    e = Emitter()

    def again(n):
        seen.append(n)
        if len(seen) < 5:
            e.on("x", again, once=True)

    e.on("x", again, once=True)
    assert [e.emit("x", n) for n in range(3)] == [1, 1, 1]
    assert seen == [0, 1, 2]
    assert e.count("x") == 1


def test_function_removed_while_emitting():
    seen = []
    e = Emitter()

    def first():
        seen.append("first")
        e.off("x", first)

    e.on("x", first)
    e.on("x", recorder(seen, "second"))
    assert e.emit("x") == 2
    assert e.emit("x") == 1
    assert seen == ["first", ("second",), ("second",)]


def test_same_function_once_twice():
    seen = []
    e = Emitter()
    e.on("x", seen.append, once=True)
    e.on("x", seen.append, once=True)
    e.on("y", seen.append)
    assert e.emit("x", 7) == 2
    assert seen == [7, 7]
    assert (e.count("x"), e.count("y"), e.count("z")) == (0, 1, 0)
    e.off("z", seen.append)
    assert e.emit("z", 1) == 0
""",
    ),
    Program(
        name="circuit_breaker_for_calls",
        code=r'''"""Not calling a service that keeps failing; the time is told by the caller."""


class Open(Exception):
    """The call was not made because the service failed too often."""


class Breaker:
    """Stops calls for `pause` seconds after `threshold` failures in a row.

    After the pause a call is tried again: if it fails, another pause begins
    at once; if it succeeds, everything is as at the start.
    """

    def __init__(self, threshold, pause):
        self._threshold = threshold
        self._pause = pause
        self._failures = 0
        self._closed_from = None

    def is_open(self, now):
        """Whether calls are stopped at this time."""
        return self._closed_from is not None and now < self._closed_from

    def call(self, function, now):
        """Call the function and return its result; Open when calls are stopped."""
        if self.is_open(now):
            raise Open()
        try:
            result = function()
        except Exception:
            self._failures += 1
            if self._failures == self._threshold:
                self._closed_from = now + self._pause
            raise
        self._failures = 0
        self._closed_from = None
        return result
''',
        wrong="self._failures == self._threshold",
        right="self._failures >= self._threshold",
        visible=r"""
def good():
    return "ok"


def bad():
    raise ZeroDivisionError


def fail(breaker, now):
    with pytest.raises(ZeroDivisionError):
        breaker.call(bad, now)


def test_good_calls():
    b = Breaker(2, 10)
    assert b.call(good, 0) == "ok"
    assert b.call(lambda: 5, 1) == 5
    assert not b.is_open(1)


def test_opens_after_failures():
    b = Breaker(2, 10)
    fail(b, 0)
    assert not b.is_open(0)
    fail(b, 1)
    assert b.is_open(1)
    with pytest.raises(Open):
        b.call(good, 5)


def test_success_counts_anew():
    b = Breaker(2, 10)
    fail(b, 0)
    b.call(good, 1)
    fail(b, 2)
    assert not b.is_open(2)
    assert b.call(good, 3) == "ok"


def test_success_after_the_pause():
    b = Breaker(1, 10)
    fail(b, 0)
    assert b.is_open(9)
    assert b.call(good, 10) == "ok"
    assert not b.is_open(10)


def test_failure_after_the_pause():
    b = Breaker(2, 10)
    fail(b, 0)
    fail(b, 0)
    fail(b, 10)
    assert b.is_open(11)
    assert b.is_open(19)
    assert not b.is_open(20)
""",
        hidden=r"""
def works():
    return 1


def fails():
    raise KeyError("x")


def failing(breaker, now):
    with pytest.raises(KeyError):
        breaker.call(fails, now)


def test_one_pause_after_another():
    for threshold in (1, 2, 3, 5):
        b = Breaker(threshold, 10)
        for n in range(threshold):
            assert not b.is_open(n)
            failing(b, n)
        now = threshold - 1
        for _ in range(5):
            assert b.is_open(now) and b.is_open(now + 9)
            with pytest.raises(Open):
                b.call(works, now + 9.5)
            now += 10
            assert not b.is_open(now)
            failing(b, now)
        assert b.is_open(now + 1)


def test_late_trial_begins_a_full_pause():
    b = Breaker(3, 10)
    for _ in range(3):
        failing(b, 0)
    failing(b, 25)
    assert b.is_open(34)
    assert not b.is_open(35)
    assert b.call(works, 35) == 1


def test_as_at_the_start_after_success():
    b = Breaker(3, 10)
    for _ in range(3):
        failing(b, 0)
    failing(b, 10)
    assert b.call(works, 20) == 1
    failing(b, 20)
    failing(b, 20)
    assert not b.is_open(20)
    failing(b, 20)
    assert b.is_open(20)


def test_function_is_not_called_when_open():
    calls = []
    b = Breaker(1, 5)
    failing(b, 0)
    with pytest.raises(Open):
        b.call(lambda: calls.append(1), 1)
    assert calls == []
    b.call(lambda: calls.append(2), 5)
    assert calls == [2]


def test_stopped_calls_do_not_make_the_pause_longer():
    b = Breaker(2, 10)
    failing(b, 0)
    failing(b, 0)
    for now in range(1, 10):
        with pytest.raises(Open):
            b.call(fails, now)
    assert not b.is_open(10)
    failing(b, 10)
    assert b.is_open(19)
""",
    ),
    Program(
        name="account_with_holds",
        code=r'''"""An account on which money can be set aside before it is taken."""


class Account:
    """A balance and holds: amounts that are promised but not yet paid."""

    def __init__(self, balance=0):
        self.balance = balance
        self._holds = {}
        self._next_number = 1

    def available(self):
        """The part of the balance that is not on hold."""
        return self.balance - sum(self._holds.values())

    def deposit(self, amount):
        """Add money."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount

    def hold(self, amount):
        """Set money aside and return the number of the hold; ValueError when too little is available."""
        if not 0 < amount <= self.balance:
            raise ValueError("amount not available")
        number = self._next_number
        self._holds[number] = amount
        self._next_number += 1
        return number

    def release(self, number):
        """Give up a hold; KeyError when there is no such hold."""
        del self._holds[number]

    def capture(self, number, amount=None):
        """Pay from a hold, all of it or a smaller amount; the hold ends in any case."""
        held = self._holds[number]
        amount = held if amount is None else amount
        if not 0 <= amount <= held:
            raise ValueError("more than was held")
        del self._holds[number]
        self.balance -= amount
''',
        wrong="if not 0 < amount <= self.balance:",
        right="if not 0 < amount <= self.available():",
        visible=r"""
def test_deposit():
    a = Account(10)
    a.deposit(5)
    assert a.balance == 15
    assert a.available() == 15
    with pytest.raises(ValueError):
        a.deposit(0)


def test_hold():
    a = Account(100)
    a.hold(30)
    assert a.balance == 100
    assert a.available() == 70
    with pytest.raises(ValueError):
        a.hold(101)


def test_second_hold():
    a = Account(100)
    a.hold(80)
    with pytest.raises(ValueError):
        a.hold(30)
    assert a.available() == 20


def test_release():
    a = Account(50)
    number = a.hold(50)
    a.release(number)
    assert a.available() == 50
    with pytest.raises(KeyError):
        a.release(number)


def test_capture():
    a = Account(50)
    first, second = a.hold(20), a.hold(10)
    a.capture(first)
    assert (a.balance, a.available()) == (30, 20)
    a.capture(second, 4)
    assert (a.balance, a.available()) == (26, 26)
""",
        hidden=r"""
def test_available_is_never_negative():
    for second in range(1, 120):
        a = Account(100)
        a.hold(60)
        if second <= 40:
            a.hold(second)
            assert a.available() == 40 - second
        else:
            with pytest.raises(ValueError):
                a.hold(second)
            assert a.available() == 40
        assert a.balance == 100


def test_many_small_holds():
    a = Account(10)
    numbers = [a.hold(3) for _ in range(3)]
    assert len(set(numbers)) == 3
    with pytest.raises(ValueError):
        a.hold(2)
    a.hold(1)
    with pytest.raises(ValueError):
        a.hold(1)
    assert a.available() == 0
    for number in numbers:
        a.capture(number)
    assert a.balance == 1
    assert a.available() == 0


def test_released_and_deposited_money_can_be_held():
    a = Account(20)
    number = a.hold(15)
    with pytest.raises(ValueError):
        a.hold(6)
    a.deposit(1)
    a.hold(6)
    assert a.available() == 0
    a.release(number)
    assert a.available() == 15
    a.hold(15)
    with pytest.raises(ValueError):
        a.hold(1)


def test_captured_money_is_gone():
    a = Account(20)
    a.capture(a.hold(15))
    with pytest.raises(ValueError):
        a.hold(6)
    second = a.hold(5)
    a.capture(second, 2)
    assert a.balance == 3
    with pytest.raises(ValueError):
        a.hold(4)
    a.hold(3)


def test_bad_amounts():
    a = Account(10)
    for amount in (0, -1, 11):
        with pytest.raises(ValueError):
            a.hold(amount)
    number = a.hold(4)
    for amount in (5, -1):
        with pytest.raises(ValueError):
            a.capture(number, amount)
    assert (a.balance, a.available()) == (10, 6)
    a.capture(number, 0)
    assert (a.balance, a.available()) == (10, 10)
    with pytest.raises(KeyError):
        a.capture(number)


def test_empty_account():
    a = Account()
    with pytest.raises(ValueError):
        a.hold(1)
    assert a.available() == a.balance == 0
""",
    ),
)
