"""Programs of ten kinds in unusual trades.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---------------------------------------------------------------- structures
    Program(
        name="oven_queue",
        code='''"""Waiting list of trays for a single bread oven."""
import heapq


class OvenQueue:
    """Trays leave in order of urgency, the lowest number first.

    Trays of equal urgency leave in the order in which they came.
    A tray that was withdrawn no longer waits: it never leaves the queue
    and does not count towards its length.
    """

    def __init__(self):
        self._heap = []
        self._withdrawn = set()
        self._arrivals = 0

    def add(self, bread, urgency):
        """Put a tray in the queue and return its ticket number."""
        self._arrivals += 1
        heapq.heappush(self._heap, (urgency, self._arrivals, bread))
        return self._arrivals

    def withdraw(self, ticket):
        """Take a waiting tray out; KeyError if no such tray is waiting."""
        known = any(entry[1] == ticket for entry in self._heap)
        if not known or ticket in self._withdrawn:
            raise KeyError(ticket)
        self._withdrawn.add(ticket)

    def pop(self):
        """Return the bread on the next tray; IndexError if none is waiting."""
        while self._heap:
            _, ticket, bread = heapq.heappop(self._heap)
            if ticket not in self._withdrawn:
                return bread
            self._withdrawn.remove(ticket)
        raise IndexError("no tray is waiting")

    def __len__(self):
        return len(self._heap)
''',
        wrong="return len(self._heap)",
        right="return len(self._heap) - len(self._withdrawn)",
        visible="""
def test_order_of_urgency():
    queue = OvenQueue()
    queue.add("rye", 3)
    queue.add("baguette", 1)
    queue.add("brioche", 2)
    assert [queue.pop() for _ in range(3)] == ["baguette", "brioche", "rye"]


def test_equal_urgency_keeps_arrival_order():
    queue = OvenQueue()
    queue.add("rye", 1)
    queue.add("baguette", 1)
    assert queue.pop() == "rye"
    assert len(queue) == 1


def test_withdrawn_tray_is_skipped():
    queue = OvenQueue()
    ticket = queue.add("rye", 1)
    queue.add("spelt", 2)
    queue.withdraw(ticket)
    assert queue.pop() == "spelt"


def test_length_after_withdrawal():
    queue = OvenQueue()
    queue.add("rye", 1)
    ticket = queue.add("spelt", 2)
    queue.withdraw(ticket)
    assert len(queue) == 1


def test_pop_from_empty_queue():
    with pytest.raises(IndexError):
        OvenQueue().pop()
""",
        hidden="""
def test_queue_of_withdrawn_trays_is_empty():
    queue = OvenQueue()
    tickets = [queue.add(bread, 1) for bread in ("a", "b", "c")]
    for ticket in tickets:
        queue.withdraw(ticket)
    assert len(queue) == 0
    assert not queue
    with pytest.raises(IndexError):
        queue.pop()
    assert len(queue) == 0


def test_length_follows_pops_past_withdrawn_trays():
    queue = OvenQueue()
    first = queue.add("a", 1)
    queue.add("b", 2)
    last = queue.add("c", 3)
    queue.add("d", 4)
    queue.withdraw(first)
    queue.withdraw(last)
    assert len(queue) == 2
    assert queue.pop() == "b"
    assert len(queue) == 1
    assert queue.pop() == "d"
    assert len(queue) == 0


def test_cannot_withdraw_twice_or_after_leaving():
    queue = OvenQueue()
    ticket = queue.add("a", 1)
    other = queue.add("b", 2)
    queue.pop()
    with pytest.raises(KeyError):
        queue.withdraw(ticket)
    queue.withdraw(other)
    with pytest.raises(KeyError):
        queue.withdraw(other)
""",
    ),
    Program(
        name="germination_cache",
        code='''"""Recently used germination reports of a seed bank."""
from collections import OrderedDict


class ReportCache:
    """Hold at most `capacity` reports, by the number of the seed lot.

    When a new lot does not fit any more, the report that has gone unused
    for the longest time is dropped.  Reading a report and storing it (for
    the first time or again) both count as use.
    """

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.capacity = capacity
        self._reports = OrderedDict()

    def get(self, lot):
        """Return the report on the lot, or None if it is not held."""
        if lot not in self._reports:
            return None
        self._reports.move_to_end(lot)
        return self._reports[lot]

    def put(self, lot, report):
        if len(self._reports) >= self.capacity:
            self._reports.popitem(last=False)
        self._reports[lot] = report
        self._reports.move_to_end(lot)

    def lots(self):
        """Lots that are held, the longest unused first."""
        return list(self._reports)
''',
        wrong="if len(self._reports) >= self.capacity:",
        right="if lot not in self._reports and len(self._reports) >= self.capacity:",
        visible="""
def test_get_returns_what_was_put():
    cache = ReportCache(2)
    cache.put("L1", 0.91)
    assert cache.get("L1") == 0.91
    assert cache.get("L2") is None


def test_oldest_is_dropped():
    cache = ReportCache(2)
    cache.put("L1", 0.91)
    cache.put("L2", 0.72)
    cache.put("L3", 0.80)
    assert cache.lots() == ["L2", "L3"]


def test_reading_counts_as_use():
    cache = ReportCache(2)
    cache.put("L1", 0.91)
    cache.put("L2", 0.72)
    cache.get("L1")
    cache.put("L3", 0.80)
    assert cache.lots() == ["L1", "L3"]


def test_new_report_on_a_held_lot():
    cache = ReportCache(2)
    cache.put("L1", 0.91)
    cache.put("L2", 0.72)
    cache.put("L2", 0.75)
    assert cache.get("L2") == 0.75
    assert cache.get("L1") == 0.91


def test_capacity_must_be_positive():
    with pytest.raises(ValueError):
        ReportCache(0)
""",
        hidden="""
def test_repeated_updates_drop_nothing():
    cache = ReportCache(3)
    for lot in "abc":
        cache.put(lot, 1)
    for value in range(5):
        cache.put("c", value)
    assert cache.lots() == ["a", "b", "c"]
    assert cache.get("c") == 4


def test_update_counts_as_use():
    cache = ReportCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    assert cache.lots() == ["b", "a"]
    cache.put("c", 4)
    assert cache.lots() == ["a", "c"]


def test_capacity_is_never_exceeded():
    cache = ReportCache(2)
    for number in range(10):
        cache.put(number % 4, number)
        assert len(cache.lots()) <= 2


def test_capacity_one():
    cache = ReportCache(1)
    cache.put("a", 1)
    cache.put("a", 2)
    assert cache.get("a") == 2
    cache.put("b", 3)
    assert cache.lots() == ["b"]
""",
    ),
    Program(
        name="watch_log",
        code='''"""The short-term log of a lighthouse keeper."""


class WatchLog:
    """Keeps up to `size` remarks; a further one replaces the oldest.

    Remarks can be taken out again from the oldest to the newest, for
    copying them into the harbour book.
    """

    def __init__(self, size):
        self._slots = [None] * size
        self._next = 0
        self._count = 0

    def _slot(self, position):
        """Index of the slot with the remark at `position`, 0 the oldest."""
        first = self._next - self._count
        return (first + position) % len(self._slots)

    def write(self, remark):
        self._slots[self._next] = remark
        self._next = (self._next + 1) % len(self._slots)
        self._count = self._count + 1

    def take(self):
        """Remove and return the oldest remark; IndexError if there is none."""
        if self._count == 0:
            raise IndexError("the log is empty")
        remark = self._slots[self._slot(0)]
        self._count -= 1
        return remark

    def remarks(self):
        """All remarks that are held, from the oldest to the newest."""
        return [self._slots[self._slot(i)] for i in range(self._count)]
''',
        wrong="self._count = self._count + 1",
        right="self._count = min(self._count + 1, len(self._slots))",
        visible="""
def test_remarks_in_order():
    log = WatchLog(4)
    log.write("fog")
    log.write("brig passing")
    assert log.remarks() == ["fog", "brig passing"]


def test_take_from_the_oldest():
    log = WatchLog(3)
    for remark in ("fog", "rain", "calm"):
        log.write(remark)
    assert log.take() == "fog"
    assert log.remarks() == ["rain", "calm"]


def test_full_log_replaces_the_oldest():
    log = WatchLog(3)
    for remark in ("fog", "rain", "calm", "gale"):
        log.write(remark)
    assert log.remarks() == ["rain", "calm", "gale"]


def test_empty_log():
    log = WatchLog(2)
    assert log.remarks() == []
    with pytest.raises(IndexError):
        log.take()
""",
        hidden="""
def test_many_rounds():
    log = WatchLog(3)
    for number in range(11):
        log.write(number)
    assert log.remarks() == [8, 9, 10]
    assert [log.take() for _ in range(3)] == [8, 9, 10]
    with pytest.raises(IndexError):
        log.take()


def test_take_and_write_in_turn():
    log = WatchLog(2)
    log.write("a")
    log.write("b")
    log.write("c")
    assert log.take() == "b"
    log.write("d")
    assert log.remarks() == ["c", "d"]
    log.write("e")
    assert log.remarks() == ["d", "e"]


def test_wrapping_without_overflow():
    log = WatchLog(3)
    for number in range(7):
        log.write(number)
        assert log.take() == number
    assert log.remarks() == []


def test_log_of_one():
    log = WatchLog(1)
    log.write("x")
    log.write("y")
    assert log.remarks() == ["y"]
    assert log.take() == "y"
    assert log.remarks() == []
""",
    ),
    Program(
        name="bell_tree",
        code='''"""Weights of the bells in a foundry, kept in a search tree."""


class Node:
    def __init__(self, weight):
        self.weight = weight
        self.left = None
        self.right = None
        self.size = 1


def size(node):
    return node.size if node else 0


class BellTree:
    """Equally heavy bells may be added any number of times."""

    def __init__(self, weights=()):
        self.root = None
        for weight in weights:
            self.add(weight)

    def add(self, weight):
        self.root = self._insert(self.root, weight)

    def _insert(self, node, weight):
        if node is None:
            return Node(weight)
        if weight < node.weight:
            node.left = self._insert(node.left, weight)
        else:
            node.right = self._insert(node.right, weight)
        node.size = size(node.left) + size(node.right) + 1
        return node

    def lighter_than(self, weight):
        """Number of bells that weigh strictly less than `weight`."""
        count = 0
        node = self.root
        while node:
            if weight < node.weight:
                node = node.left
            else:
                count += size(node.left) + 1
                node = node.right
        return count
''',
        wrong="""            if weight < node.weight:
                node = node.left""",
        right="""            if weight <= node.weight:
                node = node.left""",
        visible="""
def test_empty_tree():
    assert BellTree().lighter_than(100) == 0


def test_weight_between_bells():
    tree = BellTree([400, 150, 900, 275])
    assert tree.lighter_than(300) == 2
    assert tree.lighter_than(1000) == 4


def test_weight_of_a_bell():
    tree = BellTree([400, 150, 900, 275])
    assert tree.lighter_than(400) == 2


def test_lighter_than_all():
    assert BellTree([400, 150, 900]).lighter_than(100) == 0


def test_size_of_tree():
    tree = BellTree([5, 3, 8])
    tree.add(4)
    assert tree.root.size == 4
""",
        hidden="""
def test_lightest_bell():
    assert BellTree([400, 150, 900]).lighter_than(150) == 0


def test_equal_bells():
    tree = BellTree([300, 300, 200, 300, 500])
    assert tree.lighter_than(300) == 1
    assert tree.lighter_than(301) == 4
    assert tree.lighter_than(500) == 4


def test_against_counting():
    weights = [(n * 37) % 23 for n in range(60)]
    tree = BellTree(weights)
    for limit in range(-1, 25):
        assert tree.lighter_than(limit) == sum(w < limit for w in weights)
""",
    ),
    # ---------------------------------------------------------------- recursion
    Program(
        name="raw_needs",
        code='''"""Raw ingredients for the goods of a pastry shop."""


def raw_needs(recipes, item, amount=1):
    """Return what has to be bought to make `amount` of `item`.

    `recipes` maps each thing that is made in the shop to its parts:
    {part: quantity of the part for one unit}.  Parts may have recipes
    themselves; whatever has no recipe is bought.  The answer maps each
    ingredient that is bought to the total quantity needed.
    """
    if item not in recipes:
        return {item: amount}
    needs = {}
    for part, quantity in recipes[item].items():
        below = raw_needs(recipes, part, quantity * amount)
        for ingredient, total in below.items():
            needs[ingredient] = total
    return needs


def shopping_cost(recipes, prices, orders):
    """Return the cost of the ingredients for all orders, {item: amount}."""
    cost = 0
    for item, amount in orders.items():
        for ingredient, total in raw_needs(recipes, item, amount).items():
            cost += prices[ingredient] * total
    return cost
''',
        wrong="needs[ingredient] = total",
        right="needs[ingredient] = needs.get(ingredient, 0) + total",
        visible="""
