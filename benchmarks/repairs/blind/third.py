"""Programs of six kinds, written last.

Written by somebody who had not seen this project; only measured.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---------------------------------------------------------------- data structures
    Program(
        name="lru_cache",
        code=r'''"""A small cache with a bounded number of entries."""
from collections import OrderedDict


class LRUCache:
    """Holds at most `capacity` entries and evicts the least recently used one.

    Reading an entry with get() and writing it with put() (whether it is new
    or already there) both count as use.  The `in` test does not.
    """

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.capacity = capacity
        self._entries = OrderedDict()

    def get(self, key, default=None):
        """Return the value of key, or default if it is not cached."""
        if key not in self._entries:
            return default
        self._entries.move_to_end(key)
        return self._entries[key]

    def put(self, key, value):
        """Store value under key; return the evicted key or None."""
        self._entries[key] = value
        if len(self._entries) > self.capacity:
            evicted, _ = self._entries.popitem(last=False)
            return evicted
        return None

    def keys(self):
        """Return the keys, least recently used first."""
        return list(self._entries)

    def __contains__(self, key):
        return key in self._entries

    def __len__(self):
        return len(self._entries)
''',
        wrong="""        self._entries[key] = value
""",
        right="""        self._entries[key] = value
        self._entries.move_to_end(key)
""",
        visible="""def test_put_and_get():
    cache = LRUCache(2)
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b") is None
    assert cache.get("b", 7) == 7


def test_evicts_oldest():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.put("c", 3) == "a"
    assert "a" not in cache
    assert len(cache) == 2


def test_get_counts_as_use():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    assert cache.put("c", 3) == "b"


def test_overwriting_counts_as_use():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 10)
    assert cache.put("c", 3) == "b"
    assert cache.get("a") == 10


def test_bad_capacity():
    with pytest.raises(ValueError):
        LRUCache(0)
""",
        hidden="""def test_order_after_overwrite():
    cache = LRUCache(3)
    for key in "xyz":
        cache.put(key, key)
    assert cache.keys() == ["x", "y", "z"]
    assert cache.put("y", "new") is None
    assert cache.keys() == ["x", "z", "y"]


def test_order_after_get():
    cache = LRUCache(3)
    for key in "xyz":
        cache.put(key, key)
    cache.get("x")
    assert cache.keys() == ["y", "z", "x"]


def test_in_is_no_use():
    cache = LRUCache(2)
    cache.put(1, "one")
    cache.put(2, "two")
    assert 1 in cache
    assert cache.put(3, "three") == 1


def test_capacity_one():
    cache = LRUCache(1)
    assert cache.put("a", 1) is None
    assert cache.put("a", 2) is None
    assert cache.put("b", 3) == "a"
    assert cache.keys() == ["b"]


def test_missing_get_changes_nothing():
    cache = LRUCache(2)
    cache.put("a", 1)
    assert cache.get("zzz", 0) == 0
    assert cache.keys() == ["a"]
    assert len(cache) == 1


def test_mixed_sequence():
    cache = LRUCache(3)
    for key in (1, 2, 3):
        cache.put(key, key * 10)
    cache.get(1)
    cache.put(2, 22)
    assert cache.put(4, 40) == 3
    assert cache.put(5, 50) == 1
    assert cache.keys() == [2, 4, 5]
    assert cache.get(2) == 22


def test_stored_none_and_negative_capacity():
    cache = LRUCache(2)
    cache.put("n", None)
    assert cache.get("n", 5) is None
    with pytest.raises(ValueError):
        LRUCache(-3)
""",
    ),
    Program(
        name="ring_buffer",
        code=r'''"""A fixed-size first-in first-out buffer."""


class RingBuffer:
    """Keeps at most `capacity` items; pushing onto a full buffer drops the oldest."""

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.capacity = capacity
        self.size = 0
        self._slots = [None] * capacity
        self._start = 0

    def push(self, item):
        """Add item as the newest; the oldest is dropped if the buffer is full."""
        end = (self._start + self.size) % self.capacity
        self._slots[end] = item
        if self.size < self.capacity:
            self.size += 1
        else:
            self._start = (self._start + 1) % self.capacity

    def pop(self):
        """Remove and return the oldest item; IndexError if there is none."""
        if self.size == 0:
            raise IndexError("pop from an empty buffer")
        item = self._slots[self._start]
        self._slots[self._start] = None
        self._start = (self._start + 1) % self.size
        self.size -= 1
        return item

    def to_list(self):
        """Return the items, oldest first."""
        return [
            self._slots[(self._start + offset) % self.capacity]
            for offset in range(self.size)
        ]

    def __len__(self):
        return self.size
''',
        wrong="(self._start + 1) % self.size",
        right="(self._start + 1) % self.capacity",
        visible="""def test_push_and_list():
    buffer = RingBuffer(3)
    buffer.push("a")
    buffer.push("b")
    assert buffer.to_list() == ["a", "b"]
    assert len(buffer) == 2


def test_full_buffer_drops_oldest():
    buffer = RingBuffer(3)
    for number in range(5):
        buffer.push(number)
    assert buffer.to_list() == [2, 3, 4]


def test_pop_in_order():
    buffer = RingBuffer(3)
    for letter in "abc":
        buffer.push(letter)
    assert [buffer.pop(), buffer.pop(), buffer.pop()] == ["a", "b", "c"]
    assert len(buffer) == 0


def test_pop_empty():
    with pytest.raises(IndexError):
        RingBuffer(2).pop()
""",
        hidden="""def test_pop_then_push():
    buffer = RingBuffer(4)
    for number in (1, 2, 3):
        buffer.push(number)
    assert buffer.pop() == 1
    assert buffer.pop() == 2
    buffer.push(4)
    assert buffer.to_list() == [3, 4]


def test_long_mixed_use_matches_list():
    buffer = RingBuffer(5)
    model = []
    for step in range(200):
        if step % 3 == 2 or step % 7 == 4:
            if model:
                assert buffer.pop() == model.pop(0)
        else:
            buffer.push(step)
            model.append(step)
            model = model[-5:]
        assert buffer.to_list() == model
        assert len(buffer) == len(model)


def test_pop_after_wrap_around():
    buffer = RingBuffer(3)
    for number in range(5):
        buffer.push(number)
    assert [buffer.pop() for _ in range(3)] == [2, 3, 4]
    with pytest.raises(IndexError):
        buffer.pop()


def test_capacity_one():
    buffer = RingBuffer(1)
    buffer.push("x")
    buffer.push("y")
    assert buffer.pop() == "y"
    buffer.push("z")
    assert buffer.to_list() == ["z"]


def test_single_item_moves_along():
    buffer = RingBuffer(3)
    for number in range(10):
        buffer.push(number)
        assert buffer.pop() == number
    assert buffer.to_list() == []


def test_bad_capacity():
    with pytest.raises(ValueError):
        RingBuffer(0)
""",
    ),
    Program(
        name="min_heap",
        code=r'''"""A binary heap with the smallest item on top."""


class MinHeap:
    def __init__(self, items=()):
        self._items = []
        for item in items:
            self.push(item)

    def push(self, item):
        """Add an item."""
        self._items.append(item)
        index = len(self._items) - 1
        while index > 0:
            parent = (index - 1) // 2
            if self._items[parent] <= self._items[index]:
                break
            self._swap(parent, index)
            index = parent

    def peek(self):
        """Return the smallest item without removing it; IndexError if empty."""
        return self._items[0]

    def pop(self):
        """Remove and return the smallest item; IndexError if empty."""
        if not self._items:
            raise IndexError("pop from an empty heap")
        self._swap(0, len(self._items) - 1)
        top = self._items.pop()
        self._sift_down(0)
        return top

    def _sift_down(self, index):
        size = len(self._items)
        while True:
            smallest = index
            left = 2 * index + 1
            right = left + 1
            if left < size and self._items[left] < self._items[smallest]:
                smallest = left
            if right < size and self._items[right] < self._items[index]:
                smallest = right
            if smallest == index:
                return
            self._swap(index, smallest)
            index = smallest

    def _swap(self, a, b):
        self._items[a], self._items[b] = self._items[b], self._items[a]

    def __len__(self):
        return len(self._items)
''',
        wrong="self._items[right] < self._items[index]",
        right="self._items[right] < self._items[smallest]",
        visible="""def drain(heap):
    return [heap.pop() for _ in range(len(heap))]


def test_peek_is_smallest():
    heap = MinHeap([4, 2, 9])
    assert heap.peek() == 2
    assert len(heap) == 3


def test_pop_two():
    heap = MinHeap([2, 1])
    assert heap.pop() == 1
    assert heap.pop() == 2


def test_drain_is_sorted():
    assert drain(MinHeap([5, 3, 8, 1, 9, 2, 7])) == [1, 2, 3, 5, 7, 8, 9]


def test_drain_sorted_input():
    assert drain(MinHeap([1, 2, 3, 4, 5])) == [1, 2, 3, 4, 5]


def test_empty_pop():
    with pytest.raises(IndexError):
        MinHeap().pop()
""",
        hidden="""import random


def drain(heap):
    return [heap.pop() for _ in range(len(heap))]


def test_random_inputs():
    source = random.Random(7)
    for size in range(30):
        items = [source.randrange(40) for _ in range(size)]
        assert drain(MinHeap(items)) == sorted(items)


def test_reverse_sorted_and_equal_items():
    assert drain(MinHeap(range(12, 0, -1))) == list(range(1, 13))
    assert drain(MinHeap([3, 3, 3, 3])) == [3, 3, 3, 3]


def test_strings():
    assert drain(MinHeap("heapsort")) == sorted("heapsort")


def test_interleaved_push_and_pop():
    source = random.Random(3)
    heap = MinHeap()
    model = []
    for _ in range(300):
        if model and source.random() < 0.4:
            smallest = min(model)
            model.remove(smallest)
            assert heap.peek() == smallest
            assert heap.pop() == smallest
        else:
            number = source.randrange(100)
            model.append(number)
            heap.push(number)
        assert len(heap) == len(model)


def test_empty():
    heap = MinHeap()
    assert len(heap) == 0
    with pytest.raises(IndexError):
        heap.peek()
    with pytest.raises(IndexError):
        heap.pop()


def test_single():
    heap = MinHeap([6])
    assert heap.pop() == 6
    assert len(heap) == 0
""",
    ),
    Program(
        name="linked_list",
        code=r'''"""A singly linked list with constant-time append."""


class Node:
    def __init__(self, value):
        self.value = value
        self.next = None


class LinkedList:
    def __init__(self, values=()):
        self._head = None
        self._tail = None
        self._length = 0
        for value in values:
            self.append(value)

    def append(self, value):
        """Add value at the end."""
        node = Node(value)
        if self._tail is None:
            self._head = node
        else:
            self._tail.next = node
        self._tail = node
        self._length += 1

    def remove(self, value):
        """Remove the first item equal to value; return whether there was one."""
        previous = None
        node = self._head
        while node is not None and node.value != value:
            previous = node
            node = node.next
        if node is None:
            return False
        if previous is None:
            self._head = node.next
        else:
            previous.next = node.next
        if node.next is None:
            self._tail = node
        self._length -= 1
        return True

    def __iter__(self):
        node = self._head
        while node is not None:
            yield node.value
            node = node.next

    def __len__(self):
        return self._length
''',
        wrong="""        if node.next is None:
            self._tail = node
""",
        right="""        if node.next is None:
            self._tail = previous
""",
        visible="""def test_append_keeps_order():
    assert list(LinkedList([3, 1, 2])) == [3, 1, 2]


def test_remove_from_middle():
    items = LinkedList("abc")
    assert items.remove("b")
    assert list(items) == ["a", "c"]
    assert len(items) == 2


def test_remove_unknown():
    items = LinkedList("abc")
    assert not items.remove("x")
    assert len(items) == 3


def test_remove_first():
    items = LinkedList([1, 2])
    items.remove(1)
    items.append(3)
    assert list(items) == [2, 3]


def test_append_after_removing_last():
    items = LinkedList([1, 2, 3])
    assert items.remove(3)
    items.append(4)
    assert list(items) == [1, 2, 4]
""",
        hidden="""def test_remove_only_item_then_append():
    items = LinkedList(["x"])
    assert items.remove("x")
    assert list(items) == []
    assert len(items) == 0
    items.append("y")
    items.append("z")
    assert list(items) == ["y", "z"]
    assert len(items) == 2


def test_remove_takes_first_of_equals():
    items = LinkedList([1, 2, 1, 3])
    assert items.remove(1)
    assert list(items) == [2, 1, 3]


def test_remove_from_empty():
    items = LinkedList()
    assert not items.remove(1)
    assert len(items) == 0


def test_long_use_matches_list():
    items = LinkedList()
    model = []
    for step in range(120):
        if step % 4 == 3:
            victim = model[-1] if step % 8 == 3 else model[0]
            model.remove(victim)
            assert items.remove(victim)
        else:
            items.append(step)
            model.append(step)
        assert list(items) == model
        assert len(items) == len(model)


def test_remove_last_twice_then_append():
    items = LinkedList("abcd")
    items.remove("d")
    items.remove("c")
    items.append("e")
    items.append("f")
    assert list(items) == ["a", "b", "e", "f"]


def test_iterates_repeatedly():
    items = LinkedList([1, 2])
    assert list(items) == list(items) == [1, 2]
""",
    ),
    Program(
        name="interval_set",
        code=r'''"""Sets of integers stored as half-open intervals."""


class IntervalSet:
    """A set of numbers as sorted half-open intervals (start, end).

    Overlapping intervals and intervals that touch (the end of one is the
    start of the other) are kept as one.
    """

    def __init__(self):
        self._intervals = []

    def add(self, start, end):
        """Add all numbers x with start <= x < end; ValueError if start >= end."""
        if start >= end:
            raise ValueError("empty interval")
        kept = []
        for low, high in self._intervals:
            if high <= start or low > end:
                kept.append((low, high))
            else:
                start = min(start, low)
                end = max(end, high)
        kept.append((start, end))
        self._intervals = sorted(kept)

    def intervals(self):
        """Return the intervals in ascending order."""
        return list(self._intervals)

    def total(self):
        """Return how many integers are in the set."""
        return sum(high - low for low, high in self._intervals)

    def __contains__(self, number):
        return any(low <= number < high for low, high in self._intervals)
''',
        wrong="if high <= start or low > end:",
        right="if high < start or low > end:",
        visible="""def test_separate_intervals():
    numbers = IntervalSet()
    numbers.add(10, 12)
    numbers.add(1, 3)
    assert numbers.intervals() == [(1, 3), (10, 12)]
    assert numbers.total() == 4


def test_overlap_is_merged():
    numbers = IntervalSet()
    numbers.add(1, 5)
    numbers.add(3, 8)
    assert numbers.intervals() == [(1, 8)]


def test_touching_is_merged():
    numbers = IntervalSet()
    numbers.add(1, 4)
    numbers.add(4, 6)
    assert numbers.intervals() == [(1, 6)]


def test_contains():
    numbers = IntervalSet()
    numbers.add(2, 5)
    assert 2 in numbers
    assert 4 in numbers
    assert 5 not in numbers


def test_empty_interval_is_refused():
    with pytest.raises(ValueError):
        IntervalSet().add(3, 3)
""",
        hidden="""import random


def test_touching_both_sides():
    numbers = IntervalSet()
    numbers.add(0, 2)
    numbers.add(5, 9)
    numbers.add(2, 5)
    assert numbers.intervals() == [(0, 9)]


def test_touching_in_either_order():
    numbers = IntervalSet()
    numbers.add(4, 6)
    numbers.add(1, 4)
    assert numbers.intervals() == [(1, 6)]
    numbers.add(6, 7)
    assert numbers.intervals() == [(1, 7)]


