"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

PROGRAMS = (
    # ---------------------------------------------------------------- structures
    Program(
        name="t30_min_heap",
        code='''"""A binary min-heap."""


class MinHeap:
    def __init__(self, items=()):
        self._items = []
        for item in items:
            self.push(item)

    def __len__(self):
        return len(self._items)

    def push(self, item):
        items = self._items
        items.append(item)
        index = len(items) - 1
        while index > 0:
            parent = (index - 1) // 2
            if items[parent] <= items[index]:
                break
            items[parent], items[index] = items[index], items[parent]
            index = parent

    def pop(self):
        if not self._items:
            raise IndexError("pop from an empty heap")
        items = self._items
        top = items[0]
        last = items.pop()
        if items:
            items[0] = last
            self._sink(0)
        return top

    def _sink(self, index):
        items = self._items
        while True:
            smallest = index
            for child in (2 * index + 1, 2 * index + 2):
                if child < len(items) and items[child] < items[index]:
                    smallest = child
            if smallest == index:
                return
            items[smallest], items[index] = items[index], items[smallest]
            index = smallest
''',
        wrong="if child < len(items) and items[child] < items[index]:",
        right="if child < len(items) and items[child] < items[smallest]:",
        visible="""def drain(heap):
    return [heap.pop() for _ in range(len(heap))]


def test_empty():
    with pytest.raises(IndexError):
        MinHeap().pop()


def test_single():
    heap = MinHeap([4])
    assert heap.pop() == 4
    assert len(heap) == 0


def test_ascending_input():
    assert drain(MinHeap([1, 2, 3, 4, 5, 6, 7])) == [1, 2, 3, 4, 5, 6, 7]


def test_descending_input():
    assert drain(MinHeap([6, 5, 4, 3, 2, 1])) == [1, 2, 3, 4, 5, 6]


def test_duplicates():
    assert drain(MinHeap([2, 2, 1, 1])) == [1, 1, 2, 2]
""",
        hidden="""def drain(heap):
    return [heap.pop() for _ in range(len(heap))]


def test_mixed():
    values = [9, 3, 7, 1, 8, 2, 5]
    assert drain(MinHeap(values)) == sorted(values)


def test_words():
    values = ["pear", "apple", "fig", "kiwi", "date"]
    assert drain(MinHeap(values)) == sorted(values)


def test_interleaved():
    heap = MinHeap([1, 2, 4, 3])
    assert heap.pop() == 1
    heap.push(0)
    assert drain(heap) == [0, 2, 3, 4]


def test_ordered_four():
    assert drain(MinHeap([1, 2, 3, 9])) == [1, 2, 3, 9]
""",
    ),
    Program(
        name="t30_ring_buffer",
        code='''"""A buffer of fixed capacity that drops its oldest item."""


class RingBuffer:
    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self._slots = [None] * capacity
        self._start = 0
        self._size = 0

    def __len__(self):
        return self._size

    def append(self, item):
        capacity = len(self._slots)
        end = (self._start + self._size) % capacity
        self._slots[end] = item
        if self._size == capacity:
            self._start = (self._start + 1) % capacity
        else:
            self._size += 1

    def popleft(self):
        if not self._size:
            raise IndexError("empty buffer")
        item = self._slots[self._start]
        self._slots[self._start] = None
        self._start = (self._start + 1) % self._size
        self._size -= 1
        return item

    def to_list(self):
        capacity = len(self._slots)
        return [self._slots[(self._start + k) % capacity] for k in range(self._size)]
''',
        wrong="self._start = (self._start + 1) % self._size",
        right="self._start = (self._start + 1) % len(self._slots)",
        visible="""def test_capacity():
    with pytest.raises(ValueError):
        RingBuffer(0)


def test_append_in_order():
    buffer = RingBuffer(3)
    buffer.append("a")
    buffer.append("b")
    assert buffer.to_list() == ["a", "b"]
    assert len(buffer) == 2


def test_overwrites_oldest():
    buffer = RingBuffer(2)
    for item in (1, 2, 3):
        buffer.append(item)
    assert buffer.to_list() == [2, 3]


def test_pop_all():
    buffer = RingBuffer(4)
    for item in (1, 2, 3):
        buffer.append(item)
    assert [buffer.popleft() for _ in range(3)] == [1, 2, 3]
    assert buffer.to_list() == []


def test_pop_empty():
    with pytest.raises(IndexError):
        RingBuffer(2).popleft()
""",
        hidden="""def test_four_of_five():
    buffer = RingBuffer(5)
    for item in "wxyz":
        buffer.append(item)
    assert [buffer.popleft() for _ in range(4)] == ["w", "x", "y", "z"]


def test_pop_of_full():
    buffer = RingBuffer(3)
    for item in (1, 2, 3, 4):
        buffer.append(item)
    assert buffer.popleft() == 2
    assert buffer.to_list() == [3, 4]


def test_wraps():
    buffer = RingBuffer(3)
    for item in range(5):
        buffer.append(item)
    buffer.popleft()
    buffer.popleft()
    buffer.append(9)
    buffer.append(8)
    assert buffer.popleft() == 4
    assert buffer.to_list() == [9, 8]


def test_as_queue():
    buffer = RingBuffer(2)
    seen = []
    for item in range(6):
        buffer.append(item)
        seen.append(buffer.popleft())
    assert seen == [0, 1, 2, 3, 4, 5]
""",
    ),
    Program(
        name="t30_search_tree",
        code='''"""An unbalanced search tree with deletion."""


class Node:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None


def insert(node, key):
    if node is None:
        return Node(key)
    if key < node.key:
        node.left = insert(node.left, key)
    elif key > node.key:
        node.right = insert(node.right, key)
    return node


def delete(node, key):
    if node is None:
        return None
    if key < node.key:
        node.left = delete(node.left, key)
    elif key > node.key:
        node.right = delete(node.right, key)
    elif node.left is None:
        return node.right
    elif node.right is None:
        return node.left
    else:
        heir = node.right
        while heir.left:
            heir = heir.left
        node.key = heir.key
        node.right = delete(node.right, key)
    return node


def keys(node):
    if node is None:
        return []
    return keys(node.left) + [node.key] + keys(node.right)
''',
        wrong="        node.key = heir.key\n        node.right = delete(node.right, key)",
        right="        node.key = heir.key\n        node.right = delete(node.right, heir.key)",
        visible="""def build(*items):
    root = None
    for item in items:
        root = insert(root, item)
    return root


def test_insert_sorted():
    assert keys(build(3, 1, 2, 5, 4)) == [1, 2, 3, 4, 5]


def test_delete_leaf():
    assert keys(delete(build(2, 1, 3), 3)) == [1, 2]


def test_delete_absent():
    assert keys(delete(build(2, 1, 3), 7)) == [1, 2, 3]


def test_delete_one_child():
    assert keys(delete(build(2, 3, 4), 3)) == [2, 4]


def test_delete_two_children():
    assert keys(delete(build(5, 3, 8, 7, 9), 8)) == [3, 5, 7, 9]


def test_delete_only():
    assert delete(build(1), 1) is None
""",
        hidden="""def build(*items):
    root = None
    for item in items:
        root = insert(root, item)
    return root


def test_delete_root():
    assert keys(delete(build(2, 1, 3), 2)) == [1, 3]


def test_deep_heir():
    root = delete(build(10, 5, 20, 15, 25, 12, 13), 10)
    assert keys(root) == [5, 12, 13, 15, 20, 25]
    assert root.key == 12


def test_delete_all():
    root = build(4, 2, 6, 1, 3, 5, 7)
    for key in (4, 2, 6, 1, 3, 5, 7):
        root = delete(root, key)
    assert root is None


def test_duplicates_ignored():
    assert keys(build("b", "a", "b")) == ["a", "b"]
""",
    ),
    Program(
        name="t30_trie",
        code='''"""A set of words with look-up by prefix."""


class Trie:
    def __init__(self, words=()):
        self._root = {}
        self._count = 0
        for word in words:
            self.add(word)

    def __len__(self):
        return self._count

    def add(self, word):
        node = self._root
        for letter in word:
            node = node.setdefault(letter, {})
        if "" not in node:
            node[""] = word
            self._count += 1

    def __contains__(self, word):
        node = self._find(word)
        return node is not None

    def starting_with(self, prefix):
        node = self._find(prefix)
        if node is None:
            return []
        found = []
        pending = [node]
        while pending:
            current = pending.pop()
            for letter, child in current.items():
                if letter == "":
                    found.append(child)
                else:
                    pending.append(child)
        return sorted(found)

    def _find(self, prefix):
        node = self._root
        for letter in prefix:
            if letter not in node:
                return None
            node = node[letter]
        return node
''',
        wrong="return node is not None",
        right='return node is not None and "" in node',
        visible="""def test_contains():
    trie = Trie(["car", "cart"])
    assert "car" in trie
    assert "cart" in trie
    assert "dog" not in trie


def test_prefix_is_no_word():
    trie = Trie(["hello"])
    assert "hell" not in trie


def test_starting_with():
    trie = Trie(["tea", "ten", "to", "inn"])
    assert trie.starting_with("te") == ["tea", "ten"]
    assert trie.starting_with("x") == []


def test_length():
    assert len(Trie(["a", "b", "a"])) == 2


def test_all_words():
    assert Trie(["b", "a"]).starting_with("") == ["a", "b"]
""",
        hidden="""def test_empty_word():
    assert "" not in Trie(["a"])
    assert "" in Trie([""])


def test_inner_word_added_later():
    trie = Trie(["under"])
    assert "und" not in trie
    trie.add("und")
    assert "und" in trie


def test_longer_than_word():
    assert "cars" not in Trie(["car"])


def test_prefix_includes_itself():
    assert Trie(["do", "dog", "done"]).starting_with("do") == ["do", "dog", "done"]
""",
    ),
    Program(
        name="t30_fenwick",
        code='''"""Prefix sums that can be changed: a Fenwick tree."""


class Fenwick:
    def __init__(self, values):
        self._size = len(values)
        self._tree = [0] * (self._size + 1)
        for index, value in enumerate(values):
            self.add(index, value)

    def add(self, index, amount):
        """Add amount to the value at index, counted from 0."""
        index += 1
        while index < self._size:
            self._tree[index] += amount
            index += index & -index

    def prefix(self, count):
        """The sum of the first count values."""
        total = 0
        while count > 0:
            total += self._tree[count]
            count -= count & -count
        return total

    def between(self, start, stop):
        """The sum of values[start:stop]."""
        return self.prefix(stop) - self.prefix(start)
''',
        wrong="while index < self._size:",
        right="while index <= self._size:",
        visible="""def test_prefix_zero():
    assert Fenwick([1, 2, 3]).prefix(0) == 0


def test_prefix():
    tree = Fenwick([1, 2, 3, 4, 5])
    assert tree.prefix(2) == 3
    assert tree.prefix(4) == 10


def test_whole():
    assert Fenwick([5, 1, 1, 3]).prefix(4) == 10


def test_between():
    tree = Fenwick([2, 7, 1, 8, 2, 8])
    assert tree.between(1, 4) == 16


def test_add():
    tree = Fenwick([0, 0, 0, 0])
    tree.add(1, 5)
    assert tree.prefix(1) == 0
    assert tree.prefix(3) == 5
""",
        hidden="""def test_single():
    assert Fenwick([7]).prefix(1) == 7


def test_every_range():
    values = [3, -1, 4, 1, -5, 9, 2]
    tree = Fenwick(values)
    for start in range(8):
        for stop in range(start, 8):
            assert tree.between(start, stop) == sum(values[start:stop])


def test_add_last():
    tree = Fenwick([1, 1, 1])
    tree.add(2, 4)
    assert tree.prefix(3) == 7
    assert tree.between(0, 2) == 2


def test_empty():
    assert Fenwick([]).prefix(0) == 0
""",
    ),
    Program(
        name="t30_linked_list",
        code='''"""A singly linked list that knows its tail."""


class Cell:
    def __init__(self, value, after=None):
        self.value = value
        self.after = after


class LinkedList:
    def __init__(self, values=()):
        self.head = None
        self.tail = None
        for value in values:
            self.append(value)

    def append(self, value):
        cell = Cell(value)
        if self.head is None:
            self.head = cell
        else:
            self.tail.after = cell
        self.tail = cell

    def remove(self, value):
        """Remove the first cell that holds value; tell whether there was one."""
        before = None
        cell = self.head
        while cell is not None and cell.value != value:
            before, cell = cell, cell.after
        if cell is None:
            return False
        if before is None:
            self.head = cell.after
        else:
            before.after = cell.after
        if cell is self.tail:
            self.tail = cell.after
        return True

    def __iter__(self):
        cell = self.head
        while cell is not None:
            yield cell.value
            cell = cell.after
''',
        wrong="self.tail = cell.after",
        right="self.tail = before",
        visible="""def test_append():
    assert list(LinkedList([1, 2, 3])) == [1, 2, 3]


def test_remove_head():
    items = LinkedList([1, 2, 3])
    assert items.remove(1)
    assert list(items) == [2, 3]


def test_remove_absent():
    items = LinkedList("ab")
    assert not items.remove("c")
    assert list(items) == ["a", "b"]


def test_remove_last_then_append():
    items = LinkedList([1, 2, 3])
    assert items.remove(3)
    items.append(4)
    assert list(items) == [1, 2, 4]


def test_remove_only():
    items = LinkedList([1])
    items.remove(1)
    assert list(items) == []
    items.append(2)
    assert list(items) == [2]
""",
        hidden="""def test_tail_after_removal():
    items = LinkedList("xyz")
    items.remove("z")
    assert items.tail.value == "y"
    assert items.tail.after is None


def test_remove_middle():
    items = LinkedList([1, 2, 3])
    items.remove(2)
    assert items.tail.value == 3
    assert list(items) == [1, 3]


def test_remove_from_the_end():
    items = LinkedList([1, 2, 3])
    items.remove(3)
    items.remove(2)
    items.append(5)
    items.append(6)
    assert list(items) == [1, 5, 6]


def test_first_of_equal():
    items = LinkedList([1, 2, 1])
    items.remove(1)
    assert list(items) == [2, 1]
""",
    ),
    Program(
        name="t30_lfu_cache",
        code='''"""A cache that evicts the entry that was used least."""


class LfuCache:
    def __init__(self, capacity):
        self.capacity = capacity
        self._values = {}
        self._uses = {}
        self._clock = 0

    def get(self, key, default=None):
        if key not in self._values:
            return default
        self._touch(key)
        return self._values[key]

    def put(self, key, value):
        if self.capacity < 1:
            return
        if key not in self._values and len(self._values) >= self.capacity:
            self._evict()
        self._values[key] = value
        self._touch(key)

    def keys(self):
        return sorted(self._values)

    def _touch(self, key):
        self._clock += 1
        count, _ = self._uses.get(key, (0, 0))
        self._uses[key] = (count + 1, self._clock)

    def _evict(self):
        """Drop the least used entry; of several, the one idle for longest."""
        victim = min(self._values, key=self._uses.get)
        del self._values[victim]
        self._uses[victim] = (1, 0)
''',
        wrong="self._uses[victim] = (1, 0)",
        right="del self._uses[victim]",
        visible="""def test_miss():
    cache = LfuCache(2)
    assert cache.get("a") is None
    assert cache.get("a", 5) == 5


def test_evicts_least_used():
    cache = LfuCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]


def test_tie_goes_to_idle():
    cache = LfuCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("c", 3)
    assert cache.keys() == ["b", "c"]


def test_evicted_starts_afresh():
    cache = LfuCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("c", 3)
    cache.put("a", 4)
    cache.put("d", 5)
    cache.put("e", 6)
    assert cache.keys() == ["d", "e"]


def test_zero_capacity():
    cache = LfuCache(0)
    cache.put("a", 1)
    assert cache.keys() == []
""",
        hidden="""def test_returning_key_is_no_favourite():
    cache = LfuCache(1)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    cache.capacity = 2
    cache.put("d", 4)
    cache.put("e", 5)
    assert cache.keys() == ["d", "e"]


def test_count_of_returning_key():
    cache = LfuCache(2)
    cache.put("x", 0)
    cache.put("y", 0)
    cache.get("y")
    cache.put("z", 0)
    cache.put("x", 1)
    cache.get("y")
    assert cache.keys() == ["x", "y"]
    cache.put("w", 2)
    assert cache.keys() == ["w", "y"]


def test_update_counts_as_use():
    cache = LfuCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    cache.put("c", 4)
    assert cache.keys() == ["a", "c"]
    assert cache.get("a") == 3


def test_get_then_two_evictions():
    cache = LfuCache(2)
    cache.put(1, "one")
    cache.put(2, "two")
    cache.get(1)
    cache.get(1)
    cache.put(3, "three")
    cache.put(4, "four")
    assert cache.keys() == [1, 4]
""",
    ),
    # ---------------------------------------------------------------- recursion
    Program(
        name="t30_flatten_depth",
        code='''"""Flatten nested lists, down to a depth."""


def flatten(items, depth=None):
    """The items of nested lists and tuples; with depth, only that many levels."""
    if depth == 0:
        return list(items)
    flat = []
    for item in items:
        if isinstance(item, (list, tuple)):
            below = None if depth is None else depth - 1
            flat.extend(flatten(item, depth))
        else:
            flat.append(item)
    return flat


def depth_of(item):
    """How deeply lists are nested: 0 for anything else."""
    if not isinstance(item, (list, tuple)):
        return 0
    return 1 + max((depth_of(part) for part in item), default=0)
''',
        wrong="flat.extend(flatten(item, depth))",
        right="flat.extend(flatten(item, below))",
        visible="""def test_flat():
    assert flatten([1, 2]) == [1, 2]


def test_all_levels():
    assert flatten([1, [2, [3, (4,)]]]) == [1, 2, 3, 4]


def test_one_level():
    assert flatten([1, [2, [3]]], 1) == [1, 2, [3]]


def test_no_level():
    assert flatten([1, [2]], 0) == [1, [2]]


def test_depth_of():
    assert depth_of(5) == 0
    assert depth_of([]) == 1
    assert depth_of([1, [2, [3]]]) == 3
""",
        hidden="""def test_two_levels():
    assert flatten([[[["a"]]]], 2) == [["a"]]


def test_deeper_than_needed():
    assert flatten([[1], [[2]]], 9) == [1, 2]


def test_strings_stay():
    assert flatten(["ab", ["cd"]]) == ["ab", "cd"]


def test_depth_falls_by_one():
    nested = [[[[1]]], 2]
    assert depth_of(nested) == 4
    assert depth_of(flatten(nested, 1)) == 3
""",
    ),
    Program(
        name="t30_multiset_permutations",
        code='''"""All distinct orders of items that may repeat."""


def arrangements(items):
    """The distinct orders of items as tuples, in ascending order."""
    found = []
    pool = sorted(items)
    _extend([], pool, [False] * len(pool), found)
    return found


def _extend(chosen, pool, used, found):
    if len(chosen) == len(pool):
        found.append(tuple(chosen))
        return
    for index, item in enumerate(pool):
        if used[index]:
            continue
        if index > 0 and pool[index - 1] == item or not used[index - 1]:
            continue
        used[index] = True
        chosen.append(item)
        _extend(chosen, pool, used, found)
        chosen.pop()
        used[index] = False
''',
        wrong="if index > 0 and pool[index - 1] == item or not used[index - 1]:",
        right="if index > 0 and pool[index - 1] == item and not used[index - 1]:",
        visible="""def test_nothing():
    assert arrangements([]) == [()]


def test_two():
    assert arrangements("ba") == [("a", "b"), ("b", "a")]


def test_equal_items():
    assert arrangements([7, 7, 7]) == [(7, 7, 7)]


def test_one_repeated():
    assert arrangements([1, 2, 1]) == [(1, 1, 2), (1, 2, 1), (2, 1, 1)]
""",
        hidden="""def test_single():
    assert arrangements([3]) == [(3,)]


def test_three():
    assert len(arrangements("abc")) == 6
    assert arrangements("cab")[0] == ("a", "b", "c")
    assert arrangements("cab")[-1] == ("c", "b", "a")


def test_two_pairs():
    result = arrangements([1, 1, 2, 2])
    assert len(result) == 6
    assert result == sorted(set(result))


def test_count_of_word():
    assert len(arrangements("banana")) == 60
""",
    ),
    Program(
        name="t30_expression",
        code='''"""Expressions as nested tuples: evaluate and print them."""

PRIORITY = {"+": 1, "-": 1, "*": 2, "/": 2}


def evaluate(tree, names=None):
    """The value of a number, a name or a tuple (operator, left, right)."""
    if isinstance(tree, str):
        return (names or {})[tree]
    if not isinstance(tree, tuple):
        return tree
    operator, left, right = tree
    a, b = evaluate(left, names), evaluate(right, names)
    if operator == "+":
        return a + b
    if operator == "-":
        return a - b
    if operator == "*":
        return a * b
    if operator == "/":
        return a / b
    raise ValueError(operator)


def show(tree, outer=0):
    """Text of tree with no more brackets than needed."""
    if not isinstance(tree, tuple):
        return str(tree)
    operator, left, right = tree
    level = PRIORITY[operator]
    text = f"{show(left, level)} {operator} {show(right, level)}"
    return f"({text})" if level < outer else text
''',
        wrong='text = f"{show(left, level)} {operator} {show(right, level)}"',
        right='text = f"{show(left, level)} {operator} {show(right, level + 1)}"',
        visible="""def test_evaluate():
    assert evaluate(("+", 1, ("*", 2, 3))) == 7
    assert evaluate(("-", "x", 1), {"x": 5}) == 4


def test_unknown_operator():
    with pytest.raises(ValueError):
        evaluate(("%", 1, 2))


def test_show_plain():
    assert show(("+", 1, ("*", "x", 3))) == "1 + x * 3"


def test_show_brackets():
    assert show(("*", ("+", 1, 2), 3)) == "(1 + 2) * 3"


def test_show_right_of_minus():
    assert show(("-", 1, ("-", 2, 3))) == "1 - (2 - 3)"


def test_show_left_of_minus():
    assert show(("-", ("-", 1, 2), 3)) == "1 - 2 - 3"
""",
        hidden="""def test_division_right():
    assert show(("/", "a", ("*", "b", "c"))) == "a / (b * c)"


def test_division_left():
    assert show(("/", ("*", "a", "b"), "c")) == "a * b / c"


def test_product_of_sums():
    assert show(("*", ("-", 1, 2), ("+", 3, 4))) == "(1 - 2) * (3 + 4)"


def test_text_has_same_value():
    for tree in [
        ("-", 10, ("+", 3, 4)),
        ("/", 12, ("/", 6, 2)),
        ("+", ("-", 5, 1), ("*", 2, ("-", 9, 4))),
    ]:
        assert eval(show(tree)) == evaluate(tree)


def test_leaf():
    assert show("y") == "y"
""",
    ),
    Program(
        name="t30_partitions",
        code='''"""Ways to write a number as a sum."""


def partitions(total, largest=None):
    """Every falling tuple of positive integers that sum to total."""
    if largest is None:
        largest = total
    if total == 0:
        return [()]
    result = []
    for part in range(min(total, largest), 0, -1):
        for rest in partitions(total - part, part):
            result.append((part,) + rest)
    return result


def distinct_partitions(total, largest=None):
    """As partitions, but no part occurs twice."""
    if largest is None:
        largest = total
    if total == 0:
        return [()]
    result = []
    for part in range(min(total, largest), 0, -1):
        for rest in distinct_partitions(total - part, largest - 1):
            result.append((part,) + rest)
    return result
''',
        wrong="for rest in distinct_partitions(total - part, largest - 1):",
        right="for rest in distinct_partitions(total - part, part - 1):",
        visible="""def test_zero():
    assert partitions(0) == [()]
    assert distinct_partitions(0) == [()]


def test_partitions():
    assert partitions(4) == [(4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1)]


def test_largest():
    assert partitions(4, 2) == [(2, 2), (2, 1, 1), (1, 1, 1, 1)]


def test_distinct():
    assert distinct_partitions(5) == [(5,), (4, 1), (3, 2)]


def test_distinct_one():
    assert distinct_partitions(1) == [(1,)]
""",
        hidden="""def test_counts():
    assert [len(partitions(n)) for n in range(8)] == [1, 1, 2, 3, 5, 7, 11, 15]


def test_distinct_counts():
    assert [len(distinct_partitions(n)) for n in range(8)] == [1, 1, 1, 2, 2, 3, 4, 5]


def test_distinct_largest():
    assert distinct_partitions(6, 3) == [(3, 2, 1)]


def test_distinct_are_sets():
    for parts in distinct_partitions(9):
        assert len(set(parts)) == len(parts)
        assert sum(parts) == 9
""",
    ),
    Program(
        name="t30_hanoi",
        code='''"""The towers of Hanoi."""


def hanoi(count, source="A", target="C", spare="B"):
    """The moves (disc, from, to) that carry count discs from source to target."""
    if count == 0:
        return []
    moves = hanoi(count - 1, source, spare, target)
    moves.append((count, source, target))
    moves += hanoi(count - 1, spare, source, target)
    return moves


def play(moves, count, source="A"):
    """The pegs after the moves; ValueError for a move against the rules."""
    pegs = {"A": [], "B": [], "C": []}
    pegs[source] = list(range(count, 0, -1))
    for disc, start, end in moves:
        if not pegs[start] or pegs[start][-1] != disc:
            raise ValueError(f"disc {disc} is not on top of {start}")
        if pegs[end] and pegs[end][-1] < disc:
            raise ValueError(f"disc {disc} is too large for {end}")
        pegs[end].append(pegs[start].pop())
    return pegs
''',
        wrong="moves += hanoi(count - 1, spare, source, target)",
        right="moves += hanoi(count - 1, spare, target, source)",
        visible="""def test_none():
    assert hanoi(0) == []


def test_one():
    assert hanoi(1) == [(1, "A", "C")]


def test_two():
    assert hanoi(2) == [(1, "A", "B"), (2, "A", "C"), (1, "B", "C")]


def test_number_of_moves():
    assert len(hanoi(4)) == 15


def test_play_refuses():
    with pytest.raises(ValueError):
        play([(1, "A", "C"), (2, "A", "C")], 2)
    with pytest.raises(ValueError):
        play([(2, "A", "C")], 2)
""",
        hidden="""def test_three_played():
    assert play(hanoi(3), 3) == {"A": [], "B": [], "C": [3, 2, 1]}


def test_six_played():
    assert play(hanoi(6), 6)["C"] == [6, 5, 4, 3, 2, 1]


def test_other_pegs():
    moves = hanoi(2, "B", "A", "C")
    assert moves == [(1, "B", "C"), (2, "B", "A"), (1, "C", "A")]
    assert play(moves, 2, "B")["A"] == [2, 1]


def test_largest_moves_once():
    assert [move for move in hanoi(5) if move[0] == 5] == [(5, "A", "C")]
""",
    ),
    Program(
        name="t30_deep_merge",
        code='''"""Merge nested settings without changing them."""


def merge(base, extra):
    """A new dict: base overlaid with extra, dicts in both merged likewise.

    A value of None in extra removes the key.
    """
    result = dict(base)
    for key, value in extra.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merge(value, result[key])
        else:
            result[key] = value
    return result


def lookup(tree, path, default=None):
    """The value at a dotted path."""
    head, _, rest = path.partition(".")
    if not isinstance(tree, dict) or head not in tree:
        return default
    if not rest:
        return tree[head]
    return lookup(tree[head], rest, default)
''',
        wrong="result[key] = merge(value, result[key])",
        right="result[key] = merge(result[key], value)",
        visible="""def test_flat():
    assert merge({"a": 1, "b": 2}, {"b": 3, "c": 4}) == {"a": 1, "b": 3, "c": 4}


def test_remove():
    assert merge({"a": 1, "b": 2}, {"a": None}) == {"b": 2}


def test_nested_override():
    base = {"db": {"host": "x", "port": 1}}
    assert merge(base, {"db": {"port": 2}}) == {"db": {"host": "x", "port": 2}}
    assert base == {"db": {"host": "x", "port": 1}}


def test_nested_addition():
    assert merge({"a": {"x": 1}}, {"a": {"y": 2}}) == {"a": {"x": 1, "y": 2}}


def test_lookup():
    tree = {"a": {"b": {"c": 5}}}
    assert lookup(tree, "a.b.c") == 5
    assert lookup(tree, "a.x", "no") == "no"
""",
        hidden="""def test_nested_removal():
    assert merge({"a": {"x": 1, "y": 2}}, {"a": {"x": None}}) == {"a": {"y": 2}}


def test_three_levels():
    base = {"a": {"b": {"c": 1, "d": 2}}}
    assert merge(base, {"a": {"b": {"c": 9}}}) == {"a": {"b": {"c": 9, "d": 2}}}


def test_dict_over_scalar():
    assert merge({"a": 1}, {"a": {"b": 2}}) == {"a": {"b": 2}}


def test_scalar_over_dict():
    assert merge({"a": {"b": 2}}, {"a": 0}) == {"a": 0}


def test_lookup_of_merged():
    assert lookup(merge({"ui": {"theme": "light"}}, {"ui": {"theme": "dark"}}), "ui.theme") == "dark"
""",
    ),
    Program(
        name="t30_change_ways",
        code='''"""Paying an amount with coins."""

from functools import lru_cache


def ways(amount, coins):
    """In how many ways can coins (each as often as one likes) make amount?"""
    kinds = tuple(sorted(set(coins), reverse=True))

    @lru_cache(maxsize=None)
    def count(rest, index):
        if rest == 0:
            return 1
        if rest < 0 or index == len(kinds):
            return 0
        return count(rest - kinds[index], index + 1) + count(rest, index + 1)

    return count(amount, 0)


def fewest(amount, coins):
    """The least number of coins that make amount, or None."""
    best = [0] + [None] * amount
    for value in range(1, amount + 1):
        options = [best[value - coin] for coin in coins if coin <= value]
        options = [option for option in options if option is not None]
        if options:
            best[value] = min(options) + 1
    return best[amount]
''',
        wrong="return count(rest - kinds[index], index + 1) + count(rest, index + 1)",
        right="return count(rest - kinds[index], index) + count(rest, index + 1)",
        visible="""def test_nothing_to_pay():
    assert ways(0, [1, 2]) == 1


def test_impossible():
    assert ways(3, [2]) == 0
    assert fewest(3, [2]) is None


def test_small():
    assert ways(4, [1, 2]) == 3


def test_classic():
    assert ways(10, [1, 5, 10]) == 4


def test_fewest():
    assert fewest(6, [1, 3, 4]) == 2
    assert fewest(0, [5]) == 0
""",
        hidden="""def test_one_coin():
    assert ways(9, [3]) == 1


def test_hundred():
    assert ways(100, [1, 5, 10, 25, 50]) == 292


def test_repeated_coins_count_once():
    assert ways(5, [1, 5, 5]) == 2


def test_fewest_reuses():
    assert fewest(12, [4, 5]) == 3


def test_negative():
    assert ways(-1, [1]) == 0
""",
    ),
    # ---------------------------------------------------------------- strings
    Program(
        name="t30_run_length",
        code='''"""Run-length coding of text without digits."""


def encode(text):
    parts = []
    count = 0
    previous = ""
    for letter in text:
        if letter.isdigit():
            raise ValueError("digits cannot be encoded")
        if letter == previous:
            count += 1
            continue
        if previous:
            parts.append(_run(previous, count))
        previous = letter
        count = 0
    if previous:
        parts.append(_run(previous, count))
    return "".join(parts)


def _run(letter, count):
    return letter if count == 1 else f"{count}{letter}"


def decode(code):
    text = ""
    number = ""
    for letter in code:
        if letter.isdigit():
            number += letter
        else:
            text += letter * int(number or 1)
            number = ""
    return text
''',
        wrong="previous = letter\n        count = 0",
        right="previous = letter\n        count = 1",
        visible="""def test_empty():
    assert encode("") == ""
    assert decode("") == ""


def test_single_letters():
    assert encode("abc") == "abc"


def test_runs():
    assert encode("aaabcc") == "3ab2c"


def test_digits_refused():
    with pytest.raises(ValueError):
        encode("a1")


def test_decode():
    assert decode("3ab12c") == "aaab" + "c" * 12
""",
        hidden="""def test_there_and_back():
    for text in ["x", "xxyyyz", "hello, woorld", "  a  "]:
        assert decode(encode(text)) == text


def test_long_run():
    assert encode("z" * 15) == "15z"


def test_pairs():
    assert encode("aabb") == "2a2b"


def test_separate_runs():
    assert encode("aba") == "aba"
""",
    ),
    Program(
        name="t30_wrap",
        code='''"""Break text into lines of limited width."""


def wrap(text, width):
    if width < 1:
        raise ValueError("width must be positive")
    lines = []
    line = ""
    for word in text.split():
        while len(word) > width:
            if line:
                lines.append(line)
                line = ""
            lines.append(word[:width])
            word = word[width:]
        if not line:
            line = word
        elif len(line) + len(word) <= width:
            line += " " + word
        else:
            lines.append(line)
            line = word
    if line:
        lines.append(line)
    return lines


def indent(text, width, margin):
    pad = " " * margin
    return "\\n".join(pad + line for line in wrap(text, width - margin))
''',
        wrong="elif len(line) + len(word) <= width:",
        right="elif len(line) + 1 + len(word) <= width:",
        visible="""def test_empty():
    assert wrap("  ", 5) == []


def test_fits():
    assert wrap("one two", 20) == ["one two"]


def test_exact():
    assert wrap("one two three", 7) == ["one two", "three"]


def test_one_short():
    assert wrap("one two three", 6) == ["one", "two", "three"]


def test_long_word():
    assert wrap("a abcdefgh b", 3) == ["a", "abc", "def", "gh", "b"]


def test_width():
    with pytest.raises(ValueError):
        wrap("x", 0)
""",
        hidden="""def test_no_line_too_wide():
    text = "the quick brown fox jumps over the lazy dog"
    for width in range(5, 20):
        assert all(len(line) <= width for line in wrap(text, width))


def test_pairs():
    assert wrap("a b c d", 3) == ["a b", "c d"]
    assert wrap("a b c d", 2) == ["a", "b", "c", "d"]


def test_indent():
    assert indent("ab cd ef", 6, 2) == "  ab\\n  cd\\n  ef"


def test_rest_of_long_word_joins():
    assert wrap("abcdef gh", 5) == ["abcde", "f gh"]
""",
    ),
    Program(
        name="t30_vigenere",
        code='''"""The Vigenere cipher; only letters are changed and use up the key."""

from string import ascii_lowercase as LOWER


def _shift(letter, amount):
    moved = LOWER[(LOWER.index(letter.lower()) + amount) % 26]
    return moved.upper() if letter.isupper() else moved


def _apply(text, key, sign):
    if not key or not all(letter in LOWER for letter in key):
        raise ValueError("the key needs lower-case letters")
    result = []
    position = 0
    for letter in text:
        if letter.lower() in LOWER:
            amount = LOWER.index(key[position % len(key)])
            letter = _shift(letter, sign * amount)
        position += 1
        result.append(letter)
    return "".join(result)


def encrypt(text, key):
    return _apply(text, key, 1)


def decrypt(text, key):
    return _apply(text, key, -1)
''',
        wrong="        position += 1",
        right="            position += 1",
        visible="""def test_letters_only():
    assert encrypt("attack", "ab") == "autbcl"


def test_case():
    assert encrypt("Zz", "b") == "Aa"


def test_bad_key():
    with pytest.raises(ValueError):
        encrypt("x", "K9")
    with pytest.raises(ValueError):
        encrypt("x", "")


def test_space_keeps_key():
    assert encrypt("aa aa", "bc") == "bc bc"


def test_decrypt():
    assert decrypt("autbcl", "ab") == "attack"
""",
        hidden="""def test_punctuation():
    assert encrypt("a-a!a", "abc") == "a-b!c"


def test_back():
    text = "Meet me, at 9 o'clock."
    assert decrypt(encrypt(text, "lemon"), "lemon") == text


def test_same_letters_same_result():
    joined = encrypt("defendtheeast", "fort")
    assert encrypt("defend the east", "fort").replace(" ", "") == joined


def test_leading_space():
    assert decrypt(" bd", "bd") == " aa"
""",
    ),
    Program(
        name="t30_csv_line",
        code='''"""One line of comma-separated values."""


def split_line(line, comma=","):
    fields = []
    field = ""
    quoted = False
    index = 0
    while index < len(line):
        letter = line[index]
        if quoted:
            if letter != '"':
                field += letter
            elif line[index + 1 : index + 2] == '"':
                field += '"'
                index += 1
            else:
                quoted = False
        elif letter == '"':
            quoted = True
        elif letter == comma:
            fields.append(field)
            field = ""
        else:
            field += letter
        index += 1
    if quoted:
        raise ValueError("quote is not closed")
    fields.append(field)
    return fields


def join_line(fields, comma=","):
    parts = []
    for field in fields:
        if "," in field or '"' in field:
            field = '"' + field.replace('"', '""') + '"'
        parts.append(field)
    return comma.join(parts)
''',
        wrong="""if "," in field or '"' in field:""",
        right="""if comma in field or '"' in field:""",
        visible='''def test_split():
    assert split_line("a,b,,c") == ["a", "b", "", "c"]
    assert split_line("") == [""]


def test_split_quoted():
    assert split_line('"a,b",c') == ["a,b", "c"]
    assert split_line('"say ""hi""",x') == ['say "hi"', "x"]


def test_not_closed():
    with pytest.raises(ValueError):
        split_line('"a')


def test_join():
    assert join_line(["a", "b c"]) == "a,b c"
    assert join_line(["a,b", "c"]) == '"a,b",c'


def test_join_quotes():
    assert join_line(['a "b"', "c"]) == '"a ""b""",c'


def test_join_other_comma():
    assert join_line(["a,b", "c;d"], ";") == 'a,b;"c;d"'
''',
        hidden="""def test_there_and_back():
    for fields in [["x"], ['"'], ['1"', "2,3", ""], ['"a"', 'b"c']]:
        assert split_line(join_line(fields)) == fields


def test_lone_quote():
    assert join_line(['5" disk']) == '"5"" disk"'


def test_other_comma():
    assert join_line(["1,5", "2|3"], "|") == '1,5|"2|3"'
    assert split_line("a;b", ";") == ["a", "b"]


def test_empty_quoted():
    assert split_line('"",a') == ["", "a"]
""",
    ),
    Program(
        name="t30_title_case",
        code='''"""Headline capitals."""

SMALL = {"a", "an", "and", "in", "of", "on", "or", "the", "to"}


def headline(text):
    """Capitalize the words, but small ones only at either end.

    Words all in capitals (NASA) stay as they are.
    """
    words = text.split()
    last = len(words) - 1
    result = []
    for index, word in enumerate(words):
        if len(word) > 1 and word.isupper():
            result.append(word)
        elif word.lower() in SMALL and 0 < index <= last:
            result.append(word.lower())
        else:
            result.append("-".join(part.capitalize() for part in word.split("-")))
    return " ".join(result)


def slug(text):
    kept = "".join(c if c.isalnum() else " " for c in text.lower())
    return "-".join(kept.split())
''',
        wrong="elif word.lower() in SMALL and 0 < index <= last:",
        right="elif word.lower() in SMALL and 0 < index < last:",
        visible="""def test_empty():
    assert headline("") == ""


def test_small_inside():
    assert headline("lord of the rings") == "Lord of the Rings"


def test_small_first():
    assert headline("the end of it") == "The End of It"


def test_small_last():
    assert headline("what is it made of") == "What Is It Made Of"


def test_hyphen_and_capitals():
    assert headline("NASA and well-known facts") == "NASA and Well-Known Facts"


def test_slug():
    assert slug("Hello, World!") == "hello-world"
""",
        hidden="""def test_two_small():
    assert headline("to the") == "To The"


def test_capital_small_word_inside():
    assert headline("war And peace") == "War and Peace"


def test_only_small():
    assert headline("of") == "Of"


def test_ends_in_to():
    assert headline("a place to go to") == "A Place to Go To"
""",
    ),
    Program(
        name="t30_palindrome_span",
        code='''"""Palindromes in a text."""


def longest_palindrome(text):
    """The longest palindromic substring; of several, the first."""
    best = ""
    for centre in range(len(text)):
        for start, end in ((centre, centre), (centre, centre + 1)):
            while start >= 0 and end < len(text) and text[start] == text[end]:
                start -= 1
                end += 1
            found = text[start + 1 : end]
            if len(found) > len(best):
                best = found
    return best


def is_palindrome(text):
    """Whether the letters and digits read alike from both ends."""
    letters = [c.lower() for c in text if c.isalpha()]
    return letters == letters[::-1]
''',
        wrong="letters = [c.lower() for c in text if c.isalpha()]",
        right="letters = [c.lower() for c in text if c.isalnum()]",
        visible="""def test_longest():
    assert longest_palindrome("xabbay") == "abba"
    assert longest_palindrome("abc") == "a"
    assert longest_palindrome("") == ""


def test_sentence():
    assert is_palindrome("A man, a plan, a canal: Panama")


def test_no_palindrome():
    assert not is_palindrome("hello")


def test_digits():
    assert is_palindrome("1b1")
    assert not is_palindrome("12")


def test_empty():
    assert is_palindrome("?!")
""",
        hidden="""def test_number():
    assert is_palindrome("12 3 21")
    assert not is_palindrome("2024")


def test_digits_and_letters():
    assert not is_palindrome("1ab a2")
    assert is_palindrome("1a, A1")


def test_longest_with_digits():
    assert longest_palindrome("912218") == "1221"


def test_case():
    assert is_palindrome("Level")
""",
    ),
    Program(
        name="t30_template",
        code='''"""Fill {names} into a text; {{ and }} stand for braces."""


def fill(template, values):
    out = []
    index = 0
    while index < len(template):
        pair = template[index : index + 2]
        if pair in ("{{", "}}"):
            out.append(pair[0])
            index += 2
        elif template[index] == "{":
            end = template.find("}", index)
            if end < 0:
                raise ValueError("brace is not closed")
            name, _, default = template[index + 1 : end].partition("|")
            out.append(str(values.get(name) or default))
            index = end + 1
        elif template[index] == "}":
            raise ValueError("brace was not opened")
        else:
            out.append(template[index])
            index += 1
    return "".join(out)
''',
        wrong="out.append(str(values.get(name) or default))",
        right="out.append(str(values.get(name, default)))",
        visible="""def test_plain():
    assert fill("hello", {}) == "hello"


def test_name():
    assert fill("dear {who}!", {"who": "Ann"}) == "dear Ann!"


def test_default():
    assert fill("dear {who|friend}", {}) == "dear friend"


def test_zero():
    assert fill("{n|no} items", {"n": 0}) == "0 items"


def test_braces():
    assert fill("{{{x}}}", {"x": 1}) == "{1}"


def test_not_closed():
    with pytest.raises(ValueError):
        fill("a {b", {})
    with pytest.raises(ValueError):
        fill("a } b", {})
""",
        hidden="""def test_empty_value():
    assert fill("[{x|none}]", {"x": ""}) == "[]"


def test_false_value():
    assert fill("{flag}", {"flag": False}) == "False"


def test_missing_without_default():
    assert fill("<{x}>", {}) == "<>"


def test_zero_between():
    assert fill("{a}-{b}", {"a": 1, "b": 0}) == "1-0"


def test_adjacent():
    assert fill("{a}{b|2}", {"a": 1}) == "12"
""",
    ),
    # ---------------------------------------------------------------- arithmetic
    Program(
        name="t30_modular",
        code='''"""Modular arithmetic."""


def extended_gcd(a, b):
    """(g, x, y) with g = gcd(a, b) = a * x + b * y."""
    old_x, x = 1, 0
    old_y, y = 0, 1
    while b:
        quotient = a // b
        a, b = b, a % b
        old_x, x = x, old_x - quotient * x
        old_y, y = y, old_y - quotient * x
    return a, old_x, old_y


def inverse(a, modulus):
    g, x, _ = extended_gcd(a % modulus, modulus)
    if g != 1:
        raise ValueError("not invertible")
    return x % modulus


def solve(a, b, c):
    """One (x, y) with a * x + b * y == c, or None."""
    g, x, y = extended_gcd(a, b)
    if c % g:
        return None
    return x * (c // g), y * (c // g)
''',
        wrong="old_y, y = y, old_y - quotient * x",
        right="old_y, y = y, old_y - quotient * y",
        visible="""def test_gcd():
    assert extended_gcd(12, 18)[0] == 6
    assert extended_gcd(7, 0) == (7, 1, 0)


def test_identity():
    for a, b in [(240, 46), (35, 15), (17, 5)]:
        g, x, y = extended_gcd(a, b)
        assert a * x + b * y == g


def test_inverse():
    assert inverse(3, 11) == 4
    assert inverse(10, 17) == 12


def test_no_inverse():
    with pytest.raises(ValueError):
        inverse(4, 8)


def test_no_solution():
    assert solve(6, 9, 4) is None
""",
        hidden="""def test_solve():
    for a, b, c in [(6, 9, 3), (12, 42, 30), (101, 13, 7)]:
        x, y = solve(a, b, c)
        assert a * x + b * y == c


def test_swapped_arguments():
    g, x, y = extended_gcd(46, 240)
    assert g == 2
    assert 46 * x + 240 * y == 2


def test_neighbours():
    g, x, y = extended_gcd(8, 5)
    assert (g, 8 * x + 5 * y) == (1, 1)


def test_inverse_of_large():
    assert inverse(25, 7) == 2
""",
    ),
    Program(
        name="t30_bases",
        code='''"""Whole numbers in other bases."""

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def to_base(number, base):
    if not 2 <= base <= len(DIGITS):
        raise ValueError("base out of range")
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    number = abs(number)
    digits = []
    while number:
        number, digit = divmod(number, base)
        digits.append(DIGITS[digit])
    return sign + "".join(reversed(digits))


def from_base(text, base):
    sign = -1 if text.startswith("-") else 1
    value = 0
    for letter in text.lstrip("-").lower():
        digit = DIGITS.index(letter)
        if digit > base:
            raise ValueError(f"no digit of base {base}: {letter}")
        value = value * base + digit
    return sign * value
''',
        wrong="if digit > base:",
        right="if digit >= base:",
        visible="""def test_to_base():
    assert to_base(10, 2) == "1010"
    assert to_base(255, 16) == "ff"
    assert to_base(0, 7) == "0"
    assert to_base(-5, 3) == "-12"


def test_base_range():
    with pytest.raises(ValueError):
        to_base(1, 1)


def test_from_base():
    assert from_base("1010", 2) == 10
    assert from_base("-FF", 16) == -255


def test_digit_far_too_large():
    with pytest.raises(ValueError):
        from_base("19", 8)


def test_digit_just_too_large():
    with pytest.raises(ValueError):
        from_base("128", 8)
""",
        hidden="""def test_binary_two():
    with pytest.raises(ValueError):
        from_base("102", 2)


def test_decimal_a():
    with pytest.raises(ValueError):
        from_base("a", 10)


def test_largest_digits():
    assert from_base("zz", 36) == 1295
    assert from_base("77", 8) == 63


def test_there_and_back():
    for number in (-100, -1, 0, 1, 99, 12345):
        for base in (2, 7, 10, 36):
            assert from_base(to_base(number, base), base) == number
""",
    ),
    Program(
        name="t30_mixed_numbers",
        code='''"""Fractions written as mixed numbers."""

from math import gcd


def reduce(top, bottom):
    if bottom == 0:
        raise ZeroDivisionError("bottom is zero")
    if bottom < 0:
        top, bottom = -top, -bottom
    common = gcd(top, bottom)
    return top // common, bottom // common


def add(first, second):
    (a, b), (c, d) = first, second
    return reduce(a * d + c * b, b * d)


def divide(first, second):
    (a, b), (c, d) = first, second
    return reduce(a * d, b * c)


def mixed(fraction):
    """Text such as '-1 3/4'."""
    top, bottom = reduce(*fraction)
    sign = "-" if top < 0 else ""
    whole, rest = divmod(top, bottom)
    if rest == 0:
        return f"{sign}{whole}"
    if whole == 0:
        return f"{sign}{rest}/{bottom}"
    return f"{sign}{whole} {rest}/{bottom}"
''',
        wrong="whole, rest = divmod(top, bottom)",
        right="whole, rest = divmod(abs(top), bottom)",
        visible="""def test_reduce():
    assert reduce(6, -8) == (-3, 4)
    with pytest.raises(ZeroDivisionError):
        reduce(1, 0)


def test_add():
    assert add((1, 2), (1, 3)) == (5, 6)


def test_divide():
    assert divide((1, 2), (-3, 4)) == (-2, 3)


def test_mixed():
    assert mixed((7, 4)) == "1 3/4"
    assert mixed((2, 4)) == "1/2"
    assert mixed((8, 4)) == "2"


def test_mixed_negative():
    assert mixed((-7, 4)) == "-1 3/4"


def test_mixed_zero():
    assert mixed((0, 5)) == "0"
""",
        hidden="""def test_negative_proper():
    assert mixed((-1, 3)) == "-1/3"


def test_negative_whole():
    assert mixed((-9, 3)) == "-3"


def test_negative_bottom():
    assert mixed((5, -2)) == "-2 1/2"


def test_difference():
    assert mixed(add((1, 2), (-13, 4))) == "-2 3/4"


def test_positive():
    assert mixed((22, 7)) == "3 1/7"
""",
    ),
    Program(
        name="t30_divisors",
        code='''"""Divisors and kinds of numbers."""


def divisors(number):
    """The divisors of a positive number in ascending order."""
    if number < 1:
        raise ValueError("number must be positive")
    low, high = [], []
    candidate = 1
    while candidate * candidate <= number:
        if number % candidate == 0:
            low.append(candidate)
            if candidate != number:
                high.append(number // candidate)
        candidate += 1
    return low + high[::-1]


def kind(number):
    total = sum(divisors(number)) - number
    if total == number:
        return "perfect"
    return "abundant" if total > number else "deficient"


def is_prime(number):
    return number > 1 and len(divisors(number)) == 2
''',
        wrong="if candidate != number:",
        right="if candidate != number // candidate:",
        visible="""def test_not_positive():
    with pytest.raises(ValueError):
        divisors(0)


def test_one():
    assert divisors(1) == [1]


def test_twelve():
    assert divisors(12) == [1, 2, 3, 4, 6, 12]


def test_square():
    assert divisors(36) == [1, 2, 3, 4, 6, 9, 12, 18, 36]


def test_kind():
    assert kind(28) == "perfect"
    assert kind(12) == "abundant"
    assert kind(8) == "deficient"


def test_prime():
    assert is_prime(13)
    assert not is_prime(15)
""",
        hidden="""def test_small_squares():
    assert divisors(4) == [1, 2, 4]
    assert divisors(9) == [1, 3, 9]


def test_square_of_prime():
    assert divisors(49) == [1, 7, 49]
    assert not is_prime(49)


def test_prime_divisors():
    assert divisors(31) == [1, 31]


def test_hundred():
    assert len(divisors(100)) == 9


def test_kind_of_squares():
    assert kind(100) == "abundant"
    assert kind(16) == "deficient"
""",
    ),
    Program(
        name="t30_polynomial",
        code='''"""Polynomials as lists of coefficients, constant term first."""


def trim(poly):
    poly = list(poly)
    while poly and poly[-1] == 0:
        poly.pop()
    return poly


def value(poly, x):
    result = 0
    for coefficient in reversed(poly):
        result = result * x + coefficient
    return result


def multiply(p, q):
    result = [0] * (len(p) + len(q))
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            result[i + j] += a * b
    return trim(result)


def derivative(poly):
    return trim(power * c for power, c in enumerate(poly, 1))[1:]


def show(poly):
    terms = []
    for power, c in enumerate(trim(poly)):
        if c:
            terms.append(str(c) if power == 0 else f"{c}x^{power}")
    return " + ".join(reversed(terms)) or "0"
''',
        wrong="return trim(power * c for power, c in enumerate(poly, 1))[1:]",
        right="return trim(power * c for power, c in enumerate(poly))[1:]",
        visible="""def test_value():
    assert value([1, 2, 3], 2) == 17
    assert value([], 5) == 0


def test_multiply():
    assert multiply([1, 1], [-1, 1]) == [-1, 0, 1]
    assert multiply([], [1]) == []


def test_derivative():
    assert derivative([5, 3, 2]) == [3, 4]


def test_derivative_of_constant():
    assert derivative([7]) == []


def test_show():
    assert show([1, 0, 2]) == "2x^2 + 1"
    assert show([0]) == "0"
""",
        hidden="""def test_derivative_of_cube():
    assert derivative([0, 0, 0, 1]) == [0, 0, 3]


def test_derivative_of_line():
    assert derivative([4, 9]) == [9]


def test_product_rule():
    p, q = [1, 2], [3, 0, 1]
    left = multiply(derivative(p), q)
    right = multiply(p, derivative(q))
    both = [value(left, x) + value(right, x) for x in range(4)]
    assert [value(derivative(multiply(p, q)), x) for x in range(4)] == both


def test_derivative_of_nothing():
    assert derivative([]) == []


def test_second_derivative():
    assert derivative(derivative([1, 1, 1, 1])) == [2, 6]
""",
    ),
    Program(
        name="t30_loan",
        code='''"""Paying back a loan in whole cents."""


def schedule(principal, rate_percent, payment):
    """Rows (interest, paid, rest) per month until nothing is owed.

    Interest is rounded half up to a cent and added before the payment.
    """
    rows = []
    rest = principal
    while rest > 0:
        interest = (rest * rate_percent + 50) // 100
        if payment <= interest:
            raise ValueError("the payment does not cover the interest")
        paid = min(payment, rest)
        rest = rest + interest - paid
        rows.append((interest, paid, rest))
    return rows


def total_interest(principal, rate_percent, payment):
    return sum(row[0] for row in schedule(principal, rate_percent, payment))


def months(principal, rate_percent, payment):
    return len(schedule(principal, rate_percent, payment))
''',
        wrong="paid = min(payment, rest)",
        right="paid = min(payment, rest + interest)",
        visible="""def test_nothing_owed():
    assert schedule(0, 5, 100) == []


def test_no_interest():
    assert schedule(250, 0, 100) == [(0, 100, 150), (0, 100, 50), (0, 50, 0)]


def test_payment_too_small():
    with pytest.raises(ValueError):
        schedule(1000, 10, 100)


def test_one_month():
    assert schedule(100, 2, 500) == [(2, 102, 0)]


def test_two_months():
    assert schedule(1000, 1, 600) == [(10, 600, 410), (4, 414, 0)]
""",
        hidden="""def test_last_payment_includes_interest():
    assert schedule(200, 10, 150)[-1] == (7, 77, 0)


def test_paid_is_owed_plus_interest():
    rows = schedule(5000, 3, 900)
    assert sum(row[1] for row in rows) == 5000 + total_interest(5000, 3, 900)
    assert rows[-1][2] == 0


def test_months():
    assert months(1000, 0, 250) == 4
    assert months(100, 5, 1000) == 1


def test_total_interest():
    assert total_interest(100, 2, 500) == 2
""",
    ),
    Program(
        name="t30_statistics",
        code='''"""Figures about lists of numbers."""


def median(values):
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def modes(values):
    """The most frequent values in ascending order."""
    counts = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    most = max(counts.values(), default=0)
    return sorted(value for value in counts if counts[value] == most)


def variance(values, sample=False):
    if len(values) < 1 + sample:
        raise ValueError("too few values")
    mean = sum(values) / len(values)
    squares = sum((value - mean) ** 2 for value in values)
    return squares / (len(values) - sample)


def moving_average(values, width):
    if not 1 <= width <= len(values):
        return []
    total = sum(values[:width])
    averages = [total / width]
    for index in range(width, len(values)):
        total += values[index] - values[index - width + 1]
        averages.append(total / width)
    return averages
''',
        wrong="total += values[index] - values[index - width + 1]",
        right="total += values[index] - values[index - width]",
        visible="""def test_median():
    assert median([3, 1, 2]) == 2
    assert median([4, 1, 3, 2]) == 2.5
    with pytest.raises(ValueError):
        median([])


def test_modes():
    assert modes([1, 2, 2, 3, 3]) == [2, 3]
    assert modes([]) == []


def test_variance():
    assert variance([2, 4, 6, 8]) == 5
    assert variance([1, 3], sample=True) == 2


def test_moving_average():
    assert moving_average([1, 2, 3, 4, 8], 2) == [1.5, 2.5, 3.5, 6]


def test_moving_average_width():
    assert moving_average([1, 2], 3) == []
    assert moving_average([1, 2], 0) == []
    assert moving_average([1, 5], 2) == [3]
""",
        hidden="""def test_width_one():
    assert moving_average([5, 2, 9], 1) == [5, 2, 9]


def test_width_three():
    assert moving_average([3, 0, 3, 6, 0], 3) == [2, 3, 3]


def test_constant():
    assert moving_average([4, 4, 4, 4], 3) == [4, 4]


def test_as_slices():
    values = [7, -2, 5, 1, 0, 12]
    for width in range(1, 7):
        expected = [sum(values[i : i + width]) / width for i in range(7 - width)]
        assert moving_average(values, width) == expected
""",
    ),
    # ---------------------------------------------------------------- graphs
    Program(
        name="t30_bfs_path",
        code='''"""Shortest paths in a graph without weights."""

from collections import deque


def shortest_path(graph, start, goal):
    """The nodes of a shortest path from start to goal, or None."""
    came_from = {start: None}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        if node == goal:
            return _trace(came_from, goal)
        for neighbour in graph.get(node, ()):
            if neighbour not in came_from:
                came_from[neighbour] = node
                queue.appendleft(neighbour)
    return None


def _trace(came_from, node):
    path = []
    while node is not None:
        path.append(node)
        node = came_from[node]
    return path[::-1]


def distance(graph, start, goal):
    path = shortest_path(graph, start, goal)
    return None if path is None else len(path) - 1
''',
        wrong="queue.appendleft(neighbour)",
        right="queue.append(neighbour)",
        visible="""LADDER = {
    "a": ["b", "c"],
    "b": ["d"],
    "c": ["e"],
    "d": ["f"],
    "e": ["g"],
    "f": ["z"],
    "g": ["f"],
}


def test_same_node():
    assert shortest_path({}, "a", "a") == ["a"]


def test_unreachable():
    assert shortest_path({"a": ["b"]}, "b", "a") is None
    assert distance({"a": ["b"]}, "b", "a") is None


def test_chain():
    assert shortest_path({1: [2], 2: [3]}, 1, 3) == [1, 2, 3]


def test_cycle():
    assert distance({1: [2], 2: [3], 3: [1]}, 1, 3) == 2


def test_ladder():
    assert shortest_path(LADDER, "a", "z") == ["a", "b", "d", "f", "z"]
""",
        hidden="""def test_long_way_listed_last():
    graph = {0: [1, 2], 1: [5], 2: [3], 3: [4], 4: [5]}
    assert shortest_path(graph, 0, 5) == [0, 1, 5]


def test_grid():
    graph = {
        (x, y): [(x + dx, y + dy) for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))
                 if 0 <= x + dx < 4 and 0 <= y + dy < 4]
        for x in range(4) for y in range(4)
    }
    assert distance(graph, (0, 0), (3, 3)) == 6
    assert distance(graph, (0, 0), (0, 1)) == 1
    assert distance(graph, (1, 1), (2, 3)) == 3


def test_direct_edge():
    assert distance({"s": ["m", "t"], "m": ["t"]}, "s", "t") == 1


def test_missing_goal():
    assert shortest_path({"s": ["t"]}, "s", "q") is None


def test_ring():
    ring = {n: [(n - 1) % 7, (n + 1) % 7] for n in range(7)}
    assert [distance(ring, 0, n) for n in range(7)] == [0, 1, 2, 3, 3, 2, 1]
""",
    ),
    Program(
        name="t30_dijkstra",
        code='''"""Cheapest ways in a graph with weights."""

import heapq


def costs(graph, start):
    """The least cost from start to every node that can be reached.

    graph maps a node to a dict of neighbours and weights.
    """
    best = {start: 0}
    heap = [(0, start)]
    while heap:
        cost, node = heapq.heappop(heap)
        if cost > best[node]:
            continue
        for neighbour, weight in graph.get(node, {}).items():
            if weight < 0:
                raise ValueError("negative weight")
            through = cost + weight
            if neighbour not in best or through < best[node]:
                best[neighbour] = through
                heapq.heappush(heap, (through, neighbour))
    return best


def nearest(graph, start, targets):
    """The target that is cheapest to reach, or None."""
    reached = costs(graph, start)
    known = [(reached[target], target) for target in targets if target in reached]
    return min(known)[1] if known else None
''',
        wrong="if neighbour not in best or through < best[node]:",
        right="if neighbour not in best or through < best[neighbour]:",
        visible="""def test_alone():
    assert costs({}, "a") == {"a": 0}


def test_chain():
    assert costs({"a": {"b": 2}, "b": {"c": 3}}, "a") == {"a": 0, "b": 2, "c": 5}


def test_detour_is_cheaper():
    graph = {"a": {"b": 9, "c": 1}, "c": {"b": 2}}
    assert costs(graph, "a") == {"a": 0, "b": 3, "c": 1}


def test_negative():
    with pytest.raises(ValueError):
        costs({"a": {"b": -1}}, "a")


def test_nearest():
    graph = {"a": {"b": 4, "c": 2}}
    assert nearest(graph, "a", ["b", "c", "x"]) == "c"
    assert nearest(graph, "b", ["a"]) is None
""",
        hidden="""def test_city():
    graph = {
        1: {2: 7, 3: 9, 6: 14},
        2: {3: 10, 4: 15},
        3: {4: 11, 6: 2},
        4: {5: 6},
        6: {5: 9},
    }
    assert costs(graph, 1) == {1: 0, 2: 7, 3: 9, 6: 11, 4: 20, 5: 20}


def test_improved_twice():
    graph = {"s": {"a": 1, "t": 10}, "a": {"b": 1, "t": 6}, "b": {"t": 1}}
    assert costs(graph, "s")["t"] == 3


def test_nearest_by_detour():
    graph = {"s": {"x": 5, "y": 6, "m": 1}, "m": {"y": 1}}
    assert nearest(graph, "s", ["x", "y"]) == "y"


def test_cycle():
    assert costs({1: {2: 1}, 2: {1: 1, 3: 1}}, 1) == {1: 0, 2: 1, 3: 2}
""",
    ),
    Program(
        name="t30_topological",
        code='''"""Orders of tasks with prerequisites."""

import heapq


def order(needs):
    """The tasks so that each comes after its needs, smallest name first.

    needs maps a task to the tasks it needs; ValueError if there is a cycle.
    """
    waiting = {}
    unlocks = {}
    for task, wanted in needs.items():
        waiting.setdefault(task, 0)
        for other in set(wanted):
            waiting.setdefault(other, 0)
            waiting[other] += 1
            unlocks.setdefault(other, []).append(task)
    ready = [task for task, count in waiting.items() if count == 0]
    heapq.heapify(ready)
    result = []
    while ready:
        task = heapq.heappop(ready)
        result.append(task)
        for later in unlocks.get(task, ()):
            waiting[later] -= 1
            if waiting[later] == 0:
                heapq.heappush(ready, later)
    if len(result) < len(waiting):
        raise ValueError("the needs form a cycle")
    return result
''',
        wrong="waiting[other] += 1",
        right="waiting[task] += 1",
        visible="""def test_nothing():
    assert order({}) == []


def test_independent():
    assert order({"b": [], "a": []}) == ["a", "b"]


def test_chain():
    assert order({"roof": ["wall"], "wall": ["base"]}) == ["base", "wall", "roof"]


def test_cycle():
    with pytest.raises(ValueError):
        order({"a": ["b"], "b": ["a"]})


def test_repeated_need():
    assert order({"a": ["z", "z"]}) == ["z", "a"]
""",
        hidden="""def test_diamond():
    needs = {"top": ["left", "right"], "left": ["base"], "right": ["base"]}
    assert order(needs) == ["base", "left", "right", "top"]


def test_needs_come_first():
    needs = {5: [3, 1], 3: [4], 4: [1], 2: []}
    result = order(needs)
    assert result == [1, 2, 4, 3, 5]


def test_cycle_behind_a_start():
    with pytest.raises(ValueError):
        order({"b": ["a", "c"], "c": ["b"]})


def test_single():
    assert order({"x": []}) == ["x"]
""",
    ),
    Program(
        name="t30_kruskal",
        code='''"""Minimum spanning trees."""


class Groups:
    def __init__(self, items):
        self._parent = {item: item for item in items}
        self._size = {item: 1 for item in items}

    def find(self, item):
        while self._parent[item] != item:
            self._parent[item] = self._parent[self._parent[item]]
            item = self._parent[item]
        return item

    def join(self, a, b):
        """Join the groups of a and b; tell whether they were apart."""
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self._size[a] < self._size[b]:
            a, b = b, a
        self._parent[b] = a
        self._size[a] += self._size[b]
        return True

    def size(self, item):
        return self._size[item]


def spanning_tree(nodes, edges):
    """The edges (weight, a, b) of a minimum spanning forest, lightest first."""
    groups = Groups(nodes)
    return [edge for edge in sorted(edges) if groups.join(edge[1], edge[2])]
''',
        wrong="return self._size[item]",
        right="return self._size[self.find(item)]",
        visible="""def test_apart():
    groups = Groups("abc")
    assert groups.find("a") != groups.find("b")
    assert groups.size("c") == 1


def test_join():
    groups = Groups("abc")
    assert groups.join("a", "b")
    assert not groups.join("b", "a")
    assert groups.find("a") == groups.find("b")


def test_size():
    groups = Groups([1, 2, 3, 4])
    groups.join(1, 2)
    groups.join(3, 2)
    assert [groups.size(n) for n in (1, 2, 3, 4)] == [3, 3, 3, 1]


def test_triangle():
    edges = [(3, "a", "b"), (1, "b", "c"), (2, "a", "c")]
    assert spanning_tree("abc", edges) == [(1, "b", "c"), (2, "a", "c")]


def test_forest():
    assert spanning_tree([1, 2, 3, 4], [(5, 1, 2), (4, 3, 4)]) == [(4, 3, 4), (5, 1, 2)]
""",
        hidden="""def test_pair():
    groups = Groups("xy")
    groups.join("x", "y")
    assert groups.size("x") == groups.size("y") == 2


def test_joined_groups():
    groups = Groups(range(6))
    groups.join(0, 1)
    groups.join(2, 3)
    groups.join(1, 3)
    assert sorted(groups.size(n) for n in range(6)) == [1, 1, 4, 4, 4, 4]


def test_joining_again_keeps_size():
    groups = Groups("pq")
    groups.join("p", "q")
    groups.join("q", "p")
    assert groups.size("q") == 2


def test_weight():
    edges = [(4, 0, 1), (8, 1, 2), (7, 2, 3), (1, 0, 3), (2, 1, 3)]
    assert sum(edge[0] for edge in spanning_tree(range(4), edges)) == 10
""",
    ),
    Program(
        name="t30_cycle_finder",
        code='''"""Cycles in a directed graph."""


def find_cycle(graph):
    """The nodes of some cycle, from its first node once round, or None."""
    done = set()
    path = []

    def visit(node):
        if node in path:
            return path[: path.index(node) + 1]
        if node in done:
            return None
        path.append(node)
        for neighbour in graph.get(node, ()):
            cycle = visit(neighbour)
            if cycle:
                return cycle
        done.add(path.pop())
        return None

    for node in graph:
        cycle = visit(node)
        if cycle:
            return cycle
    return None


def count_paths(graph, start, goal):
    """The number of paths in a graph without cycles."""
    if find_cycle(graph):
        raise ValueError("the graph has a cycle")
    if start == goal:
        return 1
    return sum(count_paths(graph, n, goal) for n in graph.get(start, ()))
''',
        wrong="return path[: path.index(node) + 1]",
        right="return path[path.index(node) :]",
        visible="""def test_no_cycle():
    assert find_cycle({}) is None
    assert find_cycle({1: [2, 3], 2: [3]}) is None


def test_loop():
    assert find_cycle({"a": ["a"]}) == ["a"]


def test_ring():
    assert find_cycle({1: [2], 2: [3], 3: [1]}) == [1, 2, 3]


def test_tail_before_cycle():
    assert find_cycle({"s": ["a"], "a": ["b"], "b": ["a"]}) == ["a", "b"]


def test_count_paths():
    assert count_paths({1: [2, 3], 2: [4], 3: [4]}, 1, 4) == 2


def test_count_refuses_cycle():
    with pytest.raises(ValueError):
        count_paths({1: [2], 2: [1]}, 1, 2)
""",
        hidden="""def test_pair():
    assert find_cycle({"x": ["y"], "y": ["x"]}) == ["x", "y"]


def test_cycle_in_second_part():
    graph = {1: [2], 2: [], 3: [4], 4: [5], 5: [3]}
    assert find_cycle(graph) == [3, 4, 5]


def test_loop_at_the_end():
    assert find_cycle({1: [2], 2: [3], 3: [3]}) == [3]


def test_cycle_after_dead_end():
    assert find_cycle({"a": ["d", "b"], "d": [], "b": ["c"], "c": ["b"]}) == ["b", "c"]


def test_no_path():
    assert count_paths({1: [2]}, 2, 1) == 0
""",
    ),
    Program(
        name="t30_bipartite",
        code='''"""Split a graph into two sides."""


def two_sides(edges):
    """Two sorted lists so that every edge runs between them, or None.

    In every connected part, the smallest node is on the first side.
    """
    neighbours = {}
    for a, b in edges:
        neighbours.setdefault(a, set()).add(b)
        neighbours.setdefault(b, set()).add(a)
    side = {}
    for start in sorted(neighbours):
        if start in side:
            continue
        side[start] = 0
        pending = [start]
        while pending:
            node = pending.pop()
            for other in neighbours[node]:
                if other not in side:
                    side[other] = 1 - side[start]
                    pending.append(other)
                elif side[other] == side[node]:
                    return None
    return tuple(sorted(n for n in side if side[n] == k) for k in (0, 1))
''',
        wrong="side[other] = 1 - side[start]",
        right="side[other] = 1 - side[node]",
        visible="""def test_no_edges():
    assert two_sides([]) == ([], [])


def test_one_edge():
    assert two_sides([(2, 1)]) == ([1], [2])


def test_star():
    assert two_sides([(0, 1), (0, 2), (0, 3)]) == ([0], [1, 2, 3])


def test_path():
    assert two_sides([(1, 2), (2, 3), (3, 4)]) == ([1, 3], [2, 4])


def test_triangle():
    assert two_sides([(1, 2), (2, 3), (3, 1)]) is None


def test_loop():
    assert two_sides([("a", "a")]) is None
""",
        hidden="""def test_square():
    assert two_sides([(1, 2), (2, 3), (3, 4), (4, 1)]) == ([1, 3], [2, 4])


def test_pentagon():
    assert two_sides([(1, 2), (2, 3), (3, 4), (4, 5), (5, 1)]) is None


def test_two_parts():
    assert two_sides([("a", "b"), ("x", "y"), ("y", "z")]) == (["a", "x", "z"], ["b", "y"])


def test_two_stars():
    assert two_sides([(1, 5), (2, 6)]) == ([1, 2], [5, 6])


def test_tree():
    assert two_sides([(1, 2), (1, 3), (2, 4), (2, 5), (4, 6)]) == ([1, 4, 5], [2, 3, 6])
""",
    ),
    # ---------------------------------------------------------------- state
    Program(
        name="t30_account",
        code='''"""An account with an overdraft and a daily limit."""


class Account:
    def __init__(self, overdraft=0, daily_limit=500):
        self.balance = 0
        self.overdraft = overdraft
        self.daily_limit = daily_limit
        self._drawn_today = 0
        self._today = None

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount

    def withdraw(self, amount, day):
        """Take amount out on a day; tell whether that was allowed."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        if day != self._today:
            self._today = day
            self._drawn_today = 0
        if amount > self.balance + self.overdraft:
            return False
        if self._drawn_today + amount > self.daily_limit:
            return False
        self._drawn_today = amount
        self.balance -= amount
        return True

    def available(self, day):
        drawn = self._drawn_today if day == self._today else 0
        return min(self.balance + self.overdraft, self.daily_limit - drawn)
''',
        wrong="self._drawn_today = amount",
        right="self._drawn_today += amount",
        visible="""def test_deposit():
    account = Account()
    account.deposit(50)
    assert account.balance == 50
    with pytest.raises(ValueError):
        account.deposit(0)


def test_overdraft():
    account = Account(overdraft=20)
    assert account.withdraw(20, "mon")
    assert account.balance == -20
    assert not account.withdraw(1, "mon")


def test_daily_limit():
    account = Account(daily_limit=100)
    account.deposit(1000)
    assert account.withdraw(60, "mon")
    assert not account.withdraw(50, "mon")
    assert account.withdraw(40, "mon")
    assert not account.withdraw(10, "mon")


def test_new_day():
    account = Account(daily_limit=100)
    account.deposit(1000)
    assert account.withdraw(100, "mon")
    assert account.withdraw(100, "tue")
    assert account.balance == 800


def test_available():
    account = Account(daily_limit=100)
    account.deposit(150)
    account.withdraw(30, 1)
    assert account.available(1) == 70
    assert account.available(2) == 100
""",
        hidden="""def test_three_small_withdrawals():
    account = Account(daily_limit=30)
    account.deposit(100)
    assert [account.withdraw(10, 1) for _ in range(4)] == [True, True, True, False]
    assert account.balance == 70


def test_available_after_two():
    account = Account()
    account.deposit(900)
    account.withdraw(200, "fri")
    account.withdraw(100, "fri")
    assert account.available("fri") == 200


def test_refused_does_not_count():
    account = Account(daily_limit=50)
    account.deposit(40)
    assert not account.withdraw(45, 1)
    account.deposit(60)
    assert account.withdraw(50, 1)


def test_available_with_overdraft():
    account = Account(overdraft=10)
    account.deposit(5)
    assert account.available(1) == 15
""",
    ),
    Program(
        name="t30_editor",
        code='''"""A line of text with undo and redo."""


class Editor:
    def __init__(self, text=""):
        self.text = text
        self._undo = []
        self._redo = []

    def insert(self, position, piece):
        if not 0 <= position <= len(self.text):
            raise IndexError(position)
        self._change(self.text[:position] + piece + self.text[position:])

    def delete(self, start, stop):
        self._change(self.text[:start] + self.text[stop:])

    def replace(self, old, new):
        self._change(self.text.replace(old, new))

    def undo(self):
        if not self._undo:
            return False
        self._redo.append(self.text)
        self.text = self._undo.pop()
        return True

    def redo(self):
        if not self._redo:
            return False
        self._undo.append(self.text)
        self.text = self._redo.pop()
        return True

    def _change(self, text):
        if text == self.text:
            return
        self._undo.append(self.text)
        self._redo = self._redo[:-1]
        self.text = text
''',
        wrong="self._redo = self._redo[:-1]",
        right="self._redo = []",
        visible="""def test_insert_and_delete():
    editor = Editor("helo")
    editor.insert(3, "l")
    assert editor.text == "hello"
    editor.delete(0, 2)
    assert editor.text == "llo"


def test_bad_position():
    with pytest.raises(IndexError):
        Editor("a").insert(2, "b")


def test_undo_and_redo():
    editor = Editor("a")
    editor.insert(1, "b")
    assert editor.undo()
    assert editor.text == "a"
    assert editor.redo()
    assert editor.text == "ab"
    assert not editor.redo()


def test_nothing_to_undo():
    assert not Editor("x").undo()


def test_change_forgets_redo():
    editor = Editor()
    for letter in "abc":
        editor.insert(0, letter)
    editor.undo()
    editor.undo()
    editor.insert(1, "z")
    assert not editor.redo()
    assert editor.text == "az"


def test_no_change_is_no_step():
    editor = Editor("abc")
    editor.replace("x", "y")
    assert not editor.undo()
""",
        hidden="""def test_redo_after_new_branch():
    editor = Editor("1")
    editor.insert(1, "2")
    editor.insert(2, "3")
    editor.insert(3, "4")
    while editor.undo():
        pass
    editor.replace("1", "9")
    assert not editor.redo()
    assert editor.text == "9"


def test_undo_of_new_branch():
    editor = Editor("a")
    editor.insert(1, "b")
    editor.undo()
    editor.insert(1, "c")
    assert editor.undo()
    assert editor.text == "a"


def test_no_change_keeps_redo():
    editor = Editor("a")
    editor.insert(0, "b")
    editor.undo()
    editor.delete(1, 1)
    assert editor.redo()
    assert editor.text == "ba"


def test_redo_twice():
    editor = Editor("")
    editor.insert(0, "x")
    editor.insert(1, "y")
    editor.undo()
    editor.undo()
    assert editor.redo() and editor.redo()
    assert editor.text == "xy"
""",
    ),
    Program(
        name="t30_traffic_light",
        code='''"""A traffic light with a button for pedestrians."""

SECONDS = {"green": 30, "yellow": 5, "red": 20}
NEXT = {"green": "yellow", "yellow": "red", "red": "green"}


class Light:
    """Starts red; a press shortens the rest of a green phase to 10 seconds."""

    def __init__(self):
        self.colour = "red"
        self.left = SECONDS["red"]
        self.cycles = 0

    def press(self):
        if self.colour != "green":
            return False
        self.left = max(self.left, 10)
        return True

    def tick(self, seconds=1):
        """Let seconds pass."""
        while seconds >= self.left:
            seconds -= self.left
            self.colour = NEXT[self.colour]
            self.left = SECONDS[self.colour]
            if self.colour == "red":
                self.cycles += 1
        self.left -= seconds

    def state(self):
        return self.colour, self.left
''',
        wrong="self.left = max(self.left, 10)",
        right="self.left = min(self.left, 10)",
        visible="""def test_start():
    assert Light().state() == ("red", 20)


def test_phases():
    light = Light()
    light.tick(20)
    assert light.state() == ("green", 30)
    light.tick(29)
    assert light.state() == ("green", 1)
    light.tick()
    assert light.state() == ("yellow", 5)


def test_cycles():
    light = Light()
    light.tick(110)
    assert light.cycles == 2
    assert light.state() == ("red", 20)


def test_press_early():
    light = Light()
    light.tick(25)
    assert light.press()
    assert light.state() == ("green", 10)


def test_press_on_red():
    light = Light()
    assert not light.press()
    assert light.state() == ("red", 20)
""",
        hidden="""def test_press_late():
    light = Light()
    light.tick(45)
    assert light.press()
    assert light.state() == ("green", 5)


def test_press_then_yellow():
    light = Light()
    light.tick(22)
    light.press()
    light.tick(12)
    assert light.state() == ("yellow", 3)


def test_press_twice():
    light = Light()
    light.tick(20)
    light.press()
    light.tick(4)
    light.press()
    assert light.state() == ("green", 6)


def test_press_on_yellow():
    light = Light()
    light.tick(51)
    assert not light.press()
    assert light.state() == ("yellow", 4)


def test_ticks_add_up():
    one, many = Light(), Light()
    one.tick(73)
    for _ in range(73):
        many.tick()
    assert one.state() == many.state()
""",
    ),
    Program(
        name="t30_rate_limiter",
        code='''"""At most so many calls per user within a period."""


class RateLimiter:
    def __init__(self, limit, period):
        if limit < 1 or period <= 0:
            raise ValueError("limit and period must be positive")
        self.limit = limit
        self.period = period
        self._calls = {}

    def allow(self, user, now):
        """Whether a call at time now is allowed; if so, it counts."""
        calls = self._recent(user, now)
        if len(calls) >= self.limit:
            return False
        calls.append(now)
        return True

    def wait(self, user, now):
        """The time until the next call of user is allowed."""
        calls = self._recent(user, now)
        if len(calls) < self.limit:
            return 0
        return calls[-1] + self.period - now

    def users(self):
        return sorted(self._calls)

    def _recent(self, user, now):
        calls = [t for t in self._calls.get(user, []) if t > now - self.period]
        self._calls[user] = calls
        return calls
''',
        wrong="return calls[-1] + self.period - now",
        right="return calls[0] + self.period - now",
        visible="""def test_arguments():
    with pytest.raises(ValueError):
        RateLimiter(0, 10)
    with pytest.raises(ValueError):
        RateLimiter(1, 0)


def test_limit():
    limiter = RateLimiter(2, 10)
    assert limiter.allow("ann", 0)
    assert limiter.allow("ann", 1)
    assert not limiter.allow("ann", 2)
    assert limiter.allow("ann", 10)
    assert not limiter.allow("ann", 10)


def test_users_apart():
    limiter = RateLimiter(1, 10)
    assert limiter.allow("ann", 0)
    assert limiter.allow("bob", 0)
    assert limiter.users() == ["ann", "bob"]


def test_wait():
    limiter = RateLimiter(2, 10)
    limiter.allow("ann", 0)
    assert limiter.wait("ann", 3) == 0
    limiter.allow("ann", 4)
    assert limiter.wait("ann", 5) == 5


def test_wait_for_one():
    limiter = RateLimiter(1, 10)
    limiter.allow("ann", 2)
    assert limiter.wait("ann", 5) == 7
""",
        hidden="""def test_wait_is_enough():
    limiter = RateLimiter(3, 60)
    for now in (0, 10, 30):
        limiter.allow("x", now)
    pause = limiter.wait("x", 31)
    assert pause == 29
    assert not limiter.allow("x", 30 + pause)
    assert limiter.allow("x", 31 + pause)


def test_wait_after_expiry():
    limiter = RateLimiter(2, 5)
    for now in (0, 3, 6):
        limiter.allow("x", now)
    assert limiter.wait("x", 7) == 1
    assert limiter.wait("x", 8) == 0


def test_unknown_user():
    assert RateLimiter(1, 1).wait("nobody", 0) == 0


def test_refused_call_does_not_count():
    limiter = RateLimiter(1, 10)
    assert limiter.allow("x", 0)
    assert not limiter.allow("x", 9)
    assert limiter.allow("x", 10)
""",
    ),
    Program(
        name="t30_vending",
        code='''"""A machine that sells snacks for coins."""

COINS = (200, 100, 50, 20, 10)


class Machine:
    def __init__(self):
        self._shelf = {}
        self._coins = dict.fromkeys(COINS, 0)
        self.credit = 0

    def stock(self, name, price, count):
        _, there = self._shelf.get(name, (price, 0))
        self._shelf[name] = (price, there + count)

    def insert(self, coin):
        if coin not in self._coins:
            raise ValueError(f"no such coin: {coin}")
        self._coins[coin] += 1
        self.credit += coin

    def buy(self, name):
        """Hand out name and the change as a list of coins."""
        price, there = self._shelf.get(name, (0, 0))
        if there == 0:
            raise LookupError(f"sold out: {name}")
        if self.credit < price:
            raise ValueError("not enough credit")
        self._shelf[name] = (price, there - 1)
        self.credit -= price
        return self.refund()

    def refund(self):
        """Give back the credit, as far as the coins allow, largest first."""
        change = []
        for coin in COINS:
            while self.credit >= coin and self._coins[coin] >= 0:
                change.append(coin)
                self._coins[coin] -= 1
                self.credit -= coin
        return change
''',
        wrong="while self.credit >= coin and self._coins[coin] >= 0:",
        right="while self.credit >= coin and self._coins[coin] > 0:",
        visible="""def test_unknown_coin():
    with pytest.raises(ValueError):
        Machine().insert(5)


def test_sold_out():
    machine = Machine()
    machine.stock("nuts", 50, 0)
    with pytest.raises(LookupError):
        machine.buy("nuts")


def test_exact_price():
    machine = Machine()
    machine.stock("nuts", 70, 1)
    machine.insert(50)
    machine.insert(20)
    assert machine.buy("nuts") == []


def test_too_little():
    machine = Machine()
    machine.stock("nuts", 70, 1)
    machine.insert(50)
    with pytest.raises(ValueError):
        machine.buy("nuts")
    assert machine.credit == 50


def test_refund_same_coins():
    machine = Machine()
    for _ in range(5):
        machine.insert(20)
    assert machine.refund() == [20] * 5
    assert machine.credit == 0


def test_no_change_left():
    machine = Machine()
    machine.stock("gum", 50, 1)
    machine.insert(100)
    assert machine.buy("gum") == []
    assert machine.credit == 50
""",
        hidden="""def test_change_from_earlier_coins():
    machine = Machine()
    machine.stock("gum", 50, 3)
    machine.insert(50)
    machine.buy("gum")
    machine.insert(100)
    assert machine.buy("gum") == [50]


def test_refund_of_mixed():
    machine = Machine()
    for coin in (10, 10, 50, 20, 10):
        machine.insert(coin)
    assert machine.refund() == [50, 20, 10, 10, 10]


def test_refund_of_small():
    machine = Machine()
    for _ in range(20):
        machine.insert(10)
    assert machine.refund() == [10] * 20


def test_partial_change():
    machine = Machine()
    machine.stock("bar", 130, 1)
    machine.insert(100)
    machine.insert(100)
    assert machine.buy("bar") == []
    assert machine.credit == 70


def test_restock():
    machine = Machine()
    machine.stock("bar", 10, 1)
    machine.stock("bar", 20, 1)
    machine.insert(20)
    assert machine.buy("bar") == []
""",
    ),
    Program(
        name="t30_library",
        code='''"""Lending books with waiting lists."""


class Library:
    def __init__(self, copies):
        self._free = dict(copies)
        self._loans = {}
        self._queues = {}

    def borrow(self, reader, book):
        """'lent', or 'waiting' if there is no free copy."""
        if book not in self._free:
            raise KeyError(book)
        if reader in self._loans.get(book, []):
            raise ValueError("has it already")
        if self._free[book] > 0:
            self._free[book] -= 1
            self._loans.setdefault(book, []).append(reader)
            return "lent"
        queue = self._queues.setdefault(book, [])
        if reader not in queue:
            queue.append(reader)
        return "waiting"

    def give_back(self, reader, book):
        """Take a book back; the reader who gets it next, or None."""
        self._loans[book].remove(reader)
        queue = self._queues.get(book, [])
        if not queue:
            self._free[book] += 1
            return None
        reader = queue.pop()
        self._loans[book].append(reader)
        return reader

    def readers(self, book):
        return list(self._loans.get(book, []))
''',
        wrong="reader = queue.pop()",
        right="reader = queue.pop(0)",
        visible="""def test_lend():
    library = Library({"Emma": 1})
    assert library.borrow("ann", "Emma") == "lent"
    assert library.borrow("bob", "Emma") == "waiting"
    assert library.readers("Emma") == ["ann"]


def test_unknown_book():
    with pytest.raises(KeyError):
        Library({}).borrow("ann", "Emma")


def test_twice():
    library = Library({"Emma": 2})
    library.borrow("ann", "Emma")
    with pytest.raises(ValueError):
        library.borrow("ann", "Emma")


def test_give_back():
    library = Library({"Emma": 1})
    library.borrow("ann", "Emma")
    assert library.give_back("ann", "Emma") is None
    assert library.borrow("bob", "Emma") == "lent"


def test_queue():
    library = Library({"Emma": 1})
    for reader in ("ann", "bob", "cid"):
        library.borrow(reader, "Emma")
    assert library.give_back("ann", "Emma") == "bob"
    assert library.give_back("bob", "Emma") == "cid"
    assert library.give_back("cid", "Emma") is None
""",
        hidden="""def test_first_come():
    library = Library({"Faust": 2})
    for reader in "abcde":
        library.borrow(reader, "Faust")
    assert library.give_back("b", "Faust") == "c"
    assert library.readers("Faust") == ["a", "c"]


def test_asking_again_keeps_place():
    library = Library({"Faust": 1})
    for reader in ("x", "y", "z", "y"):
        library.borrow(reader, "Faust")
    assert library.give_back("x", "Faust") == "y"
    assert library.give_back("y", "Faust") == "z"


def test_queues_apart():
    library = Library({"A": 1, "B": 1})
    library.borrow("x", "A")
    library.borrow("y", "B")
    library.borrow("z", "A")
    assert library.give_back("y", "B") is None
    assert library.give_back("x", "A") == "z"


def test_one_waiting():
    library = Library({"A": 1})
    library.borrow("x", "A")
    library.borrow("y", "A")
    assert library.give_back("x", "A") == "y"
    assert library.readers("A") == ["y"]
""",
    ),
)
