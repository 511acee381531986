"""Programs of strings."""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="slug",
        code='''\
import re


def slug(title, limit=40):
    """Return the title as a part of a URL: lower case, words joined by hyphens."""
    words = re.findall(r"[A-Za-z0-9]+", title)
    text = "-".join(words)
    if len(text) > limit:
        text = text[:limit].rstrip("-")
    return text


def unique_slug(title, taken):
    base = slug(title)
    name, number = base, 2
    while name in taken:
        name = f"{base}-{number}"
        number += 1
    return name
''',
        wrong='"-".join(words)\n',
        right='"-".join(words).lower()\n',
        visible="""\
def test_plain():
    assert slug("one two") == "one-two"


def test_capitals():
    assert slug("Hello, World!") == "hello-world"


def test_limit():
    assert slug("aaa bbb ccc", limit=4) == "aaa"


def test_unique():
    assert unique_slug("a b", {"a-b", "a-b-2"}) == "a-b-3"
""",
        hidden="""\
def test_names():
    assert slug("The C10K Problem") == "the-c10k-problem"
    assert slug("ÄB") == "b"
    assert slug("ABC", limit=2) == "ab"


def test_unique_capitals():
    assert unique_slug("A B", {"a-b"}) == "a-b-2"
""",
    ),
    Program(
        name="run_length",
        code='''\
def encode(text):
    """Return the text as pairs of a character and how often it stands in a row."""
    runs = []
    previous = None
    count = 0
    for char in text:
        if char == previous:
            count += 1
            continue
        if previous is not None:
            runs.append((previous, count))
        previous = char
        count = 0
    if previous is not None:
        runs.append((previous, count))
    return runs


def decode(runs):
    return "".join(char * count for char, count in runs)
''',
        wrong="        previous = char\n        count = 0\n",
        right="        previous = char\n        count = 1\n",
        visible="""\
def test_empty():
    assert encode("") == []
    assert decode([]) == ""


def test_encode():
    assert encode("aaab") == [("a", 3), ("b", 1)]


def test_one():
    assert encode("z") == [("z", 1)]


def test_decode():
    assert decode([("x", 2), ("y", 1)]) == "xxy"
""",
        hidden="""\
def test_round_trip():
    for text in ("abc", "aabbcc", "mississippi", "   "):
        assert decode(encode(text)) == text


def test_counts():
    assert encode("abba") == [("a", 1), ("b", 2), ("a", 1)]
""",
    ),
    Program(
        name="wrap_text",
        code='''\
def wrap(text, width):
    """Return the words of the text in lines of at most `width` characters; longer words stand alone."""
    lines = []
    line = ""
    for word in text.split():
        if not line:
            line = word
        elif len(line) + len(word) <= width:
            line += " " + word
        else:
            lines.append(line)
            line = word
    if line:
        lines.append(line)
    return lines


def indent(lines, by):
    return [" " * by + line for line in lines]
''',
        wrong="len(line) + len(word) <= width",
        right="len(line) + 1 + len(word) <= width",
        visible="""\
def test_short():
    assert wrap("a b", 10) == ["a b"]


def test_breaks():
    assert wrap("one two three", 8) == ["one two", "three"]


def test_exact():
    assert wrap("abc def", 7) == ["abc def"]
    assert wrap("abc def", 6) == ["abc", "def"]


def test_nothing():
    assert wrap("  ", 5) == []


def test_indent():
    assert indent(["a"], 2) == ["  a"]
""",
        hidden="""\
def test_each_width():
    text = "the quick brown fox jumps over the lazy dog"
    for width in range(5, 50):
        lines = wrap(text, width)
        assert " ".join(lines) == text
        assert all(len(line) <= width for line in lines)
    assert wrap(text, 9)[0] == "the quick"


def test_long_word():
    assert wrap("a extraordinary b", 3) == ["a", "extraordinary", "b"]
""",
    ),
    Program(
        name="ini_parser",
        code='''\
def parse(text):
    """Return the sections of an INI text, each with its settings."""
    sections = {}
    current = sections.setdefault("", {})
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            current = sections.setdefault(line[1:-1].strip(), {})
        elif "=" in line:
            key, value = line.split("=", 1)
            current[key.strip()] = value
        else:
            raise ValueError(f"line {number}: {raw!r}")
    return sections


def get(sections, section, key, default=None):
    return sections.get(section, {}).get(key, default)
''',
        wrong="current[key.strip()] = value\n",
        right="current[key.strip()] = value.strip()\n",
        visible="""\
def test_comments():
    assert parse("# nothing\\n\\n") == {"": {}}


def test_without_spaces():
    assert parse("a=1")[""] == {"a": "1"}


def test_with_spaces():
    assert parse("[x]\\na = 1\\n")["x"] == {"a": "1"}


def test_equals_in_the_value():
    assert parse("a=b=c")[""]["a"] == "b=c"


def test_bad_line():
    with pytest.raises(ValueError, match="line 2"):
        parse("a=1\\nwhat")


def test_get():
    assert get({"s": {"k": "v"}}, "s", "k") == "v"
    assert get({}, "s", "k", 5) == 5
""",
        hidden="""\
def test_both_sides():
    assert parse("a =  two words  ")[""] == {"a": "two words"}
    assert parse("a\\t=\\tb\\t")[""] == {"a": "b"}
    assert parse("a =")[""] == {"a": ""}
""",
    ),
    Program(
        name="caesar",
        code="""\
import string


def shift_char(char, by):
    for alphabet in (string.ascii_lowercase, string.ascii_uppercase):
        if char in alphabet:
            place = alphabet.index(char) + by
            return alphabet[place % 25]
    return char


def encrypt(text, key):
    return "".join(shift_char(char, key) for char in text)


def decrypt(text, key):
    return encrypt(text, -key)
""",
        wrong="place % 25",
        right="place % 26",
        visible="""\
def test_small():
    assert encrypt("abc", 2) == "cde"


def test_wraps():
    assert encrypt("xyz", 3) == "abc"


def test_other_characters():
    assert encrypt("1, 2!", 7) == "1, 2!"


def test_decrypt():
    assert decrypt("Dro Aesmu", 10) == "The Quick"
""",
        hidden="""\
def test_round_trip():
    text = "The quick brown fox jumps over the lazy dog. Zz Yy"
    for key in range(-30, 60):
        assert decrypt(encrypt(text, key), key) == text


def test_z():
    assert encrypt("z", 0) == "z"
    assert encrypt("Z", 1) == "A"
    assert encrypt("y", 1) == "z"
""",
    ),
    Program(
        name="query_string",
        code='''\
from urllib.parse import unquote_plus


def parse_query(query):
    """Return the values of each name in a query string, in order."""
    query = query.lstrip("?")
    values = {}
    for part in query.split("&"):
        if not part:
            continue
        name, _, value = part.partition("=")
        values.setdefault(unquote_plus(name), []).append(unquote_plus(value))
    return values


def first(values, name, default=None):
    found = values.get(name)
    return found[-1] if found else default


def build_query(pairs):
    return "&".join(f"{name}={value}" for name, value in pairs)
''',
        wrong="found[-1] if found",
        right="found[0] if found",
        visible="""\
def test_parse():
    assert parse_query("?a=1&b=2&a=3") == {"a": ["1", "3"], "b": ["2"]}


def test_parse_quoted():
    assert parse_query("q=a+b%21&") == {"q": ["a b!"]}


def test_first():
    assert first({"a": ["1", "3"]}, "a") == "1"
    assert first({"a": ["7"]}, "a") == "7"


def test_first_missing():
    assert first({}, "a", "none") == "none"


def test_build():
    assert build_query([("a", 1), ("b", 2)]) == "a=1&b=2"
""",
        hidden="""\
def test_first_of_more():
    assert first({"a": ["x", "y", "z"]}, "a") == "x"
    assert first({"a": []}, "a", 0) == 0
    assert first(parse_query("k=9&k=8"), "k") == "9"
""",
    ),
    Program(
        name="brackets",
        code='''\
PAIRS = {")": "(", "]": "[", "}": "{"}


def first_error(text):
    """Return the place of the first bracket without a partner, or -1."""
    open_brackets = []
    for place, char in enumerate(text):
        if char in PAIRS.values():
            open_brackets.append((char, place))
        elif char in PAIRS:
            if not open_brackets or open_brackets[-1][0] != PAIRS[char]:
                return place
    if open_brackets:
        return open_brackets[0][1]
    return -1


def is_balanced(text):
    return first_error(text) == -1
''',
        wrong="                return place\n",
        right="                return place\n            open_brackets.pop()\n",
        visible="""\
def test_no_brackets():
    assert is_balanced("abc")


def test_balanced():
    assert is_balanced("()")
    assert is_balanced("[a(b)]{}")


def test_wrong_close():
    assert first_error("a]") == 1
    assert first_error("(]") == 1


def test_left_open():
    assert first_error("a(b") == 1
""",
        hidden="""\
def test_deep():
    assert is_balanced("([{}])" * 5)
    assert first_error("(()") == 0
    assert first_error("())") == 2
    assert first_error("()[") == 2


def test_crossed():
    assert first_error("([)]") == 2
""",
    ),
)
