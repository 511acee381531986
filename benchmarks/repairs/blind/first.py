"""Programs of work: parsers, inventories, bills, schedules.

Written by somebody who had not seen this project; tuned on since 2026-11-25.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ------------------------------------------------------------------ 1
    Program(
        name="durations",
        code=r'''"""Reading and writing of short durations such as "1h30m"."""
import re

# length of each unit in milliseconds, longest first
UNITS = {
    "d": 24 * 60 * 60,
    "h": 60 * 60 * 1000,
    "m": 60 * 1000,
    "s": 1000,
    "ms": 1,
}

_PART = re.compile(r"(\d+)(ms|d|h|m|s)")


def parse_duration(text):
    """Return the duration in milliseconds.

    The text is a sequence of numbers with a unit (d, h, m, s or ms),
    for example "2h", "1m30s" or "1d 250ms".  Spaces between the parts are
    ignored.  A text without any part, or with anything else in it, raises
    ValueError.
    """
    compact = text.replace(" ", "")
    if not compact:
        raise ValueError("empty duration")
    total = 0
    position = 0
    while position < len(compact):
        match = _PART.match(compact, position)
        if match is None:
            raise ValueError(f"bad duration: {text!r}")
        total += int(match.group(1)) * UNITS[match.group(2)]
        position = match.end()
    return total


def format_duration(milliseconds):
    """Return the shortest text of the duration, longest units first.

    Units with a count of zero are left out; zero itself is "0s".
    """
    if milliseconds == 0:
        return "0s"
    parts = []
    for unit, size in UNITS.items():
        count, milliseconds = divmod(milliseconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts)
''',
        wrong="""24 * 60 * 60,""",
        right="""24 * 60 * 60 * 1000,""",
        visible=r"""
def test_seconds_and_minutes():
    assert parse_duration("1m30s") == 90_000


def test_milliseconds():
    assert parse_duration("250ms") == 250


def test_days_and_hours():
    assert parse_duration("1d2h") == 26 * 3600 * 1000


def test_bad_text():
    with pytest.raises(ValueError):
        parse_duration("5 apples")


def test_format_zero():
    assert format_duration(0) == "0s"


def test_format_hours():
    assert format_duration(2 * 3600 * 1000 + 5000) == "2h5s"
""",
        hidden=r"""
def test_one_day_is_twenty_four_hours():
    assert parse_duration("1d") == parse_duration("24h") == 86_400_000


def test_spaces_between_parts():
    assert parse_duration("1d 250ms") == 86_400_250
    assert parse_duration(" 3s ") == 3000


def test_empty_and_malformed():
    for text in ("", "   ", "h", "5", "5x", "1h-3m"):
        with pytest.raises(ValueError):
            parse_duration(text)


def test_format_all_units():
    total = ((25 * 60 + 2) * 60 + 3) * 1000 + 4
    assert format_duration(total) == "1d1h2m3s4ms"


def test_format_small():
    assert format_duration(999) == "999ms"
    assert format_duration(60_000) == "1m"
    assert format_duration(59_000) == "59s"


def test_round_trip():
    for text in ("3d", "23h59m59s999ms", "1m", "10d1ms"):
        assert format_duration(parse_duration(text)) == text
""",
    ),
    # ------------------------------------------------------------------ 2
    Program(
        name="warehouse",
        code=r'''"""A small warehouse with quantities and unit prices in cents."""


class Warehouse:
    def __init__(self):
        self._items = {}

    def add(self, name, quantity, price):
        """Add some pieces of an item; the last given price counts.

        ValueError if the quantity is not positive.
        """
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        held = self.quantity(name)
        self._items[name] = (held + quantity, price)

    def quantity(self, name):
        """How many pieces of the item there are, 0 for an unknown item."""
        return self._items.get(name, (0, 0))[0]

    def remove(self, name, quantity):
        """Take pieces out; an item with no pieces left is forgotten.

        ValueError, and nothing is changed, if there are not enough.
        """
        held = self.quantity(name)
        if quantity > held:
            raise ValueError(f"only {held} of {name}")
        price = self._items[name][1]
        if quantity == held:
            del self._items[name]
        else:
            self._items[name] = (held - quantity, price)

    def names(self):
        """The names of all items held, in alphabetical order."""
        return sorted(self._items)

    def total_value(self):
        """The value of everything held, in cents."""
        return sum(count * price for count, price in self._items.values())

    def average_price(self):
        """The mean price of a piece (weighted by quantity); 0.0 if empty."""
        pieces = sum(count for count, _ in self._items.values())
        return self.total_value() / pieces
''',
        wrong="""        return self.total_value() / pieces
""",
        right="""        if pieces == 0:
            return 0.0
        return self.total_value() / pieces
""",
        visible=r"""
def test_add_accumulates():
    w = Warehouse()
    w.add("bolt", 10, 5)
    w.add("bolt", 5, 6)
    assert w.quantity("bolt") == 15


def test_remove_too_many():
    w = Warehouse()
    w.add("bolt", 3, 5)
    with pytest.raises(ValueError):
        w.remove("bolt", 4)
    assert w.quantity("bolt") == 3


def test_names_sorted():
    w = Warehouse()
    w.add("nut", 1, 1)
    w.add("bolt", 1, 1)
    assert w.names() == ["bolt", "nut"]


def test_average_price():
    w = Warehouse()
    w.add("bolt", 3, 10)
    w.add("nut", 1, 30)
    assert w.average_price() == 15.0


def test_new_warehouse_is_empty():
    w = Warehouse()
    assert w.names() == []
    assert w.total_value() == 0
    assert w.average_price() == 0.0
""",
        hidden=r"""
def test_average_after_everything_removed():
    w = Warehouse()
    w.add("bolt", 2, 10)
    w.remove("bolt", 2)
    assert w.names() == []
    assert w.average_price() == 0


def test_average_empty():
    assert Warehouse().average_price() == 0


def test_last_price_counts():
    w = Warehouse()
    w.add("bolt", 2, 10)
    w.add("bolt", 2, 20)
    assert w.total_value() == 80
    assert w.average_price() == 20.0


def test_free_items_average():
    w = Warehouse()
    w.add("leaflet", 5, 0)
    assert w.average_price() == 0
    w.add("pen", 5, 3)
    assert w.average_price() == 1.5


def test_remove_some_keeps_price():
    w = Warehouse()
    w.add("bolt", 5, 7)
    w.remove("bolt", 2)
    assert w.quantity("bolt") == 3
    assert w.total_value() == 21


def test_bad_quantities():
    w = Warehouse()
    for quantity in (0, -1):
        with pytest.raises(ValueError):
            w.add("bolt", quantity, 5)
    with pytest.raises(ValueError):
        w.remove("unknown", 1)
""",
    ),
    # ------------------------------------------------------------------ 3
    Program(
        name="lru_cache",
        code=r'''"""A cache that forgets what was not used for the longest time."""
from collections import OrderedDict


class LRUCache:
    """Keeps at most capacity entries.

    Reading an entry with get, or writing it with put, counts as a use.
    When there are too many entries, the one whose last use lies furthest
    back is dropped.
    """

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.capacity = capacity
        self.hits = 0
        self.misses = 0
        self._data = OrderedDict()

    def get(self, key, default=None):
        """The value of key, or default; counts a hit or a miss."""
        if key not in self._data:
            self.misses += 1
            return default
        self.hits += 1
        return self._data[key]

    def put(self, key, value):
        """Store value under key, dropping the least recently used entry."""
        if key in self._data:
            self._data.move_to_end(key)
        self._data[key] = value
        if len(self._data) > self.capacity:
            self._data.popitem(last=False)

    def __contains__(self, key):
        """Whether key is stored; this does not count as a use."""
        return key in self._data

    def __len__(self):
        return len(self._data)

    def keys(self):
        """The keys, the least recently used one first."""
        return list(self._data)
''',
        wrong="""        self.hits += 1
        return self._data[key]
""",
        right="""        self.hits += 1
        self._data.move_to_end(key)
        return self._data[key]
""",
        visible=r"""
def test_put_and_get():
    cache = LRUCache(2)
    cache.put("a", 1)
    assert cache.get("a") == 1


def test_default():
    assert LRUCache(1).get("x", 7) == 7


def test_oldest_is_dropped():
    cache = LRUCache(2)
    for key in "abc":
        cache.put(key, key.upper())
    assert cache.keys() == ["b", "c"]


def test_get_counts_as_use():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert "a" in cache
    assert "b" not in cache


def test_hits_and_misses():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.get("a")
    cache.get("b")
    assert (cache.hits, cache.misses) == (1, 1)
""",
        hidden=r"""
def test_order_after_gets():
    cache = LRUCache(3)
    for key in "abc":
        cache.put(key, 0)
    cache.get("b")
    cache.get("a")
    assert cache.keys() == ["c", "b", "a"]


def test_overwriting_counts_as_use():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    cache.put("c", 4)
    assert cache.keys() == ["a", "c"]
    assert cache.get("a") == 3


def test_contains_is_no_use():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert "a" in cache
    cache.put("c", 3)
    assert cache.keys() == ["b", "c"]
    assert (cache.hits, cache.misses) == (0, 0)


def test_miss_changes_nothing():
    cache = LRUCache(2)
    cache.put("a", 1)
    assert cache.get("z") is None
    assert cache.keys() == ["a"]
    assert len(cache) == 1
    assert cache.misses == 1


def test_capacity_one():
    cache = LRUCache(1)
    cache.put("a", 1)
    assert cache.get("a") == 1
    cache.put("b", 2)
    assert cache.keys() == ["b"]


def test_bad_capacity():
    with pytest.raises(ValueError):
        LRUCache(0)


def test_get_keeps_entry_and_returns_value():
    cache = LRUCache(3)
    cache.put("a", None)
    cache.put("b", 2)
    assert cache.get("a", "default") is None
    assert cache.hits == 1
    assert cache.keys() == ["b", "a"]
""",
    ),
    # ------------------------------------------------------------------ 4
    Program(
        name="calendar_slots",
        code=r'''"""Busy and free times of a day, in minutes since midnight."""


def parse_time(text):
    """Turn "hh:mm" into minutes since midnight."""
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def merge_slots(slots):
    """Merge (start, end) slots that overlap or touch each other.

    The result is a list of tuples, ordered by time; the slots may be given
    in any order.  Two slots touch if one ends when the other one starts.
    """
    merged = []
    for start, end in sorted(slots):
        if merged and start < merged[-1][1]:
            last_start, last_end = merged[-1]
            merged[-1] = (last_start, max(last_end, end))
        else:
            merged.append((start, end))
    return merged


def free_slots(busy, day_start, day_end, minimum=1):
    """The gaps of the day that last at least minimum minutes.

    Busy slots may reach beyond the day.
    """
    gaps = []
    cursor = day_start
    for start, end in merge_slots(busy):
        gap_end = min(start, day_end)
        if gap_end - cursor >= minimum:
            gaps.append((cursor, gap_end))
        cursor = max(cursor, end)
    if day_end - cursor >= minimum:
        gaps.append((cursor, day_end))
    return gaps


def busy_minutes(slots):
    """How many minutes are covered by at least one slot."""
    return sum(end - start for start, end in merge_slots(slots))
''',
        wrong="""start < merged[-1][1]""",
        right="""start <= merged[-1][1]""",
        visible=r"""
