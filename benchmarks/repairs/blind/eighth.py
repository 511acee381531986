"""Programs of ten kinds, like fixes of forty projects.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---------------------------------------------------------------- data structures
    Program(
        name="price_cache",
        code=r'''
"""A small cache for prices fetched from the supplier's catalogue."""

from collections import OrderedDict


class PriceCache:
    """Keeps at most `capacity` prices.

    When a new article does not fit any more, the article which has not been
    read or written for the longest time is dropped.  Writing the price of an
    article which is already in the cache never drops anything.
    """

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.capacity = capacity
        self.hits = 0
        self.misses = 0
        self._items = OrderedDict()

    def __len__(self):
        return len(self._items)

    def __contains__(self, article):
        return article in self._items

    def get(self, article, default=None):
        """The price of the article, or the default if it is not cached."""
        if article not in self._items:
            self.misses += 1
            return default
        self.hits += 1
        self._items.move_to_end(article)
        return self._items[article]

    def put(self, article, price):
        """Store the price of an article, dropping the oldest if need be."""
        if len(self._items) >= self.capacity:
            self._items.popitem(last=False)
        self._items[article] = price
        self._items.move_to_end(article)

    def articles(self):
        """All cached articles, the most recently used one first."""
        return list(reversed(self._items))
''',
        wrong="if len(self._items) >= self.capacity:",
        right="if article not in self._items and len(self._items) >= self.capacity:",
        visible=r"""
def test_get_and_put():
    cache = PriceCache(2)
    cache.put("bolt", 12)
    assert cache.get("bolt") == 12
    assert cache.get("nut") is None
    assert cache.get("nut", 0) == 0


def test_drops_least_recently_used():
    cache = PriceCache(2)
    cache.put("bolt", 12)
    cache.put("nut", 7)
    cache.get("bolt")
    cache.put("washer", 3)
    assert "nut" not in cache
    assert cache.articles() == ["washer", "bolt"]


def test_update_keeps_the_others():
    cache = PriceCache(2)
    cache.put("bolt", 12)
    cache.put("nut", 7)
    cache.put("nut", 8)
    assert cache.get("bolt") == 12
    assert cache.get("nut") == 8


def test_counts_hits_and_misses():
    cache = PriceCache(3)
    cache.put("bolt", 12)
    cache.get("bolt")
    cache.get("nut")
    cache.get("bolt")
    assert (cache.hits, cache.misses) == (2, 1)


def test_capacity_is_checked():
    with pytest.raises(ValueError):
        PriceCache(0)
""",
        hidden=r"""
def test_update_of_the_oldest_makes_it_newest():
    cache = PriceCache(3)
    for article, price in (("a", 1), ("b", 2), ("c", 3)):
        cache.put(article, price)
    cache.put("a", 10)
    assert len(cache) == 3
    assert cache.articles() == ["a", "c", "b"]


def test_repeated_updates_never_shrink():
    cache = PriceCache(3)
    for article in "abc":
        cache.put(article, 1)
    for _ in range(5):
        cache.put("c", 2)
    assert len(cache) == 3
    assert cache.articles() == ["c", "b", "a"]


def test_still_drops_new_articles():
    cache = PriceCache(2)
    for n in range(10):
        cache.put(n, n * n)
        assert len(cache) <= 2
    assert cache.articles() == [9, 8]


def test_capacity_one():
    cache = PriceCache(1)
    cache.put("a", 1)
    cache.put("a", 2)
    assert cache.get("a") == 2
    cache.put("b", 3)
    assert cache.articles() == ["b"]
""",
    ),
    Program(
        name="tariff_bands",
        code=r'''
"""A lookup table for tariffs which depend on a threshold."""

from bisect import bisect_left, bisect_right, insort


class TariffTable:
    """Maps ranges of weight to prices.

    Each band starts at its lower limit (which belongs to it) and reaches up
    to, but not including, the lower limit of the next band.  The last band is
    open ended.
    """

    def __init__(self):
        self._limits = []
        self._prices = {}

    def add(self, limit, price):
        """Add a band which starts at `limit`; replaces a band with that limit."""
        if limit not in self._prices:
            insort(self._limits, limit)
        self._prices[limit] = price

    def remove(self, limit):
        """Remove the band which starts at `limit`; KeyError if there is none."""
        del self._prices[limit]
        self._limits.pop(bisect_left(self._limits, limit))

    def price(self, weight):
        """The price for a weight; LookupError below the lowest band."""
        index = bisect_left(self._limits, weight) - 1
        if index < 0:
            raise LookupError(f"no band for {weight}")
        return self._prices[self._limits[index]]

    def bands(self):
        """List of (lower limit, upper limit or None, price), ascending."""
        uppers = self._limits[1:] + [None]
        return [
            (lower, upper, self._prices[lower])
            for lower, upper in zip(self._limits, uppers)
        ]
''',
        wrong="index = bisect_left(self._limits, weight) - 1",
        right="index = bisect_right(self._limits, weight) - 1",
        visible=r"""
def parcel_table():
    table = TariffTable()
    table.add(5, 7.5)
    table.add(0, 3.9)
    table.add(10, 12.0)
    return table


def test_price_within_band():
    table = parcel_table()
    assert table.price(2.5) == 3.9
    assert table.price(7) == 7.5
    assert table.price(31) == 12.0


def test_limit_belongs_to_the_upper_band():
    assert parcel_table().price(5) == 7.5


def test_below_lowest_band():
    with pytest.raises(LookupError):
        parcel_table().price(-1)


def test_bands():
    assert parcel_table().bands() == [(0, 5, 3.9), (5, 10, 7.5), (10, None, 12.0)]


def test_remove():
    table = parcel_table()
    table.remove(5)
    assert table.price(7) == 3.9
    with pytest.raises(KeyError):
        table.remove(5)
""",
        hidden=r"""
def hidden_table():
    table = TariffTable()
    for limit in (40, 10, 30, 20):
        table.add(limit, limit * 2)
    return table


def test_every_limit():
    table = hidden_table()
    assert [table.price(x) for x in (10, 20, 30, 40)] == [20, 40, 60, 80]


def test_just_below_each_limit():
    table = hidden_table()
    assert [table.price(x) for x in (19.99, 29.99, 39.99)] == [20, 40, 60]
    with pytest.raises(LookupError):
        table.price(9.99)


def test_replace_band():
    table = hidden_table()
    table.add(20, 1)
    assert len(table.bands()) == 4
    assert table.price(20) == 1
    assert table.price(25) == 1


def test_empty_table():
    with pytest.raises(LookupError):
        TariffTable().price(0)
""",
    ),
    Program(
        name="sample_buffer",
        code=r'''
"""The last measurements of a sensor."""


class SampleBuffer:
    """Keeps the newest `size` samples and forgets older ones."""

    def __init__(self, size):
        if size <= 0:
            raise ValueError("size must be positive")
        self.size = size
        self._samples = []

    def __len__(self):
        return len(self._samples)

    def add(self, value):
        """Add one sample."""
        self._samples.append(value)
        if len(self._samples) > self.size:
            del self._samples[0]

    def extend(self, values):
        """Add several samples, in the order given."""
        for value in values:
            self.add(value)

    def latest(self, count):
        """The newest `count` samples, oldest first.

        If there are fewer, all of them; for a count of 0, none.
        """
        if count < 0:
            raise ValueError("count must not be negative")
        return self._samples[-count:]

    def skip(self, count):
        """All samples but the oldest `count` ones, oldest first."""
        if count < 0:
            raise ValueError("count must not be negative")
        return self._samples[count:]

    def mean(self):
        """Mean of all samples kept, None if there are none."""
        if not self._samples:
            return None
        return sum(self._samples) / len(self._samples)
''',
        wrong="return self._samples[-count:]",
        right="return self._samples[max(len(self._samples) - count, 0):]",
        visible=r"""
def test_latest():
    buffer = SampleBuffer(4)
    buffer.extend([1, 2, 3])
    assert buffer.latest(2) == [2, 3]


def test_forgets_old_samples():
    buffer = SampleBuffer(3)
    buffer.extend(range(6))
    assert len(buffer) == 3
    assert buffer.latest(3) == [3, 4, 5]


def test_count_limits():
    buffer = SampleBuffer(5)
    buffer.extend([7, 8])
    assert buffer.latest(10) == [7, 8]
    assert buffer.latest(0) == []


def test_skip():
    buffer = SampleBuffer(5)
    buffer.extend([4, 5, 6])
    assert buffer.skip(1) == [5, 6]
    assert buffer.skip(0) == [4, 5, 6]
    assert buffer.skip(9) == []


def test_mean():
    buffer = SampleBuffer(2)
    assert buffer.mean() is None
    buffer.extend([100, 3, 5])
    assert buffer.mean() == 4


def test_negative_count():
    with pytest.raises(ValueError):
        SampleBuffer(3).latest(-1)
""",
        hidden=r"""
def test_latest_and_skip_divide_the_buffer():
    buffer = SampleBuffer(6)
    buffer.extend([9, 1, 8, 2, 7])
    everything = [9, 1, 8, 2, 7]
    for count in range(6):
        assert buffer.latest(count) == everything[5 - count:]
        assert len(buffer.latest(count)) == count


def test_more_than_there_are():
    buffer = SampleBuffer(6)
    buffer.extend([9, 1, 8])
    for count in (3, 4, 5, 6, 7, 100):
        assert buffer.latest(count) == [9, 1, 8]


def test_empty_buffer():
    buffer = SampleBuffer(2)
    assert buffer.latest(0) == []
    assert buffer.latest(2) == []


def test_result_is_a_copy():
    buffer = SampleBuffer(3)
    buffer.extend([1, 2, 3])
    buffer.latest(3).append(4)
    assert buffer.latest(3) == [1, 2, 3]
""",
    ),
    Program(
        name="contact_groups",
        code=r'''
"""Finds customer records which belong to the same customer."""


class RecordGroups:
    """Groups of records, merged step by step.

    Two records are in the same group if they were linked directly or through
    any chain of other links.
    """

    def __init__(self):
        self._parent = {}
        self._size = {}

    def add(self, record):
        """Add a record as a group of its own, unless it is known already."""
        if record not in self._parent:
            self._parent[record] = record
            self._size[record] = 1

    def _root(self, record):
        while self._parent[record] != record:
            self._parent[record] = self._parent[self._parent[record]]
            record = self._parent[record]
        return record

    def link(self, first, second):
        """Put both records into one group; True if they were apart before."""
        self.add(first)
        self.add(second)
        large, small = self._root(first), self._root(second)
        if large == small:
            return False
        if self._size[large] < self._size[small]:
            large, small = small, large
        self._parent[second] = large
        self._size[large] += self._size[small]
        return True

    def linked(self, first, second):
        """Whether both records are in the same group."""
        return self._root(first) == self._root(second)

    def group(self, record):
        """All records of the group of this one, sorted."""
        root = self._root(record)
        return sorted(r for r in self._parent if self._root(r) == root)
''',
        wrong="self._parent[second] = large",
        right="self._parent[small] = large",
        visible=r"""
def test_pairs():
    groups = RecordGroups()
    assert groups.link("a", "b") is True
    assert groups.link("a", "b") is False
    assert groups.linked("b", "a")


def test_separate_groups():
    groups = RecordGroups()
    groups.link("a", "b")
    groups.link("c", "d")
    assert not groups.linked("a", "c")
    assert groups.group("d") == ["c", "d"]


def test_chain():
    groups = RecordGroups()
    groups.link("a", "b")
    groups.link("a", "c")
    groups.link("a", "d")
    assert groups.group("b") == ["a", "b", "c", "d"]


def test_two_groups_become_one():
    groups = RecordGroups()
    groups.link("a", "b")
    groups.link("c", "d")
    groups.link("b", "d")
    assert groups.linked("a", "c")
    assert groups.group("a") == ["a", "b", "c", "d"]


def test_single_record():
    groups = RecordGroups()
    groups.add("x")
    groups.add("x")
    assert groups.group("x") == ["x"]
""",
        hidden=r"""
def test_small_group_joined_to_large():
    groups = RecordGroups()
    for other in (2, 3, 4):
        groups.link(1, other)
    groups.link(10, 11)
    assert groups.link(11, 3) is True
    assert groups.group(10) == [1, 2, 3, 4, 10, 11]


def test_first_group_is_the_smaller_one():
    groups = RecordGroups()
    groups.link(10, 11)
    for other in (2, 3, 4):
        groups.link(1, other)
    groups.link(10, 1)
    assert groups.group(11) == [1, 2, 3, 4, 10, 11]
    assert groups.link(11, 4) is False


def test_long_chain_against_a_simple_model():
    groups = RecordGroups()
    model = {n: {n} for n in range(30)}
    for n in range(30):
        groups.add(n)
    for step in range(25):
        a, b = (step * 7) % 30, (step * 11 + 3) % 30
        apart = model[a] is not model[b]
        assert groups.link(a, b) is apart
        if apart:
            merged = model[a] | model[b]
            for member in merged:
                model[member] = merged
    for n in range(30):
        assert groups.group(n) == sorted(model[n])
""",
    ),
    # ---------------------------------------------------------------- recursion
    Program(
        name="flatten_settings",
        code=r'''
"""Conversion between nested settings and flat ones."""


def flatten(settings, prefix="", separator="."):
    """Turn nested dictionaries into a flat one.

    The keys of the result are the keys on the way to each value, joined by
    the separator.  An empty dictionary stays as a value, so that nothing gets
    lost.

    >>> flatten({"db": {"host": "x", "port": 1}})
    {'db.host': 'x', 'db.port': 1}
    """
    flat = {}
    for key, value in settings.items():
        path = f"{prefix}{separator}{key}" if prefix else str(key)
        if isinstance(value, dict) and value:
            flat.update(flatten(value, path))
        else:
            flat[path] = value
    return flat


def unflatten(flat, separator="."):
    """The opposite of `flatten`."""
    settings = {}
    for path, value in flat.items():
        *parents, last = path.split(separator)
        node = settings
        for parent in parents:
            node = node.setdefault(parent, {})
        node[last] = value
    return settings
''',
        wrong="flat.update(flatten(value, path))",
        right="flat.update(flatten(value, path, separator))",
        visible=r"""
def test_flat_stays_flat():
    assert flatten({"a": 1, "b": "x"}) == {"a": 1, "b": "x"}


def test_nested():
    settings = {"db": {"host": "x", "pool": {"min": 1, "max": 5}}, "debug": False}
    assert flatten(settings) == {
        "db.host": "x",
        "db.pool.min": 1,
        "db.pool.max": 5,
        "debug": False,
    }


def test_other_separator():
    settings = {"db": {"pool": {"min": 1, "max": 5}}}
    assert flatten(settings, separator="/") == {"db/pool/min": 1, "db/pool/max": 5}


def test_empty_dictionary_is_kept():
    assert flatten({"a": {"b": {}}}) == {"a.b": {}}


def test_unflatten():
    assert unflatten({"a.b": 1, "a.c": 2, "d": 3}) == {"a": {"b": 1, "c": 2}, "d": 3}
""",
        hidden=r"""
def test_round_trip_with_separators():
    settings = {"a": {"b": {"c": {"d": 1, "e": {}}}, "f": [1, 2]}, "g": None}
    for separator in (".", "__", "/", "::"):
        assert unflatten(flatten(settings, separator=separator), separator) == settings


def test_environment_names():
    settings = {"APP": {"LOG": {"LEVEL": "info"}}}
    assert flatten(settings, separator="_") == {"APP_LOG_LEVEL": "info"}


def test_prefix_and_separator():
    settings = {"x": {"y": {"z": 0}}}
    assert flatten(settings, "root", "-") == {"root-x-y-z": 0}


def test_other_values_are_untouched():
    assert flatten({"a": {1: [{"b": 2}]}}) == {"a.1": [{"b": 2}]}
""",
    ),
    Program(
        name="bill_of_materials",
        code=r'''
