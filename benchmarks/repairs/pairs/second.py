"""Functions and classes with one slip each: (name, code, wrong, right).

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from typing import Final

__all__ = ["PAIRS"]

PAIRS: Final = [
    (
        "minheap_sift_down",
        r'''class MinHeap:
    """A binary heap that always gives back its smallest item."""

    def __init__(self):
        self.items = []

    def push(self, value):
        items = self.items
        items.append(value)
        i = len(items) - 1
        while i > 0 and items[i] < items[(i - 1) // 2]:
            parent = (i - 1) // 2
            items[i], items[parent] = items[parent], items[i]
            i = parent

    def pop(self):
        items = self.items
        items[0], items[-1] = items[-1], items[0]
        smallest = items.pop()
        i = 0
        while True:
            best = i
            for child in (2 * i + 1, 2 * i + 2):
                if child < len(items) and items[child] < items[i]:
                    best = child
            if best == i:
                return smallest
            items[i], items[best] = items[best], items[i]
            i = best
''',
        "if child < len(items) and items[child] < items[i]:",
        "if child < len(items) and items[child] < items[best]:",
    ),
    (
        "trie_delete_counts",
        r'''class PrefixCounter:
    """A trie that knows how many stored words begin with a prefix."""

    def __init__(self):
        self.children = {}
        self.passing = 0

    def add(self, word):
        """Store one more copy of word."""
        node = self
        node.passing += 1
        for letter in word:
            node = node.children.setdefault(letter, PrefixCounter())
            node.passing += 1

    def remove(self, word):
        """Take away one copy of a word that was added before."""
        node = self
        node.passing -= 1
        for letter in word:
            child = node.children[letter]
            child.passing -= 1
            if child.passing == 0:
                del node.children[letter]
                return
            node = node

    def count(self, prefix):
        """Number of stored words that start with prefix."""
        node = self
        for letter in prefix:
            if letter not in node.children:
                return 0
            node = node.children[letter]
        return node.passing
''',
        "return\n            node = node",
        "return\n            node = child",
    ),
    (
        "trie_whole_word",
        r'''class Trie:
    """A set of words, kept as a tree of letters."""

    END = object()

    def __init__(self, words=()):
        self.root = {}
        for word in words:
            self.add(word)

    def add(self, word):
        node = self.root
        for letter in word:
            node = node.setdefault(letter, {})
        node[self.END] = True

    def __contains__(self, word):
        """True when exactly this word was added."""
        node = self.root
        for letter in word:
            node = node.get(letter)
            if node is None:
                return False
        return True
''',
        "return True",
        "return self.END in node",
    ),
    (
        "lru_update_refreshes",
        r'''from collections import OrderedDict


class LRUCache:
    """A mapping of limited size that drops the least recently used key.

    Both reading and writing a key count as a use of it.
    """

    def __init__(self, capacity):
        self.capacity = capacity
        self.data = OrderedDict()

    def get(self, key, default=None):
        if key not in self.data:
            return default
        self.data.move_to_end(key)
        return self.data[key]

    def put(self, key, value):
        self.data[key] = value
        if len(self.data) > self.capacity:
            self.data.popitem(last=False)
''',
        "self.data[key] = value",
        "self.data[key] = value\n        self.data.move_to_end(key)",
    ),
    (
        "linked_queue_last_out",
        r'''class Node:
    """One link of the queue below."""

    def __init__(self, value):
        self.value = value
        self.next = None


class LinkedQueue:
    """First in, first out, made of linked nodes."""

    def __init__(self):
        self.head = self.tail = None

    def put(self, value):
        node = Node(value)
        if self.tail is None:
            self.head = node
        else:
            self.tail.next = node
        self.tail = node

    def get(self):
        if self.head is None:
            raise IndexError("queue is empty")
        value = self.head.value
        self.head = self.head.next
        if self.head is None:
            self.head = None
        return value
''',
        "self.head = None",
        "self.tail = None",
    ),
    (
        "doubly_linked_insert",
        r'''class Cell:
    """An element of a circular doubly linked ring with a sentinel."""

    def __init__(self, value=None):
        self.value = value
        self.prev = self.next = self


def insert_after(cell, value):
    """Put a new cell with value right behind cell and return it."""
    fresh = Cell(value)
    fresh.prev = cell
    fresh.next = cell.next
    cell.next = fresh
    cell.next = fresh
    return fresh


def backwards(sentinel):
    """All values from the last to the first."""
    values = []
    cell = sentinel.prev
    while cell is not sentinel:
        values.append(cell.value)
        cell = cell.prev
    return values
''',
        "fresh.next = cell.next\n    cell.next = fresh",
        "fresh.next = cell.next\n    cell.next.prev = fresh",
    ),
    (
        "ring_buffer_iter",
        r'''class RingBuffer:
    """Keeps the last `capacity` values that were appended."""

    def __init__(self, capacity):
        self.slots = [None] * capacity
        self.start = 0
        self.count = 0

    def append(self, value):
        size = len(self.slots)
        self.slots[(self.start + self.count) % size] = value
        if self.count < size:
            self.count += 1
        else:
            self.start = (self.start + 1) % size

    def __iter__(self):
        """Oldest value first."""
        for i in range(self.count):
            yield self.slots[i]
''',
        "yield self.slots[i]",
        "yield self.slots[(self.start + i) % len(self.slots)]",
    ),
    (
        "union_find_roots",
        r'''class DisjointSets:
    """Union-find over 0..n-1 with path halving and union by size."""

    def __init__(self, n):
        self.parent = list(range(n))
        self.size = [1] * n

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        """Join the sets of a and b; False if they were one already."""
        root_a, root_b = self.find(a), self.find(b)
        if root_a == root_b:
            return False
        if self.size[root_a] < self.size[root_b]:
            root_a, root_b = root_b, root_a
        self.parent[b] = root_a
        self.size[root_a] += self.size[root_b]
        return True
''',
        "self.parent[b] = root_a",
        "self.parent[root_b] = root_a",
    ),
    (
        "interval_map_lookup",
        r'''from bisect import bisect_right


class IntervalMap:
    """Maps each number to the value of the last breakpoint not above it."""

    def __init__(self, default):
        self.points = []
        self.values = []
        self.default = default

    def set_from(self, point, value):
        """From point on (up to the next point) the value holds."""
        i = bisect_right(self.points, point)
        if i and self.points[i - 1] == point:
            self.values[i - 1] = value
        else:
            self.points.insert(i, point)
            self.values.insert(i, value)

    def __getitem__(self, x):
        i = bisect_right(self.points, x)
        return self.values[i - 1]
''',
        "return self.values[i - 1]",
        "if i == 0:\n            return self.default\n        return self.values[i - 1]",
    ),
    (
        "fenwick_range",
        r'''class Fenwick:
    """Prefix sums over positions 0..n-1 that can be changed quickly."""

    def __init__(self, n):
        self.tree = [0] * (n + 1)

    def add(self, index, amount):
        index += 1
        while index < len(self.tree):
            self.tree[index] += amount
            index += index & -index

    def prefix(self, end):
        """Sum of the positions before end."""
        total = 0
        while end > 0:
            total += self.tree[end]
            end -= 1
        return total

    def between(self, start, end):
        """Sum of the positions start..end-1."""
        return self.prefix(end) - self.prefix(start)
''',
        "-= 1",
        "-= end & -end",
    ),
    (
        "segment_tree_min",
        r'''class SegmentTree:
    """Minimum over any half-open range of a list that may change."""

    def __init__(self, values):
        self.n = len(values)
        self.tree = [0] * self.n + list(values)
        for i in range(self.n - 1, 0, -1):
            self.tree[i] = min(self.tree[2 * i], self.tree[2 * i + 1])

    def assign(self, index, value):
        i = index + self.n
        self.tree[i] = value
        while i > 1:
            i //= 2
            self.tree[i] = min(self.tree[i], value)

    def minimum(self, start, stop):
        best = float("inf")
        lo, hi = start + self.n, stop + self.n
        while lo < hi:
            if lo & 1:
                best = min(best, self.tree[lo])
                lo += 1
            if hi & 1:
                hi -= 1
                best = min(best, self.tree[hi])
            lo //= 2
            hi //= 2
        return best
''',
        "self.tree[i], value",
        "self.tree[2 * i], self.tree[2 * i + 1]",
    ),
    (
        "min_stack_equal",
        r'''class MinStack:
    """A stack that also tells its smallest element at once."""

    def __init__(self):
        self.items = []
        self.lows = []

    def push(self, value):
        self.items.append(value)
        if not self.lows or value < self.lows[-1]:
            self.lows.append(value)

    def pop(self):
        value = self.items.pop()
        if value == self.lows[-1]:
            self.lows.pop()
        return value

    def minimum(self):
        return self.lows[-1]
''',
        "if not self.lows or value < self.lows[-1]:",
        "if not self.lows or value <= self.lows[-1]:",
    ),
    (
        "two_stack_queue",
        r'''class TwoStackQueue:
    """A queue built from two stacks."""

    def __init__(self):
        self.inbox = []
        self.outbox = []

    def enqueue(self, item):
        self.inbox.append(item)

    def dequeue(self):
        """Remove and return the item that has waited longest."""
        if not self.inbox:
            while self.inbox:
                self.outbox.append(self.inbox.pop())
        return self.outbox.pop()

    def __len__(self):
        return len(self.inbox) + len(self.outbox)
''',
        "if not self.inbox:",
        "if not self.outbox:",
    ),
    (
        "bst_delete_two_children",
        r'''class Tree:
    """A node of a binary search tree."""

    def __init__(self, key, left=None, right=None):
        self.key, self.left, self.right = key, left, right


def delete(node, key):
    """The tree without key (unchanged when key is not in it)."""
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
        while heir.left is not None:
            heir = heir.left
        node.key = heir.key
        node.right = delete(node.right, key)
    return node
''',
        "node.key = heir.key\n        node.right = delete(node.right, key)",
        "node.key = heir.key\n        node.right = delete(node.right, heir.key)",
    ),
    (
        "window_maximum_deque",
        r'''from collections import deque


def window_maxima(values, width):
    """The largest value of each window of `width` neighbours."""
    waiting = deque()
    result = []
    for i, value in enumerate(values):
        while waiting and values[waiting[-1]] <= value:
            waiting.pop()
        waiting.append(i)
        if waiting[0] < i - width:
            waiting.popleft()
        if i >= width - 1:
            result.append(values[waiting[0]])
    return result
''',
        "if waiting[0] < i - width:",
        "if waiting[0] <= i - width:",
    ),
    (
        "lfu_least_count",
        r'''from collections import OrderedDict, defaultdict


class LFUCache:
    """Drops the least frequently used key (the oldest among equals)."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.values, self.uses = {}, {}
        self.groups = defaultdict(OrderedDict)
        self.least = 0

    def _touch(self, key):
        count = self.uses[key]
        del self.groups[count][key]
        if not self.groups[count] and self.least == count:
            self.least += 1
        self.uses[key] = count + 1
        self.groups[count + 1][key] = True

    def get(self, key):
        if key in self.values:
            self._touch(key)
        return self.values.get(key)

    def put(self, key, value):
        if key in self.values:
            self._touch(key)
        else:
            if len(self.values) == self.capacity:
                old, _ = self.groups[self.least].popitem(last=False)
                del self.values[old], self.uses[old]
            self.uses[key] = 1
            self.groups[1][key] = True
        self.values[key] = value
''',
        "self.uses[key] = 1",
        "self.uses[key] = self.least = 1",
    ),
    (
        "bloom_filter_membership",
        r'''import hashlib


class BloomFilter:
    """A set that may say yes wrongly, but never wrongly says no."""

    def __init__(self, size=1024, hashes=4):
        self.size = size
        self.hashes = hashes
        self.bits = bytearray(size)

    def _positions(self, item):
        for salt in range(self.hashes):
            digest = hashlib.sha256(f"{item}".encode()).digest()
            yield int.from_bytes(digest[:8], "big") % self.size

    def add(self, item):
        for position in self._positions(item):
            self.bits[position] = 1

    def __contains__(self, item):
        return all(self.bits[p] for p in self._positions(item))
