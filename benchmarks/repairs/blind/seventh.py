"""Programs of ten kinds in everyday trades.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---------------------------------------------------------------- structures
    Program(
        name="ferry_boarding",
        code=r'''"""Boarding lanes of a small car ferry."""
from collections import deque


class BoardingQueue:
    """Vehicles wait in two lanes and are called aboard in a fair order.

    Vehicles with a reservation have a lane of their own and go first, but
    after `reserved_per_turn` of them in a row one vehicle of the standby
    lane is called, if any is waiting.  Then the next turn begins.  While
    one lane is empty the other one is served.
    """

    def __init__(self, reserved_per_turn=2):
        self._reserved = deque()
        self._standby = deque()
        self._per_turn = reserved_per_turn
        self._in_a_row = 0

    def arrive(self, plate, reserved=False):
        """Put a vehicle at the end of its lane."""
        lane = self._reserved if reserved else self._standby
        lane.append(plate)

    def call_next(self):
        """Remove and return the next vehicle, or None if nobody waits."""
        turn_over = self._in_a_row >= self._per_turn
        if self._reserved and not (turn_over and self._standby):
            self._in_a_row += 1
            return self._reserved.popleft()
        if self._standby:
            return self._standby.popleft()
        return None

    def __len__(self):
        return len(self._reserved) + len(self._standby)
''',
        wrong="""        if self._standby:
            return""",
        right="""        if self._standby:
            self._in_a_row = 0
            return""",
        visible=r"""
def fill(queue, reserved, standby):
    for plate in reserved:
        queue.arrive(plate, reserved=True)
    for plate in standby:
        queue.arrive(plate)


def test_nobody_waiting():
    assert BoardingQueue().call_next() is None


def test_standby_alone_boards_in_order():
    queue = BoardingQueue()
    fill(queue, [], ["s1", "s2"])
    assert [queue.call_next(), queue.call_next()] == ["s1", "s2"]


def test_standby_gets_its_place():
    queue = BoardingQueue()
    fill(queue, ["r1", "r2", "r3"], ["s1"])
    assert [queue.call_next() for _ in range(4)] == ["r1", "r2", "s1", "r3"]


def test_two_turns():
    queue = BoardingQueue()
    fill(queue, ["r1", "r2", "r3", "r4"], ["s1", "s2"])
    order = [queue.call_next() for _ in range(6)]
    assert order == ["r1", "r2", "s1", "r3", "r4", "s2"]


def test_length():
    queue = BoardingQueue()
    fill(queue, ["r1"], ["s1", "s2"])
    assert len(queue) == 3
    queue.call_next()
    assert len(queue) == 2
""",
        hidden=r"""
def test_three_per_turn():
    queue = BoardingQueue(reserved_per_turn=3)
    for number in range(6):
        queue.arrive(f"r{number}", reserved=True)
    for number in range(2):
        queue.arrive(f"s{number}")
    order = [queue.call_next() for _ in range(8)]
    assert order == ["r0", "r1", "r2", "s0", "r3", "r4", "r5", "s1"]


def test_reserved_only_until_standby_comes():
    queue = BoardingQueue()
    for number in range(4):
        queue.arrive(f"r{number}", reserved=True)
    assert [queue.call_next() for _ in range(3)] == ["r0", "r1", "r2"]
    queue.arrive("s0")
    assert queue.call_next() == "s0"
    assert queue.call_next() == "r3"


def test_new_turn_after_standby():
    queue = BoardingQueue(reserved_per_turn=1)
    for plate in ("a", "b", "c"):
        queue.arrive(plate, reserved=True)
    for plate in ("x", "y", "z"):
        queue.arrive(plate)
    assert [queue.call_next() for _ in range(6)] == list("axbycz")


def test_empty_again():
    queue = BoardingQueue()
    queue.arrive("a")
    queue.call_next()
    assert queue.call_next() is None
    assert len(queue) == 0
""",
    ),
    Program(
        name="tariff_cache",
        code=r'''"""A small cache for freight tariffs that are slow to look up."""
from collections import OrderedDict


class TariffCache:
    """Remembers the tariffs of the ports used last, at most `capacity`.

    Looking up or storing a port counts as using it.
    """

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._entries = OrderedDict()

    def get(self, port, default=None):
        """The tariff of a port, or `default` if it is not in the cache."""
        if port not in self._entries:
            return default
        self._entries.move_to_end(port)
        return self._entries[port]

    def put(self, port, tariff):
        """Store a tariff.

        A port that is known already only gets its new tariff.  The port
        whose last use is longest ago is dropped when a new one does not fit.
        """
        if len(self._entries) >= self.capacity:
            self._entries.popitem(last=False)
        self._entries[port] = tariff
        self._entries.move_to_end(port)

    def ports(self):
        """Known ports, the one used longest ago first."""
        return list(self._entries)
''',
        wrong="        if len(self._entries) >= self.capacity:",
        right="        if port not in self._entries and len(self._entries) >= self.capacity:",
        visible=r"""
def test_unknown_port():
    assert TariffCache(2).get("Bergen", 0) == 0


def test_oldest_is_dropped():
    cache = TariffCache(2)
    cache.put("Bergen", 10)
    cache.put("Gdynia", 20)
    cache.put("Malmo", 30)
    assert cache.ports() == ["Gdynia", "Malmo"]


def test_lookup_counts_as_use():
    cache = TariffCache(2)
    cache.put("Bergen", 10)
    cache.put("Gdynia", 20)
    assert cache.get("Bergen") == 10
    cache.put("Malmo", 30)
    assert cache.ports() == ["Bergen", "Malmo"]


def test_update_keeps_the_others():
    cache = TariffCache(2)
    cache.put("Bergen", 10)
    cache.put("Gdynia", 20)
    cache.put("Gdynia", 25)
    assert cache.get("Gdynia") == 25
    assert cache.get("Bergen") == 10


def test_capacity_must_be_positive():
    with pytest.raises(ValueError):
        TariffCache(0)
""",
        hidden=r"""
def test_updates_when_full():
    cache = TariffCache(3)
    for port in "abc":
        cache.put(port, 1)
    cache.put("b", 2)
    assert cache.ports() == ["a", "c", "b"]
    cache.put("c", 2)
    assert cache.ports() == ["a", "b", "c"]
    assert [cache.get(port) for port in "abc"] == [1, 2, 2]


def test_single_place():
    cache = TariffCache(1)
    cache.put("a", 1)
    cache.put("a", 2)
    assert cache.ports() == ["a"]
    cache.put("b", 3)
    assert cache.ports() == ["b"]


def test_never_more_than_capacity():
    cache = TariffCache(3)
    for number in range(10):
        cache.put(number, number)
        assert len(cache.ports()) <= 3
    assert cache.ports() == [7, 8, 9]


def test_update_counts_as_use():
    cache = TariffCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    cache.put("c", 4)
    assert cache.ports() == ["a", "c"]
""",
    ),
    Program(
        name="bakery_orders",
        code=r'''"""The order board of a bakery."""
import heapq


class OrderBoard:
    """Open orders; the one that is due first is baked first.

    Orders with the same due time are baked in alphabetical order.
    """

    def __init__(self):
        self._heap = []
        self._due = {}

    def place(self, customer, due):
        """Note an order, or move the customer's open order to another time."""
        self._due[customer] = due
        heapq.heappush(self._heap, (due, customer))

    def cancel(self, customer):
        """Strike out the customer's open order; KeyError if there is none."""
        del self._due[customer]

    def take(self):
        """Remove and return (customer, due) of the next order.

        IndexError if no order is open.
        """
        while self._heap:
            due, customer = heapq.heappop(self._heap)
            if customer in self._due:
                del self._due[customer]
                return customer, due
        raise IndexError("no open order")

    def __len__(self):
        return len(self._due)
''',
        wrong="            if customer in self._due:",
        right="            if self._due.get(customer) == due:",
        visible=r"""
def test_due_first():
    board = OrderBoard()
    board.place("Mills", 900)
    board.place("Abel", 730)
    assert board.take() == ("Abel", 730)
    assert board.take() == ("Mills", 900)


def test_cancelled_order_is_skipped():
    board = OrderBoard()
    board.place("Mills", 900)
    board.place("Abel", 730)
    board.cancel("Abel")
    assert len(board) == 1
    assert board.take() == ("Mills", 900)


def test_moved_to_earlier():
    board = OrderBoard()
    board.place("Mills", 900)
    board.place("Abel", 730)
    board.place("Mills", 700)
    assert board.take() == ("Mills", 700)
    assert len(board) == 1


def test_moved_to_later():
    board = OrderBoard()
    board.place("Abel", 730)
    board.place("Mills", 900)
    board.place("Abel", 1000)
    assert board.take() == ("Mills", 900)
    assert board.take() == ("Abel", 1000)


def test_nothing_open():
    with pytest.raises(IndexError):
        OrderBoard().take()
""",
        hidden=r"""
def test_cancelled_and_placed_again_later():
    board = OrderBoard()
    board.place("Abel", 730)
    board.cancel("Abel")
    board.place("Abel", 1100)
    assert board.take() == ("Abel", 1100)
    with pytest.raises(IndexError):
        board.take()


def test_moved_several_times():
    board = OrderBoard()
    for due in (700, 1200, 800, 1000):
        board.place("Abel", due)
    board.place("Mills", 900)
    assert [board.take(), board.take()] == [("Mills", 900), ("Abel", 1000)]
    assert len(board) == 0


def test_same_time_alphabetical():
    board = OrderBoard()
    for name in ("Cole", "Abel", "Bond"):
        board.place(name, 800)
    assert [board.take()[0] for _ in range(3)] == ["Abel", "Bond", "Cole"]


def test_cancel_unknown():
    with pytest.raises(KeyError):
        OrderBoard().cancel("Abel")
""",
    ),
    Program(
        name="choir_archive",
        code=r'''"""The sheet music archive of a choir, a tree sorted by catalogue number.

An archive is its topmost sheet, or None while it is empty.
"""


class Sheet:
    """A piece of music; smaller numbers are to its left."""

    def __init__(self, number, title):
        self.number = number
        self.title = title
        self.left = self.right = None


def add(sheet, number, title):
    """Add a piece, or rename the one of this number; returns the archive."""
    if sheet is None:
        return Sheet(number, title)
    if number < sheet.number:
        sheet.left = add(sheet.left, number, title)
    elif number > sheet.number:
        sheet.right = add(sheet.right, number, title)
    else:
        sheet.title = title
    return sheet


def remove(sheet, number):
    """Take out a piece; unknown numbers are ignored; returns the archive."""
    if sheet is None:
        return None
    if number < sheet.number:
        sheet.left = remove(sheet.left, number)
    elif number > sheet.number:
        sheet.right = remove(sheet.right, number)
    elif sheet.left is None or sheet.right is None:
        return sheet.left or sheet.right
    else:
        heir = sheet.right
        while heir.left is not None:
            heir = heir.left
        sheet.number, sheet.title = heir.number, heir.title
        sheet.right = remove(heir, heir.number)
    return sheet


def titles(sheet):
    """All titles in the order of their numbers."""
    return titles(sheet.left) + [sheet.title] + titles(sheet.right) if sheet else []
''',
        wrong="remove(heir, heir.number)",
        right="remove(sheet.right, heir.number)",
        visible=r"""
def archive(*numbers):
    result = None
    for number in numbers:
        result = add(result, number, f"no {number}")
    return result


def test_sorted_titles():
    assert titles(archive(5, 2, 8)) == ["no 2", "no 5", "no 8"]


def test_rename():
    sheets = add(archive(5, 2), 2, "Evening Song")
    assert titles(sheets) == ["Evening Song", "no 5"]


def test_remove_leaf_and_unknown():
    sheets = remove(archive(5, 2, 8), 2)
    sheets = remove(sheets, 77)
    assert titles(sheets) == ["no 5", "no 8"]


def test_remove_with_two_branches():
    assert titles(remove(archive(5, 2, 8), 5)) == ["no 2", "no 8"]


def test_remove_in_a_larger_archive():
    sheets = remove(archive(50, 20, 80, 70, 90, 60), 50)
    assert titles(sheets) == ["no 20", "no 60", "no 70", "no 80", "no 90"]
""",
        hidden=r"""
def build(numbers):
    result = None
    for number in numbers:
        result = add(result, number, str(number))
    return result


def test_every_single_removal():
    numbers = [40, 20, 60, 10, 30, 50, 70, 55, 45, 25, 35]
    for gone in numbers:
        sheets = remove(build(numbers), gone)
        assert titles(sheets) == [str(n) for n in sorted(numbers) if n != gone]


def test_remove_all_from_the_root():
    numbers = [40, 20, 60, 10, 30, 50, 70]
    sheets = build(numbers)
    left = sorted(numbers)
    for number in numbers:
        sheets = remove(sheets, number)
        left.remove(number)
        assert titles(sheets) == [str(n) for n in left]


def test_heir_with_a_right_branch():
    assert titles(remove(build([50, 20, 80, 60, 65]), 50)) == ["20", "60", "65", "80"]


def test_empty():
    assert titles(remove(None, 1)) == []
    assert remove(build([3]), 3) is None
""",
    ),
    # ----------------------------------------------------------------- recursion
    Program(
        name="canteen_shopping",
        code=r'''"""Shopping lists for a canteen whose dishes are built from other recipes."""


