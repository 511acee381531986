"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

_STRUCTURES = (
    Program(
        name="pantry_lru_cache",
        code=r'''"""A bounded cache that drops the entry used longest ago."""

from collections import OrderedDict


class RecipeCache:
    """Keep at most `capacity` recipes, evicting the least recently used."""

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._recipes = OrderedDict()

    def __len__(self):
        return len(self._recipes)

    def __contains__(self, name):
        return name in self._recipes

    def get(self, name, default=None):
        """Return the recipe and mark it as used just now."""
        if name not in self._recipes:
            return default
        self._recipes.move_to_end(name, last=False)
        return self._recipes[name]

    def put(self, name, recipe):
        """Store a recipe; make room by evicting the stalest one."""
        if name in self._recipes:
            self._recipes.pop(name)
        elif len(self._recipes) >= self.capacity:
            self._recipes.popitem(last=False)
        self._recipes[name] = recipe

    def names(self):
        """Names from stalest to freshest."""
        return list(self._recipes)
''',
        wrong="self._recipes.move_to_end(name, last=False)",
        right="self._recipes.move_to_end(name)",
        visible=r"""
def test_put_and_get():
    cache = RecipeCache(2)
    cache.put("soup", "boil")
    assert cache.get("soup") == "boil"
    assert len(cache) == 1

def test_missing_gives_default():
    cache = RecipeCache(2)
    assert cache.get("pie") is None
    assert cache.get("pie", "none") == "none"

def test_eviction_without_reads():
    cache = RecipeCache(2)
    for name in ("soup", "pie", "stew"):
        cache.put(name, name.upper())
    assert cache.names() == ["pie", "stew"]

def test_read_protects_from_eviction():
    cache = RecipeCache(2)
    cache.put("soup", 1)
    cache.put("pie", 2)
    cache.get("soup")
    cache.put("stew", 3)
    assert "soup" in cache
    assert "pie" not in cache

def test_capacity_checked():
    with pytest.raises(ValueError):
        RecipeCache(0)
""",
        hidden=r"""
def test_get_moves_to_freshest():
    cache = RecipeCache(3)
    for name in ("a", "b", "c"):
        cache.put(name, name)
    cache.get("b")
    assert cache.names() == ["a", "c", "b"]

def test_overwrite_refreshes():
    cache = RecipeCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    cache.put("c", 4)
    assert cache.names() == ["a", "c"]
    assert cache.get("a") == 3

def test_single_slot():
    cache = RecipeCache(1)
    cache.put("a", 1)
    cache.get("a")
    cache.put("b", 2)
    assert cache.names() == ["b"]

def test_repeated_reads():
    cache = RecipeCache(3)
    for name in ("a", "b", "c"):
        cache.put(name, name)
    cache.get("a")
    cache.get("b")
    cache.put("d", "d")
    assert cache.names() == ["a", "b", "d"]

def test_miss_does_not_reorder():
    cache = RecipeCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("z", 9) == 9
    assert cache.names() == ["a", "b"]
""",
    ),
    Program(
        name="telemetry_ring",
        code=r'''"""A fixed-size ring of sensor readings."""


class TelemetryRing:
    """Remember the last `size` readings; older ones are overwritten."""

    def __init__(self, size):
        self._slots = [None] * size
        self._start = 0
        self._count = 0

    def __len__(self):
        return self._count

    def record(self, reading):
        """Add a reading, overwriting the oldest when the ring is full."""
        size = len(self._slots)
        if self._count < size:
            self._slots[(self._start + self._count) % size] = reading
            self._count += 1
        else:
            self._slots[self._start] = reading
            self._start = (self._start + 1) % size

    def take_oldest(self):
        """Remove and return the oldest reading."""
        if self._count == 0:
            raise IndexError("ring is empty")
        reading = self._slots[self._start]
        self._slots[self._start] = None
        self._start = (self._start + 1) % len(self._slots)
        self._count -= 1
        return reading

    def __iter__(self):
        """Yield the readings from oldest to newest."""
        for offset in range(self._count):
            yield self._slots[(self._start + offset) % self._count]
''',
        wrong="yield self._slots[(self._start + offset) % self._count]",
        right="yield self._slots[(self._start + offset) % len(self._slots)]",
        visible=r"""
def test_partial_fill():
    ring = TelemetryRing(4)
    ring.record(10)
    ring.record(20)
    assert list(ring) == [10, 20]
    assert len(ring) == 2

def test_overwrites_oldest():
    ring = TelemetryRing(3)
    for value in (1, 2, 3, 4):
        ring.record(value)
    assert list(ring) == [2, 3, 4]

def test_take_then_iterate():
    ring = TelemetryRing(3)
    for value in (1, 2, 3):
        ring.record(value)
    assert ring.take_oldest() == 1
    assert list(ring) == [2, 3]

def test_take_from_empty():
    with pytest.raises(IndexError):
        TelemetryRing(2).take_oldest()
""",
        hidden=r"""
def test_take_all_but_one():
    ring = TelemetryRing(4)
    for value in "abcd":
        ring.record(value)
    for _ in range(3):
        ring.take_oldest()
    assert list(ring) == ["d"]

def test_wrap_around_partly_filled():
    ring = TelemetryRing(3)
    for value in (1, 2, 3, 4, 5):
        ring.record(value)
    assert ring.take_oldest() == 3
    assert list(ring) == [4, 5]

def test_refill_after_taking():
    ring = TelemetryRing(3)
    for value in (1, 2, 3):
        ring.record(value)
    ring.take_oldest()
    ring.take_oldest()
    ring.record(9)
    assert list(ring) == [3, 9]
    assert len(ring) == 2

def test_empty_iteration():
    assert list(TelemetryRing(5)) == []

def test_full_ring_many_rounds():
    ring = TelemetryRing(2)
    for value in range(7):
        ring.record(value)
    assert list(ring) == [5, 6]
    assert ring.take_oldest() == 5
""",
    ),
    Program(
        name="theatre_seating",
        code=r'''"""Seat allocation for a small theatre."""


class SeatingPlan:
    """A rectangular block of seats, each free or held by a guest."""

    def __init__(self, rows, seats_per_row):
        self.rows = rows
        self.seats_per_row = seats_per_row
        self._guests = [[None] * seats_per_row] * rows

    def reserve(self, row, seat, guest):
        """Hold a seat; return False if somebody has it already."""
        if self._guests[row][seat] is not None:
            return False
        self._guests[row][seat] = guest
        return True

    def release(self, row, seat):
        """Free a seat and return who held it."""
        guest = self._guests[row][seat]
        self._guests[row][seat] = None
        return guest

    def occupied(self):
        """Number of seats held."""
        return sum(guest is not None for line in self._guests for guest in line)

    def find_adjacent(self, wanted):
        """First (row, seat) where `wanted` neighbouring seats are free."""
        for row, line in enumerate(self._guests):
            for seat in range(self.seats_per_row - wanted + 1):
                if all(guest is None for guest in line[seat:seat + wanted]):
                    return row, seat
        return None
''',
        wrong="self._guests = [[None] * seats_per_row] * rows",
        right="self._guests = [[None] * seats_per_row for _ in range(rows)]",
        visible=r"""
def test_empty_plan():
    plan = SeatingPlan(3, 4)
    assert plan.occupied() == 0
    assert plan.find_adjacent(4) == (0, 0)

def test_reserve_twice():
    plan = SeatingPlan(2, 2)
    assert plan.reserve(0, 1, "Ada")
    assert not plan.reserve(0, 1, "Bob")

def test_occupied_counts_one_seat():
    plan = SeatingPlan(3, 3)
    plan.reserve(1, 1, "Ada")
    assert plan.occupied() == 1

def test_release_returns_guest():
    plan = SeatingPlan(1, 2)
    plan.reserve(0, 0, "Eve")
    assert plan.release(0, 0) == "Eve"
    assert plan.occupied() == 0

def test_same_seat_in_other_row():
    plan = SeatingPlan(2, 2)
    plan.reserve(0, 0, "Ada")
    assert plan.reserve(1, 0, "Bob")
""",
        hidden=r"""
def test_party_moves_to_next_row():
    plan = SeatingPlan(2, 3)
    plan.reserve(0, 1, "Kim")
    assert plan.find_adjacent(2) == (1, 0)

def test_full_house():
    plan = SeatingPlan(2, 2)
    for row in range(2):
        for seat in range(2):
            assert plan.reserve(row, seat, (row, seat))
    assert plan.occupied() == 4
    assert plan.find_adjacent(1) is None

def test_release_only_one_row():
    plan = SeatingPlan(2, 1)
    plan.reserve(0, 0, "x")
    plan.reserve(1, 0, "y")
    assert plan.release(0, 0) == "x"
    assert plan.release(1, 0) == "y"

def test_release_free_seat():
    assert SeatingPlan(1, 1).release(0, 0) is None

def test_single_row_adjacent():
    plan = SeatingPlan(1, 5)
    plan.reserve(0, 1, "x")
    assert plan.find_adjacent(2) == (0, 2)
    assert plan.find_adjacent(4) is None
""",
    ),
    Program(
        name="vocabulary_trie",
        code=r'''"""A prefix tree of dictionary words."""


class Node:
    """One letter position in the tree."""

    def __init__(self):
        self.children = {}
        self.terminal = False


class Vocabulary:
    """A set of words that answers prefix questions quickly."""

    def __init__(self, words=()):
        self._root = Node()
        for word in words:
            self.add(word)

    def add(self, word):
        """Insert a word."""
        node = self._root
        for letter in word:
            node = node.children.setdefault(letter, Node())
        node.terminal = True

    def _descend(self, text):
        node = self._root
        for letter in text:
            node = node.children.get(letter)
            if node is None:
                return None
        return node

    def __contains__(self, word):
        """Whether exactly this word was added."""
        node = self._descend(word)
        return node is not None

    def has_prefix(self, prefix):
        """Whether some word begins with `prefix`."""
        return self._descend(prefix) is not None

    def completions(self, prefix):
        """All words that begin with `prefix`, in alphabetical order."""
        start = self._descend(prefix)
        found = []
        pending = [(start, prefix)] if start else []
        while pending:
            node, text = pending.pop()
            if node.terminal:
                found.append(text)
            pending.extend((child, text + c) for c, child in node.children.items())
        return sorted(found)
''',
        wrong="        return node is not None\n",
        right="        return node is not None and node.terminal\n",
        visible=r"""
def test_contains_added_words():
    words = Vocabulary(["tree", "trie"])
    assert "tree" in words
    assert "trie" in words

def test_unknown_word():
    assert "bush" not in Vocabulary(["tree"])

def test_prefix_is_not_a_word():
    words = Vocabulary(["tree"])
    assert words.has_prefix("tr")
    assert "tr" not in words

def test_completions():
    words = Vocabulary(["car", "cart", "cat", "dog"])
    assert words.completions("car") == ["car", "cart"]
    assert words.completions("x") == []
""",
        hidden=r"""
def test_empty_word_absent():
    assert "" not in Vocabulary(["a"])

def test_empty_word_added():
    assert "" in Vocabulary([""])

def test_shorter_word_added_later():
    words = Vocabulary(["planet"])
    assert "plane" not in words
    words.add("plane")
    assert "plane" in words
    assert "plan" not in words

def test_longer_than_any():
    assert "planets" not in Vocabulary(["planet"])

def test_empty_prefix_lists_all():
    assert Vocabulary(["b", "a", "ab"]).completions("") == ["a", "ab", "b"]
""",
    ),
    Program(
        name="tariff_timeline",
        code=r'''"""Values that change at known moments, such as tariffs."""

from bisect import bisect_left, bisect_right, insort


class Timeline:
    """A step function: each value holds from its moment until the next one."""

    def __init__(self, initial):
        self.initial = initial
        self._moments = []
        self._values = {}

    def set_from(self, moment, value):
        """Let `value` hold from `moment` on."""
        if moment not in self._values:
            insort(self._moments, moment)
        self._values[moment] = value

    def value_at(self, moment):
        """The value that holds at `moment`."""
        position = bisect_left(self._moments, moment)
        if position == 0:
            return self.initial
        return self._values[self._moments[position - 1]]

    def next_change(self, moment):
        """The first change strictly after `moment`, or None."""
        position = bisect_right(self._moments, moment)
        if position == len(self._moments):
            return None
        return self._moments[position]

    def changes_between(self, start, end):
        """Moments of change in the half-open span [start, end)."""
        low = bisect_left(self._moments, start)
        return self._moments[low:bisect_left(self._moments, end)]
''',
        wrong="position = bisect_left(self._moments, moment)",
        right="position = bisect_right(self._moments, moment)",
        visible=r"""
def test_before_first_change():
    tariff = Timeline(5)
    tariff.set_from(10, 7)
    assert tariff.value_at(9) == 5

def test_at_the_moment_of_change():
    tariff = Timeline(5)
    tariff.set_from(10, 7)
    assert tariff.value_at(10) == 7

def test_between_changes():
    tariff = Timeline(5)
    tariff.set_from(20, 9)
    tariff.set_from(10, 7)
    assert tariff.value_at(15) == 7
    assert tariff.value_at(25) == 9

def test_next_change():
    tariff = Timeline(0)
    tariff.set_from(10, 1)
    tariff.set_from(20, 2)
    assert tariff.next_change(10) == 20
    assert tariff.next_change(20) is None

def test_changes_between():
    tariff = Timeline(0)
    for moment in (1, 3, 5):
        tariff.set_from(moment, moment)
    assert tariff.changes_between(1, 5) == [1, 3]
""",
        hidden=r"""
def test_every_change_moment():
    tariff = Timeline("base")
    for moment, value in ((3, "c"), (1, "a"), (2, "b")):
        tariff.set_from(moment, value)
    assert [tariff.value_at(m) for m in range(5)] == ["base", "a", "b", "c", "c"]

def test_replaced_value():
    tariff = Timeline(0)
    tariff.set_from(4, 1)
    tariff.set_from(4, 2)
    assert tariff.value_at(4) == 2
    assert tariff.changes_between(0, 9) == [4]

def test_no_changes():
    tariff = Timeline(8)
    assert tariff.value_at(100) == 8
    assert tariff.next_change(0) is None

def test_fractional_moments():
    tariff = Timeline(0)
    tariff.set_from(1.5, 3)
    assert tariff.value_at(1.49) == 0
    assert tariff.value_at(1.5) == 3
    assert tariff.next_change(1.2) == 1.5
""",
    ),
    Program(
        name="playlist_links",
        code=r'''"""A playlist as a doubly linked list."""


class Track:
    """A song with links to its neighbours."""

    def __init__(self, title):
        self.title = title
        self.before = None
        self.after = None


class Playlist:
    """Songs in playing order; any track can be removed in constant time."""

    def __init__(self):
        self.first = None
        self.last = None

    def append(self, title):
        """Add a song at the end and return its track."""
        track = Track(title)
        if self.last is None:
            self.first = track
        else:
            self.last.after = track
            track.before = self.last
        self.last = track
        return track

    def remove(self, track):
        """Unlink a track of this playlist."""
        if track.before is None:
            self.first = track.after
        else:
            track.before.after = track.after
        if track.after is None:
            self.last = track.before
        else:
            track.after.before = track
        track.before = track.after = None

    def forwards(self):
        """Titles in playing order."""
        titles, track = [], self.first
        while track is not None:
            titles.append(track.title)
            track = track.after
        return titles

    def backwards(self):
        """Titles in reverse order."""
        titles, track = [], self.last
        while track is not None:
            titles.append(track.title)
            track = track.before
        return titles
''',
        wrong="track.after.before = track\n",
        right="track.after.before = track.before\n",
        visible=r"""
def test_append():
    songs = Playlist()
    for title in "abc":
        songs.append(title)
    assert songs.forwards() == ["a", "b", "c"]
    assert songs.backwards() == ["c", "b", "a"]

def test_remove_only_track():
    songs = Playlist()
    songs.remove(songs.append("a"))
    assert songs.forwards() == []
    assert songs.last is None

def test_remove_middle():
    songs = Playlist()
    songs.append("a")
    middle = songs.append("b")
    songs.append("c")
    songs.remove(middle)
    assert songs.forwards() == ["a", "c"]
    assert songs.backwards() == ["c", "a"]

def test_remove_last():
    songs = Playlist()
    songs.append("a")
    songs.remove(songs.append("b"))
    assert songs.backwards() == ["a"]
""",
        hidden=r"""
def test_remove_first_backwards():
    songs = Playlist()
    first = songs.append("x")
    songs.append("y")
    songs.remove(first)
    assert songs.first.before is None
    assert songs.backwards() == ["y"]

def test_remove_two_neighbours():
    songs = Playlist()
    tracks = [songs.append(t) for t in "pqrs"]
    songs.remove(tracks[1])
    songs.remove(tracks[2])
    assert songs.forwards() == ["p", "s"]
    assert songs.backwards() == ["s", "p"]

def test_append_after_removal():
    songs = Playlist()
    first = songs.append("a")
    songs.append("b")
    songs.remove(first)
    songs.append("c")
    assert songs.forwards() == ["b", "c"]
    assert songs.backwards() == ["c", "b"]

def test_empty():
    assert Playlist().forwards() == []
    assert Playlist().backwards() == []

def test_removed_track_is_detached():
    songs = Playlist()
    songs.append("a")
    track = songs.append("b")
    songs.remove(track)
    assert track.before is None and track.after is None
""",
    ),
    Program(
        name="triage_heap",
        code=r'''"""A binary heap for a hospital's triage queue."""


class TriageQueue:
    """Patients come out by urgency, the lowest number first."""

    def __init__(self):
        self._heap = []

    def __len__(self):
        return len(self._heap)

    def admit(self, urgency, patient):
        """Add a patient to the queue."""
        self._heap.append((urgency, patient))
        index = len(self._heap) - 1
        while index > 0:
            parent = (index - 1) // 2
            if self._heap[parent] <= self._heap[index]:
                break
            self._swap(parent, index)
            index = parent

    def call_next(self):
        """Remove and return the most urgent patient."""
        if not self._heap:
            raise LookupError("nobody is waiting")
        self._swap(0, len(self._heap) - 1)
        _, patient = self._heap.pop()
        self._sink(0)
        return patient

    def _sink(self, index):
        size = len(self._heap)
        while 2 * index + 1 < size:
            child = 2 * index + 1
            if child + 1 < size and self._heap[child + 1] < self._heap[index]:
                child += 1
            if self._heap[index] <= self._heap[child]:
                return
            self._swap(index, child)
            index = child

    def _swap(self, a, b):
        self._heap[a], self._heap[b] = self._heap[b], self._heap[a]
''',
        wrong="self._heap[child + 1] < self._heap[index]:",
        right="self._heap[child + 1] < self._heap[child]:",
        visible=r"""
def drain(queue):
    return [queue.call_next() for _ in range(len(queue))]

def test_single_patient():
    queue = TriageQueue()
    queue.admit(3, "Ann")
    assert queue.call_next() == "Ann"
    assert len(queue) == 0

def test_nobody_waiting():
    with pytest.raises(LookupError):
        TriageQueue().call_next()

def test_already_in_order():
    queue = TriageQueue()
    for urgency in (1, 2, 3, 4):
        queue.admit(urgency, urgency)
    assert drain(queue) == [1, 2, 3, 4]

def test_mixed_arrivals():
    queue = TriageQueue()
    for urgency in (5, 6, 3, 7, 1, 4):
        queue.admit(urgency, urgency)
    assert drain(queue) == [1, 3, 4, 5, 6, 7]

def test_late_emergency():
    queue = TriageQueue()
    for urgency in (2, 3, 1):
        queue.admit(urgency, urgency)
    assert queue.call_next() == 1
""",
        hidden=r"""
def drain(queue):
    return [queue.call_next() for _ in range(len(queue))]

def test_descending_arrivals():
    queue = TriageQueue()
    for urgency in range(12, 0, -1):
        queue.admit(urgency, urgency)
    assert drain(queue) == list(range(1, 13))

def test_scrambled_arrivals():
    queue = TriageQueue()
    numbers = [(k * 7) % 23 for k in range(23)]
    for urgency in numbers:
        queue.admit(urgency, urgency)
    assert drain(queue) == sorted(numbers)

def test_interleaved():
    queue = TriageQueue()
    for urgency in (9, 8, 7):
        queue.admit(urgency, urgency)
    assert queue.call_next() == 7
    queue.admit(1, 1)
    queue.admit(10, 10)
    assert drain(queue) == [1, 8, 9, 10]

def test_ties_by_name():
    queue = TriageQueue()
    for name in ("Zoe", "Bea", "Al"):
        queue.admit(2, name)
    assert drain(queue) == ["Al", "Bea", "Zoe"]
""",
    ),
)