RECIPES = {
    "tart": {"crust": 1, "custard": 2},
    "crust": {"flour": 200, "butter": 100},
    "custard": {"milk": 150, "egg": 2},
    "glazed tart": {"tart": 1, "butter": 20},
}


def test_bought_item():
    assert raw_needs(RECIPES, "egg", 3) == {"egg": 3}


def test_simple_recipe():
    assert raw_needs(RECIPES, "crust", 2) == {"flour": 400, "butter": 200}


def test_nested_recipe():
    assert raw_needs(RECIPES, "tart") == {
        "flour": 200, "butter": 100, "milk": 300, "egg": 4}


def test_ingredient_used_in_two_places():
    assert raw_needs(RECIPES, "glazed tart")["butter"] == 120


def test_cost_of_orders():
    prices = {"flour": 1, "butter": 3, "milk": 2, "egg": 30}
    assert shopping_cost(RECIPES, prices, {"crust": 1, "custard": 1}) == 500 + 360
""",
        hidden="""
def test_three_sources():
    recipes = {
        "cake": {"base": 2, "cream": 3, "sugar": 5},
        "base": {"flour": 10, "sugar": 4},
        "cream": {"milk": 1, "sugar": 2},
    }
    assert raw_needs(recipes, "cake") == {
        "flour": 20, "milk": 3, "sugar": 5 + 8 + 6}
    assert raw_needs(recipes, "cake", 10)["sugar"] == 190


def test_shared_part():
    recipes = {"a": {"b": 1, "c": 1}, "b": {"d": 2}, "c": {"d": 3}, "d": {"salt": 7}}
    assert raw_needs(recipes, "a") == {"salt": 35}


def test_cost_with_shared_ingredient():
    recipes = {"a": {"b": 1, "salt": 1}, "b": {"salt": 2}}
    assert shopping_cost(recipes, {"salt": 10}, {"a": 2, "b": 1}) == 80


def test_recipes_are_left_alone():
    recipes = {"a": {"b": 1, "salt": 1}, "b": {"salt": 2}}
    raw_needs(recipes, "a", 4)
    assert recipes == {"a": {"b": 1, "salt": 1}, "b": {"salt": 2}}
""",
    ),
    Program(
        name="stage_props",
        code='''"""How the props of a puppet theatre depend on one another."""


def longest_chain(needs, prop, path=None):
    """Return how many steps of work must come before the prop, in a row.

    `needs` maps a prop to the props that must be finished before it.
    A prop that needs nothing has the answer 0.  The same prop may well be
    needed in several places.  ValueError is raised if a prop needs itself,
    be it directly or by way of others.
    """
    path = [] if path is None else path
    if prop in path:
        raise ValueError(f"{prop} needs itself: {' > '.join(path)}")
    path.append(prop)
    steps = 0
    for part in needs.get(prop, ()):
        steps = max(steps, 1 + longest_chain(needs, part, path))
    return steps


def by_stage(needs):
    """Group all props that occur by the answer of longest_chain."""
    props = set(needs)
    for parts in needs.values():
        props.update(parts)
    stages = {}
    for prop in sorted(props):
        stages.setdefault(longest_chain(needs, prop), []).append(prop)
    return stages
''',
        wrong="""    return steps
""",
        right="""    path.pop()
    return steps
""",
        visible="""
def test_prop_without_needs():
    assert longest_chain({}, "moon") == 0


def test_chain():
    needs = {"castle": ["tower"], "tower": ["planks"]}
    assert longest_chain(needs, "castle") == 2


def test_prop_that_needs_itself():
    needs = {"key": ["chest"], "chest": ["key"]}
    with pytest.raises(ValueError):
        longest_chain(needs, "key")


def test_shared_part():
    needs = {"castle": ["tower", "gate"], "tower": ["planks"], "gate": ["planks"]}
    assert longest_chain(needs, "castle") == 2


def test_stages():
    needs = {"castle": ["tower"], "tower": ["planks"], "moon": []}
    assert by_stage(needs) == {0: ["moon", "planks"], 1: ["tower"], 2: ["castle"]}
""",
        hidden="""
def test_part_needed_directly_and_indirectly():
    needs = {"a": ["c", "b"], "b": ["c"]}
    assert longest_chain(needs, "a") == 2


def test_stages_with_shared_parts():
    needs = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": ["e"]}
    assert by_stage(needs) == {0: ["e"], 1: ["d"], 2: ["b", "c"], 3: ["a"]}


def test_loop_below_a_shared_part():
    needs = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": ["c"]}
    with pytest.raises(ValueError):
        longest_chain(needs, "a")


def test_direct_loop():
    with pytest.raises(ValueError):
        longest_chain({"a": ["a"]}, "a")


def test_part_listed_twice():
    assert longest_chain({"a": ["b", "b"]}, "a") == 1
""",
    ),
    Program(
        name="museum_store",
        code='''"""Find objects in the nested storage of a local museum."""


def locate(place, item):
    """Return the way to the item, as a list of names from the outside in.

    A place is a dict with a "name" and optionally "items" (a list of
    names) and "places" (a list of further places within it).  The first
    place in which the item is found counts, looking at a place's own
    items before the places within it.  Returns None if it is nowhere.
    """
    if item in place.get("items", []):
        return [place["name"]]
    for inner in place.get("places", []):
        way = locate(inner, item)
        if way:
            return way
    return None


def label(place, item):
    """Return the way to the item as text, such as "Attic / Shelf 2"."""
    way = locate(place, item)
    if way is None:
        raise LookupError(f"{item} is not in {place['name']}")
    return " / ".join(way)


def count_items(place):
    """Return the number of items in the place and everything within it."""
    inner = sum(count_items(p) for p in place.get("places", []))
    return len(place.get("items", [])) + inner
''',
        wrong="            return way\n",
        right='            return [place["name"]] + way\n',
        visible="""
ATTIC = {
    "name": "Attic",
    "items": ["loom"],
    "places": [
        {"name": "Shelf 1", "items": ["clog", "lamp"]},
        {"name": "Trunk", "places": [{"name": "Tray", "items": ["coin"]}]},
    ],
}


def test_item_in_outer_place():
    assert locate(ATTIC, "loom") == ["Attic"]


def test_item_on_shelf():
    assert locate(ATTIC, "lamp") == ["Attic", "Shelf 1"]


def test_label_of_deep_item():
    assert label(ATTIC, "coin") == "Attic / Trunk / Tray"


def test_missing_item():
    assert locate(ATTIC, "sword") is None
    with pytest.raises(LookupError):
        label(ATTIC, "sword")


def test_count():
    assert count_items(ATTIC) == 4
""",
        hidden="""
def test_first_place_counts():
    place = {"name": "A", "places": [
        {"name": "B", "places": [{"name": "C", "items": ["x"]}]},
        {"name": "D", "items": ["x"]},
    ]}
    assert locate(place, "x") == ["A", "B", "C"]


def test_own_items_first():
    place = {"name": "A", "items": ["x"], "places": [{"name": "B", "items": ["x"]}]}
    assert locate(place, "x") == ["A"]


def test_four_levels():
    place = {"name": "x", "items": ["pin"]}
    for name in "wvu":
        place = {"name": name, "places": [{"name": "empty"}, place]}
    assert locate(place, "pin") == ["u", "v", "w", "x"]
    assert label(place, "pin") == "u / v / w / x"
""",
    ),
    Program(
        name="bouquets",
        code='''"""Put together bouquets at a flower stall."""


def bouquets(flowers, stems):
    """Return all bouquets with the given number of stems, as tuples.

    Any flower may be used more than once.  The order of the stems in a
    bouquet does not matter: each bouquet is listed just once, its stems
    in the order in which the flowers were given.
    """
    if stems == 0:
        return [()]
    result = []
    for index, flower in enumerate(flowers):
        for rest in bouquets(flowers[index + 1:], stems - 1):
            result.append((flower,) + rest)
    return result


def affordable(prices, stems, budget):
    """Return the bouquets that cost no more than the budget.

    `prices` maps each flower to the price of a stem.  The cheapest
    bouquets come first.
    """
    def cost(bouquet):
        return sum(prices[flower] for flower in bouquet)

    chosen = [b for b in bouquets(sorted(prices), stems) if cost(b) <= budget]
    return sorted(chosen, key=cost)
''',
        wrong="flowers[index + 1:]",
        right="flowers[index:]",
        visible="""
def test_no_stems():
    assert bouquets(["rose", "iris"], 0) == [()]


def test_single_stems():
    assert bouquets(["rose", "iris"], 1) == [("rose",), ("iris",)]


def test_two_stems():
    assert bouquets(["rose", "iris"], 2) == [
        ("rose", "rose"), ("rose", "iris"), ("iris", "iris")]


def test_affordable_bouquets():
    prices = {"rose": 5, "iris": 2}
    assert affordable(prices, 2, 7) == [("iris", "iris"), ("iris", "rose")]


def test_nothing_affordable():
    assert affordable({"rose": 5}, 1, 4) == []
""",
        hidden="""
def test_one_flower():
    assert bouquets(["rose"], 4) == [("rose",) * 4]


def test_number_of_bouquets():
    assert len(bouquets("abcd", 3)) == 20
    assert len(set(bouquets("abcd", 3))) == 20


def test_against_itertools():
    from itertools import combinations_with_replacement
    for stems in range(5):
        expected = list(combinations_with_replacement("xyz", stems))
        assert bouquets("xyz", stems) == expected


def test_cheapest_first():
    prices = {"aster": 4, "broom": 1, "clover": 2}
    assert affordable(prices, 3, 5) == [
        ("broom", "broom", "broom"),
        ("broom", "broom", "clover"),
        ("broom", "clover", "clover"),
    ]


def test_no_flowers():
    assert bouquets([], 2) == []
""",
    ),
    # ---------------------------------------------------------------- strings
    Program(
        name="knitting_row",
        code='''"""Read the rows of a knitting pattern."""


def read_row(text):
    """Split a row such as "k2p3 yo k10" into (stitch, count) pairs.

    A stitch is a run of letters, followed by a count of one or more
    digits; without digits the count is 1.  Stitches may be separated by
    blanks.  Upper and lower case are the same.  ValueError is raised for
    other characters and for a count that follows no stitch.
    """
    stitches = []
    name = digits = ""
    for char in text.lower():
        if char.isalpha() and not digits:
            name += char
        elif char.isdigit() and name:
            digits += char
        elif char.isspace() or char.isalpha():
            if name:
                stitches.append((name, int(digits or 1)))
            name, digits = char.strip(), ""
        else:
            raise ValueError(f"cannot read {char!r} in {text!r}")
    return stitches


def row_width(text):
    """Return the number of stitches in the row."""
    return sum(count for _, count in read_row(text))
''',
        wrong="in text.lower():",
        right='in text.lower() + " ":',
        visible="""
def test_row_with_blanks():
    assert read_row("k2 p3 yo ") == [("k", 2), ("p", 3), ("yo", 1)]


def test_row_without_blanks():
    assert read_row("K2P10") == [("k", 2), ("p", 10)]


def test_empty_row():
    assert read_row("") == []


def test_width():
    assert row_width("k2 p12 yo k") == 16


def test_bad_rows():
    with pytest.raises(ValueError):
        read_row("2k")
    with pytest.raises(ValueError):
        read_row("k2, p2")
""",
        hidden="""
def test_single_stitch():
    assert read_row("yo") == [("yo", 1)]
    assert read_row("k112") == [("k", 112)]


def test_last_stitch_after_blank():
    assert read_row("  sl1   ssk") == [("sl", 1), ("ssk", 1)]


def test_trailing_blanks_add_nothing():
    assert read_row("k1 p1  \\n") == [("k", 1), ("p", 1)]
    assert read_row("   ") == []


def test_count_after_blank():
    with pytest.raises(ValueError):
        read_row("k 2")


def test_width_of_compact_row():
    assert row_width("k2p3k4") == 9
""",
    ),
    Program(
        name="shelf_order",
        code='''"""Sort the titles of a travelling library for the shelf."""

ARTICLES = ("the", "an", "a")


def shelf_key(title):
    """Return the text by which a title is sorted.

    Upper and lower case are the same and a leading article does not
    count, unless the title consists of nothing else.
    """
    key = " ".join(title.lower().split())
    for article in ARTICLES:
        start = article + " "
        if key.startswith(start):
            return key.lstrip(start)
    return key


def shelf_order(titles):
    """Return the titles in the order in which they stand on the shelf."""
    return sorted(titles, key=shelf_key)


def letter_tabs(titles):
    """Return {letter: titles on the shelf under that letter}."""
    tabs = {}
    for title in shelf_order(titles):
        tabs.setdefault(shelf_key(title)[0].upper(), []).append(title)
    return tabs
''',
        wrong="key.lstrip(start)",
        right="key.removeprefix(start)",
        visible="""