class RecipeLoop(Exception):
    """A recipe needs itself, directly or by way of other recipes."""


def shopping_list(recipes, dish, portions=1):
    """Amount of every raw ingredient for some portions of a dish.

    `recipes` maps a dish to {part: amount for one unit of the dish}.  A part
    may have a recipe of its own; parts without one are raw ingredients.
    Raises RecipeLoop if a recipe contains itself.
    """
    totals = {}
    _collect(recipes, dish, portions, totals, set())
    return totals


def _collect(recipes, name, amount, totals, being_made):
    if name not in recipes:
        totals[name] = totals.get(name, 0) + amount
        return
    if name in being_made:
        raise RecipeLoop(name)
    being_made.add(name)
    for part, per_unit in recipes[name].items():
        _collect(recipes, part, amount * per_unit, totals, being_made)
''',
        wrong="        _collect(recipes, part, amount * per_unit, totals, being_made)\n",
        right="        _collect(recipes, part, amount * per_unit, totals, being_made)\n    being_made.remove(name)\n",
        visible=r"""
def test_plain_recipe():
    recipes = {"tea": {"water": 200, "leaves": 2}}
    assert shopping_list(recipes, "tea", 3) == {"water": 600, "leaves": 6}


def test_nested_recipe():
    recipes = {
        "pie": {"dough": 2, "apple": 5},
        "dough": {"flour": 100, "butter": 50},
    }
    assert shopping_list(recipes, "pie") == {"flour": 200, "butter": 100, "apple": 5}


def test_loop_is_reported():
    recipes = {"stew": {"stock": 1}, "stock": {"stew": 1}}
    with pytest.raises(RecipeLoop):
        shopping_list(recipes, "stew")


def test_part_that_is_used_twice():
    recipes = {
        "lasagne": {"sauce": 2, "topping": 1, "pasta": 6},
        "topping": {"sauce": 1, "cheese": 30},
        "sauce": {"milk": 100},
    }
    assert shopping_list(recipes, "lasagne") == {"milk": 300, "pasta": 6, "cheese": 30}


def test_raw_ingredient():
    assert shopping_list({}, "salt", 4) == {"salt": 4}
""",
        hidden=r"""
def test_shared_base_on_several_levels():
    recipes = {
        "menu": {"soup": 1, "roast": 1, "gravy": 2},
        "soup": {"stock": 3},
        "roast": {"gravy": 1, "meat": 1},
        "gravy": {"stock": 2},
        "stock": {"water": 10},
    }
    assert shopping_list(recipes, "menu", 2) == {"water": 180, "meat": 2}


def test_loop_to_itself():
    with pytest.raises(RecipeLoop):
        shopping_list({"sourdough": {"sourdough": 1, "flour": 3}}, "sourdough")


def test_loop_below_a_shared_part():
    recipes = {"a": {"b": 1, "c": 1}, "b": {"c": 1}, "c": {"d": 1}, "d": {"b": 1}}
    with pytest.raises(RecipeLoop):
        shopping_list(recipes, "a")


def test_two_calls_are_independent():
    recipes = {"tea": {"water": 2}}
    assert shopping_list(recipes, "tea") == {"water": 2}
    assert shopping_list(recipes, "tea") == {"water": 2}
""",
    ),
    Program(
        name="ski_descent",
        code=r'''"""The longest way down in a ski area."""


def longest_descent(pistes, start):
    """Metres and stations of the longest descent from a station.

    `pistes` maps a station to a list of (lower station, metres).  From a
    station without pistes nothing leads further down.  If two descents are
    equally long the one listed first counts.
    """
    best_metres, best_way = 0, [start]
    for station, metres in pistes.get(start, []):
        rest, way = longest_descent(pistes, station)
        if metres > best_metres:
            best_metres = metres + rest
            best_way = [start] + way
    return best_metres, best_way


def describe(pistes, start):
    """A line for the notice board, such as 'Peak - Hut - Valley: 4.2 km'."""
    metres, way = longest_descent(pistes, start)
    if len(way) == 1:
        return f"{start}: no descent"
    return f"{' - '.join(way)}: {metres / 1000:.1f} km"
''',
        wrong="        if metres > best_metres:",
        right="        if metres + rest > best_metres:",
        visible=r"""
def test_bottom_station():
    assert longest_descent({}, "Valley") == (0, ["Valley"])


def test_single_way():
    pistes = {"Peak": [("Hut", 1200)], "Hut": [("Valley", 3000)]}
    assert longest_descent(pistes, "Peak") == (4200, ["Peak", "Hut", "Valley"])


def test_two_ways():
    pistes = {
        "Peak": [("Valley", 2500), ("Hut", 1200)],
        "Hut": [("Valley", 3000)],
    }
    assert longest_descent(pistes, "Peak") == (4200, ["Peak", "Hut", "Valley"])


def test_first_of_equal_ways():
    pistes = {"Peak": [("East", 900), ("West", 900)]}
    assert longest_descent(pistes, "Peak") == (900, ["Peak", "East"])


def test_notice_board():
    pistes = {"Peak": [("Hut", 1200)], "Hut": [("Valley", 3000)]}
    assert describe(pistes, "Peak") == "Peak - Hut - Valley: 4.2 km"
    assert describe(pistes, "Valley") == "Valley: no descent"
""",
        hidden=r"""
def test_short_start_long_rest():
    pistes = {
        "A": [("B", 500), ("C", 100)],
        "B": [("D", 100)],
        "C": [("D", 600), ("E", 200)],
        "E": [("D", 700)],
    }
    assert longest_descent(pistes, "A") == (1000, ["A", "C", "E", "D"])


def test_long_start_short_rest():
    pistes = {"A": [("B", 100), ("C", 300)], "B": [("D", 900)], "C": [("D", 50)]}
    assert longest_descent(pistes, "A") == (1000, ["A", "B", "D"])


def test_equal_sums_first_counts():
    pistes = {"A": [("B", 100), ("C", 200)], "B": [("D", 200)], "C": [("D", 100)]}
    assert longest_descent(pistes, "A") == (300, ["A", "B", "D"])
""",
    ),
    Program(
        name="concert_outline",
        code=r'''"""Numbered outlines for concert programmes."""


def label(number, title):
    """One line of the outline, indented by two blanks for every level."""
    level = number.count(".")
    return "  " * level + f"{number} {title.strip()}"


def outline(entries):
    """The lines of the outline of nested entries.

    An entry is a title or a pair (title, entries below it).  Entries are
    numbered 1, 2, ...; those below entry 2 are 2.1, 2.2 and so on.
    """
    return _number(entries, "")


def _number(entries, prefix, lines=[]):
    for position, entry in enumerate(entries, start=1):
        title, below = (entry, []) if isinstance(entry, str) else entry
        number = f"{prefix}{position}"
        lines.append(label(number, title))
        _number(below, number + ".", lines)
    return lines
''',
        wrong='    return _number(entries, "")',
        right='    return _number(entries, "", [])',
        visible=r"""
def test_nested_programme():
    lines = outline(["Welcome", ("Part one", ["Psalm", "Motet"]), "Encore"])
    assert lines == [
        "1 Welcome",
        "2 Part one",
        "  2.1 Psalm",
        "  2.2 Motet",
        "3 Encore",
    ]


def test_label_of_first_level():
    assert label("3", "Encore") == "3 Encore"


def test_label_is_indented_and_trimmed():
    assert label("2.1.4", " Amen ") == "    2.1.4 Amen"


def test_two_programmes():
    first = outline(["Psalm"])
    second = outline(["Motet"])
    assert first == ["1 Psalm"]
    assert second == ["1 Motet"]
""",
        hidden=r"""
def test_same_programme_twice():
    programme = [("Part", ["a", ("b", ["c"])])]
    expected = ["1 Part", "  1.1 a", "  1.2 b", "    1.2.1 c"]
    assert outline(programme) == expected
    assert outline(programme) == expected


def test_empty_after_another():
    outline(["Psalm"])
    assert outline([]) == []


def test_result_belongs_to_the_caller():
    lines = outline(["Psalm"])
    lines.append("Bar opens at nine")
    assert outline(["Psalm"]) == ["1 Psalm"]


def test_label():
    assert label("1.1", "x") == "  1.1 x"
""",
    ),
    Program(
        name="lifeguard_shifts",
        code=r'''"""Splitting the opening hours of a beach among lifeguards."""


def split_watch(start, end, longest):
    """Split the watch from `start` to `end` into shifts.

    Times are minutes after midnight.  A watch of at most `longest` minutes
    is one shift; a longer one is halved, and so are its halves where needed.
    If a watch cannot be halved evenly its first half is a minute shorter.
    The shifts are returned in order as pairs (start, end).
    """
    if longest < 1:
        raise ValueError("a shift must last at least a minute")
    if end - start <= longest:
        return [(start, end)]
    half = start + end // 2
    return split_watch(start, half, longest) + split_watch(half, end, longest)


def clock(minutes):
    """Minutes after midnight as hh:mm."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def roster(start, end, longest):
    """The shifts as lines such as '09:00-11:15'."""
    return [f"{clock(a)}-{clock(b)}" for a, b in split_watch(start, end, longest)]
''',
        wrong="    half = start + end // 2",
        right="    half = (start + end) // 2",
        visible=r"""
def test_short_watch_is_one_shift():
    assert split_watch(540, 660, 120) == [(540, 660)]


def test_clock():
    assert clock(545) == "09:05"
    assert clock(0) == "00:00"


def test_halved_from_midnight():
    assert split_watch(0, 120, 60) == [(0, 60), (60, 120)]


def test_beach_day():
    assert roster(540, 1080, 150) == [
        "09:00-11:15", "11:15-13:30", "13:30-15:45", "15:45-18:00",
    ]


def test_longest_must_be_positive():
    with pytest.raises(ValueError):
        split_watch(540, 600, 0)
""",
        hidden=r"""
def test_odd_length():
    assert split_watch(10, 15, 3) == [(10, 12), (12, 15)]


def test_shifts_join_and_are_short_enough():
    for start, end, longest in ((480, 1200, 100), (601, 1000, 7), (1, 60, 1)):
        shifts = split_watch(start, end, longest)
        assert shifts[0][0] == start and shifts[-1][1] == end
        assert all(a[1] == b[0] for a, b in zip(shifts, shifts[1:]))
        assert all(0 < b - a <= longest for a, b in shifts)


def test_just_too_long():
    assert split_watch(600, 722, 121) == [(600, 661), (661, 722)]


def test_roster_single():
    assert roster(600, 605, 10) == ["10:00-10:05"]
""",
    ),
    # ------------------------------------------------------- strings, tokenising
    Program(
        name="timetable_row",
        code=r'''"""Reading the rows of a printed bus timetable."""
import re

TIME = re.compile(r"\d\d:\d\d$")
NOT_SERVED = "--"


def parse_row(row):
    """Split a row into the name of the stop and its departures.

    A row holds the name, which may have several words, and then one column
    for every run: the time as hh:mm, or -- if the run does not serve the
    stop.  Departures are returned as minutes after midnight, or None where
    the stop is not served.  Raises ValueError if name or columns are missing.
    """
    words = row.split()
    first = 0
    for index, word in enumerate(words):
        if TIME.match(word):
            first = index
            break
    if first == 0:
        raise ValueError(f"not a timetable row: {row!r}")
    return " ".join(words[:first]), [_minutes(word) for word in words[first:]]


def _minutes(column):
    if column == NOT_SERVED:
        return None
    hours, minutes = column.split(":")
    return int(hours) * 60 + int(minutes)
''',
        wrong="        if TIME.match(word):",
        right="        if word == NOT_SERVED or TIME.match(word):",
        visible=r"""
def test_simple_row():
    assert parse_row("Station 06:10 07:10") == ("Station", [370, 430])


def test_name_of_several_words():
    assert parse_row("Old Mill  Bridge   10:00") == ("Old Mill Bridge", [600])


def test_run_that_skips_the_stop():
    assert parse_row("Pier 4  06:10 -- 08:10") == ("Pier 4", [370, None, 490])


def test_first_run_skips_the_stop():
    assert parse_row("Pier 4  --  07:10") == ("Pier 4", [None, 430])


def test_missing_columns():
    with pytest.raises(ValueError):
        parse_row("Old Mill Bridge")
""",
        hidden=r"""
def test_several_leading_gaps():
    assert parse_row("Upper Farm -- -- -- 09:00 --") == (
        "Upper Farm", [None, None, None, 540, None])


def test_stop_that_is_never_served():
    assert parse_row("Quarry -- --") == ("Quarry", [None, None])


def test_missing_name():
    with pytest.raises(ValueError):
        parse_row("06:10 07:10")


def test_name_with_numbers():
    assert parse_row("Gate 12 B 00:05") == ("Gate 12 B", [5])
