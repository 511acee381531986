"""Programs of ten kinds, with wrong lines like those of real fixes.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="header_multimap",
        code=r'''"""A list of headers whose names are compared without regard to case."""


class HeaderMap:
    """An ordered multimap: a name may occur several times.

    Names keep the spelling they were given with, but "Accept" and "ACCEPT"
    are the same name in every operation.
    """

    def __init__(self, items=()):
        self._items = []
        for name, value in items:
            self.add(name, value)

    def add(self, name, value):
        """Append a header, keeping those of the same name."""
        self._items.append((name, value))

    def get(self, name, default=None):
        """The first value of a name, or default."""
        wanted = name.lower()
        for key, value in self._items:
            if key.lower() == wanted:
                return value
        return default

    def get_all(self, name):
        """All values of a name, in order."""
        wanted = name.lower()
        return [value for key, value in self._items if key.lower() == wanted]

    def remove(self, name):
        """Drop all headers of a name; how many there were."""
        wanted = name.lower()
        before = len(self._items)
        self._items = [item for item in self._items if item[0].lower() != wanted]
        return before - len(self._items)

    def update(self, other):
        """Replace headers by those of a mapping.

        Every header whose name is in other is dropped, and then the headers
        of other are appended in their order.
        """
        incoming = {name.lower() for name in other}
        self._items = [item for item in self._items if item[0] not in incoming]
        for name, value in other.items():
            self.add(name, value)

    def __contains__(self, name):
        return any(key.lower() == name.lower() for key, _ in self._items)

    def __len__(self):
        return len(self._items)

    def items(self):
        """The pairs of name and value, in order."""
        return list(self._items)
''',
        wrong="if item[0] not in incoming]",
        right="if item[0].lower() not in incoming]",
        visible="""
def test_get_ignores_case():
    headers = HeaderMap([("Accept", "a"), ("Host", "b")])
    assert headers.get("ACCEPT") == "a"
    assert "host" in headers


def test_get_all():
    headers = HeaderMap([("Vary", "a"), ("Host", "b"), ("vary", "c")])
    assert headers.get_all("VARY") == ["a", "c"]


def test_update_replaces():
    headers = HeaderMap([("Accept", "a"), ("Host", "b")])
    headers.update({"Accept": "x"})
    assert headers.items() == [("Host", "b"), ("Accept", "x")]


def test_remove():
    headers = HeaderMap([("Vary", "a"), ("Host", "b"), ("vary", "c")])
    assert headers.remove("vary") == 2
    assert len(headers) == 1
""",
        hidden="""
def test_update_lower_case_names():
    headers = HeaderMap([("vary", "a"), ("host", "b")])
    headers.update({"vary": "c"})
    assert headers.items() == [("host", "b"), ("vary", "c")]


def test_update_other_spelling():
    headers = HeaderMap([("X-Token", "1"), ("Via", "p"), ("x-token", "2")])
    headers.update({"X-TOKEN": "3"})
    assert headers.items() == [("Via", "p"), ("X-TOKEN", "3")]


def test_update_lower_replaces_capital():
    headers = HeaderMap([("Cookie", "1")])
    headers.update({"cookie": "2"})
    assert headers.get_all("Cookie") == ["2"]


def test_update_with_new_names():
    headers = HeaderMap([("Cookie", "1")])
    headers.update({"Via": "p", "Age": "4"})
    assert headers.items() == [("Cookie", "1"), ("Via", "p"), ("Age", "4")]


def test_update_with_nothing():
    headers = HeaderMap([("Cookie", "1"), ("Via", "p")])
    headers.update({})
    assert headers.items() == [("Cookie", "1"), ("Via", "p")]


def test_add_after_update_keeps_both():
    headers = HeaderMap([("Via", "p")])
    headers.update({"VIA": "q"})
    headers.add("via", "r")
    assert headers.get_all("via") == ["q", "r"]
""",
    ),
    Program(
        name="ring_buffer",
        code=r'''"""A buffer of fixed capacity that forgets its oldest elements."""


class RingBuffer:
    """Keeps the last `capacity` elements, the oldest first."""

    def __init__(self, capacity, values=()):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._slots = [None] * capacity
        self._start = 0
        self._count = 0
        for value in values:
            self.append(value)

    def append(self, value):
        """Add an element; when full, the oldest one is dropped."""
        where = (self._start + self._count) % self.capacity
        self._slots[where] = value
        if self._count == self.capacity:
            self._start = (self._start + 1) % self.capacity
        else:
            self._count += 1

    def popleft(self):
        """Remove and return the oldest element."""
        if not self._count:
            raise IndexError("pop from an empty buffer")
        value = self._slots[self._start]
        self._slots[self._start] = None
        self._start = (self._start + 1) % self.capacity
        self._count -= 1
        return value

    def __len__(self):
        return self._count

    def __getitem__(self, index):
        """The element at index, as in a list: -1 is the newest one."""
        if index < 0:
            index += self.capacity
        if not 0 <= index < self._count:
            raise IndexError("buffer index out of range")
        return self._slots[(self._start + index) % self.capacity]

    def __iter__(self):
        for index in range(self._count):
            yield self[index]

    def last(self, count):
        """A list of the newest `count` elements (fewer if there are fewer)."""
        count = min(count, self._count)
        return [self[index] for index in range(self._count - count, self._count)]
''',
        wrong="            index += self.capacity",
        right="            index += self._count",
        visible="""
def test_drops_oldest():
    assert list(RingBuffer(3, [1, 2, 3, 4, 5])) == [3, 4, 5]


def test_negative_index_full():
    assert RingBuffer(3, "abcd")[-1] == "d"


def test_negative_index_partly_filled():
    assert RingBuffer(5, "ab")[-1] == "b"


def test_popleft():
    buffer = RingBuffer(2, [1, 2, 3])
    assert buffer.popleft() == 2
    assert len(buffer) == 1


def test_last():
    assert RingBuffer(4, range(10)).last(2) == [8, 9]
""",
        hidden="""
def test_negative_after_popleft():
    buffer = RingBuffer(3, [1, 2, 3, 4])
    buffer.popleft()
    assert buffer[-1] == 4
    assert buffer[-2] == 3


def test_all_negative_indices():
    buffer = RingBuffer(10, "wxyz")
    assert [buffer[-i] for i in (1, 2, 3, 4)] == list("zyxw")


def test_negative_out_of_range():
    buffer = RingBuffer(4, [1, 2])
    with pytest.raises(IndexError):
        buffer[-3]


def test_negative_in_empty():
    with pytest.raises(IndexError):
        RingBuffer(2)[-1]


def test_too_negative_when_full():
    with pytest.raises(IndexError):
        RingBuffer(2, [1, 2])[-3]


def test_positive_indices_wrap():
    buffer = RingBuffer(3, range(8))
    assert [buffer[0], buffer[1], buffer[2]] == [5, 6, 7]


def test_last_more_than_there_are():
    assert RingBuffer(9, "abc").last(7) == ["a", "b", "c"]
""",
    ),
    Program(
        name="range_map",
        code=r'''"""A map from half-open ranges of integers to values."""


class RangeMap:
    """Assigns values to ranges; a later assignment covers earlier ones."""

    def __init__(self):
        self._spans = []

    def set(self, start, end, value):
        """Give all numbers from start up to but not including end a value.

        What other ranges covered outside of start..end keeps its value.
        """
        if start >= end:
            raise ValueError("empty range")
        kept = []
        for low, high, old in self._spans:
            if high <= start or low >= end:
                kept.append((low, high, old))
                continue
            if low < start:
                kept.append((low, start, old))
            if high > end:
                kept.append((end, high, value))
        kept.append((start, end, value))
        self._spans = sorted(kept, key=lambda span: span[0])

    def get(self, number, default=None):
        """The value of a number."""
        for low, high, value in self._spans:
            if low <= number < high:
                return value
        return default

    def spans(self):
        """The ranges as (start, end, value), joined where the values agree."""
        joined = []
        for low, high, value in self._spans:
            if joined and joined[-1][1] == low and joined[-1][2] == value:
                joined[-1] = (joined[-1][0], high, value)
            else:
                joined.append((low, high, value))
        return joined

    def gaps(self, start, end):
        """The ranges within start..end that have no value."""
        found = []
        for low, high, _ in self._spans:
            if high <= start:
                continue
            if low >= end:
                break
            if low > start:
                found.append((start, low))
            start = max(start, high)
        if start < end:
            found.append((start, end))
        return found
''',
        wrong="kept.append((end, high, value))",
        right="kept.append((end, high, old))",
        visible="""
def test_get():
    ranges = RangeMap()
    ranges.set(0, 5, "a")
    assert ranges.get(4) == "a"
    assert ranges.get(5, "none") == "none"


def test_cover_the_end():
    ranges = RangeMap()
    ranges.set(0, 5, "a")
    ranges.set(3, 8, "b")
    assert ranges.spans() == [(0, 3, "a"), (3, 8, "b")]


def test_cover_the_middle():
    ranges = RangeMap()
    ranges.set(0, 10, "a")
    ranges.set(3, 5, "b")
    assert ranges.spans() == [(0, 3, "a"), (3, 5, "b"), (5, 10, "a")]


def test_gaps():
    ranges = RangeMap()
    ranges.set(2, 4, "a")
    ranges.set(6, 7, "b")
    assert ranges.gaps(0, 9) == [(0, 2), (4, 6), (7, 9)]
""",
        hidden="""
def test_cover_the_beginning():
    ranges = RangeMap()
    ranges.set(10, 20, "x")
    ranges.set(5, 15, "y")
    assert ranges.spans() == [(5, 15, "y"), (15, 20, "x")]


def test_value_after_the_hole():
    ranges = RangeMap()
    ranges.set(0, 100, 1)
    ranges.set(40, 50, 2)
    assert [ranges.get(n) for n in (39, 40, 49, 50, 99)] == [1, 2, 2, 1, 1]


def test_cover_several():
    ranges = RangeMap()
    ranges.set(0, 3, "a")
    ranges.set(3, 6, "b")
    ranges.set(6, 9, "c")
    ranges.set(2, 7, "d")
    assert ranges.spans() == [(0, 2, "a"), (2, 7, "d"), (7, 9, "c")]


def test_cover_whole():
    ranges = RangeMap()
    ranges.set(3, 6, "b")
    ranges.set(0, 9, "c")
    assert ranges.spans() == [(0, 9, "c")]


def test_joined():
    ranges = RangeMap()
    ranges.set(0, 3, "a")
    ranges.set(3, 6, "a")
    assert ranges.spans() == [(0, 6, "a")]


def test_empty_range():
    with pytest.raises(ValueError):
        RangeMap().set(4, 4, "a")


def test_two_holes():
    ranges = RangeMap()
    ranges.set(0, 9, "a")
    ranges.set(1, 2, "b")
    ranges.set(5, 6, "c")
    assert ranges.get(3) == "a"
    assert ranges.get(8) == "a"
""",
    ),
    Program(
        name="layered_settings",
        code=r'''"""Settings in layers: what an inner layer does not say, an outer one does."""

MISSING = object()


class Settings:
    """A stack of dictionaries; the first one that has a name gives its value."""

    def __init__(self, *layers):
        self._layers = [dict(layer) for layer in layers] or [{}]

    def __getitem__(self, name):
        for layer in self._layers:
            if name in layer:
                return layer[name]
        raise KeyError(name)

    def get(self, name, default=None):
        """The value of a name, or default when no layer has it."""
        try:
            return self[name]
        except KeyError:
            return default

    def __setitem__(self, name, value):
        """Set a name in the innermost layer."""
        self._layers[0][name] = value

    def __delitem__(self, name):
        """Remove a name from the innermost layer."""
        if self._layers[0].pop(name, MISSING) is MISSING:
            raise KeyError(name)

    def child(self, **values):
        """New settings with one more layer inside these.

        The outer layers are shared, so a later change here shows in the
        child; these settings themselves stay as they are.
        """
        inner = Settings()
        inner._layers = self._layers
        inner._layers.insert(0, values)
        return inner

    def depth(self):
        """How many layers there are."""
        return len(self._layers)

    def names(self):
        """All names, sorted."""
        return sorted({name for layer in self._layers for name in layer})

    def flat(self):
        """One dictionary with the values that count."""
        result = {}
        for layer in reversed(self._layers):
            result.update(layer)
        return result
''',
        wrong="        inner._layers = self._layers",
        right="        inner._layers = list(self._layers)",
        visible="""
def test_first_layer_counts():
    settings = Settings({"a": 1}, {"a": 2, "b": 3})
    assert settings["a"] == 1
    assert settings["b"] == 3


def test_child_sees_parent():
    child = Settings({"a": 1}).child(b=2)
    assert child.flat() == {"a": 1, "b": 2}


def test_parent_unchanged_by_child():
    parent = Settings({"a": 1})
    parent.child(a=5)
    assert parent["a"] == 1


def test_missing():
    with pytest.raises(KeyError):
        Settings()["a"]
    assert Settings().get("a", 4) == 4
""",
        hidden="""
def test_depths():
    parent = Settings({"a": 1}, {"b": 1})
    child = parent.child(c=1)
    assert (parent.depth(), child.depth()) == (2, 3)


def test_setting_in_child_stays_there():
    parent = Settings({"a": 1})
    child = parent.child()
    child["a"] = 7
    child["z"] = 8
    assert parent.flat() == {"a": 1}
    assert child.flat() == {"a": 7, "z": 8}


def test_setting_in_parent_shows_in_child():
    parent = Settings({"a": 1})
    child = parent.child(b=2)
    parent["a"] = 3
    assert child["a"] == 3


def test_new_name_in_parent_shows_in_child():
    parent = Settings({"a": 1})
    child = parent.child(b=2)
    parent["c"] = 3
    assert child.names() == ["a", "b", "c"]
    assert parent.names() == ["a", "c"]


def test_two_children_are_apart():
    parent = Settings({"a": 1})
    first = parent.child(a=2)
    second = parent.child()
    assert first["a"] == 2
    assert second["a"] == 1


def test_delete_in_child_uncovers():
    parent = Settings({"a": 1})
    child = parent.child(a=2)
    del child["a"]
    assert child["a"] == 1


def test_delete_only_innermost():
    child = Settings({"a": 1}).child(b=2)
    with pytest.raises(KeyError):
        del child["a"]
""",
    ),
    Program(
        name="outline_numbers",
        code=r'''"""Numbers for the headings of an outline."""

import re

HEADING = re.compile(r"^(#+)\s+(.*?)\s*#*$")


def headings(text):
    """The (level, title) of all lines like "## Title"; level 1 is the top."""
    found = []
    for line in text.splitlines():
        match = HEADING.match(line)
        if match:
            found.append((len(match.group(1)), match.group(2)))
    return found


def numbered(items, separator="."):
    """Pairs of number and title for (level, title) pairs.

    The numbering of a level starts again below each new heading of a level
    above. A level that was skipped counts as 1: a level 3 directly below
    heading 2 is 2.1.1.
    """
    counters = []
    result = []
    for level, title in items:
        if level < 1:
            raise ValueError(f"bad level {level}")
        if len(counters) < level:
            while len(counters) < level - 1:
                counters.append(1)
            counters.append(0)
        counters[level - 1] += 1
        del counters[level + 1:]
        result.append((separator.join(map(str, counters[:level])), title))
    return result


def contents(text, indent="  "):
    """A table of contents, one line for a heading."""
    lines = []
    for number, title in numbered(headings(text)):
        depth = number.count(".")
        lines.append(f"{indent * depth}{number} {title}")
    return "\n".join(lines)


def find(text, number):
    """The title with a number; KeyError if there is none."""
    for other, title in numbered(headings(text)):
        if other == number:
            return title
    raise KeyError(number)
''',
        wrong="        del counters[level + 1:]",
        right="        del counters[level:]",
        visible="""
def test_headings():
    assert headings("# One\\ntext\\n## Two ##") == [(1, "One"), (2, "Two")]


def test_flat():
    assert numbered([(1, "a"), (1, "b")]) == [("1", "a"), ("2", "b")]


def test_restart():
    items = [(1, "a"), (2, "b"), (2, "c"), (1, "d"), (2, "e")]
    assert [n for n, _ in numbered(items)] == ["1", "1.1", "1.2", "2", "2.1"]


def test_skipped_level():
    items = [(1, "a"), (1, "b"), (3, "c")]
    assert [n for n, _ in numbered(items)] == ["1", "2", "2.1.1"]


def test_contents():
    assert contents("# A\\n## B\\n# C") == "1 A\\n  1.1 B\\n2 C"
""",
        hidden="""
def test_restart_on_third_level():
    items = [(1, "a"), (2, "b"), (3, "c"), (3, "d"), (2, "e"), (3, "f")]
    assert [n for n, _ in numbered(items)] == ["1", "1.1", "1.1.1", "1.1.2", "1.2", "1.2.1"]


def test_up_two_levels():
    items = [(1, "a"), (2, "b"), (3, "c"), (1, "d"), (2, "e"), (3, "f")]
    assert [n for n, _ in numbered(items)] == ["1", "1.1", "1.1.1", "2", "2.1", "2.1.1"]


def test_skip_after_restart():
    items = [(1, "a"), (2, "b"), (2, "c"), (1, "d"), (3, "e")]
    assert numbered(items)[-1] == ("2.1.1", "e")


def test_find():
    text = "# A\\n## B\\n## C\\n# D\\n## E"
    assert find(text, "2.1") == "E"
    with pytest.raises(KeyError):
        find(text, "2.3")


def test_separator():
    assert numbered([(1, "a"), (2, "b")], "-") == [("1", "a"), ("1-1", "b")]


def test_bad_level():
    with pytest.raises(ValueError):
        numbered([(0, "a")])


def test_contents_restart():
    assert contents("# A\\n## B\\n# C\\n## D", " ") == "1 A\\n 1.1 B\\n2 C\\n 2.1 D"
