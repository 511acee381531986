"""Programs of ten kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---------------------------------------------------------------- data structures
    Program(
        name="ring_log",
        code=r'''"""A log of bounded size."""


class RingLog:
    """Keeps the last `capacity` entries that were appended."""

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self._slots = [None] * capacity
        self._next = 0
        self._count = 0

    def __len__(self):
        return self._count

    def __iter__(self):
        """The entries, oldest first."""
        start = self._next - self._count
        for offset in range(self._count):
            yield self._slots[(start + offset) % len(self._slots)]

    def append(self, entry):
        """Add an entry; return the one that had to go for it, or None."""
        dropped = self._slots[self._next]
        self._slots[self._next] = entry
        self._next = (self._next + 1) % len(self._slots)
        self._count = min(self._count + 1, len(self._slots))
        return dropped

    def latest(self, number):
        """The `number` newest entries, newest first; all if there are fewer."""
        number = min(number, len(self._slots))
        return [
            self._slots[(self._next - back) % len(self._slots)]
            for back in range(1, number + 1)
        ]

    def clear(self):
        """Forget every entry."""
        self._slots = [None] * len(self._slots)
        self._next = 0
        self._count = 0
''',
        wrong="number = min(number, len(self._slots))",
        right="number = min(number, self._count)",
        visible=r"""
def test_keeps_the_last_entries():
    log = RingLog(3)
    for entry in "abcde":
        log.append(entry)
    assert list(log) == ["c", "d", "e"]
    assert len(log) == 3


def test_append_tells_what_was_dropped():
    log = RingLog(2)
    assert log.append(1) is None
    assert log.append(2) is None
    assert log.append(3) == 1


def test_latest():
    log = RingLog(4)
    for entry in range(10):
        log.append(entry)
    assert log.latest(2) == [9, 8]


def test_latest_of_a_short_log():
    log = RingLog(4)
    log.append("x")
    log.append("y")
    assert log.latest(3) == ["y", "x"]


def test_capacity_is_checked():
    with pytest.raises(ValueError):
        RingLog(0)
""",
        hidden=r"""
def test_latest_of_an_empty_log():
    assert RingLog(3).latest(2) == []


def test_latest_after_clear():
    log = RingLog(2)
    log.append(1)
    log.append(2)
    log.clear()
    log.append(3)
    assert log.latest(5) == [3]
    assert list(log) == [3]


def test_latest_more_than_capacity():
    log = RingLog(2)
    for entry in range(5):
        log.append(entry)
    assert log.latest(9) == [4, 3]


def test_latest_agrees_with_iteration():
    log = RingLog(5)
    for entry in range(12):
        log.append(entry)
        assert log.latest(99) == list(log)[::-1]
        assert log.latest(0) == []
""",
    ),
    Program(
        name="interval_set",
        code=r'''"""Sets of whole numbers, stored as intervals."""

import bisect


class IntervalSet:
    """A set of whole numbers, kept as half-open intervals [start, end).

    Intervals which overlap or touch are stored as one.
    """

    def __init__(self):
        self._spans = []

    def spans(self):
        """The intervals as (start, end) pairs in rising order."""
        return list(self._spans)

    def add(self, start, end):
        """Add the numbers from start up to, but not including, end."""
        if start >= end:
            raise ValueError("empty interval")
        kept = []
        for low, high in self._spans:
            if high < start or low > end:
                kept.append((low, high))
            else:
                start = min(start, low)
                end = max(end, high)
        bisect.insort(kept, (start, end))
        self._spans = kept

    def remove(self, start, end):
        """Take out the numbers from start up to, but not including, end."""
        kept = []
        for low, high in self._spans:
            if low < start:
                kept.append((low, start))
            if high > end:
                kept.append((max(low, end), high))
        self._spans = kept

    def __contains__(self, number):
        index = bisect.bisect_right(self._spans, (number, float("inf"))) - 1
        return index >= 0 and number < self._spans[index][1]

    def __len__(self):
        return sum(high - low for low, high in self._spans)
''',
        wrong="kept.append((low, start))",
        right="kept.append((low, min(high, start)))",
        visible=r"""
def test_add_merges():
    numbers = IntervalSet()
    numbers.add(10, 20)
    numbers.add(30, 40)
    numbers.add(20, 32)
    assert numbers.spans() == [(10, 40)]


def test_contains():
    numbers = IntervalSet()
    numbers.add(3, 6)
    assert 3 in numbers
    assert 5 in numbers
    assert 6 not in numbers
    assert 2 not in numbers


def test_remove_from_the_middle():
    numbers = IntervalSet()
    numbers.add(0, 10)
    numbers.remove(4, 6)
    assert numbers.spans() == [(0, 4), (6, 10)]
    assert len(numbers) == 8


def test_remove_over_several():
    numbers = IntervalSet()
    numbers.add(0, 5)
    numbers.add(8, 12)
    numbers.add(20, 25)
    numbers.remove(10, 22)
    assert numbers.spans() == [(0, 5), (8, 10), (22, 25)]


def test_empty_interval():
    with pytest.raises(ValueError):
        IntervalSet().add(4, 4)
""",
        hidden=r"""
def test_remove_beyond_everything():
    numbers = IntervalSet()
    numbers.add(1, 3)
    numbers.remove(7, 9)
    assert numbers.spans() == [(1, 3)]


def test_remove_before_everything():
    numbers = IntervalSet()
    numbers.add(5, 8)
    numbers.remove(0, 5)
    assert numbers.spans() == [(5, 8)]


def test_remove_whole():
    numbers = IntervalSet()
    numbers.add(5, 8)
    numbers.remove(5, 8)
    assert numbers.spans() == []
    assert len(numbers) == 0


def test_against_a_plain_set():
    import random
    rng = random.Random(4)
    numbers, plain = IntervalSet(), set()
    for _ in range(150):
        start = rng.randrange(50)
        end = start + rng.randrange(1, 9)
        if rng.random() < 0.5:
            numbers.add(start, end)
            plain |= set(range(start, end))
        else:
            numbers.remove(start, end)
            plain -= set(range(start, end))
        assert len(numbers) == len(plain)
        assert all((n in numbers) == (n in plain) for n in range(60))
""",
    ),
    Program(
        name="task_queue",
        code=r'''"""A queue of tasks with priorities that may change."""

import heapq
import itertools

_CANCELLED = object()


class TaskQueue:
    """Hands out tasks by priority; lowest number first.

    Tasks of equal priority come out in the order in which they were put in.
    Each task is in the queue at most once.
    """

    def __init__(self):
        self._heap = []
        self._entries = {}
        self._counter = itertools.count()

    def __len__(self):
        return len(self._entries)

    def __contains__(self, task):
        return task in self._entries

    def push(self, task, priority=0):
        """Queue a task; one that is queued already gets the new priority."""
        if task in self._entries:
            self.cancel(task)
        entry = [priority, next(self._counter), task]
        self._entries[task] = entry
        heapq.heappush(self._heap, entry)

    def cancel(self, task):
        """Take a task out of the queue; KeyError if it is not there."""
        entry = self._entries.pop(task)
        entry[-1] = _CANCELLED

    def pop(self):
        """Take out the next task and return it; IndexError if there is none."""
        while self._heap:
            _, _, task = heapq.heappop(self._heap)
            if task is not _CANCELLED:
                return task
        raise IndexError("pop from an empty queue")
''',
        wrong="                return task\n",
        right="                del self._entries[task]\n                return task\n",
        visible=r"""
def test_order_by_priority():
    queue = TaskQueue()
    queue.push("later", 5)
    queue.push("now", 1)
    queue.push("soon", 3)
    assert [queue.pop() for _ in range(3)] == ["now", "soon", "later"]


def test_equal_priorities_in_order_of_arrival():
    queue = TaskQueue()
    for task in ["b", "a", "c"]:
        queue.push(task)
    assert [queue.pop() for _ in range(3)] == ["b", "a", "c"]


def test_changed_priority():
    queue = TaskQueue()
    queue.push("x", 1)
    queue.push("y", 2)
    queue.push("x", 3)
    assert len(queue) == 2
    assert queue.pop() == "y"


def test_drain():
    queue = TaskQueue()
    queue.push("x")
    queue.push("y")
    done = []
    while len(queue) > 0:
        done.append(queue.pop())
    assert done == ["x", "y"]


def test_cancel():
    queue = TaskQueue()
    queue.push("x")
    queue.cancel("x")
    assert "x" not in queue
    with pytest.raises(IndexError):
        queue.pop()
""",
        hidden=r"""
def test_popped_task_is_not_in_the_queue():
    queue = TaskQueue()
    queue.push("x")
    queue.push("y")
    assert queue.pop() == "x"
    assert "x" not in queue
    assert "y" in queue
    assert len(queue) == 1


def test_popped_task_cannot_be_cancelled():
    queue = TaskQueue()
    queue.push("x")
    queue.pop()
    with pytest.raises(KeyError):
        queue.cancel("x")


def test_push_again_after_pop():
    queue = TaskQueue()
    queue.push("x", 1)
    queue.pop()
    queue.push("x", 2)
    assert len(queue) == 1
    assert queue.pop() == "x"
    assert len(queue) == 0
""",
    ),
    Program(
        name="linked_playlist",
        code=r'''"""A playlist as a linked list."""


class _Node:
    def __init__(self, title):
        self.title = title
        self.next = None


class Playlist:
    """Titles in playing order; a title may occur more than once."""

    def __init__(self, titles=()):
        self._head = None
        self._tail = None
        for title in titles:
            self.append(title)

    def __iter__(self):
        node = self._head
        while node is not None:
            yield node.title
            node = node.next

    def append(self, title):
        """Put a title at the end."""
        node = _Node(title)
        if self._tail is None:
            self._head = node
        else:
            self._tail.next = node
        self._tail = node

    def play_next(self, title):
        """Put a title at the front."""
        node = _Node(title)
        node.next = self._head
        self._head = node
        if self._tail is None:
            self._tail = node

    def remove(self, title):
        """Take out the first occurrence of a title; tell whether there was one."""
        previous, node = None, self._head
        while node is not None and node.title != title:
            previous, node = node, node.next
        if node is None:
            return False
        if previous is None:
            self._head = node.next
        else:
            previous.next = node.next
        if node is self._tail:
            self._tail = node.next
        return True
''',
        wrong="self._tail = node.next",
        right="self._tail = previous",
        visible=r"""
def test_append_and_play_next():
    songs = Playlist(["one", "two"])
    songs.append("three")
    songs.play_next("zero")
    assert list(songs) == ["zero", "one", "two", "three"]


def test_play_next_on_empty_list():
    songs = Playlist()
    songs.play_next("a")
    songs.append("b")
    assert list(songs) == ["a", "b"]


def test_remove_from_the_middle():
    songs = Playlist(["a", "b", "c", "b"])
    assert songs.remove("b") is True
    assert list(songs) == ["a", "c", "b"]


def test_remove_missing():
    songs = Playlist(["a"])
    assert songs.remove("x") is False
    assert list(songs) == ["a"]


def test_append_after_remove():
    songs = Playlist(["a", "b", "c"])
    songs.remove("c")
    songs.append("d")
    assert list(songs) == ["a", "b", "d"]
""",
        hidden=r"""
def test_remove_the_only_title():
    songs = Playlist(["a"])
    assert songs.remove("a") is True
    assert list(songs) == []
    songs.append("b")
    songs.append("c")
    assert list(songs) == ["b", "c"]


def test_remove_last_twice():
    songs = Playlist(["a", "b", "c"])
    songs.remove("c")
    songs.remove("b")
    songs.append("x")
    songs.append("y")
    assert list(songs) == ["a", "x", "y"]


def test_remove_first_then_append():
    songs = Playlist(["a", "b"])
    songs.remove("a")
    songs.append("c")
    assert list(songs) == ["b", "c"]


def test_remove_last_then_play_next():
    songs = Playlist(["a", "b"])
    songs.remove("b")
    songs.play_next("z")
    songs.append("e")
    assert list(songs) == ["z", "a", "e"]
""",
    ),
    # ---------------------------------------------------------------- recursion
    Program(
        name="flatten_settings",
        code=r'''"""Nested settings as flat ones, and back."""


def _children(node):
    """The (key, child) pairs of a dict or list."""
    if isinstance(node, dict):
        return list(node.items())
    return list(enumerate(node))


def flatten(settings, prefix=""):
    """Turn nested dicts and lists into one dict with dotted keys.

    {"db": {"host": "x", "ports": [1, 2]}} becomes
    {"db.host": "x", "db.ports.0": 1, "db.ports.1": 2}.
    Empty dicts and lists are kept as values.
    """
    flat = {}
    for key, value in _children(settings):
        path = f"{prefix}.{key}" if prefix else str(key)
        if isinstance(value, (dict, list)) and value:
            flat.update(flatten(value, key))
        else:
            flat[path] = value
    return flat


def unflatten(flat):
    """Turn dotted keys into nested dicts (numbers stay keys of dicts)."""
    nested = {}
    for path, value in flat.items():
        *parents, last = path.split(".")
        node = nested
        for part in parents:
            node = node.setdefault(part, {})
        node[last] = value
    return nested
''',
        wrong="flatten(value, key)",
        right="flatten(value, path)",
        visible=r"""
def test_flat_stays_flat():
    assert flatten({"a": 1, "b": "x"}) == {"a": 1, "b": "x"}


def test_two_levels():
    assert flatten({"db": {"host": "x", "port": 1}}) == {"db.host": "x", "db.port": 1}


def test_list_inside():
    settings = {"db": {"host": "x", "ports": [1, 2]}}
    assert flatten(settings) == {"db.host": "x", "db.ports.0": 1, "db.ports.1": 2}


def test_empty_values_are_kept():
    assert flatten({"a": {}, "b": []}) == {"a": {}, "b": []}


def test_unflatten():
    assert unflatten({"a.b": 1, "a.c.d": 2, "e": 3}) == {"a": {"b": 1, "c": {"d": 2}}, "e": 3}
""",
        hidden=r"""
def test_deep():
    assert flatten({"a": {"b": {"c": {"d": 1}}}}) == {"a.b.c.d": 1}


def test_same_inner_names():
    settings = {"test": {"db": {"name": "t"}}, "live": {"db": {"name": "l"}}}
    assert flatten(settings) == {"test.db.name": "t", "live.db.name": "l"}


def test_list_of_dicts():
    assert flatten({"users": [{"id": 1}, {"id": 2}]}) == {"users.0.id": 1, "users.1.id": 2}


def test_round_trip():
    settings = {"a": {"b": {"c": 1, "d": []}, "e": 2}, "f": {"b": {"c": 3}}}
    assert unflatten(flatten(settings)) == settings