""",
    ),
    Program(
        name="knitting_pattern",
        code=r'''"""Writing out knitting patterns stitch by stitch."""
import re

TOKEN = re.compile(r"\(|\)x\d|[kp]\d+|yo")


def expand(pattern):
    """The stitches of a row as a list.

    k3 stands for three knit stitches ("k"), p2 for two purl stitches ("p"),
    yo for one yarn over.  A part in brackets is repeated as often as the
    number after it says: (k1 p1)x4.  Brackets may be nested.  Raises
    ValueError if the brackets do not match.
    """
    groups = [[]]
    for token in TOKEN.findall(pattern):
        if token == "(":
            groups.append([])
        elif token.startswith(")"):
            group = groups.pop()
            if not groups:
                raise ValueError("bracket was not opened")
            groups[-1].extend(group * int(token[2:]))
        elif token == "yo":
            groups[-1].append(token)
        else:
            groups[-1].extend(token[0] * int(token[1:]))
    if len(groups) > 1:
        raise ValueError("bracket was not closed")
    return groups[0]


def stitch_count(pattern):
    """Number of stitches in the row."""
    return len(expand(pattern))
''',
        wrong=r'r"\(|\)x\d|[kp]\d+|yo"',
        right=r'r"\(|\)x\d+|[kp]\d+|yo"',
        visible=r"""
def test_plain_row():
    assert expand("k3 p2") == ["k", "k", "k", "p", "p"]


def test_repeat():
    assert expand("(k1 p1)x2 yo") == ["k", "p", "k", "p", "yo"]


def test_nested_repeat():
    assert expand("((k1)x2 p1)x2") == list("kkpkkp")


def test_whole_row_of_a_scarf():
    assert stitch_count("k4 (k1 p1)x16 k4") == 40


def test_bracket_not_closed():
    with pytest.raises(ValueError):
        expand("(k1 p1")
""",
        hidden=r"""
def test_long_repeats():
    assert stitch_count("(k2 yo)x25") == 75
    assert stitch_count("(p1)x100") == 100


def test_long_repeat_outside_a_short_one():
    assert stitch_count("((k1 p2)x3 yo)x12") == 120


def test_large_counts():
    assert stitch_count("k12 p120") == 132


def test_bracket_not_opened():
    with pytest.raises(ValueError):
        expand("k1)x2")


def test_ten():
    assert expand("(yo)x10") == ["yo"] * 10
""",
    ),
    Program(
        name="shelf_marks",
        code=r'''"""Shelf marks for a village library."""

ARTICLES = ("The ", "An ", "A ")


def sort_title(title):
    """The title as it is sorted: without an article at its beginning."""
    title = title.strip()
    for article in ARTICLES:
        if title.startswith(article):
            return title.lstrip(article)
    return title


def shelf_mark(author, title):
    """Three letters of the author's surname and the first letter of the title.

    The surname is the last word of the author's name.  The mark is in
    capital letters, as in 'HAR T'; articles do not count.
    """
    surname = author.split()[-1]
    return f"{surname[:3]} {sort_title(title)[0]}".upper()


def shelf_order(books):
    """The books, pairs (author, title), in the order of the shelf.

    They stand by surname, and those of one surname by the sorted title.
    """
    return sorted(
        books,
        key=lambda book: (book[0].split()[-1].lower(), sort_title(book[1]).lower()),
    )
''',
        wrong="title.lstrip(article)",
        right="title[len(article):]",
        visible=r"""
def test_title_without_article():
    assert sort_title(" Winter Barley ") == "Winter Barley"


def test_article_is_left_out():
    assert sort_title("The Quiet Lock") == "Quiet Lock"
    assert sort_title("A Bridge at Dawn") == "Bridge at Dawn"


def test_article_before_any_word():
    assert sort_title("The heron") == "heron"
    assert sort_title("An Annual of Bees") == "Annual of Bees"


def test_word_that_only_begins_like_an_article():
    assert sort_title("Theory of Tides") == "Theory of Tides"


def test_shelf_mark():
    assert shelf_mark("Ann Hartley", "The Quiet Lock") == "HAR Q"


def test_shelf_order():
    books = [("B. Moss", "The Dike"), ("A. Moss", "Canals"), ("C. Ash", "Zeal")]
    assert shelf_order(books) == [books[2], books[1], books[0]]
""",
        hidden=r"""
def test_title_of_the_same_letters():
    assert sort_title("The Theatre") == "Theatre"
    assert sort_title("A Apple") == "Apple"
    assert sort_title("An nnn") == "nnn"


def test_only_one_article_goes():
    assert sort_title("The The") == "The"
    assert sort_title("A An Anthology") == "An Anthology"


def test_mark_after_article():
    assert shelf_mark("Li Ho", "The Tower") == "HO T"
    assert shelf_mark("Ida Berg", "An Apple") == "BER A"


def test_order_with_articles():
    books = [("A. Moss", "The Theatre"), ("A. Moss", "Bread")]
    assert shelf_order(books) == [books[1], books[0]]
""",
    ),
    Program(
        name="luggage_tags",
        code=r'''"""Printing addresses on luggage tags."""


def wrap(text, width):
    """Break a text into lines of at most `width` characters.

    Words of a line are separated by one blank.  Every line takes as many
    words as fit.  A word longer than a line is not cut; it gets a line of
    its own.
    """
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


def tag(name, address, width=20):
    """The tag as text: a frame, the name in capitals, then the address."""
    rule = "+" + "-" * (width + 2) + "+"
    rows = wrap(name.upper(), width) + wrap(address, width)
    return "\n".join([rule] + [f"| {row:<{width}} |" for row in rows] + [rule])
''',
        wrong="len(line) + len(word) <= width:",
        right="len(line) + 1 + len(word) <= width:",
        visible=r"""
def test_short_text():
    assert wrap("Quay 3", 20) == ["Quay 3"]


def test_no_text():
    assert wrap("   ", 20) == []


def test_break():
    assert wrap("12 Lower Harbour Street", 12) == ["12 Lower", "Harbour", "Street"]


def test_exact_fit():
    assert wrap("abc defg hij", 8) == ["abc defg", "hij"]


def test_one_too_many():
    assert wrap("abcd efgh", 8) == ["abcd", "efgh"]


def test_tag():
    assert tag("Kim Ode", "Quay 3", 8) == (
        "+----------+\n| KIM ODE  |\n| Quay 3   |\n+----------+")
""",
        hidden=r"""
def test_never_wider():
    text = "a bb ccc dddd a bb ccc dddd aa bbb cc ddd a a a a bb bb bb"
    for width in range(4, 20):
        lines = wrap(text, width)
        assert all(len(line) <= width for line in lines)
        assert " ".join(lines) == text


def test_lines_are_filled():
    assert wrap("a b c d e f", 3) == ["a b", "c d", "e f"]


def test_word_longer_than_a_line():
    assert wrap("to Llanfairpwll now", 5) == ["to", "Llanfairpwll", "now"]


def test_tag_rows_have_one_width():
    rows = tag("Bo Li", "12 Lower Harbour Street Port Ellen", 10).split("\n")
    assert {len(row) for row in rows} == {14}
""",
    ),
    # ------------------------------------------------- arithmetic, units, money
    Program(
        name="orchard_shares",
        code=r'''"""Sharing out the takings of a common orchard."""


def share_out(cents, hours):
    """Share an amount in proportion to the hours everybody worked.

    `hours` is a list of whole numbers.  The shares are whole cents and add
    up to the amount: everybody gets the exact share rounded down, and the
    cents left over go, one each, to those who lost most by the rounding;
    among equals to those who are first in the list.
    """
    total = sum(hours)
    if total <= 0:
        raise ValueError("nobody has worked")
    shares = [cents * worked // total for worked in hours]
    lost = [cents * worked % total for worked in hours]
    order = sorted(range(len(hours)), key=lambda i: lost[i])
    for i in order[:cents - sum(shares)]:
        shares[i] += 1
    return shares


def payout(cents, worked):
    """The shares as text, {name: '12.34'}, from {name: hours}."""
    shares = share_out(cents, list(worked.values()))
    return {
        name: f"{share // 100}.{share % 100:02}"
        for name, share in zip(worked, shares)
    }
''',
        wrong="key=lambda i: lost[i])",
        right="key=lambda i: -lost[i])",
        visible=r"""
def test_even_shares():
    assert share_out(900, [1, 1, 1]) == [300, 300, 300]


def test_first_gets_the_odd_cent():
    assert share_out(100, [1, 1, 1]) == [34, 33, 33]


def test_rounding_goes_to_the_largest_loss():
    assert share_out(100, [1, 2, 3]) == [17, 33, 50]


def test_nobody_worked():
    with pytest.raises(ValueError):
        share_out(100, [0, 0])


def test_payout():
    assert payout(1000, {"Ida": 3, "Bo": 1}) == {"Ida": "7.50", "Bo": "2.50"}
""",
        hidden=r"""
def test_who_did_not_work_gets_nothing():
    assert share_out(100, [0, 1, 2]) == [0, 33, 67]


def test_two_cents_left():
    assert share_out(101, [3, 3, 1]) == [43, 43, 15]
    assert share_out(10, [5, 2, 4]) == [4, 2, 4]


def test_sum_is_kept():
    for cents in (0, 1, 99, 100, 12345):
        for hours in ([1, 2, 4], [7], [3, 3, 3, 5], [0, 9, 11]):
            shares = share_out(cents, hours)
            assert sum(shares) == cents
            assert all(abs(s - cents * h / sum(hours)) < 1
                       for s, h in zip(shares, hours))


def test_payout_of_cents():
    assert payout(100, {"a": 1, "b": 2}) == {"a": "0.33", "b": "0.67"}
""",
    ),
    Program(
        name="harbour_depths",
        code=r'''"""Depths of a harbour for visitors who are used to feet and inches."""

METRES_PER_INCH = 0.0254
INCHES_PER_FOOT = 12


def feet_and_inches(metres):
    """A depth such as '6 ft 3 in', rounded to the nearest inch.

    There are always fewer than 12 inches.  Negative depths are refused.
    """
    if metres < 0:
        raise ValueError("depth is negative")
    total_inches = metres / METRES_PER_INCH
    feet, inches = divmod(total_inches, INCHES_PER_FOOT)
    return f"{feet:.0f} ft {inches:.0f} in"


def depth_table(depths):
    """One line for every berth, '<berth>: <metres> m (<feet and inches>)'.

    `depths` maps berths to metres.  Berths are listed by name.
    """
    return [
        f"{berth}: {metres:.2f} m ({feet_and_inches(metres)})"
        for berth, metres in sorted(depths.items())
    ]
''',
        wrong="    total_inches = metres / METRES_PER_INCH",
        right="    total_inches = round(metres / METRES_PER_INCH)",
        visible=r"""
def test_no_depth():
    assert feet_and_inches(0) == "0 ft 0 in"


def test_whole_inches():
    assert feet_and_inches(1.905) == "6 ft 3 in"


def test_rounded_down():
    assert feet_and_inches(2.0) == "6 ft 7 in"


def test_rounded_up_to_a_foot():
    assert feet_and_inches(0.3) == "1 ft 0 in"


def test_negative():
    with pytest.raises(ValueError):
        feet_and_inches(-0.1)


def test_table():
    assert depth_table({"B2": 2.0, "A1": 1.9}) == [
        "A1: 1.90 m (6 ft 3 in)",
        "B2: 2.00 m (6 ft 7 in)",
    ]
""",
        hidden=r"""
def test_every_centimetre():
    for centimetres in range(0, 600):
        feet, _, inches, _ = feet_and_inches(centimetres / 100).split()
        assert 0 <= int(inches) < 12
        assert abs((int(feet) * 12 + int(inches)) * 2.54 - centimetres) <= 1.2701


def test_just_below_a_foot():
    assert feet_and_inches(1.82) == "6 ft 0 in"
    assert feet_and_inches(3.04) == "10 ft 0 in"


def test_half_way_is_not_reached():
    assert feet_and_inches(0.29) == "0 ft 11 in"


def test_table_with_full_feet():
    assert depth_table({"C": 1.52}) == ["C: 1.52 m (5 ft 0 in)"]
""",
    ),
    Program(
        name="station_parking",
        code=r'''"""Fees of the car park at a railway station."""

DAY = 24 * 60


def parking_fee(minutes, hourly=150, per_day=900, free=20):
    """The fee in cents for a stay of some minutes.

    Stays of at most `free` minutes cost nothing.  Otherwise every hour that
    has begun costs `hourly`, but 24 hours never cost more than `per_day`;
    after 24 hours counting starts again.
    """
    if minutes < 0:
        raise ValueError("a stay cannot be negative")
    if minutes <= free:
        return 0
    days, rest = divmod(minutes, DAY)
    hours = -(-minutes // 60)
    return days * per_day + min(hours * hourly, per_day)


def receipt(minutes):
    """A line such as '2 h 05 min: 4.50'."""
    fee = parking_fee(minutes)
    return f"{minutes // 60} h {minutes % 60:02} min: {fee // 100}.{fee % 100:02}"
''',
        wrong="    hours = -(-minutes // 60)",
        right="    hours = -(-rest // 60)",
        visible=r"""
