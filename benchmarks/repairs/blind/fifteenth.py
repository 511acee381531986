"""Programs of ten kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ------------------------------------------------------ trees and tries
    Program(
        name="prefix_counter",
        code=r'''"""A trie which counts words by their beginnings."""


class _Node:
    def __init__(self):
        self.children = {}
        self.passing = 0
        self.ending = 0


class PrefixCounter:
    """A bag of words that can be asked how many start with a prefix."""

    def __init__(self, words=()):
        self._root = _Node()
        for word in words:
            self.add(word)

    def add(self, word):
        """Put one copy of the word into the bag."""
        node = self._root
        node.passing += 1
        for letter in word:
            node = node.children.setdefault(letter, _Node())
            node.passing += 1
        node.ending += 1

    def remove(self, word):
        """Take one copy of the word out; KeyError if there is none."""
        if self.copies(word) == 0:
            raise KeyError(word)
        node = self._root
        node.passing -= 1
        for letter in word:
            node = node.children[letter]
        node.ending -= 1

    def copies(self, word):
        """How many copies of exactly this word there are."""
        node = self._find(word)
        return node.ending if node else 0

    def starting_with(self, prefix):
        """How many words in the bag begin with the prefix."""
        node = self._find(prefix)
        return node.passing if node else 0

    def _find(self, text):
        node = self._root
        for letter in text:
            node = node.children.get(letter)
            if node is None:
                return None
        return node
''',
        wrong="""            node = node.children[letter]
        node.ending -= 1""",
        right="""            node = node.children[letter]
            node.passing -= 1
        node.ending -= 1""",
        visible=r"""
def test_counts_prefixes():
    bag = PrefixCounter(["tea", "ten", "to", "inn"])
    assert bag.starting_with("te") == 2
    assert bag.starting_with("t") == 3
    assert bag.starting_with("x") == 0


def test_empty_prefix_counts_everything():
    assert PrefixCounter(["a", "b", "a"]).starting_with("") == 3


def test_copies():
    bag = PrefixCounter(["tea", "tea", "teapot"])
    assert bag.copies("tea") == 2
    assert bag.copies("te") == 0


def test_remove_changes_the_prefix_count():
    bag = PrefixCounter(["tea", "ten", "to"])
    bag.remove("ten")
    assert bag.copies("ten") == 0
    assert bag.starting_with("te") == 1


def test_remove_of_unknown_word():
    with pytest.raises(KeyError):
        PrefixCounter(["tea"]).remove("te")
""",
        hidden=r"""
def test_remove_one_of_two_copies():
    bag = PrefixCounter(["tea", "tea"])
    bag.remove("tea")
    assert bag.copies("tea") == 1
    assert bag.starting_with("tea") == 1
    assert bag.starting_with("t") == 1


def test_remove_last_word_leaves_nothing():
    bag = PrefixCounter(["inn"])
    bag.remove("inn")
    for prefix in ("", "i", "in", "inn"):
        assert bag.starting_with(prefix) == 0


def test_remove_word_that_is_a_prefix_of_another():
    bag = PrefixCounter(["in", "inn"])
    bag.remove("in")
    assert bag.copies("inn") == 1
    assert bag.starting_with("in") == 1
    assert bag.starting_with("inn") == 1


def test_add_again_after_remove():
    bag = PrefixCounter(["to"])
    bag.remove("to")
    bag.add("to")
    assert bag.copies("to") == 1
    assert bag.starting_with("to") == 1
    assert bag.starting_with("") == 1


def test_remove_twice_fails():
    bag = PrefixCounter(["to"])
    bag.remove("to")
    with pytest.raises(KeyError):
        bag.remove("to")


def test_failed_remove_changes_nothing():
    bag = PrefixCounter(["tea"])
    with pytest.raises(KeyError):
        bag.remove("teapot")
    assert bag.starting_with("tea") == 1
    assert bag.starting_with("") == 1


def test_empty_word():
    bag = PrefixCounter(["", "a"])
    assert bag.copies("") == 1
    bag.remove("")
    assert bag.copies("") == 0
    assert bag.starting_with("") == 1
""",
    ),
    Program(
        name="search_tree_map",
        code=r'''"""A plain binary search tree from keys to values."""


class Node:
    """One entry of the tree with the two subtrees below it."""

    def __init__(self, key, value):
        self.key = key
        self.value = value
        self.left = None
        self.right = None


def insert(node, key, value):
    """Put a key into the tree (or change its value); return the new root."""
    if node is None:
        return Node(key, value)
    if key < node.key:
        node.left = insert(node.left, key, value)
    elif key > node.key:
        node.right = insert(node.right, key, value)
    else:
        node.value = value
    return node


def smallest(node):
    """The node with the smallest key in a tree that is not empty."""
    while node.left is not None:
        node = node.left
    return node


def delete(node, key):
    """Take a key out of the tree; return the new root, KeyError if absent."""
    if node is None:
        raise KeyError(key)
    if key < node.key:
        node.left = delete(node.left, key)
    elif key > node.key:
        node.right = delete(node.right, key)
    elif node.left is None:
        return node.right
    elif node.right is None:
        return node.left
    else:
        heir = smallest(node.right)
        node.key, node.value = heir.key, heir.value
        node.right = delete(node.right, key)
    return node


def items(node):
    """All (key, value) pairs in the order of the keys."""
    if node is None:
        return []
    return items(node.left) + [(node.key, node.value)] + items(node.right)
''',
        wrong="""heir.key, heir.value
        node.right = delete(node.right, key)""",
        right="""heir.key, heir.value
        node.right = delete(node.right, heir.key)""",
        visible=r"""
def build(keys):
    root = None
    for key in keys:
        root = insert(root, key, str(key))
    return root


def keys_of(root):
    return [key for key, _ in items(root)]


def test_items_are_in_order():
    assert keys_of(build([5, 2, 8, 1])) == [1, 2, 5, 8]


def test_insert_replaces_value():
    root = insert(build([5, 2]), 2, "two")
    assert items(root) == [(2, "two"), (5, "5")]


def test_delete_leaf():
    assert keys_of(delete(build([5, 2, 8]), 8)) == [2, 5]


def test_delete_node_with_two_children():
    root = delete(build([5, 2, 8, 6, 9]), 5)
    assert items(root) == [(2, "2"), (6, "6"), (8, "8"), (9, "9")]


def test_delete_unknown_key():
    with pytest.raises(KeyError):
        delete(build([5, 2, 8]), 7)
""",
        hidden=r"""
def build(keys):
    root = None
    for key in keys:
        root = insert(root, key, str(key))
    return root


def keys_of(root):
    return [key for key, _ in items(root)]


def test_delete_only_node():
    assert delete(build([1]), 1) is None


def test_delete_root_with_one_child():
    assert keys_of(delete(build([1, 2, 3]), 1)) == [2, 3]
    assert keys_of(delete(build([3, 2, 1]), 3)) == [1, 2]


def test_delete_inner_node_with_two_children():
    root = delete(build([20, 10, 30, 5, 15, 12, 17]), 10)
    assert keys_of(root) == [5, 12, 15, 17, 20, 30]


def test_heir_is_direct_right_child():
    root = delete(build([2, 1, 3]), 2)
    assert items(root) == [(1, "1"), (3, "3")]


def test_heir_has_a_right_subtree():
    root = delete(build([5, 2, 9, 6, 7, 8]), 5)
    assert keys_of(root) == [2, 6, 7, 8, 9]


def test_delete_everything_in_any_order():
    keys = [4, 2, 6, 1, 3, 5, 7]
    for first in keys:
        root = delete(build(keys), first)
        assert keys_of(root) == [key for key in range(1, 8) if key != first]


def test_delete_all_from_the_root():
    root = build([4, 2, 6, 1, 3, 5, 7])
    left = {1, 2, 3, 4, 5, 6, 7}
    while root is not None:
        left.discard(root.key)
        root = delete(root, root.key)
        assert keys_of(root) == sorted(left)


def test_delete_from_empty_tree():
    with pytest.raises(KeyError):
        delete(None, 1)
""",
    ),
    Program(
        name="comment_thread",
        code=r'''"""Comments with replies, shown as an indented outline."""

from typing import NamedTuple, Optional


class Comment(NamedTuple):
    """One comment; the parent is None for those that open a thread."""

    number: int
    parent: Optional[int]
    text: str
    votes: int = 0


def replies_by_parent(comments):
    """Map each parent number (or None) to its direct replies."""
    replies = {}
    for comment in comments:
        replies.setdefault(comment.parent, []).append(comment)
    return replies


def outline(comments, indent="  "):
    """The lines of the outline.

    Each reply stands below what it replies to, one indent deeper; those
    with more votes come first, and among equals the order is kept.
    """
    replies = replies_by_parent(comments)
    lines = []

    def show(parent, depth):
        children = replies.get(parent, [])
        for comment in sorted(children, key=lambda each: -each.votes):
            lines.append(indent * depth + comment.text)
            show(comment.number, depth)

    show(None, 0)
    return lines


def thread_votes(comments, number):
    """The votes of a comment and of everything below it."""
    replies = replies_by_parent(comments)
    own = sum(each.votes for each in comments if each.number == number)
    below = replies.get(number, [])
    return own + sum(thread_votes(comments, each.number) for each in below)
''',
        wrong="show(comment.number, depth)",
        right="show(comment.number, depth + 1)",
        visible=r"""
def test_flat_comments_keep_their_order():
    assert outline([Comment(1, None, "a"), Comment(2, None, "b")]) == ["a", "b"]


def test_more_votes_first():
    comments = [Comment(1, None, "a", 1), Comment(2, None, "b", 5)]
    assert outline(comments) == ["b", "a"]


def test_reply_is_indented():
    comments = [
        Comment(1, None, "question"),
        Comment(2, None, "other"),
        Comment(3, 1, "answer"),
    ]
    assert outline(comments) == ["question", "  answer", "other"]


def test_thread_votes():
    comments = [Comment(1, None, "a", 2), Comment(2, 1, "b", 3), Comment(3, 2, "c", 4)]
    assert thread_votes(comments, 1) == 9
    assert thread_votes(comments, 2) == 7


def test_no_comments():
    assert outline([]) == []
""",
        hidden=r"""
def test_three_levels():
    comments = [
        Comment(1, None, "a"),
        Comment(2, 1, "b"),
        Comment(3, 2, "c"),
    ]
    assert outline(comments) == ["a", "  b", "    c"]


def test_own_indent():
    comments = [Comment(1, None, "a"), Comment(2, 1, "b"), Comment(3, 2, "c")]
    assert outline(comments, indent="> ") == ["a", "> b", "> > c"]


def test_siblings_share_a_depth():
    comments = [
        Comment(1, None, "a"),
        Comment(2, 1, "b"),
        Comment(3, 1, "c"),
        Comment(4, 2, "d"),
    ]
    assert outline(comments) == ["a", "  b", "    d", "  c"]


def test_votes_order_replies_too():
    comments = [
        Comment(1, None, "a"),
        Comment(2, 1, "low", 1),
        Comment(3, 1, "high", 3),
        Comment(4, 1, "low too", 1),
    ]
    assert outline(comments) == ["a", "  high", "  low", "  low too"]


def test_depth_returns_for_the_next_thread():
    comments = [
        Comment(1, None, "a", 9),
        Comment(2, 1, "b"),
        Comment(3, None, "c", 5),
        Comment(4, 3, "d"),
    ]
    assert outline(comments) == ["a", "  b", "c", "  d"]


def test_reply_may_come_before_its_parent_in_the_list():
    comments = [Comment(2, 1, "b"), Comment(1, None, "a")]
    assert outline(comments) == ["a", "  b"]


def test_thread_votes_of_leaf_and_of_unknown():
    comments = [Comment(1, None, "a", 2), Comment(2, 1, "b", -3)]
    assert thread_votes(comments, 2) == -3
    assert thread_votes(comments, 1) == -1
    assert thread_votes(comments, 7) == 0
""",
    ),
    Program(
        name="range_minimum_tree",
        code=r'''"""A segment tree that answers questions for the least of a range."""

from math import inf


class RangeMinimum:
    """Numbers of which one may change one, and ask for range minima."""

    def __init__(self, values):
        values = list(values)
        self._size = len(values)
        self._tree = [inf] * self._size + values
        for index in range(self._size - 1, 0, -1):
            self._refresh(index)

    def __len__(self):
        return self._size

    def __getitem__(self, index):
        self._check(index)
        return self._tree[index + self._size]

    def __setitem__(self, index, value):
        self._check(index)
        index += self._size
        self._tree[index] = value
        while index > 1:
            index //= 2
            self._refresh(index)

    def minimum(self, start, stop):
        """The least of the values from start up to, not including, stop."""
        if not 0 <= start < stop <= self._size:
            raise ValueError(f"bad range: {start} to {stop}")
        left, right = start + self._size, stop + self._size
        best = inf
        while left < right:
            if left % 2 == 1:
                best = min(best, self._tree[left])
                left += 1
            if right % 2 == 1:
                best = min(best, self._tree[right])
                right -= 1
            left //= 2
            right //= 2
        return best

    def _refresh(self, index):
        self._tree[index] = min(self._tree[2 * index : 2 * index + 2])

    def _check(self, index):
        if not 0 <= index < self._size:
            raise IndexError(index)
''',
        wrong="""                best = min(best, self._tree[right])
                right -= 1""",
        right="""                right -= 1
                best = min(best, self._tree[right])""",
        visible=r"""
def test_whole_range():
    assert RangeMinimum([5, 2, 7, 3]).minimum(0, 4) == 2


def test_stop_is_not_included():
    tree = RangeMinimum([5, 2, 7, 1])
    assert tree.minimum(0, 3) == 2


def test_one_value():
    tree = RangeMinimum([5, 2, 7, 3])
    assert tree.minimum(1, 2) == 2
    assert tree.minimum(2, 3) == 7


def test_change():
    tree = RangeMinimum([5, 2, 7, 3])
    tree[1] = 9
    assert tree[1] == 9
    assert tree.minimum(0, 4) == 3


def test_bad_range():
    with pytest.raises(ValueError):
        RangeMinimum([1, 2]).minimum(1, 1)
""",
        hidden=r"""
def check_all(values):
    tree = RangeMinimum(values)
    for start in range(len(values)):
        for stop in range(start + 1, len(values) + 1):
            assert tree.minimum(start, stop) == min(values[start:stop])


def test_all_ranges_of_a_power_of_two():
    check_all([5, 2, 7, 3, 8, 1, 9, 4])


def test_all_ranges_of_other_sizes():
    check_all([4])
    check_all([4, 3])
    check_all([9, 8, 7])
    check_all([3, 1, 4, 1, 5])
    check_all([6, 2, 8, 3, 1, 8, 5])


def test_rising_and_falling():
    check_all(list(range(11)))
    check_all(list(range(11, 0, -1)))


def test_negative_values():
    check_all([-1, -5, 3, 0, -2, 4])


def test_changes_up_and_down():
    values = [5, 2, 7, 3, 8, 6]
    tree = RangeMinimum(values)
    for index, value in [(0, 1), (0, 9), (5, 0), (3, 10), (2, -4)]:
        tree[index] = value
        values[index] = value
        for start in range(6):
            for stop in range(start + 1, 7):
                assert tree.minimum(start, stop) == min(values[start:stop])


def test_length_and_items():
    tree = RangeMinimum([5, 2, 7])
    assert len(tree) == 3
    assert [tree[index] for index in range(3)] == [5, 2, 7]


def test_bad_indices():
    tree = RangeMinimum([5, 2, 7])
    with pytest.raises(IndexError):
        tree[3]
    with pytest.raises(IndexError):
        tree[-1] = 4


def test_bad_ranges():
    tree = RangeMinimum([5, 2, 7])
    for start, stop in [(-1, 2), (0, 4), (2, 1), (3, 3)]:
        with pytest.raises(ValueError):
            tree.minimum(start, stop)
""",
    ),
    # ---------------------------------------------- backtracking and search
    Program(
        name="distinct_coin_choices",
        code=r'''"""Choosing coins from a purse to pay an exact sum."""


def choices(coins, total):
    """All different ways to pay the total from the coins in the purse.

    Each coin can be used once, but a purse may hold equal coins; ways that
    use the same values are the same.  A way is a tuple in rising order, and
    the ways are in rising order too.  Coins are positive whole numbers.
    """
    purse = sorted(coins)
    found = []
    chosen = []

    def extend(start, missing):
        if missing == 0:
            found.append(tuple(chosen))
            return
        for index in range(start, len(purse)):
            coin = purse[index]
            if coin > missing:
                break
            if index > 0 and coin == purse[index - 1]:
                continue
            chosen.append(coin)
            extend(index + 1, missing - coin)
            chosen.pop()

    extend(0, total)
    return found


def fewest_coins(coins, total):
    """The way with the fewest coins, or None if the sum cannot be paid."""
    return min(choices(coins, total), key=len, default=None)
''',
        wrong="if index > 0 and",
        right="if index > start and",
        visible=r"""
def test_different_coins():
    assert choices([5, 1, 2, 3], 6) == [(1, 2, 3), (1, 5)]


def test_equal_coins_give_one_way():
    assert choices([2, 2, 1], 3) == [(1, 2)]


def test_equal_coins_may_be_used_together():
    assert choices([2, 2, 1], 4) == [(2, 2)]


def test_cannot_pay():
    assert choices([5, 5], 7) == []
    assert fewest_coins([5, 5], 7) is None


def test_fewest_coins():
    assert fewest_coins([1, 2, 3, 6], 6) == (6,)
""",
        hidden=r"""
def test_classic_example():
    assert choices([10, 1, 2, 7, 6, 1, 5], 8) == [(1, 1, 6), (1, 2, 5), (1, 7), (2, 6)]


