"""Programs of recursion."""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="permutations",
        code='''\
def permutations(items):
    """Return all orders of the items, as tuples."""
    items = tuple(items)
    if not items:
        return []
    result = []
    for i, item in enumerate(items):
        rest = items[:i] + items[i + 1:]
        for tail in permutations(rest):
            result.append((item,) + tail)
    return result


def is_permutation(first, second):
    return sorted(first) == sorted(second)
''',
        wrong="        return []\n",
        right="        return [()]\n",
        visible="""\
def test_one():
    assert permutations("a") == [("a",)]


def test_two():
    assert permutations([1, 2]) == [(1, 2), (2, 1)]


def test_is_permutation():
    assert is_permutation([1, 2, 2], [2, 1, 2])
    assert not is_permutation([1, 2], [1, 1])
""",
        hidden="""\
def test_none():
    assert permutations([]) == [()]


def test_three():
    assert len(set(permutations("abc"))) == 6
    assert permutations([1, 2, 3])[0] == (1, 2, 3)
    assert permutations([1, 2, 3])[-1] == (3, 2, 1)
""",
    ),
    Program(
        name="flatten",
        code='''\
def flatten(items):
    """Return the leaves of nested lists and tuples, from left to right."""
    result = []
    for item in items:
        if isinstance(item, (list, tuple)):
            result.append(flatten(item))
        else:
            result.append(item)
    return result


def depth(items):
    if not isinstance(items, (list, tuple)):
        return 0
    return 1 + max((depth(item) for item in items), default=0)
''',
        wrong="result.append(flatten(item))",
        right="result.extend(flatten(item))",
        visible="""\
def test_flat():
    assert flatten([1, 2]) == [1, 2]


def test_nested():
    assert flatten([1, [2, [3, 4]], 5]) == [1, 2, 3, 4, 5]


def test_depth():
    assert depth([]) == 1
    assert depth([1, [2, [3]]]) == 3
""",
        hidden="""\
def test_empty_lists():
    assert flatten([[], [[]], 1, []]) == [1]


def test_tuples_and_texts():
    assert flatten([("a", ["bc"]), "d"]) == ["a", "bc", "d"]
""",
    ),
    Program(
        name="hanoi",
        code='''\
def hanoi(discs, source="A", target="C", spare="B"):
    """Return the moves, as pairs, that carry a tower from source to target."""
    if discs == 0:
        return []
    before = hanoi(discs - 1, source, spare, target)
    after = hanoi(discs - 1, spare, source, target)
    return before + [(source, target)] + after


def play(discs, moves):
    """Return the pegs after the moves; raise ValueError if one is against the rules."""
    pegs = {"A": list(range(discs, 0, -1)), "B": [], "C": []}
    for source, target in moves:
        disc = pegs[source].pop()
        if pegs[target] and pegs[target][-1] < disc:
            raise ValueError("a larger disc on a smaller one")
        pegs[target].append(disc)
    return pegs
''',
        wrong="hanoi(discs - 1, spare, source, target)",
        right="hanoi(discs - 1, spare, target, source)",
        visible="""\
def test_none():
    assert hanoi(0) == []


def test_one():
    assert hanoi(1) == [("A", "C")]


def test_two():
    assert hanoi(2) == [("A", "B"), ("A", "C"), ("B", "C")]


def test_three():
    moves = hanoi(3)
    assert len(moves) == 7
    assert play(3, moves)["C"] == [3, 2, 1]


def test_play_knows_the_rules():
    with pytest.raises(ValueError):
        play(2, [("A", "C"), ("A", "C")])
""",
        hidden="""\
def test_five():
    moves = hanoi(5)
    assert len(moves) == 31
    assert play(5, moves) == {"A": [], "B": [], "C": [5, 4, 3, 2, 1]}


def test_other_pegs():
    assert hanoi(2, "x", "y", "z") == [("x", "z"), ("x", "y"), ("z", "y")]
""",
    ),
    Program(
        name="subset_sum",
        code='''\
def subset_sum(numbers, target):
    """Return some of the positive numbers whose sum is the target, or None."""
    if target == 0:
        return []
    if not numbers or target < 0:
        return None
    head, tail = numbers[0], numbers[1:]
    with_head = subset_sum(tail, target - head)
    if with_head:
        return [head] + with_head
    return subset_sum(tail, target)


def can_reach(numbers, target):
    return subset_sum(numbers, target) is not None
''',
        wrong="    if with_head:\n",
        right="    if with_head is not None:\n",
        visible="""\
def test_nothing_is_needed():
    assert subset_sum([1, 2], 0) == []


def test_all():
    assert subset_sum([1, 2, 3], 6) == [1, 2, 3]


def test_some():
    assert subset_sum([8, 3, 5], 11) == [8, 3]


def test_impossible():
    assert subset_sum([2, 4], 5) is None
    assert not can_reach([2, 4], 7)
""",
        hidden="""\
def test_one():
    assert subset_sum([7], 7) == [7]
    assert can_reach([1, 9, 4], 9)


def test_skips():
    assert subset_sum([5, 4, 3], 7) == [4, 3]
    assert subset_sum([], 1) is None
    assert subset_sum([10, 1], 1) == [1]
""",
    ),
    Program(
        name="quick_select",
        code='''\
def quick_select(values, k):
    """Return the k-th smallest value, counting from 0."""
    if not 0 <= k < len(values):
        raise IndexError(k)
    pivot = values[len(values) // 2]
    below = [v for v in values if v < pivot]
    equal = [v for v in values if v == pivot]
    above = [v for v in values if v > pivot]
    if k < len(below):
        return quick_select(below, k)
    if k < len(below) + len(equal):
        return pivot
    return quick_select(above, k - len(below))


def median_low(values):
    return quick_select(values, (len(values) - 1) // 2)
''',
        wrong="quick_select(above, k - len(below))",
        right="quick_select(above, k - len(below) - len(equal))",
        visible="""\
def test_smallest():
    assert quick_select([3, 1, 2], 0) == 1


def test_largest():
    assert quick_select([3, 1, 2, 5, 4], 4) == 5


def test_median():
    assert median_low([5, 2, 9]) == 5
    assert median_low([1, 2, 3, 4]) == 2


def test_range():
    with pytest.raises(IndexError):
        quick_select([], 0)
""",
        hidden="""\
def test_every_place():
    values = [9, 1, 8, 2, 7, 3, 3, 3, 6]
    for k, expected in enumerate(sorted(values)):
        assert quick_select(values, k) == expected


def test_equals():
    assert quick_select([2, 2, 2, 2], 3) == 2
    assert quick_select([1, 1, 2, 3], 3) == 3
    assert quick_select([1, 1, 2, 3], 2) == 2
""",
    ),
    Program(
        name="tree_depth",
        code='''\
class Tree:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right


def height(tree):
    if tree is None:
        return 0
    return 1 + max(height(tree.left), height(tree.right))


def is_balanced(tree):
    """Tell whether the heights of both sides differ by at most one, at every node."""
    if tree is None:
        return True
    if abs(height(tree.left) - height(tree.right)) > 1:
        return False
    return is_balanced(tree.left) or is_balanced(tree.right)


def in_order(tree):
    if tree is None:
        return []
    return in_order(tree.left) + [tree.value] + in_order(tree.right)
''',
        wrong="is_balanced(tree.left) or is_balanced(tree.right)",
        right="is_balanced(tree.left) and is_balanced(tree.right)",
        visible="""\
def chain(*values):
    tree = None
    for value in reversed(values):
        tree = Tree(value, right=tree)
    return tree


def test_height():
    assert height(None) == 0
    assert height(chain(1, 2, 3)) == 3


def test_balanced():
    assert is_balanced(Tree(2, Tree(1), Tree(3)))
    assert is_balanced(None)


def test_chain_is_not_balanced():
    assert not is_balanced(chain(1, 2, 3))


def test_unbalanced_below():
    bad = Tree(5, chain(1, 2, 3), Tree(8, Tree(6), Tree(9, Tree(7))))
    assert not is_balanced(bad)


def test_in_order():
    assert in_order(Tree(2, Tree(1), Tree(3))) == [1, 2, 3]
""",
        hidden="""\
def chain(*values):
    tree = None
    for value in reversed(values):
        tree = Tree(value, right=tree)
    return tree


def test_unbalanced_right_below():
    good = Tree(1, Tree(2, Tree(3)), Tree(4))
    assert is_balanced(good)
    assert not is_balanced(Tree(0, good, chain(1, 2, 3)))
    assert not is_balanced(Tree(0, chain(1, 2, 3), good))


def test_one():
    assert is_balanced(Tree(1))
    assert is_balanced(Tree(1, Tree(2)))
""",
    ),
    Program(
        name="change_ways",
        code='''\
def ways(amount, coins):
    """Count the ways to pay the amount with coins of each kind, in any number."""
    if amount == 0:
        return 1
    if amount < 0 or not coins:
        return 0
    return ways(amount - coins[0], coins[1:]) + ways(amount, coins[1:])


def fewest(amount, coins):
    """Return the least number of coins that pay the amount, or None."""
    if amount == 0:
        return 0
    options = [fewest(amount - coin, coins) for coin in coins if coin <= amount]
    found = [n for n in options if n is not None]
    return min(found) + 1 if found else None
''',
        wrong="ways(amount - coins[0], coins[1:])",
        right="ways(amount - coins[0], coins)",
        visible="""\
def test_nothing_to_pay():
    assert ways(0, [1, 2]) == 1


def test_one_coin():
    assert ways(4, [2]) == 1
    assert ways(3, [2]) == 0


def test_two_coins():
    assert ways(5, [1, 2]) == 3


def test_fewest():
    assert fewest(6, [1, 3, 4]) == 2
    assert fewest(3, [2]) is None
""",
        hidden="""\
def test_three_coins():
    assert ways(10, [2, 5, 3]) == 4
    assert ways(10, [10, 1]) == 2


def test_none():
    assert ways(7, []) == 0
    assert ways(100, [50, 25, 10]) == 6
""",
    ),
)