def test_key_is_lower_case():
    assert shelf_key("Moby  Dick") == "moby dick"


def test_article_is_dropped():
    assert shelf_key("The Odyssey") == "odyssey"
    assert shelf_key("A Room with a View") == "room with a view"


def test_article_before_similar_letters():
    assert shelf_key("The Hearth and the Sea") == "hearth and the sea"


def test_article_only():
    assert shelf_key("The") == "the"
    assert shelf_key("Anthem") == "anthem"


def test_tabs():
    assert letter_tabs(["The Eel", "Dune", "a dune walk"]) == {
        "D": ["Dune", "a dune walk"], "E": ["The Eel"]}
""",
        hidden="""
def test_an_before_n_and_a():
    assert shelf_key("An Antarctic Night") == "antarctic night"
    assert shelf_key("a anna") == "anna"


def test_the_before_t_h_e():
    assert shelf_key("The Tether") == "tether"
    assert shelf_key("The Ethics of Tea") == "ethics of tea"


def test_only_one_article_is_dropped():
    assert shelf_key("The A to Z") == "a to z"
    assert shelf_key("The The") == "the"


def test_order():
    titles = ["The Hat", "Gate", "An Apple", "The Egg", "Ink"]
    assert shelf_order(titles) == ["An Apple", "The Egg", "Gate", "The Hat", "Ink"]
""",
    ),
    Program(
        name="plant_labels",
        code='''"""Lay out the labels of a botanical garden."""


def wrap_label(text, width):
    """Break the text into lines of at most `width` characters.

    Words are separated by single blanks, each line takes as many words as
    fit.  A word that is longer than the width gets a line of its own.
    """
    lines = []
    line = ""
    for word in text.split():
        if line and len(line) + len(word) > width:
            lines.append(line)
            line = word
        elif line:
            line = line + " " + word
        else:
            line = word
    if line:
        lines.append(line)
    return lines


def framed(text, width):
    """Return the label with a frame, its lines centred within the width."""
    edge = "+" + "-" * (width + 2) + "+"
    rows = [f"| {line.center(width)} |" for line in wrap_label(text, width)]
    return "\\n".join([edge, *rows, edge])
''',
        wrong="len(line) + len(word) > width",
        right="len(line) + 1 + len(word) > width",
        visible="""
def test_short_text():
    assert wrap_label("Acer rubrum", 20) == ["Acer rubrum"]


def test_empty_text():
    assert wrap_label("   ", 10) == []


def test_several_lines():
    assert wrap_label("native to the coast of Chile", 10) == [
        "native to", "the coast", "of Chile"]


def test_no_line_is_too_long():
    assert wrap_label("Rosa canina", 10) == ["Rosa", "canina"]


def test_frame():
    assert framed("Acer", 6) == "+--------+\\n|  Acer  |\\n+--------+"
""",
        hidden="""
def test_exact_fit():
    assert wrap_label("Rosa canina", 11) == ["Rosa canina"]
    assert wrap_label("ab cd ef", 5) == ["ab cd", "ef"]


def test_lines_keep_within_width():
    text = "a bb ccc dd e ff ggg h iii jj k lll m nn o"
    for width in range(3, 15):
        lines = wrap_label(text, width)
        assert all(len(line) <= width for line in lines)
        assert " ".join(lines) == text


def test_lines_are_filled():
    text = "a bb ccc dd e ff ggg h iii jj k lll m nn o"
    for width in range(3, 15):
        lines = wrap_label(text, width)
        for line, following in zip(lines, lines[1:]):
            assert len(line) + 1 + len(following.split()[0]) > width


def test_long_word():
    assert wrap_label("a Metasequoia b", 5) == ["a", "Metasequoia", "b"]
""",
    ),
    Program(
        name="lyric_sheets",
        code='''"""Compare two versions of a lyric sheet for a choir."""
import itertools


def changed_lines(old, new):
    """Return (line number, old line, new line) for each line that differs.

    The arguments are lists of lines; numbers start at 1.  Blanks at the
    end of a line make no difference.  Where one sheet is longer, the
    missing line of the other counts as an empty one.
    """
    changes = []
    pairs = zip(old, new)
    for number, (before, after) in enumerate(pairs, start=1):
        if before.rstrip() != after.rstrip():
            changes.append((number, before.rstrip(), after.rstrip()))
    return changes


def side_by_side(old, new):
    """Return a text that shows the changed lines next to each other."""
    changes = changed_lines(old, new)
    width = max(map(len, itertools.chain(old, new)), default=0)
    rows = [f"{number:>3} {before:<{width}} | {after}"
            for number, before, after in changes]
    return "\\n".join(rows)
''',
        wrong="zip(old, new)",
        right='itertools.zip_longest(old, new, fillvalue="")',
        visible="""
def test_equal_sheets():
    assert changed_lines(["la la", "lo"], ["la la", "lo"]) == []


def test_changed_line():
    assert changed_lines(["la la", "lo"], ["la la", "li"]) == [(2, "lo", "li")]


def test_added_verse():
    old = ["la la"]
    new = ["la la", "fa la", "do re"]
    assert changed_lines(old, new) == [(2, "", "fa la"), (3, "", "do re")]


def test_blanks_at_the_end():
    assert changed_lines(["la "], ["la"]) == []


def test_text():
    assert side_by_side(["la", "lo lo"], ["le", "lo lo"]) == "  1 la    | le"
""",
        hidden="""
def test_removed_lines():
    assert changed_lines(["a", "b", "c"], ["a"]) == [(2, "b", ""), (3, "c", "")]


def test_added_empty_line_is_no_change():
    assert changed_lines(["a"], ["a", "  "]) == []


def test_from_nothing():
    assert changed_lines([], ["a"]) == [(1, "", "a")]
    assert changed_lines(["a"], []) == [(1, "a", "")]
    assert changed_lines([], []) == []


def test_text_with_added_line():
    assert side_by_side(["abc"], ["abc", "de"]) == "  2     | de"
    assert side_by_side([], []) == ""
""",
    ),
    # ---------------------------------------------------------------- arithmetic
    Program(
        name="harvest_shares",
        code='''"""Pay out the proceeds of an orchard co-operative."""


def payouts(cents, shares):
    """Divide an amount in whole cents in proportion to the shares.

    `shares` maps each member to a positive whole number.  Everybody first
    gets their part rounded down.  The cents left over go, one each, to
    the members who lost most by the rounding; of members who lost the
    same, those who come first in `shares` are served first.
    """
    whole = sum(shares.values())
    result = {}
    lost = {}
    for member, share in shares.items():
        result[member], lost[member] = divmod(cents * share, whole)
    left = cents - sum(result.values())
    for member in sorted(shares, key=lambda m: lost[m])[:left]:
        result[member] += 1
    return result


def statement(cents, shares):
    """Return one line for each member, such as "Ida 12.50", by name."""
    parts = payouts(cents, shares)
    return [f"{member} {part // 100}.{part % 100:02d}"
            for member, part in sorted(parts.items())]
''',
        wrong="key=lambda m: lost[m]",
        right="key=lambda m: -lost[m]",
        visible="""
def test_even_division():
    assert payouts(900, {"Ida": 1, "Ole": 2}) == {"Ida": 300, "Ole": 600}


def test_equal_shares():
    assert payouts(100, {"Ida": 1, "Ole": 1, "Uwe": 1}) == {
        "Ida": 34, "Ole": 33, "Uwe": 33}


def test_greatest_loss_is_served():
    assert payouts(100, {"Ida": 5, "Ole": 7, "Uwe": 3}) == {
        "Ida": 33, "Ole": 47, "Uwe": 20}


def test_nothing_is_lost():
    assert sum(payouts(12347, {"Ida": 3, "Ole": 11, "Uwe": 5}).values()) == 12347


def test_statement():
    assert statement(1505, {"Ole": 1, "Ida": 4}) == ["Ida 12.04", "Ole 3.01"]
""",
        hidden="""
def test_losses_decide():
    # exact parts: 1.25, 2.5, 6.25
    assert payouts(10, {"a": 1, "b": 2, "c": 5}) == {"a": 1, "b": 3, "c": 6}


def test_two_cents_left():
    # exact parts: 0.75, 0.75, 0.5, 1.0
    assert payouts(3, {"a": 2, "b": 3, "c": 3, "d": 4}) == {
        "a": 0, "b": 1, "c": 1, "d": 1}


def test_first_come_first_served():
    assert payouts(5, {"z": 1, "a": 1, "m": 1}) == {"z": 2, "a": 2, "m": 1}


def test_no_part_is_off_by_a_cent():
    shares = {"a": 13, "b": 7, "c": 29, "d": 1}
    for cents in range(0, 200, 7):
        parts = payouts(cents, shares)
        assert sum(parts.values()) == cents
        for member, share in shares.items():
            assert abs(parts[member] - cents * share / 50) < 1
""",
    ),
    Program(
        name="cold_store",
        code='''"""Temperature reports of a cold store, for customers abroad."""


def to_fahrenheit(celsius):
    return celsius * 9 / 5 + 32


def daily_report(readings):
    """Sum up the Celsius readings of a day, in degrees Fahrenheit.

    The report has the lowest and the highest temperature ("low", "high"),
    the mean ("mean") and by how many degrees Fahrenheit the temperature
    varied during the day ("spread").
    """
    if not readings:
        raise ValueError("no readings")
    low, high = min(readings), max(readings)
    return {
        "low": to_fahrenheit(low),
        "high": to_fahrenheit(high),
        "mean": to_fahrenheit(sum(readings) / len(readings)),
        "spread": to_fahrenheit(high - low),
    }


def is_steady(readings, tolerance):
    """Tell whether the day's spread is within the tolerance (Fahrenheit)."""
    return daily_report(readings)["spread"] <= tolerance
''',
        wrong="to_fahrenheit(high - low)",
        right="to_fahrenheit(high) - to_fahrenheit(low)",
        visible="""
def test_conversion():
    assert to_fahrenheit(0) == 32
    assert to_fahrenheit(100) == 212
    assert to_fahrenheit(-40) == -40


def test_low_high_mean():
    report = daily_report([-10, 0, 10])
    assert report["low"] == pytest.approx(14)
    assert report["high"] == pytest.approx(50)
    assert report["mean"] == pytest.approx(32)


def test_spread():
    assert daily_report([-5, 0, 5])["spread"] == pytest.approx(18)


def test_no_readings():
    with pytest.raises(ValueError):
        daily_report([])


def test_unsteady_day():
    assert not is_steady([-20, 20], 5)
""",
        hidden="""
def test_constant_temperature():
    assert daily_report([4, 4, 4])["spread"] == pytest.approx(0)
    assert is_steady([4, 4, 4], 0.5)


def test_spread_below_zero():
    assert daily_report([-30, -20])["spread"] == pytest.approx(18)


def test_spread_matches_low_and_high():
    for readings in ([1, 2, 7], [-3.5, 12], [40]):
        report = daily_report(readings)
        assert report["spread"] == pytest.approx(report["high"] - report["low"])


def test_steady_limit():
    assert is_steady([0, 5], 9.001)
    assert not is_steady([0, 5], 8.9)
""",
    ),
    Program(
        name="flea_market",
        code='''"""The till of a flea market."""


def to_cents(tag):
    """Return the price on a tag, such as "4.50" or "12", in whole cents.

    A currency sign and blanks around the price are allowed.  ValueError is
    raised for tags that have no readable price and for negative prices.
    """
    price = float(tag.strip().strip("$").strip())
    if price < 0:
        raise ValueError(f"negative price: {tag!r}")
    return int(price * 100)


def total(tags):
    """Return the sum of the tags in cents."""
    return sum(to_cents(tag) for tag in tags)


def settle(tags, fee_percent):
    """Return what the seller and the market get, in cents.

    The fee of the market is rounded down to the whole cent.
    """
    cents = total(tags)
    fee = cents * fee_percent // 100
    return cents - fee, fee
''',
        wrong="int(price * 100)",
        right="round(price * 100)",
        visible="""
def test_plain_tags():
    assert to_cents("4.50") == 450
    assert to_cents("12") == 1200


def test_tag_with_sign():
    assert to_cents(" $ 3.25 ") == 325


def test_odd_price():
    assert to_cents("19.99") == 1999


def test_total():
    assert total(["0.50", "2.25", "10"]) == 1275
    assert total([]) == 0


def test_negative_price():
    with pytest.raises(ValueError):
        to_cents("-1.00")


def test_settle():
    assert settle(["10.00", "5.50"], 10) == (1395, 155)
""",
        hidden="""
def test_every_price_up_to_fifty():
    for cents in range(5000):
        assert to_cents(f"{cents // 100}.{cents % 100:02d}") == cents


def test_total_of_odd_prices():
    assert total(["0.29", "1.13", "4.35", "8.20"]) == 29 + 113 + 435 + 820


def test_settle_odd_prices():
    assert settle(["0.57", "0.58"], 50) == (58, 57)


def test_unreadable_tag():
    with pytest.raises(ValueError):
        to_cents("gratis")
""",
    ),
    Program(
        name="water_tariff",
        code='''"""Water bills of an island community."""

