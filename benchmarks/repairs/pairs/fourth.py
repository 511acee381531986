"""Functions and classes with one slip each: (name, code, wrong, right).

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from typing import Final

__all__ = ["PAIRS"]

PAIRS: Final = [
    (
        "ring_buffer",
        r'''class RingBuffer:
    """Fixed-size buffer that overwrites its oldest entry when full."""

    def __init__(self, capacity):
        self.slots = [None] * capacity
        self.capacity = capacity
        self.start = 0
        self.count = 0

    def push(self, item):
        end = (self.start + self.count) % self.capacity
        self.slots[end] = item
        if self.count < self.capacity:
            self.count += 1
        else:
            self.start = self.start + 1

    def pop(self):
        if self.count == 0:
            raise IndexError("buffer is empty")
        item = self.slots[self.start]
        self.slots[self.start] = None
        self.start = (self.start + 1) % self.capacity
        self.count -= 1
        return item

    def __len__(self):
        return self.count
''',
        "self.start = self.start + 1",
        "self.start = (end + 1) % self.capacity",
    ),
    (
        "lru_cache_class",
        r'''from collections import OrderedDict


class LRUCache:
    """Keeps the `limit` most recently used entries."""

    def __init__(self, limit):
        self.limit = limit
        self.entries = OrderedDict()

    def get(self, key, default=None):
        if key not in self.entries:
            return default
        self.entries.move_to_end(key)
        return self.entries[key]

    def put(self, key, value):
        if key in self.entries:
            self.entries.move_to_end(key)
        self.entries[key] = value
        if len(self.entries) > self.limit:
            self.entries.popitem()

    def __contains__(self, key):
        return key in self.entries
''',
        "self.entries.popitem()",
        "self.entries.popitem(last=False)",
    ),
    (
        "binary_heap",
        r'''class MinHeap:
    """A binary heap with the smallest item on top."""

    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)
        child = len(self.items) - 1
        while child > 0:
            parent = (child - 1) // 2
            if self.items[parent] <= self.items[child]:
                break
            self._swap(parent, child)
            child = parent

    def pop(self):
        top = self.items[0]
        last = self.items.pop()
        if self.items:
            self.items[0] = last
            self._sink(0)
        return top

    def _sink(self, node):
        size = len(self.items)
        while True:
            smallest = node
            for child in (2 * node + 1, 2 * node + 2):
                if child < size and self.items[child] < self.items[node]:
                    smallest = child
            if smallest == node:
                return
            self._swap(node, smallest)
            node = smallest

    def _swap(self, i, j):
        self.items[i], self.items[j] = self.items[j], self.items[i]
''',
        "self.items[child] < self.items[node]",
        "self.items[child] < self.items[smallest]",
    ),
    (
        "linked_list_remove",
        r'''class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


class LinkedList:
    """A singly linked list with a tail pointer."""

    def __init__(self):
        self.head = None
        self.tail = None

    def append(self, value):
        node = Node(value)
        if self.head is None:
            self.head = node
        else:
            self.tail.next = node
        self.tail = node

    def remove(self, value):
        """Remove the first node holding `value`; say whether there was one."""
        previous, node = None, self.head
        while node is not None and node.value != value:
            previous, node = node, node.next
        if node is None:
            return False
        if previous is None:
            self.head = node.next
        else:
            previous.next = node.next
        if node is self.tail:
            self.tail = node.next
        return True
''',
        "self.tail = node.next",
        "self.tail = previous",
    ),
    (
        "trie_autocomplete",
        r'''class Trie:
    """Stores words and finds those beginning with a prefix."""

    def __init__(self):
        self.children = {}
        self.is_word = False

    def insert(self, word):
        node = self
        for letter in word:
            node = node.children.setdefault(letter, Trie())
        self.is_word = True

    def words(self, prefix=""):
        """Yield every word starting with `prefix`, in alphabetical order."""
        node = self
        for letter in prefix:
            if letter not in node.children:
                return
            node = node.children[letter]
        yield from node._walk(prefix)

    def _walk(self, path):
        if self.is_word:
            yield path
        for letter in sorted(self.children):
            yield from self.children[letter]._walk(path + letter)
''',
        "self.is_word = True",
        "node.is_word = True",
    ),
    (
        "disjoint_set_sizes",
        r'''class DisjointSet:
    """Union-find over hashable items with sizes."""

    def __init__(self, items):
        self.parent = {item: item for item in items}
        self.size = {item: 1 for item in items}

    def find(self, item):
        root = item
        while self.parent[root] != root:
            root = self.parent[root]
        while self.parent[item] != root:
            self.parent[item], item = root, self.parent[item]
        return root

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += 1
        return True

    def group_size(self, item):
        return self.size[self.find(item)]
''',
        "self.size[a] += 1",
        "self.size[a] += self.size[b]",
    ),
    (
        "bst_floor",
        r'''class Tree:
    """Binary search tree of distinct keys."""

    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None

    def insert(self, key):
        if key == self.key:
            return
        side = "left" if key < self.key else "right"
        child = getattr(self, side)
        if child is None:
            setattr(self, side, Tree(key))
        else:
            child.insert(key)


def floor_key(tree, limit):
    """Return the largest key not above `limit`, or None."""
    if tree is None:
        return None
    if tree.key > limit:
        return floor_key(tree.left, limit)
    better = floor_key(tree.right, limit)
    return better or tree.key
''',
        "return better or tree.key",
        "return tree.key if better is None else better",
    ),
    (
        "sorted_bag",
        r'''from bisect import bisect_left, insort


class SortedBag:
    """A list that stays sorted; duplicates are allowed."""

    def __init__(self, values=()):
        self._values = sorted(values)

    def add(self, value):
        insort(self._values, value)

    def discard(self, value):
        """Remove one occurrence of `value` if it is there."""
        position = bisect_left(self._values, value)
        if self._values[position] == value:
            del self._values[position]

    def smallest(self, count=1):
        return self._values[:count]

    def largest(self, count=1):
        start = max(0, len(self._values) - count)
        return self._values[start:]
''',
        "if self._values[position] == value:",
        "if position < len(self._values) and self._values[position] == value:",
    ),
    (
        "queue_two_stacks",
        r'''class TwoStackQueue:
    """First-in first-out queue made of two lists."""

    def __init__(self):
        self._incoming = []
        self._outgoing = []

    def put(self, item):
        self._incoming.append(item)

    def _shift(self):
        if self._incoming:
            while self._incoming:
                self._outgoing.append(self._incoming.pop())

    def get(self):
        self._shift()
        if not self._outgoing:
            raise LookupError("queue is empty")
        return self._outgoing.pop()

    def __len__(self):
        return len(self._incoming) + len(self._outgoing)
''',
        "if self._incoming:",
        "if not self._outgoing:",
    ),
    (
        "min_stack",
        r'''class MinStack:
    """A stack which also knows its smallest item."""

    def __init__(self):
        self._items = []
        self._minima = []

    def push(self, item):
        self._items.append(item)
        if not self._minima or item < self._minima[-1]:
            self._minima.append(item)

    def pop(self):
        item = self._items.pop()
        if item == self._minima[-1]:
            self._minima.pop()
        return item

    def minimum(self):
        if not self._minima:
            raise ValueError("stack is empty")
        return self._minima[-1]
''',
        "item < self._minima[-1]",
        "item <= self._minima[-1]",
    ),
    (
        "fenwick_sums",
        r'''class RangeSums:
    """Fenwick tree: point additions and range sums."""

    def __init__(self, size):
        self.size = size
        self.tree = [0] * (size + 1)

    def add(self, index, amount):
        """Add `amount` to the element at zero-based `index`."""
        position = index + 1
        while position < self.size:
            self.tree[position] += amount
            position += position & -position

    def prefix(self, count):
        """Sum of the first `count` elements."""
        total = 0
        while count > 0:
            total += self.tree[count]
            count -= count & -count
        return total

    def between(self, start, stop):
        return self.prefix(stop) - self.prefix(start)
''',
        "while position < self.size:",
        "while position <= self.size:",
    ),
    (
        "segment_tree_max",
        r'''class MaxTree:
    """Iterative segment tree answering maximum queries on [lo, hi)."""

    def __init__(self, values):
        self.n = len(values)
        self.nodes = [float("-inf")] * self.n + list(values)
        for i in range(self.n - 1, 0, -1):
            self.nodes[i] = max(self.nodes[2 * i], self.nodes[2 * i + 1])

    def update(self, index, value):
        i = index + self.n
        self.nodes[i] = value
        while i > 1:
            i //= 2
            self.nodes[i] = max(self.nodes[i], value)

    def query(self, lo, hi):
        best = float("-inf")
        lo += self.n
        hi += self.n
        while lo < hi:
            if lo & 1:
                best = max(best, self.nodes[lo])
                lo += 1
            if hi & 1:
                hi -= 1
                best = max(best, self.nodes[hi])
            lo //= 2
            hi //= 2
        return best
''',
        "max(self.nodes[i], value)",
        "max(self.nodes[2 * i], self.nodes[2 * i + 1])",
    ),
    (
        "sparse_vector",
        r'''class SparseVector:
    """A vector that stores only its non-zero components."""

    def __init__(self, components=()):
        self.data = {i: x for i, x in enumerate(components) if x}

    def __getitem__(self, index):
        return self.data.get(index, 0)

    def __setitem__(self, index, value):
        if value:
            self.data[index] = value
        else:
            self.data.pop(index)

    def dot(self, other):
        small, large = sorted((self.data, other.data), key=len)
        return sum(x * large.get(i, 0) for i, x in small.items())

    def scaled(self, factor):
        result = SparseVector()
        for i, x in self.data.items():
            result[i] = x * factor
        return result
''',
        "self.data.pop(index)",
        "self.data.pop(index, None)",
    ),
    (
        "two_way_map",
        r'''class TwoWayMap:
    """One-to-one mapping that can be read in both directions."""

    def __init__(self):
        self._forward = {}
        self._backward = {}

    def link(self, left, right):
        self.unlink(left)
        old_left = self._backward.pop(right, None)
        if old_left is not None:
            del self._forward[old_left]
        self._forward[left] = right
        self._backward[right] = left

    def unlink(self, left):
        if left in self._forward:
            right = self._forward.pop(left)
            del self._backward[left]

    def right_of(self, left):
        return self._forward[left]

    def left_of(self, right):
        return self._backward[right]
''',
        "del self._backward[left]",
        "del self._backward[right]",
    ),
    (
        "bloom_filter",
        r'''import hashlib


class BloomFilter:
    """Probabilistic set: may give false positives, never false negatives."""

    def __init__(self, bits=1024, hashes=4):
        self.bits = bits
        self.hashes = hashes
        self.field = 0

    def _positions(self, word):
        for seed in range(self.hashes):
            text = f"{seed}:{word}".encode()
            digest = hashlib.sha256(text).digest()
            yield int.from_bytes(digest[:8], "big") % self.bits

    def add(self, word):
        for position in self._positions(word):
            self.field |= 1 << position

    def __contains__(self, word):
        return any(self.field >> p & 1 for p in self._positions(word))
''',
        "return any(",
        "return all(",
    ),
    (
        "updatable_queue",
        r'''import heapq
import itertools


class TaskQueue:
    """Priority queue whose entries can be re-prioritised or dropped."""

    def __init__(self):
        self._heap = []
        self._live = {}
        self._order = itertools.count()

    def add(self, task, priority=0):
        self.drop(task)
        entry = [priority, next(self._order), task]
        self._live[task] = entry
        heapq.heappush(self._heap, entry)

    def drop(self, task):
        entry = self._live.pop(task, None)
        if entry is not None:
            entry[2] = None

    def take(self):
        """Return the task with the lowest priority number."""
        while self._heap:
            priority, _, task = heapq.heappop(self._heap)
            if task is not None:
                return task
        raise LookupError("no tasks")

    def __len__(self):
        return len(self._live)
''',
        "return task",
        "return self._live.pop(task)[2]",
    ),
    (
        "csr_matrix",
        r'''class CompressedRows:
    """Sparse matrix in compressed row form."""

    def __init__(self, dense):
        self.values = []
        self.columns = []
        self.row_starts = [0]
        for row in dense:
            for column, value in enumerate(row):
                if value != 0:
                    self.values.append(value)
                    self.columns.append(column)
            self.row_starts.append(len(self.values))

    def times(self, vector):
        """Return the product of the matrix and a column vector."""
        result = []
        for row in range(len(self.row_starts) - 1):
            total = 0
            for k in range(self.row_starts[row], self.row_starts[row + 1]):
                total += self.values[k] * vector[k]
            result.append(total)
        return result
''',
        "vector[k]",
        "vector[self.columns[k]]",
    ),
    (
        "gap_buffer",
        r'''class GapBuffer:
    """Text with a cursor, kept as two halves around it."""

    def __init__(self, text=""):
        self.before = list(text)
        self.after = []

    def insert(self, text):
        self.before.extend(text)

    def backspace(self, count=1):
        for _ in range(min(count, len(self.before))):
            self.before.pop()

    def move(self, offset):
        """Move the cursor left (negative) or right, within the text."""
        while offset < 0 and self.before:
            self.after.append(self.before.pop())
            offset += 1
        while offset > 0 and self.after:
            self.before.append(self.after.pop())
            offset -= 1

    def text(self):
        return "".join(self.before) + "".join(self.after)
''',
        '"".join(self.after)',
        '"".join(reversed(self.after))',
    ),
    (
        "ordered_set_ops",
        r'''class OrderedSet:
    """A set which remembers the order of insertion."""

    def __init__(self, items=()):
        self._keys = dict.fromkeys(items)

    def add(self, item):
        self._keys[item] = None

    def __contains__(self, item):
        return item in self._keys

    def __iter__(self):
        return iter(self._keys)

    def __len__(self):
        return len(self._keys)

    def union(self, other):
        return OrderedSet([*self, *other])

    def difference(self, other):
        drop = set(other)
        return OrderedSet(item for item in self if item in drop)

    def __eq__(self, other):
        return isinstance(other, OrderedSet) and list(self) == list(other)
''',
        "if item in drop",
        "if item not in drop",
    ),
    (
        "interval_set",
        r'''class IntervalSet:
    """Disjoint half-open intervals kept in ascending order."""

    def __init__(self):
        self.spans = []

    def add(self, start, stop):
        """Add [start, stop), joining whatever it touches or overlaps."""
        kept_left, kept_right = [], []
        for low, high in self.spans:
            if high < start:
                kept_left.append((low, high))
            elif low > stop:
                kept_right.append((low, high))
            else:
                start = min(start, low)
                stop = high
        self.spans = kept_left + [(start, stop)] + kept_right

    def covers(self, point):
        return any(low <= point < high for low, high in self.spans)

    def total(self):
        return sum(high - low for low, high in self.spans)
''',
        "stop = high",
        "stop = max(stop, high)",
    ),
    (
        "bitset_members",
        r'''class BitSet:
    """Set of small non-negative integers stored in one int."""

    def __init__(self, members=()):
        self.mask = 0
        for member in members:
            self.add(member)

    def add(self, member):
        self.mask |= 1 << member

    def discard(self, member):
        self.mask ^= 1 << member

    def __contains__(self, member):
        return bool(self.mask >> member & 1)

    def __iter__(self):
        mask = self.mask
        while mask:
            lowest = mask & -mask
            yield lowest.bit_length() - 1
            mask ^= lowest

    def __len__(self):
        return bin(self.mask).count("1")
''',
        "self.mask ^= 1 << member",
        "self.mask &= ~(1 << member)",
    ),
    (
        "window_maxima",
        r'''from collections import deque


def window_maxima(values, width):
    """Return the maximum of each run of `width` consecutive values."""
    if width <= 0:
        raise ValueError("width must be positive")
    candidates = deque()
    result = []
    for i, value in enumerate(values):
        while candidates and values[candidates[-1]] <= value:
            candidates.pop()
        candidates.append(i)
        if candidates[0] < i - width:
            candidates.popleft()
        if i >= width - 1:
            result.append(values[candidates[0]])
    return result
''',
        "candidates[0] < i - width:",
        "candidates[0] <= i - width:",
    ),
    (
        "open_addressing",
        r'''class ProbeTable:
    """Hash table with linear probing."""

    def __init__(self):
        self._slots = [None] * 8
        self._used = 0

    def _slot(self, key):
        i = hash(key) % len(self._slots)
        while self._slots[i] is not None and self._slots[i][0] != key:
            i = (i + 1) % len(self._slots)
        return i

    def __setitem__(self, key, value):
        i = self._slot(key)
        if self._slots[i] is None:
            self._used += 1
        self._slots[i] = (key, value)
        if self._used * 3 > len(self._slots) * 2:
            self._grow()

    def __getitem__(self, key):
        entry = self._slots[self._slot(key)]
        if entry is None:
            raise KeyError(key)
        return entry[1]

    def _grow(self):
        old = self._slots
        self._slots = [None] * (2 * len(old))
        for entry in old:
            if entry is not None:
                self._slots[hash(entry[0]) % len(self._slots)] = entry
''',
        "self._slots[hash(entry[0]) % len(self._slots)] = entry",
        "self._slots[self._slot(entry[0])] = entry",
    ),
    (
        "time_series_store",
        r'''from bisect import bisect_right


class TimeSeries:
    """Readings in time order, with lookup of the last one known."""

    def __init__(self):
        self.times = []
        self.readings = []

    def record(self, time, reading):
        if self.times and time <= self.times[-1]:
            raise ValueError("readings must arrive in time order")
        self.times.append(time)
        self.readings.append(reading)

    def at(self, time):
        """The reading in force at `time`, or None before the first."""
        position = bisect_right(self.times, time)
        if position == 0:
            return None
        return self.readings[position]

    def span(self):
        return self.times[-1] - self.times[0] if self.times else 0
''',
        "return self.readings[position]",
        "return self.readings[position - 1]",
    ),
    (
        "inverted_index",
        r'''from collections import defaultdict


class Index:
    """Full-text index of small documents."""

    def __init__(self):
        self.postings = defaultdict(set)

    def add(self, doc_id, text):
        for word in text.lower().split():
            self.postings[word.strip(".,;:!?")].add(doc_id)

    def search(self, query):
        """Ids of the documents that contain every word of the query."""
        words = query.split()
        if not words:
            return set()
        found = self.postings.get(words[0], set()).copy()
        for word in words[1:]:
            found &= self.postings.get(word, set())
        return found
''',
        "words = query.split()",
        "words = query.lower().split()",
    ),
    (
        "quadtree_points",
        r'''class QuadTree:
    """Points in a square region, split once a cell gets crowded."""

    LIMIT = 4

    def __init__(self, x, y, size):
        self.x, self.y, self.size = x, y, size
        self.points = []
        self.parts = None

    def insert(self, px, py):
        if self.parts is not None:
            self._part_for(px, py).insert(px, py)
            return
        self.points.append((px, py))
        if len(self.points) > self.LIMIT and self.size > 1:
            half = self.size / 2
            self.parts = [QuadTree(self.x + dx * half, self.y + dy * half, half)
                          for dy in (0, 1) for dx in (0, 1)]
            for point in self.points:
                self._part_for(*point).insert(*point)
            self.points = []

    def _part_for(self, px, py):
        half = self.size / 2
        right = px >= self.x + half
        upper = py >= self.y + half
        return self.parts[2 * right + upper]

    def cells(self):
        """Yield (x, y, points) for every leaf."""
        if self.parts is None:
            yield self.x, self.y, self.points
        else:
            for part in self.parts:
                yield from part.cells()
''',
        "self.parts[2 * right + upper]",
        "self.parts[2 * upper + right]",
    ),
    (
        "chain_of_scopes",
        r'''class Scope:
    """Variable bindings with an enclosing scope."""

    def __init__(self, outer=None):
        self.outer = outer
        self.bindings = {}

    def define(self, name, value):
        self.bindings[name] = value

    def lookup(self, name):
        scope = self
        while scope is not None:
            if name in scope.bindings:
                return scope.bindings[name]
            scope = scope.outer
        raise NameError(name)

    def assign(self, name, new):
        """Change an existing variable in the nearest scope that has it."""
        scope = self
        while scope is not None:
            if name in scope.bindings:
                self.bindings[name] = new
                return
            scope = scope.outer
        raise NameError(name)
''',
        "self.bindings[name] = new",
        "scope.bindings[name] = new",
    ),
    (
        "top_k_counter",
        r'''from collections import Counter


class VoteTally:
    """Counts votes and reports the leaders."""

    def __init__(self):
        self.votes = Counter()

    def cast(self, name, count=1):
        self.votes[name] += count

    def withdraw(self, name):
        if self.votes[name] > 0:
            self.votes[name] -= 1
            if self.votes[name] == 0:
                del self.votes[name]

    def leaders(self, places):
        """The names in the first `places`, ties in alphabetical order."""
        ranked = sorted(self.votes.items(), key=lambda kv: (kv[1], kv[0]))
        return [name for name, _ in ranked[:places]]

    def share(self, name):
        total = sum(self.votes.values())
        return self.votes[name] / total if total else 0.0
''',
        "key=lambda kv: (kv[1], kv[0])",
        "key=lambda kv: (-kv[1], kv[0])",
    ),
    (
        "list_rotation_inplace",
        r'''def reverse_part(items, start, stop):
    """Reverse items[start:stop] in place."""
    stop -= 1
    while start < stop:
        items[start], items[stop] = items[stop], items[start]
        start += 1
        stop -= 1


def rotate_left(items, steps):
    """Move every element `steps` places to the left, in place."""
    size = len(items)
    if size == 0:
        return items
    steps %= size
    reverse_part(items, 0, steps)
    reverse_part(items, steps + 1, size)
    reverse_part(items, 0, size)
    return items
''',
        "reverse_part(items, steps + 1, size)",
        "reverse_part(items, steps, size)",
    ),
    (
        "nested_counts_table",
        r'''def cross_table(records, row_key, column_key):
    """Count the records for every combination of two fields."""
    rows = sorted({record[row_key] for record in records})
    columns = sorted({record[column_key] for record in records})
    counts = [[0] * len(columns)] * len(rows)
    for record in records:
        i = rows.index(record[row_key])
        j = columns.index(record[column_key])
        counts[i][j] += 1
    return rows, columns, counts


def row_totals(table):
    rows, _, counts = table
    return {row: sum(line) for row, line in zip(rows, counts)}
''',
        "[[0] * len(columns)] * len(rows)",
        "[[0] * len(columns) for _ in rows]",
    ),
    (
        "merge_sorted_lists",
        r'''import heapq


def merge_sorted(lists):
    """Merge ascending lists into one ascending list."""
    heap = [(values[0], which, 0) for which, values in enumerate(lists)]
    heapq.heapify(heap)
    merged = []
    while heap:
        value, which, position = heapq.heappop(heap)
        merged.append(value)
        position += 1
        if position < len(lists[which]):
            heapq.heappush(heap, (lists[which][position], which, position))
    return merged
''',
        "enumerate(lists)]",
        "enumerate(lists) if values]",
    ),
    (
        "dll_move_front",
        r'''class Entry:
    def __init__(self, key=None):
        self.key = key
        self.prev = self
        self.next = self


class RecentList:
    """Circular doubly linked list, most recent first."""

    def __init__(self):
        self.anchor = Entry()
        self.by_key = {}

    def _unlink(self, entry):
        entry.prev.next = entry.next
        entry.next.prev = entry.prev

    def touch(self, key):
        """Put `key` at the front, adding it if need be."""
        entry = self.by_key.get(key)
        if entry is None:
            entry = self.by_key[key] = Entry(key)
        else:
            self._unlink(entry)
        entry.prev = self.anchor
        entry.next = self.anchor.next
        self.anchor.next = entry
        entry.next.prev = self.anchor

    def backwards(self):
        """The keys from the oldest to the most recent."""
        keys, entry = [], self.anchor.prev
        while entry is not self.anchor:
            keys.append(entry.key)
            entry = entry.prev
        return keys
''',
        "entry.next.prev = self.anchor",
        "entry.next.prev = entry",
    ),
    (
        "column_table",
        r'''class Table:
    """Rows with named columns."""

    def __init__(self, columns):
        self.columns = list(columns)
        self.rows = []

    def append(self, **values):
        unknown = set(values) - set(self.columns)
        if unknown:
            raise KeyError(f"no such column: {sorted(unknown)}")
        self.rows.append([values.get(name) for name in self.columns])

    def column(self, name):
        index = self.columns.index(name)
        return [row[index] for row in self.rows]

    def drop(self, name):
        """Remove a column from the table and all its rows."""
        index = self.columns.index(name)
        self.columns.remove(name)
        for row in self.rows:
            row.remove(row[index])
''',
        "row.remove(row[index])",
        "del row[index]",
    ),
    (
        "priority_buckets",
        r'''class BucketQueue:
    """Queue for small integer priorities, one bucket for each."""

    def __init__(self, levels):
        self.buckets = [[] for _ in range(levels)]
        self.lowest = levels

    def push(self, priority, item):
        self.buckets[priority].append(item)
        self.lowest = priority

    def pop(self):
        """Remove an item of the lowest priority in use."""
        while self.lowest < len(self.buckets):
            bucket = self.buckets[self.lowest]
            if bucket:
                return bucket.pop(0)
            self.lowest += 1
        raise IndexError("pop from an empty queue")
''',
        "self.lowest = priority",
        "self.lowest = min(self.lowest, priority)",
    ),
    (
        "flatten_to_depth",
        r'''def flatten(items, depth=None):
    """Flatten nested lists and tuples, at most `depth` levels if given."""
    flat = []
    for item in items:
        if isinstance(item, (list, tuple)) and depth != 0:
            deeper = None if depth is None else depth - 1
            flat.extend(flatten(item, depth))
        else:
            flat.append(item)
    return flat


def depth_of(items):
    """How deeply lists are nested: 1 for a plain list, 0 for a scalar."""
    if not isinstance(items, (list, tuple)):
        return 0
    return 1 + max((depth_of(item) for item in items), default=0)
''',
        "flatten(item, depth)",
        "flatten(item, deeper)",
    ),
    (
        "distinct_permutations",
        r'''def distinct_permutations(items):
    """All orderings of `items`, without repeats even if items repeat."""
    items = sorted(items)
    used = [False] * len(items)
    result = []

    def extend(partial):
        if len(partial) == len(items):
            result.append(tuple(partial))
            return
        for i, item in enumerate(items):
            if used[i]:
                continue
            if i > 0 and item == items[i - 1] and used[i]:
                continue
            used[i] = True
            partial.append(item)
            extend(partial)
            partial.pop()
            used[i] = False

    extend([])
    return result
''',
        "item == items[i - 1] and used[i]:",
        "item == items[i - 1] and not used[i - 1]:",
    ),
    (
        "subsets_with_sum",
        r'''def subsets_with_sum(numbers, target):
    """Every subset of distinct positive numbers which adds up to target."""
    numbers = sorted(numbers)
    found = []

    def search(start, remaining, chosen):
        if remaining == 0:
            found.append(chosen)
            return
        for i in range(start, len(numbers)):
            if numbers[i] > remaining:
                break
            chosen.append(numbers[i])
            search(i + 1, remaining - numbers[i], chosen)
            chosen.pop()

    search(0, target, [])
    return found
''',
        "found.append(chosen)",
        "found.append(list(chosen))",
    ),
    (
        "queens_placements",
        r'''def queens(size):
    """Yield the column of the queen in each row, for every solution."""

    def place(row, columns, down, up):
        if row == size:
            yield tuple(columns)
            return
        for column in range(size):
            if column in columns:
                continue
            if row - column in down or row + column in up:
                continue
            yield from place(
                row + 1,
                columns + [column],
                down | {row - column},
                up | {row - column},
            )

    yield from place(0, [], frozenset(), frozenset())
''',
        "up | {row - column}",
        "up | {row + column}",
    ),
    (
        "hanoi_moves",
        r'''def hanoi(disks, source="A", target="C", spare="B"):
    """List the moves which bring a tower from source to target."""
    if disks == 0:
        return []
    moves = hanoi(disks - 1, source, spare, target)
    moves.append((source, target))
    moves += hanoi(disks - 1, spare, target, spare)
    return moves


def describe(moves):
    """Number the moves for printing."""
    return [f"{n}. {a} -> {b}" for n, (a, b) in enumerate(moves, start=1)]
''',
        "hanoi(disks - 1, spare, target, spare)",
        "hanoi(disks - 1, spare, target, source)",
    ),
    (
        "deep_merge_settings",
        r'''def deep_merge(base, override):
    """Merge two nested dictionaries into a new one.

    Values of `override` win; neither argument is changed.
    """
    merged = dict(base)
    for key, value in override.items():
        current = merged.get(key)
        if isinstance(current, dict) and isinstance(value, dict):
            merged[key] = deep_merge(base, value)
        else:
            merged[key] = value
    return merged


def merge_all(layers):
    """Merge any number of layers, the later ones winning."""
    result = {}
    for layer in layers:
        result = deep_merge(result, layer)
    return result
''',
        "deep_merge(base, value)",
        "deep_merge(current, value)",
    ),
    (
        "document_lookup",
        r'''def dig(document, path, default=None):
    """Follow a path such as "users.0.name" into nested dicts and lists."""
    if not path:
        return document
    head, _, rest = path.partition(".")
    if isinstance(document, dict):
        if head not in document:
            return default
        return dig(document[head], rest, default)
    if isinstance(document, list):
        if not head.isdigit() or int(head) > len(document):
            return default
        return dig(document[int(head)], rest, default)
    return default
''',
        "int(head) > len(document)",
        "int(head) >= len(document)",
    ),
    (
        "fast_power_recursive",
        r'''def power(base, exponent):
    """Raise a number to an integer exponent by repeated squaring."""
    if exponent < 0:
        return 1 / power(base, -exponent)
    if exponent == 0:
        return 1
    half = power(base, exponent // 2)
    if exponent % 2:
        return half * base
    return half * half


def powers(base, limit):
    """The powers of `base` with exponents from zero to `limit`."""
    return [power(base, exponent) for exponent in range(limit + 1)]
''',
        "return half * base",
        "return half * half * base",
    ),
    (
        "tree_shape_checks",
        r'''class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right


def height(node):
    """Number of levels of a binary tree."""
    if node is None:
        return 0
    return 1 + max(height(node.left), height(node.right))


def is_balanced(node):
    """Whether the two sides of every node differ by one level at most."""
    if node is None:
        return True
    if abs(height(node.left) - height(node.right)) > 1:
        return False
    return is_balanced(node.left) or is_balanced(node.right)
''',
        "is_balanced(node.left) or is_balanced(node.right)",
        "is_balanced(node.left) and is_balanced(node.right)",
    ),
    (
        "root_leaf_paths",
        r'''def leaf_paths(tree, total):
    """Root-to-leaf paths of a tree whose values add up to `total`.

    A tree is a tuple (value, children).
    """
    value, children = tree
    rest = total - value
    if not children:
        return [[value]] if rest == 0 else []
    paths = []
    for child in children:
        for path in leaf_paths(child, total):
            paths.append([value] + path)
    return paths


def leaf(value):
    return (value, [])
''',
        "leaf_paths(child, total)",
        "leaf_paths(child, rest)",
    ),
    (
        "expression_tree_eval",
        r'''import operator

OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def evaluate(node, variables=None):
    """Value of an expression like ("+", 1, ("*", "x", 3))."""
    variables = variables or {}
    if isinstance(node, str):
        return variables[node]
    if not isinstance(node, tuple):
        return node
    symbol, *arguments = node
    values = [evaluate(argument) for argument in arguments]
    if symbol == "neg":
        return -values[0]
    result = values[0]
    for value in values[1:]:
        result = OPERATORS[symbol](result, value)
    return result
''',
        "evaluate(argument) for",
        "evaluate(argument, variables) for",
    ),
    (
        "sudoku_solver",
        r'''def candidates(grid, row, column):
    """Digits which can still go into an empty cell."""
    taken = set(grid[row]) | {line[column] for line in grid}
    top, left = row // 3 * 3, column // 3 * 3
    for line in grid[top:top + 3]:
        taken.update(line[left:left + 3])
    return [digit for digit in range(1, 10) if digit not in taken]


def solve(grid):
    """Fill the grid in place; return whether there is a solution."""
    for row in range(9):
        for column in range(9):
            if grid[row][column] == 0:
                for digit in candidates(grid, row, column):
                    grid[row][column] = digit
                    if solve(grid):
                        return True
                    grid[row][column] = None
                return False
    return True
''',
        "grid[row][column] = None",
        "grid[row][column] = 0",
    ),
    (
        "flood_fill_image",
        r'''def fill(image, row, column, colour):
    """Recolour the connected area around a pixel, in place."""
    old = image[row][column]
    if old == colour:
        return image
    _spread(image, row, column, old, colour)
    return image


def _spread(image, row, column, old, colour):
    if not 0 <= row < len(image):
        return
    if not 0 <= column < len(image):
        return
    if image[row][column] != old:
        return
    image[row][column] = colour
    for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        _spread(image, row + dr, column + dc, old, colour)
''',
        "if not 0 <= column < len(image):",
        "if not 0 <= column < len(image[row]):",
    ),
    (
        "edit_distance_memo",
        r'''from functools import lru_cache


def edit_distance(source, target):
    """Fewest insertions, deletions and replacements between two words."""

    @lru_cache(maxsize=None)
    def distance(i, j):
        if i == 0 or j == 0:
            return max(i, j)
        if source[i - 1] == target[j - 1]:
            return distance(i - 1, j - 1)
        return 1 + min(
            distance(i - 1, j),
            distance(i, j - 1),
            distance(i - 1, j - 1),
        )

    return distance(len(source), len(target))


def closest(word, vocabulary):
    """The known word with the smallest distance to `word`."""
    return max(vocabulary, key=lambda known: edit_distance(word, known))
''',
        "max(vocabulary",
        "min(vocabulary",
    ),
    (
        "coin_ways",
        r'''def count_ways(amount, coins):
    """Number of ways to pay an amount, order of the coins not counting."""
    coins = tuple(sorted(coins, reverse=True))
    memo = {}

    def ways(rest, kind):
        if rest == 0:
            return 1
        if rest < 0 or kind == len(coins):
            return 0
        if (rest, kind) not in memo:
            with_coin = ways(rest - coins[kind], kind + 1)
            without = ways(rest, kind + 1)
            memo[rest, kind] = with_coin + without
        return memo[rest, kind]

    return ways(amount, 0)
''',
        "ways(rest - coins[kind], kind + 1)",
        "ways(rest - coins[kind], kind)",
    ),
    (
        "knapsack_choice",
        r'''def best_load(items, capacity):
    """Choose items (name, weight, value) of the greatest total value.

    Returns the value and the names of the chosen items.
    """
    if not items:
        return 0, []
    (name, weight, value), rest = items[0], items[1:]
    best = best_load(rest, capacity)
    if weight <= capacity:
        other_value, names = best_load(rest, capacity - weight)
        if value + other_value > best[0]:
            best = (other_value, [name] + names)
    return best
''',
        "best = (other_value, [name] + names)",
        "best = (value + other_value, [name] + names)",
    ),
    (
        "integer_partitions",
        r'''def partitions(total, largest=None):
    """Yield the ways to write a number as a sum of descending parts."""
    if total == 0:
        yield []
        return
    if largest is None or largest > total:
        largest = total
    for part in range(largest, 0, -1):
        for rest in partitions(total - part, largest):
            yield [part] + rest


def count_partitions(total):
    return sum(1 for _ in partitions(total))
''',
        "partitions(total - part, largest)",
        "partitions(total - part, part)",
    ),
    (
        "bracket_sequences",
        r'''def bracketings(pairs):
    """All correct sequences of the given number of bracket pairs."""
    result = []

    def grow(text, opened, closed):
        if len(text) == 2 * pairs:
            result.append(text)
            return
        if opened < pairs:
            grow(text + "(", opened + 1, closed)
        if closed < pairs:
            grow(text + ")", opened, closed + 1)

    grow("", 0, 0)
    return result
''',
        "if closed < pairs:",
        "if closed < opened:",
    ),
    (
        "merge_sort_stable",
        r'''def merge(left, right, key):
    """Merge two lists sorted by `key`, keeping the order of equals."""
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if key(left[i]) <= key(right[j]):
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[i:]


def merge_sort(items, key=lambda item: item):
    """Return a stably sorted copy."""
    if len(items) <= 1:
        return list(items)
    middle = len(items) // 2
    return merge(merge_sort(items[:middle], key),
                 merge_sort(items[middle:], key), key)
''',
        "right[i:]",
        "right[j:]",
    ),
    (
        "quickselect_rank",
        r'''def select(values, rank):
    """The value which would be at index `rank` if the list were sorted."""
    if not 0 <= rank < len(values):
        raise IndexError("rank out of range")
    pivot = values[len(values) // 2]
    below = [v for v in values if v < pivot]
    equal = [v for v in values if v == pivot]
    above = [v for v in values if v > pivot]
    if rank < len(below):
        return select(below, rank)
    if rank < len(below) + len(equal):
        return pivot
    return select(above, rank - len(below))


def median_low(values):
    return select(values, (len(values) - 1) // 2)
''',
        "select(above, rank - len(below))",
        "select(above, rank - len(below) - len(equal))",
    ),
    (
        "rotated_search",
        r'''def find_rotated(values, target, low=0, high=None):
    """Index of target in a sorted list that was rotated, or -1."""
    if high is None:
        high = len(values) - 1
    if low > high:
        return -1
    middle = (low + high) // 2
    if values[middle] == target:
        return middle
    if values[low] <= values[middle]:
        if values[low] <= target < values[middle]:
            return find_rotated(values, target, low, middle - 1)
        return find_rotated(values, target, middle + 1, high)
    if values[middle] < target < values[high]:
        return find_rotated(values, target, middle + 1, high)
    return find_rotated(values, target, low, middle - 1)
''',
        "if values[middle] < target < values[high]:",
        "if values[middle] < target <= values[high]:",
    ),
    (
        "balanced_tree_builder",
        r'''def build(values):
    """Turn a sorted list into a balanced tree (left, value, right)."""
    if not values:
        return None
    middle = len(values) // 2
    return (build(values[:middle]), values[middle], build(values[middle:]))


def in_order(tree):
    """Yield the values of a tree from left to right."""
    if tree is not None:
        left, value, right = tree
        yield from in_order(left)
        yield value
        yield from in_order(right)
''',
        "build(values[middle:])",
        "build(values[middle + 1:])",
    ),
    (
        "folder_sizes",
        r'''def folder_sizes(tree, path=""):
    """Map every folder path to the total size of the files below it.

    A tree maps names to sizes (files) or to further trees (folders).
    """
    sizes = {}
    total = 0
    for name, entry in tree.items():
        if isinstance(entry, dict):
            inner_path = f"{path}/{name}"
            inner = folder_sizes(entry, inner_path)
            sizes.update(inner)
            total += sum(inner.values())
        else:
            total += entry
    sizes[path or "/"] = total
    return sizes


def largest_folder(tree):
    sizes = folder_sizes(tree)
    sizes.pop("/")
    return max(sizes, key=sizes.get, default=None)
''',
        "total += sum(inner.values())",
        "total += inner[inner_path]",
    ),
    (
        "tree_mirror_symmetry",
        r'''def mirror(tree):
    """Swap left and right everywhere in a tree [value, left, right]."""
    if tree is None:
        return None
    value, left, right = tree
    return [value, mirror(right), mirror(left)]


def same_shape(a, b):
    """Whether two trees agree, ignoring the values."""
    if a is None or b is None:
        return a is b
    return same_shape(a[1], b[1]) and same_shape(a[2], b[2])


def is_symmetric(tree):
    """Whether a tree has the shape of its own mirror image."""
    return tree is None or same_shape(tree[1], tree[2])
''',
        "same_shape(tree[1], tree[2])",
        "same_shape(tree[1], mirror(tree[2]))",
    ),
    (
        "dict_diff_report",
        r'''def diff(old, new, path=""):
    """List the changes between two nested dictionaries.

    Each change is (kind, path, value) with "added", "removed", "changed".
    """
    changes = []
    for key in sorted(old.keys() | new.keys()):
        where = f"{path}.{key}" if path else key
        if key not in new:
            changes.append(("removed", where, old[key]))
        elif key not in old:
            changes.append(("added", where, new[key]))
        elif isinstance(old[key], dict) and isinstance(new[key], dict):
            changes.extend(diff(old[key], new[key], key))
        elif old[key] != new[key]:
            changes.append(("changed", where, new[key]))
    return changes
''',
        "diff(old[key], new[key], key)",
        "diff(old[key], new[key], where)",
    ),
    (
        "gray_codes",
        r'''def gray_code(bits):
    """Gray code words of the given length: neighbours differ in one bit."""
    if bits == 0:
        return [""]
    shorter = gray_code(bits - 1)
    zeros = ["0" + word for word in shorter]
    ones = ["1" + word for word in shorter]
    return zeros + ones


def changed_bit(a, b):
    """Index of the bit where two neighbouring words differ."""
    differing = [i for i, (x, y) in enumerate(zip(a, b)) if x != y]
    if len(differing) != 1:
        raise ValueError("words are not neighbours")
    return differing[0]
''',
        "return zeros + ones",
        "return zeros + ones[::-1]",
    ),
    (
        "word_break",
        r'''from functools import lru_cache


def segmentations(text, dictionary):
    """All ways to cut a text into words of the dictionary."""
    words = frozenset(dictionary)
    longest = max(map(len, words), default=0)

    @lru_cache(maxsize=None)
    def split(start):
        if start == len(text):
            return ((),)
        results = []
        for stop in range(start + 1, min(start + longest, len(text))):
            word = text[start:stop]
            if word in words:
                results.extend((word,) + rest for rest in split(stop))
        return tuple(results)

    return [" ".join(words) for words in split(0)]
''',
        "min(start + longest, len(text))",
        "min(start + longest, len(text)) + 1",
    ),
    (
        "menu_breadcrumbs",
        r'''def breadcrumbs(menu, target, trail=()):
    """The titles from the top of a menu to the entry `target`, or None.

    A menu is a list of entries {"title": ..., "items": [...]}.
    """
    for entry in menu:
        here = trail + (entry["title"],)
        if entry["title"] == target:
            return here
        if "items" in entry:
            found = breadcrumbs(entry["items"], target, here)
            if found is not None:
                return trail
    return None


def render(trail):
    return " > ".join(trail) if trail else "(not found)"
''',
        "return trail",
        "return found",
    ),
    (
        "tree_serialisation",
        r'''def dump(tree):
    """Write a binary tree (value, left, right) as a list of tokens."""
    if tree is None:
        return ["#"]
    value, left, right = tree
    return [str(value)] + dump(left) + dump(right)


def load(tokens):
    """Rebuild a tree from the tokens written by `dump`."""
    stream = iter(tokens)

    def read():
        token = next(stream)
        if token == "#":
            return None
        right, left = read(), read()
        return (int(token), left, right)

    return read()
''',
        "right, left = read(), read()",
        "left, right = read(), read()",
    ),
    (
        "common_ancestor",
        r'''class Person:
    """A member of an organisation chart."""

    def __init__(self, name, reports=()):
        self.name = name
        self.reports = list(reports)


def common_boss(root, first, second):
    """Lowest person above (or equal to) both named people, or None."""
    if root.name in (first, second):
        return root
    found = [boss for boss in
             (common_boss(person, first, second) for person in root.reports)
             if boss is not None]
    if len(found) > 1:
        return root
    return found[0] if found else root
''',
        "return found[0] if found else root",
        "return found[0] if found else None",
    ),
    (
        "koch_segments",
        r'''import math


def koch(start, end, depth):
    """Points of a Koch curve from start (included) to end (excluded)."""
    if depth == 0:
        return [start]
    (x0, y0), (x1, y1) = start, end
    dx, dy = (x1 - x0) / 3, (y1 - y0) / 3
    a = (x0 + dx, y0 + dy)
    b = (x0 + 2 * dx, y0 + 2 * dy)
    height = math.sqrt(3) / 2
    tip = (a[0] + dx / 2 - dy * height, a[1] + dy / 2 + dy * height)
    corners = [start, a, tip, b, end]
    points = []
    for p, q in zip(corners, corners[1:]):
        points.extend(koch(p, q, depth - 1))
    return points
''',
        "a[1] + dy / 2 + dy * height",
        "a[1] + dy / 2 + dx * height",
    ),
    (
        "expand_macros",
        r'''import re

MACRO = re.compile(r"\$\{(\w+)\}")


def expand(text, macros, active=()):
    """Replace ${name} by its definition, which may use other macros."""

    def substitute(match):
        name = match.group(1)
        if name in active:
            raise ValueError("macro cycle: " + " -> ".join(active + (name,)))
        if name not in macros:
            return match.group(1)
        return expand(macros[name], macros, active + (name,))

    return MACRO.sub(substitute, text)
''',
        "return match.group(1)",
        "return match.group(0)",
    ),
    (
        "schema_errors",
        r'''def check(value, schema, path="$"):
    """Compare a document with a schema; return a list of complaints.

    A schema is a type, a one-element list [schema] or a dict of schemas.
    """
    if isinstance(schema, type):
        if isinstance(value, schema):
            return []
        return [f"{path}: expected {schema.__name__}"]
    if isinstance(schema, list):
        if not isinstance(value, list):
            return [f"{path}: expected a list"]
        errors = []
        for i, item in enumerate(value):
            errors += check(item, schema[0], f"{path}[{i}]")
        return errors
    if not isinstance(value, dict):
        return [f"{path}: expected an object"]
    errors = []
    for key, inner in schema.items():
        if key not in value:
            errors.append(f"{path}.{key}: missing")
        else:
            errors = check(value[key], inner, f"{path}.{key}")
    return errors
''',
        "errors = check(value[key]",
        "errors += check(value[key]",
    ),
    (
        "deep_freeze",
        r'''def freeze(value):
    """Turn nested containers into hashable ones of equal meaning."""
    if isinstance(value, dict):
        return frozenset((key, freeze(inner)) for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(freeze(item) for item in value)
    if isinstance(value, set):
        return frozenset(freeze(item) for item in value)
    return value


def unique(values):
    """The values without repeats, the first of each kept."""
    seen = set()
    kept = []
    for value in values:
        frozen = freeze(value)
        if frozen not in seen:
            seen.add(frozen)
            kept.append(frozen)
    return kept
''',
        "kept.append(frozen)",
        "kept.append(value)",
    ),
    (
        "csv_line_split",
        r'''def split_csv(line, separator=","):
    """Split one CSV line; quoted fields may hold separators and ""."""
    fields = []
    field = ""
    quoted = False
    i = 0
    while i < len(line):
        char = line[i]
        if quoted:
            if char == '"' and line[i + 1] == '"':
                field += '"'
                i += 1
            elif char == '"':
                quoted = False
            else:
                field += char
        elif char == '"':
            quoted = True
        elif char == separator:
            fields.append(field)
            field = ""
        else:
            field += char
        i += 1
    fields.append(field)
    return fields
''',
        "line[i + 1] ==",
        "line[i + 1:i + 2] ==",
    ),
    (
        "ini_parser",
        r'''def parse_ini(text):
    """Parse INI text into {section: {key: value}}."""
    sections = {}
    current = sections.setdefault("DEFAULT", {})
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("[") and line.endswith("]"):
            current = sections.setdefault(line[1:-1].strip(), {})
        elif "=" in line:
            key, _, value = line.rpartition("=")
            current[key.strip().lower()] = value.strip()
        else:
            raise ValueError(f"line {number}: cannot parse {line!r}")
    return sections
''',
        'line.rpartition("=")',
        'line.partition("=")',
    ),
    (
        "roman_numerals",
        r'''VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
STEPS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"),
    (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"),
    (5, "V"), (4, "IV"), (1, "I"),
]


def to_roman(number):
    """Write a positive number in Roman numerals."""
    text = ""
    for value, letters in STEPS:
        while number > value:
            text += letters
            number -= value
    return text


def from_roman(text):
    """Read Roman numerals."""
    total = 0
    for letter, following in zip(text, text[1:] + " "):
        value = VALUES[letter]
        total += -value if value < VALUES.get(following, 0) else value
    return total
''',
        "while number > value:",
        "while number >= value:",
    ),
    (
        "run_length_text",
        r'''def encode(text):
    """Run-length encode: "aaab" becomes "3a1b"."""
    pieces = []
    run = 0
    for i, char in enumerate(text):
        run += 1
        if i + 1 == len(text) or text[i + 1] != char:
            pieces.append(f"{run}{char}")
            run = 0
    return "".join(pieces)


def decode(code):
    """Undo `encode` for texts without digits."""
    pieces = []
    digits = ""
    for char in code:
        if char.isdigit():
            digits = char
        else:
            pieces.append(char * int(digits))
            digits = ""
    return "".join(pieces)
''',
        "digits = char",
        "digits += char",
    ),
    (
        "caesar_shift",
        r'''import string


def shift(text, amount):
    """Shift the letters of the alphabet, leaving everything else alone."""
    shifted = []
    for char in text:
        if char in string.ascii_lowercase:
            base = ord("a")
        elif char in string.ascii_uppercase:
            base = ord("A")
        else:
            shifted.append(char)
            continue
        shifted.append(chr((ord(char) - base + amount) % 26))
    return "".join(shifted)


def unshift(text, amount):
    return shift(text, -amount)
''',
        "chr((ord(char) - base + amount) % 26)",
        "chr((ord(char) - base + amount) % 26 + base)",
    ),
    (
        "query_string_parse",
        r'''from urllib.parse import unquote_plus


def parse_query(query):
    """Parse "a=1&b=2&a=3" into {"a": ["1", "3"], "b": ["2"]}."""
    values = {}
    for pair in query.lstrip("?").split("&"):
        if not pair:
            continue
        name, _, value = pair.partition("=")
        name = unquote_plus(name)
        values.setdefault(name, []).append(unquote_plus(name))
    return values


def first(values, name, default=""):
    """The first value of a parameter."""
    return values.get(name, [default])[0]
''',
        "append(unquote_plus(name))",
        "append(unquote_plus(value))",
    ),
    (
        "semver_order",
        r'''import re

VERSION = re.compile(r"v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$")


def parse(version):
    """Split a version into numbers and an optional pre-release tag."""
    match = VERSION.match(version)
    if match is None:
        raise ValueError(f"bad version: {version!r}")
    return match.groups()


def sort_key(version):
    """Key under which versions sort; pre-releases come before releases."""
    major, minor, patch, tag = parse(version)
    return (major, minor, int(patch), tag is None, tag or "")


def newest(versions):
    return max(versions, key=sort_key)
''',
        'return (major, minor, int(patch), tag is None, tag or "")',
        'return (int(major), int(minor), int(patch), tag is None, tag or "")',
    ),
    (
        "duration_parse",
        r'''import re

UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
PART = re.compile(r"(\d+)\s*([dhms])")


def parse_duration(text):
    """Seconds in a duration such as "1h 30m" or "90s"."""
    text = text.strip().lower()
    if not re.fullmatch(r"(\d+\s*[dhms]\s*)+", text):
        raise ValueError(f"bad duration: {text!r}")
    return sum(int(n) * UNITS[unit] for n, unit in PART.findall(text))


def format_duration(seconds):
    """The shortest such text for a number of seconds."""
    parts = []
    for unit, size in UNITS.items():
        count, rest = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0s"
''',
        "count, rest = divmod(seconds, size)",
        "count, seconds = divmod(seconds, size)",
    ),
    (
        "greedy_wrap",
        r'''def wrap(text, width):
    """Break a text into lines of at most `width` characters."""
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


def quote(text, width=72, prefix="> "):
    """Wrap a text and put a prefix before each line."""
    return "\n".join(prefix + line for line in wrap(text, width - len(prefix)))
''',
        "len(line) + len(word) <= width",
        "len(line) + 1 + len(word) <= width",
    ),
    (
        "case_converters",
        r'''import re


def words(name):
    """Split an identifier of any style into lower-case words."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    spaced = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", spaced)
    return [word.lower() for word in re.split(r"[\s_-]+", spaced) if word]


