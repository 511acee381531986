"""Programs of ten kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ----------------------------------------------------------------- data structures
    Program(
        name="leaderboard_best_scores",
        code=r'''"""A leaderboard which remembers only the best few scores."""

import heapq


class Leaderboard:
    """Keep the ``size`` highest scores seen so far.

    When two players have the same score, whoever got it first ranks higher,
    and a latecomer does not push an equal score off the board.
    """

    def __init__(self, size):
        if size < 1:
            raise ValueError("size must be at least 1")
        self.size = size
        self._heap = []
        self._count = 0

    def add(self, player, score):
        """Offer a score; return True if it made it onto the board."""
        entry = (score, self._count, player)
        self._count += 1
        if len(self._heap) < self.size:
            heapq.heappush(self._heap, entry)
            return True
        if score <= self._heap[0][0]:
            return False
        heapq.heapreplace(self._heap, entry)
        return True

    def ranking(self):
        """Return (player, score) pairs, best first."""
        ordered = sorted(self._heap, reverse=True)
        return [(player, score) for score, _, player in ordered]

    def threshold(self):
        """Return the score to beat, or None while there is still room."""
        if len(self._heap) < self.size:
            return None
        return self._heap[0][0]
''',
        wrong="entry = (score, self._count, player)",
        right="entry = (score, -self._count, player)",
        visible=r"""
def test_orders_by_score():
    board = Leaderboard(3)
    board.add("ann", 10)
    board.add("bob", 30)
    board.add("cy", 20)
    assert board.ranking() == [("bob", 30), ("cy", 20), ("ann", 10)]


def test_low_score_is_refused():
    board = Leaderboard(1)
    assert board.add("ann", 10)
    assert not board.add("bob", 9)
    assert board.ranking() == [("ann", 10)]


def test_first_of_equals_ranks_higher():
    board = Leaderboard(3)
    board.add("zoe", 5)
    board.add("abe", 5)
    assert board.ranking() == [("zoe", 5), ("abe", 5)]


def test_threshold():
    board = Leaderboard(2)
    board.add("ann", 10)
    assert board.threshold() is None
    board.add("bob", 4)
    assert board.threshold() == 4
""",
        hidden=r"""
def test_size_must_be_positive():
    with pytest.raises(ValueError):
        Leaderboard(0)


def test_latest_of_equals_is_pushed_off():
    board = Leaderboard(2)
    board.add("first", 7)
    board.add("second", 7)
    assert board.add("third", 8)
    assert board.ranking() == [("third", 8), ("first", 7)]


def test_equal_score_does_not_displace():
    board = Leaderboard(2)
    board.add("a", 3)
    board.add("b", 3)
    assert board.add("c", 3) is False
    assert board.ranking() == [("a", 3), ("b", 3)]


def test_many_scores():
    board = Leaderboard(3)
    for number in [5, 1, 9, 3, 9, 7, 2]:
        board.add("p%d" % number, number)
    assert board.ranking() == [("p9", 9), ("p9", 9), ("p7", 7)]
    assert board.threshold() == 7


def test_three_equals_in_order_of_arrival():
    board = Leaderboard(5)
    for name in ["m", "z", "a"]:
        board.add(name, 1)
    board.add("top", 2)
    assert [name for name, _ in board.ranking()] == ["top", "m", "z", "a"]


def test_empty_board():
    board = Leaderboard(2)
    assert board.ranking() == []
    assert board.threshold() is None


def test_same_player_may_appear_twice():
    board = Leaderboard(2)
    board.add("a", 1)
    board.add("a", 2)
    assert board.ranking() == [("a", 2), ("a", 1)]
""",
    ),
    Program(
        name="expiring_cache_renewal",
        code=r'''"""A small cache whose entries expire."""


class ExpiringCache:
    """A mapping whose entries die ``lifetime`` ticks after being stored.

    ``clock`` is called without arguments and returns the current tick.  An
    entry stored at tick t can be read while the clock is below t + lifetime.
    Storing a key again renews it.  When a new key would exceed ``capacity``,
    the entry that was stored the longest time ago is dropped.
    """

    def __init__(self, capacity, lifetime, clock):
        self.capacity = capacity
        self.lifetime = lifetime
        self.clock = clock
        self._entries = {}

    def _purge(self):
        """Forget everything that has expired."""
        now = self.clock()
        dead = [key for key, (_, expiry) in self._entries.items() if expiry <= now]
        for key in dead:
            del self._entries[key]

    def put(self, key, value):
        """Store a value, or renew the one which is there."""
        self._purge()
        if len(self._entries) >= self.capacity:
            oldest = next(iter(self._entries))
            del self._entries[oldest]
        self._entries[key] = (value, self.clock() + self.lifetime)

    def get(self, key, default=None):
        """Return the living value of a key, or the default."""
        self._purge()
        if key in self._entries:
            return self._entries[key][0]
        return default

    def keys(self):
        """Return the living keys, the one stored longest ago first."""
        self._purge()
        return list(self._entries)
''',
        wrong='''        """Store a value, or renew the one which is there."""
        self._purge()
''',
        right='''        """Store a value, or renew the one which is there."""
        self._purge()
        self._entries.pop(key, None)
''',
        visible=r"""
class Clock:
    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now


def test_store_and_read():
    cache = ExpiringCache(2, 10, Clock())
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b") is None


def test_expiry():
    clock = Clock()
    cache = ExpiringCache(2, 10, clock)
    cache.put("a", 1)
    clock.now = 9
    assert cache.get("a") == 1
    clock.now = 10
    assert cache.get("a", "gone") == "gone"


def test_oldest_is_dropped():
    cache = ExpiringCache(2, 10, Clock())
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("c", 3)
    assert cache.keys() == ["b", "c"]


def test_renewed_entry_is_young_again():
    cache = ExpiringCache(3, 10, Clock())
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    assert cache.keys() == ["b", "a"]
    assert cache.get("a") == 3
""",
        hidden=r"""
class Clock:
    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now


def test_renewing_in_a_full_cache_drops_nothing():
    cache = ExpiringCache(2, 10, Clock())
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("b", 5)
    assert cache.get("a") == 1
    assert cache.get("b") == 5


def test_renewal_decides_who_is_dropped():
    cache = ExpiringCache(2, 10, Clock())
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 1)
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]


def test_renewal_prolongs_life():
    clock = Clock()
    cache = ExpiringCache(2, 5, clock)
    cache.put("a", 1)
    clock.now = 4
    cache.put("a", 2)
    clock.now = 8
    assert cache.get("a") == 2
    clock.now = 9
    assert cache.get("a") is None


def test_expired_entries_make_room():
    clock = Clock()
    cache = ExpiringCache(2, 5, clock)
    cache.put("a", 1)
    clock.now = 3
    cache.put("b", 2)
    clock.now = 5
    cache.put("c", 3)
    assert cache.keys() == ["b", "c"]


def test_reading_does_not_renew():
    clock = Clock()
    cache = ExpiringCache(1, 5, clock)
    cache.put("a", 1)
    clock.now = 4
    assert cache.get("a") == 1
    clock.now = 6
    assert cache.get("a") is None


def test_capacity_one():
    cache = ExpiringCache(1, 5, Clock())
    cache.put("a", 1)
    cache.put("a", 2)
    assert cache.keys() == ["a"]
    cache.put("b", 3)
    assert cache.keys() == ["b"]
""",
    ),
    Program(
        name="linked_playlist_remove_tail",
        code=r'''"""A playlist kept as a singly linked list."""


class _Track:
    def __init__(self, title):
        self.title = title
        self.following = None


class Playlist:
    """Titles in playing order, with cheap additions at both ends."""

    def __init__(self, titles=()):
        self._first = None
        self._last = None
        for title in titles:
            self.append(title)

    def __iter__(self):
        track = self._first
        while track is not None:
            yield track.title
            track = track.following

    def append(self, title):
        """Add a title at the end."""
        track = _Track(title)
        if self._last is None:
            self._first = track
        else:
            self._last.following = track
        self._last = track

    def prepend(self, title):
        """Add a title at the front."""
        track = _Track(title)
        track.following = self._first
        self._first = track
        if self._last is None:
            self._last = track

    def remove(self, title):
        """Take out the first track of that title; ValueError if there is none."""
        previous, track = None, self._first
        while track is not None and track.title != title:
            previous, track = track, track.following
        if track is None:
            raise ValueError(title)
        if previous is None:
            self._first = track.following
        else:
            previous.following = track.following
''',
        wrong="""            previous.following = track.following
""",
        right="""            previous.following = track.following
        if track is self._last:
            self._last = previous
""",
        visible=r"""
def test_append_and_prepend():
    playlist = Playlist(["b", "c"])
    playlist.prepend("a")
    playlist.append("d")
    assert list(playlist) == ["a", "b", "c", "d"]


def test_remove_from_the_middle():
    playlist = Playlist(["a", "b", "c"])
    playlist.remove("b")
    assert list(playlist) == ["a", "c"]


def test_remove_the_end_and_go_on():
    playlist = Playlist(["a", "b"])
    playlist.remove("b")
    playlist.append("c")
    assert list(playlist) == ["a", "c"]


def test_remove_unknown():
    with pytest.raises(ValueError):
        Playlist(["a"]).remove("x")


def test_remove_first():
    playlist = Playlist(["a", "b"])
    playlist.remove("a")
    assert list(playlist) == ["b"]
""",
        hidden=r"""
def test_remove_the_only_track_then_append():
    playlist = Playlist(["a"])
    playlist.remove("a")
    assert list(playlist) == []
    playlist.append("b")
    assert list(playlist) == ["b"]


def test_remove_the_only_track_then_prepend_and_append():
    playlist = Playlist(["a"])
    playlist.remove("a")
    playlist.prepend("b")
    playlist.append("c")
    assert list(playlist) == ["b", "c"]


def test_only_the_first_of_equals_goes():
    playlist = Playlist(["a", "b", "a"])
    playlist.remove("a")
    assert list(playlist) == ["b", "a"]
    playlist.append("c")
    assert list(playlist) == ["b", "a", "c"]


def test_remove_end_repeatedly():
    playlist = Playlist("abc")
    playlist.remove("c")
    playlist.remove("b")
    playlist.append("z")
    assert list(playlist) == ["a", "z"]


def test_remove_from_empty():
    with pytest.raises(ValueError):
        Playlist().remove("a")


def test_failed_remove_changes_nothing():
    playlist = Playlist("ab")
    with pytest.raises(ValueError):
        playlist.remove("c")
    playlist.append("c")
    assert list(playlist) == ["a", "b", "c"]


def test_prepend_to_empty():
    playlist = Playlist()
    playlist.prepend("a")
    playlist.append("b")
    assert list(playlist) == ["a", "b"]
""",
    ),
    Program(
        name="ring_buffer_indexing",
        code=r'''"""A fixed-size buffer of the latest readings."""


class RingBuffer:
    """Hold the last ``capacity`` values that were pushed.

    Index 0 is the oldest value still held and -1 the newest one.
    """

    def __init__(self, capacity):
        if capacity <= 0:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._slots = [None] * capacity
        self._start = 0
        self._count = 0

    def __len__(self):
        return self._count

    def __getitem__(self, index):
        if index < 0:
            index += self._count
        if not 0 <= index < self._count:
            raise IndexError("buffer index out of range")
        return self._slots[(self._start + index) % self._count]

    def push(self, value):
        """Add a value; return the value it pushed out, or None."""
        if self._count == self.capacity:
            lost = self._slots[self._start]
            self._slots[self._start] = value
            self._start = (self._start + 1) % self.capacity
            return lost
        self._slots[(self._start + self._count) % self.capacity] = value
        self._count += 1
        return None

    def pop_oldest(self):
        """Remove and return the oldest value."""
        if self._count == 0:
            raise IndexError("buffer is empty")
        value = self._slots[self._start]
        self._slots[self._start] = None
        self._start = (self._start + 1) % self.capacity
        self._count -= 1
        return value
''',
        wrong="return self._slots[(self._start + index) % self._count]",
        right="return self._slots[(self._start + index) % self.capacity]",
        visible=r"""
def test_partly_filled():
    buffer = RingBuffer(3)
    buffer.push("a")
    buffer.push("b")
    assert len(buffer) == 2
    assert buffer[0] == "a"
    assert buffer[-1] == "b"


def test_overwrites_the_oldest():
    buffer = RingBuffer(2)
    assert buffer.push(1) is None
    assert buffer.push(2) is None
    assert buffer.push(3) == 1
    assert list(buffer) == [2, 3]


def test_pop_oldest():
    buffer = RingBuffer(3)
    for value in (1, 2, 3):
        buffer.push(value)
    assert buffer.pop_oldest() == 1
    assert buffer[0] == 2
    assert buffer[1] == 3


def test_index_out_of_range():
    buffer = RingBuffer(2)
    buffer.push(1)
    with pytest.raises(IndexError):
        buffer[1]
""",
        hidden=r"""
def test_pop_then_push_wraps():
    buffer = RingBuffer(3)
    for value in (1, 2, 3):
        buffer.push(value)
    buffer.pop_oldest()
    assert buffer.push(4) is None
    assert [buffer[i] for i in range(3)] == [2, 3, 4]
    assert buffer.push(5) == 2


def test_after_two_pops():
    buffer = RingBuffer(4)
    for value in (1, 2, 3, 4):
        buffer.push(value)
    buffer.pop_oldest()
    buffer.pop_oldest()
    assert list(buffer) == [3, 4]
    assert buffer[-1] == 4
    assert buffer[-2] == 3


def test_negative_out_of_range():
    buffer = RingBuffer(2)
    buffer.push(1)
    with pytest.raises(IndexError):
        buffer[-2]


def test_pop_from_empty():
    buffer = RingBuffer(2)
    with pytest.raises(IndexError):
        buffer.pop_oldest()
    buffer.push(1)
    assert buffer.pop_oldest() == 1
    with pytest.raises(IndexError):
        buffer.pop_oldest()


def test_bad_capacity():
    with pytest.raises(ValueError):
        RingBuffer(0)


def test_long_run():
    buffer = RingBuffer(3)
    for value in range(10):
        buffer.push(value)
    assert list(buffer) == [7, 8, 9]
    assert len(buffer) == 3


def test_single_left_after_pops():
    buffer = RingBuffer(3)
    for value in "abc":
        buffer.push(value)
    buffer.pop_oldest()
    buffer.pop_oldest()
    assert buffer[0] == "c"
    assert len(buffer) == 1
""",
    ),
    # ------------------------------------------------- recursion and dynamic programming
    Program(
        name="plank_cutting_cost",
        code=r'''"""Cutting a plank into pieces as cheaply as possible."""

from functools import lru_cache


def cheapest_cuts(length, marks):
    """Return the least total cost of cutting a plank at all the marks.

    Cutting a piece costs as much as the piece is long, so the order of the
    cuts matters.  The marks are different positions strictly inside the
    plank; they may be given in any order.
    """
    for mark in marks:
        if not 0 < mark < length:
            raise ValueError(f"mark {mark} is not inside the plank")
    edges = [0, *marks, length]

    @lru_cache(maxsize=None)
    def cost(left, right):
        """The least cost for the piece between two edges."""
        if right - left < 2:
            return 0
        cheapest = min(
            cost(left, middle) + cost(middle, right)
            for middle in range(left + 1, right)
        )
        return edges[right] - edges[left] + cheapest

    return cost(0, len(edges) - 1)
''',
        wrong="edges = [0, *marks, length]",
        right="edges = [0, *sorted(marks), length]",
        visible=r"""
