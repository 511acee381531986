"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---- data structures ----
    Program(
        name="event_log_tail",
        code=r'''"""A bounded log of events that keeps only the newest entries."""


class EventLog:
    """Keeps at most `capacity` entries; older entries are dropped first.

    Every entry gets a serial number, counted from 1 over the whole life of the log,
    so that numbers stay the same when older entries are dropped.
    """

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._entries = []
        self._dropped = 0

    def __len__(self):
        return len(self._entries)

    def add(self, text):
        """Append an entry and return its serial number."""
        self._entries.append(text)
        if len(self._entries) > self.capacity:
            del self._entries[0]
            self._dropped += 1
        return self._dropped + len(self._entries)

    def tail(self, count):
        """Return the newest `count` entries, oldest of them first.

        With a count above the number of entries, all of them are returned.
        """
        if count < 0:
            raise ValueError("count must not be negative")
        return self._entries[-count:]

    def since(self, serial):
        """Return the entries that came after the entry with this serial number."""
        newer = self._dropped + len(self._entries) - serial
        return self.tail(max(newer, 0))

    def get(self, serial):
        """Return the entry with this serial number, or None if it is not kept."""
        index = serial - self._dropped - 1
        if 0 <= index < len(self._entries):
            return self._entries[index]
        return None
''',
        wrong="return self._entries[-count:]",
        right="return self._entries[max(len(self._entries) - count, 0):]",
        visible=r"""
def filled(capacity, *texts):
    log = EventLog(capacity)
    for text in texts:
        log.add(text)
    return log

def test_tail_gives_newest():
    assert filled(5, "a", "b", "c").tail(2) == ["b", "c"]

def test_tail_longer_than_log():
    assert filled(5, "a", "b").tail(10) == ["a", "b"]

def test_since_middle():
    assert filled(5, "a", "b", "c").since(1) == ["b", "c"]

def test_since_last_serial_is_empty():
    log = filled(5, "a", "b")
    assert log.since(2) == []

def test_get_after_drop():
    log = filled(2, "a", "b", "c")
    assert log.get(1) is None
    assert log.get(3) == "c"
""",
        hidden=r"""
def filled(capacity, *texts):
    log = EventLog(capacity)
    for text in texts:
        log.add(text)
    return log

def test_tail_zero():
    assert filled(3, "x", "y", "z").tail(0) == []

def test_tail_all_counts():
    log = filled(3, "v", "w", "x", "y", "z")
    assert [log.tail(n) for n in range(5)] == [[], ["z"], ["y", "z"], ["x", "y", "z"], ["x", "y", "z"]]

def test_tail_of_empty_log():
    log = EventLog(4)
    assert log.tail(0) == [] and log.tail(3) == []
    with pytest.raises(ValueError):
        log.tail(-1)

def test_since_with_drops():
    log = filled(2, "a", "b", "c", "d")
    assert log.since(0) == ["c", "d"]
    assert log.since(3) == ["d"]
    assert log.since(4) == []
    assert log.since(9) == []

def test_serials_and_length():
    log = EventLog(2)
    assert [log.add(t) for t in "abcd"] == [1, 2, 3, 4]
    assert len(log) == 2
    assert [log.get(n) for n in range(6)] == [None, None, None, "c", "d", None]
""",
    ),
    Program(
        name="interval_set",
        code=r'''"""A set of numbers kept as sorted, disjoint, half-open intervals."""

from bisect import bisect_right


def merge(intervals):
    """Return the union of (low, high) pairs as sorted pairs that neither overlap nor touch."""
    merged = []
    for low, high in sorted(intervals):
        if low >= high:
            continue
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return merged


class IntervalSet:
    """Numbers covered by half-open intervals [low, high)."""

    def __init__(self, intervals=()):
        self._intervals = merge(intervals)

    def __contains__(self, number):
        at = bisect_right(self._intervals, (number, float("inf"))) - 1
        return at >= 0 and number < self._intervals[at][1]

    def __iter__(self):
        return iter(self._intervals)

    def add(self, low, high):
        """Cover [low, high) too."""
        self._intervals = merge([*self._intervals, (low, high)])

    def remove(self, low, high):
        """Cover [low, high) no longer."""
        kept = []
        for first, last in self._intervals:
            kept.append((first, min(last, low)))
            kept.append((max(first, high), last))
        self._intervals = merge(kept)

    def total(self):
        """Return the summed length of all intervals."""
        return sum(high - low for low, high in self._intervals)
''',
        wrong="merged[-1] = (merged[-1][0], high)",
        right="merged[-1] = (merged[-1][0], max(merged[-1][1], high))",
        visible=r"""
def test_overlapping_intervals_join():
    assert merge([(1, 4), (3, 6)]) == [(1, 6)]

def test_disjoint_stay_apart():
    assert merge([(5, 6), (1, 2)]) == [(1, 2), (5, 6)]

def test_add_inside_existing():
    s = IntervalSet([(0, 10)])
    s.add(2, 5)
    assert list(s) == [(0, 10)]

def test_contains_half_open():
    s = IntervalSet([(1, 3)])
    assert 1 in s and 2 in s and 3 not in s

def test_remove_splits():
    s = IntervalSet([(0, 10)])
    s.remove(3, 5)
    assert list(s) == [(0, 3), (5, 10)]
""",
        hidden=r"""
def test_nested_then_later():
    assert merge([(0, 100), (10, 20), (15, 30), (90, 110), (200, 201)]) == [(0, 110), (200, 201)]

def test_same_start():
    assert merge([(1, 9), (1, 2), (1, 5)]) == [(1, 9)]

def test_touching_and_empty():
    assert merge([(3, 5), (1, 3), (7, 7), (9, 8)]) == [(1, 5)]

def test_total_counts_once():
    s = IntervalSet([(0, 8), (1, 2), (3, 12), (20, 25)])
    assert s.total() == 17
    s.add(4, 6)
    assert s.total() == 17

def test_contains_after_nested_add():
    s = IntervalSet([(5, 50)])
    s.add(6, 7)
    assert 49 in s and 7 in s and 50 not in s and 4 not in s

def test_remove_edges():
    s = IntervalSet([(0, 4), (6, 9)])
    s.remove(3, 7)
    assert list(s) == [(0, 3), (7, 9)]
    s.remove(-5, 100)
    assert list(s) == [] and s.total() == 0
""",
    ),
    Program(
        name="undo_history",
        code=r'''"""Undo and redo for a text document."""


class Document:
    """A text that remembers its earlier versions.

    Each edit can be undone, and an undone edit can be redone as long as no other
    edit was made in between.
    """

    def __init__(self, text="", limit=100):
        self.text = text
        self.limit = limit
        self._undo = []
        self._redo = []

    def _change(self, text):
        if text == self.text:
            return
        self._undo.append(self.text)
        del self._undo[:-self.limit]
        self.text = text

    def insert(self, position, piece):
        """Insert `piece` before the given position."""
        if not 0 <= position <= len(self.text):
            raise IndexError(position)
        self._change(self.text[:position] + piece + self.text[position:])

    def delete(self, start, end):
        """Remove the text from start up to end."""
        self._change(self.text[:start] + self.text[end:])

    def replace(self, old, new):
        """Replace every occurrence of `old`."""
        self._change(self.text.replace(old, new))

    def undo(self):
        """Take the last edit back; return whether there was one."""
        if not self._undo:
            return False
        self._redo.append(self.text)
        self.text = self._undo.pop()
        return True

    def redo(self):
        """Make the edit again that was undone last; return whether there was one."""
        if not self._redo:
            return False
        self._undo.append(self.text)
        self.text = self._redo.pop()
        return True
''',
        wrong="""        del self._undo[:-self.limit]
""",
        right="""        del self._undo[:-self.limit]
        self._redo.clear()
""",
        visible=r"""
def test_undo_restores():
    d = Document("abc")
    d.insert(1, "X")
    assert d.text == "aXbc"
    assert d.undo() and d.text == "abc"

def test_redo_after_undo():
    d = Document("abc")
    d.delete(0, 1)
    d.undo()
    assert d.redo() and d.text == "bc"

def test_nothing_to_undo():
    assert Document("q").undo() is False

def test_edit_after_undo_forgets_redo():
    d = Document("one")
    d.replace("one", "two")
    d.undo()
    d.insert(3, "!")
    assert d.redo() is False
    assert d.text == "one!"

def test_limit():
    d = Document("", limit=2)
    for ch in "abc":
        d.insert(0, ch)
    assert d.undo() and d.undo() and not d.undo()
    assert d.text == "a"
""",
        hidden=r"""
def test_edit_between_several_undos():
    d = Document("")
    for ch in "abcd":
        d.insert(len(d.text), ch)
    d.undo(); d.undo(); d.undo()
    d.insert(1, "Z")
    assert d.text == "aZ"
    assert not d.redo() and d.text == "aZ"
    assert d.undo() and d.text == "a"
    assert d.redo() and d.text == "aZ"
    assert not d.redo()

def test_edit_without_effect_keeps_redo():
    d = Document("abc")
    d.delete(0, 2)
    d.undo()
    d.replace("zzz", "y")
    assert d.redo() and d.text == "c"

def test_several_redos():
    d = Document("x")
    d.insert(1, "y"); d.insert(2, "z")
    d.undo(); d.undo()
    assert d.text == "x"
    assert d.redo() and d.redo() and not d.redo()
    assert d.text == "xyz"

def test_delete_and_replace_forget_redo_too():
    for edit in (lambda d: d.delete(0, 1), lambda d: d.replace("b", "BB")):
        d = Document("abc")
        d.insert(0, "q")
        d.undo()
        edit(d)
        after = d.text
        assert d.redo() is False and d.text == after

def test_insert_bounds():
    d = Document("ab")
    with pytest.raises(IndexError):
        d.insert(3, "c")
    assert d.undo() is False
""",
    ),
    Program(
        name="indexed_table",
        code=r'''"""An in-memory table with secondary indexes."""


class Table:
    """Rows (dicts) under an id, found quickly by the value of an indexed column."""

    def __init__(self, *indexed):
        self._rows = {}
        self._indexes = {column: {} for column in indexed}

    def __len__(self):
        return len(self._rows)

    def _enter(self, row_id, row):
        for column, index in self._indexes.items():
            index.setdefault(row.get(column), set()).add(row_id)

    def _leave(self, row_id, row):
        for column, index in self._indexes.items():
            ids = index[row.get(column)]
            ids.discard(row_id)
            if not ids:
                del index[row.get(column)]

    def insert(self, row_id, **values):
        """Add a row; its id must be new."""
        if row_id in self._rows:
            raise KeyError(f"duplicate id {row_id!r}")
        self._rows[row_id] = values
        self._enter(row_id, values)

    def update(self, row_id, **values):
        """Change some columns of a row."""
        row = {**self._rows[row_id], **values}
        self._rows[row_id] = row
        self._enter(row_id, row)

    def delete(self, row_id):
        """Remove a row."""
        self._leave(row_id, self._rows.pop(row_id))

    def find(self, column, value):
        """Return the sorted ids of the rows with this value in an indexed column."""
        return sorted(self._indexes[column].get(value, ()))

    def values(self, column):
        """Return the set of values that occur in an indexed column."""
        return set(self._indexes[column])
''',
        wrong="""        self._rows[row_id] = row
""",
        right="""        self._leave(row_id, self._rows[row_id])
        self._rows[row_id] = row
""",
        visible=r"""
def people():
    t = Table("city", "age")
    t.insert(1, name="Ann", city="Oslo", age=30)
    t.insert(2, name="Bo", city="Bern", age=30)
    t.insert(3, name="Cy", city="Oslo", age=41)
    return t

def test_find():
    assert people().find("city", "Oslo") == [1, 3]
    assert people().find("age", 30) == [1, 2]

def test_delete_removes_from_index():
    t = people()
    t.delete(2)
    assert t.find("city", "Bern") == [] and len(t) == 2

def test_update_moves_row():
    t = people()
    t.update(1, city="Bern")
    assert t.find("city", "Bern") == [1, 2]
    assert t.find("city", "Oslo") == [3]

def test_duplicate_id():
    with pytest.raises(KeyError):
        people().insert(1, city="Rome")
""",
        hidden=r"""
def people():
    t = Table("city", "age")
    t.insert(1, name="Ann", city="Oslo", age=30)
    t.insert(2, name="Bo", city="Bern", age=30)
    t.insert(3, name="Cy", city="Oslo", age=41)
    return t

def test_values_after_update():
    t = people()
    t.update(2, city="Rome")
    assert t.values("city") == {"Oslo", "Rome"}
    assert t.values("age") == {30, 41}

def test_update_of_unindexed_column():
    t = people()
    t.update(3, name="Cyd")
    assert t.find("city", "Oslo") == [1, 3] and t.find("age", 41) == [3]

def test_update_then_delete_leaves_nothing():
    t = people()
    t.update(2, city="Rome", age=5)
    t.delete(2)
    assert t.find("city", "Bern") == [] and t.find("city", "Rome") == []
    assert t.values("age") == {30, 41}
    t.delete(1); t.delete(3)
    assert t.values("city") == set() and len(t) == 0

def test_missing_column_is_none():
    t = Table("tag")
    t.insert("a")
    assert t.find("tag", None) == ["a"]
    t.update("a", tag="x")
    assert t.find("tag", None) == [] and t.find("tag", "x") == ["a"]

def test_unknown_row():
    t = people()
    with pytest.raises(KeyError):
        t.update(9, city="Oslo")
    with pytest.raises(KeyError):
        t.delete(9)
    assert t.find("city", "Oslo") == [1, 3]
""",
    ),
    Program(
        name="linked_deque",
        code=r'''"""A double-ended queue made of linked nodes."""


class Node:
    """One value and its neighbours."""

    def __init__(self, value):
        self.value = value
        self.before = self.after = None


class LinkedDeque:
    """Push and pop at both ends in constant time."""

    def __init__(self, values=()):
        self.first = self.last = None
        self.size = 0
        for value in values:
            self.push_back(value)

    def __iter__(self):
        node = self.first
        while node is not None:
            yield node.value
            node = node.after

    def push_back(self, value):
        """Add a value at the end."""
        node = Node(value)
        self._link(self.last, node)
        self.last = node
        if self.first is None:
            self.first = node
        self.size += 1

    def push_front(self, value):
        """Add a value at the front."""
        node = Node(value)
        self._link(node, self.first)
        self.first = node
        if self.last is None:
            self.last = node
        self.size += 1

    def remove(self, node):
        """Take a node of this deque out and return its value."""
        if node is None:
            raise IndexError("deque is empty")
        if node is self.first:
            self.first = node.after
        elif node is self.last:
            self.last = node.before
        self._link(node.before, node.after)
        self.size -= 1
        return node.value

    def pop_front(self):
        """Remove and return the first value."""
        return self.remove(self.first)

    def pop_back(self):
        """Remove and return the last value."""
        return self.remove(self.last)

    @staticmethod
    def _link(left, right):
        if left is not None:
            left.after = right
        if right is not None:
            right.before = left
''',
        wrong="elif node is self.last:",
        right="if node is self.last:",
        visible=r"""
def test_push_both_ends():
    d = LinkedDeque([2, 3])
    d.push_front(1)
    d.push_back(4)
    assert list(d) == [1, 2, 3, 4] and d.size == 4

def test_pops():
    d = LinkedDeque("abc")
    assert d.pop_front() == "a" and d.pop_back() == "c"
    assert list(d) == ["b"]

def test_empty_pop():
    with pytest.raises(IndexError):
        LinkedDeque().pop_front()

def test_reuse_after_emptying():
    d = LinkedDeque([7])
    assert d.pop_front() == 7
    d.push_back(8)
    d.push_back(9)
    assert list(d) == [8, 9]
    assert d.pop_back() == 9
    assert d.pop_back() == 8
    with pytest.raises(IndexError):
        d.pop_back()

def test_remove_middle_node():
    d = LinkedDeque([1, 2, 3])
    assert d.remove(d.first.after) == 2
    assert list(d) == [1, 3]
""",
        hidden=r"""
def test_single_pop_back_clears_both_ends():
    d = LinkedDeque(["x"])
    assert d.pop_back() == "x"
    assert d.first is None and d.last is None and d.size == 0
    with pytest.raises(IndexError):
        d.pop_back()

def test_single_remove_by_node():
    d = LinkedDeque([5])
    d.remove(d.last)
    d.push_front(6)
    assert d.last is d.first and d.last.value == 6
    d.push_front(4)
    assert d.pop_back() == 6 and d.pop_back() == 4

def test_drain_from_front_then_back():
    d = LinkedDeque(range(4))
    assert [d.pop_front() for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(IndexError):
        d.pop_back()
    assert d.size == 0

def test_links_backwards():
    d = LinkedDeque("abcd")
    d.remove(d.first.after)
    out, node = [], d.last
    while node is not None:
        out.append(node.value)
        node = node.before
    assert out == ["d", "c", "a"]

def test_alternate():
    d = LinkedDeque()
    for n in range(3):
        d.push_front(n)
        assert d.pop_back() == n
        assert list(d) == []
""",
    ),
    Program(
        name="header_map",
        code=r'''"""HTTP-like headers: names are compared without regard to case."""

from collections.abc import MutableMapping


class Headers(MutableMapping):
    """A mapping from header names to values.

    Looking up, testing and deleting ignore the case of a name; iteration gives each
    name as it was written when it was set last.
    """

    def __init__(self, items=()):
        self._store = {}
        for name, value in dict(items).items():
            self[name] = value

    def __setitem__(self, name, value):
        self._store[name.lower()] = (name, value)

    def __getitem__(self, name):
        return self._store[name.lower()][1]

    def __delitem__(self, name):
        del self._store[name.lower()]

    def __contains__(self, name):
        return name in self._store

    def __iter__(self):
        return (name for name, _ in self._store.values())

    def __len__(self):
        return len(self._store)

    def append(self, name, value):
        """Add a value to a header; several values are joined by a comma."""
        if name in self:
            value = f"{self[name]}, {value}"
        self[name] = value

    def as_text(self):
        """Return the headers as lines of `name: value`."""
        return "".join(f"{name}: {value}\r\n" for name, value in self._store.values())


def content_length(headers):
    """Return the announced length as an int, 0 if there is none."""
    if "Content-Length" in headers:
        return int(headers["Content-Length"])
    return 0
''',
        wrong="return name in self._store",
        right="return name.lower() in self._store",
        visible=r"""
def test_get_ignores_case():
    h = Headers({"Content-Type": "text/plain"})
    assert h["content-TYPE"] == "text/plain"

def test_iterates_names_as_written():
    h = Headers({"Host": "a", "X-Id": "1"})
    assert list(h) == ["Host", "X-Id"] and len(h) == 2

def test_content_length():
    assert content_length(Headers({"Content-Length": "12"})) == 12

def test_missing_length():
    assert content_length(Headers({"Host": "x"})) == 0

def test_append_to_lowercase():
    h = Headers()
    h.append("accept", "text/html")
    h.append("accept", "text/plain")
    assert h["Accept"] == "text/html, text/plain"
""",
        hidden=r"""
def test_contains_any_case():
    h = Headers({"ETag": "q"})
    assert "ETag" in h and "etag" in h and "ETAG" in h
    assert "tag" not in h

def test_append_mixed_case():
    h = Headers({"Via": "one"})
    h.append("VIA", "two")
    h.append("via", "three")
    assert h["Via"] == "one, two, three"
    assert list(h) == ["via"]

def test_content_length_written_otherwise():
    assert content_length(Headers({"CONTENT-LENGTH": "7"})) == 7
    assert content_length(Headers({"content-length": "0"})) == 0

def test_set_again_and_delete():
    h = Headers({"A": "1"})
    h["a"] = "2"
    assert len(h) == 1 and list(h) == ["a"] and h.as_text() == "a: 2\r\n"
    del h["A"]
    assert "a" not in h and len(h) == 0
    with pytest.raises(KeyError):
        h["A"]

def test_get_pop_setdefault():
    h = Headers({"X-One": "1"})
    assert h.get("x-one") == "1" and h.get("x-two", "no") == "no"
    assert h.setdefault("X-ONE", "5") == "1"
    assert h.pop("x-ONE") == "1" and "X-One" not in h
""",
    ),
    Program(
        name="priority_inbox",
        code=r'''"""An inbox that hands out the most urgent message first."""

import heapq
from dataclasses import dataclass, field
from itertools import count


@dataclass(order=True)
class Entry:
    """A message in the heap; the smallest entry is handed out first."""

    rank: int
    message: dict
    ticket: int
    cancelled: bool = field(default=False, compare=False)


class Inbox:
    """Messages are dicts with a `subject` and whatever else; higher priority goes first.

    Messages of the same priority are handed out in the order in which they came.
    """

    def __init__(self):
        self._heap = []
        self._serial = count()

    def put(self, message, priority=0):
        """Store a message and return its entry, by which it can be cancelled."""
        entry = Entry(-priority, message, next(self._serial))
        heapq.heappush(self._heap, entry)
        return entry

    def cancel(self, entry):
        """The message of this entry shall not be handed out any more."""
        entry.cancelled = True

    def _drop_cancelled(self):
        while self._heap and self._heap[0].cancelled:
            heapq.heappop(self._heap)

    def get(self):
        """Remove and return the next message, or None."""
        self._drop_cancelled()
        if not self._heap:
            return None
        return heapq.heappop(self._heap).message

    def peek(self):
        """Return the subject of the next message, or None."""
        self._drop_cancelled()
        return self._heap[0].message["subject"] if self._heap else None
''',
        wrong="message: dict\n",
        right="message: dict = field(compare=False)\n",
        visible=r"""
def test_urgent_first():
    box = Inbox()
    box.put({"subject": "low"}, 1)
    box.put({"subject": "high"}, 9)
    assert box.get()["subject"] == "high"
    assert box.get()["subject"] == "low"

def test_empty():
    box = Inbox()
    assert box.get() is None and box.peek() is None

def test_same_priority_in_order():
    box = Inbox()
    for name in ("b", "a", "c"):
        box.put({"subject": name})
    assert [box.get()["subject"] for _ in range(3)] == ["b", "a", "c"]

def test_cancel():
    box = Inbox()
    ticket = box.put({"subject": "x"}, 5)
    box.put({"subject": "y"}, 4)
    box.cancel(ticket)
    assert box.peek() == "y"
""",
        hidden=r"""
def test_many_equal_priorities():
    box = Inbox()
    names = ["m%d" % (i * 7 % 11) for i in range(11)]
    for i, name in enumerate(names):
        box.put({"subject": name}, i % 2)
    got = [box.get()["subject"] for _ in names]
    assert got == names[1::2] + names[0::2]
    assert box.get() is None

def test_same_message_twice():
    box = Inbox()
    m = {"subject": "s"}
    box.put(m, 2); box.put(m, 2)
    assert box.get() is m and box.get() is m and box.get() is None

def test_cancel_among_equals():
    box = Inbox()
    tickets = [box.put({"subject": s}) for s in "pqr"]
    box.cancel(tickets[1])
    assert [box.get()["subject"], box.get()["subject"], box.get()] == ["p", "r", None]

def test_negative_and_default_priority():
    box = Inbox()
    box.put({"subject": "neg"}, -1)
    box.put({"subject": "zero"})
    box.put({"subject": "zero2"})
    box.put({"subject": "neg2"}, -1)
    assert [box.get()["subject"] for _ in range(4)] == ["zero", "zero2", "neg", "neg2"]

def test_tickets_differ():
    box = Inbox()
    a = box.put({"subject": "z"}, 3)
    b = box.put({"subject": "a"}, 3)
    assert a != b and box.peek() == "z"
    box.cancel(a)
    assert box.peek() == "a"
""",
    ),
    # ---- recursion ----
    Program(
        name="flatten_settings",
        code=r'''"""Nested settings as flat dotted names, and back."""


def flatten(settings, prefix=""):
    """Return a flat dict with dotted names for all values of nested dicts.

    An empty dict counts as a value.
    """
    flat = {}
    for key, value in settings.items():
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(value, dict) and value:
            flat.update(flatten(value, key))
        else:
            flat[path] = value
    return flat


def unflatten(flat):
    """Return the nested dicts for a flat dict of dotted names."""
    settings = {}
    for path, value in flat.items():
        *parents, last = path.split(".")
        place = settings
        for key in parents:
            place = place.setdefault(key, {})
        place[last] = value
    return settings


def changes(old, new):
    """Return the sorted dotted names whose value differs between two nested settings."""
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
        visible=r"""
def test_flat_stays():
    assert flatten({"a": 1, "b": 2}) == {"a": 1, "b": 2}

def test_two_levels():
    assert flatten({"db": {"host": "h", "port": 1}}) == {"db.host": "h", "db.port": 1}

def test_unflatten():
    assert unflatten({"a.b": 1, "a.c": 2, "d": 3}) == {"a": {"b": 1, "c": 2}, "d": 3}

def test_three_levels_round_trip():
    nested = {"app": {"log": {"level": "info"}, "name": "x"}}
    assert unflatten(flatten(nested)) == nested

def test_changes():
    assert changes({"a": 1, "b": {"c": 2}}, {"a": 1, "b": {"c": 3}}) == ["b.c"]
""",
        hidden=r"""
def test_deep():
    assert flatten({"a": {"b": {"c": {"d": 5}}}}) == {"a.b.c.d": 5}

def test_same_key_under_two_parents():
    nested = {"one": {"db": {"host": 1}}, "two": {"db": {"host": 2}}}
    assert flatten(nested) == {"one.db.host": 1, "two.db.host": 2}

def test_empty_dict_is_a_value():
    assert flatten({"a": {"b": {}}, "c": {}}) == {"a.b": {}, "c": {}}

def test_prefix_given():
    assert flatten({"x": {"y": 1}, "z": 2}, "top") == {"top.x.y": 1, "top.z": 2}

def test_changes_deep():
    old = {"a": {"b": {"c": 1, "d": 2}}, "e": None}
    new = {"a": {"b": {"c": 1, "d": 3, "f": None}}}
    assert changes(old, new) == ["a.b.d", "a.b.f", "e"]
    assert changes(old, old) == []
""",
    ),
    Program(
        name="folder_report",
        code=r'''"""Sizes of a folder tree given as nested dicts.

A folder is a dict from names to folders or to the size of a file in bytes.
"""

from fnmatch import fnmatch


def ignored(name, exclude):
    """Return whether a name matches one of the exclude patterns."""
    return any(fnmatch(name, pattern) for pattern in exclude)


def total_size(folder, exclude=()):
    """Return the summed size of all files, except for excluded files and folders."""
    total = 0
    for name, item in folder.items():
        if ignored(name, exclude):
            continue
        if isinstance(item, dict):
            total += total_size(item)
        else:
            total += item
    return total


def largest_file(folder, exclude=()):
    """Return (path, size) of the largest file; the first one of equals; None without files."""
    best = None
    for name, item in folder.items():
        if ignored(name, exclude):
            continue
        if isinstance(item, dict):
            inner = largest_file(item, exclude)
            found = inner and (f"{name}/{inner[0]}", inner[1])
        else:
            found = (name, item)
        if found and (best is None or found[1] > best[1]):
            best = found
    return best


def report(folder, exclude=()):
    """Return lines `size name` for the top-level entries, the largest first."""
    rows = []
    for name, item in folder.items():
        if not ignored(name, exclude):
            size = total_size(item, exclude) if isinstance(item, dict) else item
            rows.append((-size, name))
    return [f"{-size} {name}" for size, name in sorted(rows)]
''',
        wrong="total += total_size(item)",
        right="total += total_size(item, exclude)",
        visible=r"""
TREE = {
    "src": {"main.py": 100, "main.pyc": 80, "lib": {"a.py": 10, "a.pyc": 7}},
    "notes.txt": 30,
    ".git": {"pack": 5000},
}

def test_total_of_everything():
    assert total_size(TREE) == 5227

def test_exclude_at_top():
    assert total_size(TREE, [".git"]) == 227

def test_exclude_everywhere():
    assert total_size(TREE, [".git", "*.pyc"]) == 140

def test_largest_file():
    assert largest_file(TREE, [".git"]) == ("src/main.py", 100)

def test_report_without_exclude():
    assert report(TREE) == ["5000 .git", "197 src", "30 notes.txt"]
""",
        hidden=r"""
TREE = {
    "a": {"keep": 1, "b": {"keep": 2, "tmp": 40, "c": {"tmp": {"keep": 100}, "x.log": 8}}},
    "tmp": 16,
    "z": {},
}

def test_deep_excludes():
    assert total_size(TREE, ["tmp"]) == 11
    assert total_size(TREE, ["tmp", "*.log"]) == 3
    assert total_size(TREE, ["*.log"]) == 159

def test_report_with_excludes():
    assert report(TREE, ["tmp"]) == ["11 a", "0 z"]
    assert report(TREE, ["keep", "b"]) == ["16 tmp", "0 a", "0 z"]

def test_exclude_nested_folder():
    assert total_size({"p": {"q": {"r": {"f": 9}}, "s": 1}}, ["r"]) == 1

def test_exclude_all_and_nothing():
    assert total_size(TREE, ["*"]) == 0
    assert total_size({}) == 0
    assert total_size(TREE) == 167

def test_largest_file():
    assert largest_file(TREE) == ("a/b/c/tmp/keep", 100)
    assert largest_file(TREE, ["tmp"]) == ("a/b/c/x.log", 8)
    assert largest_file({"e": {}}) is None
""",
    ),
    Program(
        name="layered_config",
        code=r'''"""Configuration in layers: later layers override earlier ones."""


def overlay(base, override):
    """Return base with the values of override laid over it; neither one is changed.

    Dicts under the same key are overlaid in turn. A value None in override removes
    the key. Lists that begin with "..." extend the list they override.
    """
    result = dict(base)
    for key, value in override.items():
        current = result.get(key)
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict) and isinstance(current, dict):
            result[key] = overlay(value, current)
        elif isinstance(value, list) and value[:1] == ["..."]:
            result[key] = [*(current or []), *value[1:]]
        else:
            result[key] = value
    return result


