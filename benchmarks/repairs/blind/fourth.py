"""Programs of text, structures, recursion, money, dates, graphs, state and validation.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="wrap_words",
        code='''def wrap(text, width):
    """Break text into lines of at most width characters.

    Lines are broken between words only, and each line takes as many words as
    fit. A word longer than width stands unbroken on a line of its own. Any run
    of whitespace counts as one space. Text without words gives no lines.
    """
    if width < 1:
        raise ValueError("width must be positive")
    lines = []
    current = []
    length = 0
    for word in text.split():
        if current and length + 1 + len(word) > width:
            lines.append(" ".join(current))
            current = []
            length = 0
        length += len(word)
        current.append(word)
    if current:
        lines.append(" ".join(current))
    return lines


def boxed(text, width):
    """The wrapped lines, each padded with spaces to width, between bars."""
    return ["|" + line.ljust(width) + "|" for line in wrap(text, width)]
''',
        wrong="        length += len(word)",
        right="        length += len(word) + (1 if current else 0)",
        visible=r"""def test_short_text_is_one_line():
    assert wrap("hello world", 20) == ["hello world"]
    assert wrap("hello", 5) == ["hello"]


def test_empty_text():
    assert wrap("", 10) == []
    assert wrap("  \n ", 10) == []


def test_breaks_between_words():
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("aa bb", 4) == ["aa", "bb"]


def test_many_short_words():
    assert wrap("a b c d e f", 5) == ["a b c", "d e f"]
    assert wrap("to be or not to be", 8) == ["to be or", "not to", "be"]


def test_long_word_stands_alone():
    assert wrap("an extraordinary day", 6) == ["an", "extraordinary", "day"]


def test_width_must_be_positive():
    with pytest.raises(ValueError):
        wrap("text", 0)


def test_boxed():
    assert boxed("hi you", 4) == ["|hi  |", "|you |"]
""",
        hidden=r"""def test_no_line_is_too_long():
    text = "the quick brown fox jumps over the lazy dog and runs far away " * 3
    for width in range(5, 40):
        assert all(len(line) <= width for line in wrap(text, width))


def test_lines_are_filled_greedily():
    text = "a bb ccc dddd eeeee a b c d e f g h i j k"
    for width in range(5, 30):
        lines = wrap(text, width)
        assert " ".join(lines) == text
        for first, second in zip(lines, lines[1:]):
            assert len(first) + 1 + len(second.split()[0]) > width


def test_exact_fit():
    assert wrap("ab cd ef", 8) == ["ab cd ef"]
    assert wrap("ab cd ef", 7) == ["ab cd", "ef"]


def test_whitespace_runs():
    assert wrap("a   b\n\tc", 5) == ["a b c"]


def test_width_one():
    assert wrap("a b cc", 1) == ["a", "b", "cc"]
    with pytest.raises(ValueError):
        wrap("a", -1)


def test_boxed_many():
    assert boxed("a b c d", 3) == ["|a b|", "|c d|"]
    assert boxed("a b c d e", 6) == ["|a b c |", "|d e   |"]
    assert boxed("", 3) == []
""",
    ),
    Program(
        name="slugs",
        code='''import re


def slugify(title, max_length=50):
    """Turn a title into a slug of a-z, 0-9 and hyphens.

    Letters are lower-cased; every run of other characters becomes one single
    hyphen, and there is none at either end. A slug longer than max_length is
    cut to max_length characters and then loses a trailing hyphen, if any.
    """
    slug = re.sub(r"[^a-z0-9]", "-", title.lower()).strip("-")
    return slug[:max_length].rstrip("-")


def unique_slug(title, taken):
    """The slug of title, numbered if it is already taken.

    The first number to try is 2, as in "my-post-2". A title with nothing that
    a slug can hold counts as "untitled".
    """
    base = slugify(title) or "untitled"
    candidate = base
    number = 2
    while candidate in taken:
        candidate = f"{base}-{number}"
        number += 1
    return candidate


def slug_words(title):
    """The list of the words in the slug of title."""
    slug = slugify(title)
    return slug.split("-") if slug else []
''',
        wrong='r"[^a-z0-9]"',
        right='r"[^a-z0-9]+"',
        visible="""def test_simple_title():
    assert slugify("Hello World") == "hello-world"
    assert slugify("already-a-slug") == "already-a-slug"


def test_punctuation():
    assert slugify("What's new?") == "what-s-new"
    assert slugify("Fast, cheap & good") == "fast-cheap-good"


def test_ends_are_clean():
    assert slugify("  (draft) ") == "draft"
    assert slugify("!!!") == ""


def test_cut_to_max_length():
    assert slugify("abcdef", max_length=3) == "abc"
    assert slugify("abc def", max_length=4) == "abc"


def test_unique_slug():
    assert unique_slug("My Post", set()) == "my-post"
    assert unique_slug("My Post", {"my-post"}) == "my-post-2"
    assert unique_slug("My Post", {"my-post", "my-post-2"}) == "my-post-3"


def test_untitled():
    assert unique_slug("???", []) == "untitled"


def test_slug_words():
    assert slug_words("One - Two - Three") == ["one", "two", "three"]
    assert slug_words("") == []
""",
        hidden=r"""def test_runs_become_one_hyphen():
    assert slugify("a   b") == "a-b"
    assert slugify("a -- b") == "a-b"
    assert slugify("a_?_b...c") == "a-b-c"


def test_never_double_hyphens():
    for title in ("x  y", "1, 2, 3", "a & b", "tab\t\tbed", "--a--b--"):
        slug = slugify(title)
        assert "--" not in slug
        assert slug == slug.strip("-")


def test_single_separators_and_digits():
    assert slugify("Top 10 Tips") == "top-10-tips"
    assert slugify("3.11") == "3-11"


def test_max_length():
    assert slugify("one, two, three", max_length=8) == "one-two"
    assert slugify("a" * 80) == "a" * 50


def test_unique_slug_with_runs():
    assert unique_slug("A, B", ["a-b"]) == "a-b-2"
    assert unique_slug("", {"untitled"}) == "untitled-2"


def test_words():
    assert slug_words("Salt & Pepper, please") == ["salt", "pepper", "please"]
    assert slug_words("...") == []
""",
    ),
    Program(
        name="csv_fields",
        code='''def split_fields(line, delimiter=","):
    """Split one line into its fields.

    A part in double quotes may contain the delimiter, and "" inside it stands
    for one quote. An unterminated quote raises ValueError. Spaces are kept. An
    empty line has one empty field.
    """
    fields = []
    current = ""
    quoted = False
    i = 0
    while i < len(line):
        char = line[i]
        if quoted and line[i:i + 2] == '""':
            current += '"'
            i += 1
        elif char == '"':
            quoted = not quoted
        elif char == delimiter and not quoted:
            fields.append(current)
            current = ""
        else:
            current += char
        i += 1
    if quoted:
        raise ValueError("unterminated quote")
    fields.append(current)
    return fields


def join_fields(fields, delimiter=","):
    """Join fields to one line that split_fields turns back into them.

    Only a field that contains the delimiter or a quote is put in quotes.
    """
    parts = []
    for field in fields:
        if "," in field or '"' in field:
            field = '"' + field.replace('"', '""') + '"'
        parts.append(field)
    return delimiter.join(parts)
''',
        wrong='        if "," in field or',
        right="        if delimiter in field or",
        visible='''def test_split_plain():
    assert split_fields("a,b,c") == ["a", "b", "c"]
    assert split_fields("a,,c,") == ["a", "", "c", ""]
    assert split_fields("") == [""]


def test_split_quoted():
    assert split_fields('"a,b",c') == ["a,b", "c"]
    assert split_fields('"say ""hi""",x') == ['say "hi"', "x"]


def test_split_other_delimiter():
    assert split_fields("a;b,c", ";") == ["a", "b,c"]
    assert split_fields('"a;b";c', ";") == ["a;b", "c"]


def test_unterminated_quote():
    with pytest.raises(ValueError):
        split_fields('a,"b')


def test_join_plain():
    assert join_fields(["a", "b", ""]) == "a,b,"


def test_join_quotes_when_needed():
    assert join_fields(["a,b", "c"]) == '"a,b",c'
    assert join_fields(['5" pipe']) == '"5"" pipe"'


def test_join_other_delimiter():
    assert join_fields(["a;b", "c"], ";") == '"a;b";c'
    assert join_fields(["1,5", "2"], ";") == "1,5;2"
''',
        hidden=r"""def test_round_trip_with_delimiters():
    rows = (["a", "b;c", "d,e"], ["x|y", '"', ""], ["tab\there", "p q"], [",;|\t", ";"])
    for delimiter in ",;|\t":
        for row in rows:
            assert split_fields(join_fields(row, delimiter), delimiter) == row


def test_only_needed_quotes():
    assert join_fields(["a,b", "c|d"], "|") == 'a,b|"c|d"'
    assert join_fields(["a;b", "c d"]) == "a;b,c d"


def test_join_default_delimiter():
    assert join_fields(["a", "b,c"]) == 'a,"b,c"'
    assert join_fields(['x"y', "z"]) == '"x""y",z'


def test_split_details():
    assert split_fields(" a , b ") == [" a ", " b "]
    assert split_fields('""') == [""]
    assert split_fields(",") == ["", ""]
    assert split_fields('"";a', ";") == ["", "a"]


def test_split_errors():
    with pytest.raises(ValueError):
        split_fields('"')
    with pytest.raises(ValueError):
        split_fields('"a;b', ";")
""",
    ),
    Program(
        name="header_block",
        code=r'''def parse_headers(text):
    """Read the headers at the start of a message, as a dict.

    Each header stands on one line as "Name: value"; names are lower-cased,
    names and values stripped. A line that begins with a space or tab continues
    the value of the header before it, joined by one space. The first blank
    line ends the headers: what follows is the body and is not read. If a name
    occurs again, the later value holds. Anything else raises ValueError.
    """
    headers = {}
    last = None
    for line in text.splitlines():
        if not line.strip():
            continue
        if line[0] in " \t":
            if last is None:
                raise ValueError("continuation without a header")
            headers[last] += " " + line.strip()
            continue
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            raise ValueError("not a header: " + line)
        last = name.strip().lower()
        headers[last] = value.strip()
    return headers


def format_headers(headers):
    """Write headers in the dict's order, each with a capital at every word."""
    lines = []
    for name, value in headers.items():
        shown = "-".join(part.capitalize() for part in name.split("-"))
        lines.append(f"{shown}: {value}")
    return "\n".join(lines)
''',
        wrong="        if not line.strip():\n            continue",
        right="        if not line.strip():\n            break",
        visible=r"""def test_two_headers():
    assert parse_headers("Host: example.org\nAccept: */*") == {"host": "example.org", "accept": "*/*"}


def test_value_with_colon():
    assert parse_headers("Location: http://a.b/c") == {"location": "http://a.b/c"}


def test_folded_value():
    assert parse_headers("Subject: a long\n  story\n\tindeed") == {"subject": "a long story indeed"}


def test_body_is_not_read():
    text = "To: Ann\n\nNote: this is the body\n"
    assert parse_headers(text) == {"to": "Ann"}
    assert parse_headers("To: Ann\n\nHello Ann!\nBye") == {"to": "Ann"}


def test_empty():
    assert parse_headers("") == {}


def test_bad_lines():
    with pytest.raises(ValueError):
        parse_headers("no header here")
    with pytest.raises(ValueError):
        parse_headers("  continued")


def test_format():
    assert format_headers({"content-type": "text/plain", "host": "x"}) == "Content-Type: text/plain\nHost: x"
""",
        hidden=r"""def test_nothing_but_body():
    assert parse_headers("\nA: 1") == {}
    assert parse_headers("\n\nfree text") == {}


def test_blank_line_with_spaces_ends_headers():
    assert parse_headers("A: 1\n   \nB: 2") == {"a": "1"}


def test_body_does_not_overwrite_or_continue():
    assert parse_headers("A: 1\n\nA: 2\n") == {"a": "1"}
    assert parse_headers("A: 1\n\n  indented body\n") == {"a": "1"}


def test_repeated_and_empty():
    assert parse_headers("A: 1\nB: 2\na: 3") == {"a": "3", "b": "2"}
    assert parse_headers("A:\nB :  x ") == {"a": "", "b": "x"}


def test_errors_in_headers():
    for text in ("A: 1\nplain", ": value", "\tx: y"):
        with pytest.raises(ValueError):
            parse_headers(text)


def test_trailing_newline():
    assert parse_headers("A: 1\n") == {"a": "1"}
    assert parse_headers("A: 1\n\n") == {"a": "1"}


def test_format_round_trip():
    headers = {"x-request-id": "7", "date": "today"}
    assert parse_headers(format_headers(headers)) == headers
    assert format_headers({}) == ""
""",
    ),
    Program(
        name="text_template",
        code=r'''import re

PLACEHOLDER = re.compile(r"\{(\w+)(?:\|([^{}]*))?\}")


def render(template, values):
    """Fill in the placeholders {name} and {name|default} of a template.

    A name that stands in values is replaced by its value as text, whatever
    that value is. Otherwise the default is used, which may be empty; a name
    with neither raises KeyError.
    """
    def fill(match):
        name, default = match.groups()
        if name not in values and default is None:
            raise KeyError(name)
        return str(values.get(name) or default)

    return PLACEHOLDER.sub(fill, template)


def names(template):
    """The names in a template in order of appearance, each once."""
    found = []
    for match in PLACEHOLDER.finditer(template):
        if match.group(1) not in found:
            found.append(match.group(1))
    return found


def missing(template, values):
    """The names without default in a template that values lack, sorted."""
    lacking = set()
    for match in PLACEHOLDER.finditer(template):
        if match.group(2) is None and match.group(1) not in values:
            lacking.add(match.group(1))
    return sorted(lacking)
''',
        wrong="values.get(name) or default",
        right="values.get(name, default)",
        visible="""def test_plain_text():
    assert render("no placeholders", {}) == "no placeholders"


def test_values():
    assert render("Dear {name}, you are {age}.", {"name": "Ann", "age": 30}) == "Dear Ann, you are 30."


def test_default():
    assert render("Hello {name|friend}", {}) == "Hello friend"
    assert render("Hello {name|friend}", {"name": "Bo"}) == "Hello Bo"
    assert render("[{x|}]", {}) == "[]"


def test_zero_is_a_value():
    assert render("{count|no} items", {"count": 0}) == "0 items"
    assert render("{count} items", {"count": 0}) == "0 items"


def test_unknown_name():
    with pytest.raises(KeyError):
        render("{nobody}", {"somebody": 1})


def test_names():
    assert names("{b} {a|x} {b}") == ["b", "a"]
    assert names("") == []


def test_missing():
    assert missing("{c} {b|1} {a}", {"z": 1}) == ["a", "c"]
    assert missing("{a}", {"a": None}) == []
""",
        hidden="""def test_empty_string_is_a_value():
    assert render("<{x|default}>", {"x": ""}) == "<>"
    assert render("<{x}>", {"x": ""}) == "<>"


def test_other_falsy_values():
    assert render("{a}", {"a": False}) == "False"
    assert render("{a|1}", {"a": 0.0}) == "0.0"
    assert render("{a|x}", {"a": []}) == "[]"
    assert render("{a|x}", {"a": None}) == "None"


def test_mixed():
    assert render("{a}{b|-}{c|}{a}", {"a": 1, "c": 2}) == "1-21"
    assert render("{a|with spaces!}", {}) == "with spaces!"


def test_key_error():
    with pytest.raises(KeyError):
        render("{a|1} {b}", {})


def test_values_are_not_rendered_again():
    assert render("{a}", {"a": "{b}"}) == "{b}"


def test_helpers():
    assert names("{x}{y|}{x|2}") == ["x", "y"]
    assert missing("{x} {y|} {x}", {}) == ["x"]
    assert missing("{x}", {"x": 0}) == []
""",
    ),
    Program(
        name="lru_cache_box",
        code='''from collections import OrderedDict


class LruCache:
    """A mapping that keeps the capacity most recently used entries.

    Reading with get and writing with put both count as use; asking with "in"
    does not. When an entry too many is put in, the one whose last use lies
    furthest back is dropped.
    """

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self.hits = 0
        self.misses = 0
        self._entries = OrderedDict()

    def __len__(self):
        return len(self._entries)

    def __contains__(self, key):
        return key in self._entries

    def get(self, key, default=None):
        """The value of key, or default; counted in hits or misses."""
        if key not in self._entries:
            self.misses += 1
            return default
        self.hits += 1
        self._entries.move_to_end(key)
        return self._entries[key]

    def put(self, key, value):
        """Store value under key, replacing an older value."""
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > self.capacity:
            self._entries.popitem()

    def keys(self):
        """The keys, from least to most recently used."""
        return list(self._entries)
