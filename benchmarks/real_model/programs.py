"""Twenty programs of 60 to 150 lines with one bug each, and tests of which exactly one fails. Pure.

Programs, bugs and tests were written before any of them was shown to a model. `held_back` tests judge a repair and are
never shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["PROGRAMS", "Program"]


@dataclass(frozen=True, slots=True)
class Program:
    """A program with one bug.

    Attributes:
        name: unique among all programs.
        bug: the kind of the bug, in a few words.
        code: the module, named program.py, with the bug.
        wrong, right: a text that occurs once in `code`, and what its author should have written there.
        tests: 6 to 10 test functions, of which exactly one fails.
        held_back: test functions that fail with the bug and pass without it.
    """

    name: str
    bug: str
    code: str
    wrong: str
    right: str
    tests: str
    held_back: str

    @property
    def fixed(self) -> str:
        """The module without the bug."""
        return self.code.replace(self.wrong, self.right, 1)


_INVENTORY: Final = Program(
    name="inventory",
    bug="wrong comparison",
    code='''"""An inventory of a small shop."""

from dataclasses import dataclass


@dataclass
class Item:
    """One kind of goods.

    minimum: an item whose quantity is at or below it has to be ordered again.
    """

    sku: str
    name: str
    quantity: int
    price_cents: int
    minimum: int = 0


class OutOfStock(Exception):
    """There are not enough pieces of an item."""


class Inventory:
    """All items, by their number."""

    def __init__(self):
        self._items = {}

    def add(self, item):
        """Put a new item in; the pieces of a known one are added."""
        known = self._items.get(item.sku)
        if known is None:
            self._items[item.sku] = item
        else:
            known.quantity += item.quantity

    def take(self, sku, count):
        """Take pieces out and return what they cost in cents."""
        if count <= 0:
            raise ValueError(f"count must be at least 1, got {count}")
        item = self._items[sku]
        if count > item.quantity:
            raise OutOfStock(f"{item.name}: {item.quantity} left, {count} wanted")
        item.quantity -= count
        return count * item.price_cents

    def quantity(self, sku):
        """Return how many pieces there are; 0 for an unknown item."""
        item = self._items.get(sku)
        return item.quantity if item else 0

    def value_cents(self):
        """Return the value of everything."""
        return sum(item.quantity * item.price_cents for item in self._items.values())

    def to_reorder(self):
        """Return the numbers of the items that have to be ordered again, in order."""
        return sorted(sku for sku, item in self._items.items() if item.quantity < item.minimum)

    def report(self):
        """Return one line per item, sorted by name."""
        lines = []
        for item in sorted(self._items.values(), key=lambda one: one.name):
            lines.append(f"{item.name:<10} {item.quantity:>4} {item.price_cents / 100:>8.2f}")
        return "\\n".join(lines)

    def rename(self, sku, name):
        """Give an item another name."""
        if not name.strip():
            raise ValueError("an item needs a name")
        self._items[sku].name = name

    def remove(self, sku):
        """Take an item out of the books and return its last pieces."""
        return self._items.pop(sku).quantity

    def most_valuable(self, count=3):
        """Return the numbers of the items that are worth most, most first."""
        ranked = sorted(self._items.values(), key=lambda one: (-one.quantity * one.price_cents, one.sku))
        return [item.sku for item in ranked[:count]]


@dataclass
class Line:
    """A part of an order."""

    sku: str
    count: int


class Order:
    """What a customer wants: all of it, or nothing is taken."""

    def __init__(self, inventory):
        self._inventory = inventory
        self.lines = []
        self.is_closed = False

    def want(self, sku, count=1):
        """Add pieces; the same item again adds up."""
        if self.is_closed:
            raise ValueError("the order is closed")
        for line in self.lines:
            if line.sku == sku:
                line.count += count
                return
        self.lines.append(Line(sku, count))

    def missing(self):
        """Return how many pieces of which items are not there."""
        return {
            line.sku: line.count - self._inventory.quantity(line.sku)
            for line in self.lines
            if line.count > self._inventory.quantity(line.sku)
        }

    def close(self):
        """Take everything out and return what it costs in cents."""
        missing = self.missing()
        if missing:
            raise OutOfStock(f"missing: {missing}")
        self.is_closed = True
        return sum(self._inventory.take(line.sku, line.count) for line in self.lines)
''',
    wrong="item.quantity < item.minimum",
    right="item.quantity <= item.minimum",
    tests="""def stock():
    found = Inventory()
    found.add(Item("a1", "pen", 10, 150, minimum=3))
    found.add(Item("b2", "book", 2, 1200, minimum=1))
    return found


def test_known_items_add_up():
    found = stock()
    found.add(Item("a1", "pen", 5, 150))
    assert found.quantity("a1") == 15


def test_an_unknown_item_has_no_pieces():
    assert stock().quantity("zz") == 0


def test_taking_costs():
    found = stock()
    assert found.take("a1", 4) == 600
    assert found.quantity("a1") == 6


def test_too_many_pieces():
    with pytest.raises(OutOfStock):
        stock().take("b2", 3)


def test_value():
    assert stock().value_cents() == 10 * 150 + 2 * 1200


def test_nothing_to_reorder_at_first():
    assert stock().to_reorder() == []


def test_an_item_at_its_minimum_is_reordered():
    found = stock()
    found.take("b2", 1)
    assert found.to_reorder() == ["b2"]


def test_report_is_sorted_by_name():
    assert stock().report().splitlines()[0].startswith("book")
""",
    held_back="""def test_both_at_their_minimum():
    found = Inventory()
    found.add(Item("b", "tea", 4, 1, minimum=4))
    found.add(Item("a", "cup", 0, 1))
    assert found.to_reorder() == ["a", "b"]


def test_above_the_minimum():
    found = Inventory()
    found.add(Item("b", "tea", 5, 1, minimum=4))
    assert found.to_reorder() == []
""",
)

_WRAP: Final = Program(
    name="text_wrap",
    bug="off by one",
    code='''"""Wraps text into lines and paragraphs."""


def split_word(word, width):
    """Split a word that is longer than a line into pieces of `width` letters."""
    return [word[start : start + width] for start in range(0, len(word), width)]


def wrap(text, width):
    """Return the lines of a paragraph, none longer than `width` characters.

    Words are separated by one space. A word that is too long for a line is split.
    """
    if width < 1:
        raise ValueError(f"width must be at least 1, got {width}")
    pieces = []
    for word in text.split():
        pieces += split_word(word, width)
    lines = []
    line = ""
    for piece in pieces:
        if not line:
            line = piece
        elif len(line) + len(piece) <= width:
            line += " " + piece
        else:
            lines.append(line)
            line = piece
    if line:
        lines.append(line)
    return lines


def fill(text, width, indent=""):
    """Wrap all paragraphs of a text; a blank line separates them."""
    paragraphs = []
    for paragraph in text.split("\\n\\n"):
        lines = wrap(paragraph, width - len(indent))
        if lines:
            paragraphs.append("\\n".join(indent + line for line in lines))
    return "\\n\\n".join(paragraphs)


def justify(line, width):
    """Spread the words of a line over the whole width, wider gaps first."""
    words = line.split()
    if len(words) < 2:
        return line
    spaces = width - sum(map(len, words))
    gap, extra = divmod(spaces, len(words) - 1)
    result = words[0]
    for number, word in enumerate(words[1:]):
        result += " " * (gap + (1 if number < extra else 0)) + word
    return result


def center(lines, width):
    """Return the lines, each in the middle of the width."""
    return [line.center(width).rstrip() for line in lines]


def box(text, width):
    """Draw a box around a wrapped text; `width` is that of the whole box."""
    inner = width - 4
    edge = "+" + "-" * (width - 2) + "+"
    middle = [f"| {line:<{inner}} |" for line in wrap(text, inner)]
    return "\\n".join([edge, *middle, edge])


def columns(left, right, width, gap=3):
    """Put two texts side by side, each wrapped to half of the width."""
    half = (width - gap) // 2
    first, second = wrap(left, half), wrap(right, half)
    height = max(len(first), len(second))
    first += [""] * (height - len(first))
    second += [""] * (height - len(second))
    return "\\n".join(f"{one:<{half}}{' ' * gap}{other}".rstrip() for one, other in zip(first, second))


def shorten(text, width, end="..."):
    """Return a text on one line, cut between words and with `end` if it is too long."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    kept = ""
    for word in line.split():
        longer = f"{kept} {word}" if kept else word
        if len(longer) + len(end) > width:
            break
        kept = longer
    return kept + end


def dedent(text):
    """Remove the spaces that all lines begin with; blank lines do not count."""
    lines = text.split("\\n")
    indents = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip()]
    least = min(indents, default=0)
    return "\\n".join(line[least:] if line.strip() else "" for line in lines)