def test_no_cut_costs_nothing():
    assert cheapest_cuts(10, []) == 0


def test_single_cut():
    assert cheapest_cuts(10, [4]) == 10


def test_middle_first():
    assert cheapest_cuts(8, [2, 4, 6]) == 16


def test_long_plank():
    assert cheapest_cuts(100, [75, 25, 50]) == 200


def test_mark_outside():
    with pytest.raises(ValueError):
        cheapest_cuts(5, [5])
""",
        hidden=r"""
def test_order_of_marks_is_irrelevant():
    expected = cheapest_cuts(1000, [100, 300, 450, 900])
    assert cheapest_cuts(1000, [900, 100, 450, 300]) == expected
    assert expected == 2300


def test_three_marks_in_disorder():
    assert cheapest_cuts(100, [90, 10, 50]) == 200


def test_two_marks_in_disorder():
    assert cheapest_cuts(10, [8, 3]) == 17


def test_uneven_marks():
    assert cheapest_cuts(100, [98, 99]) == 102


def test_mark_at_zero():
    with pytest.raises(ValueError):
        cheapest_cuts(5, [0, 2])


def test_large_positions_in_disorder():
    assert cheapest_cuts(10000, [9999, 64, 5000]) == 20000


def test_tuple_of_marks():
    assert cheapest_cuts(7, (1, 3, 4, 5)) == 16
""",
    ),
    Program(
        name="count_readings_word_limit",
        code=r'''"""Reading text that was written without spaces."""

from functools import lru_cache


def count_readings(text, lexicon, most):
    """Return in how many ways text splits into at most ``most`` words.

    Every word must be in the lexicon; words may be used again.  The empty
    text has exactly one reading (no words at all).
    """
    words = frozenset(word for word in lexicon if word)

    @lru_cache(maxsize=None)
    def ways(start, words_left):
        if words_left == 0:
            return 0
        if start == len(text):
            return 1
        total = 0
        for end in range(start + 1, len(text) + 1):
            if text[start:end] in words:
                total += ways(end, words_left - 1)
        return total

    return ways(0, most)
''',
        wrong="""        if words_left == 0:
            return 0
        if start == len(text):
            return 1
""",
        right="""        if start == len(text):
            return 1
        if words_left == 0:
            return 0
""",
        visible=r"""
def test_no_reading():
    assert count_readings("xyz", ["x", "y"], 9) == 0


def test_two_readings():
    assert count_readings("nowhere", ["now", "here", "no", "where"], 4) == 2


def test_single_word_within_limit():
    assert count_readings("cat", ["cat"], 1) == 1


def test_limit_excludes_longer_readings():
    assert count_readings("aaa", ["a", "aa"], 2) == 2


def test_empty_text():
    assert count_readings("", ["a"], 3) == 1
""",
        hidden=r"""
def test_limit_exactly_met():
    assert count_readings("abcabc", ["abc"], 2) == 1
    assert count_readings("abcabc", ["abc"], 1) == 0


def test_zero_words():
    assert count_readings("", ["a"], 0) == 1
    assert count_readings("a", ["a"], 0) == 0


def test_all_compositions():
    assert count_readings("aaaa", ["a", "aa"], 4) == 5
    assert count_readings("aaaa", ["a", "aa"], 3) == 4
    assert count_readings("aaaa", ["a", "aa"], 2) == 1


def test_generous_limit():
    assert count_readings("aaaaa", ["a", "aa"], 50) == 8


def test_empty_word_is_ignored():
    assert count_readings("ab", ["", "a", "b"], 2) == 1


def test_repeated_lexicon_entry_counts_once():
    assert count_readings("ab", ["ab", "ab"], 1) == 1


def test_empty_lexicon():
    assert count_readings("ab", [], 5) == 0
""",
    ),
    Program(
        name="distinct_partitions",
        code=r'''"""Writing a number as a sum of different numbers."""


def distinct_partitions(total, largest=None):
    """Return all ways to write total as a sum of different positive numbers.

    Each way is a tuple in falling order; no part exceeds ``largest`` if that
    is given.  The ways are listed with the greatest first part first, and
    zero has a single way, the empty tuple.
    """
    if total == 0:
        return [()]
    if largest is None:
        largest = total
    ways = []
    for part in range(min(total, largest), 0, -1):
        for rest in distinct_partitions(total - part, part):
            ways.append((part,) + rest)
    return ways


def fewest_and_most(total):
    """Return the lengths of the shortest and the longest such sum."""
    lengths = [len(way) for way in distinct_partitions(total)]
    return min(lengths), max(lengths)
''',
        wrong="in distinct_partitions(total - part, part):",
        right="in distinct_partitions(total - part, part - 1):",
        visible=r"""
def test_zero():
    assert distinct_partitions(0) == [()]


def test_one():
    assert distinct_partitions(1) == [(1,)]


def test_five():
    assert distinct_partitions(5) == [(5,), (4, 1), (3, 2)]


def test_largest_too_small():
    assert distinct_partitions(3, 0) == []


def test_lengths():
    assert fewest_and_most(6) == (1, 3)
""",
        hidden=r"""
def test_two():
    assert distinct_partitions(2) == [(2,)]


def test_six():
    assert distinct_partitions(6) == [(6,), (5, 1), (4, 2), (3, 2, 1)]


def test_bounded():
    assert distinct_partitions(7, 4) == [(4, 3), (4, 2, 1)]


def test_bound_without_solution():
    assert distinct_partitions(7, 3) == []


def test_bound_just_enough():
    assert distinct_partitions(6, 3) == [(3, 2, 1)]


def test_counts():
    counts = [len(distinct_partitions(n)) for n in range(11)]
    assert counts == [1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 10]


def test_parts_are_different_and_add_up():
    for way in distinct_partitions(12):
        assert sum(way) == 12
        assert list(way) == sorted(set(way), reverse=True)


def test_lengths_of_others():
    assert fewest_and_most(0) == (0, 0)
    assert fewest_and_most(10) == (1, 4)
""",
    ),
    Program(
        name="hard_weeks_plan",
        code=r'''"""Planning easy and hard weeks of work."""


def best_earnings(easy, hard):
    """Return the most that can be earned over all weeks.

    In each week one takes either the easy job or the hard job of that week,
    or rests.  A hard job is only possible if the week before was a week of
    rest; in the first week it is possible anyway.
    """
    if len(easy) != len(hard):
        raise ValueError("both lists need one wage per week")
    if not easy:
        return 0
    best = [0, easy[0]]
    for week in range(1, len(easy)):
        best.append(max(best[week] + easy[week], best[week - 1] + hard[week]))
    return best[-1]


def is_worth_resting(easy, hard):
    """Tell whether doing only easy jobs earns less than the best plan."""
    return best_earnings(easy, hard) > sum(easy)
''',
        wrong="best = [0, easy[0]]",
        right="best = [0, max(easy[0], hard[0])]",
        visible=r"""
def test_no_weeks():
    assert best_earnings([], []) == 0


def test_hard_job_in_first_week():
    assert best_earnings([1], [5]) == 5


def test_rest_before_a_hard_week():
    assert best_earnings([2, 2, 2], [3, 9, 3]) == 11


def test_only_easy():
    assert best_earnings([4, 4], [5, 6]) == 9


def test_worth_resting():
    assert is_worth_resting([1, 1], [1, 10])
    assert not is_worth_resting([5, 5], [5, 9])
""",
        hidden=r"""
def test_uneven_lists():
    with pytest.raises(ValueError):
        best_earnings([1, 2], [1])


def test_two_hard_weeks_with_rest_between():
    assert best_earnings([1, 1, 1], [10, 10, 10]) == 20


def test_hard_start_then_easy():
    assert best_earnings([1, 3, 3], [8, 4, 4]) == 14


def test_easy_better_than_hard():
    assert best_earnings([7], [2]) == 7
    assert best_earnings([7, 7], [2, 2]) == 14


def test_longer_plan():
    assert best_earnings([10, 1, 10, 10], [5, 50, 5, 1]) == 70


def test_alternating_hard():
    assert best_earnings([1, 1, 1, 1, 1], [5, 5, 5, 5, 5]) == 15


def test_worth_with_hard_first_week():
    assert is_worth_resting([1], [2])
    assert not is_worth_resting([2], [2])
    assert not is_worth_resting([], [])
""",
    ),
    # ------------------------------------------------------ text processing and formatting
    Program(
        name="hanging_indent_wrap",
        code=r'''"""Wrapping paragraphs with a hanging indent."""


def wrap(text, width, hang=0):
    """Break text into lines of at most ``width`` characters.

    Words are separated by single spaces.  All lines but the first begin with
    ``hang`` spaces, which count towards the width.  A word which is too long
    for any line stands on a line of its own.
    """
    if hang >= width:
        raise ValueError("the indent leaves no room for text")
    lines = []
    line = ""
    empty = True
    for word in text.split():
        if empty:
            line += word
            empty = False
        elif len(line) + len(word) > width:
            lines.append(line)
            line = " " * hang + word
        else:
            line += " " + word
    if not empty:
        lines.append(line)
    return lines


def longest(lines):
    """Return the length of the longest line, 0 if there is none."""
    return max((len(line) for line in lines), default=0)
''',
        wrong="elif len(line) + len(word) > width:",
        right="elif len(line) + 1 + len(word) > width:",
        visible=r"""
def test_fits_on_one_line():
    assert wrap("one two", 20) == ["one two"]


def test_two_lines():
    assert wrap("alpha beta gamma", 12) == ["alpha beta", "gamma"]


def test_line_never_wider_than_asked():
    assert wrap("abc def ghi", 6) == ["abc", "def", "ghi"]


def test_hanging_indent():
    assert wrap("aaaa bbbb cc", 8, hang=2) == ["aaaa", "  bbbb", "  cc"]


def test_no_text():
    assert wrap("   ", 10) == []
    assert longest([]) == 0
""",
        hidden=r"""
def test_exact_fit():
    assert wrap("abc def", 7) == ["abc def"]


def test_one_too_many():
    assert wrap("abc def", 6) == ["abc", "def"]


def test_long_word_stands_alone():
    assert wrap("a incomprehensible b", 6) == ["a", "incomprehensible", "b"]


def test_indent_counts():
    assert wrap("ab cd ef gh", 5, hang=1) == ["ab cd", " ef", " gh"]
    assert wrap("ab cd ef gh", 6, hang=1) == ["ab cd", " ef gh"]


def test_indent_too_wide():
    with pytest.raises(ValueError):
        wrap("a b", 4, hang=4)


def test_spaces_and_newlines_collapse():
    assert wrap(" a\n  b\tc ", 10) == ["a b c"]


def test_longest_is_within_the_width():
    text = "the quick brown fox jumps over the lazy dog again and again"
    for width in range(6, 20):
        assert longest(wrap(text, width)) <= width


def test_nothing_is_lost():
    text = "the quick brown fox jumps over the lazy dog"
    assert " ".join(line.strip() for line in wrap(text, 11, 3)) == text
""",
    ),
    Program(
        name="plain_table_alignment",
        code=r'''"""Plain text tables."""


def _is_number(cell):
    """Tell whether a cell looks like a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def table(header, rows):
    """Return the lines of a table with columns two spaces apart.

    A column in which every cell is a number is aligned to the right (with its
    title), any other one to the left.  Lines carry no trailing spaces.  A
    line of dashes separates the titles from the rows.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    for row in cells:
        if len(row) != len(header):
            raise ValueError("every row needs one cell per title")
    columns = []
    for index, title in enumerate(header):
        column = [row[index] for row in cells]
        width = max(len(text) for text in [title] + column)
        numeric = bool(column) and any(_is_number(cell) for cell in column)
        pad = str.rjust if numeric else str.ljust
        padded = [pad(text, width) for text in [title] + column]
        padded.insert(1, "-" * width)
        columns.append(padded)
    return ["  ".join(line).rstrip() for line in zip(*columns)]
''',
        wrong="numeric = bool(column) and any(_is_number(cell) for cell in column)",
        right="numeric = bool(column) and all(_is_number(cell) for cell in column)",
        visible=r"""
def test_words_to_the_left():
    assert table(["name"], [["jo"], ["barbara"]]) == ["name", "-------", "jo", "barbara"]


def test_numbers_to_the_right():
    assert table(["item", "qty"], [["nut", 5], ["bolt", 1200]]) == [
        "item   qty",
        "----  ----",
        "nut      5",
        "bolt  1200",
    ]


def test_mixed_column_to_the_left():
    assert table(["size", "x"], [["12", "a"], ["n/a", "b"]]) == [
        "size  x",
        "----  -",
        "12    a",
        "n/a   b",
    ]


def test_header_only():
    assert table(["a", "bc"], []) == ["a  bc", "-  --"]


def test_ragged_row():
    with pytest.raises(ValueError):
        table(["a", "b"], [["1"]])
""",
        hidden=r"""
def test_one_word_among_many_numbers():
    assert table(["n", "k"], [[1, "x"], [22, "y"], ["many", "z"]]) == [
        "n     k",
        "----  -",
        "1     x",
        "22    y",
        "many  z",
    ]


def test_negative_and_decimal_numbers():
    assert table(["t"], [["-1.5"], ["20"]]) == ["   t", "----", "-1.5", "  20"]


def test_title_wider_than_numbers():
    assert table(["amount"], [[1], [20]]) == ["amount", "------", "     1", "    20"]


def test_empty_cell_is_no_number():
    assert table(["v", "w"], [["100", "a"], ["", "b"], ["7", "c"]]) == [
        "v    w",
        "---  -",
        "100  a",
        "     b",
        "7    c",
    ]


def test_no_trailing_spaces():
    lines = table(["name", "note"], [["a", "longer"], ["b", ""]])
    assert all(line == line.rstrip() for line in lines)
    assert lines[-1] == "b"


def test_single_number_row():
    assert table(["a", "b"], [[1, "x"]]) == ["a  b", "-  -", "1  x"]


def test_number_first_then_word():
    assert table(["code", "z"], [["1", "q"], ["b2", "q"]])[2:] == ["1     q", "b2    q"]
""",
    ),
    Program(
        name="headline_small_words",
        code=r'''"""Capitalising headlines."""

SMALL_WORDS = {"a", "an", "and", "at", "by", "for", "in", "of", "on", "or", "the", "to"}


def _capitalise(word):
    """Give a word a capital, and likewise each part after a hyphen."""
    return "-".join(part[:1].upper() + part[1:] for part in word.split("-"))


def headline(text):
    """Return text in headline style.

    All words get a capital, except that small words (articles, short
    prepositions and the like) are written in lower case, unless they are the
    first or the last word.  Words which contain a capital somewhere after
    their first letter, such as acronyms, are left as they are.
    """
    words = text.split()
    result = []
    for index, word in enumerate(words):
        at_the_edge = index in (0, len(words))
        if word[1:] != word[1:].lower():
            result.append(word)
        elif word.lower() in SMALL_WORDS and not at_the_edge:
            result.append(word.lower())
        else:
            result.append(_capitalise(word))
    return " ".join(result)
''',
        wrong="at_the_edge = index in (0, len(words))",
        right="at_the_edge = index in (0, len(words) - 1)",
        visible=r"""
