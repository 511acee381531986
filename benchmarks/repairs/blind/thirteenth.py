"""Programs of ten kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---------------------------------------------- trees and linked structures
    Program(
        name="order_statistic_tree",
        code=r'''"""A binary search tree that knows which key is the k-th smallest."""


class Node:
    """A key with its two subtrees and the number of keys in all of them."""

    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None
        self.size = 1


def size(node):
    """Return the number of keys below and in node (None is an empty tree)."""
    return node.size if node is not None else 0


def insert(node, key):
    """Put key into the tree, unless it is there already; return the root."""
    if node is None:
        return Node(key)
    if key < node.key:
        node.left = insert(node.left, key)
    elif key > node.key:
        node.right = insert(node.right, key)
    node.size = 1 + size(node.left) + size(node.right)
    return node


def build(keys):
    """Return the root of a tree of all keys."""
    root = None
    for key in keys:
        root = insert(root, key)
    return root


def select(node, k):
    """Return the k-th smallest key, counting from 0; IndexError if none."""
    if not 0 <= k < size(node):
        raise IndexError(k)
    while True:
        before = size(node.left)
        if k == before:
            return node.key
        if k < before:
            node = node.left
        else:
            k -= before
            node = node.right
''',
        wrong="            k -= before\n",
        right="            k -= before + 1\n",
        visible=r"""
def test_size_ignores_duplicates():
    assert size(build([4, 2, 4, 9])) == 3


def test_smallest():
    assert select(build([5, 3, 8, 1]), 0) == 1


def test_root_is_in_the_middle():
    assert select(build([2, 1, 3]), 1) == 2


def test_largest():
    assert select(build([5, 3, 8, 1]), 3) == 8


def test_out_of_range():
    with pytest.raises(IndexError):
        select(build([1, 2]), 2)
""",
        hidden=r"""
def test_every_rank_in_mixed_order():
    keys = [50, 20, 70, 10, 30, 60, 90, 25, 35, 65]
    root = build(keys)
    assert [select(root, k) for k in range(len(keys))] == sorted(keys)


def test_ascending_chain():
    root = build(range(6))
    assert [select(root, k) for k in range(6)] == list(range(6))


def test_descending_chain():
    root = build([5, 4, 3, 2, 1])
    assert [select(root, k) for k in range(5)] == [1, 2, 3, 4, 5]


def test_strings():
    root = build("python")
    assert "".join(select(root, k) for k in range(6)) == "hnopty"


def test_empty_tree():
    with pytest.raises(IndexError):
        select(build([]), 0)


def test_negative_rank():
    with pytest.raises(IndexError):
        select(build([1, 2, 3]), -1)


def test_duplicates_count_once():
    root = build([3, 3, 1, 1, 2, 2])
    assert size(root) == 3
    assert [select(root, k) for k in range(3)] == [1, 2, 3]
""",
    ),
    Program(
        name="playlist_linked_remove",
        code=r'''"""A playlist kept as a doubly linked list."""


class Track:
    """One track and its neighbours in the playlist."""

    def __init__(self, title):
        self.title = title
        self.before = None
        self.after = None


class Playlist:
    """Tracks in the order in which they were added."""

    def __init__(self, titles=()):
        self._head = None
        self._tail = None
        for title in titles:
            self.append(title)

    def append(self, title):
        """Add a track behind the last one."""
        track = Track(title)
        if self._tail is None:
            self._head = track
        else:
            self._tail.after = track
            track.before = self._tail
        self._tail = track

    def remove(self, title):
        """Take the first track of that title out; ValueError if none."""
        track = self._head
        while track is not None and track.title != title:
            track = track.after
        if track is None:
            raise ValueError(title)
        if track.before is not None:
            track.before.after = track.after
        else:
            self._head = track.after
        if track.after is not None:
            track.after.before = track.before

    def forwards(self):
        """Return the titles from first to last."""
        return list(self._walk(self._head, "after"))

    def backwards(self):
        """Return the titles from last to first."""
        return list(self._walk(self._tail, "before"))

    def _walk(self, track, direction):
        while track is not None:
            yield track.title
            track = getattr(track, direction)
''',
        wrong="            track.after.before = track.before\n",
        right="            track.after.before = track.before\n        else:\n            self._tail = track.before\n",
        visible=r"""
def test_both_directions():
    playlist = Playlist(["a", "b", "c"])
    assert playlist.forwards() == ["a", "b", "c"]
    assert playlist.backwards() == ["c", "b", "a"]


def test_remove_middle():
    playlist = Playlist(["a", "b", "c"])
    playlist.remove("b")
    assert playlist.forwards() == ["a", "c"]
    assert playlist.backwards() == ["c", "a"]


def test_remove_first():
    playlist = Playlist(["a", "b", "c"])
    playlist.remove("a")
    assert playlist.forwards() == ["b", "c"]


def test_append_after_removing_last():
    playlist = Playlist(["a", "b"])
    playlist.remove("b")
    playlist.append("c")
    assert playlist.forwards() == ["a", "c"]


def test_remove_unknown():
    with pytest.raises(ValueError):
        Playlist(["a"]).remove("z")
""",
        hidden=r"""
def test_remove_last_backwards():
    playlist = Playlist(["a", "b", "c"])
    playlist.remove("c")
    assert playlist.backwards() == ["b", "a"]
    assert playlist.forwards() == ["a", "b"]


def test_remove_only_track():
    playlist = Playlist(["a"])
    playlist.remove("a")
    assert playlist.forwards() == []
    assert playlist.backwards() == []


def test_reuse_after_emptying():
    playlist = Playlist(["a"])
    playlist.remove("a")
    playlist.append("b")
    playlist.append("c")
    assert playlist.forwards() == ["b", "c"]
    assert playlist.backwards() == ["c", "b"]


def test_remove_first_backwards():
    playlist = Playlist(["a", "b", "c"])
    playlist.remove("a")
    assert playlist.backwards() == ["c", "b"]


def test_only_the_first_of_two_goes():
    playlist = Playlist(["a", "b", "a"])
    playlist.remove("a")
    assert playlist.forwards() == ["b", "a"]


def test_empty():
    playlist = Playlist()
    assert playlist.forwards() == [] and playlist.backwards() == []
    with pytest.raises(ValueError):
        playlist.remove("a")


def test_remove_from_the_end_one_by_one():
    playlist = Playlist("abcd")
    for title in "dcb":
        playlist.remove(title)
    assert playlist.forwards() == ["a"]
    assert playlist.backwards() == ["a"]
""",
    ),
    Program(
        name="folder_tree_drawing",
        code=r'''"""Draw a tree of folders with plain characters.

A tree is a pair of a name and a list of the trees below it.
"""


def draw(tree):
    """Return the lines of the drawing.

    The root stands alone in the first line. Every child is drawn behind
    "|-- ", the last child of a folder behind "`-- "; what is below a child is
    indented by four characters, which begin with a "|" as long as more
    children of the same folder follow.
    """
    name, below = tree
    lines = [name]
    _draw_children(below, "", lines)
    return lines


def _draw_children(children, indent, lines):
    for position, (name, below) in enumerate(children):
        last = position == len(children) - 1
        branch = "`-- " if last else "|-- "
        lines.append(indent + branch + name)
        stem = "|   " if last else "    "
        _draw_children(below, indent + stem, lines)


def count(tree):
    """Return how many names there are in the tree."""
    return 1 + sum(count(child) for child in tree[1])
''',
        wrong='stem = "|   " if last else "    "',
        right='stem = "    " if last else "|   "',
        visible=r"""
def test_root_alone():
    assert draw(("root", [])) == ["root"]


def test_flat_folder():
    tree = ("root", [("a", []), ("b", [])])
    assert draw(tree) == ["root", "|-- a", "`-- b"]


def test_below_the_first_of_two():
    tree = ("root", [("a", [("x", [])]), ("b", [])])
    assert draw(tree) == ["root", "|-- a", "|   `-- x", "`-- b"]


def test_count():
    assert count(("root", [("a", [("x", [])]), ("b", [])])) == 4
""",
        hidden=r"""
def test_below_the_last():
    tree = ("root", [("a", []), ("b", [("x", []), ("y", [])])])
    assert draw(tree) == [
        "root", "|-- a", "`-- b", "    |-- x", "    `-- y"]


def test_chain():
    tree = ("a", [("b", [("c", [("d", [])])])])
    assert draw(tree) == ["a", "`-- b", "    `-- c", "        `-- d"]


def test_two_levels_mixed():
    tree = ("r", [("a", [("b", [("c", [])]), ("d", [])]), ("e", [])])
    assert draw(tree) == [
        "r", "|-- a", "|   |-- b", "|   |   `-- c", "|   `-- d", "`-- e"]


def test_three_children_each_with_one():
    tree = ("r", [(n, [(n * 2, [])]) for n in "abc"])
    assert draw(tree) == [
        "r", "|-- a", "|   `-- aa", "|-- b", "|   `-- bb", "`-- c", "    `-- cc"]


def test_one_line_per_name():
    tree = ("r", [("a", [("b", []), ("c", [])]), ("d", [("e", [])])])
    assert len(draw(tree)) == count(tree) == 6
""",
    ),
    Program(
        name="nearest_common_manager",
        code=r'''"""Questions about who works for whom.

A company is a dictionary which names the manager of every person; the person
at the top is not a key of it.
"""


def chain(person, manager_of):
    """Return the person and all managers above, from the bottom to the top."""
    links = []
    current = manager_of.get(person)
    while current is not None:
        links.append(current)
        current = manager_of.get(current)
    return links


def nearest_common(first, second, manager_of):
    """Return the lowest person whom both report to, or None.

    Everybody counts as reporting to themselves, so that for a manager and
    one of their people the answer is that manager.
    """
    above = set(chain(first, manager_of))
    for person in chain(second, manager_of):
        if person in above:
            return person
    return None


def is_above(manager, person, manager_of):
    """Tell whether manager is somewhere above person (and not the same)."""
    return manager != person and manager in chain(person, manager_of)
''',
        wrong="current = manager_of.get(person)",
        right="current = person",
        visible=r"""
COMPANY = {"bo": "ada", "cy": "ada", "di": "bo", "ed": "bo", "fay": "cy"}


def test_colleagues():
    assert nearest_common("di", "ed", COMPANY) == "bo"


def test_different_departments():
    assert nearest_common("di", "fay", COMPANY) == "ada"


def test_manager_and_report():
    assert nearest_common("bo", "di", COMPANY) == "bo"


def test_is_above():
    assert is_above("ada", "fay", COMPANY)
    assert not is_above("fay", "ada", COMPANY)


def test_chain_to_the_top():
    assert chain("di", COMPANY) == ["di", "bo", "ada"]
""",
        hidden=r"""
COMPANY = {"bo": "ada", "cy": "ada", "di": "bo", "ed": "bo", "fay": "cy", "gus": "di",
           "ivy": "hal"}


def test_top_chain():
    assert chain("ada", COMPANY) == ["ada"]


def test_same_person():
    assert nearest_common("di", "di", COMPANY) == "di"


def test_top_with_anybody():
    assert nearest_common("ada", "gus", COMPANY) == "ada"
    assert nearest_common("gus", "ada", COMPANY) == "ada"


def test_two_levels_above():
    assert nearest_common("gus", "bo", COMPANY) == "bo"


def test_unrelated():
    assert nearest_common("ivy", "gus", COMPANY) is None


def test_uneven_depths():
    assert nearest_common("gus", "ed", COMPANY) == "bo"
    assert nearest_common("gus", "fay", COMPANY) == "ada"


def test_nobody_is_above_themselves():
    assert not is_above("bo", "bo", COMPANY)
    assert is_above("bo", "gus", COMPANY)
    assert not is_above("cy", "gus", COMPANY)
""",
    ),
    # ------------------------------------------------ recursion and backtracking
    Program(
        name="seating_plans_without_feuds",
        code=r'''"""Seat guests in a row so that nobody sits beside an enemy."""


def seating_plans(guests, feuds):
    """Return all allowed orders of the guests, each as a list.

    feuds is a list of pairs of guests that must not sit side by side. The
    plans come in the order in which they are found when, for each chair in
    turn, the guests are tried in the given order.
    """
    enemies = {frozenset(pair) for pair in feuds}
    plans = []
    row = []

    def fits(guest):
        if guest in row:
            return False
        return not row or frozenset((row[-1], guest)) not in enemies

    def fill():
        if len(row) == len(guests):
            plans.append(row)
            return
        for guest in guests:
            if fits(guest):
                row.append(guest)
                fill()
                row.pop()

    fill()
    return plans


def can_be_seated(guests, feuds):
    """Tell whether there is any allowed order at all."""
    return bool(seating_plans(guests, feuds))
''',
        wrong="plans.append(row)",
        right="plans.append(list(row))",
        visible=r"""
def test_number_of_plans():
    assert len(seating_plans(["a", "b", "c"], [])) == 6


def test_one_feud():
    assert seating_plans(["a", "b", "c"], [("a", "b")]) == [
        ["a", "c", "b"], ["b", "c", "a"]]


def test_impossible():
    assert seating_plans(["a", "b"], [("b", "a")]) == []


def test_can_be_seated():
    assert can_be_seated(["a", "b", "c"], [("a", "c")])
    assert not can_be_seated(["a", "b"], [("a", "b")])
""",
        hidden=r"""
def test_single_guest():
    assert seating_plans(["a"], []) == [["a"]]


def test_no_guests():
    assert seating_plans([], []) == [[]]


def test_two_guests_in_order():
    assert seating_plans(["x", "y"], []) == [["x", "y"], ["y", "x"]]


def test_plans_are_separate_lists():
    plans = seating_plans(["x", "y"], [])
    plans[0].append("z")
    assert plans[1] == ["y", "x"]


