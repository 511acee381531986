"""Programs of algorithms, data structures and business rules.

Written by somebody who had not seen this project; tuned on since 2026-11-25.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # 1 ---------------------------------------------------------------
    Program(
        name="interval_set",
        code='''"""A set of numbers kept as disjoint half-open intervals."""


class IntervalSet:
    """Disjoint half-open intervals [start, end), kept in ascending order."""

    def __init__(self):
        self._spans = []

    def add(self, start, end):
        """Add [start, end). Overlapping or touching intervals become one.

        An empty interval (start >= end) changes nothing.
        """
        if start >= end:
            return
        kept = []
        for low, high in self._spans:
            if high < start or low > end:
                kept.append((low, high))
            else:
                start = min(start, low)
                end = max(end, high)
        kept.append((start, end))
        kept.sort()
        self._spans = kept

    def remove(self, start, end):
        """Take every number in [start, end) out of the set.

        An empty interval (start >= end) changes nothing.
        """
        if start >= end:
            return
        kept = []
        for low, high in self._spans:
            if low < start:
                kept.append((low, min(high, start)))
            elif high > end:
                kept.append((max(low, end), high))
        self._spans = kept

    def __contains__(self, number):
        return any(low <= number < high for low, high in self._spans)

    def spans(self):
        """Return the intervals as a list of (start, end), ascending."""
        return list(self._spans)

    def total(self):
        """Return the summed length of all intervals."""
        return sum(high - low for low, high in self._spans)
''',
        wrong="            elif high > end:\n",
        right="            if high > end:\n",
        visible="""
def make(*pairs):
    result = IntervalSet()
    for start, end in pairs:
        result.add(start, end)
    return result


def test_add_keeps_order():
    assert make((5, 7), (1, 3)).spans() == [(1, 3), (5, 7)]


def test_add_merges_overlapping():
    assert make((1, 4), (3, 8)).spans() == [(1, 8)]


def test_add_merges_touching():
    assert make((1, 4), (4, 8)).spans() == [(1, 8)]


def test_remove_trims_right_end():
    numbers = make((0, 10))
    numbers.remove(6, 12)
    assert numbers.spans() == [(0, 6)]


def test_remove_trims_left_end():
    numbers = make((0, 10))
    numbers.remove(-3, 4)
    assert numbers.spans() == [(4, 10)]


def test_remove_from_the_middle():
    numbers = make((0, 10))
    numbers.remove(3, 5)
    assert numbers.spans() == [(0, 3), (5, 10)]


def test_contains_is_half_open():
    numbers = make((2, 4))
    assert 2 in numbers
    assert 3 in numbers
    assert 4 not in numbers
""",
        hidden="""
def make(*pairs):
    result = IntervalSet()
    for start, end in pairs:
        result.add(start, end)
    return result


def test_split_and_total():
    numbers = make((0, 100))
    numbers.remove(40, 60)
    assert numbers.total() == 80
    assert 39 in numbers
    assert 40 not in numbers
    assert 59 not in numbers
    assert 60 in numbers


def test_against_a_plain_set():
    steps = [("add", 0, 20), ("remove", 5, 8), ("add", 30, 40), ("remove", 7, 33),
             ("add", 8, 9), ("remove", 1, 2), ("remove", 34, 35), ("add", 2, 4),
             ("remove", 3, 3), ("remove", 38, 39), ("remove", 0, 1)]
    numbers, plain = IntervalSet(), set()
    for what, start, end in steps:
        getattr(numbers, what)(start, end)
        if what == "add":
            plain |= set(range(start, end))
        else:
            plain -= set(range(start, end))
        assert {n for n in range(-5, 50) if n in numbers} == plain
        assert numbers.total() == len(plain)


def test_remove_over_several_spans():
    numbers = make((0, 4), (6, 8), (10, 14))
    numbers.remove(2, 12)
    assert numbers.spans() == [(0, 2), (12, 14)]


def test_remove_exactly_one_span():
    numbers = make((0, 4), (6, 8))
    numbers.remove(6, 8)
    assert numbers.spans() == [(0, 4)]


def test_empty_intervals_change_nothing():
    numbers = make((0, 4), (9, 9), (8, 7))
    numbers.remove(2, 2)
    numbers.remove(3, 1)
    assert numbers.spans() == [(0, 4)]


def test_remove_outside_changes_nothing():
    numbers = make((5, 9))
    numbers.remove(0, 5)
    numbers.remove(9, 12)
    assert numbers.spans() == [(5, 9)]


def test_spans_is_a_copy():
    numbers = make((1, 2))
    numbers.spans().append((5, 6))
    assert numbers.spans() == [(1, 2)]
""",
    ),
    # 2 ---------------------------------------------------------------
    Program(
        name="lru_cache",
        code='''"""A small cache that forgets what was used least recently."""
from collections import OrderedDict


class LRUCache:
    """Keep at most `capacity` entries.

    Reading a key with get() and writing it with put() both count as use.
    When a new key does not fit, the least recently used one is dropped.
    """

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.capacity = capacity
        self.hits = 0
        self.misses = 0
        self._entries = OrderedDict()

    def get(self, key, default=None):
        """Return the value of `key`, or `default`; count a hit or a miss."""
        if key not in self._entries:
            self.misses += 1
            return default
        self.hits += 1
        self._entries.move_to_end(key)
        return self._entries[key]

    def put(self, key, value):
        """Store `value` under `key`, dropping an old entry if necessary."""
        if key in self._entries:
            self._entries[key] = value
            return
        if len(self._entries) >= self.capacity:
            self._entries.popitem(last=False)
        self._entries[key] = value

    def keys(self):
        """Return the keys, from least to most recently used."""
        return list(self._entries)

    def __len__(self):
        return len(self._entries)

    def __contains__(self, key):
        """Say whether `key` is held; this does not count as use."""
        return key in self._entries
''',
        wrong="            self._entries[key] = value\n            return\n",
        right="            self._entries[key] = value\n            self._entries.move_to_end(key)\n            return\n",
        visible="""
def test_get_and_put():
    cache = LRUCache(2)
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b") is None
    assert cache.get("b", 7) == 7


def test_drops_oldest():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("c", 3)
    assert cache.keys() == ["b", "c"]


def test_get_refreshes():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert "a" in cache
    assert "b" not in cache


def test_put_refreshes():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 10)
    cache.put("c", 3)
    assert cache.get("a") == 10
    assert "b" not in cache


def test_counts():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.get("a")
    cache.get("x")
    cache.get("a")
    assert (cache.hits, cache.misses) == (2, 1)


def test_capacity_must_be_positive():
    with pytest.raises(ValueError):
        LRUCache(0)
""",
        hidden="""
def filled(capacity, text):
    cache = LRUCache(capacity)
    for letter in text:
        cache.put(letter, letter.upper())
    return cache


def test_order_after_overwriting():
    cache = filled(3, "abc")
    cache.put("b", "new")
    assert cache.keys() == ["a", "c", "b"]
    cache.put("a", "newer")
    assert cache.keys() == ["c", "b", "a"]
    assert cache.get("b") == "new"


def test_overwriting_drops_nothing():
    cache = filled(3, "abc")
    cache.put("a", 0)
    assert len(cache) == 3
    assert set(cache.keys()) == set("abc")


def test_overwriting_twice_then_filling():
    cache = filled(3, "abcab")
    cache.put("d", "D")
    cache.put("e", "E")
    assert cache.keys() == ["b", "d", "e"]


def test_membership_is_no_use():
    cache = filled(2, "ab")
    assert "a" in cache
    cache.put("c", "C")
    assert cache.keys() == ["b", "c"]
    assert (cache.hits, cache.misses) == (0, 0)


def test_capacity_one():
    cache = filled(1, "aab")
    assert cache.keys() == ["b"]
    assert cache.get("a") is None
    assert cache.get("b") == "B"


def test_get_refreshes_and_put_does_not_count():
    cache = filled(3, "abc")
    cache.get("a")
    cache.put("a", 5)
    cache.put("b", 6)
    assert cache.keys() == ["c", "a", "b"]
    assert (cache.hits, cache.misses) == (1, 0)


def test_missed_get_stores_nothing():
    cache = filled(2, "a")
    assert cache.get("z", "default") == "default"
    assert cache.keys() == ["a"]
""",
    ),
    # 3 ---------------------------------------------------------------
    Program(
        name="sorted_lookup",
        code='''"""Look-ups in ascending lists by binary search."""


def first_at_least(items, target):
    """Return the index of the first item that is >= target.

    Return len(items) if there is none. `items` must be ascending.
    """
    low, high = 0, len(items) - 1
    while low < high:
        middle = (low + high) // 2
        if items[middle] < target:
            low = middle + 1
        else:
            high = middle
    return low


def first_greater(items, target):
    """Return the index of the first item that is > target.

    Return len(items) if there is none. `items` must be ascending.
    """
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] <= target:
            low = middle + 1
        else:
            high = middle
    return low


def contains(items, target):
    """Say whether the ascending list holds `target`."""
    index = first_at_least(items, target)
    return index < len(items) and items[index] == target


def count_between(items, lowest, highest):
    """Count the items x with lowest <= x <= highest (0 if lowest > highest)."""
    if lowest > highest:
        return 0
    return first_greater(items, highest) - first_at_least(items, lowest)


def insert_sorted(items, value):
    """Insert `value` into the ascending list in place, after its equals."""
    items.insert(first_greater(items, value), value)
''',
        wrong="    low, high = 0, len(items) - 1\n",
        right="    low, high = 0, len(items)\n",
        visible="""
def test_first_at_least_inside():
    assert first_at_least([1, 3, 3, 5, 9], 3) == 1
    assert first_at_least([1, 3, 3, 5, 9], 4) == 3


def test_first_at_least_before_everything():
    assert first_at_least([4, 5, 6], 1) == 0


def test_first_at_least_none():
    assert first_at_least([4, 5, 6], 7) == 3


def test_first_greater():
    assert first_greater([1, 3, 3, 5], 3) == 3
    assert first_greater([1, 3, 3, 5], 5) == 4


def test_contains():
    assert contains([2, 4, 8, 16], 8)
    assert contains([2, 4, 8, 16], 16)
    assert not contains([2, 4, 8, 16], 5)


def test_count_between():
    assert count_between([1, 2, 2, 3, 7], 2, 3) == 3
    assert count_between([1, 2, 2, 3, 7], 3, 2) == 0


def test_insert_sorted():
    items = [1, 4, 6]
    insert_sorted(items, 5)
    assert items == [1, 4, 5, 6]
""",
        hidden="""
def test_first_at_least_against_definition():
    for items in ([], [5], [1, 1, 1], [1, 2, 3, 4], [0, 0, 4, 4, 9, 9], list(range(0, 30, 3))):
        for target in range(-2, 33):
            expected = next((i for i, x in enumerate(items) if x >= target), len(items))
            assert first_at_least(items, target) == expected


def test_first_greater_against_definition():
    for items in ([], [5], [1, 1, 1], [1, 2, 3, 4], [0, 0, 4, 4, 9, 9]):
        for target in range(-2, 12):
            expected = next((i for i, x in enumerate(items) if x > target), len(items))
            assert first_greater(items, target) == expected


def test_contains_past_the_end_and_empty():
    assert not contains([], 1)
    assert not contains([1, 2], 3)
    assert contains([1], 1)


def test_count_beyond_the_end():
    assert count_between([1, 2, 3], 4, 9) == 0
    assert count_between([], 0, 9) == 0
    assert count_between([1, 2, 3], 3, 3) == 1
    assert count_between([1, 2, 3], -5, 50) == 3


def test_strings():
    words = ["ant", "bee", "cat"]
    assert first_at_least(words, "dog") == 3
    assert first_at_least(words, "b") == 1


def test_insert_sorted_at_both_ends():
    items = []
    for value in (5, 9, 1, 5, 7):
        insert_sorted(items, value)
    assert items == [1, 5, 5, 7, 9]


def test_insert_after_equals():
    items = [1, 2, 3]
    insert_sorted(items, 2.0)
    assert [type(x) for x in items] == [int, int, float, int]