def load(layers):
    """Overlay all layers, the first one lowest."""
    config = {}
    for layer in layers:
        config = overlay(config, layer)
    return config


def lookup(config, path, default=None):
    """Return the value at a dotted path, or the default."""
    for key in path.split("."):
        if not isinstance(config, dict) or key not in config:
            return default
        config = config[key]
    return config
''',
        wrong="overlay(value, current)",
        right="overlay(current, value)",
        visible=r"""
def test_top_level_override():
    assert overlay({"a": 1, "b": 2}, {"b": 3}) == {"a": 1, "b": 3}

def test_nested_keys_join():
    assert overlay({"db": {"host": "x"}}, {"db": {"port": 5}}) == {"db": {"host": "x", "port": 5}}

def test_nested_override_wins():
    base = {"db": {"host": "local", "port": 1}}
    assert overlay(base, {"db": {"host": "remote"}}) == {"db": {"host": "remote", "port": 1}}

def test_none_removes():
    assert overlay({"a": 1, "b": 2}, {"a": None}) == {"b": 2}

def test_list_extends():
    assert overlay({"p": [1]}, {"p": ["...", 2]}) == {"p": [1, 2]}

def test_lookup():
    assert lookup({"a": {"b": 4}}, "a.b") == 4
    assert lookup({"a": 1}, "a.b", "none") == "none"
""",
        hidden=r"""
def test_three_levels():
    base = {"x": {"y": {"z": 1, "k": 2}}}
    assert overlay(base, {"x": {"y": {"z": 9}}}) == {"x": {"y": {"z": 9, "k": 2}}}
    assert base == {"x": {"y": {"z": 1, "k": 2}}}

def test_nested_removal_and_extension():
    base = {"s": {"names": ["a"], "old": 1}}
    assert overlay(base, {"s": {"names": ["...", "b", "c"], "old": None}}) == {"s": {"names": ["a", "b", "c"]}}

def test_layers():
    layers = [{"m": {"v": 1, "w": 1}}, {"m": {"v": 2}}, {"m": {"w": 3, "q": 4}}]
    assert load(layers) == {"m": {"v": 2, "w": 3, "q": 4}}

def test_kind_changes():
    assert overlay({"a": {"b": 1}}, {"a": 7}) == {"a": 7}
    assert overlay({"a": 7}, {"a": {"b": 1}}) == {"a": {"b": 1}}
    assert overlay({"n": {"a": {"b": 1}}}, {"n": {"a": [2]}}) == {"n": {"a": [2]}}

def test_override_unchanged():
    override = {"d": {"e": 1}}
    overlay({"d": {"e": 0, "f": 0}}, override)
    assert override == {"d": {"e": 1}}
""",
    ),
    Program(
        name="menu_tree",
        code=r'''"""A menu of nested items: dicts with a `title` and maybe a list of `items`."""


def find_trail(menu, title):
    """Return the titles from the menu's top down to the first item with this title.

    Items are searched depth first, in order. None if there is no such item.
    """
    if menu["title"] == title:
        return [title]
    for item in menu.get("items", ()):
        trail = find_trail(item, title)
        return trail and [menu["title"], *trail]
    return None


def breadcrumbs(menu, title):
    """Return the trail as one line of text, or the bare title if it is not in the menu."""
    return " > ".join(find_trail(menu, title) or [title])


def count_leaves(menu):
    """Return the number of items that have no items of their own."""
    items = menu.get("items", ())
    return sum(map(count_leaves, items)) if items else 1


def outline(menu, depth=0):
    """Return the menu as lines, indented by two blanks per level."""
    lines = ["  " * depth + menu["title"]]
    for item in menu.get("items", ()):
        lines += outline(item, depth + 1)
    return lines