def test_gap_of_one_is_kept():
    numbers = IntervalSet()
    numbers.add(1, 3)
    numbers.add(4, 6)
    assert numbers.intervals() == [(1, 3), (4, 6)]
    assert 3 not in numbers


def test_swallows_several():
    numbers = IntervalSet()
    for start in (1, 5, 9, 20):
        numbers.add(start, start + 2)
    numbers.add(0, 15)
    assert numbers.intervals() == [(0, 15), (20, 22)]
    assert numbers.total() == 17


def test_inside_existing_changes_nothing():
    numbers = IntervalSet()
    numbers.add(-5, 5)
    numbers.add(-1, 2)
    assert numbers.intervals() == [(-5, 5)]


def test_random_against_plain_set():
    source = random.Random(11)
    numbers = IntervalSet()
    model = set()
    for _ in range(25):
        start = source.randrange(80)
        end = start + source.randrange(1, 5)
        numbers.add(start, end)
        model.update(range(start, end))
        assert numbers.total() == len(model)
        assert {x for x in range(-2, 90) if x in numbers} == model
        found = numbers.intervals()
        assert all(a[1] < b[0] for a, b in zip(found, found[1:]))


def test_refused_interval_and_empty_set():
    numbers = IntervalSet()
    assert numbers.intervals() == []
    assert numbers.total() == 0
    with pytest.raises(ValueError):
        numbers.add(4, 1)
    assert numbers.intervals() == []
""",
    ),
    Program(
        name="trie",
        code=r'''"""A prefix tree for words."""


class TrieNode:
    def __init__(self):
        self.children = {}
        self.is_word = False


class Trie:
    def __init__(self, words=()):
        self._root = TrieNode()
        for word in words:
            self.add(word)

    def add(self, word):
        """Add a word."""
        node = self._root
        for letter in word:
            node = node.children.setdefault(letter, TrieNode())
        node.is_word = True

    def __contains__(self, word):
        """Tell whether exactly this word was added."""
        node = self._find(word)
        return node is not None

    def has_prefix(self, prefix):
        """Tell whether some added word starts with prefix (or is equal to it)."""
        return self._find(prefix) is not None

    def complete(self, prefix):
        """Return all added words that start with prefix, in alphabetical order."""
        node = self._find(prefix)
        if node is None:
            return []
        found = []
        stack = [(prefix, node)]
        while stack:
            word, node = stack.pop()
            if node.is_word:
                found.append(word)
            for letter, child in node.children.items():
                stack.append((word + letter, child))
        return sorted(found)

    def _find(self, text):
        node = self._root
        for letter in text:
            node = node.children.get(letter)
            if node is None:
                return None
        return node
''',
        wrong="        return node is not None\n",
        right="        return node is not None and node.is_word\n",
        visible="""def test_added_words_are_found():
    trie = Trie(["car", "cart", "dog"])
    assert "car" in trie
    assert "cart" in trie
    assert "dog" in trie


def test_unknown_words_are_not_found():
    trie = Trie(["car"])
    assert "bus" not in trie
    assert "cars" not in trie


def test_prefix_is_no_word():
    trie = Trie(["cart"])
    assert "car" not in trie


def test_has_prefix():
    trie = Trie(["cart"])
    assert trie.has_prefix("ca")
    assert not trie.has_prefix("at")


def test_complete():
    trie = Trie(["to", "tea", "ten", "inn"])
    assert trie.complete("te") == ["tea", "ten"]
""",
        hidden="""def test_inner_prefixes_are_no_words():
    trie = Trie(["banana"])
    for length in range(6):
        assert "banana"[:length] not in trie
    assert "banana" in trie


def test_empty_word():
    trie = Trie(["a"])
    assert "" not in trie
    trie.add("")
    assert "" in trie


def test_prefix_becomes_word():
    trie = Trie(["office"])
    assert "off" not in trie
    trie.add("off")
    assert "off" in trie
    assert "offi" not in trie
    assert "office" in trie


def test_has_prefix_of_whole_words_and_prefixes():
    trie = Trie(["cart", "dog"])
    for prefix in ("", "c", "cart", "do", "dog"):
        assert trie.has_prefix(prefix)
    assert not trie.has_prefix("carts")


def test_complete_all_and_none():
    trie = Trie(["b", "abc", "ab"])
    assert trie.complete("") == ["ab", "abc", "b"]
    assert trie.complete("ab") == ["ab", "abc"]
    assert trie.complete("x") == []


def test_adding_twice():
    trie = Trie(["it", "it"])
    assert trie.complete("i") == ["it"]


def test_empty_trie():
    trie = Trie()
    assert "a" not in trie
    assert "" not in trie
    assert trie.complete("a") == []
""",
    ),
    Program(
        name="bag",
        code=r'''"""A multiset: a set that counts how often each item is in it."""


class Bag:
    def __init__(self, items=()):
        self._counts = {}
        for item in items:
            self.add(item)

    def add(self, item, times=1):
        """Put the item in `times` times (at least once, otherwise ValueError)."""
        if times < 1:
            raise ValueError("times must be positive")
        self._counts[item] = self._counts.get(item, 0) + times

    def remove(self, item, times=1):
        """Take the item out `times` times.

        Raises KeyError, and takes out nothing, if the bag holds fewer.
        """
        left = self.count(item) - times
        if left == 0:
            del self._counts[item]
        else:
            self._counts[item] = left

    def count(self, item):
        """Return how often the item is in the bag."""
        return self._counts.get(item, 0)

    def distinct(self):
        """Return the different items as a set."""
        return set(self._counts)

    def most_common(self):
        """Return the item with the highest count; ValueError if the bag is empty."""
        return max(self._counts, key=self._counts.get)

    def __len__(self):
        return sum(self._counts.values())
''',
        wrong="""        left = self.count(item) - times
""",
        right="""        left = self.count(item) - times
        if left < 0:
            raise KeyError(item)
""",
        visible="""def test_counts():
    bag = Bag("banana")
    assert bag.count("a") == 3
    assert bag.count("z") == 0
    assert len(bag) == 6


def test_remove_one():
    bag = Bag("aab")
    bag.remove("a")
    assert bag.count("a") == 1
    assert len(bag) == 2


def test_remove_all():
    bag = Bag("aab")
    bag.remove("a", 2)
    assert bag.distinct() == {"b"}


def test_remove_too_many():
    bag = Bag("aab")
    with pytest.raises(KeyError):
        bag.remove("a", 3)
    assert bag.count("a") == 2


def test_most_common():
    assert Bag("hello").most_common() == "l"
""",
        hidden="""def test_remove_unknown_item():
    bag = Bag("ab")
    with pytest.raises(KeyError):
        bag.remove("x")
    assert bag.distinct() == {"a", "b"}
    assert bag.count("x") == 0
    assert len(bag) == 2


def test_failed_remove_changes_nothing():
    bag = Bag([1, 1, 2])
    with pytest.raises(KeyError):
        bag.remove(2, 5)
    assert bag.count(2) == 1
    assert len(bag) == 3


def test_remove_twice():
    bag = Bag(["x"])
    bag.remove("x")
    assert len(bag) == 0
    assert bag.distinct() == set()
    with pytest.raises(KeyError):
        bag.remove("x")


def test_remove_exact_count():
    bag = Bag()
    bag.add("q", 4)
    bag.remove("q", 3)
    assert bag.count("q") == 1
    bag.remove("q", 1)
    assert bag.count("q") == 0


def test_add_several_and_refuse():
    bag = Bag("a")
    bag.add("a", 4)
    assert bag.count("a") == 5
    with pytest.raises(ValueError):
        bag.add("a", 0)
    assert len(bag) == 5


def test_most_common_after_changes():
    bag = Bag("aabbb")
    bag.remove("b", 2)
    assert bag.most_common() == "a"
    with pytest.raises(ValueError):
        Bag().most_common()
""",
    ),
    # ---------------------------------------------------------------- recursion
    Program(
        name="flatten",
        code=r'''"""Working with nested lists."""


def flatten(items, depth=None):
    """Return a new list with nested lists dissolved.

    With a depth, only that many levels of nesting are dissolved: depth 0
    returns a plain copy, depth 1 dissolves the lists directly in `items`,
    and so on.  Without one, all levels are.  Only lists and tuples count
    as nested.
    """
    if depth is not None and depth < 0:
        raise ValueError("depth must not be negative")
    result = []
    for item in items:
        if isinstance(item, (list, tuple)) and depth != 0:
            deeper = None if depth is None else depth
            result.extend(flatten(item, deeper))
        else:
            result.append(item)
    return result


def nesting(items):
    """Return how deep lists are nested in items: 0 if it contains no list."""
    inner = [nesting(item) + 1 for item in items if isinstance(item, (list, tuple))]
    return max(inner, default=0)
''',
        wrong="None if depth is None else depth\n",
        right="None if depth is None else depth - 1\n",
        visible="""def test_flat_list_is_copied():
    items = [1, 2]
    result = flatten(items)
    assert result == [1, 2]
    assert result is not items


def test_all_levels():
    assert flatten([1, [2, [3, [4]]], 5]) == [1, 2, 3, 4, 5]


def test_one_level():
    assert flatten([1, [2, [3]], 4], depth=1) == [1, 2, [3], 4]


def test_depth_zero():
    assert flatten([1, [2]], depth=0) == [1, [2]]


def test_nesting():
    assert nesting([1, 2]) == 0
    assert nesting([1, [2, [3]]]) == 2
""",
        hidden="""DEEP = [0, [1, [2, [3, [4]]]]]


def test_every_depth():
    assert flatten(DEEP, 0) == DEEP
    assert flatten(DEEP, 1) == [0, 1, [2, [3, [4]]]]
    assert flatten(DEEP, 2) == [0, 1, 2, [3, [4]]]
    assert flatten(DEEP, 3) == [0, 1, 2, 3, [4]]
    assert flatten(DEEP, 4) == [0, 1, 2, 3, 4]
    assert flatten(DEEP, 9) == [0, 1, 2, 3, 4]


def test_siblings_get_the_same_depth():
    assert flatten([[1, [2]], [3, [4]], [[5]]], 1) == [1, [2], 3, [4], [5]]


def test_tuples_and_strings():
    assert flatten([("a", ["bc"]), "de"]) == ["a", "bc", "de"]
    assert flatten([("a", ("bc",))], 1) == ["a", ("bc",)]


def test_empty_lists_vanish():
    assert flatten([[], [[]], 1]) == [1]
    assert flatten([[], [[]], 1], 1) == [[], 1]
    assert flatten([]) == []


def test_negative_depth():
    with pytest.raises(ValueError):
        flatten([1], -1)


def test_flatten_by_nesting_gives_all():
    assert nesting(DEEP) == 4
    assert flatten(DEEP, nesting(DEEP)) == flatten(DEEP)
    assert nesting([[], 1, [[[]]]]) == 3


def test_input_is_unchanged():
    items = [1, [2, [3]]]
    flatten(items, 1)
    flatten(items)
    assert items == [1, [2, [3]]]
""",
    ),
    Program(
        name="merge_sort",
        code=r'''"""A stable merge sort."""


def merge_sort(items, key=None):
    """Return a new sorted list.

    Items are compared by key(item), or themselves if no key is given.
    The sort is stable: items that compare equal keep their order.
    """
    if key is None:
        key = lambda item: item
    items = list(items)
    if len(items) <= 1:
        return items
    middle = len(items) // 2
    left = merge_sort(items[:middle], key)
    right = merge_sort(items[middle:], key)
    return merge(left, right, key)


def merge(left, right, key):
    """Merge two sorted lists into one; of equal items those of left come first."""
    result = []
    i = j = 0
    while i < len(left) and j < len(right):
        if key(left[i]) < key(right[j]):
            result.append(left[i])
            i += 1
        else:
            result.append(right[j])
            j += 1
    result.extend(left[i:])
    result.extend(right[j:])
    return result
''',
        wrong="key(left[i]) < key(right[j])",
        right="key(left[i]) <= key(right[j])",
        visible="""def test_empty_and_single():
    assert merge_sort([]) == []
    assert merge_sort([5]) == [5]


def test_numbers():
    assert merge_sort([3, 1, 2, 5, 4]) == [1, 2, 3, 4, 5]


def test_key():
    assert merge_sort(["ccc", "a", "bb"], key=len) == ["a", "bb", "ccc"]


def test_stable():
    words = ["pear", "fig", "kiwi", "date", "nut"]
    assert merge_sort(words, key=len) == ["fig", "nut", "pear", "kiwi", "date"]


def test_input_is_unchanged():
    items = [2, 1]
    merge_sort(items)
    assert items == [2, 1]
""",
        hidden="""import random


def test_same_as_builtin_with_key():
    source = random.Random(5)
    for size in range(25):
        pairs = [(source.randrange(4), index) for index in range(size)]
        by_first = lambda pair: pair[0]
        assert merge_sort(pairs, key=by_first) == sorted(pairs, key=by_first)


def test_all_equal_keep_order():
    words = ["b", "a", "d", "c"]
    assert merge_sort(words, key=lambda word: 0) == words


def test_merge_prefers_left():
    by_first = lambda pair: pair[0]
    left = [(1, "l"), (2, "l")]
    right = [(1, "r"), (2, "r")]
    assert merge(left, right, by_first) == [(1, "l"), (1, "r"), (2, "l"), (2, "r")]


def test_merge_with_empty_sides():
    same = lambda item: item
    assert merge([], [1, 2], same) == [1, 2]
    assert merge([1, 2], [], same) == [1, 2]
    assert merge([], [], same) == []


def test_any_iterable_and_duplicates():
    assert merge_sort((2, 1, 2)) == [1, 2, 2]
    assert merge_sort("hello") == list("ehllo")
    assert merge_sort(range(9, -1, -1)) == list(range(10))


def test_case_insensitive_is_stable():
    assert merge_sort(["B", "a", "b", "A"], key=str.lower) == ["a", "A", "B", "b"]
""",
    ),
    Program(
        name="subset_sum",
        code=r'''"""Choosing numbers that add up to a target."""


def subsets_with_sum(numbers, target):
    """Return all ways to choose from the positive `numbers` with sum `target`.

    Each way is a list of the chosen numbers in their given order; every
    position may be used once.  The ways are ordered so that those that use
    the first number come first, and so on.  ValueError if a number is not
    positive.
    """
    if any(number <= 0 for number in numbers):
        raise ValueError("numbers must be positive")
    found = []
    chosen = []

    def search(start, missing):
        if missing == 0:
            found.append(chosen)
            return
        for index in range(start, len(numbers)):
            number = numbers[index]
            if number > missing:
                continue
            chosen.append(number)
            search(index + 1, missing - number)
            chosen.pop()

    search(0, target)
    return found


def shortest_subset(numbers, target):
    """Return the way with the fewest numbers (the first of these), or None."""
    return min(subsets_with_sum(numbers, target), key=len, default=None)
''',
        wrong="found.append(chosen)",
        right="found.append(chosen[:])",
        visible="""def test_single_way():
    assert subsets_with_sum([2, 3, 7], 5) == [[2, 3]]


def test_several_ways():
    assert subsets_with_sum([1, 2, 3], 3) == [[1, 2], [3]]


def test_no_way():
    assert subsets_with_sum([4, 6], 5) == []
    assert shortest_subset([4, 6], 5) is None


def test_refuses_zero():
    with pytest.raises(ValueError):
        subsets_with_sum([0, 1], 1)


def test_shortest():
    assert shortest_subset([1, 2, 3, 6], 6) == [6]