""",
    ),
    Program(
        name="number_partitions",
        code=r'''"""Ways to write a number as a sum."""


def partitions(total, largest=None):
    """All ways to write `total` as a sum of positive whole numbers.

    Each way is a list in falling order with no part above `largest` (if
    given). Ways with a larger first part come first. Zero has one way, the
    empty list.
    """
    if largest is None:
        largest = total
    if total == 0:
        return [[]]
    ways = []
    for first in range(min(total, largest), 0, -1):
        for rest in partitions(total - first, first):
            ways.append([first] + rest)
    return ways


def distinct_partitions(total, largest=None):
    """As `partitions`, but no part may be used twice."""
    largest = largest or total
    if total == 0:
        return [[]]
    ways = []
    for first in range(min(total, largest), 0, -1):
        for rest in distinct_partitions(total - first, first - 1):
            ways.append([first] + rest)
    return ways


def as_text(way):
    """A way as text, such as '3 + 1 + 1'; the empty way is '0'."""
    return " + ".join(str(part) for part in way) or "0"
''',
        wrong="largest = largest or total",
        right="largest = total if largest is None else largest",
        visible=r"""
def test_partitions_of_four():
    assert partitions(4) == [[4], [3, 1], [2, 2], [2, 1, 1], [1, 1, 1, 1]]


def test_largest_part():
    assert partitions(4, 2) == [[2, 2], [2, 1, 1], [1, 1, 1, 1]]


def test_zero():
    assert partitions(0) == [[]]
    assert distinct_partitions(0) == [[]]


def test_distinct():
    assert distinct_partitions(5) == [[5], [4, 1], [3, 2]]


def test_text():
    assert as_text([3, 1, 1]) == "3 + 1 + 1"
    assert as_text([]) == "0"
""",
        hidden=r"""
def test_distinct_of_two():
    assert distinct_partitions(2) == [[2]]


def test_distinct_counts():
    assert [len(distinct_partitions(n)) for n in range(11)] == [1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 10]


def test_distinct_with_largest():
    assert distinct_partitions(6, 3) == [[3, 2, 1]]
    assert distinct_partitions(7, 3) == []
    assert distinct_partitions(3, 0) == []


def test_partition_counts():
    assert [len(partitions(n)) for n in range(9)] == [1, 1, 2, 3, 5, 7, 11, 15, 22]
""",
    ),
    Program(
        name="folder_tree",
        code=r'''"""Questions about a tree of folders.

A folder is a dict from names to folders or to file sizes (numbers).
"""


def total_size(folder):
    """The size of all files in the folder and below."""
    return sum(
        total_size(node) if isinstance(node, dict) else node
        for node in folder.values()
    )


def largest_file(folder):
    """Path and size of the largest file in the folder and below.

    Of several equally large ones it is the first in the order of the
    listing. None if there is no file at all.
    """
    best = None
    for name, node in folder.items():
        if isinstance(node, dict):
            found = largest_file(node)
            if found is None:
                return best
            path, size = f"{name}/{found[0]}", found[1]
        else:
            path, size = name, node
        if best is None or size > best[1]:
            best = (path, size)
    return best


def without_empty(folder):
    """A copy of the tree without the folders that have no file in or below."""
    kept = {}
    for name, node in folder.items():
        if isinstance(node, dict):
            node = without_empty(node)
            if not node:
                continue
        kept[name] = node
    return kept
''',
        wrong="                return best\n",
        right="                continue\n",
        visible=r"""
TREE = {
    "a.txt": 10,
    "src": {"main.py": 50, "util": {"io.py": 70}},
    "docs": {"readme": 20},
}


def test_total_size():
    assert total_size(TREE) == 150
    assert total_size({}) == 0


def test_largest_file():
    assert largest_file(TREE) == ("src/util/io.py", 70)


def test_no_file():
    assert largest_file({}) is None
    assert largest_file({"a": {"b": {}}}) is None


def test_largest_file_with_empty_folder():
    assert largest_file({"a": 1, "tmp": {}, "b": 2}) == ("b", 2)


def test_without_empty():
    assert without_empty({"a": {"b": {}}, "c": {"d": 1, "e": {}}}) == {"c": {"d": 1}}
""",
        hidden=r"""
def test_empty_folder_first():
    assert largest_file({"tmp": {}, "x": 3}) == ("x", 3)


def test_empty_folder_deep():
    tree = {"p": {"q": {}, "r": {"s": 9}}, "t": {"u": 4}}
    assert largest_file(tree) == ("p/r/s", 9)


def test_first_of_equals():
    assert largest_file({"a": {"x": 5}, "b": 5, "c": {}}) == ("a/x", 5)


def test_pruning_does_not_change_the_answer():
    tree = {"a": {}, "b": {"c": {}, "d": 0}, "e": {"f": {"g": {}}}, "h": 1}
    assert largest_file(tree) == largest_file(without_empty(tree)) == ("h", 1)
""",
    ),
    Program(
        name="seating_plans",
        code=r'''"""Seating plans for one side of a table."""


def seating_plans(guests, apart=()):
    """Every order in which the guests can sit in a row.

    `apart` has pairs of guests who must not sit next to each other. The
    orders are listed as if sorted by the position of the guests in `guests`.
    """
    banned = {frozenset(pair) for pair in apart}
    plans = []

    def extend(row, waiting):
        if not waiting:
            plans.append(row)
            return
        for guest in waiting:
            if row and frozenset((row[-1], guest)) in banned:
                continue
            row.append(guest)
            extend(row, [other for other in waiting if other != guest])
            row.pop()

    extend([], list(guests))
    return plans


def possible(guests, apart=()):
    """Whether there is any seating plan."""
    return bool(seating_plans(guests, apart))


def neighbours(plan, guest):
    """The guests on the left and on the right, None where there is nobody."""
    place = plan.index(guest)
    left = plan[place - 1] if place > 0 else None
    right = plan[place + 1] if place + 1 < len(plan) else None
    return left, right
''',
        wrong="plans.append(row)",
        right="plans.append(list(row))",
        visible=r"""
def test_number_of_plans():
    assert len(seating_plans(["Ann", "Bob", "Cem", "Dee"])) == 24


def test_plans_of_three():
    assert seating_plans("abc", [("a", "b")]) == [["a", "c", "b"], ["b", "c", "a"]]


def test_possible():
    assert possible(["Ann", "Bob"])
    assert not possible(["Ann", "Bob"], [("Bob", "Ann")])


def test_neighbours():
    assert neighbours(["x", "y", "z"], "y") == ("x", "z")
    assert neighbours(["x", "y", "z"], "x") == (None, "y")
    assert neighbours(["x", "y", "z"], "z") == ("y", None)
""",
        hidden=r"""
def test_single_guest():
    assert seating_plans(["Ann"]) == [["Ann"]]


def test_order_of_plans():
    assert seating_plans(["b", "a"]) == [["b", "a"], ["a", "b"]]


def test_like_permutations():
    from itertools import permutations
    assert seating_plans([1, 2, 3, 4]) == [list(p) for p in permutations([1, 2, 3, 4])]


def test_plans_are_independent():
    plans = seating_plans("xy")
    plans[0].append("z")
    assert plans[1] == ["y", "x"]


def test_nobody():
    assert seating_plans([]) == [[]]
""",
    ),
    # ---------------------------------------------------------------- strings and parsing
    Program(
        name="delimited_fields",
        code=r'''"""Lines of fields with a separator between them."""


def split_fields(line, separator=","):
    """The fields of a line.

    In double quotes separators are plain text, and a doubled quote stands
    for one. ValueError if a quote is left open.
    """
    fields, current, quoted = [], "", False
    index = 0
    while index < len(line):
        char = line[index]
        if quoted and line.startswith('""', index):
            current += '"'
            index += 1
        elif char == '"':
            quoted = not quoted
        elif char == separator and not quoted:
            fields.append(current)
            current = ""
        else:
            current += char
        index += 1
    if quoted:
        raise ValueError("open quote")
    fields.append(current)
    return fields


def quote_field(field, separator=","):
    """The field as it must stand in a line, in quotes only if needed."""
    if separator in field or '"' in field:
        return '"' + field.replace('"', '""') + '"'
    return field


def join_fields(fields, separator=","):
    """The line from which `split_fields` gets these fields."""
    return separator.join(quote_field(field) for field in fields)
''',
        wrong="quote_field(field) for",
        right="quote_field(field, separator) for",
        visible=r'''
def test_split():
    assert split_fields("a,b,,c") == ["a", "b", "", "c"]
    assert split_fields("a;b,c", ";") == ["a", "b,c"]


def test_split_quoted():
    assert split_fields('x,"1,5","say ""hi"""') == ["x", "1,5", 'say "hi"']


def test_open_quote():
    with pytest.raises(ValueError):
        split_fields('a,"b')


def test_join():
    assert join_fields(["a", "b,c", 'd"e']) == 'a,"b,c","d""e"'


def test_join_with_other_separator():
    assert join_fields(["a", "b;c", "d"], ";") == 'a;"b;c";d'
''',
        hidden=r"""
def test_quotes_only_if_needed():
    assert join_fields(["1,5", "2"], ";") == "1,5;2"


def test_round_trip():
    fields = ["a|b", 'c"d', "", "e,f", "||"]
    for separator in "|,;\t":
        assert split_fields(join_fields(fields, separator), separator) == fields


def test_tab_separated():
    assert join_fields(["x\ty", "z"], "\t") == '"x\ty"\tz'


def test_default_separator():
    assert join_fields(["a;b", "c,d"]) == 'a;b,"c,d"'
""",
    ),
    Program(
        name="mail_headers",
        code=r'''"""Header blocks as in mail messages."""


def parse_headers(text):
    """Read the headers at the beginning of a message.

    Gives a dict from names in lower case to values. The headers end at the
    first blank line; what follows is the body and is not looked at. A line
    that begins with a space or a tab continues the value before it, with
    one space between. Values of repeated headers are joined with ", ".
    ValueError for any other line without a colon.
    """
    headers = {}
    name = None
    for line in text.splitlines():
        if not line.strip():
            continue
        if line[0] in " \t":
            if name is None:
                raise ValueError("nothing to continue")
            headers[name] += " " + line.strip()
            continue
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError(f"not a header: {line!r}")
        name, value = name.strip().lower(), value.strip()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def parse_parameters(value):
    """Split 'text/html; charset="utf-8"' into ('text/html', {'charset': 'utf-8'})."""
    kind, *rest = value.split(";")
    parameters = {}
    for part in rest:
        key, _, setting = part.partition("=")
        parameters[key.strip().lower()] = setting.strip().strip('"')
    return kind.strip(), parameters
''',
        wrong="        if not line.strip():\n            continue\n",
        right="        if not line.strip():\n            break\n",
        visible=r"""
def test_simple_headers():
    assert parse_headers("From: ann\nTo: bob\n") == {"from": "ann", "to": "bob"}


def test_continued_and_repeated():
    text = "Subject: a long\n  subject\nX-Tag: one\nx-tag: two\n"
    assert parse_headers(text) == {"subject": "a long subject", "x-tag": "one, two"}


def test_value_with_colon():
    assert parse_headers("Host: localhost:8080") == {"host": "localhost:8080"}


def test_message_with_body():
    text = "Subject: lunch\n\nAt noon: pizza\nBring money\n"
    assert parse_headers(text) == {"subject": "lunch"}


def test_not_a_header():
    with pytest.raises(ValueError):
        parse_headers("hello")


def test_parameters():
    assert parse_parameters('text/html; Charset="utf-8"') == ("text/html", {"charset": "utf-8"})
""",
        hidden=r"""
def test_body_like_a_header():
    assert parse_headers("A: 1\n\nA: 2\n") == {"a": "1"}


def test_blank_line_with_spaces():
    assert parse_headers("A: 1\n  \n more\n") == {"a": "1"}


def test_no_headers():
    assert parse_headers("\nbody only\n") == {}
    assert parse_headers("") == {}


def test_headers_only():
    assert parse_headers("A: 1\nB:\n") == {"a": "1", "b": ""}
""",
    ),
    Program(
        name="duration_text",
        code=r'''"""Durations as text such as '1h 30m'."""

UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}


def parse_duration(text):
    """The number of seconds in a text such as '2d 4h', '90m' or '1h30m'.

    Larger units come before smaller ones and every unit at most once.
    Spaces do not matter. ValueError for anything else.
    """
    seconds = 0
    digits = ""
    previous = None
    for char in text.replace(" ", ""):
        if char in "0123456789":
            digits += char
            continue
        if char not in UNITS or not digits:
            raise ValueError(f"bad duration: {text!r}")
        size = UNITS[char]
        if previous is not None and size > previous:
            raise ValueError(f"units out of order: {text!r}")
        seconds += int(digits) * size
        previous = size
        digits = ""
    if digits or previous is None:
        raise ValueError(f"bad duration: {text!r}")
    return seconds


def format_duration(seconds):
    """The shortest text for a number of seconds; '0s' for none."""
    parts = []
    for unit, size in UNITS.items():
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0s"
''',
        wrong="size > previous",
        right="size >= previous",
        visible=r"""
def test_parse():
    assert parse_duration("1h30m") == 5400
    assert parse_duration("2d 4h") == 187200
    assert parse_duration("90m") == 5400


def test_bad_texts():
    for text in ["", "h", "10", "5x", "1h 5"]:
        with pytest.raises(ValueError):
            parse_duration(text)


def test_order_of_units():
    with pytest.raises(ValueError):
        parse_duration("5m 1h")


def test_repeated_unit():
    with pytest.raises(ValueError):
        parse_duration("1h 2h")


def test_format():
    assert format_duration(5400) == "1h 30m"
    assert format_duration(86401) == "1d 1s"
    assert format_duration(0) == "0s"
""",
        hidden=r"""
def test_every_unit_only_once():
    for unit in "dhms":
        with pytest.raises(ValueError):
            parse_duration(f"1{unit}1{unit}")


def test_repeated_after_others():
    with pytest.raises(ValueError):
        parse_duration("1d 2h 3m 4m 5s")


def test_all_units():
    assert parse_duration("1d 1h 1m 1s") == 90061


def test_round_trip():
    for seconds in [0, 1, 59, 60, 61, 3599, 3600, 86399, 86400, 1000000]:
        assert parse_duration(format_duration(seconds)) == seconds
""",
    ),
    Program(
        name="expand_variables",
        code=r'''"""Variables in text, in the manner of the shell."""

import re

_REFERENCE = re.compile(
    r"\$(?:(\$)|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::-([^}]*))?\})"
)