def test_short_stay_is_free():
    assert parking_fee(0) == 0
    assert parking_fee(20) == 0


def test_begun_hours():
    assert parking_fee(21) == 150
    assert parking_fee(60) == 150
    assert parking_fee(61) == 300


def test_day_rate():
    assert parking_fee(10 * 60) == 900


def test_day_and_two_hours():
    assert parking_fee(26 * 60) == 900 + 300


def test_receipt():
    assert receipt(125) == "2 h 05 min: 4.50"
""",
        hidden=r"""
def test_exact_days():
    assert parking_fee(24 * 60) == 900
    assert parking_fee(3 * 24 * 60) == 2700


def test_minute_of_the_next_day():
    assert parking_fee(24 * 60 + 1) == 1050


def test_full_second_day():
    assert parking_fee(24 * 60 + 7 * 60) == 1800


def test_other_rates():
    assert parking_fee(49 * 60, hourly=100, per_day=500) == 1100
    assert parking_fee(30, free=30) == 0


def test_negative():
    with pytest.raises(ValueError):
        parking_fee(-1)
""",
    ),
    Program(
        name="bicycle_invoice",
        code=r'''"""Invoices of a bicycle shop."""
from decimal import Decimal, ROUND_HALF_UP

VAT = Decimal("0.20")
DISCOUNT = Decimal("0.10")
DISCOUNT_FROM = Decimal("100")
CENT = Decimal("0.01")


def to_cents(amount):
    """Round an amount to cents; half a cent is rounded up."""
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


def goods_value(lines):
    """Net value of the lines, pairs (quantity, unit price)."""
    return sum((quantity * Decimal(price) for quantity, price in lines), Decimal(0))


def invoice_total(lines, delivery="0"):
    """What the customer pays, VAT included.

    Prices are net.  Goods for DISCOUNT_FROM or more get the discount; the
    delivery does not.  VAT is due on goods and delivery alike.  Only the
    final amount is rounded.
    """
    goods = goods_value(lines)
    if goods >= DISCOUNT_FROM:
        goods *= 1 - DISCOUNT
    gross = goods + Decimal(delivery) * (1 + VAT)
    return to_cents(gross)
''',
        wrong="    gross = goods + Decimal(delivery) * (1 + VAT)",
        right="    gross = (goods + Decimal(delivery)) * (1 + VAT)",
        visible=r"""
def test_nothing_ordered():
    assert invoice_total([]) == Decimal("0.00")


def test_goods_value():
    assert goods_value([(2, "12.50"), (1, "5")]) == Decimal("30.00")


def test_half_a_cent():
    assert to_cents(Decimal("1.005")) == Decimal("1.01")


def test_small_order():
    assert invoice_total([(2, "12.50")], delivery="5") == Decimal("36.00")


def test_discount():
    assert invoice_total([(4, "50")], delivery="10") == Decimal("228.00")


def test_delivery_alone():
    assert invoice_total([], delivery="10") == Decimal("12.00")
""",
        hidden=r"""
def test_without_delivery():
    assert invoice_total([(1, "80")]) == Decimal("96.00")


def test_discount_begins_at_the_limit():
    assert invoice_total([(1, "100")]) == Decimal("108.00")
    assert invoice_total([(1, "99.99")]) == Decimal("119.99")


def test_delivery_does_not_help_to_the_discount():
    assert invoice_total([(1, "95")], delivery="10") == Decimal("126.00")


def test_rounding_at_the_end():
    assert invoice_total([(3, "0.333")], delivery="0.005") == Decimal("1.20")
""",
    ),
    # ------------------------------------------------------ graphs, grids, search
    Program(
        name="tram_reach",
        code=r'''"""How far a short-distance ticket takes you on the tram."""
from collections import deque


def stops_within(network, start, limit, closed=()):
    """Stops that can be reached by riding at most `limit` stops.

    `network` maps a stop to its neighbours.  Trams neither serve nor pass
    closed stops.  Returns {stop: fewest stops to ride}; the start itself
    is 0 stops away.
    """
    ridden = {start: 0}
    queue = deque([start])
    while queue:
        stop = queue.pop()
        if ridden[stop] == limit:
            continue
        for neighbour in network.get(stop, ()):
            if neighbour not in ridden and neighbour not in closed:
                ridden[neighbour] = ridden[stop] + 1
                queue.append(neighbour)
    return ridden


def ticket(network, start, goal, short=3):
    """'short', 'full', or None if the goal cannot be reached."""
    ridden = stops_within(network, start, len(network))
    if goal not in ridden:
        return None
    return "short" if ridden[goal] <= short else "full"
''',
        wrong="queue.pop()",
        right="queue.popleft()",
        visible=r"""
LINE = {"a": ["b"], "b": ["a", "c"], "c": ["b", "d"], "d": ["c", "e"], "e": ["d"]}
RING = {
    "n": ["ne", "nw"], "ne": ["n", "se"], "se": ["ne", "s"],
    "s": ["se", "sw"], "sw": ["s", "nw"], "nw": ["sw", "n"],
}


def test_along_a_line():
    assert stops_within(LINE, "a", 2) == {"a": 0, "b": 1, "c": 2}


def test_no_ride():
    assert stops_within(LINE, "c", 0) == {"c": 0}


def test_both_ways_round():
    assert stops_within(RING, "n", 2) == {"n": 0, "ne": 1, "nw": 1, "se": 2, "sw": 2}


def test_closed_stop():
    assert stops_within(LINE, "a", 4, closed={"c"}) == {"a": 0, "b": 1}


def test_ticket():
    assert ticket(LINE, "a", "d") == "short"
    assert ticket(LINE, "a", "e") == "full"
    assert ticket(LINE, "a", "zoo") is None


def test_ticket_on_the_ring():
    assert ticket(RING, "n", "se", short=2) == "short"
""",
        hidden=r"""
RING6 = {i: [(i + 1) % 6, (i - 1) % 6] for i in range(6)}


def test_full_ring():
    assert stops_within(RING6, 0, 10) == {0: 0, 1: 1, 5: 1, 2: 2, 4: 2, 3: 3}


def test_ring_with_a_closed_stop():
    assert stops_within(RING6, 0, 10, closed=[5]) == {0: 0, 1: 1, 2: 2, 3: 3, 4: 4}


def test_short_cut():
    network = {"a": ["d", "b"], "b": ["a", "c"], "c": ["b", "d"], "d": ["a", "c"]}
    assert stops_within(network, "a", 3) == {"a": 0, "b": 1, "d": 1, "c": 2}


def test_ring_tickets():
    big = {i: [(i - 1) % 10, (i + 1) % 10] for i in range(10)}
    assert [ticket(big, 0, i) for i in (3, 4, 6, 7)] == ["short", "full", "full", "short"]
""",
    ),
    Program(
        name="greenhouse_blight",
        code=r'''"""Patches of blight in a greenhouse."""

SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))


def read_plan(text):
    """The plan as a list of equally long rows; '#' marks a sick plant."""
    rows = text.split()
    if len({len(row) for row in rows}) > 1:
        raise ValueError("rows differ in length")
    return rows


def patch_sizes(plan):
    """Sizes of the patches of sick plants, the largest first.

    Sick plants belong to one patch if they stand side by side in a row or
    in a column.
    """
    height = len(plan)
    width = len(plan[0]) if plan else 0
    seen = set()
    sizes = []
    for row in range(height):
        for column in range(width):
            if plan[row][column] != "#" or (row, column) in seen:
                continue
            seen.add((row, column))
            patch = [(row, column)]
            for r, c in patch:
                for down, right in SIDES:
                    spot = r + down, c + right
                    if not (0 <= spot[0] < height and 0 <= spot[1] < height):
                        continue
                    if plan[spot[0]][spot[1]] == "#" and spot not in seen:
                        seen.add(spot)
                        patch.append(spot)
            sizes.append(len(patch))
    return sorted(sizes, reverse=True)
''',
        wrong="0 <= spot[1] < height",
        right="0 <= spot[1] < width",
        visible=r"""
def test_healthy():
    assert patch_sizes(read_plan("... ...")) == []


def test_square_house():
    assert patch_sizes(read_plan("##. #.. ..#")) == [3, 1]


def test_corners_do_not_join():
    assert patch_sizes(read_plan("#. .#")) == [1, 1]


def test_long_rows():
    assert patch_sizes(read_plan(".####. ......")) == [4]


def test_uneven_rows():
    with pytest.raises(ValueError):
        read_plan("## #")
""",
        hidden=r"""
def test_tall_house():
    assert patch_sizes(["#.", "##", ".#", "..", "##"]) == [4, 2]


def test_single_row():
    assert patch_sizes(["##.###.#"]) == [3, 2, 1]


def test_single_column():
    assert patch_sizes(["#", "#", ".", "#"]) == [2, 1]


def test_wide_house():
    assert patch_sizes(["#....##", "#...##."]) == [4, 2]


def test_no_plan():
    assert patch_sizes([]) == []
""",
    ),
    Program(
        name="canal_times",
        code=r'''"""Travel times on a network of canals."""
import heapq
from collections import defaultdict


def build_map(reaches):
    """Neighbours of every place, {place: [(neighbour, minutes), ...]}.

    `reaches` lists the navigable reaches as (place, place, minutes); boats
    go in both directions and take the same time.
    """
    canals = defaultdict(list)
    for here, there, minutes in reaches:
        canals[here].append((there, minutes))
        canals[there].append((there, minutes))
    return canals


def travel_time(reaches, start, goal):
    """Fewest minutes from start to goal, or None if there is no way."""
    canals = build_map(reaches)
    waiting = [(0, start)]
    reached = set()
    while waiting:
        elapsed, place = heapq.heappop(waiting)
        if place == goal:
            return elapsed
        if place in reached:
            continue
        reached.add(place)
        for neighbour, minutes in canals[place]:
            if neighbour not in reached:
                heapq.heappush(waiting, (elapsed + minutes, neighbour))
    return None
''',
        wrong="canals[there].append((there, minutes))",
        right="canals[there].append((here, minutes))",
        visible=r"""
REACHES = [
    ("Lock End", "Mill", 40),
    ("Mill", "Basin", 25),
    ("Lock End", "Basin", 80),
    ("Fen", "Basin", 30),
]


def test_same_place():
    assert travel_time(REACHES, "Mill", "Mill") == 0


def test_quickest_way():
    assert travel_time(REACHES, "Lock End", "Basin") == 65


def test_way_back():
    assert travel_time(REACHES, "Basin", "Lock End") == 65


def test_no_way():
    assert travel_time(REACHES, "Mill", "Sea") is None


def test_one_reach():
    assert travel_time(REACHES, "Fen", "Basin") == 30
""",
        hidden=r"""
def test_map_has_both_directions():
    canals = build_map([("a", "b", 5), ("a", "c", 7)])
    assert canals["a"] == [("b", 5), ("c", 7)]
    assert canals["b"] == [("a", 5)]
    assert canals["c"] == [("a", 7)]


def test_symmetric():
    reaches = [("a", "b", 4), ("c", "b", 3), ("c", "d", 9), ("a", "d", 20)]
    for x in "abcd":
        for y in "abcd":
            assert travel_time(reaches, x, y) == travel_time(reaches, y, x)
    assert travel_time(reaches, "a", "d") == 16


def test_separate_waters():
    reaches = [("a", "b", 4), ("c", "d", 3)]
    assert travel_time(reaches, "b", "d") is None
    assert travel_time(reaches, "d", "c") == 3
""",
    ),
    Program(
        name="letter_puzzle",
        code=r'''"""The letter puzzle on the back page of a local paper."""

DIRECTIONS = [
    (down, right)
    for down in (-1, 0, 1)
    for right in (-1, 0, 1)
    if down and right
]


def _reads(grid, row, column, down, right, word):
    for letter in word:
        if not 0 <= row < len(grid) or not 0 <= column < len(grid[row]):
            return False
        if grid[row][column] != letter:
            return False
        row += down
        column += right
    return True


def count_word(grid, word):
    """How often a word stands in the grid, a list of equally long strings.

    Words are read in straight lines in all eight directions.  A palindrome
    therefore counts once in each direction.  Words need two letters.
    """
    if len(word) < 2:
        raise ValueError("a word has at least two letters")
    return sum(
        _reads(grid, row, column, down, right, word)
        for row in range(len(grid))
        for column in range(len(grid[row]))
        for down, right in DIRECTIONS
    )
''',
        wrong="    if down and right",
        right="    if down or right",
        visible=r"""
GRID = [
    "oark",
    "fwxe",
    "zrle",
    "kgol",
]


def test_slanting():
    assert count_word(GRID, "owl") == 1


def test_missing_word():
    assert count_word(GRID, "heron") == 0


def test_along_row_and_column():
    assert count_word(GRID, "ark") == 1
    assert count_word(GRID, "eel") == 1


def test_backwards():
    assert count_word(GRID, "log") == 1


def test_single_letter():
    with pytest.raises(ValueError):
        count_word(GRID, "o")
""",
        hidden=r"""