def test_all_orders_of_three():
    plans = seating_plans(["a", "b", "c"], [])
    assert ["".join(plan) for plan in plans] == ["abc", "acb", "bac", "bca", "cab", "cba"]


def test_no_plan_has_enemies_together():
    plans = seating_plans(["a", "b", "c", "d"], [("a", "b"), ("c", "d")])
    assert len(plans) == 8
    for plan in plans:
        assert sorted(plan) == ["a", "b", "c", "d"]
        for pair in zip(plan, plan[1:]):
            assert set(pair) not in ({"a", "b"}, {"c", "d"})


def test_one_against_all():
    assert not can_be_seated(["a", "b", "c"], [("a", "b"), ("a", "c")])
""",
    ),
    Program(
        name="gift_voucher_selections",
        code=r'''"""Choose gifts that use up a voucher exactly."""


def selections(prices, amount):
    """Return all choices of gifts whose prices total exactly the amount.

    prices has one entry per gift, and each gift is there only once. A choice
    is a tuple of prices in the order of the list. Raises ValueError if a
    price is not positive.
    """
    if any(price <= 0 for price in prices):
        raise ValueError("prices must be positive")
    found = []
    _extend(prices, 0, amount, (), found)
    return found


def _extend(prices, start, left, chosen, found):
    if left == 0:
        found.append(chosen)
        return
    for index in range(start, len(prices)):
        price = prices[index]
        if price <= left:
            _extend(prices, index, left - price, chosen + (price,), found)


def fewest(prices, amount):
    """Return the first of the choices with the fewest gifts, or None."""
    return min(selections(prices, amount), key=len, default=None)
''',
        wrong="_extend(prices, index, left",
        right="_extend(prices, index + 1, left",
        visible=r"""
def test_one_choice():
    assert selections([4, 7, 9], 11) == [(4, 7)]


def test_none():
    assert selections([5, 7], 4) == []


def test_each_gift_only_once():
    assert selections([5, 2, 3], 5) == [(5,), (2, 3)]
    assert selections([5], 10) == []


def test_fewest():
    assert fewest([10, 20, 30], 30) == (30,)


def test_bad_price():
    with pytest.raises(ValueError):
        selections([3, 0], 3)
""",
        hidden=r"""
def test_not_twice():
    assert selections([2, 4], 4) == [(4,)]


def test_two_gifts_of_one_price():
    assert selections([3, 3], 6) == [(3, 3)]
    assert selections([3, 3], 3) == [(3,), (3,)]
    assert selections([3, 3], 9) == []


def test_everything():
    assert selections([1, 2, 3, 4], 10) == [(1, 2, 3, 4)]


def test_several_in_order():
    assert selections([1, 2, 3, 4], 5) == [(1, 4), (2, 3)]


def test_keeps_the_order_of_the_list():
    assert selections([4, 1, 3, 2], 5) == [(4, 1), (3, 2)]


def test_nothing_to_spend():
    assert selections([1, 2], 0) == [()]


def test_fewest_none():
    assert fewest([4], 8) is None


def test_fewest_takes_first_of_equals():
    assert fewest([1, 2, 3, 4], 5) == (1, 4)
""",
    ),
    Program(
        name="bracket_words",
        code=r'''"""Words of balanced brackets."""


def bracket_words(pairs):
    """Return all balanced words of that many pairs, "(" sorting before ")".

    A word is balanced if every closing bracket has its own opening one
    somewhere to the left of it.
    """
    words = []

    def grow(word, opened, closed):
        if len(word) == 2 * pairs:
            words.append(word)
            return
        if opened < pairs:
            grow(word + "(", opened + 1, closed)
        if closed < pairs:
            grow(word + ")", opened, closed + 1)

    grow("", 0, 0)
    return words


def depth(word):
    """Return how many brackets are open at the deepest place of the word."""
    level = deepest = 0
    for bracket in word:
        level += 1 if bracket == "(" else -1
        deepest = max(deepest, level)
    return deepest


def words_of_depth(pairs, limit):
    """Return the balanced words of that many pairs of at most that depth."""
    return [word for word in bracket_words(pairs) if depth(word) <= limit]
''',
        wrong="if closed < pairs:",
        right="if closed < opened:",
        visible=r"""
def test_none():
    assert bracket_words(0) == [""]


def test_two_pairs():
    assert bracket_words(2) == ["(())", "()()"]


def test_depth():
    assert depth("(()(()))") == 3
    assert depth("") == 0


def test_flat_words():
    assert words_of_depth(3, 1) == ["()()()"]
""",
        hidden=r"""
def test_one_pair():
    assert bracket_words(1) == ["()"]


def test_three_pairs():
    assert bracket_words(3) == ["((()))", "(()())", "(())()", "()(())", "()()()"]


def test_catalan_numbers():
    assert [len(bracket_words(n)) for n in range(7)] == [1, 1, 2, 5, 14, 42, 132]


def test_all_start_open_and_end_closed():
    for word in bracket_words(5):
        assert word[0] == "(" and word[-1] == ")"


def test_sorted_and_distinct():
    words = bracket_words(5)
    assert words == sorted(set(words))


def test_never_below_zero():
    for word in bracket_words(4):
        for end in range(len(word) + 1):
            assert word[:end].count("(") >= word[:end].count(")")


def test_depth_limit():
    assert words_of_depth(3, 2) == ["(()())", "(())()", "()(())", "()()()"]
    assert words_of_depth(2, 0) == []
""",
    ),
    Program(
        name="layered_settings_merge",
        code=r'''"""Put layers of nested settings on top of each other."""


def merge(base, override):
    """Return base with everything in override laid over it.

    Where both have a dictionary under a key, the two are merged in the same
    way; otherwise the value of override wins. Neither argument is changed.
    """
    merged = dict(base)
    for key, value in override.items():
        if isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = merge(value, merged[key])
        else:
            merged[key] = value
    return merged


def merge_layers(*layers):
    """Merge any number of layers; the later ones win."""
    result = {}
    for layer in layers:
        result = merge(result, layer)
    return result


def lookup(settings, path, default=None):
    """Return the value at a dotted path such as "window.size.width"."""
    for part in path.split("."):
        if not isinstance(settings, dict) or part not in settings:
            return default
        settings = settings[part]
    return settings
''',
        wrong="merge(value, merged[key])",
        right="merge(merged[key], value)",
        visible=r"""
def test_flat():
    assert merge({"a": 1, "b": 2}, {"b": 3}) == {"a": 1, "b": 3}


def test_nested_keys_are_joined():
    assert merge({"w": {"x": 1}}, {"w": {"y": 2}}) == {"w": {"x": 1, "y": 2}}


def test_nested_override_wins():
    assert merge({"w": {"x": 1, "y": 1}}, {"w": {"y": 2}}) == {"w": {"x": 1, "y": 2}}


def test_layers():
    assert merge_layers({"a": 1}, {"a": 2}, {"a": 3}) == {"a": 3}


def test_lookup():
    assert lookup({"w": {"x": 1}}, "w.x") == 1
    assert lookup({"w": {"x": 1}}, "w.z", 7) == 7
""",
        hidden=r"""
def test_two_levels_down():
    base = {"a": {"b": {"c": 1, "d": 2}}}
    assert merge(base, {"a": {"b": {"c": 5}}}) == {"a": {"b": {"c": 5, "d": 2}}}


def test_three_levels_down():
    base = {"a": {"b": {"c": {"d": 1}}}}
    assert merge(base, {"a": {"b": {"c": {"d": 9}}}}) == {"a": {"b": {"c": {"d": 9}}}}


def test_value_replaces_dictionary():
    assert merge({"a": {"b": 1}}, {"a": 4}) == {"a": 4}


def test_dictionary_replaces_value():
    assert merge({"a": 4}, {"a": {"b": 1}}) == {"a": {"b": 1}}


def test_arguments_are_unchanged():
    base, override = {"a": {"b": 1}}, {"a": {"b": 2, "c": 3}}
    merge(base, override)
    assert base == {"a": {"b": 1}} and override == {"a": {"b": 2, "c": 3}}


def test_nested_layers():
    layers = [{"a": {"x": n, str(n): n}} for n in range(3)]
    assert merge_layers(*layers) == {"a": {"x": 2, "0": 0, "1": 1, "2": 2}}


def test_empty():
    assert merge({}, {"a": {"b": 1}}) == {"a": {"b": 1}}
    assert merge({"a": {"b": 1}}, {}) == {"a": {"b": 1}}
    assert merge_layers() == {}


def test_lookup_through_value():
    assert lookup({"a": 1}, "a.b") is None
    assert lookup({"a": {"b": {"c": 3}}}, "a.b.c") == 3
""",
    ),
    # ---------------------------------------------- strings and text formatting
    Program(
        name="text_table",
        code=r'''"""Format rows as a table of plain text."""


def is_number(cell):
    """Tell whether a cell holds a number (and not a truth value)."""
    return isinstance(cell, (int, float)) and not isinstance(cell, bool)


def column_widths(header, rows):
    """Return the width of the widest text of every column."""
    widths = []
    for index in range(len(header)):
        texts = [str(row[index]) for row in rows]
        widths.append(max((len(text) for text in texts), default=0))
    return widths


def format_row(row, widths):
    """Return a line; numbers are set to the right, all else to the left."""
    cells = []
    for cell, width in zip(row, widths):
        text = str(cell)
        cells.append(text.rjust(width) if is_number(cell) else text.ljust(width))
    return " | ".join(cells).rstrip()


def format_table(header, rows):
    """Return the lines of a table: header, a rule of dashes, and the rows."""
    widths = column_widths(header, rows)
    rule = "-+-".join("-" * width for width in widths)
    return [format_row(header, widths), rule] + [format_row(row, widths) for row in rows]
''',
        wrong="texts = [str(row[index]) for row in rows]",
        right="texts = [header[index]] + [str(row[index]) for row in rows]",
        visible=r"""
def test_widths_from_rows():
    assert column_widths(["a", "b"], [["pear", 12], ["fig", 7]]) == [4, 2]


def test_numbers_to_the_right():
    assert format_row(["fig", 7], [5, 3]) == "fig   |   7"


def test_table():
    assert format_table(["fruit", "n"], [["fig", 12], ["pear", 7]]) == [
        "fruit | n",
        "------+---",
        "fig   | 12",
        "pear  |  7",
    ]


def test_truth_values_are_no_numbers():
    assert not is_number(True)
    assert is_number(2.5)
""",
        hidden=r"""
def test_header_only():
    assert format_table(["name", "age"], []) == ["name | age", "-----+----"]


def test_widths_from_header():
    assert column_widths(["quantity", "x"], [[1, 2]]) == [8, 1]


def test_mixed_widths():
    assert column_widths(["id", "title"], [[1000, "a"], [2, "bcd"]]) == [4, 5]


def test_wide_rows():
    assert format_table(["a", "b"], [["xyz", 100]]) == ["a   | b", "----+----", "xyz | 100"]


def test_long_last_header():
    assert format_table(["a", "total"], [["x", 3]]) == [
        "a | total", "--+------", "x |     3"]


def test_no_trailing_blanks():
    for line in format_table(["a", "comment"], [["x", "ok"], ["y", ""]]):
        assert line == line.rstrip()


def test_truth_values_to_the_left():
    assert format_row([True, 1], [6, 2]) == "True   |  1"


def test_all_rules_as_long_as_header():
    lines = format_table(["first", "second"], [[1, 2.5]])
    assert len(lines[1]) == len("first | second")
""",
    ),
    Program(
        name="boxed_paragraph",
        code=r'''"""Break a paragraph into lines and put a box around it."""


def wrap(text, width):
    """Return lines of at most width characters, filled one after another.

    Each line takes as many words as there is room for, with one blank between
    them. A word that is longer than the width has a line of its own.
    """
    lines = []
    line = ""
    for word in text.split():
        if not line:
            line = word
        elif len(line) + 1 + len(word) < width:
            line += " " + word
        else:
            lines.append(line)
            line = word
    if line:
        lines.append(line)
    return lines


def boxed(text, width):
    """Return the wrapped text inside a box just wide enough for it."""
    lines = wrap(text, width)
    inner = max((len(line) for line in lines), default=0)
    edge = "+" + "-" * (inner + 2) + "+"
    return [edge] + ["| " + line.ljust(inner) + " |" for line in lines] + [edge]
''',
        wrong="len(word) < width",
        right="len(word) <= width",
        visible=r"""
def test_short_text():
    assert wrap("one two", 20) == ["one two"]


def test_breaks():
    assert wrap("the quick brown fox", 9) == ["the quick", "brown fox"]


def test_long_word():
    assert wrap("a extraordinary b", 5) == ["a", "extraordinary", "b"]


def test_empty():
    assert wrap("   ", 5) == []


def test_box():
    assert boxed("one two", 5) == ["+-----+", "| one |", "| two |", "+-----+"]
""",
        hidden=r"""
def test_exact_fit():
    assert wrap("ab cd", 5) == ["ab cd"]


def test_one_too_many():
    assert wrap("ab cde", 5) == ["ab", "cde"]


def test_exact_fit_in_later_line():
    assert wrap("abcdef ab cd ef", 8) == ["abcdef", "ab cd ef"]


def test_single_letters():
    assert wrap("a b c d e f", 3) == ["a b", "c d", "e f"]


def test_blanks_collapse():
    assert wrap("  a \n  b\tc ", 10) == ["a b c"]


def test_word_as_wide_as_line():
    assert wrap("abcde fg", 5) == ["abcde", "fg"]


def test_box_of_two_words():
    assert boxed("ab cd e", 5) == ["+-------+", "| ab cd |", "| e     |", "+-------+"]


def test_box_of_nothing():
    assert boxed("", 5) == ["+--+", "+--+"]