# upper end of the block in cubic metres, cents per cubic metre
BLOCKS = (
    (10, 120),
    (30, 180),
    (None, 260),
)
STANDING_CHARGE = 500


def water_charge(usage):
    """Return the price of the water in cents, without the standing charge.

    The first 10 cubic metres are charged at 120 cents each, those from
    there up to 30 at 180 cents each and all beyond at 260 cents each.
    """
    if usage < 0:
        raise ValueError("usage must not be negative")
    charge = 0
    lower = 0
    for upper, rate in BLOCKS:
        if usage <= lower:
            break
        top = usage if upper is None else min(usage, upper)
        charge += (usage - lower) * rate
        lower = upper
    return charge


def bill(previous, current):
    """Return the bill in cents between two readings of the meter."""
    return STANDING_CHARGE + water_charge(current - previous)
''',
        wrong="(usage - lower) * rate",
        right="(top - lower) * rate",
        visible="""
def test_no_usage():
    assert water_charge(0) == 0
    assert bill(40, 40) == 500


def test_first_block():
    assert water_charge(7) == 840
    assert water_charge(10) == 1200


def test_second_block():
    assert water_charge(15) == 1200 + 5 * 180


def test_third_block():
    assert water_charge(32) == 1200 + 20 * 180 + 2 * 260


def test_negative_usage():
    with pytest.raises(ValueError):
        bill(50, 49)
""",
        hidden="""
def test_block_ends():
    assert water_charge(30) == 4800
    assert water_charge(31) == 5060
    assert water_charge(11) == 1380


def test_large_usage():
    assert water_charge(1030) == 4800 + 260000


def test_each_cubic_metre_adds_its_rate():
    for usage in range(60):
        step = water_charge(usage + 1) - water_charge(usage)
        assert step == (120 if usage < 10 else 180 if usage < 30 else 260)


def test_bill():
    assert bill(100, 120) == 500 + 1200 + 1800
""",
    ),
    # ---------------------------------------------------------------- graphs, grids
    Program(
        name="lagoon_map",
        code='''"""Find sheltered water on the map of a lagoon."""

WATER = "~"
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def pool_size(chart, row, col):
    """Return how many fields of water hang together with the given one.

    The chart is a list of equally long strings, in which "~" is water and
    everything else is land.  Fields hang together if they share a side.
    The answer is 0 if the given field is land.
    """
    if chart[row][col] != WATER:
        return 0
    seen = {(row, col)}
    pending = [(row, col)]
    while pending:
        row, col = pending.pop()
        for down, right in STEPS:
            r, c = row + down, col + right
            if not (0 <= r < len(chart) and 0 <= c < len(chart)):
                continue
            if chart[r][c] == WATER and (r, c) not in seen:
                seen.add((r, c))
                pending.append((r, c))
    return len(seen)


def largest_pool(chart):
    """Return the size of the largest pool of the chart, 0 if it is dry."""
    sizes = [pool_size(chart, r, c)
             for r, line in enumerate(chart) for c in range(len(line))]
    return max(sizes, default=0)
''',
        wrong="0 <= c < len(chart))",
        right="0 <= c < len(chart[r]))",
        visible="""
def test_land():
    assert pool_size(["#~", "##"], 0, 0) == 0


def test_square_chart():
    chart = ["~~#",
             "#~#",
             "~#~"]
    assert pool_size(chart, 0, 0) == 3
    assert pool_size(chart, 2, 2) == 1


def test_wide_chart():
    chart = ["~~~~~",
             "###~#"]
    assert pool_size(chart, 0, 0) == 6


def test_largest_pool():
    assert largest_pool(["~#", "~#"]) == 2
    assert largest_pool(["##", "##"]) == 0


def test_empty_chart():
    assert largest_pool([]) == 0
""",
        hidden="""
def test_tall_chart():
    assert pool_size(["~#", "~~", "#~", "~~"], 0, 0) == 6
    assert pool_size(["~", "~", "~", "#", "~"], 0, 0) == 3


def test_single_line():
    assert pool_size(["~~~#~~"], 0, 1) == 3
    assert pool_size(["~~~#~~"], 0, 5) == 2


def test_largest_in_wide_chart():
    chart = ["~#~~~~",
             "~##~~#"]
    assert largest_pool(chart) == 6


def test_diagonal_does_not_count():
    assert largest_pool(["~#~#", "#~#~"]) == 1
""",
    ),
    Program(
        name="tram_trip",
        code='''"""Travel times in the tram network of a small town."""
import heapq

CHANGE_MINUTES = 4


def trip_minutes(rides, start, goal):
    """Return the shortest time from one stop to another, None if no way.

    `rides` lists (line, stop, next stop, minutes); each ride is possible
    in both directions.  Every change from one line to another takes
    another 4 minutes.  There is no waiting before the first tram.
    """
    reachable = {}
    for line, one, other, minutes in rides:
        reachable.setdefault(one, []).append((other, line, minutes))
        reachable.setdefault(other, []).append((one, line, minutes))

    pending = [(0, start, "")]
    done = set()
    while pending:
        time, stop, line = heapq.heappop(pending)
        if stop == goal:
            return time
        if (stop, line) in done:
            continue
        done.add((stop, line))
        for following, other_line, minutes in reachable.get(stop, ()):
            arrival = time + minutes
            if other_line != line:
                arrival += CHANGE_MINUTES
            heapq.heappush(pending, (arrival, following, other_line))
    return None
''',
        wrong="if other_line != line:",
        right="if line and other_line != line:",
        visible="""
RIDES = [
    ("1", "Mill", "Market", 5),
    ("1", "Market", "Church", 3),
    ("2", "Market", "Docks", 6),
    ("3", "Mill", "Docks", 20),
]


def test_same_stop():
    assert trip_minutes(RIDES, "Mill", "Mill") == 0


def test_along_a_line():
    assert trip_minutes(RIDES, "Mill", "Church") == 8


def test_with_a_change():
    assert trip_minutes(RIDES, "Docks", "Church") == 13


def test_no_way():
    assert trip_minutes(RIDES, "Mill", "Airport") is None
    assert trip_minutes([], "Mill", "Docks") is None
""",
        hidden="""
def test_staying_on_a_slower_line():
    rides = [("1", "A", "B", 5), ("2", "B", "C", 4), ("1", "B", "C", 7)]
    assert trip_minutes(rides, "A", "C") == 12


def test_two_changes():
    rides = [("1", "A", "B", 2), ("2", "B", "C", 2), ("3", "C", "D", 2)]
    assert trip_minutes(rides, "A", "D") == 14
    assert trip_minutes(rides, "D", "A") == 14


def test_change_is_worth_while():
    rides = [("1", "A", "B", 5), ("1", "B", "C", 30), ("2", "B", "C", 10)]
    assert trip_minutes(rides, "A", "C") == 19


def test_first_tram_of_either_line():
    rides = [("2", "A", "B", 9), ("7", "A", "B", 6)]
    assert trip_minutes(rides, "A", "B") == 6
    assert trip_minutes(rides, "B", "A") == 6
""",
    ),
    Program(
        name="rehearsal_order",
        code='''"""In which order a brass band learns its pieces."""
import heapq


def learning_order(requires):
    """Return all pieces in an order in which they can be learned.

    `requires` maps a piece to the pieces that should be known before.
    Easy pieces may appear only among the requirements of others; they
    belong to the order as well.  Where there is a choice, the order is
    alphabetical.  ValueError is raised if pieces require each other.
    """
    pieces = set(requires)
    missing = {piece: set(requires.get(piece, ())) for piece in pieces}
    ready = [piece for piece in pieces if not missing[piece]]
    heapq.heapify(ready)
    order = []
    while ready:
        piece = heapq.heappop(ready)
        order.append(piece)
        for other in pieces:
            if piece in missing[other]:
                missing[other].remove(piece)
                if not missing[other]:
                    heapq.heappush(ready, other)
    if len(order) < len(pieces):
        raise ValueError("some pieces require each other")
    return order
''',
        wrong="pieces = set(requires)",
        right="pieces = set(requires).union(*requires.values())",
        visible="""
def test_nothing_to_learn():
    assert learning_order({}) == []


def test_chain():
    requires = {"march": ["waltz"], "waltz": ["scale"], "scale": []}
    assert learning_order(requires) == ["scale", "waltz", "march"]


def test_alphabetical_choice():
    assert learning_order({"polka": [], "hymn": [], "carol": []}) == [
        "carol", "hymn", "polka"]


def test_piece_that_is_only_required():
    assert learning_order({"march": ["scale"]}) == ["scale", "march"]


def test_pieces_that_require_each_other():
    with pytest.raises(ValueError):
        learning_order({"a": ["b"], "b": ["a"]})
""",
        hidden="""
def test_several_easy_pieces():
    requires = {"m": ["z", "b"], "k": ["b"], "a": ["m"]}
    assert learning_order(requires) == ["b", "k", "z", "m", "a"]


def test_repeated_requirement():
    assert learning_order({"a": ["b", "b"], "c": ["b"]}) == ["b", "a", "c"]


def test_loop_next_to_easy_pieces():
    with pytest.raises(ValueError):
        learning_order({"a": ["b", "x"], "b": ["a"]})
    with pytest.raises(ValueError):
        learning_order({"a": ["a"]})


def test_argument_is_left_alone():
    requires = {"a": ["b"]}
    learning_order(requires)
    assert requires == {"a": ["b"]}
""",
    ),
    Program(
        name="tide_gauge",
        code='''"""Look up the readings of a tide gauge."""
import bisect


class TideGauge:
    """Readings of the water level, by the minute since the start of the day.

    Minutes must be added in increasing order.
    """

    def __init__(self):
        self._minutes = []
        self._levels = []

    def record(self, minute, level):
        if self._minutes and minute <= self._minutes[-1]:
            raise ValueError("readings must be in order of time")
        self._minutes.append(minute)
        self._levels.append(level)

    def level_at(self, minute):
        """Return the level last read at or before the minute, None if none."""
        after = bisect.bisect_left(self._minutes, minute)
        return self._levels[after - 1] if after else None

    def first_above(self, level, since=0):
        """Return the first minute from `since` on with a higher level."""
        start = bisect.bisect_left(self._minutes, since)
        for index in range(start, len(self._minutes)):
            if self._levels[index] > level:
                return self._minutes[index]
        return None
''',
        wrong="bisect.bisect_left(self._minutes, minute)",
        right="bisect.bisect_right(self._minutes, minute)",
        visible="""
def gauge():
    result = TideGauge()
    for minute, level in ((10, 120), (40, 150), (70, 145)):
        result.record(minute, level)
    return result


def test_between_readings():
    assert gauge().level_at(50) == 150
    assert gauge().level_at(500) == 145


def test_at_a_reading():
    assert gauge().level_at(40) == 150


def test_before_the_first_reading():
    assert gauge().level_at(5) is None
    assert TideGauge().level_at(5) is None


def test_first_above():
    assert gauge().first_above(140) == 40
    assert gauge().first_above(140, since=41) == 70
    assert gauge().first_above(150) is None


def test_order_of_time():
    result = gauge()
    with pytest.raises(ValueError):
        result.record(70, 100)
""",
        hidden="""
def test_at_the_first_and_last_reading():
    result = TideGauge()
    result.record(0, 77)
    assert result.level_at(0) == 77
    result.record(1, 78)
    assert result.level_at(0) == 77
    assert result.level_at(1) == 78


def test_each_minute():
    result = TideGauge()
    for minute in range(0, 60, 3):
        result.record(minute, minute * 10)
    for minute in range(60):
        assert result.level_at(minute) == minute // 3 * 30


def test_first_above_includes_since():
    result = TideGauge()
    result.record(5, 10)
    result.record(9, 20)
    assert result.first_above(5, since=5) == 5
    assert result.first_above(5, since=6) == 9
""",
    ),
    # ---------------------------------------------------------------- state machines
    Program(
        name="photo_booth",
        code='''"""The coin control of a photo booth."""

COINS = (10, 20, 50, 100, 200)