def expand(text, variables):
    """Replace the references to variables in a text.

    $NAME and ${NAME} stand for the value of a variable, and it is a KeyError
    if there is no such variable. ${NAME:-fallback} stands for the fallback,
    which may be empty, if the variable is not set or is empty. $$ stands for
    a dollar sign.
    """

    def value_of(match):
        dollar, plain, braced, fallback = match.groups()
        if dollar:
            return "$"
        name = plain or braced
        value = variables.get(name)
        if not value and fallback:
            return fallback
        if value is None:
            raise KeyError(name)
        return value

    return _REFERENCE.sub(value_of, text)


def names_in(text):
    """The names of the variables in a text, sorted and each once."""
    names = set()
    for match in _REFERENCE.finditer(text):
        if not match.group(1):
            names.add(match.group(2) or match.group(3))
    return sorted(names)
''',
        wrong="if not value and fallback:",
        right="if not value and fallback is not None:",
        visible=r"""
def test_plain_and_braced():
    assert expand("$a-${b}c", {"a": "1", "b": "2"}) == "1-2c"


def test_dollar():
    assert expand("$$5 for $who", {"who": "me"}) == "$5 for me"


def test_unknown():
    with pytest.raises(KeyError):
        expand("$nobody", {})


def test_fallback():
    assert expand("${port:-80}", {}) == "80"
    assert expand("${port:-80}", {"port": ""}) == "80"
    assert expand("${port:-80}", {"port": "8080"}) == "8080"


def test_empty_fallback():
    assert expand("ls ${options:-} .", {}) == "ls  ."


def test_names():
    assert names_in("$b ${a:-x} $$c $b") == ["a", "b"]
""",
        hidden=r"""
def test_empty_fallback_and_empty_value():
    assert expand("[${x:-}]", {"x": ""}) == "[]"
    assert expand("[${x:-}]", {"x": "y"}) == "[y]"


def test_empty_value_without_fallback():
    assert expand("[$x][${x}]", {"x": ""}) == "[][]"


def test_braced_unknown():
    with pytest.raises(KeyError):
        expand("${x}", {"y": "1"})


def test_several_with_empty_fallbacks():
    assert expand("${a:-}${b:-2}${c:-}", {"c": "3"}) == "23"
""",
    ),
    # ---------------------------------------------------------------- arithmetic and money
    Program(
        name="split_costs",
        code=r'''"""Sharing costs without losing a cent."""


def split_evenly(cents, people):
    """Equal shares as far as possible; the larger ones come first."""
    if people < 1:
        raise ValueError("nobody to pay")
    share, extra = divmod(cents, people)
    return [share + 1] * extra + [share] * (people - extra)