""",
    ),
    Program(
        name="headline_capitals",
        code=r'''"""Set headlines with capitals."""

SMALL_WORDS = {"a", "an", "and", "at", "by", "for", "in", "of", "on", "or", "the", "to"}


def capitalised(word):
    """Return the word with a capital first letter and the rest small.

    Both parts of words with a hyphen begin with a capital.
    """
    return "-".join(part[:1].upper() + part[1:].lower() for part in word.split("-"))


def headline(text):
    """Return the text as a headline.

    Every word begins with a capital, except for the small words, which are
    written small in whatever way they were given; but the first and the last
    word always begin with a capital. Words are separated by one blank.
    """
    words = text.split()
    last = len(words) - 1
    result = []
    for position, word in enumerate(words):
        if word in SMALL_WORDS and position not in (0, last):
            result.append(word.lower())
        else:
            result.append(capitalised(word))
    return " ".join(result)
''',
        wrong="if word in SMALL_WORDS",
        right="if word.lower() in SMALL_WORDS",
        visible=r"""
def test_plain():
    assert headline("gone with wind") == "Gone With Wind"


def test_small_words_stay_small():
    assert headline("lord of the rings") == "Lord of the Rings"


def test_shouting():
    assert headline("LORD OF THE RINGS") == "Lord of the Rings"


def test_first_word():
    assert headline("the hobbit") == "The Hobbit"


def test_hyphen():
    assert headline("catch-up at noon") == "Catch-Up at Noon"
""",
        hidden=r"""
def test_mixed_case_small_words():
    assert headline("War And Peace") == "War and Peace"
    assert headline("A Day At The Races") == "A Day at the Races"


def test_last_word():
    assert headline("what dreams are made of") == "What Dreams Are Made Of"
    assert headline("COME ON IN") == "Come on In"


def test_single_small_word():
    assert headline("THE") == "The"
    assert headline("the") == "The"


def test_blanks():
    assert headline("  tea   FOR  two ") == "Tea for Two"


def test_empty():
    assert headline("") == ""


def test_words_containing_small_words():
    assert headline("another island theory") == "Another Island Theory"


def test_capitalised():
    assert capitalised("mIXED-cASE") == "Mixed-Case"
    assert capitalised("x") == "X"
""",
    ),
    Program(
        name="page_slugs",
        code=r'''"""Make the last parts of web addresses from page titles."""

import re
import unicodedata


def plain(text):
    """Return the text in small letters and without accents."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).lower()


def slug(title):
    """Return the title with small letters and digits only.

    Whatever stands between them becomes one hyphen; there is none at the
    beginning or the end. A title of which nothing is left gives "page".
    """
    words = re.sub(r"[^a-z0-9]", "-", plain(title)).strip("-")
    return words or "page"


def unique_slugs(titles):
    """Return one slug per title; repeated ones are numbered from 2."""
    seen = {}
    slugs = []
    for title in titles:
        base = slug(title)
        seen[base] = seen.get(base, 0) + 1
        slugs.append(base if seen[base] == 1 else f"{base}-{seen[base]}")
    return slugs
''',
        wrong='r"[^a-z0-9]"',
        right='r"[^a-z0-9]+"',
        visible=r"""
def test_simple():
    assert slug("Hello World") == "hello-world"


def test_punctuation():
    assert slug("Salt & Pepper, please!") == "salt-pepper-please"


def test_accents():
    assert slug("Café Noël") == "cafe-noel"


def test_nothing_left():
    assert slug("?!") == "page"


def test_unique():
    assert unique_slugs(["News", "news", "Shop"]) == ["news", "news-2", "shop"]
""",
        hidden=r"""
def test_many_blanks():
    assert slug("a    b") == "a-b"


def test_dash_between_blanks():
    assert slug("Part 1 - The Start") == "part-1-the-start"


def test_ends_are_clean():
    assert slug("  (Draft)  ") == "draft"
    assert slug("...wait...") == "wait"


def test_empty():
    assert slug("") == "page"


def test_existing_hyphens():
    assert slug("well--known") == "well-known"


def test_unique_after_cleaning():
    assert unique_slugs(["A, B", "a b", "A -- B"]) == ["a-b", "a-b-2", "a-b-3"]


def test_digits():
    assert slug("Top 10 (2024)") == "top-10-2024"


def test_already_a_slug():
    assert slug("one-two-3") == "one-two-3"
""",
    ),
    # ---------------------------------------------- arithmetic and number theory
    Program(
        name="egyptian_fractions",
        code=r'''"""Write fractions in the manner of the old Egyptians."""

import math
from fractions import Fraction


def unit_denominators(numerator, denominator):
    """Return denominators of different unit fractions which add up to n/d.

    At every step the largest unit fraction that is not larger than what is
    left is taken. Raises ValueError unless the fraction is between 0 and 1,
    both excluded.
    """
    left = Fraction(numerator, denominator)
    if not 0 < left < 1:
        raise ValueError("not a proper fraction")
    denominators = []
    while left > 0:
        unit = math.floor(1 / left)
        denominators.append(unit)
        left -= Fraction(1, unit)
    return denominators


def written(numerator, denominator):
    """Return the sum of unit fractions as text, such as "1/2 + 1/6"."""
    return " + ".join(f"1/{unit}" for unit in unit_denominators(numerator, denominator))
''',
        wrong="math.floor(1 / left)",
        right="math.ceil(1 / left)",
        visible=r"""
def test_unit_fraction():
    assert unit_denominators(1, 7) == [7]


def test_two_thirds():
    assert unit_denominators(2, 3) == [2, 6]


def test_reducible():
    assert unit_denominators(3, 9) == [3]


def test_written():
    assert written(3, 4) == "1/2 + 1/4"


def test_too_large():
    with pytest.raises(ValueError):
        unit_denominators(5, 4)
""",
        hidden=r"""
def test_four_thirteenths():
    assert unit_denominators(4, 13) == [4, 18, 468]


def test_adds_up():
    for d in range(2, 12):
        for n in range(1, d):
            assert sum(Fraction(1, u) for u in unit_denominators(n, d)) == Fraction(n, d)


def test_different_and_growing():
    for n, d in [(5, 6), (7, 8), (9, 10), (6, 7)]:
        units = unit_denominators(n, d)
        assert units == sorted(set(units))


def test_bounds_are_excluded():
    for n, d in [(0, 3), (3, 3), (-1, 2)]:
        with pytest.raises(ValueError):
            unit_denominators(n, d)


def test_written_single():
    assert written(1, 12) == "1/12"
    assert written(4, 8) == "1/2"


def test_six_sevenths():
    assert written(6, 7) == "1/2 + 1/3 + 1/42"
""",
    ),
    Program(
        name="number_bases",
        code=r'''"""Write whole numbers in other bases and read them again."""

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def _check(base):
    if not 2 <= base <= len(DIGITS):
        raise ValueError(f"no such base: {base}")


def to_base(number, base):
    """Return the number written in the base, with "-" before negative ones."""
    _check(base)
    sign = "-" if number < 0 else ""
    number = abs(number)
    digits = []
    while number:
        number, digit = divmod(number, base)
        digits.append(DIGITS[digit])
    return sign + "".join(reversed(digits))


def from_base(text, base):
    """Return the number that the text stands for; small or capital letters.

    Raises ValueError if there is no digit, or one the base does not have.
    """
    _check(base)
    sign = -1 if text.startswith("-") else 1
    body = text.removeprefix("-").lower()
    if not body:
        raise ValueError("no digits")
    value = 0
    for char in body:
        digit = DIGITS.find(char)
        if not 0 <= digit < base:
            raise ValueError(f"no digit of base {base}: {char}")
        value = value * base + digit
    return sign * value
''',
        wrong="    number = abs(number)\n",
        right="    number = abs(number)\n    if number == 0:\n        return DIGITS[0]\n",
        visible=r"""
def test_binary():
    assert to_base(10, 2) == "1010"


def test_negative_hexadecimal():
    assert to_base(-255, 16) == "-ff"


def test_round_trip():
    for number in range(-3, 4):
        assert from_base(to_base(number, 3), 3) == number


def test_from_capitals():
    assert from_base("FF", 16) == 255


def test_bad_base():
    with pytest.raises(ValueError):
        to_base(5, 1)
""",
        hidden=r"""
def test_zero():
    assert to_base(0, 2) == "0"
    assert to_base(0, 36) == "0"


def test_single_digits():
    assert [to_base(n, 5) for n in range(7)] == ["0", "1", "2", "3", "4", "10", "11"]


def test_round_trip_many():
    for base in (2, 7, 10, 36):
        for number in (0, 1, -1, 35, 36, 37, -1000, 123456):
            assert from_base(to_base(number, base), base) == number


def test_decimal_is_str():
    for number in range(-12, 13):
        assert to_base(number, 10) == str(number)


def test_bad_digits():
    for text in ["2", "12", "1.0", "1-1"]:
        with pytest.raises(ValueError):
            from_base(text, 2)


def test_no_digits():
    for text in ["", "-"]:
        with pytest.raises(ValueError):
            from_base(text, 10)


def test_zero_with_bad_base():
    with pytest.raises(ValueError):
        to_base(0, 37)


def test_leading_zeros():
    assert from_base("-007", 8) == -7
""",
    ),
    Program(
        name="prime_factor_counts",
        code=r'''"""Prime factors of whole numbers and what follows from them."""


def factorise(number):
    """Return a dictionary of the prime factors and how often each occurs.

    Raises ValueError for numbers below 1.
    """
    if number < 1:
        raise ValueError("only positive numbers have a factorisation")
    factors = {}
    candidate = 2
    while candidate * candidate <= number:
        if number % candidate == 0:
            factors[candidate] = factors.get(candidate, 0) + 1
            number //= candidate
        candidate += 1
    if number > 1:
        factors[number] = factors.get(number, 0) + 1
    return factors


def divisor_count(number):
    """Return how many numbers divide the number."""
    count = 1
    for power in factorise(number).values():
        count *= power + 1
    return count


def is_square_free(number):
    """Tell whether no prime occurs twice in the number."""
    return all(power == 1 for power in factorise(number).values())


def radical(number):
    """Return the product of the different primes of the number."""
    product = 1
    for prime in factorise(number):
        product *= prime
    return product
''',
        wrong="        if number % candidate == 0:",
        right="        while number % candidate == 0:",
        visible=r"""
def test_different_primes():
    assert factorise(30) == {2: 1, 3: 1, 5: 1}


def test_prime():
    assert factorise(13) == {13: 1}


def test_powers():
    assert factorise(360) == {2: 3, 3: 2, 5: 1}


def test_square_free():
    assert is_square_free(42)
    assert not is_square_free(49)


def test_divisor_count():
    assert divisor_count(6) == 4
    assert divisor_count(8) == 4
""",
        hidden=r"""
def test_powers_of_two():
    for power in range(1, 10):
        assert factorise(2 ** power) == {2: power}


def test_one():
    assert factorise(1) == {}
    assert divisor_count(1) == 1
    assert radical(1) == 1


def test_squares_of_primes():
    for prime in (2, 3, 5, 7, 11):
        assert factorise(prime ** 2) == {prime: 2}


def test_product_gives_number_back():
    for number in range(1, 200):
        product = 1
        for prime, power in factorise(number).items():
            product *= prime ** power
        assert product == number


def test_divisor_counts_by_trial():
    for number in range(1, 100):
        assert divisor_count(number) == sum(number % d == 0 for d in range(1, number + 1))


def test_square_free_numbers():
    assert [n for n in range(1, 21) if not is_square_free(n)] == [4, 8, 9, 12, 16, 18, 20]


def test_radical():
    assert radical(72) == 6
    assert radical(81) == 3
    assert radical(30) == 30


def test_below_one():
    with pytest.raises(ValueError):
        factorise(0)
""",
    ),
    Program(
        name="marching_remainders",
        code=r'''"""Find a number from its remainders.

A general counts the soldiers by letting them stand in rows of several
lengths, and looking only at how many are left over each time.
"""

from math import gcd


def solve(counts):
    """Return the smallest number (0 or more) with all the remainders.

    counts is a list of pairs (remainder, length of a row). Raises ValueError
    if two of the lengths have a common divisor other than 1.
    """
    answer = 0
    step = 1
    for remainder, length in counts:
        if gcd(step, length) != 1:
            raise ValueError("the lengths must have no common divisor")
        while answer % length != remainder % length:
            answer += step
        step = length
    return answer