def test_plain_words():
    assert headline("great green house") == "Great Green House"


def test_small_word_inside():
    assert headline("war and peace") == "War and Peace"


def test_small_word_at_the_start():
    assert headline("the old man and the sea") == "The Old Man and the Sea"


def test_small_word_at_the_end():
    assert headline("something to hold on to") == "Something to Hold on To"


def test_acronym_is_kept():
    assert headline("inside NASA today") == "Inside NASA Today"
""",
        hidden=r"""
def test_single_small_word():
    assert headline("the") == "The"


def test_two_small_words():
    assert headline("on by") == "On By"


def test_last_word_small():
    assert headline("what are you waiting for") == "What Are You Waiting For"


def test_capitalised_small_word_inside_is_lowered():
    assert headline("Lord Of The Rings") == "Lord of the Rings"


def test_hyphens():
    assert headline("a well-known face") == "A Well-Known Face"


def test_empty():
    assert headline("  ") == ""


def test_spaces_are_tidied():
    assert headline("  a   day  in   june ") == "A Day in June"


def test_mixed_case_is_left():
    assert headline("my iPhone and eBay") == "My iPhone and eBay"
""",
    ),
    Program(
        name="heading_numbering",
        code=r'''"""Numbering the headings of a document."""


def number_headings(lines):
    """Return the lines with their headings numbered.

    A heading is a line of one or more "#", a space and a title.  "# Food"
    becomes "1 Food", and a "##" below it "1.1 ...".  Each heading restarts
    the numbers of the levels below its own.  A level which was skipped counts
    as 0, so "###" directly under the first "#" is "1.0.1".  Other lines stay
    as they are.
    """
    counters = []
    result = []
    for line in lines:
        marks, _, title = line.partition(" ")
        if not marks or marks.strip("#"):
            result.append(line)
            continue
        level = len(marks)
        while len(counters) < level:
            counters.append(0)
        counters[level - 1] += 1
        number = ".".join(str(count) for count in counters[:level])
        result.append(f"{number} {title.strip()}")
    return result


def contents(lines):
    """Return only the numbered headings."""
    headings = [line for line in lines if line.startswith("#")]
    return number_headings(headings)
''',
        wrong="""        counters[level - 1] += 1
""",
        right="""        counters[level - 1] += 1
        del counters[level:]
""",
        visible=r"""
def test_single_level():
    assert number_headings(["# Soup", "# Fish"]) == ["1 Soup", "2 Fish"]


def test_two_levels():
    assert number_headings(["# Soup", "## Hot", "## Cold"]) == [
        "1 Soup",
        "1.1 Hot",
        "1.2 Cold",
    ]


def test_numbers_restart():
    lines = ["# A", "## B", "# C", "## D"]
    assert number_headings(lines) == ["1 A", "1.1 B", "2 C", "2.1 D"]


def test_skipped_level():
    assert number_headings(["# A", "### B"]) == ["1 A", "1.0.1 B"]


def test_text_stays():
    assert number_headings(["hello there", "", "# A"]) == ["hello there", "", "1 A"]
""",
        hidden=r"""
def test_three_levels_restart():
    lines = ["# A", "## B", "### C", "### D", "## E", "### F"]
    assert [line.split()[0] for line in number_headings(lines)] == [
        "1", "1.1", "1.1.1", "1.1.2", "1.2", "1.2.1",
    ]


def test_skipped_level_after_restart():
    lines = ["# A", "## B", "# C", "### D"]
    assert number_headings(lines)[-1] == "2.0.1 D"


def test_starts_below_the_top():
    assert number_headings(["## A", "# B", "## C"]) == ["0.1 A", "1 B", "1.1 C"]


def test_going_down_twice():
    lines = ["# A", "## B", "## C", "# D", "## E", "# F", "## G", "## H"]
    assert [line.split()[0] for line in number_headings(lines)] == [
        "1", "1.1", "1.2", "2", "2.1", "3", "3.1", "3.2",
    ]


def test_title_is_trimmed():
    assert number_headings(["#   Wide  "]) == ["1 Wide"]


def test_contents():
    lines = ["# A", "text", "## B", "more", "# C", "## D"]
    assert contents(lines) == ["1 A", "1.1 B", "2 C", "2.1 D"]


def test_no_lines():
    assert number_headings([]) == []


def test_hash_inside_text():
    assert number_headings(["a # b", "#tag here"]) == ["a # b", "#tag here"]
""",
    ),
    # --------------------------------------------------------------- numbers and statistics
    Program(
        name="trimmed_mean_and_range",
        code=r'''"""Averages that do not mind outliers."""


def trimmed(values, share):
    """Return the values in order without the extreme ones.

    ``share`` is the part (from 0 up to but excluding 0.5) to leave out at
    each end; the number of values left out at an end is rounded down.
    """
    if not 0 <= share < 0.5:
        raise ValueError("share must be at least 0 and below 0.5")
    ordered = sorted(values)
    cut = int(len(ordered) * share)
    return ordered[cut:-cut]


def trimmed_mean(values, share=0.1):
    """Return the mean of the values that remain after trimming."""
    kept = trimmed(values, share)
    if not kept:
        raise ValueError("no values")
    return sum(kept) / len(kept)


def trimmed_range(values, share=0.1):
    """Return the distance between the extremes that remain."""
    kept = trimmed(values, share)
    if not kept:
        raise ValueError("no values")
    return kept[-1] - kept[0]
''',
        wrong="return ordered[cut:-cut]",
        right="return ordered[cut:len(ordered) - cut]",
        visible=r"""
def test_outliers_do_not_count():
    assert trimmed_mean([1000, 2, 3, 4, -500], 0.2) == 3


def test_nothing_to_trim():
    assert trimmed_mean([1, 2, 3], 0) == 2


def test_trimmed_is_sorted():
    assert trimmed([5, 1, 4, 2, 3, 6], 0.34) == [3, 4]


def test_range():
    assert trimmed_range([9, 1, 100, 5], 0.25) == 4


def test_bad_share():
    with pytest.raises(ValueError):
        trimmed([1, 2], 0.5)
""",
        hidden=r"""
def test_few_values_are_all_kept():
    assert trimmed([3, 1, 2], 0.1) == [1, 2, 3]


def test_default_share():
    assert trimmed_mean([0, 1, 2, 3, 4, 5, 6, 7, 8, 900]) == 4.5
    assert trimmed_mean([4, 6]) == 5


def test_single_value():
    assert trimmed_mean([7], 0.4) == 7
    assert trimmed_range([7], 0.4) == 0


def test_no_values():
    with pytest.raises(ValueError):
        trimmed_mean([])
    with pytest.raises(ValueError):
        trimmed_range([])


def test_no_values_trimmed():
    assert trimmed([], 0.2) == []


def test_negative_share():
    with pytest.raises(ValueError):
        trimmed([1], -0.1)


def test_heavy_trimming():
    assert trimmed(range(10), 0.4) == [4, 5]


def test_input_is_untouched():
    values = [3, 1, 2]
    trimmed(values, 0.34)
    assert values == [3, 1, 2]
""",
    ),
    Program(
        name="continued_fraction_convergents",
        code=r'''"""Continued fractions."""

from fractions import Fraction


def expand(numerator, denominator):
    """Return the terms of the continued fraction of a positive ratio.

    45/16 = 2 + 1/(1 + 1/(4 + 1/3)) has the terms [2, 1, 4, 3].
    """
    if denominator <= 0 or numerator < 0:
        raise ValueError("the ratio must not be negative")
    terms = []
    while denominator:
        whole, rest = divmod(numerator, denominator)
        terms.append(whole)
        numerator, denominator = denominator, rest
    return terms


def convergents(terms):
    """Return the fractions one gets by breaking off after each term."""
    before_top, top = 0, 1
    before_bottom, bottom = 0, 1
    result = []
    for term in terms:
        before_top, top = top, term * top + before_top
        before_bottom, bottom = bottom, term * bottom + before_bottom
        result.append(Fraction(top, bottom))
    return result


def approximate(numerator, denominator, limit):
    """Return the last convergent whose denominator is at most limit."""
    best = None
    for fraction in convergents(expand(numerator, denominator)):
        if fraction.denominator > limit:
            break
        best = fraction
    return best
''',
        wrong="before_bottom, bottom = 0, 1",
        right="before_bottom, bottom = 1, 0",
        visible=r"""
def test_expand():
    assert expand(45, 16) == [2, 1, 4, 3]


def test_expand_below_one():
    assert expand(1, 3) == [0, 3]


def test_bad_ratio():
    with pytest.raises(ValueError):
        expand(1, 0)


def test_convergents():
    assert convergents([2, 1, 4, 3]) == [2, 3, Fraction(14, 5), Fraction(45, 16)]


def test_approximate_pi():
    assert approximate(314159265, 100000000, 10) == Fraction(22, 7)
""",
        hidden=r"""
def test_last_convergent_is_the_ratio():
    for top, bottom in [(7, 3), (3, 7), (100, 99), (13, 8), (5, 1)]:
        assert convergents(expand(top, bottom))[-1] == Fraction(top, bottom)


def test_no_terms():
    assert convergents([]) == []


def test_golden_ratio():
    assert convergents([1, 1, 1, 1, 1]) == [
        1, 2, Fraction(3, 2), Fraction(5, 3), Fraction(8, 5),
    ]


def test_leading_zero():
    assert convergents([0, 3]) == [0, Fraction(1, 3)]


def test_expand_integers():
    assert expand(6, 3) == [2]
    assert expand(0, 4) == [0]


def test_negative():
    with pytest.raises(ValueError):
        expand(-1, 2)


def test_better_approximation_with_more_room():
    assert approximate(314159265, 100000000, 200) == Fraction(355, 113)


def test_limit_of_one():
    assert approximate(27, 10, 1) == 3


def test_exact_when_it_fits():
    assert approximate(45, 16, 16) == Fraction(45, 16)
    assert approximate(45, 16, 15) == Fraction(14, 5)
""",
    ),
    Program(
        name="histogram_upper_edge",
        code=r'''"""Counting values in equal-width bins."""


def histogram(values, low, high, bins):
    """Count how many values fall into each of ``bins`` equal bins.

    The bins divide the range from low to high.  Each bin includes its lower
    edge and excludes its upper edge, except that the last bin also includes
    ``high`` itself.  Values outside the range are ignored.
    """
    if bins < 1:
        raise ValueError("there must be at least one bin")
    if low >= high:
        raise ValueError("low must be below high")
    width = (high - low) / bins
    counts = [0] * bins
    for value in values:
        if low <= value <= high:
            index = int((value - low) / width)
            counts[index] += 1
    return counts


def busiest(counts):
    """Return the index of the fullest bin, the first one if several are."""
    return counts.index(max(counts))


def bars(counts, mark="*"):
    """Return one bar of marks per bin."""
    return [mark * count for count in counts]
''',
        wrong="index = int((value - low) / width)",
        right="index = min(int((value - low) / width), bins - 1)",
        visible=r"""
def test_spread():
    assert histogram([0, 1, 2, 3], 0, 4, 4) == [1, 1, 1, 1]


def test_outside_is_ignored():
    assert histogram([-1, 0.5, 9], 0, 2, 2) == [1, 0]


def test_top_value_belongs_to_last_bin():
    assert histogram([8, 10], 0, 10, 2) == [0, 2]


def test_bars():
    assert bars([2, 0, 1]) == ["**", "", "*"]


def test_busiest():
    assert busiest([1, 4, 4]) == 1
""",
        hidden=r"""
def test_inner_edges_go_up():
    assert histogram([5], 0, 10, 2) == [0, 1]


def test_only_the_top():
    assert histogram([1, 1, 1], 0, 1, 3) == [0, 0, 3]


def test_single_bin():
    assert histogram([0, 0.5, 1, 1.5], 0, 1, 1) == [3]


def test_negative_range():
    assert histogram([-10, -6, -5, 0], -10, 0, 2) == [2, 2]


def test_no_values():
    assert histogram([], 0, 1, 3) == [0, 0, 0]


def test_bad_arguments():
    with pytest.raises(ValueError):
        histogram([1], 0, 1, 0)
    with pytest.raises(ValueError):
        histogram([1], 1, 1, 2)


def test_just_above_and_below():
    assert histogram([-0.001, 4.001, 4, 0], 0, 4, 4) == [1, 0, 0, 1]


def test_bars_of_other_marks():
    assert bars(histogram([1, 2, 3], 1, 3, 2), "#") == ["#", "##"]
""",
    ),
    Program(
        name="running_variance",
        code=r'''"""Mean and variance of a stream of numbers."""

import math


class RunningStats:
    """Collect numbers one at a time without keeping them."""

    def __init__(self, values=()):
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0
        for value in values:
            self.add(value)

    def add(self, value):
        """Take one more number into account."""
        self.count += 1
        delta = value - self.mean
        self.mean += delta / self.count
        self._squares += delta * delta

    def variance(self):
        """Return the sample variance; at least two numbers are needed."""
        if self.count < 2:
            raise ValueError("variance needs two numbers")
        return self._squares / (self.count - 1)

    def deviation(self):
        """Return the sample standard deviation."""
        return math.sqrt(self.variance())

    def merged(self, other):
        """Return the statistics of the numbers of both collections."""
        result = RunningStats()
        result.count = self.count + other.count
        if result.count == 0:
            return result
        delta = other.mean - self.mean
        result.mean = self.mean + delta * other.count / result.count
        between = delta * delta * self.count * other.count / result.count
        result._squares = self._squares + other._squares + between
        return result
''',
        wrong="self._squares += delta * delta",
        right="self._squares += delta * (value - self.mean)",
        visible=r"""
def test_mean():
    assert RunningStats([1, 2, 6]).mean == pytest.approx(3)


def test_variance():
    assert RunningStats([2, 4, 4, 4, 5, 5, 7, 9]).variance() == pytest.approx(32 / 7)


def test_constant_numbers():
    stats = RunningStats([0, 0, 0])
    assert stats.variance() == 0


def test_too_few():
    with pytest.raises(ValueError):
        RunningStats([1]).variance()


def test_merged_mean():
    both = RunningStats([1, 2]).merged(RunningStats([6]))
    assert both.count == 3
    assert both.mean == pytest.approx(3)
""",
        hidden=r"""
import statistics


def test_against_library():
    values = [3.5, -1.25, 8, 0, 2.75, 4]
    stats = RunningStats(values)
    assert stats.mean == pytest.approx(statistics.mean(values))
    assert stats.variance() == pytest.approx(statistics.variance(values))
    assert stats.deviation() == pytest.approx(statistics.stdev(values))


def test_two_numbers():
    assert RunningStats([1, 3]).variance() == pytest.approx(2)


def test_constant_away_from_zero():
    assert RunningStats([5, 5, 5, 5]).variance() == pytest.approx(0)


def test_large_offset():
    assert RunningStats([1e6 + 1, 1e6 + 2, 1e6 + 3]).variance() == pytest.approx(1)