_RECURSION = (
    Program(
        name="outline_numbering",
        code=r'''"""Number the headings of a nested outline."""


def number_outline(sections, prefix=""):
    """Return lines such as '2.1 Title', depth first.

    Each section is a pair of a title and a list of subsections.
    """
    lines = []
    for index, (title, children) in enumerate(sections):
        label = f"{prefix}{index}"
        lines.append(f"{label} {title}")
        lines.extend(number_outline(children, label + "."))
    return lines


def depth(sections):
    """The number of heading levels in the outline."""
    if not sections:
        return 0
    return 1 + max(depth(children) for _, children in sections)


def find_title(sections, title):
    """Return the titles on the way to `title`, or None if it is absent."""
    for heading, children in sections:
        if heading == title:
            return [heading]
        tail = find_title(children, title)
        if tail is not None:
            return [heading] + tail
    return None
''',
        wrong="in enumerate(sections):",
        right="in enumerate(sections, start=1):",
        visible=r"""
BOOK = [("Intro", []), ("Methods", [("Data", []), ("Model", [("Loss", [])])])]

def test_empty_outline():
    assert number_outline([]) == []

def test_flat_outline():
    assert number_outline([("One", []), ("Two", [])]) == ["1 One", "2 Two"]

def test_nested_outline():
    assert number_outline(BOOK) == [
        "1 Intro", "2 Methods", "2.1 Data", "2.2 Model", "2.2.1 Loss"]

def test_depth():
    assert depth(BOOK) == 3
    assert depth([]) == 0

def test_find_title():
    assert find_title(BOOK, "Loss") == ["Methods", "Model", "Loss"]
    assert find_title(BOOK, "Index") is None
""",
        hidden=r"""
def test_prefix_is_kept():
    assert number_outline([("A", [])], "7.") == ["7.1 A"]

def test_single_chain():
    chain = [("a", [("b", [("c", [])])])]
    assert number_outline(chain) == ["1 a", "1.1 b", "1.1.1 c"]

def test_ten_sections():
    lines = number_outline([(str(k), []) for k in range(10)])
    assert lines[0] == "1 0"
    assert lines[-1] == "10 9"

def test_siblings_restart():
    outline = [("x", [("p", [])]), ("y", [("q", [])])]
    assert number_outline(outline) == ["1 x", "1.1 p", "2 y", "2.1 q"]

def test_depth_of_flat():
    assert depth([("x", []), ("y", [])]) == 1
""",
    ),
    Program(
        name="crate_unpacking",
        code=r'''"""Unpack crates that may hold items and further crates."""


def unpack(crate):
    """Yield the items of a crate, those of inner crates in their place."""
    for content in crate:
        if isinstance(content, (list, tuple)):
            yield unpack(content)
        else:
            yield content


def nesting(crate):
    """How many crates deep the deepest one lies (1 for a plain crate)."""
    inner = [c for c in crate if isinstance(c, (list, tuple))]
    return 1 + max((nesting(c) for c in inner), default=0)


def weigh(crate, weights, tare=1):
    """Total weight, counting `tare` for every crate."""
    total = tare
    for content in crate:
        if isinstance(content, (list, tuple)):
            total += weigh(content, weights, tare)
        else:
            total += weights[content]
    return total
''',
        wrong="yield unpack(content)",
        right="yield from unpack(content)",
        visible=r"""
def test_plain_crate():
    assert list(unpack(["cup", "jar"])) == ["cup", "jar"]

def test_inner_crate():
    assert list(unpack(["cup", ["jar", "pan"], "lid"])) == ["cup", "jar", "pan", "lid"]

def test_nesting():
    assert nesting(["a"]) == 1
    assert nesting(["a", ["b", ["c"]]]) == 3

def test_weigh():
    assert weigh(["a", ["b"]], {"a": 5, "b": 2}) == 9

def test_empty_crate():
    assert list(unpack([])) == []
""",
        hidden=r"""
def test_deep():
    assert list(unpack([[[["x"]]]])) == ["x"]

def test_tuples_and_lists():
    assert list(unpack((1, [2, (3, 4)], (5,)))) == [1, 2, 3, 4, 5]

def test_empty_inner_crates():
    assert list(unpack([[], [[], []], "x"])) == ["x"]

def test_strings_stay_whole():
    assert list(unpack(["abc"])) == ["abc"]

def test_weigh_without_tare():
    assert weigh([["a"], ["a", ["a"]]], {"a": 4}, tare=0) == 12
""",
    ),
    Program(
        name="settings_overlay",
        code=r'''"""Layer settings dictionaries over each other."""


def overlay(base, override):
    """Return `base` with the entries of `override` on top, merged deeply."""
    merged = dict(base)
    for key, value in override.items():
        current = merged.get(key)
        if isinstance(current, dict) and isinstance(value, dict):
            merged[key] = overlay(value, current)
        else:
            merged[key] = value
    return merged


def overlay_all(*layers):
    """Merge any number of layers, the last one being the strongest."""
    result = {}
    for layer in layers:
        result = overlay(result, layer)
    return result


def lookup(settings, path, default=None):
    """Read a setting by its dotted path."""
    head, _, rest = path.partition(".")
    if not isinstance(settings, dict) or head not in settings:
        return default
    if not rest:
        return settings[head]
    return lookup(settings[head], rest, default)
''',
        wrong="merged[key] = overlay(value, current)",
        right="merged[key] = overlay(current, value)",
        visible=r"""
def test_flat_override():
    assert overlay({"a": 1, "b": 2}, {"b": 3}) == {"a": 1, "b": 3}

def test_nested_override():
    base = {"db": {"host": "local", "port": 1}}
    assert overlay(base, {"db": {"port": 2}}) == {"db": {"host": "local", "port": 2}}

def test_base_unchanged():
    base = {"db": {"port": 1}}
    overlay(base, {"db": {"port": 2}})
    assert base == {"db": {"port": 1}}

def test_lookup():
    assert lookup({"ui": {"theme": "dark"}}, "ui.theme") == "dark"
    assert lookup({"ui": 1}, "ui.theme", "light") == "light"

def test_dict_replaces_scalar():
    assert overlay({"a": 1}, {"a": {"b": 2}}) == {"a": {"b": 2}}
""",
        hidden=r"""
def test_three_levels():
    base = {"a": {"b": {"c": 1, "d": 1}}}
    top = {"a": {"b": {"c": 2}}}
    assert overlay(base, top) == {"a": {"b": {"c": 2, "d": 1}}}

def test_last_layer_wins():
    layers = [{"x": {"y": n}} for n in (1, 2, 3)]
    assert overlay_all(*layers) == {"x": {"y": 3}}

def test_scalar_replaces_dict():
    assert overlay({"a": {"b": 1}}, {"a": None}) == {"a": None}

def test_disjoint():
    assert overlay({"a": {"b": 1}}, {"a": {"c": 2}}) == {"a": {"b": 1, "c": 2}}

def test_no_layers():
    assert overlay_all() == {}
""",
    ),
    Program(
        name="committee_choices",
        code=r'''"""Enumerate the committees that can be formed from a club."""


def committees(members, size):
    """All committees of `size` members, in the order of the member list."""
    found = []
    chosen = []

    def extend(start):
        if len(chosen) == size:
            found.append(chosen)
            return
        for index in range(start, len(members)):
            chosen.append(members[index])
            extend(index + 1)
            chosen.pop()

    extend(0)
    return found


def count_committees(people, size):
    """How many committees there are, without listing them."""
    if size == 0:
        return 1
    if people < size:
        return 0
    return count_committees(people - 1, size - 1) + count_committees(people - 1, size)


def committees_with(members, size, required):
    """Those committees that include everybody in `required`."""
    wanted = set(required)
    return [group for group in committees(members, size) if wanted <= set(group)]
''',
        wrong="found.append(chosen)\n",
        right="found.append(list(chosen))\n",
        visible=r"""
def test_pairs():
    assert committees(["a", "b", "c"], 2) == [["a", "b"], ["a", "c"], ["b", "c"]]

def test_size_zero():
    assert committees(["a", "b"], 0) == [[]]

def test_too_large():
    assert committees(["a"], 2) == []

def test_count():
    assert count_committees(5, 2) == 10
    assert count_committees(2, 3) == 0

def test_required_member():
    assert committees_with(["a", "b", "c"], 2, ["c"]) == [["a", "c"], ["b", "c"]]
""",
        hidden=r"""
def test_everyone():
    assert committees([1, 2, 3], 3) == [[1, 2, 3]]

def test_singles():
    assert committees("xyz", 1) == [["x"], ["y"], ["z"]]

def test_count_agrees_with_list():
    for size in range(6):
        groups = committees(list(range(5)), size)
        assert len({tuple(g) for g in groups}) == count_committees(5, size)

def test_lists_are_independent():
    groups = committees([1, 2, 3], 2)
    groups[0].append(99)
    assert groups[1] == [1, 3]

def test_two_required():
    assert committees_with("abcd", 3, "ad") == [["a", "b", "d"], ["a", "c", "d"]]
""",
    ),
    Program(
        name="disk_usage_report",
        code=r'''"""Report the space taken by a tree of folders.

A folder is a dict from names to folders or to file sizes in bytes.
"""


def usage(folder):
    """Total bytes of all files below a folder."""
    total = 0
    for entry in folder.values():
        if isinstance(entry, dict):
            total = usage(entry)
        else:
            total += entry
    return total


def largest_file(folder, path=""):
    """Return (path, size) of the largest file, or None without files."""
    best = None
    for name, entry in folder.items():
        here = f"{path}/{name}"
        candidate = largest_file(entry, here) if isinstance(entry, dict) else (here, entry)
        if candidate and (best is None or candidate[1] > best[1]):
            best = candidate
    return best


def report(folder, indent=0):
    """Lines that list each subfolder with its usage."""
    lines = []
    for name in sorted(folder):
        if isinstance(folder[name], dict):
            lines.append(" " * indent + f"{name}: {usage(folder[name])}")
            lines.extend(report(folder[name], indent + 2))
    return lines
''',
        wrong="total = usage(entry)",
        right="total += usage(entry)",
        visible=r"""
def test_files_only():
    assert usage({"a.txt": 10, "b.txt": 5}) == 15

def test_empty():
    assert usage({}) == 0

def test_file_and_folder():
    assert usage({"a.txt": 10, "src": {"m.py": 7}}) == 17

def test_largest_file():
    tree = {"a": 3, "d": {"b": 9, "c": 4}}
    assert largest_file(tree) == ("/d/b", 9)

def test_report():
    tree = {"lib": {"x": 1, "sub": {"y": 2}}, "z": 8}
    assert report(tree) == ["lib: 3", "  sub: 2"]
""",
        hidden=r"""
def test_two_folders():
    assert usage({"a": {"f": 1}, "b": {"g": 2}}) == 3

def test_folder_then_file():
    assert usage({"a": {"f": 1}, "g": 2}) == 3

def test_empty_folder_last():
    assert usage({"f": 6, "empty": {}}) == 6

def test_deep_tree():
    assert usage({"f": 1, "a": {"f": 1, "a": {"f": 1, "a": {"f": 1}}}}) == 4

def test_report_two_folders():
    tree = {"b": {"x": 4, "c": {"y": 5}}, "a": {"w": 2}}
    assert report(tree) == ["a: 2", "b: 9", "  c: 5"]

def test_no_files():
    assert largest_file({"a": {}}) is None
""",
    ),
    Program(
        name="stamp_postage",
        code=r'''"""Combine postage stamps to a given amount."""


def ways(amount, stamps):
    """Number of stamp selections worth exactly `amount`; any stamp may repeat."""
    if amount == 0:
        return 1
    if amount < 0 or not stamps:
        return 0
    with_first = ways(amount - stamps[0], stamps[1:])
    without_first = ways(amount, stamps[1:])
    return with_first + without_first


def fewest(amount, stamps, memo=None):
    """Smallest number of stamps worth `amount`, or None if impossible."""
    memo = {} if memo is None else memo
    if amount == 0:
        return 0
    if amount not in memo:
        counts = [
            fewest(amount - stamp, stamps, memo)
            for stamp in stamps
            if stamp <= amount
        ]
        possible = [count for count in counts if count is not None]
        memo[amount] = 1 + min(possible) if possible else None
    return memo[amount]
''',
        wrong="with_first = ways(amount - stamps[0], stamps[1:])",
        right="with_first = ways(amount - stamps[0], stamps)",
        visible=r"""
def test_nothing_to_pay():
    assert ways(0, [5, 10]) == 1

def test_no_stamps():
    assert ways(5, []) == 0

def test_repeated_stamp():
    assert ways(10, [5]) == 1

def test_several_ways():
    assert ways(5, [1, 2, 5]) == 4

def test_fewest():
    assert fewest(11, [1, 5, 6]) == 2
    assert fewest(3, [2]) is None
""",
        hidden=r"""
def test_ten_with_three_kinds():
    assert ways(10, [2, 3, 5]) == 4

def test_impossible():
    assert ways(7, [2, 4]) == 0

def test_order_does_not_matter():
    assert ways(12, [5, 2, 1]) == ways(12, [1, 2, 5]) == 13

def test_ones_only():
    assert ways(20, [1]) == 1

def test_fewest_mixed():
    assert fewest(8, [1, 4, 5]) == 2
    assert fewest(0, []) == 0
""",
    ),
    Program(
        name="symbolic_derivative",
        code=r'''"""Differentiate small formulas.

A formula is a number, the name of a variable, or a triple such as
("+", left, right) or ("*", left, right).
"""


def derive(formula, variable):
    """The derivative of a formula, not simplified."""
    if isinstance(formula, (int, float)):
        return 0
    if isinstance(formula, str):
        return 1 if formula == variable else 0
    operator, left, right = formula
    if operator == "+":
        return ("+", derive(left, variable), derive(right, variable))
    if operator == "*":
        first = ("*", derive(left, variable), right)
        second = ("*", left, derive(left, variable))
        return ("+", first, second)
    raise ValueError(f"unknown operator {operator!r}")


def evaluate(formula, values):
    """The value of a formula, given those of its variables."""
    if isinstance(formula, (int, float)):
        return formula
    if isinstance(formula, str):
        return values[formula]
    operator, left, right = formula
    a, b = evaluate(left, values), evaluate(right, values)
    return a + b if operator == "+" else a * b


def slope(formula, variable, values):
    """The derivative's value at a point."""
    return evaluate(derive(formula, variable), values)
''',
        wrong='second = ("*", left, derive(left, variable))',
        right='second = ("*", left, derive(right, variable))',
        visible=r"""
def test_constant():
    assert derive(7, "x") == 0

def test_variables():
    assert derive("x", "x") == 1
    assert derive("y", "x") == 0

def test_sum():
    assert slope(("+", "x", ("+", "x", 3)), "x", {"x": 5}) == 2

def test_square():
    assert slope(("*", "x", "x"), "x", {"x": 5}) == 10

def test_scaled_variable():
    assert slope(("*", 3, "x"), "x", {"x": 2}) == 3

def test_unknown_operator():
    with pytest.raises(ValueError):
        derive(("/", 1, "x"), "x")
""",
        hidden=r"""
def test_variable_times_constant():
    assert slope(("*", "x", 4), "x", {"x": 9}) == 4

def test_cube():
    assert slope(("*", "x", ("*", "x", "x")), "x", {"x": 2}) == 12

def test_two_variables():
    formula = ("*", "x", "y")
    assert slope(formula, "x", {"x": 2, "y": 7}) == 7
    assert slope(formula, "y", {"x": 2, "y": 7}) == 2

def test_polynomial():
    formula = ("+", ("*", 2, ("*", "x", "x")), ("+", ("*", 5, "x"), 1))
    assert slope(formula, "x", {"x": 3}) == 17

def test_product_of_sums():
    formula = ("*", ("+", "x", 1), ("+", "x", ("*", 2, "x")))
    assert slope(formula, "x", {"x": 1}) == 9
""",
    ),
)