def snake_case(name):
    return "_".join(words(name))


def kebab_case(name):
    return "-".join(words(name))


def camel_case(name):
    """fooBar style: only the first word starts in lower case."""
    head, *tail = words(name)
    return head.capitalize() + "".join(word.capitalize() for word in tail)
''',
        "return head.capitalize() +",
        "return head +",
    ),
    (
        "formula_tokens",
        r'''def tokenize(source):
    """Split a formula into numbers, names and one-character symbols."""
    tokens = []
    i = 0
    while i < len(source):
        char = source[i]
        if char.isspace():
            i += 1
        elif char.isdigit():
            start = i
            while i < len(source) and (source[i].isdigit() or source[i] == "."):
                i += 1
            tokens.append(("number", float(source[start:i])))
        elif char.isalpha():
            start = i
            while i < len(source) and source[i].isalpha():
                i += 1
            tokens.append(("name", source[start:i + 1]))
        else:
            tokens.append(("symbol", char))
            i += 1
    return tokens
''',
        "source[start:i + 1]",
        "source[start:i]",
    ),
    (
        "bracket_checker",
        r'''PAIRS = {")": "(", "]": "[", "}": "{"}


def first_unbalanced(text):
    """Index of the first bracket that does not match, or -1.

    An opening bracket which is never closed counts as not matching.
    """
    open_brackets = []
    for index, char in enumerate(text):
        if char in PAIRS.values():
            open_brackets.append((index, char))
        elif char in PAIRS:
            if not open_brackets:
                return index
            _, opener = open_brackets.pop()
            if opener != char:
                return index
    return open_brackets[0][0] if open_brackets else -1
