"""Programs of ten kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="triage_ward",
        code=r'''"""A waiting list for an emergency ward, ordered by urgency."""

import heapq
import itertools


class Ward:
    """Patients wait here; the lowest urgency number is called first.

    Among patients of equal urgency, the one whose urgency was set first is
    called first.
    """

    def __init__(self):
        self._heap = []
        self._current = {}
        self._arrivals = itertools.count()

    def __len__(self):
        return len(self._current)

    def admit(self, name, urgency):
        """Put a new patient on the list."""
        if name in self._current:
            raise ValueError(f"{name} is already waiting")
        self._push(name, urgency)

    def reassess(self, name, urgency):
        """Give a waiting patient another urgency (better or worse)."""
        if name not in self._current:
            raise KeyError(name)
        self._push(name, urgency)

    def leave(self, name):
        """Take a patient off the list without treatment."""
        del self._current[name]

    def call_next(self):
        """Return the name of the next patient and take them off the list."""
        self._drop_stale()
        if not self._heap:
            raise IndexError("nobody is waiting")
        _, _, name = heapq.heappop(self._heap)
        del self._current[name]
        return name

    def peek(self):
        """Return the name of the next patient, or None."""
        self._drop_stale()
        return self._heap[0][2] if self._heap else None

    def _push(self, name, urgency):
        entry = (urgency, next(self._arrivals), name)
        self._current[name] = entry
        heapq.heappush(self._heap, entry)

    def _drop_stale(self):
        """Remove outdated entries from the top of the heap."""
        while self._heap:
            entry = self._heap[0]
            if entry[2] in self._current:
                break
            heapq.heappop(self._heap)
''',
        wrong="            if entry[2] in self._current:",
        right="            if self._current.get(entry[2]) == entry:",
        visible="""
def test_order():
    ward = Ward()
    ward.admit("Ann", 3)
    ward.admit("Bob", 1)
    ward.admit("Cid", 2)
    assert [ward.call_next() for _ in range(3)] == ["Bob", "Cid", "Ann"]

def test_equal_urgency_first_come():
    ward = Ward()
    for name in ("Zoe", "Ann", "Moe"):
        ward.admit(name, 2)
    assert [ward.call_next() for _ in range(3)] == ["Zoe", "Ann", "Moe"]

def test_leave():
    ward = Ward()
    ward.admit("Ann", 1)
    ward.admit("Bob", 2)
    ward.leave("Ann")
    assert ward.peek() == "Bob"
    assert len(ward) == 1

def test_reassess_to_less_urgent():
    ward = Ward()
    ward.admit("Ann", 1)
    ward.admit("Bob", 2)
    ward.reassess("Ann", 5)
    assert ward.call_next() == "Bob"
    assert ward.call_next() == "Ann"

def test_empty():
    ward = Ward()
    assert ward.peek() is None
    with pytest.raises(IndexError):
        ward.call_next()
""",
        hidden="""
def test_peek_after_reassess():
    ward = Ward()
    ward.admit("Kim", 2)
    ward.admit("Lou", 3)
    ward.reassess("Kim", 4)
    assert ward.peek() == "Lou"

def test_more_urgent():
    ward = Ward()
    ward.admit("Kim", 2)
    ward.admit("Lou", 3)
    ward.reassess("Lou", 1)
    assert ward.call_next() == "Lou"
    assert ward.call_next() == "Kim"
    assert len(ward) == 0

def test_called_patient_does_not_return():
    ward = Ward()
    ward.admit("Kim", 4)
    ward.reassess("Kim", 2)
    assert ward.call_next() == "Kim"
    assert ward.peek() is None

def test_leave_and_come_back():
    ward = Ward()
    ward.admit("Kim", 1)
    ward.admit("Lou", 2)
    ward.leave("Kim")
    ward.admit("Kim", 3)
    assert [ward.call_next(), ward.call_next()] == ["Lou", "Kim"]

def test_reassess_same_urgency_goes_behind():
    ward = Ward()
    ward.admit("Kim", 2)
    ward.admit("Lou", 2)
    ward.reassess("Kim", 2)
    assert [ward.call_next(), ward.call_next()] == ["Lou", "Kim"]

def test_errors():
    ward = Ward()
    ward.admit("Kim", 2)
    with pytest.raises(ValueError):
        ward.admit("Kim", 3)
    with pytest.raises(KeyError):
        ward.reassess("Lou", 3)
""",
    ),
    Program(
        name="seismo_ring",
        code=r'''"""A fixed-size recorder that keeps the latest seismograph samples."""


class SeismoRing:
    """Keeps at most ``capacity`` samples; the oldest is overwritten first."""

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self._slots = [None] * capacity
        self._start = 0
        self._count = 0

    def __len__(self):
        return self._count

    def __iter__(self):
        """Yield the samples from the oldest to the newest."""
        for offset in range(self._count):
            yield self._slots[self._index(offset)]

    def _index(self, offset):
        return (self._start + offset) % len(self._slots)

    def record(self, sample):
        """Store a sample; return the sample it displaced, or None."""
        displaced = None
        if self._count == len(self._slots):
            displaced = self._slots[self._start]
            self._slots[self._start] = sample
        else:
            self._slots[self._index(self._count)] = sample
            self._count += 1
        return displaced

    def take(self):
        """Remove and return the oldest sample."""
        if not self._count:
            raise IndexError("recorder is empty")
        sample = self._slots[self._start]
        self._slots[self._start] = None
        self._start = self._index(1)
        self._count -= 1
        return sample

    def latest(self, number=1):
        """Return up to ``number`` of the newest samples, oldest first."""
        number = min(number, self._count)
        first = self._count - number
        return [self._slots[self._index(first + i)] for i in range(number)]

    def peak(self):
        """Return the sample of the largest magnitude, or None when empty."""
        return max(self, key=abs, default=None)
''',
        wrong="            self._slots[self._start] = sample\n",
        right="            self._slots[self._start] = sample\n            self._start = self._index(1)\n",
        visible="""
def test_fill():
    ring = SeismoRing(3)
    for sample in (1, 2, 3):
        assert ring.record(sample) is None
    assert list(ring) == [1, 2, 3]

def test_overwrite():
    ring = SeismoRing(3)
    for sample in (1, 2, 3, 4, 5):
        ring.record(sample)
    assert list(ring) == [3, 4, 5]
    assert len(ring) == 3

def test_take():
    ring = SeismoRing(2)
    ring.record(7)
    ring.record(8)
    assert ring.take() == 7
    ring.record(9)
    assert list(ring) == [8, 9]

def test_displaced():
    ring = SeismoRing(2)
    answers = [ring.record(s) for s in (5, 6, 7, 8)]
    assert answers == [None, None, 5, 6]

def test_peak():
    ring = SeismoRing(4)
    assert ring.peak() is None
    for sample in (2, -9, 4):
        ring.record(sample)
    assert ring.peak() == -9
""",
        hidden="""
def test_latest_after_wrap():
    ring = SeismoRing(4)
    for sample in range(10):
        ring.record(sample)
    assert ring.latest() == [9]
    assert ring.latest(3) == [7, 8, 9]
    assert ring.latest(99) == [6, 7, 8, 9]

def test_take_after_wrap():
    ring = SeismoRing(3)
    for sample in "abcd":
        ring.record(sample)
    assert [ring.take(), ring.take(), ring.take()] == ["b", "c", "d"]
    with pytest.raises(IndexError):
        ring.take()

def test_capacity_one():
    ring = SeismoRing(1)
    assert ring.record(1) is None
    assert ring.record(2) == 1
    assert list(ring) == [2]

def test_mixed():
    ring = SeismoRing(3)
    for sample in (1, 2, 3, 4):
        ring.record(sample)
    assert ring.take() == 2
    assert ring.record(5) is None
    assert ring.record(6) == 3
    assert list(ring) == [4, 5, 6]

def test_peak_forgets_overwritten():
    ring = SeismoRing(2)
    for sample in (50, 1, 2, -3):
        ring.record(sample)
    assert ring.peak() == -3

def test_bad_capacity():
    with pytest.raises(ValueError):
        SeismoRing(0)
""",
    ),
    Program(
        name="carriage_train",
        code=r'''"""A train as a doubly linked list of carriages."""


class _Carriage:
    def __init__(self, label):
        self.label = label
        self.ahead = None
        self.behind = None


class Train:
    """Carriages in order from the front to the rear."""

    def __init__(self, labels=()):
        self.front = None
        self.rear = None
        for label in labels:
            self.couple(label)

    def __iter__(self):
        carriage = self.front
        while carriage:
            yield carriage.label
            carriage = carriage.behind

    def from_rear(self):
        """Return the labels from the rear to the front."""
        labels = []
        carriage = self.rear
        while carriage:
            labels.append(carriage.label)
            carriage = carriage.ahead
        return labels

    def couple(self, label):
        """Add a carriage at the rear."""
        carriage = _Carriage(label)
        if self.rear is None:
            self.front = carriage
        else:
            self.rear.behind = carriage
            carriage.ahead = self.rear
        self.rear = carriage

    def uncouple(self, label):
        """Remove the first carriage of this label and close the gap."""
        carriage = self.front
        while carriage and carriage.label != label:
            carriage = carriage.behind
        if carriage is None:
            raise KeyError(label)
        if carriage.ahead:
            carriage.ahead.behind = carriage.behind
        else:
            self.front = carriage.behind
        if carriage.behind:
            carriage.behind.ahead = carriage.ahead
        else:
            self.rear = carriage.ahead

    def turn_round(self):
        """Reverse the order of the carriages in place."""
        carriage = self.front
        while carriage:
            carriage.ahead, carriage.behind = carriage.behind, carriage.ahead
            carriage = carriage.behind
        self.front, self.rear = self.rear, self.front
''',
        wrong="            carriage = carriage.behind\n        self.front, self.rear",
        right="            carriage = carriage.ahead\n        self.front, self.rear",
        visible="""
def test_couple():
    train = Train(["mail", "first", "second"])
    assert list(train) == ["mail", "first", "second"]
    assert train.from_rear() == ["second", "first", "mail"]

def test_uncouple():
    train = Train("abc")
    train.uncouple("b")
    assert list(train) == ["a", "c"]
    assert train.from_rear() == ["c", "a"]

def test_turn_round():
    train = Train("abc")
    train.turn_round()
    assert list(train) == ["c", "b", "a"]
    assert train.from_rear() == ["a", "b", "c"]

def test_turn_single():
    train = Train("x")
    train.turn_round()
    assert list(train) == ["x"]
""",
        hidden="""
def test_turn_four():
    train = Train("wxyz")
    train.turn_round()
    assert list(train) == ["z", "y", "x", "w"]

def test_turn_two():
    train = Train("pq")
    train.turn_round()
    assert list(train) == ["q", "p"]
    assert train.from_rear() == ["p", "q"]

def test_turn_and_couple():
    train = Train("abc")
    train.turn_round()
    train.couple("d")
    assert list(train) == ["c", "b", "a", "d"]

def test_turn_and_uncouple():
    train = Train("abcd")
    train.turn_round()
    train.uncouple("a")
    train.uncouple("c")
    assert list(train) == ["d", "b"]
    assert train.from_rear() == ["b", "d"]

def test_turn_empty():
    train = Train()
    train.turn_round()
    assert list(train) == []

def test_uncouple_ends():
    train = Train("abc")
    train.uncouple("a")
    train.uncouple("c")
    assert list(train) == train.from_rear() == ["b"]
    train.uncouple("b")
    assert list(train) == []
    with pytest.raises(KeyError):
        train.uncouple("b")
""",
    ),
    Program(
        name="pantry_cache",
        code=r'''"""A small cache of pantry counts that forgets what is used least recently."""

from collections import OrderedDict


class PantryCache:
    """Remembers at most ``size`` counts obtained from a slow ``count`` function.

    The item that was asked for (or set) longest ago is forgotten first.
    """

    def __init__(self, count, size=3):
        self._count = count
        self._size = size
        self._known = OrderedDict()
        self.hits = 0
        self.misses = 0

    def get(self, item):
        """Return the count of an item, asking ``count`` only if not cached."""
        number = self._known.get(item)
        if not number:
            self.misses += 1
            number = self._count(item)
            self.set(item, number)
            return number
        self.hits += 1
        self._known.move_to_end(item)
        return number

    def set(self, item, number):
        """Remember a count that is known from elsewhere."""
        if number is None:
            raise ValueError("a count is needed")
        self._known[item] = number
        self._known.move_to_end(item)
        while len(self._known) > self._size:
            self._known.popitem(last=False)

    def forget(self, item):
        """Forget an item, if it is known."""
        self._known.pop(item, None)

    def items(self):
        """Return the cached names, the next to be forgotten first."""
        return list(self._known)

    def ratio(self):
        """Return the share of hits among all gets (0.0 if there were none)."""
        total = self.hits + self.misses
        return self.hits / total if total else 0.0
''',
        wrong="        if not number:",
        right="        if number is None:",
        visible="""
def test_hit():
    cache = PantryCache({"rice": 4}.__getitem__)
    assert cache.get("rice") == 4
    assert cache.get("rice") == 4
    assert (cache.hits, cache.misses) == (1, 1)

def test_forgets_oldest():
    cache = PantryCache(len, size=2)
    cache.get("a")
    cache.get("bb")
    cache.get("a")
    cache.get("ccc")
    assert cache.items() == ["a", "ccc"]

def test_nothing_left_is_cached():
    asked = []
    def count(item):
        asked.append(item)
        return 0
    cache = PantryCache(count)
    assert cache.get("flour") == 0
    assert cache.get("flour") == 0
    assert asked == ["flour"]

def test_ratio():
    cache = PantryCache(len)
    assert cache.ratio() == 0.0
    for _ in range(4):
        cache.get("oats")
    assert cache.ratio() == 0.75
""",
        hidden="""
def test_set_zero():
    def count(item):
        raise AssertionError("must not be asked")
    cache = PantryCache(count)
    cache.set("salt", 0)
    assert cache.get("salt") == 0
    assert cache.hits == 1 and cache.misses == 0

def test_ratio_with_zero():
    cache = PantryCache(lambda item: 0)
    cache.get("x")
    cache.get("x")
    assert cache.ratio() == 0.5

def test_zero_count_is_kept_as_it_was():
    counts = {"tea": 0}
    cache = PantryCache(counts.__getitem__)
    assert cache.get("tea") == 0
    counts["tea"] = 5
    assert cache.get("tea") == 0
    cache.forget("tea")
    assert cache.get("tea") == 5

def test_set_refreshes():
    cache = PantryCache(len, size=2)
    cache.set("a", 1)
    cache.set("b", 2)
    cache.set("a", 3)
    cache.set("c", 4)
    assert cache.items() == ["a", "c"]
    assert cache.get("a") == 3

def test_none_refused():
    cache = PantryCache(len)
    with pytest.raises(ValueError):
        cache.set("a", None)

def test_forget_unknown():
    cache = PantryCache(len)
    cache.forget("nothing")
    assert cache.items() == []
""",
    ),
    Program(
        name="herbarium_trie",
        code=r'''"""A trie of plant names for a herbarium's card index."""


class _Node:
    __slots__ = ("children", "sheets")

    def __init__(self):
        self.children = {}
        self.sheets = 0


class Herbarium:
    """Counts the sheets held under each plant name."""

    def __init__(self):
        self._root = _Node()

    def add(self, name, sheets=1):
        """File further sheets under a name."""
        node = self._root
        for letter in name:
            node = node.children.setdefault(letter, _Node())
        node.sheets += sheets

    def sheets(self, name):
        """Return how many sheets are held under exactly this name."""
        node = self._find(name)
        return node.sheets if node else 0

    def names(self, prefix=""):
        """Return the filed names that begin with a prefix, sorted."""
        node = self._find(prefix)
        return list(self._walk(node, prefix)) if node else []

    def remove(self, name):
        """Drop a name with its sheets; branches left bare are pruned."""
        if not self.sheets(name):
            raise KeyError(name)
        path = [self._root]
        for letter in name:
            path.append(path[-1].children[letter])
        path[-1].sheets = 0
        for letter in reversed(name):
            node = path.pop()
            if node.children:
                break
            del path[-1].children[letter]

    def nodes(self):
        """Return the number of nodes below the root."""
        def count(node):
            return sum(1 + count(child) for child in node.children.values())
        return count(self._root)

    def _find(self, prefix):
        node = self._root
        for letter in prefix:
            node = node.children.get(letter)
            if node is None:
                return None
        return node

    def _walk(self, node, prefix):
        if node.sheets:
            yield prefix
        for letter in sorted(node.children):
            yield from self._walk(node.children[letter], prefix + letter)
''',
        wrong="            if node.children:\n",
        right="            if node.children or node.sheets:\n",
        visible="""
def test_add():
    index = Herbarium()
    index.add("rosa")
    index.add("rosa", 2)
    assert index.sheets("rosa") == 3
    assert index.sheets("ros") == 0

def test_prefix():
    index = Herbarium()
    for name in ("salix", "salvia", "sambucus", "rosa"):
        index.add(name)
    assert index.names("sal") == ["salix", "salvia"]
    assert index.names("x") == []

def test_remove_prunes():
    index = Herbarium()
    index.add("salix")
    index.add("salvia")
    index.remove("salvia")
    assert index.names() == ["salix"]
    assert index.nodes() == 5

def test_remove_longer_name():
    index = Herbarium()
    index.add("rosa")
    index.add("rosaceae")
    index.remove("rosaceae")
    assert index.names() == ["rosa"]

def test_remove_unknown():
    with pytest.raises(KeyError):
        Herbarium().remove("rosa")
""",
        hidden="""
def test_remove_shorter_keeps_longer():
    index = Herbarium()
    index.add("acer")
    index.add("aceraceae", 4)
    index.remove("acer")
    assert index.names() == ["aceraceae"]
    assert index.sheets("aceraceae") == 4

def test_remove_longer_keeps_count():
    index = Herbarium()
    index.add("ilex", 7)
    index.add("ilexia")
    index.remove("ilexia")
    assert index.sheets("ilex") == 7
    assert index.nodes() == 4

def test_three_in_a_chain():
    index = Herbarium()
    for name in ("a", "ab", "abc"):
        index.add(name)
    index.remove("abc")
    assert index.names() == ["a", "ab"]
    index.remove("ab")
    assert index.names() == ["a"]
    assert index.nodes() == 1

def test_remove_all():
    index = Herbarium()
    index.add("viola")
    index.remove("viola")
    assert index.nodes() == 0
    assert index.names() == []

def test_remove_prefix_only():
    index = Herbarium()
    index.add("viola")
    with pytest.raises(KeyError):
        index.remove("vio")
    assert index.names("vi") == ["viola"]

def test_remove_branch():
    index = Herbarium()
    for name in ("pinus", "pirus"):
        index.add(name)
    index.remove("pinus")
    assert index.names("pi") == ["pirus"]
    assert index.nodes() == 5
""",
    ),
    Program(
        name="star_kdtree",
        code=r'''"""A two-dimensional k-d tree to find the catalogued star next to a spot."""