def table(rows, gap=2):
    """Return rows of cells as text with columns below each other."""
    if not rows:
        return ""
    widths = [max(len(str(row[place])) for row in rows) for place in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [f"{cell!s:<{width}}" for cell, width in zip(row, widths)]
        lines.append((" " * gap).join(cells).rstrip())
    return "\\n".join(lines)
''',
    wrong="len(line) + len(piece) <= width",
    right="len(line) + len(piece) < width",
    tests="""def test_short_text_stays_on_one_line():
    assert wrap("a cat", 20) == ["a cat"]


def test_a_space_counts_for_the_width():
    assert wrap("four five six", 8) == ["four", "five six"]


def test_long_words_are_split():
    assert wrap("abcdefgh", 3) == ["abc", "def", "gh"]


def test_no_width():
    with pytest.raises(ValueError):
        wrap("a", 0)


def test_paragraphs_and_indent():
    assert fill("one\\n\\ntwo", 10, "> ") == "> one\\n\\n> two"


def test_justify_puts_wider_gaps_first():
    assert justify("a b c", 8) == "a   b  c"


def test_one_word_is_not_justified():
    assert justify("word", 10) == "word"


def test_box():
    assert box("hi", 8) == "+------+\\n| hi   |\\n+------+"
""",
    held_back="""def test_no_line_is_too_long():
    for width in range(3, 12):
        assert all(len(line) <= width for line in wrap("it is a far far better thing that i do", width))


def test_lines_are_full():
    assert wrap("aa bb cc", 5) == ["aa bb", "cc"]
""",
)

_LRU: Final = Program(
    name="lru_cache",
    bug="missing statement",
    code='''"""A cache that keeps what was used last, and forgets what is too old."""

from collections import OrderedDict


class Cache:
    """Keeps at most `size` values; the one that was not used for longest goes first.

    Args:
        size: how many values there are at most.
        max_age: seconds after which a value is forgotten; None is never.
        clock: returns the time in seconds.
    """

    def __init__(self, size, max_age=None, clock=None):
        if size < 1:
            raise ValueError(f"size must be at least 1, got {size}")
        self.size = size
        self.max_age = max_age
        self._clock = clock or (lambda: 0.0)
        self._values = OrderedDict()
        self.hits = 0
        self.misses = 0

    def __len__(self):
        return len(self._values)

    def __contains__(self, key):
        return key in self._values and not self._is_old(key)

    def _is_old(self, key):
        if self.max_age is None:
            return False
        _, stored = self._values[key]
        return self._clock() - stored > self.max_age

    def get(self, key, default=None):
        """Return the value of a key, which then counts as just used."""
        if key not in self._values:
            self.misses += 1
            return default
        if self._is_old(key):
            del self._values[key]
            self.misses += 1
            return default
        self.hits += 1
        value, _ = self._values[key]
        return value

    def put(self, key, value):
        """Keep a value, which then counts as just used."""
        if key in self._values:
            del self._values[key]
        elif len(self._values) >= self.size:
            self._values.popitem(last=False)
        self._values[key] = (value, self._clock())

    def remove(self, key):
        """Forget a key; tell whether it was there."""
        return self._values.pop(key, None) is not None

    def keys(self):
        """Return the keys, the one that goes next first."""
        return list(self._values)

    def hit_rate(self):
        """Return the share of `get` that found something; 0.0 if there was none."""
        total = self.hits + self.misses
        return self.hits / total if total else 0.0

    def purge(self):
        """Forget everything that is too old; return how many went."""
        old = [key for key in self._values if self._is_old(key)]
        for key in old:
            del self._values[key]
        return len(old)
''',
    wrong="        self.hits += 1\n        value, _",
    right="        self.hits += 1\n        self._values.move_to_end(key)\n        value, _",
    tests="""def test_a_value_comes_back():
    cache = Cache(2)
    cache.put("a", 1)
    assert cache.get("a") == 1


def test_the_oldest_goes():
    cache = Cache(2)
    for key in "abc":
        cache.put(key, key)
    assert cache.keys() == ["b", "c"]


def test_what_was_read_stays_longer():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]


def test_what_was_written_again_stays_longer():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    cache.put("c", 4)
    assert cache.keys() == ["a", "c"]


def test_hits_and_misses():
    cache = Cache(1)
    cache.put("a", 1)
    cache.get("a")
    cache.get("x")
    assert cache.hit_rate() == 0.5


def test_old_values_are_forgotten():
    now = [0.0]
    cache = Cache(2, max_age=5, clock=lambda: now[0])
    cache.put("a", 1)
    now[0] = 6.0
    assert cache.get("a", "gone") == "gone"
    assert len(cache) == 0


def test_purge_counts():
    now = [0.0]
    cache = Cache(3, max_age=5, clock=lambda: now[0])
    cache.put("a", 1)
    now[0] = 4.0
    cache.put("b", 2)
    now[0] = 6.0
    assert cache.purge() == 1


def test_no_size():
    with pytest.raises(ValueError):
        Cache(0)
""",
    held_back="""def test_reading_changes_the_order():
    cache = Cache(3)
    for key in "abc":
        cache.put(key, key)
    cache.get("b")
    cache.get("a")
    assert cache.keys() == ["c", "b", "a"]


def test_reading_does_not_renew_the_age():
    now = [0.0]
    cache = Cache(2, max_age=5, clock=lambda: now[0])
    cache.put("a", 1)
    now[0] = 4.0
    assert cache.get("a") == 1
    now[0] = 6.0
    assert cache.get("a") is None
    cache.put("b", 1)
    cache.put("c", 1)
    cache.get("b")
    assert cache.keys() == ["c", "b"]
""",
)

_MATRIX: Final = Program(
    name="matrix",
    bug="wrong variable",
    code='''"""Matrices of numbers, as lists of rows."""


def shape(matrix):
    """Return the numbers of rows and columns."""
    if not matrix:
        return 0, 0
    width = len(matrix[0])
    if any(len(row) != width for row in matrix):
        raise ValueError("all rows must have the same length")
    return len(matrix), width


def identity(size):
    """Return the matrix that changes nothing."""
    return [[1 if row == column else 0 for column in range(size)] for row in range(size)]


def add(a, b):
    """Return the sum of two matrices of the same shape."""
    if shape(a) != shape(b):
        raise ValueError(f"cannot add {shape(a)} and {shape(b)}")
    return [[x + y for x, y in zip(first, second)] for first, second in zip(a, b)]


def scale(matrix, factor):
    """Return the matrix with every number multiplied."""
    return [[factor * number for number in row] for row in matrix]


def transpose(matrix):
    """Return the matrix with rows and columns changed over."""
    return [list(column) for column in zip(*matrix)]


def multiply(a, b):
    """Return the product of two matrices."""
    rows, inner = shape(a)
    inner_b, columns = shape(b)
    if inner != inner_b:
        raise ValueError(f"cannot multiply {shape(a)} and {shape(b)}")
    result = []
    for i in range(rows):
        row = []
        for j in range(columns):
            row.append(sum(a[i][k] * b[k][j] for k in range(rows)))
        result.append(row)
    return result


def power(matrix, exponent):
    """Return a square matrix multiplied with itself; exponent 0 gives the identity."""
    rows, columns = shape(matrix)
    if rows != columns:
        raise ValueError("only a square matrix has powers")
    result = identity(rows)
    while exponent > 0:
        if exponent % 2 == 1:
            result = multiply(result, matrix)
        matrix = multiply(matrix, matrix)
        exponent //= 2
    return result


def minor(matrix, row, column):
    """Return the matrix without a row and a column."""
    return [line[:column] + line[column + 1 :] for number, line in enumerate(matrix) if number != row]


def determinant(matrix):
    """Return the determinant of a square matrix, by expansion along the first row."""
    rows, columns = shape(matrix)
    if rows != columns:
        raise ValueError("only a square matrix has a determinant")
    if rows == 0:
        return 1
    total = 0
    for column, number in enumerate(matrix[0]):
        sign = -1 if column % 2 else 1
        total += sign * number * determinant(minor(matrix, 0, column))
    return total
''',
    wrong="for k in range(rows)))",
    right="for k in range(inner)))",
    tests="""def test_shape_of_uneven_rows():
    with pytest.raises(ValueError):
        shape([[1, 2], [3]])


def test_add():
    assert add([[1, 2]], [[3, 4]]) == [[4, 6]]


def test_scale_and_transpose():
    assert transpose(scale([[1, 2, 3]], 2)) == [[2], [4], [6]]


def test_multiply_square():
    assert multiply([[1, 2], [3, 4]], [[0, 1], [1, 0]]) == [[2, 1], [4, 3]]


def test_multiply_row_and_column():
    assert multiply([[1, 2, 3]], [[4], [5], [6]]) == [[32]]


def test_multiply_refuses_other_shapes():
    with pytest.raises(ValueError):
        multiply([[1, 2]], [[1, 2]])


def test_power_gives_fibonacci():
    assert power([[1, 1], [1, 0]], 10)[0][1] == 55


def test_power_of_zero():
    assert power([[7, 8], [9, 1]], 0) == [[1, 0], [0, 1]]


def test_determinant():
    assert determinant([[2, 0, 1], [1, 3, 2], [1, 1, 4]]) == 18
""",
    held_back="""def test_tall_and_wide():
    assert multiply([[1], [2]], [[3, 4]]) == [[3, 4], [6, 8]]


def test_two_rows_of_three():
    assert multiply([[1, 0, 2], [0, 1, 2]], [[1, 1], [2, 2], [3, 3]]) == [[7, 7], [8, 8]]
""",
)

_CALCULATOR: Final = Program(
    name="calculator",
    bug="wrong order: right to left",
    code='''"""A calculator: splits an expression into tokens, reads it, and computes it."""

import operator

OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


class SyntaxProblem(Exception):
    """The expression cannot be read."""


def tokenize(text):
    """Return numbers, names, operators and brackets."""
    tokens = []
    place = 0
    while place < len(text):
        letter = text[place]
        if letter.isspace():
            place += 1
        elif letter.isdigit() or letter == ".":
            begin = place
            while place < len(text) and (text[place].isdigit() or text[place] == "."):
                place += 1
            tokens.append(float(text[begin:place]))
        elif letter.isalpha():
            begin = place
            while place < len(text) and text[place].isalnum():
                place += 1
            tokens.append(text[begin:place])
        elif letter in "+-*/()":
            tokens.append(letter)
            place += 1
        else:
            raise SyntaxProblem(f"{letter!r} at {place} means nothing")
    return tokens


class Reader:
    """Reads tokens and computes at once."""

    def __init__(self, tokens, names):
        self.tokens = tokens
        self.names = names
        self.place = 0

    def peek(self):
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def take(self):
        token = self.peek()
        self.place += 1
        return token

    def total(self):
        """Read products, added and subtracted."""
        value = self.product()
        if self.peek() in ("+", "-"):
            value = OPERATORS[self.take()](value, self.total())
        return value

    def product(self):
        """Read atoms, multiplied and divided."""
        value = self.atom()
        while self.peek() in ("*", "/"):
            value = OPERATORS[self.take()](value, self.atom())
        return value

    def atom(self):
        """Read a number, a name, a bracket or a sign."""
        token = self.take()
        if token == "-":
            return -self.atom()
        if token == "(":
            value = self.total()
            if self.take() != ")":
                raise SyntaxProblem("a bracket is not closed")
            return value
        if isinstance(token, float):
            return token
        if token in self.names:
            return self.names[token]
        raise SyntaxProblem(f"a number was expected, not {token!r}")


def calculate(text, **names):
    """Return the value of an expression, in which `names` have values."""
    reader = Reader(tokenize(text), names)
    value = reader.total()
    if reader.peek() is not None:
        raise SyntaxProblem(f"{reader.peek()!r} is left over")
    return value


def is_valid(text, **names):
    """Tell whether an expression can be computed."""
    try:
        calculate(text, **names)
    except (SyntaxProblem, ZeroDivisionError):
        return False
    return True


def names_in(text):
    """Return the names that an expression uses, sorted."""
    return sorted({token for token in tokenize(text) if isinstance(token, str) and token.isalnum()})


class Sheet:
    """Named expressions that may use each other."""

    def __init__(self):
        self._formulas = {}

    def set(self, name, text):
        """Set the expression of a name."""
        if not name.isalnum() or name[0].isdigit():
            raise SyntaxProblem(f"{name!r} is not a name")
        self._formulas[name] = text

    def value(self, name, _open=()):
        """Compute the expression of a name, and those that it uses first."""
        if name in _open:
            raise SyntaxProblem(f"{' -> '.join([*_open, name])} goes round in a circle")
        if name not in self._formulas:
            raise SyntaxProblem(f"there is no {name}")
        text = self._formulas[name]
        values = {other: self.value(other, (*_open, name)) for other in names_in(text)}
        return calculate(text, **values)

    def values(self):
        """Return the values of all names."""
        return {name: self.value(name) for name in self._formulas}
''',
    wrong="""        if self.peek() in ("+", "-"):
            value = OPERATORS[self.take()](value, self.total())
""",
    right="""        while self.peek() in ("+", "-"):
            value = OPERATORS[self.take()](value, self.product())
""",
    tests="""def test_tokens():
    assert tokenize("a1 + 2.5") == ["a1", "+", 2.5]


def test_product_before_sum():
    assert calculate("2 + 3 * 4") == 14


def test_brackets():
    assert calculate("(2 + 3) * 4") == 20


def test_subtraction_goes_from_left_to_right():
    assert calculate("8 - 3 - 2") == 3


def test_division_goes_from_left_to_right():
    assert calculate("24 / 4 / 2") == 3


def test_sign():
    assert calculate("-2 * -3") == 6


def test_names():
    assert calculate("x * x + 1", x=3.0) == 10


def test_open_bracket():
    with pytest.raises(SyntaxProblem):
        calculate("(1 + 2")


def test_left_over():
    with pytest.raises(SyntaxProblem):
        calculate("1 2")
""",
    held_back="""def test_plus_after_minus():
    assert calculate("10 - 4 + 3") == 9


def test_minus_in_brackets():
    assert calculate("2 * (9 - 1 - 1) - 1 - 1") == 12
""",
)

_SCHEDULER: Final = Program(
    name="scheduler",
    bug="wrong sign in the order",
    code='''"""Plans jobs that depend on each other."""

import heapq
from dataclasses import dataclass, field


class CycleError(Exception):
    """Jobs wait for each other."""


@dataclass
class Job:
    """One piece of work.

    duration: minutes.
    priority: of several jobs that are ready, the one with the highest goes first; then the name decides.
    """

    name: str
    duration: int
    priority: int = 0
    needs: list = field(default_factory=list)


class Scheduler:
    """Puts jobs in an order in which each comes after what it needs."""

    def __init__(self):
        self._jobs = {}

    def add(self, name, duration, priority=0, needs=()):
        """Add a job; the same name twice is refused."""
        if name in self._jobs:
            raise ValueError(f"there is a job {name} already")
        if duration < 0:
            raise ValueError(f"{name} cannot take {duration} minutes")
        self._jobs[name] = Job(name, duration, priority, list(needs))

    def _check(self):
        for job in self._jobs.values():
            for need in job.needs:
                if need not in self._jobs:
                    raise KeyError(f"{job.name} needs {need}, which is unknown")

    def order(self):
        """Return the names of all jobs in the order in which they are done."""
        self._check()
        open_needs = {name: set(job.needs) for name, job in self._jobs.items()}
        ready = [(job.priority, name) for name, job in self._jobs.items() if not job.needs]
        heapq.heapify(ready)
        done = []
        while ready:
            _, name = heapq.heappop(ready)
            done.append(name)
            for other, needs in open_needs.items():
                if name in needs:
                    needs.remove(name)
                    if not needs:
                        heapq.heappush(ready, (-self._jobs[other].priority, other))
        if len(done) < len(self._jobs):
            left = sorted(set(self._jobs) - set(done))
            raise CycleError(f"these wait for each other: {', '.join(left)}")
        return done

    def starts(self):
        """Return when each job starts, in minutes, if one is done after the other."""
        now = 0
        found = {}
        for name in self.order():
            found[name] = now
            now += self._jobs[name].duration
        return found

    def shortest(self):
        """Return the minutes that all take if any number of jobs runs at once."""
        ends = {}
        for name in self.order():
            job = self._jobs[name]
            begin = max((ends[need] for need in job.needs), default=0)
            ends[name] = begin + job.duration
        return max(ends.values(), default=0)
''',
    wrong="ready = [(job.priority, name)",
    right="ready = [(-job.priority, name)",
    tests="""def house():
    plan = Scheduler()
    plan.add("roof", 30, needs=["walls"])
    plan.add("walls", 60, needs=["ground"])
    plan.add("ground", 20)
    plan.add("garden", 40, needs=["ground"])
    return plan


def test_order_respects_needs():
    assert house().order() == ["ground", "garden", "walls", "roof"]


def test_the_highest_priority_goes_first():
    plan = Scheduler()
    plan.add("letters", 5, priority=1)
    plan.add("fire", 5, priority=9)
    plan.add("lunch", 5, priority=4)
    assert plan.order() == ["fire", "lunch", "letters"]


def test_the_name_decides_between_equals():
    plan = Scheduler()
    for name in "cab":
        plan.add(name, 1)
    assert plan.order() == ["a", "b", "c"]


def test_a_cycle_is_told():
    plan = Scheduler()
    plan.add("a", 1, needs=["b"])
    plan.add("b", 1, needs=["a"])
    with pytest.raises(CycleError):
        plan.order()


def test_unknown_need():
    plan = Scheduler()
    plan.add("a", 1, needs=["x"])
    with pytest.raises(KeyError):
        plan.order()


def test_starts():
    assert house().starts()["walls"] == 60


def test_shortest():
    assert house().shortest() == 110


def test_twice():
    plan = house()
    with pytest.raises(ValueError):
        plan.add("roof", 1)
""",
    held_back="""def test_priority_among_first_and_later_jobs():
    plan = Scheduler()
    plan.add("low", 1, priority=1)
    plan.add("high", 1, priority=2)
    plan.add("next", 1, priority=5, needs=["high"])
    assert plan.order() == ["high", "next", "low"]


def test_starts_follow_priority():
    plan = Scheduler()
    plan.add("a", 3, priority=1)
    plan.add("b", 4, priority=2)
    assert plan.starts() == {"b": 0, "a": 4}
""",
)

_ROMAN: Final = Program(
    name="roman",
    bug="missing case",
    code='''"""Roman numerals: written, read, checked and computed with."""

NUMERALS = [
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
]
VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def to_roman(number):
    """Write a whole number from 1 to 3999 as a Roman numeral."""
    if not 1 <= number <= 3999:
        raise ValueError(f"only 1 to 3999 can be written, got {number}")
    result = ""
    for value, numeral in NUMERALS:
        while number >= value:
            result += numeral
            number -= value
    return result


def from_roman(text):
    """Read a Roman numeral; small letters are read as well."""
    numerals = text.strip().upper()
    if not numerals:
        raise ValueError("there is no numeral")
    total = 0
    previous = 0
    for letter in reversed(numerals):
        if letter not in VALUES:
            raise ValueError(f"{letter!r} is not a Roman numeral")
        value = VALUES[letter]
        if value < previous:
            total -= value
        else:
            total += value
            previous = value
    return total


def is_number(text):
    """Tell whether a text consists of the letters of numerals only."""
    return bool(text) and all(letter in VALUES for letter in text.upper())


def add(first, second):
    """Return the sum of two numerals as a numeral."""
    return to_roman(from_roman(first) + from_roman(second))


def sort(numerals):
    """Return numerals sorted by their values."""
    return sorted(numerals, key=from_roman)


def year_range(text):
    """Read two numerals with a dash between, such as MCMXCIX-MMI, as a pair of years."""
    first, dash, last = text.partition("-")
    if not dash:
        raise ValueError("a dash is missing")
    years = from_roman(first), from_roman(last)
    if years[0] > years[1]:
        raise ValueError("the first year must not be after the last")
    return years


def chapters(count):
    """Return the numbers of chapters, as in the contents of a book."""
    return [f"{to_roman(number)}." for number in range(1, count + 1)]
''',
    wrong='    (500, "D"),\n    (100',
    right='    (500, "D"),\n    (400, "CD"),\n    (100',
    tests="""def test_small_numbers():
    assert [to_roman(number) for number in (1, 4, 9, 40, 90)] == ["I", "IV", "IX", "XL", "XC"]


def test_years():
    assert to_roman(1999) == "MCMXCIX"
    assert to_roman(2024) == "MMXXIV"


def test_four_hundred():
    assert to_roman(1444) == "MCDXLIV"


def test_reading():
    assert from_roman("mcdxliv") == 1444


def test_range_of_numbers():
    with pytest.raises(ValueError):
        to_roman(4000)


def test_other_letters():
    with pytest.raises(ValueError):
        from_roman("XYZ")


def test_add():
    assert add("IX", "II") == "XI"


def test_sort():
    assert sort(["X", "IX", "XI"]) == ["IX", "X", "XI"]


def test_years_with_a_dash():
    assert year_range("MCMXCIX-MMI") == (1999, 2001)
""",
    held_back="""def test_all_numbers_are_written_in_the_usual_way():
    for number in range(1, 4000):
        numeral = to_roman(number)
        assert from_roman(numeral) == number
        assert all(4 * letter not in numeral for letter in "IXC")


def test_four_hundred_and_ninety_nine():
    assert to_roman(499) == "CDXCIX"
""",
)

_CSV: Final = Program(
    name="csv_reader",
    bug="missing case: a doubled quote",
    code='''"""Reads and writes tables of comma-separated values."""


class CsvError(Exception):
    """The text is not a table."""


def read_rows(text, separator=","):
    """Return the rows of a text as lists of cells.

    A cell in double quotes may have separators and line ends; two quotes in it stand for one.
    """
    rows = []
    row = []
    cell = ""
    is_quoted = False
    place = 0
    while place < len(text):
        letter = text[place]
        if is_quoted:
            if letter == '"':
                is_quoted = False
            else:
                cell += letter
        elif letter == '"':
            is_quoted = True
        elif letter == separator:
            row.append(cell)
            cell = ""
        elif letter == "\\n":
            row.append(cell)
            rows.append(row)
            row, cell = [], ""
        elif letter != "\\r":
            cell += letter
        place += 1
    if is_quoted:
        raise CsvError("a quotation mark is not closed")
    if cell or row:
        row.append(cell)
        rows.append(row)
    return rows


def read_records(text, separator=","):
    """Return one dictionary per row; the first row names the columns."""
    rows = read_rows(text, separator)
    if not rows:
        return []
    header = rows[0]
    records = []
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            raise CsvError(f"line {number} has {len(row)} cells, the header has {len(header)}")
        records.append(dict(zip(header, row)))
    return records


def quote(cell, separator=","):
    """Return a cell as it is written, in quotes if it must be."""
    if any(letter in cell for letter in (separator, '"', "\\n")):
        return '"' + cell.replace('"', '""') + '"'
    return cell


def write_rows(rows, separator=","):
    """Return rows as text."""
    return "".join(separator.join(quote(str(cell), separator) for cell in row) + "\\n" for row in rows)


def column(records, name, kind=str):
    """Return one column, each cell made a `kind`."""
    return [kind(record[name]) for record in records]


def total(records, name):
    """Return the sum of a column of numbers; empty cells count as 0."""
    return sum(float(record[name] or 0) for record in records)
''',
    wrong="""            if letter == '"':
                is_quoted = False
""",
    right="""            if text[place : place + 2] == '""':
                cell += '"'
                place += 1
            elif letter == '"':
                is_quoted = False
""",
    tests='''def test_rows():
    assert read_rows("a,b\\n1,2\\n") == [["a", "b"], ["1", "2"]]


def test_last_line_without_end():
    assert read_rows("a,b\\n1,2") == [["a", "b"], ["1", "2"]]


def test_separator_in_quotes():
    assert read_rows('"a,b",c') == [["a,b", "c"]]


def test_quotes_in_quotes():
    assert read_rows('"say ""hi""",1') == [['say "hi"', "1"]]


def test_open_quotes():
    with pytest.raises(CsvError):
        read_rows('"abc')


def test_records():
    assert read_records("n;q\\npen;3\\n", ";") == [{"n": "pen", "q": "3"}]


def test_a_short_row_is_told():
    with pytest.raises(CsvError):
        read_records("a,b\\n1\\n")


def test_writing():
    assert write_rows([["a,b", 'x"y']]) == '"a,b","x""y"\\n'


def test_total():
    assert total([{"x": "1.5"}, {"x": ""}], "x") == 1.5
''',
    held_back="""def test_what_is_written_is_read():
    rows = [['"', '""', 'a"b'], ["x,y", "line\\nend", 'end"']]
    assert read_rows(write_rows(rows)) == rows


def test_an_empty_quoted_cell():
    assert read_rows('"",b,"a""b"') == [["", "b", 'a"b']]
""",
)

_LEDGER: Final = Program(
    name="ledger",
    bug="wrong order of two statements",
    code='''"""The ledger of a bank: accounts, and every movement of money."""

from dataclasses import dataclass


class BankError(Exception):
    """A movement that is not allowed."""


@dataclass(frozen=True)
class Entry:
    """One movement; amount in cents, negative if money left the account."""

    account: str
    amount: int
    text: str


class Ledger:
    """All accounts of a bank."""

    def __init__(self):
        self._balances = {}
        self._limits = {}
        self.entries = []

    def open(self, name, limit=0):
        """Open an account that may be overdrawn by `limit` cents."""
        if name in self._balances:
            raise BankError(f"the account {name} exists")
        self._balances[name] = 0
        self._limits[name] = limit

    def balance(self, name):
        """Return the cents of an account."""
        self._check(name)
        return self._balances[name]

    def _check(self, name):
        if name not in self._balances:
            raise BankError(f"there is no account {name}")

    def _book(self, name, amount, text):
        self._balances[name] += amount
        self.entries.append(Entry(name, amount, text))

    def deposit(self, name, amount):
        """Put money in."""
        self._check(name)
        if amount <= 0:
            raise BankError("only positive amounts can be paid in")
        self._book(name, amount, "deposit")

    def withdraw(self, name, amount):
        """Take money out, not below the limit."""
        self._check(name)
        if amount <= 0:
            raise BankError("only positive amounts can be taken out")
        if self._balances[name] - amount < -self._limits[name]:
            raise BankError(f"{name} has not enough money")
        self._book(name, -amount, "withdrawal")

    def transfer(self, source, target, amount):
        """Move money from one account to another, or change nothing."""
        self.withdraw(source, amount)
        self._check(target)
        self._book(target, amount, f"from {source}")

    def statement(self, name):
        """Return the movements of an account with the balance after each."""
        self._check(name)
        lines = []
        now = 0
        for entry in self.entries:
            if entry.account == name:
                now += entry.amount
                lines.append(f"{entry.text}: {entry.amount / 100:+.2f} = {now / 100:.2f}")
        return lines

    def total(self):
        """Return the cents of all accounts."""
        return sum(self._balances.values())

    def names(self):
        """Return all accounts, sorted."""
        return sorted(self._balances)

    def pay_interest(self, percent):
        """Pay interest on what accounts have, cents rounded down; overdrawn accounts get none."""
        if percent < 0:
            raise BankError("the interest cannot be negative")
        for name, balance in sorted(self._balances.items()):
            interest = int(balance * percent / 100)
            if interest > 0:
                self._book(name, interest, "interest")

    def close(self, name):
        """Close an account that has no money and no debts."""
        self._check(name)
        if self._balances[name] != 0:
            raise BankError(f"{name} has {self._balances[name]} cents")
        del self._balances[name]
        del self._limits[name]

    def richest(self):
        """Return the name of the account with most money, or None."""
        if not self._balances:
            return None
        return max(self.names(), key=lambda name: self._balances[name])


def check_books(ledger):
    """Return the accounts whose entries do not sum up to their balance."""
    sums = {}
    for entry in ledger.entries:
        sums[entry.account] = sums.get(entry.account, 0) + entry.amount
    return [name for name in ledger.names() if sums.get(name, 0) != ledger.balance(name)]
''',
    wrong="""        self.withdraw(source, amount)
        self._check(target)
""",
    right="""        self._check(target)
        self.withdraw(source, amount)
""",
    tests="""def bank():
    found = Ledger()
    found.open("ann")
    found.open("bob", limit=500)
    found.deposit("ann", 1000)
    return found


def test_deposit():
    assert bank().balance("ann") == 1000


def test_withdraw_too_much():
    with pytest.raises(BankError):
        bank().withdraw("ann", 1001)


def test_overdraft():
    found = bank()
    found.withdraw("bob", 500)
    assert found.balance("bob") == -500


def test_transfer():
    found = bank()
    found.transfer("ann", "bob", 300)
    assert (found.balance("ann"), found.balance("bob")) == (700, 300)


def test_a_transfer_to_nobody_changes_nothing():
    found = bank()
    with pytest.raises(BankError):
        found.transfer("ann", "eve", 300)
    assert found.balance("ann") == 1000


def test_a_transfer_without_money_changes_nothing():
    found = bank()
    with pytest.raises(BankError):
        found.transfer("ann", "bob", 3000)
    assert found.balance("bob") == 0


def test_statement():
    found = bank()
    found.withdraw("ann", 250)
    assert found.statement("ann") == ["deposit: +10.00 = 10.00", "withdrawal: -2.50 = 7.50"]


def test_total():
    found = bank()
    found.transfer("ann", "bob", 300)
    assert found.total() == 1000
""",
    held_back="""def test_no_entry_is_left_of_a_failed_transfer():
    found = bank()
    before = list(found.entries)
    with pytest.raises(BankError):
        found.transfer("bob", "eve", 100)
    assert found.entries == before
    assert found.total() == 1000


def bank():
    found = Ledger()
    found.open("ann")
    found.open("bob", limit=500)
    found.deposit("ann", 1000)
    return found
""",
)

_ROUTES: Final = Program(
    name="routes",
    bug="wrong place: marked too early",
    code='''"""Routes in a network of roads."""

import heapq


class NoRouteError(Exception):
    """There is no way from one place to the other."""


class Roads:
    """Places, and roads of a length between them."""

    def __init__(self):
        self._roads = {}

    def add(self, first, second, length, one_way=False):
        """Add a road; it goes both ways unless `one_way`."""
        if length < 0:
            raise ValueError(f"a road cannot have the length {length}")
        self._roads.setdefault(first, {})[second] = length
        self._roads.setdefault(second, {})
        if not one_way:
            self._roads[second][first] = length

    def places(self):
        """Return all places, sorted."""
        return sorted(self._roads)

    def neighbours(self, place):
        """Return the places that one road leads to, sorted."""
        return sorted(self._roads[place])

    def shortest(self, start, goal):
        """Return the length of the shortest route and its places."""
        if start not in self._roads or goal not in self._roads:
            raise KeyError("an unknown place")
        queue = [(0, start, [start])]
        seen = {start}
        while queue:
            length, place, route = heapq.heappop(queue)
            if place == goal:
                return length, route
            for other, more in self._roads[place].items():
                if other not in seen:
                    seen.add(other)
                    heapq.heappush(queue, (length + more, other, [*route, other]))
        raise NoRouteError(f"no route from {start} to {goal}")

    def fewest(self, start, goal):
        """Return the least number of roads between two places."""
        level = [start]
        seen = {start}
        count = 0
        while level:
            if goal in level:
                return count
            following = []
            for place in level:
                for other in self._roads[place]:
                    if other not in seen:
                        seen.add(other)
                        following.append(other)
            level = following
            count += 1
        raise NoRouteError(f"no route from {start} to {goal}")

    def reachable(self, start):
        """Return all places that can be reached, without the start, sorted."""
        seen = {start}
        stack = [start]
        while stack:
            for other in self._roads[stack.pop()]:
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        return sorted(seen - {start})
''',
    wrong="""        seen = {start}
        while queue:
            length, place, route = heapq.heappop(queue)
            if place == goal:
                return length, route
            for other, more in self._roads[place].items():
                if other not in seen:
                    seen.add(other)
                    heapq""",
    right="""        seen = set()
        while queue:
            length, place, route = heapq.heappop(queue)
            if place == goal:
                return length, route
            seen.add(place)
            for other, more in self._roads[place].items():
                if other not in seen:
                    heapq""",
    tests="""def town():
    roads = Roads()
    roads.add("a", "b", 2)
    roads.add("b", "c", 2)
    roads.add("c", "d", 5, one_way=True)
    roads.add("x", "y", 1)
    return roads


def test_places():
    assert town().places() == ["a", "b", "c", "d", "x", "y"]


def test_shortest():
    assert town().shortest("a", "d") == (9, ["a", "b", "c", "d"])


def test_a_detour_may_be_shorter_than_the_direct_road():
    roads = town()
    roads.add("a", "c", 9)
    assert roads.shortest("a", "c") == (4, ["a", "b", "c"])


def test_one_way():
    with pytest.raises(NoRouteError):
        town().shortest("d", "c")


def test_the_start_is_the_goal():
    assert town().shortest("b", "b") == (0, ["b"])


def test_unknown_place():
    with pytest.raises(KeyError):
        town().shortest("a", "z")


def test_fewest_roads():
    assert town().fewest("a", "d") == 3


def test_reachable():
    assert town().reachable("a") == ["b", "c", "d"]
""",
    held_back="""def test_three_ways():
    roads = Roads()
    roads.add("s", "g", 10)
    roads.add("s", "m", 7)
    roads.add("m", "g", 2)
    roads.add("s", "n", 1)
    roads.add("n", "m", 1)
    assert roads.shortest("s", "g") == (4, ["s", "n", "m", "g"])
""",
)

_DATES: Final = Program(
    name="date_ranges",
    bug="missing max",
    code='''"""Ranges of days, such as holidays and bookings."""

from dataclasses import dataclass
from datetime import date, timedelta

DAY = timedelta(days=1)


@dataclass(frozen=True, order=True)
class DateRange:
    """The days from first to last, both included."""

    first: date
    last: date

    def __post_init__(self):
        if self.last < self.first:
            raise ValueError(f"{self.last} is before {self.first}")

    @classmethod
    def parse(cls, text):
        """Read '2024-01-05..2024-01-09', or a single day."""
        first, dots, last = text.partition("..")
        begin = date.fromisoformat(first.strip())
        return cls(begin, date.fromisoformat(last.strip()) if dots else begin)

    def __len__(self):
        return (self.last - self.first).days + 1

    def __contains__(self, day):
        return self.first <= day <= self.last

    def overlaps(self, other):
        """Tell whether two ranges have a day in common."""
        return self.first <= other.last and other.first <= self.last

    def days(self):
        """Return all days in order."""
        return [self.first + number * DAY for number in range(len(self))]


def merge(ranges):
    """Return the ranges joined where they overlap or follow each other without a gap, sorted."""
    merged = []
    for one in sorted(ranges):
        if merged and one.first <= merged[-1].last + DAY:
            merged[-1] = DateRange(merged[-1].first, one.last)
        else:
            merged.append(one)
    return merged


def gaps(ranges, within):
    """Return the free ranges between the given ones, inside of `within`."""
    free = []
    begin = within.first
    for one in merge(ranges):
        if one.last < within.first or one.first > within.last:
            continue
        if one.first > begin:
            free.append(DateRange(begin, one.first - DAY))
        begin = one.last + DAY
    if begin <= within.last:
        free.append(DateRange(begin, within.last))
    return free


def count_days(ranges):
    """Return how many different days the ranges have."""
    return sum(len(one) for one in merge(ranges))


def workdays(one):
    """Return how many days of a range are from Monday to Friday."""
    return sum(day.weekday() < 5 for day in one.days())
''',
    wrong="DateRange(merged[-1].first, one.last)",
    right="DateRange(merged[-1].first, max(merged[-1].last, one.last))",
    tests="""def ranges(*texts):
    return [DateRange.parse(text) for text in texts]


def test_length_counts_both_ends():
    assert len(DateRange.parse("2024-01-05..2024-01-09")) == 5


def test_leap_day():
    assert date(2024, 2, 29) in DateRange.parse("2024-02-28..2024-03-01")


def test_backwards():
    with pytest.raises(ValueError):
        DateRange.parse("2024-01-09..2024-01-05")


def test_merge_overlapping():
    assert merge(ranges("2024-01-01..2024-01-05", "2024-01-04..2024-01-09")) == ranges("2024-01-01..2024-01-09")


def test_merge_neighbours():
    assert merge(ranges("2024-01-06", "2024-01-05")) == ranges("2024-01-05..2024-01-06")


def test_a_range_inside_of_another_changes_nothing():
    outer = ranges("2024-01-01..2024-01-31")
    assert merge([*outer, *ranges("2024-01-10..2024-01-12")]) == outer


def test_gaps():
    month = DateRange.parse("2024-01-01..2024-01-10")
    found = gaps(ranges("2024-01-03..2024-01-04", "2024-01-08"), month)
    assert found == ranges("2024-01-01..2024-01-02", "2024-01-05..2024-01-07", "2024-01-09..2024-01-10")


def test_workdays():
    assert workdays(DateRange.parse("2024-01-01..2024-01-07")) == 5
""",
    held_back="""def test_days_of_nested_ranges():
    texts = ("2024-03-01..2024-03-20", "2024-03-02..2024-03-03", "2024-03-05", "2024-03-21..2024-03-22")
    assert count_days([DateRange.parse(text) for text in texts]) == 22
""",
)

_MONTHS: Final = Program(
    name="subscriptions",
    bug="wrong variable",
    code='''"""Subscriptions: when they are due, and what they cost in a year."""

from dataclasses import dataclass
from datetime import date

DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def is_leap(year):
    """Tell whether February has 29 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year, month):
    """Return 28 to 31."""
    if month == 2 and is_leap(year):
        return 29
    return DAYS[month - 1]


def add_months(day, months):
    """Return the same day of a later month; the last day of that month if it is shorter."""
    index = day.month - 1 + months
    year = day.year + index // 12
    month = index % 12 + 1
    return date(year, month, min(day.day, days_in_month(day.year, month)))


@dataclass
class Subscription:
    """Something that is paid again and again.

    every: months between two payments.
    """

    name: str
    cents: int
    start: date
    every: int = 1
    end: date | None = None

    def __post_init__(self):
        if self.every < 1:
            raise ValueError("every must be at least 1 month")

    def due(self, until):
        """Return the days of all payments up to a day, that one included."""
        days = []
        number = 0
        while True:
            day = add_months(self.start, number * self.every)
            if day > until or (self.end is not None and day > self.end):
                return days
            days.append(day)
            number += 1

    def next_due(self, today):
        """Return the first payment on or after a day, or None if it ended before."""
        number = 0
        while True:
            day = add_months(self.start, number * self.every)
            if self.end is not None and day > self.end:
                return None
            if day >= today:
                return day
            number += 1


def cost_of_year(subscriptions, year):
    """Return the cents that all payments of a year sum up to."""
    first, last = date(year, 1, 1), date(year, 12, 31)
    return sum(one.cents for one in subscriptions for day in one.due(last) if day >= first)


def calendar(subscriptions, until):
    """Return (day, name) of all payments in order."""
    return sorted((day, one.name) for one in subscriptions for day in one.due(until))
''',
    wrong="days_in_month(day.year, month)",
    right="days_in_month(year, month)",
    tests="""def test_leap_years():
    assert [is_leap(year) for year in (1900, 2000, 2023, 2024)] == [False, True, False, True]


def test_a_month_later():
    assert add_months(date(2023, 1, 15), 1) == date(2023, 2, 15)


def test_the_end_of_a_shorter_month():
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)


