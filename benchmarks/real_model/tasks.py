"""Forty tasks whose answers a program can check: 18 of form, 10 of words and numbers, 12 functions to write. Pure.

Forty others are of the same kinds. A check returns one message per fault, in plain words; none means that the answer
passes. An empty answer fails each of them, and so does one that repeats a word to fill the form.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import pairwise
from typing import Final

__all__ = ["OTHERS", "TASKS", "Check", "Task"]

Check = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Task:
    """One task.

    Attributes:
        id: unique among all tasks.
        family: "form", "word" or "code".
        prompt: as the model is asked.
        check: judges an answer; None for a function, which `tests` judge.
        tests: pairs of a call and of the value that it must return, both as Python expressions.
        n_checks: the most faults that an answer can have, for the score.
    """

    id: str
    family: str
    prompt: str
    check: Check | None = None
    tests: tuple[tuple[str, str], ...] = ()
    n_checks: int = 1


_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _sentences(text: str) -> list[str]:
    return [one for one in re.split(r"(?<=[.!?])\s+", text.strip()) if one]


def _is_hollow(text: str, least: int) -> bool:
    """Tell whether a text has fewer than `least` words, or says mostly the same ones again."""
    found = [word.lower() for word in _words(text)]
    return len(found) < least or len(set(found)) * 2 < len(found)


def _hollow_lines(lines: Sequence[str], least: int) -> list[str]:
    if len({line.lower() for line in lines}) < len(lines):
        return ["some lines are the same; each must say something else"]
    empty = [line for line in lines if _is_hollow(line, least)]
    return [f"the line {empty[0]!r} says too little; it needs {least} different words"] if empty else []


def _lines_wrong(lines: Sequence[str], count: int) -> list[str]:
    return [] if len(lines) == count else [f"the answer has {len(lines)} lines; it must have exactly {count}"]


def _all(*checks: Check) -> Check:
    return lambda text: [message for check in checks for message in check(text)]


def _mentions(word: str) -> Check:
    def check(text: str) -> list[str]:
        found = re.search(rf"\b{word}", text, re.IGNORECASE)
        return [] if found else [f"the word '{word}' does not occur in the answer"]

    return check


def _acrostic(word: str) -> Check:
    def check(text: str) -> list[str]:
        lines = _lines(text)
        wrong = _lines_wrong(lines, len(word))
        for number, (letter, line) in enumerate(zip(word, lines, strict=False), 1):
            if not line.upper().startswith(letter):
                wrong.append(f"line {number} begins with {line[0]!r}; it must begin with {letter!r}")
        return wrong or _hollow_lines(lines, 3)

    return check


_Kinds = dict[str, tuple[str, str]]
_TEXT: Final = (r".*[^\W\d_]{2}.*", "a text")


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], count: int, kinds: _Kinds) -> list[str]:
    """Check rows of cells, the header first; `kinds` has a pattern for the cells of some columns, and its name."""
    if not rows or [cell.strip().lower() for cell in rows[0]] != list(columns):
        return [f"the first line must be the header with the columns {', '.join(columns)}"]
    wrong: list[str] = []
    body = [[cell.strip() for cell in row] for row in rows[1:]]
    if len(body) != count:
        wrong.append(f"there are {len(body)} rows below the header; there must be exactly {count}")
    for number, row in enumerate(body, 1):
        if len(row) != len(columns):
            wrong.append(f"row {number} has {len(row)} cells; it must have {len(columns)}")
            continue
        for column, cell in zip(columns, row, strict=True):
            pattern, wanted = kinds.get(column, _TEXT)
            if not re.fullmatch(pattern, cell):
                wrong.append(f"row {number} has {cell[:30]!r} in the column {column}; it must be {wanted}")
    if len({tuple(row[:1]) for row in body}) < len(body):
        wrong.append("two rows begin with the same cell; each must be about another one")
    return wrong


def _csv(columns: Sequence[str], count: int, **kinds: tuple[str, str]) -> Check:
    return lambda text: _table(columns, list(csv.reader(_lines(text), skipinitialspace=True)), count, kinds)


def _markdown(columns: Sequence[str], count: int) -> Check:
    def check(text: str) -> list[str]:
        lines = _lines(text)
        if not all(line.startswith("|") and line.endswith("|") and len(line) > 1 for line in lines):
            return ["every line must begin and end with '|'; write nothing but the table"]
        rows = [line[1:-1].split("|") for line in lines]
        if len(rows) < 2 or not all(re.fullmatch(r"\s*:?-{2,}:?\s*", cell) for cell in rows[1]):
            return ["the second line of the table must be the line of dashes, such as | --- | --- |"]
        return _table(columns, [rows[0], *rows[2:]], count, {})

    return check


def _fields(*names: str) -> Check:
    def check(text: str) -> list[str]:
        lines = _lines(text)
        wrong = _lines_wrong(lines, len(names))
        for number, (name, line) in enumerate(zip(names, lines, strict=False), 1):
            begin, _, value = line.partition(":")
            if begin != name:
                wrong.append(f"line {number} must begin with '{name}:'; it is {line[:40]!r}")
            elif len(re.sub(r"\W", "", value)) < 2:
                wrong.append(f"there is nothing after '{name}:'")
        return wrong

    return check


def _letter(name: str, closing: str) -> Check:
    def check(text: str) -> list[str]:
        lines = _lines(text)
        wrong: list[str] = []
        if not lines or not re.match(r"Subject: \S", lines[0]):
            wrong.append("the first line must begin with 'Subject: ' and tell what the message is about")
        if len(lines) < 2 or lines[1] != f"Dear {name},":
            wrong.append(f"the line after the subject must be exactly 'Dear {name},'")
        if not lines or lines[-1] != closing:
            wrong.append(f"the last line must be exactly '{closing}'")
        if _is_hollow(" ".join(lines[2:-1]), 6):
            wrong.append("the text between greeting and ending is missing, or too short")
        return wrong

    return check


def _words_per_line(*counts: int) -> Check:
    def check(text: str) -> list[str]:
        lines = _lines(text)
        wrong = _lines_wrong(lines, len(counts))
        for number, (count, line) in enumerate(zip(counts, lines, strict=False), 1):
            if len(_words(line)) != count:
                wrong.append(f"line {number} has {len(_words(line))} words; it must have exactly {count}")
        if _is_hollow(text, 1):
            wrong.append("the lines repeat the same words; use different ones")
        return wrong

    return check


def _sentences_begin(word: str, count: int) -> Check:
    def check(text: str) -> list[str]:
        found = _sentences(text)
        wrong = [] if len(found) == count else [f"there are {len(found)} sentences; there must be exactly {count}"]
        wrong += [
            f"sentence {number} begins with {(_words(one) or ['nothing'])[0]!r}; it must begin with '{word}'"
            for number, one in enumerate(found, 1)
            if _words(one)[:1] != [word]
        ]
        return wrong or _hollow_lines(found, 3)

    return check


_FRUITS: Final = (
    "apple apricot avocado banana blackberry blackcurrant blueberry cantaloupe cherry clementine coconut cranberry "
    "currant date dragonfruit durian elderberry fig gooseberry grape grapefruit guava honeydew huckleberry jackfruit "
    "kiwi kumquat lemon lime loganberry loquat lychee mandarin mango mulberry nectarine olive orange papaya "
    "passionfruit peach pear persimmon pineapple plantain plum pomegranate pomelo quince raspberry rhubarb satsuma "
    "starfruit strawberry tangerine tomato watermelon"
)


def _sorted_fruits(count: int) -> Check:
    names = _FRUITS.split()
    known = {*names, *(f"{name}{end}" for name in names for end in ("s", "es")), *(f"{name[:-1]}ies" for name in names)}

    def check(text: str) -> list[str]:
        lines = [line.lower() for line in _lines(text)]
        wrong = _lines_wrong(lines, count)
        strange = [line for line in lines if line not in known]
        if strange:
            wrong.append(f"{strange[0][:40]!r} is not the name of one fruit; a line is one name and nothing else")
        if len(set(lines)) < len(lines):
            wrong.append("a fruit is named twice")
        for first, second in pairwise(lines):
            if second < first:
                wrong.append(f"the order is not alphabetical: {second[:20]!r} must come before {first[:20]!r}")
                break
        return wrong

    return check


def _alliteration(letter: str, count: int) -> Check:
    def check(text: str) -> list[str]:
        found = _words(text)
        wrong = [] if len(found) == count else [f"the answer has {len(found)} words; it must have exactly {count}"]
        others = [word for word in found if not word.lower().startswith(letter)]
        if others:
            wrong.append(f"these words do not begin with '{letter}': {', '.join(others[:5])}")
        bare = [word for word in found if len(word) < 2 or not re.search(r"[aeiouy]", word.lower())]
        if bare or _is_hollow(text, 1) or len({word.lower() for word in found}) < len(found):
            wrong.append("the words must be different English words")
        return wrong

    return check


class _Items(HTMLParser):
    """Reads the list items of an HTML list."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.items: list[str] = []
        self.outside = ""
        self.broken = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.open.append(tag)
        self.tags.append(tag)
        if tag == "li":
            self.items.append("")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.broken = self.broken or tag

    def handle_data(self, data: str) -> None:
        if "li" in self.open:
            self.items[-1] += data
        else:
            self.outside += data.strip()


