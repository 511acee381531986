"""Programs of ten kinds, like fixes of forty projects.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---- data structures -------------------------------------------------
    Program(
        name="sample_ring",
        code=r'''class SampleRing:
    """Keeps the most recent readings of a sensor in a fixed number of slots."""

    def __init__(self, size):
        if size < 1:
            raise ValueError("size must be at least 1")
        self._slots = [None] * size
        self._next = 0
        self._count = 0

    def __len__(self):
        """Number of readings held at the moment, never more than the size."""
        return self._count

    def push(self, reading):
        """Store a reading; the oldest one makes room when the ring is full."""
        self._slots[self._next] = reading
        self._next = (self._next + 1) % len(self._slots)
        self._count += 1

    def values(self):
        """Return the readings held, oldest first."""
        start = self._next - self._count
        size = len(self._slots)
        return [self._slots[(start + i) % size] for i in range(self._count)]

    def average(self):
        """Mean of the readings held, or None when there are none."""
        if not self._count:
            return None
        return sum(self.values()) / self._count
''',
        wrong="        self._count += 1\n",
        right="        self._count = min(self._count + 1, len(self._slots))\n",
        visible=r"""
def test_empty():
    ring = SampleRing(3)
    assert len(ring) == 0
    assert ring.values() == []
    assert ring.average() is None


def test_partly_filled():
    ring = SampleRing(4)
    ring.push(1)
    ring.push(5)
    assert ring.values() == [1, 5]
    assert ring.average() == 3


def test_exactly_full():
    ring = SampleRing(3)
    for reading in (7, 8, 9):
        ring.push(reading)
    assert ring.values() == [7, 8, 9]
    assert len(ring) == 3


def test_oldest_is_dropped():
    ring = SampleRing(3)
    for reading in (1, 2, 3, 4):
        ring.push(reading)
    assert ring.values() == [2, 3, 4]


def test_size_is_checked():
    with pytest.raises(ValueError):
        SampleRing(0)
""",
        hidden=r"""
def test_length_stays_at_size():
    ring = SampleRing(2)
    for reading in range(11):
        ring.push(reading)
    assert len(ring) == 2
    assert ring.values() == [9, 10]


def test_average_after_wrap():
    ring = SampleRing(2)
    for reading in (100, 2, 4):
        ring.push(reading)
    assert ring.average() == 3


def test_single_slot():
    ring = SampleRing(1)
    ring.push("a")
    assert ring.values() == ["a"]
    ring.push("b")
    assert ring.values() == ["b"]
    assert len(ring) == 1


def test_not_full_length():
    ring = SampleRing(5)
    ring.push(1)
    assert len(ring) == 1
""",
    ),
    Program(
        name="price_history",
        code=r'''from bisect import bisect_left, bisect_right
from datetime import date


class PriceHistory:
    """Prices of one article, each valid from a given day onwards."""

    def __init__(self):
        self._days = []
        self._prices = []

    def set_price(self, day, price):
        """Let the price hold from that day on, up to the next change.

        Setting a price twice for the same day replaces the earlier entry.
        """
        position = bisect_left(self._days, day)
        if position < len(self._days) and self._days[position] == day:
            self._prices[position] = price
        else:
            self._days.insert(position, day)
            self._prices.insert(position, price)

    def price_on(self, day):
        """Return the price valid on a day.

        Raises LookupError for days before the first price.
        """
        position = bisect_left(self._days, day)
        if position == 0:
            raise LookupError(f"no price known for {day}")
        return self._prices[position - 1]

    def changes_between(self, first, last):
        """Return (day, price) for all changes from first to last, both included."""
        low = bisect_left(self._days, first)
        high = bisect_right(self._days, last)
        return list(zip(self._days[low:high], self._prices[low:high]))
''',
        wrong="""        position = bisect_left(self._days, day)
        if position == 0:""",
        right="""        position = bisect_right(self._days, day)
        if position == 0:""",
        visible=r"""
def make():
    history = PriceHistory()
    history.set_price(date(2023, 6, 1), 120)
    history.set_price(date(2023, 1, 1), 100)
    history.set_price(date(2023, 9, 15), 110)
    return history


def test_between_changes():
    history = make()
    assert history.price_on(date(2023, 3, 3)) == 100
    assert history.price_on(date(2023, 7, 1)) == 120


def test_after_last_change():
    assert make().price_on(date(2024, 1, 1)) == 110


def test_on_the_day_of_change():
    assert make().price_on(date(2023, 6, 1)) == 120


def test_before_first():
    with pytest.raises(LookupError):
        make().price_on(date(2022, 12, 31))


def test_changes_between():
    changes = make().changes_between(date(2023, 1, 2), date(2023, 9, 15))
    assert changes == [(date(2023, 6, 1), 120), (date(2023, 9, 15), 110)]
""",
        hidden=r"""
def test_first_day():
    history = PriceHistory()
    history.set_price(date(2020, 5, 5), 9)
    assert history.price_on(date(2020, 5, 5)) == 9


def test_replaced_same_day():
    history = PriceHistory()
    history.set_price(date(2020, 5, 5), 9)
    history.set_price(date(2020, 5, 5), 8)
    assert history.price_on(date(2020, 5, 6)) == 8
    assert history.price_on(date(2020, 5, 5)) == 8
    assert history.changes_between(date(2020, 1, 1), date(2020, 12, 31)) == [(date(2020, 5, 5), 8)]


def test_day_before_change_keeps_old_price():
    history = PriceHistory()
    history.set_price(date(2020, 1, 1), 1)
    history.set_price(date(2020, 2, 1), 2)
    assert history.price_on(date(2020, 1, 31)) == 1
    assert history.price_on(date(2020, 2, 1)) == 2


def test_empty():
    with pytest.raises(LookupError):
        PriceHistory().price_on(date(2020, 1, 1))
""",
    ),
    Program(
        name="playlist_chain",
        code=r'''class Entry:
    def __init__(self, title):
        self.title = title
        self.next = None


class Playlist:
    """A singly linked list of titles which remembers both of its ends."""

    def __init__(self, titles=()):
        self._head = None
        self._tail = None
        for title in titles:
            self.append(title)

    def __iter__(self):
        entry = self._head
        while entry is not None:
            yield entry.title
            entry = entry.next

    def append(self, title):
        """Add a title at the end."""
        entry = Entry(title)
        if self._tail is None:
            self._head = entry
        else:
            self._tail.next = entry
        self._tail = entry

    def remove(self, title):
        """Remove the first entry with this title; tell whether there was one."""
        previous = None
        entry = self._head
        while entry is not None and entry.title != title:
            previous = entry
            entry = entry.next
        if entry is None:
            return False
        if previous is None:
            self._head = entry.next
        else:
            previous.next = entry.next
        if entry is self._tail:
            self._tail = entry.next
        return True

    def last(self):
        """Return the last title, or None when the list is empty."""
        return self._tail.title if self._tail else None
''',
        wrong="            self._tail = entry.next\n",
        right="            self._tail = previous\n",
        visible=r"""
def test_append_and_iterate():
    playlist = Playlist(["a", "b"])
    playlist.append("c")
    assert list(playlist) == ["a", "b", "c"]
    assert playlist.last() == "c"


def test_remove_first():
    playlist = Playlist(["a", "b", "c"])
    assert playlist.remove("a")
    assert list(playlist) == ["b", "c"]


def test_remove_middle():
    playlist = Playlist(["a", "b", "c"])
    assert playlist.remove("b")
    assert list(playlist) == ["a", "c"]
    assert playlist.last() == "c"


def test_remove_last_then_append():
    playlist = Playlist(["a", "b"])
    assert playlist.remove("b")
    playlist.append("c")
    assert list(playlist) == ["a", "c"]


def test_remove_missing():
    assert not Playlist(["a"]).remove("z")
""",
        hidden=r"""
def test_last_after_removal():
    playlist = Playlist(["x", "y", "z"])
    playlist.remove("z")
    assert playlist.last() == "y"
    playlist.remove("y")
    assert playlist.last() == "x"


def test_remove_only_entry():
    playlist = Playlist(["x"])
    assert playlist.remove("x")
    assert playlist.last() is None
    playlist.append("y")
    assert list(playlist) == ["y"]
    assert playlist.last() == "y"


def test_duplicates():
    playlist = Playlist(["x", "y", "x"])
    playlist.remove("x")
    assert list(playlist) == ["y", "x"]
    playlist.remove("x")
    playlist.append("w")
    assert list(playlist) == ["y", "w"]


def test_empty():
    playlist = Playlist()
    assert list(playlist) == []
    assert playlist.last() is None
    assert not playlist.remove("q")
""",
    ),
    Program(
        name="note_index",
        code=r'''import re
from collections import defaultdict


class NoteIndex:
    """Full text index of short notes, each known by a key."""

    def __init__(self):
        self._words = {}
        self._keys_by_word = defaultdict(set)

    @staticmethod
    def _split(text):
        return set(re.findall(r"[a-z0-9]+", text.lower()))

    def put(self, key, text):
        """Index a note. A note already stored under the key is replaced."""
        words = self._split(text)
        self._words[key] = words
        for word in words:
            self._keys_by_word[word].add(key)

    def discard(self, key):
        """Forget a note; unknown keys are ignored."""
        for word in self._words.pop(key, ()):
            keys = self._keys_by_word[word]
            keys.discard(key)
            if not keys:
                del self._keys_by_word[word]

    def search(self, query):
        """Return the sorted keys of all notes which contain every word of the query."""
        words = self._split(query)
        if not words:
            return []
        found = [self._keys_by_word.get(word, set()) for word in words]
        return sorted(set.intersection(*found))

    def vocabulary(self):
        """Return all words which occur in at least one note, sorted."""
        return sorted(self._keys_by_word)
''',
        wrong="        self._words[key] = words\n",
        right="        self.discard(key)\n        self._words[key] = words\n",
        visible=r"""
def make():
    index = NoteIndex()
    index.put(1, "Buy milk and bread")
    index.put(2, "Bread recipe: flour, water")
    index.put(3, "Call the plumber")
    return index


def test_single_word():
    assert make().search("bread") == [1, 2]


def test_all_words_needed():
    assert make().search("Bread milk") == [1]
    assert make().search("bread plumber") == []


def test_empty_query():
    assert make().search(" ?") == []


def test_discard():
    index = make()
    index.discard(1)
    index.discard(99)
    assert index.search("bread") == [2]
    assert "milk" not in index.vocabulary()


def test_replace():
    index = make()
    index.put(3, "Call the electrician")
    assert index.search("electrician") == [3]
    assert index.search("plumber") == []
""",
        hidden=r"""
def test_vocabulary_after_replace():
    index = NoteIndex()
    index.put("n", "one two")
    index.put("n", "two three")
    assert index.vocabulary() == ["three", "two"]
    assert index.search("two") == ["n"]


def test_discard_after_replace():
    index = NoteIndex()
    index.put("n", "one two")
    index.put("n", "three")
    index.discard("n")
    assert index.vocabulary() == []
    assert index.search("one") == []


def test_other_notes_keep_their_words():
    index = NoteIndex()
    index.put("a", "red green")
    index.put("b", "red blue")
    index.put("a", "yellow")
    assert index.search("red") == ["b"]


def test_same_text_again():
    index = NoteIndex()
    index.put("a", "red green")
    index.put("a", "red green")
    assert index.search("green red") == ["a"]
""",
    ),
    # ---- recursion -------------------------------------------------------
    Program(
        name="dotted_settings",
        code=r'''def flatten(settings, prefix=""):
    """Turn nested settings into one dictionary with dotted keys.

    {"db": {"host": "x"}} becomes {"db.host": "x"}. Elements of lists get
    their position as key, so {"a": [5, 6]} becomes {"a.0": 5, "a.1": 6}.
    Empty dictionaries and lists leave no trace.
    """
    flat = {}
    for key, value in _pairs(settings):
        path = f"{prefix}.{key}" if prefix else str(key)
        if isinstance(value, (dict, list)):
            flat.update(flatten(value, str(key)))
        else:
            flat[path] = value
    return flat


def _pairs(container):
    if isinstance(container, dict):
        return container.items()
    return enumerate(container)


def lookup(settings, path, default=None):
    """Return the value at a dotted path of nested settings."""
    return flatten(settings).get(path, default)
''',
        wrong="flatten(value, str(key))",
        right="flatten(value, path)",
        visible=r"""
def test_plain():
    assert flatten({"a": 1, "b": "x"}) == {"a": 1, "b": "x"}


def test_one_level():
    assert flatten({"db": {"host": "x", "port": 5}}) == {"db.host": "x", "db.port": 5}


def test_list():
    assert flatten({"a": [5, 6]}) == {"a.0": 5, "a.1": 6}


def test_deeper():
    settings = {"log": {"file": {"path": "/var/log"}, "level": "info"}}
    assert flatten(settings) == {"log.file.path": "/var/log", "log.level": "info"}


def test_lookup_default():
    assert lookup({"a": {"b": 1}}, "a.c", default=9) == 9
""",
        hidden=r"""
def test_four_levels():
    assert flatten({"a": {"b": {"c": {"d": 1}}}}) == {"a.b.c.d": 1}


def test_list_of_dicts():
    settings = {"hosts": [{"name": "x"}, {"name": "y"}]}
    assert flatten(settings) == {"hosts.0.name": "x", "hosts.1.name": "y"}


def test_no_collisions():
    settings = {"dev": {"db": {"host": "a"}}, "live": {"db": {"host": "b"}}}
    assert lookup(settings, "dev.db.host") == "a"
    assert lookup(settings, "live.db.host") == "b"