_STRINGS = (
    Program(
        name="station_config_lines",
        code=r'''"""Read the configuration of a weather station."""

TRUE_WORDS = {"yes", "on", "true"}
FALSE_WORDS = {"no", "off", "false"}


def convert(text):
    """Turn a setting's text into a bool, an int, or leave it a string."""
    lowered = text.lower()
    if lowered in TRUE_WORDS:
        return True
    if lowered in FALSE_WORDS:
        return False
    try:
        return int(text)
    except ValueError:
        return text


def parse_config(source):
    """Parse 'name = value' lines; '#' starts a comment line."""
    settings = {}
    for number, line in enumerate(source.splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if "=" not in line:
            raise ValueError(f"line {number}: no '=' sign")
        parts = line.split("=")
        settings[parts[0].strip()] = convert(parts[1].strip())
    return settings
''',
        wrong='parts = line.split("=")',
        right='parts = line.split("=", 1)',
        visible=r"""
def test_types():
    assert parse_config("a = 1\nb = on\nc = roof") == {"a": 1, "b": True, "c": "roof"}

def test_comments_and_blanks():
    assert parse_config("# head\n\n  x = no\n") == {"x": False}

def test_missing_sign():
    with pytest.raises(ValueError, match="line 2"):
        parse_config("a = 1\noops")

def test_value_with_equals_sign():
    assert parse_config("query = id=7") == {"query": "id=7"}

def test_empty_value():
    assert parse_config("name =") == {"name": ""}
""",
        hidden=r"""
def test_url_value():
    text = "feed = http://met.example/get?lat=4&lon=5"
    assert parse_config(text) == {"feed": "http://met.example/get?lat=4&lon=5"}

def test_padding_value():
    assert parse_config("token = YWJj==") == {"token": "YWJj=="}

def test_value_of_equals_only():
    assert parse_config("sep = =") == {"sep": "="}

def test_later_line_wins():
    assert parse_config("a = 1\na = 2") == {"a": 2}

def test_negative_number_and_case():
    assert parse_config("t = -4\nf = TRUE") == {"t": -4, "f": True}
""",
    ),
    Program(
        name="shell_exports",
        code=r'''"""Read variable assignments from a shell profile."""


def unquote(text):
    """Remove one pair of matching quotes around a text."""
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return text


def parse_assignment(line):
    """Return (name, value) of 'name=value' or 'export name=value'."""
    statement = line.strip().lstrip("export ")
    name, sign, value = statement.partition("=")
    if not sign or not name.isidentifier():
        return None
    return name, unquote(value)


def read_profile(source):
    """All assignments of a profile; later ones replace earlier ones."""
    variables = {}
    for line in source.splitlines():
        assignment = parse_assignment(line)
        if assignment is not None:
            name, value = assignment
            variables[name] = value
    return variables


def expand(text, variables):
    """Replace each $NAME of `variables`, the longest names first."""
    for name in sorted(variables, key=len, reverse=True):
        text = text.replace("$" + name, variables[name])
    return text
''',
        wrong='line.strip().lstrip("export ")',
        right='line.strip().removeprefix("export ")',
        visible=r"""
def test_plain_assignment():
    assert parse_assignment("HOME=/root") == ("HOME", "/root")

def test_exported():
    assert parse_assignment("export LANG='de'") == ("LANG", "de")

def test_lowercase_name():
    assert parse_assignment("export port=80") == ("port", "80")

def test_other_lines():
    assert parse_assignment("echo hello") is None

def test_profile():
    source = "export A=1\nls\nA=2\nB=\"x y\"\n"
    assert read_profile(source) == {"A": "2", "B": "x y"}

def test_expand():
    assert expand("$DIR2/$DIR", {"DIR": "a", "DIR2": "b"}) == "b/a"
""",
        hidden=r"""
def test_name_of_prefix_letters():
    assert parse_assignment("retro=1") == ("retro", "1")

def test_exported_path():
    assert parse_assignment("export path=/bin") == ("path", "/bin")

def test_indented():
    assert parse_assignment("  export X=1  ") == ("X", "1")

def test_name_that_begins_with_export():
    assert parse_assignment("exporter=me") == ("exporter", "me")

def test_profile_mixed():
    assert read_profile("export tmp=/t\nexport e=1\nT=5") == {"tmp": "/t", "e": "1", "T": "5"}

def test_mismatched_quotes():
    assert parse_assignment("Q='a\"") == ("Q", "'a\"")
""",
    ),
    Program(
        name="notice_wrapping",
        code=r'''"""Wrap the text of public notices to narrow columns."""


def wrap(text, width):
    """Break a text into lines of at most `width` characters.

    A word longer than the width stands on a line of its own.
    """
    lines = []
    current = ""
    for word in text.split():
        if not current:
            current = word
        elif len(current) + len(word) <= width:
            current += " " + word
        else:
            lines.append(current)
            current = word
    if current:
        lines.append(current)
    return lines


def centre(lines, width):
    """Pad each line on the left so that it stands in the middle."""
    return [" " * ((width - len(line)) // 2) + line for line in lines]


def notice(text, width):
    """A framed notice as one string."""
    rule = "=" * width
    return "\n".join([rule, *centre(wrap(text, width), width), rule])
''',
        wrong="elif len(current) + len(word) <= width:",
        right="elif len(current) + 1 + len(word) <= width:",
        visible=r"""
def test_short_text():
    assert wrap("no entry", 20) == ["no entry"]

def test_lines_fit_the_width():
    assert wrap("keep off the grass", 7) == ["keep", "off the", "grass"]

def test_space_counts():
    assert wrap("abc def", 6) == ["abc", "def"]

def test_long_word():
    assert wrap("a incomprehensible b", 5) == ["a", "incomprehensible", "b"]

def test_empty():
    assert wrap("", 10) == []

def test_notice():
    assert notice("hi", 6) == "======\n  hi\n======"
""",
        hidden=r"""
def test_exact_fit():
    assert wrap("abc def", 7) == ["abc def"]

def test_no_line_too_long():
    text = "one two three four five six seven eight nine ten"
    for width in range(5, 30):
        assert all(len(line) <= width for line in wrap(text, width))

def test_single_letters():
    assert wrap("a b c d", 2) == ["a", "b", "c", "d"]
    assert wrap("a b c d", 3) == ["a b", "c d"]

def test_extra_blanks_vanish():
    assert wrap("  a   b ", 9) == ["a b"]

def test_centre():
    assert centre(["ab", "abcd"], 6) == ["  ab", " abcd"]
""",
    ),
    Program(
        name="run_length_text",
        code=r'''"""Run-length coding of drawings made of characters."""


def encode(text):
    """Shorten runs: 'aaab' becomes '3ab'."""
    pieces = []
    index = 0
    while index < len(text):
        end = index
        while end < len(text) and text[end] == text[index]:
            end += 1
        count = end - index
        pieces.append((str(count) if count > 1 else "") + text[index])
        index = end
    return "".join(pieces)


def decode(code):
    """Undo `encode`; the drawing itself holds no digits."""
    pieces = []
    count = 0
    for symbol in code:
        if symbol.isdigit():
            count = int(symbol)
        else:
            pieces.append(symbol * (count or 1))
            count = 0
    if count:
        raise ValueError("code ends with a number")
    return "".join(pieces)


def ratio(text):
    """Length of the code relative to the text."""
    return len(encode(text)) / len(text) if text else 1.0
''',
        wrong="count = int(symbol)",
        right="count = count * 10 + int(symbol)",
        visible=r"""
def test_encode():
    assert encode("aaab") == "3ab"
    assert encode("") == ""

def test_decode_short_runs():
    assert decode("3ab2c") == "aaabcc"

def test_decode_long_run():
    assert decode("12-") == "-" * 12

def test_dangling_number():
    with pytest.raises(ValueError):
        decode("a3")

def test_ratio():
    assert ratio("aaaa") == 0.5
    assert ratio("") == 1.0
""",
        hidden=r"""
def test_round_trip():
    for text in ("", "x", "xy" * 4, "#" * 25 + "." * 10 + "#", "=" * 100):
        assert decode(encode(text)) == text

def test_hundred():
    assert decode("100 ") == " " * 100

def test_two_long_runs():
    assert decode("10a11b") == "a" * 10 + "b" * 11

def test_no_numbers():
    assert decode("abc") == "abc"

def test_encode_long():
    assert encode("z" * 40 + "y") == "40zy"
""",
    ),
    Program(
        name="release_ordering",
        code=r'''"""Order the release numbers of a package."""


def parse_release(text):
    """Split '1.10.2' or 'v1.10.2' into comparable parts."""
    parts = text.strip().removeprefix("v").split(".")
    return tuple(part for part in parts)


def normalise(release):
    """Drop trailing zero parts, so that 1.0 equals 1."""
    parts = list(release)
    while len(parts) > 1 and int(parts[-1]) == 0:
        parts.pop()
    return tuple(parts)


def is_newer(candidate, installed):
    """Whether `candidate` is a later release than `installed`."""
    return normalise(parse_release(candidate)) > normalise(parse_release(installed))


def latest(releases):
    """The text of the latest release, or None without releases."""
    return max(releases, key=lambda r: normalise(parse_release(r)), default=None)


def same_series(first, second):
    """Whether two releases share their major number."""
    return parse_release(first)[0] == parse_release(second)[0]
''',
        wrong="return tuple(part for part in parts)",
        right="return tuple(int(part) for part in parts)",
        visible=r"""
def test_newer_patch():
    assert is_newer("1.2.4", "1.2.3")
    assert not is_newer("1.2.3", "1.2.4")

def test_two_digit_minor():
    assert is_newer("1.10", "1.9")

def test_trailing_zeros():
    assert not is_newer("2.0", "2")
    assert not is_newer("2", "2.0.0")

def test_latest():
    assert latest(["0.9", "0.11", "0.10"]) == "0.11"
    assert latest([]) is None

def test_same_series():
    assert same_series("v3.1", "3.9")
    assert not same_series("3.1", "4.1")
""",
        hidden=r"""
def test_parts_are_numbers():
    assert parse_release(" v1.20.3 ") == (1, 20, 3)

def test_major_ten():
    assert is_newer("10.0", "9.9.9")
    assert not is_newer("9.9.9", "10.0")

def test_leading_zeros():
    assert not is_newer("1.02", "1.2")
    assert not is_newer("1.2", "1.02")

def test_latest_with_prefix():
    assert latest(["v2.3", "v2.12", "v2.2"]) == "v2.12"

def test_rubbish_is_rejected():
    with pytest.raises(ValueError):
        parse_release("one.two")

def test_longer_is_newer():
    assert is_newer("1.2.1", "1.2")
""",
    ),
    Program(
        name="ledger_csv_line",
        code=r'''"""Split and join the lines of a comma-separated ledger."""


def split_line(line):
    """Split a line at commas; quoted fields may hold commas and doubled quotes."""
    fields = []
    field = ""
    quoted = False
    index = 0
    while index < len(line):
        char = line[index]
        if quoted and line.startswith('""', index):
            field += '"'
            index += 1
        elif char == '"':
            quoted = not quoted
        elif char == "," and not quoted:
            fields.append(field)
            field = ""
        else:
            field += char
        index += 1
    if quoted:
        raise ValueError("quote is not closed")
    fields.append(field)
    return fields


def join_fields(fields):
    """Write fields as a line, quoting those that need it."""
    written = []
    for field in fields:
        if "," in field or '"' in field:
            field = '"' + field + '"'
        written.append(field)
    return ",".join(written)


def column_total(lines, column):
    """Sum of the whole numbers in one column."""
    return sum(int(split_line(line)[column]) for line in lines)
''',
        wrong="""field = '"' + field + '"'""",
        right="""field = '"' + field.replace('"', '""') + '"'""",
        visible=r'''
def test_split_plain():
    assert split_line("rent,may,450") == ["rent", "may", "450"]

def test_split_quoted():
    assert split_line('"a,b",c') == ["a,b", "c"]
    assert split_line('"say ""hi""",x') == ['say "hi"', "x"]

def test_unclosed_quote():
    with pytest.raises(ValueError):
        split_line('a,"b')

def test_join_with_comma():
    assert join_fields(["a,b", "c"]) == '"a,b",c'

def test_join_and_split():
    fields = ['the "old" barn', "bolts, nuts", "7"]
    assert split_line(join_fields(fields)) == fields

def test_column_total():
    assert column_total(["a,2", "b,40"], 1) == 42
''',
        hidden=r"""
def test_join_doubles_quotes():
    assert join_fields(['a"b']) == '"a""b"'

def test_join_quote_only():
    assert join_fields(['"', ""]) == '"' * 4 + ","

def test_round_trip_of_inches():
    fields = ['3" pipe', 'x,"y"']
    assert split_line(join_fields(fields)) == fields

def test_empty_fields():
    assert split_line(",,") == ["", "", ""]
    assert join_fields(["", "", ""]) == ",,"

def test_plain_join():
    assert join_fields(["tea", "2"]) == "tea,2"
""",
    ),
    Program(
        name="query_parameters",
        code=r'''"""Read and write the query part of web addresses."""

from urllib.parse import quote_plus, unquote_plus


def parse_query(query):
    """Map each parameter to the list of its values, in order."""
    parameters = {}
    for pair in query.lstrip("?").split("&"):
        if not pair:
            continue
        name, _, value = pair.partition("=")
        name = unquote_plus(name)
        parameters[name] = [unquote_plus(value)]
    return parameters


def first(parameters, name, default=None):
    """The first value of a parameter, or a default."""
    values = parameters.get(name)
    return values[0] if values else default


def build_query(parameters):
    """Write parameters as a query, sorted by name."""
    pairs = []
    for name in sorted(parameters):
        for value in parameters[name]:
            pairs.append(f"{quote_plus(name)}={quote_plus(value)}")
    return "&".join(pairs)
''',
        wrong="parameters[name] = [unquote_plus(value)]",
        right="parameters.setdefault(name, []).append(unquote_plus(value))",
        visible=r"""
def test_simple():
    assert parse_query("?a=1&b=2") == {"a": ["1"], "b": ["2"]}

def test_escapes():
    assert parse_query("q=two+words%21") == {"q": ["two words!"]}

def test_repeated_parameter():
    assert parse_query("tag=red&tag=blue") == {"tag": ["red", "blue"]}

def test_empty_query():
    assert parse_query("") == {}

def test_first():
    assert first({"a": ["x", "y"]}, "a") == "x"
    assert first({}, "a", "none") == "none"
""",
        hidden=r"""
def test_three_values_between_others():
    assert parse_query("t=1&x=9&t=2&t=3") == {"t": ["1", "2", "3"], "x": ["9"]}

def test_first_of_repeated():
    assert first(parse_query("page=1&page=2"), "page") == "1"

def test_round_trip():
    query = "a=1&a=2+3&b=%26"
    assert build_query(parse_query(query)) == query

def test_bare_name():
    assert parse_query("debug&debug") == {"debug": ["", ""]}

def test_equals_in_value():
    assert parse_query("f=a=b") == {"f": ["a=b"]}
""",
    ),
)