"""Which parts have to be bought to build a product?"""

from collections import Counter


class UnknownPart(Exception):
    """A part is neither an assembly nor in the list of purchased parts."""


def parts_needed(product, assemblies, purchased, count=1):
    """Count the purchased parts for `count` pieces of a product.

    `assemblies` maps the name of each assembly to a dictionary with the
    number of pieces of every component; a component may itself be an
    assembly.  `purchased` is the set of parts which are bought.
    """
    if product in purchased:
        return Counter({product: count})
    if product not in assemblies:
        raise UnknownPart(product)
    needed = Counter()
    for component, pieces in assemblies[product].items():
        needed += parts_needed(component, assemblies, purchased, pieces)
    return needed


def cost(product, assemblies, prices, count=1):
    """What the purchased parts for `count` pieces of the product cost."""
    needed = parts_needed(product, assemblies, set(prices), count)
    return sum(prices[part] * pieces for part, pieces in needed.items())


def missing(product, assemblies, stock, purchased, count=1):
    """The parts which have to be ordered in addition to the stock."""
    return dict(parts_needed(product, assemblies, purchased, count) - Counter(stock))
''',
        wrong="needed += parts_needed(component, assemblies, purchased, pieces)",
        right="needed += parts_needed(component, assemblies, purchased, pieces * count)",
        visible=r"""
BIKE = {
    "bike": {"frame": 1, "wheel": 2},
    "wheel": {"rim": 1, "spoke": 32},
}


def test_purchased_part():
    assert parts_needed("spoke", BIKE, {"spoke"}, 10) == {"spoke": 10}


def test_one_assembly():
    assert parts_needed("wheel", BIKE, {"rim", "spoke"}) == {"rim": 1, "spoke": 32}


def test_nested_assembly():
    needed = parts_needed("bike", BIKE, {"frame", "rim", "spoke"})
    assert needed == {"frame": 1, "rim": 2, "spoke": 64}


def test_unknown_part():
    with pytest.raises(UnknownPart):
        parts_needed("bike", BIKE, {"rim", "spoke"})


def test_cost_of_a_wheel():
    assert cost("wheel", BIKE, {"rim": 20, "spoke": 0.5}) == 36


def test_missing():
    stock = {"rim": 1, "spoke": 30}
    assert missing("wheel", BIKE, stock, {"rim", "spoke"}) == {"spoke": 2}
""",
        hidden=r"""
def test_several_pieces():
    assemblies = {"table": {"leg": 4, "top": 1}}
    assert parts_needed("table", assemblies, {"leg", "top"}, 3) == {"leg": 12, "top": 3}


def test_three_levels():
    assemblies = {"a": {"b": 2}, "b": {"c": 3, "x": 1}, "c": {"x": 5}}
    assert parts_needed("a", assemblies, {"x"}) == {"x": 32}
    assert parts_needed("a", assemblies, {"x"}, 10) == {"x": 320}


def test_part_used_in_several_places():
    assemblies = {"box": {"lid": 1, "body": 1, "screw": 2}, "lid": {"screw": 4}, "body": {"screw": 6}}
    assert parts_needed("box", assemblies, {"screw"}, 2) == {"screw": 24}


def test_cost_of_several():
    assemblies = {"table": {"leg": 4, "top": 1}}
    assert cost("table", assemblies, {"leg": 5, "top": 30}, 2) == 100


def test_missing_for_several():
    assemblies = {"table": {"leg": 4, "top": 1}}
    assert missing("table", assemblies, {"leg": 10}, {"leg", "top"}, 3) == {"leg": 2, "top": 3}
""",
    ),
    Program(
        name="outline_tree",
        code=r'''
"""Draws a tree of departments as text."""

BRANCH = "|-- "
CORNER = "`-- "
PIPE = "|   "
SPACE = "    "


def draw(name, children, prefix=""):
    """The lines below one department.

    `children` maps each department to the list of its sub-departments.  All
    but the last one get a branch, the last one gets a corner; no line is
    drawn below a corner.
    """
    below = children.get(name, [])
    lines = []
    for index, child in enumerate(below):
        last = index == len(below)
        lines.append(prefix + (CORNER if last else BRANCH) + child)
        lines.extend(draw(child, children, prefix + (SPACE if last else PIPE)))
    return lines


def draw_tree(root, children):
    """The whole tree as one text, beginning with the root."""
    return "\n".join([root] + draw(root, children))


def depth(root, children):
    """The number of levels of the tree; 1 for a root without children."""
    return 1 + max((depth(c, children) for c in children.get(root, [])), default=0)
''',
        wrong="last = index == len(below)",
        right="last = index == len(below) - 1",
        visible=r"""
def test_root_only():
    assert draw_tree("board", {}) == "board"


def test_one_level():
    children = {"board": ["sales", "works"]}
    assert draw_tree("board", children) == "board\n|-- sales\n`-- works"


def test_order_of_names():
    children = {"board": ["sales", "works"], "sales": ["north", "south"]}
    names = [line.split()[-1] for line in draw_tree("board", children).splitlines()]
    assert names == ["board", "sales", "north", "south", "works"]


def test_depth():
    assert depth("board", {}) == 1
    assert depth("board", {"board": ["sales"], "sales": ["north"]}) == 3
""",
        hidden=r"""
def test_single_child():
    assert draw_tree("a", {"a": ["b"]}) == "a\n`-- b"


def test_no_line_below_a_corner():
    children = {"a": ["b", "c"], "c": ["d"]}
    assert draw_tree("a", children).splitlines() == [
        "a",
        "|-- b",
        "`-- c",
        "    `-- d",
    ]


def test_line_below_a_branch():
    children = {"a": ["b", "c", "f"], "b": ["d", "e"]}
    assert draw_tree("a", children).splitlines() == [
        "a",
        "|-- b",
        "|   |-- d",
        "|   `-- e",
        "|-- c",
        "`-- f",
    ]


def test_chain():
    children = {"a": ["b"], "b": ["c"], "c": ["d"]}
    assert draw_tree("a", children).splitlines()[-1] == "        `-- d"
""",
    ),
    Program(
        name="menu_combinations",
        code=r'''
"""Suggests combinations of dishes which use up a voucher."""


def combinations_for(amount, dishes):
    """All selections of dishes which cost exactly `amount`.

    `dishes` maps names to prices (positive integers).  Every dish may be
    taken at most once.  Each selection is a list of names in the order of
    `dishes`; the selections come in that order, too.  For an amount of 0
    there is exactly one selection: nothing.
    """
    names = list(dishes)
    found = []
    chosen = []

    def search(start, left):
        if left == 0:
            found.append(chosen)
            return
        for index in range(start, len(names)):
            price = dishes[names[index]]
            if price > left:
                continue
            chosen.append(names[index])
            search(index + 1, left - price)
            chosen.pop()

    search(0, amount)
    return found


def smallest(amount, dishes):
    """The selection with the fewest dishes (the first of several), or None."""
    return min(combinations_for(amount, dishes), key=len, default=None)
''',
        wrong="found.append(chosen)",
        right="found.append(list(chosen))",
        visible=r"""
DISHES = {"soup": 4, "salad": 5, "pasta": 9, "fish": 13, "cake": 4}


def test_number_of_selections():
    assert len(combinations_for(9, DISHES)) == 3


def test_selections():
    assert combinations_for(9, DISHES) == [["soup", "salad"], ["salad", "cake"], ["pasta"]]


def test_impossible():
    assert combinations_for(3, DISHES) == []
    assert smallest(3, DISHES) is None


def test_nothing():
    assert combinations_for(0, DISHES) == [[]]


def test_smallest():
    assert smallest(13, DISHES) == ["fish"]
""",
        hidden=r"""
def test_each_selection_has_the_right_price():
    dishes = {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}
    for amount in range(1, 22):
        selections = combinations_for(amount, dishes)
        assert selections
        for selection in selections:
            assert sum(dishes[name] for name in selection) == amount
            assert len(set(selection)) == len(selection)


def test_all_dishes():
    assert combinations_for(6, {"a": 1, "b": 2, "c": 3}) == [["a", "b", "c"]]


def test_order():
    dishes = {"x": 2, "y": 2, "z": 2}
    assert combinations_for(4, dishes) == [["x", "y"], ["x", "z"], ["y", "z"]]


def test_results_are_independent():
    selections = combinations_for(2, {"x": 2, "y": 2})
    selections[0].append("!")
    assert selections[1] == ["y"]


def test_smallest_of_several():
    assert smallest(6, {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}) == ["a", "e"]
""",
    ),
    # ---------------------------------------------------------------- strings
    Program(
        name="page_slug",
        code=r'''
"""Addresses of pages made from their titles."""

import re
import unicodedata


def slugify(title, max_length=40):
    """Turn a title into the last part of an address.

    Accents are dropped, letters become small, and everything else but
    letters and digits becomes a single dash.  A slug neither begins nor ends
    with a dash and is never longer than `max_length`.
    """
    text = unicodedata.normalize("NFKD", title)
    text = "".join(ch for ch in text if not unicodedata.combining(ch))
    slug = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    if len(slug) > max_length:
        slug = slug[:max_length]
    return slug or "untitled"


def unique_slug(title, taken, max_length=40):
    """A slug which is not in `taken`: a number is appended where necessary."""
    slug = slugify(title, max_length)
    number = 2
    candidate = slug
    while candidate in taken:
        candidate = f"{slug}-{number}"
        number += 1
    return candidate
''',
        wrong="slug = slug[:max_length]",
        right='slug = slug[:max_length].rstrip("-")',
        visible=r"""
def test_simple_title():
    assert slugify("Our New Office") == "our-new-office"


def test_punctuation():
    assert slugify("  What's next?! (2024) ") == "what-s-next-2024"


def test_accents():
    assert slugify("Café Müller") == "cafe-muller"


def test_long_title():
    assert slugify("Annual report", max_length=3) == "ann"
    assert slugify("Annual report", max_length=7) == "annual"


def test_empty_title():
    assert slugify("???") == "untitled"


def test_unique():
    taken = {"news", "news-2"}
    assert unique_slug("News", taken) == "news-3"
    assert unique_slug("Other news", taken) == "other-news"
""",
        hidden=r"""
def test_never_ends_with_a_dash():
    title = "A b cd e fgh - i j klm nop"
    for length in range(1, 30):
        slug = slugify(title, length)
        assert len(slug) <= length
        assert not slug.startswith("-") and not slug.endswith("-")


def test_cut_after_word():
    assert slugify("one two three", 8) == "one-two"
    assert slugify("one two three", 9) == "one-two-t"


def test_exact_length():
    assert slugify("one two", 7) == "one-two"


def test_unique_of_cut_title():
    assert unique_slug("one two", {"one"}, 4) == "one-2"
""",
    ),
    Program(
        name="quoted_fields",
        code=r'''
"""Splits the lines of an export of the old accounting system."""


class FormatError(ValueError):
    """The line is not well-formed."""


def split_fields(line, separator=";"):
    """Split a line into its fields.

    A field may be enclosed in double quotes; then it may contain the
    separator, and a double quote inside of it is written twice.
    """
    fields = []
    current = []
    quoted = False
    position = 0
    while position < len(line):
        char = line[position]
        if quoted:
            if char != '"':
                current.append(char)
            elif line[position + 1:position + 2] == '"':
                current.append('"')
            else:
                quoted = False
        elif char == '"' and not current:
            quoted = True
        elif char == separator:
            fields.append("".join(current))
            current = []
        else:
            current.append(char)
        position += 1
    if quoted:
        raise FormatError("missing closing quote")
    fields.append("".join(current))
    return fields


def join_fields(fields, separator=";"):
    """The opposite of `split_fields`; quotes only where necessary."""
    def quote(field):
        if separator in field or '"' in field:
            return '"' + field.replace('"', '""') + '"'
        return field

    return separator.join(quote(field) for field in fields)
''',
        wrong="""                current.append('"')
""",
        right="""                current.append('"')
                position += 1
""",
        visible=r"""
def test_plain_fields():
    assert split_fields("4711;Miller;12.50") == ["4711", "Miller", "12.50"]


def test_empty_fields():
    assert split_fields(";a;") == ["", "a", ""]
    assert split_fields("") == [""]


def test_separator_in_quotes():
    assert split_fields('1;"Smith; Sons";2') == ["1", "Smith; Sons", "2"]


def test_doubled_quote():
    assert split_fields('1;"19"" rack";2') == ["1", '19" rack', "2"]


def test_missing_quote():
    with pytest.raises(FormatError):
        split_fields('1;"Smith')


def test_join():
    assert join_fields(["a", "b;c", 'd"e']) == 'a;"b;c";"d""e"'
""",
        hidden=r'''
def test_round_trip():
    rows = [
        ["a", 'say "hello"', "b"],
        ['"', '""', ""],
        ["x;y", 'p";"q', ""],
        ['"quoted"'],
    ]
    for row in rows:
        assert split_fields(join_fields(row)) == row


def test_quote_at_the_end_of_a_field():
    assert split_fields('"19""";x') == ['19"', "x"]


def test_separator_after_doubled_quote():
    assert split_fields('"a"";b";c') == ['a";b', "c"]


def test_other_separator():
    assert split_fields('a,"b,""c""",d', ",") == ["a", 'b,"c"', "d"]
''',
    ),
    Program(
        name="mask_numbers",
        code=r'''
"""Hides numbers of customers' cards and accounts in log files."""

import re

NUMBER = re.compile(r"\d(?:[ -]?\d){7,18}")


def mask(number, visible=4, symbol="*"):
    """Replace all digits but the last `visible` ones.

    Blanks and dashes stay where they are and do not count.
    """
    hidden = len(number) - visible
    result = []
    for char in number:
        if char.isdigit() and hidden > 0:
            result.append(symbol)
            hidden -= 1
        else:
            result.append(char)
    return "".join(result)


def mask_line(line):
    """Mask all numbers of 8 to 19 digits in a line of a log file."""
    return NUMBER.sub(lambda match: mask(match.group()), line)


def mask_all(lines):
    """Mask several lines; returns them and the number of changed ones."""
    masked = [mask_line(line) for line in lines]
    changed = sum(1 for old, new in zip(lines, masked) if old != new)
    return masked, changed