class _Node:
    def __init__(self, point, left, right):
        self.point = point
        self.left = left
        self.right = right


def build(points, depth=0):
    """Build a tree from (x, y) points; even depths split by x, odd ones by y."""
    if not points:
        return None
    axis = depth % 2
    points = sorted(points, key=lambda point: point[axis])
    middle = len(points) // 2
    return _Node(
        points[middle],
        build(points[:middle], depth + 1),
        build(points[middle + 1:], depth + 1),
    )


def height(node):
    """Return the number of levels of a tree."""
    return 1 + max(height(node.left), height(node.right)) if node else 0


def squared(a, b):
    """Return the squared distance of two points."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def nearest(root, target):
    """Return the point of the tree nearest to the target (None if empty)."""
    return _nearest(root, target, 0, None)


def _nearest(node, target, depth, best):
    if node is None:
        return best
    if best is None or squared(node.point, target) < squared(best, target):
        best = node.point
    axis = depth % 2
    gap = target[axis] - node.point[axis]
    near, far = (node.left, node.right) if gap < 0 else (node.right, node.left)
    best = _nearest(near, target, depth + 1, best)
    if gap ** 2 < squared(best, target):
        best = _nearest(far, target, depth, best)
    return best


def within(root, target, radius):
    """Return the points at most ``radius`` away from the target, sorted."""
    found = []

    def visit(node, depth):
        if node is None:
            return
        if squared(node.point, target) <= radius ** 2:
            found.append(node.point)
        gap = target[depth % 2] - node.point[depth % 2]
        if gap <= radius:
            visit(node.left, depth + 1)
        if gap >= -radius:
            visit(node.right, depth + 1)

    visit(root, 0)
    return sorted(found)
''',
        wrong="        best = _nearest(far, target, depth, best)",
        right="        best = _nearest(far, target, depth + 1, best)",
        visible="""
def test_one_star():
    assert nearest(build([(3, 4)]), (0, 0)) == (3, 4)
    assert nearest(None, (0, 0)) is None

def test_near_side():
    stars = [(0, 0), (10, 0), (20, 0)]
    assert nearest(build(stars), (18, 1)) == (20, 0)

def test_far_side():
    stars = [(3, 1), (4, 6), (2, 8), (5, 0), (7, 9), (1, 0)]
    assert nearest(build(stars), (3, 5)) == (4, 6)

def test_far_branch_turns():
    stars = [(4, 7), (11, 6), (4, 1), (4, 0), (7, 2), (4, 8), (3, 2)]
    assert nearest(build(stars), (0, 10)) == (4, 8)

def test_within():
    stars = [(0, 0), (3, 4), (6, 8)]
    assert within(build(stars), (0, 0), 5) == [(0, 0), (3, 4)]

def test_height():
    assert height(build([(i, -i) for i in range(7)])) == 3
""",
        hidden="""
def _check(stars, targets):
    root = build(stars)
    for target in targets:
        found = nearest(root, target)
        assert squared(found, target) == min(squared(s, target) for s in stars)

def test_scatter_a():
    stars = [((i * 37) % 101, (i * 53) % 97) for i in range(60)]
    _check(stars, [(x, y) for x in range(0, 100, 7) for y in range(0, 100, 7)])

def test_scatter_b():
    stars = [((i * i * 7) % 211, (i * 19 + 5) % 89) for i in range(45)]
    _check(stars, [(x, y) for x in range(-10, 220, 11) for y in range(-5, 95, 9)])

def test_scatter_c():
    stars = [((i * 29) % 31, (i * i * 11) % 43) for i in range(31)]
    _check(stars, [(x, y) for x in range(32) for y in range(0, 44, 3)])

def test_exact_hits():
    stars = [((i * 17) % 64, (i * 23) % 59) for i in range(25)]
    root = build(stars)
    for star in stars:
        assert nearest(root, star) == star

def test_within_scatter():
    stars = [((i * 37) % 101, (i * 53) % 97) for i in range(60)]
    expected = sorted(s for s in stars if squared(s, (50, 50)) <= 400)
    assert within(build(stars), (50, 50), 20) == expected

def test_empty():
    assert build([]) is None
    assert height(None) == 0
""",
    ),
    Program(
        name="hive_segments",
        code=r'''"""Honey weights of a row of hives, in a segment tree with lazy additions."""


class HiveRow:
    """A row of hives; whole stretches can be changed and asked at once."""

    def __init__(self, weights):
        if not weights:
            raise ValueError("a row needs a hive")
        self._size = len(weights)
        self._best = [0] * (4 * self._size)
        self._pending = [0] * (4 * self._size)
        self._build(1, 0, self._size - 1, weights)

    def _build(self, node, low, high, weights):
        if low == high:
            self._best[node] = weights[low]
            return
        middle = (low + high) // 2
        self._build(2 * node, low, middle, weights)
        self._build(2 * node + 1, middle + 1, high, weights)
        self._best[node] = max(self._best[2 * node], self._best[2 * node + 1])

    def _push(self, node):
        """Hand the pending addition of a node down to its children."""
        for child in (2 * node, 2 * node + 1):
            self._best[child] += self._pending[node]
            self._pending[child] += self._pending[node]
        self._pending[node] = 0

    def add(self, first, last, weight):
        """Add a weight to each hive from ``first`` to ``last`` (inclusive)."""
        self._add(1, 0, self._size - 1, first, last, weight)

    def _add(self, node, low, high, first, last, weight):
        if last < low or high < first:
            return
        if first <= low and high <= last:
            self._best[node] += weight
            self._pending[node] += weight
            return
        self._push(node)
        middle = (low + high) // 2
        self._add(2 * node, low, middle, first, last, weight)
        self._add(2 * node + 1, middle + 1, high, first, last, weight)
        self._best[node] = max(self._best[2 * node], self._best[2 * node + 1])

    def heaviest(self, first, last):
        """Return the greatest weight from ``first`` to ``last`` (inclusive)."""
        if not 0 <= first <= last < self._size:
            raise IndexError("no such stretch")
        return self._heaviest(1, 0, self._size - 1, first, last)

    def _heaviest(self, node, low, high, first, last):
        if first <= low and high <= last:
            return self._best[node]
        middle = (low + high) // 2
        answers = []
        if first <= middle:
            answers.append(self._heaviest(2 * node, low, middle, first, last))
        if last > middle:
            answers.append(self._heaviest(2 * node + 1, middle + 1, high, first, last))
        return max(answers)
''',
        wrong="            return self._best[node]\n",
        right="            return self._best[node]\n        self._push(node)\n",
        visible="""
def test_built():
    row = HiveRow([5, 1, 4, 2])
    assert row.heaviest(0, 3) == 5
    assert row.heaviest(1, 3) == 4

def test_add_and_ask_all():
    row = HiveRow([5, 1, 4, 2])
    row.add(2, 3, 3)
    assert row.heaviest(0, 3) == 7

def test_add_all_and_ask_one():
    row = HiveRow([5, 1, 4, 2])
    row.add(0, 3, 10)
    assert row.heaviest(1, 1) == 11

def test_single_hives():
    row = HiveRow([0, 0, 0])
    for i in range(3):
        row.add(i, i, i + 1)
    assert [row.heaviest(i, i) for i in range(3)] == [1, 2, 3]

def test_out_of_range():
    with pytest.raises(IndexError):
        HiveRow([1]).heaviest(0, 1)
""",
        hidden="""
def test_against_list():
    plain = [(i * 7) % 13 for i in range(11)]
    row = HiveRow(plain)
    plain = list(plain)
    for step in range(30):
        first, last = sorted(((step * 5) % 11, (step * 3 + 2) % 11))
        row.add(first, last, step % 4 - 1)
        for i in range(first, last + 1):
            plain[i] += step % 4 - 1
        a, b = sorted(((step * 4) % 11, (step * 9 + 1) % 11))
        assert row.heaviest(a, b) == max(plain[a:b + 1])

def test_half():
    row = HiveRow([1, 2, 3, 4, 5, 6, 7, 8])
    row.add(0, 3, 10)
    assert row.heaviest(0, 1) == 12
    assert row.heaviest(3, 4) == 14

def test_negative():
    row = HiveRow([9, 9, 9, 9])
    row.add(0, 3, -4)
    assert row.heaviest(2, 3) == 5
    assert row.heaviest(0, 3) == 5

def test_twice():
    row = HiveRow([0] * 6)
    row.add(0, 5, 1)
    row.add(0, 5, 2)
    assert [row.heaviest(i, i) for i in range(6)] == [3] * 6

def test_one_hive():
    row = HiveRow([3])
    row.add(0, 0, 4)
    assert row.heaviest(0, 0) == 7

def test_no_hive():
    with pytest.raises(ValueError):
        HiveRow([])
""",
    ),
    Program(
        name="quipu_bst",
        code=r'''"""A binary search tree that files quipus (knotted records) by their number."""


class _Node:
    def __init__(self, key, note):
        self.key = key
        self.note = note
        self.left = None
        self.right = None


class QuipuFile:
    """Maps numbers to notes, in the order of the numbers."""

    def __init__(self):
        self._root = None

    def put(self, key, note):
        """File a note under a number, replacing an earlier one."""
        self._root = self._put(self._root, key, note)

    def _put(self, node, key, note):
        if node is None:
            return _Node(key, note)
        if key < node.key:
            node.left = self._put(node.left, key, note)
        elif key > node.key:
            node.right = self._put(node.right, key, note)
        else:
            node.note = note
        return node

    def get(self, key, default=None):
        """Return the note filed under a number."""
        node = self._root
        while node:
            if key == node.key:
                return node.note
            node = node.left if key < node.key else node.right
        return default

    def remove(self, key):
        """Take the note of a number out; unknown numbers are ignored."""
        self._root = self._remove(self._root, key)

    def _remove(self, node, key):
        if node is None:
            return None
        if key < node.key:
            node.left = self._remove(node.left, key)
        elif key > node.key:
            node.right = self._remove(node.right, key)
        elif node.left and node.right:
            heir = node.right
            while heir.left:
                heir = heir.left
            node.key, node.note = heir.key, heir.note
            node.right = self._remove(node.right, key)
        else:
            return node.left or node.right
        return node

    def items(self):
        """Return the (number, note) pairs in ascending order."""
        def walk(node):
            if node:
                yield from walk(node.left)
                yield node.key, node.note
                yield from walk(node.right)
        return list(walk(self._root))
''',
        wrong="            node.right = self._remove(node.right, key)\n        else:\n",
        right="            node.right = self._remove(node.right, heir.key)\n        else:\n",
        visible="""
def make(*keys):
    file = QuipuFile()
    for key in keys:
        file.put(key, f"note {key}")
    return file

def test_sorted():
    assert [key for key, _ in make(5, 2, 8, 1).items()] == [1, 2, 5, 8]

def test_replace():
    file = make(5, 2)
    file.put(2, "new")
    assert file.get(2) == "new"
    assert file.get(9, "none") == "none"

def test_remove_leaf_and_single():
    file = make(5, 2, 8, 1)
    file.remove(2)
    file.remove(8)
    assert [key for key, _ in file.items()] == [1, 5]

def test_remove_inner():
    file = make(5, 2, 8, 1, 3)
    file.remove(2)
    assert file.items() == [(1, "note 1"), (3, "note 3"), (5, "note 5"), (8, "note 8")]

def test_remove_unknown():
    file = make(5)
    file.remove(7)
    assert file.items() == [(5, "note 5")]
""",
        hidden="""
def make(*keys):
    file = QuipuFile()
    for key in keys:
        file.put(key, str(key))
    return file

def keys(file):
    return [key for key, _ in file.items()]

def test_remove_root():
    file = make(50, 25, 75, 60, 90, 55)
    file.remove(50)
    assert keys(file) == [25, 55, 60, 75, 90]
    assert file.get(55) == "55"

def test_remove_one_after_another():
    numbers = [8, 4, 12, 2, 6, 10, 14, 1, 3, 5, 7]
    file = make(*numbers)
    left = sorted(numbers)
    for number in numbers:
        file.remove(number)
        left.remove(number)
        assert keys(file) == left

def test_heir_has_right_child():
    file = make(10, 5, 20, 15, 17, 30)
    file.remove(10)
    assert keys(file) == [5, 15, 17, 20, 30]

def test_put_again():
    file = make(2, 1, 3)
    file.remove(2)
    file.put(2, "back")
    assert file.items() == [(1, "1"), (2, "back"), (3, "3")]

def test_remove_only():
    file = make(1)
    file.remove(1)
    assert file.items() == []

def test_get_after_remove():
    file = make(4, 2, 6)
    file.remove(4)
    assert file.get(4) is None
    assert file.get(6) == "6"
""",
    ),
    Program(
        name="ferry_timetable",
        code=r'''"""Earliest arrivals in an archipelago served by timetabled ferries."""

import bisect
import heapq
from collections import defaultdict


class Timetable:
    """Ferry lines with a fixed crossing time and a list of departures.

    Times are minutes after midnight. A passenger may board a ferry that
    leaves in the very minute of their arrival.
    """

    def __init__(self):
        self._lines = defaultdict(list)

    def add_line(self, start, end, crossing, departures):
        """Add a one-way line."""
        if crossing <= 0:
            raise ValueError("a crossing takes time")
        self._lines[start].append((end, crossing, sorted(departures)))

    def next_departure(self, start, end, now):
        """Return the next departure of a direct line, or None."""
        times = []
        for goal, _, departures in self._lines[start]:
            if goal == end:
                times += [time for time in departures if time >= now]
        return min(times, default=None)

    def arrivals(self, start, now):
        """Return the earliest arrival at each island that can be reached."""
        earliest = {start: now}
        queue = [(now, start)]
        while queue:
            time, island = heapq.heappop(queue)
            if time > earliest[island]:
                continue
            for goal, crossing, departures in self._lines[island]:
                index = bisect.bisect_right(departures, time)
                if index == len(departures):
                    continue
                arrival = departures[index] + crossing
                if arrival < earliest.get(goal, float("inf")):
                    earliest[goal] = arrival
                    heapq.heappush(queue, (arrival, goal))
        return earliest

    def arrival(self, start, end, now):
        """Return the earliest arrival at an island, or None."""
        return self.arrivals(start, now).get(end)
''',
        wrong="                index = bisect.bisect_right(departures, time)",
        right="                index = bisect.bisect_left(departures, time)",
        visible="""
def test_direct():
    table = Timetable()
    table.add_line("Aran", "Bere", 30, [480, 540])
    assert table.arrival("Aran", "Bere", 470) == 510
    assert table.arrival("Aran", "Bere", 500) == 570

def test_too_late():
    table = Timetable()
    table.add_line("Aran", "Bere", 30, [480])
    assert table.arrival("Aran", "Bere", 481) is None

def test_change_in_the_same_minute():
    table = Timetable()
    table.add_line("Aran", "Bere", 30, [480])
    table.add_line("Bere", "Clare", 20, [510, 600])
    assert table.arrival("Aran", "Clare", 475) == 530

def test_next_departure():
    table = Timetable()
    table.add_line("Aran", "Bere", 30, [540, 480])
    assert table.next_departure("Aran", "Bere", 480) == 480
    assert table.next_departure("Bere", "Aran", 480) is None

def test_detour_is_quicker():
    table = Timetable()
    table.add_line("A", "C", 100, [60])
    table.add_line("A", "B", 20, [60])
    table.add_line("B", "C", 30, [90])
    assert table.arrival("A", "C", 50) == 120
""",
        hidden="""
def test_board_at_once():
    table = Timetable()
    table.add_line("X", "Y", 15, [100, 200])
    assert table.arrival("X", "Y", 100) == 115

def test_last_ferry():
    table = Timetable()
    table.add_line("X", "Y", 15, [100])
    assert table.arrival("X", "Y", 100) == 115
    assert table.arrival("X", "Y", 101) is None

def test_one_minute_late():
    table = Timetable()
    table.add_line("X", "Y", 15, [100, 200])
    assert table.arrival("X", "Y", 101) == 215

def test_chain():
    table = Timetable()
    table.add_line("a", "b", 10, [0])
    table.add_line("b", "c", 10, [10])
    table.add_line("c", "d", 10, [20])
    assert table.arrivals("a", 0) == {"a": 0, "b": 10, "c": 20, "d": 30}

def test_two_lines_between_islands():
    table = Timetable()
    table.add_line("a", "b", 50, [10])
    table.add_line("a", "b", 20, [30])
    assert table.arrival("a", "b", 5) == 50
    assert table.arrival("a", "b", 31) is None

def test_same_island():
    table = Timetable()
    assert table.arrival("a", "a", 77) == 77

def test_bad_crossing():
    with pytest.raises(ValueError):
        Timetable().add_line("a", "b", 0, [1])
