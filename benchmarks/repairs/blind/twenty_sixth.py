"""Programs like those of libraries and applications, with wrong lines like those of real fixes.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="y26_settings_layers",
        code=r'''"""Settings that are looked up in several layers."""


class Settings:
    """A stack of dictionaries; later layers hide earlier ones."""

    def __init__(self, defaults=None):
        self._layers = [dict(defaults or {})]

    def push(self, layer):
        """Add a layer on top of the others."""
        self._layers.append(dict(layer))

    def pop(self):
        """Remove and return the topmost layer; the defaults stay."""
        if len(self._layers) == 1:
            raise IndexError("cannot remove the defaults")
        return self._layers.pop()

    def get(self, name, default=None):
        """Return the value of `name` from the topmost layer that sets it.

        A layer with None for a name does not set it.
        """
        for layer in reversed(self._layers):
            value = layer.get(name)
            if value:
                return value
        return default

    def origin(self, name):
        """Return the number of the layer that sets `name`, or -1."""
        for number in range(len(self._layers) - 1, -1, -1):
            if self._layers[number].get(name) is not None:
                return number
        return -1

    def names(self):
        """All names that any layer mentions, sorted."""
        found = set()
        for layer in self._layers:
            found.update(layer)
        return sorted(found)
''',
        wrong="            if value:",
        right="            if value is not None:",
        visible=r"""
def test_defaults():
    s = Settings({"host": "localhost", "port": 80})
    assert s.get("host") == "localhost"
    assert s.get("missing") is None
    assert s.get("missing", 3) == 3

def test_override():
    s = Settings({"port": 80})
    s.push({"port": 8080})
    assert s.get("port") == 8080
    s.pop()
    assert s.get("port") == 80

def test_switch_off():
    s = Settings({"debug": True})
    s.push({"debug": False})
    assert s.get("debug") is False

def test_origin():
    s = Settings({"a": 1})
    s.push({"b": 2})
    assert s.origin("a") == 0
    assert s.origin("b") == 1
    assert s.origin("c") == -1

def test_pop_defaults():
    with pytest.raises(IndexError):
        Settings().pop()
""",
        hidden=r"""
def test_falsy_values_count():
    for value in (0, 0.0, "", False, [], {}, ()):
        s = Settings({"x": "base"})
        s.push({"x": value})
        assert s.get("x") == value
        assert s.get("x", "other") == value
        assert type(s.get("x")) is type(value)

def test_none_does_not_set():
    s = Settings({"x": 5})
    s.push({"x": None})
    assert s.get("x") == 5
    s = Settings({"x": None})
    assert s.get("x", "d") == "d"

def test_get_agrees_with_origin():
    layers = [{"a": 0, "b": 1}, {"a": 2, "c": ""}, {"b": None, "c": False, "a": 0}]
    s = Settings(layers[0])
    for layer in layers[1:]:
        s.push(layer)
    for name in s.names():
        assert s.get(name) == layers[s.origin(name)][name]

def test_absent_default():
    s = Settings()
    s.push({})
    for default in (None, 0, "x", [1]):
        assert s.get("nothing", default) == default
""",
    ),
    Program(
        name="y26_month_arithmetic",
        code=r'''"""Arithmetic with months."""
import calendar
import datetime


def days_in_month(year, month):
    """The number of days of a month."""
    return calendar.monthrange(year, month)[1]


def add_months(day, count):
    """Return the date `count` months after `day` (before it, if negative).

    A day that the target month lacks becomes the last day of that month.
    """
    index = day.year * 12 + day.month - 1 + count
    year, month = divmod(index, 12)
    month += 1
    last = days_in_month(day.year, month)
    return datetime.date(year, month, min(day.day, last))


def add_years(day, count):
    """Return the date `count` years after `day`."""
    return add_months(day, 12 * count)


def end_of_month(day):
    """The last day of the month of `day`."""
    return day.replace(day=days_in_month(day.year, day.month))


def months_between(first, second):
    """The number of whole months from `first` to `second`, which is not earlier."""
    months = (second.year - first.year) * 12 + second.month - first.month
    if second < add_months(first, months):
        months -= 1
    return months


def installments(start, count, step=1):
    """Due dates of `count` payments, `step` months apart."""
    return [add_months(start, number * step) for number in range(count)]
''',
        wrong="last = days_in_month(day.year, month)",
        right="last = days_in_month(year, month)",
        visible=r"""
D = datetime.date

def test_simple():
    assert add_months(D(2023, 3, 15), 1) == D(2023, 4, 15)
    assert add_months(D(2023, 3, 15), -3) == D(2022, 12, 15)

def test_clamped():
    assert add_months(D(2023, 1, 31), 1) == D(2023, 2, 28)
    assert add_months(D(2023, 5, 31), 1) == D(2023, 6, 30)

def test_leap_years():
    assert add_years(D(2024, 2, 29), 1) == D(2025, 2, 28)
    assert add_years(D(2024, 2, 29), 4) == D(2028, 2, 29)

def test_end_of_month():
    assert end_of_month(D(2024, 2, 3)) == D(2024, 2, 29)

def test_months_between():
    assert months_between(D(2023, 1, 15), D(2023, 3, 14)) == 1
    assert months_between(D(2023, 1, 15), D(2023, 3, 15)) == 2
""",
        hidden=r"""
def test_every_month_end():
    start = datetime.date(2023, 12, 31)
    for count in range(-60, 60):
        got = add_months(start, count)
        assert got == end_of_month(got)

def test_into_a_leap_year():
    for back in range(1, 8):
        day = datetime.date(2023, 10, 31)
        assert add_months(day, 4) == datetime.date(2024, 2, 29)
        assert add_months(datetime.date(2023, 1, 30), 13) == datetime.date(2024, 2, 29)

def test_leap_day_years():
    for n in range(-10, 11):
        got = add_years(datetime.date(2024, 2, 29), n)
        assert got == datetime.date(2024 + n, 2, 29 if n % 4 == 0 else 28)

def test_installments():
    got = installments(datetime.date(2022, 8, 31), 4, step=6)
    assert got == [datetime.date(2022, 8, 31), datetime.date(2023, 2, 28),
                   datetime.date(2023, 8, 31), datetime.date(2024, 2, 29)]

def test_day_kept_when_possible():
    for d in range(1, 29):
        for n in range(-30, 31):
            assert add_months(datetime.date(2024, 5, d), n).day == d
""",
    ),
    Program(
        name="y26_json_pointer",
        code=r'''"""JSON pointers (RFC 6901)."""


class PointerError(LookupError):
    """A pointer that is malformed or leads nowhere."""


def escape(token):
    """Write a key so that it may stand between slashes."""
    return token.replace("~", "~0").replace("/", "~1")


def unescape(token):
    """Read a key as it stands between slashes."""
    return token.replace("~0", "~").replace("~1", "/")


def parse(pointer):
    """Return the list of keys of a pointer."""
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise PointerError(f"pointer must start with '/': {pointer!r}")
    return [unescape(token) for token in pointer[1:].split("/")]


def build(keys):
    """Return the pointer for a list of keys."""
    return "".join("/" + escape(str(key)) for key in keys)


def resolve(document, pointer):
    """Return the part of `document` to which `pointer` leads."""
    current = document
    for key in parse(pointer):
        if isinstance(current, dict):
            if key not in current:
                raise PointerError(f"no member {key!r}")
            current = current[key]
        elif isinstance(current, list):
            if not key.isdigit() or int(key) >= len(current):
                raise PointerError(f"no item {key!r}")
            current = current[int(key)]
        else:
            raise PointerError(f"cannot descend to {key!r}")
    return current
''',
        wrong="""token.replace("~0", "~").replace("~1", "/")""",
        right="""token.replace("~1", "/").replace("~0", "~")""",
        visible=r"""
DOC = {"a": {"b": [10, 20]}, "x/y": 1, "m~n": 2, "~1": 3, "": 4}

def test_plain():
    assert resolve(DOC, "/a/b/1") == 20
    assert resolve(DOC, "") is DOC
    assert resolve(DOC, "/") == 4

def test_escapes():
    assert resolve(DOC, "/x~1y") == 1
    assert resolve(DOC, "/m~0n") == 2

def test_tilde_one_as_key():
    assert resolve(DOC, "/~01") == 3

def test_build():
    assert build(["a", 0, "x/y", "m~n"]) == "/a/0/x~1y/m~0n"

def test_errors():
    for pointer in ("a", "/q", "/a/b/2", "/a/b/x", "/a/b/0/c"):
        with pytest.raises(PointerError):
            resolve(DOC, pointer)
""",
        hidden=r"""
import itertools

def test_round_trip_tokens():
    for n in range(6):
        for letters in itertools.product("~/01", repeat=n):
            token = "".join(letters)
            assert unescape(escape(token)) == token

def test_round_trip_pointers():
    for keys in (["~1"], ["~0"], ["~01", "a/b"], ["~", "/"], ["~~11"], ["", "x"]):
        assert parse(build(keys)) == keys

def test_known():
    assert unescape("~01") == "~1"
    assert unescape("~00") == "~0"
    assert unescape("~1~0") == "/~"
    assert unescape("~001") == "~01"
    assert unescape("a") == "a"

def test_resolve_odd_keys():
    doc = {"~1": {"/": [1, {"~0": "deep"}]}}
    assert resolve(doc, "/~01/~1/1/~00") == "deep"
    with pytest.raises(PointerError):
        resolve({"/": 1}, "/~01")
""",
    ),
    Program(
        name="y26_headers_mapping",
        code=r'''"""HTTP headers whose names ignore case."""


class Headers:
    """A multi-valued mapping that keeps the order of insertion."""

    def __init__(self, items=()):
        self._items = []
        for name, value in items:
            self.add(name, value)

    def add(self, name, value):
        """Append a value; earlier values of the same name stay."""
        self._items.append((name, str(value)))

    def set(self, name, value):
        """Replace all values of a name by one."""
        self.remove(name)
        self.add(name, value)

    def remove(self, name):
        """Drop all values of a name, if there are any."""
        wanted = name.lower()
        self._items = [(n, v) for n, v in self._items if n != wanted]

    def get(self, name, default=None):
        """Return the first value of a name."""
        wanted = name.lower()
        for n, value in self._items:
            if n.lower() == wanted:
                return value
        return default

    def get_all(self, name):
        """Return all values of a name."""
        wanted = name.lower()
        return [value for n, value in self._items if n.lower() == wanted]

    def __contains__(self, name):
        return self.get(name) is not None

    def __len__(self):
        return len(self._items)

    def render(self):
        """Return the headers as they are sent."""
        return "".join(f"{name}: {value}\r\n" for name, value in self._items)
''',
        wrong="if n != wanted]",
        right="if n.lower() != wanted]",
        visible=r"""
def test_get_ignores_case():
    h = Headers([("Content-Type", "text/html")])
    assert h.get("content-type") == "text/html"
    assert "CONTENT-TYPE" in h
    assert h.get("Accept", "*/*") == "*/*"

def test_multiple_values():
    h = Headers([("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")])
    assert h.get_all("set-cookie") == ["a=1", "b=2"]

def test_set_replaces():
    h = Headers([("Content-Length", 10)])
    h.set("Content-Length", 20)
    assert h.get_all("Content-Length") == ["20"]

def test_remove_lowercase():
    h = Headers([("etag", "x"), ("host", "y")])
    h.remove("etag")
    assert len(h) == 1

def test_render():
    h = Headers([("Host", "example.org"), ("X-Count", 3)])
    assert h.render() == "Host: example.org\r\nX-Count: 3\r\n"
""",
        hidden=r"""
FORMS = ("accept", "Accept", "ACCEPT", "aCCept")

def test_remove_any_form():
    for stored in FORMS:
        for asked in FORMS:
            h = Headers([("A", 1), (stored, 2), ("B", 3), (stored, 4)])
            h.remove(asked)
            assert h.render() == "A: 1\r\nB: 3\r\n"

def test_set_any_form():
    for stored in FORMS:
        for asked in FORMS:
            h = Headers([(stored, "old"), (stored.upper(), "older"), ("Host", "h")])
            h.set(asked, "new")
            assert h.get_all("accept") == ["new"]
            assert h.render() == f"Host: h\r\n{asked}: new\r\n"

def test_remove_absent():
    h = Headers([("Accept", "x")])
    h.remove("Accept-Language")
    h.remove("acc")
    assert len(h) == 1
    assert "accept" in h
""",
    ),
    Program(
        name="y26_byte_sizes",
        code=r'''"""Human readable sizes of files."""
import re

UNITS = ["B", "KB", "MB", "GB", "TB", "PB"]
_PATTERN = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*([KMGTP]?B?)\s*$", re.IGNORECASE)


def format_size(size, precision=1):
    """Return a size in bytes as text, for instance '1.5 KB'."""
    if size < 0:
        return "-" + format_size(-size, precision)
    value = float(size)
    for unit in UNITS[:-1]:
        if value < 1024:
            break
        value /= 1024
    else:
        unit = UNITS[-1]
    if unit == "B":
        return f"{int(value)} B"
    return f"{value:.{precision}f} {unit}"


def parse_size(text):
    """Return the number of bytes that a text such as '10k' or '1.5 MB' means."""
    match = _PATTERN.match(text)
    if match is None:
        raise ValueError(f"not a size: {text!r}")
    number, unit = match.groups()
    unit = unit.upper()
    if not unit.endswith("B"):
        unit += "B"
    power = UNITS.index(unit)
    return int(number) * 1024 ** power


def total(texts):
    """Add up sizes given as text and format the sum."""
    return format_size(sum(parse_size(text) for text in texts))
''',
        wrong="    return int(number) * 1024 ** power",
        right="    return int(float(number) * 1024 ** power)",
        visible=r"""
def test_format():
    assert format_size(0) == "0 B"
    assert format_size(1023) == "1023 B"
    assert format_size(1536) == "1.5 KB"
    assert format_size(5 * 1024 ** 2, 2) == "5.00 MB"

def test_negative():
    assert format_size(-2048) == "-2.0 KB"

def test_parse_integers():
    assert parse_size("12") == 12
    assert parse_size("10k") == 10240
    assert parse_size(" 3 MB ") == 3 * 1024 ** 2

def test_parse_fractions():
    assert parse_size("1.5 KB") == 1536
    assert parse_size("0.5m") == 524288

def test_parse_rejects():
    with pytest.raises(ValueError):
        parse_size("many")
    with pytest.raises(ValueError):
        parse_size("1.5.2 KB")
""",
        hidden=r"""
def test_quarters_of_all_units():
    for power, unit in enumerate(["KB", "MB", "GB", "TB", "PB"], 1):
        for quarters in range(0, 20):
            size = parse_size(f"{quarters / 4} {unit.lower()}")
            assert size == quarters * 1024 ** power // 4
            assert type(size) is int

def test_fractional_bytes_are_cut():
    assert parse_size("1.5") == 1
    assert parse_size("2.9 B") == 2
    assert parse_size("1.0001K") == 1024
    assert type(parse_size("7.2")) is int

def test_integers():
    for n in range(0, 3000, 7):
        assert parse_size(str(n)) == n
        assert parse_size(f"{n}K") == n * 1024
        assert type(parse_size(f"{n} GB")) is int

def test_total():
    assert total(["0.5 KB", "512"]) == "1.0 KB"
    assert total(["1.25 MB", "0.25MB"]) == "1.5 MB"
    assert total([]) == "0 B"
""",
    ),
    Program(
        name="y26_undo_history",
        code=r'''"""Undo and redo for edits of a text."""


class History:
    """A text together with its earlier and undone versions."""

    def __init__(self, text="", limit=100):
        self.text = text
        self.limit = limit
        self._past = []
        self._future = []

    def edit(self, text):
        """Change the text; what had been undone can no longer be redone."""
        if text == self.text:
            return False
        self._past.append(self.text)
        if len(self._past) > self.limit:
            del self._past[-1]
        self._future.clear()
        self.text = text
        return True

    def undo(self):
        """Go back one version; return whether there was one."""
        if not self._past:
            return False
        self._future.append(self.text)
        self.text = self._past.pop()
        return True

    def redo(self):
        """Go forward one version; return whether there was one."""
        if not self._future:
            return False
        self._past.append(self.text)
        self.text = self._future.pop()
        return True

    @property
    def depth(self):
        """How many times undo() would succeed."""
        return len(self._past)

    def rewind(self):
        """Undo everything; return the number of steps."""
        steps = 0
        while self.undo():
            steps += 1
        return steps
''',
        wrong="del self._past[-1]",
        right="del self._past[0]",
        visible=r"""