''',
        wrong="hidden = len(number) - visible",
        right="hidden = sum(char.isdigit() for char in number) - visible",
        visible=r"""
def test_plain_number():
    assert mask("4929123456781234") == "************1234"


def test_groups():
    assert mask("4929 1234 5678 1234") == "**** **** **** 1234"


def test_other_symbol():
    assert mask("12345678", visible=2, symbol="x") == "xxxxxx78"


def test_short_number():
    assert mask("123") == "123"


def test_line():
    line = "card 4929123456781234 refused, code 51"
    assert mask_line(line) == "card ************1234 refused, code 51"


def test_several_lines():
    masked, changed = mask_all(["start", "account 12345678"])
    assert masked == ["start", "account ****5678"]
    assert changed == 1
""",
        hidden=r"""
def test_dashes():
    assert mask("12-34-56-78") == "**-**-56-78"


def test_visible_with_separators():
    assert mask("1 2 3 4 5 6", visible=1) == "* * * * * 6"
    assert mask("1 2 3 4 5 6", visible=0) == "* * * * * *"


def test_few_digits_with_separators():
    assert mask("1-2-3-4") == "1-2-3-4"
    assert mask("1-2-3-4-5") == "*-2-3-4-5"


def test_line_with_groups():
    assert mask_line("from 1234 5678 90 to 11-22-33-44") == "from **** **78 90 to **-**-33-44"


def test_plain_numbers_of_all_lengths():
    for length in range(4, 20):
        number = "7" * length
        assert mask(number) == "*" * (length - 4) + "7777"
""",
    ),
    Program(
        name="visitor_sources",
        code=r'''
"""From which web sites do our visitors come?"""

from collections import Counter


def site_of(address):
    """The site of an address, in small letters.

    Scheme, user, port, path and a leading "www." do not belong to it.

    >>> site_of("https://www.Example.com:8080/a?b=c")
    'example.com'
    """
    _, found, rest = address.strip().partition("://")
    host = rest if found else address.strip()
    for end in "/?#":
        host = host.split(end, 1)[0]
    host = host.rpartition("@")[2]
    host = host.partition(":")[0].lower()
    return host.lstrip("www.")


def count_sources(addresses, own=()):
    """How many visits come from each site; empty addresses and our own
    sites are left out."""
    counts = Counter()
    for address in addresses:
        site = site_of(address)
        if site and site not in own:
            counts[site] += 1
    return counts


def main_sources(addresses, limit=3, own=()):
    """The most frequent sites; sites with equal counts by name."""
    counts = count_sources(addresses, own)
    return sorted(counts, key=lambda site: (-counts[site], site))[:limit]
''',
        wrong='return host.lstrip("www.")',
        right='return host.removeprefix("www.")',
        visible=r"""
def test_full_address():
    assert site_of("https://www.Example.com:8080/a?b=c") == "example.com"


def test_without_scheme():
    assert site_of("example.org/path") == "example.org"


def test_user_and_fragment():
    assert site_of("ftp://joe:pw@files.example.com#top") == "files.example.com"


def test_sites_beginning_with_w():
    assert site_of("https://www.weather.example/today") == "weather.example"


def test_counts():
    addresses = ["http://a.example/x", "http://www.a.example/", "", "http://b.example"]
    assert count_sources(addresses) == {"a.example": 2, "b.example": 1}


def test_main_sources():
    addresses = ["http://c.example", "http://b.example", "http://a.example", "http://c.example/1"]
    assert main_sources(addresses, 2) == ["c.example", "a.example"]
    assert main_sources(addresses, 2, own={"c.example"}) == ["a.example", "b.example"]
""",
        hidden=r"""
def test_no_www_at_all():
    assert site_of("https://wiki.example") == "wiki.example"
    assert site_of("https://web.example/") == "web.example"


def test_www_is_removed_once():
    assert site_of("http://www.www.example") == "www.example"


def test_www_without_dot():
    assert site_of("http://www2.example/") == "www2.example"
    assert site_of("http://wwwow.example/") == "wwwow.example"


def test_capital_www():
    assert site_of("HTTP://WWW.Shop.Example/") == "shop.example"


def test_own_site():
    addresses = ["http://www.work.example/1", "http://work.example/2", "http://x.example"]
    assert main_sources(addresses, own={"work.example"}) == ["x.example"]
""",
    ),
    # ---------------------------------------------------------------- arithmetic
    Program(
        name="share_amount",
        code=r'''
"""Distribution of amounts of money without losing a cent."""