def test_all_coins_equal():
    assert choices([1, 1, 1, 1], 3) == [(1, 1, 1)]
    assert choices([1, 1, 1, 1], 4) == [(1, 1, 1, 1)]
    assert choices([1, 1, 1, 1], 5) == []


def test_pairs_of_pairs():
    assert choices([1, 1, 2, 2], 4) == [(1, 1, 2), (2, 2)]
    assert choices([1, 1, 2, 2], 6) == [(1, 1, 2, 2)]


def test_zero_is_paid_with_nothing():
    assert choices([1, 2], 0) == [()]
    assert choices([], 0) == [()]


def test_empty_purse():
    assert choices([], 3) == []


def test_fewest_needs_equal_coins():
    assert fewest_coins([5, 5, 1, 2, 3, 4], 10) == (5, 5)
    assert fewest_coins([4, 4, 4], 12) == (4, 4, 4)


def test_the_purse_is_left_alone():
    purse = [3, 1, 2]
    choices(purse, 3)
    assert purse == [3, 1, 2]
""",
    ),
    Program(
        name="letter_board",
        code=r'''"""Finding words on a board of letters."""

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def can_spell(board, word):
    """Whether the word can be laid as a path on the board.

    The path goes from a letter to one above, below, left or right of it,
    and uses no place twice.  The board is a list of strings of one length.
    """
    height = len(board)
    width = len(board[0]) if board else 0
    used = set()

    def follow(row, column, position):
        """Whether word[position:] can be laid starting at this place."""
        if board[row][column] != word[position]:
            return False
        if position == len(word) - 1:
            return True
        used.add((row, column))
        for down, right in STEPS:
            place = (row + down, column + right)
            inside = 0 <= place[0] < height and 0 <= place[1] < width
            if inside and place not in used and follow(*place, position + 1):
                return True
        return False

    if not word:
        return True
    return any(
        follow(row, column, 0) for row in range(height) for column in range(width)
    )


def words_on(board, words):
    """Those of the words that can be spelled, in the order given."""
    return [word for word in words if can_spell(board, word)]
''',
        wrong="""                return True
        return False

    if not word""",
        right="""                return True
        used.remove((row, column))
        return False

    if not word""",
        visible=r"""
BOARD = ["CAT", "RDO", "EEG"]


def test_straight_words():
    assert can_spell(BOARD, "CAT")
    assert can_spell(BOARD, "CRE")


def test_word_around_a_corner():
    assert can_spell(BOARD, "TOG")
    assert can_spell(BOARD, "CADRE")


def test_place_is_not_used_twice():
    assert not can_spell(["AB"], "ABA")


def test_second_start_after_a_dead_end():
    assert can_spell(["BAA"], "AAB")


def test_words_on():
    assert words_on(BOARD, ["DOG", "GOT", "TAC"]) == ["DOG", "GOT", "TAC"]
    assert words_on(BOARD, ["COT", "TOAD"]) == []
""",
        hidden=r"""
def test_dead_end_inside_a_path():
    board = ["ABC", "DBA", "EEE"]
    assert can_spell(board, "ABBCA") is False
    assert can_spell(board, "ABBAC")


def test_other_way_round_a_ring():
    board = ["XAA", "BAA"]
    assert can_spell(board, "AAAAB")
    assert can_spell(board, "AAAAX")


def test_long_run_of_equal_letters():
    board = ["AAA", "AAA", "AAB"]
    assert can_spell(board, "AAAAAAAAB")
    assert not can_spell(board, "AAAAAAAAAB")


def test_row_read_backwards():
    assert can_spell(["ZAAA"], "AAAZ")
    assert can_spell(["AAAZ"], "AAAZ")


def test_empty_word_and_empty_board():
    assert can_spell(["A"], "")
    assert not can_spell([], "A")


def test_single_place():
    assert can_spell(["A"], "A")
    assert not can_spell(["A"], "AA")
    assert not can_spell(["A"], "B")


def test_no_diagonals():
    assert not can_spell(["AX", "XB"], "AB")


def test_words_keep_their_order():
    assert words_on(["BAA"], ["AAB", "B", "BB", "BAA"]) == ["AAB", "B", "BAA"]
""",
    ),
    Program(
        name="two_jugs",
        code=r'''"""Measuring water with two jugs, a tap and a drain."""

from collections import deque
from math import gcd


def moves(state, first, second):
    """The states one step away.

    A state says how much is in either jug; first and second are what they
    hold when full.  A step fills a jug, empties it, or pours it into the
    other until that is full or this one is empty.
    """
    one, two = state
    forth = min(one, second)
    back = min(two, first - one)
    return {
        (first, two),
        (one, second),
        (0, two),
        (one, 0),
        (one - forth, two + forth),
        (one + back, two - back),
    } - {state}


def fewest_steps(first, second, goal):
    """The least number of steps after which a jug holds just the goal.

    Both jugs are empty at the start.  None if it cannot be done.
    """
    if goal > max(first, second) or goal % gcd(first, second) != 0:
        return None
    steps = {(0, 0): 0}
    waiting = deque(steps)
    while waiting:
        state = waiting.popleft()
        if goal in state:
            return steps[state]
        for following in moves(state, first, second):
            if following not in steps:
                steps[following] = steps[state] + 1
                waiting.append(following)
    return None
''',
        wrong="forth = min(one, second)",
        right="forth = min(one, second - two)",
        visible=r"""
def test_moves_from_empty_jugs():
    assert moves((0, 0), 3, 5) == {(3, 0), (0, 5)}


def test_pouring_stops_when_the_other_is_full():
    assert moves((3, 4), 3, 5) == {(3, 5), (0, 4), (3, 0), (2, 5)}


def test_pouring_into_the_empty_jug():
    assert (0, 3) in moves((3, 0), 3, 5)


def test_full_jug_is_one_step():
    assert fewest_steps(3, 5, 5) == 1
    assert fewest_steps(3, 5, 0) == 0


def test_four_of_five_and_three():
    assert fewest_steps(5, 3, 4) == 6


def test_impossible():
    assert fewest_steps(4, 6, 3) is None
    assert fewest_steps(3, 5, 8) is None
""",
        hidden=r"""
def test_no_jug_ever_overflows():
    for one in range(4):
        for two in range(6):
            for left, right in moves((one, two), 3, 5):
                assert 0 <= left <= 3
                assert 0 <= right <= 5


def test_pouring_keeps_the_amount():
    assert (1, 5) in moves((3, 3), 3, 5)
    assert (3, 3) in moves((1, 5), 3, 5)
    assert (2, 3) in moves((5, 0), 5, 3)


def test_pouring_into_a_full_jug_is_no_move():
    assert moves((3, 5), 3, 5) == {(0, 5), (3, 0)}


def test_order_of_jugs_does_not_matter():
    for goal in range(6):
        assert fewest_steps(3, 5, goal) == fewest_steps(5, 3, goal)
    for goal in range(8):
        assert fewest_steps(4, 7, goal) == fewest_steps(7, 4, goal)


def test_known_counts():
    assert fewest_steps(3, 5, 2) == 2
    assert fewest_steps(3, 5, 1) == 4
    assert fewest_steps(3, 5, 4) == 6


def test_partly_filled_pour_forth():
    assert (0, 5) in moves((2, 3), 3, 5)
    assert (0, 4) in moves((2, 2), 3, 5)


def test_impossible_ones():
    assert fewest_steps(2, 4, 1) is None
    assert fewest_steps(2, 4, 5) is None
""",
    ),
    Program(
        name="least_van_capacity",
        code=r'''"""How large a van must be to bring parcels in a number of trips."""


def trips_needed(weights, capacity):
    """The trips a van makes when it takes the parcels in their order.

    It loads parcels as long as the next one still fits.
    """
    trips = 0
    load = capacity
    for weight in weights:
        if load + weight > capacity:
            trips += 1
            load = 0
        load += weight
    return trips


def least_capacity(weights, trips):
    """The smallest capacity with which the trips are enough.

    Every parcel has to fit into the van as a whole.  Weights are positive
    whole numbers; ValueError if there are parcels and no trips.
    """
    if not weights:
        return 0
    if trips < 1:
        raise ValueError("parcels need at least one trip")
    low = 1
    high = sum(weights)
    while low < high:
        middle = (low + high) // 2
        if trips_needed(weights, middle) <= trips:
            high = middle
        else:
            low = middle + 1
    return low
''',
        wrong="low = 1\n",
        right="low = max(weights)\n",
        visible=r"""
def test_trips_needed():
    assert trips_needed([3, 2, 2, 4, 1, 4], 6) == 3
    assert trips_needed([], 6) == 0


def test_least_capacity():
    assert least_capacity([3, 2, 2, 4, 1, 4], 3) == 6


def test_one_trip_takes_all():
    assert least_capacity([3, 2, 5], 1) == 10


def test_more_trips_than_parcels():
    assert least_capacity([3, 7], 5) == 7


def test_no_trips():
    assert least_capacity([], 0) == 0
    with pytest.raises(ValueError):
        least_capacity([1], 0)
""",
        hidden=r"""
def test_ten_parcels():
    assert least_capacity(list(range(1, 11)), 5) == 15


def test_as_many_trips_as_parcels():
    assert least_capacity([4, 9, 2], 3) == 9


def test_single_parcel():
    assert least_capacity([8], 1) == 8
    assert least_capacity([8], 2) == 8
    assert least_capacity([8], 100) == 8


def test_equal_parcels():
    assert least_capacity([5, 5, 5, 5], 2) == 10
    assert least_capacity([5, 5, 5, 5], 3) == 10
    assert least_capacity([5, 5, 5, 5], 4) == 5
    assert least_capacity([5, 5, 5, 5], 9) == 5


def test_one_heavy_among_light_ones():
    assert least_capacity([1, 1, 20, 1], 3) == 20
    assert least_capacity([1, 1, 20, 1], 4) == 20
    assert least_capacity([1, 1, 20, 1], 50) == 20


def test_every_parcel_fits():
    weights = [7, 3, 11, 2, 6]
    for trips in range(1, 15):
        capacity = least_capacity(weights, trips)
        assert capacity >= max(weights)
        assert trips_needed(weights, capacity) <= trips


def test_nothing_to_bring():
    assert least_capacity([], 3) == 0


def test_negative_trips():
    with pytest.raises(ValueError):
        least_capacity([2], -1)
""",
    ),
    # ------------------------------------- string algorithms and text layout
    Program(
        name="hanging_indent",
        code=r'''"""Breaking text into lines with a hanging indent."""


def wrap(text, width, first="", later=""):
    """Break the text into lines no longer than the width.

    The first line starts with `first`, all others with `later`, and both
    count for the width.  Runs of white space become one blank.  A word too
    long for a line gets one for itself and sticks out.
    """
    lines = []
    line = first
    empty = True
    for word in text.split():
        longer = line + word if empty else line + " " + word
        if len(longer) > width and not empty:
            lines.append(line)
            longer = first + word
        line = longer
        empty = False
    if not empty:
        lines.append(line)
    return lines


def bullets(items, width, mark="*"):
    """The items as a bulleted list; wrapped lines stand under the text."""
    start = mark + " "
    lines = []
    for item in items:
        lines.extend(wrap(item, width, start, " " * len(start)))
    return lines
''',
        wrong="longer = first + word",
        right="longer = later + word",
        visible=r"""
def test_plain_wrapping():
    assert wrap("the quick brown fox", 10) == ["the quick", "brown fox"]


def test_white_space_is_squeezed():
    assert wrap("  a \n b\t c ", 20) == ["a b c"]


def test_nothing_to_wrap():
    assert wrap("   ", 10) == []


def test_long_word_sticks_out():
    assert wrap("a extraordinary b", 5) == ["a", "extraordinary", "b"]


def test_bullets():
    assert bullets(["milk and honey", "tea"], 10) == ["* milk and", "  honey", "* tea"]
""",
        hidden=r"""
def test_first_and_later():
    assert wrap("aa bb cc dd", 7, "- ", "....") == ["- aa bb", "....cc", "....dd"]


def test_first_line_indented_only():
    assert wrap("one two three four", 9, first="   ") == ["   one", "two three", "four"]


def test_later_lines_indented_only():
    assert wrap("one two three four", 8, later="  ") == ["one two", "  three", "  four"]


def test_exact_fit():
    assert wrap("abc def", 7) == ["abc def"]
    assert wrap("abc def", 6) == ["abc", "def"]
    assert wrap("abc def", 9, "> ") == ["> abc def"]
    assert wrap("abc def", 8, "> ") == ["> abc", "def"]


def test_long_first_word_with_indent():
    assert wrap("extraordinary a", 6, "* ", "  ") == ["* extraordinary", "  a"]


def test_bullets_with_longer_mark():
    lines = bullets(["one two three"], 8, mark="10.")
    assert lines == ["10. one", "    two", "    three"]


def test_several_wrapped_bullets():
    lines = bullets(["aa bb", "cc dd"], 5)
    assert lines == ["* aa", "  bb", "* cc", "  dd"]


def test_no_lines_for_empty_items():
    assert bullets([], 10) == []
    assert bullets(["", "x"], 10) == ["* x"]
""",
    ),
    Program(
        name="full_justification",
        code=r'''"""Setting text in a block with two straight edges."""


def stretch(words, width):
    """Set the words into one line of exactly this width.

    The blanks are spread over the gaps as evenly as possible; gaps further
    left get the ones left over.  One word alone is filled up at its right.
    """
    if len(words) == 1:
        return words[0].ljust(width)
    blanks = width - sum(len(word) for word in words)
    each, extra = divmod(blanks, len(words) - 1)
    line = words[0]
    for gap, word in enumerate(words[1:]):
        line += " " * (each + (1 if gap <= extra else 0)) + word
    return line


def block(text, width):
    """The lines of the text, all stretched but for the last.

    ValueError if a word is longer than the width.
    """
    lines = []
    words = []
    length = 0
    for word in text.split():
        if len(word) > width:
            raise ValueError(f"too long: {word}")
        if words and length + 1 + len(word) > width:
            lines.append(stretch(words, width))
            words = []
            length = 0
        length += len(word) + (1 if words else 0)
        words.append(word)
    if words:
        lines.append(" ".join(words))
    return lines
''',
        wrong="if gap <= extra",
        right="if gap < extra",
        visible=r"""
def test_one_word():
    assert stretch(["hello"], 8) == "hello   "


def test_blanks_left_over_go_left():
    assert stretch(["a", "b", "c"], 8) == "a   b  c"


def test_even_gaps():
    assert stretch(["a", "b", "c"], 7) == "a  b  c"


def test_last_line_is_not_stretched():
    assert block("to be", 10) == ["to be"]


def test_long_word():
    with pytest.raises(ValueError):
        block("extraordinary", 5)


def test_no_text():
    assert block("", 5) == []
""",
        hidden=r"""
def test_width_is_exact():
    words = ["aa", "b", "cc", "d"]
    for width in range(9, 25):
        assert len(stretch(words, width)) == width


def test_no_blanks_left_over():
    assert stretch(["ab", "cd"], 5) == "ab cd"
    assert stretch(["ab", "cd"], 9) == "ab     cd"


def test_gaps_differ_by_one_at_most():
    assert stretch(["a", "b", "c", "d"], 12) == "a   b   c  d"
    assert stretch(["a", "b", "c", "d"], 11) == "a   b  c  d"
    assert stretch(["a", "b", "c", "d"], 13) == "a   b   c   d"


def test_block_of_several_lines():
    text = "this is an example of text that is set"
    assert block(text, 12) == ["this  is  an", "example   of", "text that is", "set"]


def test_single_word_lines_are_filled():
    assert block("abcdef gh ij", 6) == ["abcdef", "gh ij"]
    assert block("abcd efgh ij", 6) == ["abcd  ", "efgh  ", "ij"]


def test_exact_fit_is_kept():
    assert block("ab cd ef gh", 5) == ["ab cd", "ef gh"]


def test_all_but_last_line_have_the_width():
    text = "a bb ccc dddd eeeee ffff ggg hh i jj kkk llll"
    for width in range(5, 30):
        lines = block(text, width)
        assert all(len(line) == width for line in lines[:-1])
        assert " ".join(lines).split() == text.split()


def test_word_as_long_as_the_width():
    assert block("abcde", 5) == ["abcde"]
    with pytest.raises(ValueError):
        block("a abcdef", 5)
""",
    ),
    Program(
        name="short_run_lengths",
        code=r'''"""Run-length coding in which single letters stay as they are."""

from itertools import groupby


def encode(text):
    """Shorten runs: "aaab" becomes "3ab".  ValueError if there are digits."""
    if any(letter.isdigit() for letter in text):
        raise ValueError("digits cannot be encoded")
    parts = []
    for letter, run in groupby(text):
        length = len(list(run))
        parts.append(f"{length}{letter}" if length > 1 else letter)
    return "".join(parts)


def decode(code):
    """Undo `encode`.

    A letter without a number before it stands for itself.  ValueError if
    a number is not followed by a letter.
    """
    parts = []
    digits = ""
    for letter in code:
        if letter.isdigit():
            digits += letter
        else:
            parts.append(letter * int(digits or "0"))
            digits = ""
    if digits:
        raise ValueError("number without a letter")
    return "".join(parts)


def saving(text):
    """How many characters encoding saves."""
    return len(text) - len(encode(text))
''',
        wrong='int(digits or "0")',
        right='int(digits or "1")',
        visible=r"""
def test_encode():
    assert encode("aaab") == "3ab"
    assert encode("") == ""


def test_encode_digits():
    with pytest.raises(ValueError):
        encode("a1")


def test_decode_runs():
    assert decode("3a2b") == "aaabb"
    assert decode("12x") == "x" * 12