def test_parse_time():
    assert parse_time("09:30") == 570


def test_overlapping():
    assert merge_slots([(10, 30), (20, 40)]) == [(10, 40)]


def test_touching():
    assert merge_slots([(60, 90), (30, 60)]) == [(30, 90)]


def test_separate():
    assert merge_slots([(50, 60), (10, 20)]) == [(10, 20), (50, 60)]


def test_free():
    busy = [(600, 660), (720, 780)]
    assert free_slots(busy, 540, 840) == [(540, 600), (660, 720), (780, 840)]


def test_busy_minutes():
    assert busy_minutes([(0, 10), (5, 20)]) == 20
""",
        hidden=r"""
def test_chain_of_touching_slots():
    assert merge_slots([(0, 10), (10, 20), (20, 30)]) == [(0, 30)]


def test_touch_after_overlap():
    assert merge_slots([(0, 15), (10, 20), (20, 25), (26, 30)]) == [
        (0, 25),
        (26, 30),
    ]


def test_contained_slot_does_not_shorten():
    assert merge_slots([(0, 100), (10, 20), (100, 110)]) == [(0, 110)]


def test_gap_of_one_minute_stays():
    assert merge_slots([(0, 10), (11, 20)]) == [(0, 10), (11, 20)]


def test_empty():
    assert merge_slots([]) == []
    assert busy_minutes([]) == 0
    assert free_slots([], 0, 60) == [(0, 60)]


def test_free_with_minimum_and_outside_slots():
    busy = [(0, 100), (115, 200), (250, 400)]
    assert free_slots(busy, 60, 300, 20) == [(200, 250)]
    assert free_slots(busy, 60, 300) == [(100, 115), (200, 250)]


def test_whole_day_busy():
    assert free_slots([(0, 50), (50, 100)], 10, 90) == []


def test_input_is_not_changed():
    slots = [(5, 6), (1, 5)]
    assert merge_slots(slots) == [(1, 6)]
    assert slots == [(5, 6), (1, 5)]
""",
    ),
    # ------------------------------------------------------------------ 5
    Program(
        name="text_wrap",
        code=r'''"""Wrapping and indenting of plain text."""


def wrap(text, width):
    """Break the text into lines of at most width characters.

    The words (separated by any white space) are put into lines greedily,
    with one space between them.  A word longer than width gets a line of
    its own.  The result is the list of lines; no words give no lines.
    """
    lines = []
    current = []
    length = 0
    for word in text.split():
        needed = len(word) if not current else length + len(word)
        if current and needed > width:
            lines.append(" ".join(current))
            current = []
            needed = len(word)
        current.append(word)
        length = needed
    if current:
        lines.append(" ".join(current))
    return lines


def justify_right(lines, width):
    """Pad each line with spaces on the left up to width characters."""
    return [line.rjust(width) for line in lines]


def bullet_list(items, width):
    """Format items as a list: "- " first, further lines indented by two."""
    result = []
    for item in items:
        for number, line in enumerate(wrap(item, width - 2)):
            result.append(("- " if number == 0 else "  ") + line)
    return "\n".join(result)
''',
        wrong="""else length + len(word)""",
        right="""else length + 1 + len(word)""",
        visible=r"""
def test_short_text_is_one_line():
    assert wrap("hello world", 20) == ["hello world"]


def test_breaks_between_words():
    assert wrap("aaaa bbbb cccc", 5) == ["aaaa", "bbbb", "cccc"]


def test_no_line_too_long():
    text = "the quick brown fox jumps over the lazy dog"
    assert all(len(line) <= 10 for line in wrap(text, 10))


def test_long_word():
    assert wrap("a incomprehensible b", 6) == ["a", "incomprehensible", "b"]


def test_empty():
    assert wrap("  ", 10) == []


def test_right():
    assert justify_right(["ab", "c"], 3) == [" ab", "  c"]
""",
        hidden=r"""
def test_exact_fit_and_one_too_many():
    assert wrap("abc def", 7) == ["abc def"]
    assert wrap("abc def", 6) == ["abc", "def"]


def test_many_short_words():
    assert wrap("a b c d e f", 5) == ["a b c", "d e f"]
    assert wrap("a b c d e f", 1) == list("abcdef")


def test_greedy_whole_sentence():
    text = "the quick brown fox jumps over the lazy dog"
    assert wrap(text, 10) == [
        "the quick",
        "brown fox",
        "jumps over",
        "the lazy",
        "dog",
    ]


def test_white_space_is_collapsed():
    assert wrap(" one\n two\t three ", 9) == ["one two", "three"]


def test_width_after_break_is_counted_anew():
    assert wrap("aaaaaaaa bb cc dd", 8) == ["aaaaaaaa", "bb cc dd"]


def test_bullets():
    text = bullet_list(["red green blue", "x"], 11)
    assert text == "- red green\n  blue\n- x"


def test_bullets_narrow():
    assert bullet_list(["ab cd"], 6) == "- ab\n  cd"
""",
    ),
    # ------------------------------------------------------------------ 6
    Program(
        name="ini_reader",
        code=r'''"""A reader for simple ini files."""


class IniError(ValueError):
    """The text is not a well formed ini file."""


def parse_ini(text):
    """Return a dict from section names to dicts of settings.

    Empty lines and lines that start with "#" or ";" are skipped.  A line
    "[name]" begins a section, all others have the form "key = value".
    White space around names, keys and values is not part of them; keys are
    turned to lower case.  The value may contain further "=" signs.
    Settings before the first section belong to the section "".
    Anything else raises IniError.
    """
    sections = {}
    current = ""
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            if not line.endswith("]"):
                raise IniError(f"line {number}: missing ]")
            current = line[1:-1].strip()
            sections.setdefault(current, {})
            continue
        key, sign, value = line.partition("=")
        if not sign:
            raise IniError(f"line {number}: no = sign")
        sections.setdefault(current, {})[key.lower()] = value.strip()
    return sections


def lookup(sections, path, default=None):
    """The setting at "section.key", or default if there is none."""
    section, _, key = path.rpartition(".")
    return sections.get(section, {}).get(key.lower(), default)
''',
        wrong="""[key.lower()] = value.strip()""",
        right="""[key.strip().lower()] = value.strip()""",
        visible=r'''
TEXT = """
# settings
debug=yes
[Server]
Host = localhost
port = 8080
"""


def test_global_setting():
    assert parse_ini(TEXT)[""] == {"debug": "yes"}


def test_section():
    assert parse_ini(TEXT)["Server"] == {"host": "localhost", "port": "8080"}


def test_comment_only():
    assert parse_ini("# nothing\n; here\n") == {}


def test_bad_line():
    with pytest.raises(IniError):
        parse_ini("just words")


def test_lookup():
    assert lookup(parse_ini(TEXT), "Server.port") == "8080"
    assert lookup(parse_ini(TEXT), "Server.user", "root") == "root"
''',
        hidden=r"""
def test_tabs_and_spaces_around_key():
    assert parse_ini("  Name\t =  Ann Lee  ") == {"": {"name": "Ann Lee"}}


def test_key_with_inner_space():
    assert parse_ini("Full Name = x") == {"": {"full name": "x"}}


def test_value_with_equal_signs():
    assert parse_ini("query = a=b = c") == {"": {"query": "a=b = c"}}


def test_sections_are_stripped_and_joined():
    text = "[ a ]\nx=1\n[b]\n[a]\ny = 2\nx = 3"
    assert parse_ini(text) == {"a": {"x": "3", "y": "2"}, "b": {}}


def test_empty_value():
    assert parse_ini("[s]\nkey =") == {"s": {"key": ""}}


def test_errors():
    with pytest.raises(IniError):
        parse_ini("[open\n")
    with pytest.raises(ValueError):
        parse_ini("[a]\nword")


def test_lookup_cases():
    data = parse_ini("Top = 1\n[Net]\nHost = h")
    assert lookup(data, "top") == "1"
    assert lookup(data, "Net.HOST") == "h"
    assert lookup(data, "net.host") is None
""",
    ),
    # ------------------------------------------------------------------ 7
    Program(
        name="grid_moves",
        code=r'''"""Turning and flipping of rectangular grids (lists of rows)."""


def check_grid(grid):
    """Raise ValueError unless all rows of the grid have the same length."""
    if any(len(row) != len(grid[0]) for row in grid):
        raise ValueError("rows of different length")


def transpose(grid):
    """Swap rows and columns."""
    check_grid(grid)
    return [list(column) for column in zip(*grid)]


def rotate(grid):
    """Return a new grid, turned clockwise by a quarter.

    A grid of r rows and c columns becomes one of c rows and r columns: the
    first row becomes the last column.  An empty grid stays empty.
    """
    check_grid(grid)
    if not grid:
        return []
    rows, cols = len(grid), len(grid[0])
    turned = [[None] * rows for _ in range(cols)]
    for r in range(rows):
        for c in range(cols):
            turned[c][cols - 1 - r] = grid[r][c]
    return turned


def rotate_times(grid, times):
    """Turn the grid clockwise several times; negative is anticlockwise."""
    result = [list(row) for row in grid]
    for _ in range(times % 4):
        result = rotate(result)
    return result


def mirror(grid):
    """Exchange left and right."""
    return [list(reversed(row)) for row in grid]


def show(grid):
    """The grid as text, one line for each row."""
    return "\n".join("".join(str(cell) for cell in row) for row in grid)
''',
        wrong="""turned[c][cols - 1 - r]""",
        right="""turned[c][rows - 1 - r]""",
        visible=r"""
def test_transpose():
    assert transpose([[1, 2, 3], [4, 5, 6]]) == [[1, 4], [2, 5], [3, 6]]


def test_rotate_square():
    assert rotate([[1, 2], [3, 4]]) == [[3, 1], [4, 2]]


def test_rotate_two_by_three():
    assert rotate([[1, 2, 3], [4, 5, 6]]) == [[4, 1], [5, 2], [6, 3]]


def test_mirror():
    assert mirror([[1, 2, 3]]) == [[3, 2, 1]]


def test_unequal_rows():
    with pytest.raises(ValueError):
        rotate([[1, 2], [3]])


def test_show():
    assert show([["a", "b"], ["c", 4]]) == "ab\nc4"
""",
        hidden=r"""