''',
        wrong="popitem()",
        right="popitem(last=False)",
        visible="""def test_get_and_put():
    cache = LruCache(2)
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b") is None
    assert cache.get("b", 7) == 7


def test_put_replaces():
    cache = LruCache(2)
    cache.put("a", 1)
    cache.put("a", 2)
    assert cache.get("a") == 2
    assert len(cache) == 1


def test_oldest_is_dropped():
    cache = LruCache(2)
    for key in "abc":
        cache.put(key, key.upper())
    assert "a" not in cache
    assert cache.keys() == ["b", "c"]
    assert cache.get("c") == "C"


def test_get_counts_as_use():
    cache = LruCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]


def test_counters():
    cache = LruCache(1)
    cache.put("a", 1)
    cache.get("a")
    cache.get("a")
    cache.get("x")
    assert (cache.hits, cache.misses) == (2, 1)


def test_bad_capacity():
    with pytest.raises(ValueError):
        LruCache(0)
""",
        hidden="""def test_capacity_one():
    cache = LruCache(1)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.keys() == ["b"]
    assert cache.get("a") is None


def test_put_of_known_key_counts_as_use():
    cache = LruCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    cache.put("c", 4)
    assert cache.keys() == ["a", "c"]
    assert cache.get("a") == 3


def test_contains_is_no_use():
    cache = LruCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert "a" in cache
    cache.put("c", 3)
    assert "a" not in cache
    assert (cache.hits, cache.misses) == (0, 0)


def test_long_run():
    cache = LruCache(3)
    for n in range(10):
        cache.put(n, n * n)
        assert len(cache) == min(n + 1, 3)
    assert cache.keys() == [7, 8, 9]
    assert cache.get(9) == 81


def test_no_drop_below_capacity():
    cache = LruCache(3)
    cache.put("x", None)
    cache.put("y", 0)
    assert cache.keys() == ["x", "y"]
    assert cache.get("x", 5) is None
    assert cache.keys() == ["y", "x"]
    with pytest.raises(ValueError):
        LruCache(-1)
""",
    ),
    Program(
        name="intervals",
        code='''def merge(intervals):
    """Merge overlapping or touching intervals (start, end) of numbers.

    The result is a sorted list of tuples that cover exactly the same points.
    An interval that ends before it starts raises ValueError.
    """
    merged = []
    for start, end in sorted(intervals):
        if end < start:
            raise ValueError(f"bad interval {start}..{end}")
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def total_length(intervals):
    """The length of everything the intervals cover, counted once."""
    return sum(end - start for start, end in merge(intervals))


def gaps(intervals):
    """The uncovered intervals between the covered ones, in order."""
    merged = merge(intervals)
    return [(left[1], right[0]) for left, right in zip(merged, merged[1:])]


def covers(intervals, point):
    """Whether some interval contains point, ends included."""
    return any(start <= point <= end for start, end in merge(intervals))
''',
        wrong="(merged[-1][0], end)",
        right="(merged[-1][0], max(merged[-1][1], end))",
        visible="""def test_nothing():
    assert merge([]) == []
    assert total_length([]) == 0


def test_apart():
    assert merge([(5, 6), (1, 2)]) == [(1, 2), (5, 6)]


def test_overlapping_and_touching():
    assert merge([(1, 3), (2, 5)]) == [(1, 5)]
    assert merge([(1, 2), (2, 3), (3, 4)]) == [(1, 4)]


def test_one_inside_another():
    assert merge([(1, 10), (2, 3)]) == [(1, 10)]
    assert total_length([(0, 8), (2, 4), (6, 7)]) == 8


def test_gaps():
    assert gaps([(1, 2), (4, 6), (9, 10)]) == [(2, 4), (6, 9)]
    assert gaps([(1, 2)]) == []


def test_covers():
    assert covers([(1, 2), (4, 6)], 4)
    assert not covers([(1, 2), (4, 6)], 3)


def test_bad_interval():
    with pytest.raises(ValueError):
        merge([(3, 1)])
""",
        hidden="""def test_nested_deeply():
    assert merge([(0, 100), (1, 50), (2, 20), (60, 70)]) == [(0, 100)]
    assert merge([(0, 10), (1, 2), (5, 12)]) == [(0, 12)]


def test_same_points_covered():
    intervals = [(3, 9), (4, 5), (12, 15), (13, 14), (20, 20)]
    merged = merge(intervals)
    for point in range(0, 25):
        inside = any(a <= point <= b for a, b in intervals)
        assert any(a <= point <= b for a, b in merged) == inside
        assert covers(intervals, point) == inside
    assert merged == [(3, 9), (12, 15), (20, 20)]


def test_lengths():
    assert total_length([(0, 5), (1, 2), (3, 4)]) == 5
    assert total_length([(0, 1), (0, 1)]) == 1
    assert total_length([(-3, -1), (-2, 2)]) == 5


def test_gaps_with_nested():
    assert gaps([(0, 10), (2, 3), (12, 13)]) == [(10, 12)]
    assert gaps([]) == []


def test_equal_starts_and_bad():
    assert merge([(1, 4), (1, 2)]) == [(1, 4)]
    with pytest.raises(ValueError):
        merge([(0, 5), (4, 2)])
""",
    ),
    Program(
        name="ring_buffer",
        code='''class RingBuffer:
    """A sequence of fixed capacity; when it is full, a push drops the oldest.

    Index 0 is the oldest item and -1 the newest; an index outside the items
    that are there raises IndexError.
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

    def push(self, item):
        """Add item as the newest."""
        self._slots[(self._start + self._size) % self.capacity] = item
        if self._size < self.capacity:
            self._size += 1
        else:
            self._start = (self._start + 1) % self.capacity

    def pop(self):
        """Remove and return the oldest item; IndexError if there is none."""
        item = self[0]
        self._start = (self._start + 1) % self.capacity
        self._size -= 1
        return item

    def __getitem__(self, index):
        if index < 0:
            index += self.capacity
        if not 0 <= index < self._size:
            raise IndexError("no such item")
        return self._slots[(self._start + index) % self.capacity]

    def to_list(self):
        """The items from oldest to newest."""
        return [self[i] for i in range(self._size)]
''',
        wrong="            index += self.capacity",
        right="            index += self._size",
        visible="""def test_push_keeps_order():
    ring = RingBuffer(3)
    ring.push("a")
    ring.push("b")
    assert ring.to_list() == ["a", "b"]
    assert len(ring) == 2


def test_full_buffer_drops_oldest():
    ring = RingBuffer(3)
    for n in range(5):
        ring.push(n)
    assert ring.to_list() == [2, 3, 4]
    assert ring[-1] == 4
    assert ring[-3] == 2


def test_newest_item():
    ring = RingBuffer(4)
    ring.push(10)
    assert ring[-1] == 10
    ring.push(20)
    assert ring[-1] == 20
    assert ring[-2] == 10


def test_pop():
    ring = RingBuffer(2)
    for n in range(3):
        ring.push(n)
    assert ring.pop() == 1
    assert ring.pop() == 2
    with pytest.raises(IndexError):
        ring.pop()


def test_bad_index():
    ring = RingBuffer(2)
    ring.push(1)
    with pytest.raises(IndexError):
        ring[1]


def test_bad_capacity():
    with pytest.raises(ValueError):
        RingBuffer(0)
""",
        hidden="""def test_negative_indices_everywhere():
    ring = RingBuffer(5)
    pushed = []
    for n in range(12):
        ring.push(n)
        pushed.append(n)
        expected = pushed[-5:]
        assert ring.to_list() == expected
        for i in range(1, len(expected) + 1):
            assert ring[-i] == expected[-i]


def test_too_negative():
    ring = RingBuffer(3)
    ring.push("x")
    for index in (-2, -3, -4, 1, 3):
        with pytest.raises(IndexError):
            ring[index]


def test_after_pop():
    ring = RingBuffer(3)
    for n in range(4):
        ring.push(n)
    assert ring.pop() == 1
    assert ring[-1] == 3
    assert ring[-2] == 2
    assert ring[0] == 2
    ring.push(9)
    assert ring.to_list() == [2, 3, 9]


def test_empty():
    ring = RingBuffer(2)
    assert ring.to_list() == []
    for index in (0, -1, -2):
        with pytest.raises(IndexError):
            ring[index]


def test_capacity_one():
    ring = RingBuffer(1)
    ring.push(1)
    ring.push(2)
    assert ring[-1] == ring[0] == 2
    assert len(ring) == 1
""",
    ),
    Program(
        name="settings_merge",
        code='''def deep_merge(base, override):
    """A new dict of base with the entries of override laid over it.

    Where both hold a dict under a key, the two are merged in the same way;
    otherwise the entry of override holds. Neither argument is changed.
    """
    result = base
    for key, value in override.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = deep_merge(result[key], value)
        else:
            result[key] = value
    return result


def merge_all(layers):
    """Merge a list of dicts, later ones over earlier ones; {} for none."""
    result = {}
    for layer in layers:
        result = deep_merge(result, layer)
    return result


def lookup(settings, path, default=None):
    """The entry at a dotted path like "a.b.c", or default if there is none."""
    current = settings
    for part in path.split("."):
        if not isinstance(current, dict) or part not in current:
            return default
        current = current[part]
    return current
''',
        wrong="    result = base",
        right="    result = dict(base)",
        visible="""def test_disjoint():
    assert deep_merge({"a": 1}, {"b": 2}) == {"a": 1, "b": 2}


def test_override_holds():
    assert deep_merge({"a": 1, "b": 2}, {"b": 3}) == {"a": 1, "b": 3}
    assert deep_merge({"a": {"x": 1}}, {"a": 5}) == {"a": 5}


def test_nested():
    base = {"db": {"host": "local", "port": 1}}
    assert deep_merge(base, {"db": {"port": 2}}) == {"db": {"host": "local", "port": 2}}


def test_arguments_stay_unchanged():
    base = {"a": {"x": 1}, "b": 1}
    override = {"a": {"y": 2}, "b": 2}
    deep_merge(base, override)
    assert base == {"a": {"x": 1}, "b": 1}
    assert override == {"a": {"y": 2}, "b": 2}


def test_merge_all():
    assert merge_all([]) == {}
    assert merge_all([{"a": 1}, {"a": 2, "b": 2}, {"b": 3}]) == {"a": 2, "b": 3}


def test_lookup():
    settings = {"a": {"b": {"c": 0}}}
    assert lookup(settings, "a.b.c") == 0
    assert lookup(settings, "a.x", "none") == "none"
    assert lookup(settings, "a.b.c.d") is None
""",
        hidden="""def test_result_is_new():
    base = {"a": 1}
    result = deep_merge(base, {})
    assert result == {"a": 1}
    assert result is not base
    result["z"] = 1
    assert base == {"a": 1}


def test_nested_base_is_unchanged():
    base = {"one": {"two": {"three": 3}}}
    result = deep_merge(base, {"one": {"two": {"four": 4}}})
    assert result == {"one": {"two": {"three": 3, "four": 4}}}
    assert base == {"one": {"two": {"three": 3}}}


def test_base_used_twice():
    base = {"colour": "red", "size": {"w": 1, "h": 1}}
    first = deep_merge(base, {"colour": "blue", "size": {"w": 9}})
    second = deep_merge(base, {"size": {"h": 5}})
    assert first == {"colour": "blue", "size": {"w": 9, "h": 1}}
    assert second == {"colour": "red", "size": {"w": 1, "h": 5}}


def test_merge_all_keeps_layers():
    layers = [{"a": {"x": 1}}, {"a": {"y": 2}}, {"a": {"x": 3}}]
    assert merge_all(layers) == {"a": {"x": 3, "y": 2}}
    assert layers == [{"a": {"x": 1}}, {"a": {"y": 2}}, {"a": {"x": 3}}]


def test_kinds_that_do_not_match():
    assert deep_merge({"a": 1}, {"a": {"x": 1}}) == {"a": {"x": 1}}
    assert deep_merge({"a": [1]}, {"a": [2]}) == {"a": [2]}
    assert deep_merge({"a": {"x": 1}}, {"a": None}) == {"a": None}
    assert deep_merge({}, {}) == {}


def test_lookup_details():
    assert lookup({"a": None}, "a", 1) is None
    assert lookup({}, "a") is None
    assert lookup({"a": 5}, "a.b", 7) == 7
""",
    ),
    Program(
        name="word_ranking",
        code='''import re


def count_words(text):
    """How often each word occurs, as a dict; case does not matter.

    A word is a run of letters and apostrophes.
    """
    counts = {}
    for word in re.findall(r"[a-z']+", text.lower()):
        counts[word] = counts.get(word, 0) + 1
    return counts


def top_words(text, n, ignore=()):
    """The n most frequent words as (word, count), most frequent first.

    Words of equal frequency stand in alphabetical order. Words in ignore are
    left out. There are fewer than n if the text has fewer words.
    """
    counts = count_words(text)
    pairs = [(word, count) for word, count in counts.items() if word not in ignore]
    pairs.sort(key=lambda pair: (pair[1], pair[0]), reverse=True)
    return pairs[:n]


def share(text, word):
    """Which part of all words in text is the given word; 0.0 for no words."""
    counts = count_words(text)
    total = sum(counts.values())
    if not total:
        return 0.0
    return counts.get(word.lower(), 0) / total
''',
        wrong="    pairs.sort(key=lambda pair: (pair[1], pair[0]), reverse=True)",
        right="    pairs.sort(key=lambda pair: (-pair[1], pair[0]))",
        visible="""def test_count_words():
    assert count_words("The cat, the dog") == {"the": 2, "cat": 1, "dog": 1}
    assert count_words("Don't") == {"don't": 1}
    assert count_words("") == {}


def test_most_frequent_first():
    assert top_words("a b b c c c", 2) == [("c", 3), ("b", 2)]


def test_ties_are_alphabetical():
    assert top_words("pear apple fig", 3) == [("apple", 1), ("fig", 1), ("pear", 1)]
    assert top_words("y x z z", 2) == [("z", 2), ("x", 1)]


def test_ignore():
    assert top_words("the the the sun sun sea", 1, ignore={"the"}) == [("sun", 2)]


def test_few_words():
    assert top_words("only", 5) == [("only", 1)]
    assert top_words("", 3) == []


def test_share():
    assert share("a b a c", "A") == 0.5
    assert share("", "a") == 0.0
    assert share("b", "a") == 0.0
""",
        hidden="""def test_tie_cut_off():
    assert top_words("d c b a", 2) == [("a", 1), ("b", 1)]


def test_groups_of_ties():
    text = "m m k k z z a b c"
    assert top_words(text, 6) == [("k", 2), ("m", 2), ("z", 2), ("a", 1), ("b", 1), ("c", 1)]


def test_input_order_does_not_matter():
    assert top_words("b a c", 3) == top_words("c b a", 3) == [("a", 1), ("b", 1), ("c", 1)]


def test_distinct_counts():
    assert top_words("x y y z z z", 10) == [("z", 3), ("y", 2), ("x", 1)]
    assert top_words("x y", 0) == []


def test_case_and_ignore():
    assert top_words("Be be BE or not to be", 3, ignore=("or",)) == [("be", 4), ("not", 1), ("to", 1)]


def test_share_of_words():
    assert share("to be or not to be", "be") == pytest.approx(1 / 3)
    assert share("123", "a") == 0.0
""",
    ),
    Program(
        name="flatten_depth",
        code='''def flatten(nested, depth=None):
    """Flatten a list of lists, at most depth levels; all levels for None.

    Only lists are flattened, other values (tuples, strings) stay as they are.
    flatten(x, 0) is a copy of x; a negative depth raises ValueError.
    """
    if depth is not None and depth < 0:
        raise ValueError("depth must not be negative")
    if depth == 0:
        return list(nested)
    deeper = None if depth is None else depth - 1
    result = []
    for item in nested:
        if isinstance(item, list):
            result.extend(flatten(item, depth))
        else:
            result.append(item)
    return result


def height(nested):
    """How deep lists are nested: 1 for a list without lists, empty or not."""
    return 1 + max((height(item) for item in nested if isinstance(item, list)), default=0)


def deep_map(function, nested):
    """The nested list with function applied to everything but the lists."""
    return [
        deep_map(function, item) if isinstance(item, list) else function(item)
        for item in nested
    ]
''',
        wrong="flatten(item, depth)",
        right="flatten(item, deeper)",
        visible="""def test_flatten_everything():
    assert flatten([1, [2, [3, [4]]], 5]) == [1, 2, 3, 4, 5]
    assert flatten([]) == []
    assert flatten([[], [[]]]) == []


def test_flatten_one_level():
    assert flatten([1, [2, [3]]], 1) == [1, 2, [3]]


def test_flatten_two_levels():
    assert flatten([[[[1]]], 2], 2) == [[1], 2]


def test_depth_zero_copies():
    nested = [1, [2]]
    assert flatten(nested, 0) == nested
    assert flatten(nested, 0) is not nested


def test_other_values_stay():
    assert flatten([(1, [2]), "ab"]) == [(1, [2]), "ab"]


def test_negative_depth():
    with pytest.raises(ValueError):
        flatten([1], -1)


def test_height():
    assert height([]) == 1
    assert height([1, [2], [[3]]]) == 3


def test_deep_map():
    assert deep_map(lambda x: x * 2, [1, [2, []]]) == [2, [4, []]]
""",
        hidden="""def test_each_depth():
    nested = [0, [1, [2, [3, [4]]]]]
    assert flatten(nested, 0) == [0, [1, [2, [3, [4]]]]]
    assert flatten(nested, 1) == [0, 1, [2, [3, [4]]]]
    assert flatten(nested, 2) == [0, 1, 2, [3, [4]]]
    assert flatten(nested, 3) == [0, 1, 2, 3, [4]]
    assert flatten(nested, 4) == flatten(nested, 9) == flatten(nested) == [0, 1, 2, 3, 4]


def test_siblings_have_the_same_depth():
    assert flatten([[1, [2]], [3, [4]], 5, [[6]]], 1) == [1, [2], 3, [4], 5, [6]]


def test_empty_lists():
    assert flatten([[], [[]], [[[]]]], 1) == [[], [[]]]
    assert flatten([], 3) == []


def test_input_is_unchanged():
    nested = [[1, [2]]]
    flatten(nested, 1)
    flatten(nested)
    assert nested == [[1, [2]]]


def test_bad_depth():
    for nested in ([], [1], [[1]]):
        with pytest.raises(ValueError):
            flatten(nested, -2)