def solve_above(counts, least):
    """Return the smallest number with the remainders that is at least least."""
    answer = solve(counts)
    period = 1
    for _, length in counts:
        period *= length
    if answer < least:
        missing = least - answer
        answer += -(-missing // period) * period
    return answer
''',
        wrong="        step = length\n",
        right="        step *= length\n",
        visible=r"""
def test_one_row():
    assert solve([(3, 5)]) == 3


def test_two_rows():
    assert solve([(2, 3), (3, 5)]) == 8


def test_three_rows():
    assert solve([(1, 3), (2, 5), (3, 7)]) == 52


def test_common_divisor():
    with pytest.raises(ValueError):
        solve([(1, 4), (3, 6)])


def test_above():
    assert solve_above([(2, 3), (3, 5)], 20) == 23
""",
        hidden=r"""
def test_all_numbers_come_back():
    for number in range(0, 105):
        assert solve([(number % 3, 3), (number % 5, 5), (number % 7, 7)]) == number


def test_order_does_not_matter():
    assert solve([(2, 7), (2, 3), (3, 5)]) == 23
    assert solve([(3, 5), (2, 7), (2, 3)]) == 23


def test_nothing_known():
    assert solve([]) == 0


def test_common_divisor_of_first_and_last():
    with pytest.raises(ValueError):
        solve([(1, 2), (1, 3), (3, 4)])


def test_four_rows():
    assert solve([(1, 2), (2, 3), (4, 5), (6, 7)]) == 209


def test_remainder_larger_than_length():
    assert solve([(8, 3), (9, 4)]) == 5


def test_above_exact():
    assert solve_above([(2, 3), (3, 5), (2, 7)], 23) == 23
    assert solve_above([(2, 3), (3, 5), (2, 7)], 24) == 128


def test_above_zero():
    assert solve_above([(1, 2)], 0) == 1
""",
    ),
    # --------------------------------------------------------- graphs and grids
    Program(
        name="garden_ponds",
        code=r'''"""Find ponds on a map of a garden.

The map is a list of lines of equal length in which "~" is water.
"""


def neighbours(garden, row, column):
    """Return the places above, below, left and right that are on the map."""
    places = []
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        y, x = row + down, column + right
        if 0 <= y < len(garden) and 0 <= x < len(garden):
            places.append((y, x))
    return places


def pond_sizes(garden):
    """Return the sizes of all ponds, the largest first.

    Places of water belong to one pond if they touch at a side.
    """
    seen = set()
    sizes = []
    for row, line in enumerate(garden):
        for column, ground in enumerate(line):
            if ground != "~" or (row, column) in seen:
                continue
            seen.add((row, column))
            stack = [(row, column)]
            size = 0
            while stack:
                place = stack.pop()
                size += 1
                for y, x in neighbours(garden, *place):
                    if garden[y][x] == "~" and (y, x) not in seen:
                        seen.add((y, x))
                        stack.append((y, x))
            sizes.append(size)
    return sorted(sizes, reverse=True)
''',
        wrong="0 <= x < len(garden):",
        right="0 <= x < len(garden[y]):",
        visible=r"""
def test_no_water():
    assert pond_sizes(["...", "...", "..."]) == []


def test_square_garden():
    assert pond_sizes(["~~.", "..~", "~.~"]) == [2, 2, 1]


def test_wide_garden():
    assert pond_sizes(["..~~~~", "......"]) == [4]


def test_corners_do_not_touch():
    assert pond_sizes(["~.", ".~"]) == [1, 1]


def test_neighbours_in_corner():
    assert sorted(neighbours(["..", ".."], 0, 0)) == [(0, 1), (1, 0)]
""",
        hidden=r"""
def test_tall_garden():
    assert pond_sizes(["~", "~", ".", "~"]) == [2, 1]


def test_single_line():
    assert pond_sizes(["~~~.~"]) == [3, 1]


def test_empty():
    assert pond_sizes([]) == []


def test_ring():
    assert pond_sizes(["~~~", "~.~", "~~~"]) == [8]


def test_neighbours_wide():
    garden = ["....", "...."]
    assert sorted(neighbours(garden, 0, 2)) == [(0, 1), (0, 3), (1, 2)]
    assert sorted(neighbours(garden, 1, 3)) == [(0, 3), (1, 2)]


def test_neighbours_tall():
    garden = ["..", "..", ".."]
    assert sorted(neighbours(garden, 1, 1)) == [(0, 1), (1, 0), (2, 1)]


def test_all_water():
    assert pond_sizes(["~~~~~~", "~~~~~~"]) == [12]


def test_winding():
    assert pond_sizes(["~.~~~", "~.~.~", "~~~.~"]) == [11]
""",
    ),
    Program(
        name="cheapest_toll_route",
        code=r'''"""Find the cheapest way over toll roads."""

import heapq


def road_map(roads):
    """Return the neighbours of every town with the tolls.

    roads is a list of (town, town, toll); roads lead both ways.
    """
    towns = {}
    for one, other, toll in roads:
        towns.setdefault(one, []).append((other, toll))
        towns.setdefault(other, []).append((one, toll))
    return towns


def cheapest(roads, start, goal):
    """Return the total toll and the list of towns of the cheapest route.

    Returns None if there is no route.
    """
    towns = road_map(roads)
    done = set()
    waiting = [(0, start, [start])]
    while waiting:
        cost, town, route = heapq.heappop(waiting)
        if town == goal:
            return cost, route
        if town in done:
            continue
        done.add(town)
        for neighbour, toll in towns.get(town, []):
            if neighbour not in done:
                heapq.heappush(waiting, (toll, neighbour, route + [neighbour]))
    return None
''',
        wrong="(toll, neighbour, route",
        right="(cost + toll, neighbour, route",
        visible=r"""
ROADS = [("a", "b", 4), ("b", "c", 3), ("a", "c", 9), ("d", "e", 1)]


def test_direct():
    assert cheapest(ROADS, "a", "b") == (4, ["a", "b"])


def test_detour_is_cheaper():
    assert cheapest(ROADS, "a", "c") == (7, ["a", "b", "c"])


def test_no_route():
    assert cheapest(ROADS, "a", "e") is None


def test_at_home():
    assert cheapest(ROADS, "c", "c") == (0, ["c"])


def test_map_leads_both_ways():
    assert road_map([("x", "y", 2)]) == {"x": [("y", 2)], "y": [("x", 2)]}
""",
        hidden=r"""
def test_direct_is_cheaper():
    roads = [("a", "b", 3), ("b", "c", 3), ("a", "c", 5)]
    assert cheapest(roads, "a", "c") == (5, ["a", "c"])


def test_long_chain():
    roads = [(n, n + 1, 2) for n in range(6)]
    assert cheapest(roads, 0, 6) == (12, [0, 1, 2, 3, 4, 5, 6])


def test_backwards():
    roads = [("a", "b", 3), ("b", "c", 1)]
    assert cheapest(roads, "c", "a") == (4, ["c", "b", "a"])


def test_many_small_tolls_against_one_big():
    roads = [("s", "p", 2), ("p", "q", 2), ("q", "r", 2), ("r", "g", 2), ("s", "g", 7)]
    assert cheapest(roads, "s", "g") == (7, ["s", "g"])


def test_parallel_roads():
    assert cheapest([("a", "b", 5), ("a", "b", 2)], "a", "b") == (2, ["a", "b"])


def test_free_road():
    assert cheapest([("a", "b", 0), ("b", "c", 6)], "a", "c") == (6, ["a", "b", "c"])


def test_unknown_town():
    assert cheapest([("a", "b", 1)], "z", "a") is None


def test_diamond():
    roads = [("a", "b", 1), ("a", "c", 2), ("b", "d", 5), ("c", "d", 3)]
    assert cheapest(roads, "a", "d") == (5, ["a", "c", "d"])
""",
    ),
    Program(
        name="recipe_step_order",
        code=r'''"""Bring the steps of a recipe into an order in which they can be done."""

import heapq


def all_steps(needs):
    """Return the set of all steps, also of those that are only needed."""
    steps = set(needs)
    for required in needs.values():
        steps.update(required)
    return steps


def step_order(needs):
    """Return all steps so that each comes after those that it needs.

    needs names, for a step, the steps that must be done before. Among the
    steps that could be next, the alphabetically first is taken. Raises
    ValueError if steps need each other in a circle.
    """
    steps = all_steps(needs)
    missing = {step: set(needs.get(step, ())) for step in steps}
    ready = [step for step in steps if not missing[step]]
    heapq.heapify(ready)
    order = []
    while ready:
        done = heapq.heappop(ready)
        order.append(done)
        for step in steps:
            if done in missing[step]:
                missing[step].remove(done)
                if not missing[step]:
                    heapq.heappush(ready, step)
    return order
''',
        wrong="                    heapq.heappush(ready, step)\n    return order\n",
        right='                    heapq.heappush(ready, step)\n    if len(order) < len(steps):\n        raise ValueError("steps need each other")\n    return order\n',
        visible=r"""
def test_chain():
    assert step_order({"bake": ["mix"], "mix": ["weigh"]}) == ["weigh", "mix", "bake"]


def test_alphabetical_when_free():
    assert step_order({"c": [], "a": [], "b": []}) == ["a", "b", "c"]


def test_two_needs():
    assert step_order({"serve": ["bake", "lay"]}) == ["bake", "lay", "serve"]


def test_circle():
    with pytest.raises(ValueError):
        step_order({"a": ["b"], "b": ["a"]})


def test_all_steps():
    assert all_steps({"a": ["b"]}) == {"a", "b"}
""",
        hidden=r"""
def test_empty():
    assert step_order({}) == []


def test_needs_itself():
    with pytest.raises(ValueError):
        step_order({"a": ["a"]})


def test_circle_beside_good_steps():
    with pytest.raises(ValueError):
        step_order({"a": [], "b": ["a"], "x": ["y"], "y": ["z"], "z": ["x"]})


def test_step_behind_a_circle():
    with pytest.raises(ValueError):
        step_order({"a": ["b"], "b": ["a"], "c": ["a"]})


def test_diamond():
    needs = {"d": ["b", "c"], "b": ["a"], "c": ["a"]}
    assert step_order(needs) == ["a", "b", "c", "d"]


def test_freed_step_goes_before_later_letters():
    assert step_order({"b": ["a"], "z": [], "a": []}) == ["a", "b", "z"]


def test_alphabet_against_needs():
    assert step_order({"a": ["z"], "b": []}) == ["b", "z", "a"]


def test_repeated_need():
    assert step_order({"a": ["b", "b"]}) == ["b", "a"]


def test_argument_is_not_changed():
    needs = {"a": ["b"], "b": []}
    step_order(needs)
    assert needs == {"a": ["b"], "b": []}
""",
    ),
    Program(
        name="rivals_into_two_teams",
        code=r'''"""Split players into two teams without rivals in one team."""

from collections import deque


def rivalry(pairs):
    """Return for every player the set of the rivals."""
    rivals = {}
    for one, other in pairs:
        rivals.setdefault(one, set()).add(other)
        rivals.setdefault(other, set()).add(one)
    return rivals


def teams(pairs):
    """Return a dictionary of the team, 0 or 1, of all players in the pairs.

    Rivals are always in different teams. Of players who are connected through
    rivals, the alphabetically first is in team 0. Returns None if it cannot
    be done.
    """
    rivals = rivalry(pairs)
    team = {}
    for first in sorted(rivals):
        if first in team:
            continue
        team[first] = 0
        queue = deque([first])
        while queue:
            player = queue.popleft()
            for rival in rivals[player]:
                if rival not in team:
                    team[rival] = 1 - team[player]
                    queue.append(rival)
                elif team[rival] == team[player]:
                    return None
        return team
''',
        wrong="                    return None\n        return team\n",
        right="                    return None\n    return team\n",
        visible=r"""
def test_one_pair():
    assert teams([("bob", "ann")]) == {"ann": 0, "bob": 1}


def test_chain():
    assert teams([("a", "b"), ("b", "c")]) == {"a": 0, "b": 1, "c": 0}


def test_triangle():
    assert teams([("a", "b"), ("b", "c"), ("c", "a")]) is None


def test_two_groups():
    assert teams([("a", "b"), ("x", "y")]) == {"a": 0, "b": 1, "x": 0, "y": 1}


def test_nobody():
    assert teams([]) == {}
""",
        hidden=r"""
def test_triangle_in_the_second_group():
    assert teams([("a", "b"), ("x", "y"), ("y", "z"), ("z", "x")]) is None


def test_three_groups():
    assert teams([("f", "e"), ("d", "c"), ("b", "a")]) == {
        "a": 0, "b": 1, "c": 0, "d": 1, "e": 0, "f": 1}


def test_square():
    assert teams([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]) == {
        "a": 0, "b": 1, "c": 0, "d": 1}


def test_ring_of_five():
    assert teams([("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "a")]) is None


def test_own_rival():
    assert teams([("a", "a")]) is None


def test_star():
    assert teams([("m", "a"), ("m", "b"), ("m", "z")]) == {"a": 0, "m": 1, "b": 0, "z": 0}


def test_repeated_pairs():
    assert teams([("a", "b"), ("b", "a"), ("a", "b")]) == {"a": 0, "b": 1}


def test_everybody_has_a_team():
    pairs = [(n, n + 1) for n in range(0, 20, 2)]
    assert sorted(teams(pairs)) == list(range(20))
""",
    ),
    # ------------------------------------------------------- classes with state
    Program(
        name="undoable_note",
        code=r'''"""A note whose changes can be undone."""


class Note:
    """Text with a history in both directions."""

    def __init__(self, text=""):
        self._text = text
        self._past = []
        self._future = []

    @property
    def text(self):
        """The text as it is now."""
        return self._text

    def write(self, text):
        """Replace the text.

        After this there is nothing to redo, even if changes were undone.
        """
        self._past.append(self._text)
        self._text = text

    def undo(self):
        """Go back by one change; return whether there was any."""
        if not self._past:
            return False
        self._future.append(self._text)
        self._text = self._past.pop()
        return True

    def redo(self):
        """Make the last undone change again; return whether there was any."""
        if not self._future:
            return False
        self._past.append(self._text)
        self._text = self._future.pop()
        return True
''',
        wrong="        self._text = text\n\n    def undo",
        right="        self._text = text\n        self._future.clear()\n\n    def undo",
        visible=r"""
def test_write():
    note = Note("a")
    note.write("b")
    assert note.text == "b"


def test_undo():
    note = Note("a")
    note.write("b")
    assert note.undo()
    assert note.text == "a"


def test_redo():
    note = Note("a")
    note.write("b")
    note.undo()
    assert note.redo()
    assert note.text == "b"


def test_no_redo_after_new_text():
    note = Note("a")
    note.write("b")
    note.undo()
    note.write("c")
    assert not note.redo()
    assert note.text == "c"


def test_nothing_to_undo():
    assert not Note("a").undo()
""",
        hidden=r"""
def test_several_undone_then_written():
    note = Note("0")
    for text in "123":
        note.write(text)
    note.undo()
    note.undo()
    note.write("x")
    assert note.redo() is False
    assert note.text == "x"
    note.undo()
    assert note.text == "1"


def test_undo_after_new_branch_can_be_redone():
    note = Note("a")
    note.write("b")
    note.undo()
    note.write("c")
    note.undo()
    assert note.text == "a"
    assert note.redo()
    assert note.text == "c"
    assert not note.redo()


def test_all_the_way_and_back():
    note = Note()
    for text in ("a", "ab", "abc"):
        note.write(text)
    while note.undo():
        pass
    assert note.text == ""
    while note.redo():
        pass
    assert note.text == "abc"


def test_nothing_to_redo():
    note = Note("a")
    assert not note.redo()
    note.write("b")
    assert not note.redo()


def test_redo_then_undo():
    note = Note("a")
    note.write("b")
    note.undo()
    note.redo()
    note.undo()
    assert note.text == "a"


def test_two_notes_are_separate():
    one, two = Note("a"), Note("b")
    one.write("c")
    assert not two.undo()
    assert two.text == "b"
""",
    ),
    Program(
        name="recent_pages_cache",
        code=r'''"""Keep the pages that were used most recently."""

from collections import OrderedDict


class PageCache:
    """At most capacity pages; the one unused for the longest time goes first.

    Both reading and storing count as using.
    """

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self._capacity = capacity
        self._pages = OrderedDict()
        self.misses = 0

    def __len__(self):
        return len(self._pages)

    def __contains__(self, address):
        """Tell whether a page is kept; this does not count as using it."""
        return address in self._pages

    def get(self, address, default=None):
        """Return the page, or the default (and count a miss)."""
        if address not in self._pages:
            self.misses += 1
            return default
        self._pages.move_to_end(address)
        return self._pages[address]

    def put(self, address, page):
        """Store a page, if need be in place of another."""
        self._pages[address] = page
        self._pages.move_to_end(address)
        if len(self._pages) > self._capacity:
            self._pages.popitem()
''',
        wrong="self._pages.popitem()",
        right="self._pages.popitem(last=False)",
        visible=r"""
def test_put_and_get():
    cache = PageCache(2)
    cache.put("/a", "A")
    assert cache.get("/a") == "A"


def test_oldest_goes():
    cache = PageCache(2)
    for name in "abc":
        cache.put(name, name.upper())
    assert "a" not in cache
    assert "b" in cache and "c" in cache


def test_reading_keeps_a_page():
    cache = PageCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.get("a") == 1
    assert cache.get("b") is None


def test_never_too_many():
    cache = PageCache(3)
    for n in range(10):
        cache.put(n, n)
    assert len(cache) == 3


def test_misses():
    cache = PageCache(1)
    assert cache.get("x", "none") == "none"
    assert cache.misses == 1
""",
        hidden=r"""
def test_capacity_one():
    cache = PageCache(1)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("b") == 2
    assert "a" not in cache


def test_last_three_stay():
    cache = PageCache(3)
    for n in range(10):
        cache.put(n, n)
    assert [n for n in range(10) if n in cache] == [7, 8, 9]


def test_storing_again_counts_as_using():
    cache = PageCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    cache.put("c", 4)
    assert cache.get("a") == 3
    assert "b" not in cache


def test_storing_again_replaces():
    cache = PageCache(2)
    cache.put("a", 1)
    cache.put("a", 2)
    assert len(cache) == 1
    assert cache.get("a") == 2


def test_looking_does_not_count():
    cache = PageCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert "a" in cache
    cache.put("c", 3)
    assert "a" not in cache


def test_only_misses_count():
    cache = PageCache(2)
    cache.put("a", 1)
    cache.get("a")
    cache.get("b")
    cache.get("b")
    assert cache.misses == 2


def test_bad_capacity():
    with pytest.raises(ValueError):
        PageCache(0)
""",
    ),
    Program(
        name="request_allowance",
        code=r'''"""Limit how often something may be done."""


class Allowance:
    """A bucket of tokens which fills up with time.

    It holds capacity tokens at most, and is full in the beginning (at time 0).
    Every second rate tokens are added as long as there is room.
    """

    def __init__(self, capacity, rate):
        self._capacity = capacity
        self._rate = rate
        self._tokens = capacity
        self._time = 0

    def _fill(self, now):
        if now < self._time:
            raise ValueError("time cannot run backwards")
        added = (now - self._time) * self._rate
        self._tokens = max(self._capacity, self._tokens + added)
        self._time = now

    def available(self, now):
        """Return the number of tokens there are at that time."""
        self._fill(now)
        return self._tokens

    def take(self, now, cost=1):
        """Take the tokens if there are enough; return whether there were."""
        self._fill(now)
        if cost > self._tokens:
            return False
        self._tokens -= cost
        return True
''',
        wrong="max(self._capacity,",
        right="min(self._capacity,",
        visible=r"""
def test_full_at_first():
    assert Allowance(5, 1).available(0) == 5


def test_used_up():
    allowance = Allowance(2, 1)
    assert allowance.take(0)
    assert allowance.take(0)
    assert not allowance.take(0)


def test_fills_again():
    allowance = Allowance(2, 1)
    allowance.take(0, 2)
    assert allowance.available(1) == 1


def test_too_expensive():
    assert not Allowance(3, 1).take(0, 4)


def test_backwards():
    allowance = Allowance(1, 1)
    allowance.take(5)
    with pytest.raises(ValueError):
        allowance.take(4)
""",
        hidden=r"""
def test_never_over_capacity():
    allowance = Allowance(4, 2)
    assert allowance.available(100) == 4


def test_partial_fill():
    allowance = Allowance(10, 2)
    allowance.take(0, 10)
    assert allowance.available(3) == 6


def test_fill_stops_at_capacity():
    allowance = Allowance(3, 1)
    allowance.take(0, 1)
    assert allowance.available(10) == 3


def test_refused_takes_nothing():
    allowance = Allowance(3, 1)
    allowance.take(0, 2)
    assert not allowance.take(0, 2)
    assert allowance.available(0) == 1


def test_steady_use():
    allowance = Allowance(1, 1)
    assert [allowance.take(t) for t in (0, 0.5, 1, 1, 2)] == [True, False, True, False, True]


def test_time_is_not_counted_twice():
    allowance = Allowance(10, 1)
    allowance.take(0, 10)
    assert allowance.available(2) == 2
    assert allowance.available(2) == 2
    assert allowance.available(3) == 3


def test_exact_cost():
    allowance = Allowance(5, 1)
    assert allowance.take(0, 5)
    assert allowance.available(0) == 0


def test_same_time_is_allowed():
    allowance = Allowance(2, 1)
    allowance.take(7)
    assert allowance.available(7) == 1
""",
    ),
    Program(
        name="monthly_ledger",
        code=r'''"""A small ledger with closed months."""


class Ledger:
    """Balances of accounts, and what they were when months were closed."""

    def __init__(self):
        self._balances = {}
        self._closed = {}

    def post(self, account, amount):
        """Add an amount (negative to take away) to an account."""
        self._balances[account] = self._balances.get(account, 0) + amount

    def transfer(self, source, target, amount):
        """Move an amount; ValueError if the source does not have it."""
        if self.balance(source) < amount:
            raise ValueError("not enough money")
        self.post(source, -amount)
        self.post(target, amount)

    def balance(self, account):
        """Return the balance as it is now (0 for an unknown account)."""
        return self._balances.get(account, 0)

    def close(self, month):
        """Record the balances under the month; a month closes only once."""
        if month in self._closed:
            raise ValueError("closed already")
        self._closed[month] = self._balances

    def balance_at(self, month, account):
        """Return the balance at the closing of the month.

        Raises KeyError if the month has not been closed.
        """
        return self._closed[month].get(account, 0)

    def change(self, month, account):
        """Return how much has been added since the closing of the month."""
        return self.balance(account) - self.balance_at(month, account)
''',
        wrong="self._closed[month] = self._balances",
        right="self._closed[month] = dict(self._balances)",
        visible=r"""
def test_post():
    ledger = Ledger()
    ledger.post("cash", 50)
    ledger.post("cash", -20)
    assert ledger.balance("cash") == 30


def test_transfer():
    ledger = Ledger()
    ledger.post("cash", 50)
    ledger.transfer("cash", "bank", 30)
    assert (ledger.balance("cash"), ledger.balance("bank")) == (20, 30)


def test_transfer_too_much():
    with pytest.raises(ValueError):
        Ledger().transfer("cash", "bank", 1)


def test_change_since_closing():
    ledger = Ledger()
    ledger.post("cash", 50)
    ledger.close("May")
    ledger.post("cash", 5)
    assert ledger.change("May", "cash") == 5


def test_not_closed():
    with pytest.raises(KeyError):
        Ledger().balance_at("May", "cash")
""",
        hidden=r"""
def test_closed_balance_stays():
    ledger = Ledger()
    ledger.post("cash", 10)
    ledger.close("May")
    ledger.post("cash", 90)
    assert ledger.balance_at("May", "cash") == 10
    assert ledger.balance("cash") == 100


def test_two_months():
    ledger = Ledger()
    ledger.post("cash", 1)
    ledger.close("May")
    ledger.post("cash", 2)
    ledger.close("June")
    ledger.post("cash", 4)
    assert [ledger.balance_at(m, "cash") for m in ("May", "June")] == [1, 3]
    assert ledger.change("May", "cash") == 6
    assert ledger.change("June", "cash") == 4


def test_account_opened_later():
    ledger = Ledger()
    ledger.close("May")
    ledger.post("bank", 7)
    assert ledger.balance_at("May", "bank") == 0
    assert ledger.change("May", "bank") == 7


def test_transfer_after_closing():
    ledger = Ledger()
    ledger.post("cash", 20)
    ledger.close("May")
    ledger.transfer("cash", "bank", 20)
    assert ledger.balance_at("May", "cash") == 20
    assert ledger.change("May", "cash") == -20


def test_closing_keeps_balances():
    ledger = Ledger()
    ledger.post("cash", 20)
    ledger.close("May")
    assert ledger.balance("cash") == 20
    assert ledger.change("May", "cash") == 0


def test_close_twice():
    ledger = Ledger()
    ledger.close("May")
    with pytest.raises(ValueError):
        ledger.close("May")


def test_refused_transfer_changes_nothing():
    ledger = Ledger()
    ledger.post("cash", 5)
    with pytest.raises(ValueError):
        ledger.transfer("cash", "bank", 6)
    assert ledger.balance("cash") == 5 and ledger.balance("bank") == 0
""",
    ),
    # ------------------------------------------------ small parsers, tokenizers
    Program(
        name="power_calculator",
        code=r'''"""Work out sums, products and powers of whole numbers."""

import re


def tokens(text):
    """Return the numbers and signs of the text; ValueError if there is more."""
    if re.search(r"[^0-9+*^()\s-]", text):
        raise ValueError("unknown character")
    return re.findall(r"\d+|[-+*^()]", text)


class Calculator:
    """Works out one text. "^" binds closest, and from the right."""

    def __init__(self, text):
        self._tokens = tokens(text) + ["end"]

    def value(self):
        """Return the value of the whole text; ValueError if it is malformed."""
        result = self._sum()
        if self._tokens != ["end"]:
            raise ValueError("unexpected " + self._tokens[0])
        return result

    def _accept(self, *signs):
        return self._tokens.pop(0) if self._tokens[0] in signs else None

    def _sum(self):
        result = self._product()
        while sign := self._accept("+", "-"):
            right = self._product()
            result = result + right if sign == "+" else result - right
        return result

    def _product(self):
        result = self._power()
        while self._accept("*"):
            result *= self._power()
        return result

    def _power(self):
        base = self._atom()
        return base ** self._atom() if self._accept("^") else base

    def _atom(self):
        if self._accept("("):
            result = self._sum()
            if not self._accept(")"):
                raise ValueError("bracket not closed")
            return result
        if not self._tokens[0].isdigit():
            raise ValueError("number expected")
        return int(self._tokens.pop(0))
''',
        wrong="return base ** self._atom()",
        right="return base ** self._power()",
        visible=r"""
def test_product_before_sum():
    assert Calculator("2 + 3 * 4").value() == 14


def test_power_before_product():
    assert Calculator("2 * 3 ^ 2").value() == 18


def test_powers_from_the_right():
    assert Calculator("2 ^ 3 ^ 2").value() == 512


def test_brackets():
    assert Calculator("(1 + 2) * 3").value() == 9


def test_malformed():
    for text in ["", "1 +", "(1", "1 2", "a"]:
        with pytest.raises(ValueError):
            Calculator(text).value()
""",
        hidden=r"""
def test_three_powers():
    assert Calculator("2^2^1^5").value() == 4
    assert Calculator("3^2^0").value() == 3


def test_bracketed_powers():
    assert Calculator("(2^3)^2").value() == 64
    assert Calculator("2^(3^2)").value() == 512
    assert Calculator("2^(1+2)").value() == 8


def test_differences_from_the_left():
    assert Calculator("10 - 4 - 3").value() == 3


def test_power_then_sum():
    assert Calculator("2^3+1").value() == 9
    assert Calculator("1+2^3^1*2").value() == 17


def test_single_number():
    assert Calculator(" 42 ").value() == 42
    assert Calculator("((7))").value() == 7


def test_malformed_powers():
    for text in ["2^", "^2", "2^^3", "2^3^"]:
        with pytest.raises(ValueError):
            Calculator(text).value()


def test_tokens():
    assert tokens("12*(3-4)^5") == ["12", "*", "(", "3", "-", "4", ")", "^", "5"]
    with pytest.raises(ValueError):
        tokens("1 / 2")


def test_too_many_brackets():
    with pytest.raises(ValueError):
        Calculator("1)").value()
""",
    ),
    Program(
        name="duration_reader",
        code=r'''"""Read and write durations such as "1h 30m"."""

import re

SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}