def test_over_the_end_of_a_year():
    assert add_months(date(2023, 11, 30), 3) == date(2024, 2, 29)


def test_due():
    paper = Subscription("paper", 999, date(2023, 1, 31), every=2)
    assert paper.due(date(2023, 6, 1)) == [date(2023, 1, 31), date(2023, 3, 31), date(2023, 5, 31)]


def test_next_due_after_the_end():
    paper = Subscription("paper", 999, date(2023, 1, 1), end=date(2023, 2, 1))
    assert paper.next_due(date(2023, 2, 2)) is None


def test_cost_of_a_year():
    two = [Subscription("a", 100, date(2022, 12, 1)), Subscription("b", 1000, date(2023, 5, 5), every=12)]
    assert cost_of_year(two, 2023) == 2200


def test_every_zero():
    with pytest.raises(ValueError):
        Subscription("a", 1, date(2023, 1, 1), every=0)
""",
    held_back="""def test_from_a_leap_year_into_another_year():
    assert add_months(date(2024, 1, 31), 13) == date(2025, 2, 28)


def test_to_a_leap_year():
    assert add_months(date(2022, 12, 31), 14) == date(2024, 2, 29)
""",
)

_TEMPLATE: Final = Program(
    name="template",
    bug="missing copy",
    code='''"""A small template language: {name}, {% for x in list %} ... {% end %} and {% if name %} ... {% end %}."""

import re

TOKEN = re.compile(r"(\\{%.*?%\\}|\\{\\w+(?:\\.\\w+)*\\})")


class TemplateError(Exception):
    """The template or its values are wrong."""


def lookup(name, values):
    """Return a value by its name; dots lead into dictionaries."""
    value = values
    for part in name.split("."):
        if not isinstance(value, dict) or part not in value:
            raise TemplateError(f"there is no value for {name}")
        value = value[part]
    return value


def parse(text):
    """Return a tree: texts, ("value", name), ("for", name, source, tree), ("if", name, tree)."""
    tree, rest = parse_until_end(TOKEN.split(text), is_top=True)
    assert not rest
    return tree


def parse_until_end(tokens, is_top):
    tree = []
    while tokens:
        token, tokens = tokens[0], tokens[1:]
        if token.startswith("{%"):
            words = token[2:-2].split()
            if words == ["end"]:
                if is_top:
                    raise TemplateError("there is an end too many")
                return tree, tokens
            body, tokens = parse_until_end(tokens, is_top=False)
            if len(words) == 4 and words[0] == "for" and words[2] == "in":
                tree.append(("for", words[1], words[3], body))
            elif len(words) == 2 and words[0] == "if":
                tree.append(("if", words[1], body))
            else:
                raise TemplateError(f"cannot read {token}")
        elif TOKEN.fullmatch(token):
            tree.append(("value", token[1:-1]))
        elif token:
            tree.append(token)
    if not is_top:
        raise TemplateError("an end is missing")
    return tree, tokens


def render_tree(tree, values):
    """Return the text of a tree."""
    result = ""
    for node in tree:
        if isinstance(node, str):
            result += node
        elif node[0] == "value":
            result += str(lookup(node[1], values))
        elif node[0] == "for":
            inner = values
            for item in lookup(node[2], values):
                inner[node[1]] = item
                result += render_tree(node[3], inner)
        elif lookup(node[1], values):
            result += render_tree(node[2], values)
    return result


def render(text, **values):
    """Return the template with its values put in."""
    return render_tree(parse(text), values)
''',
    wrong="            inner = values\n",
    right="            inner = dict(values)\n",
    tests="""def test_values():
    assert render("Hi {name}!", name="Ann") == "Hi Ann!"