""",
    ),
    Program(
        name="path_trie",
        code=r'''"""A set of paths, kept in a tree of their parts."""


class Node:
    """One part of a path; `stored` if a path ends here."""

    def __init__(self):
        self.children = {}
        self.stored = False


def parts(path):
    """The parts of a path: "/a//b/" has the parts a and b."""
    return [part for part in path.split("/") if part]


class PathSet:
    """Paths, each made of one or more parts."""

    def __init__(self, paths=()):
        self.root = Node()
        for path in paths:
            self.add(path)

    def add(self, path):
        """Store a path."""
        node = self.root
        for part in parts(path):
            node = node.children.setdefault(part, Node())
        node.stored = True

    def _node(self, path):
        node = self.root
        for part in parts(path):
            node = node.children.get(part)
            if node is None:
                return None
        return node

    def __contains__(self, path):
        node = self._node(path)
        return node is not None and node.stored

    def has_prefix(self, path):
        """Whether a stored path is path or lies below it."""
        return self._node(path) is not None

    def remove(self, path):
        """Remove one path, with the nodes that only it needed."""
        if path not in self:
            raise KeyError(path)
        trail = []
        node = self.root
        for part in parts(path):
            trail.append((node, part))
            node = node.children[part]
        node.stored = False
        for parent, part in reversed(trail):
            if parent.children[part].children:
                break
            del parent.children[part]

    def listing(self, node=None, prefix=""):
        """All paths, sorted, each as "/a/b"."""
        node = node or self.root
        found = [prefix] if node.stored else []
        for part in sorted(node.children):
            found += self.listing(node.children[part], f"{prefix}/{part}")
        return found
''',
        wrong="            if parent.children[part].children:",
        right="            if parent.children[part].children or parent.children[part].stored:",
        visible="""
def test_contains():
    paths = PathSet(["/a/b"])
    assert "a/b/" in paths
    assert "/a" not in paths


def test_listing():
    assert PathSet(["/b", "/a/c", "/a"]).listing() == ["/a", "/a/c", "/b"]


def test_remove_prunes():
    paths = PathSet(["/a/b/c", "/d"])
    paths.remove("/a/b/c")
    assert not paths.has_prefix("/a")
    assert paths.listing() == ["/d"]


def test_remove_below_stored():
    paths = PathSet(["/a", "/a/b"])
    paths.remove("/a/b")
    assert paths.listing() == ["/a"]


def test_remove_missing():
    with pytest.raises(KeyError):
        PathSet(["/a/b"]).remove("/a")
""",
        hidden="""
def test_stored_in_the_middle():
    paths = PathSet(["/usr/lib", "/usr/lib/python/site"])
    paths.remove("/usr/lib/python/site")
    assert "/usr/lib" in paths
    assert not paths.has_prefix("/usr/lib/python")


def test_chain_of_stored():
    paths = PathSet(["/x", "/x/y", "/x/y/z"])
    paths.remove("/x/y/z")
    paths.remove("/x/y")
    assert paths.listing() == ["/x"]
    paths.remove("/x")
    assert paths.listing() == []


def test_remove_above():
    paths = PathSet(["/x", "/x/y"])
    paths.remove("/x")
    assert paths.listing() == ["/x/y"]


def test_sibling_stays():
    paths = PathSet(["/x/y", "/x/z"])
    paths.remove("/x/y")
    assert paths.listing() == ["/x/z"]


def test_prunes_long_branch():
    paths = PathSet(["/k/l/m/n"])
    paths.remove("/k/l/m/n")
    assert not paths.has_prefix("/k")


def test_remove_and_add_again():
    paths = PathSet(["/p", "/p/q/r"])
    paths.remove("/p/q/r")
    paths.add("/p/s")
    assert paths.listing() == ["/p", "/p/s"]


def test_removed_twice():
    paths = PathSet(["/p/q"])
    paths.remove("/p/q")
    with pytest.raises(KeyError):
        paths.remove("/p/q")
""",
    ),
    Program(
        name="menu_trail",
        code=r'''"""Menus of a web site and the trail to the page that is shown."""


class Entry:
    """An entry of a menu, with an address (or None) and entries below it."""

    def __init__(self, title, url=None, children=(), hidden=False):
        self.title = title
        self.url = url
        self.children = list(children)
        self.hidden = hidden


def trail(entries, url):
    """The entries from the top down to the one with an address.

    The first one in the order of the menu is taken; an empty list if
    there is none. Hidden entries count too.
    """
    for entry in entries:
        if entry.url == url:
            return [entry]
        below = trail(entry.children, url)
        return [entry] + below if below else []
    return []


def breadcrumbs(entries, url, separator=" > "):
    """The titles of the trail in one line; hidden entries are left out."""
    return separator.join(
        entry.title for entry in trail(entries, url) if not entry.hidden
    )


def flatten(entries, depth=0):
    """Pairs of depth and title of all entries that are not hidden.

    Below a hidden entry everything is hidden.
    """
    lines = []
    for entry in entries:
        if entry.hidden:
            continue
        lines.append((depth, entry.title))
        lines.extend(flatten(entry.children, depth + 1))
    return lines


def render(entries, url):
    """The menu as lines of text; the entries of the trail have a star."""
    active = {id(entry) for entry in trail(entries, url)}
    lines = []

    def walk(level, depth):
        for entry in level:
            if not entry.hidden:
                mark = "*" if id(entry) in active else "-"
                lines.append(f"{'  ' * depth}{mark} {entry.title}")
                walk(entry.children, depth + 1)

    walk(entries, 0)
    return "\n".join(lines)
''',
        wrong="        return [entry] + below if below else []",
        right="        if below: return [entry] + below",
        visible="""
SITE = [
    Entry("Home", "/"),
    Entry("Docs", "/docs", [Entry("Start", "/docs/start"), Entry("API", "/docs/api")]),
    Entry("Admin", None, [Entry("Users", "/users")], hidden=True),
]


def test_first_entry():
    assert breadcrumbs(SITE, "/") == "Home"


def test_second_entry_below():
    assert breadcrumbs(SITE, "/docs/api") == "Docs > API"


def test_unknown():
    assert trail(SITE, "/nowhere") == []


def test_flatten():
    assert flatten(SITE) == [(0, "Home"), (0, "Docs"), (1, "Start"), (1, "API")]


def test_render_without_active():
    assert render(SITE[:1], "/none") == "- Home"
""",
        hidden="""
def menu():
    return [
        Entry("A", "/a", [Entry("A1", "/a1"), Entry("A2", None, [Entry("A21", "/x")])]),
        Entry("B", "/b", [Entry("B1", "/b1"), Entry("B2", "/x")]),
        Entry("C", None, [Entry("C1", "/c1")], hidden=True),
    ]


def titles(entries):
    return [entry.title for entry in entries]


def test_first_match_is_taken():
    assert titles(trail(menu(), "/x")) == ["A", "A2", "A21"]


def test_top_entry_after_others():
    assert titles(trail(menu(), "/b")) == ["B"]


def test_below_later_entry():
    assert breadcrumbs(menu(), "/b1", "/") == "B/B1"


def test_hidden_counts_but_is_left_out():
    assert titles(trail(menu(), "/c1")) == ["C", "C1"]
    assert breadcrumbs(menu(), "/c1") == "C1"


def test_none_found():
    assert trail(menu(), "/q") == []
    assert trail([], "/q") == []


def test_render():
    assert render(menu()[:2], "/b1") == (
        "- A\\n  - A1\\n  - A2\\n    - A21\\n* B\\n  * B1\\n  - B2"
    )


def test_first_entry_below():
    assert titles(trail(menu(), "/a1")) == ["A", "A1"]
""",
    ),
    Program(
        name="org_chart",
        code=r'''"""Who reports to whom."""


class Chart:
    """A hierarchy with one head; everyone else has one manager."""

    def __init__(self, head):
        self.head = head
        self._manager = {head: None}

    def hire(self, name, manager):
        """Add a person below a manager."""
        if name in self._manager:
            raise ValueError(f"{name} is there already")
        self._check(manager)
        self._manager[name] = manager

    def _check(self, name):
        if name not in self._manager:
            raise KeyError(name)

    def chain(self, name):
        """A person, the manager, the manager's manager, ..., the head."""
        self._check(name)
        found = []
        while name is not None:
            found.append(name)
            name = self._manager[name]
        return found

    def depth(self, name):
        """0 for the head, 1 for those directly below."""
        return len(self.chain(name)) - 1

    def reports(self, name):
        """Those directly below a person, sorted."""
        return sorted(who for who, boss in self._manager.items() if boss == name)

    def everyone_below(self, name):
        """All below a person, level by level, each level sorted."""
        found, level = [], [name]
        while level:
            level = sorted(who for boss in level for who in self.reports(boss))
            found += level
        return found

    def common_manager(self, first, second):
        """The lowest person in both chains (it may be one of the two)."""
        above = set(self.chain(first))
        for name in self.chain(second):
            if name in above:
                return name

    def move(self, name, manager):
        """Put a person, with all below, under another manager.

        ValueError if the chart would no longer be a hierarchy: nobody can
        be moved below themselves or anyone below them.
        """
        self._check(name)
        self._check(manager)
        if manager == name or name == self.head:
            raise ValueError(f"cannot move {name} below {manager}")
        self._manager[name] = manager
''',
        wrong="        if manager == name or name == self.head:",
        right="        if name in self.chain(manager) or name == self.head:",
        visible="""
def chart():
    made = Chart("Ada")
    for name, boss in [("Bo", "Ada"), ("Cy", "Ada"), ("Di", "Bo"), ("Ed", "Di")]:
        made.hire(name, boss)
    return made


def test_chain():
    assert chart().chain("Di") == ["Di", "Bo", "Ada"]


def test_move():
    made = chart()
    made.move("Di", "Cy")
    assert made.chain("Ed") == ["Ed", "Di", "Cy", "Ada"]


def test_move_below_report():
    with pytest.raises(ValueError):
        chart().move("Bo", "Di")


def test_common_manager():
    assert chart().common_manager("Ed", "Cy") == "Ada"
    assert chart().common_manager("Ed", "Bo") == "Bo"


def test_everyone_below():
    assert chart().everyone_below("Ada") == ["Bo", "Cy", "Di", "Ed"]
""",
        hidden="""
def line():
    made = Chart("a")
    for name, boss in [("b", "a"), ("c", "b"), ("d", "c"), ("e", "d"), ("x", "a")]:
        made.hire(name, boss)
    return made


def test_move_far_below():
    with pytest.raises(ValueError):
        line().move("b", "e")


def test_move_two_below():
    with pytest.raises(ValueError):
        line().move("c", "e")


def test_refused_move_changes_nothing():
    made = line()
    with pytest.raises(ValueError):
        made.move("c", "d")
    assert made.depth("e") == 4


def test_move_below_self():
    with pytest.raises(ValueError):
        line().move("c", "c")


def test_head_cannot_move():
    with pytest.raises(ValueError):
        line().move("a", "x")


def test_move_up():
    made = line()
    made.move("e", "b")
    assert made.chain("e") == ["e", "b", "a"]
    assert made.reports("b") == ["c", "e"]


def test_move_under_own_manager():
    made = line()
    made.move("d", "c")
    assert made.chain("d") == ["d", "c", "b", "a"]


def test_move_to_unknown():
    with pytest.raises(KeyError):
        line().move("d", "q")
""",
    ),
    Program(
        name="build_stages",
        code=r'''"""Stages of a build: what can be built at the same time."""

from collections import deque


class CycleError(ValueError):
    """The tasks depend on each other in a circle."""


def levels(needs):
    """A dict from each task to its stage.

    needs maps a task to the tasks it needs. A task that needs nothing has
    stage 0; any other one comes one stage after the latest of those it needs.
    """
    pending = {task: set(before) for task, before in needs.items()}
    for before in needs.values():
        for task in before:
            pending.setdefault(task, set())
    users = {task: [] for task in pending}
    for task, before in pending.items():
        for other in before:
            users[other].append(task)

    level = {task: 0 for task in pending}
    ready = deque(task for task, before in pending.items() if not before)
    done = 0
    while ready:
        task = ready.popleft()
        done += 1
        for user in users[task]:
            level[user] = min(level[user], level[task]) + 1
            pending[user].discard(task)
            if not pending[user]:
                ready.append(user)
    if done < len(pending):
        raise CycleError("circular needs")
    return level


def stages(needs):
    """Lists of the tasks of each stage, sorted."""
    level = levels(needs)
    result = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for task in sorted(level):
        result[level[task]].append(task)
    return result


def build_time(needs, seconds, default=1):
    """How long all stages take when the tasks of a stage run in parallel."""
    return sum(
        max(seconds.get(task, default) for task in stage) for stage in stages(needs)
    )
''',
        wrong="            level[user] = min(level[user], level[task]) + 1",
        right="            level[user] = max(level[user], level[task] + 1)",
        visible="""
def test_single():
    assert levels({"a": []}) == {"a": 0}


def test_pair():
    assert stages({"b": ["a"]}) == [["a"], ["b"]]


def test_diamond_with_shortcut():
    needs = {"b": ["a"], "c": ["b"], "d": ["a", "c"]}
    assert levels(needs) == {"a": 0, "b": 1, "c": 2, "d": 3}


def test_cycle():
    with pytest.raises(CycleError):
        stages({"a": ["b"], "b": ["a"]})


def test_nothing():
    assert stages({}) == []
""",
        hidden="""
def test_chain():
    needs = {"d": ["c"], "c": ["b"], "b": ["a"]}
    assert stages(needs) == [["a"], ["b"], ["c"], ["d"]]


def test_two_needs_of_same_stage():
    assert levels({"c": ["a", "b"]}) == {"a": 0, "b": 0, "c": 1}


def test_many_needs_of_same_stage():
    assert levels({"z": ["a", "b", "c", "d"]})["z"] == 1


def test_long_and_short_way():
    needs = {"m": ["l"], "n": ["m"], "o": ["n"], "p": ["o", "l", "m"]}
    assert levels(needs)["p"] == 4


def test_parallel():
    needs = {"x2": ["x1"], "y2": ["y1"], "end": ["x2", "y2"]}
    assert stages(needs) == [["x1", "y1"], ["x2", "y2"], ["end"]]


def test_build_time():
    needs = {"c": ["a", "b"], "d": ["c", "a"]}
    assert build_time(needs, {"a": 5, "b": 2, "d": 4}) == 10


def test_cycle_behind_task():
    with pytest.raises(CycleError):
        levels({"b": ["a", "c"], "c": ["b"]})
""",
    ),
    Program(
        name="bridge_finder",
        code=r'''"""Links of a network without which it falls apart."""


def build(edges):
    """A dict from each node to the list of its neighbours."""
    graph = {}
    for first, second in edges:
        graph.setdefault(first, []).append(second)
        graph.setdefault(second, []).append(first)
    return graph


def bridges(edges):
    """The edges whose loss separates their two ends, sorted.

    Each is a tuple with the smaller node first. There is at most one edge
    between two nodes.
    """
    graph = build(edges)
    order, low, found = {}, {}, []

    def visit(node, parent):
        order[node] = low[node] = len(order)
        for other in graph[node]:
            if other == parent:
                continue
            if other in order:
                low[node] = min(low[node], order[other])
                continue
            visit(other, node)
            low[node] = min(low[node], low[other])
            if low[other] >= order[node]:
                found.append(tuple(sorted((node, other))))

    for node in graph:
        if node not in order:
            visit(node, None)
    return sorted(found)


def components(edges, without=()):
    """The connected sets of nodes, each sorted, when some edges are cut."""
    cut = {tuple(sorted(edge)) for edge in without}
    graph = build(edges)
    seen, result = set(), []
    for start in sorted(graph):
        if start in seen:
            continue
        stack, part = [start], []
        seen.add(start)
        while stack:
            node = stack.pop()
            part.append(node)
            for other in graph[node]:
                if other not in seen and tuple(sorted((node, other))) not in cut:
                    seen.add(other)
                    stack.append(other)
        result.append(sorted(part))
    return result


def islands(edges):
    """The parts that stay connected when any one edge fails."""
    return components(edges, bridges(edges))
''',
        wrong="            if low[other] >= order[node]:",
        right="            if low[other] > order[node]:",
        visible="""
def test_single_edge():
    assert bridges([(2, 1)]) == [(1, 2)]


def test_triangle():
    assert bridges([(1, 2), (2, 3), (3, 1)]) == []


def test_line():
    assert bridges([(1, 2), (2, 3), (3, 4)]) == [(1, 2), (2, 3), (3, 4)]


def test_components():
    edges = [(1, 2), (2, 3), (5, 6)]
    assert components(edges) == [[1, 2, 3], [5, 6]]
    assert components(edges, [(3, 2)]) == [[1, 2], [3], [5, 6]]
""",
        hidden="""
def test_square():
    assert bridges([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]) == []


def test_two_triangles_with_link():
    edges = [(1, 2), (2, 3), (3, 1), (4, 5), (5, 6), (6, 4), (3, 4)]
    assert bridges(edges) == [(3, 4)]


def test_triangles_with_common_node():
    edges = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 3)]
    assert bridges(edges) == []


def test_triangle_with_tail():
    assert bridges([(1, 2), (2, 3), (3, 1), (3, 9)]) == [(3, 9)]


def test_separate_parts():
    edges = [(1, 2), (7, 8), (8, 9), (9, 7)]
    assert bridges(edges) == [(1, 2)]


def test_islands():
    edges = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6), (6, 4)]
    assert islands(edges) == [[1, 2, 3], [4, 5, 6]]


def test_star():
    assert bridges([("m", "a"), ("m", "b"), ("m", "c")]) == [
        ("a", "m"),
        ("b", "m"),
        ("c", "m"),
    ]
""",
    ),
    Program(
        name="impact_report",
        code=r'''"""What a change of one package means for those that use it."""


def users_of(requires):
    """A dict from every package to the sorted list of those requiring it.

    requires maps a package to the packages it requires. Every package that
    is mentioned anywhere has a key.
    """
    names = set(requires)
    users = {name: [] for name in sorted(names)}
    for package in sorted(requires):
        for other in requires[package]:
            if other in users:
                users[other].append(package)
    return users