def test_decode_single_letters():
    assert decode("3ab") == "aaab"


def test_there_and_back():
    assert decode(encode("hello, wood")) == "hello, wood"


def test_saving():
    assert saving("aaaa") == 2
    assert saving("ab") == 0
""",
        hidden=r"""
def test_only_single_letters():
    assert decode("abc") == "abc"
    assert decode("x") == "x"


def test_single_letter_between_runs():
    assert decode("2ab3c") == "aabccc"
    assert decode("a10b") == "a" + "b" * 10


def test_nothing():
    assert decode("") == ""


def test_number_without_letter():
    for code in ("3", "a4", "2a12"):
        with pytest.raises(ValueError):
            decode(code)


def test_explicit_one_and_zero():
    assert decode("1a") == "a"
    assert decode("0ab") == "b"


def test_many_there_and_back():
    for text in ("", "a", "aa", "ab", "aab", "abb", "  x  ", "\n\nab", "m" * 101 + "n"):
        assert decode(encode(text)) == text


def test_blanks_are_letters_too():
    assert encode("a   b") == "a3 b"
    assert decode("a3 b") == "a   b"


def test_saving_of_long_runs():
    assert saving("a" * 100) == 96
    assert saving("aa") == 0
""",
    ),
    Program(
        name="overlapping_matches",
        code=r'''"""Finding a pattern in a text without ever stepping back."""


def borders(pattern):
    """For each beginning of the pattern the length of its longest border.

    A border is a text that the beginning both starts and ends with, and
    that is shorter than the whole beginning.
    """
    table = [0] * len(pattern)
    length = 0
    for index in range(1, len(pattern)):
        while length > 0 and pattern[index] != pattern[length]:
            length = table[length - 1]
        if pattern[index] == pattern[length]:
            length += 1
        table[index] = length
    return table


def matches(pattern, text):
    """All places where the pattern starts in the text.

    Matches may overlap.  ValueError for an empty pattern.
    """
    if not pattern:
        raise ValueError("empty pattern")
    table = borders(pattern)
    found = []
    matched = 0
    for index, letter in enumerate(text):
        while matched > 0 and letter != pattern[matched]:
            matched = table[matched - 1]
        if letter == pattern[matched]:
            matched += 1
        if matched == len(pattern):
            found.append(index - len(pattern) + 1)
            matched = 0
    return found


def shortest_unit(text):
    """The shortest text of which the given one is a repetition."""
    if not text:
        return ""
    length = len(text) - borders(text)[-1]
    return text[:length] if len(text) % length == 0 else text
''',
        wrong="""            matched = 0
    return found""",
        right="""            matched = table[matched - 1]
    return found""",
        visible=r"""
def test_separate_matches():
    assert matches("ab", "abcab") == [0, 3]


def test_overlapping_matches():
    assert matches("aba", "ababa") == [0, 2]


def test_no_match():
    assert matches("abc", "ababab") == []
    assert matches("abc", "") == []


def test_borders():
    assert borders("ababc") == [0, 0, 1, 2, 0]


def test_empty_pattern():
    with pytest.raises(ValueError):
        matches("", "abc")


def test_shortest_unit():
    assert shortest_unit("abcabc") == "abc"
    assert shortest_unit("abcab") == "abcab"
""",
        hidden=r"""
def slow(pattern, text):
    last = len(text) - len(pattern)
    return [place for place in range(last + 1) if text.startswith(pattern, place)]


def test_run_of_one_letter():
    assert matches("aa", "aaaa") == [0, 1, 2]
    assert matches("aaa", "aaaaa") == [0, 1, 2]


def test_single_letter():
    assert matches("a", "banana") == [1, 3, 5]


def test_overlap_of_two():
    assert matches("abab", "abababab") == [0, 2, 4]


def test_against_the_slow_way():
    texts = ["aabaabaaab", "abcabcabcab", "xyxxyxyxxy", "aaaabaaaab"]
    patterns = ["a", "aab", "aabaa", "abcab", "xyx", "xyxxy", "aaaab", "zz"]
    for text in texts:
        for pattern in patterns:
            assert matches(pattern, text) == slow(pattern, text)


def test_whole_text():
    assert matches("abc", "abc") == [0]
    assert matches("abcd", "abc") == []


def test_match_at_both_ends():
    assert matches("aba", "abaxaba") == [0, 4]


def test_borders_of_some_patterns():
    assert borders("aaaa") == [0, 1, 2, 3]
    assert borders("aabaaab") == [0, 1, 0, 1, 2, 2, 3]
    assert borders("") == []


def test_units():
    assert shortest_unit("aaaa") == "a"
    assert shortest_unit("abab") == "ab"
    assert shortest_unit("x") == "x"
    assert shortest_unit("") == ""
""",
    ),
    # --------------------------------------- integer and decimal arithmetic
    Program(
        name="repeating_decimals",
        code=r'''"""Fractions written as decimals, with the repeating part in brackets."""


def expand(numerator, denominator):
    """The exact decimal of a fraction.

    1/6 is "0.1(6)", 1/4 is "0.25" and 6/3 is "2".  Either number may be
    negative.  ZeroDivisionError if the denominator is zero.
    """
    if denominator == 0:
        raise ZeroDivisionError("fraction with denominator zero")
    negative = numerator * denominator < 0
    numerator, denominator = abs(numerator), denominator
    whole, remainder = divmod(numerator, denominator)
    text = ("-" if negative else "") + str(whole)
    if remainder == 0:
        return text

    digits = []
    places = {}
    while remainder != 0 and remainder not in places:
        places[remainder] = len(digits)
        digit, remainder = divmod(remainder * 10, denominator)
        digits.append(str(digit))

    if remainder == 0:
        return text + "." + "".join(digits)
    start = places[remainder]
    return f"{text}.{''.join(digits[:start])}({''.join(digits[start:])})"


def period(numerator, denominator):
    """How many digits repeat for ever; 0 if the decimal ends."""
    _, bracket, repeating = expand(numerator, denominator).partition("(")
    return len(repeating) - 1 if bracket else 0
''',
        wrong="abs(numerator), denominator\n",
        right="abs(numerator), abs(denominator)\n",
        visible=r"""
def test_ending_decimals():
    assert expand(1, 4) == "0.25"
    assert expand(6, 3) == "2"


def test_repeating_decimals():
    assert expand(1, 6) == "0.1(6)"
    assert expand(1, 7) == "0.(142857)"


def test_negative_numbers():
    assert expand(-1, 4) == "-0.25"
    assert expand(1, -4) == "-0.25"


def test_zero():
    assert expand(0, 5) == "0"
    with pytest.raises(ZeroDivisionError):
        expand(1, 0)


def test_period():
    assert period(1, 7) == 6
    assert period(1, 8) == 0
""",
        hidden=r"""
def test_both_negative():
    assert expand(-1, -3) == "0.(3)"
    assert expand(-7, -2) == "3.5"


def test_negative_denominator_repeating():
    assert expand(5, -6) == "-0.8(3)"
    assert expand(22, -7) == "-3.(142857)"


def test_negative_denominator_whole():
    assert expand(6, -3) == "-2"
    assert expand(-6, -3) == "2"
    assert expand(0, -3) == "0"


def test_negative_numerator():
    assert expand(-22, 7) == "-3.(142857)"
    assert expand(-1, 3) == "-0.(3)"


def test_leading_zeros_after_the_point():
    assert expand(1, 80) == "0.0125"
    assert expand(1, 90) == "0.0(1)"
    assert expand(1, 99) == "0.(01)"


def test_larger_than_one():
    assert expand(10, 3) == "3.(3)"
    assert expand(7, 2) == "3.5"


def test_periods():
    assert period(1, 3) == 1
    assert period(1, 13) == 6
    assert period(1, 12) == 1
    assert period(4, 2) == 0
    assert period(1, -7) == 6


def test_zero_by_zero():
    with pytest.raises(ZeroDivisionError):
        expand(0, 0)
""",
    ),
    Program(
        name="balanced_ternary",
        code=r'''"""Whole numbers in balanced ternary.

The digits are "+" for one, "0" for nothing and "-" for minus one; each
place is worth three times the one to its right.
"""

VALUES = {"+": 1, "0": 0, "-": -1}
OPPOSITE = str.maketrans("+-", "-+")


def write(number):
    """The number in balanced ternary, without leading zeros."""
    if number < 0:
        return write(-number).translate(OPPOSITE)
    digits = ""
    while number > 0:
        remainder = number % 3
        if remainder == 2:
            digits = "-" + digits
            number -= 1
        else:
            digits = "0+"[remainder] + digits
        number //= 3
    return digits or "0"


def read(text):
    """The number which a balanced ternary text stands for.

    ValueError for an empty text or other digits.
    """
    if not text:
        raise ValueError("no digits")
    number = 0
    for digit in text:
        if digit not in VALUES:
            raise ValueError(f"not a digit: {digit}")
        number = 3 * number + VALUES[digit]
    return number


def weighing(load):
    """How to weigh a load with the weights 1, 3, 9, ..., one of each.

    Two lists: the weights beside the load, and those on the other side.
    """
    beside, other = [], []
    for place, digit in enumerate(reversed(write(load))):
        if digit == "-":
            beside.append(3**place)
        elif digit == "+":
            other.append(3**place)
    return beside, other
''',
        wrong="number -= 1",
        right="number += 1",
        visible=r"""
def test_write_small_numbers():
    assert write(0) == "0"
    assert write(1) == "+"
    assert write(3) == "+0"
    assert write(4) == "++"


def test_write_with_minus_digits():
    assert write(2) == "+-"
    assert write(5) == "+--"


def test_read():
    assert read("+0-") == 8
    assert read("0") == 0


def test_read_nonsense():
    with pytest.raises(ValueError):
        read("+2")
    with pytest.raises(ValueError):
        read("")


def test_weighing():
    assert weighing(4) == ([], [1, 3])
    assert weighing(2) == ([1], [3])
""",
        hidden=r"""
def test_there_and_back():
    for number in range(-200, 201):
        assert read(write(number)) == number


def test_negative_numbers():
    assert write(-1) == "-"
    assert write(-2) == "-+"
    assert write(-13) == "---"


def test_longer_numbers():
    assert write(6) == "+-0"
    assert write(8) == "+0-"
    assert write(13) == "+++"
    assert write(14) == "+---"
    assert write(100) == "++-0+"


def test_no_leading_zeros():
    for number in range(1, 100):
        assert write(number)[0] == "+"


def test_read_with_leading_zeros():
    assert read("00+-") == 2
    assert read("-+") == -2


def test_weighing_balances():
    for load in range(1, 60):
        beside, other = weighing(load)
        assert load + sum(beside) == sum(other)
        assert not set(beside) & set(other)


def test_read_refuses_other_digits():
    for text in ("1", "+ -", "x"):
        with pytest.raises(ValueError):
            read(text)
""",
    ),
    Program(
        name="fair_shares",
        code=r'''"""Dividing whole cents (or seats) fairly by weights."""


def share(total, weights):
    """Divide the total in proportion to the weights, without a rest.

    Everybody gets the exact share rounded down; what is left is handed out
    one by one to those whose share lost most by rounding, the earlier one
    first if they lost the same.  The shares add up to the total.

    ValueError if a weight is negative or all are zero.
    """
    whole = sum(weights)
    if whole <= 0 or min(weights) < 0:
        raise ValueError("weights must not be negative, nor all be zero")
    shares = [total * weight // whole for weight in weights]
    lost = [total * weight % whole for weight in weights]
    order = sorted(range(len(weights)), key=lambda index: lost[index])
    for index in order[: total - sum(shares)]:
        shares[index] += 1
    return shares


def share_by_name(total, weights):
    """The same for a mapping from names to weights."""
    shares = share(total, list(weights.values()))
    return dict(zip(weights, shares))
''',
        wrong="key=lambda index: lost[index])",
        right="key=lambda index: lost[index], reverse=True)",
        visible=r"""
def test_exact_shares():
    assert share(100, [1, 1, 2]) == [25, 25, 50]


def test_equal_weights_earlier_first():
    assert share(100, [1, 1, 1]) == [34, 33, 33]


def test_largest_loss_gets_the_cent():
    assert share(10, [3, 3, 1]) == [4, 4, 2]


def test_by_name():
    assert share_by_name(7, {"ann": 1, "bob": 2}) == {"ann": 2, "bob": 5}


def test_bad_weights():
    with pytest.raises(ValueError):
        share(10, [0, 0])
    with pytest.raises(ValueError):
        share(10, [2, -1])
""",
        hidden=r"""
def test_shares_add_up():
    for total in range(0, 60):
        assert sum(share(total, [3, 5, 7, 11])) == total


def test_nobody_is_off_by_one_or_more():
    weights = [3, 5, 7, 11]
    for total in range(0, 60):
        for got, weight in zip(share(total, weights), weights):
            assert abs(got * 26 - total * weight) < 26


def test_seats():
    assert share(10, [47, 16, 16, 12, 6, 3]) == [5, 2, 2, 1, 0, 0]


def test_one_cent_goes_to_the_heaviest():
    assert share(1, [1, 5, 2]) == [0, 1, 0]
    assert share(2, [1, 5, 4]) == [0, 1, 1]


def test_zero_weight_gets_nothing():
    assert share(5, [1, 0, 1]) == [3, 0, 2]
    assert share(1, [0, 1]) == [0, 1]


def test_nothing_to_share():
    assert share(0, [1, 2, 3]) == [0, 0, 0]


def test_single():
    assert share(17, [4]) == [17]


def test_names_keep_their_order():
    assert list(share_by_name(10, {"z": 1, "a": 1, "m": 1}).items()) == [
        ("z", 4),
        ("a", 3),
        ("m", 3),
    ]
""",
    ),
    Program(
        name="congruences",
        code=r'''"""Numbers known by their remainders."""

from functools import reduce
from math import gcd


def combine(first, second):
    """Join two pairs (remainder, modulus) into one that says the same.

    The modulus of the result is the least common multiple of the two, its
    remainder is at least 0 and less than that.  ValueError if no number
    meets both.
    """
    first_rest, first_modulus = first
    second_rest, second_modulus = second
    common = gcd(first_modulus, second_modulus)
    difference = second_rest - first_rest
    small = second_modulus // common
    inverse = pow(first_modulus // common, -1, small)
    times = difference // common * inverse % small
    modulus = first_modulus * small
    return (first_rest + first_modulus * times) % modulus, modulus


def solve(pairs):
    """The least number, not negative, that leaves all these remainders."""
    return reduce(combine, pairs, (0, 1))[0]


def agrees(number, pairs):
    """Whether the number leaves all these remainders."""
    return all((number - rest) % modulus == 0 for rest, modulus in pairs)
''',
        wrong="    difference = second_rest - first_rest\n",
        right="""    difference = second_rest - first_rest
    if difference % common != 0:
        raise ValueError(f"no number meets both {first} and {second}")
""",
        visible=r"""
def test_combine_coprime():
    assert combine((2, 3), (3, 5)) == (8, 15)


def test_combine_with_common_factor():
    assert combine((2, 4), (4, 6)) == (10, 12)


def test_contradiction():
    with pytest.raises(ValueError):
        combine((1, 4), (2, 6))


def test_solve():
    assert solve([(2, 3), (3, 5), (2, 7)]) == 23
    assert solve([]) == 0


def test_agrees():
    assert agrees(23, [(2, 3), (3, 5), (2, 7)])
    assert not agrees(24, [(2, 3)])
""",
        hidden=r"""
def test_contradiction_in_solve():
    with pytest.raises(ValueError):
        solve([(0, 2), (1, 3), (1, 4)])


def test_same_modulus():
    assert combine((3, 7), (3, 7)) == (3, 7)
    with pytest.raises(ValueError):
        combine((3, 7), (4, 7))


def test_divisor_as_modulus():
    assert combine((1, 2), (3, 4)) == (3, 4)
    assert combine((3, 4), (1, 2)) == (3, 4)
    with pytest.raises(ValueError):
        combine((0, 2), (3, 4))


def test_all_small_pairs():
    for first_modulus in range(1, 9):
        for second_modulus in range(1, 9):
            for first_rest in range(first_modulus):
                for second_rest in range(second_modulus):
                    pairs = [(first_rest, first_modulus), (second_rest, second_modulus)]
                    limit = first_modulus * second_modulus
                    good = [n for n in range(limit) if agrees(n, pairs)]
                    if good:
                        assert combine(*pairs)[0] == good[0]
                    else:
                        with pytest.raises(ValueError):
                            combine(*pairs)


def test_remainders_out_of_range():
    assert combine((5, 3), (-2, 5)) == (8, 15)


def test_solve_many():
    pairs = [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]
    assert solve(pairs) == 59
    assert agrees(59, pairs)


def test_modulus_one():
    assert combine((0, 1), (4, 9)) == (4, 9)
    assert solve([(4, 9)]) == 4
""",
    ),
    # --------------------------------------------------- grids and geometry
    Program(
        name="land_regions",
        code=r'''"""Regions of land on a map drawn with characters."""


def regions(chart, land="#"):
    """The regions of land, each as a set of (row, column) places.

    Places belong together if they touch along a side.  The regions come in
    the order in which reading the chart line by line meets them.  The lines
    of the chart are equally long.
    """
    height = len(chart)
    width = len(chart[0]) if chart else 0
    seen = set()
    found = []
    for row in range(height):
        for column in range(width):
            if chart[row][column] == land and (row, column) not in seen:
                region = _fill(chart, row, column, height, width)
                seen |= region
                found.append(region)
    return found


def _fill(chart, row, column, height, width):
    """All places that hang together with the given one."""
    kind = chart[row][column]
    region = {(row, column)}
    waiting = [(row, column)]
    while waiting:
        row, column = waiting.pop()
        beside = [(row - 1, column), (row + 1, column)]
        beside += [(row, column - 1), (row, column + 1)]
        for down, right in beside:
            inside = 0 <= down < height and right < width
            if inside and chart[down][right] == kind and (down, right) not in region:
                region.add((down, right))
                waiting.append((down, right))
    return region


def sizes(chart, land="#"):
    """The sizes of the regions, the largest first."""
    return sorted((len(region) for region in regions(chart, land)), reverse=True)


def coast(chart, region):
    """How many sides of the region's places do not touch the region."""
    steps = ((-1, 0), (1, 0), (0, -1), (0, 1))
    return sum((r + d, c + e) not in region for r, c in region for d, e in steps)