def test_helpers():
    assert height([[[]]]) == 3
    assert height([1, 2]) == 1
    assert deep_map(str, [[1], 2]) == [["1"], "2"]
""",
    ),
    Program(
        name="search_tree",
        code='''class Node:
    """A node of a binary tree."""

    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right


def insert(node, value):
    """Insert value into a search tree and return its root.

    A value that is already there is not inserted again.
    """
    if node is None:
        return Node(value)
    if value < node.value:
        node.left = insert(node.left, value)
    elif value > node.value:
        node.right = insert(node.right, value)
    return node


def is_search_tree(node, low=None, high=None):
    """Whether the tree is a search tree, with all values between low and high.

    At every node, all values in the left subtree must be less and all in the
    right subtree greater than its own. The bounds are exclusive, None is no
    bound. The empty tree is a search tree.
    """
    if node is None:
        return True
    if low is not None and node.value <= low:
        return False
    if high is not None and node.value >= high:
        return False
    return (is_search_tree(node.left, None, node.value)
            and is_search_tree(node.right, node.value, high))


def in_order(node):
    """The values: left subtree, node, right subtree."""
    if node is None:
        return []
    return in_order(node.left) + [node.value] + in_order(node.right)
''',
        wrong="is_search_tree(node.left, None, node.value)",
        right="is_search_tree(node.left, low, node.value)",
        visible="""def test_insert_sorts():
    root = None
    for value in [5, 2, 8, 1, 9]:
        root = insert(root, value)
    assert in_order(root) == [1, 2, 5, 8, 9]
    assert is_search_tree(root)


def test_insert_twice():
    root = insert(insert(None, 3), 3)
    assert in_order(root) == [3]


def test_small_trees():
    assert is_search_tree(None)
    assert is_search_tree(Node(1))
    assert is_search_tree(Node(2, Node(1), Node(3)))


def test_child_on_the_wrong_side():
    assert not is_search_tree(Node(2, Node(3)))
    assert not is_search_tree(Node(2, None, Node(1)))
    assert not is_search_tree(Node(2, Node(2)))


def test_grandchild_on_the_wrong_side():
    assert not is_search_tree(Node(5, Node(3, None, Node(6))))
    assert not is_search_tree(Node(5, None, Node(8, Node(4))))


def test_bounds():
    assert is_search_tree(Node(5), 4, 6)
    assert not is_search_tree(Node(5), 5, 6)
    assert not is_search_tree(Node(5), 1, 5)
""",
        hidden="""def test_right_then_left():
    assert not is_search_tree(Node(10, Node(5), Node(20, Node(9))))
    assert not is_search_tree(Node(10, Node(5), Node(20, Node(10))))
    assert is_search_tree(Node(10, Node(5), Node(20, Node(11))))


def test_deep_left_chain():
    assert not is_search_tree(Node(1, None, Node(9, Node(8, Node(7, Node(0))))))
    assert is_search_tree(Node(1, None, Node(9, Node(8, Node(7, Node(2))))))


def test_left_then_right():
    assert not is_search_tree(Node(10, Node(5, None, Node(12))))
    assert is_search_tree(Node(10, Node(5, None, Node(7))))


def test_low_bound_reaches_left_children():
    assert not is_search_tree(Node(5, Node(3)), 3)
    assert not is_search_tree(Node(5, Node(3)), 4, 9)
    assert is_search_tree(Node(5, Node(3)), 2, 9)
    assert not is_search_tree(Node(5, None, Node(7)), None, 7)


def test_agrees_with_in_order():
    for a in range(5):
        for b in range(5):
            for c in range(5):
                tree = Node(2, Node(a), Node(b, Node(c)))
                values = in_order(tree)
                increasing = all(x < y for x, y in zip(values, values[1:]))
                assert is_search_tree(tree) == increasing


def test_zero_and_negative():
    assert not is_search_tree(Node(0, None, Node(3, Node(-1))))
    root = None
    for value in [0, -5, 5, -1, 1]:
        root = insert(root, value)
    assert is_search_tree(root)
    assert in_order(root) == [-5, -1, 0, 1, 5]
""",
    ),
    Program(
        name="sum_combinations",
        code='''def combinations_for(target, numbers):
    """All ways to write target as a sum of the given positive numbers.

    Each number may be used any number of times. A way is a list in ascending
    order; the ways are in lexicographical order and each occurs once, even if
    a number is given twice. The only way to write 0 is the empty list.
    """
    choices = sorted(set(numbers))
    if choices and choices[0] < 1:
        raise ValueError("numbers must be positive")
    found = []

    def extend(chosen, first, rest):
        if rest == 0:
            found.append(chosen)
            return
        for i in range(first, len(choices)):
            if choices[i] > rest:
                break
            extend(chosen + [choices[i]], i + 1, rest - choices[i])

    extend([], 0, target)
    return found


def fewest(target, numbers):
    """How many numbers the shortest way has, or None if there is no way."""
    return min((len(way) for way in combinations_for(target, numbers)), default=None)
''',
        wrong="            extend(chosen + [choices[i]], i + 1, rest - choices[i])",
        right="            extend(chosen + [choices[i]], i, rest - choices[i])",
        visible="""def test_zero():
    assert combinations_for(0, [1, 2]) == [[]]


def test_single_number():
    assert combinations_for(5, [5]) == [[5]]
    assert combinations_for(5, [3]) == []


def test_different_numbers():
    assert combinations_for(7, [3, 4]) == [[3, 4]]


def test_numbers_are_used_again():
    assert combinations_for(6, [2]) == [[2, 2, 2]]
    assert combinations_for(7, [2, 3, 7]) == [[2, 2, 3], [7]]


def test_order():
    assert combinations_for(4, [2, 1]) == [[1, 1, 1, 1], [1, 1, 2], [2, 2]]


def test_not_positive():
    with pytest.raises(ValueError):
        combinations_for(3, [0, 1])


def test_fewest():
    assert fewest(7, [7, 2, 3]) == 1
    assert fewest(7, [5, 2]) == 2
    assert fewest(1, [2]) is None
""",
        hidden="""def test_each_way_once():
    assert combinations_for(4, [2, 2]) == [[2, 2]]
    assert combinations_for(5, [5, 5, 2, 3]) == [[2, 3], [5]]


def test_numbers_of_ways():
    assert len(combinations_for(10, [1, 5, 10])) == 4
    assert len(combinations_for(10, [1, 2, 5])) == 10
    assert len(combinations_for(6, range(1, 7))) == 11


def test_all_sums_are_right():
    ways = combinations_for(12, [3, 4, 5])
    assert ways == [[3, 3, 3, 3], [3, 4, 5], [4, 4, 4]]


def test_impossible():
    assert combinations_for(3, []) == []
    assert combinations_for(7, [2, 4]) == []
    assert combinations_for(0, []) == [[]]


def test_fewest_with_repeats():
    assert fewest(30, [10, 1]) == 3
    assert fewest(6, [1, 3, 4]) == 2
    assert fewest(0, [1]) == 0
    assert fewest(5, [4]) is None


def test_negative_number():
    with pytest.raises(ValueError):
        combinations_for(3, [2, -1])
""",
    ),
    Program(
        name="tree_drawing",
        code='''def draw(tree, prefix=""):
    """The lines of a drawing of a tree of nested dicts {name: subtree}.

    Names stand in the dict's order. Each follows "|-- ", the last one on its
    level "`-- "; the lines of its subtree are indented by four characters,
    a bar and three spaces, but four spaces below the last one:

        |-- a
        |   `-- b
        `-- c
    """
    lines = []
    names = list(tree)
    for position, name in enumerate(names):
        last = position == len(names) - 1
        lines.append(prefix + ("`-- " if last else "|-- ") + name)
        lines.extend(draw(tree[name], prefix + ("|   " if last else "    ")))
    return lines


def count_nodes(tree):
    """The number of names in the whole tree."""
    return sum(1 + count_nodes(subtree) for subtree in tree.values())


def leaf_paths(tree):
    """The paths, joined by slashes, to all names with an empty subtree."""
    paths = []
    for name, subtree in tree.items():
        if subtree:
            paths.extend(name + "/" + path for path in leaf_paths(subtree))
        else:
            paths.append(name)
    return paths
''',
        wrong='prefix + ("|   " if last else "    ")',
        right='prefix + ("    " if last else "|   ")',
        visible="""def test_empty():
    assert draw({}) == []
    assert count_nodes({}) == 0
    assert leaf_paths({}) == []


def test_one_level():
    assert draw({"a": {}, "b": {}}) == ["|-- a", "`-- b"]
    assert draw({"a": {}}) == ["`-- a"]


def test_nested():
    tree = {"a": {"b": {}}, "c": {}}
    assert draw(tree) == ["|-- a", "|   `-- b", "`-- c"]


def test_nested_below_last():
    tree = {"a": {}, "b": {"c": {}, "d": {}}}
    assert draw(tree) == ["|-- a", "`-- b", "    |-- c", "    `-- d"]


def test_prefix():
    assert draw({"a": {}}, "> ") == ["> `-- a"]


def test_count_nodes():
    assert count_nodes({"a": {"b": {}, "c": {}}, "d": {}}) == 4


def test_leaf_paths():
    assert leaf_paths({"a": {"b": {}, "c": {"d": {}}}, "e": {}}) == ["a/b", "a/c/d", "e"]
""",
        hidden="""def test_three_levels():
    tree = {"src": {"lib": {"x.py": {}}, "main.py": {}}, "docs": {"api": {"y.md": {}}}}
    assert draw(tree) == [
        "|-- src",
        "|   |-- lib",
        "|   |   `-- x.py",
        "|   `-- main.py",
        "`-- docs",
        "    `-- api",
        "        `-- y.md",
    ]


def test_chain():
    assert draw({"a": {"b": {"c": {}}}}) == ["`-- a", "    `-- b", "        `-- c"]


def test_prefix_is_kept_below():
    assert draw({"a": {"b": {}}, "c": {}}, "# ") == ["# |-- a", "# |   `-- b", "# `-- c"]


def test_order_of_the_dict():
    assert draw({"z": {}, "a": {}, "m": {}}) == ["|-- z", "|-- a", "`-- m"]


def test_counts():
    tree = {"a": {"b": {"c": {}}}, "d": {}}
    assert count_nodes(tree) == len(draw(tree)) == 4
    assert leaf_paths(tree) == ["a/b/c", "d"]
""",
    ),
    Program(
        name="calculator",
        code=r'''import re


def tokenize(text):
    """Split a sum into numbers, operators and parentheses.

    Spaces are dropped; any other character raises ValueError.
    """
    if re.search(r"[^\d\s+*/()-]", text):
        raise ValueError("unexpected character")
    return re.findall(r"\d+|[-+*/()]", text)


def evaluate(text):
    """The value of a sum of whole numbers with + - * / and parentheses.

    Operators of the same rank work from left to right; * and / bind closer
    than + and -. A minus may stand before a number or parenthesis. Division
    is exact (8 / 3 is a fraction). What is no sum raises ValueError.
    """
    tokens = tokenize(text) + ["end"]
    value = _sum(tokens)
    if tokens != ["end"]:
        raise ValueError("unexpected " + tokens[0])
    return value


def _sum(tokens):
    value = _product(tokens)
    while tokens[0] in ("+", "-"):
        sign = 1 if tokens.pop(0) == "+" else -1
        value += sign * _product(tokens)
    return value


def _product(tokens):
    value = _factor(tokens)
    if tokens[0] in ("*", "/"):
        operator = tokens.pop(0)
        factor = _factor(tokens)
        value = value * factor if operator == "*" else value / factor
    return value


def _factor(tokens):
    token = tokens.pop(0)
    if token == "-":
        return -_factor(tokens)
    if token == "(":
        value = _sum(tokens)
        if tokens.pop(0) != ")":
            raise ValueError("missing )")
        return value
    if not token.isdigit():
        raise ValueError("unexpected " + token)
    return int(token)
''',
        wrong='    if tokens[0] in ("*", "/"):',
        right='    while tokens[0] in ("*", "/"):',
        visible="""def test_tokenize():
    assert tokenize("12+(3 *4)") == ["12", "+", "(", "3", "*", "4", ")"]
    with pytest.raises(ValueError):
        tokenize("2 ^ 3")


def test_single_operations():
    assert evaluate("7") == 7
    assert evaluate("1 + 2") == 3
    assert evaluate("6 / 4") == 1.5


def test_left_to_right():
    assert evaluate("10 - 3 - 2") == 5
    assert evaluate("24 / 4 / 2") == 3
    assert evaluate("2 * 3 * 4") == 24


def test_rank():
    assert evaluate("2 + 3 * 4") == 14
    assert evaluate("2 * 3 + 4 * 5") == 26


def test_parentheses():
    assert evaluate("(2 + 3) * 4") == 20
    assert evaluate("((5))") == 5


def test_minus():
    assert evaluate("-3 + 5") == 2
    assert evaluate("2 * -(1 + 1)") == -4


def test_no_sum():
    for text in ("", "1 +", "(1", "1)", "1 2", "* 3"):
        with pytest.raises(ValueError):
            evaluate(text)
""",
        hidden="""def test_long_products():
    assert evaluate("1*2*3*4*5") == 120
    assert evaluate("8 * 3 / 4 * 5") == 30
    assert evaluate("100 / 5 / 5 / 2") == 2


def test_products_inside_sums():
    assert evaluate("1 + 2 * 3 * 4 - 5") == 20
    assert evaluate("2*2*2 + 3*3*3") == 35


def test_products_inside_parentheses():
    assert evaluate("(1 * 2 * 3) / 2") == 3
    assert evaluate("-(2 * 2 * 2)") == -8
    assert evaluate("2 * (1 + 1) * 3") == 12


def test_long_sums():
    assert evaluate("1 - 2 + 3 - 4 + 5") == 3
    assert evaluate("1 - -1 - (2 - 3)") == 3


def test_fractions():
    assert evaluate("8 / 3") == pytest.approx(8 / 3)
    assert evaluate("7 / 2 * 2") == 7


def test_errors():
    for text in ("2 * * 3", "2 * 3 *", "2 * 3 4", "()", "2 * 3)", "a"):
        with pytest.raises(ValueError):
            evaluate(text)
""",
    ),
    Program(
        name="bill_split",
        code='''def split_evenly(total, people):
    """Split an amount of cents into people parts that differ by one at most.

    The parts add up to total; the larger parts come first. There must be at
    least one person and total must not be negative, or ValueError is raised.
    """
    if people < 1:
        raise ValueError("nobody to pay")
    if total < 0:
        raise ValueError("negative total")
    share, left_over = divmod(total, people)
    return [share + 1 if i <= left_over else share for i in range(people)]


def split_by_weight(total, weights):
    """Split an amount of cents in proportion to positive whole weights.

    Every part is rounded down first; then the cents left over go, one each,
    to the first parts. The parts add up to total.
    """
    whole = sum(weights)
    parts = [total * weight // whole for weight in weights]
    for i in range(total - sum(parts)):
        parts[i] += 1
    return parts


def with_tip(total, percent):
    """The total with a tip in whole percent, the tip rounded up to a cent."""
    return total + -(-total * percent // 100)
''',
        wrong="if i <= left_over else",
        right="if i < left_over else",
        visible="""def test_split_uneven():
    assert split_evenly(100, 3) == [34, 33, 33]
    assert split_evenly(101, 3) == [34, 34, 33]


def test_split_without_rest():
    assert split_evenly(90, 3) == [30, 30, 30]
    assert split_evenly(0, 2) == [0, 0]
    assert split_evenly(55, 1) == [55]


def test_split_bad_arguments():
    with pytest.raises(ValueError):
        split_evenly(100, 0)
    with pytest.raises(ValueError):
        split_evenly(-1, 2)


def test_split_by_weight():
    assert split_by_weight(100, [1, 1]) == [50, 50]
    assert split_by_weight(100, [2, 1]) == [67, 33]
    assert split_by_weight(10, [1, 1, 1]) == [4, 3, 3]


def test_with_tip():
    assert with_tip(1000, 10) == 1100
    assert with_tip(1001, 10) == 1102
    assert with_tip(500, 0) == 500
""",
        hidden="""def test_parts_add_up():
    for total in range(0, 60):
        for people in range(1, 9):
            parts = split_evenly(total, people)
            assert len(parts) == people
            assert sum(parts) == total


def test_parts_differ_by_one_and_fall():
    for total in range(0, 60):
        for people in range(1, 9):
            parts = split_evenly(total, people)
            assert max(parts) - min(parts) <= 1
            assert parts == sorted(parts, reverse=True)


def test_fewer_cents_than_people():
    assert split_evenly(2, 5) == [1, 1, 0, 0, 0]
    assert split_evenly(0, 1) == [0]


def test_errors():
    for total, people in ((10, -1), (0, 0), (-5, 1)):
        with pytest.raises(ValueError):
            split_evenly(total, people)


def test_weights():
    assert split_by_weight(1000, [5, 3, 2]) == [500, 300, 200]
    assert split_by_weight(7, [1, 2, 4]) == [1, 2, 4]
    assert split_by_weight(5, [1, 1, 1]) == [2, 2, 1]


def test_tip():
    assert with_tip(1, 1) == 2
    assert with_tip(0, 20) == 0
    assert with_tip(1999, 15) == 2299