def test_empty_parts():
    assert flatten({"a": {}, "b": [], "c": {"d": {}}}) == {}
""",
    ),
    Program(
        name="department_tree",
        code=r'''class Department:
    """A department with its own staff and the departments below it."""

    def __init__(self, name, staff, parts=()):
        self.name = name
        self.staff = staff
        self.parts = list(parts)


def headcount(department):
    """Number of people in the department and everything below it."""
    return department.staff + sum(headcount(part) for part in department.parts)


def depth(department):
    """Number of levels; a department without parts has one."""
    return 1 + max((depth(part) for part in department.parts), default=0)


def path_to(department, name):
    """Return the names from the department down to the one wanted.

    Both ends are included. None when there is no such department.
    """
    if department.name == name:
        return [name]
    for part in department.parts:
        below = path_to(part, name)
        if below is None:
            return None
        return [department.name] + below
    return None


def outline(department, indent=0):
    """Return the lines of an indented overview, two blanks for each level."""
    lines = [f"{' ' * indent}{department.name} ({headcount(department)})"]
    for part in department.parts:
        lines.extend(outline(part, indent + 2))
    return lines
''',
        wrong="            return None\n",
        right="            continue\n",
        visible=r"""
def make():
    return Department("board", 3, [
        Department("sales", 10, [Department("export", 4)]),
        Department("it", 6, [Department("support", 5), Department("web", 7)]),
    ])


def test_headcount():
    assert headcount(make()) == 35


def test_depth():
    assert depth(make()) == 3
    assert depth(Department("x", 1)) == 1


def test_outline():
    assert outline(make())[:3] == ["board (35)", "  sales (14)", "    export (4)"]


def test_path():
    assert path_to(make(), "export") == ["board", "sales", "export"]
    assert path_to(make(), "web") == ["board", "it", "web"]


def test_path_unknown():
    assert path_to(make(), "legal") is None
""",
        hidden=r"""
def test_second_child():
    tree = Department("a", 1, [Department("b", 1), Department("c", 1), Department("d", 1)])
    assert path_to(tree, "b") == ["a", "b"]
    assert path_to(tree, "c") == ["a", "c"]
    assert path_to(tree, "d") == ["a", "d"]


def test_itself():
    assert path_to(Department("a", 1), "a") == ["a"]


def test_deep_right():
    tree = Department("a", 1, [
        Department("b", 1, [Department("c", 1)]),
        Department("d", 1, [Department("e", 1), Department("f", 1, [Department("g", 1)])]),
    ])
    assert path_to(tree, "g") == ["a", "d", "f", "g"]
    assert path_to(tree, "z") is None
""",
    ),
    Program(
        name="layered_defaults",
        code=r'''def overlay(base, changes):
    """Return base with the changes laid over it.

    Dictionaries present on both sides are combined recursively, any other
    value of the changes takes the place of the one in base. A change to None
    removes the key. Neither argument is modified.
    """
    result = dict(base)
    for key, value in changes.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key].update(overlay(result[key], value))
        else:
            result[key] = value
    return result


def overlay_all(*layers):
    """Combine any number of layers, later ones taking precedence."""
    result = {}
    for layer in layers:
        result = overlay(result, layer)
    return result
''',
        wrong="            result[key].update(overlay(result[key], value))\n",
        right="            result[key] = overlay(result[key], value)\n",
        visible=r"""
def test_flat():
    assert overlay({"a": 1, "b": 2}, {"b": 3, "c": 4}) == {"a": 1, "b": 3, "c": 4}


def test_nested():
    base = {"log": {"level": "info", "file": "x"}}
    assert overlay(base, {"log": {"level": "debug"}}) == {"log": {"level": "debug", "file": "x"}}


def test_remove():
    assert overlay({"a": 1, "b": 2}, {"a": None, "z": None}) == {"b": 2}


def test_base_is_not_modified():
    base = {"log": {"level": "info"}, "n": 1}
    overlay(base, {"log": {"level": "debug"}, "n": 2})
    assert base == {"log": {"level": "info"}, "n": 1}


def test_three_layers():
    assert overlay_all({"a": 1}, {"b": {"c": 2}}, {"a": 5}) == {"a": 5, "b": {"c": 2}}
""",
        hidden=r"""
def test_nested_removal():
    assert overlay({"log": {"level": "info", "file": "x"}}, {"log": {"file": None}}) == {"log": {"level": "info"}}


def test_layers_untouched():
    first = {"db": {"host": "a", "pool": {"size": 1}}}
    second = {"db": {"pool": {"size": 2}}}
    third = {"db": {"host": "c"}}
    assert overlay_all(first, second, third) == {"db": {"host": "c", "pool": {"size": 2}}}
    assert first == {"db": {"host": "a", "pool": {"size": 1}}}
    assert second == {"db": {"pool": {"size": 2}}}
    assert third == {"db": {"host": "c"}}


def test_type_changes():
    assert overlay({"a": {"b": 1}}, {"a": 2}) == {"a": 2}
    assert overlay({"a": 2}, {"a": {"b": 1}}) == {"a": {"b": 1}}


def test_no_changes():
    assert overlay({"a": {"b": 1}}, {}) == {"a": {"b": 1}}
""",
    ),
    Program(
        name="formula_reader",
        code=r'''import re


class Formula:
    """Evaluates formulas of numbers with + - * / and parentheses.

    The usual precedence holds; a sign in front of a number or parenthesis
    belongs to just that operand, so -2 + 5 is 3.
    """

    def __init__(self, text):
        self._tokens = re.findall(r"\d+(?:\.\d+)?|[-+*/()]", text)
        self._position = 0

    def _peek(self):
        if self._position < len(self._tokens):
            return self._tokens[self._position]
        return None

    def _take(self):
        token = self._peek()
        self._position += 1
        return token

    def evaluate(self):
        value = self._sum()
        if self._peek() is not None:
            raise ValueError(f"unexpected {self._peek()!r}")
        return value

    def _sum(self):
        value = self._product()
        while self._peek() in ("+", "-"):
            if self._take() == "+":
                value += self._product()
            else:
                value -= self._product()
        return value

    def _product(self):
        value = self._operand()
        while self._peek() in ("*", "/"):
            if self._take() == "*":
                value *= self._operand()
            else:
                value /= self._operand()
        return value

    def _operand(self):
        token = self._take()
        if token == "-":
            return -self._sum()
        if token == "(":
            value = self._sum()
            if self._take() != ")":
                raise ValueError("missing )")
            return value
        if token is None or not token[0].isdigit():
            raise ValueError("number expected")
        return float(token)
''',
        wrong="            return -self._sum()\n",
        right="            return -self._operand()\n",
        visible=r"""
def test_precedence():
    assert Formula("2 + 3 * 4").evaluate() == 14
    assert Formula("(2 + 3) * 4").evaluate() == 20


def test_left_to_right():
    assert Formula("10 - 3 - 2").evaluate() == 5
    assert Formula("16 / 4 / 2").evaluate() == 2


def test_sign():
    assert Formula("-4").evaluate() == -4
    assert Formula("-2 + 5").evaluate() == 3


def test_sign_of_parenthesis():
    assert Formula("3 * -(1 + 1)").evaluate() == -6


def test_errors():
    for text in ("", "2 +", "(1", "1 2"):
        with pytest.raises(ValueError):
            Formula(text).evaluate()
""",
        hidden=r"""
def test_sign_inside():
    assert Formula("4 * -2 + 1").evaluate() == -7
    assert Formula("4 - -2 - 1").evaluate() == 5


def test_sign_before_parenthesis():
    assert Formula("-(1 + 2) + 10").evaluate() == 7
    assert Formula("-(3) - 1").evaluate() == -4


def test_double_sign():
    assert Formula("--3 + 1").evaluate() == 4


def test_fractions():
    assert Formula("-0.5 * 4 + 1").evaluate() == pytest.approx(-1)


def test_sign_and_product():
    assert Formula("-6 / 3").evaluate() == -2
""",
    ),
    # ---- strings ---------------------------------------------------------
    Program(
        name="receipt_wrap",
        code=r'''def wrap(text, width):
    """Break text into lines of at most width characters.

    Lines are broken between words only, words within a line are separated by
    one blank. A word longer than the width gets a line of its own.
    """
    lines = []
    current = ""
    for word in text.split():
        if not current:
            current = word
        elif len(current) + len(word) <= width:
            current = f"{current} {word}"
        else:
            lines.append(current)
            current = word
    if current:
        lines.append(current)
    return lines


def boxed(text, width):
    """Return the wrapped text within a frame of the characters + - and |."""
    border = "+" + "-" * (width + 2) + "+"
    body = [f"| {line.ljust(width)} |" for line in wrap(text, width)]
    return "\n".join([border, *body, border])
''',
        wrong="len(current) + len(word) <= width",
        right="len(current) + len(word) < width",
        visible=r"""
def test_short_text():
    assert wrap("two words", 20) == ["two words"]


def test_empty():
    assert wrap("   ", 10) == []


def test_breaks():
    assert wrap("the quick brown fox jumps", 11) == ["the quick", "brown fox", "jumps"]


def test_never_too_long():
    text = "thank you for shopping at our store and come again"
    for width in range(9, 30):
        assert all(len(line) <= width for line in wrap(text, width))


def test_long_word():
    assert wrap("an extraordinary day", 5) == ["an", "extraordinary", "day"]


def test_boxed():
    assert boxed("hello", 7) == "+---------+\n| hello   |\n+---------+"
""",
        hidden=r"""
def test_exact_fit():
    assert wrap("abc def", 7) == ["abc def"]


def test_one_too_few():
    assert wrap("abc def", 6) == ["abc", "def"]


def test_no_words_lost():
    text = "a bb ccc dddd eeeee a bb ccc"
    for width in range(5, 20):
        lines = wrap(text, width)
        assert " ".join(lines) == text
        assert max(map(len, lines)) <= width


def test_fills_lines():
    assert wrap("a b c d", 3) == ["a b", "c d"]
    assert wrap("a b c d", 2) == ["a", "b", "c", "d"]
""",
    ),
    Program(
        name="article_slug",
        code=r'''import re
import unicodedata


def slugify(title, limit=40):
    """Make the part of an address which names an article.

    Only lower case letters, digits and single hyphens are used; accents are
    dropped. The result is not longer than the limit and neither starts nor
    ends with a hyphen.
    """
    text = unicodedata.normalize("NFKD", title)
    text = text.encode("ascii", "ignore").decode("ascii").lower()
    text = re.sub(r"[^a-z0-9]+", "-", text)
    return text.strip("-")[:limit]


def unique_slug(title, taken, limit=40):
    """Return a slug which is not among those taken.

    A number is appended when needed: "news", "news-2", "news-3".
    """
    slug = slugify(title, limit)
    if slug not in taken:
        return slug
    number = 2
    while True:
        ending = f"-{number}"
        candidate = slugify(title, limit - len(ending)) + ending
        if candidate not in taken:
            return candidate
        number += 1
''',
        wrong="""    return text.strip("-")[:limit]\n""",
        right="""    return text.strip("-")[:limit].rstrip("-")\n""",
        visible=r"""
def test_simple():
    assert slugify("Hello World") == "hello-world"


def test_accents_and_punctuation():
    assert slugify("  Caf\u00e9 -- d\u00e9j\u00e0 vu! ") == "cafe-deja-vu"


def test_limit():
    assert slugify("abcdefghij", limit=4) == "abcd"


def test_limit_at_word_end():
    assert slugify("red green blue", limit=10) == "red-green"


def test_unique():
    assert unique_slug("News", set()) == "news"
    assert unique_slug("News", {"news"}) == "news-2"
    assert unique_slug("News", {"news", "news-2"}) == "news-3"
""",
        hidden=r"""
def test_no_hyphen_at_the_ends():
    title = "!a bc def g hi jklm"
    for limit in range(1, 20):
        slug = slugify(title, limit)
        assert len(slug) <= limit
        assert slug == slug.strip("-")


def test_leading_junk_does_not_count():
    assert slugify("--- abc def", limit=3) == "abc"
    assert slugify("--- abc def", limit=4) == "abc"


def test_unique_with_limit():
    assert unique_slug("red green", {"red-gr"}, limit=6) == "red-2"


def test_nothing_left():
    assert slugify("?!") == ""
""",
    ),
    Program(
        name="letter_template",
        code=r'''import re

_FIELD = re.compile(r"\{(\w+)(?::(\d+))?\}")


def fill(template, values):
    """Put values into a template.

    {name} stands for the value called name, {name:8} pads it with blanks on
    the left to 8 characters. Fields without a value stay as they are, so that
    a template can be filled in several steps.
    """

    def replace(match):
        name, width = match.group(1), match.group(2)
        value = values.get(name)
        if not value:
            return match.group(0)
        text = str(value)
        return text.rjust(int(width)) if width else text

    return _FIELD.sub(replace, template)


def fields(template):
    """Return the names of all fields in order of first appearance."""
    names = []
    for match in _FIELD.finditer(template):
        if match.group(1) not in names:
            names.append(match.group(1))
    return names


def missing(template, values):
    """Return the names of the fields which have no value yet."""
    return [name for name in fields(template) if name not in values]
''',
        wrong="        if not value:\n",
        right="        if name not in values:\n",
        visible=r"""
def test_simple():
    assert fill("Dear {name},", {"name": "Ms Lee"}) == "Dear Ms Lee,"


def test_padding():
    assert fill("[{n:5}]", {"n": 42}) == "[   42]"