def _html_list(count: int) -> Check:
    def check(text: str) -> list[str]:
        found = _Items(text)
        if found.broken or found.open:
            return [f"the tag <{found.broken or found.open[-1]}> is not opened and closed properly"]
        if found.tags != ["ul", *["li"] * count]:
            return [f"the answer must be one <ul> with {count} <li> in it; it has {found.tags.count('li')} <li>"]
        if found.outside:
            return [f"there is text outside of the list items: {found.outside[:40]!r}"]
        return _hollow_lines([item.strip() for item in found.items], 1)

    return check


def _dialogue(first: str, second: str, count: int) -> Check:
    def check(text: str) -> list[str]:
        lines = _lines(text)
        wrong = _lines_wrong(lines, count)
        for number, line in enumerate(lines[:count]):
            name = (first, second)[number % 2]
            if not line.startswith(f"{name}: "):
                wrong.append(f"line {number + 1} must begin with '{name}: '; it is {line[:30]!r}")
        return wrong or _hollow_lines([line.partition(": ")[2] for line in lines], 2)

    return check


def _hashtags(count: int) -> Check:
    def check(text: str) -> list[str]:
        found = text.split()
        wrong = [] if len(found) == count else [f"there are {len(found)} parts; there must be {count} hashtags alone"]
        strange = [one for one in found if not re.fullmatch(r"#[a-z]{3,}", one)]
        if strange:
            wrong.append(f"{strange[0][:30]!r} is no hashtag of '#' and lower case letters")
        if len(set(found)) < len(found):
            wrong.append("a hashtag occurs twice")
        return wrong

    return check