""",
    ),
    Program(
        name="canal_links",
        code=r'''"""Finds the canals whose closing would cut a waterway network apart."""

from collections import defaultdict


class Waterways:
    """Towns connected by canals; two towns may be joined by several canals."""

    def __init__(self):
        self._canals = []
        self._at = defaultdict(list)

    def dig(self, name, one, other):
        """Add a canal between two towns."""
        number = len(self._canals)
        self._canals.append(name)
        self._at[one].append((other, number))
        self._at[other].append((one, number))

    def reachable(self, start):
        """Return the set of the towns that can be reached from a town."""
        seen = {start}
        stack = [start]
        while stack:
            for town, _ in self._at.get(stack.pop(), ()):
                if town not in seen:
                    seen.add(town)
                    stack.append(town)
        return seen

    def critical(self):
        """Return the names of the canals without a way around, sorted."""
        order = {}
        low = {}
        found = []

        def visit(town, source, arrived_by):
            order[town] = low[town] = len(order)
            for neighbour, number in self._at[town]:
                if neighbour == source:
                    continue
                if neighbour in order:
                    low[town] = min(low[town], order[neighbour])
                    continue
                visit(neighbour, town, number)
                low[town] = min(low[town], low[neighbour])
                if low[neighbour] > order[town]:
                    found.append(self._canals[number])

        for town in list(self._at):
            if town not in order:
                visit(town, None, None)
        return sorted(found)
''',
        wrong="                if neighbour == source:",
        right="                if number == arrived_by:",
        visible="""
def network(*canals):
    waterways = Waterways()
    for name, one, other in canals:
        waterways.dig(name, one, other)
    return waterways

def test_line():
    assert network(("p", 1, 2), ("q", 2, 3)).critical() == ["p", "q"]

def test_ring():
    assert network(("p", 1, 2), ("q", 2, 3), ("r", 3, 1)).critical() == []

def test_ring_with_tail():
    net = network(("p", 1, 2), ("q", 2, 3), ("r", 3, 1), ("s", 3, 4))
    assert net.critical() == ["s"]

def test_double_canal():
    net = network(("old", "Gent", "Brugge"), ("new", "Gent", "Brugge"), ("sea", "Brugge", "Damme"))
    assert net.critical() == ["sea"]

def test_reachable():
    net = network(("p", 1, 2), ("q", 3, 4))
    assert net.reachable(1) == {1, 2}
""",
        hidden="""
def network(*canals):
    waterways = Waterways()
    for name, one, other in canals:
        waterways.dig(name, one, other)
    return waterways

def test_only_double():
    assert network(("a", 1, 2), ("b", 2, 1)).critical() == []

def test_triple():
    net = network(("a", 1, 2), ("b", 2, 1), ("c", 1, 2), ("d", 2, 3))
    assert net.critical() == ["d"]

def test_double_in_the_middle():
    net = network(("a", 1, 2), ("b", 2, 3), ("c", 2, 3), ("d", 3, 4))
    assert net.critical() == ["a", "d"]

def test_two_rings_joined():
    net = network(
        ("a", 1, 2), ("b", 2, 3), ("c", 3, 1),
        ("x", 3, 4),
        ("d", 4, 5), ("e", 5, 6), ("f", 6, 4),
    )
    assert net.critical() == ["x"]

def test_separate_parts():
    net = network(("b", 1, 2), ("a", 3, 4))
    assert net.critical() == ["a", "b"]

def test_two_rings_joined_twice():
    net = network(
        ("a", 1, 2), ("b", 2, 3), ("c", 3, 1),
        ("x", 3, 4), ("y", 3, 4),
        ("d", 4, 5), ("e", 5, 6), ("f", 6, 4),
    )
    assert net.critical() == []

def test_empty():
    assert Waterways().critical() == []
    assert Waterways().reachable("q") == {"q"}
""",
    ),
    Program(
        name="bell_casting_order",
        code=r'''"""Puts the jobs of a bell foundry into an order that respects what must precede."""

import heapq


class Foundry:
    """Jobs and the "before" relations between them."""

    def __init__(self):
        self._followers = {}
        self._waiting_for = {}

    def job(self, name):
        """Announce a job (nothing happens if it is known already)."""
        self._followers.setdefault(name, set())
        self._waiting_for.setdefault(name, 0)

    def before(self, first, then):
        """State that one job must be done before another.

        A statement may be repeated; that changes nothing.
        """
        if first == then:
            raise ValueError(f"{first} cannot precede itself")
        self.job(first)
        self.job(then)
        self._followers[first].add(then)
        self._waiting_for[then] += 1

    def order(self):
        """Return all jobs in order; of several possible jobs, the one whose
        name is first in the alphabet comes next.

        ValueError is raised if the relations go round in a circle.
        """
        left = dict(self._waiting_for)
        ready = [name for name, number in left.items() if number == 0]
        heapq.heapify(ready)
        done = []
        while ready:
            name = heapq.heappop(ready)
            done.append(name)
            for follower in self._followers[name]:
                left[follower] -= 1
                if left[follower] == 0:
                    heapq.heappush(ready, follower)
        if len(done) < len(left):
            stuck = sorted(set(left) - set(done))
            raise ValueError("circle among " + ", ".join(stuck))
        return done

    def first_jobs(self):
        """Return the jobs that can be begun at once, sorted."""
        return sorted(n for n, number in self._waiting_for.items() if not number)
''',
        wrong="        self._followers[first].add(then)\n",
        right="        if then in self._followers[first]: return\n        self._followers[first].add(then)\n",
        visible="""
def test_chain():
    foundry = Foundry()
    foundry.before("mould", "pour")
    foundry.before("pour", "tune")
    assert foundry.order() == ["mould", "pour", "tune"]

def test_alphabet():
    foundry = Foundry()
    for name in ("tin", "copper", "wax"):
        foundry.job(name)
    assert foundry.order() == ["copper", "tin", "wax"]

def test_circle():
    foundry = Foundry()
    foundry.before("a", "b")
    foundry.before("b", "a")
    with pytest.raises(ValueError):
        foundry.order()

def test_repeated_statement():
    foundry = Foundry()
    foundry.before("mould", "pour")
    foundry.before("mould", "pour")
    assert foundry.order() == ["mould", "pour"]

def test_first_jobs():
    foundry = Foundry()
    foundry.before("mould", "pour")
    foundry.job("alloy")
    assert foundry.first_jobs() == ["alloy", "mould"]
""",
        hidden="""
def test_repeated_among_others():
    foundry = Foundry()
    foundry.before("b", "c")
    foundry.before("a", "c")
    foundry.before("b", "c")
    foundry.before("c", "d")
    assert foundry.order() == ["a", "b", "c", "d"]

def test_repeated_thrice():
    foundry = Foundry()
    for _ in range(3):
        foundry.before("z", "y")
    foundry.job("x")
    assert foundry.order() == ["x", "z", "y"]

def test_two_reasons_still_both_needed():
    foundry = Foundry()
    foundry.before("y", "a")
    foundry.before("z", "a")
    assert foundry.order() == ["y", "z", "a"]

def test_order_twice():
    foundry = Foundry()
    foundry.before("p", "q")
    assert foundry.order() == foundry.order() == ["p", "q"]

def test_diamond():
    foundry = Foundry()
    for first, then in (("s", "l"), ("s", "r"), ("l", "e"), ("r", "e")):
        foundry.before(first, then)
    assert foundry.order() == ["s", "l", "r", "e"]

def test_circle_names():
    foundry = Foundry()
    foundry.before("a", "b")
    foundry.before("b", "c")
    foundry.before("c", "b")
    with pytest.raises(ValueError, match="b, c"):
        foundry.order()

def test_self():
    with pytest.raises(ValueError):
        Foundry().before("a", "a")
""",
    ),
    Program(
        name="cave_torches",
        code=r'''"""How few torches does a walk through a cave take?

A cave map is a list of equally long strings: '#' is rock, '.' is a lit
gallery, '~' is a dark one. Entering a dark cell takes one torch, entering a
lit cell none. One may move up, down, left and right.
"""

from collections import deque

MOVES = ((-1, 0), (1, 0), (0, -1), (0, 1))


def find(cave, sign):
    """Return the (row, column) of the first cell with a sign, or None."""
    for row, line in enumerate(cave):
        column = line.find(sign)
        if column >= 0:
            return row, column
    return None


def neighbours(cave, cell):
    """Yield the cells next to a cell that are not rock."""
    for down, right in MOVES:
        row, column = cell[0] + down, cell[1] + right
        if 0 <= row < len(cave) and 0 <= column < len(cave[row]):
            if cave[row][column] != "#":
                yield row, column


def torches(cave, start, goal):
    """Return the least number of torches from start to goal, or None.

    The start itself takes no torch, even if it is dark.
    """
    needed = {start: 0}
    settled = set()
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        if cell == goal:
            return needed[cell]
        if cell in settled:
            continue
        settled.add(cell)
        for other in neighbours(cave, cell):
            dark = cave[other[0]][other[1]] == "~"
            count = needed[cell] + dark
            if count < needed.get(other, float("inf")):
                needed[other] = count
                if dark:
                    queue.append(other)
                else:
                    queue.append(other)
    return None


def expedition(cave):
    """Return the torches needed from 'S' to 'E' (both are lit cells)."""
    start, goal = find(cave, "S"), find(cave, "E")
    if start is None or goal is None:
        raise ValueError("the map needs S and E")
    return torches(cave, start, goal)
''',
        wrong="                else:\n                    queue.append(other)",
        right="                else:\n                    queue.appendleft(other)",
        visible="""
def test_lit():
    assert expedition(["S..E"]) == 0

def test_dark():
    assert expedition(["S~~E"]) == 2

def test_long_way_lit():
    assert expedition([
        "S~E",
        ".#.",
        "...",
    ]) == 0

def test_blocked():
    assert expedition(["S#E"]) is None

def test_neighbours():
    assert sorted(neighbours(["..", "#."], (0, 0))) == [(0, 1)]

def test_no_exit():
    with pytest.raises(ValueError):
        expedition(["S.."])
""",
        hidden="""
def test_bigger_detour():
    assert expedition([
        "S~~E",
        ".##.",
        ".##.",
        "....",
    ]) == 0

def test_one_torch_detour():
    assert expedition([
        "S~~~E",
        ".###.",
        ".###.",
        "..~..",
    ]) == 1

def test_dark_is_cheaper_than_nothing():
    assert expedition([
        "S~E",
        "###",
        "...",
    ]) == 1

def test_dark_start():
    assert torches(["~~."], (0, 0), (0, 2)) == 1

def test_same_cell():
    assert torches(["~"], (0, 0), (0, 0)) == 0

def test_spiral():
    assert expedition([
        ".......",
        ".#####.",
        ".#E...~",
        ".###~#.",
        "S~~~~#.",
    ]) == 1

def test_find():
    assert find(["..", ".x"], "x") == (1, 1)
    assert find([".."], "x") is None
""",
    ),
    Program(
        name="hamper_knapsack",
        code=r'''"""Packing a picnic hamper: the most enjoyment for a limited weight."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Treat:
    """Something that may be packed once."""

    name: str
    weight: int
    joy: int

    def __post_init__(self):
        if self.weight <= 0:
            raise ValueError("a treat must weigh something")


def best_joy(treats, limit):
    """Return the greatest total joy of treats that weigh at most ``limit``.

    Every treat is there once.
    """
    if limit < 0:
        raise ValueError("limit must not be negative")
    best = [0] * (limit + 1)
    for treat in treats:
        for room in range(treat.weight, limit + 1):
            best[room] = max(best[room], best[room - treat.weight] + treat.joy)
    return best[limit]


def pack(treats, limit):
    """Return the names of a best choice, in the order of ``treats``.

    A treat that is not needed for the greatest joy is left at home; the
    earlier treats are the first to be left.
    """
    treats = list(treats)
    chosen = []
    goal = best_joy(treats, limit)
    for index, treat in enumerate(treats):
        rest = treats[index + 1:]
        if best_joy(rest, limit) == goal:
            continue
        chosen.append(treat.name)
        limit -= treat.weight
        goal -= treat.joy
    return chosen


def weight_of(treats, names):
    """Return the total weight of the named treats."""
    weights = {treat.name: treat.weight for treat in treats}
    return sum(weights[name] for name in names)
''',
        wrong="        for room in range(treat.weight, limit + 1):",
        right="        for room in range(limit, treat.weight - 1, -1):",
        visible="""
PIE = Treat("pie", 3, 30)
JAM = Treat("jam", 2, 10)
TEA = Treat("tea", 4, 35)

def test_only_once():
    assert best_joy([PIE], 9) == 30

def test_all_fit_exactly():
    assert best_joy([PIE, JAM, TEA], 9) == 75

def test_nothing_fits():
    assert best_joy([PIE, JAM], 1) == 0

def test_one_of_two():
    assert best_joy([PIE, TEA], 4) == 35

def test_weight():
    assert weight_of([PIE, JAM], ["jam"]) == 2

def test_bad():
    with pytest.raises(ValueError):
        best_joy([], -1)
""",
        hidden="""
import itertools

def brute(treats, limit):
    best = 0
    for number in range(len(treats) + 1):
        for choice in itertools.combinations(treats, number):
            if sum(t.weight for t in choice) <= limit:
                best = max(best, sum(t.joy for t in choice))
    return best

def test_brute():
    treats = [Treat(str(i), (i * 5) % 7 + 1, (i * 11) % 13 + 1) for i in range(8)]
    for limit in range(0, 30):
        assert best_joy(treats, limit) == brute(treats, limit)

def test_light_treat():
    assert best_joy([Treat("nut", 1, 5)], 10) == 5

def test_same_twice_listed():
    nut = Treat("nut", 1, 5)
    assert best_joy([nut, nut], 10) == 10

def test_pack():
    treats = [Treat("a", 2, 3), Treat("b", 3, 4), Treat("c", 4, 6)]
    assert pack(treats, 6) == ["a", "c"]

def test_pack_everything():
    treats = [Treat("a", 2, 3), Treat("b", 3, 4)]
    assert pack(treats, 50) == ["a", "b"]

def test_empty():
    assert best_joy([], 5) == 0
    assert pack([], 5) == []

def test_zero_limit():
    assert best_joy([Treat("a", 1, 1)], 0) == 0
""",
    ),
    Program(
        name="dye_recipes",
        code=r'''"""Enumerates the recipes with which a dyer can mix a given strength."""


def recipes(dyes, strength, most=None):
    """Return all ways to reach a strength by spoons of the given dyes.

    ``dyes`` maps names to the strength of one spoon. A recipe is a list of
    names in alphabetical order; a dye may be used several times. At most
    ``most`` spoons are used, if that is given.
    """
    for name, power in dyes.items():
        if power <= 0:
            raise ValueError(f"{name} has no strength")
    names = sorted(dyes)
    found = []
    spoons = []

    def mix(first, left):
        if left == 0:
            found.append(spoons)
            return
        if most is not None and len(spoons) == most:
            return
        for index in range(first, len(names)):
            power = dyes[names[index]]
            if power > left:
                continue
            spoons.append(names[index])
            mix(index, left - power)
            spoons.pop()

    mix(0, strength)
    return found


def count(dyes, strength):
    """Return the number of recipes for a strength."""
    return len(recipes(dyes, strength))


def fewest_spoons(dyes, strength):
    """Return the smallest number of spoons in a recipe, or None."""
    return min((len(recipe) for recipe in recipes(dyes, strength)), default=None)


def describe(recipe):
    """Return a recipe as text, such as '2 indigo, 1 madder'."""
    parts = []
    for name in dict.fromkeys(recipe):
        parts.append(f"{recipe.count(name)} {name}")
    return ", ".join(parts) or "nothing"
''',
        wrong="            found.append(spoons)",
        right="            found.append(spoons[:])",
        visible="""
DYES = {"weld": 3, "indigo": 5, "madder": 2}

def test_recipes():
    assert recipes(DYES, 5) == [["indigo"], ["madder", "weld"]]

def test_count():
    assert count(DYES, 6) == 2

def test_fewest():
    assert fewest_spoons(DYES, 10) == 2

def test_describe():
    assert describe(["indigo", "indigo", "weld"]) == "2 indigo, 1 weld"

def test_impossible():
    assert recipes(DYES, 1) == []
    assert fewest_spoons(DYES, 1) is None
""",
        hidden="""
def test_one_dye():
    assert recipes({"weld": 2}, 6) == [["weld", "weld", "weld"]]

def test_most():
    dyes = {"a": 1, "b": 2}
    assert recipes(dyes, 4, most=3) == [["a", "a", "b"], ["b", "b"]]

def test_independent_lists():
    found = recipes({"a": 1, "b": 1}, 1)
    found[0].append("x")
    assert found[1] == ["b"]

def test_fewest_many():
    assert fewest_spoons({"a": 1, "b": 4, "c": 6}, 8) == 2

def test_described():
    texts = [describe(r) for r in recipes({"madder": 2, "weld": 3}, 6)]
    assert texts == ["3 madder", "2 weld"]

def test_nothing():
    assert recipes({"a": 1}, 0) == [[]]
    assert describe([]) == "nothing"

def test_weak():
    with pytest.raises(ValueError):
        recipes({"water": 0}, 3)
""",
    ),
    Program(
        name="mosaic_paths",
        code=r'''"""Counts the routes of an ant over a mosaic, only to the right and downwards."""

CRACK = "x"


def parse(text):
    """Turn a drawing into rows; the rows must be equally long."""
    rows = text.split()
    if not rows or len({len(row) for row in rows}) != 1:
        raise ValueError("a mosaic is a rectangle")
    return rows


def route_table(rows):
    """Return, for each tile, the number of routes from the top left to it.

    Cracked tiles cannot be entered; their number is 0.
    """
    height, width = len(rows), len(rows[0])
    table = [[0] * width] * height
    for y in range(height):
        for x in range(width):
            if rows[y][x] == CRACK:
                table[y][x] = 0
            elif y == 0 and x == 0:
                table[y][x] = 1
            else:
                above = table[y - 1][x] if y else 0
                before = table[y][x - 1] if x else 0
                table[y][x] = above + before
    return table


def routes(text):
    """Return the number of routes from the top left to the bottom right."""
    return route_table(parse(text))[-1][-1]


def busiest(text):
    """Return the (row, column) of the tile the most routes lead to.

    Of several such tiles the uppermost counts, then the leftmost one. The
    bottom right tile is left out of account unless it is the only tile.
    """
    rows = parse(text)
    table = route_table(rows)
    last = (len(rows) - 1, len(rows[0]) - 1)
    tiles = [(y, x) for y in range(len(rows)) for x in range(len(rows[0]))]
    if len(tiles) > 1:
        tiles.remove(last)
    return max(tiles, key=lambda tile: table[tile[0]][tile[1]])