def test_undo_and_redo():
    h = History("a")
    h.edit("ab")
    h.edit("abc")
    assert h.undo() and h.text == "ab"
    assert h.undo() and h.text == "a"
    assert not h.undo()
    assert h.redo() and h.text == "ab"

def test_edit_forgets_redo():
    h = History("a")
    h.edit("b")
    h.undo()
    h.edit("c")
    assert not h.redo()
    assert h.text == "c"

def test_same_text_is_no_edit():
    h = History("a")
    assert h.edit("a") is False
    assert h.depth == 0

def test_limit():
    h = History("0", limit=2)
    for text in "1234":
        h.edit(text)
    assert h.depth == 2
    h.undo()
    assert h.text == "3"
    h.undo()
    assert h.text == "2"
    assert not h.undo()
""",
        hidden=r"""
def test_last_versions_stay():
    for limit in range(1, 8):
        h = History("0", limit=limit)
        for n in range(1, 11):
            h.edit(str(n))
            assert h.depth == min(limit, n)
        seen = []
        while h.undo():
            seen.append(h.text)
        assert seen == [str(10 - k) for k in range(1, limit + 1)]

def test_rewind_and_forward():
    h = History("0", limit=3)
    for n in range(1, 7):
        h.edit(str(n))
    assert h.rewind() == 3
    assert h.text == "3"
    seen = []
    while h.redo():
        seen.append(h.text)
    assert seen == ["4", "5", "6"]

def test_no_history():
    h = History("a", limit=0)
    assert h.edit("b")
    assert h.depth == 0
    assert not h.undo()
    assert h.text == "b"
""",
    ),
    Program(
        name="y26_ignore_rules",
        code=r'''"""Rules that say which files are ignored."""
import fnmatch


class Rule:
    """One pattern; with '!' in front it includes files again."""

    def __init__(self, text):
        self.negated = text.startswith("!")
        self.pattern = text.lstrip("!")
        self.anchored = "/" in self.pattern.rstrip("/")
        self.pattern = self.pattern.strip("/")

    def matches(self, path):
        """Whether the pattern fits the path, its name or one of its folders."""
        if self.anchored:
            return fnmatch.fnmatchcase(path, self.pattern)
        return any(fnmatch.fnmatchcase(part, self.pattern) for part in path.split("/"))


class IgnoreList:
    """A sequence of rules of which the last that fits decides."""

    def __init__(self, lines=()):
        self.rules = []
        for line in lines:
            line = line.strip()
            if line and not line.startswith("#"):
                self.rules.append(Rule(line))

    @classmethod
    def from_text(cls, text):
        """Read the rules from the text of a file."""
        return cls(text.splitlines())

    def ignored(self, path):
        """Whether a path is ignored."""
        result = False
        for rule in self.rules:
            if rule.matches(path):
                result = rule.negated
        return result

    def filter(self, paths):
        """Return the paths that are not ignored."""
        return [path for path in paths if not self.ignored(path)]
''',
        wrong="result = rule.negated",
        right="result = not rule.negated",
        visible=r"""
def test_no_rules():
    assert not IgnoreList().ignored("a.txt")
    assert IgnoreList(["# a comment", "", "  "]).rules == []

def test_simple_pattern():
    rules = IgnoreList(["*.pyc"])
    assert rules.ignored("pkg/mod.pyc")
    assert not rules.ignored("pkg/mod.py")

def test_folder():
    rules = IgnoreList(["build/"])
    assert rules.ignored("build/out.txt")

def test_negation():
    rules = IgnoreList.from_text("*.log\n!keep.log\n")
    assert rules.filter(["a.log", "keep.log", "b.txt"]) == ["keep.log", "b.txt"]

def test_anchored():
    assert Rule("docs/*.md").matches("docs/index.md")
    assert not Rule("docs/*.md").matches("other/index.md")
""",
        hidden=r"""
def test_last_rule_wins():
    rules = IgnoreList(["*.txt", "!a*.txt", "ab.txt", "!abc*"])
    assert rules.ignored("b.txt") is True
    assert rules.ignored("a.txt") is False
    assert rules.ignored("ab.txt") is True
    assert rules.ignored("abc.txt") is False
    assert rules.ignored("x.py") is False

def test_only_negations():
    rules = IgnoreList(["!*.txt"])
    assert rules.ignored("a.txt") is False
    assert rules.ignored("a.py") is False

def test_negation_before():
    rules = IgnoreList(["!keep.log", "*.log"])
    assert rules.ignored("keep.log") is True

def test_alternating():
    for n in range(1, 8):
        rules = IgnoreList([("!" if k % 2 else "") + "f*" for k in range(n)])
        assert rules.ignored("dir/file") is (n % 2 == 1)
        assert rules.ignored("dir/other") is False
""",
    ),
    Program(
        name="y26_column_letters",
        code=r'''"""Cell references of spreadsheets."""
import re

_CELL = re.compile(r"^([A-Za-z]+)([1-9][0-9]*)$")


def column_name(number):
    """Return the letters of a column; the first one is number 1."""
    if number < 1:
        raise ValueError("columns are counted from 1")
    letters = ""
    while number > 0:
        number, rest = divmod(number, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def column_number(name):
    """Return the number of a column given by letters."""
    number = 0
    for letter in name.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def parse_cell(text):
    """Return (column, row) of a reference such as 'B7'."""
    match = _CELL.match(text)
    if match is None:
        raise ValueError(f"not a cell: {text!r}")
    return column_number(match.group(1)), int(match.group(2))


def cell_range(text):
    """Return the names of all cells of a range such as 'A1:B2', row by row."""
    first, _, last = text.partition(":")
    left, top = parse_cell(first)
    right, bottom = parse_cell(last or first)
    return [
        f"{column_name(column)}{row}"
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
    ]
''',
        wrong="divmod(number, 26)",
        right="divmod(number - 1, 26)",
        visible=r"""
def test_column_number():
    assert column_number("A") == 1
    assert column_number("z") == 26
    assert column_number("AA") == 27

def test_column_name():
    assert column_name(1) == "A"
    assert column_name(26) == "Z"
    assert column_name(27) == "AA"
    assert column_name(703) == "AAA"

def test_column_name_rejects_zero():
    with pytest.raises(ValueError):
        column_name(0)

def test_parse_cell():
    assert parse_cell("B7") == (2, 7)
    assert parse_cell("ab10") == (28, 10)
    with pytest.raises(ValueError):
        parse_cell("7B")

def test_range():
    assert cell_range("A1:B2") == ["A1", "B1", "A2", "B2"]
""",
        hidden=r"""
def test_round_trip():
    for n in range(1, 20000):
        assert column_number(column_name(n)) == n

def test_single_letters():
    for n, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 1):
        assert column_name(n) == letter

def test_borders():
    known = {52: "AZ", 53: "BA", 676: "YZ", 677: "ZA", 702: "ZZ", 703: "AAA", 18278: "ZZZ", 18279: "AAAA"}
    for n, name in known.items():
        assert column_name(n) == name

def test_range_over_z():
    assert cell_range("Y3:AB3") == ["Y3", "Z3", "AA3", "AB3"]
    assert cell_range("Z9") == ["Z9"]
""",
    ),
    Program(
        name="y26_token_bucket",
        code=r'''"""Limits on the rate of requests."""


class TokenBucket:
    """A bucket that fills at a steady rate up to its capacity.

    `clock` is a function that returns the time in seconds.
    """

    def __init__(self, rate, capacity, clock):
        if rate <= 0 or capacity <= 0:
            raise ValueError("rate and capacity must be positive")
        self.rate = rate
        self.capacity = capacity
        self._clock = clock
        self._tokens = float(capacity)
        self._updated = clock()

    def _refill(self):
        now = self._clock()
        gained = (now - self._updated) * self.rate
        self._tokens = max(self.capacity, self._tokens + gained)
        self._updated = now

    @property
    def available(self):
        """The number of tokens in the bucket now."""
        self._refill()
        return self._tokens

    def take(self, count=1):
        """Take tokens, if there are enough; return whether there were."""
        self._refill()
        if self._tokens < count:
            return False
        self._tokens -= count
        return True

    def wait_time(self, count=1):
        """Seconds until `count` tokens are there."""
        if count > self.capacity:
            raise ValueError("more tokens than the bucket holds")
        missing = count - self.available
        if missing <= 0:
            return 0.0
        return missing / self.rate
''',
        wrong="max(self.capacity, self._tokens + gained)",
        right="min(self.capacity, self._tokens + gained)",
        visible=r"""
class Clock:
    def __init__(self):
        self.now = 100.0
    def __call__(self):
        return self.now

def test_starts_full():
    bucket = TokenBucket(1, 5, Clock())
    assert bucket.available == 5
    assert bucket.take(5)

def test_empty_bucket_refuses():
    bucket = TokenBucket(1, 2, Clock())
    assert bucket.take(2)
    assert not bucket.take()

def test_refills():
    clock = Clock()
    bucket = TokenBucket(2, 4, clock)
    bucket.take(4)
    clock.now += 1
    assert bucket.available == 2
    clock.now += 100
    assert bucket.available == 4

def test_bad_arguments():
    with pytest.raises(ValueError):
        TokenBucket(0, 1, Clock())
    with pytest.raises(ValueError):
        TokenBucket(1, 1, Clock()).wait_time(2)
""",
        hidden=r"""
class Clock:
    def __init__(self):
        self.now = 0.0
    def __call__(self):
        return self.now

def test_simulation():
    for rate in (0.5, 1, 4):
        for capacity in (1, 3, 8):
            clock = Clock()
            bucket = TokenBucket(rate, capacity, clock)
            tokens = float(capacity)
            for step in range(60):
                wait = (step * 7 % 5) * 0.25
                clock.now += wait
                tokens = min(capacity, tokens + wait * rate)
                want = 1 + step % 3
                assert bucket.available == tokens
                assert bucket.take(want) is (tokens >= want)
                if tokens >= want:
                    tokens -= want

def test_never_above_capacity():
    clock = Clock()
    bucket = TokenBucket(10, 3, clock)
    for _ in range(5):
        clock.now += 1000
        assert bucket.available == 3

def test_wait_time():
    clock = Clock()
    bucket = TokenBucket(2, 6, clock)
    assert bucket.wait_time(6) == 0.0
    bucket.take(6)
    assert bucket.wait_time(6) == 3.0
    clock.now += 1
    assert bucket.wait_time(3) == 0.5
    assert bucket.wait_time(2) == 0.0
""",
    ),
    Program(
        name="y26_access_rules",
        code=r'''"""Access rights of users through groups."""


class AccessList:
    """Grants and denials of permissions, such as 'post.edit' or 'post.*'."""

    def __init__(self):
        self._members = {}
        self._granted = {}
        self._denied = {}

    def add_member(self, group, user):
        """Put a user into a group."""
        self._members.setdefault(group, set()).add(user)

    def grant(self, subject, permission):
        """Give a permission to a user or group."""
        self._granted.setdefault(subject, set()).add(permission)

    def deny(self, subject, permission):
        """Take a permission away from a user or group, whatever else grants it."""
        self._denied.setdefault(subject, set()).add(permission)

    def subjects(self, user):
        """The user and the groups to which the user belongs."""
        groups = [g for g, members in self._members.items() if user in members]
        return [user] + sorted(groups)

    @staticmethod
    def covers(pattern, permission):
        """Whether a pattern names the permission or a family with it."""
        if pattern.endswith(".*"):
            return permission.startswith(pattern[:-1])
        return pattern == permission

    def allowed(self, user, permission):
        """Whether a user has a permission and no denial forbids it."""
        granted = False
        for subject in self.subjects(user):
            if any(self.covers(p, permission) for p in self._denied.get(user, ())):
                return False
            if any(self.covers(p, permission) for p in self._granted.get(subject, ())):
                granted = True
        return granted
''',
        wrong="self._denied.get(user, ())",
        right="self._denied.get(subject, ())",
        visible=r"""
def test_nothing_by_default():
    assert not AccessList().allowed("ann", "post.edit")

def test_direct_and_group_grants():
    acl = AccessList()
    acl.grant("ann", "post.edit")
    acl.add_member("staff", "bob")
    acl.grant("staff", "post.*")
    assert acl.allowed("ann", "post.edit")
    assert acl.allowed("bob", "post.delete")
    assert not acl.allowed("bob", "user.delete")

def test_user_denied():
    acl = AccessList()
    acl.add_member("staff", "bob")
    acl.grant("staff", "post.*")
    acl.deny("bob", "post.delete")
    assert not acl.allowed("bob", "post.delete")
    assert acl.allowed("bob", "post.edit")

def test_group_denied():
    acl = AccessList()
    acl.grant("eve", "post.edit")
    acl.add_member("banned", "eve")
    acl.deny("banned", "post.*")
    assert not acl.allowed("eve", "post.edit")

def test_covers():
    assert AccessList.covers("post.*", "post.edit")
    assert not AccessList.covers("post.*", "poster.edit")
""",
        hidden=r"""
def test_denial_by_any_group():
    for denied in ("a", "m", "z", "u"):
        for granted in ("a", "m", "z", "u"):
            acl = AccessList()
            for group in "amz":
                acl.add_member(group, "u")
            acl.grant(granted, "x.read")
            assert acl.allowed("u", "x.read")
            acl.deny(denied, "x.read")
            assert not acl.allowed("u", "x.read")

def test_denial_of_other_groups_is_no_matter():
    acl = AccessList()
    acl.add_member("a", "u")
    acl.add_member("b", "v")
    acl.grant("u", "p")
    acl.deny("b", "p")
    acl.deny("v", "p")
    assert acl.allowed("u", "p")
    assert not acl.allowed("v", "p")

def test_denial_of_other_permission():
    acl = AccessList()
    acl.add_member("a", "u")
    acl.grant("a", "x.*")
    acl.deny("a", "x.write")
    assert acl.allowed("u", "x.read")
    assert not acl.allowed("u", "x.write")
    acl.deny("a", "x.*")
    assert not acl.allowed("u", "x.read")
""",
    ),
    Program(
        name="y26_query_strings",
        code=r'''"""Query strings of addresses."""
from urllib.parse import quote_plus, unquote_plus


def parse(text):
    """Return a dictionary from names to lists of values, in order."""
    result = {}
    for piece in text.lstrip("?").split("&"):
        if not piece:
            continue
        name, _, value = piece.rpartition("=")
        result.setdefault(unquote_plus(name), []).append(unquote_plus(value))
    return result


def build(values):
    """Return the query string for a dictionary of values or lists of values.

    None is left out.
    """
    pieces = []
    for name, value in values.items():
        items = value if isinstance(value, (list, tuple)) else [value]
        for item in items:
            if item is not None:
                pieces.append(f"{quote_plus(str(name))}={quote_plus(str(item))}")
    return "&".join(pieces)


def first(text, name, default=None):
    """Return the first value of a name."""
    return parse(text).get(name, [default])[0]


def update(text, **changes):
    """Return the query string with some values replaced (None removes them)."""
    values = parse(text)
    values.update(changes)
    return build(values)
''',
        wrong='piece.rpartition("=")',
        right='piece.partition("=")',
        visible=r"""
def test_parse():
    assert parse("a=1&b=2&a=3") == {"a": ["1", "3"], "b": ["2"]}
    assert parse("?q=x+y%26z") == {"q": ["x y&z"]}
    assert parse("") == {}

def test_equals_sign_in_value():
    assert parse("token=abc==&x=1") == {"token": ["abc=="], "x": ["1"]}

def test_name_without_value():
    assert parse("debug&a=1") == {"debug": [""], "a": ["1"]}

def test_build():
    assert build({"a": [1, 2], "b": "x y", "c": None}) == "a=1&a=2&b=x+y"

def test_update():
    assert update("page=2&sort=name", page=3) == "page=3&sort=name"
    assert update("page=2&sort=name", sort=None) == "page=2"
""",
        hidden=r"""
def test_values_with_equals_signs():
    for value in ("=", "==", "a=b", "=a", "a=", "a=b=c"):
        assert parse("n=" + value) == {"n": [value]}
        assert first("x=1&n=" + value, "n") == value

def test_names_alone():
    for name in ("a", "debug", "x.y"):
        assert parse(name) == {name: [""]}
        assert parse(name + "=") == {name: [""]}
        assert parse(name + "&" + name) == {name: ["", ""]}

def test_empty_name():
    assert parse("=v") == {"": ["v"]}
    assert parse("=v=w") == {"": ["v=w"]}

def test_round_trip():
    values = {"a": ["1", "x=y", ""], "b=c": ["d&e"], "": ["z"]}
    assert parse(build(values)) == values