""",
    ),
    Program(
        name="income_tax",
        code='''BRACKETS = [(10_000, 0), (30_000, 10), (80_000, 25), (None, 40)]


def tax(income, brackets=BRACKETS):
    """The tax on an income, in whole units rounded down.

    brackets are pairs (upper limit, percent) with rising limits, None for no
    limit. Each percentage applies only to the part of the income between the
    limit before (0 at first) and its own. A negative income is ValueError.
    """
    if income < 0:
        raise ValueError("negative income")
    hundredths = 0
    lower = 0
    for upper, percent in brackets:
        if upper is None or income <= upper:
            hundredths += (income - lower) * percent
            break
        hundredths += upper * percent
        lower = upper
    return hundredths // 100


def marginal_rate(income, brackets=BRACKETS):
    """The percentage that applies to the last unit of an income."""
    for upper, percent in brackets:
        if upper is None or income <= upper:
            return percent
    return 0


def net(income, brackets=BRACKETS):
    """What is left of an income after tax."""
    return income - tax(income, brackets)
''',
        wrong="        hundredths += upper * percent",
        right="        hundredths += (upper - lower) * percent",
        visible="""def test_free_income():
    assert tax(0) == 0
    assert tax(10_000) == 0
    assert net(9_999) == 9_999


def test_second_bracket():
    assert tax(20_000) == 1_000
    assert tax(30_000) == 2_000


def test_third_bracket():
    assert tax(40_000) == 4_500
    assert tax(80_000) == 14_500


def test_top_bracket():
    assert tax(100_000) == 22_500
    assert net(100_000) == 77_500


def test_rounded_down():
    assert tax(10_009) == 0
    assert tax(10_019) == 1


def test_marginal_rate():
    assert marginal_rate(10_000) == 0
    assert marginal_rate(10_001) == 10
    assert marginal_rate(1_000_000) == 40


def test_negative():
    with pytest.raises(ValueError):
        tax(-1)
""",
        hidden="""def test_tax_is_continuous():
    for limit in (10_000, 30_000, 80_000):
        assert 0 <= tax(limit + 1) - tax(limit) <= 1


def test_own_brackets():
    brackets = [(100, 10), (200, 20), (None, 50)]
    assert tax(100, brackets) == 10
    assert tax(150, brackets) == 20
    assert tax(200, brackets) == 30
    assert tax(300, brackets) == 80


def test_flat():
    assert tax(500, [(None, 20)]) == 100
    assert tax(500, [(100, 20), (None, 20)]) == 100
    assert tax(500, [(100, 20), (300, 20), (None, 20)]) == 100


def test_against_unit_by_unit():
    brackets = [(10, 100), (25, 200), (40, 300), (None, 500)]
    for income in range(0, 60):
        expected = sum(marginal_rate(unit, brackets) for unit in range(1, income + 1)) // 100
        assert tax(income, brackets) == expected


def test_net_grows():
    values = [net(income) for income in range(0, 120_000, 500)]
    assert values == sorted(values)
    assert net(35_000) == 35_000 - 3_250


def test_rates_and_errors():
    assert marginal_rate(0) == 0
    assert marginal_rate(80_000) == 25
    with pytest.raises(ValueError):
        net(-10)
""",
    ),
    Program(
        name="loan_plan",
        code='''def plan(principal, percent, payment):
    """The plan of repaying a loan, as rows (interest, repaid, balance).

    Every period, interest of percent on the balance still owed is rounded
    down to a cent; what remains of the payment repays the loan. The last
    payment is only as large as needed. All amounts are whole cents. A payment
    that does not exceed the first interest raises ValueError, and so does a
    negative principal. Without a loan there are no rows.
    """
    if principal < 0:
        raise ValueError("negative principal")
    if principal and payment <= principal * percent // 100:
        raise ValueError("payment too small")
    rows = []
    balance = principal
    while balance > 0:
        interest = principal * percent // 100
        repaid = min(payment - interest, balance)
        balance -= repaid
        rows.append((interest, repaid, balance))
    return rows


def total_interest(principal, percent, payment):
    """All interest paid over the whole plan."""
    return sum(row[0] for row in plan(principal, percent, payment))


def last_payment(principal, percent, payment):
    """The amount of the last payment, 0 without a loan."""
    rows = plan(principal, percent, payment)
    return rows[-1][0] + rows[-1][1] if rows else 0
''',
        wrong="        interest = principal * percent // 100",
        right="        interest = balance * percent // 100",
        visible="""def test_no_loan():
    assert plan(0, 5, 100) == []
    assert total_interest(0, 5, 100) == 0
    assert last_payment(0, 5, 100) == 0


def test_without_interest():
    assert plan(300, 0, 100) == [(0, 100, 200), (0, 100, 100), (0, 100, 0)]


def test_one_payment():
    assert plan(1000, 10, 2000) == [(100, 1000, 0)]
    assert last_payment(1000, 10, 2000) == 1100


def test_two_payments():
    assert plan(1000, 10, 600) == [(100, 500, 500), (50, 500, 0)]


def test_total_interest():
    assert total_interest(1000, 10, 600) == 150
    assert total_interest(1000, 1, 1010) == 10


def test_payment_too_small():
    with pytest.raises(ValueError):
        plan(1000, 10, 100)
    with pytest.raises(ValueError):
        plan(-1, 10, 100)
""",
        hidden="""def test_three_payments():
    assert plan(10_000, 10, 5_000) == [(1000, 4000, 6000), (600, 4400, 1600), (160, 1600, 0)]
    assert total_interest(10_000, 10, 5_000) == 1760
    assert last_payment(10_000, 10, 5_000) == 1760


def test_interest_falls():
    rows = plan(100_000, 2, 7_000)
    interests = [row[0] for row in rows]
    assert interests == sorted(interests, reverse=True)
    balance = 100_000
    for interest, repaid, after in rows:
        assert interest == balance * 2 // 100
        assert after == balance - repaid
        balance = after
    assert balance == 0


def test_rounding_down():
    assert plan(199, 1, 100) == [(1, 99, 100), (1, 99, 1), (0, 1, 0)]


def test_repaid_adds_up():
    for payment in (60, 75, 100, 500, 2000):
        rows = plan(1000, 5, payment)
        assert sum(row[1] for row in rows) == 1000
        assert all(row[0] + row[1] == payment for row in rows[:-1])
        assert 0 < last_payment(1000, 5, payment) <= payment


def test_no_interest_last_payment():
    assert last_payment(250, 0, 100) == 50
    assert last_payment(200, 0, 100) == 100


def test_errors():
    with pytest.raises(ValueError):
        plan(1000, 0, 0)
    with pytest.raises(ValueError):
        total_interest(1000, 50, 500)
""",
    ),
    Program(
        name="invoice_totals",
        code='''from decimal import Decimal, ROUND_HALF_UP

CENT = Decimal("0.01")


def to_cents(amount):
    """Round a Decimal to two places; half a cent is rounded away from zero."""
    return amount.quantize(CENT)


def line_total(quantity, unit_price, discount_percent=0):
    """Quantity times unit price less a discount, rounded to cents.

    The price may be a Decimal or its text. A discount outside 0 to 100
    raises ValueError.
    """
    if not 0 <= discount_percent <= 100:
        raise ValueError("bad discount")
    gross = Decimal(unit_price) * quantity
    return to_cents(gross * (100 - discount_percent) / 100)


def invoice(lines, vat_percent):
    """Net, VAT and gross amount for lines of (quantity, price, discount).

    Every line is rounded for itself, then the VAT on their sum.
    """
    net = sum((line_total(*line) for line in lines), Decimal("0.00"))
    vat = to_cents(net * vat_percent / 100)
    return {"net": net, "vat": vat, "gross": net + vat}
''',
        wrong="amount.quantize(CENT)",
        right="amount.quantize(CENT, rounding=ROUND_HALF_UP)",
        visible="""def test_to_cents():
    assert to_cents(Decimal("1.234")) == Decimal("1.23")
    assert to_cents(Decimal("1.236")) == Decimal("1.24")
    assert str(to_cents(Decimal("2"))) == "2.00"


def test_half_cents():
    assert to_cents(Decimal("1.235")) == Decimal("1.24")
    assert to_cents(Decimal("1.245")) == Decimal("1.25")
    assert to_cents(Decimal("0.005")) == Decimal("0.01")


def test_line_total():
    assert line_total(3, "9.99") == Decimal("29.97")
    assert line_total(2, Decimal("10"), 25) == Decimal("15.00")
    assert line_total(1, "5", 100) == 0


def test_line_total_half_cent():
    assert line_total(1, "0.25", 50) == Decimal("0.13")
    assert line_total(1, "0.05", 50) == Decimal("0.03")


def test_bad_discount():
    with pytest.raises(ValueError):
        line_total(1, "5", 101)
    with pytest.raises(ValueError):
        line_total(1, "5", -1)


def test_invoice():
    result = invoice([(2, "10.00", 0), (1, "5.00", 10)], 20)
    assert result == {"net": Decimal("24.50"), "vat": Decimal("4.90"), "gross": Decimal("29.40")}


def test_empty_invoice():
    assert invoice([], 20)["gross"] == 0
""",
        hidden="""def test_all_half_cents():
    for cents in range(0, 20):
        amount = Decimal(cents) / 100 + Decimal("0.005")
        assert to_cents(amount) == Decimal(cents + 1) / 100


def test_negative_half_cents():
    assert to_cents(Decimal("-0.125")) == Decimal("-0.13")
    assert to_cents(Decimal("-0.135")) == Decimal("-0.14")
    assert to_cents(Decimal("-0.124")) == Decimal("-0.12")


def test_no_half():
    assert to_cents(Decimal("0.0049")) == 0
    assert to_cents(Decimal("0.0051")) == Decimal("0.01")
    assert to_cents(Decimal("0.1250001")) == Decimal("0.13")


def test_vat_half_cent():
    result = invoice([(1, "0.50", 0)], 5)
    assert result == {"net": Decimal("0.50"), "vat": Decimal("0.03"), "gross": Decimal("0.53")}


def test_lines_are_rounded_each():
    result = invoice([(1, "0.25", 50), (1, "0.25", 50)], 0)
    assert result["net"] == Decimal("0.26")
    assert result["vat"] == 0


def test_other_lines():
    assert line_total(3, "0.335") == Decimal("1.01")
    assert line_total(1, "1.005") == Decimal("1.01")
    assert line_total(0, "7.77") == 0
    with pytest.raises(ValueError):
        invoice([(1, "1", 200)], 0)
""",
    ),
    Program(
        name="cents_text",
        code=r'''import re


def format_cents(amount, symbol=""):
    """Write whole cents like "1,234.50", with a minus sign in front if less
    than zero and the symbol between the sign and the digits ("-$0.05")."""
    sign = "-" if amount < 0 else ""
    units, cents = divmod(amount, 100)
    return f"{sign}{symbol}{units:,}.{cents:02d}"


def parse_cents(text):
    """Read what format_cents writes, without a symbol, as whole cents.

    The thousands commas may be left out, and so may the point with the two
    digits after it. Anything else raises ValueError.
    """
    match = re.fullmatch(r"(-?)(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d\d))?", text.strip())
    if match is None:
        raise ValueError("not an amount: " + text)
    sign, units, cents = match.groups()
    value = int(units.replace(",", "")) * 100 + int(cents or 0)
    return -value if sign else value


def statement(entries):
    """Lines "name: amount" for (name, cents) pairs, then one for the total."""
    lines = [f"{name}: {format_cents(cents)}" for name, cents in entries]
    lines.append("total: " + format_cents(sum(cents for _, cents in entries)))
    return lines
''',
        wrong="divmod(amount, 100)",
        right="divmod(abs(amount), 100)",
        visible="""def test_format():
    assert format_cents(1234) == "12.34"
    assert format_cents(5) == "0.05"
    assert format_cents(0) == "0.00"


def test_format_thousands():
    assert format_cents(123450) == "1,234.50"
    assert format_cents(100000000) == "1,000,000.00"


def test_format_negative():
    assert format_cents(-1234) == "-12.34"
    assert format_cents(-5) == "-0.05"


def test_symbol():
    assert format_cents(250, "$") == "$2.50"
    assert format_cents(-250, "$") == "-$2.50"


def test_parse():
    assert parse_cents("12.34") == 1234
    assert parse_cents("-0.05") == -5
    assert parse_cents("1,000") == 100000
    assert parse_cents("1000") == 100000


def test_parse_errors():
    for text in ("", "abc", "1.5", "1,00", "--1", "1.234"):
        with pytest.raises(ValueError):
            parse_cents(text)


def test_statement():
    assert statement([("in", 500), ("out", -200)]) == ["in: 5.00", "out: -2.00", "total: 3.00"]
""",
        hidden="""def test_round_trip():
    for amount in list(range(-250, 251)) + [-123456, 123456, -100000, 99999999]:
        assert parse_cents(format_cents(amount)) == amount


def test_negative_is_mirrored():
    for amount in (1, 50, 99, 100, 101, 12345, 100000, 1234567):
        assert format_cents(-amount) == "-" + format_cents(amount)


def test_negative_thousands():
    assert format_cents(-123450, "EUR ") == "-EUR 1,234.50"
    assert format_cents(-100) == "-1.00"


def test_positive():
    assert format_cents(99) == "0.99"
    assert format_cents(100, "$") == "$1.00"
    assert format_cents(0, "$") == "$0.00"


def test_statement_totals():
    assert statement([]) == ["total: 0.00"]
    assert statement([("a", 100), ("b", -250)]) == ["a: 1.00", "b: -2.50", "total: -1.50"]


def test_parse_details():
    assert parse_cents(" 1,234,567.89 ") == 123456789
    assert parse_cents("-7") == -700
    for text in ("1,2345", ".50", "5.", "$1", "1 000"):
        with pytest.raises(ValueError):
            parse_cents(text)
""",
    ),
    Program(
        name="month_steps",
        code='''from calendar import monthrange
from datetime import date


def add_months(start, months):
    """The date months later (earlier if negative) on the same day of month.

    If that month is too short, it is the last day of the month.
    """
    index = start.year * 12 + start.month - 1 + months
    year, month = divmod(index, 12)
    month += 1
    day = min(start.day, monthrange(year, month)[0])
    return date(year, month, day)


def months_between(first, second):
    """How many whole months lie between two dates, the earlier one first."""
    if second < first:
        raise ValueError("dates in the wrong order")
    months = (second.year - first.year) * 12 + second.month - first.month
    if second.day < first.day:
        months -= 1
    return months


def due_dates(start, count):
    """The dates of count monthly payments, the first one on start itself."""
    return [add_months(start, i) for i in range(count)]
''',
        wrong="monthrange(year, month)[0])",
        right="monthrange(year, month)[1])",
        visible="""def test_same_day():
    assert add_months(date(2023, 1, 15), 1) == date(2023, 2, 15)
    assert add_months(date(2023, 1, 15), 0) == date(2023, 1, 15)


def test_over_the_year():
    assert add_months(date(2023, 11, 20), 3) == date(2024, 2, 20)
    assert add_months(date(2023, 12, 1), 12) == date(2024, 12, 1)


def test_backwards():
    assert add_months(date(2023, 1, 10), -1) == date(2022, 12, 10)


def test_short_month():
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)
    assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)
    assert add_months(date(2023, 5, 31), 1) == date(2023, 6, 30)


def test_months_between():
    assert months_between(date(2023, 1, 15), date(2023, 3, 15)) == 2
    assert months_between(date(2023, 1, 15), date(2023, 3, 14)) == 1
    assert months_between(date(2022, 12, 31), date(2023, 1, 1)) == 0


def test_months_between_wrong_order():
    with pytest.raises(ValueError):
        months_between(date(2023, 2, 1), date(2023, 1, 1))


def test_due_dates():
    assert due_dates(date(2023, 1, 31), 3) == [date(2023, 1, 31), date(2023, 2, 28), date(2023, 3, 31)]
    assert due_dates(date(2023, 1, 1), 0) == []
""",
        hidden="""def test_all_lengths():
    lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    for month, length in enumerate(lengths):
        assert add_months(date(2022, 1, 31), 12 + month) == date(2023, month + 1, length)


def test_every_day_of_january():
    for day in range(1, 29):
        assert add_months(date(2023, 1, day), 1) == date(2023, 2, day)
        assert add_months(date(2023, 1, day), 25) == date(2025, 2, day)


def test_backwards_far():
    assert add_months(date(2024, 3, 31), -1) == date(2024, 2, 29)
    assert add_months(date(2024, 2, 29), -12) == date(2023, 2, 28)
    assert add_months(date(2020, 6, 5), -30) == date(2017, 12, 5)


def test_leap_day():
    assert add_months(date(2024, 2, 29), 48) == date(2028, 2, 29)
    assert add_months(date(2000, 1, 30), 1) == date(2000, 2, 29)
    assert add_months(date(1900, 1, 30), 1) == date(1900, 2, 28)


def test_payments_do_not_drift():
    dates = due_dates(date(2023, 10, 30), 6)
    assert [d.day for d in dates] == [30, 30, 30, 30, 29, 30]
    assert [d.month for d in dates] == [10, 11, 12, 1, 2, 3]


def test_between():
    assert months_between(date(2020, 2, 29), date(2021, 2, 28)) == 11
    assert months_between(date(2020, 5, 5), date(2020, 5, 5)) == 0
    assert months_between(date(2019, 11, 30), date(2021, 1, 30)) == 14
""",
    ),
    Program(
        name="working_days",
        code='''from datetime import date, timedelta


def is_working_day(day, holidays=()):
    """Whether day is neither a Saturday, a Sunday nor one of the holidays."""
    return day.weekday() < 5 or day not in holidays


def add_working_days(start, count, holidays=()):
    """The working day that lies count working days after start.

    start itself is not counted. With a count of 0 it is start, whatever day
    that is. A negative count raises ValueError.
    """
    if count < 0:
        raise ValueError("count must not be negative")
    day = start
    while count > 0:
        day += timedelta(days=1)
        if is_working_day(day, holidays):
            count -= 1
    return day


def count_working_days(first, last, holidays=()):
    """How many working days there are from first to last, both included."""
    days = (last - first).days + 1
    return sum(is_working_day(first + timedelta(days=i), holidays) for i in range(days))
''',
        wrong="day.weekday() < 5 or day not in holidays",
        right="day.weekday() < 5 and day not in holidays",
        visible="""def test_weekdays():
    assert is_working_day(date(2024, 3, 4))
    assert is_working_day(date(2024, 3, 8))


