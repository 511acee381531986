"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="tide_ring_buffer",
        code=r'''
"""A fixed-size log of tide readings; the oldest reading is overwritten."""


class TideLog:
    """Keeps at most `capacity` readings, oldest first."""

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self._slots = [None] * capacity
        self._start = 0
        self._count = 0

    def __len__(self):
        return self._count

    def record(self, reading):
        """Add a reading, dropping the oldest one when full."""
        capacity = len(self._slots)
        self._slots[(self._start + self._count) % capacity] = reading
        if self._count == capacity:
            self._start = (self._start + 1) % capacity
        else:
            self._count += 1

    def take_oldest(self):
        """Remove and return the oldest reading."""
        if self._count == 0:
            raise IndexError("no readings")
        reading = self._slots[self._start]
        self._slots[self._start] = None
        self._start = (self._start + 1) % len(self._slots)
        self._count -= 1
        return reading

    def __iter__(self):
        for offset in range(self._count):
            yield self._slots[(self._start + offset) % self._count]
''',
        wrong="yield self._slots[(self._start + offset) % self._count]",
        right="yield self._slots[(self._start + offset) % len(self._slots)]",
        visible=r"""
def test_partial_log():
    log = TideLog(4)
    for r in (1.2, 1.5):
        log.record(r)
    assert list(log) == [1.2, 1.5]
    assert len(log) == 2


def test_overwrites_oldest():
    log = TideLog(3)
    for r in (1, 2, 3, 4, 5):
        log.record(r)
    assert list(log) == [3, 4, 5]


def test_iterate_after_taking():
    log = TideLog(3)
    for r in (1, 2, 3):
        log.record(r)
    assert log.take_oldest() == 1
    assert list(log) == [2, 3]


def test_empty_take():
    with pytest.raises(IndexError):
        TideLog(2).take_oldest()


def test_bad_capacity():
    with pytest.raises(ValueError):
        TideLog(0)
""",
        hidden=r"""
def test_take_then_record():
    log = TideLog(4)
    for r in "abcd":
        log.record(r)
    log.take_oldest()
    log.take_oldest()
    log.record("e")
    assert list(log) == ["c", "d", "e"]


def test_wrapped_and_drained():
    log = TideLog(3)
    for r in range(5):
        log.record(r)
    log.take_oldest()
    assert list(log) == [3, 4]
    log.take_oldest()
    assert list(log) == [4]


def test_empty_iter():
    log = TideLog(2)
    assert list(log) == []
    log.record(9)
    log.take_oldest()
    assert list(log) == []


def test_full_exact():
    log = TideLog(2)
    log.record(7)
    log.record(8)
    assert list(log) == [7, 8]
    assert len(log) == 2
""",
    ),
    Program(
        name="sheet_music_lru",
        code=r'''
"""A cache of rendered sheet-music pages."""

from collections import OrderedDict


class PageCache:
    """Keeps the most recently used pages."""

    def __init__(self, limit, render):
        self._limit = limit
        self._render = render
        self._pages = OrderedDict()
        self.misses = 0

    def get(self, number):
        """Return the rendered page, rendering it when it is not cached."""
        if number in self._pages:
            self._pages.move_to_end(number, last=False)
            return self._pages[number]
        self.misses += 1
        page = self._render(number)
        self._pages[number] = page
        if len(self._pages) > self._limit:
            self._pages.popitem(last=False)
        return page

    def cached(self):
        """Return the page numbers, least recently used first."""
        return list(self._pages)
''',
        wrong="self._pages.move_to_end(number, last=False)",
        right="self._pages.move_to_end(number)",
        visible=r"""
def test_renders_page():
    cache = PageCache(2, lambda n: f"page {n}")
    assert cache.get(3) == "page 3"
    assert cache.misses == 1


def test_hit_is_not_a_miss():
    cache = PageCache(2, str)
    cache.get(1)
    assert cache.get(1) == "1"
    assert cache.misses == 1


def test_evicts_first_page():
    cache = PageCache(2, str)
    for n in (1, 2, 3):
        cache.get(n)
    assert cache.cached() == [2, 3]


def test_recent_use_protects():
    cache = PageCache(2, str)
    cache.get(1)
    cache.get(2)
    cache.get(1)
    cache.get(3)
    assert cache.cached() == [1, 3]
""",
        hidden=r"""
def test_order_after_hits():
    cache = PageCache(3, str)
    for n in (5, 6, 7, 5):
        cache.get(n)
    assert cache.cached() == [6, 7, 5]


def test_misses_after_eviction():
    cache = PageCache(2, str)
    for n in (1, 2, 2, 3, 2):
        cache.get(n)
    assert cache.misses == 3
    assert cache.cached() == [3, 2]


def test_limit_one():
    cache = PageCache(1, lambda n: n * 10)
    assert [cache.get(n) for n in (1, 1, 2, 1)] == [10, 10, 20, 10]
    assert cache.misses == 3


def test_repeated_hit_keeps_last():
    cache = PageCache(3, str)
    for n in (1, 2, 3, 3, 2, 4):
        cache.get(n)
    assert cache.cached() == [3, 2, 4]
""",
    ),
    Program(
        name="plant_name_trie",
        code=r'''
"""A prefix tree of plant names."""


class _Node:
    def __init__(self):
        self.children = {}
        self.ends_name = False


class NameTree:
    """Stores names and answers membership and prefix questions."""

    def __init__(self, names=()):
        self._root = _Node()
        for name in names:
            self.add(name)

    def add(self, name):
        """Insert a name."""
        node = self._root
        for letter in name:
            node = node.children.setdefault(letter, _Node())
        node.ends_name = True

    def _find(self, prefix):
        node = self._root
        for letter in prefix:
            node = node.children.get(letter)
            if node is None:
                return None
        return node

    def __contains__(self, name):
        node = self._find(name)
        return node is not None

    def starting_with(self, prefix):
        """Return the stored names with this prefix, sorted."""
        found = []
        start = self._find(prefix)
        pending = [] if start is None else [(prefix, start)]
        while pending:
            name, node = pending.pop()
            if node.ends_name:
                found.append(name)
            pending.extend((name + c, child) for c, child in node.children.items())
        return sorted(found)
''',
        wrong="        return node is not None",
        right="        return node is not None and node.ends_name",
        visible=r"""
def test_contains_added():
    tree = NameTree(["fern", "fennel"])
    assert "fern" in tree
    assert "fennel" in tree


def test_absent_name():
    assert "moss" not in NameTree(["fern"])


def test_prefix_alone_is_not_a_name():
    tree = NameTree(["fennel"])
    assert "fen" not in tree


def test_starting_with():
    tree = NameTree(["fern", "fennel", "moss"])
    assert tree.starting_with("fe") == ["fennel", "fern"]


def test_starting_with_nothing():
    assert NameTree(["fern"]).starting_with("x") == []
""",
        hidden=r"""
def test_empty_name():
    tree = NameTree(["ivy"])
    assert "" not in tree
    tree.add("")
    assert "" in tree


def test_nested_names():
    tree = NameTree(["rose", "rosemary"])
    assert "rose" in tree
    assert "rosem" not in tree
    assert "rosemary" in tree
    assert "rosemaryx" not in tree


def test_late_add():
    tree = NameTree(["thyme"])
    assert "thy" not in tree
    tree.add("thy")
    assert "thy" in tree


def test_listing_includes_prefix_itself():
    tree = NameTree(["rose", "rosemary", "rue"])
    assert tree.starting_with("rose") == ["rose", "rosemary"]
    assert tree.starting_with("") == ["rose", "rosemary", "rue"]
""",
    ),
    Program(
        name="rainfall_fenwick",
        code=r'''
"""Cumulative rainfall with fast updates (a Fenwick tree)."""


class Rainfall:
    """Millimetres of rain per day; days are numbered from 1."""

    def __init__(self, days):
        self._days = days
        self._tree = [0] * (days + 1)

    def add(self, day, millimetres):
        """Add rain to a day."""
        if not 1 <= day <= self._days:
            raise IndexError(day)
        while day <= self._days:
            self._tree[day] += millimetres
            day += day & -day

    def until(self, day):
        """Return the rain of days 1 to `day`."""
        total = 0
        while day > 0:
            total += self._tree[day]
            day -= day & -day
        return total

    def between(self, first, last):
        """Return the rain of days `first` to `last`, both included."""
        return self.until(last) - self.until(first)
''',
        wrong="return self.until(last) - self.until(first)",
        right="return self.until(last) - self.until(first - 1)",
        visible=r"""
def filled():
    rain = Rainfall(7)
    for day, mm in enumerate([3, 0, 5, 2, 0, 8, 1], start=1):
        rain.add(day, mm)
    return rain


def test_until():
    rain = filled()
    assert rain.until(3) == 8
    assert rain.until(7) == 19


def test_between():
    assert filled().between(3, 6) == 15


def test_between_from_dry_day():
    assert filled().between(2, 4) == 7


def test_single_day():
    assert filled().between(6, 6) == 8


def test_bad_day():
    with pytest.raises(IndexError):
        Rainfall(3).add(4, 1)
""",
        hidden=r"""
def test_whole_range():
    rain = Rainfall(5)
    for day in range(1, 6):
        rain.add(day, day)
    assert rain.between(1, 5) == 15


def test_every_range():
    mm = [4, 1, 6, 2, 9]
    rain = Rainfall(5)
    for day, m in enumerate(mm, 1):
        rain.add(day, m)
    for a in range(1, 6):
        for b in range(a, 6):
            assert rain.between(a, b) == sum(mm[a - 1:b])


def test_repeated_add():
    rain = Rainfall(4)
    rain.add(2, 3)
    rain.add(2, 4)
    assert rain.between(2, 2) == 7
    assert rain.until(1) == 0


def test_day_zero():
    with pytest.raises(IndexError):
        Rainfall(3).add(0, 1)
""",
    ),
    Program(
        name="flatten_settings",
        code=r'''
"""Flatten nested settings of a mixing desk to dotted keys."""


def flatten(settings, prefix=""):
    """Return a flat dict with keys such as "eq.low.gain"."""
    flat = {}
    for key, value in settings.items():
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(value, dict) and value:
            flat.update(flatten(value, key))
        else:
            flat[path] = value
    return flat


def unflatten(flat):
    """Return the nested dict for dotted keys."""
    nested = {}
    for path, value in flat.items():
        *parents, last = path.split(".")
        level = nested
        for name in parents:
            level = level.setdefault(name, {})
        level[last] = value
    return nested
''',
        wrong="flat.update(flatten(value, key))",
        right="flat.update(flatten(value, path))",
        visible=r"""
def test_flat_already():
    assert flatten({"gain": 3, "pan": 0}) == {"gain": 3, "pan": 0}


def test_two_levels():
    assert flatten({"eq": {"low": 1, "high": 2}}) == {"eq.low": 1, "eq.high": 2}


def test_three_levels():
    assert flatten({"eq": {"low": {"gain": 4}}}) == {"eq.low.gain": 4}


def test_empty_section_is_kept():
    assert flatten({"fx": {}, "on": True}) == {"fx": {}, "on": True}


def test_unflatten():
    assert unflatten({"a.b": 1, "a.c": 2}) == {"a": {"b": 1, "c": 2}}
""",
        hidden=r"""
def test_four_levels():
    assert flatten({"a": {"b": {"c": {"d": 0}}}}) == {"a.b.c.d": 0}


def test_same_names_in_two_sections():
    desk = {"left": {"eq": {"gain": 1}}, "right": {"eq": {"gain": 2}}}
    assert flatten(desk) == {"left.eq.gain": 1, "right.eq.gain": 2}


def test_round_trip():
    desk = {"x": {"y": {"z": 1, "w": [2]}, "v": None}, "u": "s"}
    assert unflatten(flatten(desk)) == desk


def test_given_prefix():
    assert flatten({"gain": 1}, "main") == {"main.gain": 1}


def test_nested_empty():
    assert flatten({"a": {"b": {}}}) == {"a.b": {}}
    assert flatten({}) == {}
""",
    ),
    Program(
        name="choir_lineups",
        code=r'''
"""Possible line-ups of a choir section."""


def lineups(singers, size):
    """Return all groups of `size` singers, each in the order given."""
    found = []
    chosen = []

    def extend(start):
        if len(chosen) == size:
            found.append(chosen)
            return
        for index in range(start, len(singers)):
            chosen.append(singers[index])
            extend(index + 1)
            chosen.pop()

    extend(0)
    return found


def count_lineups(singers, size):
    """Return how many groups there are."""
    return len(lineups(singers, size))
''',
        wrong="found.append(chosen)",
        right="found.append(chosen[:])",
        visible=r"""
def test_pairs():
    assert lineups(["Ana", "Bo", "Cy"], 2) == [["Ana", "Bo"], ["Ana", "Cy"], ["Bo", "Cy"]]


def test_singles():
    assert lineups(["Ana", "Bo"], 1) == [["Ana"], ["Bo"]]


def test_count():
    assert count_lineups("abcde", 3) == 10


def test_too_many():
    assert lineups(["Ana"], 2) == []


def test_none_chosen():
    assert lineups(["Ana", "Bo"], 0) == [[]]
""",
        hidden=r"""
def test_everyone():
    assert lineups([1, 2, 3], 3) == [[1, 2, 3]]


def test_triples():
    assert lineups("wxyz", 3) == [list("wxy"), list("wxz"), list("wyz"), list("xyz")]


def test_groups_are_independent():
    groups = lineups([1, 2], 1)
    groups[0].append(9)
    assert groups == [[1, 9], [2]]


def test_no_singers():
    assert lineups([], 0) == [[]]
    assert lineups([], 1) == []
""",
    ),
    Program(
        name="delimited_row",
        code=r'''
"""Read one row of a specimen catalogue export."""


def parse_row(line, sep=","):
    """Split a line at `sep`; double quotes protect separators and "" is a quote."""
    fields = []
    current = []
    quoted = False
    position = 0
    while position < len(line):
        char = line[position]
        if char == '"':
            if quoted and line[position + 1:position + 2] == '"':
                current.append('"')
                position += 1
            else:
                quoted = not quoted
        elif char == sep:
            fields.append("".join(current))
            current = []
        else:
            current.append(char)
        position += 1
    if quoted:
        raise ValueError("unclosed quote")
    fields.append("".join(current))
    return fields
''',
        wrong="        elif char == sep:",
        right="        elif char == sep and not quoted:",
        visible=r'''
def test_plain():
    assert parse_row("beetle,blue,12") == ["beetle", "blue", "12"]


def test_empty_fields():
    assert parse_row("a,,b,") == ["a", "", "b", ""]


def test_quoted_separator():
    assert parse_row('"Linn, 1758",moth') == ["Linn, 1758", "moth"]


def test_doubled_quote():
    assert parse_row('"say ""hi""",x') == ['say "hi"', "x"]


def test_unclosed():
    with pytest.raises(ValueError):
        parse_row('"moth')
''',
        hidden=r"""
def test_other_separator():
    assert parse_row('a;"b;c";d', ";") == ["a", "b;c", "d"]
    assert parse_row('a,b;"c,d"', ";") == ["a,b", "c,d"]


def test_only_separators_quoted():
    assert parse_row('",,"') == [",,"]


def test_quote_then_separator():
    assert parse_row('"a""b,c",d') == ['a"b,c', "d"]


def test_empty_line():
    assert parse_row("") == [""]


def test_empty_quotes():
    assert parse_row('"",x') == ["", "x"]
""",
    ),
    Program(
        name="clock_roman",
        code=r'''
"""Roman numerals of clock faces."""

VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
STEPS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def from_roman(numeral):
    """Return the value of a numeral."""
    values = [VALUES[letter] for letter in numeral.upper()]
    total = 0
    for value, following in zip(values, values[1:] + [0]):
        if value <= following:
            total -= value
        else:
            total += value
    return total


def to_roman(number):
    """Return the numeral of a positive number."""
    if number < 1:
        raise ValueError("only positive numbers have a numeral")
    letters = []
    for value, symbol in STEPS:
        times, number = divmod(number, value)
        letters.append(symbol * times)
    return "".join(letters)
''',
        wrong="if value <= following:",
        right="if value < following:",
        visible=r"""
def test_single_letters():
    assert from_roman("V") == 5
    assert from_roman("m") == 1000


def test_subtractive():
    assert from_roman("IX") == 9
    assert from_roman("XIV") == 14


def test_repeated():
    assert from_roman("III") == 3


def test_to_roman():
    assert to_roman(1994) == "MCMXCIV"


def test_zero():
    with pytest.raises(ValueError):
        to_roman(0)
""",
        hidden=r"""
def test_round_trip():
    for n in range(1, 400):
        assert from_roman(to_roman(n)) == n


def test_large():
    assert from_roman("MMXXIV") == 2024
    assert from_roman("MCMXLIV") == 1944


def test_empty():
    assert from_roman("") == 0


def test_unknown_letter():
    with pytest.raises(KeyError):
        from_roman("Q")
""",
    ),
    Program(
        name="tortoise_age",
        code=r'''
"""Ages of zoo animals."""

from datetime import date


def age_on(born, today):
    """Return the completed years of an animal born on `born`."""
    if today < born:
        raise ValueError("not born yet")
    years = today.year - born.year
    if today.month < born.month or today.day < born.day:
        years -= 1
    return years


def adults(animals, today, threshold=18):
    """Return the names of the animals (name -> birth date) that are grown up."""
    return sorted(name for name, born in animals.items() if age_on(born, today) >= threshold)
''',
        wrong="if today.month < born.month or today.day < born.day:",
        right="if (today.month, today.day) < (born.month, born.day):",
        visible=r"""
def test_birthday():
    assert age_on(date(1990, 6, 15), date(2020, 6, 15)) == 30


def test_day_before_birthday():
    assert age_on(date(1990, 6, 15), date(2020, 6, 14)) == 29


def test_later_month_earlier_day():
    assert age_on(date(1990, 6, 15), date(2020, 8, 3)) == 30


def test_not_born():
    with pytest.raises(ValueError):
        age_on(date(2020, 1, 2), date(2020, 1, 1))


def test_adults():
    zoo = {"Tor": date(1950, 1, 1), "Mia": date(2015, 1, 1)}
    assert adults(zoo, date(2020, 5, 5)) == ["Tor"]
""",
        hidden=r"""
def test_earlier_month_later_day():
    assert age_on(date(2000, 9, 5), date(2010, 3, 28)) == 9


def test_end_of_month_births():
    assert age_on(date(2000, 1, 31), date(2010, 2, 1)) == 10
    assert age_on(date(2000, 11, 30), date(2001, 12, 1)) == 1


def test_leap_birth():
    assert age_on(date(2000, 2, 29), date(2001, 2, 28)) == 0
    assert age_on(date(2000, 2, 29), date(2001, 3, 1)) == 1


def test_adults_boundary():
    zoo = {"B": date(2000, 4, 20), "A": date(2000, 4, 2)}
    assert adults(zoo, date(2018, 5, 1)) == ["A", "B"]
    assert adults(zoo, date(2018, 4, 2)) == ["A"]
""",
    ),
    Program(
        name="kiln_loan",
        code=r'''
"""Repayment plan of a pottery's kiln loan, in cents."""


def schedule(principal, monthly_percent, payment, months):
    """Return (interest, repaid, balance) for each month until paid off or `months` passed."""
    rows = []
    balance = principal
    for _ in range(months):
        interest = principal * monthly_percent // 100
        due = min(payment, balance + interest)
        repaid = due - interest
        balance -= repaid
        rows.append((interest, repaid, balance))
        if balance == 0:
            break
    return rows


def total_interest(principal, monthly_percent, payment, months):
    """Return the interest paid over the whole plan."""
    return sum(row[0] for row in schedule(principal, monthly_percent, payment, months))
''',
        wrong="interest = principal * monthly_percent // 100",
        right="interest = balance * monthly_percent // 100",
        visible=r"""
def test_first_month():
    assert schedule(100000, 2, 12000, 1) == [(2000, 10000, 90000)]


def test_second_month_charges_remaining_balance():
    assert schedule(100000, 2, 12000, 2)[1] == (1800, 10200, 79800)


def test_no_interest():
    assert schedule(300, 0, 100, 10) == [(0, 100, 200), (0, 100, 100), (0, 100, 0)]


def test_paid_at_once():
    assert schedule(500, 10, 1000, 12) == [(50, 500, 0)]


def test_total_interest():
    assert total_interest(1000, 10, 600, 5) == 150
""",
        hidden=r"""
def test_three_months():
    assert schedule(1000, 10, 400, 3) == [(100, 300, 700), (70, 330, 370), (37, 363, 7)]


def test_last_payment_is_smaller():
    assert schedule(1000, 10, 400, 12)[-1] == (0, 7, 0)


def test_total():
    assert total_interest(1000, 10, 400, 12) == 207


def test_interest_only():
    assert schedule(1000, 5, 50, 3) == [(50, 0, 1000)] * 3


def test_no_months():
    assert schedule(1000, 5, 50, 0) == []
""",
    ),
    Program(
        name="bakery_prep_order",
        code=r'''
"""Order the preparation steps of a bakery."""

from collections import deque


def prep_order(needs):
    """Return the steps in an order that respects `needs` (step -> steps before it).

    Raises ValueError when some steps wait for each other.
    """
    blockers = {}
    followers = {}
    for step, earlier in needs.items():
        blockers.setdefault(step, 0)
        for other in earlier:
            blockers.setdefault(other, 0)
            blockers[step] += 1
            followers.setdefault(other, []).append(step)
    ready = deque(sorted(step for step, count in blockers.items() if count == 0))
    order = []
    while ready:
        step = ready.popleft()
        order.append(step)
        for follower in followers.get(step, []):
            blockers[follower] -= 1
            if blockers[follower] == 0:
                ready.append(follower)
    if blockers and not order:
        raise ValueError("steps wait for each other")
    return order
''',
        wrong="if blockers and not order:",
        right="if len(order) < len(blockers):",
        visible=r"""
def test_chain():
    assert prep_order({"bake": ["shape"], "shape": ["knead"]}) == ["knead", "shape", "bake"]


def test_independent_steps_sorted():
    assert prep_order({"mix": [], "heat": []}) == ["heat", "mix"]


def test_join():
    order = prep_order({"serve": ["bake", "ice"], "bake": [], "ice": []})
    assert order == ["bake", "ice", "serve"]


def test_full_cycle():
    with pytest.raises(ValueError):
        prep_order({"a": ["b"], "b": ["a"]})


def test_cycle_beside_good_step():
    with pytest.raises(ValueError):
        prep_order({"heat": [], "a": ["b"], "b": ["a"]})
""",
        hidden=r"""
def test_cycle_after_start():
    with pytest.raises(ValueError):
        prep_order({"b": ["a", "c"], "c": ["b"]})


def test_self_wait_with_others():
    with pytest.raises(ValueError):
        prep_order({"rest": ["rest"], "mix": []})


def test_empty():
    assert prep_order({}) == []


def test_unlisted_step():
    assert prep_order({"glaze": ["cool"]}) == ["cool", "glaze"]


def test_diamond():
    order = prep_order({"b": ["a"], "c": ["a"], "d": ["b", "c"]})
    assert order == ["a", "b", "c", "d"]
""",
    ),
    Program(
        name="ferry_fares",
        code=r'''
"""Cheapest ferry fares between islands."""

import heapq


def cheapest(routes, start, goal):
    """Return the lowest total fare from start to goal, or None.

    `routes` maps an island to a dict of neighbouring islands and fares.
    """
    queue = [(0, start)]
    settled = set()
    while queue:
        cost, island = heapq.heappop(queue)
        if island == goal:
            return cost
        if island in settled:
            continue
        settled.add(island)
        for neighbour, fare in routes.get(island, {}).items():
            if neighbour not in settled:
                heapq.heappush(queue, (fare, neighbour))
    return None


def reachable_within(routes, start, budget):
    """Return the other islands one can afford to reach, sorted."""
    islands = set(routes)
    for fares in routes.values():
        islands.update(fares)
    affordable = []
    for island in islands - {start}:
        cost = cheapest(routes, start, island)
        if cost is not None and cost <= budget:
            affordable.append(island)
    return sorted(affordable)
''',
        wrong="heapq.heappush(queue, (fare, neighbour))",
        right="heapq.heappush(queue, (cost + fare, neighbour))",
        visible=r"""
ROUTES = {"Skye": {"Mull": 4, "Uist": 9}, "Mull": {"Uist": 3}, "Uist": {"Barra": 2}}


def test_direct():
    assert cheapest(ROUTES, "Skye", "Mull") == 4


def test_two_legs():
    assert cheapest(ROUTES, "Skye", "Uist") == 7


def test_no_route():
    assert cheapest(ROUTES, "Barra", "Skye") is None


def test_same_island():
    assert cheapest(ROUTES, "Mull", "Mull") == 0


def test_budget():
    assert reachable_within(ROUTES, "Skye", 7) == ["Mull", "Uist"]
""",
        hidden=r"""
def test_long_way_is_cheaper():
    routes = {"A": {"B": 10, "C": 1}, "C": {"D": 1}, "D": {"B": 1}}
    assert cheapest(routes, "A", "B") == 3


def test_direct_is_cheaper():
    routes = {"A": {"B": 4, "C": 3}, "C": {"B": 2}}
    assert cheapest(routes, "A", "B") == 4


def test_loop():
    routes = {"A": {"B": 2}, "B": {"A": 2, "C": 5}}
    assert cheapest(routes, "A", "C") == 7


def test_small_budget():
    routes = {"A": {"B": 2}, "B": {"C": 2}}
    assert reachable_within(routes, "A", 3) == ["B"]
    assert reachable_within(routes, "A", 4) == ["B", "C"]


def test_unknown():
    assert cheapest({}, "A", "B") is None
""",
    ),
    Program(
        name="mushroom_patches",
        code=r'''
"""Find patches of mushrooms on a map of a meadow."""

SIDES = ((0, 1), (1, 0), (0, -1), (-1, -1))


def patches(meadow):
    """Return the sizes of the patches of "m" cells, largest first.

    Cells belong together when they share a side.
    """
    left = {
        (row, column)
        for row, line in enumerate(meadow)
        for column, cell in enumerate(line)
        if cell == "m"
    }
    sizes = []
    while left:
        pending = [min(left)]
        left.remove(pending[0])
        size = 0
        while pending:
            row, column = pending.pop()
            size += 1
            for down, across in SIDES:
                near = (row + down, column + across)
                if near in left:
                    left.remove(near)
                    pending.append(near)
        sizes.append(size)
    return sorted(sizes, reverse=True)
''',
        wrong="SIDES = ((0, 1), (1, 0), (0, -1), (-1, -1))",
        right="SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))",
        visible=r"""
def test_no_mushrooms():
    assert patches(["...", "..."]) == []


def test_one_row():
    assert patches(["mm.m"]) == [2, 1]


def test_square():
    assert patches(["mm", "mm"]) == [4]


def test_grows_upwards():
    assert patches(["m.m", "mmm"]) == [5]


def test_separate_rows():
    assert patches(["mmm", "...", "m.."]) == [3, 1]
""",
        hidden=r"""
def test_diagonal_is_apart():
    assert patches(["m.", ".m"]) == [1, 1]


def test_diagonal_up_left():
    assert patches(["m..", ".mm", "..m"]) == [3, 1]


def test_u_shape():
    assert patches(["m..m", "m..m", "mmmm"]) == [8]


def test_empty_map():
    assert patches([]) == []
    assert patches([""]) == []


def test_column():
    assert patches(["m", "m", ".", "m"]) == [2, 1]
""",
    ),
    Program(
        name="radio_networks",
        code=r'''
"""Group radio stations that can hear each other."""


class Networks:
    """Disjoint groups of stations."""

    def __init__(self):
        self._parent = {}
        self._size = {}

    def _root(self, station):
        if station not in self._parent:
            self._parent[station] = station
            self._size[station] = 1
        while self._parent[station] != station:
            self._parent[station] = self._parent[self._parent[station]]
            station = self._parent[station]
        return station

    def link(self, one, other):
        """Join two stations' groups; return whether they were apart."""
        big, small = self._root(one), self._root(other)
        if big == small:
            return False
        if self._size[big] < self._size[small]:
            big, small = small, big
        self._parent[small] = big
        self._size[big] += 1
        return True

    def linked(self, one, other):
        """Return whether two stations are in one group."""
        return self._root(one) == self._root(other)

    def size(self, station):
        """Return how many stations are in this station's group."""
        return self._size[self._root(station)]
''',
        wrong="self._size[big] += 1",
        right="self._size[big] += self._size[small]",
        visible=r"""
def test_alone():
    assert Networks().size("K1") == 1


def test_linked():
    net = Networks()
    assert net.link("K1", "K2") is True
    assert net.linked("K1", "K2")
    assert not net.linked("K1", "K3")


def test_link_twice():
    net = Networks()
    net.link("K1", "K2")
    assert net.link("K2", "K1") is False
    assert net.size("K1") == 2


def test_size_of_joined_pairs():
    net = Networks()
    net.link("K1", "K2")
    net.link("K3", "K4")
    net.link("K1", "K3")
    assert net.size("K4") == 4


def test_chain():
    net = Networks()
    for a, b in (("a", "b"), ("b", "c"), ("c", "d")):
        net.link(a, b)
    assert net.size("d") == 4
""",
        hidden=r"""
def test_two_triples():
    net = Networks()
    for a, b in (("a", "b"), ("b", "c"), ("x", "y"), ("y", "z")):
        net.link(a, b)
    net.link("c", "x")
    assert net.size("a") == net.size("z") == 6


def test_small_into_big_any_order():
    net = Networks()
    for a, b in (("a", "b"), ("b", "c"), ("x", "y")):
        net.link(a, b)
    net.link("y", "a")
    assert net.size("x") == 5
    assert net.linked("x", "c")


def test_self_link():
    net = Networks()
    assert net.link("a", "a") is False
    assert net.size("a") == 1


def test_single_joins():
    net = Networks()
    net.link("a", "b")
    net.link("c", "a")
    assert net.size("c") == 3
""",
    ),
    Program(
        name="auction_bids",
        code=r'''
"""Search sorted bids of an auction."""


def first_at_least(bids, amount):
    """Return the index of the first bid of at least `amount`; len(bids) if none."""
    low, high = 0, len(bids)
    while low < high:
        middle = (low + high) // 2
        if bids[middle] <= amount:
            low = middle + 1
        else:
            high = middle
    return low


def count_between(bids, least, below):
    """Return how many bids are >= least and < below."""
    return max(0, first_at_least(bids, below) - first_at_least(bids, least))
''',
        wrong="if bids[middle] <= amount:",
        right="if bids[middle] < amount:",
        visible=r"""
def test_between_bids():
    assert first_at_least([10, 20, 30], 15) == 1


def test_exact_bid():
    assert first_at_least([10, 20, 30], 20) == 1


def test_all_lower():
    assert first_at_least([10, 20], 99) == 2


def test_no_bids():
    assert first_at_least([], 5) == 0


def test_count():
    assert count_between([10, 20, 30, 40], 15, 35) == 2
""",
        hidden=r"""
def test_repeated_bids():
    assert first_at_least([5, 7, 7, 7, 9], 7) == 1
    assert first_at_least([7, 7], 7) == 0


def test_every_position():
    bids = [1, 3, 3, 6, 8]
    for amount in range(0, 10):
        expected = sum(1 for b in bids if b < amount)
        assert first_at_least(bids, amount) == expected


def test_count_edges():
    assert count_between([10, 20, 30], 10, 30) == 2
    assert count_between([10, 20, 30], 11, 31) == 2


def test_reversed_limits():
    assert count_between([1, 2, 3], 3, 1) == 0
""",
    ),
    Program(
        name="pump_bucket",
        code=r'''
"""A token bucket that limits how often a garden pump may start."""


class StartLimiter:
    """Allows `capacity` starts at once and regains `rate` starts per second."""

    def __init__(self, capacity, rate, now=0):
        self.capacity = capacity
        self.rate = rate
        self._tokens = capacity
        self._updated = now

    def _refill(self, now):
        gained = (now - self._updated) * self.rate
        self._tokens = max(self.capacity, self._tokens + gained)
        self._updated = now

    def allow(self, now, starts=1):
        """Return whether the pump may start now, and use the tokens if so."""
        self._refill(now)
        if self._tokens < starts:
            return False
        self._tokens -= starts
        return True

    def wait_time(self, now, starts=1):
        """Return the seconds until `starts` tokens are there."""
        self._refill(now)
        missing = starts - self._tokens
        return max(0, missing / self.rate)
''',
        wrong="self._tokens = max(self.capacity, self._tokens + gained)",
        right="self._tokens = min(self.capacity, self._tokens + gained)",
        visible=r"""
def test_starts_full():
    limiter = StartLimiter(2, 1)
    assert limiter.allow(0)
    assert limiter.allow(0)


def test_runs_out():
    limiter = StartLimiter(2, 1)
    limiter.allow(0, 2)
    assert not limiter.allow(0)


def test_more_than_capacity():
    assert not StartLimiter(3, 1).allow(0, 4)


def test_regains():
    limiter = StartLimiter(1, 0.5)
    assert limiter.allow(0)
    assert limiter.allow(2)


def test_wait_time():
    limiter = StartLimiter(2, 0.5)
    limiter.allow(0, 2)
    assert limiter.wait_time(0) == 2
""",
        hidden=r"""
def test_never_above_capacity():
    limiter = StartLimiter(2, 1)
    assert not limiter.allow(100, 3)
    assert limiter.allow(100, 2)
    assert not limiter.allow(100)


def test_partial_refill():
    limiter = StartLimiter(4, 1)
    limiter.allow(0, 4)
    assert not limiter.allow(2, 3)
    assert limiter.allow(3, 3)


def test_refused_start_costs_nothing():
    limiter = StartLimiter(2, 1)
    assert not limiter.allow(0, 3)
    assert limiter.allow(0, 2)


def test_no_wait_when_full():
    assert StartLimiter(2, 1, now=5).wait_time(6) == 0


def test_wait_after_partial_refill():
    limiter = StartLimiter(4, 2)
    limiter.allow(0, 4)
    assert limiter.wait_time(1, 4) == 1
""",
    ),
    Program(
        name="canvas_history",
        code=r'''
"""Undo and redo for a drawing canvas."""


class Canvas:
    """A list of strokes with history."""

    def __init__(self):
        self.strokes = []
        self._done = []
        self._undone = []

    def draw(self, stroke):
        """Add a stroke; what was undone cannot be redone afterwards."""
        self._done.append(list(self.strokes))
        self.strokes.append(stroke)
        self._done.clear()

    def undo(self):
        """Take back the last change; return whether there was one."""
        if not self._done:
            return False
        self._undone.append(list(self.strokes))
        self.strokes = self._done.pop()
        return True

    def redo(self):
        """Repeat the last undone change; return whether there was one."""
        if not self._undone:
            return False
        self._done.append(list(self.strokes))
        self.strokes = self._undone.pop()
        return True
''',
        wrong="self._done.clear()",
        right="self._undone.clear()",
        visible=r"""
def test_draw():
    canvas = Canvas()
    canvas.draw("line")
    canvas.draw("dot")
    assert canvas.strokes == ["line", "dot"]


def test_undo():
    canvas = Canvas()
    canvas.draw("line")
    canvas.draw("dot")
    assert canvas.undo() is True
    assert canvas.strokes == ["line"]


def test_nothing_to_undo():
    assert Canvas().undo() is False
    assert Canvas().redo() is False


def test_redo():
    canvas = Canvas()
    canvas.draw("line")
    canvas.undo()
    assert canvas.redo() is True
    assert canvas.strokes == ["line"]


def test_draw_forgets_undone():
    canvas = Canvas()
    canvas.draw("line")
    canvas.undo()
    canvas.draw("arc")
    assert canvas.redo() is False
    assert canvas.strokes == ["arc"]
""",
        hidden=r"""
def test_undo_everything():
    canvas = Canvas()
    for s in "abc":
        canvas.draw(s)
    assert [canvas.undo() for _ in range(4)] == [True, True, True, False]
    assert canvas.strokes == []


def test_redo_chain():
    canvas = Canvas()
    for s in "abc":
        canvas.draw(s)
    canvas.undo()
    canvas.undo()
    canvas.redo()
    assert canvas.strokes == ["a", "b"]
    canvas.redo()
    assert canvas.strokes == ["a", "b", "c"]
    assert canvas.redo() is False


def test_branch():
    canvas = Canvas()
    canvas.draw("a")
    canvas.draw("b")
    canvas.undo()
    canvas.draw("c")
    assert canvas.strokes == ["a", "c"]
    assert canvas.redo() is False
    canvas.undo()
    assert canvas.strokes == ["a"]


def test_fresh_canvas():
    canvas = Canvas()
    assert canvas.strokes == []
    assert not canvas.undo()
""",
    ),
    Program(
        name="toll_change",
        code=r'''
"""Give change at a toll booth."""

COINS = (200, 100, 50, 20, 10, 5)


def change(paid, toll):
    """Return a dict of coin -> count for the change; largest coins first."""
    amount = paid - toll
    if amount < 0:
        raise ValueError("not enough paid")
    coins = {}
    for coin in COINS:
        amount, count = divmod(amount, coin)
        if count:
            coins[coin] = count
    if amount:
        raise ValueError("no coins for the rest")
    return coins


def coin_count(paid, toll):
    """Return how many coins are given back."""
    return sum(change(paid, toll).values())
''',
        wrong="amount, count = divmod(amount, coin)",
        right="count, amount = divmod(amount, coin)",
        visible=r"""
def test_exact():
    assert change(350, 350) == {}


def test_one_coin():
    assert change(400, 350) == {50: 1}


def test_several_coins():
    assert change(1000, 315) == {200: 3, 50: 1, 20: 1, 10: 1, 5: 1}


def test_too_little():
    with pytest.raises(ValueError):
        change(100, 105)


def test_count():
    assert coin_count(500, 100) == 2
""",
        hidden=r"""
def test_two_small_coins():
    assert change(240, 200) == {20: 2}


def test_big_change():
    assert change(5000, 0) == {200: 25}


def test_rest_without_coin():
    with pytest.raises(ValueError):
        change(103, 100)


def test_sums():
    for toll in range(0, 500, 5):
        coins = change(500, toll)
        assert sum(c * n for c, n in coins.items()) == 500 - toll


def test_zero():
    assert coin_count(0, 0) == 0
""",
    ),
    Program(
        name="brew_durations",
        code=r'''
"""Durations in brewing recipes, such as "1w 2d" or "1h30m"."""

import re

UNITS = {"w": 5 * 86400, "d": 86400, "h": 3600, "m": 60, "s": 1}
_PART = re.compile(r"\s*(\d+)\s*([wdhms])")


def seconds(text):
    """Return the number of seconds of a duration."""
    total = 0
    position = 0
    text = text.strip()
    if not text:
        raise ValueError("empty duration")
    while position < len(text):
        match = _PART.match(text, position)
        if match is None:
            raise ValueError(f"bad duration: {text!r}")
        total += int(match[1]) * UNITS[match[2]]
        position = match.end()
    return total


def shorten(total):
    """Return the shortest text for a number of seconds."""
    parts = []
    for unit, length in UNITS.items():
        count, total = divmod(total, length)
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0s"
''',
        wrong='"w": 5 * 86400',
        right='"w": 7 * 86400',
        visible=r"""
def test_hours_and_minutes():
    assert seconds("1h30m") == 5400


def test_spaces():
    assert seconds(" 2 d  5s ") == 172805


def test_week():
    assert seconds("1w") == 604800


def test_bad():
    with pytest.raises(ValueError):
        seconds("3 hours")


def test_shorten():
    assert shorten(3725) == "1h 2m 5s"
""",
        hidden=r"""
def test_weeks_and_days():
    assert seconds("2w 1d") == 15 * 86400


def test_shorten_days():
    assert shorten(6 * 86400) == "6d"
    assert shorten(8 * 86400) == "1w 1d"


def test_zero():
    assert shorten(0) == "0s"
    assert seconds("0s") == 0


def test_empty():
    with pytest.raises(ValueError):
        seconds("  ")


def test_round_trip():
    for total in (59, 3600, 86399, 500000, 1000000):
        assert seconds(shorten(total)) == total
""",
    ),
    Program(
        name="lighthouse_cipher",
        code=r'''
"""The keyword cipher of a lighthouse's log book."""


def encode(text, keyword, sign=1):
    """Shift each letter by the next letter of the keyword; other characters stay.

    The keyword only advances at letters.
    """
    if not keyword.isalpha():
        raise ValueError("keyword must be letters")
    shifts = [ord(letter) - ord("a") for letter in keyword.lower()]
    used = 0
    coded = []
    for index, char in enumerate(text):
        if not char.isascii():
            raise ValueError(f"cannot encode character {index}")
        if not char.isalpha():
            coded.append(char)
            continue
        base = ord("a") if char.islower() else ord("A")
        shift = sign * shifts[index % len(shifts)]
        coded.append(chr((ord(char) - base + shift) % 26 + base))
        used += 1
    return "".join(coded)


def decode(text, keyword):
    """Undo `encode`."""
    return encode(text, keyword, sign=-1)
''',
        wrong="shift = sign * shifts[index % len(shifts)]",
        right="shift = sign * shifts[used % len(shifts)]",
        visible=r"""
def test_one_word():
    assert encode("attack", "bc") == "bvucdm"


def test_case_is_kept():
    assert encode("Zz", "b") == "Aa"


def test_keyword_pauses_at_space():
    assert encode("a aa", "bcd") == "b cd"


def test_round_trip():
    assert decode(encode("Fog at dawn", "lamp"), "lamp") == "Fog at dawn"


def test_bad_keyword():
    with pytest.raises(ValueError):
        encode("fog", "a1")
""",
        hidden=r"""
def test_punctuation():
    assert encode("a, a!a", "bcd") == "b, c!d"


def test_leading_space():
    assert encode(" ab", "bc") == " bd"


def test_decode_known():
    assert decode("b cd", "bcd") == "a aa"


def test_not_ascii():
    with pytest.raises(ValueError):
        encode("caf\u00e9", "b")


def test_empty():
    assert encode("", "key") == ""
""",
    ),
    Program(
        name="encoder_gray",
        code=r'''
"""Gray codes for the rings of a rotary encoder."""


def gray_codes(bits):
    """Return all codes of `bits` bits; neighbours differ in one bit."""
    if bits < 0:
        raise ValueError("bits must not be negative")
    if bits == 0:
        return [""]
    shorter = gray_codes(bits - 1)
    return ["0" + code for code in shorter] + ["1" + code for code in shorter]


def position(code):
    """Return the place of a code among the codes of its length."""
    return gray_codes(len(code)).index(code)


def turned(before, after):
    """Return 1, -1 or 0: the direction of a turn by at most one step."""
    steps = 2 ** len(before)
    difference = (position(after) - position(before)) % steps
    return {0: 0, 1: 1, steps - 1: -1}[difference]
''',
        wrong='["1" + code for code in shorter]',
        right='["1" + code for code in reversed(shorter)]',
        visible=r"""
def test_one_bit():
    assert gray_codes(1) == ["0", "1"]


def test_two_bits():
    assert gray_codes(2) == ["00", "01", "11", "10"]


def test_no_bits():
    assert gray_codes(0) == [""]


def test_turned_forward():
    assert turned("000", "001") == 1


def test_negative():
    with pytest.raises(ValueError):
        gray_codes(-1)
""",
        hidden=r"""
def test_neighbours_differ_in_one_bit():
    codes = gray_codes(4)
    for one, other in zip(codes, codes[1:] + codes[:1]):
        assert sum(a != b for a, b in zip(one, other)) == 1


def test_all_different():
    assert len(set(gray_codes(5))) == 32


def test_three_bits():
    assert gray_codes(3) == ["000", "001", "011", "010", "110", "111", "101", "100"]


def test_turned_back_and_around():
    assert turned("10", "11") == -1
    assert turned("10", "00") == 1
    assert turned("11", "11") == 0


def test_position():
    assert position("101") == 6
""",
    ),
    Program(
        name="shelf_inversions",
        code=r'''
"""How disordered is a library shelf?"""


def sort_and_count(numbers):
    """Return the sorted call numbers and the count of pairs in the wrong order."""
    if len(numbers) < 2:
        return list(numbers), 0
    middle = len(numbers) // 2
    left, in_left = sort_and_count(numbers[:middle])
    right, in_right = sort_and_count(numbers[middle:])
    merged = []
    count = in_left + in_right
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
            count += len(left)
    return merged + left[i:] + right[j:], count


def disorder(numbers):
    """Return the share of pairs in the wrong order, from 0.0 to 1.0."""
    pairs = len(numbers) * (len(numbers) - 1) // 2
    return sort_and_count(numbers)[1] / pairs if pairs else 0.0
''',
        wrong="            count += len(left)",
        right="            count += len(left) - i",
        visible=r"""
def test_sorted_shelf():
    assert sort_and_count([1, 2, 3, 4]) == ([1, 2, 3, 4], 0)


def test_reversed_shelf():
    assert sort_and_count([4, 3, 2, 1]) == ([1, 2, 3, 4], 6)


def test_one_swap_inside():
    assert sort_and_count([1, 3, 2, 4]) == ([1, 2, 3, 4], 1)


def test_short():
    assert sort_and_count([]) == ([], 0)
    assert sort_and_count([7]) == ([7], 0)


def test_disorder():
    assert disorder([2, 1]) == 1.0
    assert disorder([5]) == 0.0
""",
        hidden=r"""
def brute(numbers):
    return sum(numbers[a] > numbers[b] for a in range(len(numbers)) for b in range(a + 1, len(numbers)))


def test_against_brute_force():
    for shelf in ([3, 1, 2], [2, 4, 1, 3, 5], [5, 1, 4, 2, 3], [1, 9, 2, 8, 3, 7]):
        assert sort_and_count(shelf) == (sorted(shelf), brute(shelf))


def test_equal_numbers():
    assert sort_and_count([2, 2, 1, 1]) == ([1, 1, 2, 2], 4)
    assert sort_and_count([1, 2, 1, 2]) == ([1, 1, 2, 2], 1)


def test_last_in_front():
    assert sort_and_count([2, 3, 4, 1])[1] == 3


def test_disorder_share():
    assert disorder([1, 3, 2]) == pytest.approx(1 / 3)
    assert disorder([1, 2, 5, 4]) == pytest.approx(1 / 6)
    assert disorder([1, 4, 3, 5, 2, 6]) == pytest.approx(4 / 15)


def test_input_is_kept():
    shelf = [3, 2, 1]
    sort_and_count(shelf)
    assert shelf == [3, 2, 1]
""",
    ),
    Program(
        name="crate_tower",
        code=r'''
"""Move a tower of crates with a crane; no crate may stand on a smaller one."""


def moves(crates, source="A", target="C", spare="B"):
    """Return the moves (crate, from, to) that bring the tower to `target`."""
    if crates == 0:
        return []
    before = moves(crates - 1, source, spare, target)
    after = moves(crates - 1, spare, source, target)
    return before + [(crates, source, target)] + after


def replay(crates, steps):
    """Return the piles after the steps; raise ValueError at an illegal step."""
    piles = {"A": list(range(crates, 0, -1)), "B": [], "C": []}
    for crate, source, target in steps:
        if not piles[source] or piles[source][-1] != crate:
            raise ValueError(f"crate {crate} is not on top of {source}")
        if piles[target] and piles[target][-1] < crate:
            raise ValueError(f"crate {crate} is too big for {target}")
        piles[target].append(piles[source].pop())
    return piles
''',
        wrong="after = moves(crates - 1, spare, source, target)",
        right="after = moves(crates - 1, spare, target, source)",
        visible=r"""
def test_no_crates():
    assert moves(0) == []


def test_one_crate():
    assert moves(1) == [(1, "A", "C")]


def test_two_crates():
    assert moves(2) == [(1, "A", "B"), (2, "A", "C"), (1, "B", "C")]


def test_three_crates_end():
    assert replay(3, moves(3)) == {"A": [], "B": [], "C": [3, 2, 1]}


def test_illegal_step():
    with pytest.raises(ValueError):
        replay(2, [(2, "A", "B")])
""",
        hidden=r"""
def test_all_sizes_end_on_target():
    for n in range(2, 7):
        assert replay(n, moves(n))["C"] == list(range(n, 0, -1))


def test_number_of_moves():
    assert [len(moves(n)) for n in range(6)] == [0, 1, 3, 7, 15, 31]


def test_other_target():
    assert replay(3, moves(3, "A", "B", "C"))["B"] == [3, 2, 1]


def test_too_big():
    with pytest.raises(ValueError):
        replay(2, [(1, "A", "B"), (2, "A", "B")])
""",
    ),
    Program(
        name="exhibit_filter",
        code=r'''
"""Filters of a museum's online collection."""


def matches(rule, exhibit):
    """Return whether an exhibit (a dict) satisfies a rule.

    Rules: {"field": name, "is": value}, {"every": [...]}, {"some": [...]},
    {"none": [...]} and {"not": rule}.
    """
    if "every" in rule:
        return all(matches(part, exhibit) for part in rule["every"])
    if "some" in rule:
        return any(matches(part, exhibit) for part in rule["some"])
    if "none" in rule:
        return not all(matches(part, exhibit) for part in rule["none"])
    if "not" in rule:
        return not matches(rule["not"], exhibit)
    if "field" in rule:
        return exhibit.get(rule["field"]) == rule["is"]
    raise ValueError(f"unknown rule: {rule}")


def select(rule, exhibits):
    """Return the titles of the exhibits that satisfy the rule."""
    return [exhibit["title"] for exhibit in exhibits if matches(rule, exhibit)]
''',
        wrong='return not all(matches(part, exhibit) for part in rule["none"])',
        right='return not any(matches(part, exhibit) for part in rule["none"])',
        visible=r"""
VASE = {"title": "Vase", "era": "Ming", "room": 4}
OLD = {"field": "era", "is": "Ming"}
ROOM5 = {"field": "room", "is": 5}


def test_field():
    assert matches(OLD, VASE)
    assert not matches(ROOM5, VASE)


def test_every_and_some():
    assert not matches({"every": [OLD, ROOM5]}, VASE)
    assert matches({"some": [OLD, ROOM5]}, VASE)


def test_none_of_two():
    assert not matches({"none": [OLD, ROOM5]}, VASE)


def test_not():
    assert matches({"not": ROOM5}, VASE)


def test_unknown():
    with pytest.raises(ValueError):
        matches({"maybe": []}, VASE)
""",
        hidden=r"""
A = {"title": "A", "kind": "coin", "metal": "gold"}
B = {"title": "B", "kind": "coin", "metal": "iron"}
C = {"title": "C", "kind": "ring", "metal": "gold"}
D = {"title": "D", "kind": "sword", "metal": "iron"}
COIN = {"field": "kind", "is": "coin"}
GOLD = {"field": "metal", "is": "gold"}


def test_select_none():
    assert select({"none": [COIN, GOLD]}, [A, B, C, D]) == ["D"]


def test_empty_lists():
    assert matches({"none": []}, A)
    assert matches({"every": []}, A)
    assert not matches({"some": []}, A)


def test_nested():
    rule = {"every": [{"some": [COIN, GOLD]}, {"not": {"every": [COIN, GOLD]}}]}
    assert select(rule, [A, B, C, D]) == ["B", "C"]


def test_nested_none():
    rule = {"not": {"none": [COIN, GOLD]}}
    assert select(rule, [A, B, C, D]) == ["A", "B", "C"]


def test_missing_field():
    assert not matches({"field": "size", "is": 3}, A)
""",
    ),
    Program(
        name="bead_partitions",
        code=r'''
"""Ways to split a string of beads into bags."""

from functools import lru_cache


@lru_cache(maxsize=None)
def splits(beads, largest):
    """Return how many ways there are to split `beads` into bags of at most `largest`.

    The order of the bags does not matter and sizes may repeat.
    """
    if beads == 0:
        return 1
    if beads < 0 or largest == 0:
        return 0
    with_largest = splits(beads - largest, largest - 1)
    without_largest = splits(beads, largest - 1)
    return with_largest + without_largest


def partitions(beads):
    """Return how many ways there are without a limit."""
    return splits(beads, beads)
''',
        wrong="with_largest = splits(beads - largest, largest - 1)",
        right="with_largest = splits(beads - largest, largest)",
        visible=r"""
def test_no_beads():
    assert partitions(0) == 1


def test_one_bead():
    assert partitions(1) == 1


def test_four_beads():
    assert partitions(4) == 5


def test_bags_of_two():
    assert splits(5, 2) == 3


def test_no_bags_allowed():
    assert splits(3, 0) == 0
""",
        hidden=r"""
def test_known_numbers():
    assert [partitions(n) for n in range(9)] == [1, 1, 2, 3, 5, 7, 11, 15, 22]


def test_bags_of_one():
    assert splits(6, 1) == 1


def test_limit_above_beads():
    assert splits(3, 10) == 3


def test_bags_of_three():
    assert splits(6, 3) == 7


def test_large():
    assert partitions(50) == 204226
""",
    ),
    Program(
        name="permit_workdays",
        code=r'''
"""Deadlines of a building permit office."""

from datetime import date, timedelta


def is_workday(day, holidays=()):
    """Return whether the office is open: Monday to Friday and no holiday."""
    return day.weekday() <= 5 and day not in holidays


def deadline(received, workdays, holidays=()):
    """Return the day `workdays` working days after the application came."""
    day = received
    while workdays > 0:
        day += timedelta(days=1)
        if is_workday(day, holidays):
            workdays -= 1
    return day


def workdays_between(first, last, holidays=()):
    """Return the number of working days from first to last, both included."""
    length = (last - first).days + 1
    days = (first + timedelta(days=offset) for offset in range(length))
    return sum(is_workday(day, holidays) for day in days)
''',
        wrong="return day.weekday() <= 5 and day not in holidays",
        right="return day.weekday() < 5 and day not in holidays",
        visible=r"""
def test_weekday():
    assert is_workday(date(2024, 5, 3))


def test_sunday():
    assert not is_workday(date(2024, 5, 5))


def test_holiday():
    assert not is_workday(date(2024, 5, 1), {date(2024, 5, 1)})


def test_deadline_over_weekend():
    assert deadline(date(2024, 5, 3), 1) == date(2024, 5, 6)


def test_one_week():
    assert workdays_between(date(2024, 5, 6), date(2024, 5, 12)) == 5
""",
        hidden=r"""
def test_saturday():
    assert not is_workday(date(2024, 5, 4))


def test_ten_days():
    assert deadline(date(2024, 5, 6), 10) == date(2024, 5, 20)


def test_deadline_with_holiday():
    assert deadline(date(2024, 5, 7), 2, {date(2024, 5, 9)}) == date(2024, 5, 10)
    assert deadline(date(2024, 5, 8), 2, {date(2024, 5, 9)}) == date(2024, 5, 13)


def test_zero_days():
    assert deadline(date(2024, 5, 4), 0) == date(2024, 5, 4)


def test_month():
    assert workdays_between(date(2024, 5, 1), date(2024, 5, 31)) == 23
    assert workdays_between(date(2024, 5, 2), date(2024, 5, 1)) == 0
""",
    ),
    Program(
        name="royalty_quarters",
        code=r'''
"""Quarters in which a publisher pays royalties."""

import calendar
from datetime import date


def quarter(day):
    """Return the quarter of a day as (year, 1 to 4)."""
    return day.year, (day.month + 2) // 3


def quarter_end(day):
    """Return the last day of the quarter."""
    month = day.month // 3 * 3 + 3
    last = calendar.monthrange(day.year, month)[1]
    return date(day.year, month, last)


def payouts(sales):
    """Return the sum of (day, amount) sales for each quarter's last day."""
    totals = {}
    for day, amount in sales:
        end = quarter_end(day)
        totals[end] = totals.get(end, 0) + amount
    return totals
''',
        wrong="month = day.month // 3 * 3 + 3",
        right="month = (day.month - 1) // 3 * 3 + 3",
        visible=r"""
def test_quarter():
    assert quarter(date(2023, 1, 1)) == (2023, 1)
    assert quarter(date(2023, 12, 31)) == (2023, 4)


def test_start_of_quarter():
    assert quarter_end(date(2023, 4, 1)) == date(2023, 6, 30)


def test_last_month_of_quarter():
    assert quarter_end(date(2023, 3, 15)) == date(2023, 3, 31)


def test_middle_month():
    assert quarter_end(date(2023, 8, 9)) == date(2023, 9, 30)


def test_payouts():
    sales = [(date(2023, 1, 5), 10), (date(2023, 2, 5), 5)]
    assert payouts(sales) == {date(2023, 3, 31): 15}
""",
        hidden=r"""
def test_december():
    assert quarter_end(date(2022, 12, 1)) == date(2022, 12, 31)


def test_every_month():
    ends = [quarter_end(date(2024, m, 1)).month for m in range(1, 13)]
    assert ends == [3, 3, 3, 6, 6, 6, 9, 9, 9, 12, 12, 12]


def test_end_is_its_own_end():
    for day in (date(2024, 3, 31), date(2024, 6, 30), date(2024, 9, 30)):
        assert quarter_end(day) == day


def test_payouts_split():
    sales = [(date(2023, 6, 30), 4), (date(2023, 7, 1), 6), (date(2023, 5, 1), 1)]
    assert payouts(sales) == {date(2023, 6, 30): 5, date(2023, 9, 30): 6}


def test_no_sales():
    assert payouts([]) == {}
""",
    ),
    Program(
        name="sprint_statistics",
        code=r'''
"""Statistics of sprint times."""


def median(times):
    """Return the middle time, or the mean of the two middle ones."""
    if not times:
        raise ValueError("no times")
    ordered = list(times)
    half = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[half]
    return (ordered[half - 1] + ordered[half]) / 2


def spread(times):
    """Return the median distance of the times from their median."""
    centre = median(times)
    return median([abs(time - centre) for time in times])


def outliers(times, factor=3):
    """Return the times further than `factor` spreads from the median."""
    centre, width = median(times), spread(times)
    return [time for time in times if abs(time - centre) > factor * width]
''',
        wrong="ordered = list(times)",
        right="ordered = sorted(times)",
        visible=r"""
def test_odd():
    assert median([10, 11, 12]) == 11


def test_even():
    assert median([10, 11, 13, 14]) == 12


def test_unordered():
    assert median([12, 10, 11]) == 11


def test_no_times():
    with pytest.raises(ValueError):
        median([])


def test_spread():
    assert spread([10, 12, 14]) == 2
""",
        hidden=r"""
def test_unordered_even():
    assert median([14, 10, 11, 13]) == 12


def test_input_is_kept():
    times = [3, 1, 2]
    median(times)
    assert times == [3, 1, 2]


def test_spread_unordered():
    assert spread([1, 2, 3, 4, 100]) == 1


def test_outliers():
    assert outliers([11, 30, 10, 12, 13]) == [30]
    assert outliers([10, 11, 12]) == []


def test_single_and_tuple():
    assert median((5,)) == 5
    assert median((9, 1)) == 5
""",
    ),
    Program(
        name="locker_base",
        code=r'''
"""Short codes for locker numbers."""

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def to_code(number, width=0):
    """Return the code of a locker number, padded with zeros to `width`."""
    if number < 0:
        raise ValueError("locker numbers are not negative")
    digits = []
    while number:
        number, digit = divmod(number, len(DIGITS))
        digits.append(DIGITS[digit])
    code = "".join(reversed(digits)) or ""
    return code.rjust(width, DIGITS[0])


def from_code(code):
    """Return the locker number of a code; case does not matter."""
    if not code:
        raise ValueError("empty code")
    number = 0
    for letter in code.upper():
        number = number * len(DIGITS) + DIGITS.index(letter)
    return number
''',
        wrong='code = "".join(reversed(digits)) or ""',
        right='code = "".join(reversed(digits)) or DIGITS[0]',
        visible=r"""
def test_small():
    assert to_code(7) == "7"
    assert to_code(31) == "Z"


def test_two_digits():
    assert to_code(32) == "10"


def test_zero():
    assert to_code(0) == "0"


def test_padding():
    assert to_code(33, 4) == "0011"


def test_from_code():
    assert from_code("1z") == 63
""",
        hidden=r"""
def test_round_trip():
    for n in (0, 1, 31, 32, 1023, 1024, 99999):
        assert from_code(to_code(n)) == n


def test_zero_padded():
    assert to_code(0, 3) == "000"
    assert to_code(0, 1) == "0"


def test_negative():
    with pytest.raises(ValueError):
        to_code(-1)


def test_bad_letter():
    with pytest.raises(ValueError):
        from_code("O")


def test_empty_code():
    with pytest.raises(ValueError):
        from_code("")
""",
    ),
    Program(
        name="clinic_heap",
        code=r'''
"""The waiting queue of a clinic: the lowest number is seen first."""


class WaitingQueue:
    """A binary heap of (urgency, name) pairs."""

    def __init__(self):
        self._heap = []

    def __len__(self):
        return len(self._heap)

    def arrive(self, urgency, name):
        """Add a patient."""
        heap = self._heap
        heap.append((urgency, name))
        index = len(heap) - 1
        while index and heap[index] < heap[(index - 1) // 2]:
            parent = (index - 1) // 2
            heap[index], heap[parent] = heap[parent], heap[index]
            index = parent

    def call_next(self):
        """Remove the patient with the lowest number and return the name."""
        heap = self._heap
        if not heap:
            raise IndexError("nobody is waiting")
        heap[0], heap[-1] = heap[-1], heap[0]
        name = heap.pop()[1]
        index = 0
        while 2 * index + 1 < len(heap):
            child = 2 * index + 1
            if child + 1 < len(heap) and heap[child + 1] < heap[index]:
                child += 1
            if heap[index] <= heap[child]:
                break
            heap[index], heap[child] = heap[child], heap[index]
            index = child
        return name
''',
        wrong="if child + 1 < len(heap) and heap[child + 1] < heap[index]:",
        right="if child + 1 < len(heap) and heap[child + 1] < heap[child]:",
        visible=r"""
def drain(queue):
    return [queue.call_next() for _ in range(len(queue))]


def filled(numbers):
    queue = WaitingQueue()
    for n in numbers:
        queue.arrive(n, f"p{n}")
    return queue


def test_two():
    assert drain(filled([2, 1])) == ["p1", "p2"]


def test_in_order():
    assert drain(filled([1, 2, 3, 4, 5])) == ["p1", "p2", "p3", "p4", "p5"]


def test_reversed():
    assert drain(filled([3, 2, 1])) == ["p1", "p2", "p3"]


def test_length():
    queue = filled([4, 9])
    queue.call_next()
    assert len(queue) == 1


def test_empty():
    with pytest.raises(IndexError):
        WaitingQueue().call_next()
""",
        hidden=r"""
def drain(queue):
    return [queue.call_next() for _ in range(len(queue))]


def test_many():
    for numbers in ([5, 3, 8, 1, 9, 2, 7], [1, 2, 3, 4, 5, 6, 7, 8], [9, 8, 7, 6, 5, 4]):
        queue = WaitingQueue()
        for n in numbers:
            queue.arrive(n, n)
        assert drain(queue) == sorted(numbers)


def test_ties_by_name():
    queue = WaitingQueue()
    for name in ("Cem", "Ada", "Bob", "Dee"):
        queue.arrive(1, name)
    assert drain(queue) == ["Ada", "Bob", "Cem", "Dee"]


def test_mixed_use():
    queue = WaitingQueue()
    for n in (4, 1, 3, 2, 6):
        queue.arrive(n, n)
    assert queue.call_next() == 1
    queue.arrive(0, 0)
    assert drain(queue) == [0, 2, 3, 4, 6]


def test_single():
    queue = WaitingQueue()
    queue.arrive(5, "x")
    assert queue.call_next() == "x"
    assert len(queue) == 0
""",
    ),
    Program(
        name="tram_linked_queue",
        code=r'''
"""Trams waiting in front of a depot, as a linked list."""


class _Wagon:
    def __init__(self, number):
        self.number = number
        self.behind = None


class DepotQueue:
    """First in, first out."""

    def __init__(self):
        self._front = None
        self._back = None

    def enter(self, number):
        """Add a tram at the back."""
        wagon = _Wagon(number)
        if self._back is None:
            self._front = wagon
        else:
            self._back.behind = wagon
        self._back = wagon

    def leave(self):
        """Remove the tram at the front and return its number."""
        if self._front is None:
            raise LookupError("the depot is empty")
        number = self._front.number
        self._front = self._front.behind
        if self._front is None:
            self._front = self._back
        return number

    def numbers(self):
        """Return the numbers from front to back."""
        found = []
        wagon = self._front
        while wagon is not None:
            found.append(wagon.number)
            wagon = wagon.behind
        return found
''',
        wrong="            self._front = self._back",
        right="            self._back = None",
        visible=r"""
def test_order():
    queue = DepotQueue()
    for n in (12, 7, 3):
        queue.enter(n)
    assert queue.numbers() == [12, 7, 3]


def test_leave():
    queue = DepotQueue()
    queue.enter(1)
    queue.enter(2)
    assert queue.leave() == 1
    assert queue.numbers() == [2]


def test_leave_last():
    queue = DepotQueue()
    queue.enter(5)
    assert queue.leave() == 5
    assert queue.numbers() == []


def test_enter_after_empty():
    queue = DepotQueue()
    queue.enter(5)
    queue.leave()
    queue.enter(6)
    assert queue.numbers() == [6]


def test_empty():
    with pytest.raises(LookupError):
        DepotQueue().leave()
""",
        hidden=r"""
def test_emptied_raises():
    queue = DepotQueue()
    queue.enter(4)
    queue.leave()
    with pytest.raises(LookupError):
        queue.leave()


def test_refill_twice():
    queue = DepotQueue()
    for round_ in range(3):
        queue.enter(round_)
        queue.enter(round_ + 10)
        assert queue.leave() == round_
        assert queue.leave() == round_ + 10
        assert queue.numbers() == []


def test_interleaved():
    queue = DepotQueue()
    queue.enter("a")
    queue.enter("b")
    queue.leave()
    queue.enter("c")
    assert queue.numbers() == ["b", "c"]


def test_new():
    assert DepotQueue().numbers() == []
""",
    ),
    Program(
        name="spreadsheet_cycles",
        code=r'''
"""Find circular references between the cells of a spreadsheet."""


def has_cycle(references):
    """Return whether some cell refers to itself, directly or through others.

    `references` maps a cell to the cells its formula uses.
    """
    def visit(cell, above):
        if cell in above:
            return True
        above |= {cell}
        return any(visit(used, above) for used in references.get(cell, ()))

    return any(visit(cell, set()) for cell in references)


def check(references):
    """Raise ValueError when the references are circular."""
    if has_cycle(references):
        raise ValueError("circular reference")
''',
        wrong="above |= {cell}",
        right="above = above | {cell}",
        visible=r"""
def test_no_cells():
    assert not has_cycle({})


def test_chain():
    assert not has_cycle({"A1": ["B1"]})


def test_loop():
    assert has_cycle({"A1": ["B1"], "B1": ["A1"]})


def test_self():
    assert has_cycle({"A1": ["A1"]})


def test_shared_cell():
    assert not has_cycle({"A1": ["B1", "C1"], "B1": ["D1"], "C1": ["D1"]})
""",
        hidden=r"""
def test_listed_chain():
    assert not has_cycle({"A1": ["B1"], "B1": ["C1"], "C1": []})


def test_deep_loop():
    assert has_cycle({"A": ["B"], "B": ["C"], "C": ["D"], "D": ["B"]})


def test_cell_used_twice():
    assert not has_cycle({"A": ["B", "B"]})


def test_check():
    check({"X": ["Y", "Z"], "Y": ["Z"]})
    with pytest.raises(ValueError):
        check({"X": ["Y"], "Y": ["X"]})


def test_loop_beside_tree():
    assert has_cycle({"A": ["B"], "P": ["Q"], "Q": ["P"]})
""",
    ),
    Program(
        name="word_ladder",
        code=r'''
"""Word ladders for a puzzle page."""

from collections import deque


def _neighbours(word, words):
    return [
        other
        for other in sorted(words)
        if len(other) == len(word) and sum(a != b for a, b in zip(word, other)) == 1
    ]


def ladder_length(first, last, words):
    """Return how many words the shortest ladder has, both ends counted; 0 if none.

    Every word after the first must be in `words`.
    """
    seen = {first}
    queue = deque([(first, 0)])
    while queue:
        word, length = queue.popleft()
        if word == last:
            return length
        for other in _neighbours(word, words):
            if other not in seen:
                seen.add(other)
                queue.append((other, length + 1))
    return 0
''',
        wrong="queue = deque([(first, 0)])",
        right="queue = deque([(first, 1)])",
        visible=r"""
WORDS = {"cold", "cord", "card", "ward", "warm", "worm"}


def test_ladder():
    assert ladder_length("cold", "warm", WORDS) == 5


def test_one_step():
    assert ladder_length("card", "ward", WORDS) == 2


def test_no_ladder():
    assert ladder_length("cold", "tree", WORDS | {"tree"}) == 0


def test_last_unknown():
    assert ladder_length("cold", "bold", WORDS) == 0
""",
        hidden=r"""
def test_same_word():
    assert ladder_length("hat", "hat", set()) == 1


def test_first_not_listed():
    assert ladder_length("hit", "hot", ["hot"]) == 2


def test_shortest_is_taken():
    words = ["hot", "dot", "dog", "lot", "log", "cog"]
    assert ladder_length("hit", "cog", words) == 5


def test_other_lengths_ignored():
    assert ladder_length("cat", "cats", ["cats", "bat"]) == 0


def test_detour():
    assert ladder_length("aa", "bb", ["ab", "ac", "bb"]) == 3
""",
    ),
    Program(
        name="costume_stock",
        code=r'''
"""Stock of a theatre's costume rental."""


class Stock:
    """Counts costumes and those reserved for a show."""

    def __init__(self):
        self._owned = {}
        self._reserved = {}

    def buy(self, costume, count):
        """Add costumes."""
        self._owned[costume] = self._owned.get(costume, 0) + count

    def free(self, costume):
        """Return how many costumes are not reserved."""
        return self._owned.get(costume, 0) - self._reserved.get(costume, 0)

    def reserve(self, costume, count):
        """Reserve costumes; return False (and change nothing) if too few are free."""
        if count > self._owned.get(costume, 0):
            return False
        self._reserved[costume] = self._reserved.get(costume, 0) + count
        return True

    def release(self, costume, count):
        """Give back reserved costumes."""
        held = self._reserved.get(costume, 0)
        if count > held:
            raise ValueError(f"only {held} reserved")
        self._reserved[costume] = held - count
''',
        wrong="if count > self._owned.get(costume, 0):",
        right="if count > self.free(costume):",
        visible=r"""
def test_buy():
    stock = Stock()
    stock.buy("cape", 3)
    stock.buy("cape", 2)
    assert stock.free("cape") == 5


def test_reserve():
    stock = Stock()
    stock.buy("cape", 3)
    assert stock.reserve("cape", 2) is True
    assert stock.free("cape") == 1


def test_reserve_too_many_in_two_steps():
    stock = Stock()
    stock.buy("cape", 3)
    stock.reserve("cape", 2)
    assert stock.reserve("cape", 2) is False
    assert stock.free("cape") == 1


def test_unknown_costume():
    assert Stock().reserve("crown", 1) is False


def test_release_too_many():
    stock = Stock()
    stock.buy("cape", 3)
    with pytest.raises(ValueError):
        stock.release("cape", 1)
""",
        hidden=r"""
def test_all_then_one():
    stock = Stock()
    stock.buy("mask", 2)
    assert stock.reserve("mask", 2)
    assert not stock.reserve("mask", 1)
    assert stock.free("mask") == 0


def test_release_makes_room():
    stock = Stock()
    stock.buy("mask", 2)
    stock.reserve("mask", 2)
    stock.release("mask", 1)
    assert not stock.reserve("mask", 2)
    assert stock.reserve("mask", 1)


def test_kinds_are_apart():
    stock = Stock()
    stock.buy("mask", 1)
    stock.buy("wig", 1)
    assert stock.reserve("mask", 1)
    assert stock.reserve("wig", 1)
    assert not stock.reserve("wig", 1)


def test_too_many_at_once():
    stock = Stock()
    stock.buy("wig", 1)
    assert not stock.reserve("wig", 2)
    assert stock.free("wig") == 1


def test_free_unknown():
    assert Stock().free("boots") == 0
""",
    ),
    Program(
        name="greenhouse_heater",
        code=r'''
"""The heater of a greenhouse."""


class Heater:
    """Switches on below target - band and off above target + band."""

    def __init__(self, target, band=1.0):
        self.target = target
        self.band = band
        self.on = False
        self.switches = 0

    def _switch(self, on):
        if on != self.on:
            self.on = on
            self.switches += 1

    def measure(self, temperature):
        """Take a measurement; return whether the heater is on now."""
        if temperature < self.target - self.band:
            self._switch(True)
        elif temperature > self.target - self.band:
            self._switch(False)
        return self.on


def run(heater, temperatures):
    """Return the heater's states for a series of measurements."""
    return [heater.measure(temperature) for temperature in temperatures]
''',
        wrong="elif temperature > self.target - self.band:",
        right="elif temperature > self.target + self.band:",
        visible=r"""
def test_cold():
    assert Heater(20).measure(15) is True


def test_warm():
    assert Heater(20).measure(25) is False


def test_stays_on_in_band():
    heater = Heater(20)
    heater.measure(15)
    assert heater.measure(20) is True


def test_stays_off_in_band():
    heater = Heater(20)
    heater.measure(25)
    assert heater.measure(19.5) is False


def test_on_and_off():
    heater = Heater(20)
    assert run(heater, [15, 25, 15]) == [True, False, True]
    assert heater.switches == 3
""",
        hidden=r"""
def test_series():
    heater = Heater(10, 2)
    assert run(heater, [10, 7, 9, 12, 13, 11, 8, 7]) == [
        False, True, True, True, False, False, False, True]
    assert heater.switches == 3


def test_edges():
    heater = Heater(20)
    assert heater.measure(19) is False
    heater.measure(18.9)
    assert heater.measure(21) is True
    assert heater.measure(21.1) is False


def test_no_band():
    assert run(Heater(5, 0), [4, 5, 6, 5]) == [True, True, False, False]


def test_no_needless_switches():
    heater = Heater(20)
    run(heater, [15, 20, 20.5, 19.5])
    assert heater.switches == 1
""",
    ),
    Program(
        name="radio_playlist",
        code=r'''
"""The playlist of a community radio."""


class Playlist:
    """Songs and the position of the one that plays."""

    def __init__(self, songs):
        self.songs = list(songs)
        self._current = 0

    @property
    def playing(self):
        """The song that plays, or None."""
        return self.songs[self._current] if self.songs else None

    def skip(self):
        """Go to the next song, after the last one to the first."""
        if self.songs:
            self._current = (self._current + 1) % len(self.songs)
        return self.playing

    def remove(self, song):
        """Remove a song; if it plays, the one after it plays next."""
        index = self.songs.index(song)
        del self.songs[index]
        if index <= self._current:
            self._current -= 1
        if self._current >= len(self.songs):
            self._current = 0
''',
        wrong="if index <= self._current:",
        right="if index < self._current:",
        visible=r"""
def test_first_plays():
    assert Playlist(["Sun", "Rain"]).playing == "Sun"


def test_skip_wraps():
    songs = Playlist(["Sun", "Rain"])
    assert songs.skip() == "Rain"
    assert songs.skip() == "Sun"


def test_remove_earlier():
    songs = Playlist(["Sun", "Rain", "Snow"])
    songs.skip()
    songs.remove("Sun")
    assert songs.playing == "Rain"


def test_remove_playing():
    songs = Playlist(["Sun", "Rain", "Snow"])
    songs.skip()
    songs.remove("Rain")
    assert songs.playing == "Snow"


def test_empty():
    assert Playlist([]).playing is None
    assert Playlist([]).skip() is None
""",
        hidden=r"""
def test_remove_first_while_playing():
    songs = Playlist("abc")
    songs.remove("a")
    assert songs.playing == "b"
    assert songs.skip() == "c"


def test_remove_last_while_playing():
    songs = Playlist("abc")
    songs.skip()
    songs.skip()
    songs.remove("c")
    assert songs.playing == "a"


def test_remove_later():
    songs = Playlist("abc")
    songs.remove("c")
    assert songs.playing == "a"
    assert songs.songs == ["a", "b"]


def test_remove_all():
    songs = Playlist("ab")
    songs.remove("a")
    songs.remove("b")
    assert songs.playing is None


def test_unknown():
    with pytest.raises(ValueError):
        Playlist("ab").remove("z")
""",
    ),
    Program(
        name="regatta_ranking",
        code=r'''
"""The score table of a regatta."""


class ScoreTable:
    """Collects points and ranks the boats; boats with equal points share a rank."""

    def __init__(self):
        self._points = {}

    def score(self, boat, points):
        """Add points to a boat."""
        self._points[boat] = self._points.get(boat, 0) + points

    def ranking(self):
        """Return (rank, boat, points), best first, as in 1, 2, 2, 4."""
        ordered = sorted(self._points.items(), key=lambda item: (-item[1], item[0]))
        rows = []
        rank = 0
        previous = None
        for place, (boat, points) in enumerate(ordered, start=1):
            if points != previous:
                rank += 1
            rows.append((rank, boat, points))
            previous = points
        return rows

    def medals(self):
        """Return the boats of rank 1 to 3."""
        return [boat for rank, boat, _ in self.ranking() if rank <= 3]
''',
        wrong="                rank += 1",
        right="                rank = place",
        visible=r"""
def table(**points):
    scores = ScoreTable()
    for boat, p in points.items():
        scores.score(boat, p)
    return scores


def test_no_ties():
    assert table(Ara=5, Bix=9).ranking() == [(1, "Bix", 9), (2, "Ara", 5)]


def test_points_add_up():
    scores = table(Ara=5)
    scores.score("Ara", 4)
    assert scores.ranking() == [(1, "Ara", 9)]


def test_tie_skips_a_rank():
    rows = table(Ara=9, Bix=7, Cay=7, Dux=3).ranking()
    assert [row[0] for row in rows] == [1, 2, 2, 4]


def test_medals():
    assert table(Ara=4, Bix=3, Cay=2, Dux=1).medals() == ["Ara", "Bix", "Cay"]


def test_empty():
    assert ScoreTable().ranking() == []
""",
        hidden=r"""
def ranks(*points):
    scores = ScoreTable()
    for number, p in enumerate(points):
        scores.score(f"boat{number}", p)
    return [row[0] for row in scores.ranking()]


def test_ties_at_top():
    assert ranks(8, 8, 8, 5) == [1, 1, 1, 4]


def test_ties_at_end():
    assert ranks(9, 8, 5, 5) == [1, 2, 3, 3]


def test_two_ties():
    assert ranks(9, 9, 4, 4, 1) == [1, 1, 3, 3, 5]


def test_medals_with_ties():
    scores = ScoreTable()
    for boat, p in (("a", 5), ("b", 5), ("c", 5), ("d", 1)):
        scores.score(boat, p)
    assert scores.medals() == ["a", "b", "c"]


def test_zero_points():
    assert ranks(0, 0) == [1, 1]
""",
    ),
    Program(
        name="telegram_blocks",
        code=r'''
"""Split a telegraph office's tape into messages."""


def messages(tape, stop="STOP"):
    """Return the messages, each a list of words; `stop` ends a message."""
    found = []
    words = []
    for word in tape.split():
        if word == stop:
            if words:
                found.append(words)
            words.clear()
        else:
            words.append(word)
    if words:
        found.append(words)
    return found


def price(tape, per_word=3, stop="STOP"):
    """Return the price of all messages; the first five words of each are free."""
    return sum(max(0, len(words) - 5) * per_word for words in messages(tape, stop))
''',
        wrong="words.clear()",
        right="words = []",
        visible=r"""
def test_one_message():
    assert messages("ARRIVE MONDAY") == [["ARRIVE", "MONDAY"]]


def test_two_messages():
    assert messages("ARRIVE MONDAY STOP BRING HAT") == [["ARRIVE", "MONDAY"], ["BRING", "HAT"]]


def test_trailing_stop():
    assert messages("COME HOME STOP") == [["COME", "HOME"]]


def test_empty_tape():
    assert messages("") == []
    assert messages("STOP STOP") == []


def test_price():
    assert price("a b c d e f g") == 6
""",
        hidden=r"""
def test_three_messages():
    assert messages("A STOP B C STOP D") == [["A"], ["B", "C"], ["D"]]


def test_other_stop():
    assert messages("a / b c /", "/") == [["a"], ["b", "c"]]


def test_double_stop():
    assert messages("A STOP STOP B") == [["A"], ["B"]]


def test_price_of_two():
    assert price("a b c d e f STOP a b c d e f g STOP x") == 9


def test_lower_case_stop_is_a_word():
    assert messages("do stop") == [["do", "stop"]]
""",
    ),
    Program(
        name="kiosk_query",
        code=r'''
"""Queries that a ticket kiosk sends."""


def parse_query(text):
    """Return a dict of name -> list of values from "a=1&b=2&a=3".

    Only the first "=" of a part separates; a part without "=" has the value "".
    """
    query = {}
    for part in text.lstrip("?").split("&"):
        if not part:
            continue
        name, _, value = part.rpartition("=")
        query.setdefault(name, []).append(value.replace("+", " "))
    return query


def first(query, name, default=None):
    """Return the first value of a name."""
    values = query.get(name)
    return values[0] if values else default
''',
        wrong='part.rpartition("=")',
        right='part.partition("=")',
        visible=r"""
def test_pairs():
    assert parse_query("zone=3&class=2") == {"zone": ["3"], "class": ["2"]}


def test_repeated_name():
    assert parse_query("?seat=4&seat=5") == {"seat": ["4", "5"]}


def test_plus_is_space():
    assert parse_query("to=New+York") == {"to": ["New York"]}


def test_equals_in_value():
    assert parse_query("note=a=b") == {"note": ["a=b"]}


def test_no_equals():
    assert parse_query("return") == {"return": [""]}
""",
        hidden=r"""
def test_empty():
    assert parse_query("") == {}
    assert parse_query("?&&") == {}


def test_token_with_padding():
    assert parse_query("token=abc==&x=1") == {"token": ["abc=="], "x": ["1"]}


def test_flag_between():
    assert parse_query("a=1&return&b=2") == {"a": ["1"], "return": [""], "b": ["2"]}


def test_empty_value():
    assert parse_query("a=") == {"a": [""]}


def test_first():
    query = parse_query("a=1&a=2&f=x=y")
    assert first(query, "a") == "1"
    assert first(query, "f") == "x=y"
    assert first(query, "q", "none") == "none"
""",
    ),
    Program(
        name="beehive_notes",
        code=r'''
"""Read the notes of a beekeeper, in a simple section format."""


def parse_notes(text):
    """Return section -> {name: value} from lines such as "[hive 1]" and "queen = marked".

    Blank lines and comments ("#") are skipped; spaces around names and values do not count.
    """
    notes = {}
    section = notes.setdefault("general", {})
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("#")[0].strip()
        if not line:
            continue
        if line.startswith("[") and line.endswith("]"):
            section = notes.setdefault(line[1:-1].strip(), {})
            continue
        name, equals, value = line.partition("=")
        if not equals:
            raise ValueError(f"line {number}: no value")
        section[name.strip().lower()] = value
    return notes
''',
        wrong="section[name.strip().lower()] = value",
        right="section[name.strip().lower()] = value.strip()",
        visible=r"""
def test_tight():
    assert parse_notes("queen=marked") == {"general": {"queen": "marked"}}


def test_spaces():
    assert parse_notes("Queen = marked ") == {"general": {"queen": "marked"}}


def test_sections():
    notes = parse_notes("[hive 1]\nframes=8\n[hive 2]\nframes=10")
    assert notes == {"general": {}, "hive 1": {"frames": "8"}, "hive 2": {"frames": "10"}}


def test_comments():
    assert parse_notes("# spring\n\nmites=3 # low") == {"general": {"mites": "3"}}


def test_no_value():
    with pytest.raises(ValueError, match="line 2"):
        parse_notes("a=1\nb")
""",
        hidden=r"""
def test_tabs():
    assert parse_notes("mood\t=\tcalm") == {"general": {"mood": "calm"}}


def test_inner_spaces_stay():
    assert parse_notes("feed =  sugar water") == {"general": {"feed": "sugar water"}}


def test_empty_value():
    assert parse_notes("feed = ") == {"general": {"feed": ""}}


def test_section_again():
    text = "[ a ]\nx = 1\n[b]\ny = 2\n[a]\nz = 3"
    assert parse_notes(text) == {"general": {}, "a": {"x": "1", "z": "3"}, "b": {"y": "2"}}


def test_equals_in_value():
    assert parse_notes("rule = a = b") == {"general": {"rule": "a = b"}}


def test_empty_text():
    assert parse_notes("") == {"general": {}}
""",
    ),
)