def split_by_weight(cents, weights):
    """Shares in proportion to the weights, which add up exactly.

    Every share is rounded down at first. The cents that are left go one by
    one to those who lost most by rounding, the earlier one on a tie.
    """
    total = sum(weights)
    if total <= 0:
        raise ValueError("weights must have a positive sum")
    shares = [cents * weight // total for weight in weights]
    lost = [cents * weight % total for weight in weights]
    left = cents - sum(shares)
    order = sorted(range(len(weights)), key=lambda index: lost[index])
    for index in order[:left]:
        shares[index] += 1
    return shares


def as_euros(cents):
    """Cents as text such as '12.05'."""
    sign = "-" if cents < 0 else ""
    euros, rest = divmod(abs(cents), 100)
    return f"{sign}{euros}.{rest:02d}"
''',
        wrong="key=lambda index: lost[index])",
        right="key=lambda index: -lost[index])",
        visible=r"""
def test_evenly():
    assert split_evenly(1000, 3) == [334, 333, 333]
    assert split_evenly(5, 5) == [1, 1, 1, 1, 1]


def test_weights_without_rest():
    assert split_by_weight(600, [1, 2, 3]) == [100, 200, 300]


def test_weights_with_rest():
    assert split_by_weight(100, [1, 5]) == [17, 83]
    assert split_by_weight(100, [5, 3, 1]) == [56, 33, 11]


def test_tie_goes_to_the_first():
    assert split_by_weight(100, [1, 1, 1]) == [34, 33, 33]


def test_no_weight():
    with pytest.raises(ValueError):
        split_by_weight(100, [0, 0])


def test_euros():
    assert as_euros(1205) == "12.05"
    assert as_euros(-50) == "-0.50"
""",
        hidden=r"""
def test_one_cent_left():
    assert split_by_weight(10, [3, 3, 1]) == [4, 4, 2]
    assert split_by_weight(11, [3, 3, 2]) == [4, 4, 3]


def test_zero_weight_gets_nothing():
    assert split_by_weight(101, [0, 1, 1]) == [0, 51, 50]


def test_largest_loss_comes_first():
    assert split_by_weight(10, [4, 4, 9]) == [3, 2, 5]
    assert split_by_weight(1, [1, 1, 2]) == [0, 0, 1]


def test_sum_is_exact_and_shares_are_near():
    for cents in range(0, 60, 7):
        for weights in ([1, 2, 4], [7, 1, 1, 3], [2, 9]):
            shares = split_by_weight(cents, weights)
            assert sum(shares) == cents
            for share, weight in zip(shares, weights):
                assert abs(share - cents * weight / sum(weights)) < 1
""",
    ),
    Program(
        name="loan_payments",
        code=r'''"""Paying back a loan."""

from collections import namedtuple
from decimal import ROUND_HALF_UP, Decimal

Row = namedtuple("Row", "month interest paid balance")


def monthly_interest(balance, percent):
    """Interest in cents for one month at a yearly percentage, rounded half up."""
    exact = Decimal(balance) * Decimal(percent) / 1200
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def payment_plan(balance, percent, payment):
    """The rows of the plan until the loan is paid back; amounts in cents.

    Each month the interest is added, and then `payment` is paid. The last
    payment is smaller if less is owed by then, and clears the loan together
    with that month's interest. ValueError if the payment does not cover the
    interest of the first month, so that the loan would never end.
    """
    if balance > 0 and payment <= monthly_interest(balance, percent):
        raise ValueError("payment too small")
    rows = []
    while balance > 0:
        interest = monthly_interest(balance, percent)
        paid = min(payment, balance)
        balance += interest - paid
        rows.append(Row(len(rows) + 1, interest, paid, balance))
    return rows


def cost_of_loan(balance, percent, payment):
    """How much more is paid than was lent."""
    return sum(row.interest for row in payment_plan(balance, percent, payment))
''',
        wrong="paid = min(payment, balance)",
        right="paid = min(payment, balance + interest)",
        visible=r"""
def test_interest():
    assert monthly_interest(120000, 6) == 600
    assert monthly_interest(100, 6) == 1


def test_plan_without_interest():
    rows = payment_plan(1000, 0, 400)
    assert [row.paid for row in rows] == [400, 400, 200]
    assert [row.balance for row in rows] == [600, 200, 0]


def test_first_month():
    first = payment_plan(120000, 6, 10600)[0]
    assert first == Row(1, 600, 10600, 110000)


def test_last_payment_clears_the_loan():
    rows = payment_plan(10000, 12, 6000)
    assert rows == [Row(1, 100, 6000, 4100), Row(2, 41, 4141, 0)]


def test_too_small_payment():
    with pytest.raises(ValueError):
        payment_plan(120000, 6, 600)
""",
        hidden=r"""
def test_single_payment():
    assert payment_plan(5000, 12, 9000) == [Row(1, 50, 5050, 0)]


def test_payment_just_enough():
    assert payment_plan(10000, 12, 10100) == [Row(1, 100, 10100, 0)]


def test_payment_between_balance_and_debt():
    rows = payment_plan(10000, 12, 10050)
    assert [row.paid for row in rows] == [10050, 51]
    assert rows[-1].balance == 0


def test_paid_is_lent_plus_cost():
    for payment in (3000, 7777, 20000):
        rows = payment_plan(50000, 9, payment)
        assert sum(row.paid for row in rows) == 50000 + cost_of_loan(50000, 9, payment)
        assert all(row.paid == payment for row in rows[:-1])
        assert 0 < rows[-1].paid <= payment


def test_nothing_owed():
    assert payment_plan(0, 5, 100) == []
""",
    ),
    Program(
        name="price_tiers",
        code=r'''"""Prices which fall with the quantity."""

import bisect


class PriceList:
    """Prices per unit by quantity ordered.

    The price of the tier that the quantity reaches holds for all units of
    the order, not only for those above the start of the tier.
    """

    def __init__(self, tiers):
        """`tiers` has pairs (smallest quantity, price per unit in cents)."""
        self._tiers = sorted(tiers)
        self._starts = [start for start, _ in self._tiers]
        if not self._starts or self._starts[0] != 1:
            raise ValueError("the first tier must start at 1")

    def unit_price(self, quantity):
        """The price of one unit if `quantity` units are ordered."""
        if quantity < 1:
            raise ValueError("quantity must be at least 1")
        index = bisect.bisect_right(self._starts, quantity) - 1
        return self._tiers[index][1]

    def total(self, quantity):
        """The price of an order."""
        return quantity * self.unit_price(quantity)

    def best_quantity(self, needed):
        """How many units to order if `needed` units are needed.

        It can be cheaper to order more than is needed, so as to reach a
        higher tier. Of equally cheap orders the smallest is best.
        """
        choices = [needed]
        choices.extend(start for start in self._starts if start > needed)
        return min(choices, key=self.unit_price)
''',
        wrong="key=self.unit_price)",
        right="key=self.total)",
        visible=r"""
TIERS = [(1, 100), (10, 80), (100, 50)]


def test_unit_price():
    prices = PriceList(TIERS)
    assert prices.unit_price(1) == 100
    assert prices.unit_price(9) == 100
    assert prices.unit_price(10) == 80
    assert prices.unit_price(500) == 50


def test_total():
    assert PriceList(TIERS).total(12) == 960


def test_order_more_to_pay_less():
    assert PriceList(TIERS).best_quantity(9) == 10


def test_order_what_is_needed():
    prices = PriceList(TIERS)
    assert prices.best_quantity(3) == 3
    assert prices.best_quantity(200) == 200


def test_bad_lists():
    with pytest.raises(ValueError):
        PriceList([])
    with pytest.raises(ValueError):
        PriceList([(5, 10)])
""",
        hidden=r"""
def test_smallest_on_a_tie():
    assert PriceList([(1, 100), (10, 80)]).best_quantity(8) == 8


def test_skips_a_tier():
    prices = PriceList([(1, 100), (5, 95), (6, 10)])
    assert prices.best_quantity(2) == 6


def test_second_tier():
    prices = PriceList([(1, 100), (10, 80), (100, 50)])
    assert prices.best_quantity(11) == 11
    assert prices.best_quantity(63) == 100
    assert prices.best_quantity(62) == 62


def test_single_tier():
    assert PriceList([(1, 7)]).best_quantity(4) == 4


def test_never_dearer():
    prices = PriceList([(1, 90), (4, 70), (20, 65), (50, 30)])
    for needed in range(1, 80):
        best = prices.best_quantity(needed)
        assert best >= needed
        assert prices.total(best) == min(prices.total(n) for n in range(needed, 120))
""",
    ),
    Program(
        name="invoice_tax",
        code=r'''"""Totals of invoices."""

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
FIVE_CENTS = Decimal("0.05")


def to_cents(amount):
    """Round to cents; half a cent is rounded up."""
    return amount.quantize(CENT)


def to_cash(amount):
    """Round to the nearest multiple of five cents, halves up."""
    steps = (amount / FIVE_CENTS).quantize(Decimal(1), rounding=ROUND_HALF_UP)
    return steps * FIVE_CENTS


def invoice(lines, discount=0):
    """Totals of an invoice.

    `lines` has triples (quantity, price of one, tax in percent). The discount
    in percent is taken off before tax. Net amount and tax are rounded to
    cents once for each tax rate, not for each line.
    """
    nets = {}
    for quantity, price, percent in lines:
        nets[percent] = nets.get(percent, 0) + quantity * Decimal(price)
    net_total = tax_total = Decimal(0)
    for percent, amount in nets.items():
        net = to_cents(amount * (100 - discount) / 100)
        net_total += net
        tax_total += to_cents(net * percent / 100)
    total = net_total + tax_total
    return {
        "net": net_total,
        "tax": tax_total,
        "total": total,
        "cash": to_cash(total),
    }
''',
        wrong="amount.quantize(CENT)",
        right="amount.quantize(CENT, rounding=ROUND_HALF_UP)",
        visible=r"""
def test_one_line():
    result = invoice([(3, "10.00", 20)])
    assert result["net"] == Decimal("30.00")
    assert result["tax"] == Decimal("6.00")
    assert result["total"] == Decimal("36.00")


def test_tax_is_rounded_once_for_each_rate():
    result = invoice([(1, "0.33", 10), (1, "0.33", 10)])
    assert result["tax"] == Decimal("0.07")


def test_discount():
    result = invoice([(2, "50.00", 10), (1, "100.00", 20)], discount=5)
    assert result["net"] == Decimal("190.00")
    assert result["tax"] == Decimal("28.50")


def test_half_cent():
    assert invoice([(1, "1.25", 10)])["tax"] == Decimal("0.13")


def test_cash():
    assert to_cash(Decimal("7.12")) == Decimal("7.10")
    assert to_cash(Decimal("7.13")) == Decimal("7.15")
""",
        hidden=r"""
def test_half_cents_in_general():
    for cents in range(20):
        exact = Decimal(cents) / 100 + Decimal("0.005")
        assert to_cents(exact) == Decimal(cents + 1) / 100


def test_near_halves():
    assert to_cents(Decimal("0.1249")) == Decimal("0.12")
    assert to_cents(Decimal("0.1251")) == Decimal("0.13")


def test_half_cent_in_the_net():
    result = invoice([(1, "0.25", 0)], discount=50)
    assert result["net"] == Decimal("0.13")


def test_empty_invoice():
    assert invoice([])["total"] == 0
""",
    ),
    # ---------------------------------------------------------------- graphs and grids
    Program(
        name="map_regions",
        code=r'''"""Connected areas on a map drawn with characters."""

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def neighbours(grid, row, column):
    """The cells of the grid that share a side with the given one."""
    for down, right in STEPS:
        near_row, near_column = row + down, column + right
        if 0 <= near_row < len(grid) and 0 <= near_column < len(grid):
            yield near_row, near_column


def fill(grid, row, column):
    """All cells with the same character that hang together with the given one."""
    kind = grid[row][column]
    found = {(row, column)}
    pending = [(row, column)]
    while pending:
        for cell in neighbours(grid, *pending.pop()):
            if cell not in found and grid[cell[0]][cell[1]] == kind:
                found.add(cell)
                pending.append(cell)
    return found


def region_sizes(grid, kind="#"):
    """The sizes of all areas of a kind, largest first.

    `grid` is a list of strings of equal length.
    """
    done = set()
    sizes = []
    for row, line in enumerate(grid):
        for column, char in enumerate(line):
            if char == kind and (row, column) not in done:
                region = fill(grid, row, column)
                done |= region
                sizes.append(len(region))
    return sorted(sizes, reverse=True)
''',
        wrong="0 <= near_column < len(grid):",
        right="0 <= near_column < len(grid[row]):",
        visible=r"""
def test_square_map():
    grid = [
        "##..",
        "#..#",
        "..##",
        "#...",
    ]
    assert region_sizes(grid) == [3, 3, 1]
    assert region_sizes(grid, ".") == [9]


def test_wide_map():
    grid = [
        "#...###.",
        "##...##.",
    ]
    assert region_sizes(grid) == [5, 3]


def test_diagonal_does_not_touch():
    assert region_sizes(["#.", ".#"]) == [1, 1]


def test_nothing():
    assert region_sizes(["..", ".."]) == []
    assert region_sizes([]) == []


def test_neighbours_of_a_corner():
    assert sorted(neighbours(["ab", "cd"], 0, 0)) == [(0, 1), (1, 0)]
""",
        hidden=r"""
def test_tall_map():
    assert region_sizes(["#", "#", ".", "#"]) == [2, 1]


def test_single_line():
    assert region_sizes(["###.##"]) == [3, 2]


def test_fill_gives_cells():
    assert fill(["aab", "bbb"], 0, 2) == {(0, 2), (1, 2), (1, 1), (1, 0)}


def test_whole_maps():
    for rows in range(1, 5):
        for columns in range(1, 5):
            assert region_sizes(["#" * columns] * rows) == [rows * columns]
""",
    ),
    Program(
        name="build_order",
        code=r'''"""The order in which to build things that need each other."""

import heapq


def build_order(needs):
    """All targets in an order in which they can be built.

    `needs` maps a target to the targets that must be built before it. What
    is only mentioned as needed is a target too and needs nothing. When
    several targets could be built next, the first in the alphabet is taken.
    ValueError if targets need each other in a circle.
    """
    waiting = {target: set(needed) for target, needed in needs.items()}
    for needed in needs.values():
        for target in needed:
            waiting[target] = set()

    ready = [target for target, needed in waiting.items() if not needed]
    heapq.heapify(ready)
    order = []
    while ready:
        built = heapq.heappop(ready)
        order.append(built)
        del waiting[built]
        for target, needed in waiting.items():
            if built in needed:
                needed.remove(built)
                if not needed:
                    heapq.heappush(ready, target)
    if waiting:
        raise ValueError("circle among " + ", ".join(sorted(waiting)))
    return order


def needed_for(target, needs):
    """Everything that must be built before a target, in build order."""
    wanted = set()
    pending = list(needs.get(target, ()))
    while pending:
        current = pending.pop()
        if current not in wanted:
            wanted.add(current)
            pending.extend(needs.get(current, ()))
    return [other for other in build_order(needs) if other in wanted]
''',
        wrong="waiting[target] = set()",
        right="waiting.setdefault(target, set())",
        visible=r"""
def test_independent_targets():
    assert build_order({"b": [], "c": [], "a": []}) == ["a", "b", "c"]


def test_needed_targets_come_first():
    assert build_order({"app": ["lib", "zlib"]}) == ["lib", "zlib", "app"]


def test_chain():
    assert build_order({"a": ["b"], "b": ["c"]}) == ["c", "b", "a"]


def test_circle():
    with pytest.raises(ValueError):
        build_order({"x": ["y"], "y": ["x"]})


def test_needed_for():
    needs = {"app": ["core"], "tests": ["app", "tool"]}
    assert needed_for("app", needs) == ["core"]
    assert needed_for("core", needs) == []
""",
        hidden=r"""
def test_diamond():
    needs = {"z": ["b", "c"], "b": ["y"], "c": ["y"], "y": ["x"]}
    assert build_order(needs) == ["x", "y", "b", "c", "z"]


def test_circle_with_entrance():
    with pytest.raises(ValueError):
        build_order({"a": ["b"], "b": ["c"], "c": ["b"]})


def test_needs_itself():
    with pytest.raises(ValueError):
        build_order({"a": ["a"]})


def test_needed_for_a_chain():
    needs = {"a": ["b"], "b": ["c", "d"], "c": ["e"], "f": []}
    assert needed_for("a", needs) == ["d", "e", "c", "b"]


def test_nothing_to_build():
    assert build_order({}) == []


def test_argument_is_not_changed():
    needs = {"a": ["b"], "b": ["c"]}
    build_order(needs)
    assert needs == {"a": ["b"], "b": ["c"]}
""",
    ),
    Program(
        name="road_network",
        code=r'''"""Shortest routes on a road network."""

import heapq
from collections import defaultdict


class RoadNetwork:
    """Places with roads of given length between them."""

    def __init__(self):
        self._roads = defaultdict(dict)

    def connect(self, one, other, length, one_way=False):
        """Add a road, which can be used both ways unless it is one way."""
        if length < 0:
            raise ValueError("negative length")
        self._roads[one][other] = length
        if not one_way:
            self._roads[other][one] = length

    def shortest(self, start, goal):
        """Length and places of the shortest route; None if there is no route."""
        best = {start: 0}
        came_from = {}
        pending = [(0, start)]
        while pending:
            length, place = heapq.heappop(pending)
            if place == goal:
                return length, self._trace(came_from, goal)
            if length > best[place]:
                continue
            for near, road in self._roads.get(place, {}).items():
                through = length + road
                if near not in best:
                    best[near] = through
                    came_from[near] = place
                    heapq.heappush(pending, (through, near))
        return None

    @staticmethod
    def _trace(came_from, goal):
        route = [goal]
        while route[-1] in came_from:
            route.append(came_from[route[-1]])
        return route[::-1]
''',
        wrong="if near not in best:",
        right="if near not in best or through < best[near]:",
        visible=r"""
def network(*roads):
    net = RoadNetwork()
    for road in roads:
        net.connect(*road)
    return net


def test_direct_road():
    net = network(("A", "B", 5), ("B", "C", 1))
    assert net.shortest("A", "B") == (5, ["A", "B"])


def test_over_several_places():
    net = network(("A", "B", 5), ("B", "C", 1), ("C", "D", 2))
    assert net.shortest("D", "A") == (8, ["D", "C", "B", "A"])


def test_detour_is_shorter():
    net = network(("A", "B", 10), ("A", "C", 3), ("C", "B", 4))
    assert net.shortest("A", "B") == (7, ["A", "C", "B"])


def test_one_way():
    net = RoadNetwork()
    net.connect("A", "B", 2, one_way=True)
    assert net.shortest("A", "B") == (2, ["A", "B"])
    assert net.shortest("B", "A") is None


def test_start_is_goal():
    assert network(("A", "B", 5)).shortest("A", "A") == (0, ["A"])
""",
        hidden=r"""
def test_late_improvement():
    net = RoadNetwork()
    for road in [("s", "g", 100), ("s", "a", 1), ("a", "g", 50), ("a", "b", 1), ("b", "g", 1)]:
        net.connect(*road)
    assert net.shortest("s", "g") == (3, ["s", "a", "b", "g"])


def test_improvement_in_the_middle():
    net = RoadNetwork()
    for road in [("s", "m", 9), ("s", "a", 2), ("a", "m", 2), ("m", "g", 1)]:
        net.connect(*road)
    assert net.shortest("s", "g") == (5, ["s", "a", "m", "g"])


def test_unknown_places():
    net = RoadNetwork()
    net.connect("A", "B", 1)
    assert net.shortest("A", "X") is None


def test_lengths_against_all_pairs():
    import random
    rng = random.Random(9)
    net = RoadNetwork()
    size = 8
    far = 10 ** 6
    table = [[0 if i == j else far for j in range(size)] for i in range(size)]
    for i in range(size):
        for j in range(i):
            if rng.random() < 0.5:
                length = rng.randrange(1, 30)
                net.connect(i, j, length)
                table[i][j] = table[j][i] = length
    for k in range(size):
        for i in range(size):
            for j in range(size):
                table[i][j] = min(table[i][j], table[i][k] + table[k][j])
    for i in range(size):
        for j in range(size):
            found = net.shortest(i, j)
            assert (found[0] if found else far) == table[i][j]
""",
    ),
    Program(
        name="block_board",
        code=r'''"""Blocks on a board, both drawn with '#' and '.'.

Boards and shapes are lists of strings of equal length.
"""


def rotate(shape):
    """The shape turned clockwise by a quarter."""
    return ["".join(column) for column in zip(*reversed(shape))]


def fits(board, shape, top, left):
    """Whether the shape can be put with its upper left corner at (top, left).

    It must lie wholly on the board, and its blocks only on free cells.
    """
    if top < 0 or top + len(shape) > len(board):
        return False
    if left < 0 or left + len(shape[0]) >= len(board[0]):
        return False
    return all(
        char == "." or board[top + down][left + right] == "."
        for down, line in enumerate(shape)
        for right, char in enumerate(line)
    )


def place(board, shape, top, left):
    """A new board with the shape on it; ValueError if it does not fit."""
    if not fits(board, shape, top, left):
        raise ValueError("no room")
    rows = [list(row) for row in board]
    for down, line in enumerate(shape):
        for right, char in enumerate(line):
            if char == "#":
                rows[top + down][left + right] = "#"
    return ["".join(row) for row in rows]


def clear_rows(board):
    """The board without its full rows, filled up with empty ones on top."""
    kept = [row for row in board if "." in row]
    empty = "." * len(board[0])
    return [empty] * (len(board) - len(kept)) + kept
''',
        wrong="left + len(shape[0]) >= len(board[0])",
        right="left + len(shape[0]) > len(board[0])",
        visible=r"""
def test_rotate():
    assert rotate(["#..", "###"]) == ["##", "#.", "#."]


def test_place():
    board = ["....", "....", "#..."]
    assert place(board, ["##", "#."], 1, 1) == ["....", ".##.", "##.."]
    assert board == ["....", "....", "#..."]


def test_place_in_the_corner():
    assert place(["...", "..."], ["#", "#"], 0, 2) == ["..#", "..#"]


def test_no_room():
    with pytest.raises(ValueError):
        place(["#.", ".."], ["#"], 0, 0)
    with pytest.raises(ValueError):
        place(["..", ".."], ["##"], 0, 1)


def test_clear_rows():
    assert clear_rows(["#..", "###", "##."]) == ["...", "#..", "##."]
""",
        hidden=r"""
def test_shape_as_wide_as_the_board():
    assert fits(["...", "..."], ["###"], 1, 0)
    assert clear_rows(place(["#..", "..."], ["###"], 1, 0)) == ["...", "#.."]


def test_edges():
    board = ["....."] * 4
    shape = ["##", "##"]
    fitting = [(t, l) for t in range(-1, 6) for l in range(-1, 6) if fits(board, shape, t, l)]
    assert fitting == [(t, l) for t in range(3) for l in range(4)]


def test_shape_as_large_as_the_board():
    assert place(["#.", ".#"], [".#", "#."], 0, 0) == ["##", "##"]


def test_four_turns():
    shape = ["##.", "#..", "#.#"]
    turned = shape
    for _ in range(4):
        turned = rotate(turned)
    assert turned == shape
""",
    ),
    # ---------------------------------------------------------------- classes with state
    Program(
        name="account_holds",
        code=r'''"""Accounts on which money can be held."""

import itertools


class Account:
    """An account in cents.

    A hold sets money aside for a later payment. Held money is still part of
    the balance, but it is not available for anything else.
    """

    def __init__(self, balance=0):
        self.balance = balance
        self._holds = {}
        self._numbers = itertools.count(1)

    @property
    def available(self):
        """What can be withdrawn or held."""
        return self.balance - sum(self._holds.values())

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount

    def withdraw(self, amount):
        """Take money out; ValueError if there is not so much available."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        if amount > self.balance:
            raise ValueError("not enough money")
        self.balance -= amount

    def hold(self, amount):
        """Set money aside and return the number of the hold."""
        if not 0 < amount <= self.available:
            raise ValueError("amount cannot be held")
        number = next(self._numbers)
        self._holds[number] = amount
        return number

    def release(self, number):
        """Give up a hold; KeyError if there is none with this number."""
        del self._holds[number]

    def capture(self, number):
        """Pay the money of a hold, which ends with that."""
        amount = self._holds.pop(number)
        self.balance -= amount
        return amount
''',
        wrong="if amount > self.balance:",
        right="if amount > self.available:",
        visible=r"""
def test_deposit_and_withdraw():
    account = Account(100)
    account.deposit(50)
    account.withdraw(120)
    assert account.balance == 30


def test_not_enough():
    account = Account(10)
    with pytest.raises(ValueError):
        account.withdraw(11)
    assert account.balance == 10


def test_hold_and_capture():
    account = Account(100)
    number = account.hold(60)
    assert (account.balance, account.available) == (100, 40)
    assert account.capture(number) == 60
    assert (account.balance, account.available) == (40, 40)


def test_held_money_cannot_be_withdrawn():
    account = Account(100)
    account.hold(60)
    with pytest.raises(ValueError):
        account.withdraw(50)
    account.withdraw(40)
    assert account.balance == 60


def test_release():
    account = Account(100)
    number = account.hold(100)
    account.release(number)
    assert account.available == 100
    with pytest.raises(KeyError):
        account.release(number)
""",
        hidden=r"""
def test_all_money_held():
    account = Account(100)
    account.hold(100)
    with pytest.raises(ValueError):
        account.withdraw(1)
    assert account.balance == 100


def test_available_is_never_negative():
    account = Account(100)
    first = account.hold(30)
    account.hold(30)
    with pytest.raises(ValueError):
        account.withdraw(41)
    account.withdraw(40)
    assert account.available == 0
    account.release(first)
    account.withdraw(30)
    assert account.balance == 30


def test_withdraw_after_capture():
    account = Account(100)
    account.capture(account.hold(70))
    account.withdraw(30)
    assert account.balance == 0


def test_amounts_are_checked():
    account = Account(100)
    for action in (account.withdraw, account.deposit, account.hold):
        with pytest.raises(ValueError):
            action(0)
""",
    ),
    Program(
        name="lending_desk",
        code=r'''"""The lending desk of a library."""

from collections import defaultdict, deque


class LendingDesk:
    """Knows who has which book and who waits for it."""

    def __init__(self):
        self._holder = {}
        self._waiting = defaultdict(deque)

    def holder(self, book):
        """Who has the book, None if it is in."""
        return self._holder.get(book)

    def waiting(self, book):
        """Those who wait for the book, in the order in which they asked."""
        return list(self._waiting[book])

    def ask(self, book, person):
        """Lend the book if it is in, otherwise let the person wait for it.

        Nobody waits twice for a book, or for a book that they have. Tells
        whether the person has the book now.
        """
        holder = self._holder.setdefault(book, person)
        if holder == person:
            return True
        if person not in self._waiting[book]:
            self._waiting[book].append(person)
        return False

    def give_back(self, book):
        """Take the book back and lend it to whoever has waited longest.

        Returns that person, or None if nobody waits. KeyError if the book is
        not lent.
        """
        del self._holder[book]
        if not self._waiting[book]:
            return None
        person = self._waiting[book].pop()
        self._holder[book] = person
        return person

    def leave(self, person):
        """Take back all books of a person, who no longer waits for any."""
        for queue in self._waiting.values():
            if person in queue:
                queue.remove(person)
        for book in [b for b, holder in self._holder.items() if holder == person]:
            self.give_back(book)
''',
        wrong="self._waiting[book].pop()",
        right="self._waiting[book].popleft()",
        visible=r"""
def test_lend_and_give_back():
    desk = LendingDesk()
    assert desk.ask("Emma", "ann") is True
    assert desk.holder("Emma") == "ann"
    assert desk.give_back("Emma") is None
    assert desk.holder("Emma") is None


def test_one_waits():
    desk = LendingDesk()
    desk.ask("Emma", "ann")
    assert desk.ask("Emma", "bob") is False
    assert desk.give_back("Emma") == "bob"
    assert desk.holder("Emma") == "bob"
    assert desk.waiting("Emma") == []


def test_queue():
    desk = LendingDesk()
    for person in ["ann", "bob", "cem", "dee"]:
        desk.ask("Emma", person)
    assert desk.give_back("Emma") == "bob"
    assert desk.waiting("Emma") == ["cem", "dee"]


def test_nobody_waits_twice():
    desk = LendingDesk()
    for person in ["ann", "bob", "bob", "ann"]:
        desk.ask("Emma", person)
    assert desk.waiting("Emma") == ["bob"]


def test_not_lent():
    with pytest.raises(KeyError):
        LendingDesk().give_back("Emma")
""",
        hidden=r"""
def test_whole_queue():
    desk = LendingDesk()
    for person in "abcde":
        desk.ask("x", person)
    assert [desk.give_back("x") for _ in range(5)] == ["b", "c", "d", "e", None]


def test_leave_passes_the_book_on():
    desk = LendingDesk()
    for person in ["ann", "bob", "cem", "dee"]:
        desk.ask("Emma", person)
    desk.leave("bob")
    assert desk.waiting("Emma") == ["cem", "dee"]
    desk.leave("ann")
    assert desk.holder("Emma") == "cem"
    assert desk.waiting("Emma") == ["dee"]


def test_books_have_their_own_queues():
    desk = LendingDesk()
    for book in ["x", "y"]:
        desk.ask(book, "ann")
    desk.ask("x", "bob")
    desk.ask("y", "cem")
    desk.ask("y", "bob")
    assert desk.give_back("x") == "bob"
    assert desk.give_back("y") == "cem"
    assert desk.waiting("y") == ["bob"]
""",
    ),
    Program(
        name="undo_text",
        code=r'''"""A text with undo and redo."""


class UndoText:
    """A text which remembers its former states."""

    def __init__(self, initial=""):
        self.text = initial
        self._past = []
        self._future = []

    def _change(self, text):
        """Make `text` the new state; no change, nothing to undo."""
        if text == self.text:
            return
        self._past.append(self.text)
        self.text = text

    def insert(self, position, piece):
        """Put a piece of text at a position."""
        self._change(self.text[:position] + piece + self.text[position:])

    def delete(self, start, end):
        """Take out the characters from start up to, but not including, end."""
        self._change(self.text[:start] + self.text[end:])

    def replace(self, old, new):
        """Replace every occurrence of a piece of text."""
        self._change(self.text.replace(old, new))

    def undo(self):
        """Go back by one change; tell whether there was one."""
        if not self._past:
            return False
        self._future.append(self.text)
        self.text = self._past.pop()
        return True

    def redo(self):
        """Take back the last undo; tell whether that was possible.

        It is possible only as long as no new change was made.
        """
        if not self._future:
            return False
        self._past.append(self.text)
        self.text = self._future.pop()
        return True
''',
        wrong="        self.text = text\n",
        right="        self._future.clear()\n        self.text = text\n",
        visible=r"""
def test_changes():
    doc = UndoText("hello")
    doc.insert(5, " world")
    doc.delete(0, 1)
    doc.replace("l", "L")
    assert doc.text == "eLLo worLd"


def test_undo_and_redo():
    doc = UndoText("a")
    doc.insert(1, "b")
    doc.insert(2, "c")
    assert doc.undo() and doc.undo()
    assert doc.text == "a"
    assert doc.redo()
    assert doc.text == "ab"


def test_nothing_to_undo():
    doc = UndoText("a")
    assert doc.undo() is False
    assert doc.redo() is False
    assert doc.text == "a"


def test_no_redo_after_a_change():
    doc = UndoText("a")
    doc.insert(1, "b")
    doc.undo()
    doc.insert(1, "x")
    assert doc.redo() is False
    assert doc.text == "ax"


def test_change_without_effect():
    doc = UndoText("a")
    doc.replace("z", "y")
    assert doc.undo() is False
""",
        hidden=r"""
def test_change_after_several_undos():
    doc = UndoText()
    for char in "abcd":
        doc.insert(len(doc.text), char)
    doc.undo()
    doc.undo()
    doc.delete(0, 1)
    assert doc.text == "b"
    assert not doc.redo()
    assert doc.undo()
    assert doc.text == "ab"
    assert doc.redo()
    assert doc.text == "b"
    assert not doc.redo()


def test_redo_survives_a_change_without_effect():
    doc = UndoText("a")
    doc.insert(1, "b")
    doc.undo()
    doc.replace("z", "y")
    assert doc.redo() is True
    assert doc.text == "ab"


def test_redo_then_change():
    doc = UndoText("a")
    doc.insert(1, "b")
    doc.insert(2, "c")
    doc.undo()
    doc.undo()
    doc.redo()
    doc.insert(0, "-")
    assert doc.text == "-ab"
    assert not doc.redo()
    doc.undo()
    doc.undo()
    assert doc.text == "a"


def test_back_and_forth():
    doc = UndoText("x")
    doc.replace("x", "y")
    for _ in range(3):
        assert doc.undo() and doc.text == "x"
        assert doc.redo() and doc.text == "y"
""",
    ),
    Program(
        name="score_board",
        code=r'''"""Points of several players over some rounds."""


class ScoreBoard:
    """Keeps the points that each player made in each round."""

    def __init__(self, players):
        self._points = dict.fromkeys(players, [])
        if not self._points:
            raise ValueError("no players")

    def record(self, player, points):
        """Note the points of a player's next round; KeyError if unknown."""
        self._points[player].append(points)

    def total(self, player):
        """The sum of a player's points."""
        return sum(self._points[player])

    def best_round(self, player):
        """The most points that a player made in a round, None without rounds."""
        return max(self._points[player], default=None)

    def complete(self):
        """Whether all players have played equally many rounds."""
        return len({len(points) for points in self._points.values()}) == 1

    def ranking(self):
        """Triples (place, player, total), best first.

        Players with equal totals share a place and come in the order of
        their names; the places after them are left out, as in 1, 1, 3.
        """
        totals = {player: self.total(player) for player in self._points}
        rows = []
        for player in sorted(totals, key=lambda name: (-totals[name], name)):
            better = sum(total > totals[player] for total in totals.values())
            rows.append((better + 1, player, totals[player]))
        return rows
''',
        wrong="self._points = dict.fromkeys(players, [])",
        right="self._points = {player: [] for player in players}",
        visible=r"""
def test_single_player():
    board = ScoreBoard(["ann"])
    board.record("ann", 3)
    board.record("ann", 9)
    assert board.total("ann") == 12
    assert board.best_round("ann") == 9


def test_new_board():
    board = ScoreBoard(["ann", "bob"])
    assert board.best_round("bob") is None
    assert board.complete()
    assert board.ranking() == [(1, "ann", 0), (1, "bob", 0)]


def test_ranking():
    board = ScoreBoard(["ann", "bob", "cem", "dee"])
    for player, points in [("ann", 5), ("bob", 8), ("cem", 8), ("dee", 2)]:
        board.record(player, points)
    assert board.ranking() == [(1, "bob", 8), (1, "cem", 8), (3, "ann", 5), (4, "dee", 2)]


def test_complete():
    board = ScoreBoard(["ann", "bob"])
    board.record("ann", 1)
    assert not board.complete()
    board.record("bob", 0)
    assert board.complete()


def test_unknown_player():
    with pytest.raises(KeyError):
        ScoreBoard(["ann"]).record("bob", 1)


def test_no_players():
    with pytest.raises(ValueError):
        ScoreBoard([])
""",
        hidden=r"""
def test_totals_are_separate():
    board = ScoreBoard(["ann", "bob"])
    board.record("ann", 4)
    board.record("bob", -1)
    board.record("ann", 2)
    assert board.total("ann") == 6
    assert board.total("bob") == -1


def test_best_round_is_separate():
    board = ScoreBoard(["ann", "bob"])
    board.record("ann", 4)
    assert board.best_round("bob") is None
    board.record("bob", -3)
    assert board.best_round("bob") == -3


def test_players_from_a_generator():
    board = ScoreBoard(name for name in ("x", "y"))
    board.record("x", 1)
    assert board.ranking() == [(1, "x", 1), (2, "y", 0)]


def test_boards_are_separate():
    one, other = ScoreBoard(["x"]), ScoreBoard(["x"])
    one.record("x", 1)
    assert other.total("x") == 0
""",
    ),
    # ---------------------------------------------------------------- dates and scheduling
    Program(
        name="month_steps",
        code=r'''"""Calculating with months."""

import calendar
from datetime import date


def add_months(day, months):
    """The same day of the month, some months later (or earlier if negative).

    If that month is too short, it is the last day of that month.
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    month += 1
    last = calendar.monthrange(day.year, month)[1]
    return date(year, month, min(day.day, last))


def due_dates(first, count, step=1):
    """`count` dates from `first` on, `step` months apart.

    A short month does not change the later dates: after 31 January and
    28 February comes 31 March.
    """
    return [add_months(first, number * step) for number in range(count)]


def full_months(start, end):
    """How many full months lie between two dates, the earlier one first."""
    if end < start:
        raise ValueError("end before start")
    months = (end.year - start.year) * 12 + end.month - start.month
    if add_months(start, months) > end:
        months -= 1
    return months


def age(birthday, today):
    """Age in years."""
    return full_months(birthday, today) // 12
''',
        wrong="calendar.monthrange(day.year, month)[1]",
        right="calendar.monthrange(year, month)[1]",
        visible=r"""
def test_add_months():
    assert add_months(date(2023, 3, 15), 2) == date(2023, 5, 15)
    assert add_months(date(2023, 11, 30), 2) == date(2024, 1, 30)
    assert add_months(date(2023, 1, 10), -1) == date(2022, 12, 10)


def test_short_month():
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)
    assert add_months(date(2023, 8, 31), 1) == date(2023, 9, 30)