def test_weekend():
    assert not is_working_day(date(2024, 3, 9))
    assert not is_working_day(date(2024, 3, 10))


def test_holiday():
    assert not is_working_day(date(2024, 12, 25), [date(2024, 12, 25)])
    assert is_working_day(date(2024, 12, 24), [date(2024, 12, 25)])


def test_add_within_week():
    assert add_working_days(date(2024, 3, 4), 3) == date(2024, 3, 7)
    assert add_working_days(date(2024, 3, 9), 0) == date(2024, 3, 9)


def test_add_over_weekend():
    assert add_working_days(date(2024, 3, 8), 1) == date(2024, 3, 11)
    assert add_working_days(date(2024, 3, 4), 10) == date(2024, 3, 18)


def test_negative_count():
    with pytest.raises(ValueError):
        add_working_days(date(2024, 3, 8), -1)


def test_count():
    assert count_working_days(date(2024, 3, 4), date(2024, 3, 10)) == 5
    assert count_working_days(date(2024, 3, 4), date(2024, 3, 4)) == 1
""",
        hidden="""def test_a_whole_week():
    flags = [is_working_day(date(2024, 6, 3) + timedelta(days=i)) for i in range(7)]
    assert flags == [True] * 5 + [False] * 2


def test_holiday_on_weekend_and_weekday():
    holidays = {date(2024, 6, 8), date(2024, 6, 5)}
    assert not is_working_day(date(2024, 6, 8), holidays)
    assert not is_working_day(date(2024, 6, 9), holidays)
    assert not is_working_day(date(2024, 6, 5), holidays)
    assert is_working_day(date(2024, 6, 6), holidays)


def test_add_over_holidays():
    christmas = [date(2024, 12, 25), date(2024, 12, 26)]
    assert add_working_days(date(2024, 12, 24), 1, christmas) == date(2024, 12, 27)
    assert add_working_days(date(2024, 12, 24), 2, christmas) == date(2024, 12, 30)


def test_add_from_weekend():
    assert add_working_days(date(2024, 3, 9), 1) == date(2024, 3, 11)
    assert add_working_days(date(2024, 3, 10), 5) == date(2024, 3, 15)


def test_count_with_holidays():
    may_day = [date(2024, 5, 1)]
    assert count_working_days(date(2024, 5, 1), date(2024, 5, 31)) == 23
    assert count_working_days(date(2024, 5, 1), date(2024, 5, 31), may_day) == 22
    assert count_working_days(date(2024, 3, 9), date(2024, 3, 10)) == 0


def test_zero_and_negative():
    assert add_working_days(date(2024, 5, 1), 0, [date(2024, 5, 1)]) == date(2024, 5, 1)
    with pytest.raises(ValueError):
        add_working_days(date(2024, 5, 1), -3)
""",
    ),
    Program(
        name="free_slots",
        code='''def to_minutes(text):
    """Minutes after midnight of a time like "09:30"."""
    hours, minutes = text.split(":")
    if not (0 <= int(hours) <= 23 and 0 <= int(minutes) <= 59):
        raise ValueError("no such time: " + text)
    return int(hours) * 60 + int(minutes)


def to_text(minutes):
    """The time like "09:30" of minutes after midnight."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def free_slots(meetings, opening, closing, duration):
    """The free times between opening and closing, as pairs of texts.

    meetings are pairs (start, end) of texts in any order; they may overlap or
    lie partly outside. Only free times of at least duration minutes count.
    """
    busy = sorted((to_minutes(start), to_minutes(end)) for start, end in meetings)
    cursor = to_minutes(opening)
    last = to_minutes(closing)
    slots = []
    for start, end in busy + [(last, last)]:
        start = min(start, last)
        if start - cursor > duration:
            slots.append((to_text(cursor), to_text(start)))
        cursor = max(cursor, end)
    return slots


def first_fit(meetings, opening, closing, duration):
    """When a meeting of duration minutes can start first; None for never."""
    slots = free_slots(meetings, opening, closing, duration)
    return slots[0][0] if slots else None
''',
        wrong="        if start - cursor > duration:",
        right="        if start - cursor >= duration:",
        visible="""def test_times():
    assert to_minutes("09:30") == 570
    assert to_text(570) == "09:30"
    with pytest.raises(ValueError):
        to_minutes("24:00")


def test_no_meetings():
    assert free_slots([], "09:00", "17:00", 30) == [("09:00", "17:00")]


def test_around_meetings():
    meetings = [("13:00", "14:00"), ("10:00", "11:00")]
    assert free_slots(meetings, "09:00", "17:00", 30) == [
        ("09:00", "10:00"), ("11:00", "13:00"), ("14:00", "17:00")]


def test_short_gaps_are_left_out():
    meetings = [("09:15", "10:00"), ("10:20", "16:00")]
    assert free_slots(meetings, "09:00", "17:00", 30) == [("16:00", "17:00")]


def test_gap_of_just_the_duration():
    meetings = [("09:30", "12:00"), ("12:30", "17:00")]
    assert free_slots(meetings, "09:00", "17:00", 30) == [("09:00", "09:30"), ("12:00", "12:30")]


def test_overlapping_meetings():
    meetings = [("09:00", "12:00"), ("10:00", "11:00")]
    assert free_slots(meetings, "09:00", "14:00", 60) == [("12:00", "14:00")]


def test_first_fit():
    assert first_fit([("09:00", "10:00")], "09:00", "17:00", 60) == "10:00"
    assert first_fit([("09:00", "17:00")], "09:00", "17:00", 15) is None
""",
        hidden="""def test_exact_gap_at_each_place():
    assert free_slots([("10:00", "17:00")], "09:00", "17:00", 60) == [("09:00", "10:00")]
    assert free_slots([("09:00", "16:00")], "09:00", "17:00", 60) == [("16:00", "17:00")]
    assert free_slots([], "09:00", "10:00", 60) == [("09:00", "10:00")]


def test_one_minute_short_or_over():
    meetings = [("09:00", "10:00"), ("10:45", "17:00")]
    assert free_slots(meetings, "09:00", "17:00", 46) == []
    assert free_slots(meetings, "09:00", "17:00", 45) == [("10:00", "10:45")]
    assert free_slots(meetings, "09:00", "17:00", 44) == [("10:00", "10:45")]


def test_first_fit_exact():
    meetings = [("09:00", "10:00"), ("10:30", "12:00")]
    assert first_fit(meetings, "09:00", "17:00", 30) == "10:00"
    assert first_fit(meetings, "09:00", "17:00", 31) == "12:00"
    assert first_fit(meetings, "09:00", "12:00", 31) is None


def test_partly_outside():
    meetings = [("08:00", "09:30"), ("16:30", "18:00"), ("19:00", "20:00")]
    assert free_slots(meetings, "09:00", "17:00", 30) == [("09:30", "16:30")]


def test_nested_and_touching():
    meetings = [("10:00", "13:00"), ("11:00", "12:00"), ("13:00", "14:00")]
    assert free_slots(meetings, "09:00", "15:00", 10) == [("09:00", "10:00"), ("14:00", "15:00")]


def test_conversions():
    for minutes in range(0, 1440, 7):
        assert to_minutes(to_text(minutes)) == minutes
    with pytest.raises(ValueError):
        to_minutes("10:60")
""",
    ),
    Program(
        name="elapsed_time",
        code='''from datetime import datetime, timedelta


def describe(delta):
    """A timedelta as text like "2d 3h 0m 5s".

    Leading parts that are zero are left out ("3h 0m 5s"), but the seconds
    always stand there. Fractions of a second are dropped. A negative time
    raises ValueError.
    """
    if delta < timedelta(0):
        raise ValueError("negative time")
    rest = delta.seconds
    parts = []
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60), ("s", 1)):
        count, rest = divmod(rest, size)
        if count or parts or unit == "s":
            parts.append(f"{count}{unit}")
    return " ".join(parts)


def elapsed(start, end):
    """The text for the time from start to end, given in ISO format."""
    return describe(datetime.fromisoformat(end) - datetime.fromisoformat(start))


def total(pairs):
    """The text for the sum of the times of all (start, end) pairs."""
    whole = timedelta(0)
    for start, end in pairs:
        whole += datetime.fromisoformat(end) - datetime.fromisoformat(start)
    return describe(whole)
''',
        wrong="delta.seconds",
        right="int(delta.total_seconds())",
        visible="""def test_seconds():
    assert describe(timedelta(seconds=5)) == "5s"
    assert describe(timedelta(0)) == "0s"


def test_minutes_and_hours():
    assert describe(timedelta(minutes=2)) == "2m 0s"
    assert describe(timedelta(hours=3, seconds=5)) == "3h 0m 5s"


def test_days():
    assert describe(timedelta(days=2, hours=3, seconds=5)) == "2d 3h 0m 5s"


def test_fractions():
    assert describe(timedelta(seconds=1.9)) == "1s"


def test_negative():
    with pytest.raises(ValueError):
        describe(timedelta(seconds=-1))


def test_elapsed():
    assert elapsed("2024-01-01T10:00:00", "2024-01-01T11:30:00") == "1h 30m 0s"
    assert elapsed("2024-01-01T23:59:00", "2024-01-02T00:01:00") == "2m 0s"


def test_total():
    pairs = [("2024-01-01T08:00:00", "2024-01-01T12:00:00"),
             ("2024-01-02T08:00:00", "2024-01-02T09:15:00")]
    assert total(pairs) == "5h 15m 0s"
    assert total([]) == "0s"
""",
        hidden="""def test_one_day():
    assert describe(timedelta(days=1)) == "1d 0h 0m 0s"
    assert describe(timedelta(hours=24)) == "1d 0h 0m 0s"
    assert describe(timedelta(hours=23, minutes=59, seconds=59)) == "23h 59m 59s"


def test_many_days():
    assert describe(timedelta(days=400, seconds=61)) == "400d 0h 1m 1s"
    assert describe(timedelta(weeks=2)) == "14d 0h 0m 0s"


def test_fractions_are_dropped():
    assert describe(timedelta(milliseconds=999)) == "0s"
    assert describe(timedelta(days=1, microseconds=999999)) == "1d 0h 0m 0s"


def test_elapsed_over_days():
    assert elapsed("2024-02-28T00:00:00", "2024-03-01T06:00:00") == "2d 6h 0m 0s"
    assert elapsed("2024-01-01", "2025-01-01") == "366d 0h 0m 0s"


def test_total_over_a_day():
    pairs = [("2024-01-01T00:00:00", "2024-01-01T16:00:00")] * 3
    assert total(pairs) == "2d 0h 0m 0s"


def test_negative_times():
    with pytest.raises(ValueError):
        elapsed("2024-01-02T00:00:00", "2024-01-01T23:00:00")
    with pytest.raises(ValueError):
        describe(timedelta(days=-2))
""",
    ),
    Program(
        name="weekday_rules",
        code='''from datetime import date, timedelta


def on_or_after(day, weekday):
    """The first date with the given weekday (0 is Monday), not before day."""
    if not 0 <= weekday <= 6:
        raise ValueError("no such weekday")
    return day + timedelta(days=(day.weekday() - weekday) % 7)


def nth_weekday(year, month, weekday, n):
    """The n-th (1 to 5) given weekday of a month, or None if it has no n-th."""
    if not 1 <= n <= 5:
        raise ValueError("n must be 1 to 5")
    day = on_or_after(date(year, month, 1), weekday) + timedelta(weeks=n - 1)
    return day if day.month == month else None


def weekly(first, last, weekday):
    """All dates from first to last, both included, with the given weekday."""
    dates = []
    day = on_or_after(first, weekday)
    while day <= last:
        dates.append(day)
        day += timedelta(weeks=1)
    return dates
''',
        wrong="(day.weekday() - weekday) % 7",
        right="(weekday - day.weekday()) % 7",
        visible="""def test_day_itself():
    assert on_or_after(date(2024, 4, 1), 0) == date(2024, 4, 1)
    assert on_or_after(date(2024, 4, 7), 6) == date(2024, 4, 7)


def test_later_in_the_week():
    assert on_or_after(date(2024, 4, 1), 2) == date(2024, 4, 3)
    assert on_or_after(date(2024, 4, 3), 5) == date(2024, 4, 6)


def test_next_week():
    assert on_or_after(date(2024, 4, 5), 1) == date(2024, 4, 9)


def test_bad_arguments():
    with pytest.raises(ValueError):
        on_or_after(date(2024, 4, 1), 7)
    with pytest.raises(ValueError):
        nth_weekday(2024, 4, 0, 6)


def test_nth_weekday():
    assert nth_weekday(2024, 4, 0, 1) == date(2024, 4, 1)
    assert nth_weekday(2024, 11, 3, 4) == date(2024, 11, 28)
    assert nth_weekday(2024, 4, 6, 5) is None


def test_weekly():
    assert weekly(date(2024, 4, 1), date(2024, 4, 15), 0) == [
        date(2024, 4, 1), date(2024, 4, 8), date(2024, 4, 15)]
    assert weekly(date(2024, 4, 2), date(2024, 4, 3), 4) == []
""",
        hidden="""def test_all_pairs():
    for offset in range(14):
        day = date(2024, 2, 20) + timedelta(days=offset)
        for weekday in range(7):
            found = on_or_after(day, weekday)
            assert found.weekday() == weekday
            assert 0 <= (found - day).days <= 6


def test_over_month_and_year():
    assert on_or_after(date(2024, 12, 31), 2) == date(2025, 1, 1)
    assert on_or_after(date(2024, 2, 27), 4) == date(2024, 3, 1)


def test_nth_of_month():
    assert nth_weekday(2024, 9, 0, 1) == date(2024, 9, 2)
    assert nth_weekday(2024, 5, 6, 2) == date(2024, 5, 12)
    assert nth_weekday(2024, 5, 4, 5) == date(2024, 5, 31)
    assert nth_weekday(2024, 2, 4, 5) is None
    assert nth_weekday(2024, 2, 3, 5) == date(2024, 2, 29)


def test_weekly_dates():
    assert weekly(date(2024, 4, 2), date(2024, 4, 19), 4) == [
        date(2024, 4, 5), date(2024, 4, 12), date(2024, 4, 19)]
    assert weekly(date(2024, 4, 6), date(2024, 4, 14), 0) == [date(2024, 4, 8)]
    assert weekly(date(2024, 4, 6), date(2024, 4, 1), 0) == []


def test_errors():
    for weekday in (-1, 7):
        with pytest.raises(ValueError):
            on_or_after(date(2024, 1, 1), weekday)
    with pytest.raises(ValueError):
        nth_weekday(2024, 1, 0, 0)
""",
    ),
    Program(
        name="route_finder",
        code='''from collections import deque


def shortest_route(roads, start, goal):
    """A route from start to goal with the fewest stops, both ends included.

    roads is a dict from a place to the list of places it leads to (one way).
    None if there is no route; [start] if start is the goal.
    """
    came_from = {start: None}
    queue = deque([start])
    while queue:
        place = queue.popleft()
        if place == goal:
            route = []
            while place is not None:
                route.append(place)
                place = came_from[place]
            return route
        for neighbour in roads.get(place, []):
            if neighbour not in came_from:
                came_from[neighbour] = place
                queue.append(neighbour)
    return None


def distance(roads, start, goal):
    """The number of steps of the shortest route, or None."""
    route = shortest_route(roads, start, goal)
    return None if route is None else len(route) - 1


def via(roads, start, middle, goal):
    """The shortest route from start to goal that visits middle, or None."""
    first = shortest_route(roads, start, middle)
    second = shortest_route(roads, middle, goal)
    if first is None or second is None:
        return None
    return first + second[1:]
''',
        wrong="            return route",
        right="            return route[::-1]",
        visible="""ROADS = {"a": ["b", "c"], "b": ["d"], "c": ["d", "e"], "d": ["f"], "e": [], "f": ["a"]}


def test_start_is_goal():
    assert shortest_route(ROADS, "a", "a") == ["a"]
    assert shortest_route({}, "x", "x") == ["x"]


def test_one_step():
    assert shortest_route(ROADS, "a", "b") == ["a", "b"]


def test_several_steps():
    assert shortest_route(ROADS, "a", "e") == ["a", "c", "e"]
    assert shortest_route(ROADS, "b", "c") == ["b", "d", "f", "a", "c"]


def test_no_route():
    assert shortest_route(ROADS, "e", "a") is None
    assert shortest_route(ROADS, "a", "z") is None


def test_distance():
    assert distance(ROADS, "a", "f") == 3
    assert distance(ROADS, "a", "a") == 0
    assert distance(ROADS, "e", "a") is None


def test_via():
    assert via(ROADS, "a", "d", "f")[-2:] == ["d", "f"]
    assert via(ROADS, "a", "e", "f") is None
""",
        hidden="""def test_ends():
    roads = {1: [2], 2: [3], 3: [4]}
    assert shortest_route(roads, 1, 4) == [1, 2, 3, 4]
    assert shortest_route(roads, 2, 4) == [2, 3, 4]
    assert shortest_route(roads, 4, 1) is None


def test_steps_are_roads():
    roads = {n: [n * 2, n - 3] for n in range(1, 40)}
    for goal in range(2, 20):
        route = shortest_route(roads, 10, goal)
        if route is not None:
            assert route[0] == 10
            assert route[-1] == goal
            assert all(b in roads[a] for a, b in zip(route, route[1:]))


def test_shortest_is_taken():
    roads = {"s": ["x", "y"], "x": ["z"], "z": ["g"], "y": ["g"]}
    assert shortest_route(roads, "s", "g") == ["s", "y", "g"]
    assert distance(roads, "s", "g") == 2


def test_cycles():
    roads = {"a": ["a", "b"], "b": ["a", "c"], "c": ["b"]}
    assert shortest_route(roads, "c", "a") == ["c", "b", "a"]
    assert shortest_route(roads, "a", "d") is None


def test_via_middle():
    roads = {"a": ["b"], "b": ["c"], "c": ["d"], "d": ["a"]}
    assert via(roads, "a", "c", "b") == ["a", "b", "c", "d", "a", "b"]
    assert via(roads, "a", "a", "b") == ["a", "b"]
    assert via(roads, "a", "z", "b") is None
""",
    ),
    Program(
        name="task_order",
        code='''def all_tasks(needs):
    """The set of all tasks: the keys and everything they need.

    needs is a dict from a task to the tasks that must be done before it. A
    task that needs nothing does not have to be a key.
    """
    tasks = set(needs)
    for required in needs.values():
        tasks.update(required)
    return tasks