class DurationError(Exception):
    """The text is no duration."""


def read_duration(text):
    """Return the seconds that the text stands for.

    A duration is one or more whole numbers, each followed by a unit (a word,
    of which only d, h, m and s are known), with or without blanks between.
    Raises DurationError for everything else.
    """
    total = 0
    position = 0
    text = text.strip()
    if not text:
        raise DurationError("empty duration")
    while position < len(text):
        match = re.compile(r"(\d+)([a-z]+)\s*").match(text, position)
        if match is None:
            raise DurationError(f"number and unit expected: {text[position:]}")
        number, unit = match.groups()
        try:
            total += int(number) * SECONDS[unit]
        except ValueError:
            raise DurationError(f"unknown unit: {unit}") from None
        position = match.end()
    return total


def write_duration(seconds):
    """Return the duration as text, in the largest units and without zeros."""
    parts = []
    for unit, length in SECONDS.items():
        count, seconds = divmod(seconds, length)
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0s"
''',
        wrong="except ValueError:",
        right="except KeyError:",
        visible=r"""
def test_read():
    assert read_duration("1h 30m") == 5400


def test_read_without_blanks():
    assert read_duration("2m5s") == 125


def test_write():
    assert write_duration(90061) == "1d 1h 1m 1s"


def test_malformed():
    with pytest.raises(DurationError):
        read_duration("an hour")


def test_unknown_unit():
    with pytest.raises(DurationError):
        read_duration("3y")
""",
        hidden=r"""
def test_unknown_unit_after_known():
    with pytest.raises(DurationError):
        read_duration("1h 5x")


def test_long_unit():
    with pytest.raises(DurationError):
        read_duration("10min")


def test_message_names_the_unit():
    with pytest.raises(DurationError, match="weeks"):
        read_duration("2weeks")


def test_empty():
    for text in ["", "   "]:
        with pytest.raises(DurationError):
            read_duration(text)


def test_number_without_unit():
    for text in ["5", "1h 5", "h"]:
        with pytest.raises(DurationError):
            read_duration(text)


def test_units_add_up():
    assert read_duration("1d 2h 3m 4s") == 93784
    assert read_duration(" 10s 10s ") == 20
    assert read_duration("0m") == 0


def test_write_zero_and_gaps():
    assert write_duration(0) == "0s"
    assert write_duration(3605) == "1h 5s"


def test_round_trip():
    for seconds in (1, 59, 60, 3599, 86400, 100000):
        assert read_duration(write_duration(seconds)) == seconds
""",
    ),
    Program(
        name="section_file_reader",
        code=r'''"""Read settings files with sections."""