''',
        wrong="""        return trail and [menu["title"], *trail]
""",
        right="""        if trail:
            return [menu["title"], *trail]
""",
        visible=r"""
MENU = {"title": "Main", "items": [
    {"title": "File", "items": [{"title": "Open"}, {"title": "Save"}]},
    {"title": "Edit", "items": [{"title": "Copy"}]},
    {"title": "Help"},
]}

def test_top():
    assert find_trail(MENU, "Main") == ["Main"]

def test_first_branch():
    assert find_trail(MENU, "Open") == ["Main", "File", "Open"]

def test_later_branch():
    assert find_trail(MENU, "Copy") == ["Main", "Edit", "Copy"]

def test_unknown():
    assert find_trail(MENU, "Quit") is None
    assert breadcrumbs(MENU, "Quit") == "Quit"

def test_outline():
    assert outline(MENU)[:3] == ["Main", "  File", "    Open"]

def test_leaves():
    assert count_leaves(MENU) == 4
""",
        hidden=r"""
MENU = {"title": "R", "items": [
    {"title": "a", "items": [{"title": "b", "items": []}, {"title": "c", "items": [{"title": "d"}, {"title": "e"}]}]},
    {"title": "f"},
    {"title": "g", "items": [{"title": "h"}, {"title": "d"}, {"title": "i"}]},
]}

def test_second_child_deep():
    assert find_trail(MENU, "e") == ["R", "a", "c", "e"]

def test_last_branch():
    assert find_trail(MENU, "i") == ["R", "g", "i"]
    assert find_trail(MENU, "f") == ["R", "f"]

def test_first_of_two():
    assert find_trail(MENU, "d") == ["R", "a", "c", "d"]

def test_breadcrumbs():
    assert breadcrumbs(MENU, "h") == "R > g > h"
    assert breadcrumbs(MENU, "zz") == "zz"

def test_not_found_anywhere():
    assert find_trail(MENU, "x") is None
    assert find_trail({"title": "q"}, "x") is None
    assert find_trail({"title": "q", "items": []}, "x") is None

def test_leaves_and_outline():
    assert count_leaves(MENU) == 7
    assert outline(MENU)[-1] == "    i"
""",
    ),
    Program(
        name="symbolic_derivative",
        code=r'''"""Expressions in one variable and their derivatives.

An expression is a number, the string "x", or a tuple: ("+", a, b), ("-", a, b),
("*", a, b), or ("^", a, n) with a constant whole number n >= 0.
"""


def value(expr, x):
    """Return the value of the expression at x."""
    if expr == "x":
        return x
    if not isinstance(expr, tuple):
        return expr
    op, left, right = expr
    if op == "^":
        return value(left, x) ** right
    a, b = value(left, x), value(right, x)
    if op == "+":
        return a + b
    if op == "-":
        return a - b
    if op == "*":
        return a * b
    raise ValueError(f"unknown operator {op!r}")


def derive(expr):
    """Return the derivative of the expression with respect to x."""
    if expr == "x":
        return 1
    if not isinstance(expr, tuple):
        return 0
    op, left, right = expr
    if op in "+-":
        return (op, derive(left), derive(right))
    if op == "*":
        return ("+", ("*", derive(left), right), ("*", left, derive(right)))
    if op == "^":
        if right == 0:
            return 0
        return ("*", right, ("^", left, right - 1))
    raise ValueError(f"unknown operator {op!r}")


def slope(expr, x):
    """Return the slope of the expression's curve at x."""
    return value(derive(expr), x)


def newton(expr, start, rounds=50):
    """Return a root of the expression near the start, by Newton's method."""
    for _ in range(rounds):
        steep = slope(expr, start)
        if steep == 0:
            break
        start -= value(expr, start) / steep
    return start
''',
        wrong='return ("*", right, ("^", left, right - 1))',
        right='return ("*", ("*", right, ("^", left, right - 1)), derive(left))',
        visible=r"""
def test_value():
    assert value(("+", ("*", 2, "x"), 1), 3) == 7

def test_sum_and_difference():
    assert slope(("-", ("+", "x", "x"), 5), 10) == 2

def test_product():
    assert slope(("*", "x", ("*", "x", "x")), 2) == 12

def test_power_of_x():
    assert slope(("^", "x", 4), 2) == 32

def test_power_of_expression():
    # (3x + 1)^2
    assert slope(("^", ("+", ("*", 3, "x"), 1), 2), 1) == 24

def test_newton():
    assert abs(newton(("-", ("^", "x", 2), 2), 1.0) - 2 ** 0.5) < 1e-9
""",
        hidden=r"""
def test_power_of_constant():
    assert slope(("^", 5, 3), 2) == 0

def test_power_of_power():
    # (x^2)^3 = x^6
    assert slope(("^", ("^", "x", 2), 3), 2) == 6 * 32

def test_power_in_product():
    # x * (1 - x)^3
    expr = ("*", "x", ("^", ("-", 1, "x"), 3))
    assert slope(expr, 3) == (1 - 3) ** 3 - 3 * 3 * (1 - 3) ** 2

def test_exponent_zero_and_one():
    assert slope(("^", ("*", 7, "x"), 0), 5) == 0
    assert slope(("^", ("*", 7, "x"), 1), 5) == 7
    assert slope(("^", "x", 1), 0) == 1

def test_against_differences():
    expr = ("^", ("-", ("*", "x", "x"), ("*", 4, "x")), 3)
    for x in (-2, 0.5, 3):
        h = 1e-6
        near = (value(expr, x + h) - value(expr, x - h)) / (2 * h)
        assert abs(slope(expr, x) - near) < 1e-3

def test_unknown_operator():
    with pytest.raises(ValueError):
        derive(("/", 1, "x"))
    with pytest.raises(ValueError):
        value(("/", 1, "x"), 2)
""",
    ),
    Program(
        name="coin_change",
        code=r'''"""Ways to pay an amount with coins."""


def count_ways(amount, coins):
    """Return in how many ways the amount can be paid, the order of the coins not counting.

    Each kind of coin may be used any number of times.
    """
    coins = sorted(set(coins), reverse=True)
    memo = {}

    def ways(rest, kind):
        """Ways to pay the rest with coins[kind:]."""
        if rest == 0:
            return 1
        if rest < 0 or kind == len(coins):
            return 0
        key = rest
        if key not in memo:
            memo[key] = ways(rest - coins[kind], kind) + ways(rest, kind + 1)
        return memo[key]

    return ways(amount, 0)


def fewest_coins(amount, coins):
    """Return a shortest list of coins that pays the amount, or None if there is none."""
    best = {0: []}
    for target in range(1, amount + 1):
        options = [best[target - coin] + [coin] for coin in sorted(coins) if best.get(target - coin) is not None]
        best[target] = min(options, key=len, default=None)
    return best[amount]


def payable(limit, coins):
    """Return the amounts from 1 to the limit that can be paid at all."""
    return [amount for amount in range(1, limit + 1) if count_ways(amount, coins)]
''',
        wrong="key = rest\n",
        right="key = (rest, kind)\n",
        visible=r"""
def test_single_coin():
    assert count_ways(6, [2]) == 1
    assert count_ways(7, [2]) == 0

def test_nothing_to_pay():
    assert count_ways(0, [1, 2]) == 1

def test_classic():
    assert count_ways(5, [1, 2, 5]) == 4

def test_hundred():
    assert count_ways(100, [1, 5, 10, 25, 50]) == 292

def test_fewest():
    assert sorted(fewest_coins(11, [1, 5, 6])) == [5, 6]
    assert fewest_coins(3, [2]) is None

def test_payable():
    assert payable(6, [4]) == [4]
""",
        hidden=r"""
def brute(amount, coins):
    ways = [1] + [0] * amount
    for coin in set(coins):
        for n in range(coin, amount + 1):
            ways[n] += ways[n - coin]
    return ways[amount]

def test_against_table():
    for coins in ([1, 2], [2, 3, 7], [1, 3, 4], [5, 1, 2, 10], [3, 6, 9]):
        for amount in range(0, 31):
            assert count_ways(amount, coins) == brute(amount, coins)

def test_repeated_coins_do_not_count_twice():
    assert count_ways(10, [2, 2, 5, 5]) == 2

def test_no_coins():
    assert count_ways(0, []) == 1 and count_ways(3, []) == 0

def test_payable():
    assert payable(12, [5, 3]) == [3, 5, 6, 8, 9, 10, 11, 12]

def test_fewest():
    assert fewest_coins(0, [3]) == []
    assert len(fewest_coins(30, [1, 10, 25])) == 3
""",
    ),
    # ---- text and parsing ----
    Program(
        name="branch_labels",
        code=r'''"""Labels for the branches of a repository."""

import re

KINDS = ("feature", "bugfix", "release")


def kind_of(branch):
    """Return the kind of a branch `kind/topic`, or None if it has no known kind."""
    head, slash, _ = branch.partition("/")
    return head if slash and head in KINDS else None


def topic_of(branch):
    """Return the branch's name without its kind; other branches are returned as they are."""
    kind = kind_of(branch)
    if kind is None:
        return branch
    return branch.lstrip(kind + "/")


def label(branch):
    """Return a readable label: `Topic words (kind)`, or without a kind `Topic words`.

    Dashes and underscores of the topic become blanks; its first letter becomes a capital.
    """
    words = re.sub(r"[-_]+", " ", topic_of(branch)).strip()
    text = words[:1].upper() + words[1:]
    kind = kind_of(branch)
    return f"{text} ({kind})" if kind else text


def group(branches):
    """Return a dict from kind (None for the rest) to the sorted topics of that kind."""
    groups = {}
    for branch in branches:
        groups.setdefault(kind_of(branch), []).append(topic_of(branch))
    return {kind: sorted(topics) for kind, topics in groups.items()}
''',
        wrong='branch.lstrip(kind + "/")',
        right='branch.removeprefix(kind + "/")',
        visible=r"""
def test_kind():
    assert kind_of("feature/login") == "feature"
    assert kind_of("main") is None
    assert kind_of("wip/login") is None

def test_topic():
    assert topic_of("feature/login") == "login"
    assert topic_of("main") == "main"

def test_label():
    assert label("bugfix/no-crash_on-exit") == "No crash on exit (bugfix)"

def test_label_of_export():
    assert label("feature/export-table") == "Export table (feature)"

def test_group():
    assert group(["main", "release/1.0", "release/0.9"]) == {None: ["main"], "release": ["0.9", "1.0"]}
""",
        hidden=r"""
def test_topic_begins_with_letters_of_kind():
    assert topic_of("feature/feature-flags") == "feature-flags"
    assert topic_of("bugfix/fix-gui") == "fix-gui"
    assert topic_of("release/easter") == "easter"
    assert topic_of("feature/true") == "true"

def test_topic_with_slashes():
    assert topic_of("feature/ui/menu") == "ui/menu"
    assert topic_of("bugfix//x") == "/x"
    assert topic_of("feature/feature/x") == "feature/x"

def test_other_branches():
    assert topic_of("wip/feature/x") == "wip/feature/x"
    assert topic_of("feature") == "feature"

def test_empty_topic():
    assert topic_of("release/") == "" and label("release/") == " (release)"

def test_group_and_label():
    assert group(["feature/auth", "feature/retry", "bugfix/big", "x"]) == {
        "feature": ["auth", "retry"], "bugfix": ["big"], None: ["x"]}
    assert label("release/alpha") == "Alpha (release)"
    assert label("my_old--branch") == "My old branch"
""",
    ),
    Program(
        name="query_string",
        code=r'''"""Reading and writing the query part of addresses."""

from urllib.parse import quote, unquote_plus


def parse(query):
    """Return a dict from names to lists of values.

    A leading "?" is ignored, and so are empty parts. A part without "=" has the value "".
    Names and values are unquoted.
    """
    result = {}
    for part in query.removeprefix("?").split("&"):
        if not part:
            continue
        name, *rest = part.split("=")
        value = rest[0] if rest else ""
        result.setdefault(unquote_plus(name), []).append(unquote_plus(value))
    return result


def build(values):
    """Return the query for a dict from names to lists of values."""
    return "&".join(
        f"{quote(name, safe='')}={quote(value, safe='')}"
        for name, several in values.items()
        for value in several
    )


def first(query, name, default=None):
    """Return the first value of a name."""
    return parse(query).get(name, [default])[0]


def with_value(query, name, value):
    """Return the query with exactly one value for a name, which takes the place of the old ones."""
    values = parse(query)
    values[name] = [value]
    return build(values)
''',
        wrong='part.split("=")',
        right='part.split("=", 1)',
        visible=r"""
def test_simple():
    assert parse("a=1&b=2&a=3") == {"a": ["1", "3"], "b": ["2"]}

def test_question_mark_and_empty_parts():
    assert parse("?x=1&&y") == {"x": ["1"], "y": [""]}

def test_unquotes():
    assert parse("q=a+b%26c") == {"q": ["a b&c"]}

def test_value_with_equals_sign():
    assert first("token=abc==&x=1", "token") == "abc=="

def test_build():
    assert build({"a b": ["1&2"], "c": ["x", "y"]}) == "a%20b=1%262&c=x&c=y"
""",
        hidden=r"""
def test_equals_signs():
    assert parse("e=mc=2&f==&g=") == {"e": ["mc=2"], "f": ["="], "g": [""]}

def test_filter_expression():
    assert first("filter=price>=10=ok", "filter") == "price>=10=ok"
    assert parse("a=b=c&a=d=e=f") == {"a": ["b=c", "d=e=f"]}

def test_missing_name_is_empty():
    assert parse("=v=w") == {"": ["v=w"]}

def test_with_value():
    assert with_value("sig=x%3Dy=z&a=1&a=2", "a", "3") == "sig=x%3Dy%3Dz&a=3"
    assert with_value("", "n", "=") == "n=%3D"

def test_round_trip():
    values = {"k=": ["=v=", "", "a b"], "ü": ["&"]}
    assert parse(build(values)) == values

def test_first_default():
    assert first("a=1", "b") is None and first("a=1", "b", "d") == "d"
    assert first("flag", "flag") == ""
""",
    ),
    Program(
        name="wrap_paragraph",
        code=r'''"""Breaking paragraphs into lines."""


def wrap(text, width):
    """Return the words of the text as lines of at most `width` characters.

    Words are parted by one blank; a word longer than the width has a line of its own.
    """
    lines = []
    line, length = [], 0
    for word in text.split():
        needed = len(word) + (1 if line else 0)
        if line and length + needed > width:
            lines.append(" ".join(line))
            line, length = [word], 0
        else:
            line.append(word)
            length += needed
    if line:
        lines.append(" ".join(line))
    return lines


def paragraphs(text):
    """Return the paragraphs of a text, which are parted by blank lines."""
    result, current = [], []
    for line in text.splitlines():
        if line.strip():
            current.append(line.strip())
        elif current:
            result.append(" ".join(current))
            current = []
    if current:
        result.append(" ".join(current))
    return result


def reflow(text, width, indent=""):
    """Return the text with each paragraph wrapped anew, every line indented."""
    inner = width - len(indent)
    blocks = []
    for paragraph in paragraphs(text):
        blocks.append("\n".join(indent + line for line in wrap(paragraph, inner)))
    return "\n\n".join(blocks)
''',
        wrong="line, length = [word], 0",
        right="line, length = [word], len(word)",
        visible=r"""
def test_fits():
    assert wrap("a short line", 20) == ["a short line"]

def test_two_lines():
    assert wrap("hello big world", 9) == ["hello big", "world"]

def test_three_lines():
    assert wrap("aaa bbb ccc ddd eee fff", 8) == ["aaa bbb", "ccc ddd", "eee fff"]

def test_long_word():
    assert wrap("incomprehensible", 5) == ["incomprehensible"]

def test_paragraphs():
    assert paragraphs("a\nb\n\n\nc\n") == ["a b", "c"]

def test_reflow():
    assert reflow("one\n\ntwo", 10, "> ") == "> one\n\n> two"
""",
        hidden=r"""
TEXT = "It was the best of times it was the worst of times it was the age of wisdom"

def greedy(words, width):
    lines = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines

def test_all_widths():
    for width in range(1, 90):
        assert wrap(TEXT, width) == greedy(TEXT.split(), width)

def test_long_word_in_the_middle():
    assert wrap("ab abcdefgh cd ef", 5) == ["ab", "abcdefgh", "cd ef"]

def test_exact_fit_on_later_line():
    assert wrap("xxxx yy zz w", 5) == ["xxxx", "yy zz", "w"]
    assert wrap("xxxx yy zzz w", 6) == ["xxxx", "yy zzz", "w"]

def test_empty():
    assert wrap("", 5) == [] and wrap("  \n ", 5) == [] and reflow("\n\n", 5) == ""

def test_reflow_two_paragraphs():
    assert reflow("a b c\nd e\n\n\nf  g h", 7, "  ") == "  a b c\n  d e\n\n  f g h"
    assert reflow("aa bb cc dd", 5) == "aa bb\ncc dd"
""",
    ),
    Program(
        name="token_positions",
        code=r'''"""A tokenizer that knows the line and column of every token."""

import re
from typing import NamedTuple

PATTERN = re.compile(
    r"(?P<newline>\n)|(?P<blank>[ \t]+)|(?P<comment>#[^\n]*)"
    r"|(?P<number>\d+)|(?P<name>[A-Za-z_]\w*)|(?P<text>\"[^\"]*\")|(?P<sign>[-+*/=();])"
)


class Token(NamedTuple):
    """A piece of the source with the place where it begins, both counted from 1."""

    kind: str
    text: str
    line: int
    column: int


def tokenize(source):
    """Return the tokens of the source without blanks, line ends and comments.

    Raises ValueError, with line and column, for a character that begins no token.
    A text in quotes may run over several lines.
    """
    tokens = []
    line, line_start, at = 1, 0, 0
    while at < len(source):
        match = PATTERN.match(source, at)
        column = at - line_start + 1
        if match is None:
            raise ValueError(f"unexpected {source[at]!r} at {line}:{column}")
        kind, text = match.lastgroup, match.group()
        at = match.end()
        if kind not in ("newline", "blank", "comment"):
            tokens.append(Token(kind, text, line, column))
        if "\n" in text:
            line += text.count("\n")
            line_start = match.end() - len(text)
    return tokens