def ready(needs, done):
    """The tasks not yet done whose needs are all done, sorted by name."""
    return sorted(
        task for task in needs
        if task not in done and all(need in done for need in needs.get(task, ()))
    )


def batches(needs):
    """Lists of tasks to do one after the other, each as large as possible.

    The tasks of one list need only tasks of earlier lists. Raises ValueError
    if tasks need each other in a circle.
    """
    done = set()
    result = []
    while len(done) < len(all_tasks(needs)):
        batch = ready(needs, done)
        if not batch:
            raise ValueError("tasks need each other")
        result.append(batch)
        done.update(batch)
    return result


def order(needs):
    """All tasks in an order in which they can be done: batch after batch."""
    return [task for batch in batches(needs) for task in batch]
''',
        wrong="        task for task in needs",
        right="        task for task in all_tasks(needs)",
        visible="""def test_nothing():
    assert batches({}) == []
    assert order({}) == []


def test_all_tasks():
    assert all_tasks({"cook": ["shop"], "eat": ["cook"]}) == {"shop", "cook", "eat"}


def test_independent():
    assert batches({"b": [], "a": []}) == [["a", "b"]]


def test_chain():
    assert order({"c": ["b"], "b": ["a"], "a": []}) == ["a", "b", "c"]
    assert order({"eat": ["cook"], "cook": ["shop"]}) == ["shop", "cook", "eat"]


def test_diamond():
    needs = {"top": ["left", "right"], "left": ["base"], "right": ["base"], "base": []}
    assert batches(needs) == [["base"], ["left", "right"], ["top"]]


def test_ready():
    needs = {"a": [], "b": ["a"], "c": ["a", "b"]}
    assert ready(needs, set()) == ["a"]
    assert ready(needs, {"a"}) == ["b"]
    assert ready(needs, {"a", "b", "c"}) == []


def test_circle():
    with pytest.raises(ValueError):
        batches({"a": ["b"], "b": ["a"]})
""",
        hidden="""def test_leaves_that_are_no_keys():
    needs = {"app": ["db", "web"], "web": ["net"]}
    assert batches(needs) == [["db", "net"], ["web"], ["app"]]
    assert order(needs) == ["db", "net", "web", "app"]


def test_ready_lists_leaves():
    needs = {"x": ["z", "y"]}
    assert ready(needs, set()) == ["y", "z"]
    assert ready(needs, {"y"}) == ["z"]
    assert ready(needs, {"y", "z"}) == ["x"]


def test_order_respects_needs():
    needs = {n: [m for m in range(n + 1, 12) if m % (n + 1) == 0] for n in range(1, 8)}
    result = order(needs)
    assert sorted(result) == sorted(all_tasks(needs))
    for task, required in needs.items():
        assert all(result.index(need) < result.index(task) for need in required)


def test_with_keys_for_all():
    needs = {"d": ["b", "c"], "c": ["a"], "b": [], "a": []}
    assert batches(needs) == [["a", "b"], ["c"], ["d"]]


def test_circles():
    for needs in ({"a": ["a"]}, {"a": ["b"], "b": ["c"], "c": ["a"]}, {"x": ["leaf"], "p": ["q", "leaf"], "q": ["p"]}):
        with pytest.raises(ValueError):
            order(needs)
""",
    ),
    Program(
        name="island_map",
        code='''LAND = "#"
STEPS = ((1, 0), (-1, 0), (0, 1), (0, 1))


def neighbours(grid, row, column):
    """The cells above, below, left and right that lie on the grid."""
    cells = []
    for down, right in STEPS:
        r, c = row + down, column + right
        if 0 <= r < len(grid) and 0 <= c < len(grid[r]):
            cells.append((r, c))
    return cells


def island(grid, row, column):
    """The set of land cells joined to a cell by steps over land.

    It is empty if the cell itself is water. Diagonals do not join.
    """
    if grid[row][column] != LAND:
        return set()
    found = {(row, column)}
    waiting = [(row, column)]
    while waiting:
        for r, c in neighbours(grid, *waiting.pop()):
            if grid[r][c] == LAND and (r, c) not in found:
                found.add((r, c))
                waiting.append((r, c))
    return found


def island_sizes(grid):
    """The sizes of all islands, largest first. grid is a list of texts."""
    seen = set()
    sizes = []
    for row, line in enumerate(grid):
        for column, cell in enumerate(line):
            if cell == LAND and (row, column) not in seen:
                cells = island(grid, row, column)
                seen |= cells
                sizes.append(len(cells))
    return sorted(sizes, reverse=True)
''',
        wrong="(0, 1), (0, 1))",
        right="(0, 1), (0, -1))",
        visible="""def test_neighbours_inside():
    grid = ["...", "...", "..."]
    assert sorted(neighbours(grid, 1, 1)) == [(0, 1), (1, 0), (1, 2), (2, 1)]


def test_neighbours_at_corner():
    assert sorted(neighbours(["..", ".."], 0, 0)) == [(0, 1), (1, 0)]


def test_island_of_water():
    assert island([".#"], 0, 0) == set()


def test_island_row():
    assert island(["##.#"], 0, 0) == {(0, 0), (0, 1)}


def test_sizes():
    grid = ["##..",
            "#..#",
            "..##"]
    assert island_sizes(grid) == [3, 3]


def test_diagonals_do_not_join():
    assert island_sizes(["#.", ".#"]) == [1, 1]


def test_no_land():
    assert island_sizes([]) == []
    assert island_sizes(["...", "..."]) == []
""",
        hidden="""def test_same_island_from_each_cell():
    grid = [".###.",
            ".#.#.",
            ".###."]
    cells = {(r, c) for r in range(3) for c in range(5) if grid[r][c] == "#"}
    for r, c in cells:
        assert island(grid, r, c) == cells


def test_shapes_to_the_left():
    assert island_sizes(["..#", "###", "#.."]) == [5]
    assert island_sizes([".#", "##"]) == [3]
    assert island_sizes(["...#", "####"]) == [5]


def test_neighbours_at_edges():
    assert neighbours(["."], 0, 0) == []
    assert neighbours(["..."], 0, 2) == [(0, 1)]
    assert sorted(neighbours(["..."], 0, 1)) == [(0, 0), (0, 2)]
    assert sorted(neighbours([".", ".", "."], 1, 0)) == [(0, 0), (2, 0)]


def test_neighbours_are_distinct():
    grid = ["....", "....", "...."]
    for r in range(3):
        for c in range(4):
            cells = neighbours(grid, r, c)
            assert len(cells) == len(set(cells))
            assert len(cells) == 4 - (r in (0, 2)) - (c in (0, 3))


def test_sorted_sizes():
    grid = ["#.##.",
            "..#..",
            "#...#",
            "##..#"]
    assert island_sizes(grid) == [3, 3, 2, 1]


def test_spiral():
    grid = ["#####",
            "....#",
            "###.#",
            "#...#",
            "#####"]
    assert island_sizes(grid) == [17]
""",
    ),
    Program(
        name="cheapest_trip",
        code='''import heapq


def cheapest_costs(fares, start):
    """The least cost from start to every place that can be reached.

    fares is a dict {place: {next place: fare}} with fares that are not
    negative and hold in one direction only. start itself costs 0.
    """
    costs = {}
    heap = [(0, start)]
    while heap:
        cost, place = heapq.heappop(heap)
        if place in costs:
            continue
        costs[place] = cost
        for following, fare in fares.get(place, {}).items():
            if following not in costs:
                heapq.heappush(heap, (fare, following))
    return costs


def cost(fares, start, goal):
    """The least cost from start to goal, or None if it cannot be reached."""
    return cheapest_costs(fares, start).get(goal)


def within(fares, start, budget):
    """The other places that can be reached for at most budget, sorted."""
    costs = cheapest_costs(fares, start)
    return sorted(p for p, c in costs.items() if p != start and c <= budget)
''',
        wrong="(fare, following)",
        right="(cost + fare, following)",
        visible="""FARES = {"a": {"b": 4, "c": 1}, "b": {"d": 1}, "c": {"b": 2, "d": 6}, "d": {}}


def test_start():
    assert cost(FARES, "a", "a") == 0
    assert cheapest_costs({}, "x") == {"x": 0}


def test_direct():
    assert cost(FARES, "a", "c") == 1
    assert cost(FARES, "b", "d") == 1


def test_detour_is_cheaper():
    assert cost(FARES, "a", "b") == 3
    assert cost(FARES, "a", "d") == 4


def test_not_reachable():
    assert cost(FARES, "d", "a") is None
    assert "a" not in cheapest_costs(FARES, "b")


def test_all_costs():
    assert cheapest_costs(FARES, "a") == {"a": 0, "c": 1, "b": 3, "d": 4}


def test_within():
    assert within(FARES, "a", 3) == ["b", "c"]
    assert within(FARES, "a", 0) == []
""",
        hidden="""def test_chain_adds_up():
    fares = {n: {n + 1: n + 1} for n in range(10)}
    assert cheapest_costs(fares, 0) == {n: n * (n + 1) // 2 for n in range(11)}
    assert cost(fares, 5, 8) == 21


def test_direct_is_cheaper():
    fares = {"a": {"z": 5, "b": 3}, "b": {"z": 3}}
    assert cost(fares, "a", "z") == 5
    fares["b"]["z"] = 1
    assert cost(fares, "a", "z") == 4


def test_free_rides_and_circles():
    fares = {"a": {"b": 0, "a": 1}, "b": {"c": 2, "a": 0}, "c": {"a": 7}}
    assert cheapest_costs(fares, "a") == {"a": 0, "b": 0, "c": 2}
    assert cost(fares, "c", "b") == 7


def test_against_relaxation():
    places = range(7)
    fares = {p: {q: (p * 5 + q * 3) % 11 + 1 for q in places if (p + q) % 3} for p in places}
    best = {p: 10 ** 6 for p in places}
    best[0] = 0
    for _ in places:
        for p in places:
            for q, fare in fares[p].items():
                best[q] = min(best[q], best[p] + fare)
    expected = {p: c for p, c in best.items() if c < 10 ** 6}
    assert cheapest_costs(fares, 0) == expected


def test_within_budget():
    fares = {"a": {"b": 2}, "b": {"c": 2}, "c": {"d": 2}}
    assert within(fares, "a", 4) == ["b", "c"]
    assert within(fares, "a", 5) == ["b", "c"]
    assert within(fares, "a", 6) == ["b", "c", "d"]
    assert within(fares, "d", 100) == []
""",
    ),
    Program(
        name="friend_groups",
        code='''class Groups:
    """Members sorted into groups that can be united.

    Every member is alone at first. Unknown members raise KeyError.
    """

    def __init__(self, members):
        self._parent = {member: member for member in members}

    def leader(self, member):
        """The member that stands for the group of the given one."""
        while self._parent[member] != member:
            member = self._parent[member]
        return member

    def unite(self, a, b):
        """Unite the groups of a and b; whether they were two before."""
        leader_a = self.leader(a)
        leader_b = self.leader(b)
        if leader_a == leader_b:
            return False
        self._parent[b] = leader_a
        return True

    def together(self, a, b):
        """Whether a and b are in the same group."""
        return self.leader(a) == self.leader(b)

    def all_groups(self):
        """All groups as sorted lists, in the order of their first members."""
        groups = {}
        for member in self._parent:
            groups.setdefault(self.leader(member), []).append(member)
        return sorted(sorted(group) for group in groups.values())
''',
        wrong="        self._parent[b] = leader_a",
        right="        self._parent[leader_b] = leader_a",
        visible="""def test_alone_at_first():
    groups = Groups("abc")
    assert groups.all_groups() == [["a"], ["b"], ["c"]]
    assert not groups.together("a", "b")
    assert groups.together("a", "a")


def test_unite_two():
    groups = Groups("abc")
    assert groups.unite("a", "b") is True
    assert groups.together("b", "a")
    assert groups.all_groups() == [["a", "b"], ["c"]]


def test_unite_again():
    groups = Groups("ab")
    groups.unite("a", "b")
    assert groups.unite("b", "a") is False


def test_unite_groups():
    groups = Groups("abcde")
    groups.unite("a", "b")
    groups.unite("c", "d")
    groups.unite("b", "d")
    assert groups.together("a", "c")
    assert groups.all_groups() == [["a", "b", "c", "d"], ["e"]]


def test_unknown_member():
    with pytest.raises(KeyError):
        Groups("ab").unite("a", "x")


def test_nobody():
    assert Groups([]).all_groups() == []
""",
        hidden="""def test_unite_by_any_members():
    for x in "ab":
        for y in "cd":
            for first, second in ((x, y), (y, x)):
                groups = Groups("abcd")
                groups.unite("a", "b")
                groups.unite("c", "d")
                assert groups.unite(first, second)
                assert groups.all_groups() == [["a", "b", "c", "d"]]


def test_chain_in_each_direction():
    forward = Groups(range(8))
    backward = Groups(range(8))
    for n in range(7):
        assert forward.unite(n, n + 1)
        assert backward.unite(n + 1, n)
    assert forward.all_groups() == backward.all_groups() == [list(range(8))]


def test_number_of_unions():
    groups = Groups(range(10))
    united = sum(groups.unite(a, b) for a in range(10) for b in range(10) if (a + b) % 3 == 0)
    assert united == 10 - len(groups.all_groups())


def test_members_stay():
    groups = Groups([3, 1, 2])
    groups.unite(3, 1)
    assert groups.all_groups() == [[1, 3], [2]]
    groups.unite(2, 1)
    assert groups.all_groups() == [[1, 2, 3]]
    assert groups.unite(1, 1) is False


def test_leader_is_common():
    groups = Groups("wxyz")
    groups.unite("w", "x")
    groups.unite("y", "z")
    groups.unite("x", "z")
    assert len({groups.leader(member) for member in "wxyz"}) == 1
    with pytest.raises(KeyError):
        groups.leader("q")
""",
    ),
    Program(
        name="cash_account",
        code='''class LimitExceeded(Exception):
    """A withdrawal would exceed the balance or the daily limit."""


class Account:
    """A cash account with a limit on what is withdrawn in one day.

    Amounts are positive whole numbers, anything else raises ValueError. A
    call that raises an exception changes nothing.
    """

    def __init__(self, daily_limit, balance=0):
        self.daily_limit = daily_limit
        self.balance = balance
        self.withdrawn_today = 0

    @staticmethod
    def _check(amount):
        if not isinstance(amount, int) or amount < 1:
            raise ValueError("amount must be a positive whole number")

    def deposit(self, amount):
        """Add amount to the balance and return the new balance."""
        self._check(amount)
        self.balance += amount
        return self.balance

    def withdraw(self, amount):
        """Take amount from the balance and return the new balance.

        Raises LimitExceeded if the balance is too low, or if all withdrawals
        of the day together would exceed the daily limit.
        """
        self._check(amount)
        if amount > self.balance:
            raise LimitExceeded("balance too low")
        if self.withdrawn_today + amount > self.daily_limit:
            raise LimitExceeded("daily limit exceeded")
        self.withdrawn_today = amount
        self.balance -= amount
        return self.balance

    def new_day(self):
        """Begin a new day, with nothing withdrawn yet."""
        self.withdrawn_today = 0