def test_dots():
    assert render("{user.name}", user={"name": "Bob"}) == "Bob"


def test_missing_value():
    with pytest.raises(TemplateError):
        render("{x}")


def test_for():
    assert render("{% for x in items %}<{x}>{% end %}", items=[1, 2]) == "<1><2>"


def test_the_variable_of_a_loop_ends_with_it():
    assert render("{x}{% for x in items %}{x}{% end %}{x}", x="-", items=[1, 2]) == "-12-"


def test_loops_in_loops():
    text = "{% for row in rows %}{% for x in row %}{x}{% end %};{% end %}"
    assert render(text, rows=[[1, 2], [3]]) == "12;3;"


def test_if():
    assert render("{% if a %}yes{% end %}{% if b %}no{% end %}", a=1, b=0) == "yes"


def test_an_end_too_many():
    with pytest.raises(TemplateError):
        parse("{% end %}")


def test_an_end_is_missing():
    with pytest.raises(TemplateError):
        parse("{% if a %}")
""",
    held_back="""def test_after_the_loop_its_variable_is_unknown():
    with pytest.raises(TemplateError):
        render("{% for x in items %}{x}{% end %}{x}", items=[1])


def test_the_inner_loop_does_not_change_the_outer_variable():
    text = "{% for x in a %}{x}{% for x in b %}{x}{% end %}{x}{% end %}"
    assert render(text, a=[1, 2], b=[8]) == "181282"