def _sections(*names: str) -> Check:
    def check(text: str) -> list[str]:
        lines = _lines(text)
        heads = [f"{name}:" for name in names]
        if [line for line in lines if line in heads] != heads or lines[0] != heads[0]:
            return [f"the answer must have the lines {' and '.join(map(repr, heads))}, in this order, each alone"]
        wrong: list[str] = []
        ends = [*[lines.index(head) for head in heads], len(lines)]
        for name, begin, end in zip(names, ends, ends[1:], strict=False):
            section = lines[begin + 1 : end]
            if len(section) < 2:
                wrong.append(f"the section '{name}:' has {len(section)} lines; it needs at least 2")
            wrong += _hollow_lines(section, 1)
        return wrong

    return check


def _json_numbers(count: int) -> Check:
    def check(text: str) -> list[str]:
        fenced = re.fullmatch(r"\s*```\w*\n(.*?)\n```\s*", text, re.DOTALL)
        try:
            value: object = json.loads(fenced[1] if fenced else text)
        except ValueError as error:
            return [f"the answer is not JSON: {str(error)[:80]}"]
        numbers = value if isinstance(value, list) else []
        if len(numbers) != count or not all(type(one) is int for one in numbers):
            return [f"the answer must be a JSON array of exactly {count} whole numbers"]
        wrong: list[str] = []
        odd = [one for one in numbers if one % 2]
        if odd:
            wrong.append(f"{odd[0]} is not an even number")
        if any(second <= first for first, second in pairwise(numbers)):
            wrong.append("the numbers do not rise from the first to the last")
        return wrong

    return check


def _rating(sentences: int) -> Check:
    def check(text: str) -> list[str]:
        lines = _lines(text)
        wrong: list[str] = []
        if not lines or not re.fullmatch(r"Rating: [1-5]/5", lines[-1]):
            wrong.append("the last line must be 'Rating: N/5' with N from 1 to 5, and nothing else")
            found = _sentences(re.sub(r"Rating: [1-5]/5", "", " ".join(lines)))
        else:
            found = _sentences(" ".join(lines[:-1]))
        if len(found) != sentences:
            wrong.append(f"there are {len(found)} sentences before the rating; there must be {sentences}")
        if not wrong:
            wrong += _hollow_lines(found, 3)
        return wrong

    return check


def _says(before: str) -> Check:
    def check(text: str) -> list[str]:
        wrong: list[str] = []
        spoken = re.search(r"[\"“]([^\"“”]+)[\"”]", text)
        if not spoken or _is_hollow(spoken[1], 2):
            wrong.append('what is said must be in double quotation marks, such as "It rains"')
        if before not in re.sub(r"[\"“][^\"“”]*[\"”]", "", text):
            wrong.append(f"the answer must contain '{before}' outside of the quotation marks")
        if len(_lines(text)) != 1:
            wrong.append(f"the answer has {len(_lines(text))} lines; it must be one sentence on one line")
        return wrong

    return check