""",
    ),
    # 4 ---------------------------------------------------------------
    Program(
        name="knapsack",
        code='''"""Choosing what to pack."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    name: str
    weight: int
    value: int


def best_value(items, capacity):
    """Return the highest total value that fits into `capacity`.

    Each item may be taken at most once. Weights are positive integers.
    A negative capacity is a ValueError.
    """
    if capacity < 0:
        raise ValueError("capacity must not be negative")
    best = [0] * (capacity + 1)
    for item in items:
        for room in range(item.weight, capacity + 1):
            candidate = best[room - item.weight] + item.value
            if candidate > best[room]:
                best[room] = candidate
    return best[capacity]


def smallest_capacity(items, wanted):
    """Return the smallest capacity with best_value(items, it) >= wanted.

    Return None if even all the items together are not worth enough.
    """
    limit = sum(item.weight for item in items)
    for capacity in range(limit + 1):
        if best_value(items, capacity) >= wanted:
            return capacity
    return None
''',
        wrong="range(item.weight, capacity + 1)",
        right="range(capacity, item.weight - 1, -1)",
        visible="""
TENT = Item("tent", 5, 10)
STOVE = Item("stove", 4, 40)
ROPE = Item("rope", 6, 30)
RADIO = Item("radio", 3, 50)


def test_nothing_to_pack():
    assert best_value([], 10) == 0


def test_nothing_fits():
    assert best_value([TENT, ROPE], 4) == 0


def test_single_item_taken_once():
    assert best_value([RADIO], 9) == 50


def test_classic():
    assert best_value([TENT, STOVE, ROPE, RADIO], 10) == 90


def test_exact_fit():
    assert best_value([TENT], 5) == 10


def test_negative_capacity():
    with pytest.raises(ValueError):
        best_value([TENT], -1)


def test_smallest_capacity():
    assert smallest_capacity([TENT, STOVE, RADIO], 90) == 7
""",
        hidden="""
from itertools import combinations


def brute(items, capacity):
    return max(sum(i.value for i in chosen)
               for size in range(len(items) + 1)
               for chosen in combinations(items, size)
               if sum(i.weight for i in chosen) <= capacity)


def test_against_brute_force():
    pool = [Item("a", 1, 1), Item("b", 3, 4), Item("c", 4, 5), Item("d", 5, 7), Item("e", 2, 3)]
    for size in range(6):
        for items in combinations(pool, size):
            for capacity in (0, 1, 2, 5, 7, 11, 20):
                assert best_value(list(items), capacity) == brute(items, capacity)


def test_everything_fits():
    items = [Item("a", 1, 10), Item("b", 2, 20)]
    assert best_value(items, 100) == 30


def test_equal_items_count_separately():
    item = Item("x", 2, 5)
    assert best_value([item, item], 10) == 10
    assert best_value([item, item], 3) == 5


def test_capacity_zero():
    assert best_value([Item("a", 1, 1)], 0) == 0


def test_smallest_capacity_not_reachable():
    assert smallest_capacity([Item("a", 1, 5), Item("b", 9, 3)], 9) is None
    assert smallest_capacity([], 1) is None


def test_smallest_capacity_edges():
    assert smallest_capacity([], 0) == 0
    assert smallest_capacity([Item("a", 1, 5), Item("b", 9, 3)], 8) == 10
    assert smallest_capacity([Item("a", 1, 5), Item("b", 9, 3)], 5) == 1
""",
    ),
    # 5 ---------------------------------------------------------------
    Program(
        name="dependency_graph",
        code='''"""Which packages does a package need, directly or not?"""
from collections import deque


class DependencyGraph:
    """Packages and what they depend on; answers are cached."""

    def __init__(self):
        self._direct = {}
        self._closures = {}

    def add_package(self, name):
        """Make a package known. Adding it again changes nothing."""
        self._direct.setdefault(name, set())

    def add_dependency(self, name, needed):
        """Record that `name` needs `needed`; both become known."""
        self.add_package(name)
        self.add_package(needed)
        self._direct[name].add(needed)
        self._closures.pop(name, None)

    def remove_dependency(self, name, needed):
        """Forget that `name` needs `needed`, KeyError if it does not."""
        self._direct[name].remove(needed)
        self._closures.clear()

    def requires(self, name):
        """Return the set of all packages that `name` needs, directly or not.

        The package itself is in it only if it is part of a cycle.
        KeyError for an unknown package.
        """
        if name not in self._closures:
            found = set()
            queue = deque(self._direct[name])
            while queue:
                package = queue.popleft()
                if package in found:
                    continue
                found.add(package)
                queue.extend(self._direct[package])
            self._closures[name] = found
        return set(self._closures[name])

    def in_cycle(self, name):
        """Say whether the package needs itself."""
        return name in self.requires(name)

    def users(self, name):
        """Return the sorted names of all packages that need `name`."""
        return sorted(p for p in self._direct if name in self.requires(p))
''',
        wrong="        self._closures.pop(name, None)\n",
        right="        self._closures.clear()\n",
        visible="""
@pytest.fixture
def graph():
    result = DependencyGraph()
    result.add_dependency("app", "web")
    result.add_dependency("web", "http")
    result.add_dependency("cli", "http")
    return result


def test_requires(graph):
    assert graph.requires("app") == {"web", "http"}
    assert graph.requires("http") == set()


def test_unknown_package(graph):
    with pytest.raises(KeyError):
        graph.requires("nothing")


def test_users(graph):
    assert graph.users("http") == ["app", "cli", "web"]


def test_new_direct_dependency(graph):
    assert graph.requires("app") == {"web", "http"}
    graph.add_dependency("app", "log")
    assert graph.requires("app") == {"web", "http", "log"}


def test_new_indirect_dependency(graph):
    assert graph.requires("app") == {"web", "http"}
    graph.add_dependency("http", "socket")
    assert graph.requires("app") == {"web", "http", "socket"}


def test_remove_dependency(graph):
    assert graph.requires("app") == {"web", "http"}
    graph.remove_dependency("web", "http")
    assert graph.requires("app") == {"web"}


def test_cycle(graph):
    graph.add_dependency("http", "app")
    assert graph.in_cycle("app")
    assert not graph.in_cycle("cli")
""",
        hidden="""
def chain(*names):
    graph = DependencyGraph()
    for name, needed in zip(names, names[1:]):
        graph.add_dependency(name, needed)
    return graph


def test_long_chain_extended_at_the_end():
    graph = chain("a", "b", "c", "d")
    assert graph.users("d") == ["a", "b", "c"]
    graph.add_dependency("d", "e")
    assert graph.requires("a") == {"b", "c", "d", "e"}
    assert graph.requires("c") == {"d", "e"}
    assert graph.users("e") == ["a", "b", "c", "d"]


def test_cycle_closed_after_asking():
    graph = chain("a", "b", "c")
    assert not graph.in_cycle("a")
    assert not graph.in_cycle("b")
    graph.add_dependency("c", "a")
    assert graph.in_cycle("a")
    assert graph.in_cycle("b")
    assert graph.in_cycle("c")


def test_cycle_opened_again():
    graph = chain("a", "b", "a")
    assert graph.in_cycle("a")
    graph.remove_dependency("b", "a")
    assert not graph.in_cycle("a")
    assert graph.requires("a") == {"b"}


def test_answer_is_a_copy():
    graph = chain("a", "b")
    graph.requires("a").add("junk")
    assert graph.requires("a") == {"b"}


def test_add_package_twice_keeps_dependencies():
    graph = chain("a", "b")
    graph.add_package("a")
    graph.add_package("z")
    assert graph.requires("a") == {"b"}
    assert graph.requires("z") == set()
    assert graph.users("z") == []


def test_remove_unknown_dependency():
    graph = chain("a", "b")
    with pytest.raises(KeyError):
        graph.remove_dependency("a", "c")
    with pytest.raises(KeyError):
        graph.remove_dependency("x", "a")


def test_diamond_changed_below():
    graph = chain("top", "left", "bottom")
    graph.add_dependency("top", "right")
    graph.add_dependency("right", "bottom")
    assert graph.requires("top") == {"left", "right", "bottom"}
    graph.add_dependency("right", "extra")
    assert "extra" in graph.requires("top")
    assert "extra" not in graph.requires("left")
""",
    ),
    # 6 ---------------------------------------------------------------
    Program(
        name="tree_rebuild",
        code='''"""Binary trees from their traversals."""


class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right


def rebuild(preorder, inorder):
    """Build the tree that has these two traversals; None if both are empty.

    The values must be distinct. ValueError if the lists do not have
    the same length.
    """
    if len(preorder) != len(inorder):
        raise ValueError("the traversals differ in length")
    return _build(list(preorder), list(inorder))


def _build(preorder, inorder):
    if not preorder:
        return None
    root = preorder[0]
    middle = inorder.index(root)
    return Node(
        root,
        left=_build(preorder[1:middle + 1], inorder[:middle]),
        right=_build(preorder[middle + 1:], inorder[middle:]),
    )


def postorder(node):
    """Return the values: left subtree, right subtree, then the node."""
    if node is None:
        return []
    return postorder(node.left) + postorder(node.right) + [node.value]


def height(node):
    """Return the number of nodes on the longest way down (0 if empty)."""
    if node is None:
        return 0
    return 1 + max(height(node.left), height(node.right))


def leaves(node):
    """Return the values of the nodes without children, left to right."""
    if node is None:
        return []
    if node.left is None and node.right is None:
        return [node.value]
    return leaves(node.left) + leaves(node.right)
''',
        wrong="inorder[middle:])",
        right="inorder[middle + 1:])",
        visible="""
def test_empty():
    assert rebuild([], []) is None


def test_single_node():
    tree = rebuild([4], [4])
    assert tree.value == 4
    assert tree.left is None and tree.right is None


def test_three_nodes():
    tree = rebuild([2, 1, 3], [1, 2, 3])
    assert (tree.left.value, tree.value, tree.right.value) == (1, 2, 3)


def test_left_chain():
    assert height(rebuild([3, 2, 1], [1, 2, 3])) == 3


def test_right_chain():
    tree = rebuild([1, 2, 3], [1, 2, 3])
    assert height(tree) == 3
    assert tree.right.right.value == 3


def test_postorder_of_larger_tree():
    tree = rebuild([3, 9, 20, 15, 7], [9, 3, 15, 20, 7])
    assert postorder(tree) == [9, 15, 7, 20, 3]


def test_different_lengths():
    with pytest.raises(ValueError):
        rebuild([1, 2], [1])
""",
        hidden='''
def pre(node):
    return [] if node is None else [node.value] + pre(node.left) + pre(node.right)


def ino(node):
    return [] if node is None else ino(node.left) + [node.value] + ino(node.right)


def sample(values):
    """An unbalanced search tree with these values."""
    root = None
    for value in values:
        if root is None:
            root = Node(value)
            continue
        node = root
        while True:
            side = "left" if value < node.value else "right"
            if getattr(node, side) is None:
                setattr(node, side, Node(value))
                break
            node = getattr(node, side)
    return root