""",
)

_EDITOR: Final = Program(
    name="editor",
    bug="missing statement",
    code='''"""A line editor with undo and redo."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    """Lines `old` at a place became `new`."""

    place: int
    old: tuple
    new: tuple


class Editor:
    """Edits lines of text; places count from 0."""

    def __init__(self, text=""):
        self.lines = text.split("\\n") if text else []
        self._done = []
        self._undone = []

    @property
    def text(self):
        """The whole text."""
        return "\\n".join(self.lines)

    def _check(self, place, is_end_allowed=False):
        last = len(self.lines) if is_end_allowed else len(self.lines) - 1
        if not 0 <= place <= last:
            raise IndexError(f"there is no line {place}")

    def _apply(self, change):
        self.lines[change.place : change.place + len(change.old)] = change.new

    def _do(self, change):
        self._apply(change)
        self._done.append(change)

    def insert(self, place, line):
        """Insert a line before a place; at the end if the place is the number of lines."""
        self._check(place, is_end_allowed=True)
        self._do(Change(place, (), (line,)))

    def append(self, line):
        """Add a line at the end."""
        self.insert(len(self.lines), line)

    def delete(self, place):
        """Delete a line and return it."""
        self._check(place)
        line = self.lines[place]
        self._do(Change(place, (line,), ()))
        return line

    def replace(self, place, line):
        """Put another line in a place."""
        self._check(place)
        self._do(Change(place, (self.lines[place],), (line,)))

    def substitute(self, old, new):
        """Replace a text in all lines; return how many lines changed."""
        count = 0
        for place, line in enumerate(self.lines):
            if old in line:
                self.replace(place, line.replace(old, new))
                count += 1
        return count

    def undo(self):
        """Take the last change back; tell whether there was one."""
        if not self._done:
            return False
        change = self._done.pop()
        self._apply(Change(change.place, change.new, change.old))
        self._undone.append(change)
        return True

    def redo(self):
        """Make the change again that was taken back last, unless another came since; tell whether there was one."""
        if not self._undone:
            return False
        change = self._undone.pop()
        self._apply(change)
        self._done.append(change)
        return True
''',
    wrong="        self._apply(change)\n        self._done.append(change)\n\n",
    right="        self._apply(change)\n        self._done.append(change)\n        self._undone.clear()\n\n",
    tests="""def test_append_and_insert():
    editor = Editor("a\\nc")
    editor.insert(1, "b")
    editor.append("d")
    assert editor.text == "a\\nb\\nc\\nd"