""",
    ),
    Program(
        name="y26_name_badges",
        code=r'''"""Short forms of the names of people."""

PARTICLES = {"de", "der", "la", "van", "von"}


def clean(name):
    """Return a name with single spaces."""
    return " ".join(name.split())


def initials(name, limit=2):
    """Return the initials of the first and last words of a name.

    Particles such as 'van' do not count, except if there is nothing else.
    """
    words = [w for w in clean(name).split(" ") if w not in PARTICLES]
    if not words:
        words = clean(name).split(" ")
    letters = [w[0].upper() for w in words if w]
    if len(letters) > limit:
        letters = letters[: limit - 1] + letters[-1:]
    return "".join(letters)


def abbreviate(name):
    """Return the name with all given names but the first as initials."""
    words = clean(name).split(" ")
    if len(words) < 3:
        return clean(name)
    middle = [w if w.lower() in PARTICLES else w[0].upper() + "." for w in words[1:-1]]
    return " ".join([words[0]] + middle + [words[-1]])


def sort_key(name):
    """Return what lists of people are sorted by: last name, then the others."""
    words = clean(name).lower().split(" ")
    return words[-1:] + words[:-1]


def sort_names(names):
    """Return cleaned names sorted by last name."""
    return sorted((clean(name) for name in names), key=sort_key)
''',
        wrong="if w not in PARTICLES]",
        right="if w.lower() not in PARTICLES]",
        visible=r"""
def test_initials():
    assert initials("Ada Lovelace") == "AL"
    assert initials("  plato ") == "P"
    assert initials("John Ronald Reuel Tolkien") == "JT"
    assert initials("John Ronald Reuel Tolkien", 3) == "JRT"

def test_particles():
    assert initials("vincent van gogh") == "VG"
    assert initials("Van Morrison") == "M"
    assert initials("") == ""

def test_only_particles():
    assert initials("de la") == "DL"

def test_abbreviate():
    assert abbreviate("George Walker Bush") == "George W. Bush"
    assert abbreviate("Ludwig Van  Beethoven") == "Ludwig Van Beethoven"
    assert abbreviate("Ada  Lovelace") == "Ada Lovelace"

def test_sort():
    assert sort_names(["Zoe Adams", "amy  Brown", "Al Adams"]) == ["Al Adams", "Zoe Adams", "amy Brown"]
""",
        hidden=r"""
def test_case_of_particles_is_no_matter():
    for particle in ("de", "De", "DE", "vAn", "VON", "Der", "La"):
        assert initials(f"Anna {particle} Berg") == "AB"
        assert initials(f"Anna {particle} Berg", 3) == "AB"
        assert initials(f"{particle} Berg") == "B"
        assert initials(f"Anna {particle}") == "A"

def test_only_particles_any_case():
    assert initials("De La") == "DL"
    assert initials("VON") == "V"
    assert initials("van Der", 1) == "D"

def test_case_of_names_is_kept_upper():
    for name in ("anna berg", "ANNA BERG", "Anna Berg", "aNNA bERG"):
        assert initials(name) == "AB"
    assert initials("Vanessa Delaney") == "VD"
""",
    ),
    Program(
        name="y26_interval_set",
        code=r'''"""Sets of half-open intervals of numbers."""


def merge(intervals):
    """Join intervals that overlap or touch; the result is sorted.

    Empty intervals vanish.
    """
    merged = []
    for start, end in sorted(intervals):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def length(intervals):
    """The size of what the intervals cover."""
    return sum(end - start for start, end in merge(intervals))


def contains(intervals, number):
    """Whether a number lies in one of the intervals."""
    return any(start <= number < end for start, end in intervals)


def gaps(intervals, start, end):
    """Return the parts of [start, end) that no interval covers."""
    free = []
    position = start
    for left, right in merge(intervals):
        if right <= start or left >= end:
            continue
        if left > position:
            free.append((position, left))
        position = max(position, right)
    if position < end:
        free.append((position, end))
    return free


def intersect(first, second):
    """Return the intervals that both sets cover."""
    common = []
    for a, b in merge(first):
        for c, d in merge(second):
            if max(a, c) < min(b, d):
                common.append((max(a, c), min(b, d)))
    return common
''',
        wrong="merged[-1] = (merged[-1][0], end)",
        right="merged[-1] = (merged[-1][0], max(merged[-1][1], end))",
        visible=r"""
def test_merge():
    assert merge([(5, 7), (1, 3), (2, 4)]) == [(1, 4), (5, 7)]
    assert merge([(1, 2), (2, 3)]) == [(1, 3)]
    assert merge([(3, 3), (4, 2)]) == []

def test_merge_nested():
    assert merge([(1, 10), (2, 5)]) == [(1, 10)]

def test_length():
    assert length([(0, 4), (2, 6)]) == 6

def test_contains():
    assert contains([(1, 3)], 1)
    assert not contains([(1, 3)], 3)

def test_gaps():
    assert gaps([(2, 4), (6, 8)], 0, 10) == [(0, 2), (4, 6), (8, 10)]
    assert gaps([(0, 10), (3, 4)], 2, 9) == []

def test_intersect():
    assert intersect([(0, 5), (8, 12)], [(3, 10)]) == [(3, 5), (8, 10)]
""",
        hidden=r"""
import random

def points(intervals):
    return {n for a, b in intervals for n in range(a, b)}

def samples():
    rng = random.Random(5)
    for _ in range(300):
        yield [(rng.randrange(20), rng.randrange(20)) for _ in range(rng.randrange(7))]

def test_merge_covers_the_same():
    for intervals in samples():
        merged = merge(intervals)
        assert points(merged) == points(intervals)
        for (a, b), (c, d) in zip(merged, merged[1:]):
            assert a < b < c < d

def test_length_counts_points():
    for intervals in samples():
        assert length(intervals) == len(points(intervals))

def test_gaps_are_the_rest():
    for intervals in samples():
        assert points(gaps(intervals, 3, 15)) == set(range(3, 15)) - points(intervals)

def test_several_nested():
    assert merge([(0, 9), (1, 3), (2, 8), (4, 5)]) == [(0, 9)]
    assert merge([(0, 9), (1, 12), (2, 4)]) == [(0, 12)]
    assert intersect([(0, 9), (1, 2)], [(4, 6)]) == [(4, 6)]
""",
    ),
    Program(
        name="y26_event_bus",
        code=r'''"""Events and those who listen to them."""


class EventBus:
    """Calls the listeners of an event in the order of their priority."""

    def __init__(self):
        self._listeners = {}

    def on(self, event, listener, priority=0):
        """Register a listener; higher priorities are called first."""
        entries = self._listeners.setdefault(event, [])
        entries.append((priority, listener))
        entries.sort(key=lambda entry: -entry[0])
        return listener

    def once(self, event, listener, priority=0):
        """Register a listener that is called at most once."""

        def wrapper(*args):
            self.off(event, wrapper)
            return listener(*args)

        return self.on(event, wrapper, priority)

    def off(self, event, listener):
        """Remove a listener; return whether it was registered."""
        entries = self._listeners.get(event, [])
        for entry in entries:
            if entry[1] is listener:
                entries.remove(entry)
                return True
        return False

    def emit(self, event, *args):
        """Call the listeners that are registered now; return their results."""
        results = []
        for _, listener in self._listeners.get(event, []):
            results.append(listener(*args))
        return results

    def count(self, event):
        """The number of listeners of an event."""
        return len(self._listeners.get(event, []))
''',
        wrong="for _, listener in self._listeners.get(event, []):",
        right="for _, listener in list(self._listeners.get(event, [])):",
        visible=r"""
def test_emit():
    bus = EventBus()
    bus.on("add", lambda a, b: a + b)
    bus.on("add", lambda a, b: a * b)
    assert bus.emit("add", 3, 4) == [7, 12]
    assert bus.emit("other") == []

def test_priority():
    bus = EventBus()
    bus.on("x", lambda: "low", -1)
    bus.on("x", lambda: "high", 5)
    bus.on("x", lambda: "middle")
    assert bus.emit("x") == ["high", "middle", "low"]

def test_off():
    bus = EventBus()
    f = bus.on("x", lambda: 1)
    assert bus.off("x", f)
    assert not bus.off("x", f)
    assert bus.count("x") == 0

def test_once():
    bus = EventBus()
    bus.once("x", lambda: "first")
    bus.on("x", lambda: "second")
    assert bus.emit("x") == ["first", "second"]
    assert bus.emit("x") == ["second"]
""",
        hidden=r"""
def test_many_once():
    for n in range(1, 8):
        bus = EventBus()
        for k in range(n):
            bus.once("x", lambda k=k: k)
        assert bus.emit("x") == list(range(n))
        assert bus.emit("x") == []
        assert bus.count("x") == 0

def test_mixed():
    for mask in range(64):
        bus = EventBus()
        stay = []
        for k in range(6):
            if mask >> k & 1:
                bus.once("x", lambda k=k: k)
            else:
                bus.on("x", lambda k=k: k)
                stay.append(k)
        assert bus.emit("x") == list(range(6))
        assert bus.emit("x") == stay

def test_added_while_emitting():
    bus = EventBus()
    def add():
        bus.on("x", lambda: "late")
        return "add"
    bus.on("x", add)
    assert bus.emit("x") == ["add"]
    assert bus.emit("x") == ["add", "late"]

def test_added_on_top_while_emitting():
    bus = EventBus()
    bus.on("x", lambda: bus.on("x", lambda: "top", 9) and "a")
    bus.on("x", lambda: "b")
    assert bus.emit("x") == ["a", "b"]
    assert bus.emit("x") == ["top", "a", "b"]

def test_removes_a_later_one():
    bus = EventBus()
    bus.on("x", lambda: bus.off("x", last))
    last = bus.on("x", lambda: "last")
    assert bus.emit("x") == [True, "last"]
    assert bus.emit("x") == [False]
""",
    ),
    Program(
        name="y26_topological_build",
        code=r'''"""The order in which tasks that need each other are run."""


class CycleError(ValueError):
    """Tasks that need each other in a circle."""


class TaskGraph:
    """Tasks and what they need."""

    def __init__(self):
        self._needs = {}

    def add(self, task, *needs):
        """Add a task (again) together with tasks that must run before it."""
        known = self._needs[task] = []
        for need in needs:
            self._needs.setdefault(need, [])
            if need not in known:
                known.append(need)

    def order(self, *goals):
        """Return the tasks that the goals (or all) need, each after its needs."""
        done = []
        active = set()

        def visit(task):
            if task in done:
                return
            if task in active:
                raise CycleError(f"{task!r} needs itself")
            active.add(task)
            for need in self._needs[task]:
                visit(need)
            done.append(task)

        for goal in goals or self._needs:
            visit(goal)
        return done

    def stages(self):
        """Return lists of tasks; those of one list may run side by side."""
        level = {}
        for task in self.order():
            level[task] = max((level[need] for need in self._needs[task]), default=0) + 1
        result = [[] for _ in range(max(level.values(), default=0))]
        for task, number in level.items():
            result[number - 1].append(task)
        return result

    def users(self, task):
        """Return the tasks that directly need a task."""
        return [t for t, needs in self._needs.items() if task in needs]
''',
        wrong="self._needs[task] = []",
        right="self._needs.setdefault(task, [])",
        visible=r"""
def test_order():
    g = TaskGraph()
    g.add("test", "build")
    g.add("build", "fetch", "configure")
    assert g.order("build") == ["fetch", "configure", "build"]
    assert g.order("fetch") == ["fetch"]

def test_stages():
    g = TaskGraph()
    g.add("d", "b", "c")
    assert g.stages() == [["b", "c"], ["d"]]
    assert TaskGraph().stages() == []

def test_cycle():
    g = TaskGraph()
    g.add("a", "b")
    g.add("b", "a")
    with pytest.raises(CycleError):
        g.order()

def test_added_twice():
    g = TaskGraph()
    g.add("app", "core")
    g.add("app", "ui", "core")
    assert g.order("app") == ["core", "ui", "app"]

def test_users():
    g = TaskGraph()
    g.add("a", "x")
    g.add("b", "x", "y")
    assert g.users("x") == ["a", "b"]
    assert g.users("a") == []
""",
        hidden=r"""
def test_needs_one_by_one():
    for n in range(1, 8):
        g = TaskGraph()
        for k in range(n):
            g.add("goal", k)
        assert g.order("goal") == list(range(n)) + ["goal"]
        for k in range(n):
            assert g.users(k) == ["goal"]

def test_adding_again_without_needs():
    g = TaskGraph()
    g.add("a", "b")
    g.add("a")
    assert g.order("a") == ["b", "a"]
    assert g.stages() == [["b"], ["a"]]

def test_cycle_through_earlier_need():
    g = TaskGraph()
    g.add("a", "b")
    g.add("b", "a")
    g.add("a", "c")
    with pytest.raises(CycleError):
        g.order("a")

def test_need_known_before():
    g = TaskGraph()
    g.add("b", "a")
    g.add("c", "b")
    assert g.order("c") == ["a", "b", "c"]
    assert g.stages() == [["a"], ["b"], ["c"]]

def test_no_doubles():
    g = TaskGraph()
    for _ in range(3):
        g.add("x", "y", "z", "y")
    assert g.order() == ["y", "z", "x"]
    assert g.order("z", "x", "y") == ["z", "y", "x"]
""",
    ),
    Program(
        name="y26_memoize",
        code=r'''"""Remembering the results of functions."""
import functools


class Memo:
    """A bounded store of results; the oldest one is dropped first."""

    def __init__(self, limit):
        self.limit = limit
        self.hits = 0
        self.misses = 0
        self._results = {}

    def lookup(self, key, compute):
        """Return the stored result for a key or compute and store it."""
        if key in self._results:
            self.hits += 1
            return self._results[key]
        self.misses += 1
        result = compute()
        if self.limit is not None and len(self._results) >= self.limit:
            oldest = next(iter(self._results))
            del self._results[oldest]
        self._results[key] = result
        return result

    def clear(self):
        """Forget all results and start counting again."""
        self._results.clear()
        self.hits = self.misses = 0


def memoize(limit=128):
    """Decorate a function so that it is called once for the same arguments.

    The function gets an attribute `memo`; arguments must be hashable.
    """

    def decorate(function):
        memo = Memo(limit)

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            key = (args, frozenset(kwargs))
            return memo.lookup(key, lambda: function(*args, **kwargs))

        wrapper.memo = memo
        return wrapper

    return decorate
''',
        wrong="frozenset(kwargs))",
        right="frozenset(kwargs.items()))",
        visible=r"""
def test_called_once():
    calls = []
    @memoize()
    def double(x):
        calls.append(x)
        return 2 * x
    assert [double(1), double(1), double(2)] == [2, 2, 4]
    assert calls == [1, 2]
    assert (double.memo.hits, double.memo.misses) == (1, 2)

def test_name_is_kept():
    @memoize()
    def area(w, h):
        "Compute."
    assert area.__name__ == "area"

def test_keyword_arguments():
    @memoize()
    def power(base, exponent=2):
        return base ** exponent
    assert power(3) == 9
    assert power(3, exponent=3) == 27
    assert power(3, exponent=4) == 81

def test_limit():
    memo = Memo(2)
    for key in "abc":
        memo.lookup(key, lambda: key)
    assert memo.lookup("a", lambda: "new") == "new"

def test_clear():
    memo = Memo(None)
    memo.lookup(1, lambda: 1)
    memo.clear()
    assert memo.misses == 0
    assert memo.lookup(1, lambda: 2) == 2
""",
        hidden=r"""
def test_all_combinations():
    calls = []
    @memoize(None)
    def f(*args, **kwargs):
        calls.append(1)
        return args, kwargs
    seen = 0
    for a in range(3):
        for b in range(3):
            for kwargs in ({}, {"x": a}, {"y": a}, {"x": a, "y": b}, {"x": b, "z": a}):
                assert f(b, **kwargs) == ((b,), kwargs)
                assert f(**kwargs) == ((), kwargs)

def test_order_of_keywords_is_no_matter():
    @memoize()
    def f(**kwargs):
        return sorted(kwargs.items())
    f(a=1, b=2)
    f(b=2, a=1)
    assert (f.memo.hits, f.memo.misses) == (1, 1)
    assert f(a=2, b=1) == [("a", 2), ("b", 1)]
    assert f.memo.misses == 2

def test_same_keywords_are_hits():
    @memoize()
    def f(x, y=0):
        return x + y
    for _ in range(3):
        for y in range(5):
            assert f(1, y=y) == 1 + y
    assert (f.memo.hits, f.memo.misses) == (10, 5)