def impact(requires, changed):
    """All packages that require a changed one, directly or through others.

    The changed package itself is not among them. KeyError if it is not
    mentioned anywhere.
    """
    users = users_of(requires)
    if changed not in users:
        raise KeyError(changed)
    found = set()
    waiting = [changed]
    while waiting:
        for user in users[waiting.pop()]:
            if user not in found and user != changed:
                found.add(user)
                waiting.append(user)
    return sorted(found)


def distances(requires, changed):
    """How many steps away each package of the impact is."""
    users = users_of(requires)
    steps = {changed: 0}
    level = [changed]
    while level:
        following = []
        for package in level:
            for user in users.get(package, []):
                if user not in steps:
                    steps[user] = steps[package] + 1
                    following.append(user)
        level = following
    del steps[changed]
    return steps


def most_used(requires, count=3):
    """The packages with the largest impact: (name, size), the larger first."""
    sizes = [(name, len(impact(requires, name))) for name in users_of(requires)]
    return sorted(sizes, key=lambda pair: (-pair[1], pair[0]))[:count]
''',
        wrong="    names = set(requires)",
        right="    names = set(requires).union(*requires.values())",
        visible="""
def test_users():
    requires = {"app": ["lib"], "lib": []}
    assert users_of(requires) == {"app": [], "lib": ["app"]}


def test_impact():
    requires = {"app": ["lib"], "lib": ["core"], "core": []}
    assert impact(requires, "core") == ["app", "lib"]


def test_only_required():
    assert users_of({"app": ["json"]}) == {"app": [], "json": ["app"]}


def test_impact_of_only_required():
    assert impact({"app": ["lib"], "lib": ["json"]}, "json") == ["app", "lib"]


def test_unknown():
    with pytest.raises(KeyError):
        impact({"app": []}, "nothing")
""",
        hidden="""
def test_impact_of_leaf():
    requires = {"x": ["z"], "y": ["z", "x"], "w": []}
    assert impact(requires, "z") == ["x", "y"]


def test_distances_from_leaf():
    requires = {"x": ["z"], "y": ["x"], "v": ["y", "z"]}
    assert distances(requires, "z") == {"x": 1, "v": 1, "y": 2}


def test_most_used():
    requires = {"x": ["z", "q"], "y": ["x"]}
    assert most_used(requires, 2) == [("q", 2), ("z", 2)]


def test_users_are_sorted():
    requires = {"d": ["a"], "b": ["a"], "c": ["b"]}
    assert users_of(requires) == {"a": ["b", "d"], "b": ["c"], "c": [], "d": []}


def test_no_users():
    assert impact({"d": ["a"], "a": []}, "d") == []


def test_circle():
    assert impact({"a": ["b"], "b": ["a"]}, "a") == ["b"]


def test_nothing():
    assert users_of({}) == {}


def test_unknown_among_leaves():
    with pytest.raises(KeyError):
        impact({"d": ["a"]}, "b")
""",
    ),
    Program(
        name="cheapest_route",
        code=r'''"""The cheapest way through a network of roads."""

import heapq


class Roads:
    """Roads with a price, to be used in both directions."""

    def __init__(self, roads=()):
        self._prices = {}
        for first, second, price in roads:
            self.add(first, second, price)

    def add(self, first, second, price):
        """Add a road; of two roads between the same places the cheaper stays."""
        if price < 0:
            raise ValueError("negative price")
        for here, there in ((first, second), (second, first)):
            known = self._prices.setdefault(here, {})
            known[there] = min(price, known.get(there, price))

    def _explore(self, start):
        """The lowest prices from start, and the place before each one."""
        best, before = {start: 0}, {}
        queue = [(0, start)]
        while queue:
            cost, place = heapq.heappop(queue)
            if cost > best[place]:
                continue
            for other, price in self._prices.get(place, {}).items():
                total = cost + price
                if other in best:
                    continue
                best[other] = total
                before[other] = place
                heapq.heappush(queue, (total, other))
        return best, before

    def cost(self, start, goal):
        """The price of the cheapest route, None if there is no route."""
        return self._explore(start)[0].get(goal)

    def route(self, start, goal):
        """The places of a cheapest route with both ends; [] if there is none."""
        best, before = self._explore(start)
        if goal not in best:
            return []
        places = [goal]
        while places[-1] != start:
            places.append(before[places[-1]])
        return places[::-1]

    def within(self, start, budget):
        """The places that cost at most a budget to reach, sorted, without start."""
        best, _ = self._explore(start)
        return sorted(
            place for place, cost in best.items() if cost <= budget and place != start
        )
''',
        wrong="                if other in best:",
        right="                if other in best and best[other] <= total:",
        visible="""
def test_one_road():
    roads = Roads([("a", "b", 4)])
    assert roads.cost("b", "a") == 4
    assert roads.route("b", "a") == ["b", "a"]


def test_cheaper_parallel_road():
    assert Roads([("a", "b", 4), ("a", "b", 3), ("b", "a", 9)]).cost("a", "b") == 3


def test_detour_is_cheaper():
    roads = Roads([("a", "b", 10), ("a", "c", 2), ("c", "b", 3)])
    assert roads.cost("a", "b") == 5


def test_no_route():
    roads = Roads([("a", "b", 1), ("c", "d", 1)])
    assert roads.route("a", "d") == []
    assert roads.cost("a", "d") is None


def test_within():
    assert Roads([("a", "b", 2), ("b", "c", 2)]).within("a", 3) == ["b"]
""",
        hidden="""
def test_route_with_detour():
    roads = Roads([("s", "t", 20), ("s", "m", 5), ("m", "n", 5), ("n", "t", 5)])
    assert roads.route("s", "t") == ["s", "m", "n", "t"]


def test_improved_twice():
    roads = Roads([("s", "t", 9), ("s", "a", 1), ("a", "t", 6), ("a", "b", 1), ("b", "t", 2)])
    assert roads.cost("s", "t") == 4
    assert roads.route("s", "t") == ["s", "a", "b", "t"]


def test_within_by_detour():
    roads = Roads([("s", "t", 9), ("s", "a", 1), ("a", "t", 1)])
    assert roads.within("s", 2) == ["a", "t"]


def test_direct_is_cheaper():
    roads = Roads([("s", "t", 3), ("s", "a", 2), ("a", "t", 2)])
    assert roads.route("s", "t") == ["s", "t"]


def test_to_itself():
    roads = Roads([("s", "t", 3)])
    assert roads.cost("s", "s") == 0
    assert roads.route("s", "s") == ["s"]


def test_places_after_improved_one():
    roads = Roads([("s", "t", 50), ("s", "a", 1), ("a", "t", 1), ("t", "u", 1)])
    assert roads.cost("s", "u") == 3


def test_negative():
    with pytest.raises(ValueError):
        Roads([("a", "b", -1)])
""",
    ),
    Program(
        name="edit_script",
        code=r'''"""The differences of two sequences as an edit script."""


def lengths(old, new):
    """A table: entry i, j is the longest common subsequence of old[i:], new[j:]."""
    table = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            if old[i] == new[j]:
                table[i][j] = table[i + 1][j + 1] + 1
            else:
                table[i][j] = max(table[i + 1][j], table[i][j + 1])
    return table


def script(old, new):
    """Pairs of a sign and an element that turn old into new.

    The sign is " " for what both have, "-" for what only old has and "+"
    for what only new has; where both signs are possible "-" comes first.
    """
    table = lengths(old, new)
    result = []
    i = j = 0
    while i < len(old) and j < len(new):
        if old[i] == new[j]:
            result.append((" ", old[i]))
            i += 1
            j += 1
        elif table[i + 1][j] >= table[i][j + 1]:
            result.append(("-", old[i]))
            i += 1
        else:
            result.append(("+", new[j]))
            j += 1
    result.extend(("-", element) for element in old[i:])
    result.extend(("+", element) for element in new[i:])
    return result


def apply(old, edits):
    """The new sequence as a list; ValueError if the script is not for old."""
    rest = list(old)
    result = []
    for sign, element in edits:
        if sign != "+":
            if not rest or rest.pop(0) != element:
                raise ValueError(f"expected {element!r}")
        if sign != "-":
            result.append(element)
    if rest:
        raise ValueError("script ends early")
    return result


def similarity(old, new):
    """From 0.0, nothing in common, to 1.0, equal."""
    if not old and not new:
        return 1.0
    return 2 * lengths(old, new)[0][0] / (len(old) + len(new))
''',
        wrong="for element in new[i:])",
        right="for element in new[j:])",
        visible="""
def test_equal():
    assert script("ab", "ab") == [(" ", "a"), (" ", "b")]


def test_removed():
    assert script("abc", "ac") == [(" ", "a"), ("-", "b"), (" ", "c")]


def test_replaced():
    assert script("ax", "ay") == [(" ", "a"), ("-", "x"), ("+", "y")]


def test_apply():
    old, new = ["one", "two"], ["two", "three", "four"]
    assert apply(old, script(old, new)) == new


def test_similarity():
    assert similarity("abcd", "abxy") == 0.5
    assert similarity("", "") == 1.0
""",
        hidden="""
def test_added_at_end():
    assert script("ab", "abcd") == [(" ", "a"), (" ", "b"), ("+", "c"), ("+", "d")]


def test_all_new():
    assert script("", "xy") == [("+", "x"), ("+", "y")]


def test_all_gone():
    assert script("xy", "") == [("-", "x"), ("-", "y")]


def test_nothing_in_common():
    assert script("ab", "xyz") == [
        ("-", "a"), ("-", "b"), ("+", "x"), ("+", "y"), ("+", "z"),
    ]


def test_round_trip_front_removed():
    assert apply("qqabc", script("qqabc", "abcde")) == list("abcde")


def test_round_trip_front_added():
    assert apply("abc", script("abc", "zzabcd")) == list("zzabcd")


def test_same_end_is_not_repeated():
    assert script("b", "ab") == [("+", "a"), (" ", "b")]


def test_wrong_script():
    with pytest.raises(ValueError):
        apply("abc", script("ab", "ac"))
""",
    ),
    Program(
        name="run_merge_sort",
        code=r'''"""A stable merge sort that uses the order that is there already."""


def runs(items, key):
    """Split a list into pieces none of which has a smaller key after a larger."""
    result = []
    for item in items:
        if result and key(result[-1][-1]) <= key(item):
            result[-1].append(item)
        else:
            result.append([item])
    return result


def merge(left, right, key):
    """One sorted list of two; of equal keys, those of left come first."""
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if key(left[i]) < key(right[j]):
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    merged.extend(left[i:])
    merged.extend(right[j:])
    return merged


def sort(items, key=lambda item: item):
    """A new sorted list; elements with equal keys keep their order."""
    pieces = runs(items, key)
    while len(pieces) > 1:
        joined = []
        for index in range(0, len(pieces) - 1, 2):
            joined.append(merge(pieces[index], pieces[index + 1], key))
        if len(pieces) % 2:
            joined.append(pieces[-1])
        pieces = joined
    return pieces[0] if pieces else []


def group(items, key):
    """Pairs of a key and the list of its elements, in the order of the keys."""
    result = []
    for item in sort(items, key):
        if result and result[-1][0] == key(item):
            result[-1][1].append(item)
        else:
            result.append((key(item), [item]))
    return result


def top(items, count, key=lambda item: item):
    """The elements with the smallest keys, at most count of them."""
    return sort(items, key)[:count]
''',
        wrong="        if key(left[i]) < key(right[j]):",
        right="        if not key(right[j]) < key(left[i]):",
        visible="""
def test_numbers():
    assert sort([3, 1, 2, 5, 4]) == [1, 2, 3, 4, 5]


def test_empty():
    assert sort([]) == []


def test_stable():
    words = ["pear", "fig", "plum", "kiwi", "nut"]
    assert sort(words, len) == ["fig", "nut", "pear", "plum", "kiwi"]


def test_merge_equal():
    assert merge([("a", 1)], [("b", 1)], lambda pair: pair[1]) == [("a", 1), ("b", 1)]


def test_runs():
    assert runs([1, 2, 2, 1, 5, 0], abs) == [[1, 2, 2], [1, 5], [0]]
""",
        hidden="""
def test_ignoring_case():
    assert sort(["b", "A", "a", "B"], str.lower) == ["A", "a", "b", "B"]


def test_like_sorted():
    items = [(i * 7 % 5, i) for i in range(40)]
    assert sort(items, lambda item: item[0]) == sorted(items, key=lambda item: item[0])


def test_group():
    words = ["to", "a", "be", "I", "or"]
    assert group(words, len) == [(1, ["a", "I"]), (2, ["to", "be", "or"])]


def test_top():
    words = ["ccc", "bb", "a", "dd", "e"]
    assert top(words, 3, len) == ["a", "e", "bb"]


def test_merge_different():
    assert merge([1, 4, 6], [2, 5, 7, 8], abs) == [1, 2, 4, 5, 6, 7, 8]


def test_not_changed():
    items = [2, 1]
    assert sort(items) == [1, 2]
    assert items == [2, 1]


def test_falling():
    assert sort(list(range(9, -1, -1))) == list(range(10))
""",
    ),
    Program(
        name="stock_change",
        code=r'''"""Making amounts from a limited stock of coins."""


def ways(coins, total):
    """In how many ways a total can be paid when every coin is there once.

    Two coins of equal value are different coins.
    """
    counts = [1] + [0] * total
    for coin in coins:
        for amount in range(coin, total + 1):
            counts[amount] += counts[amount - coin]
    return counts[total]


def fewest(stock, total):
    """The smallest list of coins with a total, the larger coins first.

    stock maps the value of a coin to how many there are. None if the total
    cannot be paid.
    """
    best = {0: []}
    for coin in sorted(stock, reverse=True):
        extended = dict(best)
        for amount, used in best.items():
            for count in range(1, stock[coin] + 1):
                reached = amount + coin * count
                if reached > total:
                    break
                candidate = used + [coin] * count
                known = extended.get(reached)
                if known is None or len(candidate) < len(known):
                    extended[reached] = candidate
        best = extended
    return best.get(total)


def payable(stock, limit):
    """All totals from 1 to a limit that can be paid."""
    return [total for total in range(1, limit + 1) if fewest(stock, total)]


def pay(stock, total):
    """The stock that is left after paying with the fewest coins.

    ValueError if the total cannot be paid; the given stock is not changed.
    """
    coins = fewest(stock, total)
    if coins is None:
        raise ValueError(f"cannot pay {total}")
    rest = dict(stock)
    for coin in coins:
        rest[coin] -= 1
    return {coin: count for coin, count in rest.items() if count}
''',
        wrong="        for amount in range(coin, total + 1):",
        right="        for amount in range(total, coin - 1, -1):",
        visible="""
def test_each_coin_once():
    assert ways([1], 2) == 0


def test_ways():
    assert ways([1, 2, 3], 3) == 2


def test_fewest():
    assert fewest({5: 1, 2: 3, 1: 1}, 6) == [5, 1]
    assert fewest({5: 1, 2: 3}, 6) == [2, 2, 2]
    assert fewest({5: 1}, 6) is None


def test_pay():
    assert pay({5: 1, 2: 3, 1: 1}, 6) == {2: 3}


def test_payable():
    assert payable({3: 1, 2: 1}, 6) == [2, 3, 5]
""",
        hidden="""
def test_two_equal_coins():
    assert ways([2, 2], 4) == 1
    assert ways([2, 2], 2) == 2


def test_not_enough():
    assert ways([1, 1, 1], 4) == 0


def test_total_zero():
    assert ways([1, 2], 0) == 1


def test_many():
    assert ways([1, 2, 3, 4, 5], 5) == 3


def test_order_does_not_matter():
    assert ways([5, 3, 2, 1], 6) == ways([1, 2, 3, 5], 6) == 2


def test_coin_larger_than_total():
    assert ways([10, 4], 4) == 1


def test_cannot_pay():
    with pytest.raises(ValueError):
        pay({2: 1}, 3)


def test_stock_not_changed():
    stock = {2: 2}
    assert pay(stock, 2) == {2: 1}
    assert stock == {2: 2}
""",
    ),
    Program(
        name="room_bookings",
        code=r'''"""Choosing the bookings of a room that are worth most."""

from bisect import bisect_left, bisect_right


def overlaps(first, second):
    """Whether two (start, end, worth) bookings need the room at the same time.

    A booking may begin at the moment at which another one ends.
    """
    return first[0] < second[1] and second[0] < first[1]


def best(bookings):
    """The largest total worth of bookings that do not overlap."""
    return sum(worth for _, _, worth in choose(bookings))


def choose(bookings):
    """Bookings without overlap whose worth together is the largest.

    They are in order of time.
    """
    ordered = sorted(bookings, key=lambda booking: booking[1])
    ends = [booking[1] for booking in ordered]
    totals = [0]
    taken = []
    for index, (start, _, worth) in enumerate(ordered):
        before = bisect_left(ends, start, 0, index)
        with_it = totals[before] + worth
        taken.append((with_it > totals[-1], before))
        totals.append(max(totals[-1], with_it))

    chosen = []
    index = len(ordered)
    while index > 0:
        use, before = taken[index - 1]
        if use:
            chosen.append(ordered[index - 1])
            index = before
        else:
            index -= 1
    return chosen[::-1]


def rooms_needed(bookings):
    """How many rooms would be needed for all the bookings."""
    starts = sorted(booking[0] for booking in bookings)
    ends = sorted(booking[1] for booking in bookings)
    needed = 0
    for count, start in enumerate(starts, 1):
        needed = max(needed, count - bisect_right(ends, start))
    return needed
