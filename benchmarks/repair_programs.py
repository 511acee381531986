"""Small programs with a one-line bug each, their tests, and held-back tests.

The operators of `jido_ai.repair.mutation_operators` were developed with the twenty `PROGRAMS`; the twelve
`OTHER_PROGRAMS` were written afterwards, and no operator was changed for them.
"""

# ruff: noqa: E501 - a program is a line that nobody need read to its end

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["OTHER_PROGRAMS", "PROGRAMS", "Program"]


@dataclass(frozen=True, slots=True)
class Program:
    """A program with one wrong line.

    Attributes:
        code: with the bug.
        tests: expressions that must be true; a search may use them.
        held_back: more of them, which no search sees.
    """

    name: str
    code: str
    tests: tuple[str, ...]
    held_back: tuple[str, ...]


PROGRAMS = (
    Program(
        "binary_search",
        "def find(items, key):\n    low, high = 0, len(items)\n    while low < high:\n        middle = (low + high) // 2\n"
        "        if items[middle] < key:\n            low = middle\n        else:\n            high = middle\n"
        "    return low if low < len(items) and items[low] == key else -1\n",  # low = middle + 1
        ("find([1, 3, 5], 5) == 2", "find([1, 3, 5], 4) == -1", "find([], 1) == -1", "find([2], 2) == 0"),
        ("find([1, 3, 5, 7, 9], 7) == 3", "find([1, 2], 3) == -1", "find([1, 2, 3, 4], 1) == 0"),
    ),
    Program(
        "leap_year",
        "def is_leap(year):\n    return year % 4 == 0 and year % 100 != 0 and year % 400 == 0\n",  # or
        ("is_leap(2024)", "not is_leap(1900)", "is_leap(2000)", "not is_leap(2023)"),
        ("is_leap(1996)", "not is_leap(2100)", "is_leap(2400)"),
    ),
    Program(
        "greatest_divisor",
        "def divisor(a, b):\n    while b:\n        a, b = b, b % a\n    return abs(a)\n",  # a % b
        ("divisor(12, 18) == 6", "divisor(7, 0) == 7", "divisor(17, 5) == 1"),
        ("divisor(100, 75) == 25", "divisor(0, 3) == 3", "divisor(-8, 12) == 4"),
    ),
    Program(
        "running_maximum",
        "def maxima(items):\n    found = []\n    best = None\n    for one in items:\n"
        "        if best is None or one < best:\n            best = one\n        found.append(best)\n    return found\n",  # >
        ("maxima([1, 3, 2]) == [1, 3, 3]", "maxima([]) == []", "maxima([2, 2]) == [2, 2]"),
        ("maxima([5, 1, 9, 8]) == [5, 5, 9, 9]", "maxima([-1, -2]) == [-1, -1]"),
    ),
    Program(
        "palindrome",
        "def is_palindrome(text):\n    for i in range(len(text) // 2):\n        if text[i] != text[-i]:\n"
        "            return False\n    return True\n",  # -i - 1
        ("is_palindrome('abba')", "not is_palindrome('abc')", "is_palindrome('')", "is_palindrome('aba')"),
        ("is_palindrome('racecar')", "not is_palindrome('abca')", "not is_palindrome('ab')"),
    ),
    Program(
        "median",
        "def median(items):\n    ranked = sorted(items)\n    half = len(ranked) // 2\n    if len(ranked) % 2 == 1:\n"
        "        return ranked[half]\n    return (ranked[half] + ranked[half + 1]) / 2\n",  # half - 1
        ("median([3, 1, 2]) == 2", "median([1, 2, 3, 4]) == 2.5", "median([5]) == 5"),
        ("median([1, 9]) == 5", "median([4, 1, 3, 2, 9, 8]) == 3.5"),
    ),
    Program(
        "discount",
        "def price(amount, percent):\n    if percent < 0 or percent > 100:\n        raise ValueError(percent)\n"
        "    return amount * percent / 100\n",  # (100 - percent)
        ("price(200, 10) == 180", "price(50, 0) == 50", "price(10, 100) == 0"),
        ("price(80, 25) == 60", "price(1000, 1) == 990"),
    ),
    Program(
        "bubble_sort",
        "def ranked(items):\n    found = list(items)\n    for end in range(len(found), 1, -1):\n"
        "        for i in range(1, end):\n            if found[i] < found[i - 1]:\n"
        "                found[i], found[i - 1] = found[i], found[i - 1]\n    return found\n",  # changed over
        ("ranked([3, 1, 2]) == [1, 2, 3]", "ranked([]) == []", "ranked([2, 1]) == [1, 2]"),
        ("ranked([5, 4, 3, 2, 1]) == [1, 2, 3, 4, 5]", "ranked([1, 1, 0]) == [0, 1, 1]"),
    ),
    Program(
        "clamp",
        "def clamp(value, low, high):\n    return max(low, max(value, high))\n",  # min
        ("clamp(5, 0, 3) == 3", "clamp(-1, 0, 3) == 0", "clamp(2, 0, 3) == 2"),
        ("clamp(3, 0, 3) == 3", "clamp(0.5, 0, 1) == 0.5", "clamp(-9, -5, 5) == -5"),
    ),
    Program(
        "count_words",
        "def counts(text):\n    found = {}\n    for word in text.lower().split():\n"
        "        found[word] = found.get(word, 1) + 1\n    return found\n",  # get(word, 0)
        ("counts('a b a') == {'a': 2, 'b': 1}", "counts('') == {}", "counts('A a') == {'a': 2}"),
        ("counts('x x x y') == {'x': 3, 'y': 1}",),
    ),
    Program(
        "prime",
        "def is_prime(n):\n    if n < 2:\n        return False\n    step = 2\n    while step * step < n:\n"
        "        if n % step == 0:\n            return False\n        step += 1\n    return True\n",  # <=
        ("is_prime(2)", "is_prime(7)", "not is_prime(9)", "not is_prime(1)", "not is_prime(12)"),
        ("not is_prime(25)", "is_prime(13)", "not is_prime(49)", "is_prime(3)", "not is_prime(15)"),
    ),
    Program(
        "transpose",
        "def transpose(rows):\n    if not rows:\n        return []\n"
        "    return [[rows[column][row] for row in range(len(rows))] for column in range(len(rows[0]))]\n",  # [row][column]
        ("transpose([[1, 2, 3], [4, 5, 6]]) == [[1, 4], [2, 5], [3, 6]]", "transpose([]) == []"),
        ("transpose([[1], [2]]) == [[1, 2]]", "transpose([[1, 2], [3, 4]]) == [[1, 3], [2, 4]]"),
    ),
    Program(
        "bank",
        "class Account:\n    def __init__(self, balance=0):\n        self.balance = balance\n\n"
        "    def withdraw(self, amount):\n        if amount >= self.balance:\n            return False\n"
        "        self.balance -= amount\n        return True\n",  # >
        ("Account(5).withdraw(5)", "not Account(5).withdraw(6)", "Account(9).withdraw(1)"),
        ("not Account().withdraw(1)", "Account().withdraw(0)"),
    ),
    Program(
        "moving_average",
        "def averages(items, width):\n    found = []\n    for start in range(len(items) - width):\n"
        "        found.append(sum(items[start : start + width]) / width)\n    return found\n",  # - width + 1
        ("averages([1, 2, 3, 4], 2) == [1.5, 2.5, 3.5]", "averages([5], 1) == [5]", "averages([1], 2) == []"),
        ("averages([3, 3, 3], 3) == [3]", "averages([1, 2, 3], 1) == [1, 2, 3]"),
    ),
    Program(
        "filter_open",
        "def open_tasks(tasks):\n    return [name for name, done in tasks if done]\n",  # not done
        ("open_tasks([('a', True), ('b', False)]) == ['b']", "open_tasks([]) == []"),
        ("open_tasks([('a', False), ('b', False)]) == ['a', 'b']",),
    ),
    Program(
        "celsius",
        "def celsius(fahrenheit):\n    return (fahrenheit - 32) * 9 / 5\n",  # * 5 / 9: two changes
        ("celsius(32) == 0", "celsius(212) == 100", "round(celsius(50)) == 10"),
        ("celsius(-40) == -40", "round(celsius(68)) == 20"),
    ),
    Program(
        "best_student",
        "def best(grades):\n    return sorted(grades, key=lambda name: (grades[name], name))[0]\n",  # -grades[name]
        ("best({'a': 1, 'b': 3}) == 'b'", "best({'x': 2}) == 'x'", "best({'c': 3, 'b': 3}) == 'b'"),
        ("best({'a': 9, 'b': 3, 'c': 9}) == 'a'", "best({'z': 5, 'y': 1}) == 'z'"),
    ),
    Program(
        "last_page",
        "def pages(items, size):\n    return items // size + 1\n",  # -(-items // size): no operator has it
        ("pages(10, 5) == 2", "pages(11, 5) == 3", "pages(0, 5) == 0"),
        ("pages(1, 5) == 1", "pages(15, 5) == 3"),
    ),
    Program(
        "triangle",
        "def kind(a, b, c):\n    if a == b and b == c:\n        return 'equilateral'\n    if a == b or b == c or a == b:\n"
        "        return 'isosceles'\n    return 'scalene'\n",  # a == c
        ("kind(2, 2, 2) == 'equilateral'", "kind(2, 3, 2) == 'isosceles'", "kind(3, 3, 2) == 'isosceles'",
         "kind(2, 3, 4) == 'scalene'"),
        ("kind(2, 3, 3) == 'isosceles'", "kind(5, 4, 5) == 'isosceles'", "kind(3, 4, 5) == 'scalene'"),
    ),
    Program(
        "withdrawal_fee",
        "LIMIT = 100\n\n\ndef fee(amount):\n    if amount >= LIMIT:\n        return 0\n    return 2\n",  # > LIMIT
        ("fee(50) == 2", "fee(100) == 2", "fee(200) == 0"),
        ("fee(101) == 0", "fee(99) == 2"),
    ),
)  # fmt: skip

