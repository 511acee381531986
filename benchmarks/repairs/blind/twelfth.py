"""Programs of ten kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # Data structures
    Program(
        name="ring_buffer_of_latest",
        code=r'''"""A fixed-size buffer that keeps only the latest items."""


class RingBuffer:
    """Hold at most ``capacity`` items; a push on a full buffer drops the oldest."""

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self._slots = [None] * capacity
        self._head = 0
        self._count = 0

    def push(self, item):
        """Add an item as the newest one."""
        if self._count == len(self._slots):
            self._slots[self._head] = item
            return
        tail = (self._head + self._count) % len(self._slots)
        self._slots[tail] = item
        self._count += 1

    def pop(self):
        """Remove and return the oldest item; IndexError when there is none."""
        if self._count == 0:
            raise IndexError("the buffer is empty")
        oldest = self._slots[self._head]
        self._slots[self._head] = None
        self._head = (self._head + 1) % len(self._slots)
        self._count -= 1
        return oldest

    def __len__(self):
        return self._count

    def __iter__(self):
        """Go through the items from the oldest to the newest."""
        for offset in range(self._count):
            yield self._slots[(self._head + offset) % len(self._slots)]
''',
        wrong="            self._slots[self._head] = item\n            return",
        right="            self._slots[self._head] = item\n            self._head = (self._head + 1) % len(self._slots)\n            return",
        visible=r"""
def test_keeps_order_below_capacity():
    buffer = RingBuffer(3)
    buffer.push("a")
    buffer.push("b")
    assert list(buffer) == ["a", "b"]
    assert len(buffer) == 2


def test_full_buffer_drops_oldest():
    buffer = RingBuffer(3)
    for number in range(5):
        buffer.push(number)
    assert list(buffer) == [2, 3, 4]


def test_pop_gives_oldest():
    buffer = RingBuffer(2)
    buffer.push(1)
    buffer.push(2)
    assert buffer.pop() == 1
    assert len(buffer) == 1


def test_pop_from_empty():
    with pytest.raises(IndexError):
        RingBuffer(1).pop()
""",
        hidden=r"""
def test_one_overwrite():
    buffer = RingBuffer(3)
    for letter in "abcd":
        buffer.push(letter)
    assert list(buffer) == ["b", "c", "d"]
    assert buffer.pop() == "b"


def test_exactly_full():
    buffer = RingBuffer(3)
    for letter in "abc":
        buffer.push(letter)
    assert list(buffer) == ["a", "b", "c"]
    assert len(buffer) == 3


def test_capacity_one():
    buffer = RingBuffer(1)
    buffer.push(1)
    buffer.push(2)
    assert list(buffer) == [2]
    assert buffer.pop() == 2
    assert len(buffer) == 0


def test_many_rounds():
    buffer = RingBuffer(4)
    for number in range(23):
        buffer.push(number)
    assert list(buffer) == [19, 20, 21, 22]


def test_pop_then_push_wraps():
    buffer = RingBuffer(2)
    buffer.push(1)
    buffer.push(2)
    buffer.pop()
    buffer.push(3)
    assert list(buffer) == [2, 3]
    buffer.push(4)
    assert list(buffer) == [3, 4]


def test_length_never_above_capacity():
    buffer = RingBuffer(2)
    for number in range(9):
        buffer.push(number)
    assert len(buffer) == 2


def test_bad_capacity():
    with pytest.raises(ValueError):
        RingBuffer(0)
""",
    ),
    Program(
        name="slot_pool_handles",
        code=r'''"""A pool of reusable slots addressed by handles that can go stale."""


class SlotPool:
    """Store values in slots.

    A handle is a pair (index, generation).  Each time a slot is released its
    generation grows, so handles given out earlier stop being valid.
    """

    def __init__(self):
        self._values = []
        self._generations = []
        self._used = []

    def add(self, value):
        """Put the value into the first free slot and return its handle."""
        for index, used in enumerate(self._used):
            if not used:
                self._values[index] = value
                self._used[index] = True
                return index, self._generations[index]
        self._values.append(value)
        self._generations.append(0)
        self._used.append(True)
        return len(self._values) - 1, 0

    def is_valid(self, handle):
        """Say whether the handle still belongs to a stored value."""
        index, generation = handle
        if not 0 <= index < len(self._values):
            return False
        return self._used[index] or self._generations[index] == generation

    def get(self, handle):
        """Return the value of a valid handle; KeyError for any other."""
        if not self.is_valid(handle):
            raise KeyError(handle)
        return self._values[handle[0]]

    def release(self, handle):
        """Free the slot of a valid handle; KeyError for any other."""
        if not self.is_valid(handle):
            raise KeyError(handle)
        index = handle[0]
        self._values[index] = None
        self._used[index] = False
        self._generations[index] += 1
''',
        wrong="return self._used[index] or self._generations[index] == generation",
        right="return self._used[index] and self._generations[index] == generation",
        visible=r"""
def test_add_and_get():
    pool = SlotPool()
    first = pool.add("apple")
    second = pool.add("pear")
    assert pool.get(first) == "apple"
    assert pool.get(second) == "pear"


def test_released_handle_is_gone():
    pool = SlotPool()
    handle = pool.add("apple")
    pool.release(handle)
    assert not pool.is_valid(handle)


def test_slot_is_reused_with_new_generation():
    pool = SlotPool()
    old = pool.add("apple")
    pool.release(old)
    new = pool.add("pear")
    assert new == (0, 1)


def test_stale_handle_does_not_reach_new_value():
    pool = SlotPool()
    old = pool.add("apple")
    pool.release(old)
    pool.add("pear")
    with pytest.raises(KeyError):
        pool.get(old)
""",
        hidden=r"""
def test_stale_is_not_valid_after_reuse():
    pool = SlotPool()
    old = pool.add(1)
    pool.release(old)
    new = pool.add(2)
    assert pool.is_valid(new)
    assert not pool.is_valid(old)


def test_future_handle_of_free_slot_is_not_valid():
    pool = SlotPool()
    old = pool.add(1)
    pool.release(old)
    assert not pool.is_valid((0, 1))


def test_release_twice():
    pool = SlotPool()
    handle = pool.add(1)
    pool.release(handle)
    with pytest.raises(KeyError):
        pool.release(handle)


def test_stale_release_keeps_new_value():
    pool = SlotPool()
    old = pool.add(1)
    pool.release(old)
    new = pool.add(2)
    with pytest.raises(KeyError):
        pool.release(old)
    assert pool.get(new) == 2


def test_unknown_index():
    pool = SlotPool()
    assert not pool.is_valid((0, 0))
    assert not pool.is_valid((-1, 0))


def test_first_free_slot_is_taken():
    pool = SlotPool()
    handles = [pool.add(letter) for letter in "abc"]
    pool.release(handles[1])
    assert pool.add("d") == (1, 1)
    assert pool.add("e") == (3, 0)
    assert pool.get(handles[2]) == "c"


def test_wrong_generation_of_used_slot():
    pool = SlotPool()
    pool.add("a")
    assert not pool.is_valid((0, 5))
""",
    ),
    Program(
        name="sparse_vector_sums",
        code=r'''"""Vectors that store only the entries which are not zero."""


class SparseVector:
    """A vector given by a mapping from positions to values.

    Operations give new vectors and leave their operands as they were.
    """

    def __init__(self, entries=None):
        entries = entries or {}
        self._entries = {
            position: value for position, value in entries.items() if value != 0
        }

    def __getitem__(self, position):
        return self._entries.get(position, 0)

    def __eq__(self, other):
        return self._entries == other._entries

    def positions(self):
        """Return the sorted positions of the entries that are not zero."""
        return sorted(self._entries)

    def __add__(self, other):
        total = self._entries
        for position, value in other._entries.items():
            total[position] = total.get(position, 0) + value
        return SparseVector(total)

    def scaled(self, factor):
        """Return this vector with all entries multiplied by the factor."""
        return SparseVector(
            {position: value * factor for position, value in self._entries.items()}
        )

    def dot(self, other):
        """Return the sum of the products of the entries at equal positions."""
        return sum(value * other[position] for position, value in self._entries.items())
''',
        wrong="        total = self._entries\n",
        right="        total = dict(self._entries)\n",
        visible=r"""
def test_sum_has_both():
    total = SparseVector({0: 1, 3: 2}) + SparseVector({3: 5, 4: 1})
    assert [total[i] for i in range(5)] == [1, 0, 0, 7, 1]


def test_operands_stay_as_they_were():
    left = SparseVector({0: 1})
    right = SparseVector({0: 2, 1: 3})
    left + right
    assert left == SparseVector({0: 1})
    assert right == SparseVector({0: 2, 1: 3})


def test_zeros_vanish():
    total = SparseVector({2: 4}) + SparseVector({2: -4})
    assert total.positions() == []


def test_dot():
    assert SparseVector({1: 2, 5: 3}).dot(SparseVector({5: 4, 6: 9})) == 12


def test_scaled():
    assert SparseVector({1: 2}).scaled(3) == SparseVector({1: 6})
""",
        hidden=r"""
def test_adding_twice_gives_the_same():
    left = SparseVector({0: 1, 2: 5})
    right = SparseVector({2: 1})
    assert left + right == left + right
    assert (left + right)[2] == 6


def test_chain_of_sums():
    unit = SparseVector({0: 1})
    total = unit + unit + unit
    assert total[0] == 3
    assert unit[0] == 1


def test_left_positions_unchanged():
    left = SparseVector({1: 1})
    left + SparseVector({7: 2})
    assert left.positions() == [1]
    assert left[7] == 0


def test_sum_with_empty():
    empty = SparseVector()
    other = SparseVector({3: 3})
    assert empty + other == other
    assert other + empty == other
    assert empty.positions() == []


def test_zero_entries_dropped_on_creation():
    assert SparseVector({1: 0, 2: 2}).positions() == [2]


def test_scaled_by_zero():
    vector = SparseVector({1: 4, 2: 5})
    assert vector.scaled(0).positions() == []
    assert vector.positions() == [1, 2]


def test_dot_without_common_positions():
    assert SparseVector({1: 1}).dot(SparseVector({2: 1})) == 0


def test_given_mapping_is_not_shared():
    entries = {1: 1}
    vector = SparseVector(entries)
    entries[1] = 9
    assert vector[1] == 1
""",
    ),
    Program(
        name="fenwick_tree_sums",
        code=r'''"""Running totals over a list of numbers that changes."""


class RunningTotals:
    """A Fenwick tree over ``size`` numbers, all zero at first."""

    def __init__(self, size):
        self._size = size
        self._tree = [0] * (size + 1)

    @classmethod
    def of(cls, numbers):
        """Build the tree for the given numbers."""
        totals = cls(len(numbers))
        for index, number in enumerate(numbers):
            totals.add(index, number)
        return totals

    def add(self, index, amount):
        """Add the amount to the number at the index (counted from 0)."""
        if not 0 <= index < self._size:
            raise IndexError(index)
        position = index + 1
        while position < self._size:
            self._tree[position] += amount
            position += position & -position

    def prefix(self, count):
        """Return the sum of the first ``count`` numbers."""
        total = 0
        while count > 0:
            total += self._tree[count]
            count -= count & -count
        return total

    def between(self, start, stop):
        """Return the sum of the numbers from start up to, not including, stop."""
        return self.prefix(stop) - self.prefix(start)
''',
        wrong="        while position < self._size:",
        right="        while position <= self._size:",
        visible=r"""
def test_prefix():
    totals = RunningTotals.of([5, 1, 4, 2, 3])
    assert totals.prefix(0) == 0
    assert totals.prefix(3) == 10


def test_between():
    totals = RunningTotals.of([5, 1, 4, 2, 3])
    assert totals.between(1, 4) == 7


def test_whole_sum():
    totals = RunningTotals.of([1, 2, 3, 4])
    assert totals.prefix(4) == 10


def test_add_changes_sums():
    totals = RunningTotals.of([1, 1, 1, 1, 1])
    totals.add(2, 10)
    assert totals.prefix(2) == 2
    assert totals.prefix(4) == 14


def test_bad_index():
    with pytest.raises(IndexError):
        RunningTotals(3).add(3, 1)
""",
        hidden=r"""
@pytest.mark.parametrize("size", range(0, 12))
def test_all_ranges(size):
    numbers = [(7 * i + 3) % 10 for i in range(size)]
    totals = RunningTotals.of(numbers)
    for start in range(size + 1):
        for stop in range(start, size + 1):
            assert totals.between(start, stop) == sum(numbers[start:stop])


def test_single():
    totals = RunningTotals.of([42])
    assert totals.prefix(1) == 42
    assert totals.between(0, 1) == 42


def test_last_number():
    totals = RunningTotals.of([1, 2, 3])
    assert totals.between(2, 3) == 3


def test_add_to_last():
    totals = RunningTotals(6)
    totals.add(5, 4)
    totals.add(5, 3)
    assert totals.prefix(5) == 0
    assert totals.prefix(6) == 7


def test_negative_amounts():
    totals = RunningTotals.of([3, 3, 3])
    totals.add(1, -5)
    assert totals.between(0, 3) == 4
    assert totals.between(1, 2) == -2


def test_bad_indexes():
    totals = RunningTotals(2)
    for index in (-1, 2, 9):
        with pytest.raises(IndexError):
            totals.add(index, 1)


def test_empty():
    assert RunningTotals(0).prefix(0) == 0
""",
    ),
    # Recursion
    Program(
        name="nested_weighted_total",
        code=r'''"""Totals over nested lists of numbers."""


def depth_of(item):
    """Return how deeply lists are nested in the item: 0 for a plain number."""
    if not isinstance(item, list):
        return 0
    return 1 + max((depth_of(part) for part in item), default=0)


def flat(item):
    """Return all numbers of the nested list from left to right."""
    if not isinstance(item, list):
        return [item]
    numbers = []
    for part in item:
        numbers.extend(flat(part))
    return numbers


def weighted_total(items, depth=1):
    """Add up the numbers, each multiplied by its depth.

    Numbers directly in the outermost list have depth 1, those in a list
    inside it have depth 2, and so on.
    """
    total = 0
    for item in items:
        if isinstance(item, list):
            total += weighted_total(item, depth)
        else:
            total += depth * item
    return total
''',
        wrong="weighted_total(item, depth)\n",
        right="weighted_total(item, depth + 1)\n",
        visible=r"""
def test_flat_list():
    assert weighted_total([1, 2, 3]) == 6


def test_one_level():
    assert weighted_total([4, [5, 6]]) == 4 + 2 * 11


def test_empty():
    assert weighted_total([]) == 0


def test_depth():
    assert depth_of(7) == 0
    assert depth_of([1, [2, [3]]]) == 3


def test_flat():
    assert flat([1, [2, [3, 4]], 5]) == [1, 2, 3, 4, 5]
""",
        hidden=r"""
def test_three_levels():
    assert weighted_total([1, [1, [1]]]) == 6


def test_siblings_share_depth():
    assert weighted_total([[1], [1], 1]) == 5


def test_depth_goes_back_after_a_list():
    assert weighted_total([[10, [1]], 7, [2]]) == 20 + 3 + 7 + 4


def test_empty_inner_lists():
    assert weighted_total([[], [[]], 3]) == 3


def test_negative_numbers():
    assert weighted_total([-1, [2], [[-3]]]) == -1 + 4 - 9


def test_deep_single():
    assert weighted_total([[[[[2]]]]]) == 10


def test_depth_of_empty_lists():
    assert depth_of([]) == 1
    assert depth_of([[], 1]) == 2