''',
        wrong="inside = 0 <= down < height and right < width",
        right="inside = 0 <= down < height and 0 <= right < width",
        visible=r"""
def test_two_regions():
    chart = [".##..", ".#...", "...#."]
    assert sizes(chart) == [3, 1]


def test_no_diagonals():
    assert sizes([".#..", "..#."]) == [1, 1]


def test_land_at_both_edges():
    assert sizes(["#..#"]) == [1, 1]


def test_places():
    assert regions(["..", ".#"]) == [{(1, 1)}]


def test_coast():
    chart = ["....", ".##.", "...."]
    assert coast(chart, regions(chart)[0]) == 6


def test_no_chart():
    assert regions([]) == []
""",
        hidden=r"""
def test_left_edge_alone():
    chart = ["#.", "#.", ".."]
    assert regions(chart) == [{(0, 0), (1, 0)}]


def test_left_and_right_columns():
    chart = ["#..#", "#..#", "#..#"]
    assert sizes(chart) == [3, 3]
    assert regions(chart)[1] == {(0, 3), (1, 3), (2, 3)}


def test_top_and_bottom_rows():
    chart = ["###", "...", "##."]
    assert sizes(chart) == [3, 2]


def test_everything_is_land():
    chart = ["###", "###"]
    assert sizes(chart) == [6]
    assert coast(chart, regions(chart)[0]) == 10


def test_water_regions():
    chart = ["...", ".#.", "..."]
    assert sizes(chart, land=".") == [8]
    assert sizes(["#.#", "###", "#.#"], ".") == [1, 1]


def test_ring():
    chart = ["###", "#.#", "###"]
    ring = regions(chart)[0]
    assert len(ring) == 8
    assert coast(chart, ring) == 16


def test_order_of_reading():
    chart = ["..#", "#..", "..#"]
    assert regions(chart) == [{(0, 2)}, {(1, 0)}, {(2, 2)}]


def test_single_column():
    assert sizes(["#", ".", "#", "#"]) == [2, 1]
""",
    ),
    Program(
        name="tile_shapes",
        code=r'''"""Shapes made of square tiles, turned and mirrored."""


def normal(cells):
    """The shape moved so that its top row and left column are zero."""
    top = min(cell[0] for cell in cells)
    left = min(cell[0] for cell in cells)
    return frozenset((row - top, column - left) for row, column in cells)


def turned(cells):
    """The shape turned by a right angle clockwise."""
    return normal({(column, -row) for row, column in cells})


def mirrored(cells):
    """The shape with left and right swapped."""
    return normal({(row, -column) for row, column in cells})


def orientations(cells):
    """All different looks of the shape under turns and mirroring."""
    looks = set()
    shape = normal(cells)
    for start in (shape, mirrored(shape)):
        for _ in range(4):
            looks.add(start)
            start = turned(start)
    return looks


def same_shape(one, other):
    """Whether the tiles of one can be laid onto those of the other."""
    return normal(one) in orientations(other)


def draw(cells):
    """The shape as lines of "#" and "."."""
    shape = normal(cells)
    height = max(row for row, _ in shape) + 1
    width = max(column for _, column in shape) + 1
    return [
        "".join("#" if (row, column) in shape else "." for column in range(width))
        for row in range(height)
    ]
''',
        wrong="left = min(cell[0] for",
        right="left = min(cell[1] for",
        visible=r"""
CORNER = {(0, 0), (1, 0), (1, 1)}


def test_normal_shape_stays():
    assert normal(CORNER) == CORNER


def test_normal_moves_diagonally():
    assert normal({(3, 3), (4, 3), (4, 4)}) == CORNER


def test_normal_moves_to_the_left():
    assert normal({(0, 5), (1, 5), (1, 6)}) == CORNER


def test_draw():
    assert draw(CORNER) == ["#.", "##"]


def test_turned():
    assert draw(turned(CORNER)) == ["##", "#."]


def test_orientations_of_a_square():
    assert len(orientations({(0, 0), (0, 1), (1, 0), (1, 1)})) == 1
""",
        hidden=r"""
BAR = {(0, 0), (0, 1), (0, 2)}
ELL = {(0, 0), (1, 0), (2, 0), (2, 1)}
ESS = {(0, 1), (0, 2), (1, 0), (1, 1)}


def test_normal_with_different_offsets():
    assert normal({(2, 7), (2, 8)}) == {(0, 0), (0, 1)}
    assert normal({(-1, 4), (0, 4)}) == {(0, 0), (1, 0)}
    assert normal({(5, -2), (5, -1)}) == {(0, 0), (0, 1)}


def test_left_column_need_not_be_in_the_top_row():
    assert normal({(4, 3), (4, 4), (5, 2), (5, 3)}) == ESS


def test_turning_a_bar():
    assert turned(BAR) == {(0, 0), (1, 0), (2, 0)}
    assert turned(turned(BAR)) == BAR


def test_four_turns_are_none():
    for shape in (BAR, ELL, ESS):
        assert turned(turned(turned(turned(shape)))) == shape


def test_mirrored_twice_is_the_same():
    assert mirrored(ELL) == {(0, 1), (1, 1), (2, 0), (2, 1)}
    assert mirrored(mirrored(ELL)) == ELL


def test_numbers_of_orientations():
    assert len(orientations({(0, 0)})) == 1
    assert len(orientations(BAR)) == 2
    assert len(orientations(ESS)) == 4
    assert len(orientations(ELL)) == 8


def test_same_shape():
    assert same_shape(ELL, {(5, 1), (5, 2), (5, 3), (4, 3)})
    assert not same_shape(ELL, ESS)
    assert not same_shape(BAR, ELL)


def test_draw_somewhere_else():
    assert draw({(7, 2), (7, 3), (8, 1), (8, 2)}) == [".##", "##."]
    assert draw({(0, 9)}) == ["#"]
""",
    ),
    Program(
        name="polygon_measures",
        code=r'''"""Area, outline and inside of polygons given by their corners."""

from math import hypot


def edges(corners):
    """The edges of the closed polygon as pairs of corners."""
    return [
        (corners[index - 1], corners[index]) for index in range(1, len(corners))
    ]


def area(corners):
    """The area of a polygon whose edges do not cross."""
    twice = 0
    for (left, low), (right, high) in edges(corners):
        twice += left * high - right * low
    return abs(twice) / 2


def outline(corners):
    """The length of all edges together."""
    return sum(
        hypot(there[0] - here[0], there[1] - here[1]) for here, there in edges(corners)
    )


def contains(corners, point):
    """Whether the point is inside; points on an edge may count either way."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in edges(corners):
        if (y1 > y) != (y2 > y):
            crossing = x1 + (y - y1) * (x2 - x1) / (y2 - y1)
            if x < crossing:
                inside = not inside
    return inside
''',
        wrong="for index in range(1, len(corners))",
        right="for index in range(len(corners))",
        visible=r"""
SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4)]


def test_area_of_a_square():
    assert area(SQUARE) == 16


def test_area_of_a_triangle():
    assert area([(0, 0), (6, 0), (0, 3)]) == 9


def test_outline_of_a_square():
    assert outline(SQUARE) == 16


def test_point_inside():
    assert contains(SQUARE, (1, 2))
    assert contains([(0, 0), (6, 0), (6, 3)], (5, 1))


def test_point_outside():
    assert not contains(SQUARE, (5, 2))
    assert not contains(SQUARE, (2, -1))
""",
        hidden=r"""