def unreachable(text):
    """Return the number of sound tiles to which no route leads."""
    rows = parse(text)
    table = route_table(rows)
    return sum(
        sign != CRACK and number == 0
        for row, numbers in zip(rows, table)
        for sign, number in zip(row, numbers)
    )
''',
        wrong="    table = [[0] * width] * height",
        right="    table = [[0] * width for _ in range(height)]",
        visible="""
def test_small():
    assert routes(".. ..") == 2

def test_cracked():
    assert routes("... .x. ...") == 2

def test_table():
    assert route_table(["...", "..."]) == [[1, 1, 1], [1, 2, 3]]

def test_unreachable():
    assert unreachable(".x. ...") == 1

def test_not_a_rectangle():
    with pytest.raises(ValueError):
        parse("... ..")
""",
        hidden="""
def test_square():
    assert route_table(["...", "...", "..."]) == [[1, 1, 1], [1, 2, 3], [1, 3, 6]]

def test_table_with_crack():
    assert route_table(["..", "x."]) == [[1, 1], [0, 1]]

def test_unreachable_corner():
    assert unreachable(".x.. .x.. ....") == 4

def test_busiest():
    assert busiest("... ... ...") == (1, 2)

def test_busiest_row_above():
    assert busiest("... .xx ...") == (0, 0)

def test_single():
    assert routes(".") == 1
    assert busiest(".") == (0, 0)

def test_larger():
    assert routes("..... ..... ..... .....") == 35
""",
    ),
    Program(
        name="lighthouse_keepers",
        code=r'''"""Choosing lighthouses along a coast to be lit, with a limited crew.

Neighbouring lighthouses disturb each other's bearings, so no two lighthouses
next to each other may be lit.
"""


def best_reach(reaches, crew):
    """Return the greatest total reach of at most ``crew`` lit lighthouses.

    ``reaches`` lists the reach of each lighthouse along the coast.
    """
    if crew < 0:
        raise ValueError("crew must not be negative")
    memo = {}

    def best(index, left):
        if index >= len(reaches) or left == 0:
            return 0
        key = index
        if key not in memo:
            dark = best(index + 1, left)
            lit = reaches[index] + best(index + 2, left - 1)
            memo[key] = max(dark, lit)
        return memo[key]

    return best(0, crew)


def crew_needed(reaches, wanted):
    """Return the smallest crew with which a total reach is possible, or None."""
    for crew in range(len(reaches) + 1):
        if best_reach(reaches, crew) >= wanted:
            return crew
    return None


def gains(reaches):
    """Return how much each further keeper adds, until nothing is gained."""
    added = []
    before = 0
    crew = 1
    while True:
        total = best_reach(reaches, crew)
        if total == before:
            return added
        added.append(total - before)
        before = total
        crew += 1
''',
        wrong="        key = index\n",
        right="        key = index, left\n",
        visible="""
def test_one_keeper():
    assert best_reach([4, 9, 6], 1) == 9

def test_two_keepers():
    assert best_reach([4, 1, 6], 2) == 10

def test_neighbours_disturb():
    assert best_reach([5, 5, 5, 5], 4) == 10

def test_crew_is_limited():
    assert best_reach([3, 1, 8, 1, 7, 1, 2], 2) == 15

def test_no_crew():
    assert best_reach([3, 4], 0) == 0
    with pytest.raises(ValueError):
        best_reach([3], -1)

def test_crew_needed():
    assert crew_needed([2, 9, 2], 9) == 1
    assert crew_needed([2, 3], 50) is None
""",
        hidden="""
import itertools

def brute(reaches, crew):
    best = 0
    for number in range(min(crew, len(reaches)) + 1):
        for choice in itertools.combinations(range(len(reaches)), number):
            if all(b - a > 1 for a, b in zip(choice, choice[1:])):
                best = max(best, sum(reaches[i] for i in choice))
    return best

def test_brute():
    for seed in range(12):
        reaches = [(seed * 7 + i * i * 5) % 17 + 1 for i in range(9)]
        for crew in range(6):
            assert best_reach(reaches, crew) == brute(reaches, crew)

def test_six():
    assert best_reach([10, 1, 1, 9, 1, 8], 2) == 19

def test_three():
    assert best_reach([10, 1, 1, 9, 1, 8], 3) == 27

def test_gains():
    assert gains([10, 1, 9, 1, 8]) == [10, 9, 8]

def test_gains_empty():
    assert gains([]) == []

def test_needed():
    assert crew_needed([10, 1, 9, 1, 8, 1, 7], 27) == 3
    assert crew_needed([10, 1, 9], 0) == 0
""",
    ),
    Program(
        name="abacus_calculator",
        code=r'''"""A calculator for terms such as '-2 ^ 2 + 3 * (4 - 1)'.

From the loosest to the tightest: + and -, then * and /, then the sign, then
the power ^. The power is taken from the right: 2 ^ 3 ^ 2 is 2 ^ 9. An
exponent may have a sign of its own. The result is a Fraction.
"""

import re
from fractions import Fraction

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|(.))")


def tokens(text):
    """Split a term into numbers (Fraction) and signs (str)."""
    found = []
    for number, sign in TOKEN.findall(text.rstrip()):
        found.append(Fraction(number) if number else sign)
    return found


class _Reader:
    def __init__(self, text):
        self.tokens = tokens(text)
        self.tokens.append("")
        self.at = 0

    def take(self, *signs):
        token = self.tokens[self.at]
        if token in signs:
            self.at += 1
            return token
        return None

    def sum(self):
        value = self.product()
        while sign := self.take("+", "-"):
            other = self.product()
            value = value + other if sign == "+" else value - other
        return value

    def product(self):
        value = self.signed()
        while sign := self.take("*", "/"):
            other = self.signed()
            value = value * other if sign == "*" else value / other
        return value

    def signed(self):
        if self.take("-"):
            return -self.signed()
        return self.power()

    def power(self):
        base = self.atom()
        if self.take("^"):
            return base ** self.atom()
        return base

    def atom(self):
        token = self.tokens[self.at]
        self.at += 1
        if isinstance(token, Fraction):
            return token
        if token != "(":
            raise ValueError(f"unexpected {token or 'end'}")
        value = self.sum()
        if not self.take(")"):
            raise ValueError("a parenthesis is not closed")
        return value


def calculate(text):
    """Return the value of a term."""
    reader = _Reader(text)
    value = reader.sum()
    if reader.take("") is None:
        raise ValueError(f"unexpected {reader.tokens[reader.at]}")
    return value
''',
        wrong="            return base ** self.atom()",
        right="            return base ** self.signed()",
        visible="""
def test_sums():
    assert calculate("1 + 2 * 3 - 4") == 3

def test_parentheses():
    assert calculate("(1 + 2) * (3 - 4)") == -3

def test_sign_and_power():
    assert calculate("-2 ^ 2") == -4

def test_power_from_the_right():
    assert calculate("2 ^ 3 ^ 2") == 512

def test_negative_exponent():
    assert calculate("2 ^ -1") == Fraction(1, 2)

def test_trailing():
    with pytest.raises(ValueError):
        calculate("1 2")
""",
        hidden="""
def test_tower():
    assert calculate("2 ^ 2 ^ 2 ^ 1") == 16

def test_tower_in_sum():
    assert calculate("1 + 3 ^ 1 ^ 5 * 2") == 7

def test_negative_exponent_in_product():
    assert calculate("10 ^ -2 * 300") == 3

def test_double_sign():
    assert calculate("--3") == 3
    assert calculate("4 ^ --2") == 16

def test_parenthesised_power():
    assert calculate("(2 ^ 3) ^ 2") == 64
    assert calculate("(-2) ^ 2") == 4

def test_division():
    assert calculate("1 / 4 / 2") == Fraction(1, 8)

def test_decimal():
    assert calculate("0.5 * 3") == Fraction(3, 2)

def test_broken():
    for text in ("", "1 +", "(1", "2 ^", ")"):
        with pytest.raises(ValueError):
            calculate(text)
""",
    ),
    Program(
        name="quoted_fields",
        code=r'''"""Reads and writes lines of delimited fields, some of them in quotes.

Inside a quoted field, the delimiter is an ordinary sign and a doubled quote
stands for one quote.
"""

QUOTE = '"'


def split_line(line, delimiter=","):
    """Return the fields of a line."""
    fields = []
    field = []
    quoted = False
    at = 0
    while at < len(line):
        sign = line[at]
        if quoted:
            if sign != QUOTE:
                field.append(sign)
            elif line[at + 1:at + 2] == QUOTE:
                field.append(QUOTE)
            else:
                quoted = False
        elif sign == QUOTE and not field:
            quoted = True
        elif sign == delimiter:
            fields.append("".join(field))
            field = []
        else:
            field.append(sign)
        at += 1
    if quoted:
        raise ValueError("a quote is not closed")
    fields.append("".join(field))
    return fields


def quote(field, delimiter=","):
    """Return a field as it is written: quoted only if need be."""
    if delimiter in field or QUOTE in field or field != field.strip():
        return QUOTE + field.replace(QUOTE, QUOTE * 2) + QUOTE
    return field


def join_line(fields, delimiter=","):
    """Write fields as a line from which ``split_line`` gets them back."""
    return delimiter.join(quote(field, delimiter) for field in fields)


def records(text, delimiter=","):
    """Read a text with a heading line; return a dict for each further line."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return []
    names = split_line(lines[0], delimiter)
    return [dict(zip(names, split_line(line, delimiter))) for line in lines[1:]]
''',
        wrong="                field.append(QUOTE)\n",
        right="                field.append(QUOTE)\n                at += 1\n",
        visible='''
def test_plain():
    assert split_line("a,b,,c") == ["a", "b", "", "c"]

def test_quoted_delimiter():
    assert split_line('"a,b",c') == ["a,b", "c"]

def test_doubled_quote():
    assert split_line('"say ""hi""",x') == ['say "hi"', "x"]

def test_open_quote():
    with pytest.raises(ValueError):
        split_line('"abc')

def test_join():
    assert join_line(["a", "b,c", 'd"e']) == 'a,"b,c","d""e"'
''',
        hidden='''
def test_only_a_quote():
    assert split_line('""""') == ['"']

def test_empty_quoted():
    assert split_line('"",x') == ["", "x"]

def test_quote_within():
    assert split_line('"6"" nail",12') == ['6" nail', "12"]

def test_round_trip():
    for fields in (['a"b', "c"], ['""', ""], [" x ", 'y",'], ["p", "q"]):
        assert split_line(join_line(fields)) == fields

def test_other_delimiter():
    assert split_line('"a;""b""";c,d', ";") == ['a;"b"', "c,d"]

def test_records():
    text = 'name,size\\n"bolt ""A""",3\\n\\nnut,4\\n'
    assert records(text) == [{"name": 'bolt "A"', "size": "3"}, {"name": "nut", "size": "4"}]

def test_no_records():
    assert records("") == []

def test_open_after_doubled():
    with pytest.raises(ValueError):
        split_line('"a""')
''',
    ),
    Program(
        name="almanac_settings",
        code=r'''"""Reads the settings of a printed almanac.

The text consists of [sections] with lines 'key = value'. Lines that begin
with '#' or ';' are remarks. A value may contain any signs; an indented line
continues the value of the line before, joined by a blank.
"""


class SettingsError(ValueError):
    """The text is not a proper list of settings."""

    def __init__(self, number, message):
        super().__init__(f"line {number}: {message}")
        self.number = number


def read(text):
    """Return the settings as a dict of sections, each a dict of values."""
    sections = {}
    section = None
    key = None
    for number, line in enumerate(text.splitlines(), 1):
        content = line.strip()
        if not content:
            key = None
            continue
        if content[0] in "#;":
            continue
        if line[0].isspace() and key is not None:
            section[key] += " " + content
            continue
        if content.startswith("["):
            if not content.endswith("]"):
                raise SettingsError(number, "section is not closed")
            section = sections.setdefault(content[1:-1].strip(), {})
            key = None
            continue
        if section is None:
            raise SettingsError(number, "no section yet")
        if "=" not in content:
            raise SettingsError(number, "no '='")
        key, value = content.rsplit("=", 1)
        key = key.strip().lower()
        section[key] = value.strip()
    return sections


def flag(value):
    """Return the truth of a value such as 'yes' or 'off'."""
    word = value.lower()
    if word in ("yes", "on", "true", "1"):
        return True
    if word in ("no", "off", "false", "0"):
        return False
    raise ValueError(f"neither yes nor no: {value}")
''',
        wrong='        key, value = content.rsplit("=", 1)',
        right='        key, value = content.split("=", 1)',
        visible="""
def test_sections():
    text = "[moon]\\nPhase = full\\n[sun]\\nrise=6:12\\n"
    assert read(text) == {"moon": {"phase": "full"}, "sun": {"rise": "6:12"}}

def test_remarks_and_continuation():
    text = "[notes]\\n# a remark\\ntext = sow the\\n    beans\\n"
    assert read(text) == {"notes": {"text": "sow the beans"}}

def test_formula():
    text = "[tide]\\nrule = high = moon + 50\\n"
    assert read(text) == {"tide": {"rule": "high = moon + 50"}}

def test_no_section():
    with pytest.raises(SettingsError) as caught:
        read("\\na = 1")
    assert caught.value.number == 2

def test_flag():
    assert flag("Yes") is True
    assert flag("off") is False
""",
        hidden="""
def test_address():
    text = "[print]\\nurl = http://x.test/?a=1&b=2\\n"
    assert read(text) == {"print": {"url": "http://x.test/?a=1&b=2"}}

def test_value_of_equals_signs():
    assert read("[r]\\nrule = ===") == {"r": {"rule": "==="}}

def test_empty_value():
    assert read("[r]\\nx =") == {"r": {"x": ""}}

def test_empty_value_and_more():
    assert read("[r]\\nx ==") == {"r": {"x": "="}}

def test_continuation_with_equals():
    assert read("[r]\\nx = a=b\\n  c=d") == {"r": {"x": "a=b c=d"}}

def test_section_again():
    assert read("[r]\\na=1\\n[s]\\n[r]\\nb=2") == {"r": {"a": "1", "b": "2"}, "s": {}}

def test_no_equals():
    with pytest.raises(SettingsError):
        read("[r]\\nnothing")

def test_open_section():
    with pytest.raises(SettingsError):
        read("[r")
""",
    ),
    Program(
        name="knitting_pattern",
        code=r'''"""Reads knitting patterns such as 'k2 3(p k) yo' into single stitches.

A stitch is a word of letters; a number behind it repeats it. A number before
a parenthesis repeats the group, which may contain further groups.
"""


class PatternError(ValueError):
    """The pattern cannot be read."""


def expand(pattern):
    """Return the list of the single stitches of a pattern."""
    stitches, at = _group(pattern, 0)
    if at < len(pattern):
        raise PatternError(f"unexpected ) at {at}")
    return stitches


def _number(pattern, at):
    """Read a number (1 if there is none); return it and where it ends."""
    value = 0
    begin = at
    while at < len(pattern) and pattern[at].isdigit():
        value = 10 * value + int(pattern[at])
        at += 1
    return (value if at > begin else 1), at


def _word(pattern, at):
    begin = at
    while at < len(pattern) and pattern[at].isalpha():
        at += 1
    return pattern[begin:at], at


def _group(pattern, at):
    """Read up to the end or to a closing parenthesis (which is not eaten)."""
    stitches = []
    while at < len(pattern) and pattern[at] != ")":
        if pattern[at].isspace():
            at += 1
        elif pattern[at].isalpha():
            word, at = _word(pattern, at)
            times, at = _number(pattern, at)
            stitches += [word] * times
        elif pattern[at].isdigit() or pattern[at] == "(":
            times, at = _number(pattern, at)
            if pattern[at:at + 1] != "(":
                raise PatternError(f"expected ( at {at}")
            inner, at = _group(pattern, at + 1)
            if at == len(pattern):
                raise PatternError("a group is not closed")
            stitches = inner * times
            at += 1
        else:
            raise PatternError(f"unexpected {pattern[at]} at {at}")
    return stitches, at


def tally(pattern):
    """Return how often each stitch occurs in a pattern."""
    counts = {}
    for stitch in expand(pattern):
        counts[stitch] = counts.get(stitch, 0) + 1
    return counts
''',
        wrong="            stitches = inner * times",
        right="            stitches += inner * times",
        visible="""
def test_stitches():
    assert expand("k2 p yo") == ["k", "k", "p", "yo"]

def test_group():
    assert expand("3(p k)") == ["p", "k"] * 3

def test_group_in_the_middle():
    assert expand("k2 2(p) k") == ["k", "k", "p", "p", "k"]

def test_open_group():
    with pytest.raises(PatternError):
        expand("2(k p")

def test_tally():
    assert tally("k12 p3 k") == {"k": 13, "p": 3}
""",
        hidden="""
def test_two_groups():
    assert expand("2(k)3(p)") == ["k", "k", "p", "p", "p"]

def test_nested():
    assert expand("2(k 2(p yo))") == ["k", "p", "yo", "p", "yo"] * 2

def test_nested_first():
    assert expand("2(2(p) k)") == ["p", "p", "k"] * 2

def test_group_without_number():
    assert expand("k (p p) k") == ["k", "p", "p", "k"]

def test_zero_group():
    assert expand("k 0(p) k2") == ["k", "k", "k"]

def test_tally_groups():
    assert tally("k3 10(p2 k) ssk") == {"k": 13, "p": 20, "ssk": 1}

def test_stray():
    for pattern in ("k)", "3 k", "k + p", "4"):
        with pytest.raises(PatternError):
            expand(pattern)

def test_empty():
    assert expand("") == []
""",
    ),
    Program(
        name="broadsheet_columns",
        code=r'''"""Sets the text of a broadsheet in justified columns."""


def break_lines(text, width):
    """Break a text into lists of words that fit into lines of a width.

    As many words as possible go into each line; a word that is too long gets
    a line of its own.
    """
    lines = []
    line = []
    length = 0
    for word in text.split():
        if line and length + 1 + len(word) > width:
            lines.append(line)
            line, length = [], 0
        length += len(word) + (1 if line else 0)
        line.append(word)
    if line:
        lines.append(line)
    return lines