def where(source, name):
    """Return the (line, column) of every use of a name."""
    return [(t.line, t.column) for t in tokenize(source) if t.kind == "name" and t.text == name]
''',
        wrong="line_start = match.end() - len(text)",
        right='line_start = match.start() + text.rindex("\\n") + 1',
        visible=r"""
def test_kinds():
    assert [t.kind for t in tokenize('x = 1 + "a"; # end')] == ["name", "sign", "number", "sign", "text", "sign"]

def test_columns_in_first_line():
    assert where("ab + ab", "ab") == [(1, 1), (1, 6)]

def test_second_line():
    assert where("x = 1\n  x = 2", "x") == [(1, 1), (2, 3)]

def test_error_in_first_line():
    with pytest.raises(ValueError, match="'@' at 1:3"):
        tokenize("a @")

def test_text_over_lines_counts_lines():
    assert tokenize('"a\nb"\nc')[-1].line == 3
""",
        hidden=r"""
def test_start_of_lines():
    assert where("a\na\n\na", "a") == [(1, 1), (2, 1), (4, 1)]

def test_after_text_over_lines():
    assert tokenize('s = "one\ntwo" + y')[-1] == Token("name", "y", 2, 8)
    assert where('"p\n\nq" z\nz', "z") == [(3, 4), (4, 1)]

def test_error_on_later_line():
    with pytest.raises(ValueError, match="'\\$' at 3:2"):
        tokenize("a\nb\n\t$")

def test_text_ends_with_newline():
    assert tokenize('"x\n"w')[-1] == Token("name", "w", 2, 2)

def test_comments_and_blank_lines():
    tokens = tokenize("# c\n\n  n = 12 # n\nn")
    assert tokens == [Token("name", "n", 3, 3), Token("sign", "=", 3, 5), Token("number", "12", 3, 7), Token("name", "n", 4, 1)]

def test_multiline_text_own_place():
    assert tokenize('\n "a\nb"')[0] == Token("text", '"a\nb"', 2, 2)
""",
    ),
    Program(
        name="release_order",
        code=r'''"""Ordering of release names such as 1.4, 2.0.1 or 2.0rc3."""

import re

SHAPE = re.compile(r"v?(\d+(?:\.\d+)*)(?:(a|b|rc)(\d+))?")
STAGES = {"a": 0, "b": 1, "rc": 2, None: 3}


def sort_key(release):
    """Return a key by which releases sort from old to new.

    Missing numbers count as zero, so 1.2 and 1.2.0 are equal. Alphas come before betas,
    betas before candidates, and all of these before the release itself.
    """
    match = SHAPE.fullmatch(release)
    if match is None:
        raise ValueError(f"not a release: {release!r}")
    numbers, stage, serial = match.groups()
    parts = [int(number) for number in numbers.split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts), STAGES[stage], serial or 0


def newest(releases, stable=True):
    """Return the newest release, by default of the final ones only; None if there is none."""
    candidates = [r for r in releases if not stable or SHAPE.fullmatch(r).group(2) is None]
    return max(candidates, key=sort_key, default=None)


def between(releases, low, high):
    """Return the releases from low (included) to high (not included), oldest first."""
    chosen = [r for r in releases if sort_key(low) <= sort_key(r) < sort_key(high)]
    return sorted(chosen, key=sort_key)
''',
        wrong="serial or 0",
        right="int(serial or 0)",
        visible=r"""
def test_numbers_not_text():
    assert newest(["1.9", "1.10", "1.2"]) == "1.10"

def test_missing_numbers_are_zero():
    assert sort_key("1.2") == sort_key("v1.2.0")

def test_stages():
    names = ["2.0", "2.0rc1", "2.0a5", "2.0b2"]
    assert sorted(names, key=sort_key) == ["2.0a5", "2.0b2", "2.0rc1", "2.0"]

def test_many_candidates():
    assert newest(["3.0rc9", "3.0rc10", "3.0rc2"], stable=False) == "3.0rc10"

def test_not_a_release():
    with pytest.raises(ValueError):
        sort_key("1.x")

def test_between():
    assert between(["1.1", "2.0", "1.0", "1.5"], "1.0", "2.0") == ["1.0", "1.1", "1.5"]
""",
        hidden=r"""
def test_serials_as_numbers():
    names = ["1.0a11", "1.0a2", "1.0a100", "1.0a1"]
    assert sorted(names, key=sort_key) == ["1.0a1", "1.0a2", "1.0a11", "1.0a100"]

def test_leading_zero_serial():
    assert sort_key("1.0rc02") == sort_key("1.0rc2")
    assert sort_key("1.0rc0") < sort_key("1.0rc1")

def test_between_with_serials():
    releases = ["2.0b12", "2.0b9", "2.0b3", "2.0", "1.9"]
    assert between(releases, "2.0b4", "2.0") == ["2.0b9", "2.0b12"]

def test_final_releases_equal():
    assert sort_key("v2") == sort_key("2.0.0") > sort_key("2.0rc99")
    assert sort_key("0.0") < sort_key("0.0.1")

def test_newest():
    assert newest(["1.0", "1.1rc1"]) == "1.0"
    assert newest(["1.1rc1"]) is None
    assert newest(["1.0", "1.1rc1"], stable=False) == "1.1rc1"
""",
    ),
    Program(
        name="account_names",
        code=r'''"""Checking and proposing account names."""

import re
import unicodedata

ALLOWED = re.compile(r"[a-z][a-z0-9_]{2,11}")
RESERVED = {"admin", "root", "support"}


def problem(name, taken=()):
    """Return what is wrong with an account name, or None if it can be used.

    A name has 3 to 12 characters: small letters, digits and underscores, the first one
    a letter. Reserved names and taken ones cannot be used.
    """
    if not ALLOWED.match(name):
        return "malformed"
    if name in RESERVED:
        return "reserved"
    if name in taken:
        return "taken"
    return None


def simplify(full_name):
    """Return a person's name as plain small letters, with underscores between its words."""
    plain = unicodedata.normalize("NFKD", full_name).encode("ascii", "ignore").decode()
    return "_".join(re.findall(r"[a-z0-9]+", plain.lower()))


def propose(full_name, taken=()):
    """Return a usable account name for a person.

    It is the simplified name, cut to the allowed length; if that cannot be used, numbers
    from 2 on are put at its end. Names too short or beginning with a digit get "u_" first.
    """
    base = simplify(full_name)[:12].rstrip("_")
    if problem(base) == "malformed":
        base = "u_" + base
    name, number = base[:12], 2
    while problem(name, taken) is not None and number < 1000:
        ending = str(number)
        name = base[: 12 - len(ending)] + ending
        number += 1
    return name
''',
        wrong="ALLOWED.match(name)",
        right="ALLOWED.fullmatch(name)",
        visible=r"""
def test_good_names():
    for name in ("bob", "a_1", "abcdefghijkl"):
        assert problem(name) is None

def test_bad_start():
    assert problem("1bob") == "malformed"
    assert problem("_bob") == "malformed"
    assert problem("ab") == "malformed"

def test_too_long():
    assert problem("abcdefghijklm") == "malformed"

def test_strange_characters():
    assert problem("bob smith") == "malformed"
    assert problem("bob!") == "malformed"

def test_reserved_and_taken():
    assert problem("root") == "reserved"
    assert problem("bob", {"bob"}) == "taken"

def test_propose():
    assert propose("Zoë Müller") == "zoe_muller"
    assert propose("Bob", {"bob", "bob2"}) == "bob3"
""",
        hidden=r"""
def test_trailing_newline():
    assert problem("bob\n") == "malformed"

def test_capital_or_dash_later():
    assert problem("bobSmith") == "malformed"
    assert problem("bob-smith") == "malformed"
    assert problem("abcd\u00e9") == "malformed"

def test_length_limits():
    assert problem("a" * 12) is None
    assert problem("a" * 13) == "malformed"
    assert problem("a" * 40) == "malformed"
    assert problem("abc") is None and problem("") == "malformed"

def test_reserved_only_as_a_whole():
    assert problem("admin") == "reserved"
    assert problem("admin2") is None

def test_propose_short_and_long():
    assert propose("Al") == "u_al"
    assert propose("Bartholomew Longname") == "bartholomew"
    assert propose("abcdefghijklmno", {"abcdefghijkl"}) == "abcdefghijk2"
    assert propose("Root") == "root2"
    assert propose("4ever") == "u_4ever"
""",
    ),
    Program(
        name="command_split",
        code=r'''"""Splitting a command line into its words, much like a shell does."""


def split_command(line):
    """Return the words of a line.

    Words are parted by blanks. Within single or double quotes blanks are part of the
    word; quotes may begin and end within a word, and a pair of quotes with nothing in
    between is a word that is empty. A backslash outside of single quotes takes the
    following character as it is. Raises ValueError if a quote is not closed.
    """
    words = []
    current, quote = None, None
    characters = iter(line)
    for ch in characters:
        if ch == "\\" and quote != "'":
            current = (current or "") + next(characters, "")
        elif quote:
            if ch == quote:
                quote = None
            else:
                current += ch
        elif ch in "'\"":
            quote = ch
            current = current or ""
        elif ch.isspace():
            if current:
                words.append(current)
            current = None
        else:
            current = (current or "") + ch
    if quote:
        raise ValueError("quote is not closed")
    if current is not None:
        words.append(current)
    return words


def options(words):
    """Part words into a dict of `--name=value` options and the list of other words.

    An option without a value is True; after a word "--" everything is an ordinary word.
    """
    found, others = {}, []
    for at, word in enumerate(words):
        if word == "--":
            return found, others + words[at + 1:]
        if word.startswith("--"):
            name, sign, value = word[2:].partition("=")
            found[name] = value if sign else True
        else:
            others.append(word)
    return found, others
''',
        wrong="""            if current:
""",
        right="""            if current is not None:
""",
        visible=r"""
def test_blanks():
    assert split_command("  cp  a   b ") == ["cp", "a", "b"]

def test_quotes():
    assert split_command("say 'a b' \"c d\"") == ["say", "a b", "c d"]

def test_quotes_within_word():
    assert split_command("x'y z'w") == ["xy zw"]

def test_empty_argument():
    assert split_command("set name '' now") == ["set", "name", "", "now"]

def test_backslash():
    assert split_command("a\\ b '\\'") == ["a b", "\\"]

def test_open_quote():
    with pytest.raises(ValueError):
        split_command("say 'oops")

def test_options():
    assert options(["-x", "--a=1", "--b", "--", "--c"]) == ({"a": "1", "b": True}, ["-x", "--c"])
""",
        hidden=r"""
def test_several_empty_words():
    assert split_command("'' \"\" ''") == ["", "", ""]
    assert split_command("\"\" x") == ["", "x"]

def test_no_empty_words_from_blanks():
    assert split_command("") == []
    assert split_command("  \t ") == []
    assert split_command("a \t\n b  ") == ["a", "b"]

def test_empty_at_end():
    assert split_command("a ''") == ["a", ""]
    assert split_command("a '' ") == ["a", ""]

def test_quotes_joined_with_word():
    assert split_command("''a b''\"\" c") == ["a", "b", "c"]

def test_other_quote_within():
    assert split_command("\"it's\" 'say \"x\"'") == ["it's", 'say "x"']
    assert split_command("\\\"a \"b\\\"c\"") == ['"a', 'b"c']

def test_options_plain():
    assert options(split_command("run --msg='' --n=1=2 '' z")) == ({"msg": "", "n": "1=2"}, ["run", "", "z"])
""",
    ),
    # ---- arithmetic, dates and money ----
    Program(
        name="month_arithmetic",
        code=r'''"""Adding months to dates, and the due dates of monthly payments."""

from calendar import monthrange
from datetime import date


def days_in(year, month):
    """Return the number of days of a month."""
    return monthrange(year, month)[1]


def add_months(day, months):
    """Return the date that many months later (or earlier, if negative).

    If the resulting month has no such day, its last day is returned.
    """
    year, month0 = divmod(day.year * 12 + day.month - 1 + months, 12)
    month = month0 + 1
    return date(year, month, min(day.day, days_in(day.year, day.month)))


def due_dates(first, count, every=1):
    """Return `count` due dates, the first one and then one every so many months.

    All of them fall on the same day of the month as the first, where the month has it.
    """
    return [add_months(first, number * every) for number in range(count)]


def whole_months(start, end):
    """Return how many whole months lie between two dates; start must not be later."""
    if start > end:
        raise ValueError("start is later than end")
    months = (end.year - start.year) * 12 + end.month - start.month
    if add_months(start, months) > end:
        months -= 1
    return months


def age_text(start, end):
    """Return the time between two dates as `Y years M months D days`."""
    months = whole_months(start, end)
    days = (end - add_months(start, months)).days
    return f"{months // 12} years {months % 12} months {days} days"
''',
        wrong="days_in(day.year, day.month)",
        right="days_in(year, month)",
        visible=r"""
from datetime import date

def test_next_month():
    assert add_months(date(2023, 4, 12), 1) == date(2023, 5, 12)

def test_over_new_year():
    assert add_months(date(2023, 11, 30), 3 + 12) == date(2025, 2, 28)

def test_back():
    assert add_months(date(2024, 1, 15), -2) == date(2023, 11, 15)

def test_due_dates():
    assert due_dates(date(2023, 1, 10), 3, 6) == [date(2023, 1, 10), date(2023, 7, 10), date(2024, 1, 10)]

def test_whole_months():
    assert whole_months(date(2023, 1, 10), date(2023, 3, 9)) == 1
    assert whole_months(date(2023, 1, 10), date(2023, 3, 10)) == 2
""",
        hidden=r"""
from datetime import date

def test_end_of_january():
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)
    assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)
    assert add_months(date(2024, 1, 30), 13) == date(2025, 2, 28)

def test_thirty_days():
    assert add_months(date(2023, 3, 31), 1) == date(2023, 4, 30)
    assert add_months(date(2023, 3, 31), -4) == date(2022, 11, 30)

def test_short_to_long_month_keeps_day():
    assert add_months(date(2023, 4, 30), 1) == date(2023, 5, 30)
    assert add_months(date(2024, 2, 29), 12) == date(2025, 2, 28)
    assert add_months(date(2024, 2, 29), 48) == date(2028, 2, 29)

def test_due_dates_come_back_to_31():
    assert due_dates(date(2023, 12, 31), 4) == [date(2023, 12, 31), date(2024, 1, 31), date(2024, 2, 29), date(2024, 3, 31)]

def test_age_text():
    assert age_text(date(2020, 1, 31), date(2023, 3, 1)) == "3 years 1 months 1 days"
    assert age_text(date(2023, 5, 5), date(2023, 5, 5)) == "0 years 0 months 0 days"

def test_whole_months_wrong_order():
    with pytest.raises(ValueError):
        whole_months(date(2023, 2, 2), date(2023, 2, 1))
""",
    ),
    Program(
        name="invoice_totals",
        code=r'''"""Amounts on an invoice, in exact decimals."""

from decimal import Decimal, ROUND_HALF_UP

CENT = Decimal("0.01")


def to_cents(amount):
    """Round an amount to whole cents; half a cent is rounded away from zero."""
    return Decimal(amount).quantize(CENT)


class Invoice:
    """Lines of (text, quantity, price, tax rate in percent)."""

    def __init__(self, discount="0"):
        self.discount = Decimal(discount)
        self.lines = []

    def add(self, text, quantity, price, tax="20"):
        """Add a line; numbers may be given as text."""
        self.lines.append((text, Decimal(quantity), Decimal(price), Decimal(tax)))

    def net(self, line):
        """Return the net amount of a line after the discount, in whole cents."""
        _, quantity, price, _ = line
        return to_cents(quantity * price * (100 - self.discount) / 100)

    def taxes(self):
        """Return a dict from tax rate to its amount, rounded once per rate."""
        bases = {}
        for line in self.lines:
            rate = line[3]
            bases[rate] = bases.get(rate, Decimal(0)) + self.net(line)
        return {rate: to_cents(base * rate / 100) for rate, base in sorted(bases.items())}

    def total(self):
        """Return the amount to pay: all net amounts and all taxes."""
        return sum(map(self.net, self.lines), Decimal(0)) + sum(self.taxes().values())


def in_cash(amount, coin="0.05"):
    """Return the amount rounded to the smallest coin, half a coin rounded up."""
    coin = Decimal(coin)
    return ((Decimal(amount) / coin).quantize(Decimal(1), rounding=ROUND_HALF_UP) * coin).quantize(CENT)