def test_every_direction_once():
    grid = ["t.t.t", ".aaa.", "taeat", ".aaa.", "t.t.t"]
    assert count_word(grid, "eat") == 8


def test_palindrome_counts_twice():
    assert count_word(["ava"], "ava") == 2
    assert count_word(["a", "v", "a"], "ava") == 2


def test_does_not_run_round_the_edge():
    assert count_word(["bc", "a."], "cba") == 0
    assert count_word(["b.a"], "ab") == 0


def test_square_of_one_letter():
    assert count_word(["xx", "xx"], "xx") == 12
""",
    ),
    # ------------------------------------------------ state machines and classes
    Program(
        name="pottery_kiln",
        code=r'''"""Control of a pottery kiln."""


class StateError(Exception):
    """The command is not possible in the present state of the kiln."""


class Kiln:
    """A kiln is 'idle', 'heating', 'holding' or 'paused'.

    Heating goes on until the target is reached, then the temperature is
    held.  A firing can be paused while heating or holding; resuming takes
    up the interrupted stage again.  Stopping is possible at any time.
    """

    def __init__(self):
        self.state = "idle"
        self._interrupted = None

    def start(self):
        if self.state != "idle":
            raise StateError("a firing is under way")
        self.state = "heating"

    def target_reached(self):
        if self.state != "heating":
            raise StateError("the kiln is not heating")
        self.state = "holding"

    def pause(self):
        if self.state == "idle":
            raise StateError("there is no firing to pause")
        self._interrupted = self.state
        self.state = "paused"

    def resume(self):
        if self.state != "paused":
            raise StateError("the firing is not paused")
        self.state = self._interrupted
        self._interrupted = None

    def stop(self):
        self.state = "idle"
        self._interrupted = None
''',
        wrong='        if self.state == "idle":',
        right='        if self.state not in ("heating", "holding"):',
        visible=r"""
def test_firing():
    kiln = Kiln()
    kiln.start()
    kiln.target_reached()
    assert kiln.state == "holding"
    kiln.stop()
    assert kiln.state == "idle"


def test_pause_and_resume():
    kiln = Kiln()
    kiln.start()
    kiln.target_reached()
    kiln.pause()
    assert kiln.state == "paused"
    kiln.resume()
    assert kiln.state == "holding"


def test_pause_when_idle():
    with pytest.raises(StateError):
        Kiln().pause()


def test_pause_twice():
    kiln = Kiln()
    kiln.start()
    kiln.pause()
    with pytest.raises(StateError):
        kiln.pause()


def test_start_twice():
    kiln = Kiln()
    kiln.start()
    with pytest.raises(StateError):
        kiln.start()
""",
        hidden=r"""
def test_refused_pause_changes_nothing():
    kiln = Kiln()
    kiln.start()
    kiln.target_reached()
    kiln.pause()
    try:
        kiln.pause()
    except StateError:
        pass
    kiln.resume()
    assert kiln.state == "holding"


def test_pause_again_after_resume():
    kiln = Kiln()
    kiln.start()
    for _ in range(3):
        kiln.pause()
        kiln.resume()
    assert kiln.state == "heating"


def test_stop_while_paused():
    kiln = Kiln()
    kiln.start()
    kiln.pause()
    kiln.stop()
    with pytest.raises(StateError):
        kiln.resume()
    with pytest.raises(StateError):
        kiln.pause()


def test_target_while_paused():
    kiln = Kiln()
    kiln.start()
    kiln.pause()
    with pytest.raises(StateError):
        kiln.target_reached()
""",
    ),
    Program(
        name="funicular_cabin",
        code=r'''"""The cabin of a funicular railway that stops on demand."""


class Cabin:
    """Serves calls like a lift.

    Stations are numbered from 0 at the bottom.  The cabin keeps its
    direction as long as there are calls ahead and stops at every station
    that has called on the way; then it turns round.  It begins at the
    bottom, going up.
    """

    def __init__(self, stations):
        self.stations = stations
        self.at = 0
        self.going_up = True
        self._calls = set()

    def call(self, station):
        """Note a call; a call from where the cabin stands is ignored."""
        if not 0 <= station < self.stations:
            raise ValueError(f"no station {station}")
        if station != self.at:
            self._calls.add(station)

    def move(self):
        """Go to the next stop and return it; without calls stay put."""
        if not self._calls:
            return self.at
        above = [station for station in self._calls if station > self.at]
        below = [station for station in self._calls if station < self.at]
        if self.going_up and not above:
            self.going_up = False
        elif not self.going_up and not below:
            self.going_up = True
        self.at = min(above) if self.going_up else min(below)
        self._calls.remove(self.at)
        return self.at
''',
        wrong="else min(below)",
        right="else max(below)",
        visible=r"""
def ride(cabin, *calls):
    for station in calls:
        cabin.call(station)
    return [cabin.move() for _ in calls]


def test_up_in_order():
    assert ride(Cabin(6), 5, 2, 3) == [2, 3, 5]


def test_stays_without_calls():
    assert Cabin(6).move() == 0


def test_up_and_down():
    cabin = Cabin(6)
    ride(cabin, 5)
    assert ride(cabin, 1, 4) == [4, 1]


def test_call_on_the_spot():
    cabin = Cabin(6)
    cabin.call(0)
    assert cabin.move() == 0
    assert cabin.going_up


def test_unknown_station():
    with pytest.raises(ValueError):
        Cabin(6).call(6)
""",
        hidden=r"""
def test_all_the_way_down():
    cabin = Cabin(5)
    cabin.call(4)
    assert cabin.move() == 4
    for station in (0, 2, 1, 3):
        cabin.call(station)
    assert [cabin.move() for _ in range(4)] == [3, 2, 1, 0]


def test_keeps_its_direction():
    cabin = Cabin(8)
    cabin.call(3)
    cabin.move()
    for station in (1, 2, 6):
        cabin.call(station)
    assert [cabin.move() for _ in range(3)] == [6, 2, 1]
    assert not cabin.going_up


def test_call_on_the_way_down():
    cabin = Cabin(8)
    cabin.call(7)
    cabin.move()
    cabin.call(5)
    cabin.call(1)
    assert cabin.move() == 5
    cabin.call(3)
    assert [cabin.move(), cabin.move()] == [3, 1]


def test_up_again():
    cabin = Cabin(4)
    cabin.call(2)
    cabin.move()
    cabin.call(1)
    cabin.move()
    cabin.call(3)
    assert cabin.move() == 3
    assert cabin.going_up
""",
    ),
    Program(
        name="lift_pass_gate",
        code=r'''"""The gate at the bottom of a chair lift."""


class Gate:
    """Admits holders of a pass, but keeps passes from being handed on.

    After a pass has opened the gate it is refused for `lockout` minutes.
    Attempts that were refused have no further consequences.
    """

    def __init__(self, lockout=8):
        self.lockout = lockout
        self.riders = 0
        self._admitted = {}
        self._blocked = set()

    def block(self, pass_id):
        """Refuse a pass from now on, for example because it was lost."""
        self._blocked.add(pass_id)

    def present(self, pass_id, minute):
        """Whether the gate opens for a pass at a minute of the day."""
        if pass_id in self._blocked:
            return False
        last = self._admitted.get(pass_id)
        self._admitted[pass_id] = minute
        if last is not None and minute - last < self.lockout:
            return False
        self.riders += 1
        return True
''',
        wrong="""        self._admitted[pass_id] = minute
        if last is not None and minute - last < self.lockout:
            return False
""",
        right="""        if last is not None and minute - last < self.lockout:
            return False
        self._admitted[pass_id] = minute
""",
        visible=r"""
def test_first_ride():
    gate = Gate()
    assert gate.present("P1", 540)
    assert gate.riders == 1


def test_refused_too_soon():
    gate = Gate()
    gate.present("P1", 540)
    assert not gate.present("P1", 544)
    assert gate.riders == 1


def test_admitted_after_the_lockout():
    gate = Gate()
    gate.present("P1", 540)
    assert gate.present("P1", 548)


def test_impatient_skier():
    gate = Gate()
    assert gate.present("P1", 540)
    assert not gate.present("P1", 543)
    assert not gate.present("P1", 546)
    assert gate.present("P1", 549)


def test_blocked_pass():
    gate = Gate()
    gate.block("P1")
    assert not gate.present("P1", 540)
""",
        hidden=r"""
def test_trying_every_minute():
    gate = Gate(lockout=5)
    opened = [minute for minute in range(600, 621) if gate.present("P1", minute)]
    assert opened == [600, 605, 610, 615, 620]
    assert gate.riders == 5


def test_lockout_counts_from_the_last_ride():
    gate = Gate(lockout=10)
    assert gate.present("P1", 0)
    assert gate.present("P1", 10)
    assert not gate.present("P1", 19)
    assert gate.present("P1", 20)


def test_passes_are_independent():
    gate = Gate()
    assert gate.present("P1", 540)
    assert gate.present("P2", 541)
    assert not gate.present("P1", 542)
    assert gate.riders == 2
""",
    ),
    Program(
        name="hive_alarm",
        code=r'''"""Alarm for a beehive that gets too hot."""


class HiveAlarm:
    """Switches on after several hot readings in a row.

    The alarm goes on with the `needed`-th consecutive reading above `high`
    and stays on until a reading is below `low`, so that it does not
    flicker.  Then counting starts again.
    """

    def __init__(self, high=38.0, low=36.0, needed=3):
        if low > high:
            raise ValueError("low must not exceed high")
        self.high = high
        self.low = low
        self.needed = needed
        self.active = False
        self._hot = 0

    def reading(self, degrees):
        """Take a reading; returns whether the alarm is on after it."""
        if self.active:
            if degrees < self.high:
                self.active = False
                self._hot = 0
        elif degrees > self.high:
            self._hot += 1
            self.active = self._hot >= self.needed
        else:
            self._hot = 0
        return self.active
''',
        wrong="            if degrees < self.high:",
        right="            if degrees < self.low:",
        visible=r"""
def run(alarm, *readings):
    return [alarm.reading(degrees) for degrees in readings]


def test_goes_on_with_the_third_hot_reading():
    assert run(HiveAlarm(), 38.5, 39, 38.2) == [False, False, True]


def test_cool_reading_interrupts():
    assert run(HiveAlarm(), 39, 39, 37, 39, 39) == [False] * 5


def test_goes_off_when_cool():
    assert run(HiveAlarm(needed=1), 39, 35) == [True, False]


def test_stays_on_between_the_limits():
    assert run(HiveAlarm(needed=1), 39, 37, 36.5, 35.9) == [True, True, True, False]


def test_limits_are_checked():
    with pytest.raises(ValueError):
        HiveAlarm(high=30, low=31)
""",
        hidden=r"""
def test_exactly_low_keeps_it_on():
    alarm = HiveAlarm(high=40, low=35, needed=2)
    seen = [alarm.reading(d) for d in (41, 41, 35, 34.9)]
    assert seen == [False, True, True, False]


def test_counting_starts_again():
    alarm = HiveAlarm(needed=2)
    seen = [alarm.reading(d) for d in (39, 39, 37, 35, 39, 39)]
    assert seen == [False, True, True, False, False, True]


def test_exactly_high_is_not_hot():
    alarm = HiveAlarm(needed=1)
    assert not alarm.reading(38.0)
    assert alarm.reading(38.1)


def test_equal_limits():
    alarm = HiveAlarm(high=38, low=38, needed=1)
    assert [alarm.reading(d) for d in (39, 38, 37.9)] == [True, True, False]
""",
    ),
    # ------------------------------------------------------ intervals, calendars
    Program(
        name="water_closures",
        code=r'''"""When the water of an allotment garden is turned off."""


def merge_closures(closures):
    """Join closures that overlap or touch.

    A closure is a pair (start, end) of hours, end not included.  The result
    is sorted and its closures are separated by at least one hour of water.
    """
    merged = []
    for start, end in sorted(closures):
        if start >= end:
            raise ValueError(f"closure ends before it starts: {start}-{end}")
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def hours_without_water(closures):
    """Total number of hours without water."""
    return sum(end - start for start, end in merge_closures(closures))


def has_water(closures, hour):
    """Whether there is water during the hour that begins at `hour`."""
    return not any(start <= hour < end for start, end in merge_closures(closures))
''',
        wrong="(merged[-1][0], end)",
        right="(merged[-1][0], max(merged[-1][1], end))",
        visible=r"""
def test_separate_closures():
    assert merge_closures([(14, 16), (8, 10)]) == [(8, 10), (14, 16)]


def test_overlapping_closures():
    assert merge_closures([(8, 11), (10, 13)]) == [(8, 13)]


def test_touching_closures():
    assert merge_closures([(8, 10), (10, 12)]) == [(8, 12)]


def test_closure_within_another():
    assert merge_closures([(6, 18), (9, 10)]) == [(6, 18)]


def test_water_at_an_hour():
    assert not has_water([(8, 10)], 9)
    assert has_water([(8, 10)], 10)


def test_impossible_closure():
    with pytest.raises(ValueError):
        merge_closures([(10, 10)])
""",
        hidden=r"""