class PhotoBooth:
    """Collects coins until the price is reached, then takes the photos.

    The states are "idle" (no money in it), "paying" and "ready".  Money
    beyond the price is given back as change when the photos are taken.
    """

    def __init__(self, price):
        self.price = price
        self.credit = 0
        self.earned = 0

    @property
    def state(self):
        if self.credit >= self.price:
            return "ready"
        return "paying" if self.credit else "idle"

    def insert(self, coin):
        if coin not in COINS:
            raise ValueError(f"unknown coin: {coin}")
        self.credit += coin

    def shoot(self):
        """Take the photos and return the change."""
        if self.state != "ready":
            raise RuntimeError("not paid yet")
        change = self.credit - self.price
        self.earned += self.price
        self.credit = 0
        return change

    def cancel(self):
        """Give back the money that was put in, and return to idle."""
        refund = self.credit
        return refund
''',
        wrong="""        refund = self.credit
""",
        right="""        refund = self.credit
        self.credit = 0
""",
        visible="""
def test_paying():
    booth = PhotoBooth(150)
    assert booth.state == "idle"
    booth.insert(100)
    assert booth.state == "paying"
    booth.insert(50)
    assert booth.state == "ready"


def test_change():
    booth = PhotoBooth(150)
    booth.insert(200)
    assert booth.shoot() == 50
    assert booth.earned == 150
    assert booth.state == "idle"


def test_cancel():
    booth = PhotoBooth(150)
    booth.insert(100)
    assert booth.cancel() == 100
    assert booth.state == "idle"


def test_not_paid():
    booth = PhotoBooth(150)
    booth.insert(100)
    with pytest.raises(RuntimeError):
        booth.shoot()


def test_unknown_coin():
    with pytest.raises(ValueError):
        PhotoBooth(150).insert(5)
""",
        hidden="""
def test_cancel_twice():
    booth = PhotoBooth(150)
    booth.insert(50)
    booth.insert(20)
    assert booth.cancel() == 70
    assert booth.cancel() == 0


def test_next_customer_starts_afresh():
    booth = PhotoBooth(150)
    booth.insert(100)
    booth.cancel()
    booth.insert(100)
    assert booth.state == "paying"
    with pytest.raises(RuntimeError):
        booth.shoot()
    assert booth.earned == 0


def test_cancel_when_ready():
    booth = PhotoBooth(100)
    booth.insert(200)
    assert booth.cancel() == 200
    with pytest.raises(RuntimeError):
        booth.shoot()


def test_earnings_survive_cancel():
    booth = PhotoBooth(100)
    booth.insert(100)
    booth.shoot()
    booth.insert(50)
    assert booth.cancel() == 50
    assert booth.earned == 100
""",
    ),
    Program(
        name="kiln_control",
        code='''"""Temperature control of a pottery kiln."""


class KilnControl:
    """Switches the burner of a kiln.

    The burner is switched on when the temperature is below `low` and off
    when it is above `high`.  In between it stays as it is, so that it is
    not switched all the time.  It is off at first.
    """

    def __init__(self, low, high):
        if low >= high:
            raise ValueError("low must be less than high")
        self.low = low
        self.high = high
        self.burning = False
        self.switched = 0

    def update(self, temperature):
        """Take note of a new temperature; return whether the burner is on."""
        if temperature < self.low:
            wanted = True
        elif temperature > self.high:
            wanted = False
        else:
            wanted = False
        if wanted != self.burning:
            self.burning = wanted
            self.switched += 1
        return self.burning

    def run(self, temperatures):
        """Return the states of the burner for a series of temperatures."""
        return [self.update(temperature) for temperature in temperatures]
''',
        wrong="""        else:
            wanted = False""",
        right="""        else:
            wanted = self.burning""",
        visible="""
def test_cold_kiln_is_heated():
    assert KilnControl(900, 950).update(20) is True


def test_hot_kiln_is_left_alone():
    kiln = KilnControl(900, 950)
    assert kiln.update(980) is False
    assert kiln.switched == 0


def test_burner_stays_on_in_between():
    kiln = KilnControl(900, 950)
    assert kiln.run([850, 920, 940, 960]) == [True, True, True, False]


def test_burner_stays_off_in_between():
    kiln = KilnControl(900, 950)
    assert kiln.run([960, 930, 910]) == [False, False, False]


def test_limits_are_checked():
    with pytest.raises(ValueError):
        KilnControl(950, 950)
""",
        hidden="""
def test_full_cycle():
    kiln = KilnControl(900, 950)
    states = kiln.run([890, 905, 949, 951, 930, 901, 899, 925])
    assert states == [True, True, True, False, False, False, True, True]
    assert kiln.switched == 3


def test_limits_count_as_in_between():
    kiln = KilnControl(900, 950)
    assert kiln.run([899, 900, 950, 951, 950, 900]) == [
        True, True, True, False, False, False]


def test_first_reading_in_between():
    kiln = KilnControl(900, 950)
    assert kiln.update(925) is False
    assert kiln.switched == 0
""",
    ),
    Program(
        name="ferry_queue",
        code='''"""The queue at the pier of a small ferry."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Party:
    name: str
    size: int


class Pier:
    """Parties board together or not at all."""

    def __init__(self):
        self.waiting = []

    def arrive(self, name, size):
        self.waiting.append(Party(name, size))

    def board(self, seats):
        """Fill a ferry and return the names of the parties that board.

        The parties are asked in the order of their arrival.  Each boards
        if the seats that are still free are enough for it; otherwise it
        goes on waiting at its place, and the next one is asked.
        """
        boarded = []
        for party in self.waiting:
            if party.size <= seats:
                seats -= party.size
                self.waiting.remove(party)
                boarded.append(party.name)
        return boarded

    def people(self):
        """Number of people who are waiting."""
        return sum(party.size for party in self.waiting)
''',
        wrong="for party in self.waiting:\n            if",
        right="for party in list(self.waiting):\n            if",
        visible="""
def test_one_party():
    pier = Pier()
    pier.arrive("Dahl", 3)
    assert pier.board(5) == ["Dahl"]
    assert pier.people() == 0


def test_party_that_does_not_fit():
    pier = Pier()
    pier.arrive("Dahl", 6)
    assert pier.board(5) == []
    assert pier.people() == 6


def test_all_board():
    pier = Pier()
    for name in ("Dahl", "Berg", "Lund"):
        pier.arrive(name, 2)
    assert pier.board(10) == ["Dahl", "Berg", "Lund"]


def test_smaller_party_moves_up():
    pier = Pier()
    pier.arrive("Dahl", 6)
    pier.arrive("Berg", 2)
    assert pier.board(4) == ["Berg"]
    assert [party.name for party in pier.waiting] == ["Dahl"]


def test_empty_pier():
    assert Pier().board(10) == []
""",
        hidden="""
def test_order_is_kept():
    pier = Pier()
    for name, size in (("a", 4), ("b", 3), ("c", 5), ("d", 1), ("e", 2)):
        pier.arrive(name, size)
    assert pier.board(8) == ["a", "b", "d"]
    assert [party.name for party in pier.waiting] == ["c", "e"]
    assert pier.board(7) == ["c", "e"]
    assert pier.waiting == []


def test_first_come_first_served():
    pier = Pier()
    pier.arrive("a", 2)
    pier.arrive("b", 2)
    pier.arrive("c", 2)
    assert pier.board(4) == ["a", "b"]
    assert pier.people() == 2


def test_single_travellers():
    pier = Pier()
    for number in range(9):
        pier.arrive(str(number), 1)
    assert pier.board(6) == list("012345")
    assert pier.board(6) == list("678")
""",
    ),
    Program(
        name="rope_tow",
        code='''"""Counters at the rope tows of a ski hill."""


class TowCounter:
    """Counts the riders of a day, and those for whom there was no room."""

    def __init__(self, limit):
        self.limit = limit
        self.riders = 0
        self.refused = 0

    def board(self, people):
        """Let a group ride if the day's limit allows; tell whether it did."""
        if self.riders + people > self.limit:
            self.refused += people
            return False
        self.riders += people
        return True

    def new_day(self):
        """Begin a new day with all counts at zero."""
        self.riders = 0
        self.refused = 0


class NightTowCounter(TowCounter):
    """Also counts the lamps that are out: each group gets one."""

    def __init__(self, limit, lamps):
        super().__init__(limit)
        self.lamps = lamps
        self.lent = 0

    def board(self, people):
        if self.lent == self.lamps:
            self.refused += people
            return False
        boarded = super().board(people)
        if boarded:
            self.lent += 1
        return boarded

    def new_day(self):
        self.lent = 0
''',
        wrong="""    def new_day(self):
        self.lent = 0
""",
        right="""    def new_day(self):
        super().new_day()
        self.lent = 0
""",
        visible="""
def test_limit():
    tow = TowCounter(10)
    assert tow.board(6)
    assert not tow.board(5)
    assert (tow.riders, tow.refused) == (6, 5)


def test_new_day():
    tow = TowCounter(10)
    tow.board(6)
    tow.new_day()
    assert tow.riders == 0


def test_lamps():
    tow = NightTowCounter(100, 2)
    assert tow.board(3) and tow.board(4)
    assert not tow.board(1)
    assert (tow.riders, tow.refused, tow.lent) == (7, 1, 2)


def test_no_lamp_for_refused_group():
    tow = NightTowCounter(5, 2)
    assert not tow.board(6)
    assert tow.lent == 0


def test_new_night():
    tow = NightTowCounter(5, 2)
    tow.board(5)
    tow.new_day()
    assert tow.board(3)
    assert (tow.riders, tow.lent) == (3, 1)
""",
        hidden="""
def test_refused_count_of_new_night():
    tow = NightTowCounter(5, 1)
    tow.board(2)
    tow.board(2)
    assert tow.refused == 2
    tow.new_day()
    assert (tow.riders, tow.refused, tow.lent) == (0, 0, 0)


def test_three_nights():
    tow = NightTowCounter(4, 3)
    for _ in range(3):
        assert tow.board(2)
        assert tow.board(2)
        assert not tow.board(1)
        assert (tow.riders, tow.refused, tow.lent) == (4, 1, 2)
        tow.new_day()


def test_settings_survive_the_night():
    tow = NightTowCounter(4, 3)
    tow.new_day()
    assert (tow.limit, tow.lamps) == (4, 3)
""",
    ),
    # ---------------------------------------------------------------- intervals, calendars
    Program(
        name="rehearsal_room",
        code='''"""Find free times of a rehearsal room."""


def free_times(bookings, opens, closes):
    """Return the times at which nobody has the room, as (start, end) pairs.

    Times are minutes of the day.  The bookings are (start, end) pairs in
    any order; they may overlap, since ensembles can share the room.  Only
    the time between `opens` and `closes` counts, and all bookings lie
    within it.
    """
    free = []
    cursor = opens
    for start, end in sorted(bookings):
        if start > cursor:
            free.append((cursor, start))
        cursor = end
    if cursor < closes:
        free.append((cursor, closes))
    return free


def longest_free(bookings, opens, closes):
    """Return the longest free time (the first of equals), None if none."""
    free = free_times(bookings, opens, closes)
    return max(free, key=lambda span: span[1] - span[0], default=None)


def free_minutes(bookings, opens, closes):
    """Return for how many minutes nobody has the room."""
    return sum(end - start for start, end in free_times(bookings, opens, closes))
''',
        wrong="        cursor = end\n",
        right="        cursor = max(cursor, end)\n",
        visible="""
def test_no_bookings():
    assert free_times([], 480, 1200) == [(480, 1200)]


def test_gaps_between_bookings():
    bookings = [(600, 660), (480, 540)]
    assert free_times(bookings, 480, 720) == [(540, 600), (660, 720)]


def test_adjoining_bookings():
    assert free_times([(480, 600), (600, 720)], 480, 720) == []
    assert longest_free([(480, 720)], 480, 720) is None


def test_short_booking_within_a_long_one():
    bookings = [(500, 700), (550, 600)]
    assert free_times(bookings, 480, 720) == [(480, 500), (700, 720)]


def test_longest_free_time():
    assert longest_free([(500, 520), (600, 620)], 480, 640) == (520, 600)
""",
        hidden="""
def test_nothing_free_within_long_booking():
    bookings = [(0, 100), (10, 20), (30, 40), (90, 100)]
    assert free_times(bookings, 0, 100) == []
    assert free_minutes(bookings, 0, 100) == 0


def test_overlap_to_the_right():
    assert free_times([(10, 50), (30, 70)], 0, 100) == [(0, 10), (70, 100)]


def test_same_start():
    assert free_times([(10, 60), (10, 30), (70, 80)], 0, 100) == [
        (0, 10), (60, 70), (80, 100)]


def test_minutes_against_counting():
    bookings = [(5, 30), (7, 9), (12, 31), (40, 60), (41, 45), (50, 52)]
    taken = {m for start, end in bookings for m in range(start, end)}
    assert free_minutes(bookings, 0, 70) == 70 - len(taken)
""",
    ),
    Program(
        name="beehive_rent",
        code='''"""Due dates for the rent of beehives."""
import calendar
from datetime import date