@pytest.mark.parametrize("values", [
    [5], [5, 6], [5, 4], [1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [4, 2, 6, 1, 3, 5, 7],
    [1, 9, 2, 8, 3, 7], [9, 1, 8, 2, 7], [5, 2, 9, 7, 8, 12, 11, 1],
])
def test_round_trip(values):
    tree = sample(values)
    again = rebuild(pre(tree), ino(tree))
    assert pre(again) == pre(tree)
    assert ino(again) == ino(tree)
    assert postorder(again) == postorder(tree)
    assert height(again) == height(tree)


def test_letters_and_tuples():
    tree = rebuild("abdecfg", "dbeafcg")
    assert "".join(postorder(tree)) == "debfgca"
    assert leaves(tree) == ["d", "e", "f", "g"]
    assert postorder(rebuild((1, 2, 3), (2, 1, 3))) == [2, 3, 1]


def test_arguments_are_left_alone():
    first, second = [1, 2, 3, 4], [1, 2, 4, 3]
    rebuild(first, second)
    assert first == [1, 2, 3, 4]
    assert second == [1, 2, 4, 3]


def test_leaves_and_height_of_nothing():
    assert leaves(None) == []
    assert height(None) == 0
    assert postorder(None) == []


def test_different_lengths_the_other_way():
    with pytest.raises(ValueError):
        rebuild([], [1])
''',
    ),
    # 7 ---------------------------------------------------------------
    Program(
        name="modular",
        code='''"""Arithmetic with remainders."""


def extended_gcd(a, b):
    """Return (g, x, y) with g == gcd(a, b) and a * x + b * y == g."""
    old_r, r = a, b
    old_x, x = 1, 0
    old_y, y = 0, 1
    while r:
        quotient = old_r // r
        old_r, r = r, old_r - quotient * r
        old_x, x = x, old_x - quotient * x
        old_y, y = y, old_y - quotient * y
    return old_r, old_x, old_y


def inverse(a, modulus):
    """Return the x with 0 <= x < modulus and a * x % modulus == 1 % modulus.

    `a` and `modulus` are positive. ValueError if there is no such x.
    """
    g, x, _ = extended_gcd(a, modulus)
    if g != 1:
        raise ValueError(f"{a} has no inverse modulo {modulus}")
    return x


def divide(a, b, modulus):
    """Return the x with 0 <= x < modulus and b * x % modulus == a % modulus.

    ValueError if b has no inverse.
    """
    return a * inverse(b, modulus) % modulus


def chinese_remainder(remainders, moduli):
    """Return the smallest x >= 0 with x % m == r for each pair of r and m.

    The moduli must be positive and pairwise coprime, else ValueError.
    """
    result, product = 0, 1
    for remainder, modulus in zip(remainders, moduli):
        step = (remainder - result) * inverse(product, modulus) % modulus
        result += product * step
        product *= modulus
    return result
''',
        wrong="    return x\n",
        right="    return x % modulus\n",
        visible="""
def test_extended_gcd():
    g, x, y = extended_gcd(240, 46)
    assert g == 2
    assert 240 * x + 46 * y == 2


def test_inverse():
    assert inverse(2, 7) == 4
    assert inverse(3, 11) == 4


def test_inverse_is_a_remainder():
    assert inverse(7, 26) == 15
    assert inverse(5, 7) == 3


def test_no_inverse():
    with pytest.raises(ValueError):
        inverse(6, 9)


def test_divide():
    assert divide(5, 3, 7) == 4


def test_chinese_remainder():
    assert chinese_remainder([2, 3, 2], [3, 5, 7]) == 23


def test_moduli_not_coprime():
    with pytest.raises(ValueError):
        chinese_remainder([1, 2], [4, 6])
""",
        hidden="""
from math import gcd


def test_all_inverses():
    for modulus in range(2, 40):
        for a in range(1, 90):
            if gcd(a, modulus) == 1:
                x = inverse(a, modulus)
                assert 0 <= x < modulus
                assert a * x % modulus == 1
            else:
                with pytest.raises(ValueError):
                    inverse(a, modulus)


def test_modulus_one():
    assert inverse(1, 1) == 0
    assert inverse(5, 1) == 0


def test_inverse_of_minus_one():
    for modulus in (3, 10, 97, 1000):
        assert inverse(modulus - 1, modulus) == modulus - 1


def test_extended_gcd_many():
    for a in range(1, 30):
        for b in range(1, 30):
            g, x, y = extended_gcd(a, b)
            assert g == gcd(a, b)
            assert a * x + b * y == g


def test_divide_many():
    for modulus in (7, 11, 13):
        for a in range(20):
            for b in range(1, modulus):
                x = divide(a, b, modulus)
                assert 0 <= x < modulus
                assert b * x % modulus == a % modulus


def test_chinese_remainder_many():
    for x in range(0, 3 * 4 * 5 * 7, 11):
        moduli = [3, 4, 5, 7]
        assert chinese_remainder([x % m for m in moduli], moduli) == x


def test_chinese_remainder_small():
    assert chinese_remainder([], []) == 0
    assert chinese_remainder([4], [9]) == 4
    assert chinese_remainder([0, 0], [4, 9]) == 0
""",
    ),
    # 8 ---------------------------------------------------------------
    Program(
        name="pattern_search",
        code='''"""Finding all places of a pattern in a text (Knuth, Morris, Pratt)."""


def failure_table(pattern):
    """Return for each i the length of the longest border of pattern[:i + 1].

    A border is a proper prefix that is a suffix as well.
    """
    table = [0] * len(pattern)
    length = 0
    for i in range(1, len(pattern)):
        while length and pattern[i] != pattern[length]:
            length = table[length - 1]
        if pattern[i] == pattern[length]:
            length += 1
        table[i] = length
    return table


def find_all(pattern, text):
    """Return the start of each occurrence, ascending; they may overlap.

    ValueError for an empty pattern.
    """
    if not pattern:
        raise ValueError("empty pattern")
    table = failure_table(pattern)
    places = []
    matched = 0
    for i, letter in enumerate(text):
        while matched and letter != pattern[matched]:
            matched = table[matched - 1]
        if letter == pattern[matched]:
            matched += 1
        if matched == len(pattern):
            places.append(i - len(pattern) + 1)
            matched = 0
    return places


def shortest_period(text):
    """Return the shortest p > 0 with text[i] == text[i + p] wherever both exist.

    0 for an empty text.
    """
    if not text:
        return 0
    return len(text) - failure_table(text)[-1]
''',
        wrong="            matched = 0\n",
        right="            matched = table[-1]\n",
        visible="""
def test_failure_table():
    assert failure_table("abacaba") == [0, 0, 1, 0, 1, 2, 3]


def test_find_one():
    assert find_all("needle", "hay needle hay") == [4]


def test_find_none():
    assert find_all("xyz", "xyxyxxy") == []


def test_find_several():
    assert find_all("ab", "abcabcab") == [0, 3, 6]


def test_find_overlapping():
    assert find_all("aba", "ababa") == [0, 2]


def test_empty_pattern():
    with pytest.raises(ValueError):
        find_all("", "abc")


def test_shortest_period():
    assert shortest_period("abcabca") == 3
    assert shortest_period("") == 0
""",
        hidden="""
from itertools import product


def naive(pattern, text):
    return [i for i in range(len(text) - len(pattern) + 1)
            if text[i:i + len(pattern)] == pattern]


def test_against_naive_search():
    texts = ["".join(letters) for letters in product("ab", repeat=8)][::3]
    patterns = ["".join(p) for size in (1, 2, 3, 4) for p in product("ab", repeat=size)]
    for text in texts:
        for pattern in patterns:
            assert find_all(pattern, text) == naive(pattern, text)


def test_repeated_letter():
    assert find_all("aa", "aaaa") == [0, 1, 2]
    assert find_all("aaa", "aaaaab" * 2) == [0, 1, 2, 6, 7, 8]


def test_longer_overlap():
    assert find_all("abcab", "abcabcabcab") == [0, 3, 6]


def test_pattern_and_text_edges():
    assert find_all("abc", "") == []
    assert find_all("abc", "ab") == []
    assert find_all("abc", "abc") == [0]


def test_empty_pattern_in_empty_text():
    with pytest.raises(ValueError):
        find_all("", "")


def test_failure_table_more():
    assert failure_table("") == []
    assert failure_table("a") == [0]
    assert failure_table("aaaa") == [0, 1, 2, 3]
    assert failure_table("aabaaab") == [0, 1, 0, 1, 2, 2, 3]


def test_shortest_period_more():
    assert shortest_period("a") == 1
    assert shortest_period("aaaa") == 1
    assert shortest_period("abcd") == 4
    assert shortest_period("abab") == 2
""",
    ),
    # 9 ---------------------------------------------------------------
    Program(
        name="binary_heap",
        code='''"""A minimum heap with an optional key."""


class MinHeap:
    """A heap whose smallest item, by `key`, comes out first."""

    def __init__(self, items=(), key=None):
        self._key = key or (lambda item: item)
        self._data = list(items)
        for index in reversed(range(len(self._data) // 2)):
            self._sift_down(index)

    def __len__(self):
        return len(self._data)

    def push(self, item):
        """Add an item."""
        self._data.append(item)
        index = len(self._data) - 1
        while index:
            parent = (index - 1) // 2
            if not self._less(index, parent):
                break
            self._swap(index, parent)
            index = parent

    def peek(self):
        """Return the smallest item, IndexError if there is none."""
        return self._data[0]

    def pop(self):
        """Remove and return the smallest item, IndexError if there is none."""
        last = self._data.pop()
        if not self._data:
            return last
        smallest, self._data[0] = self._data[0], last
        self._sift_down(0)
        return smallest

    def _less(self, i, j):
        return self._key(self._data[i]) < self._key(self._data[j])

    def _swap(self, i, j):
        self._data[i], self._data[j] = self._data[j], self._data[i]

    def _sift_down(self, index):
        while True:
            smallest = index
            for child in (2 * index + 1, 2 * index + 2):
                if child < len(self._data) and self._less(child, index):
                    smallest = child
            if smallest == index:
                return
            self._swap(index, smallest)
            index = smallest
''',
        wrong="self._less(child, index)",
        right="self._less(child, smallest)",
        visible="""
def drain(heap):
    return [heap.pop() for _ in range(len(heap))]


def test_push_and_pop():
    heap = MinHeap()
    for number in (3, 1, 2):
        heap.push(number)
    assert drain(heap) == [1, 2, 3]


def test_peek_keeps_item():
    heap = MinHeap()
    heap.push(5)
    heap.push(4)
    assert heap.peek() == 4
    assert len(heap) == 2


def test_heap_from_items():
    assert MinHeap([9, 4, 7]).peek() == 4


def test_drain_sorts():
    assert drain(MinHeap([5, 3, 8, 1, 9, 2])) == [1, 2, 3, 5, 8, 9]


def test_key():
    heap = MinHeap(["pear", "fig", "banana"], key=len)
    assert heap.pop() == "fig"


def test_empty():
    with pytest.raises(IndexError):
        MinHeap().pop()
    with pytest.raises(IndexError):
        MinHeap().peek()
""",
        hidden="""
from itertools import permutations


def drain(heap):
    return [heap.pop() for _ in range(len(heap))]


def test_all_orders_of_six():
    for order in permutations(range(6)):
        assert drain(MinHeap(order)) == [0, 1, 2, 3, 4, 5]


def test_all_orders_pushed():
    for order in permutations(range(5)):
        heap = MinHeap()
        for number in order:
            heap.push(number)
        assert drain(heap) == [0, 1, 2, 3, 4]


def test_many_with_duplicates():
    numbers = [(i * 7919) % 101 for i in range(300)]
    assert drain(MinHeap(numbers)) == sorted(numbers)


def test_mixed_pushes_and_pops():
    heap, plain = MinHeap([8, 6, 7]), [6, 7, 8]
    for i in range(60):
        number = (i * 37) % 23
        heap.push(number)
        plain.append(number)
        plain.sort()
        if i % 3 == 0:
            assert heap.pop() == plain.pop(0)
        assert heap.peek() == plain[0]
    assert drain(heap) == plain


def test_key_descending():
    assert drain(MinHeap([2, 9, 4, 7, 1], key=lambda n: -n)) == [9, 7, 4, 2, 1]


def test_given_list_is_left_alone():
    numbers = [3, 2, 1]
    MinHeap(numbers).pop()
    assert numbers == [3, 2, 1]


def test_single_and_empty():
    heap = MinHeap([1])
    assert heap.pop() == 1
    assert len(heap) == 0
    with pytest.raises(IndexError):
        heap.pop()
""",
    ),
    # 10 --------------------------------------------------------------
    Program(
        name="linked_list",
        code='''"""A singly linked list."""


class Link:
    def __init__(self, value, following=None):
        self.value = value
        self.following = following


class LinkedList:
    """Values in a chain of links."""

    def __init__(self, values=()):
        self._head = None
        self._size = 0
        for value in reversed(list(values)):
            self.push_front(value)

    def __len__(self):
        return self._size

    def __iter__(self):
        link = self._head
        while link is not None:
            yield link.value
            link = link.following

    def push_front(self, value):
        """Put a value before all others."""
        self._head = Link(value, self._head)
        self._size += 1

    def remove(self, value):
        """Remove the first link with this value.

        Return True if there was one, else False.
        """
        before, link = None, self._head
        while link is not None:
            if link.value == value:
                if before is None:
                    self._head = link.following
                else:
                    before.following = link.following
                self._size -= 1
                break
            before, link = link, link.following
        return False

    def reverse(self):
        """Turn the order round, in place."""
        done, rest = None, self._head
        while rest is not None:
            rest.following, done, rest = done, rest, rest.following
        self._head = done
''',
        wrong="                break\n",
        right="                return True\n",
        visible="""
def test_values():
    assert list(LinkedList([1, 2, 3])) == [1, 2, 3]
    assert list(LinkedList()) == []


def test_push_front():
    items = LinkedList("bc")
    items.push_front("a")
    assert list(items) == ["a", "b", "c"]
    assert len(items) == 3


def test_remove_from_the_middle():
    items = LinkedList([1, 2, 3])
    assert items.remove(2) is True
    assert list(items) == [1, 3]


def test_remove_shrinks():
    items = LinkedList([1, 2, 3])
    items.remove(1)
    assert len(items) == 2
    assert list(items) == [2, 3]


def test_remove_only_the_first():
    items = LinkedList([4, 5, 4])
    items.remove(4)
    assert list(items) == [5, 4]


def test_remove_missing():
    items = LinkedList([1, 2])
    assert items.remove(9) is False
    assert list(items) == [1, 2]


def test_reverse():
    items = LinkedList([1, 2, 3])
    items.reverse()
    assert list(items) == [3, 2, 1]
""",
        hidden="""
def test_remove_tells_the_truth_everywhere():
    for value in (1, 2, 3, 4):
        items = LinkedList([1, 2, 3, 4])
        assert items.remove(value) is True
        assert list(items) == [n for n in (1, 2, 3, 4) if n != value]
        assert len(items) == 3
        assert items.remove(value) is False
        assert len(items) == 3


def test_remove_duplicates_one_by_one():
    items = LinkedList([7, 7, 8, 7])
    assert items.remove(7) is True
    assert list(items) == [7, 8, 7]
    assert items.remove(7) is True
    assert list(items) == [8, 7]
    assert items.remove(7) is True
    assert list(items) == [8]
    assert items.remove(7) is False
    assert list(items) == [8]


def test_remove_from_empty():
    items = LinkedList()
    assert items.remove(1) is False
    assert len(items) == 0


def test_remove_the_only_one():
    items = LinkedList(["x"])
    assert items.remove("x") is True
    assert list(items) == []
    items.push_front("y")
    assert list(items) == ["y"]
    assert len(items) == 1


def test_reverse_then_remove():
    items = LinkedList([1, 2, 1, 3])
    items.reverse()
    assert items.remove(1) is True
    assert list(items) == [3, 2, 1]
    assert len(items) == 3


def test_reverse_small():
    items = LinkedList()
    items.reverse()
    assert list(items) == []
    items.push_front(1)
    items.reverse()
    assert list(items) == [1]
""",
    ),
    # 11 --------------------------------------------------------------
    Program(
        name="prefix_counter",
        code='''"""A trie that counts words by prefix."""


class TrieNode:
    def __init__(self):
        self.children = {}
        self.passing = 0    # words whose way leads through this node
        self.ending = 0     # words that end at this node


class PrefixCounter:
    """A bag of words: the same word may be in it several times."""

    def __init__(self, words=()):
        self._root = TrieNode()
        for word in words:
            self.add(word)

    def add(self, word):
        """Put one more copy of the word into the bag."""
        node = self._root
        node.passing += 1
        for letter in word:
            node = node.children.setdefault(letter, TrieNode())
            node.passing += 1
        node.ending += 1

    def discard(self, word):
        """Take one copy of the word out; nothing happens if there is none."""
        if self.count(word) == 0:
            return
        node = self._root
        node.passing -= 1
        for letter in word:
            node = node.children[letter]
            node.passing -= 1
        node.ending -= 1

    def count(self, word):
        """Return how many copies of exactly this word are in the bag."""
        node = self._find(word)
        return node.passing if node else 0

    def count_prefix(self, prefix):
        """Return how many words, with copies, start with this prefix."""
        node = self._find(prefix)
        return node.passing if node else 0

    def __len__(self):
        return self._root.passing

    def _find(self, text):
        node = self._root
        for letter in text:
            node = node.children.get(letter)
            if node is None:
                return None
        return node
''',
        wrong="""        node = self._find(word)
        return node.passing if node else 0
""",
        right="""        node = self._find(word)
        return node.ending if node else 0
""",
        visible="""
WORDS = ["car", "card", "care", "cat", "dog", "car"]


def test_count_prefix():
    bag = PrefixCounter(WORDS)
    assert bag.count_prefix("car") == 4
    assert bag.count_prefix("c") == 5
    assert bag.count_prefix("x") == 0


def test_count_exact_leaf():
    bag = PrefixCounter(WORDS)
    assert bag.count("dog") == 1
    assert bag.count("cow") == 0


def test_count_exact_inner():
    bag = PrefixCounter(WORDS)
    assert bag.count("car") == 2


def test_length():
    assert len(PrefixCounter(WORDS)) == 6
    assert len(PrefixCounter()) == 0


def test_discard():
    bag = PrefixCounter(WORDS)
    bag.discard("card")
    assert bag.count("card") == 0
    assert bag.count_prefix("car") == 3


def test_discard_unknown():
    bag = PrefixCounter(WORDS)
    bag.discard("zebra")
    assert len(bag) == 6
""",
        hidden="""
def test_prefix_alone_is_no_word():
    bag = PrefixCounter(["hello", "help"])
    assert bag.count("hel") == 0
    assert bag.count("h") == 0
    assert bag.count("") == 0
    assert bag.count("help") == 1


def test_discard_of_mere_prefix_changes_nothing():
    bag = PrefixCounter(["hello", "help"])
    bag.discard("hel")
    assert len(bag) == 2
    assert bag.count_prefix("hel") == 2
    assert bag.count_prefix("") == 2
    assert bag.count("hello") == 1


def test_empty_word():
    bag = PrefixCounter(["", "a"])
    assert bag.count("") == 1
    assert bag.count_prefix("") == 2
    bag.discard("")
    assert bag.count("") == 0
    assert bag.count("a") == 1
    assert len(bag) == 1


def test_copies():
    bag = PrefixCounter(["to", "to", "tote"])
    bag.discard("to")
    assert bag.count("to") == 1
    bag.discard("to")
    bag.discard("to")
    assert bag.count("to") == 0
    assert bag.count("tote") == 1
    assert bag.count_prefix("to") == 1


def test_against_plain_list():
    words = ["a", "ab", "abc", "abd", "b", "ba", "ab", "abc", "abc"]
    bag = PrefixCounter(words)
    for text in ("", "a", "ab", "abc", "abd", "abcd", "b", "ba", "c"):
        assert bag.count(text) == words.count(text)
        assert bag.count_prefix(text) == sum(w.startswith(text) for w in words)


def test_longer_than_any_word():
    bag = PrefixCounter(["a"])
    assert bag.count("aa") == 0
    assert bag.count_prefix("aa") == 0


def test_word_added_again_after_discard():
    bag = PrefixCounter(["on", "one"])
    bag.discard("one")
    assert bag.count("one") == 0
    bag.add("one")
    assert bag.count("one") == 1
    assert bag.count("on") == 1
""",
    ),
    # 12 --------------------------------------------------------------
    Program(
        name="moving_average",
        code='''"""The mean of the latest readings, kept in a ring buffer."""


class MovingAverage:
    """Remember the latest `size` readings and their mean."""

    def __init__(self, size):
        if size < 1:
            raise ValueError("size must be at least 1")
        self.size = size
        self.clear()

    def clear(self):
        """Forget all readings."""
        self._slots = [0] * self.size
        self._next = 0
        self._filled = 0
        self._total = 0

    def add(self, reading):
        """Take in a reading; the oldest one goes if there is no room.

        Return the new mean.
        """
        self._total += reading - self._slots[self._next]
        self._slots[self._next] = reading
        self._next = (self._next + 1) % self.size
        self._filled = self._filled + 1
        return self.mean()

    def mean(self):
        """Return the mean of the remembered readings, None without any."""
        if self._filled == 0:
            return None
        return self._total / self._filled

    def is_full(self):
        """Say whether `size` readings are remembered."""
        return self._filled >= self.size

    def latest(self):
        """Return the latest reading, None without any."""
        if self._filled == 0:
            return None
        return self._slots[self._next - 1]
''',
        wrong="self._filled = self._filled + 1",
        right="self._filled = min(self._filled + 1, self.size)",
        visible="""
def test_no_readings():
    average = MovingAverage(3)
    assert average.mean() is None
    assert average.latest() is None


def test_partly_filled():
    average = MovingAverage(4)
    average.add(2)
    assert average.add(4) == 3


def test_exactly_filled():
    average = MovingAverage(3)
    assert not average.is_full()
    for reading in (1, 2, 6):
        average.add(reading)
    assert average.mean() == 3
    assert average.is_full()


def test_oldest_goes():
    average = MovingAverage(3)
    for reading in (1, 2, 6, 10):
        average.add(reading)
    assert average.mean() == 6


def test_latest():
    average = MovingAverage(2)
    for reading in (5, 6, 7):
        average.add(reading)
        assert average.latest() == reading


def test_clear():
    average = MovingAverage(2)
    average.add(9)
    average.clear()
    assert average.mean() is None
    assert average.add(4) == 4


def test_size_must_be_positive():
    with pytest.raises(ValueError):
        MovingAverage(0)
""",
        hidden="""
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8])
def test_against_slices(size):
    readings = [(i * 17) % 11 for i in range(40)]
    average = MovingAverage(size)
    for i, reading in enumerate(readings):
        window = readings[max(0, i + 1 - size):i + 1]
        assert average.add(reading) == pytest.approx(sum(window) / len(window))
        assert average.mean() == pytest.approx(sum(window) / len(window))
        assert average.latest() == reading
        assert average.is_full() == (len(window) == size)


def test_size_one_follows_the_readings():
    average = MovingAverage(1)
    assert [average.add(n) for n in (5, -3, 8)] == [5, -3, 8]


def test_constant_readings_keep_the_mean():
    average = MovingAverage(4)
    for _ in range(50):
        assert average.add(7) == 7


def test_clear_after_wrapping():
    average = MovingAverage(2)
    for reading in (1, 2, 3, 4, 5):
        average.add(reading)
    average.clear()
    assert not average.is_full()
    assert average.latest() is None
    assert average.add(10) == 10
    assert not average.is_full()
    assert average.add(20) == 15
    assert average.is_full()
    assert average.add(30) == 25


def test_negative_and_fractions():
    average = MovingAverage(2)
    average.add(-1.5)
    assert average.add(0.5) == -0.5
    assert average.add(1.5) == 1.0


def test_bad_sizes():
    for size in (0, -1):
        with pytest.raises(ValueError):
            MovingAverage(size)
""",
    ),
    # 13 --------------------------------------------------------------
    Program(
        name="friend_circles",
        code='''"""Circles of friends: a union-find structure over names."""


class Circles:
    """Every person starts in a circle of their own."""

    def __init__(self, people=()):
        self._parent = {}
        self._size = {}
        self.number = 0     # how many circles there are
        for person in people:
            self.add(person)

    def add(self, person):
        """Make a person known; nothing happens if they already are."""
        if person not in self._parent:
            self._parent[person] = person
            self._size[person] = 1
            self.number += 1

    def find(self, person):
        """Return the person who stands for the whole circle."""
        root = person
        while self._parent[root] != root:
            root = self._parent[root]
        while self._parent[person] != root:
            self._parent[person], person = root, self._parent[person]
        return root

    def befriend(self, one, other):
        """Join the circles of two people, who become known if necessary.

        Return True if these were two different circles.
        """
        self.add(one)
        self.add(other)
        one, other = self.find(one), self.find(other)
        if one == other:
            return False
        if self._size[one] < self._size[other]:
            one, other = other, one
        self._parent[other] = one
        self._size[one] += self._size[other]
        self.number -= 1
        return True

    def connected(self, one, other):
        """Say whether two known people are in the same circle."""
        return self.find(one) == self.find(other)

    def circle_size(self, person):
        """Return how many people are in this known person's circle."""
        return self._size[person]

    def largest(self):
        """Return the size of the largest circle, 0 if nobody is known."""
        return max(self._size.values(), default=0)
''',
        wrong="        return self._size[person]\n",
        right="        return self._size[self.find(person)]\n",
        visible="""
def test_alone():
    circles = Circles(["ann", "bob"])
    assert circles.number == 2
    assert circles.circle_size("ann") == 1
    assert not circles.connected("ann", "bob")


def test_befriend():
    circles = Circles()
    assert circles.befriend("ann", "bob") is True
    assert circles.connected("ann", "bob")
    assert circles.number == 1


def test_befriend_again():
    circles = Circles()
    circles.befriend("ann", "bob")
    assert circles.befriend("bob", "ann") is False
    assert circles.number == 1


def test_chain_is_connected():
    circles = Circles("abcd")
    circles.befriend("a", "b")
    circles.befriend("c", "d")
    circles.befriend("b", "c")
    assert circles.connected("a", "d")


def test_circle_size():
    circles = Circles("abcd")
    circles.befriend("a", "b")
    circles.befriend("b", "c")
    assert circles.circle_size("a") == 3
    assert circles.circle_size("c") == 3
    assert circles.circle_size("d") == 1


def test_largest():
    circles = Circles("abcd")
    circles.befriend("a", "b")
    assert circles.largest() == 2
""",
        hidden="""
def test_everybody_sees_the_same_size():
    circles = Circles(range(10))
    for one, other in ((0, 1), (2, 3), (4, 5), (1, 3), (5, 3)):
        circles.befriend(one, other)
    assert [circles.circle_size(n) for n in range(10)] == [6] * 6 + [1] * 4
    assert circles.number == 5
    assert circles.largest() == 6


def test_sizes_against_groups():
    groups = {n: {n} for n in range(20)}
    circles = Circles(range(20))
    for i in range(14):
        one, other = (i * 7) % 20, (i * 13 + 5) % 20
        assert circles.befriend(one, other) is (groups[one] is not groups[other])
        if groups[one] is not groups[other]:
            union = groups[one] | groups[other]
            for member in union:
                groups[member] = union
        for n in range(20):
            assert circles.circle_size(n) == len(groups[n])
        assert circles.number == len({id(g) for g in groups.values()})


def test_size_after_both_orders():
    for pair in (("x", "y"), ("y", "x")):
        circles = Circles()
        circles.befriend(*pair)
        assert circles.circle_size("x") == 2
        assert circles.circle_size("y") == 2


def test_empty():
    circles = Circles()
    assert circles.number == 0
    assert circles.largest() == 0


def test_add_again():
    circles = Circles("ab")
    circles.befriend("a", "b")
    circles.add("a")
    circles.add("b")
    assert circles.number == 1
    assert circles.circle_size("b") == 2


def test_befriend_oneself():
    circles = Circles()
    assert circles.befriend("a", "a") is False
    assert circles.number == 1
    assert circles.circle_size("a") == 1
""",
    ),
    # 14 --------------------------------------------------------------
    Program(
        name="shipping",
        code='''"""Shipping costs of the web shop, in cents."""

# (heaviest weight in grams that still has this price, price)
TARIFF = (
    (500, 390),
    (2000, 590),
    (10000, 990),
    (31500, 1890),
)
FREE_FROM = 5000
EXPRESS_SURCHARGE = 700
ISLAND_SURCHARGE = 1200


class TooHeavy(ValueError):
    """The parcel is heavier than anything that we ship."""


def base_price(grams):
    """Return the price for a parcel of this weight.

    A limit of the tariff belongs to the class that it closes: a parcel
    of exactly 500 g still is in the first class. Above 31500 g TooHeavy
    is raised; a weight that is not positive is a ValueError.
    """
    if grams <= 0:
        raise ValueError("the weight must be positive")
    for limit, price in TARIFF:
        if grams < limit:
            return price
    raise TooHeavy(f"{grams} g")


def shipping_cost(grams, order_value, express=False, island=False):
    """Return what the customer pays for shipping.

    From an order value of 5000 on, the base price is waived. The
    surcharges for express and for islands are never waived.
    """
    cost = base_price(grams)
    if order_value >= FREE_FROM:
        cost = 0
    if express:
        cost += EXPRESS_SURCHARGE
    if island:
        cost += ISLAND_SURCHARGE
    return cost
''',
        wrong="        if grams < limit:\n",
        right="        if grams <= limit:\n",
        visible="""
def test_light_parcel():
    assert base_price(120) == 390


def test_middle_parcel():
    assert base_price(5200) == 990


def test_limits_belong_to_the_lower_class():
    assert base_price(500) == 390
    assert base_price(501) == 590


def test_too_heavy():
    with pytest.raises(TooHeavy):
        base_price(40000)


def test_weight_must_be_positive():
    with pytest.raises(ValueError):
        base_price(0)


def test_free_from_5000():
    assert shipping_cost(700, 4999) == 590
    assert shipping_cost(700, 5000) == 0


def test_surcharges():
    assert shipping_cost(700, 1000, express=True) == 1290
    assert shipping_cost(700, 9000, express=True, island=True) == 1900
""",
        hidden="""
@pytest.mark.parametrize("grams, price", [
    (1, 390), (499, 390), (500, 390), (501, 590), (1999, 590), (2000, 590), (2001, 990),
    (9999, 990), (10000, 990), (10001, 1890), (31499, 1890), (31500, 1890),
])
def test_all_limits(grams, price):
    assert base_price(grams) == price


def test_just_too_heavy():
    with pytest.raises(TooHeavy):
        base_price(31501)
    with pytest.raises(TooHeavy):
        shipping_cost(31501, 9000)


def test_bad_weights():
    for grams in (0, -1):
        with pytest.raises(ValueError) as caught:
            base_price(grams)
        assert not isinstance(caught.value, TooHeavy)


def test_heaviest_parcel_can_be_sent():
    assert shipping_cost(31500, 100) == 1890
    assert shipping_cost(31500, 100, island=True) == 3090
    assert shipping_cost(31500, 5000) == 0


def test_surcharges_are_never_waived():
    assert shipping_cost(300, 5000, express=True) == 700
    assert shipping_cost(300, 5000, island=True) == 1200
    assert shipping_cost(300, 10, express=True, island=True) == 2290


def test_fractions_of_grams():
    assert base_price(500.5) == 590
    assert base_price(0.5) == 390
""",
    ),
    # 15 --------------------------------------------------------------
    Program(
        name="invoice",
        code='''"""Invoices; all amounts are whole cents, all rates whole percent."""
from dataclasses import dataclass, field


@dataclass
class Invoice:
    """An invoice with a discount on the goods, freight and a tax rate."""

    discount: int = 0
    freight: int = 0
    tax: int = 20
    lines: list = field(default_factory=list)

    def add(self, article, price, quantity=1):
        """Add a line. The quantity must be at least 1, else ValueError."""
        if quantity < 1:
            raise ValueError("the quantity must be at least 1")
        self.lines.append((article, price, quantity))

    def goods(self):
        """Return the value of all lines before discount, freight and tax."""
        return sum(price * quantity for _, price, quantity in self.lines)

    def reduction(self):
        """Return the discount on the goods, rounded down to whole cents."""
        return self.goods() * self.discount // 100

    def net(self):
        """Return goods minus discount plus freight.

        The freight is not discounted; an invoice without lines has none.
        """
        if not self.lines:
            return 0
        return self.goods() - self.reduction() + self.freight

    def tax_amount(self):
        """Return the tax on the net amount, rounded down to whole cents."""
        return self.net() * self.tax // 100

    def gross(self):
        """Return the net amount with the tax."""
        return self.net() + self.tax_amount()

    def instalments(self, number):
        """Split the gross amount into `number` parts that sum up to it.

        The parts differ by at most one cent; the larger ones come first.
        """
        part, rest = divmod(self.gross(), number)
        return [part + 1 if i < rest else 0 for i in range(number)]
''',
        wrong="part + 1 if i < rest else 0 for",
        right="part + (1 if i < rest else 0) for",
        visible="""
def sample(**options):
    invoice = Invoice(**options)
    invoice.add("chair", 4999, 2)
    invoice.add("lamp", 2500)
    return invoice


def test_goods():
    assert sample().goods() == 12498


def test_discount_is_rounded_down():
    assert sample(discount=15).reduction() == 1874


def test_net_with_freight():
    assert sample(discount=10, freight=500).net() == 11749


def test_gross():
    assert sample(tax=10).gross() == 13747


def test_empty_invoice():
    assert Invoice(freight=500).gross() == 0


def test_instalments_with_rest():
    invoice = Invoice(tax=0)
    invoice.add("pen", 100)
    assert invoice.instalments(3) == [34, 33, 33]


def test_one_instalment():
    invoice = sample()
    assert sum(invoice.instalments(7)) == invoice.gross()


def test_quantity_must_be_positive():
    with pytest.raises(ValueError):
        sample().add("table", 100, 0)
""",
        hidden="""
def costing(cents):
    invoice = Invoice(tax=0)
    invoice.add("thing", cents)
    return invoice


@pytest.mark.parametrize("cents", [1, 2, 99, 100, 101, 12345])
def test_instalments_in_general(cents):
    for number in range(1, 13):
        parts = costing(cents).instalments(number)
        assert len(parts) == number
        assert sum(parts) == cents
        assert max(parts) - min(parts) <= 1
        assert parts == sorted(parts, reverse=True)


def test_no_rest():
    assert costing(120).instalments(4) == [30, 30, 30, 30]
    assert costing(120).instalments(1) == [120]


def test_more_parts_than_cents():
    assert costing(2).instalments(4) == [1, 1, 0, 0]


def test_empty_invoice_instalments():
    assert Invoice(freight=300).instalments(2) == [0, 0]


def test_full_calculation():
    invoice = Invoice(discount=7, freight=450, tax=19)
    invoice.add("a", 333, 3)
    invoice.add("b", 1001)
    assert invoice.goods() == 2000
    assert invoice.reduction() == 140
    assert invoice.net() == 2310
    assert invoice.tax_amount() == 438
    assert invoice.gross() == 2748
    assert invoice.instalments(5) == [550, 550, 550, 549, 549]


def test_lines_are_not_shared():
    first, second = Invoice(), Invoice()
    first.add("a", 1)
    assert second.lines == []


def test_bad_quantity_adds_nothing():
    invoice = Invoice()
    with pytest.raises(ValueError):
        invoice.add("a", 100, -1)
    assert invoice.goods() == 0
""",
    ),
    # 16 --------------------------------------------------------------
    Program(
        name="leave_days",
        code='''"""How many days of leave does an employee have?"""
import math
from dataclasses import dataclass

FULL_WEEK = 5
MAX_CARRY_OVER = 5


@dataclass
class Employee:
    yearly_days: int            # leave of a full year in a full week
    days_per_week: int = FULL_WEEK
    months: int = 12            # months employed in this year


def round_up_to_half(days):
    """Round up to the next half day; whole and half days stay the same."""
    return math.ceil(days * 2) / 2


def entitlement(employee):
    """Return the leave of this year in days.

    The yearly leave is reduced in proportion to the days per week and to
    the months employed; the result is rounded up to the next half day.
    ValueError for months outside 0..12 or days per week outside 1..5.
    """
    if not 0 <= employee.months <= 12:
        raise ValueError("months must be between 0 and 12")
    if not 1 <= employee.days_per_week <= FULL_WEEK:
        raise ValueError("days per week must be between 1 and 5")
    share = employee.days_per_week * employee.months
    days = employee.yearly_days * share // (FULL_WEEK * 12)
    return round_up_to_half(days)


def carry_over(employee, taken):
    """Return how many unused days go into the next year, at most 5.

    Nobody carries over less than 0 days.
    """
    unused = entitlement(employee) - taken
    return max(0, min(unused, MAX_CARRY_OVER))
''',
        wrong="employee.yearly_days * share // (FULL_WEEK * 12)",
        right="employee.yearly_days * share / (FULL_WEEK * 12)",
        visible="""
def test_full_year():
    assert entitlement(Employee(30)) == 30


def test_three_days_a_week():
    assert entitlement(Employee(30, days_per_week=3)) == 18


def test_half_a_year():
    assert entitlement(Employee(25, months=6)) == 12.5


def test_rounded_up():
    assert entitlement(Employee(28, months=5)) == 12


def test_round_up_to_half():
    assert round_up_to_half(2.1) == 2.5
    assert round_up_to_half(2.5) == 2.5
    assert round_up_to_half(2.6) == 3


def test_carry_over():
    assert carry_over(Employee(30), 27) == 3
    assert carry_over(Employee(30), 20) == 5


def test_bad_months():
    with pytest.raises(ValueError):
        entitlement(Employee(30, months=13))
""",
        hidden="""
from fractions import Fraction
from math import ceil


def test_all_combinations():
    for yearly in (20, 24, 25, 27, 30):
        for week in range(1, 6):
            for months in range(13):
                exact = Fraction(yearly * week * months, 60)
                expected = ceil(exact * 2) / 2
                assert entitlement(Employee(yearly, week, months)) == expected


def test_no_months():
    assert entitlement(Employee(30, months=0)) == 0


def test_single_month_and_day():
    assert entitlement(Employee(30, days_per_week=1, months=1)) == 0.5
    assert entitlement(Employee(25, months=1)) == 2.5


def test_carry_over_of_halves():
    assert carry_over(Employee(25, months=6), 10) == 2.5
    assert carry_over(Employee(25, months=6), 12) == 0.5
    assert carry_over(Employee(25, months=6), 13) == 0
    assert carry_over(Employee(30), 25) == 5


def test_limits():
    for months in (-1, 13):
        with pytest.raises(ValueError):
            entitlement(Employee(30, months=months))
    for week in (0, 6):
        with pytest.raises(ValueError):
            entitlement(Employee(30, days_per_week=week))


def test_rounding():
    assert round_up_to_half(0) == 0
    assert round_up_to_half(7) == 7
    assert round_up_to_half(7.01) == 7.5
""",
    ),
    # 17 --------------------------------------------------------------
    Program(
        name="gradebook",
        code='''"""Marks of a course: 0 to 100 points for each test."""

GRADES = ((90, "A"), (80, "B"), (70, "C"), (60, "D"))


class Gradebook:
    """The points of all students."""

    def __init__(self, drop=0):
        self.drop = drop        # so many of the lowest results do not count
        self._points = {}

    def record(self, student, points):
        """Add the result of a test; ValueError outside of 0..100."""
        if not 0 <= points <= 100:
            raise ValueError("points must be between 0 and 100")
        self._points.setdefault(student, []).append(points)

    def results(self, student):
        """Return the student's results in the order of the tests."""
        return list(self._points[student])

    def average(self, student):
        """Return the mean of the results that count.

        The `drop` lowest results do not count, but at least one does.
        """
        points = self._points[student]
        points.sort(reverse=True)
        counting = points[:max(1, len(points) - self.drop)]
        return sum(counting) / len(counting)

    def grade(self, student):
        """Return the letter for the average, "F" below 60 points."""
        average = self.average(student)
        for limit, letter in GRADES:
            if average >= limit:
                return letter
        return "F"

    def ranking(self):
        """Return the students, best average first, equal ones by name."""
        return sorted(self._points, key=lambda s: (-self.average(s), s))
''',
        wrong="        points = self._points[student]\n",
        right="        points = list(self._points[student])\n",
        visible="""
def book(drop=0):
    result = Gradebook(drop)
    for student, points in (("ann", [70, 90, 80]), ("bob", [95, 40, 95]), ("cid", [60])):
        for number in points:
            result.record(student, number)
    return result


def test_average():
    assert book().average("ann") == 80


def test_average_with_drop():
    assert book(drop=1).average("bob") == 95


def test_at_least_one_result_counts():
    assert book(drop=2).average("cid") == 60


def test_results_in_order():
    assert book().results("ann") == [70, 90, 80]


def test_results_in_order_after_ranking():
    gradebook = book(drop=1)
    assert gradebook.ranking() == ["bob", "ann", "cid"]
    assert gradebook.results("ann") == [70, 90, 80]


def test_grades():
    assert book().grade("ann") == "B"
    assert book().grade("cid") == "D"


def test_points_out_of_range():
    with pytest.raises(ValueError):
        book().record("ann", 101)
""",
        hidden="""
def book(points, drop=0):
    result = Gradebook(drop)
    for number in points:
        result.record("x", number)
    return result


def test_reading_changes_nothing():
    for ask in ("average", "grade"):
        gradebook = book([10, 50, 30, 20], drop=1)
        getattr(gradebook, ask)("x")
        assert gradebook.results("x") == [10, 50, 30, 20]
        gradebook.record("x", 40)
        getattr(gradebook, ask)("x")
        assert gradebook.results("x") == [10, 50, 30, 20, 40]


def test_average_can_be_asked_again():
    gradebook = book([10, 50, 30], drop=1)
    assert gradebook.average("x") == 40
    assert gradebook.average("x") == 40
    gradebook.record("x", 70)
    assert gradebook.average("x") == 50


def test_results_is_a_copy():
    gradebook = book([1, 2])
    gradebook.results("x").append(99)
    assert gradebook.results("x") == [1, 2]


def test_drop_more_than_there_are():
    assert book([40, 80], drop=5).average("x") == 80
    assert book([40, 80], drop=2).average("x") == 80
    assert book([40, 80, 60], drop=2).average("x") == 80


@pytest.mark.parametrize("points, letter", [
    (100, "A"), (90, "A"), (89.5, "B"), (80, "B"), (79, "C"), (70, "C"), (60, "D"),
    (59.9, "F"), (0, "F"),
])
def test_letters(points, letter):
    assert book([points]).grade("x") == letter


def test_ranking_with_ties():
    gradebook = Gradebook()
    for student, points in (("zoe", 80), ("amy", 80), ("joe", 90), ("kim", 10)):
        gradebook.record(student, points)
    assert gradebook.ranking() == ["joe", "amy", "zoe", "kim"]
    assert Gradebook().ranking() == []


def test_bad_points():
    for points in (-1, 100.5):
        with pytest.raises(ValueError):
            book([points])
""",
    ),
    # 18 --------------------------------------------------------------
    Program(
        name="seat_booking",
        code='''"""Booking neighbouring seats in a small cinema."""


class SoldOut(Exception):
    """There are not enough neighbouring seats in any row."""


class Hall:
    """Rows of seats; rows and seats are numbered from 0."""

    def __init__(self, rows, seats):
        self._taken = [[False] * seats for _ in range(rows)]

    def is_free(self, row, seat):
        """Say whether the seat can be booked."""
        return not self._taken[row][seat]

    def free_seats(self):
        """Return the number of free seats."""
        return sum(row.count(False) for row in self._taken)

    def take(self, row, seat):
        """Book one seat, ValueError if it is taken."""
        if self._taken[row][seat]:
            raise ValueError("this seat is taken")
        self._taken[row][seat] = True

    def book(self, people):
        """Book neighbouring seats in one row for this many people.

        Take the first row, and there the leftmost seats, where they fit.
        Return the list of (row, seat). SoldOut if they fit nowhere;
        nothing is booked then. ValueError for less than one person.
        """
        if people < 1:
            raise ValueError("nobody to book for")
        for number, row in enumerate(self._taken):
            free = 0
            for seat, taken in enumerate(row):
                if not taken:
                    free += 1
                if free == people:
                    places = [(number, s) for s in range(seat - people + 1, seat + 1)]
                    for place in places:
                        self.take(*place)
                    return places
        raise SoldOut(f"no {people} seats together")
''',
        wrong="                if not taken:\n                    free += 1\n",
        right="                if not taken:\n                    free += 1\n                else:\n                    free = 0\n",
        visible="""
def test_empty_hall():
    hall = Hall(2, 4)
    assert hall.book(3) == [(0, 0), (0, 1), (0, 2)]
    assert hall.free_seats() == 5


def test_next_row():
    hall = Hall(2, 4)
    hall.book(3)
    assert hall.book(2) == [(1, 0), (1, 1)]


def test_single_seat_fills_the_rest():
    hall = Hall(2, 4)
    hall.book(3)
    assert hall.book(1) == [(0, 3)]


def test_not_across_a_taken_seat():
    hall = Hall(1, 6)
    hall.take(0, 1)
    assert hall.book(2) == [(0, 2), (0, 3)]


def test_sold_out():
    hall = Hall(2, 3)
    with pytest.raises(SoldOut):
        hall.book(4)
    assert hall.free_seats() == 6


def test_taken_seat():
    hall = Hall(1, 1)
    hall.take(0, 0)
    assert not hall.is_free(0, 0)
    with pytest.raises(ValueError):
        hall.take(0, 0)


def test_nobody():
    with pytest.raises(ValueError):
        Hall(1, 1).book(0)
""",
        hidden='''
def hall_of(*rows):
    """Rows such as "..x." with x for a taken seat."""
    hall = Hall(len(rows), len(rows[0]))
    for r, row in enumerate(rows):
        for s, mark in enumerate(row):
            if mark == "x":
                hall.take(r, s)
    return hall


@pytest.mark.parametrize("rows, people, expected", [
    (["x...", "...."], 3, [(0, 1), (0, 2), (0, 3)]),
    (["..x.", "...."], 3, [(1, 0), (1, 1), (1, 2)]),
    ([".x.x", "x.x.", "x..x"], 2, [(2, 1), (2, 2)]),
    (["xxxx", "xxx."], 1, [(1, 3)]),
    ([".x...x...."], 4, [(0, 6), (0, 7), (0, 8), (0, 9)]),
    ([".x..."], 3, [(0, 2), (0, 3), (0, 4)]),
])
def test_places(rows, people, expected):
    hall = hall_of(*rows)
    before = hall.free_seats()
    assert hall.book(people) == expected
    assert hall.free_seats() == before - people
    assert not any(hall.is_free(r, s) for r, s in expected)


def test_sold_out_by_gaps():
    hall = hall_of(".x.x.", "x.x.x")
    with pytest.raises(SoldOut):
        hall.book(2)
    assert hall.free_seats() == 5
    assert hall.is_free(0, 0)


def test_rows_do_not_run_on():
    hall = hall_of("xx.", ".xx")
    with pytest.raises(SoldOut):
        hall.book(2)
    assert hall.free_seats() == 2


def test_one_by_one_until_sold_out():
    hall = Hall(2, 2)
    assert [hall.book(1) for _ in range(4)] == [[(0, 0)], [(0, 1)], [(1, 0)], [(1, 1)]]
    with pytest.raises(SoldOut):
        hall.book(1)


def test_whole_row():
    hall = Hall(2, 3)
    hall.take(0, 1)
    assert hall.book(3) == [(1, 0), (1, 1), (1, 2)]


def test_negative_number():
    hall = Hall(1, 2)
    with pytest.raises(ValueError):
        hall.book(-1)
    assert hall.free_seats() == 2
''',
    ),
    # 19 --------------------------------------------------------------
    Program(
        name="rate_limit",
        code='''"""Limits on how often a user may do something."""
import time
from collections import defaultdict, deque


class RateLimiter:
    """Allow each user each action at most `limit` times in `window` seconds.

    Users and actions are counted separately. A call counts for exactly
    `window` seconds: one made at time t is forgotten at time t + window.
    """

    def __init__(self, limit, window, clock=time.monotonic):
        self.limit = limit
        self.window = window
        self._clock = clock
        self._calls = defaultdict(deque)

    def _recent(self, user, action):
        calls = self._calls[user, action]
        oldest = self._clock() - self.window
        while calls and calls[0] <= oldest:
            calls.popleft()
        return calls

    def allow(self, user, action):
        """Say whether the call is allowed; if so, it counts."""
        calls = self._recent(user, action)
        if len(calls) >= self.limit:
            return False
        calls.append(self._clock())
        return True

    def remaining(self, user, action):
        """Return how many calls are still allowed at the moment."""
        return self.limit - len(self._recent(action, user))

    def wait_time(self, user, action):
        """Return in how many seconds a call will be allowed (0: now)."""
        calls = self._recent(user, action)
        if len(calls) < self.limit:
            return 0
        return calls[0] + self.window - self._clock()
''',
        wrong="self._recent(action, user)",
        right="self._recent(user, action)",
        visible="""
class Clock:
    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def limiter(clock):
    return RateLimiter(2, 10, clock)


def test_limit(limiter):
    assert limiter.allow("ann", "post")
    assert limiter.allow("ann", "post")
    assert not limiter.allow("ann", "post")


def test_users_and_actions_are_separate(limiter):
    limiter.allow("ann", "post")
    limiter.allow("ann", "post")
    assert limiter.allow("bob", "post")
    assert limiter.allow("ann", "read")


def test_calls_expire(limiter, clock):
    limiter.allow("ann", "post")
    limiter.allow("ann", "post")
    clock.now = 9
    assert not limiter.allow("ann", "post")
    clock.now = 10
    assert limiter.allow("ann", "post")


def test_remaining_at_first(limiter):
    assert limiter.remaining("ann", "post") == 2


def test_remaining_goes_down(limiter):
    limiter.allow("ann", "post")
    assert limiter.remaining("ann", "post") == 1


def test_wait_time(limiter, clock):
    limiter.allow("ann", "post")
    clock.now = 3
    assert limiter.wait_time("ann", "post") == 0
    limiter.allow("ann", "post")
    assert limiter.wait_time("ann", "post") == 7
""",
        hidden="""
class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_remaining_through_time():
    clock = Clock()
    limiter = RateLimiter(3, 5, clock)
    seen = []
    for _ in range(12):
        limiter.allow("u", "a")
        seen.append(limiter.remaining("u", "a"))
        clock.now += 1
    assert seen == [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    clock.now += 10
    assert limiter.remaining("u", "a") == 3


def test_remaining_fits_allow():
    clock = Clock()
    limiter = RateLimiter(2, 4, clock)
    for _ in range(20):
        left = limiter.remaining("u", "a")
        assert limiter.allow("u", "a") == (left > 0)
        assert limiter.remaining("u", "a") == max(0, left - 1)
        clock.now += 1.5


def test_remaining_is_separate():
    limiter = RateLimiter(2, 4, Clock())
    limiter.allow("u", "a")
    assert limiter.remaining("u", "b") == 2
    assert limiter.remaining("v", "a") == 2
    assert limiter.remaining("a", "u") == 2
    assert limiter.remaining("u", "a") == 1


def test_user_named_like_an_action():
    limiter = RateLimiter(1, 4, Clock())
    assert limiter.allow("x", "y")
    assert limiter.allow("y", "x")
    assert not limiter.allow("x", "y")


def test_asking_does_not_count():
    limiter = RateLimiter(1, 4, Clock())
    for _ in range(3):
        assert limiter.remaining("u", "a") == 1
        assert limiter.wait_time("u", "a") == 0
    assert limiter.allow("u", "a")


def test_denied_calls_do_not_count():
    clock = Clock()
    limiter = RateLimiter(1, 4, clock)
    assert limiter.allow("u", "a")
    clock.now += 3
    assert not limiter.allow("u", "a")
    assert limiter.wait_time("u", "a") == 1
    clock.now += 1
    assert limiter.wait_time("u", "a") == 0
    assert limiter.allow("u", "a")


def test_real_clock():
    limiter = RateLimiter(1, 60)
    assert limiter.allow("u", "a")
    assert not limiter.allow("u", "a")
    assert 0 < limiter.wait_time("u", "a") <= 60
""",
    ),
    # 20 --------------------------------------------------------------
    Program(
        name="retry",
        code='''"""Trying again after failures."""
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Policy:
    """How often to try, and how long to wait between two attempts."""

    attempts: int = 3
    first_delay: float = 1.0
    factor: float = 2.0
    longest_delay: float = 30.0
    retry_on: tuple = (OSError,)

    def delay(self, failures):
        """Return the wait after so many failures (1, 2, ...).

        It starts with `first_delay`, grows by `factor` each time and
        never exceeds `longest_delay`.
        """
        delay = self.first_delay * self.factor ** (failures - 1)
        return min(delay, self.longest_delay)


def call(function, policy=Policy(), sleep=time.sleep):
    """Return function(), tried up to `policy.attempts` times.

    Only errors of the types in `retry_on` lead to another attempt, after
    the policy's delay; any other error is raised at once. If the last
    attempt fails, its error is raised, without any further wait.
    """
    if policy.attempts < 1:
        raise ValueError("there must be at least one attempt")
    for attempt in range(1, policy.attempts + 1):
        try:
            return function()
        except Exception as error:
            last = attempt == policy.attempts
            if last and not isinstance(error, policy.retry_on):
                raise
            sleep(policy.delay(attempt))
''',
        wrong="if last and not isinstance",
        right="if last or not isinstance",
        visible='''
class Flaky:
    """Raise these errors, one per call, then return "done"."""

    def __init__(self, *errors):
        self.errors = list(errors)
        self.calls = 0

    def __call__(self):
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


def test_first_attempt_succeeds():
    waits = []
    assert call(Flaky(), sleep=waits.append) == "done"
    assert waits == []


def test_succeeds_after_failures():
    waits = []
    function = Flaky(OSError(), OSError())
    assert call(function, sleep=waits.append) == "done"
    assert waits == [1, 2]


def test_gives_up():
    function = Flaky(OSError("a"), OSError("b"), OSError("c"), OSError("d"))
    with pytest.raises(OSError, match="c"):
        call(function, sleep=lambda seconds: None)
    assert function.calls == 3


def test_other_errors_are_raised_at_once():
    function = Flaky(KeyError("x"))
    with pytest.raises(KeyError):
        call(function, sleep=lambda seconds: None)
    assert function.calls == 1


def test_delay():
    policy = Policy(first_delay=1, factor=3, longest_delay=20)
    assert [policy.delay(n) for n in (1, 2, 3, 4)] == [1, 3, 9, 20]


def test_at_least_one_attempt():
    with pytest.raises(ValueError):
        call(Flaky(), Policy(attempts=0))
''',
        hidden="""
class Flaky:
    def __init__(self, *errors):
        self.errors = list(errors)
        self.calls = 0

    def __call__(self):
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return self.calls


@pytest.mark.parametrize("attempts", [1, 2, 3, 5])
def test_number_of_attempts_and_waits(attempts):
    waits = []
    function = Flaky(*[OSError(str(n)) for n in range(1, 20)])
    with pytest.raises(OSError) as caught:
        call(function, Policy(attempts=attempts), waits.append)
    assert str(caught.value) == str(attempts)
    assert function.calls == attempts
    assert waits == [2 ** n for n in range(attempts - 1)]


def test_last_attempt_may_succeed():
    assert call(Flaky(OSError(), OSError()), Policy(attempts=3), lambda s: None) == 3


def test_other_error_after_a_retry():
    waits = []
    function = Flaky(OSError(), ValueError("bad"), OSError())
    with pytest.raises(ValueError, match="bad"):
        call(function, Policy(attempts=5), waits.append)
    assert function.calls == 2
    assert waits == [1]


def test_other_error_in_the_last_attempt():
    function = Flaky(OSError(), ValueError("bad"))
    with pytest.raises(ValueError, match="bad"):
        call(function, Policy(attempts=2), lambda s: None)
    assert function.calls == 2


def test_own_error_types_and_subclasses():
    policy = Policy(attempts=4, retry_on=(KeyError, ConnectionError))
    function = Flaky(KeyError(), ConnectionResetError())
    assert call(function, policy, lambda s: None) == 3
    function = Flaky(FileNotFoundError())
    with pytest.raises(FileNotFoundError):
        call(function, policy, lambda s: None)
    assert function.calls == 1


def test_waits_are_capped():
    waits = []
    policy = Policy(attempts=6, first_delay=2, factor=2, longest_delay=7)
    call(Flaky(*[OSError()] * 5), policy, waits.append)
    assert waits == [2, 4, 7, 7, 7]


def test_no_attempts():
    function = Flaky()
    with pytest.raises(ValueError):
        call(function, Policy(attempts=-1), lambda s: None)
    assert function.calls == 0
""",
    ),
    # 21 --------------------------------------------------------------
    Program(
        name="config_merge",
        code='''"""Merging layers of configuration."""
import copy


def merge(base, override):
    """Return a new configuration: `base` overridden by `override`.

    Where both have a dict, the dicts are merged in the same way. Any
    other value of `override`, lists included, replaces that of `base`.
    A value of None removes the key. The result shares no dict or list
    with the arguments, which stay unchanged.
    """
    result = dict(base)
    for key, value in override.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merge(result[key], value)
        else:
            result[key] = copy.deepcopy(value)
    return result


def merge_all(layers):
    """Merge the layers one after another; later ones win."""
    result = {}
    for layer in layers:
        result = merge(result, layer)
    return result


def lookup(config, path, default=None):
    """Return the value at a dotted path such as "server.port".

    Return `default` if there is nothing at the path.
    """
    value = config
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            return default
        value = value[key]
    return value
''',
        wrong="    result = dict(base)\n",
        right="    result = copy.deepcopy(base)\n",
        visible="""
BASE = {"server": {"host": "localhost", "port": 80}, "tags": ["a"], "debug": False}


def test_override_value():
    assert merge(BASE, {"debug": True})["debug"] is True


def test_nested_dicts_are_merged():
    merged = merge(BASE, {"server": {"port": 8080}})
    assert merged["server"] == {"host": "localhost", "port": 8080}


def test_lists_are_replaced():
    assert merge(BASE, {"tags": ["b", "c"]})["tags"] == ["b", "c"]


def test_none_removes():
    assert "debug" not in merge(BASE, {"debug": None})


def test_result_is_independent():
    base = {"tags": ["a"], "server": {"port": 80}}
    merged = merge(base, {"debug": True})
    merged["tags"].append("b")
    merged["server"]["port"] = 1
    assert base == {"tags": ["a"], "server": {"port": 80}}


def test_merge_all():
    assert merge_all([{"a": 1}, {"a": 2, "b": 3}, {"b": None}]) == {"a": 2}


def test_lookup():
    assert lookup(BASE, "server.port") == 80
    assert lookup(BASE, "server.name", "none") == "none"
""",
        hidden="""
def test_lists_of_base_are_not_shared():
    base = {"a": [1, 2], "b": {"c": [3]}, "d": {"e": {"f": [4]}}}
    merged = merge(base, {"b": {"x": 1}, "d": {"e": {"y": 2}}})
    merged["a"].append(9)
    merged["b"]["c"].append(9)
    merged["d"]["e"]["f"].append(9)
    assert base == {"a": [1, 2], "b": {"c": [3]}, "d": {"e": {"f": [4]}}}


def test_nothing_overridden_still_copies():
    base = {"a": {"b": {"c": [1]}}, "l": [{"x": 1}]}
    merged = merge(base, {})
    assert merged == base
    merged["a"]["b"]["c"].append(2)
    merged["l"][0]["x"] = 2
    assert base == {"a": {"b": {"c": [1]}}, "l": [{"x": 1}]}


def test_override_is_not_shared():
    override = {"a": [1], "b": {"c": [2]}}
    merged = merge({"b": {}}, override)
    merged["a"].append(5)
    merged["b"]["c"].append(5)
    assert override == {"a": [1], "b": {"c": [2]}}


def test_arguments_unchanged():
    base, override = {"a": {"x": 1, "y": 2}}, {"a": {"x": None, "z": 3}, "q": None}
    assert merge(base, override) == {"a": {"y": 2, "z": 3}}
    assert base == {"a": {"x": 1, "y": 2}}
    assert override == {"a": {"x": None, "z": 3}, "q": None}


def test_dict_against_other_value():
    assert merge({"a": 1}, {"a": {"b": 2}}) == {"a": {"b": 2}}
    assert merge({"a": {"b": 2}}, {"a": 0}) == {"a": 0}
    assert merge({"a": {"b": 2}}, {"a": {}}) == {"a": {"b": 2}}
    assert merge({"a": {"b": 2}}, {"a": None}) == {}


def test_merge_all_shares_nothing():
    first, second = {"a": {"l": [1]}}, {"b": [2]}
    merged = merge_all([first, second])
    merged["a"]["l"].append(3)
    merged["b"].append(3)
    assert first == {"a": {"l": [1]}}
    assert second == {"b": [2]}
    assert merge_all([]) == {}


def test_lookup_edges():
    config = {"a": {"b": 0, "c": {"d": [1]}}}
    assert lookup(config, "a.b", 5) == 0
    assert lookup(config, "a.b.x", 5) == 5
    assert lookup(config, "a.c.d") == [1]
    assert lookup(config, "z") is None
""",
    ),
    # 22 --------------------------------------------------------------
    Program(
        name="csv_lines",
        code='''"""Reading and writing lines of delimited text."""

QUOTE = '"'


def split_line(line, delimiter=","):
    """Split a line into its fields.

    A field may be enclosed in double quotes; delimiters count as text
    there, and a quote is written as two quotes. ValueError if the
    closing quote is missing.
    """
    fields, text, quoted = [], "", False
    i = 0
    while i < len(line):
        char = line[i]
        if quoted:
            if char != QUOTE:
                text += char
            elif line[i + 1:i + 2] == QUOTE:
                text += QUOTE
                i += 1
            else:
                quoted = False
        elif char == QUOTE:
            quoted = True
        elif char == delimiter:
            fields.append(text)
            text = ""
        else:
            text += char
        i += 1
    if quoted:
        raise ValueError("the closing quote is missing")
    fields.append(text)
    return fields


def join_fields(fields, delimiter=","):
    """Make a line of the fields, so that split_line gets them back.

    Only fields that hold a delimiter or a quote are enclosed in quotes.
    """
    parts = []
    for field in fields:
        if "," in field or QUOTE in field:
            field = QUOTE + field.replace(QUOTE, QUOTE * 2) + QUOTE
        parts.append(field)
    return delimiter.join(parts)


def change_delimiter(line, old, new):
    """Return the line with the same fields and another delimiter."""
    return join_fields(split_line(line, old), new)
''',
        wrong="""if "," in field or""",
        right="""if delimiter in field or""",
        visible='''
def test_split_plain():
    assert split_line("a,b,c") == ["a", "b", "c"]


def test_split_empty_fields():
    assert split_line(",x,") == ["", "x", ""]


def test_split_quoted():
    assert split_line('"Doe, Jane",42') == ["Doe, Jane", "42"]
    assert split_line('"say ""hi""",x') == ['say "hi"', "x"]


def test_split_missing_quote():
    with pytest.raises(ValueError):
        split_line('"abc')


def test_join_with_commas():
    assert join_fields(["Doe, Jane", "42"]) == '"Doe, Jane",42'


def test_join_with_quotes():
    assert join_fields(['5" pipe', "x"]) == '"5"" pipe",x'


def test_join_with_semicolons():
    assert join_fields(["a;b", "c"], ";") == '"a;b";c'


def test_change_delimiter():
    assert change_delimiter("a,b,c", ",", ";") == "a;b;c"
''',
        hidden="""
FIELDS = ["", "plain", "a,b", "a;b", "tab\\there", 'quo"te', '"', ",", ";", "a|b", " space "]


@pytest.mark.parametrize("delimiter", [",", ";", "\\t", "|"])
def test_round_trip(delimiter):
    for first in FIELDS:
        for second in FIELDS:
            line = join_fields([first, second], delimiter)
            assert split_line(line, delimiter) == [first, second]


def test_only_necessary_quotes():
    assert join_fields(["a,b", "c"], ";") == "a,b;c"
    assert join_fields(["a;b", "c"], ",") == "a;b,c"
    assert join_fields(["a;b", "c,d"], "|") == "a;b|c,d"
    assert join_fields(["a|b", ""], "|") == '"a|b"|'
    assert join_fields(["a,b", "x y"]) == '"a,b",x y'


def test_change_delimiter_quotes_anew():
    assert change_delimiter('"1,5";x', ";", ",") == '"1,5",x'
    assert change_delimiter('"1,5",x', ",", ";") == "1,5;x"
    assert change_delimiter("a;b,c", ",", ";") == '"a;b";c'


def test_quotes_with_other_delimiter():
    assert join_fields(['a"b', "c"], ";") == '"a""b";c'
    assert join_fields(['a"b', "c"], "\\t") == '"a""b"\\tc'


def test_split_edges():
    assert split_line("") == [""]
    assert split_line('""') == [""]
    assert split_line('"",""') == ["", ""]
    assert split_line('"a;b";c', ";") == ["a;b", "c"]
    assert split_line("a,b;c", ";") == ["a,b", "c"]


def test_missing_quote_after_double_quote():
    with pytest.raises(ValueError):
        split_line('x,"a""')
""",
    ),
    # 23 --------------------------------------------------------------
    Program(
        name="template",
        code='''"""Filling in templates with {name} and {name:default}."""
import re

PLACEHOLDER = re.compile(r"[{](\\w+)(?::([^{}]*))?[}]")


class MissingValue(KeyError):
    """A placeholder has neither a value nor a default."""


def names(template):
    """Return the names of the placeholders, each once, in order."""
    found = []
    for match in PLACEHOLDER.finditer(template):
        if match.group(1) not in found:
            found.append(match.group(1))
    return found


def fill(template, values):
    """Replace each placeholder by its value, as str() writes it.

    The default is used if the name is not among the values or if its
    value is None; a default may be empty. Without a default, such a
    placeholder raises MissingValue.
    """
    def replacement(match):
        name, default = match.groups()
        value = values.get(name) or default
        if value is None:
            raise MissingValue(name)
        return str(value)

    return PLACEHOLDER.sub(replacement, template)


def fill_rows(template, rows, separator=", "):
    """Fill the template once for each row and join the results."""
    return separator.join(fill(template, row) for row in rows)
''',
        wrong="        value = values.get(name) or default\n",
        right="        value = values.get(name)\n        if value is None:\n            value = default\n",
        visible="""
def test_fill():
    assert fill("Dear {name},", {"name": "Ann"}) == "Dear Ann,"


def test_fill_numbers():
    assert fill("{count} of {total}", {"count": 3, "total": 12}) == "3 of 12"


def test_fill_zero():
    assert fill("{count} new messages", {"count": 0}) == "0 new messages"


def test_default():
    assert fill("Dear {name:customer},", {}) == "Dear customer,"
    assert fill("Dear {name:customer},", {"name": None}) == "Dear customer,"


def test_empty_default():
    assert fill("{title:}Smith", {}) == "Smith"


def test_missing():
    with pytest.raises(MissingValue):
        fill("{a} {b}", {"a": 1})


def test_names():
    assert names("{b} {a:x} {b}") == ["b", "a"]


def test_fill_rows():
    assert fill_rows("{a}-{b}", [{"a": 1, "b": 2}, {"a": 3, "b": 4}]) == "1-2, 3-4"
""",
        hidden="""
@pytest.mark.parametrize("value, text", [
    (0, "0"), (0.0, "0.0"), (False, "False"), ("", ""), ([], "[]"), (7, "7"), ("x", "x"),
])
def test_value_wins_over_default(value, text):
    assert fill("<{v:default}>", {"v": value}) == f"<{text}>"
    assert fill("<{v}>", {"v": value}) == f"<{text}>"
    assert fill("<{v:}>", {"v": value}) == f"<{text}>"


def test_none_needs_a_default():
    with pytest.raises(MissingValue):
        fill("{v}", {"v": None})
    assert fill("{v:-}", {"v": None}) == "-"
    assert fill("[{v:}]", {"v": None}) == "[]"


def test_missing_second_placeholder():
    with pytest.raises(MissingValue):
        fill("{first} {second}", {"first": 0})


def test_empty_default_is_a_default():
    assert fill("[{v:}]", {}) == "[]"


def test_values_are_not_filled_again():
    assert fill("{a}", {"a": "{b}"}) == "{b}"


def test_rows_with_zero():
    rows = [{"n": 0}, {"n": 1}, {}]
    assert fill_rows("{n:?}", rows) == "0, 1, ?"
    assert fill_rows("{n:?}", rows, "") == "01?"
    assert fill_rows("{n}", []) == ""


def test_text_without_placeholders():
    assert fill("no { braces } {}", {}) == "no { braces } {}"
    assert names("nothing") == []
""",
    ),
    # 24 --------------------------------------------------------------
    Program(
        name="best_stretch",
        code='''"""The best stretch of days in a series of daily results."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Stretch:
    start: int      # index of the first day
    end: int        # index after the last day
    total: float    # sum of the results in between


def best_stretch(results):
    """Return the stretch of at least one day with the highest total.

    Among equal totals, the one that ends first. ValueError without days.
    """
    if not results:
        raise ValueError("there are no days")
    best = Stretch(0, 1, 0)
    start, total = 0, 0
    for day, result in enumerate(results):
        if total < 0:
            start, total = day, 0
        total += result
        if total > best.total:
            best = Stretch(start, day + 1, total)
    return best


def worst_stretch(results):
    """Return the stretch of at least one day with the lowest total.

    Among equal totals, the one that ends first. ValueError without days.
    """
    mirrored = best_stretch([-result for result in results])
    return Stretch(mirrored.start, mirrored.end, -mirrored.total)


def swing(results):
    """Return how far the best and the worst total are apart."""
    return best_stretch(results).total - worst_stretch(results).total
''',
        wrong="    best = Stretch(0, 1, 0)\n",
        right="    best = Stretch(0, 1, results[0])\n",
        visible="""
def test_all_positive():
    assert best_stretch([1, 2, 3]) == Stretch(0, 3, 6)


def test_mixed():
    assert best_stretch([-2, 4, -1, 3, -5, 2]) == Stretch(1, 4, 6)


def test_negative_days_only():
    assert best_stretch([-4, -2, -7]) == Stretch(1, 2, -2)


def test_first_of_equal_totals():
    assert best_stretch([3, -5, 3]) == Stretch(0, 1, 3)


def test_worst():
    assert worst_stretch([5, -3, 1, -4, 6]) == Stretch(1, 4, -6)


def test_swing():
    assert swing([2, -3, 4]) == 7


def test_no_days():
    with pytest.raises(ValueError):
        best_stretch([])
""",
        hidden="""
from itertools import product


def highest(results):
    days = range(len(results))
    return max(sum(results[i:j + 1]) for i in days for j in days if i <= j)


def test_all_short_series():
    for size in (1, 2, 3, 4, 5):
        for series in product((-3, -1, 0, 2), repeat=size):
            series = list(series)
            best = best_stretch(series)
            assert best.total == highest(series)
            assert 0 <= best.start < best.end <= size
            assert sum(series[best.start:best.end]) == best.total
            first_end = min(j for i in range(size) for j in range(i + 1, size + 1)
                            if sum(series[i:j]) == best.total)
            assert best.end == first_end


def test_single_days():
    assert best_stretch([-5]) == Stretch(0, 1, -5)
    assert best_stretch([5]) == Stretch(0, 1, 5)
    assert best_stretch([0]) == Stretch(0, 1, 0)
    assert worst_stretch([5]) == Stretch(0, 1, 5)


def test_worst_of_positive_days():
    assert worst_stretch([4, 2, 7]) == Stretch(1, 2, 2)


def test_falling_and_rising_negatives():
    assert best_stretch([-1, -2, -3]) == Stretch(0, 1, -1)
    assert best_stretch([-3, -2, -1]) == Stretch(2, 3, -1)


def test_fractions():
    assert best_stretch([-0.5, -0.25]) == Stretch(1, 2, -0.25)


def test_swing_of_one_sign():
    assert swing([3]) == 0
    assert swing([-1, -2]) == 2
    assert swing([1, 2]) == 2


def test_no_days_at_all():
    for function in (best_stretch, worst_stretch, swing):
        with pytest.raises(ValueError):
            function([])
""",
    ),
)