""",
        hidden="""from itertools import combinations


def test_order_of_ways():
    assert subsets_with_sum([5, 1, 4, 6, 2, 3], 6) == [[5, 1], [1, 2, 3], [4, 2], [6]]


def test_equal_numbers_at_different_positions():
    assert subsets_with_sum([2, 2, 2], 4) == [[2, 2], [2, 2], [2, 2]]


def test_target_zero():
    assert subsets_with_sum([1, 2], 0) == [[]]
    assert subsets_with_sum([], 0) == [[]]
    assert shortest_subset([1], 0) == []


def test_against_brute_force():
    numbers = [3, 1, 4, 1, 5, 9, 2, 6]
    for target in range(1, 32):
        expected = sorted(
            list(some)
            for size in range(len(numbers) + 1)
            for some in combinations(numbers, size)
            if sum(some) == target
        )
        assert sorted(subsets_with_sum(numbers, target)) == expected


def test_results_are_independent():
    first, second = subsets_with_sum([1, 2, 3], 3)
    first.append(99)
    assert second == [3]


def test_shortest_takes_first():
    assert shortest_subset([4, 1, 3, 2], 5) == [4, 1]


def test_refuses_negative():
    with pytest.raises(ValueError):
        shortest_subset([3, -1], 2)
""",
    ),
    Program(
        name="deep_merge",
        code=r'''"""Merging nested settings."""


def deep_merge(base, override):
    """Return a new dict with the settings of both; those of override win.

    Where both have a dict under the same key, these are merged in the same
    way.  Any other value of override replaces the one of base.  Neither
    argument is changed.
    """
    merged = dict(base)
    for key, value in override.items():
        if isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = deep_merge(value, merged[key])
        else:
            merged[key] = value
    return merged


def lookup(settings, path, default=None):
    """Return the setting at a dotted path such as "db.port", or default."""
    head, _, rest = path.partition(".")
    if not isinstance(settings, dict) or head not in settings:
        return default
    if not rest:
        return settings[head]
    return lookup(settings[head], rest, default)
''',
        wrong="deep_merge(value, merged[key])",
        right="deep_merge(merged[key], value)",
        visible="""def test_disjoint_keys():
    assert deep_merge({"a": 1}, {"b": 2}) == {"a": 1, "b": 2}


def test_override_wins():
    assert deep_merge({"a": 1}, {"a": 2}) == {"a": 2}


def test_nested_override_wins():
    base = {"db": {"host": "localhost", "port": 5432}}
    override = {"db": {"port": 6000}}
    assert deep_merge(base, override) == {"db": {"host": "localhost", "port": 6000}}


def test_nested_disjoint():
    assert deep_merge({"x": {"a": 1}}, {"x": {"b": 2}}) == {"x": {"a": 1, "b": 2}}


def test_lookup():
    settings = {"db": {"port": 5432}}
    assert lookup(settings, "db.port") == 5432
    assert lookup(settings, "db.host", "none") == "none"
""",
        hidden="""def test_three_levels():
    base = {"a": {"b": {"c": 1, "d": 2}, "e": 3}}
    override = {"a": {"b": {"c": 10}, "e": 30}}
    assert deep_merge(base, override) == {"a": {"b": {"c": 10, "d": 2}, "e": 30}}


def test_four_levels():
    base = {"a": {"b": {"c": {"d": "old", "x": 1}}}}
    override = {"a": {"b": {"c": {"d": "new"}}}}
    assert deep_merge(base, override) == {"a": {"b": {"c": {"d": "new", "x": 1}}}}


def test_dict_replaces_plain_and_back():
    assert deep_merge({"a": 1}, {"a": {"b": 2}}) == {"a": {"b": 2}}
    assert deep_merge({"a": {"b": 2}}, {"a": None}) == {"a": None}


def test_nested_type_change():
    assert deep_merge({"a": {"b": {"c": 1}}}, {"a": {"b": 5}}) == {"a": {"b": 5}}
    assert deep_merge({"a": {"b": 5}}, {"a": {"b": {"c": 1}}}) == {"a": {"b": {"c": 1}}}


def test_arguments_are_unchanged():
    base = {"a": {"b": 1}, "l": [1]}
    override = {"a": {"b": 2, "c": 3}, "l": [2]}
    assert deep_merge(base, override) == {"a": {"b": 2, "c": 3}, "l": [2]}
    assert base == {"a": {"b": 1}, "l": [1]}
    assert override == {"a": {"b": 2, "c": 3}, "l": [2]}


def test_empty():
    assert deep_merge({}, {}) == {}
    assert deep_merge({"a": {}}, {}) == {"a": {}}
    assert deep_merge({}, {"a": {"b": 1}}) == {"a": {"b": 1}}
    assert deep_merge({"a": {"b": 1}}, {"a": {}}) == {"a": {"b": 1}}


def test_lookup_edges():
    merged = deep_merge({"a": {"b": {"c": 1}}}, {"a": {"b": {"c": 2}}})
    assert lookup(merged, "a.b.c") == 2
    assert lookup(merged, "a.b") == {"c": 2}
    assert lookup(merged, "a.b.c.d") is None
    assert lookup(merged, "x", 4) == 4
""",
    ),
    Program(
        name="directory_size",
        code=r'''"""Sizes in a directory tree.

A directory is a dict from names to entries; an entry is either the size of
a file (an int) or another directory (a dict).
"""


def total_size(directory, skip=()):
    """Return the size of all files in the directory and those below it.

    Files and directories with a name in `skip` are left out, on every level.
    """
    total = 0
    for name, entry in directory.items():
        if name in skip:
            continue
        if isinstance(entry, dict):
            total += total_size(entry)
        else:
            total += entry
    return total


def find_files(directory, suffix, path=""):
    """Return the paths of all files whose name ends with suffix, sorted."""
    found = []
    for name, entry in directory.items():
        full = path + "/" + name
        if isinstance(entry, dict):
            found.extend(find_files(entry, suffix, full))
        elif name.endswith(suffix):
            found.append(full)
    return sorted(found)
''',
        wrong="total += total_size(entry)",
        right="total += total_size(entry, skip)",
        visible="""TREE = {
    "readme.txt": 10,
    "src": {"main.py": 200, "util.py": 50, "cache": {"main.pyc": 999}},
    "cache": {"a.tmp": 5},
}


def test_total():
    assert total_size(TREE) == 1264


def test_empty():
    assert total_size({}) == 0


def test_skip_at_top():
    assert total_size({"a": 1, "b": {"c": 2}}, skip={"b"}) == 1


def test_skip_everywhere():
    assert total_size(TREE, skip={"cache"}) == 260


def test_find_files():
    assert find_files(TREE, ".py") == ["/src/main.py", "/src/util.py"]
""",
        hidden="""def test_skip_files_below():
    tree = {"x": 1, "d": {"x": 2, "y": 3, "e": {"x": 4, "y": 5}}}
    assert total_size(tree, skip=["x"]) == 8
    assert total_size(tree, skip=["x", "y"]) == 0
    assert total_size(tree, ("e",)) == 6


def test_skip_deep():
    tree = {"a": {"b": {"c": {"d": {"skipme": 100, "keep": 1}}}}}
    assert total_size(tree, {"skipme"}) == 1
    assert total_size(tree) == 101


def test_skip_without_match():
    tree = {"a": {"b": 1}, "c": 2}
    assert total_size(tree, {"nothing"}) == 3


def test_skip_does_not_last():
    tree = {"d": {"x": 2, "y": 3}}
    assert total_size(tree, {"x"}) == 3
    assert total_size(tree) == 5


def test_empty_directories():
    assert total_size({"a": {}, "b": {"c": {}}}) == 0


def test_find_files_on_all_levels():
    tree = {"z.md": 1, "a": {"b.md": 2, "c": {"d.md": 3, "e.txt": 4}}}
    assert find_files(tree, ".md") == ["/a/b.md", "/a/c/d.md", "/z.md"]
    assert find_files(tree, ".py") == []
""",
    ),
    Program(
        name="tree_height",
        code=r'''"""Binary trees as nested tuples (left, value, right); None is the empty tree."""


def insert(tree, value):
    """Return a new search tree with the value in it (unchanged if it was there)."""
    if tree is None:
        return (None, value, None)
    left, here, right = tree
    if value < here:
        return (insert(left, value), here, right)
    if value > here:
        return (left, here, insert(right, value))
    return tree


def height(tree):
    """Return the number of edges on the longest way from the root down.

    A single node has height 0, the empty tree has height -1.
    """
    if tree is None:
        return 0
    left, _, right = tree
    return 1 + max(height(left), height(right))


def in_order(tree):
    """Return the values from left to right."""
    if tree is None:
        return []
    left, here, right = tree
    return in_order(left) + [here] + in_order(right)


def is_balanced(tree):
    """Tell whether at every node the heights of both sides differ by at most 1."""
    if tree is None:
        return True
    left, _, right = tree
    if abs(height(left) - height(right)) > 1:
        return False
    return is_balanced(left) and is_balanced(right)
''',
        wrong="        return 0\n",
        right="        return -1\n",
        visible="""def build(values):
    tree = None
    for value in values:
        tree = insert(tree, value)
    return tree


def test_in_order_is_sorted():
    assert in_order(build([5, 2, 8, 1])) == [1, 2, 5, 8]


def test_single_node():
    assert height(build([1])) == 0


def test_height_of_chain():
    assert height(build([1, 2, 3, 4])) == 3


def test_balance():
    assert is_balanced(build([2, 1, 3]))
    assert not is_balanced(build([1, 2, 3]))


def test_insert_twice():
    assert in_order(build([3, 3, 1])) == [1, 3]
""",
        hidden="""def build(values):
    tree = None
    for value in values:
        tree = insert(tree, value)
    return tree


def test_empty_tree():
    assert height(None) == -1
    assert in_order(None) == []
    assert is_balanced(None)


def test_heights():
    assert height(build([7])) == 0
    assert height(build([2, 1, 3])) == 1
    assert height(build([2, 1])) == 1
    assert height(build([4, 2, 6, 1, 3, 5, 7])) == 2
    assert height(build(range(20))) == 19
    assert height(build([5, 1, 4, 2, 3])) == 4


def test_balance():
    assert is_balanced(build([2, 1]))
    assert is_balanced(build([4, 2, 6, 1]))
    assert not is_balanced(build([4, 2, 1]))
    assert not is_balanced(build([10, 5, 15, 3, 2, 20, 25]))


def test_insert_leaves_old_tree():
    old = build([2, 1])
    new = insert(old, 3)
    assert in_order(old) == [1, 2]
    assert in_order(new) == [1, 2, 3]


def test_insert_known_value():
    tree = build([2, 1, 3])
    assert insert(tree, 3) == tree
""",
    ),
    Program(
        name="expression_tree",
        code=r'''"""Evaluating arithmetic expressions given as nested tuples.

An expression is a number, the name of a variable, ("neg", expression) or
(operator, left, right) with one of the operators + - * / ^.
"""


def evaluate(expression, variables=None):
    """Return the value of the expression.

    ("-", a, b) is a minus b, ("/", a, b) is a divided by b and ("^", a, b)
    is a to the power of b.  NameError for an unknown variable, ValueError
    for an unknown operator.
    """
    variables = variables or {}
    if isinstance(expression, (int, float)):
        return expression
    if isinstance(expression, str):
        if expression not in variables:
            raise NameError(expression)
        return variables[expression]
    operator, *operands = expression
    values = [evaluate(operand, variables) for operand in operands]
    if operator == "neg":
        return -values[0]
    first, second = values
    if operator == "+":
        return first + second
    if operator == "-":
        return first - second
    if operator == "*":
        return first * second
    if operator == "/":
        return first / second
    if operator == "^":
        return second ** first
    raise ValueError("unknown operator: " + operator)
''',
        wrong="return second ** first",
        right="return first ** second",
        visible="""def test_numbers():
    assert evaluate(4) == 4
    assert evaluate(("neg", 4)) == -4


def test_sum_and_product():
    assert evaluate(("+", 1, ("*", 2, 3))) == 7


def test_difference_and_quotient():
    assert evaluate(("-", 10, 4)) == 6
    assert evaluate(("/", 10, 4)) == 2.5


def test_power():
    assert evaluate(("^", 2, 3)) == 8


def test_variables():
    assert evaluate(("+", "x", 1), {"x": 5}) == 6
    with pytest.raises(NameError):
        evaluate("y", {"x": 5})


def test_unknown_operator():
    with pytest.raises(ValueError):
        evaluate(("%", 5, 3))
""",
        hidden="""def test_powers():
    assert evaluate(("^", 3, 2)) == 9
    assert evaluate(("^", 5, 0)) == 1
    assert evaluate(("^", 0, 5)) == 0
    assert evaluate(("^", 2, -1)) == 0.5
    assert evaluate(("^", 2, 2)) == 4


def test_nested_powers():
    assert evaluate(("^", ("^", 2, 3), 2)) == 64
    assert evaluate(("^", 2, ("^", 3, 2))) == 512


def test_polynomial():
    square = ("+", ("-", ("^", "x", 2), ("*", 3, "x")), 1)
    assert evaluate(square, {"x": 5}) == 11
    assert evaluate(square, {"x": 0}) == 1
    assert evaluate(square, {"x": -2}) == 11


def test_order_of_operands():
    assert evaluate(("-", 1, ("-", 2, 3))) == 2
    assert evaluate(("/", 1, 4)) == 0.25
    assert evaluate(("neg", ("-", 2, 5))) == 3


def test_errors():
    with pytest.raises(NameError):
        evaluate(("+", 1, "missing"))
    with pytest.raises(ValueError):
        evaluate(("+", 1, ("mod", 2, 3)))
    with pytest.raises(ZeroDivisionError):
        evaluate(("/", 1, 0))


def test_zero_variable():
    assert evaluate(("*", "a", "b"), {"a": 0, "b": 9}) == 0
    assert evaluate(1.5) == 1.5
""",
    ),
    # ---------------------------------------------------------------- strings and parsing
    Program(
        name="config_parser",
        code=r'''"""A reader for simple configuration files."""


def parse_config(text):
    """Return the settings of the text as a dict of dicts by section.

    A line "[name]" starts a section; settings before the first one belong to
    the section "".  A setting is "key = value": the key ends at the first
    equals sign, and blanks around key and value do not count.  Empty lines
    and lines that start with "#" are ignored.  Any other line is a
    ValueError.
    """
    sections = {"": {}}
    current = sections[""]
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            current = sections.setdefault(line[1:-1].strip(), {})
            continue
        if "=" not in line:
            raise ValueError(f"line {number}: no equals sign")
        key, value = line.split("=")
        current[key.strip()] = value.strip()
    return sections


def get_flag(settings, key, default=False):
    """Return a yes/no setting as a bool; yes, true, on and 1 mean True."""
    if key not in settings:
        return default
    return settings[key].lower() in ("yes", "true", "on", "1")
''',
        wrong='line.split("=")',
        right='line.split("=", 1)',
        visible="""def test_plain_settings():
    assert parse_config("a=1\\nb = two words \\n") == {"": {"a": "1", "b": "two words"}}


def test_sections():
    text = "x = 1\\n[net]\\nport = 80\\n"
    assert parse_config(text) == {"": {"x": "1"}, "net": {"port": "80"}}


def test_comments_and_blank_lines():
    assert parse_config("# note\\n\\n  # more\\nk=v") == {"": {"k": "v"}}


def test_value_with_equals_sign():
    text = "url = http://host/?a=1&b=2"
    assert parse_config(text)[""]["url"] == "http://host/?a=1&b=2"


def test_bad_line():
    with pytest.raises(ValueError):
        parse_config("nonsense")