def test_flat_of_number():
    assert flat(3) == [3]
    assert flat([[], [[]]]) == []
""",
    ),
    Program(
        name="partitions_with_distinct_parts",
        code=r'''"""Ways to write a number as a sum of different whole numbers."""


def distinct_partitions(total, largest=None):
    """Return all ways to write the total as a sum of different positive parts.

    The parts of each way go from the largest down.  Ways with a larger first
    part come first.  No part is above ``largest`` when that is given.  Zero
    can be written in one way, with no parts.
    """
    if total < 0:
        raise ValueError("total must not be negative")
    if total == 0:
        return [[]]
    if largest is None:
        largest = total
    ways = []
    for part in range(min(total, largest), 0, -1):
        for rest in distinct_partitions(total - part, part):
            ways.append([part] + rest)
    return ways


def longest_partition(total):
    """Return the way with the most parts; the first of them if there are more."""
    return max(distinct_partitions(total), key=len)


def as_text(parts):
    """Write the parts as a sum, like "3 + 2"."""
    return " + ".join(str(part) for part in parts)
''',
        wrong="distinct_partitions(total - part, part)",
        right="distinct_partitions(total - part, part - 1)",
        visible=r"""
def test_three():
    assert distinct_partitions(3) == [[3], [2, 1]]


def test_one():
    assert distinct_partitions(1) == [[1]]


def test_zero():
    assert distinct_partitions(0) == [[]]


def test_longest():
    assert longest_partition(6) == [3, 2, 1]


def test_text():
    assert as_text([3, 2]) == "3 + 2"
""",
        hidden=r"""
def test_six():
    assert distinct_partitions(6) == [[6], [5, 1], [4, 2], [3, 2, 1]]


def test_two_has_one_way():
    assert distinct_partitions(2) == [[2]]


@pytest.mark.parametrize(
    "total, count", [(4, 2), (5, 3), (7, 5), (8, 6), (9, 8), (10, 10)]
)
def test_counts(total, count):
    assert len(distinct_partitions(total)) == count


def test_parts_differ_and_sum_up():
    for way in distinct_partitions(12):
        assert sum(way) == 12
        assert len(set(way)) == len(way)
        assert way == sorted(way, reverse=True)


def test_largest_limit():
    assert distinct_partitions(6, 4) == [[4, 2], [3, 2, 1]]
    assert distinct_partitions(5, 2) == []


def test_limit_above_total():
    assert distinct_partitions(3, 10) == [[3], [2, 1]]


def test_negative():
    with pytest.raises(ValueError):
        distinct_partitions(-1)


def test_longest_first_of_several():
    assert longest_partition(5) == [4, 1]


def test_text_of_single():
    assert as_text([4]) == "4"
""",
    ),
    Program(
        name="formula_derivative",
        code=r'''"""Derivatives of formulas in one variable.

A formula is a number, the string "x", or one of the tuples
("add", a, b), ("mul", a, b) and ("pow", a, n) where a and b are formulas
and n is a positive whole number.
"""


def evaluate(formula, x):
    """Return the value of the formula at x."""
    if formula == "x":
        return x
    if not isinstance(formula, tuple):
        return formula
    name, first, second = formula
    if name == "add":
        return evaluate(first, x) + evaluate(second, x)
    if name == "mul":
        return evaluate(first, x) * evaluate(second, x)
    if name == "pow":
        return evaluate(first, x) ** second
    raise ValueError(f"unknown operation: {name}")


def derivative(formula):
    """Return a formula for the derivative of the given one."""
    if formula == "x":
        return 1
    if not isinstance(formula, tuple):
        return 0
    name, first, second = formula
    if name == "add":
        return ("add", derivative(first), derivative(second))
    if name == "mul":
        return (
            "add",
            ("mul", derivative(first), second),
            ("mul", first, derivative(second)),
        )
    if name == "pow":
        outer = ("mul", second, ("pow", first, second))
        return ("mul", outer, derivative(first))
    raise ValueError(f"unknown operation: {name}")


def slope(formula, x):
    """Return the slope of the formula at x."""
    return evaluate(derivative(formula), x)
''',
        wrong='("pow", first, second))',
        right='("pow", first, second - 1))',
        visible=r"""
def test_evaluate():
    assert evaluate(("add", ("mul", 3, "x"), 4), 5) == 19


def test_slope_of_line():
    assert slope(("add", ("mul", 3, "x"), 4), 5) == 3


def test_slope_of_product():
    assert slope(("mul", "x", ("add", "x", 1)), 2) == 5


def test_slope_of_square():
    assert slope(("pow", "x", 2), 3) == 6


def test_unknown_operation():
    with pytest.raises(ValueError):
        derivative(("div", "x", 2))
""",
        hidden=r"""
def test_cube():
    assert slope(("pow", "x", 3), 2) == 12
    assert slope(("pow", "x", 3), -1) == 3


def test_first_power():
    assert slope(("pow", "x", 1), 10) == 1


def test_inner_derivative():
    assert slope(("pow", ("add", ("mul", 2, "x"), 1), 2), 1) == 12


def test_square_at_zero():
    assert slope(("pow", "x", 2), 0) == 0


def test_polynomial():
    formula = ("add", ("mul", 5, ("pow", "x", 4)), ("mul", -2, "x"))
    assert slope(formula, 2) == 158


def test_constant_and_variable():
    assert slope(7, 3) == 0
    assert slope("x", 3) == 1


def test_product_rule():
    assert slope(("mul", ("pow", "x", 2), ("pow", "x", 3)), 2) == 80


def test_second_derivative():
    assert evaluate(derivative(derivative(("mul", "x", "x"))), 9) == 2


def test_evaluate_unknown():
    with pytest.raises(ValueError):
        evaluate(("sub", "x", 1), 2)
""",
    ),
    Program(
        name="deep_merge_settings",
        code=r'''"""Merging nested settings."""


def deep_merge(base, extra):
    """Return the base settings overlaid with the extra ones.

    Where both have a dictionary under a key the two are merged in turn;
    otherwise the extra value takes the place of the base value.  An extra
    value of None removes the key.  Neither argument is changed.
    """
    merged = dict(base)
    for key, value in extra.items():
        if isinstance(merged.get(key), dict):
            merged[key] = deep_merge(merged[key], value)
        elif value is None:
            merged.pop(key, None)
        else:
            merged[key] = value
    return merged


def merge_all(layers):
    """Merge the layers in order, later ones over earlier ones."""
    result = {}
    for layer in layers:
        result = deep_merge(result, layer)
    return result


def lookup(settings, path, default=None):
    """Return the value at a dotted path such as "window.size.width"."""
    current = settings
    for name in path.split("."):
        if not isinstance(current, dict) or name not in current:
            return default
        current = current[name]
    return current
''',
        wrong="if isinstance(merged.get(key), dict):",
        right="if isinstance(merged.get(key), dict) and isinstance(value, dict):",
        visible=r"""
def test_nested_dictionaries_are_merged():
    base = {"window": {"width": 80, "height": 24}, "theme": "dark"}
    extra = {"window": {"width": 120}}
    assert deep_merge(base, extra) == {
        "window": {"width": 120, "height": 24},
        "theme": "dark",
    }


def test_plain_value_replaces_dictionary():
    assert deep_merge({"log": {"level": 1}}, {"log": "off"}) == {"log": "off"}


def test_none_removes():
    assert deep_merge({"a": 1, "b": 2}, {"a": None}) == {"b": 2}


def test_layers():
    assert merge_all([{"a": 1}, {"b": 2}, {"a": 3}]) == {"a": 3, "b": 2}


def test_lookup():
    settings = {"window": {"size": {"width": 5}}}
    assert lookup(settings, "window.size.width") == 5
    assert lookup(settings, "window.colour", "grey") == "grey"
""",
        hidden=r"""
def test_none_removes_a_dictionary():
    assert deep_merge({"a": {"b": 1}, "c": 2}, {"a": None}) == {"c": 2}


def test_list_replaces_dictionary():
    assert deep_merge({"a": {"b": 1}}, {"a": [1, 2]}) == {"a": [1, 2]}


def test_dictionary_replaces_plain_value():
    assert deep_merge({"a": 1}, {"a": {"b": 2}}) == {"a": {"b": 2}}


def test_number_replaces_nested_dictionary():
    base = {"a": {"b": {"c": 1}, "d": 2}}
    assert deep_merge(base, {"a": {"b": 7}}) == {"a": {"b": 7, "d": 2}}


def test_arguments_unchanged():
    base = {"a": {"b": 1}}
    extra = {"a": {"c": 2}}
    deep_merge(base, extra)
    assert base == {"a": {"b": 1}}
    assert extra == {"a": {"c": 2}}


def test_removing_an_inner_key():
    assert deep_merge({"a": {"b": 1, "c": 2}}, {"a": {"b": None}}) == {"a": {"c": 2}}


def test_removing_an_absent_key():
    assert deep_merge({"a": 1}, {"z": None}) == {"a": 1}


def test_layers_switch_kinds():
    assert merge_all([{"a": {"b": 1}}, {"a": 0}, {"a": {"c": 2}}]) == {"a": {"c": 2}}
    assert merge_all([]) == {}


def test_lookup_through_plain_value():
    assert lookup({"a": 1}, "a.b") is None
""",
    ),
    # Strings and text
    Program(
        name="wrap_words_to_width",
        code=r'''"""Breaking text into lines."""


def wrap(text, width):
    """Break the text into lines of at most ``width`` characters.

    Words are parted by single spaces in the result.  Each line takes as many
    words as fit.  A word longer than the width gets a line of its own.
    """
    if width < 1:
        raise ValueError("width must be positive")
    lines = []
    current = ""
    for word in text.split():
        if not current:
            current = word
        elif len(current) + len(word) <= width:
            current += " " + word
        else:
            lines.append(current)
            current = word
    if current:
        lines.append(current)
    return lines


def boxed(text, width):
    """Return the wrapped text in a frame, all its lines equally long."""
    border = "+" + "-" * (width + 2) + "+"
    rows = [f"| {line.ljust(width)} |" for line in wrap(text, width)]
    return "\n".join([border, *rows, border])
''',
        wrong="len(current) + len(word) <= width",
        right="len(current) + 1 + len(word) <= width",
        visible=r"""
def test_short_text_stays_on_one_line():
    assert wrap("a few words", 20) == ["a few words"]


def test_breaks():
    assert wrap("one two three four", 8) == ["one two", "three", "four"]


def test_space_counts():
    assert wrap("four five", 8) == ["four", "five"]


def test_empty():
    assert wrap("", 5) == []


def test_boxed():
    assert boxed("hi you", 3) == "+-----+\n| hi  |\n| you |\n+-----+"
""",
        hidden=r"""
def test_exact_fit():
    assert wrap("four five", 9) == ["four five"]


def test_no_line_too_long():
    text = "the quick brown fox jumps over the lazy dog and runs off again"
    for width in range(5, 40):
        lines = wrap(text, width)
        assert all(len(line) <= width for line in lines)
        assert " ".join(lines) == text


def test_lines_are_filled():
    assert wrap("aa bb cc dd", 5) == ["aa bb", "cc dd"]


def test_one_too_narrow():
    assert wrap("aa bb cc", 4) == ["aa", "bb", "cc"]


def test_long_word():
    assert wrap("a extraordinary b", 5) == ["a", "extraordinary", "b"]


def test_spaces_are_tidied():
    assert wrap("  a \n b   c ", 10) == ["a b c"]


def test_width_one():
    assert wrap("a b", 1) == ["a", "b"]


def test_bad_width():
    with pytest.raises(ValueError):
        wrap("a", 0)


def test_boxed_lines_equal():
    lines = boxed("a bc def ghij", 6).split("\n")
    assert {len(line) for line in lines} == {10}
""",
    ),
    Program(
        name="unique_page_slugs",
        code=r'''"""Addresses for pages, made from their titles."""


def slugify(title):
    """Return the title in lower case with single hyphens between its words.

    Everything but letters and digits parts words.  A title without any gives
    "page".
    """
    cleaned = "".join(char if char.isalnum() else " " for char in title.lower())
    return "-".join(cleaned.split()) or "page"


class SlugRegistry:
    """Give out slugs, never the same one twice."""

    def __init__(self, reserved=()):
        self._taken = set(reserved)

    def register(self, title):
        """Return a new slug for the title.

        When its slug is taken, the numbers 2, 3, ... are tried as endings.
        """
        base = slugify(title)
        slug = base
        number = 2
        while slug in self._taken:
            slug = f"{base}-{number}"
            number += 1
        return slug

    def release(self, slug):
        """Make a slug available again; unknown slugs are ignored."""
        self._taken.discard(slug)

    def is_taken(self, slug):
        """Say whether the slug was given out or reserved."""
        return slug in self._taken
''',
        wrong="        return slug\n",
        right="        self._taken.add(slug)\n        return slug\n",
        visible=r"""
def test_slugify():
    assert slugify("Hello, World!") == "hello-world"


def test_first_registration():
    assert SlugRegistry().register("About us") == "about-us"


def test_same_title_again():
    registry = SlugRegistry()
    registry.register("News")
    assert registry.register("News") == "news-2"
    assert registry.register("NEWS!") == "news-3"


def test_reserved():
    registry = SlugRegistry(["admin"])
    assert registry.register("Admin") == "admin-2"


def test_title_without_letters():
    assert slugify("!!!") == "page"
""",
        hidden=r"""
def test_is_taken_after_register():
    registry = SlugRegistry()
    assert not registry.is_taken("tea")
    registry.register("Tea")
    assert registry.is_taken("tea")


def test_release_makes_available():
    registry = SlugRegistry()
    registry.register("Tea")
    registry.register("Tea")
    registry.release("tea")
    assert registry.register("Tea") == "tea"
    assert registry.register("Tea") == "tea-3"


def test_numbered_slug_already_taken():
    registry = SlugRegistry()
    assert registry.register("Tea 2") == "tea-2"
    assert registry.register("Tea") == "tea"
    assert registry.register("Tea") == "tea-3"


def test_reserved_numbers_are_skipped():
    registry = SlugRegistry({"a", "a-2", "a-3"})
    assert registry.register("a") == "a-4"
    assert registry.register("a") == "a-5"


def test_registries_are_apart():
    SlugRegistry().register("x")
    assert SlugRegistry().register("x") == "x"


def test_release_of_unknown():
    registry = SlugRegistry()
    registry.release("nothing")
    assert registry.register("nothing") == "nothing"


def test_slugify_details():
    assert slugify("  C++ -- for 2 friends ") == "c-for-2-friends"
    assert slugify("") == "page"


def test_many():
    registry = SlugRegistry()
    assert len({registry.register("!") for _ in range(10)}) == 10
""",
    ),
    Program(
        name="plain_text_table",
        code=r'''"""Tables in plain text."""


def is_number(value):
    """Say whether the value is a number (True and False are not)."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def column_widths(header, rows):
    """Return the width of the widest text of each column."""
    widths = [len(title) for title in header]
    for row in rows:
        for index, value in enumerate(row):
            widths[index] = max(widths[index], len(str(value)))
    return widths


def align(value, width):
    """Fill the value up to the width: numbers to the right, others to the left."""
    text = str(value)
    if is_number(value):
        return text.ljust(width)
    return text.ljust(width)


def render(header, rows):
    """Return the table as text.

    Columns are parted by " | ", and a line of hyphens follows the header.
    """
    widths = column_widths(header, rows)
    lines = [" | ".join(title.ljust(w) for title, w in zip(header, widths))]
    lines.append("-+-".join("-" * width for width in widths))
    for row in rows:
        lines.append(" | ".join(align(value, w) for value, w in zip(row, widths)))
    return "\n".join(lines)