""",
    ),
    Program(
        name="y26_retry_policy",
        code=r'''"""Calling something again when it fails."""


class GiveUp(Exception):
    """All attempts failed; `errors` has the exception of each."""

    def __init__(self, errors):
        super().__init__(f"failed {len(errors)} times, last with {errors[-1]!r}")
        self.errors = errors


class RetryPolicy:
    """How often and how soon to try again."""

    def __init__(self, attempts=3, delay=1.0, factor=2.0, longest=30.0, retry_on=(OSError,)):
        if attempts < 1:
            raise ValueError("at least one attempt is needed")
        self.attempts = attempts
        self.delay = delay
        self.factor = factor
        self.longest = longest
        self.retry_on = tuple(retry_on)

    def pause(self, failures):
        """Seconds to wait after so many failures."""
        return min(self.longest, self.delay * self.factor ** failures)

    def pauses(self):
        """All pauses of a call that never succeeds."""
        return [self.pause(failures) for failures in range(1, self.attempts)]

    def call(self, function, sleep):
        """Return what `function` returns, after failures and pauses if need be.

        Other exceptions than those of `retry_on` are not caught.
        """
        errors = []
        while True:
            try:
                return function()
            except self.retry_on as error:
                errors.append(error)
            if len(errors) >= self.attempts:
                raise GiveUp(errors)
            sleep(self.pause(len(errors)))
''',
        wrong="self.delay * self.factor ** failures)",
        right="self.delay * self.factor ** (failures - 1))",
        visible=r"""
class Flaky:
    def __init__(self, failures, error=OSError):
        self.failures = failures
        self.error = error
        self.calls = 0
    def __call__(self):
        self.calls += 1
        if self.calls <= self.failures:
            raise self.error("no")
        return "done"

def test_success_at_once():
    slept = []
    assert RetryPolicy().call(Flaky(0), slept.append) == "done"
    assert slept == []

def test_pauses_grow():
    slept = []
    assert RetryPolicy(attempts=4).call(Flaky(3), slept.append) == "done"
    assert slept == [1.0, 2.0, 4.0]

def test_longest_pause():
    policy = RetryPolicy(attempts=5, delay=10, factor=3, longest=50)
    assert policy.pauses() == [10, 30, 50, 50]

def test_gives_up():
    f = Flaky(9)
    with pytest.raises(GiveUp) as info:
        RetryPolicy(attempts=3).call(f, lambda s: None)
    assert f.calls == 3
    assert len(info.value.errors) == 3

def test_other_errors():
    with pytest.raises(KeyError):
        RetryPolicy().call(Flaky(1, KeyError), lambda s: None)
""",
        hidden=r"""
def fail():
    raise OSError

def test_first_pause_is_the_delay():
    for delay in (0, 0.5, 1, 7):
        for factor in (1, 1.5, 2, 10):
            assert RetryPolicy(delay=delay, factor=factor).pause(1) == delay

def test_growth():
    policy = RetryPolicy(attempts=9, delay=0.25, factor=2, longest=10)
    assert policy.pauses() == [0.25, 0.5, 1, 2, 4, 8, 10, 10]
    policy = RetryPolicy(attempts=4, delay=2, factor=3, longest=1000)
    assert policy.pauses() == [2, 6, 18]

def test_sleeps_like_pauses():
    for attempts in range(1, 8):
        policy = RetryPolicy(attempts=attempts, delay=1, factor=3, longest=100)
        slept = []
        with pytest.raises(GiveUp):
            policy.call(fail, slept.append)
        assert slept == policy.pauses() == [1, 3, 9, 27, 81, 100][: attempts - 1]

def test_steady():
    assert RetryPolicy(attempts=5, delay=3, factor=1).pauses() == [3, 3, 3, 3]
    assert RetryPolicy(attempts=3, delay=40, factor=2).pauses() == [30, 30]
""",
    ),
    Program(
        name="y26_page_links",
        code=r'''"""Pages of long lists."""


class Paginator:
    """Cuts a list into pages, which are counted from 1."""

    def __init__(self, items, per_page):
        if per_page < 1:
            raise ValueError("a page needs room for an item")
        self.items = list(items)
        self.per_page = per_page

    @property
    def pages(self):
        """The number of pages; an empty list has one."""
        return max(1, -(-len(self.items) // self.per_page))

    def page(self, number):
        """Return the items of a page."""
        if not 1 <= number <= self.pages:
            raise IndexError(f"no page {number}")
        start = (number - 1) * self.per_page
        return self.items[start:start + self.per_page]

    def page_of(self, item):
        """Return the number of the page on which an item is."""
        return self.items.index(item) // self.per_page + 1

    def links(self, current, around=1):
        """Return the page numbers to show, with None where some are left out.

        The first and last pages are shown and `around` pages on both sides
        of the current one.
        """
        shown = []
        previous = 0
        for number in range(1, self.pages + 1):
            if number in (1, self.pages) or abs(number - current) < around:
                if number - previous > 1:
                    shown.append(None)
                shown.append(number)
                previous = number
        return shown
''',
        wrong="abs(number - current) < around",
        right="abs(number - current) <= around",
        visible=r"""
def test_pages():
    p = Paginator(range(10), 4)
    assert p.pages == 3
    assert p.page(1) == [0, 1, 2, 3]
    assert p.page(3) == [8, 9]

def test_empty():
    p = Paginator([], 5)
    assert p.pages == 1
    assert p.page(1) == []

def test_no_such_page():
    p = Paginator(range(4), 2)
    for number in (0, 3):
        with pytest.raises(IndexError):
            p.page(number)

def test_page_of():
    assert Paginator("abcdef", 2).page_of("d") == 2

def test_links():
    p = Paginator(range(100), 10)
    assert p.links(5) == [1, None, 4, 5, 6, None, 10]
    assert p.links(1) == [1, 2, None, 10]
""",
        hidden=r"""
def expected(pages, current, around):
    numbers = {1, pages} | set(range(current - around, current + around + 1))
    numbers = sorted(n for n in numbers if 1 <= n <= pages)
    result = []
    for n in numbers:
        if result and n != result[-1] + 1:
            result.append(None)
        result.append(n)
    return result

def test_all():
    for pages in range(1, 13):
        p = Paginator(range(pages), 1)
        for current in range(1, pages + 1):
            for around in range(0, 5):
                assert p.links(current, around) == expected(pages, current, around)

def test_current_always_shown():
    p = Paginator(range(50), 5)
    for current in range(1, 11):
        assert current in p.links(current, 0)
    assert p.links(5, 0) == [1, None, 5, None, 10]

def test_wide():
    p = Paginator(range(50), 10)
    assert p.links(3, 2) == [1, 2, 3, 4, 5]
    assert p.links(1, 3) == [1, 2, 3, 4, 5]
    assert p.links(1, 2) == [1, 2, 3, None, 5]
""",
    ),
    Program(
        name="y26_record_schema",
        code=r'''"""Checks of records against a schema."""


class Field:
    """A field of a record: its type, whether it is needed, and its bounds."""

    def __init__(self, kind, required=True, least=None, most=None, choices=None):
        self.kind = kind
        self.required = required
        self.least = least
        self.most = most
        self.choices = choices

    def problem(self, value):
        """Return what is wrong with a value, or None.

        True and False are no numbers here.
        """
        if not isinstance(value, self.kind) or isinstance(value, bool):
            return f"expected {self.kind.__name__}"
        size = len(value) if isinstance(value, (str, list)) else value
        if self.least is not None and size < self.least:
            return f"less than {self.least}"
        if self.most is not None and size > self.most:
            return f"more than {self.most}"
        if self.choices is not None and value not in self.choices:
            return "not one of the choices"
        return None


def check(schema, record):
    """Return a dictionary from names of fields to problems."""
    problems = {}
    for name, field in schema.items():
        if name not in record:
            if field.required:
                problems[name] = "missing"
            continue
        found = field.problem(record[name])
        if found:
            problems[name] = found
    for name in record:
        if name not in schema:
            problems[name] = "unknown"
    return problems


def is_valid(schema, record):
    """Whether a record has no problems."""
    return not check(schema, record)
''',
        wrong="or isinstance(value, bool):",
        right="or (isinstance(value, bool) and self.kind is not bool):",
        visible=r"""
USER = {
    "name": Field(str, least=1, most=10),
    "age": Field(int, required=False, least=0),
    "admin": Field(bool, required=False),
    "role": Field(str, required=False, choices=["a", "b"]),
}

def test_valid():
    assert check(USER, {"name": "ann", "age": 3, "role": "a"}) == {}

def test_missing_and_unknown():
    assert check(USER, {"nam": "x"}) == {"name": "missing", "nam": "unknown"}

def test_bounds():
    assert check(USER, {"name": "", "age": -1}) == {"name": "less than 1", "age": "less than 0"}
    assert check(USER, {"name": "x" * 11}) == {"name": "more than 10"}

def test_types():
    assert check(USER, {"name": 3, "age": True}) == {"name": "expected str", "age": "expected int"}

def test_flags():
    assert is_valid(USER, {"name": "ann", "admin": True})
    assert is_valid(USER, {"name": "ann", "admin": False})
    assert check(USER, {"name": "ann", "admin": 1}) == {"admin": "expected bool"}
""",
        hidden=r"""
def test_bool_fields():
    for value in (True, False):
        assert Field(bool).problem(value) is None
        assert check({"x": Field(bool)}, {"x": value}) == {}
    for value in (0, 1, "True", None, [], 1.0):
        assert Field(bool).problem(value) == "expected bool"

def test_bool_is_no_number():
    for value in (True, False):
        for kind in (int, float, str, list):
            assert Field(kind).problem(value) == f"expected {kind.__name__}"
            assert Field(kind, least=-5, most=5).problem(value) == f"expected {kind.__name__}"

def test_bool_choices():
    assert Field(bool, choices=[True]).problem(True) is None
    assert Field(bool, choices=[True]).problem(False) == "not one of the choices"

def test_other_kinds():
    assert Field(int, least=2, most=4).problem(3) is None
    assert Field(float).problem(0.5) is None
    assert Field(float).problem("0.5") == "expected float"
    assert Field(list, most=2).problem([1, 2, 3]) == "more than 2"
    assert Field(list, least=1).problem([]) == "less than 1"
    assert Field(int).problem(0) is None
    assert Field(int).problem(None) == "expected int"
""",
    ),
    Program(
        name="y26_method_router",
        code=r'''"""Finding the handler for a request."""


class NotFound(LookupError):
    """No route has the path."""


class MethodNotAllowed(LookupError):
    """Routes have the path but not the method; `allowed` are those they have."""

    def __init__(self, allowed):
        super().__init__(", ".join(allowed))
        self.allowed = allowed


class Router:
    """A list of routes such as ('GET', '/users/<id>')."""

    def __init__(self):
        self._routes = []

    def add(self, method, pattern, handler):
        """Add a route; earlier routes are preferred."""
        self._routes.append((method.upper(), self._split(pattern), handler))

    @staticmethod
    def _split(path):
        return [part for part in path.split("/") if part]

    @staticmethod
    def _fit(pattern, parts):
        if len(pattern) != len(parts):
            return None
        values = {}
        for wanted, part in zip(pattern, parts):
            if wanted.startswith("<") and wanted.endswith(">"):
                values[wanted[1:-1]] = part
            elif wanted != part:
                return None
        return values

    def find(self, method, path):
        """Return (handler, values of the parameters)."""
        allowed = set()
        parts = self._split(path)
        for route_method, pattern, handler in self._routes:
            values = self._fit(pattern, parts)
            if values is None:
                continue
            if route_method == method.upper():
                return handler, values
            allowed.add(method)
        if allowed:
            raise MethodNotAllowed(sorted(allowed))
        raise NotFound(path)
''',
        wrong="allowed.add(method)",
        right="allowed.add(route_method)",
        visible=r"""
def make():
    r = Router()
    r.add("get", "/users", "list")
    r.add("POST", "/users", "create")
    r.add("GET", "/users/<id>", "show")
    r.add("GET", "/users/<id>/posts/<post>", "post")
    return r

def test_fixed_paths():
    assert make().find("GET", "/users") == ("list", {})
    assert make().find("post", "/users/") == ("create", {})

def test_parameters():
    assert make().find("GET", "/users/7") == ("show", {"id": "7"})
    assert make().find("GET", "/users/7/posts/x") == ("post", {"id": "7", "post": "x"})

def test_not_found():
    with pytest.raises(NotFound):
        make().find("GET", "/user")
    with pytest.raises(NotFound):
        make().find("GET", "/")

def test_method_not_allowed():
    with pytest.raises(MethodNotAllowed) as info:
        make().find("DELETE", "/users")
    assert info.value.allowed == ["GET", "POST"]
""",
        hidden=r"""
import itertools

METHODS = ["GET", "HEAD", "PATCH", "POST", "PUT"]

def test_allowed_are_those_of_the_path():
    for n in range(1, 5):
        for methods in itertools.permutations(METHODS, n):
            r = Router()
            for m in methods:
                r.add(m.lower(), "/x/<y>", m)
                r.add("TRACE", "/other", "o")
            for asked in METHODS:
                if asked in methods:
                    assert r.find(asked, "/x/1") == (asked, {"y": "1"})
                else:
                    with pytest.raises(MethodNotAllowed) as info:
                        r.find(asked, "/x/1")
                    assert info.value.allowed == sorted(methods)
                    assert str(info.value) == ", ".join(sorted(methods))

def test_each_method_once():
    r = Router()
    r.add("GET", "/a/<x>", 1)
    r.add("GET", "/<y>/b", 2)
    r.add("PUT", "/a/b", 3)
    with pytest.raises(MethodNotAllowed) as info:
        r.find("delete", "/a/b")
    assert info.value.allowed == ["GET", "PUT"]

def test_other_paths_do_not_count():
    r = Router()
    r.add("GET", "/a", 1)
    r.add("POST", "/a/b", 2)
    with pytest.raises(MethodNotAllowed) as info:
        r.find("PUT", "a")
    assert info.value.allowed == ["GET"]
    with pytest.raises(NotFound):
        r.find("GET", "/a/b/c")
""",
    ),
    Program(
        name="y26_determinant",
        code=r'''"""Exact calculations with square matrices."""
from fractions import Fraction


def identity(n):
    """The unit matrix."""
    return [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]


def multiply(a, b):
    """The product of two matrices."""
    if len(a[0]) != len(b):
        raise ValueError("shapes do not fit")
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def _find_pivot(rows, column):
    for number in range(column, len(rows)):
        if rows[number][column] != 0:
            return number
    return None


def determinant(matrix):
    """The determinant, by elimination."""
    rows = [[Fraction(x) for x in row] for row in matrix]
    result = Fraction(1)
    for column in range(len(rows)):
        pivot = _find_pivot(rows, column)
        if pivot is None:
            return Fraction(0)
        if pivot != column:
            rows[column], rows[pivot] = rows[pivot], rows[column]
            result = -1
        result *= rows[column][column]
        for number in range(column + 1, len(rows)):
            factor = rows[number][column] / rows[column][column]
            for k in range(column, len(rows)):
                rows[number][k] -= factor * rows[column][k]
    return result


def is_singular(matrix):
    """Whether a matrix has no inverse."""
    return determinant(matrix) == 0
''',
        wrong="            result = -1",
        right="            result = -result",
        visible=r"""
def test_small():
    assert determinant([[7]]) == 7
    assert determinant([[1, 2], [3, 4]]) == -2
    assert determinant([[0, 1], [1, 0]]) == -1

def test_three():
    assert determinant([[2, 0, 1], [1, 3, 2], [1, 1, 1]]) == 0
    assert determinant([[2, 1, 0], [0, 3, 1], [1, 0, 1]]) == 7

def test_with_swap():
    assert determinant([[2, 0, 0], [0, 0, 3], [0, 5, 0]]) == -30

def test_singular():
    assert is_singular([[1, 2], [2, 4]])
    assert not is_singular(identity(4))

def test_multiply():
    assert multiply([[1, 2]], [[3], [4]]) == [[11]]
    with pytest.raises(ValueError):
        multiply([[1, 2]], [[1, 2]])
""",
        hidden=r"""
import itertools, random

def slow(m):
    n = len(m)
    total = 0
    for p in itertools.permutations(range(n)):
        sign = 1
        for i in range(n):
            for j in range(i):
                if p[j] > p[i]:
                    sign = -sign
        for i in range(n):
            sign *= m[i][p[i]]
        total += sign
    return total

def test_permutation_matrices():
    for n in range(1, 6):
        for p in itertools.permutations(range(n)):
            m = [[int(p[i] == j) for j in range(n)] for i in range(n)]
            assert determinant(m) == slow(m)

def test_random():
    rng = random.Random(3)
    for _ in range(200):
        n = rng.randrange(1, 5)
        m = [[rng.choice([0, 0, 1, 2, -3]) for _ in range(n)] for _ in range(n)]
        assert determinant(m) == slow(m)