class SettingsError(ValueError):
    """A line of a settings file is malformed."""


def read_settings(text):
    """Return a dictionary of sections, which are dictionaries of settings.

    "[name]" begins a section, or goes on with it if it was there before;
    "key = value" is a setting of the section, and a later setting of the same
    key wins. Settings before the first section belong to "general", which is
    missing if there are none. Empty lines and those with "#" at the beginning
    are skipped.
    """
    sections = {}
    section = "general"
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip()
            sections.setdefault(section, {})
            continue
        key, sign, value = line.partition("=")
        if not sign or not key.strip():
            raise SettingsError(f"line {number}: setting expected")
        sections[section] = {key.strip(): value.strip()}
    return sections


def write_settings(sections):
    """Return the text of the sections, with an empty line between them."""
    blocks = []
    for name, settings in sections.items():
        lines = [f"[{name}]"] + [f"{key} = {value}" for key, value in settings.items()]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)
''',
        wrong="sections[section] = {key.strip(): value.strip()}",
        right="sections.setdefault(section, {})[key.strip()] = value.strip()",
        visible=r"""
def test_one_setting():
    assert read_settings("[a]\nx = 1") == {"a": {"x": "1"}}


def test_several_settings():
    assert read_settings("[a]\nx=1\ny=2\n[b]\nz=3") == {
        "a": {"x": "1", "y": "2"}, "b": {"z": "3"}}


def test_before_first_section():
    assert read_settings("# note\n\nx = 1") == {"general": {"x": "1"}}


def test_malformed():
    with pytest.raises(SettingsError):
        read_settings("[a]\nx")


def test_write():
    assert write_settings({"a": {"x": "1"}, "b": {}}) == "[a]\nx = 1\n\n[b]"
""",
        hidden=r"""
def test_section_goes_on():
    text = "[a]\nx=1\n[b]\ny=2\n[a]\nz=3"
    assert read_settings(text) == {"a": {"x": "1", "z": "3"}, "b": {"y": "2"}}


def test_later_setting_wins():
    assert read_settings("x=1\ny=5\nx=2") == {"general": {"x": "2", "y": "5"}}


def test_empty_section():
    assert read_settings("[a]\n[b]") == {"a": {}, "b": {}}


def test_empty_text():
    assert read_settings("") == {}


def test_value_with_sign():
    assert read_settings("[a]\nsum = 1=1") == {"a": {"sum": "1=1"}}


def test_no_key():
    with pytest.raises(SettingsError, match="line 2"):
        read_settings("[a]\n= 4")


def test_empty_value_and_comment():
    assert read_settings("[ a ]\n  x =\n  # y = 1\nz = 2") == {"a": {"x": "", "z": "2"}}


def test_round_trip():
    sections = {"a": {"x": "1", "y": "2", "z": "3"}, "b": {"k": "v", "l": "w"}}
    assert read_settings(write_settings(sections)) == sections
""",
    ),
    Program(
        name="quoted_fields_reader",
        code=r'''"""Read and write lines of fields separated by commas."""


def split_fields(line):
    """Return the fields of a line.

    A field may stand in double quotes; commas do not separate inside of
    them, and a doubled quote stands for one. Raises ValueError if a quote is
    not closed.
    """
    fields = []
    field = []
    quoted = False
    position = 0
    while position < len(line):
        char = line[position]
        if quoted:
            if line.startswith('""', position):
                field.append('"')
            elif char == '"':
                quoted = False
            else:
                field.append(char)
        elif char == '"':
            quoted = True
        elif char == ",":
            fields.append("".join(field))
            field = []
        else:
            field.append(char)
        position += 1
    if quoted:
        raise ValueError("quote not closed")
    fields.append("".join(field))
    return fields


def join_fields(fields):
    """Return the line of the fields, with quotes where they are necessary."""
    cells = []
    for field in fields:
        if '"' in field or "," in field:
            field = '"' + field.replace('"', '""') + '"'
        cells.append(field)
    return ",".join(cells)
''',
        wrong="                field.append('\"')\n",
        right="                field.append('\"')\n                position += 1\n",
        visible=r"""
def test_plain():
    assert split_fields("a,b,,c") == ["a", "b", "", "c"]


def test_comma_in_quotes():
    assert split_fields('"Doe, Jane",42') == ["Doe, Jane", "42"]


def test_doubled_quote():
    assert split_fields('"5"" pipe",3') == ['5" pipe', "3"]


def test_not_closed():
    with pytest.raises(ValueError):
        split_fields('a,"b')


def test_join():
    assert join_fields(["a", "b,c", 'd"e']) == 'a,"b,c","d""e"'
""",
        hidden=r"""
def test_comma_after_doubled_quote():
    assert split_fields('"a"",b"') == ['a",b']


def test_only_a_quote():
    assert split_fields('"' * 4) == ['"']


def test_two_quotes():
    assert split_fields('"' + '""a"" b",c') == ['"a" b', "c"]


def test_empty_quotes_at_end():
    assert split_fields('a,"b",c') == ["a", "b", "c"]


def test_empty_line():
    assert split_fields("") == [""]
    assert split_fields(",") == ["", ""]


def test_doubled_quote_not_closed():
    with pytest.raises(ValueError):
        split_fields('"a""')


def test_round_trip():
    for fields in [["x"], ['"', "a"], ['a"', ",b"], ['say "hi, you"', "", "z"], ["a", "b"]]:
        assert split_fields(join_fields(fields)) == fields


def test_quotes_and_commas():
    assert split_fields('"1"",""2",3') == ['1","2', "3"]
""",
    ),
    # ----------------------------------------------- time, intervals, calendars
    Program(
        name="merged_shifts",
        code=r'''"""Put overlapping shifts together.

A shift is a pair of minutes, of which the second is not part of it.
"""


def merge_shifts(shifts):
    """Return the times covered by the shifts as sorted, separate pairs.

    Shifts that overlap or touch become one. Empty shifts are left out.
    """
    merged = []
    for start, end in sorted(shifts):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def covered(shifts):
    """Return the number of minutes in which somebody works."""
    return sum(end - start for start, end in merge_shifts(shifts))


def is_staffed(shifts, minute):
    """Tell whether somebody works in that minute."""
    return any(start <= minute < end for start, end in merge_shifts(shifts))
''',
        wrong="merged[-1] = (merged[-1][0], end)",
        right="merged[-1] = (merged[-1][0], max(merged[-1][1], end))",
        visible=r"""
def test_separate():
    assert merge_shifts([(10, 12), (0, 5)]) == [(0, 5), (10, 12)]


def test_overlapping():
    assert merge_shifts([(0, 5), (3, 9)]) == [(0, 9)]


def test_touching():
    assert merge_shifts([(0, 5), (5, 9)]) == [(0, 9)]


def test_covered():
    assert covered([(0, 60), (10, 20), (90, 100)]) == 70


def test_staffed():
    assert is_staffed([(0, 5)], 4)
    assert not is_staffed([(0, 5)], 5)
""",
        hidden=r"""
def test_inside():
    assert merge_shifts([(0, 10), (2, 3)]) == [(0, 10)]


def test_inside_then_overlapping():
    assert merge_shifts([(0, 10), (2, 3), (8, 12)]) == [(0, 12)]


def test_same_start():
    assert merge_shifts([(0, 9), (0, 4)]) == [(0, 9)]


def test_staffed_after_inner_shift():
    assert is_staffed([(0, 10), (2, 3)], 7)


def test_empty_shifts():
    assert merge_shifts([(3, 3), (5, 4)]) == []
    assert merge_shifts([]) == []


def test_chain():
    assert merge_shifts([(4, 6), (0, 2), (2, 4), (8, 9)]) == [(0, 6), (8, 9)]


def test_covered_equals_counting():
    shifts = [(0, 12), (3, 5), (4, 7), (15, 20), (16, 17), (20, 22)]
    minutes = {m for start, end in shifts for m in range(start, end)}
    assert covered(shifts) == len(minutes)
    for minute in range(25):
        assert is_staffed(shifts, minute) == (minute in minutes)
""",
    ),
    Program(
        name="subscription_dates",
        code=r'''"""Dates on which a monthly subscription is due."""

import calendar
from datetime import date


def add_months(day, months):
    """Return the same day of the month, so many months later or earlier.

    If that month is too short, it is its last day.
    """
    total = day.month + months
    year = day.year + total // 12
    month = (total - 1) % 12 + 1
    longest = calendar.monthrange(year, month)[1]
    return date(year, month, min(day.day, longest))


def due_dates(first, count):
    """Return the first count due dates.

    A subscription that began on the 31st is due on the 31st again after a
    shorter month.
    """
    return [add_months(first, number) for number in range(count)]


def months_paid(first, today):
    """Return how many due dates there have been, today included."""
    count = 0
    while add_months(first, count) <= today:
        count += 1
    return count
''',
        wrong="total // 12",
        right="(total - 1) // 12",
        visible=r"""
def test_next_month():
    assert add_months(date(2023, 3, 15), 1) == date(2023, 4, 15)


def test_short_month():
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)


def test_over_new_year():
    assert due_dates(date(2023, 11, 5), 3) == [
        date(2023, 11, 5), date(2023, 12, 5), date(2024, 1, 5)]


def test_earlier():
    assert add_months(date(2023, 3, 15), -1) == date(2023, 2, 15)


def test_months_paid():
    assert months_paid(date(2023, 1, 10), date(2023, 3, 9)) == 2
""",
        hidden=r"""
def test_december_stays():
    assert add_months(date(2022, 12, 24), 0) == date(2022, 12, 24)


def test_into_december():
    assert add_months(date(2022, 1, 31), 11) == date(2022, 12, 31)
    assert add_months(date(2022, 1, 31), -1) == date(2021, 12, 31)


def test_twelve_months():
    for month in range(1, 13):
        assert add_months(date(2021, month, 10), 12) == date(2022, month, 10)
        assert add_months(date(2021, month, 10), -12) == date(2020, month, 10)


def test_leap_year():
    assert add_months(date(2023, 11, 30), 3) == date(2024, 2, 29)
    assert add_months(date(2024, 2, 29), 12) == date(2025, 2, 28)


def test_no_drift():
    assert due_dates(date(2023, 1, 31), 4) == [
        date(2023, 1, 31), date(2023, 2, 28), date(2023, 3, 31), date(2023, 4, 30)]


def test_no_dates():
    assert due_dates(date(2023, 1, 31), 0) == []


def test_back_and_forth():
    for months in range(-30, 31):
        assert add_months(add_months(date(2020, 6, 15), months), -months) == date(2020, 6, 15)


def test_months_paid_on_the_day():
    assert months_paid(date(2023, 1, 10), date(2023, 3, 10)) == 3
    assert months_paid(date(2023, 1, 10), date(2023, 1, 9)) == 0
    assert months_paid(date(2022, 12, 10), date(2023, 1, 9)) == 1
""",
    ),
    Program(
        name="working_day_count",
        code=r'''"""Count and find working days."""

from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


def is_working_day(day, holidays=()):
    """Tell whether day is from Monday to Friday and no holiday."""
    if day.weekday() > 5:
        return False
    return day not in holidays