def test_merged_variance():
    left, right = [1, 2, 3, 10], [4, -6]
    both = RunningStats(left).merged(RunningStats(right))
    assert both.count == 6
    assert both.variance() == pytest.approx(statistics.variance(left + right))


def test_merging_leaves_the_parts():
    left, right = RunningStats([1]), RunningStats([3])
    assert left.merged(right).variance() == pytest.approx(2)
    assert (left.count, left.mean, right.count, right.mean) == (1, 1, 1, 3)


def test_merging_empty():
    assert RunningStats().merged(RunningStats()).count == 0
    both = RunningStats().merged(RunningStats([1, 3]))
    assert both.mean == pytest.approx(2)
    assert both.variance() == pytest.approx(2)


def test_add_goes_on():
    stats = RunningStats([1])
    stats.add(2)
    stats.add(3)
    assert stats.variance() == pytest.approx(1)
    assert stats.count == 3
""",
    ),
    # -------------------------------------------------------------------- graphs and mazes
    Program(
        name="ice_slide_maze",
        code=r'''"""Sliding over ice: one only stops where something is in the way."""

from collections import deque

STEPS = {"N": (-1, 0), "S": (1, 0), "W": (0, -1), "E": (0, 1)}


def slide(grid, place, direction):
    """Return where a slide from a place ends.

    One slides on until the next square is a wall ("#") or off the grid.
    """
    row, column = place
    down, right = STEPS[direction]
    while True:
        r, c = row + down, column + right
        inside = 0 < r < len(grid) and 0 <= c < len(grid[r])
        if not inside or grid[r][c] == "#":
            return row, column
        row, column = r, c


def fewest_slides(grid, start, goal):
    """Return the least number of slides after which one stops at the goal.

    Places are (row, column) pairs.  The answer is None if it is impossible
    and 0 if one is there already.
    """
    distance = {start: 0}
    queue = deque([start])
    while queue:
        place = queue.popleft()
        if place == goal:
            return distance[place]
        for direction in STEPS:
            end = slide(grid, place, direction)
            if end not in distance:
                distance[end] = distance[place] + 1
                queue.append(end)
    return None
''',
        wrong="inside = 0 < r < len(grid) and 0 <= c < len(grid[r])",
        right="inside = 0 <= r < len(grid) and 0 <= c < len(grid[r])",
        visible=r"""
GRID = [
    "....",
    ".#..",
    "....",
]


def test_slide_east():
    assert slide(GRID, (2, 0), "E") == (2, 3)


def test_slide_to_the_north_edge():
    assert slide(GRID, (2, 2), "N") == (0, 2)


def test_slide_is_stopped_by_wall():
    assert slide(GRID, (1, 3), "W") == (1, 2)


def test_already_there():
    assert fewest_slides(GRID, (1, 0), (1, 0)) == 0


def test_opposite_corner():
    assert fewest_slides(GRID, (2, 0), (0, 3)) == 2
""",
        hidden=r"""
def test_slide_along_the_top():
    grid = ["...", "..."]
    assert slide(grid, (0, 0), "E") == (0, 2)
    assert slide(grid, (0, 2), "W") == (0, 0)


def test_slide_south_from_top():
    assert slide(["..", "..", ".."], (0, 1), "S") == (2, 1)


def test_no_move_possible():
    grid = ["#.#", "###"]
    for direction in "NSWE":
        assert slide(grid, (0, 1), direction) == (0, 1)


def test_single_row():
    assert fewest_slides(["..."], (0, 0), (0, 2)) == 1
    assert fewest_slides(["..."], (0, 0), (0, 1)) is None


def test_passing_over_is_not_stopping():
    assert fewest_slides(["...", "...", "..."], (0, 0), (1, 1)) is None


def test_wall_below_the_top_row():
    assert slide([".", "#", "."], (2, 0), "N") == (2, 0)
    assert slide(["#", ".", "."], (2, 0), "N") == (1, 0)


def test_longer_way():
    grid = [
        "...#",
        "....",
        "#...",
    ]
    assert fewest_slides(grid, (1, 0), (0, 2)) == 2
    assert fewest_slides(grid, (2, 3), (2, 1)) == 1


def test_round_the_corner():
    grid = ["....", ".##.", "...."]
    assert fewest_slides(grid, (2, 3), (0, 0)) == 2
""",
    ),
    Program(
        name="build_layers_cycle_check",
        code=r'''"""Working out in which rounds tasks can be done."""


class CircularError(ValueError):
    """Tasks wait for each other in a circle."""


def rounds(needs):
    """Arrange tasks in rounds so that each comes after all it needs.

    ``needs`` maps a task to the tasks it depends on; tasks which are only
    mentioned as a dependency have no needs themselves.  Every task is done in
    the earliest possible round, and each round is sorted.  If tasks depend on
    each other in a circle, CircularError is raised with the sorted tasks that
    could never be started as its argument.
    """
    waiting = {task: set(others) for task, others in needs.items()}
    for others in needs.values():
        for other in others:
            waiting.setdefault(other, set())
    result = []
    while waiting:
        ready = sorted(task for task, others in waiting.items() if not others)
        if not ready:
            break
        for task in ready:
            del waiting[task]
        for others in waiting.values():
            others.difference_update(ready)
        result.append(ready)
    return result


def order(needs):
    """Return all tasks in a possible order, round by round."""
    return [task for ready in rounds(needs) for task in ready]
''',
        wrong="""            break
""",
        right="""            raise CircularError(sorted(waiting))
""",
        visible=r"""
def test_chain():
    assert rounds({"c": ["b"], "b": ["a"]}) == [["a"], ["b"], ["c"]]


def test_independent_tasks_share_a_round():
    assert rounds({"soup": [], "bread": []}) == [["bread", "soup"]]


def test_circle():
    with pytest.raises(CircularError):
        rounds({"a": ["b"], "b": ["a"]})


def test_order():
    assert order({"eat": ["cook", "lay"], "cook": ["shop"]}) == ["lay", "shop", "cook", "eat"]
""",
        hidden=r"""
def test_nothing():
    assert rounds({}) == []


def test_task_needing_itself():
    with pytest.raises(CircularError):
        rounds({"a": ["a"]})


def test_argument_tells_the_stuck_tasks():
    with pytest.raises(CircularError) as info:
        rounds({"z": ["y"], "y": ["z"], "x": ["w"], "q": ["z"]})
    assert info.value.args == (["q", "y", "z"],)


def test_order_with_circle():
    with pytest.raises(ValueError):
        order({"a": ["b"], "b": ["c"], "c": ["b"]})


def test_diamond():
    needs = {"d": ["b", "c"], "b": ["a"], "c": ["a"]}
    assert rounds(needs) == [["a"], ["b", "c"], ["d"]]


def test_earliest_round():
    needs = {"late": ["mid"], "mid": ["early"], "free": []}
    assert rounds(needs) == [["early", "free"], ["mid"], ["late"]]


def test_input_is_untouched():
    needs = {"b": {"a"}, "c": {"b"}}
    rounds(needs)
    assert needs == {"b": {"a"}, "c": {"b"}}


def test_repeated_need():
    assert rounds({"b": ["a", "a"]}) == [["a"], ["b"]]
""",
    ),
    Program(
        name="cheapest_cable_network",
        code=r'''"""Connecting villages with as little cable as possible."""


class Groups:
    """Sets of villages which are connected already."""

    def __init__(self):
        self._parent = {}

    def leader(self, village):
        """Return the village that stands for the whole group."""
        self._parent.setdefault(village, village)
        while self._parent[village] != village:
            village = self._parent[village]
        return village

    def join(self, first, second):
        """Unite two groups; return False if they were one already."""
        one, other = self.leader(first), self.leader(second)
        if one == other:
            return False
        self._parent[first] = other
        return True


def cheapest_network(cables):
    """Choose the cables which connect all villages at the least total cost.

    ``cables`` holds (village, village, cost) triples.  Return the chosen ones,
    cheapest first; where costs are equal, in the order given.  If not all
    villages can be connected, each connected part gets its own network.
    """
    groups = Groups()
    chosen = []
    for cable in sorted(cables, key=lambda cable: cable[2]):
        if groups.join(cable[0], cable[1]):
            chosen.append(cable)
    return chosen


def total_cost(cables):
    """Return what the cheapest network costs."""
    return sum(cost for _, _, cost in cheapest_network(cables))
''',
        wrong="self._parent[first] = other",
        right="self._parent[one] = other",
        visible=r"""
def test_single_cable():
    assert cheapest_network([("a", "b", 3)]) == [("a", "b", 3)]


def test_triangle():
    cables = [("a", "b", 3), ("b", "c", 1), ("a", "c", 2)]
    assert cheapest_network(cables) == [("b", "c", 1), ("a", "c", 2)]


def test_longest_side_of_a_triangle_is_not_needed():
    assert total_cost([("a", "b", 1), ("a", "c", 2), ("b", "c", 3)]) == 3


def test_two_parts():
    assert total_cost([("a", "b", 5), ("x", "y", 7)]) == 12


def test_join_tells_whether_it_was_needed():
    groups = Groups()
    assert groups.join(1, 2)
    assert not groups.join(2, 1)
""",
        hidden=r"""
def test_nothing():
    assert cheapest_network([]) == []
    assert total_cost([]) == 0


def test_ring():
    cables = [("a", "b", 1), ("b", "c", 2), ("c", "d", 3), ("d", "a", 4)]
    assert cheapest_network(cables) == cables[:3]


def test_star_then_shortcuts():
    star = [("hub", name, 1) for name in "abcd"]
    short = [("a", "b", 2), ("b", "c", 2), ("c", "d", 2)]
    assert cheapest_network(short + star) == star


def test_equal_costs_in_given_order():
    cables = [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)]
    assert cheapest_network(cables) == cables[:2]


def test_cable_to_itself_is_useless():
    assert cheapest_network([("a", "a", 0), ("a", "b", 2)]) == [("a", "b", 2)]


def test_joining_groups_joins_all_members():
    groups = Groups()
    groups.join("a", "b")
    groups.join("a", "c")
    groups.join("a", "d")
    leaders = {groups.leader(name) for name in "abcd"}
    assert len(leaders) == 1


def test_joining_large_groups():
    groups = Groups()
    groups.join(1, 2)
    groups.join(3, 4)
    assert groups.join(1, 3)
    assert not groups.join(2, 4)
    assert not groups.join(1, 2)


def test_doubled_cable():
    assert total_cost([("a", "b", 9), ("b", "a", 4)]) == 4
""",
    ),
    Program(
        name="critical_bridges",
        code=r'''"""Finding the roads no town can do without."""


def build_map(roads):
    """Return for each town the towns it has a road to."""
    neighbours = {}
    for one, other in roads:
        neighbours.setdefault(one, []).append(other)
        neighbours.setdefault(other, []).append(one)
    return neighbours


def critical_roads(roads):
    """Return the roads whose loss would cut some towns off from others.

    Roads are pairs of towns; no two towns have more than one road.  Each road
    found is given with its towns in order, and the list is sorted.
    """
    neighbours = build_map(roads)
    order = {}
    low = {}
    found = []

    def explore(town, origin):
        order[town] = low[town] = len(order)
        for other in neighbours[town]:
            if other == origin:
                continue
            if other in order:
                low[town] = min(low[town], order[other])
                continue
            explore(other, town)
            low[town] = min(low[town], low[other])
            if low[other] >= order[town]:
                found.append(tuple(sorted((town, other))))

    for town in neighbours:
        if town not in order:
            explore(town, None)
    return sorted(found)
''',
        wrong="if low[other] >= order[town]:",
        right="if low[other] > order[town]:",
        visible=r"""
def test_single_road():
    assert critical_roads([("b", "a")]) == [("a", "b")]


def test_line():
    assert critical_roads([("a", "b"), ("b", "c")]) == [("a", "b"), ("b", "c")]


def test_ring_has_none():
    assert critical_roads([("a", "b"), ("b", "c"), ("c", "a")]) == []


def test_ring_with_tail():
    roads = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]
    assert critical_roads(roads) == [("c", "d")]


def test_build_map():
    assert build_map([("a", "b"), ("b", "c")]) == {"a": ["b"], "b": ["a", "c"], "c": ["b"]}
""",
        hidden=r"""
def test_no_roads():
    assert critical_roads([]) == []


def test_two_rings_joined_by_a_road():
    roads = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6), (6, 4)]
    assert critical_roads(roads) == [(3, 4)]


def test_two_rings_sharing_a_town():
    roads = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 3)]
    assert critical_roads(roads) == []


def test_separate_parts():
    roads = [("a", "b"), ("x", "y"), ("y", "z"), ("z", "x")]
    assert critical_roads(roads) == [("a", "b")]


def test_star():
    roads = [("m", "c"), ("m", "a"), ("m", "b")]
    assert critical_roads(roads) == [("a", "m"), ("b", "m"), ("c", "m")]


def test_square_with_diagonal():
    roads = [(1, 2), (2, 3), (3, 4), (4, 1), (1, 3)]
    assert critical_roads(roads) == []


def test_tail_first():
    roads = [(0, 1), (1, 2), (2, 3), (3, 1)]
    assert critical_roads(roads) == [(0, 1)]
""",
    ),
    # --------------------------------------------------------- classes and state machines
    Program(
        name="elevator_sweeps",
        code=r'''"""An elevator which serves its calls in sweeps."""


class Elevator:
    """Moves one floor per step.

    It keeps its direction as long as there are calls ahead and only then
    turns round.  Starting from rest it goes up if any call is above it.
    """

    def __init__(self, floor=0):
        self.floor = floor
        self.direction = 0
        self.served = []
        self._calls = set()

    def call(self, floor):
        """Ask for a stop; a call for the current floor is served at once."""
        if floor == self.floor:
            self.served.append(floor)
        else:
            self._calls.add(floor)

    def _choose_direction(self):
        if not self._calls:
            self.direction = 0
        elif self.direction >= 0:
            self.direction = 1 if min(self._calls) > self.floor else -1
        else:
            self.direction = -1 if min(self._calls) < self.floor else 1

    def step(self):
        """Move one floor if there are calls, and stop if called there."""
        self._choose_direction()
        self.floor += self.direction
        if self.floor in self._calls:
            self._calls.remove(self.floor)
            self.served.append(self.floor)
        if not self._calls:
            self.direction = 0

    def run(self):
        """Serve all calls; return the number of steps that took."""
        steps = 0
        while self._calls:
            self.step()
            steps += 1
        return steps
''',
        wrong="self.direction = 1 if min(self._calls) > self.floor else -1",
        right="self.direction = 1 if max(self._calls) > self.floor else -1",
        visible=r"""
def test_goes_up():
    lift = Elevator()
    lift.call(3)
    assert lift.run() == 3
    assert lift.served == [3]


def test_up_before_down():
    lift = Elevator(5)
    lift.call(2)
    lift.call(7)
    lift.run()
    assert lift.served == [7, 2]


def test_goes_down():
    lift = Elevator(5)
    lift.call(2)
    lift.call(4)
    assert lift.run() == 3
    assert lift.served == [4, 2]


def test_rests():
    lift = Elevator(2)
    lift.step()
    assert lift.floor == 2
    assert lift.direction == 0


def test_call_for_current_floor():
    lift = Elevator(4)
    lift.call(4)
    assert lift.served == [4]
    assert lift.run() == 0