def share(total, weights):
    """Distribute `total` cents in proportion to integer weights.

    Every share is first rounded down.  The cents left over go, one each, to
    the shares which lost the largest fraction by rounding; of equal ones to
    the earlier.  The shares add up to the total.
    """
    whole = sum(weights)
    if whole <= 0:
        raise ValueError("the weights must have a positive sum")
    shares = [total * weight // whole for weight in weights]
    fractions = [total * weight % whole for weight in weights]
    left = total - sum(shares)
    order = sorted(range(len(weights)), key=lambda i: fractions[i])
    for i in order[:left]:
        shares[i] += 1
    return shares


def share_equally(total, count):
    """Distribute `total` cents among `count` people."""
    return share(total, [1] * count)


def share_costs(total, usage):
    """Distribute costs by usage; maps the names to their cents."""
    names = list(usage)
    return dict(zip(names, share(total, [usage[name] for name in names])))
''',
        wrong="key=lambda i: fractions[i])",
        right="key=lambda i: -fractions[i])",
        visible=r"""
def test_no_remainder():
    assert share(100, [1, 3]) == [25, 75]


def test_equal_shares():
    assert share_equally(100, 3) == [34, 33, 33]
    assert share_equally(2, 4) == [1, 1, 0, 0]


def test_largest_fraction_first():
    assert share(10, [1, 2, 4]) == [1, 3, 6]


def test_sum_is_kept():
    assert sum(share(9999, [3, 7, 11, 13])) == 9999


def test_weights_are_checked():
    with pytest.raises(ValueError):
        share(100, [0, 0])


def test_costs():
    assert share_costs(300, {"a": 1, "b": 2}) == {"a": 100, "b": 200}
""",
        hidden=r"""
def test_zero_weight_gets_nothing():
    assert share(100, [0, 1, 2]) == [0, 33, 67]
    assert share(1, [0, 5]) == [0, 1]


def test_only_exact_shares_stay():
    assert share(7, [2, 3, 5]) == [1, 2, 4]


def test_within_one_cent():
    weights = [5, 8, 13, 1, 40]
    for total in range(0, 200, 7):
        shares = share(total, weights)
        assert sum(shares) == total
        for part, weight in zip(shares, weights):
            assert abs(part - total * weight / 67) < 1


def test_costs_with_remainder():
    assert share_costs(100, {"x": 1, "y": 0, "z": 6}) == {"x": 14, "y": 0, "z": 86}
""",
    ),
    Program(
        name="loan_plan",
        code=r'''
"""Repayment plans for small loans to employees."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Instalment:
    number: int
    interest: float
    repayment: float
    balance: float

    @property
    def payment(self):
        return self.interest + self.repayment


def repayment_plan(loan, yearly_percent, payment):
    """The monthly instalments until the loan is paid off.

    Each month the interest on the balance is added, then the payment is
    made.  The last payment is only as high as necessary: it covers the rest
    of the loan and its interest, and the balance is 0 afterwards.
    """
    rate = yearly_percent / 100 / 12
    if payment <= loan * rate:
        raise ValueError("the payment does not even cover the interest")
    plan = []
    balance = loan
    while balance > 0:
        interest = balance * rate
        amount = min(payment, balance)
        repayment = amount - interest
        balance = round(balance - repayment, 6)
        plan.append(Instalment(len(plan) + 1, interest, repayment, balance))
    return plan


def total_interest(plan):
    """All interest paid during the plan."""
    return sum(instalment.interest for instalment in plan)
''',
        wrong="amount = min(payment, balance)",
        right="amount = min(payment, balance + interest)",
        visible=r"""
def test_without_interest():
    plan = repayment_plan(1000, 0, 400)
    assert [i.payment for i in plan] == [400, 400, 200]
    assert plan[-1].balance == 0


def test_first_instalment():
    first = repayment_plan(1200, 12, 200)[0]
    assert first.interest == pytest.approx(12)
    assert first.repayment == pytest.approx(188)
    assert first.balance == pytest.approx(1012)


def test_paid_off_at_once():
    plan = repayment_plan(100, 12, 500)
    assert len(plan) == 1
    assert plan[0].payment == pytest.approx(101)


def test_payment_too_small():
    with pytest.raises(ValueError):
        repayment_plan(1200, 12, 12)


def test_total_interest():
    assert total_interest(repayment_plan(500, 0, 100)) == 0
""",
        hidden=r"""
def test_repayments_add_up():
    for loan, percent, payment in ((1000, 6, 90), (2500, 3.5, 311), (750, 12, 700)):
        plan = repayment_plan(loan, percent, payment)
        assert sum(i.repayment for i in plan) == pytest.approx(loan)
        assert plan[-1].balance == 0
        assert all(i.payment == pytest.approx(payment) for i in plan[:-1])
        assert plan[-1].payment <= payment + 1e-6


def test_number_of_instalments():
    plan = repayment_plan(100, 12, 51)
    assert len(plan) == 2
    assert plan[0].balance == pytest.approx(50)
    assert plan[1].payment == pytest.approx(50.5)


def test_interest_of_the_last_month():
    plan = repayment_plan(100, 12, 60)
    assert total_interest(plan) == pytest.approx(1 + 0.41)
    assert len(plan) == 2


def test_numbers():
    plan = repayment_plan(300, 0, 100)
    assert [i.number for i in plan] == [1, 2, 3]
""",
    ),
    Program(
        name="commission_tiers",
        code=r'''
"""Commission of the sales staff."""

import math

TIERS = (
    (10_000, 2),
    (50_000, 4),
    (math.inf, 7),
)


def commission(sales, tiers=TIERS):
    """The commission for a month's sales.

    `tiers` is a sequence of (upper limit, percent), ascending.  Each percent
    applies only to the part of the sales between the previous limit (or 0)
    and its own limit.
    """
    if sales < 0:
        raise ValueError("sales must not be negative")
    total = 0
    lower = 0
    for upper, percent in tiers:
        if sales <= lower:
            break
        total += (sales - lower) * percent / 100
        lower = upper
    return total


def average_rate(sales, tiers=TIERS):
    """The commission in percent of the sales; 0 without sales."""
    if sales == 0:
        return 0
    return commission(sales, tiers) * 100 / sales


def payroll(staff, base=0):
    """Maps each name in `staff` (name -> sales) to base pay plus commission."""
    return {name: base + commission(sales) for name, sales in staff.items()}
''',
        wrong="total += (sales - lower) * percent / 100",
        right="total += (min(sales, upper) - lower) * percent / 100",
        visible=r"""
def test_first_tier():
    assert commission(0) == 0
    assert commission(5_000) == 100
    assert commission(10_000) == 200


def test_second_tier():
    assert commission(20_000) == 600


def test_top_tier():
    assert commission(60_000) == 200 + 1_600 + 700


def test_negative_sales():
    with pytest.raises(ValueError):
        commission(-1)


def test_average_rate():
    assert average_rate(0) == 0
    assert average_rate(8_000) == pytest.approx(2)


def test_payroll():
    assert payroll({"Ann": 1_000, "Bob": 0}, base=2_000) == {"Ann": 2_020, "Bob": 2_000}
""",
        hidden=r"""
def test_own_tiers():
    tiers = ((100, 10), (200, 20), (300, 50))
    assert commission(100, tiers) == 10
    assert commission(150, tiers) == 20
    assert commission(250, tiers) == 10 + 20 + 25


def test_nothing_beyond_the_last_limit():
    tiers = ((100, 10), (200, 20))
    assert commission(1_000, tiers) == 30


def test_on_the_limits():
    assert commission(50_000) == 1_800


def test_average_rate_of_high_sales():
    assert average_rate(100_000) == pytest.approx(5.3)


def test_payroll_of_several():
    assert payroll({"Ann": 30_000, "Bob": 51_000}) == {"Ann": 1_000, "Bob": 1_870}
""",
    ),
    Program(
        name="invoice_vat",
        code=r'''
"""Invoices: sums and value added tax, all in cents."""

from dataclasses import dataclass, field


def vat(net, percent):
    """The tax on a net amount (not negative), in whole cents.

    Half a cent is rounded up, as our tax office demands.
    """
    return round(net * percent / 100)


@dataclass
class Invoice:
    number: str
    lines: list = field(default_factory=list)

    def add(self, text, quantity, price, percent=20):
        """Add a line; `price` is the net price of one piece in cents."""
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        self.lines.append((text, quantity, price, percent))

    def net(self):
        """Sum without tax."""
        return sum(quantity * price for _, quantity, price, _ in self.lines)

    def net_by_rate(self):
        """The net sum for each tax rate."""
        sums = {}
        for _, quantity, price, percent in self.lines:
            sums[percent] = sums.get(percent, 0) + quantity * price
        return sums

    def taxes(self):
        """The tax for each rate, computed from the sum of its lines."""
        return {rate: vat(net, rate) for rate, net in self.net_by_rate().items()}

    def gross(self):
        """Sum with tax."""
        return self.net() + sum(self.taxes().values())
''',
        wrong="return round(net * percent / 100)",
        right="return (net * percent + 50) // 100",
        visible=r"""
def test_vat():
    assert vat(1000, 20) == 200
    assert vat(999, 20) == 200
    assert vat(0, 20) == 0


def test_half_a_cent():
    assert vat(50, 5) == 3
    assert vat(350, 1) == 4


def test_net():
    invoice = Invoice("R1")
    invoice.add("chair", 2, 4_990)
    invoice.add("book", 1, 1_500, percent=5)
    assert invoice.net() == 11_480


def test_taxes():
    invoice = Invoice("R2")
    invoice.add("chair", 2, 4_990)
    invoice.add("lamp", 1, 20)
    invoice.add("book", 1, 1_500, percent=5)
    assert invoice.taxes() == {20: 2_000, 5: 75}
    assert invoice.gross() == 13_575


def test_quantity():
    with pytest.raises(ValueError):
        Invoice("R3").add("chair", 0, 100)
""",
        hidden=r"""
def test_all_halves_are_rounded_up():
    for n in range(20):
        assert vat(100 * n + 50, 1) == n + 1


def test_near_half():
    assert vat(249, 1) == 2
    assert vat(250, 1) == 3
    assert vat(251, 1) == 3


def test_gross_with_half_cents():
    invoice = Invoice("R4")
    invoice.add("stamp", 1, 90, percent=5)
    invoice.add("card", 1, 50, percent=1)
    assert invoice.taxes() == {5: 5, 1: 1}
    assert invoice.gross() == 146


def test_tax_of_the_sum_not_of_the_lines():
    invoice = Invoice("R5")
    for _ in range(3):
        invoice.add("sweet", 1, 50, percent=5)
    assert invoice.taxes() == {5: 8}
""",
    ),
    # ---------------------------------------------------------------- graphs and grids
    Program(
        name="deploy_order",
        code=r'''
"""In which order do services have to be started?"""


class CycleError(Exception):
    """Services depend on each other in a circle."""


def start_order(services, depends_on):
    """All services in an order in which they can be started.

    `depends_on` maps a service to the services which must run before it; they
    are started in the order in which they are named.  Services which are
    only named as dependencies are started, too.  Raises CycleError if
    there is no such order.
    """
    order = []
    started = set()
    waiting = set()

    def visit(service):
        if service in waiting:
            raise CycleError(service)
        if service in started:
            return
        waiting.add(service)
        for needed in depends_on.get(service, ()):
            visit(needed)
        started.add(service)
        order.append(service)

    for service in services:
        visit(service)
    return order


def stop_order(services, depends_on):
    """The order in which the services can be stopped again."""
    return start_order(services, depends_on)[::-1]


def affected_by(service, services, depends_on):
    """Which of the services do not run if the given one fails?  Sorted."""
    return sorted(
        other for other in services
        if other != service and service in start_order([other], depends_on)
    )
''',
        wrong="""            visit(needed)
        started.add(service)
""",
        right="""            visit(needed)
        waiting.discard(service)
        started.add(service)
""",
        visible=r"""
def test_no_dependencies():
    assert start_order(["a", "b"], {}) == ["a", "b"]


def test_chain():
    assert start_order(["web"], {"web": ["api"], "api": ["db"]}) == ["db", "api", "web"]


def test_common_dependency():
    depends_on = {"web": ["db"], "mail": ["db"]}
    assert start_order(["web", "mail"], depends_on) == ["db", "web", "mail"]


def test_circle():
    with pytest.raises(CycleError):
        start_order(["a"], {"a": ["b"], "b": ["c"], "c": ["a"]})


def test_stop_order():
    assert stop_order(["web"], {"web": ["db"]}) == ["web", "db"]


def test_affected():
    depends_on = {"web": ["api"], "api": ["db"]}
    assert affected_by("db", ["web", "api", "db", "mail"], depends_on) == ["api", "web"]
""",
        hidden=r"""
def test_diamond():
    depends_on = {"a": ["b", "c"], "b": ["d"], "c": ["d"]}
    assert start_order(["a"], depends_on) == ["d", "b", "c", "a"]


def test_dependency_named_as_service_again():
    assert start_order(["web", "db"], {"web": ["db"]}) == ["db", "web"]
    assert start_order(["db", "web"], {"web": ["db"]}) == ["db", "web"]


def test_circles_are_still_found():
    with pytest.raises(CycleError):
        start_order(["x", "a"], {"x": [], "a": ["x", "b"], "b": ["x", "a"]})
    with pytest.raises(CycleError):
        start_order(["a"], {"a": ["a"]})


def test_service_named_twice():
    assert start_order(["a", "a"], {}) == ["a"]


def test_affected_through_diamond():
    depends_on = {"a": ["b", "c"], "b": ["d"], "c": ["d"]}
    assert affected_by("d", ["a", "b", "c", "d"], depends_on) == ["a", "b", "c"]
""",
    ),
    Program(
        name="flooded_fields",
        code=r'''
"""Areas of connected fields on a map."""

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def area(grid, row, column):
    """The set of all (row, column) of the area to which a field belongs.

    Fields belong together if they carry the same letter and touch at a side.
    """
    height, width = len(grid), len(grid[0])
    letter = grid[row][column]
    seen = {(row, column)}
    todo = [(row, column)]
    while todo:
        r, c = todo.pop()
        for dr, dc in STEPS:
            nr, nc = r + dr, c + dc
            if nr >= height or nc >= width:
                continue
            if grid[nr][nc] == letter and (nr, nc) not in seen:
                seen.add((nr, nc))
                todo.append((nr, nc))
    return seen


def areas(grid, letter):
    """The sizes of all areas with a letter, the largest first."""
    sizes = []
    done = set()
    for r, line in enumerate(grid):
        for c, field in enumerate(line):
            if field == letter and (r, c) not in done:
                found = area(grid, r, c)
                done |= found
                sizes.append(len(found))
    return sorted(sizes, reverse=True)
''',
        wrong="if nr >= height or nc >= width:",
        right="if not (0 <= nr < height and 0 <= nc < width):",
        visible=r"""
def test_area_in_the_middle():
    grid = [
        "......",
        ".ww...",
        "..w.w.",
        "......",
    ]
    assert area(grid, 1, 1) == {(1, 1), (1, 2), (2, 2)}


def test_sizes():
    grid = [
        ".......",
        ".ww.w..",
        ".w..ww.",
        "....w..",
        ".......",
    ]
    assert areas(grid, "w") == [4, 3]


def test_not_around_the_edge():
    grid = [
        "w..w",
        "....",
        "ww..",
    ]
    assert areas(grid, "w") == [2, 1, 1]


def test_diagonals_do_not_touch():
    grid = [
        "....",
        ".w..",
        "..w.",
        "....",
    ]
    assert areas(grid, "w") == [1, 1]


def test_letter_missing():
    assert areas(["..", ".."], "w") == []
""",
        hidden=r"""
def test_area_stays_within_the_grid():
    grid = ["www", "w.w"]
    assert area(grid, 0, 0) == {(0, 0), (0, 1), (0, 2), (1, 0), (1, 2)}


def test_opposite_edges():
    assert areas(["w", ".", "w"], "w") == [1, 1]
    assert areas(["w.w"], "w") == [1, 1]


def test_whole_grid():
    grid = ["ww", "ww", "ww"]
    assert areas(grid, "w") == [6]
    assert len(area(grid, 2, 1)) == 6


def test_other_letters():
    grid = [
        "aab",
        "bab",
        "baa",
    ]
    assert areas(grid, "a") == [5]
    assert areas(grid, "b") == [2, 2]
""",
    ),
    Program(
        name="delivery_routes",
        code=r'''
"""Shortest routes for the delivery vans."""

import heapq
import math


class RoadMap:
    """Places and roads; all roads can be used in both directions."""

    def __init__(self):
        self._roads = {}

    def add_road(self, start, end, km):
        """Add a road between two places."""
        if km < 0:
            raise ValueError("a road cannot have a negative length")
        self._roads.setdefault(start, []).append((end, km))
        self._roads.setdefault(end, [])

    def distances(self, start):
        """The shortest distance from `start` to each place which can be reached."""
        best = {start: 0}
        queue = [(0, start)]
        while queue:
            distance, place = heapq.heappop(queue)
            if distance > best[place]:
                continue
            for neighbour, km in self._roads[place]:
                longer = distance + km
                if longer < best.get(neighbour, math.inf):
                    best[neighbour] = longer
                    heapq.heappush(queue, (longer, neighbour))
        return best

    def distance(self, start, end):
        """The shortest distance between two places, None if there is no route."""
        return self.distances(start).get(end)

    def nearest(self, start, candidates):
        """The candidate nearest to `start`, None if none can be reached."""
        reachable = self.distances(start)
        known = [place for place in candidates if place in reachable]
        return min(known, key=reachable.get, default=None)
''',
        wrong="self._roads.setdefault(end, [])\n",
        right="self._roads.setdefault(end, []).append((start, km))\n",
        visible=r"""
def small_map():
    roads = RoadMap()
    roads.add_road("depot", "mill", 4)
    roads.add_road("depot", "bridge", 1)
    roads.add_road("bridge", "mill", 2)
    roads.add_road("mill", "lake", 5)
    roads.add_road("harbour", "island", 9)
    return roads


def test_shortest_distance():
    roads = small_map()
    assert roads.distance("depot", "mill") == 3
    assert roads.distance("depot", "lake") == 8


def test_there_and_back():
    roads = small_map()
    assert roads.distance("lake", "depot") == roads.distance("depot", "lake")


def test_no_route():
    assert small_map().distance("depot", "island") is None


def test_same_place():
    assert small_map().distance("mill", "mill") == 0


def test_nearest():
    assert small_map().nearest("depot", ["lake", "mill", "island"]) == "mill"
    assert small_map().nearest("depot", ["island"]) is None


def test_negative_length():
    with pytest.raises(ValueError):
        RoadMap().add_road("a", "b", -1)
""",
        hidden=r"""
def test_all_distances_are_symmetric():
    roads = RoadMap()
    for start, end, km in (("a", "b", 7), ("c", "b", 2), ("c", "a", 3), ("d", "c", 8), ("b", "d", 1)):
        roads.add_road(start, end, km)
    for x in "abcd":
        for y in "abcd":
            assert roads.distance(x, y) == roads.distance(y, x)
    assert roads.distances("d") == {"d": 0, "b": 1, "c": 3, "a": 6}


def test_route_against_the_order_of_entry():
    roads = RoadMap()
    roads.add_road("b", "a", 2)
    roads.add_road("b", "c", 3)
    assert roads.distance("a", "c") == 5


def test_nearest_backwards():
    roads = RoadMap()
    roads.add_road("x", "shop", 6)
    roads.add_road("y", "shop", 5)
    assert roads.nearest("shop", ["x", "y"]) == "y"


def test_parallel_roads():
    roads = RoadMap()
    roads.add_road("a", "b", 5)
    roads.add_road("b", "a", 3)
    assert roads.distance("a", "b") == 3
    assert roads.distance("b", "a") == 3
""",
    ),
    Program(
        name="camera_coverage",
        code=r'''
"""Which parts of a building can the cameras see?"""

WALL = "#"
CAMERA = "C"
DIRECTIONS = ((0, 1), (0, -1), (1, 0), (-1, 0))


def inside(plan, row, column):
    """Whether the position lies on the plan."""
    return 0 <= row < len(plan) and 0 <= column < len(plan[row])


def seen_from(plan, row, column):
    """All positions seen by a camera, without its own.

    A camera looks along its row and its column in all four directions, until
    a wall blocks the view.  Other cameras do not block it.
    """
    seen = set()
    for dr, dc in DIRECTIONS:
        distance = 1
        while inside(plan, row + dr * distance, column + dc * distance):
            r, c = row + dr * distance, column + dc * distance
            distance += 1
            if plan[r][c] == WALL:
                continue
            seen.add((r, c))
    return seen


def covered(plan):
    """All positions seen by at least one camera of the plan."""
    result = set()
    for r, line in enumerate(plan):
        for c, char in enumerate(line):
            if char == CAMERA:
                result |= seen_from(plan, r, c)
    return result


def blind_spots(plan):
    """Sorted list of the free positions (".") which no camera sees."""
    seen = covered(plan)
    return [
        (r, c)
        for r, line in enumerate(plan)
        for c, char in enumerate(line)
        if char == "." and (r, c) not in seen
    ]
''',
        wrong="continue",
        right="break",
        visible=r"""
def test_empty_hall():
    plan = [
        "...",
        ".C.",
        "...",
    ]
    assert seen_from(plan, 1, 1) == {(0, 1), (1, 0), (1, 2), (2, 1)}


def test_wall_blocks_the_view():
    plan = ["C..#.."]
    assert seen_from(plan, 0, 0) == {(0, 1), (0, 2)}


def test_blind_spots():
    plan = [
        "C..",
        "...",
    ]
    assert blind_spots(plan) == [(1, 1), (1, 2)]


def test_two_cameras():
    plan = [
        "C..",
        "..C",
    ]
    assert blind_spots(plan) == []


def test_no_camera():
    assert covered(["..", "##"]) == set()
    assert blind_spots(["..", "##"]) == [(0, 0), (0, 1)]
""",
        hidden=r"""
def test_walls_in_all_directions():
    plan = [
        "..#..",
        ".#.#.",
        "#.C.#",
        ".#.#.",
        "..#..",
    ]
    assert seen_from(plan, 2, 2) == {(1, 2), (3, 2), (2, 1), (2, 3)}


def test_two_walls_in_a_row():
    assert seen_from(["C.#.#."], 0, 0) == {(0, 1)}
    assert blind_spots(["C.#.#."]) == [(0, 3), (0, 5)]


def test_cameras_do_not_block():
    assert seen_from(["C.C.#."], 0, 0) == {(0, 1), (0, 2), (0, 3)}


def test_one_direction_blocked():
    plan = [
        ".",
        "#",
        "C",
        ".",
    ]
    assert blind_spots(plan) == [(0, 0)]
    assert covered(plan) == {(3, 0)}
""",
    ),
    # ---------------------------------------------------------------- classes with state
    Program(
        name="request_limiter",
        code=r'''
"""Limits how often a customer may call our interface."""

from collections import defaultdict, deque


class RequestLimiter:
    """Allows `limit` requests of each customer within `period` seconds.

    A request made exactly `period` seconds ago does not count any more.
    Requests which were refused never count.
    """

    def __init__(self, limit, period):
        self.limit = limit
        self.period = period
        self._requests = defaultdict(deque)

    def _forget_old(self, customer, now):
        requests = self._requests[customer]
        while requests and now - requests[0] > self.period:
            requests.popleft()
        return requests

    def allow(self, customer, now):
        """Whether the customer may make a request now; if so, it is counted."""
        requests = self._forget_old(customer, now)
        if len(requests) >= self.limit:
            return False
        requests.append(now)
        return True

    def remaining(self, customer, now):
        """How many more requests the customer may make now."""
        return self.limit - len(self._forget_old(customer, now))

    def wait(self, customer, now):
        """How many seconds until the customer may make the next request."""
        requests = self._forget_old(customer, now)
        if len(requests) < self.limit:
            return 0
        return requests[0] + self.period - now
''',
        wrong="while requests and now - requests[0] > self.period:",
        right="while requests and now - requests[0] >= self.period:",
        visible=r"""
def test_limit():
    limiter = RequestLimiter(2, 10)
    assert limiter.allow("a", 0)
    assert limiter.allow("a", 1)
    assert not limiter.allow("a", 2)


def test_customers_are_independent():
    limiter = RequestLimiter(1, 10)
    assert limiter.allow("a", 0)
    assert limiter.allow("b", 0)


def test_allowed_again_after_period():
    limiter = RequestLimiter(1, 10)
    assert limiter.allow("a", 5)
    assert not limiter.allow("a", 14)
    assert limiter.allow("a", 15)


def test_remaining():
    limiter = RequestLimiter(3, 10)
    limiter.allow("a", 0)
    limiter.allow("a", 4)
    assert limiter.remaining("a", 5) == 1
    assert limiter.remaining("a", 12) == 2


def test_wait():
    limiter = RequestLimiter(1, 10)
    assert limiter.wait("a", 0) == 0
    limiter.allow("a", 0)
    assert limiter.wait("a", 3) == 7
""",
        hidden=r"""
def test_waiting_is_enough():
    limiter = RequestLimiter(2, 30)
    limiter.allow("a", 100)
    limiter.allow("a", 110)
    now = 115 + limiter.wait("a", 115)
    assert now == 130
    assert limiter.allow("a", now)
    assert not limiter.allow("a", now)


def test_remaining_at_the_end_of_the_period():
    limiter = RequestLimiter(2, 10)
    limiter.allow("a", 0)
    limiter.allow("a", 1)
    assert limiter.remaining("a", 9) == 0
    assert limiter.remaining("a", 10) == 1
    assert limiter.remaining("a", 11) == 2
    assert limiter.wait("a", 11) == 0


def test_steady_requests():
    limiter = RequestLimiter(1, 5)
    allowed = [now for now in range(21) if limiter.allow("a", now)]
    assert allowed == [0, 5, 10, 15, 20]


def test_refused_requests_do_not_count():
    limiter = RequestLimiter(1, 10)
    limiter.allow("a", 0)
    for now in range(1, 10):
        assert not limiter.allow("a", now)
    assert limiter.allow("a", 12)
""",
    ),
    Program(
        name="drawing_history",
        code=r'''
"""The history of a drawing program."""


class Drawing:
    """A list of shapes with undo and redo.

    Undone changes can be redone until the next change is made; after that
    there is nothing to redo.
    """

    def __init__(self):
        self.shapes = []
        self._undo = []
        self._redo = []

    def _change(self, shapes):
        self._undo.append(self.shapes)
        self.shapes = shapes

    def add(self, shape):
        """Put a shape on top of the others."""
        self._change(self.shapes + [shape])

    def remove(self, shape):
        """Remove a shape; ValueError if it is not there."""
        index = self.shapes.index(shape)
        self._change(self.shapes[:index] + self.shapes[index + 1:])

    def clear(self):
        """Remove all shapes; no change if there are none."""
        if self.shapes:
            self._change([])

    def undo(self):
        """Take the last change back; False if there is none."""
        if not self._undo:
            return False
        self._redo.append(self.shapes)
        self.shapes = self._undo.pop()
        return True

    def redo(self):
        """Make the change which was undone last again; False if there is none."""
        if not self._redo:
            return False
        self._undo.append(self.shapes)
        self.shapes = self._redo.pop()
        return True
''',
        wrong="""        self.shapes = shapes
""",
        right="""        self.shapes = shapes
        self._redo.clear()
""",
        visible=r"""
def test_add_and_remove():
    drawing = Drawing()
    drawing.add("circle")
    drawing.add("square")
    drawing.remove("circle")
    assert drawing.shapes == ["square"]


def test_undo():
    drawing = Drawing()
    drawing.add("circle")
    drawing.clear()
    assert drawing.undo()
    assert drawing.shapes == ["circle"]
    assert drawing.undo()
    assert drawing.shapes == []
    assert not drawing.undo()


def test_redo():
    drawing = Drawing()
    drawing.add("circle")
    drawing.add("square")
    drawing.undo()
    drawing.undo()
    assert drawing.redo()
    assert drawing.redo()
    assert drawing.shapes == ["circle", "square"]
    assert not drawing.redo()


def test_change_after_undo():
    drawing = Drawing()
    drawing.add("circle")
    drawing.undo()
    drawing.add("square")
    assert not drawing.redo()
    assert drawing.shapes == ["square"]


def test_remove_missing_shape():
    drawing = Drawing()
    with pytest.raises(ValueError):
        drawing.remove("circle")
    assert not drawing.undo()
""",
        hidden=r"""
def test_remove_and_clear_are_changes_too():
    for change in (lambda d: d.remove("a"), lambda d: d.clear()):
        drawing = Drawing()
        drawing.add("a")
        drawing.add("b")
        drawing.undo()
        change(drawing)
        assert not drawing.redo()
        assert drawing.shapes == []
        drawing.undo()
        assert drawing.shapes == ["a"]


def test_no_change_keeps_redo():
    drawing = Drawing()
    drawing.add("a")
    drawing.undo()
    drawing.clear()
    with pytest.raises(ValueError):
        drawing.remove("a")
    assert drawing.redo()
    assert drawing.shapes == ["a"]


def test_several_redos_are_dropped():
    drawing = Drawing()
    for shape in "abc":
        drawing.add(shape)
    for _ in range(3):
        drawing.undo()
    drawing.redo()
    drawing.add("x")
    assert not drawing.redo()
    assert drawing.shapes == ["a", "x"]


def test_redo_then_undo():
    drawing = Drawing()
    drawing.add("a")
    drawing.add("b")
    drawing.undo()
    drawing.redo()
    drawing.undo()
    assert drawing.shapes == ["a"]
    assert drawing.redo()
    assert drawing.shapes == ["a", "b"]
""",
    ),
    Program(
        name="song_playlist",
        code=r'''
"""Playlists of the music player."""


class Playlist:
    """An ordered list of songs with a position.

    Every playlist has songs of its own: changing one playlist never changes
    another one or the list from which it was made.
    """

    def __init__(self, name, songs=None):
        self.name = name
        self.position = 0
        self._songs = songs if songs is not None else []

    def __len__(self):
        return len(self._songs)

    def songs(self):
        """A list of all songs."""
        return list(self._songs)

    def add(self, song):
        """Add a song at the end."""
        self._songs.append(song)

    def drop(self, song):
        """Remove a song; the current song stays the same where possible."""
        index = self._songs.index(song)
        del self._songs[index]
        if index < self.position:
            self.position -= 1
        elif self.position == len(self._songs):
            self.position = 0

    def current(self):
        """The current song, None if the playlist is empty."""
        return self._songs[self.position] if self._songs else None

    def next(self):
        """Go to the next song, after the last one to the first."""
        if self._songs:
            self.position = (self.position + 1) % len(self._songs)
        return self.current()

    def copy(self, name):
        """A new playlist with the same songs, at the first song."""
        return Playlist(name, self._songs)
''',
        wrong="self._songs = songs if songs is not None else []",
        right="self._songs = list(songs) if songs is not None else []",
        visible=r"""
def test_add_and_songs():
    playlist = Playlist("morning")
    playlist.add("Sunrise")
    playlist.add("Coffee")
    assert playlist.songs() == ["Sunrise", "Coffee"]
    assert len(playlist) == 2


def test_new_playlists_are_empty():
    Playlist("one").add("Sunrise")
    assert Playlist("two").songs() == []
    assert Playlist("two").current() is None


def test_next():
    playlist = Playlist("morning", ["a", "b", "c"])
    assert [playlist.next() for _ in range(4)] == ["b", "c", "a", "b"]


def test_drop():
    playlist = Playlist("morning", ["a", "b", "c"])
    playlist.next()
    playlist.drop("a")
    assert playlist.current() == "b"
    playlist.drop("c")
    assert playlist.current() == "b"


def test_copy():
    playlist = Playlist("morning", ["a", "b"])
    other = playlist.copy("evening")
    other.add("c")
    assert other.songs() == ["a", "b", "c"]
    assert playlist.songs() == ["a", "b"]
""",
        hidden=r"""
def test_list_of_the_caller():
    songs = ["a", "b"]
    playlist = Playlist("x", songs)
    playlist.add("c")
    playlist.drop("a")
    assert songs == ["a", "b"]
    songs.clear()
    assert playlist.songs() == ["b", "c"]


def test_two_playlists_from_one_list():
    songs = ["a"]
    first, second = Playlist("1", songs), Playlist("2", songs)
    first.add("b")
    assert second.songs() == ["a"]


def test_original_changes_after_copy():
    playlist = Playlist("x", ["a", "b"])
    playlist.next()
    other = playlist.copy("y")
    playlist.drop("a")
    assert other.songs() == ["a", "b"]
    assert other.current() == "a"
    assert playlist.current() == "b"


def test_empty_list_of_the_caller():
    songs = []
    Playlist("x", songs).add("a")
    assert songs == []
""",
    ),
    Program(
        name="stock_reservations",
        code=r'''
"""Stock of one article, with reservations for orders."""


class OutOfStock(Exception):
    """There are not enough pieces."""


class Stock:
    """Counts the pieces in the warehouse and those promised to orders."""

    def __init__(self, on_hand=0):
        self.on_hand = on_hand
        self._reserved = {}

    @property
    def reserved(self):
        """Number of pieces promised to orders."""
        return sum(self._reserved.values())

    @property
    def available(self):
        """Number of pieces which are not promised to anybody."""
        return self.on_hand - self.reserved

    def receive(self, pieces):
        """Pieces arrive at the warehouse."""
        self.on_hand += pieces

    def reserve(self, order, pieces):
        """Promise pieces to an order, in addition to those it has already.

        Raises OutOfStock, and changes nothing, if there are not enough pieces
        which are still free.
        """
        if pieces > self.on_hand:
            raise OutOfStock(order)
        self._reserved[order] = self._reserved.get(order, 0) + pieces

    def cancel(self, order):
        """The order does not need its pieces any more."""
        self._reserved.pop(order, None)

    def ship(self, order):
        """Send all reserved pieces of an order; returns their number."""
        pieces = self._reserved.pop(order, 0)
        self.on_hand -= pieces
        return pieces
''',
        wrong="if pieces > self.on_hand:",
        right="if pieces > self.available:",
        visible=r"""
def test_reserve():
    stock = Stock(10)
    stock.reserve("A1", 4)
    assert stock.available == 6
    assert stock.on_hand == 10


def test_out_of_stock():
    stock = Stock(3)
    with pytest.raises(OutOfStock):
        stock.reserve("A1", 4)
    assert stock.reserved == 0


def test_reserved_pieces_are_not_promised_twice():
    stock = Stock(5)
    stock.reserve("A1", 3)
    with pytest.raises(OutOfStock):
        stock.reserve("A2", 3)


def test_ship():
    stock = Stock(5)
    stock.reserve("A1", 3)
    assert stock.ship("A1") == 3
    assert stock.on_hand == 2
    assert stock.available == 2
    assert stock.ship("A1") == 0


def test_cancel():
    stock = Stock(5)
    stock.reserve("A1", 5)
    stock.cancel("A1")
    stock.cancel("A9")
    assert stock.available == 5
""",
        hidden=r"""
def test_never_more_than_on_hand():
    stock = Stock(10)
    accepted = 0
    for n in range(8):
        try:
            stock.reserve(f"A{n}", 3)
            accepted += 1
        except OutOfStock:
            pass
    assert accepted == 3
    assert stock.available == 1


def test_same_order_again():
    stock = Stock(5)
    stock.reserve("A1", 3)
    with pytest.raises(OutOfStock):
        stock.reserve("A1", 3)
    assert stock.reserved == 3
    stock.reserve("A1", 2)
    assert stock.ship("A1") == 5
    assert stock.on_hand == 0


def test_all_pieces():
    stock = Stock(5)
    stock.reserve("A1", 5)
    with pytest.raises(OutOfStock):
        stock.reserve("A2", 1)
    stock.receive(1)
    stock.reserve("A2", 1)
    assert stock.available == 0


def test_cancelled_pieces_are_free_again():
    stock = Stock(4)
    stock.reserve("A1", 4)
    stock.cancel("A1")
    stock.reserve("A2", 4)
    assert stock.reserved == 4
""",
    ),
    # ---------------------------------------------------------------- dates and times
    Program(
        name="contract_months",
        code=r'''
"""Terms of contracts."""

from calendar import monthrange
from datetime import date, timedelta


def add_months(start, months):
    """The same day some months later (or earlier, if negative).

    If that month is too short, its last day.
    """
    year = start.year + (start.month + months) // 12
    month = (start.month - 1 + months) % 12 + 1
    day = min(start.day, monthrange(year, month)[1])
    return date(year, month, day)


def end_of_term(start, months):
    """The last day of a contract which begins on `start`."""
    return add_months(start, months) - timedelta(days=1)


def due_dates(start, months, every=1):
    """The days on which payments are due during a term of `months`.

    The first payment is due on the first day, the others follow every
    `every` months.
    """
    return [add_months(start, passed) for passed in range(0, months, every)]


def latest_notice(start, months, notice=3):
    """The last day for giving notice: `notice` months before the end."""
    return add_months(start, months - notice) - timedelta(days=1)
''',
        wrong="year = start.year + (start.month + months) // 12",
        right="year = start.year + (start.month - 1 + months) // 12",
        visible=r"""
def test_within_the_year():
    assert add_months(date(2023, 3, 15), 2) == date(2023, 5, 15)
    assert add_months(date(2023, 3, 15), -2) == date(2023, 1, 15)


def test_across_the_year():
    assert add_months(date(2023, 11, 5), 3) == date(2024, 2, 5)
    assert add_months(date(2023, 2, 5), -3) == date(2022, 11, 5)


def test_short_month():
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)
    assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)