''',
        wrong="Decimal(amount).quantize(CENT)",
        right="Decimal(amount).quantize(CENT, rounding=ROUND_HALF_UP)",
        visible=r"""
from decimal import Decimal

def test_to_cents():
    assert to_cents("1.234") == Decimal("1.23")
    assert to_cents("1.236") == Decimal("1.24")

def test_total():
    i = Invoice()
    i.add("pen", "2", "1.50")
    i.add("book", "1", "10.00", "10")
    assert i.total() == Decimal("14.60")

def test_discount():
    i = Invoice("10")
    i.add("lamp", "1", "99.99")
    assert i.net(i.lines[0]) == Decimal("89.99")

def test_half_a_cent():
    i = Invoice()
    i.add("nail", "0.5", "0.25", "0")
    assert i.total() == Decimal("0.13")
    i.add("screw", "0.5", "0.01", "0")
    assert i.total() == Decimal("0.14")

def test_in_cash():
    assert in_cash("1.02") == Decimal("1.00")
    assert in_cash("1.025") == Decimal("1.05")
""",
        hidden=r"""
from decimal import Decimal

def test_halves():
    for given, wanted in (("0.005", "0.01"), ("0.015", "0.02"), ("2.665", "2.67"), ("2.675", "2.68"), ("10.445", "10.45")):
        assert to_cents(given) == Decimal(wanted)

def test_negative_halves():
    assert to_cents("-0.005") == Decimal("-0.01")
    assert to_cents("-1.025") == Decimal("-1.03")

def test_just_below_and_above():
    assert to_cents("0.0049") == Decimal("0.00")
    assert to_cents("0.0051") == Decimal("0.01")
    assert to_cents("0.0101") == Decimal("0.01")
    assert to_cents(3) == Decimal("3.00")

def test_tax_half():
    i = Invoice()
    i.add("a", "1", "0.45", "10")
    i.add("b", "1", "1.00", "20")
    assert i.taxes() == {Decimal(10): Decimal("0.05"), Decimal(20): Decimal("0.20")}
    assert i.total() == Decimal("1.70")

def test_discount_half():
    i = Invoice("50")
    i.add("x", "1", "0.25", "0")
    i.add("y", "3", "0.03", "0")
    assert [i.net(line) for line in i.lines] == [Decimal("0.13"), Decimal("0.05")]

def test_shape_of_results():
    assert str(to_cents("7")) == "7.00" and Invoice().total() == 0
    assert str(in_cash("0.07")) == "0.05" and str(in_cash("2.5", "1")) == "3.00"
""",
    ),
    Program(
        name="time_sheet",
        code=r'''"""Working hours from pairs of times of coming and going."""

from datetime import datetime, timedelta

FORMAT = "%Y-%m-%d %H:%M"


def parse_time(text):
    """Return the time written as `2024-05-31 08:15`."""
    return datetime.strptime(text, FORMAT)


def worked(pairs):
    """Return the summed time of pairs (come, go) as a timedelta."""
    total = timedelta()
    for come, go in pairs:
        start, end = parse_time(come), parse_time(go)
        if end < start:
            raise ValueError(f"went at {go}, before coming at {come}")
        total += end - start
    return total


def minutes(duration):
    """Return a timedelta in whole minutes; it may be negative or longer than a day."""
    return duration.seconds // 60


def as_text(duration):
    """Return a duration as `H:MM`, with a minus sign in front if it is negative."""
    count = minutes(duration)
    sign = "-" if count < 0 else ""
    return f"{sign}{abs(count) // 60}:{abs(count) % 60:02d}"


def balance(pairs, hours_due):
    """Return, as text, how much more (or less, with a minus) was worked than was due."""
    return as_text(worked(pairs) - timedelta(hours=hours_due))