''',
        wrong="    if is_number(value):\n        return text.ljust(width)",
        right="    if is_number(value):\n        return text.rjust(width)",
        visible=r"""
def test_text_columns():
    assert render(["name", "town"], [["Ann", "Rome"]]) == (
        "name | town\n-----+-----\nAnn  | Rome"
    )


def test_numbers_stand_right():
    assert render(["item", "price"], [["tea", 5], ["cake", 12]]) == (
        "item | price\n-----+------\ntea  |     5\ncake |    12"
    )


def test_widths():
    assert column_widths(["a", "long"], [["xyz", 1]]) == [3, 4]


def test_align_text():
    assert align("ab", 4) == "ab  "
""",
        hidden=r"""
def test_align_integer():
    assert align(7, 3) == "  7"


def test_align_float():
    assert align(2.5, 6) == "   2.5"


def test_align_negative():
    assert align(-4, 4) == "  -4"


def test_align_bool_as_text():
    assert align(True, 6) == "True  "


def test_align_digits_in_text():
    assert align("12", 4) == "12  "


def test_align_exact():
    assert align(100, 3) == "100"
    assert align("abc", 3) == "abc"


def test_without_rows():
    assert render(["a", "bc"], []) == "a | bc\n--+---"


def test_wide_cells():
    assert render(["n"], [[1000], [1], ["x"]]) == "n   \n----\n1000\n   1\nx   "


def test_is_number():
    assert is_number(0) and is_number(1.5)
    assert not is_number("1") and not is_number(False)
""",
    ),
    Program(
        name="sentence_from_items",
        code=r'''"""Lists written out in English."""


def with_count(count, noun, plural=None):
    """Write a count with its noun: "1 apple", "3 apples", "2 mice"."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {plural or noun + 's'}"


def enumerate_items(items, word="and"):
    """Join the items into an English list.

    Two items are joined by the word alone; for three or more there are
    commas, also before the word: "a, b, and c".
    """
    items = [str(item) for item in items]
    if not items:
        return ""
    if len(items) == 1:
        return items[0]
    if len(items) == 2:
        return f"{items[0]} {word} {items[1]}"
    return ", ".join(items[1:]) + f", {word} {items[-1]}"


def shorten(items, limit):
    """Name the first ``limit`` items and count the others.

    For instance "a, b, and 3 others"; all are named when there are not more
    than the limit.
    """
    items = list(items)
    if len(items) <= limit:
        return enumerate_items(items)
    others = with_count(len(items) - limit, "other")
    return enumerate_items(items[:limit] + [others])
''',
        wrong='", ".join(items[1:])',
        right='", ".join(items[:-1])',
        visible=r"""
def test_none_and_one():
    assert enumerate_items([]) == ""
    assert enumerate_items(["tea"]) == "tea"


def test_two():
    assert enumerate_items(["tea", "milk"]) == "tea and milk"


def test_three():
    assert enumerate_items(["tea", "milk", "jam"]) == "tea, milk, and jam"


def test_shorten():
    assert shorten(["a", "b", "c", "d", "e"], 2) == "a, b, and 3 others"


def test_with_count():
    assert with_count(1, "apple") == "1 apple"
    assert with_count(2, "mouse", "mice") == "2 mice"
""",
        hidden=r"""
def test_four():
    assert enumerate_items("wxyz") == "w, x, y, and z"


def test_other_word():
    assert enumerate_items([1, 2, 3], "or") == "1, 2, or 3"
    assert enumerate_items([1, 2], word="or") == "1 or 2"


def test_shorten_within_limit():
    assert shorten(["a", "b", "c"], 3) == "a, b, and c"
    assert shorten(["a"], 3) == "a"


def test_shorten_by_one():
    assert shorten(["a", "b", "c"], 2) == "a, b, and 1 other"


def test_shorten_to_one():
    assert shorten(["a", "b", "c"], 1) == "a and 2 others"


def test_generator():
    assert enumerate_items(n * n for n in (1, 2, 3)) == "1, 4, and 9"


def test_zero_count():
    assert with_count(0, "egg") == "0 eggs"


def test_argument_unchanged():
    items = ["a", "b", "c"]
    enumerate_items(items)
    shorten(items, 1)
    assert items == ["a", "b", "c"]
""",
    ),
    # Arithmetic and numbers
    Program(
        name="continued_fractions",
        code=r'''"""Continued fractions of rational numbers."""

from fractions import Fraction


def expand(number):
    """Return the terms of the continued fraction of a rational number.

    The number is first + 1 / (second + 1 / (third + ...)).
    """
    number = Fraction(number)
    numerator, denominator = number.numerator, number.denominator
    terms = []
    while denominator:
        whole, rest = divmod(numerator, denominator)
        terms.append(whole)
        numerator, denominator = denominator, rest
    return terms


def collapse(terms):
    """Return the fraction that has the given terms; the inverse of expand."""
    if not terms:
        raise ValueError("at least one term is needed")
    value = Fraction(terms[-1])
    for term in terms[:-1]:
        value = term + 1 / value
    return value


def convergents(number):
    """Return the ever better approximations got by cutting the terms off."""
    terms = expand(number)
    return [collapse(terms[: count + 1]) for count in range(len(terms))]
''',
        wrong="for term in terms[:-1]:",
        right="for term in reversed(terms[:-1]):",
        visible=r"""
def test_expand():
    assert expand(Fraction(415, 93)) == [4, 2, 6, 7]


def test_expand_whole_number():
    assert expand(5) == [5]


def test_collapse_two_terms():
    assert collapse([3, 7]) == Fraction(22, 7)


def test_collapse_is_inverse():
    assert collapse([4, 2, 6, 7]) == Fraction(415, 93)


def test_collapse_needs_terms():
    with pytest.raises(ValueError):
        collapse([])
""",
        hidden=r"""
def test_three_terms():
    assert collapse([1, 2, 3]) == Fraction(10, 7)


def test_round_trip():
    for numerator in range(-20, 40):
        for denominator in range(1, 15):
            number = Fraction(numerator, denominator)
            assert collapse(expand(number)) == number


def test_convergents_of_pi_like():
    assert convergents(Fraction(355, 113)) == [3, Fraction(22, 7), Fraction(355, 113)]


def test_convergents_end_with_the_number():
    assert convergents(Fraction(415, 93)) == [
        4,
        Fraction(9, 2),
        Fraction(58, 13),
        Fraction(415, 93),
    ]


def test_one_term():
    assert collapse([6]) == 6


def test_below_one():
    assert expand(Fraction(3, 8)) == [0, 2, 1, 2]
    assert collapse([0, 2, 1, 2]) == Fraction(3, 8)


def test_terms_unchanged():
    terms = [1, 2, 3]
    collapse(terms)
    assert terms == [1, 2, 3]


def test_negative():
    assert expand(Fraction(-1, 2)) == [-1, 2]
""",
    ),
    Program(
        name="numerals_in_any_base",
        code=r'''"""Whole numbers written in bases from 2 to 36."""

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def check_base(base):
    """Raise ValueError unless the base can be used."""
    if not 2 <= base <= len(DIGITS):
        raise ValueError(f"unusable base: {base}")


def to_base(number, base):
    """Write the number in the base, with a minus sign if it is negative."""
    check_base(base)
    if number == 0:
        return "0"
    rest = abs(number)
    digits = []
    while rest:
        rest, digit = divmod(rest, base)
        digits.append(DIGITS[digit])
    sign = "-" if number < 0 else ""
    return sign + "".join(reversed(digits))


def from_base(text, base):
    """Read a number written in the base, in small or capital letters.

    Raise ValueError for an empty numeral and for digits the base lacks.
    """
    check_base(base)
    values = {char: value for value, char in enumerate(DIGITS[:base])}
    negative = text.startswith("-")
    body = text[1:] if negative else text
    if not body:
        raise ValueError("no digits")
    number = 0
    for char in body.lower():
        try:
            number = number * base + values[char]
        except IndexError:
            raise ValueError(f"not a digit in base {base}: {char}") from None
    return -number if negative else number
''',
        wrong="except IndexError:",
        right="except KeyError:",
        visible=r"""
def test_to_base():
    assert to_base(255, 16) == "ff"
    assert to_base(-5, 2) == "-101"


def test_from_base():
    assert from_base("FF", 16) == 255
    assert from_base("-101", 2) == -5


def test_digit_too_large():
    with pytest.raises(ValueError):
        from_base("129", 8)


def test_no_digits():
    with pytest.raises(ValueError):
        from_base("-", 10)


def test_bad_base():
    with pytest.raises(ValueError):
        to_base(3, 1)
""",
        hidden=r"""
def test_round_trip():
    for base in (2, 3, 10, 16, 36):
        for number in (-1000, -1, 0, 1, 35, 36, 99999):
            assert from_base(to_base(number, base), base) == number


def test_digit_just_too_large():
    with pytest.raises(ValueError):
        from_base("2", 2)
    with pytest.raises(ValueError):
        from_base("g", 16)


def test_strange_characters():
    for text in ("1.5", "1 0", "1-1", "+1", "--1"):
        with pytest.raises(ValueError):
            from_base(text, 10)


def test_empty():
    with pytest.raises(ValueError):
        from_base("", 10)


def test_bad_bases():
    for base in (-2, 0, 1, 37):
        with pytest.raises(ValueError):
            from_base("1", base)


def test_base_36():
    assert to_base(35, 36) == "z"
    assert from_base("Zz", 36) == 35 * 36 + 35


def test_leading_zeros():
    assert from_base("0007", 8) == 7


def test_zero():
    assert to_base(0, 7) == "0"
    assert from_base("-0", 7) == 0
""",
    ),
    Program(
        name="fair_split_by_weight",
        code=r'''"""Splitting whole amounts by weight without losing a unit."""


def split(total, weights):
    """Split the total into whole shares in the ratio of the weights.

    Each share is first rounded down.  The units left over go, one each, to the
    shares that lost the largest fractions; of equal ones the earlier is served
    first.
    """
    whole = sum(weights)
    if whole <= 0 or min(weights) < 0:
        raise ValueError("weights must not be negative, nor all zero")
    shares = []
    fractions = []
    for weight in weights:
        share, fraction = divmod(total * weight, whole)
        shares.append(share)
        fractions.append(fraction)
    left_over = total - sum(shares)
    ranking = sorted(range(len(weights)), key=lambda index: fractions[index])
    for index in ranking[:left_over]:
        shares[index] += 1
    return shares


def split_evenly(total, people):
    """Split the total into shares that differ by at most one, larger ones first."""
    return split(total, [1] * people)


def percentages(counts):
    """Return whole percentages of the counts which add up to 100."""
    return split(100, counts)
''',
        wrong="key=lambda index: fractions[index])",
        right="key=lambda index: fractions[index], reverse=True)",
        visible=r"""
def test_exact():
    assert split(100, [1, 1, 2]) == [25, 25, 50]


def test_largest_fraction_gets_the_unit():
    assert split(10, [1, 2, 3]) == [2, 3, 5]


def test_even():
    assert split_evenly(10, 3) == [4, 3, 3]


def test_nothing_is_lost():
    assert sum(split(1001, [3, 5, 7, 11])) == 1001


def test_bad_weights():
    with pytest.raises(ValueError):
        split(10, [0, 0])
""",
        hidden=r"""
def test_last_has_largest_fraction():
    assert split(10, [11, 12, 77]) == [1, 1, 8]


def test_two_units_left():
    assert split(7, [4, 4, 9]) == [2, 1, 4]


def test_fraction_not_share_decides():
    assert split(5, [10, 19, 18]) == [1, 2, 2]


def test_zero_weight_gets_nothing():
    assert split(5, [0, 1, 1]) == [0, 3, 2]
    assert split(1, [0, 3]) == [0, 1]


def test_ties_to_the_earlier():
    assert split_evenly(5, 4) == [2, 1, 1, 1]
    assert split_evenly(7, 4) == [2, 2, 2, 1]


def test_percentages():
    assert percentages([1, 1, 1]) == [34, 33, 33]
    assert percentages([2, 1]) == [67, 33]
    assert percentages([1, 2]) == [33, 67]


def test_sums():
    for total in range(0, 40):
        assert sum(split(total, [2, 3, 7])) == total


def test_zero_total():
    assert split(0, [1, 2]) == [0, 0]


def test_negative_weight():
    with pytest.raises(ValueError):
        split(10, [3, -1])


def test_single():
    assert split(9, [5]) == [9]
""",
    ),
    Program(
        name="linear_congruences",
        code=r'''"""Equations between remainders."""

from math import gcd


def solve(factor, target, modulus):
    """Return all x in range(modulus), in order, for which
    factor * x leaves the same remainder as target when divided by the modulus.

    The list is empty when there is no such x.
    """
    if modulus < 1:
        raise ValueError("modulus must be positive")
    common = gcd(factor, modulus)
    if common != 1:
        return []
    step = modulus // common
    inverse = pow(factor // common, -1, step)
    first = inverse * (target // common) % step
    return [first + count * step for count in range(common)]


def weeks_until(start, period, wanted, cycle=7):
    """Return after how many periods the wanted day of the cycle is met.

    One begins at day ``start`` and goes on by ``period`` days each time.
    Return None when the wanted day is never met.
    """
    solutions = solve(period, wanted - start, cycle)
    return solutions[0] if solutions else None
''',
        wrong="if common != 1:",
        right="if target % common != 0:",
        visible=r"""
def test_one_solution():
    assert solve(3, 1, 7) == [5]


def test_several_solutions():
    assert solve(4, 2, 6) == [2, 5]


def test_no_solution():
    assert solve(4, 3, 6) == []


def test_days():
    assert weeks_until(0, 3, 1) == 5


def test_bad_modulus():
    with pytest.raises(ValueError):
        solve(1, 1, 0)
""",
        hidden=r"""
def test_against_search():
    for modulus in range(1, 13):
        for factor in range(0, 13):
            for target in range(0, 13):
                expected = [
                    x for x in range(modulus) if (factor * x - target) % modulus == 0
                ]
                assert solve(factor, target, modulus) == expected


def test_three_solutions():
    assert solve(6, 3, 9) == [2, 5, 8]


def test_zero_factor():
    assert solve(0, 0, 3) == [0, 1, 2]
    assert solve(0, 1, 3) == []


def test_negative_target():
    assert solve(2, -1, 5) == [2]
    assert solve(4, -2, 6) == [1, 4]


def test_prime_modulus():
    assert solve(5, 4, 11) == [3]


def test_never_met():
    assert weeks_until(0, 2, 1, cycle=6) is None


def test_met_with_common_factor():
    assert weeks_until(1, 4, 3, cycle=6) == 2


def test_met_at_once():
    assert weeks_until(3, 5, 3) == 0


def test_modulus_one():
    assert solve(8, 5, 1) == [0]
""",
    ),
    # Graphs and grids
    Program(
        name="layers_of_tasks",
        code=r'''"""Tasks that need other tasks to be done first."""


def all_names(needs):
    """Return the names of all tasks, also of those that are only needed."""
    names = set(needs)
    for required in needs.values():
        names.update(required)
    return names


def layers(needs):
    """Group the tasks into layers that can be done one after the other.

    ``needs`` maps a task to the tasks it needs.  A task comes in the first
    layer possible after all that it needs.  Each layer is sorted.  Raise
    ValueError when tasks need each other in a circle.
    """
    open_needs = {name: set(needs.get(name, ())) for name in all_names(needs)}
    result = []
    while open_needs:
        ready = sorted(name for name, left in open_needs.items() if not left)
        if not ready:
            break
        result.append(ready)
        for name in ready:
            del open_needs[name]
        for left in open_needs.values():
            left.difference_update(ready)
    return result


def order(needs):
    """Return all tasks in an order in which they can be done."""
    return [name for layer in layers(needs) for name in layer]
''',
        wrong="            break\n",
        right='            raise ValueError("tasks need each other in a circle")\n',
        visible=r"""