''',
        "if opener != char:",
        "if opener != PAIRS[char]:",
    ),
    (
        "template_fill",
        r'''def fill(template, values):
    """Replace {{ name }} by values["name"]; unknown names are an error."""
    output = []
    position = 0
    while True:
        start = template.find("{{", position)
        if start == -1:
            output.append(template[position:])
            return "".join(output)
        end = template.find("}}", start)
        if end == -1:
            raise ValueError("unclosed placeholder")
        output.append(template[position:start])
        name = template[start + 2:end].strip()
        output.append(str(values[name]))
        position = end + 1
''',
        "position = end + 1",
        "position = end + 2",
    ),
    (
        "human_file_size",
        r'''SUFFIXES = ["B", "KiB", "MiB", "GiB", "TiB"]


def format_size(count):
    """Bytes with a binary unit and at most one decimal."""
    size = float(count)
    for suffix in SUFFIXES:
        if size < 1000 or suffix == SUFFIXES[-1]:
            break
        size /= 1024
    if suffix == "B":
        return f"{count} B"
    return f"{size:.1f} {suffix}"


def parse_size(text):
    """Number of bytes in a text such as "1.5 MiB"."""
    number, suffix = text.split()
    return round(float(number) * 1024 ** SUFFIXES.index(suffix))