""",
        hidden=r"""
def test_keeps_going_up_when_called_below():
    lift = Elevator(0)
    lift.call(5)
    lift.step()
    lift.step()
    lift.call(1)
    lift.call(7)
    assert lift.run() == 11
    assert lift.served == [5, 7, 1]


def test_keeps_going_down_when_called_above():
    lift = Elevator(6)
    lift.call(1)
    lift.step()
    lift.call(6)
    lift.run()
    assert lift.served == [1, 6]


def test_steps_of_a_double_sweep():
    lift = Elevator(5)
    lift.call(4)
    lift.call(6)
    assert lift.run() == 3
    assert lift.floor == 4


def test_direction_while_moving():
    lift = Elevator(3)
    lift.call(1)
    lift.call(5)
    lift.step()
    assert (lift.floor, lift.direction) == (4, 1)
    lift.step()
    lift.step()
    assert (lift.floor, lift.direction) == (4, -1)


def test_stops_on_the_way():
    lift = Elevator()
    for floor in (4, 2, 3):
        lift.call(floor)
    lift.run()
    assert lift.served == [2, 3, 4]


def test_at_rest_after_the_last_call():
    lift = Elevator()
    lift.call(-2)
    lift.run()
    assert lift.direction == 0
    assert lift.floor == -2


def test_repeated_call_counts_once():
    lift = Elevator()
    lift.call(1)
    lift.call(1)
    assert lift.run() == 1
    assert lift.served == [1]
""",
    ),
    Program(
        name="snack_machine_stock",
        code=r'''"""A machine that sells snacks."""


class SaleError(Exception):
    """The machine cannot sell what was asked for."""


class SnackMachine:
    """Takes coins, sells snacks and gives change."""

    def __init__(self, prices, pieces):
        """Stock the given number of pieces of each snack in ``prices``."""
        self._prices = dict(prices)
        self._stock = {snack: pieces for snack in prices}
        self.balance = 0
        self.takings = 0

    def insert(self, coin):
        """Take a coin; its value must be positive."""
        if coin <= 0:
            raise ValueError("a coin must be worth something")
        self.balance += coin

    def buy(self, snack):
        """Sell a snack for money inserted before; return the change."""
        if snack not in self._prices:
            raise SaleError(f"no such snack: {snack}")
        if self._stock[snack] < 1:
            raise SaleError(f"{snack} is sold out")
        if self.balance < self._prices[snack]:
            raise SaleError("not enough money")
        self._stock[snack] =- 1
        self.takings += self._prices[snack]
        self.balance -= self._prices[snack]
        return self.cancel()

    def cancel(self):
        """Give back all money that has not been spent."""
        money, self.balance = self.balance, 0
        return money

    def refill(self, snack, pieces):
        """Add pieces of a snack; return how many there are now."""
        self._stock[snack] += pieces
        return self._stock[snack]
''',
        wrong="self._stock[snack] =- 1",
        right="self._stock[snack] -= 1",
        visible=r"""
def test_change():
    machine = SnackMachine({"nuts": 120}, 3)
    machine.insert(100)
    machine.insert(50)
    assert machine.buy("nuts") == 30
    assert machine.balance == 0


def test_not_enough_money():
    machine = SnackMachine({"nuts": 120}, 3)
    machine.insert(100)
    with pytest.raises(SaleError):
        machine.buy("nuts")
    assert machine.cancel() == 100


def test_two_sales():
    machine = SnackMachine({"nuts": 50}, 2)
    for _ in range(2):
        machine.insert(50)
        machine.buy("nuts")
    assert machine.takings == 100


def test_refill_counts_what_is_left():
    machine = SnackMachine({"nuts": 50}, 5)
    machine.insert(50)
    machine.buy("nuts")
    assert machine.refill("nuts", 3) == 7


def test_unknown_snack():
    with pytest.raises(SaleError):
        SnackMachine({}, 1).buy("nuts")
""",
        hidden=r"""
def test_sold_out():
    machine = SnackMachine({"nuts": 10}, 1)
    machine.insert(10)
    machine.buy("nuts")
    machine.insert(10)
    with pytest.raises(SaleError):
        machine.buy("nuts")
    assert machine.balance == 10
    assert machine.takings == 10


def test_all_pieces_can_be_sold():
    machine = SnackMachine({"nuts": 10}, 4)
    for _ in range(4):
        machine.insert(10)
        assert machine.buy("nuts") == 0
    assert machine.refill("nuts", 0) == 0


def test_snacks_are_counted_apart():
    machine = SnackMachine({"nuts": 10, "mints": 20}, 2)
    machine.insert(50)
    assert machine.buy("mints") == 30
    assert machine.refill("nuts", 0) == 2
    assert machine.refill("mints", 0) == 1


def test_refill_after_selling_out():
    machine = SnackMachine({"nuts": 10}, 1)
    machine.insert(10)
    machine.buy("nuts")
    assert machine.refill("nuts", 1) == 1
    machine.insert(10)
    assert machine.buy("nuts") == 0


def test_failed_sale_takes_nothing():
    machine = SnackMachine({"nuts": 10}, 1)
    machine.insert(5)
    with pytest.raises(SaleError):
        machine.buy("nuts")
    assert machine.refill("nuts", 0) == 1
    assert machine.takings == 0


def test_bad_coin():
    with pytest.raises(ValueError):
        SnackMachine({}, 0).insert(0)


def test_cancel_twice():
    machine = SnackMachine({}, 0)
    machine.insert(20)
    assert machine.cancel() == 20
    assert machine.cancel() == 0
""",
    ),
    Program(
        name="line_editor_undo",
        code=r'''"""A line editor that can undo and redo."""


class LineEditor:
    """Edits a list of lines.

    Every change can be undone, and what was undone can be redone until the
    next change.
    """

    def __init__(self, lines=()):
        self.lines = list(lines)
        self._past = []
        self._future = []

    def _remember(self):
        self._past.append(self.lines)
        self._future.clear()

    def insert(self, index, line):
        """Put a line before the one with the given index."""
        self._remember()
        self.lines.insert(index, line)

    def delete(self, index):
        """Delete a line and return it."""
        if not 0 <= index < len(self.lines):
            raise IndexError(f"no line {index}")
        self._remember()
        return self.lines.pop(index)

    def replace(self, old, new):
        """Replace a piece of text in all lines."""
        self._remember()
        self.lines = [line.replace(old, new) for line in self.lines]

    def undo(self):
        """Take back the last change; return False if there is none."""
        if not self._past:
            return False
        self._future.append(self.lines)
        self.lines = self._past.pop()
        return True

    def redo(self):
        """Repeat the change undone last; return False if there is none."""
        if not self._future:
            return False
        self._past.append(self.lines)
        self.lines = self._future.pop()
        return True
''',
        wrong="""    def _remember(self):
        self._past.append(self.lines)
""",
        right="""    def _remember(self):
        self._past.append(list(self.lines))
""",
        visible=r"""
def test_insert_and_delete():
    editor = LineEditor(["a", "c"])
    editor.insert(1, "b")
    assert editor.lines == ["a", "b", "c"]
    assert editor.delete(0) == "a"
    assert editor.lines == ["b", "c"]


def test_undo_of_replace():
    editor = LineEditor(["cat", "bat"])
    editor.replace("at", "ow")
    assert editor.lines == ["cow", "bow"]
    assert editor.undo()
    assert editor.lines == ["cat", "bat"]


def test_undo_of_insert():
    editor = LineEditor(["a"])
    editor.insert(1, "b")
    editor.undo()
    assert editor.lines == ["a"]


def test_redo():
    editor = LineEditor(["a", "b"])
    editor.delete(0)
    editor.undo()
    assert editor.lines == ["a", "b"]
    editor.redo()
    assert editor.lines == ["b"]


def test_nothing_to_undo():
    assert LineEditor().undo() is False
    assert LineEditor().redo() is False
""",
        hidden=r"""
def test_undo_several():
    editor = LineEditor()
    for number in range(3):
        editor.insert(number, str(number))
    seen = []
    while editor.undo():
        seen.append(list(editor.lines))
    assert seen == [["0", "1"], ["0"], []]


def test_undo_of_delete():
    editor = LineEditor("abc")
    editor.delete(1)
    editor.undo()
    assert editor.lines == ["a", "b", "c"]


def test_change_ends_redo():
    editor = LineEditor(["a"])
    editor.insert(0, "x")
    editor.undo()
    editor.insert(0, "y")
    assert editor.redo() is False
    assert editor.lines == ["y", "a"]


def test_undo_redo_undo():
    editor = LineEditor(["a"])
    editor.insert(1, "b")
    editor.replace("b", "c")
    editor.undo()
    editor.undo()
    assert editor.lines == ["a"]
    editor.redo()
    assert editor.lines == ["a", "b"]
    editor.redo()
    assert editor.lines == ["a", "c"]
    editor.undo()
    assert editor.lines == ["a", "b"]


def test_bad_index_is_no_change():
    editor = LineEditor(["a"])
    with pytest.raises(IndexError):
        editor.delete(1)
    with pytest.raises(IndexError):
        editor.delete(-1)
    assert editor.undo() is False


def test_given_lines_are_untouched():
    lines = ["a"]
    editor = LineEditor(lines)
    editor.insert(0, "b")
    assert lines == ["a"]


def test_change_after_undo_can_be_undone():
    editor = LineEditor(["a"])
    editor.replace("a", "b")
    editor.undo()
    editor.insert(1, "z")
    assert editor.lines == ["a", "z"]
    editor.undo()
    assert editor.lines == ["a"]
""",
    ),
    Program(
        name="crossing_light_timer",
        code=r'''"""The traffic light at a pedestrian crossing."""

FOLLOWING = {"green": "amber", "amber": "red", "red": "green"}
DURATION = {"green": 6, "amber": 2, "red": 4}


class CrossingLight:
    """Shows green to cars until somebody wants to cross.

    Green lasts at least its duration; after that it ends as soon as there is
    a request.  Amber and red last exactly their durations, in seconds.  A
    request is settled when the light turns red; requests during red are
    ignored, as one may walk already.
    """

    def __init__(self):
        self.colour = "green"
        self._left = DURATION["green"]
        self._requested = False

    def request(self):
        """Press the button."""
        if self.colour != "red":
            self._requested = True

    def _advance(self):
        following = FOLLOWING[self.colour]
        self._left = DURATION[self.colour]
        self.colour = following
        if following == "red":
            self._requested = False

    def tick(self):
        """Let a second pass; return the colour shown afterwards."""
        self._left = max(self._left - 1, 0)
        if self._left == 0 and (self.colour != "green" or self._requested):
            self._advance()
        return self.colour


def colours(light, seconds):
    """Return the initials of the colours of the coming seconds."""
    return "".join(light.tick()[0] for _ in range(seconds))
''',
        wrong="self._left = DURATION[self.colour]",
        right="self._left = DURATION[following]",
        visible=r"""
def test_stays_green_without_request():
    assert colours(CrossingLight(), 20) == "g" * 20


def test_green_lasts_its_time():
    light = CrossingLight()
    light.request()
    assert colours(light, 6) == "ggggga"


def test_whole_cycle():
    light = CrossingLight()
    light.request()
    assert colours(light, 14) == "gggggaarrrrggg"


def test_late_request_is_answered_at_once():
    light = CrossingLight()
    colours(light, 10)
    light.request()
    assert light.tick() == "amber"


def test_starts_green():
    assert CrossingLight().colour == "green"
""",
        hidden=r"""
def test_amber_lasts_two_seconds():
    light = CrossingLight()
    colours(light, 10)
    light.request()
    assert colours(light, 3) == "aar"


def test_red_lasts_four_seconds():
    light = CrossingLight()
    colours(light, 10)
    light.request()
    assert colours(light, 7) == "aarrrrg"


def test_request_is_settled_by_red():
    light = CrossingLight()
    light.request()
    assert colours(light, 40) == "gggggaarrrr" + "g" * 29


def test_request_during_red_is_ignored():
    light = CrossingLight()
    light.request()
    colours(light, 8)
    assert light.colour == "red"
    light.request()
    assert colours(light, 20) == "rrr" + "g" * 17


def test_request_during_next_green():
    light = CrossingLight()
    light.request()
    colours(light, 12)
    assert light.colour == "green"
    light.request()
    assert colours(light, 8) == "gggggaar"


def test_request_during_amber_is_settled_too():
    light = CrossingLight()
    light.request()
    colours(light, 6)
    light.request()
    assert colours(light, 12) == "arrrr" + "g" * 7


def test_two_presses_are_one_request():
    light = CrossingLight()
    light.request()
    light.request()
    assert colours(light, 24) == "gggggaarrrr" + "g" * 13
""",
    ),
    # --------------------------------------------------------- parsing and serialisation
    Program(
        name="query_string_decoding",
        code=r'''"""Reading and writing query strings."""

from urllib.parse import unquote


def decode(piece):
    """Undo the escapes of a name or value.

    "+" stands for a space and "%2B" for a plus sign.
    """
    return unquote(piece).replace("+", " ")


def encode(text):
    """Escape everything but letters, digits and "-_."."""
    escaped = []
    for character in text:
        if character == " ":
            escaped.append("+")
        elif character.isascii() and (character.isalnum() or character in "-_."):
            escaped.append(character)
        else:
            escaped.extend(f"%{byte:02X}" for byte in character.encode("utf-8"))
    return "".join(escaped)


def parse(query):
    """Return a dict from each name to the list of its values.

    A name without "=" has the empty string as its value; empty pieces between
    "&" signs are skipped.
    """
    result = {}
    for piece in query.split("&"):
        if piece:
            name, _, value = piece.partition("=")
            result.setdefault(decode(name), []).append(decode(value))
    return result


def build(fields):
    """Return the query string for a dict such as parse returns."""
    return "&".join(
        f"{encode(name)}={encode(value)}"
        for name, values in fields.items()
        for value in values
    )
''',
        wrong='return unquote(piece).replace("+", " ")',
        right='return unquote(piece.replace("+", " "))',
        visible=r"""
def test_simple():
    assert parse("a=1&b=2&a=3") == {"a": ["1", "3"], "b": ["2"]}


def test_spaces():
    assert parse("q=green+tea%20pot") == {"q": ["green tea pot"]}


def test_build():
    assert build({"q": ["a b", "c&d"]}) == "q=a+b&q=c%26d"


def test_round_trip():
    fields = {"sum": ["1+1=2"], "name": ["Zoë"]}
    assert parse(build(fields)) == fields


def test_name_only():
    assert parse("&debug&") == {"debug": [""]}
""",
        hidden=r"""
def test_escaped_plus():
    assert decode("%2B") == "+"
    assert decode("a%2Bb+c") == "a+b c"


def test_escaped_plus_in_name():
    assert parse("c%2B%2B=yes") == {"c++": ["yes"]}


def test_lower_case_escape():
    assert decode("%2b1") == "+1"


def test_later_equals_signs_belong_to_the_value():
    assert parse("a=b=c") == {"a": ["b=c"]}


def test_escaped_separators():
    assert parse("a%26b=%3D") == {"a&b": ["="]}


def test_encode():
    assert encode("a-b_c.d") == "a-b_c.d"
    assert encode("100%+ é") == "100%25%2B+%C3%A9"