def test_tall_grid():
    assert rotate([[1, 2], [3, 4], [5, 6]]) == [[5, 3, 1], [6, 4, 2]]


def test_single_row_and_column():
    assert rotate([[1, 2, 3]]) == [[1], [2], [3]]
    assert rotate([[1], [2], [3]]) == [[3, 2, 1]]
    assert rotate([[9]]) == [[9]]


def test_empty():
    assert rotate([]) == []
    assert rotate_times([], 3) == []


def test_four_turns_are_none():
    grid = [[1, 2, 3, 4], [5, 6, 7, 8]]
    turned = grid
    for _ in range(4):
        turned = rotate(turned)
    assert turned == grid


def test_times():
    grid = [[1, 2, 3], [4, 5, 6]]
    assert rotate_times(grid, 2) == [[6, 5, 4], [3, 2, 1]]
    assert rotate_times(grid, -1) == [[3, 6], [2, 5], [1, 4]]
    assert rotate_times(grid, 0) == grid


def test_rotate_is_transpose_then_mirror():
    grid = [list(range(i, i + 5)) for i in range(0, 15, 5)]
    assert rotate(grid) == mirror(transpose(grid))


def test_input_unchanged():
    grid = [[1, 2, 3], [4, 5, 6]]
    rotate(grid)
    assert grid == [[1, 2, 3], [4, 5, 6]]
""",
    ),
    # ------------------------------------------------------------------ 8
    Program(
        name="disk_usage",
        code=r'''"""Sizes of a directory tree.

A directory is a dict from names to entries; an entry is either the size of a
file (an int) or again a directory.
"""


def total_size(tree):
    """The sum of the sizes of all files in the tree, at any depth."""
    total = 0
    for entry in tree.values():
        if isinstance(entry, dict):
            total = total_size(entry)
        else:
            total += entry
    return total


def list_files(tree, prefix=""):
    """The full paths ("dir/sub/file") of all files, in sorted order."""
    paths = []
    for name, entry in tree.items():
        path = prefix + name
        if isinstance(entry, dict):
            paths.extend(list_files(entry, path + "/"))
        else:
            paths.append(path)
    return sorted(paths)


def largest_directories(tree, count):
    """The count biggest directories directly below tree.

    The result is a list of (name, size), biggest first; directories of the
    same size are in alphabetical order.
    """
    sizes = [
        (name, total_size(entry))
        for name, entry in tree.items()
        if isinstance(entry, dict)
    ]
    sizes.sort(key=lambda pair: (-pair[1], pair[0]))
    return sizes[:count]


def human(size):
    """The size with a unit: bytes up to 1023, then K, M and G, cut down."""
    for unit in ("B", "K", "M"):
        if size < 1024:
            return f"{size}{unit}"
        size //= 1024
    return f"{size}G"
''',
        wrong="""total = total_size(entry)""",
        right="""total += total_size(entry)""",
        visible=r"""
def test_files_only():
    assert total_size({"a": 1, "b": 2}) == 3


def test_nested():
    assert total_size({"a": 1, "d": {"x": 10, "y": 20}, "z": 5}) == 36


def test_empty():
    assert total_size({}) == 0


def test_paths():
    tree = {"b": 1, "a": {"z": 1, "q": {"w": 2}}}
    assert list_files(tree) == ["a/q/w", "a/z", "b"]


def test_human():
    assert human(1000) == "1000B"
    assert human(2048) == "2K"


def test_largest():
    tree = {"x": {"f": 3}, "y": {"f": 9}, "z": {"f": 5}, "file": 100}
    assert largest_directories(tree, 2) == [("y", 9), ("z", 5)]
""",
        hidden=r"""
def test_several_directories():
    assert total_size({"a": {"f": 1}, "b": {"f": 2}, "c": {"f": 4}}) == 7


def test_empty_directory_last():
    assert total_size({"f": 8, "empty": {}}) == 8


def test_deep():
    tree = {"f": 1}
    for _ in range(20):
        tree = {"f": 1, "d": tree, "g": 1}
    assert total_size(tree) == 41


def test_largest_with_nested_and_ties():
    tree = {
        "b": {"f": 4, "sub": {"g": 6}},
        "a": {"sub": {"g": 6}, "sub2": {"h": 4}},
        "c": {"f": 9},
    }
    assert largest_directories(tree, 5) == [("a", 10), ("b", 10), ("c", 9)]
    assert largest_directories(tree, 0) == []


def test_human_limits():
    assert human(0) == "0B"
    assert human(1023) == "1023B"
    assert human(1024) == "1K"
    assert human(5 * 1024 * 1024 + 7) == "5M"
    assert human(3000 * 1024 ** 3) == "3000G"


def test_paths_of_empty_directories():
    assert list_files({"a": {}, "b": {"c": {}}}) == []
""",
    ),
    # ------------------------------------------------------------------ 9
    Program(
        name="network_hops",
        code=r'''"""Distances in a network of hosts."""
from collections import deque


class Network:
    """An undirected graph of host names."""

    def __init__(self, links=()):
        self._neighbours = {}
        for first, second in links:
            self.link(first, second)

    def link(self, first, second):
        """Connect two hosts in both directions."""
        self._neighbours.setdefault(first, set()).add(second)
        self._neighbours.setdefault(second, set()).add(first)

    def hops(self, start):
        """A dict from every host that start reaches to its distance.

        The distance is the least number of links on the way; it is 0 for
        start itself.  KeyError if start is unknown.
        """
        if start not in self._neighbours:
            raise KeyError(start)
        distance = {start: 0}
        queue = deque([start])
        while queue:
            host = queue.popleft()
            for other in self._neighbours[host]:
                if other not in distance:
                    distance[other] = distance[start] + 1
                    queue.append(other)
        return distance

    def within(self, start, limit):
        """The hosts at most limit links away (not start itself), sorted."""
        return sorted(
            host for host, count in self.hops(start).items()
            if 0 < count <= limit
        )

    def eccentricity(self, start):
        """The distance of the furthest host that start reaches."""
        return max(self.hops(start).values())

    def connected(self):
        """Whether all hosts reach each other; an empty network is."""
        if not self._neighbours:
            return True
        start = next(iter(self._neighbours))
        return len(self.hops(start)) == len(self._neighbours)
''',
        wrong="""distance[start] + 1""",
        right="""distance[host] + 1""",
        visible=r"""
def test_direct_links():
    net = Network([("a", "b"), ("a", "c")])
    assert net.hops("a") == {"a": 0, "b": 1, "c": 1}


def test_chain():
    net = Network([("a", "b"), ("b", "c"), ("c", "d")])
    assert net.hops("a") == {"a": 0, "b": 1, "c": 2, "d": 3}


def test_unknown_host():
    with pytest.raises(KeyError):
        Network().hops("x")


def test_connected():
    assert Network([("a", "b"), ("b", "c")]).connected()
    assert not Network([("a", "b"), ("c", "d")]).connected()


def test_within():
    net = Network([("a", "b"), ("b", "c"), ("c", "d")])
    assert net.within("a", 2) == ["b", "c"]


def test_empty_is_connected():
    assert Network().connected()
""",
        hidden=r"""
def test_ring():
    net = Network([(i, (i + 1) % 6) for i in range(6)])
    assert net.hops(0) == {0: 0, 1: 1, 5: 1, 2: 2, 4: 2, 3: 3}
    assert all(net.eccentricity(i) == 3 for i in range(6))


def test_shortest_of_two_ways():
    net = Network([("a", "b"), ("b", "c"), ("c", "d"), ("a", "d"), ("d", "e")])
    assert net.hops("a") == {"a": 0, "b": 1, "d": 1, "c": 2, "e": 2}


def test_unreachable_hosts_are_missing():
    net = Network([("a", "b"), ("c", "d")])
    assert net.hops("a") == {"a": 0, "b": 1}


def test_within_limits():
    net = Network([(i, i + 1) for i in range(10)])
    assert net.within(5, 0) == []
    assert net.within(5, 3) == [2, 3, 4, 6, 7, 8]


def test_self_link():
    net = Network([("a", "a")])
    assert net.hops("a") == {"a": 0}
    assert net.eccentricity("a") == 0


def test_links_go_both_ways():
    net = Network()
    net.link("x", "y")
    net.link("y", "z")
    assert net.hops("z") == {"z": 0, "y": 1, "x": 2}
""",
    ),
    # ------------------------------------------------------------------ 10
    Program(
        name="water_bill",
        code=r'''"""Water bills with a price that depends on the usage."""

# (upper limit of the tier in cubic metres, price of a cubic metre in cents)
TIERS = ((10, 100), (30, 150), (None, 250))


def usage_charge(usage, tiers=TIERS):
    """The charge in cents for the usage in whole cubic metres.

    Each cubic metre is charged at the price of the tier it falls into: with
    the default tiers the first 10 cost 100 each, the next 20 cost 150 each
    and all beyond the 30th cost 250 each.  A limit of None is no limit.
    Negative usage raises ValueError.
    """
    if usage < 0:
        raise ValueError("negative usage")
    charge = 0
    lower = 0
    for upper, price in tiers:
        if upper is None or usage <= upper:
            charge += (usage - lower) * price
            break
        charge += upper * price
        lower = upper
    return charge


def bill(previous, current, base_fee=500):
    """The bill in cents for two meter readings; the base fee is added."""
    return base_fee + usage_charge(current - previous)


def format_cents(amount):
    """Format 123456 as "1,234.56"."""
    return f"{amount // 100:,}.{amount % 100:02d}"


def statement(name, previous, current):
    """One line: the name, the usage and the amount, separated by tabs."""
    usage = current - previous
    return f"{name}\t{usage} m3\t{format_cents(bill(previous, current))}"
''',
        wrong="""charge += upper * price""",
        right="""charge += (upper - lower) * price""",
        visible=r"""
def test_no_usage():
    assert usage_charge(0) == 0


def test_first_tier():
    assert usage_charge(7) == 700


def test_second_tier():
    assert usage_charge(15) == 1000 + 5 * 150


def test_third_tier():
    assert usage_charge(40) == 10 * 100 + 20 * 150 + 10 * 250


def test_negative():
    with pytest.raises(ValueError):
        usage_charge(-1)


def test_bill_adds_base_fee():
    assert bill(100, 105) == 1000


def test_format():
    assert format_cents(123456) == "1,234.56"
""",
        hidden=r"""
def test_tier_limits():
    assert usage_charge(10) == 1000
    assert usage_charge(11) == 1150
    assert usage_charge(30) == 4000
    assert usage_charge(31) == 4250


def test_matches_metre_by_metre():
    total = 0
    for metre in range(1, 60):
        total += 100 if metre <= 10 else 150 if metre <= 30 else 250
        assert usage_charge(metre) == total


def test_other_tiers():
    tiers = ((5, 1), (6, 10), (8, 100), (None, 1000))
    assert usage_charge(5, tiers) == 5
    assert usage_charge(6, tiers) == 15
    assert usage_charge(7, tiers) == 115
    assert usage_charge(9, tiers) == 1215