def working_days(first, last, holidays=()):
    """Return the number of working days from first to last, both included."""
    count = 0
    day = first
    while day <= last:
        if is_working_day(day, holidays):
            count += 1
        day += ONE_DAY
    return count


def delivery_day(ordered, days, holidays=()):
    """Return the working day that is so many working days after the order.

    The day of the order itself does not count.
    """
    day = ordered
    while days > 0:
        day += ONE_DAY
        if is_working_day(day, holidays):
            days -= 1
    return day
''',
        wrong="day.weekday() > 5",
        right="day.weekday() >= 5",
        visible=r"""
MONDAY = date(2024, 1, 8)
FRIDAY = date(2024, 1, 12)


def test_monday_to_friday():
    assert working_days(MONDAY, FRIDAY) == 5


def test_holiday():
    assert working_days(MONDAY, FRIDAY, [date(2024, 1, 10)]) == 4


def test_two_weeks():
    assert working_days(MONDAY, date(2024, 1, 21)) == 10


def test_sunday_is_free():
    assert not is_working_day(date(2024, 1, 14))


def test_delivery_over_the_weekend():
    assert delivery_day(FRIDAY, 1) == date(2024, 1, 15)
""",
        hidden=r"""
def test_saturday_is_free():
    assert not is_working_day(date(2024, 1, 13))


def test_all_days_of_a_week():
    week = [date(2024, 1, n) for n in range(8, 15)]
    assert [is_working_day(day) for day in week] == [True] * 5 + [False] * 2


def test_weekend_only():
    assert working_days(date(2024, 1, 13), date(2024, 1, 14)) == 0


def test_one_day():
    assert working_days(date(2024, 1, 12), date(2024, 1, 12)) == 1


def test_nothing():
    assert working_days(date(2024, 1, 12), date(2024, 1, 11)) == 0


def test_holiday_on_saturday_changes_nothing():
    assert working_days(date(2024, 1, 8), date(2024, 1, 14), {date(2024, 1, 13)}) == 5


def test_delivery():
    assert delivery_day(date(2024, 1, 8), 4) == date(2024, 1, 12)
    assert delivery_day(date(2024, 1, 8), 5) == date(2024, 1, 15)
    assert delivery_day(date(2024, 1, 13), 1) == date(2024, 1, 15)


def test_delivery_with_holiday():
    assert delivery_day(date(2024, 1, 12), 1, [date(2024, 1, 15)]) == date(2024, 1, 16)


def test_february():
    assert working_days(date(2024, 2, 1), date(2024, 2, 29)) == 21
""",
    ),
    Program(
        name="free_meeting_slots",
        code=r'''"""Find free time between meetings.

Times are minutes since midnight; a meeting is a pair of start and end.
"""


def clock(minutes):
    """Return the time as text, such as "09:05"."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def free_slots(meetings, opens, closes, shortest=1):
    """Return the free pairs of start and end while the office is open.

    The meetings may come in any order, overlap, or lie partly or wholly
    outside of the opening hours. Slots shorter than shortest are left out.
    """
    slots = []
    free_from = 0
    for start, end in sorted(meetings):
        start = min(start, closes)
        if start - free_from >= shortest:
            slots.append((free_from, start))
        free_from = max(free_from, end)
    if closes - free_from >= shortest:
        slots.append((free_from, closes))
    return slots


def agenda(meetings, opens, closes):
    """Return lines of text for the free slots of half an hour and more."""
    return [
        f"{clock(start)}-{clock(end)} free"
        for start, end in free_slots(meetings, opens, closes, shortest=30)
    ]
''',
        wrong="    free_from = 0\n",
        right="    free_from = opens\n",
        visible=r"""
def test_clock():
    assert clock(545) == "09:05"


def test_gap_between_meetings():
    assert free_slots([(540, 600), (660, 720)], 540, 720) == [(600, 660)]


def test_no_meetings():
    assert free_slots([], 540, 1020) == [(540, 1020)]


def test_early_meeting():
    assert free_slots([(0, 600)], 540, 720) == [(600, 720)]


def test_agenda():
    assert agenda([(0, 600), (615, 660)], 540, 720) == ["11:00-12:00 free"]
""",
        hidden=r"""
def test_free_at_opening():
    assert free_slots([(600, 660)], 540, 720) == [(540, 600), (660, 720)]


def test_fully_booked():
    assert free_slots([(540, 720)], 540, 720) == []


def test_unsorted_and_overlapping():
    meetings = [(650, 700), (560, 640), (600, 610)]
    assert free_slots(meetings, 540, 720) == [(540, 560), (640, 650), (700, 720)]


def test_late_meeting():
    assert free_slots([(800, 900)], 540, 720) == [(540, 720)]
    assert free_slots([(700, 900)], 540, 720) == [(540, 700)]


def test_over_before_opening():
    assert free_slots([(100, 200)], 540, 720) == [(540, 720)]


def test_shortest():
    meetings = [(550, 600), (620, 700)]
    assert free_slots(meetings, 540, 720, 20) == [(600, 620), (700, 720)]
    assert free_slots(meetings, 540, 720, 21) == []


def test_agenda_at_opening():
    assert agenda([(600, 705)], 540, 720) == ["09:00-10:00 free"]


def test_open_from_midnight():
    assert free_slots([(60, 120)], 0, 240) == [(0, 60), (120, 240)]
""",
    ),
    # ---------------------------------------- collections, grouping and ranking
    Program(
        name="tournament_standings",
        code=r'''"""Rank the players of a tournament."""


def standings(scores):
    """Return (rank, name, score) of all players, the best first.

    Players with the same score share a rank, and as many ranks are left out
    after them: 1, 2, 2, 4. Players who share a rank are in alphabetical order.
    """
    ordered = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))
    table = []
    rank = 0
    previous = None
    for position, (name, score) in enumerate(ordered, start=1):
        if score != previous:
            rank += 1
            previous = score
        table.append((rank, name, score))
    return table


def rank_of(name, scores):
    """Return the rank of one player; KeyError if there is none of the name."""
    for rank, player, _ in standings(scores):
        if player == name:
            return rank
    raise KeyError(name)


def medals(scores):
    """Return the names of all players on the ranks 1 to 3."""
    return [name for rank, name, _ in standings(scores) if rank <= 3]
''',
        wrong="            rank += 1\n",
        right="            rank = position\n",
        visible=r"""
def test_all_different():
    assert standings({"al": 3, "bo": 9, "cy": 5}) == [(1, "bo", 9), (2, "cy", 5), (3, "al", 3)]


def test_shared_rank():
    table = standings({"a": 9, "b": 7, "c": 7, "d": 5})
    assert [rank for rank, _, _ in table] == [1, 2, 2, 4]


def test_alphabetical():
    assert [name for _, name, _ in standings({"z": 1, "a": 1, "m": 1})] == ["a", "m", "z"]


def test_unknown_player():
    with pytest.raises(KeyError):
        rank_of("x", {"a": 1})


def test_medals():
    assert medals({"a": 4, "b": 3, "c": 2, "d": 1}) == ["a", "b", "c"]
""",
        hidden=r"""
def test_shared_first():
    table = standings({"a": 9, "b": 9, "c": 9, "d": 1})
    assert [rank for rank, _, _ in table] == [1, 1, 1, 4]


def test_two_shared_ranks():
    table = standings({"a": 5, "b": 5, "c": 4, "d": 4, "e": 3})
    assert table == [(1, "a", 5), (1, "b", 5), (3, "c", 4), (3, "d", 4), (5, "e", 3)]


def test_rank_after_shared():
    assert rank_of("d", {"a": 9, "b": 9, "c": 9, "d": 1}) == 4
    assert rank_of("b", {"a": 9, "b": 9}) == 1


def test_no_bronze():
    assert medals({"a": 9, "b": 7, "c": 7, "d": 5}) == ["a", "b", "c"]


def test_many_bronzes():
    assert medals({"a": 9, "b": 8, "c": 7, "d": 7, "e": 6}) == ["a", "b", "c", "d"]


def test_empty():
    assert standings({}) == []
    assert medals({}) == []


def test_zero_and_negative():
    assert standings({"a": 0, "b": -2, "c": 0}) == [(1, "a", 0), (1, "c", 0), (3, "b", -2)]
""",
    ),
    Program(
        name="contact_index",
        code=r'''"""An index of contacts by their first letters."""

from itertools import groupby


def letter(name):
    """Return the capital letter under which a name is filed, or "#"."""
    first = name[:1].upper()
    return first if first.isalpha() else "#"


def contact_index(names):
    """Return a dictionary from letters to lists of names.

    The names may come in any order; both the letters and the names of each
    letter are sorted, whereby capitals do not matter.
    """
    ordered = list(names)
    index = {}
    for initial, group in groupby(ordered, key=letter):
        index[initial] = list(group)
    return index


def printed(names):
    """Return the lines of the index as it is printed."""
    lines = []
    for initial, group in contact_index(names).items():
        lines.append(f"{initial}: " + ", ".join(group))
    return lines
''',
        wrong="ordered = list(names)",
        right="ordered = sorted(names, key=lambda name: (letter(name), name.lower()))",
        visible=r"""
def test_letter():
    assert letter("ada") == "A"
    assert letter("3M") == "#"


def test_sorted_names():
    assert contact_index(["Ada", "Alan", "Bob"]) == {"A": ["Ada", "Alan"], "B": ["Bob"]}


def test_any_order():
    assert contact_index(["Bob", "Ada", "Bea"]) == {"A": ["Ada"], "B": ["Bea", "Bob"]}


def test_printed():
    assert printed(["Ada", "Alan", "Bob"]) == ["A: Ada, Alan", "B: Bob"]


def test_nobody():
    assert contact_index([]) == {}
""",
        hidden=r"""
def test_letters_are_in_order():
    assert list(contact_index(["Zoe", "Max", "Ada"])) == ["A", "M", "Z"]


def test_capitals_do_not_matter():
    assert contact_index(["bob", "Bea", "BILL"]) == {"B": ["Bea", "BILL", "bob"]}


def test_letters_apart():
    names = ["Ann", "Ben", "Abe", "Bo", "Al"]
    assert contact_index(names) == {"A": ["Abe", "Al", "Ann"], "B": ["Ben", "Bo"]}


def test_others_are_together():
    assert contact_index(["_x", "Ann", "9to5"]) == {"#": ["9to5", "_x"], "A": ["Ann"]}


def test_printed_any_order():
    assert printed(["Cy", "al", "Ada", "7up"]) == ["#: 7up", "A: Ada, al", "C: Cy"]


def test_no_name_is_lost():
    names = ["d1", "a1", "d2", "b1", "a2", "d3"]
    index = contact_index(names)
    assert sorted(name for group in index.values() for name in group) == sorted(names)


def test_argument_is_not_changed():
    names = ["b", "a"]
    contact_index(names)
    assert names == ["b", "a"]
""",
    ),
    Program(
        name="frequent_words",
        code=r'''"""Find the words that occur most often."""

import re
from collections import Counter

STOP_WORDS = frozenset({"a", "and", "in", "is", "of", "the", "to"})


def words(text):
    """Return the words of the text in small letters, without punctuation."""
    return re.findall(r"[a-z']+", text.lower())


def frequent(text, limit):
    """Return (word, count) of at most limit words, the most frequent first.

    Words that occur equally often are in alphabetical order. Stop words are
    left out.
    """
    counts = Counter(word for word in words(text) if word not in STOP_WORDS)
    ordered = sorted(counts.items(), key=lambda item: (item[1], item[0]), reverse=True)
    return ordered[:limit]


def cloud(text, limit):
    """Return the frequent words with as many stars as they occur."""
    return [f"{word} {'*' * count}" for word, count in frequent(text, limit)]
''',
        wrong="key=lambda item: (item[1], item[0]), reverse=True)",
        right="key=lambda item: (-item[1], item[0]))",
        visible=r"""
def test_words():
    assert words("Don't stop, Jim!") == ["don't", "stop", "jim"]


def test_most_frequent_first():
    assert frequent("tea milk tea milk tea", 2) == [("tea", 3), ("milk", 2)]


def test_alphabetical_among_equals():
    assert frequent("pear apple fig", 3) == [("apple", 1), ("fig", 1), ("pear", 1)]


def test_stop_words():
    assert frequent("the cat and the dog and the cat", 1) == [("cat", 2)]


def test_cloud():
    assert cloud("go go go stop", 1) == ["go ***"]
""",
        hidden=r"""
def test_limit_among_equals():
    assert frequent("d c b e", 2) == [("b", 1), ("c", 1)]


def test_mixed():
    text = "x y z y z w"
    assert frequent(text, 10) == [("y", 2), ("z", 2), ("w", 1), ("x", 1)]


def test_capitals():
    assert frequent("Tea tea TEA", 5) == [("tea", 3)]


def test_nothing():
    assert frequent("", 3) == []
    assert frequent("the of and", 3) == []
    assert frequent("tea", 0) == []


def test_cloud_among_equals():
    assert cloud("zoo ant zoo ant bee", 3) == ["ant **", "zoo **", "bee *"]


def test_limit_larger_than_words():
    assert frequent("one two", 9) == [("one", 1), ("two", 1)]


def test_count_before_alphabet():
    assert frequent("apple zebra zebra", 2) == [("zebra", 2), ("apple", 1)]
""",
    ),
    Program(
        name="stock_changes",
        code=r'''"""Compare two counts of what is in stock."""

from collections import Counter


def count_items(items):
    """Return how many there are of each item."""
    return dict(Counter(items))


def changes(before, after):
    """Return a sorted list of (item, difference) of all that has changed.

    before and after are dictionaries of counts; an item that is missing in
    one of them counts as 0 there.
    """
    result = []
    for item in sorted(set(before) & set(after)):
        difference = after.get(item, 0) - before.get(item, 0)
        if difference:
            result.append((item, difference))
    return result


def report(before, after):
    """Return a line for each change, such as "+3 bolts"."""
    return [f"{difference:+d} {item}" for item, difference in changes(before, after)]


def total_change(before, after):
    """Return by how many pieces the stock has grown altogether."""
    return sum(difference for _, difference in changes(before, after))
''',
        wrong="set(before) & set(after)",
        right="set(before) | set(after)",
        visible=r"""