''',
        wrong="        before = bisect_left(ends, start, 0, index)",
        right="        before = bisect_right(ends, start, 0, index)",
        visible="""
def test_one():
    assert best([(1, 3, 5)]) == 5


def test_apart():
    assert best([(4, 6, 2), (1, 3, 5)]) == 7


def test_touching():
    assert choose([(1, 3, 5), (3, 6, 2)]) == [(1, 3, 5), (3, 6, 2)]


def test_overlap_takes_the_better():
    assert choose([(1, 4, 5), (3, 6, 7)]) == [(3, 6, 7)]


def test_rooms():
    assert rooms_needed([(1, 4, 1), (2, 5, 1), (4, 6, 1)]) == 2
""",
        hidden="""
def test_chain_of_touching():
    assert best([(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 4, 1)]) == 4


def test_long_one_against_touching_ones():
    bookings = [(9, 12, 10), (9, 10, 4), (10, 11, 4), (11, 12, 4)]
    assert choose(bookings) == [(9, 10, 4), (10, 11, 4), (11, 12, 4)]


def test_several_end_where_one_begins():
    bookings = [(1, 5, 3), (2, 5, 4), (5, 8, 1)]
    assert choose(bookings) == [(2, 5, 4), (5, 8, 1)]


def test_touching_in_other_order():
    assert best([(5, 9, 2), (2, 5, 3)]) == 5


def test_gap():
    assert choose([(0, 2, 1), (3, 5, 1), (1, 4, 1.5)]) == [(0, 2, 1), (3, 5, 1)]


def test_none():
    assert choose([]) == []
    assert best([]) == 0


def test_contained():
    assert best([(0, 10, 5), (2, 3, 1), (6, 7, 1)]) == 5


def test_overlaps():
    assert overlaps((1, 3, 0), (2, 4, 0))
    assert not overlaps((1, 3, 0), (3, 4, 0))
""",
    ),
    Program(
        name="ini_reader",
        code=r'''"""Reading and writing of simple configuration files."""


class ConfigError(ValueError):
    """A line that is no section, setting or comment."""


def parse(text):
    """A dict from the name of each section to a dict of its settings.

    A setting is a key, the first "=" of the line and a value; spaces around
    both are dropped. Settings above the first section belong to "". Lines
    that begin with ";" or "#" are comments. A line that begins with a space
    goes on with the value above, after a newline.
    """
    result = {}
    section, key = "", None
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped[0] in ";#":
            continue
        if line[0].isspace() and key is not None:
            result[section][key] += "\n" + stripped
        elif stripped.startswith("[") and stripped.endswith("]"):
            section, key = stripped[1:-1].strip(), None
            result.setdefault(section, {})
        elif "=" in stripped:
            key, _, value = stripped.rpartition("=")
            key = key.strip()
            result.setdefault(section, {})[key] = value.strip()
        else:
            raise ConfigError(f"line {number}: {stripped!r}")
    return result


def write(config):
    """The text of a configuration, such that parse gives it again."""
    lines = []
    for section in sorted(config):
        if section:
            lines.append(f"[{section}]")
        for key, value in config[section].items():
            first, *others = value.split("\n")
            lines.append(f"{key} = {first}")
            lines.extend(f"    {other}" for other in others)
    return "".join(line + "\n" for line in lines)


def flag(config, section, key, default=False):
    """A setting as a boolean; ValueError if it is neither yes nor no."""
    value = config.get(section, {}).get(key)
    if value is None:
        return default
    if value.lower() in ("1", "yes", "true", "on"):
        return True
    if value.lower() in ("0", "no", "false", "off"):
        return False
    raise ValueError(value)
''',
        wrong='stripped.rpartition("=")',
        right='stripped.partition("=")',
        visible="""
def test_sections():
    text = "a = 1\\n[x]\\nb=2\\n; no\\n[y]\\n"
    assert parse(text) == {"": {"a": "1"}, "x": {"b": "2"}, "y": {}}


def test_equals_sign_in_value():
    assert parse("url = http://h/?q=1") == {"": {"url": "http://h/?q=1"}}


def test_continued():
    assert parse("[x]\\nb = 1\\n  2\\n") == {"x": {"b": "1\\n2"}}


def test_bad_line():
    with pytest.raises(ConfigError):
        parse("[x]\\nword")


def test_flag():
    assert flag(parse("[x]\\na = Yes"), "x", "a") is True
""",
        hidden="""
def test_several_equals_signs():
    assert parse("[env]\\nopts = -Da=1 -Db=2") == {"env": {"opts": "-Da=1 -Db=2"}}


def test_value_ends_with_equals_sign():
    assert parse("token = abc==") == {"": {"token": "abc=="}}


def test_comparison_as_value():
    assert parse("[rules]\\nr = x == y") == {"rules": {"r": "x == y"}}


def test_empty_value():
    assert parse("[x]\\na =") == {"x": {"a": ""}}


def test_round_trip():
    config = {"": {"a": "k=v"}, "s": {"b": "1\\n2", "c": "="}}
    assert parse(write(config)) == config


def test_section_twice():
    assert parse("[x]\\na=1\\n[y]\\n[x]\\nb=2") == {"x": {"a": "1", "b": "2"}, "y": {}}


def test_flag_errors():
    with pytest.raises(ValueError):
        flag({"x": {"a": "maybe"}}, "x", "a")
    assert flag({}, "x", "a", True) is True


def test_comments():
    assert parse("# a=1\\n ; b=2\\n") == {}
""",
    ),
    Program(
        name="csv_rows",
        code=r'''"""Splitting lines of comma-separated values."""


def split(line, separator=",", quote='"'):
    """The fields of a line.

    A field in quotes may contain the separator, and a doubled quote stands
    for one. A line with n separators outside of quotes has n + 1 fields, so
    the empty line has one, which is empty. ValueError if a quote is open.
    """
    fields = []
    buffer = ""
    quoted = False
    position = 0
    while position < len(line):
        char = line[position]
        if quoted:
            if char != quote:
                buffer += char
            elif line[position + 1:position + 2] == quote:
                buffer += quote
                position += 1
            else:
                quoted = False
        elif char == quote:
            quoted = True
        elif char == separator:
            fields.append(buffer)
            buffer = ""
        else:
            buffer += char
        position += 1
    if quoted:
        raise ValueError("open quote")
    return fields + [buffer] if buffer else fields


def join(fields, separator=",", quote='"'):
    """The line for some fields; quotes are used only where they are needed."""
    cells = []
    for field in fields:
        if separator in field or quote in field:
            field = quote + field.replace(quote, quote * 2) + quote
        cells.append(field)
    return separator.join(cells)


def records(lines, separator=","):
    """A dict for each line, with the names of the first line as keys.

    ValueError if a line has another number of fields.
    """
    names, *rows = [split(line, separator) for line in lines]
    result = []
    for row in rows:
        if len(row) != len(names):
            raise ValueError(f"{len(row)} fields, expected {len(names)}")
        result.append(dict(zip(names, row)))
    return result
''',
        wrong="    return fields + [buffer] if buffer else fields",
        right="    return fields + [buffer]",
        visible='''
def test_plain():
    assert split("a,b,c") == ["a", "b", "c"]


def test_quoted():
    assert split('a,"b,c",d') == ["a", "b,c", "d"]
    assert split('"say ""hi""",x') == ['say "hi"', "x"]


def test_empty_last_field():
    assert split("a,b,") == ["a", "b", ""]


def test_records():
    assert records(["k,v", "a,1"]) == [{"k": "a", "v": "1"}]


def test_join():
    assert join(["a", "b,c", 'd"']) == 'a,"b,c","d"""'
''',
        hidden="""
def test_empty_line():
    assert split("") == [""]


def test_only_separators():
    assert split(",,") == ["", "", ""]


def test_quoted_empty_at_end():
    assert split('x,""') == ["x", ""]


def test_empty_in_the_middle_and_in_front():
    assert split(",a,,b") == ["", "a", "", "b"]


def test_records_with_empty_value():
    assert records(["k;v", "a;", ";b"], ";") == [{"k": "a", "v": ""}, {"k": "", "v": "b"}]


def test_round_trip():
    fields = ["", 'q"', "a,b", ""]
    assert split(join(fields)) == fields


def test_open_quote():
    with pytest.raises(ValueError):
        split('a,"b')


def test_records_too_short():
    with pytest.raises(ValueError):
        records(["a,b,c", "1,2"])
""",
    ),
    Program(
        name="arithmetic",
        code=r'''"""Evaluating arithmetic expressions."""

import re

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([-+*/^()]))")


def tokens(text):
    """A list of numbers and signs; ValueError at a character that is neither."""
    found, position = [], 0
    text = text.rstrip()
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise ValueError(f"unexpected {text[position:]!r}")
        number, sign = match.groups()
        found.append(float(number) if number else sign)
        position = match.end()
    return found


class Parser:
    """The operators, from weak to strong: + and -, * and /, sign, ^.

    ^ is a power and groups to the right: 2^3^2 is 2^9. A sign is weaker than
    a power, so -2^2 is -4, but 2^-1 is allowed too.
    """

    def __init__(self, text):
        self.rest = tokens(text)

    def peek(self):
        return self.rest[0] if self.rest else None

    def sum(self):
        value = self.product()
        while self.peek() in ("+", "-"):
            sign = 1 if self.rest.pop(0) == "+" else -1
            value += sign * self.product()
        return value

    def product(self):
        value = self.signed()
        while self.peek() in ("*", "/"):
            if self.rest.pop(0) == "*":
                value *= self.signed()
            else:
                value /= self.signed()
        return value

    def signed(self):
        if self.peek() in ("-", "+"):
            return -self.signed() if self.rest.pop(0) == "-" else self.signed()
        return self.power()

    def power(self):
        base = self.atom()
        while self.peek() == "^":
            self.rest.pop(0)
            base = base ** self.atom()
        return base

    def atom(self):
        token = self.rest.pop(0) if self.rest else None
        if token == "(":
            token = self.sum()
            if not self.rest or self.rest.pop(0) != ")":
                raise ValueError("missing )")
        if not isinstance(token, float):
            raise ValueError(f"unexpected {token!r}")
        return token


def evaluate(text):
    """The value of an expression as a float."""
    parser = Parser(text)
    value = parser.sum()
    if parser.rest:
        raise ValueError(f"unexpected {parser.rest[0]!r}")
    return value
''',
        wrong="            base = base ** self.atom()",
        right="            base = base ** self.signed()",
        visible="""
def test_precedence():
    assert evaluate("1 + 2 * 3 - 4") == 3


def test_parentheses():
    assert evaluate("(1 + 2) * (3 - 4)") == -3


def test_power_groups_to_the_right():
    assert evaluate("2^3^2") == 512


def test_sign_is_weaker_than_power():
    assert evaluate("-2^2") == -4


def test_errors():
    for text in ("", "1 +", "(1", "1 2", "a"):
        with pytest.raises(ValueError):
            evaluate(text)
""",
        hidden="""
def test_negative_exponent():
    assert evaluate("2^-1") == 0.5


def test_negative_exponent_in_chain():
    assert evaluate("4^-2^-1 * 1") == 0.5


def test_three_powers():
    assert evaluate("2^2^2^2") == 65536


def test_power_in_product():
    assert evaluate("3 * 2^2 / 6") == 2


def test_power_then_sum():
    assert evaluate("2^2 + 1") == 5


def test_grouped_left():
    assert evaluate("(2^3)^2") == 64


def test_signs():
    assert evaluate("--3 - -+2") == 5


def test_left_grouping():
    assert evaluate("8 - 3 - 2") == 3
    assert evaluate("16 / 4 / 2") == 2
""",
    ),
    Program(
        name="argv_parser",
        code=r'''"""Options of a command line."""


class UsageError(ValueError):
    """The command line is not allowed."""


class Options:
    """Splits a command line into options and other arguments.

    flags are the names of options without a value, values those with one;
    a name of one letter is used as -x, a longer one as --name.
    """

    def __init__(self, flags=(), values=()):
        self.flags = set(flags)
        self.values = set(values)

    def parse(self, argv):
        """A dict of the options given and a list of the other arguments.

        Allowed are --name, --name=value, --name value, -x, -xyz for several
        flags, -xvalue and -x value. A single "-" (standard input) is an
        ordinary argument, and so is everything after "--".
        """
        found, others = {}, []
        queue = list(argv)
        while queue:
            word = queue.pop(0)
            if word == "--":
                others.extend(queue)
                break
            if word.startswith("--"):
                self._long(word[2:], queue, found)
            elif word.startswith("-"):
                self._short(word[1:], queue, found)
            else:
                others.append(word)
        return found, others

    def _long(self, text, queue, found):
        name, equals, value = text.partition("=")
        if name in self.values:
            found[name] = value if equals else self._next(name, queue)
        elif name in self.flags and not equals:
            found[name] = True
        else:
            raise UsageError(f"no such option: --{text}")

    def _short(self, letters, queue, found):
        for index, letter in enumerate(letters):
            if letter in self.values:
                rest = letters[index + 1:]
                found[letter] = rest or self._next(letter, queue)
                return
            if letter not in self.flags:
                raise UsageError(f"no such option: -{letter}")
            found[letter] = True

    def _next(self, name, queue):
        if not queue:
            raise UsageError(f"option {name} needs a value")
        return queue.pop(0)
''',
        wrong='            elif word.startswith("-"):',
        right='            elif word.startswith("-") and word != "-":',
        visible="""
def test_long():
    options = Options(["all"], ["name", "o"])
    assert options.parse(["--all", "--name=x", "f"]) == ({"all": True, "name": "x"}, ["f"])


def test_short():
    options = Options("ab", "o")
    assert options.parse(["-abo1", "x"]) == ({"a": True, "b": True, "o": "1"}, ["x"])


def test_standard_input():
    assert Options("a").parse(["-a", "-"]) == ({"a": True}, ["-"])


def test_end_of_options():
    assert Options("a").parse(["--", "-a", "--"]) == ({}, ["-a", "--"])


def test_errors():
    for argv in (["-x"], ["--no"], ["-o"], ["--all=1"]):
        with pytest.raises(UsageError):
            Options(["a", "all"], "o").parse(argv)
""",
        hidden="""
def test_dash_first():
    assert Options("v").parse(["-", "file", "-v"]) == ({"v": True}, ["-", "file"])


def test_dash_twice():
    assert Options().parse(["-", "x", "-"]) == ({}, ["-", "x", "-"])


def test_dash_as_value():
    assert Options(values=["o", "out"]).parse(["-o", "-", "--out", "-", "-"]) == (
        {"o": "-", "out": "-"},
        ["-"],
    )


def test_dash_after_end():
    assert Options().parse(["--", "-"]) == ({}, ["-"])


def test_value_is_next_word():
    assert Options(values=["n"]).parse(["-n", "-5", "x"]) == ({"n": "-5"}, ["x"])


def test_empty_value():
    assert Options(values=["name"]).parse(["--name=", "x"]) == ({"name": ""}, ["x"])


def test_empty_word():
    assert Options("a").parse(["", "-a"]) == ({"a": True}, [""])


def test_unknown_letter_in_group():
    with pytest.raises(UsageError):
        Options("ab").parse(["-abc"])
""",
    ),
    Program(
        name="styled_table",
        code=r'''"""Tables of text in which cells may have colours."""

import re

STYLE = re.compile(r"\x1b\[[0-9;]*m")


def style(text, code):
    """The text with an ANSI style, which takes no room on the screen."""
    return f"\x1b[{code}m{text}\x1b[0m"


def plain(text):
    """The text without styles."""
    return STYLE.sub("", text)


def width(text):
    """How many columns of the screen a text takes."""
    return len(plain(text))