def _clock_lines(count: int) -> Check:
    def check(text: str) -> list[str]:
        lines = _lines(text)
        wrong = _lines_wrong(lines, count)
        times: list[str] = []
        for number, line in enumerate(lines, 1):
            found = re.match(r"([01]\d|2[0-3]):[0-5]\d \S", line)
            if found:
                times.append(line[:5])
            else:
                wrong.append(f"line {number} must begin with a time such as 07:30, then a space and what is done")
        if times != sorted(set(times)):
            wrong.append("the times must rise from line to line")
        return wrong or _hollow_lines([line[6:] for line in lines], 1)

    return check


FORM: Final = (
    Task(
        "acrostic/lamp",
        "form",
        "Write an acrostic for the word LAMP: exactly four lines that begin with L, A, M and P. Each line has at least "
        "three words. Write nothing else.",
        _acrostic("LAMP"),
        n_checks=3,
    ),
    Task(
        "times/morning",
        "form",
        "Write a plan for a morning: exactly three lines that begin with a time such as 07:30, then a space and what "
        "is done. The times rise. Write nothing else.",
        _clock_lines(3),
        n_checks=3,
    ),
    Task(
        "csv/cities",
        "form",
        "Give three big cities as CSV. The first line is city,country,people. Below it are exactly three rows. The "
        "column people has digits only, without separators. Write only the CSV.",
        _csv(("city", "country", "people"), 3, people=(r"\d{4,}", "a number of people, digits only")),
        n_checks=3,
    ),
    Task(
        "csv/shop",
        "form",
        "Give two things that a shop sells as CSV. The first line is item,price. Below it are exactly two rows. Each "
        "price is a number with two decimals, such as 3.50, without a currency. Write only the CSV.",
        _csv(("item", "price"), 2, price=(r"\d+\.\d\d", "a number with two decimals")),
        n_checks=3,
    ),
    Task(
        "markdown/animals",
        "form",
        "Write a Markdown table with the columns Animal and Sound and exactly three rows. Write only the table.",
        _markdown(("animal", "sound"), 3),
        n_checks=3,
    ),
    Task(
        "fields/person",
        "form",
        "Invent a person. Write exactly three lines, which begin with 'Name:', 'Job:' and 'City:'. Write nothing else.",
        _fields("Name", "Job", "City"),
        n_checks=3,
    ),
    Task(
        "letter/late",
        "form",
        "Write a short e-mail that says you will be late. The first line begins with 'Subject: '. The next line is "
        "'Dear Ms Hill,'. The last line is 'Kind regards'. Write only the e-mail.",
        _letter("Ms Hill", "Kind regards"),
        n_checks=4,
    ),
    Task(
        "count/357",
        "form",
        "Write three lines about a frog. The first line has exactly 3 words, the second exactly 5 words, the third "
        "exactly 3 words. Use the word frog. Write nothing else.",
        _all(_words_per_line(3, 5, 3), _mentions("frog")),
        n_checks=4,
    ),
    Task(
        "speech/market",
        "form",
        "Write one sentence about a market in which somebody speaks. The spoken words are in double quotation marks, "
        "and the sentence contains 'she said'. Use the word market.",
        _all(_says("she said"), _mentions("market")),
        n_checks=3,
    ),
    Task(
        "anaphora/today",
        "form",
        "Write exactly three sentences about a holiday. Each sentence begins with the word 'Today'.",
        _sentences_begin("Today", 3),
        n_checks=3,
    ),
    Task(
        "sorted/fruits",
        "form",
        "Name four fruits in alphabetical order, one per line, without numbers or bullets. Write nothing else.",
        _sorted_fruits(4),
        n_checks=3,
    ),
    Task(
        "alliteration/s",
        "form",
        "Write five different English words that all begin with the letter s, on one line. Write nothing else.",
        _alliteration("s", 5),
        n_checks=2,
    ),
    Task(
        "html/pets",
        "form",
        "Write an HTML list of three pets: one <ul> with exactly three <li>. Write only the HTML, without a document "
        "around it.",
        lambda text: _html_list(3)(re.sub(r"^```\w*\n|\n```\s*$", "", text.strip())),
        n_checks=2,
    ),
    Task(
        "dialogue/bus",
        "form",
        "Write a dialogue of exactly four lines at a bus stop. The lines begin in turn with 'Tom: ' and 'Eva: ', Tom "
        "first. Write nothing else.",
        _dialogue("Tom", "Eva", 4),
        n_checks=3,
    ),
    Task(
        "hashtags/hiking",
        "form",
        "Write three hashtags about hiking on one line, separated by spaces. Use lower case letters only. Write "
        "nothing else.",
        _hashtags(3),
        n_checks=3,
    ),
    Task(
        "sections/pancakes",
        "form",
        "Write a short recipe for pancakes with the two headings 'Ingredients:' and 'Steps:', each alone on a line, "
        "and at least two lines below each. Begin with 'Ingredients:'.",
        _sections("Ingredients", "Steps"),
        n_checks=2,
    ),
    Task(
        "json/evens",
        "form",
        "Write a JSON array of exactly five even numbers that rise. Write only the JSON.",
        _json_numbers(5),
        n_checks=2,
    ),
    Task(
        "rating/chair",
        "form",
        "Review a chair in exactly two sentences. Then write as the last line 'Rating: N/5', with a number from 1 to "
        "5 for N. Use the word chair.",
        _all(_rating(2), _mentions("chair")),
        n_checks=3,
    ),
)