def test_scaled_swaps():
    assert determinant([[0, 2, 0], [3, 0, 0], [0, 0, 4]]) == -24
    assert determinant([[0, 2, 0], [0, 0, 3], [4, 0, 0]]) == 24
    assert determinant([[5, 1, 1, 1], [0, 0, 2, 0], [0, 0, 0, 3], [0, 7, 0, 0]]) == 210
""",
    ),
    Program(
        name="y26_workflow_machine",
        code=r'''"""A state machine for documents under review."""


class TransitionError(Exception):
    """An action that the present state does not permit."""


class Machine:
    """States that change by actions, some of which have conditions."""

    def __init__(self, initial):
        self.state = initial
        self.history = [initial]
        self._transitions = {}

    def add(self, action, source, target, guard=None):
        """Let an action lead from source to target, if the guard agrees.

        The source '*' stands for all states.
        """
        self._transitions.setdefault(action, []).append((source, target, guard))

    def _target(self, action, data):
        for source, target, guard in self._transitions.get(action, []):
            if source not in (self.state, "*"):
                continue
            if guard and guard(data):
                return target
        return None

    def can(self, action, data=None):
        """Whether an action is possible now."""
        return self._target(action, data) is not None

    def do(self, action, data=None):
        """Carry out an action and return the new state."""
        target = self._target(action, data)
        if target is None:
            raise TransitionError(f"cannot {action} in state {self.state}")
        self.state = target
        self.history.append(target)
        return target

    def actions(self, data=None):
        """The names of all actions that are possible now."""
        return sorted(action for action in self._transitions if self.can(action, data))
''',
        wrong="if guard and guard(data):",
        right="if guard is None or guard(data):",
        visible=r"""
def make():
    m = Machine("draft")
    m.add("submit", "draft", "review")
    m.add("approve", "review", "published", lambda data: data == "editor")
    m.add("reject", "review", "draft")
    m.add("trash", "*", "deleted")
    return m

def test_initial():
    m = make()
    assert m.state == "draft"
    assert m.history == ["draft"]

def test_submit_and_approve():
    m = make()
    assert m.do("submit") == "review"
    assert m.do("approve", "editor") == "published"
    assert m.history == ["draft", "review", "published"]

def test_guard():
    m = make()
    m.state = "review"
    assert not m.can("approve", "guest")
    assert m.can("approve", "editor")

def test_not_permitted():
    with pytest.raises(TransitionError):
        make().do("approve", "editor")
    with pytest.raises(TransitionError):
        make().do("fly")

def test_actions():
    assert make().actions() == ["submit", "trash"]
""",
        hidden=r"""
def test_unguarded_wildcard():
    for state in ("a", "b", "*"):
        m = Machine(state)
        m.add("go", "*", "end")
        assert m.can("go")
        assert m.do("go") == "end"

def test_guards_decide():
    for limit in range(5):
        for value in range(5):
            m = Machine("a")
            m.add("go", "a", "b", lambda data: data >= limit)
            assert m.can("go", value) is (value >= limit)
            if value < limit:
                with pytest.raises(TransitionError):
                    m.do("go", value)
                assert m.state == "a"
            else:
                assert m.do("go", value) == "b"

def test_fallback_after_guard():
    m = Machine("a")
    m.add("go", "a", "small", lambda d: d < 10)
    m.add("go", "a", "large")
    m.add("back", "*", "a")
    for d in range(0, 20, 3):
        assert m.do("go", d) == ("small" if d < 10 else "large")
        assert m.actions(d) == ["back"]
        m.do("back")

def test_first_of_unguarded():
    m = Machine("a")
    m.add("go", "b", "x")
    m.add("go", "a", "y")
    m.add("go", "a", "z", lambda d: True)
    assert m.do("go") == "y"
    assert not m.can("go")
""",
    ),
    Program(
        name="y26_version_constraints",
        code=r'''"""Versions and constraints on them."""
import operator

_OPERATORS = {
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


def parse_version(text):
    """Return a version as a tuple of numbers, without zeros at its end."""
    numbers = [int(part) for part in text.strip().lstrip("v").split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def parse_constraint(text):
    """Return (operator, version text) of a constraint such as '>=1.2'."""
    text = text.strip()
    for symbol in sorted(_OPERATORS):
        if text.startswith(symbol):
            return symbol, text[len(symbol):].strip()
    return "==", text


def satisfies(version, constraints):
    """Whether a version fulfils all constraints, which commas separate."""
    number = parse_version(version)
    for constraint in constraints.split(","):
        if not constraint.strip():
            continue
        symbol, bound = parse_constraint(constraint)
        if not _OPERATORS[symbol](number, parse_version(bound)):
            return False
    return True


def best(versions, constraints):
    """Return the highest version that fulfils the constraints, or None."""
    fitting = [v for v in versions if satisfies(v, constraints)]
    return max(fitting, key=parse_version, default=None)
''',
        wrong="in sorted(_OPERATORS):",
        right="in sorted(_OPERATORS, key=len, reverse=True):",
        visible=r"""
def test_parse_version():
    assert parse_version("1.10.2") == (1, 10, 2)
    assert parse_version("v2.0") == (2,)
    assert parse_version("0.0") == (0,)

def test_parse_constraint():
    assert parse_constraint("1.2") == ("==", "1.2")
    assert parse_constraint(">= 1.2") == (">=", "1.2")
    assert parse_constraint("<3") == ("<", "3")

def test_exact():
    assert satisfies("1.2.0", "1.2")
    assert not satisfies("1.2.0", "!=1.2")

def test_range():
    assert satisfies("1.5", ">=1.2, <2")
    assert not satisfies("2.0", ">=1.2, <2")

def test_best():
    versions = ["1.9", "1.10", "2.0"]
    assert best(versions, "<2") == "1.10"
    assert best(versions, "<1") is None
""",
        hidden=r"""
import operator as op

OPS = {"==": op.eq, "!=": op.ne, ">=": op.ge, "<=": op.le, ">": op.gt, "<": op.lt}
VERSIONS = ["0.9", "1.0", "1.2", "1.2.1", "1.10", "2", "2.0.1"]

def test_every_operator_is_read():
    for symbol in OPS:
        for space in ("", " ", "  "):
            assert parse_constraint(f"{space}{symbol}{space}1.2.3") == (symbol, "1.2.3")

def test_every_pair():
    for symbol, f in OPS.items():
        for i, a in enumerate(VERSIONS):
            for j, b in enumerate(VERSIONS):
                assert satisfies(a, symbol + b) is f(i, j)

def test_best_with_bounds():
    assert best(VERSIONS, ">=1.0,<=1.2.1") == "1.2.1"
    assert best(VERSIONS, ">=1.0,<=1.10,!=1.10.0") == "1.2.1"
    assert best(VERSIONS, ">2,") == "2.0.1"
    assert best(VERSIONS, "<=0.9") == "0.9"

def test_bare():
    for v in VERSIONS:
        assert best(VERSIONS, v) == v
""",
    ),
    Program(
        name="y26_cron_fields",
        code=r'''"""Schedules in the style of crontab."""
import datetime

_LIMITS = [("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 6)]


def parse_field(text, low, high):
    """Return the set of numbers of a field such as '*/15' or '1-5,7'."""
    numbers = set()
    for piece in text.split(","):
        span, slash, step = piece.partition("/")
        if span == "*":
            first, last = low, high
        elif "-" in span:
            first, last = (int(part) for part in span.split("-"))
        else:
            first = int(span)
            last = high if slash else first
        if not low <= first <= last <= high:
            raise ValueError(f"not within {low}-{high}: {piece!r}")
        numbers.update(range(first, last + 1, int(step or low)))
    return numbers


class Schedule:
    """Five fields: minute, hour, day, month and weekday (0 is Sunday)."""

    def __init__(self, text):
        fields = text.split()
        if len(fields) != len(_LIMITS):
            raise ValueError("a schedule has five fields")
        for (name, low, high), field in zip(_LIMITS, fields):
            setattr(self, name, parse_field(field, low, high))

    def matches(self, moment):
        """Whether the schedule is due in the minute of a datetime."""
        return (
            moment.minute in self.minute
            and moment.hour in self.hour
            and moment.day in self.day
            and moment.month in self.month
            and moment.isoweekday() % 7 in self.weekday
        )

    def next_after(self, moment):
        """Return the first due minute after a moment, within a week."""
        candidate = moment.replace(second=0, microsecond=0)
        for _ in range(7 * 24 * 60):
            candidate += datetime.timedelta(minutes=1)
            if self.matches(candidate):
                return candidate
        return None
''',
        wrong="int(step or low)",
        right="int(step or 1)",
        visible=r"""
def test_day_fields():
    assert parse_field("3", 1, 31) == {3}
    assert parse_field("1-5,7", 1, 12) == {1, 2, 3, 4, 5, 7}
    assert parse_field("*", 1, 4) == {1, 2, 3, 4}

def test_steps():
    assert parse_field("*/15", 0, 59) == {0, 15, 30, 45}
    assert parse_field("10-20/5", 0, 59) == {10, 15, 20}
    assert parse_field("50/4", 0, 59) == {50, 54, 58}

def test_minutes():
    assert parse_field("5", 0, 59) == {5}
    assert parse_field("0-3", 0, 59) == {0, 1, 2, 3}

def test_bad_fields():
    with pytest.raises(ValueError):
        parse_field("60", 0, 59)
    with pytest.raises(ValueError):
        parse_field("5-2", 0, 59)
    with pytest.raises(ValueError):
        Schedule("* * *")

def test_next():
    monday = datetime.datetime(2024, 1, 1, 9, 30)
    assert Schedule("0 8 * * 1-5").next_after(monday) == datetime.datetime(2024, 1, 2, 8, 0)
""",
        hidden=r"""
def test_every_low():
    for low in range(0, 6):
        high = low + 9
        everything = set(range(low, high + 1))
        assert parse_field("*", low, high) == everything
        for n in everything:
            assert parse_field(str(n), low, high) == {n}
            assert parse_field(f"{low}-{n}", low, high) == set(range(low, n + 1))

def test_every_step():
    for low in (0, 1, 3):
        for step in range(1, 12):
            assert parse_field(f"*/{step}", low, low + 20) == set(range(low, low + 21, step))
            assert parse_field(f"{low + 2}/{step}", low, low + 20) == set(range(low + 2, low + 21, step))

def test_every_minute():
    s = Schedule("* * * * *")
    t = datetime.datetime(2024, 2, 29, 23, 59, 30)
    assert s.next_after(t) == datetime.datetime(2024, 3, 1, 0, 0)

def test_times():
    t = datetime.datetime(2024, 5, 15, 12, 0)  # a Wednesday
    assert Schedule("30 12 * * *").next_after(t) == datetime.datetime(2024, 5, 15, 12, 30)
    assert Schedule("*/20 13-14 * * *").next_after(t) == datetime.datetime(2024, 5, 15, 13, 0)
    assert Schedule("0 0 * * 0").next_after(t) == datetime.datetime(2024, 5, 19, 0, 0)
    assert Schedule("0 12 15 5 3").matches(t)
    assert not Schedule("0 12 15 5 4").matches(t)
""",
    ),
    Program(
        name="y26_duration_text",
        code=r'''"""Lengths of time as text."""
import re

_SECONDS = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}
_PART = re.compile(r"\s*(\d+)\s*([wdhms])", re.IGNORECASE)


def parse_duration(text):
    """Return the seconds of a text such as '1h30m' or '-2d 5s'.

    A plain number means seconds.
    """
    text = text.strip()
    sign = 1
    if text.startswith("-"):
        sign, text = -1, text[1:]
    if text.isdigit():
        return sign * int(text)
    total, position = 0, 0
    while position < len(text):
        match = _PART.match(text, position)
        if match is None:
            raise ValueError(f"not a duration: {text!r}")
        total += int(match.group(1)) * _SECONDS[match.group(2).lower()]
        position = match.end()
    if not text:
        raise ValueError("empty duration")
    return sign * total


def format_duration(seconds, parts=None):
    """Return seconds as text such as '1h 30m', with at most `parts` parts."""
    if seconds == 0:
        return "0s"
    prefix = "-" if seconds < 0 else ""
    pieces = []
    for unit, size in _SECONDS.items():
        count, seconds = divmod(seconds, size)
        if count:
            pieces.append(f"{count}{unit}")
    return prefix + " ".join(pieces[:parts])
''',
        wrong="divmod(seconds, size)",
        right="divmod(abs(seconds), size)",
        visible=r"""
def test_parse():
    assert parse_duration("1h30m") == 5400
    assert parse_duration("2d 5s") == 172805
    assert parse_duration("90") == 90
    assert parse_duration("-1M") == -60

def test_parse_rejects():
    for text in ("", "1x", "h", "5 5s"):
        with pytest.raises(ValueError):
            parse_duration(text)

def test_format():
    assert format_duration(0) == "0s"
    assert format_duration(5400) == "1h 30m"
    assert format_duration(694861) == "1w 1d 1h 1m 1s"

def test_format_parts():
    assert format_duration(3661, parts=2) == "1h 1m"

def test_format_negative():
    assert format_duration(-90) == "-1m 30s"
""",
        hidden=r"""
def test_negative_is_the_positive_with_a_sign():
    for n in list(range(1, 200)) + [3599, 3600, 3601, 86400, 90061, 604799, 604800, 1209661]:
        assert format_duration(-n) == "-" + format_duration(n)
        for parts in range(1, 6):
            assert format_duration(-n, parts) == "-" + format_duration(n, parts)

def test_round_trip():
    for n in range(-700000, 700000, 997):
        assert parse_duration(format_duration(n)) == n

def test_known():
    assert format_duration(-1) == "-1s"
    assert format_duration(-86400) == "-1d"
    assert format_duration(-604800 - 60) == "-1w 1m"
    assert format_duration(59) == "59s"
    assert format_duration(7322) == "2h 2m 2s"
""",
    ),
    Program(
        name="y26_ring_log",
        code=r'''"""A log that keeps only its latest lines."""


class RingLog:
    """The last `capacity` lines, in a list that is overwritten in circles."""

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self._slots = [None] * capacity
        self._next = 0
        self._count = 0

    def append(self, line):
        """Add a line, which may push out the oldest one."""
        self._slots[self._next] = line
        self._next = (self._next + 1) % len(self._slots)
        self._count = min(self._count + 1, len(self._slots))

    def extend(self, lines):
        """Add several lines."""
        for line in lines:
            self.append(line)

    def __len__(self):
        return self._count

    def __getitem__(self, index):
        """The line at a position; 0 is the oldest and -1 the latest."""
        if index < 0:
            index += len(self._slots)
        if not 0 <= index < self._count:
            raise IndexError("no such line")
        start = self._next - self._count
        return self._slots[(start + index) % len(self._slots)]

    def __iter__(self):
        for index in range(self._count):
            yield self[index]

    def tail(self, count):
        """Return the latest lines, oldest first."""
        first = max(0, self._count - count)
        return [self[index] for index in range(first, self._count)]

    def clear(self):
        """Forget all lines."""
        self._slots = [None] * len(self._slots)
        self._next = self._count = 0
''',
        wrong="index += len(self._slots)",
        right="index += self._count",
        visible=r"""
def test_append():
    log = RingLog(3)
    log.append("a")
    log.append("b")
    assert list(log) == ["a", "b"]
    assert len(log) == 2

def test_overwrites():
    log = RingLog(3)
    log.extend("abcde")
    assert list(log) == ["c", "d", "e"]
    assert log[0] == "c"
    assert log[-1] == "e"

def test_index_of_partly_filled():
    log = RingLog(5)
    log.extend("ab")
    assert log[1] == "b"
    assert log[-1] == "b"
    assert log[-2] == "a"

def test_index_error():
    log = RingLog(3)
    with pytest.raises(IndexError):
        log[0]
    log.extend("abcd")
    with pytest.raises(IndexError):
        log[3]

def test_tail_and_clear():
    log = RingLog(4)
    log.extend("abcdef")
    assert log.tail(2) == ["e", "f"]
    assert log.tail(9) == ["c", "d", "e", "f"]
    log.clear()
    assert list(log) == []
""",
        hidden=r"""
def test_like_a_list():
    for capacity in range(1, 7):
        log = RingLog(capacity)
        lines = []
        for n in range(20):
            log.append(n)
            lines = (lines + [n])[-capacity:]
            assert list(log) == lines
            for index in range(-len(lines), len(lines)):
                assert log[index] == lines[index]

def test_out_of_range():
    for capacity in range(1, 7):
        log = RingLog(capacity)
        for n in range(9):
            size = min(n, capacity)
            assert len(log) == size
            for index in (size, size + 1, -size - 1, -size - 2, -20, 20):
                with pytest.raises(IndexError):
                    log[index]
            log.append(n)