def pad(text, size, align="left"):
    """The text with spaces, such that it takes at least size columns.

    With align "center" an odd space goes to the right.
    """
    missing = max(size - len(text), 0)
    if align == "left":
        return text + " " * missing
    if align == "right":
        return " " * missing + text
    if align == "center":
        return " " * (missing // 2) + text + " " * (missing - missing // 2)
    raise ValueError(align)


def table(rows, aligns=(), gap="  "):
    """Lines in which the cells of each column stand below each other.

    aligns are those of the first columns, the others are "left". Short rows
    are filled up with empty cells; no line ends with spaces.
    """
    count = max((len(row) for row in rows), default=0)
    aligns = list(aligns) + ["left"] * (count - len(aligns))
    full = [list(row) + [""] * (count - len(row)) for row in rows]
    sizes = [max(width(row[index]) for row in full) for index in range(count)]
    lines = []
    for row in full:
        cells = [pad(*parts) for parts in zip(row, sizes, aligns)]
        lines.append(gap.join(cells).rstrip())
    return lines


def underline(title, char="="):
    """A title with a line of the same width below."""
    return [title, char * width(title)]
''',
        wrong="    missing = max(size - len(text), 0)",
        right="    missing = max(size - width(text), 0)",
        visible="""
def test_plain_table():
    assert table([["a", "bb"], ["ccc", "d"]]) == ["a    bb", "ccc  d"]


def test_right():
    assert table([["a", "1"], ["b", "10"]], ["left", "right"]) == ["a   1", "b  10"]


def test_pad_styled():
    assert pad(style("ab", 31), 4) == style("ab", 31) + "  "


def test_pad_center():
    assert pad("ab", 5, "center") == " ab  "


def test_underline():
    assert underline(style("Title", 1)) == [style("Title", 1), "====="]
""",
        hidden="""
def test_styled_cell_in_table():
    rows = [[style("x", 32), "1"], ["long", "2"]]
    assert table(rows) == [style("x", 32) + "     1", "long  2"]


def test_styled_right():
    assert pad(style("7", "1;33"), 3, "right") == "  " + style("7", "1;33")


def test_styled_center():
    assert pad(style("ab", 4), 7, "center") == "  " + style("ab", 4) + "   "


def test_lines_look_alike():
    rows = [["ab", "c", "d"], [style("a", 31), style("ccc", 32), "d"]]
    assert [plain(line) for line in table(rows, gap="|")] == ["ab|c  |d", "a |ccc|d"]


def test_too_long_is_kept():
    assert pad("abcdef", 3) == "abcdef"
    assert pad(style("abc", 1), 3, "right") == style("abc", 1)


def test_short_rows():
    assert table([["a"], ["b", "c"]]) == ["a", "b  c"]


def test_no_rows():
    assert table([]) == []


def test_bad_align():
    with pytest.raises(ValueError):
        pad("a", 3, "middle")
""",
    ),
    Program(
        name="mini_template",
        code=r'''"""Small templates with names and filters in double braces."""

import re

FIELD = re.compile(r"\{\{\s*(.*?)\s*\}\}")


class TemplateError(ValueError):
    """A template that cannot be filled in."""


def use_default(value, text=""):
    """The text instead of a value that is missing (None); others stay."""
    return value or text


def join(value, separator=", "):
    """The elements of a sequence in one text."""
    return separator.join(str(element) for element in value)


def limit(value, size):
    """A text cut to a size, with "..." if something was cut off."""
    text = str(value)
    size = int(size)
    return text if len(text) <= size else text[:max(size - 3, 0)] + "..."


FILTERS = {
    "default": use_default,
    "upper": lambda value: str(value).upper(),
    "join": join,
    "limit": limit,
}


def lookup(path, data):
    """The value of a path like "user.name"; None if a part is missing.

    A part of digits is the index of a list.
    """
    for part in path.split("."):
        if isinstance(data, dict):
            data = data.get(part)
        elif isinstance(data, (list, tuple)) and part.isdigit():
            data = data[int(part)] if int(part) < len(data) else None
        else:
            return None
    return data


def render(template, data):
    """The template with {{ path }} or {{ path|filter|filter:text }} replaced.

    A value that is missing after all filters gives an empty text.
    """

    def replace(match):
        path, *filters = match.group(1).split("|")
        value = lookup(path.strip(), data)
        for item in filters:
            name, colon, text = item.partition(":")
            if name.strip() not in FILTERS:
                raise TemplateError(f"unknown filter {name.strip()!r}")
            value = FILTERS[name.strip()](value, *([text] if colon else []))
        return "" if value is None else str(value)

    return FIELD.sub(replace, template)
''',
        wrong="    return value or text",
        right="    return text if value is None else value",
        visible="""
def test_names():
    assert render("Hi {{ user.name }}!", {"user": {"name": "Bo"}}) == "Hi Bo!"


def test_missing():
    assert render("[{{ a.b }}]", {}) == "[]"


def test_default():
    assert render("{{ a|default:none }}", {}) == "none"
    assert render("{{ a|default:none }}", {"a": "x"}) == "x"


def test_default_for_zero():
    assert render("{{ count|default:unknown }} left", {"count": 0}) == "0 left"


def test_unknown_filter():
    with pytest.raises(TemplateError):
        render("{{ a|nothing }}", {})
""",
        hidden="""
def test_default_for_false():
    assert render("{{ on|default:yes }}", {"on": False}) == "False"


def test_default_for_empty_text():
    assert render("<{{ note|default:no note }}>", {"note": ""}) == "<>"


def test_default_for_zero_point():
    assert render("{{ s.rate|default:n/a }}", {"s": {"rate": 0.0}}) == "0.0"


def test_default_for_none():
    assert render("{{ a|default:x|upper }}", {"a": None}) == "X"


def test_default_of_empty_list_joined():
    assert render("({{ tags|default:none|join }})", {"tags": []}) == "()"


def test_join():
    assert render("{{ a|join:-}}", {"a": [1, 2]}) == "1-2"


def test_limit():
    assert render("{{ a|limit:6 }}", {"a": "abcdefgh"}) == "abc..."
    assert render("{{ a|limit:8 }}", {"a": "abcdefgh"}) == "abcdefgh"


def test_index():
    assert render("{{ a.1.b }}{{ a.7 }}", {"a": [0, {"b": 5}]}) == "5"
""",
    ),
    Program(
        name="paragraph_fill",
        code=r'''"""Breaking texts into lines of a given width."""


def wrap(text, width, first="", other=""):
    """The lines of one paragraph, each at most width characters long.

    The first line begins with `first`, all others with `other`; these count
    for the width. A word that is too long has a line for itself.
    """
    lines = []
    current, used = first, False
    for word in text.split():
        if used and len(current) + len(word) > width:
            lines.append(current)
            current, used = other, False
        current += (" " if used else "") + word
        used = True
    if used:
        lines.append(current)
    return lines


def paragraphs(text):
    """The parts of a text that are separated by empty lines."""
    found, lines = [], []
    for line in text.splitlines() + [""]:
        if line.strip():
            lines.append(line.strip())
        elif lines:
            found.append(" ".join(lines))
            lines = []
    return found


def fill(text, width):
    """All paragraphs wrapped, with an empty line between them."""
    return "\n\n".join("\n".join(wrap(part, width)) for part in paragraphs(text))


def bullets(items, width, mark="*"):
    """A list; the text of each item is aligned behind its mark."""
    lines = []
    for item in items:
        lines += wrap(item, width, f"{mark} ", " " * (len(mark) + 1))
    return "\n".join(lines)


def definitions(pairs, width, column=10):
    """Names with their meanings, all of which begin in the same column.

    A name that leaves no space before the column has a line for itself.
    """
    lines = []
    for name, meaning in pairs:
        indent = " " * column
        if len(name) >= column:
            lines.append(name)
            lines += wrap(meaning, width, indent, indent)
        else:
            lines += wrap(meaning, width, name.ljust(column), indent)
    return "\n".join(lines)
''',
        wrong="        if used and len(current) + len(word) > width:",
        right="        if used and len(current) + 1 + len(word) > width:",
        visible="""
def test_short():
    assert wrap("a few words", 20) == ["a few words"]


def test_exact_fit():
    assert wrap("aaa bbb ccc", 7) == ["aaa bbb", "ccc"]


def test_one_too_long():
    assert wrap("aaa bbbb ccc", 7) == ["aaa", "bbbb", "ccc"]


def test_long_word():
    assert wrap("a extraordinary b", 5) == ["a", "extraordinary", "b"]


def test_fill():
    assert fill("one\\ntwo\\n\\n\\nthree", 20) == "one two\\n\\nthree"
""",
        hidden="""
def test_never_too_wide():
    text = "the quick brown fox jumps over the lazy dog and runs away"
    for width in range(5, 30):
        assert all(len(line) <= width for line in wrap(text, width))


def test_prefixes_count():
    assert wrap("aa bb cc", 6, "> ", "> ") == ["> aa", "> bb", "> cc"]
    assert wrap("aa bb cc", 7, "> ", "> ") == ["> aa bb", "> cc"]


def test_single_letters():
    assert wrap("a b c d", 2) == ["a", "b", "c", "d"]
    assert wrap("a b c d", 3) == ["a b", "c d"]


def test_bullets():
    assert bullets(["one two", "three"], 8) == "* one\\n  two\\n* three"


def test_definitions():
    assert definitions([("a", "bb cc"), ("long", "dd")], 8, 4) == (
        "a   bb\\n    cc\\nlong\\n    dd"
    )


def test_nothing():
    assert wrap("", 10) == []
    assert fill("", 10) == ""


def test_fill_two():
    assert fill("aa bb\\ncc\\n\\ndd ee", 5) == "aa bb\\ncc\\n\\ndd ee"
""",
    ),
    Program(
        name="human_numbers",
        code=r'''"""Numbers as people like to read them."""

UNITS = ["B", "KB", "MB", "GB", "TB"]


def size(count, digits=1):
    """A number of bytes such as "1.5 KB"; a KB is 1024 bytes, and so on.

    The unit is the smallest one (up to TB) with which the number that is
    shown is less than 1024. Bytes are shown without a fraction.
    """
    if count < 0:
        return "-" + size(-count, digits)
    value, unit = count, 0
    while value >= 1024 and unit < len(UNITS) - 1:
        value /= 1024
        unit += 1
    if unit == 0:
        return f"{value} B"
    return f"{value:.{digits}f} {UNITS[unit]}"


def grouped(number, separator=","):
    """A whole number with its digits in groups of three."""
    sign = "-" if number < 0 else ""
    digits = str(abs(number))
    parts = []
    while digits:
        parts.append(digits[-3:])
        digits = digits[:-3]
    return sign + separator.join(reversed(parts))


def ordinal(number):
    """1st, 2nd, 3rd, 4th, ..., 11th, ..., 21st."""
    if number % 100 in (11, 12, 13):
        ending = "th"
    else:
        ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def counted(number, noun, plural=None):
    """A number with a noun: "1 file", "2 files"."""
    return f"{grouped(number)} {noun if number == 1 else plural or noun + 's'}"


def percent(part, whole):
    """A share as whole percents; "100%" only for the whole and "0%" for nothing."""
    if not whole:
        return "0%"
    share = round(100 * part / whole)
    if share == 100 and part < whole:
        share = 99
    if share == 0 and part > 0:
        share = 1
    return f"{share}%"
''',
        wrong="    while value >= 1024 and unit < len(UNITS) - 1:",
        right="    while round(value, digits) >= 1024 and unit < len(UNITS) - 1:",
        visible="""
def test_sizes():
    assert size(1023) == "1023 B"
    assert size(1536) == "1.5 KB"
    assert size(-2048) == "-2.0 KB"


def test_just_below_a_megabyte():
    assert size(1024 * 1024 - 1) == "1.0 MB"


def test_grouped():
    assert grouped(-1234567) == "-1,234,567"
    assert grouped(0) == "0"


def test_ordinal():
    assert [ordinal(n) for n in (1, 12, 23, 111)] == ["1st", "12th", "23rd", "111th"]


def test_percent():
    assert percent(999, 1000) == "99%"
""",
        hidden="""
def test_just_below_a_gigabyte():
    assert size(1024 ** 3 - 10) == "1.0 GB"


def test_below_a_terabyte_negative():
    assert size(-(1024 ** 4 - 1)) == "-1.0 TB"


def test_without_digits():
    assert size(1024 * 1024 - 400, 0) == "1 MB"


def test_more_digits():
    assert size(1024 * 1024 - 100, 1) == "1023.9 KB"
    assert size(1024 * 1024 - 1, 2) == "1.00 MB"


def test_exact():
    assert size(1024) == "1.0 KB"
    assert size(1024 ** 2) == "1.0 MB"
    assert size(0) == "0 B"


def test_largest_unit():
    assert size(5000 * 1024 ** 4) == "5000.0 TB"


def test_not_quite():
    assert size(1000 * 1024) == "1000.0 KB"


def test_counted():
    assert counted(1, "file") == "1 file"
    assert counted(1200, "entry", "entries") == "1,200 entries"
""",
    ),
    Program(
        name="netstring_stream",
        code=r'''"""Messages as netstrings: b"5:hello," is the message b"hello"."""


class ProtocolError(ValueError):
    """Bytes that are not a netstring."""


def encode(message):
    """The netstring of a message (bytes)."""
    return str(len(message)).encode() + b":" + message + b","


class Decoder:
    """Finds the messages in bytes that arrive in pieces of any size."""

    def __init__(self, limit=9999):
        self.limit = limit
        self.count = 0
        self._buffer = b""

    def feed(self, data):
        """Take some more bytes; a list of the messages that are complete now.

        A message is complete with the comma after it. ProtocolError if the
        bytes are no netstring or the message is longer than the limit.
        """
        self._buffer += data
        messages = []
        while True:
            message = self._next()
            if message is None:
                return messages
            messages.append(message)
            self.count += 1

    def _next(self):
        head, colon, _ = self._buffer.partition(b":")
        if not colon:
            if head and not head.isdigit() or len(head) > len(str(self.limit)):
                raise ProtocolError(f"bad length {head!r}")
            return None
        if not head.isdigit():
            raise ProtocolError(f"bad length {head!r}")
        length = int(head)
        if length > self.limit:
            raise ProtocolError("message too long")
        start = len(head) + 1
        end = start + length
        if len(self._buffer) < end:
            return None
        if self._buffer[end:end + 1] != b",":
            raise ProtocolError("comma expected")
        message = self._buffer[start:end]
        self._buffer = self._buffer[end + 1:]
        return message

    def pending(self):
        """How many bytes wait for the rest of their message."""
        return len(self._buffer)

    def close(self):
        """ProtocolError if there is an incomplete message."""
        if self._buffer:
            raise ProtocolError("incomplete message")
''',
        wrong="        if len(self._buffer) < end:",
        right="        if len(self._buffer) <= end:",
        visible="""
def test_encode():
    assert encode(b"hello") == b"5:hello,"


def test_two_messages():
    assert Decoder().feed(b"1:a,0:,2:bc,3:x") == [b"a", b"", b"bc"]


def test_byte_by_byte():
    decoder = Decoder()
    found = []
    for byte in b"3:abc,1:d,":
        found += decoder.feed(bytes([byte]))
    assert found == [b"abc", b"d"]


def test_missing_comma():
    with pytest.raises(ProtocolError):
        Decoder().feed(b"1:ab")


def test_pending():
    decoder = Decoder()
    decoder.feed(b"1:a,5:ab")
    assert decoder.pending() == 4
    with pytest.raises(ProtocolError):
        decoder.close()
""",
        hidden="""
def test_comma_comes_later():
    decoder = Decoder()
    assert decoder.feed(b"4:wxyz") == []
    assert decoder.feed(b",") == [b"wxyz"]
    decoder.close()


def test_empty_message_in_pieces():
    decoder = Decoder()
    assert decoder.feed(b"0:") == []
    assert decoder.pending() == 2
    assert decoder.feed(b",1:q,") == [b"", b"q"]


def test_any_split():
    data = encode(b"one") + encode(b"") + encode(b"a,b:c")
    for cut in range(len(data) + 1):
        decoder = Decoder()
        found = decoder.feed(data[:cut]) + decoder.feed(data[cut:])
        assert found == [b"one", b"", b"a,b:c"]
        assert decoder.count == 3


def test_wrong_byte_later():
    decoder = Decoder()
    decoder.feed(b"2:a")
    with pytest.raises(ProtocolError):
        decoder.feed(b"bc")


def test_bad_length():
    for data in (b"x", b":a,", b"-1:a,"):
        with pytest.raises(ProtocolError):
            Decoder().feed(data)


def test_limit():
    assert Decoder(3).feed(b"3:abc,") == [b"abc"]
    with pytest.raises(ProtocolError):
        Decoder(3).feed(b"4:abcd,")
""",
    ),
    Program(
        name="order_machine",
        code=r'''"""The life of an order as a state machine."""

TRANSITIONS = {
    "new": {"pay": "paid", "cancel": "cancelled"},
    "paid": {"ship": "shipped", "refund": "refunded"},
    "shipped": {"deliver": "delivered", "lose": "paid"},
    "delivered": {},
    "cancelled": {},
    "refunded": {},
}


class NotAllowed(Exception):
    """The event is not possible now."""


class Order:
    """An order; it remembers all states in which it was before."""

    def __init__(self):
        self.state = "new"
        self.history = []
        self._guards = []
        self._listeners = []

    def guard(self, check):
        """Add a function of (event, state) that returns whether to go on."""
        self._guards.append(check)

    def listen(self, function):
        """Add a function that is called with (old state, new state)."""
        self._listeners.append(function)

    def allowed(self):
        """The events that are possible in this state, sorted."""
        return sorted(TRANSITIONS[self.state])

    def fire(self, event):
        """Go to another state and return it.

        NotAllowed if the event is not possible or a guard refuses; then
        nothing changes. The listeners are called after the change.
        """
        target = TRANSITIONS[self.state].get(event)
        if target is None:
            raise NotAllowed(f"{event} in state {self.state}")
        for check in self._guards:
            if not check(event, self.state):
                raise NotAllowed(f"{event} was refused")
        old, self.state = self.state, target
        self.history.append(self.state)
        for function in self._listeners:
            function(old, target)
        return target

    def undo(self):
        """Go back to the state before; NotAllowed if there is none."""
        if not self.history:
            raise NotAllowed("nothing to undo")
        self.state = self.history.pop()
        return self.state

    def finished(self):
        """Whether no event is possible any more."""
        return not TRANSITIONS[self.state]
''',
        wrong="        self.history.append(self.state)",
        right="        self.history.append(old)",
        visible="""
def test_fire():
    order = Order()
    assert order.fire("pay") == "paid"
    assert order.allowed() == ["refund", "ship"]


def test_not_possible():
    with pytest.raises(NotAllowed):
        Order().fire("ship")


def test_undo():
    order = Order()
    order.fire("pay")
    assert order.undo() == "new"


def test_listener():
    order, calls = Order(), []
    order.listen(lambda old, new: calls.append((old, new)))
    order.fire("cancel")
    assert calls == [("new", "cancelled")]


def test_finished():
    order = Order()
    assert not order.finished()
    order.fire("cancel")
    assert order.finished()
""",
        hidden="""
def test_history():
    order = Order()
    for event in ("pay", "ship", "deliver"):
        order.fire(event)
    assert order.history == ["new", "paid", "shipped"]


def test_undo_twice():
    order = Order()
    order.fire("pay")
    order.fire("ship")
    assert [order.undo(), order.undo()] == ["paid", "new"]
    with pytest.raises(NotAllowed):
        order.undo()


def test_undo_and_go_on():
    order = Order()
    order.fire("pay")
    order.undo()
    assert order.fire("cancel") == "cancelled"
    assert order.history == ["new"]


def test_refused_leaves_no_trace():
    order = Order()
    order.guard(lambda event, state: event != "pay")
    with pytest.raises(NotAllowed):
        order.fire("pay")
    assert (order.state, order.history) == ("new", [])


def test_round():
    order = Order()
    for event in ("pay", "ship", "lose", "ship"):
        order.fire(event)
    assert order.history == ["new", "paid", "shipped", "paid"]


def test_listener_sees_new_state():
    order, seen = Order(), []
    order.listen(lambda old, new: seen.append(order.state))
    order.fire("pay")
    assert seen == ["paid"]


def test_guard_sees_old_state():
    order, seen = Order(), []
    order.guard(lambda event, state: seen.append((event, state)) or True)
    order.fire("pay")
    assert seen == [("pay", "new")]
""",
    ),
    Program(
        name="window_sender",
        code=r'''"""The sending side of a protocol with a sliding window."""


class Sender:
    """Sends messages with numbers 0..modulus-1, after which 0 comes again.

    At most `window` messages may be on their way; window is less than half
    of the modulus.
    """

    def __init__(self, window, modulus):
        if not 0 < window < modulus / 2:
            raise ValueError("window too large")
        self.window = window
        self.modulus = modulus
        self._next = 0
        self._flying = []
        self._waiting = []

    def send(self, message):
        """Take a message; the list of (number, message) to transmit now."""
        self._waiting.append(message)
        return self._fill()

    def _fill(self):
        started = []
        while self._waiting and len(self._flying) < self.window:
            packet = (self._next, self._waiting.pop(0))
            self._next = (self._next + 1) % self.modulus
            self._flying.append(packet)
            started.append(packet)
        return started

    def _in_flight(self, number):
        """Whether the message with a number is on its way."""
        if not self._flying:
            return False
        first = self._flying[0][0]
        return first <= number < first + len(self._flying)

    def acknowledge(self, number):
        """The receiver has everything up to and including a number.

        The list of packets to transmit now. An old number changes nothing.
        """
        if not self._in_flight(number):
            return []
        while self._flying:
            done, _ = self._flying.pop(0)
            if done == number:
                break
        return self._fill()

    def timeout(self):
        """All packets on their way, to be transmitted again."""
        return list(self._flying)

    def idle(self):
        """Whether everything was sent and acknowledged."""
        return not self._flying and not self._waiting
''',
        wrong="        return first <= number < first + len(self._flying)",
        right="        return (number - first) % self.modulus < len(self._flying)",
        visible="""
def test_window():
    sender = Sender(2, 8)
    assert sender.send("a") == [(0, "a")]
    assert sender.send("b") == [(1, "b")]
    assert sender.send("c") == []
    assert sender.timeout() == [(0, "a"), (1, "b")]


def test_acknowledge():
    sender = Sender(2, 8)
    for message in "abc":
        sender.send(message)
    assert sender.acknowledge(1) == [(2, "c")]
    assert sender.acknowledge(2) == []
    assert sender.idle()


def test_old_number():
    sender = Sender(2, 8)
    sender.send("a")
    assert sender.acknowledge(5) == []
    assert not sender.idle()


def test_around():
    sender = Sender(2, 5)
    for message in "abcd":
        sender.send(message)
    sender.acknowledge(1)
    sender.acknowledge(3)
    sender.send("e")
    sender.send("f")
    sender.acknowledge(0)
    assert sender.idle()


def test_bad_window():
    with pytest.raises(ValueError):
        Sender(4, 8)
""",
        hidden="""
def test_many_messages():
    sender = Sender(3, 8)
    sent = []
    for number in range(30):
        sent += sender.send(number)
    while not sender.idle():
        before = len(sent)
        sent += sender.acknowledge(sender.timeout()[-1][0])
        assert len(sent) > before or sender.idle()
    assert sent == [(number % 8, number) for number in range(30)]


def around():
    sender = Sender(3, 7)
    for message in "abcdef":
        sender.send(message)
    sender.acknowledge(2)
    sender.acknowledge(4)
    for message in "gh":
        sender.send(message)
    return sender


def test_flying_around():
    assert around().timeout() == [(5, "f"), (6, "g"), (0, "h")]


def test_acknowledge_all_around():
    sender = around()
    sender.acknowledge(0)
    assert sender.timeout() == []


def test_acknowledge_part_around():
    sender = around()
    sender.send("i")
    assert sender.acknowledge(6) == [(1, "i")]
    assert sender.acknowledge(0) == []
    assert sender.timeout() == [(1, "i")]


def test_old_numbers_around():
    sender = around()
    for number in (1, 2, 3, 4):
        assert sender.acknowledge(number) == []
    assert len(sender.timeout()) == 3


def test_nothing_flying():
    assert Sender(1, 4).acknowledge(0) == []


def test_acknowledge_twice():
    sender = Sender(2, 6)
    for message in "abc":
        sender.send(message)
    sender.acknowledge(0)
    assert sender.acknowledge(0) == []
    assert sender.timeout() == [(1, "b"), (2, "c")]
""",
    ),
    Program(
        name="accept_header",
        code=r'''"""Choosing what a client likes best (the Accept header of HTTP)."""


def parse(header):
    """A list of (media type, quality) in the order of the header.

    The quality is the parameter q, 1.0 if there is none. It is cut to the
    range 0..1; an element whose q is no number is left out.
    """
    found = []
    for element in header.split(","):
        media, *parameters = [part.strip() for part in element.split(";")]
        if not media:
            continue
        quality = None
        try:
            for parameter in parameters:
                name, _, value = parameter.partition("=")
                if name.strip().lower() == "q":
                    quality = float(value)
        except ValueError:
            continue
        quality = quality or 1.0
        found.append((media.lower(), min(max(quality, 0.0), 1.0)))
    return found


def specificity(pattern, media):
    """How well a pattern fits: 3 exactly, 2 as text/*, 1 as */*, 0 not at all."""
    if pattern == media:
        return 3
    if pattern == media.split("/")[0] + "/*":
        return 2
    return 1 if pattern == "*/*" else 0


def quality(header, media):
    """The quality a client gives to a media type.

    The most specific element of the header that fits counts; 0.0 if none
    fits. An empty header accepts everything.
    """
    elements = parse(header)
    if not elements:
        return 1.0
    best, result = 0, 0.0
    for pattern, value in elements:
        fits = specificity(pattern, media.lower())
        if fits > best:
            best, result = fits, value
    return result


def choose(header, offers):
    """The offer with the highest quality, the first of several.

    None if the client accepts none: quality 0 means "not acceptable".
    """
    best, result = None, 0.0
    for offer in offers:
        value = quality(header, offer)
        if value > result:
            best, result = offer, value
    return best
''',
        wrong="        quality = quality or 1.0",
        right="        quality = 1.0 if quality is None else quality",
        visible="""
def test_parse():
    assert parse("text/html, text/*;q=0.5,") == [("text/html", 1.0), ("text/*", 0.5)]


def test_not_acceptable():
    assert choose("text/html;q=0, */*", ["text/html", "image/png"]) == "image/png"


def test_choose():
    header = "text/plain;q=0.5, text/html"
    assert choose(header, ["text/plain", "text/html"]) == "text/html"
    assert choose(header, ["image/png"]) is None


def test_bad_quality():
    assert parse("a/b;q=x, c/d") == [("c/d", 1.0)]


def test_empty_header():
    assert choose("", ["a/b"]) == "a/b"
""",
        hidden="""
def test_parse_zero():
    assert parse("a/b;q=0, c/d;q=0.0") == [("a/b", 0.0), ("c/d", 0.0)]


def test_only_zero():
    assert choose("a/b;q=0", ["a/b"]) is None


def test_everything_but_images():
    header = "*/*;q=0.8, image/*;q=0"
    assert quality(header, "image/png") == 0.0
    assert quality(header, "text/html") == 0.8


def test_negative_and_large():
    assert parse("a/b;q=-1, c/d;q=7") == [("a/b", 0.0), ("c/d", 1.0)]


def test_other_parameters():
    assert parse("text/html;level=1;Q=0.4") == [("text/html", 0.4)]


def test_most_specific_counts():
    header = "text/*, text/html;q=0.3"
    assert choose(header, ["text/html", "text/csv"]) == "text/csv"


def test_first_of_equals():
    assert choose("*/*", ["b/b", "a/a"]) == "b/b"
""",
    ),
    Program(
        name="monthly_bills",
        code=r'''"""Dates of bills that come back every month."""

from calendar import monthrange
from datetime import date


def add_months(day, count):
    """The same day some months later (or earlier, if count is negative).

    In a month that is too short it is the last day of the month.
    """
    months = day.year * 12 + day.month - 1 + count
    year, month = divmod(months, 12)
    last = monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


def due_dates(first, count, every=1):
    """The dates of a number of bills, one every so many months.

    Each is on the day of the month of the first one, or on the last day of
    a month that is too short.
    """
    result = [first]
    for index in range(1, count):
        result.append(add_months(result[-1], every))
    return result[:count]


def next_due(first, today):
    """The first date of a monthly bill that is not before today."""
    months = (today.year - first.year) * 12 + today.month - first.month
    candidate = add_months(first, max(months, 0))
    if candidate < today:
        candidate = add_months(first, months + 1)
    return candidate


def full_months(start, end):
    """How many whole months lie between two dates (start not after end)."""
    months = (end.year - start.year) * 12 + end.month - start.month
    if add_months(start, months) > end:
        months -= 1
    return months


def schedule(amount, first, count, every=1):
    """Pairs of date and cents: an amount of cents in equal parts.

    What cannot be divided equally is paid with the first bills.
    """
    part, rest = divmod(amount, count)
    return [
        (day, part + (1 if index < rest else 0))
        for index, day in enumerate(due_dates(first, count, every))
    ]
''',
        wrong="        result.append(add_months(result[-1], every))",
        right="        result.append(add_months(first, every * index))",
        visible="""
def test_add_months():
    assert add_months(date(2023, 11, 15), 2) == date(2024, 1, 15)
    assert add_months(date(2024, 3, 31), -1) == date(2024, 2, 29)


def test_due_dates():
    assert due_dates(date(2023, 12, 5), 3) == [
        date(2023, 12, 5), date(2024, 1, 5), date(2024, 2, 5),
    ]


def test_due_at_the_end_of_the_month():
    assert due_dates(date(2023, 1, 31), 4) == [
        date(2023, 1, 31), date(2023, 2, 28), date(2023, 3, 31), date(2023, 4, 30),
    ]


def test_next_due():
    assert next_due(date(2023, 1, 10), date(2023, 4, 11)) == date(2023, 5, 10)


def test_full_months():
    assert full_months(date(2023, 1, 10), date(2023, 3, 9)) == 1
""",
        hidden="""
def test_thirtieth():
    assert due_dates(date(2024, 1, 30), 3) == [
        date(2024, 1, 30), date(2024, 2, 29), date(2024, 3, 30),
    ]


def test_every_quarter():
    assert due_dates(date(2023, 8, 31), 4, 3) == [
        date(2023, 8, 31), date(2023, 11, 30), date(2024, 2, 29), date(2024, 5, 31),
    ]


def test_leap_day_every_year():
    days = due_dates(date(2020, 2, 29), 5, 12)
    assert days[1] == date(2021, 2, 28)
    assert days[4] == date(2024, 2, 29)


def test_every_second_month():
    assert due_dates(date(2023, 11, 1), 3, 2) == [
        date(2023, 11, 1), date(2024, 1, 1), date(2024, 3, 1),
    ]


def test_one_and_none():
    assert due_dates(date(2023, 1, 31), 1) == [date(2023, 1, 31)]
    assert due_dates(date(2023, 1, 31), 0) == []


def test_schedule():
    assert schedule(1000, date(2023, 1, 31), 3) == [
        (date(2023, 1, 31), 334), (date(2023, 2, 28), 333), (date(2023, 3, 31), 333),
    ]


def test_next_due_short_month():
    assert next_due(date(2023, 1, 31), date(2023, 2, 28)) == date(2023, 2, 28)
    assert next_due(date(2023, 1, 31), date(2022, 5, 1)) == date(2023, 1, 31)
""",
    ),
    Program(
        name="bill_splitter",
        code=r'''"""Sharing amounts of money without losing a cent."""


def parse(text):
    """An amount such as "12", "12.5" or "-3.07" in cents."""
    sign = -1 if text.strip().startswith("-") else 1
    whole, _, fraction = text.strip().lstrip("+-").partition(".")
    if not whole.isdigit() or len(fraction) > 2 or fraction and not fraction.isdigit():
        raise ValueError(f"bad amount {text!r}")
    return sign * (int(whole) * 100 + int(fraction.ljust(2, "0")))


def show(cents):
    """Cents as text, such as "12.50"."""
    sign = "-" if cents < 0 else ""
    whole, fraction = divmod(abs(cents), 100)
    return f"{sign}{whole}.{fraction:02d}"


def allocate(cents, weights):
    """The shares of an amount in proportion to whole weights.

    Every share is rounded down first; the cents that are left go one by one
    to those who lost most by it, of equals to the first.
    """
    total = sum(weights)
    if total <= 0 or min(weights) < 0:
        raise ValueError("bad weights")
    shares = [cents * weight // total for weight in weights]
    lost = [cents * weight % total for weight in weights]
    order = sorted(range(len(weights)), key=lambda index: lost[index])
    for index in order[:cents - sum(shares)]:
        shares[index] += 1
    return shares


def split(cents, people):
    """A dict from each person to an equal share, the first ones a cent more."""
    return dict(zip(people, allocate(cents, [1] * len(people))))


def balances(expenses):
    """What each person gets back (or owes, if negative), in cents.

    expenses are (payer, cents, people who share it).
    """
    result = {}
    for payer, cents, people in expenses:
        result[payer] = result.get(payer, 0) + cents
        for person, share in split(cents, people).items():
            result[person] = result.get(person, 0) - share
    return result
''',
        wrong="key=lambda index: lost[index])",
        right="key=lambda index: -lost[index])",
        visible="""
def test_parse():
    assert [parse("12"), parse("12.5"), parse("-3.07")] == [1200, 1250, -307]


def test_show():
    assert [show(5), show(-1250)] == ["0.05", "-12.50"]


def test_split():
    assert split(100, ["a", "b", "c"]) == {"a": 34, "b": 33, "c": 33}


def test_largest_rest():
    assert allocate(10, [1, 2, 4]) == [1, 3, 6]


def test_balances():
    assert balances([("a", 100, ["a", "b"]), ("b", 30, ["a", "b"])]) == {"a": 35, "b": -35}
""",
        hidden="""
def test_one_cent():
    assert allocate(1, [1, 3]) == [0, 1]


def test_two_left():
    assert allocate(100, [3, 5, 9]) == [18, 29, 53]


def test_weight_zero_gets_nothing():
    assert allocate(5, [0, 1, 1]) == [0, 3, 2]


def test_equal_rests():
    assert allocate(5, [1, 1, 1, 1]) == [2, 1, 1, 1]


def test_no_rest():
    assert allocate(12, [1, 2, 3]) == [2, 4, 6]


def test_sum_is_kept():
    for cents in range(0, 60, 7):
        assert sum(allocate(cents, [5, 0, 2, 8])) == cents


def test_bad_weights():
    with pytest.raises(ValueError):
        allocate(10, [0, 0])


def test_bad_amounts():
    for text in ("", "1.234", "a", "1.x"):
        with pytest.raises(ValueError):
            parse(text)
""",
    ),
    Program(
        name="duration_text",
        code=r'''"""Durations as text: "1h 30m" is 5400 seconds."""

import re

SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
PART = re.compile(r"\s*(\d+)\s*([dhms])")


def parse(text):
    """The seconds of a duration such as "1h 30m", "90s" or "-2d 4h".

    A minus in front counts for the whole duration. Each unit may occur
    once, in any order.
    """
    rest = text.strip()
    sign = 1
    if rest.startswith("-"):
        sign, rest = -1, rest[1:]
    if not rest:
        raise ValueError("empty duration")
    total, used = 0, set()
    position = 0
    while position < len(rest):
        match = PART.match(rest, position)
        if not match or match.group(2) in used:
            raise ValueError(f"bad duration {text!r}")
        used.add(match.group(2))
        total += int(match.group(1)) * SECONDS[match.group(2)]
        position = match.end()
    return sign * total


def show(seconds):
    """The shortest text of a duration: "1h 30m"; parts of zero are left out.

    A negative duration is the text of the positive one with a minus in
    front, and nothing at all is "0s".
    """
    parts = []
    rest = seconds
    for unit, size in SECONDS.items():
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count}{unit}")
    return ("-" if seconds < 0 else "") + (" ".join(parts) or "0s")


def clock(seconds):
    """The duration as hours, minutes and seconds: "1:05:09" or "-0:00:07"."""
    minutes, second = divmod(abs(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{'-' if seconds < 0 else ''}{hours}:{minute:02d}:{second:02d}"


def total(texts):
    """The sum of several durations as text."""
    return show(sum(parse(text) for text in texts))


def difference(first, second):
    """The duration first minus second as text."""
    return show(parse(first) - parse(second))
''',
        wrong="    rest = seconds",
        right="    rest = abs(seconds)",
        visible="""
def test_parse():
    assert parse("1h 30m") == 5400
    assert parse("-2d4h") == -187200


def test_parse_errors():
    for text in ("", "-", "5", "1h 2h", "x", "1h,"):
        with pytest.raises(ValueError):
            parse(text)


def test_show():
    assert show(5400) == "1h 30m"
    assert show(0) == "0s"


def test_difference():
    assert difference("30m", "2h") == "-1h 30m"


def test_clock():
    assert clock(3909) == "1:05:09"
    assert clock(-7) == "-0:00:07"
""",
        hidden="""
def test_show_negative():
    assert show(-1) == "-1s"
    assert show(-3600) == "-1h"


def test_negative_day():
    assert show(-86400 - 61) == "-1d 1m 1s"


def test_round_trip():
    for seconds in (-100000, -3599, -60, 0, 59, 3601, 90061):
        assert parse(show(seconds)) == seconds


def test_negative_total():
    assert total(["10s", "-1m"]) == "-50s"


def test_positive_total():
    assert total(["40m", "20m", "5s"]) == "1h 5s"


def test_difference_positive():
    assert difference("1d", "1h") == "23h"


def test_difference_none():
    assert difference("60s", "1m") == "0s"
""",
    ),
    Program(
        name="working_hours",
        code=r'''"""Working time between two moments."""

from datetime import datetime, time, timedelta


class Calendar:
    """Working days are Monday to Friday without the holidays (dates).

    Work is done from `opens` to `closes` on each of these days.
    """

    def __init__(self, opens=time(9), closes=time(17), holidays=()):
        if opens >= closes:
            raise ValueError("closes before it opens")
        self.opens = opens
        self.closes = closes
        self.holidays = set(holidays)

    def is_working_day(self, day):
        """Whether work is done on the day of a datetime."""
        return day.weekday() < 5 and day not in self.holidays

    def is_open(self, moment):
        """Whether work is done at a moment."""
        return (
            self.is_working_day(moment) and self.opens <= moment.time() < self.closes
        )

    def between(self, start, end):
        """The working time from start to end as a timedelta (0 if end is earlier)."""
        total = timedelta()
        day = datetime.combine(start.date(), time())
        while day < end:
            if self.is_working_day(day):
                opening = max(start, datetime.combine(day.date(), self.opens))
                closing = min(end, datetime.combine(day.date(), self.closes))
                if closing > opening:
                    total += closing - opening
            day += timedelta(days=1)
        return total

    def after(self, start, amount):
        """The moment at which an amount of working time (more than 0) is done."""
        if amount <= timedelta():
            raise ValueError("nothing to do")
        day = datetime.combine(start.date(), time())
        while True:
            if self.is_working_day(day):
                opening = max(start, datetime.combine(day.date(), self.opens))
                closing = datetime.combine(day.date(), self.closes)
                if opening < closing:
                    if opening + amount <= closing:
                        return opening + amount
                    amount -= closing - opening
            day += timedelta(days=1)
''',
        wrong="        return day.weekday() < 5 and day not in self.holidays",
        right="        return day.weekday() < 5 and day.date() not in self.holidays",
        visible="""
MONDAY = datetime(2024, 1, 1)


def at(day, hour, minute=0):
    return datetime(2024, 1, day, hour, minute)


def test_same_day():
    assert Calendar().between(at(2, 8), at(2, 10, 30)) == timedelta(minutes=90)


def test_weekend():
    assert Calendar().between(at(5, 16), at(8, 10)) == timedelta(hours=2)


def test_holiday():
    calendar = Calendar(holidays=[MONDAY.date()])
    assert calendar.between(at(1, 0), at(2, 11)) == timedelta(hours=2)


def test_after():
    assert Calendar().after(at(5, 15), timedelta(hours=3)) == at(8, 10)


def test_is_open():
    assert Calendar().is_open(at(2, 9))
    assert not Calendar().is_open(at(2, 17))
    assert not Calendar().is_open(at(6, 12))
""",
        hidden="""
from datetime import date


def at2(day, hour, minute=0):
    return datetime(2023, 12, day, hour, minute)


CHRISTMAS = [date(2023, 12, 25), date(2023, 12, 26)]


def test_not_open_on_holiday():
    calendar = Calendar(holidays=CHRISTMAS)
    assert not calendar.is_open(at2(25, 12))
    assert calendar.is_open(at2(27, 12))


def test_between_over_holidays():
    calendar = Calendar(holidays=CHRISTMAS)
    assert calendar.between(at2(22, 12), at2(27, 12)) == timedelta(hours=8)


def test_after_over_holidays():
    calendar = Calendar(holidays=CHRISTMAS)
    assert calendar.after(at2(22, 16), timedelta(hours=2)) == at2(27, 10)


def test_working_day():
    calendar = Calendar(holidays=CHRISTMAS)
    assert not calendar.is_working_day(at2(26, 0))
    assert calendar.is_working_day(at2(28, 23, 59))


def test_end_earlier():
    assert Calendar().between(at2(27, 12), at2(27, 10)) == timedelta()


def test_until_closing():
    assert Calendar().after(at2(27, 9), timedelta(hours=8)) == at2(27, 17)


def test_other_hours():
    calendar = Calendar(time(22), time(23))
    assert calendar.between(at2(27, 0), at2(29, 0)) == timedelta(hours=2)


def test_errors():
    with pytest.raises(ValueError):
        Calendar(time(9), time(9))
    with pytest.raises(ValueError):
        Calendar().after(at2(27, 9), timedelta())
""",
    ),
    Program(
        name="ignore_rules",
        code=r'''"""Rules about which files to ignore, one pattern a line."""

from fnmatch import fnmatchcase


class Rule:
    """One pattern; a "!" in front means that what fits is not ignored.

    A pattern that ends with "/" fits directories only. One with another "/"
    fits the whole path from the top, one without fits the last part of it.
    """

    def __init__(self, line):
        self.negated = line.startswith("!")
        pattern = line[1:] if self.negated else line
        self.only_directories = pattern.endswith("/")
        pattern = pattern.rstrip("/")
        self.anchored = "/" in pattern
        self.pattern = pattern.lstrip("/")

    def fits(self, path, directory):
        """Whether the rule is about a path ("a/b/c")."""
        if self.only_directories and not directory:
            return False
        if not self.anchored:
            return fnmatchcase(path.rsplit("/", 1)[-1], self.pattern)
        names, patterns = path.split("/"), self.pattern.split("/")
        return len(names) == len(patterns) and all(
            fnmatchcase(name, pattern) for name, pattern in zip(names, patterns)
        )


class Ignore:
    """The rules of a text; empty lines and those beginning with # are none."""

    def __init__(self, text):
        lines = [line.strip() for line in text.splitlines()]
        self.rules = [Rule(line) for line in lines if line and line[0] != "#"]

    def _decide(self, path, directory):
        """The last rule that fits a path decides; without one it is kept."""
        for rule in self.rules:
            if rule.fits(path, directory):
                return not rule.negated
        return False

    def ignored(self, path):
        """Whether a file is ignored.

        It is if it or a directory above it is; below an ignored directory
        nothing can be kept.
        """
        names = path.strip("/").split("/")
        for count in range(1, len(names)):
            if self._decide("/".join(names[:count]), True):
                return True
        return self._decide("/".join(names), False)

    def kept(self, paths):
        """The paths that are not ignored, in their order."""
        return [path for path in paths if not self.ignored(path)]
''',
        wrong="        for rule in self.rules:",
        right="        for rule in reversed(self.rules):",
        visible="""
def test_last_part():
    rules = Ignore("*.pyc")
    assert rules.ignored("a/b.pyc")
    assert not rules.ignored("a/b.py")


def test_directories_only():
    rules = Ignore("build/")
    assert rules.ignored("x/build/a.txt")
    assert not rules.ignored("x/build")


def test_exception():
    rules = Ignore("*.log\\n!keep.log")
    assert rules.kept(["a.log", "keep.log", "x/keep.log"]) == ["keep.log", "x/keep.log"]


def test_anchored():
    rules = Ignore("/a\\nb/*.c")
    assert rules.ignored("a")
    assert not rules.ignored("x/a")
    assert rules.ignored("b/x.c")
    assert not rules.ignored("b/y/x.c")


def test_comments():
    assert not Ignore("# a\\n\\n").ignored("a")
""",
        hidden="""
def test_exception_to_exception():
    rules = Ignore("*.txt\\n!read*.txt\\nreadme2.txt")
    assert rules.kept(["a.txt", "readme.txt", "readme2.txt"]) == ["readme.txt"]


def test_exception_before_rule():
    rules = Ignore("!a.o\\n*.o")
    assert rules.ignored("a.o")


def test_directory_exception():
    rules = Ignore("*/\\n!src/")
    assert rules.kept(["src/a", "doc/a", "b"]) == ["src/a", "b"]


def test_below_ignored_directory():
    rules = Ignore("tmp/\\n!keep")
    assert rules.ignored("tmp/keep")
    assert not rules.ignored("keep")


def test_several_rules():
    rules = Ignore("a\\nb")
    assert rules.kept(["a", "b", "c"]) == ["c"]


def test_question_mark():
    assert Ignore("?.c").kept(["a.c", "ab.c"]) == ["ab.c"]


def test_all_but_one():
    assert Ignore("*\\n!a").kept(["a", "b", "c"]) == ["a"]
""",
    ),
    Program(
        name="query_filter",
        code=r'''"""Selecting records with conditions such as age__gte=18."""

OPERATORS = {
    "eq": lambda value, wanted: value == wanted,
    "ne": lambda value, wanted: value != wanted,
    "lt": lambda value, wanted: value is not None and value < wanted,
    "lte": lambda value, wanted: value is not None and value <= wanted,
    "gt": lambda value, wanted: value is not None and value > wanted,
    "gte": lambda value, wanted: value is not None and value >= wanted,
    "in": lambda value, wanted: value in wanted,
    "contains": lambda value, wanted: value is not None and wanted in value,
    "icontains": lambda value, wanted: wanted.lower() in (value or "").lower(),
    "isnull": lambda value, wanted: (value is None) == wanted,
}


def fetch(record, path):
    """The value at the end of a path of keys; None if a key is missing."""
    for key in path:
        if not isinstance(record, dict) or key not in record:
            return None
        record = record[key]
    return record


def condition(name):
    """The path and operator of a name: "a__b__lt" is (["a", "b"], "lt").

    The last part is an operator if it is the name of one and not the only
    part; otherwise the operator is "eq" and all parts are keys.
    """
    path = name.split("__")
    operator = "eq"
    if len(path) > 1 and path[-1] in OPERATORS:
        operator = path.pop()
    return path, operator


def matches(record, **conditions):
    """Whether a record fulfils all the conditions."""
    for name, wanted in conditions.items():
        path, operator = condition(name)
        if not OPERATORS[operator](fetch(record, path), wanted):
            return False
    return True


def select(records, **conditions):
    """The records that fulfil all the conditions."""
    return [record for record in records if matches(record, **conditions)]


def exclude(records, **conditions):
    """The records that do not fulfil all the conditions."""
    return [record for record in records if not matches(record, **conditions)]


def order_by(records, name):
    """The records sorted by a path such as "a__b", or "-a__b" for falling.

    Records that have no value there come last in both cases.
    """
    path = name.lstrip("-").split("__")
    having = [record for record in records if fetch(record, path) is not None]
    others = [record for record in records if fetch(record, path) is None]
    having.sort(key=lambda record: fetch(record, path[:1]), reverse=name[0] == "-")
    return having + others
''',
        wrong="fetch(record, path[:1])",
        right="fetch(record, path)",
        visible="""
PEOPLE = [
    {"name": "Ann", "age": 31, "home": {"city": "Rome", "zip": 5}},
    {"name": "Bob", "age": 17, "home": {"city": "Bonn", "zip": 9}},
    {"name": "Cid", "age": None, "home": {"city": "Oslo", "zip": 7}},
]


def names(records):
    return [record["name"] for record in records]


def test_select():
    assert names(select(PEOPLE, age__gte=18)) == ["Ann"]
    assert names(select(PEOPLE, home__city="Oslo")) == ["Cid"]
    assert names(select(PEOPLE, home__zip__in=[5, 7])) == ["Ann", "Cid"]


def test_exclude():
    assert names(exclude(PEOPLE, name__icontains="B")) == ["Ann", "Cid"]


def test_order_by_age():
    assert names(order_by(PEOPLE, "age")) == ["Bob", "Ann", "Cid"]
    assert names(order_by(PEOPLE, "-age")) == ["Ann", "Bob", "Cid"]


def test_order_by_city():
    assert names(order_by(PEOPLE, "home__city")) == ["Bob", "Cid", "Ann"]


def test_condition():
    assert condition("a__b__lt") == (["a", "b"], "lt")
    assert condition("in") == (["in"], "eq")
""",
        hidden="""
def ids(records):
    return [record["id"] for record in records]


def rows():
    return [
        {"id": 1, "size": {"w": 3, "h": {"cm": 2}}},
        {"id": 2, "size": {"w": 9, "h": {"cm": 8}}},
        {"id": 3, "size": {"w": 5}},
        {"id": 4},
    ]


def test_order_nested():
    assert ids(order_by(rows(), "size__w")) == [1, 3, 2, 4]


def test_order_nested_falling():
    assert ids(order_by(rows(), "-size__w")) == [2, 3, 1, 4]


def test_order_three_levels():
    assert ids(order_by(rows(), "-size__h__cm")) == [2, 1, 3, 4]


def test_order_flat():
    assert ids(order_by(rows(), "-id")) == [4, 3, 2, 1]


def test_not_changed():
    records = rows()
    order_by(records, "-id")
    assert ids(records) == [1, 2, 3, 4]


def test_is_null():
    assert ids(select(rows(), size__h__isnull=True)) == [3, 4]


def test_two_conditions():
    assert ids(select(rows(), size__w__gt=3, id__ne=2)) == [3]


def test_exclude_all_of():
    assert ids(exclude(rows(), size__w__gt=3, id__ne=2)) == [1, 2, 4]
""",
    ),
    Program(
        name="url_routes",
        code=r'''"""Finding the page for an address."""

import re

CONVERTERS = {
    "int": (r"\d+", int),
    "str": (r"[^/]+", str),
    "path": (r".+", str),
}
PART = re.compile(r"<(?:(\w+):)?(\w+)>")


class Route:
    """A pattern such as "/user/<int:id>/<name>", made into an expression."""

    def __init__(self, pattern, page):
        self.pattern = pattern
        self.page = page
        self.converters = {}
        expression, position = "", 0
        for match in PART.finditer(pattern):
            kind, name = match.group(1) or "str", match.group(2)
            if kind not in CONVERTERS:
                raise ValueError(f"unknown converter {kind}")
            regex, self.converters[name] = CONVERTERS[kind]
            expression += re.escape(pattern[position:match.start()])
            expression += f"(?P<{name}>{regex})"
            position = match.end()
        self.regex = re.compile(expression + re.escape(pattern[position:]))

    def match(self, address):
        """The values of the names if the pattern fits the whole address, or None."""
        match = self.regex.match(address)
        if match is None:
            return None
        return {
            name: self.converters[name](text) for name, text in match.groupdict().items()
        }

    def build(self, **values):
        """The address for some values."""
        return PART.sub(lambda match: str(values[match.group(2)]), self.pattern)


class Router:
    """Routes, of which the first one that fits is taken."""

    def __init__(self, *routes):
        self.routes = [Route(pattern, page) for pattern, page in routes]

    def find(self, address):
        """The page of an address and the values; LookupError if none fits.

        What follows a "?" in the address plays no part.
        """
        address = address.partition("?")[0]
        for route in self.routes:
            values = route.match(address)
            if values is not None:
                return route.page, values
        raise LookupError(address)

    def url(self, page, **values):
        """The address of a page: that of its first route with these names."""
        for route in self.routes:
            if route.page == page and set(route.converters) == set(values):
                return route.build(**values)
        raise LookupError(page)
''',
        wrong="        match = self.regex.match(address)",
        right="        match = self.regex.fullmatch(address)",
        visible="""
def test_plain():
    assert Router(("/about", "about")).find("/about?x=1") == ("about", {})


def test_values():
    router = Router(("/user/<int:id>", "user"), ("/user/<name>", "named"))
    assert router.find("/user/12") == ("user", {"id": 12})
    assert router.find("/user/bo") == ("named", {"name": "bo"})


def test_longer_address():
    router = Router(("/", "home"), ("/news", "news"))
    assert router.find("/") == ("home", {})
    assert router.find("/news") == ("news", {})


def test_nothing_fits():
    with pytest.raises(LookupError):
        Router(("/about", "about")).find("/contact")


def test_url():
    router = Router(("/u/<int:id>", "user"), ("/u/<int:id>/<tab>", "user"))
    assert router.url("user", id=3, tab="x") == "/u/3/x"
""",
        hidden="""
def test_digits_then_letters():
    router = Router(("/p/<int:n>", "number"), ("/p/<word>", "word"))
    assert router.find("/p/12ab") == ("word", {"word": "12ab"})


def test_too_long():
    with pytest.raises(LookupError):
        Router(("/shop", "shop")).find("/shopping")


def test_part_below():
    router = Router(("/<name>", "top"), ("/<name>/edit", "edit"))
    assert router.find("/a/edit") == ("edit", {"name": "a"})


def test_path_takes_slashes():
    router = Router(("/files/<path:where>/raw", "raw"), ("/files/<path:where>", "show"))
    assert router.find("/files/a/b/raw") == ("raw", {"where": "a/b"})
    assert router.find("/files/a/b/raw.txt") == ("show", {"where": "a/b/raw.txt"})


def test_trailing_slash_is_another_address():
    with pytest.raises(LookupError):
        Router(("/about", "about")).find("/about/")


def test_special_characters():
    with pytest.raises(LookupError):
        Router(("/a.b", "x")).find("/aab")


def test_unknown_converter():
    with pytest.raises(ValueError):
        Router(("/<date:d>", "x"))


def test_url_unknown():
    with pytest.raises(LookupError):
        Router(("/<a>", "x")).url("x", b=1)
""",
    ),
    Program(
        name="version_spec",
        code=r'''"""Versions and the conditions they are to fulfil."""

import re

CLAUSE = re.compile(r"\s*(==|!=|<=|>=|<|>|~=)\s*([\d.]+)(\.\*)?\s*$")


def parts(version):
    """The numbers of a version: "1.20.3" is (1, 20, 3)."""
    numbers = version.split(".")
    if not all(number.isdigit() for number in numbers):
        raise ValueError(f"bad version {version!r}")
    return tuple(int(number) for number in numbers)


def key(version):
    """What versions are compared by; 1.2 and 1.2.0 are the same version."""
    numbers = list(parts(version))
    while numbers[-1:] == ["0"]:
        numbers.pop()
    return tuple(numbers)


def clause(text):
    """The operator, version and whether it ends with ".*" of a condition."""
    match = CLAUSE.match(text)
    if not match:
        raise ValueError(f"bad condition {text!r}")
    operator, version, star = match.groups()
    if star and operator not in ("==", "!="):
        raise ValueError(f"no .* with {operator}")
    return operator, version, bool(star)


def fulfils(version, text):
    """Whether a version fulfils one condition.

    "==1.2.*" are all versions that begin with 1.2; "~=1.2.3" are those from
    1.2.3 that begin with 1.2.
    """
    operator, wanted, star = clause(text)
    mine, other = key(version), key(wanted)
    if star or operator == "~=":
        prefix = parts(wanted) if star else parts(wanted)[:-1]
        begins = (parts(version) + (0,) * len(prefix))[:len(prefix)] == prefix
        if operator == "~=":
            return begins and mine >= other
        return begins == (operator == "==")
    return {
        "==": mine == other,
        "!=": mine != other,
        "<": mine < other,
        "<=": mine <= other,
        ">": mine > other,
        ">=": mine >= other,
    }[operator]


def allowed(version, spec):
    """Whether a version fulfils all conditions of e.g. ">=1.2,<2"."""
    return all(fulfils(version, text) for text in spec.split(",") if text.strip())


def newest(versions, spec=""):
    """The newest version that is allowed, None if there is none."""
    return max((v for v in versions if allowed(v, spec)), key=key, default=None)
''',
        wrong='    while numbers[-1:] == ["0"]:',
        right="    while numbers[-1:] == [0]:",
        visible="""
def test_equal():
    assert fulfils("1.2", "==1.2")
    assert not fulfils("1.2.1", "== 1.2")


def test_equal_with_zero():
    assert fulfils("1.2.0", "==1.2")


def test_numbers_not_texts():
    assert allowed("1.10", ">=1.9,<2")


def test_star():
    assert fulfils("1.2.7", "==1.2.*")
    assert not fulfils("1.3", "==1.2.*")


def test_newest():
    assert newest(["1.9", "1.10", "2.0"], "<2") == "1.10"
    assert newest(["1.9"], ">2") is None
""",
        hidden="""
def test_several_zeros():
    assert fulfils("3", "==3.0.0")
    assert fulfils("3.0.0.0", "==3.0")


def test_not_equal_with_zero():
    assert not fulfils("1.0", "!=1")


def test_limits_with_zero():
    assert fulfils("2", ">=2.0")
    assert fulfils("2.0", "<=2")
    assert not fulfils("2.0", ">2")
    assert not fulfils("2", "<2.0")


def test_zero_in_the_middle():
    assert not fulfils("1.0.2", "==1.2")
    assert fulfils("1.0.2", "<1.2")


def test_compatible():
    assert fulfils("1.2.9", "~=1.2.3")
    assert not fulfils("1.3", "~=1.2.3")
    assert fulfils("2.2", "~=2.2.0")


def test_zero_alone():
    assert fulfils("0", "==0.0")
    assert allowed("0.1", ">0")


def test_bad_conditions():
    for text in ("1.2", "=1", ">=1.*", "==a"):
        with pytest.raises(ValueError):
            fulfils("1", text)


def test_ten_is_no_zero():
    assert not fulfils("1.10", "==1.1")
    assert fulfils("10", ">=10.0")
""",
    ),
    Program(
        name="ttl_lru_cache",
        code=r'''"""A cache of limited size whose entries grow old."""

from collections import OrderedDict


class Cache:
    """Keeps up to maxsize values, each for ttl seconds.

    clock is a function without arguments that tells the time.
    """

    def __init__(self, maxsize, ttl, clock):
        if maxsize < 1:
            raise ValueError("maxsize must be positive")
        self.maxsize = maxsize
        self.ttl = ttl
        self.clock = clock
        self.hits = 0
        self.misses = 0
        self._entries = OrderedDict()

    def _expire(self):
        now = self.clock()
        old = [key for key, (_, until) in self._entries.items() if until <= now]
        for key in old:
            del self._entries[key]

    def get(self, key, default=None):
        """The value of a key, which counts as used now.

        An entry is gone when its ttl seconds are over; using it does not
        make it live longer.
        """
        self._expire()
        if key not in self._entries:
            self.misses += 1
            return default
        self.hits += 1
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def put(self, key, value):
        """Store a value, for ttl seconds from now.

        If there are too many entries then, the one that was not used (got
        or stored) for the longest time is dropped.
        """
        self._expire()
        self._entries[key] = (value, self.clock() + self.ttl)
        self._entries.move_to_end(key, last=False)
        if len(self._entries) > self.maxsize:
            self._entries.popitem(last=False)

    def keys(self):
        """The keys, the one used least recently first."""
        self._expire()
        return list(self._entries)

    def __len__(self):
        self._expire()
        return len(self._entries)

    def __contains__(self, key):
        """Whether there is an entry; this does not count as using it."""
        self._expire()
        return key in self._entries
''',
        wrong="        self._entries.move_to_end(key, last=False)",
        right="        self._entries.move_to_end(key)",
        visible="""
class Clock:
    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now


def test_put_and_get():
    cache = Cache(3, 10, Clock())
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b", 7) == 7
    assert (cache.hits, cache.misses) == (1, 1)


def test_grows_old():
    clock = Clock()
    cache = Cache(3, 10, clock)
    cache.put("a", 1)
    clock.now = 9
    assert cache.get("a") == 1
    clock.now = 10
    assert "a" not in cache


def test_drops_least_recently_used():
    cache = Cache(2, 10, Clock())
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]


def test_bad_size():
    with pytest.raises(ValueError):
        Cache(0, 10, Clock())
""",
        hidden="""
class Time:
    now = 100


def make(size, ttl=5):
    moment = Time()
    return Cache(size, ttl, lambda: moment.now), moment


def test_order_of_storing():
    cache, _ = make(3)
    for key in "xyz":
        cache.put(key, key)
    assert cache.keys() == ["x", "y", "z"]


def test_new_entry_stays():
    cache, _ = make(1)
    cache.put("x", 1)
    cache.put("y", 2)
    assert cache.get("y") == 2
    assert "x" not in cache


def test_storing_again_is_a_use():
    cache, _ = make(2)
    cache.put("x", 1)
    cache.put("y", 2)
    cache.put("x", 3)
    cache.put("z", 4)
    assert cache.keys() == ["x", "z"]
    assert cache.get("x") == 3


def test_contains_is_no_use():
    cache, _ = make(2)
    cache.put("x", 1)
    cache.put("y", 2)
    assert "x" in cache
    cache.put("z", 3)
    assert cache.keys() == ["y", "z"]


def test_old_ones_go_first():
    cache, moment = make(2)
    cache.put("x", 1)
    moment.now += 3
    cache.put("y", 2)
    moment.now += 2
    cache.put("z", 3)
    assert cache.keys() == ["y", "z"]


def test_storing_again_renews():
    cache, moment = make(2)
    cache.put("x", 1)
    moment.now += 3
    cache.put("x", 2)
    moment.now += 3
    assert cache.get("x") == 2
    assert len(cache) == 1


def test_getting_does_not_renew():
    cache, moment = make(2)
    cache.put("x", 1)
    moment.now += 4
    cache.get("x")
    moment.now += 1
    assert cache.get("x") is None
""",
    ),
    Program(
        name="token_bucket",
        code=r'''"""Limiting how much each client may do in a time."""


class Bucket:
    """Holds up to `capacity` tokens and gets `rate` new ones a second.

    It is full at the beginning. The time is passed to each method and never
    goes back.
    """

    def __init__(self, capacity, rate, now):
        self.capacity = capacity
        self.rate = rate
        self._tokens = capacity
        self._time = now

    def _refill(self, now):
        gained = (now - self._time) * self.rate
        self._tokens = min(self.capacity, self._tokens + gained)
        self._time = now

    def tokens(self, now):
        """How many tokens there are."""
        self._refill(now)
        return self._tokens

    def take(self, now, cost=1):
        """Take tokens if there are enough; whether there were."""
        self._refill(now)
        if self._tokens < cost:
            return False
        self._tokens -= cost
        return True

    def wait(self, now, cost=1):
        """In how many seconds there are enough tokens, 0 if there are now.

        None if that will never be, as the bucket is too small.
        """
        if cost > self.capacity:
            return None
        self._refill(now)
        return max(0, (1 - self._tokens) / self.rate)


class Limiter:
    """A bucket for each client."""

    def __init__(self, capacity, rate):
        self.capacity = capacity
        self.rate = rate
        self._buckets = {}

    def request(self, client, now, cost=1):
        """(True, 0) if a client may go on, or (False, seconds to wait)."""
        if client not in self._buckets:
            self._buckets[client] = Bucket(self.capacity, self.rate, now)
        bucket = self._buckets[client]
        if bucket.take(now, cost):
            return True, 0
        return False, bucket.wait(now, cost)

    def forget(self, now):
        """Drop the buckets that are full; how many there were."""
        full = [
            client
            for client, bucket in self._buckets.items()
            if bucket.tokens(now) >= self.capacity
        ]
        for client in full:
            del self._buckets[client]
        return len(full)
''',
        wrong="        return max(0, (1 - self._tokens) / self.rate)",
        right="        return max(0, (cost - self._tokens) / self.rate)",
        visible="""
def test_take():
    bucket = Bucket(2, 1, 0)
    assert [bucket.take(0), bucket.take(0), bucket.take(0)] == [True, True, False]
    assert bucket.take(1)


def test_not_more_than_capacity():
    assert Bucket(3, 1, 0).tokens(100) == 3


def test_wait():
    bucket = Bucket(1, 0.5, 0)
    bucket.take(0)
    assert bucket.wait(1) == 1
    assert bucket.wait(2) == 0


def test_wait_for_several():
    bucket = Bucket(4, 2, 0)
    bucket.take(0, 4)
    assert bucket.wait(0, 3) == 1.5


def test_limiter():
    limiter = Limiter(1, 1)
    assert limiter.request("a", 0) == (True, 0)
    assert limiter.request("a", 0) == (False, 1)
    assert limiter.request("b", 0) == (True, 0)
""",
        hidden="""
def test_wait_for_all():
    bucket = Bucket(10, 5, 100)
    bucket.take(100, 10)
    assert bucket.wait(101, 10) == 1


def test_wait_is_long_enough():
    bucket = Bucket(8, 2, 0)
    bucket.take(0, 7)
    seconds = bucket.wait(0, 6)
    assert seconds == 2.5
    assert not bucket.take(seconds - 0.5, 6)
    assert bucket.take(seconds, 6)


def test_limiter_with_cost():
    limiter = Limiter(6, 2)
    assert limiter.request("x", 0, 5) == (True, 0)
    assert limiter.request("x", 0, 4) == (False, 1.5)


def test_fraction():
    bucket = Bucket(2, 1, 0)
    bucket.take(0, 2)
    assert bucket.wait(0, 0.5) == 0.5


def test_never():
    assert Bucket(2, 1, 0).wait(0, 3) is None
    assert Limiter(2, 1).request("x", 0, 3) == (False, None)


def test_no_wait_when_full():
    assert Bucket(5, 1, 0).wait(0, 5) == 0


def test_forget():
    limiter = Limiter(2, 1)
    limiter.request("x", 0)
    limiter.request("y", 0, 2)
    assert limiter.forget(1) == 1
    assert limiter.forget(2) == 1
""",
    ),
    Program(
        name="call_memo",
        code=r'''"""Remembering the results of calls."""

from functools import wraps


class Stats:
    """How many calls were answered from memory and how many were not."""

    def __init__(self):
        self.hits = 0
        self.misses = 0


def make_key(args, kwargs):
    """The key of a call: calls with the same arguments have the same key.

    The order of the named arguments plays no part. Lists, dicts and sets
    are allowed as arguments.
    """
    named = tuple(freeze(kwargs[name]) for name in sorted(kwargs))
    return tuple(freeze(arg) for arg in args), named


def freeze(value):
    """A value for a key that is equal for equal values."""
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, tuple(freeze(item) for item in value))
    if isinstance(value, (set, frozenset)):
        return ("set", frozenset(freeze(item) for item in value))
    if isinstance(value, dict):
        return ("dict", frozenset((key, freeze(item)) for key, item in value.items()))
    return value


def memo(limit=None):
    """A decorator that remembers results, only the newest `limit` if given.

    The function gets the attributes `stats` and `forget()`. Calls that
    raise an exception are not remembered.
    """

    def decorate(function):
        known = {}
        stats = Stats()

        @wraps(function)
        def call(*args, **kwargs):
            key = make_key(args, kwargs)
            if key in known:
                stats.hits += 1
                return known[key]
            stats.misses += 1
            result = known[key] = function(*args, **kwargs)
            if limit is not None and len(known) > limit:
                del known[next(iter(known))]
            return result

        call.stats = stats
        call.forget = known.clear
        return call

    return decorate
''',
        wrong="    named = tuple(freeze(kwargs[name]) for name in sorted(kwargs))",
        right="    named = tuple((name, freeze(kwargs[name])) for name in sorted(kwargs))",
        visible="""
def test_remembers():
    calls = []

    @memo()
    def double(x):
        calls.append(x)
        return 2 * x

    assert [double(2), double(2), double(3)] == [4, 4, 6]
    assert calls == [2, 3]
    assert double.stats.hits == 1


def test_named_arguments():
    @memo()
    def box(width=1, height=1):
        return f"{width}x{height}"

    assert box(width=5) == "5x1"
    assert box(height=5) == "1x5"


def test_order_of_names():
    assert make_key((), {"a": 1, "b": 2}) == make_key((), {"b": 2, "a": 1})


def test_lists():
    @memo()
    def size(items):
        return len(items)

    assert size([1, [2]]) == 2
    assert size({"a": [1]}) == 1


def test_limit():
    @memo(limit=1)
    def same(x):
        return x

    same(1), same(2), same(1)
    assert same.stats.misses == 3
""",
        hidden="""
def test_different_names():
    assert make_key((1,), {"a": 2}) != make_key((1,), {"b": 2})


def test_same_values_for_other_names():
    assert make_key((), {"a": 1, "b": 2}) != make_key((), {"a": 1, "c": 2})


def test_exchanged_names():
    @memo()
    def search(**options):
        return sorted(options)

    assert search(low=1, high=2) == ["high", "low"]
    assert search(min=2, max=1) == ["max", "min"]


def test_exchanged_values():
    assert make_key((), {"a": 1, "b": 2}) != make_key((), {"a": 2, "b": 1})


def test_frozen_values():
    assert make_key((), {"a": [1, {2}]}) == make_key((), {"a": [1, {2}]})
    assert make_key(([1],), {}) != make_key(((1,),), {})


def test_exception_is_not_remembered():
    calls = []

    @memo()
    def fail(x):
        calls.append(x)
        raise KeyError(x)

    for _ in range(2):
        with pytest.raises(KeyError):
            fail(1)
    assert calls == [1, 1]


def test_forget():
    @memo()
    def same(x=0):
        return x

    same(x=1)
    same.forget()
    same(x=1)
    assert (same.stats.hits, same.stats.misses) == (0, 2)
""",
    ),
    Program(
        name="tick_scheduler",
        code=r'''"""Running jobs at given times; the time is told from outside."""


class Job:
    """Something to do at a time, and again after each interval if it has one."""

    def __init__(self, name, due, interval=None):
        self.name = name
        self.due = due
        self.interval = interval


class Scheduler:
    """Jobs, which are run by tick()."""

    def __init__(self):
        self._jobs = []
        self.log = []

    def at(self, time, name):
        """Run a job once."""
        self._jobs.append(Job(name, time))

    def every(self, interval, name, start=0):
        """Run a job at start, start + interval, and so on."""
        if interval <= 0:
            raise ValueError("interval must be positive")
        self._jobs.append(Job(name, start, interval))

    def cancel(self, name):
        """Drop all jobs of a name; whether there were any."""
        before = len(self._jobs)
        self._jobs = [job for job in self._jobs if job.name != name]
        return len(self._jobs) < before

    def tick(self, now):
        """Run each job that is due, once; a list of their names.

        They are run in the order in which they were added. A job that runs
        once is dropped. The next time of another one is the first of its
        times that is later than now: what was missed is not made up for.
        """
        ran = []
        for job in self._jobs:
            if job.due > now:
                continue
            ran.append(job.name)
            self.log.append((now, job.name))
            if job.interval is None:
                self._jobs.remove(job)
            else:
                missed = (now - job.due) // job.interval
                job.due += (missed + 1) * job.interval
        return ran

    def next_due(self):
        """The time of the next job, None if there is none."""
        return min((job.due for job in self._jobs), default=None)

    def pending(self):
        """The names of all jobs, the one due first at the front."""
        return [job.name for job in sorted(self._jobs, key=lambda job: job.due)]

    def run_until(self, end):
        """Tick at each time at which a job is due, up to and including end."""
        while self.next_due() is not None and self.next_due() <= end:
            self.tick(self.next_due())
''',
        wrong="        for job in self._jobs:",
        right="        for job in list(self._jobs):",
        visible="""
def test_once():
    scheduler = Scheduler()
    scheduler.at(5, "a")
    assert scheduler.tick(4) == []
    assert scheduler.tick(6) == ["a"]
    assert scheduler.tick(7) == []


def test_every():
    scheduler = Scheduler()
    scheduler.every(10, "a", start=5)
    assert scheduler.tick(5) == ["a"]
    assert scheduler.tick(38) == ["a"]
    assert scheduler.next_due() == 45


def test_two_at_the_same_time():
    scheduler = Scheduler()
    scheduler.at(1, "a")
    scheduler.at(1, "b")
    assert scheduler.tick(1) == ["a", "b"]
    assert scheduler.next_due() is None


def test_cancel():
    scheduler = Scheduler()
    scheduler.at(1, "a")
    assert scheduler.cancel("a")
    assert not scheduler.cancel("a")


def test_pending():
    scheduler = Scheduler()
    scheduler.at(3, "a")
    scheduler.every(9, "b", start=1)
    assert scheduler.pending() == ["b", "a"]
""",
        hidden="""
def test_many_at_once():
    scheduler = Scheduler()
    for name in "abcdef":
        scheduler.at(2, name)
    assert scheduler.tick(3) == list("abcdef")
    assert scheduler.pending() == []


def test_once_before_periodic():
    scheduler = Scheduler()
    scheduler.at(0, "once")
    scheduler.every(5, "often")
    assert scheduler.tick(0) == ["once", "often"]
    assert scheduler.next_due() == 5


def test_log_of_run_until():
    scheduler = Scheduler()
    scheduler.at(2, "x")
    scheduler.at(2, "y")
    scheduler.every(2, "z", start=2)
    scheduler.run_until(4)
    assert scheduler.log == [(2, "x"), (2, "y"), (2, "z"), (4, "z")]


def test_not_due_between():
    scheduler = Scheduler()
    scheduler.at(1, "a")
    scheduler.at(9, "b")
    scheduler.at(1, "c")
    assert scheduler.tick(1) == ["a", "c"]
    assert scheduler.pending() == ["b"]


def test_periodic_only():
    scheduler = Scheduler()
    scheduler.every(3, "a")
    scheduler.every(3, "b")
    assert scheduler.tick(7) == ["a", "b"]
    assert scheduler.next_due() == 9


def test_bad_interval():
    with pytest.raises(ValueError):
        Scheduler().every(0, "a")


def test_same_name_twice():
    scheduler = Scheduler()
    scheduler.at(1, "a")
    scheduler.at(1, "a")
    assert scheduler.tick(1) == ["a", "a"]
""",
    ),
)