def test_flag():
    assert get_flag({"debug": "Yes"}, "debug")
    assert not get_flag({"debug": "no"}, "debug")
""",
        hidden="""def test_equals_signs_in_values():
    assert parse_config("a==") == {"": {"a": "="}}
    assert parse_config("token = abc==") == {"": {"token": "abc=="}}
    assert parse_config("expr = x = y = z") == {"": {"expr": "x = y = z"}}


def test_empty_value():
    assert parse_config("a =") == {"": {"a": ""}}


def test_sections_continue():
    text = "[a]\\nx=1\\n[b]\\nx=2\\n[ a ]\\ny=3=4"
    assert parse_config(text) == {"": {}, "a": {"x": "1", "y": "3=4"}, "b": {"x": "2"}}


def test_comment_with_equals_sign():
    assert parse_config("# a=b=c\\n") == {"": {}}
    assert parse_config("") == {"": {}}


def test_hash_inside_value_is_kept():
    assert parse_config("color = #fff") == {"": {"color": "#fff"}}


def test_later_setting_wins():
    assert parse_config("a=1\\na=2") == {"": {"a": "2"}}


def test_bad_line_in_section():
    with pytest.raises(ValueError):
        parse_config("a=1\\n[s]\\njunk\\n")


def test_flags():
    settings = {"a": "ON", "b": "1", "c": "false", "d": ""}
    assert [get_flag(settings, key) for key in "abcd"] == [True, True, False, False]
    assert get_flag(settings, "z") is False
    assert get_flag(settings, "z", True) is True
""",
    ),
    Program(
        name="csv_line",
        code=r'''"""Splitting and joining lines of comma-separated values."""


def split_line(line):
    """Return the fields of a line.

    Fields are separated by commas.  A field that starts with a double quote
    reaches to the closing quote and may contain commas; a doubled quote in
    it stands for one quote.  ValueError if a quote is never closed.
    """
    fields = []
    field = ""
    quoted = False
    index = 0
    while index < len(line):
        char = line[index]
        if quoted:
            if char != '"':
                field += char
            elif line[index + 1:index + 2] == '"':
                field += '"'
            else:
                quoted = False
        elif char == '"' and not field:
            quoted = True
        elif char == ",":
            fields.append(field)
            field = ""
        else:
            field += char
        index += 1
    if quoted:
        raise ValueError("quote is never closed")
    fields.append(field)
    return fields


def join_line(fields):
    """Return a line with these fields, quoted where needed."""
    out = []
    for field in fields:
        if "," in field or '"' in field:
            field = '"' + field.replace('"', '""') + '"'
        out.append(field)
    return ",".join(out)
''',
        wrong="""                field += '"'
""",
        right="""                field += '"'
                index += 1
""",
        visible="""def test_plain():
    assert split_line("a,b,c") == ["a", "b", "c"]


def test_empty_fields():
    assert split_line("a,,") == ["a", "", ""]


def test_comma_in_quotes():
    assert split_line('1,"Smith, John",x') == ["1", "Smith, John", "x"]


def test_doubled_quote():
    assert split_line('"say ""hi"" now",2') == ['say "hi" now', "2"]


def test_unclosed_quote():
    with pytest.raises(ValueError):
        split_line('a,"b')


def test_join():
    assert join_line(["a", "b,c", 'd"e']) == 'a,"b,c","d""e"'
""",
        hidden='''def test_single_doubled_quote():
    assert split_line('"5"" pipe"') == ['5" pipe']


def test_only_quotes():
    assert split_line('""""') == ['"']
    assert split_line('""""""') == ['""']
    assert split_line('""') == [""]


def test_doubled_quote_next_to_comma():
    assert split_line('"a"",""b",c') == ['a","b', "c"]


def test_round_trip():
    rows = [
        ["x", "", "y"],
        ['"', ",", '","'],
        ['he said ""', '"quoted"', "plain"],
        [""],
        ['a"b"c', "1,2,3"],
    ]
    for row in rows:
        assert split_line(join_line(row)) == row


def test_unclosed_after_doubled_quote():
    with pytest.raises(ValueError):
        split_line('"abc""')


def test_empty_line_and_blanks():
    assert split_line("") == [""]
    assert split_line(" a , b ") == [" a ", " b "]


def test_quote_inside_plain_field():
    assert split_line('5" pipe,x') == ['5" pipe', "x"]
''',
    ),
    Program(
        name="template",
        code=r'''"""Filling in text templates."""
import re

PLACEHOLDER = re.compile(r"\{(\w+)(?::(upper|lower|title))?\}")


def render(template, values):
    """Replace every placeholder {name} by the value of that name.

    {name:upper}, {name:lower} and {name:title} change the case of the value.
    A placeholder whose name has no value stays in the text as it is.
    """
    def replace(match):
        name, change = match.groups()
        value = str(values.get(name, name))
        if change is None:
            return value
        if name not in values:
            return match.group(0)
        return getattr(value, change)()

    return PLACEHOLDER.sub(replace, template)


def names(template):
    """Return the names used in the template, each once, in order of appearance."""
    seen = []
    for match in PLACEHOLDER.finditer(template):
        if match.group(1) not in seen:
            seen.append(match.group(1))
    return seen
''',
        wrong="values.get(name, name)",
        right="values.get(name, match.group(0))",
        visible="""def test_simple():
    assert render("Dear {name}!", {"name": "Ann"}) == "Dear Ann!"


def test_numbers():
    assert render("{a} + {b}", {"a": 1, "b": 2}) == "1 + 2"


def test_case():
    assert render("{x:upper} {x:title}", {"x": "new york"}) == "NEW YORK New York"


def test_unknown_name_stays():
    assert render("Hi {who}", {}) == "Hi {who}"


def test_names():
    assert names("{a} {b:upper} {a}") == ["a", "b"]
""",
        hidden="""def test_known_and_unknown_mixed():
    assert render("{a}{b}{a}", {"a": "x"}) == "x{b}x"
    assert render("{a} {b} {c}", {"b": 0}) == "{a} 0 {c}"


def test_unknown_with_case_change_stays():
    assert render("{who:upper}", {"x": 1}) == "{who:upper}"
    assert render("{who:title} {who}", {}) == "{who:title} {who}"


def test_empty_and_none_values_count():
    assert render("[{a}]", {"a": ""}) == "[]"
    assert render("[{a}]", {"a": None}) == "[None]"


def test_values_are_not_rendered_again():
    assert render("{a}", {"a": "{b}", "b": "no"}) == "{b}"


def test_other_braces_stay():
    assert render("{} {a b} {a:other} {", {"a": 1}) == "{} {a b} {a:other} {"


def test_lower():
    assert render("{a:lower}-{a}", {"a": "ABC"}) == "abc-ABC"


def test_names_of_plain_text():
    assert names("nothing {here but} text") == []
    assert names("{b}{a:lower}{b:title}") == ["b", "a"]
""",
    ),
    Program(
        name="run_length",
        code=r'''"""Run-length encoding of texts without digits."""


def encode(text):
    """Return the text with every run of a character as count and character.

    A run of length 1 is written without the count: "aaab" becomes "3ab".
    ValueError if the text contains digits.
    """
    if any(char.isdigit() for char in text):
        raise ValueError("digits cannot be encoded")
    if not text:
        return ""
    pieces = []
    previous, count = text[0], 0
    for char in text:
        if char != previous:
            pieces.append(format_run(previous, count))
            previous, count = char, 1
        count += 1
    pieces.append(format_run(previous, count))
    return "".join(pieces)


def format_run(char, count):
    """Return the code of one run."""
    return char if count == 1 else f"{count}{char}"


def decode(code):
    """Return the text for a code; ValueError if it ends with a count."""
    pieces = []
    digits = ""
    for char in code:
        if char.isdigit():
            digits += char
        else:
            pieces.append(char * int(digits or 1))
            digits = ""
    if digits:
        raise ValueError("count without character")
    return "".join(pieces)
''',
        wrong="previous, count = char, 1",
        right="previous, count = char, 0",
        visible="""def test_single_run():
    assert encode("aaaa") == "4a"


def test_several_runs():
    assert encode("aaabbc") == "3a2bc"


def test_empty():
    assert encode("") == ""
    assert decode("") == ""


def test_decode():
    assert decode("3a2bc") == "aaabbc"
    assert decode("12x") == "x" * 12


def test_digits_are_refused():
    with pytest.raises(ValueError):
        encode("a1")


def test_round_trip():
    assert decode(encode("hello  world")) == "hello  world"
""",
        hidden="""def test_no_repeats():
    assert encode("abc") == "abc"
    assert encode("x") == "x"


def test_runs_at_all_places():
    assert encode("abbb") == "a3b"
    assert encode("abbba") == "a3ba"
    assert encode("aab") == "2ab"
    assert encode("  a") == "2 a"


def test_long_runs():
    assert encode("a" * 100 + "b" * 11) == "100a11b"


def test_round_trips():
    for text in ("", "a", "ab", "aabbaa", "zzz y xxx", "ABBA", "mississippi"):
        assert decode(encode(text)) == text


def test_same_character_again():
    assert encode("aabaa") == "2ab2a"


def test_bad_input():
    with pytest.raises(ValueError):
        decode("3a2")
    with pytest.raises(ValueError):
        encode("7")


def test_format_run():
    assert format_run("q", 1) == "q"
    assert format_run("q", 2) == "2q"
""",
    ),
    Program(
        name="anagrams",
        code=r'''"""Finding anagrams."""


def signature(phrase):
    """Return a text that is the same for all anagrams of the phrase.

    Only letters and digits count, and upper and lower case are the same.
    """
    letters = [char for char in phrase if char.isalnum()]
    return "".join(sorted(letters))


def are_anagrams(first, second):
    """Tell whether both phrases have the same letters (case does not matter)."""
    return signature(first) == signature(second)


def group_anagrams(phrases):
    """Return lists of phrases that are anagrams of each other.

    Groups are in order of their first phrase, the phrases of a group in
    their given order.
    """
    groups = {}
    for phrase in phrases:
        groups.setdefault(signature(phrase), []).append(phrase)
    return list(groups.values())
''',
        wrong="for char in phrase if char.isalnum()",
        right="for char in phrase.lower() if char.isalnum()",
        visible="""def test_simple_anagrams():
    assert are_anagrams("listen", "silent")
    assert not are_anagrams("listen", "silence")


def test_blanks_do_not_count():
    assert are_anagrams("a gentleman", "elegant man")


def test_case_does_not_count():
    assert are_anagrams("Elvis", "lives")


def test_counts_of_letters():
    assert not are_anagrams("aab", "abb")


def test_group():
    assert group_anagrams(["tea", "bus", "eat", "sub"]) == [["tea", "eat"], ["bus", "sub"]]
""",
        hidden="""def test_mixed_case_pairs():
    assert are_anagrams("Dormitory", "Dirty Room")
    assert are_anagrams("ABC", "cba")
    assert are_anagrams("aA", "Aa")
    assert are_anagrams("Tom Marvolo Riddle", "I am Lord Voldemort")


def test_signature_ignores_case_and_order():
    assert signature("Bca") == signature("ABC") == signature("c-A-b")
    assert signature("abc") != signature("abd")


def test_group_with_case():
    phrases = ["Tea", "EAT", "dog", "God", "ate", "cat"]
    assert group_anagrams(phrases) == [["Tea", "EAT", "ate"], ["dog", "God"], ["cat"]]


def test_punctuation_and_digits():
    assert are_anagrams("it's", "Sit!")
    assert are_anagrams("A1", "1a")
    assert not are_anagrams("a1", "a2")


def test_empty():
    assert are_anagrams("", " - ")
    assert not are_anagrams("", "a")
    assert group_anagrams([]) == []


def test_repeated_phrases_stay():
    assert group_anagrams(["ab", "ab"]) == [["ab", "ab"]]
""",
    ),
    Program(
        name="mail_header",
        code=r'''"""Reading the header of a message."""


def parse_header(text):
    """Return the header fields of a message as a dict.

    A field is a line "Name: value"; names are given back in lower case,
    blanks around the value do not count.  A line that starts with a blank
    continues the value of the field before it (joined by one blank).  Lines
    that start with "%" are remarks and are skipped.  The header ends at the
    first empty line.  If a field occurs twice, the later value is used.
    """
    fields = {}
    last = None
    for line in text.split("\n"):
        if not line.strip():
            break
        if line.startswith("%"):
            break
        if line.startswith(" "):
            if last is None:
                raise ValueError("nothing to continue")
            fields[last] += " " + line.strip()
            continue
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError("not a field: " + line)
        last = name.strip().lower()
        fields[last] = value.strip()
    return fields


def body(text):
    """Return what follows the first empty line ("" if there is none)."""
    return text.partition("\n\n")[2]
''',
        wrong="""        if line.startswith("%"):
            break
""",
        right="""        if line.startswith("%"):
            continue
""",
        visible="""def test_fields():
    text = "From: ann\\nTo:  bob \\n\\nhello"
    assert parse_header(text) == {"from": "ann", "to": "bob"}


def test_body():
    assert body("From: ann\\n\\nhello\\n\\nbye") == "hello\\n\\nbye"
    assert body("From: ann") == ""


def test_remarks_are_skipped():
    text = "From: ann\\n% checked\\nTo: bob\\n"
    assert parse_header(text) == {"from": "ann", "to": "bob"}


def test_continued_line():
    assert parse_header("Subject: a long\\n   story") == {"subject": "a long story"}


def test_bad_line():
    with pytest.raises(ValueError):
        parse_header("From ann")
""",
        hidden="""def test_remark_first_and_last():
    assert parse_header("% one\\n% two\\nA: 1\\n% three\\n\\nB: 2") == {"a": "1"}


def test_only_remarks():
    assert parse_header("% a\\n% b") == {}
    assert parse_header("") == {}


def test_fields_after_empty_line_do_not_count():
    assert parse_header("A: 1\\n\\nB: 2") == {"a": "1"}
    assert parse_header("\\nA: 1") == {}


def test_continuation_after_remark():
    assert parse_header("A: x\\n% remark\\n y\\nB: z") == {"a": "x y", "b": "z"}


def test_bad_line_after_remark():
    with pytest.raises(ValueError):
        parse_header("% remark\\nnonsense")
    with pytest.raises(ValueError):
        parse_header("% remark\\n  continued")


def test_values():
    text = "Time: 12:30\\nEMPTY:\\ntime: 13:45\\nNote: 100 % sure"
    assert parse_header(text) == {"time": "13:45", "empty": "", "note": "100 % sure"}


def test_several_continuations():
    assert parse_header("A: 1\\n 2\\n 3\\nB: 4") == {"a": "1 2 3", "b": "4"}
""",
    ),
    Program(
        name="word_wrap",
        code=r'''"""Breaking text into lines."""


def wrap(text, width):
    """Return the text as lines of at most `width` characters.

    Words are put into a line, with one blank between them, as long as they
    fit.  A word longer than the width gets a line of its own, unbroken.
    """
    if width < 1:
        raise ValueError("width must be positive")
    lines = []
    current = ""
    for word in text.split():
        if not current:
            current = word
        elif len(current) + 1 + len(word) < width:
            current += " " + word
        else:
            lines.append(current)
            current = word
    if current:
        lines.append(current)
    return lines


def center(text, width):
    """Return the wrapped lines centered in the width, without trailing blanks."""
    return [line.center(width).rstrip() for line in wrap(text, width)]