def test_empty():
    assert parse("") == {}
    assert build({}) == ""


def test_round_trip_of_signs():
    text = "+ &=%#+/~"
    assert decode(encode(text)) == text
""",
    ),
    Program(
        name="symbolic_expression_reader",
        code=r'''"""Reading nested lists written with parentheses."""

import re

TOKEN = re.compile(r'[()]|"[^"]*"|[^\s()"]+')


def _read_list(tokens, position):
    """Read the items up to the closing parenthesis.

    ``position`` is where the first item should be.  Return the list and the
    position after it.
    """
    items = []
    while position < len(tokens):
        if tokens[position] == ")":
            return items, position
        item, position = _read(tokens, position)
        items.append(item)
    raise ValueError("a parenthesis is not closed")


def _read(tokens, position):
    """Read one value; return it and the position after it."""
    token = tokens[position]
    if token == "(":
        return _read_list(tokens, position + 1)
    if token == ")":
        raise ValueError("unexpected closing parenthesis")
    if token.startswith('"'):
        return token[1:-1], position + 1
    if token.lstrip("-").isdigit():
        return int(token), position + 1
    return token, position + 1


def read_all(text):
    """Return the list of all values in the text.

    Lists become Python lists, whole numbers integers, and quoted text and
    plain words strings.
    """
    tokens = TOKEN.findall(text)
    values = []
    position = 0
    while position < len(tokens):
        value, position = _read(tokens, position)
        values.append(value)
    return values
''',
        wrong="return items, position\n",
        right="return items, position + 1\n",
        visible=r"""
def test_atoms():
    assert read_all('12 -3 word "two words"') == [12, -3, "word", "two words"]


def test_list():
    assert read_all("(add 1 2)") == [["add", 1, 2]]


def test_nested():
    assert read_all("(a (b c) d)") == [["a", ["b", "c"], "d"]]


def test_unclosed():
    with pytest.raises(ValueError):
        read_all("(a (b)")


def test_nothing():
    assert read_all("  ") == []
""",
        hidden=r"""
def test_empty_lists():
    assert read_all("()") == [[]]
    assert read_all("(()())") == [[[], []]]


def test_several_values():
    assert read_all("(a) 1 (b)") == [["a"], 1, ["b"]]


def test_deep():
    assert read_all("((((x))))") == [[[[["x"]]]]]


def test_stray_closing():
    with pytest.raises(ValueError):
        read_all("a )")
    with pytest.raises(ValueError):
        read_all("(a))")


def test_open_only():
    with pytest.raises(ValueError):
        read_all("(")


def test_quoted_parentheses():
    assert read_all('("(not) a list" b)') == [["(not) a list", "b"]]


def test_without_spaces():
    assert read_all('(a"b"c(1)2)') == [["a", "b", "c", [1], 2]]


def test_quoted_number_is_text():
    assert read_all('"12"') == ["12"]
""",
    ),
    Program(
        name="settings_value_conversion",
        code=r'''"""A simple format for settings."""

WORDS = {"yes": True, "no": False, "none": None}


def convert(text):
    """Turn the text of a value into what it stands for.

    "yes", "no" and "none" (in any case) are True, False and None; what looks
    like a whole number or a decimal becomes one; anything else stays text.
    """
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except TypeError:
            pass
    return text


def load(source):
    """Return a dict from section names to dicts of settings.

    Sections begin with a line such as "[paths]"; settings before the first
    one belong to the section "".  Text after a "#" is a comment.
    """
    current = {}
    sections = {"": current}
    for number, line in enumerate(source.splitlines(), start=1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        if line.startswith("[") and line.endswith("]"):
            current = sections.setdefault(line[1:-1].strip(), {})
            continue
        key, equals, value = line.partition("=")
        if not equals:
            raise ValueError(f"line {number}: expected a setting")
        current[key.strip()] = convert(value.strip())
    return sections
''',
        wrong="except TypeError:",
        right="except ValueError:",
        visible=r"""
def test_words():
    assert convert("yes") is True
    assert convert("No") is False
    assert convert("NONE") is None


def test_whole_number():
    assert load("port = 80") == {"": {"port": 80}}


def test_text_and_decimal():
    assert convert("blue sky") == "blue sky"
    assert convert("2.5") == 2.5


def test_sections():
    source = "debug = no\n[size]\nwidth = 3  # metres\n"
    assert load(source) == {"": {"debug": False}, "size": {"width": 3}}


def test_bad_line():
    with pytest.raises(ValueError):
        load("what is this")
""",
        hidden=r"""
def test_negative_numbers():
    assert convert("-4") == -4
    assert convert("-0.5") == -0.5


def test_kinds():
    assert isinstance(convert("3"), int)
    assert isinstance(convert("3.0"), float)
    assert isinstance(convert("3x"), str)


def test_empty_value():
    assert load("name =") == {"": {"name": ""}}


def test_value_with_equals_sign():
    assert load("rule = a=b") == {"": {"rule": "a=b"}}


def test_section_named_twice():
    assert load("[a]\nx=1\n[b]\ny=2\n[a]\nz=word") == {
        "": {},
        "a": {"x": 1, "z": "word"},
        "b": {"y": 2},
    }


def test_later_setting_wins():
    assert load("x = 1\nx = two") == {"": {"x": "two"}}


def test_error_names_the_line():
    with pytest.raises(ValueError, match="line 3"):
        load("a = b\n\noops\n")


def test_comments_only():
    assert load("# nothing\n   # here\n") == {"": {}}
""",
    ),
    Program(
        name="delimited_line_quotes",
        code=r'''"""Lines of fields separated by semicolons."""

SEPARATOR = ";"
QUOTE = '"'


def _dump_field(field):
    """Quote a field if it holds a separator, a quote or a line break."""
    if any(sign in field for sign in (SEPARATOR, QUOTE, "\n")):
        return QUOTE + field + QUOTE
    return field


def dump(fields):
    """Return the line for a list of fields.

    A quote inside a quoted field is doubled.
    """
    return SEPARATOR.join(_dump_field(field) for field in fields)


def load(line):
    """Return the list of fields of a line written by dump."""
    fields = []
    field = []
    quoted = False
    index = 0
    while index < len(line):
        sign = line[index]
        if quoted and sign == QUOTE and line[index + 1:index + 2] == QUOTE:
            field.append(QUOTE)
            index += 1
        elif sign == QUOTE:
            quoted = not quoted
        elif sign == SEPARATOR and not quoted:
            fields.append("".join(field))
            field = []
        else:
            field.append(sign)
        index += 1
    if quoted:
        raise ValueError("a quote is not closed")
    fields.append("".join(field))
    return fields
''',
        wrong="return QUOTE + field + QUOTE",
        right="return QUOTE + field.replace(QUOTE, QUOTE * 2) + QUOTE",
        visible=r"""
def test_plain():
    assert dump(["a", "b", ""]) == "a;b;"
    assert load("a;b;") == ["a", "b", ""]


def test_separator_in_field():
    assert dump(["x;y", "z"]) == '"x;y";z'
    assert load('"x;y";z') == ["x;y", "z"]


def test_doubled_quotes_are_read():
    assert load('"say ""hi"" twice";2') == ['say "hi" twice', "2"]


def test_round_trip():
    fields = ['5" nail', "10;20", "plain"]
    assert load(dump(fields)) == fields


def test_unclosed():
    with pytest.raises(ValueError):
        load('"abc')
""",
        hidden=r"""
def test_quotes_are_doubled():
    assert dump(['a"b']) == '"a""b"'


def test_field_of_one_quote():
    assert dump(['"']) == '"' * 4
    assert load('"' * 4) == ['"']


def test_quoted_word():
    fields = ['the "best" one', 'an "ok" one']
    assert dump(fields) == '"the ""best"" one";"an ""ok"" one"'
    assert load(dump(fields)) == fields


def test_line_break():
    assert dump(["a\nb"]) == '"a\nb"'
    assert load(dump(["a\nb", "c"])) == ["a\nb", "c"]


def test_single_empty_field():
    assert dump([""]) == ""
    assert load("") == [""]


def test_quote_next_to_separator():
    for fields in (['";"', "x"], [';"', '";'], ['""', ""]):
        assert load(dump(fields)) == fields


def test_unclosed_after_doubled():
    with pytest.raises(ValueError):
        load('"a""')


def test_plain_fields_stay_unquoted():
    assert dump(["it's", "a,b", "c d"]) == "it's;a,b;c d"
""",
    ),
    # ---------------------------------------------------------- dates, times, intervals
    Program(
        name="free_slots_of_day",
        code=r'''"""Finding free time between appointments."""


def clock(minutes):
    """Return minutes after midnight as a time such as "09:05"."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def free_slots(appointments, opening, closing, shortest=1):
    """Return the gaps between appointments, in order.

    Appointments are (start, end) pairs in minutes after midnight; they may
    overlap, come in any order and reach outside the opening hours.  Only gaps
    between opening and closing of at least ``shortest`` minutes are given.
    """
    slots = []
    free_from = opening
    for start, end in sorted(appointments):
        gap_end = min(start, closing)
        if gap_end - free_from >= shortest:
            slots.append((free_from, gap_end))
        free_from = end
    if closing - free_from >= shortest:
        slots.append((free_from, closing))
    return slots


def describe(slots):
    """Return the slots as text such as "09:00-10:30, 12:00-12:15"."""
    return ", ".join(f"{clock(start)}-{clock(end)}" for start, end in slots)
''',
        wrong="free_from = end\n",
        right="free_from = max(free_from, end)\n",
        visible=r"""
def test_no_appointments():
    assert free_slots([], 540, 600) == [(540, 600)]


def test_gap_between():
    assert free_slots([(540, 600), (660, 720)], 540, 720) == [(600, 660)]


def test_short_appointment_within_a_long_one():
    assert free_slots([(540, 700), (560, 580)], 540, 720) == [(700, 720)]


def test_shortest():
    assert free_slots([(550, 600)], 540, 620, shortest=15) == [(600, 620)]


def test_describe():
    assert describe([(540, 630), (720, 735)]) == "09:00-10:30, 12:00-12:15"
""",
        hidden=r"""
def test_unordered_and_touching():
    assert free_slots([(60, 90), (0, 60)], 0, 120) == [(90, 120)]


def test_appointment_before_opening():
    assert free_slots([(0, 30)], 60, 120) == [(60, 120)]
    assert free_slots([(0, 70)], 60, 120) == [(70, 120)]


def test_appointment_after_closing():
    assert free_slots([(200, 230)], 60, 120) == [(60, 120)]
    assert free_slots([(100, 230)], 60, 120) == [(60, 100)]


def test_overlapping():
    assert free_slots([(10, 40), (30, 50), (45, 60)], 0, 70) == [(0, 10), (60, 70)]


def test_all_inside_one():
    assert free_slots([(0, 100), (10, 20), (30, 40)], 0, 100) == []


def test_shortest_is_inclusive():
    assert free_slots([(15, 30)], 0, 44, shortest=15) == [(0, 15)]


def test_same_start():
    assert free_slots([(10, 20), (10, 50)], 0, 60) == [(0, 10), (50, 60)]


def test_input_is_untouched():
    appointments = [(60, 90), (0, 30)]
    free_slots(appointments, 0, 120)
    assert appointments == [(60, 90), (0, 30)]


def test_clock():
    assert clock(0) == "00:00"
    assert clock(1439) == "23:59"
    assert describe([]) == ""
""",
    ),
    Program(
        name="working_day_arithmetic",
        code=r'''"""Counting in working days."""

from datetime import date, timedelta

ONE_DAY = timedelta(days=1)
SATURDAY = 5


def is_working_day(day, holidays=()):
    """Tell whether a day is neither at the weekend nor a holiday."""
    return day.weekday() < SATURDAY or day not in holidays


def add_working_days(day, count, holidays=()):
    """Return the day that is ``count`` working days after another one.

    The start itself is not counted.  A negative count goes back in time, and
    zero gives the day itself, whatever day it is.
    """
    step = ONE_DAY if count > 0 else -ONE_DAY
    left = abs(count)
    while left:
        day += step
        if is_working_day(day, holidays):
            left -= 1
    return day


def working_days_between(first, last, holidays=()):
    """Return the number of working days from first to last, both included."""
    count = 0
    day = first
    while day <= last:
        if is_working_day(day, holidays):
            count += 1
        day += ONE_DAY
    return count
''',
        wrong="return day.weekday() < SATURDAY or day not in holidays",
        right="return day.weekday() < SATURDAY and day not in holidays",
        visible=r"""
from datetime import date


def test_within_a_week():
    assert add_working_days(date(2023, 5, 8), 3) == date(2023, 5, 11)


def test_over_the_weekend():
    assert add_working_days(date(2023, 5, 12), 1) == date(2023, 5, 15)


def test_holiday():
    holidays = {date(2023, 5, 10)}
    assert add_working_days(date(2023, 5, 9), 1, holidays) == date(2023, 5, 11)


def test_zero_days():
    assert add_working_days(date(2023, 5, 13), 0) == date(2023, 5, 13)


def test_weekdays_between():
    assert working_days_between(date(2023, 5, 8), date(2023, 5, 12)) == 5
""",
        hidden=r"""
from datetime import date


def test_weekend_is_no_working_day():
    assert not is_working_day(date(2023, 5, 13))
    assert not is_working_day(date(2023, 5, 14))
    assert is_working_day(date(2023, 5, 15))


def test_holiday_is_no_working_day():
    assert not is_working_day(date(2023, 5, 15), [date(2023, 5, 15)])
    assert is_working_day(date(2023, 5, 16), [date(2023, 5, 15)])


def test_holiday_at_the_weekend():
    assert not is_working_day(date(2023, 5, 13), [date(2023, 5, 13)])


def test_backwards():
    assert add_working_days(date(2023, 5, 15), -1) == date(2023, 5, 12)
    assert add_working_days(date(2023, 5, 12), -5) == date(2023, 5, 5)


def test_from_the_weekend():
    assert add_working_days(date(2023, 5, 13), 1) == date(2023, 5, 15)
    assert add_working_days(date(2023, 5, 13), -1) == date(2023, 5, 12)


def test_two_weeks():
    assert working_days_between(date(2023, 5, 1), date(2023, 5, 14)) == 10
    holidays = [date(2023, 5, 1), date(2023, 5, 6)]
    assert working_days_between(date(2023, 5, 1), date(2023, 5, 14), holidays) == 9


def test_nothing_between():
    assert working_days_between(date(2023, 5, 2), date(2023, 5, 1)) == 0
    assert working_days_between(date(2023, 5, 13), date(2023, 5, 14)) == 0


def test_over_the_turn_of_the_year():
    holidays = {date(2024, 1, 1)}
    assert add_working_days(date(2023, 12, 29), 1, holidays) == date(2024, 1, 2)
""",
    ),
    Program(
        name="monthly_due_dates",
        code=r'''"""Dates that come round every few months."""

from calendar import monthrange
from datetime import date


def _clamped(year, month, day):
    """Return a date, at the last day of the month if it has no such day."""
    return date(year, month, min(day, monthrange(year, month)[1]))