def test_after_clear():
    log = RingLog(4)
    log.extend(range(7))
    log.clear()
    with pytest.raises(IndexError):
        log[-1]
    log.append("x")
    assert log[-1] == log[0] == "x"
""",
    ),
    Program(
        name="y26_csv_reader",
        code=r'''"""Reading and writing of lines of comma separated values."""


def split_line(line, separator=",", quote='"'):
    """Return the fields of a line.

    Quoted fields may have separators, and quotes that are written twice.
    """
    fields = []
    current = ""
    quoted = False
    position = 0
    while position < len(line):
        letter = line[position]
        if quoted and letter == quote:
            if line[position + 1:position + 2] == quote:
                current += quote
                position += 1
            else:
                quoted = False
        elif quoted:
            current += letter
        elif letter == quote:
            quoted = True
        elif letter == separator:
            fields.append(current)
            current = ""
        else:
            current += letter
        position += 1
    if quoted:
        raise ValueError("a quote is not closed")
    fields.append(current)
    return fields


def join_fields(fields, separator=",", quote='"'):
    """Return the line for fields; fields are quoted if need be."""
    written = []
    for field in fields:
        text = str(field)
        if separator in text or quote in text:
            text = quote + text + quote
        written.append(text)
    return separator.join(written)


def read_table(text, separator=","):
    """Return the lines of a text as dictionaries; the first has the names."""
    lines = [line for line in text.splitlines() if line.strip()]
    names = split_line(lines[0], separator)
    return [dict(zip(names, split_line(line, separator))) for line in lines[1:]]
''',
        wrong="text = quote + text + quote",
        right="text = quote + text.replace(quote, quote * 2) + quote",
        visible=r'''
def test_split():
    assert split_line("a,b,,c") == ["a", "b", "", "c"]
    assert split_line("") == [""]
    assert split_line("a;b,c", ";") == ["a", "b,c"]

def test_split_quoted():
    assert split_line('"a,b",c') == ["a,b", "c"]
    assert split_line('"say ""hi""",x') == ['say "hi"', "x"]
    with pytest.raises(ValueError):
        split_line('"a,b')

def test_join():
    assert join_fields(["a", 1, "b,c"]) == 'a,1,"b,c"'

def test_join_quotes():
    assert join_fields(['say "hi"', "x"]) == '"say ""hi""",x'

def test_read_table():
    text = 'name,note\nann,"x, y"\n\nbob,\n'
    assert read_table(text) == [{"name": "ann", "note": "x, y"}, {"name": "bob", "note": ""}]
''',
        hidden=r'''
import itertools

def test_round_trip():
    for n in range(0, 5):
        for letters in itertools.product('a,"', repeat=n):
            field = "".join(letters)
            for fields in ([field], [field, "z"], ["", field], [field, field]):
                assert split_line(join_fields(fields)) == fields

def test_round_trip_other_signs():
    for n in range(0, 5):
        for letters in itertools.product("a;'\"", repeat=n):
            field = "".join(letters)
            line = join_fields([field, 7], ";", "'")
            assert split_line(line, ";", "'") == [field, "7"]

def test_written_forms():
    assert join_fields(['"']) == '""""'
    assert join_fields(['a"b', "c"]) == '"a""b",c'
    assert join_fields(["a'b", "c,d"], ",", "'") == "'a''b','c,d'"
    assert join_fields(['a"b'], ",", "'") == 'a"b'
    assert join_fields(["plain", ""]) == "plain,"
''',
    ),
    Program(
        name="y26_slug_registry",
        code=r'''"""Slugs: names of pages for use in addresses."""
import re
import unicodedata


def slugify(title, longest=50):
    """Return a title in lower case letters and digits joined by hyphens."""
    plain = unicodedata.normalize("NFKD", title)
    plain = plain.encode("ascii", "ignore").decode("ascii").lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain)
    return slug.strip("-")[:longest]


class SlugRegistry:
    """Gives every page a slug of its own."""

    def __init__(self, longest=50):
        self.longest = longest
        self._pages = {}

    def register(self, page, title):
        """Return a new slug for a page, with a number if it is taken."""
        base = slugify(title, self.longest) or "page"
        slug = base
        number = 2
        while slug in self._pages:
            slug = f"{base}-{number}"
            number += 1
        self._pages[slug] = page
        return slug

    def page(self, slug):
        """Return the page with a slug, or None."""
        return self._pages.get(slug)

    def rename(self, slug, title):
        """Give the page with a slug a new one."""
        page = self._pages.pop(slug)
        return self.register(page, title)
''',
        wrong='slug.strip("-")[:longest]',
        right='slug.strip("-")[:longest].rstrip("-")',
        visible=r"""
def test_slugify():
    assert slugify("Hello, World!") == "hello-world"
    assert slugify("  Caf\u00e9 au lait -- 2 ") == "cafe-au-lait-2"
    assert slugify("***") == ""

def test_cut():
    assert slugify("abcdefgh", longest=5) == "abcde"
    assert slugify("one two three", longest=8) == "one-two"

def test_register():
    r = SlugRegistry()
    assert r.register(1, "News") == "news"
    assert r.register(2, "news!") == "news-2"
    assert r.register(3, "NEWS") == "news-3"
    assert r.page("news-2") == 2
    assert r.page("x") is None

def test_nothing_left():
    assert SlugRegistry().register(1, "?") == "page"

def test_rename():
    r = SlugRegistry()
    slug = r.register("p", "old")
    assert r.rename(slug, "new name") == "new-name"
    assert r.page("old") is None
""",
        hidden=r"""
def test_every_length():
    title = "a bb ccc -- d eeee, f"
    whole = "a-bb-ccc-d-eeee-f"
    for longest in range(1, 30):
        slug = slugify(title, longest)
        assert slug == whole[:longest].rstrip("-")
        assert not slug.startswith("-") and not slug.endswith("-")

def test_leading_signs():
    for longest in range(1, 12):
        assert slugify("--- abc def", longest) == "abc-def"[:longest].rstrip("-")

def test_full_lengths_are_used():
    for longest in range(1, 10):
        assert slugify("x" * 20, longest) == "x" * longest
    assert slugify("one two three", 7) == "one-two"
    assert slugify("one two three", 6) == "one-tw"
    assert slugify("ab c", 4) == "ab-c"

def test_registry_cuts():
    r = SlugRegistry(longest=4)
    assert r.register(1, "one two") == "one"
    assert r.register(2, "one three") == "one-2"
    assert r.page("one-2") == 2
""",
    ),
    Program(
        name="y26_text_templates",
        code=r'''"""Templates with placeholders such as {{ user.name|upper }}."""
import re

_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")

FILTERS = {
    "upper": str.upper,
    "lower": str.lower,
    "title": str.title,
    "trim": str.strip,
}


class TemplateError(Exception):
    """A template that cannot be filled in."""


def lookup(context, path):
    """Follow a dotted path through dictionaries and lists."""
    value = context
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def fill(expression, context, default=None):
    """Return the text for what stands between the braces."""
    path, *names = [piece.strip() for piece in expression.split("|")]
    try:
        value = lookup(context, path)
    except KeyError:
        if default is None:
            raise TemplateError(f"unknown: {path}") from None
        value = default
    text = str(value)
    for name in names:
        if name not in FILTERS:
            raise TemplateError(f"no filter: {name}")
        text = FILTERS[name](text)
    return text


def render(template, context, default=None):
    """Fill in all placeholders; `default` stands for what is not in the context."""
    return _PLACEHOLDER.sub(lambda m: fill(m.group(1), context, default), template)


def names(template):
    """Return the paths that a template mentions, sorted."""
    found = {m.group(1).split("|")[0].strip() for m in _PLACEHOLDER.finditer(template)}
    return sorted(found)
''',
        wrong="    except KeyError:",
        right="    except (KeyError, IndexError):",
        visible=r"""
CONTEXT = {"user": {"name": "ann lee", "tags": ["x", "y"]}, "count": 0}

def test_render():
    assert render("Hi {{ user.name }}, {{count}} new", CONTEXT) == "Hi ann lee, 0 new"
    assert render("nothing", CONTEXT) == "nothing"

def test_filters():
    assert render("{{ user.name | title }}", CONTEXT) == "Ann Lee"
    with pytest.raises(TemplateError):
        render("{{ user.name|shout }}", CONTEXT)

def test_lists():
    assert render("{{user.tags.1|upper}}", CONTEXT) == "Y"

def test_unknown():
    assert render("<{{ user.mail }}>", CONTEXT, default="") == "<>"
    with pytest.raises(TemplateError):
        render("{{ title }}", CONTEXT)

def test_item_beyond_the_list():
    assert render("{{ user.tags.2 }}", CONTEXT, default="-") == "-"

def test_names():
    assert names("{{ b|upper }} {{ a.c }} {{b}}") == ["a.c", "b"]
""",
        hidden=r"""
def test_positions():
    for n in range(5):
        context = {"a": [str(k) for k in range(n)], "b": {"c": [["deep"] * n]}}
        for k in range(8):
            assert render("{{a.%d}}" % k, context, "?") == (str(k) if k < n else "?")
            assert render("{{ b.c.0.%d|upper }}" % k, context, "none") == ("DEEP" if k < n else "NONE")
            assert render("{{ b.c.%d.0 }}" % (k + 1), context, "x") == "x"

def test_error_without_default():
    for path in ("a.2", "a.100", "a.0.x", "b", "c.0"):
        with pytest.raises(TemplateError) as info:
            render("{{" + path + "}}", {"a": [{}, 1], "c": []})
        assert path in str(info.value)

def test_keys():
    for key in ("x", "y.z", "m.k"):
        assert render("{{" + key + "}}", {"m": {}, "y": {"a": 1}}, "d") == "d"
        with pytest.raises(TemplateError):
            render("{{" + key + "}}", {"m": {}, "y": {"a": 1}})
""",
    ),
    Program(
        name="y26_sorted_tree",
        code=r'''"""A sorted mapping in a binary search tree."""


class _Node:
    def __init__(self, key, value):
        self.key = key
        self.value = value
        self.left = None
        self.right = None


class SortedTree:
    """Keys with values, in ascending order."""

    def __init__(self):
        self._root = None

    def put(self, key, value=None):
        """Store a value under a key."""
        self._root = self._put(self._root, key, value)

    def _put(self, node, key, value):
        if node is None:
            return _Node(key, value)
        if key < node.key:
            node.left = self._put(node.left, key, value)
        elif key > node.key:
            node.right = self._put(node.right, key, value)
        else:
            node.value = value
        return node

    def remove(self, key):
        """Remove a key; KeyError if it is not there."""
        self._root = self._remove(self._root, key)

    def _remove(self, node, key):
        if node is None:
            raise KeyError(key)
        if key < node.key:
            node.left = self._remove(node.left, key)
        elif key > node.key:
            node.right = self._remove(node.right, key)
        elif node.left is None:
            return node.right
        elif node.right is None:
            return node.left
        else:
            heir = node.right
            while heir.left is not None:
                heir = heir.left
            node.key, node.value = heir.key, heir.value
            node.right = self._remove(heir.right, heir.key)
        return node

    def items(self):
        """Return all (key, value) in ascending order."""
        result = []

        def walk(node):
            if node is not None:
                walk(node.left)
                result.append((node.key, node.value))
                walk(node.right)

        walk(self._root)
        return result

    def keys(self):
        """Return all keys in ascending order."""
        return [key for key, _ in self.items()]
''',
        wrong="self._remove(heir.right, heir.key)",
        right="self._remove(node.right, heir.key)",
        visible=r"""
def test_order():
    t = SortedTree()
    for key in "dbfac":
        t.put(key, key.upper())
    assert t.keys() == list("abcdf")
    assert t.items()[0] == ("a", "A")

def test_put_replaces():
    t = SortedTree()
    t.put(1, "x")
    t.put(1, "y")
    assert t.items() == [(1, "y")]

def test_remove_leaf():
    t = SortedTree()
    for key in (2, 1, 3):
        t.put(key)
    t.remove(3)
    assert t.keys() == [1, 2]

def test_remove_with_two_children():
    t = SortedTree()
    for key in (5, 2, 8, 7, 9):
        t.put(key, str(key))
    t.remove(5)
    assert t.items() == [(2, "2"), (7, "7"), (8, "8"), (9, "9")]

def test_remove_absent():
    t = SortedTree()
    t.put(1)
    with pytest.raises(KeyError):
        t.remove(2)
""",
        hidden=r"""
import itertools

def test_every_order_and_key():
    for order in itertools.permutations(range(6)):
        for gone in range(6):
            t = SortedTree()
            for key in order:
                t.put(key, key * 10)
            t.remove(gone)
            assert t.items() == [(k, k * 10) for k in range(6) if k != gone]

def test_remove_all():
    for order in itertools.permutations(range(5)):
        t = SortedTree()
        for key in (2, 0, 4, 1, 3):
            t.put(key)
        left = set(range(5))
        for key in order:
            t.remove(key)
            left.discard(key)
            assert t.keys() == sorted(left)
            with pytest.raises(KeyError):
                t.remove(key)
            assert t.keys() == sorted(left)

def test_put_after_remove():
    t = SortedTree()
    for key in (4, 2, 6, 1, 3, 5, 7):
        t.put(key)
    t.remove(4)
    t.put(4, "new")
    t.remove(5)
    assert t.items() == [(1, None), (2, None), (3, None), (4, "new"), (6, None), (7, None)]
""",
    ),
    Program(
        name="y26_command_shell",
        code=r'''"""A small command line."""
import shlex


class CommandError(Exception):
    """A line that cannot be carried out."""


class Shell:
    """Commands with aliases."""

    def __init__(self):
        self._commands = {}
        self._aliases = {}

    def command(self, name, *aliases):
        """Decorate the function of a command."""

        def decorate(function):
            self._commands[name] = function
            for alias in aliases:
                self._aliases[alias] = name
            return function

        return decorate

    def alias(self, short, line):
        """Let a word stand for the beginning of a line."""
        self._aliases[short] = line

    def run(self, line):
        """Carry out a line and return what its command returns."""
        words = shlex.split(line, comments=True)
        if not words:
            return None
        name, arguments = words[0], words[1:]
        if name in self._commands:
            return self._commands[name](*arguments)
        if name in self._aliases:
            expanded = self._aliases[name]
            self.run(" ".join([expanded] + [shlex.quote(a) for a in arguments]))
        raise CommandError(f"unknown command: {name}")

    def script(self, text):
        """Carry out all lines of a text; return their results, without None."""
        results = [self.run(line) for line in text.splitlines()]
        return [result for result in results if result is not None]

    def help(self):
        """Return the names of the commands with their first lines of help."""
        return {
            name: (function.__doc__ or "").strip().partition("\n")[0]
            for name, function in sorted(self._commands.items())
        }
''',
        wrong="""            self.run(" ".join(""",
        right="""            return self.run(" ".join(""",
        visible=r'''
def make():
    shell = Shell()
    @shell.command("echo", "say")
    def echo(*words):
        """Repeat words.

        All of them."""
        return " ".join(words)
    @shell.command("add")
    def add(a, b):
        return int(a) + int(b)
    return shell

def test_run():
    shell = make()
    assert shell.run("echo a 'b  c'") == "a b  c"
    assert shell.run("add 2 3") == 5

def test_empty_lines():
    assert make().run("") is None
    assert make().script("# only a comment\n\nadd 1 1") == [2]

def test_alias():
    shell = make()
    assert shell.run("say hi") == "hi"
    shell.alias("inc", "add 1")
    assert shell.run("inc 4") == 5

def test_unknown():
    with pytest.raises(CommandError):
        make().run("fly")

def test_help():
    assert make().help() == {"add": "", "echo": "Repeat words."}
''',
        hidden=r"""
def make(calls):
    shell = Shell()
    @shell.command("list", "ls", "dir", "l")
    def listing(*args):
        calls.append(args)
        return list(args)
    @shell.command("quiet", "q")
    def quiet():
        calls.append("quiet")
    return shell

def test_all_aliases():
    for name in ("list", "ls", "dir", "l"):
        for args in ([], ["a"], ["a b", "c'd"], ["#x", "", '"']):
            calls = []
            shell = make(calls)
            import shlex
            assert shell.run(shlex.join([name] + args)) == args
            assert calls == [tuple(args)]

def test_alias_of_alias():
    calls = []
    shell = make(calls)
    shell.alias("one", "ls 1")
    shell.alias("two", "one 2")
    shell.alias("three", "two '3 3'")
    assert shell.run("three 4") == ["1", "2", "3 3", "4"]
    assert len(calls) == 1

def test_alias_without_result():
    calls = []
    shell = make(calls)
    assert shell.run("q") is None
    assert calls == ["quiet"]
    assert shell.script("q\nls a\nquiet\nl b") == [["a"], ["b"]]

def test_alias_to_unknown():
    shell = make([])
    shell.alias("x", "nowhere")
    with pytest.raises(CommandError) as info:
        shell.run("x")
    assert "nowhere" in str(info.value)
    with pytest.raises(CommandError):
        shell.run("LS")
""",
    ),
    Program(
        name="y26_simple_paths",
        code=r'''"""Paths through networks of one-way connections."""