''',
        wrong="len(current) + 1 + len(word) < width",
        right="len(current) + 1 + len(word) <= width",
        visible="""def test_short_text():
    assert wrap("hello", 20) == ["hello"]


def test_breaks_between_words():
    assert wrap("the quick brown fox", 12) == ["the quick", "brown fox"]


def test_line_may_be_full():
    assert wrap("one two three", 7) == ["one two", "three"]


def test_long_word():
    assert wrap("a incomprehensible b", 5) == ["a", "incomprehensible", "b"]


def test_no_text():
    assert wrap("   ", 10) == []


def test_bad_width():
    with pytest.raises(ValueError):
        wrap("x", 0)
""",
        hidden="""TEXT = "It was the best of times it was the worst of times it was the age of wisdom"


def test_exact_fit():
    assert wrap("aa bb cc", 8) == ["aa bb cc"]
    assert wrap("aa bb cc", 7) == ["aa bb", "cc"]
    assert wrap("aa bb cc", 5) == ["aa bb", "cc"]
    assert wrap("aa bb cc", 4) == ["aa", "bb", "cc"]


def test_lines_are_short_and_greedy():
    for width in range(6, 40):
        lines = wrap(TEXT, width)
        assert " ".join(lines) == TEXT
        assert all(len(line) <= width for line in lines)
        for line, following in zip(lines, lines[1:]):
            assert len(line) + 1 + len(following.split()[0]) > width


def test_letters():
    assert wrap("a b c d", 3) == ["a b", "c d"]
    assert wrap("a b c", 1) == ["a", "b", "c"]


def test_long_words():
    assert wrap("abcdefgh ij", 4) == ["abcdefgh", "ij"]
    assert wrap("abcd ef", 4) == ["abcd", "ef"]


def test_blanks_and_newlines():
    assert wrap("  a \\n b\\t c ", 5) == ["a b c"]
    assert wrap("", 3) == []


def test_center():
    assert center("ab cd", 5) == ["ab cd"]
    assert center("ab cd", 4) == [" ab", " cd"]


def test_negative_width():
    with pytest.raises(ValueError):
        wrap("x", -1)
""",
    ),
    # ---------------------------------------------------------------- arithmetic and money
    Program(
        name="depreciation",
        code=r'''"""Straight-line depreciation in whole cents."""


def schedule(cost, residual, years):
    """Return the book value at the end of each year, as pairs (year, value).

    The years are numbered from 1 to `years`.  The value falls from cost to
    residual in equal steps, each value rounded down to a cent, and is
    exactly the residual at the end of the last year.  ValueError if there
    is no year or the residual is more than the cost.
    """
    if years < 1:
        raise ValueError("at least one year is needed")
    if residual > cost:
        raise ValueError("the residual is more than the cost")
    loss = cost - residual
    rows = []
    for year in range(1, years):
        value = residual + loss * (years - year) // years
        rows.append((year, value))
    return rows


def value_after(cost, residual, years, year):
    """Return the book value at the end of a year: cost at 0, residual from the last on."""
    if year <= 0:
        return cost
    for number, value in schedule(cost, residual, years):
        if number == year:
            return value
    return residual
''',
        wrong="range(1, years)",
        right="range(1, years + 1)",
        visible="""def test_schedule():
    assert schedule(1000, 400, 3) == [(1, 800), (2, 600), (3, 400)]


def test_last_value_is_residual():
    assert schedule(99999, 100, 7)[-1] == (7, 100)


def test_value_after():
    assert value_after(1000, 400, 3, 0) == 1000
    assert value_after(1000, 400, 3, 2) == 600
    assert value_after(1000, 400, 3, 9) == 400


def test_no_years():
    with pytest.raises(ValueError):
        schedule(1000, 0, 0)


def test_bad_residual():
    with pytest.raises(ValueError):
        schedule(100, 200, 2)
""",
        hidden="""def test_one_year():
    assert schedule(500, 20, 1) == [(1, 20)]


def test_number_of_years():
    for years in range(1, 15):
        rows = schedule(10000, 1000, years)
        assert [year for year, _ in rows] == list(range(1, years + 1))
        assert rows[-1][1] == 1000


def test_rounded_down():
    assert schedule(100, 0, 3) == [(1, 66), (2, 33), (3, 0)]


def test_nothing_to_lose():
    assert schedule(70, 70, 2) == [(1, 70), (2, 70)]


def test_value_after_each_year():
    assert [value_after(100, 10, 3, year) for year in range(-1, 6)] == [100, 100, 70, 40, 10, 10, 10]


def test_errors():
    with pytest.raises(ValueError):
        schedule(10, 0, -2)
    with pytest.raises(ValueError):
        schedule(10, 11, 1)
""",
    ),
    Program(
        name="income_tax",
        code=r'''"""Progressive income tax in whole units of money."""

# (upper limit of the bracket or None, rate in percent)
BRACKETS = [(10000, 0), (30000, 20), (80000, 30), (None, 45)]