def test_delete_returns_the_line():
    editor = Editor("a\\nb")
    assert editor.delete(0) == "a"
    assert editor.text == "b"


def test_no_such_line():
    with pytest.raises(IndexError):
        Editor("a").delete(1)


def test_undo():
    editor = Editor("a")
    editor.replace(0, "b")
    assert editor.undo()
    assert editor.text == "a"


def test_redo():
    editor = Editor("a")
    editor.delete(0)
    editor.undo()
    assert editor.redo()
    assert editor.lines == []


def test_a_new_change_ends_the_redo():
    editor = Editor("a")
    editor.append("b")
    editor.undo()
    editor.append("c")
    assert not editor.redo()
    assert editor.text == "a\\nc"


def test_nothing_to_undo():
    assert not Editor("a").undo()


def test_substitute_counts_lines():
    editor = Editor("aa\\nb\\na")
    assert editor.substitute("a", "x") == 2
    assert editor.text == "xx\\nb\\nx"


def test_substitute_can_be_undone():
    editor = Editor("a\\na")
    editor.substitute("a", "b")
    editor.undo()
    editor.undo()
    assert editor.text == "a\\na"
""",
    held_back="""def test_redo_stays_possible_until_a_change():
    editor = Editor("a\\nb\\nc")
    editor.delete(2)
    editor.delete(1)
    editor.undo()
    editor.undo()
    assert editor.redo()
    assert editor.redo()
    assert editor.text == "a"


def test_a_replacement_ends_the_redo():
    editor = Editor("a\\nb")
    editor.delete(1)
    editor.undo()
    editor.replace(0, "x")
    assert not editor.redo()
    assert editor.text == "x\\nb"
""",
)

_BILL: Final = Program(
    name="split_bill",
    bug="missing case: the remainder",
    code='''"""Splits what friends spent together, and tells who pays whom."""

from dataclasses import dataclass, field


@dataclass
class Expense:
    """One bill in cents; equal shares for `among`, or shares by weight."""

    payer: str
    cents: int
    among: list
    weights: dict = field(default_factory=dict)


def split(cents, weights):
    """Split an amount by weights; cents that are left go to the first names, one each, so that nothing is lost."""
    total = sum(weights.values())
    if total <= 0:
        raise ValueError("somebody must have a share")
    shares = {}
    for name, weight in weights.items():
        shares[name] = cents * weight // total
    return shares


class Group:
    """Friends and their expenses."""

    def __init__(self, *names):
        if len(set(names)) < len(names):
            raise ValueError("two friends have the same name")
        self.names = list(names)
        self.expenses = []

    def spend(self, payer, cents, among=None, weights=None):
        """Note a bill; without `among` everybody has a share."""
        if cents <= 0:
            raise ValueError("a bill must be above 0")
        people = list(among or self.names)
        for name in [payer, *people, *(weights or {})]:
            if name not in self.names:
                raise KeyError(name)
        self.expenses.append(Expense(payer, cents, people, dict(weights or {})))

    def balances(self):
        """Return what everybody gets (above 0) or owes (below 0), in cents."""
        found = dict.fromkeys(self.names, 0)
        for expense in self.expenses:
            weights = expense.weights or dict.fromkeys(expense.among, 1)
            found[expense.payer] += expense.cents
            for name, share in split(expense.cents, weights).items():
                found[name] -= share
        return found

    def settle(self):
        """Return payments (from, to, cents) after which nobody owes anything."""
        balances = self.balances()
        debtors = sorted((-cents, name) for name, cents in balances.items() if cents < 0)
        creditors = sorted((cents, name) for name, cents in balances.items() if cents > 0)
        payments = []
        while debtors and creditors:
            debt, debtor = debtors.pop()
            credit, creditor = creditors.pop()
            paid = min(debt, credit)
            payments.append((debtor, creditor, paid))
            if debt > paid:
                debtors.append((debt - paid, debtor))
            if credit > paid:
                creditors.append((credit - paid, creditor))
        return payments

    def report(self):
        """Return one line per payment."""
        return [f"{one} pays {other} {cents / 100:.2f}" for one, other, cents in self.settle()]
''',
    wrong="        shares[name] = cents * weight // total\n",
    right="""        shares[name] = cents * weight // total
    left = cents - sum(shares.values())
    for name in list(shares)[:left]:
        shares[name] += 1
""",
    tests="""def test_equal_shares():
    assert split(900, {"a": 1, "b": 1, "c": 1}) == {"a": 300, "b": 300, "c": 300}


def test_weights():
    assert split(900, {"a": 2, "b": 1}) == {"a": 600, "b": 300}


def test_no_cent_is_lost():
    assert split(1000, {"a": 1, "b": 1, "c": 1}) == {"a": 334, "b": 333, "c": 333}


def test_no_shares():
    with pytest.raises(ValueError):
        split(100, {})


def test_balances():
    group = Group("ann", "bob")
    group.spend("ann", 1000)
    assert group.balances() == {"ann": 500, "bob": -500}


def test_among_some():
    group = Group("ann", "bob", "eve")
    group.spend("ann", 600, among=["bob", "eve"])
    assert group.balances() == {"ann": 600, "bob": -300, "eve": -300}


def test_settle():
    group = Group("ann", "bob", "eve")
    group.spend("ann", 900)
    group.spend("bob", 300)
    assert group.settle() == [("eve", "ann", 400), ("bob", "ann", 100)]


def test_unknown_friend():
    with pytest.raises(KeyError):
        Group("ann").spend("bob", 100)


def test_report():
    group = Group("ann", "bob")
    group.spend("bob", 250)
    assert group.report() == ["ann pays bob 1.25"]
""",
    held_back="""def test_the_first_names_take_the_cents_that_are_left():
    assert split(11, {"a": 1, "b": 1, "c": 1}) == {"a": 4, "b": 4, "c": 3}


def test_balances_sum_up_to_nothing():
    group = Group("a", "b", "c")
    group.spend("a", 1000)
    group.spend("b", 101, weights={"a": 1, "c": 2})
    assert sum(group.balances().values()) == 0