_ARITHMETIC = (
    Program(
        name="subscription_months",
        code=r'''"""Dates on which monthly subscriptions renew."""

from calendar import monthrange
from datetime import date


def add_months(day, months):
    """The same day some months later, or the last day of a shorter month."""
    index = day.month - 1 + months
    year = day.year + (day.month + months) // 12
    month = index % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def renewals(start, count, every=1):
    """The first `count` renewal dates after `start`."""
    return [add_months(start, every * n) for n in range(1, count + 1)]


def months_between(start, end):
    """Whole months from `start` to a later `end`."""
    months = (end.year - start.year) * 12 + end.month - start.month
    if add_months(start, months) > end:
        months -= 1
    return months
''',
        wrong="year = day.year + (day.month + months) // 12",
        right="year = day.year + index // 12",
        visible=r"""
def test_within_a_year():
    assert add_months(date(2023, 1, 15), 2) == date(2023, 3, 15)

def test_shorter_month():
    assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)

def test_into_december():
    assert add_months(date(2023, 10, 5), 2) == date(2023, 12, 5)

def test_into_next_year():
    assert add_months(date(2023, 11, 5), 3) == date(2024, 2, 5)

def test_months_between():
    assert months_between(date(2023, 1, 31), date(2023, 3, 30)) == 1

def test_quarterly_renewals():
    assert renewals(date(2023, 1, 1), 2, every=3) == [date(2023, 4, 1), date(2023, 7, 1)]
""",
        hidden=r"""
def test_december_stays():
    assert add_months(date(2022, 12, 31), 0) == date(2022, 12, 31)

def test_whole_years_from_december():
    assert add_months(date(2020, 12, 1), 24) == date(2022, 12, 1)

def test_back_into_december():
    assert add_months(date(2023, 1, 10), -1) == date(2022, 12, 10)

def test_a_year_of_renewals():
    months = [(d.year, d.month) for d in renewals(date(2021, 6, 30), 12)]
    assert months == [(2021, m) for m in range(7, 13)] + [(2022, m) for m in range(1, 7)]

def test_leap_day():
    assert add_months(date(2024, 2, 29), 12) == date(2025, 2, 28)

def test_between_to_december():
    assert months_between(date(2023, 3, 1), date(2023, 12, 15)) == 9
""",
    ),
    Program(
        name="machine_uptime",
        code=r'''"""Uptime figures for a shop-floor machine."""

from datetime import datetime, timedelta


def running_time(shifts):
    """Sum of the lengths of (start, stop) shifts."""
    return sum((stop - start for start, stop in shifts), timedelta())


def describe(span):
    """Write a span as 'H:MM', with as many hours as it takes."""
    minutes = span.seconds // 60
    return f"{minutes // 60}:{minutes % 60:02d}"


def availability(shifts, period):
    """Share of the period during which the machine ran, in percent."""
    if not period:
        raise ValueError("period is empty")
    return round(100 * (running_time(shifts) / period), 1)


def longest_pause(shifts):
    """The longest break between two successive shifts."""
    ordered = sorted(shifts)
    pauses = [later[0] - earlier[1] for earlier, later in zip(ordered, ordered[1:])]
    return max(pauses, default=timedelta())
''',
        wrong="minutes = span.seconds // 60",
        right="minutes = int(span.total_seconds()) // 60",
        visible=r"""
NINE = datetime(2024, 5, 6, 9)

def test_running_time():
    shifts = [(NINE, NINE + timedelta(hours=2)), (NINE + timedelta(hours=3), NINE + timedelta(hours=4))]
    assert running_time(shifts) == timedelta(hours=3)

def test_describe_minutes():
    assert describe(timedelta(minutes=65)) == "1:05"

def test_describe_more_than_a_day():
    assert describe(timedelta(hours=30, minutes=12)) == "30:12"

def test_availability():
    assert availability([(NINE, NINE + timedelta(hours=6))], timedelta(days=1)) == 25.0

def test_empty_period():
    with pytest.raises(ValueError):
        availability([], timedelta())

def test_longest_pause():
    assert longest_pause([(NINE, NINE + timedelta(hours=1))]) == timedelta()
""",
        hidden=r"""
def test_exactly_a_day():
    assert describe(timedelta(days=1)) == "24:00"

def test_hundred_hours():
    assert describe(timedelta(hours=100, seconds=59)) == "100:00"

def test_zero():
    assert describe(timedelta()) == "0:00"

def test_describe_summed_shifts():
    begin = datetime(2024, 1, 1)
    shifts = [(begin + timedelta(days=n), begin + timedelta(days=n, hours=10)) for n in range(5)]
    assert describe(running_time(shifts)) == "50:00"

def test_pause_over_midnight():
    begin = datetime(2024, 1, 1, 22)
    shifts = [(begin, begin + timedelta(hours=1)), (begin + timedelta(hours=4), begin + timedelta(hours=5))]
    assert longest_pause(shifts) == timedelta(hours=3)
""",
    ),
    Program(
        name="modular_keys",
        code=r'''"""Modular arithmetic for a toy affine cipher."""


def extended_gcd(a, b):
    """Return (g, x, y) such that a*x + b*y == g, the greatest common divisor."""
    if b == 0:
        return a, 1, 0
    g, x, y = extended_gcd(b, a % b)
    return g, y, x - (a // b) * y


def inverse(number, modulus):
    """The number from 1 to modulus - 1 that undoes a multiplication."""
    g, x, _ = extended_gcd(number, modulus)
    if g != 1:
        raise ValueError(f"{number} has no inverse modulo {modulus}")
    return x


class AffineKey:
    """Encipher n as (a*n + b) modulo the size of the alphabet."""

    def __init__(self, a, b, size=26):
        self.a, self.b, self.size = a, b, size
        self._undo = inverse(a, size)

    def encipher(self, n):
        """Cipher number of a plain number."""
        return (self.a * n + self.b) % self.size

    def decipher(self, n):
        """Plain number of a cipher number."""
        return self._undo * (n - self.b) % self.size
''',
        wrong="    return x\n",
        right="    return x % modulus\n",
        visible=r"""
def test_gcd():
    g, x, y = extended_gcd(240, 46)
    assert g == 2
    assert 240 * x + 46 * y == 2

def test_inverse_small():
    assert inverse(4, 7) == 2

def test_inverse_is_in_range():
    assert inverse(3, 7) == 5
    assert inverse(2, 9) == 5

def test_no_inverse():
    with pytest.raises(ValueError):
        inverse(6, 9)

def test_cipher_round_trip():
    key = AffineKey(5, 8)
    assert [key.decipher(key.encipher(n)) for n in range(26)] == list(range(26))
""",
        hidden=r"""
def test_all_inverses_of_a_prime():
    for n in range(1, 13):
        other = inverse(n, 13)
        assert 1 <= other < 13
        assert n * other % 13 == 1

def test_own_inverse():
    assert inverse(12, 13) == 12

def test_large_modulus():
    assert inverse(17, 3120) == 2753

def test_even_key_rejected():
    with pytest.raises(ValueError):
        AffineKey(4, 1)

def test_agrees_with_pow():
    assert [inverse(n, 26) for n in (1, 3, 5, 7, 9, 11)] == [pow(n, -1, 26) for n in (1, 3, 5, 7, 9, 11)]
""",
    ),
    Program(
        name="running_spread",
        code=r'''"""Mean and spread of measurements that arrive one at a time."""

from math import sqrt


class RunningSpread:
    """Welford's method: one pass, no list of measurements."""

    def __init__(self):
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, value):
        """Take in one measurement."""
        self.count += 1
        delta = value - self.mean
        self.mean += delta / self.count
        self._squares += delta * delta

    def add_all(self, values):
        """Take in several measurements."""
        for value in values:
            self.add(value)

    def variance(self):
        """Sample variance."""
        if self.count < 2:
            raise ValueError("at least two measurements are needed")
        return self._squares / (self.count - 1)

    def deviation(self):
        """Sample standard deviation."""
        return sqrt(self.variance())

    def is_outlier(self, value, limit=3.0):
        """Whether a value lies more than `limit` deviations from the mean."""
        return abs(value - self.mean) > limit * self.deviation()
''',
        wrong="self._squares += delta * delta",
        right="self._squares += delta * (value - self.mean)",
        visible=r"""
def test_mean():
    spread = RunningSpread()
    spread.add_all([2, 4, 9])
    assert spread.mean == pytest.approx(5)
    assert spread.count == 3

def test_variance():
    spread = RunningSpread()
    spread.add_all([2, 4, 4, 4, 5, 5, 7, 9])
    assert spread.variance() == pytest.approx(32 / 7)

def test_too_few():
    spread = RunningSpread()
    spread.add(1)
    with pytest.raises(ValueError):
        spread.variance()

def test_outlier():
    spread = RunningSpread()
    spread.add_all([10, 11, 9, 10, 10])
    assert not spread.is_outlier(11)
    assert spread.is_outlier(20)
""",
        hidden=r"""
def test_equal_measurements():
    spread = RunningSpread()
    spread.add_all([0, 0, 0])
    assert spread.variance() == 0

def test_two_measurements():
    spread = RunningSpread()
    spread.add_all([1, 3])
    assert spread.variance() == pytest.approx(2)

def test_equal_but_not_zero():
    spread = RunningSpread()
    spread.add_all([5, 5, 5, 5])
    assert spread.deviation() == pytest.approx(0)

def test_agrees_with_two_passes():
    values = [3.5, -1.25, 8, 0.5, 2.75, 9]
    spread = RunningSpread()
    spread.add_all(values)
    mean = sum(values) / len(values)
    assert spread.variance() == pytest.approx(sum((v - mean) ** 2 for v in values) / 5)

def test_tight_limit():
    spread = RunningSpread()
    spread.add_all([0, 2])
    assert spread.is_outlier(2.5, limit=1)
    assert not spread.is_outlier(2.0, limit=1)
""",
    ),
    Program(
        name="freight_quotes",
        code=r'''"""Price quotes of a freight company, in whole cents."""

STANDARD_RATE = 120
FUEL_PERCENT = 8


def base_price(kilos, rate=None):
    """Price for a weight; customers may have a rate of their own, even zero."""
    if kilos < 0:
        raise ValueError("weight must not be negative")
    per_kilo = rate or STANDARD_RATE
    return kilos * per_kilo


def with_fuel(price):
    """Add the fuel surcharge, rounding half a cent up."""
    return price + (price * FUEL_PERCENT + 50) // 100


def quote(consignments, rates, customer):
    """Total for all consignments of a customer."""
    own_rate = rates.get(customer)
    return sum(with_fuel(base_price(kilos, own_rate)) for kilos in consignments)


def cheapest(quotes):
    """Name of the lowest quote; the first in the alphabet if several."""
    return min(sorted(quotes), key=quotes.get)
''',
        wrong="per_kilo = rate or STANDARD_RATE",
        right="per_kilo = STANDARD_RATE if rate is None else rate",
        visible=r"""
def test_standard_rate():
    assert base_price(10) == 1200

def test_own_rate():
    assert base_price(10, 90) == 900

def test_charity_travels_free():
    assert quote([10, 20], {"charity": 0}, "charity") == 0

def test_negative_weight():
    with pytest.raises(ValueError):
        base_price(-1)

def test_fuel_rounding():
    assert with_fuel(100) == 108
    assert with_fuel(106) == 114

def test_cheapest():
    assert cheapest({"sea": 5, "rail": 3, "air": 3}) == "air"
""",
        hidden=r"""
def test_zero_rate():
    assert base_price(7, 0) == 0

def test_explicit_none():
    assert base_price(2, None) == 240

def test_zero_weight():
    assert base_price(0, 55) == 0

def test_quote_standard():
    assert quote([1, 2], {}, "anyone") == 130 + 259

def test_quote_mixed_customers():
    rates = {"a": 0, "b": 50}
    assert [quote([4], rates, name) for name in "abc"] == [0, 216, 518]
""",
    ),
    Program(
        name="quiet_hours",
        code=r'''"""Quiet hours of a block of flats, given in minutes since midnight."""

DAY = 24 * 60


def parse_clock(text):
    """Minutes since midnight of a time such as '22:30'."""
    hours, minutes = text.split(":")
    moment = int(hours) * 60 + int(minutes)
    if not 0 <= moment < DAY:
        raise ValueError(f"no such time: {text}")
    return moment


class QuietHours:
    """A daily span from `start` up to `end`, which may run past midnight."""

    def __init__(self, start, end):
        self.start = parse_clock(start)
        self.end = parse_clock(end)

    def covers(self, clock):
        """Whether noise is forbidden at this time."""
        moment = parse_clock(clock)
        if self.start <= self.end:
            return self.start <= moment < self.end
        return moment >= self.start and moment < self.end

    def length(self):
        """Minutes of quiet per day."""
        return (self.end - self.start) % DAY

    def minutes_left(self, clock):
        """Minutes until the quiet ends, or 0 outside of it."""
        if not self.covers(clock):
            return 0
        return (self.end - parse_clock(clock)) % DAY
''',
        wrong="return moment >= self.start and moment < self.end",
        right="return moment >= self.start or moment < self.end",
        visible=r"""
def test_afternoon():
    nap = QuietHours("13:00", "15:00")
    assert nap.covers("13:00")
    assert not nap.covers("15:00")

def test_late_evening():
    assert QuietHours("22:00", "06:00").covers("23:15")

def test_early_morning():
    night = QuietHours("22:00", "06:00")
    assert night.minutes_left("05:30") == 30

def test_length():
    assert QuietHours("22:00", "06:00").length() == 480
    assert QuietHours("13:00", "15:00").length() == 120

def test_bad_time():
    with pytest.raises(ValueError):
        parse_clock("24:00")
""",
        hidden=r"""
def test_borders_of_the_night():
    night = QuietHours("21:30", "07:15")
    assert night.covers("21:30")
    assert night.covers("00:00")
    assert night.covers("07:14")
    assert not night.covers("07:15")
    assert not night.covers("21:29")

def test_noon_is_loud():
    assert not QuietHours("22:00", "06:00").covers("12:00")
    assert QuietHours("22:00", "06:00").minutes_left("12:00") == 0

def test_minutes_left_before_midnight():
    assert QuietHours("22:00", "06:00").minutes_left("23:00") == 420

def test_minutes_left_afternoon():
    assert QuietHours("13:00", "15:00").minutes_left("14:10") == 50

def test_empty_span():
    assert not QuietHours("08:00", "08:00").covers("08:00")
""",
    ),
)