def test_end_of_term():
    assert end_of_term(date(2023, 3, 1), 12) == date(2024, 2, 29)


def test_due_dates():
    assert due_dates(date(2023, 6, 10), 12, every=3) == [
        date(2023, 6, 10),
        date(2023, 9, 10),
        date(2023, 12, 10),
        date(2024, 3, 10),
    ]


def test_latest_notice():
    assert latest_notice(date(2023, 1, 1), 12) == date(2023, 9, 30)
""",
        hidden=r"""
def test_december_stays_in_its_year():
    assert add_months(date(2023, 12, 31), 0) == date(2023, 12, 31)
    assert add_months(date(2023, 1, 31), 11) == date(2023, 12, 31)
    assert add_months(date(2023, 12, 1), 12) == date(2024, 12, 1)


def test_december_backwards():
    assert add_months(date(2023, 1, 10), -1) == date(2022, 12, 10)
    assert add_months(date(2023, 12, 10), -12) == date(2022, 12, 10)


def test_forth_and_back():
    for months in range(-40, 41):
        for month in range(1, 13):
            start = date(2020, month, 7)
            later = add_months(start, months)
            assert (later.year - 2020) * 12 + later.month - month == months
            assert add_months(later, -months) == start


def test_terms_in_december():
    assert end_of_term(date(2023, 6, 2), 6) == date(2023, 12, 1)
    assert latest_notice(date(2023, 12, 1), 3) == date(2023, 11, 30)
""",
    ),
    Program(
        name="office_days",
        code=r'''
"""Working days of the office."""

from datetime import date, timedelta


class OfficeCalendar:
    """Monday to Friday are working days, except for the holidays."""

    def __init__(self, holidays=()):
        self.holidays = set(holidays)

    def is_working_day(self, day):
        """Whether the office is open on that day."""
        return day.weekday() < 6 and day not in self.holidays

    def count(self, first, last):
        """Number of working days from `first` to `last`, both included."""
        days = (last - first).days + 1
        return sum(
            self.is_working_day(first + timedelta(days=n)) for n in range(days)
        )

    def add(self, day, working_days):
        """The working day which comes `working_days` after a day.

        For 0 it is the day itself, or the next working day if the office is
        closed on it.
        """
        while not self.is_working_day(day):
            day += timedelta(days=1)
        while working_days > 0:
            day += timedelta(days=1)
            if self.is_working_day(day):
                working_days -= 1
        return day

    def previous(self, day):
        """The last working day before a day."""
        day -= timedelta(days=1)
        while not self.is_working_day(day):
            day -= timedelta(days=1)
        return day
''',
        wrong="return day.weekday() < 6 and day not in self.holidays",
        right="return day.weekday() < 5 and day not in self.holidays",
        visible=r"""
def test_weekdays():
    calendar = OfficeCalendar()
    assert calendar.is_working_day(date(2024, 3, 4))
    assert calendar.is_working_day(date(2024, 3, 8))
    assert not calendar.is_working_day(date(2024, 3, 10))


def test_holiday():
    calendar = OfficeCalendar([date(2024, 5, 1)])
    assert not calendar.is_working_day(date(2024, 5, 1))


def test_count():
    calendar = OfficeCalendar()
    assert calendar.count(date(2024, 3, 4), date(2024, 3, 7)) == 4
    assert calendar.count(date(2024, 3, 4), date(2024, 3, 17)) == 10


def test_add():
    calendar = OfficeCalendar()
    assert calendar.add(date(2024, 3, 4), 2) == date(2024, 3, 6)
    assert calendar.add(date(2024, 3, 7), 2) == date(2024, 3, 11)


def test_previous():
    calendar = OfficeCalendar([date(2024, 3, 5)])
    assert calendar.previous(date(2024, 3, 6)) == date(2024, 3, 4)