def _bare(text: str) -> str:
    return text.strip().strip(".!\"'`* ").strip()


def _answer(*right: str, hint: str, ignores_case: bool = True) -> Check:
    """Accept an answer that is one of `right` and nothing else; `hint` says what is wrong with any other."""

    def check(text: str) -> list[str]:
        got = re.sub(r"\s+", " ", _bare(text))
        if (got.lower() if ignores_case else got) in right:
            return []
        if not got:
            return ["the answer is empty"]
        if len(got.split()) > len(right[0].split()):
            return [f"the answer must be the answer alone, without other words; it is {got[:50]!r}"]
        return [f"{got[:30]!r} is wrong: {hint}"]

    return check


_PALINDROMES: Final = (
    "level noon civic radar kayak rotor refer madam deed peep toot stats solos tenet sagas minim redder racecar "
    "rotator deified reviver hannah repaper sees"
)


def _palindrome(text: str) -> list[str]:
    word = _bare(text).lower()
    if word in _PALINDROMES.split():
        return []
    if not re.fullmatch(r"[a-z]{4,}", word):
        return [f"the answer must be a single word of at least four letters; it is {text.strip()[:40]!r}"]
    if word != word[::-1]:
        return [f"'{word[:30]}' backwards is '{word[:30][::-1]}'; the word must be the same from both ends"]
    return [f"'{word[:30]}' is not an English word"]


WORD: Final = (
    Task(
        "palindrome",
        "word",
        "Write one English word of at least four letters that reads the same backwards. Answer with the word only.",
        _palindrome,
    ),
    Task(
        "iso_date",
        "word",
        "Write the date 4 July 2023 in the form YYYY-MM-DD. Answer with the date only.",
        _answer("2023-07-04", hint="the year comes first, then the month and the day with two digits each"),
    ),
    Task(
        "weekday",
        "word",
        "Which day of the week comes two days after Friday? Answer with one word only.",
        _answer("sunday", hint="after Friday comes Saturday, and the day after that is asked for"),
    ),
    Task(
        "centimetres",
        "word",
        "How many centimetres are 3 metres? Answer with the number only.",
        _answer("300", hint="one metre has 100 centimetres"),
    ),
    Task(
        "minutes",
        "word",
        "How many minutes are 2 hours and 15 minutes? Answer with the number only.",
        _answer("135", hint="each of the two hours has 60 minutes, and 15 are added"),
    ),
    Task(
        "roman",
        "word",
        "Write the number 14 as a Roman numeral. Answer with the numeral only.",
        _answer("XIV", hint="14 is ten, which is X, and four, which is one before five", ignores_case=False),
    ),
    Task(
        "alphabet",
        "word",
        "Sort the words pear, apple, fig in alphabetical order. Answer with the three words, separated by commas.",
        lambda text: _answer("apple,fig,pear", hint="a comes before f, and f before p")(
            re.sub(r"\s*,\s*(and )?", ",", text)
        ),
    ),
    Task(
        "initialism",
        "word",
        "Write the first letters of the words 'as soon as possible' in capital letters. Answer with the letters only.",
        _answer("ASAP", hint="take the first letter of each of the four words, in order", ignores_case=False),
    ),
    Task(
        "short_month",
        "word",
        "Name one month that has exactly 30 days. Answer with one word only.",
        _answer("april", "june", "september", "november", hint="this month does not have 30 days"),
    ),
    Task(
        "doubling",
        "word",
        "Which number comes next: 2, 4, 8, 16? Answer with the number only.",
        _answer("32", hint="each number is twice the one before"),
    ),
)


def _function(name: str, asked: str, *tests: tuple[str, str]) -> Task:
    prompt = f"Write a Python function {asked} Reply with the code only."
    return Task(name, "code", prompt, tests=tests, n_checks=len(tests))