def spread(words, width):
    """Set words so that they fill the width exactly.

    The gaps differ by one blank at most; the wider ones are on the left. A
    single word stays at the left and is followed by blanks.
    """
    if len(words) == 1:
        return words[0].ljust(width)
    blanks = width - sum(map(len, words))
    gap, extra = divmod(blanks, len(words) - 1)
    line = words[0]
    for index, word in enumerate(words[1:]):
        line += " " * (gap + (index <= extra)) + word
    return line


def justify(text, width):
    """Return the lines of a text; all but the last one are justified."""
    if width < 1:
        raise ValueError("a column needs a width")
    lines = break_lines(text, width)
    if not lines:
        return []
    return [spread(words, width) for words in lines[:-1]] + [" ".join(lines[-1])]


def side_by_side(left, right, width, gutter=" | "):
    """Return two columns of lines as one list of lines."""
    height = max(len(left), len(right))
    rows = []
    for index in range(height):
        one = left[index] if index < len(left) else ""
        other = right[index] if index < len(right) else ""
        rows.append((one.ljust(width) + gutter + other).rstrip())
    return rows
''',
        wrong="(index <= extra)",
        right="(index < extra)",
        visible="""
def test_break():
    assert break_lines("the quick brown fox", 9) == [["the", "quick"], ["brown", "fox"]]

def test_even_gaps():
    assert spread(["a", "b", "c"], 7) == "a  b  c"

def test_wider_gaps_on_the_left():
    assert spread(["aa", "b", "c", "d"], 12) == "aa   b  c  d"

def test_single_word():
    assert spread(["herald"], 8) == "herald  "

def test_last_line():
    assert justify("to be", 20) == ["to be"]

def test_side_by_side():
    assert side_by_side(["ab", "c"], ["x"], 3) == ["ab  | x", "c   |"]
""",
        hidden="""
def test_two_words():
    assert spread(["ab", "cd"], 9) == "ab     cd"

def test_widths_are_exact():
    words = ["one", "two", "six", "ten"]
    for width in range(15, 30):
        assert len(spread(words, width)) == width

def test_two_extra():
    assert spread(["a", "b", "c", "d"], 9) == "a  b  c d"

def test_justify():
    text = "It was the best of times it was"
    assert justify(text, 10) == ["It was the", "best    of", "times   it", "was"]

def test_just_fits():
    assert spread(["a", "b", "c"], 5) == "a b c"

def test_long_word():
    assert break_lines("a incomprehensible b", 5) == [["a"], ["incomprehensible"], ["b"]]

def test_empty():
    assert justify("  ", 5) == []
    with pytest.raises(ValueError):
        justify("a", 0)
""",
    ),
    Program(
        name="outline_numbers",
        code=r'''"""Numbers the headings of a manuscript.

A heading line begins with one '=' per level and a blank. The levels are
numbered 1, 1.1, 1.1.1 and so on; each heading begins the numbers of the
deeper levels anew.
"""

DEEPEST = 4


def level_of(line):
    """Return the level of a heading line, or 0 for an ordinary line."""
    signs = len(line) - len(line.lstrip("="))
    if signs and line[signs:signs + 1] == " ":
        return signs
    return 0


class Numbering:
    """Hands out the numbers of headings, one after another."""

    def __init__(self):
        self._counts = [0] * DEEPEST

    def next(self, level):
        """Return the number of the next heading of a level."""
        if not 1 <= level <= DEEPEST:
            raise ValueError(f"no level {level}")
        if level > 1 and self._counts[level - 2] == 0:
            raise ValueError(f"level {level} comes without level {level - 1}")
        self._counts[level - 1] += 1
        return ".".join(str(count) for count in self._counts[:level])


def number_headings(text):
    """Return the text with numbered headings instead of the signs."""
    numbering = Numbering()
    lines = []
    for line in text.splitlines():
        level = level_of(line)
        if level:
            line = f"{numbering.next(level)} {line[level:].strip()}"
        lines.append(line)
    return "\n".join(lines)


def contents(text):
    """Return the table of contents: the numbered headings, indented."""
    numbering = Numbering()
    entries = []
    for line in text.splitlines():
        level = level_of(line)
        if level:
            number = numbering.next(level)
            entries.append("  " * (level - 1) + f"{number} {line[level:].strip()}")
    return entries
''',
        wrong="        self._counts[level - 1] += 1\n",
        right="        self._counts[level - 1] += 1\n        self._counts[level:] = [0] * (DEEPEST - level)\n",
        visible="""
def test_levels():
    assert level_of("== Rivers") == 2
    assert level_of("plain") == 0
    assert level_of("=close") == 0

def test_flat():
    assert number_headings("= A\\ntext\\n= B") == "1 A\\ntext\\n2 B"

def test_sub():
    assert number_headings("= A\\n== B\\n== C") == "1 A\\n1.1 B\\n1.2 C"

def test_sub_begins_anew():
    assert contents("= A\\n== B\\n= C\\n== D") == ["1 A", "  1.1 B", "2 C", "  2.1 D"]

def test_skipped_level():
    with pytest.raises(ValueError):
        number_headings("= A\\n=== B")
""",
        hidden="""
def test_three_levels():
    numbering = Numbering()
    got = [numbering.next(level) for level in (1, 2, 3, 3, 2, 3, 1, 2, 3)]
    assert got == ["1", "1.1", "1.1.1", "1.1.2", "1.2", "1.2.1", "2", "2.1", "2.1.1"]

def test_deep_return():
    numbering = Numbering()
    got = [numbering.next(level) for level in (1, 2, 3, 4, 1, 2, 3, 4)]
    assert got[-1] == "2.1.1.1"

def test_skipped_after_return():
    numbering = Numbering()
    for level in (1, 2, 3, 1):
        numbering.next(level)
    with pytest.raises(ValueError):
        numbering.next(3)

def test_upper_levels_stay():
    numbering = Numbering()
    for level in (1, 1, 2, 2, 3):
        last = numbering.next(level)
    assert last == "2.2.1"

def test_text():
    text = "= One\\n== a\\nwords\\n= Two\\n== b\\n== c"
    assert number_headings(text) == "1 One\\n1.1 a\\nwords\\n2 Two\\n2.1 b\\n2.2 c"

def test_bad_levels():
    with pytest.raises(ValueError):
        Numbering().next(0)
    with pytest.raises(ValueError):
        number_headings("===== deep")
""",
    ),
    Program(
        name="market_table",
        code=r'''"""Prints price lists of a weekly market as plain text tables."""


def cell_text(value):
    """Return a value as it is shown: two decimals for floats, '-' for None."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.2f}"
    return str(value)


def is_number(value):
    """Tell whether a value is set to the right (numbers, but not truths)."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def table(headings, rows):
    """Return the lines of a table.

    Each column is as wide as its widest text, the heading included. Columns
    that consist of numbers (and None) only are set to the right. Two blanks
    are between columns; no line ends with blanks.
    """
    for row in rows:
        if len(row) != len(headings):
            raise ValueError("a row does not match the headings")
    texts = [[cell_text(value) for value in row] for row in rows]
    widths = []
    right = []
    for index, heading in enumerate(headings):
        column = [row[index] for row in texts]
        widths.append(max(map(len, column), default=len(heading)))
        values = [row[index] for row in rows if row[index] is not None]
        right.append(bool(values) and all(map(is_number, values)))

    def line(cells):
        parts = []
        for cell, width, to_right in zip(cells, widths, right):
            parts.append(cell.rjust(width) if to_right else cell.ljust(width))
        return "  ".join(parts).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return [line(headings), rule] + [line(row) for row in texts]


def price_list(prices):
    """Return the table of a dict of prices, the cheapest first."""
    rows = sorted(prices.items(), key=lambda item: (item[1], item[0]))
    return "\n".join(table(["goods", "price"], rows))
''',
        wrong="        widths.append(max(map(len, column), default=len(heading)))",
        right="        widths.append(max(map(len, column + [heading])))",
        visible="""
def test_cells():
    assert [cell_text(v) for v in (None, 1.5, 3, "x")] == ["-", "1.50", "3", "x"]

def test_wide_cells():
    assert table(["a", "b"], [["leek", 12], ["pea", 3]]) == [
        "a      b",
        "----  --",
        "leek  12",
        "pea    3",
    ]

def test_wide_heading():
    assert table(["goods", "number"], [["pea", 3]]) == [
        "goods  number",
        "-----  ------",
        "pea         3",
    ]

def test_no_rows():
    assert table(["goods", "price"], []) == ["goods  price", "-----  -----"]

def test_mismatch():
    with pytest.raises(ValueError):
        table(["a"], [[1, 2]])
""",
        hidden="""
def test_one_wide_heading():
    assert table(["n", "weight"], [[100, 7], [5, 12]]) == [
        "  n  weight",
        "---  ------",
        "100       7",
        "  5      12",
    ]

def test_price_list():
    assert price_list({"fig": 0.5, "nut": 0.25}) == "\\n".join([
        "goods  price",
        "-----  -----",
        "nut     0.25",
        "fig     0.50",
    ])

def test_equal_widths():
    assert table(["abc"], [["xyz"]]) == ["abc", "---", "xyz"]

def test_none_column():
    assert table(["note"], [[None]]) == ["note", "----", "-"]

def test_truth_is_text():
    assert table(["organic", "x"], [[True, 1]]) == ["organic  x", "-------  -", "True     1"]

def test_none_among_numbers():
    assert table(["p"], [[10], [None]]) == [" p", "--", "10", " -"]
""",
    ),
    Program(
        name="archive_sizes",
        code=r'''"""Writes the sizes of archived scans for human readers."""

UNITS = ("B", "kB", "MB", "GB", "TB")
STEP = 1000


def human(size):
    """Return a size in bytes as a text such as '512 B' or '1.5 MB'.

    Bytes are whole; the other units have one decimal, which is rounded. The
    number shown is always below 1000 (except for TB, the largest unit).
    """
    if size < 0:
        return "-" + human(-size)
    if size < STEP:
        return f"{size} B"
    amount = float(size)
    unit = 0
    while amount >= STEP and unit < len(UNITS) - 1:
        amount /= STEP
        unit += 1
    return f"{amount:.1f} {UNITS[unit]}"


def parse(text):
    """Return the size in bytes that a text such as '1.5 MB' stands for."""
    number, _, unit = text.strip().partition(" ")
    unit = unit.strip() or "B"
    for index, known in enumerate(UNITS):
        if unit.lower() == known.lower():
            return round(float(number) * STEP ** index)
    raise ValueError(f"unknown unit: {unit}")


def listing(files):
    """Return lines with the sizes of files, the largest first, and the sum."""
    ordered = sorted(files.items(), key=lambda item: (-item[1], item[0]))
    shown = [(human(size), name) for name, size in ordered]
    shown.append((human(sum(files.values())), "total"))
    width = max(len(size) for size, _ in shown)
    return [f"{size:>{width}}  {name}" for size, name in shown]
''',
        wrong="    while amount >= STEP and unit < len(UNITS) - 1:",
        right="    while round(amount, 1) >= STEP and unit < len(UNITS) - 1:",
        visible="""
def test_bytes():
    assert human(0) == "0 B"
    assert human(999) == "999 B"

def test_units():
    assert human(1500) == "1.5 kB"
    assert human(2_340_000) == "2.3 MB"

def test_rounded_up():
    assert human(999_990) == "1.0 MB"

def test_parse():
    assert parse("1.5 MB") == 1_500_000
    with pytest.raises(ValueError):
        parse("3 stone")

def test_listing():
    assert listing({"a": 10, "b": 2000}) == ["2.0 kB  b", "  10 B  a", "2.0 kB  total"]
""",
        hidden="""
def test_rounded_up_mega():
    assert human(999_999_999) == "1.0 GB"

def test_not_quite():
    assert human(999_900) == "999.9 kB"
    assert human(999_940) == "999.9 kB"

def test_rounded_up_negative():
    assert human(-999_999) == "-1.0 MB"

def test_exact_steps():
    assert [human(1000 ** n) for n in range(1, 5)] == ["1.0 kB", "1.0 MB", "1.0 GB", "1.0 TB"]

def test_largest_unit():
    assert human(5 * 10 ** 15) == "5000.0 TB"

def test_listing_rounds():
    assert listing({"x": 499_995, "y": 499_994}) == [
        "500.0 kB  x",
        "500.0 kB  y",
        "  1.0 MB  total",
    ]

def test_parse_plain():
    assert parse("77") == 77
    assert parse(" 2 kb ") == 2000
""",
    ),
    Program(
        name="seed_kiosk",
        code=r'''"""A vending machine for seed packets in a botanical garden."""

COINS = (200, 100, 50, 20, 10)


class KioskError(Exception):
    """The kiosk cannot do what it was asked."""


class Kiosk:
    """Sells packets; amounts are in cents.

    The state is 'idle' without credit and 'paid' with some.
    """

    def __init__(self, prices, stock):
        self._prices = dict(prices)
        self._stock = dict(stock)
        self.credit = 0
        self.takings = 0

    @property
    def state(self):
        """Tell whether there is credit."""
        return "paid" if self.credit else "idle"

    def insert(self, coin):
        """Take a coin and return the credit."""
        if coin not in COINS:
            raise KioskError(f"no such coin: {coin}")
        self.credit += coin
        return self.credit

    def choose(self, packet):
        """Sell a packet; return the change as a list of coins.

        After a sale the kiosk is idle. If there is no such packet (left) or
        too little credit, the credit stays.
        """
        if not self._stock.get(packet):
            raise KioskError(f"no {packet} left")
        price = self._prices[packet]
        if self.credit < price:
            raise KioskError(f"{price - self.credit} cents are missing")
        self._stock[packet] -= 1
        self.takings += price
        change = self._coins(self.credit - price)
        self.credit -= price
        return change

    def cancel(self):
        """Give the credit back as a list of coins."""
        change = self._coins(self.credit)
        self.credit = 0
        return change

    def left(self, packet):
        """Return how many packets of a kind are left."""
        return self._stock.get(packet, 0)

    @staticmethod
    def _coins(amount):
        coins = []
        for coin in COINS:
            number, amount = divmod(amount, coin)
            coins += [coin] * number
        return coins
''',
        wrong="        self.credit -= price\n",
        right="        self.credit = 0\n",
        visible="""
def kiosk():
    return Kiosk({"poppy": 150, "cress": 80}, {"poppy": 2, "cress": 1})

def test_exact():
    machine = kiosk()
    machine.insert(100)
    machine.insert(50)
    assert machine.choose("poppy") == []
    assert machine.state == "idle"
    assert machine.left("poppy") == 1

def test_change():
    machine = kiosk()
    machine.insert(200)
    assert machine.choose("cress") == [100, 20]
    assert machine.state == "idle"
    assert machine.takings == 80

def test_missing():
    machine = kiosk()
    machine.insert(50)
    with pytest.raises(KioskError):
        machine.choose("cress")
    assert machine.credit == 50

def test_cancel():
    machine = kiosk()
    machine.insert(20)
    machine.insert(100)
    assert machine.cancel() == [100, 20]
    assert machine.state == "idle"

def test_wrong_coin():
    with pytest.raises(KioskError):
        kiosk().insert(5)
""",
        hidden="""
def kiosk():
    return Kiosk({"poppy": 150, "cress": 80}, {"poppy": 5, "cress": 1})

def test_no_second_packet():
    machine = kiosk()
    machine.insert(200)
    machine.insert(100)
    assert machine.choose("poppy") == [100, 50]
    with pytest.raises(KioskError):
        machine.choose("poppy")
    assert machine.left("poppy") == 4

def test_no_change_twice():
    machine = kiosk()
    machine.insert(200)
    assert machine.choose("poppy") == [50]
    assert machine.cancel() == []

def test_next_customer():
    machine = kiosk()
    machine.insert(100)
    machine.choose("cress")
    assert machine.insert(50) == 50

def test_sold_out_keeps_credit():
    machine = kiosk()
    machine.insert(100)
    machine.choose("cress")
    machine.insert(100)
    with pytest.raises(KioskError):
        machine.choose("cress")
    assert machine.cancel() == [100]

def test_takings():
    machine = kiosk()
    for coin in (100, 50):
        machine.insert(coin)
    machine.choose("poppy")
    machine.insert(100)
    machine.choose("cress")
    assert machine.takings == 230

def test_unknown():
    machine = kiosk()
    with pytest.raises(KioskError):
        machine.choose("rose")
    assert machine.left("rose") == 0
""",
    ),
    Program(
        name="lichen_growth",
        code=r'''"""A cellular model of lichen on a round stone (the edges are joined)."""


class Stone:
    """A grid of cells, each bare or covered with lichen.

    A bare cell with exactly three covered neighbours is covered next; a
    covered cell stays so with two or three covered neighbours. Neighbours
    are the eight cells around, where the grid continues at the opposite edge.
    """

    def __init__(self, drawing):
        rows = drawing.split()
        if len({len(row) for row in rows}) != 1:
            raise ValueError("the drawing is not a rectangle")
        if len(rows) < 3 or len(rows[0]) < 3:
            raise ValueError("the stone is too small")
        self.height = len(rows)
        self.width = len(rows[0])
        self.covered = {
            (y, x)
            for y, row in enumerate(rows)
            for x, sign in enumerate(row)
            if sign == "o"
        }

    def neighbours(self, y, x):
        """Return the number of covered neighbours of a cell."""
        count = 0
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                cell = ((y + down) % self.height, (x + right) % self.width)
                if (down and right) and cell in self.covered:
                    count += 1
        return count

    def step(self):
        """Let one season pass."""
        following = set()
        for y in range(self.height):
            for x in range(self.width):
                count = self.neighbours(y, x)
                if count == 3 or count == 2 and (y, x) in self.covered:
                    following.add((y, x))
        self.covered = following

    def run(self, limit):
        """Let seasons pass until nothing changes; return their number.

        After ``limit`` seasons the watch is given up and None returned.
        """
        for season in range(limit):
            before = self.covered
            self.step()
            if self.covered == before:
                return season
        return None

    def __str__(self):
        return "\n".join(
            "".join("o" if (y, x) in self.covered else "." for x in range(self.width))
            for y in range(self.height)
        )