class Network:
    """Places and the connections between them."""

    def __init__(self, connections=()):
        self._next = {}
        for source, target in connections:
            self.connect(source, target)

    def connect(self, source, target):
        """Add a connection."""
        self._next.setdefault(source, []).append(target)
        self._next.setdefault(target, [])

    def places(self):
        """All places, sorted."""
        return sorted(self._next)

    def paths(self, source, target):
        """Return all paths that visit no place twice, as lists of places."""
        found = []
        path = [source]

        def extend():
            here = path[-1]
            if here == target:
                found.append(path)
                return
            for place in self._next.get(here, []):
                if place not in path:
                    path.append(place)
                    extend()
                    path.pop()

        extend()
        return found

    def shortest(self, source, target):
        """Return a path with the fewest connections, or None."""
        return min(self.paths(source, target), key=len, default=None)

    def reachable(self, source):
        """Return the places to which paths lead from a place, sorted."""
        seen = {source}
        waiting = [source]
        while waiting:
            for place in self._next.get(waiting.pop(), []):
                if place not in seen:
                    seen.add(place)
                    waiting.append(place)
        return sorted(seen)
''',
        wrong="found.append(path)",
        right="found.append(list(path))",
        visible=r"""
NET = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "a"), ("d", "e")]

def test_places():
    assert Network(NET).places() == ["a", "b", "c", "d", "e"]

def test_paths():
    assert Network(NET).paths("a", "d") == [["a", "b", "d"], ["a", "c", "d"]]

def test_no_path():
    assert Network(NET).paths("e", "a") == []
    assert Network(NET).shortest("e", "a") is None

def test_path_to_itself():
    assert Network(NET).paths("a", "a") == [["a"]]

def test_shortest():
    net = Network(NET + [("a", "e")])
    assert net.shortest("a", "e") == ["a", "e"]

def test_reachable():
    assert Network(NET).reachable("b") == ["a", "b", "c", "d", "e"]
    assert Network(NET).reachable("e") == ["e"]
""",
        hidden=r"""
import itertools, random

def expected(edges, source, target):
    places = {p for e in edges for p in e} - {source, target}
    result = []
    if source == target:
        return [[source]]
    for n in range(len(places) + 1):
        for middle in itertools.permutations(sorted(places), n):
            path = [source, *middle, target]
            if all(step in edges for step in zip(path, path[1:])):
                result.append(path)
    return sorted(result)

def test_random_networks():
    rng = random.Random(8)
    for _ in range(60):
        edges = {(rng.randrange(5), rng.randrange(5)) for _ in range(rng.randrange(1, 12))}
        net = Network(sorted(edges))
        for s in net.places():
            for t in net.places():
                assert sorted(net.paths(s, t)) == expected(edges, s, t)
                assert (t in net.reachable(s)) is bool(net.paths(s, t))

def test_results_are_independent():
    net = Network([(1, 2), (2, 3), (1, 3)])
    first = net.paths(1, 3)
    first[0].append("x")
    assert first[1] == [1, 3]
    assert net.paths(1, 3) == [[1, 2, 3], [1, 3]]

def test_shortest_is_a_path():
    net = Network([(0, 1), (1, 2), (2, 3), (3, 4), (0, 3), (4, 0)])
    assert net.shortest(0, 4) == [0, 3, 4]
    assert net.shortest(1, 0) == [1, 2, 3, 4, 0]
    assert net.shortest(2, 2) == [2]
""",
    ),
    Program(
        name="y26_running_stats",
        code=r'''"""Statistics of numbers that arrive one after another."""
import math


class RunningStats:
    """Count, mean, spread and extremes, without keeping the numbers."""

    def __init__(self, numbers=()):
        self.reset()
        for number in numbers:
            self.add(number)

    def reset(self):
        """Start anew."""
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0
        self.least = math.inf
        self.most = -math.inf

    def add(self, number):
        """Take a number into account."""
        self.count += 1
        delta = number - self.mean
        self.mean += delta / self.count
        self._squares += delta * (number - self.mean)
        self.least = min(self.least, number)
        self.most = max(self.most, number)

    def merge(self, other):
        """Take all numbers of another object into account."""
        if other.count == 0:
            return
        count = self.count + other.count
        delta = other.mean - self.mean
        self._squares += other._squares + delta ** 2 * self.count * other.count / count
        self.mean += delta * other.count / count
        self.count = count
        self.least = min(self.least, other.least)
        self.most = max(self.most, self.most)

    @property
    def variance(self):
        """The variance of the sample, 0 for fewer than two numbers."""
        if self.count < 2:
            return 0.0
        return self._squares / (self.count - 1)

    @property
    def deviation(self):
        """The standard deviation."""
        return math.sqrt(self.variance)

    @property
    def span(self):
        """The distance between the extremes."""
        return self.most - self.least if self.count else 0
''',
        wrong="max(self.most, self.most)",
        right="max(self.most, other.most)",
        visible=r"""
def test_mean_and_variance():
    s = RunningStats([2, 4, 4, 4, 5, 5, 7, 9])
    assert s.count == 8
    assert s.mean == pytest.approx(5)
    assert s.variance == pytest.approx(32 / 7)

def test_extremes():
    s = RunningStats([3, -1, 8])
    assert (s.least, s.most, s.span) == (-1, 8, 9)

def test_empty():
    s = RunningStats()
    assert s.span == 0
    assert s.deviation == 0

def test_reset():
    s = RunningStats([1, 2])
    s.reset()
    s.add(7)
    assert (s.mean, s.least, s.most) == (7, 7, 7)

def test_merge():
    a = RunningStats([1, 2, 3])
    a.merge(RunningStats([4, 5, 6, 7]))
    assert a.count == 7
    assert a.mean == pytest.approx(4)
    assert a.variance == pytest.approx(RunningStats(range(1, 8)).variance)
    assert (a.least, a.most) == (1, 7)
""",
        hidden=r"""
import random, statistics

def test_merge_like_adding():
    rng = random.Random(2)
    for _ in range(300):
        x = [rng.randrange(-50, 50) for _ in range(rng.randrange(6))]
        y = [rng.randrange(-50, 50) for _ in range(rng.randrange(6))]
        a, b, c = RunningStats(x), RunningStats(y), RunningStats(x + y)
        a.merge(b)
        assert a.count == c.count
        assert a.mean == pytest.approx(c.mean)
        assert a.variance == pytest.approx(c.variance)
        assert (a.least, a.most, a.span) == (c.least, c.most, c.span)
        assert (b.count, b.most) == (len(y), max(y, default=-math.inf))

def test_most_of_either_side():
    for p in range(-5, 6):
        for q in range(-5, 6):
            a = RunningStats([p])
            a.merge(RunningStats([q, q - 1]))
            assert a.most == max(p, q)
            assert a.least == min(p, q - 1)

def test_merge_into_empty():
    a = RunningStats()
    a.merge(RunningStats([-4, -2]))
    assert (a.least, a.most, a.mean, a.count) == (-4, -2, -3, 2)
    a.merge(RunningStats())
    assert (a.least, a.most, a.count) == (-4, -2, 2)
""",
    ),
    Program(
        name="y26_environment_values",
        code=r'''"""Typed values from environment variables."""

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}
_UNSET = object()


class EnvError(Exception):
    """A variable that is missing or has an unfit value."""


class Env:
    """Reads variables with a common prefix from a dictionary of texts."""

    def __init__(self, variables, prefix=""):
        self._variables = variables
        self._prefix = prefix

    def text(self, name, default=_UNSET):
        """Return a variable as it is."""
        full = self._prefix + name
        if full in self._variables:
            return self._variables[full]
        if default is _UNSET:
            raise EnvError(f"{full} is not set")
        return default

    def _convert(self, name, default, kind):
        value = self.text(name, default)
        if value is default:
            return default
        try:
            return kind(value)
        except TypeError:
            raise EnvError(f"{self._prefix + name} is no {kind.__name__}: {value!r}") from None

    def integer(self, name, default=_UNSET):
        """Return a variable as a whole number."""
        return self._convert(name, default, int)

    def number(self, name, default=_UNSET):
        """Return a variable as a number."""
        return self._convert(name, default, float)

    def flag(self, name, default=False):
        """Return a variable as True or False."""
        value = str(self.text(name, default)).strip().lower()
        if value in TRUE or value in FALSE:
            return value in TRUE
        raise EnvError(f"{self._prefix + name} is no flag: {value!r}")

    def items(self, name, separator=","):
        """Return a variable as a list of texts; empty ones are left out."""
        pieces = self.text(name, "").split(separator)
        return [piece.strip() for piece in pieces if piece.strip()]
''',
        wrong="except TypeError:",
        right="except ValueError:",
        visible=r"""
ENV = Env({"APP_PORT": "8080", "APP_RATE": "0.5", "APP_DEBUG": "Yes", "APP_HOSTS": "a, b,,c", "APP_BAD": "x1"}, "APP_")

def test_text():
    assert ENV.text("PORT") == "8080"
    assert ENV.text("NAME", "web") == "web"
    with pytest.raises(EnvError):
        ENV.text("NAME")

def test_numbers():
    assert ENV.integer("PORT") == 8080
    assert ENV.number("RATE") == 0.5
    assert ENV.integer("WORKERS", 4) == 4
    assert ENV.integer("WORKERS", None) is None

def test_bad_number():
    with pytest.raises(EnvError):
        ENV.integer("BAD")

def test_flags():
    assert ENV.flag("DEBUG") is True
    assert ENV.flag("OTHER") is False
    assert ENV.flag("OTHER", True) is True
    with pytest.raises(EnvError):
        ENV.flag("PORT")

def test_items():
    assert ENV.items("HOSTS") == ["a", "b", "c"]
    assert ENV.items("NOTHING") == []
""",
        hidden=r"""
def test_unfit_integers():
    for value in ("", "x", "1.5", "1e3", "0x10", "1 2", "--1", "none"):
        with pytest.raises(EnvError) as info:
            Env({"P_N": value}, "P_").integer("N")
        assert str(info.value) == f"P_N is no int: {value!r}"
        with pytest.raises(EnvError):
            Env({"N": value}).integer("N", 7)

def test_unfit_numbers():
    for value in ("", "x", "1,5", "1.2.3", "one"):
        with pytest.raises(EnvError) as info:
            Env({"N": value}).number("N", 1.0)
        assert str(info.value) == f"N is no float: {value!r}"

def test_fit_numbers():
    for n in (-5, 0, 12, 100000):
        for form in ("%d", " %d ", "%d\n"):
            assert Env({"N": form % n}).integer("N", 3) == n
            assert Env({"N": form % n}).number("N") == float(n)

def test_missing():
    for method in ("integer", "number"):
        with pytest.raises(EnvError) as info:
            getattr(Env({}, "A_"), method)("N")
        assert str(info.value) == "A_N is not set"
        assert getattr(Env({}), method)("N", 0) == 0
""",
    ),
    Program(
        name="y26_stock_reservations",
        code=r'''"""Goods in stock and their reservation."""


class OutOfStock(Exception):
    """There is less of an item than somebody wants."""


class Stock:
    """Quantities of items, parts of which may be reserved for orders."""

    def __init__(self):
        self._quantity = {}
        self._reserved = {}

    def receive(self, item, quantity):
        """Put more of an item into stock."""
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        self._quantity[item] = self._quantity.get(item, 0) + quantity

    def reserved(self, item):
        """How much of an item all orders together reserve."""
        return sum(n for (_, i), n in self._reserved.items() if i == item)

    def available(self, item):
        """How much of an item is in stock and not reserved."""
        return self._quantity.get(item, 0) - self.reserved(item)

    def reserve(self, order, item, quantity):
        """Reserve some (more) of an item for an order."""
        if quantity > self.available(item):
            raise OutOfStock(item)
        key = (order, item)
        self._reserved[key] = self._reserved.get(key, 0) + quantity

    def cancel(self, order):
        """Give up all reservations of an order."""
        self._reserved = {k: n for k, n in self._reserved.items() if k[0] != order}

    def ship(self, order):
        """Take what an order reserves out of stock; return it as a dictionary."""
        shipped = {}
        for (owner, item), quantity in self._reserved.items():
            if owner == order:
                self._quantity[item] -= quantity
                shipped[item] = quantity
        self.cancel(owner)
        return shipped

    def report(self):
        """Return a dictionary from items to (in stock, available)."""
        return {i: (n, self.available(i)) for i, n in sorted(self._quantity.items())}
''',
        wrong="self.cancel(owner)",
        right="self.cancel(order)",
        visible=r"""
def make():
    s = Stock()
    s.receive("cup", 10)
    s.receive("pot", 2)
    return s

def test_receive():
    s = make()
    s.receive("cup", 5)
    assert s.available("cup") == 15
    assert s.available("mug") == 0
    with pytest.raises(ValueError):
        s.receive("cup", 0)

def test_reserve():
    s = make()
    s.reserve("A", "cup", 4)
    s.reserve("A", "cup", 1)
    assert s.reserved("cup") == 5
    assert s.available("cup") == 5
    with pytest.raises(OutOfStock):
        s.reserve("B", "cup", 6)

def test_cancel():
    s = make()
    s.reserve("A", "cup", 4)
    s.cancel("A")
    assert s.available("cup") == 10

def test_ship():
    s = make()
    s.reserve("A", "cup", 4)
    s.reserve("A", "pot", 1)
    assert s.ship("A") == {"cup": 4, "pot": 1}
    assert s.report() == {"cup": (6, 6), "pot": (1, 1)}

def test_ship_one_of_two_orders():
    s = make()
    s.reserve("A", "cup", 4)
    s.reserve("B", "cup", 3)
    s.ship("A")
    assert s.reserved("cup") == 3
    assert s.report()["cup"] == (6, 3)
    assert s.ship("B") == {"cup": 3}
""",
        hidden=r"""
import itertools

def test_every_order_of_shipping():
    for made in itertools.permutations("ABC"):
        for sent in itertools.permutations("ABC"):
            s = Stock()
            s.receive("x", 20)
            s.receive("y", 20)
            need = {"A": 1, "B": 2, "C": 4}
            for order in made:
                s.reserve(order, "x", need[order])
                s.reserve(order, "y", 2 * need[order])
            left, reserved = 20, 7
            for order in sent:
                assert s.ship(order) == {"x": need[order], "y": 2 * need[order]}
                left -= need[order]
                reserved -= need[order]
                assert s.reserved("x") == reserved
                assert s.reserved("y") == 2 * reserved
                assert s.report()["x"] == (left, left - reserved)

def test_nothing_to_ship():
    s = Stock()
    assert s.ship("A") == {}
    s.receive("x", 3)
    s.reserve("B", "x", 2)
    assert s.ship("A") == {}
    assert s.reserved("x") == 2
    assert s.report() == {"x": (3, 1)}

def test_ship_twice():
    s = Stock()
    s.receive("x", 9)
    s.reserve("A", "x", 2)
    s.reserve("B", "x", 3)
    assert s.ship("A") == {"x": 2}
    assert s.ship("A") == {}
    assert s.report() == {"x": (7, 4)}
""",
    ),
    Program(
        name="y26_word_trie",
        code=r'''"""Words in a prefix tree."""


class _Node:
    def __init__(self):
        self.children = {}
        self.count = 0


class WordTrie:
    """A collection of words that counts how often each was added."""

    def __init__(self, words=()):
        self._root = _Node()
        for word in words:
            self.add(word)

    def add(self, word):
        """Add a word once more."""
        node = self._root
        for letter in word:
            node = node.children.setdefault(letter, _Node())
        node.count += 1

    def _node(self, prefix):
        node = self._root
        for letter in prefix:
            node = node.children.get(letter)
            if node is None:
                return None
        return node

    def count(self, word):
        """How often a word was added."""
        node = self._node(word)
        return node.count if node else 0

    def remove(self, word):
        """Remove a word altogether; return whether it was there."""
        if not self.count(word):
            return False
        self._node(word).count = 0
        for end in range(len(word), 0, -1):
            node = self._node(word[:end])
            if node.children:
                break
            del self._node(word[:end - 1]).children[word[end - 1]]
        return True

    def complete(self, prefix):
        """Return all words that begin with a prefix, sorted."""
        words = []
        waiting = [(prefix, self._node(prefix))]
        while waiting:
            word, node = waiting.pop()
            if node is None:
                continue
            if node.count:
                words.append(word)
            waiting.extend((word + letter, child) for letter, child in node.children.items())
        return sorted(words)