CODE: Final = (
    _function(
        "is_leap",
        "is_leap(year) that tells whether a year is a leap year: divisible by 4, but not by 100 unless also by 400.",
        ("is_leap(2024)", "True"),
        ("is_leap(2023)", "False"),
        ("is_leap(1900)", "False"),
        ("is_leap(2000)", "True"),
    ),
    _function(
        "clamp",
        "clamp(value, low, high) that returns low if value is below it, high if value is above it, else value.",
        ("clamp(5, 0, 3)", "3"),
        ("clamp(-1, 0, 3)", "0"),
        ("clamp(2, 0, 3)", "2"),
    ),
    _function(
        "initials",
        "initials(name) that returns the first letters of the words of a name as capitals, without spaces.",
        ("initials('ada lovelace')", "'AL'"),
        ("initials('Grace Brewster Hopper')", "'GBH'"),
        ("initials('')", "''"),
    ),
    _function(
        "to_celsius",
        "to_celsius(fahrenheit) that converts a temperature: subtract 32, then multiply by 5 and divide by 9.",
        ("to_celsius(212)", "100.0"),
        ("to_celsius(32)", "0.0"),
        ("to_celsius(-40)", "-40.0"),
    ),
    _function(
        "unique",
        "unique(items) that returns a list of the items without repetitions, in the order of their first occurrence.",
        ("unique([3, 1, 3, 2, 1])", "[3, 1, 2]"),
        ("unique(['b', 'a', 'b'])", "['b', 'a']"),
        ("unique([])", "[]"),
    ),
    _function(
        "common_divisor",
        "common_divisor(a, b) that returns the greatest common divisor of two positive whole numbers.",
        ("common_divisor(12, 18)", "6"),
        ("common_divisor(7, 5)", "1"),
        ("common_divisor(9, 3)", "3"),
    ),
    _function(
        "second_largest",
        "second_largest(numbers) that returns the second largest different number of a list, or None if there is none.",
        ("second_largest([4, 9, 7])", "7"),
        ("second_largest([5, 5, 3])", "3"),
        ("second_largest([2, 2])", "None"),
        ("second_largest([])", "None"),
    ),
    _function(
        "rotate",
        "rotate(items, n) that returns a list in which the first n items have moved to the end.",
        ("rotate([1, 2, 3, 4], 1)", "[2, 3, 4, 1]"),
        ("rotate([1, 2, 3], 0)", "[1, 2, 3]"),
        ("rotate([1, 2, 3], 2)", "[3, 1, 2]"),
    ),
    _function(
        "clock",
        "clock(seconds) that returns a duration as text 'HH:MM:SS' with two digits each.",
        ("clock(3725)", "'01:02:05'"),
        ("clock(0)", "'00:00:00'"),
        ("clock(59)", "'00:00:59'"),
    ),
    _function(
        "digit_sum",
        "digit_sum(n) that returns the sum of the decimal digits of a whole number, which may be negative.",
        ("digit_sum(1234)", "10"),
        ("digit_sum(0)", "0"),
        ("digit_sum(-56)", "11"),
    ),
    _function(
        "chunks",
        "chunks(items, size) that splits a list into lists of the given size; the last one may be shorter.",
        ("chunks([1, 2, 3, 4, 5], 2)", "[[1, 2], [3, 4], [5]]"),
        ("chunks([1, 2], 3)", "[[1, 2]]"),
        ("chunks([], 2)", "[]"),
    ),
    _function(
        "runs",
        "runs(text) that returns a list of pairs (letter, count) for each run of equal letters, in order.",
        ("runs('aabcc')", "[('a', 2), ('b', 1), ('c', 2)]"),
        ("runs('aba')", "[('a', 1), ('b', 1), ('a', 1)]"),
        ("runs('')", "[]"),
    ),
)

TASKS: Final = (*FORM, *WORD, *CODE)


# -- forty others of the same kinds ----------------------------------------------------------------