def test_unknown_stays():
    assert fill("{a} and {b:3}", {"a": 1}) == "1 and {b:3}"


def test_zero():
    assert fill("{count} open items", {"count": 0}) == "0 open items"


def test_fields():
    assert fields("{b} {a} {b:4}") == ["b", "a"]
    assert missing("{b} {a} {b:4}", {"a": 0}) == ["b"]
""",
        hidden=r"""
def test_empty_text():
    assert fill("<{title}>", {"title": ""}) == "<>"


def test_empty_text_padded():
    assert fill("<{title:3}>", {"title": ""}) == "<   >"


def test_false():
    assert fill("{flag}", {"flag": False}) == "False"


def test_zero_padded():
    assert fill("{n:3}|{m:2}", {"n": 0, "m": 0.0}) == "  0|0.0"


def test_two_steps():
    once = fill("{a}-{b}", {"b": 2})
    assert once == "{a}-2"
    assert fill(once, {"a": 1}) == "1-2"
""",
    ),
    Program(
        name="quoted_fields",
        code=r'''def split_record(line, separator=";"):
    """Split one line of an export into its fields.

    A field may be enclosed in double quotes; it can then hold separators,
    and a doubled quote in it stands for a quote character. An unclosed quote
    raises ValueError.
    """
    fields = []
    field = ""
    quoted = False
    i = 0
    while i < len(line):
        char = line[i]
        if quoted:
            if char == '"' and line[i + 1:i + 2] == '"':
                field += '"'
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
    if quoted:
        raise ValueError("quote is not closed")
    fields.append(field)
    return fields


def join_record(fields, separator=";"):
    """Inverse of split_record; quotes are used only where they are needed."""
    parts = []
    for field in fields:
        if separator in field or '"' in field:
            field = '"' + field.replace('"', '""') + '"'
        parts.append(field)
    return separator.join(parts)
''',
        wrong="""                field += '"'\n""",
        right="""                field += '"'\n                i += 1\n""",
        visible=r"""
def test_plain():
    assert split_record("a;b;c") == ["a", "b", "c"]


def test_empty_fields():
    assert split_record(";x;") == ["", "x", ""]


def test_quoted_separator():
    assert split_record('1;"a;b";2') == ["1", "a;b", "2"]


def test_doubled_quote():
    assert split_record('"24"" screen";black') == ['24" screen', "black"]


def test_unclosed():
    with pytest.raises(ValueError):
        split_record('a;"b')


def test_join():
    assert join_record(["a", "b;c", 'd"e']) == 'a;"b;c";"d""e"'
""",
        hidden=r'''
def test_round_trip():
    for fields in (['x"y;z', "k"], ['"', '""', "a"], ['say "hi"; go', ""], ["plain", "text"]):
        assert split_record(join_record(fields)) == fields


def test_only_quotes():
    assert split_record('""""') == ['"']


def test_two_pairs():
    assert split_record('"a"""""') == ['a""']


def test_empty_quoted():
    assert split_record('"";x') == ["", "x"]


def test_other_separator():
    assert split_record('"a"",b",c', ",") == ['a",b', "c"]
''',
    ),
    # ---- arithmetic ------------------------------------------------------
    Program(
        name="shared_bill",
        code=r'''def split_bill(cents, people):
    """Split an amount in cents into one share for each person.

    The shares add up to the amount and differ by one cent at most; the
    larger shares come first.
    """
    if people < 1:
        raise ValueError("nobody to pay")
    share, rest = divmod(cents, people)
    return [share + 1 if i <= rest else share for i in range(people)]