''',
        wrong="            if node.children:",
        right="            if node.children or node.count:",
        visible=r"""
def test_count():
    t = WordTrie(["to", "tea", "to"])
    assert t.count("to") == 2
    assert t.count("tea") == 1
    assert t.count("te") == 0
    assert t.count("x") == 0

def test_complete():
    t = WordTrie(["to", "tea", "ten", "in"])
    assert t.complete("te") == ["tea", "ten"]
    assert t.complete("") == ["in", "tea", "ten", "to"]
    assert t.complete("q") == []

def test_remove():
    t = WordTrie(["tea", "ten", "tea"])
    assert t.remove("tea")
    assert not t.remove("tea")
    assert t.complete("t") == ["ten"]

def test_remove_beginning_of_a_word():
    t = WordTrie(["in", "inn"])
    assert t.remove("in")
    assert t.complete("i") == ["inn"]

def test_remove_longer_word():
    t = WordTrie(["in", "inner"])
    assert t.remove("inner")
    assert t.complete("") == ["in"]
""",
        hidden=r"""
import itertools

WORDS = ["a", "ab", "abc", "abd", "b", "bcd", "bcde", ""]

def test_every_set_and_word():
    for n in range(len(WORDS) + 1):
        for words in itertools.combinations(WORDS, n):
            for gone in WORDS:
                t = WordTrie(words)
                assert t.remove(gone) is (gone in words)
                assert t.complete("") == sorted(set(words) - {gone})

def test_counts_stay():
    t = WordTrie(["a", "a", "ab", "abc", "abc", "abc"])
    t.remove("ab")
    assert [t.count(w) for w in ("a", "ab", "abc")] == [2, 0, 3]
    t.remove("abc")
    assert [t.count(w) for w in ("a", "ab", "abc")] == [2, 0, 0]

def test_nothing_is_left_behind():
    t = WordTrie(["ab", "abcd", "x"])
    t.remove("abcd")
    node = t._node("ab")
    assert node is not None and node.children == {}
    t.remove("ab")
    assert t._node("a") is None
    t.remove("x")
    assert t._root.children == {}
""",
    ),
    Program(
        name="y26_score_ranking",
        code=r'''"""Rankings of players by their scores."""


class Ranking:
    """Scores of players; the highest score comes first."""

    def __init__(self):
        self._scores = {}

    def record(self, player, score):
        """Record a score, if it is the player's best so far."""
        best = self._scores.get(player)
        if best is None or score > best:
            self._scores[player] = score

    def ordered(self):
        """Return (player, score) from best to worst, players of one score by name."""
        return sorted(self._scores.items(), key=lambda item: (-item[1], item[0]))

    def table(self):
        """Return (rank, player, score) of all players.

        Players of one score share a rank, and the ranks that they would
        have used otherwise are left out: 1, 2, 2, 4.
        """
        rows = []
        rank = 0
        previous = None
        for position, (player, score) in enumerate(self.ordered(), 1):
            if score != previous:
                rank += 1
            rows.append((rank, player, score))
            previous = score
        return rows

    def rank(self, player):
        """Return the rank of a player, or None."""
        for rank, name, _ in self.table():
            if name == player:
                return rank
        return None

    def top(self, count):
        """Return the names of those whose rank is at most `count`."""
        return [name for rank, name, _ in self.table() if rank <= count]

    def format(self):
        """Return the table as text."""
        return "\n".join(f"{rank:>3}. {name}: {score}" for rank, name, score in self.table())
''',
        wrong="                rank += 1",
        right="                rank = position",
        visible=r"""
def make(**scores):
    r = Ranking()
    for player, score in scores.items():
        r.record(player, score)
    return r

def test_order():
    r = make(ann=5, bob=9, cid=7)
    assert r.table() == [(1, "bob", 9), (2, "cid", 7), (3, "ann", 5)]

def test_best_counts():
    r = make(ann=5)
    r.record("ann", 3)
    r.record("ann", 6)
    assert r.ordered() == [("ann", 6)]

def test_ties():
    r = make(ann=5, bob=9, cid=5, dan=1)
    assert r.table() == [(1, "bob", 9), (2, "ann", 5), (2, "cid", 5), (4, "dan", 1)]

def test_rank_and_top():
    r = make(ann=5, bob=9, cid=9)
    assert r.rank("cid") == 1
    assert r.rank("eve") is None
    assert r.top(1) == ["bob", "cid"]

def test_format():
    assert make(ann=5).format() == "  1. ann: 5"
""",
        hidden=r"""
import itertools

def test_rank_is_one_more_than_those_better():
    for scores in itertools.product(range(4), repeat=5):
        r = Ranking()
        for player, score in zip("abcde", scores):
            r.record(player, score)
        for rank, player, score in r.table():
            assert rank == 1 + sum(s > score for s in scores)
            assert r.rank(player) == rank

def test_all_equal_then_one():
    for n in range(1, 9):
        r = Ranking()
        for k in range(n):
            r.record(f"p{k}", 10)
        r.record("last", -1)
        assert [rank for rank, _, _ in r.table()] == [1] * n + [n + 1]
        assert r.rank("last") == n + 1
        assert "last" not in r.top(n)
        assert "last" in r.top(n + 1)

def test_several_ties():
    r = Ranking()
    for player, score in zip("abcdefg", (3, 3, 2, 2, 2, 0, 0)):
        r.record(player, score)
    assert [row[0] for row in r.table()] == [1, 1, 3, 3, 3, 6, 6]
    assert r.top(2) == ["a", "b"]
    assert r.top(5) == list("abcde")
    assert Ranking().table() == []
""",
    ),
    Program(
        name="y26_dict_changes",
        code=r'''"""Differences between nested dictionaries, and how to apply them."""
import copy


def diff(old, new, path=()):
    """Return a list of changes that turn `old` into `new`.

    A change is ('add', path, value), ('remove', path, value before) or
    ('set', path, value); a path is a tuple of keys.
    """
    changes = []
    for key in old:
        if key not in new:
            changes.append(("remove", path + (key,), old[key]))
    for key, value in new.items():
        before = old.get(key)
        here = path + (key,)
        if before is None:
            changes.append(("add", here, value))
        elif isinstance(before, dict) and isinstance(value, dict):
            changes.extend(diff(before, value, here))
        elif before != value:
            changes.append(("set", here, value))
    return changes


def apply(document, changes):
    """Return a copy of a dictionary with the changes made."""
    result = copy.deepcopy(document)
    for kind, path, value in changes:
        parent = result
        for key in path[:-1]:
            parent = parent[key]
        if kind == "remove":
            del parent[path[-1]]
        elif kind == "add" and path[-1] in parent:
            raise ValueError(f"already there: {path}")
        else:
            parent[path[-1]] = copy.deepcopy(value)
    return result


def summary(changes):
    """Return a line of text for every change."""
    signs = {"add": "+", "remove": "-", "set": "~"}
    return [f"{signs[kind]} {'.'.join(map(str, path))}" for kind, path, _ in changes]
''',
        wrong="        if before is None:",
        right="        if key not in old:",
        visible=r"""
def test_no_change():
    assert diff({"a": 1, "b": {"c": 2}}, {"b": {"c": 2}, "a": 1}) == []

def test_changes():
    old = {"a": 1, "b": {"c": 2, "d": 3}, "e": 0}
    new = {"a": 1, "b": {"c": 5, "f": 6}}
    assert diff(old, new) == [
        ("remove", ("e",), 0),
        ("remove", ("b", "d"), 3),
        ("set", ("b", "c"), 5),
        ("add", ("b", "f"), 6),
    ]
    assert apply(old, diff(old, new)) == new

def test_none_values():
    assert diff({"a": None}, {"a": None}) == []
    assert diff({"a": None}, {"a": 1}) == [("set", ("a",), 1)]

def test_apply_copies():
    old = {"a": {"b": []}}
    new = apply(old, [])
    new["a"]["b"].append(1)
    assert old == {"a": {"b": []}}

def test_apply_rejects():
    with pytest.raises(ValueError):
        apply({"a": 1}, [("add", ("a",), 2)])

def test_summary():
    assert summary(diff({"a": {"b": 1}}, {"a": {"c": 1}})) == ["- a.b", "+ a.c"]
""",
        hidden=r"""
VALUES = [None, 0, 1, "", "x", False, [], {}, {"k": None}, {"k": 0}, {"k": {"m": None}}]

def test_every_pair():
    for a in VALUES:
        for b in VALUES:
            changes = diff({"v": a, "w": 1}, {"v": b, "w": 1})
            assert apply({"v": a, "w": 1}, changes) == {"v": b, "w": 1}
            if a == b:
                assert changes == []
            if not (isinstance(a, dict) and isinstance(b, dict)) and a != b:
                assert changes == [("set", ("v",), b)]

def test_added_and_removed():
    for a in VALUES:
        assert diff({}, {"v": a}) == [("add", ("v",), a)]
        assert diff({"v": a}, {}) == [("remove", ("v",), a)]
        assert diff({"n": {}}, {"n": {"v": a}}) == [("add", ("n", "v"), a)]
        assert apply({"n": {}}, diff({"n": {}}, {"n": {"v": a}})) == {"n": {"v": a}}

def test_nested_none():
    old = {"x": {"y": None, "z": None}}
    new = {"x": {"y": {"q": 1}, "z": None}}
    assert diff(old, new) == [("set", ("x", "y"), {"q": 1})]
    assert summary(diff(old, new)) == ["~ x.y"]
    assert apply(old, diff(old, new)) == new
""",
    ),
    Program(
        name="y26_indentation",
        code=r'''"""Indentation of blocks of text."""


def width(line, tab=4):
    """The number of columns that the blanks in front of a line take up."""
    columns = 0
    for letter in line:
        if letter == " ":
            columns += 1
        elif letter == "\t":
            columns += tab - columns % tab
        else:
            break
    return columns


def expand(line, tab=4):
    """Replace the tabs in front of a line by spaces."""
    return " " * width(line, tab) + line.lstrip(" \t")


def dedent(text, tab=4):
    """Remove the indentation that all lines share; lines of blanks become empty."""
    lines = [expand(line.rstrip(), tab) for line in text.split("\n")]
    shared = min((width(line) for line in lines), default=0)
    return "\n".join(line[shared:] for line in lines)


def indent(text, by=4):
    """Put spaces in front of all lines that are not empty."""
    return "\n".join(" " * by + line if line.strip() else line for line in text.split("\n"))


def reindent(text, by):
    """Indent a text that may have another indentation."""
    return indent(dedent(text), by)


def levels(text, size=4):
    """Return (level, line) of all lines that are not empty."""
    result = []
    for line in text.split("\n"):
        if line.strip():
            result.append((width(line) // size, line.strip()))
    return result
''',
        wrong="(width(line) for line in lines), default=0)",
        right="(width(line) for line in lines if line), default=0)",
        visible=r"""
def test_width():
    assert width("  x") == 2
    assert width("\tx") == 4
    assert width("  \tx") == 4
    assert width("x") == 0

def test_dedent():
    assert dedent("    a\n      b\n    c") == "a\n  b\nc"
    assert dedent("a\n  b") == "a\n  b"

def test_dedent_with_empty_lines():
    assert dedent("  a\n\n  b\n   ") == "a\n\nb\n"

def test_indent():
    assert indent("a\n\nb", 2) == "  a\n\n  b"

def test_reindent():
    assert reindent("  if x:\n    y", 4) == "    if x:\n      y"

def test_levels():
    assert levels("a\n    b\n\n        c") == [(0, "a"), (1, "b"), (2, "c")]
""",
        hidden=r"""
BODY = ["a", "  b", "", "    c d", "", "e"]

def test_every_depth():
    for depth in range(0, 12):
        lines = [" " * depth + line if line else "" for line in BODY]
        assert dedent("\n".join(lines)) == "\n".join(BODY)

def test_lines_of_blanks():
    for blanks in ("", " ", "   ", "\t", " \t ", " " * 20):
        text = blanks + "\n    a\n" + blanks + "\n      b\n" + blanks
        assert dedent(text) == "\na\n\n  b\n"

def test_only_blanks():
    for text, want in (("", ""), ("   ", ""), ("\n", "\n"), (" \n\t\n", "\n\n")):
        assert dedent(text) == want

def test_reindent_empty_lines():
    for by in range(0, 6):
        text = "   a\n\n     b\n"
        pad = " " * by
        assert reindent(text, by) == f"{pad}a\n\n{pad}  b\n"

def test_tabs():
    assert dedent("\ta\n\n    b\n\t\tc") == "a\n\nb\n    c"
    assert dedent("\ta\n\n\tb", tab=8) == "a\n\nb"
""",
    ),
    Program(
        name="y26_money_shares",
        code=r'''"""Amounts of money in cents and their fair division."""


def parse_amount(text):
    """Return the cents of a text such as '-1,234.5'."""
    text = text.strip().replace(",", "")
    negative = text.startswith("-")
    whole, _, part = text.lstrip("+-").partition(".")
    if len(part) > 2:
        raise ValueError("more than two digits after the point")
    cents = int(whole or "0") * 100 + int(part.ljust(2, "0"))
    return -cents if negative else cents


def format_amount(cents):
    """Return cents as text such as '-1,234.50'."""
    whole, part = divmod(abs(cents), 100)
    sign = "-" if cents < 0 else ""
    return f"{sign}{whole:,}.{part:02d}"


def divide(cents, weights):
    """Divide cents by weights into whole cents that add up to the amount.

    What rounding down leaves over goes, cent by cent, to those who lose
    most by it, and to the first of these if they lose equally much.
    """
    total = sum(weights)
    if total <= 0 or min(weights) < 0:
        raise ValueError("weights must be positive")
    shares = [cents * weight // total for weight in weights]
    losses = [cents * weight % total for weight in weights]
    order = sorted(range(len(weights)), key=lambda i: losses[i])
    for i in order[: cents - sum(shares)]:
        shares[i] += 1
    return shares


def split_evenly(cents, people):
    """Divide cents among so many people."""
    return divide(cents, [1] * people)
''',
        wrong="key=lambda i: losses[i])",
        right="key=lambda i: -losses[i])",
        visible=r"""
def test_parse():
    assert parse_amount("12") == 1200
    assert parse_amount("-1,234.5") == -123450
    assert parse_amount(" .07 ") == 7
    with pytest.raises(ValueError):
        parse_amount("1.234")

def test_format():
    assert format_amount(123450) == "1,234.50"
    assert format_amount(-5) == "-0.05"

def test_split_evenly():
    assert split_evenly(100, 3) == [34, 33, 33]
    assert split_evenly(90, 3) == [30, 30, 30]

def test_divide():
    assert divide(100, [1, 3]) == [25, 75]
    assert divide(10, [1, 2]) == [3, 7]
    assert divide(100, [1, 0, 2, 4]) == [14, 0, 29, 57]

def test_bad_weights():
    with pytest.raises(ValueError):
        divide(5, [0, 0])
""",
        hidden=r"""
import itertools
from fractions import Fraction

def expected(cents, weights):
    total = sum(weights)
    exact = [Fraction(cents * w, total) for w in weights]
    shares = [e.numerator // e.denominator for e in exact]
    for _ in range(cents - sum(shares)):
        worst = max(range(len(weights)), key=lambda i: (exact[i] - shares[i], -i))
        shares[worst] += 1
    return shares

def test_all_small():
    for weights in itertools.product(range(4), repeat=3):
        if not any(weights):
            continue
        for cents in range(-20, 25):
            got = divide(cents, list(weights))
            assert sum(got) == cents
            assert got == expected(cents, weights)

def test_zero_weight_gets_nothing():
    for cents in range(0, 40):
        got = divide(cents, [0, 3, 0, 4])
        assert got[0] == got[2] == 0

def test_even_split_favours_the_first():
    for people in range(1, 9):
        for cents in range(0, 50):
            got = split_evenly(cents, people)
            assert got == sorted(got, reverse=True)
            assert sum(got) == cents and got[0] - got[-1] <= 1

def test_four_weights():
    assert divide(100, [5, 1, 1, 6]) == expected(100, [5, 1, 1, 6])
    assert divide(1000, [7, 11, 13]) == expected(1000, [7, 11, 13])
    assert divide(1, [1, 5, 3]) == [0, 1, 0]
""",
    ),
)