def test_leap_years():
    assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)
    assert add_months(date(2024, 2, 29), 12) == date(2025, 2, 28)


def test_due_dates():
    assert due_dates(date(2023, 1, 31), 3) == [
        date(2023, 1, 31), date(2023, 2, 28), date(2023, 3, 31),
    ]


def test_full_months_and_age():
    assert full_months(date(2023, 1, 15), date(2023, 4, 14)) == 2
    assert full_months(date(2023, 1, 15), date(2023, 4, 15)) == 3
    assert age(date(1990, 6, 1), date(2020, 5, 31)) == 29
""",
        hidden=r"""
def test_into_a_leap_year():
    assert add_months(date(2023, 12, 31), 2) == date(2024, 2, 29)
    assert add_months(date(2025, 2, 28), -12) == date(2024, 2, 28)
    assert add_months(date(2025, 3, 30), -13) == date(2024, 2, 29)


def test_out_of_a_leap_year():
    assert add_months(date(2024, 12, 30), 2) == date(2025, 2, 28)
    assert add_months(date(2024, 2, 29), 48) == date(2028, 2, 29)


def test_yearly_dates():
    assert due_dates(date(2024, 2, 29), 5, 12) == [
        date(2024, 2, 29), date(2025, 2, 28), date(2026, 2, 28),
        date(2027, 2, 28), date(2028, 2, 29),
    ]


def test_age_of_those_born_on_29_february():
    assert age(date(2000, 2, 29), date(2001, 2, 28)) == 1
    assert age(date(2000, 2, 29), date(2001, 2, 27)) == 0
""",
    ),
    Program(
        name="free_slots",
        code=r'''"""Free time between meetings.

Times are minutes since midnight.
"""


def parse_time(text):
    """Minutes for a time such as '9:05' or '14:30'."""
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def format_time(minutes):
    """A time such as '09:05'."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def free_slots(meetings, opening, closing, shortest=1):
    """The free times of at least `shortest` minutes from opening to closing.

    `meetings` has pairs (start, end) in any order; they may overlap, and
    they may begin before opening or end after closing. The slots are pairs
    in rising order.
    """
    slots = []
    free_from = opening
    for start, end in sorted(meetings):
        free_until = min(start, closing)
        if free_until - free_from >= shortest:
            slots.append((free_from, free_until))
        free_from = end
    if closing - free_from >= shortest:
        slots.append((free_from, closing))
    return slots


def first_slot(meetings, opening, closing, length):
    """The start of the first free time of this length as text, or None."""
    for start, _ in free_slots(meetings, opening, closing, length):
        return format_time(start)
    return None