def test_more_and_fewer():
    assert changes({"nut": 5, "bolt": 2}, {"nut": 3, "bolt": 6}) == [("bolt", 4), ("nut", -2)]


def test_unchanged():
    assert changes({"nut": 5}, {"nut": 5}) == []


def test_new_item():
    assert changes({"nut": 1}, {"nut": 1, "pin": 4}) == [("pin", 4)]


def test_report():
    assert report({"nut": 1}, {"nut": 4}) == ["+3 nut"]


def test_count_items():
    assert count_items(["a", "b", "a"]) == {"a": 2, "b": 1}
""",
        hidden=r"""
def test_sold_out():
    assert changes({"nut": 3}, {}) == [("nut", -3)]


def test_from_nothing():
    assert changes({}, {"b": 1, "a": 2}) == [("a", 2), ("b", 1)]


def test_everything_replaced():
    assert changes({"x": 2}, {"y": 2}) == [("x", -2), ("y", 2)]


def test_missing_equals_zero():
    assert changes({"x": 0}, {"y": 0}) == []


def test_total():
    assert total_change({"a": 1, "b": 2}, {"b": 5, "c": 4}) == 6
    assert total_change({"a": 1}, {"b": 1}) == 0


def test_report_of_all_kinds():
    before, after = {"a": 1, "b": 2, "c": 3}, {"b": 2, "c": 1, "d": 7}
    assert report(before, after) == ["-1 a", "-2 c", "+7 d"]


def test_empty():
    assert changes({}, {}) == []
    assert total_change({}, {}) == 0


def test_arguments_are_not_changed():
    before, after = {"a": 1}, {"b": 1}
    changes(before, after)
    assert before == {"a": 1} and after == {"b": 1}
""",
    ),
    # ----------------------------------------------------------- business rules
    Program(
        name="shop_invoice",
        code=r'''"""Work out the invoices of a shop. All amounts are in cents."""

FREE_SHIPPING_FROM = 5000
SHIPPING = 490
TAX_PERCENT = 20


def goods_total(lines):
    """Return the price of all lines, which are pairs (price, quantity)."""
    return sum(price * quantity for price, quantity in lines)


def discount(goods, percent):
    """Return the discount on the goods, rounded down to whole cents."""
    if not 0 <= percent <= 100:
        raise ValueError("percentage expected")
    return goods * percent // 100


def shipping(goods):
    """Return what shipping costs: nothing for large orders."""
    return 0 if goods >= FREE_SHIPPING_FROM else SHIPPING


def invoice_total(lines, percent=0):
    """Return what the customer pays.

    The tax is on everything: on the goods after the discount as well as on
    shipping. Shipping depends on the goods before the discount. The result is
    rounded down to whole cents. An order of nothing costs nothing.
    """
    goods = goods_total(lines)
    if goods == 0:
        return 0
    net = goods - discount(goods, percent)
    return net + shipping(goods) * (100 + TAX_PERCENT) // 100
''',
        wrong="return net + shipping(goods) * (100 + TAX_PERCENT) // 100",
        right="return (net + shipping(goods)) * (100 + TAX_PERCENT) // 100",
        visible=r"""
def test_goods_total():
    assert goods_total([(250, 2), (100, 3)]) == 800


def test_small_order():
    assert invoice_total([(1000, 1)]) == 1788


def test_large_order():
    assert invoice_total([(5000, 2)], 10) == 10800


def test_nothing():
    assert invoice_total([]) == 0


def test_bad_discount():
    with pytest.raises(ValueError):
        invoice_total([(100, 1)], 101)
""",
        hidden=r"""
def test_just_free_shipping():
    assert invoice_total([(5000, 1)]) == 6000
    assert invoice_total([(4999, 1)]) == (4999 + 490) * 120 // 100


def test_shipping_before_discount():
    assert invoice_total([(5000, 1)], 50) == 3000


def test_all_discounted():
    assert invoice_total([(1000, 1)], 100) == 588
    assert invoice_total([(6000, 1)], 100) == 0


def test_rounding_down():
    assert invoice_total([(1, 1)]) == 589
    assert discount(99, 10) == 9


def test_several_lines():
    assert invoice_total([(1200, 2), (350, 1)], 20) == (2750 - 550 + 490) * 120 // 100


def test_zero_quantity():
    assert invoice_total([(1000, 0)]) == 0


def test_discount_limits():
    assert discount(500, 0) == 0 and discount(500, 100) == 500
    with pytest.raises(ValueError):
        discount(500, -1)
""",
    ),
    Program(
        name="role_permissions",
        code=r'''"""Decide what users may do from the roles that they have."""

ROLES = {
    "guest": {"read"},
    "author": {"write", "upload"},
    "editor": {"publish", "delete"},
    "auditor": {"read", "export"},
}
PARENTS = {"author": "guest", "editor": "author"}


def role_permissions(role):
    """Return all permissions of a role, also those of the roles it extends.

    An unknown role has none.
    """
    permissions = set()
    while role is not None:
        permissions |= ROLES.get(role, set())
        role = PARENTS.get(role)
    return permissions


def granted(roles, banned=()):
    """Return the permissions of a user with the roles, without those banned."""
    permissions = set()
    for role in roles:
        permissions |= role_permissions(role)
    return permissions - set(banned)


def may(roles, *required, banned=()):
    """Tell whether a user with the roles has every permission required."""
    permissions = granted(roles, banned)
    return any(permission in permissions for permission in required)


def missing(roles, *required, banned=()):
    """Return the sorted permissions that are required but not granted."""
    return sorted(set(required) - granted(roles, banned))
''',
        wrong="return any(",
        right="return all(",
        visible=r"""
def test_extended_roles():
    assert role_permissions("author") == {"read", "write", "upload"}


def test_one_permission():
    assert may(["author"], "write")
    assert not may(["guest"], "write")


def test_two_permissions():
    assert may(["editor"], "read", "publish")
    assert not may(["guest"], "read", "write")


def test_banned():
    assert not may(["author"], "upload", banned=["upload"])


def test_missing():
    assert missing(["author"], "read", "publish", "delete") == ["delete", "publish"]
""",
        hidden=r"""
def test_permissions_of_two_roles():
    assert may(["author", "auditor"], "write", "export")
    assert not may(["author"], "write", "export")


def test_one_of_many_is_missing():
    assert not may(["editor"], "read", "write", "publish", "export")


def test_one_banned_of_two():
    assert not may(["author"], "read", "upload", banned=["upload"])
    assert may(["author"], "read", "write", banned=["upload"])


def test_nothing_required():
    assert may([])
    assert may(["guest"])


def test_unknown_role():
    assert role_permissions("pirate") == set()
    assert not may(["pirate"], "read")


def test_editor_has_everything_below():
    assert granted(["editor"]) == {"read", "write", "upload", "publish", "delete"}


def test_may_agrees_with_missing():
    for roles in (["guest"], ["author"], ["editor"], ["auditor"], []):
        for required in (("read",), ("read", "write"), ("export", "read"), ("delete", "upload")):
            assert may(roles, *required) == (missing(roles, *required) == [])
""",
    ),
    Program(
        name="room_bookings",
        code=r'''"""Book the rooms of a guest house.

Nights are counted by day numbers; guests leave on the day of departure, and
the room can be taken again on the same day.
"""


class Booked(Exception):
    """The room is not free at that time."""


class GuestHouse:
    """Rooms and their bookings."""

    def __init__(self, rooms):
        self._stays = {room: [] for room in rooms}

    def is_free(self, room, arrival, departure):
        """Tell whether a room is free from arrival to departure."""
        for _, other_arrival, other_departure in self._stays[room]:
            if arrival <= other_departure and other_arrival < departure:
                return False
        return True

    def book(self, room, guest, arrival, departure):
        """Book a room; raises Booked, or ValueError for less than one night."""
        if departure <= arrival:
            raise ValueError("at least one night")
        if not self.is_free(room, arrival, departure):
            raise Booked(room)
        self._stays[room].append((guest, arrival, departure))

    def free_rooms(self, arrival, departure):
        """Return all rooms that are free, in the order they were given."""
        return [room for room in self._stays if self.is_free(room, arrival, departure)]

    def guest_on(self, room, night):
        """Return who sleeps in the room in the night after that day, or None."""
        for guest, arrival, departure in self._stays[room]:
            if arrival <= night < departure:
                return guest
        return None
''',
        wrong="if arrival <= other_departure",
        right="if arrival < other_departure",
        visible=r"""
def test_overlap():
    house = GuestHouse(["red"])
    house.book("red", "Ann", 10, 14)
    with pytest.raises(Booked):
        house.book("red", "Bob", 12, 16)


def test_free_rooms():
    house = GuestHouse(["red", "blue"])
    house.book("red", "Ann", 10, 14)
    assert house.free_rooms(11, 12) == ["blue"]


def test_arrival_on_day_of_departure():
    house = GuestHouse(["red"])
    house.book("red", "Ann", 10, 14)
    house.book("red", "Bob", 14, 16)
    assert house.guest_on("red", 14) == "Bob"


def test_nobody():
    assert GuestHouse(["red"]).guest_on("red", 3) is None


def test_no_night():
    with pytest.raises(ValueError):
        GuestHouse(["red"]).book("red", "Ann", 5, 5)
""",
        hidden=r"""
def house_with_stay():
    house = GuestHouse(["red", "blue"])
    house.book("red", "Ann", 10, 14)
    return house


def test_departure_on_day_of_arrival():
    house = house_with_stay()
    assert house.is_free("red", 8, 10)
    house.book("red", "Bob", 8, 10)
    assert house.guest_on("red", 9) == "Bob"


def test_directly_after():
    assert house_with_stay().is_free("red", 14, 15)


def test_every_kind_of_overlap():
    house = house_with_stay()
    for arrival, departure in [(9, 11), (10, 14), (11, 13), (13, 15), (8, 20)]:
        assert not house.is_free("red", arrival, departure)


def test_far_away():
    house = house_with_stay()
    assert house.is_free("red", 1, 5) and house.is_free("red", 20, 25)


def test_gap_can_be_filled():
    house = house_with_stay()
    house.book("red", "Cid", 16, 18)
    house.book("red", "Dee", 14, 16)
    assert [house.guest_on("red", n) for n in (13, 14, 15, 16, 18)] == [
        "Ann", "Dee", "Dee", "Cid", None]


def test_free_rooms_at_the_borders():
    house = house_with_stay()
    assert house.free_rooms(14, 16) == ["red", "blue"]
    assert house.free_rooms(8, 10) == ["red", "blue"]
    assert house.free_rooms(13, 14) == ["blue"]


def test_refused_booking_changes_nothing():
    house = house_with_stay()
    with pytest.raises(Booked):
        house.book("red", "Bob", 13, 16)
    assert house.guest_on("red", 15) is None


def test_departure_before_arrival():
    with pytest.raises(ValueError):
        house_with_stay().book("blue", "Bob", 5, 4)
""",
    ),
    Program(
        name="bowling_score",
        code=r'''"""Score a game of bowling."""

FRAMES = 10
PINS = 10


def frame_scores(rolls):
    """Return the points of each of the ten frames.

    rolls lists the pins of all the rolls of a complete game. A frame has two
    rolls, or one if it takes all ten pins (a strike). For a strike, the pins
    of the next two rolls are added; for a frame that takes all ten pins with
    two rolls (a spare), those of the next roll.
    """
    scores = []
    first = 0
    for _ in range(FRAMES):
        if rolls[first] == PINS:
            scores.append(PINS + rolls[first + 1] + rolls[first + 2])
            first += 1
            continue
        pins = rolls[first] + rolls[first + 1]
        if pins > PINS:
            raise ValueError("too many pins in a frame")
        if pins == PINS:
            pins += rolls[first + 1]
        scores.append(pins)
        first += 2
    return scores


def total(rolls):
    """Return the points of the whole game."""
    return sum(frame_scores(rolls))
''',
        wrong="            pins += rolls[first + 1]\n",
        right="            pins += rolls[first + 2]\n",
        visible=r"""
def test_all_ones():
    assert total([1] * 20) == 20


def test_perfect_game():
    assert total([10] * 12) == 300


def test_spare():
    assert total([6, 4, 3] + [0] * 17) == 16


def test_strike():
    assert total([10, 3, 4] + [0] * 16) == 24


def test_too_many_pins():
    with pytest.raises(ValueError):
        total([7, 7] + [0] * 18)
""",
        hidden=r"""
def test_all_spares_of_five():
    assert total([5] * 21) == 150


def test_nines_and_ones():
    assert total([9, 1] * 10 + [9]) == 190


def test_spare_in_the_last_frame():
    assert total([0] * 18 + [2, 8, 7]) == 17


def test_spare_before_strike():
    assert total([3, 7, 10, 1, 2] + [0] * 14) == 36


def test_spare_with_nothing_after():
    assert frame_scores([1, 9] + [0] * 18) == [10] + [0] * 9


def test_zero_then_ten_is_a_spare():
    assert frame_scores([0, 10, 4, 0] + [0] * 16)[:2] == [14, 4]


def test_strikes_and_spares_in_turn():
    assert total([10, 4, 6] * 5 + [10]) == 200


def test_gutter_game():
    assert frame_scores([0] * 20) == [0] * 10


def test_no_spare_across_frames():
    assert total([1, 5, 5, 3] + [0] * 16) == 14
""",
    ),
)