def pay(pairs, cents_per_hour):
    """Return the pay in cents, every begun cent in full."""
    return -(-minutes(worked(pairs)) * cents_per_hour // 60)
''',
        wrong="return duration.seconds // 60",
        right="return int(duration.total_seconds() // 60)",
        visible=r"""
from datetime import timedelta

def test_one_day():
    assert as_text(worked([("2024-05-31 08:15", "2024-05-31 12:00")])) == "3:45"

def test_over_midnight():
    assert as_text(worked([("2024-05-31 22:00", "2024-06-01 06:05")])) == "8:05"

def test_a_week():
    pairs = [(f"2024-05-0{d} 08:00", f"2024-05-0{d} 16:30") for d in range(1, 6)]
    assert as_text(worked(pairs)) == "42:30"

def test_balance_above():
    assert balance([("2024-05-01 08:00", "2024-05-01 17:00")], 8) == "1:00"

def test_wrong_order():
    with pytest.raises(ValueError):
        worked([("2024-05-01 08:00", "2024-05-01 07:00")])

def test_pay():
    assert pay([("2024-05-01 08:00", "2024-05-01 08:50")], 1000) == 834
""",
        hidden=r"""
from datetime import timedelta

def test_negative_balance():
    assert balance([("2024-05-01 08:00", "2024-05-01 12:30")], 8) == "-3:30"
    assert balance([("2024-05-01 08:00", "2024-05-01 12:30")], 40) == "-35:30"
    assert balance([], 0.5) == "-0:30"

def test_minutes():
    assert minutes(timedelta(days=2, hours=1)) == 49 * 60
    assert minutes(timedelta(minutes=-5)) == -5
    assert minutes(timedelta(seconds=119)) == 1
    assert minutes(timedelta()) == 0
    assert isinstance(minutes(timedelta(hours=1)), int)

def test_exactly_one_day():
    assert as_text(timedelta(days=1)) == "24:00"
    assert as_text(timedelta(days=10, minutes=1)) == "240:01"

def test_pay_for_long_time():
    pairs = [("2024-05-01 00:00", "2024-05-02 06:00")] * 2
    assert pay(pairs, 1500) == 90000
    assert pay([], 1500) == 0

def test_balance_zero_and_above_a_day():
    assert balance([("2024-05-01 08:00", "2024-05-03 08:00")], 48) == "0:00"
    assert balance([("2024-05-01 08:00", "2024-05-03 08:10")], 20) == "28:10"
""",
    ),
    Program(
        name="weekly_sums",
        code=r'''"""Sums of daily figures by calendar week (ISO weeks, beginning on Monday)."""

from datetime import date, timedelta


def week_key(day):
    """Return the ISO week of a day as text such as `2024-W07`."""
    _, week, _ = day.isocalendar()
    return f"{day.year}-W{week:02d}"


def monday_of(key):
    """Return the first day of a week given as `2024-W07`."""
    year, week = key.split("-W")
    return date.fromisocalendar(int(year), int(week), 1)


def weekly_sums(figures):
    """Return a dict from week to the sum of its figures, in the order of the weeks.

    The figures are pairs (day, number) in any order.
    """
    sums = {}
    for day, number in figures:
        key = week_key(day)
        sums[key] = sums.get(key, 0) + number
    return dict(sorted(sums.items()))


def fill_gaps(sums):
    """Return the sums with a zero for every week in between that has none."""
    if not sums:
        return {}
    keys = sorted(sums)
    monday, last = monday_of(keys[0]), monday_of(keys[-1])
    filled = {}
    while monday <= last:
        key = week_key(monday)
        filled[key] = sums.get(key, 0)
        monday += timedelta(days=7)
    return filled


def best_week(figures):
    """Return the (first) week with the largest sum, or None without figures."""
    sums = weekly_sums(figures)
    return max(sums, key=sums.get, default=None)
''',
        wrong='''    _, week, _ = day.isocalendar()
    return f"{day.year}-W{week:02d}"''',
        right='''    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02d}"''',
        visible=r"""
from datetime import date

def test_week_key():
    assert week_key(date(2024, 2, 14)) == "2024-W07"

def test_monday():
    assert monday_of("2024-W07") == date(2024, 2, 12)

def test_sums():
    figures = [(date(2024, 2, 18), 3), (date(2024, 2, 19), 5), (date(2024, 2, 12), 1)]
    assert weekly_sums(figures) == {"2024-W07": 4, "2024-W08": 5}

def test_turn_of_the_year():
    figures = [(date(2024, 12, 30), 1), (date(2025, 1, 1), 2)]
    assert weekly_sums(figures) == {"2025-W01": 3}

def test_fill_gaps():
    assert fill_gaps({"2024-W01": 2, "2024-W04": 1}) == {"2024-W01": 2, "2024-W02": 0, "2024-W03": 0, "2024-W04": 1}

def test_best_week():
    assert best_week([(date(2024, 5, 6), 2), (date(2024, 5, 13), 9)]) == "2024-W20"
    assert best_week([]) is None
""",
        hidden=r"""
from datetime import date, timedelta

def test_january_days_of_old_year():
    assert week_key(date(2021, 1, 1)) == "2020-W53"
    assert week_key(date(2023, 1, 1)) == "2022-W52"
    assert week_key(date(2027, 1, 3)) == "2026-W53"

def test_december_days_of_new_year():
    assert week_key(date(2018, 12, 31)) == "2019-W01"
    assert week_key(date(2019, 12, 30)) == "2020-W01"
    assert week_key(date(2020, 12, 31)) == "2020-W53"

def test_monday_of_is_inverse():
    day = date(2014, 12, 1)
    for _ in range(4000):
        assert 0 <= (day - monday_of(week_key(day))).days < 7
        day += timedelta(days=1)

def test_fill_over_new_year():
    assert fill_gaps({"2020-W52": 1, "2021-W01": 4}) == {"2020-W52": 1, "2020-W53": 0, "2021-W01": 4}
    assert fill_gaps({"2024-W51": 1, "2025-W02": 4}) == {"2024-W51": 1, "2024-W52": 0, "2025-W01": 0, "2025-W02": 4}
    assert fill_gaps({}) == {}

def test_order_and_best():
    figures = [(date(2021, 1, 3), 5), (date(2021, 1, 4), 4), (date(2020, 12, 28), 1)]
    assert list(weekly_sums(figures).items()) == [("2020-W53", 6), ("2021-W01", 4)]
    assert best_week(figures) == "2020-W53"
""",
    ),
    Program(
        name="loan_schedule",
        code=r'''"""Repayment of a loan in equal instalments; all amounts are whole cents."""

from typing import NamedTuple


class Row(NamedTuple):
    """One instalment: what is paid, how it is used, and what remains owed."""

    number: int
    payment: int
    interest: int
    principal: int
    balance: int


def monthly_interest(balance, yearly_percent):
    """Return the interest of one month in cents, rounded to the nearest cent, half up."""
    return (balance * yearly_percent * 2 + 1200) // 2400


def schedule(amount, yearly_percent, instalment):
    """Return the rows of a loan of this amount until it is repaid.

    Every row pays the instalment; only the last row pays what is still owed with its
    interest, if that is less. Raises ValueError if the loan would never be repaid.
    """
    rows, balance = [], amount
    while balance > 0:
        interest = monthly_interest(balance, yearly_percent)
        if instalment <= interest:
            raise ValueError("the instalment does not cover the interest")
        payment = min(instalment, balance)
        principal = payment - interest
        balance -= principal
        rows.append(Row(len(rows) + 1, payment, interest, principal, balance))
    return rows


def cost(rows):
    """Return what the loan costs in all: the sum of its interest."""
    return sum(row.interest for row in rows)


def months_saved(amount, yearly_percent, instalment, extra):
    """Return how many instalments fewer are needed if each one is higher by `extra`."""
    return len(schedule(amount, yearly_percent, instalment)) - len(
        schedule(amount, yearly_percent, instalment + extra)
    )
''',
        wrong="payment = min(instalment, balance)",
        right="payment = min(instalment, balance + interest)",
        visible=r"""
def test_interest():
    assert monthly_interest(120000, 5) == 500

def test_no_interest():
    rows = schedule(1000, 0, 400)
    assert [r.payment for r in rows] == [400, 400, 200]
    assert rows[-1].balance == 0

def test_first_row():
    assert schedule(100000, 12, 20000)[0] == (1, 20000, 1000, 19000, 81000)

def test_last_row():
    rows = schedule(10000, 12, 6000)
    assert len(rows) == 2
    assert rows[-1] == (2, 4141, 41, 4100, 0)

def test_never_repaid():
    with pytest.raises(ValueError):
        schedule(100000, 12, 1000)

def test_months_saved():
    assert months_saved(1200, 0, 100, 20) == 2
""",
        hidden=r"""
def test_payments_sum_up():
    for amount, percent, instalment in ((500000, 6, 45000), (99999, 19, 12345), (777, 3, 100), (100000, 24, 2100)):
        rows = schedule(amount, percent, instalment)
        assert sum(r.payment for r in rows) == amount + cost(rows)
        assert sum(r.principal for r in rows) == amount
        assert all(r.payment == instalment for r in rows[:-1])
        assert 0 < rows[-1].payment <= instalment
        assert rows[-1].balance == 0

def test_single_instalment():
    assert schedule(5000, 12, 9000) == [(1, 5050, 50, 5000, 0)]
    assert schedule(5000, 12, 5050) == [(1, 5050, 50, 5000, 0)]

def test_remainder_smaller_than_interest():
    assert schedule(10000, 12, 10099) == [(1, 10099, 100, 9999, 1), (2, 1, 0, 1, 0)]

def test_balance_equals_instalment():
    rows = schedule(9900, 12, 5000)
    assert [r.balance for r in rows] == [4999, 49, 0]
    assert rows[-1].payment == 49
    assert cost(rows) == 99 + 50 + 0

def test_numbers_and_saving():
    assert [r.number for r in schedule(3000, 12, 1000)] == [1, 2, 3, 4]
    assert months_saved(3000, 12, 1000, 30) == 1
    assert schedule(0, 5, 10) == []
""",
    ),
    Program(
        name="exchange_rates",
        code=r'''"""Changing money between currencies over known rates."""

from collections import deque
from fractions import Fraction


class Exchange:
    """Knows for some pairs of currencies how much of the second one unit of the first gives.

    Every rate holds in both directions; pairs without a rate are changed over others,
    with as few steps as possible.
    """

    def __init__(self):
        self._rates = {}

    def set_rate(self, source, target, rate):
        """One unit of source gives `rate` units of target; the way back follows from it."""
        rate = Fraction(rate)
        if rate <= 0:
            raise ValueError("a rate must be positive")
        self._rates.setdefault(source, {})[target] = rate
        self._rates.setdefault(target, {})[source] = rate

    def rate(self, source, target):
        """Return how much of the target one unit of the source gives.

        Raises LookupError if there is no way from one to the other.
        """
        known = {source: Fraction(1)}
        queue = deque([source])
        while queue:
            currency = queue.popleft()
            if currency == target:
                return known[target]
            for other, factor in self._rates.get(currency, {}).items():
                if other not in known:
                    known[other] = known[currency] * factor
                    queue.append(other)
        raise LookupError(f"no way from {source} to {target}")

    def change(self, cents, source, target, fee_percent=0):
        """Return the cents of target for cents of source, rounded down, less the fee."""
        exact = cents * self.rate(source, target) * (100 - fee_percent) / 100
        return exact.numerator // exact.denominator

    def currencies(self):
        """Return the known currencies in alphabetical order."""
        return sorted(self._rates)
''',
        wrong="[source] = rate\n",
        right="[source] = 1 / rate\n",
        visible=r"""
from fractions import Fraction

def bank():
    e = Exchange()
    e.set_rate("EUR", "USD", "1.25")
    e.set_rate("USD", "JPY", 150)
    return e

def test_direct():
    assert bank().rate("EUR", "USD") == Fraction(5, 4)

def test_over_another():
    assert bank().change(100, "EUR", "JPY") == 18750

def test_back():
    assert bank().change(1000, "USD", "EUR") == 800

def test_same_currency():
    assert bank().rate("EUR", "EUR") == 1

def test_no_way():
    with pytest.raises(LookupError):
        bank().rate("EUR", "GBP")

def test_fee():
    assert bank().change(1000, "EUR", "USD", 2) == 1225
""",
        hidden=r"""
from fractions import Fraction

def bank():
    e = Exchange()
    e.set_rate("EUR", "USD", "1.25")
    e.set_rate("USD", "JPY", 150)
    e.set_rate("GBP", "EUR", Fraction(6, 5))
    return e

def test_there_and_back():
    e = bank()
    for a in e.currencies():
        for b in e.currencies():
            assert e.rate(a, b) * e.rate(b, a) == 1

def test_mixed_directions():
    e = bank()
    assert e.rate("JPY", "GBP") == Fraction(1, 150) / Fraction(5, 4) / Fraction(6, 5)
    assert e.rate("USD", "GBP") == Fraction(2, 3)
    assert e.rate("GBP", "JPY") == 225

def test_rate_set_from_other_side():
    e = Exchange()
    e.set_rate("A", "B", 4)
    e.set_rate("B", "A", Fraction(1, 5))
    assert e.rate("A", "B") == 5 and e.rate("B", "A") == Fraction(1, 5)

def test_rounds_down_and_fee():
    e = bank()
    assert e.change(99, "USD", "EUR") == 79
    assert e.change(1000, "USD", "EUR", 1) == 792
    assert e.change(0, "JPY", "USD") == 0

def test_bad_rate():
    e = Exchange()
    with pytest.raises(ValueError):
        e.set_rate("A", "B", 0)
    assert e.currencies() == []
""",
    ),
    Program(
        name="volume_discount",
        code=r'''"""Prices that fall with the ordered quantity."""


class PriceList:
    """Articles with a base price in cents and discounts from certain quantities on."""

    def __init__(self):
        self._prices = {}
        self._tiers = {}

    def set_price(self, article, cents, tiers=None):
        """Set an article's price; tiers is a dict from least quantity to percent off."""
        for least, percent in (tiers or {}).items():
            if least < 1 or not 0 <= percent <= 100:
                raise ValueError(f"impossible tier {least}: {percent}")
        self._prices[article] = cents
        self._tiers[article] = dict(tiers or {})

    def percent_off(self, article, quantity):
        """Return the discount of the highest tier that the quantity reaches, else 0."""
        for least, percent in sorted(self._tiers[article].items()):
            if quantity >= least:
                return percent
        return 0

    def to_next_tier(self, article, quantity):
        """Return how many more would reach the next tier, or None at the highest one."""
        for least in sorted(self._tiers[article]):
            if quantity < least:
                return least - quantity
        return None

    def amount(self, article, quantity):
        """Return the price of a quantity in cents, rounded up to a whole cent."""
        if quantity < 0:
            raise ValueError("quantity must not be negative")
        full = self._prices[article] * quantity
        return -(-full * (100 - self.percent_off(article, quantity)) // 100)

    def basket(self, quantities):
        """Return the price of a dict from article to quantity."""
        return sum(self.amount(article, quantity) for article, quantity in quantities.items())
''',
        wrong="sorted(self._tiers[article].items()):",
        right="sorted(self._tiers[article].items(), reverse=True):",
        visible=r"""
def shop():
    p = PriceList()
    p.set_price("nut", 10, {100: 10, 1000: 25})
    p.set_price("saw", 1999)
    return p

def test_no_tiers():
    assert shop().amount("saw", 3) == 5997

def test_below_and_at_first_tier():
    assert shop().amount("nut", 99) == 990
    assert shop().amount("nut", 100) == 900

def test_highest_tier():
    assert shop().amount("nut", 1000) == 7500

def test_to_next_tier():
    assert shop().to_next_tier("nut", 150) == 850
    assert shop().to_next_tier("nut", 1000) is None

def test_bad_tier():
    with pytest.raises(ValueError):
        shop().set_price("x", 5, {10: 101})
""",
        hidden=r"""
def test_three_tiers_in_any_order():
    p = PriceList()
    p.set_price("a", 100, {50: 20, 10: 5, 200: 40, 20: 10})
    got = [p.percent_off("a", q) for q in (0, 9, 10, 19, 20, 49, 50, 199, 200, 999)]
    assert got == [0, 0, 5, 5, 10, 10, 20, 20, 40, 40]

def test_highest_tier_need_not_be_largest_percent():
    p = PriceList()
    p.set_price("b", 10, {5: 30, 10: 15})
    assert p.percent_off("b", 7) == 30
    assert p.percent_off("b", 10) == 15

def test_next_tier():
    p = PriceList()
    p.set_price("c", 7, {9: 1, 3: 2, 6: 3})
    assert [p.to_next_tier("c", q) for q in (0, 3, 6, 8, 9)] == [3, 3, 3, 1, None]

def test_rounds_up():
    p = PriceList()
    p.set_price("d", 33, {2: 10, 3: 50})
    assert p.amount("d", 2) == 60
    assert p.amount("d", 3) == 50
    assert p.amount("d", 0) == 0

def test_basket():
    p = PriceList()
    p.set_price("e", 100, {2: 50, 4: 75})
    p.set_price("f", 9)
    assert p.basket({"e": 4, "f": 1}) == 109
    assert p.basket({}) == 0
    with pytest.raises(ValueError):
        p.amount("e", -1)
""",
    ),
    # ---- graphs, state machines, caches and schedulers ----
    Program(
        name="import_cycles",
        code=r'''"""Dependencies between modules: cycles and an order for loading."""


def find_cycle(imports):
    """Return the modules of an import cycle, the first one repeated at the end, or None.

    `imports` is a dict from a module to the modules it imports, in order; modules that
    are no key of it import nothing.
    """
    done, path = set(), []

    def visit(module):
        if module in path:
            return path[path.index(module):] + [module]
        if module in done:
            return None
        path.append(module)
        for other in imports.get(module, ()):
            cycle = visit(other)
            if cycle:
                return cycle
        done.add(module)
        return None

    for module in imports:
        cycle = visit(module)
        if cycle:
            return cycle
    return None


def load_order(imports):
    """Return all modules such that each one comes after those it imports.

    Raises ValueError, with the cycle in its text, if there is no such order.
    """
    cycle = find_cycle(imports)
    if cycle:
        raise ValueError("import cycle: " + " -> ".join(cycle))
    order = []

    def place(module):
        if module not in order:
            for other in imports.get(module, ()):
                place(other)
            order.append(module)

    for module in imports:
        place(module)
    return order


def needed_by(imports, module):
    """Return the set of modules that import a module, directly or over others."""
    found, todo = set(), [module]
    while todo:
        current = todo.pop()
        for other, imported in imports.items():
            if current in imported and other not in found:
                found.add(other)
                todo.append(other)
    return found
''',
        wrong="""        done.add(module)
""",
        right="""        path.pop()
        done.add(module)
""",
        visible=r"""
def test_chain():
    assert find_cycle({"a": ["b"], "b": ["c"]}) is None

def test_cycle():
    assert find_cycle({"a": ["b"], "b": ["c"], "c": ["b"]}) == ["b", "c", "b"]

def test_self_import():
    assert find_cycle({"x": ["x"]}) == ["x", "x"]

def test_shared_module_is_no_cycle():
    assert find_cycle({"app": ["db", "web"], "web": ["db"], "db": []}) is None

def test_order_error():
    with pytest.raises(ValueError, match="a -> b -> a"):
        load_order({"a": ["b"], "b": ["a"]})

def test_needed_by():
    assert needed_by({"a": ["b"], "b": ["c"], "d": ["c"]}, "c") == {"a", "b", "d"}
""",
        hidden=r"""
def test_diamond_order():
    imports = {"top": ["left", "right"], "left": ["base"], "right": ["base"]}
    assert load_order(imports) == ["base", "left", "right", "top"]

def test_later_key_already_visited():
    assert find_cycle({"a": ["b"], "b": [], "c": ["a", "b"]}) is None
    assert load_order({"a": ["b"], "c": ["a"]}) == ["b", "a", "c"]

def test_cycle_after_finished_branch():
    imports = {"m": ["u", "v"], "u": ["w"], "v": ["w", "m"], "w": []}
    assert find_cycle(imports) == ["m", "v", "m"]

def test_cycle_without_detours():
    imports = {"s": ["p"], "p": ["q", "r"], "q": ["x"], "r": ["s"]}
    assert find_cycle(imports) == ["s", "p", "r", "s"]

def test_same_module_imported_twice():
    assert find_cycle({"a": ["b", "b"]}) is None
    assert load_order({"a": ["b", "b"], "b": []}) == ["b", "a"]

def test_empty_and_needed_by():
    assert find_cycle({}) is None and load_order({}) == []
    assert needed_by({"a": ["b"], "b": ["a"]}, "a") == {"a", "b"}
""",
    ),
    Program(
        name="road_network",
        code=r'''"""Shortest routes in a network of roads."""

import heapq


class Roads:
    """Places joined by roads that can be driven in both directions."""

    def __init__(self):
        self._roads = {}

    def join(self, a, b, length):
        """Add a road; of several roads between two places the shortest one counts."""
        if length < 0:
            raise ValueError("length must not be negative")
        for start, end in ((a, b), (b, a)):
            ways = self._roads.setdefault(start, {})
            ways[end] = min(length, ways.get(end, length))

    def route(self, start, goal):
        """Return (length, places) of a shortest route, or None if there is no route."""
        heap, done = [(0, start, [start])], set()
        while heap:
            length, place, places = heapq.heappop(heap)
            if place == goal:
                return length, places
            if place in done:
                continue
            done.add(place)
            for other, road in self._roads.get(place, {}).items():
                if other not in done:
                    heapq.heappush(heap, (road, other, places + [other]))
        return None

    def distances(self, start):
        """Return a dict from every reachable place to its distance from the start."""
        found = {}
        for place in self._roads:
            route = self.route(start, place)
            if route is not None:
                found[place] = route[0]
        return found

    def best_meeting_place(self, *people):
        """Return the place with the smallest summed distance to all people, first by name."""
        best = None
        for place in sorted(self._roads):
            routes = [self.route(person, place) for person in people]
            if None not in routes:
                total = sum(length for length, _ in routes)
                if best is None or total < best[0]:
                    best = (total, place)
        return best and best[1]
''',
        wrong="(road, other, places + [other])",
        right="(length + road, other, places + [other])",
        visible=r"""
def town():
    r = Roads()
    r.join("A", "B", 4)
    r.join("B", "C", 3)
    r.join("A", "D", 2)
    r.join("X", "Y", 1)
    return r

def test_one_road():
    assert town().route("A", "B") == (4, ["A", "B"])

def test_two_roads():
    assert town().route("A", "C") == (7, ["A", "B", "C"])

def test_no_route():
    assert town().route("A", "X") is None

def test_stay():
    assert town().route("A", "A") == (0, ["A"])

def test_shortest_of_parallel_roads():
    r = town()
    r.join("B", "A", 1)
    r.join("A", "B", 9)
    assert r.route("A", "B")[0] == 1

def test_negative():
    with pytest.raises(ValueError):
        town().join("A", "B", -1)
""",
        hidden=r"""
def town():
    r = Roads()
    for a, b, n in (("A", "B", 7), ("A", "C", 3), ("C", "B", 1), ("B", "D", 2), ("C", "D", 8), ("D", "E", 3), ("A", "E", 10)):
        r.join(a, b, n)
    return r

def test_detour_is_shorter():
    assert town().route("A", "B") == (4, ["A", "C", "B"])
    assert town().route("A", "D") == (6, ["A", "C", "B", "D"])

def test_many_short_roads_against_one():
    r = Roads()
    for a, b in ("ab", "bc", "cd", "de"):
        r.join(a, b, 2)
    r.join("a", "e", 7)
    assert r.route("a", "e") == (7, ["a", "e"])
    r.join("a", "e", 9)
    r.join("c", "e", 2)
    assert r.route("a", "e") == (6, ["a", "b", "c", "e"])

def test_distances():
    assert town().distances("A") == {"A": 0, "B": 4, "C": 3, "D": 6, "E": 9}
    assert town().distances("E") == {"A": 9, "B": 5, "C": 6, "D": 3, "E": 0}

def test_meeting_place():
    r = town()
    assert r.best_meeting_place("A", "B", "E") == "B"
    assert r.best_meeting_place("E", "E", "C") == "E"
    assert r.best_meeting_place("A", "nowhere") is None

def test_zero_lengths():
    r = Roads()
    r.join("p", "q", 0); r.join("q", "r", 0); r.join("p", "r", 1)
    assert r.route("p", "r") == (0, ["p", "q", "r"])
""",
    ),
    Program(
        name="expiring_cache",
        code=r'''"""A cache of limited size whose entries expire."""

from collections import OrderedDict


class Cache:
    """Keeps at most `size` entries, each one for `lifetime` seconds after it was put.

    When room is needed for a new key, the entry used longest ago is dropped; both
    getting and putting count as use. The clock is a function that returns the time.
    """

    def __init__(self, size, lifetime, clock):
        self.size = size
        self.lifetime = lifetime
        self._clock = clock
        self._entries = OrderedDict()
        self.hits = self.misses = 0

    def _expire(self):
        now = self._clock()
        for key in [k for k, (_, end) in self._entries.items() if end <= now]:
            del self._entries[key]

    def put(self, key, value):
        """Store a value."""
        self._expire()
        if len(self._entries) >= self.size:
            self._entries.popitem(last=False)
        self._entries[key] = (value, self._clock() + self.lifetime)
        self._entries.move_to_end(key)

    def get(self, key, default=None):
        """Return the value stored for a key, or the default."""
        self._expire()
        if key not in self._entries:
            self.misses += 1
            return default
        self.hits += 1
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def keys(self):
        """Return the keys, the one used longest ago first."""
        self._expire()
        return list(self._entries)
''',
        wrong="if len(self._entries) >= self.size:",
        right="if key not in self._entries and len(self._entries) >= self.size:",
        visible=r"""
class Clock:
    now = 0
    def __call__(self):
        return self.now

def test_put_get():
    c = Cache(2, 10, Clock())
    c.put("a", 1)
    assert c.get("a") == 1 and c.get("b", 0) == 0
    assert (c.hits, c.misses) == (1, 1)

def test_oldest_use_is_dropped():
    c = Cache(2, 10, Clock())
    c.put("a", 1); c.put("b", 2); c.get("a"); c.put("c", 3)
    assert c.keys() == ["a", "c"]

def test_expires():
    clock = Clock()
    c = Cache(2, 10, clock)
    c.put("a", 1)
    clock.now = 9
    assert c.get("a") == 1
    clock.now = 10
    assert c.get("a") is None

def test_put_again_drops_nothing():
    c = Cache(2, 10, Clock())
    c.put("a", 1); c.put("b", 2); c.put("b", 3)
    assert c.get("a") == 1 and c.get("b") == 3
""",
        hidden=r"""
class Clock:
    now = 0
    def __call__(self):
        return self.now

def test_put_again_counts_as_use():
    c = Cache(3, 10, Clock())
    for k in "abc":
        c.put(k, k)
    c.put("a", "A")
    assert c.keys() == ["b", "c", "a"]
    c.put("d", "d")
    assert c.keys() == ["c", "a", "d"]

def test_put_again_lives_longer():
    clock = Clock()
    c = Cache(2, 5, clock)
    c.put("a", 1); c.put("b", 2)
    clock.now = 3
    c.put("b", 4)
    assert c.keys() == ["a", "b"]
    clock.now = 5
    assert c.keys() == ["b"]
    clock.now = 8
    assert c.keys() == []

def test_size_one():
    c = Cache(1, 5, Clock())
    c.put("x", 1); c.put("x", 2); c.put("y", 3)
    assert c.keys() == ["y"] and c.get("x") is None

def test_never_larger_than_size():
    c = Cache(3, 100, Clock())
    for n in range(20):
        c.put(n % 5, n)
        assert len(c.keys()) == min(n + 1, 3)
    assert c.keys() == [2, 3, 4]

def test_expired_make_room():
    clock = Clock()
    c = Cache(2, 5, clock)
    c.put("a", 1)
    clock.now = 4
    c.put("b", 2)
    clock.now = 6
    c.put("c", 3)
    assert c.keys() == ["b", "c"]
""",
    ),
    Program(
        name="order_workflow",
        code=r'''"""The states of an order and the steps between them."""

STEPS = {
    "new": {"pay": "paid", "cancel": "cancelled"},
    "paid": {"ship": "shipped", "cancel": "refunding"},
    "refunding": {"refund": "cancelled"},
    "shipped": {"deliver": "delivered", "return": "refunding"},
    "delivered": {"return": "refunding"},
    "cancelled": {},
}


class WrongStep(Exception):
    """The step is not possible in the order's state."""


class Order:
    """An order that goes from state to state and remembers its way."""

    def __init__(self, on_change=None):
        self.state = "new"
        self.history = []
        self._on_change = on_change

    def possible(self):
        """Return the steps possible now, in alphabetical order."""
        return sorted(STEPS[self.state])

    def step(self, name):
        """Take a step and return the new state.

        The history gets an entry (state before, step, state after), and on_change is
        called with the same three. Raises WrongStep, changing nothing, if the step is
        not possible.
        """
        target = STEPS[self.state].get(name)
        if target is None:
            raise WrongStep(f"cannot {name} an order that is {self.state}")
        self.state = target
        entry = (self.state, name, target)
        self.history.append(entry)
        if self._on_change:
            self._on_change(*entry)
        return target

    def was(self, state):
        """Return whether the order is or once was in a state."""
        return state == self.state or any(state == before for before, _, _ in self.history)

    def back(self):
        """Take back the last step (for corrections by hand); return the state."""
        if not self.history:
            raise WrongStep("there is nothing to take back")
        self.state = self.history.pop()[0]
        return self.state
''',
        wrong="""        self.state = target
        entry = (self.state, name, target)
""",
        right="""        entry = (self.state, name, target)
        self.state = target
""",
        visible=r"""
def test_usual_way():
    o = Order()
    assert [o.step(s) for s in ("pay", "ship", "deliver")] == ["paid", "shipped", "delivered"]

def test_wrong_step():
    o = Order()
    with pytest.raises(WrongStep):
        o.step("ship")
    assert o.state == "new" and o.history == []

def test_possible():
    o = Order()
    assert o.possible() == ["cancel", "pay"]
    o.step("cancel")
    assert o.possible() == []

def test_history():
    o = Order()
    o.step("pay")
    assert o.history == [("new", "pay", "paid")]

def test_nothing_to_take_back():
    with pytest.raises(WrongStep):
        Order().back()
""",
        hidden=r"""
def test_longer_history():
    o = Order()
    for s in ("pay", "cancel", "refund"):
        o.step(s)
    assert o.history == [("new", "pay", "paid"), ("paid", "cancel", "refunding"), ("refunding", "refund", "cancelled")]

def test_on_change():
    seen = []
    o = Order(lambda *entry: seen.append((entry, o.state)))
    o.step("pay")
    o.step("ship")
    assert seen == [(("new", "pay", "paid"), "paid"), (("paid", "ship", "shipped"), "shipped")]

def test_back():
    o = Order()
    o.step("pay"); o.step("ship")
    assert o.back() == "paid" and o.possible() == ["cancel", "ship"]
    assert o.back() == "new" and o.history == []
    assert o.step("cancel") == "cancelled"

def test_was():
    o = Order()
    assert o.was("new") and not o.was("paid")
    o.step("pay"); o.step("ship"); o.step("return")
    assert all(o.was(s) for s in ("new", "paid", "shipped", "refunding"))
    assert not o.was("delivered") and not o.was("cancelled")

def test_wrong_step_later():
    o = Order()
    o.step("pay")
    with pytest.raises(WrongStep, match="cannot pay an order that is paid"):
        o.step("pay")
    assert o.state == "paid" and len(o.history) == 1
""",
    ),
    Program(
        name="event_emitter",
        code=r'''"""Events and the functions that listen to them."""


class Emitter:
    """Calls the listeners of an event in the order in which they were added.

    Listeners may be added and removed at any time, even by a listener that is being
    called; that takes effect from the next emit on.
    """

    def __init__(self):
        self._listeners = {}

    def on(self, event, listener):
        """Call the listener at each such event; return a function that removes it."""
        self._listeners.setdefault(event, []).append(listener)

        def remove():
            self.off(event, listener)

        return remove

    def once(self, event, listener):
        """Call the listener at the next such event only."""

        def wrapper(*args):
            self.off(event, wrapper)
            return listener(*args)

        return self.on(event, wrapper)

    def off(self, event, listener):
        """Remove a listener; return whether it was there."""
        listeners = self._listeners.get(event, [])
        if listener not in listeners:
            return False
        listeners.remove(listener)
        return True

    def emit(self, event, *args):
        """Call all listeners of the event; return the list of what they returned."""
        results = []
        for listener in self._listeners.get(event, ()):
            results.append(listener(*args))
        return results

    def count(self, event):
        """Return the number of listeners of an event."""
        return len(self._listeners.get(event, ()))
''',
        wrong="in self._listeners.get(event, ()):",
        right="in tuple(self._listeners.get(event, ())):",
        visible=r"""
def test_emit():
    e = Emitter()
    e.on("x", lambda n: n + 1)
    e.on("x", lambda n: n * 10)
    assert e.emit("x", 5) == [6, 50]

def test_no_listeners():
    assert Emitter().emit("x") == [] and Emitter().count("x") == 0

def test_remove():
    e = Emitter()
    remove = e.on("x", print)
    remove()
    assert e.count("x") == 0 and e.off("x", print) is False

def test_once():
    e = Emitter()
    e.once("x", lambda: "hello")
    assert e.emit("x") == ["hello"] and e.emit("x") == []

def test_once_before_another():
    e = Emitter()
    e.once("x", lambda: 1)
    e.on("x", lambda: 2)
    assert e.emit("x") == [1, 2]
    assert e.emit("x") == [2]
""",
        hidden=r"""
def test_several_once():
    e = Emitter()
    for n in range(5):
        e.once("t", lambda n=n: n)
    assert e.emit("t") == [0, 1, 2, 3, 4]
    assert e.emit("t") == [] and e.count("t") == 0

def test_listener_added_while_emitting():
    e = Emitter()
    def first():
        e.on("a", lambda: "late")
        return "first"
    e.on("a", first)
    assert e.emit("a") == ["first"]
    assert e.count("a") == 2
    assert e.emit("a") == ["first", "late"]

def test_listener_removes_a_later_one():
    e = Emitter()
    e.on("a", lambda: removers[0]())
    removers = [e.on("a", lambda: "gone soon")]
    e.on("a", lambda: "stays")
    assert e.emit("a") == [None, "gone soon", "stays"]
    assert e.emit("a") == [None, "stays"]

def test_emit_within_emit():
    e = Emitter()
    seen = []
    def again(n):
        seen.append(n)
        if n:
            e.emit("n", n - 1)
    e.on("n", again)
    e.once("n", lambda n: seen.append(-n))
    e.emit("n", 2)
    assert seen[:3] == [2, 1, 0] and e.count("n") == 1
    e.emit("n", 0)
    assert seen[-1] == 0

def test_same_listener_twice_and_other_events():
    e = Emitter()
    f = lambda: "f"
    e.on("p", f); e.on("p", f); e.on("q", f)
    assert e.emit("p") == ["f", "f"]
    assert e.off("p", f) is True and e.emit("p") == ["f"] and e.emit("q") == ["f"]
""",
    ),
    Program(
        name="job_schedule",
        code=r'''"""A schedule of jobs that are due again and again."""

import heapq


class Schedule:
    """Jobs that are due at `start`, `start + every`, `start + 2 * every` and so on.

    Times are whole minutes. The jobs are run by calling `run_due` from time to time.
    """

    def __init__(self):
        self._heap = []
        self._every = {}

    def add(self, name, every, start=0):
        """Add a job."""
        if every <= 0:
            raise ValueError("a job must have a positive interval")
        if name in self._every:
            raise KeyError(f"job {name!r} is there already")
        self._every[name] = every
        heapq.heappush(self._heap, (start, name))

    def remove(self, name):
        """Remove a job."""
        del self._every[name]
        self._heap = [(due, other) for due, other in self._heap if other != name]
        heapq.heapify(self._heap)

    def next_due(self):
        """Return the time at which a job is due next, or None without jobs."""
        return self._heap[0][0] if self._heap else None

    def run_due(self, now):
        """Return the jobs that are due by now, as (due time, name) in order of time.

        A job that has become due several times is run just once, for its first due time;
        after that it is due at the first of its times that is later than now.
        """
        ran = []
        while self._heap and self._heap[0][0] <= now:
            due, name = heapq.heappop(self._heap)
            ran.append((due, name))
            every = self._every[name]
            missed = (now - due) // every
            heapq.heappush(self._heap, (now + every * (missed + 1), name))
        return ran

    def upcoming(self, count):
        """Return the next `count` (time, name) pairs, if the jobs are run on time."""
        heap, found = list(self._heap), []
        while heap and len(found) < count:
            due, name = heapq.heappop(heap)
            found.append((due, name))
            heapq.heappush(heap, (due + self._every[name], name))
        return found
''',
        wrong="(now + every * (missed + 1), name)",
        right="(due + every * (missed + 1), name)",
        visible=r"""
def test_due_at_start():
    s = Schedule()
    s.add("mail", 10, 5)
    assert s.run_due(4) == [] and s.run_due(5) == [(5, "mail")]
    assert s.next_due() == 15

def test_order():
    s = Schedule()
    s.add("b", 10, 1)
    s.add("a", 10, 2)
    assert s.run_due(3) == [(1, "b"), (2, "a")]

def test_run_late():
    s = Schedule()
    s.add("mail", 10)
    assert s.run_due(3) == [(0, "mail")]
    assert s.next_due() == 10

def test_remove():
    s = Schedule()
    s.add("a", 5); s.add("b", 7)
    s.remove("a")
    assert s.run_due(0) == [(0, "b")]

def test_upcoming():
    s = Schedule()
    s.add("a", 2, 1); s.add("b", 3, 2)
    assert s.upcoming(4) == [(1, "a"), (2, "b"), (3, "a"), (5, "a")]

def test_wrong_interval():
    with pytest.raises(ValueError):
        Schedule().add("a", 0)
""",
        hidden=r"""
def test_missed_several_times():
    s = Schedule()
    s.add("j", 10, 5)
    assert s.run_due(47) == [(5, "j")]
    assert s.next_due() == 55
    assert s.run_due(54) == [] and s.run_due(55) == [(55, "j")]
    assert s.next_due() == 65

def test_late_exactly_at_next_time():
    s = Schedule()
    s.add("j", 4)
    assert s.run_due(4) == [(0, "j")]
    assert s.next_due() == 8

def test_stays_in_step():
    s = Schedule()
    s.add("j", 7, 3)
    ran = []
    for now in range(0, 60, 2):
        ran += s.run_due(now)
    assert ran == [(t, "j") for t in range(3, 59, 7)]

def test_two_jobs_late():
    s = Schedule()
    s.add("x", 3); s.add("y", 5)
    assert s.run_due(7) == [(0, "x"), (0, "y")]
    assert s.upcoming(3) == [(9, "x"), (10, "y"), (12, "x")]
    assert s.run_due(13) == [(9, "x"), (10, "y")]
    assert s.next_due() == 15

def test_errors_and_empty():
    s = Schedule()
    assert s.next_due() is None and s.run_due(100) == [] and s.upcoming(2) == []
    s.add("x", 1)
    with pytest.raises(KeyError):
        s.add("x", 2)
    with pytest.raises(KeyError):
        s.remove("z")
""",
    ),
    Program(
        name="circuit_breaker",
        code=r'''"""A circuit breaker: after too many failures in a row, calls are refused for a while."""


class Refused(Exception):
    """The call was not made because the circuit is open."""


class Breaker:
    """Guards calls to something that may fail.

    After `limit` failures in a row the circuit opens, and calls are refused until `pause`
    seconds have passed. Then one call is tried: if it succeeds the circuit closes, if it
    fails the circuit is open for another pause. The clock returns the time in seconds.
    """

    def __init__(self, limit, pause, clock):
        self.limit = limit
        self.pause = pause
        self._clock = clock
        self._failures = 0
        self._opened_at = None

    @property
    def state(self):
        """One of "closed", "open" and "trial"."""
        if not self._opened_at:
            return "closed"
        if self._clock() - self._opened_at < self.pause:
            return "open"
        return "trial"

    def remaining(self):
        """Return the seconds until a call is tried again, 0 if calls are made now."""
        if self.state != "open":
            return 0
        return self._opened_at + self.pause - self._clock()

    def call(self, function, *args):
        """Call the function and return its result; its exceptions are passed on."""
        state = self.state
        if state == "open":
            raise Refused(f"try again in {self.remaining()} seconds")
        try:
            result = function(*args)
        except Exception:
            self._failures += 1
            if state == "trial" or self._failures >= self.limit:
                self._opened_at = self._clock()
            raise
        self._failures = 0
        self._opened_at = None
        return result
''',
        wrong="if not self._opened_at:",
        right="if self._opened_at is None:",
        visible=r"""
class Clock:
    def __init__(self, now):
        self.now = now
    def __call__(self):
        return self.now

def fail():
    raise OSError("down")

def failing(breaker, times):
    for _ in range(times):
        with pytest.raises(OSError):
            breaker.call(fail)

def test_passes_results():
    assert Breaker(2, 10, Clock(100)).call(max, 3, 5) == 5

def test_opens_after_limit():
    b = Breaker(2, 10, Clock(100))
    failing(b, 2)
    assert b.state == "open"
    with pytest.raises(Refused):
        b.call(max, 1, 2)

def test_success_in_between():
    b = Breaker(2, 10, Clock(100))
    failing(b, 1)
    b.call(len, "")
    failing(b, 1)
    assert b.state == "closed"

def test_trial():
    clock = Clock(0)
    b = Breaker(1, 10, clock)
    failing(b, 1)
    assert b.state == "open" and b.remaining() == 10
    clock.now = 10
    assert b.state == "trial" and b.call(len, "abc") == 3
    assert b.state == "closed"
""",
        hidden=r"""
class Clock:
    def __init__(self, now):
        self.now = now
    def __call__(self):
        return self.now

def fail():
    raise OSError("down")

def failing(breaker, times):
    for _ in range(times):
        with pytest.raises(OSError):
            breaker.call(fail)

def test_opened_at_time_zero():
    clock = Clock(-3)
    b = Breaker(3, 5, clock)
    failing(b, 2)
    clock.now = 0
    assert b.state == "closed"
    failing(b, 1)
    clock.now = 4
    assert b.state == "open" and b.remaining() == 1
    with pytest.raises(Refused, match="try again in 1 seconds"):
        b.call(fail)

def test_failed_trial_opens_again():
    clock = Clock(0.0)
    b = Breaker(3, 5, clock)
    failing(b, 3)
    clock.now = 6.0
    assert b.state == "trial" and b.remaining() == 0
    failing(b, 1)
    assert b.state == "open" and b.remaining() == 5
    clock.now = 10.5
    assert b.state == "open"
    clock.now = 11.0
    assert b.state == "trial"

def test_closed_needs_full_limit_again():
    clock = Clock(50)
    b = Breaker(2, 5, clock)
    failing(b, 2)
    clock.now = 55
    b.call(len, "")
    failing(b, 1)
    assert b.state == "closed" and b.remaining() == 0
    failing(b, 1)
    assert b.state == "open"

def test_new_breaker_is_closed():
    for now in (0, 1, -1):
        b = Breaker(1, 5, Clock(now))
        assert b.state == "closed" and b.remaining() == 0
        failing(b, 1)
        assert b.state == "open"

def test_refused_calls_do_not_count():
    clock = Clock(0)
    b = Breaker(1, 10, clock)
    failing(b, 1)
    clock.now = 9
    for _ in range(3):
        with pytest.raises(Refused):
            b.call(fail)
    clock.now = 10
    assert b.state == "trial"
""",
    ),
    # ---- small file formats and statistics ----
    Program(
        name="record_format",
        code=r'''"""A small binary format for records of text fields.

A file begins with the magic bytes. A record is the number of its fields (one byte) and
then the fields; a field is the number of its bytes (two bytes, big-endian) and then its
text in UTF-8.
"""

import struct

MAGIC = b"REC1"


class FormatError(ValueError):
    """The data is not in this format."""


def pack_field(text):
    """Return a field as bytes."""
    data = text.encode("utf-8")
    if len(data) > 0xFFFF:
        raise FormatError("field is too long")
    return struct.pack(">H", len(text)) + data


def dump(records):
    """Return records (sequences of texts) as bytes."""
    parts = [MAGIC]
    for record in records:
        if len(record) > 255:
            raise FormatError("record has too many fields")
        parts.append(bytes([len(record)]))
        parts.extend(map(pack_field, record))
    return b"".join(parts)


def take(data, at, count):
    """Return `count` bytes of the data from `at` on, and the position after them."""
    if at + count > len(data):
        raise FormatError(f"data ends within a record at {at}")
    return data[at:at + count], at + count


def load(data):
    """Return the records of a file as a list of lists of texts."""
    head, at = take(data, 0, len(MAGIC))
    if head != MAGIC:
        raise FormatError("wrong magic bytes")
    records = []
    while at < len(data):
        (fields,), at = take(data, at, 1)
        record = []
        for _ in range(fields):
            raw, at = take(data, at, 2)
            text, at = take(data, at, struct.unpack(">H", raw)[0])
            record.append(text.decode("utf-8"))
        records.append(record)
    return records
''',
        wrong='struct.pack(">H", len(text))',
        right='struct.pack(">H", len(data))',
        visible=r"""
def test_bytes():
    assert dump([["ab", ""]]) == b"REC1\x02\x00\x02ab\x00\x00"

def test_round_trip():
    records = [["name", "city"], ["Ann", "Oslo"], []]
    assert load(dump(records)) == records

def test_no_records():
    assert load(dump([])) == []

def test_accents():
    assert load(dump([["Zürich", "x"]])) == [["Zürich", "x"]]

def test_wrong_magic():
    with pytest.raises(FormatError):
        load(b"RECX")

def test_cut_off():
    with pytest.raises(FormatError):
        load(dump([["hello"]])[:-1])
""",
        hidden=r"""
def test_field_bytes():
    assert pack_field("é") == b"\x00\x02\xc3\xa9"
    assert pack_field("a€b") == b"\x00\x05a\xe2\x82\xacb"
    assert pack_field("\U0001f600") == b"\x00\x04\xf0\x9f\x98\x80"

def test_round_trip_many_scripts():
    records = [["日本語", "", "кот"], ["plain"], ["\U0001f600 ok", "ß" * 300]]
    assert load(dump(records)) == records

def test_longest_field():
    text = "é" * 32767 + "a"
    assert load(dump([[text]])) == [[text]]
    with pytest.raises(FormatError):
        pack_field("é" * 32768)
    with pytest.raises(FormatError):
        dump([["a" * 65536]])

def test_number_of_fields():
    assert load(dump([["q"] * 255])) == [["q"] * 255]
    with pytest.raises(FormatError):
        dump([[""] * 256])

def test_cut_anywhere():
    data = dump([["ä", "bc"]])
    for end in [0, 3] + list(range(5, len(data))):
        with pytest.raises(FormatError):
            load(data[:end])
""",
    ),
    Program(
        name="pattern_file",
        code=r'''"""Run-length encoded patterns of cells, as files for the game of life use them.

Living cells are "o", dead ones "b", the end of a row is "$" and the end of the pattern
"!". A number before one of these repeats it.
"""

from itertools import groupby


def decode(text):
    """Return the rows of a pattern as texts of "o" and "b".

    Lines beginning with "#" are comments. All rows are filled up with "b" to the longest.
    """
    body = "".join(line for line in text.splitlines() if not line.startswith("#"))
    rows, row, count = [], "", 0
    for ch in body:
        if ch.isdigit():
            count = int(ch)
        elif ch in "ob":
            row += ch * (count or 1)
            count = 0
        elif ch == "$":
            rows.append(row)
            rows += [""] * ((count or 1) - 1)
            row, count = "", 0
        elif ch == "!":
            break
        elif not ch.isspace():
            raise ValueError(f"unexpected {ch!r}")
    rows.append(row)
    width = max(map(len, rows))
    return [row.ljust(width, "b") for row in rows]


def encode(rows):
    """Return rows as one line of text; dead cells at the end of a row are left out."""
    joined = "$".join(row.rstrip("b") for row in rows).rstrip("$") + "!"
    parts = []
    for ch, group in groupby(joined):
        length = len(list(group))
        parts.append(f"{length}{ch}" if length > 1 else ch)
    return "".join(parts)


def population(text):
    """Return the number of living cells of an encoded pattern."""
    return sum(row.count("o") for row in decode(text))
''',
        wrong="count = int(ch)",
        right="count = count * 10 + int(ch)",
        visible=r"""
def test_glider():
    assert decode("bob$2bo$3o!") == ["bob", "bbo", "ooo"]

def test_comment_and_lines():
    assert decode("#N block\n2o$\n2o!") == ["oo", "oo"]

def test_empty_rows():
    assert decode("o3$o!") == ["o", "b", "b", "o"]

def test_long_run():
    assert population("24o!") == 24

def test_encode():
    assert encode(["bob", "bbo", "ooo"]) == "bo$2bo$3o!"

def test_unexpected():
    with pytest.raises(ValueError):
        decode("2x!")
""",
        hidden=r"""
def test_counts_of_several_digits():
    assert decode("12bo!") == ["b" * 12 + "o"]
    assert decode("10o100b3o!") == ["o" * 10 + "b" * 100 + "ooo"]
    assert len(decode("o11$o!")) == 12

def test_count_is_forgotten_after_use():
    assert decode("2o3bo$4ob!") == ["oobbbo", "oooobb"]
    assert decode("2$o!") == ["b", "b", "o"]

def test_round_trip():
    rows = ["o" * n + "b" * (40 - n) for n in (1, 9, 10, 11, 19, 20, 40)]
    assert decode(encode(rows)) == rows

def test_population():
    assert population("15o2$105o7b1o!") == 121
    assert population("!") == 0 and decode("!") == [""]

def test_after_the_end():
    assert decode("3o! 12o") == ["ooo"]

def test_count_over_line_break():
    assert decode("1\n2o!") == ["o" * 12]
""",
    ),
    Program(
        name="settings_file",
        code=r'''"""Reading of settings files with typed values.

A file has lines `name = value`; blank lines and lines that begin with "#" are ignored.
A schema is a dict from name to (type, default), with type one of int, float, str, bool,
list.
"""

TRUE = {"true", "yes", "on", "1"}
FALSE = {"false", "no", "off", "0"}


class SettingsError(Exception):
    """A line of the file cannot be understood."""


def convert(kind, text):
    """Return a text as a value of the kind; ValueError if it is not one.

    Truth values are written in one of several ways, in small or capital letters. The
    items of a list are parted by commas, with blanks around them ignored.
    """
    if kind is list:
        return [item.strip() for item in text.split(",") if item.strip()]
    return kind(text)


def truth(text):
    """Return the truth value that a text stands for."""
    word = text.lower()
    if word in TRUE:
        return True
    if word in FALSE:
        return False
    raise ValueError(f"not a truth value: {text!r}")


def read(text, schema):
    """Return a dict with a value for every name of the schema."""
    values = {name: default for name, (_, default) in schema.items()}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, sign, value = (part.strip() for part in line.partition("="))
        if not sign:
            raise SettingsError(f"line {number}: no '='")
        if name not in schema:
            raise SettingsError(f"line {number}: unknown setting {name!r}")
        try:
            values[name] = convert(schema[name][0], value)
        except ValueError as error:
            raise SettingsError(f"line {number}: {error}") from error
    return values
''',
        wrong="""    return kind(text)
""",
        right="""    return truth(text) if kind is bool else kind(text)
""",
        visible=r"""
SCHEMA = {"port": (int, 80), "debug": (bool, False), "hosts": (list, []), "name": (str, "x"), "cache": (bool, True)}

def test_defaults():
    assert read("", SCHEMA) == {"port": 80, "debug": False, "hosts": [], "name": "x", "cache": True}

def test_values():
    v = read("# my file\nport = 8080\n\nhosts = a, b ,\nname=a=b", SCHEMA)
    assert (v["port"], v["hosts"], v["name"]) == (8080, ["a", "b"], "a=b")

def test_switch_on():
    assert read("debug = yes", SCHEMA)["debug"] is True

def test_switch_off():
    assert read("cache = off", SCHEMA)["cache"] is False

def test_unknown():
    with pytest.raises(SettingsError, match="line 2: unknown setting 'prot'"):
        read("port = 1\nprot = 2", SCHEMA)

def test_not_a_number():
    with pytest.raises(SettingsError, match="line 1"):
        read("port = many", SCHEMA)
""",
        hidden=r"""
SCHEMA = {"flag": (bool, None), "n": (int, 0), "f": (float, 0.0), "s": (str, ""), "l": (list, ())}

def test_all_truth_words():
    for word in ("true", "Yes", "ON", "1"):
        assert read(f"flag = {word}", SCHEMA)["flag"] is True
    for word in ("false", "No", "OFF", "0"):
        assert read(f"flag = {word}", SCHEMA)["flag"] is False

def test_not_a_truth_value():
    for word in ("maybe", "2", "", "tru"):
        with pytest.raises(SettingsError, match="line 1: not a truth value"):
            read(f"flag = {word}", SCHEMA)

def test_words_stay_texts_elsewhere():
    v = read("s = off\nl = yes,no\nn = 1\nf = 0", SCHEMA)
    assert v == {"flag": None, "n": 1, "f": 0.0, "s": "off", "l": ["yes", "no"]}
    assert type(v["n"]) is int and type(v["f"]) is float

def test_last_line_wins():
    assert read("flag = on\nflag = off", SCHEMA)["flag"] is False

def test_line_numbers():
    with pytest.raises(SettingsError, match="line 4: no '='"):
        read("\n# x\nn = 3\nflag", SCHEMA)

def test_convert_directly():
    assert convert(bool, "False") is False and convert(bool, "True") is True
    assert convert(list, "") == [] and convert(str, "no") == "no"
""",
    ),
    Program(
        name="running_moments",
        code=r'''"""Mean and variance of numbers that come one after the other."""

from math import sqrt


class Moments:
    """Count, mean and the summed squared deviations from the mean.

    Neither the numbers themselves nor their squares are kept, so that large numbers with
    a small spread do not spoil the result.
    """

    def __init__(self, numbers=()):
        self.count = 0
        self.mean = 0.0
        self.squares = 0.0
        for number in numbers:
            self.add(number)

    def add(self, number):
        """Take one more number into account."""
        self.count += 1
        delta = number - self.mean
        self.mean += delta / self.count
        self.squares += delta * (number - self.mean)

    def __add__(self, other):
        """Return the moments of the numbers of both."""
        both = Moments()
        both.count = self.count + other.count
        if both.count:
            delta = other.mean - self.mean
            both.mean = self.mean + delta * other.count / both.count
            both.squares = self.squares + other.squares
        return both

    def variance(self, sample=True):
        """Return the variance, of a sample or else of the whole population.

        Raises ValueError if there are too few numbers for it.
        """
        free = self.count - 1 if sample else self.count
        if free < 1:
            raise ValueError("too few numbers")
        return self.squares / free

    def deviation(self, sample=True):
        """Return the standard deviation."""
        return sqrt(self.variance(sample))

    def score(self, number):
        """Return by how many standard deviations a number lies above the mean."""
        spread = self.deviation()
        return (number - self.mean) / spread if spread else 0.0


def pooled(groups):
    """Return the moments of all numbers of several groups."""
    return sum(map(Moments, groups), Moments())
''',
        wrong="both.squares = self.squares + other.squares\n",
        right="both.squares = self.squares + other.squares + delta ** 2 * self.count * other.count / both.count\n",
        visible=r"""
def test_mean():
    assert Moments([1, 2, 6]).mean == 3

def test_variance():
    m = Moments([2, 4, 4, 4, 5, 5, 7, 9])
    assert m.variance(sample=False) == pytest.approx(4)
    assert m.variance() == pytest.approx(32 / 7)

def test_too_few():
    with pytest.raises(ValueError):
        Moments([3]).variance()

def test_sum_of_two():
    both = Moments([1, 2]) + Moments([6, 7])
    assert both.count == 4 and both.mean == pytest.approx(4)
    assert both.variance(sample=False) == pytest.approx(6.5)

def test_sum_with_empty():
    both = Moments([1, 3]) + Moments()
    assert (both.count, both.mean, both.squares) == (2, 2, 2)

def test_score():
    assert Moments([1, 3]).score(2) == 0
""",
        hidden=r"""
from statistics import mean, variance, pvariance

GROUPS = [[1.5, 2.5, 10.0], [7.0], [-3.0, -4.0, 0.5, 11.0], [2.0, 2.0]]

def test_pairs_of_groups():
    for a in GROUPS:
        for b in GROUPS:
            m = Moments(a) + Moments(b)
            assert m.count == len(a + b)
            assert m.mean == pytest.approx(mean(a + b))
            assert m.variance() == pytest.approx(variance(a + b))
            assert m.variance(sample=False) == pytest.approx(pvariance(a + b))

def test_pooled():
    numbers = sum(GROUPS, [])
    m = pooled(GROUPS)
    assert m.mean == pytest.approx(mean(numbers)) and m.variance() == pytest.approx(variance(numbers))
    assert m.score(mean(numbers) + m.deviation()) == pytest.approx(1)

def test_single_numbers():
    m = Moments([0]) + Moments([10])
    assert m.squares == pytest.approx(50)
    m = m + Moments([20])
    assert m.squares == pytest.approx(200)

def test_empty():
    m = Moments() + Moments()
    assert m.count == 0 and m.mean == 0
    m = Moments() + Moments([4, 6, 11])
    assert m.squares == pytest.approx(26) and m.mean == 7
    assert pooled([]).count == 0

def test_operands_unchanged_and_no_spread():
    a, b = Moments([1, 1]), Moments([5, 5])
    c = a + b
    assert (a.count, a.squares, b.mean, b.squares) == (2, 0, 5, 0)
    assert c.squares == pytest.approx(16) and a.score(9) == 0.0
""",
    ),
    Program(
        name="text_histogram",
        code=r'''"""Histograms of numbers, drawn as text."""

from typing import NamedTuple


class Bin(NamedTuple):
    """A bin of a histogram: numbers from low up to, but not including, high."""

    low: float
    high: float
    count: int


def histogram(numbers, bins):
    """Return the numbers counted in bins of equal width, from the smallest to the largest.

    The last bin includes its upper end. If all numbers are equal, there is just one bin;
    without any numbers there is none.
    """
    if bins < 1:
        raise ValueError("there must be at least one bin")
    if not numbers:
        return []
    low, high = min(numbers), max(numbers)
    if low == high:
        return [Bin(low, high, len(numbers))]
    counts = {}
    for number in numbers:
        at = int((number - low) * bins / (high - low))
        counts[at] = counts.get(at, 0) + 1
    edges = [low + (high - low) * at / bins for at in range(bins + 1)]
    return [Bin(edges[at], edges[at + 1], counts.get(at, 0)) for at in range(bins)]


def draw(bins, width=40):
    """Return the bins as lines; the fullest one has a bar of `width` characters."""
    top = max((b.count for b in bins), default=0)
    lines = []
    for b in bins:
        bar = "#" * (b.count * width // top)
        lines.append(f"{b.low:g}..{b.high:g} {bar} {b.count}")
    return lines


def mode_bin(bins):
    """Return the bin with the most numbers (the first one of equals), or None."""
    return max(bins, key=lambda b: b.count, default=None)


def cumulative(bins):
    """Return, for every bin, the share of all numbers that lie in it or below it."""
    total, so_far, shares = sum(b.count for b in bins), 0, []
    for b in bins:
        so_far += b.count
        shares.append(so_far / total)
    return shares
''',
        wrong="at = int((number - low) * bins / (high - low))",
        right="at = min(int((number - low) * bins / (high - low)), bins - 1)",
        visible=r"""
def test_edges():
    assert [(b.low, b.high) for b in histogram([0, 10], 2)] == [(0, 5), (5, 10)]

def test_lower_bins():
    bins = histogram([0, 1, 2, 5, 6, 20], 4)
    assert [b.count for b in bins[:3]] == [3, 2, 0]

def test_every_number_is_counted():
    numbers = [3, 1, 4, 1, 5, 9, 2, 6]
    assert sum(b.count for b in histogram(numbers, 4)) == len(numbers)

def test_equal_numbers():
    assert histogram([7, 7, 7], 5) == [(7, 7, 3)]

def test_empty():
    assert histogram([], 3) == [] and mode_bin([]) is None

def test_draw():
    assert draw([Bin(0, 1, 2), Bin(1, 2, 4)], 4) == ["0..1 ## 2", "1..2 #### 4"]
""",
        hidden=r"""
def test_largest_is_in_last_bin():
    assert [b.count for b in histogram([0, 1, 2, 3, 4], 4)] == [1, 1, 1, 2]
    assert [b.count for b in histogram([0, 8, 8, 8], 2)] == [1, 3]

def test_single_bin():
    assert histogram([2, 3, 4], 1) == [(2, 4, 3)]

def test_inner_edges_belong_to_the_upper_bin():
    assert [b.count for b in histogram([0, 5, 10, 15, 20], 4)] == [1, 1, 1, 2]
    assert [b.count for b in histogram([0, 4.9, 5, 10], 2)] == [2, 2]

def test_negative_numbers():
    assert histogram([-4, -2, -1, 0], 2) == [(-4, -2, 1), (-2, 0, 3)]

def test_cumulative_and_mode():
    bins = histogram([1, 1, 2, 9, 9, 9, 9, 5], 4)
    assert cumulative(bins) == [0.375, 0.375, 0.5, 1.0]
    assert mode_bin(bins) == (7, 9, 4)

def test_wrong_bins():
    with pytest.raises(ValueError):
        histogram([1, 2], 0)
    assert draw(histogram([0, 1], 2), 3) == ["0..0.5 ### 1", "0.5..1 ### 1"]
""",
    ),
    Program(
        name="csv_summary",
        code=r'''"""Summaries of the rows of a CSV text, group by group."""

import csv
from io import StringIO
from itertools import groupby
from operator import itemgetter
from statistics import mean, median


FUNCTIONS = {"sum": sum, "mean": mean, "median": median, "min": min, "max": max, "count": len}


def read_rows(text):
    """Return the rows of a CSV text with a header line as dicts."""
    return list(csv.DictReader(StringIO(text)))


def summarize(rows, by, column, function="sum"):
    """Return a dict from each value of the column `by` to the summary of its numbers.

    The groups are in alphabetical order. Rows without a number in the column are left
    out, and so are groups that have no numbers at all.
    """
    if function not in FUNCTIONS:
        raise ValueError(f"unknown function {function!r}")
    key = itemgetter(by)
    result = {}
    for value, group in groupby(rows, key):
        numbers = [float(row[column]) for row in group if row[column].strip()]
        if numbers:
            result[value] = FUNCTIONS[function](numbers)
    return dict(sorted(result.items()))


def ranking(rows, by, column, function="sum"):
    """Return the groups from the largest summary down; equal ones alphabetically."""
    summary = summarize(rows, by, column, function)
    return sorted(summary, key=lambda value: (-summary[value], value))


def write_summary(summary, by, column):
    """Return a summary as a CSV text with two columns."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([by, column])
    for value, number in summary.items():
        writer.writerow([value, f"{number:g}"])
    return out.getvalue()
''',
        wrong="groupby(rows, key)",
        right="groupby(sorted(rows, key=key), key)",
        visible=r'''
SALES = """shop,day,amount
North,1,10
North,2,20
South,1,5
South,2,
East,1,9
"""

def test_read():
    assert read_rows("a,b\n1,2\n") == [{"a": "1", "b": "2"}]

def test_sum_by_shop():
    assert summarize(read_rows(SALES), "shop", "amount") == {"East": 9, "North": 30, "South": 5}

def test_mean_by_day():
    assert summarize(read_rows(SALES), "day", "amount", "mean") == {"1": 8, "2": 20}

def test_ranking():
    assert ranking(read_rows(SALES), "shop", "amount") == ["North", "East", "South"]

def test_unknown_function():
    with pytest.raises(ValueError):
        summarize([], "a", "b", "mode")

def test_write():
    assert write_summary({"x,y": 1.0, "z": 2.5}, "k", "v") == 'k,v\n"x,y",1\nz,2.5\n'
''',
        hidden=r"""
def rows_of(pairs):
    return [{"k": k, "v": v} for k, v in pairs]

MIXED = rows_of([("b", "4"), ("a", "1"), ("b", "2"), ("c", " "), ("a", "5"), ("b", "9"), ("a", "")])

def test_all_functions():
    wanted = {"sum": (6, 15), "mean": (3, 5), "median": (3, 4), "min": (1, 2), "max": (5, 9), "count": (2, 3)}
    for function, (a, b) in wanted.items():
        assert summarize(MIXED, "k", "v", function) == {"a": a, "b": b}

def test_groups_in_order():
    assert list(summarize(MIXED, "k", "v")) == ["a", "b"]
    assert summarize(rows_of([("c", " ")]), "k", "v") == {}

def test_rows_are_left_as_they_are():
    rows = list(MIXED)
    summarize(rows, "k", "v")
    assert rows == MIXED

def test_ranking_of_scattered_rows():
    rows = rows_of([("x", "1"), ("y", "2"), ("z", "3"), ("x", "4"), ("y", "1")])
    assert ranking(rows, "k", "v") == ["x", "y", "z"]
    assert ranking(rows, "k", "v", "min") == ["z", "x", "y"]

def test_last_number_missing():
    rows = rows_of([("p", "3"), ("q", "1"), ("p", "")])
    assert summarize(rows, "k", "v", "count") == {"p": 1, "q": 1}

def test_first_group_again_last():
    rows = rows_of([("m", "10"), ("n", "-1"), ("m", "0.5")])
    assert summarize(rows, "k", "v") == {"m": 10.5, "n": -1}
    assert summarize([], "k", "v") == {}
""",
    ),
)