''',
        wrong="free_from = end\n",
        right="free_from = max(free_from, end)\n",
        visible=r"""
def test_times():
    assert parse_time("9:05") == 545
    assert format_time(545) == "09:05"


def test_no_meetings():
    assert free_slots([], 540, 1020) == [(540, 1020)]


def test_between_meetings():
    meetings = [(600, 660), (540, 570), (900, 960)]
    assert free_slots(meetings, 540, 1020) == [(570, 600), (660, 900), (960, 1020)]


def test_shortest():
    assert free_slots([(550, 600), (630, 1020)], 540, 1020, 30) == [(600, 630)]


def test_overlapping():
    meetings = [(540, 720), (600, 630), (700, 800)]
    assert free_slots(meetings, 540, 1020) == [(800, 1020)]


def test_first_slot():
    assert first_slot([(540, 600), (615, 700)], 540, 1020, 30) == "11:40"
    assert first_slot([(540, 1020)], 540, 1020, 30) is None
""",
        hidden=r"""
def test_meeting_inside_the_last_one():
    assert free_slots([(100, 500), (200, 300)], 0, 600) == [(0, 100), (500, 600)]


def test_meeting_before_opening():
    assert free_slots([(100, 200)], 540, 600) == [(540, 600)]
    assert free_slots([(100, 550)], 540, 600) == [(550, 600)]


def test_meeting_after_closing():
    assert free_slots([(550, 700), (800, 900)], 540, 600) == [(540, 550)]


def test_minute_by_minute():
    import random
    rng = random.Random(2)
    for _ in range(40):
        meetings = []
        for _ in range(rng.randrange(6)):
            start = rng.randrange(50)
            meetings.append((start, start + rng.randrange(1, 25)))
        slots = free_slots(meetings, 10, 50)
        free = {m for start, end in slots for m in range(start, end)}
        assert free == {
            m for m in range(10, 50) if not any(s <= m < e for s, e in meetings)
        }
""",
    ),
    Program(
        name="working_days",
        code=r'''"""Working days: Monday to Friday except holidays."""

from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


def is_working_day(day, holidays=()):
    """Whether people work on this day."""
    return day.isoweekday() < 5 and day not in holidays


def working_days(first, last, holidays=()):
    """The number of working days from first to last, both included."""
    count = 0
    day = first
    while day <= last:
        if is_working_day(day, holidays):
            count += 1
        day += ONE_DAY
    return count


def add_working_days(start, number, holidays=()):
    """The working day that comes `number` working days after start.

    The start itself is not counted, whether it is a working day or not.
    """
    if number < 0:
        raise ValueError("number must not be negative")
    day = start
    while number > 0:
        day += ONE_DAY
        if is_working_day(day, holidays):
            number -= 1
    return day


def delivery_text(ordered, number, holidays=()):
    """A line for the customer, with the date as day and month."""
    day = add_working_days(ordered, number, holidays)
    return f"Delivery on {day.day}.{day.month}."
''',
        wrong="day.isoweekday() < 5",
        right="day.weekday() < 5",
        visible=r"""
def test_monday_to_wednesday():
    assert working_days(date(2025, 3, 3), date(2025, 3, 5)) == 3


def test_full_week():
    assert working_days(date(2025, 3, 3), date(2025, 3, 9)) == 5


def test_weekend():
    assert working_days(date(2025, 3, 8), date(2025, 3, 9)) == 0


def test_holiday():
    assert not is_working_day(date(2025, 5, 1), {date(2025, 5, 1)})
    assert is_working_day(date(2025, 5, 1))


def test_add_working_days():
    assert add_working_days(date(2025, 3, 3), 2) == date(2025, 3, 5)
    assert add_working_days(date(2025, 3, 3), 0) == date(2025, 3, 3)


def test_over_the_weekend():
    assert add_working_days(date(2025, 3, 6), 2) == date(2025, 3, 10)
""",
        hidden=r"""
def test_every_day_of_a_week():
    week = [date(2024, 7, 1) + ONE_DAY * n for n in range(7)]
    assert [is_working_day(day) for day in week] == [True] * 5 + [False] * 2


def test_from_thursday():
    assert add_working_days(date(2025, 3, 6), 1) == date(2025, 3, 7)


def test_over_holidays():
    holidays = {date(2024, 12, 25), date(2024, 12, 26), date(2025, 1, 1)}
    assert working_days(date(2024, 12, 23), date(2025, 1, 5), holidays) == 7
    assert add_working_days(date(2024, 12, 24), 1, holidays) == date(2024, 12, 27)
    assert delivery_text(date(2024, 12, 27), 3, holidays) == "Delivery on 2.1."


def test_from_a_sunday():
    assert add_working_days(date(2025, 3, 9), 5) == date(2025, 3, 14)
""",
    ),
    Program(
        name="monthly_meeting",
        code=r'''"""Meetings such as 'every second Tuesday' or 'every last Friday'."""

import calendar
from datetime import date

NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


def nth_weekday(year, month, name, number):
    """The date of, say, the second Tuesday of a month.

    `number` counts from 1; -1 means the last such day, -2 the one before it,
    and so on. ValueError if there is no such day in the month.
    """
    weekday = NAMES.index(name.lower())
    length = calendar.monthrange(year, month)[1]
    days = [date(year, month, day) for day in range(1, length)]
    matching = [day for day in days if day.weekday() == weekday]
    if number == 0 or abs(number) > len(matching):
        raise ValueError("no such day")
    return matching[number - 1 if number > 0 else number]


def next_meeting(after, name, number):
    """The first such day later than the date `after`.

    Months without such a day are passed over.
    """
    year, month = after.year, after.month
    for _ in range(600):
        try:
            meeting = nth_weekday(year, month, name, number)
        except ValueError:
            meeting = None
        if meeting is not None and meeting > after:
            return meeting
        month += 1
        if month > 12:
            year, month = year + 1, 1
    raise ValueError("no such day in any month")
''',
        wrong="for day in range(1, length)]",
        right="for day in range(1, length + 1)]",
        visible=r"""
def test_second_tuesday():
    assert nth_weekday(2025, 3, "Tuesday", 2) == date(2025, 3, 11)


def test_last_friday():
    assert nth_weekday(2025, 2, "friday", -1) == date(2025, 2, 28)


def test_last_but_one():
    assert nth_weekday(2025, 4, "sunday", -2) == date(2025, 4, 20)


def test_no_such_day():
    with pytest.raises(ValueError):
        nth_weekday(2025, 2, "monday", 5)
    with pytest.raises(ValueError):
        nth_weekday(2025, 2, "monday", 0)


def test_next_meeting():
    assert next_meeting(date(2025, 3, 10), "tuesday", 2) == date(2025, 3, 11)
    assert next_meeting(date(2025, 3, 11), "tuesday", 2) == date(2025, 4, 8)
    assert next_meeting(date(2025, 12, 31), "thursday", 1) == date(2026, 1, 1)
""",
        hidden=r"""
def test_fifth_on_the_last_day():
    assert nth_weekday(2025, 3, "monday", 5) == date(2025, 3, 31)
    assert nth_weekday(2024, 2, "thursday", 5) == date(2024, 2, 29)


def test_last_day_of_each_month():
    for month in range(1, 13):
        last = date(2023, month, calendar.monthrange(2023, month)[1])
        assert nth_weekday(2023, month, NAMES[last.weekday()], -1) == last


def test_second_last_when_month_ends_on_the_weekday():
    assert nth_weekday(2025, 3, "monday", -2) == date(2025, 3, 24)


def test_next_fifth():
    assert next_meeting(date(2025, 1, 1), "friday", 5) == date(2025, 1, 31)
    assert next_meeting(date(2025, 1, 31), "friday", 5) == date(2025, 5, 30)
""",
    ),
    # ---------------------------------------------------------------- text reports and formatting
    Program(
        name="plain_table",
        code=r'''"""Tables in plain text."""


def _text(value):
    """A cell as text: nothing for None, two decimals for floats."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.2f}"
    return str(value)


def _line(cells, widths, numeric):
    """One line of the table, without spaces at the end."""
    parts = []
    for cell, width, right in zip(cells, widths, numeric):
        parts.append(cell.rjust(width) if right else cell.ljust(width))
    return "  ".join(parts).rstrip()


def table(headers, rows):
    """A table with a header, a line of dashes and the rows.

    Each column is as wide as its widest cell, the header included; columns
    are two spaces apart. Columns that contain only numbers (or None) are
    aligned to the right, with their header.
    """
    numeric = [
        bool(rows)
        and all(row[index] is None or isinstance(row[index], (int, float)) for row in rows)
        for index in range(len(headers))
    ]
    cells = [[_text(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells)]
    lines = [_line(headers, widths, numeric)]
    lines.append("  ".join("-" * width for width in widths))
    lines.extend(_line(row, widths, numeric) for row in cells)
    return "\n".join(lines)
''',
        wrong="for column in zip(*cells)]",
        right="for column in zip(headers, *cells)]",
        visible=r"""
def test_text_columns():
    assert table(["id", "name"], [["a1", "Ann"], ["b22", "Robert"]]).splitlines() == [
        "id   name",
        "---  ------",
        "a1   Ann",
        "b22  Robert",
    ]


def test_numbers_to_the_right():
    assert table(["item", "n"], [["apple", 5], ["pear", 12]]).splitlines() == [
        "item    n",
        "-----  --",
        "apple   5",
        "pear   12",
    ]


def test_floats_and_none():
    assert table(["x"], [[1.5], [None], [10.0]]).splitlines() == [
        "    x",
        "-----",
        " 1.50",
        "",
        "10.00",
    ]


def test_long_header():
    assert table(["product", "price"], [["tea", 3], ["jam", 12]]).splitlines() == [
        "product  price",
        "-------  -----",
        "tea          3",
        "jam         12",
    ]
""",
        hidden=r"""
def test_no_rows():
    assert table(["a", "name"], []) == "a  name\n-  ----"


def test_one_long_header():
    assert table(["a", "quantity", "b"], [["xx", 7, "yy"]]).splitlines() == [
        "a   quantity  b",
        "--  --------  --",
        "xx         7  yy",
    ]


def test_mixed_column_is_text():
    assert table(["v"], [[1], ["abc"]]).splitlines() == ["v", "---", "1", "abc"]


def test_empty_cells():
    assert table(["k", "v"], [["", None], ["x", 1]]).splitlines() == ["k  v", "-  -", "", "x  1"]
""",
    ),
    Program(
        name="bar_chart",
        code=r'''"""Bar charts in plain text."""

from collections import Counter


def bar_chart(counts, width=20):
    """One line for each label: the label, a bar and the count.

    Labels are filled up with spaces to the length of the longest. The bar
    of the highest count has `width` characters, the others are in
    proportion, rounded down; but a count above zero always has a bar. Lines
    are sorted by count, highest first, then by label.
    """
    if not counts:
        return ""
    longest = len(max(counts))
    highest = max(counts.values())
    lines = []
    for label, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        length = count * width // highest if highest else 0
        if count > 0:
            length = max(length, 1)
        lines.append(f"{label:<{longest}} |{'#' * length} {count}")
    return "\n".join(lines)


def word_chart(text, top=5, width=20):
    """A bar chart of the `top` most frequent words, in lower case."""
    words = [word.strip(".,;:!?") for word in text.lower().split()]
    counts = Counter(word for word in words if word)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return bar_chart(dict(ranked[:top]), width)
''',
        wrong="longest = len(max(counts))",
        right="longest = len(max(counts, key=len))",
        visible=r"""
def test_proportional_bars():
    assert bar_chart({"a": 10, "b": 5}, width=4).splitlines() == ["a |#### 10", "b |## 5"]


def test_sorted():
    assert bar_chart({"x": 1, "z": 2, "y": 2}, width=2).splitlines() == [
        "y |## 2",
        "z |## 2",
        "x |# 1",
    ]


def test_labels_are_filled_up():
    assert bar_chart({"apple": 4, "fig": 2, "kiwi": 1}, width=4).splitlines() == [
        "apple |#### 4",
        "fig   |## 2",
        "kiwi  |# 1",
    ]


def test_small_and_zero_counts():
    assert bar_chart({"a": 100, "b": 1, "c": 0}, width=10).splitlines() == [
        "a |########## 100",
        "b |# 1",
        "c | 0",
    ]


def test_empty():
    assert bar_chart({}) == ""
""",
        hidden=r"""
def test_longest_in_the_middle():
    assert bar_chart({"aa": 1, "bbbb": 1, "c": 1}, width=1).splitlines() == [
        "aa   |# 1",
        "bbbb |# 1",
        "c    |# 1",
    ]


def test_longest_is_last():
    assert bar_chart({"b": 2, "z-index": 1}, width=2).splitlines() == [
        "b       |## 2",
        "z-index |# 1",
    ]


def test_words():
    text = "The cat and the dog, and the elephant!"
    assert word_chart(text, top=4, width=3).splitlines() == [
        "the |### 3",
        "and |## 2",
        "cat |# 1",
        "dog |# 1",
    ]
    lines = word_chart(text, top=5, width=3).splitlines()
    assert lines[0] == "the      |### 3"
    assert lines[-1] == "elephant |# 1"


def test_all_zero():
    assert bar_chart({"b": 0, "aaa": 0}).splitlines() == ["aaa | 0", "b   | 0"]
""",
    ),
    Program(
        name="expense_report",
        code=r'''"""A report of expenses by month and category."""

from itertools import groupby


def euros(cents):
    """An amount such as '1,234.50'."""
    return f"{cents / 100:,.2f}"


def month_of(expense):
    """The month of an expense, such as '2024-03'."""
    return expense["date"][:7]


def report(expenses):
    """The report as a list of lines.

    `expenses` has dicts with the keys date ('2024-03-05'), category and
    cents, in any order. Each month has a line with the month, a line for
    each category of that month in alphabetical order, and a line with the
    sum of the month. The last line has the sum of everything.
    """
    lines = []
    everything = 0
    sums = {}
    for month, group in groupby(sorted(expenses, key=month_of), key=month_of):
        for expense in group:
            category = expense["category"]
            sums[category] = sums.get(category, 0) + expense["cents"]
        lines.append(month)
        for category in sorted(sums):
            lines.append(f"  {category:<12}{euros(sums[category]):>10}")
        lines.append(f"  {'sum':<12}{euros(sum(sums.values())):>10}")
        everything += sum(sums.values())
    lines.append(f"{'total':<14}{euros(everything):>10}")
    return lines
''',
        wrong="""    sums = {}
    for month, group in groupby(sorted(expenses, key=month_of), key=month_of):
""",
        right="""    for month, group in groupby(sorted(expenses, key=month_of), key=month_of):
        sums = {}
""",
        visible=r"""
def expense(date, category, cents):
    return {"date": date, "category": category, "cents": cents}


def test_one_month():
    expenses = [
        expense("2024-03-05", "travel", 2550),
        expense("2024-03-01", "food", 1000),
        expense("2024-03-09", "food", 250),
    ]
    assert report(expenses) == [
        "2024-03",
        "  food             12.50",
        "  travel           25.50",
        "  sum              38.00",
        "total              38.00",
    ]


def test_two_months():
    expenses = [
        expense("2024-04-01", "food", 300),
        expense("2024-03-01", "travel", 500),
    ]
    assert report(expenses) == [
        "2024-03",
        "  travel            5.00",
        "  sum               5.00",
        "2024-04",
        "  food              3.00",
        "  sum               3.00",
        "total               8.00",
    ]