def add_months(day, months):
    """Return the date a number of months (0 or more) after the given day.

    Where the month is too short the date is its last day: one month after
    January 31 is February 28 or 29.
    """
    month = day.month + months
    year = day.year + month // 12
    month = (month - 1) % 12 + 1
    last = calendar.monthrange(year, month)[1]
    return date(year, month, min(day.day, last))


def due_dates(first, count, every=3):
    """Return the dates of `count` instalments, `every` so many months.

    Each is reckoned from the first one, so that a rent that is due on the
    31st goes back to the 31st after a shorter month.
    """
    return [add_months(first, every * number) for number in range(count)]


def next_due(first, today, every=3):
    """Return the first due date which is today or later."""
    number = 0
    while add_months(first, every * number) < today:
        number += 1
    return add_months(first, every * number)
''',
        wrong="year = day.year + month // 12",
        right="year = day.year + (month - 1) // 12",
        visible="""
def test_within_the_year():
    assert add_months(date(2023, 3, 15), 4) == date(2023, 7, 15)


def test_into_the_next_year():
    assert add_months(date(2023, 11, 5), 3) == date(2024, 2, 5)


def test_short_month():
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)
    assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)


def test_quarterly_dates():
    assert due_dates(date(2023, 3, 31), 4) == [
        date(2023, 3, 31), date(2023, 6, 30), date(2023, 9, 30), date(2023, 12, 31)]


def test_next_due():
    assert next_due(date(2023, 1, 10), date(2023, 5, 2)) == date(2023, 7, 10)
    assert next_due(date(2023, 1, 10), date(2023, 4, 10)) == date(2023, 4, 10)
""",
        hidden="""
def test_december_to_december():
    assert add_months(date(2023, 12, 24), 0) == date(2023, 12, 24)
    assert add_months(date(2023, 12, 24), 12) == date(2024, 12, 24)
    assert add_months(date(2023, 12, 24), 1) == date(2024, 1, 24)


def test_each_month_follows_the_last():
    day = date(2021, 1, 1)
    months = [(d.year, d.month) for d in (add_months(day, n) for n in range(48))]
    assert months == [(year, m) for year in range(2021, 2025) for m in range(1, 13)]


def test_many_years():
    assert add_months(date(2020, 2, 29), 22) == date(2021, 12, 29)
    assert add_months(date(2020, 2, 29), 48) == date(2024, 2, 29)


def test_next_due_in_december():
    assert next_due(date(2023, 9, 1), date(2023, 10, 1)) == date(2023, 12, 1)
""",
    ),
    Program(
        name="canal_lock",
        code='''"""Passage times of barges on a canal."""
from datetime import datetime

FORMAT = "%Y-%m-%d %H:%M"


def passage_minutes(entered, left):
    """Return the whole minutes between two times, given as text.

    Times look like "2024-05-01 13:45".  ValueError is raised for a barge
    which left before it entered.
    """
    span = datetime.strptime(left, FORMAT) - datetime.strptime(entered, FORMAT)
    if span.days < 0:
        raise ValueError("left before entering")
    return span.seconds // 60


def as_text(minutes):
    """Return a span such as "2 h 05 min"; below one hour, "5 min"."""
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min"


def slowest(passages):
    """Return the name of the barge that took longest, with its time as text.

    `passages` lists (name, entered, left).
    """
    times = [(passage_minutes(entered, left), name) for name, entered, left in passages]
    minutes, name = max(times)
    return name, as_text(minutes)
''',
        wrong="return span.seconds // 60",
        right="return int(span.total_seconds()) // 60",
        visible="""
def test_short_passage():
    assert passage_minutes("2024-05-01 13:45", "2024-05-01 14:20") == 35


def test_past_midnight():
    assert passage_minutes("2024-05-01 23:30", "2024-05-02 01:00") == 90


def test_night_at_the_quay():
    assert passage_minutes("2024-05-01 08:00", "2024-05-02 09:30") == 1530


def test_left_before_entering():
    with pytest.raises(ValueError):
        passage_minutes("2024-05-01 13:45", "2024-05-01 13:44")


def test_text():
    assert as_text(125) == "2 h 05 min"
    assert as_text(59) == "59 min"


def test_slowest_barge():
    passages = [
        ("Anna", "2024-05-01 08:00", "2024-05-01 09:10"),
        ("Berta", "2024-05-01 08:30", "2024-05-01 09:00"),
    ]
    assert slowest(passages) == ("Anna", "1 h 10 min")
""",
        hidden="""
def test_exactly_one_day():
    assert passage_minutes("2024-02-28 12:00", "2024-02-29 12:00") == 1440


def test_many_days():
    assert passage_minutes("2024-02-27 12:00", "2024-03-02 12:01") == 4 * 1440 + 1


def test_no_time_at_all():
    assert passage_minutes("2024-02-27 12:00", "2024-02-27 12:00") == 0


def test_slowest_over_days():
    passages = [
        ("Anna", "2024-05-01 08:00", "2024-05-01 20:00"),
        ("Berta", "2024-05-01 08:00", "2024-05-02 08:05"),
    ]
    assert slowest(passages) == ("Berta", "24 h 05 min")
""",
    ),
    Program(
        name="night_kitchen",
        code='''"""Opening hours of street kitchens, some of them open past midnight."""
from dataclasses import dataclass


def minutes(clock):
    """Return the minute of the day for a time such as "18:30"."""
    hours, mins = clock.split(":")
    return int(hours) * 60 + int(mins)


@dataclass(frozen=True)
class Kitchen:
    """A kitchen that opens and closes at the same times every day.

    It is open from the opening time up to, but not including, the closing
    time.  If it closes at an earlier time than it opens, it is open past
    midnight.  With equal times it is open all day.
    """

    name: str
    opens: str
    closes: str

    def is_open(self, clock):
        now = minutes(clock)
        start, end = minutes(self.opens), minutes(self.closes)
        if start < end:
            return start <= now < end
        return start <= now and now < end


def open_kitchens(kitchens, clock):
    """Return the names of the kitchens that are open, in the order given."""
    return [kitchen.name for kitchen in kitchens if kitchen.is_open(clock)]
''',
        wrong="return start <= now and now < end",
        right="return start <= now or now < end",
        visible="""
def test_minutes():
    assert minutes("18:30") == 1110


def test_by_day():
    kitchen = Kitchen("Noodles", "11:00", "20:00")
    assert kitchen.is_open("11:00")
    assert kitchen.is_open("19:59")
    assert not kitchen.is_open("20:00")


def test_past_midnight():
    kitchen = Kitchen("Kebab", "18:00", "03:00")
    assert kitchen.is_open("23:00")
    assert kitchen.is_open("01:30")
    assert not kitchen.is_open("12:00")


def test_closed_in_the_morning():
    kitchens = [Kitchen("Noodles", "11:00", "20:00"), Kitchen("Kebab", "18:00", "03:00")]
    assert open_kitchens(kitchens, "08:00") == []
""",
        hidden="""
def test_limits_past_midnight():
    kitchen = Kitchen("Kebab", "18:00", "03:00")
    assert kitchen.is_open("18:00")
    assert kitchen.is_open("02:59")
    assert kitchen.is_open("00:00")
    assert not kitchen.is_open("03:00")
    assert not kitchen.is_open("17:59")


def test_open_all_day():
    kitchen = Kitchen("Soup", "06:00", "06:00")
    assert all(kitchen.is_open(f"{hour:02d}:00") for hour in range(24))


def test_closing_at_midnight():
    kitchen = Kitchen("Fish", "17:00", "00:00")
    assert kitchen.is_open("23:59")
    assert not kitchen.is_open("00:00")
    assert not kitchen.is_open("16:00")


def test_several_kitchens():
    kitchens = [Kitchen("a", "22:00", "04:00"), Kitchen("b", "03:00", "09:00"),
                Kitchen("c", "10:00", "23:00")]
    assert open_kitchens(kitchens, "03:30") == ["a", "b"]
    assert open_kitchens(kitchens, "22:30") == ["a", "c"]
""",
    ),
    # ---------------------------------------------------------------- aggregation
    Program(
        name="fish_landings",
        code='''"""Sum up what the boats of a harbour have landed."""
from collections import namedtuple
from itertools import groupby
from operator import attrgetter

Landing = namedtuple("Landing", "boat species kilos")


def catch_by_boat(landings):
    """Return {boat: (number of landings, total kilos)}.

    The landings may be in any order.
    """
    report = {}
    for boat, group in groupby(landings, key=attrgetter("boat")):
        kilos = [landing.kilos for landing in group]
        report[boat] = (len(kilos), sum(kilos))
    return report


def best_boat(landings):
    """Return the boat with the most kilos in all, None without landings.

    Of boats with equal kilos, the first in alphabetical order is taken.
    """
    report = catch_by_boat(landings)
    if not report:
        return None
    return min(report, key=lambda boat: (-report[boat][1], boat))
''',
        wrong='groupby(landings, key=attrgetter("boat"))',
        right='groupby(sorted(landings, key=attrgetter("boat")), key=attrgetter("boat"))',
        visible="""
def test_no_landings():
    assert catch_by_boat([]) == {}
    assert best_boat([]) is None


def test_one_landing_each():
    landings = [Landing("Skua", "cod", 40), Landing("Tern", "crab", 15)]
    assert catch_by_boat(landings) == {"Skua": (1, 40), "Tern": (1, 15)}


def test_landings_one_after_the_other():
    landings = [Landing("Skua", "cod", 40), Landing("Skua", "hake", 5)]
    assert catch_by_boat(landings) == {"Skua": (2, 45)}


def test_landings_in_turn():
    landings = [
        Landing("Tern", "cod", 20),
        Landing("Skua", "crab", 30),
        Landing("Tern", "cod", 25),
    ]
    assert catch_by_boat(landings) == {"Skua": (1, 30), "Tern": (2, 45)}


def test_best_boat():
    landings = [Landing("Tern", "cod", 20), Landing("Skua", "cod", 20)]
    assert best_boat(landings) == "Skua"
""",
        hidden="""
def test_best_boat_over_several_landings():
    landings = [Landing("b", "cod", 6), Landing("a", "cod", 10), Landing("b", "cod", 5)]
    assert best_boat(landings) == "b"


def test_many_landings():
    landings = [Landing("abc"[n % 3], "cod", n) for n in range(30)]
    assert catch_by_boat(landings) == {"a": (10, 135), "b": (10, 145), "c": (10, 155)}


def test_mixed_species():
    landings = [Landing("b", "eel", 1), Landing("a", "cod", 2),
                Landing("b", "cod", 3), Landing("a", "eel", 4)]
    assert catch_by_boat(landings) == {"a": (2, 6), "b": (2, 4)}


def test_argument_is_left_alone():
    landings = [Landing("b", "eel", 1), Landing("a", "cod", 2)]
    copy = list(landings)
    catch_by_boat(landings)
    assert landings == copy
""",
    ),
    Program(
        name="cheese_ranking",
        code='''"""The ranking of a cheese fair."""


def ranking(points):
    """Return (rank, cheese, points) for each cheese, the best first.

    `points` maps cheeses to points.  Cheeses with equal points share a
    rank and are listed by name; the ranks after that are left out, so
    that after two cheeses on rank 2 comes rank 4.
    """
    ordered = sorted(points.items(), key=lambda entry: (-entry[1], entry[0]))
    result = []
    rank = 0
    previous = None
    for place, (cheese, score) in enumerate(ordered, start=1):
        if score != previous:
            rank += 1
            previous = score
        result.append((rank, cheese, score))
    return result


def medals(points):
    """Return {"gold": [...], "silver": [...], "bronze": [...]} for ranks 1-3."""
    names = {1: "gold", 2: "silver", 3: "bronze"}
    won = {"gold": [], "silver": [], "bronze": []}
    for rank, cheese, _ in ranking(points):
        if rank in names:
            won[names[rank]].append(cheese)
    return won
''',
        wrong="rank += 1",
        right="rank = place",
        visible="""
def test_no_cheese():
    assert ranking({}) == []


def test_different_points():
    assert ranking({"Brie": 7, "Gouda": 9, "Feta": 5}) == [
        (1, "Gouda", 9), (2, "Brie", 7), (3, "Feta", 5)]


def test_shared_rank():
    assert ranking({"Brie": 8, "Gouda": 9, "Feta": 8, "Edam": 4}) == [
        (1, "Gouda", 9), (2, "Brie", 8), (2, "Feta", 8), (4, "Edam", 4)]


def test_medals():
    assert medals({"Brie": 7, "Gouda": 9, "Feta": 5, "Edam": 1}) == {
        "gold": ["Gouda"], "silver": ["Brie"], "bronze": ["Feta"]}
""",
        hidden="""
def test_two_on_top():
    assert [entry[0] for entry in ranking({"a": 5, "b": 5, "c": 3, "d": 3, "e": 1})] == [
        1, 1, 3, 3, 5]


def test_all_equal():
    assert ranking({"b": 0, "a": 0, "c": 0}) == [(1, "a", 0), (1, "b", 0), (1, "c", 0)]


def test_no_silver_after_shared_gold():
    assert medals({"a": 5, "b": 5, "c": 3}) == {
        "gold": ["a", "b"], "silver": [], "bronze": ["c"]}


def test_no_bronze_after_shared_silver():
    assert medals({"a": 9, "b": 5, "c": 5, "d": 4}) == {
        "gold": ["a"], "silver": ["b", "c"], "bronze": []}
""",
    ),
    Program(
        name="bird_counts",
        code='''"""Evaluate the counts of a bird observatory."""