def test_chain():
    assert layers({"c": ["b"], "b": ["a"]}) == [["a"], ["b"], ["c"]]


def test_side_by_side():
    needs = {"cake": ["dough", "oven"], "dough": ["flour", "eggs"]}
    assert layers(needs) == [["eggs", "flour", "oven"], ["dough"], ["cake"]]


def test_circle():
    with pytest.raises(ValueError):
        layers({"a": ["b"], "b": ["a"]})


def test_order():
    assert order({"b": ["a"], "c": []}) == ["a", "c", "b"]


def test_nothing():
    assert layers({}) == []
""",
        hidden=r"""
def test_task_needing_itself():
    with pytest.raises(ValueError):
        layers({"a": ["a"]})


def test_circle_after_other_tasks():
    with pytest.raises(ValueError):
        layers({"a": [], "b": ["a", "d"], "c": ["b"], "d": ["c"]})


def test_order_with_circle():
    with pytest.raises(ValueError):
        order({"x": ["y"], "y": ["z"], "z": ["x"], "w": []})


def test_diamond():
    needs = {"d": ["b", "c"], "b": ["a"], "c": ["a"]}
    assert layers(needs) == [["a"], ["b", "c"], ["d"]]


def test_deepest_need_decides():
    needs = {"z": ["a", "c"], "c": ["b"], "b": ["a"]}
    assert layers(needs) == [["a"], ["b"], ["c"], ["z"]]


def test_independent():
    assert layers({"b": [], "a": []}) == [["a", "b"]]


def test_argument_unchanged():
    needs = {"b": ["a"], "c": ["b"]}
    layers(needs)
    assert needs == {"b": ["a"], "c": ["b"]}


def test_repeated_need():
    assert order({"b": ["a", "a"]}) == ["a", "b"]
""",
    ),
    Program(
        name="knight_moves_on_board",
        code=r'''"""Ways of a chess knight over boards of any size."""

from collections import deque

JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def targets(square, rows, columns):
    """Return the squares (row, column) the knight can jump to, sorted."""
    row, column = square
    found = []
    for down, right in JUMPS:
        new_row = row + down
        new_column = column + right
        if 0 <= new_row < rows and 0 <= new_column < rows:
            found.append((new_row, new_column))
    return sorted(found)


def fewest_moves(start, goal, rows, columns):
    """Return the smallest number of moves from start to goal.

    Return None when the knight cannot get there.
    """
    moves = {start: 0}
    queue = deque([start])
    while queue:
        square = queue.popleft()
        if square == goal:
            return moves[square]
        for target in targets(square, rows, columns):
            if target not in moves:
                moves[target] = moves[square] + 1
                queue.append(target)
    return None


def mobility(rows, columns):
    """Return for each square, row by row, how many jumps lead away from it."""
    return [
        [len(targets((row, column), rows, columns)) for column in range(columns)]
        for row in range(rows)
    ]
''',
        wrong="0 <= new_column < rows:",
        right="0 <= new_column < columns:",
        visible=r"""
def test_targets_in_corner():
    assert targets((0, 0), 8, 8) == [(1, 2), (2, 1)]


def test_chess_board():
    assert fewest_moves((0, 0), (7, 7), 8, 8) == 6


def test_unreachable_centre():
    assert fewest_moves((0, 0), (1, 1), 3, 3) is None


def test_narrow_board():
    assert targets((0, 0), 4, 2) == [(2, 1)]


def test_mobility():
    assert mobility(2, 3) == [[1, 0, 1], [1, 0, 1]]
""",
        hidden=r"""
def test_wide_board():
    assert targets((0, 3), 2, 6) == [(1, 1), (1, 5)]


def test_wide_and_tall_agree():
    for rows in range(1, 6):
        for columns in range(1, 6):
            turned = [list(line) for line in zip(*mobility(columns, rows))]
            assert mobility(rows, columns) == turned


def test_moves_along_wide_board():
    assert fewest_moves((0, 0), (0, 4), 2, 5) == 2


def test_moves_on_narrow_board():
    assert fewest_moves((0, 0), (3, 0), 4, 2) is None
    assert fewest_moves((0, 0), (4, 0), 5, 2) == 2


def test_start_is_goal():
    assert fewest_moves((2, 2), (2, 2), 3, 3) == 0


def test_middle_of_chess_board():
    assert len(targets((3, 4), 8, 8)) == 8


def test_neighbour_square():
    assert fewest_moves((0, 0), (0, 1), 8, 8) == 3


def test_three_by_four():
    assert mobility(3, 4) == [[2, 3, 3, 2], [2, 2, 2, 2], [2, 3, 3, 2]]


def test_single_row():
    assert mobility(1, 4) == [[0, 0, 0, 0]]
""",
    ),
    Program(
        name="distance_to_nearest_gate",
        code=r'''"""How far it is to the next gate on a map.

Maps are lists of strings: "G" is a gate, "#" a wall, "." an open field.
"""

from collections import deque


def find_all(grid, mark):
    """Return the places (row, column) of the mark."""
    return [
        (row, column)
        for row, line in enumerate(grid)
        for column, char in enumerate(line)
        if char == mark
    ]


def gate_distances(grid):
    """Return for each field the number of steps to the nearest gate.

    Steps go up, down, left or right, and not through walls.  Walls and fields
    that no gate can be reached from have None.
    """
    distances = [[None] * len(line) for line in grid]
    queue = deque(find_all(grid, "G"))
    for row, column in queue:
        distances[row][column] = 0
    while queue:
        row, column = queue.pop()
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            r, c = row + down, column + right
            if not (0 <= r < len(grid) and 0 <= c < len(grid[r])):
                continue
            if grid[r][c] == "#" or distances[r][c] is not None:
                continue
            distances[r][c] = distances[row][column] + 1
            queue.append((r, c))
    return distances


def farthest(grid):
    """Return the greatest distance of any field that has one, or None."""
    known = [d for line in gate_distances(grid) for d in line if d is not None]
    return max(known, default=None)
''',
        wrong="queue.pop()",
        right="queue.popleft()",
        visible=r"""
def test_corridor():
    assert gate_distances(["G..."]) == [[0, 1, 2, 3]]


def test_open_room():
    assert gate_distances(["G..", "...", "..."]) == [[0, 1, 2], [1, 2, 3], [2, 3, 4]]


def test_two_gates():
    assert gate_distances(["G....G"]) == [[0, 1, 2, 2, 1, 0]]


def test_wall():
    assert gate_distances(["G#."]) == [[0, None, None]]


def test_no_gate():
    assert farthest(["..", ".."]) is None
""",
        hidden=r"""
def test_gate_in_the_middle():
    assert gate_distances(["...", ".G.", "..."]) == [[2, 1, 2], [1, 0, 1], [2, 1, 2]]


def test_around_a_wall():
    assert gate_distances(["G#.", ".#.", "..."]) == [
        [0, None, 6],
        [1, None, 5],
        [2, 3, 4],
    ]


def test_nearest_of_several():
    assert gate_distances(["G...", "....", "...G"]) == [
        [0, 1, 2, 2],
        [1, 2, 2, 1],
        [2, 2, 1, 0],
    ]


def test_long_corridor_with_two_gates():
    assert gate_distances(["G......G."]) == [[0, 1, 2, 3, 3, 2, 1, 0, 1]]


def test_farthest():
    assert farthest(["G...", "....", "....", "...."]) == 6
    assert farthest(["G"]) == 0


def test_ring_around_wall():
    assert gate_distances(["G..", ".#.", "..."]) == [[0, 1, 2], [1, None, 3], [2, 3, 4]]


def test_closed_off():
    assert gate_distances(["G#.", "##."]) == [[0, None, None], [None, None, None]]


def test_empty_map():
    assert gate_distances([]) == []


def test_uneven_lines():
    assert gate_distances(["G.", "..."]) == [[0, 1], [1, 2, 3]]