''',
        wrong="        self.withdrawn_today = amount",
        right="        self.withdrawn_today += amount",
        visible="""def test_deposit():
    account = Account(100)
    assert account.deposit(30) == 30
    assert account.deposit(20) == 50


def test_withdraw():
    account = Account(100, balance=80)
    assert account.withdraw(30) == 50
    assert account.withdrawn_today == 30


def test_balance_too_low():
    account = Account(100, balance=10)
    with pytest.raises(LimitExceeded):
        account.withdraw(11)
    assert account.balance == 10


def test_daily_limit():
    account = Account(100, balance=500)
    account.withdraw(60)
    account.withdraw(20)
    with pytest.raises(LimitExceeded):
        account.withdraw(30)
    assert account.balance == 420
    assert account.withdraw(20) == 400


def test_new_day():
    account = Account(100, balance=500)
    account.withdraw(100)
    account.new_day()
    assert account.withdraw(100) == 300


def test_bad_amounts():
    account = Account(100)
    for amount in (0, -5, 1.5):
        with pytest.raises(ValueError):
            account.deposit(amount)
""",
        hidden="""def test_many_small_withdrawals():
    account = Account(50, balance=1000)
    for _ in range(5):
        account.withdraw(10)
    assert account.withdrawn_today == 50
    with pytest.raises(LimitExceeded):
        account.withdraw(1)
    assert account.balance == 950


def test_sum_of_the_day():
    account = Account(1000, balance=1000)
    account.withdraw(100)
    account.withdraw(250)
    account.withdraw(5)
    assert account.withdrawn_today == 355
    account.new_day()
    assert account.withdrawn_today == 0
    account.withdraw(7)
    assert account.withdrawn_today == 7


def test_failed_calls_change_nothing():
    account = Account(100, balance=200)
    account.withdraw(40)
    for amount in (61, 161, 0, -1, 2.5):
        with pytest.raises((LimitExceeded, ValueError)):
            account.withdraw(amount)
    assert (account.balance, account.withdrawn_today) == (160, 40)
    assert account.withdraw(60) == 100


def test_deposits_do_not_count():
    account = Account(100, balance=100)
    account.withdraw(70)
    account.deposit(500)
    assert account.withdrawn_today == 70
    with pytest.raises(LimitExceeded):
        account.withdraw(31)


def test_limit_itself():
    account = Account(100, balance=100)
    assert account.withdraw(100) == 0
    with pytest.raises(LimitExceeded):
        account.withdraw(1)
""",
    ),
    Program(
        name="text_history",
        code='''class Editor:
    """A text that can be changed, with undo and redo.

    A change after an undo discards what could be redone.
    """

    def __init__(self, text=""):
        self.text = text
        self._undo = []
        self._redo = []

    def _change(self, text):
        self._undo.append(self.text)
        self._redo.clear()
        self.text = text

    def write(self, addition):
        """Append addition to the text."""
        self._change(self.text + addition)

    def erase(self, count):
        """Remove the last count characters (all if there are fewer)."""
        if count < 1:
            raise ValueError("count must be positive")
        self._change(self.text[:-count])

    def undo(self):
        """Take back the last change that holds; whether there was one."""
        if not self._undo:
            return False
        self._redo.append(self.text)
        self.text = self._undo.pop()
        return True

    def redo(self):
        """Make the change again that was undone last; whether there was one."""
        if not self._redo:
            return False
        self._redo.append(self.text)
        self.text = self._redo.pop()
        return True
''',
        wrong="        self._redo.append(self.text)\n        self.text = self._redo.pop()",
        right="        self._undo.append(self.text)\n        self.text = self._redo.pop()",
        visible="""def test_write_and_erase():
    editor = Editor("ab")
    editor.write("cd")
    assert editor.text == "abcd"
    editor.erase(3)
    assert editor.text == "a"


def test_erase_more_than_there_is():
    editor = Editor("ab")
    editor.erase(5)
    assert editor.text == ""
    with pytest.raises(ValueError):
        editor.erase(0)


def test_undo():
    editor = Editor()
    editor.write("a")
    editor.write("b")
    assert editor.undo() is True
    assert editor.text == "a"
    assert editor.undo() is True
    assert editor.text == ""
    assert editor.undo() is False


def test_redo():
    editor = Editor()
    editor.write("one")
    editor.write(" two")
    editor.undo()
    assert editor.redo() is True
    assert editor.text == "one two"
    assert editor.redo() is False


def test_nothing_to_redo():
    editor = Editor("x")
    assert editor.redo() is False
    assert editor.text == "x"


def test_change_discards_redo():
    editor = Editor()
    editor.write("a")
    editor.undo()
    editor.write("b")
    assert editor.redo() is False
    assert editor.text == "b"
""",
        hidden="""def test_redo_several():
    editor = Editor()
    for letter in "abc":
        editor.write(letter)
    for _ in range(3):
        assert editor.undo()
    for expected in ("a", "ab", "abc"):
        assert editor.redo() is True
        assert editor.text == expected
    assert editor.redo() is False
    assert editor.text == "abc"


def test_undo_after_redo():
    editor = Editor("x")
    editor.write("y")
    editor.undo()
    editor.redo()
    assert editor.undo() is True
    assert editor.text == "x"
    assert editor.redo() is True
    assert editor.text == "xy"


def test_redo_an_erase():
    editor = Editor("hello")
    editor.erase(2)
    editor.undo()
    assert editor.text == "hello"
    editor.redo()
    assert editor.text == "hel"


def test_change_after_partial_redo():
    editor = Editor()
    for letter in "abc":
        editor.write(letter)
    editor.undo()
    editor.undo()
    editor.redo()
    editor.write("!")
    assert editor.text == "ab!"
    assert editor.redo() is False
    for expected in ("ab", "a", ""):
        assert editor.undo() is True
        assert editor.text == expected
    assert editor.undo() is False


def test_empty():
    editor = Editor("start")
    assert editor.undo() is False
    assert editor.redo() is False
    assert editor.text == "start"
""",
    ),
    Program(
        name="stock_room",
        code='''class StockRoom:
    """What is in stock, by article, and orders taken from it.

    An order is a dict {article: quantity} with positive quantities.
    """

    def __init__(self):
        self._stock = {}
        self.shipped = []

    def receive(self, article, quantity):
        """Add to the stock of an article; quantity must be positive."""
        if quantity < 1:
            raise ValueError("quantity must be positive")
        self._stock[article] = self._stock.get(article, 0) + quantity

    def quantity(self, article):
        """How much of an article is in stock, 0 if it is unknown."""
        return self._stock.get(article, 0)

    def can_ship(self, order):
        """Whether there is enough in stock of every article of an order."""
        for article, quantity in order.items():
            if self.quantity(article) < quantity:
                return False
            return True

    def ship(self, order):
        """Take an order from the stock and note it in shipped.

        Returns whether that was possible; if not, nothing changes.
        """
        if not self.can_ship(order):
            return False
        for article, quantity in order.items():
            self._stock[article] -= quantity
        self.shipped.append(dict(order))
        return True

    def sold_out(self):
        """The articles received before of which nothing is left, sorted."""
        return sorted(a for a, quantity in self._stock.items() if quantity == 0)
''',
        wrong="                return False\n            return True\n",
        right="                return False\n        return True\n",
        visible="""def test_receive():
    room = StockRoom()
    room.receive("nut", 5)
    room.receive("nut", 2)
    assert room.quantity("nut") == 7
    assert room.quantity("bolt") == 0
    with pytest.raises(ValueError):
        room.receive("nut", 0)


def test_ship_one_article():
    room = StockRoom()
    room.receive("nut", 5)
    assert room.ship({"nut": 3}) is True
    assert room.quantity("nut") == 2
    assert room.shipped == [{"nut": 3}]


def test_ship_too_much():
    room = StockRoom()
    room.receive("nut", 5)
    assert room.ship({"nut": 6}) is False
    assert room.quantity("nut") == 5
    assert room.shipped == []


def test_can_ship_several_articles():
    room = StockRoom()
    room.receive("nut", 5)
    room.receive("bolt", 1)
    assert room.can_ship({"nut": 5, "bolt": 1})
    assert not room.can_ship({"nut": 5, "bolt": 2})
    assert not room.can_ship({"nut": 6, "bolt": 1})


def test_failed_order_changes_nothing():
    room = StockRoom()
    room.receive("nut", 5)
    assert room.ship({"nut": 2, "gear": 1}) is False
    assert room.quantity("nut") == 5


def test_sold_out():
    room = StockRoom()
    room.receive("nut", 1)
    room.receive("bolt", 2)
    room.ship({"nut": 1})
    assert room.sold_out() == ["nut"]
""",
        hidden="""def test_each_article_is_checked():
    room = StockRoom()
    for article in "abc":
        room.receive(article, 2)
    for short in "abc":
        order = {article: 2 for article in "abc"}
        order[short] = 3
        assert not room.can_ship(order)
        assert room.ship(order) is False
    assert room.can_ship({"a": 2, "b": 2, "c": 2})


def test_nothing_changes_on_failure():
    room = StockRoom()
    room.receive("a", 3)
    room.receive("b", 1)
    assert room.ship({"a": 3, "b": 2}) is False
    assert (room.quantity("a"), room.quantity("b")) == (3, 1)
    assert room.shipped == []
    assert room.sold_out() == []


def test_empty_order():
    room = StockRoom()
    assert room.can_ship({})
    assert room.ship({}) is True
    assert room.shipped == [{}]


def test_ship_all():
    room = StockRoom()
    room.receive("b", 1)
    room.receive("a", 2)
    assert room.ship({"a": 2, "b": 1}) is True
    assert room.sold_out() == ["a", "b"]
    assert room.ship({"a": 1}) is False
    room.receive("a", 1)
    assert room.sold_out() == ["b"]


def test_shipped_is_a_copy():
    room = StockRoom()
    room.receive("a", 5)
    order = {"a": 1}
    room.ship(order)
    order["a"] = 4
    assert room.shipped == [{"a": 1}]
""",
    ),
    Program(
        name="song_queue",
        code='''class SongQueue:
    """A list of songs with a current position.

    An empty queue has no current song. An unknown position raises IndexError.
    """

    def __init__(self, songs=()):
        self.songs = list(songs)
        self.position = 0

    def current(self):
        """The current song, or None if the queue is empty."""
        return self.songs[self.position] if self.songs else None

    def skip(self):
        """Go on to the next song, after the last to the first; return it."""
        if self.songs:
            self.position = (self.position + 1) % len(self.songs)
        return self.current()

    def insert(self, position, song):
        """Put a song at a position from 0 to the number of songs.

        The current song stays the same.
        """
        if not 0 <= position <= len(self.songs):
            raise IndexError("no such position")
        if self.songs and position <= self.position:
            self.position += 1
        self.songs.insert(position, song)

    def remove(self, position):
        """Remove and return the song at a position.

        The current song stays the same; if it is the one removed, the next
        one becomes current, after the last the first.
        """
        if not 0 <= position < len(self.songs):
            raise IndexError("no such position")
        song = self.songs.pop(position)
        if position <= self.position:
            self.position -= 1
        if self.position == len(self.songs):
            self.position = 0
        return song
''',
        wrong="        if position <= self.position:\n            self.position -= 1",
        right="        if position < self.position:\n            self.position -= 1",
        visible="""def test_empty():
    queue = SongQueue()
    assert queue.current() is None
    assert queue.skip() is None


def test_skip():
    queue = SongQueue(["a", "b"])
    assert queue.current() == "a"
    assert queue.skip() == "b"
    assert queue.skip() == "a"


def test_insert_keeps_current():
    queue = SongQueue(["a", "b"])
    queue.skip()
    queue.insert(0, "x")
    assert queue.current() == "b"
    queue.insert(3, "y")
    assert queue.songs == ["x", "a", "b", "y"]
    assert queue.current() == "b"


def test_remove_other_song():
    queue = SongQueue(["a", "b", "c"])
    queue.skip()
    assert queue.remove(0) == "a"
    assert queue.current() == "b"
    assert queue.remove(1) == "c"
    assert queue.current() == "b"


def test_remove_current_song():
    queue = SongQueue(["a", "b", "c"])
    queue.skip()
    queue.remove(1)
    assert queue.current() == "c"


def test_remove_last_song_of_queue():
    queue = SongQueue(["a"])
    assert queue.remove(0) == "a"
    assert queue.current() is None


def test_bad_positions():
    queue = SongQueue(["a"])
    with pytest.raises(IndexError):
        queue.remove(1)
    with pytest.raises(IndexError):
        queue.insert(2, "b")
""",
        hidden="""def test_remove_current_at_each_position():
    songs = ["a", "b", "c", "d"]
    for position in range(4):
        queue = SongQueue(songs)
        for _ in range(position):
            queue.skip()
        assert queue.remove(position) == songs[position]
        assert queue.current() == songs[(position + 1) % 4]


def test_remove_others_at_each_position():
    songs = ["a", "b", "c", "d"]
    for position in range(4):
        for removed in range(4):
            if removed != position:
                queue = SongQueue(songs)
                for _ in range(position):
                    queue.skip()
                queue.remove(removed)
                assert queue.current() == songs[position]


def test_remove_first_while_current():
    queue = SongQueue(["a", "b", "c"])
    queue.remove(0)
    assert queue.current() == "b"
    assert queue.skip() == "c"
    assert queue.skip() == "b"


def test_insert_at_each_position():
    for position in range(4):
        queue = SongQueue(["a", "b", "c"])
        queue.skip()
        queue.insert(position, "x")
        assert queue.current() == "b"
        assert queue.songs[position] == "x"


def test_insert_into_empty():
    queue = SongQueue()
    queue.insert(0, "a")
    assert queue.current() == "a"
    queue.remove(0)
    queue.insert(0, "b")
    assert queue.current() == "b"


def test_errors_and_own_list():
    songs = ["a", "b"]
    queue = SongQueue(songs)
    for position in (-1, 2):
        with pytest.raises(IndexError):
            queue.remove(position)
    with pytest.raises(IndexError):
        queue.insert(-1, "x")
    queue.remove(0)
    assert songs == ["a", "b"]
""",
    ),
    Program(
        name="task_board",
        code='''class Board:
    """Cards in named columns, in the order in which they were put there.

    An unknown column or card raises KeyError.
    """

    def __init__(self, names):
        self._columns = dict.fromkeys(names, [])

    def add(self, name, card):
        """Put a new card at the end of a column.

        A card that is already on the board raises ValueError.
        """
        column = self._columns[name]
        if any(card in cards for cards in self._columns.values()):
            raise ValueError("card is already on the board")
        column.append(card)

    def where(self, card):
        """The name of the column in which a card is."""
        for name, cards in self._columns.items():
            if card in cards:
                return name
        raise KeyError(card)

    def move(self, card, name):
        """Take a card from its column and put it at the end of another."""
        target = self._columns[name]
        self._columns[self.where(card)].remove(card)
        target.append(card)

    def cards(self, name):
        """A list of the cards in a column."""
        return list(self._columns[name])

    def counts(self):
        """The number of cards in each column, as a dict."""
        return {name: len(cards) for name, cards in self._columns.items()}
''',
        wrong="dict.fromkeys(names, [])",
        right="{name: [] for name in names}",
        visible="""def test_new_board():
    board = Board(["todo", "done"])
    assert board.cards("todo") == []
    assert board.counts() == {"todo": 0, "done": 0}


def test_add():
    board = Board(["todo", "done"])
    board.add("todo", "write")
    board.add("todo", "test")
    assert board.cards("todo") == ["write", "test"]
    assert board.where("write") == "todo"


def test_counts():
    board = Board(["todo", "done"])
    board.add("todo", "write")
    assert board.counts() == {"todo": 1, "done": 0}


def test_add_twice():
    board = Board(["todo", "done"])
    board.add("todo", "write")
    with pytest.raises(ValueError):
        board.add("done", "write")


def test_move():
    board = Board(["todo", "done"])
    board.add("todo", "write")
    board.add("todo", "test")
    board.move("write", "done")
    assert board.where("write") == "done"
    assert board.cards("todo") == ["test"]


def test_unknown():
    board = Board(["todo"])
    with pytest.raises(KeyError):
        board.add("later", "x")
    with pytest.raises(KeyError):
        board.where("x")
""",
        hidden="""def test_columns_are_apart():
    board = Board("abc")
    board.add("b", 1)
    board.add("c", 2)
    board.add("b", 3)
    assert board.cards("a") == []
    assert board.cards("b") == [1, 3]
    assert board.cards("c") == [2]
    assert [board.where(n) for n in (1, 2, 3)] == ["b", "c", "b"]


def test_move_around():
    board = Board(["x", "y", "z"])
    board.add("x", "card")
    for name in ("y", "z", "x"):
        board.move("card", name)
        assert board.where("card") == name
        assert board.counts() == {n: int(n == name) for n in "xyz"}


def test_move_to_same_column():
    board = Board(["x", "y"])
    board.add("x", 1)
    board.add("x", 2)
    board.move(1, "x")
    assert board.cards("x") == [2, 1]
    assert board.cards("y") == []


def test_failed_moves():
    board = Board(["x"])
    board.add("x", 1)
    with pytest.raises(KeyError):
        board.move(1, "nowhere")
    with pytest.raises(KeyError):
        board.move(2, "x")
    assert board.cards("x") == [1]


def test_boards_are_apart():
    names = ["x", "y"]
    first, second = Board(names), Board(names)
    first.add("x", 1)
    assert second.counts() == {"x": 0, "y": 0}
    first.cards("x").append(2)
    assert first.cards("x") == [1]
    with pytest.raises(ValueError):
        first.add("x", 1)
""",
    ),
    Program(
        name="password_rules",
        code='''SPECIAL = "!?#$%&*+-_"


def problems(password, user=""):
    """What is wrong with a password: a list of names of broken rules.

    In this order: "length" (fewer than 8 characters), "lower", "upper",
    "digit" and "special" (no such character in it; see SPECIAL), "space"
    (white space anywhere), "user" (the user's name is part of it, whatever
    the case; not checked for an empty name).
    """
    found = []
    if len(password) < 8:
        found.append("length")
    if not any(c.islower() for c in password):
        found.append("lower")
    if not any(c.isupper() for c in password):
        found.append("upper")
    if not any(c.isdigit() for c in password):
        found.append("digit")
    if not any(c in SPECIAL for c in password):
        found.append("special")
    if all(c.isspace() for c in password):
        found.append("space")
    if user and user.lower() in password.lower():
        found.append("user")
    return found


def is_acceptable(password, user=""):
    """Whether no rule is broken."""
    return not problems(password, user)


def score(password):
    """From 0 to 5: how many of the first five rules the password keeps."""
    return 5 - len([name for name in problems(password) if name != "space"])