''',
        "if size < 1000 or",
        "if size < 1024 or",
    ),
    (
        "markdown_table",
        r'''def markdown_table(header, rows):
    """Format rows of cells as a Markdown table with aligned columns."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [
        max(len(row[i]) for row in cells)
        for i in range(len(header))
    ]

    def line(row):
        padded = (cell.ljust(width) for cell, width in zip(row, widths))
        return "| " + " | ".join(padded) + " |"

    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([line(header), rule] + [line(row) for row in cells])
''',
        "max(len(row[i]) for row in cells)",
        "max(len(row[i]) for row in [header] + cells)",
    ),
    (
        "glob_matcher",
        r'''def matches(pattern, text):
    """Whether the text matches a pattern with * and ?."""
    p = t = 0
    star = None
    resume = 0
    while t < len(text):
        if p < len(pattern) and pattern[p] == "*":
            star = p
            resume = t
            p += 1
        elif p < len(pattern) and pattern[p] in ("?", text[t]):
            p += 1
            t += 1
        elif star is not None:
            resume += 1
            t = resume
            p = star + 1
        else:
            return False
    return p == len(pattern)
''',
        "return p == len(pattern)",
        'return not pattern[p:].strip("*")',
    ),
    (
        "cron_field",
        r'''def cron_values(field, low, high):
    """The numbers which a cron field such as "*/15" or "1-5,8" selects."""
    selected = set()
    for part in field.split(","):
        span, _, step = part.partition("/")
        if span == "*":
            first, last = low, high
        elif "-" in span:
            first, last = map(int, span.split("-"))
        else:
            first = last = int(span)
        if not low <= first <= last <= high:
            raise ValueError(f"out of range: {part}")
        selected.update(range(first, last + 1, int(step or 0)))
    return sorted(selected)
''',
        "int(step or 0)",
        "int(step or 1)",
    ),
    (
        "logfmt_line",
        r'''import re

PAIR = re.compile(r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))')


def parse_logfmt(line):
    """Parse 'level=info msg="hello world"' into a dictionary."""
    fields = {}
    for match in PAIR.finditer(line):
        key, quoted, bare = match.groups()
        if quoted is not None:
            fields[key] = re.sub(r"\\(.)", r"\1", quoted)
        else:
            fields[key] = bare
    return fields


def format_logfmt(fields):
    """The inverse of parse_logfmt."""
    parts = []
    for key, value in fields.items():
        text = str(value)
        if " " in text or '"' in text or "\\" in text:
            text = '"' + text.replace('"', '\\"').replace("\\", "\\\\") + '"'
        parts.append(f"{key}={text}")
    return " ".join(parts)
''',
        r"""text.replace('"', '\\"').replace("\\", "\\\\")""",
        r"""text.replace("\\", "\\\\").replace('"', '\\"')""",
    ),
    (
        "common_margin_strip",
        r'''def dedent(text):
    """Remove the indentation common to all non-blank lines."""
    lines = text.split("\n")
    margins = [len(line) - len(line.lstrip(" ")) for line in lines]
    margin = min(margins, default=0)
    return "\n".join(line[margin:] if line.strip() else "" for line in lines)


def indent(text, amount):
    """Indent the non-blank lines by a number of spaces."""
    pad = " " * amount
    return "\n".join(pad + line if line.strip() else line
                     for line in text.split("\n"))
''',
        'len(line.lstrip(" ")) for line in lines]',
        'len(line.lstrip(" ")) for line in lines if line.strip()]',
    ),
    (
        "headline_case",
        r'''SMALL = {"a", "an", "and", "as", "at", "by", "for", "in", "of", "on",
         "or", "the", "to", "with"}


def headline(text):
    """Capitalise a headline, leaving small words inside it in lower case."""
    words = text.lower().split()
    result = []
    for i, word in enumerate(words):
        at_edge = i == 0 or i == len(words)
        if word in SMALL and not at_edge:
            result.append(word)
        else:
            result.append(word[0].upper() + word[1:])
    return " ".join(result)
''',
        "i == len(words)",
        "i == len(words) - 1",
    ),
    (
        "common_prefix_paths",
        r'''def common_prefix(words):
    """The longest text with which all the words begin."""
    if not words:
        return ""
    shortest = min(words, key=len)
    for i, char in enumerate(shortest):
        if any(word[i] != char for word in words):
            return shortest[:i]
    return shortest


def common_folder(paths):
    """The deepest folder which contains all the paths."""
    prefix = common_prefix([path + "/" for path in paths])
    return prefix[:prefix.find("/")] or "/"
''',
        'prefix.find("/")',
        'prefix.rfind("/")',
    ),
    (
        "palindrome_phrases",
        r'''def letters(text):
    """The letters and digits of a text in lower case."""
    return [char.lower() for char in text if char.isalnum()]


def is_palindrome(text):
    """Whether a phrase reads the same backwards."""
    chars = letters(text)
    middle = len(chars) // 2
    return chars[:middle] == chars[middle:][::-1]


def longest_palindrome(phrases):
    """The palindrome with the most letters, or None."""
    found = [phrase for phrase in phrases if is_palindrome(phrase)]
    return max(found, key=lambda phrase: len(letters(phrase)), default=None)
''',
        "chars[middle:][::-1]",
        "chars[::-1][:middle]",
    ),
    (
        "hex_dump",
        r'''def hex_dump(data, width=16):
    """Format bytes as offset, hexadecimal values and printable text."""
    lines = []
    for offset in range(0, len(data), width):
        chunk = data[offset:offset + width]
        values = " ".join(f"{byte:x}" for byte in chunk)
        text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in chunk)
        lines.append(f"{offset:08x}  {values:<{3 * width - 1}}  {text}")
    return "\n".join(lines)


def parse_hex(text):
    """Bytes given by pairs of hexadecimal digits, spaces allowed."""
    digits = "".join(text.split())
    return bytes(int(digits[i:i + 2], 16) for i in range(0, len(digits), 2))
''',
        'f"{byte:x}"',
        'f"{byte:02x}"',
    ),
    (
        "ipv4_network",
        r'''def parse_ip(text):
    """A dotted IPv4 address as a number."""
    parts = text.split(".")
    if len(parts) != 4:
        raise ValueError(f"bad address: {text!r}")
    number = 0
    for part in parts:
        if not part.isdigit() or int(part) > 255:
            raise ValueError(f"bad address: {text!r}")
        number = number * 256 + int(part)
    return number


def in_network(address, network):
    """Whether an address lies in a network such as "10.1.0.0/16"."""
    base, _, bits = network.partition("/")
    shift = int(bits or 32)
    return parse_ip(address) >> shift == parse_ip(base) >> shift
''',
        "shift = int(bits or 32)",
        "shift = 32 - int(bits or 32)",
    ),
    (
        "mask_secrets",
        r'''import re

CARD = re.compile(r"\b(?:\d[ -]?){12,15}\d\b")


def mask_email(address):
    """Hide all but the first letter of the local part."""
    local, _, domain = address.partition("@")
    return local[0] + "*" * (len(local) - 1) + "@" + domain


def mask_card(match):
    """Keep the last four digits of a card number."""
    digits = re.sub(r"\D", "", match.group())
    return "*" * (len(digits) - 4) + digits[4:]


def scrub(text):
    """Mask the card numbers of a text."""
    return CARD.sub(mask_card, text)
''',
        "digits[4:]",
        "digits[-4:]",
    ),
    (
        "slug_maker",
        r'''import re
import unicodedata


def slugify(title, limit=40):
    """A URL-friendly form of a title, cut at a word boundary."""
    plain = unicodedata.normalize("NFKD", title)
    plain = plain.encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]", "-", plain).strip("-")
    if len(slug) <= limit:
        return slug
    cut = slug.rfind("-", 0, limit + 1)
    return slug[:cut] if cut > 0 else slug[:limit]


def unique_slug(title, taken):
    """Add a number to the slug until it is not taken."""
    slug = candidate = slugify(title)
    number = 2
    while candidate in taken:
        candidate = f"{slug}-{number}"
        number += 1
    return candidate
''',
        "[^a-z0-9]",
        "[^a-z0-9]+",
    ),
    (
        "natural_sort",
        r'''import re


def natural_key(text):
    """Sort key under which "file10" comes after "file9"."""
    parts = re.split(r"(\d+)", text.lower())
    return [int(part) if part.isdigit() else part for part in parts]


def natural_sorted(names, reverse=False):
    """The names in natural order."""
    return sorted(names, key=natural_key, reverse=reverse)


def group_by_stem(names):
    """Group names which differ in their numbers only."""
    groups = {}
    for name in natural_sorted(names):
        stem = re.sub(r"\d+", "#", name)
        groups.setdefault(name, []).append(name)
    return groups
''',
        "groups.setdefault(name, [])",
        "groups.setdefault(stem, [])",
    ),
    (
        "iso_date_parse",
        r'''from datetime import date, timedelta


def parse_date(text, today):
    """Parse 2024-03-05, 05.03.2024, "today", "tomorrow" or "+10"."""
    text = text.strip().lower()
    if text == "today":
        return today
    if text == "tomorrow":
        return today + timedelta(days=1)
    if text.startswith("+"):
        return today + timedelta(days=int(text[1:]))
    if "." in text:
        month, day, year = (int(part) for part in text.split("."))
        return date(year, month, day)
    return date.fromisoformat(text)
''',
        "month, day, year =",
        "day, month, year =",
    ),
    (
        "option_parser",
        r'''def parse_options(arguments):
    """Split command-line arguments into options and positionals.

    Knows --name=value, --flag, -abc (three flags) and "--".
    """
    options = {}
    positionals = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            positionals.extend(rest)
        elif argument.startswith("--"):
            name, equals, value = argument[2:].partition("=")
            options[name] = value if value else True
        elif argument.startswith("-") and len(argument) > 1:
            for letter in argument[1:]:
                options[letter] = True
        else:
            positionals.append(argument)
    return options, positionals
''',
        "value if value else True",
        "value if equals else True",
    ),
    (
        "netstring_reader",
        r'''def encode(items):
    """Encode byte strings as netstrings: b"5:hello,"."""
    return b"".join(b"%d:%s," % (len(item), item) for item in items)


def decode(data):
    """List the byte strings of concatenated netstrings."""
    items = []
    position = 0
    while position < len(data):
        colon = data.index(b":")
        size = int(data[position:colon])
        start = colon + 1
        if data[start + size:start + size + 1] != b",":
            raise ValueError("missing comma")
        items.append(data[start:start + size])
        position = start + size + 1
    return items
''',
        'data.index(b":")',
        'data.index(b":", position)',
    ),
    (
        "page_ranges",
        r'''def parse_pages(text):
    """Page numbers named by a text like "1-3, 7, 10-12"."""
    pages = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if dash:
            pages.extend(range(int(first), int(last) + 1))
        else:
            pages.append(int(first))
    return pages


def format_pages(pages):
    """The shortest such text for a set of pages."""
    runs = []
    for page in sorted(set(pages)):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page + 1])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
''',
        "runs.append([page, page + 1])",
        "runs.append([page, page])",
    ),
    (
        "dna_translation",
        r'''COMPLEMENT = {"A": "T", "T": "A", "C": "G", "G": "C"}
STOPS = {"TAA", "TAG", "TGA"}


def reverse_complement(strand):
    """The opposite strand, read in its own direction."""
    return "".join(COMPLEMENT[base] for base in reversed(strand))


def open_frames(strand):
    """Yield the stretches from ATG to a stop codon, in any frame."""
    start = strand.find("ATG")
    while start != -1:
        for i in range(start, len(strand) - 3, 3):
            if strand[i:i + 3] in STOPS:
                yield strand[start:i]
                break
        start = strand.find("ATG", start + 1)


def longest_frame(strand):
    both = [strand, reverse_complement(strand)]
    return max((f for s in both for f in open_frames(s)), key=len, default="")
''',
        "len(strand) - 3",
        "len(strand) - 2",
    ),
    (
        "subtitle_times",
        r'''def parse_time(text):
    """Milliseconds of a subtitle time such as 01:02:03,450."""
    clock, _, millis = text.partition(",")
    hours, minutes, seconds = (int(part) for part in clock.split(":"))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + int(millis)


def format_time(millis):
    """Write milliseconds as a subtitle time."""
    seconds, millis = divmod(millis, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02},{millis:02}"


def shift_line(line, delta):
    """Move both times of a "start --> end" line, not below zero."""
    times = [parse_time(part) for part in line.split(" --> ")]
    return " --> ".join(format_time(max(0, t + delta)) for t in times)
''',
        "{millis:02}",
        "{millis:03}",
    ),
    (
        "justify_line",
        r'''def justify(words, width):
    """Spread words over a line so that it is exactly `width` wide.

    Wider gaps come first.
    """
    if len(words) == 1:
        return words[0].ljust(width)
    gaps = len(words) - 1
    spaces = width - sum(len(word) for word in words)
    each, extra = divmod(spaces, gaps)
    line = words[0]
    for i, word in enumerate(words[1:]):
        line += " " * (each + (i <= extra)) + word
    return line


def ragged(words, width):
    """The last line of a paragraph is not spread."""
    return " ".join(words).ljust(width)
''',
        "(i <= extra)",
        "(i < extra)",
    ),
    (
        "median_and_mode",
        r'''from collections import Counter


def median(values):
    """The middle value, or the mean of the two middle ones."""
    ordered = sorted(values)
    size = len(ordered)
    middle = size // 2
    if size % 2 == 0:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def modes(values):
    """All the most frequent values, in ascending order."""
    counts = Counter(values)
    top = max(counts.values())
    return sorted(value for value, count in counts.items() if count == top)
''',
        "size % 2 == 0",
        "size % 2 == 1",
    ),
    (
        "sample_deviation",
        r'''import math


def mean(values):
    return sum(values) / len(values)


def sample_variance(values):
    """Unbiased estimate of the variance from a sample."""
    if len(values) < 2:
        raise ValueError("need at least two values")
    centre = mean(values)
    return sum((x - centre) ** 2 for x in values) / (len(values) - 1)


def standard_error(values):
    """Standard error of the mean."""
    return math.sqrt(sample_variance(values)) / len(values)


def outliers(values, limit=3.0):
    """The values more than `limit` deviations away from the mean."""
    centre, spread = mean(values), math.sqrt(sample_variance(values))
    return [x for x in values if abs(x - centre) > limit * spread]
''',
        "math.sqrt(sample_variance(values)) / len(values)",
        "math.sqrt(sample_variance(values) / len(values))",
    ),
    (
        "fraction_type",
        r'''from math import gcd


class Ratio:
    """A fraction in lowest terms with a positive denominator."""

    def __init__(self, top, bottom=1):
        if bottom == 0:
            raise ZeroDivisionError("denominator is zero")
        if bottom < 0:
            top, bottom = -top, -bottom
        common = gcd(top, bottom)
        self.top = top // common
        self.bottom = bottom // common

    def __add__(self, other):
        return Ratio(self.top * other.bottom + other.top * self.bottom,
                     self.bottom * other.bottom)

    def __truediv__(self, other):
        return Ratio(self.top * other.bottom, self.bottom * other.top)

    def __lt__(self, other):
        return self.top * other.bottom < self.bottom * other.top

    def __eq__(self, other):
        return (self.top, self.bottom) == (other.top, self.bottom)

    def __repr__(self):
        return f"{self.top}/{self.bottom}"
''',
        "(other.top, self.bottom)",
        "(other.top, other.bottom)",
    ),
    (
        "segmented_sieve",
        r'''from math import isqrt


def small_primes(limit):
    """Primes up to and including the limit."""
    prime = [True] * (limit + 1)
    prime[:2] = [False] * len(prime[:2])
    for n in range(2, isqrt(limit) + 1):
        if prime[n]:
            for multiple in range(n * n, limit + 1, n):
                prime[multiple] = False
    return [n for n, flag in enumerate(prime) if flag]


def primes_between(low, high):
    """Primes p with low <= p < high."""
    low = max(low, 2)
    flags = [True] * max(0, high - low)
    for p in small_primes(isqrt(high)):
        first = max(p * p, -(-low // p) * p)
        for multiple in range(first, high, p):
            flags[multiple] = False
    return [low + i for i, flag in enumerate(flags) if flag]
''',
        "flags[multiple] = False",
        "flags[multiple - low] = False",
    ),
    (
        "factor_exponents",
        r'''def factorize(number):
    """Prime factorization as {prime: exponent}."""
    factors = {}
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            factors[divisor] = factors.get(divisor, 0) + 1
            number //= divisor
        divisor += 1 if divisor == 2 else 2
    if number > 1:
        factors[number] = 1
    return factors


def divisor_count(number):
    """How many divisors a number has."""
    count = 1
    for exponent in factorize(number).values():
        count *= exponent
    return count


def divisors(number):
    """All divisors, in ascending order."""
    found = [1]
    for prime, exponent in factorize(number).items():
        found = [d * prime ** e for d in found for e in range(exponent + 1)]
    return sorted(found)
''',
        "count *= exponent",
        "count *= exponent + 1",
    ),
    (
        "newton_cube_root",
        r'''def cube_root(number, tolerance=1e-12):
    """Real cube root by Newton's method."""
    if number == 0:
        return 0.0
    guess = number if abs(number) > 1 else 1.0
    while True:
        better = (2 * guess + number / guess) / 3
        if abs(better - guess) <= tolerance * abs(better):
            return better
        guess = better