''',
        wrong="                if (down and right) and cell in self.covered:",
        right="                if (down or right) and cell in self.covered:",
        visible="""
def test_drawing():
    assert str(Stone("..o ... o..")) == "..o\\n...\\no.."

def test_straight_neighbours():
    stone = Stone("..... ..o.. .oo.. ..... .....")
    assert stone.neighbours(1, 1) == 3
    assert stone.neighbours(1, 2) == 2

def test_blinker():
    stone = Stone("..... ..o.. ..o.. ..o.. .....")
    stone.step()
    assert str(stone).split() == [".....", ".....", ".ooo.", ".....", "....."]

def test_lonely_cell_dies():
    stone = Stone("... .o. ...")
    assert stone.run(10) == 1
    assert stone.covered == set()

def test_too_small():
    with pytest.raises(ValueError):
        Stone(".. ..")
""",
        hidden="""
def test_block_is_still():
    stone = Stone("..... .oo.. .oo.. ..... .....")
    assert stone.run(5) == 0
    assert len(stone.covered) == 4

def test_all_around():
    assert Stone("ooo ooo ooo").neighbours(1, 1) == 8

def test_edges_are_joined():
    stone = Stone("o...o ..... ..... ..... o...o")
    assert stone.neighbours(0, 0) == 3
    assert stone.run(3) == 0

def test_self_does_not_count():
    assert Stone(".... .o.. .... ....").neighbours(1, 1) == 0

def test_diagonal_only():
    assert Stone("o.o.. ..... o.o.. ..... .....").neighbours(1, 1) == 4

def test_glider():
    stone = Stone("...... ..o... ...o.. .ooo.. ...... ......")
    before = {(y + 1, x + 1) for y, x in stone.covered}
    for _ in range(4):
        stone.step()
    assert stone.covered == before

def test_never_ending():
    assert Stone("..... ..o.. ..o.. ..o.. .....").run(8) is None
""",
    ),
    Program(
        name="lock_signal",
        code=r'''"""The light signal of a canal lock, simulated second by second or in leaps."""


class Signal:
    """Shows its phases one after another, over and over again.

    ``phases`` is a list of (name, seconds). Time may pass in steps of any
    size; what remains of a step belongs to the following phase.
    """

    def __init__(self, phases):
        if not phases or any(seconds <= 0 for _, seconds in phases):
            raise ValueError("phases must last some time")
        self._phases = list(phases)
        self._index = 0
        self._elapsed = 0
        self.history = [self.phase]

    @property
    def phase(self):
        """The name of the present phase."""
        return self._phases[self._index][0]

    @property
    def remaining(self):
        """The seconds that are left of the present phase."""
        return self._phases[self._index][1] - self._elapsed

    def wait(self, seconds):
        """Let time pass; return the phase that is shown then."""
        if seconds < 0:
            raise ValueError("time does not run backwards")
        self._elapsed += seconds
        while self.remaining <= 0:
            self._advance()
        return self.phase

    def skip(self):
        """End the present phase at once (the keeper's button)."""
        self._elapsed = self._phases[self._index][1]
        self._advance()
        return self.phase

    def _advance(self):
        self._elapsed = 0
        self._index = (self._index + 1) % len(self._phases)
        self.history.append(self.phase)


def phase_at(phases, second):
    """Return the phase that is shown at a second after the start."""
    return Signal(phases).wait(second)
''',
        wrong="        self._elapsed = 0\n        self._index = (",
        right="        self._elapsed -= self._phases[self._index][1]\n        self._index = (",
        visible="""
PHASES = [("red", 30), ("both", 5), ("green", 20)]

def test_start():
    signal = Signal(PHASES)
    assert signal.phase == "red"
    assert signal.remaining == 30

def test_single_seconds():
    signal = Signal(PHASES)
    for _ in range(35):
        signal.wait(1)
    assert signal.phase == "green"

def test_leap():
    signal = Signal(PHASES)
    assert signal.wait(33) == "both"
    assert signal.remaining == 2

def test_long_leap():
    assert phase_at(PHASES, 40) == "green"

def test_skip():
    signal = Signal(PHASES)
    signal.wait(12)
    assert signal.skip() == "both"
    assert signal.remaining == 5

def test_backwards():
    with pytest.raises(ValueError):
        Signal(PHASES).wait(-1)
""",
        hidden="""
PHASES = [("stop", 10), ("ready", 2), ("go", 8)]

def test_round():
    assert phase_at(PHASES, 20) == "stop"
    assert phase_at(PHASES, 31) == "ready"

def test_every_second():
    names = ["stop"] * 10 + ["ready"] * 2 + ["go"] * 8
    for second in range(70):
        assert phase_at(PHASES, second) == names[second % 20]

def test_steps_of_three():
    signal = Signal(PHASES)
    got = [signal.wait(3) for _ in range(7)]
    assert got == ["stop", "stop", "stop", "go", "go", "go", "stop"]
    assert signal.remaining == 9

def test_history():
    signal = Signal(PHASES)
    signal.wait(25)
    assert signal.history == ["stop", "ready", "go", "stop"]

def test_skip_twice():
    signal = Signal(PHASES)
    signal.wait(4)
    signal.skip()
    assert signal.skip() == "go"
    assert signal.remaining == 8

def test_exact_end():
    signal = Signal(PHASES)
    assert signal.wait(10) == "ready"
    assert signal.remaining == 2

def test_no_phases():
    with pytest.raises(ValueError):
        Signal([])
    with pytest.raises(ValueError):
        Signal([("red", 0)])
""",
    ),
    Program(
        name="airlock_doors",
        code=r'''"""The control of an airlock: never are both of its doors open.

States: 'sealed' (air inside), 'inner' (inner door open), 'vacuum' (pumped
out), 'outer' (outer door open). A door must be shut before anything else
happens, and the outer door opens only to the vacuum. Whoever shuts the inner
door has air in the lock, whoever shuts the outer door has not.
"""

RULES = {
    ("sealed", "open inner"): "inner",
    ("inner", "shut inner"): "sealed",
    ("sealed", "pump"): "vacuum",
    ("vacuum", "flood"): "sealed",
    ("vacuum", "open outer"): "outer",
    ("outer", "shut outer"): "sealed",
}


class Refused(Exception):
    """A command is not allowed in the present state."""


class Airlock:
    """Carries out commands and keeps a log of them."""

    def __init__(self, state="sealed"):
        if state not in {start for start, _ in RULES}:
            raise ValueError(f"no such state: {state}")
        self.state = state
        self.log = []

    def command(self, command):
        """Carry out a command and return the new state."""
        if (self.state, command) not in RULES:
            raise Refused(f"{command} while {self.state}")
        before, self.state = self.state, RULES[self.state, command]
        self.log.append((before, command, self.state))
        return self.state

    def allowed(self):
        """Return the commands that are allowed now, sorted."""
        return sorted(command for state, command in RULES if state == self.state)


def plan(start, goal):
    """Return a shortest list of commands from a state to another."""
    paths = {start: []}
    queue = [start]
    for state in queue:
        if state == goal:
            return paths[state]
        for (source, command), target in RULES.items():
            if source == state and target not in paths:
                paths[target] = paths[state] + [command]
                queue.append(target)
    raise ValueError(f"no way to {goal}")
''',
        wrong='    ("outer", "shut outer"): "sealed",',
        right='    ("outer", "shut outer"): "vacuum",',
        visible="""
def test_inner():
    lock = Airlock()
    assert lock.command("open inner") == "inner"
    assert lock.command("shut inner") == "sealed"

def test_way_out():
    assert plan("inner", "outer") == ["shut inner", "pump", "open outer"]

def test_way_in():
    assert plan("outer", "inner") == ["shut outer", "flood", "open inner"]

def test_refused():
    lock = Airlock()
    with pytest.raises(Refused):
        lock.command("open outer")
    assert lock.state == "sealed"
    assert lock.log == []

def test_allowed():
    assert Airlock("vacuum").allowed() == ["flood", "open outer"]
""",
        hidden="""
def test_shut_outer():
    lock = Airlock("outer")
    assert lock.command("shut outer") == "vacuum"

def test_inner_stays_shut_after_outer():
    lock = Airlock("outer")
    lock.command("shut outer")
    with pytest.raises(Refused):
        lock.command("open inner")

def test_outer_again():
    lock = Airlock("vacuum")
    for command in ("open outer", "shut outer", "open outer"):
        lock.command(command)
    assert lock.state == "outer"

def test_log():
    lock = Airlock()
    for command in ("pump", "open outer", "shut outer", "flood"):
        lock.command(command)
    assert [entry[2] for entry in lock.log] == ["vacuum", "outer", "vacuum", "sealed"]

def test_plan_short():
    assert plan("outer", "sealed") == ["shut outer", "flood"]
    assert plan("inner", "inner") == []

def test_no_state():
    with pytest.raises(ValueError):
        Airlock("open")
    with pytest.raises(ValueError):
        plan("sealed", "moon")

def test_allowed_when_open():
    assert Airlock("inner").allowed() == ["shut inner"]
    assert Airlock("outer").allowed() == ["shut outer"]
""",
    ),
    Program(
        name="barge_loan",
        code=r'''"""Repayment plans for barge loans, in whole cents."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal


@dataclass(frozen=True)
class Row:
    """One month of a plan; payment = interest + principal."""

    month: int
    payment: int
    interest: int
    principal: int
    balance: int


def monthly_interest(balance, percent):
    """Return one month's interest on a balance, rounded half up to cents.

    ``percent`` is the rate per year, as a text or whole number.
    """
    exact = Decimal(balance) * Decimal(percent) / 1200
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def plan(loan, percent, payment):
    """Return the rows of a loan that is paid back in equal payments.

    The last payment is smaller, if need be: it settles the rest together
    with the interest of that month.
    """
    if payment <= monthly_interest(loan, percent):
        raise ValueError("the payment does not even cover the interest")
    rows = []
    balance = loan
    while balance > 0:
        interest = monthly_interest(balance, percent)
        paid = min(payment, balance)
        principal = paid - interest
        balance -= principal
        rows.append(Row(len(rows) + 1, paid, interest, principal, balance))
    return rows


def total_interest(rows):
    """Return the interest that is paid over a whole plan."""
    return sum(row.interest for row in rows)


def balance_after(rows, loan, months):
    """Return what is still owed after a number of months."""
    if months <= 0:
        return loan
    return rows[months - 1].balance if months <= len(rows) else 0
''',
        wrong="        paid = min(payment, balance)",
        right="        paid = min(payment, balance + interest)",
        visible="""
def test_interest():
    assert monthly_interest(100000, 6) == 500
    assert monthly_interest(100, 6) == 1

def test_no_interest():
    rows = plan(1000, 0, 400)
    assert [row.payment for row in rows] == [400, 400, 200]

def test_last_payment():
    rows = plan(100000, 12, 60000)
    assert [(row.payment, row.balance) for row in rows] == [(60000, 41000), (41410, 0)]

def test_too_small():
    with pytest.raises(ValueError):
        plan(100000, 12, 1000)

def test_balance_after():
    rows = plan(1000, 0, 400)
    assert [balance_after(rows, 1000, n) for n in range(5)] == [1000, 600, 200, 0, 0]
""",
        hidden="""
def test_one_payment():
    assert plan(10000, 12, 50000) == [Row(1, 10100, 100, 10000, 0)]

def test_sums():
    rows = plan(250000, "4.5", 30000)
    assert sum(row.principal for row in rows) == 250000
    assert sum(row.payment for row in rows) == 250000 + total_interest(rows)
    assert rows[-1].balance == 0
    assert all(row.payment == 30000 for row in rows[:-1])

def test_rest_between_balance_and_payment():
    rows = plan(100000, 12, 100500)
    assert [(r.payment, r.balance) for r in rows] == [(100500, 500), (505, 0)]

def test_exact_end():
    assert plan(100000, 12, 101000) == [Row(1, 101000, 1000, 100000, 0)]

def test_three_months():
    rows = plan(30000, 12, 11000)
    assert [r.interest for r in rows] == [300, 193, 85]
    assert rows[-1].payment == 8578

def test_total_interest_none():
    assert total_interest(plan(900, 0, 300)) == 0

def test_half_up():
    assert monthly_interest(50, 12) == 1
    assert monthly_interest(49, 12) == 0
""",
    ),
    Program(
        name="tenancy_dates",
        code=r'''"""Dates of tenancies: terms of whole months, notice periods, rent days."""

import calendar
from datetime import date, timedelta


def days_in(year, month):
    """Return the number of days of a month."""
    return calendar.monthrange(year, month)[1]


def add_months(day, months):
    """Return the day a number of months later (or earlier, if negative).

    If the month in question is too short, its last day is meant.
    """
    year, month = divmod(day.year * 12 + day.month + months, 12)
    month += 1
    return date(year, month, min(day.day, days_in(year, month)))


def last_day(start, months):
    """Return the last day of a tenancy of some months that begins at start."""
    return add_months(start, months) - timedelta(days=1)


def months_between(start, end):
    """Return the number of whole months from start to end (start <= end)."""
    if end < start:
        raise ValueError("the end is before the start")
    months = (end.year - start.year) * 12 + end.month - start.month
    if end.day < start.day and end.day != days_in(end.year, end.month):
        months -= 1
    return months


def end_of_notice(given, months):
    """Return when a notice takes effect: at the end of a month.

    The notice period begins with the month after the one in which the notice
    is given, and lasts some months.
    """
    year, month = divmod(given.year * 12 + given.month - 1 + months, 12)
    return date(year, month + 1, days_in(year, month + 1))


def rent_days(start, months):
    """Return the days on which rent falls due: the first one is the start."""
    return [add_months(start, number) for number in range(months)]
''',
        wrong="    year, month = divmod(day.year * 12 + day.month + months, 12)",
        right="    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)",
        visible="""
def test_add():
    assert add_months(date(2023, 3, 15), 2) == date(2023, 5, 15)

def test_short_month():
    assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)

def test_notice():
    assert end_of_notice(date(2023, 11, 20), 3) == date(2024, 2, 29)

def test_between():
    assert months_between(date(2023, 1, 15), date(2023, 4, 14)) == 2
    with pytest.raises(ValueError):
        months_between(date(2023, 2, 1), date(2023, 1, 1))

def test_days():
    assert days_in(2023, 2) == 28
""",
        hidden="""
def test_over_the_year():
    assert add_months(date(2023, 11, 5), 3) == date(2024, 2, 5)

def test_into_december():
    assert add_months(date(2023, 10, 31), 2) == date(2023, 12, 31)
    assert add_months(date(2023, 12, 1), 0) == date(2023, 12, 1)

def test_back():
    assert add_months(date(2024, 3, 31), -1) == date(2024, 2, 29)
    assert add_months(date(2024, 1, 10), -1) == date(2023, 12, 10)

def test_whole_years():
    assert add_months(date(2024, 2, 29), 12) == date(2025, 2, 28)
    assert add_months(date(2024, 2, 29), 48) == date(2028, 2, 29)

def test_last_day():
    assert last_day(date(2023, 1, 1), 12) == date(2023, 12, 31)

def test_rent_days():
    assert rent_days(date(2023, 1, 31), 3) == [
        date(2023, 1, 31), date(2023, 2, 28), date(2023, 3, 31),
    ]

def test_between_more():
    assert months_between(date(2023, 1, 31), date(2023, 2, 28)) == 1
    assert months_between(date(2022, 12, 1), date(2023, 12, 1)) == 12

def test_notice_in_december():
    assert end_of_notice(date(2023, 12, 31), 1) == date(2024, 1, 31)
""",
    ),
    Program(
        name="supper_shares",
        code=r'''"""Splits the bill of a shared supper into whole cents."""

from fractions import Fraction


def split(total, weights):
    """Split a total (in cents) in proportion to the weights of the guests.

    ``weights`` maps guests to whole numbers. Each share is first rounded
    down; the cents that are left go, one each, to the guests who lost the
    most by that (in the order of ``weights`` if they lost the same).
    """
    if total < 0:
        raise ValueError("a bill is not negative")
    heads = sum(weights.values())
    if heads <= 0 or min(weights.values()) < 0:
        raise ValueError("nobody to pay")
    exact = {guest: Fraction(total * weight, heads) for guest, weight in weights.items()}
    shares = {guest: share.numerator // share.denominator for guest, share in exact.items()}
    left = total - sum(shares.values())
    by_loss = sorted(weights, key=lambda guest: exact[guest] - shares[guest])
    for guest in by_loss[:left]:
        shares[guest] += 1
    return shares


def with_tip(total, percent):
    """Return a total with a tip, rounded up to ten cents."""
    tipped = Fraction(total * (100 + percent), 100)
    return -(-tipped // 10) * 10


def settle(paid, shares):
    """Return the (debtor, creditor, cents) payments that settle a supper.

    ``paid`` tells what the guests have laid out. Debtors and creditors are
    dealt with in alphabetical order.
    """
    names = sorted(set(paid) | set(shares))
    balance = {name: paid.get(name, 0) - shares.get(name, 0) for name in names}
    if sum(balance.values()) != 0:
        raise ValueError("what was paid is not what was shared")
    payments = []
    for debtor in names:
        for creditor in names:
            cents = min(-balance[debtor], balance[creditor])
            if cents > 0:
                payments.append((debtor, creditor, cents))
                balance[debtor] += cents
                balance[creditor] -= cents
    return payments
''',
        wrong="key=lambda guest: exact[guest] - shares[guest])",
        right="key=lambda guest: exact[guest] - shares[guest], reverse=True)",
        visible="""
def test_even():
    assert split(900, {"Ann": 1, "Bob": 1, "Cid": 1}) == {"Ann": 300, "Bob": 300, "Cid": 300}

def test_same_loss():
    assert split(100, {"Ann": 1, "Bob": 1, "Cid": 1}) == {"Ann": 34, "Bob": 33, "Cid": 33}

def test_largest_loss():
    assert split(100, {"Ann": 1, "Bob": 5}) == {"Ann": 17, "Bob": 83}

def test_largest_loss_of_three():
    assert split(10, {"Ann": 3, "Bob": 2, "Cid": 2}) == {"Ann": 4, "Bob": 3, "Cid": 3}

def test_tip():
    assert with_tip(1000, 7) == 1070
    assert with_tip(1001, 10) == 1110

