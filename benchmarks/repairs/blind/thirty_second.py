"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="t32_ring_buffer",
        code='''\
class RingBuffer:
    """Keeps the last `size` values; pushing onto a full buffer drops the oldest."""

    def __init__(self, size):
        if size < 1:
            raise ValueError("size must be positive")
        self.size = size
        self.slots = [None] * size
        self.head = 0
        self.count = 0

    def push(self, value):
        tail = (self.head + self.count) % self.size
        self.slots[tail] = value
        if self.count == self.size:
            self.head = (self.head + 1) % self.size
        else:
            self.count += 1

    def pop(self):
        if self.count == 0:
            raise IndexError("empty buffer")
        value = self.slots[self.head]
        self.head = self.head + 1
        self.count -= 1
        return value

    def to_list(self):
        return [self.slots[(self.head + i) % self.size] for i in range(self.count)]
''',
        wrong="        self.head = self.head + 1\n",
        right="        self.head = (self.head + 1) % self.size\n",
        visible="""\
def test_push_within_capacity():
    b = RingBuffer(3)
    b.push(1)
    b.push(2)
    assert b.to_list() == [1, 2]

def test_overwrites_oldest():
    b = RingBuffer(3)
    for n in range(5):
        b.push(n)
    assert b.to_list() == [2, 3, 4]

def test_pop_is_fifo():
    b = RingBuffer(3)
    b.push("a")
    b.push("b")
    assert b.pop() == "a"
    assert b.to_list() == ["b"]

def test_pop_wraps_around():
    b = RingBuffer(2)
    out = []
    for n in range(5):
        b.push(n)
        out.append(b.pop())
    assert out == [0, 1, 2, 3, 4]

def test_pop_empty():
    with pytest.raises(IndexError):
        RingBuffer(1).pop()
""",
        hidden="""\
def test_size_one():
    b = RingBuffer(1)
    b.push("x")
    assert b.pop() == "x"
    b.push("y")
    assert b.pop() == "y"
    assert b.to_list() == []

def test_drain_after_overflow():
    b = RingBuffer(3)
    for n in range(7):
        b.push(n)
    assert [b.pop(), b.pop(), b.pop()] == [4, 5, 6]

def test_bad_size():
    with pytest.raises(ValueError):
        RingBuffer(0)

def test_mixed():
    b = RingBuffer(3)
    for n in (1, 2, 3, 4):
        b.push(n)
    assert b.pop() == 2
    b.push(5)
    assert b.to_list() == [3, 4, 5]
""",
    ),
    Program(
        name="t32_ternary_heap",
        code='''\
class TernaryHeap:
    """A min-heap whose nodes have up to three children."""

    def __init__(self, values=()):
        self.items = []
        for value in values:
            self.push(value)

    def __len__(self):
        return len(self.items)

    def push(self, value):
        self.items.append(value)
        i = len(self.items) - 1
        while i > 0 and self.items[i] < self.items[(i - 1) // 3]:
            parent = (i - 1) // 3
            self.items[i], self.items[parent] = self.items[parent], self.items[i]
            i = parent

    def pop(self):
        if not self.items:
            raise IndexError("pop from an empty heap")
        top = self.items[0]
        last = self.items.pop()
        if self.items:
            self.items[0] = last
            self.sink(0)
        return top

    def sink(self, i):
        while True:
            first = 3 * i + 1
            children = range(first, min(first + 2, len(self.items)))
            best = min(children, key=self.items.__getitem__, default=i)
            if self.items[best] >= self.items[i]:
                return
            self.items[i], self.items[best] = self.items[best], self.items[i]
            i = best
''',
        wrong="min(first + 2, len(self.items))",
        right="min(first + 3, len(self.items))",
        visible="""\
def drain(heap):
    return [heap.pop() for _ in range(len(heap))]

def test_single():
    assert drain(TernaryHeap([4])) == [4]

def test_sorted_input():
    assert drain(TernaryHeap([1, 2, 3])) == [1, 2, 3]

def test_third_child_is_smallest():
    assert drain(TernaryHeap([1, 9, 8, 2, 7])) == [1, 2, 7, 8, 9]

def test_many():
    values = [5, 3, 8, 1, 9, 2, 7, 4, 6, 0]
    assert drain(TernaryHeap(values)) == sorted(values)

def test_empty_pop():
    with pytest.raises(IndexError):
        TernaryHeap().pop()
""",
        hidden="""\
def drain(heap):
    return [heap.pop() for _ in range(len(heap))]

def test_reverse():
    values = list(range(20, 0, -1))
    assert drain(TernaryHeap(values)) == list(range(1, 21))

def test_duplicates():
    assert drain(TernaryHeap([3, 1, 3, 1, 2])) == [1, 1, 2, 3, 3]

def test_last_child_first():
    assert drain(TernaryHeap([0, 30, 20, 10, 40])) == [0, 10, 20, 30, 40]

def test_interleaved():
    heap = TernaryHeap([6, 2])
    assert heap.pop() == 2
    heap.push(1)
    heap.push(9)
    assert heap.pop() == 1
    assert len(heap) == 2
""",
    ),
    Program(
        name="t32_bst_floor",
        code='''\
class Node:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None


class SearchTree:
    def __init__(self, keys=()):
        self.root = None
        for key in keys:
            self.insert(key)

    def insert(self, key):
        if self.root is None:
            self.root = Node(key)
            return
        node = self.root
        while key != node.key:
            side = "left" if key < node.key else "right"
            if getattr(node, side) is None:
                setattr(node, side, Node(key))
            node = getattr(node, side)

    def floor(self, key):
        """The greatest stored key that is not above `key`, or None."""
        best = None
        node = self.root
        while node is not None:
            if node.key > key:
                node = node.left
            else:
                best = node.key
                node = node.left
        return best
''',
        wrong="                best = node.key\n                node = node.left",
        right="                best = node.key\n                node = node.right",
        visible="""\
def test_empty():
    assert SearchTree().floor(3) is None

def test_below_everything():
    assert SearchTree([5, 2, 8]).floor(1) is None

def test_exact():
    assert SearchTree([5, 2, 8]).floor(2) == 2

def test_above_everything():
    assert SearchTree([5, 2, 8]).floor(100) == 8

def test_between():
    assert SearchTree([50, 20, 80, 60, 90]).floor(70) == 60
""",
        hidden="""\
def test_root_only():
    tree = SearchTree([4])
    assert tree.floor(4) == 4
    assert tree.floor(3) is None

def test_chain_right():
    assert SearchTree([1, 2, 3, 4]).floor(3) == 3

def test_chain_left():
    assert SearchTree([4, 3, 2, 1]).floor(2.5) == 2

def test_all_queries():
    keys = [10, 5, 15, 3, 7, 12, 18]
    tree = SearchTree(keys)
    for x in range(0, 20):
        assert tree.floor(x) == max((k for k in keys if k <= x), default=None)
""",
    ),
    Program(
        name="t32_lfu_cache",
        code='''\
class LFUCache:
    """Evicts the least often used key; among equals, the least recently used."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.values = {}
        self.uses = {}
        self.stamp = {}
        self.clock = 0

    def touch(self, key):
        self.clock += 1
        self.stamp[key] = self.clock
        self.uses[key] = self.uses.get(key, 0) + 1

    def get(self, key, default=None):
        if key not in self.values:
            return default
        self.touch(key)
        return self.values[key]

    def put(self, key, value):
        if key not in self.values and len(self.values) >= self.capacity:
            victim = min(self.values, key=lambda k: (self.stamp[k], self.uses[k]))
            del self.values[victim], self.uses[victim], self.stamp[victim]
        self.values[key] = value
        self.touch(key)

    def keys(self):
        return sorted(self.values)
''',
        wrong="(self.stamp[k], self.uses[k])",
        right="(self.uses[k], self.stamp[k])",
        visible="""\
def test_put_get():
    c = LFUCache(2)
    c.put("a", 1)
    assert c.get("a") == 1

def test_missing():
    assert LFUCache(2).get("q", 0) == 0

def test_tie_evicts_oldest():
    c = LFUCache(2)
    c.put("a", 1)
    c.put("b", 2)
    c.put("c", 3)
    assert c.keys() == ["b", "c"]

def test_frequent_key_stays():
    c = LFUCache(2)
    c.put("a", 1)
    c.get("a")
    c.get("a")
    c.put("b", 2)
    c.put("c", 3)
    assert c.keys() == ["a", "c"]

def test_overwrite():
    c = LFUCache(1)
    c.put("a", 1)
    c.put("a", 2)
    assert c.get("a") == 2
""",
        hidden="""\
def test_overwriting_counts_as_use():
    c = LFUCache(2)
    c.put("x", 1)
    c.put("x", 2)
    c.put("y", 3)
    c.put("z", 4)
    assert c.keys() == ["x", "z"]

def test_capacity_one():
    c = LFUCache(1)
    c.put(1, "one")
    c.put(2, "two")
    assert c.get(1) is None
    assert c.get(2) == "two"

def test_three():
    c = LFUCache(3)
    c.put("a", 1)
    c.put("b", 2)
    c.get("a")
    c.get("b")
    c.put("c", 3)
    c.put("d", 4)
    assert c.keys() == ["a", "b", "d"]

def test_new_key_after_eviction_starts_anew():
    c = LFUCache(2)
    c.put("a", 1)
    c.put("b", 2)
    c.get("a")
    c.get("b")
    c.get("b")
    c.put("c", 3)
    assert c.keys() == ["b", "c"]
""",
    ),
    Program(
        name="t32_double_list",
        code='''\
class Link:
    def __init__(self, value):
        self.value = value
        self.prev = self
        self.next = self


class DoubleList:
    """A circular doubly linked list around a sentinel."""

    def __init__(self):
        self.end = Link(None)

    def append(self, value):
        link = Link(value)
        last = self.end.prev
        link.prev, link.next = last, self.end
        last.next = link
        self.end.prev = link
        return link

    def remove(self, link):
        link.prev.next = link.next
        link.next.prev = self.end
        return link.value

    def forward(self):
        link, out = self.end.next, []
        while link is not self.end:
            out.append(link.value)
            link = link.next
        return out

    def backward(self):
        link, out = self.end.prev, []
        while link is not self.end:
            out.append(link.value)
            link = link.prev
        return out
''',
        wrong="link.next.prev = self.end\n",
        right="link.next.prev = link.prev\n",
        visible="""\
def test_empty():
    d = DoubleList()
    assert d.forward() == d.backward() == []

def test_append():
    d = DoubleList()
    for n in (1, 2, 3):
        d.append(n)
    assert d.forward() == [1, 2, 3]
    assert d.backward() == [3, 2, 1]

def test_remove_first():
    d = DoubleList()
    a = d.append("a")
    d.append("b")
    assert d.remove(a) == "a"
    assert d.forward() == ["b"]
    assert d.backward() == ["b"]

def test_remove_middle():
    d = DoubleList()
    d.append("a")
    b = d.append("b")
    d.append("c")
    d.remove(b)
    assert d.forward() == ["a", "c"]
    assert d.backward() == ["c", "a"]

def test_append_after_removing_last():
    d = DoubleList()
    d.append(1)
    last = d.append(2)
    d.remove(last)
    d.append(3)
    assert d.forward() == [1, 3]
""",
        hidden="""\
def test_remove_only():
    d = DoubleList()
    d.remove(d.append(7))
    assert d.forward() == []
    assert d.backward() == []

def test_remove_last_backward():
    d = DoubleList()
    d.append(1)
    d.append(2)
    d.remove(d.append(3))
    assert d.backward() == [2, 1]

def test_remove_two_neighbours():
    d = DoubleList()
    links = [d.append(n) for n in range(5)]
    d.remove(links[2])
    d.remove(links[3])
    assert d.forward() == [0, 1, 4]
    assert d.backward() == [4, 1, 0]

def test_value_returned():
    d = DoubleList()
    d.append("p")
    q = d.append("q")
    assert d.remove(q) == "q"
""",
    ),
    Program(
        name="t32_two_stack_queue",
        code='''\
class StackQueue:
    """A queue made of two stacks."""

    def __init__(self, items=()):
        self.inbox = []
        self.outbox = []
        for item in items:
            self.enqueue(item)

    def enqueue(self, item):
        self.inbox.append(item)

    def shift(self):
        if self.inbox:
            while self.inbox:
                self.outbox.append(self.inbox.pop())

    def dequeue(self):
        self.shift()
        if not self.outbox:
            raise LookupError("queue is empty")
        return self.outbox.pop()

    def peek(self):
        self.shift()
        return self.outbox[-1] if self.outbox else None

    def __len__(self):
        return len(self.inbox) + len(self.outbox)
''',
        wrong="        if self.inbox:\n",
        right="        if not self.outbox:\n",
        visible="""\
def test_fifo():
    q = StackQueue("abc")
    assert [q.dequeue() for _ in range(3)] == ["a", "b", "c"]

def test_interleaved():
    q = StackQueue([1, 2, 3])
    assert q.dequeue() == 1
    q.enqueue(4)
    assert q.dequeue() == 2

def test_len():
    q = StackQueue([1, 2])
    q.peek()
    q.enqueue(3)
    assert len(q) == 3

def test_peek_empty():
    assert StackQueue().peek() is None

def test_empty():
    with pytest.raises(LookupError):
        StackQueue().dequeue()
""",
        hidden="""\
def test_peek_then_enqueue():
    q = StackQueue(["x"])
    assert q.peek() == "x"
    q.enqueue("y")
    assert q.peek() == "x"

def test_long_mixture():
    q = StackQueue(range(4))
    out = []
    for n in range(4, 8):
        out.append(q.dequeue())
        q.enqueue(n)
    while len(q):
        out.append(q.dequeue())
    assert out == list(range(8))

def test_refill_after_empty():
    q = StackQueue([1])
    q.dequeue()
    q.enqueue(2)
    assert q.dequeue() == 2
    with pytest.raises(LookupError):
        q.dequeue()

def test_len_zero():
    assert len(StackQueue()) == 0
""",
    ),
    Program(
        name="t32_counting_trie",
        code='''\
class Trie:
    """A multiset of words that counts words by prefix."""

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

    def count_word(self, word):
        node = self.find(word)
        return node.ending if node else 0

    def count_prefix(self, prefix):
        node = self.find(prefix)
        return node.passing if node else 0

    def discard(self, word):
        if not self.count_word(word):
            return False
        node = self
        node.passing -= 1
        for letter in word:
            node = node.children[letter]
            node.passing -= 1
        node.ending = 0
        return True
''',
        wrong="        node.ending = 0\n        return True",
        right="        node.ending -= 1\n        return True",
        visible="""\
def build(*words):
    trie = Trie()
    for word in words:
        trie.add(word)
    return trie

def test_counts():
    trie = build("car", "cart", "dog", "car")
    assert trie.count_word("car") == 2
    assert trie.count_prefix("ca") == 3

def test_unknown():
    assert build("car").count_word("ca") == 0
    assert build("car").count_prefix("x") == 0

def test_discard_last_copy():
    trie = build("car", "cart")
    assert trie.discard("car") is True
    assert trie.count_word("car") == 0
    assert trie.count_prefix("car") == 1

def test_discard_one_of_two():
    trie = build("car", "car")
    trie.discard("car")
    assert trie.count_word("car") == 1
    assert trie.count_prefix("car") == 1

def test_discard_unknown():
    assert build("car").discard("cat") is False
""",
        hidden="""\
def build(*words):
    trie = Trie()
    for word in words:
        trie.add(word)
    return trie

def test_empty_word():
    trie = build("", "", "a")
    assert trie.discard("") is True
    assert trie.count_word("") == 1
    assert trie.count_prefix("") == 2

def test_discard_thrice():
    trie = build("hi", "hi", "hi")
    results = [trie.discard("hi") for _ in range(4)]
    assert results == [True, True, True, False]

def test_prefix_of_all():
    assert build("a", "b", "ab").count_prefix("") == 3

def test_prefix_is_no_word():
    trie = build("abc")
    assert trie.discard("ab") is False
    assert trie.count_prefix("ab") == 1
""",
    ),
    Program(
        name="t32_coin_ways",
        code='''\
def coin_ways(amount, coins):
    """All ways to pay `amount`, each a list of coins in the order of `coins`."""
    ways = []

    def extend(rest, start, chosen):
        if rest == 0:
            ways.append(chosen)
            return
        for i in range(start, len(coins)):
            if coins[i] <= rest:
                extend(rest - coins[i], i + 1, chosen + [coins[i]])

    extend(amount, 0, [])
    return ways


def fewest(amount, coins):
    """One of the shortest ways, or None."""
    return min(coin_ways(amount, coins), key=len, default=None)
''',
        wrong="extend(rest - coins[i], i + 1, chosen + [coins[i]])",
        right="extend(rest - coins[i], i, chosen + [coins[i]])",
        visible="""\
def test_zero():
    assert coin_ways(0, [1, 2]) == [[]]

def test_each_coin_once():
    assert [1, 2] in coin_ways(3, [1, 2])

def test_repeats():
    assert coin_ways(4, [1, 2]) == [[1, 1, 1, 1], [1, 1, 2], [2, 2]]

def test_impossible():
    assert coin_ways(3, [2, 4]) == []

def test_fewest():
    assert fewest(6, [1, 3, 4]) == [3, 3]
""",
        hidden="""\
def test_one_coin():
    assert coin_ways(9, [3]) == [[3, 3, 3]]

def test_count():
    assert len(coin_ways(10, [1, 2, 5])) == 10

def test_fewest_none():
    assert fewest(5, [2]) is None

def test_order():
    assert coin_ways(5, [5, 2, 1])[0] == [5]

def test_fewest_exact():
    assert fewest(8, [5, 4, 1]) == [4, 4]
""",
    ),
    Program(
        name="t32_flatten_mapping",
        code='''\
def flatten(mapping, prefix=""):
    """Turn nested dicts into one flat dict with dotted keys."""
    flat = {}
    for key, value in mapping.items():
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(value, dict):
            flat.update(flatten(value, key))
        else:
            flat[path] = value
    return flat


def unflatten(flat):
    """The inverse of `flatten`."""
    nested = {}
    for path, value in flat.items():
        *parents, last = path.split(".")
        place = nested
        for name in parents:
            place = place.setdefault(name, {})
        place[last] = value
    return nested
''',
        wrong="flatten(value, key)",
        right="flatten(value, path)",
        visible="""\
def test_flat():
    assert flatten({"a": 1, "b": 2}) == {"a": 1, "b": 2}

def test_one_level():
    assert flatten({"a": {"b": 1}, "c": 2}) == {"a.b": 1, "c": 2}

def test_two_levels():
    assert flatten({"a": {"b": {"c": 1}}}) == {"a.b.c": 1}

def test_unflatten():
    assert unflatten({"x.y": 1, "x.z": 2}) == {"x": {"y": 1, "z": 2}}

def test_round_trip():
    data = {"db": {"host": {"name": "h", "port": 1}}, "debug": True}
    assert unflatten(flatten(data)) == data
""",
        hidden="""\
def test_empty():
    assert flatten({}) == {}

def test_prefix_given():
    assert flatten({"a": {"b": 3}}, "root") == {"root.a.b": 3}

def test_same_names_at_depth():
    data = {"l": {"x": {"v": 1}}, "r": {"x": {"v": 2}}}
    assert flatten(data) == {"l.x.v": 1, "r.x.v": 2}

def test_four_levels():
    assert flatten({"a": {"b": {"c": {"d": 0}}}}) == {"a.b.c.d": 0}
""",
    ),
    Program(
        name="t32_gray_code",
        code='''\
def gray_codes(bits):
    """The reflected Gray code: all bit strings, neighbours differ in one place."""
    if bits < 0:
        raise ValueError("bits must not be negative")
    if bits == 0:
        return [""]
    shorter = gray_codes(bits - 1)
    lower = ["0" + code for code in shorter]
    upper = ["1" + code for code in shorter]
    return lower + upper


def distance(left, right):
    """How many places of two codes differ."""
    return sum(a != b for a, b in zip(left, right))
''',
        wrong='["1" + code for code in shorter]',
        right='["1" + code for code in reversed(shorter)]',
        visible="""\
def test_zero():
    assert gray_codes(0) == [""]

def test_one():
    assert gray_codes(1) == ["0", "1"]

def test_two():
    assert gray_codes(2) == ["00", "01", "11", "10"]

def test_distance():
    assert distance("010", "111") == 2

def test_neighbours():
    codes = gray_codes(4)
    assert all(distance(a, b) == 1 for a, b in zip(codes, codes[1:]))

def test_negative():
    with pytest.raises(ValueError):
        gray_codes(-1)
""",
        hidden="""\
def test_three():
    assert gray_codes(3) == ["000", "001", "011", "010", "110", "111", "101", "100"]

def test_all_different():
    assert len(set(gray_codes(5))) == 32

def test_closed_circle():
    codes = gray_codes(5)
    assert distance(codes[0], codes[-1]) == 1

def test_neighbours_six():
    codes = gray_codes(6)
    assert {distance(a, b) for a, b in zip(codes, codes[1:])} == {1}
""",
    ),
    Program(
        name="t32_hanoi",
        code='''\
def hanoi(discs, source="A", target="C", spare="B"):
    """The moves (disc, from, to) that carry a tower from source to target."""
    if discs == 0:
        return []
    first = hanoi(discs - 1, source, spare, target)
    last = hanoi(discs - 1, spare, source, target)
    return first + [(discs, source, target)] + last


def play(moves, discs):
    """Run the moves on three pegs; raises ValueError for an illegal one."""
    pegs = {"A": list(range(discs, 0, -1)), "B": [], "C": []}
    for disc, start, end in moves:
        if not pegs[start] or pegs[start][-1] != disc:
            raise ValueError(f"disc {disc} is not on top of {start}")
        if pegs[end] and pegs[end][-1] < disc:
            raise ValueError(f"disc {disc} is too large for {end}")
        pegs[end].append(pegs[start].pop())
    return pegs
''',
        wrong="hanoi(discs - 1, spare, source, target)",
        right="hanoi(discs - 1, spare, target, source)",
        visible="""\
def test_none():
    assert hanoi(0) == []

def test_one():
    assert hanoi(1) == [(1, "A", "C")]

def test_two():
    assert hanoi(2) == [(1, "A", "B"), (2, "A", "C"), (1, "B", "C")]

def test_number_of_moves():
    assert len(hanoi(5)) == 31

def test_legal():
    assert play(hanoi(4), 4) == {"A": [], "B": [], "C": [4, 3, 2, 1]}

def test_illegal():
    with pytest.raises(ValueError):
        play([(2, "A", "B")], 2)
""",
        hidden="""\
def test_three():
    pegs = play(hanoi(3), 3)
    assert pegs["C"] == [3, 2, 1]

def test_other_target():
    assert play(hanoi(3, "A", "B", "C"), 3)["B"] == [3, 2, 1]

def test_largest_moves_once():
    assert [m for m in hanoi(4) if m[0] == 4] == [(4, "A", "C")]

def test_too_large():
    with pytest.raises(ValueError):
        play([(1, "A", "C"), (2, "A", "C")], 2)

def test_last_move():
    assert hanoi(2, "x", "y", "z")[-1] == (1, "z", "y")
""",
    ),
    Program(
        name="t32_tuple_evaluator",
        code='''\
def evaluate(tree, names=None):
    """The value of a nested expression such as ("+", 1, ("*", "x", 3))."""
    names = names or {}
    if isinstance(tree, str):
        return names[tree]
    if not isinstance(tree, tuple):
        return tree
    operator, *operands = tree
    if operator == "let":
        name, value, body = operands
        inner = {name: evaluate(value, names)}
        return evaluate(body, inner)
    values = [evaluate(operand, names) for operand in operands]
    if operator == "neg":
        return -values[0]
    left, right = values
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    raise ValueError(f"unknown operator {operator!r}")
''',
        wrong="inner = {name: evaluate(value, names)}",
        right="inner = {**names, name: evaluate(value, names)}",
        visible="""\
def test_number():
    assert evaluate(7) == 7

def test_nested():
    assert evaluate(("-", ("*", 2, 5), ("neg", 3))) == 13

def test_names():
    assert evaluate(("+", "x", "y"), {"x": 1, "y": 2}) == 3

def test_let():
    assert evaluate(("let", "a", 4, ("*", "a", "a"))) == 16

def test_let_keeps_outer_names():
    assert evaluate(("let", "a", 1, ("let", "b", 2, ("+", "a", "b")))) == 3

def test_unknown():
    with pytest.raises(ValueError):
        evaluate(("%", 1, 2))
""",
        hidden="""\
def test_shadow():
    assert evaluate(("let", "x", ("+", "x", 1), "x"), {"x": 5}) == 6

def test_given_names_in_body():
    assert evaluate(("let", "y", 3, ("-", "x", "y")), {"x": 10}) == 7

def test_scope_ends():
    tree = ("+", ("let", "x", 1, "x"), "x")
    assert evaluate(tree, {"x": 100}) == 101

def test_unknown_name():
    with pytest.raises(KeyError):
        evaluate("z", {"x": 1})

def test_three_lets():
    tree = ("let", "a", 2, ("let", "b", ("*", "a", 3), ("let", "c", 1, ("-", "b", ("+", "a", "c")))))
    assert evaluate(tree) == 3
""",
    ),
    Program(
        name="t32_subset_paths",
        code='''\
def subsets_with_sum(numbers, total):
    """All subsets of the positive numbers (by position) that add up to total."""
    found = []
    path = []

    def visit(index, rest):
        if rest == 0:
            found.append(path)
            return
        if index == len(numbers) or rest < 0:
            return
        path.append(numbers[index])
        visit(index + 1, rest - numbers[index])
        path.pop()
        visit(index + 1, rest)

    visit(0, total)
    return found


def can_split(numbers):
    """Whether the numbers fall into two groups of equal sum."""
    half, odd = divmod(sum(numbers), 2)
    return not odd and bool(subsets_with_sum(numbers, half))
''',
        wrong="found.append(path)",
        right="found.append(list(path))",
        visible="""\
def test_none():
    assert subsets_with_sum([2, 4], 5) == []

def test_one():
    assert subsets_with_sum([1, 2, 4], 6) == [[2, 4]]

def test_several():
    assert subsets_with_sum([1, 2, 3, 4], 5) == [[1, 4], [2, 3]]

def test_split():
    assert can_split([1, 5, 11, 5])

def test_no_split():
    assert not can_split([1, 2, 5])
""",
        hidden="""\
def test_zero_total():
    assert subsets_with_sum([1, 2], 0) == [[]]

def test_equal_numbers():
    assert subsets_with_sum([3, 3], 3) == [[3], [3]]

def test_whole():
    assert subsets_with_sum([2, 3, 5], 10) == [[2, 3, 5]]

def test_sums():
    found = subsets_with_sum([5, 1, 4, 2, 3], 6)
    assert len(found) == 3
    assert all(sum(s) == 6 for s in found)

def test_odd_total():
    assert not can_split([1, 1, 1])
""",
    ),
    Program(
        name="t32_partitions",
        code='''\
def partitions(n, largest=None):
    """All ways to write n as a sum of positive parts, parts not increasing."""
    if largest is None:
        largest = n
    if n == 0:
        return [()]
    result = []
    for part in range(min(n, largest), 0, -1):
        for rest in partitions(n - part, n - part):
            result.append((part,) + rest)
    return result


def conjugate(partition):
    """The partition whose diagram is the transposed one."""
    if not partition:
        return ()
    return tuple(sum(1 for p in partition if p > i) for i in range(partition[0]))
''',
        wrong="partitions(n - part, n - part)",
        right="partitions(n - part, part)",
        visible="""\
def test_zero():
    assert partitions(0) == [()]

def test_two():
    assert partitions(2) == [(2,), (1, 1)]

def test_three():
    assert partitions(3) == [(3,), (2, 1), (1, 1, 1)]

def test_conjugate():
    assert conjugate((4, 2, 1)) == (3, 2, 1, 1)

def test_count_six():
    assert len(partitions(6)) == 11
""",
        hidden="""\
def test_four():
    assert partitions(4) == [(4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1)]

def test_limited():
    assert partitions(5, 2) == [(2, 2, 1), (2, 1, 1, 1), (1, 1, 1, 1, 1)]

def test_not_increasing():
    assert all(list(p) == sorted(p, reverse=True) for p in partitions(7))

def test_count_eight():
    assert len(partitions(8)) == 22

def test_conjugate_twice():
    for p in [(), (1,), (5, 3, 3, 1)]:
        assert conjugate(conjugate(p)) == p
""",
    ),
    Program(
        name="t32_run_length",
        code='''\
def encode(text):
    """Run-length encoding: "aaab" becomes "3a1b"."""
    out = []
    i = 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        out.append(f"{j - i}{text[i]}")
        i = j
    return "".join(out)


def decode(code):
    """The inverse of `encode` for texts without digits."""
    out = []
    count = 0
    for char in code:
        if char.isdigit():
            count = count + int(char)
        else:
            out.append(char * count)
            count = 0
    return "".join(out)
''',
        wrong="count = count + int(char)",
        right="count = count * 10 + int(char)",
        visible="""\
def test_encode():
    assert encode("aaab") == "3a1b"

def test_encode_empty():
    assert encode("") == ""

def test_decode():
    assert decode("2x1y3z") == "xxyzzz"

def test_decode_long_run():
    assert decode("12a") == "a" * 12

def test_round_trip_long():
    text = "-" * 105 + ">"
    assert decode(encode(text)) == text
""",
        hidden="""\
def test_ten():
    assert decode("10b1c") == "b" * 10 + "c"

def test_hundred():
    assert len(decode("100 ")) == 100

def test_encode_twelve():
    assert encode("q" * 12) == "12q"

def test_round_trip_short():
    for text in ("", "a", "abab", "aabbbb"):
        assert decode(encode(text)) == text
""",
    ),
    Program(
        name="t32_wrap_words",
        code='''\
def wrap(text, width):
    """Break the words of text into lines of at most `width` characters.

    A word that is longer than the width stands alone on its line.
    """
    lines = []
    line = ""
    for word in text.split():
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


def centre(text, width):
    """The wrapped lines, each centred."""
    return [line.center(width).rstrip() for line in wrap(text, width)]
''',
        wrong="len(line) + len(word) <= width",
        right="len(line) + 1 + len(word) <= width",
        visible="""\
def test_fits():
    assert wrap("one two", 20) == ["one two"]

def test_empty():
    assert wrap("   ", 5) == []

def test_exact_width():
    assert wrap("abc def gh", 7) == ["abc def", "gh"]

def test_one_short():
    assert wrap("abc def gh", 6) == ["abc", "def gh"]

def test_long_word():
    assert wrap("a incredibly b", 4) == ["a", "incredibly", "b"]

def test_centre():
    assert centre("ab cd", 4) == [" ab", " cd"]
""",
        hidden="""\
def test_never_too_long():
    text = "the quick brown fox jumps over the lazy dog"
    for width in range(5, 20):
        assert all(len(line) <= width for line in wrap(text, width))

def test_two_letters():
    assert wrap("a b c", 2) == ["a", "b", "c"]

def test_words_kept():
    text = "some  words   here"
    assert " ".join(wrap(text, 10)) == "some words here"

def test_three_letters():
    assert wrap("a b c", 3) == ["a b", "c"]
""",
    ),
    Program(
        name="t32_snake_case",
        code='''\
def snake_case(name):
    """Turn CamelCase into snake_case; an acronym counts as one word."""
    out = []
    for i, char in enumerate(name):
        if char.isupper() and i > 0:
            after_lower = name[i - 1].islower() or name[i - 1].isdigit()
            before_lower = i + 1 < len(name) and name[i - 1].islower()
            if after_lower or (before_lower and name[i - 1] != "_"):
                out.append("_")
        out.append(char.lower())
    return "".join(out)


def camel_case(name):
    """Turn snake_case into CamelCase."""
    return "".join(word.capitalize() for word in name.split("_") if word)
''',
        wrong="before_lower = i + 1 < len(name) and name[i - 1].islower()",
        right="before_lower = i + 1 < len(name) and name[i + 1].islower()",
        visible="""\
def test_simple():
    assert snake_case("CamelCase") == "camel_case"

def test_lower():
    assert snake_case("plain") == "plain"

def test_acronym_first():
    assert snake_case("HTTPServer") == "http_server"

def test_acronym_last():
    assert snake_case("parseJSON") == "parse_json"

def test_digit():
    assert snake_case("area51Gate") == "area51_gate"

def test_camel():
    assert camel_case("read_the_file") == "ReadTheFile"
""",
        hidden="""\
def test_acronym_in_the_middle():
    assert snake_case("getXMLNode") == "get_xml_node"

def test_single_letter_word():
    assert snake_case("AClass") == "a_class"

def test_already_snake():
    assert snake_case("Some_Name") == "some_name"

def test_all_upper():
    assert snake_case("URL") == "url"

def test_camel_extra_underscores():
    assert camel_case("_a__b_") == "AB"
""",
    ),
    Program(
        name="t32_bracket_error",
        code='''\
PAIRS = {")": "(", "]": "[", "}": "{"}


def first_error(text):
    """The index of the first bracket that does not match, or -1.

    A closing bracket without its partner is an error where it stands; when
    brackets stay open, the error is the outermost one that was not closed.
    """
    open_brackets = []
    for i, char in enumerate(text):
        if char in PAIRS.values():
            open_brackets.append((char, i))
        elif char in PAIRS:
            if not open_brackets:
                return i
            opener, where = open_brackets.pop()
            if opener != PAIRS[char]:
                return where
    return open_brackets[0][1] if open_brackets else -1


def balanced(text):
    return first_error(text) == -1
''',
        wrong="                return where\n",
        right="                return i\n",
        visible="""\
def test_fine():
    assert first_error("a(b[c]{d})") == -1

def test_lonely_close():
    assert first_error("ab)") == 2

def test_stays_open():
    assert first_error("x((y)") == 1

def test_mismatch():
    assert first_error("f(a]") == 3

def test_balanced():
    assert balanced("([]{})")
    assert not balanced("([)]")
""",
        hidden="""\
def test_empty():
    assert balanced("")

def test_inner_mismatch():
    assert first_error("{(1, 2}, 3)") == 6

def test_crossed():
    assert first_error("[(])") == 2

def test_two_open():
    assert first_error("[{") == 0

def test_late_close():
    assert first_error("() }") == 3
""",
    ),
    Program(
        name="t32_vigenere",
        code='''\
def shift(char, amount):
    base = ord("A") if char.isupper() else ord("a")
    return chr((ord(char) - base + amount) % 26 + base)


def vigenere(text, key, sign=1):
    """Shift each letter by the next letter of the key.

    Other characters stay as they are and use up no letter of the key.
    """
    if not key.isalpha():
        raise ValueError("the key must consist of letters")
    amounts = [ord(c) - ord("a") for c in key.lower()]
    out = []
    used = 0
    for position, char in enumerate(text):
        if char.isascii() and char.isalpha():
            out.append(shift(char, sign * amounts[position % len(amounts)]))
            used += 1
        else:
            out.append(char)
    return "".join(out)


def decipher(text, key):
    return vigenere(text, key, sign=-1)
''',
        wrong="amounts[position % len(amounts)]",
        right="amounts[used % len(amounts)]",
        visible="""\
def test_classic():
    assert vigenere("ATTACKATDAWN", "LEMON") == "LXFOPVEFRNHR"

def test_case_kept():
    assert vigenere("aZ", "b") == "bA"

def test_space_uses_no_key():
    assert vigenere("ab cd", "ab") == "ac ce"

def test_round_trip():
    text = "Hello, World!"
    assert decipher(vigenere(text, "key"), "key") == text

def test_bad_key():
    with pytest.raises(ValueError):
        vigenere("x", "a1")
""",
        hidden="""\
def test_leading_punctuation():
    assert vigenere("!aa", "bc") == "!bc"

def test_decipher_with_spaces():
    assert decipher("lxfopv ef rnhr", "lemon") == "attack at dawn"

def test_empty():
    assert vigenere("", "k") == ""

def test_key_case():
    assert vigenere("abc", "BCD") == vigenere("abc", "bcd") == "bdf"

def test_digits():
    assert vigenere("a1a1a1", "xyz") == "x1y1z1"
""",
    ),
    Program(
        name="t32_text_table",
        code='''\
def column_widths(rows):
    """The width of each column; rows may have different lengths."""
    widths = []
    for row in rows:
        for i, cell in enumerate(row):
            if i == len(widths):
                widths.append(0)
            widths[i] = max(widths[i], len(str(cell)))
    return widths


def render(rows, gap=2):
    """Lay the rows out in columns: numbers to the right, all else to the left."""
    widths = column_widths(rows)
    lines = []
    for row in rows:
        cells = []
        for cell, width in zip(row, widths):
            if isinstance(cell, (int, float)):
                cells.append(str(cell).ljust(width))
            else:
                cells.append(str(cell).ljust(width))
        lines.append((" " * gap).join(cells).rstrip())
    return lines
''',
        wrong="            if isinstance(cell, (int, float)):\n                cells.append(str(cell).ljust(width))",
        right="            if isinstance(cell, (int, float)):\n                cells.append(str(cell).rjust(width))",
        visible="""\
def test_widths():
    assert column_widths([["a", "bbb"], ["cc", "d"]]) == [2, 3]

def test_widths_ragged():
    assert column_widths([["a"], ["b", 1000]]) == [1, 4]

def test_text():
    assert render([["ab", "c"], ["d", "e"]]) == ["ab  c", "d   e"]

def test_numbers_right():
    assert render([["x", 5], ["y", 120]]) == ["x    5", "y  120"]

def test_empty():
    assert render([]) == []
""",
        hidden="""\
def test_number_first():
    assert render([[1, "a"], [100, "b"]], gap=1) == ["  1 a", "100 b"]

def test_float():
    assert render([[2.5], [10.25]]) == ["  2.5", "10.25"]

def test_gap():
    assert render([["a", "b"]], gap=4) == ["a    b"]

def test_header():
    rows = [["name", "count"], ["apple", 3]]
    assert render(rows) == ["name   count", "apple      3"]

def test_equal_widths():
    assert render([[1, 2], [3, 4]]) == ["1  2", "3  4"]
""",
    ),
    Program(
        name="t32_longest_palindrome",
        code='''\
def spread(text, left, right):
    """Widen the window [left, right) while its ends agree; return it."""
    while left > 0 and right < len(text) and text[left - 1] == text[right]:
        left -= 1
        right += 1
    return left, right


def longest_palindrome(text):
    """The longest palindrome in text; the first one if there are several."""
    best = ""
    for centre in range(len(text)):
        for width in (0, 1):
            left, right = spread(text, centre, centre + width)
            if right - left >= len(best):
                best = text[left:right]
    return best
''',
        wrong="if right - left >= len(best):",
        right="if right - left > len(best):",
        visible="""\
def test_odd():
    assert longest_palindrome("xxabcbay") == "abcba"

def test_even():
    assert longest_palindrome("cabbad") == "abba"

def test_empty():
    assert longest_palindrome("") == ""

def test_first_of_several():
    assert longest_palindrome("babad") == "bab"

def test_no_repeats():
    assert longest_palindrome("xyz") == "x"
""",
        hidden="""\
def test_two_pairs():
    assert longest_palindrome("aabb") == "aa"

def test_whole():
    assert longest_palindrome("racecar") == "racecar"

def test_single():
    assert longest_palindrome("q") == "q"

def test_spread():
    assert spread("abcba", 2, 3) == (0, 5)

def test_equal_length_later():
    assert longest_palindrome("abaXcdc") == "aba"
""",
    ),
    Program(
        name="t32_modular_inverse",
        code='''\
def extended_gcd(a, b):
    """(g, x, y) with g = gcd(a, b) and a*x + b*y == g."""
    if b == 0:
        return a, 1, 0
    g, x, y = extended_gcd(b, a % b)
    return g, y, x - (a // b) * y


def inverse(a, modulus):
    """The inverse of a, between 0 and modulus - 1."""
    g, x, y = extended_gcd(a % modulus, modulus)
    if g != 1:
        raise ValueError(f"{a} has no inverse modulo {modulus}")
    return abs(x)


def solve(a, b, modulus):
    """The x with a*x congruent to b."""
    return b * inverse(a, modulus) % modulus
''',
        wrong="    return abs(x)\n",
        right="    return x % modulus\n",
        visible="""\
def test_gcd():
    g, x, y = extended_gcd(240, 46)
    assert g == 2
    assert 240 * x + 46 * y == 2

def test_one():
    assert inverse(1, 9) == 1

def test_positive_coefficient():
    assert inverse(4, 15) == 4

def test_negative_coefficient():
    assert inverse(3, 11) == 4
    assert inverse(2, 7) == 4
    assert inverse(7, 10) == 3

def test_solve():
    assert solve(5, 3, 7) == 2

def test_none():
    with pytest.raises(ValueError):
        inverse(6, 9)
""",
        hidden="""\
def test_all_mod_prime():
    assert all(a * inverse(a, 13) % 13 == 1 for a in range(1, 13))

def test_negative_argument():
    assert inverse(-1, 5) == 4

def test_solve_all():
    for b in range(8):
        assert 3 * solve(3, b, 8) % 8 == b

def test_gcd_zero():
    assert extended_gcd(5, 0) == (5, 1, 0)

def test_large():
    assert inverse(17, 3120) == 2753
""",
    ),
    Program(
        name="t32_roman_numbers",
        code="""\
VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
STEPS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"),
    (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def to_roman(number):
    if not 0 < number < 4000:
        raise ValueError("only 1 to 3999 can be written")
    out = ""
    for value, letters in STEPS:
        times, number = divmod(number, value)
        out += letters * times
    return out


def from_roman(letters):
    total = 0
    for i, letter in enumerate(letters):
        value = VALUES[letter]
        if i + 1 < len(letters) and value <= VALUES[letters[i + 1]]:
            total -= value
        else:
            total += value
    return total
""",
        wrong="value <= VALUES[letters[i + 1]]",
        right="value < VALUES[letters[i + 1]]",
        visible="""\
def test_to_roman():
    assert to_roman(1994) == "MCMXCIV"

def test_single_letters():
    assert from_roman("D") == 500

def test_subtractive():
    assert from_roman("XC") == 90

def test_repeated():
    assert from_roman("III") == 3

def test_mixed():
    assert from_roman("MMXXIV") == 2024

def test_range():
    with pytest.raises(ValueError):
        to_roman(4000)
""",
        hidden="""\
def test_round_trip():
    assert all(from_roman(to_roman(n)) == n for n in range(1, 400))

def test_two():
    assert from_roman("II") == 2

def test_long():
    assert from_roman("MMMDCCCLXXXVIII") == 3888

def test_descending():
    assert from_roman("MDCLXVI") == 1666

def test_zero():
    with pytest.raises(ValueError):
        to_roman(0)
""",
    ),
    Program(
        name="t32_matrix_recurrence",
        code='''\
def multiply(a, b, modulus):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, col)) % modulus for col in columns] for row in a]


def power(matrix, exponent, modulus):
    size = len(matrix)
    result = [[int(i == j) for j in range(size)] for i in range(size)]
    while exponent > 0:
        if exponent % 2 == 1:
            result = multiply(result, matrix, modulus)
        matrix = multiply(matrix, result, modulus)
        exponent //= 2
    return result


def fibonacci(n, modulus=10**9 + 7):
    """The n-th Fibonacci number (0, 1, 1, 2, ...) modulo `modulus`."""
    return power([[1, 1], [1, 0]], n, modulus)[0][1]
''',
        wrong="matrix = multiply(matrix, result, modulus)",
        right="matrix = multiply(matrix, matrix, modulus)",
        visible="""\
def test_multiply():
    assert multiply([[1, 2], [3, 4]], [[0, 1], [1, 0]], 100) == [[2, 1], [4, 3]]

def test_power_zero():
    assert power([[5, 6], [7, 8]], 0, 100) == [[1, 0], [0, 1]]

def test_start():
    assert [fibonacci(n) for n in range(3)] == [0, 1, 1]

def test_ten():
    assert fibonacci(10) == 55

def test_diagonal():
    assert power([[2, 0], [0, 3]], 4, 1000) == [[16, 0], [0, 81]]
""",
        hidden="""\
def test_first_twenty():
    a, b = 0, 1
    for n in range(20):
        assert fibonacci(n) == a
        a, b = b, a + b

def test_modulus():
    assert fibonacci(60, 10) == 0
    assert fibonacci(61, 10) == 1

def test_one_by_one():
    assert power([[3]], 5, 1000) == [[243]]

def test_identity():
    assert power([[1, 0], [0, 1]], 9, 7) == [[1, 0], [0, 1]]

def test_shear():
    assert power([[1, 1], [0, 1]], 12, 100) == [[1, 12], [0, 1]]
""",
    ),
    Program(
        name="t32_integer_root",
        code='''\
def integer_root(number, degree):
    """The greatest r with r ** degree <= number."""
    if number < 0 or degree < 1:
        raise ValueError("number must not be negative, degree must be positive")
    low, high = 0, number + 1
    while high - low > 1:
        middle = (low + high) // 2
        if middle ** degree < number:
            low = middle
        else:
            high = middle
    return low


def is_perfect_power(number):
    """Whether number is a ** b with a > 1 and b > 1."""
    return any(
        integer_root(number, degree) ** degree == number
        for degree in range(2, number.bit_length() + 1)
        if number > 1
    )
''',
        wrong="if middle ** degree < number:",
        right="if middle ** degree <= number:",
        visible="""\
def test_zero():
    assert integer_root(0, 2) == 0

def test_rounding_down():
    assert integer_root(10, 2) == 3
    assert integer_root(30, 3) == 3

def test_exact_square():
    assert integer_root(49, 2) == 7

def test_exact_cube():
    assert integer_root(125, 3) == 5

def test_perfect_power():
    assert is_perfect_power(32)
    assert not is_perfect_power(12)

def test_negative():
    with pytest.raises(ValueError):
        integer_root(-4, 2)
""",
        hidden="""\
def test_one():
    assert integer_root(1, 5) == 1

def test_degree_one():
    assert integer_root(17, 1) == 17

def test_near_square():
    assert [integer_root(n, 2) for n in (15, 16, 17)] == [3, 4, 4]

def test_large():
    assert integer_root(10**20, 4) == 10**5

def test_perfect_powers():
    assert [n for n in range(1, 40) if is_perfect_power(n)] == [4, 8, 9, 16, 25, 27, 32, 36]

def test_degree_zero():
    with pytest.raises(ValueError):
        integer_root(4, 0)
""",
    ),
    Program(
        name="t32_number_bases",
        code="""\
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def to_base(number, base):
    if not 2 <= base <= len(DIGITS):
        raise ValueError(f"base {base} is not supported")
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    rest = abs(number)
    digits = []
    while rest:
        rest, digit = divmod(rest, base)
        digits.append(DIGITS[digit])
    return sign + "".join(digits)


def digit_sum(number, base=10):
    return sum(DIGITS.index(d) for d in to_base(abs(number), base))
""",
        wrong='return sign + "".join(digits)',
        right='return sign + "".join(reversed(digits))',
        visible="""\
def test_zero():
    assert to_base(0, 7) == "0"

def test_one_digit():
    assert to_base(11, 16) == "b"

def test_binary():
    assert to_base(6, 2) == "110"

def test_negative():
    assert to_base(-26, 16) == "-1a"

def test_digit_sum():
    assert digit_sum(1234) == 10

def test_bad_base():
    with pytest.raises(ValueError):
        to_base(3, 1)
""",
        hidden="""\
def test_round_trip():
    for base in (2, 3, 10, 36):
        for n in (-1000, -1, 5, 12345):
            assert int(to_base(n, base), base) == n

def test_decimal():
    assert to_base(907, 10) == "907"

def test_power_of_base():
    assert to_base(81, 3) == "10000"

def test_digit_sum_binary():
    assert digit_sum(-7, 2) == 3

def test_base_too_large():
    with pytest.raises(ValueError):
        to_base(3, 37)
""",
    ),
    Program(
        name="t32_quartiles",
        code='''\
def median(values):
    """The middle value, or the mean of the two middle ones."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    half = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[half]
    return (ordered[half - 1] + ordered[half]) // 2


def quartiles(values):
    """(Q1, Q2, Q3); the halves leave out the middle value of an odd number."""
    ordered = sorted(values)
    half = len(ordered) // 2
    lower = ordered[:half]
    upper = ordered[len(ordered) - half:]
    return median(lower), median(ordered), median(upper)


def spread(values):
    """The distance between the outer quartiles."""
    low, _, high = quartiles(values)
    return high - low
''',
        wrong="    return (ordered[half - 1] + ordered[half]) // 2\n",
        right="    return (ordered[half - 1] + ordered[half]) / 2\n",
        visible="""\
def test_odd():
    assert median([9, 1, 5]) == 5

def test_even():
    assert median([4, 1, 3, 2]) == 2.5

def test_two():
    assert median([10, 20]) == 15

def test_no_values():
    with pytest.raises(ValueError):
        median([])

def test_quartiles():
    assert quartiles([1, 2, 3, 4, 5, 6, 7]) == (2, 4, 6)
""",
        hidden="""\
def test_even_quartiles():
    assert quartiles([1, 2, 3, 4, 5, 6]) == (2, 3.5, 5)

def test_spread():
    assert spread([7, 1, 3, 5, 9, 11, 13, 15]) == 8

def test_equal():
    assert median([2, 2, 2, 2]) == 2

def test_negative():
    assert median([-5, -1, -3, -2]) == -2.5

def test_one():
    assert median([6]) == 6
""",
    ),
    Program(
        name="t32_continued_fraction",
        code='''\
def expand(numerator, denominator):
    """The terms of the continued fraction of numerator / denominator."""
    terms = []
    while denominator:
        whole, rest = divmod(numerator, denominator)
        terms.append(whole)
        numerator, denominator = denominator, rest
    return terms


def convergents(terms):
    """The approximations (p, q) that the terms give, one per term."""
    out = []
    p, p_before = 1, 0
    q, q_before = 0, 0
    for term in terms:
        p, p_before = term * p + p_before, p
        q, q_before = term * q + q_before, q
        out.append((p, q))
    return out


def reduce_fraction(numerator, denominator):
    """Numerator and denominator in lowest terms."""
    return convergents(expand(numerator, denominator))[-1]
''',
        wrong="q, q_before = 0, 0",
        right="q, q_before = 0, 1",
        visible="""\
def test_expand():
    assert expand(415, 93) == [4, 2, 6, 7]

def test_expand_whole():
    assert expand(6, 2) == [3]

def test_convergents():
    assert convergents([3, 7, 15, 1]) == [(3, 1), (22, 7), (333, 106), (355, 113)]

def test_no_terms():
    assert convergents([]) == []

def test_reduce():
    assert reduce_fraction(12, 18) == (2, 3)
""",
        hidden="""\
def test_golden():
    assert convergents([1] * 6) == [(1, 1), (2, 1), (3, 2), (5, 3), (8, 5), (13, 8)]

def test_whole_number():
    assert reduce_fraction(10, 5) == (2, 1)

def test_small_fraction():
    assert reduce_fraction(3, 12) == (1, 4)

def test_expand_proper():
    assert expand(1, 3) == [0, 3]

def test_root_two():
    assert convergents([1, 2, 2, 2])[-1] == (17, 12)
""",
    ),
    Program(
        name="t32_dijkstra_route",
        code='''\
import heapq


def shortest(graph, source):
    """Distances and predecessors; graph maps a node to {neighbour: weight}."""
    distance = {source: 0}
    before = {}
    heap = [(0, source)]
    done = set()
    while heap:
        cost, node = heapq.heappop(heap)
        if node in done:
            continue
        done.add(node)
        for neighbour, weight in graph.get(node, {}).items():
            candidate = cost + weight
            if neighbour not in distance or candidate < distance[neighbour]:
                distance[neighbour] = candidate
                before[neighbour] = node
                heapq.heappush(heap, (weight, neighbour))
    return distance, before


def route(graph, source, target):
    distance, before = shortest(graph, source)
    if target not in distance:
        return None
    path = [target]
    while path[-1] != source:
        path.append(before[path[-1]])
    return path[::-1]
''',
        wrong="heapq.heappush(heap, (weight, neighbour))",
        right="heapq.heappush(heap, (candidate, neighbour))",
        visible="""\
GRAPH = {"a": {"b": 1, "c": 4}, "b": {"c": 2, "d": 6}, "c": {"d": 3}}

def test_source():
    assert shortest(GRAPH, "d") == ({"d": 0}, {})

def test_neighbours():
    distance, _ = shortest({"a": {"b": 5, "c": 7}}, "a")
    assert distance == {"a": 0, "b": 5, "c": 7}

def test_distances():
    distance, _ = shortest(GRAPH, "a")
    assert distance == {"a": 0, "b": 1, "c": 3, "d": 6}

def test_route():
    assert route(GRAPH, "a", "d") == ["a", "b", "c", "d"]

def test_unreachable():
    assert route(GRAPH, "d", "a") is None
""",
        hidden="""\
def test_chain():
    graph = {1: {2: 5}, 2: {3: 5}, 3: {4: 5}}
    assert shortest(graph, 1)[0][4] == 15

def test_detour_is_cheaper():
    graph = {"s": {"t": 10, "u": 3}, "u": {"v": 3}, "v": {"t": 3}}
    assert route(graph, "s", "t") == ["s", "u", "v", "t"]
    assert shortest(graph, "s")[0]["t"] == 9

def test_direct_is_cheaper():
    graph = {"s": {"t": 5, "u": 3}, "u": {"t": 3}}
    assert route(graph, "s", "t") == ["s", "t"]

def test_cycle():
    graph = {0: {1: 1}, 1: {2: 1}, 2: {0: 1}}
    assert shortest(graph, 0)[0] == {0: 0, 1: 1, 2: 2}

def test_same_node():
    assert route({}, "z", "z") == ["z"]
""",
    ),
    Program(
        name="t32_task_order",
        code='''\
from collections import deque


def task_order(needs):
    """An order in which every task follows all that it needs.

    `needs` maps a task to the tasks it needs. Raises ValueError for a cycle.
    """
    waiting = {task: set() for task in needs}
    users = {}
    for task, required in needs.items():
        for other in required:
            waiting.setdefault(other, set())
            waiting[task].add(other)
            users.setdefault(other, []).append(task)
    ready = deque(sorted(task for task in waiting if not waiting[task]))
    order = []
    while ready:
        task = ready.popleft()
        order.append(task)
        for user in users.get(task, []):
            waiting[user].discard(task)
            if not waiting[user]:
                ready.append(user)
    if len(order) < len(needs):
        raise ValueError("the tasks need each other")
    return order
''',
        wrong="if len(order) < len(needs):",
        right="if len(order) < len(waiting):",
        visible="""\
def test_empty():
    assert task_order({}) == []

def test_independent():
    assert task_order({"b": [], "a": []}) == ["a", "b"]

def test_chain():
    assert task_order({"c": ["b"], "b": ["a"], "a": []}) == ["a", "b", "c"]

def test_cycle():
    with pytest.raises(ValueError):
        task_order({"a": ["b"], "b": ["a"]})

def test_cycle_beside_unlisted_tasks():
    with pytest.raises(ValueError):
        task_order({"a": ["b"], "b": ["a"], "c": ["x", "y"]})
""",
        hidden="""\
def test_self_loop_with_leaf():
    with pytest.raises(ValueError):
        task_order({"a": ["a", "leaf"]})

def test_unlisted_leaf():
    assert task_order({"a": ["z"]}) == ["z", "a"]

def test_diamond():
    order = task_order({"d": ["b", "c"], "b": ["a"], "c": ["a"]})
    assert order[0] == "a" and order[-1] == "d"

def test_every_task_once():
    order = task_order({1: [2, 3], 2: [3], 4: [1]})
    assert order == [3, 2, 1, 4]

def test_long_cycle_with_leaves():
    with pytest.raises(ValueError):
        task_order({1: [2, 7], 2: [3, 8], 3: [1, 9]})
""",
    ),
    Program(
        name="t32_friend_groups",
        code='''\
class Groups:
    """Disjoint sets with the size of each set."""

    def __init__(self, members):
        self.parent = {m: m for m in members}
        self.sizes = {m: 1 for m in self.parent}

    def find(self, member):
        while self.parent[member] != member:
            self.parent[member] = self.parent[self.parent[member]]
            member = self.parent[member]
        return member

    def join(self, one, other):
        """Unite two sets; False if they were one already."""
        a, b = self.find(one), self.find(other)
        if a == b:
            return False
        if self.sizes[a] < self.sizes[b]:
            a, b = b, a
        self.parent[b] = a
        self.sizes[a] += 1
        return True

    def size(self, member):
        return self.sizes[self.find(member)]

    def count(self):
        return sum(1 for m, p in self.parent.items() if m == p)


def cheapest_network(nodes, edges):
    """The weight of a minimum spanning tree, or None; edges are (weight, u, v)."""
    groups = Groups(nodes)
    total = sum(w for w, u, v in sorted(edges) if groups.join(u, v))
    return total if groups.count() == 1 else None
''',
        wrong="self.sizes[a] += 1",
        right="self.sizes[a] += self.sizes[b]",
        visible="""\
def test_alone():
    assert Groups("ab").size("a") == 1

def test_pair():
    g = Groups("abc")
    assert g.join("a", "b") is True
    assert g.size("a") == g.size("b") == 2
    assert g.count() == 2

def test_join_twice():
    g = Groups("ab")
    g.join("a", "b")
    assert g.join("b", "a") is False

def test_two_pairs():
    g = Groups("abcd")
    g.join("a", "b")
    g.join("c", "d")
    g.join("a", "d")
    assert g.size("c") == 4

def test_network():
    assert cheapest_network("xyz", [(1, "x", "y"), (2, "y", "z"), (9, "x", "z")]) == 3
""",
        hidden="""\
def test_triples():
    g = Groups(range(6))
    for a, b in [(0, 1), (1, 2), (3, 4), (4, 5), (2, 3)]:
        g.join(a, b)
    assert [g.size(n) for n in range(6)] == [6] * 6

def test_pair_joins_triple():
    g = Groups(range(5))
    for a, b in [(0, 1), (1, 2), (3, 4), (4, 0)]:
        g.join(a, b)
    assert g.size(3) == 5
    assert g.count() == 1

def test_network_apart():
    assert cheapest_network([1, 2, 3], [(5, 1, 2)]) is None

def test_add_one_by_one():
    g = Groups("abc")
    g.join("a", "b")
    g.join("c", "a")
    assert g.size("c") == 3
""",
    ),
    Program(
        name="t32_two_teams",
        code='''\
def two_teams(people, rivals):
    """Split people into two teams without rivals in one team, or None.

    The first person of each connected part joins the first team.
    """
    against = {person: [] for person in people}
    for a, b in rivals:
        against[a].append(b)
        against[b].append(a)
    team = {}
    for first in people:
        if first in team:
            continue
        team[first] = 0
        stack = [first]
        while stack:
            person = stack.pop()
            for rival in against[person]:
                if rival not in team:
                    team[rival] = 1 - team[first]
                    stack.append(rival)
                elif team[rival] == team[person]:
                    return None
    return [p for p in people if team[p] == 0], [p for p in people if team[p] == 1]
''',
        wrong="team[rival] = 1 - team[first]",
        right="team[rival] = 1 - team[person]",
        visible="""\
def test_no_rivals():
    assert two_teams("abc", []) == (["a", "b", "c"], [])

def test_pair():
    assert two_teams("ab", ["ab"]) == (["a"], ["b"])

def test_triangle():
    assert two_teams("abc", ["ab", "bc", "ca"]) is None

def test_path():
    assert two_teams("abc", ["ab", "bc"]) == (["a", "c"], ["b"])

def test_square():
    assert two_teams([1, 2, 3, 4], [(1, 2), (2, 3), (3, 4), (4, 1)]) == ([1, 3], [2, 4])
""",
        hidden="""\
def test_star():
    assert two_teams("cxyz", ["cx", "cy", "cz"]) == (["c"], ["x", "y", "z"])

def test_two_parts():
    assert two_teams("abcd", ["ab", "cd"]) == (["a", "c"], ["b", "d"])

def test_five_cycle():
    assert two_teams(range(5), [(i, (i + 1) % 5) for i in range(5)]) is None

def test_six_cycle():
    assert two_teams(range(6), [(i, (i + 1) % 6) for i in range(6)]) == ([0, 2, 4], [1, 3, 5])

def test_long_path():
    assert two_teams("abcde", ["ab", "bc", "cd", "de"]) == (["a", "c", "e"], ["b", "d"])
""",
    ),
    Program(
        name="t32_maze_steps",
        code='''\
from collections import deque

MOVES = [(0, 1), (1, 0), (0, -1), (-1, 0)]


def locate(maze, mark):
    for r, row in enumerate(maze):
        if mark in row:
            return r, row.index(mark)
    raise ValueError(f"no {mark} in the maze")


def steps(maze):
    """The fewest steps from S to E through a list of strings; -1 if none.

    # is a wall.
    """
    start, end = locate(maze, "S"), locate(maze, "E")
    seen = {start}
    queue = deque([(start, 0)])
    while queue:
        (r, c), walked = queue.popleft()
        if (r, c) == end:
            return walked
        for dr, dc in MOVES:
            nr, nc = r + dr, c + dc
            if not (0 < nr < len(maze) and 0 <= nc < len(maze[nr])):
                continue
            if maze[nr][nc] != "#" and (nr, nc) not in seen:
                seen.add((nr, nc))
                queue.append(((nr, nc), walked + 1))
    return -1
''',
        wrong="0 < nr < len(maze)",
        right="0 <= nr < len(maze)",
        visible="""\
def test_locate():
    assert locate(["..", ".E"], "E") == (1, 1)

def test_row():
    assert steps(["S..E"]) == 3

def test_down():
    assert steps(["S", ".", "E"]) == 2

def test_around_wall():
    assert steps(["...", "S#E"]) == 4

def test_closed():
    assert steps(["S#E"]) == -1

def test_no_end():
    with pytest.raises(ValueError):
        steps(["S."])
""",
        hidden="""\
def test_upwards():
    assert steps(["E..", "..S"]) == 3

def test_side_by_side():
    assert steps(["SE"]) == 1

def test_below_wall():
    assert steps(["S#E", "..."]) == 4

def test_lower_rows():
    assert steps(["###", "S.E"]) == 2

def test_spiral():
    assert steps(["S....", "####.", "E....", ]) == 10

def test_walled_in():
    assert steps(["S..", "###", "..E"]) == -1
""",
    ),
    Program(
        name="t32_bridges",
        code='''\
def bridges(edges):
    """The edges of a simple undirected graph whose loss would disconnect it."""
    graph = {}
    for a, b in edges:
        graph.setdefault(a, []).append(b)
        graph.setdefault(b, []).append(a)
    order, low = {}, {}
    found = []

    def visit(node, parent):
        order[node] = low[node] = len(order)
        for other in graph[node]:
            if other == parent:
                continue
            if other in order:
                low[node] = min(low[node], order[other])
                continue
            visit(other, node)
            low[node] = min(low[node], low[other])
            if low[other] >= order[node]:
                found.append(tuple(sorted((node, other))))

    for node in graph:
        if node not in order:
            visit(node, None)
    return sorted(found)
''',
        wrong="if low[other] >= order[node]:",
        right="if low[other] > order[node]:",
        visible="""\
def test_none():
    assert bridges([]) == []

def test_one_edge():
    assert bridges([(2, 1)]) == [(1, 2)]

def test_path():
    assert bridges([(1, 2), (2, 3)]) == [(1, 2), (2, 3)]

def test_triangle():
    assert bridges([(1, 2), (2, 3), (3, 1)]) == []

def test_triangle_with_tail():
    assert bridges([(1, 2), (2, 3), (3, 1), (3, 4)]) == [(3, 4)]
""",
        hidden="""\
def test_two_triangles():
    edges = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6), (6, 4)]
    assert bridges(edges) == [(3, 4)]

def test_square():
    assert bridges([(1, 2), (2, 3), (3, 4), (4, 1)]) == []

def test_star():
    assert bridges([(0, 3), (0, 1), (0, 2)]) == [(0, 1), (0, 2), (0, 3)]

def test_two_parts():
    assert bridges([("a", "b"), ("c", "d")]) == [("a", "b"), ("c", "d")]

def test_shared_corner():
    assert bridges([(1, 2), (2, 3), (3, 1), (1, 4), (4, 5), (5, 1)]) == []
""",
    ),
    Program(
        name="t32_overdraft_account",
        code='''\
class Account:
    """An account with an overdraft limit and a fee for going below zero."""

    FEE = 5

    def __init__(self, balance=0, limit=0):
        self.balance = balance
        self.limit = limit
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        """Whether the amount was paid out."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        cost = amount
        if amount > self.balance:
            cost += self.FEE
        if self.balance - amount < -self.limit:
            self.history.append(("refused", amount))
            return False
        self.balance -= cost
        self.history.append(("withdraw", amount))
        return True

    def transfer(self, other, amount):
        if not self.withdraw(amount):
            return False
        other.deposit(amount)
        return True
''',
        wrong="if self.balance - amount < -self.limit:",
        right="if self.balance - cost < -self.limit:",
        visible="""\
def test_plain_withdrawal():
    a = Account(100)
    assert a.withdraw(100)
    assert a.balance == 0

def test_refused():
    a = Account(10)
    assert not a.withdraw(11)
    assert a.balance == 10
    assert a.history == [("refused", 11)]

def test_fee():
    a = Account(10, limit=50)
    assert a.withdraw(20)
    assert a.balance == -15

def test_fee_counts_towards_limit():
    a = Account(0, limit=20)
    assert not a.withdraw(16)
    assert a.balance == 0

def test_transfer():
    a, b = Account(30), Account()
    assert a.transfer(b, 25)
    assert (a.balance, b.balance) == (5, 25)
""",
        hidden="""\
def test_exactly_the_limit():
    a = Account(0, limit=20)
    assert a.withdraw(15)
    assert a.balance == -20

def test_limit_without_fee_is_too_much():
    a = Account(10, limit=10)
    assert a.withdraw(20) is False
    assert a.history == [("refused", 20)]

def test_transfer_refused():
    a, b = Account(5, limit=4), Account(1)
    assert not a.transfer(b, 6)
    assert (a.balance, b.balance) == (5, 1)

def test_bad_amount():
    with pytest.raises(ValueError):
        Account(5).withdraw(0)
    with pytest.raises(ValueError):
        Account(5).deposit(-1)
""",
    ),
    Program(
        name="t32_turnstile",
        code='''\
class Turnstile:
    """Unlocks for enough coins; one push lets one person through."""

    def __init__(self, price=3):
        self.price = price
        self.locked = True
        self.credit = 0
        self.passed = 0
        self.alarms = 0

    def insert(self, coins):
        """Returns the change; an open turnstile gives all coins back."""
        if not self.locked:
            return coins
        self.credit += coins
        if self.credit < self.price:
            return 0
        change = self.credit - self.price
        self.credit = change
        self.locked = False
        return change

    def push(self):
        if self.locked:
            self.alarms += 1
            return False
        self.locked = True
        self.passed += 1
        return True

    def cancel(self):
        """Gives the credit back."""
        coins, self.credit = self.credit, 0
        return coins
''',
        wrong="self.credit = change",
        right="self.credit = 0",
        visible="""\
def test_locked_at_first():
    t = Turnstile()
    assert t.push() is False
    assert t.alarms == 1

def test_exact_price():
    t = Turnstile(3)
    assert t.insert(3) == 0
    assert t.push() is True
    assert t.locked

def test_coin_by_coin():
    t = Turnstile(2)
    assert t.insert(1) == 0
    assert t.locked
    t.insert(1)
    assert not t.locked

def test_change_is_not_credit():
    t = Turnstile(3)
    assert t.insert(5) == 2
    assert t.cancel() == 0

def test_open_gives_back():
    t = Turnstile(1)
    t.insert(1)
    assert t.insert(4) == 4
""",
        hidden="""\
def test_second_person_pays_in_full():
    t = Turnstile(3)
    t.insert(5)
    t.push()
    assert t.insert(1) == 0
    assert t.push() is False
    assert t.passed == 1

def test_cancel():
    t = Turnstile(5)
    t.insert(2)
    t.insert(1)
    assert t.cancel() == 3
    assert t.cancel() == 0

def test_change_twice():
    t = Turnstile(2)
    changes = []
    for _ in range(2):
        changes.append(t.insert(3))
        t.push()
    assert changes == [1, 1]
    assert t.passed == 2

def test_alarm_after_pass():
    t = Turnstile(1)
    t.insert(1)
    t.push()
    t.push()
    assert t.alarms == 1
""",
    ),
    Program(
        name="t32_rate_limiter",
        code='''\
from collections import deque


class RateLimiter:
    """Allows `limit` calls per user within any `window` seconds."""

    def __init__(self, limit, window):
        self.limit = limit
        self.window = window
        self.calls = {}

    def recent(self, user, now):
        calls = self.calls.setdefault(user, deque())
        while calls and calls[-1] <= now - self.window:
            calls.popleft()
        return calls

    def allow(self, user, now):
        calls = self.recent(user, now)
        if len(calls) >= self.limit:
            return False
        calls.append(now)
        return True

    def wait_time(self, user, now):
        """How long the user must wait for the next call."""
        calls = self.recent(user, now)
        if len(calls) < self.limit:
            return 0
        return calls[0] + self.window - now
''',
        wrong="while calls and calls[-1] <= now - self.window:",
        right="while calls and calls[0] <= now - self.window:",
        visible="""\
def test_limit():
    r = RateLimiter(2, 10)
    assert [r.allow("u", t) for t in (0, 1, 2)] == [True, True, False]

def test_window_over():
    r = RateLimiter(1, 10)
    assert r.allow("u", 0)
    assert not r.allow("u", 9)
    assert r.allow("u", 10)

def test_users_apart():
    r = RateLimiter(1, 5)
    assert r.allow("a", 0)
    assert r.allow("b", 0)

def test_window_slides():
    r = RateLimiter(2, 10)
    r.allow("u", 0)
    r.allow("u", 6)
    assert r.allow("u", 11)
    assert not r.allow("u", 12)

def test_wait_time():
    r = RateLimiter(1, 10)
    r.allow("u", 3)
    assert r.wait_time("u", 5) == 8
""",
        hidden="""\
def test_wait_time_after_first_expired():
    r = RateLimiter(2, 10)
    r.allow("u", 0)
    r.allow("u", 8)
    assert r.wait_time("u", 9) == 1
    assert r.wait_time("u", 10) == 0

def test_steady_calls():
    r = RateLimiter(3, 3)
    assert all(r.allow("x", t) for t in range(20))

def test_no_wait_for_unknown():
    assert RateLimiter(1, 4).wait_time("n", 0) == 0

def test_refused_calls_do_not_count():
    r = RateLimiter(1, 10)
    r.allow("u", 0)
    r.allow("u", 9)
    assert r.allow("u", 10)
""",
    ),
    Program(
        name="t32_undo_editor",
        code='''\
class Editor:
    """A line of text with undo and redo."""

    def __init__(self, text=""):
        self.text = text
        self.undone = []
        self.past = []

    def change(self, text):
        self.past.append(self.text)
        self.past = self.past[-100:]
        self.text = text

    def type(self, letters):
        self.change(self.text + letters)
        self.undone.clear()

    def erase(self, count=1):
        if count > 0:
            self.change(self.text[:-count])
            self.undone.clear()

    def undo(self):
        if not self.past:
            return False
        self.undone.append(self.text)
        self.text = self.past.pop()
        return True

    def redo(self):
        if not self.undone:
            return False
        self.past.append(self.undone[-1])
        self.text = self.undone.pop()
        return True
''',
        wrong="self.past.append(self.undone[-1])",
        right="self.past.append(self.text)",
        visible="""\
def test_type_and_erase():
    e = Editor("ab")
    e.type("cd")
    e.erase(3)
    assert e.text == "a"

def test_undo():
    e = Editor()
    e.type("x")
    e.type("y")
    assert e.undo()
    assert e.text == "x"

def test_redo():
    e = Editor()
    e.type("x")
    e.undo()
    assert e.redo()
    assert e.text == "x"

def test_undo_after_redo():
    e = Editor("0")
    e.type("1")
    e.undo()
    e.redo()
    assert e.undo()
    assert e.text == "0"

def test_typing_forgets_redo():
    e = Editor()
    e.type("x")
    e.undo()
    e.type("y")
    assert e.redo() is False
""",
        hidden="""\
def test_nothing_to_undo():
    e = Editor("k")
    assert not e.undo()
    assert not e.redo()
    assert e.text == "k"

def test_back_and_forth():
    e = Editor()
    for letter in "abc":
        e.type(letter)
    while e.undo():
        pass
    while e.redo():
        pass
    seen = []
    while e.undo():
        seen.append(e.text)
    assert seen == ["ab", "a", ""]

def test_erase_and_redo():
    e = Editor("word")
    e.erase(2)
    e.undo()
    e.redo()
    e.undo()
    assert e.text == "word"

def test_erase_nothing():
    e = Editor("a")
    e.erase(0)
    assert e.text == "a"
    assert not e.undo()
""",
    ),
    Program(
        name="t32_parking_garage",
        code='''\
import heapq


class Garage:
    """Gives each car the lowest free place and charges by the started hour."""

    def __init__(self, places, rate=2, free_minutes=15):
        self.free = list(range(1, places + 1))
        self.rate = rate
        self.free_minutes = free_minutes
        self.parked = {}
        self.income = 0

    def enter(self, car, minute):
        """The place of the car, or None if the garage is full."""
        if car in self.parked:
            raise ValueError(f"{car} is inside")
        if not self.free:
            return None
        place = heapq.heappop(self.free)
        self.parked[car] = (place, minute)
        return place

    def leave(self, car, minute):
        """The fee for the stay."""
        place, start = self.parked.pop(car)
        self.free.append(place)
        stay = minute - start
        fee = 0
        if stay > self.free_minutes:
            fee = -(-stay // 60) * self.rate
        self.income += fee
        return fee
''',
        wrong="self.free.append(place)",
        right="heapq.heappush(self.free, place)",
        visible="""\
def test_places_in_order():
    g = Garage(3)
    assert [g.enter(c, 0) for c in "abc"] == [1, 2, 3]

def test_full():
    g = Garage(1)
    g.enter("a", 0)
    assert g.enter("b", 1) is None

def test_lowest_place_again():
    g = Garage(3)
    g.enter("a", 0)
    g.enter("b", 0)
    g.leave("a", 10)
    assert g.enter("c", 20) == 1

def test_fees():
    g = Garage(3, rate=2)
    for car in "abc":
        g.enter(car, 0)
    assert g.leave("a", 15) == 0
    assert g.leave("b", 60) == 2
    assert g.leave("c", 61) == 4
    assert g.income == 6

def test_twice():
    g = Garage(2)
    g.enter("a", 0)
    with pytest.raises(ValueError):
        g.enter("a", 5)
""",
        hidden="""\
def test_two_places_freed():
    g = Garage(3)
    for car in "abc":
        g.enter(car, 0)
    g.leave("c", 1)
    g.leave("a", 2)
    assert g.enter("d", 3) == 1
    assert g.enter("e", 3) == 3

def test_come_back():
    g = Garage(5)
    g.enter("a", 0)
    g.leave("a", 1)
    assert g.enter("a", 2) == 1

def test_unknown_car():
    with pytest.raises(KeyError):
        Garage(1).leave("x", 0)

def test_sixteen_minutes():
    g = Garage(1, rate=3)
    g.enter("a", 100)
    assert g.leave("a", 116) == 3

def test_full_then_free():
    g = Garage(1)
    g.enter("a", 0)
    g.leave("a", 5)
    assert g.enter("b", 6) == 1
""",
    ),
    Program(
        name="t32_reservations",
        code='''\
class Stock:
    """Counts goods on the shelf and those that are reserved for orders."""

    def __init__(self, goods):
        self.shelf = dict(goods)
        self.orders = {}
        self.next_order = 1

    def available(self, item):
        held = sum(order.get(item, 0) for order in self.orders.values())
        return self.shelf.get(item, 0) - held

    def reserve(self, wanted):
        """The number of a new order, or None if anything is lacking."""
        if any(self.available(item) < n for item, n in wanted.items()):
            return None
        number = self.next_order
        self.next_order += 1
        self.orders[number] = wanted
        return number

    def add(self, number, item, count):
        if self.available(item) < count:
            return False
        order = self.orders[number]
        order[item] = order.get(item, 0) + count
        return True

    def ship(self, number):
        for item, n in self.orders.pop(number).items():
            self.shelf[item] -= n

    def cancel(self, number):
        return self.orders.pop(number, None) is not None
''',
        wrong="self.orders[number] = wanted",
        right="self.orders[number] = dict(wanted)",
        visible="""\
def test_reserve():
    s = Stock({"pen": 5})
    assert s.reserve({"pen": 3}) == 1
    assert s.available("pen") == 2
    assert s.shelf["pen"] == 5

def test_lacking():
    s = Stock({"pen": 5})
    s.reserve({"pen": 3})
    assert s.reserve({"pen": 3}) is None

def test_ship():
    s = Stock({"pen": 5})
    s.ship(s.reserve({"pen": 4}))
    assert s.shelf == {"pen": 1}

def test_cancel():
    s = Stock({"cup": 1})
    n = s.reserve({"cup": 1})
    assert s.cancel(n) is True
    assert s.cancel(n) is False
    assert s.available("cup") == 1

def test_add_leaves_the_request_alone():
    s = Stock({"pen": 5})
    wanted = {"pen": 1}
    n = s.reserve(wanted)
    assert s.add(n, "pen", 2)
    assert wanted == {"pen": 1}
    assert s.available("pen") == 2
""",
        hidden="""\
def test_same_request_twice():
    s = Stock({"pen": 10})
    wanted = {"pen": 2}
    first = s.reserve(wanted)
    s.reserve(wanted)
    s.add(first, "pen", 1)
    assert s.available("pen") == 5

def test_request_changed_later():
    s = Stock({"cup": 4})
    wanted = {"cup": 1}
    s.reserve(wanted)
    wanted["cup"] = 4
    assert s.available("cup") == 3

def test_add_too_much():
    s = Stock({"cup": 2})
    n = s.reserve({"cup": 1})
    assert s.add(n, "cup", 2) is False

def test_unknown_item():
    s = Stock({})
    assert s.available("x") == 0
    assert s.reserve({"x": 1}) is None

def test_numbers():
    s = Stock({"a": 9})
    assert [s.reserve({"a": 1}) for _ in range(3)] == [1, 2, 3]
""",
    ),
)