TRIANGLE = [(1, 1), (4, 1), (1, 5)]
ARROW = [(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]


def test_outline_of_triangle():
    assert outline(TRIANGLE) == pytest.approx(12)
    assert outline([(0, 0), (3, 0), (3, 4)]) == pytest.approx(12)


def test_area_away_from_the_origin():
    assert area(TRIANGLE) == 6
    assert area([(2, 3), (5, 3), (5, 7), (2, 7)]) == 12


def test_start_does_not_matter():
    for turn in range(5):
        corners = ARROW[turn:] + ARROW[:turn]
        assert area(corners) == area(ARROW) == 10
        assert outline(corners) == pytest.approx(outline(ARROW))
        assert contains(corners, (1, 0.5))


def test_direction_does_not_matter():
    back = list(reversed(TRIANGLE))
    assert area(back) == 6
    assert outline(back) == pytest.approx(12)
    assert contains(back, (2, 2))


def test_left_of_the_polygon_is_outside():
    assert not contains([(0, 0), (4, 0), (4, 4), (0, 4)], (-1, 2))
    assert not contains(TRIANGLE, (0, 3))


def test_notch_is_outside():
    assert not contains(ARROW, (2, 3))
    assert contains(ARROW, (0.5, 2))
    assert contains(ARROW, (3.5, 2))


def test_number_of_edges():
    assert len(edges(TRIANGLE)) == 3
    assert len(edges(ARROW)) == 5
    pairs = {frozenset(edge) for edge in edges(TRIANGLE)}
    assert frozenset({(1, 1), (1, 5)}) in pairs
""",
    ),
    Program(
        name="overlapping_boxes",
        code=r'''"""Boxes on a screen; the upper left corner of the screen is (0, 0)."""

from typing import NamedTuple


class Box(NamedTuple):
    """A box from (left, top) up to, not including, (right, bottom)."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def area(self):
        return (self.right - self.left) * (self.bottom - self.top)

    def moved(self, across, down):
        """The same box somewhere else."""
        return Box(
            self.left + across,
            self.top + down,
            self.right + across,
            self.bottom + down,
        )


def overlap(one, other):
    """The box that both boxes cover, or None if they have nothing in common."""
    left = max(one.left, other.left)
    right = min(one.right, other.right)
    top = max(one.top, other.top)
    bottom = max(one.bottom, other.bottom)
    if left >= right or top >= bottom:
        return None
    return Box(left, top, right, bottom)


def around(boxes):
    """The smallest box that covers all the boxes."""
    lefts, tops, rights, bottoms = zip(*boxes)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def covered(one, other):
    """The area covered by at least one of two boxes."""
    common = overlap(one, other)
    return one.area + other.area - (common.area if common else 0)
''',
        wrong="bottom = max(one.bottom, other.bottom)",
        right="bottom = min(one.bottom, other.bottom)",
        visible=r"""
def test_area_and_move():
    box = Box(1, 2, 4, 4)
    assert box.area == 6
    assert box.moved(2, -1) == Box(3, 1, 6, 3)


def test_overlap():
    assert overlap(Box(0, 0, 4, 4), Box(2, 1, 6, 8)) == Box(2, 1, 4, 4)


def test_side_by_side():
    assert overlap(Box(0, 0, 4, 4), Box(4, 0, 8, 4)) is None


def test_around():
    assert around([Box(0, 2, 3, 4), Box(5, 1, 6, 2)]) == Box(0, 1, 6, 4)


def test_covered():
    assert covered(Box(0, 0, 2, 2), Box(5, 5, 6, 6)) == 5
    assert covered(Box(0, 0, 2, 2), Box(1, 0, 3, 2)) == 6
""",
        hidden=r"""
def test_one_above_the_other():
    assert overlap(Box(0, 0, 4, 2), Box(0, 2, 4, 5)) is None
    assert overlap(Box(0, 0, 4, 2), Box(0, 3, 4, 5)) is None
    assert overlap(Box(0, 3, 4, 5), Box(0, 0, 4, 2)) is None


def test_box_within_a_box():
    outer, inner = Box(0, 0, 10, 10), Box(2, 3, 5, 6)
    assert overlap(outer, inner) == inner
    assert overlap(inner, outer) == inner
    assert covered(outer, inner) == 100


def test_order_does_not_matter():
    boxes = [Box(0, 0, 4, 4), Box(2, 2, 6, 3), Box(1, 3, 3, 9), Box(7, 7, 8, 8)]
    for one in boxes:
        for other in boxes:
            assert overlap(one, other) == overlap(other, one)


def test_overlap_with_itself():
    box = Box(1, 2, 3, 4)
    assert overlap(box, box) == box
    assert covered(box, box) == box.area


def test_corners_only():
    assert overlap(Box(0, 0, 2, 2), Box(2, 2, 4, 4)) is None


def test_cross():
    across, down = Box(0, 3, 9, 5), Box(4, 0, 6, 9)
    assert overlap(across, down) == Box(4, 3, 6, 5)
    assert covered(across, down) == 18 + 18 - 4


def test_overlap_at_the_upper_edge():
    assert overlap(Box(0, 5, 4, 9), Box(1, 2, 3, 6)) == Box(1, 5, 3, 6)
    assert covered(Box(0, 5, 4, 9), Box(1, 2, 3, 6)) == 16 + 8 - 2


def test_around_one_box():
    assert around([Box(1, 2, 3, 4)]) == Box(1, 2, 3, 4)
""",
    ),
    # --------------------------------------------------- objects with state
    Program(
        name="account_with_holds",
        code=r'''"""A bank account on which money can be set aside for a while."""


class NotEnough(Exception):
    """There is not enough money at one's disposal."""


class Account:
    """Amounts are whole cents.

    The balance is all the money in the account.  A hold sets some of it
    aside, so that less is available, until it is captured (the money is
    paid out) or released (the money is available again).
    """

    def __init__(self, balance=0):
        self.balance = balance
        self._holds = {}

    @property
    def available(self):
        """The money which is not set aside."""
        return self.balance - sum(self._holds.values())

    def deposit(self, amount):
        """Pay money in."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount

    def withdraw(self, amount):
        """Take available money out."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        if amount > self.balance:
            raise NotEnough(amount)
        self.balance -= amount

    def hold(self, label, amount):
        """Set available money aside under a label not yet in use."""
        if label in self._holds:
            raise ValueError(f"label in use: {label}")
        if amount > self.available:
            raise NotEnough(amount)
        self._holds[label] = amount

    def release(self, label):
        """Give up a hold; KeyError if there is none with this label."""
        del self._holds[label]

    def capture(self, label):
        """Pay the money of a hold out; return how much it was."""
        amount = self._holds.pop(label)
        self.balance -= amount
        return amount
''',
        wrong="if amount > self.balance:",
        right="if amount > self.available:",
        visible=r"""
def test_deposit_and_withdraw():
    account = Account(100)
    account.deposit(50)
    account.withdraw(120)
    assert account.balance == 30


def test_withdraw_too_much():
    with pytest.raises(NotEnough):
        Account(100).withdraw(101)


def test_hold_makes_less_available():
    account = Account(100)
    account.hold("hotel", 60)
    assert account.balance == 100
    assert account.available == 40


def test_held_money_cannot_be_withdrawn():
    account = Account(100)
    account.hold("hotel", 60)
    with pytest.raises(NotEnough):
        account.withdraw(50)


def test_capture_and_release():
    account = Account(100)
    account.hold("hotel", 60)
    account.hold("car", 30)
    assert account.capture("hotel") == 60
    account.release("car")
    assert account.balance == account.available == 40
""",
        hidden=r"""
def test_exactly_the_available_money():
    account = Account(100)
    account.hold("a", 60)
    account.withdraw(40)
    assert account.balance == 60
    assert account.available == 0


def test_one_cent_too_much():
    account = Account(100)
    account.hold("a", 60)
    with pytest.raises(NotEnough):
        account.withdraw(41)
    assert account.balance == 100
    assert account.available == 40


def test_everything_is_held():
    account = Account(100)
    account.hold("a", 100)
    with pytest.raises(NotEnough):
        account.withdraw(1)
    with pytest.raises(NotEnough):
        account.hold("b", 1)


def test_withdraw_after_release():
    account = Account(100)
    account.hold("a", 60)
    account.release("a")
    account.withdraw(100)
    assert account.balance == 0


def test_withdraw_after_capture():
    account = Account(100)
    account.hold("a", 60)
    account.capture("a")
    account.withdraw(40)
    assert account.balance == 0
    with pytest.raises(NotEnough):
        account.withdraw(1)


def test_several_holds_count_together():
    account = Account(100)
    account.hold("a", 30)
    account.hold("b", 30)
    with pytest.raises(NotEnough):
        account.withdraw(50)
    account.release("a")
    account.withdraw(50)
    assert account.available == 20


def test_labels():
    account = Account(100)
    account.hold("a", 10)
    with pytest.raises(ValueError):
        account.hold("a", 10)
    with pytest.raises(KeyError):
        account.release("b")
    with pytest.raises(KeyError):
        account.capture("b")


def test_amounts_are_positive():
    account = Account(100)
    for amount in (0, -5):
        with pytest.raises(ValueError):
            account.deposit(amount)
        with pytest.raises(ValueError):
            account.withdraw(amount)
""",
    ),
    Program(
        name="undoable_text",
        code=r'''"""A line of text with a cursor, whose changes can be undone."""


class Editor:
    """The text, the place of the cursor and the history of changes."""

    def __init__(self, text=""):
        self.text = text
        self.cursor = len(text)
        self._before = []
        self._undone = []

    def move(self, place):
        """Put the cursor somewhere; it stays within the text."""
        self.cursor = max(0, min(place, len(self.text)))

    def type(self, letters):
        """Insert letters at the cursor, which then stands behind them."""
        head, tail = self.text[: self.cursor], self.text[self.cursor :]
        self._change(head + letters + tail, self.cursor + len(letters))

    def erase(self, count=1):
        """Remove letters before the cursor, as many as there are."""
        start = max(0, self.cursor - count)
        self._change(self.text[:start] + self.text[self.cursor :], start)

    def undo(self):
        """Take the last change back; return whether there was one."""
        return self._swap(self._before, self._undone)

    def redo(self):
        """Repeat the change last undone, if nothing was changed since.

        Return whether there was one.
        """
        return self._swap(self._undone, self._before)

    def _change(self, text, cursor):
        self._before.append((self.text, self.cursor))
        self.text = text
        self.cursor = cursor

    def _swap(self, source, target):
        if not source:
            return False
        target.append((self.text, self.cursor))
        self.text, self.cursor = source.pop()
        return True
''',
        wrong="        self._before.append((self.text, self.cursor))\n",
        right="""        self._before.append((self.text, self.cursor))
        self._undone.clear()
""",
        visible=r"""
def test_type_and_erase():
    editor = Editor()
    editor.type("hello")
    editor.erase(2)
    assert editor.text == "hel"
    assert editor.cursor == 3


def test_type_in_the_middle():
    editor = Editor("held")
    editor.move(3)
    editor.type("lo wor")
    assert editor.text == "hello word"
    assert editor.cursor == 9


def test_undo_and_redo():
    editor = Editor("a")
    editor.type("b")
    assert editor.undo()
    assert editor.text == "a"
    assert editor.redo()
    assert editor.text == "ab"


def test_nothing_to_redo_after_a_change():
    editor = Editor("a")
    editor.type("b")
    editor.undo()
    editor.type("c")
    assert not editor.redo()
    assert editor.text == "ac"


def test_nothing_to_undo():
    assert not Editor("a").undo()
""",
        hidden=r"""
def test_erase_ends_redo_too():
    editor = Editor("abc")
    editor.type("d")
    editor.undo()
    editor.erase()
    assert editor.redo() is False
    assert editor.text == "ab"


def test_several_undone_are_all_forgotten():
    editor = Editor()
    for letter in "abc":
        editor.type(letter)
    for _ in range(3):
        assert editor.undo()
    editor.type("x")
    assert not editor.redo()
    assert editor.text == "x"
    assert editor.undo()
    assert editor.text == ""
    assert editor.redo()
    assert editor.text == "x"
    assert not editor.redo()


def test_moving_keeps_redo():
    editor = Editor("a")
    editor.type("b")
    editor.undo()
    editor.move(0)
    assert editor.redo()
    assert editor.text == "ab"
    assert editor.cursor == 2


def test_undo_brings_the_cursor_back():
    editor = Editor("abc")
    editor.move(1)
    editor.type("XY")
    assert editor.cursor == 3
    editor.undo()
    assert (editor.text, editor.cursor) == ("abc", 1)


def test_many_steps_to_and_fro():
    editor = Editor()
    for letter in "abc":
        editor.type(letter)
    editor.undo()
    editor.undo()
    assert editor.text == "a"
    editor.redo()
    assert editor.text == "ab"
    editor.undo()
    editor.undo()
    assert editor.text == ""
    assert not editor.undo()
    for _ in range(3):
        assert editor.redo()
    assert editor.text == "abc"


def test_erase_more_than_there_is():
    editor = Editor("abc")
    editor.move(2)
    editor.erase(10)
    assert (editor.text, editor.cursor) == ("c", 0)


def test_cursor_stays_within_the_text():
    editor = Editor("abc")
    editor.move(-4)
    assert editor.cursor == 0
    editor.move(99)
    assert editor.cursor == 3
""",
    ),
    Program(
        name="track_player",
        code=r'''"""A player that goes through a list of tracks round and round."""


class Player:
    """The tracks and which of them is the current one."""

    def __init__(self, tracks=()):
        self.tracks = list(tracks)
        self._index = 0

    @property
    def current(self):
        """The current track, or None if there are no tracks."""
        return self.tracks[self._index] if self.tracks else None

    def next(self):
        """Go on to the next track, after the last to the first again."""
        return self._step(1)

    def previous(self):
        """Go back by one track, from the first to the last."""
        return self._step(-1)

    def insert(self, position, track):
        """Put a track before the one at this position.

        The current track stays the current one.
        """
        if self.tracks and position <= self._index:
            self._index += 1
        self.tracks.insert(position, track)

    def remove(self, position):
        """Take the track at this position out and return it.

        The current track stays the current one; if it is the one removed,
        the track after it becomes the current one (the first, if it was
        the last).  IndexError if there is no such position.
        """
        if not 0 <= position < len(self.tracks):
            raise IndexError(position)
        track = self.tracks.pop(position)
        if position <= self._index:
            self._index -= 1
        if self._index == len(self.tracks):
            self._index = 0
        return track

    def _step(self, by):
        if self.tracks:
            self._index = (self._index + by) % len(self.tracks)
        return self.current
''',
        wrong="""        if position <= self._index:
            self._index -= 1""",
        right="""        if position < self._index:
            self._index -= 1""",
        visible=r"""
def test_next_and_previous():
    player = Player("abc")
    assert player.current == "a"
    assert player.next() == "b"
    assert player.previous() == "a"
    assert player.previous() == "c"
    assert player.next() == "a"


def test_no_tracks():
    player = Player()
    assert player.current is None
    assert player.next() is None


def test_insert_before_the_current_track():
    player = Player("abc")
    player.next()
    player.insert(0, "x")
    assert player.current == "b"
    assert player.tracks == ["x", "a", "b", "c"]


def test_remove_another_track():
    player = Player("abcd")
    player.next()
    assert player.remove(0) == "a"
    assert player.current == "b"
    player.remove(2)
    assert player.current == "b"


def test_remove_the_current_track():
    player = Player("abcd")
    player.next()
    assert player.remove(1) == "b"
    assert player.current == "c"


def test_remove_nothing():
    with pytest.raises(IndexError):
        Player("abc").remove(3)
""",
        hidden=r"""
def at(tracks, index):
    player = Player(tracks)
    for _ in range(index):
        player.next()
    return player


def test_remove_current_everywhere():
    assert [at("abcd", index).tracks[index] for index in range(4)] == list("abcd")
    for index, expected in enumerate("bcda"):
        player = at("abcd", index)
        player.remove(index)
        assert player.current == expected


def test_remove_others_keeps_the_current():
    for index in range(4):
        for position in range(4):
            if position != index:
                player = at("abcd", index)
                player.remove(position)
                assert player.current == "abcd"[index]


def test_going_on_after_removal_of_the_current():
    player = at("abcd", 1)
    player.remove(1)
    assert player.next() == "d"
    assert player.next() == "a"
    assert player.next() == "c"


def test_remove_first_while_it_is_current():
    player = Player("abc")
    player.remove(0)
    assert player.current == "b"
    assert player.previous() == "c"


def test_remove_the_only_track():
    player = Player("a")
    assert player.remove(0) == "a"
    assert player.current is None
    player.insert(0, "z")
    assert player.current == "z"


def test_insert_at_and_after_the_current():
    player = at("abc", 1)
    player.insert(1, "x")
    assert player.current == "b"
    player.insert(3, "y")
    assert player.current == "b"
    assert player.next() == "y"


def test_bad_positions():
    for position in (-1, 3):
        player = Player("abc")
        with pytest.raises(IndexError):
            player.remove(position)
        assert player.tracks == ["a", "b", "c"]
""",
    ),
    Program(
        name="stock_snapshots",
        code=r'''"""A stock of goods that can go back to an earlier state."""


class Stock:
    """How many pieces there are of each kind, with named snapshots."""

    def __init__(self):
        self._pieces = {}
        self._snapshots = {}

    def __getitem__(self, kind):
        """The pieces of this kind; 0 if it was never heard of."""
        return self._pieces.get(kind, 0)

    def add(self, kind, pieces=1):
        """Put pieces into the stock."""
        self._pieces[kind] = self[kind] + pieces

    def take(self, kind, pieces=1):
        """Take pieces out; ValueError if there are not so many."""
        if pieces > self[kind]:
            raise ValueError(f"only {self[kind]} of {kind}")
        self._pieces[kind] -= pieces

    def kinds(self):
        """The kinds of which there is at least one piece, sorted."""
        return sorted(kind for kind in self._pieces if self[kind] > 0)

    def save(self, name):
        """Keep the present state under a name."""
        self._snapshots[name] = dict(self._pieces)

    def restore(self, name):
        """Go back to a saved state, which stays saved; KeyError if unknown."""
        self._pieces = self._snapshots[name]

    def changes_since(self, name):
        """By how much each kind has changed, without those that have not."""
        before = self._snapshots[name]
        changes = {}
        for kind in before.keys() | self._pieces.keys():
            change = self[kind] - before.get(kind, 0)
            if change != 0:
                changes[kind] = change
        return changes
''',
        wrong="self._pieces = self._snapshots[name]",
        right="self._pieces = dict(self._snapshots[name])",
        visible=r"""
def filled():
    stock = Stock()
    stock.add("nut", 5)
    stock.add("bolt", 2)
    return stock


def test_add_and_take():
    stock = filled()
    stock.take("nut", 3)
    assert stock["nut"] == 2
    assert stock["cog"] == 0


def test_take_too_many():
    with pytest.raises(ValueError):
        filled().take("bolt", 3)


def test_save_and_restore():
    stock = filled()
    stock.save("monday")
    stock.take("nut", 5)
    assert stock.kinds() == ["bolt"]
    stock.restore("monday")
    assert stock["nut"] == 5


def test_restore_twice():
    stock = filled()
    stock.save("monday")
    stock.restore("monday")
    stock.add("nut")
    stock.restore("monday")
    assert stock["nut"] == 5


def test_changes_since():
    stock = filled()
    stock.save("monday")
    stock.add("cog", 4)
    stock.take("bolt")
    stock.add("nut")
    stock.take("nut")
    assert stock.changes_since("monday") == {"cog": 4, "bolt": -1}
""",
        hidden=r"""
def filled():
    stock = Stock()
    stock.add("nut", 5)
    stock.add("bolt", 2)
    return stock


def test_snapshot_stays_after_restore():
    stock = filled()
    stock.save("a")
    stock.restore("a")
    stock.take("nut", 5)
    stock.add("cog")
    assert stock.changes_since("a") == {"nut": -5, "cog": 1}
    stock.restore("a")
    assert stock["nut"] == 5
    assert stock["cog"] == 0


def test_new_kinds_vanish():
    stock = filled()
    stock.save("a")
    for _ in range(3):
        stock.restore("a")
        stock.add("cog", 2)
        assert stock["cog"] == 2


def test_two_snapshots():
    stock = filled()
    stock.save("first")
    stock.add("nut", 10)
    stock.save("second")
    stock.restore("first")
    stock.take("bolt", 2)
    stock.restore("second")
    assert (stock["nut"], stock["bolt"]) == (15, 2)
    stock.restore("first")
    assert (stock["nut"], stock["bolt"]) == (5, 2)


def test_save_again_under_the_same_name():
    stock = filled()
    stock.save("a")
    stock.add("nut")
    stock.save("a")
    stock.add("nut")
    stock.restore("a")
    assert stock["nut"] == 6


def test_no_changes_after_restore():
    stock = filled()
    stock.save("a")
    stock.add("nut")
    stock.restore("a")
    assert stock.changes_since("a") == {}


def test_unknown_snapshot():
    stock = filled()
    with pytest.raises(KeyError):
        stock.restore("b")
    with pytest.raises(KeyError):
        stock.changes_since("b")


def test_failed_take_changes_nothing():
    stock = filled()
    with pytest.raises(ValueError):
        stock.take("cog")
    assert stock.kinds() == ["bolt", "nut"]
""",
    ),
    # -------------------------------------------- readers of small formats
    Program(
        name="quoted_fields",
        code=r'''"""Reading and writing lines of fields separated by commas."""


def read_line(line):
    """The fields of a line.

    A field may stand in double quotes; then it can hold commas, and a quote
    within it is written twice.  ValueError if a closing quote is missing or
    followed by anything but a comma.
    """
    fields = []
    field = ""
    quoted = False
    index = 0
    while index < len(line):
        letter = line[index]
        if quoted and line.startswith('""', index):
            field += '"'
            index += 1
        elif quoted and letter == '"':
            quoted = False
            if line[index + 1 : index + 2] not in ("", ","):
                raise ValueError(f"text after a closing quote: {line}")
            index += 1
        elif letter == '"' and field == "":
            quoted = True
            index += 1
        elif letter == "," and not quoted:
            fields.append(field)
            field = ""
            index += 1
        else:
            field += letter
            index += 1
    if quoted:
        raise ValueError(f"closing quote missing: {line}")
    return fields + [field]


def write_line(fields):
    """The line which has these fields, with quotes only where needed."""
    parts = []
    for field in fields:
        if "," in field or '"' in field:
            field = '"' + field.replace('"', '""') + '"'
        parts.append(field)
    return ",".join(parts)
''',
        wrong="""            field += '"'
            index += 1""",
        right="""            field += '"'
            index += 2""",
        visible=r"""
def test_plain_fields():
    assert read_line("a,b c,d") == ["a", "b c", "d"]


def test_empty_fields():
    assert read_line("a,,") == ["a", "", ""]
    assert read_line("") == [""]


def test_comma_in_quotes():
    assert read_line('x,"a,b",y') == ["x", "a,b", "y"]


def test_doubled_quotes():
    assert read_line('"say ""hi"" now",x') == ['say "hi" now', "x"]


def test_missing_quote():
    with pytest.raises(ValueError):
        read_line('a,"b')


def test_write():
    assert write_line(["a", "b,c", 'd"e']) == 'a,"b,c","d""e"'
""",
        hidden=r"""
def test_only_a_quote():
    assert read_line('"' * 4) == ['"']
    assert read_line('"' * 4 + ",x") == ['"', "x"]


def test_quotes_at_both_ends():
    assert read_line("~~~hi~~~".replace("~", '"')) == ['"hi"']


def test_two_quotes_in_a_row():
    assert read_line("~a~~~~b~".replace("~", '"')) == ['a""b']


def test_doubled_quote_before_a_comma():
    assert read_line('"a"",b",c') == ['a",b', "c"]


def test_there_and_back():
    rows = [
        ["a", "b"],
        ["", "", ""],
        ['"', ","],
        ['he said "no", twice', "x"],
        ['""', '",'],
        ["plain", 'end"'],
    ]
    for row in rows:
        assert read_line(write_line(row)) == row


def test_quoted_field_in_the_middle():
    assert read_line('1,"2 ""x"" 3",4') == ["1", '2 "x" 3', "4"]


def test_text_after_closing_quote():
    with pytest.raises(ValueError):
        read_line('"a"b,c')


def test_unclosed():
    for line in ('"', '"a""', 'x,"a,b'):
        with pytest.raises(ValueError):
            read_line(line)
""",
    ),
    Program(
        name="settings_reader",
        code=r'''"""Reading settings from a text with sections."""


class SettingsError(ValueError):
    """A line that cannot be understood; says which."""


def read(text):
    """The settings as a mapping from section names to mappings.

    A section starts with a line "[name]"; what comes before the first is in
    the section "".  All others are lines "key = value"; keys do not mind
    case.  Whatever follows the first equals sign is the value, even another
    equals sign.  Blanks around names, keys and values do not count, nor do
    empty lines and those that start with "#".
    """
    settings = {"": {}}
    section = settings[""]
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            if not line.endswith("]"):
                raise SettingsError(f"line {number}: bracket not closed")
            section = settings.setdefault(line[1:-1].strip(), {})
            continue
        key, equals, value = line.rpartition("=")
        if not equals or not key.strip():
            raise SettingsError(f"line {number}: no key")
        section[key.strip().lower()] = value.strip()
    return settings


def flag(settings, section, key, default=False):
    """A setting that says yes or no; ValueError for other words."""
    value = settings.get(section, {}).get(key.lower())
    if value is None:
        return default
    words = {"yes": True, "on": True, "no": False, "off": False}
    if value.lower() not in words:
        raise ValueError(f"neither yes nor no: {value}")
    return words[value.lower()]
''',
        wrong='line.rpartition("=")',
        right='line.partition("=")',
        visible=r"""
def test_sections():
    text = "name = x\n[one]\na = 1\n[two]\na = 2\n"
    assert read(text) == {"": {"name": "x"}, "one": {"a": "1"}, "two": {"a": "2"}}


def test_comments_and_empty_lines():
    assert read("# hello\n\n  a=1  \n") == {"": {"a": "1"}}


def test_value_with_equals_sign():
    assert read("filter = size=3") == {"": {"filter": "size=3"}}


def test_keys_do_not_mind_case():
    assert read("Name = X") == {"": {"name": "X"}}


def test_bad_lines():
    with pytest.raises(SettingsError):
        read("a = 1\nnonsense\n")
    with pytest.raises(SettingsError):
        read("[open\n")


def test_flag():
    settings = read("[ui]\ncolour = Yes\n")
    assert flag(settings, "ui", "Colour") is True
    assert flag(settings, "ui", "sound", default=True) is True
""",
        hidden=r"""
def test_several_equals_signs():
    assert read("url = http://x/?a=1&b=2")[""] == {"url": "http://x/?a=1&b=2"}


def test_equals_sign_at_the_end():
    assert read("code = YWJj==")[""] == {"code": "YWJj=="}
    assert read("a ==")[""] == {"a": "="}


def test_empty_value():
    assert read("a =\nb=")[""] == {"a": "", "b": ""}


def test_missing_key():
    for text in ("= 3", "=", " = a = b"):
        with pytest.raises(SettingsError):
            read(text)


def test_line_number_in_message():
    with pytest.raises(SettingsError, match="line 3"):
        read("a = 1\n\nnonsense")


def test_section_again():
    text = "[s]\na = 1\n[t]\n[ s ]\nb = 2\na = 3"
    assert read(text) == {"": {}, "s": {"a": "3", "b": "2"}, "t": {}}


def test_flags():
    settings = read("a = ON\nb = no\nc = maybe\nd = x=yes")
    assert flag(settings, "", "a") is True
    assert flag(settings, "", "B", default=True) is False
    assert flag(settings, "none", "a") is False
    for key in "cd":
        with pytest.raises(ValueError):
            flag(settings, "", key)


def test_no_text():
    assert read("") == {"": {}}
""",
    ),
    Program(
        name="formula_value",
        code=r'''"""Working out formulas such as "2 * (3 + 4) ^ 2"."""

import re


class Formula:
    """The tokens of a formula that are not read yet.

    ^ binds tighter than a sign before a number, a sign tighter than * and /,
    and those tighter than + and -.  Powers are worked out from the right,
    all others from the left.  / drops the fraction, as // does.
    """

    def __init__(self, text):
        self.tokens = re.findall(r"\d+|\S", text)

    def take(self, *wanted):
        """The next token if it is one of those wanted, otherwise None."""
        found = self.tokens and self.tokens[0] in wanted
        return self.tokens.pop(0) if found else None

    def sum(self):
        value = self.product()
        while sign := self.take("+", "-"):
            other = self.product()
            value = value + other if sign == "+" else value - other
        return value

    def product(self):
        value = self.signed()
        while sign := self.take("*", "/"):
            other = self.signed()
            value = value * other if sign == "*" else value // other
        return value

    def signed(self):
        return -self.signed() if self.take("-") else self.power()

    def power(self):
        base = self.single()
        return base ** self.single() if self.take("^") else base

    def single(self):
        if self.take("("):
            value = self.sum()
            if not self.take(")"):
                raise ValueError("bracket not closed")
            return value
        if not self.tokens or not self.tokens[0].isdigit():
            raise ValueError("number missing")
        return int(self.tokens.pop(0))


def evaluate(text):
    """The value of a formula; ValueError if it is not a correct one."""
    formula = Formula(text)
    value = formula.sum()
    if formula.tokens:
        raise ValueError(f"unexpected: {formula.tokens[0]}")
    return value
''',
        wrong="return base ** self.single() if",
        right="return base ** self.power() if",
        visible=r"""
def test_precedence():
    assert evaluate("1 + 2 * 3") == 7
    assert evaluate("(1 + 2) * 3") == 9


def test_from_the_left():
    assert evaluate("10 - 4 - 3") == 3
    assert evaluate("100 / 5 / 2") == 10


def test_powers():
    assert evaluate("2 * 3 ^ 2") == 18


def test_powers_from_the_right():
    assert evaluate("2 ^ 3 ^ 2") == 512


def test_signs():
    assert evaluate("-3 + 5") == 2
    assert evaluate("-2 ^ 2") == -4


def test_bad_formulas():
    for text in ("", "1 +", "(1", "1 2", "a"):
        with pytest.raises(ValueError):
            evaluate(text)
""",
        hidden=r"""
def test_long_tower():
    assert evaluate("2 ^ 2 ^ 2 ^ 2") == 65536
    assert evaluate("3 ^ 2 ^ 1 ^ 5") == 9


def test_tower_with_brackets():
    assert evaluate("(2 ^ 3) ^ 2") == 64
    assert evaluate("2 ^ (3 ^ 2)") == 512
    assert evaluate("2 ^ (1 + 2)") == 8


def test_tower_inside_other_terms():
    assert evaluate("1 + 2 ^ 2 ^ 3 * 2") == 513
    assert evaluate("-2 ^ 3 ^ 2") == -512
    assert evaluate("1000 - 2 ^ 3 ^ 2 - 88") == 400


def test_simple_powers():
    assert evaluate("5^0") == 1
    assert evaluate("7^1") == 7
    assert evaluate("10^3") == 1000


def test_mixed_from_the_left():
    assert evaluate("8 / 3 * 3") == 6
    assert evaluate("2 - 3 + 4") == 3


def test_signs_in_products():
    assert evaluate("2 * -3") == -6
    assert evaluate("--4") == 4
    assert evaluate("5 - -5") == 10


def test_blanks_do_not_matter():
    assert evaluate("  2^ 3 ^1  ") == 8
    assert evaluate("((7))") == 7


def test_more_bad_formulas():
    for text in ("2 ^", "^ 2", "2 ^ ^ 3", "()", "1 + * 2", "3)", "2 ^ 3 ^"):
        with pytest.raises(ValueError):
            evaluate(text)
""",
    ),
    Program(
        name="bracket_lists",
        code=r'''"""Lists within lists, written as "(size (width 10) (height -4))"."""


def tokens(text):
    """The brackets and words of the text in order."""
    return text.replace("(", " ( ").replace(")", " ) ").split()


def read(text):
    """The one value written in the text.

    A value is a list in brackets, a whole number, or any other word.
    ValueError if the text does not hold exactly one value.
    """
    words = tokens(text)
    value, end = _read_value(words, 0)
    return value


def _read_value(words, start):
    """The value that starts at this place, and where it ends."""
    if start == len(words):
        raise ValueError("text ends too early")
    word = words[start]
    if word == ")":
        raise ValueError("closing bracket without an opening one")
    if word != "(":
        return _atom(word), start + 1
    values = []
    place = start + 1
    while place < len(words) and words[place] != ")":
        value, place = _read_value(words, place)
        values.append(value)
    if place == len(words):
        raise ValueError("bracket not closed")
    return values, place + 1


def _atom(word):
    digits = word[1:] if word[0] == "-" else word
    return int(word) if digits.isdigit() else word


def write(value):
    """The text of a value; the opposite of `read`."""
    if isinstance(value, list):
        return "(" + " ".join(write(each) for each in value) + ")"
    return str(value)
''',
        wrong="""    value, end = _read_value(words, 0)
""",
        right="""    value, end = _read_value(words, 0)
    if end != len(words):
        raise ValueError(f"more than one value: {words[end]}")
""",
        visible=r"""
def test_words_and_numbers():
    assert read("hello") == "hello"
    assert read("-12") == -12


def test_nested_lists():
    assert read("(a (b 2) () c)") == ["a", ["b", 2], [], "c"]


def test_unclosed():
    with pytest.raises(ValueError):
        read("(a (b)")
    with pytest.raises(ValueError):
        read("")


def test_too_much():
    with pytest.raises(ValueError):
        read("(a) b")


def test_write():
    assert write(["a", ["b", 2], []]) == "(a (b 2) ())"
""",
        hidden=r"""
def test_two_words():
    with pytest.raises(ValueError):
        read("a b")


def test_two_lists():
    for text in ("(a)(b)", "() ()", "1 (2)"):
        with pytest.raises(ValueError):
            read(text)


def test_closing_bracket_too_many():
    for text in ("(a))", "a)", "())"):
        with pytest.raises(ValueError):
            read(text)


def test_only_closing():
    for text in (")", ")(", "(a"):
        with pytest.raises(ValueError):
            read(text)


def test_blanks_do_not_matter():
    assert read("  ( a\n(b)c )  ") == ["a", ["b"], "c"]
    assert read("  7  ") == 7


def test_what_is_a_number():
    assert read("(-3 - 4a -b 007)") == [-3, "-", "4a", "-b", 7]


def test_there_and_back():
    for value in ("x", 5, [], [[]], ["a", [1, [2, ["b"]]], -3]):
        assert read(write(value)) == value
""",
    ),
    # ------------------------------------- clocks, calendars and time spans
    Program(
        name="opening_hours",
        code=r'''"""Opening hours, which may reach past midnight."""

DAY = 24 * 60


def minutes(clock):
    """The minutes since midnight of a time like "18:30".

    ValueError if there is no such time; "24:00" is none.
    """
    hour, minute = (int(part) for part in clock.split(":"))
    if not (0 <= hour < 24 and 0 <= minute < 60):
        raise ValueError(f"no such time: {clock}")
    return 60 * hour + minute


class Hours:
    """Open from one time up to, not including, another.

    Hours that end before they start go on into the next morning; if both
    times are the same it is always open.
    """

    def __init__(self, start, end):
        self.start = minutes(start)
        self.end = minutes(end)

    def open_at(self, clock):
        """Whether it is open at this time of the day."""
        now = minutes(clock)
        if self.start < self.end:
            return self.start <= now < self.end
        return self.start <= now and now < self.end

    def length(self):
        """How many minutes of the day it is open."""
        return (self.end - self.start) % DAY or DAY

    def wait(self, clock):
        """The minutes to wait until it is open; 0 if it is."""
        if self.open_at(clock):
            return 0
        return (self.start - minutes(clock)) % DAY
''',
        wrong="self.start <= now and now < self.end",
        right="self.start <= now or now < self.end",
        visible=r"""
def test_day_hours():
    shop = Hours("09:00", "18:30")
    assert shop.open_at("09:00")
    assert not shop.open_at("18:30")
    assert not shop.open_at("08:59")


def test_past_midnight():
    bar = Hours("20:00", "02:00")
    assert bar.open_at("23:15")
    assert bar.open_at("01:59")
    assert not bar.open_at("12:00")


def test_length():
    assert Hours("09:00", "18:30").length() == 570
    assert Hours("20:00", "02:00").length() == 360


def test_wait():
    shop = Hours("09:00", "18:30")
    assert shop.wait("08:00") == 60
    assert shop.wait("19:00") == 14 * 60
    assert shop.wait("10:00") == 0


def test_no_such_time():
    with pytest.raises(ValueError):
        Hours("09:00", "24:00")
""",
        hidden=r"""
def test_edges_of_a_night():
    bar = Hours("20:00", "02:00")
    assert bar.open_at("20:00")
    assert bar.open_at("00:00")
    assert not bar.open_at("02:00")
    assert not bar.open_at("19:59")


def test_open_until_midnight():
    cinema = Hours("14:00", "00:00")
    assert cinema.open_at("23:59")
    assert cinema.open_at("14:00")
    assert not cinema.open_at("00:00")
    assert not cinema.open_at("13:59")
    assert cinema.length() == 600


def test_from_midnight():
    bakery = Hours("00:00", "06:00")
    assert bakery.open_at("00:00")
    assert not bakery.open_at("06:00")


def test_always_open():
    pump = Hours("08:00", "08:00")
    for clock in ("00:00", "07:59", "08:00", "23:59"):
        assert pump.open_at(clock)
        assert pump.wait(clock) == 0
    assert pump.length() == 1440


def test_wait_at_night():
    bar = Hours("20:00", "02:00")
    assert bar.wait("01:00") == 0
    assert bar.wait("21:00") == 0
    assert bar.wait("02:00") == 18 * 60
    assert bar.wait("19:30") == 30


def test_open_minutes_match_the_length():
    for start, end in [("20:00", "02:00"), ("09:00", "17:45"), ("23:59", "00:01")]:
        hours = Hours(start, end)
        clocks = [f"{h:02}:{m:02}" for h in range(24) for m in range(60)]
        assert sum(hours.open_at(clock) for clock in clocks) == hours.length()


def test_bad_times():
    for clock in ("25:00", "12:60", "-1:00"):
        with pytest.raises(ValueError):
            minutes(clock)
""",
    ),
    Program(
        name="monthly_instalments",
        code=r'''"""Dates a number of months apart."""

from calendar import monthrange
from datetime import date


def add_months(start, count):
    """The date a number of months later (or earlier, if it is negative).

    It is the same day of the month, or the last day of a month that is too
    short for it.
    """
    month = (start.month - 1 + count) % 12 + 1
    year = start.year + (start.month + count) // 12
    last = monthrange(year, month)[1]
    return date(year, month, min(start.day, last))


def instalments(start, count, every=1):
    """The dates of a number of payments, `every` so many months.

    The first is due on the start.  A payment moved forward because of a
    short month does not move the ones after it.
    """
    return [add_months(start, every * index) for index in range(count)]


def whole_months(start, end):
    """How many whole months have gone by from one date to a later one."""
    months = 12 * (end.year - start.year) + end.month - start.month
    if add_months(start, months) > end:
        months -= 1
    return months


def due(start, today, every=1):
    """The first payment date that is not before today."""
    if today <= start:
        return start
    passed = whole_months(start, today) // every
    found = add_months(start, passed * every)
    return found if found == today else add_months(start, (passed + 1) * every)
''',
        wrong="(start.month + count) // 12",
        right="(start.month - 1 + count) // 12",
        visible=r"""
def test_add_within_the_year():
    assert add_months(date(2023, 3, 15), 2) == date(2023, 5, 15)


def test_add_over_the_new_year():
    assert add_months(date(2023, 11, 10), 3) == date(2024, 2, 10)


def test_add_up_to_december():
    assert add_months(date(2023, 11, 10), 1) == date(2023, 12, 10)


def test_short_month():
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)
    assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)


def test_instalments():
    dates = instalments(date(2023, 1, 31), 3)
    assert dates == [date(2023, 1, 31), date(2023, 2, 28), date(2023, 3, 31)]


def test_whole_months():
    assert whole_months(date(2023, 1, 15), date(2023, 4, 14)) == 2
    assert whole_months(date(2023, 1, 15), date(2023, 4, 15)) == 3
""",
        hidden=r"""
def test_nothing_added_in_december():
    assert add_months(date(2023, 12, 31), 0) == date(2023, 12, 31)


def test_year_by_year():
    for month in range(1, 13):
        assert add_months(date(2023, month, 5), 12) == date(2024, month, 5)
        assert add_months(date(2023, month, 5), -24) == date(2021, month, 5)


def test_back():
    assert add_months(date(2024, 3, 31), -1) == date(2024, 2, 29)
    assert add_months(date(2024, 1, 20), -1) == date(2023, 12, 20)
    assert add_months(date(2024, 1, 20), -2) == date(2023, 11, 20)


def test_one_after_another():
    day = date(2020, 1, 1)
    seen = []
    for count in range(30):
        seen.append(add_months(day, count))
    assert seen == sorted(seen)
    assert len(set(seen)) == 30
    assert seen[-1] == date(2022, 6, 1)


def test_quarterly_instalments():
    assert instalments(date(2023, 6, 30), 4, every=3) == [
        date(2023, 6, 30),
        date(2023, 9, 30),
        date(2023, 12, 30),
        date(2024, 3, 30),
    ]


def test_whole_months_to_december():
    assert whole_months(date(2023, 1, 15), date(2023, 12, 20)) == 11
    assert whole_months(date(2023, 1, 15), date(2023, 12, 14)) == 10
    assert whole_months(date(2022, 12, 1), date(2023, 12, 1)) == 12


def test_due():
    assert due(date(2023, 10, 5), date(2023, 11, 6)) == date(2023, 12, 5)
    assert due(date(2023, 10, 5), date(2023, 11, 5)) == date(2023, 11, 5)
    assert due(date(2023, 10, 5), date(2023, 9, 1)) == date(2023, 10, 5)
    assert due(date(2023, 1, 31), date(2023, 2, 27), every=2) == date(2023, 3, 31)


def test_no_instalments():
    assert instalments(date(2023, 1, 1), 0) == []
""",
    ),
    Program(
        name="written_time_spans",
        code=r'''"""Spans of time as people write them: "1h 05m 30s"."""

import re

SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
PART = re.compile(r"(\d+)\s*([dhms])\s*")


def read(text):
    """The seconds of a span; ValueError if it cannot be read.

    Each unit may occur once, in any order.
    """
    total = 0
    seen = set()
    place = 0
    text = text.strip()
    while place < len(text):
        part = PART.match(text, place)
        if part is None or part[2] in seen:
            raise ValueError(f"not a time span: {text}")
        total += int(part[1]) * SECONDS[part[2]]
        seen.add(part[2])
        place = part.end()
    if not seen:
        raise ValueError("empty time span")
    return total


def write(seconds):
    """The span with the largest units first, as in "1h 05m 30s".

    Leading units that are zero are left out, and so are trailing ones; all
    numbers but the first have two digits.  No time at all is "0s".
    """
    minutes, seconds = divmod(seconds, 60)
    minutes, hours = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = list(zip((days, hours, minutes, seconds), "dhms"))
    while parts and parts[0][0] == 0:
        parts.pop(0)
    while parts and parts[-1][0] == 0:
        parts.pop()
    texts = [f"{count:02}{unit}" for count, unit in parts]
    return " ".join(texts).removeprefix("0") or "0s"


def add(*spans):
    """The sum of some written spans, written too."""
    return write(sum(read(span) for span in spans))
''',
        wrong="minutes, hours = divmod(minutes, 60)",
        right="hours, minutes = divmod(minutes, 60)",
        visible=r"""
def test_read():
    assert read("1h 05m 30s") == 3930
    assert read("2d") == 172800
    assert read("30s1m") == 90


def test_read_nonsense():
    for text in ("", "1", "1x", "1h 2h", "h"):
        with pytest.raises(ValueError):
            read(text)


def test_write_seconds():
    assert write(42) == "42s"
    assert write(0) == "0s"


def test_write_hours():
    assert write(3930) == "1h 05m 30s"


def test_write_days():
    assert write(86400 + 2 * 3600 + 9 * 60) == "1d 02h 09m"


def test_add():
    assert add("20s", "15s") == "35s"
""",
        hidden=r"""
def test_minutes():
    assert write(60) == "1m"
    assert write(61) == "1m 01s"
    assert write(59 * 60 + 59) == "59m 59s"


def test_whole_hours():
    assert write(3600) == "1h"
    assert write(10 * 3600) == "10h"
    assert write(23 * 3600) == "23h"


def test_zeros_in_the_middle():
    assert write(3605) == "1h 00m 05s"
    assert write(86401) == "1d 00h 00m 01s"


def test_whole_days():
    assert write(86400) == "1d"
    assert write(100 * 86400) == "100d"


def test_there_and_back():
    for seconds in list(range(1, 4000, 37)) + list(range(80000, 200000, 1999)):
        assert read(write(seconds)) == seconds


def test_add_carries():
    assert add("50m", "20m") == "1h 10m"
    assert add("59s", "1s") == "1m"
    assert add("23h", "59m", "1m") == "1d"
    assert add() == "0s"


def test_read_with_blanks():
    assert read("  1 h  2 m ") == 3720
    assert read("90m") == 5400


def test_read_more_nonsense():
    for text in ("1h -2m", "1.5h", "1m 1m", "m1", "1h,2m"):
        with pytest.raises(ValueError):
            read(text)
""",
    ),
    Program(
        name="working_days",
        code=r'''"""Counting working days, which are Monday to Friday but for holidays."""

from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


def is_working_day(day, holidays=()):
    """Whether people work on this day."""
    return day.weekday() < 6 and day not in holidays


def days_from(start, step=ONE_DAY):
    """The days after the start one by one, or before it with a step back."""
    day = start
    while True:
        day += step
        yield day


def add_working_days(start, count, holidays=()):
    """The day that is so many working days after the start.

    The start itself does not count.  A negative count goes back; with zero
    it is the start, whatever day that is.
    """
    if count == 0:
        return start
    left = abs(count)
    for day in days_from(start, ONE_DAY if count > 0 else -ONE_DAY):
        if is_working_day(day, holidays):
            left -= 1
            if left == 0:
                return day


def working_days_between(start, end, holidays=()):
    """The working days from the start up to, not including, the end."""
    length = (end - start).days
    days = (start + index * ONE_DAY for index in range(length))
    return sum(is_working_day(day, holidays) for day in days)


def last_working_day(year, month, holidays=()):
    """The last working day of a month."""
    following = date(year + month // 12, month % 12 + 1, 1)
    return add_working_days(following, -1, holidays)
''',
        wrong="day.weekday() < 6",
        right="day.weekday() < 5",
        visible=r"""
# 1 May 2023 was a Monday.


def test_weekdays():
    assert is_working_day(date(2023, 5, 5))
    assert not is_working_day(date(2023, 5, 7))


def test_holiday():
    assert not is_working_day(date(2023, 5, 1), {date(2023, 5, 1)})


def test_add_within_the_week():
    assert add_working_days(date(2023, 5, 2), 3) == date(2023, 5, 5)


def test_add_over_the_weekend():
    assert add_working_days(date(2023, 5, 5), 1) == date(2023, 5, 8)


def test_between():
    assert working_days_between(date(2023, 5, 1), date(2023, 5, 15)) == 10


def test_last_working_day():
    assert last_working_day(2023, 5) == date(2023, 5, 31)
""",
        hidden=r"""
def test_a_whole_week():
    week = [is_working_day(date(2023, 5, day)) for day in range(1, 8)]
    assert week == [True] * 5 + [False] * 2


def test_back_over_the_weekend():
    assert add_working_days(date(2023, 5, 8), -1) == date(2023, 5, 5)
    assert add_working_days(date(2023, 5, 8), -6) == date(2023, 4, 28)


def test_start_on_a_weekend():
    assert add_working_days(date(2023, 5, 6), 1) == date(2023, 5, 8)
    assert add_working_days(date(2023, 5, 7), -1) == date(2023, 5, 5)
    assert add_working_days(date(2023, 5, 6), 0) == date(2023, 5, 6)


def test_many_days():
    assert add_working_days(date(2023, 5, 1), 10) == date(2023, 5, 15)
    assert add_working_days(date(2023, 5, 1), 260) == date(2024, 4, 29)


def test_over_a_holiday():
    holidays = {date(2023, 5, 8)}
    assert add_working_days(date(2023, 5, 5), 1, holidays) == date(2023, 5, 9)
    assert add_working_days(date(2023, 5, 9), -1, holidays) == date(2023, 5, 5)


def test_between_short_ends():
    assert working_days_between(date(2023, 5, 5), date(2023, 5, 5)) == 0
    assert working_days_between(date(2023, 5, 5), date(2023, 5, 8)) == 1
    assert working_days_between(date(2023, 5, 6), date(2023, 5, 8)) == 0


def test_holiday_on_a_saturday_changes_nothing():
    start, end = date(2023, 5, 1), date(2023, 5, 8)
    assert working_days_between(start, end, {date(2023, 5, 6)}) == 5
    assert working_days_between(start, end, {date(2023, 5, 3)}) == 4


def test_last_working_days():
    assert last_working_day(2023, 9) == date(2023, 9, 29)
    assert last_working_day(2023, 12) == date(2023, 12, 29)
    assert last_working_day(2023, 12, {date(2023, 12, 29)}) == date(2023, 12, 28)
""",
    ),
    # ------------------------------ sorting, merging and aggregating records
    Program(
        name="busy_times",
        code=r'''"""Appointments joined to busy times, and the gaps between them."""


def merged(spans):
    """The busy times of some (start, end) spans, in order.

    Spans that overlap or touch become one.  ValueError for a span that ends
    before it starts.
    """
    busy = []
    for start, end in sorted(spans):
        if end < start:
            raise ValueError(f"ends before it starts: {start} to {end}")
        if busy and start <= busy[0][1]:
            busy[-1] = (busy[-1][0], max(busy[-1][1], end))
        else:
            busy.append((start, end))
    return busy


def total(spans):
    """How long the spans are together, overlaps counted once."""
    return sum(end - start for start, end in merged(spans))


def gaps(spans, start, end):
    """The free times between the spans, from the start to the end."""
    free = []
    for busy_start, busy_end in merged(spans):
        if min(busy_start, end) > start:
            free.append((start, min(busy_start, end)))
        start = max(start, busy_end)
    if start < end:
        free.append((start, end))
    return free


def first_gap(spans, length, start, end):
    """The beginning of the first free time long enough, or None."""
    for free_start, free_end in gaps(spans, start, end):
        if free_end - free_start >= length:
            return free_start
    return None
''',
        wrong="start <= busy[0][1]",
        right="start <= busy[-1][1]",
        visible=r"""
def test_separate_spans():
    assert merged([(5, 6), (1, 2)]) == [(1, 2), (5, 6)]


def test_overlapping_spans():
    assert merged([(1, 4), (3, 6)]) == [(1, 6)]


def test_overlap_later_in_the_day():
    assert merged([(1, 2), (4, 6), (5, 8)]) == [(1, 2), (4, 8)]


def test_ends_before_it_starts():
    with pytest.raises(ValueError):
        merged([(5, 3)])


def test_total():
    assert total([(1, 4), (2, 3), (3, 6)]) == 5


def test_gaps():
    assert gaps([(9, 10), (12, 14)], 8, 17) == [(8, 9), (10, 12), (14, 17)]
""",
        hidden=r"""
def test_span_within_another():
    assert merged([(1, 10), (2, 3)]) == [(1, 10)]
    assert merged([(0, 1), (2, 9), (3, 4), (5, 6)]) == [(0, 1), (2, 9)]


def test_touching_spans():
    assert merged([(1, 2), (2, 3)]) == [(1, 3)]
    assert merged([(1, 2), (5, 6), (6, 7), (7, 9)]) == [(1, 2), (5, 9)]


def test_three_groups():
    spans = [(20, 22), (1, 3), (10, 12), (2, 4), (21, 25), (11, 15)]
    assert merged(spans) == [(1, 4), (10, 15), (20, 25)]


def test_same_span_twice():
    assert merged([(1, 2), (4, 5), (4, 5)]) == [(1, 2), (4, 5)]


def test_totals():
    assert total([]) == 0
    assert total([(0, 1), (3, 5), (4, 6)]) == 4


def test_gaps_cut_to_the_day():
    assert gaps([(5, 9), (16, 20)], 8, 17) == [(9, 16)]
    assert gaps([(5, 20)], 8, 17) == []
    assert gaps([], 8, 17) == [(8, 17)]
    assert gaps([(18, 19)], 8, 17) == [(8, 17)]


def test_gaps_with_overlaps():
    assert gaps([(8, 9), (11, 13), (12, 15)], 8, 17) == [(9, 11), (15, 17)]


def test_first_gap():
    spans = [(9, 10), (11, 14), (13, 15)]
    assert first_gap(spans, 1, 9, 18) == 10
    assert first_gap(spans, 2, 9, 18) == 15
    assert first_gap(spans, 4, 9, 18) is None
""",
    ),
    Program(
        name="league_table",
        code=r'''"""The table of a league, made from the results of its matches."""

from dataclasses import dataclass


@dataclass
class Row:
    """What a team has reached so far."""

    team: str
    played: int = 0
    points: int = 0
    scored: int = 0
    conceded: int = 0

    @property
    def difference(self):
        return self.scored - self.conceded

    def enter(self, scored, conceded):
        """Count a match: three points for a win and one for a draw."""
        self.played += 1
        self.scored += scored
        self.conceded += conceded
        if scored > conceded:
            self.points += 3
        elif scored == conceded:
            self.points += 1


def rank(row):
    """What the table is sorted by.

    More points are better, then a higher goal difference, then more goals;
    teams equal in all that are sorted by name.
    """
    return (-row.points, row.difference, -row.scored, row.team)


def table(results):
    """The rows of the table, the best team first.

    A result is (home team, away team, home goals, away goals).
    """
    rows = {}
    for home, away, home_goals, away_goals in results:
        rows.setdefault(home, Row(home)).enter(home_goals, away_goals)
        rows.setdefault(away, Row(away)).enter(away_goals, home_goals)
    return sorted(rows.values(), key=rank)


def teams(results):
    """The names of the teams in the order of the table."""
    return [row.team for row in table(results)]
''',
        wrong="(-row.points, row.difference,",
        right="(-row.points, -row.difference,",
        visible=r"""
def test_rows_of_one_match():
    winner, loser = table([("Reds", "Blues", 3, 1)])
    assert winner == Row("Reds", 1, 3, 3, 1)
    assert loser == Row("Blues", 1, 0, 1, 3)


def test_draw():
    assert [row.points for row in table([("A", "B", 2, 2)])] == [1, 1]


def test_points_come_first():
    results = [("A", "B", 1, 0), ("A", "C", 1, 0), ("D", "B", 9, 0)]
    assert teams(results)[0] == "A"


def test_difference_comes_second():
    results = [("A", "B", 1, 0), ("C", "D", 5, 0)]
    assert teams(results) == ["C", "A", "B", "D"]


def test_names_come_last():
    assert teams([("Zebras", "Ants", 0, 0)]) == ["Ants", "Zebras"]


def test_no_results():
    assert table([]) == []
""",
        hidden=r"""
def test_goals_come_third():
    results = [("A", "B", 1, 0), ("C", "D", 3, 2)]
    assert teams(results) == ["C", "A", "D", "B"]


def test_negative_differences():
    results = [("A", "X", 0, 1), ("B", "X", 0, 4), ("C", "X", 0, 2)]
    assert teams(results) == ["X", "A", "C", "B"]


def test_difference_before_goals():
    results = [("A", "B", 3, 0), ("C", "D", 6, 5)]
    assert teams(results) == ["A", "C", "D", "B"]


def test_several_matches_add_up():
    results = [("A", "B", 2, 1), ("B", "A", 2, 1), ("A", "B", 0, 0)]
    first, second = table(results)
    assert first == Row("A", 3, 4, 3, 3)
    assert second == Row("B", 3, 4, 3, 3)


def test_three_teams_in_a_ring():
    results = [("A", "B", 1, 0), ("B", "C", 4, 0), ("C", "A", 2, 0)]
    assert teams(results) == ["B", "A", "C"]


def test_draws_with_different_goals():
    results = [("A", "B", 0, 0), ("C", "D", 2, 2)]
    assert teams(results) == ["C", "D", "A", "B"]


def test_away_win():
    row = table([("A", "B", 0, 2)])[0]
    assert (row.team, row.points, row.difference) == ("B", 3, 2)


def test_points_beat_difference():
    results = [("A", "X", 1, 0), ("A", "X", 0, 7), ("A", "X", 1, 0), ("B", "Y", 8, 0)]
    assert teams(results)[:2] == ["A", "B"]
""",
    ),
    Program(
        name="class_marks",
        code=r'''"""Marks of pupils, collected by class."""


def by_class(marks, classes):
    """The marks of each class as lists.

    Marks are (pupil, class, mark) records.  The classes come in the order
    given, also those without any mark; KeyError for a mark of another.
    """
    collected = dict.fromkeys(classes, [])
    for _, name, mark in marks:
        collected[name].append(mark)
    return collected


def averages(marks, classes):
    """The average mark of each class; None for those without marks."""
    return {
        name: sum(found) / len(found) if found else None
        for name, found in by_class(marks, classes).items()
    }


def best_pupils(marks):
    """For each class the names of those with its highest mark, sorted."""
    best = {}
    for pupil, name, mark in marks:
        top, pupils = best.get(name, (None, set()))
        if top is None or mark > top:
            best[name] = (mark, {pupil})
        elif mark == top:
            pupils.add(pupil)
    return {name: sorted(pupils) for name, (_, pupils) in best.items()}


def report(marks, classes):
    """One line for each class: its name, number of marks and average."""
    lines = []
    for name, found in by_class(marks, classes).items():
        average = f"{sum(found) / len(found):.2f}" if found else "-"
        lines.append(f"{name}: {len(found)} ({average})")
    return lines
''',
        wrong="collected = dict.fromkeys(classes, [])",
        right="collected = {name: [] for name in classes}",
        visible=r"""
MARKS = [("ann", "1a", 8), ("bob", "1b", 5), ("cid", "1a", 6), ("dot", "1a", 8)]


def test_by_class():
    assert by_class(MARKS, ["1a", "1b"]) == {"1a": [8, 6, 8], "1b": [5]}


def test_single_class():
    assert averages([("ann", "x", 4), ("bob", "x", 5)], ["x"]) == {"x": 4.5}


def test_unknown_class():
    with pytest.raises(KeyError):
        by_class(MARKS, ["1a"])


def test_best_pupils():
    assert best_pupils(MARKS) == {"1a": ["ann", "dot"], "1b": ["bob"]}


def test_report():
    assert report(MARKS, ["1b", "1a", "1c"]) == ["1b: 1 (5.00)", "1a: 3 (7.33)", "1c: 0 (-)"]
""",
        hidden=r"""
MARKS = [("ann", "1a", 8), ("bob", "1b", 5), ("cid", "1a", 6)]


def test_class_without_marks():
    assert by_class(MARKS, ["1a", "1b", "1c"])["1c"] == []
    assert averages(MARKS, ["1a", "1b", "1c"]) == {"1a": 7, "1b": 5, "1c": None}


def test_lists_are_independent():
    collected = by_class(MARKS, ["1a", "1b"])
    collected["1a"].append(99)
    assert collected["1b"] == [5]


def test_calls_are_independent():
    by_class(MARKS, ["1a", "1b"])
    assert by_class([], ["1a", "1b"]) == {"1a": [], "1b": []}


def test_order_of_classes():
    assert list(by_class(MARKS, ["1b", "1a"])) == ["1b", "1a"]


def test_no_marks():
    assert averages([], ["x"]) == {"x": None}
    assert report([], ["x", "y"]) == ["x: 0 (-)", "y: 0 (-)"]
    assert best_pupils([]) == {}


def test_classes_may_be_an_iterator():
    assert by_class(MARKS, iter(["1a", "1b"])) == {"1a": [8, 6], "1b": [5]}


def test_best_pupils_later_ones_are_better():
    marks = [("a", "x", 1), ("b", "x", 3), ("c", "x", 2), ("d", "x", 3), ("e", "y", 0)]
    assert best_pupils(marks) == {"x": ["b", "d"], "y": ["e"]}


def test_two_lines_of_report():
    assert report(MARKS, ["1a", "1b"]) == ["1a: 2 (7.00)", "1b: 1 (5.00)"]
""",
    ),
    Program(
        name="shared_ranks",
        code=r'''"""Ranking the results of a race, with shared places."""

from operator import itemgetter


def ranking(times):
    """The (place, name) pairs for a mapping from names to times.

    The shortest time comes first.  Those with the same time share a place,
    in the order of their names, and the places they take up are left out
    after it: 1, 2, 2, 4.
    """
    ordered = sorted(times.items(), key=itemgetter(1, 0))
    ranked = []
    place = 0
    previous = None
    for position, (name, time) in enumerate(ordered, start=1):
        if time != previous:
            place += 1
            previous = time
        ranked.append((place, name))
    return ranked


def medals(times):
    """The names for gold, silver and bronze, each a list."""
    names = {1: [], 2: [], 3: []}
    for place, name in ranking(times):
        if place in names:
            names[place].append(name)
    return names


def lines(times):
    """The ranking as text; a shared place is shown only once."""
    shown = []
    previous = None
    for place, name in ranking(times):
        label = f"{place}." if place != previous else ""
        shown.append(f"{label:<4}{name}")
        previous = place
    return shown
''',
        wrong="place += 1",
        right="place = position",
        visible=r"""
def test_different_times():
    assert ranking({"ann": 12, "bob": 10, "cid": 11}) == [
        (1, "bob"),
        (2, "cid"),
        (3, "ann"),
    ]


def test_shared_place():
    times = {"dot": 9, "cid": 8, "bob": 8, "ann": 7}
    assert ranking(times) == [(1, "ann"), (2, "bob"), (2, "cid"), (4, "dot")]


def test_shared_last_place():
    assert ranking({"b": 5, "a": 5, "c": 4}) == [(1, "c"), (2, "a"), (2, "b")]


def test_medals():
    assert medals({"a": 1, "b": 2, "c": 3, "d": 4}) == {1: ["a"], 2: ["b"], 3: ["c"]}


def test_lines():
    assert lines({"ann": 1, "bob": 2, "cid": 2}) == ["1.  ann", "2.  bob", "    cid"]
""",
        hidden=r"""
def test_shared_first_place():
    times = {"a": 1, "b": 1, "c": 2}
    assert ranking(times) == [(1, "a"), (1, "b"), (3, "c")]
    assert medals(times) == {1: ["a", "b"], 2: [], 3: ["c"]}


def test_all_equal():
    assert ranking({"c": 3, "a": 3, "b": 3}) == [(1, "a"), (1, "b"), (1, "c")]


def test_three_share_then_more():
    times = {"a": 1, "b": 1, "c": 1, "d": 2, "e": 3, "f": 3, "g": 4}
    assert [place for place, _ in ranking(times)] == [1, 1, 1, 4, 5, 5, 7]


def test_two_shared_places():
    times = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 3}
    assert [place for place, _ in ranking(times)] == [1, 1, 3, 3, 5]
    assert medals(times) == {1: ["a", "b"], 2: [], 3: ["c", "d"]}


def test_no_bronze_after_shared_silver():
    assert medals({"a": 1, "b": 2, "c": 2, "d": 3}) == {1: ["a"], 2: ["b", "c"], 3: []}


def test_nobody():
    assert ranking({}) == []
    assert medals({}) == {1: [], 2: [], 3: []}
    assert lines({}) == []


def test_single_and_zero_time():
    assert ranking({"a": 0}) == [(1, "a")]
    assert ranking({"a": 0, "b": 0, "c": 1}) == [(1, "a"), (1, "b"), (3, "c")]


def test_lines_after_a_shared_place():
    assert lines({"a": 1, "b": 1, "c": 2}) == ["1.  a", "    b", "3.  c"]
""",
    ),
    # --------------------------------------------- rules of everyday business
    Program(
        name="income_tax",
        code=r'''"""An income tax which grows in steps."""

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")

BANDS = (
    (Decimal("0"), Decimal("0.00")),
    (Decimal("10000"), Decimal("0.15")),
    (Decimal("30000"), Decimal("0.25")),
    (Decimal("80000"), Decimal("0.40")),
)


def rounded(amount):
    """The amount in full cents; half a cent becomes a whole one."""
    return amount.quantize(CENT)


def tax(income, bands=BANDS):
    """The tax for an income, rounded to cents only at the end.

    A band (start, rate) says what part is paid of the income from its start
    up to the start of the next.  ValueError for a negative income.
    """
    income = Decimal(income)
    if income < 0:
        raise ValueError("income must not be negative")
    total = Decimal(0)
    ends = [start for start, _ in bands[1:]] + [income]
    for (start, rate), end in zip(bands, ends):
        if income <= start:
            break
        total += (min(income, end) - start) * rate
    return rounded(total)


def net(income, bands=BANDS):
    """What is left of the income."""
    return Decimal(income) - tax(income, bands)


def top_rate(income, bands=BANDS):
    """The rate paid on the last bit of the income."""
    rates = [rate for start, rate in bands if start < Decimal(income)]
    return rates[-1] if rates else bands[0][1]
''',
        wrong="amount.quantize(CENT)",
        right="amount.quantize(CENT, rounding=ROUND_HALF_UP)",
        visible=r"""
def test_no_tax_on_small_incomes():
    assert tax("9999.99") == 0
    assert tax(0) == 0


def test_first_steps():
    assert tax(20000) == 1500
    assert tax(30000) == 3000
    assert tax(40000) == 5500


def test_half_a_cent():
    assert rounded(Decimal("1.125")) == Decimal("1.13")
    assert tax("10000.30") == Decimal("0.05")


def test_top_rate():
    assert top_rate(100000) == Decimal("0.40")
    assert top_rate(30000) == Decimal("0.15")


def test_negative_income():
    with pytest.raises(ValueError):
        tax(-1)
""",
        hidden=r"""
def test_rounding_up_and_down():
    assert rounded(Decimal("2.344")) == Decimal("2.34")
    assert rounded(Decimal("2.345")) == Decimal("2.35")
    assert rounded(Decimal("2.335")) == Decimal("2.34")
    assert rounded(Decimal("2.346")) == Decimal("2.35")
    assert rounded(Decimal("0.005")) == Decimal("0.01")


def test_half_cents_of_tax():
    assert tax("10000.10") == Decimal("0.02")
    assert tax("10000.50") == Decimal("0.08")
    assert tax("10000.70") == Decimal("0.11")
    assert tax("30000.02") == Decimal("3000.01")
    assert tax("30000.10") == Decimal("3000.03")
    assert tax("30000.50") == Decimal("3000.13")


def test_highest_band():
    assert tax(80000) == 15500
    assert tax(100000) == 23500


def test_net():
    assert net(20000) == 18500
    assert net(5000) == 5000
    assert net("10000.30") == Decimal("10000.25")


def test_own_bands():
    bands = ((Decimal(0), Decimal("0.5")),)
    assert tax("0.01", bands) == Decimal("0.01")
    assert tax("0.05", bands) == Decimal("0.03")
    assert tax(10, bands) == 5


def test_rounded_only_at_the_end():
    bands = ((Decimal(0), Decimal("0.004")), (Decimal(1), Decimal("0.004")))
    assert tax(2, bands) == Decimal("0.01")


def test_top_rates():
    assert top_rate(0) == 0
    assert top_rate(10000) == 0
    assert top_rate("10000.01") == Decimal("0.15")
""",
    ),
    Program(
        name="parcel_postage",
        code=r'''"""What it costs to send an order."""

from typing import NamedTuple

FREE_FROM = 5000
STEPS = ((500, 290), (2000, 490), (10000, 790))
HEAVY = 1490


class Item(NamedTuple):
    """One line of an order; price in cents and weight in grams, per piece."""

    name: str
    price: int
    weight: int = 0
    pieces: int = 1
    digital: bool = False


def weight(items):
    """The grams to be sent; digital goods have no weight to send."""
    total = 0
    for item in items:
        if item.digital:
            break
        total += item.weight * item.pieces
    return total


def value(items):
    """The price of all items together."""
    return sum(item.price * item.pieces for item in items)


def postage(items, express=False):
    """The cents to pay for sending.

    Nothing if all items are digital.  From a value of FREE_FROM on normal
    sending is free, but express always costs the normal price twice.
    """
    if all(item.digital for item in items):
        return 0
    if value(items) >= FREE_FROM and not express:
        return 0
    grams = weight(items)
    price = next((price for limit, price in STEPS if grams <= limit), HEAVY)
    return 2 * price if express else price


def total(items, express=False):
    """The value with the postage."""
    return value(items) + postage(items, express)
''',
        wrong="            break\n",
        right="            continue\n",
        visible=r"""
BOOK = Item("book", 1500, 800)
CARD = Item("card", 200, 20, pieces=3)
SONG = Item("song", 99, digital=True)


def test_weight():
    assert weight([BOOK, CARD]) == 860


def test_digital_goods_have_no_weight():
    assert weight([SONG]) == 0
    assert weight([Item("film", 900, 300, digital=True), BOOK]) == 800


def test_postage():
    assert postage([CARD]) == 290
    assert postage([BOOK, CARD]) == 490


def test_free_postage():
    assert postage([BOOK, BOOK, CARD]) == 490
    assert postage([Item("lamp", 5000, 3000)]) == 0


def test_express():
    assert postage([Item("lamp", 5000, 3000)], express=True) == 1580


def test_total():
    assert total([CARD, SONG]) == 600 + 99 + 290
""",
        hidden=r"""
BOOK = Item("book", 1500, 800)
CARD = Item("card", 200, 20, pieces=3)
SONG = Item("song", 99, digital=True)


def test_digital_in_any_place():
    assert weight([SONG, BOOK, CARD]) == 860
    assert weight([BOOK, SONG, CARD]) == 860
    assert weight([BOOK, CARD, SONG]) == 860


def test_postage_after_digital():
    assert postage([SONG, BOOK]) == 490
    assert postage([SONG, Item("desk", 100, 20000), SONG]) == 1490


def test_limits_of_the_steps():
    for grams, price in [(500, 290), (501, 490), (2000, 490), (2001, 790), (10000, 790)]:
        assert postage([Item("x", 1, grams)]) == price
    assert postage([Item("x", 1, 10001)]) == 1490


def test_pieces_count():
    assert weight([Item("x", 1, 100, pieces=6)]) == 600
    assert postage([Item("x", 1, 100, pieces=6)]) == 490


def test_digital_value_counts_for_free_postage():
    film = Item("film", 3500, digital=True)
    assert postage([film, BOOK]) == 0
    assert postage([Item("film", 3499, digital=True), BOOK]) == 490


def test_only_digital_is_never_sent():
    assert postage([SONG, SONG]) == 0
    assert postage([SONG], express=True) == 0
    assert postage([]) == 0


def test_express_with_digital_first():
    assert postage([SONG, BOOK], express=True) == 980


def test_totals():
    assert total([SONG, BOOK]) == 99 + 1500 + 490
    assert total([SONG]) == 99
""",
    ),
    Program(
        name="cleaning_rota",
        code=r'''"""A rota: people take turns week by week."""


class RotaError(Exception):
    """Something that the rota does not allow."""


class Rota:
    """The people in their order, and weeks in which two have swapped."""

    def __init__(self, people):
        self.people = list(people)
        if not self.people:
            raise RotaError("nobody there")
        self._swapped = {}

    def on_duty(self, week):
        """Who has the turn in a week; weeks are counted from 0."""
        regular = self.people[week % len(self.people)]
        return self._swapped.get(week, regular)

    def next_turn(self, person, week):
        """The first week, this one or a later one, of a person's regular turn.

        RotaError if the person does not take part.
        """
        try:
            place = self.people.index(person)
        except IndexError:
            raise RotaError(f"not in the rota: {person}") from None
        return week + (place - week) % len(self.people)

    def swap(self, week, other):
        """Swap the persons of two weeks; RotaError if it is the same one."""
        first, second = self.on_duty(week), self.on_duty(other)
        if first == second:
            raise RotaError(f"nothing to swap: both weeks are {first}'s")
        self._swapped[week] = second
        self._swapped[other] = first

    def plan(self, start, weeks):
        """The people on duty in a number of weeks."""
        return [self.on_duty(week) for week in range(start, start + weeks)]

    def turns(self, person, start, weeks):
        """How many of these weeks are this person's, with all swaps."""
        return self.plan(start, weeks).count(person)
''',
        wrong="except IndexError:",
        right="except ValueError:",
        visible=r"""
def test_turns_go_round():
    assert Rota(["ann", "bob", "cid"]).plan(0, 5) == ["ann", "bob", "cid", "ann", "bob"]


def test_next_turn():
    rota = Rota(["ann", "bob", "cid"])
    assert rota.next_turn("bob", 0) == 1
    assert rota.next_turn("bob", 1) == 1
    assert rota.next_turn("bob", 2) == 4


def test_next_turn_of_a_stranger():
    with pytest.raises(RotaError):
        Rota(["ann", "bob"]).next_turn("zoe", 0)


def test_swap():
    rota = Rota(["ann", "bob", "cid"])
    rota.swap(0, 2)
    assert rota.plan(0, 4) == ["cid", "bob", "ann", "ann"]


def test_nobody():
    with pytest.raises(RotaError):
        Rota([])


def test_turns():
    assert Rota(["ann", "bob"]).turns("ann", 0, 5) == 3
""",
        hidden=r"""
def test_strangers_in_any_week():
    rota = Rota(["ann", "bob", "cid"])
    for week in (0, 1, 7):
        with pytest.raises(RotaError, match="zoe"):
            rota.next_turn("zoe", week)


def test_name_must_be_exact():
    with pytest.raises(RotaError):
        Rota(["ann"]).next_turn("Ann", 0)
    with pytest.raises(RotaError):
        Rota(["ann"]).next_turn("", 3)


def test_next_turn_for_everybody():
    rota = Rota(["ann", "bob", "cid"])
    for week in range(10):
        for person in rota.people:
            found = rota.next_turn(person, week)
            assert week <= found < week + 3
            assert rota.on_duty(found) == person


def test_one_person():
    rota = Rota(["ann"])
    assert rota.next_turn("ann", 5) == 5
    assert rota.plan(3, 2) == ["ann", "ann"]
    with pytest.raises(RotaError):
        rota.swap(0, 1)


def test_swap_does_not_change_regular_turns():
    rota = Rota(["ann", "bob"])
    rota.swap(0, 1)
    assert rota.next_turn("ann", 0) == 0
    assert rota.on_duty(0) == "bob"
    assert rota.on_duty(2) == "ann"


def test_swap_back():
    rota = Rota(["ann", "bob"])
    rota.swap(0, 1)
    rota.swap(0, 1)
    assert rota.plan(0, 2) == ["ann", "bob"]


def test_nothing_to_swap():
    rota = Rota(["ann", "bob"])
    with pytest.raises(RotaError):
        rota.swap(0, 2)
    assert rota.plan(0, 3) == ["ann", "bob", "ann"]


def test_turns_with_swaps_and_strangers():
    rota = Rota(["ann", "bob", "cid"])
    rota.swap(2, 3)
    assert rota.turns("cid", 0, 3) == 0
    assert rota.turns("ann", 0, 3) == 2
    assert rota.turns("zoe", 0, 3) == 0
""",
    ),
    Program(
        name="call_quota",
        code=r'''"""A quota: each customer may call so many times within some seconds."""

from collections import defaultdict, deque


class Quota:
    """Keeps the times of the calls that still count.

    A call counts for `window` seconds; exactly that long after it, it
    counts no more.  Times are seconds that never go back.
    """

    def __init__(self, limit, window):
        if limit < 1 or window <= 0:
            raise ValueError("limit and window must be positive")
        self.limit = limit
        self.window = window
        self._calls = defaultdict(deque)

    def allow(self, customer, now):
        """Whether the customer may call now; if so, the call is counted."""
        if self.left(customer, now) == 0:
            return False
        self._calls[customer].append(now)
        return True

    def left(self, customer, now):
        """How many calls the customer has left."""
        self._forget(customer, now)
        return self.limit - len(self._calls[customer])

    def wait(self, customer, now):
        """The seconds until the customer may call again; 0 if at once."""
        if self.left(customer, now) > 0:
            return 0
        return self._calls[customer][0] + self.window - now

    def _forget(self, customer, now):
        """Drop the calls that do not count any more."""
        calls = self._calls[customer]
        while calls and calls[0] <= now - self.window:
            calls.pop()
''',
        wrong="calls.pop()",
        right="calls.popleft()",
        visible=r"""
def test_limit():
    quota = Quota(2, 60)
    assert quota.allow("ann", 0)
    assert quota.allow("ann", 10)
    assert not quota.allow("ann", 20)


def test_customers_are_independent():
    quota = Quota(1, 60)
    assert quota.allow("ann", 0)
    assert quota.allow("bob", 0)


def test_all_calls_run_out():
    quota = Quota(2, 60)
    quota.allow("ann", 0)
    quota.allow("ann", 10)
    assert quota.left("ann", 100) == 2


def test_first_call_runs_out():
    quota = Quota(2, 60)
    quota.allow("ann", 0)
    quota.allow("ann", 50)
    assert quota.left("ann", 60) == 1
    assert quota.allow("ann", 70)
    assert not quota.allow("ann", 80)


def test_wait():
    quota = Quota(2, 60)
    quota.allow("ann", 0)
    assert quota.wait("ann", 5) == 0
    quota.allow("ann", 10)
    assert quota.wait("ann", 20) == 40


def test_bad_quota():
    with pytest.raises(ValueError):
        Quota(0, 60)
""",
        hidden=r"""
def test_sliding_window():
    quota = Quota(3, 10)
    answers = [quota.allow("a", now) for now in range(0, 30, 2)]
    assert answers == [True, True, True, False, False] * 3


def test_edge_of_the_window():
    quota = Quota(1, 10)
    assert quota.allow("a", 5)
    assert not quota.allow("a", 14)
    assert quota.allow("a", 15)


def test_several_run_out_at_once():
    quota = Quota(4, 10)
    for now in (0, 1, 8, 9):
        assert quota.allow("a", now)
    assert quota.left("a", 10) == 1
    assert quota.left("a", 11) == 2
    assert quota.left("a", 17) == 2
    assert quota.left("a", 18) == 3
    assert quota.left("a", 19) == 4


def test_wait_after_the_first_ran_out():
    quota = Quota(2, 10)
    quota.allow("a", 0)
    quota.allow("a", 6)
    quota.allow("a", 10)
    assert quota.wait("a", 11) == 5
    assert quota.wait("a", 16) == 0


def test_refused_calls_do_not_count():
    quota = Quota(1, 10)
    quota.allow("a", 0)
    for now in range(1, 10):
        assert not quota.allow("a", now)
    assert quota.allow("a", 10)


def test_same_time():
    quota = Quota(2, 10)
    assert [quota.allow("a", 3) for _ in range(3)] == [True, True, False]
    assert quota.left("a", 13) == 2


def test_new_customer():
    quota = Quota(3, 10)
    assert quota.left("new", 100) == 3
    assert quota.wait("new", 100) == 0


def test_bad_quotas():
    for limit, window in [(0, 1), (-1, 1), (1, 0), (1, -5)]:
        with pytest.raises(ValueError):
            Quota(limit, window)
""",
    ),
)