def test_several_within_one():
    assert hours_without_water([(0, 20), (2, 3), (5, 9), (18, 22)]) == 22


def test_within_and_after():
    assert merge_closures([(1, 9), (2, 4), (6, 7), (12, 13)]) == [(1, 9), (12, 13)]


def test_equal_starts():
    assert merge_closures([(5, 9), (5, 6), (5, 12)]) == [(5, 12)]


def test_against_counting_hours():
    closures = [(3, 15), (4, 6), (7, 9), (20, 22), (19, 30), (24, 25)]
    off = {hour for start, end in closures for hour in range(start, end)}
    assert hours_without_water(closures) == len(off)
    assert all(has_water(closures, hour) == (hour not in off) for hour in range(40))


def test_none():
    assert merge_closures([]) == []
""",
    ),
    Program(
        name="choir_rehearsals",
        code=r'''"""Rehearsal dates such as 'every first and third Tuesday'."""
from datetime import date, timedelta

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def nth_weekday(year, month, weekday, n):
    """The n-th such weekday of a month (0 is Monday, n starts at 1).

    Raises ValueError if the month has no such day.
    """
    first = date(year, month, 1)
    offset = (first.weekday() - weekday) % 7
    day = first + timedelta(days=offset + 7 * (n - 1))
    if n < 1 or day.month != month:
        raise ValueError(f"no {n}. {WEEKDAYS[weekday]} in {year}-{month:02}")
    return day


def rehearsals(year, month, weekday, weeks=(1, 3), holidays=()):
    """Rehearsal dates of a month, without those that are holidays."""
    days = [nth_weekday(year, month, weekday, n) for n in weeks]
    return [day for day in sorted(days) if day not in holidays]
''',
        wrong="(first.weekday() - weekday) % 7",
        right="(weekday - first.weekday()) % 7",
        visible=r"""
def test_month_that_begins_on_the_weekday():
    from datetime import date
    assert nth_weekday(2024, 1, 0, 1) == date(2024, 1, 1)
    assert nth_weekday(2024, 1, 0, 5) == date(2024, 1, 29)


def test_second_tuesday():
    from datetime import date
    assert nth_weekday(2024, 5, 1, 2) == date(2024, 5, 14)


def test_no_fifth_monday():
    with pytest.raises(ValueError):
        nth_weekday(2024, 2, 0, 5)


def test_rehearsals_skip_holidays():
    from datetime import date
    assert rehearsals(2024, 1, 0, holidays={date(2024, 1, 1)}) == [date(2024, 1, 15)]


def test_first_and_third_thursday():
    from datetime import date
    assert rehearsals(2024, 6, 3) == [date(2024, 6, 6), date(2024, 6, 20)]
""",
        hidden=r"""
def test_right_weekday_in_the_right_week():
    for month in range(1, 13):
        for weekday in range(7):
            for n in range(1, 5):
                day = nth_weekday(2025, month, weekday, n)
                assert day.weekday() == weekday
                assert (day.day - 1) // 7 == n - 1


def test_fifth_exists_only_in_long_months():
    from datetime import date
    assert nth_weekday(2024, 2, 3, 5) == date(2024, 2, 29)
    with pytest.raises(ValueError):
        nth_weekday(2024, 2, 4, 5)


def test_zeroth():
    with pytest.raises(ValueError):
        nth_weekday(2024, 2, 4, 0)


def test_december():
    from datetime import date
    assert rehearsals(2023, 12, 6, weeks=(5, 2)) == [date(2023, 12, 10), date(2023, 12, 31)]
""",
    ),
    Program(
        name="practice_gaps",
        code=r'''"""Free times in the diary of a physiotherapist."""


def minutes(clock):
    """'hh:mm' as minutes after midnight."""
    hours, rest = clock.split(":")
    return int(hours) * 60 + int(rest)


def free_times(opening, closing, appointments, shortest=30):
    """Gaps of at least `shortest` minutes between opening and closing.

    Times are minutes after midnight, appointments pairs (start, end) in any
    order; they lie within the opening hours but may overlap.  The gaps are
    returned in order as pairs (start, end).
    """
    gaps = []
    free_from = opening
    for start, end in sorted(appointments):
        if start - free_from >= shortest:
            gaps.append((free_from, start))
        free_from = max(free_from, end)
    if closing > free_from:
        gaps.append((free_from, closing))
    return gaps


def first_free(opening, closing, appointments, length):
    """Earliest start for an appointment of some minutes, or None."""
    gaps = free_times(opening, closing, appointments, shortest=length)
    return gaps[0][0] if gaps else None
''',
        wrong="    if closing > free_from:",
        right="    if closing - free_from >= shortest:",
        visible=r"""
def test_clock():
    assert minutes("08:30") == 510


def test_empty_diary():
    assert free_times(480, 720, []) == [(480, 720)]


def test_gaps_between_appointments():
    appointments = [(600, 660), (480, 540)]
    assert free_times(480, 720, appointments) == [(540, 600), (660, 720)]


def test_short_gaps_are_left_out():
    assert free_times(480, 720, [(500, 600), (615, 700)]) == []


def test_first_free():
    assert first_free(480, 720, [(480, 700)], 45) is None
    assert first_free(480, 720, [(480, 600)], 45) == 600
""",
        hidden=r"""
def test_last_gap_exactly_long_enough():
    assert free_times(480, 720, [(480, 690)]) == [(690, 720)]
    assert free_times(480, 720, [(480, 691)]) == []


def test_full_diary():
    assert free_times(480, 720, [(480, 720)]) == []


def test_overlapping_appointments():
    assert free_times(480, 720, [(480, 650), (500, 520)], 60) == [(650, 720)]
    assert free_times(480, 720, [(480, 650), (500, 520)], 90) == []


def test_long_wish():
    assert free_times(480, 720, [], shortest=300) == []
    assert first_free(480, 720, [], 240) == 480
    assert first_free(480, 720, [], 241) is None
""",
    ),
    Program(
        name="garage_rent",
        code=r'''"""Due dates for the rent of garages."""
import calendar
from datetime import date


def add_months(day, months):
    """The same day some months later.

    If the month is too short for it, the last day of that month.
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    month += 1
    last = calendar.monthrange(year, month)[1]
    return date(year, month, min(day.day, last))


def due_dates(first, count, every=1):
    """The due dates of a contract, `count` of them, every so many months.

    The rent is due on the day of the month of the first date, or on the
    last day of the month where the month is shorter.
    """
    if count < 1:
        return []
    dates = [first]
    while len(dates) < count:
        dates.append(add_months(dates[-1], every))
    return dates


def overdue(first, count, paid, today):
    """Due dates before today for which nothing has been paid yet."""
    return [day for day in due_dates(first, count)[paid:] if day < today]
''',
        wrong="add_months(dates[-1], every)",
        right="add_months(first, len(dates) * every)",
        visible=r"""
def test_add_months_over_the_new_year():
    from datetime import date
    assert add_months(date(2023, 11, 15), 3) == date(2024, 2, 15)


def test_short_month():
    from datetime import date
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)


def test_due_in_the_middle_of_the_month():
    from datetime import date
    assert due_dates(date(2024, 1, 15), 3) == [
        date(2024, 1, 15), date(2024, 2, 15), date(2024, 3, 15)]


def test_due_at_the_end_of_the_month():
    from datetime import date
    assert due_dates(date(2024, 1, 31), 4) == [
        date(2024, 1, 31), date(2024, 2, 29), date(2024, 3, 31), date(2024, 4, 30)]


def test_overdue():
    from datetime import date
    assert overdue(date(2024, 1, 1), 12, 1, date(2024, 3, 1)) == [date(2024, 2, 1)]
""",
        hidden=r"""
def test_thirtieth():
    from datetime import date
    days = [day.day for day in due_dates(date(2023, 1, 30), 12)]
    assert days == [30, 28] + [30] * 10


def test_quarters():
    from datetime import date
    assert due_dates(date(2023, 8, 31), 4, every=3) == [
        date(2023, 8, 31), date(2023, 11, 30), date(2024, 2, 29), date(2024, 5, 31)]


def test_overdue_at_the_end_of_the_month():
    from datetime import date
    assert overdue(date(2023, 1, 31), 4, 2, date(2023, 3, 31)) == []
    assert overdue(date(2023, 1, 31), 4, 2, date(2023, 4, 1)) == [date(2023, 3, 31)]


def test_none():
    from datetime import date
    assert due_dates(date(2023, 1, 31), 0) == []
    assert due_dates(date(2023, 1, 31), 1) == [date(2023, 1, 31)]
""",
    ),
    # ------------------------------------------------------- aggregating records
    Program(
        name="weather_days",
        code=r'''"""Daily summaries of a weather station."""
from collections import defaultdict


def daily_summary(readings):
    """Lowest, highest and mean temperature of every day.

    `readings` is a sequence of (day, degrees); degrees is None where the
    sensor gave no value, and such readings are left out.  A day without any
    value does not appear.  Returns {day: (low, high, mean)}, the mean
    rounded to one decimal.
    """
    values = defaultdict(list)
    for day, degrees in readings:
        if degrees:
            values[day].append(degrees)
    return {
        day: (min(temps), max(temps), round(sum(temps) / len(temps), 1))
        for day, temps in values.items()
    }


def frost_days(readings):
    """Days whose lowest temperature was zero or below, in order."""
    summary = daily_summary(readings)
    return sorted(day for day, (low, _, _) in summary.items() if low <= 0)
''',
        wrong="        if degrees:",
        right="        if degrees is not None:",
        visible=r"""
def test_one_day():
    readings = [("03-01", 4.0), ("03-01", 9.0), ("03-01", 5.0)]
    assert daily_summary(readings) == {"03-01": (4.0, 9.0, 6.0)}


def test_missing_values():
    readings = [("03-01", 4.0), ("03-01", None), ("03-02", None)]
    assert daily_summary(readings) == {"03-01": (4.0, 4.0, 4.0)}


def test_mean_around_zero():
    readings = [("01-05", -2.0), ("01-05", 0.0), ("01-05", 5.0)]
    assert daily_summary(readings) == {"01-05": (-2.0, 5.0, 1.0)}


def test_frost_days():
    readings = [("01-06", -3.0), ("01-05", 0.0), ("01-05", 2.0), ("01-07", 1.0)]
    assert frost_days(readings) == ["01-05", "01-06"]


def test_no_readings():
    assert daily_summary([]) == {}
""",
        hidden=r"""
def test_day_of_zeros():
    assert daily_summary([("d", 0), ("d", 0.0)]) == {"d": (0, 0, 0.0)}


def test_zero_as_highest():
    assert daily_summary([("d", -4), ("d", 0), ("d", None)]) == {"d": (-4, 0, -2.0)}


def test_frost_at_exactly_zero():
    assert frost_days([("b", 0), ("a", 0.0), ("c", None), ("e", 3)]) == ["a", "b"]


def test_rounded_mean():
    assert daily_summary([("d", 1), ("d", 1), ("d", 2)])["d"][2] == 1.3
""",
    ),
    Program(
        name="regatta_ranking",
        code=r'''"""Results of a regatta for small boats."""


def total_points(races):
    """Points of every boat over all races; the winner of a race gets 1 point.

    `races` is a list of races, each a list of boats in the order of their
    finish.
    """
    points = {}
    for race in races:
        for place, boat in enumerate(race, start=1):
            points[boat] = points.get(boat, 0) + place
    return points


def ranking(points):
    """Ranks as a list of (rank, boat, points); fewest points are best.

    Boats with equal points share a rank and are listed by name; the ranks
    after them are skipped accordingly: 1, 2, 2, 4.
    """
    result = []
    rank = 0
    previous = None
    ordered = sorted(points.items(), key=lambda item: (item[1], item[0]))
    for position, (boat, total) in enumerate(ordered, start=1):
        if total != previous:
            rank += 1
        previous = total
        result.append((rank, boat, total))
    return result
''',
        wrong="            rank += 1",
        right="            rank = position",
        visible=r"""
def test_points_of_two_races():
    races = [["Elf", "Gull", "Tern"], ["Gull", "Elf", "Tern"]]
    assert total_points(races) == {"Elf": 3, "Gull": 3, "Tern": 6}


def test_no_boats():
    assert ranking({}) == []


def test_clear_ranking():
    assert ranking({"Elf": 7, "Gull": 4}) == [(1, "Gull", 4), (2, "Elf", 7)]


def test_shared_rank():
    points = {"Tern": 9, "Elf": 5, "Gull": 5, "Auk": 3}
    assert ranking(points) == [
        (1, "Auk", 3), (2, "Elf", 5), (2, "Gull", 5), (4, "Tern", 9)]


def test_all_equal():
    assert [rank for rank, _, _ in ranking({"a": 2, "b": 2, "c": 2})] == [1, 1, 1]
""",
        hidden=r"""
def ranks(*totals):
    return [entry[0] for entry in ranking({f"b{i}": t for i, t in enumerate(totals)})]


def test_shared_first():
    assert ranks(1, 1, 1, 2) == [1, 1, 1, 4]


def test_several_groups():
    assert ranks(3, 3, 5, 6, 6, 6, 9) == [1, 1, 3, 4, 4, 4, 7]


def test_last_shared():
    assert ranks(1, 2, 2) == [1, 2, 2]


def test_zero_points():
    assert ranks(0, 0, 1) == [1, 1, 3]
""",
    ),
    Program(
        name="donation_receipts",
        code=r'''"""Yearly receipts for the friends of a museum railway."""