""",
)

_LEAGUE: Final = Program(
    name="league",
    bug="wrong sort order",
    code='''"""The table of a football league."""

from dataclasses import dataclass


@dataclass
class Row:
    """What a team has reached so far."""

    team: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    scored: int = 0
    received: int = 0

    @property
    def games(self):
        return self.won + self.drawn + self.lost

    @property
    def points(self):
        return 3 * self.won + self.drawn

    @property
    def difference(self):
        return self.scored - self.received

    def add(self, scored, received):
        """Count one game."""
        self.scored += scored
        self.received += received
        if scored > received:
            self.won += 1
        elif scored == received:
            self.drawn += 1
        else:
            self.lost += 1


def parse_result(line):
    """Read a line such as 'Reds 2:1 Blues'."""
    home, result, away = line.split()
    first, colon, second = result.partition(":")
    if not colon:
        raise ValueError(f"{result!r} is not a result")
    return home, int(first), int(second), away


class League:
    """Teams and the games that they played."""

    def __init__(self, *teams):
        self._rows = {team: Row(team) for team in teams}
        self._played = set()

    def play(self, line):
        """Count the result of a game; two teams meet once on each ground."""
        home, first, second, away = parse_result(line)
        if home == away:
            raise ValueError("a team does not play against itself")
        if (home, away) in self._played:
            raise ValueError(f"{home} and {away} have played already")
        for team in (home, away):
            if team not in self._rows:
                raise KeyError(team)
        self._played.add((home, away))
        self._rows[home].add(first, second)
        self._rows[away].add(second, first)

    def table(self):
        """Return the rows: most points first, then the best difference, then most goals, then by name."""
        return sorted(self._rows.values(), key=lambda row: (-row.points, -row.difference, row.scored, row.team))

    def place(self, team):
        """Return the place of a team, from 1."""
        return [row.team for row in self.table()].index(team) + 1

    def lines(self):
        """Return the table as text."""
        return [
            f"{place}. {row.team} {row.games} {row.scored}:{row.received} {row.points}"
            for place, row in enumerate(self.table(), 1)
        ]

    def left(self):
        """Return the games (home, away) that are still to be played, sorted."""
        teams = sorted(self._rows)
        return [(home, away) for home in teams for away in teams if home != away and (home, away) not in self._played]

    def is_over(self):
        """Tell whether all games have been played."""
        return not self.left()

    def best_attack(self):
        """Return the team with most goals; the name decides between equals."""
        return min(self._rows.values(), key=lambda row: (-row.scored, row.team)).team

    def can_still_win(self, team):
        """Tell whether a team would reach the points of the first one by winning all that is left."""
        games = sum(team in pair for pair in self.left())
        return self._rows[team].points + 3 * games >= max(row.points for row in self._rows.values())


def fixtures(teams):
    """Return rounds of games in which every team plays once, for an even number of teams."""
    if len(teams) % 2:
        raise ValueError("an even number of teams is needed")
    circle = list(teams)
    rounds = []
    for _ in range(len(teams) - 1):
        half = len(circle) // 2
        rounds.append(list(zip(circle[:half], reversed(circle[half:]))))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def champion(league):
    """Return the winner of a league that is over, else None."""
    return league.table()[0].team if league.is_over() else None
''',
    wrong="-row.difference, row.scored",
    right="-row.difference, -row.scored",
    tests="""def league(*lines):
    found = League("Reds", "Blues", "Greens", "Whites")
    for line in lines:
        found.play(line)
    return found


def order(found):
    return [row.team for row in found.table()]


def test_parse():
    assert parse_result("Reds 2:1 Blues") == ("Reds", 2, 1, "Blues")


def test_no_result():
    with pytest.raises(ValueError):
        parse_result("Reds 21 Blues")


def test_points_decide_first():
    assert order(league("Reds 1:0 Blues", "Greens 5:5 Whites"))[0] == "Reds"


def test_difference_decides_between_equal_points():
    assert order(league("Reds 1:0 Blues", "Greens 3:0 Whites"))[:2] == ["Greens", "Reds"]


def test_goals_decide_between_equal_differences():
    assert order(league("Greens 1:0 Whites", "Reds 3:2 Blues"))[:2] == ["Reds", "Greens"]


def test_the_name_decides_last():
    assert order(league("Reds 1:0 Blues", "Whites 1:0 Greens")) == ["Reds", "Whites", "Blues", "Greens"]


def test_a_game_counts_once():
    with pytest.raises(ValueError):
        league("Reds 1:0 Blues", "Reds 1:0 Blues")


def test_unknown_team():
    with pytest.raises(KeyError):
        league("Reds 1:0 Blacks")


def test_lines():
    assert league("Reds 2:1 Blues").lines()[0] == "1. Reds 1 2:1 3"
""",
    held_back="""def test_goals_among_three_teams():
    found = League("A", "B", "C", "D", "E", "F")
    for line in ("A 1:0 D", "B 4:3 E", "C 2:1 F"):
        found.play(line)
    assert [row.team for row in found.table()] == ["B", "C", "A", "E", "F", "D"]
    assert found.place("B") == 1
""",
)

_LIFE: Final = Program(
    name="life",
    bug="missing case: the edge",
    code='''"""Conway's game of life on a field with edges."""


class Field:
    """Cells in rows; what is outside of the field counts as dead."""

    def __init__(self, width, height):
        if width < 1 or height < 1:
            raise ValueError("a field needs at least one cell")
        self.width = width
        self.height = height
        self.cells = [[False] * width for _ in range(height)]

    @classmethod
    def parse(cls, text):
        """Read a picture with '#' for the living and '.' for the dead."""
        lines = text.split()
        field = cls(len(lines[0]), len(lines))
        for y, line in enumerate(lines):
            if len(line) != field.width:
                raise ValueError("all lines must be equally long")
            for x, letter in enumerate(line):
                field.cells[y][x] = letter == "#"
        return field

    def __str__(self):
        return "\\n".join("".join("#" if cell else "." for cell in row) for row in self.cells)

    def is_alive(self, x, y):
        """Tell whether a cell lives."""
        return x < self.width and y < self.height and self.cells[y][x]

    def neighbours(self, x, y):
        """Return how many of the eight cells around one live."""
        count = 0
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if (dx, dy) != (0, 0) and self.is_alive(x + dx, y + dy):
                    count += 1
        return count

    def step(self):
        """Return the next generation."""
        following = Field(self.width, self.height)
        for y in range(self.height):
            for x in range(self.width):
                count = self.neighbours(x, y)
                following.cells[y][x] = count == 3 or (count == 2 and self.cells[y][x])
        return following

    def population(self):
        """Return how many cells live."""
        return sum(map(sum, self.cells))


def run(field, steps):
    """Return the field after some generations."""
    for _ in range(steps):
        field = field.step()
    return field


def period(field, most=100):
    """Return after how many generations a field repeats, or None within `most`."""
    seen = {str(field): 0}
    for number in range(1, most + 1):
        field = field.step()
        if str(field) in seen:
            return number - seen[str(field)]
        seen[str(field)] = number
    return None
''',
    wrong="return x < self.width and y < self.height and",
    right="return 0 <= x < self.width and 0 <= y < self.height and",
    tests="""def test_picture():
    assert str(Field.parse("#. .#")) == "#.\\n.#"


def test_uneven_lines():
    with pytest.raises(ValueError):
        Field.parse("## #")


def test_block_stays():
    block = Field.parse(".... .##. .##. ....")
    assert str(block.step()) == str(block)


def test_blinker_has_a_period_of_two():
    assert period(Field.parse("..... ..#.. ..#.. ..#.. .....")) == 2


def test_lonely_cells_die():
    assert Field.parse("... .#. ...").step().population() == 0


def test_the_edges_do_not_touch():
    assert Field.parse("#... .... #... #..#").neighbours(0, 0) == 0


def test_glider_moves():
    glider = Field.parse(".#... ..#.. ###.. ..... .....")
    assert str(run(glider, 4)) == ".....\\n..#..\\n...#.\\n.###.\\n....."


def test_no_cells():
    with pytest.raises(ValueError):
        Field(0, 3)
""",
    held_back="""def test_nothing_is_born_over_the_edge():
    assert str(Field.parse("#..# .... .... #..#").step()) == "....\\n....\\n....\\n...."


def test_outside_is_dead():
    field = Field.parse("## ##")
    assert not field.is_alive(-1, 0)
    assert not field.is_alive(0, -1)
    assert not field.is_alive(2, 0)
    assert field.is_alive(1, 1)
""",
)

_CONFIG: Final = Program(
    name="config_layers",
    bug="missing copy",
    code='''"""Settings from several layers: defaults, a file, and the environment."""


class SettingError(Exception):
    """A setting cannot be read."""


def parse_value(text):
    """Read a value as bool, whole number, number, or text."""
    word = text.strip()
    if word.lower() in ("true", "yes", "on"):
        return True
    if word.lower() in ("false", "no", "off"):
        return False
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word.strip('"')


def parse_file(text):
    """Read lines 'key = value' below '[section]' lines; '#' begins a comment."""
    settings = {}
    section = settings
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        if line.startswith("[") and line.endswith("]"):
            section = settings.setdefault(line[1:-1].strip(), {})
        elif "=" in line:
            key, _, value = line.partition("=")
            section[key.strip()] = parse_value(value)
        else:
            raise SettingError(f"line {number}: {line!r} is no setting")
    return settings


def parse_environment(variables, prefix="APP_"):
    """Read APP_KEY and APP_SECTION__KEY."""
    settings = {}
    for name, value in variables.items():
        if not name.startswith(prefix):
            continue
        *path, key = name[len(prefix) :].lower().split("__")
        section = settings
        for part in path:
            section = section.setdefault(part, {})
        section[key] = parse_value(value)
    return settings


def merge(base, layer):
    """Return the settings of `base` with those of `layer` over them; neither is changed."""
    merged = base
    for key, value in layer.items():
        if isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = merge(merged[key], value)
        else:
            merged[key] = value
    return merged


def load(defaults, *layers):
    """Return all layers as one; a later one wins."""
    settings = merge({}, defaults)
    for layer in layers:
        settings = merge(settings, layer)
    return settings


def get(settings, path, default=None):
    """Return a value by its path, such as 'server.port'."""
    for part in path.split("."):
        if not isinstance(settings, dict) or part not in settings:
            return default
        settings = settings[part]
    return settings
''',
    wrong="    merged = base\n",
    right="    merged = dict(base)\n",
    tests="""def test_values():
    assert [parse_value(text) for text in ("on", "12", "1.5", '"x"')] == [True, 12, 1.5, "x"]


def test_file():
    text = "debug = no  # quiet\\n[server]\\nport = 80\\n"
    assert parse_file(text) == {"debug": False, "server": {"port": 80}}


def test_bad_line():
    with pytest.raises(SettingError):
        parse_file("port 80")


def test_environment():
    variables = {"APP_SERVER__PORT": "81", "APP_DEBUG": "yes", "HOME": "x"}
    assert parse_environment(variables) == {"server": {"port": 81}, "debug": True}


def test_a_later_layer_wins():
    assert load({"a": 1, "b": 1}, {"a": 2}, {"a": 3}) == {"a": 3, "b": 1}


def test_sections_are_merged():
    assert load({"s": {"a": 1, "b": 1}}, {"s": {"a": 2}})["s"] == {"a": 2, "b": 1}


def test_the_defaults_stay_as_they_are():
    defaults = {"server": {"port": 80}}
    load(defaults, {"server": {"port": 81}})
    assert defaults == {"server": {"port": 80}}


def test_get():
    assert get({"server": {"port": 80}}, "server.port") == 80
    assert get({}, "server.port", 1) == 1
""",
    held_back="""def test_neither_side_of_a_merge_is_changed():
    base, layer = {"a": {"b": {"c": 1}}, "d": 1}, {"a": {"b": {"e": 2}}, "d": 2}
    assert merge(base, layer) == {"a": {"b": {"c": 1, "e": 2}}, "d": 2}
    assert base == {"a": {"b": {"c": 1}}, "d": 1}
    assert layer == {"a": {"b": {"e": 2}}, "d": 2}
""",
)

_LIMITER: Final = Program(
    name="rate_limiter",
    bug="wrong comparison at a boundary",
    code='''"""Limits how often somebody may call in a window of time."""