''',
        'digest = hashlib.sha256(f"{item}".encode()).digest()',
        'digest = hashlib.sha256(f"{salt}:{item}".encode()).digest()',
    ),
    (
        "hash_map_rehash",
        r'''class HashMap:
    """A dictionary with separate chaining that grows when it fills up."""

    def __init__(self):
        self.buckets = [[] for _ in range(4)]
        self.count = 0

    def _bucket(self, key):
        return self.buckets[hash(key) % len(self.buckets)]

    def set(self, key, value):
        bucket = self._bucket(key)
        for pair in bucket:
            if pair[0] == key:
                pair[1] = value
                return
        bucket.append([key, value])
        self.count += 1
        if self.count > 2 * len(self.buckets):
            self._grow()

    def _grow(self):
        pairs = [pair for bucket in self.buckets for pair in bucket]
        self.buckets = [[] for _ in range(2 * len(self.buckets))]
        for pair in pairs:
            self._bucket(pair).append(pair)

    def get(self, key, default=None):
        for k, value in self._bucket(key):
            if k == key:
                return value
        return default
''',
        "self._bucket(pair).append(pair)",
        "self._bucket(pair[0]).append(pair)",
    ),
    (
        "open_addressing_tombstone",
        r'''GONE = object()


class ProbingSet:
    """A hash set with linear probing in a table of fixed size."""

    def __init__(self, size=16):
        self.table = [None] * size

    def _slot(self, item):
        """Index of item, or None when it is not stored."""
        size = len(self.table)
        for step in range(size):
            i = (hash(item) + step) % size
            if self.table[i] is None:
                return None
            if self.table[i] is not GONE and self.table[i] == item:
                return i
        return None

    def add(self, item):
        size = len(self.table)
        if self._slot(item) is None:
            i = hash(item) % size
            while self.table[i] is not None and self.table[i] is not GONE:
                i = (i + 1) % size
            self.table[i] = item

    def discard(self, item):
        i = self._slot(item)
        if i is not None:
            self.table[i] = None

    def __contains__(self, item):
        return self._slot(item) is not None
''',
        "self.table[i] = None",
        "self.table[i] = GONE",
    ),
    (
        "josephus_ring",
        r'''def josephus(names, step):
    """The order in which people in a ring are counted out.

    Counting begins at the first name; each step-th person leaves and the
    count goes on with the next one.
    """
    n = len(names)
    following = [(i + 1) % n for i in range(n)]
    before = n - 1
    order = []
    for _ in range(n):
        for _ in range(step):
            before = following[before]
        out = following[before]
        following[before] = following[out]
        order.append(names[out])
    return order
''',
        "for _ in range(step):",
        "for _ in range(step - 1):",
    ),
    (
        "bag_remove",
        r'''class Bag:
    """A collection that may hold several copies of a thing."""

    def __init__(self, items=()):
        self.counts = {}
        for item in items:
            self.add(item)

    def add(self, item, copies=1):
        self.counts[item] = self.counts.get(item, 0) + copies

    def remove(self, item):
        """Take out one copy; KeyError when there is none."""
        if self.counts[item] == 0:
            del self.counts[item]
        else:
            self.counts[item] -= 1

    def distinct(self):
        """The number of different things in the bag."""
        return len(self.counts)
''',
        "if self.counts[item] == 0:",
        "if self.counts[item] == 1:",
    ),
    (
        "bidirectional_map",
        r'''class BiMap:
    """A one-to-one mapping that can be asked from both sides."""

    def __init__(self):
        self.forward = {}
        self.backward = {}

    def put(self, key, value):
        """Bind key and value to each other, cutting their old bonds."""
        if key in self.forward:
            del self.backward[self.forward[key]]
        if value in self.backward:
            del self.forward[self.backward]
        self.forward[key] = value
        self.backward[value] = key

    def value_of(self, key):
        return self.forward.get(key)

    def key_of(self, value):
        return self.backward.get(value)
''',
        "del self.forward[self.backward]",
        "del self.forward[self.backward[value]]",
    ),
    (
        "running_median",
        r'''import heapq


class RunningMedian:
    """The median of all numbers seen so far."""

    def __init__(self):
        self.low = []
        self.high = []

    def add(self, number):
        heapq.heappush(self.low, -number)
        heapq.heappush(self.high, -heapq.heappop(self.low))
        if len(self.high) > len(self.low):
            heapq.heappush(self.low, -heapq.heappop(self.high))

    def median(self):
        """The middle value, or the mean of the two middle ones."""
        if len(self.low) > len(self.high):
            return -self.low[0]
        return (self.low[0] + self.high[0]) / 2
''',
        "self.low[0] + self.high[0]",
        "self.high[0] - self.low[0]",
    ),
    (
        "interval_set_add",
        r'''class IntervalSet:
    """A set of numbers stored as disjoint half-open intervals."""

    def __init__(self):
        self.parts = []

    def add(self, start, end):
        """Add all of start <= x < end, joining touching intervals."""
        kept = []
        for a, b in self.parts:
            if b < start or a > end:
                kept.append((a, b))
            else:
                start = min(start, a)
                end = b
        kept.append((start, end))
        self.parts = sorted(kept)

    def __contains__(self, x):
        return any(a <= x < b for a, b in self.parts)

    def total(self):
        return sum(b - a for a, b in self.parts)
''',
        "end = b",
        "end = max(end, b)",
    ),
    (
        "scope_stack_assign",
        r'''class Scopes:
    """Nested scopes of variables, as an interpreter needs them."""

    def __init__(self):
        self.stack = [{}]

    def enter(self):
        self.stack.append({})

    def leave(self):
        self.stack.pop()

    def declare(self, name, value):
        """Make a new variable in the innermost scope."""
        self.stack[-1][name] = value

    def assign(self, name, value):
        """Change the nearest variable of that name."""
        for scope in self.stack:
            if name in scope:
                scope[name] = value
                return
        raise NameError(name)

    def lookup(self, name):
        for scope in reversed(self.stack):
            if name in scope:
                return scope[name]
        raise NameError(name)