OTHERS: Final = (
    Task(
        "acrostic/wind",
        "form",
        "Write an acrostic for the word WIND: exactly four lines that begin with W, I, N and D. Each line has at least "
        "three words. Write nothing else.",
        _acrostic("WIND"),
        n_checks=3,
    ),
    Task(
        "times/evening",
        "form",
        "Write a plan for an evening: exactly four lines that begin with a time such as 18:30, then a space and what "
        "is done. The times rise. Write nothing else.",
        _clock_lines(4),
        n_checks=3,
    ),
    Task(
        "csv/rivers",
        "form",
        "Give three long rivers as CSV. The first line is river,continent,length. Below it are exactly three rows. The "
        "column length has digits only, without a unit. Write only the CSV.",
        _csv(("river", "continent", "length"), 3, length=(r"\d{3,}", "a length, digits only")),
        n_checks=3,
    ),
    Task(
        "csv/cafe",
        "form",
        "Give three things that a cafe sells as CSV. The first line is drink,price. Below it are exactly three rows. "
        "Each price is a number with two decimals, such as 2.80, without a currency. Write only the CSV.",
        _csv(("drink", "price"), 3, price=(r"\d+\.\d\d", "a number with two decimals")),
        n_checks=3,
    ),
    Task(
        "markdown/colours",
        "form",
        "Write a Markdown table with the columns Thing and Colour and exactly two rows. Write only the table.",
        _markdown(("thing", "colour"), 2),
        n_checks=3,
    ),
    Task(
        "fields/book",
        "form",
        "Invent a book. Write exactly three lines, which begin with 'Title:', 'Author:' and 'Topic:'. Write nothing "
        "else.",
        _fields("Title", "Author", "Topic"),
        n_checks=3,
    ),
    Task(
        "letter/thanks",
        "form",
        "Write a short e-mail that thanks for a gift. The first line begins with 'Subject: '. The next line is "
        "'Dear Mr Wood,'. The last line is 'Best wishes'. Write only the e-mail.",
        _letter("Mr Wood", "Best wishes"),
        n_checks=4,
    ),
    Task(
        "count/464",
        "form",
        "Write three lines about a river. The first line has exactly 4 words, the second exactly 6 words, the third "
        "exactly 4 words. Use the word river. Write nothing else.",
        _all(_words_per_line(4, 6, 4), _mentions("river")),
        n_checks=4,
    ),
    Task(
        "speech/garden",
        "form",
        "Write one sentence about a garden in which somebody speaks. The spoken words are in double quotation marks, "
        "and the sentence contains 'he said'. Use the word garden.",
        _all(_says("he said"), _mentions("garden")),
        n_checks=3,
    ),
    Task(
        "anaphora/we",
        "form",
        "Write exactly three sentences about a team. Each sentence begins with the word 'We'.",
        _sentences_begin("We", 3),
        n_checks=3,
    ),
    Task(
        "sorted/fruits3",
        "form",
        "Name three fruits in alphabetical order, one per line, without numbers or bullets. Write nothing else.",
        _sorted_fruits(3),
        n_checks=3,
    ),
    Task(
        "alliteration/b",
        "form",
        "Write four different English words that all begin with the letter b, on one line. Write nothing else.",
        _alliteration("b", 4),
        n_checks=2,
    ),
    Task(
        "html/tools",
        "form",
        "Write an HTML list of four tools: one <ul> with exactly four <li>. Write only the HTML, without a document "
        "around it.",
        lambda text: _html_list(4)(re.sub(r"^```\w*\n|\n```\s*$", "", text.strip())),
        n_checks=2,
    ),
    Task(
        "dialogue/shop",
        "form",
        "Write a dialogue of exactly four lines in a shop. The lines begin in turn with 'Ann: ' and 'Bob: ', Ann "
        "first. Write nothing else.",
        _dialogue("Ann", "Bob", 4),
        n_checks=3,
    ),
    Task(
        "hashtags/cooking",
        "form",
        "Write four hashtags about cooking on one line, separated by spaces. Use lower case letters only. Write "
        "nothing else.",
        _hashtags(4),
        n_checks=3,
    ),
    Task(
        "sections/tea",
        "form",
        "Write a short guide to making tea with the two headings 'Needed:' and 'Steps:', each alone on a line, and at "
        "least two lines below each. Begin with 'Needed:'.",
        _sections("Needed", "Steps"),
        n_checks=2,
    ),
    Task(
        "json/evens4",
        "form",
        "Write a JSON array of exactly four even numbers above 10 that rise. Write only the JSON.",
        _json_numbers(4),
        n_checks=2,
    ),
    Task(
        "rating/lamp",
        "form",
        "Review a lamp in exactly two sentences. Then write as the last line 'Rating: N/5', with a number from 1 to "
        "5 for N. Use the word lamp.",
        _all(_rating(2), _mentions("lamp")),
        n_checks=3,
    ),
    Task(
        "palindrome/again",
        "word",
        "Give one English word of four or more letters that is the same read from both ends. Answer with the word "
        "only.",
        _palindrome,
    ),
    Task(
        "iso_date/again",
        "word",
        "Write the date 9 March 2021 in the form YYYY-MM-DD. Answer with the date only.",
        _answer("2021-03-09", hint="the year comes first, then the month and the day with two digits each"),
    ),
    Task(
        "weekday/again",
        "word",
        "Which day of the week comes three days after Tuesday? Answer with one word only.",
        _answer("friday", hint="after Tuesday come Wednesday and Thursday, and the day after that is asked for"),
    ),
    Task(
        "grams",
        "word",
        "How many grams are 4 kilograms? Answer with the number only.",
        _answer("4000", "4,000", hint="one kilogram has 1000 grams"),
    ),
    Task(
        "seconds",
        "word",
        "How many seconds are 3 minutes and 20 seconds? Answer with the number only.",
        _answer("200", hint="each of the three minutes has 60 seconds, and 20 are added"),
    ),
    Task(
        "roman/again",
        "word",
        "Write the number 9 as a Roman numeral. Answer with the numeral only.",
        _answer("IX", hint="9 is one before ten, and ten is X", ignores_case=False),
    ),
    Task(
        "alphabet/again",
        "word",
        "Sort the words lion, bear, cat in alphabetical order. Answer with the three words, separated by commas.",
        lambda text: _answer("bear,cat,lion", hint="b comes before c, and c before l")(
            re.sub(r"\s*,\s*(and )?", ",", text)
        ),
    ),
    Task(
        "initialism/again",
        "word",
        "Write the first letters of the words 'by the way' in capital letters. Answer with the letters only.",
        _answer("BTW", hint="take the first letter of each of the three words, in order", ignores_case=False),
    ),
    Task(
        "long_month",
        "word",
        "Name one month that has exactly 31 days. Answer with one word only.",
        _answer(
            "january", "march", "may", "july", "august", "october", "december", hint="this month does not have 31 days"
        ),
    ),
    Task(
        "tripling",
        "word",
        "Which number comes next: 1, 3, 9, 27? Answer with the number only.",
        _answer("81", hint="each number is three times the one before"),
    ),
    _function(
        "is_square",
        "is_square(n) that tells whether a whole number is the square of a whole number; negative ones are not.",
        ("is_square(16)", "True"),
        ("is_square(15)", "False"),
        ("is_square(0)", "True"),
        ("is_square(-4)", "False"),
    ),
    _function(
        "at_least",
        "at_least(value, low) that returns low if value is below it, else value.",
        ("at_least(5, 3)", "5"),
        ("at_least(1, 3)", "3"),
        ("at_least(3, 3)", "3"),
    ),
    _function(
        "snake",
        "snake(name) that returns the words of a name in lower case, joined by underscores.",
        ("snake('Total Price')", "'total_price'"),
        ("snake('x')", "'x'"),
        ("snake('')", "''"),
    ),
    _function(
        "to_fahrenheit",
        "to_fahrenheit(celsius) that converts a temperature: multiply by 9, divide by 5, then add 32.",
        ("to_fahrenheit(100)", "212.0"),
        ("to_fahrenheit(0)", "32.0"),
        ("to_fahrenheit(-40)", "-40.0"),
    ),
    _function(
        "without_none",
        "without_none(items) that returns a list of the items that are not None, in their order.",
        ("without_none([1, None, 2])", "[1, 2]"),
        ("without_none([0, None, ''])", "[0, '']"),
        ("without_none([])", "[]"),
    ),
    _function(
        "common_multiple",
        "common_multiple(a, b) that returns the least common multiple of two positive whole numbers.",
        ("common_multiple(4, 6)", "12"),
        ("common_multiple(7, 5)", "35"),
        ("common_multiple(3, 9)", "9"),
    ),
    _function(
        "second_smallest",
        "second_smallest(numbers) that returns the second smallest different number of a list, or None if there is "
        "none.",
        ("second_smallest([4, 9, 7])", "7"),
        ("second_smallest([3, 3, 5])", "5"),
        ("second_smallest([2, 2])", "None"),
        ("second_smallest([])", "None"),
    ),
    _function(
        "every_nth",
        "every_nth(items, n) that returns a list of every nth item, beginning with the first.",
        ("every_nth([1, 2, 3, 4, 5], 2)", "[1, 3, 5]"),
        ("every_nth([1, 2, 3], 1)", "[1, 2, 3]"),
        ("every_nth([], 3)", "[]"),
    ),
    _function(
        "money",
        "money(cents) that returns an amount as text with two decimals, such as '12.05' for 1205.",
        ("money(1205)", "'12.05'"),
        ("money(0)", "'0.00'"),
        ("money(99)", "'0.99'"),
    ),
    _function(
        "count_vowels",
        "count_vowels(text) that returns how many letters of a text are a, e, i, o or u, in either case.",
        ("count_vowels('Banana')", "3"),
        ("count_vowels('')", "0"),
        ("count_vowels('AEIOU')", "5"),
    ),
    _function(
        "pairs",
        "pairs(items) that returns a list of tuples of each item and the one after it.",
        ("pairs([1, 2, 3])", "[(1, 2), (2, 3)]"),
        ("pairs([1])", "[]"),
        ("pairs([])", "[]"),
    ),
    _function(
        "longest_run",
        "longest_run(text) that returns the length of the longest run of equal letters.",
        ("longest_run('aabccc')", "3"),
        ("longest_run('abc')", "1"),
        ("longest_run('')", "0"),
    ),
)