from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """Whether a call is allowed, how many are left, and in how many seconds to try again."""

    is_allowed: bool
    left: int
    retry_after: float = 0.0


class RateLimiter:
    """Allows `limit` calls of each caller within any `window` seconds.

    A call no longer counts when exactly `window` seconds have passed.
    """

    def __init__(self, limit, window, clock):
        if limit < 1 or window <= 0:
            raise ValueError("limit and window must be above 0")
        self.limit = limit
        self.window = window
        self._clock = clock
        self._calls = {}
        self._banned = {}

    def _recent(self, caller):
        calls = self._calls.setdefault(caller, deque())
        now = self._clock()
        while calls and now - calls[0] > self.window:
            calls.popleft()
        return calls

    def call(self, caller):
        """Count a call, if it is allowed."""
        now = self._clock()
        if self._banned.get(caller, now) > now:
            return Answer(False, 0, self._banned[caller] - now)
        calls = self._recent(caller)
        if len(calls) >= self.limit:
            return Answer(False, 0, calls[0] + self.window - now)
        calls.append(now)
        return Answer(True, self.limit - len(calls))

    def left(self, caller):
        """Return how many calls are left now."""
        return self.limit - len(self._recent(caller))

    def ban(self, caller, seconds):
        """Allow nothing for a while."""
        self._banned[caller] = self._clock() + seconds

    def callers(self):
        """Return who called within the window, sorted; forget the others."""
        active = [caller for caller in list(self._calls) if self._recent(caller)]
        for caller in list(self._calls):
            if caller not in active:
                del self._calls[caller]
        return sorted(active)

    def reset(self, caller):
        """Forget the calls and the ban of one caller."""
        self._calls.pop(caller, None)
        self._banned.pop(caller, None)

    def busiest(self):
        """Return the caller with most calls within the window, or None."""
        callers = self.callers()
        if not callers:
            return None
        return max(callers, key=lambda caller: len(self._calls[caller]))


class Bucket:
    """Allows bursts: a bucket of tokens that fills with `rate` tokens a second up to `size`."""

    def __init__(self, size, rate, clock):
        if size < 1 or rate <= 0:
            raise ValueError("size and rate must be above 0")
        self.size = size
        self.rate = rate
        self._clock = clock
        self._tokens = float(size)
        self._filled = clock()

    def _fill(self):
        now = self._clock()
        self._tokens = min(self.size, self._tokens + (now - self._filled) * self.rate)
        self._filled = now

    def take(self, count=1):
        """Take tokens if there are enough; tell whether there were."""
        if count > self.size:
            raise ValueError(f"there are never {count} tokens")
        self._fill()
        if self._tokens < count:
            return False
        self._tokens -= count
        return True

    def wait_for(self, count=1):
        """Return the seconds until there are enough tokens; 0.0 if there are now."""
        self._fill()
        return max(0.0, (count - self._tokens) / self.rate)
''',
    wrong="now - calls[0] > self.window",
    right="now - calls[0] >= self.window",
    tests="""class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def limiter():
    clock = Clock()
    return RateLimiter(2, 10, clock), clock


def test_calls_are_counted():
    found, _ = limiter()
    assert found.call("ann").left == 1
    assert found.call("ann").left == 0


def test_one_too_many():
    found, clock = limiter()
    found.call("ann")
    clock.now += 4
    found.call("ann")
    assert found.call("ann") == Answer(False, 0, 6.0)


def test_a_call_stops_to_count_at_the_end_of_the_window():
    found, clock = limiter()
    found.call("ann")
    found.call("ann")
    clock.now += 10
    assert found.call("ann").is_allowed


def test_long_after():
    found, clock = limiter()
    found.call("ann")
    clock.now += 11
    assert found.left("ann") == 2


def test_callers_are_apart():
    found, _ = limiter()
    found.call("ann")
    assert found.left("bob") == 2


def test_ban():
    found, clock = limiter()
    found.ban("ann", 5)
    assert not found.call("ann").is_allowed
    clock.now += 5
    assert found.call("ann").is_allowed


def test_reset():
    found, _ = limiter()
    found.call("ann")
    found.reset("ann")
    assert found.left("ann") == 2


def test_no_limit():
    with pytest.raises(ValueError):
        RateLimiter(0, 10, Clock())
""",
    held_back="""def test_who_waits_as_told_is_let_in():
    now = [0.0]
    found = RateLimiter(1, 8, lambda: now[0])
    found.call("ann")
    now[0] = 3.0
    now[0] += found.call("ann").retry_after
    assert found.call("ann").is_allowed


def test_callers_at_the_end_of_the_window():
    now = [0.0]
    found = RateLimiter(1, 8, lambda: now[0])
    found.call("ann")
    now[0] = 8.0
    assert found.callers() == []
""",
)

_TRIE: Final = Program(
    name="autocomplete",
    bug="wrong condition",
    code='''"""A dictionary of words that completes what somebody types."""


class Node:
    """One letter; `count` says how often a word that ends here was added."""

    def __init__(self):
        self.children = {}
        self.count = 0


class Dictionary:
    """Words in a tree of letters."""

    def __init__(self, words=()):
        self._root = Node()
        self._size = 0
        for word in words:
            self.add(word)

    def __len__(self):
        return self._size

    def __contains__(self, word):
        node = self._find(word)
        return node is not None and node.count > 0

    def _find(self, text):
        node = self._root
        for letter in text:
            node = node.children.get(letter)
            if node is None:
                return None
        return node

    def add(self, word):
        """Add a word; the same word again counts more."""
        if not word:
            raise ValueError("an empty text is no word")
        node = self._root
        for letter in word:
            node = node.children.setdefault(letter, Node())
        if node.count == 0:
            self._size += 1
        node.count += 1

    def remove(self, word):
        """Remove a word and the letters that no other word needs; tell whether it was there."""
        path = [self._root]
        for letter in word:
            child = path[-1].children.get(letter)
            if child is None:
                return False
            path.append(child)
        if path[-1].count == 0:
            return False
        path[-1].count = 0
        self._size -= 1
        for place in range(len(word) - 1, -1, -1):
            child = path[place + 1]
            if child.children:
                break
            del path[place].children[word[place]]
        return True

    def complete(self, start, most=5):
        """Return words that begin with a text: those added most often first, then by the alphabet."""
        node = self._find(start)
        if node is None:
            return []
        found = []
        stack = [(start, node)]
        while stack:
            text, node = stack.pop()
            if node.count:
                found.append((-node.count, text))
            for letter, child in node.children.items():
                stack.append((text + letter, child))
        return [word for _, word in sorted(found)[:most]]

    def longest_prefix(self, text):
        """Return the longest word that a text begins with, or ''."""
        best = ""
        node = self._root
        for place, letter in enumerate(text, 1):
            node = node.children.get(letter)
            if node is None:
                break
            if node.count:
                best = text[:place]
        return best

    def words(self):
        """Return all words in the order of the alphabet."""
        found = []
        stack = [("", self._root)]
        while stack:
            text, node = stack.pop()
            if node.count:
                found.append(text)
            stack.extend((text + letter, child) for letter, child in node.children.items())
        return sorted(found)

    def similar(self, word):
        """Return the words that differ in exactly one letter, sorted."""
        found = []
        stack = [("", self._root, 0)]
        while stack:
            text, node, wrong = stack.pop()
            if len(text) == len(word):
                if node.count and wrong == 1:
                    found.append(text)
                continue
            for letter, child in node.children.items():
                more = wrong + (letter != word[len(text)])
                if more <= 1:
                    stack.append((text + letter, child, more))
        return sorted(found)

    def nodes(self):
        """Return how many letters the tree keeps."""
        count = 0
        stack = [self._root]
        while stack:
            children = stack.pop().children.values()
            count += len(children)
            stack.extend(children)
        return count
''',
    wrong="            if child.children:\n",
    right="            if child.children or child.count:\n",
    tests="""def test_contains():
    words = Dictionary(["car", "card"])
    assert "car" in words
    assert "ca" not in words


def test_size_counts_each_word_once():
    assert len(Dictionary(["a", "b", "a"])) == 2


def test_complete():
    assert Dictionary(["car", "card", "cat", "dog"]).complete("ca") == ["car", "card", "cat"]


def test_frequent_words_come_first():
    assert Dictionary(["car", "cat", "cat"]).complete("c", most=1) == ["cat"]


def test_nothing_to_complete():
    assert Dictionary(["car"]).complete("x") == []


def test_removing_a_short_word_keeps_the_long_one():
    words = Dictionary(["car", "card"])
    assert words.remove("car")
    assert "card" in words
    assert "car" not in words


def test_removing_a_long_word_keeps_the_short_one():
    words = Dictionary(["car", "card"])
    assert words.remove("card")
    assert words.complete("c") == ["car"]


def test_removing_what_is_not_there():
    assert not Dictionary(["car"]).remove("ca")


def test_longest_prefix():
    assert Dictionary(["a", "abc"]).longest_prefix("abcd") == "abc"
""",
    held_back="""def test_three_words_in_one_another():
    words = Dictionary(["in", "inn", "inner"])
    words.remove("inner")
    assert words.complete("i") == ["in", "inn"]
    assert len(words) == 2
    words.remove("inn")
    assert "in" in words
""",
)

PROGRAMS: Final = (
    _INVENTORY,
    _WRAP,
    _LRU,
    _MATRIX,
    _CALCULATOR,
    _SCHEDULER,
    _ROMAN,
    _CSV,
    _LEDGER,
    _ROUTES,
    _DATES,
    _MONTHS,
    _TEMPLATE,
    _EDITOR,
    _BILL,
    _LEAGUE,
    _LIFE,
    _CONFIG,
    _LIMITER,
    _TRIE,
)