from itertools import groupby
from operator import itemgetter


def receipts(gifts):
    """One receipt for every donor: a list of (donor, number of gifts, cents).

    `gifts` is a list of (donor, cents) as they came in.  Receipts are
    ordered by the name of the donor.
    """
    result = []
    for donor, group in groupby(gifts, key=itemgetter(0)):
        amounts = [cents for _, cents in group]
        result.append((donor, len(amounts), sum(amounts)))
    return sorted(result)


def generous(gifts, least):
    """Donors who gave at least so many cents in all, most generous first.

    Donors who gave the same are ordered by name.
    """
    chosen = [entry for entry in receipts(gifts) if entry[2] >= least]
    return [donor for donor, _, _ in sorted(chosen, key=lambda entry: -entry[2])]
''',
        wrong="groupby(gifts, key=itemgetter(0))",
        right="groupby(sorted(gifts), key=itemgetter(0))",
        visible=r"""
def test_no_gifts():
    assert receipts([]) == []


def test_single_gifts():
    assert receipts([("Moss", 500), ("Ash", 700)]) == [("Ash", 1, 700), ("Moss", 1, 500)]


def test_two_gifts_in_a_row():
    assert receipts([("Moss", 500), ("Moss", 250)]) == [("Moss", 2, 750)]


def test_gifts_over_the_year():
    gifts = [("Moss", 500), ("Ash", 700), ("Moss", 250), ("Ash", 100)]
    assert receipts(gifts) == [("Ash", 2, 800), ("Moss", 2, 750)]


def test_generous_donors():
    gifts = [("Moss", 500), ("Ash", 700), ("Birch", 100)]
    assert generous(gifts, 500) == ["Ash", "Moss"]
""",
        hidden=r"""
def test_many_small_gifts():
    gifts = [(name, 10) for _ in range(12) for name in ("c", "a", "b")]
    assert receipts(gifts) == [("a", 12, 120), ("b", 12, 120), ("c", 12, 120)]


def test_generous_by_small_gifts():
    gifts = [("Moss", 300), ("Ash", 400), ("Moss", 300), ("Birch", 600)]
    assert generous(gifts, 500) == ["Birch", "Moss"]


def test_every_donor_once():
    gifts = [("b", 1), ("a", 2), ("b", 3), ("a", 4), ("a", 1)]
    donors = [entry[0] for entry in receipts(gifts)]
    assert donors == ["a", "b"]


def test_gifts_are_left_as_they_were():
    gifts = [("b", 1), ("a", 2)]
    receipts(gifts)
    assert gifts == [("b", 1), ("a", 2)]
""",
    ),
    Program(
        name="cycle_counters",
        code=r'''"""Busiest hours at the cycle counters of a town."""
from collections import Counter, defaultdict


def busiest_hours(records):
    """The hour with most bicycles for every counter.

    `records` is a list of (counter, hour, bicycles); a counter has several
    lanes, and their numbers for the same hour are added.  If two hours are
    equally busy the earlier one counts.
    """
    totals = defaultdict(Counter)
    for counter, hour, bicycles in records:
        totals[counter][hour] += bicycles
    busiest = {}
    for counter, hours in totals.items():
        best = None
        for hour, bicycles in hours.items():
            if best is None or bicycles > hours[best]:
                best = hour
        busiest[counter] = best
    return busiest


def report(records):
    """Lines such as 'Bridge: 07-08', ordered by counter."""
    return [
        f"{counter}: {hour:02}-{hour + 1:02}"
        for counter, hour in sorted(busiest_hours(records).items())
    ]
''',
        wrong="in hours.items():",
        right="in sorted(hours.items()):",
        visible=r"""
def test_busiest_hour():
    records = [("Bridge", 7, 120), ("Bridge", 8, 90), ("Bridge", 17, 110)]
    assert busiest_hours(records) == {"Bridge": 7}


def test_lanes_are_added():
    records = [("Bridge", 7, 60), ("Bridge", 8, 50), ("Bridge", 8, 20)]
    assert busiest_hours(records) == {"Bridge": 8}


def test_equally_busy():
    records = [("Bridge", 17, 40), ("Bridge", 8, 40), ("Bridge", 9, 10)]
    assert busiest_hours(records) == {"Bridge": 8}


def test_report():
    records = [("Park", 16, 30), ("Bridge", 7, 60)]
    assert report(records) == ["Bridge: 07-08", "Park: 16-17"]


def test_no_records():
    assert busiest_hours([]) == {}
""",
        hidden=r"""
def test_order_of_records_does_not_matter():
    from itertools import permutations
    records = [("P", 6, 5), ("P", 12, 9), ("P", 15, 9), ("P", 20, 9)]
    for order in permutations(records):
        assert busiest_hours(list(order)) == {"P": 12}


def test_equal_after_adding_lanes():
    records = [("P", 18, 10), ("P", 7, 4), ("P", 7, 6), ("Q", 3, 1)]
    assert busiest_hours(records) == {"P": 7, "Q": 3}


def test_quiet_counter():
    assert busiest_hours([("P", 23, 0), ("P", 0, 0)]) == {"P": 0}
    assert report([("P", 9, 0)]) == ["P: 09-10"]


def test_later_but_busier():
    assert busiest_hours([("P", 5, 1), ("P", 22, 2)]) == {"P": 22}
""",
    ),
    # ------------------------------------------- parsing settings and validation
    Program(
        name="aquarium_settings",
        code=r'''"""Settings of an aquarium controller."""

DEFAULTS = {
    "name": "tank",
    "target": 24.5,
    "feedings": 2,
    "light": True,
    "pump_at_night": False,
}


def convert(text, default):
    """Turn a text into a value of the type of the default.

    Switches may be written yes, true or on, everything else is off; upper
    and lower case do not matter.
    """
    if isinstance(default, bool):
        return bool(text)
    if isinstance(default, int):
        return int(text)
    if isinstance(default, float):
        return float(text)
    return text


def load_settings(text):
    """Read lines 'key = value'; anything after a # is a comment.

    Missing keys have their defaults.  Raises KeyError for unknown keys.
    """
    settings = dict(DEFAULTS)
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        key, _, value = line.partition("=")
        key = key.strip()
        if key not in DEFAULTS:
            raise KeyError(key)
        settings[key] = convert(value.strip(), DEFAULTS[key])
    return settings
''',
        wrong="        return bool(text)",
        right='        return text.lower() in ("yes", "true", "on")',
        visible=r"""
def test_defaults():
    assert load_settings("# nothing set\n\n") == DEFAULTS


def test_numbers_and_text():
    settings = load_settings("name = reef\ntarget = 26 # warm\nfeedings = 3")
    assert settings["name"] == "reef"
    assert settings["target"] == 26.0
    assert settings["feedings"] == 3


def test_switch_on():
    assert load_settings("pump_at_night = yes")["pump_at_night"] is True


def test_switch_off():
    assert load_settings("light = off")["light"] is False


def test_unknown_key():
    with pytest.raises(KeyError):
        load_settings("heater = on")
""",
        hidden=r"""
def test_all_ways_to_switch_on():
    for word in ("yes", "true", "on", "Yes", "TRUE", "oN"):
        assert convert(word, False) is True
        assert convert(word, True) is True


def test_everything_else_is_off():
    for word in ("no", "false", "off", "never", "", "0"):
        assert convert(word, True) is False


def test_other_types():
    assert convert("7", 1) == 7
    assert convert("7", 1.0) == 7.0
    assert convert("yes", "no") == "yes"


def test_bad_number():
    with pytest.raises(ValueError):
        load_settings("feedings = many")


def test_defaults_are_not_changed():
    load_settings("light = no")
    assert DEFAULTS["light"] is True
""",
    ),
    Program(
        name="film_length",
        code=r'''"""Lengths of films for the programme of a cinema."""
import re

LENGTH = re.compile(r"(?:(\d+)\s*h)?\s*(?:(\d+)\s*min)?")


def parse_length(text):
    """Minutes from '1 h 45 min', '2h', '95min' or plain minutes, '95'.

    Upper and lower case and surrounding blanks do not matter.  Anything
    else raises ValueError.
    """
    text = text.strip().lower()
    if text.isdigit():
        return int(text)
    match = LENGTH.match(text)
    if not text or match is None:
        raise ValueError(f"not a length: {text!r}")
    hours, minutes = match.groups()
    return int(hours or 0) * 60 + int(minutes or 0)


def evening_length(films, break_minutes=15):
    """Minutes of an evening of several films with breaks between them."""
    lengths = [parse_length(film) for film in films]
    return sum(lengths) + break_minutes * max(len(lengths) - 1, 0)
''',
        wrong="LENGTH.match(text)",
        right="LENGTH.fullmatch(text)",
        visible=r"""
def test_hours_and_minutes():
    assert parse_length("1 h 45 min") == 105
    assert parse_length("1H45MIN") == 105


def test_one_unit():
    assert parse_length("2h") == 120
    assert parse_length(" 95 min ") == 95


def test_plain_minutes():
    assert parse_length("95") == 95


def test_not_a_length():
    for text in ("", "long", "1 h 45 sec"):
        with pytest.raises(ValueError):
            parse_length(text)


def test_evening():
    assert evening_length(["1 h 30 min", "80"]) == 185
    assert evening_length([]) == 0
""",
        hidden=r"""
def test_rubbish_at_the_end():
    for text in ("2h!", "95 minutes", "1 h 45", "1 h 45 min 10", "1h 2h"):
        with pytest.raises(ValueError):
            parse_length(text)


def test_rubbish_at_the_beginning():
    for text in ("about 2 h", "-30 min", "x"):
        with pytest.raises(ValueError):
            parse_length(text)


def test_wrong_order():
    with pytest.raises(ValueError):
        parse_length("45 min 1 h")


def test_blanks_and_zeros():
    assert parse_length("0h 05min") == 5
    assert parse_length("1h  5  min") == 65


def test_evening_with_a_bad_film():
    with pytest.raises(ValueError):
        evening_length(["90", "short"])
""",
    ),
    Program(
        name="boat_club_form",
        code=r'''"""Checking the forms of people who want to join a boat club."""

BOATS = {"single": 1, "double": 2, "four": 4}


def check_form(form):
    """All complaints about a form, a dictionary, as a list of texts.

    A name is needed.  We must be able to reach people: by telephone or by
    mail, either is enough.  Members are at least 12 years old, and under 18
    a guardian has to be named.  The boat is optional but must be one we
    have.
    """
    complaints = []
    if not form.get("name", "").strip():
        complaints.append("name is missing")
    if not form.get("phone") or not form.get("mail"):
        complaints.append("phone or mail is missing")
    age = form.get("age")
    if age is None:
        complaints.append("age is missing")
    elif age < 12:
        complaints.append("too young")
    elif age < 18 and not form.get("guardian"):
        complaints.append("guardian is missing")
    boat = form.get("boat")
    if boat is not None and boat not in BOATS:
        complaints.append(f"no such boat: {boat}")
    return complaints


def accepted(forms):
    """Names on the forms that give no cause for complaint."""
    return [form["name"].strip() for form in forms if not check_form(form)]
''',
        wrong='not form.get("phone") or not',
        right='not form.get("phone") and not',
        visible=r"""
def form(**changes):
    result = {"name": "Ida Moss", "phone": "555-1", "mail": "ida@club", "age": 30}
    result.update(changes)
    return result


def test_complete_form():
    assert check_form(form()) == []


def test_mail_is_enough():
    assert check_form(form(phone="")) == []


def test_cannot_be_reached():
    assert check_form(form(phone="", mail="")) == ["phone or mail is missing"]


def test_age():
    assert check_form(form(age=11)) == ["too young"]
    assert check_form(form(age=15)) == ["guardian is missing"]
    assert check_form(form(age=15, guardian="Bo Moss")) == []


def test_boat():
    assert check_form(form(boat="double")) == []
    assert check_form(form(boat="eight")) == ["no such boat: eight"]


def test_accepted_names():
    assert accepted([form(), form(name=" ")]) == ["Ida Moss"]
""",
        hidden=r"""
def test_phone_is_enough():
    assert check_form({"name": "Bo", "phone": "1", "age": 40}) == []


def test_empty_form():
    assert check_form({}) == [
        "name is missing", "phone or mail is missing", "age is missing"]


def test_accepted_with_one_contact():
    forms = [
        {"name": "Bo ", "phone": "1", "age": 18},
        {"name": "Li", "mail": "li@club", "age": 12, "guardian": "Bo"},
        {"name": "Al", "age": 50},
    ]
    assert accepted(forms) == ["Bo", "Li"]


def test_neither_contact():
    assert check_form({"name": "Bo", "phone": None, "mail": "", "age": 18}) == [
        "phone or mail is missing"]
""",
    ),
    Program(
        name="page_selection",
        code=r'''"""Which pages of a score a print shop has to print."""


