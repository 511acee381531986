"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---- data structures ----
    Program(
        name="s25_room_calendar",
        code=r'''"""Bookings of one meeting room, in minutes since midnight."""

from bisect import bisect_left, bisect_right


class RoomCalendar:
    """Keeps the bookings of a room sorted by their start."""

    def __init__(self, opens=480, closes=1080):
        self.opens = opens
        self.closes = closes
        self._starts = []
        self._ends = []

    def __len__(self):
        return len(self._starts)

    def is_free(self, start, end):
        """Whether the room can be booked from start to end (end excluded)."""
        if start >= end or start < self.opens or end > self.closes:
            return False
        i = bisect_right(self._starts, start)
        if i > 0 and self._ends[i - 1] > start:
            return False
        return i == len(self._starts) or self._starts[i] >= end

    def book(self, start, end):
        """Book the room; False if it is taken or closed."""
        if not self.is_free(start, end):
            return False
        i = bisect_left(self._starts, start)
        self._starts.insert(i, start)
        self._ends.insert(i, end)
        return True

    def cancel(self, start):
        """Remove the booking which begins at start."""
        i = bisect_left(self._starts, start)
        if i == len(self._starts) or self._starts[i] != start:
            raise KeyError(start)
        del self._starts[i]

    def bookings(self):
        """All bookings as (start, end) pairs."""
        return list(zip(self._starts, self._ends))

    def gaps(self, shortest=1):
        """The free spans of at least `shortest` minutes."""
        found = []
        cursor = self.opens
        for start, end in self.bookings():
            if start - cursor >= shortest:
                found.append((cursor, start))
            cursor = end
        if self.closes - cursor >= shortest:
            found.append((cursor, self.closes))
        return found
''',
        wrong="        del self._starts[i]",
        right="        del self._starts[i]\n        del self._ends[i]",
        visible=r"""def test_book_and_list():
    room = RoomCalendar()
    assert room.book(600, 660)
    assert room.book(500, 540)
    assert room.bookings() == [(500, 540), (600, 660)]


def test_overlap_is_refused():
    room = RoomCalendar()
    assert room.book(600, 660)
    assert not room.book(630, 700)
    assert not room.book(590, 601)
    assert room.book(660, 700)


def test_gaps():
    room = RoomCalendar()
    room.book(500, 540)
    room.book(600, 660)
    assert room.gaps() == [(480, 500), (540, 600), (660, 1080)]
    assert room.gaps(60) == [(540, 600), (660, 1080)]


def test_cancel():
    room = RoomCalendar()
    room.book(500, 540)
    room.book(600, 660)
    room.book(700, 760)
    room.cancel(600)
    assert room.bookings() == [(500, 540), (700, 760)]


def test_cancel_unknown():
    room = RoomCalendar()
    room.book(500, 540)
    with pytest.raises(KeyError):
        room.cancel(510)
""",
        hidden=r"""import random


def check(room, model):
    assert room.bookings() == sorted(model)
    assert len(room) == len(model)


def test_cancel_first_and_rebook():
    room = RoomCalendar(0, 100)
    assert room.book(0, 30) and room.book(40, 90)
    room.cancel(0)
    assert room.bookings() == [(40, 90)]
    assert not room.book(30, 60)
    assert room.book(5, 40)
    assert room.bookings() == [(5, 40), (40, 90)]


def test_cancel_all():
    room = RoomCalendar(0, 100)
    for start in (10, 30, 50):
        assert room.book(start, start + 15)
    for start in (30, 10, 50):
        room.cancel(start)
    assert room.bookings() == []
    assert room.gaps() == [(0, 100)]
    assert room.book(0, 100)
    with pytest.raises(KeyError):
        room.cancel(10)


def test_random_against_model():
    rng = random.Random(3)
    for _ in range(60):
        room = RoomCalendar(0, 60)
        model = []
        for _ in range(60):
            if model and rng.random() < 0.4:
                gone = rng.choice(model)
                model.remove(gone)
                room.cancel(gone[0])
            else:
                s = rng.randrange(-2, 60)
                e = s + rng.randrange(0, 20)
                ok = 0 <= s < e <= 60 and all(e <= a or b <= s for a, b in model)
                assert room.is_free(s, e) == ok
                assert room.book(s, e) == ok
                if ok:
                    model.append((s, e))
            check(room, model)


def test_gaps_after_random_cancels():
    rng = random.Random(4)
    for _ in range(40):
        room = RoomCalendar(0, 50)
        taken = {}
        for _ in range(10):
            s = rng.randrange(50)
            e = s + rng.randrange(1, 8)
            if room.book(s, e):
                taken[s] = e
        for s in list(taken)[::2]:
            room.cancel(s)
            del taken[s]
        busy = {m for s, e in taken.items() for m in range(s, e)}
        free = {m for a, b in room.gaps() for m in range(a, b)}
        assert free == set(range(50)) - busy
""",
    ),
    Program(
        name="s25_job_heap",
        code=r'''"""A binary heap of jobs whose priorities can be changed."""


class JobHeap:
    """Smallest priority first; every job name occurs at most once."""

    def __init__(self):
        self._heap = []
        self._where = {}

    def __len__(self):
        return len(self._heap)

    def __contains__(self, job):
        return job in self._where

    def push(self, job, priority):
        """Add a job, or change the priority of one which is already there."""
        if job in self._where:
            i = self._where[job]
            self._heap[i] = (priority, job)
        else:
            i = len(self._heap)
            self._heap.append((priority, job))
            self._where[job] = i
        self._sift_up(i)
        self._sift_down(self._where[job])

    def pop(self):
        """Remove and return the most urgent job."""
        if not self._heap:
            raise IndexError("no jobs")
        self._swap(0, len(self._heap) - 1)
        priority, job = self._heap.pop()
        del self._where[job]
        if self._heap:
            self._sift_down(0)
        return job

    def _swap(self, i, j):
        heap = self._heap
        heap[i], heap[j] = heap[j], heap[i]
        self._where[heap[i][1]] = i
        self._where[heap[j][1]] = j

    def _sift_up(self, i):
        while i > 0:
            parent = (i - 1) // 2
            if self._heap[parent] <= self._heap[i]:
                break
            self._swap(i, parent)
            i = parent

    def _sift_down(self, i):
        heap = self._heap
        while True:
            smallest = i
            left, right = 2 * i + 1, 2 * i + 2
            if left < len(heap) and heap[left] < heap[smallest]:
                smallest = left
            if right < len(heap) and heap[right] < heap[i]:
                smallest = right
            if smallest == i:
                return
            self._swap(i, smallest)
            i = smallest
''',
        wrong="heap[right] < heap[i]:",
        right="heap[right] < heap[smallest]:",
        visible=r"""def drain(heap):
    jobs = []
    while len(heap):
        jobs.append(heap.pop())
    return jobs


def test_push_pop_one():
    heap = JobHeap()
    heap.push("print", 3)
    assert "print" in heap
    assert heap.pop() == "print"
    assert "print" not in heap


def test_order():
    heap = JobHeap()
    for job, priority in [("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 5)]:
        heap.push(job, priority)
    assert drain(heap) == ["a", "b", "c", "d", "e"]


def test_order_reversed():
    heap = JobHeap()
    for job, priority in [("e", 5), ("d", 4), ("c", 3), ("b", 2), ("a", 1)]:
        heap.push(job, priority)
    assert drain(heap) == ["a", "b", "c", "d", "e"]


def test_change_priority():
    heap = JobHeap()
    heap.push("a", 5)
    heap.push("b", 6)
    heap.push("b", 1)
    assert len(heap) == 2
    assert heap.pop() == "b"


def test_empty():
    with pytest.raises(IndexError):
        JobHeap().pop()
""",
        hidden=r"""import itertools
import random


def drain(heap):
    return [heap.pop() for _ in range(len(heap))]


def test_all_small_permutations():
    for n in range(1, 7):
        for perm in itertools.permutations(range(n)):
            heap = JobHeap()
            for p in perm:
                heap.push("j%d" % p, p)
            assert drain(heap) == ["j%d" % p for p in range(n)]


def test_random_changes():
    rng = random.Random(9)
    for _ in range(100):
        heap = JobHeap()
        model = {}
        for _ in range(60):
            if model and rng.random() < 0.3:
                job = heap.pop()
                assert job == min(model, key=lambda j: (model[j], j))
                del model[job]
            else:
                job = "j%02d" % rng.randrange(15)
                p = rng.randrange(20)
                heap.push(job, p)
                model[job] = p
            assert len(heap) == len(model)
        assert drain(heap) == sorted(model, key=lambda j: (model[j], j))


def test_raise_priority_number():
    heap = JobHeap()
    for i in range(12):
        heap.push(i, i)
    for i in range(0, 12, 2):
        heap.push(i, 100 - i)
    assert drain(heap) == [1, 3, 5, 7, 9, 11, 10, 8, 6, 4, 2, 0]
""",
    ),
    Program(
        name="s25_autocomplete_trie",
        code=r'''"""Word completion with a trie which counts how often words were typed."""


class Node:
    """A trie node; count is how often the word ending here was added."""

    __slots__ = ("children", "count")

    def __init__(self):
        self.children = {}
        self.count = 0


class Completer:
    """Suggests the words most often typed after a prefix."""

    def __init__(self, words=()):
        self.root = Node()
        for word in words:
            self.add(word)

    def add(self, word):
        """Count one more use of word."""
        node = self.root
        for letter in word.lower():
            node = node.children.setdefault(letter, Node())
        node.count += 1

    def _find(self, prefix):
        node = self.root
        for letter in prefix.lower():
            node = node.children.get(letter)
            if node is None:
                return None
        return node

    def count(self, word):
        """How often word was added."""
        node = self._find(word)
        return node.count if node else 0

    def _collect(self, node, word, found):
        if node.count:
            found.append((word, node.count))
        for letter, child in node.children.items():
            self._collect(child, word + letter, found)

    def suggest(self, prefix, limit=3):
        """The most frequent words with the prefix; ties are alphabetical."""
        node = self._find(prefix)
        if node is None:
            return []
        found = []
        self._collect(node, prefix.lower(), found)
        found.sort(key=lambda pair: (pair[1], pair[0]))
        return [word for word, _ in found[:limit]]
''',
        wrong="key=lambda pair: (pair[1], pair[0])",
        right="key=lambda pair: (-pair[1], pair[0])",
        visible=r"""def test_count():
    c = Completer(["tree", "tree", "Trie"])
    assert c.count("tree") == 2
    assert c.count("TRIE") == 1
    assert c.count("tr") == 0
    assert c.count("bush") == 0


def test_unknown_prefix():
    assert Completer(["apple"]).suggest("b") == []


def test_alphabetical():
    c = Completer(["care", "car", "cat"])
    assert c.suggest("ca") == ["car", "care", "cat"]


def test_most_frequent_first():
    c = Completer(["car", "cat", "cat", "care", "care", "care"])
    assert c.suggest("ca") == ["care", "cat", "car"]
    assert c.suggest("ca", 1) == ["care"]
""",
        hidden=r"""import random


def test_random_against_counter():
    rng = random.Random(11)
    for _ in range(80):
        words = ["".join(rng.choice("abc") for _ in range(rng.randrange(1, 4))) for _ in range(30)]
        c = Completer(words)
        counts = {w: words.count(w) for w in words}
        for prefix in ["", "a", "b", "ab", "ca", "abc", "d"]:
            for limit in (1, 2, 3, 50):
                want = sorted((w for w in counts if w.startswith(prefix)), key=lambda w: (-counts[w], w))
                assert c.suggest(prefix, limit) == want[:limit]


def test_ties_alphabetical_whatever_order_added():
    c = Completer(["zb", "za", "zc", "zc", "zd", "zd"])
    assert c.suggest("z", 10) == ["zc", "zd", "za", "zb"]
    assert c.suggest("Z") == ["zc", "zd", "za"]


def test_counts_change():
    c = Completer(["one", "two", "onto"])
    assert c.suggest("o") == ["one", "onto"]
    c.add("onto")
    assert c.suggest("o") == ["onto", "one"]
    c.add("ONE")
    c.add("One")
    assert c.suggest("o") == ["one", "onto"]
    assert c.suggest("", 2) == ["one", "onto"]
""",
    ),
    Program(
        name="s25_sensor_ring",
        code=r'''"""A ring buffer with the latest readings of a sensor."""


class SensorRing:
    """Holds at most `capacity` readings; the oldest ones are overwritten."""

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._data = [None] * capacity
        self._start = 0
        self._size = 0

    def __len__(self):
        return self._size

    def add(self, reading):
        """Append a reading."""
        end = (self._start + self._size) % self.capacity
        self._data[end] = reading
        if self._size < self.capacity:
            self._size += 1
        else:
            self._start = (self._start + 1) % self.capacity

    def take(self):
        """Remove and return the oldest reading."""
        if self._size == 0:
            raise IndexError("no readings")
        reading = self._data[self._start]
        self._data[self._start] = None
        self._start = (self._start + 1) % self.capacity
        self._size -= 1
        return reading

    def __getitem__(self, i):
        """The i-th oldest reading; negative i counts from the newest."""
        if i < 0:
            i += self.capacity
        if not 0 <= i < self._size:
            raise IndexError(i)
        return self._data[(self._start + i) % self.capacity]

    def average(self, last=None):
        """The mean of the newest `last` readings (default: of all)."""
        n = self._size if last is None else min(last, self._size)
        if n == 0:
            return 0.0
        return sum(self[-k] for k in range(1, n + 1)) / n
''',
        wrong="            i += self.capacity",
        right="            i += self._size",
        visible=r"""def test_overwrites_oldest():
    ring = SensorRing(3)
    for x in [1, 2, 3, 4]:
        ring.add(x)
    assert len(ring) == 3
    assert list(ring) == [2, 3, 4]
    assert ring[-1] == 4


def test_take():
    ring = SensorRing(2)
    ring.add(5)
    ring.add(6)
    assert ring.take() == 5
    assert ring.take() == 6
    with pytest.raises(IndexError):
        ring.take()


def test_average_full():
    ring = SensorRing(4)
    for x in [10, 20, 30, 40, 50]:
        ring.add(x)
    assert ring.average() == 35
    assert ring.average(2) == 45


def test_average_partly_filled():
    ring = SensorRing(10)
    ring.add(3)
    ring.add(5)
    assert ring.average() == 4
    assert ring.average(1) == 5


def test_average_empty():
    assert SensorRing(3).average() == 0.0
""",
        hidden=r"""import random
from collections import deque


def test_random_against_deque():
    rng = random.Random(5)
    for capacity in range(1, 8):
        ring = SensorRing(capacity)
        model = deque(maxlen=capacity)
        for step in range(200):
            if model and rng.random() < 0.45:
                assert ring.take() == model.popleft()
            else:
                ring.add(step)
                model.append(step)
            n = len(model)
            assert len(ring) == n
            for i in range(-n, n):
                assert ring[i] == model[i]
            for i in (n, n + 1, -n - 1, -n - capacity):
                with pytest.raises(IndexError):
                    ring[i]


def test_average_random():
    rng = random.Random(6)
    for capacity in (1, 4, 9):
        for count in range(1, 14):
            xs = [rng.randrange(100) for _ in range(count)]
            ring = SensorRing(capacity)
            for x in xs:
                ring.add(x)
            kept = xs[-capacity:]
            assert ring.average() == sum(kept) / len(kept)
            for last in range(1, 12):
                part = kept[-last:]
                assert ring.average(last) == sum(part) / len(part)


def test_negative_index_partly_filled():
    ring = SensorRing(5)
    ring.add("a")
    ring.add("b")
    ring.add("c")
    assert [ring[-1], ring[-2], ring[-3]] == ["c", "b", "a"]
    with pytest.raises(IndexError):
        ring[-4]
    with pytest.raises(IndexError):
        ring[-5]
""",
    ),
    Program(
        name="s25_sparse_polynomial",
        code=r'''"""Polynomials in one variable, stored sparsely."""


class Polynomial:
    """Maps exponents to their non-zero coefficients."""

    def __init__(self, terms=()):
        self.terms = {e: c for e, c in dict(terms).items() if c != 0}

    @classmethod
    def from_list(cls, coefficients):
        """Build from coefficients, the constant one first."""
        return cls(enumerate(coefficients))

    def __eq__(self, other):
        return isinstance(other, Polynomial) and self.terms == other.terms

    def degree(self):
        """The highest exponent; -1 for the zero polynomial."""
        return max(self.terms, default=-1)

    def __call__(self, x):
        return sum(c * x ** e for e, c in self.terms.items())

    def __add__(self, other):
        result = dict(self.terms)
        for e, c in other.terms.items():
            result[e] = result.get(e, 0) + c
        return Polynomial(result)

    def __mul__(self, other):
        result = {}
        for e1, c1 in self.terms.items():
            for e2, c2 in other.terms.items():
                result[e1 + e2] = c1 * c2
        return Polynomial(result)

    def __pow__(self, n):
        result = Polynomial({0: 1})
        for _ in range(n):
            result = result * self
        return result

    def derivative(self):
        """The first derivative."""
        return Polynomial({e - 1: e * c for e, c in self.terms.items() if e > 0})

    def __str__(self):
        parts = []
        for e in sorted(self.terms, reverse=True):
            c = self.terms[e]
            sign = "-" if c < 0 else "+"
            number = "" if abs(c) == 1 and e > 0 else str(abs(c))
            power = "" if e == 0 else "x" if e == 1 else f"x^{e}"
            parts.append(f"{sign} {number}{power}")
        text = " ".join(parts)
        return text[2:] if text.startswith("+") else text or "0"
''',
        wrong="                result[e1 + e2] = c1 * c2",
        right="                result[e1 + e2] = result.get(e1 + e2, 0) + c1 * c2",
        visible=r"""def test_add():
    p = Polynomial.from_list([1, 2]) + Polynomial.from_list([3, -2, 5])
    assert p.terms == {0: 4, 2: 5}


def test_call_and_degree():
    p = Polynomial({0: 1, 3: 2})
    assert p(2) == 17
    assert p.degree() == 3
    assert Polynomial().degree() == -1


def test_square():
    p = Polynomial.from_list([1, 1])
    assert (p * p).terms == {0: 1, 1: 2, 2: 1}


def test_monomials():
    assert (Polynomial({2: 3}) * Polynomial({5: 4})).terms == {7: 12}


def test_difference_of_squares():
    p = Polynomial.from_list([1, 1]) * Polynomial.from_list([-1, 1])
    assert p == Polynomial({0: -1, 2: 1})


def test_str():
    assert str(Polynomial.from_list([-1, 1, 0, 4])) == "4x^3 + x - 1"
    assert str(Polynomial()) == "0"
""",
        hidden=r"""import math
import random


def test_product_evaluates():
    rng = random.Random(2)
    for _ in range(150):
        p = Polynomial({rng.randrange(6): rng.randrange(-5, 6) for _ in range(4)})
        q = Polynomial({rng.randrange(6): rng.randrange(-5, 6) for _ in range(4)})
        product = p * q
        for x in range(-7, 8):
            assert product(x) == p(x) * q(x)
        assert all(c != 0 for c in product.terms.values())
        assert product == q * p


def test_binomials():
    for n in range(9):
        p = Polynomial.from_list([1, 1]) ** n
        assert p.terms == {k: math.comb(n, k) for k in range(n + 1)}


def test_cancelling_terms_vanish():
    p = Polynomial.from_list([1, 1, 1]) * Polynomial.from_list([-1, 1])
    assert p.terms == {0: -1, 3: 1}
    zero = Polynomial.from_list([1, 2]) * Polynomial()
    assert zero.terms == {}


def test_product_rule():
    p = Polynomial.from_list([2, 0, 3, 1])
    q = Polynomial.from_list([1, -4, 5])
    assert (p * q).derivative() == p.derivative() * q + p * q.derivative()
""",
    ),
    Program(
        name="s25_shelf_fenwick",
        code=r'''"""Stock counts on numbered shelves, kept in a Fenwick tree."""


class ShelfCounts:
    """Shelves are numbered from 1 to n."""

    def __init__(self, n):
        self.n = n
        self._tree = [0] * (n + 1)

    def add(self, shelf, amount):
        """Put amount more pieces on a shelf (negative: take away)."""
        if not 1 <= shelf <= self.n:
            raise IndexError(shelf)
        while shelf <= self.n:
            self._tree[shelf] += amount
            shelf += shelf & -shelf

    def upto(self, shelf):
        """The number of pieces on the shelves 1 to shelf."""
        total = 0
        while shelf > 0:
            total += self._tree[shelf]
            shelf -= shelf & -shelf
        return total

    def between(self, first, last):
        """The number of pieces on the shelves first to last, inclusive."""
        return self.upto(last) - self.upto(first - 1)

    def total(self):
        """The number of all pieces."""
        return self.upto(self.n)

    def locate(self, k):
        """The shelf with the k-th piece, counted from 1 over all shelves."""
        if not 1 <= k <= self.total():
            raise ValueError("no such piece")
        step = 1
        while step * 2 <= self.n:
            step *= 2
        shelf = 0
        while step:
            ahead = shelf + step
            if ahead <= self.n and self._tree[ahead] <= k:
                shelf = ahead
                k -= self._tree[ahead]
            step //= 2
        return shelf + 1
''',
        wrong="self._tree[ahead] <= k:",
        right="self._tree[ahead] < k:",
        visible=r"""def stocked():
    shelves = ShelfCounts(6)
    for shelf, amount in [(1, 4), (3, 2), (4, 7), (6, 1)]:
        shelves.add(shelf, amount)
    return shelves


def test_sums():
    s = stocked()
    assert s.upto(3) == 6
    assert s.between(3, 4) == 9
    assert s.total() == 14


def test_take_away():
    s = stocked()
    s.add(4, -5)
    assert s.between(4, 4) == 2
    assert s.total() == 9


def test_locate_inside_shelf():
    s = stocked()
    assert s.locate(1) == 1
    assert s.locate(5) == 3
    assert s.locate(8) == 4


def test_locate_last_piece_of_shelf():
    s = stocked()
    assert s.locate(4) == 1
    assert s.locate(13) == 4
    assert s.locate(14) == 6


def test_locate_missing():
    with pytest.raises(ValueError):
        stocked().locate(15)
""",
        hidden=r"""import random


def test_locate_brute_force():
    rng = random.Random(8)
    for _ in range(120):
        n = rng.randrange(1, 20)
        counts = [rng.choice([0, 0, 1, 2, 5]) for _ in range(n)]
        s = ShelfCounts(n)
        for i, c in enumerate(counts, 1):
            s.add(i, c)
        pieces = [i for i, c in enumerate(counts, 1) for _ in range(c)]
        for k, shelf in enumerate(pieces, 1):
            assert s.locate(k) == shelf
        for k in (0, len(pieces) + 1):
            with pytest.raises(ValueError):
                s.locate(k)


def test_sums_brute_force():
    rng = random.Random(18)
    for n in range(1, 14):
        counts = [0] * (n + 1)
        s = ShelfCounts(n)
        for _ in range(30):
            i = rng.randrange(1, n + 1)
            d = rng.randrange(-3, 6)
            counts[i] += d
            s.add(i, d)
        for a in range(1, n + 1):
            for b in range(a, n + 1):
                assert s.between(a, b) == sum(counts[a:b + 1])


def test_single_pieces():
    for n in range(1, 18):
        s = ShelfCounts(n)
        for i in range(1, n + 1):
            s.add(i, 1)
        assert [s.locate(k) for k in range(1, n + 1)] == list(range(1, n + 1))
""",
    ),
    Program(
        name="s25_playlist_links",
        code=r'''"""A playlist as a doubly linked list of songs."""


class Song:
    """A list element."""

    def __init__(self, title):
        self.title = title
        self.prev = None
        self.next = None


class Playlist:
    """Songs with distinct titles, in playing order."""

    def __init__(self, titles=()):
        self.head = None
        self.tail = None
        self._songs = {}
        for title in titles:
            self.append(title)

    def __len__(self):
        return len(self._songs)

    def append(self, title):
        """Add a song at the end."""
        if title in self._songs:
            raise ValueError("already in the list: " + title)
        song = self._songs[title] = Song(title)
        self._link_last(song)

    def remove(self, title):
        """Take a song out of the list."""
        self._unlink(self._songs.pop(title))

    def play_last(self, title):
        """Move a song to the end."""
        song = self._songs[title]
        self._unlink(song)
        self._link_last(song)

    def _link_last(self, song):
        song.prev = self.tail
        song.next = None
        if self.tail is None:
            self.head = song
        else:
            self.tail.next = song
        self.tail = song

    def _unlink(self, song):
        if song.prev is None:
            self.head = song.next
        else:
            song.prev.next = song.next
        if song.next is None:
            self.tail = song.next
        else:
            song.next.prev = song.prev

    def titles(self, backwards=False):
        """The titles in order, or in reverse order."""
        result = []
        song = self.tail if backwards else self.head
        while song is not None:
            result.append(song.title)
            song = song.prev if backwards else song.next
        return result
''',
        wrong="            self.tail = song.next",
        right="            self.tail = song.prev",
        visible=r"""def test_append():
    p = Playlist(["Intro", "Blue", "Rain"])
    assert p.titles() == ["Intro", "Blue", "Rain"]
    assert p.titles(backwards=True) == ["Rain", "Blue", "Intro"]


def test_duplicate():
    with pytest.raises(ValueError):
        Playlist(["Blue", "Blue"])


def test_remove_first_and_middle():
    p = Playlist(["a", "b", "c", "d"])
    p.remove("a")
    p.remove("c")
    assert p.titles() == ["b", "d"]
    assert len(p) == 2


def test_remove_last_then_append():
    p = Playlist(["a", "b", "c"])
    p.remove("c")
    p.append("d")
    assert p.titles() == ["a", "b", "d"]


def test_play_last():
    p = Playlist(["a", "b", "c"])
    p.play_last("a")
    assert p.titles() == ["b", "c", "a"]


def test_remove_only_song():
    p = Playlist(["solo"])
    p.remove("solo")
    assert p.titles() == []
    assert p.titles(True) == []
""",
        hidden=r"""import random


def same(p, model):
    assert p.titles() == model
    assert p.titles(backwards=True) == model[::-1]
    assert len(p) == len(model)
    assert (p.tail.title if p.tail else None) == (model[-1] if model else None)
    assert (p.head.title if p.head else None) == (model[0] if model else None)


def test_random_against_list():
    rng = random.Random(21)
    for _ in range(80):
        p, model = Playlist(), []
        for step in range(50):
            what = rng.randrange(3)
            if what == 0 or not model:
                model.append(str(step))
                p.append(str(step))
            elif what == 1:
                t = rng.choice(model)
                model.remove(t)
                p.remove(t)
            else:
                t = rng.choice(model)
                model.remove(t)
                model.append(t)
                p.play_last(t)
            same(p, model)


def test_play_last_every_position():
    for n in range(1, 6):
        names = list("abcde")[:n]
        for t in names:
            p = Playlist(names)
            p.play_last(t)
            same(p, [x for x in names if x != t] + [t])


def test_remove_from_the_end():
    names = list("abcdef")
    p = Playlist(names)
    while names:
        p.remove(names.pop())
        same(p, names)
    p.append("z")
    same(p, ["z"])
""",
    ),
    # ---- recursion ----
    Program(
        name="s25_bill_of_materials",
        code=r'''"""Bills of materials: which basic parts go into a product."""


class BillOfMaterials:
    """Knows for every assembly how many of which components it needs."""

    def __init__(self):
        self._components = {}
        self._prices = {}

    def add_part(self, part, price):
        """Declare a basic part which is bought."""
        self._prices[part] = price

    def add_assembly(self, name, components):
        """Declare an assembly; components maps names to quantities."""
        self._components[name] = dict(components)

    def explode(self, name):
        """The basic parts in one piece of `name`, with their quantities."""
        if name in self._prices:
            return {name: 1}
        if name not in self._components:
            raise KeyError(name)
        needed = {}
        for component, count in self._components[name].items():
            for part, quantity in self.explode(component).items():
                needed[part] = needed.get(part, 0) + quantity
        return needed

    def cost(self, name):
        """What the parts in one piece of `name` cost."""
        return sum(self._prices[part] * quantity
                   for part, quantity in self.explode(name).items())

    def depth(self, name):
        """How many levels of assembly there are; 0 for a basic part."""
        if name in self._prices:
            return 0
        return 1 + max(self.depth(c) for c in self._components[name])

    def uses(self, name, part):
        """Whether part occurs anywhere in `name`."""
        if name == part:
            return True
        return any(self.uses(c, part) for c in self._components.get(name, ()))
''',
        wrong="needed.get(part, 0) + quantity",
        right="needed.get(part, 0) + count * quantity",
        visible=r"""def bike():
    bom = BillOfMaterials()
    bom.add_part("spoke", 2)
    bom.add_part("rim", 30)
    bom.add_part("frame", 200)
    bom.add_part("bell", 9)
    bom.add_assembly("wheel", {"rim": 1, "spoke": 32})
    bom.add_assembly("bike", {"frame": 1, "wheel": 2, "bell": 1})
    return bom


def test_part_itself():
    assert bike().explode("rim") == {"rim": 1}


def test_wheel():
    assert bike().explode("wheel") == {"rim": 1, "spoke": 32}


def test_bike():
    assert bike().explode("bike") == {"frame": 1, "rim": 2, "spoke": 64, "bell": 1}


def test_cost():
    assert bike().cost("wheel") == 94
    assert bike().cost("bike") == 397


def test_depth_and_uses():
    assert bike().depth("bike") == 2
    assert bike().uses("bike", "spoke")
    assert not bike().uses("wheel", "bell")


def test_unknown():
    with pytest.raises(KeyError):
        bike().explode("car")
""",
        hidden=r"""import random


def test_quantities_multiply_down_a_chain():
    bom = BillOfMaterials()
    bom.add_part("p", 3)
    bom.add_assembly("a", {"p": 2})
    bom.add_assembly("b", {"a": 3})
    bom.add_assembly("c", {"b": 5, "p": 7})
    assert bom.explode("c") == {"p": 37}
    assert bom.cost("c") == 111


def expand(bom, name):
    if name in bom._prices:
        return [name]
    out = []
    for c, n in bom._components[name].items():
        for _ in range(n):
            out += expand(bom, c)
    return out


def test_random_against_expansion():
    rng = random.Random(31)
    for _ in range(80):
        bom = BillOfMaterials()
        names = []
        for i in range(3):
            bom.add_part("p%d" % i, rng.randrange(1, 20))
            names.append("p%d" % i)
        for i in range(4):
            chosen = rng.sample(names, 2)
            bom.add_assembly("a%d" % i, {c: rng.randrange(1, 4) for c in chosen})
            names.append("a%d" % i)
        for name in names:
            pieces = expand(bom, name)
            assert bom.explode(name) == {p: pieces.count(p) for p in set(pieces)}
            assert bom.cost(name) == sum(bom._prices[p] for p in pieces)


def test_zero_quantity_costs_nothing():
    bom = BillOfMaterials()
    bom.add_part("x", 4)
    bom.add_part("y", 5)
    bom.add_assembly("kit", {"x": 0, "y": 6})
    assert bom.cost("kit") == 30
""",
    ),
    Program(
        name="s25_quadtree_bitmap",
        code=r'''"""Compression of square bitmaps with quadtrees.

A tree is a single pixel value if the square has one colour, and otherwise
a list of four trees: top left, top right, bottom left, bottom right.
"""


def encode(grid):
    """The quadtree of a square grid; its side must be a power of two."""
    size = len(grid)
    if size == 0 or size & (size - 1) or any(len(row) != size for row in grid):
        raise ValueError("not a square with a power of two as its side")
    return _encode(grid, 0, 0, size)


def _encode(grid, x, y, size):
    first = grid[y][x]
    if size == 1:
        return first
    half = size // 2
    parts = [_encode(grid, x + dx, y + dy, half) for dy in (0, half) for dx in (0, half)]
    if all(part == parts[0] for part in parts) and not isinstance(parts[0], list):
        return first
    return parts


def decode(tree, size):
    """The grid of the given side which a quadtree stands for."""
    grid = [[None] * size for _ in range(size)]
    _paint(grid, tree, 0, 0, size)
    return grid


def _paint(grid, tree, x, y, size):
    if not isinstance(tree, list):
        for row in range(y, y + size):
            grid[row][x:x + size] = [tree] * size
        return
    half = size // 2
    offsets = [(0, 0), (half, 0), (0, half), (half, half)]
    for part, (dx, dy) in zip(tree, offsets):
        _paint(grid, part, x + dx, y + dx, half)


def count_leaves(tree):
    """The number of squares of one colour in the tree."""
    if not isinstance(tree, list):
        return 1
    return sum(count_leaves(part) for part in tree)


def mirror(tree):
    """The tree of the picture with left and right exchanged."""
    if not isinstance(tree, list):
        return tree
    a, b, c, d = (mirror(part) for part in tree)
    return [b, a, d, c]
''',
        wrong="y + dx, half)",
        right="y + dy, half)",
        visible=r"""PICTURE = [
    [1, 1, 0, 0],
    [1, 1, 0, 1],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
]


def test_encode():
    assert encode(PICTURE) == [1, [0, 0, 0, 1], 0, 0]
    assert encode([[7, 7], [7, 7]]) == 7


def test_encode_bad_size():
    with pytest.raises(ValueError):
        encode([[1, 2, 3]] * 3)


def test_decode_plain():
    assert decode(5, 2) == [[5, 5], [5, 5]]


def test_decode():
    assert decode([1, 2, 3, 4], 2) == [[1, 2], [3, 4]]


def test_round_trip():
    assert decode(encode(PICTURE), 4) == PICTURE


def test_leaves_and_mirror():
    tree = encode(PICTURE)
    assert count_leaves(tree) == 7
    assert mirror(tree) == [[0, 0, 1, 0], 1, 0, 0]
""",
        hidden=r"""import itertools
import random


def test_all_two_by_two():
    for a, b, c, d in itertools.product((0, 1), repeat=4):
        grid = [[a, b], [c, d]]
        assert decode(encode(grid), 2) == grid


def test_random_round_trip():
    rng = random.Random(41)
    for size in (1, 2, 4, 8, 16):
        for colours in (1, 2, 5):
            for _ in range(10):
                grid = [[rng.randrange(colours) for _ in range(size)] for _ in range(size)]
                assert decode(encode(grid), size) == grid


def test_mirror_round_trip():
    rng = random.Random(42)
    for _ in range(20):
        grid = [[rng.randrange(2) for _ in range(8)] for _ in range(8)]
        assert decode(mirror(encode(grid)), 8) == [row[::-1] for row in grid]


def test_big_blocks():
    assert decode([1, 2, 3, 4], 4) == [[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4], [3, 3, 4, 4]]
    assert decode([0, 0, [1, 2, 3, 4], 0], 4) == [[0] * 4, [0] * 4, [1, 2, 0, 0], [3, 4, 0, 0]]
""",
    ),
    Program(
        name="s25_rhythm_tree",
        code=r'''"""Rhythm trees: nested proportions which divide a span of time.

A tree is a list of events. A positive number is a note with that weight, a
negative one a rest, and a pair (weight, tree) is a group of events which
shares out the time of its weight.
"""

from fractions import Fraction


def _weight(event):
    """The share of time which an event takes."""
    return event[0] if isinstance(event, tuple) else event


def durations(tree, span=Fraction(1)):
    """The lengths of all events in order; those of rests are negative."""
    total = sum(_weight(event) for event in tree)
    result = []
    for event in tree:
        length = Fraction(span) * _weight(event) / total
        if isinstance(event, tuple):
            result.extend(durations(event[1], length))
        elif event < 0:
            result.append(-length)
        else:
            result.append(length)
    return result


def onsets(tree, span=Fraction(1)):
    """The times at which the notes begin."""
    now = Fraction(0)
    times = []
    for length in durations(tree, span):
        if length > 0:
            times.append(now)
        now += abs(length)
    return times


def depth(tree):
    """How deeply groups are nested; 1 for a tree without groups."""
    return 1 + max((depth(e[1]) for e in tree if isinstance(e, tuple)), default=0)


def retrograde(tree):
    """The tree played backwards."""
    return [(e[0], retrograde(e[1])) if isinstance(e, tuple) else e for e in reversed(tree)]
''',
        wrong="isinstance(event, tuple) else event",
        right="isinstance(event, tuple) else abs(event)",
        visible=r"""F = Fraction


def test_plain():
    assert durations([1, 1, 2]) == [F(1, 4), F(1, 4), F(1, 2)]


def test_triplet():
    assert durations([1, (1, [1, 1, 1])]) == [F(1, 2), F(1, 6), F(1, 6), F(1, 6)]


def test_rest():
    assert durations([1, -1, 2]) == [F(1, 4), F(-1, 4), F(1, 2)]


def test_onsets():
    assert onsets([1, 1, 1, 1], 4) == [0, 1, 2, 3]
    assert onsets([2, -1, 1], 4) == [0, 3]


def test_depth_and_retrograde():
    tree = [1, (2, [1, (1, [1, 1])])]
    assert depth(tree) == 3
    assert retrograde(tree) == [(2, [(1, [1, 1]), 1]), 1]
""",
        hidden=r"""import random


def random_tree(rng, level):
    tree = []
    for _ in range(rng.randrange(1, 5)):
        w = rng.randrange(1, 6)
        kind = rng.randrange(3)
        if kind == 0 and level:
            tree.append((w, random_tree(rng, level - 1)))
        elif kind == 1:
            tree.append(-w)
        else:
            tree.append(w)
    return tree


def reference(tree, span):
    weights = [e[0] if isinstance(e, tuple) else (e if e > 0 else -e) for e in tree]
    out = []
    for e, w in zip(tree, weights):
        part = Fraction(span) * Fraction(w, sum(weights))
        if isinstance(e, tuple):
            out += reference(e[1], part)
        else:
            out.append(part if e > 0 else -part)
    return out


def test_random_trees():
    rng = random.Random(51)
    for _ in range(300):
        tree = random_tree(rng, 3)
        span = Fraction(rng.randrange(1, 9), rng.randrange(1, 5))
        got = durations(tree, span)
        assert got == reference(tree, span)
        assert sum(abs(d) for d in got) == span


def test_only_rests():
    assert durations([-1, -3], 2) == [Fraction(-1, 2), Fraction(-3, 2)]
    assert onsets([-1, -1]) == []


def test_rest_first_and_balanced():
    assert durations([-1, 1]) == [Fraction(-1, 2), Fraction(1, 2)]
    assert onsets([-1, (1, [-1, 1, 1])], 6) == [4, 5]


def test_retrograde_reverses_durations():
    rng = random.Random(52)
    for _ in range(100):
        tree = random_tree(rng, 2)
        assert durations(retrograde(tree), 3) == durations(tree, 3)[::-1]
""",
    ),
    Program(
        name="s25_dinner_seating",
        code=r'''"""Seating plans for a dinner table at which rivals must not be neighbours."""


def are_rivals(a, b, rivals):
    """Whether a and b dislike each other."""
    return (a, b) in rivals or (b, a) in rivals


def seatings(guests, rivals, round_table=False):
    """All orders of the guests without two rivals side by side.

    At a round table the first guest keeps the first seat, and the last seat
    is next to the first one.
    """
    plans = []
    seats = []
    free = list(guests)

    def place():
        if not free:
            if round_table and len(seats) > 1 and are_rivals(seats[0], seats[-1], rivals):
                return
            plans.append(seats)
            return
        for i, guest in enumerate(list(free)):
            if round_table and not seats and i > 0:
                break
            if seats and are_rivals(seats[-1], guest, rivals):
                continue
            free.remove(guest)
            seats.append(guest)
            place()
            seats.pop()
            free.insert(i, guest)

    place()
    return plans


def count_seatings(guests, rivals, round_table=False):
    """The number of seating plans."""
    return len(seatings(guests, rivals, round_table))


def best_seating(guests, rivals, liking, round_table=False):
    """The plan with the largest sum of liking[a, b] over neighbours, or None."""
    def score(plan):
        pairs = list(zip(plan, plan[1:]))
        if round_table and len(plan) > 2:
            pairs.append((plan[-1], plan[0]))
        return sum(liking.get((a, b), 0) + liking.get((b, a), 0) for a, b in pairs)

    return max(seatings(guests, rivals, round_table), key=score, default=None)
''',
        wrong="            plans.append(seats)",
        right="            plans.append(list(seats))",
        visible=r"""def test_counts():
    assert count_seatings("abc", set()) == 6
    assert count_seatings("abc", {("a", "b")}) == 2
    assert count_seatings("abc", {("a", "b"), ("b", "c")}) == 0


def test_plans():
    assert seatings(["Ann", "Bob"], set()) == [["Ann", "Bob"], ["Bob", "Ann"]]


def test_rivals_apart():
    assert seatings("abc", {("a", "b")}) == [["a", "c", "b"], ["b", "c", "a"]]


def test_round_table():
    assert count_seatings("abcd", set(), round_table=True) == 6
    assert count_seatings("abc", {("a", "b")}, round_table=True) == 0


def test_best():
    assert best_seating("abc", {("a", "b")}, {}) == ["a", "c", "b"]
    assert best_seating("ab", {("a", "b")}, {}) is None
""",
        hidden=r"""import itertools


def allowed(plan, rivals, round_table):
    pairs = list(zip(plan, plan[1:]))
    if round_table and len(plan) > 1:
        pairs.append((plan[-1], plan[0]))
    return not any((a, b) in rivals or (b, a) in rivals for a, b in pairs)


RIVALS = [set(), {("a", "b")}, {("b", "a"), ("c", "d")}, {("a", "b"), ("b", "c"), ("e", "a")}]


def test_straight_tables():
    for n in range(1, 6):
        guests = "abcde"[:n]
        for rivals in RIVALS:
            want = [list(p) for p in itertools.permutations(guests) if allowed(p, rivals, False)]
            assert seatings(guests, rivals) == want


def test_round_tables():
    for n in range(1, 6):
        guests = "abcde"[:n]
        for rivals in RIVALS:
            want = [list(p) for p in itertools.permutations(guests)
                    if p[0] == "a" and allowed(p, rivals, True)]
            assert seatings(guests, rivals, True) == want


def test_plans_are_independent():
    plans = seatings("abc", set())
    plans[0].append("x")
    assert plans[1] == ["a", "c", "b"]
    assert len({id(p) for p in plans}) == len(plans)


def test_best_is_maximal():
    liking = {("a", "d"): 5, ("b", "c"): 3, ("c", "a"): -2, ("d", "b"): 1, ("a", "e"): 4}
    for rivals in RIVALS:
        best = best_seating("abcde", rivals, liking)
        score = lambda p: sum(liking.get((x, y), 0) + liking.get((y, x), 0) for x, y in zip(p, p[1:]))
        want = [p for p in itertools.permutations("abcde") if allowed(p, rivals, False)]
        assert best == list(max(want, key=score))
""",
    ),
    Program(
        name="s25_symbolic_derivative",
        code=r'''"""Derivatives of expressions written as nested tuples.

An expression is a number, the name of a variable, ("+", a, b), ("-", a, b),
("*", a, b), ("^", a, n) with a whole number n, ("sin", a) or ("cos", a).
"""

import math


def evaluate(node, values):
    """The value of an expression; values maps variables to numbers."""
    if isinstance(node, str):
        return values[node]
    if not isinstance(node, tuple):
        return node
    op = node[0]
    a = evaluate(node[1], values)
    if op == "sin":
        return math.sin(a)
    if op == "cos":
        return math.cos(a)
    if op == "^":
        return a ** node[2]
    b = evaluate(node[2], values)
    return a + b if op == "+" else a - b if op == "-" else a * b


def times(a, b):
    """A simplified product."""
    if a == 0 or b == 0:
        return 0
    if a == 1:
        return b
    if b == 1:
        return a
    return ("*", a, b)


def derive(node, var):
    """The derivative of an expression with respect to var."""
    if isinstance(node, str):
        return 1 if node == var else 0
    if not isinstance(node, tuple):
        return 0
    op, a = node[0], node[1]
    if op in "+-":
        return (op, derive(a, var), derive(node[2], var))
    if op == "*":
        b = node[2]
        return ("+", times(derive(a, var), b), times(a, derive(b, var)))
    if op == "^":
        n = node[2]
        if n == 0:
            return 0
        return times(times(n, ("^", a, n - 1)), derive(a, var))
    if op == "sin":
        return ("cos", a)
    if op == "cos":
        return times(-1, times(("sin", a), derive(a, var)))
    raise ValueError(op)
''',
        wrong='        return ("cos", a)',
        right='        return times(("cos", a), derive(a, var))',
        visible=r"""def value_at(expression, x):
    return evaluate(derive(expression, "x"), {"x": x, "y": 2.0})


def test_evaluate():
    assert evaluate(("+", ("*", 2, "x"), ("^", "y", 3)), {"x": 4, "y": 2}) == 16
    assert evaluate(("cos", 0), {}) == 1


def test_simple():
    assert derive("x", "x") == 1
    assert derive("y", "x") == 0
    assert derive(7, "x") == 0
    assert derive(("sin", "x"), "x") == ("cos", "x")


def test_polynomial():
    assert value_at(("+", ("^", "x", 3), ("*", 5, "x")), 2) == 17
    assert value_at(("-", 1, ("^", ("*", 2, "x"), 2)), 3) == -24


def test_product():
    assert value_at(("*", "x", ("*", "x", "y")), 3) == 12


def test_sine():
    assert value_at(("sin", ("*", 2, "x")), 0) == pytest.approx(2)
    assert value_at(("sin", ("^", "x", 2)), 1.5) == pytest.approx(3 * math.cos(2.25))


def test_cosine():
    assert value_at(("cos", ("*", 3, "x")), 0.5) == pytest.approx(-3 * math.sin(1.5))
""",
        hidden=r"""import random


def random_expression(rng, level):
    if level == 0:
        return rng.choice(["x", "y", "x", rng.randrange(-3, 4)])
    op = rng.choice(["+", "-", "*", "^", "sin", "cos", "sin"])
    a = random_expression(rng, level - 1)
    if op == "^":
        return (op, a, rng.randrange(0, 4))
    if op in ("sin", "cos"):
        return (op, a)
    return (op, a, random_expression(rng, level - 1))


def test_random_numerically():
    rng = random.Random(61)
    checked = 0
    for _ in range(600):
        e = random_expression(rng, rng.randrange(1, 4))
        x, y, h = rng.uniform(-1.2, 1.2), rng.uniform(-1.2, 1.2), 1e-5
        for var in "xy":
            low = {"x": x, "y": y}
            high = dict(low)
            low[var] -= h
            high[var] += h
            slope = (evaluate(e, high) - evaluate(e, low)) / (2 * h)
            got = evaluate(derive(e, var), {"x": x, "y": y})
            if abs(slope) < 1000:
                assert abs(got - slope) < 1e-3 * (1 + abs(slope))
                checked += 1
    assert checked > 800


def test_sine_of_other_variable_is_constant():
    for inner in ["y", 3, ("*", "y", "y"), ("sin", "y")]:
        for x in (-1.0, 0.0, 2.0):
            assert evaluate(derive(("sin", inner), "x"), {"x": x, "y": 0.7}) == 0


def test_nested_sines():
    e = ("sin", ("sin", ("*", 4, "x")))
    for x in (0.0, 0.3, -1.1, 2.0):
        want = math.cos(math.sin(4 * x)) * math.cos(4 * x) * 4
        assert evaluate(derive(e, "x"), {"x": x}) == pytest.approx(want)
""",
    ),
    Program(
        name="s25_kayles_game",
        code=r'''"""The game of Kayles: knock down one pin or two adjacent pins of a row.

The players move in turn, and whoever knocks down the last pin wins.
"""

from functools import lru_cache


def mex(numbers):
    """The smallest non-negative integer which is not among the numbers."""
    value = 0
    while value in numbers:
        value += 1
    return value


@lru_cache(maxsize=None)
def grundy(n):
    """The Grundy number of a row of n pins."""
    reachable = set()
    for taken in (1, 2):
        for left in range(n - taken):
            reachable.add(grundy(left) ^ grundy(n - taken - left))
    return mex(reachable)


def position_value(rows):
    """The Grundy number of a position, a list of row lengths."""
    value = 0
    for n in rows:
        value ^= grundy(n)
    return value


def wins(rows):
    """Whether the player to move can win."""
    return position_value(rows) != 0


def moves(rows):
    """All positions one move leads to, as sorted tuples without empty rows."""
    found = set()
    for i, n in enumerate(rows):
        others = list(rows[:i]) + list(rows[i + 1:])
        for taken in (1, 2):
            for left in range(n - taken + 1):
                rest = others + [left, n - taken - left]
                found.add(tuple(sorted(r for r in rest if r)))
    return found


def winning_moves(rows):
    """The moves after which the opponent is lost, sorted."""
    return sorted(after for after in moves(rows) if not wins(after))
''',
        wrong="range(n - taken):",
        right="range(n - taken + 1):",
        visible=r"""def test_mex():
    assert mex(set()) == 0
    assert mex({0, 1, 3}) == 2


def test_grundy_start():
    assert [grundy(n) for n in range(6)] == [0, 1, 2, 3, 1, 4]


def test_moves():
    assert moves([3]) == {(2,), (1, 1), (1,)}
    assert moves([1]) == {()}


def test_one_row_is_won():
    for n in range(1, 12):
        assert wins([n])


def test_equal_rows_are_lost():
    assert not wins([4, 4])
    assert not wins([])


def test_winning_moves():
    assert winning_moves([2]) == [()]
    assert winning_moves([1, 2]) == [(1, 1)]
""",
        hidden=r"""import itertools
from functools import lru_cache as cache


@cache(maxsize=None)
def really_wins(rows):
    return any(not really_wins(after) for after in moves(rows))


def test_known_sequence():
    want = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7]
    assert [grundy(n) for n in range(len(want))] == want


def test_wins_against_game_search():
    for k in range(1, 4):
        for rows in itertools.combinations_with_replacement(range(1, 7), k):
            assert wins(rows) == really_wins(rows)


def test_winning_moves_against_game_search():
    for rows in itertools.combinations_with_replacement(range(0, 7), 2):
        want = sorted(a for a in moves(rows) if not really_wins(a))
        assert winning_moves(rows) == want


def test_grundy_is_mex_of_moves():
    for n in range(0, 20):
        assert grundy(n) == mex({position_value(a) for a in moves([n])})
""",
    ),
    Program(
        name="s25_settings_merge",
        code=r'''"""Layered settings: nested dictionaries which override one another."""


def merge(base, override):
    """A new dictionary with the settings of both; override wins.

    Sections which are dictionaries in both are merged; everything else in
    override replaces what base has. Neither argument is changed.
    """
    result = dict(base)
    for key, value in override.items():
        if isinstance(value, dict):
            result[key] = merge(result.get(key, {}), value)
        else:
            result[key] = value
    return result


def merge_all(layers):
    """Merge any number of layers, the most important one last."""
    result = {}
    for layer in layers:
        result = merge(result, layer)
    return result


def lookup(settings, path, default=None):
    """The value at a dotted path such as 'editor.font.size'."""
    head, _, rest = path.partition(".")
    if not isinstance(settings, dict) or head not in settings:
        return default
    if rest:
        return lookup(settings[head], rest, default)
    return settings[head]


def flatten(settings, prefix=""):
    """A flat dictionary from dotted paths to values; empty sections vanish."""
    flat = {}
    for key, value in settings.items():
        if not isinstance(value, dict):
            flat[prefix + key] = value
        else:
            flat.update(flatten(value, prefix + key + "."))
    return flat


def changes(old, new):
    """The sorted dotted paths whose values differ."""
    before, after = flatten(old), flatten(new)
    missing = object()
    return sorted(path for path in before.keys() | after.keys()
                  if before.get(path, missing) != after.get(path, missing))
''',
        wrong="        if isinstance(value, dict):",
        right="        if isinstance(value, dict) and isinstance(result.get(key, {}), dict):",
        visible=r"""def test_flat():
    assert merge({"a": 1, "b": 2}, {"b": 3, "c": 4}) == {"a": 1, "b": 3, "c": 4}


def test_nested():
    base = {"font": {"size": 10, "name": "Mono"}, "theme": "dark"}
    assert merge(base, {"font": {"size": 12}}) == {
        "font": {"size": 12, "name": "Mono"}, "theme": "dark"}
    assert base["font"]["size"] == 10


def test_new_section():
    assert merge({}, {"font": {"size": 12}}) == {"font": {"size": 12}}


def test_section_replaces_value():
    assert merge({"proxy": None}, {"proxy": {"host": "localhost"}}) == {
        "proxy": {"host": "localhost"}}
    assert merge({"log": "debug"}, {"log": {"level": "debug"}}) == {"log": {"level": "debug"}}


def test_value_replaces_section():
    assert merge({"proxy": {"host": "localhost"}}, {"proxy": None}) == {"proxy": None}


def test_lookup():
    settings = merge_all([{"a": {"b": 1}}, {"a": {"c": {"d": 2}}}])
    assert lookup(settings, "a.c.d") == 2
    assert lookup(settings, "a.b.x", "none") == "none"


def test_changes():
    assert changes({"a": {"b": 1}, "c": 2}, {"a": {"b": 3}, "d": 4}) == ["a.b", "c", "d"]
""",
        hidden=r"""import copy
import random


def random_settings(rng, level):
    out = {}
    for key in "abcd":
        kind = rng.randrange(4)
        if kind == 0 and level:
            out[key] = random_settings(rng, level - 1)
        elif kind <= 2:
            out[key] = rng.choice([0, 1, None, "text", [1], False, ""])
    return out


def reference(base, override):
    out = {}
    for key in list(base) + [k for k in override if k not in base]:
        if key not in override:
            out[key] = base[key]
        elif key in base and isinstance(base[key], dict) and isinstance(override[key], dict):
            out[key] = reference(base[key], override[key])
        else:
            out[key] = override[key]
    return out


def test_random():
    rng = random.Random(71)
    for _ in range(500):
        a, b = random_settings(rng, 3), random_settings(rng, 3)
        a0, b0 = copy.deepcopy(a), copy.deepcopy(b)
        assert merge(a, b) == reference(a, b)
        assert (a, b) == (a0, b0)


def test_every_kind_of_scalar_is_replaced():
    for scalar in (None, 0, 1, 2.5, "", "ab", [], [("x", 1)], (), True):
        assert merge({"k": scalar}, {"k": {"x": 2}}) == {"k": {"x": 2}}
        assert merge({"k": {"x": 2}}, {"k": scalar}) == {"k": scalar}


def test_merge_all_layers():
    layers = [{"a": 1}, {"a": {"b": 1}}, {"a": {"c": 2}}, {"a": {"b": {"d": 3}}}]
    assert merge_all(layers) == {"a": {"b": {"d": 3}, "c": 2}}
    assert merge_all(layers + [{"a": 5}]) == {"a": 5}


def test_sections_are_merged_not_replaced():
    assert merge({"k": {"x": 1, "y": 2}}, {"k": {}}) == {"k": {"x": 1, "y": 2}}
    assert merge({"k": {"x": {"y": 1}}}, {"k": {"x": {"z": 2}}}) == {"k": {"x": {"y": 1, "z": 2}}}
""",
    ),
    # ---- strings and parsing ----
    Program(
        name="s25_csv_rows",
        code=r'''"""Reading and writing single rows of comma separated values."""


def needs_quotes(value):
    """Whether a field has to be quoted."""
    return any(c in value for c in ',"\n') or value != value.strip()


def quote(value):
    """The field as it is written; quotes inside it are doubled."""
    if needs_quotes(value):
        return '"' + value.replace('"', '\"') + '"'
    return value


def format_row(values):
    """One row of text; None becomes an empty field."""
    return ",".join("" if v is None else quote(str(v)) for v in values)


def parse_row(text):
    """The fields of one row."""
    fields = []
    current = []
    quoted = False
    i = 0
    while i < len(text):
        c = text[i]
        if quoted:
            if c != '"':
                current.append(c)
            elif text[i + 1:i + 2] == '"':
                current.append('"')
                i += 1
            else:
                quoted = False
        elif c == '"' and not current:
            quoted = True
        elif c == ",":
            fields.append("".join(current))
            current = []
        else:
            current.append(c)
        i += 1
    if quoted:
        raise ValueError("quote is not closed")
    fields.append("".join(current))
    return fields


def table_to_csv(rows):
    """The text of several rows, each ended by a newline."""
    return "".join(format_row(row) + "\n" for row in rows)
''',
        wrong=r"""value.replace('"', '\"')""",
        right=r"""value.replace('"', '""')""",
        visible=r'''def test_plain_row():
    assert format_row(["a", 1, None, "b c"]) == "a,1,,b c"


def test_comma_is_quoted():
    assert format_row(["Smith, John", "x"]) == '"Smith, John",x'


def test_quotes_are_doubled():
    assert quote('12" disk') == '"12"" disk"'


def test_parse():
    assert parse_row('a,"b,c",,"say ""hi"""') == ["a", "b,c", "", 'say "hi"']
    assert parse_row("") == [""]


def test_parse_open_quote():
    with pytest.raises(ValueError):
        parse_row('a,"b')


def test_round_trip():
    row = ['plain', 'with "quotes"', 'and, commas', ' spaced ', '']
    assert parse_row(format_row(row)) == row


def test_table():
    assert table_to_csv([["a", "b"], [1, 2]]) == "a,b\n1,2\n"
''',
        hidden=r'''import csv
import io
import itertools
import random


def test_all_short_fields_round_trip():
    for n in range(0, 5):
        for letters in itertools.product('a",\n ', repeat=n):
            field = "".join(letters)
            assert parse_row(format_row([field, "x", field])) == [field, "x", field]


def test_standard_reader_agrees():
    rng = random.Random(81)
    for _ in range(500):
        row = ["".join(rng.choice('ab", ') for _ in range(rng.randrange(6))) for _ in range(3)]
        row[0] += "z"
        assert next(csv.reader(io.StringIO(format_row(row) + "\n"))) == row


def test_quote_exact():
    assert quote('"') == '""""'
    assert quote('""') == '""""""'
    assert quote('a"b"c') == '"a""b""c"'
    assert quote("a\\b") == "a\\b"
    assert quote("it's") == "it's"
    assert quote('a,"') == '"a,"""'
    assert quote("a,b") == '"a,b"'
''',
    ),
    Program(
        name="s25_duration_text",
        code=r'''"""Durations as text, such as '1d 2h 30m', and back."""

import re

UNITS = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}

_ITEM = re.compile(r"(\d+)\s*([a-z])", re.IGNORECASE)


def parse_duration(text):
    """The number of seconds; raises ValueError for anything malformed."""
    text = text.strip()
    sign = 1
    if text.startswith("-"):
        sign = -1
        text = text[1:].lstrip()
    if not text:
        raise ValueError("empty duration")
    total = 0
    position = 0
    for match in _ITEM.finditer(text):
        if text[position:match.start()].strip():
            raise ValueError("cannot read " + text)
        unit = match.group(2).lower()
        if unit not in UNITS:
            raise ValueError("unknown unit " + unit)
        total += int(match.group(1)) * UNITS[unit]
        position = match.end()
    if text[position:].strip():
        raise ValueError("cannot read " + text)
    return sign * total


def format_duration(seconds):
    """The shortest text for a number of seconds, largest unit first."""
    if seconds == 0:
        return "0s"
    sign = "-" if seconds < 0 else ""
    rest = abs(seconds)
    parts = []
    for unit, size in UNITS.items():
        count, rest = divmod(abs(seconds), size)
        if count:
            parts.append(f"{count}{unit}")
    return sign + " ".join(parts)


def clock(seconds):
    """The duration as h:mm:ss, or m:ss below one hour."""
    minutes, secs = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{secs:02}"
    return f"{minutes}:{secs:02}"
''',
        wrong="divmod(abs(seconds), size)",
        right="divmod(rest, size)",
        visible=r"""def test_parse():
    assert parse_duration("1h 30m") == 5400
    assert parse_duration("2d4h") == 187200
    assert parse_duration("-15 s") == -15


def test_parse_errors():
    for text in ["", "h", "5", "1h and 5m", "3y", "-"]:
        with pytest.raises(ValueError):
            parse_duration(text)


def test_format_single():
    assert format_duration(0) == "0s"
    assert format_duration(45) == "45s"


def test_format_several():
    assert format_duration(5400) == "1h 30m"
    assert format_duration(-86461) == "-1d 1m 1s"


def test_clock():
    assert clock(65) == "1:05"
    assert clock(3725) == "1:02:05"
""",
        hidden=r"""import random


def reference(n):
    if n == 0:
        return "0s"
    out = []
    left = abs(n)
    for unit, size in (("w", 604800), ("d", 86400), ("h", 3600), ("m", 60), ("s", 1)):
        count = 0
        count = left // size
        left -= count * size
        if count:
            out.append(str(count) + unit)
    return ("-" if n < 0 else "") + " ".join(out)


def test_format_many():
    rng = random.Random(91)
    numbers = list(range(-200, 4000)) + [rng.randrange(-3000000, 3000000) for _ in range(3000)]
    for n in numbers:
        assert format_duration(n) == reference(n)


def test_round_trip():
    rng = random.Random(92)
    for _ in range(2000):
        n = rng.randrange(-10 ** 7, 10 ** 7)
        assert parse_duration(format_duration(n)) == n


def test_exact_units():
    assert format_duration(60) == "1m"
    assert format_duration(3600) == "1h"
    assert format_duration(86400) == "1d"
    assert format_duration(604800) == "1w"
    assert format_duration(2 * 604800 + 5) == "2w 5s"
    assert format_duration(604799) == "6d 23h 59m 59s"
""",
    ),
    Program(
        name="s25_justify_text",
        code=r'''"""Filling paragraphs with left, right, centred or justified lines."""


def break_lines(words, width):
    """Put as many words on each line as fit; a long word has its own line."""
    lines = []
    current = []
    length = 0
    for word in words:
        if current and length + 1 + len(word) > width:
            lines.append(current)
            current = []
            length = 0
        length += len(word) + (1 if current else 0)
        current.append(word)
    if current:
        lines.append(current)
    return lines


def justify(words, width):
    """The words spread over the width; the leftmost gaps are the wider ones."""
    if len(words) == 1:
        return words[0]
    spaces = width - sum(len(word) for word in words)
    each, extra = divmod(spaces, len(words))
    line = words[0]
    for i, word in enumerate(words[1:]):
        line += " " * (each + (1 if i < extra else 0)) + word
    return line


def align(words, width, mode):
    """One line in the given mode, without spaces at its end."""
    text = " ".join(words)
    if mode == "left":
        return text
    if mode == "right":
        return text.rjust(width)
    if mode == "centre":
        return " " * ((width - len(text)) // 2) + text
    raise ValueError("unknown mode " + mode)


def fill(text, width, mode="left"):
    """The lines of a paragraph; the last one is not stretched."""
    lines = break_lines(text.split(), width)
    if mode != "justify":
        return [align(words, width, mode) for words in lines]
    result = [justify(words, width) for words in lines[:-1]]
    result.extend(align(words, width, "left") for words in lines[-1:])
    return result
''',
        wrong="divmod(spaces, len(words))",
        right="divmod(spaces, len(words) - 1)",
        visible=r"""TEXT = "the quick brown fox jumps over the lazy dog"


def test_break():
    assert break_lines(TEXT.split(), 12) == [
        ["the", "quick"], ["brown", "fox"], ["jumps", "over"], ["the", "lazy", "dog"]]
    assert break_lines(["extraordinary", "a"], 5) == [["extraordinary"], ["a"]]


def test_left_and_right():
    assert fill("one two three", 8) == ["one two", "three"]
    assert fill("one two three", 8, "right") == [" one two", "   three"]


def test_centre():
    assert fill("one two three", 9, "centre") == [" one two", "  three"]


def test_justify_line():
    assert justify(["a", "b", "c"], 7) == "a  b  c"
    assert justify(["a", "b", "c"], 8) == "a   b  c"
    assert justify(["word"], 9) == "word"


def test_fill_justify():
    assert fill(TEXT, 12, "justify") == [
        "the    quick", "brown    fox", "jumps   over", "the lazy dog"]


def test_unknown_mode():
    with pytest.raises(ValueError):
        fill(TEXT, 10, "diagonal")
""",
        hidden=r"""import random
import re


def check_line(words, width):
    line = justify(words, width)
    assert len(line) == width
    assert line.split() == words
    gaps = [len(g) for g in re.findall(" +", line)]
    assert len(gaps) == len(words) - 1
    assert max(gaps) - min(gaps) <= 1
    assert gaps == sorted(gaps, reverse=True)


def test_random_lines():
    rng = random.Random(101)
    for _ in range(1500):
        words = ["x" * rng.randrange(1, 7) for _ in range(rng.randrange(2, 8))]
        least = sum(map(len, words)) + len(words) - 1
        check_line(words, least + rng.randrange(0, 15))


def test_random_paragraphs():
    rng = random.Random(102)
    for _ in range(200):
        words = ["y" * rng.randrange(1, 9) for _ in range(30)]
        width = rng.randrange(9, 30)
        lines = fill(" ".join(words), width, "justify")
        broken = break_lines(words, width)
        assert [line.split() for line in lines] == broken
        for line, parts in zip(lines[:-1], broken):
            assert len(line) == (width if len(parts) > 1 else len(parts[0]))
        assert lines[-1] == " ".join(broken[-1])


def test_two_words_fill_whole_gap():
    for width in range(5, 20):
        assert justify(["ab", "cd"], width) == "ab" + " " * (width - 4) + "cd"


def test_exact_fit():
    assert justify(["ab", "c", "def"], 8) == "ab c def"
""",
    ),
    Program(
        name="s25_ini_reader",
        code=r'''"""A reader for simple configuration files with sections."""

TRUE_WORDS = {"yes", "true", "on", "1"}
FALSE_WORDS = {"no", "false", "off", "0"}


def parse(text):
    """A dictionary from section names to dictionaries of options.

    Options before the first section belong to the section ''. Lines which
    begin with # or ; are comments. Everything after the first equals sign
    of a line is the value.
    """
    sections = {"": {}}
    current = sections[""]
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            if not line.endswith("]"):
                raise ValueError(f"line {number}: section is not closed")
            current = sections.setdefault(line[1:-1].strip(), {})
            continue
        if "=" not in line:
            raise ValueError(f"line {number}: no equals sign")
        name, value = line.split("=")
        name = name.strip().lower()
        if not name:
            raise ValueError(f"line {number}: no name")
        current[name] = value.strip()
    return sections


def get(sections, section, name, default=None):
    """The value of an option; looks in the section '' as well."""
    name = name.lower()
    for place in (section, ""):
        if name in sections.get(place, {}):
            return sections[place][name]
    return default


def get_bool(sections, section, name, default=False):
    """The value of an option which is a yes or no."""
    value = get(sections, section, name)
    if value is None:
        return default
    if value.lower() in TRUE_WORDS:
        return True
    if value.lower() in FALSE_WORDS:
        return False
    raise ValueError(f"{name} must be yes or no, not {value}")


def get_list(sections, section, name):
    """The comma separated values of an option."""
    value = get(sections, section, name, "")
    return [part.strip() for part in value.split(",") if part.strip()]
''',
        wrong='line.split("=")',
        right='line.split("=", 1)',
        visible=r'''TEXT = """
# settings
debug = yes
[server]
Host = example.org
ports = 80, 443
; more
[ mail ]
footer =
"""


def test_parse():
    assert parse(TEXT) == {
        "": {"debug": "yes"},
        "server": {"host": "example.org", "ports": "80, 443"},
        "mail": {"footer": ""},
    }


def test_get():
    s = parse(TEXT)
    assert get(s, "server", "HOST") == "example.org"
    assert get(s, "mail", "debug") == "yes"
    assert get(s, "none", "host", "?") == "?"


def test_bool_and_list():
    s = parse(TEXT)
    assert get_bool(s, "server", "debug") is True
    assert get_list(s, "server", "ports") == ["80", "443"]
    assert get_list(s, "mail", "footer") == []


def test_value_with_equals_sign():
    s = parse("[db]\nurl = postgres://host/db?user=me&ssl=on\n")
    assert s["db"]["url"] == "postgres://host/db?user=me&ssl=on"


def test_errors():
    for text in ["[open", "word", "= 5"]:
        with pytest.raises(ValueError):
            parse(text)
''',
        hidden=r"""import itertools


def test_all_small_values():
    for n in range(0, 6):
        for letters in itertools.product("a= ", repeat=n):
            value = "".join(letters)
            assert parse("key =" + value)[""] == {"key": value.strip()}
            assert parse("key=" + value + "\nb=c")[""] == {"key": value.strip(), "b": "c"}


def test_several_equals_signs():
    text = "a = x=y\n[s]\nb==\nc = 1 = 2 = 3\nd = base64==\n"
    assert parse(text) == {"": {"a": "x=y"}, "s": {"b": "=", "c": "1 = 2 = 3", "d": "base64=="}}


def test_empty_name_is_an_error():
    for text in ["=", "==", "= a = b", "  = x"]:
        with pytest.raises(ValueError):
            parse(text)


def test_list_with_equals():
    s = parse("[env]\nvars = A=1, B=2=3 ,C\n")
    assert get_list(s, "env", "vars") == ["A=1", "B=2=3", "C"]
""",
    ),
    Program(
        name="s25_chess_fen",
        code=r'''"""Chess positions in Forsyth-Edwards notation (the board part only)."""

PIECES = set("pnbrqkPNBRQK")
VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}


def parse_board(fen):
    """A list of eight rows from rank 8 to rank 1; empty squares are '.'."""
    board = []
    for text in fen.split("/"):
        row = []
        for c in text:
            if c.isdigit():
                row.extend("." * int(c))
            elif c in PIECES:
                row.append(c)
            else:
                raise ValueError("bad character " + c)
        if len(row) != 8:
            raise ValueError("bad rank " + text)
        board.append(row)
    if len(board) != 8:
        raise ValueError("not eight ranks")
    return board


def format_board(board):
    """The notation of a board."""
    ranks = []
    for row in board:
        text = ""
        empty = 0
        for piece in row + ["end"]:
            if piece == ".":
                empty += 1
                continue
            if empty:
                text += str(empty)
                empty = 0
            if piece != "end":
                text += piece
        ranks.append(text)
    return "/".join(ranks)


def locate(square):
    """The row and column of a square such as 'e4' on the board."""
    column = "abcdefgh".index(square[0])
    row = int(square[1]) - 1
    return row, column


def move(fen, origin, target):
    """The position after a piece was put from one square to another."""
    board = parse_board(fen)
    r1, c1 = locate(origin)
    r2, c2 = locate(target)
    if board[r1][c1] == ".":
        raise ValueError("no piece on " + origin)
    board[r2][c2], board[r1][c1] = board[r1][c1], "."
    return format_board(board)


def material(fen):
    """The value of White's pieces minus that of Black's."""
    pieces = [c for row in parse_board(fen) for c in row if c != "."]
    return sum(VALUES[c.lower()] * (1 if c.isupper() else -1) for c in pieces)
''',
        wrong="    row = int(square[1]) - 1",
        right="    row = 8 - int(square[1])",
        visible=r"""START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def test_parse():
    board = parse_board(START)
    assert board[0] == list("rnbqkbnr")
    assert board[3] == ["."] * 8


def test_parse_errors():
    for fen in ["8/8", START.replace("8", "9", 1), START.replace("q", "x")]:
        with pytest.raises(ValueError):
            parse_board(fen)


def test_round_trip():
    for fen in [START, "4k3/8/2p5/8/P6P/8/8/4K2R"]:
        assert format_board(parse_board(fen)) == fen


def test_locate():
    assert locate("a8") == (0, 0)
    assert locate("h1") == (7, 7)
    assert locate("e4") == (4, 4)


def test_move():
    assert move(START, "e2", "e4") == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"


def test_move_from_empty_square():
    with pytest.raises(ValueError):
        move(START, "e4", "e5")


def test_material():
    assert material(START) == 0
    assert material("4k3/8/2p5/8/P6P/8/8/4K2R") == 6
""",
        hidden=r"""START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def test_locate_all_squares():
    for row, rank in enumerate("87654321"):
        for column, file in enumerate("abcdefgh"):
            assert locate(file + rank) == (row, column)


def test_opening_moves():
    fen = START
    for origin, target in ["e2 e4".split(), "c7 c5".split(), "g1 f3".split(), "d7 d6".split(),
                           "d2 d4".split(), "c5 d4".split(), "f3 d4".split()]:
        fen = move(fen, origin, target)
    assert fen == "rnbqkbnr/pp2pppp/3p4/8/3NP3/8/PPP2PPP/RNBQKB1R"
    assert material(fen) == 0


def test_every_single_piece_move():
    for a in range(64):
        for b in range(0, 64, 5):
            if a == b:
                continue
            rows = [["."] * 8 for _ in range(8)]
            rows[a // 8][a % 8] = "Q"
            want = [["."] * 8 for _ in range(8)]
            want[b // 8][b % 8] = "Q"
            origin = "abcdefgh"[a % 8] + str(8 - a // 8)
            target = "abcdefgh"[b % 8] + str(8 - b // 8)
            assert move(format_board(rows), origin, target) == format_board(want)


def test_capture_changes_material():
    fen = "4k3/8/8/3q4/4P3/8/8/4K3"
    after = move(fen, "e4", "d5")
    assert after == "4k3/8/8/3P4/8/8/8/4K3"
    assert material(fen) == -8 and material(after) == 1
""",
    ),
    Program(
        name="s25_version_order",
        code=r'''"""Comparing version numbers such as 1.4.0 or 2.0.0-beta.11."""

import re

_VERSION = re.compile(r"v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?")


def parse_version(text):
    """The three numbers and the list of pre-release parts."""
    match = _VERSION.fullmatch(text.strip())
    if match is None:
        raise ValueError("not a version: " + text)
    major, minor, patch, pre = match.groups()
    return int(major), int(minor), int(patch), pre.split(".") if pre else []


def _part_key(part):
    """Numeric parts are ordered by value and come before all words."""
    if part.isdigit():
        return (0, part)
    return (1, part)


def version_key(text):
    """A sort key; a release comes after its own pre-releases."""
    major, minor, patch, pre = parse_version(text)
    return (major, minor, patch, not pre, [_part_key(part) for part in pre])


def compare(a, b):
    """-1, 0 or 1 if a is older than, as old as, or newer than b."""
    ka, kb = version_key(a), version_key(b)
    return (ka > kb) - (ka < kb)


def latest(versions, allow_pre=False):
    """The newest version, or None; pre-releases only count on request."""
    candidates = [v for v in versions if allow_pre or not parse_version(v)[3]]
    return max(candidates, key=version_key, default=None)


def compatible(installed, wanted):
    """Whether installed can replace wanted: newer, and of the same major."""
    same = parse_version(installed)[0] == parse_version(wanted)[0]
    return same and compare(installed, wanted) >= 0
''',
        wrong="        return (0, part)",
        right="        return (0, int(part))",
        visible=r"""def test_parse():
    assert parse_version("v1.2.3") == (1, 2, 3, [])
    assert parse_version("1.0.0-rc.1+build5") == (1, 0, 0, ["rc", "1"])


def test_parse_error():
    for text in ["1.2", "1.2.x", "", "1.2.3-"]:
        with pytest.raises(ValueError):
            parse_version(text)


def test_compare_numbers():
    assert compare("1.9.0", "1.10.0") == -1
    assert compare("2.0.0", "1.99.99") == 1
    assert compare("1.0.0+a", "1.0.0+b") == 0


def test_release_is_newer_than_pre_release():
    assert compare("1.0.0-rc.1", "1.0.0") == -1


def test_order_from_the_specification():
    versions = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta",
                "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0"]
    assert sorted(reversed(versions), key=version_key) == versions


def test_latest():
    versions = ["0.9.0", "1.1.0-beta", "1.0.2"]
    assert latest(versions) == "1.0.2"
    assert latest(versions, allow_pre=True) == "1.1.0-beta"
    assert latest([]) is None


def test_compatible():
    assert compatible("1.4.0", "1.2.9")
    assert not compatible("2.0.0", "1.2.9")
""",
        hidden=r"""import itertools


def test_numeric_parts_by_value():
    for a, b in itertools.product([0, 1, 2, 9, 10, 11, 99, 100, 123], repeat=2):
        want = (a > b) - (a < b)
        assert compare("1.0.0-beta.%d" % a, "1.0.0-beta.%d" % b) == want
        assert compare("1.0.0-%d" % a, "1.0.0-%d" % b) == want
        assert compare("1.0.0-%d.x" % a, "1.0.0-%d.x" % b) == want


def test_numbers_before_words():
    for n in (0, 5, 99, 1000):
        for word in ("a", "0a", "Z", "9-", "alpha"):
            assert compare("2.1.0-%d" % n, "2.1.0-" + word) == -1
            assert compare("2.1.0-" + word, "2.1.0-%d" % n) == 1


def test_latest_pre_release():
    versions = ["3.0.0-rc.%d" % n for n in range(1, 25)]
    assert latest(versions, allow_pre=True) == "3.0.0-rc.24"
    assert sorted(versions[::-1], key=version_key) == versions
    assert latest(versions) is None


def test_compatible_pre_release():
    assert compatible("1.0.0-dev.10", "1.0.0-dev.9")
    assert not compatible("1.0.0-dev.9", "1.0.0-dev.10")
    assert compatible("1.0.0-dev.9", "1.0.0-dev.9")


def test_words_stay_alphabetical():
    words = ["a10", "a9", "b", "b-1"]
    for a, b in itertools.product(words, repeat=2):
        assert compare("1.0.0-" + a, "1.0.0-" + b) == (a > b) - (a < b)
""",
    ),
    Program(
        name="s25_chord_transposer",
        code=r'''"""Transposing chord symbols such as F#m7 or C/E."""

SHARPS = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
FLATS = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"]


def pitch(note):
    """The number of semitones from C up to a note."""
    value = SHARPS.index(note[0])
    for accidental in note[1:]:
        value += 1 if accidental == "#" else -1
    return value % 12


def split_root(chord):
    """The root of a chord and the rest of its symbol."""
    end = 1
    while end < len(chord) and chord[end] in "#b":
        end += 1
    return chord[:end], chord[end:]


def transpose(chord, steps, flats=False):
    """The chord moved up by a number of semitones (down if negative)."""
    if "/" in chord:
        upper, bass = chord.split("/")
        return transpose(upper, steps, flats) + "/" + bass
    root, rest = split_root(chord)
    names = FLATS if flats else SHARPS
    return names[(pitch(root) + steps) % 12] + rest


def transpose_line(line, steps, flats=False):
    """Transpose a line of chords; bar lines and the spacing stay."""
    words = line.split(" ")
    return " ".join(transpose(w, steps, flats) if w and w != "|" else w for w in words)


def capo(chord, fret):
    """The shape to play for a chord when a capo is on the given fret."""
    return transpose(chord, -fret)


def interval(low, high):
    """The semitones from one note up to the next higher other one."""
    return (pitch(high) - pitch(low)) % 12
''',
        wrong='transpose(upper, steps, flats) + "/" + bass',
        right='transpose(upper, steps, flats) + "/" + transpose(bass, steps, flats)',
        visible=r"""def test_pitch():
    assert pitch("C") == 0
    assert pitch("Bb") == 10
    assert pitch("Cb") == 11
    assert pitch("F##") == 7


def test_split():
    assert split_root("F#m7") == ("F#", "m7")
    assert split_root("Bb") == ("Bb", "")


def test_transpose():
    assert transpose("C", 2) == "D"
    assert transpose("Am7", 3) == "Cm7"
    assert transpose("A", 1, flats=True) == "Bb"
    assert transpose("C", -1) == "B"


def test_slash_chord():
    assert transpose("C/E", 5) == "F/A"
    assert transpose("D/F#", 2) == "E/G#"


def test_line():
    assert transpose_line("C  Am | F G7", 2) == "D  Bm | G A7"


def test_capo_and_interval():
    assert capo("Bm", 2) == "Am"
    assert interval("A", "C") == 3
""",
        hidden=r"""ROOTS = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]


def test_all_slash_chords():
    for a, root in enumerate(ROOTS):
        for b, bass in enumerate(ROOTS):
            for steps in range(-13, 14):
                for flats, names in ((False, SHARPS), (True, FLATS)):
                    for kind in ("", "m7", "sus4"):
                        want = names[(a + steps) % 12] + kind + "/" + names[(b + steps) % 12]
                        assert transpose(root + kind + "/" + bass, steps, flats) == want


def test_there_and_back():
    for root in SHARPS:
        for bass in SHARPS:
            chord = root + "maj7/" + bass
            for steps in range(12):
                assert transpose(transpose(chord, steps), -steps) == chord


def test_line_with_slash_chords():
    assert transpose_line("| C C/B | Am Am/G | F/A", 3, flats=True) == "| Eb Eb/D | Cm Cm/Bb | Ab/C"
    assert capo("G/B", 3) == "E/G#"


def test_plain_chords_unchanged():
    for i, root in enumerate(SHARPS):
        for steps in range(-12, 25):
            assert transpose(root + "dim", steps) == SHARPS[(i + steps) % 12] + "dim"
""",
    ),
    # ---- arithmetic and numbers ----
    Program(
        name="s25_loan_schedule",
        code=r'''"""Repayment schedules of loans. All amounts are whole cents."""


def monthly_interest(balance, rate):
    """The interest of a month; rate is hundredths of a percent per year."""
    return (balance * rate + 60000) // 120000


def schedule(principal, rate, payment):
    """The payments of a loan as (paid, interest, balance afterwards).

    Every month the same payment is made; the last one only pays what is
    still owed.
    """
    rows = []
    balance = principal
    while balance > 0:
        interest = monthly_interest(balance, rate)
        if payment <= interest:
            raise ValueError("the payment does not cover the interest")
        paid = min(payment, balance)
        balance -= paid - interest
        rows.append((paid, interest, balance))
    return rows


def total_interest(principal, rate, payment):
    """The sum of all interest paid."""
    return sum(interest for _, interest, _ in schedule(principal, rate, payment))


def months_needed(principal, rate, payment):
    """How many payments there are."""
    return len(schedule(principal, rate, payment))


def payment_for(principal, rate, months):
    """The smallest payment with which the loan is over after `months`."""
    low, high = 1, principal + monthly_interest(principal, rate)
    while low < high:
        middle = (low + high) // 2
        balance = principal
        for _ in range(months):
            balance = max(0, balance + monthly_interest(balance, rate) - middle)
        if balance == 0:
            high = middle
        else:
            low = middle + 1
    return low
''',
        wrong="min(payment, balance)",
        right="min(payment, balance + interest)",
        visible=r"""def test_interest():
    assert monthly_interest(120000, 500) == 500
    assert monthly_interest(100, 500) == 0


def test_no_interest():
    assert schedule(250, 0, 100) == [(100, 0, 150), (100, 0, 50), (50, 0, 0)]


def test_one_month():
    assert schedule(120000, 500, 200000) == [(120500, 500, 0)]


def test_schedule():
    assert schedule(100000, 1200, 40000) == [
        (40000, 1000, 61000), (40000, 610, 21610), (21826, 216, 0)]


def test_total_interest():
    assert total_interest(100000, 1200, 40000) == 1826


def test_payment_too_small():
    with pytest.raises(ValueError):
        schedule(100000, 1200, 1000)


def test_payment_for():
    assert payment_for(1200, 0, 12) == 100
    assert months_needed(1200, 0, 100) == 12
""",
        hidden=r"""import random


def test_schedules_add_up():
    rng = random.Random(111)
    for _ in range(400):
        principal = rng.randrange(1, 500000)
        rate = rng.choice([0, 1, 150, 499, 800, 2400])
        payment = monthly_interest(principal, rate) + rng.randrange(principal // 60 + 2, principal + 200)
        rows = schedule(principal, rate, payment)
        balance = principal
        for k, (paid, interest, after) in enumerate(rows):
            assert interest == monthly_interest(balance, rate)
            assert after == balance + interest - paid
            assert paid == payment or k == len(rows) - 1
            assert 0 < paid <= payment
            balance = after
        assert balance == 0
        assert all(after > 0 for _, _, after in rows[:-1])
        assert sum(r[0] for r in rows) == principal + total_interest(principal, rate, payment)


def test_payment_for_matches_schedule():
    rng = random.Random(112)
    for _ in range(150):
        principal = rng.randrange(1000, 300000)
        rate = rng.choice([0, 120, 600, 1999])
        months = rng.randrange(1, 40)
        payment = payment_for(principal, rate, months)
        assert months_needed(principal, rate, payment) <= months


def test_single_payment_with_interest():
    for principal in (1000, 50000, 999999):
        for rate in (120, 300, 1200):
            interest = monthly_interest(principal, rate)
            owed = principal + interest
            assert schedule(principal, rate, owed) == [(owed, interest, 0)]
            assert schedule(principal, rate, owed + 77) == [(owed, interest, 0)]
            short = schedule(principal, rate, owed - 1)
            assert short[0] == (owed - 1, interest, 1) and len(short) == 2
""",
    ),
    Program(
        name="s25_continued_fraction",
        code=r'''"""Continued fractions and good approximations, for example for gear ratios."""


def expand(p, q):
    """The terms of the continued fraction of p / q (q positive)."""
    if q <= 0:
        raise ValueError("denominator must be positive")
    terms = []
    while q:
        a = p // q
        terms.append(a)
        p, q = q, p - a * q
    return terms


def convergents(terms):
    """The fractions (p, q) which the first 1, 2, 3, ... terms stand for."""
    p, p_before = 1, 0
    q, q_before = 1, 0
    result = []
    for a in terms:
        p, p_before = a * p + p_before, p
        q, q_before = a * q + q_before, q
        result.append((p, q))
    return result


def value(terms):
    """The fraction in lowest terms which all terms stand for."""
    return convergents(terms)[-1]


def approximate(p, q, limit):
    """The last convergent of p / q with a denominator of at most limit."""
    best = None
    for candidate in convergents(expand(p, q)):
        if candidate[1] > limit:
            break
        best = candidate
    return best


def gear_teeth(p, q, smallest, largest):
    """Two wheels with the ratio p / q exactly, or None if there are none."""
    p, q = value(expand(p, q))
    factor = 1
    while max(p, q) * factor <= largest:
        if min(p, q) * factor >= smallest:
            return p * factor, q * factor
        factor += 1
    return None
''',
        wrong="    q, q_before = 1, 0",
        right="    q, q_before = 0, 1",
        visible=r"""def test_expand():
    assert expand(45, 16) == [2, 1, 4, 3]
    assert expand(7, 1) == [7]
    assert expand(-7, 3) == [-3, 1, 2]


def test_expand_bad_denominator():
    with pytest.raises(ValueError):
        expand(1, 0)


def test_convergents():
    assert convergents([2, 1, 4, 3]) == [(2, 1), (3, 1), (14, 5), (45, 16)]
    assert convergents([]) == []


def test_value_is_reduced():
    assert value(expand(90, 32)) == (45, 16)


def test_approximate_pi():
    assert approximate(314159265, 100000000, 10) == (22, 7)
    assert approximate(314159265, 100000000, 200) == (355, 113)


def test_gear_teeth():
    assert gear_teeth(6, 4, 12, 60) == (18, 12)
    assert gear_teeth(101, 7, 12, 60) is None
""",
        hidden=r"""from fractions import Fraction


def test_round_trip():
    for p in range(-40, 60):
        for q in range(1, 40):
            f = Fraction(p, q)
            assert value(expand(p, q)) == (f.numerator, f.denominator)


def test_convergents_by_evaluation():
    for p in range(1, 50):
        for q in range(1, 50):
            terms = expand(p, q)
            for k, (a, b) in enumerate(convergents(terms), 1):
                x = Fraction(terms[k - 1])
                for t in reversed(terms[:k - 1]):
                    x = t + 1 / x
                assert (a, b) == (x.numerator, x.denominator)


def test_approximations_are_best():
    for p, q in [(355, 113), (577, 408), (1457, 536), (271828, 100000), (99, 70)]:
        for limit in range(1, 40):
            a, b = approximate(p, q, limit)
            assert b <= limit
            error = abs(Fraction(a, b) - Fraction(p, q))
            for d in range(1, b):
                n = round(Fraction(p, q) * d)
                assert abs(Fraction(n, d) - Fraction(p, q)) >= error


def test_gears_brute_force():
    for p in range(1, 13):
        for q in range(1, 13):
            pairs = [(a, b) for a in range(8, 31) for b in range(8, 31) if a * q == b * p]
            assert gear_teeth(p, q, 8, 30) == (min(pairs) if pairs else None)
""",
    ),
    Program(
        name="s25_running_statistics",
        code=r'''"""Mean and variance of a stream of numbers, without storing them."""

import math


class RunningStats:
    """Welford's method; two collections can be merged."""

    def __init__(self, numbers=()):
        self.n = 0
        self.mean = 0.0
        self._squares = 0.0
        self.low = math.inf
        self.high = -math.inf
        for x in numbers:
            self.add(x)

    def add(self, x):
        """Take in one number."""
        self.n += 1
        delta = x - self.mean
        self.mean += delta / self.n
        self._squares += delta * delta
        self.low = min(self.low, x)
        self.high = max(self.high, x)

    def variance(self):
        """The sample variance; 0 for fewer than two numbers."""
        if self.n < 2:
            return 0.0
        return self._squares / (self.n - 1)

    def deviation(self):
        """The sample standard deviation."""
        return math.sqrt(self.variance())

    def merge(self, other):
        """The statistics of the numbers of both."""
        result = RunningStats()
        result.n = self.n + other.n
        if result.n == 0:
            return result
        delta = other.mean - self.mean
        result.mean = self.mean + delta * other.n / result.n
        result._squares = (self._squares + other._squares
                           + delta * delta * self.n * other.n / result.n)
        result.low = min(self.low, other.low)
        result.high = max(self.high, other.high)
        return result

    def score(self, x):
        """How many standard deviations x lies above the mean."""
        spread = self.deviation()
        return (x - self.mean) / spread if spread else 0.0
''',
        wrong="        self._squares += delta * delta",
        right="        self._squares += delta * (x - self.mean)",
        visible=r"""def test_mean_and_range():
    s = RunningStats([4, 8, 6])
    assert s.n == 3
    assert s.mean == pytest.approx(6)
    assert (s.low, s.high) == (4, 8)


def test_variance():
    assert RunningStats([2, 4, 4, 4, 5, 5, 7, 9]).variance() == pytest.approx(32 / 7)
    assert RunningStats([1, 3]).variance() == pytest.approx(2)


def test_few_numbers():
    assert RunningStats().variance() == 0
    assert RunningStats([5]).variance() == 0


def test_constant():
    s = RunningStats([0, 0, 0])
    assert s.deviation() == 0
    assert s.score(7) == 0


def test_merge():
    both = RunningStats([1, 2, 3]).merge(RunningStats([10, 20]))
    assert both.n == 5
    assert both.mean == pytest.approx(7.2)
    assert both.variance() == pytest.approx(63.7)


def test_score():
    assert RunningStats([1, 3]).score(2 + 2 * math.sqrt(2)) == pytest.approx(2)
""",
        hidden=r"""import random
import statistics


def close(a, b):
    return abs(a - b) <= 1e-7 * (1 + abs(b))


def test_random_streams():
    rng = random.Random(121)
    for _ in range(300):
        xs = [rng.uniform(-50, 80) for _ in range(rng.randrange(2, 25))]
        s = RunningStats(xs)
        assert close(s.mean, statistics.fmean(xs))
        assert close(s.variance(), statistics.variance(xs))
        assert close(s.deviation(), statistics.stdev(xs))


def test_random_merges():
    rng = random.Random(122)
    for _ in range(200):
        xs = [rng.gauss(10, 4) for _ in range(rng.randrange(0, 12))]
        ys = [rng.gauss(-3, 9) for _ in range(rng.randrange(2, 12))]
        s = RunningStats(xs).merge(RunningStats(ys))
        assert close(s.variance(), statistics.variance(xs + ys))
        t = RunningStats(ys).merge(RunningStats(xs))
        assert close(t.variance(), s.variance())


def test_single_numbers():
    for x in (-7, 0, 3, 1000.5):
        s = RunningStats([x])
        assert s.variance() == 0
        merged = s.merge(RunningStats([x + 4]))
        assert close(merged.variance(), 8)
        same = RunningStats([x, x, x, x])
        assert close(same.variance(), 0) and same.score(x + 1) == 0


def test_shift_does_not_matter():
    xs = [1.0, 5.0, 2.5, 8.0]
    want = statistics.variance(xs)
    for shift in (-1000, -1, 0, 3, 10000):
        assert close(RunningStats([x + shift for x in xs]).variance(), want)
""",
    ),
    Program(
        name="s25_day_numbers",
        code=r'''"""Calendar arithmetic with day numbers; day 1 is the 1st of January of year 1."""

MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_leap(year):
    """Whether a year has 366 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year, month):
    """The length of a month."""
    if month == 2 and is_leap(year):
        return 29
    return MONTH_DAYS[month - 1]


def day_of_year(year, month, day):
    """1 for the 1st of January."""
    return sum(days_in_month(year, m) for m in range(1, month)) + day


def day_number(year, month, day):
    """The number of a date."""
    if not 1 <= month <= 12 or not 1 <= day <= days_in_month(year, month):
        raise ValueError("no such date")
    past = year - 1
    leap_days = past // 4 - past // 100 + year // 400
    return past * 365 + leap_days + day_of_year(year, month, day)


def weekday(year, month, day):
    """0 for Monday to 6 for Sunday."""
    return (day_number(year, month, day) + 6) % 7


def days_between(first, last):
    """The number of days from one (year, month, day) to another."""
    return day_number(*last) - day_number(*first)


def nth_weekday(year, month, n, day):
    """The date in the month of the n-th given weekday, or None."""
    first = 1 + (day - weekday(year, month, 1)) % 7
    date = first + 7 * (n - 1)
    return date if date <= days_in_month(year, month) else None
''',
        wrong="+ year // 400",
        right="+ past // 400",
        visible=r"""def test_leap_years():
    assert is_leap(2024)
    assert is_leap(2000)
    assert not is_leap(1900)
    assert not is_leap(2023)


def test_day_of_year():
    assert day_of_year(2023, 1, 1) == 1
    assert day_of_year(2024, 12, 31) == 366


def test_day_number():
    assert day_number(1, 1, 1) == 1
    assert day_number(1970, 1, 1) == 719163
    assert day_number(2024, 2, 29) == 738945


def test_bad_date():
    with pytest.raises(ValueError):
        day_number(2023, 2, 29)


def test_weekday():
    assert weekday(2024, 5, 1) == 2
    assert weekday(1969, 7, 20) == 6
    assert weekday(2000, 1, 1) == 5


def test_days_between():
    assert days_between((2023, 12, 25), (2024, 1, 1)) == 7
    assert days_between((1999, 12, 31), (2000, 1, 1)) == 1


def test_nth_weekday():
    assert nth_weekday(2023, 11, 4, 3) == 23
    assert nth_weekday(2023, 2, 5, 0) is None
""",
        hidden=r"""import datetime


def test_every_new_year():
    for year in range(1, 3000):
        assert day_number(year, 1, 1) == datetime.date(year, 1, 1).toordinal()
        assert day_number(year, 12, 31) == datetime.date(year, 12, 31).toordinal()


def test_many_days():
    for ordinal in range(1, 1000000, 37):
        d = datetime.date.fromordinal(ordinal)
        assert day_number(d.year, d.month, d.day) == ordinal
        assert weekday(d.year, d.month, d.day) == d.weekday()


def test_century_years():
    for year in (400, 800, 1600, 1700, 1800, 1900, 2000, 2100, 2400):
        assert days_between((year - 1, 12, 31), (year, 1, 1)) == 1
        assert days_between((year, 1, 1), (year + 1, 1, 1)) == (366 if is_leap(year) else 365)
        assert days_between((year, 12, 31), (year + 1, 1, 1)) == 1


def test_nth_weekday_brute_force():
    for year in (1600, 1900, 1999, 2000, 2001, 2024):
        for month in range(1, 13):
            for day in range(7):
                dates = [d for d in range(1, days_in_month(year, month) + 1)
                         if datetime.date(year, month, d).weekday() == day]
                for n in range(1, 6):
                    want = dates[n - 1] if n <= len(dates) else None
                    assert nth_weekday(year, month, n, day) == want
""",
    ),
    Program(
        name="s25_polygon_plots",
        code=r'''"""Areas and centres of plots of land, given by their corners in order."""

import math
from fractions import Fraction


def edges(corners):
    """The sides of the polygon as pairs of corners."""
    return list(zip(corners, corners[1:]))


def doubled_area(corners):
    """Twice the signed area; positive if the corners go anticlockwise."""
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in edges(corners))


def area(corners):
    """The area of the polygon."""
    return Fraction(abs(doubled_area(corners)), 2)


def perimeter(corners):
    """The length of the boundary."""
    return sum(math.dist(a, b) for a, b in edges(corners))


def centroid(corners):
    """The centre of gravity."""
    double = doubled_area(corners)
    if double == 0:
        raise ValueError("the polygon has no area")
    sum_x = sum_y = 0
    for (x1, y1), (x2, y2) in edges(corners):
        cross = x1 * y2 - x2 * y1
        sum_x += (x1 + x2) * cross
        sum_y += (y1 + y2) * cross
    return Fraction(sum_x, 3 * double), Fraction(sum_y, 3 * double)


def boundary_points(corners):
    """How many grid points lie on the boundary (whole coordinates only)."""
    return sum(math.gcd(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in edges(corners))


def inner_points(corners):
    """How many grid points lie strictly inside, by Pick's theorem."""
    return int(area(corners) - Fraction(boundary_points(corners), 2) + 1)
''',
        wrong="zip(corners, corners[1:])",
        right="zip(corners, corners[1:] + corners[:1])",
        visible=r"""SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4)]
TRIANGLE = [(1, 1), (4, 1), (1, 5)]


def test_area_of_square():
    assert area(SQUARE) == 16
    assert area(SQUARE[::-1]) == 16


def test_area_of_triangle():
    assert area(TRIANGLE) == 6


def test_orientation():
    assert doubled_area(SQUARE) > 0
    assert doubled_area(SQUARE[::-1]) < 0


def test_perimeter():
    assert perimeter(TRIANGLE) == pytest.approx(12)


def test_centroid():
    assert centroid(SQUARE) == (2, 2)
    assert centroid(TRIANGLE) == (2, Fraction(7, 3))


def test_no_area():
    with pytest.raises(ValueError):
        centroid([(0, 0), (1, 1), (2, 2)])


def test_grid_points():
    assert boundary_points(SQUARE) == 16
    assert inner_points(SQUARE) == 9
""",
        hidden=r"""import random


def test_edges_close_the_polygon():
    for n in range(3, 8):
        corners = [(i, i * i) for i in range(n)]
        got = edges(corners)
        assert got == [(corners[i], corners[(i + 1) % n]) for i in range(n)]


def test_rectangles_anywhere():
    rng = random.Random(131)
    for _ in range(200):
        x, y = rng.randrange(-20, 20), rng.randrange(-20, 20)
        w, h = rng.randrange(1, 15), rng.randrange(1, 15)
        r = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        k = rng.randrange(4)
        r = r[k:] + r[:k]
        assert area(r) == w * h
        assert doubled_area(r) == 2 * w * h
        assert perimeter(r) == pytest.approx(2 * (w + h))
        assert centroid(r) == (x + Fraction(w, 2), y + Fraction(h, 2))
        assert boundary_points(r) == 2 * (w + h)
        assert inner_points(r) == (w - 1) * (h - 1)


def test_triangles():
    rng = random.Random(132)
    for _ in range(300):
        a, b, c = [(rng.randrange(-9, 10), rng.randrange(-9, 10)) for _ in range(3)]
        double = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
        assert doubled_area([a, b, c]) == double
        assert area([a, b, c]) == Fraction(abs(double), 2)
        assert perimeter([a, b, c]) == pytest.approx(math.dist(a, b) + math.dist(b, c) + math.dist(c, a))
        if double:
            assert centroid([a, b, c]) == (Fraction(a[0] + b[0] + c[0], 3), Fraction(a[1] + b[1] + c[1], 3))


def test_start_corner_and_shift_do_not_matter():
    shape = [(0, 0), (5, 0), (5, 2), (2, 2), (2, 6), (0, 6)]
    for k in range(6):
        moved = [(x + 7, y - 3) for x, y in shape[k:] + shape[:k]]
        assert area(moved) == 18
        assert perimeter(moved) == pytest.approx(22)
        assert boundary_points(moved) == 22 and inner_points(moved) == 8
""",
    ),
    Program(
        name="s25_fair_allocation",
        code=r'''"""Sharing whole amounts, such as cents or seats, in proportion to weights."""


def allocate(total, weights):
    """Shares with the sum total, by the method of largest remainders.

    Everyone first gets the whole part of their exact share. What is left
    goes one by one to the largest remainders; ties go to the earlier one.
    """
    whole = sum(weights)
    if whole <= 0 or min(weights) < 0:
        raise ValueError("weights must not be negative, and not all zero")
    shares = [round(total * w / whole) for w in weights]
    remainders = [total * w % whole for w in weights]
    order = sorted(range(len(weights)), key=lambda i: (-remainders[i], i))
    missing = total - sum(shares)
    for i in order[:missing]:
        shares[i] += 1
    return shares


def split_bill(total, people):
    """Equal parts of a bill in cents; the first ones may pay a cent more."""
    return allocate(total, [1] * people)


def quota_errors(total, weights):
    """For each share, by how many units it misses the exact one."""
    whole = sum(weights)
    return [share - total * w / whole
            for share, w in zip(allocate(total, weights), weights)]


def divisor_seats(total, votes):
    """Seats by the method of D'Hondt, which favours large parties."""
    seats = [0] * len(votes)
    for _ in range(total):
        winner = max(range(len(votes)), key=lambda i: votes[i] / (seats[i] + 1))
        seats[winner] += 1
    return seats
''',
        wrong="round(total * w / whole)",
        right="total * w // whole",
        visible=r"""def test_exact():
    assert allocate(100, [1, 3]) == [25, 75]


def test_thirds():
    assert allocate(100, [1, 1, 1]) == [34, 33, 33]


def test_largest_remainder():
    assert allocate(10, [45, 37, 18]) == [4, 4, 2]


def test_sum():
    for total in range(30):
        assert sum(allocate(total, [3, 3, 5, 7])) == total


def test_bad_weights():
    with pytest.raises(ValueError):
        allocate(5, [0, 0])
    with pytest.raises(ValueError):
        allocate(5, [3, -1])


def test_split_bill():
    assert split_bill(1001, 4) == [251, 250, 250, 250]
    assert split_bill(1003, 4) == [251, 251, 251, 250]


def test_dhondt():
    assert divisor_seats(8, [100, 80, 30, 20]) == [4, 3, 1, 0]
""",
        hidden=r"""import random
from fractions import Fraction


def reference(total, weights):
    whole = sum(weights)
    exact = [Fraction(total * w, whole) for w in weights]
    shares = [int(e) for e in exact]
    left = total - sum(shares)
    ranking = sorted(range(len(weights)), key=lambda i: (int(exact[i]) - exact[i], i))
    for i in ranking[:left]:
        shares[i] += 1
    return shares


def test_random():
    rng = random.Random(141)
    for _ in range(3000):
        weights = [rng.randrange(0, 12) for _ in range(rng.randrange(1, 8))]
        if sum(weights) == 0:
            continue
        total = rng.randrange(0, 60)
        assert allocate(total, weights) == reference(total, weights)


def test_huge_numbers_are_exact():
    total = 10 ** 18 + 1
    assert allocate(total, [1, 1]) == [5 * 10 ** 17 + 1, 5 * 10 ** 17]
    weights = [10 ** 17 + 3, 7, 10 ** 16 - 1]
    assert allocate(total, weights) == reference(total, weights)


def test_bills():
    for people in range(1, 15):
        for total in range(0, 120):
            low, more = divmod(total, people)
            assert split_bill(total, people) == [low + 1] * more + [low] * (people - more)


def test_errors_below_one():
    for total in range(0, 40):
        for weights in ([1, 2, 4], [5, 5, 5, 1], [9, 1, 1, 1, 1]):
            assert all(abs(e) < 1 for e in quota_errors(total, weights))
""",
    ),
    Program(
        name="s25_gear_congruences",
        code=r'''"""Congruences: when do periodic things, such as turning gears, coincide?"""


def extended_gcd(a, b):
    """g, x and y with g = gcd(a, b) = a * x + b * y, for a, b >= 0."""
    if b == 0:
        return a, 1, 0
    g, x, y = extended_gcd(b, a % b)
    return g, y, x - (b // a) * y


def inverse(a, n):
    """The number x in 0 ... n - 1 with a * x = 1 modulo n."""
    g, x, _ = extended_gcd(a % n, n)
    if g != 1:
        raise ValueError(f"{a} has no inverse modulo {n}")
    return x % n


def combine(first, second):
    """One congruence for two of them, or None if they contradict.

    A congruence is a pair (remainder, modulus).
    """
    r1, n1 = first
    r2, n2 = second
    g, x, _ = extended_gcd(n1, n2)
    if (r2 - r1) % g:
        return None
    period = n1 // g * n2
    steps = (r2 - r1) // g * x % (n2 // g)
    return (r1 + n1 * steps) % period, period


def solve(congruences):
    """The solution (remainder, modulus) of all congruences, or None."""
    result = (0, 1)
    for congruence in congruences:
        result = combine(result, congruence)
        if result is None:
            return None
    return result


def next_meeting(now, cycles):
    """The first time from now on when all (offset, period) cycles coincide."""
    solution = solve(cycles)
    if solution is None:
        return None
    r, period = solution
    return now + (r - now) % period
''',
        wrong="x - (b // a) * y",
        right="x - (a // b) * y",
        visible=r"""def test_gcd_of_equal_or_zero():
    assert extended_gcd(7, 0) == (7, 1, 0)
    assert extended_gcd(5, 5)[0] == 5


def test_extended_gcd():
    assert extended_gcd(240, 46) == (2, -9, 47)


def test_inverse():
    assert inverse(3, 7) == 5
    assert inverse(10, 17) == 12


def test_no_inverse():
    with pytest.raises(ValueError):
        inverse(6, 9)


def test_solve():
    assert solve([(2, 3), (3, 5), (2, 7)]) == (23, 105)
    assert solve([]) == (0, 1)


def test_contradiction():
    assert combine((1, 4), (2, 6)) is None


def test_next_meeting():
    assert next_meeting(0, [(1, 4), (3, 6)]) == 9
    assert next_meeting(10, [(1, 4), (3, 6)]) == 21
""",
        hidden=r"""import math
import random


def test_bezout_everywhere():
    for a in range(0, 60):
        for b in range(0, 60):
            g, x, y = extended_gcd(a, b)
            assert g == math.gcd(a, b) == a * x + b * y


def test_all_inverses():
    for n in range(2, 50):
        for a in range(-n, 2 * n):
            if math.gcd(a, n) == 1:
                x = inverse(a, n)
                assert 0 <= x < n and a * x % n == 1
            else:
                with pytest.raises(ValueError):
                    inverse(a, n)


def test_combine_brute_force():
    for n1 in range(1, 13):
        for n2 in range(1, 13):
            for r1 in range(n1):
                for r2 in range(n2):
                    period = math.lcm(n1, n2)
                    common = [t for t in range(period) if t % n1 == r1 and t % n2 == r2]
                    want = (common[0], period) if common else None
                    assert combine((r1, n1), (r2, n2)) == want


def test_next_meeting_random():
    rng = random.Random(151)
    for _ in range(200):
        cycles = [(rng.randrange(10), rng.randrange(1, 10)) for _ in range(3)]
        now = rng.randrange(200)
        period = math.lcm(*(n for _, n in cycles))
        times = [t for t in range(now, now + period) if all((t - r) % n == 0 for r, n in cycles)]
        assert next_meeting(now, cycles) == (times[0] if times else None)
""",
    ),
    # ---- graphs ----
    Program(
        name="s25_critical_path",
        code=r'''"""Project plans: earliest and latest starts, slack and the critical path."""


class Project:
    """Tasks with durations and prerequisites."""

    def __init__(self):
        self.durations = {}
        self.needs = {}

    def add(self, task, duration, needs=()):
        """Add a task; everything it needs must have been added before."""
        for other in needs:
            if other not in self.durations:
                raise KeyError(other)
        self.durations[task] = duration
        self.needs[task] = list(needs)

    def followers(self, task):
        """The tasks which need the given one."""
        return [other for other, needs in self.needs.items() if task in needs]

    def earliest(self):
        """The earliest start of every task."""
        start = {}
        for task, needs in self.needs.items():
            start[task] = max((start[n] + self.durations[n] for n in needs), default=0)
        return start

    def length(self):
        """How long the whole project takes."""
        start = self.earliest()
        return max((start[t] + d for t, d in self.durations.items()), default=0)

    def latest(self):
        """The latest start of every task which does not delay the project."""
        end = self.length()
        start = {}
        for task in reversed(list(self.needs)):
            finish = max((start[f] for f in self.followers(task)), default=end)
            start[task] = finish - self.durations[task]
        return start

    def slack(self):
        """By how much every task may be late."""
        early, late = self.earliest(), self.latest()
        return {task: late[task] - early[task] for task in self.durations}

    def critical(self):
        """The tasks without slack, in the order of their addition."""
        slack = self.slack()
        return [task for task in self.durations if slack[task] == 0]
''',
        wrong="finish = max(",
        right="finish = min(",
        visible=r"""def house():
    p = Project()
    p.add("dig", 2)
    p.add("walls", 5, ["dig"])
    p.add("roof", 3, ["walls"])
    p.add("wires", 2, ["walls"])
    p.add("garden", 4, ["dig"])
    p.add("party", 1, ["roof", "wires", "garden"])
    return p


def test_earliest():
    assert house().earliest() == {
        "dig": 0, "walls": 2, "roof": 7, "wires": 7, "garden": 2, "party": 10}


def test_length():
    assert house().length() == 11
    assert Project().length() == 0


def test_latest():
    assert house().latest() == {
        "dig": 0, "walls": 2, "roof": 7, "wires": 8, "garden": 6, "party": 10}


def test_slack_of_a_chain():
    p = Project()
    p.add("a", 3)
    p.add("b", 4, ["a"])
    p.add("c", 2)
    assert p.slack() == {"a": 0, "b": 0, "c": 5}


def test_critical():
    assert house().critical() == ["dig", "walls", "roof", "party"]


def test_unknown_prerequisite():
    with pytest.raises(KeyError):
        Project().add("x", 1, ["y"])
""",
        hidden=r"""import random


def random_project(rng):
    p = Project()
    names = []
    for i in range(rng.randrange(1, 9)):
        needs = [n for n in names if rng.random() < 0.35]
        p.add("t%d" % i, rng.randrange(1, 9), needs)
        names.append("t%d" % i)
    return p


def longest_after(p, task):
    tails = [longest_after(p, f) for f in p.durations if task in p.needs[f]]
    return p.durations[task] + max(tails, default=0)


def test_latest_by_longest_tail():
    rng = random.Random(161)
    for _ in range(300):
        p = random_project(rng)
        end = p.length()
        assert p.latest() == {t: end - longest_after(p, t) for t in p.durations}


def test_slack_is_what_it_says():
    rng = random.Random(162)
    for _ in range(150):
        p = random_project(rng)
        slack, end = p.slack(), p.length()
        for task in p.durations:
            assert slack[task] >= 0
            p.durations[task] += slack[task]
            assert p.length() == end
            p.durations[task] += 1
            assert p.length() == end + 1
            p.durations[task] -= slack[task] + 1


def test_critical_tasks_span_the_project():
    rng = random.Random(163)
    for _ in range(150):
        p = random_project(rng)
        want = [t for t in p.durations if p.earliest()[t] + longest_after(p, t) == p.length()]
        assert p.critical() == want and want
""",
    ),
    Program(
        name="s25_train_connections",
        code=r'''"""Earliest arrivals with trains which run at fixed times."""

from typing import NamedTuple


class Ride(NamedTuple):
    """A train from one stop to the next; times in minutes."""

    train: str
    origin: str
    departure: int
    target: str
    arrival: int


def earliest_arrivals(rides, start, time, change=5):
    """The earliest arrival at every stop that can be reached.

    Whoever stays in the same train needs no time to change, and neither
    does whoever begins the journey; else `change` minutes are needed.
    """
    best = {start: time}
    boarded = set()
    for ride in sorted(rides, key=lambda r: r.departure):
        if ride.train not in boarded:
            if ride.origin not in best:
                continue
            ready = best[ride.origin] + change
            if ready > ride.departure:
                continue
            boarded.add(ride.train)
        if ride.arrival < best.get(ride.target, ride.arrival + 1):
            best[ride.target] = ride.arrival
    return best


def earliest_arrival(rides, start, target, time, change=5):
    """The earliest arrival at target, or None."""
    return earliest_arrivals(rides, start, time, change).get(target)


def latest_departure(rides, start, target, deadline, change=5):
    """The latest time to be at the start and still meet the deadline, or None."""
    for time in sorted({r.departure for r in rides if r.origin == start}, reverse=True):
        arrival = earliest_arrival(rides, start, target, time, change)
        if arrival is not None and arrival <= deadline:
            return time
    return None


def departures(rides, stop, time):
    """The departures at a stop from a time on, as (time, train, target)."""
    return sorted((r.departure, r.train, r.target) for r in rides
                  if r.origin == stop and r.departure >= time)
''',
        wrong="best[ride.origin] + change",
        right="best[ride.origin] + (change if ride.origin != start else 0)",
        visible=r"""RIDES = [
    Ride("R1", "A", 100, "B", 120),
    Ride("R1", "B", 121, "C", 140),
    Ride("R2", "B", 123, "D", 150),
    Ride("R3", "B", 130, "D", 160),
    Ride("R4", "D", 165, "E", 180),
]


def test_staying_in_the_train():
    assert earliest_arrival(RIDES, "A", "C", 90) == 140


def test_change_takes_time():
    assert earliest_arrival(RIDES, "A", "D", 90) == 160
    assert earliest_arrival(RIDES, "A", "D", 90, change=2) == 150


def test_start_just_in_time():
    assert earliest_arrival(RIDES, "B", "D", 123) == 150
    assert earliest_arrival(RIDES, "A", "B", 100) == 120


def test_too_late():
    assert earliest_arrival(RIDES, "A", "B", 101) is None


def test_latest_departure():
    assert latest_departure(RIDES, "A", "E", 200) == 100
    assert latest_departure(RIDES, "B", "D", 155) == 123
    assert latest_departure(RIDES, "B", "D", 100) is None


def test_departures():
    assert departures(RIDES, "B", 122) == [(123, "R2", "D"), (130, "R3", "D")]
""",
        hidden=r"""import random


def reference(rides, start, time, change):
    best = {start: time}
    queue = [(start, time, None)]
    seen = set(queue)
    while queue:
        stop, now, train = queue.pop()
        for r in rides:
            if r.origin != stop:
                continue
            need = now if r.train == train else now + change
            if stop == start:
                need = now if r.train == train else time
            if r.departure >= need:
                state = (r.target, r.arrival, r.train)
                if state not in seen:
                    seen.add(state)
                    queue.append(state)
                best[r.target] = min(best.get(r.target, r.arrival), r.arrival)
    return best


def random_rides(rng):
    rides = []
    for k in range(rng.randrange(1, 7)):
        stops = rng.sample("ABCDE", rng.randrange(2, 5))
        t = rng.randrange(0, 60)
        for a, b in zip(stops, stops[1:]):
            arrive = t + rng.randrange(1, 20)
            rides.append(Ride("T%d" % k, a, t, b, arrive))
            t = arrive + rng.randrange(1, 6)
    return rides


def test_random_networks():
    rng = random.Random(171)
    for _ in range(600):
        rides = random_rides(rng)
        time = rng.randrange(0, 40)
        for change in (0, 3, 5, 12):
            assert earliest_arrivals(rides, "A", time, change) == reference(rides, "A", time, change)


def test_board_at_start_within_change_time():
    ride = Ride("X", "P", 50, "Q", 60)
    for time in range(40, 55):
        for change in (0, 1, 5, 30):
            want = 60 if time <= 50 else None
            assert earliest_arrival([ride], "P", "Q", time, change) == want
            assert latest_departure([ride], "P", "Q", 60, change) == 50


def test_change_still_needed_elsewhere():
    first = Ride("X", "P", 10, "Q", 20)
    for gap in range(0, 12):
        second = Ride("Y", "Q", 20 + gap, "R", 60)
        for change in (0, 4, 8):
            got = earliest_arrival([first, second], "P", "R", 10, change)
            assert got == (60 if gap >= change else None)
""",
    ),
    Program(
        name="s25_critical_cables",
        code=r'''"""Cables of a network without which it falls apart."""


class Network:
    """Computers joined by cables; there may be several between two of them."""

    def __init__(self, cables=()):
        self.cables = []
        self.ends = {}
        for a, b in cables:
            self.connect(a, b)

    def connect(self, a, b):
        """Lay a cable and return its number."""
        number = len(self.cables)
        self.cables.append((a, b))
        self.ends.setdefault(a, []).append((b, number))
        self.ends.setdefault(b, []).append((a, number))
        return number

    def critical(self):
        """The numbers of all cables whose loss separates some computers."""
        order = {}
        low = {}
        found = []

        def visit(node, came_by):
            order[node] = low[node] = len(order)
            for other, cable in self.ends[node]:
                if cable == came_by:
                    continue
                if other in order:
                    low[node] = min(low[node], order[other])
                    continue
                visit(other, cable)
                low[node] = min(low[node], low[other])
                if low[other] >= order[node]:
                    found.append(cable)

        for node in self.ends:
            if node not in order:
                visit(node, None)
        return sorted(found)

    def parts(self, without=None):
        """The number of separate parts, perhaps without one cable."""
        seen = set()
        count = 0
        for start in self.ends:
            if start in seen:
                continue
            count += 1
            stack = [start]
            seen.add(start)
            while stack:
                for other, cable in self.ends[stack.pop()]:
                    if cable != without and other not in seen:
                        seen.add(other)
                        stack.append(other)
        return count
''',
        wrong="low[other] >= order[node]",
        right="low[other] > order[node]",
        visible=r"""def test_chain():
    assert Network([("a", "b"), ("b", "c")]).critical() == [0, 1]


def test_empty():
    assert Network().critical() == []
    assert Network().parts() == 0


def test_ring():
    assert Network([("a", "b"), ("b", "c"), ("c", "a")]).critical() == []


def test_two_rings_joined():
    net = Network([(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6), (6, 4)])
    assert net.critical() == [3]


def test_parts():
    net = Network([(1, 2), (3, 4), (4, 5)])
    assert net.parts() == 2
    assert net.parts(without=1) == 3


def test_star():
    net = Network([("hub", x) for x in "abcd"])
    assert net.critical() == [0, 1, 2, 3]
""",
        hidden=r"""import itertools
import random


def brute(net):
    return [k for k in range(len(net.cables)) if net.parts(without=k) > net.parts()]


def test_all_small_networks():
    pairs = list(itertools.combinations(range(4), 2))
    for n in range(7):
        for cables in itertools.combinations(pairs, n):
            net = Network(cables)
            assert net.critical() == brute(net)


def test_random_networks():
    rng = random.Random(181)
    for _ in range(400):
        n = rng.randrange(2, 10)
        net = Network([(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randrange(1, 14))])
        assert net.critical() == brute(net)


def test_double_cables():
    assert Network([(1, 2), (1, 2)]).critical() == []
    assert Network([(1, 2), (1, 2), (2, 3)]).critical() == [2]
    assert Network([(1, 2), (2, 3), (3, 2), (3, 4)]).critical() == [0, 3]


def test_rings_of_every_size():
    for n in range(3, 12):
        ring = [(i, (i + 1) % n) for i in range(n)]
        assert Network(ring).critical() == []
        assert Network(ring + [(0, "x")]).critical() == [n]
""",
    ),
    Program(
        name="s25_mentor_matching",
        code=r'''"""Assigning mentors to students: a matching with as many pairs as possible."""


class Matching:
    """Students have numbers 0, 1, 2, ...; wishes[s] lists mentors s would accept."""

    def __init__(self, wishes):
        self.wishes = [list(w) for w in wishes]
        self.student_of = {}
        for student in range(len(self.wishes)):
            self._assign(student, set())

    def _assign(self, student, tried):
        """Find a mentor for the student; others may have to move."""
        for mentor in self.wishes[student]:
            if mentor in tried:
                continue
            tried.add(mentor)
            owner = self.student_of.get(mentor)
            if not owner or self._assign(owner, tried):
                self.student_of[mentor] = student
                return True
        return False

    def size(self):
        """The number of pairs."""
        return len(self.student_of)

    def mentor_of(self, student):
        """The mentor of a student, or None."""
        for mentor, other in self.student_of.items():
            if other == student:
                return mentor
        return None

    def pairs(self):
        """The pairs (student, mentor), by student."""
        return sorted((s, m) for m, s in self.student_of.items())

    def unassigned(self):
        """The students without a mentor."""
        taken = set(self.student_of.values())
        return [s for s in range(len(self.wishes)) if s not in taken]

    def is_perfect(self):
        """Whether every student has a mentor."""
        return not self.unassigned()


def bottleneck(wishes):
    """The mentors whom more students wish for than there are pairs with them."""
    demand = {}
    for wish in wishes:
        for mentor in wish:
            demand[mentor] = demand.get(mentor, 0) + 1
    return sorted(mentor for mentor, count in demand.items() if count > 1)
''',
        wrong="if not owner or",
        right="if owner is None or",
        visible=r"""def test_no_conflict():
    m = Matching([["Ada"], ["Bob"], ["Cleo"]])
    assert m.pairs() == [(0, "Ada"), (1, "Bob"), (2, "Cleo")]
    assert m.is_perfect()


def test_somebody_moves():
    m = Matching([["Ada", "Bob"], ["Ada"]])
    assert m.size() == 2
    assert m.mentor_of(1) == "Ada"
    assert m.mentor_of(0) == "Bob"


def test_later_students_move():
    m = Matching([["Zoe"], ["Ada", "Bob"], ["Ada"]])
    assert m.pairs() == [(0, "Zoe"), (1, "Bob"), (2, "Ada")]


def test_too_few_mentors():
    m = Matching([["Ada"], ["Ada"], ["Ada"]])
    assert m.size() == 1
    assert m.unassigned() == [1, 2]


def test_no_wishes():
    assert Matching([[], []]).unassigned() == [0, 1]


def test_bottleneck():
    assert bottleneck([["A", "B"], ["B"], ["C", "B", "A"]]) == ["A", "B"]
""",
        hidden=r"""import itertools
import random


def best_size(wishes):
    def search(i, used):
        if i == len(wishes):
            return 0
        best = search(i + 1, used)
        for m in wishes[i]:
            if m not in used:
                best = max(best, 1 + search(i + 1, used | {m}))
        return best
    return search(0, frozenset())


def check(wishes):
    m = Matching(wishes)
    pairs = m.pairs()
    assert len(pairs) == m.size() == best_size(wishes)
    assert all(mentor in wishes[s] for s, mentor in pairs)
    assert len({s for s, _ in pairs}) == len(pairs)
    for s in range(len(wishes)):
        assert m.mentor_of(s) == dict(pairs).get(s)
    assert m.unassigned() == [s for s in range(len(wishes)) if s not in dict(pairs)]
    assert m.is_perfect() == (len(pairs) == len(wishes))
    return m


def test_all_small():
    subsets = [[], ["x"], ["y"], ["x", "y"], ["y", "x"], ["x", "y", "z"]]
    for n in range(4):
        for wishes in itertools.product(subsets, repeat=n):
            check(list(wishes))


def test_random():
    rng = random.Random(191)
    for _ in range(400):
        wishes = [rng.sample("abcdef", rng.randrange(0, 4)) for _ in range(rng.randrange(1, 8))]
        check(wishes)


def test_students_once_placed_stay_placed():
    for k in range(2, 7):
        wishes = [["a"]] * k
        m = check(wishes)
        assert m.pairs() == [(0, "a")]


def test_long_chain_of_moves():
    for n in range(1, 12):
        wishes = [[i, i + 1] for i in range(n)] + [[0]]
        m = check(wishes)
        assert m.is_perfect()
        assert m.pairs() == [(i, i + 1) for i in range(n)] + [(n, 0)]
""",
    ),
    Program(
        name="s25_key_maze",
        code=r'''"""Shortest ways through mazes with locked doors.

In a maze '#' is a wall, '@' the start and '>' the exit; small letters are
keys, and a capital letter is a door which needs the key with that letter.
"""

from collections import deque

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def find(maze, wanted):
    """The row and column of a character, or None."""
    for r, row in enumerate(maze):
        for c, tile in enumerate(row):
            if tile == wanted:
                return r, c
    return None


def neighbours(maze, r, c):
    """The squares next to a square which are no walls."""
    for dr, dc in STEPS:
        nr, nc = r + dr, c + dc
        if 0 <= nr < len(maze) and 0 <= nc < len(maze[nr]) and maze[nr][nc] != "#":
            yield nr, nc


def shortest(maze):
    """The number of steps from the start to the exit, or None."""
    r, c = find(maze, "@")
    queue = deque([(r, c, frozenset(), 0)])
    seen = {(r, c, frozenset())}
    while queue:
        r, c, keys, steps = queue.popleft()
        if maze[r][c] == ">":
            return steps
        for nr, nc in neighbours(maze, r, c):
            tile = maze[nr][nc]
            if tile.isupper() and tile.lower() not in keys:
                continue
            held = frozenset(tile) if tile.islower() else keys
            state = (nr, nc, held)
            if state not in seen:
                seen.add(state)
                queue.append((nr, nc, held, steps + 1))
    return None


def reachable_without_keys(maze):
    """The number of squares which can be reached past no door at all."""
    stack = [find(maze, "@")]
    seen = set(stack)
    while stack:
        r, c = stack.pop()
        for nr, nc in neighbours(maze, r, c):
            if (nr, nc) not in seen and not maze[nr][nc].isupper():
                seen.add((nr, nc))
                stack.append((nr, nc))
    return len(seen)
''',
        wrong="held = frozenset(tile) if",
        right="held = keys | {tile} if",
        visible=r"""def test_straight():
    assert shortest(["@..>"]) == 3


def test_around_a_wall():
    assert shortest(["@#>", ".#.", "..."]) == 6


def test_key_on_the_way():
    assert shortest(["@.a.A.>"]) == 6


def test_go_back_for_the_door():
    assert shortest(["a.@.A>"]) == 7
    assert shortest(["A.@.a", ">####"]) == 7


def test_two_keys():
    assert shortest(["b.@.a", "##A##", "##B##", "##>##"]) == 11


def test_locked():
    assert shortest(["@A>"]) is None
    assert shortest(["@Aa>"]) is None


def test_reachable():
    assert reachable_without_keys(["@.a", ".A.", "##."]) == 6
""",
        hidden=r'''import heapq
import random


def reference(maze):
    """Dijkstra over all (square, key set) states, keys as a sorted string."""
    start = next((r, c) for r, row in enumerate(maze) for c, t in enumerate(row) if t == "@")
    heap = [(0, start, "")]
    done = set()
    while heap:
        d, (r, c), keys = heapq.heappop(heap)
        if ((r, c), keys) in done:
            continue
        done.add(((r, c), keys))
        if maze[r][c] == ">":
            return d
        for a, b in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if 0 <= a < len(maze) and 0 <= b < len(maze[0]):
                t = maze[a][b]
                if t == "#" or t.isupper() and t.lower() not in keys:
                    continue
                k = "".join(sorted(set(keys) | {t})) if t.islower() else keys
                heapq.heappush(heap, (d + 1, (a, b), k))
    return None


def test_random_mazes():
    rng = random.Random(201)
    solved = 0
    for _ in range(500):
        h, w = rng.randrange(2, 6), rng.randrange(3, 7)
        cells = [rng.choice("....#") for _ in range(h * w)]
        spots = rng.sample(range(h * w), min(h * w, 6))
        for spot, tile in zip(spots, "@>aAbB"):
            cells[spot] = tile
        maze = ["".join(cells[i * w:(i + 1) * w]) for i in range(h)]
        want = reference(maze)
        solved += want is not None
        assert shortest(maze) == want
    assert solved > 100


def test_corridors_with_return():
    for left in range(1, 7):
        for right in range(1, 7):
            maze = ["a" + "." * (left - 1) + "@" + "." * (right - 1) + "A>"]
            assert shortest(maze) == 2 * left + right + 1


def test_three_keys_in_a_row():
    maze = ["a.b.@.c", "######A", "######B", "######C", "######>"]
    assert shortest(maze) == reference(maze) == 14
    assert shortest(["c.a@bABC>"]) == reference(["c.a@bABC>"])
''',
    ),
    Program(
        name="s25_cheapest_pipes",
        code=r'''"""The cheapest water pipes between villages: minimum spanning trees."""


class Groups:
    """Disjoint sets of villages."""

    def __init__(self, members):
        self.parent = {m: m for m in members}
        self.size = {m: 1 for m in members}

    def find(self, member):
        """The member which stands for the whole group."""
        while self.parent[member] != member:
            member = self.parent[member]
        return member

    def join(self, a, b):
        """Unite two groups; False if they were the same one."""
        top_a, top_b = self.find(a), self.find(b)
        if top_a == top_b:
            return False
        if self.size[top_a] > self.size[top_b]:
            top_a, top_b = top_b, top_a
        self.parent[a] = top_b
        self.size[top_b] += self.size[top_a]
        return True

    def count(self):
        """The number of groups."""
        return sum(1 for m, p in self.parent.items() if m == p)


def cheapest_pipes(villages, offers, wells=1):
    """The pipes to buy such that at most `wells` groups of villages remain.

    Offers are (price, village, village). Returns the pipes bought in the
    order of their prices, or None if the offers do not suffice.
    """
    groups = Groups(villages)
    bought = []
    for price, a, b in sorted(offers):
        if groups.count() <= wells:
            break
        if groups.join(a, b):
            bought.append((price, a, b))
    return bought if groups.count() <= wells else None


def total_price(pipes):
    """What some pipes cost together."""
    return sum(price for price, _, _ in pipes)


def dearest_pipe(villages, offers):
    """The price of the dearest pipe that is needed, or None."""
    pipes = cheapest_pipes(villages, offers)
    return max((price for price, _, _ in pipes), default=0) if pipes is not None else None
''',
        wrong="        self.parent[a] = top_b",
        right="        self.parent[top_a] = top_b",
        visible=r"""def test_two_villages():
    assert cheapest_pipes("ab", [(7, "a", "b"), (4, "a", "b")]) == [(4, "a", "b")]


def test_triangle():
    pipes = cheapest_pipes("abc", [(1, "a", "b"), (2, "b", "c"), (3, "a", "c")])
    assert total_price(pipes) == 3


def test_square_with_diagonal():
    offers = [(1, "a", "b"), (2, "c", "d"), (3, "b", "c"), (4, "a", "d"), (5, "a", "c")]
    assert cheapest_pipes("abcd", offers) == [(1, "a", "b"), (2, "c", "d"), (3, "b", "c")]


def test_groups():
    g = Groups("abcd")
    assert g.join("a", "b")
    assert g.join("c", "b")
    assert not g.join("c", "a")
    assert g.count() == 2


def test_wells():
    offers = [(1, "a", "b"), (9, "b", "c")]
    assert cheapest_pipes("abc", offers, wells=2) == [(1, "a", "b")]


def test_not_enough_offers():
    assert cheapest_pipes("abc", [(1, "a", "b")]) is None
    assert dearest_pipe("abc", [(1, "a", "b")]) is None
""",
        hidden=r"""import itertools
import random


def components(nodes, pairs):
    label = {n: n for n in nodes}
    for a, b in pairs:
        old, new = label[a], label[b]
        for n in nodes:
            if label[n] == old:
                label[n] = new
    return label


def test_groups_against_labels():
    rng = random.Random(211)
    for _ in range(300):
        n = rng.randrange(2, 9)
        g = Groups(range(n))
        pairs = []
        for _ in range(12):
            a, b = rng.randrange(n), rng.randrange(n)
            label = components(range(n), pairs)
            assert g.join(a, b) == (label[a] != label[b])
            pairs.append((a, b))
            label = components(range(n), pairs)
            assert g.count() == len(set(label.values()))
            for x in range(n):
                for y in range(n):
                    assert (g.find(x) == g.find(y)) == (label[x] == label[y])
                assert g.size[g.find(x)] == sum(label[z] == label[x] for z in range(n))


def test_cheapest_by_brute_force():
    rng = random.Random(212)
    for _ in range(150):
        n = rng.randrange(2, 6)
        pairs = rng.sample(list(itertools.combinations(range(n), 2)), rng.randrange(1, min(8, n * (n - 1) // 2 + 1)))
        offers = [(rng.randrange(1, 15), *p) for p in pairs]
        for wells in (1, 2):
            prices = [sum(o[0] for o in chosen) for k in range(len(offers) + 1)
                      for chosen in itertools.combinations(offers, k)
                      if len(set(components(range(n), [o[1:] for o in chosen]).values())) <= wells]
            got = cheapest_pipes(range(n), offers, wells)
            assert (got is None) == (not prices)
            if prices:
                assert total_price(got) == min(prices)


def test_dearest():
    assert dearest_pipe("a", []) == 0
    offers = [(1, 0, 1), (1, 2, 3), (2, 1, 3), (3, 4, 0), (4, 4, 2), (9, 5, 1), (8, 5, 4)]
    assert dearest_pipe(range(6), offers) == 8
    assert total_price(cheapest_pipes(range(6), offers)) == 15
""",
    ),
    # ---- stateful objects ----
    Program(
        name="s25_expiring_cache",
        code=r'''"""A cache of limited size whose entries expire."""

from collections import OrderedDict


class ExpiringCache:
    """Drops the entry unused for longest when it is full.

    The clock is a function which returns the current time in seconds.
    """

    def __init__(self, capacity, lifetime, clock):
        self.capacity = capacity
        self.lifetime = lifetime
        self.clock = clock
        self.hits = 0
        self.misses = 0
        self._entries = OrderedDict()

    def __len__(self):
        self._purge()
        return len(self._entries)

    def _purge(self):
        """Throw away what has expired."""
        now = self.clock()
        old = [k for k, (_, end) in self._entries.items() if end <= now]
        for key in old:
            del self._entries[key]

    def put(self, key, value):
        """Store a value; its lifetime begins anew."""
        self._purge()
        if key not in self._entries and len(self._entries) >= self.capacity:
            self._entries.popitem(last=False)
        self._entries[key] = (value, self.clock() + self.lifetime)
        self._entries.move_to_end(key)

    def get(self, key, default=None):
        """The value of a key, which thereby counts as used."""
        self._purge()
        if key not in self._entries:
            self.misses += 1
            return default
        self.hits += 1
        self._entries.move_to_end(key, last=False)
        return self._entries[key][0]

    def keys(self):
        """The keys, the one unused for longest first."""
        self._purge()
        return list(self._entries)

    def hit_rate(self):
        """The share of successful look-ups."""
        total = self.hits + self.misses
        return self.hits / total if total else 0.0
''',
        wrong="move_to_end(key, last=False)",
        right="move_to_end(key)",
        visible=r"""class Clock:
    now = 0

    def __call__(self):
        return self.now


def test_put_and_get():
    cache = ExpiringCache(2, 10, Clock())
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b", "none") == "none"
    assert cache.hit_rate() == 0.5


def test_expiry():
    clock = Clock()
    cache = ExpiringCache(2, 10, clock)
    cache.put("a", 1)
    clock.now = 9
    assert cache.get("a") == 1
    clock.now = 10
    assert cache.get("a") is None
    assert len(cache) == 0


def test_oldest_is_dropped():
    cache = ExpiringCache(2, 10, Clock())
    for key in "abc":
        cache.put(key, key.upper())
    assert cache.keys() == ["b", "c"]


def test_used_entry_is_kept():
    cache = ExpiringCache(2, 10, Clock())
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.get("a") == 1
    assert cache.get("b") is None


def test_put_again_renews():
    clock = Clock()
    cache = ExpiringCache(2, 10, clock)
    cache.put("a", 1)
    clock.now = 6
    cache.put("a", 2)
    clock.now = 12
    assert cache.get("a") == 2
""",
        hidden=r"""import random


def test_random_against_model():
    rng = random.Random(221)
    for capacity in (1, 2, 3, 5):
        for lifetime in (3, 8, 1000):
            now = [0]
            cache = ExpiringCache(capacity, lifetime, lambda: now[0])
            model = []
            hits = misses = 0
            for step in range(250):
                now[0] += rng.choice([0, 0, 1, 2])
                model = [e for e in model if e[2] > now[0]]
                key = rng.choice("abcdefg")
                mine = [e for e in model if e[0] == key]
                if rng.random() < 0.5:
                    assert cache.get(key) == (mine[0][1] if mine else None)
                    if mine:
                        hits += 1
                        model.remove(mine[0])
                        model.append(mine[0])
                    else:
                        misses += 1
                else:
                    cache.put(key, step)
                    if mine:
                        model.remove(mine[0])
                    elif len(model) >= capacity:
                        model.pop(0)
                    model.append((key, step, now[0] + lifetime))
                assert cache.keys() == [e[0] for e in model]
                assert len(cache) == len(model)
                assert (cache.hits, cache.misses) == (hits, misses)


def test_order_of_use():
    cache = ExpiringCache(4, 100, lambda: 0)
    for key in "abcd":
        cache.put(key, key)
    for key in "cab":
        assert cache.get(key) == key
    assert cache.keys() == ["d", "c", "a", "b"]
    cache.put("e", "e")
    assert cache.keys() == ["c", "a", "b", "e"]


def test_get_does_not_prolong_life():
    now = [0]
    cache = ExpiringCache(3, 10, lambda: now[0])
    cache.put("a", 1)
    cache.put("b", 2)
    for t in range(10):
        now[0] = t
        assert cache.get("a") == 1
        assert cache.keys() == ["b", "a"]
    now[0] = 10
    assert cache.get("a") is None
""",
    ),
    Program(
        name="s25_card_account",
        code=r'''"""A bank account with card payments, which are first only reserved."""


class NotEnoughMoney(Exception):
    """The available amount is too small."""


class Account:
    """All amounts are whole cents."""

    def __init__(self, balance=0):
        self.balance = balance
        self._holds = {}
        self._next_hold = 1

    @property
    def reserved(self):
        """The sum of all reservations."""
        return sum(self._holds.values())

    @property
    def available(self):
        """What can still be spent."""
        return self.balance - self.reserved

    def deposit(self, amount):
        """Pay in."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount

    def withdraw(self, amount):
        """Pay out at once."""
        self._require(amount)
        self.balance -= amount

    def hold(self, amount):
        """Reserve an amount; returns the number of the reservation."""
        self._require(amount)
        number = self._next_hold
        self._next_hold += 1
        self._holds[number] = amount
        return number

    def release(self, number):
        """Give up a reservation."""
        del self._holds[number]

    def capture(self, number, amount=None):
        """Pay a reservation, perhaps only a part; the rest is released."""
        held = self._holds[number]
        if amount is None:
            amount = held
        if not 0 < amount <= held:
            raise ValueError("more than was reserved")
        del self._holds[number]
        self.balance -= amount

    def transfer(self, other, amount):
        """Move money to another account."""
        self.withdraw(amount)
        other.deposit(amount)

    def _require(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        if amount > self.balance:
            raise NotEnoughMoney(amount)
''',
        wrong="        if amount > self.balance:",
        right="        if amount > self.available:",
        visible=r"""def test_deposit_and_withdraw():
    a = Account(100)
    a.deposit(50)
    a.withdraw(120)
    assert a.balance == 30


def test_withdraw_too_much():
    a = Account(100)
    with pytest.raises(NotEnoughMoney):
        a.withdraw(101)
    assert a.balance == 100


def test_hold_and_capture():
    a = Account(100)
    n = a.hold(60)
    assert (a.balance, a.available) == (100, 40)
    a.capture(n, 50)
    assert (a.balance, a.available) == (50, 50)


def test_reserved_money_cannot_be_spent():
    a = Account(100)
    a.hold(60)
    with pytest.raises(NotEnoughMoney):
        a.withdraw(50)
    with pytest.raises(NotEnoughMoney):
        a.hold(41)


def test_release():
    a = Account(100)
    n = a.hold(100)
    a.release(n)
    a.withdraw(100)
    assert a.balance == 0


def test_capture_more_than_held():
    a = Account(100)
    n = a.hold(10)
    with pytest.raises(ValueError):
        a.capture(n, 11)


def test_transfer():
    a, b = Account(100), Account()
    a.transfer(b, 70)
    assert (a.balance, b.balance) == (30, 70)
""",
        hidden=r"""import random


def test_random_against_model():
    rng = random.Random(231)
    for _ in range(150):
        balance = rng.randrange(0, 200)
        a = Account(balance)
        holds = {}
        for _ in range(60):
            what = rng.randrange(5)
            x = rng.randrange(1, 80)
            free = balance - sum(holds.values())
            if what == 0:
                a.deposit(x)
                balance += x
            elif what in (1, 2):
                act = a.withdraw if what == 1 else a.hold
                if x > free:
                    with pytest.raises(NotEnoughMoney):
                        act(x)
                else:
                    result = act(x)
                    if what == 1:
                        balance -= x
                    else:
                        assert result not in holds
                        holds[result] = x
            elif holds:
                n = rng.choice(list(holds))
                if what == 3:
                    a.release(n)
                    del holds[n]
                else:
                    part = rng.randrange(1, holds[n] + 1)
                    a.capture(n, part)
                    balance -= part
                    del holds[n]
            assert a.balance == balance
            assert a.reserved == sum(holds.values())
            assert a.available == balance - a.reserved >= 0


def test_limits_are_exact():
    for held in range(1, 30):
        a = Account(30)
        a.hold(held)
        for act in (a.withdraw, a.hold):
            with pytest.raises(NotEnoughMoney):
                act(30 - held + 1)
        if held < 30:
            a.withdraw(30 - held)
        assert a.available == 0 and a.balance == held


def test_transfer_respects_holds():
    a, b = Account(100), Account(5)
    n = a.hold(80)
    with pytest.raises(NotEnoughMoney):
        a.transfer(b, 21)
    assert (a.balance, b.balance) == (100, 5)
    a.transfer(b, 20)
    a.capture(n)
    assert (a.balance, b.balance) == (0, 25)
    for bad in (0, -5):
        with pytest.raises(ValueError):
            b.withdraw(bad)
""",
    ),
    Program(
        name="s25_elevator",
        code=r'''"""An elevator which goes on in one direction while it has stops there."""

UP, DOWN = 1, -1


class Elevator:
    """Moves one floor per step; opening the doors takes a step as well."""

    def __init__(self, floors, floor=0):
        self.floors = floors
        self.floor = floor
        self.direction = UP
        self.stops = set()
        self.log = []

    def request(self, floor):
        """Somebody wants to get to, or is waiting on, a floor."""
        if not 0 <= floor < self.floors:
            raise ValueError("no such floor")
        self.stops.add(floor)

    def _stops_ahead(self):
        """Whether there is a stop beyond this floor in the direction of travel."""
        return any((stop - self.floor) * self.direction > 0 for stop in self.stops)

    def step(self):
        """Do one thing: open the doors, move by a floor, or wait."""
        if self.floor in self.stops:
            self.stops.remove(self.floor)
            self.log.append(self.floor)
            return "open"
        if not self.stops:
            return "wait"
        if not self._stops_ahead():
            self.direction = DOWN
        self.floor += self.direction
        return "up" if self.direction == UP else "down"

    def run(self, limit=1000):
        """Work until there are no stops; returns the number of steps."""
        steps = 0
        while self.stops and steps < limit:
            self.step()
            steps += 1
        return steps

    def ticket_order(self):
        """The order in which the present stops will be served."""
        ahead = [s for s in self.stops if (s - self.floor) * self.direction >= 0]
        behind = [s for s in self.stops if (s - self.floor) * self.direction < 0]
        distance = lambda s: abs(s - self.floor)
        return sorted(ahead, key=distance) + sorted(behind, key=distance)
''',
        wrong="            self.direction = DOWN",
        right="            self.direction = -self.direction",
        visible=r"""def test_going_up():
    e = Elevator(10)
    e.request(3)
    e.request(5)
    assert e.run() == 7
    assert e.log == [3, 5]


def test_wait():
    assert Elevator(5).step() == "wait"


def test_unknown_floor():
    with pytest.raises(ValueError):
        Elevator(5).request(5)


def test_turns_around_at_the_top():
    e = Elevator(10, floor=4)
    for floor in (2, 6, 8):
        e.request(floor)
    assert e.ticket_order() == [6, 8, 2]
    e.run()
    assert e.log == [6, 8, 2]
    assert e.floor == 2


def test_up_again():
    e = Elevator(10, floor=4)
    e.request(1)
    e.run()
    e.request(7)
    assert e.run() == 7
    assert e.log == [1, 7]


def test_steps():
    e = Elevator(3)
    e.request(0)
    e.request(1)
    assert [e.step() for _ in range(4)] == ["open", "up", "open", "wait"]
""",
        hidden=r"""import random


def test_ticket_order_is_served():
    rng = random.Random(241)
    for _ in range(300):
        floors = rng.randrange(2, 12)
        e = Elevator(floors, rng.randrange(floors))
        for _ in range(4):
            for _ in range(rng.randrange(1, 5)):
                e.request(rng.randrange(floors))
            order = e.ticket_order()
            way, here = 0, e.floor
            for s in order:
                way += abs(s - here)
                here = s
            done = len(e.log)
            assert e.run() == way + len(order)
            assert e.log[done:] == order
            assert e.floor == here and not e.stops


def test_stays_in_the_house_and_names_moves():
    rng = random.Random(242)
    for _ in range(100):
        e = Elevator(6, rng.randrange(6))
        for _ in range(80):
            if rng.random() < 0.3:
                e.request(rng.randrange(6))
            before = e.floor
            what = e.step()
            assert 0 <= e.floor < 6
            assert e.floor - before == {"up": 1, "down": -1}.get(what, 0)


def test_direction_alternates():
    e = Elevator(9, 4)
    for target, direction in [(8, UP), (0, DOWN), (5, UP), (6, UP), (2, DOWN), (1, DOWN), (7, UP)]:
        e.request(target)
        steps = e.run()
        assert e.floor == target and e.direction == direction
        assert steps < 20


def test_new_stop_behind_waits():
    e = Elevator(10, 5)
    e.request(2)
    e.step()
    assert e.direction == DOWN and e.floor == 4
    e.request(9)
    e.request(1)
    e.run()
    assert e.log == [2, 1, 9]
""",
    ),
    Program(
        name="s25_token_bucket",
        code=r'''"""Limiting the rate of requests with token buckets, one per client."""


class TokenBucket:
    """Holds up to `capacity` tokens and gains `rate` of them per second."""

    def __init__(self, capacity, rate, now=0):
        self.capacity = capacity
        self.rate = rate
        self.tokens = capacity
        self.updated = now

    def refill(self, now):
        """Add the tokens gained since the last update."""
        elapsed = now - self.updated
        if elapsed < 0:
            raise ValueError("time runs backwards")
        self.tokens = min(self.capacity, elapsed * self.rate)
        self.updated = now

    def allow(self, now, cost=1):
        """Take tokens if there are enough; whether there were."""
        self.refill(now)
        if self.tokens < cost:
            return False
        self.tokens -= cost
        return True

    def wait_time(self, now, cost=1):
        """The seconds until a request of this cost would be allowed."""
        if cost > self.capacity:
            raise ValueError("never allowed")
        self.refill(now)
        missing = cost - self.tokens
        return missing / self.rate if missing > 0 else 0


class Limiter:
    """Rate limits for many clients."""

    def __init__(self, capacity, rate):
        self.capacity = capacity
        self.rate = rate
        self._buckets = {}
        self.refused = {}

    def request(self, client, now, cost=1):
        """Whether a client's request goes through."""
        if client not in self._buckets:
            self._buckets[client] = TokenBucket(self.capacity, self.rate, now)
        if self._buckets[client].allow(now, cost):
            return True
        self.refused[client] = self.refused.get(client, 0) + 1
        return False
''',
        wrong="min(self.capacity, elapsed * self.rate)",
        right="min(self.capacity, self.tokens + elapsed * self.rate)",
        visible=r"""def test_burst():
    bucket = TokenBucket(3, 1)
    assert [bucket.allow(0) for _ in range(4)] == [True, True, True, False]


def test_refill():
    bucket = TokenBucket(3, 1)
    for _ in range(3):
        bucket.allow(0)
    assert bucket.allow(2)
    assert bucket.allow(2)
    assert not bucket.allow(2)


def test_never_more_than_capacity():
    bucket = TokenBucket(2, 5)
    bucket.refill(100)
    assert bucket.tokens == 2


def test_backwards():
    bucket = TokenBucket(2, 1, now=10)
    with pytest.raises(ValueError):
        bucket.allow(9)


def test_wait_time():
    bucket = TokenBucket(4, 2)
    bucket.allow(0, 4)
    assert bucket.wait_time(0, 3) == 1.5
    assert bucket.wait_time(1, 2) == 0
    with pytest.raises(ValueError):
        bucket.wait_time(1, 5)


def test_limiter():
    limiter = Limiter(1, 1)
    assert limiter.request("ann", 5)
    assert not limiter.request("ann", 5)
    assert limiter.request("bob", 5)
    assert limiter.refused == {"ann": 1}
""",
        hidden=r"""import random
from fractions import Fraction


def test_random_against_model():
    rng = random.Random(251)
    for _ in range(200):
        capacity = rng.randrange(1, 9)
        rate = Fraction(rng.randrange(1, 9), rng.randrange(1, 5))
        now = Fraction(rng.randrange(10))
        bucket = TokenBucket(capacity, rate, now)
        level = Fraction(capacity)
        for _ in range(50):
            step = Fraction(rng.randrange(0, 5), 4)
            now += step
            level = min(Fraction(capacity), level + step * rate)
            cost = rng.randrange(1, capacity + 1)
            if rng.random() < 0.3:
                assert bucket.wait_time(now, cost) == max(0, (cost - level) / rate)
            else:
                ok = level >= cost
                assert bucket.allow(now, cost) == ok
                if ok:
                    level -= cost
            assert bucket.tokens == level


def test_checking_often_does_not_lose_tokens():
    for parts in (1, 2, 4, 8, 16):
        bucket = TokenBucket(10, 4)
        assert bucket.allow(0, 10)
        for k in range(1, parts + 1):
            bucket.refill(k / parts)
        assert bucket.tokens == 4


def test_long_run_rate():
    limiter = Limiter(5, 2)
    passed = sum(limiter.request("c", t / 8) for t in range(0, 8 * 50))
    assert passed == 5 + 2 * 50 - 1
    assert limiter.refused["c"] == 400 - passed


def test_full_at_first():
    for capacity in range(1, 20):
        bucket = TokenBucket(capacity, 1, now=7)
        assert sum(bucket.allow(7) for _ in range(30)) == capacity
        assert bucket.allow(8) and not bucket.allow(8)
""",
    ),
    Program(
        name="s25_bowling_game",
        code=r'''"""Keeping the score of a game of ten-pin bowling."""


class BowlingGame:
    """Collects the rolls of one player."""

    def __init__(self):
        self.rolls = []

    def roll(self, pins):
        """Record how many pins a ball knocked down."""
        if not 0 <= pins <= 10:
            raise ValueError("impossible number of pins")
        if self.finished():
            raise ValueError("the game is over")
        frames = self.frames()
        if frames and len(frames) < 10 and self._is_open(frames[-1]):
            if frames[-1][0] + pins > 10:
                raise ValueError("more pins than stand")
        self.rolls.append(pins)

    @staticmethod
    def _is_open(frame):
        return len(frame) == 1 and frame[0] < 10

    def frames(self):
        """The rolls grouped by frames; the tenth has up to three."""
        frames = []
        i = 0
        while i < len(self.rolls) and len(frames) < 9:
            length = 1 if self.rolls[i] == 10 else 2
            frames.append(self.rolls[i:i + length])
            i += length
        if i < len(self.rolls):
            frames.append(self.rolls[i:])
        return frames

    def finished(self):
        """Whether all ten frames are complete."""
        frames = self.frames()
        if len(frames) < 10:
            return False
        last = frames[9]
        needed = 3 if sum(last[:2]) >= 10 else 2
        return len(last) == needed

    def scores(self):
        """The score after every frame whose score is already known."""
        totals = []
        total = 0
        i = 0
        while len(totals) < 10:
            strike = self.rolls[i:i + 1] == [10]
            spare = not strike and sum(self.rolls[i:i + 2]) == 10
            counted = self.rolls[i:i + 3] if strike or spare else self.rolls[i:i + 2]
            if len(counted) < (3 if strike else 2):
                break
            total += sum(counted)
            totals.append(total)
            i += 1 if strike else 2
        return totals
''',
        wrong="(3 if strike else 2)",
        right="(3 if strike or spare else 2)",
        visible=r"""def play(rolls):
    game = BowlingGame()
    for pins in rolls:
        game.roll(pins)
    return game


def test_gutter_game():
    assert play([0] * 20).scores() == [0] * 10


def test_perfect_game():
    game = play([10] * 12)
    assert game.finished()
    assert game.scores()[-1] == 300


def test_spare():
    assert play([6, 4, 5, 1]).scores() == [15, 21]


def test_open_spare_is_not_scored_yet():
    assert play([3, 4, 6, 4]).scores() == [7]


def test_open_strike_is_not_scored_yet():
    assert play([10, 3]).scores() == []
    assert play([10, 3, 4]).scores() == [17, 24]


def test_too_many_pins():
    game = play([6])
    with pytest.raises(ValueError):
        game.roll(5)


def test_over():
    game = play([0] * 20)
    with pytest.raises(ValueError):
        game.roll(1)
""",
        hidden=r"""import random


def reference(rolls):
    totals, total, i = [], 0, 0
    for _ in range(10):
        if i < len(rolls) and rolls[i] == 10:
            need, size = 3, 1
        elif i + 1 < len(rolls) and rolls[i] + rolls[i + 1] == 10:
            need, size = 3, 2
        else:
            need, size = 2, 2
        if i + need > len(rolls):
            break
        total += sum(rolls[i:i + need])
        totals.append(total)
        i += size
    return totals


def random_game(rng):
    rolls = []
    for frame in range(10):
        a = rng.choice([10, 10, rng.randrange(10), rng.randrange(10)])
        b = rng.choice([10 - a, rng.randrange(11 - a)])
        if a == 10:
            rolls.append(10)
            if frame == 9:
                rolls += [10, rng.randrange(11)]
        else:
            rolls += [a, b]
            if frame == 9 and a + b == 10:
                rolls.append(rng.randrange(11))
    return rolls


def test_scores_after_every_roll():
    rng = random.Random(261)
    for _ in range(300):
        rolls = random_game(rng)
        game = BowlingGame()
        for k, pins in enumerate(rolls, 1):
            assert not game.finished()
            game.roll(pins)
            assert game.scores() == reference(rolls[:k])
        assert game.finished()
        assert len(game.scores()) == 10


def test_spare_waits_for_its_bonus():
    for a in range(10):
        game = BowlingGame()
        game.roll(a)
        game.roll(10 - a)
        assert game.scores() == []
        game.roll(0)
        assert game.scores() == [10]


def test_open_frames_are_scored_at_once():
    for a in range(10):
        for b in range(10 - a):
            game = BowlingGame()
            game.roll(a)
            assert game.scores() == []
            game.roll(b)
            assert game.scores() == [a + b]


def test_spare_in_the_last_frame():
    game = BowlingGame()
    for pins in [1, 1] * 9 + [7, 3]:
        game.roll(pins)
    assert not game.finished()
    assert game.scores() == [2 * k for k in range(1, 10)]
    game.roll(10)
    assert game.scores()[-1] == 38
""",
    ),
    Program(
        name="s25_fifo_inventory",
        code=r'''"""Valuing the stock of a shop: what came first is sold first."""

from collections import deque


class Stock:
    """Lots of one article, each with a quantity and a price per piece."""

    def __init__(self):
        self._lots = deque()
        self.cost_of_sales = 0
        self.revenue = 0

    def quantity(self):
        """The number of pieces in stock."""
        return sum(pieces for pieces, _ in self._lots)

    def value(self):
        """What the pieces in stock have cost."""
        return sum(pieces * price for pieces, price in self._lots)

    def lots(self):
        """The lots, the oldest first."""
        return list(self._lots)

    def buy(self, pieces, price):
        """A delivery."""
        if pieces <= 0:
            raise ValueError("nothing was bought")
        self._lots.append((pieces, price))

    def sell(self, pieces, price):
        """Sell pieces; returns what they had cost."""
        if pieces > self.quantity():
            raise ValueError("not enough in stock")
        cost = self._take(pieces)
        self.cost_of_sales += cost
        self.revenue += pieces * price
        return cost

    def write_off(self, pieces):
        """Throw away pieces, the oldest first; returns the loss."""
        return self._take(min(pieces, self.quantity()))

    def _take(self, wanted):
        """Remove pieces, the oldest first, and return what they had cost."""
        cost = 0
        while wanted > 0:
            pieces, price = self._lots.popleft()
            taken = min(wanted, pieces)
            cost += taken * price
            wanted -= taken
            if taken < pieces:
                self._lots.append((pieces - taken, price))
        return cost

    def profit(self):
        """Revenue minus the cost of what was sold."""
        return self.revenue - self.cost_of_sales
''',
        wrong="self._lots.append((pieces - taken, price))",
        right="self._lots.appendleft((pieces - taken, price))",
        visible=r"""def test_buy():
    s = Stock()
    s.buy(10, 5)
    s.buy(4, 6)
    assert s.quantity() == 14
    assert s.value() == 74


def test_sell_whole_lots():
    s = Stock()
    s.buy(10, 5)
    s.buy(4, 6)
    assert s.sell(10, 9) == 50
    assert s.lots() == [(4, 6)]
    assert s.profit() == 40


def test_sell_across_lots():
    s = Stock()
    s.buy(10, 5)
    s.buy(10, 6)
    assert s.sell(12, 8) == 62
    assert s.quantity() == 8


def test_two_sales_from_one_lot():
    s = Stock()
    s.buy(10, 5)
    s.buy(10, 7)
    assert s.sell(4, 9) == 20
    assert s.sell(8, 9) == 44
    assert s.lots() == [(8, 7)]


def test_not_enough():
    s = Stock()
    s.buy(3, 5)
    with pytest.raises(ValueError):
        s.sell(4, 9)


def test_write_off():
    s = Stock()
    s.buy(3, 5)
    assert s.write_off(10) == 15
    assert s.quantity() == 0
    assert s.profit() == 0
""",
        hidden=r"""import itertools
import random


def test_random_against_single_pieces():
    rng = random.Random(271)
    for _ in range(250):
        s = Stock()
        pieces = []
        revenue = sold = 0
        for step in range(30):
            what = rng.randrange(4)
            n = rng.randrange(1, 8)
            if what <= 1:
                s.buy(n, step + 1)
                pieces += [step + 1] * n
            elif what == 2:
                if n > len(pieces):
                    with pytest.raises(ValueError):
                        s.sell(n, 50)
                else:
                    cost = sum(pieces[:n])
                    assert s.sell(n, 50) == cost
                    del pieces[:n]
                    revenue += 50 * n
                    sold += cost
            else:
                assert s.write_off(n) == sum(pieces[:n])
                del pieces[:n]
            want = [(len(list(g)), p) for p, g in itertools.groupby(pieces)]
            assert s.lots() == want
            assert s.quantity() == len(pieces) and s.value() == sum(pieces)
            assert s.profit() == revenue - sold


def test_piece_by_piece():
    s = Stock()
    for price in (3, 1, 2):
        s.buy(3, price)
    assert [s.sell(1, 0) for _ in range(9)] == [3, 3, 3, 1, 1, 1, 2, 2, 2]
    assert s.lots() == []


def test_delivery_after_partial_sale():
    s = Stock()
    s.buy(5, 10)
    s.sell(2, 20)
    s.buy(5, 30)
    assert s.lots() == [(3, 10), (5, 30)]
    assert s.write_off(1) == 10
    assert s.lots() == [(2, 10), (5, 30)]
    assert s.sell(4, 40) == 80
    assert s.lots() == [(3, 30)]
""",
    ),
)