def test_settle():
    assert settle({"Ann": 30}, {"Ann": 10, "Bob": 10, "Cid": 10}) == [
        ("Bob", "Ann", 10), ("Cid", "Ann", 10),
    ]
""",
        hidden="""
def test_unequal():
    assert split(101, {"p": 5, "q": 3, "r": 2}) == {"p": 51, "q": 30, "r": 20}

def test_one_cent():
    assert split(1, {"p": 1, "q": 9}) == {"p": 0, "q": 1}

def test_two_cents_left():
    assert split(11, {"a": 4, "b": 1, "c": 4}) == {"a": 5, "b": 1, "c": 5}

def test_sum_is_kept():
    for total in range(0, 200, 7):
        shares = split(total, {"a": 7, "b": 11, "c": 3, "d": 5})
        assert sum(shares.values()) == total

def test_same_loss_order():
    assert split(2, {"z": 1, "y": 1, "x": 1}) == {"z": 1, "y": 1, "x": 0}

def test_nothing_weighs_nothing():
    assert split(50, {"a": 0, "b": 2}) == {"a": 0, "b": 50}

def test_bad():
    with pytest.raises(ValueError):
        split(10, {"a": 0})
    with pytest.raises(ValueError):
        split(-1, {"a": 1})

def test_settle_mismatch():
    with pytest.raises(ValueError):
        settle({"a": 5}, {"b": 4})
""",
    ),
    Program(
        name="tide_offsets",
        code=r'''"""Clock times of tides, computed from a standard port by offsets.

A time is given as minutes since the midnight at which a table begins;
negative minutes lie before that.
"""

import re

DAY = 24 * 60


def clock(minutes):
    """Return minutes as (day, 'hh:mm'); the table's first day is day 0.

    The time half an hour before the table begins is (-1, '23:30').
    """
    day = int(minutes / DAY)
    hours, rest = divmod(minutes - day * DAY, 60)
    return day, f"{hours:02d}:{rest:02d}"


def minutes(text):
    """Return the minutes of an 'hh:mm' time."""
    match = re.fullmatch(r"(\d\d?):(\d\d)", text)
    if not match or int(match[1]) > 23 or int(match[2]) > 59:
        raise ValueError(f"not a time: {text}")
    return int(match[1]) * 60 + int(match[2])


def offset(text):
    """Return the minutes of an offset such as '+1:05' or '-0:40'."""
    sign, rest = text[:1], text[1:]
    if sign not in ("+", "-"):
        raise ValueError(f"an offset needs a sign: {text}")
    return minutes(rest) if sign == "+" else -minutes(rest)


def shift(tides, difference):
    """Return the tides of another port as a list of (day, 'hh:mm').

    ``tides`` are (day, 'hh:mm') of the standard port, ``difference`` is an
    offset text.
    """
    return [clock(day * DAY + minutes(time) + offset(difference)) for day, time in tides]


def on_day(tides, difference, wanted):
    """Return the times of the tides that fall on a day at another port."""
    return [time for day, time in shift(tides, difference) if day == wanted]
''',
        wrong="    day = int(minutes / DAY)",
        right="    day = minutes // DAY",
        visible="""
def test_clock():
    assert clock(0) == (0, "00:00")
    assert clock(1505) == (1, "01:05")

def test_before_the_table():
    assert clock(-30) == (-1, "23:30")

def test_offset():
    assert offset("-0:40") == -40
    assert offset("+1:05") == 65

def test_shift_over_midnight():
    assert shift([(0, "23:30")], "+1:00") == [(1, "00:30")]

def test_shift_back():
    assert shift([(0, "00:10"), (0, "12:30")], "-0:25") == [(-1, "23:45"), (0, "12:05")]

def test_bad_time():
    with pytest.raises(ValueError):
        minutes("24:00")
""",
        hidden="""
def test_minus_one():
    assert clock(-1) == (-1, "23:59")

def test_whole_day_back():
    assert clock(-1440) == (-1, "00:00")

def test_more_than_a_day_back():
    assert clock(-1441) == (-2, "23:59")
    assert clock(-2000) == (-2, "14:40")

def test_last_minute():
    assert clock(1439) == (0, "23:59")
    assert clock(2880) == (2, "00:00")

def test_on_day():
    tides = [(0, "00:15"), (0, "06:20"), (1, "00:50"), (1, "07:00")]
    assert on_day(tides, "-1:00", 0) == ["05:20", "23:50"]
    assert on_day(tides, "-1:00", -1) == ["23:15"]

def test_on_day_forward():
    assert on_day([(0, "11:00"), (0, "23:45")], "+0:20", 1) == ["00:05"]

def test_bad_offset():
    with pytest.raises(ValueError):
        offset("0:20")
    with pytest.raises(ValueError):
        minutes("7:5")
""",
    ),
    Program(
        name="dredging_windows",
        code=r'''"""Working windows of dredgers in a harbour basin, as (start, end) hours.

A window includes its start but not its end.
"""


def check(windows):
    """Raise ValueError unless all windows have a positive length."""
    for start, end in windows:
        if end <= start:
            raise ValueError(f"bad window: {start} to {end}")


def merge(windows):
    """Return the windows united: sorted, without overlaps.

    Windows that only touch are united, too.
    """
    check(windows)
    merged = []
    for start, end in sorted(windows):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def busy_hours(windows):
    """Return for how many hours at least one dredger works."""
    return sum(end - start for start, end in merge(windows))


def overlap(one, other):
    """Return the windows in which dredgers of both lists work."""
    one, other = merge(one), merge(other)
    common = []
    i = j = 0
    while i < len(one) and j < len(other):
        start = max(one[i][0], other[j][0])
        end = min(one[i][1], other[j][1])
        if start < end:
            common.append((start, end))
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    return common


def is_working(windows, hour):
    """Tell whether a dredger works at the given hour."""
    return any(start <= hour < end for start, end in windows)


def longest_pause(windows):
    """Return the longest pause between windows (0 if there is none)."""
    merged = merge(windows)
    pauses = [after[0] - before[1] for before, after in zip(merged, merged[1:])]
    return max(pauses, default=0)
''',
        wrong="            merged[-1] = (merged[-1][0], end)",
        right="            merged[-1] = (merged[-1][0], max(merged[-1][1], end))",
        visible="""
def test_overlapping():
    assert merge([(5, 9), (1, 6)]) == [(1, 9)]

def test_touching():
    assert merge([(1, 3), (3, 4), (6, 7)]) == [(1, 4), (6, 7)]

def test_window_within_another():
    assert merge([(1, 10), (3, 5)]) == [(1, 10)]

def test_overlap():
    assert overlap([(0, 4), (6, 9)], [(3, 7)]) == [(3, 4), (6, 7)]

def test_pause():
    assert longest_pause([(0, 2), (3, 4), (9, 10)]) == 5
    assert longest_pause([]) == 0

def test_bad():
    with pytest.raises(ValueError):
        merge([(4, 4)])
""",
        hidden="""
def test_busy_within():
    assert busy_hours([(0, 12), (2, 4), (6, 8)]) == 12

def test_within_then_overlapping():
    assert merge([(0, 10), (1, 2), (9, 12)]) == [(0, 12)]

def test_same_start():
    assert merge([(2, 9), (2, 3)]) == [(2, 9)]

def test_pause_within():
    assert longest_pause([(0, 10), (1, 2), (11, 12)]) == 1

def test_overlap_within():
    assert overlap([(0, 10), (2, 3)], [(5, 20), (6, 7)]) == [(5, 10)]

def test_apart():
    assert merge([(8, 9), (1, 2)]) == [(1, 2), (8, 9)]

def test_input_is_untouched():
    windows = [(5, 6), (1, 2)]
    merge(windows)
    assert windows == [(5, 6), (1, 2)]

def test_is_working():
    assert is_working([(1, 3)], 1)
    assert not is_working([(1, 3)], 3)
""",
    ),
    Program(
        name="rehearsal_rooms",
        code=r'''"""Gives the rehearsals of an opera house to as few rooms as possible."""

import heapq
from dataclasses import dataclass


@dataclass(frozen=True)
class Rehearsal:
    """A rehearsal from start to end (minutes, the end not included)."""

    title: str
    start: int
    end: int

    def __post_init__(self):
        if self.end <= self.start:
            raise ValueError(f"{self.title} has no duration")


def assign(rehearsals):
    """Return a dict of the room number (from 1) of each title.

    Rehearsals are dealt with by start, then by title. A room can be used
    again from the minute in which its rehearsal ends; of several free rooms
    the lowest number is taken.
    """
    rooms = {}
    occupied = []
    free = []
    opened = 0
    for rehearsal in sorted(rehearsals, key=lambda r: (r.start, r.title)):
        while occupied and occupied[0][0] < rehearsal.start:
            _, room = heapq.heappop(occupied)
            heapq.heappush(free, room)
        if free:
            room = heapq.heappop(free)
        else:
            opened += 1
            room = opened
        rooms[rehearsal.title] = room
        heapq.heappush(occupied, (rehearsal.end, room))
    return rooms


def rooms_needed(rehearsals):
    """Return how many rooms are needed."""
    return max(assign(rehearsals).values(), default=0)


def day_sheet(rehearsals):
    """Return a dict of the titles in each room, in the order of time."""
    rooms = assign(rehearsals)
    sheet = {room: [] for room in sorted(set(rooms.values()))}
    for rehearsal in sorted(rehearsals, key=lambda r: r.start):
        sheet[rooms[rehearsal.title]].append(rehearsal.title)
    return sheet


def clashes(rehearsals, singers):
    """Return the (title, title) pairs that overlap and share a singer.

    ``singers`` maps titles to sets of names. Titles are in order of start.
    """
    ordered = sorted(rehearsals, key=lambda r: (r.start, r.title))
    pairs = []
    for index, first in enumerate(ordered):
        for second in ordered[index + 1:]:
            if second.start >= first.end:
                break
            if singers.get(first.title, set()) & singers.get(second.title, set()):
                pairs.append((first.title, second.title))
    return pairs
''',
        wrong="        while occupied and occupied[0][0] < rehearsal.start:",
        right="        while occupied and occupied[0][0] <= rehearsal.start:",
        visible="""
TOSCA = Rehearsal("Tosca", 600, 720)
AIDA = Rehearsal("Aida", 660, 780)
NORMA = Rehearsal("Norma", 720, 800)

def test_overlapping():
    assert assign([TOSCA, AIDA]) == {"Tosca": 1, "Aida": 2}

def test_one_after_another():
    assert assign([TOSCA, NORMA]) == {"Tosca": 1, "Norma": 1}

def test_needed():
    assert rooms_needed([TOSCA, AIDA, NORMA]) == 2

def test_apart():
    assert rooms_needed([TOSCA, Rehearsal("Fidelio", 900, 960)]) == 1

def test_clashes():
    singers = {"Tosca": {"Lind"}, "Aida": {"Lind", "Patti"}, "Norma": {"Lind"}}
    assert clashes([TOSCA, AIDA, NORMA], singers) == [("Tosca", "Aida"), ("Aida", "Norma")]

def test_no_duration():
    with pytest.raises(ValueError):
        Rehearsal("Nabucco", 5, 5)
""",
        hidden="""
def test_all_day_in_a_row():
    day = [Rehearsal(str(i), i * 60, i * 60 + 60) for i in range(8)]
    assert rooms_needed(day) == 1

def test_one_minute_too_early():
    assert rooms_needed([Rehearsal("a", 0, 61), Rehearsal("b", 60, 90)]) == 2

def test_lowest_free_room():
    day = [
        Rehearsal("a", 0, 100),
        Rehearsal("b", 0, 50),
        Rehearsal("c", 0, 50),
        Rehearsal("d", 50, 70),
    ]
    assert assign(day) == {"a": 1, "b": 2, "c": 3, "d": 2}

def test_sheet():
    day = [Rehearsal("x", 0, 10), Rehearsal("y", 5, 15), Rehearsal("z", 10, 20)]
    assert day_sheet(day) == {1: ["x", "z"], 2: ["y"]}

def test_both_end_at_once():
    day = [Rehearsal("a", 0, 9), Rehearsal("b", 0, 9), Rehearsal("c", 9, 12), Rehearsal("d", 9, 12)]
    assert assign(day) == {"a": 1, "b": 2, "c": 1, "d": 2}

def test_three_at_once():
    assert rooms_needed([Rehearsal(t, 0, 10) for t in "pqr"]) == 3

def test_empty():
    assert rooms_needed([]) == 0
    assert day_sheet([]) == {}
""",
    ),
    Program(
        name="observatory_slots",
        code=r'''"""Finds free observing slots of a telescope between booked ones.

All times are minutes; a (start, end) slot does not include its end.
"""


def free_slots(bookings, opening, closing, shortest=1):
    """Return the free slots between opening and closing, in order.

    ``bookings`` may overlap, come in any order and lie partly or wholly
    outside the opening time. Slots shorter than ``shortest`` are left out.
    """
    if closing <= opening:
        raise ValueError("the dome never opens")
    slots = []
    cursor = opening
    for start, end in sorted(bookings):
        if end <= opening or start >= closing:
            break
        if start - cursor >= shortest:
            slots.append((cursor, start))
        cursor = max(cursor, end)
    if closing - cursor >= shortest:
        slots.append((cursor, closing))
    return slots


def first_fit(bookings, opening, closing, duration):
    """Return the first slot of exactly a duration, or None."""
    for start, _ in free_slots(bookings, opening, closing, duration):
        return start, start + duration
    return None


def book(bookings, opening, closing, duration):
    """Return the bookings with a further one at the first possible time."""
    slot = first_fit(bookings, opening, closing, duration)
    if slot is None:
        raise LookupError(f"no {duration} minutes are free")
    return sorted([*bookings, slot])


def load(bookings, opening, closing):
    """Return the share of the opening time that is booked (0.0 to 1.0)."""
    free = sum(end - start for start, end in free_slots(bookings, opening, closing))
    return 1 - free / (closing - opening)
''',
        wrong="            break\n",
        right="            continue\n",
        visible="""
def test_gaps():
    assert free_slots([(30, 40), (10, 20)], 0, 60) == [(0, 10), (20, 30), (40, 60)]

def test_shortest():
    assert free_slots([(5, 20), (30, 55)], 0, 60, shortest=10) == [(20, 30)]

def test_booking_before_opening():
    assert free_slots([(0, 50), (120, 150)], 100, 200) == [(100, 120), (150, 200)]

def test_partly_outside():
    assert free_slots([(90, 110), (190, 220)], 100, 200) == [(110, 190)]

def test_book():
    assert book([(0, 10)], 0, 30, 15) == [(0, 10), (10, 25)]
    with pytest.raises(LookupError):
        book([(0, 20)], 0, 30, 15)

def test_load():
    assert load([(0, 25)], 0, 100) == 0.25
""",
        hidden="""
def test_two_before_opening():
    assert free_slots([(0, 10), (20, 30), (60, 70)], 50, 100) == [(50, 60), (70, 100)]

def test_ends_at_opening():
    assert free_slots([(0, 50), (50, 80)], 50, 100) == [(80, 100)]

def test_after_closing():
    assert free_slots([(110, 120), (60, 70)], 50, 100) == [(50, 60), (70, 100)]

def test_load_with_early_booking():
    assert load([(0, 40), (50, 100)], 50, 150) == 0.5

def test_first_fit():
    assert first_fit([(0, 20), (50, 65)], 50, 100, 20) == (65, 85)

def test_fully_booked():
    assert free_slots([(0, 10), (40, 200)], 50, 100) == []

def test_nested():
    assert free_slots([(10, 50), (20, 30)], 0, 60) == [(0, 10), (50, 60)]

def test_no_bookings():
    assert free_slots([], 5, 9) == [(5, 9)]
    with pytest.raises(ValueError):
        free_slots([], 9, 9)
""",
    ),
    Program(
        name="kiln_reminders",
        code=r'''"""A timetable of reminders for the firings of a pottery kiln."""

import heapq
import itertools


class Scheduler:
    """Runs actions at their minutes; time passes only by ``run_until``."""

    def __init__(self):
        self.now = 0
        self._queue = []
        self._numbers = itertools.count()

    def at(self, minute, action):
        """Have an action (a function without arguments) run at a minute."""
        if minute < self.now:
            raise ValueError("that time is over")
        heapq.heappush(self._queue, (minute, next(self._numbers), action))

    def run_until(self, minute):
        """Run the actions due up to a minute, in order of time.

        Actions of the same minute run in the order in which they were added.
        """
        while self._queue and self._queue[0][0] <= minute:
            self.now, _, action = heapq.heappop(self._queue)
            action()
        self.now = max(self.now, minute)

    def waiting(self):
        """Return the number of actions that are still to run."""
        return len(self._queue)


class Kiln:
    """A kiln that notes down what the potter has to do, and when."""

    def __init__(self, scheduler):
        self._scheduler = scheduler
        self.notes = []

    def note(self, text):
        """Write down a text together with the present minute."""
        self.notes.append((self._scheduler.now, text))

    def fire(self, start, stages):
        """Plan a firing: ``stages`` are (name, minutes) one after another.

        A note 'begin <name>' is made as each stage begins, and 'open kiln'
        after the last one. Return the minute of the end.
        """
        minute = start
        for name, duration in stages:
            self._scheduler.at(minute, lambda: self.note(f"begin {name}"))
            minute += duration
        self._scheduler.at(minute, lambda: self.note("open kiln"))
        return minute
''',
        wrong='lambda: self.note(f"begin {name}"))',
        right='lambda name=name: self.note(f"begin {name}"))',
        visible="""
def test_scheduler_order():
    scheduler, seen = Scheduler(), []
    scheduler.at(5, lambda: seen.append("b"))
    scheduler.at(2, lambda: seen.append("a"))
    scheduler.at(5, lambda: seen.append("c"))
    scheduler.run_until(5)
    assert seen == ["a", "b", "c"]

def test_one_stage():
    scheduler = Scheduler()
    kiln = Kiln(scheduler)
    assert kiln.fire(10, [("bisque", 60)]) == 70
    scheduler.run_until(100)
    assert kiln.notes == [(10, "begin bisque"), (70, "open kiln")]