""",
        hidden=r"""
def test_a_whole_week():
    calendar = OfficeCalendar()
    week = [date(2024, 7, 1) + timedelta(days=n) for n in range(7)]
    assert [calendar.is_working_day(day) for day in week] == [True] * 5 + [False] * 2


def test_add_from_weekend():
    calendar = OfficeCalendar()
    assert calendar.add(date(2024, 3, 9), 0) == date(2024, 3, 11)
    assert calendar.add(date(2024, 3, 10), 1) == date(2024, 3, 12)


def test_previous_over_the_weekend():
    calendar = OfficeCalendar()
    assert calendar.previous(date(2024, 3, 11)) == date(2024, 3, 8)


def test_long_weekend():
    calendar = OfficeCalendar([date(2024, 3, 29), date(2024, 4, 1)])
    assert calendar.add(date(2024, 3, 28), 1) == date(2024, 4, 2)
    assert calendar.count(date(2024, 3, 28), date(2024, 4, 2)) == 2


def test_empty_range():
    assert OfficeCalendar().count(date(2024, 3, 5), date(2024, 3, 4)) == 0
""",
    ),
    Program(
        name="outage_durations",
        code=r'''
"""Durations of outages, for the status page."""

from datetime import datetime, timedelta

UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def plural(count, word):
    """`count` and the word, with an "s" unless the count is 1."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def describe(start, end, parts=2):
    """How long did it take from `start` to `end`?

    The text has at most `parts` parts, beginning with the largest unit which
    is not 0; the rest is cut off, and units which are 0 are left out.

    >>> describe(datetime(2024, 1, 1, 8), datetime(2024, 1, 1, 9, 30))
    '1 hour 30 minutes'
    """
    seconds = (end - start).seconds
    words = []
    for word, size in UNITS:
        count, seconds = divmod(seconds, size)
        if words or count:
            words.append((count, word))
    shown = [plural(count, word) for count, word in words[:parts] if count]
    return " ".join(shown) or "0 seconds"


def availability(outages, period):
    """The percentage of the period (a timedelta) without outage.

    `outages` is a list of (start, end) which do not overlap.
    """
    down = sum((end - start for start, end in outages), timedelta())
    return round(100 * (1 - down / period), 2)
''',
        wrong="seconds = (end - start).seconds",
        right="seconds = int((end - start).total_seconds())",
        visible=r"""
def test_short_outage():
    start = datetime(2024, 5, 1, 10, 0, 0)
    assert describe(start, datetime(2024, 5, 1, 10, 0, 42)) == "42 seconds"
    assert describe(start, datetime(2024, 5, 1, 10, 1, 1)) == "1 minute 1 second"


def test_rest_is_cut_off():
    start = datetime(2024, 5, 1, 10, 0, 0)
    end = datetime(2024, 5, 1, 13, 20, 59)
    assert describe(start, end) == "3 hours 20 minutes"
    assert describe(start, end, parts=1) == "3 hours"


def test_days():
    start = datetime(2024, 5, 1, 10, 0)
    assert describe(start, datetime(2024, 5, 3, 15, 0)) == "2 days 5 hours"


def test_nothing():
    now = datetime(2024, 5, 1, 10, 0)
    assert describe(now, now) == "0 seconds"


def test_availability():
    start = datetime(2024, 5, 1, 10, 0)
    outages = [(start, start + timedelta(hours=6))]
    assert availability(outages, timedelta(days=1)) == 75
    assert availability([], timedelta(days=1)) == 100
""",
        hidden=r"""
def test_full_days():
    start = datetime(2024, 2, 28)
    assert describe(start, start + timedelta(days=1)) == "1 day"
    assert describe(start, start + timedelta(days=40)) == "40 days"


def test_zero_units_are_left_out():
    start = datetime(2024, 2, 28)
    end = start + timedelta(days=3, minutes=5)
    assert describe(start, end) == "3 days"
    assert describe(start, end, parts=3) == "3 days 5 minutes"


def test_all_parts():
    start = datetime(2024, 2, 28)
    end = start + timedelta(days=1, hours=1, minutes=1, seconds=1)
    assert describe(start, end, parts=4) == "1 day 1 hour 1 minute 1 second"


def test_just_below_a_day():
    start = datetime(2024, 2, 28)
    assert describe(start, start + timedelta(seconds=86_399), 4) == "23 hours 59 minutes 59 seconds"


def test_fractions_are_cut_off():
    start = datetime(2024, 2, 28)
    assert describe(start, start + timedelta(seconds=1.9)) == "1 second"
""",
    ),
    Program(
        name="weekly_backup",
        code=r'''
"""When does the next weekly job run?"""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True)
class WeeklyJob:
    """A job which runs once a week, on a weekday (0 is Monday) at a time."""

    name: str
    weekday: int
    at: time

    @classmethod
    def parse(cls, text):
        """Make a job from a text such as "backup fri 22:30"."""
        name, day, clock = text.split()
        hour, minute = clock.split(":")
        return cls(name, DAYS.index(day.lower()), time(int(hour), int(minute)))

    def next_run(self, now):
        """The first run after `now` (never `now` itself)."""
        ahead = (self.weekday - now.weekday()) % 7
        day = now.replace(day=now.day + ahead)
        run = datetime.combine(day.date(), self.at)
        if run <= now:
            run += timedelta(days=7)
        return run

    def runs(self, start, end):
        """All runs after `start` up to and including `end`."""
        run = self.next_run(start)
        result = []
        while run <= end:
            result.append(run)
            run = self.next_run(run)
        return result


def next_job(jobs, now):
    """The job which runs next; of several at the same time the first."""
    return min(jobs, key=lambda job: job.next_run(now))
''',
        wrong="day = now.replace(day=now.day + ahead)",
        right="day = now + timedelta(days=ahead)",
        visible=r"""
def test_parse():
    job = WeeklyJob.parse("backup Fri 22:30")
    assert job == WeeklyJob("backup", 4, time(22, 30))


def test_later_this_week():
    job = WeeklyJob("backup", 4, time(22, 30))
    assert job.next_run(datetime(2024, 5, 6, 12, 0)) == datetime(2024, 5, 10, 22, 30)


def test_today():
    job = WeeklyJob("backup", 0, time(22, 30))
    assert job.next_run(datetime(2024, 5, 6, 12, 0)) == datetime(2024, 5, 6, 22, 30)
    assert job.next_run(datetime(2024, 5, 6, 22, 30)) == datetime(2024, 5, 13, 22, 30)


def test_runs():
    job = WeeklyJob("backup", 2, time(1, 0))
    assert job.runs(datetime(2024, 5, 20), datetime(2024, 6, 5, 1, 0)) == [
        datetime(2024, 5, 22, 1, 0),
        datetime(2024, 5, 29, 1, 0),
        datetime(2024, 6, 5, 1, 0),
    ]


def test_next_run_in_next_month():
    job = WeeklyJob("report", 0, time(6, 0))
    assert job.next_run(datetime(2024, 5, 30, 9, 0)) == datetime(2024, 6, 3, 6, 0)


def test_next_job():
    jobs = [WeeklyJob("a", 4, time(1, 0)), WeeklyJob("b", 2, time(1, 0))]
    assert next_job(jobs, datetime(2024, 5, 6)).name == "b"
""",
        hidden=r"""
def test_across_the_year():
    job = WeeklyJob("a", 1, time(3, 15))
    assert job.next_run(datetime(2024, 12, 28, 8, 0)) == datetime(2024, 12, 31, 3, 15)
    assert job.next_run(datetime(2024, 12, 31, 4, 0)) == datetime(2025, 1, 7, 3, 15)
    assert job.next_run(datetime(2026, 12, 31, 4, 0)) == datetime(2027, 1, 5, 3, 15)


def test_end_of_february():
    job = WeeklyJob("a", 4, time(0, 0))
    assert job.next_run(datetime(2024, 2, 27)) == datetime(2024, 3, 1)


def test_every_day_of_a_year():
    job = WeeklyJob("a", 3, time(12, 0))
    for n in range(366):
        now = datetime(2024, 1, 1, 12, 0) + timedelta(days=n)
        run = job.next_run(now)
        assert run.weekday() == 3
        assert (run.hour, run.minute) == (12, 0)
        assert timedelta(0) < run - now <= timedelta(days=7)


def test_runs_of_a_quarter():
    job = WeeklyJob("a", 6, time(23, 59))
    runs = job.runs(datetime(2024, 1, 3), datetime(2024, 3, 31))
    assert len(runs) == 12
    assert runs[0] == datetime(2024, 1, 7, 23, 59)
    assert runs[-1] == datetime(2024, 3, 24, 23, 59)


def test_next_job_at_the_end_of_a_month():
    jobs = [WeeklyJob("a", 0, time(1, 0)), WeeklyJob("b", 6, time(1, 0))]
    assert next_job(jobs, datetime(2024, 8, 31, 2, 0)).name == "b"
""",
    ),
    # ---------------------------------------------------------------- reports and rankings
    Program(
        name="quiz_ranking",
        code=r'''
"""Rankings of the monthly quiz."""


def ranking(points):
    """The ranks of all players.

    `points` maps names to points.  The result is a list of (rank, name,
    points), the most points first and players with equal points by name.
    Players with equal points share a rank, and as many ranks are left out
    after them: after two winners the next one comes third.
    """
    ordered = sorted(points.items(), key=lambda item: (-item[1], item[0]))
    rows = []
    rank = 0
    previous = None
    for position, (name, score) in enumerate(ordered, start=1):
        if score != previous:
            rank += 1
        rows.append((rank, name, score))
        previous = score
    return rows


def medals(points):
    """The names on the ranks 1 to 3, as a dictionary of lists."""
    result = {1: [], 2: [], 3: []}
    for rank, name, _ in ranking(points):
        if rank in result:
            result[rank].append(name)
    return result


def as_text(points):
    """The ranking as lines of text."""
    return "\n".join(
        f"{rank:>3}. {name} ({score})" for rank, name, score in ranking(points)
    )
''',
        wrong="rank += 1",
        right="rank = position",
        visible=r"""
def test_different_points():
    assert ranking({"Ann": 5, "Bob": 9, "Cleo": 7}) == [
        (1, "Bob", 9),
        (2, "Cleo", 7),
        (3, "Ann", 5),
    ]


def test_equal_points():
    assert ranking({"Bob": 9, "Ann": 9, "Cleo": 7}) == [
        (1, "Ann", 9),
        (1, "Bob", 9),
        (3, "Cleo", 7),
    ]


def test_nobody():
    assert ranking({}) == []
    assert medals({}) == {1: [], 2: [], 3: []}


def test_medals():
    points = {"Ann": 5, "Bob": 9, "Cleo": 7, "Dan": 1}
    assert medals(points) == {1: ["Bob"], 2: ["Cleo"], 3: ["Ann"]}


def test_text():
    assert as_text({"Ann": 5, "Bob": 9}) == "  1. Bob (9)\n  2. Ann (5)"
""",
        hidden=r"""
def test_ties_in_the_middle_and_at_the_end():
    points = {"a": 10, "b": 8, "c": 8, "d": 8, "e": 2, "f": 0, "g": 0}
    assert [rank for rank, _, _ in ranking(points)] == [1, 2, 2, 2, 5, 6, 6]


def test_rank_is_one_more_than_number_of_better_players():
    points = {f"p{n}": (n * n) % 11 for n in range(40)}
    for rank, _, score in ranking(points):
        assert rank == 1 + sum(other > score for other in points.values())


def test_medals_with_ties():
    assert medals({"a": 3, "b": 3, "c": 2, "d": 1}) == {1: ["a", "b"], 2: [], 3: ["c"]}
    assert medals({"a": 3, "b": 3, "c": 3, "d": 1}) == {1: ["a", "b", "c"], 2: [], 3: []}


def test_all_equal():
    assert [row[0] for row in ranking({"x": 0, "y": 0, "z": 0})] == [1, 1, 1]
""",
    ),
    Program(
        name="text_table",
        code=r'''
"""Plain tables for reports sent by mail."""


def is_number(cell):
    """Whether a cell is a number, which is aligned to the right."""
    return isinstance(cell, (int, float)) and not isinstance(cell, bool)


def as_text(cell):
    """The text of a cell; None is shown as a dash."""
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:.2f}"
    return str(cell)