def test_no_expenses():
    assert report([]) == ["total               0.00"]


def test_euros():
    assert euros(123450) == "1,234.50"
    assert euros(5) == "0.05"
""",
        hidden=r"""
def test_same_category_in_two_months():
    expenses = [
        {"date": "2024-01-31", "category": "rent", "cents": 50000},
        {"date": "2024-02-29", "category": "rent", "cents": 52000},
    ]
    assert report(expenses) == [
        "2024-01",
        "  rent            500.00",
        "  sum             500.00",
        "2024-02",
        "  rent            520.00",
        "  sum             520.00",
        "total           1,020.00",
    ]


def test_total_over_many_months():
    expenses = [
        {"date": f"2023-{month:02d}-15", "category": "fee", "cents": 1000} for month in range(1, 13)
    ]
    lines = report(expenses)
    assert lines[-1].split() == ["total", "120.00"]
    assert len(lines) == 12 * 3 + 1


def test_same_month_of_two_years():
    expenses = [
        {"date": "2024-05-01", "category": "b", "cents": 1},
        {"date": "2023-05-01", "category": "a", "cents": 2},
    ]
    lines = report(expenses)
    assert [line for line in lines if line.startswith("20")] == ["2023-05", "2024-05"]
    assert lines[-1].split() == ["total", "0.03"]


def test_single_month_total():
    lines = report([{"date": "2024-05-01", "category": "b", "cents": 7}])
    assert lines[-1].split() == ["total", "0.07"]
""",
    ),
    Program(
        name="wrapped_text",
        code=r'''"""Wrapping text to a given width."""

BULLET = "* "


def wrap(text, width):
    """The words of a text in lines of at most `width` characters.

    Each line takes as many words as fit. A word that is longer than a line
    gets a line of its own.
    """
    lines = []
    current = ""
    for word in text.split():
        longer = f"{current} {word}" if current else word
        if current and len(longer) > width:
            lines.append(current)
            current = word
        else:
            current = longer
    if current:
        lines.append(current)
    return lines


def bullet_list(items, width):
    """The items as a list with bullets, no line longer than `width`.

    Further lines of an item are indented as far as the first one.
    """
    lines = []
    for item in items:
        start = BULLET
        for line in wrap(item, width):
            lines.append(start + line)
            start = " " * len(BULLET)
    return lines


def quote(text, width, mark="> "):
    """The text with a mark at the beginning of lines of at most `width`."""
    return [mark + line for line in wrap(text, width - len(mark))]
''',
        wrong="in wrap(item, width):",
        right="in wrap(item, width - len(BULLET)):",
        visible=r"""
def test_wrap():
    assert wrap("the quick brown fox jumps", 10) == ["the quick", "brown fox", "jumps"]


def test_long_word():
    assert wrap("a incomprehensible b", 5) == ["a", "incomprehensible", "b"]


def test_short_items():
    assert bullet_list(["milk", "brown bread"], 20) == ["* milk", "* brown bread"]


def test_long_item():
    assert bullet_list(["one two three four", "five"], 13) == [
        "* one two",
        "  three four",
        "* five",
    ]


def test_items_keep_the_width():
    lines = bullet_list(["aa bb cc dd ee ff gg hh", "ii jj kk ll mm"], 10)
    assert all(len(line) <= 10 for line in lines)


def test_quote():
    assert quote("so it goes on", 9) == ["> so it", "> goes on"]
""",
        hidden=r"""
def test_item_one_too_long():
    assert bullet_list(["abc def"], 8) == ["* abc", "  def"]


def test_item_fits_exactly():
    assert bullet_list(["abc def"], 9) == ["* abc def"]


def test_widths():
    text = "we went to the sea and saw a lot of red fish in it"
    for width in range(6, 40):
        lines = bullet_list([text, text], width)
        assert max(map(len, lines)) <= width
        assert " ".join(line[2:] for line in lines) == f"{text} {text}"


def test_like_quote():
    text = "one two three four five six"
    bulleted = bullet_list([text], 12)
    quoted = quote(text, 12)
    assert [line[2:] for line in bulleted] == [line[2:] for line in quoted]
""",
    ),
    # ---------------------------------------------------------------- validation and configuration
    Program(
        name="record_rules",
        code=r'''"""Checking records against rules."""

from dataclasses import dataclass


@dataclass
class Rule:
    """What is demanded of a field; None means no limit."""

    kind: type
    required: bool = True
    low: float = None
    high: float = None
    choices: tuple = ()


def problems(record, rules):
    """What is wrong with a record, as a list of texts; empty if nothing is.

    `rules` maps names of fields to rules. A field that is not required may
    be left out. A field of the wrong kind is not checked any further.
    Fields without a rule come last.
    """
    found = []
    for name, rule in rules.items():
        if name not in record:
            if rule.required:
                found.append(f"{name}: missing")
                continue
        value = record[name]
        if not isinstance(value, rule.kind):
            found.append(f"{name}: not {rule.kind.__name__}")
            continue
        if rule.low is not None and value < rule.low:
            found.append(f"{name}: below {rule.low}")
        if rule.high is not None and value > rule.high:
            found.append(f"{name}: above {rule.high}")
        if rule.choices and value not in rule.choices:
            found.append(f"{name}: not allowed")
    found.extend(f"{name}: unknown" for name in record if name not in rules)
    return found


def is_valid(record, rules):
    """Whether nothing is wrong with a record."""
    return not problems(record, rules)
''',
        wrong="                continue\n",
        right="            continue\n",
        visible=r"""
RULES = {
    "name": Rule(str),
    "age": Rule(int, low=0, high=150),
    "size": Rule(str, required=False, choices=("S", "M", "L")),
}


def test_good_record():
    assert problems({"name": "Ann", "age": 0, "size": "M"}, RULES) == []


def test_bad_values():
    assert problems({"name": "Ann", "age": -1, "size": "XL"}, RULES) == [
        "age: below 0",
        "size: not allowed",
    ]


def test_missing():
    assert problems({"size": "S"}, RULES) == ["name: missing", "age: missing"]


def test_optional():
    assert is_valid({"name": "Ann", "age": 30}, RULES)


def test_kind_and_unknown():
    record = {"name": 5, "age": 200, "size": "S", "shoe": 42}
    assert problems(record, RULES) == ["name: not str", "age: above 150", "shoe: unknown"]
""",
        hidden=r"""
def test_all_optional():
    rules = {"a": Rule(int, required=False, low=1), "b": Rule(str, required=False)}
    assert problems({}, rules) == []
    assert problems({"b": 1}, rules) == ["b: not str"]
    assert problems({"a": 0}, rules) == ["a: below 1"]


def test_missing_optional_before_others():
    rules = {"a": Rule(int, required=False), "b": Rule(int), "c": Rule(int, high=3)}
    assert problems({"c": 4}, rules) == ["b: missing", "c: above 3"]


def test_required_missing_is_reported_once():
    assert problems({}, {"a": Rule(int, low=5)}) == ["a: missing"]


def test_no_rules():
    assert problems({"x": 1}, {}) == ["x: unknown"]
""",
    ),
    Program(
        name="layered_config",
        code=r'''"""Configuration in layers, the later ones on top."""

import copy
from functools import reduce


def merge(base, changes):
    """A new configuration: `base` with `changes` on top of it.

    Dicts within dicts are merged in the same way; everything else, lists
    included, is replaced. A change to None takes the key away, if it is
    there. Neither argument is changed.
    """
    merged = copy.deepcopy(base)
    for key, value in changes.items():
        if value is None:
            merged.pop(key)
        elif isinstance(value, dict):
            below = merged.get(key)
            merged[key] = merge(below if isinstance(below, dict) else {}, value)
        else:
            merged[key] = copy.deepcopy(value)
    return merged


def load(*layers):
    """All layers merged, from the first (lowest) to the last."""
    return reduce(merge, layers, {})


def lookup(config, path, default=None):
    """The value at a path such as 'db.host', or the default."""
    node = config
    for part in path.split("."):
        if not isinstance(node, dict) or part not in node:
            return default
        node = node[part]
    return node
''',
        wrong="merged.pop(key)",
        right="merged.pop(key, None)",
        visible=r"""
def test_merge():
    base = {"db": {"host": "a", "port": 1}, "tags": [1, 2]}
    changes = {"db": {"port": 2}, "tags": [3], "new": True}
    assert merge(base, changes) == {
        "db": {"host": "a", "port": 2}, "tags": [3], "new": True,
    }


def test_arguments_are_not_changed():
    base = {"db": {"host": "a"}}
    merge(base, {"db": {"host": "b"}})["db"]["host"] = "c"
    assert base == {"db": {"host": "a"}}


def test_take_away():
    assert merge({"a": 1, "b": {"c": 2, "d": 3}}, {"a": None, "b": {"c": None}}) == {"b": {"d": 3}}


def test_layers():
    assert load({"a": 1, "b": 1}, {"b": 2}, {"c": 3}) == {"a": 1, "b": 2, "c": 3}


def test_layer_with_none():
    assert load({"cache": None, "debug": False}, {"debug": True}) == {"debug": True}


def test_lookup():
    config = {"db": {"host": "a"}}
    assert lookup(config, "db.host") == "a"
    assert lookup(config, "db.port", 5432) == 5432
    assert lookup(config, "db.host.name") is None
""",
        hidden=r"""
def test_none_in_a_new_dict():
    assert merge({}, {"a": {"b": None, "c": 1}}) == {"a": {"c": 1}}


def test_none_for_an_unknown_key():
    assert merge({"a": 1}, {"x": None}) == {"a": 1}


def test_none_twice():
    assert load({"a": 1, "b": 2}, {"a": None}, {"a": None}) == {"b": 2}


def test_dict_over_a_value():
    assert merge({"a": 5}, {"a": {"b": 1, "c": None}}) == {"a": {"b": 1}}


def test_no_layers():
    assert load() == {}
""",
    ),
    Program(
        name="card_numbers",
        code=r'''"""Numbers of customer cards, with a check digit at the end."""


def clean(number):
    """The number without spaces and hyphens; ValueError for other characters."""
    digits = number.replace(" ", "").replace("-", "")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"not a number: {number!r}")
    return digits


def checksum(digits):
    """The sum which must be a multiple of ten.

    Every second digit, counted from the right and beginning with the last
    but one, is doubled; if that gives more than 9, then 9 is taken off. The
    other digits count as they are.
    """
    total = 0
    for position, char in enumerate(digits):
        value = int(char)
        if position % 2 == 1:
            value *= 2
            if value > 9:
                value -= 9
        total += value
    return total


def is_valid(number):
    """Whether the number has at least two digits and the right check digit."""
    try:
        digits = clean(number)
    except ValueError:
        return False
    return len(digits) >= 2 and checksum(digits) % 10 == 0


def with_check_digit(number):
    """The digits of the number and the check digit that belongs to them."""
    digits = clean(number)
    return digits + str(-checksum(digits + "0") % 10)


def grouped(number, size=4):
    """The digits in groups, such as '1234 5678 9'."""
    digits = clean(number)
    return " ".join(digits[i:i + size] for i in range(0, len(digits), size))
''',
        wrong="enumerate(digits)",
        right="enumerate(reversed(digits))",
        visible=r"""
def test_valid():
    assert is_valid("7992 7398 713")
    assert is_valid("18")
    assert not is_valid("19")


def test_wrong_digit():
    assert not is_valid("7992 7398 714")


def test_not_a_number():
    assert not is_valid("12a4")
    assert not is_valid("")
    assert not is_valid("0")


def test_check_digit():
    assert with_check_digit("7992739871") == "79927398713"
    assert with_check_digit("123") == "1230"


def test_grouped():
    assert grouped("123-456 789") == "1234 5678 9"
    assert grouped("12345", 2) == "12 34 5"
""",
        hidden=r"""
def test_sixteen_digits():
    assert is_valid("4539 1488 0343 6467")
    assert not is_valid("4539 1488 0343 6468")


def test_checksums():
    assert checksum("91") == 10
    assert checksum("12") == 4
    assert checksum("123") == 8
    assert checksum("5005") == 6


def test_leading_zeros_do_not_matter():
    for number in ["18", "79927398713", "1230"]:
        assert is_valid(number) and is_valid("0" + number) and is_valid("00" + number)


def test_made_numbers_are_valid():
    for number in ["1", "12", "999", "2024", "31415", "271828"]:
        full = with_check_digit(number)
        assert is_valid(full)
        assert not is_valid(full[:-1] + str((int(full[-1]) + 1) % 10))
""",
    ),
    Program(
        name="environment_settings",
        code=r'''"""Settings that can be changed by environment variables."""

TRUE_WORDS = {"1", "yes", "true", "on"}
FALSE_WORDS = {"0", "no", "false", "off"}


def parse_bool(text):
    """A truth value from a word such as 'yes' or 'off', in any case."""
    word = text.strip()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ValueError(f"neither true nor false: {text!r}")


def convert(text, current):
    """The text as a value of the same kind as the current one.

    Lists are written with commas between the items, which are text.
    """
    if isinstance(current, bool):
        return parse_bool(text)
    if isinstance(current, (int, float)):
        return type(current)(text)
    if isinstance(current, list):
        return [item.strip() for item in text.split(",") if item.strip()]
    return text


def apply_environment(settings, environ, prefix="APP_"):
    """A copy of the settings, changed by the variables with the prefix.

    APP_PORT changes the setting 'port', and APP_DB__PORT the setting 'port'
    in the dict 'db'. Variables without a setting are left alone.
    """
    changed = {}
    for name, value in settings.items():
        variable = prefix + name.upper()
        if isinstance(value, dict):
            changed[name] = apply_environment(value, environ, variable + "__")
        elif variable in environ:
            changed[name] = convert(environ[variable], value)
        else:
            changed[name] = value
    return changed
''',
        wrong="word = text.strip()\n",
        right="word = text.strip().lower()\n",
        visible=r"""
SETTINGS = {"port": 80, "debug": False, "hosts": ["a"], "db": {"name": "x", "timeout": 1.5}}


def test_nothing_set():
    assert apply_environment(SETTINGS, {"PORT": "1", "APP_OTHER": "2"}) == SETTINGS


def test_numbers_and_text():
    changed = apply_environment(SETTINGS, {"APP_PORT": "8080", "APP_DB__NAME": "y"})
    assert changed["port"] == 8080
    assert changed["db"] == {"name": "y", "timeout": 1.5}
    assert SETTINGS["port"] == 80


def test_list():
    changed = apply_environment(SETTINGS, {"APP_HOSTS": "b, c,"})
    assert changed["hosts"] == ["b", "c"]


