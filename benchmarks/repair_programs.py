"""Twenty small programs with a bug of one line each, what tests say of them, and what tests that were held back say."""

# ruff: noqa: E501 - a program is a line that nobody need read to its end

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PROGRAMS", "Program"]


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