def parse_pages(text, last_page):
    """The page numbers chosen by a text such as '1-3, 5, 8-', sorted.

    A range may be open: '-3' begins with page 1, '8-' goes up to the last
    page.  Pages chosen twice are printed once.  Raises ValueError if the
    text cannot be read or a page does not exist.
    """
    chosen = set()
    for part in text.split(","):
        part = part.strip()
        if part in ("", "-"):
            raise ValueError(f"cannot read {text!r}")
        first, dash, last = part.partition("-")
        start = int(first or 1)
        end = int(last or start)
        if not 1 <= start <= end <= last_page:
            raise ValueError(f"no pages {part}")
        chosen.update(range(start, end + 1))
    return sorted(chosen)


def sheets(text, last_page, copies=1):
    """Number of sheets for some copies, printed on both sides."""
    pages = len(parse_pages(text, last_page))
    return copies * ((pages + 1) // 2)
''',
        wrong="        end = int(last or start)",
        right="        end = int(last or last_page) if dash else start",
        visible=r"""
def test_single_pages():
    assert parse_pages("5, 2", 10) == [2, 5]


def test_ranges_that_overlap():
    assert parse_pages("1-3,2-4", 10) == [1, 2, 3, 4]


def test_open_ranges():
    assert parse_pages("-3", 10) == [1, 2, 3]
    assert parse_pages("8-", 10) == [8, 9, 10]


def test_unreadable():
    for text in ("", "-", "a", "1,,2", "3-1", "0", "11"):
        with pytest.raises(ValueError):
            parse_pages(text, 10)


def test_sheets():
    assert sheets("1-5", 10) == 3
    assert sheets("1-4", 10, copies=3) == 6
""",
        hidden=r"""
def test_from_first_to_last():
    assert parse_pages("1-", 6) == [1, 2, 3, 4, 5, 6]


def test_open_end_at_the_last_page():
    assert parse_pages("6-", 6) == [6]
    with pytest.raises(ValueError):
        parse_pages("7-", 6)


def test_mixed():
    assert parse_pages("-2, 4, 9-, 4-5", 11) == [1, 2, 4, 5, 9, 10, 11]


def test_sheets_of_an_open_range():
    assert sheets("8-", 16, copies=2) == 10


def test_single_page_is_only_that_page():
    assert parse_pages("4", 9) == [4]
""",
    ),
    # ------------------------------------------------------- scoring, small games
    Program(
        name="boules_end",
        code=r'''"""Scoring a game of boules."""


def score_end(red, blue):
    """Who scores in an end, and how much: ('red', 2), or (None, 0).

    `red` and `blue` are the distances of the boules from the jack, in
    millimetres; each side has played at least one.  The side with the
    nearest boule scores one point for every boule that lies nearer than the
    best one of the other side.  If the best boules are equally near nobody
    scores.
    """
    if not red or not blue:
        raise ValueError("both sides have to play")
    if min(red) == min(blue):
        return None, 0
    winner, near, far = (
        ("red", red, blue) if min(red) < min(blue) else ("blue", blue, red)
    )
    return winner, sum(distance < max(far) for distance in near)


def play(ends, target=13):
    """Points of both sides, (red, blue), after some ends.

    The game is over as soon as a side has `target` points; the ends after
    that are ignored.
    """
    points = {"red": 0, "blue": 0}
    for red, blue in ends:
        if max(points.values()) >= target:
            break
        winner, scored = score_end(red, blue)
        if winner:
            points[winner] += scored
    return points["red"], points["blue"]
''',
        wrong="distance < max(far)",
        right="distance < min(far)",
        visible=r"""
def test_one_point():
    assert score_end([120], [300]) == ("red", 1)


def test_all_boules_nearer():
    assert score_end([500, 600], [100, 200, 300]) == ("blue", 3)


def test_only_boules_nearer_than_the_best():
    assert score_end([100, 250, 400], [200, 900]) == ("red", 1)


def test_equally_near():
    assert score_end([150, 160], [150]) == (None, 0)


def test_game_is_over():
    ends = [([1, 2], [9])] * 4
    assert play(ends, target=5) == (6, 0)


def test_side_without_boules():
    with pytest.raises(ValueError):
        score_end([], [1])
""",
        hidden=r"""
def test_two_of_three():
    assert score_end([50, 80, 300], [100, 400, 500]) == ("red", 2)


def test_blue_wins_narrowly():
    assert score_end([101, 102, 103], [100, 104, 105]) == ("blue", 1)


def test_boule_as_near_as_the_other_best():
    assert score_end([100, 200], [200, 300]) == ("red", 1)


def test_game():
    ends = [([10, 50], [40, 60]), ([70], [20, 30]), ([5], [5, 6])]
    assert play(ends) == (1, 2)
""",
    ),
    Program(
        name="harbour_dice",
        code=r'''"""The dice game 'Harbour', played with five dice."""
from collections import Counter


def longest_run(dice):
    """Length of the longest run of consecutive numbers, 2-3-4 for example."""
    longest = current = 0
    previous = None
    for number in sorted(dice):
        if previous is not None and number == previous + 1:
            current += 1
        else:
            current = 1
        longest = max(longest, current)
        previous = number
    return longest


def score(dice):
    """Points of a throw; the best of these counts.

    Five equal dice: 50.  A run of all five: 40.  A run of at least four
    among the dice: 30.  Three equal dice and a pair: 25.  Otherwise the sum
    of the dice.
    """
    if len(dice) != 5 or not all(1 <= number <= 6 for number in dice):
        raise ValueError("five dice are needed")
    counts = sorted(Counter(dice).values())
    if counts == [5]:
        return 50
    run = longest_run(dice)
    if run >= 4:
        return 40 if run == 5 else 30
    if counts == [2, 3]:
        return 25
    return sum(dice)
''',
        wrong="in sorted(dice):",
        right="in sorted(set(dice)):",
        visible=r"""
def test_five_equal():
    assert score([3, 3, 3, 3, 3]) == 50


def test_run_of_five():
    assert score([2, 6, 4, 3, 5]) == 40


def test_run_of_four():
    assert score([1, 2, 3, 4, 6]) == 30
    assert score([3, 4, 5, 6, 4]) == 30


def test_three_and_two():
    assert score([2, 2, 6, 6, 6]) == 25


def test_sum():
    assert score([1, 2, 2, 5, 6]) == 16


def test_wrong_number_of_dice():
    with pytest.raises(ValueError):
        score([1, 2, 3])
""",
        hidden=r"""
def test_pair_anywhere_in_the_run():
    for pair in (2, 3, 4, 5):
        assert score([2, 3, 4, 5, pair]) == 30


def test_longest_run():
    assert longest_run([1, 1, 2, 2, 3]) == 3
    assert longest_run([6, 6, 6, 6, 6]) == 1
    assert longest_run([1, 3, 5]) == 1
    assert longest_run([]) == 0


def test_run_of_three_is_only_a_sum():
    assert score([1, 2, 3, 3, 6]) == 15


def test_four_equal_is_only_a_sum():
    assert score([4, 4, 4, 4, 1]) == 17
""",
    ),
    Program(
        name="card_tricks",
        code=r'''"""Who takes the trick in a card game for four."""
from collections import namedtuple

Card = namedtuple("Card", "suit value")


def beats(card, best, trump):
    """Whether a card played later beats the best card so far.

    A higher card of the same suit does; a card of another suit only if it
    is a trump.
    """
    if card.suit == best.suit and card.value > best.value:
        return True
    return card.suit == trump


def trick_winner(cards, trump=None):
    """Index of the card that takes the trick; cards are in playing order."""
    if not cards:
        raise ValueError("no card was played")
    winner = 0
    for index in range(1, len(cards)):
        if beats(cards[index], cards[winner], trump):
            winner = index
    return winner


def tricks_taken(tricks, trump=None):
    """Number of tricks of every player in a game of four.

    Player 0 leads to the first trick, then whoever took the last one.
    """
    taken = [0, 0, 0, 0]
    leader = 0
    for cards in tricks:
        leader = (leader + trick_winner(cards, trump)) % 4
        taken[leader] += 1
    return taken
''',
        wrong="    return card.suit == trump",
        right="    return card.suit == trump and best.suit != trump",
        visible=r"""
def cards(text):
    return [Card(word[0], int(word[1:])) for word in text.split()]


def test_highest_of_the_suit():
    assert trick_winner(cards("s5 s9 s3 s8")) == 1


def test_other_suit_does_not_win():
    assert trick_winner(cards("s5 h14 s3 d12")) == 0


def test_trump_wins():
    assert trick_winner(cards("s14 h2 s3 s8"), trump="h") == 1


def test_two_trumps():
    assert trick_winner(cards("s14 h9 h2 s8"), trump="h") == 1
    assert trick_winner(cards("s14 h2 h9 s8"), trump="h") == 2


def test_leader_changes():
    tricks = [cards("s5 s9 s3 s8"), cards("h2 h3 h4 h5")]
    assert tricks_taken(tricks) == [1, 1, 0, 0]


def test_no_card():
    with pytest.raises(ValueError):
        trick_winner([])
""",
        hidden=r"""
def make(*pairs):
    return [Card(suit, value) for suit, value in pairs]


def test_trump_is_led():
    trick = make(("h", 10), ("h", 4), ("s", 14), ("h", 9))
    assert trick_winner(trick, trump="h") == 0


def test_three_trumps():
    trick = make(("s", 3), ("h", 5), ("h", 12), ("h", 7))
    assert trick_winner(trick, trump="h") == 2


def test_beats():
    assert not beats(Card("h", 3), Card("h", 5), "h")
    assert beats(Card("h", 5), Card("h", 3), "h")
    assert beats(Card("h", 2), Card("s", 14), "h")
    assert not beats(Card("s", 14), Card("h", 2), "h")
    assert not beats(Card("d", 14), Card("s", 2), "h")


def test_game_with_trumps():
    tricks = [
        make(("s", 3), ("h", 5), ("h", 12), ("h", 7)),
        make(("h", 13), ("h", 2), ("d", 4), ("h", 3)),
    ]
    assert tricks_taken(tricks, trump="h") == [0, 0, 2, 0]
""",
    ),
    Program(
        name="pub_quiz",
        code=r'''"""The score board of a pub quiz."""


class QuizBoard:
    """Points of all teams, round by round.

    Rounds are numbered from 1.  Every team may name one round beforehand,
    its joker, in which its points count twice.
    """

    def __init__(self):
        self._points = {}
        self._jokers = {}

    def add_team(self, team, joker=None):
        if team in self._points:
            raise ValueError(f"{team} takes part already")
        self._points[team] = []
        self._jokers[team] = joker

    def record(self, team, points):
        """Note the points of a team in its next round."""
        self._points[team].append(points)

    def total(self, team):
        """All points of a team, with its joker."""
        joker = self._jokers[team]
        total = 0
        for number, points in enumerate(self._points[team]):
            total += points * 2 if number == joker else points
        return total

    def standings(self):
        """Teams with their totals, best first.

        Of teams with equal totals the one with the better single round
        (not counting the joker) is first, then the alphabet decides.
        """
        def key(team):
            return -self.total(team), -max(self._points[team], default=0), team
        return [(team, self.total(team)) for team in sorted(self._points, key=key)]
''',
        wrong="enumerate(self._points[team]):",
        right="enumerate(self._points[team], start=1):",
        visible=r"""
def board(**teams):
    result = QuizBoard()
    for team, (joker, points) in teams.items():
        result.add_team(team, joker)
        for value in points:
            result.record(team, value)
    return result


def test_without_joker():
    assert board(Owls=(None, [5, 7, 3])).total("Owls") == 15


def test_joker_counts_twice():
    assert board(Owls=(2, [5, 7, 3])).total("Owls") == 22


def test_joker_in_a_later_round():
    assert board(Owls=(4, [5, 7, 3])).total("Owls") == 15


def test_standings():
    quiz = board(Owls=(None, [5, 5]), Newts=(None, [4, 6]), Bats=(None, [9, 3]))
    assert quiz.standings() == [("Bats", 12), ("Newts", 10), ("Owls", 10)]


def test_team_only_once():
    quiz = board(Owls=(None, []))
    with pytest.raises(ValueError):
        quiz.add_team("Owls")
""",
        hidden=r"""
def quiz(joker, *points):
    result = QuizBoard()
    result.add_team("t", joker)
    for value in points:
        result.record("t", value)
    return result


def test_joker_in_every_round():
    assert [quiz(n, 1, 10, 100).total("t") for n in (1, 2, 3)] == [112, 121, 211]


def test_joker_in_the_last_round():
    assert quiz(3, 4, 4, 8).total("t") == 24


def test_joker_decides_the_standings():
    result = quiz(1, 8, 2)
    result.add_team("u", 2)
    result.record("u", 9)
    result.record("u", 3)
    assert result.standings() == [("t", 18), ("u", 15)]


def test_no_rounds_yet():
    assert quiz(1).standings() == [("t", 0)]
""",
    ),
)