_GRAPHS = (
    Program(
        name="courier_routes",
        code=r'''"""Cheapest courier routes between depots."""

from heapq import heappop, heappush
from math import inf


def cheapest_costs(roads, start):
    """Cost from `start` to each depot that can be reached.

    `roads` maps a depot to a dict of neighbours and costs.
    """
    best = {start: 0}
    queue = [(0, start)]
    while queue:
        cost, depot = heappop(queue)
        if cost > best[depot]:
            continue
        for neighbour, toll in roads.get(depot, {}).items():
            total = cost + toll
            if total < best.get(neighbour, 0):
                best[neighbour] = total
                heappush(queue, (total, neighbour))
    return best


def cost_between(roads, start, goal):
    """Cheapest cost from start to goal; infinite if there is no way."""
    return cheapest_costs(roads, start).get(goal, inf)


def farthest(roads, start):
    """The depot that is most expensive to reach."""
    costs = cheapest_costs(roads, start)
    return max(sorted(costs), key=costs.get)
''',
        wrong="if total < best.get(neighbour, 0):",
        right="if total < best.get(neighbour, inf):",
        visible=r"""
ROADS = {"a": {"b": 4, "c": 1}, "c": {"b": 2}, "b": {"d": 5}}

def test_start_costs_nothing():
    assert cost_between(ROADS, "a", "a") == 0

def test_detour_is_cheaper():
    assert cheapest_costs(ROADS, "a") == {"a": 0, "c": 1, "b": 3, "d": 8}

def test_unreachable():
    assert cost_between(ROADS, "d", "a") == inf

def test_farthest():
    assert farthest(ROADS, "a") == "d"
""",
        hidden=r"""
def test_one_road():
    assert cost_between({"x": {"y": 7}}, "x", "y") == 7

def test_cycle():
    roads = {"a": {"b": 1}, "b": {"c": 1}, "c": {"a": 1}}
    assert cheapest_costs(roads, "b") == {"b": 0, "c": 1, "a": 2}

def test_long_detour():
    roads = {1: {5: 10, 2: 1}, 2: {3: 1}, 3: {4: 1}, 4: {5: 1}}
    assert cost_between(roads, 1, 5) == 4

def test_free_road():
    assert cheapest_costs({"a": {"b": 0}}, "a") == {"a": 0, "b": 0}

def test_unknown_depot():
    assert cost_between({}, "a", "b") == inf
    assert farthest({}, "a") == "a"
""",
    ),
    Program(
        name="recipe_step_order",
        code=r'''"""Order the steps of a recipe by what each one needs."""

from collections import deque


def order_steps(needs):
    """Return the steps so that each comes after those it needs.

    `needs` maps a step to the steps that must be done before it. Among steps
    that are ready, those named first come first.
    """
    waiting = {step: 0 for step in needs}
    followers = {step: [] for step in needs}
    for step, earlier_steps in needs.items():
        for earlier in earlier_steps:
            if earlier not in needs:
                raise KeyError(earlier)
            waiting[earlier] += 1
            followers[earlier].append(step)
    ready = deque(step for step in needs if waiting[step] == 0)
    order = []
    while ready:
        step = ready.popleft()
        order.append(step)
        for follower in followers[step]:
            waiting[follower] -= 1
            if waiting[follower] == 0:
                ready.append(follower)
    if len(order) < len(needs):
        raise ValueError("steps wait for each other")
    return order


def is_valid(order, needs):
    """Whether every step stands after all that it needs."""
    place = {step: number for number, step in enumerate(order)}
    return all(place[e] < place[s] for s, earlier in needs.items() for e in earlier)
''',
        wrong="waiting[earlier] += 1",
        right="waiting[step] += 1",
        visible=r"""
def test_independent_steps():
    assert order_steps({"chop": [], "boil": []}) == ["chop", "boil"]

def test_chain():
    needs = {"serve": ["bake"], "bake": ["mix"], "mix": []}
    assert order_steps(needs) == ["mix", "bake", "serve"]

def test_circle():
    with pytest.raises(ValueError):
        order_steps({"a": ["b"], "b": ["a"]})

def test_unknown_step():
    with pytest.raises(KeyError):
        order_steps({"a": ["z"]})

def test_is_valid():
    assert is_valid(["a", "b"], {"a": [], "b": ["a"]})
    assert not is_valid(["b", "a"], {"a": [], "b": ["a"]})
""",
        hidden=r"""
def test_diamond():
    needs = {"d": ["b", "c"], "b": ["a"], "c": ["a"], "a": []}
    assert order_steps(needs) == ["a", "b", "c", "d"]

def test_one_need():
    assert order_steps({"x": [], "y": ["x"]}) == ["x", "y"]

def test_two_needs():
    order = order_steps({"cake": ["dough", "icing"], "icing": [], "dough": ["flour"], "flour": []})
    assert order == ["icing", "flour", "dough", "cake"]

def test_no_steps():
    assert order_steps({}) == []

def test_partial_circle():
    with pytest.raises(ValueError):
        order_steps({"a": [], "b": ["c", "a"], "c": ["b"]})
""",
    ),
    Program(
        name="warehouse_robot_steps",
        code=r'''"""Shortest walks of a robot over a warehouse floor."""

from collections import deque

MOVES = ((0, 1), (1, 0), (0, -1), (-1, 0))


def find_mark(floor, mark):
    """Position (row, column) of a mark on the floor."""
    for row, line in enumerate(floor):
        if mark in line:
            return row, line.index(mark)
    raise ValueError(f"no {mark!r} on the floor")


def neighbours(floor, row, column):
    """Free squares next to a square; '#' is a shelf."""
    for down, right in MOVES:
        r, c = row + down, column + right
        if 0 <= r < len(floor) and 0 <= c < len(floor):
            if floor[r][c] != "#":
                yield r, c


def steps_to(floor, start="S", goal="G"):
    """Fewest steps between two marks, or None if shelves bar the way."""
    origin, target = find_mark(floor, start), find_mark(floor, goal)
    distance = {origin: 0}
    queue = deque([origin])
    while queue:
        square = queue.popleft()
        if square == target:
            return distance[square]
        for other in neighbours(floor, *square):
            if other not in distance:
                distance[other] = distance[square] + 1
                queue.append(other)
    return None
''',
        wrong="if 0 <= r < len(floor) and 0 <= c < len(floor):",
        right="if 0 <= r < len(floor) and 0 <= c < len(floor[0]):",
        visible=r"""
def test_square_floor():
    assert steps_to(["S.", ".G"]) == 2

def test_around_a_shelf():
    assert steps_to(["S#G", ".#.", "..."]) == 6

def test_barred():
    assert steps_to(["S#G", "###", "..."]) is None

def test_wide_floor():
    assert steps_to(["S...G"]) == 4

def test_missing_mark():
    with pytest.raises(ValueError):
        steps_to(["S."])
""",
        hidden=r"""
def test_tall_floor():
    assert steps_to(["S", ".", ".", "G"]) == 3

def test_two_rows_wide():
    assert steps_to(["S.#.G", "....."]) == 6

def test_neighbours_of_wide_corner():
    assert sorted(neighbours(["....", "...."], 0, 3)) == [(0, 2), (1, 3)]

def test_neighbours_of_tall_corner():
    assert sorted(neighbours(["..", "..", ".."], 2, 1)) == [(1, 1), (2, 0)]

def test_same_square():
    assert steps_to(["A"], "A", "A") == 0
""",
    ),
    Program(
        name="import_cycles",
        code=r'''"""Find circular imports among modules."""

NEW, OPEN, DONE = range(3)


def find_cycle(imports):
    """Return the modules of one import cycle, or None.

    `imports` maps a module to the list of modules it imports.
    """
    state = {}
    trail = []

    def visit(module):
        state[module] = OPEN
        trail.append(module)
        for target in imports.get(module, ()):
            mark = state.get(target, NEW)
            if mark == OPEN:
                return trail[trail.index(target):]
            if mark == NEW:
                cycle = visit(target)
                if cycle:
                    return cycle
        trail.pop()
        state[module] = OPEN
        return None

    for module in imports:
        if state.get(module, NEW) == NEW:
            cycle = visit(module)
            if cycle:
                return cycle
    return None


def describe_cycle(imports):
    """A line for the build log."""
    cycle = find_cycle(imports)
    if cycle is None:
        return "no circular imports"
    return " -> ".join(cycle + cycle[:1])
''',
        wrong="""        trail.pop()
        state[module] = OPEN
""",
        right="""        trail.pop()
        state[module] = DONE
""",
        visible=r"""
def test_no_imports():
    assert find_cycle({"a": [], "b": []}) is None

def test_simple_cycle():
    assert find_cycle({"a": ["b"], "b": ["a"]}) == ["a", "b"]

def test_cycle_off_the_entry():
    assert find_cycle({"main": ["x"], "x": ["y"], "y": ["x"]}) == ["x", "y"]

def test_shared_import_is_no_cycle():
    assert find_cycle({"app": ["db", "log"], "db": ["log"], "log": []}) is None

def test_describe():
    assert describe_cycle({"a": ["a"]}) == "a -> a"
    assert describe_cycle({}) == "no circular imports"
""",
        hidden=r"""
def test_diamond():
    assert find_cycle({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}) is None

def test_listed_after_its_importer():
    assert find_cycle({"z": ["y"], "x": ["y"]}) is None

def test_cycle_after_shared_import():
    imports = {"a": ["u", "b"], "b": ["u", "c"], "c": ["a"], "u": []}
    assert find_cycle(imports) == ["a", "b", "c"]

def test_chain_in_reverse_order():
    assert describe_cycle({"c": [], "b": ["c"], "a": ["b"]}) == "no circular imports"

def test_long_cycle_text():
    assert describe_cycle({"a": ["b"], "b": ["c"], "c": ["b"]}) == "b -> c -> b"
""",
    ),
    Program(
        name="village_cables",
        code=r'''"""Cheapest cabling that connects villages."""


class Groups:
    """Disjoint groups of villages."""

    def __init__(self, villages):
        self._leader = {village: village for village in villages}

    def find(self, village):
        """The leader of the village's group."""
        while self._leader[village] != village:
            village = self._leader[village]
        return village

    def merge(self, first, second):
        """Join two groups; return False if they are one already."""
        one, two = self.find(first), self.find(second)
        if one == two:
            return False
        self._leader[first] = two
        return True


def cheapest_cables(villages, offers):
    """Choose from offers (cost, a, b) those of a minimum spanning tree."""
    groups = Groups(villages)
    return [offer for offer in sorted(offers) if groups.merge(offer[1], offer[2])]


def total_cost(villages, offers):
    """Cost of connecting everybody, or None if the offers do not suffice."""
    cables = cheapest_cables(villages, offers)
    if len(cables) < len(villages) - 1:
        return None
    return sum(cost for cost, _, _ in cables)
''',
        wrong="self._leader[first] = two",
        right="self._leader[one] = two",
        visible=r"""
def test_two_villages():
    assert total_cost("ab", [(5, "a", "b"), (3, "b", "a")]) == 3

def test_triangle():
    offers = [(1, "a", "b"), (2, "b", "c"), (3, "a", "c")]
    assert cheapest_cables("abc", offers) == [(1, "a", "b"), (2, "b", "c")]

def test_star_offers():
    offers = [(1, "a", "b"), (2, "a", "c"), (3, "b", "c")]
    assert total_cost("abc", offers) == 3

def test_not_enough():
    assert total_cost("abc", [(1, "a", "b")]) is None

def test_merge_reports_same_group():
    groups = Groups("abc")
    assert groups.merge("a", "b")
    assert not groups.merge("b", "a")

def test_merge_through_a_member():
    groups = Groups("abc")
    groups.merge("a", "b")
    groups.merge("a", "c")
    assert groups.find("b") == groups.find("c")
""",
        hidden=r"""
def test_all_together():
    groups = Groups(range(5))
    for n in range(1, 5):
        assert groups.merge(0, n)
    assert len({groups.find(n) for n in range(5)}) == 1

def test_square_with_diagonals():
    offers = [(1, 1, 2), (2, 1, 3), (3, 2, 3), (4, 1, 4), (5, 2, 4), (6, 3, 4)]
    assert total_cost([1, 2, 3, 4], offers) == 7

def test_two_pairs_joined():
    groups = Groups("abcd")
    groups.merge("a", "b")
    groups.merge("c", "d")
    assert groups.merge("a", "c")
    assert not groups.merge("b", "d")

def test_lone_village():
    assert total_cost(["x"], []) == 0

def test_unmerged_stay_apart():
    groups = Groups("xyz")
    groups.merge("x", "y")
    assert groups.find("z") == "z"
""",
    ),
    Program(
        name="dance_partners",
        code=r'''"""Split dancers into two circles so that no rivals share one."""


def split_circles(rivals):
    """Return two sorted lists of dancers, or None if it cannot be done.

    `rivals` maps each dancer to those that must be in the other circle;
    rivalry is mutual.
    """
    circle = {}
    for dancer in rivals:
        if dancer in circle:
            break
        circle[dancer] = 0
        pending = [dancer]
        while pending:
            current = pending.pop()
            for rival in rivals[current]:
                if rival not in circle:
                    circle[rival] = 1 - circle[current]
                    pending.append(rival)
                elif circle[rival] == circle[current]:
                    return None
    outer = sorted(name for name, side in circle.items() if side == 0)
    inner = sorted(name for name, side in circle.items() if side == 1)
    return outer, inner


def make_mutual(pairs):
    """Build the rivals mapping from pairs of dancers."""
    rivals = {}
    for one, other in pairs:
        rivals.setdefault(one, []).append(other)
        rivals.setdefault(other, []).append(one)
    return rivals
''',
        wrong="            break\n",
        right="            continue\n",
        visible=r"""
def test_no_dancers():
    assert split_circles({}) == ([], [])

def test_one_pair():
    assert split_circles(make_mutual([("Al", "Bo")])) == (["Al"], ["Bo"])

def test_triangle_is_impossible():
    assert split_circles(make_mutual([(1, 2), (2, 3), (3, 1)])) is None

def test_two_separate_pairs():
    rivals = make_mutual([("Al", "Bo"), ("Cy", "Di")])
    assert split_circles(rivals) == (["Al", "Cy"], ["Bo", "Di"])

def test_make_mutual():
    assert make_mutual([("x", "y")]) == {"x": ["y"], "y": ["x"]}
""",
        hidden=r"""
def test_late_triangle():
    rivals = make_mutual([("a", "b"), ("p", "q"), ("q", "r"), ("r", "p")])
    assert split_circles(rivals) is None

def test_everyone_is_placed():
    rivals = make_mutual([(1, 2), (2, 3), (4, 5), (6, 7)])
    outer, inner = split_circles(rivals)
    assert sorted(outer + inner) == [1, 2, 3, 4, 5, 6, 7]

def test_square():
    assert split_circles(make_mutual([(1, 2), (2, 3), (3, 4), (4, 1)])) == ([1, 3], [2, 4])

def test_loners():
    assert split_circles({"a": [], "b": []}) == (["a", "b"], [])

def test_pair_then_loner():
    assert split_circles({"a": ["b"], "b": ["a"], "c": []}) == (["a", "c"], ["b"])
""",
    ),
)