from collections import Counter


def totals(sheets):
    """Add up the sheets of all observers, each {species: number seen}."""
    result = Counter()
    for sheet in sheets:
        result.update(sheet)
    return result


def most_seen(sheets, limit):
    """Return the most numerous species with their totals, as pairs.

    The most numerous species comes first; species with equal totals are
    in alphabetical order.  At most `limit` pairs are returned, and no
    species which was not seen at all.
    """
    seen = [(species, number) for species, number in totals(sheets).items() if number]
    seen.sort(key=lambda pair: (pair[1], pair[0]), reverse=True)
    return seen[:limit]


def share(sheets, species):
    """Return the share of a species among all birds seen, 0 without birds."""
    counted = totals(sheets)
    everything = sum(counted.values())
    return counted[species] / everything if everything else 0
''',
        wrong="key=lambda pair: (pair[1], pair[0]), reverse=True",
        right="key=lambda pair: (-pair[1], pair[0])",
        visible="""
def test_totals():
    assert totals([{"wren": 2}, {"wren": 1, "knot": 5}]) == {"wren": 3, "knot": 5}


def test_most_seen():
    sheets = [{"wren": 2, "knot": 9, "ruff": 4}]
    assert most_seen(sheets, 2) == [("knot", 9), ("ruff", 4)]


def test_equal_totals():
    sheets = [{"wren": 2, "knot": 1}, {"knot": 1, "teal": 7}]
    assert most_seen(sheets, 5) == [("teal", 7), ("knot", 2), ("wren", 2)]


def test_unseen_species():
    assert most_seen([{"wren": 0, "knot": 1}], 5) == [("knot", 1)]


def test_share():
    assert share([{"wren": 1}, {"knot": 3}], "wren") == 0.25
    assert share([], "wren") == 0
""",
        hidden="""
def test_all_equal():
    assert most_seen([{"c": 1, "a": 1, "d": 1, "b": 1}], 3) == [
        ("a", 1), ("b", 1), ("c", 1)]


def test_two_groups_of_equals():
    sheets = [{"f": 3, "a": 2, "e": 3, "b": 2}]
    assert most_seen(sheets, 4) == [("e", 3), ("f", 3), ("a", 2), ("b", 2)]


def test_limit_zero_and_empty():
    assert most_seen([{"a": 1}], 0) == []
    assert most_seen([], 3) == []


def test_totals_decide_across_sheets():
    sheets = [{"a": 5}, {"b": 3}, {"b": 3}, {"c": 6}]
    assert most_seen(sheets, 3) == [("b", 6), ("c", 6), ("a", 5)]
""",
    ),
    Program(
        name="frost_stations",
        code='''"""Extremes of the weather stations in a mountain valley."""


def warmest(readings):
    """Return {station: (highest temperature, day)} for each station.

    `readings` lists (day, station, temperature).  If the highest
    temperature was reached more than once, the earliest entry of the list
    counts.
    """
    best = {}
    for day, station, temperature in readings:
        if temperature > best.get(station, (0, None))[0]:
            best[station] = (temperature, day)
    return best


def coldest(readings):
    """Like warmest, for the lowest temperature."""
    negated = [(day, station, -temperature) for day, station, temperature in readings]
    return {station: (-temperature, day)
            for station, (temperature, day) in warmest(negated).items()}


def frost_days(readings):
    """Return {station: number of different days with readings below 0}."""
    days = {}
    for day, station, temperature in readings:
        if temperature < 0:
            days.setdefault(station, set()).add(day)
    return {station: len(found) for station, found in days.items()}
''',
        wrong="best.get(station, (0, None))[0]",
        right='best.get(station, (float("-inf"), None))[0]',
        visible="""
SUMMER = [(1, "hut", 12), (1, "dam", 17), (2, "hut", 15), (2, "dam", 17)]
WINTER = [(1, "hut", -12), (1, "dam", 3), (2, "hut", -15), (2, "dam", -1)]


def test_warmest_in_summer():
    assert warmest(SUMMER) == {"hut": (15, 2), "dam": (17, 1)}


def test_warmest_in_winter():
    assert warmest(WINTER) == {"hut": (-12, 1), "dam": (3, 1)}


def test_coldest_in_winter():
    assert coldest(WINTER) == {"hut": (-15, 2), "dam": (-1, 2)}


def test_frost_days():
    assert frost_days(WINTER + [(2, "hut", -3)]) == {"hut": 2, "dam": 1}


def test_no_readings():
    assert warmest([]) == {}
""",
        hidden="""
def test_coldest_in_summer():
    assert coldest([(1, "hut", 12), (2, "hut", 9), (3, "hut", 14)]) == {"hut": (9, 2)}


def test_zero_degrees():
    assert warmest([(1, "hut", 0), (2, "hut", -4)]) == {"hut": (0, 1)}
    assert coldest([(1, "hut", 0)]) == {"hut": (0, 1)}


def test_far_below_zero():
    assert warmest([(1, "pole", -1500.5), (2, "pole", -1400)]) == {"pole": (-1400, 2)}


def test_earliest_entry_counts():
    assert warmest([(4, "a", -2), (5, "a", -2), (6, "a", -3)]) == {"a": (-2, 4)}
""",
    ),
    # ---------------------------------------------------------------- settings, validation
    Program(
        name="greenhouse_settings",
        code='''"""Settings of a greenhouse, as typed in by the gardener."""

WORDS = {"on": True, "yes": True, "off": False, "no": False}


def read_value(text):
    """Turn the text of a value into True, False, a whole number or text.

    "on", "yes", "off" and "no" in any case stand for True and False.
    Whole numbers may begin with a minus sign.  Everything else stays as
    text, without blanks around it.
    """
    text = text.strip()
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    if text.isdigit():
        return int(text)
    return text


def read_settings(lines):
    """Return the settings in lines such as "lamp: on" as a dict.

    Empty lines and lines that begin with "#" are skipped.  A line without
    a colon is a ValueError.
    """
    settings = {}
    for line in lines:
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError(f"no colon in {line!r}")
        settings[name.strip()] = read_value(value)
    return settings
''',
        wrong="if text.isdigit():",
        right='if text.removeprefix("-").isdigit():',
        visible="""
def test_switches():
    assert read_value("on") is True
    assert read_value(" No ") is False


def test_numbers():
    assert read_value("24") == 24
    assert read_value("0") == 0


def test_negative_number():
    assert read_value("-5") == -5


def test_text():
    assert read_value(" tomato bed ") == "tomato bed"


def test_settings():
    lines = ["# winter", "", "lamp: on", "frost alarm: 2", "crop: leek: early"]
    assert read_settings(lines) == {
        "lamp": True, "frost alarm": 2, "crop": "leek: early"}


def test_line_without_colon():
    with pytest.raises(ValueError):
        read_settings(["lamp on"])
""",
        hidden="""
def test_negative_numbers_with_blanks():
    assert read_value(" -120 ") == -120
    assert isinstance(read_value("-7"), int)


def test_dashes_in_text():
    assert read_value("-") == "-"
    assert read_value("--5") == "--5"
    assert read_value("-frost") == "-frost"
    assert read_value("3-4") == "3-4"


def test_not_whole_numbers():
    assert read_value("2.5") == "2.5"
    assert read_value("") == ""
    assert read_value("12a") == "12a"


def test_settings_with_negative_number():
    assert read_settings(["night: -12", "day:18", "note:"]) == {
        "night": -12, "day": 18, "note": ""}
""",
    ),
    Program(
        name="carillon_config",
        code='''"""Configuration file of a carillon (bells played by a machine)."""


def parse_line(line):
    """Return the name and the value in a line such as "tune = Evening".

    Blanks around name and value do not count.  The value is all that
    follows the first equals sign, be it empty.  ValueError is raised if
    there is no equals sign or no name.
    """
    name, value = line.split("=")
    name = name.strip()
    if not name:
        raise ValueError(f"no name in {line!r}")
    return name, value.strip()


def parse_config(text):
    """Return {section: {name: value}} for the text of a file.

    A line such as "[hour]" begins a section; lines before the first one
    belong to the section "".  Empty lines and lines that begin with ";"
    do not count.
    """
    section = ""
    config = {}
    for line in text.splitlines():
        line = line.strip()
        if not line or line.startswith(";"):
            continue
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip()
            continue
        name, value = parse_line(line)
        config.setdefault(section, {})[name] = value
    return config
''',
        wrong='line.split("=")',
        right='line.split("=", 1)',
        visible="""
def test_simple_line():
    assert parse_line("tune = Evening song") == ("tune", "Evening song")


def test_empty_value():
    assert parse_line("tune=") == ("tune", "")


def test_equals_sign_in_value():
    assert parse_line("formula = a=b") == ("formula", "a=b")


def test_bad_lines():
    with pytest.raises(ValueError):
        parse_line("tune")
    with pytest.raises(ValueError):
        parse_line(" = Evening")


def test_sections():
    text = "volume = 3\\n[hour]\\n; at noon\\ntune = Noon\\n\\n[ quarter ]\\ntune = Ding\\n"
    assert parse_config(text) == {
        "": {"volume": "3"}, "hour": {"tune": "Noon"}, "quarter": {"tune": "Ding"}}
""",
        hidden="""
def test_several_equals_signs():
    assert parse_line("a = b = c = d") == ("a", "b = c = d")
    assert parse_line("a==") == ("a", "=")


def test_config_with_equals_signs():
    text = "[net]\\nurl = http://bells/?hour=12&tune=3\\n"
    assert parse_config(text) == {"net": {"url": "http://bells/?hour=12&tune=3"}}


def test_no_name_but_signs():
    with pytest.raises(ValueError):
        parse_line("= a = b")


def test_later_value_wins():
    assert parse_config("a=1\\na=2") == {"": {"a": "2"}}
""",
    ),
    Program(
        name="ticket_kiosk",
        code='''"""Options of a ticket kiosk at a cable car."""

DEFAULTS = {
    "seats": 8,
    "surcharge": 50,
    "greeting": "Welcome!",
    "sound": True,
}


class Options:
    """The options of one kiosk: the defaults, with the kiosk's own on top.

    Whatever a kiosk sets itself is taken as it is.
    """

    def __init__(self, own=None):
        own = dict(own or {})
        unknown = sorted(set(own) - set(DEFAULTS))
        if unknown:
            raise ValueError("unknown options: " + ", ".join(unknown))
        self._own = own

    def get(self, name):
        """Return the value of an option; KeyError if there is no such one."""
        return self._own.get(name) or DEFAULTS[name]

    def as_dict(self):
        return {name: self.get(name) for name in DEFAULTS}

    def changed(self):
        """Names of the options that differ from the defaults, sorted."""
        return sorted(name for name in DEFAULTS if self.get(name) != DEFAULTS[name])


def fare(options, base):
    """Return the fare in cents, with the surcharge of the kiosk."""
    return base + options.get("surcharge")
''',
        wrong="return self._own.get(name) or DEFAULTS[name]",
        right="return self._own[name] if name in self._own else DEFAULTS[name]",
        visible="""
def test_defaults():
    assert Options().as_dict() == DEFAULTS


def test_own_value():
    options = Options({"seats": 6})
    assert options.get("seats") == 6
    assert options.get("greeting") == "Welcome!"


def test_no_surcharge():
    assert fare(Options({"surcharge": 0}), 900) == 900


def test_unknown_option():
    with pytest.raises(ValueError):
        Options({"colour": "red"})
    with pytest.raises(KeyError):
        Options().get("colour")


def test_changed_options():
    assert Options({"seats": 4, "surcharge": 50}).changed() == ["seats"]
""",
        hidden="""
def test_sound_switched_off():
    options = Options({"sound": False})
    assert options.get("sound") is False
    assert options.changed() == ["sound"]


def test_empty_greeting():
    assert Options({"greeting": ""}).get("greeting") == ""


def test_all_set():
    own = {"seats": 0, "surcharge": 0, "greeting": "", "sound": False}
    assert Options(own).as_dict() == own
    assert Options(own).changed() == sorted(own)


def test_none_is_taken_as_it_is():
    assert Options({"greeting": None}).get("greeting") is None


def test_later_changes_do_not_matter():
    own = {"seats": 4}
    options = Options(own)
    own["seats"] = 9
    assert options.get("seats") == 4
""",
    ),
    Program(
        name="seed_lots",
        code='''"""Check the codes of seed lots."""