""",
    ),
    Program(
        name="cheapest_cable_network",
        code=r'''"""The cheapest set of cables that joins places (Kruskal's method)."""


class Groups:
    """Places that know which group they belong to."""

    def __init__(self):
        self._parent = {}

    def find(self, place):
        """Return the place that stands for the group of the given one."""
        self._parent.setdefault(place, place)
        while self._parent[place] != place:
            place = self._parent[place]
        return place

    def join(self, first, second):
        """Join two groups; return False if they were one already."""
        first, second = self.find(first), self.find(second)
        if first == second:
            return False
        self._parent[second] = first
        return True


def cheapest_cables(cables):
    """Choose from cables (place, place, cost) the cheapest that join all places.

    Cables are taken from the cheapest up, those of equal cost in the order
    given, and left out when their ends are joined already.
    """
    groups = Groups()
    chosen = []
    for cable in sorted(cables, key=lambda cable: cable[1]):
        if groups.join(cable[0], cable[1]):
            chosen.append(cable)
    return chosen


def total_cost(cables):
    """Return the cost of the cables."""
    return sum(cost for _, _, cost in cables)
''',
        wrong="key=lambda cable: cable[1])",
        right="key=lambda cable: cable[2])",
        visible=r"""
def test_triangle():
    cables = [("a", "b", 5), ("b", "c", 2), ("a", "c", 1)]
    assert cheapest_cables(cables) == [("a", "c", 1), ("b", "c", 2)]


def test_all_needed():
    cables = [("a", "b", 1), ("b", "c", 2)]
    assert cheapest_cables(cables) == cables


def test_no_cables():
    assert cheapest_cables([]) == []


def test_total():
    assert total_cost([("a", "b", 3), ("b", "c", 4)]) == 7


def test_join():
    groups = Groups()
    assert groups.join("a", "b")
    assert not groups.join("b", "a")
""",
        hidden=r"""
def test_square_with_diagonal():
    cables = [
        ("a", "b", 4),
        ("b", "c", 3),
        ("c", "d", 2),
        ("d", "a", 1),
        ("a", "c", 5),
    ]
    chosen = cheapest_cables(cables)
    assert chosen == [("d", "a", 1), ("c", "d", 2), ("b", "c", 3)]
    assert total_cost(chosen) == 6


def test_parallel_cables():
    assert cheapest_cables([("a", "b", 9), ("a", "b", 2)]) == [("a", "b", 2)]
    assert cheapest_cables([("a", "b", 9), ("b", "a", 2)]) == [("b", "a", 2)]


def test_from_the_cheapest_up():
    cables = [("x", "a", 30), ("x", "b", 20), ("x", "c", 10)]
    assert [cost for _, _, cost in cheapest_cables(cables)] == [10, 20, 30]


def test_equal_costs_in_order():
    cables = [("p", "z", 1), ("p", "a", 1), ("z", "a", 1)]
    assert cheapest_cables(cables) == [("p", "z", 1), ("p", "a", 1)]


def test_two_islands():
    cables = [("a", "b", 7), ("c", "d", 3), ("d", "c", 1)]
    assert cheapest_cables(cables) == [("d", "c", 1), ("a", "b", 7)]


def test_loop_cable_is_left_out():
    assert cheapest_cables([("a", "a", 1), ("a", "b", 2)]) == [("a", "b", 2)]


def test_groups():
    groups = Groups()
    groups.join(1, 2)
    groups.join(3, 4)
    assert groups.find(1) != groups.find(3)
    assert groups.join(2, 4)
    assert groups.find(1) == groups.find(3)
""",
    ),
    # State machines and classes
    Program(
        name="snack_vending_machine",
        code=r'''"""A machine that sells snacks for coins."""

COINS = (200, 100, 50, 20, 10, 5)


class VendingMachine:
    """Sell items from a stock of {name: [price, count]} in cents."""

    def __init__(self, stock):
        self._stock = {name: list(entry) for name, entry in stock.items()}
        self.credit = 0

    def insert(self, coin):
        """Take a coin; ValueError for one it does not know."""
        if coin not in COINS:
            raise ValueError(f"unknown coin: {coin}")
        self.credit += coin

    def buy(self, name):
        """Sell one item for the credit.

        Raise KeyError for an unknown item, LookupError for one that is sold
        out, and ValueError when the credit does not reach the price.
        """
        price, count = self._stock[name]
        if count == 0:
            raise LookupError(f"sold out: {name}")
        if self.credit <= price:
            raise ValueError(f"{price - self.credit} cents are missing")
        self._stock[name][1] -= 1
        self.credit -= price
        return name

    def change(self):
        """Give the credit back in as few coins as this rule allows:
        always the largest coin that fits."""
        coins = []
        for coin in COINS:
            while self.credit >= coin:
                coins.append(coin)
                self.credit -= coin
        return coins

    def left(self, name):
        """Return how many of the item are left."""
        return self._stock[name][1]
''',
        wrong="if self.credit <= price:",
        right="if self.credit < price:",
        visible=r"""
def test_buy_with_change():
    machine = VendingMachine({"crisps": (120, 2)})
    machine.insert(200)
    assert machine.buy("crisps") == "crisps"
    assert machine.change() == [50, 20, 10]


def test_buy_with_exact_money():
    machine = VendingMachine({"nuts": (150, 1)})
    machine.insert(100)
    machine.insert(50)
    assert machine.buy("nuts") == "nuts"
    assert machine.change() == []


def test_too_little_money():
    machine = VendingMachine({"nuts": (150, 1)})
    machine.insert(100)
    with pytest.raises(ValueError):
        machine.buy("nuts")
    assert machine.credit == 100


def test_sold_out():
    machine = VendingMachine({"nuts": (50, 0)})
    machine.insert(100)
    with pytest.raises(LookupError):
        machine.buy("nuts")


def test_unknown_coin():
    with pytest.raises(ValueError):
        VendingMachine({}).insert(3)
""",
        hidden=r"""
def test_exact_money_empties_credit():
    machine = VendingMachine({"gum": (5, 3)})
    machine.insert(5)
    machine.buy("gum")
    assert machine.credit == 0
    assert machine.left("gum") == 2


def test_two_items_use_up_the_credit():
    machine = VendingMachine({"gum": (50, 3)})
    machine.insert(100)
    machine.buy("gum")
    machine.buy("gum")
    assert machine.credit == 0
    assert machine.left("gum") == 1


def test_five_cents_short():
    machine = VendingMachine({"tea": (105, 1)})
    machine.insert(100)
    with pytest.raises(ValueError):
        machine.buy("tea")
    assert machine.left("tea") == 1


def test_free_item():
    machine = VendingMachine({"water": (0, 1)})
    assert machine.buy("water") == "water"
    assert machine.left("water") == 0


def test_unknown_item():
    with pytest.raises(KeyError):
        VendingMachine({}).buy("tea")


def test_sold_out_after_last():
    machine = VendingMachine({"nuts": (50, 1)})
    machine.insert(200)
    machine.buy("nuts")
    with pytest.raises(LookupError):
        machine.buy("nuts")
    assert machine.credit == 150


def test_change_resets_credit():
    machine = VendingMachine({})
    for coin in (20, 20, 5):
        machine.insert(coin)
    assert machine.change() == [20, 20, 5]
    assert machine.change() == []


def test_stock_is_copied():
    stock = {"nuts": [10, 5]}
    machine = VendingMachine(stock)
    machine.insert(20)
    machine.buy("nuts")
    assert stock == {"nuts": [10, 5]}
""",
    ),
    Program(
        name="order_lifecycle_steps",
        code=r'''"""The life of an order in a shop.

A new order is paid or cancelled.  A paid one is packed, or cancelled; a packed
one is shipped; a shipped one is delivered; and a delivered one may be returned.
A cancelled order that was paid before, and a returned one, are refunded.
"""

STEPS = {
    "new": {"pay": "paid", "cancel": "closed"},
    "paid": {"pack": "packed", "cancel": "refunded"},
    "packed": {"ship": "shipped"},
    "shipped": {"deliver": "delivered"},
    "delivered": {},
    "closed": {},
    "refunded": {},
}


class StepError(Exception):
    """An order was asked for a step that it cannot take."""


class Order:
    """An order that remembers the states it was in."""

    def __init__(self):
        self.history = ["new"]

    @property
    def state(self):
        """The state the order is in now."""
        return self.history[-1]

    def can(self, step):
        """Say whether the step is possible now."""
        return step in STEPS[self.state]

    def take(self, step):
        """Take the step and return the new state; StepError if impossible."""
        if not self.can(step):
            raise StepError(f"cannot {step} an order that is {self.state}")
        self.history.append(STEPS[self.state][step])
        return self.state

    def is_final(self):
        """Say whether no step is possible any more."""
        return not STEPS[self.state]
''',
        wrong='    "delivered": {},\n',
        right='    "delivered": {"return": "refunded"},\n',
        visible=r"""
def walk(*steps):
    order = Order()
    for step in steps:
        order.take(step)
    return order


def test_whole_way():
    assert walk("pay", "pack", "ship", "deliver").state == "delivered"


def test_cancel_before_and_after_paying():
    assert walk("cancel").state == "closed"
    assert walk("pay", "cancel").state == "refunded"


def test_return_after_delivery():
    order = walk("pay", "pack", "ship", "deliver")
    assert order.take("return") == "refunded"


def test_impossible_step():
    with pytest.raises(StepError):
        walk("ship")


def test_history():
    assert walk("pay", "pack").history == ["new", "paid", "packed"]
""",
        hidden=r"""
def walk(*steps):
    order = Order()
    for step in steps:
        order.take(step)
    return order


DELIVERED = ("pay", "pack", "ship", "deliver")


def test_delivered_is_not_final():
    assert not walk(*DELIVERED).is_final()


def test_delivered_can_only_return():
    order = walk(*DELIVERED)
    assert order.can("return")
    for step in ("pay", "pack", "ship", "deliver", "cancel"):
        assert not order.can(step)


def test_returned_is_final():
    order = walk(*DELIVERED, "return")
    assert order.is_final()
    assert order.history[-2:] == ["delivered", "refunded"]


def test_return_only_once():
    order = walk(*DELIVERED, "return")
    with pytest.raises(StepError):
        order.take("return")


def test_no_return_before_delivery():
    order = Order()
    for step in DELIVERED:
        assert not order.can("return")
        order.take(step)


def test_no_cancel_after_packing():
    with pytest.raises(StepError):
        walk("pay", "pack", "cancel")


def test_final_states():
    assert walk("cancel").is_final()
    assert walk("pay", "cancel").is_final()
    assert not Order().is_final()


def test_failed_step_leaves_no_trace():
    order = walk("pay")
    with pytest.raises(StepError):
        order.take("deliver")
    assert order.history == ["new", "paid"]
""",
    ),
    Program(
        name="lift_controller",
        code=r'''"""A lift that collects calls and serves them on its way."""


class Lift:
    """A lift that goes on in one direction while there are calls that way.

    It stops at the nearest called floor in its direction; when there is none
    left it turns round.
    """

    def __init__(self, floor=0):
        self.floor = floor
        self.going_up = True
        self._calls = set()

    def call(self, floor):
        """Ask the lift to come to the floor; its own floor needs no trip."""
        if floor != self.floor:
            self._calls.add(floor)

    def pending(self):
        """Return the called floors in order from the lowest."""
        return sorted(self._calls)

    def move(self):
        """Go to the next stop and return its floor, or None without calls."""
        above = [floor for floor in self._calls if floor > self.floor]
        below = [floor for floor in self._calls if floor < self.floor]
        if not above and not below:
            return None
        if self.going_up and not above:
            self.going_up = False
        elif not self.going_up and not below:
            self.going_up = True
        self.floor = min(above) if self.going_up else min(below)
        self._calls.remove(self.floor)
        return self.floor

    def serve_all(self):
        """Serve all calls and return the stops in order."""
        stops = []
        while self._calls:
            stops.append(self.move())
        return stops
''',
        wrong="else min(below)",
        right="else max(below)",
        visible=r"""
def test_upwards():
    lift = Lift()
    for floor in (5, 2, 8):
        lift.call(floor)
    assert lift.serve_all() == [2, 5, 8]


def test_downwards():
    lift = Lift(9)
    for floor in (3, 7, 1):
        lift.call(floor)
    assert lift.serve_all() == [7, 3, 1]


def test_up_first_then_down():
    lift = Lift(4)
    for floor in (2, 6):
        lift.call(floor)
    assert lift.serve_all() == [6, 2]


def test_no_calls():
    assert Lift().move() is None


def test_call_at_own_floor():
    lift = Lift(3)
    lift.call(3)
    assert lift.pending() == []
""",
        hidden=r"""
def test_up_and_then_down_several():
    lift = Lift(5)
    for floor in (1, 9, 3, 7):
        lift.call(floor)
    assert lift.serve_all() == [7, 9, 3, 1]


def test_call_on_the_way_down():
    lift = Lift(10)
    lift.call(2)
    lift.call(8)
    assert lift.move() == 8
    lift.call(5)
    assert lift.move() == 5
    assert lift.move() == 2


def test_keeps_going_down():
    lift = Lift(6)
    lift.call(4)
    lift.call(2)
    lift.move()
    lift.call(7)
    assert lift.serve_all() == [2, 7]


def test_keeps_going_up():
    lift = Lift(0)
    lift.call(3)
    lift.move()
    lift.call(1)
    lift.call(5)
    assert lift.serve_all() == [5, 1]


def test_turns_up_again():
    lift = Lift(5)
    lift.call(4)
    lift.move()
    assert not lift.going_up
    lift.call(8)
    lift.call(6)
    assert lift.serve_all() == [6, 8]
    assert lift.going_up


def test_cellar():
    lift = Lift()
    for floor in (-3, -1, -2):
        lift.call(floor)
    assert lift.serve_all() == [-1, -2, -3]


def test_repeated_calls():
    lift = Lift()
    lift.call(2)
    lift.call(2)
    assert lift.pending() == [2]
    assert lift.serve_all() == [2]


def test_pending_shrinks():
    lift = Lift()
    for floor in (3, 1):
        lift.call(floor)
    lift.move()
    assert lift.pending() == [3]
    assert lift.floor == 1
""",
    ),
    Program(
        name="line_editor_with_undo",
        code=r'''"""A small text editor that can undo and redo."""


class Editor:
    """Edit one line of text.

    Undo takes back the latest edit, redo makes it again.  After a new edit
    there is nothing left to redo.
    """

    def __init__(self, text=""):
        self.text = text
        self._undo = []
        self._redo = []

    def _change(self, text):
        if text == self.text:
            return
        self._undo.append(self.text)
        self.text = text

    def insert(self, position, piece):
        """Insert the piece before the character at the position."""
        if not 0 <= position <= len(self.text):
            raise IndexError(position)
        self._change(self.text[:position] + piece + self.text[position:])

    def append(self, piece):
        """Add the piece at the end."""
        self.insert(len(self.text), piece)

    def delete(self, start, stop):
        """Delete the characters from start up to, not including, stop."""
        self._change(self.text[:start] + self.text[max(start, stop):])

    def undo(self):
        """Take the latest edit back; say whether there was one."""
        if not self._undo:
            return False
        self._redo.append(self.text)
        self.text = self._undo.pop()
        return True

    def redo(self):
        """Make the edit again that was taken back; say whether there was one."""
        if not self._redo:
            return False
        self._undo.append(self.text)
        self.text = self._redo.pop()
        return True
''',
        wrong="        self.text = text\n\n    def insert(",
        right="        self._redo.clear()\n        self.text = text\n\n    def insert(",
        visible=r"""
def test_editing():
    editor = Editor("held")
    editor.insert(3, "lo worl")
    assert editor.text == "hello world"
    editor.delete(5, 11)
    assert editor.text == "hello"


def test_undo_and_redo():
    editor = Editor()
    editor.append("a")
    editor.append("b")
    assert editor.undo()
    assert editor.text == "a"
    assert editor.redo()
    assert editor.text == "ab"


def test_nothing_to_undo():
    assert not Editor("x").undo()


def test_new_edit_ends_redo():
    editor = Editor()
    editor.append("a")
    editor.undo()
    editor.append("b")
    assert not editor.redo()
    assert editor.text == "b"


def test_bad_position():
    with pytest.raises(IndexError):
        Editor("abc").insert(4, "d")
""",
        hidden=r"""
def test_delete_ends_redo():
    editor = Editor("abcd")
    editor.append("e")
    editor.undo()
    editor.delete(0, 2)
    assert not editor.redo()
    assert editor.text == "cd"


def test_insert_ends_several_redos():
    editor = Editor()
    for letter in "abc":
        editor.append(letter)
    editor.undo()
    editor.undo()
    editor.insert(0, "x")
    assert editor.text == "xa"
    assert not editor.redo()
    assert editor.undo()
    assert editor.text == "a"


def test_redo_after_undoing_the_new_edit():
    editor = Editor()
    editor.append("a")
    editor.undo()
    editor.append("b")
    editor.undo()
    assert editor.text == ""
    assert editor.redo()
    assert editor.text == "b"
    assert not editor.redo()


def test_all_the_way_back_and_forth():
    editor = Editor()
    for letter in "abcd":
        editor.append(letter)
    while editor.undo():
        pass
    assert editor.text == ""
    for expected in ("a", "ab", "abc", "abcd"):
        assert editor.redo()
        assert editor.text == expected
    assert not editor.redo()


def test_empty_edit_is_not_remembered():
    editor = Editor("abc")
    editor.insert(1, "")
    editor.delete(2, 2)
    assert not editor.undo()


def test_delete_backwards_range():
    editor = Editor("abc")
    editor.delete(2, 1)
    assert editor.text == "abc"


def test_nothing_to_redo():
    editor = Editor()
    editor.append("a")
    assert not editor.redo()
    assert editor.text == "a"


def test_insert_at_ends():
    editor = Editor("b")
    editor.insert(0, "a")
    editor.insert(2, "c")
    assert editor.text == "abc"


def test_negative_position():
    with pytest.raises(IndexError):
        Editor("abc").insert(-1, "d")
""",
    ),
    # Parsing
    Program(
        name="query_string_reader",
        code=r'''"""Reading the query part of web addresses."""

from urllib.parse import unquote


def decode(text):
    """Undo the encoding of a name or value: "+" is a space, "%41" an "A"."""
    return unquote(text.replace(" ", "+"))


def parse_query(query):
    """Return a dictionary from names to the lists of their values.

    A question mark in front is ignored, and so are empty pieces.  A name
    without "=" has the empty value; a value may contain further "=" signs.
    """
    result = {}
    for piece in query.removeprefix("?").split("&"):
        if not piece:
            continue
        name, _, value = piece.partition("=")
        result.setdefault(decode(name), []).append(decode(value))
    return result


def first(query, name, default=None):
    """Return the first value of the name in the query, or the default."""
    return parse_query(query).get(name, [default])[0]


def as_integer(query, name, default=0):
    """Return the first value of the name as a number, or the default
    when there is none or it is not a whole number."""
    try:
        return int(first(query, name, default))
    except ValueError:
        return default
''',
        wrong='text.replace(" ", "+")',
        right='text.replace("+", " ")',
        visible=r"""
def test_two_names():
    assert parse_query("?a=1&b=2") == {"a": ["1"], "b": ["2"]}


def test_repeated_name():
    assert parse_query("a=1&a=2") == {"a": ["1", "2"]}


def test_encoded_value():
    assert parse_query("q=caf%C3%A9") == {"q": ["café"]}


def test_plus_is_space():
    assert first("q=hot+tea", "q") == "hot tea"


def test_integer():
    assert as_integer("page=3", "page") == 3
    assert as_integer("page=x", "page", 1) == 1
""",
        hidden=r"""
def test_plus_in_name():
    assert parse_query("full+name=Ann") == {"full name": ["Ann"]}


def test_encoded_plus_stays():
    assert decode("1%2B1") == "1+1"
    assert decode("a+%2B+b") == "a + b"


def test_encoded_space():
    assert decode("a%20b") == "a b"


def test_several_plus_signs():
    assert first("q=+a++b", "q") == " a  b"


def test_equals_in_value():
    assert parse_query("f=a=b") == {"f": ["a=b"]}


def test_name_without_value():
    assert parse_query("flag&x=") == {"flag": [""], "x": [""]}


def test_empty_pieces():
    assert parse_query("") == {}
    assert parse_query("?&&a=1&") == {"a": ["1"]}


def test_encoded_separators():
    assert parse_query("a=1%262%3D3") == {"a": ["1&2=3"]}


def test_defaults():
    assert first("a=1", "b") is None
    assert first("a=1", "b", "z") == "z"
    assert as_integer("", "n", 7) == 7
""",
    ),
    Program(
        name="sum_calculator_infix",
        code=r'''"""Working out sums such as "2 * (3 + 4)"."""

import re

PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2}


def tokens(text):
    """Split the text into numbers, operators and brackets."""
    pieces = re.findall(r"\d+|[-+*/()]|\S", text)
    for piece in pieces:
        if not (piece.isdigit() or piece in PRECEDENCE or piece in "()"):
            raise ValueError(f"cannot read: {piece}")
    return pieces


def to_postfix(text):
    """Return the tokens with each operator after its operands.

    Operators of equal rank are worked out from left to right.
    """
    output, waiting = [], []
    for token in tokens(text):
        if token.isdigit():
            output.append(token)
        elif token == "(":
            waiting.append(token)
        elif token == ")":
            while waiting and waiting[-1] != "(":
                output.append(waiting.pop())
            if not waiting:
                raise ValueError("a bracket is not opened")
            waiting.pop()
        else:
            rank = PRECEDENCE[token]
            while waiting and PRECEDENCE.get(waiting[-1], 0) > rank:
                output.append(waiting.pop())
            waiting.append(token)
    if "(" in waiting:
        raise ValueError("a bracket is not closed")
    return output + waiting[::-1]