def test_stages():
    scheduler = Scheduler()
    kiln = Kiln(scheduler)
    kiln.fire(0, [("dry", 30), ("heat", 90), ("cool", 200)])
    scheduler.run_until(150)
    assert kiln.notes == [(0, "begin dry"), (30, "begin heat"), (120, "begin cool")]

def test_waiting():
    scheduler = Scheduler()
    Kiln(scheduler).fire(0, [("dry", 30), ("heat", 90)])
    scheduler.run_until(29)
    assert scheduler.waiting() == 2

def test_past():
    scheduler = Scheduler()
    scheduler.run_until(50)
    with pytest.raises(ValueError):
        scheduler.at(49, print)
""",
        hidden="""
def test_two_stages():
    scheduler = Scheduler()
    kiln = Kiln(scheduler)
    kiln.fire(5, [("glaze", 10), ("soak", 20)])
    scheduler.run_until(1000)
    assert kiln.notes == [(5, "begin glaze"), (15, "begin soak"), (35, "open kiln")]

def test_two_kilns():
    scheduler = Scheduler()
    small, large = Kiln(scheduler), Kiln(scheduler)
    small.fire(0, [("a", 5), ("b", 5)])
    large.fire(3, [("c", 4), ("d", 4)])
    scheduler.run_until(20)
    assert [text for _, text in small.notes] == ["begin a", "begin b", "open kiln"]
    assert large.notes == [(3, "begin c"), (7, "begin d"), (11, "open kiln")]

def test_two_firings():
    scheduler = Scheduler()
    kiln = Kiln(scheduler)
    end = kiln.fire(0, [("x", 1), ("y", 1)])
    kiln.fire(end, [("z", 1)])
    scheduler.run_until(10)
    assert [text for _, text in kiln.notes] == [
        "begin x", "begin y", "open kiln", "begin z", "open kiln",
    ]

def test_no_stages():
    scheduler = Scheduler()
    kiln = Kiln(scheduler)
    assert kiln.fire(4, []) == 4
    scheduler.run_until(4)
    assert kiln.notes == [(4, "open kiln")]

def test_action_adds_action():
    scheduler, seen = Scheduler(), []
    scheduler.at(1, lambda: scheduler.at(2, lambda: seen.append(scheduler.now)))
    scheduler.run_until(3)
    assert seen == [2]
    assert scheduler.now == 3
""",
    ),
    Program(
        name="cheese_cellar",
        code=r'''"""Stock of a cheese cellar, sold first in, first out."""

from dataclasses import dataclass


@dataclass
class Lot:
    """Wheels of one delivery, with the price paid for one wheel."""

    wheels: int
    price: int


class Cellar:
    """Keeps the lots of each sort in the order of delivery."""

    def __init__(self):
        self._lots = {}

    def deliver(self, sort, wheels, price):
        """Store a delivery."""
        if wheels <= 0:
            raise ValueError("a delivery has wheels")
        self._lots.setdefault(sort, []).append(Lot(wheels, price))

    def wheels(self, sort):
        """Return how many wheels of a sort are in the cellar."""
        return sum(lot.wheels for lot in self._lots.get(sort, ()))

    def value(self):
        """Return what the wheels in the cellar have cost."""
        return sum(lot.wheels * lot.price for lots in self._lots.values() for lot in lots)

    def sell(self, sort, wheels):
        """Take wheels out, the oldest first, and return what they had cost.

        If there are too few, ValueError is raised and nothing is taken.
        """
        if self.wheels(sort) < wheels:
            raise ValueError(f"too little {sort}")
        lots = self._lots.get(sort, [])
        cost = 0
        for lot in lots:
            taken = min(lot.wheels, wheels)
            lot.wheels -= taken
            wheels -= lot.wheels
            cost += taken * lot.price
            if not wheels:
                break
        self._lots[sort] = [lot for lot in lots if lot.wheels]
        return cost

    def next_price(self, sort):
        """Return the price of the wheel to be sold next, or None."""
        lots = self._lots.get(sort)
        return lots[0].price if lots else None

    def sorts(self):
        """Return the sorts that are in the cellar, sorted."""
        return sorted(sort for sort in self._lots if self.wheels(sort))
''',
        wrong="            wheels -= lot.wheels\n",
        right="            wheels -= taken\n",
        visible="""
def cellar():
    stock = Cellar()
    stock.deliver("gouda", 4, 50)
    stock.deliver("gouda", 6, 60)
    stock.deliver("brie", 3, 20)
    return stock

def test_delivered():
    stock = cellar()
    assert stock.wheels("gouda") == 10
    assert stock.value() == 620

def test_part_of_a_lot():
    stock = cellar()
    assert stock.sell("gouda", 3) == 150
    assert stock.wheels("gouda") == 7

def test_over_two_lots():
    stock = cellar()
    assert stock.sell("gouda", 6) == 4 * 50 + 2 * 60
    assert stock.next_price("gouda") == 60
    assert stock.wheels("gouda") == 4

def test_too_few():
    stock = cellar()
    with pytest.raises(ValueError):
        stock.sell("brie", 4)
    assert stock.wheels("brie") == 3

def test_sold_out():
    stock = cellar()
    assert stock.sell("brie", 3) == 60
    assert stock.sorts() == ["gouda"]
    assert stock.next_price("brie") is None
""",
        hidden="""
def test_first_lot_exactly():
    stock = Cellar()
    stock.deliver("feta", 5, 7)
    stock.deliver("feta", 5, 9)
    assert stock.sell("feta", 5) == 35
    assert stock.next_price("feta") == 9
    assert stock.wheels("feta") == 5

def test_one_wheel():
    stock = Cellar()
    stock.deliver("feta", 8, 7)
    stock.deliver("feta", 8, 9)
    assert stock.sell("feta", 1) == 7
    assert stock.wheels("feta") == 15

def test_three_lots():
    stock = Cellar()
    for price in (1, 10, 100):
        stock.deliver("comte", 2, price)
    assert stock.sell("comte", 5) == 122
    assert stock.value() == 100

def test_in_small_steps():
    stock = Cellar()
    stock.deliver("brie", 3, 2)
    stock.deliver("brie", 3, 5)
    assert [stock.sell("brie", 2) for _ in range(3)] == [4, 7, 10]
    assert stock.sorts() == []

def test_value_after_sale():
    stock = Cellar()
    stock.deliver("a", 10, 3)
    stock.sell("a", 4)
    assert stock.value() == 18

def test_unknown():
    with pytest.raises(ValueError):
        Cellar().sell("edam", 1)
    assert Cellar().wheels("edam") == 0
""",
    ),
    Program(
        name="ticket_desk",
        code=r'''"""The ticket desk of a computer repair shop."""

from collections import Counter

STATUSES = ("open", "assigned", "solved", "closed", "reopened")
RESUMED = ("reopened")


class DeskError(Exception):
    """A ticket does not allow what was wanted."""


class Ticket:
    """A customer's ticket; urgency 1 is the most urgent."""

    def __init__(self, number, subject, urgency):
        self.number = number
        self.subject = subject
        self.urgency = urgency
        self.status = "open"

    def move(self, status):
        """Give the ticket another status; a closed one must be reopened."""
        if status not in STATUSES:
            raise DeskError(f"no such status: {status}")
        if self.status == "closed" and status != "reopened":
            raise DeskError(f"ticket {self.number} is closed")
        if status == "reopened" and self.status not in ("solved", "closed"):
            raise DeskError(f"ticket {self.number} was never finished")
        self.status = status


class Desk:
    """All tickets of the shop, numbered from 1."""

    def __init__(self):
        self._tickets = {}

    def add(self, subject, urgency=3):
        """Open a ticket and return it."""
        number = len(self._tickets) + 1
        self._tickets[number] = Ticket(number, subject, urgency)
        return self._tickets[number]

    def backlog(self):
        """Return the numbers of the tickets that are neither solved nor
        closed, in the order in which they are to be worked on.

        Reopened tickets come first; then urgency counts, then the number.
        """
        left = [t for t in self._tickets.values() if t.status not in ("solved", "closed")]
        left.sort(key=lambda t: (t.status not in RESUMED, t.urgency, t.number))
        return [ticket.number for ticket in left]

    def complaints(self):
        """Return the subjects of the tickets that are reopened, sorted."""
        return sorted(t.subject for t in self._tickets.values() if t.status in RESUMED)

    def summary(self):
        """Return how many tickets there are of each status."""
        return Counter(ticket.status for ticket in self._tickets.values())
''',
        wrong='RESUMED = ("reopened")',
        right='RESUMED = ("reopened",)',
        visible="""
def test_urgency():
    desk = Desk()
    desk.add("no sound")
    desk.add("smoke", urgency=1)
    assert desk.backlog() == [2, 1]

def test_finished_are_left_out():
    desk = Desk()
    desk.add("no sound").move("solved")
    desk.add("smoke").move("assigned")
    assert desk.backlog() == [2]

def test_reopened_comes_first():
    desk = Desk()
    desk.add("smoke", urgency=1)
    ticket = desk.add("no sound", urgency=5)
    ticket.move("closed")
    ticket.move("reopened")
    assert desk.backlog() == [2, 1]

def test_complaints():
    desk = Desk()
    desk.add("new one")
    ticket = desk.add("old one")
    ticket.move("solved")
    ticket.move("reopened")
    assert desk.complaints() == ["old one"]

def test_closed():
    ticket = Desk().add("smoke")
    ticket.move("closed")
    with pytest.raises(DeskError):
        ticket.move("assigned")
""",
        hidden="""
def again(desk, subject, urgency):
    ticket = desk.add(subject, urgency)
    ticket.move("solved")
    ticket.move("reopened")

def test_no_complaints():
    desk = Desk()
    desk.add("a")
    desk.add("b").move("assigned")
    assert desk.complaints() == []

def test_several_reopened():
    desk = Desk()
    desk.add("a", 2)
    again(desk, "b", 4)
    desk.add("c", 1)
    again(desk, "d", 3)
    assert desk.backlog() == [4, 2, 3, 1]
    assert desk.complaints() == ["b", "d"]

def test_assigned_and_open_alike():
    desk = Desk()
    desk.add("a", 2).move("assigned")
    desk.add("b", 1)
    desk.add("c", 2)
    assert desk.backlog() == [2, 1, 3]

def test_urgent_assigned_before_open():
    desk = Desk()
    desk.add("a", 5)
    desk.add("b", 1).move("assigned")
    assert desk.backlog() == [2, 1]

def test_never_finished():
    with pytest.raises(DeskError):
        Desk().add("a").move("reopened")

def test_bad_status():
    with pytest.raises(DeskError):
        Desk().add("a").move("lost")

def test_summary():
    desk = Desk()
    desk.add("a")
    desk.add("b")
    desk.add("c").move("closed")
    assert desk.summary() == {"open": 2, "closed": 1}
""",
    ),
    Program(
        name="archive_access",
        code=r'''"""Access rights in a city archive.

A rule is (effect, who, what): the effect is 'allow' or 'deny', who is a
reader, a group ('@name') or '*', what is the path of a folder.
"""


class Archive:
    """Decides who may see which record."""

    def __init__(self):
        self._groups = {}
        self._rules = []

    def join(self, reader, group):
        """Put a reader into a group."""
        self._groups.setdefault(group, set()).add(reader)

    def rule(self, effect, who, what):
        """Add a rule for a folder and all that is in it."""
        if effect not in ("allow", "deny"):
            raise ValueError(f"no such effect: {effect}")
        self._rules.append((effect, who, what.rstrip("/")))

    def _matches(self, who, reader):
        if who.startswith("@"):
            return reader in self._groups.get(who[1:], ())
        return who in ("*", reader)

    @staticmethod
    def _covers(folder, path):
        return path == folder or path.startswith(folder + "/")

    def may_see(self, reader, path):
        """Tell whether a reader may see a record or folder.

        Some rule must allow it, and none may deny it; the order of the rules
        does not matter.
        """
        allowed = False
        for effect, who, what in self._rules:
            if not self._covers(what, path):
                continue
            if not self._matches(who, reader):
                return False
            if effect == "deny":
                return False
            allowed = True
        return allowed

    def visible(self, reader, paths):
        """Return those of the paths that a reader may see."""
        return [path for path in paths if self.may_see(reader, path)]

    def why(self, reader, path):
        """Return the rules that concern a reader and a path."""
        return [
            rule for rule in self._rules
            if self._covers(rule[2], path) and self._matches(rule[1], reader)
        ]
''',
        wrong="                return False\n            if effect",
        right="                continue\n            if effect",
        visible="""
def test_allowed():
    archive = Archive()
    archive.rule("allow", "*", "maps")
    assert archive.may_see("Ida", "maps/1850")
    assert not archive.may_see("Ida", "mapsold/1")

def test_denied():
    archive = Archive()
    archive.rule("deny", "Ida", "maps/secret")
    archive.rule("allow", "*", "maps")
    assert not archive.may_see("Ida", "maps/secret/7")
    assert archive.may_see("Ida", "maps/7")

def test_rules_for_others():
    archive = Archive()
    archive.rule("allow", "Jon", "wills")
    archive.rule("allow", "Ida", "wills")
    assert archive.may_see("Ida", "wills/3")
    assert archive.may_see("Jon", "wills/3")

def test_groups():
    archive = Archive()
    archive.join("Ida", "staff")
    archive.rule("allow", "@staff", "vault/")
    assert archive.visible("Ida", ["vault/a", "hall/b"]) == ["vault/a"]
    assert not archive.may_see("Jon", "vault/a")

def test_bad_effect():
    with pytest.raises(ValueError):
        Archive().rule("perhaps", "*", "maps")
""",
        hidden="""
def test_other_is_denied():
    archive = Archive()
    archive.rule("allow", "*", "tax")
    archive.rule("deny", "Jon", "tax")
    assert archive.may_see("Ida", "tax/1790")
    assert not archive.may_see("Jon", "tax/1790")

def test_group_is_denied():
    archive = Archive()
    archive.join("Jon", "guests")
    archive.rule("deny", "@guests", "vault")
    archive.rule("allow", "*", "vault")
    assert archive.visible("Ida", ["vault", "vault/x"]) == ["vault", "vault/x"]
    assert archive.visible("Jon", ["vault", "vault/x"]) == []

def test_nothing_said():
    assert not Archive().may_see("Ida", "maps")

def test_only_for_another():
    archive = Archive()
    archive.rule("allow", "Jon", "maps")
    assert not archive.may_see("Ida", "maps")

def test_deny_after_allow():
    archive = Archive()
    archive.rule("allow", "Ida", "maps")
    archive.rule("deny", "*", "maps/war")
    assert archive.may_see("Ida", "maps/sea")
    assert not archive.may_see("Ida", "maps/war/1")

def test_why():
    archive = Archive()
    archive.rule("allow", "Jon", "a")
    archive.rule("allow", "*", "a/b")
    assert archive.why("Ida", "a/b/c") == [("allow", "*", "a/b")]

def test_unknown_group():
    archive = Archive()
    archive.rule("allow", "@nobody", "a")
    archive.rule("allow", "Ida", "a")
    assert archive.may_see("Ida", "a")
""",
    ),
    Program(
        name="museum_shop",
        code=r'''"""The till of a museum shop: baskets, vouchers and members' discounts.

All amounts are in cents.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """A line of a basket."""

    name: str
    price: int
    number: int = 1
    book: bool = False

    @property
    def amount(self):
        return self.price * self.number


class TillError(ValueError):
    """A basket cannot be paid in this way."""


def discount(amount, percent):
    """Return a discount, rounded down to whole cents."""
    return amount * percent // 100


def total(basket, member=False, voucher=0):
    """Return what is to be paid for a basket (any iterable of items).

    Members get 10 percent off everything but books, whose prices are fixed.
    A voucher is taken off at the end; it does not make the total negative.
    """
    if voucher < 0:
        raise TillError("a voucher is not negative")
    items = (item for item in basket if item.number)
    books = sum(item.amount for item in items if item.book)
    others = sum(item.amount for item in items if not item.book)
    if member:
        others -= discount(others, 10)
    return max(0, books + others - voucher)


def change(basket, given, **options):
    """Return the change for the money that was given."""
    due = total(basket, **options)
    if given < due:
        raise TillError(f"{due - given} cents are missing")
    return given - due


def receipt(basket):
    """Return the lines of a receipt, the last one with the sum."""
    lines = []
    for item in basket:
        lines.append(f"{item.number} x {item.name}: {item.amount / 100:.2f}")
    lines.append(f"sum: {total(basket) / 100:.2f}")
    return lines
''',
        wrong="    items = (item for item in basket if item.number)",
        right="    items = [item for item in basket if item.number]",
        visible="""
CARD = Item("postcard", 120, 3)
MUG = Item("mug", 950)
GUIDE = Item("guide", 1500, book=True)

def test_book_only():
    assert total([GUIDE]) == 1500

def test_mixed():
    assert total([CARD, MUG, GUIDE]) == 360 + 950 + 1500

def test_member():
    assert total([MUG, GUIDE], member=True) == 855 + 1500

def test_voucher_on_book():
    assert total([GUIDE], voucher=2000) == 0
    with pytest.raises(TillError):
        total([GUIDE], voucher=-1)

def test_change():
    assert change([GUIDE], 2000) == 500
    with pytest.raises(TillError):
        change([GUIDE], 1000)
""",
        hidden="""
def test_no_books():
    assert total([Item("pen", 200, 2), Item("kite", 1000)]) == 1400

def test_no_books_member():
    assert total([Item("pen", 199)], member=True) == 180

def test_voucher():
    assert total([Item("pen", 500)], voucher=120) == 380
    assert total([Item("pen", 500)], voucher=900) == 0

def test_generator_basket():
    assert total(Item("pen", price) for price in (100, 200)) == 300

def test_change_member():
    assert change([Item("pen", 1000)], 1000, member=True) == 100

def test_missing():
    with pytest.raises(TillError):
        change([Item("pen", 1000)], 999)

def test_receipt():
    assert receipt([Item("pen", 150, 2), Item("atlas", 4000, book=True)]) == [
        "2 x pen: 3.00", "1 x atlas: 40.00", "sum: 43.00",
    ]

def test_empty():
    assert total([]) == 0
    assert total([Item("atlas", 100, 0, book=True)]) == 0
""",
    ),
)