import re

CODE = re.compile(r"([A-Z]{3})-(\\d{4})-(\\d{2})")


def parse_code(code):
    """Return (species, year, number) for a code such as "TRI-2019-07".

    A code is three capital letters, the year and a number of two digits,
    joined by hyphens, and nothing else.  Other texts are a ValueError.
    """
    match = CODE.match(code)
    if match is None:
        raise ValueError(f"not a lot code: {code!r}")
    species, year, number = match.groups()
    return species, int(year), int(number)


def check_list(codes):
    """Return (good, bad): the codes that can be read, and the others.

    Codes that occur again after their first time count as bad.
    """
    good, bad = [], []
    for code in codes:
        try:
            parse_code(code)
        except ValueError:
            bad.append(code)
            continue
        (bad if code in good else good).append(code)
    return good, bad
''',
        wrong="CODE.match(code)",
        right="CODE.fullmatch(code)",
        visible="""
def test_good_code():
    assert parse_code("TRI-2019-07") == ("TRI", 2019, 7)


def test_lower_case():
    with pytest.raises(ValueError):
        parse_code("tri-2019-07")


def test_too_long():
    with pytest.raises(ValueError):
        parse_code("TRI-2019-071")


def test_too_short():
    with pytest.raises(ValueError):
        parse_code("TRI-2019-7")
    with pytest.raises(ValueError):
        parse_code("")


def test_list():
    codes = ["TRI-2019-07", "SEC-19-1", "TRI-2019-07", "SEC-2001-11"]
    assert check_list(codes) == (
        ["TRI-2019-07", "SEC-2001-11"], ["SEC-19-1", "TRI-2019-07"])
""",
        hidden="""
def test_text_after_the_code():
    for code in ("TRI-2019-07-B", "TRI-2019-07 ", "TRI-2019-07x"):
        with pytest.raises(ValueError):
            parse_code(code)


def test_newline_after_the_code():
    with pytest.raises(ValueError):
        parse_code("TRI-2019-07\\n")


def test_text_before_the_code():
    with pytest.raises(ValueError):
        parse_code("XTRI-2019-07")
    with pytest.raises(ValueError):
        parse_code(" TRI-2019-07")


def test_list_with_long_codes():
    assert check_list(["ABC-2000-01", "ABC-2000-011", "ABC-2000-02"]) == (
        ["ABC-2000-01", "ABC-2000-02"], ["ABC-2000-011"])
""",
    ),
    # ---------------------------------------------------------------- scoring, games
    Program(
        name="penny_shove",
        code='''"""Score keeping for a pub game that is played down to zero."""


class Countdown:
    """One player's points, counted down from a start to exactly zero.

    A turn consists of up to three shoves.  Whoever gets below zero is
    "over": the turn ends at once and all its shoves count for nothing.
    """

    def __init__(self, start=101):
        self.left = start
        self.turns = 0

    def turn(self, shoves):
        """Play a turn and return "out", "over" or "on".

        Shoves after reaching zero are not played.
        """
        if not 1 <= len(shoves) <= 3:
            raise ValueError("a turn has one to three shoves")
        if self.left == 0:
            raise RuntimeError("the player is out already")
        self.turns += 1
        before = self.left
        for points in shoves:
            self.left -= points
            if self.left == 0:
                return "out"
            if self.left < 0:
                self.left += points
                return "over"
        return "on"
''',
        wrong="self.left += points",
        right="self.left = before",
        visible="""
def test_points_go_down():
    player = Countdown(101)
    assert player.turn([20, 5, 10]) == "on"
    assert player.left == 66


def test_going_out():
    player = Countdown(30)
    assert player.turn([20, 10]) == "out"
    assert player.left == 0
    with pytest.raises(RuntimeError):
        player.turn([1])


def test_over_with_the_first_shove():
    player = Countdown(15)
    assert player.turn([20, 5]) == "over"
    assert player.left == 15


def test_over_with_a_later_shove():
    player = Countdown(30)
    assert player.turn([10, 10, 20]) == "over"
    assert player.left == 30


def test_number_of_shoves():
    with pytest.raises(ValueError):
        Countdown().turn([])
    with pytest.raises(ValueError):
        Countdown().turn([1, 2, 3, 4])
""",
        hidden="""
def test_over_with_the_second_shove():
    player = Countdown(12)
    assert player.turn([10, 5, 2]) == "over"
    assert player.left == 12
    assert player.turns == 1


def test_out_after_being_over():
    player = Countdown(40)
    player.turn([15, 15, 20])
    assert player.turn([20, 20]) == "out"
    assert player.turns == 2


def test_earlier_turns_stay():
    player = Countdown(50)
    assert player.turn([10, 10]) == "on"
    assert player.turn([10, 15, 20]) == "over"
    assert player.left == 30


def test_shoves_after_zero():
    player = Countdown(10)
    assert player.turn([10, 5]) == "out"
    assert player.left == 0
""",
    ),
    Program(
        name="lantern_rows",
        code='''"""A game in which rows of lanterns are lit on a wall of windows."""

DIRECTIONS = ((0, 1), (1, 0), (1, 1))
EMPTY = "."


def lanterns_from(wall, row, col, step):
    """Count the lanterns of one colour in a line, from a window on."""
    colour = wall[row][col]
    count = 0
    while 0 <= row < len(wall) and 0 <= col < len(wall[row]):
        if wall[row][col] != colour:
            break
        count += 1
        row += step[0]
        col += step[1]
    return count


def winner(wall, needed=4):
    """Return the colour that has `needed` lanterns in a row, or None.

    The wall is a list of equally long strings with a letter for each
    lantern and "." for a dark window.  A row may be level, upright or
    slanting either way.
    """
    for row, line in enumerate(wall):
        for col, colour in enumerate(line):
            if colour == EMPTY:
                continue
            for step in DIRECTIONS:
                if lanterns_from(wall, row, col, step) >= needed:
                    return colour
    return None
''',
        wrong="((0, 1), (1, 0), (1, 1))",
        right="((0, 1), (1, 0), (1, 1), (1, -1))",
        visible="""
def test_dark_wall():
    assert winner(["....", "....", "....", "...."]) is None


def test_level_row():
    assert winner(["....", "RRRR", "BBB."]) == "R"


def test_upright_row():
    assert winner(["B.R", "B.R", "B.R", "BR."]) == "B"


def test_slanting_rows():
    assert winner(["R...", "BR..", "BBR.", "BRBR"]) == "R"
    assert winner(["...B", "..BR", ".BRR", "BRRB"]) == "B"


def test_too_short():
    assert winner(["RRR.", "BBB.", "...."]) is None
""",
        hidden="""
def test_rising_row_at_the_right_edge():
    wall = [".....R",
            "....R.",
            "...R..",
            "..R..."]
    assert winner(wall) == "R"


def test_rising_row_of_three():
    assert winner(["..G", ".G.", "G.."], needed=3) == "G"
    assert winner(["..G", ".G.", "G.."], needed=4) is None


def test_broken_rising_row():
    assert winner(["...B", "..R.", ".B..", "B..."]) is None


def test_rising_row_in_the_middle():
    wall = ["......",
            "....Y.",
            "...YX.",
            "..YXX.",
            ".YXXY."]
    assert winner(wall) == "Y"
""",
    ),
    Program(
        name="barrel_curling",
        code='''"""Scoring of a village curling match, played with small barrels."""
import math

RING = 180


def nearest(barrels):
    """Return the smallest distance, infinity if there are no barrels."""
    return min(barrels, default=math.inf)


def score_end(reds, blues):
    """Return the points of both teams for an end, as (red, blue).

    The arguments are the distances of the barrels to the middle, in
    centimetres.  Only barrels within the ring (up to 180) count.  The team
    with the nearest barrel gets a point for each of its barrels that is
    nearer than the nearest one of the other team; the other team gets
    none.  If both are equally near, nobody gets points.
    """
    reds = [distance for distance in reds if distance <= RING]
    blues = [distance for distance in blues if distance <= RING]
    best_red, best_blue = nearest(reds), nearest(blues)
    if best_red < best_blue:
        return sum(distance < best_blue for distance in reds), 0
    if best_blue < best_red:
        return 0, sum(distance < best_blue for distance in blues)
    return 0, 0


def match_score(ends):
    """Return the total (red, blue) of a list of ends, (reds, blues) each."""
    scores = [score_end(reds, blues) for reds, blues in ends]
    return sum(red for red, _ in scores), sum(blue for _, blue in scores)
''',
        wrong="return 0, sum(distance < best_blue for distance in blues)",
        right="return 0, sum(distance < best_red for distance in blues)",
        visible="""
def test_reds_win_an_end():
    assert score_end([20, 50, 90], [70, 100]) == (2, 0)


def test_blues_win_an_end():
    assert score_end([80], [30, 60, 85]) == (0, 2)


def test_equally_near():
    assert score_end([40, 60], [40]) == (0, 0)


def test_empty_ring():
    assert score_end([], []) == (0, 0)
    assert score_end([200], [190, 300]) == (0, 0)


def test_match():
    ends = [([10], [20]), ([], [30]), ([50, 60], [])]
    assert match_score(ends) == (3, 1)
""",
        hidden="""
def test_blues_alone_in_the_ring():
    assert score_end([181], [180, 20, 90, 200]) == (0, 3)


def test_one_point_for_blue():
    assert score_end([31, 32], [30, 40]) == (0, 1)


def test_both_sides_are_treated_alike():
    ends = [([1, 2, 3], [4]), ([5, 90], [6, 7]), ([], [100]), ([8], [8])]
    for reds, blues in ends:
        assert score_end(reds, blues) == score_end(blues, reds)[::-1]


def test_equal_distance_does_not_count():
    assert score_end([50], [20, 50, 50]) == (0, 1)
""",
    ),
    Program(
        name="feather_ball",
        code='''"""Score board for a game of feather ball."""


class ScoreBoard:
    """Counts the rallies of a set between two sides, "home" and "away".

    A set is won by the side that first has at least 11 points and at least
    2 more than the other.  The sides serve by turns, two rallies each, and
    home begins.
    """

    TARGET = 11

    def __init__(self):
        self.points = {"home": 0, "away": 0}

    def rally(self, side):
        """Add a point for the side that won a rally."""
        if self.winner():
            raise RuntimeError("the set is over")
        self.points[side] += 1

    def winner(self):
        """Return the side that has won the set, None as long as it goes on."""
        home, away = self.points["home"], self.points["away"]
        if max(home, away) == self.TARGET and abs(home - away) >= 2:
            return "home" if home > away else "away"
        return None

    def server(self):
        """Return the side that serves in the next rally."""
        played = sum(self.points.values())
        return "home" if played // 2 % 2 == 0 else "away"
''',
        wrong="max(home, away) == self.TARGET",
        right="max(home, away) >= self.TARGET",
        visible='''
def play(board, home, away):
    """Let the sides score by turns as long as both still have points to get."""
    for number in range(max(home, away)):
        if number < home:
            board.rally("home")
        if number < away:
            board.rally("away")


def test_set_goes_on():
    board = ScoreBoard()
    play(board, 10, 8)
    assert board.winner() is None


def test_clear_win():
    board = ScoreBoard()
    play(board, 4, 11)
    assert board.winner() == "away"
    with pytest.raises(RuntimeError):
        board.rally("home")


def test_two_points_ahead():
    board = ScoreBoard()
    play(board, 11, 10)
    assert board.winner() is None
    board.rally("home")
    assert board.winner() == "home"


def test_server():
    board = ScoreBoard()
    servers = []
    for _ in range(5):
        servers.append(board.server())
        board.rally("away")
    assert servers == ["home", "home", "away", "away", "home"]
''',
        hidden="""
def test_long_set():
    board = ScoreBoard()
    for _ in range(17):
        board.rally("home")
        board.rally("away")
        assert board.winner() is None
    board.rally("away")
    assert board.winner() is None
    board.rally("away")
    assert board.winner() == "away"
    assert board.points == {"home": 17, "away": 19}
    with pytest.raises(RuntimeError):
        board.rally("home")


def test_eleven_to_nine():
    board = ScoreBoard()
    for _ in range(9):
        board.rally("home")
        board.rally("away")
    board.rally("home")
    assert board.winner() is None
    board.rally("home")
    assert board.winner() == "home"


def test_lead_changes_after_ten_all():
    board = ScoreBoard()
    for _ in range(10):
        board.rally("home")
        board.rally("away")
    for side in ("home", "away", "away", "home", "home", "home"):
        assert board.winner() is None
        board.rally(side)
    assert board.winner() == "home"
""",
    ),
)
