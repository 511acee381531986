"""Functions and classes with one slip each: (name, code, wrong, right).

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from typing import Final

__all__ = ["PAIRS"]

PAIRS: Final = [
    # ---------------------------------------------------------------- structures
    (
        "gap_buffer",
        r'''class GapBuffer:
    """Text with a cursor; typing and erasing at the cursor take constant time."""

    def __init__(self, text=""):
        self.before = []
        self.after = list(reversed(text))

    def type(self, text):
        self.before.extend(text)

    def erase(self):
        if self.before:
            self.before.pop()

    def left(self):
        if self.before:
            self.after.append(self.before.pop())

    def right(self):
        if self.after:
            self.before.append(self.after.pop())

    def text(self):
        return "".join(self.before) + "".join(self.after)
''',
        """"".join(self.after)""",
        """"".join(reversed(self.after))""",
    ),
    (
        "piece_table",
        r'''class PieceTable:
    """A document as a list of (source, start, length) pieces of two buffers."""

    def __init__(self, text):
        self.buffers = {"old": text, "new": ""}
        self.pieces = [("old", 0, len(text))]

    def insert(self, at, text):
        fresh = ("new", len(self.buffers["new"]), len(text))
        self.buffers["new"] += text
        for i, (source, start, length) in enumerate(self.pieces):
            if at <= length:
                head = (source, start, at)
                tail = (source, start + at, length)
                self.pieces[i:i + 1] = [head, fresh, tail]
                return
            at -= length
        raise IndexError("position beyond the end")

    def text(self):
        return "".join(self.buffers[source][start:start + length]
                       for source, start, length in self.pieces)
''',
        """tail = (source, start + at, length)""",
        """tail = (source, start + at, length - at)""",
    ),
    (
        "leftist_heap",
        r'''class Node:
    def __init__(self, key):
        self.key, self.rank = key, 1
        self.left = self.right = None


def rank(node):
    return node.rank if node else 0


def merge(a, b):
    """Merge two leftist heaps; the smallest key is at the root of the result.

    The rank of a node is the length of its right spine, which is kept short.
    """
    if a is None or b is None:
        return a or b
    if b.key < a.key:
        a, b = b, a
    a.right = merge(a.right, b)
    if rank(a.left) < rank(a.right):
        a.left, a.right = a.right, a.left
    a.rank = rank(a.left) + 1
    return a
''',
        """a.rank = rank(a.left) + 1""",
        """a.rank = rank(a.right) + 1""",
    ),
    (
        "treap_split",
        r'''def split(node, key):
    """Split a treap into (keys < key, keys >= key); nodes are reused."""
    if node is None:
        return None, None
    if node.key < key:
        smaller, larger = split(node.right, key)
        node.right = larger
        return node, larger
    smaller, larger = split(node.left, key)
    node.left = larger
    return smaller, node
''',
        """node.right = larger""",
        """node.right = smaller""",
    ),
    (
        "fenwick_select",
        r'''class OrderTree:
    """Counts of the values 0..size-1 with rank and selection in O(log size)."""

    def __init__(self, size):
        self.size = size
        self.tree = [0] * (size + 1)

    def add(self, value, count=1):
        i = value + 1
        while i <= self.size:
            self.tree[i] += count
            i += i & -i

    def kth(self, k):
        """The k-th smallest value, k counted from 1."""
        pos = 0
        step = 1 << self.size.bit_length()
        while step:
            if pos + step <= self.size and self.tree[pos + step] <= k:
                pos += step
                k -= self.tree[pos]
            step >>= 1
        return pos
''',
        """self.tree[pos + step] <= k""",
        """self.tree[pos + step] < k""",
    ),
    (
        "sparse_table",
        r'''class RangeMin:
    """Minimum of any slice of a fixed list, answered in constant time."""

    def __init__(self, values):
        self.rows = [list(values)]
        width = 1
        while 2 * width <= len(values):
            last = self.rows[-1]
            self.rows.append([min(last[i], last[i + width])
                              for i in range(len(last) - width)])
            width *= 2

    def query(self, lo, hi):
        """Smallest of values[lo:hi], lo < hi."""
        k = (hi - lo).bit_length() - 1
        row = self.rows[k]
        return min(row[lo], row[hi - k])
''',
        """row[hi - k]""",
        """row[hi - (1 << k)]""",
    ),
    (
        "weighted_union",
        r'''class Differences:
    """Learns facts value[b] - value[a] = d and spots contradictions."""

    def __init__(self, n):
        self.parent = list(range(n))
        self.offset = [0] * n

    def find(self, x):
        parent = self.parent[x]
        if parent == x:
            return x
        root = self.find(parent)
        self.offset[x] += self.offset[parent]
        self.parent[x] = root
        return root

    def learn(self, a, b, d):
        """Record value[b] - value[a] = d; False if that contradicts earlier facts."""
        root_a, root_b = self.find(a), self.find(b)
        if root_a == root_b:
            return self.offset[b] - self.offset[a] == d
        self.parent[root_b] = root_a
        self.offset[root_b] = self.offset[a] + d
        return True
''',
        """self.offset[root_b] = self.offset[a] + d""",
        """self.offset[root_b] = self.offset[a] + d - self.offset[b]""",
    ),
    (
        "cuckoo_hash",
        r'''class CuckooMap:
    """A hash map with two tables; every key has one place in each."""

    def __init__(self, size=11):
        self.size = size
        self.tables = [[None] * size, [None] * size]

    def _slot(self, side, key):
        return hash((side, key)) % self.size

    def get(self, key, default=None):
        for side in (0, 1):
            entry = self.tables[side][self._slot(side, key)]
            if entry and entry[0] == key:
                return entry[1]
        return default

    def add(self, key, value):
        """Add a key that is not in the map yet, moving others out of the way."""
        item, side = (key, value), 0
        for _ in range(2 * self.size):
            slot = self._slot(side, key)
            self.tables[side][slot], item = item, self.tables[side][slot]
            if item is None:
                return
            side = 1 - side
        raise OverflowError("table too full")
''',
        """slot = self._slot(side, key)""",
        """slot = self._slot(side, item[0])""",
    ),
    (
        "tombstones",
        r'''EMPTY, DELETED = object(), object()


class OpenTable:
    """A set with linear probing; a removed entry leaves a tombstone behind."""

    def __init__(self, size=16):
        self.slots = [EMPTY] * size

    def _probe(self, key):
        start = hash(key)
        for i in range(len(self.slots)):
            yield (start + i) % len(self.slots)

    def __contains__(self, key):
        for i in self._probe(key):
            if self.slots[i] is EMPTY or self.slots[i] is DELETED:
                return False
            if self.slots[i] == key:
                return True
        return False

    def remove(self, key):
        for i in self._probe(key):
            if self.slots[i] == key:
                self.slots[i] = DELETED
                return
        raise KeyError(key)
''',
        """if self.slots[i] is EMPTY or self.slots[i] is DELETED:""",
        """if self.slots[i] is EMPTY:""",
    ),
    (
        "lfu_cache",
        r'''from collections import OrderedDict, defaultdict


class LFUCache:
    """Drops the least often used entry, among equals the longest unused."""

    def __init__(self, capacity):
        self.capacity, self.least = capacity, 0
        self.uses, self.buckets = {}, defaultdict(OrderedDict)

    def get(self, key):
        if key not in self.uses:
            return None
        count = self.uses[key]
        value = self.buckets[count].pop(key)
        if not self.buckets[count]:
            self.least += 1
        self.uses[key] = count + 1
        self.buckets[count + 1][key] = value
        return value

    def put(self, key, value):
        if self.get(key) is not None:
            self.buckets[self.uses[key]][key] = value
            return
        if len(self.uses) >= self.capacity:
            victim, _ = self.buckets[self.least].popitem(last=False)
            del self.uses[victim]
        self.uses[key] = self.least = 1
        self.buckets[1][key] = value
''',
        """if not self.buckets[count]:""",
        """if not self.buckets[count] and count == self.least:""",
    ),
    (
        "random_bag",
        r'''import random


class Bag:
    """A set that can also draw a random member, all in constant time."""

    def __init__(self):
        self.items = []
        self.place = {}

    def add(self, value):
        if value not in self.place:
            self.place[value] = len(self.items)
            self.items.append(value)

    def remove(self, value):
        spot = self.place.pop(value)
        last = self.items.pop()
        if spot < len(self.items):
            self.items[spot] = last
            self.place[last] = len(self.items)

    def draw(self):
        return random.choice(self.items)
''',
        """self.place[last] = len(self.items)""",
        """self.place[last] = spot""",
    ),
    (
        "min_queue",
        r'''class MinQueue:
    """A first-in first-out queue that knows its minimum at any time."""

    def __init__(self):
        self.inbox = []
        self.outbox = []

    @staticmethod
    def _push(stack, value):
        low = min(value, stack[-1][1]) if stack else value
        stack.append((value, low))

    def put(self, value):
        self._push(self.inbox, value)

    def take(self):
        if not self.outbox:
            while self.inbox:
                self.outbox.append(self.inbox.pop())
        return self.outbox.pop()[0]

    def minimum(self):
        return min(stack[-1][1] for stack in (self.inbox, self.outbox) if stack)
''',
        """self.outbox.append(self.inbox.pop())""",
        """self._push(self.outbox, self.inbox.pop()[0])""",
    ),
    (
        "quad_tree",
        r'''class QuadTree:
    """Points of a square; a node with more than four points splits in quarters."""

    def __init__(self, x, y, size):
        self.x, self.y, self.size = x, y, size
        self.points, self.parts = [], None

    def insert(self, px, py):
        if self.parts is not None:
            self._part(px, py).insert(px, py)
            return
        self.points.append((px, py))
        if len(self.points) > 4 and self.size > 1:
            half = self.size / 2
            self.parts = [QuadTree(self.x + dx, self.y + dy, half)
                          for dy in (0, half) for dx in (0, half)]
            for point in self.points:
                self._part(*point).insert(*point)
            self.points = []

    def _part(self, px, py):
        half = self.size / 2
        right = px >= self.x + half
        below = py >= self.x + half
        return self.parts[2 * below + right]
''',
        """below = py >= self.x + half""",
        """below = py >= self.y + half""",
    ),
    (
        "kd_nearest",
        r'''def nearest(node, target, depth=0, best=None):
    """Nearest point of a k-d tree as (squared distance, point).

    A node is a tuple (point, left, right) or None.
    """
    if node is None:
        return best
    point, left, right = node
    distance = sum((a - b) ** 2 for a, b in zip(point, target))
    if best is None or distance < best[0]:
        best = (distance, point)
    axis = depth % len(target)
    gap = target[axis] - point[axis]
    near, far = (left, right) if gap < 0 else (right, left)
    best = nearest(near, target, depth + 1, best)
    if gap < best[0]:
        best = nearest(far, target, depth + 1, best)
    return best
''',
        """if gap < best[0]:""",
        """if gap ** 2 < best[0]:""",
    ),
    (
        "lazy_segments",
        r'''class RangeAddMax:
    """Add to a range of cells, ask for the highest cell."""

    def __init__(self, n):
        self.n = n
        self.top = [0] * (4 * n)
        self.extra = [0] * (4 * n)

    def add(self, lo, hi, amount, node=1, left=0, right=None):
        """Add amount to the cells lo..hi-1."""
        right = self.n if right is None else right
        if hi <= left or right <= lo:
            return
        if lo <= left and right <= hi:
            self.top[node] += amount
            self.extra[node] += amount
            return
        middle = (left + right) // 2
        self.add(lo, hi, amount, 2 * node, left, middle)
        self.add(lo, hi, amount, 2 * node + 1, middle, right)
        self.top[node] = max(self.top[2 * node], self.top[2 * node + 1])

    def highest(self):
        return self.top[1]
''',
        """max(self.top[2 * node], self.top[2 * node + 1])""",
        """max(self.top[2 * node], self.top[2 * node + 1]) + self.extra[node]""",
    ),
    (
        "trie_remove",
        r'''class Trie:
    """A multiset of words; passing counts the words that go through a node."""

    def __init__(self):
        self.children = {}
        self.passing = self.ending = 0

    def add(self, word):
        node = self
        for ch in word:
            node = node.children.setdefault(ch, Trie())
            node.passing += 1
        node.ending += 1

    def remove(self, word):
        """Remove one occurrence of a word that is present."""
        node = self
        for ch in word:
            child = node.children[ch]
            child.passing -= 1
            if child.ending == 0:
                del node.children[ch]
                return
            node = child
        node.ending -= 1
''',
        """if child.ending == 0:""",
        """if child.passing == 0:""",
    ),
    (
        "indexed_heap",
        r'''class IndexedHeap:
    """A min-heap of keys that remembers where each key stands."""

    def __init__(self):
        self.heap, self.cost, self.place = [], {}, {}

    def _swap(self, i, j):
        heap = self.heap
        heap[i], heap[j] = heap[j], heap[i]
        self.place[heap[i]], self.place[heap[j]] = j, i

    def _rise(self, i):
        while i and self.cost[self.heap[i]] < self.cost[self.heap[(i - 1) // 2]]:
            self._swap(i, (i - 1) // 2)
            i = (i - 1) // 2

    def lower(self, key, cost):
        """Add a key, or lower the cost of one that is there."""
        if key not in self.place:
            self.place[key] = len(self.heap)
            self.heap.append(key)
        self.cost[key] = cost
        self._rise(self.place[key])
''',
        """self.place[heap[i]], self.place[heap[j]] = j, i""",
        """self.place[heap[i]], self.place[heap[j]] = i, j""",
    ),
    (
        "pairing_heap",
        r'''def meld(a, b):
    """Join two heaps of the form [key, list of child heaps]."""
    if a is None or b is None:
        return a or b
    if b[0] < a[0]:
        a, b = b, a
    a[1].append(b)
    return a


def pop(heap):
    """Remove the smallest key; returns (key, remaining heap or None)."""
    key, children = heap
    pairs = []
    for i in range(0, len(children) - 1, 2):
        partner = children[i + 1] if i + 1 < len(children) else None
        pairs.append(meld(children[i], partner))
    rest = None
    for pair in reversed(pairs):
        rest = meld(rest, pair)
    return key, rest
''',
        """range(0, len(children) - 1, 2)""",
        """range(0, len(children), 2)""",
    ),
    (
        "running_median",
        r'''import heapq


class RunningMedian:
    """Median of the numbers seen so far, by two heaps of about equal size."""

    def __init__(self):
        self.low = []
        self.high = []

    def add(self, x):
        if len(self.low) == len(self.high):
            heapq.heappush(self.low, heapq.heappushpop(self.high, x))
        else:
            heapq.heappush(self.high, -heapq.heappushpop(self.low, -x))

    def median(self):
        if len(self.low) > len(self.high):
            return -self.low[0]
        return (self.high[0] - self.low[0]) / 2
''',
        """heapq.heappush(self.low, heapq.heappushpop(self.high, x))""",
        """heapq.heappush(self.low, -heapq.heappushpop(self.high, x))""",
    ),
    (
        "rope_weight",
        r'''class Leaf:
    def __init__(self, text):
        self.text = text

    def __len__(self):
        return len(self.text)

    def char(self, i):
        return self.text[i]


class Rope:
    """Two ropes or leaves put together without copying their text."""

    def __init__(self, left, right):
        self.left, self.right = left, right
        self.weight = len(left)

    def __len__(self):
        return self.weight + len(self.right)

    def char(self, i):
        """The i-th character, i >= 0."""
        if i < self.weight:
            return self.left.char(i)
        return self.right.char(i)
''',
        """return self.right.char(i)""",
        """return self.right.char(i - self.weight)""",
    ),
    (
        "sparse_matrix",
        r'''from collections import defaultdict


class SparseMatrix:
    """A matrix that keeps only its nonzero entries, row by row."""

    def __init__(self):
        self.rows = defaultdict(dict)

    def __setitem__(self, where, value):
        i, j = where
        if value:
            self.rows[i][j] = value
        else:
            self.rows[i].pop(j, None)

    def __getitem__(self, where):
        i, j = where
        return self.rows.get(i, {}).get(j, 0)

    def __matmul__(self, other):
        product = SparseMatrix()
        for i, row in self.rows.items():
            for k, a in row.items():
                for j, b in other.rows.get(i, {}).items():
                    product[i, j] = product[i, j] + a * b
        return product
''',
        """other.rows.get(i, {})""",
        """other.rows.get(k, {})""",
    ),
    (
        "slot_map",
        r'''class SlotMap:
    """Hands out handles (index, generation); a handle dies with its value."""

    def __init__(self):
        self.values = []
        self.generations = []
        self.free = []

    def add(self, value):
        if self.free:
            index = self.free.pop()
            self.values[index] = value
            return index, 0
        self.values.append(value)
        self.generations.append(0)
        return len(self.values) - 1, 0

    def get(self, handle):
        index, generation = handle
        if self.generations[index] != generation:
            raise KeyError("stale handle")
        return self.values[index]

    def remove(self, handle):
        self.get(handle)
        self.generations[handle[0]] += 1
        self.values[handle[0]] = None
        self.free.append(handle[0])
''',
        """return index, 0""",
        """return index, self.generations[index]""",
    ),
    (
        "list_zipper",
        r'''class Zipper:
    """An immutable list with one element in focus."""

    def __init__(self, left, focus, right):
        self.left, self.focus, self.right = tuple(left), focus, tuple(right)

    def forward(self):
        return Zipper(self.left + (self.focus,), self.right[0], self.right[1:])

    def backward(self):
        return Zipper(self.left[:-1], self.left[-1], self.right + (self.focus,))

    def replace(self, value):
        return Zipper(self.left, value, self.right)

    def to_list(self):
        return [*self.left, self.focus, *self.right]
''',
        """self.right + (self.focus,)""",
        """(self.focus,) + self.right""",
    ),
    (
        "size_rotation",
        r'''class Node:
    def __init__(self, key, left=None, right=None):
        self.key, self.left, self.right = key, left, right
        self.size = 1 + size(left) + size(right)


def size(node):
    return node.size if node else 0


def rotate_left(node):
    """Lift the right child of node above it; returns the new top.

    The sizes of both nodes are put right again.
    """
    top = node.right
    node.right = top.left
    top.left = node
    top.size = 1 + size(top.left) + size(top.right)
    node.size = 1 + size(node.left) + size(node.right)
    return top
''',
        """top.size = 1 + size(top.left) + size(top.right)""",
        """top.size = node.size""",
    ),
    (
        "cartesian_tree",
        r'''class Node:
    def __init__(self, value):
        self.value = value
        self.left = self.right = None


def cartesian(values):
    """Build the tree with the minimum on top whose inorder walk is values."""
    spine = []
    for value in values:
        node = Node(value)
        last = None
        while spine and spine[-1].value > value:
            last = spine.pop()
        node.left = last
        if spine:
            spine[-1].right = node
        spine.append(node)
    return spine[-1] if spine else None
''',
        """return spine[-1] if spine else None""",
        """return spine[0] if spine else None""",
    ),
    (
        "count_min",
        r'''import zlib


class CountMin:
    """Approximate counts in fixed memory; never too low."""

    def __init__(self, depth=4, width=97):
        self.width = width
        self.rows = [[0] * width for _ in range(depth)]

    def _slot(self, row, item):
        return zlib.crc32(f"{row}:{item}".encode()) % self.width

    def add(self, item, count=1):
        for i, row in enumerate(self.rows):
            row[self._slot(i, item)] = count

    def estimate(self, item):
        return min(row[self._slot(i, item)] for i, row in enumerate(self.rows))
''',
        """row[self._slot(i, item)] = count""",
        """row[self._slot(i, item)] += count""",
    ),
    (
        "two_way_dict",
        r'''class TwoWay:
    """A dictionary that is one-to-one and can be read in both directions."""

    def __init__(self):
        self.forward = {}
        self.backward = {}

    def put(self, key, value):
        """Pair key with value; older pairs of either one are dropped."""
        if key in self.forward:
            del self.backward[self.forward[key]]
        if value in self.backward:
            self.forward.pop(value, None)
        self.forward[key] = value
        self.backward[value] = key

    def key_of(self, value):
        return self.backward[value]
''',
        """self.forward.pop(value, None)""",
        """self.forward.pop(self.backward[value], None)""",
    ),
    (
        "interval_set",
        r'''from bisect import bisect_left, bisect_right


class Intervals:
    """A union of closed intervals, kept sorted and disjoint."""

    def __init__(self):
        self.starts = []
        self.ends = []

    def add(self, lo, hi):
        i = bisect_left(self.ends, lo)
        j = bisect_right(self.starts, hi)
        if i < j:
            lo = min(lo, self.starts[i])
            hi = max(hi, self.ends[i])
        self.starts[i:j] = [lo]
        self.ends[i:j] = [hi]

    def __contains__(self, x):
        i = bisect_right(self.starts, x) - 1
        return i >= 0 and x <= self.ends[i]
''',
        """hi = max(hi, self.ends[i])""",
        """hi = max(hi, self.ends[j - 1])""",
    ),
    (
        "price_span",
        r'''class PriceSpan:
    """For each day's price: for how many days up to today was it not beaten?"""

    def __init__(self):
        self.stack = []

    def next(self, price):
        """Take the price of a new day and return its span (at least 1)."""
        span = 1
        while self.stack and self.stack[-1][0] <= price:
            span += self.stack.pop()[1]
        self.stack.append((price, 1))
        return span
