"""Programs of arithmetic."""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="fraction",
        code="""\
from math import gcd


class Fraction:
    def __init__(self, top, bottom=1):
        if bottom == 0:
            raise ZeroDivisionError("bottom is zero")
        if bottom < 0:
            top, bottom = -top, -bottom
        divisor = gcd(top, bottom)
        self.top = top // divisor
        self.bottom = bottom // divisor

    def __eq__(self, other):
        return (self.top, self.bottom) == (other.top, other.bottom)

    def __add__(self, other):
        return Fraction(self.top * other.bottom + other.top, self.bottom * other.bottom)

    def __mul__(self, other):
        return Fraction(self.top * other.top, self.bottom * other.bottom)

    def __repr__(self):
        return f"{self.top}/{self.bottom}"
""",
        wrong="self.top * other.bottom + other.top,",
        right="self.top * other.bottom + other.top * self.bottom,",
        visible="""\
def test_reduced():
    assert repr(Fraction(6, -4)) == "-3/2"


def test_add_whole():
    assert Fraction(2) + Fraction(3) == Fraction(5)


def test_add():
    assert Fraction(1, 2) + Fraction(1, 3) == Fraction(5, 6)


def test_mul():
    assert Fraction(2, 3) * Fraction(3, 4) == Fraction(1, 2)


def test_zero():
    with pytest.raises(ZeroDivisionError):
        Fraction(1, 0)
""",
        hidden="""\
def test_add_more():
    assert Fraction(1, 4) + Fraction(1, 4) == Fraction(1, 2)
    assert Fraction(-1, 6) + Fraction(2, 9) == Fraction(1, 18)
    assert Fraction(3, 7) + Fraction(5) == Fraction(38, 7)
""",
    ),
    Program(
        name="compound_interest",
        code='''\
def balance(principal, rate, years, per_year=12):
    """Return the balance in cents after so many years at the yearly rate."""
    amount = principal
    for _ in range(years * per_year):
        amount += amount * rate
    return round(amount)


def years_to_double(rate):
    years = 0
    amount = 1.0
    while amount < 2.0:
        amount *= 1 + rate
        years += 1
    return years
''',
        wrong="amount += amount * rate\n",
        right="amount += amount * rate / per_year\n",
        visible="""\
def test_no_interest():
    assert balance(1000, 0.0, 5) == 1000


def test_yearly():
    assert balance(1000, 0.1, 2, per_year=1) == 1210


def test_monthly():
    assert balance(100000, 0.12, 1) == 112683


def test_double():
    assert years_to_double(1.0) == 1
    assert years_to_double(0.07) == 11
""",
        hidden="""\
def test_quarterly():
    assert balance(100000, 0.08, 1, per_year=4) == 108243
    assert balance(50000, 0.06, 2) == 56358


def test_daily():
    assert balance(1000000, 0.05, 1, per_year=365) == 1051267
""",
    ),
    Program(
        name="base_convert",
        code='''\
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def to_base(number, base):
    """Return the digits of a whole number in a base from 2 to 36."""
    if not 2 <= base <= 36:
        raise ValueError(f"base {base}")
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    number = abs(number)
    digits = []
    while number:
        number, digit = divmod(number, base)
        digits.append(DIGITS[digit])
    return sign + "".join(digits)


def from_base(text, base):
    sign = -1 if text.startswith("-") else 1
    value = 0
    for digit in text.lstrip("-"):
        value = value * base + DIGITS.index(digit.lower())
    return sign * value
''',
        wrong='sign + "".join(digits)',
        right='sign + "".join(reversed(digits))',
        visible="""\
def test_zero():
    assert to_base(0, 2) == "0"


def test_binary():
    assert to_base(5, 2) == "101"
    assert to_base(6, 2) == "110"


def test_hexadecimal():
    assert to_base(-254, 16) == "-fe"


def test_back():
    assert from_base("-Ff", 16) == -255


def test_base():
    with pytest.raises(ValueError):
        to_base(3, 1)
""",
        hidden="""\
def test_round_trip():
    for base in (2, 7, 10, 36):
        for number in (-1000, -1, 0, 12, 4711, 10**12):
            assert from_base(to_base(number, base), base) == number


def test_decimal():
    assert to_base(1234, 10) == "1234"
""",
    ),
    Program(
        name="statistics",
        code='''\
from math import sqrt


def mean(values):
    if not values:
        raise ValueError("no values")
    return sum(values) / len(values)


def variance(values):
    """Return the sample variance."""
    if len(values) < 2:
        raise ValueError("need two values")
    middle = mean(values)
    return sum((v - middle) ** 2 for v in values) / len(values)


def deviation(values):
    return sqrt(variance(values))


def z_scores(values):
    middle, spread = mean(values), deviation(values)
    return [(v - middle) / spread for v in values]
''',
        wrong="for v in values) / len(values)",
        right="for v in values) / (len(values) - 1)",
        visible="""\
def test_mean():
    assert mean([1, 2, 6]) == 3


def test_constant():
    assert variance([4, 4, 4]) == 0


def test_variance():
    assert variance([1, 2, 3]) == 1
    assert variance([2, 4]) == 2


def test_needs_two():
    with pytest.raises(ValueError):
        variance([1])


def test_z():
    assert z_scores([1, 2, 3]) == [-1, 0, 1]
""",
        hidden="""\
def test_larger():
    assert variance([2, 4, 4, 4, 5, 5, 7, 9]) == pytest.approx(32 / 7)
    assert deviation([0, 10]) == pytest.approx(7.0710678)
    assert variance([1, 2, 3, 4, 5, 6]) == pytest.approx(3.5)
""",
    ),
    Program(
        name="digits",
        code='''\
def digit_sum(number):
    total = 0
    number = abs(number)
    while number > 0:
        total += number % 10
        number //= 10
    return total


def digital_root(number):
    """Sum the digits until one is left."""
    while number > 9:
        number = digit_sum(number)
    return number


def luhn_valid(code):
    """Tell whether the last digit of a card number checks the others."""
    total = 0
    for place, char in enumerate(reversed(code)):
        digit = int(char)
        if place % 2 == 0:
            digit *= 2
            if digit > 9:
                digit -= 9
        total += digit
    return total % 10 == 0
''',
        wrong="place % 2 == 0",
        right="place % 2 == 1",
        visible="""\
def test_digit_sum():
    assert digit_sum(1234) == 10
    assert digit_sum(-56) == 11


def test_root():
    assert digital_root(987) == 6


def test_valid():
    assert luhn_valid("79927398713")
    assert luhn_valid("18")


def test_invalid():
    assert not luhn_valid("79927398710")


def test_zeros():
    assert luhn_valid("0000")
""",
        hidden="""\
def test_cards():
    assert luhn_valid("4539578763621486")
    assert luhn_valid("4111111111111111")
    assert not luhn_valid("4111111111111112")
    assert not luhn_valid("81")


def test_only_one_check_digit():
    assert sum(luhn_valid("7992739871" + str(n)) for n in range(10)) == 1
""",
    ),
    Program(
        name="roman",
        code="""\
VALUES = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def to_roman(number):
    if not 0 < number < 4000:
        raise ValueError(number)
    text = ""
    for value, letters in VALUES:
        while number > value:
            text += letters
            number -= value
    return text


def from_roman(text):
    total = 0
    single = {letters: value for value, letters in VALUES if len(letters) == 1}
    for place, letter in enumerate(text):
        value = single[letter]
        if place + 1 < len(text) and single[text[place + 1]] > value:
            total -= value
        else:
            total += value
    return total
""",
        wrong="while number > value",
        right="while number >= value",
        visible="""\
def test_range():
    with pytest.raises(ValueError):
        to_roman(0)
    with pytest.raises(ValueError):
        to_roman(4000)


def test_small():
    assert to_roman(1) == "I"
    assert to_roman(4) == "IV"
    assert to_roman(8) == "VIII"


def test_large():
    assert to_roman(1994) == "MCMXCIV"


def test_back():
    assert from_roman("MCMXCIV") == 1994
""",
        hidden="""\
def test_round_trip():
    for number in range(1, 400):
        assert from_roman(to_roman(number)) == number


def test_known():
    assert to_roman(3999) == "MMMCMXCIX"
    assert to_roman(40) == "XL"
""",
    ),
)