def format_table(header, rows):
    """A table as text.

    Each column is just wide enough for its header and all its cells, with two
    blanks between the columns and a line of dashes below the header.  No line
    ends with blanks.
    """
    texts = [[as_text(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts)]
    lines = [
        "  ".join(title.ljust(width) for title, width in zip(header, widths)),
        "  ".join("-" * width for width in widths),
    ]
    for row, text_row in zip(rows, texts):
        cells = [
            text.rjust(width) if is_number(cell) else text.ljust(width)
            for cell, text, width in zip(row, text_row, widths)
        ]
        lines.append("  ".join(cells))
    return "\n".join(line.rstrip() for line in lines)
''',
        wrong="widths = [max(map(len, column)) for column in zip(*texts)]",
        right="widths = [max(map(len, column)) for column in zip(header, *texts)]",
        visible=r"""
def test_wide_cells():
    assert format_table(["id", "name"], [[1001, "Miller"], [7, "Adam"]]) == (
        "id    name\n"
        "----  ------\n"
        "1001  Miller\n"
        "   7  Adam"
    )


def test_wide_header():
    assert format_table(["quantity", "item"], [[12, "bolts"], [3, "nuts"]]) == (
        "quantity  item\n"
        "--------  -----\n"
        "      12  bolts\n"
        "       3  nuts"
    )


def test_numbers_and_gaps():
    assert as_text(None) == "-"
    assert as_text(2.5) == "2.50"
    assert as_text(12) == "12"


def test_alignment():
    assert is_number(3) and is_number(2.5)
    assert not is_number("3") and not is_number(True)
""",
        hidden=r"""
def test_no_rows():
    assert format_table(["a", "bcd"], []) == "a  bcd\n-  ---"


def test_columns_line_up():
    text = format_table(["description", "x"], [["a", 1.5], ["bb", 22.25]])
    assert text.splitlines() == [
        "description  x",
        "-----------  -----",
        "a             1.50",
        "bb           22.25",
    ]


def test_gap_in_a_wide_column():
    text = format_table(["city", "rate"], [["Rome", None], ["Oslo", 1]])
    assert text.splitlines() == ["city  rate", "----  ----", "Rome  -", "Oslo     1"]


def test_header_and_cells_of_equal_width():
    assert format_table(["abc"], [["xyz"]]) == "abc\n---\nxyz"
""",
    ),
    Program(
        name="best_customers",
        code=r'''
"""The list of our best customers."""

from collections import defaultdict
from dataclasses import dataclass


@dataclass(frozen=True)
class Order:
    customer: str
    amount: int
    cancelled: bool = False


def totals(orders):
    """The sum of each customer's orders; cancelled ones do not count."""
    sums = defaultdict(int)
    for order in orders:
        if not order.cancelled:
            sums[order.customer] += order.amount
    return dict(sums)


def best_customers(orders, limit=3):
    """The customers with the highest totals, as a list of (name, total).

    Customers with equal totals are listed alphabetically.
    """
    items = totals(orders).items()
    ordered = sorted(items, key=lambda item: (item[1], item[0]), reverse=True)
    return ordered[:limit]


def share_of_best(orders, limit=3):
    """Which part of the sales comes from the best customers (0 to 1)?"""
    everything = sum(totals(orders).values())
    if not everything:
        return 0.0
    return sum(total for _, total in best_customers(orders, limit)) / everything


def report(orders, limit=3):
    """The list as text, with one line for each customer."""
    return "\n".join(f"{name}: {total}" for name, total in best_customers(orders, limit))
''',
        wrong="key=lambda item: (item[1], item[0]), reverse=True)",
        right="key=lambda item: (-item[1], item[0]))",
        visible=r"""
def test_totals():
    orders = [Order("Ann", 10), Order("Bob", 5), Order("Ann", 7), Order("Bob", 99, True)]
    assert totals(orders) == {"Ann": 17, "Bob": 5}


def test_best():
    orders = [Order("Ann", 10), Order("Bob", 30), Order("Cleo", 20), Order("Dan", 1)]
    assert best_customers(orders, 2) == [("Bob", 30), ("Cleo", 20)]


def test_equal_totals():
    orders = [Order("Dan", 10), Order("Ann", 10), Order("Bob", 30)]
    assert best_customers(orders) == [("Bob", 30), ("Ann", 10), ("Dan", 10)]


def test_share():
    orders = [Order("Ann", 10), Order("Bob", 30), Order("Cleo", 60)]
    assert share_of_best(orders, 1) == pytest.approx(0.6)
    assert share_of_best([]) == 0


def test_report():
    assert report([Order("Ann", 10), Order("Bob", 30)]) == "Bob: 30\nAnn: 10"
""",
        hidden=r"""
def test_limit_cuts_equal_totals_alphabetically():
    orders = [Order(name, 5) for name in ("Zoe", "Eve", "Max", "Ida")]
    assert best_customers(orders, 2) == [("Eve", 5), ("Ida", 5)]


def test_all_equal():
    orders = [Order(name, 1) for name in "dacb"]
    assert report(orders, 4) == "a: 1\nb: 1\nc: 1\nd: 1"


def test_mixed():
    orders = [Order("b", 2), Order("a", 1), Order("d", 2), Order("c", 1), Order("e", 9)]
    assert [name for name, _ in best_customers(orders, 10)] == ["e", "b", "d", "a", "c"]


def test_negative_totals_come_last():
    orders = [Order("a", -5), Order("b", 0), Order("c", 3)]
    assert best_customers(orders) == [("c", 3), ("b", 0), ("a", -5)]


def test_limit_zero():
    assert best_customers([Order("a", 1)], 0) == []
""",
    ),
    Program(
        name="region_report",
        code=r'''
"""Sales report, divided by regions."""

from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter


@dataclass(frozen=True)
class Sale:
    region: str
    seller: str
    amount: int


def by_region(sales):
    """Maps each region to the list of its sales, in their original order.

    The regions come alphabetically.
    """
    region_of = attrgetter("region")
    ordered = sorted(sales, key=region_of)
    return {region: list(group) for region, group in groupby(ordered, key=region_of)}


def seller_sums(sales):
    """List of (seller, sum), the sellers alphabetically."""
    seller_of = attrgetter("seller")
    return [
        (seller, sum(sale.amount for sale in group))
        for seller, group in groupby(sales, key=seller_of)
    ]


def report(sales):
    """The lines of the report: every region with its sum, and then the
    sellers of the region with theirs, and the sum of everything at the end."""
    lines = []
    for region, group in by_region(sales).items():
        lines.append(f"{region}: {sum(sale.amount for sale in group)}")
        for seller, amount in seller_sums(group):
            lines.append(f"  {seller}: {amount}")
    lines.append(f"Total: {sum(sale.amount for sale in sales)}")
    return lines
''',
        wrong="for seller, group in groupby(sales, key=seller_of)",
        right="for seller, group in groupby(sorted(sales, key=seller_of), key=seller_of)",
        visible=r"""
def test_by_region():
    sales = [Sale("South", "Ann", 5), Sale("North", "Bob", 2), Sale("South", "Cleo", 1)]
    regions = by_region(sales)
    assert list(regions) == ["North", "South"]
    assert [sale.amount for sale in regions["South"]] == [5, 1]


def test_seller_sums():
    sales = [Sale("South", "Ann", 5), Sale("South", "Ann", 3), Sale("South", "Bob", 1)]
    assert seller_sums(sales) == [("Ann", 8), ("Bob", 1)]


def test_report():
    sales = [
        Sale("South", "Ann", 5),
        Sale("North", "Bob", 2),
        Sale("South", "Cleo", 1),
        Sale("South", "Ann", 4),
    ]
    assert report(sales) == [
        "North: 2",
        "  Bob: 2",
        "South: 10",
        "  Ann: 9",
        "  Cleo: 1",
        "Total: 12",
    ]


def test_empty_report():
    assert report([]) == ["Total: 0"]
""",
        hidden=r"""
def test_sellers_are_listed_alphabetically():
    sales = [Sale("S", "Zoe", 1), Sale("S", "Max", 2), Sale("S", "Ann", 3)]
    assert seller_sums(sales) == [("Ann", 3), ("Max", 2), ("Zoe", 1)]


def test_each_seller_once():
    sales = [Sale("S", name, n) for n, name in enumerate("abcabcbca")]
    assert seller_sums(sales) == [("a", 0 + 3 + 8), ("b", 1 + 4 + 6), ("c", 2 + 5 + 7)]


def test_same_seller_in_two_regions():
    sales = [Sale("S", "b", 1), Sale("N", "b", 2), Sale("S", "a", 3), Sale("S", "b", 4)]
    assert report(sales) == ["N: 2", "  b: 2", "S: 8", "  a: 3", "  b: 5", "Total: 10"]


def test_sales_are_not_changed():
    sales = [Sale("S", "b", 1), Sale("N", "a", 2)]
    report(sales)
    assert [sale.seller for sale in sales] == ["b", "a"]
""",
    ),
    # ---------------------------------------------------------------- validation and configuration
    Program(
        name="layered_options",
        code=r'''
"""Options of a program, taken from several layers."""


class MissingOption(KeyError):
    """An option is set in no layer and has no default."""


class Options:
    """Looks options up in layers, for example command line, environment, file.

    The first layer in which an option is set wins.  An option counts as set
    unless it is missing or None.
    """

    def __init__(self, *layers, defaults=None):
        self._layers = layers
        self._defaults = defaults or {}

    def get(self, name):
        """The value of an option."""
        for layer in self._layers:
            value = layer.get(name)
            if value:
                return value
        if name in self._defaults:
            return self._defaults[name]
        raise MissingOption(name)

    def origin(self, name):
        """Number of the layer from which the option comes, None for a default."""
        for number, layer in enumerate(self._layers):
            if layer.get(name) is not None:
                return number
        return None

    def as_dict(self):
        """All options which are set anywhere or have a default."""
        names = set(self._defaults)
        for layer in self._layers:
            names.update(name for name in layer if layer[name] is not None)
        return {name: self.get(name) for name in sorted(names)}
''',
        wrong="if value:",
        right="if value is not None:",
        visible=r"""
def test_first_layer_wins():
    options = Options({"port": 1}, {"port": 2, "host": "x"})
    assert options.get("port") == 1
    assert options.get("host") == "x"


def test_default():
    options = Options({}, defaults={"port": 80})
    assert options.get("port") == 80
    assert options.origin("port") is None


def test_none_is_not_set():
    options = Options({"port": None}, {"port": 2})
    assert options.get("port") == 2
    assert options.origin("port") == 1


def test_switched_off():
    options = Options({"color": False}, {"color": True})
    assert options.get("color") is False


def test_missing():
    with pytest.raises(MissingOption):
        Options({"port": None}).get("port")


def test_as_dict():
    options = Options({"b": 1}, {"a": 2, "c": None}, defaults={"b": 9, "d": 4})
    assert options.as_dict() == {"a": 2, "b": 1, "d": 4}
""",
        hidden=r"""
def test_all_empty_values():
    for value in (0, 0.0, "", [], {}, False):
        options = Options({"x": value}, {"x": "other"}, defaults={"x": "default"})
        assert options.get("x") == value
        assert options.origin("x") == 0


def test_zero_in_lower_layer():
    options = Options({"retries": None}, {"retries": 0}, defaults={"retries": 3})
    assert options.get("retries") == 0
    assert options.as_dict() == {"retries": 0}


def test_empty_value_without_default():
    assert Options({"prefix": ""}).get("prefix") == ""
    assert Options({"prefix": ""}).as_dict() == {"prefix": ""}


def test_none_everywhere():
    options = Options({"x": None}, {"x": None}, defaults={"x": 7})
    assert options.get("x") == 7
""",
    ),
    Program(
        name="article_codes",
        code=r'''
"""Numbers of articles in bar codes."""

LENGTHS = (8, 12, 13, 14)


def clean(code):
    """The digits of a code, without blanks and dashes."""
    digits = code.replace(" ", "").replace("-", "")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"not a number: {code!r}")
    return digits


def check_digit(digits):
    """The check digit for a code which does not have one yet.

    From right to left the digits are multiplied by 3, 1, 3, 1 and so on; the
    check digit is what the sum lacks to the next multiple of 10.
    """
    total = 0
    for position, digit in enumerate(digits):
        total += int(digit) * (3 if position % 2 == 0 else 1)
    return str(-total % 10)


def is_valid(code):
    """Whether a code has one of the usual lengths and a correct check digit."""
    try:
        digits = clean(code)
    except ValueError:
        return False
    return len(digits) in LENGTHS and check_digit(digits[:-1]) == digits[-1]


def complete(code):
    """Append the check digit to a code."""
    digits = clean(code)
    if len(digits) + 1 not in LENGTHS:
        raise ValueError(f"wrong length: {code!r}")
    return digits + check_digit(digits)
''',
        wrong="for position, digit in enumerate(digits):",
        right="for position, digit in enumerate(reversed(digits)):",
        visible=r"""
def test_valid_13():
    assert is_valid("4006381333931")
    assert is_valid("400-6381 33393 1")


def test_wrong_check_digit():
    assert not is_valid("4006381333932")


def test_valid_8():
    assert is_valid("96385074")


def test_not_a_code():
    assert not is_valid("")
    assert not is_valid("abc")
    assert not is_valid("123")


def test_complete():
    assert complete("400638133393") == "4006381333931"
    with pytest.raises(ValueError):
        complete("12345")
""",
        hidden=r"""
def test_leading_zeros_do_not_matter():
    digits = "7351353"
    for zeros in ("", "0" * 4, "0" * 5, "0" * 6):
        assert check_digit(zeros + digits) == "7"
        assert is_valid(zeros + digits + "7")


def test_valid_12():
    assert complete("03600029145") == "036000291452"
    assert is_valid("036000291452")


def test_valid_14():
    assert is_valid("00012345600012")
    assert is_valid("10614141543219")


def test_only_one_check_digit_is_valid():
    for start in ("1234567", "12345678901", "123456789012", "1234567890123"):
        assert sum(is_valid(start + digit) for digit in "0123456789") == 1
        assert is_valid(complete(start))


def test_single_digits():
    assert check_digit("1") == "7"
    assert check_digit("0") == "0"
    assert check_digit("10") == "9"
""",
    ),
    Program(
        name="signup_form",
        code=r'''
"""Checks the form with which customers sign up."""

import re

EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


def check_name(value):
    """A name consists of 2 to 40 characters."""
    if not 2 <= len(value) <= 40:
        return "must have 2 to 40 characters"
    return None


def check_email(value):
    """Something like a@b.c is enough for us."""
    if not EMAIL.fullmatch(value):
        return "is not an address"
    return None


def check_age(value):
    """Only adults may sign up."""
    if not value.isdecimal() or int(value) < 18:
        return "must be a number from 18"
    return None


FIELDS = {"name": check_name, "email": check_email, "age": check_age}
OPTIONAL = {"age"}


def check_form(form):
    """Check all fields of a form; blanks around the values do not matter.

    Returns a dictionary with a message for each field which is wrong, in the
    order of FIELDS; it is empty if the form is in order.
    """
    errors = {}
    for field, check in FIELDS.items():
        value = form.get(field, "").strip()
        if not value:
            if field not in OPTIONAL:
                errors[field] = "is missing"
            continue
        message = check(value)
        if message:
            errors[field] = message
        return errors
''',
        wrong="        return errors",
        right="    return errors",
        visible=r"""
def test_fields():
    assert check_name("Ann Miller") is None
    assert check_name("A") == "must have 2 to 40 characters"
    assert check_email("ann@example.com") is None
    assert check_email("ann@example") == "is not an address"


def test_age():
    assert check_age("18") is None
    assert check_age("17") == "must be a number from 18"
    assert check_age("old") == "must be a number from 18"


def test_form_in_order():
    form = {"name": "Ann", "email": "ann@example.com", "age": "30"}
    assert check_form(form) == {}


def test_wrong_name():
    form = {"name": "A", "email": "ann@example.com"}
    assert check_form(form) == {"name": "must have 2 to 40 characters"}


def test_several_errors():
    form = {"name": "A", "email": "ann", "age": "12"}
    assert list(check_form(form)) == ["name", "email", "age"]


def test_empty_form():
    assert check_form({}) == {"name": "is missing", "email": "is missing"}
""",
        hidden=r"""
def test_only_the_last_field_is_wrong():
    form = {"name": "Ann", "email": "ann@example.com", "age": "5"}
    assert check_form(form) == {"age": "must be a number from 18"}


def test_missing_and_wrong():
    assert check_form({"email": "x", "age": ""}) == {
        "name": "is missing",
        "email": "is not an address",
    }
    assert check_form({"name": "Ann"}) == {"email": "is missing"}


def test_blanks():
    form = {"name": "  Ann ", "email": " ann@example.com\n", "age": "   "}
    assert check_form(form) == {}
    assert check_form({"name": "  ", "email": "a@b.c"}) == {"name": "is missing"}


def test_other_fields_are_ignored():
    form = {"name": "Ann", "email": "ann@example.com", "colour": ""}
    assert check_form(form) == {}
""",
    ),
    Program(
        name="settings_file",
        code=r'''
"""Reads the settings files of our tools."""


class SettingsError(ValueError):
    """A line of the settings file makes no sense."""


def convert(text):
    """Turn a value into True, False, an integer or a text.

    Quotes around a text are removed; it is not converted then.
    """
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if text.lower() in ("yes", "true", "on"):
        return True
    if text.lower() in ("no", "false", "off"):
        return False
    try:
        return int(text)
    except ValueError:
        return text


def parse(text):
    """Parse the content of a settings file.

    Each line has the form "name = value"; the value is everything after the
    first equals sign, without blanks around it.  Empty lines and lines
    beginning with "#" are ignored.
    """
    settings = {}
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        parts = line.split("=")
        if len(parts) != 2 or not parts[0].strip():
            raise SettingsError(f"line {number}: expected name = value")
        name, value = parts
        settings[name.strip()] = convert(value.strip())
    return settings
