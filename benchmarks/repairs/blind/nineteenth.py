"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---- structures
    Program(
        name="ring_log",
        code=r'''
"""A log that remembers only the newest entries, in a fixed ring of slots."""


class RingLog:
    """Keeps the last `capacity` entries; older ones are overwritten."""

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self._slots = [None] * capacity
        self._start = 0
        self._count = 0

    def __len__(self):
        return self._count

    def append(self, entry):
        """Add an entry, dropping the oldest one when the ring is full."""
        capacity = len(self._slots)
        self._slots[(self._start + self._count) % capacity] = entry
        if self._count == capacity:
            self._start = (self._start + 1) % capacity
        else:
            self._count += 1

    def popleft(self):
        """Remove and return the oldest entry; IndexError when empty."""
        if not self._count:
            raise IndexError("the log is empty")
        entry = self._slots[self._start]
        self._slots[self._start] = None
        self._start = (self._start + 1) % len(self._slots)
        self._count -= 1
        return entry

    def __getitem__(self, index):
        """Entry number `index`, 0 being the oldest and -1 the newest."""
        if index < 0:
            index += self._count
        if not 0 <= index < self._count:
            raise IndexError("no such entry")
        return self._slots[(self._start + index) % self._count]

    def entries(self):
        """All entries as a list, oldest first."""
        return [self[index] for index in range(self._count)]
''',
        wrong="return self._slots[(self._start + index) % self._count]",
        right="return self._slots[(self._start + index) % len(self._slots)]",
        visible="""
def test_fills_up():
    log = RingLog(3)
    log.append("a")
    log.append("b")
    assert log.entries() == ["a", "b"]


def test_overwrites_oldest():
    log = RingLog(3)
    for number in range(5):
        log.append(number)
    assert log.entries() == [2, 3, 4]
    assert log[-1] == 4


def test_popleft_then_read():
    log = RingLog(4)
    for number in range(4):
        log.append(number)
    assert log.popleft() == 0
    assert log.popleft() == 1
    assert log.entries() == [2, 3]


def test_empty():
    log = RingLog(2)
    assert len(log) == 0
    with pytest.raises(IndexError):
        log.popleft()
""",
        hidden="""
def test_pop_one_of_three():
    log = RingLog(3)
    for letter in "xyz":
        log.append(letter)
    log.popleft()
    assert log[0] == "y"
    assert log[-1] == "z"


def test_wraps_after_pop():
    log = RingLog(3)
    for letter in "abcd":
        log.append(letter)
    assert log.popleft() == "b"
    assert log.entries() == ["c", "d"]
    log.append("e")
    assert log.entries() == ["c", "d", "e"]


def test_out_of_range():
    log = RingLog(3)
    log.append(1)
    with pytest.raises(IndexError):
        log[1]
    with pytest.raises(IndexError):
        log[-2]


def test_capacity_one():
    log = RingLog(1)
    log.append(1)
    log.append(2)
    assert log.entries() == [2]
    assert log.popleft() == 2
    assert log.entries() == []


def test_partly_filled():
    log = RingLog(5)
    log.append("p")
    log.append("q")
    log.popleft()
    log.append("r")
    assert log.entries() == ["q", "r"]
    assert len(log) == 2


def test_bad_capacity():
    with pytest.raises(ValueError):
        RingLog(0)
""",
    ),
    Program(
        name="busy_calendar",
        code=r'''
"""A calendar of busy times, stored as sorted, disjoint half-open spans."""


class BusyCalendar:
    """Collects busy spans; spans that overlap or touch are joined."""

    def __init__(self, spans=()):
        self._spans = []
        for start, end in spans:
            self.add(start, end)

    def add(self, start, end):
        """Mark the time from `start` up to (not including) `end` as busy."""
        if start >= end:
            raise ValueError("a span must not be empty")
        before, after = [], []
        for low, high in self._spans:
            if high < start:
                before.append((low, high))
            elif low > end:
                after.append((low, high))
            else:
                start = min(start, low)
                end = high
        self._spans = before + [(start, end)] + after

    def spans(self):
        """The busy spans in order."""
        return list(self._spans)

    def is_free(self, start, end):
        """Is no moment from `start` up to `end` busy?"""
        return all(high <= start or low >= end for low, high in self._spans)

    def total(self):
        """The length of all busy time."""
        return sum(high - low for low, high in self._spans)

    def gaps(self):
        """The free spans between the busy ones."""
        pairs = zip(self._spans, self._spans[1:])
        return [(first[1], second[0]) for first, second in pairs]
''',
        wrong="                end = high",
        right="                end = max(end, high)",
        visible="""
def test_separate_spans():
    calendar = BusyCalendar([(5, 6), (1, 2)])
    assert calendar.spans() == [(1, 2), (5, 6)]
    assert calendar.gaps() == [(2, 5)]


def test_touching_spans_join():
    calendar = BusyCalendar([(3, 5), (1, 3)])
    assert calendar.spans() == [(1, 5)]


def test_extend_to_the_right():
    calendar = BusyCalendar([(1, 4)])
    calendar.add(2, 8)
    assert calendar.spans() == [(1, 8)]


def test_contained_span():
    calendar = BusyCalendar([(1, 10)])
    calendar.add(4, 5)
    assert calendar.spans() == [(1, 10)]


def test_empty_span():
    with pytest.raises(ValueError):
        BusyCalendar().add(3, 3)
""",
        hidden="""
def test_swallow_span():
    calendar = BusyCalendar([(4, 5)])
    calendar.add(1, 9)
    assert calendar.spans() == [(1, 9)]


def test_bridge_two():
    calendar = BusyCalendar([(1, 3), (6, 9), (20, 21)])
    calendar.add(2, 7)
    assert calendar.spans() == [(1, 9), (20, 21)]


def test_swallow_several():
    calendar = BusyCalendar([(2, 3), (5, 6), (8, 9), (30, 40)])
    calendar.add(1, 12)
    assert calendar.spans() == [(1, 12), (30, 40)]
    assert calendar.total() == 21


def test_touch_on_right():
    calendar = BusyCalendar([(1, 3)])
    calendar.add(3, 7)
    assert calendar.spans() == [(1, 7)]
    assert not calendar.is_free(6, 8)


def test_is_free_at_edges():
    calendar = BusyCalendar([(2, 4)])
    assert calendar.is_free(0, 2)
    assert calendar.is_free(4, 9)
    assert not calendar.is_free(3, 4)


def test_total_of_disjoint():
    assert BusyCalendar([(0, 2), (5, 9)]).total() == 6
""",
    ),
    Program(
        name="indexed_heap",
        code=r'''
"""A binary min-heap whose items can be removed by name."""


class IndexedHeap:
    """Items with priorities; knows where in the heap every item is."""

    def __init__(self):
        self._heap = []
        self._where = {}

    def __len__(self):
        return len(self._heap)

    def push(self, item, priority):
        """Add an item; ValueError if it is already there."""
        if item in self._where:
            raise ValueError(f"{item!r} is already queued")
        self._where[item] = len(self._heap)
        self._heap.append((priority, item))
        self._sift_up(len(self._heap) - 1)

    def pop(self):
        """Remove and return the item with the smallest priority."""
        if not self._heap:
            raise IndexError("the heap is empty")
        item = self._heap[0][1]
        self.remove(item)
        return item

    def remove(self, item):
        """Take out an item, wherever it is; KeyError if it is not there."""
        index = self._where[item]
        self._swap(index, len(self._heap) - 1)
        self._heap.pop()
        del self._where[item]
        if index < len(self._heap):
            self._sift_down(index)

    def _swap(self, i, j):
        heap = self._heap
        heap[i], heap[j] = heap[j], heap[i]
        self._where[heap[i][1]] = i
        self._where[heap[j][1]] = j

    def _sift_up(self, i):
        """Move entry `i` up to its place and return its new index."""
        while i and self._heap[i][0] < self._heap[(i - 1) // 2][0]:
            self._swap(i, (i - 1) // 2)
            i = (i - 1) // 2
        return i

    def _sift_down(self, i):
        """Move entry `i` down to its place and return its new index."""
        while True:
            children = [c for c in (2 * i + 1, 2 * i + 2) if c < len(self._heap)]
            child = min(children, key=lambda c: self._heap[c][0], default=None)
            if child is None or self._heap[i][0] <= self._heap[child][0]:
                return i
            self._swap(i, child)
            i = child
''',
        wrong="            self._sift_down(index)",
        right="            self._sift_down(self._sift_up(index))",
        visible="""
def drain(heap):
    result = []
    while len(heap):
        result.append(heap.pop())
    return result


def test_pops_in_order():
    heap = IndexedHeap()
    for priority in [5, 2, 8, 1, 9]:
        heap.push(f"p{priority}", priority)
    assert drain(heap) == ["p1", "p2", "p5", "p8", "p9"]


def test_remove_top():
    heap = IndexedHeap()
    for item, priority in [("a", 3), ("b", 1), ("c", 2)]:
        heap.push(item, priority)
    heap.remove("b")
    assert drain(heap) == ["c", "a"]


def test_remove_from_the_middle():
    heap = IndexedHeap()
    for number in [1, 20, 2, 21, 22, 4, 3]:
        heap.push(number, number)
    heap.remove(21)
    assert drain(heap) == [1, 2, 3, 4, 20, 22]


def test_twice():
    heap = IndexedHeap()
    heap.push("a", 1)
    with pytest.raises(ValueError):
        heap.push("a", 2)
""",
        hidden="""
def drain(heap):
    result = []
    while len(heap):
        result.append(heap.pop())
    return result


def filled(numbers):
    heap = IndexedHeap()
    for number in numbers:
        heap.push(number, number)
    return heap


def test_remove_other_leaf():
    heap = filled([1, 20, 2, 21, 22, 3, 4])
    heap.remove(22)
    assert drain(heap) == [1, 2, 3, 4, 20, 21]


def test_remove_deep():
    numbers = [0, 50, 5, 60, 70, 6, 7, 80, 90, 75, 76, 8, 9, 10, 11]
    heap = filled(numbers)
    heap.remove(60)
    assert drain(heap) == sorted(set(numbers) - {60})


def test_remove_every_single_one():
    numbers = [1, 10, 2, 11, 12, 3, 4, 13, 14, 15, 16, 5]
    for gone in numbers:
        heap = filled(numbers)
        heap.remove(gone)
        assert drain(heap) == sorted(set(numbers) - {gone})


def test_remove_last():
    heap = filled([1, 2, 3])
    heap.remove(3)
    assert drain(heap) == [1, 2]


def test_remove_unknown():
    with pytest.raises(KeyError):
        filled([1]).remove(2)


def test_pop_empty():
    with pytest.raises(IndexError):
        IndexedHeap().pop()
""",
    ),
    Program(
        name="linked_queue",
        code=r'''
"""A first-in, first-out queue as a singly linked list."""


class _Node:
    def __init__(self, value):
        self.value = value
        self.next = None


class LinkedQueue:
    """A queue from which waiting values can also be withdrawn."""

    def __init__(self, values=()):
        self._head = None
        self._tail = None
        for value in values:
            self.put(value)

    def put(self, value):
        """Add a value at the back."""
        node = _Node(value)
        if self._tail is None:
            self._head = node
        else:
            self._tail.next = node
        self._tail = node

    def get(self):
        """Remove and return the value at the front; LookupError if empty."""
        if self._head is None:
            raise LookupError("the queue is empty")
        node = self._head
        self._head = node.next
        if self._head is None:
            self._tail = None
        return node.value

    def withdraw(self, value):
        """Remove the first waiting `value`; tell whether there was one."""
        previous, node = None, self._head
        while node is not None and node.value != value:
            previous, node = node, node.next
        if node is None:
            return False
        if previous is None:
            self._head = node.next
        else:
            previous.next = node.next
        if self._tail is node:
            self._tail = node.next
        return True

    def __iter__(self):
        node = self._head
        while node is not None:
            yield node.value
            node = node.next
''',
        wrong="            self._tail = node.next",
        right="            self._tail = previous",
        visible="""
def test_first_in_first_out():
    queue = LinkedQueue("abc")
    assert [queue.get(), queue.get(), queue.get()] == ["a", "b", "c"]
    queue.put("d")
    assert list(queue) == ["d"]


def test_withdraw_middle():
    queue = LinkedQueue([1, 2, 3])
    assert queue.withdraw(2)
    queue.put(4)
    assert list(queue) == [1, 3, 4]


def test_withdraw_back_then_put():
    queue = LinkedQueue([1, 2, 3])
    assert queue.withdraw(3)
    queue.put(4)
    assert list(queue) == [1, 2, 4]


def test_withdraw_unknown():
    queue = LinkedQueue([1])
    assert not queue.withdraw(9)
    assert list(queue) == [1]
""",
        hidden="""
def test_withdraw_the_only_one():
    queue = LinkedQueue(["x"])
    assert queue.withdraw("x")
    assert list(queue) == []
    queue.put("y")
    assert list(queue) == ["y"]


def test_withdraw_back_of_two():
    queue = LinkedQueue(["x", "y"])
    queue.withdraw("y")
    queue.put("z")
    queue.put("w")
    assert list(queue) == ["x", "z", "w"]


def test_withdraw_back_repeatedly():
    queue = LinkedQueue(range(5))
    queue.withdraw(4)
    queue.withdraw(3)
    queue.put(7)
    assert list(queue) == [0, 1, 2, 7]
    assert queue.get() == 0


def test_withdraw_front():
    queue = LinkedQueue([1, 2])
    queue.withdraw(1)
    queue.put(3)
    assert list(queue) == [2, 3]


def test_withdraws_first_equal():
    queue = LinkedQueue([1, 2, 1])
    assert queue.withdraw(1)
    assert list(queue) == [2, 1]


def test_empty():
    with pytest.raises(LookupError):
        LinkedQueue().get()
""",
    ),
    Program(
        name="word_trie",
        code=r'''
"""A trie of words that gives back the memory of deleted words."""


class _Node:
    def __init__(self):
        self.children = {}
        self.is_word = False


class Trie:
    """A set of words that can be searched by prefix."""

    def __init__(self, words=()):
        self._root = _Node()
        for word in words:
            self.add(word)

    def add(self, word):
        node = self._root
        for letter in word:
            node = node.children.setdefault(letter, _Node())
        node.is_word = True

    def _walk(self, text):
        """All nodes on the way along `text`, or None if it leaves the trie."""
        nodes = [self._root]
        for letter in text:
            child = nodes[-1].children.get(letter)
            if child is None:
                return None
            nodes.append(child)
        return nodes

    def __contains__(self, word):
        nodes = self._walk(word)
        return nodes is not None and nodes[-1].is_word

    def discard(self, word):
        """Delete a word and the nodes no other word needs."""
        if word not in self:
            return
        nodes = self._walk(word)
        nodes[-1].is_word = False
        for depth in range(len(word), 0, -1):
            if nodes[depth].children:
                break
            del nodes[depth - 1].children[word[depth - 1]]

    def starting_with(self, prefix):
        """The sorted list of all words that begin with `prefix`."""
        nodes = self._walk(prefix)
        found, todo = [], [(prefix, nodes[-1])] if nodes else []
        while todo:
            text, node = todo.pop()
            if node.is_word:
                found.append(text)
            todo.extend((text + letter, child) for letter, child in node.children.items())
        return sorted(found)

    def size(self):
        """How many nodes there are, the root included."""
        todo = [self._root]
        for node in todo:
            todo.extend(node.children.values())
        return len(todo)
''',
        wrong="            if nodes[depth].children:",
        right="            if nodes[depth].children or nodes[depth].is_word:",
        visible="""
def test_contains():
    trie = Trie(["car", "cart"])
    assert "car" in trie
    assert "ca" not in trie


def test_starting_with():
    trie = Trie(["tea", "ten", "to", "in"])
    assert trie.starting_with("te") == ["tea", "ten"]
    assert trie.starting_with("x") == []


def test_discard_keeps_longer():
    trie = Trie(["car", "cart"])
    trie.discard("car")
    assert trie.starting_with("") == ["cart"]


def test_discard_keeps_shorter():
    trie = Trie(["car", "cart"])
    trie.discard("cart")
    assert trie.starting_with("") == ["car"]
    assert trie.size() == 4
""",
        hidden="""
def test_discard_long_tail():
    trie = Trie(["a", "abcdef"])
    trie.discard("abcdef")
    assert "a" in trie
    assert trie.size() == 2


def test_chain_of_words():
    trie = Trie(["in", "inn", "inner"])
    trie.discard("inner")
    assert trie.starting_with("i") == ["in", "inn"]
    trie.discard("inn")
    assert trie.starting_with("i") == ["in"]


def test_discard_branch():
    trie = Trie(["tea", "ten"])
    trie.discard("tea")
    assert trie.starting_with("t") == ["ten"]
    assert trie.size() == 4


def test_discard_last_word():
    trie = Trie(["ab"])
    trie.discard("ab")
    assert trie.starting_with("") == []
    assert trie.size() == 1


def test_discard_unknown():
    trie = Trie(["ab"])
    trie.discard("a")
    trie.discard("abc")
    assert trie.starting_with("") == ["ab"]


def test_empty_word_kept():
    trie = Trie(["", "x"])
    trie.discard("x")
    assert "" in trie
    assert trie.size() == 1
""",
    ),
    Program(
        name="price_history",
        code=r'''
"""Prices over time, looked up by day."""

from bisect import bisect_left, bisect_right


class PriceHistory:
    """A price holds from the day it was set until the next one is set."""

    def __init__(self):
        self._days = []
        self._prices = []

    def set_price(self, day, price):
        """Set the price from `day` on; replaces one set for the same day."""
        index = bisect_left(self._days, day)
        if index < len(self._days) and self._days[index] == day:
            self._prices[index] = price
        else:
            self._days.insert(index, day)
            self._prices.insert(index, price)

    def price_on(self, day):
        """The price on `day`; LookupError if none had been set by then."""
        index = bisect_left(self._days, day)
        if index == 0:
            raise LookupError(f"no price on day {day}")
        return self._prices[index - 1]

    def changes_between(self, first, last):
        """The (day, price) pairs set from `first` to `last`, both included."""
        low = bisect_left(self._days, first)
        high = bisect_right(self._days, last)
        return list(zip(self._days[low:high], self._prices[low:high]))

    def next_change(self, day):
        """The first day after `day` on which a price was set, or None."""
        index = bisect_right(self._days, day)
        return self._days[index] if index < len(self._days) else None
''',
        wrong="""        index = bisect_left(self._days, day)
        if index == 0:""",
        right="""        index = bisect_right(self._days, day)
        if index == 0:""",
        visible="""
def history():
    result = PriceHistory()
    result.set_price(20, 7)
    result.set_price(10, 5)
    return result


def test_between_changes():
    assert history().price_on(15) == 5
    assert history().price_on(99) == 7


def test_on_the_day_of_a_change():
    assert history().price_on(20) == 7


def test_before_the_first():
    with pytest.raises(LookupError):
        history().price_on(9)


def test_changes_between():
    assert history().changes_between(10, 20) == [(10, 5), (20, 7)]


def test_next_change():
    assert history().next_change(10) == 20
    assert history().next_change(20) is None
""",
        hidden="""
def test_first_day_itself():
    prices = PriceHistory()
    prices.set_price(3, 12)
    assert prices.price_on(3) == 12


def test_replaced_price():
    prices = PriceHistory()
    prices.set_price(1, 10)
    prices.set_price(4, 11)
    prices.set_price(4, 13)
    assert prices.price_on(4) == 13
    assert prices.changes_between(0, 9) == [(1, 10), (4, 13)]


def test_every_day():
    prices = PriceHistory()
    for day in (2, 4, 6):
        prices.set_price(day, day * 100)
    assert [prices.price_on(day) for day in range(2, 8)] == [200, 200, 400, 400, 600, 600]


def test_nothing_set():
    with pytest.raises(LookupError):
        PriceHistory().price_on(1)


def test_changes_partly():
    prices = PriceHistory()
    for day in (2, 4, 6):
        prices.set_price(day, day)
    assert prices.changes_between(3, 5) == [(4, 4)]
    assert prices.changes_between(7, 9) == []


def test_day_before_change():
    prices = PriceHistory()
    prices.set_price(5, 1)
    prices.set_price(8, 2)
    assert prices.price_on(7) == 1
    assert prices.next_change(4) == 5
""",
    ),
    # ---- recursion
    Program(
        name="flatten_levels",
        code=r'''
"""Flattening of nested lists, and questions about their nesting."""


def flatten(items, levels=None):
    """Remove nesting from a list.

    With `levels`, only so many levels of nesting are removed: with 0 the
    list stays as it is. Without, all of them. Tuples count as lists,
    strings do not.
    """
    flat = []
    for item in items:
        if not isinstance(item, (list, tuple)) or levels == 0:
            flat.append(item)
        elif levels is None:
            flat.extend(flatten(item))
        else:
            flat.extend(flatten(item, levels))
    return flat


def depth(items):
    """How deep the nesting is: a list without lists in it has depth 1."""
    inner = [depth(item) for item in items if isinstance(item, (list, tuple))]
    return 1 + max(inner, default=0)


def map_nested(function, items):
    """A list nested like `items`, with the function applied to the leaves."""
    return [
        map_nested(function, item) if isinstance(item, (list, tuple)) else function(item)
        for item in items
    ]


def count_leaves(items):
    """How many items there are at all levels that are not lists."""
    return len(flatten(items))
''',
        wrong="            flat.extend(flatten(item, levels))",
        right="            flat.extend(flatten(item, levels - 1))",
        visible="""
def test_all_levels():
    assert flatten([1, [2, [3, [4]]], "ab"]) == [1, 2, 3, 4, "ab"]


def test_one_level():
    assert flatten([1, [2, [3, [4]]]], 1) == [1, 2, [3, [4]]]


def test_no_level():
    assert flatten([1, [2]], 0) == [1, [2]]


def test_depth():
    assert depth([]) == 1
    assert depth([1, [2, [3]]]) == 3


def test_leaves():
    assert count_leaves([1, [2, []], [[3]]]) == 3
""",
        hidden="""
def test_two_levels():
    assert flatten([1, [2, [3, [4, [5]]]]], 2) == [1, 2, 3, [4, [5]]]


def test_one_level_of_pairs():
    assert flatten([[1, [2]], [[3], 4]], 1) == [1, [2], [3], 4]


def test_more_levels_than_there_are():
    assert flatten([1, [2, [3]]], 10) == [1, 2, 3]


def test_tuples():
    assert flatten(((1, (2,)), 3)) == [1, 2, 3]
    assert flatten([(1, (2,)), 3], 1) == [1, (2,), 3]


def test_sibling_levels():
    assert flatten([[[1]], [[2]], [[3]]], 1) == [[1], [2], [3]]


def test_map():
    assert map_nested(lambda x: x + 1, [1, [2, (3,)]]) == [2, [3, [4]]]
""",
    ),
    Program(
        name="subset_sums",
        code=r'''
"""Searches for combinations of numbers with a wanted sum."""


def combinations_with_sum(numbers, target):
    """All ways to pick some of the positive `numbers` that sum to `target`.

    Every number may be used as often as it is in the list. The result is a
    list of sorted lists without duplicates.
    """
    ordered = sorted(numbers)
    found = []
    chosen = []

    def search(start, rest):
        if rest == 0:
            found.append(chosen)
            return
        for index in range(start, len(ordered)):
            number = ordered[index]
            if number > rest:
                break
            if index > start and number == ordered[index - 1]:
                continue
            chosen.append(number)
            search(index + 1, rest - number)
            chosen.pop()

    search(0, target)
    return found


def has_sum(numbers, target):
    """Can `target` be made of some of the numbers?"""
    return bool(combinations_with_sum(numbers, target))


def fewest(numbers, target):
    """How few of the numbers make `target`; None if it can't be made."""
    sizes = [len(found) for found in combinations_with_sum(numbers, target)]
    return min(sizes, default=None)
''',
        wrong="            found.append(chosen)",
        right="            found.append(chosen[:])",
        visible="""
def test_two_ways():
    assert combinations_with_sum([1, 2, 3], 3) == [[1, 2], [3]]


def test_no_way():
    assert combinations_with_sum([5, 6], 4) == []


def test_has_sum():
    assert has_sum([4, 1, 9], 13)
    assert not has_sum([4, 1, 9], 6)


def test_fewest():
    assert fewest([1, 1, 2, 4], 4) == 1
    assert fewest([3], 1) is None


def test_nothing_needed():
    assert combinations_with_sum([1, 2], 0) == [[]]
""",
        hidden="""
def test_duplicates():
    assert combinations_with_sum([2, 1, 2], 3) == [[1, 2]]


def test_many():
    found = combinations_with_sum([10, 1, 2, 7, 6, 1, 5], 8)
    assert sorted(found) == [[1, 1, 6], [1, 2, 5], [1, 7], [2, 6]]


def test_all_of_them():
    assert combinations_with_sum([3, 1, 2], 6) == [[1, 2, 3]]


def test_fewest_of_several():
    assert fewest([1, 2, 3, 4, 5], 5) == 1
    assert fewest([1, 2, 3, 4], 7) == 2


def test_number_of_ways():
    assert len(combinations_with_sum([1, 2, 3, 4, 5], 5)) == 3


def test_results_independent():
    found = combinations_with_sum([1, 2, 3], 3)
    found[0].append(99)
    assert found[1] == [3]


def test_none():
    assert not has_sum([], 1)
""",
    ),
    Program(
        name="power_parser",
        code=r'''
"""A recursive descent calculator for + - * / ^ and parentheses."""

import re

_TOKEN = re.compile(r"\s*(\d+\.?\d*|[-+*/^()])")


def tokenize(text):
    """Split a formula in numbers and signs; ValueError on anything else."""
    tokens, position = [], 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if not match:
            raise ValueError(f"unexpected text at {position}")
        tokens.append(match.group(1))
        position = match.end()
    return tokens


def calculate(text):
    """The value of a formula.

    The usual precedences hold: ^ binds closer than a sign before it and
    groups to the right, * and / come next, then + and -; these group to the
    left. The exponent may have a sign. ValueError for a malformed formula.
    """
    tokens = tokenize(text) + ["end"]

    def take():
        return tokens.pop(0)

    def total():
        value = product()
        while tokens[0] in ("+", "-"):
            value = value + product() if take() == "+" else value - product()
        return value

    def product():
        value = signed()
        while tokens[0] in ("*", "/"):
            value = value * signed() if take() == "*" else value / signed()
        return value

    def signed():
        if tokens[0] == "-":
            take()
            return -signed()
        return power()

    def power():
        base = atom()
        if tokens[0] == "^":
            take()
            return base ** atom()
        return base

    def atom():
        token = take()
        if token == "(":
            value = total()
            if take() != ")":
                raise ValueError("missing )")
            return value
        return float(token)

    result = total()
    if tokens != ["end"]:
        raise ValueError(f"unexpected {tokens[0]}")
    return result
''',
        wrong="            return base ** atom()",
        right="            return base ** signed()",
        visible="""
def test_precedence():
    assert calculate("1 + 2 * 3") == 7
    assert calculate("(1 + 2) * 3") == 9


def test_left_grouping():
    assert calculate("10 - 4 - 3") == 3
    assert calculate("24 / 4 / 2") == 3


def test_power_groups_right():
    assert calculate("2 ^ 3 ^ 2") == 512


def test_signed_exponent():
    assert calculate("2 ^ -1") == 0.5


def test_sign_before_power():
    assert calculate("-2 ^ 2") == -4


def test_malformed():
    with pytest.raises(ValueError):
        calculate("1 + ")
    with pytest.raises(ValueError):
        calculate("2 $ 3")
""",
        hidden="""
def test_long_tower():
    assert calculate("2^2^1^5") == 4


def test_exponent_sign_and_more():
    assert calculate("3 * 4 ^ -2 * 16") == 3


def test_exponent_stops_at_product():
    assert calculate("2 ^ 3 * 2") == 16
    assert calculate("2 ^ 3 + 1") == 9


def test_exponent_in_parentheses():
    assert calculate("2 ^ (1 + 2)") == 8
    assert calculate("(2 ^ 3) ^ 2") == 64


def test_signed_tower():
    assert calculate("4 ^ -1 ^ 2") == 0.25


def test_double_sign():
    assert calculate("--3") == 3
    assert calculate("2 - -3") == 5


def test_missing_parenthesis():
    with pytest.raises(ValueError):
        calculate("(1 + 2")
""",
    ),
    Program(
        name="count_change",
        code=r'''
"""Counting the ways to pay an amount with coins."""


def ways(amount, coins):
    """In how many ways can `amount` be paid with the kinds of coins?

    Every kind may be used any number of times; the order of payment does
    not matter. There is one way to pay nothing.
    """
    kinds = sorted(set(coins), reverse=True)
    known = {}

    def count(rest, index):
        if rest == 0:
            return 1
        if rest < 0 or index == len(kinds):
            return 0
        key = rest
        if key not in known:
            with_it = count(rest - kinds[index], index)
            without = count(rest, index + 1)
            known[key] = with_it + without
        return known[key]

    return count(amount, 0)


def fewest_coins(amount, coins):
    """The least number of coins that pay `amount`, None if it's impossible."""
    best = [0] + [None] * amount
    for value in range(1, amount + 1):
        options = [
            best[value - coin] + 1
            for coin in coins
            if coin <= value and best[value - coin] is not None
        ]
        best[value] = min(options, default=None)
    return best[amount]


def payable(limit, coins):
    """The amounts from 1 to `limit` that can be paid."""
    return [amount for amount in range(1, limit + 1) if ways(amount, coins)]
''',
        wrong="        key = rest\n",
        right="        key = rest, index\n",
        visible="""
def test_nothing():
    assert ways(0, [1, 2]) == 1


def test_one_kind():
    assert ways(6, [3]) == 1
    assert ways(7, [3]) == 0


def test_three_kinds():
    assert ways(5, [1, 2, 5]) == 4


def test_impossible():
    assert ways(3, [2]) == 0
    assert fewest_coins(3, [2]) is None


def test_fewest():
    assert fewest_coins(6, [1, 3, 4]) == 2
""",
        hidden="""
def test_ten():
    assert ways(10, [1, 5]) == 3
    assert ways(10, [1, 2, 5, 10]) == 11


def test_cents():
    assert ways(100, [1, 5, 10, 25, 50]) == 292


def test_order_of_kinds():
    assert ways(4, [1, 2, 3]) == 4
    assert ways(4, [3, 2, 1]) == 4


def test_repeated_kinds():
    assert ways(4, [2, 2, 1]) == 3


def test_payable():
    assert payable(10, [3, 5]) == [3, 5, 6, 8, 9, 10]


def test_no_coins():
    assert ways(1, []) == 0
""",
    ),
    Program(
        name="nested_diff",
        code=r'''
"""Differences between nested dictionaries."""

MISSING = object()


def diff(old, new, path=()):
    """Yield (path, old value, new value) for all that differs.

    The path is the tuple of keys that leads to the value from the outermost
    dictionaries. For a key that one side lacks, its value there is MISSING.
    Keys come in sorted order. Only where both sides have dictionaries are
    these compared key by key.
    """
    for key in sorted(set(old) | set(new)):
        before, after = old.get(key, MISSING), new.get(key, MISSING)
        if isinstance(before, dict) and isinstance(after, dict):
            yield from diff(before, after, (key,))
        elif before != after:
            yield path + (key,), before, after


def apply(old, changes):
    """A copy of `old` with the changes from `diff` made."""
    result = _copy(old)
    for path, _, value in changes:
        place = result
        for key in path[:-1]:
            place = place[key]
        if value is MISSING:
            del place[path[-1]]
        else:
            place[path[-1]] = _copy(value)
    return result


def _copy(value):
    if not isinstance(value, dict):
        return value
    return {key: _copy(inner) for key, inner in value.items()}
''',
        wrong="yield from diff(before, after, (key,))",
        right="yield from diff(before, after, path + (key,))",
        visible="""
def test_flat():
    assert list(diff({"a": 1, "b": 2}, {"a": 1, "b": 3})) == [(("b",), 2, 3)]


def test_missing():
    assert list(diff({"a": 1}, {"b": 2})) == [(("a",), 1, MISSING), (("b",), MISSING, 2)]


def test_one_inside():
    assert list(diff({"a": {"x": 1}}, {"a": {"x": 2}})) == [(("a", "x"), 1, 2)]


def test_three_deep():
    old = {"db": {"main": {"port": 1, "host": "h"}}}
    new = {"db": {"main": {"port": 2, "host": "h"}}}
    assert list(diff(old, new)) == [(("db", "main", "port"), 1, 2)]


def test_apply():
    old, new = {"a": {"x": 1}, "b": 2}, {"a": {"y": 3}}
    assert apply(old, diff(old, new)) == new
""",
        hidden="""
def test_four_deep():
    old = {"a": {"b": {"c": {"d": 0}}}}
    new = {"a": {"b": {"c": {"d": 1}}}}
    assert list(diff(old, new)) == [(("a", "b", "c", "d"), 0, 1)]


def test_apply_deep():
    old = {"a": {"b": {"c": 1, "d": 2}}, "z": {}}
    new = {"a": {"b": {"c": 5}}, "z": {"n": {"m": 1}}}
    assert apply(old, diff(old, new)) == new
    assert old == {"a": {"b": {"c": 1, "d": 2}}, "z": {}}


def test_dict_against_value():
    assert list(diff({"a": {"x": 1}}, {"a": 7})) == [(("a",), {"x": 1}, 7)]


def test_equal():
    assert list(diff({"a": {"b": {}}}, {"a": {"b": {}}})) == []


def test_missing_deep():
    changes = list(diff({"k": {"l": {}}}, {"k": {"l": {"m": None}}}))
    assert changes == [(("k", "l", "m"), MISSING, None)]


def test_siblings_after_deep():
    old = {"a": {"p": {"q": 1}, "r": 2}, "s": 3}
    new = {"a": {"p": {"q": 0}, "r": 0}, "s": 0}
    assert [path for path, _, _ in diff(old, new)] == [("a", "p", "q"), ("a", "r"), ("s",)]
""",
    ),
    Program(
        name="best_tree_path",
        code=r'''
"""The best path through a tree of values."""


class Tree:
    """A binary tree; a missing branch is None."""

    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right


def best_path(tree):
    """The greatest sum of the values on any path in the tree.

    A path goes along branches from any node to any node, has at least one
    node and uses none twice; it may turn once, in its topmost node. Values
    may be negative. ValueError for None.
    """
    if tree is None:
        raise ValueError("no tree")
    best = tree.value

    def downward(node):
        """The greatest sum of a path from `node` downward."""
        nonlocal best
        if node is None:
            return 0
        left = max(downward(node.left), 0)
        right = max(downward(node.right), 0)
        best = max(best, node.value + left + right)
        return node.value + left + right

    downward(tree)
    return best


def best_descent(tree):
    """The greatest sum of the values from the root down to a leaf."""
    below = [best_descent(branch) for branch in (tree.left, tree.right) if branch]
    return tree.value + max(below, default=0)


def build(values, index=0):
    """The tree whose nodes are listed row by row, None for a missing one."""
    if index >= len(values) or values[index] is None:
        return None
    left, right = build(values, 2 * index + 1), build(values, 2 * index + 2)
    return Tree(values[index], left, right)
''',
        wrong="        return node.value + left + right",
        right="        return node.value + max(left, right)",
        visible="""
def test_single():
    assert best_path(Tree(-5)) == -5


def test_turns_at_root():
    assert best_path(build([1, 2, 3])) == 6


def test_negative_root():
    assert best_path(build([-10, 9, 20, None, None, 15, 7])) == 42


def test_full_tree():
    assert best_path(build([1, 2, 3, 4, 5, 6, 7])) == 18


def test_descent():
    assert best_descent(build([1, 2, 3, 9, 1])) == 12


def test_none():
    with pytest.raises(ValueError):
        best_path(None)
""",
        hidden="""
def test_ones():
    assert best_path(build([1] * 7)) == 5


def test_one_sided():
    assert best_path(build([1, 2, None, 3])) == 6


def test_fork_below():
    assert best_path(build([5, 2, None, 4, 3])) == 11


def test_ignores_bad_branches():
    assert best_path(build([4, -3, 6])) == 10
    assert best_path(build([4, -3, -6])) == 4


def test_all_negative():
    assert best_path(build([-3, -1, -2])) == -1


def test_through_the_root_only_once():
    assert best_path(build([10, 5, 5, 1, 2, 3, 4])) == 26


def test_descent_negative():
    assert best_descent(build([1, -2, -3])) == -1
""",
    ),
    Program(
        name="variable_expander",
        code=r'''
"""Expansion of variables that are defined by other variables."""

import re

_REFERENCE = re.compile(r"\$\{(\w+)\}")


class CircularReference(ValueError):
    """A variable is, in the end, defined by itself."""


def _value(name, variables, active):
    """The expanded value of a variable.

    `active` has the names of the variables whose values contain this one.
    """
    if name in active:
        raise CircularReference(name)
    active |= {name}
    return _REFERENCE.sub(
        lambda match: _value(match.group(1), variables, active), variables[name]
    )


def expand(text, variables):
    """Replace all ${name} in the text by the value of the variable.

    Values may refer to other variables and are expanded too. KeyError for
    an unknown name, CircularReference where the definition goes round.
    """
    return _REFERENCE.sub(lambda match: _value(match.group(1), variables, set()), text)


def expand_all(variables):
    """The dictionary with all values expanded."""
    return {name: _value(name, variables, set()) for name in variables}


def needed(text, variables):
    """The set of variables used by the text, directly or not."""
    found, todo = set(), [text]
    while todo:
        for name in _REFERENCE.findall(todo.pop()):
            if name not in found:
                found.add(name)
                todo.append(variables[name])
    return found
''',
        wrong="    active |= {name}\n",
        right="    active = active | {name}\n",
        visible="""
def test_plain_and_simple():
    assert expand("no names", {}) == "no names"
    assert expand("<${a}>", {"a": "1"}) == "<1>"


def test_twice_in_the_text():
    assert expand("${a}-${a}", {"a": "x${b}", "b": "y"}) == "xy-xy"


def test_twice_in_a_value():
    assert expand("${pair}", {"pair": "${x},${x}", "x": "7"}) == "7,7"


def test_circular():
    with pytest.raises(CircularReference):
        expand("${a}", {"a": "${b}", "b": "${a}"})


def test_needed():
    assert needed("${a}", {"a": "${b}${b}", "b": "", "c": ""}) == {"a", "b"}
""",
        hidden="""
def test_diamond():
    variables = {"top": "${l}/${r}", "l": "l${base}", "r": "r${base}", "base": "0"}
    assert expand("${top}", variables) == "l0/r0"


def test_expand_all():
    variables = {"root": "/srv", "log": "${root}/log", "all": "${root}:${log}"}
    assert expand_all(variables) == {
        "root": "/srv",
        "log": "/srv/log",
        "all": "/srv:/srv/log",
    }


def test_repeated_deep():
    variables = {"a": "${b}${b}", "b": "${c}${c}", "c": "z"}
    assert expand("${a}", variables) == "zzzz"


def test_self_reference():
    with pytest.raises(CircularReference):
        expand_all({"x": "a${x}"})


def test_cycle_after_other_name():
    with pytest.raises(CircularReference):
        expand("${a}", {"a": "${k}${b}", "b": "${k}${a}", "k": "1"})


def test_unknown():
    with pytest.raises(KeyError):
        expand("${a}", {"a": "${nope}"})
""",
    ),
    # ---- strings
    Program(
        name="word_wrapper",
        code=r'''
"""Breaking of text into lines of limited width."""


def wrap(text, width):
    """Break the text into lines of at most `width` characters.

    Words are separated by single spaces; each line takes as many words as
    fit. A word longer than the width gets a line of its own.
    """
    lines = []
    words, used = [], 0
    for word in text.split():
        if words and used + len(word) > width:
            lines.append(" ".join(words))
            words, used = [], 0
        words.append(word)
        used += len(word)
    if words:
        lines.append(" ".join(words))
    return lines


def hanging(text, width, indent):
    """Wrapped text, all lines but the first indented by `indent` spaces.

    The indentation counts: no line gets longer than `width`.
    """
    first = wrap(text, width)[:1]
    if not first:
        return ""
    count = len(first[0].split())
    rest = wrap(" ".join(text.split()[count:]), width - indent)
    return "\n".join(first + [" " * indent + line for line in rest])


def quote(text, width):
    """Wrapped text with "> " before each line, `width` wide in all."""
    return "\n".join("> " + line for line in wrap(text, width - 2))
''',
        wrong="        used += len(word)\n",
        right="        used += len(word) + 1\n",
        visible="""
def test_one_line():
    assert wrap("a  b\\nc", 10) == ["a b c"]


def test_exact_fit():
    assert wrap("abc def ghi", 7) == ["abc def", "ghi"]


def test_one_too_many():
    assert wrap("aaa bbb", 6) == ["aaa", "bbb"]


def test_long_word():
    assert wrap("a incredible b", 4) == ["a", "incredible", "b"]


def test_quote():
    assert quote("to be or not to be", 9) == "> to be\\n> or not\\n> to be"


def test_nothing():
    assert wrap("", 5) == []
""",
        hidden="""
def test_many_short_words():
    assert wrap("a b c d e f", 5) == ["a b c", "d e f"]


def test_width_is_kept():
    text = "the quick brown fox jumps over the lazy dog and runs away"
    for width in range(5, 30):
        lines = wrap(text, width)
        assert all(len(line) <= width for line in lines)
        assert " ".join(lines) == text


def test_greedy():
    assert wrap("one two three four", 13) == ["one two three", "four"]


def test_hanging():
    assert hanging("aa bb cc dd ee", 5, 2) == "aa bb\\n  cc\\n  dd\\n  ee"


def test_hanging_empty():
    assert hanging("  ", 5, 2) == ""


def test_two_words_one_over():
    assert wrap("hello world", 10) == ["hello", "world"]
    assert wrap("hello world", 11) == ["hello world"]
""",
    ),
    Program(
        name="separated_rows",
        code=r'''
"""Rows of fields written as text with separators, and read back."""

QUOTE = '"'


def parse_row(line, separator=","):
    """The list of fields in a line.

    A field may be enclosed in quotes; then separators and line ends in it
    are ordinary characters, and two quotes stand for one. ValueError if the
    closing quote is missing.
    """
    fields, field, quoted = [], "", False
    position = 0
    while position < len(line):
        char = line[position]
        if quoted and line.startswith(QUOTE * 2, position):
            field += QUOTE
            position += 1
        elif char == QUOTE:
            quoted = not quoted
        elif char == separator and not quoted:
            fields.append(field)
            field = ""
        else:
            field += char
        position += 1
    if quoted:
        raise ValueError("missing quote")
    return fields + [field]


def format_row(fields, separator=","):
    """The line that `parse_row` reads as these fields.

    Only the fields that need quotes get them.
    """
    return separator.join(_format_field(field, separator) for field in fields)


def _format_field(field, separator):
    if any(mark in field for mark in (separator, "\n")):
        return QUOTE + field.replace(QUOTE, QUOTE * 2) + QUOTE
    return field


def convert(line, old, new):
    """The same row with another separator."""
    return format_row(parse_row(line, old), new)
''',
        wrong='for mark in (separator, "\\n")',
        right='for mark in (separator, QUOTE, "\\n")',
        visible='''
def test_parse():
    assert parse_row('a,"b,c",,d') == ["a", "b,c", "", "d"]
    assert parse_row('"say ""hi""",x') == ['say "hi"', "x"]


def test_format():
    assert format_row(["a", "b,c", ""]) == 'a,"b,c",'


def test_back_and_forth():
    row = ["plain", "one, two", 'a "word"', "two\\nlines"]
    assert parse_row(format_row(row)) == row


def test_missing_quote():
    with pytest.raises(ValueError):
        parse_row('a,"b')


def test_convert():
    assert convert('a;b,c;"d;e"', ";", ",") == 'a,"b,c",d;e'
''',
        hidden='''
def test_field_with_quote():
    assert format_row(['5"', "x"]) == '"5""",x'


def test_only_a_quote():
    assert format_row(['"']) == '""""'
    assert parse_row('""""') == ['"']


def test_convert_with_quotes():
    assert convert('"a ""b""";c', ";", ",") == '"a ""b""",c'


def test_quote_and_separator():
    assert format_row(['a,"b"']) == '"a,""b"""'


def test_no_needless_quotes():
    assert format_row(["a;b", "c d"]) == "a;b,c d"
    assert format_row(["a;b"], ";") == '"a;b"'


def test_back_and_forth_quotes():
    for row in (['"a"', "b"], ['""'], ["x", 'y"', '"z']):
        assert parse_row(format_row(row)) == row


def test_empty():
    assert parse_row("") == [""]
''',
    ),
    Program(
        name="repeat_decoder",
        code=r'''
"""A shorthand for repetition: 3[ab] stands for ababab."""


def decode(text):
    """Write out the repetitions, which may be nested.

    The letters may be anything but digits and brackets. ValueError for
    brackets that don't match or a bracket without a number.
    """
    stack = []
    current, count = "", 0
    digits = False
    for char in text:
        if char.isdigit():
            count = count * 10 + int(char)
            digits = True
        elif char == "[":
            if not digits:
                raise ValueError("number expected before [")
            stack.append((current, count))
            current, digits = "", False
        elif char == "]":
            if not stack:
                raise ValueError("unexpected ]")
            before, times = stack.pop()
            current = before + current * times
        else:
            current += char
    if stack:
        raise ValueError("missing ]")
    return current


def encode(text):
    """The shorthand for a text: runs of four or more equal letters shrink."""
    pieces = []
    start = 0
    while start < len(text):
        end = start
        while end < len(text) and text[end] == text[start]:
            end += 1
        run = end - start
        pieces.append(f"{run}[{text[start]}]" if run >= 4 else text[start:end])
        start = end
    return "".join(pieces)
''',
        wrong='            current, digits = "", False\n',
        right='            current, count, digits = "", 0, False\n',
        visible="""
def test_plain():
    assert decode("abc") == "abc"
    assert decode("") == ""


def test_one():
    assert decode("x3[ab]y") == "xabababy"
    assert decode("12[a]") == "a" * 12


def test_two():
    assert decode("2[a]3[b]") == "aabbb"


def test_nested():
    assert decode("2[a3[b]]") == "abbbabbb"


def test_errors():
    for text in ("[a]", "2[a", "a]"):
        with pytest.raises(ValueError):
            decode(text)


def test_encode():
    assert encode("aaaabbbc") == "4[a]bbbc"
""",
        hidden="""
def test_three_in_a_row():
    assert decode("1[a]2[b]1[c]") == "abbc"


def test_deep():
    assert decode("2[2[2[x]y]z]") == "xxyxxyzxxyxxyz"


def test_nothing_repeated():
    assert decode("0[abc]d") == "d"


def test_after_zero():
    assert decode("0[a]2[b]") == "bb"


def test_back_and_forth():
    for text in ("aaaaabbbbbb", "xyyyyz", "zzzzzzzzzzzz-----", "abc"):
        assert decode(encode(text)) == text


def test_nested_first():
    assert decode("3[2[a]b]c") == "aabaabaabc"


def test_bracket_without_number_later():
    with pytest.raises(ValueError):
        decode("2[a][b]")
""",
    ),
    Program(
        name="name_styles",
        code=r'''
"""Names in the styles of different programming languages."""


def split_words(name):
    """The lower-case words of a name in any style.

    Underscores and hyphens separate words. A capital letter begins a word
    unless it is inside an abbreviation: the last of several capitals begins
    a word only if a small letter follows. A digit belongs to what precedes
    it.
    """
    words = [""]
    for index, char in enumerate(name):
        before, after = name[:index][-1:], name[index + 1 : index + 2]
        if char in "_-":
            words.append("")
            continue
        if char.isupper() and (not before.isupper() and after.islower()):
            words.append("")
        words[-1] += char.lower()
    return [word for word in words if word]


def snake_case(name):
    """The name like_this."""
    return "_".join(split_words(name))


def kebab_case(name):
    """The name like-this."""
    return "-".join(split_words(name))


def pascal_case(name):
    """The name LikeThis."""
    return "".join(word.capitalize() for word in split_words(name))


def camel_case(name):
    """The name likeThis."""
    first, *others = split_words(name) or [""]
    return first + "".join(word.capitalize() for word in others)


def same_name(one, other):
    """Are these the same name but for the style?"""
    return split_words(one) == split_words(other)
''',
        wrong="(not before.isupper() and after.islower())",
        right="(not before.isupper() or after.islower())",
        visible="""
def test_camel_to_snake():
    assert snake_case("someLongName") == "some_long_name"


def test_abbreviation_first():
    assert snake_case("HTTPServer") == "http_server"


def test_snake_to_others():
    assert pascal_case("my_name") == "MyName"
    assert camel_case("my_name") == "myName"


def test_digits():
    assert kebab_case("version2Name") == "version2-name"


def test_same_name():
    assert same_name("max-size", "MaxSize")
    assert not same_name("maxsize", "MaxSize")
""",
        hidden="""
def test_abbreviation_last():
    assert snake_case("userID") == "user_id"


def test_abbreviation_inside():
    assert snake_case("parseXMLFile") == "parse_xml_file"


def test_single_capital_last():
    assert kebab_case("planB") == "plan-b"


def test_single_letter_words():
    assert split_words("getAValue") == ["get", "a", "value"]


def test_only_capitals():
    assert snake_case("HTML") == "html"
    assert snake_case("MAX_SIZE") == "max_size"


def test_mixed():
    assert snake_case("my_Name-Here") == "my_name_here"


def test_empty():
    assert camel_case("") == ""
    assert split_words("__") == []
""",
    ),
    Program(
        name="wildcard_match",
        code=r'''
"""Matching of names against patterns with wildcards."""


def matches(pattern, text):
    """Does the whole text match the pattern?

    In the pattern, ? stands for any one character and * for any number of
    characters, also none.
    """
    p = t = 0
    star = mark = None
    while t < len(text):
        if p < len(pattern) and pattern[p] == "*":
            star, mark = p, t
            p += 1
        elif p < len(pattern) and pattern[p] in ("?", text[t]):
            p += 1
            t += 1
        elif star is not None:
            mark += 1
            p, t = star + 1, mark
        else:
            return False
    if p < len(pattern) and pattern[p] == "*":
        p += 1
    return p == len(pattern)


def select(names, include=("*",), exclude=()):
    """The names that match a pattern of `include` and none of `exclude`."""
    return [
        name
        for name in names
        if any(matches(pattern, name) for pattern in include)
        and not any(matches(pattern, name) for pattern in exclude)
    ]


def first_match(rules, name, default=None):
    """The value of the first of the (pattern, value) rules that matches."""
    for pattern, value in rules:
        if matches(pattern, name):
            return value
    return default
''',
        wrong='    if p < len(pattern) and pattern[p] == "*":\n        p += 1\n    return',
        right='    while p < len(pattern) and pattern[p] == "*":\n        p += 1\n    return',
        visible="""
def test_literal():
    assert matches("abc", "abc")
    assert not matches("abc", "abcd")
    assert not matches("abcd", "abc")


def test_star():
    assert matches("*.py", "setup.py")
    assert matches("a*", "a")
    assert not matches("*.py", "setup.pyc")


def test_backs_up():
    assert matches("*aab", "aaaab")
    assert matches("a*b*c", "abxbxc")


def test_stars_in_a_row():
    assert matches("a**b", "ab")
    assert matches("ab**", "ab")


def test_select():
    assert select(["a.py", "b.txt", "ab.py"], ["*.py"], ["a?.*"]) == ["a.py"]
""",
        hidden="""
def test_three_stars_at_the_end():
    assert matches("x***", "x")
    assert matches("x***", "xyz")


def test_only_stars_and_nothing():
    assert matches("**", "")
    assert matches("*", "")
    assert matches("", "")


def test_question_mark_needs_a_character():
    assert not matches("a?", "a")
    assert not matches("a*?", "a")
    assert matches("a*?", "ab")


def test_stars_at_both_ends():
    assert matches("**mid**", "mid")
    assert matches("**mid**", "a mid b")


def test_star_then_letter_at_the_end():
    assert not matches("a**b", "a")
    assert not matches("a*b*", "ac")


def test_rules():
    rules = [("*.tmp", 1), ("log**", 2)]
    assert first_match(rules, "log") == 2
    assert first_match(rules, "x.tmp") == 1
    assert first_match(rules, "x", 0) == 0
""",
    ),
    Program(
        name="margin_text",
        code=r'''
"""Margins of blocks of text."""


def margin_of(text):
    """How many blanks all lines of the text begin with.

    Lines that are blank have no say. The margin of a text with only such
    lines is 0.
    """
    widths = [len(line) - len(line.lstrip(" ")) for line in text.split("\n") if line]
    return min(widths, default=0)


def dedent(text):
    """The text without the margin common to its lines.

    Blank lines become empty.
    """
    margin = margin_of(text)
    return "\n".join(line[margin:] if line.strip() else "" for line in text.split("\n"))


def indent(text, width):
    """The text with `width` more blanks before each line that isn't blank."""
    return "\n".join(
        " " * width + line if line.strip() else "" for line in text.split("\n")
    )


def reindent(text, width):
    """The text with its margin made `width` wide."""
    return indent(dedent(text), width)


def trim(text):
    """Dedented text without blank lines at its start and end."""
    lines = dedent(text).split("\n")
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)
''',
        wrong='for line in text.split("\\n") if line]',
        right='for line in text.split("\\n") if line.strip()]',
        visible="""
def test_dedent():
    assert dedent("    a\\n      b\\n    c") == "a\\n  b\\nc"


def test_empty_line():
    assert dedent("  a\\n\\n  b") == "a\\n\\nb"


def test_blank_line():
    assert dedent("    a\\n  \\n    b") == "a\\n\\nb"


def test_trim():
    assert trim("\\n    one\\n      two\\n  ") == "one\\n  two"


def test_indent():
    assert indent("a\\n\\nb", 2) == "  a\\n\\n  b"
""",
        hidden="""
def test_margin_with_short_blank_line():
    assert margin_of("   a\\n \\n    b") == 3


def test_margin_of_blank_text():
    assert margin_of("   ") == 0
    assert margin_of("") == 0
    assert margin_of("  \\n    ") == 0


def test_long_blank_line():
    assert dedent("  a\\n        \\n  b") == "a\\n\\nb"


def test_reindent():
    assert reindent("      x\\n  \\n        y", 1) == " x\\n\\n   y"


def test_last_line_of_docstring():
    assert trim("\\n        First.\\n\\n        Second.\\n    ") == "First.\\n\\nSecond."


def test_no_margin():
    assert dedent("a\\n  b") == "a\\n  b"
""",
    ),
    Program(
        name="repository_url",
        code=r'''
"""Addresses of repositories in their different spellings."""

import re

_SCP = re.compile(r"(?:[\w.-]+@)?([\w.-]+):(?!//)(.+)")
_URL = re.compile(r"\w+://(?:[^@/]+@)?([^/:]+)(?::\d+)?/(.+)")


def parse(address):
    """The (host, owner, name) of the repository.

    Understands git@host:owner/name.git and scheme://host/owner/name.git;
    the user, a port, the ending .git and a slash at the end may be there or
    not. The host becomes lower case. ValueError for anything else.
    """
    match = _URL.fullmatch(address) or _SCP.fullmatch(address)
    if not match:
        raise ValueError(f"not an address: {address}")
    host, path = match.groups()
    parts = path.strip("/").rstrip(".git").split("/")
    if len(parts) != 2 or not all(parts):
        raise ValueError(f"not a repository: {address}")
    return host.lower(), parts[0], parts[1]


def web_page(address):
    """The address of the repository's page."""
    return "https://{}/{}/{}".format(*parse(address))


def same_repository(one, other):
    """Do both addresses mean the same repository?"""
    return parse(one) == parse(other)


def folder(address, base="src"):
    """Where to keep a copy of the repository."""
    return "/".join([base, *parse(address)])
''',
        wrong='.rstrip(".git")',
        right='.removesuffix(".git")',
        visible="""
def test_scp_style():
    assert parse("git@Example.org:ann/tools.git") == ("example.org", "ann", "tools")


def test_url_style():
    assert parse("https://example.org/ann/tools") == ("example.org", "ann", "tools")
    assert parse("ssh://git@example.org:22/ann/tools.git/") == ("example.org", "ann", "tools")


def test_name_with_other_ending():
    assert web_page("https://example.org/bob/widget.git") == "https://example.org/bob/widget"


def test_same():
    assert same_repository("git@h.org:a/b.git", "https://h.org/a/b/")


def test_not_an_address():
    with pytest.raises(ValueError):
        parse("tools")
    with pytest.raises(ValueError):
        parse("https://example.org/tools.git")
""",
        hidden="""
def test_name_without_ending():
    assert parse("https://h.org/ann/digit") == ("h.org", "ann", "digit")


def test_name_ends_in_git():
    assert parse("git@h.org:ann/legit.git") == ("h.org", "ann", "legit")
    assert parse("git@h.org:ann/git") == ("h.org", "ann", "git")


def test_name_ends_in_g():
    assert folder("https://h.org/ann/blog.git") == "src/h.org/ann/blog"


def test_different():
    assert not same_repository("git@h.org:a/plot.git", "git@h.org:a/plo.git")


def test_dots_in_name():
    assert parse("git@h.org:a/site.io.git") == ("h.org", "a", "site.io")


def test_user_and_port():
    assert parse("https://me@h.org:8443/a/b") == ("h.org", "a", "b")


def test_too_deep():
    with pytest.raises(ValueError):
        parse("git@h.org:a/b/c.git")
""",
    ),
    # ---- arithmetic
    Program(
        name="mixed_fraction",
        code=r'''
"""Fractions written as mixed numbers."""

from math import gcd


class Mixed:
    """An exact fraction in lowest terms that is shown as a mixed number."""

    def __init__(self, numerator, denominator=1):
        if denominator == 0:
            raise ZeroDivisionError("denominator is zero")
        if denominator < 0:
            numerator, denominator = -numerator, -denominator
        divisor = gcd(numerator, denominator)
        self.numerator = numerator // divisor
        self.denominator = denominator // divisor

    @classmethod
    def parse(cls, text):
        """The number written as "3", "1/2" or "3 1/2", maybe with a minus.

        The minus holds for the whole number: "-3 1/2" is -7/2.
        """
        digits = text.strip()
        sign = -1 if digits.startswith("-") else 1
        total = cls(0)
        for part in digits.lstrip("-").split():
            numerator, _, denominator = part.partition("/")
            total += cls(int(numerator), int(denominator or 1))
        return cls(sign * total.numerator, total.denominator)

    def __add__(self, other):
        return Mixed(
            self.numerator * other.denominator + other.numerator * self.denominator,
            self.denominator * other.denominator,
        )

    def __mul__(self, other):
        return Mixed(self.numerator * other.numerator, self.denominator * other.denominator)

    def __eq__(self, other):
        return (self.numerator, self.denominator) == (other.numerator, other.denominator)

    def __hash__(self):
        return hash((self.numerator, self.denominator))

    def __str__(self):
        """What `parse` reads; a whole number or a proper fraction stands alone."""
        sign = "-" if self.numerator < 0 else ""
        whole, rest = divmod(self.numerator, self.denominator)
        parts = [str(abs(whole))] if whole or not rest else []
        if rest:
            parts.append(f"{rest}/{self.denominator}")
        return sign + " ".join(parts)
''',
        wrong="whole, rest = divmod(self.numerator, self.denominator)",
        right="whole, rest = divmod(abs(self.numerator), self.denominator)",
        visible="""
def test_positive():
    assert str(Mixed(7, 2)) == "3 1/2"
    assert str(Mixed(2, 6)) == "1/3"
    assert str(Mixed(8, 4)) == "2"


def test_negative():
    assert str(Mixed(-7, 2)) == "-3 1/2"


def test_zero():
    assert str(Mixed(0, 5)) == "0"


def test_parse():
    assert Mixed.parse("3 1/2") == Mixed(7, 2)
    assert Mixed.parse("-3 1/2") == Mixed(-7, 2)


def test_sum_and_product():
    assert Mixed(1, 2) + Mixed(1, 3) == Mixed(5, 6)
    assert str(Mixed(3, 2) * Mixed(3, 2)) == "2 1/4"
""",
        hidden="""
def test_small_negative():
    assert str(Mixed(-1, 3)) == "-1/3"
    assert str(Mixed(1, -4)) == "-1/4"


def test_negative_whole():
    assert str(Mixed(-6, 3)) == "-2"


def test_negative_with_thirds():
    assert str(Mixed(-8, 3)) == "-2 2/3"


def test_back_and_forth():
    for numerator in range(-12, 13):
        for denominator in (1, 2, 3, 5):
            number = Mixed(numerator, denominator)
            assert Mixed.parse(str(number)) == number


def test_negative_sum():
    assert str(Mixed.parse("-1 1/2") + Mixed.parse("-2")) == "-3 1/2"


def test_zero_denominator():
    with pytest.raises(ZeroDivisionError):
        Mixed(1, 0)
""",
    ),
    Program(
        name="fair_split",
        code=r'''
"""Sharing out whole units in proportion to weights."""


def split(amount, weights):
    """Share out `amount` whole units in proportion to the weights.

    Everybody first gets the whole units of the exact share. The units left
    over go, one each, to those whose shares were cut the most; among equals
    the earlier comes first. ValueError if the weights don't allow it.
    """
    total = sum(weights)
    if total <= 0 or min(weights) < 0:
        raise ValueError("the weights must be positive")
    shares = [amount * weight // total for weight in weights]
    cut = [amount * weight % total for weight in weights]
    order = sorted(range(len(weights)), key=lambda index: cut[index])
    for index in order[: amount - sum(shares)]:
        shares[index] += 1
    return shares


def split_evenly(amount, people):
    """Share out among so many people; the first ones may get one more."""
    return split(amount, [1] * people)


def seats(votes, count):
    """The seats of each party: the dictionary of votes shared out."""
    return dict(zip(votes, split(count, list(votes.values()))))


def percentages(values):
    """Whole percentages that sum to 100."""
    return split(100, values)


def format_cents(cents):
    """An amount of cents as text with two decimals."""
    sign = "-" if cents < 0 else ""
    return "{}{}.{:02d}".format(sign, *divmod(abs(cents), 100))
''',
        wrong="key=lambda index: cut[index])",
        right="key=lambda index: cut[index], reverse=True)",
        visible="""
def test_exact():
    assert split(10, [1, 4]) == [2, 8]


def test_evenly():
    assert split_evenly(10, 3) == [4, 3, 3]


def test_cut_the_most():
    assert split(10, [50, 33, 17]) == [5, 3, 2]


def test_percentages():
    assert percentages([1, 1, 1]) == [34, 33, 33]
    assert sum(percentages([3, 7, 11, 2])) == 100


def test_format():
    assert format_cents(1205) == "12.05"
    assert format_cents(-5) == "-0.05"
""",
        hidden="""
def test_seats():
    votes = {"a": 470, "b": 160, "c": 158, "d": 120, "e": 61, "f": 31}
    assert seats(votes, 10) == {"a": 5, "b": 2, "c": 1, "d": 1, "e": 1, "f": 0}


def test_weight_zero():
    assert split(7, [0, 1, 1]) == [0, 4, 3]


def test_one_unit():
    assert split(1, [1, 2, 3]) == [0, 0, 1]


def test_sums():
    for amount in range(20):
        assert sum(split(amount, [5, 3, 9])) == amount


def test_two_left_over():
    assert split(5, [6, 9, 10]) == [1, 2, 2]


def test_bad_weights():
    with pytest.raises(ValueError):
        split(3, [0, 0])
    with pytest.raises(ValueError):
        split(3, [2, -1])


def test_more_people_than_units():
    assert split_evenly(2, 4) == [1, 1, 0, 0]
""",
    ),
    Program(
        name="prime_window",
        code=r'''
"""Prime numbers in a window far from zero."""

from math import isqrt


def primes_below(limit):
    """All primes less than `limit`."""
    is_prime = [True] * limit
    for number in range(2, limit):
        if is_prime[number]:
            for multiple in range(number * number, limit, number):
                is_prime[multiple] = False
    return [number for number in range(2, limit) if is_prime[number]]


def primes_between(low, high):
    """All primes from `low` up to, not including, `high`.

    Needs memory only for the window and for the primes up to the root of
    `high`.
    """
    low = max(low, 2)
    if low >= high:
        return []
    is_prime = [True] * (high - low)
    for prime in primes_below(isqrt(high - 1) + 1):
        first = max(prime * prime, low // prime * prime)
        for multiple in range(first, high, prime):
            is_prime[multiple - low] = False
    return [low + index for index, flag in enumerate(is_prime) if flag]


def next_prime(number):
    """The smallest prime greater than `number`."""
    low = number + 1
    while True:
        found = primes_between(low, low + 50)
        if found:
            return found[0]
        low += 50


def twins_between(low, high):
    """The pairs of primes in the window that differ by two."""
    found = primes_between(low, high)
    return [(p, q) for p, q in zip(found, found[1:]) if q - p == 2]
''',
        wrong="low // prime * prime)",
        right="-(-low // prime) * prime)",
        visible="""
def test_below():
    assert primes_below(20) == [2, 3, 5, 7, 11, 13, 17, 19]
    assert primes_below(2) == []


def test_from_start():
    assert primes_between(0, 12) == [2, 3, 5, 7, 11]


def test_window():
    assert primes_between(11, 20) == [11, 13, 17, 19]


def test_hundreds():
    assert primes_between(100, 114) == [101, 103, 107, 109, 113]


def test_next():
    assert next_prime(7) == 11


def test_empty_window():
    assert primes_between(14, 17) == []
    assert primes_between(30, 20) == []
""",
        hidden="""
def test_thousand():
    assert primes_between(1000, 1040) == [1009, 1013, 1019, 1021, 1031, 1033, 1039]


def test_all_windows():
    everything = primes_below(200)
    for low in range(2, 150):
        for high in range(low + 1, 200, 7):
            assert primes_between(low, high) == [p for p in everything if low <= p < high]


def test_twins():
    assert twins_between(100, 152) == [(101, 103), (107, 109), (137, 139), (149, 151)]


def test_next_after_gap():
    assert next_prime(113) == 127
    assert next_prime(1327) == 1361


def test_ends():
    assert primes_between(23, 29) == [23]
    assert primes_between(24, 30) == [29]


def test_square_of_prime():
    assert primes_between(48, 54) == [53]
""",
    ),
    Program(
        name="running_stats",
        code=r'''
"""Mean and variance of a stream of values, without keeping them."""

from math import sqrt


class RunningStats:
    """Statistics of the values added so far."""

    def __init__(self, values=()):
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0
        for value in values:
            self.add(value)

    def add(self, value):
        """Take one more value into account."""
        self.count += 1
        delta = value - self.mean
        self.mean += delta / self.count
        self._squares += delta * (value - self.mean)

    def variance(self):
        """The mean squared distance from the mean; 0 if there's no value."""
        return self._squares / self.count if self.count else 0.0

    def deviation(self):
        """The standard deviation, the root of the variance."""
        return sqrt(self.variance())

    def merge(self, other):
        """The statistics of the values of both."""
        result = RunningStats()
        result.count = self.count + other.count
        if result.count:
            delta = other.mean - self.mean
            weight = self.count * other.count / result.count
            result.mean = self.mean + delta * other.count / result.count
            result._squares = self._squares + other._squares + delta * weight
        return result

    def is_outlier(self, value, factor=3):
        """Is the value more than `factor` deviations from the mean?"""
        return abs(value - self.mean) > factor * self.deviation()
''',
        wrong="other._squares + delta * weight",
        right="other._squares + delta * delta * weight",
        visible="""
def test_mean():
    assert RunningStats([1, 2, 6]).mean == pytest.approx(3)


def test_variance():
    assert RunningStats([2, 4, 4, 4, 5, 5, 7, 9]).variance() == pytest.approx(4)
    assert RunningStats([5]).variance() == 0


def test_merge():
    both = RunningStats([1, 2]).merge(RunningStats([5, 8]))
    assert both.count == 4
    assert both.mean == pytest.approx(4)
    assert both.variance() == pytest.approx(7.5)


def test_empty():
    assert RunningStats().variance() == 0
    assert RunningStats().merge(RunningStats()).count == 0


def test_outlier():
    stats = RunningStats([1, 3])
    assert stats.is_outlier(6)
    assert not stats.is_outlier(4)
""",
        hidden="""
def same(one, other):
    assert one.count == other.count
    assert one.mean == pytest.approx(other.mean)
    assert one.variance() == pytest.approx(other.variance())


def test_merge_single_values():
    same(RunningStats([10]).merge(RunningStats([4])), RunningStats([10, 4]))


def test_merge_is_like_adding_all():
    first, second = [1.5, -2, 8, 3], [100, 90.5, 7]
    same(RunningStats(first).merge(RunningStats(second)), RunningStats(first + second))
    same(RunningStats(second).merge(RunningStats(first)), RunningStats(first + second))


def test_merge_with_empty():
    stats = RunningStats([4, 6, 11])
    same(stats.merge(RunningStats()), stats)
    same(RunningStats().merge(stats), stats)


def test_merge_equal_means():
    same(RunningStats([1, 3]).merge(RunningStats([0, 4])), RunningStats([0, 1, 3, 4]))


def test_merge_three():
    merged = RunningStats([1, 2]).merge(RunningStats([9])).merge(RunningStats([20, 30]))
    same(merged, RunningStats([1, 2, 9, 20, 30]))


def test_merge_keeps_parts():
    first = RunningStats([1, 2, 3])
    first.merge(RunningStats([50]))
    same(first, RunningStats([1, 2, 3]))


def test_deviation():
    assert RunningStats([0, 6]).deviation() == pytest.approx(3)
""",
    ),
    Program(
        name="sheet_columns",
        code=r'''
"""Names of the cells in a spreadsheet."""

import re
from string import ascii_uppercase


def column_name(number):
    """The letters of a column: 1 is A, 26 is Z, 27 is AA and so on."""
    if number < 1:
        raise ValueError("columns are counted from 1")
    letters = ""
    while number:
        letters = ascii_uppercase[(number - 1) % 26] + letters
        number = number // 26
    return letters


def column_number(letters):
    """The number of the column with these letters."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ascii_uppercase.index(letter) + 1
    return number


def parse_cell(cell):
    """The (column, row) of a cell like B7, both counted from 1."""
    match = re.fullmatch(r"([A-Za-z]+)([1-9]\d*)", cell)
    if not match:
        raise ValueError(f"not a cell: {cell}")
    return column_number(match.group(1)), int(match.group(2))


def cell_name(column, row):
    """The name of the cell in a column and row."""
    return f"{column_name(column)}{row}"


def move(cell, columns=0, rows=0):
    """The name of the cell so many columns right and rows down."""
    column, row = parse_cell(cell)
    return cell_name(column + columns, row + rows)


def cells(first, last):
    """The names of all cells in the rectangle, row by row."""
    (left, top), (right, bottom) = parse_cell(first), parse_cell(last)
    return [
        cell_name(column, row)
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
    ]
''',
        wrong="        number = number // 26",
        right="        number = (number - 1) // 26",
        visible="""
def test_single_letters():
    assert column_name(1) == "A"
    assert column_name(25) == "Y"


def test_two_letters():
    assert column_name(27) == "AA"
    assert column_name(55) == "BC"


def test_last_single_letter():
    assert column_name(26) == "Z"


def test_numbers():
    assert column_number("Z") == 26
    assert column_number("aa") == 27


def test_cells():
    assert cells("B2", "C3") == ["B2", "C2", "B3", "C3"]


def test_not_a_cell():
    with pytest.raises(ValueError):
        parse_cell("7B")
    with pytest.raises(ValueError):
        column_name(0)
""",
        hidden="""
def test_ends_of_rounds():
    assert column_name(52) == "AZ"
    assert column_name(53) == "BA"
    assert column_name(702) == "ZZ"
    assert column_name(703) == "AAA"


def test_back_and_forth():
    for number in range(1, 2000):
        assert column_number(column_name(number)) == number


def test_move_to_z():
    assert move("Y3", columns=1) == "Z3"
    assert move("AA3", columns=-1, rows=2) == "Z5"


def test_move_over_z():
    assert move("Z9", columns=1) == "AA9"


def test_rectangle():
    assert cells("Y1", "AA1") == ["Y1", "Z1", "AA1"]


def test_parse():
    assert parse_cell("AB12") == (28, 12)
""",
    ),
    Program(
        name="polynomials",
        code=r'''
"""Polynomials as tuples of coefficients, that of the lowest power first."""


def trimmed(coefficients):
    """The tuple without zeros at its end; the zero polynomial is ()."""
    coefficients = list(coefficients)
    while coefficients and coefficients[-1] == 0:
        coefficients.pop()
    return tuple(coefficients)


def value(polynomial, x):
    """The value of the polynomial at x."""
    result = 0
    for coefficient in reversed(polynomial):
        result = result * x + coefficient
    return result


def add(first, second):
    """The sum of two polynomials."""
    length = max(len(first), len(second))
    pairs = zip(_padded(first, length), _padded(second, length))
    return trimmed(a + b for a, b in pairs)


def _padded(polynomial, length):
    return tuple(polynomial) + (0,) * (length - len(polynomial))


def multiply(first, second):
    """The product of two polynomials."""
    result = [0] * (len(first) + len(second))
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            result[i + j] += a * b
    return trimmed(result)


def derivative(polynomial):
    """The derivative of the polynomial."""
    return trimmed(power * c for power, c in enumerate(polynomial[1:]))


def newton_root(polynomial, x, steps=50):
    """A root near x, found by Newton's method."""
    slope = derivative(polynomial)
    for _ in range(steps):
        steepness = value(slope, x)
        if steepness == 0:
            break
        x -= value(polynomial, x) / steepness
    return x
''',
        wrong="enumerate(polynomial[1:]))",
        right="enumerate(polynomial[1:], 1))",
        visible="""
def test_value():
    assert value((1, 2, 3), 2) == 17


def test_add():
    assert add((1, 2), (3, -2)) == (4,)
    assert add((1,), (0, 0, 5)) == (1, 0, 5)


def test_multiply():
    assert multiply((1, 1), (-1, 1)) == (-1, 0, 1)
    assert multiply((), (1, 2)) == ()


def test_derivative():
    assert derivative((5, 3, 4)) == (3, 8)


def test_derivative_of_constant():
    assert derivative((7,)) == ()


def test_root():
    assert newton_root((-2, 0, 1), 1.0) == pytest.approx(2**0.5)
""",
        hidden="""
def test_derivative_of_line():
    assert derivative((1, 6)) == (6,)


def test_derivative_of_cube():
    assert derivative((0, 0, 0, 2)) == (0, 0, 6)


def test_second_derivative():
    assert derivative(derivative((1, 1, 1, 1))) == (2, 6)


def test_product_rule():
    f, g = (1, 2, 3), (4, 0, -1, 2)
    left = derivative(multiply(f, g))
    right = add(multiply(derivative(f), g), multiply(f, derivative(g)))
    assert left == right


def test_zero():
    assert derivative(()) == ()
    assert value((), 3) == 0


def test_cubic_root():
    assert newton_root((-27, 0, 0, 1), 5.0) == pytest.approx(3)
""",
    ),
    Program(
        name="congruences",
        code=r'''
"""Systems of congruences: numbers with given remainders."""

from math import gcd


def combine(first, second):
    """The congruence equivalent to two together, None if they contradict.

    A congruence is a pair (remainder, modulus) with 0 <= remainder <
    modulus: it holds for the numbers that leave the remainder when divided
    by the modulus. The moduli may have common divisors.
    """
    r1, m1 = first
    r2, m2 = second
    divisor = gcd(m1, m2)
    if (r2 - r1) % divisor:
        return None
    reduced = m2 // divisor
    times = (r2 - r1) // divisor * pow(m1 // divisor, -1, reduced) % reduced
    modulus = m1 * m2
    return (r1 + m1 * times) % modulus, modulus


def solve(congruences):
    """The congruence equivalent to all of them, None if they contradict."""
    result = 0, 1
    for congruence in congruences:
        result = combine(result, congruence)
        if result is None:
            return None
    return result


def solutions(congruences, low, high):
    """The numbers from `low` up to `high` (excluded) that obey them all."""
    solved = solve(congruences)
    if solved is None:
        return []
    remainder, modulus = solved
    first = low + (remainder - low) % modulus
    return list(range(first, high, modulus))


def meeting_day(last_days, intervals):
    """The first day from 0 on when all periodic events happen, or None.

    Every event happens on its day in `last_days` and each `interval` days
    before and after it.
    """
    pairs = [(day % step, step) for day, step in zip(last_days, intervals)]
    solved = solve(pairs)
    return None if solved is None else solved[0]
''',
        wrong="    modulus = m1 * m2\n",
        right="    modulus = m1 * reduced\n",
        visible="""
def test_coprime():
    assert solve([(2, 3), (3, 5), (2, 7)]) == (23, 105)


def test_contradiction():
    assert solve([(1, 4), (2, 6)]) is None


def test_common_divisor():
    assert combine((1, 4), (3, 6)) == (9, 12)


def test_solutions():
    assert solutions([(1, 2), (2, 3)], 0, 20) == [5, 11, 17]


def test_no_congruence():
    assert solve([]) == (0, 1)


def test_meeting():
    assert meeting_day([2, 5], [3, 4]) == 5
""",
        hidden="""
def test_same_modulus():
    assert combine((3, 5), (3, 5)) == (3, 5)


def test_one_divides_the_other():
    assert combine((1, 3), (4, 9)) == (4, 9)
    assert combine((4, 9), (1, 3)) == (4, 9)


def test_solutions_with_common_divisor():
    assert solutions([(2, 4), (0, 6)], 0, 40) == [6, 18, 30]


def test_negative_window():
    assert solutions([(1, 4), (1, 6)], -24, 14) == [-23, -11, 1, 13]


def test_three_with_common_divisors():
    assert solve([(3, 4), (5, 6), (7, 8)]) == (23, 24)


def test_against_search():
    for a in range(6):
        for b in range(10):
            expected = [n for n in range(60) if n % 6 == a and n % 10 == b]
            assert solutions([(a, 6), (b, 10)], 0, 60) == expected


def test_meeting_never():
    assert meeting_day([0, 1], [2, 4]) is None
""",
    ),
    # ---- graphs
    Program(
        name="critical_path",
        code=r'''
"""Planning of a project whose tasks depend on each other."""

from graphlib import TopologicalSorter


class Plan:
    """A dictionary of tasks: name -> (duration, names of the tasks before).

    Every task starts as soon as all tasks before it are finished.
    """

    def __init__(self, tasks):
        self._tasks = tasks
        sorter = TopologicalSorter({name: before for name, (_, before) in tasks.items()})
        self._order = list(sorter.static_order())
        self.finish = {}
        for name in self._order:
            duration, before = tasks[name]
            start = max((self.finish[other] for other in before), default=0)
            self.finish[name] = start + duration

    def length(self):
        """When the whole project is finished."""
        return max(self.finish.values(), default=0)

    def start(self, name):
        """When a task starts."""
        return self.finish[name] - self._tasks[name][0]

    def _latest_finish(self):
        """When each task must be finished, for the project not to be late."""
        latest = {}
        for name in reversed(self._order):
            limits = [
                latest[after] - duration
                for after, (duration, before) in self._tasks.items()
                if name in before
            ]
            latest[name] = min(limits, default=self.finish[name])
        return latest

    def slack(self):
        """For each task, how late it may be without delaying the project."""
        latest = self._latest_finish()
        return {name: latest[name] - self.finish[name] for name in self._tasks}

    def critical(self):
        """The tasks without slack, ordered by their start."""
        tight = [name for name, slack in self.slack().items() if slack == 0]
        return sorted(tight, key=lambda name: (self.start(name), self.finish[name]))
''',
        wrong="latest[name] = min(limits, default=self.finish[name])",
        right="latest[name] = min(limits, default=self.length())",
        visible="""
def plan():
    return Plan({
        "design": (3, []),
        "build": (5, ["design"]),
        "docs": (2, ["design"]),
        "ship": (1, ["build", "docs"]),
    })


def test_times():
    assert plan().length() == 9
    assert plan().start("docs") == 3


def test_slack():
    assert plan().slack() == {"design": 0, "build": 0, "docs": 3, "ship": 0}


def test_critical():
    assert plan().critical() == ["design", "build", "ship"]


def test_two_ends():
    plan = Plan({"a": (2, []), "b": (6, []), "c": (1, ["a"])})
    assert plan.slack() == {"a": 3, "b": 0, "c": 3}
""",
        hidden="""
def test_unconnected():
    plan = Plan({"x": (4, []), "y": (1, [])})
    assert plan.slack() == {"x": 0, "y": 3}
    assert plan.critical() == ["x"]


def test_side_branch():
    plan = Plan({"a": (1, []), "b": (5, ["a"]), "c": (2, ["a"]), "d": (1, ["c"])})
    assert plan.critical() == ["a", "b"]
    assert plan.slack()["d"] == 2
    assert plan.slack()["c"] == 2


def test_single():
    plan = Plan({"only": (3, [])})
    assert plan.slack() == {"only": 0}


def test_equal_ends():
    plan = Plan({"a": (1, []), "b": (2, ["a"]), "c": (2, ["a"])})
    assert plan.slack() == {"a": 0, "b": 0, "c": 0}


def test_chain():
    plan = Plan({"c": (3, ["b"]), "b": (2, ["a"]), "a": (1, [])})
    assert plan.critical() == ["a", "b", "c"]
    assert plan.start("c") == 3


def test_empty():
    assert Plan({}).length() == 0
    assert Plan({}).critical() == []
""",
    ),
    Program(
        name="road_map",
        code=r'''
"""Shortest ways on a map of roads."""

from heapq import heappop, heappush


class RoadMap:
    """Places joined by roads of known length, usable in both directions."""

    def __init__(self):
        self._roads = {}

    def add_road(self, one, other, length):
        """Join two places; of parallel roads all are kept."""
        self._roads.setdefault(one, []).append((other, length))
        self._roads.setdefault(other, []).append((one, length))

    def _search(self, start):
        """Distances from `start`, and for each place the one before it."""
        distance = {start: 0}
        before = {}
        queue = [(0, start)]
        done = set()
        while queue:
            _, place = heappop(queue)
            if place in done:
                continue
            done.add(place)
            for neighbour, length in self._roads.get(place, ()):
                total = distance[place] + length
                if neighbour not in distance or total < distance[neighbour]:
                    distance[neighbour] = total
                    before[neighbour] = place
                    heappush(queue, (length, neighbour))
        return distance, before

    def distance(self, start, goal):
        """The length of the shortest way, None if there isn't any."""
        return self._search(start)[0].get(goal)

    def way(self, start, goal):
        """The places on the shortest way, None if there isn't any."""
        distance, before = self._search(start)
        if goal not in distance:
            return None
        places = [goal]
        while places[-1] != start:
            places.append(before[places[-1]])
        return places[::-1]

    def within(self, start, limit):
        """The sorted places no farther from `start` than `limit`."""
        found = self._search(start)[0]
        return sorted(place for place, length in found.items() if length <= limit)
''',
        wrong="heappush(queue, (length, neighbour))",
        right="heappush(queue, (total, neighbour))",
        visible="""
def build(*roads):
    result = RoadMap()
    for one, other, length in roads:
        result.add_road(one, other, length)
    return result


def test_chain():
    roads = build(("a", "b", 2), ("b", "c", 3))
    assert roads.distance("a", "c") == 5
    assert roads.way("c", "a") == ["c", "b", "a"]


def test_detour_is_shorter():
    roads = build(("a", "c", 9), ("a", "b", 2), ("b", "c", 3))
    assert roads.way("a", "c") == ["a", "b", "c"]


def test_long_way_of_short_roads():
    roads = build(
        ("a", "b", 4), ("b", "c", 1), ("c", "d", 1), ("a", "d", 5), ("d", "e", 1), ("e", "f", 1)
    )
    assert roads.distance("a", "f") == 7


def test_short_roads_late():
    roads = build(("s", "x", 6), ("s", "p", 5), ("p", "q", 4), ("q", "x", 1), ("x", "t", 5), ("q", "t", 3))
    assert roads.distance("s", "t") == 10


def test_unreachable():
    roads = build(("a", "b", 1), ("x", "y", 1))
    assert roads.distance("a", "y") is None
    assert roads.way("a", "x") is None


def test_within():
    roads = build(("a", "b", 2), ("b", "c", 3), ("a", "d", 6))
    assert roads.within("a", 5) == ["a", "b", "c"]
""",
        hidden="""
def build(*roads):
    result = RoadMap()
    for one, other, length in roads:
        result.add_road(one, other, length)
    return result


def test_direct_road_longer_last():
    roads = build(("s", "a", 3), ("a", "b", 1), ("b", "c", 1), ("s", "c", 4), ("c", "d", 2))
    assert roads.distance("s", "d") == 6
    assert roads.way("s", "d") == ["s", "c", "d"]


def test_against_all_pairs():
    import random

    rng = random.Random(5)
    for _ in range(30):
        size = 8
        edges = [(rng.randrange(size), rng.randrange(size), rng.randint(1, 20)) for _ in range(16)]
        roads = build(*edges)
        best = {(i, j): 0 if i == j else 10**9 for i in range(size) for j in range(size)}
        for i, j, length in edges:
            best[i, j] = best[j, i] = min(best[i, j], length)
        for k in range(size):
            for i in range(size):
                for j in range(size):
                    best[i, j] = min(best[i, j], best[i, k] + best[k, j])
        for (i, j), length in best.items():
            assert roads.distance(i, j) == (length if length < 10**9 else None)


def test_parallel_roads():
    roads = build(("a", "b", 5), ("a", "b", 2))
    assert roads.distance("b", "a") == 2


def test_to_itself():
    assert RoadMap().distance("a", "a") == 0
    assert RoadMap().way("a", "a") == ["a"]


def test_within_zero():
    assert build(("a", "b", 1)).within("a", 0) == ["a"]
""",
    ),
    Program(
        name="cut_points",
        code=r'''
"""Weak spots of networks: links and stations that must not fail."""


class Network:
    """Stations with links in both directions, at most one between any two."""

    def __init__(self, links=()):
        self._near = {}
        for one, other in links:
            self._near.setdefault(one, set()).add(other)
            self._near.setdefault(other, set()).add(one)

    def weak_spots(self):
        """The (stations, links) whose failure would cut a part off.

        Both are sorted lists; a link is the sorted pair of its ends.
        """
        order, low = {}, {}
        stations, links = set(), set()

        def visit(station, parent):
            order[station] = low[station] = len(order)
            children = 0
            for near in self._near[station]:
                if near == parent:
                    continue
                if near in order:
                    low[station] = min(low[station], order[near])
                    continue
                children += 1
                visit(near, station)
                low[station] = min(low[station], low[near])
                if parent is not None and low[near] > order[station]:
                    stations.add(station)
                if low[near] > order[station]:
                    links.add(tuple(sorted((station, near))))
            if parent is None and children > 1:
                stations.add(station)

        for station in self._near:
            if station not in order:
                visit(station, None)
        return sorted(stations), sorted(links)

    def weak_stations(self):
        """The stations whose failure would cut a part off, sorted."""
        return self.weak_spots()[0]

    def weak_links(self):
        """The links whose failure would cut a part off, sorted."""
        return self.weak_spots()[1]

    def is_robust(self):
        """Can any one station or link fail without cutting a part off?"""
        return self.weak_spots() == ([], [])
''',
        wrong="if parent is not None and low[near] > order[station]:",
        right="if parent is not None and low[near] >= order[station]:",
        visible="""
def test_ring():
    assert Network(["ab", "bc", "ca"]).is_robust()


def test_chain():
    network = Network(["ab", "bc", "cd"])
    assert network.weak_stations() == ["b", "c"]
    assert network.weak_links() == [("a", "b"), ("b", "c"), ("c", "d")]


def test_two_rings_with_common_station():
    network = Network(["ab", "bc", "ca", "cd", "de", "ec"])
    assert network.weak_stations() == ["c"]
    assert network.weak_links() == []


def test_two_rings_with_link():
    network = Network(["ab", "bc", "ca", "cx", "xy", "yz", "zx"])
    assert network.weak_links() == [("c", "x")]


def test_single_link():
    assert Network(["ab"]).weak_spots() == ([], [("a", "b")])
""",
        hidden="""
def test_three_rings_in_a_row():
    network = Network([(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 3), (5, 6), (6, 7), (7, 5)])
    assert network.weak_stations() == [3, 5]


def test_squares_with_common_corner():
    links = [(1, 2), (2, 3), (3, 4), (4, 1), (3, 5), (5, 6), (6, 7), (7, 3)]
    assert Network(links).weak_spots() == ([3], [])
    assert not Network(links).is_robust()


def test_ring_with_tail():
    network = Network(["ab", "bc", "ca", "cd"])
    assert network.weak_spots() == (["c"], [("c", "d")])


def test_star():
    network = Network(["ma", "mb", "mc"])
    assert network.weak_stations() == ["m"]


def test_two_parts():
    network = Network([(1, 2), (2, 3), (7, 8), (8, 9), (9, 7)])
    assert network.weak_spots() == ([2], [(1, 2), (2, 3)])


def test_empty():
    assert Network().is_robust()


def test_complete():
    assert Network(["ab", "ac", "ad", "bc", "bd", "cd"]).is_robust()


def test_common_station_by_any_start():
    for start in range(5):
        names = [(number + start) % 5 for number in range(5)]
        a, b, c, d, e = names
        network = Network([(a, b), (b, c), (c, a), (c, d), (d, e), (e, c)])
        assert network.weak_stations() == [c]
""",
    ),
    Program(
        name="grid_routes",
        code=r'''
"""Ways on a map drawn with characters: # is a wall, the rest is free."""

from collections import deque

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


class Grid:
    """A map given as text, one line per row; cells are (row, column)."""

    def __init__(self, text):
        self.rows = text.strip().split()

    def find(self, mark):
        """All cells with this character, row by row."""
        return [
            (r, c) for r, row in enumerate(self.rows) for c, char in enumerate(row) if char == mark
        ]

    def neighbours(self, cell):
        """The free cells above, to the right, below and to the left."""
        for dr, dc in STEPS:
            r, c = cell[0] + dr, cell[1] + dc
            if 0 <= r < len(self.rows) and 0 <= c < len(self.rows[r]) and self.rows[r][c] != "#":
                yield r, c

    def distances(self, sources):
        """How many steps it is from each cell to the nearest of the sources.

        A dictionary of all cells from which one can be reached.
        """
        steps = {cell: 0 for cell in sources}
        waiting = deque(steps)
        while waiting:
            cell = waiting.pop()
            for near in self.neighbours(cell):
                if near not in steps:
                    steps[near] = steps[cell] + 1
                    waiting.append(near)
        return steps

    def steps_between(self, start, goal):
        """The least number of steps from one mark to another, or None."""
        reached = self.distances(self.find(start))
        return min((reached[cell] for cell in self.find(goal) if cell in reached), default=None)

    def farthest(self, mark):
        """The cells that are farthest from all cells with the mark, sorted."""
        reached = self.distances(self.find(mark))
        most = max(reached.values(), default=0)
        return sorted(cell for cell, count in reached.items() if count == most)
''',
        wrong="            cell = waiting.pop()\n",
        right="            cell = waiting.popleft()\n",
        visible="""
def test_corridor():
    assert Grid("S..G").steps_between("S", "G") == 3


def test_walls():
    assert Grid("S#.\\n.#G\\n...").steps_between("S", "G") == 5


def test_closed():
    assert Grid("S#G").steps_between("S", "G") is None


def test_open_field():
    assert Grid("S..\\n...\\n..G").steps_between("S", "G") == 4
    assert Grid("S..\\n...\\n...").distances([(0, 0)])[0, 1] == 1


def test_two_sources():
    assert Grid("A...A").distances([(0, 0), (0, 4)])[0, 1] == 1


def test_find():
    assert Grid("x.\\n.x").find("x") == [(0, 0), (1, 1)]
""",
        hidden="""
def test_all_distances_in_the_open():
    grid = Grid("\\n".join(["....."] * 4))
    for sr in range(4):
        for sc in range(5):
            steps = grid.distances([(sr, sc)])
            assert steps == {(r, c): abs(r - sr) + abs(c - sc) for r in range(4) for c in range(5)}


def test_ring_both_ways():
    assert Grid("S...\\n.##.\\n.##.\\nG...").steps_between("S", "G") == 3
    assert Grid("S..G\\n.##.\\n.##.\\n....").steps_between("S", "G") == 3


def test_nearest_goal():
    assert Grid("G....S..G").steps_between("S", "G") == 3


def test_farthest():
    assert Grid("X..\\n...\\n...").farthest("X") == [(2, 2)]


def test_farthest_of_two():
    assert Grid("X...X").farthest("X") == [(0, 2)]


def test_no_mark():
    assert Grid("...").steps_between("S", "G") is None
    assert Grid("...").farthest("S") == []
""",
    ),
    Program(
        name="import_graph",
        code=r'''
"""Who imports whom: circles and load orders of modules."""


class ImportGraph:
    """Modules and the modules they import, as a dictionary of lists.

    Modules that are not keys of the dictionary import nothing.
    """

    def __init__(self, imports):
        self._imports = imports

    def is_circular(self):
        """Does any module import itself, directly or by way of others?"""
        seen, active = set(), set()

        def search(module):
            seen.add(module)
            active.add(module)
            for other in self._imports.get(module, ()):
                if other in seen:
                    return True
                if search(other):
                    return True
            active.remove(module)
            return False

        return any(search(module) for module in self._imports if module not in seen)

    def load_order(self):
        """All modules, each after those it imports; ValueError if circular."""
        if self.is_circular():
            raise ValueError("circular imports")
        order = []

        def load(module):
            if module in order:
                return
            for other in self._imports.get(module, ()):
                load(other)
            order.append(module)

        for module in self._imports:
            load(module)
        return order

    def needed_by(self, module):
        """The set of all modules that load when this one is imported."""
        needed, todo = set(), [module]
        while todo:
            for other in self._imports.get(todo.pop(), ()):
                if other not in needed:
                    needed.add(other)
                    todo.append(other)
        return needed
''',
        wrong="""                if other in seen:
                    return True
                if search(other):""",
        right="""                if other in active:
                    return True
                if search(other):""",
        visible="""
def test_chain():
    graph = ImportGraph({"a": ["b"], "b": ["c"]})
    assert not graph.is_circular()
    assert graph.load_order() == ["c", "b", "a"]


def test_circle():
    assert ImportGraph({"a": ["b"], "b": ["c"], "c": ["b"]}).is_circular()
    assert ImportGraph({"a": ["a"]}).is_circular()


def test_common_import():
    graph = ImportGraph({"app": ["db", "web"], "db": ["log"], "web": ["log"]})
    assert graph.load_order() == ["log", "db", "web", "app"]


def test_circular_has_no_order():
    with pytest.raises(ValueError):
        ImportGraph({"x": ["y"], "y": ["x"]}).load_order()


def test_needed():
    graph = ImportGraph({"a": ["b"], "b": ["c"], "d": ["e"]})
    assert graph.needed_by("a") == {"b", "c"}
""",
        hidden="""
def test_two_roots_share():
    assert not ImportGraph({"a": ["c"], "b": ["c"]}).is_circular()


def test_short_cut():
    graph = ImportGraph({"a": ["b", "c"], "b": ["c"]})
    assert not graph.is_circular()
    assert graph.load_order() == ["c", "b", "a"]


def test_imported_module_listed_first():
    assert ImportGraph({"low": [], "high": ["low"]}).load_order() == ["low", "high"]


def test_circle_behind_diamond():
    imports = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": ["e"], "e": ["d"]}
    assert ImportGraph(imports).is_circular()


def test_circle_found_after_checked_part():
    imports = {"a": ["b"], "c": ["b", "d"], "d": ["c"]}
    assert ImportGraph(imports).is_circular()


def test_separate_chains():
    assert not ImportGraph({"a": ["b"], "x": ["y"]}).is_circular()


def test_empty():
    assert ImportGraph({}).load_order() == []
""",
    ),
    Program(
        name="reachability",
        code=r'''
"""Which places of a one-way network can be reached from which."""

from itertools import product


def closure(edges):
    """All pairs (start, end) with a way of one or more edges between them.

    The edges are pairs, too, and lead in one direction only.
    """
    edges = set(edges)
    nodes = sorted({node for edge in edges for node in edge})
    reach = set(edges)
    for start, end, middle in product(nodes, repeat=3):
        if (start, middle) in reach and (middle, end) in reach:
            reach.add((start, end))
    return reach


def cyclic_nodes(edges):
    """The sorted nodes from which there is a way back to themselves."""
    return sorted(start for start, end in closure(edges) if start == end)


def mutual_groups(edges):
    """The sorted groups of nodes that can all be reached from each other.

    Nodes that no other node shares its group with are left out.
    """
    reach = closure(edges)
    groups = set()
    for start, end in reach:
        if start != end and (end, start) in reach:
            partners = {b for a, b in reach if a == start and (b, a) in reach}
            groups.add(tuple(sorted(partners | {start})))
    return sorted(groups)


def needless(edges):
    """The sorted edges (of an acyclic network) that a longer way replaces."""
    edges = set(edges)
    reach = closure(edges)
    return sorted(
        (start, end)
        for start, end in edges
        if any((start, middle) in edges and (middle, end) in reach for _, middle in edges)
    )
''',
        wrong="for start, end, middle in product(nodes, repeat=3):",
        right="for middle, start, end in product(nodes, repeat=3):",
        visible="""
def test_two_steps():
    assert closure([(1, 2), (2, 3)]) == {(1, 2), (2, 3), (1, 3)}


def test_three_steps():
    edges = [(1, 2), (2, 3), (3, 4)]
    assert closure(edges) == {(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)}


def test_long_way_in_any_order():
    edges = [(1, 4), (4, 3), (3, 2), (2, 5)]
    assert (1, 5) in closure(edges)
    assert (1, 2) in closure(edges)


def test_cyclic():
    assert cyclic_nodes([(1, 2), (2, 1), (2, 3)]) == [1, 2]


def test_needless():
    assert needless([(1, 2), (2, 3), (1, 3)]) == [(1, 3)]
""",
        hidden="""
def test_against_search():
    import random

    rng = random.Random(3)
    for _ in range(40):
        edges = {(rng.randrange(7), rng.randrange(7)) for _ in range(9)}
        expected = set()
        for start in range(7):
            todo, found = [start], set()
            while todo:
                here = todo.pop()
                for a, b in edges:
                    if a == here and b not in found:
                        found.add(b)
                        todo.append(b)
            expected |= {(start, end) for end in found}
        assert closure(edges) == expected


def test_backward_chain():
    chain = [(number + 1, number) for number in range(6)]
    assert closure(chain) == {(a, b) for a in range(7) for b in range(7) if a > b}


def test_big_ring():
    ring = [(1, 4), (4, 2), (2, 5), (5, 3), (3, 1)]
    assert cyclic_nodes(ring) == [1, 2, 3, 4, 5]
    assert mutual_groups(ring) == [(1, 2, 3, 4, 5)]


def test_two_groups():
    edges = [(1, 2), (2, 1), (2, 3), (3, 4), (4, 3)]
    assert mutual_groups(edges) == [(1, 2), (3, 4)]


def test_no_edges():
    assert closure([]) == set()
    assert needless([]) == []


def test_one_way():
    assert (2, 1) not in closure([(1, 2)])
    assert cyclic_nodes([(1, 1), (1, 2)]) == [1]
""",
    ),
    Program(
        name="friend_graph",
        code=r'''
"""An undirected graph that nodes can be taken out of."""


class Graph:
    """Nodes joined by edges; a node may be joined to itself."""

    def __init__(self, edges=()):
        self._near = {}
        for one, other in edges:
            self.join(one, other)

    def __contains__(self, node):
        return node in self._near

    def join(self, one, other):
        """Add an edge, and its ends if they aren't there yet."""
        self._near.setdefault(one, set()).add(other)
        self._near.setdefault(other, set()).add(one)

    def part(self, one, other):
        """Remove an edge; KeyError if there's no such edge."""
        self._near[one].remove(other)
        if one != other:
            self._near[other].remove(one)

    def remove(self, node):
        """Remove a node with all its edges; KeyError if it isn't there."""
        for other in self._near[node]:
            self.part(node, other)
        del self._near[node]

    def rename(self, node, name):
        """Give a node a new name, which must not be in use."""
        if name in self._near:
            raise ValueError(f"{name} is in use")
        others = {name if other == node else other for other in self._near[node]}
        self.remove(node)
        self._near[name] = set()
        for other in others:
            self.join(name, other)

    def neighbours(self, node):
        """The sorted nodes joined to the node."""
        return sorted(self._near[node])

    def edges(self):
        """All edges as sorted pairs, in order."""
        pairs = {tuple(sorted((a, b))) for a, near in self._near.items() for b in near}
        return sorted(pairs)
''',
        wrong="        for other in self._near[node]:\n",
        right="        for other in list(self._near[node]):\n",
        visible="""
def test_join_and_part():
    graph = Graph(["ab", "bc"])
    graph.part("c", "b")
    assert graph.edges() == [("a", "b")]
    assert "c" in graph


def test_loop():
    graph = Graph(["aa", "ab"])
    assert graph.neighbours("a") == ["a", "b"]
    graph.part("a", "a")
    assert graph.edges() == [("a", "b")]


def test_remove():
    graph = Graph(["ab", "bc", "ca", "cd"])
    graph.remove("c")
    assert graph.edges() == [("a", "b")]
    assert "c" not in graph


def test_remove_isolated():
    graph = Graph(["ab"])
    graph.part("a", "b")
    graph.remove("a")
    assert "a" not in graph
    assert "b" in graph


def test_rename():
    graph = Graph(["ab", "bc"])
    graph.rename("b", "x")
    assert graph.edges() == [("a", "x"), ("c", "x")]
    with pytest.raises(ValueError):
        graph.rename("a", "x")
""",
        hidden="""
def test_remove_single_neighbour():
    graph = Graph(["ab"])
    graph.remove("a")
    assert graph.edges() == []
    assert "b" in graph
    assert graph.neighbours("b") == []


def test_remove_node_with_loop():
    graph = Graph(["aa", "ab", "bc"])
    graph.remove("a")
    assert graph.edges() == [("b", "c")]


def test_remove_only_loop():
    graph = Graph(["aa"])
    graph.remove("a")
    assert "a" not in graph


def test_rename_node_with_loop():
    graph = Graph(["aa", "ab"])
    graph.rename("a", "z")
    assert graph.edges() == [("b", "z"), ("z", "z")]


def test_remove_all():
    graph = Graph([(1, 2), (2, 3), (3, 1), (3, 3)])
    for node in (3, 1, 2):
        graph.remove(node)
    assert graph.edges() == []


def test_unknown():
    with pytest.raises(KeyError):
        Graph().remove("a")
    with pytest.raises(KeyError):
        Graph(["ab", "cd"]).part("a", "c")
""",
    ),
    # ---- state
    Program(
        name="pixel_canvas",
        code=r'''
"""A small canvas of characters with undo and redo."""


class Canvas:
    """A rectangle of cells that are painted with single characters."""

    def __init__(self, width, height, blank="."):
        self._cells = [[blank] * width for _ in range(height)]
        self._undo = []
        self._redo = []

    def rows(self):
        """The rows as strings, from the top."""
        return ["".join(row) for row in self._cells]

    def _remember(self):
        self._undo.append(self._cells[:])
        self._redo.clear()

    def paint(self, x, y, char):
        """Paint one cell."""
        self._remember()
        self._cells[y][x] = char

    def clear(self, blank="."):
        """Make all cells blank."""
        self._remember()
        self._cells = [[blank] * len(row) for row in self._cells]

    def fill(self, x, y, char):
        """Paint the cell and all that are joined to it by equal cells."""
        old = self._cells[y][x]
        if old == char:
            return
        self._remember()
        todo = [(x, y)]
        while todo:
            x, y = todo.pop()
            inside = 0 <= y < len(self._cells) and 0 <= x < len(self._cells[y])
            if inside and self._cells[y][x] == old:
                self._cells[y][x] = char
                todo += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]

    def undo(self):
        """Take back the last change; tell whether there was one."""
        if not self._undo:
            return False
        self._redo.append(self._cells)
        self._cells = self._undo.pop()
        return True

    def redo(self):
        """Make the change again that was taken back last, if there is one."""
        if not self._redo:
            return False
        self._undo.append(self._cells)
        self._cells = self._redo.pop()
        return True
''',
        wrong="self._undo.append(self._cells[:])",
        right="self._undo.append([row[:] for row in self._cells])",
        visible="""
def test_paint():
    canvas = Canvas(3, 2)
    canvas.paint(2, 0, "x")
    assert canvas.rows() == ["..x", "..."]


def test_undo_paint():
    canvas = Canvas(2, 2)
    canvas.paint(0, 0, "a")
    canvas.paint(1, 1, "b")
    assert canvas.undo()
    assert canvas.rows() == ["a.", ".."]


def test_undo_clear():
    canvas = Canvas(2, 1)
    canvas.paint(0, 0, "a")
    canvas.clear()
    assert canvas.undo()
    assert canvas.rows() == ["a."]
    assert canvas.redo()
    assert canvas.rows() == [".."]


def test_fill():
    canvas = Canvas(3, 1)
    canvas.paint(1, 0, "|")
    canvas.fill(0, 0, "o")
    assert canvas.rows() == ["o|."]


def test_nothing_to_undo():
    assert not Canvas(1, 1).undo()
    assert not Canvas(1, 1).redo()
""",
        hidden="""
def test_undo_fill():
    canvas = Canvas(3, 2)
    canvas.fill(0, 0, "#")
    assert canvas.rows() == ["###", "###"]
    canvas.undo()
    assert canvas.rows() == ["...", "..."]


def test_undo_everything_and_redo():
    canvas = Canvas(3, 1)
    for x, char in enumerate("abc"):
        canvas.paint(x, 0, char)
    seen = []
    while canvas.undo():
        seen.append(canvas.rows()[0])
    assert seen == ["ab.", "a..", "..."]
    again = []
    while canvas.redo():
        again.append(canvas.rows()[0])
    assert again == ["a..", "ab.", "abc"]


def test_new_change_ends_redo():
    canvas = Canvas(2, 1)
    canvas.paint(0, 0, "a")
    canvas.undo()
    canvas.paint(1, 0, "b")
    assert not canvas.redo()
    assert canvas.rows() == [".b"]


def test_paint_after_undo_then_undo():
    canvas = Canvas(2, 1)
    canvas.paint(0, 0, "a")
    canvas.paint(0, 0, "b")
    canvas.undo()
    canvas.paint(1, 0, "c")
    canvas.undo()
    assert canvas.rows() == ["a."]


def test_fill_same_is_no_change():
    canvas = Canvas(2, 1)
    canvas.fill(0, 0, ".")
    assert not canvas.undo()


def test_rows_independent():
    canvas = Canvas(2, 3)
    canvas.paint(0, 1, "x")
    assert canvas.rows() == ["..", "x.", ".."]
""",
    ),
    Program(
        name="rate_limiter",
        code=r'''
"""Limits on how often clients may do something."""

from collections import deque


class RateLimiter:
    """Lets each client act at most `limit` times in any `window` seconds.

    An action counts until `window` seconds have passed since: exactly
    `window` seconds later it does not count any more. Refused attempts
    never count. The times given must not go back.
    """

    def __init__(self, limit, window):
        if limit < 1 or window <= 0:
            raise ValueError("limit and window must be positive")
        self.limit = limit
        self.window = window
        self._actions = {}

    def _recent(self, client, now):
        """The times of the client's actions that still count."""
        times = self._actions.setdefault(client, deque())
        while times and now - times[0] > self.window:
            times.popleft()
        return times

    def allow(self, client, now):
        """May the client act now? If so, this counts as an action."""
        times = self._recent(client, now)
        if len(times) >= self.limit:
            return False
        times.append(now)
        return True

    def remaining(self, client, now):
        """How many actions the client still has at this time."""
        return self.limit - len(self._recent(client, now))

    def wait(self, client, now):
        """How many seconds the client has to wait for the next action."""
        times = self._recent(client, now)
        if len(times) < self.limit:
            return 0
        return times[0] + self.window - now

    def forget_idle(self, now):
        """Drop the clients without actions that count; return how many."""
        idle = [client for client in self._actions if not self._recent(client, now)]
        for client in idle:
            del self._actions[client]
        return len(idle)
''',
        wrong="while times and now - times[0] > self.window:",
        right="while times and now - times[0] >= self.window:",
        visible="""
def test_limit():
    limiter = RateLimiter(2, 10)
    assert limiter.allow("a", 0)
    assert limiter.allow("a", 1)
    assert not limiter.allow("a", 2)


def test_clients_are_separate():
    limiter = RateLimiter(1, 10)
    assert limiter.allow("a", 0)
    assert limiter.allow("b", 0)
    assert limiter.remaining("b", 3) == 0


def test_later():
    limiter = RateLimiter(1, 10)
    limiter.allow("a", 0)
    assert limiter.allow("a", 11)


def test_after_waiting():
    limiter = RateLimiter(1, 10)
    limiter.allow("a", 5)
    assert limiter.wait("a", 8) == 7
    assert limiter.allow("a", 15)


def test_bad_limit():
    with pytest.raises(ValueError):
        RateLimiter(0, 1)
""",
        hidden="""
def test_remaining_at_the_end_of_the_window():
    limiter = RateLimiter(3, 60)
    limiter.allow("x", 100)
    limiter.allow("x", 130)
    assert limiter.remaining("x", 159) == 1
    assert limiter.remaining("x", 160) == 2
    assert limiter.remaining("x", 190) == 3


def test_no_wait_when_time_is_up():
    limiter = RateLimiter(1, 4)
    limiter.allow("x", 0)
    assert limiter.wait("x", 3) == 1
    assert limiter.wait("x", 4) == 0


def test_steady_client():
    limiter = RateLimiter(2, 10)
    assert all(limiter.allow("x", now) for now in range(0, 100, 5))


def test_refused_do_not_count():
    limiter = RateLimiter(1, 10)
    limiter.allow("x", 0)
    assert not limiter.allow("x", 9)
    assert limiter.allow("x", 12)


def test_forget_idle():
    limiter = RateLimiter(1, 10)
    limiter.allow("x", 0)
    limiter.allow("y", 5)
    assert limiter.forget_idle(9) == 0
    assert limiter.forget_idle(10) == 1
    assert limiter.forget_idle(30) == 1


def test_too_early():
    limiter = RateLimiter(1, 10)
    limiter.allow("x", 1)
    assert not limiter.allow("x", 10)
""",
    ),
    Program(
        name="event_hub",
        code=r'''
"""Events that listeners subscribe to."""


class EventHub:
    """Calls the listeners of an event in the order they subscribed.

    Listeners may subscribe and unsubscribe at any time, also while an event
    is being sent: an event reaches those who were listeners when it began.
    """

    def __init__(self):
        self._listeners = {}

    def subscribe(self, event, listener):
        """Add a listener; the result is a function that removes it."""
        entry = [listener]
        self._listeners.setdefault(event, []).append(entry)

        def unsubscribe():
            entries = self._listeners.get(event, [])
            remaining = [other for other in entries if other is not entry]
            if len(remaining) < len(entries):
                entries[:] = remaining

        return unsubscribe

    def once(self, event, listener):
        """Add a listener for the next such event only."""

        def forward(*values):
            unsubscribe()
            listener(*values)

        unsubscribe = self.subscribe(event, forward)
        return unsubscribe

    def send(self, event, *values):
        """Call all listeners of the event; return how many there were."""
        count = 0
        for (listener,) in self._listeners.get(event, ()):
            listener(*values)
            count += 1
        return count

    def count(self, event):
        """How many listeners an event has."""
        return len(self._listeners.get(event, ()))

    def mirror(self, event, other):
        """Send each event once more under another name."""
        return self.subscribe(event, lambda *values: self.send(other, *values))
''',
        wrong="for (listener,) in self._listeners.get(event, ()):",
        right="for (listener,) in list(self._listeners.get(event, ())):",
        visible="""
def test_order():
    hub, log = EventHub(), []
    hub.subscribe("e", lambda v: log.append(("one", v)))
    hub.subscribe("e", lambda v: log.append(("two", v)))
    assert hub.send("e", 5) == 2
    assert log == [("one", 5), ("two", 5)]


def test_unsubscribe():
    hub, log = EventHub(), []
    stop = hub.subscribe("e", log.append)
    hub.send("e", 1)
    stop()
    hub.send("e", 2)
    assert log == [1]


def test_once():
    hub, log = EventHub(), []
    hub.once("e", log.append)
    hub.send("e", 1)
    hub.send("e", 2)
    assert log == [1]


def test_once_and_others():
    hub, log = EventHub(), []
    hub.once("e", lambda: log.append("once"))
    hub.subscribe("e", lambda: log.append("always"))
    hub.send("e")
    hub.send("e")
    assert log == ["once", "always", "always"]


def test_nobody():
    assert EventHub().send("e") == 0
    assert EventHub().count("e") == 0
""",
        hidden="""
def test_several_once():
    hub, log = EventHub(), []
    for name in "abc":
        hub.once("e", lambda name=name: log.append(name))
    assert hub.send("e") == 3
    assert log == ["a", "b", "c"]
    assert hub.count("e") == 0


def test_subscribe_while_sending():
    hub, log = EventHub(), []

    def first():
        log.append("first")
        if hub.count("e") < 4:
            hub.subscribe("e", lambda: log.append("late"))

    hub.subscribe("e", first)
    assert hub.send("e") == 1
    assert log == ["first"]
    hub.send("e")
    assert log == ["first", "first", "late"]


def test_unsubscribe_itself():
    hub, log = EventHub(), []

    def leave():
        log.append("leave")
        stop()

    stop = hub.subscribe("e", leave)
    hub.subscribe("e", lambda: log.append("stay"))
    hub.send("e")
    assert log == ["leave", "stay"]


def test_unsubscribe_twice():
    hub = EventHub()
    stop = hub.subscribe("e", print)
    hub.subscribe("e", print)
    stop()
    stop()
    assert hub.count("e") == 1


def test_mirror():
    hub, log = EventHub(), []
    hub.mirror("e", "f")
    hub.subscribe("f", log.append)
    hub.send("e", 3)
    assert log == [3]


def test_cancelled_once():
    hub, log = EventHub(), []
    cancel = hub.once("e", log.append)
    cancel()
    assert hub.send("e", 1) == 0
    assert log == []
""",
    ),
    Program(
        name="range_checks",
        code=r'''
"""Forms whose fields are checked when they are set."""


def make_checks(limits):
    """Checks for fields: a dictionary of functions that take a value.

    `limits` maps the name of a field to its least and greatest value; None
    there means that there is no such limit.
    """
    checks = {}
    for name, (least, greatest) in limits.items():
        low = float("-inf") if least is None else least
        high = float("inf") if greatest is None else greatest
        checks[name] = lambda value: low <= value <= high
    return checks


class Form:
    """A set of values, each within the limits of its field."""

    def __init__(self, limits):
        self._checks = make_checks(limits)
        self._values = {}
        self._errors = {}

    def set(self, name, value):
        """Store a value and tell whether it's allowed.

        A value out of limits is noted as an error and leaves the stored
        value as it was. KeyError for an unknown field.
        """
        if not self._checks[name](value):
            self._errors[name] = value
            return False
        self._errors.pop(name, None)
        self._values[name] = value
        return True

    def get(self, name, default=None):
        """The stored value of a field."""
        return self._values.get(name, default)

    def errors(self):
        """The refused values of the fields not set correctly since."""
        return dict(self._errors)

    def missing(self):
        """The sorted names of the fields that have no value yet."""
        return sorted(set(self._checks) - set(self._values))
''',
        wrong="checks[name] = lambda value: low <= value <= high",
        right="checks[name] = lambda value, low=low, high=high: low <= value <= high",
        visible="""
def test_one_field():
    form = Form({"age": (0, 150)})
    assert form.set("age", 30)
    assert not form.set("age", 151)
    assert form.get("age") == 30


def test_two_fields():
    form = Form({"age": (0, 150), "year": (1900, 2100)})
    assert form.set("year", 1999)
    assert form.set("age", 42)
    assert form.errors() == {}


def test_open_limit():
    checks = make_checks({"size": (1, None)})
    assert checks["size"](10**9)
    assert not checks["size"](0)


def test_error_is_corrected():
    form = Form({"n": (1, 3)})
    form.set("n", 9)
    assert form.errors() == {"n": 9}
    form.set("n", 2)
    assert form.errors() == {}


def test_unknown_field():
    with pytest.raises(KeyError):
        Form({"a": (0, 1)}).set("b", 1)
""",
        hidden="""
def test_first_of_three():
    checks = make_checks({"a": (0, 1), "b": (10, 20), "c": (None, 5)})
    assert [name for name in "abc" if checks[name](1)] == ["a", "c"]
    assert [name for name in "abc" if checks[name](15)] == ["b"]
    assert not checks["a"](4)


def test_wide_then_narrow():
    form = Form({"wide": (-100, 100), "narrow": (0, 1)})
    assert form.set("wide", -50)
    assert form.get("wide") == -50


def test_narrow_then_open():
    form = Form({"narrow": (0, 1), "open": (None, None)})
    assert not form.set("narrow", 7)
    assert form.errors() == {"narrow": 7}
    assert form.missing() == ["narrow", "open"]


def test_limits_included():
    checks = make_checks({"x": (2, 4)})
    assert [value for value in range(7) if checks["x"](value)] == [2, 3, 4]


def test_missing():
    form = Form({"b": (0, 9), "a": (0, 9)})
    assert form.missing() == ["a", "b"]
    form.set("b", 3)
    assert form.missing() == ["a"]


def test_two_forms():
    first, second = Form({"n": (0, 1)}), Form({"n": (5, 6)})
    assert first.set("n", 1)
    assert not second.set("n", 1)
""",
    ),
    Program(
        name="layered_store",
        code=r'''
"""A store of values with nested transactions."""

_GONE = object()


class Store:
    """Keys and values; changes in a transaction can be taken back."""

    def __init__(self):
        self._layers = [{}]

    def set(self, key, value):
        """Set the value of a key, in the innermost transaction."""
        self._layers[-1][key] = value

    def get(self, key, default=None):
        """The current value of a key, or the default if it has none."""
        for layer in reversed(self._layers):
            if layer.get(key):
                return default if layer[key] is _GONE else layer[key]
        return default

    def delete(self, key):
        """Remove a key, in the innermost transaction."""
        self._layers[-1][key] = _GONE

    def items(self):
        """A dictionary of all that's currently in the store."""
        merged = {}
        for layer in self._layers:
            merged.update(layer)
        return {key: value for key, value in merged.items() if value is not _GONE}

    def begin(self):
        """Begin a transaction, perhaps inside another one."""
        self._layers.append({})

    def rollback(self):
        """Take back all changes of the innermost transaction."""
        if len(self._layers) == 1:
            raise RuntimeError("no transaction")
        self._layers.pop()

    def commit(self):
        """Pass the changes on to the transaction around or to the store."""
        if len(self._layers) == 1:
            raise RuntimeError("no transaction")
        changes = self._layers.pop()
        self._layers[-1].update(changes)

    def depth(self):
        """How many transactions are going on."""
        return len(self._layers) - 1
''',
        wrong="            if layer.get(key):",
        right="            if key in layer:",
        visible="""
def test_set_and_get():
    store = Store()
    store.set("a", 1)
    assert store.get("a") == 1
    assert store.get("b", "none") == "none"


def test_rollback():
    store = Store()
    store.set("a", 1)
    store.begin()
    store.set("a", 2)
    assert store.get("a") == 2
    store.rollback()
    assert store.get("a") == 1


def test_delete_in_transaction():
    store = Store()
    store.set("a", 1)
    store.begin()
    store.delete("a")
    assert store.get("a") is None
    store.commit()
    assert store.items() == {}


def test_set_to_zero():
    store = Store()
    store.set("count", 3)
    store.begin()
    store.set("count", 0)
    assert store.get("count") == 0


def test_no_transaction():
    with pytest.raises(RuntimeError):
        Store().commit()
    with pytest.raises(RuntimeError):
        Store().rollback()
""",
        hidden="""
def test_empty_values():
    store = Store()
    for key, value in [("text", ""), ("list", []), ("flag", False)]:
        store.set(key, value)
    assert store.get("text", "default") == ""
    assert store.get("list", "default") == []
    assert store.get("flag", True) is False


def test_none_is_a_value():
    store = Store()
    store.set("x", None)
    assert store.get("x", "default") is None


def test_false_in_inner_transaction():
    store = Store()
    store.set("on", True)
    store.begin()
    store.begin()
    store.set("on", False)
    store.commit()
    assert store.get("on") is False
    store.rollback()
    assert store.get("on") is True


def test_get_agrees_with_items():
    store = Store()
    store.set("a", 5)
    store.set("b", 6)
    store.begin()
    store.set("a", 0)
    store.delete("b")
    assert store.items() == {"a": 0}
    assert store.get("a", "?") == 0
    assert store.get("b", "?") == "?"


def test_set_after_delete():
    store = Store()
    store.set("a", 1)
    store.begin()
    store.delete("a")
    store.set("a", 2)
    store.commit()
    assert store.get("a") == 2
    assert store.depth() == 0


def test_depth():
    store = Store()
    store.begin()
    store.begin()
    assert store.depth() == 2
""",
    ),
    Program(
        name="stop_watch",
        code=r'''
"""A stopwatch that can be paused."""


class Stopwatch:
    """Measures time by a clock, a function that gives the time in seconds.

    Time that passes during pauses isn't counted.
    """

    def __init__(self, clock):
        self._clock = clock
        self.reset()

    def reset(self):
        """Stop and forget everything."""
        self._counted = 0
        self._since = None
        self._laps = []

    def is_running(self):
        return self._since is not None

    def start(self):
        """Begin, or go on after a pause."""
        if self.is_running():
            raise RuntimeError("already running")
        self._since = self._clock()

    def pause(self):
        """Stop counting until the next start."""
        if not self.is_running():
            raise RuntimeError("not running")
        self._counted = self._clock() - self._since
        self._since = None

    def elapsed(self):
        """The seconds counted so far."""
        if not self.is_running():
            return self._counted
        return self._counted + self._clock() - self._since

    def lap(self):
        """The seconds counted since the last lap or the beginning."""
        time = self.elapsed() - sum(self._laps)
        self._laps.append(time)
        return time

    def best_lap(self):
        """The shortest lap, None if there is none."""
        return min(self._laps, default=None)


def format_time(seconds):
    """Seconds as minutes and seconds, with hours if there are any."""
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
''',
        wrong="        self._counted = self._clock() - self._since",
        right="        self._counted += self._clock() - self._since",
        visible="""
class Clock:
    now = 100

    def __call__(self):
        return self.now


def test_running():
    clock = Clock()
    watch = Stopwatch(clock)
    watch.start()
    clock.now += 5
    assert watch.elapsed() == 5


def test_one_pause():
    clock = Clock()
    watch = Stopwatch(clock)
    watch.start()
    clock.now += 5
    watch.pause()
    clock.now += 20
    watch.start()
    clock.now += 2
    assert watch.elapsed() == 7


def test_two_pauses():
    clock = Clock()
    watch = Stopwatch(clock)
    for seconds in (5, 3):
        watch.start()
        clock.now += seconds
        watch.pause()
        clock.now += 50
    assert watch.elapsed() == 8


def test_misuse():
    watch = Stopwatch(Clock())
    with pytest.raises(RuntimeError):
        watch.pause()
    watch.start()
    with pytest.raises(RuntimeError):
        watch.start()


def test_format():
    assert format_time(65) == "1:05"
    assert format_time(3725.9) == "1:02:05"
""",
        hidden="""
def watch_and_clock():
    times = [0]
    return Stopwatch(lambda: times[0]), times


def test_many_pauses():
    watch, times = watch_and_clock()
    for seconds in range(1, 6):
        watch.start()
        times[0] += seconds
        watch.pause()
    assert watch.elapsed() == 15


def test_laps_over_pauses():
    watch, times = watch_and_clock()
    watch.start()
    times[0] = 4
    assert watch.lap() == 4
    watch.pause()
    times[0] = 10
    watch.start()
    times[0] = 13
    watch.pause()
    assert watch.lap() == 3
    assert watch.best_lap() == 3


def test_running_after_two_pauses():
    watch, times = watch_and_clock()
    for _ in range(2):
        watch.start()
        times[0] += 10
        watch.pause()
        times[0] += 1
    watch.start()
    times[0] += 5
    assert watch.elapsed() == 25


def test_reset():
    watch, times = watch_and_clock()
    watch.start()
    times[0] = 9
    watch.pause()
    watch.reset()
    assert watch.elapsed() == 0
    watch.start()
    times[0] = 11
    watch.pause()
    assert watch.elapsed() == 2


def test_paused_time_stands_still():
    watch, times = watch_and_clock()
    watch.start()
    times[0] = 3
    watch.pause()
    times[0] = 100
    assert watch.elapsed() == 3
    assert not watch.is_running()


def test_no_laps():
    watch, _ = watch_and_clock()
    assert watch.best_lap() is None
""",
    ),
)