''',
        "for scope in self.stack:",
        "for scope in reversed(self.stack):",
    ),
    (
        "sparse_matrix_multiply",
        r'''class SparseMatrix:
    """A matrix that stores only the entries other than zero."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.cells = {}

    def set(self, row, column, value):
        if value:
            self.cells[row, column] = value
        else:
            self.cells.pop((row, column), None)

    def times(self, other):
        """The matrix product of self and other."""
        by_row = {}
        for (row, column), value in other.cells.items():
            by_row.setdefault(row, []).append((column, value))
        product = SparseMatrix(self.rows, other.columns)
        for (i, k), a in self.cells.items():
            for j, b in by_row.get(i, ()):
                old = product.cells.get((i, j), 0)
                product.set(i, j, old + a * b)
        return product
''',
        "for j, b in by_row.get(i, ()):",
        "for j, b in by_row.get(k, ()):",
    ),
    (
        "indexed_set_random",
        r'''import random


class RandomSet:
    """A set with fast add, discard and choice of a random member."""

    def __init__(self):
        self.items = []
        self.index = {}

    def add(self, item):
        if item not in self.index:
            self.index[item] = len(self.items)
            self.items.append(item)

    def discard(self, item):
        """Fill the hole with the last item, then shorten the list."""
        if item not in self.index:
            return
        hole = self.index.pop(item)
        last = self.items.pop()
        if last != item:
            self.items[hole] = last

    def choose(self):
        return random.choice(self.items)
''',
        "self.items[hole] = last",
        "self.items[hole] = last\n            self.index[last] = hole",
    ),
    (
        "parse_sum_left_assoc",
        r'''import re


def calculate(text):
    """Value of an expression of integers, + - * / and parentheses."""
    tokens = re.findall(r"\d+|[-+*/()]", text) + [""]

    def factor():
        token = tokens.pop(0)
        if token == "(":
            value = total()
            tokens.pop(0)
            return value
        return int(token)

    def product():
        value = factor()
        while tokens[0] in ("*", "/"):
            if tokens.pop(0) == "*":
                value *= factor()
            else:
                value /= factor()
        return value

    def total():
        value = product()
        while tokens[0] in ("+", "-"):
            if tokens.pop(0) == "+":
                value += product()
            else:
                value -= total()
        return value

    return total()
''',
        "value -= total()",
        "value -= product()",
    ),
    (
        "queens_diagonals",
        r'''def count_queens(n, row=0, columns=frozenset(), rising=frozenset(), falling=frozenset()):
    """In how many ways can n queens stand on an n by n board in peace?"""
    if row == n:
        return 1
    ways = 0
    for column in range(n):
        if column in columns or row + column in rising or row - column in falling:
            continue
        ways += count_queens(
            n,
            row + 1,
            columns | {column},
            rising | {row + column},
            falling | {column - row},
        )
    return ways
''',
        "column - row",
        "row - column",
    ),
    (
        "permutations_used_flag",
        r'''def arrangements(items):
    """All orders of a list, in the order of its positions."""
    used = [False] * len(items)
    current = []
    results = []

    def extend():
        if len(current) == len(items):
            results.append(tuple(current))
            return
        for i, item in enumerate(items):
            if used[i]:
                continue
            used[i] = True
            current.append(item)
            extend()
            current.pop()

    extend()
    return results
''',
        "current.pop()",
        "current.pop()\n            used[i] = False",
    ),
    (
        "combination_sum_copy",
        r'''def combinations_with_sum(numbers, target):
    """All multisets of the given positive numbers that add up to target."""
    numbers = sorted(set(numbers))
    found = []
    chosen = []

    def search(start, rest):
        if rest == 0:
            found.append(chosen)
            return
        for i in range(start, len(numbers)):
            if numbers[i] > rest:
                break
            chosen.append(numbers[i])
            search(i, rest - numbers[i])
            chosen.pop()

    search(0, target)
    return found
''',
        "found.append(chosen)",
        "found.append(list(chosen))",
    ),
    (
        "coin_ways_reuse",
        r'''from functools import lru_cache


def count_change(amount, coins):
    """In how many ways can amount be paid with coins of these values?

    There is no limit to the number of coins of one value, and the order of
    the coins does not matter.
    """
    coins = tuple(sorted(coins, reverse=True))

    @lru_cache(maxsize=None)
    def ways(rest, first):
        if rest == 0:
            return 1
        if rest < 0 or first == len(coins):
            return 0
        return ways(rest - coins[first], 0) + ways(rest, first + 1)

    return ways(amount, 0)
''',
        "return ways(rest - coins[first], 0) + ways(rest, first + 1)",
        "return ways(rest - coins[first], first) + ways(rest, first + 1)",
    ),
    (
        "subset_sum_memo_key",
        r'''def count_subsets(numbers, target):
    """How many subsets (by position) of numbers have the sum target?"""
    memo = {}

    def count(index, rest):
        if index == len(numbers):
            return 1 if rest == 0 else 0
        key = rest
        if key not in memo:
            without = count(index + 1, rest)
            with_it = count(index + 1, rest - numbers[index])
            memo[key] = without + with_it
        return memo[key]

    return count(0, target)
''',
        "key = rest",
        "key = (index, rest)",
    ),
    (
        "flatten_nested",
        r'''def flatten(value, depth=None):
    """The items of nested lists in one list.

    With a depth only that many levels of nesting are opened.
    """
    result = []
    for item in value:
        if isinstance(item, list) and depth != 0:
            deeper = None if depth is None else depth - 1
            result.append(flatten(item, deeper))
        else:
            result.append(item)
    return result
''',
        "result.append(flatten(item, deeper))",
        "result.extend(flatten(item, deeper))",
    ),
    (
        "hanoi_pegs",
        r'''def hanoi(discs, source="A", target="C", spare="B"):
    """The list of moves that carry a tower of discs to the target peg."""
    if discs == 0:
        return []
    moves = hanoi(discs - 1, source, spare, target)
    moves.append((source, target))
    moves += hanoi(discs - 1, spare, target, spare)
    return moves
''',
        "moves += hanoi(discs - 1, spare, target, spare)",
        "moves += hanoi(discs - 1, spare, target, source)",
    ),
    (
        "tree_diameter",
        r'''def diameter(tree):
    """Number of edges on the longest path between two nodes.

    A tree is None or a pair (left, right) of trees.
    """
    longest = 0

    def height(node):
        nonlocal longest
        if node is None:
            return 0
        left = height(node[0])
        right = height(node[1])
        longest = max(longest, left + right)
        return 1 + left + right

    height(tree)
    return longest
''',
        "return 1 + left + right",
        "return 1 + max(left, right)",
    ),
    (
        "rebuild_tree_slices",
        r'''def rebuild(preorder, inorder):
    """The tree (value, left, right) with these two traversals.

    All values must be different; the empty tree is None.
    """
    if not preorder:
        return None
    root = preorder[0]
    split = inorder.index(root)
    left = rebuild(preorder[1:split + 1], inorder[:split])
    right = rebuild(preorder[split + 1:], inorder[split:])
    return (root, left, right)
''',
        "right = rebuild(preorder[split + 1:], inorder[split:])",
        "right = rebuild(preorder[split + 1:], inorder[split + 1:])",
    ),
    (
        "validate_search_tree",
        r'''class Node:
    """A node of a binary tree."""

    def __init__(self, key, left=None, right=None):
        self.key = key
        self.left = left
        self.right = right


def is_search_tree(node, low=float("-inf"), high=float("inf")):
    """True when all keys on the left are smaller, all on the right larger."""
    if node is None:
        return True
    if not low < node.key < high:
        return False
    return (is_search_tree(node.left, low, node.key)
            and is_search_tree(node.right, node.key))
''',
        "and is_search_tree(node.right, node.key))",
        "and is_search_tree(node.right, node.key, high))",
    ),
    (
        "json_list_parser",
        r'''def parse_list(text, i=0):
    """Read a bracketed list such as "[1,[2,30],[]]" that begins at text[i].

    Returns the list and the position behind its closing bracket.
    """
    items = []
    i += 1
    while text[i] != "]":
        if text[i] == "[":
            item, i = parse_list(text, i)
        else:
            start = i
            while text[i].isdigit():
                i += 1
            item = int(text[start:i])
        items.append(item)
        if text[i] == ",":
            i += 1
    return items, i
''',
        "return items, i",
        "return items, i + 1",
    ),
    (
        "sexpr_reader",
        r'''def read(text):
    """Turn "(a (b c) d)" into nested lists of strings."""
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()
    position = 0

    def expression():
        nonlocal position
        token = tokens[position]
        position += 1
        if token == ")":
            raise SyntaxError("unexpected )")
        if token != "(":
            return token
        items = []
        while tokens[position] != ")":
            items.append(tokens[position])
        position += 1
        return items

    return expression()
''',
        "items.append(tokens[position])",
        "items.append(expression())",
    ),
    (
        "fast_doubling_fibonacci",
        r'''def fibonacci(n):
    """The n-th Fibonacci number by the doubling formulas."""

    def pair(k):
        """F(k) and F(k + 1)."""
        if k == 0:
            return 0, 1
        a, b = pair(k // 2)
        even = a * (2 * b + a)
        odd = a * a + b * b
        if k % 2 == 0:
            return even, odd
        return odd, even + odd

    return pair(n)[0]
''',
        "even = a * (2 * b + a)",
        "even = a * (2 * b - a)",
    ),
    (
        "flood_fill_same_colour",
        r'''def flood_fill(image, row, column, colour):
    """Repaint the area of one colour around a pixel, in place."""
    old = image[row][column]
    height, width = len(image), len(image[0])

    def paint(r, c):
        if not (0 <= r < height and 0 <= c < width):
            return
        if image[r][c] != old:
            return
        image[r][c] = colour
        paint(r - 1, c)
        paint(r + 1, c)
        paint(r, c - 1)
        paint(r, c + 1)

    paint(row, column)
''',
        "height, width = len(image), len(image[0])",
        "if old == colour:\n        return\n    height, width = len(image), len(image[0])",
    ),
    (
        "sudoku_box",
        r'''def solve(grid):
    """Fill the zeros of a 9 by 9 sudoku in place; False if impossible."""

    def allowed(row, column, digit):
        for i in range(9):
            if grid[row][i] == digit or grid[i][column] == digit:
                return False
        top, left = row - row % 3, column - column % 3
        for r in range(top, top + 3):
            if digit in grid[r][left:column + 3]:
                return False
        return True

    for row in range(9):
        for column in range(9):
            if grid[row][column] == 0:
                for digit in range(1, 10):
                    if allowed(row, column, digit):
                        grid[row][column] = digit
                        if solve(grid):
                            return True
                grid[row][column] = 0
                return False
    return True
''',
        "if digit in grid[r][left:column + 3]:",
        "if digit in grid[r][left:left + 3]:",
    ),
    (
        "word_break_sentences",
        r'''from functools import lru_cache


def sentences(text, words):
    """All ways to cut text into words of the given set."""
    words = frozenset(words)

    @lru_cache(maxsize=None)
    def cut(start):
        if start == len(text):
            return []
        ways = []
        for end in range(start + 1, len(text) + 1):
            word = text[start:end]
            if word in words:
                for rest in cut(end):
                    ways.append((word + " " + rest).strip())
        return ways

    return cut(0)
''',
        "return []",
        'return [""]',
    ),
    (
        "edit_distance_recursive",
        r'''from functools import lru_cache


def edit_distance(a, b):
    """Smallest number of inserted, deleted and replaced letters."""

    @lru_cache(maxsize=None)
    def distance(i, j):
        """The distance between a[i:] and b[j:]."""
        if i == len(a):
            return len(b) - j
        if j == len(b):
            return len(a) - i
        if a[i] == b[j]:
            return distance(i + 1, j + 1)
        return 1 + min(
            distance(i + 1, j),
            distance(i, j + 1),
            distance(i + 1, j),
        )

    return distance(0, 0)
''',
        "distance(i, j + 1),\n            distance(i + 1, j),",
        "distance(i, j + 1),\n            distance(i + 1, j + 1),",
    ),
    (
        "merge_sort_leftover",
        r'''def merge_sort(values):
    """A sorted copy of a list, equal items keeping their order."""
    if len(values) < 2:
        return list(values)
    middle = len(values) // 2
    left = merge_sort(values[:middle])
    right = merge_sort(values[middle:])
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if right[j] < left[i]:
            merged.append(right[j])
            j += 1
        else:
            merged.append(left[i])
            i += 1
    return merged + left[i:]
''',
        "return merged + left[i:]",
        "return merged + left[i:] + right[j:]",
    ),
    (
        "quickselect_rank",
        r'''def select(values, rank):
    """The value that would be at index rank if values were sorted."""
    pivot = values[len(values) // 2]
    smaller = [v for v in values if v < pivot]
    equal = [v for v in values if v == pivot]
    larger = [v for v in values if v > pivot]
    if rank <= len(smaller):
        return select(smaller, rank)
    if rank < len(smaller) + len(equal):
        return pivot
    return select(larger, rank - len(smaller) - len(equal))
''',
        "if rank <= len(smaller):",
        "if rank < len(smaller):",
    ),
    (
        "integer_partitions_limit",
        r'''def partitions(n, largest=None):
    """Yield the partitions of n, each as a falling list of parts."""
    if largest is None:
        largest = n
    if n == 0:
        yield []
        return
    for part in range(min(n, largest), 0, -1):
        for rest in partitions(n - part, largest):
            yield [part] + rest
''',
        "for rest in partitions(n - part, largest):",
        "for rest in partitions(n - part, part):",
    ),
    (
        "balanced_parentheses",
        r'''def bracketings(pairs):
    """All correct strings of that many pairs of parentheses."""
    results = []

    def extend(text, opened, closed):
        if closed == pairs:
            results.append(text)
            return
        if opened < pairs:
            extend(text + "(", opened + 1, closed)
        if closed <= opened:
            extend(text + ")", opened, closed + 1)

    extend("", 0, 0)
    return results
''',
        "if closed <= opened:",
        "if closed < opened:",
    ),
    (
        "gray_code_mirror",
        r'''def gray_code(bits):
    """All strings of that many bits; neighbours differ in one bit."""
    if bits == 0:
        return [""]
    shorter = gray_code(bits - 1)
    first = ["0" + code for code in shorter]
    second = ["1" + code for code in shorter]
    return first + second
''',
        'second = ["1" + code for code in shorter]',
        'second = ["1" + code for code in reversed(shorter)]',
    ),
    (
        "path_sum_leaf",
        r'''def root_to_leaf_paths(tree, target):
    """Paths from the root down to a leaf whose numbers add up to target.

    A tree is (number, list of subtrees).
    """
    number, children = tree
    if not children:
        return [[number]] if number == target else []
    paths = []
    for child in children:
        for tail in root_to_leaf_paths(child, target):
            paths.append([number] + tail)
    return paths
''',
        "for tail in root_to_leaf_paths(child, target):",
        "for tail in root_to_leaf_paths(child, target - number):",
    ),
    (
        "deep_merge_settings",
        r'''def deep_merge(base, changes):
    """A new dictionary: base with changes laid over it, level by level.

    Neither of the two arguments is altered.
    """
    merged = base
    for key, value in changes.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            merged[key] = deep_merge(old, value)
        else:
            merged[key] = value
    return merged
''',
        "merged = base",
        "merged = dict(base)",
    ),
    (
        "kth_permutation",
        r'''from math import factorial


def nth_permutation(items, n):
    """The n-th (from 0) permutation of sorted items in dictionary order."""
    items = list(items)
    if not items:
        return []
    block = factorial(len(items))
    index, rest = divmod(n, block)
    head = items.pop(index)
    return [head] + nth_permutation(items, rest)
''',
        "block = factorial(len(items))",
        "block = factorial(len(items) - 1)",
    ),
    (
        "logic_parser_not",
        r'''def evaluate(tokens, env):
    """Truth of a list of tokens: names, "not", "and", "or", "(" and ")".

    "not" binds tightest and "or" loosest. The tokens are used up.
    """

    def atom():
        token = tokens.pop(0)
        if token == "not":
            return not either()
        if token == "(":
            value = either()
            tokens.pop(0)
            return value
        return env[token]

    def both():
        value = atom()
        while tokens and tokens[0] == "and":
            tokens.pop(0)
            value = atom() and value
        return value

    def either():
        value = both()
        while tokens and tokens[0] == "or":
            tokens.pop(0)
            value = both() or value
        return value

    return either()
''',
        "return not either()",
        "return not atom()",
    ),
    (
        "wrap_words",
        r'''def wrap(text, width):
    """Break text between words into lines of at most width characters.

    A single longer word gets a line of its own.
    """
    lines = []
    line = ""
    for word in text.split():
        if line and len(line) + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = line + " " + word if line else word
    if line:
        lines.append(line)
    return lines
''',
        "if line and len(line) + len(word) > width:",
        "if line and len(line) + 1 + len(word) > width:",
    ),
    (
        "run_length_last_run",
        r'''def run_length(text):
    """Encode text as pairs (character, number of repeats)."""
    runs = []
    current, count = None, 0
    for ch in text:
        if ch == current:
            count += 1
        else:
            if count:
                runs.append((current, count))
            current, count = ch, 0
    if count:
        runs.append((current, count))
    return runs
''',
        "current, count = ch, 0",
        "current, count = ch, 1",
    ),
    (
        "run_length_decode_digits",
        r'''def expand(code):
    """Undo "3a12b" -> "aaabbbbbbbbbbbb"; a letter without number is one."""
    result = []
    number = ""
    for ch in code:
        if ch.isdigit():
            number += ch
        else:
            result.append(ch * int(number or "1"))
    return "".join(result)
''',
        'result.append(ch * int(number or "1"))',
        'result.append(ch * int(number or "1"))\n            number = ""',
    ),
    (
        "csv_quotes_line",
        r'''def split_csv(line):
    """Fields of a CSV line; a doubled quote inside quotes stands for one."""
    fields = []
    field = ""
    quoted = False
    i = 0
    while i < len(line):
        ch = line[i]
        if quoted:
            if ch == '"' and line[i + 1:i + 2] == '"':
                field += '"'
                i += 1
            elif ch == '"':
                quoted = False
            else:
                field += ch
        elif ch == '"':
            quoted = True
        elif ch == ",":
            fields.append(field)
            field = ""
        else:
            field += ch
        i += 1
    return fields
''',
        "return fields",
        "fields.append(field)\n    return fields",
    ),
    (
        "caesar_case",
        r'''def caesar(text, shift):
    """Shift the letters A-Z and a-z, leaving all other characters alone."""
    result = []
    for ch in text:
        if "a" <= ch <= "z":
            base = ord("a")
        elif "A" <= ch <= "Z":
            base = ord("A")
        else:
            result.append(ch)
            continue
        result.append(chr((ord(ch) - base + shift) % 25 + base))
    return "".join(result)
''',
        "result.append(chr((ord(ch) - base + shift) % 25 + base))",
        "result.append(chr((ord(ch) - base + shift) % 26 + base))",
    ),
    (
        "vigenere_key_step",
        r'''def vigenere(text, key):
    """Encrypt text; each capital letter uses the next letter of the key."""
    result = []
    used = 0
    for ch in text:
        if not "A" <= ch <= "Z":
            result.append(ch)
            continue
        shift = ord(key[used % len(key)]) - ord("A")
        result.append(chr((ord(ch) - ord("A") + shift) % 26 + ord("A")))
        used += shift
    return "".join(result)
''',
        "used += shift",
        "used += 1",
    ),
    (
        "palindrome_letters",
        r'''def is_palindrome(text):
    """Does text read the same both ways, letters and digits only?"""
    left, right = 0, len(text) - 1
    while left < right:
        if not text[left].isalnum():
            left += 1
        elif not text[right].isalnum():
            right -= 1
        elif text[left].lower() != text[right]:
            return False
        else:
            left += 1
            right -= 1
    return True
''',
        "elif text[left].lower() != text[right]:",
        "elif text[left].lower() != text[right].lower():",
    ),
    (
        "kmp_failure_table",
        r'''def find_all(text, pattern):
    """Start positions of all (also overlapping) matches of pattern."""
    fail = [0] * len(pattern)
    k = 0
    for i in range(1, len(pattern)):
        while k and pattern[i] != pattern[k]:
            k = fail[k - 1]
        if pattern[i] == pattern[k]:
            k += 1
        fail[i] = k

    positions = []
    k = 0
    for i, ch in enumerate(text):
        while k and ch != pattern[k]:
            k = fail[k - 1]
        if ch == pattern[k]:
            k += 1
        if k == len(pattern):
            positions.append(i - k + 1)
            k = 0
    return positions
''',
        "positions.append(i - k + 1)\n            k = 0",
        "positions.append(i - k + 1)\n            k = fail[k - 1]",
    ),
    (
        "rabin_karp_verify",
        r'''def rabin_karp(text, pattern, base=256, modulus=101):
    """Index of the first match of pattern in text, or -1."""
    m = len(pattern)
    if m > len(text):
        return -1
    high = pow(base, m - 1, modulus)
    wanted = seen = 0
    for i in range(m):
        wanted = (wanted * base + ord(pattern[i])) % modulus
        seen = (seen * base + ord(text[i])) % modulus
    for start in range(len(text) - m + 1):
        if wanted == seen:
            return start
        if start + m < len(text):
            seen -= ord(text[start]) * high
            seen = (seen * base + ord(text[start + m])) % modulus
    return -1
''',
        "if wanted == seen:",
        "if wanted == seen and text[start:start + m] == pattern:",
    ),
    (
        "wildcard_match",
        r'''def matches(pattern, text):
    """Shell-like match: ? is one character, * any number of them."""
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
            p, t = star + 1, t + 1
        else:
            return False
    return all(ch == "*" for ch in pattern[p:])
''',
        "t + 1",
        "mark",
    ),
    (
        "longest_common_prefix",
        r'''def common_prefix(words):
    """The longest string with which all the words begin."""
    if not words:
        return ""
    prefix = words[0]
    for word in words[1:]:
        n = 0
        while n < min(len(prefix), len(word)) and word[n] == prefix[n]:
            n += 1
        prefix = prefix[:len(word)]
    return prefix
''',
        "prefix = prefix[:len(word)]",
        "prefix = prefix[:n]",
    ),
    (
        "longest_unique_substring",
        r'''def longest_without_repeat(text):
    """The longest piece of text in which no character comes twice."""
    last_seen = {}
    start = 0
    best = ""
    for i, ch in enumerate(text):
        if ch in last_seen:
            start = last_seen[ch] + 1
        last_seen[ch] = i
        if i + 1 - start > len(best):
            best = text[start:i + 1]
    return best
''',
        "if ch in last_seen:",
        "if ch in last_seen and last_seen[ch] >= start:",
    ),
    (
        "anagram_groups_key",
        r'''def group_anagrams(words):
    """Lists of words with the same letters, in order of first appearance."""
    groups = {}
    for word in words:
        key = "".join(sorted(set(word)))
        if key not in groups:
            groups[key] = []
        groups[key].append(word)
    return list(groups.values())
''',
        "set(word)",
        "word",
    ),
    (
        "camel_to_snake",
        r'''def snake_case(name):
    """Turn a CamelCase name into snake_case.

    A row of capitals stays one word: "parseHTTPReply" -> parse_http_reply.
    """
    result = ""
    for i, ch in enumerate(name):
        if ch.isupper() and i > 0:
            after_small = not name[i - 1].isupper()
            before_small = i + 1 < len(name) and name[i + 1].islower()
            if after_small and before_small:
                result += "_"
        result += ch.lower()
    return result
''',
        "if after_small and before_small:",
        "if after_small or before_small:",
    ),
    (
        "roman_subtract",
        r'''ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def roman_to_int(numeral):
    """Value of a Roman numeral such as MCMXCIV."""
    total = 0
    highest = 0
    for letter in numeral:
        value = ROMAN[letter]
        if value < highest:
            total -= value
        else:
            total += value
            highest = value
    return total
''',
        "for letter in numeral:",
        "for letter in reversed(numeral):",
    ),
    (
        "pig_latin_vowel",
        r'''def pig_latin(sentence):
    """Move the consonants at the start of each word to its end, plus "ay".

    Words that start with a vowel get "way" instead.
    """
    words = []
    for word in sentence.split():
        cut = 0
        while cut < len(word) and word[cut] not in "aeiou":
            cut += 1
        if cut == 0:
            words.append(word + "way")
        else:
            words.append(word[cut + 1:] + word[:cut] + "ay")
    return " ".join(words)
''',
        "cut + 1",
        "cut",
    ),
    (
        "format_table_widths",
        r'''def format_table(rows):
    """Rows of strings as text, each column as wide as its widest cell."""
    widths = [0] * len(rows[0])
    for row in rows:
        for i, cell in enumerate(row):
            widths[i] = max(widths[i - 1], len(cell))
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths)]
        lines.append(" | ".join(cells).rstrip())
    return "\n".join(lines)
''',
        "i - 1",
        "i",
    ),
    (
        "template_fill_missing",
        r'''def fill(template, values):
    """Replace each {name} in template by its value.

    Names without a value stay as they are, braces included.
    """
    result = []
    i = 0
    while i < len(template):
        end = template.find("}", i)
        if template[i] == "{" and end != -1:
            name = template[i + 1:end]
            result.append(str(values.get(name, name)))
            i = end + 1
        else:
            result.append(template[i])
            i += 1
    return "".join(result)
''',
        "result.append(str(values.get(name, name)))",
        "result.append(str(values.get(name, template[i:end + 1])))",
    ),
    (
        "escape_sequences_decode",
        r'''def unescape(text):
    """Replace backslash-n, backslash-t and doubled backslashes."""
    special = {"n": "\n", "t": "\t", "\\": "\\"}
    result = ""
    i = 0
    while i < len(text):
        if text[i] == "\\" and i + 1 < len(text):
            follower = text[i + 1]
            result += special.get(follower, "\\" + follower)
            i += 1
        else:
            result += text[i]
            i += 1
    return result
''',
        'result += special.get(follower, "\\\\" + follower)\n            i += 1',
        'result += special.get(follower, "\\\\" + follower)\n            i += 2',
    ),
    (
        "base64_padding",
        r'''ALPHABET = ("ABCDEFGHIJKLMNOPQRSTUVWXYZ"
            "abcdefghijklmnopqrstuvwxyz0123456789+/")


def base64_encode(data):
    """The base64 text of some bytes, padded with = to full groups."""
    out = []
    for start in range(0, len(data), 3):
        group = data[start:start + 3]
        missing = 3 - len(group)
        number = int.from_bytes(group + bytes(missing), "big")
        letters = ""
        for shift in (18, 12, 6, 0):
            letters += ALPHABET[(number >> shift) & 64]
        if missing:
            letters = letters[:-missing] + "=" * missing
        out.append(letters)
    return "".join(out)
''',
        "letters += ALPHABET[(number >> shift) & 64]",
        "letters += ALPHABET[(number >> shift) & 63]",
    ),
    (
        "url_query_parse",
        r'''from urllib.parse import unquote


def parse_query(query):
    """Turn "a=1&b=x%20y&a=2" into {"a": ["1", "2"], "b": ["x y"]}."""
    result = {}
    for part in query.lstrip("?").split("&"):
        if not part:
            continue
        key, _, value = part.partition("=")
        key = unquote(key.replace("+", " "))
        value = unquote(value.replace("+", " "))
        result[key] = [value]
    return result
''',
        "[key] = [value]",
        ".setdefault(key, []).append(value)",
    ),
    (
        "tokenizer_two_char",
        r'''def tokenize(source):
    """Split source into names, numbers and operators.

    Of two-character operators such as <= the whole is one token.
    """
    tokens = []
    i = 0
    while i < len(source):
        ch = source[i]
        if ch.isspace():
            i += 1
            continue
        end = i + 1
        if ch.isalnum():
            while end < len(source) and source[end].isalnum():
                end += 1
        elif source[i:i + 2] in ("<=", ">=", "==", "!="):
            end = i + 2
        tokens.append(source[i:end])
        i += 1
    return tokens
''',
        "tokens.append(source[i:end])\n        i += 1",
        "tokens.append(source[i:end])\n        i = end",
    ),
    (
        "markdown_emphasis_toggle",
        r'''import re


def emphasis(text):
    """Turn **bold** and *italic* of a line into HTML tags."""
    names = {"**": "b", "*": "i"}
    open_tags = []
    result = []
    for piece in re.split(r"(\*\*|\*)", text):
        if piece not in names:
            result.append(piece)
            continue
        name = names[piece]
        if open_tags and open_tags[-1] == name:
            open_tags.pop()
            result.append(f"</{name}>")
        else:
            result.append(f"<{name}>")
    return "".join(result)
''',
        'result.append(f"<{name}>")',
        'open_tags.append(name)\n            result.append(f"<{name}>")',
    ),
    (
        "natural_sort_key",
        r'''import re


def natural_sorted(names):
    """Sort names so that "file10" comes behind "file9".

    Letters are compared without regard to case.
    """

    def key(name):
        parts = []
        for piece in re.findall(r"\d+|\D+", name.lower()):
            if piece.isdigit():
                parts.append((0, piece, ""))
            else:
                parts.append((1, 0, piece))
        return parts

    return sorted(names, key=key)
''',
        'parts.append((0, piece, ""))',
        'parts.append((0, int(piece), ""))',
    ),
    (
        "bracket_checker",
        r'''PAIRS = {")": "(", "]": "[", "}": "{"}


def first_bracket_error(text):
    """Position of the first wrong bracket, or None when all is well.

    For brackets that are never closed it is the innermost open one.
    """
    waiting = []
    for i, ch in enumerate(text):
        if ch in PAIRS.values():
            waiting.append((ch, i))
        elif ch in PAIRS:
            if waiting[-1][0] != PAIRS[ch]:
                return i
            waiting.pop()
    return waiting[-1][1] if waiting else None
''',
        "if waiting[-1][0] != PAIRS[ch]:",
        "if not waiting or waiting[-1][0] != PAIRS[ch]:",
    ),
    (
        "diff_longest_common",
        r'''def common_subsequence(a, b):
    """One of the longest common subsequences of two strings."""
    length = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            if x == y:
                length[i + 1][j + 1] = length[i][j] + 1
            else:
                length[i + 1][j + 1] = max(length[i][j + 1], length[i + 1][j])
    picked = []
    i, j = len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1]:
            picked.append(a[i - 1])
            i, j = i - 1, j - 1
        elif length[i - 1][j] < length[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return "".join(reversed(picked))
''',
        "elif length[i - 1][j] < length[i][j - 1]:",
        "elif length[i - 1][j] >= length[i][j - 1]:",
    ),
    (
        "file_size_format",
        r'''def human_size(count):
    """A number of bytes for people to read: 1536 -> "1.5 KiB"."""
    units = ["B", "KiB", "MiB", "GiB", "TiB"]
    size = float(count)
    unit = 0
    while size >= 1024 and unit < len(units):
        size /= 1024
        unit += 1
    if unit == 0:
        return f"{count} {units[0]}"
    return f"{size:.1f} {units[unit]}"
''',
        "while size >= 1024 and unit < len(units):",
        "while size >= 1024 and unit < len(units) - 1:",
    ),
    (
        "extended_gcd_update",
        r'''def extended_gcd(a, b):
    """(g, x, y) with g the greatest common divisor and a*x + b*y == g."""
    old_r, r = a, b
    old_x, x = 1, 0
    old_y, y = 0, 1
    while r:
        quotient = old_r // r
        old_r, r = r, old_r - quotient * r
        old_x, x = x, old_x - quotient * x
        old_y, y = y, old_y - quotient * old_y
    return old_r, old_x, old_y
''',
        "old_y, y = y, old_y - quotient * old_y",
        "old_y, y = y, old_y - quotient * y",
    ),
    (
        "sieve_upper_end",
        r'''def primes_up_to(limit):
    """All prime numbers not above limit, by the sieve of Eratosthenes."""
    if limit < 2:
        return []
    is_prime = [True] * (limit + 1)
    is_prime[0] = is_prime[1] = False
    p = 2
    while p * p < limit:
        if is_prime[p]:
            for multiple in range(p * p, limit + 1, p):
                is_prime[multiple] = False
        p += 1
    return [n for n, prime in enumerate(is_prime) if prime]
''',
        "while p * p < limit:",
        "while p * p <= limit:",
    ),
    (
        "factorise_rest",
        r'''def prime_factors(n):
    """Dictionary of the primes of n > 0 and how often each divides it."""
    factors = {}
    p = 2
    while p * p <= n:
        while n % p == 0:
            factors[p] = factors.get(p, 0) + 1
            n //= p
        p += 1
    return factors
''',
        "return factors",
        "if n > 1:\n        factors[n] = 1\n    return factors",
    ),
    (
        "power_mod_square",
        r'''def power_mod(base, exponent, modulus):
    """base ** exponent modulo modulus with few multiplications."""
    result = 1 % modulus
    base %= modulus
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base % modulus
        base = base + base % modulus
        exponent //= 2
    return result
''',
        "base = base + base % modulus",
        "base = base * base % modulus",
    ),
    (
        "to_base_zero",
        r'''DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def to_base(number, base):
    """Write an integer in a base from 2 to 36, with a minus if needed."""
    sign = "-" if number < 0 else ""
    number = abs(number)
    digits = []
    while number:
        number, digit = divmod(number, base)
        digits.append(DIGITS[digit])
    return sign + "".join(reversed(digits))
''',
        'sign = "-" if number < 0 else ""',
        'if number == 0:\n        return "0"\n    sign = "-" if number < 0 else ""',
    ),
    (
        "leap_year_days",
        r'''def day_of_year(year, month, day):
    """The number of a date within its year; the first of January is 1."""
    lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if year % 4 == 0 and (year % 100 != 0 or year % 100 == 0):
        lengths[1] = 29
    if not 1 <= month <= 12:
        raise ValueError("no such month")
    if not 1 <= day <= lengths[month - 1]:
        raise ValueError("no such day")
    return sum(lengths[:month - 1]) + day
''',
        "if year % 4 == 0 and (year % 100 != 0 or year % 100 == 0):",
        "if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0):",
    ),
    (
        "add_months_clamp",
        r'''import calendar
import datetime


def add_months(date, months):
    """The same day some months later.

    If that month is too short it is the month's last day.
    """
    index = date.year * 12 + date.month - 1 + months
    year, month = divmod(index, 12)
    month += 1
    last = calendar.monthrange(date.year, month)[1]
    return datetime.date(year, month, min(date.day, last))
''',
        "last = calendar.monthrange(date.year, month)[1]",
        "last = calendar.monthrange(year, month)[1]",
    ),
    (
        "zeller_weekday",
        r'''def weekday(year, month, day):
    """Name of the weekday of a date in the Gregorian calendar."""
    names = ["Saturday", "Sunday", "Monday", "Tuesday",
             "Wednesday", "Thursday", "Friday"]
    if month < 3:
        month += 12
    century, rest = divmod(year, 100)
    number = (day + 13 * (month + 1) // 5 + rest
              + rest // 4 + century // 4 + 5 * century)
    return names[number % 7]
''',
        "month += 12",
        "month += 12\n        year -= 1",
    ),
    (
        "split_bill_pennies",
        r'''def split_amount(cents, people):
    """Shares of an amount for so many people, as equal as possible.

    The cents that are left over go to the first people, one for each.
    """
    if people <= 0:
        raise ValueError("nobody to pay")
    share = cents // people
    left_over = cents % share
    shares = [share] * people
    for i in range(left_over):
        shares[i] += 1
    return shares
''',
        "left_over = cents % share",
        "left_over = cents % people",
    ),
    (
        "loan_schedule",
        r'''def loan_schedule(principal, yearly_percent, payment):
    """Rows (interest, repaid, balance) in cents for each month.

    The last payment is only as large as it needs to be.
    """
    balance = principal
    rows = []
    while balance > 0:
        interest = round(principal * yearly_percent / 1200)
        repaid = min(payment - interest, balance)
        if repaid <= 0:
            raise ValueError("the payment does not cover the interest")
        balance -= repaid
        rows.append((interest, repaid, balance))
    return rows
''',
        "interest = round(principal * yearly_percent / 1200)",
        "interest = round(balance * yearly_percent / 1200)",
    ),
    (
        "tax_brackets",
        r'''def income_tax(income, brackets):
    """Tax in which each bracket's rate holds only for the part inside it.

    brackets: pairs (upper limit, rate) in rising order, the last limit
    being None.
    """
    tax = 0.0
    lower = 0
    for upper, rate in brackets:
        if upper is None or income <= upper:
            return tax + income * rate
        tax += (upper - lower) * rate
        lower = upper
    raise ValueError("the last bracket must be open")
''',
        "return tax + income * rate",
        "return tax + (income - lower) * rate",
    ),
    (
        "sample_variance",
        r'''def sample_deviation(values):
    """Standard deviation of a sample (the unbiased variance's root)."""
    n = len(values)
    if n < 2:
        raise ValueError("need at least two values")
    mean = sum(values) / n
    squares = 0.0
    for value in values:
        squares += (value - mean) ** 2
    return (squares / n) ** 0.5
''',
        "return (squares / n) ** 0.5",
        "return (squares / (n - 1)) ** 0.5",
    ),
    (
        "welford_running",
        r'''class RunningStats:
    """Mean and variance of a stream of numbers, in one pass."""

    def __init__(self):
        self.count = 0
        self.mean = 0.0
        self.squares = 0.0

    def add(self, x):
        self.count += 1
        delta = x - self.mean
        self.mean += delta / self.count
        self.squares += delta * delta

    def variance(self):
        """Variance of all numbers so far as a whole population."""
        if self.count == 0:
            raise ValueError("no numbers yet")
        return self.squares / self.count
''',
        "self.squares += delta * delta",
        "self.squares += delta * (x - self.mean)",
    ),
    (
        "regression_intercept",
        r'''def fit_line(points):
    """Slope and intercept of the least-squares line through points."""
    n = len(points)
    mean_x = sum(x for x, _ in points) / n
    mean_y = sum(y for _, y in points) / n
    top = sum((x - mean_x) * (y - mean_y) for x, y in points)
    bottom = sum((x - mean_x) ** 2 for x, _ in points)
    if bottom == 0:
        raise ValueError("all points are above each other")
    slope = top / bottom
    return slope, mean_y - slope
''',
        "return slope, mean_y - slope",
        "return slope, mean_y - slope * mean_x",
    ),
    (
        "percentile_interpolate",
        r'''def percentile(values, percent):
    """The given percentile, interpolated between neighbours."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    position = (len(ordered) - 1) * percent / 100
    index = int(position)
    part = position - index
    if part == 0:
        return ordered[index]
    low, high = ordered[index], ordered[index + 1]
    return low + (high - low) * position
''',
        "return low + (high - low) * position",
        "return low + (high - low) * part",
    ),
    (
        "mode_ties",
        r'''def modes(values):
    """All the most frequent values in rising order."""
    counts = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    best = 0
    result = []
    for value, count in counts.items():
        if count >= best:
            best = count
            result = [value]
        elif count == best:
            result.append(value)
    return sorted(result)
''',
        "if count >= best:",
        "if count > best:",
    ),
    (
        "determinant_swap_sign",
        r'''from fractions import Fraction


def determinant(matrix):
    """Determinant of a square matrix by elimination, exactly."""
    rows = [[Fraction(x) for x in row] for row in matrix]
    n = len(rows)
    result = Fraction(1)
    for c in range(n):
        pivot = next((r for r in range(c, n) if rows[r][c]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != c:
            rows[c], rows[pivot] = rows[pivot], rows[c]
        result *= rows[c][c]
        for r in range(c + 1, n):
            factor = rows[r][c] / rows[c][c]
            for k in range(c, n):
                rows[r][k] -= factor * rows[c][k]
    return result
''',
        "rows[c], rows[pivot] = rows[pivot], rows[c]",
        "rows[c], rows[pivot] = rows[pivot], rows[c]\n            result = -result",
    ),
    (
        "rotate_matrix_layers",
        r'''def rotate(matrix):
    """Turn a square matrix by 90 degrees clockwise, in place."""
    n = len(matrix)
    for i in range(n):
        for j in range(n):
            matrix[i][j], matrix[j][i] = matrix[j][i], matrix[i][j]
    for row in matrix:
        row.reverse()
    return matrix
''',
        "for j in range(n):",
        "for j in range(i):",
    ),
    (
        "integer_root_newton",
        r'''def integer_root(n):
    """The largest integer whose square is not above n, by Newton's method."""
    if n < 0:
        raise ValueError("negative number")
    if n == 0:
        return 0
    guess = n
    better = (guess + 1) // 2
    while better != guess:
        guess = better
        better = (guess + n // guess) // 2
    return guess
''',
        "while better != guess:",
        "while better < guess:",
    ),
    (
        "polynomial_division",
        r'''def divide_polynomials(dividend, divisor):
    """(quotient, remainder) of polynomials, highest coefficient first.

    The divisor's first coefficient must not be zero.
    """
    rest = list(dividend)
    steps = len(dividend) - len(divisor) + 1
    quotient = []
    for i in range(max(steps, 0)):
        factor = rest[i] / divisor[0]
        quotient.append(factor)
        for j, coefficient in enumerate(divisor):
            rest[j] -= factor * coefficient
    return quotient, rest[max(steps, 0):]
''',
        "rest[j] -= factor * coefficient",
        "rest[i + j] -= factor * coefficient",
    ),
    (
        "luhn_check",
        r'''def luhn_valid(number):
    """Check a card number (a string that may have blanks) by Luhn's rule."""
    digits = [int(ch) for ch in number if ch.isdigit()]
    total = 0
    for i, digit in enumerate(reversed(digits)):
        if i % 2 == 1:
            digit *= 2
            if digit > 9:
                digit -= 10
        total += digit
    return len(digits) > 1 and total % 10 == 0
''',
        "digit -= 10",
        "digit -= 9",
    ),
    (
        "divisor_sum_square",
        r'''def divisors(n):
    """All positive divisors of n > 0 in rising order."""
    small = []
    large = []
    d = 1
    while d * d <= n:
        if n % d == 0:
            small.append(d)
            if d != n:
                large.append(n // d)
        d += 1
    return small + large[::-1]
''',
        "if d != n:",
        "if d != n // d:",
    ),
    (
        "rational_addition",
        r'''from math import gcd


class Rational:
    """An exact fraction in lowest terms with a positive denominator."""

    def __init__(self, top, bottom=1):
        if bottom == 0:
            raise ZeroDivisionError("denominator is zero")
        if bottom < 0:
            top, bottom = -top, -bottom
        common = gcd(top, bottom)
        self.top = top // common
        self.bottom = bottom // common

    def __add__(self, other):
        top = self.top * other.bottom - other.top * self.bottom
        return Rational(top, self.bottom * other.bottom)

    def __eq__(self, other):
        return (self.top, self.bottom) == (other.top, other.bottom)

    def __repr__(self):
        return f"{self.top}/{self.bottom}"
''',
        "top = self.top * other.bottom - other.top * self.bottom",
        "top = self.top * other.bottom + other.top * self.bottom",
    ),
    (
        "digit_addition_carry",
        r'''def add_decimal(a, b):
    """The sum of two numbers written as strings of decimal digits."""
    width = max(len(a), len(b))
    a, b = a.zfill(width), b.zfill(width)
    carry = 0
    digits = []
    for x, y in zip(reversed(a), reversed(b)):
        carry, digit = divmod(int(x) + int(y) + carry, 10)
        digits.append(str(digit))
    return "".join(reversed(digits))
''',
        'return "".join(reversed(digits))',
        'if carry:\n        digits.append(str(carry))\n    return "".join(reversed(digits))',
    ),
    (
        "chinese_remainder",
        r'''def chinese_remainder(remainders, moduli):
    """The smallest x >= 0 that leaves each remainder for its modulus.

    The moduli must have no common factors.
    """
    product = 1
    for modulus in moduli:
        product *= modulus
    total = 0
    for remainder, modulus in zip(remainders, moduli):
        others = product // modulus
        inverse = pow(others, -1, modulus)
        total += remainder * inverse
    return total % product
''',
        "total += remainder * inverse",
        "total += remainder * inverse * others",
    ),
    (
        "simpson_weights",
        r'''def simpson(f, a, b, steps=100):
    """Integral of f from a to b by Simpson's rule with an even step count."""
    if steps % 2:
        raise ValueError("the number of steps must be even")
    width = (b - a) / steps
    total = f(a) + f(b)
    for i in range(1, steps):
        weight = 4 if i % 2 == 0 else 2
        total += weight * f(a + i * width)
    return total * width / 3
''',
        "== 0",
        "== 1",
    ),
    (
        "bfs_distance_layers",
        r'''from collections import deque


def distances(graph, start):
    """Number of edges from start to each node that can be reached."""
    distance = {start: 0}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for neighbour in graph[node]:
            if neighbour not in distance:
                distance[neighbour] = distance[start] + 1
                queue.append(neighbour)
    return distance
''',
        "distance[neighbour] = distance[start] + 1",
        "distance[neighbour] = distance[node] + 1",
    ),
    (
        "dijkstra_relax_total",
        r'''import heapq


def cheapest(graph, start):
    """Smallest total cost from start to every node that can be reached.

    graph[node] is a list of pairs (neighbour, cost).
    """
    cost = {start: 0}
    heap = [(0, start)]
    while heap:
        so_far, node = heapq.heappop(heap)
        if so_far > cost[node]:
            continue
        for neighbour, step in graph[node]:
            total = so_far + step
            if neighbour not in cost or total < cost[neighbour]:
                cost[neighbour] = total
                heapq.heappush(heap, (step, neighbour))
    return cost
''',
        "heapq.heappush(heap, (step, neighbour))",
        "heapq.heappush(heap, (total, neighbour))",
    ),
    (
        "bellman_ford_rounds",
        r'''def bellman_ford(nodes, edges, start):
    """Cheapest costs from start; the edges (a, b, cost) may be negative.

    Returns None if a circle of negative cost can be reached.
    """
    infinity = float("inf")
    cost = {node: infinity for node in nodes}
    cost[start] = 0
    for round_number in range(len(nodes) - 1):
        changed = False
        for a, b, step in edges:
            if cost[a] + step < cost[b]:
                cost[b] = cost[a] + step
                changed = True
        if not changed:
            return cost
    return None
''',
        "len(nodes) - 1",
        "len(nodes)",
    ),
    (
        "floyd_warshall_order",
        r'''from itertools import product


def all_pairs(n, edges):
    """Matrix of the shortest distances between the nodes 0..n-1.

    edges holds directed triples (from, to, length).
    """
    infinity = float("inf")
    distance = [[infinity] * n for _ in range(n)]
    for i in range(n):
        distance[i][i] = 0
    for a, b, length in edges:
        distance[a][b] = min(distance[a][b], length)
    for i, j, k in product(range(n), repeat=3):
        through = distance[i][k] + distance[k][j]
        if through < distance[i][j]:
            distance[i][j] = through
    return distance
''',
        "i, j, k",
        "k, i, j",
    ),
    (
        "kahn_cycle_check",
        r'''from collections import deque


def topological_order(graph):
    """The nodes so that each stands before those it points to.

    Raises ValueError if there is a cycle.
    """
    incoming = {node: 0 for node in graph}
    for targets in graph.values():
        for target in targets:
            incoming[target] += 1
    ready = deque(node for node, count in incoming.items() if count == 0)
    order = []
    while ready:
        node = ready.popleft()
        order.append(node)
        for target in graph[node]:
            incoming[target] -= 1
            if incoming[target] == 0:
                ready.append(target)
    return order
''',
        "return order",
        'if len(order) != len(graph):\n        raise ValueError("the graph has a cycle")\n    return order',
    ),
    (
        "cycle_colours",
        r'''def has_cycle(graph):
    """Is there a directed cycle in the graph?"""
    WHITE, GREY, BLACK = 0, 1, 2
    colour = {node: WHITE for node in graph}

    def visit(node):
        colour[node] = GREY
        for target in graph[node]:
            if colour[target] == GREY:
                return True
            if colour[target] == WHITE and visit(target):
                return True
        colour[node] = WHITE
        return False

    return any(colour[node] == WHITE and visit(node) for node in graph)
''',
        "colour[node] = WHITE",
        "colour[node] = BLACK",
    ),
    (
        "count_components_undirected",
        r'''def components(nodes, edges):
    """Connected parts of an undirected graph, each as a sorted list."""
    neighbours = {node: set() for node in nodes}
    for a, b in edges:
        neighbours[a].add(b)
        neighbours[a].add(b)
    seen = set()
    parts = []
    for node in nodes:
        if node in seen:
            continue
        seen.add(node)
        part, stack = [], [node]
        while stack:
            current = stack.pop()
            part.append(current)
            for other in neighbours[current] - seen:
                seen.add(other)
                stack.append(other)
        parts.append(sorted(part))
    return parts
''',
        "neighbours[a].add(b)\n        neighbours[a].add(b)",
        "neighbours[a].add(b)\n        neighbours[b].add(a)",
    ),
    (
        "tarjan_on_stack",
        r'''def strong_components(graph):
    """Strongly connected components by Tarjan's algorithm."""
    index, low = {}, {}
    stack, on_stack = [], set()
    result = []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for target in graph[node]:
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in index:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            part = set()
            while node not in part:
                member = stack.pop()
                on_stack.discard(member)
                part.add(member)
            result.append(part)

    for node in graph:
        if node not in index:
            visit(node)
    return result
''',
        "elif target in index:",
        "elif target in on_stack:",
    ),
    (
        "bridges_low_link",
        r'''def bridges(graph):
    """Edges whose removal would split the undirected graph."""
    order, low = {}, {}
    found = []

    def visit(node, parent):
        order[node] = low[node] = len(order)
        for other in graph[node]:
            if other == parent:
                continue
            if other in order:
                low[node] = min(low[node], order[other])
            else:
                visit(other, node)
                low[node] = min(low[node], low[other])
                if low[other] >= order[node]:
                    found.append((node, other))

    for node in graph:
        if node not in order:
            visit(node, None)
    return found
''',
        "if low[other] >= order[node]:",
        "if low[other] > order[node]:",
    ),
    (
        "kruskal_sort_key",
        r'''def spanning_tree(n, edges):
    """Edges (a, b, weight) of a cheapest spanning tree of nodes 0..n-1."""
    group = list(range(n))

    def find(node):
        while group[node] != node:
            group[node] = group[group[node]]
            node = group[node]
        return node

    tree = []
    for edge in sorted(edges):
        a, b, _ = edge
        root_a, root_b = find(a), find(b)
        if root_a != root_b:
            group[root_a] = root_b
            tree.append(edge)
    return tree
''',
        "for edge in sorted(edges):",
        "for edge in sorted(edges, key=lambda edge: edge[2]):",
    ),
    (
        "prim_frontier",
        r'''import heapq


def prim(graph, start):
    """Total weight of a cheapest spanning tree of a connected graph.

    graph[node] is a list of pairs (weight, neighbour).
    """
    joined = {start}
    frontier = list(graph[start])
    heapq.heapify(frontier)
    total = 0
    while frontier:
        weight, node = heapq.heappop(frontier)
        joined.add(node)
        total += weight
        for edge in graph[node]:
            if edge[1] not in joined:
                heapq.heappush(frontier, edge)
    return total
''',
        "joined.add(node)",
        "if node in joined:\n            continue\n        joined.add(node)",
    ),
    (
        "bipartite_colour",
        r'''def two_colouring(graph):
    """Colours 0 and 1 so that neighbours differ, or None if impossible."""
    colour = {}
    for start in graph:
        if start in colour:
            continue
        colour[start] = 0
        stack = [start]
        while stack:
            node = stack.pop()
            for other in graph[node]:
                if other not in colour:
                    colour[other] = 1
                    stack.append(other)
                elif colour[other] == colour[node]:
                    return None
    return colour
''',
        "colour[other] = 1",
        "colour[other] = 1 - colour[node]",
    ),
    (
        "max_flow_residual",
        r'''from collections import defaultdict, deque


def max_flow(edges, source, sink):
    """Largest flow along directed edges (a, b, capacity)."""
    room = defaultdict(lambda: defaultdict(int))
    for a, b, capacity in edges:
        room[a][b] += capacity
    flow = 0
    while True:
        before = {source: None}
        queue = deque([source])
        while queue and sink not in before:
            node = queue.popleft()
            for other, left in list(room[node].items()):
                if left > 0 and other not in before:
                    before[other] = node
                    queue.append(other)
        if sink not in before:
            return flow
        path, node = [], sink
        while before[node] is not None:
            path.append((before[node], node))
            node = before[node]
        amount = min(room[a][b] for a, b in path)
        for a, b in path:
            room[a][b] -= amount
            room[b][a] -= amount
        flow += amount
''',
        "room[b][a] -= amount",
        "room[b][a] += amount",
    ),
    (
        "grid_path_bounds",
        r'''from collections import deque


def steps_through_maze(maze, start, goal):
    """Fewest steps between two cells of a maze ("#" is wall), or None."""
    height, width = len(maze), len(maze[0])
    queue = deque([(start, 0)])
    seen = {start}
    while queue:
        (r, c), steps = queue.popleft()
        if (r, c) == goal:
            return steps
        for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            nr, nc = r + dr, c + dc
            if not (0 <= nr < height and 0 <= nc < height):
                continue
            if maze[nr][nc] != "#" and (nr, nc) not in seen:
                seen.add((nr, nc))
                queue.append(((nr, nc), steps + 1))
    return None
''',
        "if not (0 <= nr < height and 0 <= nc < height):",
        "if not (0 <= nr < height and 0 <= nc < width):",
    ),
    (
        "islands_sink",
        r'''def count_islands(rows):
    """Number of groups of "x" that touch at a side or a corner."""
    land = {(r, c) for r, row in enumerate(rows)
            for c, cell in enumerate(row) if cell == "x"}
    islands = 0
    while land:
        islands += 1
        stack = [land.pop()]
        while stack:
            r, c = stack.pop()
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    cell = (r + dr, c + dc)
                    if cell in land:
                        land.discard(cell)
                        stack.append((r, c))
    return islands
''',
        "stack.append((r, c))",
        "stack.append(cell)",
    ),
    (
        "astar_priority",
        r'''import heapq


def a_star(passable, start, goal):
    """Length of a shortest path over passable cells, or None.

    passable is a set of cells (x, y); moves go to the four neighbours.
    """

    def estimate(cell):
        return abs(cell[0] - goal[0]) + abs(cell[1] - goal[1])

    best = {start: 0}
    heap = [(estimate(start), start)]
    while heap:
        _, cell = heapq.heappop(heap)
        if cell == goal:
            return best[cell]
        x, y = cell
        for new in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            length = best[cell] + 1
            if new in passable and length < best.get(new, length + 1):
                best[new] = length
                heapq.heappush(heap, (estimate(new), new))
    return None
''',
        "heapq.heappush(heap, (estimate(new), new))",
        "heapq.heappush(heap, (length + estimate(new), new))",
    ),
    (
        "euler_path_reverse",
        r'''def euler_trail(edges, start):
    """A walk over every undirected edge exactly once (Hierholzer).

    The edges must allow such a walk from start; no edge comes twice.
    """
    neighbours = {}
    for a, b in edges:
        neighbours.setdefault(a, set()).add(b)
        neighbours.setdefault(b, set()).add(a)
    stack = [start]
    trail = []
    while stack:
        node = stack[-1]
        if neighbours[node]:
            other = neighbours[node].pop()
            neighbours[other].discard(node)
            stack.append(other)
        else:
            trail.append(node)
    return trail[::-1]
''',
        "trail.append(node)",
        "trail.append(stack.pop())",
    ),
    (
        "critical_path",
        r'''from functools import lru_cache


def project_length(durations, needs):
    """Time until all tasks are done when they run in parallel.

    needs[task] lists the tasks that must be finished before it starts.
    """

    @lru_cache(maxsize=None)
    def finish(task):
        start = 0
        for earlier in needs.get(task, ()):
            start += finish(earlier)
        return start + durations[task]

    return max(finish(task) for task in durations)
''',
        "+= finish(earlier)",
        "= max(start, finish(earlier))",
    ),
    (
        "word_ladder_used",
        r'''from collections import deque
from string import ascii_lowercase


def ladder(first, last, words):
    """A shortest chain of words, each differing in one letter, or None."""
    unused = set(words) - {first}
    queue = deque([[first]])
    while queue:
        chain = queue.popleft()
        word = chain[-1]
        if word == last:
            return chain
        for i in range(len(word)):
            for letter in ascii_lowercase:
                other = word[:i] + letter + word[i:]
                if other in unused:
                    unused.remove(other)
                    queue.append(chain + [other])
    return None
''',
        "other = word[:i] + letter + word[i:]",
        "other = word[:i] + letter + word[i + 1:]",
    ),
    (
        "path_rebuild_start",
        r'''def rebuild_path(parents, goal):
    """The nodes from the root of a search to goal.

    parents maps each node that was reached to the one it was reached
    from, and the root to None.
    """
    if goal not in parents:
        return None
    path = []
    node = goal
    while node is not None:
        path.append(node)
        node = parents[goal]
    path.reverse()
    return path
''',
        "node = parents[goal]",
        "node = parents[node]",
    ),
    (
        "kosaraju_transpose",
        r'''def kosaraju(graph):
    """Strongly connected components by two depth-first walks."""

    def walk(node, edges, seen, output):
        seen.add(node)
        for other in edges[node]:
            if other not in seen:
                walk(other, edges, seen, output)
        output.append(node)

    order, seen = [], set()
    for node in graph:
        if node not in seen:
            walk(node, graph, seen, order)
    turned = {node: [] for node in graph}
    for node, targets in graph.items():
        for target in targets:
            turned[target].append(node)
    parts, seen = [], set()
    for node in order:
        if node not in seen:
            part = []
            walk(node, turned, seen, part)
            parts.append(sorted(part))
    return parts
''',
        "for node in order:",
        "for node in reversed(order):",
    ),
    (
        "zero_one_bfs_front",
        r'''from collections import deque


def fewest_toll_roads(roads, start, goal):
    """Smallest number of toll roads on a way from start to goal, or None.

    roads[place] is a list of pairs (place, has_toll).
    """
    tolls = {start: 0}
    queue = deque([start])
    while queue:
        place = queue.popleft()
        if place == goal:
            return tolls[place]
        for other, has_toll in roads[place]:
            total = tolls[place] + (1 if has_toll else 0)
            if other not in tolls or total < tolls[other]:
                tolls[other] = total
                if has_toll:
                    queue.append(other)
                else:
                    queue.append(other)
    return None
''',
        "else:\n                    queue.append(other)",
        "else:\n                    queue.appendleft(other)",
    ),
    (
        "rotting_all_sources",
        r'''def minutes_to_spread(grid):
    """Minutes until fire "F" has reached all trees "T", or None if never.

    Each minute every burning cell sets its four neighbours on fire.
    """
    cells = {(r, c): cell for r, row in enumerate(grid)
             for c, cell in enumerate(row)}
    burning = [place for place, cell in cells.items() if cell == "F"]
    trees = {place for place, cell in cells.items() if cell == "T"}
    minutes = 0
    while trees and burning:
        spread = []
        for r, c in burning:
            for place in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if place in trees:
                    trees.remove(place)
                    burning.append(place)
        burning = spread
        minutes += 1
    return None if trees else minutes
''',
        "burning.append(place)",
        "spread.append(place)",
    ),
    (
        "tree_centre_leaves",
        r'''def tree_centres(neighbours):
    """The one or two middle nodes of a tree, found by peeling leaves.

    neighbours maps each node to the set of nodes beside it.
    """
    degree = {node: len(others) for node, others in neighbours.items()}
    leaves = [node for node in degree if degree[node] <= 1]
    remaining = len(degree)
    while remaining > 2:
        remaining -= len(leaves)
        following = []
        for leaf in leaves:
            for other in neighbours[leaf]:
                degree[other] -= 1
                if degree[other] == 0:
                    following.append(other)
        leaves = following
    return sorted(leaves)
''',
        "if degree[other] == 0:",
        "if degree[other] == 1:",
    ),
    (
        "bipartite_matching_augment",
        r'''def assign_jobs(wishes):
    """Give as many people as possible one job each from their wishes.

    Returns a dictionary from job to person (Kuhn's algorithm).
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
        "if job not in holder or place(person, tried):",
        "if job not in holder or place(holder[job], tried):",
    ),
    (
        "all_simple_paths",
        r'''def simple_paths(graph, start, goal):
    """Every path from start to goal that visits no node twice."""
    paths = []
    path = [start]

    def extend(node):
        if node == goal:
            paths.append(path[:])
            return
        for other in graph[node]:
            if other != start:
                path.append(other)
                extend(other)
                path.pop()

    extend(start)
    return paths
''',
        "!= start",
        "not in path",
    ),
    (
        "account_transfer_guard",
        r'''class Bank:
    """Accounts with balances in cents that never go below zero."""

    def __init__(self):
        self.balances = {}

    def open(self, name, deposit=0):
        if name in self.balances:
            raise ValueError("account exists")
        self.balances[name] = deposit

    def transfer(self, source, target, amount):
        """Move money; nothing changes when the transfer is refused."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        if source not in self.balances and target not in self.balances:
            raise KeyError("unknown account")
        if self.balances[source] < amount:
            raise ValueError("insufficient funds")
        self.balances[source] -= amount
        self.balances[target] += amount

    def total(self):
        return sum(self.balances.values())
''',
        "if source not in self.balances and target not in self.balances:",
        "if source not in self.balances or target not in self.balances:",
    ),
    (
        "vending_change",
        r'''class VendingMachine:
    """Takes coins, sells items and gives back the change."""

    def __init__(self, prices):
        self.prices = dict(prices)
        self.inserted = 0
        self.earned = 0

    def insert(self, coin):
        if coin not in (5, 10, 20, 50, 100, 200):
            raise ValueError("coin not accepted")
        self.inserted += coin

    def buy(self, item):
        """Hand out the item; returns the change, or None if too little."""
        price = self.prices[item]
        if self.inserted < price:
            return None
        change = self.inserted - price
        self.earned += price
        self.inserted = change
        return change

    def cancel(self):
        """Give all inserted coins back."""
        amount, self.inserted = self.inserted, 0
        return amount
''',
        "self.inserted = change",
        "self.inserted = 0",
    ),
    (
        "undo_redo_clear",
        r'''class History:
    """A value with undo and redo."""

    def __init__(self, value):
        self.value = value
        self.past = []
        self.future = []

    def change(self, value):
        """Set a new value; what was undone before is then lost."""
        self.past.append(self.value)
        self.value = value

    def undo(self):
        if not self.past:
            return False
        self.future.append(self.value)
        self.value = self.past.pop()
        return True

    def redo(self):
        if not self.future:
            return False
        self.past.append(self.value)
        self.value = self.future.pop()
        return True
''',
        "self.past.append(self.value)\n        self.value = value",
        "self.past.append(self.value)\n        self.value = value\n        self.future.clear()",
    ),
    (
        "token_bucket_refill",
        r'''class TokenBucket:
    """Allows `rate` actions a second on average, `capacity` at once."""

    def __init__(self, rate, capacity, now=0.0):
        self.rate = rate
        self.capacity = capacity
        self.tokens = capacity
        self.updated = now

    def allow(self, now, cost=1):
        """May an action take place at this time? If so its cost is paid."""
        gained = (now - self.updated) * self.rate
        self.tokens = self.tokens + gained
        self.updated = now
        if self.tokens < cost:
            return False
        self.tokens -= cost
        return True
''',
        "self.tokens + gained",
        "min(self.capacity, self.tokens + gained)",
    ),
    (
        "sliding_window_limit",
        r'''from collections import defaultdict, deque


class WindowLimiter:
    """At most `limit` calls of each user within any `period` seconds."""

    def __init__(self, limit, period):
        self.limit = limit
        self.period = period
        self.calls = defaultdict(deque)

    def allow(self, user, now):
        """Record the call and return True, or refuse it."""
        recent = self.calls[user]
        while recent and recent[-1] <= now - self.period:
            recent.popleft()
        if len(recent) >= self.limit:
            return False
        recent.append(now)
        return True
''',
        "while recent and recent[-1] <= now - self.period:",
        "while recent and recent[0] <= now - self.period:",
    ),
    (
        "turnstile_state",
        r'''class Turnstile:
    """Locked until a coin comes; then one person may push through."""

    TRANSITIONS = {
        ("locked", "coin"): "unlocked",
        ("locked", "push"): "locked",
        ("unlocked", "coin"): "unlocked",
        ("unlocked", "push"): "unlocked",
    }

    def __init__(self):
        self.state = "locked"
        self.passed = 0

    def handle(self, event):
        """Process "coin" or "push" and return the new state."""
        if self.state == "unlocked" and event == "push":
            self.passed += 1
        self.state = self.TRANSITIONS[self.state, event]
        return self.state
''',
        '("unlocked", "push"): "unlocked",',
        '("unlocked", "push"): "locked",',
    ),
    (
        "nested_transactions",
        r'''class TransactionalStore:
    """Keys and values with nested transactions."""

    MISSING = object()

    def __init__(self):
        self.data = {}
        self.saved = []

    def begin(self):
        self.saved.append({})

    def set(self, key, value):
        if self.saved and key not in self.saved[-1]:
            self.saved[-1][key] = self.data.get(key, self.MISSING)
        self.data[key] = value

    def rollback(self):
        """Bring back the state before the innermost begin."""
        for key, old in self.saved.pop().items():
            if old is self.MISSING:
                del self.data[key]
            else:
                self.data[key] = old

    def commit(self):
        """Keep the changes; an outer transaction can still undo them."""
        changes = self.saved.pop()
        if self.saved:
            for key, old in changes.items():
                self.saved[-1][key] = old
''',
        "self.saved[-1][key] = old",
        "self.saved[-1].setdefault(key, old)",
    ),
    (
        "event_once_copy",
        r'''class Emitter:
    """Calls listeners by event name; some of them only once."""

    def __init__(self):
        self.listeners = {}

    def on(self, name, listener, once=False):
        self.listeners.setdefault(name, []).append((listener, once))

    def off(self, name, listener):
        entries = self.listeners.get(name, [])
        for entry in entries:
            if entry[0] == listener:
                entries.remove(entry)
                return

    def emit(self, name, *args):
        """Call all listeners of this moment; returns how many there were."""
        called = 0
        for listener, once in self.listeners.get(name, []):
            if once:
                self.off(name, listener)
            listener(*args)
            called += 1
        return called
''',
        "for listener, once in self.listeners.get(name, []):",
        "for listener, once in list(self.listeners.get(name, [])):",
    ),
    (
        "stopwatch_pause",
        r'''class Stopwatch:
    """Measures time that may be paused; the caller supplies the clock."""

    def __init__(self, clock):
        self.clock = clock
        self.elapsed = 0.0
        self.started = None

    def start(self):
        if self.started is None:
            self.started = self.clock()

    def pause(self):
        """Stop counting; start() goes on from the time reached."""
        if self.started is not None:
            self.elapsed = self.clock() - self.started
            self.started = None

    def read(self):
        if self.started is None:
            return self.elapsed
        return self.elapsed + self.clock() - self.started
''',
        "self.elapsed = self.clock() - self.started",
        "self.elapsed += self.clock() - self.started",
    ),
    (
        "traffic_light_carry",
        r'''class TrafficLight:
    """A light that runs through its phases, one tick being a second."""

    PHASES = (("green", 4), ("yellow", 1), ("red", 5))

    def __init__(self):
        self.index = 0
        self.left = self.PHASES[0][1]

    @property
    def colour(self):
        return self.PHASES[self.index][0]

    def tick(self, seconds=1):
        """Let some seconds pass."""
        while seconds >= self.left:
            seconds -= self.left
            self.index = (self.index + 1) % len(self.PHASES)
            self.left = self.PHASES[self.index][1]
        self.left = seconds
''',
        "self.left = seconds",
        "self.left -= seconds",
    ),
    (
        "tennis_game_deuce",
        r'''class TennisGame:
    """The score of one game of tennis between players 0 and 1."""

    NAMES = ("0", "15", "30", "40")

    def __init__(self):
        self.points = [0, 0]

    def score(self, player):
        """Count a point for a player and return the score as text."""
        self.points[player] += 1
        return self.text()

    def text(self):
        mine, yours = self.points
        lead = mine - yours
        if max(mine, yours) >= 4 and abs(lead) >= 2:
            return "game " + ("0" if lead > 0 else "1")
        if max(mine, yours) >= 3:
            if lead == 0:
                return "deuce"
            return "advantage " + ("0" if lead > 0 else "1")
        return f"{self.NAMES[mine]}-{self.NAMES[yours]}"
''',
        "if max(mine, yours) >= 3:",
        "if min(mine, yours) >= 3:",
    ),
    (
        "bowling_frames",
        r'''def bowling_score(rolls):
    """Score of a full game of ten-pin bowling.

    A strike adds the next two rolls to its frame, a spare the next one.
    """
    total = 0
    i = 0
    for _ in range(10):
        if rolls[i] == 10:
            total += 10 + rolls[i + 1] + rolls[i + 2]
            i += 1
        elif rolls[i] + rolls[i + 1] == 10:
            total += 10 + rolls[i + 1]
            i += 2
        else:
            total += rolls[i] + rolls[i + 1]
            i += 2
    return total
''',
        "elif rolls[i] + rolls[i + 1] == 10:\n            total += 10 + rolls[i + 1]",
        "elif rolls[i] + rolls[i + 1] == 10:\n            total += 10 + rolls[i + 2]",
    ),
    (
        "circuit_breaker_reset",
        r'''class CircuitBreaker:
    """Stops calling a service after several failures in a row.

    When `pause` seconds have passed one call may try it again.
    """

    def __init__(self, limit, pause):
        self.limit = limit
        self.pause = pause
        self.failures = 0
        self.opened_at = None

    def allows(self, now):
        if self.opened_at is None:
            return True
        return now - self.opened_at >= self.pause

    def success(self):
        self.opened_at = None

    def failure(self, now):
        self.failures += 1
        if self.failures >= self.limit:
            self.opened_at = now
''',
        "def success(self):\n        self.opened_at = None",
        "def success(self):\n        self.failures = 0\n        self.opened_at = None",
    ),
    (
        "backoff_attempts",
        r'''def retry(action, attempts, sleep, first_delay=1.0, longest=30.0):
    """Call action until it raises no error, at most `attempts` times.

    Between the calls sleep() gets delays that double up to the longest.
    The error of the last attempt is passed on.
    """
    delay = first_delay
    for attempt in range(1, attempts):
        try:
            return action()
        except Exception:
            if attempt == attempts:
                raise
        sleep(delay)
        delay = min(delay * 2, longest)
    raise ValueError("attempts must be positive")
''',
        "for attempt in range(1, attempts):",
        "for attempt in range(1, attempts + 1):",
    ),
    (
        "stock_reservation",
        r'''class Stock:
    """Items on a shelf, some of them reserved for orders."""

    def __init__(self, amount):
        self.amount = amount
        self.reserved = {}

    def available(self):
        return self.amount - sum(self.reserved.values())

    def reserve(self, order, count):
        """Set items aside for an order; False if there are too few."""
        if count > self.amount:
            return False
        self.reserved[order] = self.reserved.get(order, 0) + count
        return True

    def cancel(self, order):
        self.reserved.pop(order, None)

    def ship(self, order):
        """Take the reserved items of an order from the shelf."""
        count = self.reserved.pop(order)
        self.amount -= count
        return count
''',
        "if count > self.amount:",
        "if count > self.available():",
    ),
    (
        "recurring_scheduler",
        r'''import heapq
from itertools import count


class Scheduler:
    """Runs callbacks at their times, some of them again and again."""

    def __init__(self):
        self.now = 0
        self.heap = []
        self.numbers = count()

    def call_at(self, time, callback, every=None):
        entry = (time, next(self.numbers), callback, every)
        heapq.heappush(self.heap, entry)

    def advance(self, until):
        """Run all that is due up to and including the time `until`."""
        while self.heap and self.heap[0][0] <= until:
            time, _, callback, every = heapq.heappop(self.heap)
            self.now = time
            callback(time)
            if every is not None:
                self.call_at(until + every, callback, every)
        self.now = until
''',
        "self.call_at(until + every, callback, every)",
        "self.call_at(time + every, callback, every)",
    ),
    (
        "text_cursor_delete",
        r'''class TextBuffer:
    """One line of text with a cursor between its characters."""

    def __init__(self, text=""):
        self.text = text
        self.cursor = len(text)

    def move(self, steps):
        """Move the cursor, but not beyond the ends of the text."""
        self.cursor = max(0, min(len(self.text), self.cursor + steps))

    def insert(self, piece):
        self.text = self.text[:self.cursor] + piece + self.text[self.cursor:]
        self.cursor += 1

    def backspace(self):
        """Delete the character before the cursor, if there is one."""
        if self.cursor > 0:
            self.text = self.text[:self.cursor - 1] + self.text[self.cursor:]
            self.cursor -= 1
''',
        "self.cursor += 1",
        "self.cursor += len(piece)",
    ),
    (
        "cart_discount_order",
        r'''class Cart:
    """A shopping cart with prices in cents and one percent discount."""

    def __init__(self):
        self.lines = {}
        self.percent = 0

    def add(self, product, price, count=1):
        _, old = self.lines.get(product, (price, 0))
        self.lines[product] = (price, old + count)

    def remove(self, product, count=1):
        """Take out some pieces; the line vanishes when none is left."""
        price, old = self.lines[product]
        if count >= old:
            del self.lines[product]
        else:
            self.lines[product] = (price, old - count)

    def total(self, shipping=0):
        """Discounted goods plus shipping, which has no discount."""
        goods = sum(price * count for price, count in self.lines.values())
        return (goods + shipping) * (100 - self.percent) // 100
''',
        "(goods + shipping) * (100 - self.percent) // 100",
        "goods * (100 - self.percent) // 100 + shipping",
    ),
    (
        "leaderboard_ties",
        r'''class Leaderboard:
    """Best scores of players, with shared ranks for equal scores."""

    def __init__(self):
        self.best = {}

    def submit(self, player, score):
        """Note a score; only the best one of a player counts."""
        if score > self.best.get(player, float("-inf")):
            self.best[player] = score

    def ranking(self):
        """Triples (rank, player, score): two firsts are followed by a third."""
        rows = []
        rank, previous = 0, None
        ordered = sorted(self.best.items(), key=lambda row: (-row[1], row[0]))
        for place, (player, score) in enumerate(ordered, start=1):
            if score != previous:
                rank += 1
                previous = score
            rows.append((rank, player, score))
        return rows
''',
        "+= 1",
        "= place",
    ),
    (
        "ttl_cache_expiry",
        r'''class ExpiringCache:
    """Keeps values for a limited time; every write starts it anew."""

    def __init__(self, lifetime, clock):
        self.lifetime = lifetime
        self.clock = clock
        self.entries = {}

    def set(self, key, value):
        self.entries[key] = (value, self.clock())

    def get(self, key, default=None):
        if key not in self.entries:
            return default
        value, expires = self.entries[key]
        if self.clock() >= expires:
            del self.entries[key]
            return default
        return value

    def purge(self):
        """Drop all that has expired and return how many entries that was."""
        now = self.clock()
        old = [key for key, (_, expires) in self.entries.items() if expires <= now]
        for key in old:
            del self.entries[key]
        return len(old)
''',
        "self.entries[key] = (value, self.clock())",
        "self.entries[key] = (value, self.clock() + self.lifetime)",
    ),
    (
        "life_next_generation",
        r'''def next_generation(board):
    """One step of Conway's game of life on a board of zeros and ones."""
    height, width = len(board), len(board[0])
    new = [row for row in board]
    for r in range(height):
        for c in range(width):
            alive = 0
            for nr in range(max(r - 1, 0), min(r + 2, height)):
                for nc in range(max(c - 1, 0), min(c + 2, width)):
                    if (nr, nc) != (r, c):
                        alive += board[nr][nc]
            if board[r][c]:
                new[r][c] = 1 if alive in (2, 3) else 0
            else:
                new[r][c] = 1 if alive == 3 else 0
    return new
''',
        "[row for row in board]",
        "[row[:] for row in board]",
    ),
    (
        "snake_tail_moves",
        r'''from collections import deque


class Snake:
    """A snake on a grid that grows by one cell when it eats."""

    def __init__(self, cells, food=()):
        self.body = deque(cells)
        self.food = set(food)
        self.alive = True

    def step(self, dx, dy):
        """Move the head (the last cell) by one; biting itself kills it.

        The tail moves away first, so its cell may be entered.
        """
        x, y = self.body[-1]
        head = (x + dx, y + dy)
        if head in self.food:
            self.food.remove(head)
        else:
            self.body.pop()
        if head in self.body:
            self.alive = False
        self.body.append(head)
        return self.alive
''',
        "self.body.pop()",
        "self.body.popleft()",
    ),
    (
        "order_book_partial",
        r'''import heapq


class OrderBook:
    """Matches buyers with the cheapest offers first."""

    def __init__(self):
        self.offers = []

    def sell(self, price, amount):
        heapq.heappush(self.offers, [price, amount])

    def buy(self, limit, amount):
        """Buy up to amount at prices not above limit.

        Returns (amount bought, money spent).
        """
        bought = spent = 0
        while self.offers and bought < amount and self.offers[0][0] <= limit:
            offer = self.offers[0]
            part = min(offer[1], amount)
            bought += part
            spent += part * offer[0]
            offer[1] -= part
            if offer[1] == 0:
                heapq.heappop(self.offers)
        return bought, spent
''',
        "part = min(offer[1], amount)",
        "part = min(offer[1], amount - bought)",
    ),
    (
        "vector_clock_receive",
        r'''class VectorClock:
    """Logical time of one process among several."""

    def __init__(self, name):
        self.name = name
        self.times = {name: 0}

    def tick(self):
        """Count an event of this process."""
        self.times[self.name] += 1

    def send(self):
        """The time stamp for a message."""
        self.tick()
        return self.times

    def receive(self, stamp):
        """Take over what the sender of a message knew."""
        for name, time in stamp.items():
            self.times[name] = max(time, self.times.get(name, 0))
        self.tick()

    @staticmethod
    def before(a, b):
        """Did stamp a happen before stamp b?"""
        names = set(a) | set(b)
        return a != b and all(a.get(n, 0) <= b.get(n, 0) for n in names)
''',
        "return self.times",
        "return dict(self.times)",
    ),
    (
        "thermostat_hysteresis",
        r'''class Thermostat:
    """Heats below target - band until target + band is reached."""

    def __init__(self, target, band=1.0):
        self.target = target
        self.band = band
        self.heating = False
        self.switches = 0

    def update(self, temperature):
        """Decide with a new reading whether the heating is on."""
        wanted = self.heating
        if temperature < self.target - self.band:
            wanted = True
        elif temperature > self.target - self.band:
            wanted = False
        if wanted != self.heating:
            self.switches += 1
            self.heating = wanted
        return self.heating
''',
        "elif temperature > self.target - self.band:",
        "elif temperature > self.target + self.band:",
    ),
    (
        "log_batch_flush",
        r'''class BatchWriter:
    """Collects records and writes them in batches of a fixed size."""

    def __init__(self, write, size):
        self.write = write
        self.size = size
        self.pending = []

    def add(self, record):
        self.pending.append(record)
        if len(self.pending) >= self.size:
            self.flush()

    def flush(self):
        """Write out whatever is pending."""
        if self.pending:
            self.write(self.pending)
            self.pending.clear()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.flush()
        return False
''',
        ".clear()",
        " = []",
    ),
    (
        "library_waiting_list",
        r'''from collections import deque


class LibraryBook:
    """One copy of a book that people borrow in the order of asking."""

    def __init__(self):
        self.reader = None
        self.waiting = deque()

    def ask(self, name):
        """Lend the book now (True) or note the name for later (False)."""
        if self.reader is None:
            self.reader = name
            return True
        if name != self.reader and name not in self.waiting:
            self.waiting.append(name)
        return False

    def give_back(self):
        """The book comes back and goes to the next one in the line."""
        if self.reader is None:
            raise ValueError("the book was not lent")
        self.reader = self.waiting.popleft()
        return self.reader
''',
        "self.reader = self.waiting.popleft()",
        "self.reader = self.waiting.popleft() if self.waiting else None",
    ),
]