''',
        wrong='parts = line.split("=")',
        right='parts = line.split("=", 1)',
        visible=r"""
def test_convert():
    assert convert("12") == 12
    assert convert("Yes") is True
    assert convert("off") is False
    assert convert("'12'") == "12"
    assert convert("some text") == "some text"


def test_parse():
    text = "# server\nport = 8080\n\nhost=example.org\ndebug = no\n"
    assert parse(text) == {"port": 8080, "host": "example.org", "debug": False}


def test_error_with_line_number():
    with pytest.raises(SettingsError) as info:
        parse("port = 1\nhost")
    assert "line 2" in str(info.value)


def test_missing_name():
    with pytest.raises(SettingsError):
        parse("= 5")


def test_address_as_value():
    assert parse("url = http://example.org/?a=1") == {"url": "http://example.org/?a=1"}


def test_empty_value():
    assert parse("prefix =") == {"prefix": ""}
""",
        hidden=r"""
def test_several_equals_signs():
    assert parse("query = a=1&b=2&c=3") == {"query": "a=1&b=2&c=3"}
    assert parse("token=abc==") == {"token": "abc=="}
    assert parse("x==") == {"x": "="}


def test_quoted_value():
    assert parse('rule = "a = b"') == {"rule": "a = b"}


def test_name_is_still_needed():
    with pytest.raises(SettingsError):
        parse("=a=b")
    with pytest.raises(SettingsError):
        parse("  = a = b")


def test_comment_with_equals_signs():
    assert parse("# a = b = c\nd = 1") == {"d": 1}
""",
    ),
    # ---------------------------------------------------------------- simulations, scores and games
    Program(
        name="darts_leg",
        code=r'''
"""Score keeping for darts."""


class Dart:
    """One thrown dart: the field (1 to 20, 25 or 0 for a miss) and the factor."""

    def __init__(self, field, factor=1):
        if factor == 3 and field == 25:
            raise ValueError("there is no triple bull")
        self.field = field
        self.factor = factor

    @property
    def points(self):
        return self.field * self.factor


def play_turn(score, darts):
    """The score of a player after a turn of up to three darts.

    Points are subtracted from the score, and 0 must be reached exactly and
    with a double; darts after that are ignored.  If the score falls below 2
    in any other way, the turn is void, and the score is what it was before
    the turn.
    """
    left = score
    for dart in darts[:3]:
        left -= dart.points
        if left == 0 and dart.factor == 2:
            return 0
        if left < 2:
            return left + dart.points
    return left


def play_leg(turns, start=501):
    """Play the turns of a player until the score is 0.

    Returns the list of the scores after each turn.
    """
    scores = []
    score = start
    for darts in turns:
        score = play_turn(score, darts)
        scores.append(score)
        if score == 0:
            break
    return scores
''',
        wrong="return left + dart.points",
        right="return score",
        visible=r"""
def test_plain_turn():
    assert play_turn(501, [Dart(20, 3), Dart(20), Dart(5)]) == 416


def test_finish_with_double():
    assert play_turn(40, [Dart(20, 2)]) == 0
    assert play_turn(60, [Dart(20), Dart(20, 2), Dart(1)]) == 0


def test_too_many_points():
    assert play_turn(20, [Dart(19, 3)]) == 20
    assert play_turn(32, [Dart(12), Dart(25)]) == 32


def test_finish_without_double():
    assert play_turn(20, [Dart(20)]) == 20


def test_no_triple_bull():
    with pytest.raises(ValueError):
        Dart(25, 3)


def test_leg():
    turns = [[Dart(20, 3)], [Dart(1)], [Dart(20, 2)], [Dart(5)]]
    assert play_leg(turns, start=101) == [41, 40, 0]
""",
        hidden=r"""
def test_void_with_third_dart():
    assert play_turn(50, [Dart(10), Dart(10), Dart(20, 3)]) == 50
    assert play_turn(50, [Dart(10), Dart(10), Dart(10, 3)]) == 50


def test_one_left_is_void():
    assert play_turn(32, [Dart(11), Dart(20)]) == 32
    assert play_turn(3, [Dart(1), Dart(1)]) == 3


def test_two_left_is_fine():
    assert play_turn(32, [Dart(10), Dart(20)]) == 2
    assert play_turn(32, [Dart(10), Dart(20), Dart(1, 2)]) == 0


def test_leg_with_void_turn():
    turns = [[Dart(20), Dart(19), Dart(5)], [Dart(20), Dart(1, 2)]]
    assert play_leg(turns, start=40) == [40, 18]


def test_misses():
    assert play_turn(40, [Dart(0), Dart(0), Dart(20, 2)]) == 0
""",
    ),
    Program(
        name="counter_queue",
        code=r'''
"""Simulates the queue in front of the counters of a town hall."""

import heapq
from dataclasses import dataclass


@dataclass(frozen=True)
class Visit:
    arrival: int
    start: int
    end: int

    @property
    def waiting(self):
        return self.start - self.arrival


def simulate(visitors, counters):
    """Simulate a day.

    `visitors` is a list of (arrival, duration), ordered by arrival.  The
    visitors are served in that order, each at the counter which is free
    first; nobody is served before arriving.  Returns the list of visits.
    """
    if counters < 1:
        raise ValueError("at least one counter must be open")
    free_at = [0] * counters
    heapq.heapify(free_at)
    visits = []
    for arrival, duration in visitors:
        start = max(arrival, heapq.heappop(free_at))
        heapq.heappush(free_at, arrival + duration)
        visits.append(Visit(arrival, start, start + duration))
    return visits


def mean_waiting(visits):
    """Mean waiting time, 0 without visits."""
    if not visits:
        return 0
    return sum(visit.waiting for visit in visits) / len(visits)


def counters_needed(visitors, longest):
    """The smallest number of counters with which nobody waits for more
    than `longest`."""
    counters = 1
    while any(visit.waiting > longest for visit in simulate(visitors, counters)):
        counters += 1
    return counters
''',
        wrong="heapq.heappush(free_at, arrival + duration)",
        right="heapq.heappush(free_at, start + duration)",
        visible=r"""
def test_no_waiting():
    visits = simulate([(0, 5), (10, 5)], 1)
    assert visits == [Visit(0, 0, 5), Visit(10, 10, 15)]


def test_second_visitor_waits():
    visits = simulate([(0, 5), (2, 5)], 1)
    assert [visit.waiting for visit in visits] == [0, 3]


def test_queue_gets_longer():
    visits = simulate([(0, 10), (1, 10), (2, 10)], 1)
    assert [visit.start for visit in visits] == [0, 10, 20]
    assert mean_waiting(visits) == 9


def test_two_counters():
    visits = simulate([(0, 10), (1, 3), (2, 4)], 2)
    assert [visit.start for visit in visits] == [0, 1, 4]


def test_no_visits():
    assert simulate([], 2) == []
    assert mean_waiting([]) == 0


def test_no_counters():
    with pytest.raises(ValueError):
        simulate([(0, 1)], 0)
""",
        hidden=r"""
def test_all_at_once():
    visits = simulate([(0, 4)] * 5, 1)
    assert [visit.end for visit in visits] == [4, 8, 12, 16, 20]
    visits = simulate([(0, 4)] * 5, 2)
    assert [visit.end for visit in visits] == [4, 4, 8, 8, 12]


def test_counters_serve_one_visitor_at_a_time():
    visitors = [(n, 3 + n * 5 % 7) for n in range(20)]
    for counters in (1, 2, 3):
        visits = simulate(visitors, counters)
        for visit in visits:
            busy = sum(v.start <= visit.start < v.end for v in visits)
            assert busy <= counters


def test_counters_needed():
    visitors = [(0, 10), (1, 10), (2, 10), (3, 10)]
    assert counters_needed(visitors, 0) == 4
    assert counters_needed(visitors, 9) == 2
    assert counters_needed(visitors, 18) == 2
    assert counters_needed(visitors, 27) == 1


def test_queue_empties_again():
    visits = simulate([(0, 6), (1, 6), (2, 6), (30, 1)], 1)
    assert visits[-1] == Visit(30, 30, 31)
    assert visits[2] == Visit(2, 12, 18)
""",
    ),
    Program(
        name="league_table",
        code=r'''
"""The table of our company's football league."""

from dataclasses import dataclass


@dataclass
class Team:
    name: str
    played: int = 0
    points: int = 0
    scored: int = 0
    conceded: int = 0

    @property
    def difference(self):
        return self.scored - self.conceded


class League:
    """Collects results: 3 points for a win, 1 for a draw."""

    def __init__(self):
        self._teams = {}

    def team(self, name):
        """The record of a team, which is created when necessary."""
        return self._teams.setdefault(name, Team(name))

    def add_result(self, home, away, home_goals, away_goals):
        """Enter the result of a match."""
        self._record(home, home_goals, away_goals)
        self._record(away, home_goals, away_goals)

    def _record(self, name, scored, conceded):
        team = self.team(name)
        team.played += 1
        team.scored += scored
        team.conceded += conceded
        if scored > conceded:
            team.points += 3
        elif scored == conceded:
            team.points += 1

    def table(self):
        """All teams: by points, goal difference, goals scored, and name."""
        return sorted(
            self._teams.values(),
            key=lambda t: (-t.points, -t.difference, -t.scored, t.name),
        )

    def leader(self):
        """The name of the first team, None before the first match."""
        table = self.table()
        return table[0].name if table else None
''',
        wrong="self._record(away, home_goals, away_goals)",
        right="self._record(away, away_goals, home_goals)",
        visible=r"""
def test_draw():
    league = League()
    league.add_result("Sales", "Works", 2, 2)
    assert league.team("Sales").points == 1
    assert league.team("Works").points == 1


def test_home_win():
    league = League()
    league.add_result("Sales", "Works", 3, 1)
    assert league.team("Sales").points == 3
    assert league.team("Works").points == 0


def test_goals_of_the_home_team():
    league = League()
    league.add_result("Sales", "Works", 3, 1)
    league.add_result("Sales", "Office", 0, 2)
    team = league.team("Sales")
    assert (team.played, team.scored, team.conceded) == (2, 3, 3)
    assert team.difference == 0


def test_table():
    league = League()
    league.add_result("Sales", "Works", 0, 1)
    league.add_result("Works", "Office", 2, 0)
    league.add_result("Office", "Sales", 1, 1)
    assert [team.name for team in league.table()] == ["Works", "Sales", "Office"]


def test_no_matches():
    assert League().leader() is None
""",
        hidden=r"""
def test_away_win():
    league = League()
    league.add_result("A", "B", 0, 4)
    assert league.team("B").points == 3
    assert league.team("B").difference == 4
    assert league.team("A").points == 0
    assert league.leader() == "B"


def test_goals_add_up():
    league = League()
    for n, (home, away) in enumerate([("A", "B"), ("B", "C"), ("C", "A"), ("B", "A")]):
        league.add_result(home, away, n, 3 - n)
    teams = league.table()
    assert sum(team.difference for team in teams) == 0
    assert sum(team.scored for team in teams) == 12
    assert sum(team.played for team in teams) == 8
    assert sum(team.points for team in teams) == 12


def test_difference_decides():
    league = League()
    league.add_result("A", "C", 1, 0)
    league.add_result("C", "B", 0, 3)
    assert [team.name for team in league.table()] == ["B", "A", "C"]


def test_high_draw():
    league = League()
    league.add_result("A", "B", 5, 5)
    league.add_result("C", "D", 0, 0)
    assert [team.name for team in league.table()] == ["A", "B", "C", "D"]
""",
    ),
    Program(
        name="tower_game",
        code=r'''
"""A small tower defence game: enemies walk along a path to the castle."""

from dataclasses import dataclass


@dataclass
class Enemy:
    name: str
    position: int
    health: int
    speed: int = 1


class Game:
    """Enemies on a path; the castle stands at position `goal`."""

    def __init__(self, goal, lives=3):
        self.goal = goal
        self.lives = lives
        self.gold = 0
        self.enemies = []

    def spawn(self, name, health, speed=1, position=0):
        """A new enemy appears."""
        self.enemies.append(Enemy(name, position, health, speed))

    def blast(self, centre, radius, damage):
        """All enemies within the radius (included) lose health.

        Enemies without health left are removed, for 10 gold each.
        """
        for enemy in self.enemies:
            if abs(enemy.position - centre) <= radius:
                enemy.health -= damage
                if enemy.health <= 0:
                    self.enemies.remove(enemy)
                    self.gold += 10

    def step(self):
        """All enemies walk on; those which reach the castle disappear and
        cost a life each."""
        for enemy in self.enemies:
            enemy.position += enemy.speed
        arrived = [e for e in self.enemies if e.position >= self.goal]
        self.enemies = [e for e in self.enemies if e.position < self.goal]
        self.lives = max(0, self.lives - len(arrived))

    def names(self):
        """The names of the enemies which are left, in the order of appearance."""
        return [enemy.name for enemy in self.enemies]
''',
        wrong="""        for enemy in self.enemies:
            if abs""",
        right="""        for enemy in list(self.enemies):
            if abs""",
        visible=r"""
def test_blast_hurts():
    game = Game(10)
    game.spawn("orc", health=5)
    game.blast(0, 1, damage=2)
    assert game.enemies[0].health == 3
    assert game.gold == 0


def test_blast_kills():
    game = Game(10)
    game.spawn("orc", health=2)
    game.blast(1, 1, damage=2)
    assert game.names() == []
    assert game.gold == 10


def test_blast_hits_a_group():
    game = Game(10)
    for name in ("orc", "troll", "bat"):
        game.spawn(name, health=2)
    game.blast(0, 2, damage=3)
    assert game.names() == []
    assert game.gold == 30


def test_out_of_range():
    game = Game(10)
    game.spawn("orc", health=2, position=4)
    game.blast(1, 2, damage=5)
    assert game.names() == ["orc"]


def test_step():
    game = Game(3, lives=1)
    game.spawn("orc", health=1)
    game.spawn("bat", health=1, speed=3)
    game.spawn("owl", health=1, speed=5)
    game.step()
    assert game.names() == ["orc"]
    assert game.lives == 0
""",
        hidden=r"""
def test_enemy_behind_a_killed_one_is_hurt():
    game = Game(10)
    game.spawn("orc", health=1)
    game.spawn("troll", health=9)
    game.blast(0, 0, damage=4)
    assert game.names() == ["troll"]
    assert game.enemies[0].health == 5


def test_large_group():
    game = Game(100)
    for n in range(20):
        game.spawn(f"e{n}", health=1 + n % 3, position=n)
    game.blast(10, 5, damage=2)
    left = {f"e{n}" for n in range(20) if not 5 <= n <= 15 or n % 3 == 2}
    assert set(game.names()) == left
    assert game.gold == (20 - len(left)) * 10
    hurt = [e for e in game.enemies if 5 <= e.position <= 15]
    assert all(e.health == 1 for e in hurt)


def test_order_is_kept():
    game = Game(10)
    for name, health in (("a", 1), ("b", 5), ("c", 1), ("d", 1), ("e", 5)):
        game.spawn(name, health)
    game.blast(0, 0, damage=1)
    assert game.names() == ["b", "e"]


def test_two_blasts():
    game = Game(10)
    for name in "abc":
        game.spawn(name, health=2)
    game.blast(0, 1, damage=1)
    assert game.names() == ["a", "b", "c"]
    game.blast(0, 1, damage=1)
    assert game.gold == 30
""",
    ),
)