OTHER_PROGRAMS = (
    Program(
        "roman",
        "VALUES = {'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100}\n\n\ndef number(text):\n    total = 0\n"
        "    for one, following in zip(text, text[1:] + 'I'):\n        value = VALUES[one]\n"
        "        total += -value if value <= VALUES[following] else value\n    return total\n",  # <
        ("number('IV') == 4", "number('XX') == 20", "number('VIII') == 8"),
        ("number('XC') == 90", "number('LXXX') == 80", "number('III') == 3"),
    ),
    Program(
        "flatten",
        "def flatten(items):\n    found = []\n    for one in items:\n        if isinstance(one, list):\n"
        "            found.append(flatten(one))\n        else:\n            found.append(one)\n    return found\n",  # extend
        ("flatten([1, [2, [3]]]) == [1, 2, 3]", "flatten([]) == []", "flatten([1]) == [1]"),
        ("flatten([[[]], [4]]) == [4]", "flatten([[1, 2], [3]]) == [1, 2, 3]"),
    ),
    Program(
        "caesar",
        "def shifted(text, by):\n    return ''.join(chr((ord(one) - 97 + by) % 25 + 97) for one in text)\n",  # 26
        ("shifted('abc', 1) == 'bcd'", "shifted('xyz', 3) == 'abc'", "shifted('', 5) == ''"),
        ("shifted('a', 26) == 'a'", "shifted('m', 13) == 'z'", "shifted('n', 13) == 'a'"),
    ),
    Program(
        "intervals",
        "def merged(intervals):\n    found = []\n    for start, end in sorted(intervals):\n"
        "        if found and start < found[-1][1]:\n            found[-1] = (found[-1][0], max(found[-1][1], end))\n"
        "        else:\n            found.append((start, end))\n    return found\n",  # <=
        ("merged([(1, 3), (3, 5)]) == [(1, 5)]", "merged([(1, 2), (4, 5)]) == [(1, 2), (4, 5)]", "merged([]) == []"),
        ("merged([(1, 9), (2, 3)]) == [(1, 9)]", "merged([(5, 6), (1, 5), (8, 9)]) == [(1, 6), (8, 9)]"),
    ),
    Program(
        "least_multiple",
        "def divisor(a, b):\n    return a if b == 0 else divisor(b, a % b)\n\n\n"
        "def multiple(a, b):\n    return a * b // divisor(a, a)\n",  # divisor(a, b)
        ("multiple(4, 6) == 12", "multiple(3, 5) == 15", "multiple(7, 7) == 7"),
        ("multiple(10, 4) == 20", "multiple(1, 9) == 9"),
    ),
    Program(
        "rotate",
        "def rotated(items, by):\n    by %= len(items)\n    return items[by:] + items[:-by]\n",  # [:by]
        ("rotated([1, 2, 3, 4, 5], 2) == [3, 4, 5, 1, 2]", "rotated([1, 2], 1) == [2, 1]", "rotated([1, 2, 3], 3) == [1, 2, 3]"),
        ("rotated([1, 2, 3, 4], 1) == [2, 3, 4, 1]", "rotated([9, 8, 7], 0) == [9, 8, 7]"),
    ),
    Program(
        "bits",
        "def count(n):\n    found = 0\n    while n:\n        n &= n + 1\n        found += 1\n    return found\n",  # n - 1
        ("count(0) == 0", "count(5) == 2", "count(8) == 1"),
        ("count(255) == 8", "count(6) == 2", "count(1) == 1"),
    ),
    Program(
        "fibonacci",
        "def fibonacci(n):\n    a, b = 0, 1\n    for _ in range(n - 1):\n        a, b = b, a + b\n    return a\n",  # range(n)
        ("fibonacci(1) == 1", "fibonacci(7) == 13", "fibonacci(0) == 0"),
        ("fibonacci(2) == 1", "fibonacci(10) == 55"),
    ),
    Program(
        "unique",
        "def unique(items):\n    seen = set()\n    found = []\n    for one in items:\n        if one in seen:\n"
        "            seen.add(one)\n            found.append(one)\n    return found\n",  # not in
        ("unique([1, 2, 1]) == [1, 2]", "unique([]) == []"),
        ("unique('abca') == ['a', 'b', 'c']", "unique([3, 3, 3]) == [3]"),
    ),
    Program(
        "luhn",
        "def is_valid(digits):\n    total = 0\n    for place, digit in enumerate(reversed(digits)):\n"
        "        value = int(digit)\n        if place % 2 == 0:\n            value = value * 2 - 9 * (value > 4)\n"
        "        total += value\n    return total % 10 == 0\n",  # == 1
        ("is_valid('79927398713')", "not is_valid('79927398710')", "is_valid('0')"),
        ("is_valid('4539578763621486')", "not is_valid('4539578763621487')", "is_valid('18')"),
    ),
    Program(
        "balanced",
        "PAIRS = {')': '(', ']': '['}\n\n\ndef is_balanced(text):\n    opened = []\n    for one in text:\n"
        "        if one in '([':\n            opened.append(one)\n"
        "        elif one in PAIRS and (not opened or opened.pop() != PAIRS[one]):\n            return False\n"
        "    return True\n",  # not opened
        ("is_balanced('(a[b])')", "not is_balanced('(')", "not is_balanced('(]')", "is_balanced('')"),
        ("not is_balanced('[()')", "is_balanced('[](())')", "not is_balanced(')')"),
    ),
    Program(
        "histogram",
        "def histogram(items, width):\n    found = {}\n    for one in items:\n        start = one // width * width\n"
        "        found[start] = found.get(start, 0)\n    return found\n",  # + 1
        ("histogram([1, 2, 11], 10) == {0: 2, 10: 1}", "histogram([], 5) == {}"),
        ("histogram([5, 5, 9], 5) == {5: 3}", "histogram([0, 4, 8], 4) == {0: 1, 4: 1, 8: 1}"),
    ),
)  # fmt: skip