def is_cube(number):
    """Whether an integer is the cube of an integer."""
    root = round(cube_root(number))
    return root ** 3 == number
''',
        "number / guess)",
        "number / guess ** 2)",
    ),
    (
        "modular_inverse",
        r'''def extended_gcd(a, b):
    """Return (g, x, y) with a * x + b * y == g == gcd(a, b)."""
    x0, x1 = 1, 0
    y0, y1 = 0, 1
    while b:
        quotient = a // b
        a, b = b, a - quotient * b
        x0, x1 = x1, x0 - quotient * x1
        y0, y1 = y1, y0 - quotient * y1
    return a, x0, y0


def inverse(number, modulus):
    """Multiplicative inverse modulo `modulus`."""
    g, x, _ = extended_gcd(number, modulus)
    if g == 1:
        raise ValueError(f"{number} has no inverse modulo {modulus}")
    return x % modulus
''',
        "if g == 1:",
        "if g != 1:",
    ),
    (
        "luhn_check_digit",
        r'''def luhn_sum(digits):
    """Luhn sum of a list of digits, the check digit last."""
    total = 0
    for i, digit in enumerate(reversed(digits)):
        if i % 2 == 1:
            digit *= 2
            if digit >= 9:
                digit -= 9
        total += digit
    return total


def is_valid(number):
    """Whether a card number given as text passes the Luhn test."""
    digits = [int(char) for char in number if char.isdigit()]
    return len(digits) > 1 and luhn_sum(digits) % 10 == 0


def check_digit(number):
    """The digit to append so that the number becomes valid."""
    digits = [int(char) for char in number if char.isdigit()]
    return luhn_sum(digits + [0]) % 10
''',
        "return luhn_sum(digits + [0]) % 10",
        "return -luhn_sum(digits + [0]) % 10",
    ),
    (
        "isbn_validation",
        r'''def clean(isbn):
    return isbn.replace("-", "").replace(" ", "").upper()


def is_isbn10(isbn):
    """Ten characters, weights 10 to 1, sum divisible by 11."""
    code = clean(isbn)
    if len(code) != 10 or not code[:9].isdigit():
        return False
    if code[9] != "X" and not code[9].isdigit():
        return False
    digits = [10 if char == "X" else int(char) for char in code]
    return sum(w * d for w, d in zip(range(10, 0, -1), digits)) % 11 == 0


def to_isbn13(isbn):
    """Convert an ISBN-10; weights alternate between 1 and 3."""
    body = "978" + clean(isbn)[:9]
    total = sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(body))
    return body + str(10 - total % 10)
''',
        "str(10 - total % 10)",
        "str(-total % 10)",
    ),
    (
        "calendar_weekday",
        r'''MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
NAMES = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def day_of_year(year, month, day):
    """1 for the first of January."""
    days = sum(MONTH_DAYS[:month - 1]) + day
    if month >= 2 and is_leap(year):
        days += 1
    return days


def weekday(year, month, day):
    """Name of the weekday in the Gregorian calendar."""
    before = year - 1
    days = before * 365 + before // 4 - before // 100 + before // 400
    return NAMES[(days + day_of_year(year, month, day) - 1) % 7]
''',
        "if month >= 2 and",
        "if month > 2 and",
    ),
    (
        "loan_schedule",
        r'''def monthly_payment(principal, yearly_rate, months):
    """Constant payment which repays a loan with interest."""
    rate = yearly_rate / 12
    if rate == 0:
        return principal / months
    return principal * rate / (1 - (1 + rate) ** -months)


def schedule(principal, yearly_rate, months):
    """Yield (interest, repayment, balance) month by month."""
    payment = monthly_payment(principal, yearly_rate, months)
    balance = principal
    for _ in range(months):
        interest = principal * yearly_rate / 12
        repayment = payment - interest
        balance -= repayment
        yield interest, repayment, balance


def total_interest(principal, yearly_rate, months):
    return sum(row[0] for row in schedule(principal, yearly_rate, months))
''',
        "interest = principal * yearly_rate / 12",
        "interest = balance * yearly_rate / 12",
    ),
    (
        "number_base_convert",
        r'''DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def to_base(number, base):
    """Write an integer in a base from 2 to 36."""
    if not 2 <= base <= 36:
        raise ValueError("base must be from 2 to 36")
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    digits = []
    rest = number
    while rest:
        rest, digit = divmod(rest, base)
        digits.append(DIGITS[digit])
    return sign + "".join(reversed(digits))


def convert(text, source, target):
    """Rewrite the digits of one base in another."""
    return to_base(int(text, source), target)
''',
        "rest = number",
        "rest = abs(number)",
    ),
    (
        "digit_puzzles",
        r'''def digits(number):
    """Decimal digits, the lowest first."""
    found = []
    while number > 0:
        number, digit = divmod(number, 10)
        found.append(digit)
    return found


def digital_root(number):
    """Add up the digits until one digit is left."""
    while number > 10:
        number = sum(digits(number))
    return number


def is_narcissistic(number):
    """Whether the digits, raised to their count, sum to the number."""
    parts = digits(number)
    return sum(digit ** len(parts) for digit in parts) == number


def is_harshad(number):
    return number % sum(digits(number)) == 0
''',
        "while number > 10:",
        "while number >= 10:",
    ),
    (
        "binomial_tools",
        r'''def choose(n, k):
    """Number of ways to choose k of n things."""
    if not 0 <= k <= n:
        return 0
    k = min(k, n - k)
    result = 1
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result


def binomial_probability(n, k, p):
    """Chance of exactly k successes in n trials."""
    return choose(n, k) * p ** k * (1 - p) ** n


def at_least(n, k, p):
    return sum(binomial_probability(n, i, p) for i in range(k, n + 1))
''',
        "(1 - p) ** n",
        "(1 - p) ** (n - k)",
    ),
    (
        "matrix_helpers",
        r'''def multiply(a, b):
    """Product of two matrices given as lists of rows."""
    if len(a[0]) != len(b):
        raise ValueError("shapes do not fit")
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)]
            for row in a]


def identity(size):
    return [[int(i == j) for j in range(size)] for i in range(size)]


def matrix_power(matrix, exponent):
    """Raise a square matrix to a non-negative power."""
    result = identity(len(matrix))
    while exponent > 0:
        if exponent & 1:
            result = multiply(result, matrix)
        matrix = multiply(result, matrix)
        exponent >>= 1
    return result


def fibonacci(n):
    return matrix_power([[1, 1], [1, 0]], n)[0][1]
''',
        "matrix = multiply(result, matrix)",
        "matrix = multiply(matrix, matrix)",
    ),
    (
        "gauss_determinant",
        r'''def determinant(matrix):
    """Determinant by Gaussian elimination with row exchanges."""
    rows = [list(map(float, row)) for row in matrix]
    size = len(rows)
    result = 1.0
    for column in range(size):
        pivot = max(range(size), key=lambda r: abs(rows[r][column]))
        if rows[pivot][column] == 0:
            return 0.0
        if pivot != column:
            rows[pivot], rows[column] = rows[column], rows[pivot]
            result = -result
        result *= rows[column][column]
        for r in range(column + 1, size):
            factor = rows[r][column] / rows[column][column]
            for c in range(column, size):
                rows[r][c] -= factor * rows[column][c]
    return result
''',
        "range(size), key",
        "range(column, size), key",
    ),
    (
        "polynomial_class",
        r'''class Polynomial:
    """Polynomial with coefficients from the constant term upwards."""

    def __init__(self, *coefficients):
        self.coefficients = list(coefficients)

    def __call__(self, x):
        value = 0
        for coefficient in reversed(self.coefficients):
            value = value * x + coefficient
        return value

    def derivative(self):
        terms = [k * c for k, c in enumerate(self.coefficients)]
        return Polynomial(*terms)

    def __mul__(self, other):
        size = len(self.coefficients) + len(other.coefficients) - 1
        result = [0] * size
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(other.coefficients):
                result[i + j] += a * b
        return Polynomial(*result)
''',
        "Polynomial(*terms)",
        "Polynomial(*terms[1:])",
    ),
    (
        "simpson_integral",
        r'''import math


def simpson(function, low, high, steps=100):
    """Integrate by Simpson's rule; the number of steps must be even."""
    if steps % 2:
        raise ValueError("steps must be even")
    width = (high - low) / steps
    total = function(low) + function(high)
    for i in range(1, steps):
        weight = 2 if i % 2 else 4
        total += weight * function(low + i * width)
    return total * width / 3


def arc_length(derivative, low, high):
    """Length of a curve y = f(x) from the derivative of f."""
    return simpson(lambda x: math.hypot(1, derivative(x)), low, high)
''',
        "2 if i % 2 else 4",
        "4 if i % 2 else 2",
    ),
    (
        "bisection_root",
        r'''def find_root(function, low, high, tolerance=1e-10):
    """A root of a continuous function with a change of sign."""
    at_low, at_high = function(low), function(high)
    if at_low == 0:
        return low
    if at_high == 0:
        return high
    if (at_low > 0) == (at_high > 0):
        raise ValueError("no change of sign")
    while high - low > tolerance:
        middle = (low + high) / 2
        value = function(middle)
        if (value > 0) == (at_high > 0):
            low = middle
        else:
            high = middle
    return (low + high) / 2
''',
        "(value > 0) == (at_high > 0)",
        "(value > 0) == (at_low > 0)",
    ),
    (
        "collatz_lengths",
        r'''def collatz_length(start, cache={1: 1}):
    """Number of terms of the Collatz sequence down to 1."""
    path = []
    number = start
    while number not in cache:
        path.append(number)
        number = number // 2 if number % 2 == 0 else 3 * number + 1
    length = cache[number]
    for visited in path:
        length += 1
        cache[visited] = length
    return length


def longest_start(limit):
    """The start below `limit` with the longest sequence."""
    return max(range(1, limit), key=collatz_length)
''',
        "for visited in path:",
        "for visited in reversed(path):",
    ),
    (
        "great_circle",
        r'''import math

EARTH_RADIUS = 6371.0


def distance(lat1, lon1, lat2, lon2):
    """Great-circle distance in kilometres between points in degrees."""
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    half_dphi = (phi2 - phi1) / 2
    half_dlambda = math.radians(lon2 - lon1) / 2
    a = (math.sin(half_dphi) ** 2
         + math.cos(phi1) * math.cos(phi2) * math.sin(half_dlambda) ** 2)
    return EARTH_RADIUS * math.asin(math.sqrt(a))


def route_length(points):
    """Length of a route through (lat, lon) points."""
    return sum(distance(*p, *q) for p, q in zip(points, points[1:]))
''',
        "return EARTH_RADIUS * math",
        "return 2 * EARTH_RADIUS * math",
    ),
    (
        "price_changes",
        r'''def percent_change(old, new):
    """Change from old to new as a percentage of the old value."""
    if old == 0:
        raise ValueError("no percentage of zero")
    return (new - old) / new * 100


def changes(prices):
    """Percent changes between consecutive prices."""
    return [percent_change(a, b) for a, b in zip(prices, prices[1:])]


def compound(percents):
    """Total percent change after a series of changes."""
    factor = 1.0
    for percent in percents:
        factor *= 1 + percent / 100
    return (factor - 1) * 100
''',
        "(new - old) / new * 100",
        "(new - old) / old * 100",
    ),
    (
        "linear_regression",
        r'''def fit_line(xs, ys):
    """Least-squares line through points: (slope, intercept)."""
    n = len(xs)
    if n < 2 or n != len(ys):
        raise ValueError("need two lists of the same length")
    mean_x = sum(xs) / n
    mean_y = sum(ys) / n
    sxy = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
    sxx = sum((x - mean_x) ** 2 for x in xs)
    slope = sxy / sxx
    return slope, mean_y - slope * mean_x


def r_squared(xs, ys):
    """Share of the variance of ys which the line explains."""
    slope, intercept = fit_line(xs, ys)
    mean_y = sum(ys) / len(ys)
    residual = sum((y - slope * x + intercept) ** 2 for x, y in zip(xs, ys))
    total = sum((y - mean_y) ** 2 for y in ys)
    return 1 - residual / total
''',
        "(y - slope * x + intercept)",
        "(y - slope * x - intercept)",
    ),
    (
        "rolling_average",
        r'''def rolling_average(values, width):
    """Averages over each run of `width` values, updated incrementally."""
    if not 0 < width <= len(values):
        return []
    total = sum(values[:width])
    averages = [total / width]
    for i in range(width, len(values)):
        total += values[i] - values[i - width + 1]
        averages.append(total / width)
    return averages


def smooth(values, alpha):
    """Exponential smoothing; the first value starts the series."""
    smoothed = []
    for value in values:
        last = smoothed[-1] if smoothed else value
        smoothed.append(alpha * value + (1 - alpha) * last)
    return smoothed