_MACHINES = (
    Program(
        name="supplier_breaker",
        code=r'''"""A circuit breaker in front of an unreliable supplier."""

CLOSED, OPEN, HALF_OPEN = "closed", "open", "half-open"


class Breaker:
    """Block calls for a while after too many failures in a row."""

    def __init__(self, threshold=3, pause=30):
        self.threshold = threshold
        self.pause = pause
        self.state = CLOSED
        self.failures = 0
        self._opened_at = None

    def allows(self, now):
        """Whether a call may be tried; after the pause, one probe may."""
        if self.state == OPEN and now - self._opened_at >= self.pause:
            self.state = HALF_OPEN
            self.failures = 0
        return self.state != OPEN

    def succeeded(self):
        """Note a call that worked."""
        self.state = CLOSED
        self.failures = 0

    def failed(self, now):
        """Note a call that failed; a failed probe opens the breaker at once."""
        self.failures += 1
        if self.failures >= self.threshold:
            self.state = OPEN
            self._opened_at = now
''',
        wrong="if self.failures >= self.threshold:",
        right="if self.state == HALF_OPEN or self.failures >= self.threshold:",
        visible=r"""
def tripped():
    breaker = Breaker(threshold=2, pause=10)
    breaker.failed(0)
    breaker.failed(1)
    return breaker

def test_closed_at_first():
    assert Breaker().allows(0)

def test_opens_after_failures():
    assert tripped().state == OPEN
    assert not tripped().allows(5)

def test_success_resets_the_count():
    breaker = Breaker(threshold=2)
    breaker.failed(0)
    breaker.succeeded()
    breaker.failed(1)
    assert breaker.state == CLOSED

def test_probe_after_pause():
    breaker = tripped()
    assert breaker.allows(11)
    assert breaker.state == HALF_OPEN

def test_failed_probe():
    breaker = tripped()
    breaker.allows(11)
    breaker.failed(12)
    assert not breaker.allows(13)
""",
        hidden=r"""
def test_failed_probe_starts_a_new_pause():
    breaker = Breaker(threshold=5, pause=10)
    for moment in range(5):
        breaker.failed(moment)
    assert breaker.allows(14)
    breaker.failed(15)
    assert breaker.state == OPEN
    assert not breaker.allows(24)
    assert breaker.allows(25)

def test_good_probe_closes():
    breaker = Breaker(threshold=1, pause=1)
    breaker.failed(0)
    assert breaker.allows(1)
    breaker.succeeded()
    assert breaker.state == CLOSED

def test_full_count_needed_after_closing():
    breaker = Breaker(threshold=2, pause=1)
    breaker.failed(0)
    breaker.failed(0)
    breaker.allows(1)
    breaker.succeeded()
    breaker.failed(2)
    assert breaker.state == CLOSED

def test_pause_border():
    breaker = Breaker(threshold=1, pause=10)
    breaker.failed(5)
    assert not breaker.allows(14)
    assert breaker.allows(15)

def test_below_threshold():
    breaker = Breaker(threshold=3)
    breaker.failed(0)
    breaker.failed(0)
    assert breaker.allows(0)
""",
    ),
    Program(
        name="download_token_bucket",
        code=r'''"""Limit downloads with a bucket of tokens."""


class TokenBucket:
    """Tokens flow in at `rate` per second, up to `capacity` of them."""

    def __init__(self, capacity, rate, now=0):
        if capacity <= 0 or rate <= 0:
            raise ValueError("capacity and rate must be positive")
        self.capacity = capacity
        self.rate = rate
        self.tokens = capacity
        self._updated = now

    def _refill(self, now):
        elapsed = max(0, now - self._updated)
        self.tokens = self.tokens + elapsed * self.rate
        self._updated = max(now, self._updated)

    def take(self, amount, now):
        """Take tokens if there are enough; tell whether it worked."""
        self._refill(now)
        if amount > self.tokens:
            return False
        self.tokens -= amount
        return True

    def wait_for(self, amount, now):
        """Seconds until `amount` tokens will be there, or None for never."""
        if amount > self.capacity:
            return None
        self._refill(now)
        return max(0, (amount - self.tokens) / self.rate)
''',
        wrong="self.tokens = self.tokens + elapsed * self.rate",
        right="self.tokens = min(self.capacity, self.tokens + elapsed * self.rate)",
        visible=r"""
def test_starts_full():
    bucket = TokenBucket(10, 1)
    assert bucket.take(10, 0)
    assert not bucket.take(1, 0)

def test_refills():
    bucket = TokenBucket(10, 2)
    bucket.take(10, 0)
    assert bucket.take(4, 2)
    assert not bucket.take(1, 2)

def test_never_above_capacity():
    bucket = TokenBucket(10, 1)
    bucket.take(3, 0)
    assert not bucket.take(11, 1000)

def test_wait_for():
    bucket = TokenBucket(4, 2)
    bucket.take(4, 0)
    assert bucket.wait_for(3, 0) == 1.5
    assert bucket.wait_for(5, 0) is None

def test_bad_arguments():
    with pytest.raises(ValueError):
        TokenBucket(0, 1)
""",
        hidden=r"""
def test_idle_time_is_lost():
    bucket = TokenBucket(5, 1)
    assert bucket.take(5, 100)
    assert not bucket.take(1, 100)

def test_wait_after_idling():
    bucket = TokenBucket(6, 3)
    bucket.wait_for(1, 50)
    assert bucket.tokens == 6
    assert bucket.take(6, 50)
    assert bucket.wait_for(6, 50) == 2

def test_clock_going_back():
    bucket = TokenBucket(2, 1, now=10)
    bucket.take(2, 10)
    assert not bucket.take(1, 5)
    assert bucket.take(1, 11)

def test_partial_refill_then_cap():
    bucket = TokenBucket(3, 1)
    bucket.take(3, 0)
    bucket.wait_for(1, 2)
    assert bucket.tokens == 2
    bucket.wait_for(1, 9)
    assert bucket.tokens == 3

def test_failed_take_costs_nothing():
    bucket = TokenBucket(3, 1)
    assert not bucket.take(4, 0)
    assert bucket.tokens == 3
""",
    ),
    Program(
        name="crossing_signal",
        code=r'''"""A pedestrian signal that runs through timed phases."""

PHASES = (("red", 20), ("green", 10), ("flashing", 4))


class CrossingSignal:
    """Advance the clock in any steps; the phase follows."""

    def __init__(self, phases=PHASES):
        self._phases = tuple(phases)
        self._index = 0
        self._elapsed = 0
        self.cycles = 0

    @property
    def phase(self):
        """Name of the current phase."""
        return self._phases[self._index][0]

    @property
    def remaining(self):
        """Seconds until the next phase."""
        return self._phases[self._index][1] - self._elapsed

    def advance(self, seconds):
        """Let time pass; several phases may go by."""
        self._elapsed += seconds
        while self._elapsed >= self._phases[self._index][1]:
            self._elapsed = 0
            self._index = (self._index + 1) % len(self._phases)
            if self._index == 0:
                self.cycles += 1

    def may_walk(self):
        """Whether pedestrians may start to cross."""
        return self.phase == "green"
''',
        wrong="""[1]:
            self._elapsed = 0
""",
        right="""[1]:
            self._elapsed -= self._phases[self._index][1]
""",
        visible=r"""
def test_starts_red():
    signal = CrossingSignal()
    assert signal.phase == "red"
    assert signal.remaining == 20
    assert not signal.may_walk()

def test_exact_step():
    signal = CrossingSignal()
    signal.advance(20)
    assert signal.phase == "green"
    assert signal.remaining == 10

def test_surplus_counts():
    signal = CrossingSignal()
    signal.advance(23)
    assert signal.phase == "green"
    assert signal.remaining == 7

def test_several_phases_at_once():
    signal = CrossingSignal()
    signal.advance(31)
    assert signal.phase == "flashing"

def test_cycle_by_exact_steps():
    signal = CrossingSignal()
    for seconds in (20, 10, 4):
        signal.advance(seconds)
    assert signal.cycles == 1
    assert signal.phase == "red"
""",
        hidden=r"""
def test_whole_cycle_at_once():
    signal = CrossingSignal()
    signal.advance(34)
    assert (signal.phase, signal.remaining, signal.cycles) == ("red", 20, 1)

def test_three_cycles_and_a_bit():
    signal = CrossingSignal()
    signal.advance(34 * 3 + 25)
    assert (signal.phase, signal.remaining, signal.cycles) == ("green", 5, 3)

def test_small_steps_agree_with_large():
    small, large = CrossingSignal(), CrossingSignal()
    for _ in range(15):
        small.advance(3)
    large.advance(45)
    assert (small.phase, small.remaining) == (large.phase, large.remaining) == ("red", 9)

def test_own_phases():
    signal = CrossingSignal([("up", 1), ("down", 2)])
    signal.advance(2)
    assert (signal.phase, signal.remaining) == ("down", 1)

def test_no_time():
    signal = CrossingSignal()
    signal.advance(0)
    assert signal.remaining == 20
""",
    ),
    Program(
        name="water_level_units",
        code=r'''"""Water levels that mix with plain numbers of centimetres."""

from functools import total_ordering


@total_ordering
class Level:
    """A height in centimetres above the gauge's zero."""

    __slots__ = ("centimetres",)

    def __init__(self, centimetres):
        self.centimetres = centimetres

    @staticmethod
    def _number(other):
        return other.centimetres if isinstance(other, Level) else other

    def __repr__(self):
        return f"Level({self.centimetres})"

    def __eq__(self, other):
        return self.centimetres == self._number(other)

    def __lt__(self, other):
        return self.centimetres < self._number(other)

    def __hash__(self):
        return hash(self.centimetres)

    def __add__(self, other):
        return Level(self.centimetres + self._number(other))

    __radd__ = __add__

    def __sub__(self, other):
        return Level(self.centimetres - self._number(other))

    def __rsub__(self, other):
        """A plain number minus this level."""
        return self - other


def freeboard(dam_height, level):
    """How far the water stands below the top of a dam."""
    return dam_height - level
''',
        wrong="return self - other",
        right="return Level(other - self.centimetres)",
        visible=r"""
def test_sum():
    assert Level(120) + Level(30) == Level(150)
    assert sum([Level(1), Level(2)]) == Level(3)

def test_difference():
    assert Level(120) - 20 == Level(100)

def test_number_minus_level():
    assert 500 - Level(420) == Level(80)

def test_order():
    assert Level(1) < Level(2) <= 2
    assert max(Level(5), Level(9)) == Level(9)

def test_repr():
    assert repr(Level(7)) == "Level(7)"
""",
        hidden=r"""
def test_freeboard_of_number():
    assert freeboard(300, Level(250)) == 50

def test_freeboard_of_level():
    assert freeboard(Level(300), Level(310)) == -10

def test_negative_result():
    assert 10 - Level(15) == Level(-5)

def test_zero_minus_level():
    assert (0 - Level(3)).centimetres == -3

def test_operands_unchanged():
    level = Level(40)
    level - 1
    1 + level
    assert level == Level(40)
    assert len({Level(40), level}) == 1
""",
    ),
    Program(
        name="comment_remover",
        code=r'''"""Remove '//' and '/* */' comments from a script, but not inside strings."""

CODE, TEXT, LINE, BLOCK = "code", "text", "line", "block"


class CommentRemover:
    """A scanner that remembers in which kind of text it is."""

    def __init__(self):
        self.state = CODE
        self._kept = []

    def feed(self, source):
        """Scan a piece of a script; a comment mark must not be torn apart."""
        index = 0
        while index < len(source):
            char, pair = source[index], source[index:index + 2]
            width = 1
            if self.state == CODE:
                if pair == "//":
                    self.state, width = LINE, 2
                elif pair == "/*":
                    self.state, width = BLOCK, 2
                elif char == '"':
                    self.state = TEXT
            elif self.state == TEXT:
                if char == "\\":
                    width = 2
                elif char == '"':
                    self.state = CODE
                    self._kept.append(char)
                    index += 1
                    continue
            elif self.state == LINE and char == "\n":
                self.state = CODE
            elif self.state == BLOCK and pair == "*/":
                self.state = CODE
                index += 1
                continue
            if self.state in (CODE, TEXT):
                self._kept.append(source[index:index + width])
            index += width

    def result(self):
        """The script without comments."""
        if self.state in (TEXT, BLOCK):
            raise ValueError(f"script ends within a {self.state}")
        return "".join(self._kept)


def strip_comments(source):
    """Remove the comments of a whole script."""
    remover = CommentRemover()
    remover.feed(source)
    return remover.result()
''',
        wrong="""                index += 1
                continue
""",
        right="""                index += 2
                continue
""",
        visible=r"""
def test_no_comments():
    assert strip_comments("x = 1\n") == "x = 1\n"

def test_line_comment():
    assert strip_comments("a // note\nb") == "a \nb"

def test_block_comment():
    assert strip_comments("a/* x\ny */b") == "ab"

def test_mark_inside_string():
    assert strip_comments('u = "http://x"') == 'u = "http://x"'

def test_escaped_quote():
    assert strip_comments(r'"a\" // b" // c') == r'"a\" // b" '

def test_unfinished_block():
    with pytest.raises(ValueError):
        strip_comments("a /* b")
""",
        hidden=r"""
def test_escaped_backslash_ends_string():
    assert strip_comments('"a\\\\" // c') == '"a\\\\" '

def test_escaped_quote_only():
    assert strip_comments(r'x = "\""; // q') == r'x = "\""; '

def test_string_with_block_mark():
    assert strip_comments(r'"\"/* no */"') == r'"\"/* no */"'

def test_unfinished_string():
    with pytest.raises(ValueError):
        strip_comments(r'"abc\"')

def test_fed_in_pieces():
    remover = CommentRemover()
    remover.feed("a /* x")
    remover.feed(" y */ b")
    assert remover.result() == "a  b"

def test_short_blocks():
    assert strip_comments("a/**/b/*/*/c") == "abc"

def test_quote_in_comment():
    assert strip_comments('a // "\nb') == "a \nb"
""",
    ),
    Program(
        name="door_keypad",
        code=r'''"""A door lock with a keypad."""


class DoorLock:
    """Opens when the right code is typed; '*' clears the entry."""

    def __init__(self, code, attempts=3):
        self.code = code
        self.attempts = attempts
        self.entry = ""
        self.status = "locked"
        self._left = attempts
        self._buttons = {"*": self.clear}
        for digit in "0123456789":
            self._buttons[digit] = lambda: self._type(digit)

    def press(self, key):
        """Press one button; an alarm disables the keypad."""
        if key not in self._buttons:
            raise KeyError(key)
        if self.status != "alarm":
            self._buttons[key]()

    def press_all(self, keys):
        """Press several buttons and return the status after them."""
        for key in keys:
            self.press(key)
        return self.status

    def clear(self):
        """Forget what was typed and lock the door."""
        self.entry = ""
        self.status = "locked"

    def _type(self, digit):
        self.entry += digit
        if len(self.entry) < len(self.code):
            return
        if self.entry == self.code:
            self.status = "open"
            self._left = self.attempts
        else:
            self._left -= 1
            self.status = "alarm" if self._left == 0 else "locked"
        self.entry = ""
''',
        wrong="lambda: self._type(digit)",
        right="lambda digit=digit: self._type(digit)",
        visible=r"""
def test_locked_at_first():
    assert DoorLock("1234").status == "locked"

def test_right_code():
    assert DoorLock("1234").press_all("1234") == "open"

def test_wrong_code():
    assert DoorLock("1234").press_all("4321") == "locked"

def test_alarm_after_three():
    assert DoorLock("12").press_all("565656") == "alarm"

def test_entry_shows_digits():
    lock = DoorLock("9999")
    lock.press_all("20")
    assert lock.entry == "20"

def test_unknown_button():
    with pytest.raises(KeyError):
        DoorLock("1").press("#")
""",
        hidden=r"""
def test_nines_do_not_open_other_locks():
    assert DoorLock("90").press_all("90") == "open"
    assert DoorLock("90").press_all("99") == "locked"

def test_clear_key():
    lock = DoorLock("42")
    assert lock.press_all("4*42") == "open"
    assert lock.press_all("*") == "locked"

def test_alarm_disables():
    lock = DoorLock("7", attempts=1)
    assert lock.press_all("8") == "alarm"
    assert lock.press_all("*7") == "alarm"

def test_success_restores_attempts():
    lock = DoorLock("31", attempts=2)
    assert lock.press_all("0031*00") == "locked"
    assert lock.press_all("31") == "open"

def test_each_digit():
    for digit in "0123456789":
        assert DoorLock(digit).press_all(digit) == "open"
""",
    ),
    Program(
        name="article_workflow",
        code=r'''"""The way of an article from draft to print."""

TRANSITIONS = {
    ("draft", "submit"): "review",
    ("review", "approve"): "ready",
    ("review", "reject"): "draft",
    ("ready", "publish"): "published",
    ("ready", "withdraw"): "draft",
    ("published", "retract"): "retracted",
}
ROLES = {"approve": "editor", "reject": "editor", "publish": "editor", "retract": "chief"}


class NotAllowed(Exception):
    """The action does not fit the article's state or the person's role."""


class Article:
    """An article with its state and a log of what was done to it."""

    def __init__(self, title):
        self.title = title
        self.state = "draft"
        self.log = []

    def actions(self):
        """Actions that fit the current state."""
        return sorted(action for state, action in TRANSITIONS if state == self.state)

    def apply(self, action, role):
        """Perform an action; a chief may do all that an editor may."""
        target = TRANSITIONS.get((self.state, action))
        if target is None:
            raise NotAllowed(f"cannot {action} a {self.state} article")
        needed = ROLES.get(action)
        if needed is not None and role != needed:
            raise NotAllowed(f"{role} may not {action}")
        self.log.append((action, self.state, target))
        self.state = target
''',
        wrong="if needed is not None and role != needed:",
        right='if needed is not None and role not in (needed, "chief"):',
        visible=r"""
def test_starts_as_draft():
    article = Article("Bees")
    assert article.state == "draft"
    assert article.actions() == ["submit"]

def test_way_to_print():
    article = Article("Bees")
    article.apply("submit", "author")
    article.apply("approve", "editor")
    article.apply("publish", "editor")
    assert article.state == "published"

def test_author_may_not_approve():
    article = Article("Bees")
    article.apply("submit", "author")
    with pytest.raises(NotAllowed):
        article.apply("approve", "author")
    assert article.state == "review"

def test_chief_may_approve():
    article = Article("Bees")
    article.apply("submit", "author")
    article.apply("approve", "chief")
    assert article.state == "ready"

def test_wrong_state():
    with pytest.raises(NotAllowed):
        Article("Bees").apply("publish", "editor")
""",
        hidden=r"""
def test_chief_does_everything():
    article = Article("Wasps")
    for action in ("submit", "reject", "submit", "approve", "publish", "retract"):
        article.apply(action, "chief")
    assert article.state == "retracted"
    assert article.actions() == []

def test_editor_may_not_retract():
    article = Article("Wasps")
    article.state = "published"
    with pytest.raises(NotAllowed):
        article.apply("retract", "editor")
    assert article.log == []

def test_anybody_may_withdraw():
    article = Article("Wasps")
    article.state = "ready"
    article.apply("withdraw", "author")
    assert article.state == "draft"

def test_log():
    article = Article("Wasps")
    article.apply("submit", "author")
    article.apply("reject", "editor")
    assert article.log == [("submit", "draft", "review"), ("reject", "review", "draft")]

def test_author_may_not_publish():
    article = Article("Wasps")
    article.state = "ready"
    with pytest.raises(NotAllowed):
        article.apply("publish", "author")
""",
    ),
)

PROGRAMS = _STRUCTURES + _RECURSION + _STRINGS + _ARITHMETIC + _GRAPHS + _MACHINES