def with_tip(cents, percent):
    """Return the amount with a tip, rounded up to full cents."""
    return cents + -(-cents * percent // 100)


def settle(paid):
    """Work out who owes what after a shared evening.

    Takes what each person has paid, and returns for each person how much is
    still to be paid (positive) or to be got back (negative). Shares are dealt
    out in order of the names.
    """
    names = sorted(paid)
    shares = split_bill(sum(paid.values()), len(names))
    return {name: share - paid[name] for name, share in zip(names, shares)}
''',
        wrong="share + 1 if i <= rest else share",
        right="share + 1 if i < rest else share",
        visible=r"""
def test_uneven():
    assert split_bill(1000, 3) == [334, 333, 333]


def test_single():
    with pytest.raises(ValueError):
        split_bill(100, 0)


def test_tip():
    assert with_tip(1000, 10) == 1100
    assert with_tip(1001, 10) == 1102


def test_total_is_kept():
    assert sum(split_bill(9999, 7)) == 9999


def test_length():
    assert len(split_bill(50, 4)) == 4
""",
        hidden=r"""
def test_even():
    assert split_bill(900, 3) == [300, 300, 300]


def test_one_person():
    assert split_bill(777, 1) == [777]


def test_more_people_than_cents():
    assert split_bill(2, 5) == [1, 1, 0, 0, 0]


def test_settle():
    assert settle({"bo": 600, "al": 0, "cy": 400}) == {"al": 334, "bo": -267, "cy": -67}


def test_sums():
    for cents in range(0, 60):
        for people in range(1, 8):
            shares = split_bill(cents, people)
            assert sum(shares) == cents
            assert max(shares) - min(shares) <= 1
""",
    ),
    Program(
        name="loan_plan",
        code=r'''from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def round_cents(amount):
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


def plan(principal, yearly_percent, payment):
    """Return the repayment plan of a loan with fixed monthly payments.

    Every row holds interest, repayment and remaining debt. The interest of a
    month is a twelfth of the yearly rate on the debt still open, rounded to
    cents. The last payment is only as high as needed to bring the debt to
    zero. A payment which does not exceed the first interest is refused.
    """
    debt = Decimal(principal)
    payment = Decimal(payment)
    rate = Decimal(yearly_percent) / 100 / 12
    if payment <= round_cents(debt * rate):
        raise ValueError("payment does not cover the interest")
    rows = []
    while debt > 0:
        interest = round_cents(debt * rate)
        repaid = min(payment, debt) - interest
        debt -= repaid
        rows.append((interest, repaid, debt))
    return rows


def total_interest(rows):
    """Sum of the interest over the whole plan."""
    return sum((interest for interest, _, _ in rows), Decimal(0))
''',
        wrong="        repaid = min(payment, debt) - interest\n",
        right="        repaid = min(payment - interest, debt)\n",
        visible=r"""
def test_first_month():
    from decimal import Decimal
    rows = plan("1200", "12", "200")
    assert rows[0] == (Decimal("12.00"), Decimal("188.00"), Decimal("1012.00"))


def test_refused():
    with pytest.raises(ValueError):
        plan("1000", "12", "10")


def test_without_interest():
    rows = plan("300", "0", "100")
    assert [row[1] for row in rows] == [100, 100, 100]


def test_small_loan():
    from decimal import Decimal
    rows = plan("100", "12", "60")
    assert rows == [
        (Decimal("1.00"), Decimal("59.00"), Decimal("41.00")),
        (Decimal("0.41"), Decimal("41.00"), Decimal("0.00")),
    ]


def test_second_month_interest():
    from decimal import Decimal
    assert plan("1200", "12", "200")[1][0] == Decimal("10.12")
""",
        hidden=r"""
def test_ends_at_zero():
    rows = plan("5000", "6", "431")
    assert rows[-1][2] == 0
    assert sum(row[1] for row in rows) == 5000
    assert len(rows) == 12


def test_only_last_is_lower():
    rows = plan("2000", "9", "333")
    assert all(interest + repaid == 333 for interest, repaid, _ in rows[:-1])
    assert sum(rows[-1][:2]) <= 333


def test_one_payment():
    from decimal import Decimal
    rows = plan("50", "12", "500")
    assert rows == [(Decimal("0.50"), Decimal("50"), Decimal("0"))]
    assert total_interest(rows) == Decimal("0.50")


def test_total_interest():
    from decimal import Decimal
    assert total_interest(plan("100", "12", "60")) == Decimal("1.41")


def test_last_payment_equals_rest_and_interest():
    from decimal import Decimal
    rows = plan("200", "12", "101")
    assert rows == [
        (Decimal("2.00"), Decimal("99.00"), Decimal("101.00")),
        (Decimal("1.01"), Decimal("99.99"), Decimal("1.01")),
        (Decimal("0.01"), Decimal("1.01"), Decimal("0.00")),
    ]
""",
    ),
    Program(
        name="tier_charges",
        code=r'''TIERS = ((100, 30), (400, 25), (None, 20))


def charge(units, tiers=TIERS):
    """Return the charge in cents for a consumption.

    Each tier is a pair (end, price): units up to the end cost that price
    each, units beyond it are charged by the following tiers. The last tier
    has no end. With the standard tiers the first 100 units cost 30 cents
    each, the next 300 cost 25 and all further ones 20.
    """
    if units < 0:
        raise ValueError("negative consumption")
    total = 0
    start = 0
    for end, price in tiers:
        if end is None or units <= end:
            return total + (units - start) * price
        total += (end - start) * price
    raise ValueError("the last tier must be open")


def average_price(units, tiers=TIERS):
    """Mean price for each unit in cents, 0 without consumption."""
    return charge(units, tiers) / units if units else 0


def saving(units, tiers, other_tiers):
    """How much cheaper the other tiers are (negative if dearer)."""
    return charge(units, tiers) - charge(units, other_tiers)
''',
        wrong="        total += (end - start) * price\n",
        right="        total += (end - start) * price\n        start = end\n",
        visible=r"""
def test_first_tier():
    assert charge(0) == 0
    assert charge(50) == 1500
    assert charge(100) == 3000


def test_second_tier():
    assert charge(101) == 3025
    assert charge(400) == 10500


def test_negative():
    with pytest.raises(ValueError):
        charge(-1)


def test_last_tier():
    assert charge(500) == 12500


def test_average():
    assert average_price(0) == 0
    assert average_price(80) == 30
""",
        hidden=r"""
def test_own_tiers():
    tiers = ((10, 5), (20, 4), (30, 3), (None, 1))
    assert charge(10, tiers) == 50
    assert charge(20, tiers) == 90
    assert charge(30, tiers) == 120
    assert charge(100, tiers) == 190


def test_flat():
    assert charge(12, ((None, 7),)) == 84


def test_saving():
    assert saving(200, TIERS, ((None, 26),)) == 300


def test_never_falls():
    charges = [charge(units) for units in range(600)]
    assert charges == sorted(charges)


def test_closed_tiers():
    with pytest.raises(ValueError):
        charge(11, ((10, 1),))
""",
    ),
    Program(
        name="value_histogram",
        code=r'''def edges(low, high, bins):
    """Return the bins + 1 borders of equally wide bins from low to high."""
    width = (high - low) / bins
    return [low + i * width for i in range(bins)] + [high]


def histogram(values, low, high, bins):
    """Count how many values fall into each of equally wide bins.

    A bin includes its lower border but not its upper one, except for the
    last bin, which includes both. Values outside low to high are left out.
    """
    if bins < 1 or high <= low:
        raise ValueError("at least one bin and a positive range are needed")
    counts = [0] * bins
    width = (high - low) / bins
    for value in values:
        if low <= value < high:
            index = min(int((value - low) / width), bins - 1)
            counts[index] += 1
    return counts


def bars(counts, length=20):
    """Return one bar of # characters for each count.

    The highest count gets a bar of the full length, the others are scaled
    and rounded down.
    """
    top = max(counts, default=0)
    if not top:
        return ["" for _ in counts]
    return ["#" * (count * length // top) for count in counts]
''',
        wrong="        if low <= value < high:\n",
        right="        if low <= value <= high:\n",
        visible=r"""
def test_edges():
    assert edges(0, 10, 4) == [0, 2.5, 5, 7.5, 10]


def test_counts():
    assert histogram([1, 2, 6, 7, 8], 0, 10, 2) == [2, 3]


def test_borders():
    assert histogram([0, 5, 10], 0, 10, 2) == [1, 2]


def test_outside():
    assert histogram([-1, 3, 11], 0, 10, 2) == [1, 0]


def test_bad_range():
    with pytest.raises(ValueError):
        histogram([1], 5, 5, 2)


def test_bars():
    assert bars([1, 2, 4, 0], 8) == ["##", "####", "########", ""]
""",
        hidden=r"""
def test_grades():
    assert histogram([100, 100, 90, 59], 0, 100, 10) == [0, 0, 0, 0, 0, 1, 0, 0, 0, 3]


def test_one_bin():
    assert histogram([1, 2, 3, 4], 1, 4, 1) == [4]
    assert histogram([1, 2, 3, 4.5], 1, 4, 1) == [3]


def test_negative_range():
    assert histogram([-4, -2, 0], -4, 0, 2) == [1, 2]


def test_nothing_within_is_lost():
    values = [i / 4 for i in range(0, 41)]
    assert sum(histogram(values, 0, 10, 7)) == len(values)
""",
    ),
    # ---- graphs and grids ------------------------------------------------
    Program(
        name="warehouse_route",
        code=r'''from collections import deque


def find(plan, mark):
    """Return (row, column) of the first cell with this mark."""
    for row, line in enumerate(plan):
        if mark in line:
            return row, line.index(mark)
    raise ValueError(f"no {mark} in the plan")


def neighbours(plan, row, column):
    """Yield the free cells above, below, left and right of a cell."""
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        r, c = row + down, column + right
        if 0 <= r < len(plan) and 0 <= c < len(plan) and plan[r][c] != "#":
            yield r, c


def steps(plan, start="S", goal="G"):
    """Return the least number of steps from start to goal.

    The plan is a rectangle given as a list of equally long strings in which
    # is a shelf. None when the goal cannot be reached.
    """
    first, last = find(plan, start), find(plan, goal)
    distance = {first: 0}
    queue = deque([first])
    while queue:
        cell = queue.popleft()
        if cell == last:
            return distance[cell]
        for other in neighbours(plan, *cell):
            if other not in distance:
                distance[other] = distance[cell] + 1
                queue.append(other)
    return None
''',
        wrong='''0 <= c < len(plan) and plan[r][c] != "#"''',
        right='''0 <= c < len(plan[r]) and plan[r][c] != "#"''',
        visible=r"""
def test_square():
    assert steps(["S..", ".#.", "..G"]) == 4


def test_detour():
    assert steps(["S#G", ".#.", "..."]) == 6


def test_blocked():
    assert steps(["S#.", "##.", "..G"]) is None


def test_corridor():
    assert steps(["S....G"]) == 5


def test_missing_mark():
    with pytest.raises(ValueError):
        steps(["S.."])
""",
        hidden=r"""
def test_wide():
    assert steps(["S#...", "...#G"]) == 7


def test_tall():
    assert steps(["S", ".", ".", "G"]) == 3
    assert steps(["S.", "#.", "..", "G#"]) == 5


def test_neighbours_in_the_last_column():
    assert sorted(neighbours(["....", "...."], 0, 3)) == [(0, 2), (1, 3)]


def test_neighbours_in_a_corner():
    assert sorted(neighbours(["..", "..", ".."], 2, 1)) == [(1, 1), (2, 0)]
""",
    ),
    Program(
        name="build_order",
        code=r'''from collections import defaultdict


class CycleError(Exception):
    """The targets depend on each other."""


def build_order(depends):
    """Return all targets in an order in which they can be built.

    Takes a dictionary from each target to the targets it depends on; those
    which depend on nothing need no entry of their own. Among the targets
    that could be built next the alphabetically first one is taken.
    """
    waiting = {target: len(set(needed)) for target, needed in depends.items()}
    users = defaultdict(set)
    for target, needed in depends.items():
        for other in needed:
            users[other].add(target)
            waiting[other] = 0
    order = []
    ready = sorted(target for target, count in waiting.items() if count == 0)
    while ready:
        target = ready.pop(0)
        order.append(target)
        for user in users[target]:
            waiting[user] -= 1
            if waiting[user] == 0:
                ready.append(user)
        ready.sort()
    if len(order) < len(waiting):
        raise CycleError(sorted(set(waiting) - set(order)))
    return order
''',
        wrong="            waiting[other] = 0\n",
        right="            waiting.setdefault(other, 0)\n",
        visible=r"""
def test_one_level():
    assert build_order({"app": ["lib", "core"]}) == ["core", "lib", "app"]


def test_chain():
    assert build_order({"app": ["lib"], "lib": ["core"], "core": []}) == ["core", "lib", "app"]


def test_independent():
    assert build_order({"b": [], "a": [], "c": []}) == ["a", "b", "c"]


def test_cycle():
    with pytest.raises(CycleError):
        build_order({"a": ["b"], "b": ["a"]})


def test_empty():
    assert build_order({}) == []
""",
        hidden=r"""
def test_diamond():
    order = build_order({"top": ["left", "right"], "left": ["base"], "right": ["base"]})
    assert order == ["base", "left", "right", "top"]


def test_chain_against_the_alphabet():
    assert build_order({"a": ["b"], "b": ["c"], "c": ["d"]}) == ["d", "c", "b", "a"]


def test_self_dependency():
    with pytest.raises(CycleError):
        build_order({"a": ["a"], "b": []})


def test_repeated_dependency():
    assert build_order({"a": ["z", "z"]}) == ["z", "a"]


def test_cycle_behind_a_target():
    with pytest.raises(CycleError):
        build_order({"app": ["x"], "x": ["y"], "y": ["x"]})
""",
    ),
    Program(
        name="courier_costs",
        code=r'''from heapq import heappop, heappush


class Network:
    """Depots joined by roads which have a cost in both directions."""

    def __init__(self):
        self._roads = {}

    def add_road(self, a, b, cost):
        if cost < 0:
            raise ValueError("costs must not be negative")
        self._roads.setdefault(a, []).append((b, cost))
        self._roads.setdefault(b, []).append((a, cost))

    def costs_from(self, start):
        """Return the lowest cost to every depot that can be reached."""
        best = {start: 0}
        queue = [(0, start)]
        while queue:
            cost, depot = heappop(queue)
            if cost > best[depot]:
                continue
            for other, extra in self._roads.get(depot, []):
                total = cost + extra
                if other not in best:
                    best[other] = total
                    heappush(queue, (total, other))
        return best

    def cheapest(self, start, goals):
        """Return the goal with the lowest cost from start.

        The alphabetically first one if several are equal, None if no goal
        can be reached.
        """
        costs = self.costs_from(start)
        reachable = [goal for goal in goals if goal in costs]
        return min(reachable, key=lambda goal: (costs[goal], goal), default=None)
''',
        wrong="                if other not in best:\n",
        right="                if other not in best or total < best[other]:\n",
        visible=r"""
def make():
    network = Network()
    network.add_road("a", "b", 4)
    network.add_road("b", "c", 5)
    network.add_road("c", "d", 1)
    return network


def test_line():
    assert make().costs_from("a") == {"a": 0, "b": 4, "c": 9, "d": 10}


def test_both_directions():
    assert make().costs_from("d")["a"] == 10


def test_detour_is_cheaper():
    network = make()
    network.add_road("a", "c", 20)
    assert network.costs_from("a")["c"] == 9


def test_unreachable():
    network = make()
    network.add_road("x", "y", 1)
    assert "x" not in network.costs_from("a")
    assert network.cheapest("a", ["x", "y"]) is None


def test_cheapest():
    assert make().cheapest("b", ["a", "c", "d"]) == "a"


def test_negative():
    with pytest.raises(ValueError):
        make().add_road("a", "b", -1)
""",
        hidden=r"""
def test_parallel_roads():
    network = Network()
    network.add_road("a", "b", 7)
    network.add_road("a", "b", 3)
    assert network.costs_from("a") == {"a": 0, "b": 3}


def test_several_improvements():
    network = Network()
    for a, b, cost in (("s", "t", 100), ("s", "u", 1), ("u", "t", 50), ("u", "v", 1), ("v", "t", 1)):
        network.add_road(a, b, cost)
    assert network.costs_from("s") == {"s": 0, "t": 3, "u": 1, "v": 2}


def test_cheapest_by_detour():
    network = Network()
    for a, b, cost in (("s", "far", 10), ("s", "mid", 2), ("mid", "far", 2), ("s", "other", 5)):
        network.add_road(a, b, cost)
    assert network.cheapest("s", ["far", "other"]) == "far"


def test_unknown_start():
    assert Network().costs_from("q") == {"q": 0}
""",
    ),
    Program(
        name="friend_suggestions",
        code=r'''from collections import Counter


class Circle:
    """Who is a friend of whom; friendship is mutual."""

    def __init__(self):
        self._friends = {}

    def befriend(self, a, b):
        """Make two different people friends."""
        if a == b:
            raise ValueError("nobody befriends themselves")
        self._friends.setdefault(a, set()).add(b)
        self._friends.setdefault(b, set()).add(a)

    def friends(self, person):
        """Return the sorted friends of a person."""
        return sorted(self._friends.get(person, ()))

    def suggestions(self, person, limit=3):
        """Return people the person may know: friends of friends.

        Those with the most common friends come first, equal ones in order
        of their names. Friends are not suggested again.
        """
        friends = self._friends.get(person, set())
        common = Counter()
        for friend in friends:
            common.update(self._friends[friend] - friends)
        ranked = sorted(common, key=lambda name: (-common[name], name))
        return ranked[:limit]
''',
        wrong="            common.update(self._friends[friend] - friends)\n",
        right="            common.update(self._friends[friend] - friends - {person})\n",
        visible=r"""
def make(*pairs):
    circle = Circle()
    for a, b in pairs:
        circle.befriend(a, b)
    return circle


def test_friends():
    circle = make(("ann", "cem"), ("bob", "ann"))
    assert circle.friends("ann") == ["bob", "cem"]
    assert circle.friends("cem") == ["ann"]


def test_stranger():
    assert make(("ann", "bob")).suggestions("zoe") == []


def test_not_oneself():
    with pytest.raises(ValueError):
        make(("ann", "ann"))


def test_suggestions():
    circle = make(("ann", "bob"), ("bob", "cem"), ("ann", "dan"), ("dan", "cem"), ("dan", "eva"))
    assert circle.suggestions("ann") == ["cem", "eva"]


def test_friends_are_left_out():
    circle = make(("ann", "bob"), ("bob", "cem"), ("ann", "cem"))
    assert "bob" not in circle.suggestions("ann")
""",
        hidden=r"""
def make(*pairs):
    circle = Circle()
    for a, b in pairs:
        circle.befriend(a, b)
    return circle


def test_pair():
    assert make(("ann", "bob")).suggestions("ann") == []


def test_triangle():
    assert make(("a", "b"), ("b", "c"), ("a", "c")).suggestions("c") == []


def test_limit():
    circle = make(("a", "hub"), ("hub", "x"), ("hub", "y"), ("hub", "z"), ("hub", "w"))
    assert circle.suggestions("a") == ["w", "x", "y"]
    assert circle.suggestions("a", limit=1) == ["w"]


def test_friends_unchanged():
    circle = make(("a", "b"), ("b", "c"))
    assert circle.suggestions("a") == ["c"]
    assert circle.friends("b") == ["a", "c"]
""",
    ),
    # ---- classes with state ----------------------------------------------
    Program(
        name="edit_history",
        code=r'''class EditHistory:
    """Undo and redo for the text of a single input field."""

    def __init__(self, text="", limit=100):
        self.text = text
        self._limit = limit
        self._undo = []
        self._redo = []

    def change(self, text):
        """Replace the text by a new one.

        Setting the present text again is not a change. A change makes all
        undone texts unavailable, and the oldest texts are forgotten when
        there are more than the limit.
        """
        if text == self.text:
            return
        self._undo.append(self.text)
        del self._undo[:-self._limit]
        self.text = text

    def undo(self):
        """Go back by one change; tell whether that was possible."""
        if not self._undo:
            return False
        self._redo.append(self.text)
        self.text = self._undo.pop()
        return True

    def redo(self):
        """Take back the last undo; tell whether that was possible."""
        if not self._redo:
            return False
        self._undo.append(self.text)
        self.text = self._redo.pop()
        return True
''',
        wrong="        del self._undo[:-self._limit]\n",
        right="        del self._undo[:-self._limit]\n        self._redo.clear()\n",
        visible=r"""
def test_undo():
    history = EditHistory("a")
    history.change("ab")
    history.change("abc")
    assert history.undo() and history.text == "ab"
    assert history.undo() and history.text == "a"
    assert not history.undo()


def test_redo():
    history = EditHistory()
    history.change("x")
    history.undo()
    assert history.redo()
    assert history.text == "x"
    assert not history.redo()


def test_limit():
    history = EditHistory("0", limit=2)
    for text in "1234":
        history.change(text)
    assert history.undo() and history.undo() and not history.undo()
    assert history.text == "2"


def test_change_after_undo():
    history = EditHistory("a")
    history.change("b")
    history.undo()
    history.change("c")
    assert not history.redo()
    assert history.text == "c"


def test_same_text():
    history = EditHistory("a")
    history.change("a")
    assert not history.undo()
""",
        hidden=r"""
def test_same_text_keeps_redo():
    history = EditHistory("a")
    history.change("b")
    history.undo()
    history.change("a")
    assert history.redo()
    assert history.text == "b"


def test_several_undone():
    history = EditHistory("a")
    for text in "bcd":
        history.change(text)
    history.undo()
    history.undo()
    history.change("x")
    assert not history.redo()
    assert history.undo() and history.text == "b"
    assert history.redo() and history.text == "x"
    assert not history.redo()


def test_back_and_forth():
    history = EditHistory("")
    for text in ("a", "ab", "abc"):
        history.change(text)
    while history.undo():
        pass
    assert history.text == ""
    while history.redo():
        pass
    assert history.text == "abc"
""",
    ),
    Program(
        name="stock_reservations",
        code=r'''class OutOfStock(Exception):
    """Not enough free items for a reservation."""


class Stock:
    """Items of one article, part of which is reserved for orders."""

    def __init__(self, on_hand=0):
        self.on_hand = on_hand
        self._reserved = {}

    @property
    def free(self):
        """Items which are on hand and not reserved."""
        return self.on_hand - sum(self._reserved.values())

    def receive(self, count):
        """Add delivered items."""
        self.on_hand += count

    def reserve(self, order, count):
        """Reserve items for an order, in addition to earlier reservations."""
        if count > self.free:
            raise OutOfStock(f"{count} wanted, {self.free} free")
        self._reserved[order] = self._reserved.get(order, 0) + count

    def cancel(self, order):
        """Give up the reservation of an order; return how many items it had."""
        return self._reserved.pop(order, 0)

    def ship(self, order):
        """Send all items reserved for an order; return their number.

        The items leave the stock and the order has no reservation any more.
        """
        count = self._reserved.get(order, 0)
        self.on_hand -= count
        return count
''',
        wrong="        count = self._reserved.get(order, 0)\n",
        right="        count = self._reserved.pop(order, 0)\n",
        visible=r"""
def test_reserve():
    stock = Stock(10)
    stock.reserve("A", 3)
    stock.reserve("A", 2)
    assert stock.free == 5
    assert stock.on_hand == 10


def test_too_many():
    stock = Stock(2)
    with pytest.raises(OutOfStock):
        stock.reserve("A", 3)
    assert stock.free == 2


def test_cancel():
    stock = Stock(10)
    stock.reserve("A", 4)
    assert stock.cancel("A") == 4
    assert stock.free == 10


def test_ship():
    stock = Stock(10)
    stock.reserve("A", 4)
    assert stock.ship("A") == 4
    assert stock.on_hand == 6
    assert stock.free == 6


def test_ship_unknown():
    stock = Stock(10)
    assert stock.ship("Z") == 0
    assert stock.on_hand == 10
""",
        hidden=r"""
def test_ship_twice():
    stock = Stock(10)
    stock.reserve("A", 4)
    stock.ship("A")
    assert stock.ship("A") == 0
    assert stock.on_hand == 6


def test_cancel_after_shipping():
    stock = Stock(5)
    stock.reserve("A", 5)
    stock.ship("A")
    assert stock.cancel("A") == 0


def test_other_orders_keep_theirs():
    stock = Stock(10)
    stock.reserve("A", 4)
    stock.reserve("B", 5)
    stock.ship("A")
    assert stock.on_hand == 6
    assert stock.free == 1
    assert stock.ship("B") == 5
    assert stock.on_hand == 1


def test_receive_and_reserve_again():
    stock = Stock(3)
    stock.reserve("A", 3)
    stock.ship("A")
    stock.receive(4)
    stock.reserve("A", 4)
    assert stock.free == 0
    assert stock.ship("A") == 4
""",
    ),
    Program(
        name="circuit_breaker",
        code=r'''class Refused(Exception):
    """The breaker is open, the service was not called."""


class Breaker:
    """Stops calling a service for a while when it keeps failing.

    After a number of failures in a row the breaker opens and refuses all
    calls for a pause. After the pause calls go through again; the first of
    them which fails opens the breaker for another pause at once, and a
    success restores the normal state.
    """

    def __init__(self, clock, failures=3, pause=30):
        self._clock = clock
        self._limit = failures
        self._pause = pause
        self._failed = 0
        self._open_until = None

    @property
    def is_open(self):
        return self._open_until is not None and self._clock() < self._open_until

    def call(self, function, *args):
        """Call the function and return its result.

        Its exceptions are counted and passed on.
        """
        if self.is_open:
            raise Refused(f"until {self._open_until}")
        try:
            result = function(*args)
        except Exception:
            self._failed += 1
            if self._failed >= self._limit:
                self._open_until = self._clock() + self._pause
            raise
        self._open_until = None
        return result
''',
        wrong="        self._open_until = None\n        return result\n",
        right="        self._open_until = None\n        self._failed = 0\n        return result\n",
        visible=r"""
def make(failures=3, pause=30):
    time = [0]
    return time, Breaker(lambda: time[0], failures, pause)


def fail(breaker):
    with pytest.raises(ZeroDivisionError):
        breaker.call(lambda: 1 / 0)


def test_result():
    _, breaker = make()
    assert breaker.call(max, 3, 5) == 5


def test_opens():
    _, breaker = make()
    for _ in range(3):
        fail(breaker)
    assert breaker.is_open
    with pytest.raises(Refused):
        breaker.call(max, 1, 2)


def test_closes_after_pause():
    time, breaker = make(failures=1, pause=10)
    fail(breaker)
    time[0] = 9
    assert breaker.is_open
    time[0] = 10
    assert breaker.call(max, 1, 2) == 2


def test_fails_again_after_pause():
    time, breaker = make(failures=2, pause=10)
    fail(breaker)
    fail(breaker)
    time[0] = 12
    fail(breaker)
    assert breaker.is_open


def test_normal_after_success():
    time, breaker = make(failures=2, pause=10)
    fail(breaker)
    fail(breaker)
    time[0] = 10
    breaker.call(max, 1, 2)
    fail(breaker)
    assert not breaker.is_open
""",
        hidden=r"""
def make(failures=3, pause=30):
    time = [0]
    return time, Breaker(lambda: time[0], failures, pause)


def fail(breaker):
    with pytest.raises(ZeroDivisionError):
        breaker.call(lambda: 1 / 0)


def test_only_failures_in_a_row_count():
    _, breaker = make()
    for _ in range(5):
        fail(breaker)
        fail(breaker)
        assert breaker.call(min, 4, 2) == 2
    assert not breaker.is_open


def test_third_in_a_row_after_success():
    _, breaker = make()
    fail(breaker)
    breaker.call(min, 4, 2)
    fail(breaker)
    fail(breaker)
    assert not breaker.is_open
    fail(breaker)
    assert breaker.is_open


def test_another_full_pause():
    time, breaker = make(failures=1, pause=10)
    fail(breaker)
    time[0] = 15
    fail(breaker)
    time[0] = 24
    assert breaker.is_open
    time[0] = 25
    assert not breaker.is_open
""",
    ),
    Program(
        name="signal_hub",
        code=r'''from collections import defaultdict


class Hub:
    """Passes signals on to the functions which subscribed to them."""

    def __init__(self):
        self._subscribers = defaultdict(list)

    def subscribe(self, signal, function):
        """Call the function for each signal of this name from now on.

        Returns a function which ends the subscription.
        """
        subscribers = self._subscribers[signal]
        subscribers.append(function)

        def cancel():
            if function in subscribers:
                subscribers.remove(function)

        return cancel

    def once(self, signal, function):
        """Call the function for the next signal of this name only."""

        def wrapper(*args):
            cancel()
            function(*args)

        cancel = self.subscribe(signal, wrapper)
        return cancel

    def send(self, signal, *args):
        """Call all who are subscribed when the signal is sent.

        They are called in the order of subscription. Returns how many
        functions were called.
        """
        called = 0
        for function in self._subscribers[signal]:
            function(*args)
            called += 1
        return called
''',
        wrong="        for function in self._subscribers[signal]:\n",
        right="        for function in list(self._subscribers[signal]):\n",
        visible=r"""
def test_send():
    hub, got = Hub(), []
    hub.subscribe("saved", got.append)
    assert hub.send("saved", 5) == 1
    assert got == [5]


def test_other_signal():
    hub, got = Hub(), []
    hub.subscribe("saved", got.append)
    assert hub.send("closed", 1) == 0
    assert got == []


def test_cancel():
    hub, got = Hub(), []
    cancel = hub.subscribe("saved", got.append)
    cancel()
    cancel()
    assert hub.send("saved", 5) == 0


def test_once():
    hub, got = Hub(), []
    hub.once("saved", got.append)
    hub.send("saved", 1)
    hub.send("saved", 2)
    assert got == [1]


def test_once_with_others():
    hub, got = Hub(), []
    hub.once("saved", lambda n: got.append(("first", n)))
    hub.subscribe("saved", lambda n: got.append(("second", n)))
    assert hub.send("saved", 1) == 2
    assert got == [("first", 1), ("second", 1)]
""",
        hidden=r"""
def test_two_once():
    hub, got = Hub(), []
    hub.once("x", lambda: got.append("a"))
    hub.once("x", lambda: got.append("b"))
    assert hub.send("x") == 2
    assert got == ["a", "b"]
    assert hub.send("x") == 0


def test_subscribing_while_sending():
    hub, got = Hub(), []

    def first():
        got.append("first")
        if len(got) < 20:
            hub.subscribe("x", lambda: got.append("late"))

    hub.subscribe("x", first)
    assert hub.send("x") == 1
    assert got == ["first"]
    assert hub.send("x") == 2


def test_middle_cancels_itself():
    hub, got = Hub(), []
    hub.subscribe("x", lambda: got.append(1))
    hub.once("x", lambda: got.append(2))
    hub.subscribe("x", lambda: got.append(3))
    hub.send("x")
    hub.send("x")
    assert got == [1, 2, 3, 1, 3]


def test_order():
    hub, got = Hub(), []
    for n in range(4):
        hub.subscribe("x", lambda n=n: got.append(n))
    assert hub.send("x") == 4
    assert got == [0, 1, 2, 3]
""",
    ),
    # ---- dates and times -------------------------------------------------
    Program(
        name="contract_months",
        code=r'''from calendar import monthrange
from datetime import date, timedelta


def add_months(day, months):
    """Return the same day of the month some months later (or earlier).

    The last day of the month is taken when that month is too short.
    """
    year, month = divmod(day.year * 12 + day.month + months, 12)
    last = monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


def contract_end(start, months):
    """Return the last day of a contract which runs for some months.

    A contract of one month from the 5th ends on the 4th of the next month.
    """
    return add_months(start, months) - timedelta(days=1)


def due_dates(start, months, every=1):
    """Return the days on which payments fall due, beginning with the start.

    All are counted from the start, so that a contract from the 31st falls
    due at the end of each month.
    """
    return [add_months(start, n) for n in range(0, months, every)]


def is_running(start, months, day):
    """Tell whether a contract is in force on a day, both ends included."""
    return start <= day <= contract_end(start, months)
''',
        wrong="divmod(day.year * 12 + day.month + months, 12)",
        right="divmod(day.year * 12 + day.month - 1 + months, 12)",
        visible=r"""
def test_add_months():
    assert add_months(date(2023, 3, 15), 2) == date(2023, 5, 15)


def test_over_new_year():
    assert add_months(date(2023, 11, 8), 3) == date(2024, 2, 8)


def test_short_month():
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)


def test_number_of_due_dates():
    assert len(due_dates(date(2023, 1, 31), 12, every=3)) == 4


def test_not_before_start():
    assert not is_running(date(2023, 5, 5), 1, date(2023, 5, 4))


def test_contract_end():
    assert contract_end(date(2023, 5, 5), 1) == date(2023, 6, 4)
""",
        hidden=r"""
def test_december():
    assert add_months(date(2023, 12, 31), 0) == date(2023, 12, 31)
    assert add_months(date(2023, 11, 30), 1) == date(2023, 12, 30)
    assert add_months(date(2023, 12, 1), 1) == date(2024, 1, 1)


def test_backwards():
    assert add_months(date(2024, 3, 31), -1) == date(2024, 2, 29)
    assert add_months(date(2024, 1, 15), -1) == date(2023, 12, 15)


def test_years():
    assert add_months(date(2024, 2, 29), 12) == date(2025, 2, 28)
    assert add_months(date(2024, 2, 29), 48) == date(2028, 2, 29)


def test_due_dates():
    assert due_dates(date(2023, 1, 31), 4) == [
        date(2023, 1, 31), date(2023, 2, 28), date(2023, 3, 31), date(2023, 4, 30)]


def test_running():
    assert is_running(date(2023, 5, 5), 1, date(2023, 6, 4))
    assert not is_running(date(2023, 5, 5), 1, date(2023, 6, 5))
""",
    ),
    Program(
        name="working_days",
        code=r'''from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


class Calendar:
    """Working days are Monday to Friday except for the holidays."""

    def __init__(self, holidays=()):
        self._holidays = set(holidays)

    def is_working_day(self, day):
        return day.weekday() < 5 and day not in self._holidays

    def next_working_day(self, day):
        """Return the day itself or the first working day after it."""
        while not self.is_working_day(day):
            day += ONE_DAY
        return day

    def add(self, day, count):
        """Return the working day which is count working days after a day.

        With a count of 0 that is the day itself, or the next working day if
        it is not one.
        """
        day = self.next_working_day(day)
        for _ in range(count):
            day = self.next_working_day(day + ONE_DAY)
        return day

    def between(self, first, last):
        """Number of working days from first to last, both included.

        0 if last is before first.
        """
        count = 0
        while first < last:
            if self.is_working_day(first):
                count += 1
            first += ONE_DAY
        return count
''',
        wrong="        while first < last:\n",
        right="        while first <= last:\n",
        visible=r"""
def test_is_working_day():
    calendar = Calendar([date(2024, 5, 1)])
    assert calendar.is_working_day(date(2024, 5, 2))
    assert not calendar.is_working_day(date(2024, 5, 1))
    assert not calendar.is_working_day(date(2024, 5, 4))


def test_next_working_day():
    assert Calendar().next_working_day(date(2024, 5, 4)) == date(2024, 5, 6)


def test_add():
    calendar = Calendar([date(2024, 5, 1)])
    assert calendar.add(date(2024, 4, 29), 2) == date(2024, 5, 2)
    assert calendar.add(date(2024, 5, 3), 1) == date(2024, 5, 6)


def test_between_over_a_weekend():
    assert Calendar().between(date(2024, 5, 2), date(2024, 5, 7)) == 4


def test_between_wrong_order():
    assert Calendar().between(date(2024, 5, 7), date(2024, 5, 2)) == 0


def test_between_ending_on_sunday():
    assert Calendar().between(date(2024, 4, 29), date(2024, 5, 5)) == 5
""",
        hidden=r"""
def test_single_day():
    calendar = Calendar([date(2024, 5, 1)])
    assert calendar.between(date(2024, 5, 2), date(2024, 5, 2)) == 1
    assert calendar.between(date(2024, 5, 1), date(2024, 5, 1)) == 0


def test_month():
    calendar = Calendar([date(2024, 5, 1), date(2024, 5, 9), date(2024, 5, 20)])
    assert calendar.between(date(2024, 5, 1), date(2024, 5, 31)) == 20


def test_add_and_between_agree():
    calendar = Calendar([date(2024, 5, 1)])
    start = date(2024, 4, 29)
    for count in range(12):
        assert calendar.between(start, calendar.add(start, count)) == count + 1


def test_just_reversed():
    assert Calendar().between(date(2024, 5, 3), date(2024, 5, 2)) == 0
""",
    ),
    Program(
        name="member_ages",
        code=r'''from datetime import date


class Member:
    """A member of a club with the day of birth."""

    def __init__(self, name, born):
        self.name = name
        self.born = born

    def age(self, today):
        """Return the age in full years.

        Members born on 29 February become older on 1 March in other years.
        """
        years = today.year - self.born.year
        if today.month < self.born.month or today.day < self.born.day:
            years -= 1
        return years


def fee(member, today):
    """Return the yearly fee: 30 below 18 years, 45 from 65 on, else 60."""
    age = member.age(today)
    if age < 18:
        return 30
    if age >= 65:
        return 45
    return 60


def round_birthdays(members, year):
    """Return (age, name) of all who reach a multiple of ten in a year.

    The oldest come first, those of the same age in order of their names.
    """
    found = []
    for member in members:
        age = year - member.born.year
        if age > 0 and age % 10 == 0:
            found.append((age, member.name))
    return sorted(found, key=lambda entry: (-entry[0], entry[1]))
''',
        wrong="        if today.month < self.born.month or today.day < self.born.day:\n",
        right="        if (today.month, today.day) < (self.born.month, self.born.day):\n",
        visible=r"""
def test_on_birthday():
    assert Member("Ida", date(1990, 6, 15)).age(date(2020, 6, 15)) == 30


def test_day_before_birthday():
    assert Member("Ida", date(1990, 6, 15)).age(date(2020, 6, 14)) == 29


def test_earlier_month():
    assert Member("Ida", date(1990, 6, 15)).age(date(2020, 3, 20)) == 29


def test_later_month():
    assert Member("Ida", date(1990, 6, 15)).age(date(2020, 9, 3)) == 30


def test_fee():
    today = date(2024, 7, 31)
    assert fee(Member("Kid", date(2010, 1, 1)), today) == 30
    assert fee(Member("Old", date(1950, 1, 1)), today) == 45
    assert fee(Member("Mid", date(1985, 1, 1)), today) == 60


def test_round_birthdays():
    members = [Member("Bo", date(1984, 1, 1)), Member("Al", date(1984, 5, 5)), Member("Di", date(1964, 2, 2))]
    assert round_birthdays(members, 2024) == [(60, "Di"), (40, "Al"), (40, "Bo")]
""",
        hidden=r"""
def test_end_of_year():
    member = Member("Eve", date(2000, 1, 31))
    assert member.age(date(2023, 12, 1)) == 23
    assert member.age(date(2024, 1, 30)) == 23
    assert member.age(date(2024, 2, 1)) == 24


def test_leap_day():
    member = Member("Leo", date(2004, 2, 29))
    assert member.age(date(2023, 2, 28)) == 18
    assert member.age(date(2023, 3, 1)) == 19
    assert member.age(date(2024, 2, 29)) == 20


def test_fee_at_limits():
    assert fee(Member("Kid", date(2006, 7, 20)), date(2024, 8, 1)) == 60
    assert fee(Member("Kid", date(2006, 7, 20)), date(2024, 7, 19)) == 30
    assert fee(Member("Old", date(1959, 4, 30)), date(2024, 5, 1)) == 45


def test_earlier_month_later_day():
    assert Member("Pia", date(1980, 10, 5)).age(date(2020, 9, 28)) == 39
""",
    ),
    Program(
        name="parking_fee",
        code=r'''from datetime import datetime, timedelta

FREE = timedelta(minutes=15)
HOURLY = 250
DAILY = 1800


def parse_stamp(text):
    """Read the stamp of a ticket such as "2024-05-01 14:30"."""
    return datetime.strptime(text, "%Y-%m-%d %H:%M")


def parking_fee(entry, leaving):
    """Return the fee in cents for the time between two stamps.

    Up to 15 minutes are free. After that each hour begun costs 2.50, counted
    from the entry, but at most 18.00 for each 24 hours.
    """
    stay = parse_stamp(leaving) - parse_stamp(entry)
    if stay < timedelta(0):
        raise ValueError("leaving before entry")
    if stay <= FREE:
        return 0
    hours = -(-stay.seconds // 3600)
    days, rest = divmod(hours, 24)
    return days * DAILY + min(rest * HOURLY, DAILY)


def describe(cents):
    """Return the text for the display of the machine."""
    if cents == 0:
        return "free"
    return f"{cents // 100}.{cents % 100:02d} EUR"
''',
        wrong="-(-stay.seconds // 3600)",
        right="-(-stay // timedelta(hours=1))",
        visible=r"""
def test_free():
    assert parking_fee("2024-05-01 14:00", "2024-05-01 14:15") == 0


def test_hours_begun():
    assert parking_fee("2024-05-01 14:00", "2024-05-01 14:16") == 250
    assert parking_fee("2024-05-01 14:00", "2024-05-01 16:00") == 500
    assert parking_fee("2024-05-01 14:00", "2024-05-01 16:01") == 750


def test_at_most_daily():
    assert parking_fee("2024-05-01 08:00", "2024-05-01 22:00") == 1800


def test_over_night():
    assert parking_fee("2024-05-01 23:00", "2024-05-02 01:00") == 500


def test_weekend():
    assert parking_fee("2024-05-03 17:00", "2024-05-05 18:30") == 3600 + 500


def test_wrong_order():
    with pytest.raises(ValueError):
        parking_fee("2024-05-01 14:00", "2024-05-01 13:59")


def test_describe():
    assert describe(0) == "free"
    assert describe(405) == "4.05 EUR"
""",
        hidden=r"""
def test_exactly_one_day():
    assert parking_fee("2024-05-01 08:00", "2024-05-02 08:00") == 1800


def test_a_minute_more():
    assert parking_fee("2024-05-01 08:00", "2024-05-02 08:01") == 2050


def test_week():
    assert parking_fee("2024-05-01 08:00", "2024-05-08 08:00") == 7 * 1800


def test_short_of_a_day():
    assert parking_fee("2024-05-01 08:00", "2024-05-02 07:59") == 1800


def test_display():
    assert describe(int(parking_fee("2024-02-28 12:00", "2024-03-01 13:00"))) == "38.50 EUR"
""",
    ),
    # ---- reports and rankings --------------------------------------------
    Program(
        name="race_results",
        code=r'''def parse_time(text):
    """Return the seconds of a time such as "1:02:03" or "59:10"."""
    seconds = 0
    for part in text.split(":"):
        seconds = seconds * 60 + int(part)
    return seconds


def rank(times):
    """Return (place, name, time) for all runners, the fastest first.

    Takes a dictionary from names to times. Runners with equal times share a
    place and the places after it are left out: 1, 2, 2, 4. They are listed
    in order of their names.
    """
    runners = sorted((parse_time(time), name, time) for name, time in times.items())
    results = []
    place = 0
    previous = None
    for position, (seconds, name, time) in enumerate(runners, 1):
        if seconds != previous:
            place += 1
            previous = seconds
        results.append((place, name, time))
    return results


def podium(times):
    """Return the names on the places 1 to 3."""
    return [name for place, name, _ in rank(times) if place <= 3]


def format_results(times):
    """Return the lines of the printed list."""
    return [f"{place:>3}. {name:<12} {time:>8}" for place, name, time in rank(times)]
''',
        wrong="            place += 1\n",
        right="            place = position\n",
        visible=r"""
def test_parse_time():
    assert parse_time("1:02:03") == 3723
    assert parse_time("59:10") == 3550


def test_rank():
    times = {"Ann": "50:00", "Bob": "1:01:00", "Cem": "49:59"}
    assert rank(times) == [(1, "Cem", "49:59"), (2, "Ann", "50:00"), (3, "Bob", "1:01:00")]


def test_equal_times():
    times = {"Ann": "40:00", "Eva": "41:00", "Bob": "41:00", "Cem": "42:00"}
    assert [(place, name) for place, name, _ in rank(times)] == [
        (1, "Ann"), (2, "Bob"), (2, "Eva"), (4, "Cem")]


def test_podium():
    times = {"Ann": "40:00", "Eva": "41:00", "Bob": "42:00", "Cem": "43:00"}
    assert podium(times) == ["Ann", "Eva", "Bob"]


def test_empty():
    assert rank({}) == []
""",
        hidden=r"""
def test_all_equal():
    assert [place for place, _, _ in rank({"a": "1:00", "b": "1:00", "c": "1:00", "d": "2:00"})] == [1, 1, 1, 4]


def test_two_groups():
    times = {"a": "1:00", "b": "1:00", "c": "2:00", "d": "2:00", "e": "3:00"}
    assert [place for place, _, _ in rank(times)] == [1, 1, 3, 3, 5]


def test_podium_with_equal_times():
    times = {"a": "1:00", "b": "1:00", "c": "2:00", "d": "3:00"}
    assert podium(times) == ["a", "b", "c"]


def test_equal_time_written_differently():
    assert [place for place, _, _ in rank({"a": "60:00", "b": "1:00:00", "c": "1:00:01"})] == [1, 1, 3]


def test_format():
    assert format_results({"Ann": "40:00"}) == ["  1. Ann             40:00"]
""",
    ),
    Program(
        name="region_report",
        code=r'''from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter


@dataclass
class Sale:
    region: str
    product: str
    amount: int


def totals(sales, field):
    """Return the total amount for each value of a field of the sales."""
    result = {}
    for key, group in groupby(sales, key=attrgetter(field)):
        result[key] = sum(sale.amount for sale in group)
    return result


def best(sales, field):
    """Return the value of the field with the highest total.

    The alphabetically first one if several are equal.
    """
    sums = totals(sales, field)
    return min(sums, key=lambda key: (-sums[key], key))


def report(sales):
    """Return the lines of a report: regions by name with their share.

    The shares are percentages of all sales, rounded to whole numbers.
    """
    everything = sum(sale.amount for sale in sales)
    lines = []
    for region, amount in sorted(totals(sales, "region").items()):
        lines.append(f"{region}: {amount} ({round(100 * amount / everything)}%)")
    return lines
''',
        wrong="        result[key] = sum(sale.amount for sale in group)\n",
        right="        result[key] = result.get(key, 0) + sum(sale.amount for sale in group)\n",
        visible=r"""
def make():
    return [
        Sale("north", "tea", 30),
        Sale("north", "jam", 20),
        Sale("south", "tea", 50),
        Sale("west", "tea", 100),
    ]


def test_by_region():
    assert totals(make(), "region") == {"north": 50, "south": 50, "west": 100}


def test_by_product():
    assert totals(make(), "product") == {"tea": 180, "jam": 20}


def test_best():
    assert best(make(), "region") == "west"


def test_report():
    assert report(make()) == ["north: 50 (25%)", "south: 50 (25%)", "west: 100 (50%)"]


def test_nothing_sold():
    assert totals([], "region") == {}
    assert report([]) == []
""",
        hidden=r"""
def test_mixed_order():
    sales = [Sale("a", "x", 1), Sale("b", "x", 2), Sale("a", "y", 4), Sale("b", "y", 8), Sale("a", "x", 16)]
    assert totals(sales, "region") == {"a": 21, "b": 10}
    assert totals(sales, "product") == {"x": 19, "y": 12}


def test_best_in_mixed_order():
    sales = [Sale("a", "x", 6), Sale("b", "x", 7), Sale("a", "y", 5)]
    assert best(sales, "region") == "a"


def test_report_in_mixed_order():
    sales = [Sale("b", "x", 25), Sale("a", "x", 50), Sale("b", "x", 25)]
    assert report(sales) == ["a: 50 (50%)", "b: 50 (50%)"]


def test_equal_totals():
    assert best([Sale("d", "x", 5), Sale("c", "x", 5)], "region") == "c"
""",
    ),
    Program(
        name="ticket_statistics",
        code=r'''from collections import Counter, defaultdict


class Tickets:
    """Closed support tickets, each with a label, an agent and its hours."""

    def __init__(self):
        self._tickets = []

    def close(self, label, agent, hours):
        self._tickets.append((label, agent, hours))

    def top_labels(self, limit):
        """Return the most frequent labels as (label, count).

        Labels which are equally frequent come in alphabetical order.
        """
        counts = Counter(label for label, _, _ in self._tickets)
        ranked = sorted(counts.items(), key=lambda item: (item[1], item[0]), reverse=True)
        return ranked[:limit]

    def mean_hours(self):
        """Return the mean number of hours for each agent."""
        hours = defaultdict(list)
        for _, agent, spent in self._tickets:
            hours[agent].append(spent)
        return {agent: sum(spent) / len(spent) for agent, spent in hours.items()}

    def fastest_agent(self):
        """Return the agent with the lowest mean, None without tickets.

        The alphabetically first one if several are equal.
        """
        means = self.mean_hours()
        return min(means, key=lambda agent: (means[agent], agent), default=None)
''',
        wrong="key=lambda item: (item[1], item[0]), reverse=True)",
        right="key=lambda item: (-item[1], item[0]))",
        visible=r"""
def make():
    tickets = Tickets()
    tickets.close("login", "kim", 2)
    tickets.close("print", "kim", 4)
    tickets.close("login", "lou", 1)
    tickets.close("mail", "lou", 4)
    tickets.close("login", "kim", 3)
    return tickets


def test_most_frequent():
    assert make().top_labels(1) == [("login", 3)]


def test_all_labels():
    assert make().top_labels(10) == [("login", 3), ("mail", 1), ("print", 1)]


def test_mean_hours():
    assert make().mean_hours() == {"kim": 3, "lou": 2.5}


def test_fastest_agent():
    assert make().fastest_agent() == "lou"


def test_no_tickets():
    assert Tickets().top_labels(3) == []
    assert Tickets().fastest_agent() is None
""",
        hidden=r"""
def test_limit_cuts_by_name():
    tickets = Tickets()
    for label in ("d", "b", "c", "a"):
        tickets.close(label, "kim", 1)
    assert tickets.top_labels(2) == [("a", 1), ("b", 1)]


def test_groups():
    tickets = Tickets()
    for label in "xyzxyqq":
        tickets.close(label, "kim", 1)
    assert tickets.top_labels(5) == [("q", 2), ("x", 2), ("y", 2), ("z", 1)]


def test_by_count_first():
    tickets = Tickets()
    for label in ("z", "z", "z", "m", "m", "a"):
        tickets.close(label, "kim", 1)
    assert tickets.top_labels(3) == [("z", 3), ("m", 2), ("a", 1)]


def test_equal_agents():
    tickets = Tickets()
    tickets.close("a", "lou", 2)
    tickets.close("a", "kim", 2)
    assert tickets.fastest_agent() == "kim"
""",
    ),
    Program(
        name="text_table",
        code=r'''def _cell(value):
    """Return the text for a value: numbers with fractions get two digits."""
    if isinstance(value, float):
        return f"{value:.2f}"
    return "" if value is None else str(value)


def _is_numeric(values):
    """Tell whether a column holds numbers (or nothing) only."""
    known = [value for value in values if value is not None]
    return bool(known) and all(isinstance(value, (int, float)) for value in known)


def table(header, rows):
    """Return the lines of a table with its columns lined up.

    Every column is as wide as its widest cell or its heading. Columns of
    numbers are aligned to the right, heading included. Columns are separated
    by two blanks; blanks at the end of a line are dropped.
    """
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max([len(title)] + [len(row[i]) for row in cells]) for i, title in enumerate(header)]
    right = [_is_numeric([row[i] for row in cells]) for i in range(len(header))]

    def line(texts):
        parts = [
            text.rjust(width) if numeric else text.ljust(width)
            for text, width, numeric in zip(texts, widths, right)
        ]
        return "  ".join(parts).rstrip()

    ruler = ["-" * width for width in widths]
    return [line(header), line(ruler)] + [line(texts) for texts in cells]
''',
        wrong="_is_numeric([row[i] for row in cells])",
        right="_is_numeric([row[i] for row in rows])",
        visible=r"""
def test_texts():
    assert table(["name", "town"], [["Al", "Rome"], ["Barbara", "Ulm"]]) == [
        "name     town",
        "-------  ----",
        "Al       Rome",
        "Barbara  Ulm",
    ]


def test_wide_heading():
    assert table(["description"], [["x"]]) == ["description", "-----------", "x"]


def test_numbers():
    assert table(["item", "count"], [["pen", 5], ["cup", 120]]) == [
        "item  count",
        "----  -----",
        "pen       5",
        "cup     120",
    ]


def test_missing_text():
    assert table(["a", "b"], [["x", None], [None, "y"]]) == ["a  b", "-  -", "x", "   y"]


def test_no_rows():
    assert table(["a", "bc"], []) == ["a  bc", "-  --"]
""",
        hidden=r"""
def test_fractions():
    assert table(["n"], [[1.5], [100.0]]) == ["     n", "------", "  1.50", "100.00"]


def test_missing_number():
    assert table(["n", "t"], [[None, "x"], [12, "y"]]) == [" n  t", "--  -", "    x", "12  y"]


def test_mixed_column_is_text():
    assert table(["value"], [[1], ["many"]]) == ["value", "-----", "1", "many"]


def test_digits_as_text():
    assert table(["article"], [["007"], ["12"]]) == ["article", "-------", "007", "12"]
""",
    ),
    # ---- validation and configuration ------------------------------------
    Program(
        name="key_value_file",
        code=r'''class ConfigError(ValueError):
    """A line of the configuration cannot be understood."""


def parse(text):
    """Read a configuration of sections and settings.

    Lines such as [mail] begin a section, all others look like "key = value".
    The value is everything behind the first "=". Blanks around keys and
    values do not matter; empty lines and lines which begin with "#" are
    skipped. Settings in front of the first section belong to "".
    """
    sections = {}
    current = sections.setdefault("", {})
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            current = sections.setdefault(line[1:-1].strip(), {})
            continue
        key, separator, value = line.rpartition("=")
        if not separator or not key.strip():
            raise ConfigError(f"line {number}: expected key = value")
        current[key.strip()] = value.strip()
    return sections


def get(sections, section, key, default=None):
    """Return a setting of a section, else of "", else the default."""
    for name in (section, ""):
        if key in sections.get(name, {}):
            return sections[name][key]
    return default
''',
        wrong='line.rpartition("=")',
        right='line.partition("=")',
        visible=r"""
def test_settings():
    assert parse("a = 1\n  b=two words \n") == {"": {"a": "1", "b": "two words"}}


def test_sections():
    text = "x = 0\n\n[mail]\nhost = a\n# port = 5\n[ log ]\nlevel = info\n"
    assert parse(text) == {"": {"x": "0"}, "mail": {"host": "a"}, "log": {"level": "info"}}


def test_value_with_equals_sign():
    assert parse("query = a=1&b=2")[""] == {"query": "a=1&b=2"}


def test_error():
    with pytest.raises(ConfigError) as info:
        parse("a = 1\nnonsense\n")
    assert "line 2" in str(info.value)


def test_get():
    sections = parse("level = info\n[mail]\nhost = a\n")
    assert get(sections, "mail", "host") == "a"
    assert get(sections, "mail", "level") == "info"
    assert get(sections, "news", "host", "none") == "none"
""",
        hidden=r"""
def test_padding_characters():
    assert parse("[auth]\ntoken = c2VjcmV0IQ==\n")["auth"] == {"token": "c2VjcmV0IQ=="}


def test_empty_value():
    assert parse("a =\n") == {"": {"a": ""}}


def test_no_key():
    for text in ("= 5", "= a=b", "  ="):
        with pytest.raises(ConfigError):
            parse(text)


def test_value_with_blanks_around_sign():
    assert parse("rule = x == y")[""] == {"rule": "x == y"}


def test_section_continued():
    assert parse("[a]\nx=1\n[b]\n[a]\ny=2\n") == {"": {}, "a": {"x": "1", "y": "2"}, "b": {}}
""",
    ),
    Program(
        name="record_schema",
        code=r'''class Field:
    """What is allowed for one field of a record."""

    def __init__(self, kind, required=True, low=None, high=None):
        self.kind = kind
        self.required = required
        self.low = low
        self.high = high

    def problem(self, value):
        """Return what is wrong with a value, or None.

        Limits include the limit itself. True and False are not accepted as
        numbers.
        """
        if not isinstance(value, self.kind):
            return f"must be of type {self.kind.__name__}"
        if self.low is not None and value < self.low:
            return f"must be at least {self.low}"
        if self.high is not None and value > self.high:
            return f"must be at most {self.high}"
        return None


def check(record, schema):
    """Return the problems of a record as a dictionary from field to text.

    Required fields must be present, fields not in the schema must not be.
    """
    problems = {}
    for name, field in schema.items():
        if name not in record:
            if field.required:
                problems[name] = "is missing"
            continue
        problem = field.problem(record[name])
        if problem:
            problems[name] = problem
    for name in record:
        if name not in schema:
            problems[name] = "is unknown"
    return problems
''',
        wrong="        if not isinstance(value, self.kind):\n",
        right="        if not isinstance(value, self.kind) or isinstance(value, bool) and self.kind is not bool:\n",
        visible=r"""
def make():
    return {
        "name": Field(str),
        "age": Field(int, low=0, high=150),
        "active": Field(bool, required=False),
    }


def test_good():
    assert check({"name": "Ida", "age": 30}, make()) == {}


def test_flag():
    assert check({"name": "Ida", "age": 30, "active": False}, make()) == {}


def test_types():
    assert check({"name": 5, "age": "x"}, make()) == {
        "name": "must be of type str", "age": "must be of type int"}


def test_flag_for_age():
    assert check({"name": "Ida", "age": True}, make()) == {"age": "must be of type int"}


def test_limits():
    assert check({"name": "Ida", "age": -1}, make()) == {"age": "must be at least 0"}
    assert check({"name": "Ida", "age": 151}, make()) == {"age": "must be at most 150"}
    assert check({"name": "Ida", "age": 150}, make()) == {}


def test_missing_and_unknown():
    assert check({"name": "Ida", "size": 1}, make()) == {"age": "is missing", "size": "is unknown"}
""",
        hidden=r"""
def test_flag_is_no_number():
    assert Field(int).problem(True) == "must be of type int"
    assert Field(int, low=0).problem(False) == "must be of type int"


def test_number_is_no_flag():
    assert Field(bool).problem(1) == "must be of type bool"


def test_both_flags():
    assert Field(bool).problem(True) is None
    assert Field(bool).problem(False) is None


def test_zero():
    assert Field(int, low=0, high=0).problem(0) is None
    assert Field(float).problem(0.5) is None
""",
    ),
    Program(
        name="input_patterns",
        code=r'''import re

PATTERNS = {
    "postcode": r"\d{5}",
    "phone": r"\+?\d[\d ]{4,18}\d",
    "iban": r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}",
    "colour": r"#[0-9a-f]{3}|#[0-9a-f]{6}",
}


def is_valid(kind, text):
    """Tell whether the whole text is an input of this kind.

    Blanks around it do not matter, anything else does. Letters of colours
    may be large or small.
    """
    if kind not in PATTERNS:
        raise KeyError(kind)
    flags = re.IGNORECASE if kind == "colour" else 0
    return re.match(PATTERNS[kind] + "$", text.strip(), flags) is not None


def invalid_fields(form, kinds):
    """Return the sorted names of the fields of a form which are invalid.

    Takes the texts and the kinds by the names of the fields. Fields which
    are left empty are not checked.
    """
    wrong = []
    for name, kind in kinds.items():
        text = form.get(name, "").strip()
        if text and not is_valid(kind, text):
            wrong.append(name)
    return sorted(wrong)
''',
        wrong="""re.match(PATTERNS[kind] + "$", text.strip(), flags)""",
        right="""re.fullmatch(PATTERNS[kind], text.strip(), flags)""",
        visible=r"""
def test_postcode():
    assert is_valid("postcode", " 10115 ")
    assert not is_valid("postcode", "1011")
    assert not is_valid("postcode", "101155")


def test_phone():
    assert is_valid("phone", "+49 30 123456")
    assert not is_valid("phone", "30-123456")


def test_colour():
    assert is_valid("colour", "#a0f")
    assert is_valid("colour", "#A0FF00")
    assert not is_valid("colour", "a0ff00")


def test_colour_length():
    for text in ("#a0", "#a0ff", "#a0ff0", "#a0ff000"):
        assert not is_valid("colour", text)


def test_unknown_kind():
    with pytest.raises(KeyError):
        is_valid("shoe", "42")


def test_form():
    form = {"zip": "123", "tel": "", "paint": "#fff"}
    kinds = {"zip": "postcode", "tel": "phone", "paint": "colour", "home": "postcode"}
    assert invalid_fields(form, kinds) == ["zip"]
""",
        hidden=r"""
def test_text_behind_colour():
    assert not is_valid("colour", "#fff; x")
    assert not is_valid("colour", "#fffg")


def test_text_in_front():
    assert not is_valid("colour", "x #ffffff")
    assert not is_valid("postcode", "D-10115")


def test_form_with_bad_colour():
    assert invalid_fields({"b": "#12345", "a": "#1234"}, {"a": "colour", "b": "colour"}) == ["a", "b"]


def test_good_ones():
    assert is_valid("iban", "DE02120300000000202051")
    assert is_valid("colour", " #ABCDEF ")
    assert is_valid("colour", "#abc")
""",
    ),
    Program(
        name="version_rules",
        code=r'''import operator

COMPARE = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}


def parse_version(text):
    """Return a version such as "1.10.2" as something that can be compared.

    Zeros at the end do not matter: "1.2" and "1.2.0" are the same version.
    """
    parts = [int(part) for part in text.strip().split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def allows(rule, version):
    """Tell whether a version fulfils a rule such as ">=1.2, <2".

    All parts of the rule must hold; an empty rule allows everything.
    """
    for part in rule.split(","):
        part = part.strip()
        if not part:
            continue
        sign = next((sign for sign in COMPARE if part.startswith(sign)), None)
        if sign is None:
            raise ValueError(f"no comparison in {part!r}")
        wanted = parse_version(part[len(sign):])
        if not COMPARE[sign](parse_version(version), wanted):
            return False
    return True


def newest(rule, versions):
    """Return the newest version which fulfils the rule, or None."""
    fitting = [version for version in versions if allows(rule, version)]
    return max(fitting, default=None)
''',
        wrong="    return max(fitting, default=None)\n",
        right="    return max(fitting, key=parse_version, default=None)\n",
        visible=r"""
def test_parse():
    assert parse_version("1.10.2") > parse_version("1.9")
    assert parse_version("1.2") == parse_version("1.2.0")


def test_allows():
    assert allows(">=1.2, <2", "1.10")
    assert not allows(">=1.2, <2", "2.0")
    assert not allows(">=1.2, <2", "1.1.9")
    assert allows("", "0.1")


def test_bad_rule():
    with pytest.raises(ValueError):
        allows("1.2", "1.2")


def test_newest():
    assert newest("<2", ["1.0", "1.4", "2.1", "1.3"]) == "1.4"
    assert newest(">3", ["1.0", "2.1"]) is None


def test_newest_with_two_digits():
    assert newest(">=1", ["1.8", "1.9", "1.10"]) == "1.10"
""",
        hidden=r"""
def test_major_with_two_digits():
    assert newest("", ["9.0", "10.0", "2.5"]) == "10.0"


def test_excluded():
    assert newest("!=1.12", ["1.2", "1.11", "1.12", "1.9"]) == "1.11"


def test_patch_level():
    assert newest("==1.0.0, >0", ["1", "0.9"]) == "1"
    assert newest("<1.0.100", ["1.0.9", "1.0.20", "1.0.100"]) == "1.0.20"


def test_no_versions():
    assert newest(">=1", []) is None
""",
    ),
    # ---- simulations, scores and games -----------------------------------
    Program(
        name="dice_points",
        code=r'''from collections import Counter


def upper(dice, number):
    """Points for one number: the sum of all dice which show it."""
    return number * dice.count(number)


def of_a_kind(dice, count):
    """Sum of all dice if at least count of them are equal, else 0."""
    return sum(dice) if max(Counter(dice).values()) >= count else 0


def full_house(dice):
    """25 points for three of one number and two of another, else 0."""
    return 25 if sorted(Counter(dice).values()) == [2, 3] else 0


def longest_run(dice):
    """Length of the longest run of successive numbers among the dice."""
    numbers = sorted(dice)
    longest = run = 1
    for before, number in zip(numbers, numbers[1:]):
        run = run + 1 if number == before + 1 else 1
        longest = max(longest, run)
    return longest


def straight(dice):
    """40 points for five successive numbers, 30 for four, else 0."""
    return {5: 40, 4: 30}.get(longest_run(dice), 0)


def best_category(dice):
    """Return (points, category) of the best among the special categories."""
    options = {
        "three of a kind": of_a_kind(dice, 3),
        "four of a kind": of_a_kind(dice, 4),
        "full house": full_house(dice),
        "straight": straight(dice),
    }
    category = max(options, key=options.get)
    return options[category], category
''',
        wrong="    numbers = sorted(dice)\n",
        right="    numbers = sorted(set(dice))\n",
        visible=r"""
def test_upper():
    assert upper([3, 3, 1, 3, 6], 3) == 9
    assert upper([3, 3, 1, 3, 6], 2) == 0


def test_of_a_kind():
    assert of_a_kind([4, 4, 4, 1, 2], 3) == 15
    assert of_a_kind([4, 4, 4, 1, 2], 4) == 0


def test_full_house():
    assert full_house([2, 5, 2, 5, 5]) == 25
    assert full_house([5, 5, 5, 5, 5]) == 0


def test_large_straight():
    assert straight([2, 6, 4, 3, 5]) == 40


def test_small_straight():
    assert straight([1, 2, 3, 4, 6]) == 30
    assert straight([3, 4, 4, 5, 6]) == 30


def test_no_straight():
    assert straight([1, 2, 3, 5, 6]) == 0
""",
        hidden=r"""
def test_pair_in_every_place():
    for extra in (1, 2, 3, 4):
        assert straight([1, 2, 3, 4, extra]) == 30


def test_longest_run():
    assert longest_run([2, 2, 3, 3, 4]) == 3
    assert longest_run([6, 6, 6, 6, 6]) == 1
    assert longest_run([1, 3, 5, 6, 1]) == 2


def test_best_with_pair():
    assert best_category([2, 3, 3, 4, 5]) == (30, "straight")


def test_best():
    assert best_category([6, 6, 6, 6, 5]) == (29, "three of a kind")
    assert best_category([1, 1, 1, 2, 2]) == (25, "full house")
""",
    ),
    Program(
        name="four_in_a_row",
        code=r'''class Board:
    """A board into which two players drop discs in turn; four in a row win."""

    def __init__(self, columns=7, rows=6):
        self._rows = rows
        self._columns = [[] for _ in range(columns)]

    def at(self, column, row):
        """Return the player whose disc is at a place, row 0 being the lowest.

        None if there is no disc or the place is outside the board.
        """
        if column < len(self._columns) and 0 <= row < len(self._columns[column]):
            return self._columns[column][row]
        return None

    def drop(self, column, player):
        """Drop a disc and tell whether it completes a row of four.

        Rows may be horizontal, vertical or diagonal.
        """
        discs = self._columns[column]
        if len(discs) == self._rows:
            raise ValueError(f"column {column} is full")
        discs.append(player)
        row = len(discs) - 1
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                length += self._count(column, row, sign * right, sign * up, player)
            if length >= 4:
                return True
        return False

    def _count(self, column, row, right, up, player):
        """Number of the player's discs next to a place in one direction."""
        count = 0
        while count < 4 and self.at(column + right, row + up) == player:
            column, row = column + right, row + up
            count += 1
        return count

    def is_full(self):
        return all(len(discs) == self._rows for discs in self._columns)
''',
        wrong="        if column < len(self._columns) and",
        right="        if 0 <= column < len(self._columns) and",
        visible=r"""
def play(board, moves):
    return [board.drop(int(column), player) for column, player in zip(moves[::2], moves[1::2])]


def test_vertical():
    assert play(Board(), "2x3o2x3o2x3o2x") == [False] * 6 + [True]


def test_horizontal():
    assert play(Board(), "1x2x4x3x") == [False, False, False, True]


def test_diagonals():
    board = Board()
    play(board, "1x2o2x3o3o3x4o4o4o")
    assert board.drop(4, "x")
    board = Board()
    play(board, "5x4o4x3o3o3x2o2o2o")
    assert board.drop(2, "x")


def test_full_column():
    board = Board(columns=1, rows=2)
    play(board, "0x0o")
    assert board.is_full()
    with pytest.raises(ValueError):
        board.drop(0, "x")


def test_at():
    board = Board()
    board.drop(6, "x")
    assert board.at(6, 0) == "x"
    assert board.at(6, 1) is None
    assert board.at(7, 0) is None
    assert board.at(-1, 0) is None


def test_three_are_not_enough():
    assert play(Board(), "3x4x5x") == [False, False, False]
""",
        hidden=r"""
def play(board, moves):
    return [board.drop(int(column), player) for column, player in zip(moves[::2], moves[1::2])]


def test_row_does_not_wrap():
    assert play(Board(), "6x5x0x1x") == [False] * 4


def test_row_at_the_left_border():
    assert play(Board(), "6x0x1x2x") == [False] * 4
    assert play(Board(), "0x1x2x3x") == [False] * 3 + [True]


def test_diagonal_does_not_wrap():
    moves = "4x0o0x1o1o1x2x2o2o2x"
    assert play(Board(columns=5), moves) == [False] * 10


def test_outside():
    board = Board(columns=3, rows=3)
    board.drop(2, "x")
    assert board.at(-1, 0) is None
    assert board.at(3, 0) is None
    assert board.at(2, -1) is None
""",
    ),
    Program(
        name="chess_ratings",
        code=r'''class League:
    """Ratings of players which change with every game."""

    def __init__(self, start=1500, factor=32):
        self._start = start
        self._factor = factor
        self._ratings = {}

    def rating(self, player):
        """Return the present rating; new players have that of the start."""
        return self._ratings.get(player, self._start)

    def expected(self, player, opponent):
        """Return the expected score of a player, between 0 and 1."""
        difference = self.rating(opponent) - self.rating(player)
        return 1 / (1 + 10 ** (difference / 400))

    def record(self, player, opponent, score):
        """Record a game: score is 1 if player wins, 0.5 for a draw, else 0.

        Both ratings change by the factor times the difference of the score
        and the expectation before the game, so that one player gains what
        the other loses.
        """
        if score not in (0, 0.5, 1):
            raise ValueError(f"impossible score {score}")
        change = self._factor * (score - self.expected(player, opponent))
        self._ratings[player] = self.rating(player) + change
        change = self._factor * (score - self.expected(player, opponent))
        self._ratings[opponent] = self.rating(opponent) - change

    def table(self):
        """Return (player, rounded rating), the best first, equal ones by name."""
        players = sorted(self._ratings, key=lambda name: (-self._ratings[name], name))
        return [(name, round(self._ratings[name])) for name in players]
''',
        wrong="""        change = self._factor * (score - self.expected(player, opponent))
        self._ratings[opponent] = self""",
        right="""        self._ratings[opponent] = self""",
        visible=r"""
def test_new_player():
    assert League().rating("Ann") == 1500
    assert League(start=1000).rating("Ann") == 1000


def test_expected():
    league = League()
    assert league.expected("Ann", "Bob") == 0.5


def test_winner_gains():
    league = League()
    league.record("Ann", "Bob", 1)
    assert league.rating("Ann") == 1516
    assert league.rating("Bob") < 1500


def test_draw_of_equals():
    league = League()
    league.record("Ann", "Bob", 0.5)
    assert league.rating("Ann") == league.rating("Bob") == 1500


def test_table():
    league = League()
    league.record("Ann", "Bob", 0)
    league.record("Cem", "Dan", 0.5)
    assert league.table() == [("Bob", 1516), ("Cem", 1500), ("Dan", 1500), ("Ann", 1484)]


def test_impossible():
    with pytest.raises(ValueError):
        League().record("Ann", "Bob", 2)
""",
        hidden=r"""
def test_sum_is_kept():
    league = League()
    names = ["a", "b", "c", "d"]
    for n in range(40):
        league.record(names[n % 4], names[(n + 1 + n // 4 % 3) % 4], (0, 0.5, 1)[n % 3])
    assert sum(league.rating(name) for name in names) == pytest.approx(6000)


def test_loss():
    league = League(factor=40)
    league.record("a", "b", 0)
    assert league.rating("a") == 1480
    assert league.rating("b") == 1520


def test_second_game():
    league = League()
    league.record("a", "b", 1)
    expected = league.expected("a", "b")
    league.record("a", "b", 1)
    assert league.rating("a") == pytest.approx(1516 + 32 * (1 - expected))
    assert league.rating("b") == pytest.approx(1484 - 32 * (1 - expected))


def test_expectations_add_up():
    league = League()
    league.record("a", "b", 1)
    assert league.expected("a", "b") + league.expected("b", "a") == pytest.approx(1)
""",
    ),
    Program(
        name="counter_queue",
        code=r'''from dataclasses import dataclass
from heapq import heapify, heapreplace


@dataclass(frozen=True)
class Visit:
    """How one customer fared; all times are minutes."""

    arrival: int
    begin: int
    end: int

    @property
    def waiting(self):
        return self.begin - self.arrival


def simulate(customers, counters=1):
    """Serve customers at some counters and return their visits.

    Takes (arrival, duration) for each customer in order of arrival. Everyone
    goes to the counter which is free first, and is served from then on or
    from the arrival, whichever is later.
    """
    if counters < 1:
        raise ValueError("at least one counter must be open")
    free_at = [0] * counters
    heapify(free_at)
    visits = []
    for arrival, duration in customers:
        begin = max(arrival, free_at[0])
        heapreplace(free_at, free_at[0] + duration)
        visits.append(Visit(arrival, begin, begin + duration))
    return visits


def longest_waiting(visits):
    """Return the longest waiting time, 0 without customers."""
    return max((visit.waiting for visit in visits), default=0)


def counters_needed(customers, limit):
    """Least number of counters with which nobody waits longer than limit."""
    counters = 1
    while longest_waiting(simulate(customers, counters)) > limit:
        counters += 1
    return counters
''',
        wrong="        heapreplace(free_at, free_at[0] + duration)\n",
        right="        heapreplace(free_at, begin + duration)\n",
        visible=r"""
def test_nobody():
    assert simulate([]) == []
    assert longest_waiting([]) == 0


def test_no_waiting():
    visits = simulate([(0, 5), (10, 5)])
    assert [(visit.begin, visit.end) for visit in visits] == [(0, 5), (10, 15)]


def test_all_at_once():
    visits = simulate([(0, 5), (0, 5), (0, 5)])
    assert [visit.waiting for visit in visits] == [0, 5, 10]


def test_idle_time():
    visits = simulate([(0, 2), (10, 5), (11, 5)])
    assert [visit.begin for visit in visits] == [0, 10, 15]


def test_two_counters():
    visits = simulate([(0, 5), (0, 3), (1, 4)], counters=2)
    assert [visit.begin for visit in visits] == [0, 0, 3]


def test_closed():
    with pytest.raises(ValueError):
        simulate([(0, 1)], counters=0)
""",
        hidden=r"""
def test_late_start():
    visits = simulate([(60, 10), (61, 10), (62, 10)])
    assert [visit.waiting for visit in visits] == [0, 9, 18]


def test_late_start_with_two_counters():
    visits = simulate([(60, 10), (61, 10), (62, 10)], counters=2)
    assert [visit.begin for visit in visits] == [60, 61, 70]


def test_counters_needed():
    customers = [(30, 10), (30, 10), (30, 10), (30, 10)]
    assert counters_needed(customers, 0) == 4
    assert counters_needed(customers, 10) == 2
    assert counters_needed(customers, 30) == 1


def test_longest_waiting():
    assert longest_waiting(simulate([(5, 4), (20, 4), (21, 4)])) == 3


def test_one_at_a_time():
    visits = simulate([(3, 7), (4, 1), (30, 2), (31, 9), (31, 1)])
    assert all(first.end <= second.begin for first, second in zip(visits, visits[1:]))
""",
    ),
)