def test_single_tier():
    assert usage_charge(12, ((None, 3),)) == 36


def test_bill_of_large_usage():
    assert bill(0, 100) == 500 + 4000 + 70 * 250
    assert bill(10, 10, 0) == 0


def test_statement():
    assert statement("Ann", 0, 50) == "Ann\t50 m3\t95.00"
    assert statement("Bob", 3, 4) == "Bob\t1 m3\t6.00"


def test_backward_meter():
    with pytest.raises(ValueError):
        bill(10, 9)
""",
    ),
    # ------------------------------------------------------------------ 11
    Program(
        name="document_rights",
        code=r'''"""Who may do what with a document."""
from dataclasses import dataclass, field


@dataclass
class User:
    name: str
    role: str = "member"        # "guest", "member" or "admin"
    suspended: bool = False


@dataclass
class Document:
    owner: str
    public: bool = False
    locked: bool = False
    editors: set = field(default_factory=set)


def can_read(user, document):
    """Public documents are read by all users, suspended or not.

    Others are read by admins, the owner and the editors, unless suspended.
    """
    if document.public:
        return True
    if user.suspended:
        return False
    return (
        user.role == "admin"
        or user.name == document.owner
        or user.name in document.editors
    )


def can_edit(user, document):
    """Guests and suspended users never edit.

    Admins edit everything.  The owner and the editors edit the document
    unless it is locked.
    """
    if user.suspended or user.role == "guest":
        return False
    if user.role == "admin":
        return True
    if document.locked:
        return False
    return user.name == document.owner and user.name in document.editors


def can_delete(user, document):
    """Only admins and the owner delete, and only if they can edit."""
    if not can_edit(user, document):
        return False
    return user.role == "admin" or user.name == document.owner


def readers(users, document):
    """The names of the users who can read the document, sorted."""
    return sorted(u.name for u in users if can_read(u, document))
''',
        wrong="""user.name == document.owner and user.name in document.editors""",
        right="""user.name == document.owner or user.name in document.editors""",
        visible=r"""
def test_public_is_read_by_all():
    assert can_read(User("guest", "guest"), Document("ann", public=True))


def test_private_is_not_read_by_strangers():
    assert not can_read(User("bob"), Document("ann"))


def test_owner_edits():
    assert can_edit(User("ann"), Document("ann"))


def test_stranger_does_not_edit():
    assert not can_edit(User("bob"), Document("ann", public=True))


def test_admin_edits_locked():
    assert can_edit(User("root", "admin"), Document("ann", locked=True))


def test_editor_edits_but_does_not_delete():
    document = Document("ann", editors={"bob"})
    assert can_edit(User("bob"), document)
    assert not can_delete(User("bob"), document)


def test_readers():
    users = [User("cy"), User("bob"), User("ann")]
    assert readers(users, Document("ann", editors={"bob"})) == ["ann", "bob"]
""",
        hidden=r"""
def test_owner_who_is_also_editor():
    document = Document("ann", editors={"ann", "bob"})
    assert can_edit(User("ann"), document)
    assert can_delete(User("ann"), document)


def test_owner_deletes():
    assert can_delete(User("ann"), Document("ann"))
    assert not can_delete(User("ann"), Document("ann", locked=True))


def test_locked():
    document = Document("ann", locked=True, editors={"bob"})
    assert not can_edit(User("ann"), document)
    assert not can_edit(User("bob"), document)
    assert can_delete(User("root", "admin"), document)


def test_guests_never_edit():
    document = Document("ann", editors={"gus"})
    assert not can_edit(User("gus", "guest"), document)
    assert not can_edit(User("ann", "guest"), document)
    assert can_read(User("gus", "guest"), document)


def test_suspended():
    document = Document("ann", editors={"bob"})
    for user in (User("ann", suspended=True), User("bob", suspended=True),
                 User("root", "admin", True)):
        assert not can_edit(user, document)
        assert not can_read(user, document)
        assert not can_delete(user, document)
        assert can_read(user, Document("ann", public=True))


def test_strangers():
    document = Document("ann", public=True, editors={"bob"})
    assert not can_edit(User("cy"), document)
    assert not can_delete(User("cy"), document)


def test_editor_edits():
    assert can_edit(User("bob"), Document("ann", editors={"bob", "cy"}))
    assert can_edit(User("cy"), Document("ann", editors={"bob", "cy"}))
""",
    ),
    # ------------------------------------------------------------------ 12
    Program(
        name="review_workflow",
        code=r'''"""The life of an article from draft to publication.

    draft     --submit-->   review
    review    --approve-->  approved
    review    --reject-->   draft
    approved  --publish-->  published
    approved  --reject-->   draft
    published --retract-->  retracted
"""

TRANSITIONS = {
    ("draft", "submit"): "review",
    ("review", "approve"): "approved",
    ("review", "reject"): "draft",
    ("approved", "publish"): "published",
    ("approved", "reject"): "review",
    ("published", "retract"): "retracted",
}


class WorkflowError(Exception):
    """The action is not possible in the present state."""


class Article:
    """An article with its state and the list of states it has been in."""

    def __init__(self, title):
        self.title = title
        self.state = "draft"
        self.history = ["draft"]

    def actions(self):
        """The actions possible now, in alphabetical order."""
        return sorted(a for state, a in TRANSITIONS if state == self.state)

    def apply(self, action):
        """Do the action and return the new state.

        WorkflowError, and nothing changes, if the action is not possible.
        """
        try:
            new_state = TRANSITIONS[self.state, action]
        except KeyError:
            raise WorkflowError(f"cannot {action} in {self.state}") from None
        self.state = new_state
        self.history.append(new_state)
        return new_state

    def times_in(self, state):
        """How often the article has been in the state."""
        return self.history.count(state)

    def finished(self):
        """Whether no further action is possible."""
        return not self.actions()
''',
        wrong="""("approved", "reject"): "review",""",
        right="""("approved", "reject"): "draft",""",
        visible=r"""
def test_starts_as_draft():
    article = Article("News")
    assert article.state == "draft"
    assert article.history == ["draft"]


def test_straight_to_publication():
    article = Article("News")
    for action in ("submit", "approve", "publish"):
        article.apply(action)
    assert article.state == "published"


def test_reject_in_review():
    article = Article("News")
    article.apply("submit")
    assert article.apply("reject") == "draft"


def test_reject_after_approval():
    article = Article("News")
    article.apply("submit")
    article.apply("approve")
    article.apply("reject")
    assert article.state == "draft"


def test_impossible_action():
    with pytest.raises(WorkflowError):
        Article("News").apply("publish")


def test_actions():
    article = Article("News")
    article.apply("submit")
    assert article.actions() == ["approve", "reject"]
""",
        hidden=r"""
EXPECTED = {
    ("draft", "submit"): "review",
    ("review", "approve"): "approved",
    ("review", "reject"): "draft",
    ("approved", "publish"): "published",
    ("approved", "reject"): "draft",
    ("published", "retract"): "retracted",
}


def test_every_pair():
    states = ("draft", "review", "approved", "published", "retracted")
    actions = ("submit", "approve", "reject", "publish", "retract", "other")
    for state in states:
        for action in actions:
            article = Article("x")
            article.state = state
            if (state, action) in EXPECTED:
                assert article.apply(action) == EXPECTED[state, action]
                assert article.state == EXPECTED[state, action]
            else:
                with pytest.raises(WorkflowError):
                    article.apply(action)
                assert article.state == state


def test_history_with_rejections():
    article = Article("x")
    for action in ("submit", "reject", "submit", "approve", "reject"):
        article.apply(action)
    assert article.history == [
        "draft", "review", "draft", "review", "approved", "draft",
    ]
    assert article.times_in("draft") == 3
    assert article.times_in("published") == 0


def test_failed_action_leaves_history():
    article = Article("x")
    with pytest.raises(WorkflowError):
        article.apply("approve")
    assert article.history == ["draft"]


def test_finished():
    article = Article("x")
    for action in ("submit", "approve", "publish"):
        article.apply(action)
        assert not article.finished()
    article.apply("retract")
    assert article.finished()
    assert article.actions() == []


def test_actions_of_approved():
    article = Article("x")
    article.apply("submit")
    article.apply("approve")
    assert article.actions() == ["publish", "reject"]
    article.apply("reject")
    assert article.actions() == ["submit"]