''',
        wrong="    if all(c.isspace() for c in password):",
        right="    if any(c.isspace() for c in password):",
        visible=r"""def test_good_password():
    assert problems("Secret-123") == []
    assert is_acceptable("Secret-123", "ann")


def test_length():
    assert problems("Ab-1xyz") == ["length"]
    assert problems("Ab-1xyzw") == []


def test_missing_characters():
    assert problems("SECRET-123") == ["lower"]
    assert problems("secret-123") == ["upper"]
    assert problems("Secret-xyz") == ["digit"]
    assert problems("Secret123") == ["special"]


def test_several_problems():
    assert problems("abc") == ["length", "upper", "digit", "special"]


def test_space():
    assert problems("Secret -123") == ["space"]
    assert not is_acceptable("Secret\t-123")


def test_user():
    assert problems("Ann-loves-1", "ann") == ["user"]
    assert problems("Ann-loves-1", "bob") == []


def test_score():
    assert score("Secret-123") == 5
    assert score("abc") == 1
""",
        hidden=r"""def test_space_anywhere():
    for password in (" Secret-123", "Secret-123 ", "Sec ret-123", "Secret-\n123", "S e c r e t-1"):
        assert problems(password) == ["space"]
        assert not is_acceptable(password)


def test_empty():
    assert problems("") == ["length", "lower", "upper", "digit", "special"]
    assert score("") == 0


def test_only_spaces():
    assert problems("        ") == ["lower", "upper", "digit", "special", "space"]


def test_order_of_problems():
    assert problems("bob 1", "BOB") == ["length", "upper", "special", "space", "user"]


def test_space_does_not_lower_score():
    assert score("Secret -123") == 5
    assert score("secret 123") == 3


def test_special_characters():
    for c in SPECIAL:
        assert is_acceptable("Passw0rd" + c)
    assert problems("Passw0rd=") == ["special"]


def test_user_rule():
    assert problems("xxBoB-1xx", "bOb") == ["user"]
    assert is_acceptable("Secret-123", "")
""",
    ),
    Program(
        name="config_lines",
        code='''class ConfigError(Exception):
    """A line of a configuration cannot be understood."""


def parse_config(text):
    """Read lines like "name = value" into sections, a dict of dicts.

    A line "[name]" begins a section; lines before the first one belong to the
    section "". Names and values are stripped. The value is everything behind
    the first "=" and may be empty. Blank lines and lines that begin with "#"
    do not count. A line without "=", without a name, or a name given twice in
    its section raises ConfigError. A section that is named again goes on.
    """
    sections = {"": {}}
    current = sections[""]
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            current = sections.setdefault(line[1:-1].strip(), {})
            continue
        name, *rest = line.split("=")
        name = name.strip()
        if not rest or not name:
            raise ConfigError(f"line {number}: not understood")
        if name in current:
            raise ConfigError(f"line {number}: {name} given twice")
        current[name] = rest[0].strip()
    return sections


def get_flag(sections, section, name, default=False):
    """Whether an entry is on; default if it is missing.

    "yes", "true", "on" and "1" mean on, whatever the case; all else is off.
    """
    value = sections.get(section, {}).get(name)
    if value is None:
        return default
    return value.lower() in ("yes", "true", "on", "1")
''',
        wrong='line.split("=")',
        right='line.split("=", 1)',
        visible=r"""def test_empty():
    assert parse_config("") == {"": {}}
    assert parse_config("# nothing\n\n") == {"": {}}


def test_entries():
    assert parse_config("a = 1\nb=two words") == {"": {"a": "1", "b": "two words"}}
    assert parse_config("empty =") == {"": {"empty": ""}}


def test_sections():
    text = "x = 0\n[db]\nhost = local\n[web]\nport = 80\n[db]\nuser = me\n"
    assert parse_config(text) == {
        "": {"x": "0"}, "db": {"host": "local", "user": "me"}, "web": {"port": "80"}}


def test_value_with_equals_sign():
    assert parse_config("url = http://x/?a=1&b=2") == {"": {"url": "http://x/?a=1&b=2"}}


def test_errors():
    for text in ("no value here", "= 5", "a = 1\na = 2"):
        with pytest.raises(ConfigError):
            parse_config(text)


def test_same_name_in_two_sections():
    assert parse_config("[a]\nx=1\n[b]\nx=2") == {"": {}, "a": {"x": "1"}, "b": {"x": "2"}}


def test_get_flag():
    sections = parse_config("[log]\ndebug = Yes\ncolour = off")
    assert get_flag(sections, "log", "debug") is True
    assert get_flag(sections, "log", "colour", True) is False
    assert get_flag(sections, "log", "other", True) is True
    assert get_flag(sections, "none", "other") is False
""",
        hidden=r"""def test_equals_signs():
    text = "a = b = c\nb==\nc = x==y==\nd ==1"
    assert parse_config(text) == {"": {"a": "b = c", "b": "=", "c": "x==y==", "d": "=1"}}


def test_equals_sign_in_section():
    assert parse_config("[s]\nquery = q=1; r=2 ") == {"": {}, "s": {"query": "q=1; r=2"}}


def test_comments():
    assert parse_config("  # a = 1\nb = 2 # kept") == {"": {"b": "2 # kept"}}


def test_sections_empty_and_spaced():
    assert parse_config("[ a ]\n[b]") == {"": {}, "a": {}, "b": {}}


def test_bad_lines():
    for text in ("[open", " = ", "=", "[s]\nx = 1\nx = 1", "[s]\na=1\n[t]\n[s]\na=2"):
        with pytest.raises(ConfigError):
            parse_config(text)


def test_flags():
    sections = {"s": {n: n for n in ("yes", "TRUE", "On", "1", "no", "0", "", "2")}}
    on = [n for n in sections["s"] if get_flag(sections, "s", n)]
    assert on == ["yes", "TRUE", "On", "1"]
""",
    ),
    Program(
        name="record_check",
        code='''def check(record, fields):
    """Check a record (a dict) and return a dict {field: what is wrong}.

    fields is a dict {field: (kind, required)} where kind is a type. A required
    field that is missing or None is "missing"; one that is not required may
    be so. A value that is not of its kind is "not a <kind>", for example
    "not a str". True and False are of kind bool only, and an int is good
    where a float is expected. A field that is not in fields is "unknown".
    """
    wrong = {}
    for name, (kind, required) in fields.items():
        value = record.get(name)
        if value is None:
            if required:
                wrong[name] = "missing"
        elif not matches(value, kind):
            wrong[name] = f"not a {kind.__name__}"
    for name in record:
        if name not in fields:
            wrong[name] = "unknown"
    return wrong


def matches(value, kind):
    """Whether a value is of a kind, in the sense of check."""
    if isinstance(value, bool):
        return kind in (bool, int)
    if kind is float:
        return isinstance(value, (int, float))
    return isinstance(value, kind)


def valid_records(records, fields):
    """The records with which nothing is wrong, in their order."""
    return [record for record in records if not check(record, fields)]
''',
        wrong="        return kind in (bool, int)",
        right="        return kind is bool",
        visible="""FIELDS = {"name": (str, True), "age": (int, True), "height": (float, False), "member": (bool, False)}


def test_good_record():
    assert check({"name": "Ann", "age": 30}, FIELDS) == {}
    assert check({"name": "Ann", "age": 30, "height": 1.7, "member": True}, FIELDS) == {}


def test_missing():
    assert check({"name": "Ann"}, FIELDS) == {"age": "missing"}
    assert check({"name": None, "age": 1, "height": None}, FIELDS) == {"name": "missing"}


def test_wrong_kind():
    assert check({"name": 5, "age": "old"}, FIELDS) == {"name": "not a str", "age": "not a int"}
    assert check({"name": "", "age": 0, "member": 1}, FIELDS) == {"member": "not a bool"}


def test_bool_is_no_number():
    assert check({"name": "Ann", "age": True}, FIELDS) == {"age": "not a int"}
    assert check({"name": "Ann", "age": 1, "height": False}, FIELDS) == {"height": "not a float"}


def test_int_for_float():
    assert matches(2, float)
    assert not matches(2.0, int)


def test_unknown():
    assert check({"name": "Ann", "age": 3, "pet": "cat"}, FIELDS) == {"pet": "unknown"}


def test_valid_records():
    good = {"name": "Bo", "age": 4}
    assert valid_records([{"name": "Al"}, good, {}], FIELDS) == [good]
""",
        hidden="""def test_bools():
    for value in (True, False):
        assert matches(value, bool)
        assert not matches(value, int)
        assert not matches(value, float)
        assert not matches(value, str)


def test_bools_in_records():
    fields = {"count": (int, False), "flag": (bool, True)}
    assert check({"count": False, "flag": False}, fields) == {"count": "not a int"}
    assert check({"count": 0, "flag": 0}, fields) == {"flag": "not a bool"}
    assert check({"flag": True}, fields) == {}


def test_other_kinds():
    assert matches([], list)
    assert not matches((), list)
    assert matches("", str)
    assert not matches("1", int)
    assert matches(-3, int)
    assert matches(1.5, float)
    assert not matches("1.5", float)


def test_missing_and_unknown_together():
    assert check({"b": 1}, {"a": (int, True)}) == {"a": "missing", "b": "unknown"}
    assert check({}, {"a": (int, False)}) == {}
    assert check({"b": None}, {}) == {"b": "unknown"}


def test_filter():
    fields = {"n": (int, True)}
    records = [{"n": 1}, {"n": True}, {"n": None}, {"n": 0}, {"n": 2, "m": 1}]
    assert valid_records(records, fields) == [{"n": 1}, {"n": 0}]
""",
    ),
    Program(
        name="version_rules",
        code='''OPERATORS = {
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
}


def parse_version(text):
    """A key for a version like "1.4.2" that can be compared with others.

    The parts are compared as numbers, from left to right. Trailing zeros do
    not count: 1.2 and 1.2.0 are the same. What is no version raises ValueError.
    """
    parts = text.strip().split(".")
    if not all(part.isdecimal() for part in parts):
        raise ValueError("not a version: " + text)
    while parts and int(parts[-1]) == 0:
        parts.pop()
    return tuple(parts)


def satisfies(version, rules):
    """Whether a version meets all rules of a text like ">=1.2, <2, !=1.5".

    No rules at all are always met. A rule without operator raises ValueError.
    """
    key = parse_version(version)
    for rule in filter(None, (rule.strip() for rule in rules.split(","))):
        for operator, holds in OPERATORS.items():
            if rule.startswith(operator):
                if not holds(key, parse_version(rule[len(operator):])):
                    return False
                break
        else:
            raise ValueError("no operator: " + rule)
    return True


def newest(versions, rules=""):
    """The newest of the versions that satisfy the rules, None if none does."""
    fitting = [version for version in versions if satisfies(version, rules)]
    return max(fitting, key=parse_version, default=None)
''',
        wrong="    return tuple(parts)",
        right="    return tuple(int(part) for part in parts)",
        visible="""def test_compare():
    assert parse_version("1.2") < parse_version("1.3")
    assert parse_version("1.2") < parse_version("1.2.1")
    assert parse_version("2") > parse_version("1.9.9")


def test_compare_as_numbers():
    assert parse_version("1.10") > parse_version("1.9")
    assert parse_version("10.0") > parse_version("9.5")


def test_trailing_zeros():
    assert parse_version("1.2.0") == parse_version("1.2")
    assert parse_version("0.0") == parse_version("0")


def test_no_version():
    for text in ("", "1.", "1.x", "v1", "-1"):
        with pytest.raises(ValueError):
            parse_version(text)


def test_satisfies():
    assert satisfies("1.4", ">=1.2, <2")
    assert not satisfies("2.0", ">=1.2, <2")
    assert not satisfies("1.5", ">=1.2, !=1.5")
    assert satisfies("3", "")


def test_rule_without_operator():
    with pytest.raises(ValueError):
        satisfies("1.0", "1.0")


def test_newest():
    assert newest(["1.1", "1.4", "2.0"], "<2") == "1.4"
    assert newest(["0.9", "0.10", "0.2"]) == "0.10"
    assert newest(["1.0"], ">1") is None
""",
        hidden="""def test_many_digits():
    for small, large in (("2", "10"), ("1.9.9", "1.9.10"), ("99.1", "100"), ("1.2.9", "1.10"), ("0.9", "0.11")):
        assert parse_version(small) < parse_version(large)
        assert satisfies(large, ">" + small)
        assert satisfies(small, "<" + large)
        assert not satisfies(small, ">=" + large)


def test_leading_zeros():
    assert parse_version("1.02") == parse_version("1.2")
    assert satisfies("1.05", "==1.5")


def test_sorting():
    versions = ["1.10", "1.9", "1.2.3", "11.0", "2"]
    assert sorted(versions, key=parse_version) == ["1.2.3", "1.9", "1.10", "2", "11.0"]


def test_each_operator():
    assert satisfies("1.10", ">=1.10.0")
    assert satisfies("1.10", "<=1.10")
    assert satisfies("1.10", "==1.10")
    assert not satisfies("1.10", "!=1.10")
    assert satisfies("1.10", ">1.2, <1.20, !=1.1")


def test_newest_of_many():
    versions = [f"3.{n}" for n in range(1, 25)]
    assert newest(versions) == "3.24"
    assert newest(versions, "<3.12") == "3.11"
    assert newest([]) is None


def test_errors():
    for rules in ("=1", "~1.0", ">=a"):
        with pytest.raises(ValueError):
            satisfies("1.0", rules)
""",
    ),
    Program(
        name="typed_settings",
        code='''class SettingError(Exception):
    """A setting is missing or has a value that cannot be used."""


class Settings:
    """Typed access to settings that are given as a dict of texts."""

    def __init__(self, values):
        self._values = dict(values)

    def text(self, name, default=None):
        """The text of a setting, or else default.

        If there is neither, SettingError is raised.
        """
        value = self._values.get(name, default)
        if value is None:
            raise SettingError(f"{name} is missing")
        return value

    def number(self, name, default=None, minimum=None, maximum=None):
        """A setting as whole number, or else default, as text() does it.

        What is no whole number, or lies outside the bounds (which are still
        allowed themselves), raises SettingError.
        """
        value = self.text(name, default)
        try:
            number = int(value)
        except TypeError as error:
            raise SettingError(f"{name} is no number: {value}") from error
        if minimum is not None and number < minimum:
            raise SettingError(f"{name} is less than {minimum}")
        if maximum is not None and number > maximum:
            raise SettingError(f"{name} is more than {maximum}")
        return number

    def choice(self, name, allowed, default=None):
        """A setting that must be one of the allowed texts, or else default."""
        value = self.text(name, default)
        if value not in allowed:
            raise SettingError(f"{name} must be one of {', '.join(allowed)}")
        return value
''',
        wrong="        except TypeError as error:",
        right="        except ValueError as error:",
        visible="""def test_text():
    settings = Settings({"name": "box", "empty": ""})
    assert settings.text("name") == "box"
    assert settings.text("empty", "x") == ""
    assert settings.text("other", "x") == "x"


def test_missing():
    with pytest.raises(SettingError):
        Settings({}).text("name")
    with pytest.raises(SettingError):
        Settings({}).number("port")


def test_number():
    settings = Settings({"port": "80", "offset": "-3"})
    assert settings.number("port") == 80
    assert settings.number("offset") == -3
    assert settings.number("size", 10) == 10


def test_number_bounds():
    settings = Settings({"port": "80"})
    assert settings.number("port", minimum=80, maximum=80) == 80
    with pytest.raises(SettingError):
        settings.number("port", minimum=81)
    with pytest.raises(SettingError):
        settings.number("port", maximum=79)


def test_not_a_number():
    settings = Settings({"port": "http", "size": "1.5"})
    with pytest.raises(SettingError):
        settings.number("port")
    with pytest.raises(SettingError):
        settings.number("size", 2)


def test_choice():
    settings = Settings({"level": "high"})
    assert settings.choice("level", ["low", "high"]) == "high"
    assert settings.choice("mode", ["a", "b"], "a") == "a"
    with pytest.raises(SettingError):
        settings.choice("level", ["low"])
""",
        hidden="""def test_texts_that_are_no_numbers():
    for text in ("", "abc", "1.0", "1e3", "0x10", "- 1", "12 34"):
        settings = Settings({"n": text})
        with pytest.raises(SettingError):
            settings.number("n")
        with pytest.raises(SettingError):
            settings.number("n", default=5, minimum=0, maximum=9)


def test_texts_that_are_numbers():
    for text, number in (("0", 0), ("007", 7), ("-12", -12), ("+4", 4)):
        assert Settings({"n": text}).number("n") == number


def test_defaults():
    settings = Settings({"n": "3"})
    assert settings.number("n", 9) == 3
    assert settings.number("m", 0) == 0
    assert settings.number("m", "12") == 12
    with pytest.raises(SettingError):
        settings.number("m", 5, maximum=4)


def test_bounds_one_side():
    settings = Settings({"n": "0"})
    assert settings.number("n", minimum=0) == 0
    assert settings.number("n", maximum=0) == 0
    with pytest.raises(SettingError):
        settings.number("n", minimum=1)
    with pytest.raises(SettingError):
        settings.number("n", maximum=-1)


def test_choices():
    settings = Settings({"x": "A", "y": ""})
    with pytest.raises(SettingError):
        settings.choice("x", ["a"])
    with pytest.raises(SettingError):
        settings.choice("z", ["a"])
    assert settings.choice("y", ["", "b"]) == ""


def test_own_copy():
    values = {"n": "1"}
    settings = Settings(values)
    values["n"] = "2"
    assert settings.number("n") == 1
""",
    ),
)