''',
        """self.stack.append((price, 1))""",
        """self.stack.append((price, span))""",
    ),
    (
        "word_bitset",
        r'''class Bitset:
    """A set of small integers in a list of 64-bit words."""

    def __init__(self, size):
        self.words = [0] * ((size + 63) // 64)

    def add(self, i):
        self.words[i >> 6] |= 1 << i

    def discard(self, i):
        self.words[i >> 6] &= ~(1 << (i & 63))

    def __contains__(self, i):
        return bool(self.words[i >> 6] >> (i & 63) & 1)

    def __len__(self):
        return sum(bin(word).count("1") for word in self.words)
''',
        """|= 1 << i""",
        """|= 1 << (i & 63)""",
    ),
    (
        "unrolled_list",
        r'''class UnrolledList:
    """A list cut into short blocks, so that insertion moves few items."""

    def __init__(self, limit=4):
        self.limit = limit
        self.blocks = [[]]

    def insert(self, at, value):
        for i, block in enumerate(self.blocks):
            if at <= len(block):
                block.insert(at, value)
                if len(block) > self.limit:
                    half = len(block) // 2
                    self.blocks.insert(i, block[half:])
                    del block[half:]
                return
            at -= len(block)
        raise IndexError(at)

    def __iter__(self):
        for block in self.blocks:
            yield from block
''',
        """self.blocks.insert(i, block[half:])""",
        """self.blocks.insert(i + 1, block[half:])""",
    ),
    (
        "wide_heap",
        r'''class WideHeap:
    """A min-heap in which every node has up to four children."""

    WIDTH = 4

    def __init__(self):
        self.data = []

    def push(self, value):
        data = self.data
        data.append(value)
        i = len(data) - 1
        while i:
            above = i // self.WIDTH
            if data[above] <= data[i]:
                break
            data[above], data[i] = data[i], data[above]
            i = above

    def children(self, i):
        first = self.WIDTH * i + 1
        return range(first, min(first + self.WIDTH, len(self.data)))
''',
        """above = i // self.WIDTH""",
        """above = (i - 1) // self.WIDTH""",
    ),
    (
        "twin_stacks",
        r'''class TwinStacks:
    """Two stacks that grow towards each other in one array."""

    def __init__(self, size):
        self.cells = [None] * size
        self.top = [-1, size]

    def push(self, side, value):
        if self.top[0] == self.top[1]:
            raise OverflowError("no room left")
        self.top[side] += 1 if side == 0 else -1
        self.cells[self.top[side]] = value

    def pop(self, side):
        if self.top[side] in (-1, len(self.cells)):
            raise IndexError("stack is empty")
        value = self.cells[self.top[side]]
        self.top[side] += -1 if side == 0 else 1
        return value
''',
        """if self.top[0] == self.top[1]:""",
        """if self.top[0] + 1 == self.top[1]:""",
    ),
    (
        "max_stack",
        r'''class MaxStack:
    """A stack that can also give up its largest element (the topmost of equals)."""

    def __init__(self):
        self.items = []

    def push(self, value):
        self.items.append(value)

    def pop(self):
        return self.items.pop()

    def pop_max(self):
        largest = max(self.items)
        aside = []
        while self.items[-1] != largest:
            aside.append(self.items.pop())
        self.items.pop()
        self.items.extend(aside)
        return largest
''',
        """self.items.extend(aside)""",
        """self.items.extend(reversed(aside))""",
    ),
    # ---------------------------------------------------------------- recursion
    (
        "karatsuba",
        r'''def karatsuba(x, y):
    """Product of two non-negative integers with three recursive products."""
    if x < 16 or y < 16:
        return x * y
    half = max(x.bit_length(), y.bit_length()) // 2
    mask = (1 << half) - 1
    a, b = x >> half, x & mask
    c, d = y >> half, y & mask
    high = karatsuba(a, c)
    low = karatsuba(b, d)
    cross = karatsuba(a + b, c + d) - high - low
    return (high << half) + (cross << half) + low
''',
        """(high << half)""",
        """(high << 2 * half)""",
    ),
    (
        "set_partitions",
        r'''def set_partitions(items):
    """Yield every way to divide a list into non-empty blocks."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for blocks in set_partitions(rest):
        yield [[first]] + blocks
        for i, block in enumerate(blocks):
            yield blocks[:i] + [[first] + block] + blocks[i:]
''',
        """[[first] + block] + blocks[i:]""",
        """[[first] + block] + blocks[i + 1:]""",
    ),
    (
        "integer_partitions",
        r'''def partitions(n, largest=None):
    """Yield the partitions of n as non-increasing lists, parts <= largest."""
    if largest is None:
        largest = n
    if n == 0:
        yield []
        return
    for part in range(min(n, largest), 0, -1):
        for rest in partitions(n - part, largest):
            yield [part] + rest
''',
        """partitions(n - part, largest)""",
        """partitions(n - part, part)""",
    ),
    (
        "power_parser",
        r'''import re


class Parser:
    """Evaluates sums and powers of integers; 2^3^2 is 2^(3^2)."""

    def __init__(self, text):
        self.tokens = re.findall(r"\d+|\S", text)

    def accept(self, token):
        return self.tokens[:1] == [token] and self.tokens.pop(0)

    def sum(self):
        value = self.power()
        while self.accept("+"):
            value += self.power()
        return value

    def power(self):
        base = self.atom()
        if self.accept("^"):
            return base ** self.atom()
        return base

    def atom(self):
        if self.accept("("):
            value = self.sum()
            self.accept(")")
            return value
        return int(self.tokens.pop(0))
''',
        """base ** self.atom()""",
        """base ** self.power()""",
    ),
    (
        "maze_paths",
        r'''def count_paths(grid, cell, goal, seen=None):
    """Number of ways from cell to goal over '.' cells, never entering one twice."""
    if cell == goal:
        return 1
    seen = {cell} if seen is None else seen
    total = 0
    r, c = cell
    for step in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
        inside = 0 <= step[0] < len(grid) and 0 <= step[1] < len(grid[0])
        if inside and grid[step[0]][step[1]] == "." and step not in seen:
            seen.add(step)
            total += count_paths(grid, step, goal, seen)
            seen.discard(cell)
    return total
''',
        """seen.discard(cell)""",
        """seen.discard(step)""",
    ),
    (
        "hilbert_points",
        r'''def hilbert(order):
    """The points of the Hilbert curve in a square of side 2**order, in order."""
    if order == 0:
        return [(0, 0)]
    n = 2 ** (order - 1)
    curve = hilbert(order - 1)
    first = [(y, x) for x, y in curve]
    second = [(x, y + n) for x, y in curve]
    third = [(x + n, y + n) for x, y in curve]
    fourth = [(2 * n - 1 - y, x) for x, y in curve]
    return first + second + third + fourth
''',
        """(2 * n - 1 - y, x)""",
        """(2 * n - 1 - y, n - 1 - x)""",
    ),
    (
        "all_search_trees",
        r'''def search_trees(lo, hi):
    """All binary search trees with the keys lo..hi as (left, key, right).

    An empty tree is None.
    """
    if lo > hi:
        return []
    trees = []
    for key in range(lo, hi + 1):
        for left in search_trees(lo, key - 1):
            for right in search_trees(key + 1, hi):
                trees.append((left, key, right))
    return trees
''',
        """return []""",
        """return [None]""",
    ),
    (
        "dotted_keys",
        r'''def dotted(tree, prefix=""):
    """Flatten nested dictionaries: {'a': {'b': 1}} becomes {'a.b': 1}."""
    flat = {}
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            flat.update(dotted(value, key + "."))
        else:
            flat[prefix + key] = value
    return flat
''',
        """dotted(value, key + ".")""",
        """dotted(value, prefix + key + ".")""",
    ),
    (
        "merge_settings",
        r'''def overlay(base, changes):
    """Settings of base overridden by changes; nested groups are merged.

    Neither argument is modified.
    """
    result = dict(base)
    for key, value in changes.items():
        old = result.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            result[key] = overlay(base, value)
        else:
            result[key] = value
    return result
''',
        """overlay(base, value)""",
        """overlay(old, value)""",
    ),
    (
        "glob_match",
        r'''def glob(pattern, text):
    """True if text matches pattern, where ? is any character and * any run."""
    if not pattern:
        return not text
    if pattern[0] == "*":
        if glob(pattern[1:], text):
            return True
        return bool(text) and glob(pattern[1:], text[1:])
    if not text:
        return False
    return pattern[0] in ("?", text[0]) and glob(pattern[1:], text[1:])
''',
        """return bool(text) and glob(pattern[1:], text[1:])""",
        """return bool(text) and glob(pattern, text[1:])""",
    ),
    (
        "coin_choices",
        r'''def choices(coins, amount):
    """All non-decreasing lists of coins (each usable many times) worth amount."""
    coins = sorted(coins)
    found = []

    def search(start, left, taken):
        if left == 0:
            found.append(taken)
            return
        for i in range(start, len(coins)):
            if coins[i] > left:
                break
            search(start, left - coins[i], taken + [coins[i]])

    search(0, amount, [])
    return found
''',
        """search(start, left - coins[i], taken + [coins[i]])""",
        """search(i, left - coins[i], taken + [coins[i]])""",
    ),
    (
        "kayles",
        r'''from functools import lru_cache


@lru_cache(maxsize=None)
def kayles(n):
    """Grundy number of n pins in a row: a move takes one pin or two neighbours."""
    reachable = set()
    for taken in (1, 2):
        for left in range(n - taken + 1):
            right = n - taken - left
            reachable.add(kayles(left) + kayles(right))
    value = 0
    while value in reachable:
        value += 1
    return value
''',
        """kayles(left) + kayles(right)""",
        """kayles(left) ^ kayles(right)""",
    ),
    (
        "cross_pairs",
        r'''def far_pairs(values):
    """Count pairs i < j with values[i] > 2 * values[j]; returns (count, sorted)."""
    if len(values) < 2:
        return 0, list(values)
    middle = len(values) // 2
    count_left, left = far_pairs(values[:middle])
    count_right, right = far_pairs(values[middle:])
    count, j = count_left + count_right, 0
    for x in left:
        while j < len(right) and x > 2 * right[j]:
            j += 1
        count += len(right) - j
    return count, sorted(left + right)
''',
        """count += len(right) - j""",
        """count += j""",
    ),
    (
        "quick_select",
        r'''def smallest(values, k):
    """The k-th smallest of values, k counted from 0."""
    pivot = values[len(values) // 2]
    below = [x for x in values if x < pivot]
    above = [x for x in values if x > pivot]
    equal = len(values) - len(below) - len(above)
    if k < len(below):
        return smallest(below, k)
    if k < len(below) + equal:
        return pivot
    return smallest(above, k - len(below))
''',
        """smallest(above, k - len(below))""",
        """smallest(above, k - len(below) - equal)""",
    ),
    (
        "kth_of_two",
        r'''def kth(a, b, k):
    """The k-th smallest (from 0) of two sorted lists together, without merging."""
    if not a:
        return b[k]
    if not b:
        return a[k]
    i, j = len(a) // 2, len(b) // 2
    if i + j < k:
        if a[i] > b[j]:
            return kth(a, b[j + 1:], k - i - 1)
        return kth(a[i + 1:], b, k - i - 1)
    if a[i] > b[j]:
        return kth(a[:i], b, k)
    return kth(a, b[:j], k)
''',
        """kth(a, b[j + 1:], k - i - 1)""",
        """kth(a, b[j + 1:], k - j - 1)""",
    ),
    (
        "tree_span",
        r'''def span(tree):
    """(height, longest path) of a tree given as the list of its subtrees.

    Both are counted in edges; the longest path may pass below the root.
    """
    height = longest = 0
    for child in tree:
        depth, inner = span(child)
        depth += 1
        longest = max(inner, height + depth)
        height = max(height, depth)
    return height, longest
''',
        """max(inner, height + depth)""",
        """max(longest, inner, height + depth)""",
    ),
    (
        "tree_from_walks",
        r'''def rebuild(inorder, postorder):
    """The binary tree (left, value, right) with these two walks; values differ."""
    if not inorder:
        return None
    root = postorder[-1]
    i = inorder.index(root)
    left = rebuild(inorder[:i], postorder[:i])
    right = rebuild(inorder[i + 1:], postorder[i:])
    return left, root, right
''',
        """rebuild(inorder[i + 1:], postorder[i:])""",
        """rebuild(inorder[i + 1:], postorder[i:-1])""",
    ),
    (
        "de_bruijn",
        r'''def de_bruijn(k, n):
    """Shortest cyclic sequence over 0..k-1 that holds every word of length n."""
    a = [0] * (n + 1)
    sequence = []

    def extend(t, period):
        if t > n:
            if n % period == 0:
                sequence.extend(a[1:period + 1])
            return
        a[t] = a[t - period]
        extend(t + 1, period)
        for symbol in range(a[t - period] + 1, k):
            a[t] = symbol
            extend(t + 1, period + 1)

    extend(1, 1)
    return sequence
''',
        """extend(t + 1, period + 1)""",
        """extend(t + 1, t)""",
    ),
    (
        "latin_square",
        r'''def complete(grid):
    """Fill the zeros so that 1..n are once in every row and column; True if done."""
    n = len(grid)
    for r in range(n):
        for c in range(n):
            if grid[r][c]:
                continue
            for value in range(1, n + 1):
                in_column = any(row[r] == value for row in grid)
                if value in grid[r] or in_column:
                    continue
                grid[r][c] = value
                if complete(grid):
                    return True
            grid[r][c] = 0
            return False
    return True
''',
        """row[r] == value""",
        """row[c] == value""",
    ),
    (
        "segment_words",
        r'''def sentences(text, words):
    """All ways to cut text into words, each as a list."""
    if not text:
        return [[]]
    found = []
    for word in sorted(words):
        if text.startswith(word):
            for rest in sentences(text.replace(word, ""), words):
                found.append([word] + rest)
    return found
''',
        """text.replace(word, "")""",
        """text[len(word):]""",
    ),
    (
        "egyptian_fraction",
        r'''def egyptian(p, q):
    """Denominators of the greedy sum of different unit fractions for p/q < 1."""
    if p == 0:
        return []
    d = -(-q // p)
    return [d] + egyptian(p - 1, q * d)
''',
        """egyptian(p - 1, q * d)""",
        """egyptian(p * d - q, q * d)""",
    ),
    (
        "stern_brocot",
        r'''def stern_brocot(p, q):
    """Path of L and R from 1/1 to the reduced fraction p/q in the Stern-Brocot tree."""
    if p == q:
        return ""
    if p > q:
        return "R" + stern_brocot(p - q, q)
    return "L" + stern_brocot(q - p, p)
''',
        """stern_brocot(q - p, p)""",
        """stern_brocot(p, q - p)""",
    ),
    (
        "draw_tree",
        r'''def draw(tree, indent=""):
    """Lines that show nested dictionaries as a tree with branches."""
    lines = []
    names = list(tree)
    for i, name in enumerate(names):
        last = i == len(names) - 1
        lines.append(indent + ("└── " if last else "├── ") + name)
        lines += draw(tree[name], indent + ("│   " if last else "    "))
    return lines
''',
        """("│   " if last else "    ")""",
        """("    " if last else "│   ")""",
    ),
    (
        "negamax",
        r'''def negamax(tree, alpha=float("-inf"), beta=float("inf")):
    """Value of a game tree for the player to move, with pruning.

    A leaf is a number, seen by the player who would be to move there.
    """
    if not isinstance(tree, list):
        return tree
    for child in tree:
        value = -negamax(child, -alpha, -beta)
        if value >= beta:
            return beta
        alpha = max(alpha, value)
    return alpha
''',
        """-negamax(child, -alpha, -beta)""",
        """-negamax(child, -beta, -alpha)""",
    ),
    (
        "skyline",
        r'''def skyline(houses):
    """Outline [(x, height), ...] of houses given as (left, right, height)."""
    if not houses:
        return []
    if len(houses) == 1:
        left, right, height = houses[0]
        return [(left, height), (right, 0)]
    middle = len(houses) // 2
    a, b = skyline(houses[:middle]), skyline(houses[middle:])
    outline, i, j, height_a, height_b = [], 0, 0, 0, 0
    while i < len(a) and j < len(b):
        x = min(a[i][0], b[j][0])
        if a[i][0] == x:
            height_a = a[i][1]
            i += 1
        if b[j][0] == x:
            height_b = b[j][1]
            j += 1
        top = max(height_a, height_b)
        if not outline or outline[-1][1] != top:
            outline.append((x, top))
    return outline + a[i:]
''',
        """return outline + a[i:]""",
        """return outline + a[i:] + b[j:]""",
    ),
    (
        "plant_growth",
        r'''def grow(word, rules, steps):
    """The word after some steps of a Lindenmayer system.

    In every step each letter is replaced by its rule; letters without a rule
    stay as they are.
    """
    if steps == 0:
        return word
    parts = []
    for letter in word:
        parts.append(rules.get(letter, ""))
    return grow("".join(parts), rules, steps - 1)
''',
        """rules.get(letter, "")""",
        """rules.get(letter, letter)""",
    ),
    (
        "carpet",
        r'''def carpet(size):
    """Rows of the Sierpinski carpet of side 3**size, holes as blanks."""

    def solid(r, c):
        if r == 0 and c == 0:
            return True
        if r % 3 == 1 or c % 3 == 1:
            return False
        return solid(r // 3, c // 3)

    side = 3 ** size
    return ["".join("#" if solid(r, c) else " " for c in range(side))
            for r in range(side)]
''',
        """r % 3 == 1 or c % 3 == 1""",
        """r % 3 == 1 and c % 3 == 1""",
    ),
    (
        "best_slice",
        r'''from itertools import accumulate


def best_slice(values):
    """Largest sum of a non-empty slice, by divide and conquer."""
    if len(values) == 1:
        return values[0]
    middle = len(values) // 2
    left, right = values[:middle], values[middle:]
    ending = max(accumulate(left))
    starting = max(accumulate(right))
    return max(best_slice(left), best_slice(right), ending + starting)
''',
        """max(accumulate(left))""",
        """max(accumulate(reversed(left)))""",
    ),
    (
        "four_pegs",
        r'''from functools import lru_cache


@lru_cache(maxsize=None)
def four_pegs(n):
    """Moves for n discs and four pegs: k discs step aside with all four pegs,
    the other discs go with three pegs, then the k discs follow."""
    if n == 0:
        return 0
    return min(four_pegs(k) + 2 ** (n - k) - 1 for k in range(n))
''',
        """min(four_pegs(k) + 2 ** (n - k) - 1 for""",
        """min(2 * four_pegs(k) + 2 ** (n - k) - 1 for""",
    ),
    (
        "fourier",
        r'''import cmath


def fft(signal):
    """Discrete Fourier transform of a list whose length is a power of two."""
    n = len(signal)
    if n == 1:
        return list(signal)
    even, odd = fft(signal[::2]), fft(signal[1::2])
    half = n // 2
    turned = [cmath.exp(-2j * cmath.pi * k / half) * odd[k] for k in range(half)]
    return ([even[k] + turned[k] for k in range(half)]
            + [even[k] - turned[k] for k in range(half)])
''',
        """cmath.exp(-2j * cmath.pi * k / half)""",
        """cmath.exp(-2j * cmath.pi * k / n)""",
    ),
    (
        "spiral_walk",
        r'''def spiral(rows):
    """Elements of a matrix clockwise from the top left corner inwards."""
    if not rows:
        return []
    first, *below = rows
    turned = list(zip(*below))
    return list(first) + spiral(turned)
''',
        """turned = list(zip(*below))""",
        """turned = list(zip(*below))[::-1]""",
    ),
    (
        "let_language",
        r'''def evaluate(expr, env):
    """Value of nested tuples: ('let', name, value, body), ('+', a, b), names, numbers."""
    if isinstance(expr, str):
        return env[expr]
    if not isinstance(expr, tuple):
        return expr
    if expr[0] == "let":
        _, name, value, body = expr
        inner = {**env, name: evaluate(value, env)}
        return evaluate(body, env)
    op, a, b = expr
    left, right = evaluate(a, env), evaluate(b, env)
    return left + right if op == "+" else left * right
''',
        """return evaluate(body, env)""",
        """return evaluate(body, inner)""",
    ),
    (
        "unify_terms",
        r'''def unify(x, y, bindings):
    """Bindings that make two terms equal, or None.

    Variables are strings starting with '?', compound terms are tuples.
    """
    while x in bindings:
        x = bindings[x]
    while y in bindings:
        y = bindings[y]
    if x == y:
        return bindings
    if isinstance(x, str) and x.startswith("?"):
        return {**bindings, x: y}
    if isinstance(y, str) and y.startswith("?"):
        return {**bindings, y: x}
    if isinstance(x, tuple) and isinstance(y, tuple) and len(x) == len(y):
        for a, b in zip(x, y):
            bindings = unify(a, b, {})
            if bindings is None:
                return None
        return bindings
    return None
''',
        """unify(a, b, {})""",
        """unify(a, b, bindings)""",
    ),
    (
        "derivative",
        r'''def derive(expr, x):
    """Derivative of an expression of numbers, names, ('+', a, b) and ('*', a, b)."""
    if isinstance(expr, tuple):
        op, a, b = expr
        if op == "+":
            return ("+", derive(a, x), derive(b, x))
        return ("+", ("*", derive(a, x), b), ("*", derive(a, x), b))
    return 1 if expr == x else 0
''',
        """("*", derive(a, x), b))""",
        """("*", a, derive(b, x)))""",
    ),
    # ---------------------------------------------------------------- strings
    (
        "z_function",
        r'''def z_function(s):
    """z[i] is the length of the longest common prefix of s and s[i:]."""
    n = len(s)
    z = [0] * n
    left = right = 0
    for i in range(1, n):
        if i < right:
            z[i] = z[i - left]
        while i + z[i] < n and s[z[i]] == s[i + z[i]]:
            z[i] += 1
        if i + z[i] > right:
            left, right = i, i + z[i]
    return z
''',
        """z[i] = z[i - left]""",
        """z[i] = min(right - i, z[i - left])""",
    ),
    (
        "shortest_period",
        r'''def shortest_period(s):
    """Length of the shortest block whose repetition gives exactly s."""
    n = len(s)
    border = [0] * n
    k = 0
    for i in range(1, n):
        while k and s[i] != s[k]:
            k -= 1
        if s[i] == s[k]:
            k += 1
        border[i] = k
    period = n - border[-1] if n else 0
    return period if period and n % period == 0 else n
''',
        """k -= 1""",
        """k = border[k - 1]""",
    ),
    (
        "manacher",
        r'''def palindrome_radii(s):
    """For each i the largest r so that s[i-r:i+r+1] is a palindrome."""
    radii = [0] * len(s)
    center = right = 0
    for i in range(len(s)):
        r = 0
        if i < right:
            r = min(right - i, radii[right - i])
        while i - r > 0 and i + r + 1 < len(s) and s[i - r - 1] == s[i + r + 1]:
            r += 1
        radii[i] = r
        if i + r > right:
            center, right = i, i + r
    return radii
''',
        """radii[right - i]""",
        """radii[2 * center - i]""",
    ),
    (
        "soundex",
        r'''CODES = {letter: str(digit)
         for digit, letters in enumerate(("BFPV", "CGJKQSXZ", "DT", "L", "MN", "R"), 1)
         for letter in letters}


def soundex(name):
    """Soundex key: letter and three digits; equal codes merge unless a vowel
    stands between them (H and W do not separate)."""
    name = name.upper()
    key = name[0]
    last = CODES.get(name[0], "")
    for letter in name[1:]:
        code = CODES.get(letter, "")
        if code and code != last:
            key += code
        if code:
            last = code
    return (key + "000")[:4]
''',
        """if code:""",
        """if letter not in "HW":""",
    ),
    (
        "vigenere",
        r'''def vigenere(text, key):
    """Encipher the letters of text with a key word; other characters stay
    and use up no letter of the key."""
    out = []
    used = 0
    for i, ch in enumerate(text):
        if not ch.isalpha():
            out.append(ch)
            continue
        shift = ord(key[i % len(key)].upper()) - ord("A")
        base = ord("A") if ch.isupper() else ord("a")
        out.append(chr((ord(ch) - base + shift) % 26 + base))
        used += 1
    return "".join(out)
''',
        """key[i % len(key)]""",
        """key[used % len(key)]""",
    ),
    (
        "rail_fence",
        r'''def rail_decode(cipher, rails):
    """Recover a text that was written in a zigzag over some rails."""
    cycle = max(1, 2 * (rails - 1))

    def rail(i):
        i %= cycle
        return min(i, cycle - i)

    order = sorted(range(len(cipher)), key=rail)
    plain = [""] * len(cipher)
    for i, spot in enumerate(order):
        plain[i] = cipher[spot]
    return "".join(plain)
''',
        """plain[i] = cipher[spot]""",
        """plain[spot] = cipher[i]""",
    ),
    (
        "playfair_pair",
        r'''def playfair(square, a, b):
    """Encipher two different letters with a list of five rows of five letters."""
    places = {ch: (r, c) for r, row in enumerate(square) for c, ch in enumerate(row)}
    (row_a, col_a), (row_b, col_b) = places[a], places[b]
    if row_a == row_b:
        return square[row_a][(col_a + 1) % 5] + square[row_b][(col_b + 1) % 5]
    if col_a == col_b:
        return square[(row_a + 1) % 5][col_a] + square[(row_b + 1) % 5][col_b]
    return square[row_b][col_a] + square[row_a][col_b]
''',
        """return square[row_b][col_a] + square[row_a][col_b]""",
        """return square[row_a][col_b] + square[row_b][col_a]""",
    ),
    (
        "justify_line",
        r'''def justify(words, width):
    """One line of exactly width characters; spare blanks go to the left gaps."""
    if len(words) == 1:
        return words[0].ljust(width)
    gaps = len(words) - 1
    blanks = width - len(" ".join(words))
    each, extra = divmod(blanks, gaps)
    line = ""
    for i, word in enumerate(words[:-1]):
        line += word + " " * (each + (i < extra))
    return line + words[-1]
''',
        """len(" ".join(words))""",
        """len("".join(words))""",
    ),
    (
        "csv_fields",
        r'''def csv_fields(line):
    """Fields of one line of CSV; quoted fields may hold commas and doubled quotes."""
    fields, current, quoted, i = [], "", False, 0
    while i < len(line):
        ch = line[i]
        if quoted and line[i:i + 2] == '""':
            current += '"'
            i += 1
        elif ch == '"':
            quoted = not quoted
        elif ch == ",":
            fields.append(current)
            current = ""
        else:
            current += ch
        i += 1
    return fields + [current]
''',
        """elif ch == ",":""",
        """elif ch == "," and not quoted:""",
    ),
    (
        "snake_case",
        r'''def snake_case(name):
    """Turn CamelCase into snake_case; runs of capitals are one word.

    HTTPServerError becomes http_server_error.
    """
    out = []
    for i, ch in enumerate(name):
        if i and ch.isupper():
            after = name[i + 1:i + 2]
            if name[i - 1].islower():
                out.append("_")
        out.append(ch.lower())
    return "".join(out)
''',
        """if name[i - 1].islower():""",
        """if name[i - 1].islower() or after.islower():""",
    ),
    (
        "natural_key",
        r'''import re


def natural_key(name):
    """Sort key under which file2 comes before file10, letter case ignored."""
    key = []
    for part in re.split(r"\d+", name):
        if part.isdigit():
            key.append(int(part))
        else:
            key.append(part.lower())
    return key
''',
        r'''r"\d+"''',
        r'''r"(\d+)"''',
    ),
    (
        "swap_distance",
        r'''def swap_distance(a, b):
    """Edit distance with insert, delete, replace and swap of neighbours."""
    d = [[i + j if i * j == 0 else 0 for j in range(len(b) + 1)]
         for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = a[i - 1] != b[j - 1]
            d[i][j] = min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost)
            if i > 1 and j > 1 and a[i - 2:i] == b[j - 2:j]:
                d[i][j] = min(d[i][j], d[i - 2][j - 2] + 1)
    return d[-1][-1]
''',
        """a[i - 2:i] == b[j - 2:j]""",
        """a[i - 2:i] == b[j - 2:j][::-1]""",
    ),
    (
        "inverse_bwt",
        r'''def inverse_bwt(last, end="$"):
    """Recover a text (which ends with end) from its Burrows-Wheeler transform."""
    rows = [""] * len(last)
    for _ in range(len(last)):
        rows = sorted(row + ch for ch, row in zip(last, rows))
    for row in rows:
        if row.endswith(end):
            return row
    raise ValueError("end mark missing")
''',
        """sorted(row + ch for""",
        """sorted(ch + row for""",
    ),
    (
        "move_to_front",
        r'''def mtf_decode(codes, alphabet):
    """Decode move-to-front codes; every symbol moves to the front when used."""
    symbols = list(alphabet)
    out = []
    for code in codes:
        symbol = symbols.pop(code)
        out.append(symbol)
        symbols.append(symbol)
    return "".join(out)
''',
        """symbols.append(symbol)""",
        """symbols.insert(0, symbol)""",
    ),
    (
        "lzw_decode",
        r'''def lzw_decode(codes):
    """Decode LZW codes of characters below 256."""
    table = {i: chr(i) for i in range(256)}
    previous = table[codes[0]]
    out = [previous]
    for code in codes[1:]:
        if code in table:
            entry = table[code]
        else:
            entry = previous + previous[0]
        out.append(entry)
        table[len(table)] = previous + entry
        previous = entry
    return "".join(out)
''',
        """table[len(table)] = previous + entry""",
        """table[len(table)] = previous + entry[0]""",
    ),
    (
        "fill_template",
        r'''import re


def fill(template, values):
    """Replace $name by its value; names without a value are left as they are."""

    def value_of(match):
        name = match.group(1)
        return str(values.get(name, name))

    return re.sub(r"\$(\w+)", value_of, template)
''',
        """values.get(name, name)""",
        """values.get(name, match.group(0))""",
    ),
    (
        "hex_dump",
        r'''def hex_dump(data, width=8):
    """Lines with offset, hexadecimal bytes and readable characters."""
    lines = []
    for start in range(0, len(data), width):
        chunk = data[start:width]
        codes = " ".join(f"{byte:02x}" for byte in chunk)
        shown = "".join(chr(b) if 32 <= b < 127 else "." for b in chunk)
        lines.append(f"{start:04x}  {codes:<{3 * width}} {shown}")
    return lines
''',
        """data[start:width]""",
        """data[start:start + width]""",
    ),
    (
        "iban_check",
        r'''def iban_valid(iban):
    """Check an IBAN: the first four characters go to the end, letters count
    10 to 35, and the whole number is 1 modulo 97."""
    iban = iban.replace(" ", "").upper()
    if len(iban) < 5 or not iban.isalnum():
        return False
    digits = ""
    for ch in iban[4:] + iban[:4]:
        digits += str(ord(ch) - ord("A")) if ch.isalpha() else ch
    return int(digits) % 97 == 1
''',
        """str(ord(ch) - ord("A"))""",
        """str(ord(ch) - ord("A") + 10)""",
    ),
    (
        "pig_latin",
        r'''def pig_latin(word):
    """Move the leading consonants (with the u of qu) to the end and add ay."""
    i = 0
    while i < len(word) and word[i] not in "aeiou":
        i += 1
    if i == 0:
        return word + "way"
    if word[i:i + 2] == "qu":
        i += 1
    return word[i:] + word[:i] + "ay"
''',
        '''word[i:i + 2] == "qu"''',
        '''word[i - 1:i + 1] == "qu"''',
    ),
    (
        "read_ini",
        r'''def read_ini(text):
    """Sections of an INI file as dictionaries; a value may contain '='."""
    sections = {}
    current = sections.setdefault("", {})
    for line in text.splitlines():
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("[") and line.endswith("]"):
            current = sections.setdefault(line[1:-1].strip(), {})
            continue
        key, value = line.rsplit("=", 1)
        current[key.strip()] = value.strip()
    return sections
''',
        """line.rsplit("=", 1)""",
        """line.split("=", 1)""",
    ),
    (
        "query_string",
        r'''from urllib.parse import unquote_plus


def parse_query(query):
    """Parameters of a URL query; every name has the list of its values."""
    params = {}
    for pair in unquote_plus(query).split("&"):
        if not pair:
            continue
        name, _, value = pair.partition("=")
        params.setdefault(unquote_plus(name), []).append(unquote_plus(value))
    return params
''',
        """unquote_plus(query).split("&")""",
        """query.split("&")""",
    ),
    (
        "version_key",
        r'''def version_key(version):
    """Sort key for versions like 1.10.2 and 2.0.0-beta (a beta is before its release)."""
    core, _, label = version.partition("-")
    numbers = [int(part) for part in core.split(".")]
    while len(numbers) < 3:
        numbers.append(0)
    return numbers, label != "", label
''',
        '''label != ""''',
        '''label == ""''',
    ),
    (
        "slugify",
        r'''import re
import unicodedata


def slugify(title):
    """Short form of a title for addresses: accents dropped, words joined by '-'."""
    text = unicodedata.normalize("NFC", title)
    text = text.encode("ascii", "ignore").decode("ascii").lower()
    text = re.sub(r"[^a-z0-9]+", "-", text)
    return text.strip("-")
''',
        '''"NFC"''',
        '''"NFKD"''',
    ),
    (
        "number_words",
        r'''ONES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen "
        "fourteen fifteen sixteen seventeen eighteen nineteen").split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(n):
    """English words for 0 <= n < 1000000."""
    if n < 20:
        return ONES[n]
    if n < 100:
        return TENS[n // 10 - 2] + ("-" + ONES[n % 10] if n % 10 else "")
    unit, name = (1000, "thousand") if n >= 1000 else (100, "hundred")
    words = in_words(n // unit) + " " + name
    if n % unit:
        words += " " + in_words(n % 100)
    return words
''',
        """in_words(n % 100)""",
        """in_words(n % unit)""",
    ),
    (
        "clean_path",
        r'''def clean_path(path):
    """Remove '.', empty parts and 'x/..' from a relative path; leading '..' stay."""
    kept = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and kept:
            kept.pop()
        else:
            kept.append(part)
    return "/".join(kept) or "."
''',
        """if part == ".." and kept:""",
        """if part == ".." and kept and kept[-1] != "..":""",
    ),
    (
        "utf8_bytes",
        r'''def utf8(code):
    """The UTF-8 bytes of a code point below 0x10000."""
    if code < 0x80:
        return [code]
    if code < 0x800:
        return [0xC0 | code >> 6, 0x80 | code & 0x3F]
    return [0xE0 | code >> 12,
            0x80 | code >> 6,
            0x80 | code & 0x3F]
''',
        """0x80 | code >> 6,""",
        """0x80 | code >> 6 & 0x3F,""",
    ),
    (
        "mask_digits",
        r'''def mask(number, shown=4):
    """Hide all digits of a card number but the last few; separators stay."""
    hidden = sum(ch.isdigit() for ch in number) - shown
    out = ""
    seen = 0
    for ch in number:
        if ch.isdigit():
            seen += 1
            out += ch if seen <= shown else "*"
        else:
            out += ch
    return out
''',
        """ch if seen <= shown""",
        """ch if seen > hidden""",
    ),
    (
        "text_table",
        r'''def table(rows):
    """Lines of a table; every column is as wide as its longest cell."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(cell) for cell in column) for column in rows]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths)]
        lines.append(" | ".join(cells).rstrip())
    return lines
''',
        """for column in rows]""",
        """for column in zip(*rows)]""",
    ),
    (
        "column_cipher",
        r'''def column_cipher(text, key):
    """Write text in rows under the key, read its columns in the key's letter order.

    The letters of the key are all different.
    """
    width = len(key)
    letters = sorted(key)
    order = [letters.index(ch) for ch in key]
    columns = []
    for place in order:
        columns.append(text[place::width])
    return "".join(columns)
''',
        """[letters.index(ch) for ch in key]""",
        """[key.index(ch) for ch in letters]""",
    ),
    (
        "base32_encode",
        r'''ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def base32(data):
    """Encode bytes in base 32, padded with '=' to a multiple of eight."""
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (len(bits) % 5)
    out = ""
    for i in range(0, len(bits), 5):
        out += ALPHABET[int(bits[i:i + 5], 2)]
    return out + "=" * (-len(out) % 8)
''',
        """"0" * (len(bits) % 5)""",
        """"0" * (-len(bits) % 5)""",
    ),
    (
        "compact_ranges",
        r'''def compact(numbers):
    """Write sorted different integers as ranges: 1,2,3,7 becomes '1-3,7'."""
    parts = []
    start = end = None
    for n in list(numbers) + [None]:
        if start is not None and n == start + 1:
            end = n
            continue
        if start is not None:
            parts.append(str(start) if start == end else f"{start}-{end}")
        start = end = n
    return ",".join(parts)
''',
        """n == start + 1""",
        """n == end + 1""",
    ),
    (
        "run_length",
        r'''def expand_runs(coded):
    """Expand a run-length code: 'a3b12c' is aaa, twelve b and one c."""
    out, letter, count = "", "", ""
    for ch in coded:
        if ch.isdigit():
            count = ch
            continue
        out += letter * int(count or 1)
        letter = ch
        count = ""
    return out + letter * int(count or 1)
''',
        """count = ch""",
        """count += ch""",
    ),
    (
        "bigram_likeness",
        r'''from collections import Counter


def likeness(a, b):
    """Dice coefficient of the letter pairs of two words, repeated pairs counted."""

    def pairs(word):
        word = word.lower()
        return Counter(zip(word, word[1:]))

    first, second = pairs(a), pairs(b)
    total = sum(first.values()) + sum(second.values())
    if total == 0:
        return float(a.lower() == b.lower())
    return 2 * len(first & second) / total
''',
        """len(first & second)""",
        """sum((first & second).values())""",
    ),
    (
        "coloured_column",
        r'''import re

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def pad(text, width):
    """Pad coloured text with blanks to a visible width (colour codes take no room)."""
    visible = COLOUR.sub("", text)
    return text + " " * (width - len(text))
''',
        """" " * (width - len(text))""",
        """" " * (width - len(visible))""",
    ),
    # ---------------------------------------------------------------- arithmetic
    (
        "two_remainders",
        r'''from math import gcd


def combine(r1, m1, r2, m2):
    """(r, m) that says the same as x = r1 mod m1 and x = r2 mod m2, or None."""
    g = gcd(m1, m2)
    if (r2 - r1) % g:
        return None
    step = m2 // g
    t = (r2 - r1) // g * pow(m1 // g, -1, step) % step
    m = m1 * step
    return (r1 + t) % m, m
''',
        """(r1 + t) % m""",
        """(r1 + m1 * t) % m""",
    ),
    (
        "strong_test",
        r'''def probably_prime(n, bases=(2, 3, 5, 7, 11)):
    """Miller-Rabin test; exact for n below two million millions."""
    if n < 2 or any(n % p == 0 for p in bases):
        return n in bases
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for base in bases:
        x = pow(base, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == 1:
                break
        else:
            return False
    return True
''',
        """if x == 1:""",
        """if x == n - 1:""",
    ),
    (
        "least_factors",
        r'''def least_factors(limit):
    """A list whose n-th element is the smallest prime factor of n (n >= 2)."""
    factor = list(range(limit + 1))
    for i in range(2, int(limit ** 0.5) + 1):
        if factor[i] != i:
            continue
        for multiple in range(i * i, limit + 1, i):
            if factor[i] == i:
                factor[multiple] = i
    return factor
''',
        """if factor[i] == i:""",
        """if factor[multiple] == multiple:""",
    ),
    (
        "totient_table",
        r'''def totients(limit):
    """phi[n] for n up to limit: how many of 1..n have no common factor with n."""
    phi = list(range(limit + 1))
    for p in range(2, limit + 1):
        if phi[p] == p:
            for multiple in range(p, limit + 1, p):
                phi[multiple] -= multiple // p
    return phi
''',
        """phi[multiple] -= multiple // p""",
        """phi[multiple] -= phi[multiple] // p""",
    ),
    (
        "convergents",
        r'''def convergents(terms):
    """The convergents (numerator, denominator) of a continued fraction."""
    found = []
    p, p_before = 1, 0
    q, q_before = 0, 1
    for a in terms:
        p, p_before = a * p + p_before, p
        q, q_before = a * p + q_before, q
        found.append((p, q))
    return found
''',
        """a * p + q_before""",
        """a * q + q_before""",
    ),
    (
        "simpson",
        r'''def simpson(f, a, b, n=100):
    """Integral of f from a to b by Simpson's rule with an even number of strips."""
    if n % 2:
        n += 1
    h = (b - a) / n
    total = f(a) + f(b)
    for i in range(1, n):
        weight = 2 if i % 2 else 4
        total += weight * f(a + i * h)
    return total * h / 3
''',
        """2 if i % 2 else 4""",
        """4 if i % 2 else 2""",
    ),
    (
        "false_position",
        r'''def false_position(f, lo, hi, tolerance=1e-10):
    """A zero of f between lo and hi, where f has different signs."""
    f_lo, f_hi = f(lo), f(hi)
    x = lo
    for _ in range(200):
        x = (hi * f_hi - lo * f_lo) / (f_hi - f_lo)
        fx = f(x)
        if abs(fx) < tolerance:
            break
        if (fx < 0) == (f_lo < 0):
            lo, f_lo = x, fx
        else:
            hi, f_hi = x, fx
    return x
''',
        """hi * f_hi - lo * f_lo""",
        """lo * f_hi - hi * f_lo""",
    ),
    (
        "gauss",
        r'''def solve(matrix, right):
    """Solution of a square system, with the largest pivot of each column."""
    n = len(matrix)
    m = [list(map(float, row)) + [b] for row, b in zip(matrix, right)]
    for col in range(n):
        best = max(range(n), key=lambda r: abs(m[r][col]))
        m[col], m[best] = m[best], m[col]
        for r in range(n):
            if r != col:
                factor = m[r][col] / m[col][col]
                for k in range(col, n + 1):
                    m[r][k] -= factor * m[col][k]
    return [m[r][n] / m[r][r] for r in range(n)]
''',
        """max(range(n), key""",
        """max(range(col, n), key""",
    ),
    (
        "bareiss",
        r'''def determinant(matrix):
    """Determinant of a matrix of integers without any fractions."""
    m = [list(row) for row in matrix]
    n, sign, before = len(m), 1, 1
    for k in range(n - 1):
        if m[k][k] == 0:
            swap = next((r for r in range(k + 1, n) if m[r][k]), None)
            if swap is None:
                return 0
            m[k], m[swap] = m[swap], m[k]
            sign = -sign
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                m[i][j] = m[i][j] * m[k][k] - m[i][k] * m[k][j]
                m[i][j] //= m[k][k]
        before = m[k][k]
    return sign * m[-1][-1]
''',
        """m[i][j] //= m[k][k]""",
        """m[i][j] //= before""",
    ),
    (
        "divide_polynomials",
        r'''def divide(dividend, divisor):
    """(quotient, remainder) of polynomials, lists of coefficients from x**0 up."""
    rest = [float(c) for c in dividend]
    degree = len(divisor) - 1
    quotient = [0.0] * max(1, len(rest) - degree)
    for i in range(len(rest) - degree - 1, -1, -1):
        factor = rest[i + degree] / divisor[-1]
        quotient[i] = factor
        for j, c in enumerate(divisor):
            rest[j] -= factor * c
    return quotient, rest[:degree]
''',
        """rest[j] -= factor * c""",
        """rest[i + j] -= factor * c""",
    ),
    (
        "kahan",
        r'''def exact_sum(numbers):
    """Sum of floats in which the lost low digits are carried along (Kahan)."""
    total = 0.0
    lost = 0.0
    for x in numbers:
        y = x - lost
        fresh = total + y
        lost = fresh - total
        total = fresh
    return total
''',
        """lost = fresh - total""",
        """lost = (fresh - total) - y""",
    ),
    (
        "day_of_year",
        r'''def day_number(year, month, day):
    """Number of a day in its year (1 January is 1), Gregorian calendar."""
    lengths = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    number = sum(lengths[:month - 1]) + day
    if leap and month >= 2:
        number += 1
    return number
''',
        """month >= 2""",
        """month > 2""",
    ),
    (
        "easter_sunday",
        r'''def easter(year):
    """(month, day) of Easter Sunday in the Gregorian calendar."""
    a = year % 19
    b, c = divmod(year, 100)
    d, e = divmod(b, 4)
    f = (b + 8) // 25
    g = (b - f + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    l = (30 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * l) // 451
    month, day = divmod(h + l - 7 * m + 114, 31)
    return month, day + 1
''',
        """(30 + 2 * e""",
        """(32 + 2 * e""",
    ),
    (
        "loan_plan",
        r'''def loan_plan(debt, yearly_rate, payment):
    """(interest, repaid, rest) in cents for every month until a loan is paid off."""
    rows = []
    while debt > 0:
        interest = round(debt * yearly_rate / 12)
        if payment <= interest:
            raise ValueError("the payment does not cover the interest")
        repaid = min(debt, payment - interest)
        debt -= min(debt, payment)
        rows.append((interest, repaid, debt))
    return rows
''',
        """debt -= min(debt, payment)""",
        """debt -= repaid""",
    ),
    (
        "raster_line",
        r'''def raster_line(x, y, x_end, y_end):
    """Grid points of a straight line (Bresenham), both ends included."""
    dx, dy = abs(x_end - x), abs(y_end - y)
    step_x = 1 if x < x_end else -1
    step_y = 1 if y < y_end else -1
    error = dx - dy
    points = [(x, y)]
    while (x, y) != (x_end, y_end):
        doubled = 2 * error
        if doubled > -dy:
            error -= dy
            x += step_x
        if error < dx:
            error += dx
            y += step_y
        points.append((x, y))
    return points
''',
        """if error < dx:""",
        """if doubled < dx:""",
    ),
    (
        "inside_polygon",
        r'''def inside(polygon, x, y):
    """True if the point is inside the polygon: a ray to the right crosses
    an odd number of its sides."""
    answer = False
    for i, (x1, y1) in enumerate(polygon):
        x2, y2 = polygon[i - 1]
        if (y1 > y) != (y2 > y):
            crossing = (x2 - x1) * (y - y1) / (y2 - y1)
            if x < crossing:
                answer = not answer
    return answer
''',
        """crossing = (x2 - x1) * (y - y1) / (y2 - y1)""",
        """crossing = x1 + (x2 - x1) * (y - y1) / (y2 - y1)""",
    ),
    (
        "convex_hull",
        r'''def hull(points):
    """Corners of the convex hull, counterclockwise from the leftmost point."""
    points = sorted(set(points))
    if len(points) < 3:
        return points

    def chain(sequence):
        line = []
        for x, y in sequence:
            while len(line) > 1:
                (ax, ay), (bx, by) = line[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                line.pop()
            line.append((x, y))
        return line[:-1]

    return chain(points) + chain(points)
''',
        """return chain(points) + chain(points)""",
        """return chain(points) + chain(points[::-1])""",
    ),
    (
        "polygon_centroid",
        r'''def centroid(polygon):
    """Center of mass of a polygon without crossings, as (x, y)."""
    area2 = sum_x = sum_y = 0
    for i, (x1, y1) in enumerate(polygon):
        x0, y0 = polygon[i - 1]
        cross = x0 * y1 - x1 * y0
        area2 += cross
        sum_x += (x0 + x1) * cross
        sum_y += (y0 + y1) * cross
    return sum_x / (6 * area2), sum_y / (3 * area2)
''',
        """sum_x / (6 * area2)""",
        """sum_x / (3 * area2)""",
    ),
    (
        "continued_root",
        r'''from math import isqrt


def pell(d):
    """Smallest (x, y) with x*x - d*y*y = 1, y > 0, for a d that is no square."""
    root = isqrt(d)
    m, q, a = 0, 1, root
    x, x_before = root, 1
    y, y_before = 1, 0
    while x * x - d * y * y != 1:
        m = q * a - m
        q = (d - m * m) // q
        a = (root + m) // q
        x, x_before = a * x + x_before, x
        y, y_before = a * y + x_before, y
    return x, y
''',
        """a * y + x_before""",
        """a * y + y_before""",
    ),
    (
        "kaprekar_steps",
        r'''def kaprekar_steps(n):
    """Steps from a four-digit number (leading zeros kept) to 6174.

    A step takes the digits in falling minus the digits in rising order.
    Returns None if the number never gets there.
    """
    steps = 0
    while n != 6174:
        digits = sorted(str(n))
        n = int("".join(reversed(digits))) - int("".join(digits))
        if n == 0:
            return None
        steps += 1
    return steps
''',
        """sorted(str(n))""",
        """sorted(str(n).zfill(4))""",
    ),
    (
        "balanced_ternary",
        r'''def balanced_ternary(n):
    """Digits of n in base 3 with the values +, 0 and - (minus one)."""
    if n == 0:
        return "0"
    digits = ""
    while n:
        n, rest = divmod(n, 3)
        digits = "0+-"[rest] + digits
        if rest == 2:
            n -= 1
    return digits
''',
        """n -= 1""",
        """n += 1""",
    ),
    (
        "signed_value",
        r'''def signed_value(data, little=False):
    """The two's complement integer in a sequence of bytes."""
    value = 0
    for byte in (reversed(data) if little else data):
        value = value << 8 | byte
    bits = 8 * len(data)
    if value >> bits & 1:
        value -= 1 << bits
    return value
''',
        """if value >> bits & 1:""",
        """if value >> (bits - 1) & 1:""",
    ),
    (
        "half_even",
        r'''def round_half_even(n, unit):
    """n rounded to a multiple of unit; halves go to the even multiple."""
    quotient, rest = divmod(n, unit)
    if 2 * rest > unit:
        quotient += 1
    elif 2 * rest == unit:
        quotient += rest % 2
    return quotient * unit
''',
        """quotient += rest % 2""",
        """quotient += quotient % 2""",
    ),
    (
        "regression_line",
        r'''def regression(points):
    """(slope, intercept) of the line with the least squared vertical distances."""
    n = len(points)
    mean_x = sum(x for x, _ in points) / n
    mean_y = sum(y for _, y in points) / n
    over = sum((x - mean_x) * (y - mean_y) for x, y in points)
    under = sum((x - mean_x) ** 2 for x, _ in points)
    slope = over / under
    return slope, mean_x - slope * mean_y
''',
        """mean_x - slope * mean_y""",
        """mean_y - slope * mean_x""",
    ),
    (
        "shift_register",
        r'''def shift_register(state, count):
    """Bits of a 16-bit linear feedback shift register with taps 16, 14, 13 and 11."""
    bits = []
    for _ in range(count):
        bits.append(state & 1)
        fed = (state ^ state >> 2 ^ state >> 3 ^ state >> 5) & 1
        state = state >> 1 | fed << 16
    return bits
''',
        """fed << 16""",
        """fed << 15""",
    ),
    (
        "discrete_log",
        r'''from math import isqrt


def discrete_log(base, target, p):
    """Smallest found x with base**x = target modulo the prime p, or None."""
    m = isqrt(p) + 1
    small = {}
    value = 1
    for j in range(m):
        small.setdefault(value, j)
        value = value * base % p
    giant = pow(base, -m, p)
    for i in range(m):
        if target in small:
            return i + small[target]
        target = target * giant % p
    return None
''',
        """return i + small[target]""",
        """return i * m + small[target]""",
    ),
    (
        "brent_cycle",
        r'''def find_cycle(f, start):
    """(tail, period) of the sequence start, f(start), f(f(start)), ..."""
    power = period = 1
    tortoise, hare = start, f(start)
    while tortoise != hare:
        if power == period:
            tortoise, power, period = hare, power * 2, 0
        hare = f(hare)
        period += 1
    tortoise = hare = start
    for _ in range(period):
        hare = f(hare)
    tail = 0
    while tortoise != hare:
        tortoise, hare = f(tortoise), f(hare)
        tail += 1
    return tail, power
''',
        """return tail, power""",
        """return tail, period""",
    ),
    (
        "runge_kutta",
        r'''def runge_kutta(f, t, y, h, steps):
    """Solve y' = f(t, y) with the classical method of fourth order."""
    for _ in range(steps):
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k1)
        k4 = f(t + h, y + h * k3)
        y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return y
''',
        """k3 = f(t + h / 2, y + h / 2 * k1)""",
        """k3 = f(t + h / 2, y + h / 2 * k2)""",
    ),
    (
        "share_out",
        r'''def share_out(amount, weights):
    """Divide whole cents by weights; the largest fractions get the left-over cents."""
    total = sum(weights)
    shares = [amount * w // total for w in weights]
    fractions = [amount * w % total for w in weights]
    order = sorted(range(len(weights)), key=lambda i: fractions[i])
    for i in order[:amount - sum(shares)]:
        shares[i] += 1
    return shares
''',
        """key=lambda i: fractions[i])""",
        """key=lambda i: -fractions[i])""",
    ),
    (
        "tax_bands",
        r'''def tax(income, bands):
    """Tax on an income; bands are (lower limit, rate in percent), rising.

    A rate holds only for the part of the income inside its band.
    """
    due = 0
    for i, (lower, rate) in enumerate(bands):
        if income <= lower:
            break
        upper = bands[i + 1][0] if i + 1 < len(bands) else income
        due += min(income, upper) * rate
    return due / 100
''',
        """min(income, upper) * rate""",
        """(min(income, upper) - lower) * rate""",
    ),
    (
        "bell_numbers",
        r'''def bell_numbers(count):
    """The first Bell numbers (partitions of a set), by the Bell triangle.

    A row begins with the last number of the row before; every other number
    is the sum of its left neighbour and the one above that neighbour.
    """
    row = [1]
    numbers = []
    for _ in range(count):
        numbers.append(row[0])
        fresh = [row[0]]
        for above in row:
            fresh.append(fresh[-1] + above)
        row = fresh
    return numbers
''',
        """fresh = [row[0]]""",
        """fresh = [row[-1]]""",
    ),
    (
        "gram_schmidt",
        r'''def orthogonal(vectors):
    """Gram-Schmidt: vectors at right angles that span the same space."""
    basis = []
    for vector in vectors:
        rest = [float(x) for x in vector]
        for b in basis:
            dot = sum(x * y for x, y in zip(rest, b))
            norm = sum(x * x for x in rest)
            rest = [x - dot / norm * y for x, y in zip(rest, b)]
        if any(abs(x) > 1e-9 for x in rest):
            basis.append(rest)
    return basis
''',
        """norm = sum(x * x for x in rest)""",
        """norm = sum(x * x for x in b)""",
    ),
    (
        "horner_slope",
        r'''def value_and_slope(coefficients, x):
    """Value and derivative of a polynomial at x, highest power first."""
    value = slope = 0
    for c in coefficients:
        slope = slope * x + c
        value = value * x + c
    return value, slope
''',
        """slope = slope * x + c""",
        """slope = slope * x + value""",
    ),
    (
        "elo_rating",
        r'''def rate(winner, loser, k=32, draw=False):
    """New Elo ratings of two players after a game, each rounded."""
    expected = 1 / (1 + 10 ** ((winner - loser) / 400))
    score = 0.5 if draw else 1.0
    change = k * (score - expected)
    return round(winner + change), round(loser - change)
''',
        """(winner - loser) / 400""",
        """(loser - winner) / 400""",
    ),
    # ---------------------------------------------------------------- graphs
    (
        "widest_path",
        r'''import heapq


def widest(graph, start, goal):
    """Largest load that fits through some path; graph[u] maps v to a width."""
    best = {start: float("inf")}
    queue = [(-best[start], start)]
    while queue:
        width, node = heapq.heappop(queue)
        width = -width
        if node == goal:
            return width
        for nxt, limit in graph.get(node, {}).items():
            load = max(width, limit)
            if load > best.get(nxt, 0):
                best[nxt] = load
                heapq.heappush(queue, (-load, nxt))
    return 0
''',
        """max(width, limit)""",
        """min(width, limit)""",
    ),
    (
        "a_star",
        r'''import heapq


def a_star(neighbours, start, goal, estimate):
    """Cost of the cheapest way; neighbours(u) yields (v, cost), estimate(u) is
    a lower bound of the cost from u to the goal."""
    cost = {start: 0}
    queue = [(estimate(start), start)]
    done = set()
    while queue:
        _, node = heapq.heappop(queue)
        if node == goal:
            return cost[node]
        if node in done:
            continue
        done.add(node)
        for nxt, step in neighbours(node):
            total = cost[node] + step
            if total < cost.get(nxt, float("inf")):
                cost[nxt] = total
                heapq.heappush(queue, (total + estimate(node), nxt))
    return None
''',
        """total + estimate(node)""",
        """total + estimate(nxt)""",
    ),
    (
        "arbitrage",
        r'''from math import log


def arbitrage(rates):
    """True if some round of exchanges multiplies the money.

    rates[(a, b)] is what one unit of a buys of b; a gain is a negative
    cycle when the rates are turned into lengths (Bellman-Ford).
    """
    lengths = {pair: log(rate) for pair, rate in rates.items()}
    places = {place for pair in rates for place in pair}
    distance = dict.fromkeys(places, 0.0)
    for _ in range(len(places) - 1):
        for (a, b), length in lengths.items():
            distance[b] = min(distance[b], distance[a] + length)
    return any(distance[a] + length < distance[b] - 1e-12
               for (a, b), length in lengths.items())
''',
        """log(rate) for""",
        """-log(rate) for""",
    ),
    (
        "floyd_routes",
        r'''def routes(n, edges):
    """All shortest distances and first steps; edges are (u, v, length).

    Returns (distance, step) where step[i][j] is the node after i on the way to j.
    """
    far = float("inf")
    distance = [[0 if i == j else far for j in range(n)] for i in range(n)]
    step = [[None] * n for _ in range(n)]
    for u, v, length in edges:
        distance[u][v] = length
        step[u][v] = v
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if distance[i][k] + distance[k][j] < distance[i][j]:
                    distance[i][j] = distance[i][k] + distance[k][j]
                    step[i][j] = k
    return distance, step
''',
        """step[i][j] = k""",
        """step[i][j] = step[i][k]""",
    ),
    (
        "cluster_spacing",
        r'''def spacing(n, edges, clusters):
    """Put n nodes in so many clusters, nearest first; returns the smallest
    length between two different clusters. Edges are (length, u, v)."""
    parent = list(range(n))

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    parts = n
    for length, u, v in sorted(edges):
        if parts == clusters:
            return length
        if find(u) != find(v):
            parent[find(u)] = find(v)
            parts -= 1
    return None
''',
        """if parts == clusters:""",
        """if parts == clusters and find(u) != find(v):""",
    ),
    (
        "prim_matrix",
        r'''def prim(weights):
    """Weight of a minimum spanning tree, by a full matrix of weights."""
    n = len(weights)
    nearest = [float("inf")] * n
    nearest[0] = 0
    outside = set(range(n))
    total = 0
    while outside:
        u = min(outside, key=lambda node: nearest[node])
        outside.remove(u)
        total += nearest[u]
        for v in outside:
            nearest[v] = min(nearest[v], nearest[u] + weights[u][v])
    return total
''',
        """nearest[u] + weights[u][v])""",
        """weights[u][v])""",
    ),
    (
        "tarjan",
        r'''def components(graph):
    """Strongly connected components of {node: list of successors} (Tarjan)."""
    number, low, stack, found = {}, {}, [], []

    def visit(u):
        number[u] = low[u] = len(number)
        stack.append(u)
        for v in graph[u]:
            if v not in number:
                visit(v)
                low[u] = min(low[u], low[v])
            elif v in number:
                low[u] = min(low[u], number[v])
        if low[u] == number[u]:
            part = set()
            while u not in part:
                part.add(stack.pop())
            found.append(part)

    for node in graph:
        if node not in number:
            visit(node)
    return found
''',
        """elif v in number:""",
        """elif v in stack:""",
    ),
    (
        "kosaraju",
        r'''def mutual_groups(graph):
    """Groups of nodes that reach each other, by two depth-first walks."""
    backward = {u: [] for u in graph}
    for u in graph:
        for v in graph[u]:
            backward[v].append(u)

    def walk(edges, u, seen, out):
        seen.add(u)
        for v in edges[u]:
            if v not in seen:
                walk(edges, v, seen, out)
        out.append(u)

    finished, seen, groups = [], set(), []
    for u in graph:
        if u not in seen:
            walk(graph, u, seen, finished)
    seen = set()
    for u in finished:
        if u not in seen:
            groups.append([])
            walk(backward, u, seen, groups[-1])
    return groups
''',
        """for u in finished:""",
        """for u in reversed(finished):""",
    ),
    (
        "cut_nodes",
        r'''def cut_nodes(graph):
    """Nodes of a connected undirected graph whose loss disconnects it."""
    depth, low, cuts = {}, {}, set()

    def visit(u, parent, level):
        depth[u] = low[u] = level
        children = 0
        for v in graph[u]:
            if v not in depth:
                children += 1
                visit(v, u, level + 1)
                low[u] = min(low[u], low[v])
                if parent is not None and low[v] > depth[u]:
                    cuts.add(u)
            elif v != parent:
                low[u] = min(low[u], depth[v])
        if parent is None and children > 1:
            cuts.add(u)

    visit(next(iter(graph)), None, 0)
    return cuts
''',
        """low[v] > depth[u]""",
        """low[v] >= depth[u]""",
    ),
    (
        "find_loop",
        r'''def find_loop(graph):
    """Some directed cycle as the list of its nodes, or None."""
    finished = set()

    def walk(u, path):
        if u in path:
            return path[:path.index(u)]
        if u in finished:
            return None
        path.append(u)
        for v in graph.get(u, ()):
            loop = walk(v, path)
            if loop is not None:
                return loop
        path.pop()
        finished.add(u)
        return None

    for node in graph:
        loop = walk(node, [])
        if loop is not None:
            return loop
    return None
''',
        """path[:path.index(u)]""",
        """path[path.index(u):]""",
    ),
    (
        "two_teams",
        r'''def two_teams(graph):
    """Split the nodes in two teams without an edge inside a team, or None."""
    team = {}
    for start in graph:
        if start in team:
            continue
        team[start] = 0
        stack = [start]
        while stack:
            u = stack.pop()
            for v in graph[u]:
                if v not in team:
                    team[v] = 1 - team[start]
                    stack.append(v)
                elif team[v] == team[u]:
                    return None
    return [{u for u in team if team[u] == side} for side in (0, 1)]
''',
        """1 - team[start]""",
        """1 - team[u]""",
    ),
    (
        "edmonds_karp",
        r'''from collections import deque


def max_flow(capacity, source, sink):
    """Greatest flow; capacity[u][v] is a square matrix."""
    rest = [list(row) for row in capacity]
    total = 0
    while True:
        before = {source: None}
        queue = deque([source])
        while queue:
            u = queue.popleft()
            for v, room in enumerate(rest[u]):
                if room > 0 and v not in before:
                    before[v] = u
                    queue.append(v)
        if sink not in before:
            return total
        path, v = [], sink
        while before[v] is not None:
            path.append((before[v], v))
            v = before[v]
        flow = min(rest[u][v] for u, v in path)
        total += flow
        for u, v in path:
            rest[u][v] -= flow
            rest[v][u] -= flow
''',
        """rest[v][u] -= flow""",
        """rest[v][u] += flow""",
    ),
    (
        "job_matching",
        r'''def match(wishes):
    """Give as many people as possible one of the jobs they want.

    wishes maps a person to a list of jobs; returns {job: person}.
    """
    holder = {}

    def place(person, tried):
        for job in wishes[person]:
            if job in tried:
                continue
            tried.add(job)
            if job not in holder or place(person, tried):
                holder[job] = person
                return True
        return False

    for person in wishes:
        place(person, set())
    return holder
''',
        """or place(person, tried):""",
        """or place(holder[job], tried):""",
    ),
    (
        "euler_walk",
        r'''def euler_walk(graph, start):
    """A walk that uses every directed edge once, if there is one from start."""
    unused = {u: list(reversed(vs)) for u, vs in graph.items()}
    stack = [start]
    walk = []
    while stack:
        u = stack[-1]
        if unused.get(u):
            stack.append(unused[u].pop())
        else:
            walk.append(stack.pop())
    return walk
''',
        """return walk""",
        """return walk[::-1]""",
    ),
    (
        "breaking_walls",
        r'''from collections import deque


def walls_to_break(grid):
    """Fewest walls '#' to break on a way between opposite corners."""
    height, width = len(grid), len(grid[0])
    broken = {(0, 0): 0}
    queue = deque([(0, 0)])
    while queue:
        r, c = queue.popleft()
        for nr, nc in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if 0 <= nr < height and 0 <= nc < width:
                wall = grid[nr][nc] == "#"
                total = broken[r, c] + wall
                if total < broken.get((nr, nc), height * width + 1):
                    broken[nr, nc] = total
                    (queue.append if wall else queue.appendleft)((nr, nc))
    return broken[height, width]
''',
        """broken[height, width]""",
        """broken[height - 1, width - 1]""",
    ),
    (
        "clone_network",
        r'''class Node:
    def __init__(self, name):
        self.name = name
        self.links = []


def clone(start):
    """Copy all nodes that can be reached from start; returns the copy of start."""
    copies = {start: Node(start.name)}
    stack = [start]
    while stack:
        node = stack.pop()
        for link in node.links:
            if link not in copies:
                copies[link] = Node(link.name)
                stack.append(link)
            copies[node].links.append(link)
    return copies[start]
''',
        """links.append(link)""",
        """links.append(copies[link])""",
    ),
    (
        "project_slack",
        r'''def latest_starts(duration, after, order):
    """Latest start of each task so that the project is not delayed.

    after[t] lists the tasks that wait for t; order is a topological order.
    """
    earliest = dict.fromkeys(order, 0)
    for task in order:
        for follower in after.get(task, ()):
            ready = earliest[task] + duration[task]
            earliest[follower] = max(earliest[follower], ready)
    end = max(earliest[task] + duration[task] for task in order)
    latest = {}
    for task in reversed(order):
        deadline = end
        for follower in after.get(task, ()):
            deadline = min(deadline, earliest[follower])
        latest[task] = deadline - duration[task]
    return latest
''',
        """min(deadline, earliest[follower])""",
        """min(deadline, latest[follower])""",
    ),
    (
        "lifting_table",
        r'''class Ancestors:
    """Answers who is k generations above a node; parent of a root is itself."""

    def __init__(self, parent):
        self.up = [list(parent)]
        while 1 << len(self.up) < len(parent):
            last = self.up[-1]
            self.up.append([parent[last[v]] for v in range(len(parent))])

    def above(self, node, k):
        """The ancestor k steps up, k less than the number of nodes."""
        level = 0
        while k:
            if k & 1:
                node = self.up[level][node]
            k >>= 1
            level += 1
        return node
''',
        """parent[last[v]] for v""",
        """last[last[v]] for v""",
    ),
    (
        "tree_centroid",
        r'''def centroids(tree):
    """Nodes of a tree (adjacency lists) without a part of more than half the nodes."""
    n = len(tree)
    found = []

    def size(u, parent):
        total, worst = 1, 0
        for v in tree[u]:
            if v != parent:
                part = size(v, u)
                total += part
                worst = max(worst, part)
        if worst <= n // 2:
            found.append(u)
        return total

    size(next(iter(tree)), None)
    return found
''',
        """if worst <= n // 2:""",
        """if max(worst, n - total) <= n // 2:""",
    ),
    (
        "page_rank",
        r'''def page_rank(links, damping=0.85, rounds=50):
    """Importance of pages; links maps every page to the pages it points to.

    A page divides its rank evenly among its links, or among all pages if it
    has none.
    """
    n = len(links)
    rank = dict.fromkeys(links, 1 / n)
    for _ in range(rounds):
        loose = sum(rank[page] for page in links if not links[page])
        fresh = dict.fromkeys(links, (1 - damping + damping * loose) / n)
        for page, targets in links.items():
            for target in targets:
                fresh[target] += damping * rank[page] / len(links[target])
        rank = fresh
    return rank
''',
        """len(links[target])""",
        """len(targets)""",
    ),
    (
        "stable_pairs",
        r'''def stable_pairs(proposers, judges):
    """Stable matching {judge: proposer}; both arguments map names to rankings."""
    rank = {judge: {name: i for i, name in enumerate(names)}
            for judge, names in judges.items()}
    wishes = {name: iter(names) for name, names in proposers.items()}
    free = list(proposers)
    engaged = {}
    while free:
        suitor = free.pop()
        judge = next(wishes[suitor])
        rival = engaged.get(judge)
        if rival and rank[judge][rival] < rank[judge][suitor]:
            suitor, rival = rival, suitor
        engaged[judge] = suitor
        if rival:
            free.append(suitor)
    return engaged
''',
        """free.append(suitor)""",
        """free.append(rival)""",
    ),
    (
        "reach_masks",
        r'''def reach(n, edges):
    """For each node a bit mask of the nodes it can reach (Warshall)."""
    masks = [0] * n
    for u, v in edges:
        masks[u] |= 1 << v
    for middle in range(n):
        for u in range(n):
            if masks[u] >> middle & 1:
                masks[middle] |= masks[u]
    return masks
''',
        """masks[middle] |= masks[u]""",
        """masks[u] |= masks[middle]""",
    ),
    (
        "implications",
        r'''def implication_graph(n, clauses):
    """Graph for 2-SAT: literal 2*i is variable i, 2*i + 1 its negation.

    A clause (a, b) says a or b: if one of them fails, the other must hold.
    """
    graph = {literal: set() for literal in range(2 * n)}
    for a, b in clauses:
        graph[a ^ 1].add(b)
        graph[b].add(a ^ 1)
    return graph
''',
        """graph[b].add(a ^ 1)""",
        """graph[b ^ 1].add(a)""",
    ),
    (
        "tree_centers",
        r'''def centers(tree):
    """The one or two middle nodes of a tree, found by taking leaves off."""
    degree = {u: len(vs) for u, vs in tree.items()}
    layer = [u for u in tree if degree[u] <= 1]
    left = len(tree)
    while left > 1:
        left -= len(layer)
        inner = []
        for u in layer:
            for v in tree[u]:
                degree[v] -= 1
                if degree[v] == 1:
                    inner.append(v)
        layer = inner
    return sorted(layer)
''',
        """while left > 1:""",
        """while left > 2:""",
    ),
    (
        "prufer_decode",
        r'''import heapq


def prufer_tree(code):
    """Edges of the labelled tree (labels 0, 1, ...) with this Pruefer code."""
    n = len(code) + 2
    degree = [1] * n
    for label in code:
        degree[label] += 1
    leaves = [v for v in range(n) if degree[v] == 1]
    edges = []
    for label in code:
        leaf = heapq.heappop(leaves)
        edges.append((leaf, label))
        degree[label] -= 1
        if degree[leaf] == 1:
            heapq.heappush(leaves, label)
    edges.append((heapq.heappop(leaves), heapq.heappop(leaves)))
    return edges
''',
        """if degree[leaf] == 1:""",
        """if degree[label] == 1:""",
    ),
    (
        "round_trip",
        r'''from functools import lru_cache


def round_trip(distance):
    """Length of the shortest tour through all places that ends where it began."""
    n = len(distance)
    everything = (1 << n) - 1

    @lru_cache(maxsize=None)
    def finish(here, visited):
        if visited == everything:
            return 0
        return min(distance[here][there] + finish(there, visited | 1 << there)
                   for there in range(n) if not visited >> there & 1)

    return finish(0, 1)
''',
        """return 0""",
        """return distance[here][0]""",
    ),
    (
        "both_ends",
        r'''def separation(friends, a, b):
    """Number of steps between two people, searching from both ends."""
    if a == b:
        return 0
    front, back = {a}, {b}
    seen = {a, b}
    steps = 0
    while front and back:
        if len(front) > len(back):
            front, back = back, front
        steps += 1
        fresh = set()
        for person in front:
            for friend in friends[person]:
                if friend in seen:
                    return steps
                if friend not in seen:
                    seen.add(friend)
                    fresh.add(friend)
        front = fresh
    return None
''',
        """if friend in seen:""",
        """if friend in back:""",
    ),
    (
        "water_jugs",
        r'''from collections import deque


def fewest_moves(big, small, goal):
    """Moves (fill, empty or pour over) until one of two jugs holds goal litres."""
    queue = deque([(0, 0, 0)])
    seen = {(0, 0)}
    while queue:
        a, b, moves = queue.popleft()
        if goal in (a, b):
            return moves
        over = min(a, small)
        back = min(b, big - a)
        for state in ((big, b), (a, small), (0, b), (a, 0),
                      (a - over, b + over), (a + back, b - back)):
            if state not in seen:
                seen.add(state)
                queue.append((*state, moves + 1))
    return None
''',
        """over = min(a, small)""",
        """over = min(a, small - b)""",
    ),
    (
        "betweenness",
        r'''from collections import deque


def dependencies(graph, source):
    """For each node the share of shortest paths from source through it (Brandes)."""
    paths = {source: 1}
    distance = {source: 0}
    order, queue = [], deque([source])
    while queue:
        u = queue.popleft()
        order.append(u)
        for v in graph[u]:
            if v not in distance:
                distance[v] = distance[u] + 1
                queue.append(v)
            if distance[v] == distance[u] + 1:
                paths[v] = paths.get(v, 0) + paths[u]
    share = dict.fromkeys(order, 0.0)
    for v in reversed(order):
        for u in graph[v]:
            if distance[u] == distance[v] - 1:
                share[u] += paths[v] / paths[u] * (1 + share[v])
    return share
''',
        """paths[v] / paths[u]""",
        """paths[u] / paths[v]""",
    ),
    (
        "maximal_cliques",
        r'''def cliques(graph):
    """All maximal cliques of {node: set of neighbours} (Bron-Kerbosch)."""
    found = []

    def extend(clique, candidates, excluded):
        if not candidates and not excluded:
            found.append(clique)
        for v in sorted(candidates):
            extend(clique | {v}, candidates & graph[v], excluded)
            candidates = candidates - {v}
            excluded = excluded | {v}

    extend(set(), set(graph), set())
    return found
''',
        """candidates & graph[v], excluded)""",
        """candidates & graph[v], excluded & graph[v])""",
    ),
    (
        "cheap_flights",
        r'''def cheapest(flights, start, goal, most):
    """Lowest fare with at most so many flights; flights are (from, to, fare)."""
    far = float("inf")
    fares = {start: 0}
    for _ in range(most):
        fresh = dict(fares)
        for here, there, fare in flights:
            total = fresh.get(here, far) + fare
            if total < fresh.get(there, far):
                fresh[there] = total
        fares = fresh
    return fares.get(goal)
''',
        """fresh.get(here, far) + fare""",
        """fares.get(here, far) + fare""",
    ),
    (
        "tree_shape",
        r'''def shape(tree, node, parent=None):
    """A string that is equal for rooted trees of the same shape (the order of
    the children does not count); tree has adjacency lists."""
    parts = []
    for child in tree[node]:
        if child != parent:
            parts.append(shape(tree, child, node))
    return "(" + "".join(parts) + ")"
''',
        """"".join(parts)""",
        """"".join(sorted(parts))""",
    ),
    (
        "distance_sums",
        r'''def distance_sums(tree, root):
    """For each node the sum of its distances to all nodes of the tree."""
    size, sums = {}, {root: 0}

    def down(u, parent, depth):
        size[u] = 1
        sums[root] += depth
        for v in tree[u]:
            if v != parent:
                down(v, u, depth + 1)
                size[u] += size[v]

    def across(u, parent):
        for v in tree[u]:
            if v != parent:
                sums[v] = sums[u] - size[v] + (len(tree) - size[u])
                across(v, u)

    down(root, None, 0)
    across(root, None)
    return sums
''',
        """(len(tree) - size[u])""",
        """(len(tree) - size[v])""",
    ),
    # ---------------------------------------------------------------- state
    (
        "lift",
        r'''class Lift:
    """A lift that goes on in one direction while somebody waits there."""

    def __init__(self):
        self.floor = 0
        self.direction = 1
        self.calls = set()

    def call(self, floor):
        self.calls.add(floor)

    def next_stop(self):
        """Move to the next floor with a call and answer it; None if there is none."""
        if not self.calls:
            return None
        ahead = [f for f in self.calls if (f - self.floor) * self.direction >= 0]
        if not ahead:
            self.direction = -self.direction
            ahead = list(self.calls)
        self.floor = min(ahead)
        self.calls.remove(self.floor)
        return self.floor
''',
        """min(ahead)""",
        """min(ahead, key=lambda f: abs(f - self.floor))""",
    ),
    (
        "token_bucket",
        r'''class TokenBucket:
    """Allows rate actions per second on average, and at most burst at once."""

    def __init__(self, rate, burst, now=0.0):
        self.rate, self.burst = rate, burst
        self.tokens, self.stamp = burst, now

    def allow(self, now, cost=1):
        """True (and the tokens are spent) if the action may happen at this time."""
        self.tokens += (now - self.stamp) * self.rate
        self.stamp = now
        if self.tokens < cost:
            return False
        self.tokens -= cost
        return True
''',
        """self.tokens += (now - self.stamp) * self.rate""",
        """self.tokens = min(self.burst, self.tokens + (now - self.stamp) * self.rate)""",
    ),
    (
        "circuit_breaker",
        r'''class Breaker:
    """Blocks calls after repeated failures; after a pause one call may try again,
    and its failure blocks at once."""

    def __init__(self, limit, pause):
        self.limit, self.pause = limit, pause
        self.failures, self.state, self.opened = 0, "closed", None

    def may_call(self, now):
        if self.state == "open" and now - self.opened >= self.pause:
            self.state = "trial"
            self.failures = 0
        return self.state != "open"

    def success(self):
        self.state, self.failures = "closed", 0

    def failure(self, now):
        self.failures += 1
        if self.failures >= self.limit:
            self.state, self.opened = "open", now
''',
        """if self.failures >= self.limit:""",
        """if self.failures >= self.limit or self.state == "trial":""",
    ),
    (
        "emitter_once",
        r'''class Emitter:
    """Calls the handlers of an event; a handler may be for one time only."""

    def __init__(self):
        self.handlers = {}

    def on(self, event, handler, once=False):
        self.handlers.setdefault(event, []).append((handler, once))

    def emit(self, event, *args):
        handlers = self.handlers.get(event, [])
        for entry in handlers:
            handler, once = entry
            if once:
                handlers.remove(entry)
            handler(*args)
''',
        """for entry in handlers:""",
        """for entry in list(handlers):""",
    ),
    (
        "undo_history",
        r'''class History:
    """A value with undo and redo; a new value makes redo impossible."""

    def __init__(self, value):
        self.value = value
        self.past = []
        self.future = []

    def set(self, value):
        self.past.append(self.value)
        self.value = value
        self.past.clear()

    def undo(self):
        if self.past:
            self.future.append(self.value)
            self.value = self.past.pop()

    def redo(self):
        if self.future:
            self.past.append(self.value)
            self.value = self.future.pop()
''',
        """self.past.clear()""",
        """self.future.clear()""",
    ),
    (
        "bowling",
        r'''class Bowling:
    """Score of a finished ten-pin game from the list of its rolls."""

    def __init__(self):
        self.rolls = []

    def roll(self, pins):
        self.rolls.append(pins)

    def score(self):
        total = i = 0
        for _ in range(10):
            if self.rolls[i] == 10:
                total += sum(self.rolls[i:i + 3])
                i += 1
            elif sum(self.rolls[i:i + 2]) == 10:
                total += 10 + self.rolls[i + 1]
                i += 2
            else:
                total += self.rolls[i] + self.rolls[i + 1]
                i += 2
        return total
''',
        """10 + self.rolls[i + 1]""",
        """10 + self.rolls[i + 2]""",
    ),
    (
        "life_generation",
        r'''from collections import Counter


class Life:
    """Conway's game of life on an endless board; cells are (x, y)."""

    def __init__(self, alive):
        self.alive = set(alive)

    def step(self):
        near = Counter((x + dx, y + dy)
                       for x, y in self.alive
                       for dx in (-1, 0, 1) for dy in (-1, 0, 1)
                       if (dx, dy) != (0, 0))
        self.alive = {cell for cell, count in near.items()
                      if count == 3 or count == 2}
''',
        """count == 3 or count == 2""",
        """count == 3 or (count == 2 and cell in self.alive)""",
    ),
    (
        "snake_game",
        r'''class Snake:
    """A snake on a grid; the head is the first cell of the body.

    The tail moves on in the same step, so the head may follow it.
    """

    def __init__(self, body, width, height):
        self.body = list(body)
        self.width, self.height = width, height
        self.alive = True

    def step(self, dx, dy, food=None):
        x, y = self.body[0]
        head = (x + dx, y + dy)
        inside = 0 <= head[0] < self.width and 0 <= head[1] < self.height
        if not inside or head in self.body[1:]:
            self.alive = False
            return
        self.body.insert(0, head)
        if head != food:
            self.body.pop()
''',
        """head in self.body[1:]""",
        """head in self.body[:-1]""",
    ),
    (
        "four_in_a_row",
        r'''class FourInARow:
    """Board of seven columns; drop returns True when the move wins."""

    def __init__(self):
        self.columns = [[] for _ in range(7)]

    def _run(self, c, r, dc, dr, colour):
        count = 0
        while True:
            c, r = c + dc, r + dr
            if not (0 <= c < 7 and 0 <= r < len(self.columns[c])):
                return count
            if self.columns[c][r] != colour:
                return count
            count += 1

    def drop(self, c, colour):
        self.columns[c].append(colour)
        r = len(self.columns[c]) - 1
        for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = self._run(c, r, dc, dr, colour)
            line += self._run(c, r, dc, -dr, colour)
            if line + 1 >= 4:
                return True
        return False
''',
        """self._run(c, r, dc, -dr, colour)""",
        """self._run(c, r, -dc, -dr, colour)""",
    ),
    (
        "slide_row",
        r'''def slide(row):
    """Push the numbers of a row of the game 2048 to the left.

    Equal neighbours merge, but a merged tile does not merge again in the
    same move. Zeros are empty cells.
    """
    out = []
    fresh = False
    for tile in row:
        if tile == 0:
            continue
        if out and out[-1] == tile:
            out[-1] *= 2
            fresh = True
        else:
            out.append(tile)
            fresh = False
    return out + [0] * (len(row) - len(out))
''',
        """if out and out[-1] == tile:""",
        """if out and out[-1] == tile and not fresh:""",
    ),
    (
        "mancala_sow",
        r'''class Mancala:
    """Pits 0-5 and store 6 of player 0, pits 7-12 and store 13 of player 1."""

    STORES = (6, 13)

    def __init__(self):
        self.pits = [4] * 14
        self.pits[6] = self.pits[13] = 0
        self.player = 0

    def sow(self, pit):
        """Spread the seeds one by one, leaving out the opponent's store.

        The player moves again if the last seed falls in the own store.
        """
        seeds, self.pits[pit] = self.pits[pit], 0
        while seeds:
            pit = (pit + 1) % 14
            if pit == self.STORES[self.player]:
                continue
            self.pits[pit] += 1
            seeds -= 1
        if pit != self.STORES[self.player]:
            self.player = 1 - self.player
''',
        """            if pit == self.STORES[self.player]:""",
        """            if pit == self.STORES[1 - self.player]:""",
    ),
    (
        "turing_machine",
        r'''class Machine:
    """A Turing machine; rules map (state, symbol) to (symbol, move, state)."""

    def __init__(self, rules, tape, state="start"):
        self.rules = rules
        self.tape = dict(enumerate(tape))
        self.state = state
        self.head = 0

    def run(self, limit=1000):
        """Run until no rule fits; returns the tape without outer blanks."""
        for _ in range(limit):
            key = (self.state, self.tape.get(self.head, " "))
            if key not in self.rules:
                break
            symbol, move, self.state = self.rules[key]
            self.tape[self.head] = symbol
            self.head += {"L": -1, "R": 1, "N": 0}[move]
        cells = range(len(self.tape))
        return "".join(self.tape.get(i, " ") for i in cells).strip()
''',
        """range(len(self.tape))""",
        """range(min(self.tape), max(self.tape) + 1)""",
    ),
    (
        "stack_machine",
        r'''class StackMachine:
    """Runs postfix programs such as '8 3 - 2 *' on a stack of integers."""

    def __init__(self):
        self.stack = []

    def run(self, program):
        for word in program.split():
            if word == "dup":
                self.stack.append(self.stack[-1])
            elif word in ("+", "-", "*"):
                b = self.stack.pop()
                a = self.stack.pop()
                results = {"+": a + b, "-": b - a, "*": a * b}
                self.stack.append(results[word])
            else:
                self.stack.append(int(word))
        return self.stack[-1]
''',
        """"-": b - a""",
        """"-": a - b""",
    ),
    (
        "order_book",
        r'''import heapq


class SellSide:
    """Waiting sell orders; the cheapest is served first, then the oldest."""

    def __init__(self):
        self.heap = []
        self.count = 0

    def offer(self, price, amount):
        heapq.heappush(self.heap, (price, self.count, amount))
        self.count += 1

    def buy(self, limit, amount):
        """Buy up to amount, paying at most limit; returns [(price, amount), ...]."""
        trades = []
        while amount and self.heap and self.heap[0][0] <= limit:
            price, number, offered = heapq.heappop(self.heap)
            taken = min(amount, offered)
            trades.append((price, taken))
            amount -= taken
            if taken < offered:
                heapq.heappush(self.heap, (price, number, amount))
        return trades
''',
        """(price, number, amount))""",
        """(price, number, offered - taken))""",
    ),
    (
        "round_robin",
        r'''from collections import deque


class RoundRobin:
    """Gives jobs the processor in turn, each for at most a quantum."""

    def __init__(self, quantum):
        self.quantum = quantum
        self.queue = deque()
        self.clock = 0

    def add(self, name, work):
        self.queue.append((name, work))

    def run(self):
        """Work everything off; returns {name: time when it was finished}."""
        finished = {}
        while self.queue:
            name, work = self.queue.popleft()
            used = min(self.quantum, work)
            self.clock += self.quantum
            if work > used:
                self.queue.append((name, work - used))
            else:
                finished[name] = self.clock
        return finished
''',
        """self.clock += self.quantum""",
        """self.clock += used""",
    ),
    (
        "timer_wheel",
        r'''class TimerWheel:
    """Timers on a wheel of slots; a tick moves on to the next slot."""

    def __init__(self, slots=8):
        self.slots = [[] for _ in range(slots)]
        self.at = 0

    def start(self, delay, name):
        """Let name come out of tick after delay ticks (delay >= 1)."""
        rounds = (delay - 1) % len(self.slots)
        self.slots[(self.at + delay) % len(self.slots)].append([rounds, name])

    def tick(self):
        self.at = (self.at + 1) % len(self.slots)
        due = [name for rounds, name in self.slots[self.at] if rounds == 0]
        self.slots[self.at] = [[rounds - 1, name]
                               for rounds, name in self.slots[self.at] if rounds]
        return due
''',
        """rounds = (delay - 1) % len(self.slots)""",
        """rounds = (delay - 1) // len(self.slots)""",
    ),
    (
        "room_booking",
        r'''class Room:
    """Bookings of a room from a start (included) to an end (not included)."""

    def __init__(self):
        self.bookings = {}

    def is_free(self, start, end):
        return all(not (start >= s and end <= e)
                   for s, e in self.bookings.values())

    def book(self, who, start, end):
        """Book the room; False if the times are wrong or taken."""
        if start >= end or who in self.bookings or not self.is_free(start, end):
            return False
        self.bookings[who] = (start, end)
        return True

    def cancel(self, who):
        self.bookings.pop(who, None)
''',
        """start >= s and end <= e""",
        """start < e and end > s""",
    ),
    (
        "first_fit",
        r'''class Memory:
    """Hands out pieces of memory, first fit; free neighbours grow together."""

    def __init__(self, size):
        self.free = [(0, size)]

    def take(self, size):
        for i, (start, room) in enumerate(self.free):
            if room >= size:
                rest = [(start + size, room - size)] if room > size else []
                self.free[i:i + 1] = rest
                return start
        raise MemoryError(size)

    def give_back(self, start, size):
        merged = []
        for begin, room in sorted(self.free + [(start, size)]):
            if merged and sum(merged[-1]) == begin:
                merged[-1] = (merged[-1][0], room)
            else:
                merged.append((begin, room))
        self.free = merged
''',
        """merged[-1] = (merged[-1][0], room)""",
        """merged[-1] = (merged[-1][0], merged[-1][1] + room)""",
    ),
    (
        "page_history",
        r'''class Pages:
    """Visited pages with back and forward; a visit forgets the pages ahead."""

    def __init__(self, home):
        self.pages = [home]
        self.at = 0

    def visit(self, page):
        del self.pages[self.at:]
        self.pages.append(page)
        self.at = len(self.pages) - 1

    def back(self, steps=1):
        self.at = max(0, self.at - steps)
        return self.pages[self.at]

    def forward(self, steps=1):
        self.at = min(len(self.pages) - 1, self.at + steps)
        return self.pages[self.at]
''',
        """del self.pages[self.at:]""",
        """del self.pages[self.at + 1:]""",
    ),
    (
        "darts_leg",
        r'''class Leg:
    """A leg of darts from 501: a turn of three darts that overshoots, leaves one
    or ends on a single counts nothing."""

    def __init__(self, start=501):
        self.left = start

    def turn(self, darts):
        """Play darts given as (number, factor); True if the leg is won."""
        before = self.left
        for number, factor in darts[:3]:
            self.left -= number * factor
            if self.left == 0 and factor == 2:
                return True
            if self.left < 2:
                self.left += number * factor
                return False
        return False
''',
        """self.left += number * factor""",
        """self.left = before""",
    ),
    (
        "chess_clock",
        r'''class ChessClock:
    """Two clocks; whoever presses gets an increment, then the other one runs."""

    def __init__(self, seconds, increment=0):
        self.left = [seconds, seconds]
        self.increment = increment
        self.turn = 0
        self.since = 0

    def press(self, now):
        """End the move of the player to move; False if the time has run out."""
        self.left[self.turn] -= now - self.since
        self.since = now
        if self.left[self.turn] < 0:
            return False
        self.turn = 1 - self.turn
        self.left[self.turn] += self.increment
        return True
''',
        """self.left[self.turn] += self.increment""",
        """self.left[1 - self.turn] += self.increment""",
    ),
    (
        "nested_store",
        r'''class Store:
    """Keys and values with nested transactions; writes go to the top layer."""

    def __init__(self):
        self.layers = [{}]

    def set(self, key, value):
        self.layers[-1][key] = value

    def get(self, key):
        for layer in reversed(self.layers):
            if key in layer:
                return layer[key]
        return None

    def begin(self):
        self.layers.append({})

    def rollback(self):
        self.layers.pop()

    def commit(self):
        """Hand the changes of the innermost transaction to the one around it."""
        changes = self.layers.pop()
        self.layers[0].update(changes)
''',
        """self.layers[0].update(changes)""",
        """self.layers[-1].update(changes)""",
    ),
    (
        "frame_reader",
        r'''class FrameReader:
    """Cuts a stream of bytes into messages, each after two bytes of length."""

    def __init__(self):
        self.buffer = b""

    def feed(self, data):
        """Take more bytes; returns the messages that are now complete."""
        self.buffer += data
        messages = []
        while len(self.buffer) >= 2:
            size = int.from_bytes(self.buffer[:2], "big")
            if len(self.buffer) < size:
                break
            messages.append(self.buffer[2:2 + size])
            self.buffer = self.buffer[2 + size:]
        return messages
''',
        """if len(self.buffer) < size:""",
        """if len(self.buffer) < 2 + size:""",
    ),
    (
        "sandpile",
        r'''class Sandpile:
    """A grid of heaps; a heap of four grains gives one to each neighbour
    (over the edge they are lost)."""

    def __init__(self, height, width):
        self.grid = [[0] * width for _ in range(height)]

    def drop(self, r, c):
        """Add a grain; returns how many heaps have toppled."""
        self.grid[r][c] += 1
        toppled, todo = 0, [(r, c)]
        while todo:
            r, c = todo.pop()
            if self.grid[r][c] < 4:
                continue
            self.grid[r][c] -= 4
            toppled += 1
            for nr, nc in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if 0 <= nr < len(self.grid) and 0 <= nc < len(self.grid[0]):
                    self.grid[nr][nc] += 1
                    todo.append((r, c))
        return toppled
''',
        """todo.append((r, c))""",
        """todo.append((nr, nc))""",
    ),
    (
        "mastermind",
        r'''from collections import Counter


class Mastermind:
    """Answers guesses of a secret with (right place, right colour only)."""

    def __init__(self, secret, tries=10):
        self.secret = secret
        self.tries = tries

    def guess(self, colours):
        if self.tries == 0:
            raise ValueError("no tries left")
        self.tries -= 1
        exact = sum(a == b for a, b in zip(self.secret, colours))
        common = Counter(self.secret) & Counter(colours)
        return exact, sum(common.values())
''',
        """sum(common.values())""",
        """sum(common.values()) - exact""",
    ),
    (
        "thermostat",
        r'''class Thermostat:
    """Heats below the target and stops above it, with a band where nothing changes."""

    def __init__(self, target, band=0.5):
        self.target, self.band = target, band
        self.heating = False

    def update(self, temperature):
        """Take a measurement; returns whether the heating is on."""
        if temperature < self.target - self.band:
            self.heating = True
        elif temperature > self.target:
            self.heating = False
        return self.heating
''',
        """elif temperature > self.target:""",
        """elif temperature > self.target + self.band:""",
    ),
    (
        "changed_fields",
        r'''class Record:
    """Fields that know which of them differ from the saved state."""

    def __init__(self, **fields):
        self.fields = fields
        self.saved = dict(fields)

    def set(self, name, value):
        self.fields[name] = value

    def changes(self):
        return {name: value for name, value in self.fields.items()
                if name not in self.saved or self.saved[name] != value}

    def save(self):
        self.saved = self.fields

    def reset(self):
        self.fields = dict(self.saved)
''',
        """self.saved = self.fields""",
        """self.saved = dict(self.fields)""",
    ),
    (
        "vector_clock",
        r'''class Process:
    """A process with a vector clock: how many events it knows of each process."""

    def __init__(self, name):
        self.name = name
        self.clock = {name: 0}

    def send(self):
        """Count a send event; returns the message stamp (sender, clock)."""
        self.clock[self.name] += 1
        return self.name, dict(self.clock)

    def receive(self, stamp):
        sender, clock = stamp
        for name, count in clock.items():
            self.clock[name] = max(count, self.clock.get(name, 0))
        self.clock[sender] += 1
''',
        """self.clock[sender] += 1""",
        """self.clock[self.name] += 1""",
    ),
    (
        "in_order_delivery",
        r'''class Receiver:
    """Delivers numbered packets in order and keeps early ones back."""

    def __init__(self):
        self.expected = 0
        self.early = {}
        self.delivered = []

    def packet(self, number, data):
        """Take a packet; returns the number of the packet wanted next."""
        if number >= self.expected:
            self.early[number] = data
        while number in self.early:
            self.delivered.append(self.early.pop(self.expected))
            self.expected += 1
        return self.expected
''',
        """while number in self.early:""",
        """while self.expected in self.early:""",
    ),
    (
        "reversi_move",
        r'''class Reversi:
    """A board {(row, column): 'B' or 'W'}; a move turns enclosed rows of discs."""

    def __init__(self):
        self.board = {(3, 3): "W", (4, 4): "W", (3, 4): "B", (4, 3): "B"}

    def play(self, r, c, me):
        """Put a disc if that turns others; returns how many were turned."""
        turned = []
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                line, at = [], (r + dr, c + dc)
                while self.board.get(at, me) != me:
                    line.append(at)
                    at = (at[0] + dr, at[1] + dc)
                if line:
                    turned += line
        if turned and (r, c) not in self.board:
            self.board.update(dict.fromkeys(turned + [(r, c)], me))
            return len(turned)
        return 0
''',
        """if line:""",
        """if at in self.board:""",
    ),
    (
        "score_board",
        r'''class ScoreBoard:
    """Points of players; equal points share a place and the next places are left out."""

    def __init__(self):
        self.points = {}

    def add(self, player, points):
        self.points[player] = self.points.get(player, 0) + points

    def places(self):
        """{player: place}, for example places 1, 2, 2, 4."""
        places = {}
        place, last = 0, None
        ranking = sorted(self.points.items(), key=lambda item: -item[1])
        for count, (player, points) in enumerate(ranking, 1):
            if points != last:
                place += 1
                last = points
            places[player] = place
        return places
''',
        """place += 1""",
        """place = count""",
    ),
]