def due_dates(first, count, every=1):
    """Return ``count`` dates, ``every`` months apart, beginning with first.

    All of them fall on the same day of the month as the first.  In a month
    which is too short, the last day of that month is taken instead.
    """
    if every < 1:
        raise ValueError("every must be at least 1")
    dates = []
    current = first
    while len(dates) < count:
        dates.append(current)
        years, month = divmod(current.month - 1 + every, 12)
        current = _clamped(current.year + years, month + 1, current.day)
    return dates


def next_due(first, today, every=1):
    """Return the first due date which is not before today."""
    count = 1
    while True:
        latest = due_dates(first, count, every)[-1]
        if latest >= today:
            return latest
        count += 1
''',
        wrong="current = _clamped(current.year + years, month + 1, current.day)",
        right="current = _clamped(current.year + years, month + 1, first.day)",
        visible=r"""
from datetime import date


def test_plain_months():
    assert due_dates(date(2022, 4, 10), 3) == [
        date(2022, 4, 10), date(2022, 5, 10), date(2022, 6, 10),
    ]


def test_end_of_month():
    assert due_dates(date(2022, 1, 31), 3) == [
        date(2022, 1, 31), date(2022, 2, 28), date(2022, 3, 31),
    ]


def test_quarterly():
    assert due_dates(date(2022, 11, 5), 2, every=3) == [date(2022, 11, 5), date(2023, 2, 5)]


def test_next_due():
    assert next_due(date(2022, 1, 15), date(2022, 3, 16)) == date(2022, 4, 15)


def test_bad_interval():
    with pytest.raises(ValueError):
        due_dates(date(2022, 1, 1), 2, every=0)
""",
        hidden=r"""
from datetime import date


def test_leap_year():
    assert due_dates(date(2024, 1, 30), 3) == [
        date(2024, 1, 30), date(2024, 2, 29), date(2024, 3, 30),
    ]


def test_all_months_of_a_year_from_the_31st():
    days = [day.day for day in due_dates(date(2023, 1, 31), 12)]
    assert days == [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def test_every_two_months_from_the_31st():
    assert due_dates(date(2022, 12, 31), 4, every=2) == [
        date(2022, 12, 31), date(2023, 2, 28), date(2023, 4, 30), date(2023, 6, 30),
    ]


def test_leap_day_every_year():
    dates = due_dates(date(2020, 2, 29), 5, every=12)
    assert [(day.year, day.day) for day in dates] == [
        (2020, 29), (2021, 28), (2022, 28), (2023, 28), (2024, 29),
    ]


def test_none_and_one():
    assert due_dates(date(2022, 1, 31), 0) == []
    assert due_dates(date(2022, 1, 31), 1) == [date(2022, 1, 31)]


def test_turn_of_the_year():
    assert due_dates(date(2022, 12, 1), 2)[-1] == date(2023, 1, 1)
    assert due_dates(date(2022, 11, 30), 2)[-1] == date(2022, 12, 30)


def test_next_due_on_the_day():
    assert next_due(date(2022, 1, 31), date(2022, 3, 31)) == date(2022, 3, 31)


def test_next_due_before_the_first():
    assert next_due(date(2022, 1, 31), date(2020, 1, 1)) == date(2022, 1, 31)


def test_next_due_after_february():
    assert next_due(date(2022, 1, 31), date(2022, 3, 29)) == date(2022, 3, 31)
""",
    ),
    Program(
        name="night_shift_timesheet",
        code=r'''"""Adding up the hours of a timesheet."""

MINUTES_PER_DAY = 24 * 60


def minutes_of(clock):
    """Return the minutes after midnight of a time such as "7:45"."""
    hours, minutes = clock.split(":")
    if not (0 <= int(hours) < 24 and 0 <= int(minutes) < 60):
        raise ValueError(f"not a time of day: {clock}")
    return int(hours) * 60 + int(minutes)


def shift_length(start, end, pause=0):
    """Return the minutes worked between two times, less the pause.

    A shift whose end is earlier than its start goes on past midnight.
    """
    length = (minutes_of(end) - minutes_of(start)) % MINUTES_PER_DAY
    if pause > length:
        raise ValueError("the pause is longer than the shift")
    return length - pause


def as_hours(minutes):
    """Return minutes as hours and minutes, such as "8:05"."""
    hours, rest = divmod(minutes, 60)
    return f"{hours}:{rest}"


def timesheet(shifts):
    """Return a line per shift and a last line with the total.

    Shifts are (start, end, pause) triples.
    """
    lines = []
    total = 0
    for start, end, pause in shifts:
        length = shift_length(start, end, pause)
        total += length
        lines.append(f"{start}-{end} {as_hours(length)}")
    lines.append(f"total {as_hours(total)}")
    return lines
''',
        wrong='return f"{hours}:{rest}"',
        right='return f"{hours}:{rest:02d}"',
        visible=r"""
def test_minutes():
    assert minutes_of("7:45") == 465


def test_shift():
    assert shift_length("9:00", "17:30", 30) == 480


def test_past_midnight():
    assert shift_length("22:00", "6:15") == 495


def test_timesheet():
    assert timesheet([("9:00", "17:35", 30), ("13:00", "17:00", 0)]) == [
        "9:00-17:35 8:05",
        "13:00-17:00 4:00",
        "total 12:05",
    ]


def test_long_pause():
    with pytest.raises(ValueError):
        shift_length("9:00", "10:00", 61)
""",
        hidden=r"""
def test_as_hours():
    assert as_hours(0) == "0:00"
    assert as_hours(9) == "0:09"
    assert as_hours(10) == "0:10"
    assert as_hours(485) == "8:05"
    assert as_hours(119) == "1:59"


def test_more_than_a_day():
    assert as_hours(2403) == "40:03"


def test_no_shifts():
    assert timesheet([]) == ["total 0:00"]


def test_night_shifts():
    assert timesheet([("22:00", "6:00", 45), ("23:30", "0:30", 0)]) == [
        "22:00-6:00 7:15",
        "23:30-0:30 1:00",
        "total 8:15",
    ]


def test_bad_times():
    for clock in ("24:00", "12:60"):
        with pytest.raises(ValueError):
            minutes_of(clock)


def test_pause_as_long_as_the_shift():
    assert shift_length("9:00", "9:30", 30) == 0


def test_same_times():
    assert shift_length("9:00", "9:00") == 0
""",
    ),
    # ----------------------------------------------------------- sequences, sets, grouping
    Program(
        name="page_range_lists",
        code=r'''"""Lists of numbers in short form, such as "1-3,7"."""


def parse_ranges(text):
    """Return the sorted numbers which a list of ranges stands for.

    Numbers may be negative: "-3--1" are the numbers from -3 to -1.  Ranges
    may overlap; a range that runs backwards is an error.
    """
    numbers = set()
    for piece in text.split(","):
        piece = piece.strip()
        if not piece:
            continue
        dash = piece.find("-")
        if dash == -1:
            numbers.add(int(piece))
            continue
        low, high = int(piece[:dash]), int(piece[dash + 1:])
        if low > high:
            raise ValueError(f"range runs backwards: {piece}")
        numbers.update(range(low, high + 1))
    return sorted(numbers)


def format_ranges(numbers):
    """Return the shortest list of ranges for some numbers."""
    runs = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(
        str(low) if low == high else f"{low}-{high}" for low, high in runs
    )
''',
        wrong='dash = piece.find("-")',
        right='dash = piece.find("-", 1)',
        visible=r"""
def test_parse():
    assert parse_ranges("1-3, 7") == [1, 2, 3, 7]


def test_overlap():
    assert parse_ranges("5-6,4-5") == [4, 5, 6]


def test_negative_numbers():
    assert parse_ranges("-3--1,2") == [-3, -2, -1, 2]


def test_format():
    assert format_ranges([3, 1, 2, 9, 8, 5]) == "1-3,5,8-9"


def test_backwards():
    with pytest.raises(ValueError):
        parse_ranges("5-3")
""",
        hidden=r"""
def test_single_negative():
    assert parse_ranges("-4") == [-4]


def test_from_negative_to_positive():
    assert parse_ranges("-2-1") == [-2, -1, 0, 1]


def test_backwards_negative():
    with pytest.raises(ValueError):
        parse_ranges("-1--3")
    with pytest.raises(ValueError):
        parse_ranges("3--3")


def test_round_trip():
    for numbers in ([-5, -4, 0], [-1, 0, 1], [-9], [1, 3, 5], [10, 11, 12]):
        assert parse_ranges(format_ranges(numbers)) == numbers


def test_empty():
    assert parse_ranges("") == []
    assert parse_ranges(" , ") == []
    assert format_ranges([]) == ""


def test_range_of_one():
    assert parse_ranges("4-4") == [4]
    assert format_ranges([4, 4]) == "4"


def test_nonsense():
    with pytest.raises(ValueError):
        parse_ranges("a")
    with pytest.raises(ValueError):
        parse_ranges("1-b")


def test_format_negative():
    assert format_ranges([-1, -2, 5]) == "-2--1,5"
""",
    ),
    Program(
        name="stock_changes",
        code=r'''"""Comparing two inventories."""

from collections import Counter


def changes(before, after):
    """Return what came in and what went out between two inventories.

    Inventories are iterables of items, with an item for each piece.  The
    result is a pair of dicts (came, went) with the number of pieces.
    """
    old, new = Counter(before), Counter(after)
    came = old - new
    went = old - new
    return dict(came), dict(went)


def describe(before, after):
    """Return the changes as sorted lines such as "+2 nut" and "-1 nail".

    The lines are in the order of the items.
    """
    came, went = changes(before, after)
    lines = {item: f"+{count} {item}" for item, count in came.items()}
    lines.update({item: f"-{count} {item}" for item, count in went.items()})
    return [lines[item] for item in sorted(lines)]


def turnover(before, after):
    """Return how many pieces were moved in either direction."""
    came, went = changes(before, after)
    return sum(came.values()) + sum(went.values())
''',
        wrong="came = old - new",
        right="came = new - old",
        visible=r"""
def test_nothing_changed():
    assert changes(["nut", "nail"], ["nail", "nut"]) == ({}, {})


def test_came_and_went():
    assert changes(["nut", "nail"], ["nut", "nut", "nut"]) == ({"nut": 2}, {"nail": 1})


def test_turnover():
    assert turnover("aabb", "abbb") == 2


def test_describe():
    assert describe(["nut", "nail"], ["nut", "bolt"]) == ["+1 bolt", "-1 nail"]


def test_describe_losses():
    assert describe(["b", "a", "b"], []) == ["-1 a", "-2 b"]
""",
        hidden=r"""
def test_only_gains():
    assert changes([], ["a", "b", "a"]) == ({"a": 2, "b": 1}, {})


def test_only_losses():
    assert changes(["a", "b", "a"], ["a"]) == ({}, {"a": 1, "b": 1})


def test_empty():
    assert changes([], []) == ({}, {})
    assert describe([], []) == []
    assert turnover([], []) == 0


def test_more_of_the_same():
    assert changes("aa", "aaaaa") == ({"a": 3}, {})


def test_swapping_the_inventories_swaps_the_result():
    came, went = changes("aabbc", "bccd")
    assert changes("bccd", "aabbc") == (went, came)
    assert came == {"c": 1, "d": 1}
    assert went == {"a": 2, "b": 1}


def test_turnover_of_replacement():
    assert turnover("aaa", "bbbbb") == 8


def test_describe_mixed():
    assert describe("aabz", "abbcz") == ["-1 a", "+1 b", "+1 c"]


def test_iterators():
    assert changes(iter("ab"), iter("bc")) == ({"c": 1}, {"a": 1})
""",
    ),
    Program(
        name="visits_to_sessions",
        code=r'''"""Grouping page visits into sessions."""


def sessions(times, gap):
    """Group times (in seconds) into sessions.

    A visit belongs to the running session if it comes at most ``gap`` seconds
    after the visit before it; otherwise it opens a new session.  The times
    may be given in any order.
    """
    groups = []
    for time in sorted(times):
        if groups and time - groups[-1][0] <= gap:
            groups[-1].append(time)
        else:
            groups.append([time])
    return groups


def durations(times, gap):
    """Return how long each session lasted from first to last visit."""
    return [group[-1] - group[0] for group in sessions(times, gap)]


def by_visitor(visits, gap):
    """Return a dict from visitor to number of sessions.

    ``visits`` holds (visitor, time) pairs.
    """
    times = {}
    for visitor, time in visits:
        times.setdefault(visitor, []).append(time)
    return {visitor: len(sessions(own, gap)) for visitor, own in times.items()}
''',
        wrong="if groups and time - groups[-1][0] <= gap:",
        right="if groups and time - groups[-1][-1] <= gap:",
        visible=r"""
def test_no_visits():
    assert sessions([], 10) == []


def test_two_sessions():
    assert sessions([0, 5, 100], 10) == [[0, 5], [100]]


def test_long_session():
    assert sessions([0, 8, 16, 24], 10) == [[0, 8, 16, 24]]


def test_durations():
    assert durations([3, 0, 50], 10) == [3, 0]


def test_by_visitor():
    visits = [("ann", 0), ("bob", 5), ("ann", 9), ("ann", 40)]
    assert by_visitor(visits, 10) == {"ann": 2, "bob": 1}
""",
        hidden=r"""
def test_gap_is_inclusive():
    assert sessions([0, 10, 20, 31], 10) == [[0, 10, 20], [31]]


def test_any_order():
    assert sessions([30, 0, 20, 10], 10) == [[0, 10, 20, 30]]


def test_same_time():
    assert sessions([5, 5, 5], 0) == [[5, 5, 5]]


def test_long_duration():
    assert durations(range(0, 100, 7), 10) == [98]
    assert durations([0, 9, 18, 40, 49, 58], 10) == [18, 18]


def test_single():
    assert sessions([42], 1) == [[42]]
    assert durations([42], 1) == [0]


def test_by_visitor_with_long_sessions():
    visits = [("a", 0), ("a", 6), ("a", 12), ("b", 12), ("a", 18), ("b", 30)]
    assert by_visitor(visits, 10) == {"a": 1, "b": 2}


def test_nobody():
    assert by_visitor([], 5) == {}


def test_input_is_untouched():
    times = [5, 1]
    sessions(times, 10)
    assert times == [5, 1]
""",
    ),
    Program(
        name="fair_interleaving",
        code=r'''"""Taking turns among several sequences."""

from itertools import zip_longest

_NOTHING = object()


def interleave(*sequences):
    """Return the items of all sequences, taking one from each in turn.

    A sequence which is used up is left out from then on.  Any item is
    allowed, None included.
    """
    return [
        item
        for turn in zip_longest(*sequences)
        for item in turn
        if item is not _NOTHING
    ]


def deal(items, hands):
    """Deal items out in turn to a number of hands."""
    if hands < 1:
        raise ValueError("there must be at least one hand")
    items = list(items)
    return [items[start::hands] for start in range(hands)]


def collect(hands):
    """Undo deal."""
    return interleave(*hands)