def test_bool():
    assert apply_environment(SETTINGS, {"APP_DEBUG": "yes"})["debug"] is True
    assert apply_environment(SETTINGS, {"APP_DEBUG": "0"})["debug"] is False


def test_bool_in_capitals():
    assert apply_environment(SETTINGS, {"APP_DEBUG": "True"})["debug"] is True


def test_bad_bool():
    with pytest.raises(ValueError):
        parse_bool("maybe")
""",
        hidden=r"""
def test_words_in_any_case():
    for word in ["ON", "On", "on", "YES", " Yes ", "TRUE", "1"]:
        assert parse_bool(word) is True
    for word in ["OFF", "Off", "off", "NO", " No ", "FALSE", "0"]:
        assert parse_bool(word) is False


def test_text_keeps_its_case():
    assert convert("Ab C", "x") == "Ab C"
    assert convert("A, b", []) == ["A", "b"]


def test_nested_bool():
    settings = {"log": {"file": {"keep": True}}}
    changed = apply_environment(settings, {"X_LOG__FILE__KEEP": "False"}, "X_")
    assert changed == {"log": {"file": {"keep": False}}}


def test_empty_word():
    with pytest.raises(ValueError):
        parse_bool("")
""",
    ),
    # ---------------------------------------------------------------- small simulations and games
    Program(
        name="counter_queue",
        code=r'''"""Customers at the counters of an office."""

import heapq


def serve(customers, counters=1):
    """When each customer is served, as pairs (start, end).

    `customers` has pairs (arrival, duration) in the order of arrival. Each
    goes to the counter that is free first, and waits if all are busy.
    """
    if counters < 1:
        raise ValueError("no counter is open")
    free_at = [0] * counters
    served = []
    for arrival, duration in customers:
        start = max(arrival, heapq.heappop(free_at))
        end = start + duration
        heapq.heappush(free_at, arrival + duration)
        served.append((start, end))
    return served


def waiting_times(customers, counters=1):
    """How long each customer waits."""
    return [
        start - arrival
        for (arrival, _), (start, _) in zip(customers, serve(customers, counters))
    ]


def longest_queue(customers, counters=1):
    """The largest number of customers who wait at the same time."""
    changes = []
    for (arrival, _), (start, _) in zip(customers, serve(customers, counters)):
        if start > arrival:
            changes.append((arrival, 1))
            changes.append((start, -1))
    longest = waiting = 0
    for _, change in sorted(changes):
        waiting += change
        longest = max(longest, waiting)
    return longest


def counters_needed(customers, patience):
    """The least number of counters so that nobody waits longer than `patience`."""
    counters = 1
    while max(waiting_times(customers, counters), default=0) > patience:
        counters += 1
    return counters
''',
        wrong="heapq.heappush(free_at, arrival + duration)",
        right="heapq.heappush(free_at, end)",
        visible=r"""
def test_nobody_waits():
    assert serve([(0, 5), (5, 3), (20, 1)]) == [(0, 5), (5, 8), (20, 21)]


def test_one_waits():
    assert serve([(0, 5), (2, 3)]) == [(0, 5), (5, 8)]
    assert waiting_times([(0, 5), (2, 3)]) == [0, 3]


def test_two_counters():
    assert serve([(0, 10), (1, 2), (2, 4)], 2) == [(0, 10), (1, 3), (3, 7)]


def test_line_of_customers():
    assert waiting_times([(0, 4), (0, 4), (0, 4)]) == [0, 4, 8]


def test_no_counter():
    with pytest.raises(ValueError):
        serve([(0, 1)], 0)
""",
        hidden=r"""
def test_waiting_adds_up():
    assert serve([(0, 10), (1, 10), (2, 10), (50, 1)]) == [(0, 10), (10, 20), (20, 30), (50, 51)]


def test_longest_queue():
    assert longest_queue([(0, 10), (1, 1), (2, 1), (3, 1)]) == 3
    assert longest_queue([(0, 2), (1, 3), (4, 1), (9, 1)]) == 1
    assert longest_queue([]) == 0


def test_counters_needed():
    customers = [(0, 6)] * 6
    assert counters_needed(customers, 0) == 6
    assert counters_needed(customers, 6) == 3
    assert counters_needed(customers, 12) == 2
    assert counters_needed(customers, 30) == 1


def test_counters_are_never_double_booked():
    import random
    rng = random.Random(7)
    arrivals = sorted(rng.randrange(60) for _ in range(30))
    customers = [(arrival, rng.randrange(1, 9)) for arrival in arrivals]
    for counters in (1, 2, 3):
        served = serve(customers, counters)
        for minute in range(300):
            assert sum(start <= minute < end for start, end in served) <= counters
""",
    ),
    Program(
        name="darts_leg",
        code=r'''"""A leg of darts for one player."""

FACTORS = {"S": 1, "D": 2, "T": 3}


def points(dart):
    """The points of a dart: 'S20', 'D16', 'T5', 'S25', 'D25' or 'miss'."""
    if dart == "miss":
        return 0
    factor, field = FACTORS[dart[0]], int(dart[1:])
    if not (1 <= field <= 20 or field == 25 and factor < 3):
        raise ValueError(f"no such field: {dart}")
    return factor * field


def play_visit(score, darts):
    """The score after a visit of up to three darts.

    The points are taken off the score. The leg is won when exactly 0 is
    reached with a double. The visit is bust if the score falls below 2 in
    any other way, since it could not be finished with a double any more;
    then the score is again what it was before the visit.
    """
    left = score
    for dart in darts[:3]:
        left -= points(dart)
        if left == 0 and dart.startswith("D"):
            return 0
        if left < 1:
            return score
    return left


def play_leg(visits, start=501):
    """The scores after each visit; the list ends when the leg is won."""
    scores = []
    score = start
    for darts in visits:
        score = play_visit(score, darts)
        scores.append(score)
        if score == 0:
            break
    return scores
''',
        wrong="if left < 1:",
        right="if left < 2:",
        visible=r"""
def test_points():
    assert [points(dart) for dart in ["S20", "D16", "T5", "D25", "miss"]] == [20, 32, 15, 50, 0]
    with pytest.raises(ValueError):
        points("T25")


def test_normal_visit():
    assert play_visit(501, ["T20", "T20", "S1"]) == 380


def test_won_with_a_double():
    assert play_visit(40, ["D20"]) == 0
    assert play_visit(60, ["S20", "miss", "D20"]) == 0


def test_bust():
    assert play_visit(30, ["S20", "S20", "S1"]) == 30
    assert play_visit(20, ["S20"]) == 20


def test_one_left_is_bust():
    assert play_visit(21, ["S20"]) == 21


def test_leg():
    visits = [["T20", "T20", "T20"], ["T20", "T20", "T20"], ["T20", "T19", "D12"], ["S1"]]
    assert play_leg(visits) == [321, 141, 0]
""",
        hidden=r"""
def test_one_left_ends_the_visit():
    assert play_visit(5, ["S4", "S1", "miss"]) == 5
    assert play_visit(41, ["D20", "miss", "miss"]) == 41


def test_two_left_is_not_bust():
    assert play_visit(22, ["S20", "miss", "miss"]) == 2
    assert play_visit(22, ["S20", "D1"]) == 0


def test_leg_with_busts():
    assert play_leg([["S19"], ["S20"], ["D10"]], 20) == [20, 20, 0]
    assert play_leg([["S20", "S20", "S20"], ["T20"], ["D1"]], 61) == [61, 61, 59]


def test_misses_only():
    assert play_leg([["miss"] * 3] * 2, 2) == [2, 2]
""",
    ),
    Program(
        name="vending_machine",
        code=r'''"""A vending machine."""

from collections import Counter


def make_change(amount, coins):
    """Coins that make up an amount, as a list; None if that does not work out.

    `coins` says how many coins of each value there are. As many as possible
    of the largest are taken first, then of the next, and so on.
    """
    change = []
    for value in sorted(coins):
        number = min(amount // value, coins[value])
        change += [value] * number
        amount -= value * number
    return None if amount else change


class VendingMachine:
    """Sells things for coins; all prices and coins are in cents."""

    def __init__(self, coins=()):
        self.coins = Counter(coins)
        self._goods = {}

    def fill(self, name, price, number):
        """Put goods into the machine; the price holds for the old ones too."""
        _, old = self._goods.get(name, (price, 0))
        self._goods[name] = (price, old + number)

    def stock(self, name):
        """How many there are of something."""
        return self._goods[name][1] if name in self._goods else 0

    def buy(self, name, paid):
        """Buy something with a list of coins; return the change, a list too.

        ValueError, and nothing happens, if it is sold out, too little is
        paid, or the machine has no change. The coins that are paid can be
        used for the change.
        """
        price, number = self._goods.get(name, (0, 0))
        if number == 0:
            raise ValueError("sold out")
        if sum(paid) < price:
            raise ValueError("too little")
        coins = self.coins + Counter(paid)
        change = make_change(sum(paid) - price, coins)
        if change is None:
            raise ValueError("no change")
        self.coins = coins - Counter(change)
        self._goods[name] = (price, number - 1)
        return change
''',
        wrong="for value in sorted(coins):",
        right="for value in sorted(coins, reverse=True):",
        visible=r"""
def test_exact_payment():
    machine = VendingMachine()
    machine.fill("tea", 120, 2)
    assert machine.buy("tea", [100, 20]) == []
    assert machine.stock("tea") == 1
    assert machine.coins == {100: 1, 20: 1}


def test_change():
    machine = VendingMachine([10, 10, 20, 20, 50])
    machine.fill("tea", 120, 1)
    assert machine.buy("tea", [200]) == [50, 20, 10]
    assert machine.coins == {200: 1, 20: 1, 10: 1}


def test_no_change():
    machine = VendingMachine([50])
    machine.fill("tea", 120, 1)
    with pytest.raises(ValueError):
        machine.buy("tea", [200])
    assert machine.stock("tea") == 1
    assert machine.coins == {50: 1}


def test_sold_out():
    machine = VendingMachine()
    machine.fill("tea", 100, 1)
    machine.buy("tea", [100])
    for name in ["tea", "cake"]:
        with pytest.raises(ValueError):
            machine.buy(name, [100])


def test_too_little():
    machine = VendingMachine()
    machine.fill("tea", 100, 1)
    with pytest.raises(ValueError):
        machine.buy("tea", [50, 20])
""",
        hidden=r"""
def test_large_coins_first():
    assert make_change(80, {10: 8, 20: 4, 50: 1}) == [50, 20, 10]
    assert make_change(90, {5: 100, 20: 2, 50: 1}) == [50, 20, 20]


def test_small_coins_do_not_spoil_it():
    assert make_change(100, {30: 2, 100: 1}) == [100]


def test_not_enough_small_coins():
    assert make_change(30, {20: 1, 5: 1}) is None
    assert make_change(0, {20: 1}) == []
    assert make_change(10, {}) is None


def test_paid_coins_come_back():
    machine = VendingMachine()
    machine.fill("gum", 30, 1)
    assert machine.buy("gum", [10, 20, 20, 50]) == [50, 20]
    assert machine.coins == {10: 1, 20: 1}
""",
    ),
    Program(
        name="four_in_a_row",
        code=r'''"""The game of four in a row."""

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (-1, -1))


class Game:
    """Two players, 'X' and 'O', drop stones into the columns in turn.

    X begins. A stone falls to the lowest free cell of its column. The player
    wins who first has four stones (or more) next to each other in a row, in
    a column or on a diagonal.
    """

    def __init__(self, columns=7, rows=6):
        self.rows = rows
        self._columns = [[] for _ in range(columns)]
        self.player = "X"
        self.winner = None

    def cell(self, column, row):
        """The stone in a cell, None if there is none; row 0 is the lowest."""
        if 0 <= column < len(self._columns) and 0 <= row < len(self._columns[column]):
            return self._columns[column][row]
        return None

    def drop(self, column):
        """The next move; ValueError if the game is over or the column is full."""
        if self.winner:
            raise ValueError("the game is over")
        if len(self._columns[column]) == self.rows:
            raise ValueError("the column is full")
        self._columns[column].append(self.player)
        row = len(self._columns[column]) - 1
        if any(self._stones(column, row, *step) >= 4 for step in DIRECTIONS):
            self.winner = self.player
        self.player = "O" if self.player == "X" else "X"

    def _stones(self, column, row, right, up):
        """How many equal stones there are in line with the one in a cell."""
        stone = self.cell(column, row)
        count = 1
        for sign in (1, -1):
            distance = sign
            while self.cell(column + distance * right, row + distance * up) == stone:
                count += 1
                distance += sign
        return count
''',
        wrong="(-1, -1))",
        right="(1, -1))",
        visible=r"""
def play(moves):
    game = Game()
    for column in moves:
        game.drop(column)
    return game


def test_new_game():
    game = Game()
    assert game.player == "X"
    assert game.winner is None
    assert game.cell(0, 0) is None


def test_row():
    assert play([0, 0, 1, 1, 2, 2]).winner is None
    assert play([0, 0, 1, 1, 2, 2, 3]).winner == "X"
    assert play([0, 6, 1, 6, 3, 5, 2]).winner == "X"


def test_column():
    assert play([0, 1, 0, 1, 0, 1, 6, 1]).winner == "O"


def test_diagonals():
    assert play([0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3]).winner == "X"
    assert play([6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3]).winner == "X"


def test_full_column():
    game = play([0] * 6)
    with pytest.raises(ValueError):
        game.drop(0)


def test_no_move_after_the_end():
    game = play([0, 0, 1, 1, 2, 2, 3])
    with pytest.raises(ValueError):
        game.drop(5)
""",
        hidden=r'''
def board(*lines):
    """A game with the stones given from the top row to the lowest."""
    game = Game(columns=len(lines[0]))
    for line in reversed(lines):
        for column, stone in enumerate(line):
            if stone != ".":
                game._columns[column].append(stone)
    return game


def test_falling_diagonal_closed_in_the_middle():
    game = board(
        "O....",
        "XO...",
        "XX...",
        "XXXO.",
    )
    game.player = "X"
    game.drop(4)
    game.drop(2)
    assert game.winner == "O"


def test_rising_diagonal_closed_at_the_lower_end():
    game = board(
        "...X",
        "..XO",
        ".XOO",
        ".OOX",
    )
    game.drop(0)
    assert game.winner == "X"


def test_falling_diagonal_of_three_is_not_enough():
    game = board(
        "X...",
        "OX..",
        "OOX.",
    )
    game.drop(3)
    assert game.winner is None


def test_falling_diagonal_closed_at_the_lower_end():
    game = board(
        "X....",
        "OX...",
        "OOX..",
        "OXO..",
    )
    game.drop(3)
    assert game.winner == "X"
''',
    ),
)