def tax_parts(income, brackets=BRACKETS):
    """Return the tax of each bracket that the income reaches, lowest first.

    Each rate applies only to the part of the income inside its bracket;
    each part of the tax is rounded down to a whole unit.
    """
    parts = []
    lower = 0
    for upper, rate in brackets:
        if income <= lower:
            break
        top = income if upper is None else min(income, upper)
        parts.append((income - lower) * rate // 100)
        lower = upper
    return parts


def tax(income, brackets=BRACKETS):
    """Return the whole tax; incomes of 0 or less are not taxed."""
    return sum(tax_parts(income, brackets))


def marginal_rate(income, brackets=BRACKETS):
    """Return the rate in percent of the bracket in which the income ends."""
    for upper, rate in brackets:
        if upper is None or income <= upper:
            return rate
    return brackets[-1][1]
''',
        wrong="parts.append((income - lower)",
        right="parts.append((top - lower)",
        visible="""def test_below_first_limit():
    assert tax(8000) == 0


def test_second_bracket():
    assert tax(20000) == 2000


def test_third_bracket():
    assert tax(50000) == 4000 + 6000


def test_top_bracket():
    assert tax(100000) == 4000 + 15000 + 9000


def test_no_income():
    assert tax(0) == 0
    assert tax_parts(0) == []


def test_marginal_rate():
    assert marginal_rate(30000) == 20
    assert marginal_rate(30001) == 30
""",
        hidden="""def test_at_the_limits():
    assert tax(10000) == 0
    assert tax(30000) == 4000
    assert tax(80000) == 19000


def test_parts():
    assert tax_parts(5000) == [0]
    assert tax_parts(30000) == [0, 4000]
    assert tax_parts(30100) == [0, 4000, 30]
    assert tax_parts(90000) == [0, 4000, 15000, 4500]


def test_own_brackets():
    flat = [(None, 10)]
    assert tax(12345, flat) == 1234
    steps = [(100, 10), (200, 50)]
    assert tax_parts(150, steps) == [10, 25]
    assert tax_parts(200, steps) == [10, 50]


def test_one_more_unit_costs_the_marginal_rate():
    for income in (15000, 29900, 30000, 45000, 80000, 200000):
        assert tax(income + 100) - tax(income) == marginal_rate(income + 100)


def test_rounded_down():
    assert tax(10004) == 0
    assert tax(10005) == 1
    assert tax(30003) == 4000


def test_negative_income():
    assert tax(-500) == 0
    assert tax_parts(-500) == []


def test_marginal_rates():
    assert [marginal_rate(x) for x in (0, 10000, 10001, 80000, 80001)] == [0, 0, 20, 30, 45]
""",
    ),
    Program(
        name="vat",
        code=r'''"""Value added tax, in whole cents and whole percent."""


def round_half_up(numerator, denominator):
    """Return numerator / denominator rounded to the nearest integer, halves up."""
    return (2 * numerator + denominator) // (2 * denominator)


def gross_from_net(net, rate):
    """Return the price with tax for a price without."""
    return net + round_half_up(net * rate, 100)


def net_from_gross(gross, rate):
    """Return the price without tax that is contained in a price with tax."""
    return round_half_up(gross * 100, 100) + rate


def tax_in_gross(gross, rate):
    """Return the tax that is contained in a price with tax."""
    return gross - net_from_gross(gross, rate)


def invoice(items, rate):
    """Return (net, tax, gross) for items given as pairs (net price, quantity).

    The tax is computed once for the sum, not for each item.
    """
    net = sum(price * quantity for price, quantity in items)
    gross = gross_from_net(net, rate)
    return net, gross - net, gross
''',
        wrong="round_half_up(gross * 100, 100) + rate",
        right="round_half_up(gross * 100, 100 + rate)",
        visible="""def test_gross_from_net():
    assert gross_from_net(1000, 19) == 1190
    assert gross_from_net(50, 7) == 54


def test_net_from_gross():
    assert net_from_gross(1190, 19) == 1000
    assert net_from_gross(107, 7) == 100


def test_tax_in_gross():
    assert tax_in_gross(1190, 19) == 190


def test_rounding():
    assert round_half_up(5, 2) == 3
    assert round_half_up(7, 3) == 2


def test_invoice():
    assert invoice([(100, 2), (50, 1)], 20) == (250, 50, 300)
""",
        hidden="""def test_there_and_back():
    for rate in (0, 5, 7, 19, 20, 25):
        for net in range(0, 3000, 37):
            assert net_from_gross(gross_from_net(net, rate), rate) == net


def test_net_and_tax_make_gross():
    for gross in (0, 1, 99, 100, 12345):
        assert net_from_gross(gross, 19) + tax_in_gross(gross, 19) == gross


def test_rate_zero():
    assert net_from_gross(777, 0) == 777
    assert tax_in_gross(777, 0) == 0


def test_net_is_rounded():
    assert net_from_gross(100, 19) == 84
    assert tax_in_gross(100, 19) == 16
    assert net_from_gross(1, 100) == 1
    assert net_from_gross(50, 20) == 42


def test_round_half_up():
    assert [round_half_up(n, 4) for n in range(9)] == [0, 0, 1, 1, 1, 1, 2, 2, 2]


def test_invoice_taxes_the_sum():
    assert invoice([(2, 1), (2, 1), (2, 1)], 20) == (6, 1, 7)
    assert invoice([], 19) == (0, 0, 0)
""",
    ),
    Program(
        name="cash_rounding",
        code=r'''"""Rounding for cash payments where small coins are missing."""


def round_to_step(cents, step=5):
    """Return the amount rounded to the nearest multiple of step.

    Amounts exactly in the middle are rounded away from zero, so that a
    refund of some amount is rounded like a payment of it.  ValueError if
    the step is not positive.
    """
    if step < 1:
        raise ValueError("step must be positive")
    sign = -1 if cents < 0 else 1
    units, rest = divmod(cents, step)
    if 2 * rest >= step:
        units += 1
    return sign * units * step


def rounding_difference(cents, step=5):
    """Return what rounding adds to the amount (negative if it takes off)."""
    return round_to_step(cents, step) - cents


def format_amount(cents):
    """Return the amount like 12.05 or -0.30."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"
''',
        wrong="divmod(cents, step)",
        right="divmod(abs(cents), step)",
        visible="""def test_payments():
    assert round_to_step(102) == 100
    assert round_to_step(103) == 105
    assert round_to_step(105) == 105


def test_refunds():
    assert round_to_step(-102) == -100
    assert round_to_step(-103) == -105


def test_middle():
    assert round_to_step(25, 50) == 50


def test_difference():
    assert rounding_difference(103) == 2
    assert rounding_difference(101) == -1


def test_bad_step():
    with pytest.raises(ValueError):
        round_to_step(10, 0)


def test_format():
    assert format_amount(1205) == "12.05"
    assert format_amount(-30) == "-0.30"
""",
        hidden="""def test_symmetric():
    for step in (1, 2, 5, 10, 25, 100):
        for cents in range(0, 260):
            assert round_to_step(-cents, step) == -round_to_step(cents, step)


def test_nearest_multiple():
    for step in (1, 3, 5, 10):
        for cents in range(-60, 61):
            rounded = round_to_step(cents, step)
            assert rounded % step == 0
            assert 2 * abs(rounded - cents) <= step


def test_middle_goes_away_from_zero():
    assert round_to_step(5, 10) == 10
    assert round_to_step(-5, 10) == -10
    assert round_to_step(-15, 10) == -20


def test_zero_and_step_one():
    assert round_to_step(0) == 0
    assert round_to_step(-7, 1) == -7
    assert round_to_step(7, 1) == 7


def test_differences_of_refunds():
    assert rounding_difference(-103) == -2
    assert rounding_difference(-101) == 1
    assert rounding_difference(-105) == 0


def test_bad_step():
    with pytest.raises(ValueError):
        round_to_step(10, -5)


def test_format_more():
    assert format_amount(0) == "0.00"
    assert format_amount(-12345) == "-123.45"
    assert format_amount(7) == "0.07"
""",
    ),
    Program(
        name="cart_discount",
        code=r'''"""Totals of a shopping cart, in cents."""


def subtotal(items):
    """Return the price of all items, given as pairs (unit price, quantity)."""
    return sum(price * quantity for price, quantity in items)


def discount(amount, percent=0, voucher=0):
    """Return how much is taken off an amount.

    First the percentage is taken off (rounded down to a cent), then the
    voucher off the rest.  A voucher worth more than the rest is used up:
    never more than the whole amount is taken off.
    """
    if not 0 <= percent <= 100:
        raise ValueError("percent must be between 0 and 100")
    reduction = amount * percent // 100
    rest = amount - reduction
    return reduction + max(voucher, rest)


def total(items, percent=0, voucher=0, shipping=495, free_from=5000):
    """Return what has to be paid.

    Shipping is added, except when the amount after the discount is at least
    `free_from`, or when there is nothing in the cart.
    """
    amount = subtotal(items)
    if amount == 0:
        return 0
    amount -= discount(amount, percent, voucher)
    if amount < free_from:
        amount += shipping
    return amount
''',
        wrong="max(voucher, rest)",
        right="min(voucher, rest)",
        visible="""def test_subtotal():
    assert subtotal([(250, 2), (100, 1)]) == 600
    assert subtotal([]) == 0


def test_percent():
    assert discount(1000, percent=15) == 150


def test_voucher():
    assert discount(1000, voucher=300) == 300


def test_large_voucher():
    assert discount(400, voucher=400) == 400


def test_bad_percent():
    with pytest.raises(ValueError):
        discount(100, percent=101)


def test_total():
    assert total([(1000, 2)]) == 2495
    assert total([(3000, 2)]) == 6000
""",
        hidden="""def test_percent_before_voucher():
    assert discount(1000, percent=10, voucher=200) == 300
    assert discount(999, percent=10, voucher=1) == 100


def test_never_more_than_the_amount():
    assert discount(400, voucher=900) == 400
    assert discount(1000, percent=50, voucher=800) == 1000
    assert discount(1000, percent=100, voucher=1) == 1000


def test_no_discount():
    assert discount(750) == 0
    assert discount(0, percent=20, voucher=50) == 0


def test_totals_with_discount():
    assert total([(3000, 2)], percent=10) == 5400
    assert total([(3000, 2)], percent=20) == 4800 + 495
    assert total([(3000, 2)], voucher=1000) == 5000
    assert total([(3000, 2)], voucher=1001) == 4999 + 495


def test_voucher_pays_everything_but_shipping():
    assert total([(500, 1)], voucher=2000) == 495
    assert total([(500, 1)], voucher=2000, shipping=0) == 0


def test_empty_cart():
    assert total([]) == 0
    assert total([], voucher=100) == 0


def test_other_limits():
    assert total([(100, 1)], shipping=50, free_from=100) == 100
    assert total([(99, 1)], shipping=50, free_from=100) == 149


def test_bad_percent():
    with pytest.raises(ValueError):
        discount(100, percent=-1)
""",
    ),
    Program(
        name="fractions",
        code=r'''"""Exact fractions as pairs (numerator, denominator)."""
from math import gcd


def make(numerator, denominator=1):
    """Return the fraction in lowest terms with a positive denominator.

    The sign is always in the numerator: make(1, -2) is (-1, 2), and
    zero is (0, 1).  ZeroDivisionError if the denominator is 0.
    """
    if denominator == 0:
        raise ZeroDivisionError("denominator is zero")
    common = gcd(numerator, denominator)
    return numerator // common, denominator // common


def add(a, b):
    """Return the sum of two fractions."""
    return make(a[0] * b[1] + b[0] * a[1], a[1] * b[1])


def multiply(a, b):
    """Return the product of two fractions."""
    return make(a[0] * b[0], a[1] * b[1])


def divide(a, b):
    """Return a divided by b."""
    return make(a[0] * b[1], a[1] * b[0])


def less(a, b):
    """Tell whether a is less than b; both must be made by make."""
    return a[0] * b[1] < b[0] * a[1]


def text(a):
    """Return a fraction like "3/4", or "5" if it is a whole number."""
    return str(a[0]) if a[1] == 1 else f"{a[0]}/{a[1]}"
''',
        wrong="""    common = gcd(numerator, denominator)
""",
        right="""    common = gcd(numerator, denominator)
    if denominator < 0:
        common = -common
""",
        visible="""def test_lowest_terms():
    assert make(6, 8) == (3, 4)
    assert make(-2, 4) == (-1, 2)
    assert make(5) == (5, 1)


def test_sign_is_in_the_numerator():
    assert make(1, -2) == (-1, 2)


def test_add_and_multiply():
    assert add((1, 2), (1, 3)) == (5, 6)
    assert multiply((2, 3), (3, 4)) == (1, 2)


def test_divide():
    assert divide((1, 2), (3, 4)) == (2, 3)
    with pytest.raises(ZeroDivisionError):
        divide((1, 2), (0, 1))


def test_text():
    assert text((3, 4)) == "3/4"
    assert text(make(4, 2)) == "2"
""",
        hidden="""from fractions import Fraction


def test_against_library():
    for numerator in range(-8, 9):
        for denominator in list(range(-8, 0)) + list(range(1, 9)):
            exact = Fraction(numerator, denominator)
            assert make(numerator, denominator) == (exact.numerator, exact.denominator)


def test_zero():
    assert make(0, 7) == (0, 1)
    assert make(0, -7) == (0, 1)
    with pytest.raises(ZeroDivisionError):
        make(3, 0)


def test_divide_by_negative():
    assert divide((1, 2), (-1, 3)) == (-3, 2)
    assert divide((-1, 2), (-1, 2)) == (1, 1)
    assert text(divide((1, 1), (-1, 1))) == "-1"
    assert text(divide((1, 2), (-3, 1))) == "-1/6"


def test_less():
    assert less(make(1, -2), make(1, 3))
    assert not less(make(1, 3), make(-1, 2))
    assert not less(make(1, 2), make(2, 4))
    assert less(make(-3, 4), make(-2, 3))


def test_sums():
    assert add((1, 2), (-1, 2)) == (0, 1)
    assert add((-1, 6), (1, 3)) == (1, 6)
    assert multiply((-1, 2), (-2, 3)) == (1, 3)


def test_text():
    assert text(make(-6, 4)) == "-3/2"
    assert text(make(6, -4)) == "-3/2"
    assert text(make(0, -5)) == "0"
""",
    ),
    Program(
        name="bill_split",
        code=r'''"""Sharing a restaurant bill, in cents."""


def with_tip(amount, tip_percent=15):
    """Return the amount with the tip; the tip is rounded up to a whole cent."""
    if amount < 0 or tip_percent < 0:
        raise ValueError("amount and tip must not be negative")
    tip = -(-amount * 15 // 100)
    return amount + tip


def split_evenly(amount, people, tip_percent=15):
    """Return what each of the people pays, tip included.

    The shares add up to the whole; if it cannot be divided evenly, the
    first ones pay one cent more than the others.
    """
    if people < 1:
        raise ValueError("somebody has to pay")
    share, rest = divmod(with_tip(amount, tip_percent), people)
    return [share + 1] * rest + [share] * (people - rest)


def split_by_order(orders, tip_percent=15):
    """Return what each person pays, tip included, for a dict from names to amounts."""
    return {name: with_tip(amount, tip_percent) for name, amount in orders.items()}
''',
        wrong="-amount * 15 // 100",
        right="-amount * tip_percent // 100",
        visible="""def test_usual_tip():
    assert with_tip(1000) == 1150


def test_other_tip():
    assert with_tip(1000, 20) == 1200


def test_split_evenly():
    assert split_evenly(2000, 2) == [1150, 1150]


def test_first_ones_pay_more():
    assert split_evenly(1000, 4) == [288, 288, 287, 287]


def test_split_by_order():
    assert split_by_order({"ann": 1000, "bob": 400}) == {"ann": 1150, "bob": 460}


def test_nobody():
    with pytest.raises(ValueError):
        split_evenly(1000, 0)
""",
        hidden="""def test_tips():
    assert with_tip(1000, 0) == 1000
    assert with_tip(1000, 10) == 1100
    assert with_tip(1000, 100) == 2000
    assert with_tip(1000, 15) == 1150
    assert with_tip(0, 50) == 0


def test_tip_is_rounded_up():
    assert with_tip(1) == 2
    assert with_tip(101, 10) == 112
    assert with_tip(199, 1) == 201


def test_split_without_tip():
    assert split_evenly(1000, 3, 0) == [334, 333, 333]
    assert split_evenly(2, 3, tip_percent=0) == [1, 1, 0]


def test_shares_add_up():
    for people in range(1, 8):
        for tip in (0, 5, 12, 15, 18):
            shares = split_evenly(3333, people, tip)
            assert len(shares) == people
            assert sum(shares) == with_tip(3333, tip)
            assert shares == sorted(shares, reverse=True)
            assert shares[0] - shares[-1] <= 1
    assert sum(split_evenly(1000, 3, 18)) == 1180


def test_order_with_other_tip():
    assert split_by_order({"a": 200, "b": 50}, 10) == {"a": 220, "b": 55}
    assert split_by_order({}, 10) == {}


def test_errors():
    with pytest.raises(ValueError):
        with_tip(-1)
    with pytest.raises(ValueError):
        with_tip(100, -1)
    with pytest.raises(ValueError):
        split_evenly(100, -2)
""",
    ),
    # ---------------------------------------------------------------- graphs and grids
    Program(
        name="maze_steps",
        code=r'''"""Shortest ways through a maze."""
from collections import deque


def locate(maze, mark):
    """Return (row, column) of the first cell with this mark; ValueError if none."""
    for row, line in enumerate(maze):
        column = line.find(mark)
        if column >= 0:
            return row, column
    raise ValueError("no " + mark)


def fewest_steps(maze):
    """Return the number of steps on the shortest way from "S" to "E".

    The maze is a list of lines of equal length; "#" is a wall.  A step goes
    one cell up, down, left or right.  Returns None if there is no way.
    """
    start = locate(maze, "S")
    goal = locate(maze, "E")
    queue = deque([(start, 1)])
    seen = {start}
    while queue:
        (row, column), steps = queue.popleft()
        if (row, column) == goal:
            return steps
        for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            cell = row + dr, column + dc
            if not (0 <= cell[0] < len(maze) and 0 <= cell[1] < len(maze[0])):
                continue
            if cell in seen or maze[cell[0]][cell[1]] == "#":
                continue
            seen.add(cell)
            queue.append((cell, steps + 1))
    return None
''',
        wrong="deque([(start, 1)])",
        right="deque([(start, 0)])",
        visible="""def test_neighbours():
    assert fewest_steps(["SE"]) == 1


def test_straight_line():
    assert fewest_steps(["S...E"]) == 4


def test_around_a_wall():
    assert fewest_steps(["S#E", "...", "..."]) == 4


def test_no_way():
    assert fewest_steps(["S#E"]) is None


def test_no_goal():
    with pytest.raises(ValueError):
        fewest_steps(["S.."])


def test_locate():
    assert locate(["..", ".E"], "E") == (1, 1)
""",
        hidden="""def test_open_field():
    for size in range(2, 9):
        maze = ["." * size for _ in range(size)]
        maze[0] = "S" + maze[0][1:]
        maze[-1] = maze[-1][:-1] + "E"
        assert fewest_steps(maze) == 2 * (size - 1)


def test_winding_way():
    maze = [
        "S.......",
        "#######.",
        "........",
        ".#######",
        ".......E",
    ]
    assert fewest_steps(maze) == 25


def test_two_ways():
    maze = [
        ".....",
        ".###.",
        "S###E",
        ".....",
    ]
    assert fewest_steps(maze) == 6


def test_goal_before_start():
    assert fewest_steps(["E..", "..S"]) == 3


def test_column():
    assert fewest_steps(["S", ".", "E"]) == 2
    assert fewest_steps(["S", "#", "E"]) is None


def test_enclosed_start():
    assert fewest_steps(["S#.", "##.", "..E"]) is None


def test_missing_start():
    with pytest.raises(ValueError):
        fewest_steps(["E.."])
    assert locate(["ab", "ba"], "b") == (0, 1)
""",
    ),
    Program(
        name="dijkstra",
        code=r'''"""Shortest ways in a road network.

The network is a dict from places to dicts from neighbours to lengths; a road
can be used only in the given direction.
"""
import heapq


def distances(roads, start):
    """Return the lengths of the shortest ways from start to all places it reaches."""
    best = {start: 0}
    queue = [(0, start)]
    while queue:
        distance, place = heapq.heappop(queue)
        if distance > best[place]:
            continue
        for neighbour, length in roads.get(place, {}).items():
            candidate = distance + length
            if neighbour not in best or candidate < best[neighbour]:
                best[neighbour] = candidate
                heapq.heappush(queue, (length, neighbour))
    return best


def farthest(roads, start):
    """Return the place with the longest shortest way from start.

    Of several such places the alphabetically first is returned.
    """
    found = distances(roads, start)
    return min(found, key=lambda place: (-found[place], place))
''',
        wrong="heapq.heappush(queue, (length, neighbour))",
        right="heapq.heappush(queue, (candidate, neighbour))",
        visible="""ROADS = {
    "a": {"b": 4, "c": 1},
    "c": {"b": 2, "d": 7},
    "b": {"d": 1},
}


def test_only_start():
    assert distances({}, "x") == {"x": 0}


def test_direct_roads():
    assert distances({"a": {"b": 3, "c": 5}}, "a") == {"a": 0, "b": 3, "c": 5}


def test_detour_is_shorter():
    assert distances(ROADS, "a") == {"a": 0, "b": 3, "c": 1, "d": 4}


def test_directions_matter():
    assert distances(ROADS, "d") == {"d": 0}


def test_farthest():
    assert farthest({"a": {"b": 3, "c": 5}}, "a") == "c"
""",
        hidden="""import random


def test_chain():
    roads = {n: {n + 1: n} for n in range(1, 8)}
    assert distances(roads, 1) == {1: 0, 2: 1, 3: 3, 4: 6, 5: 10, 6: 15, 7: 21, 8: 28}


def test_cycle():
    roads = {"a": {"b": 2}, "b": {"c": 2}, "c": {"a": 2}}
    assert distances(roads, "b") == {"b": 0, "c": 2, "a": 4}


def test_random_against_relaxation():
    source = random.Random(2)
    for _ in range(20):
        places = range(8)
        roads = {
            place: {other: source.randrange(1, 20) for other in places
                    if other != place and source.random() < 0.35}
            for place in places
        }
        expected = {0: 0}
        for _ in places:
            for place, out in roads.items():
                for other, length in out.items():
                    if place in expected:
                        way = expected[place] + length
                        expected[other] = min(way, expected.get(other, way))
        assert distances(roads, 0) == expected


def test_unreachable_place_is_missing():
    assert "z" not in distances({"a": {"b": 1}, "z": {"a": 1}}, "a")


def test_road_of_length_zero():
    assert distances({"a": {"b": 0}, "b": {"c": 0}}, "a") == {"a": 0, "b": 0, "c": 0}


def test_farthest():
    assert farthest({"a": {"b": 5}, "b": {"c": 5}}, "a") == "c"
    assert farthest({"a": {"y": 5, "x": 5}}, "a") == "x"
    assert farthest({}, "home") == "home"
""",
    ),
    Program(
        name="task_order",
        code=r'''"""Ordering tasks by their prerequisites."""
import heapq


def task_order(tasks):
    """Return all tasks in an order in which they can be done.

    `tasks` is a dict from each task to the tasks that must be done before
    it; tasks that are only named as prerequisites belong to the result,
    too.  When several tasks are possible next, the alphabetically first
    comes first.  ValueError if the prerequisites form a circle.
    """
    waiting_for = {}
    dependents = {}
    for task, before in tasks.items():
        waiting_for.setdefault(task, 0)
        for other in set(before):
            waiting_for.setdefault(other, 0)
            waiting_for[task] += 1
            dependents.setdefault(task, []).append(other)
    ready = [task for task, count in waiting_for.items() if count == 0]
    heapq.heapify(ready)
    order = []
    while ready:
        task = heapq.heappop(ready)
        order.append(task)
        for other in dependents.get(task, []):
            waiting_for[other] -= 1
            if waiting_for[other] == 0:
                heapq.heappush(ready, other)
    if len(order) < len(waiting_for):
        raise ValueError("the prerequisites form a circle")
    return order
''',
        wrong="dependents.setdefault(task, []).append(other)",
        right="dependents.setdefault(other, []).append(task)",
        visible="""def test_independent_tasks():
    assert task_order({"b": [], "a": [], "c": []}) == ["a", "b", "c"]


def test_chain():
    tasks = {"bake": ["mix"], "mix": ["buy"], "buy": []}
    assert task_order(tasks) == ["buy", "mix", "bake"]


def test_circle():
    with pytest.raises(ValueError):
        task_order({"a": ["b"], "b": ["a"]})


def test_alphabetical_among_possible():
    tasks = {"d": ["a"], "c": ["a"], "a": [], "b": []}
    assert task_order(tasks) == ["a", "b", "c", "d"]


def test_nothing():
    assert task_order({}) == []
""",
        hidden="""def test_unlisted_prerequisites():
    assert task_order({"eat": ["cook"]}) == ["cook", "eat"]
    assert task_order({"z": ["y", "x"]}) == ["x", "y", "z"]


def test_diamond():
    tasks = {"top": [], "left": ["top"], "right": ["top"], "end": ["left", "right"]}
    assert task_order(tasks) == ["top", "left", "right", "end"]


def test_late_alphabet_first():
    assert task_order({"a": ["z"], "z": [], "m": []}) == ["m", "z", "a"]


def test_repeated_prerequisite():
    assert task_order({"b": ["c", "c"], "c": []}) == ["c", "b"]


def test_circles():
    with pytest.raises(ValueError):
        task_order({"a": ["a"]})
    with pytest.raises(ValueError):
        task_order({"a": ["b"], "b": ["c"], "c": ["a"], "d": []})
    with pytest.raises(ValueError):
        task_order({"start": [], "a": ["b", "start"], "b": ["a"]})


def test_order_respects_everything():
    tasks = {str(n): [str(d) for d in range(1, n) if n % d == 0] for n in range(1, 40)}
    order = task_order(tasks)
    assert sorted(order) == sorted(tasks)
    place = {task: index for index, task in enumerate(order)}
    for task, before in tasks.items():
        assert all(place[other] < place[task] for other in before)


def test_input_is_unchanged():
    tasks = {"b": ["a"], "a": []}
    task_order(tasks)
    assert tasks == {"b": ["a"], "a": []}
""",
    ),
    Program(
        name="flood_fill",
        code=r'''"""Filling areas of a picture.

A picture is a list of rows; each row is a list of colours, and all rows have
the same length.
"""


def fill(picture, row, column, colour):
    """Colour the area of the cell (row, column) and return its size.

    The area is all cells of the same colour that are connected with the
    cell horizontally or vertically.  The picture is changed in place.
    Nothing changes, and the result is 0, if the area already has the colour.
    """
    old = picture[row][column]
    if old == colour:
        return 0
    changed = 0
    stack = [(row, column)]
    while stack:
        r, c = stack.pop()
        if not (0 <= r < len(picture) and 0 <= c < len(picture)):
            continue
        if picture[r][c] != old:
            continue
        picture[r][c] = colour
        changed += 1
        stack.extend([(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)])
    return changed


def from_text(text):
    """Return a picture from lines of one character per cell."""
    return [list(line) for line in text.split()]


def to_text(picture):
    """Return the picture as lines of text."""
    return "\n".join("".join(row) for row in picture)
''',
        wrong="0 <= c < len(picture)):",
        right="0 <= c < len(picture[0])):",
        visible="""def test_square_area():
    picture = from_text("aab abb bbb")
    assert fill(picture, 0, 0, "x") == 3
    assert to_text(picture) == "xxb\\nxbb\\nbbb"


def test_same_colour():
    picture = from_text("aa aa")
    assert fill(picture, 1, 1, "a") == 0


def test_diagonal_does_not_connect():
    picture = from_text("ab ba")
    assert fill(picture, 0, 0, "x") == 1
    assert to_text(picture) == "xb\\nba"


def test_wide_picture():
    picture = from_text("aaaaa bbbba")
    assert fill(picture, 0, 0, "x") == 6
    assert to_text(picture) == "xxxxx\\nbbbbx"
""",
        hidden="""def test_single_row():
    picture = from_text("aaaabaa")
    assert fill(picture, 0, 1, "z") == 4
    assert to_text(picture) == "zzzzbaa"
    assert fill(picture, 0, 6, "q") == 2
    assert to_text(picture) == "zzzzbqq"


def test_single_column():
    picture = from_text("a a b a")
    assert fill(picture, 1, 0, "z") == 2
    assert to_text(picture) == "z\\nz\\nb\\na"


def test_tall_picture():
    picture = from_text("ab aa ba ba aa")
    assert fill(picture, 4, 1, "x") == 7
    assert to_text(picture) == "xb\\nxx\\nbx\\nbx\\nxx"


def test_does_not_wrap_around():
    picture = from_text("abba abba abba")
    assert fill(picture, 0, 0, "x") == 3
    assert to_text(picture) == "xbba\\nxbba\\nxbba"
    picture = from_text("aaaa bbbb aaaa")
    assert fill(picture, 2, 3, "x") == 4
    assert to_text(picture) == "aaaa\\nbbbb\\nxxxx"


def test_all_sizes():
    for height in range(1, 6):
        for width in range(1, 6):
            picture = [["a"] * width for _ in range(height)]
            assert fill(picture, height - 1, width - 1, "b") == height * width
            assert picture == [["b"] * width for _ in range(height)]


def test_ring():
    picture = from_text("aaaaaa abbbba aaaaaa")
    assert fill(picture, 1, 2, "a") == 4
    assert fill(picture, 0, 0, "c") == 18


def test_same_colour_wide():
    picture = from_text("aab")
    assert fill(picture, 0, 0, "a") == 0
    assert to_text(picture) == "aab"
""",
    ),
    Program(
        name="game_of_life",
        code=r'''"""Conway's Game of Life on an unbounded plane."""


def neighbours(cell):
    """Return the eight cells around a cell (row, column)."""
    row, column = cell
    around = []
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            if dr == 0 or dc == 0:
                continue
            around.append((row + dr, column + dc))
    return around


def step(alive):
    """Return the living cells of the next generation as a set.

    A living cell with two or three living neighbours stays alive; a dead
    cell with exactly three becomes alive; all others are dead.
    """
    counts = {}
    for cell in alive:
        for other in neighbours(cell):
            counts[other] = counts.get(other, 0) + 1
    return {
        cell for cell, count in counts.items()
        if count == 3 or (count == 2 and cell in alive)
    }


def parse(lines):
    """Return the cells marked "*" in a list of lines."""
    return {
        (row, column)
        for row, line in enumerate(lines)
        for column, mark in enumerate(line)
        if mark == "*"
    }
''',
        wrong="if dr == 0 or dc == 0:",
        right="if dr == 0 and dc == 0:",
        visible="""def test_lonely_cell_dies():
    assert step({(0, 0)}) == set()


def test_empty_plane():
    assert step(set()) == set()


def test_block_is_stable():
    block = parse(["**", "**"])
    assert step(block) == block


def test_blinker():
    assert step(parse(["...", "***", "..."])) == parse([".*.", ".*.", ".*."])


def test_parse():
    assert parse(["*.", ".*"]) == {(0, 0), (1, 1)}
""",
        hidden="""def test_neighbours():
    expected = {(4, 1), (4, 2), (4, 3), (5, 1), (5, 3), (6, 1), (6, 2), (6, 3)}
    found = neighbours((5, 2))
    assert len(found) == 8
    assert set(found) == expected


def test_cell_is_not_its_own_neighbour():
    assert (0, 0) not in neighbours((0, 0))
    assert step({(0, 0), (5, 5)}) == set()


def test_glider_moves():
    glider = parse([".*.", "..*", "***"])
    cells = glider
    for _ in range(4):
        cells = step(cells)
    assert cells == {(row + 1, column + 1) for row, column in glider}


def test_beehive_is_stable():
    beehive = parse([".**.", "*..*", ".**."])
    assert step(beehive) == beehive


def test_blinker_twice():
    line = {(-1, 0), (-1, 1), (-1, 2)}
    assert step(line) == {(-2, 1), (-1, 1), (0, 1)}
    assert step(step(line)) == line


def test_overcrowded():
    assert step(parse(["***", "***", "***"])) == {
        (-1, 1), (0, 0), (0, 2), (1, -1), (1, 3), (2, 0), (2, 2), (3, 1)
    }


def test_input_is_unchanged():
    cells = {(0, 0), (0, 1), (0, 2)}
    step(cells)
    assert cells == {(0, 0), (0, 1), (0, 2)}
""",
    ),
    Program(
        name="word_search",
        code=r'''"""Finding words in a grid of letters."""


def find_word(grid, word):
    """Return all places of the word as triples (row, column, direction).

    The grid is a list of lines of equal length.  Words are read to the
    "right" or "down"; the place is that of the first letter.  Places to the
    right come first, each kind ordered by row and then by column.
    ValueError if the word is empty.
    """
    if not word:
        raise ValueError("empty word")
    height = len(grid)
    width = len(grid[0]) if grid else 0
    size = len(word)
    places = []
    for row in range(height):
        for column in range(width - size + 1):
            if grid[row][column:column + size] == word:
                places.append((row, column, "right"))
    for row in range(height - size):
        for column in range(width):
            letters = [grid[row + offset][column] for offset in range(size)]
            if "".join(letters) == word:
                places.append((row, column, "down"))
    return places


def missing_words(grid, words):
    """Return those words that are nowhere in the grid, in the given order."""
    return [word for word in words if not find_word(grid, word)]
''',
        wrong="range(height - size)",
        right="range(height - size + 1)",
        visible="""GRID = [
    "catx",
    "oxea",
    "dogn",
    "xxyt",
]


def test_right():
    assert find_word(GRID, "cat") == [(0, 0, "right")]
    assert find_word(GRID, "dog") == [(2, 0, "right")]


def test_down_from_top():
    assert find_word(GRID, "cod") == [(0, 0, "down")]


def test_down_to_the_bottom():
    assert find_word(GRID, "ant") == [(1, 3, "down")]


def test_unknown():
    assert find_word(GRID, "bird") == []
    assert missing_words(GRID, ["cat", "cow"]) == ["cow"]


def test_empty_word():
    with pytest.raises(ValueError):
        find_word(GRID, "")
""",
        hidden="""def test_whole_column_and_row():
    grid = ["abc", "def", "ghi"]
    assert find_word(grid, "adg") == [(0, 0, "down")]
    assert find_word(grid, "cfi") == [(0, 2, "down")]
    assert find_word(grid, "ghi") == [(2, 0, "right")]


def test_order_and_several_places():
    grid = ["aaa", "aab"]
    assert find_word(grid, "aa") == [
        (0, 0, "right"), (0, 1, "right"), (1, 0, "right"),
        (0, 0, "down"), (0, 1, "down"),
    ]


def test_single_letters_in_both_directions():
    assert find_word(["xy"], "y") == [(0, 1, "right"), (0, 1, "down")]
    assert find_word(["x", "y"], "y") == [(1, 0, "right"), (1, 0, "down")]


def test_too_long_words():
    assert find_word(["ab", "cd"], "abc") == []
    assert find_word(["ab", "cd"], "acx") == []
    assert find_word([], "a") == []


def test_tall_and_wide_grids():
    tall = ["t", "o", "p", "t", "o", "p"]
    assert find_word(tall, "top") == [(0, 0, "down"), (3, 0, "down")]
    wide = ["toptop"]
    assert find_word(wide, "top") == [(0, 0, "right"), (0, 3, "right")]


def test_not_backwards():
    assert find_word(["abc"], "cba") == []


def test_missing_words():
    grid = ["on", "ne"]
    assert missing_words(grid, ["on", "ne", "eno", "xo"]) == ["eno", "xo"]
    assert missing_words(["a", "b"], ["ab", "ba"]) == ["ba"]
""",
    ),
    # ---------------------------------------------------------------- state
    Program(
        name="bank_account",
        code=r'''"""Bank accounts with an overdraft limit; all amounts in cents."""


class InsufficientFunds(Exception):
    pass


class Account:
    def __init__(self, owner, overdraft=0):
        if overdraft < 0:
            raise ValueError("the overdraft limit must not be negative")
        self.owner = owner
        self.overdraft = overdraft
        self.balance = 0
        self.history = []

    def deposit(self, amount):
        """Put money in; ValueError unless the amount is positive."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self.history.append(amount)

    def withdraw(self, amount):
        """Take money out.

        The balance may become negative, but not lower than minus the
        overdraft limit: then InsufficientFunds is raised and nothing changes.
        """
        if amount <= 0:
            raise ValueError("amount must be positive")
        if self.balance - amount < self.overdraft:
            raise InsufficientFunds(self.owner)
        self.balance -= amount
        self.history.append(-amount)

    def transfer(self, other, amount):
        """Move money to another account, under the rules of withdraw."""
        self.withdraw(amount)
        other.deposit(amount)
''',
        wrong="self.balance - amount < self.overdraft",
        right="self.balance - amount < -self.overdraft",
        visible="""def test_deposit():
    account = Account("ann")
    account.deposit(500)
    assert account.balance == 500


def test_withdraw():
    account = Account("ann")
    account.deposit(500)
    account.withdraw(500)
    assert account.balance == 0
    assert account.history == [500, -500]


def test_insufficient_funds():
    account = Account("ann")
    account.deposit(100)
    with pytest.raises(InsufficientFunds):
        account.withdraw(101)
    assert account.balance == 100


def test_overdraft():
    account = Account("bob", overdraft=300)
    account.withdraw(200)
    assert account.balance == -200


def test_transfer():
    ann, bob = Account("ann"), Account("bob")
    ann.deposit(100)
    ann.transfer(bob, 40)
    assert (ann.balance, bob.balance) == (60, 40)


def test_bad_amounts():
    with pytest.raises(ValueError):
        Account("ann").deposit(0)
""",
        hidden="""def test_exactly_to_the_limit():
    account = Account("x", overdraft=300)
    account.withdraw(300)
    assert account.balance == -300
    with pytest.raises(InsufficientFunds):
        account.withdraw(1)
    assert account.balance == -300
    assert account.history == [-300]


def test_one_more_than_the_limit():
    account = Account("x", overdraft=300)
    with pytest.raises(InsufficientFunds):
        account.withdraw(301)
    assert account.balance == 0
    assert account.history == []


def test_balance_below_limit_can_be_used():
    account = Account("x", overdraft=1000)
    account.deposit(50)
    account.withdraw(20)
    assert account.balance == 30
    account.withdraw(1030)
    assert account.balance == -1000


def test_without_overdraft():
    account = Account("x")
    account.deposit(10)
    account.withdraw(10)
    assert account.balance == 0
    with pytest.raises(InsufficientFunds):
        account.withdraw(1)


def test_transfer_with_overdraft():
    a, b = Account("a", 100), Account("b")
    a.transfer(b, 80)
    assert (a.balance, b.balance) == (-80, 80)
    with pytest.raises(InsufficientFunds):
        a.transfer(b, 21)
    assert (a.balance, b.balance) == (-80, 80)
    assert b.history == [80]


def test_refused_values():
    account = Account("x", 10)
    for amount in (0, -5):
        with pytest.raises(ValueError):
            account.withdraw(amount)
        with pytest.raises(ValueError):
            account.deposit(amount)
    with pytest.raises(ValueError):
        Account("x", -1)
""",
    ),
    Program(
        name="inventory",
        code=r'''"""Stock of one article, with reservations."""


class OutOfStock(Exception):
    pass


class StockItem:
    """`on_hand` pieces are in the store, `reserved` of them are promised to orders."""

    def __init__(self, name, on_hand=0):
        self.name = name
        self.on_hand = on_hand
        self.reserved = 0

    @property
    def available(self):
        """How many pieces can still be promised."""
        return self.on_hand - self.reserved

    def receive(self, quantity):
        """Put new pieces into the store."""
        self.on_hand += quantity

    def reserve(self, quantity):
        """Promise pieces to an order; OutOfStock if fewer are available."""
        if quantity > self.on_hand:
            raise OutOfStock(self.name)
        self.reserved += quantity

    def release(self, quantity):
        """Give up a reservation; ValueError if less is reserved."""
        if quantity > self.reserved:
            raise ValueError("not reserved")
        self.reserved -= quantity

    def ship(self, quantity):
        """Send out reserved pieces; ValueError if less is reserved."""
        self.release(quantity)
        self.on_hand -= quantity

    def needs_reorder(self, minimum):
        """Tell whether fewer than `minimum` pieces are available."""
        return self.available < minimum
''',
        wrong="if quantity > self.on_hand:",
        right="if quantity > self.available:",
        visible="""def test_receive():
    item = StockItem("bolt", 5)
    item.receive(3)
    assert item.on_hand == 8
    assert item.available == 8


def test_reserve():
    item = StockItem("bolt", 5)
    item.reserve(3)
    assert item.available == 2
    assert item.on_hand == 5


def test_reserved_pieces_are_not_available():
    item = StockItem("bolt", 5)
    item.reserve(3)
    with pytest.raises(OutOfStock):
        item.reserve(3)
    assert item.reserved == 3


def test_ship():
    item = StockItem("bolt", 5)
    item.reserve(2)
    item.ship(2)
    assert (item.on_hand, item.reserved) == (3, 0)


def test_out_of_stock():
    with pytest.raises(OutOfStock):
        StockItem("nut").reserve(1)


def test_reorder():
    assert StockItem("bolt", 5).needs_reorder(6)
    assert not StockItem("bolt", 5).needs_reorder(5)
""",
        hidden="""def test_reserve_everything_in_steps():
    item = StockItem("x", 6)
    item.reserve(2)
    item.reserve(4)
    assert item.available == 0
    with pytest.raises(OutOfStock):
        item.reserve(1)
    assert (item.on_hand, item.reserved) == (6, 6)


def test_release_makes_available():
    item = StockItem("x", 4)
    item.reserve(4)
    item.release(3)
    item.reserve(3)
    assert item.available == 0


def test_receive_makes_available():
    item = StockItem("x", 1)
    item.reserve(1)
    with pytest.raises(OutOfStock):
        item.reserve(1)
    item.receive(1)
    item.reserve(1)
    assert (item.on_hand, item.reserved, item.available) == (2, 2, 0)


def test_after_shipping():
    item = StockItem("x", 10)
    item.reserve(6)
    item.ship(4)
    assert (item.on_hand, item.reserved, item.available) == (6, 2, 4)
    with pytest.raises(OutOfStock):
        item.reserve(5)
    item.reserve(4)
    assert item.available == 0


def test_not_reserved():
    item = StockItem("x", 5)
    item.reserve(1)
    with pytest.raises(ValueError):
        item.ship(2)
    with pytest.raises(ValueError):
        item.release(2)
    assert (item.on_hand, item.reserved) == (5, 1)


def test_reorder_counts_available():
    item = StockItem("x", 10)
    item.reserve(8)
    assert item.needs_reorder(3)
    assert not item.needs_reorder(2)
""",
    ),
    Program(
        name="library_loans",
        code=r'''"""Loans of a library; days are counted as integers."""


class Loan:
    """A book on loan: due after 14 days, each renewal gives 7 more."""

    MAX_RENEWALS = 2

    def __init__(self, title, day):
        self.title = title
        self.due = day + 14
        self.renewals = 0
        self.requested = False

    def request(self):
        """Note that somebody else waits for the book."""
        self.requested = True

    def may_renew(self, day):
        """Tell whether the loan can be renewed.

        It cannot when it is overdue (the day is after the due day), when it
        was renewed MAX_RENEWALS times, or when somebody waits for the book.
        """
        if day > self.due:
            return False
        if self.requested and self.renewals >= self.MAX_RENEWALS:
            return False
        return True

    def renew(self, day):
        """Renew the loan; ValueError if that is not allowed."""
        if not self.may_renew(day):
            raise ValueError("the loan cannot be renewed")
        self.renewals += 1
        self.due += 7

    def fee(self, day, per_day=25):
        """Return the fee for returning the book on this day."""
        return max(0, day - self.due) * per_day
''',
        wrong="self.requested and self.renewals",
        right="self.requested or self.renewals",
        visible="""def test_due_day():
    assert Loan("Emma", 10).due == 24


def test_renew():
    loan = Loan("Emma", 0)
    loan.renew(10)
    assert loan.due == 21
    assert loan.renewals == 1


def test_requested_book():
    loan = Loan("Emma", 0)
    loan.request()
    with pytest.raises(ValueError):
        loan.renew(5)
    assert loan.due == 14


def test_renewals_are_limited():
    loan = Loan("Emma", 0)
    loan.renew(1)
    loan.renew(2)
    assert not loan.may_renew(3)


def test_overdue():
    loan = Loan("Emma", 0)
    assert loan.may_renew(14)
    assert not loan.may_renew(15)


def test_fee():
    loan = Loan("Emma", 0)
    assert loan.fee(14) == 0
    assert loan.fee(16) == 50
""",
        hidden="""def test_all_combinations():
    for requested in (False, True):
        for renewals in (0, 1, 2):
            loan = Loan("x", 0)
            for _ in range(renewals):
                loan.renew(0)
            if requested:
                loan.request()
            assert loan.may_renew(0) is (not requested and renewals < 2)


def test_third_renewal_is_refused():
    loan = Loan("x", 0)
    loan.renew(0)
    loan.renew(0)
    with pytest.raises(ValueError):
        loan.renew(0)
    assert (loan.renewals, loan.due) == (2, 28)


def test_request_after_renewal():
    loan = Loan("x", 3)
    loan.renew(4)
    loan.request()
    with pytest.raises(ValueError):
        loan.renew(5)
    assert (loan.renewals, loan.due) == (1, 24)


def test_overdue_after_renewal():
    loan = Loan("x", 0)
    loan.renew(14)
    assert loan.may_renew(21)
    assert not loan.may_renew(22)
    with pytest.raises(ValueError):
        loan.renew(22)


def test_fee_after_renewal():
    loan = Loan("x", 0)
    loan.renew(14)
    assert loan.fee(20) == 0
    assert loan.fee(22) == 25
    assert loan.fee(31, per_day=10) == 100


def test_loans_are_independent():
    first, second = Loan("x", 0), Loan("y", 0)
    first.request()
    first.request()
    assert second.may_renew(1)
    assert not first.may_renew(1)
""",
    ),
    Program(
        name="rate_limiter",
        code=r'''"""Limiting how often somebody may do something."""
from collections import deque


class RateLimiter:
    """Allows each client at most `limit` requests within `window` seconds.

    A request that was allowed at time t counts up to, but not including,
    time t + window.  Refused requests do not count.  Times never decrease.
    """

    def __init__(self, limit, window):
        self.limit = limit
        self.window = window
        self._times = {}

    def allow(self, client, now):
        """Tell whether the client may make a request now; if so, it counts."""
        times = self._recent(client, now)
        if len(times) >= self.limit:
            return False
        times.append(now)
        return True

    def remaining(self, client, now):
        """Return how many requests the client may still make now."""
        return self.limit - len(self._recent(client, now))

    def wait_time(self, client, now):
        """Return the seconds until the client may make its next request."""
        times = self._recent(client, now)
        if len(times) < self.limit:
            return 0
        return times[0] + self.window - now

    def _recent(self, client, now):
        times = self._times.setdefault(client, deque())
        while times and times[0] < now - self.window:
            times.popleft()
        return times
''',
        wrong="times[0] < now - self.window",
        right="times[0] <= now - self.window",
        visible="""def test_up_to_the_limit():
    limiter = RateLimiter(2, 10)
    assert limiter.allow("a", 0)
    assert limiter.allow("a", 1)
    assert not limiter.allow("a", 2)


def test_clients_are_independent():
    limiter = RateLimiter(1, 10)
    assert limiter.allow("a", 0)
    assert limiter.allow("b", 0)


def test_request_expires():
    limiter = RateLimiter(1, 10)
    assert limiter.allow("a", 0)
    assert not limiter.allow("a", 9)
    assert limiter.allow("a", 10)


def test_remaining():
    limiter = RateLimiter(3, 10)
    limiter.allow("a", 0)
    assert limiter.remaining("a", 5) == 2
    assert limiter.remaining("a", 20) == 3


def test_wait_time():
    limiter = RateLimiter(1, 10)
    assert limiter.wait_time("a", 0) == 0
    limiter.allow("a", 0)
    assert limiter.wait_time("a", 4) == 6
""",
        hidden="""def test_wait_time_is_enough():
    limiter = RateLimiter(2, 7)
    limiter.allow("a", 3)
    limiter.allow("a", 5)
    wait = limiter.wait_time("a", 6)
    assert wait == 4
    assert not limiter.allow("a", 9)
    assert limiter.allow("a", 10)
    assert limiter.wait_time("a", 10) == 2


def test_remaining_at_the_border():
    limiter = RateLimiter(2, 10)
    limiter.allow("a", 0)
    assert limiter.remaining("a", 9.5) == 1
    assert limiter.remaining("a", 10) == 2


def test_refused_requests_do_not_count():
    limiter = RateLimiter(1, 10)
    assert limiter.allow("a", 0)
    for now in range(1, 10):
        assert not limiter.allow("a", now)
    assert limiter.allow("a", 10)
    assert not limiter.allow("a", 19)
    assert limiter.allow("a", 20)


def test_window_slides():
    limiter = RateLimiter(2, 10)
    assert [limiter.allow("a", now) for now in (0, 6, 9, 10, 15, 16, 20)] == [
        True, True, False, True, False, True, True
    ]


def test_same_moment():
    limiter = RateLimiter(2, 5)
    assert [limiter.allow("a", 1) for _ in range(3)] == [True, True, False]
    assert [limiter.allow("a", 6) for _ in range(3)] == [True, True, False]


def test_limit_zero():
    assert not RateLimiter(0, 5).allow("a", 1)


def test_no_wait_at_the_border():
    limiter = RateLimiter(1, 4)
    limiter.allow("a", 1)
    assert limiter.wait_time("a", 5) == 0
    assert limiter.wait_time("b", 1) == 0
""",
    ),
    Program(
        name="undo_editor",
        code=r'''"""A text buffer with undo and redo."""


class Editor:
    def __init__(self, text=""):
        self.text = text
        self._undo = []
        self._redo = []

    def insert(self, position, addition):
        """Insert text at a position; ValueError if there is no such position."""
        if not 0 <= position <= len(self.text):
            raise ValueError("no such position")
        self._change(self.text[:position] + addition + self.text[position:])

    def delete(self, start, end):
        """Delete the characters from start up to, but not including, end."""
        if not 0 <= start <= end <= len(self.text):
            raise ValueError("no such range")
        self._change(self.text[:start] + self.text[end:])

    def undo(self):
        """Take back the last change; return whether there was one."""
        if not self._undo:
            return False
        self._redo.append(self.text)
        self.text = self._undo.pop()
        return True

    def redo(self):
        """Make the last undone change again; return whether there was one.

        After a new change nothing can be redone.
        """
        if not self._redo:
            return False
        self._undo.append(self.text)
        self.text = self._redo.pop()
        return True

    def _change(self, text):
        self._undo.append(self.text)
        self.text = text
''',
        wrong="""    def _change(self, text):
""",
        right="""    def _change(self, text):
        self._redo.clear()
""",
        visible="""def test_insert_and_delete():
    editor = Editor("hello")
    editor.insert(5, " world")
    assert editor.text == "hello world"
    editor.delete(0, 6)
    assert editor.text == "world"


def test_undo():
    editor = Editor("a")
    editor.insert(1, "b")
    assert editor.undo()
    assert editor.text == "a"
    assert not editor.undo()


def test_redo():
    editor = Editor("a")
    editor.insert(1, "b")
    editor.undo()
    assert editor.redo()
    assert editor.text == "ab"
    assert not editor.redo()


def test_no_redo_after_new_change():
    editor = Editor()
    editor.insert(0, "x")
    editor.undo()
    editor.insert(0, "y")
    assert not editor.redo()
    assert editor.text == "y"


def test_bad_position():
    with pytest.raises(ValueError):
        Editor("abc").insert(4, "x")
""",
        hidden="""def test_no_redo_after_delete():
    editor = Editor("abc")
    editor.insert(3, "d")
    editor.insert(4, "e")
    editor.undo()
    editor.undo()
    editor.delete(0, 1)
    assert not editor.redo()
    assert editor.text == "bc"
    assert editor.undo()
    assert editor.text == "abc"


def test_redo_of_the_new_change():
    editor = Editor()
    editor.insert(0, "x")
    editor.undo()
    editor.insert(0, "y")
    editor.undo()
    assert editor.text == ""
    assert editor.redo()
    assert editor.text == "y"
    assert not editor.redo()


def test_several_steps():
    editor = Editor()
    for letter in "abcd":
        editor.insert(len(editor.text), letter)
    for expected in ("abc", "ab", "a", ""):
        assert editor.undo()
        assert editor.text == expected
    assert not editor.undo()
    for expected in ("a", "ab", "abc", "abcd"):
        assert editor.redo()
        assert editor.text == expected
    assert not editor.redo()


def test_undo_after_redo():
    editor = Editor("1")
    editor.insert(1, "2")
    editor.undo()
    editor.redo()
    assert editor.undo()
    assert editor.text == "1"


def test_refused_change_keeps_redo():
    editor = Editor("ab")
    editor.delete(0, 1)
    editor.undo()
    with pytest.raises(ValueError):
        editor.insert(9, "x")
    with pytest.raises(ValueError):
        editor.delete(1, 0)
    assert editor.text == "ab"
    assert editor.redo()
    assert editor.text == "b"


def test_partial_undo_then_change():
    editor = Editor()
    editor.insert(0, "a")
    editor.insert(1, "b")
    editor.undo()
    editor.insert(1, "c")
    assert editor.text == "ac"
    assert not editor.redo()
    editor.undo()
    assert editor.text == "a"
""",
    ),
    Program(
        name="loyalty_program",
        code=r'''"""A loyalty program with tiers."""


class Member:
    """Collects points; the tier follows from the points collected so far.

    Gold from 1000 points on, silver from 500 on, otherwise basic.  The tier
    never falls when points are spent, because it depends on `collected`,
    not on the balance.
    """

    BONUS = {"basic": 0, "silver": 10, "gold": 25}

    def __init__(self, name):
        self.name = name
        self.collected = 0
        self.balance = 0
        self.tier = "basic"

    def buy(self, amount):
        """Credit one point for each full unit of money and return the points.

        Members get a bonus in percent (rounded down) according to the tier
        they had before the purchase.
        """
        points = int(amount)
        points += points * self.BONUS[self.tier] // 100
        self.collected += points
        self.balance += points
        self._update_tier()
        return points

    def spend(self, points):
        """Use points of the balance; ValueError if there are not enough."""
        if points > self.balance:
            raise ValueError("not enough points")
        self.balance -= points

    def _update_tier(self):
        if self.collected >= 1000:
            self.tier = "gold"
        if self.collected >= 500:
            self.tier = "silver"
        else:
            self.tier = "basic"
''',
        wrong="        if self.collected >= 500:",
        right="        elif self.collected >= 500:",
        visible="""def test_new_member():
    member = Member("ann")
    assert member.tier == "basic"
    assert member.balance == 0


def test_points():
    member = Member("ann")
    assert member.buy(99.95) == 99
    assert member.balance == 99
    assert member.tier == "basic"


def test_silver():
    member = Member("ann")
    member.buy(500)
    assert member.tier == "silver"
    assert member.buy(100) == 110


def test_gold():
    member = Member("ann")
    member.buy(1200)
    assert member.tier == "gold"
    assert member.buy(100) == 125


def test_spend():
    member = Member("ann")
    member.buy(50)
    member.spend(20)
    assert member.balance == 30
    with pytest.raises(ValueError):
        member.spend(31)
""",
        hidden="""def test_limits():
    for points, tier in ((0, "basic"), (499, "basic"), (500, "silver"),
                         (999, "silver"), (1000, "gold"), (5000, "gold")):
        member = Member("x")
        member.buy(points)
        assert member.tier == tier


def test_rising_through_the_tiers():
    member = Member("x")
    assert member.buy(600) == 600
    assert member.tier == "silver"
    assert member.buy(400) == 440
    assert member.collected == 1040
    assert member.tier == "gold"
    assert member.buy(10) == 12
    assert member.tier == "gold"


def test_spending_keeps_the_tier():
    member = Member("x")
    member.buy(1000)
    member.spend(1000)
    assert member.balance == 0
    assert member.tier == "gold"
    assert member.buy(4) == 5
    assert member.tier == "gold"
    assert member.collected == 1005


def test_bonus_by_tier_before_purchase():
    member = Member("x")
    assert member.buy(2000) == 2000
    assert member.buy(2000) == 2500


def test_bonus_is_rounded_down():
    member = Member("x")
    member.buy(500)
    assert member.buy(19.99) == 20
    assert member.buy(9) == 9


def test_spend_exactly_and_too_much():
    member = Member("x")
    with pytest.raises(ValueError):
        member.spend(1)
    member.buy(10)
    member.spend(10)
    assert member.balance == 0
    assert member.collected == 10
""",
    ),
)