def calculate(text):
    """Return the value of the sum; "/" drops what is behind the point."""
    stack = []
    for token in to_postfix(text):
        if token.isdigit():
            stack.append(int(token))
            continue
        right, left = stack.pop(), stack.pop()
        if token == "+":
            stack.append(left + right)
        elif token == "-":
            stack.append(left - right)
        elif token == "*":
            stack.append(left * right)
        else:
            stack.append(left // right)
    return stack.pop()
''',
        wrong="PRECEDENCE.get(waiting[-1], 0) > rank:",
        right="PRECEDENCE.get(waiting[-1], 0) >= rank:",
        visible=r"""
def test_rank_of_operators():
    assert calculate("2 + 3 * 4") == 14


def test_brackets():
    assert calculate("2 * (3 + 4)") == 14


def test_left_to_right():
    assert calculate("10 - 4 - 3") == 3


def test_postfix():
    assert to_postfix("1 + 2 * 3") == ["1", "2", "3", "*", "+"]


def test_unclosed_bracket():
    with pytest.raises(ValueError):
        calculate("(1 + 2")
""",
        hidden=r"""
def test_minus_then_plus():
    assert calculate("10 - 4 + 3") == 9


def test_divisions():
    assert calculate("100 / 5 / 2") == 10
    assert calculate("100 / 5 * 2") == 40


def test_mixed():
    assert calculate("20 - 2 * 3 - 4") == 10
    assert calculate("2 * 3 - 4 / 2 + 1") == 5


def test_brackets_on_the_right():
    assert calculate("10 - (4 - 3)") == 9


def test_postfix_of_equal_ranks():
    assert to_postfix("1-2+3") == ["1", "2", "-", "3", "+"]


def test_nested_brackets():
    assert calculate("((7))") == 7
    assert calculate("2*((1+2)*(3+4))-1") == 41


def test_bad_brackets():
    for text in ("1 + 2)", "((1)", ")"):
        with pytest.raises(ValueError):
            calculate(text)


def test_strange_character():
    with pytest.raises(ValueError):
        calculate("2 ^ 3")


def test_number_alone():
    assert calculate(" 42 ") == 42
""",
    ),
    Program(
        name="settings_file_flags",
        code=r'''"""Reading simple settings files.

Each line is "name = value".  Blank lines and lines starting with "#" do not
count.  A line with a name alone switches a flag on.
"""

ON = {"on", "yes", "true", "1"}
OFF = {"off", "no", "false", "0"}


def read_settings(text):
    """Return the settings as a dictionary of strings.

    Names do not depend on capital letters; of settings given twice the later
    one holds.
    """
    settings = {}
    for line in text.splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, sign, value = line.partition("=")
        settings[name.strip().lower()] = value.strip() if sign else "on"
    return settings


def flag(settings, name, default=True):
    """Say whether the flag is on.

    A flag that is not set is off, unless another default is asked for.  Raise
    ValueError when its value is neither of the words for on nor for off.
    """
    value = settings.get(name.lower())
    if value is None:
        return default
    if value.lower() in ON:
        return True
    if value.lower() in OFF:
        return False
    raise ValueError(f"{name} should be on or off, not {value}")


def words(settings, name):
    """Return the parts of a value between commas, without blanks around."""
    parts = settings.get(name.lower(), "").split(",")
    return [part.strip() for part in parts if part.strip()]
''',
        wrong="default=True):",
        right="default=False):",
        visible=r"""
def test_reading():
    text = "# colours\nPaper = white\n\nink=blue\n"
    assert read_settings(text) == {"paper": "white", "ink": "blue"}


def test_flag_values():
    settings = read_settings("a = yes\nb = OFF\nc")
    assert flag(settings, "a") is True
    assert flag(settings, "b") is False
    assert flag(settings, "c") is True


def test_flag_not_set():
    assert flag({}, "colour") is False


def test_bad_flag():
    with pytest.raises(ValueError):
        flag({"a": "maybe"}, "a")


def test_words():
    assert words({"to": "ann, bob ,, cy"}, "to") == ["ann", "bob", "cy"]
""",
        hidden=r"""
def test_other_flag_set():
    settings = read_settings("verbose")
    assert flag(settings, "verbose") is True
    assert flag(settings, "quiet") is False


def test_given_default():
    assert flag({}, "a", default=True) is True
    assert flag({}, "a", False) is False
    assert flag({"a": "off"}, "a", True) is False


def test_commented_flag_is_off():
    assert flag(read_settings("# fast"), "fast") is False


def test_names_ignore_case():
    assert flag(read_settings("Fast = on"), "FAST") is True


def test_later_holds():
    assert read_settings("a=1\nA=2") == {"a": "2"}


def test_all_words_for_on_and_off():
    for word in ("on", "yes", "true", "1", "True"):
        assert flag({"x": word}, "x") is True
    for word in ("off", "no", "false", "0", "No"):
        assert flag({"x": word}, "x") is False


def test_empty_value_is_no_flag():
    with pytest.raises(ValueError):
        flag(read_settings("a ="), "a")


def test_equals_sign_in_value():
    assert read_settings("sum = 1=1") == {"sum": "1=1"}


def test_words_not_set():
    assert words({}, "to") == []
""",
    ),
    Program(
        name="quoted_record_reader",
        code=r'''"""Reading records whose fields may be quoted."""


def split_record(line, separator=","):
    """Split a line into its fields.

    Inside double quotes the separator has no meaning, and a quote is written
    twice.  The quotes around a part do not belong to the field.  Raise
    ValueError when a quote is not closed.
    """
    fields = []
    current = []
    quoted = False
    index = 0
    while index < len(line):
        char = line[index]
        if char == '"':
            if quoted and line[index + 1 : index + 2] == '"':
                current.append('"')
                index += 1
            else:
                quoted = not quoted
        elif char == separator:
            fields.append("".join(current))
            current = []
        else:
            current.append(char)
        index += 1
    if quoted:
        raise ValueError("a quote is not closed")
    fields.append("".join(current))
    return fields


def read_table(text, separator=","):
    """Return a dictionary for each line after the first, which has the names."""
    lines = [line for line in text.splitlines() if line]
    if not lines:
        return []
    names = split_record(lines[0], separator)
    return [dict(zip(names, split_record(line, separator))) for line in lines[1:]]
''',
        wrong="elif char == separator:",
        right="elif char == separator and not quoted:",
        visible=r"""
def test_plain_fields():
    assert split_record("a,b,c") == ["a", "b", "c"]


def test_quoted_separator():
    assert split_record('1,"Rome, Italy",2') == ["1", "Rome, Italy", "2"]


def test_quote_in_field():
    assert split_record('"a ""big"" dog",x') == ['a "big" dog', "x"]


def test_unclosed_quote():
    with pytest.raises(ValueError):
        split_record('a,"b')


def test_table():
    assert read_table("id,name\n1,Ann\n2,Bob") == [
        {"id": "1", "name": "Ann"},
        {"id": "2", "name": "Bob"},
    ]
""",
        hidden=r"""
def test_only_separators_in_quotes():
    assert split_record('",,",a') == [",,", "a"]


def test_other_separator():
    assert split_record('a;"b;c";d,e', ";") == ["a", "b;c", "d,e"]


def test_quotes_and_separators():
    assert split_record('"x "",y"" z",w') == ['x ",y" z', "w"]


def test_partly_quoted():
    assert split_record('ab"c,d"e,f') == ["abc,de", "f"]


def test_empty_fields():
    assert split_record("") == [""]
    assert split_record(",") == ["", ""]
    assert split_record('"",a,') == ["", "a", ""]


def test_separator_after_closing():
    assert split_record('"a","b"') == ["a", "b"]


def test_table_with_quotes():
    assert read_table('name|place\nAnn|"A|B"\n', "|") == [{"name": "Ann", "place": "A|B"}]


def test_empty_table():
    assert read_table("") == []
    assert read_table("a,b\n") == []


def test_unclosed_after_separator():
    with pytest.raises(ValueError):
        split_record('"a,b')
""",
    ),
    # Dates and intervals
    Program(
        name="merged_intervals",
        code=r'''"""Sets of whole numbers kept as intervals (start, end), both ends included."""


def merge(intervals):
    """Return the sorted intervals with overlapping and adjoining ones joined.

    (1, 3) and (4, 6) adjoin, as no number lies between them.
    """
    merged = []
    for start, end in sorted(intervals):
        if start > end:
            raise ValueError(f"interval ends before it starts: {start}, {end}")
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def covered(intervals):
    """Return how many numbers lie in at least one of the intervals."""
    return sum(end - start + 1 for start, end in merge(intervals))


def gaps(intervals):
    """Return the intervals of numbers between the given intervals."""
    merged = merge(intervals)
    return [
        (before[1] + 1, after[0] - 1) for before, after in zip(merged, merged[1:])
    ]


def contains(intervals, number):
    """Say whether the number lies in one of the intervals."""
    return any(start <= number <= end for start, end in intervals)
''',
        wrong="(merged[-1][0], end)",
        right="(merged[-1][0], max(merged[-1][1], end))",
        visible=r"""
def test_overlap():
    assert merge([(5, 9), (1, 6)]) == [(1, 9)]


def test_adjoining():
    assert merge([(1, 3), (4, 6), (8, 9)]) == [(1, 6), (8, 9)]


def test_one_inside_another():
    assert merge([(1, 10), (3, 4)]) == [(1, 10)]


def test_gaps():
    assert gaps([(1, 2), (5, 6), (10, 12)]) == [(3, 4), (7, 9)]


def test_backwards():
    with pytest.raises(ValueError):
        merge([(3, 1)])
""",
        hidden=r"""
def test_several_inside():
    assert merge([(0, 20), (2, 3), (5, 6), (30, 31)]) == [(0, 20), (30, 31)]


def test_inside_then_overlap():
    assert merge([(1, 10), (2, 3), (9, 12)]) == [(1, 12)]


def test_covered_with_nested():
    assert covered([(1, 10), (4, 5)]) == 10
    assert covered([(1, 3), (2, 6), (9, 9)]) == 7


def test_gaps_with_nested():
    assert gaps([(1, 10), (2, 3), (15, 16)]) == [(11, 14)]


def test_same_start():
    assert merge([(1, 5), (1, 2)]) == [(1, 5)]


def test_equal_intervals():
    assert merge([(4, 7), (4, 7)]) == [(4, 7)]


def test_against_sets():
    intervals = [(8, 12), (1, 4), (3, 3), (10, 11), (20, 25), (14, 15), (21, 22)]
    numbers = {n for start, end in intervals for n in range(start, end + 1)}
    assert covered(intervals) == len(numbers)
    merged = merge(intervals)
    assert all(contains(merged, n) == (n in numbers) for n in range(30))


def test_empty():
    assert merge([]) == []
    assert gaps([]) == []
    assert covered([]) == 0


def test_argument_unchanged():
    intervals = [(5, 6), (1, 2)]
    merge(intervals)
    assert intervals == [(5, 6), (1, 2)]
""",
    ),
    Program(
        name="working_day_calendar",
        code=r'''"""Counting in working days, from Monday to Friday."""

from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


def is_working_day(day, holidays=()):
    """Say whether the day is neither on a weekend nor a holiday."""
    return day.isoweekday() < 5 and day not in holidays


def next_working_day(day, holidays=()):
    """Return the first working day after the day."""
    day += ONE_DAY
    while not is_working_day(day, holidays):
        day += ONE_DAY
    return day


def add_working_days(day, count, holidays=()):
    """Return the working day that comes ``count`` working days after the day."""
    if count < 0:
        raise ValueError("count must not be negative")
    for _ in range(count):
        day = next_working_day(day, holidays)
    return day


def working_days_between(first, last, holidays=()):
    """Return the number of working days from first to last, both included."""
    total = 0
    day = first
    while day <= last:
        if is_working_day(day, holidays):
            total += 1
        day += ONE_DAY
    return total
''',
        wrong="day.isoweekday() < 5",
        right="day.weekday() < 5",
        visible=r"""
from datetime import date


def test_monday_and_sunday():
    assert is_working_day(date(2024, 3, 4))
    assert not is_working_day(date(2024, 3, 10))


def test_a_week_has_five():
    assert working_days_between(date(2024, 3, 4), date(2024, 3, 10)) == 5


def test_over_the_weekend():
    assert add_working_days(date(2024, 3, 8), 1) == date(2024, 3, 11)


def test_holiday():
    assert next_working_day(date(2024, 4, 30), {date(2024, 5, 1)}) == date(2024, 5, 2)


def test_negative_count():
    with pytest.raises(ValueError):
        add_working_days(date(2024, 3, 8), -1)
""",
        hidden=r"""
from datetime import date


def test_each_day_of_a_week():
    days = [date(2024, 3, number) for number in range(4, 11)]
    assert [is_working_day(day) for day in days] == [True] * 5 + [False] * 2


def test_thursday_to_friday():
    assert next_working_day(date(2024, 3, 7)) == date(2024, 3, 8)


def test_five_days_are_a_week():
    assert add_working_days(date(2024, 3, 5), 5) == date(2024, 3, 12)


def test_month():
    assert working_days_between(date(2024, 2, 1), date(2024, 2, 29)) == 21


def test_friday_alone():
    assert working_days_between(date(2024, 3, 8), date(2024, 3, 8)) == 1


def test_friday_holiday():
    holidays = [date(2024, 3, 29), date(2024, 4, 1)]
    assert next_working_day(date(2024, 3, 28), holidays) == date(2024, 4, 2)
    assert working_days_between(date(2024, 3, 25), date(2024, 3, 31), holidays) == 4


def test_zero_days():
    assert add_working_days(date(2024, 3, 9), 0) == date(2024, 3, 9)


def test_from_saturday():
    assert add_working_days(date(2024, 3, 9), 1) == date(2024, 3, 11)


def test_empty_range():
    assert working_days_between(date(2024, 3, 8), date(2024, 3, 7)) == 0
""",
    ),
    Program(
        name="monthly_billing_dates",
        code=r'''"""Dates of bills that come every month."""

from calendar import monthrange
from datetime import date


def day_in_month(year, month, day):
    """Return the date, or the last of the month if it has not so many days."""
    last = monthrange(year, month)[1]
    return date(year, month, min(day, last))


def month_after(current, day):
    """Return the given day in the month after the current date."""
    if current.month == 12:
        return day_in_month(current.year + 1, 1, day)
    return day_in_month(current.year, current.month + 1, day)


def billing_dates(start, count):
    """Return the dates of ``count`` bills, the first at the start.

    Bills come on the day of the month on which they started, or on the last
    day of months that are too short for it.
    """
    dates = []
    current = start
    for _ in range(count):
        dates.append(current)
        current = month_after(current, current.day)
    return dates


def bills_until(start, end):
    """Return how many bills come from the start up to and including the end."""
    months = (end.year - start.year) * 12 + end.month - start.month
    return sum(day <= end for day in billing_dates(start, max(months, 0) + 1))
''',
        wrong="month_after(current, current.day)",
        right="month_after(current, start.day)",
        visible=r"""
from datetime import date


def test_simple_months():
    assert billing_dates(date(2023, 5, 10), 3) == [
        date(2023, 5, 10),
        date(2023, 6, 10),
        date(2023, 7, 10),
    ]


def test_over_new_year():
    assert billing_dates(date(2023, 12, 3), 2)[1] == date(2024, 1, 3)


def test_end_of_month():
    assert billing_dates(date(2023, 1, 31), 4) == [
        date(2023, 1, 31),
        date(2023, 2, 28),
        date(2023, 3, 31),
        date(2023, 4, 30),
    ]


def test_short_month():
    assert day_in_month(2024, 2, 30) == date(2024, 2, 29)


def test_bills_until():
    assert bills_until(date(2023, 1, 15), date(2023, 4, 14)) == 3
""",
        hidden=r"""
from datetime import date


def test_thirtieth_after_february():
    days = [day.day for day in billing_dates(date(2023, 1, 30), 5)]
    assert days == [30, 28, 30, 30, 30]


def test_leap_year():
    days = [day.day for day in billing_dates(date(2024, 1, 31), 3)]
    assert days == [31, 29, 31]


def test_whole_year_from_the_last():
    days = [day.day for day in billing_dates(date(2022, 12, 31), 13)]
    assert days == [31, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def test_start_on_the_thirtieth_of_a_short_month():
    days = [day.day for day in billing_dates(date(2023, 4, 30), 3)]
    assert days == [30, 30, 30]


def test_none():
    assert billing_dates(date(2023, 1, 1), 0) == []


def test_bills_until_end_of_march():
    assert bills_until(date(2023, 1, 31), date(2023, 3, 30)) == 2
    assert bills_until(date(2023, 1, 31), date(2023, 3, 31)) == 3


def test_bills_until_same_day():
    assert bills_until(date(2023, 1, 31), date(2023, 1, 31)) == 1


def test_bills_until_before_start():
    assert bills_until(date(2023, 5, 10), date(2023, 4, 30)) == 0


def test_month_after():
    assert month_after(date(2023, 1, 5), 31) == date(2023, 2, 28)
    assert month_after(date(2023, 12, 31), 31) == date(2024, 1, 31)
""",
    ),
    Program(
        name="free_slots_of_day",
        code=r'''"""Finding free time between appointments.

Times are minutes after midnight; an appointment is a pair (start, end), and
its end is free again.
"""


def clock(minutes):
    """Write the time like "09:05"."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def free_slots(busy, opening, closing, shortest=1):
    """Return the free slots between opening and closing time, in order.

    Appointments may come in any order and overlap each other, and may reach
    over opening or closing time.  Slots under the shortest length are left
    out.
    """
    if opening > closing:
        raise ValueError("the day closes before it opens")
    slots = []
    cursor = 0
    for start, end in sorted(busy):
        start = min(start, closing)
        if start - cursor >= shortest:
            slots.append((cursor, start))
        cursor = max(cursor, end)
    if closing - cursor >= shortest:
        slots.append((cursor, closing))
    return slots


def first_fit(busy, opening, closing, length):
    """Return the earliest start of an appointment of the length, or None."""
    for start, _ in free_slots(busy, opening, closing, length):
        return start
    return None
''',
        wrong="    cursor = 0\n",
        right="    cursor = opening\n",
        visible=r"""
def test_between_appointments():
    assert free_slots([(540, 600), (660, 720)], 540, 720) == [(600, 660)]


def test_empty_day():
    assert free_slots([], 480, 1020) == [(480, 1020)]


def test_day_from_midnight():
    assert free_slots([(100, 200)], 0, 300) == [(0, 100), (200, 300)]


def test_first_fit():
    assert first_fit([(0, 30), (40, 90)], 0, 200, 20) == 90
    assert first_fit([(0, 200)], 0, 200, 20) is None


def test_clock():
    assert clock(545) == "09:05"
""",
        hidden=r"""
def test_free_before_the_first():
    assert free_slots([(600, 660)], 540, 660) == [(540, 600)]


def test_appointment_over_opening():
    assert free_slots([(500, 560)], 540, 600) == [(560, 600)]


def test_appointment_over_closing():
    assert free_slots([(580, 700)], 540, 600) == [(540, 580)]


def test_appointments_outside():
    assert free_slots([(100, 200), (700, 800)], 540, 600) == [(540, 600)]


def test_overlapping_and_unsorted():
    busy = [(570, 580), (545, 575), (550, 555)]
    assert free_slots(busy, 540, 600) == [(540, 545), (580, 600)]


def test_shortest():
    busy = [(550, 560), (580, 590)]
    assert free_slots(busy, 540, 600, 15) == [(560, 580)]
    assert free_slots(busy, 540, 600, 10) == [(540, 550), (560, 580), (590, 600)]


def test_first_fit_after_opening():
    assert first_fit([(600, 660)], 540, 720, 60) == 540
    assert first_fit([(570, 660)], 540, 720, 45) == 660
    assert first_fit([(570, 700)], 540, 720, 45) is None


def test_full_day():
    assert free_slots([(540, 600)], 540, 600) == []


def test_closing_before_opening():
    with pytest.raises(ValueError):
        free_slots([], 600, 540)


def test_no_time_at_all():
    assert free_slots([], 600, 600) == []
""",
    ),
    # Collections, grouping, sorting
    Program(
        name="most_frequent_words",
        code=r'''"""Counting the words of a text."""

from collections import Counter


def words_of(text):
    """Return the words in small letters, without the marks around them."""
    words = (word.strip(".,;:!?\"'()").lower() for word in text.split())
    return [word for word in words if word]


def ranking(text, ignored=()):
    """Return pairs (word, count), the most frequent words first.

    Words of equal count are in the order of the alphabet.  Ignored words are
    left out.
    """
    counts = Counter(word for word in words_of(text) if word not in ignored)
    return sorted(counts.items(), key=lambda pair: (pair[1], pair[0]))


def top(text, size, ignored=()):
    """Return the ``size`` most frequent words."""
    return [word for word, _ in ranking(text, ignored)[:size]]


def used_once(text):
    """Return the words that occur only once, in the order of the text."""
    counts = Counter(words_of(text))
    return [word for word in words_of(text) if counts[word] == 1]
''',
        wrong="(pair[1], pair[0])",
        right="(-pair[1], pair[0])",
        visible=r"""
def test_words():
    assert words_of('"Oh, no!" (she said)') == ["oh", "no", "she", "said"]


def test_ranking():
    assert ranking("a b a c a b") == [("a", 3), ("b", 2), ("c", 1)]


def test_equal_counts():
    assert ranking("pear fig apple") == [("apple", 1), ("fig", 1), ("pear", 1)]


def test_top():
    assert top("red blue blue red red green", 2) == ["red", "blue"]


def test_used_once():
    assert used_once("the cat and the dog") == ["cat", "and", "dog"]
""",
        hidden=r"""
def test_ties_below_the_first():
    assert ranking("z z y x x") == [("x", 2), ("z", 2), ("y", 1)]


def test_capital_letters():
    assert ranking("Tea tea TEA milk") == [("tea", 3), ("milk", 1)]


def test_ignored():
    assert ranking("the cat the cat the", {"the"}) == [("cat", 2)]
    assert top("the cat the dog dog", 1, ["the"]) == ["dog"]


def test_top_more_than_there_are():
    assert top("b a b", 10) == ["b", "a"]


def test_top_none():
    assert top("b a b", 0) == []


def test_big_counts():
    text = "x " * 12 + "y " * 2 + "z " * 3
    assert ranking(text) == [("x", 12), ("z", 3), ("y", 2)]


def test_empty():
    assert ranking("") == []
    assert used_once(" ... ") == []


def test_marks_inside_stay():
    assert words_of("don't stop.") == ["don't", "stop"]
""",
    ),
    Program(
        name="number_runs_as_text",
        code=r'''"""Short forms for lists of page numbers."""


def runs(numbers):
    """Group the numbers, sorted and without repeats, into runs of neighbours."""
    groups = []
    for number in sorted(set(numbers)):
        if groups and number == groups[-1][0] + 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups


def short_form(numbers):
    """Write the numbers like "1-3, 7, 9-10"."""
    pieces = []
    for group in runs(numbers):
        if len(group) == 1:
            pieces.append(str(group[0]))
        else:
            pieces.append(f"{group[0]}-{group[-1]}")
    return ", ".join(pieces)


def long_form(text):
    """Return the sorted numbers meant by a short form."""
    numbers = set()
    for piece in text.split(","):
        if not piece.strip():
            continue
        first, _, last = piece.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return sorted(numbers)
''',
        wrong="number == groups[-1][0] + 1",
        right="number == groups[-1][-1] + 1",
        visible=r"""
def test_no_neighbours():
    assert short_form([5, 1, 3]) == "1, 3, 5"


def test_pair():
    assert short_form([4, 5, 9]) == "4-5, 9"


def test_longer_run():
    assert short_form([1, 2, 3, 7, 9, 10]) == "1-3, 7, 9-10"


def test_long_form():
    assert long_form("1-3, 7") == [1, 2, 3, 7]


def test_empty():
    assert short_form([]) == ""
""",
        hidden=r"""
def test_one_long_run():
    assert runs(range(4, 10)) == [[4, 5, 6, 7, 8, 9]]
    assert short_form(range(4, 10)) == "4-9"


def test_several_long_runs():
    assert runs([8, 7, 6, 1, 2, 3, 4]) == [[1, 2, 3, 4], [6, 7, 8]]


def test_round_trip():
    numbers = [1, 2, 3, 5, 8, 9, 10, 11, 20]
    assert long_form(short_form(numbers)) == numbers


def test_repeats():
    assert short_form([3, 3, 2, 1, 1]) == "1-3"


def test_single():
    assert runs([7]) == [[7]]
    assert short_form([7]) == "7"


def test_gap_of_two():
    assert runs([1, 3, 4, 6]) == [[1], [3, 4], [6]]


def test_long_form_unsorted():
    assert long_form("9, 1-2 , 2-4,") == [1, 2, 3, 4, 9]
    assert long_form("") == []


def test_hundreds():
    assert short_form(list(range(1, 101)) + [103]) == "1-100, 103"
""",
    ),
    Program(
        name="competition_places",
        code=r'''"""Places in a competition."""


def places(scores):
    """Return triples (place, name, points) from the winner down.

    ``scores`` maps names to points.  Equal points share a place, and as many
    places after it are left empty: 1, 2, 2, 4.  Names that share a place are
    in the order of the alphabet.
    """
    ordered = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))
    table = []
    place = 0
    previous = None
    for position, (name, points) in enumerate(ordered, start=1):
        if points != previous:
            place += 1
        table.append((place, name, points))
        previous = points
    return table


def medals(scores):
    """Return the names for the places one to three as a dictionary."""
    titles = {1: "gold", 2: "silver", 3: "bronze"}
    result = {}
    for place, name, _ in places(scores):
        if place in titles:
            result.setdefault(titles[place], []).append(name)
    return result


def place_of(name, scores):
    """Return the place of the name; KeyError when it did not take part."""
    for place, other, _ in places(scores):
        if other == name:
            return place
    raise KeyError(name)
''',
        wrong="            place += 1\n",
        right="            place = position\n",
        visible=r"""
def test_all_different():
    assert places({"Ann": 7, "Bob": 9, "Cy": 8}) == [
        (1, "Bob", 9),
        (2, "Cy", 8),
        (3, "Ann", 7),
    ]


def test_shared_place():
    scores = {"Ann": 9, "Bob": 8, "Cy": 8, "Di": 5}
    assert [place for place, _, _ in places(scores)] == [1, 2, 2, 4]


def test_medals():
    assert medals({"Ann": 9, "Bob": 8, "Cy": 7, "Di": 6}) == {
        "gold": ["Ann"],
        "silver": ["Bob"],
        "bronze": ["Cy"],
    }


def test_unknown_name():
    with pytest.raises(KeyError):
        place_of("Eve", {"Ann": 1})
""",
        hidden=r"""
def test_two_winners():
    scores = {"Ann": 5, "Bob": 5, "Cy": 1}
    assert places(scores) == [(1, "Ann", 5), (1, "Bob", 5), (3, "Cy", 1)]


def test_two_winners_no_silver():
    scores = {"Bob": 5, "Ann": 5, "Cy": 1}
    assert medals(scores) == {"gold": ["Ann", "Bob"], "bronze": ["Cy"]}


def test_three_share_second():
    scores = {"a": 9, "b": 4, "c": 4, "d": 4, "e": 2}
    assert [place for place, _, _ in places(scores)] == [1, 2, 2, 2, 5]


def test_two_shared_places():
    scores = {"a": 3, "b": 3, "c": 2, "d": 2, "e": 1}
    assert [place for place, _, _ in places(scores)] == [1, 1, 3, 3, 5]


def test_all_equal():
    assert [place for place, _, _ in places({"a": 0, "b": 0, "c": 0})] == [1, 1, 1]


def test_place_of():
    scores = {"a": 3, "b": 3, "c": 2}
    assert place_of("b", scores) == 1
    assert place_of("c", scores) == 3


def test_nobody():
    assert places({}) == []
    assert medals({}) == {}


def test_negative_points():
    assert places({"a": -5, "b": -1}) == [(1, "b", -1), (2, "a", -5)]
""",
    ),
    Program(
        name="sales_pivot_table",
        code=r'''"""Summing up sales in tables."""

from collections import defaultdict


def pivot(records, row_key, column_key, value_key):
    """Return {row: {column: sum of values}} for a list of dictionaries.

    Records with the same row and column are added up.  Combinations that do
    not occur are not in the result.
    """
    table = defaultdict(lambda: defaultdict(int))
    for record in records:
        cells = table[record[row_key]]
        cells[record[column_key]] = record[value_key]
    return {row: dict(cells) for row, cells in table.items()}


def row_totals(table):
    """Return the sum of each row of a pivot table."""
    return {row: sum(cells.values()) for row, cells in table.items()}


def column_totals(table):
    """Return the sum of each column of a pivot table."""
    totals = defaultdict(int)
    for cells in table.values():
        for column, value in cells.items():
            totals[column] += value
    return dict(totals)


def best_row(table):
    """Return the row with the greatest total, the first of them in order."""
    totals = row_totals(table)
    return min(totals, key=lambda row: (-totals[row], row))
''',
        wrong="cells[record[column_key]] = record[value_key]",
        right="cells[record[column_key]] += record[value_key]",
        visible=r"""
def sale(town, item, amount):
    return {"town": town, "item": item, "amount": amount}


def test_different_cells():
    records = [sale("Rome", "tea", 3), sale("Rome", "jam", 4), sale("Bern", "tea", 5)]
    assert pivot(records, "town", "item", "amount") == {
        "Rome": {"tea": 3, "jam": 4},
        "Bern": {"tea": 5},
    }


def test_same_cell_is_added_up():
    records = [sale("Rome", "tea", 3), sale("Rome", "tea", 4)]
    assert pivot(records, "town", "item", "amount") == {"Rome": {"tea": 7}}


def test_totals():
    table = {"a": {"x": 1, "y": 2}, "b": {"x": 5}}
    assert row_totals(table) == {"a": 3, "b": 5}
    assert column_totals(table) == {"x": 6, "y": 2}


def test_best_row():
    assert best_row({"a": {"x": 1}, "b": {"x": 5}}) == "b"
""",
        hidden=r"""
def sale(town, item, amount):
    return {"town": town, "item": item, "amount": amount}


def test_three_in_one_cell():
    records = [sale("Rome", "tea", n) for n in (1, 10, 100)]
    assert pivot(records, "town", "item", "amount") == {"Rome": {"tea": 111}}


def test_mixed_order():
    records = [
        sale("Rome", "tea", 1),
        sale("Bern", "tea", 2),
        sale("Rome", "jam", 3),
        sale("Bern", "tea", 4),
        sale("Rome", "tea", 5),
    ]
    assert pivot(records, "town", "item", "amount") == {
        "Rome": {"tea": 6, "jam": 3},
        "Bern": {"tea": 6},
    }


def test_turned():
    records = [sale("Rome", "tea", 1), sale("Bern", "tea", 2), sale("Bern", "tea", 3)]
    assert pivot(records, "item", "town", "amount") == {"tea": {"Rome": 1, "Bern": 5}}


def test_refund():
    records = [sale("Rome", "tea", 8), sale("Rome", "tea", -3)]
    assert pivot(records, "town", "item", "amount") == {"Rome": {"tea": 5}}


def test_totals_of_pivot():
    records = [sale("a", "x", 2), sale("a", "x", 3), sale("b", "x", 4)]
    table = pivot(records, "town", "item", "amount")
    assert row_totals(table) == {"a": 5, "b": 4}
    assert column_totals(table) == {"x": 9}
    assert best_row(table) == "a"


def test_no_records():
    assert pivot([], "town", "item", "amount") == {}
    assert row_totals({}) == {}
    assert column_totals({}) == {}


def test_best_row_of_equals():
    assert best_row({"b": {"x": 2}, "a": {"x": 1, "y": 1}}) == "a"


def test_records_unchanged():
    records = [sale("a", "x", 2), sale("a", "x", 3)]
    pivot(records, "town", "item", "amount")
    assert records == [sale("a", "x", 2), sale("a", "x", 3)]
""",
    ),
    # Simulations
    Program(
        name="bank_with_transfer_fees",
        code=r'''"""A bank that takes a fee for sending money."""


class BankError(Exception):
    """Something the bank refuses to do."""


class Bank:
    """Accounts with balances in cents, which never fall below zero."""

    def __init__(self, fee=0):
        self.fee = fee
        self.earned = 0
        self._balances = {}

    def open(self, owner, amount=0):
        """Open an account; each owner can have one."""
        if owner in self._balances:
            raise BankError(f"{owner} has an account already")
        self._balances[owner] = amount

    def balance(self, owner):
        """Return the balance of the owner."""
        if owner not in self._balances:
            raise BankError(f"{owner} has no account")
        return self._balances[owner]

    def transfer(self, sender, receiver, amount):
        """Send the amount; the sender pays the fee on top of it.

        BankError, and no money moves, when the amount is not positive or the
        sender cannot pay amount and fee.
        """
        if amount <= 0:
            raise BankError("the amount must be positive")
        self.balance(receiver)
        if self.balance(sender) < amount:
            raise BankError(f"{sender} has not enough money")
        self._balances[sender] -= amount + self.fee
        self._balances[receiver] += amount
        self.earned += self.fee

    def total(self):
        """Return all money in the bank, with the fees it earned."""
        return sum(self._balances.values()) + self.earned
''',
        wrong="if self.balance(sender) < amount:",
        right="if self.balance(sender) < amount + self.fee:",
        visible=r"""
def test_transfer_with_fee():
    bank = Bank(fee=10)
    bank.open("Ann", 500)
    bank.open("Bob")
    bank.transfer("Ann", "Bob", 200)
    assert bank.balance("Ann") == 290
    assert bank.balance("Bob") == 200
    assert bank.earned == 10


def test_not_enough_for_the_fee():
    bank = Bank(fee=10)
    bank.open("Ann", 100)
    bank.open("Bob")
    with pytest.raises(BankError):
        bank.transfer("Ann", "Bob", 95)


def test_not_enough_at_all():
    bank = Bank()
    bank.open("Ann", 100)
    bank.open("Bob")
    with pytest.raises(BankError):
        bank.transfer("Ann", "Bob", 101)


def test_unknown_receiver():
    bank = Bank()
    bank.open("Ann", 100)
    with pytest.raises(BankError):
        bank.transfer("Ann", "Bob", 1)
    assert bank.balance("Ann") == 100


def test_money_is_kept():
    bank = Bank(fee=3)
    bank.open("Ann", 100)
    bank.open("Bob", 100)
    bank.transfer("Ann", "Bob", 50)
    assert bank.total() == 200
""",
        hidden=r"""
def make(fee, ann, bob=0):
    bank = Bank(fee)
    bank.open("Ann", ann)
    bank.open("Bob", bob)
    return bank


def test_exactly_enough():
    bank = make(10, 110)
    bank.transfer("Ann", "Bob", 100)
    assert bank.balance("Ann") == 0
    assert bank.balance("Bob") == 100


def test_one_cent_short():
    bank = make(10, 109, 5)
    with pytest.raises(BankError):
        bank.transfer("Ann", "Bob", 100)
    assert bank.balance("Ann") == 109
    assert bank.balance("Bob") == 5
    assert bank.earned == 0


def test_whole_balance_without_fee():
    bank = make(0, 80)
    bank.transfer("Ann", "Bob", 80)
    assert bank.balance("Ann") == 0
    assert bank.earned == 0


def test_whole_balance_with_fee():
    bank = make(1, 80)
    with pytest.raises(BankError):
        bank.transfer("Ann", "Bob", 80)


def test_never_below_zero():
    bank = make(7, 50)
    for _ in range(10):
        try:
            bank.transfer("Ann", "Bob", 9)
        except BankError:
            pass
    assert bank.balance("Ann") == 2
    assert bank.earned == 21
    assert bank.total() == 50


def test_bad_amounts():
    bank = make(0, 50)
    for amount in (0, -5):
        with pytest.raises(BankError):
            bank.transfer("Ann", "Bob", amount)


def test_unknown_sender():
    bank = make(0, 50)
    with pytest.raises(BankError):
        bank.transfer("Eve", "Bob", 1)


def test_open_twice():
    bank = make(0, 50)
    with pytest.raises(BankError):
        bank.open("Ann", 1)
    assert bank.balance("Ann") == 50
""",
    ),
    Program(
        name="round_robin_processor",
        code=r'''"""A processor that shares its time among jobs."""

from collections import deque


def run(jobs, quantum):
    """Run the jobs in turn and return the time line.

    ``jobs`` is a list of pairs (name, needed time), all there from the start.
    Each gets up to ``quantum`` units at a time and, when it needs more, goes
    to the end of the queue.  The time line is a list of (name, start, end).
    """
    if quantum < 1:
        raise ValueError("quantum must be positive")
    queue = deque((name, needed) for name, needed in jobs if needed > 0)
    clock = 0
    time_line = []
    while queue:
        name, needed = queue.popleft()
        used = min(quantum, needed)
        time_line.append((name, clock, clock + used))
        clock += quantum
        if needed > used:
            queue.append((name, needed - used))
    return time_line


def finish_times(jobs, quantum):
    """Return for each job the time at which it is finished."""
    return {name: end for name, _, end in run(jobs, quantum)}


def mean_wait(jobs, quantum):
    """Return how long jobs wait on average while others have their turns."""
    ends = finish_times(jobs, quantum)
    waits = [ends[name] - needed for name, needed in jobs if needed > 0]
    return sum(waits) / len(waits) if waits else 0
''',
        wrong="        clock += quantum\n",
        right="        clock += used\n",
        visible=r"""
def test_one_job():
    assert run([("a", 3)], 5) == [("a", 0, 3)]


def test_full_turns():
    assert run([("a", 4), ("b", 2)], 2) == [("a", 0, 2), ("b", 2, 4), ("a", 4, 6)]


def test_short_job_leaves_early():
    assert run([("a", 1), ("b", 3)], 2) == [("a", 0, 1), ("b", 1, 3), ("b", 3, 4)]


def test_finish_times():
    assert finish_times([("a", 3), ("b", 5), ("c", 1)], 2) == {"a": 6, "b": 9, "c": 5}


def test_bad_quantum():
    with pytest.raises(ValueError):
        run([("a", 1)], 0)
""",
        hidden=r"""
def test_no_idle_time():
    time_line = run([("a", 5), ("b", 3), ("c", 7)], 3)
    clock = 0
    for _, start, end in time_line:
        assert start == clock
        clock = end
    assert clock == 15


def test_large_quantum_is_one_after_the_other():
    assert run([("a", 2), ("b", 4), ("c", 1)], 100) == [
        ("a", 0, 2),
        ("b", 2, 6),
        ("c", 6, 7),
    ]


def test_quantum_one():
    assert run([("a", 2), ("b", 1)], 1) == [("a", 0, 1), ("b", 1, 2), ("a", 2, 3)]


def test_last_end_is_sum():
    jobs = [("a", 4), ("b", 9), ("c", 2), ("d", 6)]
    for quantum in range(1, 12):
        assert max(finish_times(jobs, quantum).values()) == 21


def test_finish_times_with_rests():
    assert finish_times([("a", 5), ("b", 5)], 3) == {"a": 8, "b": 10}


def test_mean_wait():
    assert mean_wait([("a", 1), ("b", 3)], 2) == 0.5
    assert mean_wait([("a", 2), ("b", 2)], 2) == 1


def test_jobs_without_work():
    assert run([("a", 0), ("b", 1)], 2) == [("b", 0, 1)]
    assert run([], 2) == []
    assert mean_wait([], 2) == 0


def test_turns_in_order():
    names = [name for name, _, _ in run([("a", 3), ("b", 2), ("c", 3)], 1)]
    assert names == ["a", "b", "c", "a", "b", "c", "a", "c"]
""",
    ),
    Program(
        name="warehouse_order_filling",
        code=r'''"""A warehouse that fills orders from its stock."""


class Warehouse:
    """Keep items on stock and orders waiting for them."""

    def __init__(self, stock=None):
        self.stock = dict(stock or {})
        self._waiting = []

    def order(self, number, item, amount):
        """Put an order on the waiting list."""
        if amount < 1:
            raise ValueError("amount must be positive")
        self._waiting.append((number, item, amount))

    def waiting(self):
        """Return the numbers of the waiting orders, oldest first."""
        return [number for number, _, _ in self._waiting]

    def receive(self, item, amount):
        """Add newly delivered items to the stock."""
        self.stock[item] = self.stock.get(item, 0) + amount

    def fill(self):
        """Send what can be sent and return the numbers of these orders.

        Orders are looked at from the oldest.  One for which there is not
        enough on stock is passed over and waits on; later ones may still be
        sent.  No order is sent in parts.
        """
        sent = []
        for number, item, amount in self._waiting:
            if self.stock.get(item, 0) < amount:
                break
            self.stock[item] -= amount
            sent.append(number)
        self._waiting = [entry for entry in self._waiting if entry[0] not in sent]
        return sent

    def shortages(self):
        """Return how many of each item are missing for all waiting orders."""
        needed = {}
        for _, item, amount in self._waiting:
            needed[item] = needed.get(item, 0) + amount
        missing = {item: n - self.stock.get(item, 0) for item, n in needed.items()}
        return {item: n for item, n in missing.items() if n > 0}
''',
        wrong="                break\n",
        right="                continue\n",
        visible=r"""
def test_all_are_sent():
    house = Warehouse({"lamp": 5})
    house.order(1, "lamp", 2)
    house.order(2, "lamp", 3)
    assert house.fill() == [1, 2]
    assert house.stock == {"lamp": 0}


def test_later_order_is_still_sent():
    house = Warehouse({"lamp": 1, "desk": 4})
    house.order(1, "lamp", 2)
    house.order(2, "desk", 3)
    assert house.fill() == [2]
    assert house.waiting() == [1]


def test_after_delivery():
    house = Warehouse()
    house.order(1, "lamp", 2)
    assert house.fill() == []
    house.receive("lamp", 2)
    assert house.fill() == [1]


def test_shortages():
    house = Warehouse({"lamp": 1})
    house.order(1, "lamp", 3)
    house.order(2, "lamp", 1)
    assert house.shortages() == {"lamp": 3}


def test_bad_amount():
    with pytest.raises(ValueError):
        Warehouse().order(1, "lamp", 0)
""",
        hidden=r"""
def test_smaller_order_for_same_item():
    house = Warehouse({"lamp": 2})
    house.order(1, "lamp", 3)
    house.order(2, "lamp", 2)
    assert house.fill() == [2]
    assert house.stock["lamp"] == 0


def test_several_passed_over():
    house = Warehouse({"a": 1, "b": 1})
    house.order(1, "c", 1)
    house.order(2, "a", 1)
    house.order(3, "a", 1)
    house.order(4, "b", 1)
    assert house.fill() == [2, 4]
    assert house.waiting() == [1, 3]


def test_oldest_has_the_first_claim():
    house = Warehouse({"a": 3})
    house.order(1, "a", 2)
    house.order(2, "a", 2)
    assert house.fill() == [1]
    assert house.stock == {"a": 1}


def test_not_in_parts():
    house = Warehouse({"a": 3})
    house.order(1, "a", 4)
    assert house.fill() == []
    assert house.stock == {"a": 3}


def test_passed_over_is_sent_later():
    house = Warehouse({"b": 5})
    house.order(1, "a", 2)
    house.order(2, "b", 1)
    house.fill()
    house.receive("a", 2)
    assert house.fill() == [1]
    assert house.waiting() == []


def test_fill_again_sends_nothing():
    house = Warehouse({"a": 5})
    house.order(1, "a", 1)
    house.fill()
    assert house.fill() == []
    assert house.stock == {"a": 4}


def test_given_stock_is_not_changed():
    stock = {"a": 2}
    house = Warehouse(stock)
    house.order(1, "a", 1)
    house.fill()
    assert stock == {"a": 2}


def test_no_shortages():
    house = Warehouse({"a": 2})
    house.order(1, "a", 2)
    assert house.shortages() == {}
""",
    ),
    Program(
        name="bowling_score_sheet",
        code=r'''"""Scores of a game of bowling with ten pins."""

FRAMES = 10
PINS = 10


def frame_scores(rolls):
    """Return the points of each frame of a complete game.

    A frame has two rolls, and counts the pins knocked down.  A spare (all pins
    in two rolls) counts the next roll on top; a strike (all pins in one roll)
    ends the frame and counts the next two rolls on top.  Rolls after the tenth
    frame only serve for this.
    """
    scores = []
    index = 0
    for _ in range(FRAMES):
        if rolls[index] == PINS:
            scores.append(PINS + rolls[index + 1] + rolls[index + 2])
            index += 1
            continue
        pins = rolls[index] + rolls[index + 1]
        if pins > PINS:
            raise ValueError(f"more than {PINS} pins in a frame: {pins}")
        if pins == PINS:
            pins += rolls[index + 1]
        scores.append(pins)
        index += 2
    return scores


def total_score(rolls):
    """Return the points of a complete game."""
    return sum(frame_scores(rolls))


def running_scores(rolls):
    """Return the points after each frame."""
    result = []
    total = 0
    for points in frame_scores(rolls):
        total += points
        result.append(total)
    return result
''',
        wrong="            pins += rolls[index + 1]\n",
        right="            pins += rolls[index + 2]\n",
        visible=r"""
def test_gutter_game():
    assert total_score([0] * 20) == 0


def test_open_frames():
    assert total_score([3, 4] * 10) == 70


def test_spare():
    assert total_score([6, 4, 3] + [0] * 17) == 16


def test_strike():
    assert total_score([10, 3, 4] + [0] * 16) == 24


def test_perfect_game():
    assert total_score([10] * 12) == 300
""",
        hidden=r"""
def test_all_spares():
    assert total_score([5] * 21) == 150
    assert total_score([9, 1] * 10 + [9]) == 190


def test_spare_in_last_frame():
    assert total_score([0] * 18 + [7, 3, 8]) == 18


def test_spare_before_strike():
    assert frame_scores([2, 8, 10, 1, 2] + [0] * 14)[:3] == [20, 13, 3]


def test_strike_before_spare():
    assert frame_scores([10, 4, 6, 5, 0] + [0] * 14)[:3] == [20, 15, 5]


def test_ten_with_the_second_roll():
    assert frame_scores([0, 10, 4, 0] + [0] * 16)[:2] == [14, 4]


def test_alternating():
    assert total_score([10, 5, 5] * 5 + [10]) == 200


def test_ten_over_two_frames_is_no_spare():
    assert total_score([0, 5, 5, 3] + [0] * 16) == 13


def test_running_scores():
    assert running_scores([1, 9, 2, 0] + [0] * 16)[:3] == [12, 14, 14]


def test_too_many_pins():
    with pytest.raises(ValueError):
        total_score([6, 5] + [0] * 18)


def test_ten_frames():
    assert len(frame_scores([10] * 12)) == 10
""",
    ),
)