''',
        wrong="for turn in zip_longest(*sequences)",
        right="for turn in zip_longest(*sequences, fillvalue=_NOTHING)",
        visible=r"""
def test_equal_lengths():
    assert interleave("abc", [1, 2, 3]) == ["a", 1, "b", 2, "c", 3]


def test_different_lengths():
    assert interleave("ab", "12345") == ["a", "1", "b", "2", "3", "4", "5"]


def test_deal():
    assert deal("abcde", 2) == [["a", "c", "e"], ["b", "d"]]


def test_collect():
    assert collect(deal(range(7), 3)) == [0, 1, 2, 3, 4, 5, 6]


def test_no_hands():
    with pytest.raises(ValueError):
        deal("abc", 0)
""",
        hidden=r"""
def test_none_is_an_item():
    assert interleave([None, 1], [2]) == [None, 2, 1]
    assert interleave([1], [2, None]) == [1, 2, None]


def test_empty_sequence_among_others():
    assert interleave([], "ab", []) == ["a", "b"]


def test_no_sequences():
    assert interleave() == []
    assert interleave([], []) == []


def test_three_lengths():
    assert interleave("a", "bcd", "ef") == ["a", "b", "e", "c", "f", "d"]


def test_falsy_items_stay():
    assert interleave([0, ""], [False]) == [0, False, ""]


def test_iterators():
    assert interleave(iter("ab"), (n for n in (1, 2, 3))) == ["a", 1, "b", 2, 3]


def test_round_trips():
    for hands in range(1, 8):
        assert collect(deal("abcdef", hands)) == list("abcdef")


def test_more_hands_than_items():
    assert deal([1], 3) == [[1], [], []]
""",
    ),
    # -------------------------------------------------------------------------- domain rules
    Program(
        name="library_reservations",
        code=r'''"""Lending books and keeping waiting lists."""


class LendingError(Exception):
    """A book cannot be lent or returned as asked."""


class Library:
    """Each title exists once.

    Who wants a title that is out is put on its waiting list.  When it comes
    back, it is lent at once to whoever has been waiting longest.
    """

    def __init__(self, titles):
        self._holder = {title: None for title in titles}
        self._waiting = {title: [] for title in titles}

    def _check(self, title):
        if title not in self._holder:
            raise LendingError(f"no such title: {title}")

    def holder(self, title):
        """Return who has the title, None if it is on the shelf."""
        self._check(title)
        return self._holder[title]

    def request(self, title, reader):
        """Lend a title or put the reader on its waiting list.

        Return the number of readers who are to have it before them.
        """
        self._check(title)
        if reader == self._holder[title] or reader in self._waiting[title]:
            raise LendingError(f"{reader} has asked already")
        if self._holder[title] is None:
            self._holder[title] = reader
            return 0
        self._waiting[title].append(reader)
        return len(self._waiting[title])

    def give_back(self, title, reader):
        """Take a title back; return the reader who gets it next, or None."""
        self._check(title)
        if self._holder[title] != reader:
            raise LendingError(f"{reader} does not have {title}")
        queue = self._waiting[title]
        self._holder[title] = queue.pop() if queue else None
        return self._holder[title]
''',
        wrong="self._holder[title] = queue.pop() if queue else None",
        right="self._holder[title] = queue.pop(0) if queue else None",
        visible=r"""
def test_lend_and_return():
    library = Library(["Emma"])
    assert library.request("Emma", "ann") == 0
    assert library.holder("Emma") == "ann"
    assert library.give_back("Emma", "ann") is None
    assert library.holder("Emma") is None


def test_waiting():
    library = Library(["Emma"])
    library.request("Emma", "ann")
    assert library.request("Emma", "bob") == 1
    assert library.give_back("Emma", "ann") == "bob"


def test_first_come_first_served():
    library = Library(["Emma"])
    library.request("Emma", "ann")
    assert library.request("Emma", "bob") == 1
    assert library.request("Emma", "cy") == 2
    assert library.give_back("Emma", "ann") == "bob"


def test_asking_twice():
    library = Library(["Emma"])
    library.request("Emma", "ann")
    with pytest.raises(LendingError):
        library.request("Emma", "ann")


def test_unknown_title():
    with pytest.raises(LendingError):
        Library([]).request("Emma", "ann")
""",
        hidden=r"""
def test_whole_queue():
    library = Library(["Emma"])
    readers = ["ann", "bob", "cy", "di"]
    places = [library.request("Emma", reader) for reader in readers]
    assert places == [0, 1, 2, 3]
    order = ["ann"]
    while order[-1] is not None:
        order.append(library.give_back("Emma", order[-1]))
    assert order == readers + [None]


def test_going_to_the_end_of_the_queue():
    library = Library(["Emma"])
    for reader in ("ann", "bob", "cy"):
        library.request("Emma", reader)
    library.give_back("Emma", "ann")
    assert library.request("Emma", "ann") == 2
    assert library.give_back("Emma", "bob") == "cy"
    assert library.give_back("Emma", "cy") == "ann"


def test_titles_are_independent():
    library = Library(["Emma", "Ulysses"])
    library.request("Emma", "ann")
    assert library.request("Ulysses", "bob") == 0
    assert library.give_back("Emma", "ann") is None
    assert library.holder("Ulysses") == "bob"


def test_waiting_twice():
    library = Library(["Emma"])
    library.request("Emma", "ann")
    library.request("Emma", "bob")
    with pytest.raises(LendingError):
        library.request("Emma", "bob")


def test_returning_what_one_does_not_have():
    library = Library(["Emma"])
    with pytest.raises(LendingError):
        library.give_back("Emma", "ann")
    library.request("Emma", "ann")
    library.request("Emma", "bob")
    with pytest.raises(LendingError):
        library.give_back("Emma", "bob")
    assert library.holder("Emma") == "ann"


def test_unknown_title_everywhere():
    library = Library(["Emma"])
    with pytest.raises(LendingError):
        library.holder("Ulysses")
    with pytest.raises(LendingError):
        library.give_back("Ulysses", "ann")
""",
    ),
    Program(
        name="darts_countdown_bust",
        code=r'''"""Counting down a leg of darts."""

FACTORS = {"S": 1, "D": 2, "T": 3}


def points(dart):
    """Return the points of a dart such as "T20", "D5", "S1" or "0".

    "S25" is the outer ring of the bull and "D25" the bull itself.
    """
    if dart == "0":
        return 0
    field = int(dart[1:])
    if dart[0] not in FACTORS or not (1 <= field <= 20 or field == 25) or dart == "T25":
        raise ValueError(f"no such field: {dart}")
    return FACTORS[dart[0]] * field


class Leg:
    """A player counts down to exactly zero, with a double as last dart.

    A visit (up to three darts) is a bust if it leaves less than zero or
    exactly one (which no double can finish), or if it gets to zero without a
    double.  A bust ends the visit and restores the score before it.
    """

    def __init__(self, start=501):
        self.left = start
        self.visits = 0

    def visit(self, darts):
        """Score the darts of a visit; return the points left."""
        if self.left == 0:
            raise ValueError("the leg is over")
        if not 1 <= len(darts) <= 3:
            raise ValueError("a visit has one to three darts")
        self.visits += 1
        left = self.left
        for dart in darts:
            left -= points(dart)
            if left < 0 or (left == 0 and dart[0] != "D"):
                return self.left
            if left == 0:
                break
        self.left = left
        return self.left
''',
        wrong='if left < 0 or (left == 0 and dart[0] != "D"):',
        right='if left < 0 or left == 1 or (left == 0 and dart[0] != "D"):',
        visible=r"""
def test_points():
    assert points("T20") == 60
    assert points("D25") == 50
    assert points("0") == 0


def test_counting_down():
    leg = Leg()
    assert leg.visit(["T20", "T20", "T20"]) == 321
    assert leg.visit(["S1", "0", "D10"]) == 300


def test_finish_with_double():
    leg = Leg(40)
    assert leg.visit(["D20"]) == 0


def test_bust():
    leg = Leg(32)
    assert leg.visit(["S16", "S17"]) == 32
    assert leg.visit(["S11", "S20"]) == 32


def test_finish_without_double_is_a_bust():
    leg = Leg(20)
    assert leg.visit(["S20"]) == 20
    assert leg.visits == 1
""",
        hidden=r"""
def test_one_left_is_a_bust():
    leg = Leg(21)
    assert leg.visit(["S20"]) == 21
    assert leg.visit(["T5", "S5"]) == 21


def test_one_left_ends_the_visit():
    leg = Leg(3)
    assert leg.visit(["S2", "S1", "D1"]) == 3


def test_one_left_after_a_double():
    leg = Leg(41)
    assert leg.visit(["D20"]) == 41


def test_two_left_can_be_finished():
    leg = Leg(4)
    assert leg.visit(["S2", "D1"]) == 0
    assert leg.visits == 1


def test_below_zero():
    leg = Leg(10)
    assert leg.visit(["S5", "D3"]) == 10


def test_bad_fields():
    for dart in ("T25", "S21", "X5", "D0"):
        with pytest.raises(ValueError):
            points(dart)


def test_bad_visits():
    leg = Leg(2)
    with pytest.raises(ValueError):
        leg.visit([])
    with pytest.raises(ValueError):
        leg.visit(["0"] * 4)
    leg.visit(["D1"])
    with pytest.raises(ValueError):
        leg.visit(["0"])


def test_darts_after_the_finish_do_not_count():
    leg = Leg(40)
    assert leg.visit(["D20", "S1"]) == 0


def test_bust_keeps_earlier_visits():
    leg = Leg(101)
    assert leg.visit(["T20"]) == 41
    assert leg.visit(["S20", "S20"]) == 41
    assert leg.visit(["S1", "D20"]) == 0
    assert leg.visits == 3
""",
    ),
    Program(
        name="three_for_two_offer",
        code=r'''"""A shop that sells three articles for the price of two."""


class Basket:
    """Articles with prices in cents.

    Articles of a group that is on offer are sorted by price and taken three
    at a time, beginning with the dearest; the cheapest of each three is free.
    Incomplete threes are paid in full.
    """

    def __init__(self, offers=()):
        self._offers = set(offers)
        self._articles = []

    def add(self, name, price, group=None):
        """Put an article into the basket."""
        if price < 0:
            raise ValueError("a price cannot be negative")
        self._articles.append((name, price, group))

    def full_price(self):
        """Return the sum of all prices."""
        return sum(price for _, price, _ in self._articles)

    def discount(self):
        """Return how much the offers save."""
        prices = {}
        for _, price, group in self._articles:
            if group in self._offers:
                prices.setdefault(group, []).append(price)
        saved = 0
        for group_prices in prices.values():
            group_prices.sort()
            saved += sum(group_prices[2::3])
        return saved

    def total(self):
        """Return what has to be paid."""
        return self.full_price() - self.discount()
''',
        wrong="group_prices.sort()",
        right="group_prices.sort(reverse=True)",
        visible=r"""
def test_no_offers():
    basket = Basket()
    basket.add("soap", 300, "bath")
    basket.add("comb", 200)
    assert basket.total() == 500


def test_three_equal():
    basket = Basket(["bath"])
    for _ in range(3):
        basket.add("soap", 300, "bath")
    assert basket.total() == 600


def test_the_cheapest_is_free():
    basket = Basket(["bath"])
    basket.add("soap", 300, "bath")
    basket.add("sponge", 100, "bath")
    basket.add("towel", 900, "bath")
    assert basket.discount() == 100


def test_two_are_not_enough():
    basket = Basket(["bath"])
    basket.add("soap", 300, "bath")
    basket.add("soap", 300, "bath")
    assert basket.discount() == 0


def test_negative_price():
    with pytest.raises(ValueError):
        Basket().add("gift", -1)
""",
        hidden=r"""
def basket_of(prices, group="g"):
    basket = Basket(["g", "h"])
    for price in prices:
        basket.add("thing", price, group)
    return basket


def test_order_of_adding_is_irrelevant():
    for prices in ([1, 2, 3], [3, 1, 2], [2, 3, 1]):
        assert basket_of(prices).discount() == 1


def test_two_threes():
    assert basket_of([10, 20, 30, 40, 50, 60]).discount() == 50


def test_incomplete_three():
    assert basket_of([10, 20, 30, 40]).discount() == 20
    assert basket_of([10, 20, 30, 40, 50]).discount() == 30


def test_groups_are_apart():
    basket = basket_of([10, 20])
    basket.add("x", 5, "h")
    assert basket.discount() == 0
    basket.add("y", 5, "h")
    basket.add("z", 7, "h")
    assert basket.discount() == 5
    assert basket.total() == 42


def test_group_without_offer():
    assert basket_of([10, 20, 30], group="other").discount() == 0


def test_article_without_group():
    assert basket_of([10, 20, 30], group=None).total() == 60


def test_empty():
    basket = Basket(["g"])
    assert basket.total() == 0
    assert basket.discount() == 0


def test_total_twice():
    basket = basket_of([30, 10, 20])
    assert basket.total() == 50
    assert basket.total() == 50
""",
    ),
    Program(
        name="car_park_fees",
        code=r'''"""What parking costs."""

FREE_MINUTES = 15
HOUR_FEE = 250
DAY_FEE = 1800
MINUTES_PER_DAY = 24 * 60


def _part_day_fee(minutes):
    """Return the fee for less than a day, in cents."""
    hours = minutes // 60
    return min(hours * HOUR_FEE, DAY_FEE)


def fee(minutes):
    """Return the fee in cents for parking some whole minutes.

    Up to 15 minutes are free.  Otherwise every hour that was begun is charged
    from the first minute on, but never more than the day fee for any 24
    hours.
    """
    if minutes < 0:
        raise ValueError("time cannot be negative")
    if minutes <= FREE_MINUTES:
        return 0
    days, rest = divmod(minutes, MINUTES_PER_DAY)
    return days * DAY_FEE + _part_day_fee(rest)


def receipt(minutes):
    """Return a line such as "2 h 05 min: 7.50"."""
    hours, rest = divmod(minutes, 60)
    cents = fee(minutes)
    return f"{hours} h {rest:02d} min: {cents // 100}.{cents % 100:02d}"
''',
        wrong="hours = minutes // 60",
        right="hours = (minutes + 59) // 60",
        visible=r"""
def test_short_stay_is_free():
    assert fee(15) == 0


def test_full_hours():
    assert fee(60) == 250
    assert fee(180) == 750


def test_hour_begun():
    assert fee(61) == 500


def test_whole_day():
    assert fee(24 * 60) == 1800


def test_receipt():
    assert receipt(125) == "2 h 05 min: 7.50"
""",
        hidden=r"""
def test_just_over_the_free_time():
    assert fee(16) == 250


def test_free_limits():
    assert fee(0) == 0
    assert fee(1) == 0


def test_negative():
    with pytest.raises(ValueError):
        fee(-1)


def test_end_of_an_hour():
    assert fee(59) == 250
    assert fee(119) == 500
    assert fee(120) == 500
    assert fee(121) == 750


def test_day_fee_is_the_most():
    assert fee(7 * 60) == 1750
    assert fee(7 * 60 + 1) == 1800
    assert fee(20 * 60) == 1800


def test_more_than_a_day():
    assert fee(24 * 60 + 1) == 2050
    assert fee(24 * 60 + 60) == 2050
    assert fee(2 * 24 * 60) == 3600
    assert fee(2 * 24 * 60 + 23 * 60) == 5400


def test_receipts():
    assert receipt(10) == "0 h 10 min: 0.00"
    assert receipt(60) == "1 h 00 min: 2.50"
    assert receipt(1441) == "24 h 01 min: 20.50"
""",
    ),
)
