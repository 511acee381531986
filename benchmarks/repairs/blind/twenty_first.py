"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---------------------------------------------------------------- structures
    Program(
        name="history_ring",
        code=r'''"""A ring of fixed capacity that keeps the newest values."""


class HistoryRing:
    """Keeps at most `capacity` values; adding one more drops the oldest.

    Index 0 is the oldest value that is kept, -1 the newest.
    """

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._slots = [None] * capacity
        self._start = 0
        self._size = 0

    def __len__(self):
        return self._size

    def add(self, value):
        """Add a value; return the value that it pushed out, or None."""
        end = (self._start + self._size) % self.capacity
        dropped = self._slots[end]
        self._slots[end] = value
        if self._size == self.capacity:
            self._start = (self._start + 1) % self.capacity
        else:
            self._size += 1
        return dropped

    def __getitem__(self, index):
        """Return the value at `index`; negative ones count from the newest."""
        if index < 0:
            index += self.capacity
        if not 0 <= index < self._size:
            raise IndexError("ring index out of range")
        return self._slots[(self._start + index) % self.capacity]

    def newest(self, count):
        """Return up to `count` of the newest values, newest first."""
        count = min(count, self._size)
        return [self[self._size - 1 - i] for i in range(count)]
''',
        wrong="index += self.capacity",
        right="index += self._size",
        visible="""
def test_empty_ring():
    ring = HistoryRing(3)
    assert len(ring) == 0
    assert list(ring) == []
    assert ring.newest(2) == []
    with pytest.raises(IndexError):
        ring[0]


def test_oldest_is_dropped():
    ring = HistoryRing(2)
    assert ring.add("a") is None
    assert ring.add("b") is None
    assert ring.add("c") == "a"
    assert list(ring) == ["b", "c"]
    assert len(ring) == 2


def test_negative_index_of_full_ring():
    ring = HistoryRing(3)
    for value in range(5):
        ring.add(value)
    assert ring[-1] == 4
    assert ring[-3] == 2


def test_negative_index_before_full():
    ring = HistoryRing(4)
    ring.add(10)
    ring.add(20)
    assert ring[-1] == 20
    assert ring[-2] == 10


def test_newest():
    ring = HistoryRing(3)
    for value in "wxyz":
        ring.add(value)
    assert ring.newest(2) == ["z", "y"]
    assert ring.newest(9) == ["z", "y", "x"]


def test_capacity_must_be_positive():
    with pytest.raises(ValueError):
        HistoryRing(0)
""",
        hidden="""
def test_last_follows_every_add():
    ring = HistoryRing(5)
    for value in range(12):
        ring.add(value)
        assert ring[-1] == value
        assert ring[len(ring) - 1] == value


def test_negative_bounds():
    ring = HistoryRing(4)
    with pytest.raises(IndexError):
        ring[-1]
    ring.add("p")
    assert ring[-1] == "p"
    with pytest.raises(IndexError):
        ring[-2]
    for value in "qrstu":
        ring.add(value)
    assert [ring[i] for i in (-1, -2, -3, -4)] == ["u", "t", "s", "r"]
    with pytest.raises(IndexError):
        ring[-5]


def test_negative_after_wrap():
    ring = HistoryRing(3)
    for value in range(7):
        ring.add(value)
    assert [ring[i] for i in (-3, -2, -1, 0, 1, 2)] == [4, 5, 6, 4, 5, 6]


def test_three_of_five():
    ring = HistoryRing(5)
    for value in (7, 8, 9):
        ring.add(value)
    assert [ring[i] for i in (-3, -2, -1)] == [7, 8, 9]
    assert ring.newest(3) == [9, 8, 7]
    with pytest.raises(IndexError):
        ring[-4]
    with pytest.raises(IndexError):
        ring[3]
""",
    ),
    Program(
        name="job_heap",
        code=r'''"""A binary heap of (priority, job) pairs; the smallest comes first."""


class JobHeap:
    """Jobs taken in the order of their priority, smallest number first."""

    def __init__(self, jobs=()):
        self._items = []
        for priority, job in jobs:
            self.push(priority, job)

    def __len__(self):
        return len(self._items)

    def push(self, priority, job):
        """Add a job."""
        items = self._items
        items.append((priority, job))
        index = len(items) - 1
        while index > 0:
            above = (index - 1) // 2
            if items[above] <= items[index]:
                break
            items[above], items[index] = items[index], items[above]
            index = above

    def pop(self):
        """Remove and return the job of the smallest priority."""
        if not self._items:
            raise IndexError("no jobs")
        top = self._items[0]
        last = self._items.pop()
        if self._items:
            self._items[0] = last
            self._sink(0)
        return top[1]

    def _sink(self, index):
        items = self._items
        while True:
            best = index
            for child in (2 * index + 1, 2 * index + 2):
                if child < len(items) and items[child] < items[index]:
                    best = child
            if best == index:
                return
            items[best], items[index] = items[index], items[best]
            index = best

    def drain(self):
        """Remove all jobs; return them in order."""
        return [self.pop() for _ in range(len(self))]
''',
        wrong="items[child] < items[index]:",
        right="items[child] < items[best]:",
        visible="""
def test_pop_empty():
    with pytest.raises(IndexError):
        JobHeap().pop()


def test_two_jobs():
    heap = JobHeap()
    heap.push(5, "late")
    heap.push(1, "early")
    assert len(heap) == 2
    assert heap.pop() == "early"
    assert heap.pop() == "late"
    assert len(heap) == 0


def test_first_is_smallest():
    heap = JobHeap([(4, "d"), (2, "b"), (9, "i"), (1, "a"), (7, "g")])
    assert heap.pop() == "a"


def test_drain_in_order():
    heap = JobHeap([(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")])
    assert heap.drain() == ["a", "b", "c", "d", "e"]
    assert heap.drain() == []


def test_same_priority_goes_by_name():
    heap = JobHeap([(1, "y"), (1, "x")])
    assert heap.drain() == ["x", "y"]
""",
        hidden="""
def test_all_orders_of_five():
    from itertools import permutations
    for order in permutations(range(5)):
        heap = JobHeap((n, n) for n in order)
        assert heap.drain() == [0, 1, 2, 3, 4]


def test_longer():
    numbers = [(i * 37) % 101 for i in range(101)]
    heap = JobHeap((n, str(n)) for n in numbers)
    assert heap.drain() == [str(n) for n in range(101)]


def test_push_between_pops():
    heap = JobHeap((n, n) for n in (10, 20, 30, 40, 50, 60))
    assert heap.pop() == 10
    heap.push(25, 25)
    heap.push(5, 5)
    assert heap.pop() == 5
    assert heap.pop() == 20
    assert heap.pop() == 25
    assert heap.drain() == [30, 40, 50, 60]


def test_right_child_smaller():
    heap = JobHeap([(1, "a"), (3, "c"), (2, "b"), (5, "e"), (4, "d"), (7, "g"), (6, "f")])
    assert heap.drain() == list("abcdefg")


def test_equal_priorities():
    heap = JobHeap([(2, "q"), (1, "z"), (2, "p"), (1, "y"), (2, "r")])
    assert heap.drain() == ["y", "z", "p", "q", "r"]
""",
    ),
    Program(
        name="playlist_links",
        code=r'''"""A playlist as a doubly linked list."""


class Track:
    """A title with links to its neighbours."""

    def __init__(self, title):
        self.title = title
        self.prev = None
        self.next = None


class Playlist:
    """Tracks in order; any track can be removed in constant time."""

    def __init__(self, titles=()):
        self.first = None
        self.last = None
        for title in titles:
            self.append(title)

    def append(self, title):
        """Add a track at the end and return it."""
        track = Track(title)
        track.prev = self.last
        if self.last is None:
            self.first = track
        else:
            self.last.next = track
        self.last = track
        return track

    def remove(self, track):
        """Take a track out; its neighbours become neighbours."""
        if track.prev is None:
            self.first = track.next
        else:
            track.prev.next = track.next
        if track.next is None:
            self.last = track.prev
        else:
            track.next.prev = track
        track.prev = track.next = None

    def __iter__(self):
        track = self.first
        while track is not None:
            yield track.title
            track = track.next

    def __reversed__(self):
        track = self.last
        while track is not None:
            yield track.title
            track = track.prev
''',
        wrong="track.next.prev = track\n",
        right="track.next.prev = track.prev\n",
        visible="""
def test_empty():
    songs = Playlist()
    assert list(songs) == []
    assert list(reversed(songs)) == []
    assert songs.first is None and songs.last is None


def test_append_both_ways():
    songs = Playlist(["a", "b", "c"])
    assert list(songs) == ["a", "b", "c"]
    assert list(reversed(songs)) == ["c", "b", "a"]
    assert songs.append("d").title == "d"
    assert songs.last.title == "d"


def test_remove_only_track():
    songs = Playlist()
    track = songs.append("solo")
    songs.remove(track)
    assert list(songs) == []
    assert songs.first is None and songs.last is None


def test_remove_last():
    songs = Playlist(["a", "b"])
    songs.remove(songs.last)
    assert list(songs) == ["a"]
    assert list(reversed(songs)) == ["a"]


def test_remove_middle():
    songs = Playlist(["a"])
    middle = songs.append("b")
    songs.append("c")
    songs.remove(middle)
    assert list(songs) == ["a", "c"]
    assert list(reversed(songs)) == ["c", "a"]
    assert middle.prev is None and middle.next is None
""",
        hidden="""
def test_remove_first():
    songs = Playlist(["a", "b", "c"])
    songs.remove(songs.first)
    assert songs.first.title == "b"
    assert songs.first.prev is None
    assert list(songs) == ["b", "c"]
    assert list(reversed(songs)) == ["c", "b"]


def test_remove_each_of_five():
    for gone in range(5):
        songs = Playlist()
        tracks = [songs.append(n) for n in range(5)]
        songs.remove(tracks[gone])
        left = [n for n in range(5) if n != gone]
        assert list(songs) == left
        assert list(reversed(songs)) == left[::-1]


def test_remove_two_neighbours():
    songs = Playlist()
    tracks = [songs.append(n) for n in "abcde"]
    songs.remove(tracks[1])
    assert tracks[2].prev is tracks[0]
    songs.remove(tracks[2])
    assert tracks[3].prev is tracks[0]
    assert tracks[0].next is tracks[3]
    assert list(reversed(songs)) == ["e", "d", "a"]


def test_remove_all_then_append():
    songs = Playlist()
    tracks = [songs.append(n) for n in "xyz"]
    for track in tracks:
        songs.remove(track)
    assert list(songs) == [] and list(reversed(songs)) == []
    songs.append("w")
    assert songs.first is songs.last
    assert list(reversed(songs)) == ["w"]


def test_remove_last_of_three():
    songs = Playlist("abc")
    songs.remove(songs.last)
    assert songs.last.next is None
    songs.append("d")
    assert list(songs) == ["a", "b", "d"]
    assert list(reversed(songs)) == ["d", "b", "a"]
""",
    ),
    Program(
        name="span_set",
        code=r'''"""A set of whole numbers kept as half-open spans."""


class SpanSet:
    """Disjoint spans [start, stop) in ascending order; touching ones are joined."""

    def __init__(self):
        self._spans = []

    def spans(self):
        """Return the spans as a list of pairs."""
        return list(self._spans)

    def add(self, start, stop):
        """Add all numbers of [start, stop)."""
        if start >= stop:
            return
        low = 0
        while low < len(self._spans) and self._spans[low][1] < start:
            low += 1
        high = low
        while high < len(self._spans) and self._spans[high][0] <= stop:
            high += 1
        if low < high:
            start = min(start, self._spans[low][0])
            stop = max(stop, self._spans[low][1])
        self._spans[low:high] = [(start, stop)]

    def __contains__(self, number):
        return any(start <= number < stop for start, stop in self._spans)

    def __len__(self):
        """How many numbers there are."""
        return sum(stop - start for start, stop in self._spans)

    def gaps(self):
        """Return the spans between neighbouring spans."""
        return [
            (before[1], after[0])
            for before, after in zip(self._spans, self._spans[1:])
        ]
''',
        wrong="stop = max(stop, self._spans[low][1])",
        right="stop = max(stop, self._spans[high - 1][1])",
        visible="""
def test_empty_set():
    numbers = SpanSet()
    assert numbers.spans() == []
    assert len(numbers) == 0
    assert 3 not in numbers
    numbers.add(5, 5)
    numbers.add(6, 2)
    assert numbers.spans() == []


def test_disjoint_spans_are_sorted():
    numbers = SpanSet()
    numbers.add(10, 12)
    numbers.add(1, 3)
    numbers.add(5, 6)
    assert numbers.spans() == [(1, 3), (5, 6), (10, 12)]
    assert numbers.gaps() == [(3, 5), (6, 10)]
    assert len(numbers) == 5


def test_overlap_with_one():
    numbers = SpanSet()
    numbers.add(3, 8)
    numbers.add(6, 10)
    assert numbers.spans() == [(3, 10)]
    numbers.add(4, 5)
    assert numbers.spans() == [(3, 10)]


def test_touching_spans_join():
    numbers = SpanSet()
    numbers.add(1, 4)
    numbers.add(4, 6)
    assert numbers.spans() == [(1, 6)]
    assert 5 in numbers and 6 not in numbers


def test_bridge_between_two():
    numbers = SpanSet()
    numbers.add(0, 5)
    numbers.add(8, 20)
    numbers.add(4, 9)
    assert numbers.spans() == [(0, 20)]
    assert 15 in numbers
""",
        hidden="""
def test_bridge_over_three():
    numbers = SpanSet()
    for start in (0, 10, 20, 30):
        numbers.add(start, start + 6)
    numbers.add(3, 21)
    assert numbers.spans() == [(0, 26), (30, 36)]
    assert len(numbers) == 32


def test_exact_fill_of_gap():
    numbers = SpanSet()
    numbers.add(1, 3)
    numbers.add(7, 9)
    numbers.add(3, 7)
    assert numbers.spans() == [(1, 9)]
    assert numbers.gaps() == []


def test_cover_everything():
    numbers = SpanSet()
    numbers.add(2, 3)
    numbers.add(5, 8)
    numbers.add(0, 10)
    assert numbers.spans() == [(0, 10)]


def test_next_span_stays_out():
    numbers = SpanSet()
    numbers.add(0, 3)
    numbers.add(10, 14)
    numbers.add(2, 5)
    assert numbers.spans() == [(0, 5), (10, 14)]
    numbers.add(-4, -1)
    assert numbers.spans() == [(-4, -1), (0, 5), (10, 14)]


def test_against_plain_set():
    numbers, plain = SpanSet(), set()
    for i in range(60):
        start = (i * 29) % 83
        stop = start + (i * 7) % 6
        numbers.add(start, stop)
        plain.update(range(start, stop))
        assert len(numbers) == len(plain)
        assert all((n in numbers) == (n in plain) for n in range(-1, 92))
""",
    ),
    Program(
        name="route_trie",
        code=r'''"""A trie that finds which stored word begins a text."""


class Node:
    """A place in the trie: what may follow, and the value that ends here."""

    def __init__(self):
        self.children = {}
        self.value = None


class RouteTrie:
    """Maps words to values (not None)."""

    def __init__(self):
        self._root = Node()

    def put(self, word, value):
        """Store the value of a word."""
        node = self._root
        for letter in word:
            node = node.children.setdefault(letter, Node())
        node.value = value

    def get(self, word):
        """Return the value of exactly this word, or None."""
        node = self._root
        for letter in word:
            node = node.children.get(letter)
            if node is None:
                return None
        return node.value

    def longest(self, text):
        """Return (word, value) of the longest word that begins the text.

        Returns None if no word does.
        """
        node = self._root
        found = None if node.value is None else ("", node.value)
        for i, letter in enumerate(text):
            node = node.children.get(letter)
            if node is None:
                break
            if node.value is not None:
                found = (text[:i], node.value)
        return found
''',
        wrong="found = (text[:i], node.value)",
        right="found = (text[:i + 1], node.value)",
        visible="""
def test_put_and_get():
    routes = RouteTrie()
    routes.put("car", 1)
    routes.put("cart", 2)
    assert routes.get("car") == 1
    assert routes.get("cart") == 2
    assert routes.get("ca") is None
    assert routes.get("dog") is None


def test_put_again_replaces():
    routes = RouteTrie()
    routes.put("a", 1)
    routes.put("a", 5)
    assert routes.get("a") == 5


def test_longest_without_any():
    routes = RouteTrie()
    assert routes.longest("word") is None
    routes.put("wordy", 1)
    assert routes.longest("word") is None
    assert routes.longest("") is None


def test_longest_word_wins():
    routes = RouteTrie()
    routes.put("/api", "api")
    routes.put("/api/users", "users")
    assert routes.longest("/api/items") == ("/api", "api")
    assert routes.longest("/api/users/7") == ("/api/users", "users")


def test_empty_word():
    routes = RouteTrie()
    routes.put("", "root")
    assert routes.get("") == "root"
    assert routes.longest("xyz") == ("", "root")
""",
        hidden="""
def test_whole_text_is_a_word():
    routes = RouteTrie()
    routes.put("north", 1)
    assert routes.longest("north") == ("north", 1)
    assert routes.longest("northern") == ("north", 1)


def test_single_letters():
    routes = RouteTrie()
    routes.put("a", 1)
    routes.put("abc", 3)
    assert routes.longest("a") == ("a", 1)
    assert routes.longest("ab") == ("a", 1)
    assert routes.longest("abd") == ("a", 1)
    assert routes.longest("abc") == ("abc", 3)
    assert routes.longest("abcabc") == ("abc", 3)


def test_falls_back_to_empty_word():
    routes = RouteTrie()
    routes.put("", "root")
    routes.put("go", "go")
    assert routes.longest("g") == ("", "root")
    assert routes.longest("") == ("", "root")
    assert routes.longest("goo") == ("go", "go")


def test_false_values_count():
    routes = RouteTrie()
    routes.put("zero", 0)
    assert routes.get("zero") == 0
    assert routes.longest("zeros") == ("zero", 0)
    routes.put("no", "")
    assert routes.longest("none") == ("no", "")
""",
    ),
    Program(
        name="sparse_grid",
        code=r'''"""Matrices that are mostly zero."""


class Sparse:
    """A matrix of `rows` times `cols` numbers; only those not zero are kept."""

    def __init__(self, rows, cols):
        self.rows = rows
        self.cols = cols
        self._cells = {}

    def _check(self, place):
        row, col = place
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise IndexError(f"no cell {place}")

    def __getitem__(self, place):
        self._check(place)
        return self._cells.get(place, 0)

    def __setitem__(self, place, value):
        self._check(place)
        if value:
            self._cells[place] = value
        else:
            self._cells.pop(place, None)

    def __len__(self):
        """How many numbers are kept."""
        return len(self._cells)

    def transposed(self):
        """Return a new matrix with rows and columns swapped."""
        result = Sparse(self.rows, self.cols)
        for (row, col), value in self._cells.items():
            result[col, row] = value
        return result

    def __matmul__(self, other):
        """The matrix product."""
        if self.cols != other.rows:
            raise ValueError("shapes do not fit")
        result = Sparse(self.rows, other.cols)
        for (row, middle), value in self._cells.items():
            for col in range(other.cols):
                result[row, col] += value * other[middle, col]
        return result

    def dense(self):
        """Return a list of rows."""
        return [[self[r, c] for c in range(self.cols)] for r in range(self.rows)]
''',
        wrong="result = Sparse(self.rows, self.cols)",
        right="result = Sparse(self.cols, self.rows)",
        visible="""
def filled(rows):
    matrix = Sparse(len(rows), len(rows[0]))
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            matrix[r, c] = value
    return matrix


def test_cells():
    matrix = Sparse(2, 3)
    assert matrix[1, 2] == 0
    matrix[1, 2] = 5
    assert matrix[1, 2] == 5
    assert len(matrix) == 1
    matrix[1, 2] = 0
    assert len(matrix) == 0


def test_no_such_cell():
    matrix = Sparse(2, 3)
    with pytest.raises(IndexError):
        matrix[2, 0]
    with pytest.raises(IndexError):
        matrix[0, 3] = 1


def test_transposed_square():
    matrix = filled([[1, 2], [0, 3]])
    assert matrix.transposed().dense() == [[1, 0], [2, 3]]


def test_transposed_wide():
    matrix = filled([[1, 2, 3], [4, 0, 6]])
    turned = matrix.transposed()
    assert turned.dense() == [[1, 4], [2, 0], [3, 6]]
    assert (turned.rows, turned.cols) == (3, 2)


def test_product():
    left = filled([[1, 0, 2]])
    right = filled([[1, 1], [5, 5], [0, 3]])
    assert (left @ right).dense() == [[1, 7]]
    with pytest.raises(ValueError):
        right @ right
""",
        hidden="""
def filled(rows):
    matrix = Sparse(len(rows), len(rows[0]))
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            matrix[r, c] = value
    return matrix


def test_transposed_tall():
    matrix = filled([[1], [0], [7], [9]])
    turned = matrix.transposed()
    assert (turned.rows, turned.cols) == (1, 4)
    assert turned.dense() == [[1, 0, 7, 9]]
    assert len(turned) == 3


def test_shape_of_zeros():
    turned = Sparse(2, 5).transposed()
    assert (turned.rows, turned.cols) == (5, 2)
    assert turned.dense() == [[0, 0]] * 5
    turned[4, 1] = 3
    with pytest.raises(IndexError):
        turned[1, 4]


def test_twice_is_the_same():
    rows = [[0, 2, 0, 4], [5, 0, 0, 8], [0, 0, 0, 1]]
    matrix = filled(rows)
    assert matrix.transposed().transposed().dense() == rows
    assert matrix.dense() == rows


def test_product_with_transposed():
    matrix = filled([[1, 2, 0], [0, 1, 3]])
    assert (matrix @ matrix.transposed()).dense() == [[5, 2], [2, 10]]
    assert (matrix.transposed() @ matrix).dense() == [[1, 2, 0], [2, 5, 3], [0, 3, 9]]


def test_product_that_cancels():
    left = filled([[1, -1], [2, 0]])
    right = filled([[4, 1], [4, 2]])
    product = left @ right
    assert product.dense() == [[0, -1], [8, 2]]
    assert len(product) == 3
""",
    ),
    Program(
        name="sorted_bag",
        code=r'''"""A bag that keeps its values in order."""

from bisect import bisect_left, bisect_right, insort


class SortedBag:
    """Values in ascending order; equal values may occur several times."""

    def __init__(self, values=()):
        self._values = sorted(values)

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(self._values)

    def add(self, value):
        """Put a value in."""
        insort(self._values, value)

    def discard(self, value):
        """Take one occurrence of the value out; tell whether there was one."""
        at = bisect_left(self._values, value)
        if at == len(self._values) or self._values[at] != value:
            return False
        del self._values[at]
        return True

    def count(self, value):
        """How often the value occurs."""
        return bisect_right(self._values, value) - bisect_left(self._values, value)

    def between(self, low, high):
        """Return the values from low to high, both included."""
        first = bisect_left(self._values, low)
        return self._values[first:bisect_left(self._values, high)]

    def below(self, value):
        """Return the greatest value that is less than `value`, or None."""
        at = bisect_left(self._values, value)
        return self._values[at - 1] if at else None
''',
        wrong="return self._values[first:bisect_left(self._values, high)]",
        right="return self._values[first:bisect_right(self._values, high)]",
        visible="""
def test_order():
    bag = SortedBag([3, 1, 2])
    bag.add(2)
    bag.add(0)
    assert list(bag) == [0, 1, 2, 2, 3]
    assert len(bag) == 5


def test_discard_takes_one():
    bag = SortedBag([4, 4, 5])
    assert bag.discard(4) is True
    assert list(bag) == [4, 5]
    assert bag.discard(9) is False
    assert bag.discard(1) is False


def test_count():
    bag = SortedBag("banana")
    assert bag.count("a") == 3
    assert bag.count("n") == 2
    assert bag.count("z") == 0


def test_between():
    bag = SortedBag([1, 3, 5, 7, 9])
    assert bag.between(2, 6) == [3, 5]
    assert bag.between(3, 7) == [3, 5, 7]
    assert bag.between(10, 20) == []


def test_below():
    bag = SortedBag([2, 4, 4, 8])
    assert bag.below(4) == 2
    assert bag.below(5) == 4
    assert bag.below(2) is None
""",
        hidden="""
def test_between_one_value():
    bag = SortedBag([1, 2, 2, 2, 3])
    assert bag.between(2, 2) == [2, 2, 2]
    assert bag.between(1, 1) == [1]
    assert bag.between(4, 4) == []


def test_between_repeated_ends():
    bag = SortedBag([1, 1, 2, 5, 5, 6])
    assert bag.between(1, 5) == [1, 1, 2, 5, 5]
    assert bag.between(0, 1) == [1, 1]
    assert bag.between(5, 6) == [5, 5, 6]
    assert bag.between(3, 4) == []


def test_between_everything_and_nothing():
    bag = SortedBag([4, 2, 6])
    assert bag.between(2, 6) == [2, 4, 6]
    assert bag.between(0, 100) == [2, 4, 6]
    assert bag.between(6, 2) == []
    assert SortedBag().between(1, 9) == []


def test_against_filter():
    values = [(i * 17) % 23 for i in range(40)]
    bag = SortedBag(values)
    for low in range(-1, 24):
        for high in range(low, 24):
            assert bag.between(low, high) == sorted(v for v in values if low <= v <= high)


def test_discard_and_count():
    bag = SortedBag([1, 1, 1])
    for left in (2, 1, 0):
        assert bag.discard(1)
        assert bag.count(1) == left
    assert not bag.discard(1)
    assert bag.below(1) is None
""",
    ),
    # ----------------------------------------------------------------- recursion
    Program(
        name="sum_partitions",
        code=r'''"""Ways to write a number as a sum."""


def partitions(total, largest=None):
    """Yield the ways to write `total` as a sum of whole numbers above zero.

    Each way is a list in descending order whose numbers are at most `largest`
    (by default there is no limit). Ways with greater first numbers come first.
    """
    if largest is None:
        largest = total
    if total == 0:
        yield []
        return
    for part in range(min(total, largest), 0, -1):
        for rest in partitions(total - part, largest):
            yield [part] + rest


def count_partitions(total):
    """How many ways there are to write `total` as a sum."""
    return sum(1 for _ in partitions(total))


def distinct_partitions(total):
    """Return the ways that use no number twice."""
    return [way for way in partitions(total) if len(set(way)) == len(way)]
''',
        wrong="for rest in partitions(total - part, largest):",
        right="for rest in partitions(total - part, part):",
        visible="""
def test_zero():
    assert list(partitions(0)) == [[]]
    assert count_partitions(0) == 1


def test_one_and_two():
    assert list(partitions(1)) == [[1]]
    assert list(partitions(2)) == [[2], [1, 1]]


def test_four():
    assert list(partitions(4)) == [[4], [3, 1], [2, 2], [2, 1, 1], [1, 1, 1, 1]]


def test_all_add_up():
    for way in partitions(6):
        assert sum(way) == 6
        assert min(way) >= 1


def test_limit():
    assert list(partitions(3, 1)) == [[1, 1, 1]]
    assert all(max(way) <= 2 for way in partitions(5, 2))
""",
        hidden="""
def test_counts():
    assert [count_partitions(n) for n in range(11)] == [1, 1, 2, 3, 5, 7, 11, 15, 22, 30, 42]


def test_descending_and_unique():
    for total in range(9):
        ways = [tuple(way) for way in partitions(total)]
        assert len(ways) == len(set(ways))
        assert all(list(way) == sorted(way, reverse=True) for way in ways)
        assert ways == sorted(ways, reverse=True)


def test_with_limit():
    assert list(partitions(5, 2)) == [[2, 2, 1], [2, 1, 1, 1], [1, 1, 1, 1, 1]]
    assert list(partitions(6, 3)) == [
        [3, 3], [3, 2, 1], [3, 1, 1, 1], [2, 2, 2],
        [2, 2, 1, 1], [2, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1],
    ]
    assert list(partitions(3, 10)) == [[3], [2, 1], [1, 1, 1]]
    assert list(partitions(2, 0)) == []


def test_distinct():
    assert distinct_partitions(6) == [[6], [5, 1], [4, 2], [3, 2, 1]]
    assert distinct_partitions(3) == [[3], [2, 1]]
    assert distinct_partitions(0) == [[]]
""",
    ),
    Program(
        name="flat_settings",
        code=r'''"""Nested settings as a flat dictionary, and back."""


def flatten(settings, prefix=""):
    """Return a flat dict whose keys are the paths of the leaves.

    The parts of a path are joined with dots: {"a": {"b": 1}} becomes
    {"a.b": 1}. An empty dict is a leaf.
    """
    flat = {}
    for key, value in settings.items():
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(value, dict) and value:
            flat.update(flatten(value, key))
        else:
            flat[path] = value
    return flat


def nest(flat):
    """Return the nested settings of a flat dict."""
    settings = {}
    for path, value in flat.items():
        *parents, last = path.split(".")
        place = settings
        for part in parents:
            place = place.setdefault(part, {})
        place[last] = value
    return settings


def changes(old, new):
    """Return the paths, sorted, at which two nested settings differ."""
    before, after = flatten(old), flatten(new)
    missing = object()
    return sorted(
        path
        for path in before.keys() | after.keys()
        if before.get(path, missing) != after.get(path, missing)
    )
''',
        wrong="flat.update(flatten(value, key))",
        right="flat.update(flatten(value, path))",
        visible="""
def test_already_flat():
    assert flatten({}) == {}
    assert flatten({"a": 1, "b": None}) == {"a": 1, "b": None}


def test_one_level():
    assert flatten({"db": {"host": "h", "port": 1}, "x": 2}) == {"db.host": "h", "db.port": 1, "x": 2}


def test_three_levels():
    assert flatten({"a": {"b": {"c": 3}}}) == {"a.b.c": 3}
    assert flatten({"a": {"b": {"c": 3, "d": 4}, "e": 5}}) == {"a.b.c": 3, "a.b.d": 4, "a.e": 5}


def test_empty_dict_is_leaf():
    assert flatten({"a": {}}) == {"a": {}}


def test_nest():
    assert nest({"a.b": 1, "a.c.d": 2, "e": 3}) == {"a": {"b": 1, "c": {"d": 2}}, "e": 3}


def test_changes_of_flat():
    assert changes({"a": 1, "b": 2}, {"a": 1, "b": 3, "c": None}) == ["b", "c"]
""",
        hidden="""
def test_deep():
    deep = {"a": {"b": {"c": {"d": {"e": 1}}}}}
    assert flatten(deep) == {"a.b.c.d.e": 1}
    assert nest(flatten(deep)) == deep


def test_same_names_at_several_places():
    settings = {"x": {"x": {"x": 1}, "y": {"x": 2}}, "y": {"x": {"x": 3}}}
    assert flatten(settings) == {"x.x.x": 1, "x.y.x": 2, "y.x.x": 3}
    assert nest(flatten(settings)) == settings


def test_explicit_prefix():
    assert flatten({"a": 1, "b": {"c": 2}}, "top") == {"top.a": 1, "top.b.c": 2}
    assert flatten({"b": {"c": {"d": 2}}}, "p.q") == {"p.q.b.c.d": 2}


def test_empty_dict_inside():
    assert flatten({"a": {"b": {"c": {}}}}) == {"a.b.c": {}}
    assert flatten({"a": {"b": {}, "c": []}}) == {"a.b": {}, "a.c": []}


def test_changes_deep():
    old = {"a": {"b": {"c": 1, "d": 2}}, "z": {"b": {"c": 1}}}
    new = {"a": {"b": {"c": 9, "d": 2}}, "z": {"b": {"c": 1, "n": 0}}}
    assert changes(old, new) == ["a.b.c", "z.b.n"]
    assert changes(old, old) == []
""",
    ),
    Program(
        name="derivative_trees",
        code=r'''"""Derivatives of formulas in x.

A formula is a number, the string "x", or a tuple: ("+", a, b), ("-", a, b),
("*", a, b), or ("^", a, n) with a whole number n of at least 1.
"""


def value(formula, x):
    """The value of the formula at x."""
    if formula == "x":
        return x
    if not isinstance(formula, tuple):
        return formula
    sign, left, right = formula
    if sign == "+":
        return value(left, x) + value(right, x)
    if sign == "-":
        return value(left, x) - value(right, x)
    if sign == "*":
        return value(left, x) * value(right, x)
    if sign == "^":
        return value(left, x) ** right
    raise ValueError(f"unknown sign {sign!r}")


def derive(formula):
    """The derivative of the formula, as a formula (not simplified)."""
    if formula == "x":
        return 1
    if not isinstance(formula, tuple):
        return 0
    sign, left, right = formula
    if sign in ("+", "-"):
        return (sign, derive(left), derive(right))
    if sign == "*":
        return ("+", ("*", derive(left), right), ("*", left, derive(right)))
    if sign == "^":
        return ("*", ("*", right, ("^", left, right - 1)), left)
    raise ValueError(f"unknown sign {sign!r}")


def slope(formula, x):
    """The value of the derivative at x."""
    return value(derive(formula), x)
''',
        wrong='return ("*", ("*", right, ("^", left, right - 1)), left)',
        right='return ("*", ("*", right, ("^", left, right - 1)), derive(left))',
        visible="""
def test_value():
    formula = ("+", ("*", 3, "x"), ("^", "x", 2))
    assert value(formula, 2) == 10
    assert value(formula, 0) == 0
    assert value(7, 100) == 7


def test_leaves():
    assert derive(5) == 0
    assert derive("x") == 1


def test_sum_and_difference():
    assert derive(("+", "x", 3)) == ("+", 1, 0)
    assert derive(("-", 4, "x")) == ("-", 0, 1)


def test_product():
    assert slope(("*", "x", "x"), 5) == 10
    assert slope(("*", 3, ("+", "x", 2)), 9) == 3


def test_power():
    assert slope(("^", "x", 3), 2) == 12
    assert slope(("^", "x", 2), -3) == -6


def test_unknown_sign():
    with pytest.raises(ValueError):
        derive(("/", "x", 2))
""",
        hidden="""
def test_power_of_formula():
    assert slope(("^", ("+", ("*", 2, "x"), 1), 3), 1) == 54
    assert slope(("^", ("-", 5, "x"), 2), 3) == -4


def test_power_of_number():
    assert slope(("^", 4, 3), 10) == 0
    assert slope(("^", 1, 5), 2) == 0


def test_first_power():
    for x in (-2, 0, 3):
        assert slope(("^", "x", 1), x) == 1
        assert slope(("^", ("*", 4, "x"), 1), x) == 4


def test_power_inside_power():
    for x in (-1, 1, 2):
        assert slope(("^", ("^", "x", 2), 3), x) == 6 * x ** 5
        assert slope(("*", "x", ("^", "x", 4)), x) == 5 * x ** 4


def test_whole_polynomial():
    formula = ("-", ("+", ("*", 2, ("^", "x", 3)), ("*", 5, "x")), 8)
    for x in range(-3, 4):
        assert slope(formula, x) == 6 * x * x + 5
""",
    ),
    Program(
        name="hanoi_moves",
        code=r'''"""The towers of Hanoi."""


def moves(disks, source="A", target="C", spare="B"):
    """Return the moves that bring `disks` disks from source to target.

    A move is a pair (from peg, to peg). No disk may ever lie on a smaller one.
    """
    if disks == 0:
        return []
    return (
        moves(disks - 1, source, spare, target)
        + [(source, target)]
        + moves(disks - 1, spare, source, target)
    )


def play(disks, steps):
    """Carry out steps from a full peg A; return the pegs as a dict of lists.

    Disks are numbers, 1 the smallest; the last of a list lies on top.
    Raises ValueError for a step that is not allowed.
    """
    pegs = {"A": list(range(disks, 0, -1)), "B": [], "C": []}
    for source, target in steps:
        if not pegs[source]:
            raise ValueError(f"peg {source} is empty")
        if pegs[target] and pegs[target][-1] < pegs[source][-1]:
            raise ValueError(f"disk on {target} is smaller")
        pegs[target].append(pegs[source].pop())
    return pegs
''',
        wrong="+ moves(disks - 1, spare, source, target)",
        right="+ moves(disks - 1, spare, target, source)",
        visible="""
def test_no_disks():
    assert moves(0) == []
    assert play(0, []) == {"A": [], "B": [], "C": []}


def test_one_disk():
    assert moves(1) == [("A", "C")]
    assert moves(1, "B", "A", "C") == [("B", "A")]


def test_number_of_moves():
    assert len(moves(3)) == 7
    assert len(moves(5)) == 31


def test_two_disks():
    assert moves(2) == [("A", "B"), ("A", "C"), ("B", "C")]


def test_play():
    assert play(2, [("A", "B")]) == {"A": [2], "B": [1], "C": []}
    with pytest.raises(ValueError):
        play(2, [("A", "B"), ("A", "B")])
    with pytest.raises(ValueError):
        play(2, [("C", "B")])
""",
        hidden="""
def test_three_disks():
    assert moves(3) == [
        ("A", "C"), ("A", "B"), ("C", "B"), ("A", "C"),
        ("B", "A"), ("B", "C"), ("A", "C"),
    ]


def test_all_end_on_target():
    for disks in range(1, 8):
        assert play(disks, moves(disks)) == {"A": [], "B": [], "C": list(range(disks, 0, -1))}
        assert len(moves(disks)) == 2 ** disks - 1


def test_other_target():
    for disks in (2, 3, 4):
        pegs = play(disks, moves(disks, "A", "B", "C"))
        assert pegs == {"A": [], "B": list(range(disks, 0, -1)), "C": []}


def test_other_names():
    assert moves(2, "left", "right", "middle") == [
        ("left", "middle"), ("left", "right"), ("middle", "right"),
    ]
""",
    ),
    Program(
        name="inversion_count",
        code=r'''"""How far a list is from being sorted."""


def sort_and_count(values):
    """Return (sorted list, number of inversions).

    An inversion is a pair of places i < j with values[i] > values[j].
    """
    if len(values) < 2:
        return list(values), 0
    middle = len(values) // 2
    left, in_left = sort_and_count(values[:middle])
    right, in_right = sort_and_count(values[middle:])
    merged = []
    count = in_left + in_right
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
            count += len(right) - j
    merged += left[i:]
    merged += right[j:]
    return merged, count


def inversions(values):
    """The number of inversions of the values."""
    return sort_and_count(values)[1]


def disorder(values):
    """The inversions as a share, 0 to 1, of the most there can be."""
    most = len(values) * (len(values) - 1) // 2
    return inversions(values) / most if most else 0.0
''',
        wrong="count += len(right) - j",
        right="count += len(left) - i",
        visible="""
def test_short():
    assert sort_and_count([]) == ([], 0)
    assert sort_and_count([4]) == ([4], 0)


def test_sorted_has_none():
    assert inversions([1, 2, 3, 4, 5]) == 0
    assert inversions([7, 7, 7]) == 0


def test_result_is_sorted():
    assert sort_and_count([3, 1, 2, 5, 4])[0] == [1, 2, 3, 4, 5]
    assert sort_and_count([2, 2, 1])[0] == [1, 2, 2]


def test_reversed():
    assert inversions([3, 2, 1]) == 3
    assert inversions([4, 3, 2, 1]) == 6


def test_argument_is_kept():
    values = [3, 1, 2]
    sort_and_count(values)
    assert values == [3, 1, 2]


def test_disorder_of_sorted():
    assert disorder([1, 2, 3]) == 0.0
    assert disorder([9]) == 0.0
""",
        hidden="""
def test_pair():
    assert inversions([2, 1]) == 1
    assert inversions([1, 2]) == 0


def test_against_definition():
    from itertools import permutations
    for values in permutations(range(5)):
        pairs = sum(values[i] > values[j] for i in range(5) for j in range(i, 5))
        assert inversions(values) == pairs
        assert sort_and_count(values)[0] == [0, 1, 2, 3, 4]


def test_with_equal_values():
    assert inversions([2, 1, 2, 1]) == 3
    assert inversions([1, 1, 0, 0]) == 4
    assert inversions([3, 3, 3, 1, 3]) == 3


def test_long_move():
    assert inversions([9, 1, 2, 3, 4, 5, 6]) == 6
    assert inversions([2, 3, 4, 5, 6, 1]) == 5


def test_disorder():
    assert disorder([3, 2, 1]) == 1.0
    assert disorder([2, 1, 3, 4]) == pytest.approx(1 / 6)
    assert disorder([4, 1, 2, 3]) == pytest.approx(0.5)
""",
    ),
    Program(
        name="coin_picks",
        code=r'''"""Picking coins that add up to a sum."""


def picks(coins, total):
    """Return the ways to pay `total` with some of the coins.

    Each coin of the list can be used once; equal coins may occur several
    times in it. Each way is an ascending list; no way occurs twice, and the
    ways are in ascending order. Coins are whole numbers above zero.
    """
    coins = sorted(coins)
    found = []

    def extend(chosen, start, left):
        if left == 0:
            found.append(list(chosen))
            return
        for i in range(start, len(coins)):
            if coins[i] > left:
                break
            if i > 0 and coins[i] == coins[i - 1]:
                continue
            chosen.append(coins[i])
            extend(chosen, i + 1, left - coins[i])
            chosen.pop()

    extend([], 0, total)
    return found


def fewest(coins, total):
    """Return the way with the fewest coins (the first such), or None."""
    ways = picks(coins, total)
    return min(ways, key=len) if ways else None
''',
        wrong="if i > 0 and coins[i] == coins[i - 1]:",
        right="if i > start and coins[i] == coins[i - 1]:",
        visible="""
def test_no_way():
    assert picks([5, 10], 3) == []
    assert picks([], 1) == []
    assert fewest([2, 4], 5) is None


def test_nothing_to_pay():
    assert picks([1, 2], 0) == [[]]
    assert fewest([1, 2], 0) == []


def test_different_coins():
    assert picks([1, 2, 3, 4], 5) == [[1, 4], [2, 3]]
    assert picks([5, 1, 4], 10) == [[1, 4, 5]]


def test_no_way_occurs_twice():
    assert picks([2, 2, 3], 5) == [[2, 3]]


def test_equal_coins_together():
    assert picks([2, 2], 4) == [[2, 2]]
    assert picks([1, 1, 2], 4) == [[1, 1, 2]]


def test_fewest():
    assert fewest([1, 2, 3, 5], 6) == [1, 5]
""",
        hidden="""
def test_many_equal():
    assert picks([1] * 6, 4) == [[1, 1, 1, 1]]
    assert picks([3, 3, 3], 9) == [[3, 3, 3]]
    assert picks([3, 3, 3], 12) == []


def test_mixture():
    assert picks([10, 1, 2, 7, 6, 1, 5], 8) == [[1, 1, 6], [1, 2, 5], [1, 7], [2, 6]]
    assert picks([2, 5, 2, 1, 2], 5) == [[1, 2, 2], [5]]


def test_against_all_subsets():
    from itertools import combinations
    coins = [1, 1, 2, 2, 2, 3, 5, 5]
    for total in range(1, 23):
        ways = {c for n in range(1, 9) for c in combinations(coins, n) if sum(c) == total}
        assert picks(coins, total) == [list(way) for way in sorted(ways)]


def test_fewest_with_equal_coins():
    assert fewest([5, 5, 1, 1, 1], 10) == [5, 5]
    assert fewest([1, 1, 1, 1], 3) == [1, 1, 1]
    assert fewest([4, 2, 2, 3, 1], 4) == [4]


def test_coins_are_kept():
    coins = [3, 1, 3]
    assert picks(coins, 6) == [[3, 3]]
    assert coins == [3, 1, 3]
""",
    ),
    Program(
        name="calc_descent",
        code=r'''"""A calculator for whole numbers by recursive descent."""

import re


class Calculator:
    """Evaluates + - * and parentheses with the usual precedence.

    Operators of the same precedence group from the left.
    """

    def __init__(self, text):
        self._tokens = re.findall(r"\d+|\S", text)
        self._at = 0

    def _peek(self):
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self):
        token = self._peek()
        self._at += 1
        return token

    def result(self):
        """The value of the whole text; ValueError if it is malformed."""
        value = self._sum()
        if self._peek() is not None:
            raise ValueError(f"unexpected {self._peek()}")
        return value

    def _sum(self):
        value = self._product()
        while self._peek() in ("+", "-"):
            if self._take() == "+":
                value += self._product()
            else:
                value -= self._sum()
        return value

    def _product(self):
        value = self._atom()
        while self._peek() == "*":
            self._take()
            value *= self._atom()
        return value

    def _atom(self):
        token = self._take()
        if token == "-":
            return -self._atom()
        if token == "(":
            value = self._sum()
            if self._take() != ")":
                raise ValueError("missing )")
            return value
        if token is None or not token.isdigit():
            raise ValueError(f"unexpected {token}")
        return int(token)
''',
        wrong="value -= self._sum()",
        right="value -= self._product()",
        visible="""
def test_numbers():
    assert Calculator("42").result() == 42
    assert Calculator(" -7 ").result() == -7
    assert Calculator("--3").result() == 3


def test_precedence():
    assert Calculator("2 + 3 * 4").result() == 14
    assert Calculator("20 - 3 * 4").result() == 8
    assert Calculator("2 * 3 + 4").result() == 10


def test_parentheses():
    assert Calculator("(2 + 3) * 4").result() == 20
    assert Calculator("((5))").result() == 5
    assert Calculator("10 - (4 - 1)").result() == 7


def test_chain():
    assert Calculator("1 + 2 + 3").result() == 6
    assert Calculator("10 - 4 - 3").result() == 3


def test_malformed():
    for text in ("", "2 +", "(1", "1 2", ")", "a"):
        with pytest.raises(ValueError):
            Calculator(text).result()
""",
        hidden="""
def test_minus_then_plus():
    assert Calculator("10 - 4 + 3").result() == 9
    assert Calculator("1 - 2 + 3 - 4 + 5").result() == 3
    assert Calculator("9 + 1 - 5 + 5").result() == 10


def test_minus_with_products():
    assert Calculator("20 - 2 * 3 - 4").result() == 10
    assert Calculator("20 - 2 * 3 * 2 + 1").result() == 9
    assert Calculator("5 - 6 * -1").result() == 11


def test_minus_inside_parentheses():
    assert Calculator("2 * (9 - 3 - 1)").result() == 10
    assert Calculator("(8 - 1 + 1) - (5 - 2 - 2) + 3").result() == 10


def test_unary_after_minus():
    assert Calculator("5 - -3").result() == 8
    assert Calculator("5 - -3 - 1").result() == 7
    assert Calculator("-(2 - 5) - 1").result() == 2


def test_long_chain():
    assert Calculator(" - ".join(["100"] + ["1"] * 30)).result() == 70
    assert Calculator("-".join("9111")).result() == 6
    with pytest.raises(ValueError):
        Calculator("3 - ").result()
""",
    ),
    # ------------------------------------------------------------------- strings
    Program(
        name="run_length_text",
        code=r'''"""Run-length encoding of texts without digits."""


def encode(text):
    """Return the text with each run of a letter written as count and letter.

    A count of one is left out: "aaab" becomes "3ab". ValueError for digits.
    """
    parts = []
    start = 0
    for i, letter in enumerate(text):
        if letter.isdigit():
            raise ValueError("text has a digit")
        if i + 1 == len(text) or text[i + 1] != letter:
            length = i + 1 - start
            parts.append(letter if length == 1 else f"{length}{letter}")
            start = i + 1
    return "".join(parts)


def decode(code):
    """Return the text of a code made by `encode`.

    ValueError if the code ends with a count.
    """
    parts = []
    count = 0
    for sign in code:
        if sign.isdigit():
            count = count + int(sign)
        else:
            parts.append(sign * (count or 1))
            count = 0
    if count:
        raise ValueError("count without a letter")
    return "".join(parts)


def saving(text):
    """How many characters shorter the code is than the text."""
    return len(text) - len(encode(text))
''',
        wrong="count = count + int(sign)",
        right="count = count * 10 + int(sign)",
        visible="""
def test_empty():
    assert encode("") == ""
    assert decode("") == ""


def test_encode():
    assert encode("aaab") == "3ab"
    assert encode("abc") == "abc"
    assert encode("a" * 12) == "12a"
    with pytest.raises(ValueError):
        encode("a1")


def test_decode():
    assert decode("3ab") == "aaab"
    assert decode("2x2y2x") == "xxyyxx"
    assert decode("  ") == "  "


def test_there_and_back():
    for text in ("hello", "zzzz", "w" * 15 + "v", "o  o"):
        assert decode(encode(text)) == text


def test_malformed():
    with pytest.raises(ValueError):
        decode("a3")


def test_saving():
    assert saving("aaaaaa") == 4
    assert saving("abc") == 0
""",
        hidden="""
def test_two_digits():
    assert decode("10a") == "a" * 10
    assert decode("21b3c") == "b" * 21 + "ccc"
    assert decode("99z") == "z" * 99


def test_three_digits():
    assert decode("100-") == "-" * 100
    assert decode("205q1r") == "q" * 205 + "r"


def test_back_for_all_lengths():
    for length in range(1, 130):
        text = "m" * length + "n" + "m" * length
        assert decode(encode(text)) == text


def test_count_starts_again():
    assert decode("12a12b") == "a" * 12 + "b" * 12
    assert decode("12ab2c") == "a" * 12 + "bcc"
    with pytest.raises(ValueError):
        decode("12a10")
""",
    ),
    Program(
        name="vigenere",
        code=r'''"""The Vigenere cipher."""


def _shift(letter, places):
    """Move a letter `places` on in the alphabet, keeping its case."""
    first = ord("a") if letter.islower() else ord("A")
    return chr((ord(letter) - first + places) % 26 + first)


def _is_letter(sign):
    return sign.isascii() and sign.isalpha()


def _apply(text, key, direction):
    if not key or not all(_is_letter(sign) for sign in key):
        raise ValueError("the key must be letters")
    places = [ord(sign) - ord("a") for sign in key.lower()]
    result = []
    used = 0
    for i, sign in enumerate(text):
        if not sign.isprintable():
            raise ValueError(f"sign {i} is not printable")
        if _is_letter(sign):
            result.append(_shift(sign, direction * places[i % len(places)]))
            used += 1
        else:
            result.append(sign)
    return "".join(result), used


def encrypt(text, key):
    """Move each letter of the text by the next letter of the key.

    "a" moves by 0, "b" by 1, and so on. The key is repeated as often as
    needed. Other signs stay as they are and use up no letter of the key.
    ValueError for a sign that cannot be printed.
    """
    return _apply(text, key, 1)[0]


def decrypt(text, key):
    """Undo `encrypt` with the same key."""
    return _apply(text, key, -1)[0]


def letters(text):
    """How many letters of the text would be moved."""
    return _apply(text, "a", 1)[1]
''',
        wrong="direction * places[i % len(places)]",
        right="direction * places[used % len(places)]",
        visible="""
def test_one_word():
    assert encrypt("attackatdawn", "lemon") == "lxfopvefrnhr"
    assert decrypt("lxfopvefrnhr", "lemon") == "attackatdawn"


def test_case_is_kept():
    assert encrypt("AbC", "b") == "BcD"
    assert encrypt("xyz", "C") == "zab"


def test_other_signs_use_no_key():
    assert encrypt("ab, ab", "bc") == "bd, bd"
    assert encrypt("a b c", "abc") == "a c e"


def test_there_and_back():
    text = "Meet me at 9, under the clock!"
    assert decrypt(encrypt(text, "Key"), "Key") == text


def test_key_must_be_letters():
    for key in ("", "a b", "k9"):
        with pytest.raises(ValueError):
            encrypt("text", key)


def test_letters():
    assert letters("a-b c1") == 3
    assert letters("") == 0
""",
        hidden="""
def test_signs_in_front():
    assert encrypt("-abc", "bcd") == "-bdf"
    assert encrypt("... xyz", "abc") == "... xzb"


def test_same_letters_with_and_without_spaces():
    text = "the quick, brown fox; jumps!"
    joined = "".join(sign for sign in text if sign.isalpha())
    for key in ("q", "ab", "lemon", "zyxwvut"):
        coded = encrypt(text, key)
        assert "".join(s for s in coded if s.isalpha()) == encrypt(joined, key)
        assert [s for s in coded if not s.isalpha()] == [s for s in text if not s.isalpha()]


def test_known_sentence():
    assert encrypt("Attack at dawn", "LEMON") == "Lxfopv ef rnhr"
    assert decrypt("Lxfopv ef rnhr", "lemon") == "Attack at dawn"


def test_key_longer_than_text():
    assert encrypt("a b", "bcdefgh") == "b d"
    assert decrypt("b d", "bcdefgh") == "a b"


def test_not_printable():
    with pytest.raises(ValueError, match="sign 2 "):
        encrypt("ab\\ncd", "key")
    with pytest.raises(ValueError):
        decrypt("\\t", "key")


def test_letters_not_ascii_stay():
    assert encrypt("\\u00e9a\\u00e9a", "bc") == "\\u00e9b\\u00e9c"
    assert letters("\\u00e9a") == 1
""",
    ),
    Program(
        name="justified_lines",
        code=r'''"""Setting words in lines of a fixed width."""


def break_lines(words, width):
    """Put words in lines, each as full as possible.

    The words of a line are separated by at least one space and must fit in
    the width. Returns a list of lists of words. ValueError for a word that
    is too long.
    """
    lines = []
    line = []
    letters = 0
    for word in words:
        if len(word) > width:
            raise ValueError(f"{word!r} is too long")
        if line and letters + len(word) > width:
            lines.append(line)
            line = []
            letters = 0
        line.append(word)
        letters += len(word)
    if line:
        lines.append(line)
    return lines


def spread(line, width):
    """Return the words as text of exactly the width.

    The gaps differ by one space at most; the wider ones come first. A single
    word stands at the left.
    """
    if len(line) == 1:
        return line[0].ljust(width)
    spaces = width - sum(len(word) for word in line)
    even, extra = divmod(spaces, len(line) - 1)
    text = line[0]
    for i, word in enumerate(line[1:]):
        text += " " * (even + (1 if i < extra else 0)) + word
    return text


def justify(text, width):
    """Return the lines of a paragraph, all but the last one spread."""
    lines = break_lines(text.split(), width)
    return [spread(line, width) for line in lines[:-1]] + [
        " ".join(line) for line in lines[-1:]
    ]
''',
        wrong="if line and letters + len(word) > width:",
        right="if line and letters + len(line) + len(word) > width:",
        visible="""
def test_nothing():
    assert break_lines([], 10) == []
    assert justify("", 10) == []


def test_one_line():
    assert break_lines(["a", "bc"], 10) == [["a", "bc"]]
    assert justify("one  two", 20) == ["one two"]


def test_too_long():
    with pytest.raises(ValueError):
        break_lines(["short", "enormous"], 6)


def test_spread():
    assert spread(["a", "b", "c"], 8) == "a   b  c"
    assert spread(["ab", "cd"], 7) == "ab   cd"
    assert spread(["ab"], 5) == "ab   "


def test_break_lines():
    assert break_lines(["aaaa", "bbbb", "cc"], 8) == [["aaaa"], ["bbbb", "cc"]]
    assert break_lines(["aaa", "bbb", "cc"], 7) == [["aaa", "bbb"], ["cc"]]


def test_justify():
    assert justify("long word by me", 12) == ["long word by", "me"]
""",
        hidden="""
def test_exact_fit():
    assert break_lines(["ab", "cd", "ef"], 5) == [["ab", "cd"], ["ef"]]
    assert break_lines(["ab", "cd", "ef"], 8) == [["ab", "cd", "ef"]]
    assert break_lines(["ab", "cd", "ef"], 7) == [["ab", "cd"], ["ef"]]


def test_single_letters():
    assert break_lines(list("abcdef"), 5) == [["a", "b", "c"], ["d", "e", "f"]]
    assert break_lines(list("abcdef"), 4) == [["a", "b"], ["c", "d"], ["e", "f"]]
    assert break_lines(list("abc"), 1) == [["a"], ["b"], ["c"]]


def test_every_width():
    text = "the rain in spain stays mainly in the plain near a hill"
    words = text.split()
    for width in range(6, 60):
        lines = break_lines(words, width)
        assert [word for line in lines for word in line] == words
        assert all(len(" ".join(line)) <= width for line in lines)
        for line, after in zip(lines, lines[1:]):
            assert len(" ".join(line + after[:1])) > width


def test_lines_have_the_width():
    text = "a bb ccc dddd eee ff g hh iii jjjj"
    for width in range(4, 20):
        *full, last = justify(text, width)
        assert all(len(line) == width for line in full)
        assert len(last) <= width
        assert " ".join(" ".join(full + [last]).split()) == text


def test_paragraph():
    assert justify("This is an example of text justification.", 16) == [
        "This    is    an",
        "example  of text",
        "justification.",
    ]
""",
    ),
    Program(
        name="name_styles",
        code=r'''"""Styles of names in programs."""


def snake(name):
    """Turn a camel-case name into snake case.

    A capital begins a new word if what stands before it is no capital, or if
    a small letter follows: "parseHTTPHeader" becomes "parse_http_header".
    Underscores stay as they are.
    """
    parts = []
    for i, letter in enumerate(name):
        if letter.isupper() and i > 0 and name[i - 1] != "_":
            after = name[i + 1:i + 2]
            if not name[i - 1].isupper() and after.islower():
                parts.append("_")
        parts.append(letter.lower())
    return "".join(parts)


def camel(name, first_capital=False):
    """Turn a snake-case name into camel case."""
    words = [word for word in name.split("_") if word]
    text = "".join(word[0].upper() + word[1:] for word in words)
    if text and not first_capital:
        text = text[0].lower() + text[1:]
    return text


def same_name(one, other):
    """Tell whether two names are the same apart from style."""
    return snake(one).strip("_") == snake(other).strip("_")
''',
        wrong="if not name[i - 1].isupper() and after.islower():",
        right="if not name[i - 1].isupper() or after.islower():",
        visible="""
def test_plain():
    assert snake("") == ""
    assert snake("name") == "name"
    assert snake("snake_case") == "snake_case"


def test_words():
    assert snake("firstName") == "first_name"
    assert snake("FirstName") == "first_name"
    assert snake("aLongerName") == "a_longer_name"


def test_acronyms():
    assert snake("parseHTTPHeader") == "parse_http_header"
    assert snake("XMLFile") == "xml_file"


def test_camel():
    assert camel("first_name") == "firstName"
    assert camel("first_name", first_capital=True) == "FirstName"
    assert camel("__a__b") == "aB"
    assert camel("") == ""


def test_same_name():
    assert same_name("userName", "user_name")
    assert not same_name("userName", "username")
""",
        hidden="""
def test_capital_at_end():
    assert snake("planB") == "plan_b"
    assert snake("userID") == "user_id"
    assert snake("getX") == "get_x"


def test_all_capitals():
    assert snake("HTTP") == "http"
    assert snake("MAX_SIZE") == "max_size"
    assert snake("AB") == "ab"


def test_digits():
    assert snake("utf8Text") == "utf8_text"
    assert snake("vector2D") == "vector2_d"
    assert snake("Base64URL") == "base64_url"


def test_acronym_inside():
    assert snake("myXMLFileURLParser") == "my_xml_file_url_parser"
    assert snake("aBCd") == "a_b_cd"
    assert snake("ABc") == "a_bc"


def test_underscores_and_capitals():
    assert snake("_Private") == "_private"
    assert snake("my_HTTPServer") == "my_http_server"
    assert same_name("_getURL", "get_url")
    assert same_name(camel("read_all_x"), "read_all_x")
""",
    ),
    Program(
        name="quoted_rows",
        code=r'''"""Rows of text fields, as in CSV files."""


def split_row(line, separator=","):
    """Return the fields of a line.

    A field may be put in quotes; then it may hold the separator, and a quote
    in it is written twice. ValueError if a quote is never closed.
    """
    fields = []
    field = ""
    quoted = False
    at = 0
    while at < len(line):
        sign = line[at]
        if quoted:
            if sign != '"':
                field += sign
            elif line[at + 1:at + 2] == '"':
                field += sign
                at += 1
            else:
                quoted = False
        elif sign == '"':
            quoted = True
        elif sign == separator:
            fields.append(field)
            field = ""
        else:
            field += sign
        at += 1
    if quoted:
        raise ValueError("quote is not closed")
    return fields + [field]


def join_row(fields, separator=","):
    """Return the line of some fields; only fields that need quotes get them."""
    texts = []
    for field in fields:
        if any(sign in field for sign in (",", '"', "\n")):
            field = '"' + field.replace('"', '""') + '"'
        texts.append(field)
    return separator.join(texts)


def convert_row(line, old, new):
    """Return the line with another separator."""
    return join_row(split_row(line, old), new)
''',
        wrong="""(",", '"', "\\n")""",
        right="""(separator, '"', "\\n")""",
        visible='''
def test_split_plain():
    assert split_row("a,b,c") == ["a", "b", "c"]
    assert split_row("") == [""]
    assert split_row(",a,") == ["", "a", ""]
    assert split_row("a;b,c", ";") == ["a", "b,c"]


def test_split_quoted():
    assert split_row('"a,b",c') == ["a,b", "c"]
    assert split_row('"say ""hi"""') == ['say "hi"']
    assert split_row('"",x') == ["", "x"]


def test_not_closed():
    with pytest.raises(ValueError):
        split_row('a,"b')


def test_join():
    assert join_row(["a", "b c", ""]) == "a,b c,"
    assert join_row(["a,b", "c"]) == '"a,b",c'
    assert join_row(['x"y']) == '"x""y"'


def test_join_with_semicolon():
    assert join_row(["a", "b"], ";") == "a;b"
    assert join_row(["a;b", "c"], ";") == '"a;b";c'


def test_convert():
    assert convert_row("a;b;c", ";", ",") == "a,b,c"
''',
        hidden='''
def test_only_needed_quotes():
    assert join_row(["1,5", "2"], ";") == "1,5;2"
    assert join_row(["a;b"], ",") == "a;b"
    assert join_row(["a,b;c"], "|") == "a,b;c"


def test_join_with_other_separators():
    assert join_row(["a\\tb", "c"], "\\t") == '"a\\tb"\\tc'
    assert join_row(["a|b", "|"], "|") == '"a|b"|"|"'
    assert join_row(["x y", "z"], " ") == '"x y" z'


def test_line_breaks_and_quotes():
    assert join_row(["a\\nb", "c"], ";") == '"a\\nb";c'
    assert join_row(['"'], "|") == '""""'


def test_there_and_back():
    fields = ["a,b", "c;d", 'e"f', "g|h", "", "i\\nj", "\\t"]
    for separator in (",", ";", "|", "\\t"):
        assert split_row(join_row(fields, separator), separator) == fields


def test_convert_both_ways():
    assert convert_row('"1,5";2', ";", ",") == '"1,5",2'
    assert convert_row('"1,5",2', ",", ";") == "1,5;2"
    assert convert_row("a;b,c", ",", ";") == '"a;b";c'
''',
    ),
    Program(
        name="wildcard_names",
        code=r'''"""Names with wildcards."""


def matches(pattern, name):
    """Tell whether the whole name fits the pattern.

    In a pattern "?" stands for any one sign and "*" for any number of signs,
    none included. Other signs stand for themselves.
    """
    p = n = 0
    star = None
    mark = 0
    while n < len(name):
        if p < len(pattern) and pattern[p] == "*":
            star = p
            mark = n
            p += 1
        elif p < len(pattern) and pattern[p] in ("?", name[n]):
            p += 1
            n += 1
        elif star is not None:
            mark += 1
            p = star + 1
            n = mark
        else:
            return False
    return p == len(pattern)


def select(names, include, exclude=()):
    """Return the names that fit a pattern of include and none of exclude."""
    return [
        name
        for name in names
        if any(matches(pattern, name) for pattern in include)
        and not any(matches(pattern, name) for pattern in exclude)
    ]
''',
        wrong="return p == len(pattern)",
        right='return pattern[p:].strip("*") == ""',
        visible="""
def test_no_wildcards():
    assert matches("abc", "abc")
    assert not matches("abc", "ab")
    assert not matches("ab", "abc")
    assert matches("", "")


def test_question_mark():
    assert matches("a?c", "abc")
    assert not matches("a?", "a")
    assert not matches("?", "")


def test_star_in_the_middle():
    assert matches("a*c", "abbbc")
    assert matches("a*c", "ac")
    assert not matches("a*c", "abcd")


def test_several_stars():
    assert matches("*b*d", "abcbd")
    assert not matches("*b*d", "abcb")


def test_star_stands_for_nothing():
    assert matches("*", "anything")
    assert matches("abc*", "abcdef")
    assert matches("abc*", "abc")


def test_select():
    names = ["a.py", "b.py", "a.txt"]
    assert select(names, ["*.py"]) == ["a.py", "b.py"]
    assert select(names, ["a.*"], ["*.txt"]) == ["a.py"]
""",
        hidden="""
def test_empty_name():
    assert matches("*", "")
    assert matches("***", "")
    assert not matches("*a", "")
    assert not matches("a", "")
    assert not matches("*?", "")


def test_rest_of_pattern():
    assert matches("ab**", "ab")
    assert not matches("ab*c", "ab")
    assert not matches("ab*?", "ab")
    assert not matches("abc", "a")
    assert not matches("a*b*c", "ab")


def test_stars_at_the_end():
    assert matches("a*b*", "axb")
    assert matches("a*b*", "axbx")
    assert matches("?*", "x")
    assert not matches("?*", "")


def test_going_back():
    assert matches("*aab", "aaaaab")
    assert matches("a*bc*d", "abbcbcxd")
    assert not matches("*aab", "aaaaba")
    assert matches("*a?*", "bbab")


def test_against_regular_expressions():
    import re
    from itertools import product
    for length in range(5):
        for signs in product("ab*?", repeat=length):
            pattern = "".join(signs)
            expression = pattern.replace("*", ".*").replace("?", ".")
            for name in ("", "a", "b", "ab", "aab", "baa"):
                assert matches(pattern, name) == bool(re.fullmatch(expression, name))


def test_select_more():
    names = ["test", "test_a", "a_test", ""]
    assert select(names, ["test*"]) == ["test", "test_a"]
    assert select(names, ["*"], ["test*"]) == ["a_test", ""]
    assert select(names, []) == []
""",
    ),
    Program(
        name="typing_distance",
        code=r'''"""How many typing slips lie between two words."""


def distance(first, second):
    """The fewest slips that turn one word into the other.

    A slip puts a letter in, leaves one out, replaces one, or swaps two
    neighbours; no part of a word is changed twice.
    """
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in range(len(first) + 1):
        table[i][0] = i
    for j in range(len(second) + 1):
        table[0][j] = j
    for i in range(1, len(first) + 1):
        for j in range(1, len(second) + 1):
            same = first[i - 1] == second[j - 1]
            best = min(
                table[i - 1][j] + 1,
                table[i][j - 1] + 1,
                table[i - 1][j - 1] + (0 if same else 1),
            )
            if i > 1 and j > 1:
                a, b = first[i - 2], first[i - 1]
                c, d = second[j - 2], second[j - 1]
                if a == c and b == d:
                    best = min(best, table[i - 2][j - 2] + 1)
            table[i][j] = best
    return table[-1][-1]


def closest(word, words, limit=2):
    """Return the words nearest to `word` within the limit, in their order."""
    distances = {other: distance(word, other) for other in words}
    least = min(distances.values(), default=limit + 1)
    if least > limit:
        return []
    return [other for other in words if distances[other] == least]
''',
        wrong="if a == c and b == d:",
        right="if a == d and b == c:",
        visible="""
def test_empty_words():
    assert distance("", "") == 0
    assert distance("", "abc") == 3
    assert distance("ab", "") == 2


def test_same_word():
    assert distance("word", "word") == 0


def test_single_slips():
    assert distance("cat", "cart") == 1
    assert distance("cart", "cat") == 1
    assert distance("cat", "cut") == 1


def test_swap():
    assert distance("ab", "ba") == 1
    assert distance("form", "from") == 1


def test_far_words():
    assert distance("kitten", "sitting") == 3
    assert distance("abc", "xyz") == 3


def test_closest():
    assert closest("hose", ["house", "horse", "mouse"]) == ["house", "horse"]
    assert closest("abc", ["vwxyz"]) == []
    assert closest("abc", []) == []
""",
        hidden="""
def test_two_swaps():
    assert distance("abcd", "badc") == 2
    assert distance("converse", "ocnvesre") == 2


def test_swap_and_more():
    assert distance("abcd", "bacde") == 2
    assert distance("teh", "the") == 1
    assert distance("recieve", "receive") == 1
    assert distance("xab", "ba") == 2


def test_no_part_changed_twice():
    assert distance("ca", "abc") == 3
    assert distance("abc", "cab") == 2
    assert distance("abc", "ca") == 3


def test_not_neighbours():
    assert distance("abc", "cba") == 2
    assert distance("aabb", "bbaa") == 3


def test_is_symmetric():
    words = ["ab", "ba", "abc", "acb", "bca", "aa", "caba", ""]
    for one in words:
        for other in words:
            assert distance(one, other) == distance(other, one)
            assert (distance(one, other) == 0) == (one == other)


def test_closest_with_swap():
    assert closest("tset", ["text", "test", "set"]) == ["test", "set"]
    assert closest("form", ["farms", "from"], limit=1) == ["from"]
""",
    ),
    # ---------------------------------------------------------------- arithmetic
    Program(
        name="exact_ratio",
        code=r'''"""Exact ratios of whole numbers."""

from math import gcd


class Ratio:
    """A ratio in lowest terms; the bottom is always positive."""

    def __init__(self, top, bottom=1):
        if bottom == 0:
            raise ZeroDivisionError("bottom is zero")
        if bottom < 0:
            top, bottom = -top, -bottom
        common = gcd(top, bottom)
        self.top = top // common
        self.bottom = bottom // common

    def __repr__(self):
        return f"{self.top}/{self.bottom}"

    def __eq__(self, other):
        return (self.top, self.bottom) == (other.top, other.bottom)

    def __lt__(self, other):
        return self.top * other.bottom < other.top * self.bottom

    def __add__(self, other):
        top = self.top * other.bottom + other.top * self.bottom
        return Ratio(top, self.bottom * other.bottom)

    def __sub__(self, other):
        return self + Ratio(-other.top, other.bottom)

    def __mul__(self, other):
        return Ratio(self.top * other.top, self.bottom * other.bottom)

    def __truediv__(self, other):
        return Ratio(self.top * other.bottom, self.bottom * other.bottom)

    def mediant(self, other):
        """The ratio of the sums of the tops and of the bottoms."""
        return Ratio(self.top + other.top, self.bottom + other.bottom)
''',
        wrong="return Ratio(self.top * other.bottom, self.bottom * other.bottom)",
        right="return Ratio(self.top * other.bottom, self.bottom * other.top)",
        visible="""
def test_lowest_terms():
    assert repr(Ratio(6, 8)) == "3/4"
    assert repr(Ratio(3, -6)) == "-1/2"
    assert repr(Ratio(0, 5)) == "0/1"
    assert repr(Ratio(4)) == "4/1"


def test_zero_bottom():
    with pytest.raises(ZeroDivisionError):
        Ratio(1, 0)


def test_add_and_subtract():
    assert Ratio(1, 2) + Ratio(1, 3) == Ratio(5, 6)
    assert Ratio(1, 2) - Ratio(1, 3) == Ratio(1, 6)
    assert Ratio(1, 4) - Ratio(1, 4) == Ratio(0)


def test_multiply():
    assert Ratio(2, 3) * Ratio(3, 4) == Ratio(1, 2)
    assert Ratio(-1, 2) * Ratio(2, 5) == Ratio(-1, 5)


def test_divide():
    assert Ratio(3, 4) / Ratio(1, 2) == Ratio(3, 2)
    assert Ratio(1, 2) / Ratio(2, 3) == Ratio(3, 4)


def test_order_and_mediant():
    assert Ratio(1, 3) < Ratio(1, 2)
    assert not Ratio(1, 2) < Ratio(2, 4)
    assert Ratio(1, 2).mediant(Ratio(2, 3)) == Ratio(3, 5)
""",
        hidden="""
def test_divide_by_whole():
    assert Ratio(3, 4) / Ratio(3) == Ratio(1, 4)
    assert Ratio(5) / Ratio(2) == Ratio(5, 2)
    assert Ratio(0) / Ratio(7, 2) == Ratio(0)


def test_divide_by_zero():
    with pytest.raises(ZeroDivisionError):
        Ratio(1, 2) / Ratio(0)
    with pytest.raises(ZeroDivisionError):
        Ratio(0) / Ratio(0, 3)


def test_divide_by_negative():
    assert repr(Ratio(1, 2) / Ratio(-1, 3)) == "-3/2"
    assert repr(Ratio(-2, 3) / Ratio(-4, 9)) == "3/2"


def test_divide_undoes_multiply():
    ratios = [Ratio(a, b) for a in (-5, -2, 1, 3, 8) for b in (1, 2, 7, 9)]
    for one in ratios:
        assert one / one == Ratio(1)
        for other in ratios:
            assert one * other / other == one
            assert one / other * other == one
            assert one + other - other == one


def test_results():
    assert repr(Ratio(2, 3) / Ratio(5, 7)) == "14/15"
    assert repr(Ratio(2, 3) * Ratio(5, 7)) == "10/21"
    assert Ratio(-1, 2) < Ratio(-1, 3) < Ratio(0) < Ratio(1, 100)
""",
    ),
    Program(
        name="joint_remainders",
        code=r'''"""Numbers with given remainders (the Chinese remainder theorem)."""

from math import gcd


def join(first, second):
    """Join two conditions (remainder, modulus) to one, or return None.

    A number fits the result exactly if it fits both. There is none if no
    number fits both.
    """
    r1, m1 = first
    r2, m2 = second
    common = gcd(m1, m2)
    difference = r2 - r1
    if difference % common:
        return None
    rest = m2 // common
    step = difference // common * pow(m1 // common, -1, rest) % rest
    modulus = m1 * m2
    return (r1 + m1 * step) % modulus, modulus


def solve(conditions):
    """Join any number of conditions; None if no number fits them all."""
    result = (0, 1)
    for condition in conditions:
        result = join(result, condition)
        if result is None:
            return None
    return result


def fitting(conditions, limit):
    """Return the numbers from 0 to below the limit that fit all conditions."""
    result = solve(conditions)
    if result is None:
        return []
    start, modulus = result
    return list(range(start, limit, modulus))
''',
        wrong="modulus = m1 * m2",
        right="modulus = m1 * m2 // common",
        visible="""
def test_no_conditions():
    assert solve([]) == (0, 1)
    assert fitting([], 4) == [0, 1, 2, 3]


def test_one_condition():
    assert solve([(2, 5)]) == (2, 5)
    assert fitting([(2, 5)], 13) == [2, 7, 12]


def test_without_common_factor():
    assert join((2, 3), (3, 5)) == (8, 15)
    assert solve([(2, 3), (3, 5), (2, 7)]) == (23, 105)


def test_with_common_factor():
    assert join((1, 4), (3, 6)) == (9, 12)
    assert fitting([(1, 4), (3, 6)], 40) == [9, 21, 33]


def test_no_number_fits():
    assert join((0, 4), (1, 6)) is None
    assert solve([(0, 2), (1, 2)]) is None
    assert fitting([(0, 2), (1, 4)], 100) == []
""",
        hidden="""
def test_same_modulus():
    assert join((3, 7), (3, 7)) == (3, 7)
    assert join((3, 7), (4, 7)) is None


def test_one_modulus_divides_the_other():
    assert join((1, 3), (4, 9)) == (4, 9)
    assert join((4, 9), (1, 3)) == (4, 9)
    assert join((5, 10), (0, 5)) == (5, 10)


def test_against_search():
    for m1 in range(1, 9):
        for m2 in range(1, 9):
            for r1 in range(m1):
                for r2 in range(m2):
                    found = [n for n in range(60) if n % m1 == r1 and n % m2 == r2]
                    assert fitting([(r1, m1), (r2, m2)], 60) == found


def test_three_with_common_factors():
    assert solve([(5, 6), (3, 4), (8, 9)]) == (35, 36)
    assert solve([(0, 6), (0, 10), (0, 15)]) == (0, 30)
    assert solve([(1, 2), (2, 3), (3, 4)]) == (11, 12)


def test_solution_after_three():
    assert fitting([(1, 2), (2, 3), (3, 4), (4, 5)], 200) == [59, 119, 179]
    assert fitting([(1, 2), (1, 4)], 12) == [1, 5, 9]
""",
    ),
    Program(
        name="periodic_decimals",
        code=r'''"""Decimal expansions of ratios."""


def expansion(top, bottom):
    """Return (whole, fixed, period) of the absolute value of top / bottom.

    `whole` is a number; `fixed` are the digits after the point that do not
    repeat and `period` those that do, both as text.
    """
    whole, rest = divmod(abs(top), abs(bottom))
    digits = ""
    seen = {}
    while rest and rest not in seen:
        seen[rest] = len(digits)
        digit, rest = divmod(rest * 10, abs(bottom))
        digits += str(digit)
    if not rest:
        return whole, digits, ""
    start = seen[rest]
    return whole, digits[:start], digits[start:]


def decimal(top, bottom):
    """Return top / bottom as text; the period stands in parentheses."""
    whole, fixed, period = expansion(top, bottom)
    negative = top < 0 or bottom < 0
    text = f"-{whole}" if negative and top else str(whole)
    if fixed or period:
        text += "." + fixed
    if period:
        text += f"({period})"
    return text


def period_length(bottom):
    """How many digits repeat in 1 / bottom."""
    return len(expansion(1, bottom)[2])
''',
        wrong="negative = top < 0 or bottom < 0",
        right="negative = (top < 0) != (bottom < 0)",
        visible="""
def test_whole_numbers():
    assert decimal(6, 3) == "2"
    assert decimal(0, 7) == "0"
    assert decimal(0, -7) == "0"


def test_finite():
    assert decimal(1, 2) == "0.5"
    assert decimal(25, 8) == "3.125"
    assert decimal(1, 20) == "0.05"


def test_periodic():
    assert decimal(1, 3) == "0.(3)"
    assert decimal(1, 6) == "0.1(6)"
    assert decimal(22, 7) == "3.(142857)"


def test_signs():
    assert decimal(-1, 4) == "-0.25"
    assert decimal(1, -4) == "-0.25"
    assert decimal(-1, -4) == "0.25"


def test_division_by_zero():
    with pytest.raises(ZeroDivisionError):
        decimal(1, 0)


def test_period_length():
    assert period_length(7) == 6
    assert period_length(8) == 0
    assert period_length(12) == 1
""",
        hidden="""
def test_both_negative():
    assert decimal(-22, -7) == "3.(142857)"
    assert decimal(-6, -3) == "2"
    assert decimal(-1, -6) == "0.1(6)"


def test_one_negative():
    assert decimal(-6, 3) == "-2"
    assert decimal(6, -3) == "-2"
    assert decimal(-22, 7) == "-3.(142857)"
    assert decimal(1, -3) == "-0.(3)"


def test_none_negative():
    assert decimal(7, 12) == "0.58(3)"
    assert decimal(1, 11) == "0.(09)"
    assert decimal(100, 99) == "1.(01)"


def test_zero_has_no_sign():
    for bottom in (-10, -1, 1, 10):
        assert decimal(0, bottom) == "0"


def test_sign_belongs_to_the_quotient():
    for top in (-9, -4, 1, 5):
        for bottom in (-8, -3, 2, 7):
            assert decimal(top, bottom) == decimal(-top, -bottom)
            assert decimal(top, bottom).startswith("-") == (top * bottom < 0)


def test_expansion():
    assert expansion(-25, 8) == (3, "125", "")
    assert expansion(5, 14) == (0, "3", "571428")
    assert period_length(17) == 16
""",
    ),
    Program(
        name="polynomial_division",
        code=r'''"""Polynomials as lists of coefficients, the constant one first."""


def trim(coefficients):
    """Return the list without zeros at its end."""
    result = list(coefficients)
    while result and result[-1] == 0:
        result.pop()
    return result


def value(coefficients, x):
    """The value of the polynomial at x."""
    result = 0
    for coefficient in reversed(coefficients):
        result = result * x + coefficient
    return result


def multiply(one, other):
    """The product of two polynomials."""
    result = [0] * (len(one) + len(other))
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            result[i + j] += a * b
    return trim(result)


def divide(dividend, divisor):
    """Return (quotient, rest), both trimmed.

    The leading coefficient of the divisor must be 1 (or -1).
    """
    divisor = trim(divisor)
    if not divisor or divisor[-1] not in (1, -1):
        raise ValueError("leading coefficient must be 1 or -1")
    rest = list(dividend)
    quotient = [0] * len(rest)
    for shift in range(len(rest) - len(divisor), -1, -1):
        factor = rest[shift + len(divisor) - 1] * divisor[-1]
        quotient[shift] = factor
        for i, coefficient in enumerate(divisor):
            rest[i] -= factor * coefficient
    return trim(quotient), trim(rest)
''',
        wrong="rest[i] -= factor * coefficient",
        right="rest[shift + i] -= factor * coefficient",
        visible="""
def test_trim():
    assert trim([1, 2, 0, 0]) == [1, 2]
    assert trim([0, 0]) == []
    assert trim([0, 1]) == [0, 1]


def test_value():
    assert value([1, 2, 3], 2) == 17
    assert value([], 5) == 0
    assert value([4, 0, 1], -3) == 13


def test_multiply():
    assert multiply([1, 1], [1, 1]) == [1, 2, 1]
    assert multiply([-1, 1], [1, 1]) == [-1, 0, 1]
    assert multiply([], [1, 2]) == []


def test_divide_same_degree():
    assert divide([3, 1], [1, 1]) == ([1], [2])
    assert divide([5, 0, 2], [1, 3, 1]) == ([2], [3, -6])


def test_divide_by_linear():
    assert divide([-1, 0, 1], [-1, 1]) == ([1, 1], [])
    assert divide([1, 2, 3], [0, 1]) == ([2, 3], [1])


def test_divide_by_greater_or_zero():
    assert divide([1, 2], [0, 0, 1]) == ([], [1, 2])
    with pytest.raises(ValueError):
        divide([1, 2], [])
    with pytest.raises(ValueError):
        divide([1, 2], [1, 2])
""",
        hidden="""
def test_cubes():
    assert divide([-1, 0, 0, 1], [-1, 1]) == ([1, 1, 1], [])
    assert divide([1, 0, 0, 1], [1, 1]) == ([1, -1, 1], [])
    assert divide([-8, 0, 0, 1], [-2, 1]) == ([4, 2, 1], [])


def test_divide_by_quadratic():
    assert divide([1, 0, 0, 0, 1], [1, 0, 1]) == ([-1, 0, 1], [2])
    assert divide([5, 4, 3, 2], [1, 1, 1]) == ([1, 2], [4, 1])


def test_negative_leading_coefficient():
    assert divide([-1, 0, 1], [1, -1]) == ([-1, -1], [])
    assert divide([2, 3, 4], [5, -1]) == ([-23, -4], [117])


def test_divide_by_one():
    assert divide([7, 0, 2], [1]) == ([7, 0, 2], [])
    assert divide([7, 0, 2], [-1]) == ([-7, 0, -2], [])


def test_product_plus_rest():
    for quotient in ([1], [2, -3], [0, 0, 5], [1, 2, 3, 4]):
        for divisor in ([4, 1], [1, -2, 1], [0, 3, 0, -1]):
            for rest in ([], [6], [-2]):
                dividend = multiply(quotient, divisor)
                for i, number in enumerate(rest):
                    dividend[i] += number
                assert divide(dividend, divisor) == (quotient, rest)


def test_arguments_are_kept():
    dividend, divisor = [1, 2, 3, 4], [1, 1, 0]
    quotient, rest = divide(dividend, divisor)
    assert dividend == [1, 2, 3, 4] and divisor == [1, 1, 0]
    for x in range(-3, 4):
        assert value(quotient, x) * value(divisor, x) + value(rest, x) == value(dividend, x)
""",
    ),
    Program(
        name="prime_powers",
        code=r'''"""Numbers and their prime factors."""


def factorize(number):
    """Return the prime factors as a dict from prime to exponent.

    The number must be at least 1, which has no prime factors.
    """
    if number < 1:
        raise ValueError("number must be at least 1")
    factors = {}
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            factors[divisor] = factors.get(divisor, 0) + 1
            number //= divisor
        divisor += 1
    if number > 1:
        factors[number] = factors.get(number, 0) + 1
    return factors


def divisors(number):
    """Return all divisors in ascending order."""
    result = [1]
    for prime, exponent in factorize(number).items():
        powers = [prime ** e for e in range(exponent + 1)]
        result = [divisor * power for divisor in result for power in powers]
    return sorted(result)


def totient(number):
    """How many of 1 .. number have no common factor with it."""
    result = number
    for prime in factorize(number):
        result -= number // prime
    return result


def radical(number):
    """The product of the different primes of the number."""
    result = 1
    for prime in factorize(number):
        result *= prime
    return result
''',
        wrong="result -= number // prime",
        right="result -= result // prime",
        visible="""
def test_factorize():
    assert factorize(1) == {}
    assert factorize(12) == {2: 2, 3: 1}
    assert factorize(97) == {97: 1}
    assert factorize(49) == {7: 2}


def test_too_small():
    with pytest.raises(ValueError):
        factorize(0)


def test_divisors():
    assert divisors(1) == [1]
    assert divisors(12) == [1, 2, 3, 4, 6, 12]
    assert divisors(13) == [1, 13]


def test_totient_of_prime_powers():
    assert totient(1) == 1
    assert totient(7) == 6
    assert totient(9) == 6
    assert totient(16) == 8


def test_totient():
    assert totient(6) == 2
    assert totient(10) == 4


def test_radical():
    assert radical(1) == 1
    assert radical(72) == 6
""",
        hidden="""
def test_totient_against_gcd():
    from math import gcd
    for number in range(1, 121):
        assert totient(number) == sum(gcd(number, n) == 1 for n in range(1, number + 1))


def test_three_primes():
    assert totient(30) == 8
    assert totient(60) == 16
    assert totient(210) == 48


def test_totients_of_divisors_add_up():
    for number in (1, 12, 35, 36, 90, 97, 128):
        assert sum(totient(d) for d in divisors(number)) == number


def test_divisors_and_factors():
    for number in range(1, 80):
        assert divisors(number) == [d for d in range(1, number + 1) if number % d == 0]
        product = 1
        for prime, exponent in factorize(number).items():
            product *= prime ** exponent
        assert product == number


def test_radical_divides():
    assert radical(36) == 6
    assert radical(30) == 30
    assert radical(125) == 5
""",
    ),
    Program(
        name="fair_cents",
        code=r'''"""Splitting amounts of money without losing a cent."""


def split(amount, weights):
    """Return shares of the amount, in cents, in proportion to the weights.

    The shares are whole numbers that add up to the amount. Each is rounded
    down; the cents that remain go one each to those who lost the greatest
    part of a cent, and to the earlier ones among equals.
    """
    total = sum(weights)
    if total <= 0 or min(weights) < 0:
        raise ValueError("weights must not be negative nor all zero")
    if amount < 0:
        raise ValueError("amount must not be negative")
    shares = [amount * weight // total for weight in weights]
    lost = [amount * weight % total for weight in weights]
    order = sorted(range(len(weights)), key=lambda i: lost[i])
    for i in order[:amount - sum(shares)]:
        shares[i] += 1
    return shares


def euros(cents):
    """Return cents as text, such as 12.05."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def bill(amount, people):
    """Return a dict from name to text of the share; people maps name to weight."""
    shares = split(amount, list(people.values()))
    return {name: euros(share) for name, share in zip(people, shares)}
''',
        wrong="key=lambda i: lost[i])",
        right="key=lambda i: -lost[i])",
        visible="""
def test_even():
    assert split(90, [1, 1, 1]) == [30, 30, 30]
    assert split(0, [1, 2]) == [0, 0]
    assert split(7, [3]) == [7]


def test_earlier_ones_first():
    assert split(100, [1, 1, 1]) == [34, 33, 33]
    assert split(101, [1, 1, 1]) == [34, 34, 33]


def test_greatest_part_first():
    assert split(10, [1, 2]) == [3, 7]
    assert split(100, [1, 1, 4]) == [17, 17, 66]


def test_bad_weights():
    for weights in ([0, 0], [2, -1]):
        with pytest.raises(ValueError):
            split(10, weights)
    with pytest.raises(ValueError):
        split(-1, [1])


def test_euros():
    assert euros(1205) == "12.05"
    assert euros(7) == "0.07"
    assert euros(-150) == "-1.50"


def test_bill():
    assert bill(1000, {"ann": 1, "bob": 1}) == {"ann": "5.00", "bob": "5.00"}
""",
        hidden="""
def test_weight_zero_gets_nothing():
    assert split(100, [0, 1, 1, 1]) == [0, 34, 33, 33]
    assert split(5, [0, 3, 4]) == [0, 2, 3]
    assert split(1, [1, 0, 2]) == [0, 0, 1]


def test_several_cents():
    assert split(11, [1, 2, 3, 4]) == [1, 2, 3, 5]
    assert split(17, [5, 1, 1, 5]) == [7, 2, 1, 7]
    assert split(8, [3, 3, 1]) == [4, 3, 1]


def test_equal_parts_keep_order():
    assert split(3, [1, 1]) == [2, 1]
    assert split(6, [1, 1, 1, 1]) == [2, 2, 1, 1]
    assert split(50, [2, 1, 2, 1]) == [17, 8, 17, 8]


def test_nothing_is_lost():
    for amount in range(60):
        for weights in ([1, 2, 3], [7, 1, 1], [2, 2, 5, 9], [10, 1]):
            shares = split(amount, weights)
            total = sum(weights)
            assert sum(shares) == amount
            for share, weight in zip(shares, weights):
                assert abs(share * total - amount * weight) < total


def test_nearest_of_two():
    for amount in range(1, 40):
        small, great = split(amount, [1, 3])
        assert small == (amount + 2) // 4
        assert small + great == amount


def test_bill_with_rest():
    assert bill(1000, {"ann": 1, "bob": 2}) == {"ann": "3.33", "bob": "6.67"}
    assert bill(5, {"x": 1, "y": 1, "z": 1}) == {"x": "0.02", "y": "0.02", "z": "0.01"}
""",
    ),
    Program(
        name="calendar_days",
        code=r'''"""Dates of the Gregorian calendar as numbers of days."""

LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def is_leap(year):
    """Tell whether the year has 366 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_length(year, month):
    """How many days the month (1 to 12) has."""
    return LENGTHS[month - 1] + (1 if month == 2 and is_leap(year) else 0)


def day_of_year(year, month, day):
    """The number of the day in its year; January 1 is 1."""
    if not 1 <= month <= 12 or not 1 <= day <= month_length(year, month):
        raise ValueError("no such date")
    days = sum(LENGTHS[:month - 1]) + day
    if month >= 2 and is_leap(year):
        days += 1
    return days


def day_number(year, month, day):
    """The number of the day; January 1 of the year 1 is 1."""
    before = year - 1
    leaps = before // 4 - before // 100 + before // 400
    return before * 365 + leaps + day_of_year(year, month, day)


def weekday(year, month, day):
    """The name of the day of the week."""
    return NAMES[(day_number(year, month, day) - 1) % 7]


def days_between(first, second):
    """How many days lie from one date (year, month, day) to another."""
    return day_number(*second) - day_number(*first)
''',
        wrong="if month >= 2 and is_leap(year):",
        right="if month > 2 and is_leap(year):",
        visible="""
def test_leap_years():
    assert is_leap(2024) and is_leap(2000)
    assert not is_leap(2023) and not is_leap(1900)


def test_month_length():
    assert month_length(2023, 2) == 28
    assert month_length(2024, 2) == 29
    assert month_length(2024, 4) == 30


def test_day_of_year():
    assert day_of_year(2023, 1, 1) == 1
    assert day_of_year(2023, 12, 31) == 365
    assert day_of_year(2024, 12, 31) == 366


def test_no_such_date():
    for date in ((2023, 2, 29), (2023, 13, 1), (2023, 0, 1), (2024, 4, 31)):
        with pytest.raises(ValueError):
            day_of_year(*date)


def test_weekday():
    assert weekday(2000, 1, 1) == "Saturday"
    assert weekday(2024, 2, 29) == "Thursday"
    assert weekday(1969, 7, 20) == "Sunday"


def test_days_between():
    assert days_between((2023, 1, 1), (2024, 1, 1)) == 365
    assert days_between((2024, 1, 1), (2025, 1, 1)) == 366
    assert days_between((2024, 5, 5), (2024, 5, 1)) == -4
""",
        hidden="""
def test_around_february():
    assert [day_of_year(2024, *d) for d in ((1, 31), (2, 1), (2, 29), (3, 1))] == [31, 32, 60, 61]
    assert [day_of_year(2023, *d) for d in ((1, 31), (2, 1), (2, 28), (3, 1))] == [31, 32, 59, 60]
    assert day_of_year(2000, 2, 15) == 46
    assert day_of_year(1900, 3, 1) == 60


def test_against_datetime():
    import datetime
    for year in (1, 4, 1899, 1900, 2000, 2023, 2024):
        for month in range(1, 13):
            for day in (1, 15, month_length(year, month)):
                date = datetime.date(year, month, day)
                assert day_number(year, month, day) == date.toordinal()
                assert day_of_year(year, month, day) == date.timetuple().tm_yday
                assert weekday(year, month, day) == NAMES[date.weekday()]


def test_between_in_leap_year():
    assert days_between((2024, 1, 31), (2024, 2, 1)) == 1
    assert days_between((2024, 2, 28), (2024, 3, 1)) == 2
    assert days_between((2024, 2, 29), (2024, 3, 1)) == 1
    assert days_between((2023, 2, 28), (2023, 3, 1)) == 1


def test_every_day_of_a_leap_year():
    numbers = [
        day_of_year(2024, month, day)
        for month in range(1, 13)
        for day in range(1, month_length(2024, month) + 1)
    ]
    assert numbers == list(range(1, 367))
""",
    ),
    # -------------------------------------------------------------------- graphs
    Program(
        name="maze_steps",
        code=r'''"""Ways through a maze drawn as lines of text; "#" is a wall."""

from collections import deque

DIRECTIONS = ((0, 1), (1, 0), (0, -1), (1, 0))


def find(maze, sign):
    """Return (row, column) of the first place with the sign, or None."""
    for row, line in enumerate(maze):
        if sign in line:
            return row, line.index(sign)
    return None


def neighbours(maze, place):
    """Return the free places right, below, left of and above a place."""
    found = []
    for down, right in DIRECTIONS:
        row, column = place[0] + down, place[1] + right
        if 0 <= row < len(maze) and 0 <= column < len(maze[row]):
            if maze[row][column] != "#":
                found.append((row, column))
    return found


def distances(maze, start):
    """Return a dict from each place that can be reached to its steps."""
    steps = {start: 0}
    queue = deque([start])
    while queue:
        place = queue.popleft()
        for other in neighbours(maze, place):
            if other not in steps:
                steps[other] = steps[place] + 1
                queue.append(other)
    return steps


def solve(maze):
    """The fewest steps from "S" to "E", or None if there is no way."""
    return distances(maze, find(maze, "S")).get(find(maze, "E"))
''',
        wrong="DIRECTIONS = ((0, 1), (1, 0), (0, -1), (1, 0))",
        right="DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))",
        visible="""
def test_find():
    assert find(["..", ".S"], "S") == (1, 1)
    assert find(["..", ".."], "S") is None


def test_straight():
    assert solve(["S..E"]) == 3
    assert solve(["S", ".", "E"]) == 2
    assert solve(["E.S"]) == 2


def test_no_way():
    assert solve(["S#E"]) is None
    assert solve(["S#.", "##.", "..E"]) is None


def test_around_a_wall():
    assert solve(["S#..", ".#.#", "...E"]) == 5


def test_way_up():
    assert solve(["S#E", ".#.", "..."]) == 6


def test_distances():
    assert distances(["..", "#."], (0, 0)) == {(0, 0): 0, (0, 1): 1, (1, 1): 2}
""",
        hidden="""
def test_neighbours_in_order():
    open_maze = ["...", "...", "..."]
    assert neighbours(open_maze, (1, 1)) == [(1, 2), (2, 1), (1, 0), (0, 1)]
    assert neighbours(open_maze, (0, 0)) == [(0, 1), (1, 0)]
    assert neighbours(open_maze, (2, 2)) == [(2, 1), (1, 2)]


def test_neighbours_at_walls():
    maze = ["#.#", "..#", "#.#"]
    assert neighbours(maze, (1, 1)) == [(2, 1), (1, 0), (0, 1)]
    assert neighbours(maze, (0, 1)) == [(1, 1)]


def test_straight_up():
    assert solve(["E", ".", ".", "S"]) == 3
    assert solve(["E..", "...", "..S"]) == 4


def test_winding():
    assert solve(["S.#...E", "#.#.###", "#.#.#..", "#...#.."]) == 12
    assert solve(["..E", ".##", "..S"]) == 6


def test_distances_are_symmetric():
    maze = ["..#..", ".....", "#.#.#", "....."]
    free = [(r, c) for r in range(4) for c in range(5) if maze[r][c] != "#"]
    tables = {place: distances(maze, place) for place in free}
    for one in free:
        for other in free:
            assert tables[one][other] == tables[other][one]
    assert tables[3, 4][0, 0] == 7
""",
    ),
    Program(
        name="build_order",
        code=r'''"""The order in which to carry out tasks."""

import heapq


def build_order(needs):
    """Return the tasks so that each comes after the tasks it needs.

    `needs` maps every task to a list of the tasks it needs. Among the tasks
    that could come next the alphabetically first does. ValueError if some
    tasks need each other.
    """
    waiting = {task: len(needs[task]) for task in needs}
    followers = {task: [] for task in needs}
    for task, needed in needs.items():
        for other in needed:
            followers[other].append(task)
    ready = [task for task in needs if waiting[task] == 0]
    heapq.heapify(ready)
    order = []
    while ready:
        task = heapq.heappop(ready)
        order.append(task)
        for follower in needs[task]:
            waiting[follower] -= 1
            if waiting[follower] == 0:
                heapq.heappush(ready, follower)
    if len(order) < len(needs):
        raise ValueError("tasks need each other")
    return order


def stages(needs):
    """Return lists of tasks; those of a list can be done at the same time."""
    stage = {}
    for task in build_order(needs):
        stage[task] = max((stage[other] + 1 for other in needs[task]), default=0)
    result = [[] for _ in range(max(stage.values(), default=-1) + 1)]
    for task in sorted(stage):
        result[stage[task]].append(task)
    return result
''',
        wrong="for follower in needs[task]:",
        right="for follower in followers[task]:",
        visible="""
def test_nothing():
    assert build_order({}) == []
    assert stages({}) == []


def test_independent_tasks():
    assert build_order({"b": [], "c": [], "a": []}) == ["a", "b", "c"]
    assert stages({"b": [], "a": []}) == [["a", "b"]]


def test_cycle():
    with pytest.raises(ValueError):
        build_order({"a": ["b"], "b": ["a"]})
    with pytest.raises(ValueError):
        build_order({"a": ["a"], "b": []})


def test_unknown_task():
    with pytest.raises(KeyError):
        build_order({"a": ["x"]})


def test_chain():
    assert build_order({"test": ["build"], "build": ["fetch"], "fetch": []}) == ["fetch", "build", "test"]
""",
        hidden="""
def test_diamond():
    needs = {"a": ["c", "d"], "c": ["z"], "d": ["z"], "z": []}
    assert build_order(needs) == ["z", "c", "d", "a"]
    assert stages(needs) == [["z"], ["c", "d"], ["a"]]


def test_alphabetic_choice():
    needs = {"a": ["m"], "b": [], "m": [], "x": ["b"], "c": ["m", "b"]}
    assert build_order(needs) == ["b", "m", "a", "c", "x"]


def test_waits_for_all():
    needs = {"a": ["x", "y", "z"], "x": [], "y": [], "z": ["y"], "b": []}
    assert build_order(needs) == ["b", "x", "y", "z", "a"]
    assert stages(needs) == [["b", "x", "y"], ["z"], ["a"]]


def test_cycle_behind_good_tasks():
    with pytest.raises(ValueError):
        build_order({"a": [], "b": ["a", "d"], "c": ["b"], "d": ["c"]})
    with pytest.raises(ValueError):
        stages({"a": [], "b": ["a", "b"]})


def test_long_chain_is_kept():
    needs = {n: [n - 1] if n else [] for n in range(30)}
    assert build_order(needs) == list(range(30))
    assert stages(needs) == [[n] for n in range(30)]
    backwards = {n: [n + 1] if n < 29 else [] for n in range(30)}
    assert build_order(backwards) == list(range(29, -1, -1))
""",
    ),
    Program(
        name="cheapest_roads",
        code=r'''"""Cheapest ways in a network of roads."""

import heapq


class Network:
    """Places joined by roads that have a length in both directions."""

    def __init__(self):
        self._roads = {}

    def add(self, one, other, length):
        """Add a road."""
        if length < 0:
            raise ValueError("length must not be negative")
        self._roads.setdefault(one, []).append((other, length))
        self._roads.setdefault(other, []).append((one, length))

    def lengths(self, start):
        """Return (best, before): two dicts for each place that can be reached.

        `best` is the length of the shortest way from the start, `before` the
        place before it on that way (None for the start).
        """
        best = {start: 0}
        before = {start: None}
        queue = [(0, start)]
        while queue:
            so_far, place = heapq.heappop(queue)
            if so_far > best[place]:
                continue
            for other, length in self._roads.get(place, []):
                total = so_far + length
                if other not in best or total < best[other]:
                    best[other] = length
                    before[other] = place
                    heapq.heappush(queue, (total, other))
        return best, before

    def route(self, start, goal):
        """Return (length, list of places) of the shortest way, or None."""
        best, before = self.lengths(start)
        if goal not in best:
            return None
        places = []
        place = goal
        while place is not None:
            places.append(place)
            place = before[place]
        return best[goal], places[::-1]
''',
        wrong="best[other] = length",
        right="best[other] = total",
        visible="""
def network(*roads):
    result = Network()
    for one, other, length in roads:
        result.add(one, other, length)
    return result


def test_one_road():
    roads = network(("a", "b", 5))
    assert roads.route("a", "b") == (5, ["a", "b"])
    assert roads.route("b", "a") == (5, ["b", "a"])


def test_start_is_goal():
    assert network(("a", "b", 1)).route("a", "a") == (0, ["a"])
    assert Network().route("x", "x") == (0, ["x"])


def test_no_way():
    assert network(("a", "b", 1), ("c", "d", 1)).route("a", "d") is None


def test_detour_is_shorter():
    roads = network(("a", "c", 10), ("a", "b", 2), ("b", "c", 3))
    assert roads.route("a", "c") == (5, ["a", "b", "c"])


def test_long_way():
    roads = network(("a", "b", 4), ("b", "c", 3), ("c", "d", 2), ("a", "d", 20))
    assert roads.route("a", "d") == (9, ["a", "b", "c", "d"])


def test_negative_length():
    with pytest.raises(ValueError):
        network(("a", "b", -1))
""",
        hidden="""
def network(*roads):
    result = Network()
    for one, other, length in roads:
        result.add(one, other, length)
    return result


def test_line():
    roads = network(*((n, n + 1, n + 1) for n in range(10)))
    assert roads.lengths(0)[0] == {n: n * (n + 1) // 2 for n in range(11)}
    assert roads.route(10, 7) == (27, [10, 9, 8, 7])


def test_direct_road_is_shorter():
    roads = network(("a", "b", 4), ("b", "c", 4), ("c", "d", 1), ("a", "d", 7))
    assert roads.route("a", "d") == (7, ["a", "d"])
    assert roads.route("a", "c") == (8, ["a", "b", "c"]) or roads.route("a", "c") == (8, ["a", "d", "c"])
    assert roads.lengths("a")[0] == {"a": 0, "b": 4, "d": 7, "c": 8}


def test_roads_of_length_zero():
    roads = network(("a", "b", 0), ("b", "c", 0), ("c", "d", 6))
    assert roads.route("a", "d") == (6, ["a", "b", "c", "d"])


def test_two_roads_between_places():
    roads = network(("a", "b", 9), ("a", "b", 2), ("b", "c", 5), ("b", "c", 1))
    assert roads.route("a", "c") == (3, ["a", "b", "c"])


def test_against_repeated_relaxing():
    pairs = [(i, (i * 5 + 3) % 12, (i * 7) % 11 + 1) for i in range(12)]
    pairs += [(i, (i + 1) % 12, (i * 3) % 8 + 1) for i in range(12)]
    roads = network(*pairs)
    for start in range(12):
        best = {n: 10 ** 6 for n in range(12)}
        best[start] = 0
        for _ in range(12):
            for one, other, length in pairs:
                best[one] = min(best[one], best[other] + length)
                best[other] = min(best[other], best[one] + length)
        assert roads.lengths(start)[0] == best
""",
    ),
    Program(
        name="friend_groups",
        code=r'''"""Groups of people who know each other through others."""


class Groups:
    """Disjoint groups that can be joined; each member starts alone."""

    def __init__(self, members):
        self._above = {member: member for member in members}
        self._sizes = {member: 1 for member in members}

    def leader(self, member):
        """Return the one who stands for the whole group of a member."""
        while self._above[member] != member:
            self._above[member] = self._above[self._above[member]]
            member = self._above[member]
        return member

    def join(self, one, other):
        """Join the groups of two members; tell whether they were different."""
        great, small = self.leader(one), self.leader(other)
        if great == small:
            return False
        if self._sizes[great] < self._sizes[small]:
            great, small = small, great
        self._above[small] = great
        self._sizes[great] += self._sizes[small]
        return True

    def together(self, one, other):
        """Tell whether two members are in the same group."""
        return self.leader(one) == self.leader(other)

    def size(self, member):
        """How many members the group of a member has."""
        return self._sizes[member]

    def count(self):
        """How many groups there are."""
        return sum(1 for member in self._above if self._above[member] == member)


def loop_edges(members, edges):
    """Return the edges that close a loop with those before them."""
    groups = Groups(members)
    return [edge for edge in edges if not groups.join(*edge)]
''',
        wrong="return self._sizes[member]",
        right="return self._sizes[self.leader(member)]",
        visible="""
def test_alone():
    groups = Groups("abc")
    assert groups.count() == 3
    assert groups.size("a") == 1
    assert not groups.together("a", "b")
    assert groups.together("c", "c")


def test_join():
    groups = Groups("abcd")
    assert groups.join("a", "b") is True
    assert groups.join("b", "a") is False
    assert groups.together("a", "b")
    assert groups.count() == 3


def test_together_through_others():
    groups = Groups(range(5))
    groups.join(0, 1)
    groups.join(2, 3)
    groups.join(1, 2)
    assert groups.together(0, 3)
    assert not groups.together(0, 4)


def test_sizes():
    groups = Groups("abcd")
    groups.join("a", "b")
    groups.join("c", "a")
    assert [groups.size(member) for member in "abcd"] == [3, 3, 3, 1]


def test_unknown_member():
    with pytest.raises(KeyError):
        Groups("ab").join("a", "z")


def test_loop_edges():
    assert loop_edges("abc", [("a", "b"), ("b", "c"), ("c", "a")]) == [("c", "a")]
    assert loop_edges("abc", [("a", "b")]) == []
""",
        hidden="""
def test_size_of_everyone():
    groups = Groups(range(8))
    for n in range(7):
        groups.join(n, n + 1)
        for member in range(8):
            assert groups.size(member) == (n + 2 if member <= n + 1 else 1)
    assert groups.count() == 1


def test_size_after_joining_groups():
    groups = Groups("abcdefg")
    for pair in ("ab", "cd", "ef", "bd", "df"):
        assert groups.join(*pair)
    assert {groups.size(member) for member in "abcdef"} == {6}
    assert groups.size("g") == 1


def test_size_deep_in_the_tree():
    groups = Groups(range(16))
    for step in (1, 2, 4, 8):
        for n in range(0, 16, 2 * step):
            groups.join(n, n + step)
            assert groups.size(n + 2 * step - 1) == 2 * step
    assert all(groups.size(n) == 16 for n in range(16))


def test_sizes_add_up():
    groups = Groups(range(12))
    for n in range(12):
        groups.join(n, n * n % 12)
    leaders = {groups.leader(n) for n in range(12)}
    assert len(leaders) == groups.count()
    assert sum(groups.size(leader) for leader in leaders) == 12
    for one in range(12):
        mates = [other for other in range(12) if groups.together(one, other)]
        assert groups.size(one) == len(mates)


def test_size_does_not_change_for_same_group():
    groups = Groups("xyz")
    groups.join("x", "y")
    groups.join("y", "x")
    assert groups.size("x") == groups.size("y") == 2
    assert loop_edges("xyz", [("x", "x"), ("x", "y"), ("y", "x")]) == [("x", "x"), ("y", "x")]
""",
    ),
    Program(
        name="two_teams",
        code=r'''"""Dividing people into two teams without rivals on the same team."""

from collections import deque


def rivals_of(pairs):
    """Return a dict from each person to the list of rivals."""
    rivals = {}
    for one, other in pairs:
        rivals.setdefault(one, []).append(other)
        rivals.setdefault(other, []).append(one)
    return rivals


def teams(people, pairs):
    """Divide the people into two sorted teams; no pair is on the same team.

    In each set of people connected by rivalries, the one who comes first in
    `people` goes to the first team. Returns None if it is not possible.
    """
    rivals = rivals_of(pairs)
    team = {}
    for start in people:
        if start in team:
            continue
        team[start] = 0
        queue = deque([start])
        while queue:
            person = queue.popleft()
            for rival in rivals.get(person, []):
                if rival not in team:
                    team[rival] = 1 - team[start]
                    queue.append(rival)
                elif team[rival] == team[person]:
                    return None
    return (
        sorted(person for person in team if team[person] == 0),
        sorted(person for person in team if team[person] == 1),
    )
''',
        wrong="team[rival] = 1 - team[start]",
        right="team[rival] = 1 - team[person]",
        visible="""
def test_nobody():
    assert teams([], []) == ([], [])


def test_no_rivals():
    assert teams(["b", "a"], []) == (["a", "b"], [])


def test_pairs():
    assert teams("abcd", [("a", "b"), ("d", "c")]) == (["a", "c"], ["b", "d"])


def test_one_against_many():
    assert teams("abcd", [("a", "b"), ("c", "a"), ("a", "d")]) == (["a"], ["b", "c", "d"])


def test_triangle():
    assert teams("abc", [("a", "b"), ("b", "c"), ("c", "a")]) is None
    assert teams("a", [("a", "a")]) is None


def test_chain():
    assert teams("abcd", [("a", "b"), ("b", "c"), ("c", "d")]) == (["a", "c"], ["b", "d"])
""",
        hidden="""
def test_even_ring():
    assert teams(range(6), [(n, (n + 1) % 6) for n in range(6)]) == ([0, 2, 4], [1, 3, 5])
    assert teams("abcd", ["ab", "bc", "cd", "da"]) == (["a", "c"], ["b", "d"])


def test_odd_rings():
    assert teams(range(5), [(n, (n + 1) % 5) for n in range(5)]) is None
    assert teams(range(7), [(n, (n + 1) % 7) for n in range(7)]) is None


def test_long_chain():
    assert teams(range(9), [(n, n + 1) for n in range(8)]) == ([0, 2, 4, 6, 8], [1, 3, 5, 7])


def test_chain_from_the_middle():
    assert teams("cabde", ["ab", "bc", "cd", "de"]) == (["a", "c", "e"], ["b", "d"])
    assert teams("badce", ["ab", "bc", "cd", "de"]) == (["b", "d"], ["a", "c", "e"])


def test_several_sets():
    pairs = ["ab", "bc", "xy", "yz", "zw"]
    assert teams("yabcdwxz", pairs) == (["a", "c", "d", "w", "y"], ["b", "x", "z"])
    assert teams("yabcdwxz", pairs + ["wx"]) == (["a", "c", "d", "w", "y"], ["b", "x", "z"])
    assert teams("yabcdwxz", pairs + ["zx"]) is None


def test_tree():
    pairs = [(n, 2 * n + k) for n in range(1, 8) for k in (0, 1)]
    assert teams(range(1, 16), pairs) == (
        [1, 4, 5, 6, 7], [2, 3, 8, 9, 10, 11, 12, 13, 14, 15],
    )
    assert rivals_of([(1, 2), (2, 3)]) == {1: [2], 2: [1, 3], 3: [2]}
""",
    ),
    Program(
        name="weak_links",
        code=r'''"""Links of a network that it cannot do without."""


def links_of(edges):
    """Return a dict from each node to the sorted list of its neighbours."""
    links = {}
    for one, other in edges:
        links.setdefault(one, set()).add(other)
        links.setdefault(other, set()).add(one)
    return {node: sorted(links[node]) for node in links}


def weak_links(edges):
    """Return the edges, sorted, whose loss would cut the network in two.

    Each edge is a pair (smaller node, greater node). No edge joins a node to
    itself.
    """
    links = links_of(edges)
    order = {}
    low = {}
    weak = []

    def visit(node, parent):
        order[node] = low[node] = len(order)
        for other in links[node]:
            if other == parent:
                continue
            if other in order:
                low[node] = min(low[node], order[other])
                continue
            visit(other, node)
            low[node] = min(low[node], low[other])
            if low[other] >= order[node]:
                weak.append((min(node, other), max(node, other)))

    for node in sorted(links):
        if node not in order:
            visit(node, None)
    return sorted(weak)


def is_robust(edges):
    """Tell whether no single lost edge would cut anything off."""
    return not weak_links(edges)
''',
        wrong="if low[other] >= order[node]:",
        right="if low[other] > order[node]:",
        visible="""
def test_nothing():
    assert weak_links([]) == []
    assert is_robust([])


def test_links_of():
    assert links_of([(2, 1), (2, 3)]) == {1: [2], 2: [1, 3], 3: [2]}


def test_chain():
    assert weak_links([(1, 2), (2, 3)]) == [(1, 2), (2, 3)]
    assert not is_robust([("a", "b")])


def test_tree():
    assert weak_links([(3, 1), (1, 2), (4, 2)]) == [(1, 2), (1, 3), (2, 4)]


def test_ring():
    assert weak_links([(1, 2), (2, 3), (3, 1)]) == []
    assert is_robust([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])


def test_two_chains():
    assert weak_links([(1, 2), (8, 9)]) == [(1, 2), (8, 9)]
""",
        hidden="""
def test_rings_joined_by_a_link():
    edges = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6), (6, 4)]
    assert weak_links(edges) == [(3, 4)]
    assert not is_robust(edges)


def test_rings_that_share_a_node():
    edges = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 3)]
    assert weak_links(edges) == []


def test_ring_with_tails():
    edges = [(2, 3), (3, 4), (4, 2), (1, 2), (4, 5), (5, 6)]
    assert weak_links(edges) == [(1, 2), (4, 5), (5, 6)]


def test_several_parts():
    edges = [("a", "b"), ("x", "y"), ("y", "z"), ("z", "x")]
    assert weak_links(edges) == [("a", "b")]
    assert is_robust(edges[1:])


def test_against_leaving_each_out():
    def parts(nodes, edges):
        group = {node: node for node in nodes}
        for _ in nodes:
            for one, other in edges:
                group[one] = group[other] = min(group[one], group[other])
        return len(set(group.values()))

    for k in range(2, 12):
        pairs = {tuple(sorted((n, (n * k + 1) % 13))) for n in range(13)}
        edges = sorted(pair for pair in pairs if pair[0] != pair[1])
        nodes = {node for edge in edges for node in edge}
        whole = parts(nodes, edges)
        expected = [e for e in edges if parts(nodes, [f for f in edges if f != e]) > whole]
        assert weak_links(edges) == expected
""",
    ),
    # --------------------------------------------------------------------- state
    Program(
        name="draft_history",
        code=r'''"""A draft that remembers its earlier states."""


class Draft:
    """A text with undo and redo.

    After an undo, a new change forgets the states that were undone.
    """

    def __init__(self, text=""):
        self._states = [text]
        self._at = 0

    @property
    def text(self):
        """The present text."""
        return self._states[self._at]

    def change(self, text):
        """Replace the text; the same text again is no change."""
        if text == self.text:
            return
        del self._states[self._at:]
        self._states.append(text)
        self._at = len(self._states) - 1

    def write(self, words):
        """Add words at the end."""
        self.change(self.text + words)

    def undo(self):
        """Go back to the state before; tell whether there was one."""
        if self._at == 0:
            return False
        self._at -= 1
        return True

    def redo(self):
        """Go on to the state that was undone last; tell whether there was one."""
        if self._at == len(self._states) - 1:
            return False
        self._at += 1
        return True

    def undo_all(self):
        """Go back to the first state; return how many changes were undone."""
        count = 0
        while self.undo():
            count += 1
        return count
''',
        wrong="del self._states[self._at:]",
        right="del self._states[self._at + 1:]",
        visible="""
def test_new_draft():
    draft = Draft("hello")
    assert draft.text == "hello"
    assert Draft().text == ""


def test_nothing_to_undo():
    draft = Draft("x")
    assert draft.undo() is False
    assert draft.redo() is False
    assert draft.text == "x"
    assert draft.undo_all() == 0


def test_change_and_write():
    draft = Draft()
    draft.write("one")
    draft.write(" two")
    assert draft.text == "one two"
    draft.change("three")
    assert draft.text == "three"


def test_undo_and_redo():
    draft = Draft("a")
    draft.write("b")
    assert draft.undo() is True
    assert draft.text == "a"
    assert draft.redo() is True
    assert draft.text == "ab"


def test_same_text_is_no_change():
    draft = Draft("a")
    draft.change("a")
    draft.write("")
    assert draft.undo() is False
""",
        hidden="""
def test_every_state_comes_back():
    draft = Draft()
    for letter in "abcde":
        draft.write(letter)
    seen = [draft.text]
    while draft.undo():
        seen.append(draft.text)
    assert seen == ["abcde", "abcd", "abc", "ab", "a", ""]
    while draft.redo():
        seen.append(draft.text)
    assert seen[6:] == ["a", "ab", "abc", "abcd", "abcde"]


def test_change_after_undo():
    draft = Draft("1")
    for text in ("2", "3", "4"):
        draft.change(text)
    draft.undo()
    draft.undo()
    draft.change("5")
    assert draft.text == "5"
    assert draft.redo() is False
    assert draft.undo() and draft.text == "2"
    assert draft.undo() and draft.text == "1"
    assert draft.undo() is False
    assert draft.redo() and draft.redo() and draft.text == "5"


def test_change_after_undoing_everything():
    draft = Draft("first")
    draft.change("second")
    draft.change("third")
    assert draft.undo_all() == 2
    draft.change("other")
    assert draft.redo() is False
    assert draft.undo() and draft.text == "first"
    assert draft.redo() and draft.text == "other"


def test_same_text_keeps_redo():
    draft = Draft("a")
    draft.change("b")
    draft.undo()
    draft.change("a")
    assert draft.redo() is True
    assert draft.text == "b"


def test_undo_all_counts():
    draft = Draft()
    for n in range(7):
        draft.change(str(n))
    assert draft.undo_all() == 7
    assert draft.text == ""
    assert draft.redo() and draft.text == "0"
""",
    ),
    Program(
        name="token_bucket",
        code=r'''"""Limiting how fast something may be used."""


class TokenBucket:
    """A bucket that tokens drip into; each use takes some out.

    The bucket starts full. It gains `rate` tokens a second and never holds
    more than `capacity`. Times are in seconds and given by the caller; they
    must not go back.
    """

    def __init__(self, capacity, rate, now=0):
        if capacity <= 0 or rate <= 0:
            raise ValueError("capacity and rate must be positive")
        self.capacity = capacity
        self.rate = rate
        self._tokens = capacity
        self._last = now

    def tokens(self, now):
        """How many tokens there are at a time."""
        if now < self._last:
            raise ValueError("time goes back")
        gained = (now - self._last) * self.rate
        self._tokens = min(self.capacity, self._tokens + gained)
        self._last = now
        return self._tokens

    def take(self, amount, now):
        """Take tokens if there are enough; tell whether there were."""
        if self.tokens(now) < amount:
            return False
        self._tokens -= amount
        return True

    def wait(self, amount, now):
        """How many seconds it takes until the amount is there.

        ValueError if the bucket can never hold so many.
        """
        if amount > self.capacity:
            raise ValueError("the bucket is too small")
        missing = amount - self.tokens(now)
        return max(0, missing * self.rate)
''',
        wrong="return max(0, missing * self.rate)",
        right="return max(0, missing / self.rate)",
        visible="""
def test_starts_full():
    bucket = TokenBucket(5, 1)
    assert bucket.tokens(0) == 5
    assert bucket.tokens(100) == 5


def test_take():
    bucket = TokenBucket(3, 1)
    assert bucket.take(2, 0) is True
    assert bucket.take(2, 0) is False
    assert bucket.tokens(0) == 1


def test_refill():
    bucket = TokenBucket(10, 2)
    assert bucket.take(10, 0)
    assert bucket.tokens(3) == 6
    assert bucket.tokens(4) == 8
    assert bucket.tokens(60) == 10


def test_wait():
    bucket = TokenBucket(4, 2)
    assert bucket.wait(4, 0) == 0
    bucket.take(4, 0)
    assert bucket.wait(4, 0) == 2
    assert bucket.wait(4, 1) == 1


def test_wait_too_long():
    with pytest.raises(ValueError):
        TokenBucket(4, 1).wait(5, 0)


def test_bad_values():
    with pytest.raises(ValueError):
        TokenBucket(0, 1)
    bucket = TokenBucket(1, 1, now=10)
    with pytest.raises(ValueError):
        bucket.tokens(9)
""",
        hidden="""
def test_wait_at_slow_rate():
    bucket = TokenBucket(2, 0.25)
    assert bucket.take(2, 0)
    assert bucket.wait(1, 0) == 4
    assert bucket.wait(2, 0) == 8
    assert bucket.wait(2, 4) == 4


def test_wait_at_fast_rate():
    bucket = TokenBucket(100, 50)
    assert bucket.take(100, 7)
    assert bucket.wait(25, 7) == 0.5
    assert bucket.wait(100, 8) == 1
    assert bucket.wait(50, 8) == 0


def test_wait_at_rate_one():
    bucket = TokenBucket(6, 1)
    bucket.take(5, 0)
    assert bucket.wait(4, 0) == 3
    assert bucket.wait(1, 0) == 0


def test_waiting_is_just_enough():
    for rate in (0.5, 2, 4, 8):
        bucket = TokenBucket(16, rate)
        assert bucket.take(13, 0)
        seconds = bucket.wait(11, 0)
        assert seconds == 8 / rate
        assert bucket.take(11, seconds / 2) is False
        assert bucket.take(11, seconds) is True
        assert bucket.tokens(seconds) == 0


def test_wait_takes_nothing():
    bucket = TokenBucket(8, 4)
    bucket.take(6, 0)
    assert bucket.wait(8, 0) == 1.5
    assert bucket.tokens(0) == 2
    assert bucket.wait(0, 0) == 0
    assert bucket.wait(8, 1) == 0.5
""",
    ),
    Program(
        name="tennis_game",
        code=r'''"""The score of a game of tennis."""

CALLS = ("love", "15", "30", "40")


class TennisGame:
    """A game between a server and a receiver.

    Four points win if the other player is at least two behind.
    """

    def __init__(self, server, receiver):
        self.players = (server, receiver)
        self._points = [0, 0]

    def point(self, player):
        """Count a point for a player; ValueError if the game is over."""
        if self.winner() is not None:
            raise ValueError("the game is over")
        self._points[self.players.index(player)] += 1

    def leader(self):
        """The player who has more points, or None."""
        first, second = self._points
        if first == second:
            return None
        return self.players[0 if first > second else 1]

    def winner(self):
        """The player who has won, or None."""
        first, second = self._points
        if max(first, second) >= 4 and abs(first - second) >= 2:
            return self.leader()
        return None

    def score(self):
        """The score as the umpire calls it, the points of the server first.

        With equal points it is "15 all", or "deuce" from 40 on. When both have
        40 or more, the one ahead has "advantage".
        """
        if self.winner() is not None:
            return f"game {self.winner()}"
        first, second = self._points
        if max(first, second) >= 3:
            return "deuce" if first == second else f"advantage {self.leader()}"
        if first == second:
            return f"{CALLS[first]} all"
        return f"{CALLS[first]} {CALLS[second]}"
''',
        wrong="if max(first, second) >= 3:",
        right="if min(first, second) >= 3:",
        visible="""
def played(points):
    game = TennisGame("ann", "bob")
    for letter in points:
        game.point("ann" if letter == "a" else "bob")
    return game


def test_start():
    assert played("").score() == "love all"
    assert played("").leader() is None
    assert played("").winner() is None


def test_first_points():
    assert played("a").score() == "15 love"
    assert played("abb").score() == "15 30"
    assert played("abab").score() == "30 all"


def test_forty():
    assert played("aaa").score() == "40 love"
    assert played("abbb").score() == "15 40"


def test_deuce_and_advantage():
    assert played("aaabbb").score() == "deuce"
    assert played("aaabbba").score() == "advantage ann"
    assert played("aaabbbb").score() == "advantage bob"


def test_win():
    assert played("aaaa").score() == "game ann"
    assert played("aabbbb").winner() == "bob"


def test_over():
    with pytest.raises(ValueError):
        played("aaaab")
    with pytest.raises(ValueError):
        TennisGame("ann", "bob").point("eve")
""",
        hidden="""
def played(points):
    game = TennisGame("ann", "bob")
    for letter in points:
        game.point("ann" if letter == "a" else "bob")
    return game


def test_all_scores_before_deuce():
    calls = ("love", "15", "30", "40")
    for first in range(4):
        for second in range(4):
            score = played("a" * first + "b" * second).score()
            if first == second == 3:
                assert score == "deuce"
            elif first == second:
                assert score == f"{calls[first]} all"
            else:
                assert score == f"{calls[first]} {calls[second]}"


def test_long_game():
    points = "aaabbb" + "ab" * 4
    assert played(points).score() == "deuce"
    assert played(points + "b").score() == "advantage bob"
    assert played(points + "ba").score() == "deuce"
    assert played(points + "baa").score() == "advantage ann"
    assert played(points + "baaa").score() == "game ann"


def test_one_behind_at_forty():
    assert played("aabba").score() == "40 30"
    assert played("aabbb").score() == "30 40"
    assert played("aabba").leader() == "ann"
    assert played("aabbaa").score() == "game ann"


def test_winners():
    for behind in range(3):
        assert played("a" * behind + "bbbb").score() == "game bob"
        assert played("b" * behind + "aaaa").winner() == "ann"
    assert played("aaabbba").winner() is None
""",
    ),
    Program(
        name="snack_machine",
        code=r'''"""A machine that sells snacks."""

COINS = (200, 100, 50, 20, 10, 5)


class SnackMachine:
    """Sells snacks for coins; prices and coins are in cents."""

    def __init__(self):
        self._prices = {}
        self._stock = {}
        self.credit = 0
        self.earned = 0

    def fill(self, snack, count, price):
        """Put in some of a snack and set its price."""
        self._prices[snack] = price
        self._stock[snack] = self._stock.get(snack, 0) + count

    def left(self, snack):
        """How many of a snack there are."""
        return self._stock.get(snack, 0)

    def insert(self, coin):
        """Put in a coin; return the credit."""
        if coin not in COINS:
            raise ValueError("no such coin")
        self.credit += coin
        return self.credit

    def buy(self, snack):
        """Take out a snack; return what is missing (0 if it was sold).

        LookupError if there is none left.
        """
        if self.left(snack) <= 0:
            raise LookupError(f"no {snack} left")
        price = self._prices[snack]
        if self.credit < price:
            return price - self.credit
        self._stock[snack] =- 1
        self.credit -= price
        self.earned += price
        return 0

    def refund(self):
        """Give back the credit as a list of coins, greatest first."""
        coins = []
        for coin in COINS:
            count, self.credit = divmod(self.credit, coin)
            coins += [coin] * count
        return coins
''',
        wrong="self._stock[snack] =- 1",
        right="self._stock[snack] -= 1",
        visible="""
def test_insert():
    machine = SnackMachine()
    assert machine.insert(100) == 100
    assert machine.insert(20) == 120
    with pytest.raises(ValueError):
        machine.insert(3)
    assert machine.credit == 120


def test_not_enough_credit():
    machine = SnackMachine()
    machine.fill("nuts", 1, 150)
    machine.insert(100)
    assert machine.buy("nuts") == 50
    assert machine.left("nuts") == 1
    assert machine.earned == 0


def test_buy_one():
    machine = SnackMachine()
    machine.fill("nuts", 1, 150)
    machine.insert(200)
    assert machine.buy("nuts") == 0
    assert machine.credit == 50
    assert machine.earned == 150
    with pytest.raises(LookupError):
        machine.buy("nuts")


def test_buy_several():
    machine = SnackMachine()
    machine.fill("gum", 3, 50)
    machine.insert(100)
    assert machine.buy("gum") == 0
    assert machine.left("gum") == 2
    assert machine.buy("gum") == 0
    assert machine.credit == 0


def test_unknown_snack():
    with pytest.raises(LookupError):
        SnackMachine().buy("tea")


def test_refund():
    machine = SnackMachine()
    for coin in (100, 50, 20, 5):
        machine.insert(coin)
    assert machine.refund() == [100, 50, 20, 5]
    assert machine.credit == 0
    assert machine.refund() == []
""",
        hidden="""
def test_buy_until_empty():
    machine = SnackMachine()
    machine.fill("bar", 5, 10)
    machine.insert(200)
    for left in (4, 3, 2, 1, 0):
        assert machine.buy("bar") == 0
        assert machine.left("bar") == left
    with pytest.raises(LookupError):
        machine.buy("bar")
    assert machine.left("bar") == 0
    assert machine.credit == 150
    assert machine.earned == 50


def test_fill_again():
    machine = SnackMachine()
    machine.fill("bar", 1, 50)
    machine.insert(200)
    machine.buy("bar")
    assert machine.left("bar") == 0
    machine.fill("bar", 2, 100)
    assert machine.left("bar") == 2
    assert machine.buy("bar") == 0
    assert machine.left("bar") == 1
    assert machine.buy("bar") == 50


def test_snacks_apart():
    machine = SnackMachine()
    machine.fill("a", 10, 20)
    machine.fill("b", 4, 30)
    machine.insert(100)
    machine.buy("a")
    machine.buy("b")
    machine.buy("a")
    assert (machine.left("a"), machine.left("b"), machine.left("c")) == (8, 3, 0)
    assert machine.refund() == [20, 10]
    assert machine.earned == 70


def test_failed_sale_changes_nothing():
    machine = SnackMachine()
    machine.fill("a", 2, 75)
    machine.insert(50)
    assert machine.buy("a") == 25
    assert machine.buy("a") == 25
    assert machine.left("a") == 2
    assert machine.insert(20) == 70
    assert machine.insert(5) == 75
    assert machine.buy("a") == 0
    assert machine.left("a") == 1


def test_refund_with_few_coins():
    machine = SnackMachine()
    for _ in range(9):
        machine.insert(5)
    assert machine.refund() == [20, 20, 5]
    for _ in range(4):
        machine.insert(100)
    assert machine.refund() == [200, 200]
""",
    ),
    Program(
        name="lap_watch",
        code=r'''"""A stopwatch; all times are in seconds and given by the caller."""


class LapWatch:
    """Measures time that may be paused, and laps."""

    def __init__(self):
        self._elapsed = 0
        self._started = None
        self._marks = [0]

    @property
    def running(self):
        """Whether the watch runs."""
        return self._started is not None

    def start(self, now):
        """Start the watch, or go on after a pause."""
        if self.running:
            raise RuntimeError("the watch runs already")
        self._started = now

    def pause(self, now):
        """Stop the watch; return the time measured so far."""
        if not self.running:
            raise RuntimeError("the watch does not run")
        self._elapsed = now - self._started
        self._started = None
        return self._elapsed

    def time(self, now):
        """The time measured so far, without pauses."""
        if self.running:
            return self._elapsed + now - self._started
        return self._elapsed

    def lap(self, now):
        """End a lap; return how long it took, without pauses."""
        self._marks.append(self.time(now))
        return self._marks[-1] - self._marks[-2]

    def laps(self):
        """How long each lap took."""
        return [after - mark for mark, after in zip(self._marks, self._marks[1:])]

    def best(self):
        """The number of the fastest lap, the first being 1; None without laps."""
        laps = self.laps()
        return laps.index(min(laps)) + 1 if laps else None
''',
        wrong="self._elapsed = now - self._started",
        right="self._elapsed += now - self._started",
        visible="""
def test_new_watch():
    watch = LapWatch()
    assert not watch.running
    assert watch.time(50) == 0
    assert watch.laps() == []
    assert watch.best() is None


def test_running():
    watch = LapWatch()
    watch.start(10)
    assert watch.running
    assert watch.time(13) == 3
    assert watch.time(20) == 10


def test_pause():
    watch = LapWatch()
    watch.start(10)
    assert watch.pause(15) == 5
    assert watch.time(100) == 5
    watch.start(200)
    assert watch.time(202) == 7


def test_two_pauses():
    watch = LapWatch()
    watch.start(0)
    watch.pause(4)
    watch.start(10)
    assert watch.pause(13) == 7
    assert watch.time(99) == 7


def test_wrong_order():
    watch = LapWatch()
    with pytest.raises(RuntimeError):
        watch.pause(1)
    watch.start(2)
    with pytest.raises(RuntimeError):
        watch.start(3)


def test_laps():
    watch = LapWatch()
    watch.start(0)
    assert [watch.lap(12), watch.lap(20), watch.lap(30)] == [12, 8, 10]
    assert watch.laps() == [12, 8, 10]
    assert watch.best() == 2
""",
        hidden="""
def test_many_pauses():
    watch = LapWatch()
    total = 0
    for n in range(1, 9):
        watch.start(100 * n)
        assert watch.time(100 * n) == total
        total += n
        assert watch.pause(100 * n + n) == total
        assert watch.time(100 * n + 50) == total


def test_start_and_pause_at_once():
    watch = LapWatch()
    watch.start(0)
    watch.pause(9)
    watch.start(20)
    assert watch.pause(20) == 9
    watch.start(30)
    assert watch.time(31) == 10
    assert not LapWatch().running


def test_laps_with_pauses():
    watch = LapWatch()
    watch.start(0)
    assert watch.lap(5) == 5
    watch.pause(8)
    watch.start(18)
    assert watch.lap(21) == 6
    watch.pause(22)
    watch.start(40)
    assert watch.lap(44) == 5
    assert watch.laps() == [5, 6, 5]
    assert watch.best() == 1
    assert watch.time(45) == 17


def test_lap_while_paused():
    watch = LapWatch()
    watch.start(1)
    watch.pause(4)
    watch.start(5)
    watch.pause(7)
    assert watch.lap(50) == 5
    assert watch.lap(60) == 0
    assert watch.best() == 2


def test_fractions():
    watch = LapWatch()
    watch.start(0.5)
    assert watch.pause(2.0) == 1.5
    watch.start(3.25)
    assert watch.pause(3.5) == 1.75
    assert watch.running is False
""",
    ),
    Program(
        name="stock_orders",
        code=r'''"""Goods in a store and the orders that hold them."""


class Store:
    """Keeps goods; an order holds some until it is shipped or cancelled."""

    def __init__(self):
        self._stock = {}
        self._orders = {}
        self._next = 1

    def receive(self, item, amount):
        """Put goods in the store."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        self._stock[item] = self._stock.get(item, 0) + amount

    def stock(self, item):
        """How many there are, held or not."""
        return self._stock.get(item, 0)

    def free(self, item):
        """How many there are that no order holds."""
        held = sum(n for kind, n in self._orders.values() if kind == item)
        return self.stock(item) - held

    def order(self, item, amount):
        """Hold goods and return the number of the order.

        ValueError if the amount is not positive or not enough is free.
        """
        if amount <= 0 or amount > self.stock(item):
            raise ValueError("cannot hold this amount")
        number = self._next
        self._orders[number] = (item, amount)
        self._next += 1
        return number

    def cancel(self, number):
        """Give up an order; what it held is free again."""
        del self._orders[number]

    def ship(self, number):
        """Send what an order holds away; return (item, amount)."""
        item, amount = self._orders.pop(number)
        self._stock[item] -= amount
        return item, amount
''',
        wrong="amount > self.stock(item):",
        right="amount > self.free(item):",
        visible="""
def test_receive():
    store = Store()
    assert store.stock("pen") == 0
    store.receive("pen", 5)
    store.receive("pen", 2)
    assert store.stock("pen") == 7
    with pytest.raises(ValueError):
        store.receive("pen", 0)


def test_order_holds_goods():
    store = Store()
    store.receive("pen", 5)
    assert store.order("pen", 3) == 1
    assert store.free("pen") == 2
    assert store.stock("pen") == 5


def test_too_many():
    store = Store()
    store.receive("pen", 5)
    for amount in (6, 0, -1):
        with pytest.raises(ValueError):
            store.order("pen", amount)
    with pytest.raises(ValueError):
        store.order("cup", 1)


def test_held_goods_cannot_be_ordered():
    store = Store()
    store.receive("pen", 5)
    store.order("pen", 4)
    with pytest.raises(ValueError):
        store.order("pen", 2)
    assert store.free("pen") == 1


def test_cancel():
    store = Store()
    store.receive("pen", 5)
    number = store.order("pen", 5)
    store.cancel(number)
    assert store.free("pen") == 5
    with pytest.raises(KeyError):
        store.cancel(number)


def test_ship():
    store = Store()
    store.receive("pen", 5)
    assert store.ship(store.order("pen", 2)) == ("pen", 2)
    assert store.stock("pen") == 3
    assert store.free("pen") == 3
""",
        hidden="""
def test_order_exactly_what_is_free():
    store = Store()
    store.receive("pen", 6)
    assert store.order("pen", 2) == 1
    assert store.order("pen", 4) == 2
    assert store.free("pen") == 0
    with pytest.raises(ValueError):
        store.order("pen", 1)
    assert store.stock("pen") == 6


def test_order_more_than_is_held():
    store = Store()
    store.receive("pen", 10)
    store.order("pen", 1)
    assert store.order("pen", 9) == 2
    store.cancel(1)
    with pytest.raises(ValueError):
        store.order("pen", 2)
    assert store.order("pen", 1) == 3


def test_items_apart():
    store = Store()
    store.receive("pen", 3)
    store.receive("cup", 3)
    store.order("pen", 3)
    assert store.free("cup") == 3
    assert store.order("cup", 3) == 2
    with pytest.raises(ValueError):
        store.order("cup", 1)


def test_after_shipping():
    store = Store()
    store.receive("pen", 5)
    first, second = store.order("pen", 2), store.order("pen", 3)
    store.ship(first)
    assert (store.stock("pen"), store.free("pen")) == (3, 0)
    with pytest.raises(ValueError):
        store.order("pen", 1)
    store.receive("pen", 1)
    assert store.order("pen", 1) == 3
    store.ship(second)
    assert (store.stock("pen"), store.free("pen")) == (1, 0)
    with pytest.raises(KeyError):
        store.ship(first)


def test_failed_order_takes_no_number():
    store = Store()
    store.receive("pen", 2)
    store.order("pen", 1)
    with pytest.raises(ValueError):
        store.order("pen", 2)
    assert store.free("pen") == 1
    assert store.order("pen", 1) == 2
    store.cancel(2)
    assert store.free("pen") == 1
""",
    ),
)