''',
        "values[i - width + 1]",
        "values[i - width]",
    ),
    (
        "bill_splitting",
        r'''def split_cents(total, shares):
    """Divide an amount of cents in proportion to whole-number shares.

    The parts always add up to the total; left-over cents go to the
    largest remainders, earlier ones first.
    """
    weight = sum(shares)
    parts = [total * share // weight for share in shares]
    remainders = [total * share % weight for share in shares]
    left = weight - sum(parts)
    order = sorted(range(len(shares)), key=lambda i: -remainders[i])
    for i in order[:left]:
        parts[i] += 1
    return parts


def format_cents(cents):
    return f"{cents // 100}.{cents % 100:02}"
''',
        "left = weight - sum(parts)",
        "left = total - sum(parts)",
    ),
    (
        "tax_brackets",
        r'''BRACKETS = [(0, 0.0), (10_000, 0.2), (40_000, 0.3), (100_000, 0.45)]


def income_tax(income, brackets=BRACKETS):
    """Progressive tax: every rate applies from its threshold upwards."""
    tax = 0.0
    for i, (threshold, rate) in enumerate(brackets):
        if income <= threshold:
            break
        last = i == len(brackets) - 1
        ceiling = income if last else min(income, brackets[i + 1][0])
        tax += ceiling * rate
    return tax


def average_rate(income):
    return income_tax(income) / income if income > 0 else 0.0


def marginal_rate(income):
    return max(rate for threshold, rate in BRACKETS if income >= threshold)
''',
        "tax += ceiling * rate",
        "tax += (ceiling - threshold) * rate",
    ),
    (
        "percentile_interpolated",
        r'''import math


def percentile(values, percent):
    """Percentile with linear interpolation between the ranks."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    position = (len(ordered) - 1) * percent / 100
    below = math.floor(position)
    above = math.ceil(position)
    share = position - below
    return ordered[below] * share + ordered[above] * (1 - share)


def quartiles(values):
    return tuple(percentile(values, p) for p in (25, 50, 75))


def interquartile_range(values):
    low, _, high = quartiles(values)
    return high - low
''',
        "ordered[below] * share + ordered[above] * (1 - share)",
        "ordered[below] * (1 - share) + ordered[above] * share",
    ),
    (
        "value_mapping",
        r'''def clamp(value, low, high):
    """The nearest value within [low, high]."""
    return min(low, max(value, high))


def rescale(value, source, target):
    """Map a value linearly from one range to another."""
    (a, b), (c, d) = source, target
    return c + (value - a) * (d - c) / (b - a)


def snap(value, step):
    """The nearest multiple of a step."""
    return round(value / step) * step


def slider_position(value, low, high, width):
    """Pixel of a slider for a value, kept within the track."""
    return round(rescale(clamp(value, low, high), (low, high), (0, width - 1)))
''',
        "min(low, max(value, high))",
        "max(low, min(value, high))",
    ),
    (
        "chinese_remainders",
        r'''from math import gcd


def combine(first, second):
    """Merge x = r1 mod m1 and x = r2 mod m2 into one congruence."""
    (r1, m1), (r2, m2) = first, second
    common = gcd(m1, m2)
    if (r2 - r1) % common:
        return None
    step = (r2 - r1) // common * pow(m1 // common, -1, m2 // common)
    modulus = m1 * m2
    return (r1 + m1 * step) % modulus, modulus


def solve(congruences):
    """Smallest non-negative solution of all (remainder, modulus), or None."""
    state = (0, 1)
    for congruence in congruences:
        state = combine(state, congruence)
        if state is None:
            return None
    return state[0]
''',
        "modulus = m1 * m2",
        "modulus = m1 // common * m2",
    ),
    (
        "quadratic_roots",
        r'''import math


def real_roots(a, b, c):
    """The real roots of a x^2 + b x + c, in ascending order."""
    if a == 0:
        if b == 0:
            return []
        return [-c / b]
    discriminant = b * b - 4 * a * c
    if discriminant < 0:
        return []
    if discriminant == 0:
        return [-b / (2 * a)]
    root = math.sqrt(discriminant)
    return sorted([(-b - root) / 2 * a, (-b + root) / (2 * a)])


def vertex(a, b, c):
    """The turning point of the parabola."""
    x = -b / (2 * a)
    return x, a * x * x + b * x + c
''',
        "(-b - root) / 2 * a",
        "(-b - root) / (2 * a)",
    ),
    (
        "rectangle_geometry",
        r'''class Rect:
    """Axis-parallel rectangle with corner (x, y) and a size."""

    def __init__(self, x, y, width, height):
        self.x, self.y = x, y
        self.width, self.height = width, height

    def contains(self, px, py):
        """Whether a point lies inside; the far edges do not belong."""
        return (self.x <= px < self.x + self.width
                and self.y <= py < self.y + self.width)

    def overlap(self, other):
        """The common part of two rectangles, or None."""
        left = max(self.x, other.x)
        top = max(self.y, other.y)
        right = min(self.x + self.width, other.x + other.width)
        bottom = min(self.y + self.height, other.y + other.height)
        if left >= right or top >= bottom:
            return None
        return Rect(left, top, right - left, bottom - top)

    def area(self):
        return self.width * self.height
''',
        "py < self.y + self.width",
        "py < self.y + self.height",
    ),
    (
        "polygon_measures",
        r'''import math


def edges(points):
    """Pairs of neighbouring corners, the last joined to the first."""
    return zip(points, points[1:] + points[:1])


def area(points):
    """Area of a simple polygon by the shoelace formula."""
    twice = sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in edges(points))
    return abs(twice) / 2


def perimeter(points):
    return sum(math.dist(p, q) for p, q in edges(points))


def is_convex(points):
    """Whether all turns go the same way."""
    turns = set()
    for (x0, y0), (x1, y1), (x2, y2) in zip(
            points, points[1:] + points[:1], points[2:] + points[:1]):
        cross = (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1)
        if cross != 0:
            turns.add(cross > 0)
    return len(turns) <= 1
''',
        "points[2:] + points[:1]",
        "points[2:] + points[:2]",
    ),
    (
        "continued_fractions",
        r'''from fractions import Fraction


def expand(number):
    """Terms of the continued fraction of a rational number."""
    terms = []
    top, bottom = number.numerator, number.denominator
    while bottom:
        whole = top // bottom
        terms.append(whole)
        top, bottom = bottom, whole
    return terms


def collapse(terms):
    """The number with the given continued fraction."""
    value = Fraction(terms[-1])
    for term in reversed(terms[:-1]):
        value = term + 1 / value
    return value


def approximations(number):
    """The convergents, ending with the number itself."""
    terms = expand(number)
    return [collapse(terms[:i]) for i in range(1, len(terms) + 1)]
''',
        "top, bottom = bottom, whole",
        "top, bottom = bottom, top - whole * bottom",
    ),
    (
        "rgb_colours",
        r'''def parse_hex(text):
    """(r, g, b) of a colour such as "#0a3" or "#00aa33"."""
    digits = text.lstrip("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return tuple(int(digits[i:i + 2], 16) for i in (0, 2, 4))


def mix(first, second, share):
    """Blend two colours; share 0 gives the first, 1 the second."""
    return tuple(round(a + (b - a) * share) for a, b in zip(first, second))


def luminance(colour):
    """Relative luminance after undoing the gamma curve."""
    linear = []
    for channel in colour:
        c = channel / 256
        linear.append(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)
''',
        "channel / 256",
        "channel / 255",
    ),
    (
        "bfs_shortest_route",
        r'''from collections import deque


def shortest_route(links, start, goal):
    """Fewest-steps route between two stations, or None."""
    came_from = {start: None}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if here == goal:
            break
        for neighbour in links.get(here, ()):
            if neighbour not in came_from:
                came_from[neighbour] = here
                waiting.append(neighbour)
    if goal not in came_from:
        return None
    route = []
    while goal is not None:
        route.append(goal)
        goal = came_from[goal]
    return route
''',
        "return route",
        "return route[::-1]",
    ),
    (
        "dfs_preorder",
        r'''def visit_order(graph, start):
    """Depth-first order without recursion, neighbours as listed."""
    order = []
    seen = set()
    stack = [start]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        order.append(node)
        stack.extend(graph.get(node, ()))
    return order


def reachable(graph, start, goal):
    return goal in visit_order(graph, start)
''',
        "stack.extend(graph.get(node, ()))",
        "stack.extend(reversed(graph.get(node, ())))",
    ),
    (
        "dijkstra_roads",
        r'''import heapq


def distances(roads, start):
    """Shortest distance from start to every town that can be reached.

    `roads` maps a town to a dictionary {neighbour: length}.
    """
    settled = {}
    heap = [(0, start)]
    while heap:
        so_far, town = heapq.heappop(heap)
        if town in settled:
            continue
        settled[town] = so_far
        for neighbour, length in roads.get(town, {}).items():
            if neighbour not in settled:
                heapq.heappush(heap, (length, neighbour))
    return settled


def farthest(roads, start):
    reached = distances(roads, start)
    return max(reached, key=reached.get)
''',
        "heapq.heappush(heap, (length, neighbour))",
        "heapq.heappush(heap, (so_far + length, neighbour))",
    ),
    (
        "topological_kahn",
        r'''from collections import deque


def build_order(needs):
    """Order in which to build packages; `needs` maps each to its needs."""
    waiting_for = {package: set(wanted) for package, wanted in needs.items()}
    used_by = {}
    for package, wanted in needs.items():
        for other in wanted:
            used_by.setdefault(other, []).append(package)
            waiting_for.setdefault(other, set())
    ready = deque(sorted(p for p, left in waiting_for.items() if not left))
    order = []
    while ready:
        package = ready.popleft()
        order.append(package)
        for user in used_by.get(package, ()):
            waiting_for[user].discard(package)
            if not waiting_for[package]:
                ready.append(user)
    if len(order) < len(waiting_for):
        raise ValueError("circular needs")
    return order
''',
        "if not waiting_for[package]:",
        "if not waiting_for[user]:",
    ),
    (
        "cycle_finder_colours",
        r'''def find_cycle(graph):
    """A list of nodes forming a directed cycle, or None."""
    state = {}
    path = []

    def visit(node):
        state[node] = "open"
        path.append(node)
        for target in graph.get(node, ()):
            if state.get(target) == "open":
                return path[path.index(node):]
            if target not in state:
                cycle = visit(target)
                if cycle:
                    return cycle
        path.pop()
        state[node] = "done"
        return None

    for node in graph:
        if node not in state:
            cycle = visit(node)
            if cycle:
                return cycle
    return None
''',
        "path[path.index(node):]",
        "path[path.index(target):]",
    ),
    (
        "kosaraju_components",
        r'''def reverse(graph):
    """The graph with all edges turned round."""
    turned = {node: [] for node in graph}
    for node, targets in graph.items():
        for target in targets:
            turned.setdefault(target, []).append(node)
    return turned


def _collect(graph, node, seen, out):
    seen.add(node)
    for target in graph.get(node, ()):
        if target not in seen:
            _collect(graph, target, seen, out)
    out.append(node)


def strong_components(graph):
    """The strongly connected components as sets."""
    finished, seen = [], set()
    for node in graph:
        if node not in seen:
            _collect(graph, node, seen, finished)
    turned, seen, components = reverse(graph), set(), []
    for node in finished:
        if node not in seen:
            component = []
            _collect(turned, node, seen, component)
            components.append(set(component))
    return components
''',
        "for node in finished:",
        "for node in reversed(finished):",
    ),
    (
        "two_teams",
        r'''def two_teams(rivalries):
    """Split people into two teams without rivals in the same team.

    `rivalries` is a list of pairs; returns two sorted lists, or None.
    """
    rivals = {}
    for a, b in rivalries:
        rivals.setdefault(a, set()).add(b)
        rivals.setdefault(b, set()).add(a)
    team = {}
    for person in rivals:
        if person in team:
            continue
        team[person] = 0
        stack = [person]
        while stack:
            current = stack.pop()
            for rival in rivals[current]:
                if rival not in team:
                    team[rival] = 1 - team[person]
                    stack.append(rival)
                elif team[rival] == team[current]:
                    return None
    return [sorted(p for p in team if team[p] == side) for side in (0, 1)]
''',
        "team[rival] = 1 - team[person]",
        "team[rival] = 1 - team[current]",
    ),
    (
        "kruskal_cables",
        r'''def cheapest_cables(houses, offers):
    """Choose the cheapest cables which connect all the houses.

    `offers` holds (cost, house, house); returns the cost and the cables,
    or None if the houses cannot be connected.
    """
    leader = {house: house for house in houses}

    def find(house):
        while leader[house] != house:
            house = leader[house]
        return house

    total = 0
    chosen = []
    for cost, a, b in sorted(offers):
        root_a, root_b = find(a), find(b)
        if root_a != root_b:
            leader[a] = root_b
            total += cost
            chosen.append((a, b))
    if len(chosen) < len(houses) - 1:
        return None
    return total, chosen
''',
        "leader[a] = root_b",
        "leader[root_a] = root_b",
    ),
    (
        "prim_growth",
        r'''import heapq


def spanning_tree(graph, start):
    """Edges (from, to, weight) of a minimum spanning tree by Prim.

    `graph` maps a node to a list of (neighbour, weight).
    """
    inside = {start}
    border = [(weight, start, node) for node, weight in graph[start]]
    heapq.heapify(border)
    tree = []
    while border:
        weight, source, node = heapq.heappop(border)
        if node in inside:
            continue
        inside.add(node)
        tree.append((source, node, weight))
        for neighbour, cost in graph[node]:
            if neighbour not in inside:
                heapq.heappush(border, (weight, node, neighbour))
    return tree


def tree_weight(tree):
    return sum(weight for _, _, weight in tree)
''',
        "(weight, node, neighbour)",
        "(cost, node, neighbour)",
    ),
    (
        "floyd_all_pairs",
        r'''INFINITY = float("inf")


def all_distances(nodes, edges):
    """Shortest distances between all pairs of nodes.

    `edges` maps (from, to) to a length.
    """
    distance = {(a, b): INFINITY for a in nodes for b in nodes}
    distance.update(edges)
    for node in nodes:
        distance[node, node] = 0
    for middle in nodes:
        for a in nodes:
            for b in nodes:
                detour = distance[a, middle] + distance[b, middle]
                if detour < distance[a, b]:
                    distance[a, b] = detour
    return distance


def eccentricity(nodes, distance, node):
    return max(distance[node, other] for other in nodes)
''',
        "distance[b, middle]",
        "distance[middle, b]",
    ),
    (
        "bellman_ford_arbitrage",
        r'''class ArbitrageError(Exception):
    """Raised when money can be made by changing it in a circle."""


def best_rates(rates, start):
    """Best rates at which one currency can be changed into the others.

    `rates` maps (from, to) to a rate; changing may take several steps.
    """
    currencies = {name for pair in rates for name in pair}
    best = dict.fromkeys(currencies, 0.0)
    best[start] = 1.0
    for _ in currencies:
        changed = False
        for (source, target), rate in rates.items():
            offer = best[source] * rate
            if offer > best[target] * (1 + 1e-12):
                best[target] = rate
                changed = True
        if not changed:
            return best
    raise ArbitrageError(start)


def convert(amount, rates, source, target):
    return amount * best_rates(rates, source)[target]
''',
        "best[target] = rate",
        "best[target] = offer",
    ),
    (
        "friend_circles",
        r'''def circles(people, friendships):
    """Groups of people connected by friendships, biggest first."""
    friends = {person: set() for person in people}
    for a, b in friendships:
        friends[a].add(b)
        friends[b].add(b)
    unseen = set(people)
    groups = []
    while unseen:
        stack = [unseen.pop()]
        group = set()
        while stack:
            person = stack.pop()
            group.add(person)
            new = friends[person] & unseen
            unseen -= new
            stack.extend(new)
        groups.append(group)
    return sorted(groups, key=len, reverse=True)


def is_connected(people, friendships):
    return len(circles(people, friendships)) <= 1
''',
        "friends[b].add(b)",
        "friends[b].add(a)",
    ),
    (
        "maze_path_length",
        r'''from collections import deque


def steps_to_exit(maze):
    """Fewest steps from S to E in a maze of text lines, or -1."""
    cells = {(r, c): char
             for r, line in enumerate(maze) for c, char in enumerate(line)}
    start = next(cell for cell, char in cells.items() if char == "S")
    distance = {start: 0}
    queue = deque([start])
    while queue:
        r, c = queue.popleft()
        if cells[r, c] == "E":
            return distance[r, c]
        for cell in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if cells[cell] != "#" and cell not in distance:
                distance[cell] = distance[r, c] + 1
                queue.append(cell)
    return -1
''',
        'cells[cell] != "#" and',
        'cells.get(cell, "#") != "#" and',
    ),
    (
        "island_areas",
        r'''def island_areas(rows):
    """Areas of the islands on a map where "~" is water, descending.

    Land touching diagonally belongs together.
    """
    land = {(r, c) for r, row in enumerate(rows)
            for c, char in enumerate(row) if char != "~"}
    areas = []
    while land:
        stack = [land.pop()]
        area = 1
        while stack:
            r, c = stack.pop()
            area += 1
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    cell = (r + dr, c + dc)
                    if cell in land:
                        land.remove(cell)
                        stack.append(cell)
        areas.append(area)
    return sorted(areas, reverse=True)
''',
        "area = 1",
        "area = 0",
    ),
    (
        "euler_trail",
        r'''def euler_trail(edges):
    """A trail using every undirected edge once, or None if impossible."""
    if not edges:
        return []
    links = {}
    for i, (a, b) in enumerate(edges):
        links.setdefault(a, []).append((b, i))
        links.setdefault(b, []).append((a, i))
    odd = [node for node, ends in links.items() if len(ends) % 2]
    if len(odd) not in (0, 2):
        return None
    used = set()
    stack = [next(iter(links))]
    trail = []
    while stack:
        node = stack[-1]
        while links[node] and links[node][-1][1] in used:
            links[node].pop()
        if links[node]:
            neighbour, i = links[node].pop()
            used.add(i)
            stack.append(neighbour)
        else:
            trail.append(stack.pop())
    return trail if len(trail) == len(edges) + 1 else None
''',
        "stack = [next(iter(links))]",
        "stack = [odd[0] if odd else next(iter(links))]",
    ),
    (
        "weak_routers",
        r'''def weak_points(network):
    """Routers whose failure would split a connected network."""
    number, low = {}, {}
    weak = set()

    def visit(node, parent):
        number[node] = low[node] = len(number)
        children = 0
        for other in network[node]:
            if other == parent:
                continue
            if other in number:
                low[node] = min(low[node], number[other])
                continue
            children += 1
            visit(other, node)
            low[node] = min(low[node], low[other])
            if parent is not None and low[other] > number[node]:
                weak.add(node)
        if parent is None and children > 1:
            weak.add(node)

    for node in network:
        if node not in number:
            visit(node, None)
    return weak
''',
        "low[other] > number[node]",
        "low[other] >= number[node]",
    ),
    (
        "bridge_edges",
        r'''def bridges(graph):
    """Edges of an undirected graph that lie on no cycle."""
    depth = {}
    found = []

    def explore(node, parent, level):
        depth[node] = level
        highest = level
        for other in graph[node]:
            if other == parent:
                continue
            if other in depth:
                highest = min(highest, depth[other])
            else:
                reach = explore(other, node, level + 1)
                if reach > level:
                    found.append(tuple(sorted((node, other))))
                highest = reach
        return highest

    for node in graph:
        if node not in depth:
            explore(node, None, 0)
    return sorted(found)
''',
        "highest = reach",
        "highest = min(highest, reach)",
    ),
    (
        "max_flow_pipes",
        r'''from collections import deque


def max_flow(pipes, source, sink):
    """Greatest flow through pipes {(from, to): capacity}."""
    residual = dict(pipes)
    for a, b in pipes:
        residual.setdefault((b, a), 0)
    neighbours = {}
    for a, b in residual:
        neighbours.setdefault(a, []).append(b)
    total = 0
    while True:
        before = {source: None}
        queue = deque([source])
        while queue and sink not in before:
            node = queue.popleft()
            for other in neighbours.get(node, ()):
                if other not in before and residual[node, other] > 0:
                    before[other] = node
                    queue.append(other)
        if sink not in before:
            return total
        path, node = [], sink
        while before[node] is not None:
            path.append((before[node], node))
            node = before[node]
        amount = min(residual[edge] for edge in path)
        for a, b in path:
            residual[a, b] -= amount
            residual[a, b] += amount
        total += amount
''',
        "residual[a, b] += amount",
        "residual[b, a] += amount",
    ),
    (
        "job_matching",
        r'''def assign_jobs(skills):
    """Give as many workers as possible a job of their own.

    `skills` maps a worker to the jobs the worker can do.
    """
    worker_of = {}

    def try_assign(worker, tried):
        for job in skills[worker]:
            if job in tried:
                continue
            tried.add(job)
            holder = worker_of.get(job)
            if holder is None or try_assign(worker, tried):
                worker_of[job] = worker
                return True
        return False

    for worker in skills:
        try_assign(worker, set())
    return {worker: job for job, worker in worker_of.items()}
''',
        "or try_assign(worker, tried)",
        "or try_assign(holder, tried)",
    ),
    (
        "a_star_grid",
        r'''import heapq


def path_cost(costs, start, goal):
    """Cheapest way over a grid of entry costs (each at least 1)."""

    def estimate(cell):
        return abs(cell[0] - goal[0]) + abs(cell[1] - goal[1])

    best = {start: 0}
    heap = [(estimate(start), start)]
    while heap:
        _, cell = heapq.heappop(heap)
        if cell == goal:
            return best[cell]
        r, c = cell
        for nr, nc in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if not (0 <= nr < len(costs) and 0 <= nc < len(costs[0])):
                continue
            cost = best[cell] + costs[r][c]
            if cost < best.get((nr, nc), float("inf")):
                best[nr, nc] = cost
                heapq.heappush(heap, (cost + estimate((nr, nc)), (nr, nc)))
    return None
''',
        "best[cell] + costs[r][c]",
        "best[cell] + costs[nr][nc]",
    ),
    (
        "word_ladder",
        r'''from collections import deque


def neighbours(word, words):
    """Known words which differ from the word in one letter."""
    return [other for other in words
            if len(other) == len(word)
            and sum(a != b for a, b in zip(word, other)) <= 1]


def ladder_length(first, last, words):
    """Number of words on the shortest ladder, both ends counted; or 0."""
    if last not in words:
        return 0
    queue = deque([(first, 1)])
    unused = set(words) - {first}
    while queue:
        word, length = queue.popleft()
        if word == last:
            return length
        for other in neighbours(word, unused):
            unused.remove(other)
            queue.append((other, length))
    return 0
''',
        "queue.append((other, length))",
        "queue.append((other, length + 1))",
    ),
    (
        "transitive_imports",
        r'''def all_imports(imports):
    """Map every module to all modules it imports, directly or not."""
    closure = {module: set(direct) for module, direct in imports.items()}
    changed = True
    while changed:
        changed = False
        for module, known in closure.items():
            more = set()
            for other in known:
                more |= closure.get(other, set())
            if not more < known:
                known |= more
                changed = True
    return closure


def cyclic_modules(imports):
    """Modules which import themselves by some way round."""
    return {m for m, known in all_imports(imports).items() if m in known}
''',
        "if not more < known:",
        "if not more <= known:",
    ),
    (
        "tree_diameter",
        r'''def farthest_from(tree, start):
    """The node farthest from the start and its distance.

    The tree maps a node to {neighbour: length}.
    """
    best_node, best_length = start, 0
    stack = [(start, None, 0)]
    while stack:
        node, origin, length = stack.pop()
        if length > best_length:
            best_node, best_length = node, length
        for neighbour, step in tree[node].items():
            if neighbour != origin:
                stack.append((neighbour, node, length + step))
    return best_node, best_length


def diameter(tree):
    """The two nodes farthest apart, and the distance between them."""
    one, _ = farthest_from(tree, next(iter(tree)))
    other, length = farthest_from(tree, next(iter(tree)))
    return one, other, length
''',
        "other, length = farthest_from(tree, next(iter(tree)))",
        "other, length = farthest_from(tree, one)",
    ),
    (
        "page_rank",
        r'''def page_rank(links, damping=0.85, rounds=50):
    """Importance of pages from a mapping page -> pages it links to.

    Pages without links share their rank among all pages.
    """
    pages = list(links)
    rank = dict.fromkeys(pages, 1 / len(pages))
    for _ in range(rounds):
        loose = sum(rank[page] for page in pages if not links[page])
        base = (1 - damping + damping * loose) / len(pages)
        new = dict.fromkeys(pages, base)
        for page, targets in links.items():
            for target in targets:
                new[target] += damping * rank[page] / len(links[target])
        rank = new
    return rank


def ranking(links):
    rank = page_rank(links)
    return sorted(rank, key=rank.get, reverse=True)
''',
        "len(links[target])",
        "len(targets)",
    ),
    (
        "within_k_steps",
        r'''def within(graph, start, limit):
    """Nodes at most `limit` steps away, mapped to their distance."""
    distance = {start: 0}
    layer = {start}
    for step in range(limit):
        following = set()
        for node in layer:
            for neighbour in graph.get(node, ()):
                if neighbour not in distance:
                    distance[neighbour] = step + 1
                    following.add(neighbour)
        layer = following
    return distance


def layer_sizes(graph, start, limit):
    """How many nodes are at each distance."""
    sizes = [0] * limit
    for steps in within(graph, start, limit).values():
        sizes[steps] += 1
    return sizes
''',
        "[0] * limit",
        "[0] * (limit + 1)",
    ),
    (
        "critical_path",
        r'''def project_plan(tasks):
    """Earliest start and end of every task.

    `tasks` maps a name to (duration, names of tasks to finish before).
    """
    plan = {}

    def schedule(name):
        if name not in plan:
            duration, before = tasks[name]
            start = min((schedule(other)[1] for other in before), default=0)
            plan[name] = (start, start + duration)
        return plan[name]

    for name in tasks:
        schedule(name)
    return plan


def project_length(tasks):
    return max(end for _, end in project_plan(tasks).values())
''',
        "min((schedule",
        "max((schedule",
    ),
    (
        "greedy_timetable",
        r'''def timetable(clashes):
    """Give each course a slot so that clashing courses differ.

    `clashes` maps a course to the courses it clashes with; courses with
    many clashes are placed first.
    """
    slot = {}
    order = sorted(clashes, key=lambda course: (-len(clashes[course]), course))
    for course in order:
        taken = {slot[other] for other in clashes[course] if other in slot}
        number = 0
        while number in taken:
            number += 1
        slot[course] = len(taken)
    return slot


def slots_needed(clashes):
    return len(set(timetable(clashes).values()))
''',
        "slot[course] = len(taken)",
        "slot[course] = number",
    ),
    (
        "clone_linked_nodes",
        r'''class Node:
    """A node with a label and outgoing links."""

    def __init__(self, label):
        self.label = label
        self.links = []


def clone(start):
    """Copy everything that can be reached from a node."""
    copies = {start: Node(start.label)}
    stack = [start]
    while stack:
        node = stack.pop()
        for target in node.links:
            if target not in copies:
                copies[target] = Node(target.label)
                stack.append(target)
            copies[node].links.append(target)
    return copies[start]
''',
        "copies[node].links.append(target)",
        "copies[node].links.append(copies[target])",
    ),
    (
        "is_tree_check",
        r'''def is_tree(nodes, edges):
    """Whether an undirected graph is connected and has no cycle."""
    if not nodes or len(edges) > len(nodes) - 1:
        return False
    links = {node: [] for node in nodes}
    for a, b in edges:
        links[a].append(b)
        links[b].append(a)
    start = next(iter(links))
    seen = {start}
    stack = [start]
    while stack:
        for neighbour in links[stack.pop()]:
            if neighbour not in seen:
                seen.add(neighbour)
                stack.append(neighbour)
    return len(seen) <= len(nodes)
''',
        "len(seen) <= len(nodes)",
        "len(seen) == len(nodes)",
    ),
    (
        "widest_path",
        r'''import heapq


def widest_path(roads, start, goal):
    """Highest load that can go from start to goal; 0 if none can.

    `roads` maps a place to {neighbour: greatest load of the road}.
    """
    best = {start: float("inf")}
    heap = [(-best[start], start)]
    while heap:
        load, place = heapq.heappop(heap)
        load = -load
        if place == goal:
            return load
        if load < best[place]:
            continue
        for neighbour, limit in roads.get(place, {}).items():
            possible = max(load, limit)
            if possible > best.get(neighbour, 0):
                best[neighbour] = possible
                heapq.heappush(heap, (-possible, neighbour))
    return 0
''',
        "max(load, limit)",
        "min(load, limit)",
    ),
    (
        "count_dag_paths",
        r'''def count_paths(graph, start, goal):
    """Number of different paths between two nodes of an acyclic graph."""
    memo = {goal: 1}

    def count(node):
        if node not in memo:
            memo[node] = sum(count(other) for other in graph.get(node, ()))
        return memo[node]

    return count(start)


def longest_path(graph, start):
    """Number of edges on the longest path from a node."""
    lengths = {}

    def length(node):
        if node not in lengths:
            targets = graph.get(node, ())
            lengths[node] = max((length(t) for t in targets), default=0) + 1
        return lengths[node]

    return length(start)
''',
        "max((length(t) for t in targets), default=0) + 1",
        "max((length(t) + 1 for t in targets), default=0)",
    ),
    (
        "friend_suggestions",
        r'''from collections import Counter


def suggestions(friends, person, limit=3):
    """People who share the most friends with a person.

    `friends` maps a person to a set of friends. Ties go by name.
    """
    mutual = Counter()
    for friend in friends[person]:
        for candidate in friends[friend]:
            if candidate != person or candidate not in friends[person]:
                mutual[candidate] += 1
    ranked = sorted(mutual, key=lambda name: (-mutual[name], name))
    return ranked[:limit]


def shared(friends, a, b):
    """The friends whom two people have in common."""
    return friends[a] & friends[b]
''',
        "candidate != person or candidate",
        "candidate != person and candidate",
    ),
    (
        "knight_moves",
        r'''from collections import deque

JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 1)]


def knight_distance(start, goal, size=8):
    """Fewest moves of a knight between two squares like "a1", or None."""
    start, goal = square(start), square(goal)
    distance = {start: 0}
    queue = deque([start])
    while queue:
        x, y = queue.popleft()
        if (x, y) == goal:
            return distance[x, y]
        for dx, dy in JUMPS:
            place = (x + dx, y + dy)
            inside = all(0 <= v < size for v in place)
            if inside and place not in distance:
                distance[place] = distance[x, y] + 1
                queue.append(place)
    return None


def square(name):
    return ord(name[0]) - ord("a"), int(name[1:]) - 1
''',
        "(-2, 1), (-1, 1)]",
        "(-2, 1), (-1, 2)]",
    ),
    (
        "nearest_hospital",
        r'''from collections import deque


def nearest(graph, hospitals):
    """For each village the nearest hospital and the steps to it.

    All hospitals start a common search; earlier ones win ties.
    """
    found = {}
    queue = deque()
    for hospital in hospitals:
        found[hospital] = (hospital, 0)
        queue.append(hospital)
    while queue:
        village = queue.pop()
        hospital, steps = found[village]
        for neighbour in graph[village]:
            if neighbour not in found:
                found[neighbour] = (hospital, steps + 1)
                queue.append(neighbour)
    return found


def load(found):
    """How many villages each hospital serves."""
    counts = {}
    for hospital, _ in found.values():
        counts[hospital] = counts.get(hospital, 0) + 1
    return counts
''',
        "queue.pop()",
        "queue.popleft()",
    ),
    (
        "account_overdraft",
        r'''class Account:
    """Bank account in cents with an overdraft limit."""

    def __init__(self, owner, overdraft=0):
        self.owner = owner
        self.overdraft = overdraft
        self.balance = 0
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        if self.balance - amount < self.overdraft:
            raise ValueError("insufficient funds")
        self.balance -= amount
        self.history.append(("withdrawal", amount))

    def transfer(self, other, amount):
        self.withdraw(amount)
        other.deposit(amount)
''',
        "self.balance - amount < self.overdraft",
        "self.balance - amount < -self.overdraft",
    ),
    (
        "elevator_stops",
        r'''class Elevator:
    """An elevator which keeps its direction while stops lie ahead."""

    def __init__(self, floor=0):
        self.floor = floor
        self.direction = 1
        self.stops = set()

    def call(self, floor):
        if floor != self.floor:
            self.stops.add(floor)

    def step(self):
        """Move one floor; return True when the doors open."""
        if not self.stops:
            return False
        ahead = [f for f in self.stops if (f - self.floor) * self.direction > 0]
        if ahead:
            self.direction = -self.direction
        self.floor += self.direction
        if self.floor in self.stops:
            self.stops.remove(self.floor)
            return True
        return False
''',
        "if ahead:",
        "if not ahead:",
    ),
    (
        "vending_machine",
        r'''class VendingMachine:
    """Sells snacks and gives change."""

    def __init__(self, prices, stock):
        self.prices = dict(prices)
        self.stock = dict(stock)
        self.credit = 0
        self.income = 0

    def insert(self, coin):
        if coin not in (5, 10, 20, 50, 100, 200):
            raise ValueError("unknown coin")
        self.credit += coin

    def buy(self, snack):
        """Return the change; raise if the sale is impossible."""
        price = self.prices[snack]
        if self.stock.get(snack, 0) == 0:
            raise LookupError("sold out")
        if self.credit < price:
            raise ValueError(f"{price - self.credit} missing")
        self.stock[snack] -= 1
        self.income += self.credit
        return self.refund(price)

    def refund(self, price=0):
        change, self.credit = self.credit - price, 0
        return change
''',
        "self.income += self.credit",
        "self.income += price",
    ),
    (
        "token_bucket",
        r'''class TokenBucket:
    """Allows bursts up to `capacity` and `rate` requests per second."""

    def __init__(self, rate, capacity, now=0.0):
        self.rate = rate
        self.capacity = capacity
        self.tokens = float(capacity)
        self.updated = now

    def _refill(self, now):
        gained = (now - self.updated) * self.rate
        self.tokens = self.tokens + gained
        self.updated = now

    def allow(self, now, cost=1):
        """Take tokens for a request if there are enough."""
        self._refill(now)
        if self.tokens < cost:
            return False
        self.tokens -= cost
        return True

    def wait_time(self, cost=1):
        """Seconds until a request of this cost could pass."""
        return max(0.0, (cost - self.tokens) / self.rate)
''',
        "self.tokens = self.tokens + gained",
        "self.tokens = min(self.capacity, self.tokens + gained)",
    ),
    (
        "circuit_breaker",
        r'''class CircuitOpen(Exception):
    pass


class CircuitBreaker:
    """Stops calling a failing service for a while."""

    def __init__(self, limit, pause, clock):
        self.limit = limit
        self.pause = pause
        self.clock = clock
        self.failures = 0
        self.opened_at = None

    def call(self, function, *args):
        if self.opened_at is not None:
            if self.clock() - self.opened_at < self.pause:
                raise CircuitOpen
            self.opened_at = None
        try:
            result = function(*args)
        except Exception:
            self.failures += 1
            if self.failures >= self.limit:
                self.opened_at = self.clock()
            raise
        self.failures -= 1
        return result
''',
        "self.failures -= 1",
        "self.failures = 0",
    ),
    (
        "stopwatch_laps",
        r'''class Stopwatch:
    """Stopwatch with laps; the clock is a function returning seconds."""

    def __init__(self, clock):
        self.clock = clock
        self.started = None
        self.collected = 0.0
        self.laps = []

    def start(self):
        if self.started is None:
            self.started = self.clock()

    def stop(self):
        if self.started is not None:
            self.collected = self.clock() - self.started
            self.started = None

    def elapsed(self):
        running = 0.0 if self.started is None else self.clock() - self.started
        return self.collected + running

    def lap(self):
        """Note the time since the last lap and return it."""
        duration = self.elapsed() - sum(self.laps)
        self.laps.append(duration)
        return duration
''',
        "self.collected = self.clock() - self.started",
        "self.collected += self.clock() - self.started",
    ),
    (
        "event_emitter",
        r'''class Emitter:
    """Calls the listeners registered for named events."""

    def __init__(self):
        self._listeners = {}

    def on(self, event, listener):
        self._listeners.setdefault(event, []).append(listener)

    def off(self, event, listener):
        self._listeners[event].remove(listener)

    def once(self, event, listener):
        """Register a listener which is removed after its first call."""
        def wrapper(*args):
            self.off(event, wrapper)
            listener(*args)
        self.on(event, wrapper)

    def emit(self, event, *args):
        """Call the listeners in order; return how many there were."""
        count = 0
        for listener in self._listeners.get(event, []):
            listener(*args)
            count += 1
        return count
''',
        "self._listeners.get(event, []):",
        "list(self._listeners.get(event, [])):",
    ),
    (
        "undo_redo_history",
        r'''class History:
    """Undo and redo for a value that is replaced as a whole."""

    def __init__(self, value, limit=100):
        self.value = value
        self.limit = limit
        self._past = []
        self._future = []

    def set(self, value):
        self._past.append(self.value)
        del self._past[:-self.limit]
        self._past.clear()
        self.value = value

    def undo(self):
        if not self._past:
            return False
        self._future.append(self.value)
        self.value = self._past.pop()
        return True

    def redo(self):
        if not self._future:
            return False
        self._past.append(self.value)
        self.value = self._future.pop()
        return True
''',
        "self._past.clear()",
        "self._future.clear()",
    ),
    (
        "stock_reservations",
        r'''class Warehouse:
    """Stock with reservations for orders not yet shipped."""

    def __init__(self):
        self.on_hand = {}
        self.reserved = {}

    def receive(self, item, count):
        self.on_hand[item] = self.on_hand.get(item, 0) + count

    def available(self, item):
        held = sum(order.get(item, 0) for order in self.reserved.values())
        return self.on_hand.get(item, 0) - held

    def reserve(self, order_id, wanted):
        """Reserve all the items of an order, or none of them."""
        if any(self.available(item) < n for item, n in wanted.items()):
            return False
        self.reserved[order_id] = dict(wanted)
        return True

    def ship(self, order_id):
        for item, count in self.reserved[order_id].items():
            self.on_hand[item] -= count

    def cancel(self, order_id):
        self.reserved.pop(order_id, None)
''',
        "in self.reserved[order_id].items():",
        "in self.reserved.pop(order_id).items():",
    ),
    (
        "parking_garage",
        r'''class Garage:
    """Parking garage which charges per started hour."""

    def __init__(self, places, hourly=250, daily=2000):
        self.free = list(range(1, places + 1))
        self.hourly = hourly
        self.daily = daily
        self.parked = {}

    def enter(self, plate, minute):
        """Return the place for a car, or None if the garage is full."""
        if not self.free:
            return None
        place = min(self.free)
        self.free.remove(place)
        self.parked[plate] = (place, minute)
        return place

    def leave(self, plate, minute):
        """Free the place and return the fee in cents."""
        place, since = self.parked.pop(plate)
        self.free.append(place)
        days, rest = divmod(minute - since, 24 * 60)
        hours = rest // 60
        return days * self.daily + min(self.daily, hours * self.hourly)
''',
        "hours = rest // 60",
        "hours = -(-rest // 60)",
    ),
    (
        "game_of_life",
        r'''class Life:
    """Conway's Game of Life on an unlimited plane."""

    def __init__(self, alive):
        self.alive = set(alive)
        self.generation = 0

    def neighbours(self, cell):
        x, y = cell
        return {(x + dx, y + dy)
                for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy}

    def step(self):
        candidates = set(self.alive)
        for cell in self.alive:
            candidates |= self.neighbours(cell)
        following = set()
        for cell in candidates:
            count = len(self.neighbours(cell) & self.alive)
            if count == 3 or count == 2 and cell in candidates:
                following.add(cell)
        self.alive = following
        self.generation += 1
''',
        "count == 2 and cell in candidates",
        "count == 2 and cell in self.alive",
    ),
    (
        "tic_tac_toe",
        r'''class Board:
    """Tic-tac-toe on squares 0 to 8."""

    LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7),
             (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    def __init__(self):
        self.squares = [" "] * 9
        self.turn = "X"

    def play(self, square):
        if self.squares[square] != " " or self.winner():
            raise ValueError("illegal move")
        self.squares[square] = self.turn
        self.turn = "O" if self.turn == "X" else "X"

    def winner(self):
        for a, b, c in self.LINES:
            if self.squares[a] == self.squares[b] == self.squares[c]:
                return self.squares[a]
        return None

    def is_draw(self):
        return self.winner() is None and " " not in self.squares
''',
        "if self.squares[a] == self.squares[b] == self.squares[c]:",
        'if " " != self.squares[a] == self.squares[b] == self.squares[c]:',
    ),
    (
        "paginator",
        r'''class Paginator:
    """Serves a list in numbered pages, starting with 1."""

    def __init__(self, items, per_page=10):
        self.items = items
        self.per_page = per_page

    @property
    def page_count(self):
        return max(1, len(self.items) // self.per_page)

    def page(self, number):
        if not 1 <= number <= self.page_count:
            raise ValueError("no such page")
        start = (number - 1) * self.per_page
        return self.items[start:start + self.per_page]

    def links(self, current, around=2):
        """Page numbers to show near the current page."""
        first = max(1, current - around)
        last = min(self.page_count, current + around)
        return list(range(first, last + 1))
''',
        "len(self.items) // self.per_page",
        "-(-len(self.items) // self.per_page)",
    ),
    (
        "ttl_cache_store",
        r'''class TTLCache:
    """Entries which expire some seconds after they were stored."""

    def __init__(self, lifetime, clock):
        self.lifetime = lifetime
        self.clock = clock
        self._entries = {}

    def set(self, key, value, lifetime=None):
        expires = self.clock() + (lifetime or self.lifetime)
        self._entries[key] = (value, expires)

    def get(self, key, default=None):
        if key not in self._entries:
            return default
        value, expires = self._entries[key]
        if self.clock() >= expires:
            del self._entries[key]
            return default
        return value

    def purge(self):
        """Drop all expired entries; return how many there were."""
        now = self.clock()
        old = [k for k, (_, expires) in self._entries.items() if expires <= now]
        for key in old:
            del self._entries[key]
        return len(self._entries)
''',
        "return len(self._entries)",
        "return len(old)",
    ),
    (
        "retry_backoff",
        r'''import time


def retry(function, attempts=5, delay=1.0, factor=2.0, longest=30.0,
          errors=(OSError,), sleep=time.sleep):
    """Call a function until it succeeds, waiting longer each time.

    The last error is raised when all the attempts have failed.
    """
    for attempt in range(1, attempts + 1):
        try:
            return function()
        except errors:
            if attempt > attempts:
                raise
        sleep(delay)
        delay = min(delay * factor, longest)


def retrying(**options):
    """Decorator form of `retry` for functions with arguments."""
    def decorate(function):
        def wrapper(*args, **kwargs):
            return retry(lambda: function(*args, **kwargs), **options)
        return wrapper
    return decorate
''',
        "if attempt > attempts:",
        "if attempt == attempts:",
    ),
    (
        "batch_writer",
        r'''class BatchWriter:
    """Collects records and hands them on in batches.

    Use it in a with statement so that the last batch is not lost.
    """

    def __init__(self, send, size=100):
        self.send = send
        self.size = size
        self.pending = []
        self.sent = 0

    def add(self, record):
        self.pending.append(record)
        if len(self.pending) >= self.size:
            self.flush()

    def flush(self):
        if self.pending:
            self.send(self.pending)
            self.sent += len(self.pending)
            self.pending.clear()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.flush()
''',
        "self.pending.clear()",
        "self.pending = []",
    ),
    (
        "layered_config",
        r'''class Config:
    """Settings from defaults, a file and the environment.

    Later layers win; environment names look like APP_DB_PORT.
    """

    def __init__(self, defaults, prefix="APP_"):
        self.defaults = defaults
        self.prefix = prefix
        self.values = dict(defaults)

    def load_mapping(self, mapping):
        for key, value in mapping.items():
            if key not in self.defaults:
                raise KeyError(f"unknown setting {key}")
            self.values[key] = value

    def load_environment(self, environ):
        for key, default in self.defaults.items():
            text = environ.get(self.prefix + key.upper())
            if text is not None:
                self.values[key] = self._convert(text, default)

    @staticmethod
    def _convert(text, default):
        if isinstance(default, bool):
            return bool(text.strip().lower())
        return type(default)(text)
''',
        "return bool(text.strip().lower())",
        'return text.strip().lower() in ("1", "true", "yes", "on")',
    ),
    (
        "bowling_score",
        r'''class BowlingGame:
    """Scores a game of ten-pin bowling."""

    def __init__(self):
        self.rolls = []

    def roll(self, pins):
        if not 0 <= pins <= 10:
            raise ValueError("impossible roll")
        self.rolls.append(pins)

    def score(self):
        """Total of a complete game."""
        total = 0
        i = 0
        for _ in range(10):
            if self.rolls[i] == 10:
                total += 10 + sum(self.rolls[i + 1:i + 3])
                i += 1
            elif self.rolls[i] + self.rolls[i + 1] == 10:
                total += 10 + self.rolls[i + 1]
                i += 2
            else:
                total += self.rolls[i] + self.rolls[i + 1]
                i += 2
        return total
''',
        "total += 10 + self.rolls[i + 1]",
        "total += 10 + self.rolls[i + 2]",
    ),
    (
        "music_playlist",
        r'''class Playlist:
    """A list of songs with a current position."""

    def __init__(self, songs, repeat=False):
        self.songs = list(songs)
        self.repeat = repeat
        self.position = 0

    def current(self):
        return self.songs[self.position] if self.songs else None

    def next(self):
        """Go on to the next song; None at the end without repeat."""
        if self.position + 1 < len(self.songs):
            self.position += 1
        elif self.repeat:
            self.position = 0
        else:
            return None
        return self.current()

    def remove(self, song):
        """Take a song out, staying at the song being played."""
        index = self.songs.index(song)
        del self.songs[index]
        if index > self.position:
            self.position -= 1
        self.position = max(0, min(self.position, len(self.songs) - 1))
''',
        "if index > self.position:",
        "if index < self.position:",
    ),
    (
        "running_statistics",
        r'''import math


class RunningStats:
    """Mean and deviation of a stream of numbers (Welford)."""

    def __init__(self):
        self.count = 0
        self.mean = 0.0
        self._m2 = 0.0
        self.minimum = math.inf
        self.maximum = -math.inf

    def add(self, value):
        self.count += 1
        delta = value - self.mean
        self.mean += delta / self.count
        self._m2 += delta * delta
        self.minimum = min(self.minimum, value)
        self.maximum = max(self.maximum, value)

    @property
    def variance(self):
        return self._m2 / (self.count - 1) if self.count > 1 else 0.0

    @property
    def deviation(self):
        return math.sqrt(self.variance)
''',
        "self._m2 += delta * delta",
        "self._m2 += delta * (value - self.mean)",
    ),
    (
        "chess_clock",
        r'''class ChessClock:
    """Two countdowns of which one runs; moves add an increment."""

    def __init__(self, seconds, increment=0):
        self.left = {"white": seconds, "black": seconds}
        self.increment = increment
        self.turn = "white"
        self.moves = 0

    def move(self, used):
        """End the running player's turn after `used` seconds."""
        if self.flag():
            raise RuntimeError("time is over")
        self.left[self.turn] -= used
        if self.left[self.turn] <= 0:
            self.left[self.turn] = 0
            return
        other = "black" if self.turn == "white" else "white"
        self.left[other] += self.increment
        self.turn = other
        self.moves += 1

    def flag(self):
        """The player whose time has run out, or None."""
        for player, seconds in self.left.items():
            if seconds <= 0:
                return player
        return None
''',
        "self.left[other] += self.increment",
        "self.left[self.turn] += self.increment",
    ),
    (
        "robot_commands",
        r'''class Robot:
    """A robot on a bounded grid, driven by letters L, R and F."""

    HEADINGS = "NESW"
    STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}

    def __init__(self, width, height, x=0, y=0, heading="N"):
        self.width, self.height = width, height
        self.x, self.y = x, y
        self.heading = heading

    def turn(self, quarter):
        index = self.HEADINGS.index(self.heading) + quarter
        self.heading = self.HEADINGS[index]

    def forward(self):
        """Take a step unless it would leave the grid."""
        dx, dy = self.STEPS[self.heading]
        if 0 <= self.x + dx < self.width and 0 <= self.y + dy < self.height:
            self.x += dx
            self.y += dy

    def run(self, commands):
        actions = {"L": lambda: self.turn(-1), "R": lambda: self.turn(1),
                   "F": self.forward}
        for command in commands:
            actions[command]()
        return self.x, self.y, self.heading
''',
        "self.HEADINGS[index]",
        "self.HEADINGS[index % 4]",
    ),
    (
        "library_loans",
        r'''from datetime import timedelta


class Library:
    """Books on loan, with renewals and fines per day."""

    PERIOD = timedelta(days=28)
    FINE = 20

    def __init__(self):
        self.due = {}
        self.renewals = {}

    def lend(self, book, today):
        if book in self.due:
            raise ValueError("already on loan")
        self.due[book] = today + self.PERIOD
        self.renewals[book] = 0

    def renew(self, book, today):
        """Extend a loan at most twice, unless it is overdue."""
        if self.renewals[book] >= 2 or today > self.due[book]:
            return False
        self.due[book] = today + self.PERIOD
        self.renewals[book] += 1
        return True

    def give_back(self, book, today):
        """Return the fine in cents."""
        late = (today - self.due.pop(book)).days
        return late * self.FINE
''',
        "return late * self.FINE",
        "return max(0, late) * self.FINE",
    ),
    (
        "memoize_decorator",
        r'''import functools


def memoize(limit=None):
    """Decorator that remembers results, at most `limit` of them."""
    def decorate(function):
        results = {}

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            key = (args, tuple(kwargs))
            if key not in results:
                if limit is not None and len(results) >= limit:
                    results.pop(next(iter(results)))
                results[key] = function(*args, **kwargs)
            return results[key]

        wrapper.forget = results.clear
        wrapper.size = lambda: len(results)
        return wrapper
    return decorate
''',
        "tuple(kwargs))",
        "tuple(sorted(kwargs.items())))",
    ),
    (
        "connection_pool",
        r'''from contextlib import contextmanager


class Pool:
    """Lends out a limited number of reusable connections."""

    def __init__(self, connect, limit=4):
        self.connect = connect
        self.limit = limit
        self.idle = []
        self.in_use = 0

    def acquire(self):
        if self.idle:
            connection = self.idle.pop()
        elif self.in_use < self.limit:
            connection = self.connect()
        else:
            raise RuntimeError("pool exhausted")
        self.in_use += 1
        return connection

    def release(self, connection):
        self.in_use -= 1
        self.idle.append(connection)

    @contextmanager
    def connection(self):
        """Acquire a connection for a with block."""
        connection = self.acquire()
        try:
            yield connection
        except Exception:
            self.release(connection)
''',
        "except Exception:",
        "finally:",
    ),
    (
        "form_validator",
        r'''import re


class Field:
    """A form field with a converter and optional limits."""

    def __init__(self, convert=str, required=True, low=None, high=None,
                 pattern=None):
        self.convert = convert
        self.required = required
        self.low, self.high = low, high
        self.pattern = pattern

    def clean(self, text):
        """Return the converted value or raise ValueError."""
        text = (text or "").strip()
        if not text:
            if self.required:
                raise ValueError("required")
            return None
        if self.pattern and not re.match(self.pattern, text):
            raise ValueError("bad format")
        value = self.convert(text)
        if self.low is not None and value < self.low:
            raise ValueError(f"must be at least {self.low}")
        if self.high is not None and value > self.high:
            raise ValueError(f"must be at most {self.high}")
        return value
''',
        "re.match(self.pattern, text)",
        "re.fullmatch(self.pattern, text)",
    ),
    (
        "relative_paths",
        r'''def normalize(path):
    """Resolve "." and ".." in an absolute path with slashes."""
    parts = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if parts:
                parts.pop()
        else:
            parts.append(part)
    return "/" + "/".join(parts)


def relative(path, start):
    """The path as seen from the folder `start`."""
    target = normalize(path).split("/")[1:]
    origin = normalize(start).split("/")[1:]
    if origin == [""]:
        origin = []
    shared = 0
    for a, b in zip(target, origin):
        if a != b:
            break
        shared += 1
    steps = [".."] * (len(target) - shared) + target[shared:]
    return "/".join(steps) or "."
''',
        "(len(target) - shared)",
        "(len(origin) - shared)",
    ),
    (
        "business_days",
        r'''from datetime import date, timedelta


class BusinessCalendar:
    """Counts working days, leaving out weekends and holidays."""

    def __init__(self, holidays=()):
        self.holidays = set(holidays)

    def is_working(self, day):
        return day.weekday() <= 5 and day not in self.holidays

    def add(self, day, count):
        """The date `count` working days after (or before) a day."""
        step = timedelta(days=1 if count >= 0 else -1)
        left = abs(count)
        while left:
            day += step
            if self.is_working(day):
                left -= 1
        return day

    def between(self, start, stop):
        """Number of working days from start up to but not including stop."""
        days = (stop - start).days
        return sum(self.is_working(start + timedelta(days=i)) for i in range(days))
''',
        "day.weekday() <= 5",
        "day.weekday() < 5",
    ),
    (
        "request_window",
        r'''from collections import defaultdict, deque


class WindowLimiter:
    """At most `limit` requests per client in any `window` seconds."""

    def __init__(self, limit, window):
        self.limit = limit
        self.window = window
        self._times = defaultdict(deque)

    def allow(self, client, now):
        times = self._times[client]
        while times and times[0] <= now - self.window:
            times.popleft()
        if len(times) > self.limit:
            return False
        times.append(now)
        return True

    def idle_clients(self, now):
        """Clients without a recent request."""
        return sorted(client for client, times in self._times.items()
                      if not times or times[-1] <= now - self.window)
''',
        "len(times) > self.limit",
        "len(times) >= self.limit",
    ),
    (
        "shopping_cart",
        r'''class Cart:
    """A shopping cart with percentage coupons."""

    def __init__(self, items=[], coupons=()):
        self.items = items
        self.coupons = set(coupons)

    def add(self, name, price, count=1):
        self.items.append((name, price, count))

    def remove(self, name):
        self.items = [item for item in self.items if item[0] != name]

    def subtotal(self):
        return sum(price * count for _, price, count in self.items)

    def total(self, discounts):
        """Amount due after the best of the applicable coupons."""
        best = max((discounts.get(code, 0) for code in self.coupons), default=0)
        return self.subtotal() * (100 - best) // 100

    def merge(self, other):
        """Take over everything from another cart."""
        self.items = self.items + other.items
        self.coupons |= other.coupons
''',
        "self.items = items",
        "self.items = list(items)",
    ),
]