""",
    ),
    # ------------------------------------------------------------------ 13
    Program(
        name="paginator",
        code=r'''"""Splitting of long lists into pages."""


class Paginator:
    """Pages are numbered from 1; all are full but perhaps the last one."""

    def __init__(self, items, size):
        if size < 1:
            raise ValueError("page size must be at least 1")
        self.items = list(items)
        self.size = size

    @property
    def pages(self):
        """The number of pages; there is always at least one."""
        return len(self.items) // self.size + 1

    def page(self, number):
        """The items of the page; IndexError if there is no such page."""
        if not 1 <= number <= self.pages:
            raise IndexError(f"no page {number}")
        start = (number - 1) * self.size
        return self.items[start:start + self.size]

    def has_next(self, number):
        """Whether a page follows the given one."""
        return number < self.pages

    def page_of(self, position):
        """The page that holds the item at the position (counted from 0)."""
        if not 0 <= position < len(self.items):
            raise IndexError(f"no item {position}")
        return position // self.size + 1

    def links(self, number, around=1):
        """Page numbers to show: first, last and those around number.

        A gap in the numbers is shown by one None.
        """
        wanted = {1, self.pages}
        for near in range(number - around, number + around + 1):
            if 1 <= near <= self.pages:
                wanted.add(near)
        result = []
        for current in sorted(wanted):
            if result and current - result[-1] > 1:
                result.append(None)
            result.append(current)
        return result
''',
        wrong="""return len(self.items) // self.size + 1""",
        right="""return max(1, (len(self.items) - 1) // self.size + 1)""",
        visible=r"""
def test_first_page():
    assert Paginator("abcde", 2).page(1) == ["a", "b"]


def test_last_page_is_short():
    paginator = Paginator("abcde", 2)
    assert paginator.pages == 3
    assert paginator.page(3) == ["e"]


def test_full_pages():
    paginator = Paginator(range(20), 10)
    assert paginator.pages == 2
    assert not paginator.has_next(2)


def test_empty_has_one_page():
    paginator = Paginator([], 10)
    assert paginator.pages == 1
    assert paginator.page(1) == []


def test_page_of():
    assert Paginator(range(20), 10).page_of(10) == 2


def test_links():
    assert Paginator(range(95), 10).links(5) == [1, None, 4, 5, 6, None, 10]


def test_bad_size():
    with pytest.raises(ValueError):
        Paginator([], 0)
""",
        hidden=r"""
def test_number_of_pages():
    expected = {0: 1, 1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 3, 9: 3, 10: 4}
    for count, pages in expected.items():
        assert Paginator(range(count), 3).pages == pages


def test_page_size_one():
    paginator = Paginator("abc", 1)
    assert paginator.pages == 3
    assert [paginator.page(n) for n in (1, 2, 3)] == [["a"], ["b"], ["c"]]
    with pytest.raises(IndexError):
        paginator.page(4)


def test_all_pages_together():
    for count in range(1, 14):
        paginator = Paginator(range(count), 4)
        pages = [paginator.page(n) for n in range(1, paginator.pages + 1)]
        assert sum(pages, []) == list(range(count))
        assert all(pages)


def test_no_such_page():
    paginator = Paginator(range(6), 3)
    for number in (-1, 0, 3):
        with pytest.raises(IndexError):
            paginator.page(number)


def test_has_next():
    paginator = Paginator(range(6), 3)
    assert paginator.has_next(1)
    assert not paginator.has_next(2)
    assert not Paginator([], 3).has_next(1)


def test_page_of_limits():
    paginator = Paginator(range(6), 3)
    assert [paginator.page_of(i) for i in range(6)] == [1, 1, 1, 2, 2, 2]
    for position in (-1, 6):
        with pytest.raises(IndexError):
            paginator.page_of(position)


def test_links_of_full_pages():
    assert Paginator(range(50), 10).links(1) == [1, 2, None, 5]
    assert Paginator(range(50), 10).links(3) == [1, 2, 3, 4, 5]
    assert Paginator(range(10), 10).links(1) == [1]
""",
    ),
    # ------------------------------------------------------------------ 14
    Program(
        name="rpn_calculator",
        code=r'''"""A calculator for expressions in postfix notation."""
import operator

BINARY = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "^": operator.pow,
}
UNARY = {"neg": operator.neg, "abs": abs}


class CalcError(ValueError):
    """The expression is not well formed."""


def evaluate(expression, variables=None):
    """The value of an expression such as "3 4 + 2 *".

    The tokens are separated by white space.  A token is a number, the name
    of a variable, an operator of two values (+ - * / ^; the value given
    first is the left one, so "7 2 -" is 5) or of one (neg, abs).  Too few
    or too many values and unknown names raise CalcError.
    """
    variables = variables or {}
    stack = []
    for token in expression.split():
        if token in BINARY:
            if len(stack) < 2:
                raise CalcError(f"{token} needs two values")
            last = stack.pop()
            before = stack.pop()
            stack.append(BINARY[token](last, before))
        elif token in UNARY:
            if not stack:
                raise CalcError(f"{token} needs a value")
            stack.append(UNARY[token](stack.pop()))
        elif token in variables:
            stack.append(variables[token])
        else:
            try:
                stack.append(float(token))
            except ValueError:
                raise CalcError(f"unknown token {token}") from None
    if len(stack) != 1:
        raise CalcError("there must be exactly one result")
    return stack[0]


def evaluate_all(lines, variables=None):
    """The values of several expressions; None for those not well formed."""
    results = []
    for line in lines:
        try:
            results.append(evaluate(line, variables))
        except CalcError:
            results.append(None)
    return results
''',
        wrong="""(last, before)""",
        right="""(before, last)""",
        visible=r"""
def test_sum_and_product():
    assert evaluate("3 4 + 2 *") == 14


def test_difference():
    assert evaluate("7 2 -") == 5


def test_unary():
    assert evaluate("5 neg abs") == 5


def test_variables():
    assert evaluate("x y *", {"x": 6, "y": 7}) == 42


def test_too_few_values():
    with pytest.raises(CalcError):
        evaluate("1 +")


def test_lines():
    assert evaluate_all(["1 1 +", "1 1", "boo"]) == [2, None, None]
""",
        hidden=r"""
def test_quotient_and_power():
    assert evaluate("1 4 /") == 0.25
    assert evaluate("2 10 ^") == 1024
    assert evaluate("10 2 ^") == 100


def test_nested():
    assert evaluate("10 2 3 + - 4 8 / *") == 2.5
    assert evaluate("5 1 2 + 4 * + 3 -") == 14


def test_commutative():
    assert evaluate("2 3 +") == evaluate("3 2 +") == 5
    assert evaluate("2 3 *") == evaluate("3 2 *") == 6


def test_variable_on_either_side():
    assert evaluate("x 1 -", {"x": 10}) == 9
    assert evaluate("1 x -", {"x": 10}) == -9


def test_malformed():
    for text in ("", "+", "1 2", "neg", "1 2 + +", "a", "1 2 3 -"):
        with pytest.raises(CalcError):
            evaluate(text)


def test_single_values():
    assert evaluate("-2.5") == -2.5
    assert evaluate("  n ", {"n": 3}) == 3


def test_all_with_variables():
    lines = ["n 1 -", "n 2 /", "n -"]
    assert evaluate_all(lines, {"n": 8}) == [7, 4, None]
    assert evaluate_all([]) == []
""",
    ),
    # ------------------------------------------------------------------ 15
    Program(
        name="stock_changes",
        code=r'''"""Comparing two counts of a stock (dicts from item to number)."""


def count_items(lines):
    """Count the items of lines such as "apple" or "apple x3".

    Empty lines are skipped.
    """
    counts = {}
    for line in lines:
        words = line.split()
        if not words:
            continue
        number = 1
        if len(words) > 1 and words[-1].startswith("x"):
            number = int(words.pop()[1:])
        name = " ".join(words)
        counts[name] = counts.get(name, 0) + number
    return counts


def changes(old, new):
    """By how much the number of each item has changed.

    An item that is missing in one of the counts has the number 0 there.
    Items whose number is the same in both are left out.
    """
    result = {}
    for name in old.keys() | new.keys():
        difference = new[name] - old.get(name, 0)
        if difference:
            result[name] = difference
    return result


def report(old, new):
    """Lines such as "+3 apple" and "-1 pear", ordered by item."""
    return [
        f"{difference:+d} {name}"
        for name, difference in sorted(changes(old, new).items())
    ]


def apply_changes(counts, difference):
    """A new count after the changes; items that fall to 0 are left out."""
    result = dict(counts)
    for name, number in difference.items():
        result[name] = result.get(name, 0) + number
    return {name: number for name, number in result.items() if number}
''',
        wrong="""new[name] - old.get(name, 0)""",
        right="""new.get(name, 0) - old.get(name, 0)""",
        visible=r"""
def test_count_items():
    assert count_items(["apple", "", "pear x3", "apple x2"]) == {
        "apple": 3,
        "pear": 3,
    }


def test_more_and_less():
    old = {"apple": 3, "pear": 2}
    new = {"apple": 5, "pear": 1}
    assert changes(old, new) == {"apple": 2, "pear": -1}


def test_new_item():
    assert changes({}, {"fig": 4}) == {"fig": 4}


def test_item_sold_out():
    assert changes({"fig": 4, "pear": 1}, {"pear": 1}) == {"fig": -4}


def test_report():
    assert report({"b": 1, "a": 1}, {"b": 3, "a": 0}) == ["-1 a", "+2 b"]


def test_apply():
    assert apply_changes({"a": 1, "b": 2}, {"a": -1, "c": 3}) == {
        "b": 2,
        "c": 3,
    }
""",
        hidden=r"""
def test_everything_gone():
    assert changes({"a": 1, "b": 2}, {}) == {"a": -1, "b": -2}


def test_zero_and_missing_are_the_same():
    assert changes({"a": 0}, {}) == {}
    assert changes({}, {"a": 0}) == {}


def test_both_kinds():
    old = {"a": 1, "b": 5}
    new = {"b": 5, "c": 2}
    assert changes(old, new) == {"a": -1, "c": 2}


def test_report_of_missing_items():
    assert report({"pear": 2, "apple": 1}, {"fig": 1}) == [
        "-1 apple",
        "+1 fig",
        "-2 pear",
    ]
    assert report({}, {}) == []


def test_apply_undoes_the_difference():
    old = {"a": 1, "b": 5, "d": 9}
    new = {"b": 4, "c": 2}
    assert apply_changes(old, changes(old, new)) == new
    assert apply_changes(new, changes(new, old)) == old


def test_arguments_unchanged():
    old, new = {"a": 1}, {"b": 2}
    changes(old, new)
    assert (old, new) == ({"a": 1}, {"b": 2})


def test_names_of_several_words():
    assert count_items(["red apple x2", "red apple", "box"]) == {
        "red apple": 3,
        "box": 1,
    }
""",
    ),
    # ------------------------------------------------------------------ 16
    Program(
        name="line_editor",
        code=r'''"""A line editor with undo and redo."""


class Editor:
    """A list of lines; every change can be undone and redone.

    A new change forgets what could have been redone.
    """

    def __init__(self, lines=()):
        self.lines = list(lines)
        self._undo = []
        self._redo = []

    def _remember(self):
        self._undo.append(self.lines)
        self._redo.clear()

    def insert(self, position, text):
        """Insert a line before the position; ValueError if out of range."""
        if not 0 <= position <= len(self.lines):
            raise ValueError("no such position")
        self._remember()
        self.lines.insert(position, text)

    def append(self, text):
        """Add a line at the end."""
        self.insert(len(self.lines), text)

    def delete(self, position):
        """Delete the line at the position; ValueError if out of range."""
        if not 0 <= position < len(self.lines):
            raise ValueError("no such line")
        self._remember()
        del self.lines[position]

    def replace(self, old, new):
        """Replace a piece of text in all lines, as a single change."""
        self._remember()
        self.lines = [line.replace(old, new) for line in self.lines]

    def undo(self):
        """Take back the last change; False if there is none."""
        if not self._undo:
            return False
        self._redo.append(self.lines)
        self.lines = self._undo.pop()
        return True

    def redo(self):
        """Do the change again that was undone last; False if none."""
        if not self._redo:
            return False
        self._undo.append(self.lines)
        self.lines = self._redo.pop()
        return True

    def text(self):
        return "\n".join(self.lines)
''',
        wrong="""        self._undo.append(self.lines)
        self._redo.clear()
""",
        right="""        self._undo.append(self.lines.copy())
        self._redo.clear()
""",
        visible=r"""
def test_append_and_insert():
    editor = Editor(["b"])
    editor.append("c")
    editor.insert(0, "a")
    assert editor.text() == "a\nb\nc"


def test_undo_insert():
    editor = Editor(["a"])
    editor.append("b")
    assert editor.undo()
    assert editor.text() == "a"


def test_undo_replace_and_redo():
    editor = Editor(["cat", "catfish"])
    editor.replace("cat", "dog")
    assert editor.text() == "dog\ndogfish"
    editor.undo()
    assert editor.text() == "cat\ncatfish"
    editor.redo()
    assert editor.text() == "dog\ndogfish"


def test_nothing_to_undo():
    assert not Editor().undo()
    assert not Editor().redo()


def test_delete_out_of_range():
    with pytest.raises(ValueError):
        Editor(["a"]).delete(1)
""",
        hidden=r"""
def test_undo_everything_step_by_step():
    editor = Editor()
    for text in "abc":
        editor.append(text)
    seen = []
    while editor.undo():
        seen.append(editor.text())
    assert seen == ["a\nb", "a", ""]


def test_redo_everything():
    editor = Editor(["x"])
    editor.append("y")
    editor.delete(0)
    editor.undo()
    editor.undo()
    assert editor.lines == ["x"]
    assert editor.redo() and editor.lines == ["x", "y"]
    assert editor.redo() and editor.lines == ["y"]
    assert not editor.redo()


def test_undo_delete():
    editor = Editor(["a", "b", "c"])
    editor.delete(1)
    assert editor.lines == ["a", "c"]
    editor.undo()
    assert editor.lines == ["a", "b", "c"]


def test_new_change_forgets_redo():
    editor = Editor(["a"])
    editor.append("b")
    editor.undo()
    editor.append("c")
    assert not editor.redo()
    assert editor.lines == ["a", "c"]
    editor.undo()
    assert editor.lines == ["a"]


def test_mixed_changes():
    editor = Editor(["one"])
    editor.append("two")
    editor.replace("o", "0")
    editor.insert(0, "zero")
    editor.undo()
    assert editor.lines == ["0ne", "tw0"]
    editor.undo()
    assert editor.lines == ["one", "two"]
    editor.undo()
    assert editor.lines == ["one"]
    for _ in range(3):
        assert editor.redo()
    assert editor.lines == ["zero", "0ne", "tw0"]


def test_failed_change_is_not_remembered():
    editor = Editor(["a"])
    for call in (lambda: editor.insert(5, "x"), lambda: editor.insert(-1, "x"),
                 lambda: editor.delete(-1)):
        with pytest.raises(ValueError):
            call()
    assert not editor.undo()


def test_given_list_is_not_changed():
    lines = ["a"]
    editor = Editor(lines)
    editor.append("b")
    assert lines == ["a"]
""",
    ),
    # ------------------------------------------------------------------ 17
    Program(
        name="due_dates",
        code=r'''"""Due dates of regular payments."""
from calendar import monthrange
from datetime import date, timedelta


def add_months(day, months):
    """The same day of the month, months later (or earlier if negative).

    If that month is too short, its last day.
    """
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def monthly_dates(first, count):
    """The first count due dates of a monthly payment.

    All are on the same day of the month as the first one; in months that
    are too short, on the last day of the month.
    """
    dates = [first]
    for number in range(1, count):
        dates.append(add_months(dates[-1], 1))
    return dates[:count]


def next_workday(day):
    """The day itself, or the Monday after if it is on a weekend."""
    if day.weekday() >= 5:
        return day + timedelta(days=7 - day.weekday())
    return day


def overdue(dates, paid, today):
    """The due dates before today that are not in paid, in order."""
    return sorted(day for day in dates if day < today and day not in paid)


def days_left(dates, today):
    """Days until the next due date (0 if it is today), None if none."""
    coming = [day for day in dates if day >= today]
    if not coming:
        return None
    return (min(coming) - today).days
''',
        wrong="""add_months(dates[-1], 1)""",
        right="""add_months(first, number)""",
        visible=r"""
def test_add_months():
    assert add_months(date(2023, 11, 15), 3) == date(2024, 2, 15)


def test_add_months_short_month():
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)


def test_monthly_over_new_year():
    assert monthly_dates(date(2023, 11, 5), 3) == [
        date(2023, 11, 5),
        date(2023, 12, 5),
        date(2024, 1, 5),
    ]


def test_monthly_end_of_month():
    assert monthly_dates(date(2023, 1, 31), 4) == [
        date(2023, 1, 31),
        date(2023, 2, 28),
        date(2023, 3, 31),
        date(2023, 4, 30),
    ]


def test_next_workday():
    assert next_workday(date(2024, 6, 1)) == date(2024, 6, 3)
    assert next_workday(date(2024, 6, 4)) == date(2024, 6, 4)


def test_days_left():
    dates = monthly_dates(date(2024, 1, 10), 3)
    assert days_left(dates, date(2024, 2, 1)) == 9
""",
        hidden=r"""
def test_thirtieth_over_february():
    assert monthly_dates(date(2023, 12, 30), 4) == [
        date(2023, 12, 30),
        date(2024, 1, 30),
        date(2024, 2, 29),
        date(2024, 3, 30),
    ]


def test_a_year_of_last_days():
    days = [day.day for day in monthly_dates(date(2023, 1, 31), 12)]
    assert days == [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def test_counts():
    assert monthly_dates(date(2024, 5, 31), 0) == []
    assert monthly_dates(date(2024, 5, 31), 1) == [date(2024, 5, 31)]
    assert len(monthly_dates(date(2024, 5, 3), 30)) == 30


def test_ordinary_days():
    dates = monthly_dates(date(2022, 3, 1), 25)
    assert dates[-1] == date(2024, 3, 1)
    assert all(day.day == 1 for day in dates)


def test_negative_months():
    assert add_months(date(2024, 3, 31), -1) == date(2024, 2, 29)
    assert add_months(date(2024, 1, 1), -1) == date(2023, 12, 1)
    assert add_months(date(2024, 1, 1), 0) == date(2024, 1, 1)


def test_overdue():
    dates = monthly_dates(date(2024, 1, 31), 4)
    paid = {date(2024, 1, 31)}
    assert overdue(dates, paid, date(2024, 3, 31)) == [date(2024, 2, 29)]
    assert overdue(dates, paid, date(2024, 4, 1)) == [
        date(2024, 2, 29),
        date(2024, 3, 31),
    ]


def test_days_left_limits():
    dates = monthly_dates(date(2024, 1, 31), 3)
    assert days_left(dates, date(2024, 3, 1)) == 30
    assert days_left(dates, date(2024, 3, 31)) == 0
    assert days_left(dates, date(2024, 4, 1)) is None


def test_workday_of_sunday():
    assert next_workday(date(2024, 6, 2)) == date(2024, 6, 3)
    assert next_workday(date(2024, 5, 31)) == date(2024, 5, 31)
""",
    ),
    # ------------------------------------------------------------------ 18
    Program(
        name="bank",
        code=r'''"""Accounts with a journal of their movements (amounts in cents)."""


class InsufficientFunds(Exception):
    """The balance is too small for the amount."""


class Account:
    """The journal is a list of (text, amount); the balance is their sum."""

    def __init__(self, owner):
        self.owner = owner
        self.balance = 0
        self.journal = []

    def deposit(self, amount, text="deposit"):
        """Add an amount; ValueError if it is not positive."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self.journal.append((text, amount))

    def withdraw(self, amount, text="withdrawal"):
        """Take an amount; the journal shows it as a negative one.

        ValueError if it is not positive, InsufficientFunds if it is more
        than the balance; then nothing changes.
        """
        if amount <= 0:
            raise ValueError("amount must be positive")
        if amount > self.balance:
            raise InsufficientFunds(self.owner)
        self.balance -= amount
        self.journal.append((text, -amount))

    def statement(self):
        """Lines with text, amount and balance after it, oldest first."""
        lines = []
        balance = 0
        for text, amount in self.journal:
            balance += amount
            lines.append(f"{text}: {amount:+d} = {balance}")
        return lines


def transfer(source, target, amount, fee=0):
    """Move the amount from source to target; source also pays the fee.

    The source journal gets the entries "to <owner>" and, if there is a fee,
    "fee"; the target journal gets "from <owner>".  If the source cannot pay
    both, InsufficientFunds is raised and nothing changes.
    """
    if amount + fee > source.balance:
        raise InsufficientFunds(source.owner)
    source.withdraw(amount, f"to {target.owner}")
    target.deposit(amount, f"from {source.owner}")
    if fee:
        target.withdraw(fee, "fee")
''',
        wrong="""target.withdraw(fee, "fee")""",
        right="""source.withdraw(fee, "fee")""",
        visible=r"""
def make(balance, owner="ann"):
    account = Account(owner)
    if balance:
        account.deposit(balance)
    return account


def test_deposit_and_withdraw():
    account = make(100)
    account.withdraw(30)
    assert account.balance == 70


def test_withdraw_too_much():
    account = make(100)
    with pytest.raises(InsufficientFunds):
        account.withdraw(101)
    assert account.balance == 100


def test_statement():
    account = make(100)
    account.withdraw(30, "rent")
    assert account.statement() == ["deposit: +100 = 100", "rent: -30 = 70"]


def test_transfer():
    ann, bob = make(100), make(0, "bob")
    transfer(ann, bob, 60)
    assert (ann.balance, bob.balance) == (40, 60)


def test_transfer_with_fee():
    ann, bob = make(100), make(10, "bob")
    transfer(ann, bob, 60, fee=5)
    assert (ann.balance, bob.balance) == (35, 70)


def test_transfer_without_money():
    ann, bob = make(100), make(0, "bob")
    with pytest.raises(InsufficientFunds):
        transfer(ann, bob, 98, fee=5)
    assert (ann.balance, bob.balance) == (100, 0)
""",
        hidden=r"""
def make(balance, owner="ann"):
    account = Account(owner)
    if balance:
        account.deposit(balance)
    return account


def test_journals():
    ann, bob = make(100), make(0, "bob")
    transfer(ann, bob, 60, 5)
    assert sorted(ann.journal) == [
        ("deposit", 100), ("fee", -5), ("to bob", -60),
    ]
    assert bob.journal == [("from ann", 60)]


def test_fee_larger_than_amount():
    ann, bob = make(100), make(0, "bob")
    transfer(ann, bob, 1, 50)
    assert (ann.balance, bob.balance) == (49, 1)


def test_everything():
    ann, bob = make(100), make(7, "bob")
    transfer(ann, bob, 90, 10)
    assert (ann.balance, bob.balance) == (0, 97)


def test_no_fee_no_entry():
    ann, bob = make(100), make(0, "bob")
    transfer(ann, bob, 100)
    assert ann.journal == [("deposit", 100), ("to bob", -100)]
    assert bob.journal == [("from ann", 100)]


def test_failed_transfer_changes_nothing():
    ann, bob = make(100), make(0, "bob")
    with pytest.raises(InsufficientFunds):
        transfer(ann, bob, 100, 1)
    assert ann.journal == [("deposit", 100)]
    assert bob.journal == []


def test_bad_amounts():
    account = make(10)
    for amount in (0, -5):
        with pytest.raises(ValueError):
            account.deposit(amount)
        with pytest.raises(ValueError):
            account.withdraw(amount)
    assert account.journal == [("deposit", 10)]


def test_statement_after_fee():
    ann, bob = make(100), make(0, "bob")
    transfer(ann, bob, 60, 5)
    assert ann.statement()[-1].endswith("= 35")
    assert bob.statement() == ["from ann: +60 = 60"]
""",
    ),
    # ------------------------------------------------------------------ 19
    Program(
        name="query_strings",
        code=r'''"""Reading and writing of the query part of web addresses."""
from urllib.parse import quote_plus, unquote_plus


def parse_query(query, keep_blank=True):
    """Return a dict from names to lists of values.

    A leading "?" is ignored.  The pairs are separated by "&"; names and
    values are decoded ("+" is a space, "%41" is "A").  Pairs with an empty
    value, or without "=", are left out, unless keep_blank is given as true:
    then they have the value "".  Empty pairs are always left out.
    """
    if query.startswith("?"):
        query = query[1:]
    result = {}
    for pair in query.split("&"):
        if not pair:
            continue
        name, _, value = pair.partition("=")
        if value or keep_blank:
            values = result.setdefault(unquote_plus(name), [])
            values.append(unquote_plus(value))
    return result


def build_query(values):
    """The query text of a dict from names to lists of values.

    The names are in alphabetical order, the values in the given order.
    """
    return "&".join(
        f"{quote_plus(name)}={quote_plus(value)}"
        for name in sorted(values)
        for value in values[name]
    )


def first(values, name, default=None):
    """The first value of the name, or default if there is none."""
    found = values.get(name)
    return found[0] if found else default


def without(query, *names):
    """The query text without the given names (and without empty values)."""
    values = parse_query(query)
    for name in names:
        values.pop(name, None)
    return build_query(values)
''',
        wrong="""keep_blank=True""",
        right="""keep_blank=False""",
        visible=r"""
def test_simple():
    assert parse_query("a=1&b=2&a=3") == {"a": ["1", "3"], "b": ["2"]}


def test_decoding():
    assert parse_query("?full+name=Ann%20Lee") == {"full name": ["Ann Lee"]}


def test_blank_values():
    assert parse_query("a=&b=1&c") == {"b": ["1"]}


def test_blank_values_kept():
    assert parse_query("a=&c", keep_blank=True) == {"a": [""], "c": [""]}


def test_build():
    assert build_query({"b": ["x y"], "a": ["1", "2"]}) == "a=1&a=2&b=x+y"


def test_first():
    assert first({"a": ["1", "2"]}, "a") == "1"
    assert first({}, "a", "none") == "none"
""",
        hidden=r"""
def test_only_blank():
    assert parse_query("a=") == {}
    assert parse_query("a") == {}
    assert parse_query("") == {}
    assert parse_query("?") == {}


def test_some_values_blank():
    assert parse_query("a=&a=1&a") == {"a": ["1"]}
    assert parse_query("a=&a=1&a", True) == {"a": ["", "1", ""]}
    assert parse_query("a=&b=2", False) == {"b": ["2"]}


def test_empty_pairs():
    assert parse_query("&&a=1&", True) == {"a": ["1"]}
    assert parse_query("&&a=1&") == {"a": ["1"]}


def test_equal_sign_in_value():
    assert parse_query("eq=a=b") == {"eq": ["a=b"]}


def test_without():
    assert without("?b=2&a=1&c=&d", "b") == "a=1"
    assert without("b=2&a=1", "x") == "a=1&b=2"
    assert without("b=2&a=1", "a", "b") == ""


def test_first_of_blank():
    assert first(parse_query("a=&b=1"), "a", "x") == "x"
    assert first(parse_query("a=&b=1", keep_blank=True), "a", "x") == ""


def test_round_trip():
    values = {"a&b": ["x=y", "100%"], "c d": ["e+f"]}
    assert parse_query(build_query(values)) == values
""",
    ),
    # ------------------------------------------------------------------ 20
    Program(
        name="rate_limiter",
        code=r'''"""Limits on how often clients may call."""
from collections import deque


class RateLimiter:
    """Allows each client at most limit calls within any period seconds.

    A call at time t no longer counts at time t + period or later.  Times
    are given in seconds and never decrease.  Calls that are not allowed do
    not count.
    """

    def __init__(self, limit, period):
        if limit < 1 or period <= 0:
            raise ValueError("limit and period must be positive")
        self.limit = limit
        self.period = period
        self._calls = {}

    def _recent(self, client, now):
        calls = self._calls.setdefault(client, deque())
        while calls and now - calls[-1] >= self.period:
            calls.popleft()
        return calls

    def allow(self, client, now):
        """Whether the client may call now; if so the call is counted."""
        calls = self._recent(client, now)
        if len(calls) >= self.limit:
            return False
        calls.append(now)
        return True

    def remaining(self, client, now):
        """How many calls the client may still make now."""
        return self.limit - len(self._recent(client, now))

    def wait_time(self, client, now):
        """How many seconds until the client may call; 0 if it may now."""
        calls = self._recent(client, now)
        if len(calls) < self.limit:
            return 0
        return calls[0] + self.period - now

    def reset(self, client):
        """Forget all calls of the client."""
        self._calls.pop(client, None)
''',
        wrong="""now - calls[-1] >= self.period""",
        right="""now - calls[0] >= self.period""",
        visible=r"""
def test_limit_is_kept():
    limiter = RateLimiter(2, 10)
    assert limiter.allow("ann", 0)
    assert limiter.allow("ann", 1)
    assert not limiter.allow("ann", 2)


def test_clients_are_separate():
    limiter = RateLimiter(1, 10)
    assert limiter.allow("ann", 0)
    assert limiter.allow("bob", 0)


def test_allowed_again_after_the_period():
    limiter = RateLimiter(1, 10)
    assert limiter.allow("ann", 0)
    assert limiter.allow("ann", 10)


def test_window_slides():
    limiter = RateLimiter(2, 10)
    limiter.allow("ann", 0)
    limiter.allow("ann", 6)
    assert limiter.allow("ann", 11)
    assert not limiter.allow("ann", 12)


def test_wait_time():
    limiter = RateLimiter(2, 10)
    limiter.allow("ann", 0)
    limiter.allow("ann", 4)
    assert limiter.wait_time("ann", 7) == 3


def test_bad_limit():
    with pytest.raises(ValueError):
        RateLimiter(0, 10)
""",
        hidden=r"""
def test_remaining_slides():
    limiter = RateLimiter(3, 10)
    for now in (0, 3, 6):
        assert limiter.allow("a", now)
    seen = [limiter.remaining("a", now) for now in (6, 9, 10, 13, 15, 16)]
    assert seen == [0, 0, 1, 2, 2, 3]


def test_long_run():
    limiter = RateLimiter(3, 10)
    allowed = [now for now in range(26) if limiter.allow("a", now)]
    assert allowed == [0, 1, 2, 10, 11, 12, 20, 21, 22]


def test_exact_limit_of_period():
    limiter = RateLimiter(2, 5)
    limiter.allow("a", 0)
    limiter.allow("a", 2)
    assert not limiter.allow("a", 4)
    assert limiter.allow("a", 5)
    assert not limiter.allow("a", 6)
    assert limiter.allow("a", 7)


def test_wait_time_after_first_has_gone():
    limiter = RateLimiter(2, 10)
    limiter.allow("a", 0)
    limiter.allow("a", 8)
    assert limiter.wait_time("a", 9) == 1
    assert limiter.wait_time("a", 10) == 0
    limiter.allow("a", 10)
    assert limiter.wait_time("a", 11) == 7


def test_refused_calls_do_not_count():
    limiter = RateLimiter(1, 10)
    limiter.allow("a", 0)
    for now in range(1, 10):
        assert not limiter.allow("a", now)
    assert limiter.allow("a", 10)


def test_reset_and_unknown():
    limiter = RateLimiter(1, 10)
    limiter.allow("a", 0)
    limiter.reset("a")
    limiter.reset("nobody")
    assert limiter.allow("a", 1)
    assert limiter.remaining("nobody", 1) == 1
    assert limiter.wait_time("nobody", 1) == 0


def test_bad_period():
    for limit, period in ((-1, 1), (1, 0), (1, -2)):
        with pytest.raises(ValueError):
            RateLimiter(limit, period)
""",
    ),
    # ------------------------------------------------------------------ 21
    Program(
        name="log_entries",
        code=r'''"""Reading of log files whose entries may span several lines."""
from dataclasses import dataclass

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


@dataclass
class Entry:
    level: str
    message: str


def parse_line(line):
    """An Entry for a line such as "ERROR: disk full", otherwise None."""
    level, colon, message = line.partition(":")
    if colon and level in LEVELS:
        return Entry(level, message.strip())
    return None


def read_log(text):
    """The list of entries of the text, in their order.

    A line that is not the beginning of an entry continues the message of
    the entry before, joined by a newline and without white space at its
    ends.  Such lines before the first entry, and empty lines anywhere, are
    ignored.
    """
    entries = []
    current = None
    for line in text.splitlines():
        if not line.strip():
            continue
        entry = parse_line(line)
        if entry is not None:
            if current is not None:
                entries.append(current)
            current = entry
        elif current is not None:
            current.message += "\n" + line.strip()
    return entries


def at_least(entries, level):
    """The entries of this level or a more serious one."""
    least = LEVELS.index(level)
    return [e for e in entries if LEVELS.index(e.level) >= least]


def summary(entries):
    """The number of entries of each level, 0 included."""
    return {
        level: sum(entry.level == level for entry in entries)
        for level in LEVELS
    }
''',
        wrong="""            current.message += "\\n" + line.strip()
""",
        right="""            current.message += "\\n" + line.strip()
    if current is not None:
        entries.append(current)
""",
        visible=r"""
def test_parse_line():
    assert parse_line("INFO: started") == Entry("INFO", "started")
    assert parse_line("  at line 5") is None


def test_two_entries():
    assert read_log("INFO: a\nERROR: b\n") == [
        Entry("INFO", "a"),
        Entry("ERROR", "b"),
    ]


def test_continued_entry():
    entries = read_log("ERROR: failed\n  at x\n  at y\nINFO: next\n")
    assert entries[0] == Entry("ERROR", "failed\nat x\nat y")


def test_empty():
    assert read_log("\n\n") == []


def test_at_least():
    entries = [Entry("INFO", "a"), Entry("ERROR", "b"), Entry("DEBUG", "c")]
    assert at_least(entries, "INFO") == entries[:2]


def test_summary():
    counts = summary([Entry("INFO", "a"), Entry("INFO", "b")])
    assert counts == {"DEBUG": 0, "INFO": 2, "WARNING": 0, "ERROR": 0}
""",
        hidden=r"""
def test_single_entry():
    assert read_log("WARNING: hot") == [Entry("WARNING", "hot")]


def test_last_entry_continued():
    assert read_log("INFO: a\nDEBUG: b\n more\n\n end ") == [
        Entry("INFO", "a"),
        Entry("DEBUG", "b\nmore\nend"),
    ]


def test_lines_before_first_entry():
    assert read_log("header\nNOTE: x\nINFO: a: b") == [Entry("INFO", "a: b")]


def test_no_entries():
    assert read_log("") == []
    assert read_log("just\nwords") == []


def test_same_entry_twice():
    assert read_log("INFO: a\nINFO: a\nINFO: a") == [Entry("INFO", "a")] * 3


def test_summary_of_log():
    log = "INFO: a\nERROR: b\n x\nERROR: c\nDEBUG: d"
    assert summary(read_log(log)) == {
        "DEBUG": 1, "INFO": 1, "WARNING": 0, "ERROR": 2,
    }
    assert [e.message for e in at_least(read_log(log), "WARNING")] == [
        "b\nx", "c",
    ]
""",
    ),
    # ------------------------------------------------------------------ 22
    Program(
        name="expenses",
        code=r'''"""Summaries of expenses by category."""
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True)
class Expense:
    category: str
    amount: int
    note: str = ""


def by_category(expense):
    return expense.category


def totals(expenses):
    """A dict from each category to the sum of its amounts."""
    return {
        category: sum(expense.amount for expense in group)
        for category, group in groupby(expenses, by_category)
    }


def top_category(expenses):
    """The category with the highest total, None without expenses.

    Of several with the same total, the first in alphabetical order.
    """
    sums = totals(expenses)
    if not sums:
        return None
    return min(sums, key=lambda category: (-sums[category], category))


def over_budget(expenses, budget):
    """By how much each category is over its budget (a dict).

    Categories without a budget are not limited; categories within theirs
    are left out.
    """
    result = {}
    for category, total in totals(expenses).items():
        if category in budget and total > budget[category]:
            result[category] = total - budget[category]
    return result


def table(expenses):
    """Lines of category and total in two columns, ordered by category."""
    sums = totals(expenses)
    width = max((len(category) for category in sums), default=0)
    return [f"{c.ljust(width)} {sums[c]:>6}" for c in sorted(sums)]
''',
        wrong="""groupby(expenses, by_category)""",
        right="""groupby(sorted(expenses, key=by_category), by_category)""",
        visible=r"""
def test_empty():
    assert totals([]) == {}
    assert top_category([]) is None


def test_one_category():
    assert totals([Expense("food", 5), Expense("food", 7)]) == {"food": 12}


def test_several_categories():
    expenses = [
        Expense("food", 5),
        Expense("rent", 100),
        Expense("food", 7, "lunch"),
    ]
    assert totals(expenses) == {"food": 12, "rent": 100}


def test_top():
    assert top_category([Expense("a", 1), Expense("b", 2)]) == "b"


def test_over_budget():
    expenses = [Expense("a", 10), Expense("b", 10), Expense("c", 10)]
    assert over_budget(expenses, {"a": 4, "b": 10}) == {"a": 6}


def test_table():
    assert table([Expense("rent", 100), Expense("tv", 20)]) == [
        "rent    100",
        "tv       20",
    ]
""",
        hidden=r"""
def test_mixed_order():
    expenses = [Expense("abc"[i % 3], 10 ** (i // 3)) for i in range(9)]
    assert totals(expenses) == {"a": 111, "b": 111, "c": 111}


def test_top_of_scattered():
    expenses = [Expense("b", 6), Expense("a", 10), Expense("b", 5)]
    assert top_category(expenses) == "b"


def test_top_tie():
    expenses = [Expense("z", 2), Expense("y", 4), Expense("z", 2)]
    assert top_category(expenses) == "y"


def test_over_budget_scattered():
    expenses = [Expense("a", 3), Expense("b", 9), Expense("a", 3)]
    assert over_budget(expenses, {"a": 5, "b": 9}) == {"a": 1}
    assert over_budget(expenses, {}) == {}


def test_table_scattered():
    expenses = [Expense("b", 1), Expense("aa", 2), Expense("b", 4)]
    assert table(expenses) == ["aa      2", "b       5"]
    assert table([]) == []


def test_expenses_not_changed():
    expenses = [Expense("b", 1), Expense("a", 2), Expense("b", 4)]
    before = list(expenses)
    totals(expenses)
    assert expenses == before


def test_tuple_of_expenses():
    assert totals((Expense("b", 1), Expense("a", 2), Expense("b", -1))) == {
        "a": 2,
        "b": 0,
    }
""",
    ),
    # ------------------------------------------------------------------ 23
    Program(
        name="brackets",
        code=r'''"""Checks of brackets in program text."""

PAIRS = {")": "(", "]": "[", "}": "{"}


def strip_strings(text):
    """The text without string literals in double quotes.

    A quote after a backslash does not end the literal.  A literal that is
    not closed goes to the end of the text.
    """
    result = []
    inside = False
    skip = False
    for char in text:
        if skip:
            skip = False
        elif inside and char == "\\":
            skip = True
        elif char == '"':
            inside = not inside
        elif not inside:
            result.append(char)
    return "".join(result)


def balanced(text):
    """Whether every bracket has its partner, properly nested.

    Brackets in string literals do not count, nor do other characters.
    """
    stack = []
    for char in strip_strings(text):
        if char in PAIRS.values():
            stack.append(char)
        elif char in PAIRS:
            if not stack or stack.pop() != PAIRS[char]:
                return False
    return True


def depth(text):
    """How deep the brackets are nested; ValueError if not balanced."""
    if not balanced(text):
        raise ValueError("brackets not balanced")
    level = deepest = 0
    for char in strip_strings(text):
        if char in PAIRS.values():
            level += 1
            deepest = max(deepest, level)
        elif char in PAIRS:
            level -= 1
    return deepest


def bad_lines(text):
    """The numbers (from 1) of the lines that are not balanced alone."""
    lines = enumerate(text.splitlines(), start=1)
    return [number for number, line in lines if not balanced(line)]
''',
        wrong="""                return False
    return True
""",
        right="""                return False
    return not stack
""",
        visible=r"""
def test_balanced():
    assert balanced("f(a[1], {2})")


def test_wrong_order():
    assert not balanced("([)]")


def test_closing_too_much():
    assert not balanced("a)")


def test_not_closed():
    assert not balanced("f(a[1]")


def test_strings_do_not_count():
    assert balanced('f("(")')


def test_depth():
    assert depth("a(b[c]{d})(e)") == 2
    assert depth("nothing") == 0


def test_bad_lines():
    assert bad_lines("ok()\n)\n[]\n(]") == [2, 4]
""",
        hidden=r"""
def test_only_opening():
    for text in ("(", "[", "{", "((", "()(", "{[]"):
        assert balanced(text) is False


def test_balanced_is_true():
    for text in ("", "no brackets", "()[]{}", "{[()()]}"):
        assert balanced(text) is True


def test_closing():
    for text in (")", "())", "(]", "}{", "[(])"):
        assert balanced(text) is False


def test_strings():
    assert balanced(r'("a\")" )')
    assert not balanced('(")"')
    assert not balanced('("never closed)')
    assert strip_strings('a "b" c') == "a  c"
    assert strip_strings(r'x"\\"y') == "xy"


def test_depth_of_unbalanced():
    for text in ("(", "(()", ")", "[)"):
        with pytest.raises(ValueError):
            depth(text)


def test_depth():
    assert depth("(((())))()") == 4
    assert depth('("[[["{})') == 2


def test_bad_lines_with_open_brackets():
    assert bad_lines("if (a) {\n  b();\n}\n") == [1, 3]
    assert bad_lines("") == []
""",
    ),
    # ------------------------------------------------------------------ 24
    Program(
        name="habit_streaks",
        code=r'''"""Streaks of days on which a habit was kept."""
from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


def parse_days(lines):
    """The dates of lines such as "2024-05-01"; empty lines are skipped."""
    return [date.fromisoformat(line.strip()) for line in lines if line.strip()]


def longest_streak(days):
    """The number of days of the longest run of consecutive dates.

    The dates may be in any order and may be given more than once; without
    dates the answer is 0.
    """
    longest = 0
    run = 0
    previous = None
    for day in sorted(set(days)):
        if previous is not None and day - previous == ONE_DAY:
            run += 1
        else:
            run = 0
        longest = max(longest, run)
        previous = day
    return longest


def current_streak(days, today):
    """The number of consecutive days up to today.

    If today is not among the dates, the run that ends yesterday counts.
    """
    kept = set(days)
    day = today if today in kept else today - ONE_DAY
    count = 0
    while day in kept:
        count += 1
        day -= ONE_DAY
    return count


def missed_days(days):
    """The dates between the first and the last one that are missing."""
    kept = set(days)
    if not kept:
        return []
    first = min(kept)
    span = (max(kept) - first).days
    every = [first + number * ONE_DAY for number in range(span)]
    return [day for day in every if day not in kept]
''',
        wrong="""        else:
            run = 0
""",
        right="""        else:
            run = 1
""",
        visible=r"""
def may(*numbers):
    return [date(2024, 5, number) for number in numbers]


def test_parse():
    assert parse_days(["2024-05-01\n", "", " 2024-05-03"]) == may(1, 3)


def test_no_days():
    assert longest_streak([]) == 0
    assert missed_days([]) == []


def test_longest():
    assert longest_streak(may(1, 2, 5, 6, 7, 9)) == 3


def test_current():
    assert current_streak(may(1, 3, 4, 5), date(2024, 5, 5)) == 3


def test_current_until_yesterday():
    assert current_streak(may(3, 4), date(2024, 5, 5)) == 2


def test_missed():
    assert missed_days(may(1, 2, 5)) == may(3, 4)
""",
        hidden=r"""
def may(*numbers):
    return [date(2024, 5, number) for number in numbers]


def test_single_day():
    assert longest_streak(may(7)) == 1


def test_days_apart():
    assert longest_streak(may(1, 3, 5, 7)) == 1


def test_any_order_and_doubles():
    assert longest_streak(may(3, 1, 2, 2, 3, 9)) == 3


def test_first_or_last_run():
    assert longest_streak(may(1, 2, 3, 4, 10, 11)) == 4
    assert longest_streak(may(1, 2, 10, 11, 12, 13, 14)) == 5


def test_over_end_of_month():
    days = [date(2024, 2, 28), date(2024, 2, 29), date(2024, 3, 1)]
    assert longest_streak(days) == 3


def test_current_none():
    assert current_streak([], date(2024, 5, 5)) == 0
    assert current_streak(may(1, 2), date(2024, 5, 5)) == 0
    assert current_streak(may(5), date(2024, 5, 5)) == 1


def test_missed_unordered():
    assert missed_days(may(6, 1, 3, 1)) == may(2, 4, 5)
    assert missed_days(may(4)) == []


def test_streak_with_generator():
    assert longest_streak(day for day in may(1, 2)) == 2
""",
    ),
)
