"""Programs of ten kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="indexed_heap",
        code=r'''"""A min-heap whose entries can be re-prioritised by key."""


class IndexedHeap:
    """Priority queue of distinct keys; the smallest priority comes out first."""

    def __init__(self):
        self._keys = []
        self._priority = {}
        self._where = {}

    def __len__(self):
        return len(self._keys)

    def __contains__(self, key):
        return key in self._where

    def _swap(self, i, j):
        keys = self._keys
        keys[i], keys[j] = keys[j], keys[i]
        self._where[keys[i]] = i
        self._where[keys[j]] = j

    def _less(self, i, j):
        return self._priority[self._keys[i]] < self._priority[self._keys[j]]

    def _up(self, i):
        while i > 0 and self._less(i, (i - 1) // 2):
            self._swap(i, (i - 1) // 2)
            i = (i - 1) // 2

    def _down(self, i):
        while 2 * i + 1 < len(self._keys):
            child = 2 * i + 1
            if child + 1 < len(self._keys) and self._less(child + 1, child):
                child += 1
            if not self._less(child, i):
                return
            self._swap(i, child)
            i = child

    def _settle(self, i):
        self._up(i)
        self._down(i)

    def push(self, key, priority):
        """Add a key, or give a key that is present a new priority."""
        if key not in self._where:
            self._where[key] = len(self._keys)
            self._keys.append(key)
        self._priority[key] = priority
        self._settle(self._where[key])

    def remove(self, key):
        """Take a key out, wherever it is, and return its priority."""
        place = self._where[key]
        last = len(self._keys) - 1
        self._swap(place, last)
        self._keys.pop()
        del self._where[key]
        if place < last:
            self._down(place)
        return self._priority.pop(key)

    def pop(self):
        """Remove and return the (key, priority) of the smallest priority."""
        if not self._keys:
            raise IndexError("pop from an empty heap")
        key = self._keys[0]
        return key, self.remove(key)
''',
        wrong="            self._down(place)\n",
        right="            self._settle(place)\n",
        visible="""def drain(heap):
    out = []
    while len(heap):
        out.append(heap.pop()[0])
    return out


def test_order():
    h = IndexedHeap()
    for key, p in [("a", 5), ("b", 2), ("c", 9), ("d", 1)]:
        h.push(key, p)
    assert drain(h) == ["d", "b", "a", "c"]


def test_reprioritise():
    h = IndexedHeap()
    for key, p in [("a", 5), ("b", 2), ("c", 9)]:
        h.push(key, p)
    h.push("c", 1)
    h.push("b", 7)
    assert drain(h) == ["c", "a", "b"]


def test_remove_leaf():
    h = IndexedHeap()
    for key, p in [("a", 1), ("b", 2), ("c", 3)]:
        h.push(key, p)
    assert h.remove("c") == 3
    assert "c" not in h
    assert drain(h) == ["a", "b"]


def test_remove_from_the_far_branch():
    h = IndexedHeap()
    for p in [1, 50, 2, 60, 55, 3, 4, 70, 61, 58, 57, 8, 9, 5, 6]:
        h.push(p, p)
    assert h.remove(70) == 70
    assert drain(h) == [1, 2, 3, 4, 5, 6, 8, 9, 50, 55, 57, 58, 60, 61]


def test_empty():
    with pytest.raises(IndexError):
        IndexedHeap().pop()
""",
        hidden="""def drain(heap):
    out = []
    while len(heap):
        out.append(heap.pop())
    return out


def build(priorities):
    h = IndexedHeap()
    for p in priorities:
        h.push(p, p)
    return h


def test_remove_second_leaf_of_big_branch():
    h = build([1, 50, 2, 51, 52, 3, 4])
    assert h.remove(52) == 52
    assert [k for k, _ in drain(h)] == [1, 2, 3, 4, 50, 51]


def test_remove_each_in_turn():
    items = [1, 50, 2, 60, 55, 3, 4, 70, 61, 58, 57, 8, 9, 5, 6]
    for gone in items:
        h = build(items)
        assert h.remove(gone) == gone
        assert [k for k, _ in drain(h)] == sorted(set(items) - {gone})


def test_remove_root():
    h = build([3, 1, 2])
    assert h.remove(1) == 1
    assert drain(h) == [(2, 2), (3, 3)]


def test_remove_only():
    h = build([3])
    assert h.remove(3) == 3
    assert len(h) == 0


def test_remove_then_push_again():
    h = build([4, 8, 6])
    h.remove(8)
    h.push(8, 0)
    assert drain(h) == [(8, 0), (4, 4), (6, 6)]


def test_missing_key():
    with pytest.raises(KeyError):
        build([1]).remove(2)
""",
    ),
    Program(
        name="lfu_cache",
        code=r'''"""A cache that forgets the least frequently used entry."""

from collections import OrderedDict, defaultdict


class LFUCache:
    """Holds at most `capacity` entries.

    When it is full, the entry that was used least often goes; among those
    used equally often, the one that was used longest ago.  Both get (of a
    key that is there) and put count as a use.
    """

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._uses = {}
        self._buckets = defaultdict(OrderedDict)
        self._lowest = 0

    def __len__(self):
        return len(self._uses)

    def __contains__(self, key):
        return key in self._uses

    def _touch(self, key, value):
        uses = self._uses[key]
        bucket = self._buckets[uses]
        del bucket[key]
        if not bucket:
            del self._buckets[uses]
        if uses not in self._buckets:
            self._lowest += 1
        self._uses[key] = uses + 1
        self._buckets[uses + 1][key] = value

    def get(self, key, default=None):
        """The value of the key, or the default."""
        if key not in self._uses:
            return default
        value = self._buckets[self._uses[key]][key]
        self._touch(key, value)
        return value

    def put(self, key, value):
        """Store a value; return the key that had to go for it, or None."""
        if key in self._uses:
            self._touch(key, value)
            return None
        evicted = None
        if len(self._uses) >= self.capacity:
            evicted, _ = self._buckets[self._lowest].popitem(last=False)
            del self._uses[evicted]
        self._uses[key] = 1
        self._buckets[1][key] = value
        self._lowest = 1
        return evicted
''',
        wrong="        if uses not in self._buckets:\n",
        right="        if self._lowest not in self._buckets:\n",
        visible="""def test_get_and_default():
    c = LFUCache(2)
    c.put("a", 1)
    assert c.get("a") == 1
    assert c.get("b") is None
    assert c.get("b", 7) == 7


def test_evicts_least_used():
    c = LFUCache(2)
    c.put("a", 1)
    c.put("b", 2)
    c.get("a")
    assert c.put("c", 3) == "b"
    assert "a" in c and "b" not in c


def test_oldest_of_equals():
    c = LFUCache(3)
    for k in "abc":
        c.put(k, k)
    assert c.put("d", "d") == "a"


def test_busy_entry_does_not_protect_others():
    c = LFUCache(2)
    c.put("a", 1)
    c.put("b", 2)
    for _ in range(3):
        c.get("a")
    assert c.put("c", 3) == "b"
    assert c.get("a") == 1


def test_capacity():
    with pytest.raises(ValueError):
        LFUCache(0)
""",
        hidden="""def test_many_uses_of_one_key():
    c = LFUCache(3)
    for k in "xyz":
        c.put(k, k.upper())
    for _ in range(5):
        assert c.get("z") == "Z"
    assert c.put("w", "W") == "x"
    assert c.put("v", "V") == "y"
    assert len(c) == 3


def test_put_counts_as_use():
    c = LFUCache(2)
    c.put(1, "one")
    c.put(2, "two")
    c.put(2, "TWO")
    c.put(2, "Two")
    c.put(2, "tWo")
    assert c.put(3, "three") == 1
    assert c.get(2) == "tWo"


def test_all_used_twice():
    c = LFUCache(2)
    c.put(1, 1)
    c.put(2, 2)
    c.get(1)
    c.get(2)
    assert c.put(3, 3) == 1
    assert c.put(4, 4) == 3


def test_single_slot():
    c = LFUCache(1)
    c.put("a", 1)
    for _ in range(4):
        c.get("a")
    assert c.put("b", 2) == "a"
    assert c.get("b") == 2
    assert c.put("c", 3) == "b"


def test_no_eviction_until_full():
    c = LFUCache(3)
    assert [c.put(k, k) for k in "abc"] == [None, None, None]


def test_two_levels():
    c = LFUCache(3)
    for k in "abc":
        c.put(k, k)
    c.get("a")
    c.get("b")
    c.get("a")
    c.get("a")
    assert c.put("d", "d") == "c"
    c.get("d")
    assert c.put("e", "e") == "b"
""",
    ),
    Program(
        name="ring_deque",
        code=r'''"""A double-ended queue in a circular buffer."""


class RingDeque:
    """Deque whose buffer doubles when it is full."""

    def __init__(self, items=(), capacity=4):
        self._slots = [None] * max(1, capacity)
        self._head = 0
        self._size = 0
        for item in items:
            self.append(item)

    def __len__(self):
        return self._size

    def __getitem__(self, index):
        """The item at an index counted from the front (or, negative, from the back)."""
        if not -self._size <= index < self._size:
            raise IndexError("deque index out of range")
        if index < 0:
            index += self._size
        return self._slots[(self._head + index) % len(self._slots)]

    def __iter__(self):
        for i in range(self._size):
            yield self[i]

    def _make_room(self):
        if self._size < len(self._slots):
            return
        bigger = [None] * (2 * len(self._slots))
        for i in range(self._size):
            bigger[i] = self._slots[i]
        self._slots = bigger
        self._head = 0

    def append(self, item):
        """Add an item at the back."""
        self._make_room()
        self._slots[(self._head + self._size) % len(self._slots)] = item
        self._size += 1

    def appendleft(self, item):
        """Add an item at the front."""
        self._make_room()
        self._head = (self._head - 1) % len(self._slots)
        self._slots[self._head] = item
        self._size += 1

    def pop(self):
        """Remove and return the item at the back."""
        item = self[-1]
        self._size -= 1
        return item

    def popleft(self):
        """Remove and return the item at the front."""
        item = self[0]
        self._slots[self._head] = None
        self._head = (self._head + 1) % len(self._slots)
        self._size -= 1
        return item
''',
        wrong="            bigger[i] = self._slots[i]\n",
        right="            bigger[i] = self[i]\n",
        visible="""def test_append_and_pop():
    d = RingDeque([1, 2, 3])
    assert d.pop() == 3
    assert d.popleft() == 1
    assert list(d) == [2]


def test_grows():
    d = RingDeque(range(10), capacity=2)
    assert list(d) == list(range(10))


def test_wraps_without_growing():
    d = RingDeque([1, 2, 3, 4])
    d.popleft()
    d.append(5)
    assert list(d) == [2, 3, 4, 5]
    assert d[-1] == 5


def test_grows_when_wrapped():
    d = RingDeque([1, 2, 3, 4])
    d.popleft()
    d.append(5)
    d.append(6)
    assert list(d) == [2, 3, 4, 5, 6]


def test_both_ends():
    d = RingDeque()
    for i in range(3):
        d.append(i)
        d.appendleft(-i)
    assert list(d) == [-2, -1, 0, 0, 1, 2]


def test_empty():
    with pytest.raises(IndexError):
        RingDeque().popleft()
""",
        hidden="""def test_appendleft_only():
    d = RingDeque(capacity=1)
    for i in range(9):
        d.appendleft(i)
    assert list(d) == list(range(8, -1, -1))


def test_long_run_as_queue():
    d = RingDeque(capacity=3)
    out = []
    for i in range(50):
        d.append(i)
        if i % 3 == 2:
            out.append(d.popleft())
    out.extend(d)
    assert out == list(range(50))


def test_negative_index_after_growth():
    d = RingDeque([1, 2], capacity=2)
    d.appendleft(0)
    d.appendleft(-1)
    d.appendleft(-2)
    assert d[-1] == 2
    assert d[0] == -2
    assert d[2] == 0


def test_against_collections():
    from collections import deque
    mine, other = RingDeque(capacity=2), deque()
    for i in range(200):
        if i % 7 in (0, 1, 4):
            mine.append(i)
            other.append(i)
        elif i % 7 in (2, 5):
            mine.appendleft(i)
            other.appendleft(i)
        elif i % 7 == 3:
            assert mine.pop() == other.pop()
        else:
            assert mine.popleft() == other.popleft()
        assert list(mine) == list(other)


def test_length():
    d = RingDeque([5, 6, 7])
    d.pop()
    assert len(d) == 2


def test_bad_index():
    with pytest.raises(IndexError):
        RingDeque([1])[1]
""",
    ),
    Program(
        name="playlist",
        code=r'''"""A playlist kept as a doubly linked list."""


class Track:
    """One entry of a playlist."""

    def __init__(self, title):
        self.title = title
        self.before = None
        self.after = None


class Playlist:
    """An ordered list of distinct titles that can be rearranged cheaply."""

    def __init__(self, titles=()):
        self._first = None
        self._last = None
        self._tracks = {}
        for title in titles:
            self.add(title)

    def forwards(self):
        """All titles from the first to the last."""
        out, track = [], self._first
        while track is not None:
            out.append(track.title)
            track = track.after
        return out

    def backwards(self):
        """All titles from the last to the first."""
        out, track = [], self._last
        while track is not None:
            out.append(track.title)
            track = track.before
        return out

    def add(self, title):
        """Put a new title at the end."""
        if title in self._tracks:
            raise ValueError(f"{title!r} is in the list")
        track = self._tracks[title] = Track(title)
        self._link(self._last, track)
        self._link(track, None)

    def _link(self, left, right):
        """Make two tracks neighbours; None stands for the end of the list."""
        if left is None:
            self._first = right
        else:
            left.after = right
        if right is None:
            self._last = left
        else:
            right.before = left

    def remove(self, title):
        """Take a title out of the list."""
        track = self._tracks.pop(title)
        self._link(track.before, track.after)

    def play_next(self, title, current):
        """Move a title to the place right after another one."""
        if title == current:
            raise ValueError("a title cannot follow itself")
        track, anchor = self._tracks[title], self._tracks[current]
        follower = anchor.after
        self._link(track.before, track.after)
        self._link(anchor, track)
        self._link(track, follower)
''',
        wrong="        follower = anchor.after\n",
        right="        follower = track.after if anchor.after is track else anchor.after\n",
        visible="""def test_both_directions():
    p = Playlist(["a", "b", "c"])
    assert p.forwards() == ["a", "b", "c"]
    assert p.backwards() == ["c", "b", "a"]


def test_remove():
    p = Playlist(["a", "b", "c"])
    p.remove("c")
    p.remove("a")
    assert p.forwards() == p.backwards() == ["b"]


def test_play_next_moves_forward():
    p = Playlist(["a", "b", "c", "d"])
    p.play_next("d", "a")
    assert p.forwards() == ["a", "d", "b", "c"]
    assert p.backwards() == ["c", "b", "d", "a"]


def test_play_next_in_place_already():
    p = Playlist(["a", "b", "c"])
    p.play_next("b", "a")
    assert p.backwards() == ["c", "b", "a"]


def test_twice():
    with pytest.raises(ValueError):
        Playlist(["a", "a"])
""",
        hidden="""def test_move_back():
    p = Playlist(["a", "b", "c", "d"])
    p.play_next("a", "c")
    assert p.forwards() == ["b", "c", "a", "d"]
    assert p.backwards() == ["d", "a", "c", "b"]


def test_last_two_in_place():
    p = Playlist(["x", "y", "z"])
    p.play_next("z", "y")
    assert p.backwards() == ["z", "y", "x"]
    p.add("w")
    assert p.backwards() == ["w", "z", "y", "x"]


def test_only_two():
    p = Playlist(["x", "y"])
    p.play_next("y", "x")
    assert p.backwards() == ["y", "x"]
    p.play_next("x", "y")
    assert p.forwards() == ["y", "x"]
    assert p.backwards() == ["x", "y"]


def test_after_the_last():
    p = Playlist(["x", "y", "z"])
    p.play_next("x", "z")
    assert p.forwards() == ["y", "z", "x"]
    assert p.backwards() == ["x", "z", "y"]


def test_itself():
    p = Playlist(["x", "y"])
    with pytest.raises(ValueError):
        p.play_next("x", "x")


def test_unknown():
    with pytest.raises(KeyError):
        Playlist(["x"]).remove("q")
""",
    ),
    Program(
        name="search_tree",
        code=r'''"""A binary search tree with deletion."""


class Node:
    """A node with a key and a count of how often the key was added."""

    def __init__(self, key):
        self.key = key
        self.count = 1
        self.left = None
        self.right = None


def insert(root, key):
    """Add a key; return the root of the tree."""
    if root is None:
        return Node(key)
    if key < root.key:
        root.left = insert(root.left, key)
    elif key > root.key:
        root.right = insert(root.right, key)
    else:
        root.count += 1
    return root


def build(keys):
    """The tree made by adding the keys one after the other."""
    root = None
    for key in keys:
        root = insert(root, key)
    return root


def delete(root, key):
    """Take a key out (however often it was added); return the new root."""
    if root is None:
        raise KeyError(key)
    if key < root.key:
        root.left = delete(root.left, key)
    elif key > root.key:
        root.right = delete(root.right, key)
    elif root.left is None:
        return root.right
    elif root.right is None:
        return root.left
    else:
        heir = root.right
        while heir.left is not None:
            heir = heir.left
        root.key = heir.key
        root.right = delete(root.right, heir.key)
    return root


def items(root):
    """(key, count) pairs in the order of the keys."""
    if root is None:
        return []
    return items(root.left) + [(root.key, root.count)] + items(root.right)


def height(root):
    """Number of nodes on the longest way down."""
    return 0 if root is None else 1 + max(height(root.left), height(root.right))
''',
        wrong="        root.key = heir.key\n",
        right="        root.key, root.count = heir.key, heir.count\n",
        visible="""def test_items():
    assert items(build([3, 1, 2, 3])) == [(1, 1), (2, 1), (3, 2)]


def test_height():
    assert height(build([2, 1, 3])) == 2
    assert height(None) == 0


def test_delete_leaf_and_chain():
    root = build([5, 3, 8, 9])
    root = delete(root, 3)
    root = delete(root, 8)
    assert items(root) == [(5, 1), (9, 1)]


def test_delete_with_two_children():
    root = build([5, 3, 8, 8, 6, 9])
    root = delete(root, 5)
    assert items(root) == [(3, 1), (6, 1), (8, 2), (9, 1)]


def test_delete_repeated_key_with_two_children():
    root = build([5, 5, 5, 3, 8])
    root = delete(root, 5)
    assert items(root) == [(3, 1), (8, 1)]


def test_delete_missing():
    with pytest.raises(KeyError):
        delete(build([1, 2]), 3)
""",
        hidden="""def test_heir_was_repeated():
    root = build([50, 20, 70, 60, 60, 60, 80])
    root = delete(root, 50)
    assert items(root) == [(20, 1), (60, 3), (70, 1), (80, 1)]


def test_inner_node():
    root = build(["m", "f", "t", "c", "h", "h", "f", "f"])
    root = delete(root, "f")
    assert items(root) == [("c", 1), ("h", 2), ("m", 1), ("t", 1)]


def test_all_gone():
    keys = [4, 2, 6, 1, 3, 5, 7, 2, 6, 6]
    root = build(keys)
    for key in [4, 6, 2, 1, 7, 3, 5]:
        before = items(root)
        root = delete(root, key)
        assert items(root) == [pair for pair in before if pair[0] != key]
    assert root is None


def test_delete_root_with_one_child():
    assert items(delete(build([1, 2, 2]), 1)) == [(2, 2)]


def test_add_after_delete():
    root = delete(build([2, 1, 3, 3]), 2)
    root = insert(root, 3)
    assert items(root) == [(1, 1), (3, 3)]


def test_height_after_delete():
    assert height(delete(build([2, 1, 3]), 2)) == 2
""",
    ),
    Program(
        name="word_trie",
        code=r'''"""A set of words kept as a trie."""

END = ""


class Trie:
    """Words, found by their beginnings."""

    def __init__(self, words=()):
        self._root = {}
        for word in words:
            self.add(word)

    def add(self, word):
        """Put a word into the set."""
        if not word:
            raise ValueError("empty word")
        node = self._root
        for letter in word:
            node = node.setdefault(letter, {})
        node[END] = word

    def _descend(self, prefix):
        node = self._root
        for letter in prefix:
            if letter not in node:
                return None
            node = node[letter]
        return node

    def __contains__(self, word):
        node = self._descend(word)
        return node is not None and END in node

    def starting_with(self, prefix):
        """All words with this beginning, sorted."""
        start = self._descend(prefix)
        if start is None:
            return []
        found, waiting = [], [start]
        while waiting:
            node = waiting.pop()
            for letter, child in node.items():
                if letter == END:
                    found.append(child)
                else:
                    waiting.append(child)
        return sorted(found)

    def longest_start(self, text):
        """The longest word of the set that the text begins with, or None."""
        node, best = self._root, None
        for letter in text:
            if letter not in node:
                break
            node = node[letter]
            best = node.get(END)
        return best

    def split(self, text):
        """Cut a text into words, always taking the longest; None if stuck."""
        words = []
        while text:
            word = self.longest_start(text)
            if word is None:
                return None
            words.append(word)
            text = text[len(word):]
        return words
''',
        wrong="            best = node.get(END)\n",
        right="            best = node.get(END, best)\n",
        visible="""def test_contains():
    t = Trie(["car", "cart", "dog"])
    assert "car" in t
    assert "ca" not in t
    assert "carts" not in t


def test_starting_with():
    t = Trie(["cart", "car", "dog", "care"])
    assert t.starting_with("car") == ["car", "care", "cart"]
    assert t.starting_with("x") == []


def test_longest_start():
    t = Trie(["car", "cart"])
    assert t.longest_start("cartoon") == "cart"
    assert t.longest_start("dog") is None


def test_longest_start_when_a_longer_word_is_begun():
    t = Trie(["in", "interest"])
    assert t.longest_start("internal") == "in"


def test_split():
    t = Trie(["sun", "flower", "sunflower", "s"])
    assert t.split("sunflowerssun") == ["sunflower", "s", "sun"]
    assert t.split("sunny") is None


def test_empty_word():
    with pytest.raises(ValueError):
        Trie([""])
""",
        hidden="""def test_text_ends_inside_a_word():
    assert Trie(["a", "abcd"]).longest_start("abc") == "a"


def test_two_shorter_words():
    t = Trie(["a", "ab", "abcdef"])
    assert t.longest_start("abcdxyz") == "ab"


def test_split_falls_back():
    t = Trie(["fire", "firefly", "man", "f"])
    assert t.split("firefirefman") == ["fire", "fire", "f", "man"]


def test_split_nothing():
    assert Trie(["a"]).split("") == []


def test_no_word_reached():
    assert Trie(["abc"]).longest_start("abd") is None


def test_whole_word():
    assert Trie(["abc"]).longest_start("abc") == "abc"


def test_all_words():
    assert Trie(["b", "a", "ab"]).starting_with("") == ["a", "ab", "b"]
""",
    ),
    Program(
        name="cable_tree",
        code=r'''"""Distances in a tree of sites joined by cables."""


def neighbours(cables):
    """Map each site to a dict from its neighbours to the cable lengths."""
    joined = {}
    for a, b, length in cables:
        if length < 0:
            raise ValueError("negative length")
        joined.setdefault(a, {})[b] = length
        joined.setdefault(b, {})[a] = length
    return joined


def reach(cables, site):
    """The greatest distance from a site to any other."""
    joined = neighbours(cables)

    def walk(node, origin):
        ways = joined.get(node, {}).items()
        return max((length + walk(near, node) for near, length in ways if near != origin), default=0)

    return walk(site, None)


def diameter(cables):
    """The length of the longest way between two sites of the tree."""
    joined = neighbours(cables)
    if not joined:
        return 0
    longest = 0

    def depth(node, origin):
        """The longest way down from the node; notes the longest way through it."""
        nonlocal longest
        first = second = 0
        for near, length in joined[node].items():
            if near == origin:
                continue
            way = length + depth(near, node)
            if way > first:
                first = way
            elif way > second:
                second = way
        longest = max(longest, first + second)
        return first

    depth(next(iter(joined)), None)
    return longest


def centres(cables):
    """The sites from which the farthest other site is nearest, sorted."""
    joined = neighbours(cables)
    reaches = {site: reach(cables, site) for site in joined}
    least = min(reaches.values(), default=0)
    return sorted(site for site in joined if reaches[site] == least)
''',
        wrong="                first = way\n",
        right="                first, second = way, first\n",
        visible="""PATH = [("a", "b", 3), ("b", "c", 4)]


def test_reach():
    assert reach(PATH, "a") == 7
    assert reach(PATH, "b") == 4


def test_diameter_of_path():
    assert diameter(PATH) == 7


def test_diameter_of_star():
    assert diameter([("m", "x", 1), ("m", "y", 5), ("m", "z", 9)]) == 14


def test_diameter_empty():
    assert diameter([]) == 0


def test_centres():
    assert centres(PATH) == ["b"]
    assert centres([("a", "b", 2)]) == ["a", "b"]
""",
        hidden="""def test_star_in_falling_order():
    assert diameter([("m", "x", 9), ("m", "y", 5), ("m", "z", 1)]) == 14


def test_star_in_rising_order():
    assert diameter([("m", "w", 2), ("m", "x", 3), ("m", "y", 4)]) == 7


def test_fork_below_the_root():
    cables = [("r", "a", 1), ("a", "b", 2), ("a", "c", 6), ("c", "d", 1)]
    assert diameter(cables) == 9


def test_diameter_is_greatest_reach():
    cables = [(1, 2, 4), (1, 3, 7), (2, 4, 1), (2, 5, 8), (3, 6, 2), (3, 7, 3), (7, 8, 5)]
    assert diameter(cables) == max(reach(cables, n) for n in range(1, 9))


def test_one_cable():
    assert diameter([("a", "b", 2)]) == 2


def test_negative():
    with pytest.raises(ValueError):
        diameter([("a", "b", -2)])


def test_centres_of_star():
    assert centres([("m", "x", 1), ("m", "y", 5), ("m", "z", 9)]) == ["m"]
""",
    ),
    Program(
        name="lazy_sums",
        code=r'''"""A segment tree that adds to ranges and sums ranges."""


class RangeSums:
    """A row of numbers; ranges are half open, [start, stop)."""

    def __init__(self, values):
        self._size = len(values)
        if not self._size:
            raise ValueError("no values")
        self._sum = [0] * (4 * self._size)
        self._owed = [0] * (4 * self._size)
        self._build(1, 0, self._size, values)

    def _build(self, node, low, high, values):
        if high - low == 1:
            self._sum[node] = values[low]
            return
        middle = (low + high) // 2
        self._build(2 * node, low, middle, values)
        self._build(2 * node + 1, middle, high, values)
        self._sum[node] = self._sum[2 * node] + self._sum[2 * node + 1]

    def _give(self, node, width, amount):
        self._sum[node] += width * amount
        self._owed[node] = amount

    def _settle(self, node, low, high):
        """Hand what a node owes on to its children."""
        amount = self._owed[node]
        if amount:
            middle = (low + high) // 2
            self._give(2 * node, middle - low, amount)
            self._give(2 * node + 1, high - middle, amount)
            self._owed[node] = 0

    def add(self, start, stop, amount):
        """Add the amount to each number of the range."""
        self._check(start, stop)
        self._visit(1, 0, self._size, start, stop, amount)

    def total(self, start, stop):
        """The sum of the range."""
        self._check(start, stop)
        return self._visit(1, 0, self._size, start, stop, 0)

    def _check(self, start, stop):
        if not 0 <= start <= stop <= self._size:
            raise IndexError("bad range")

    def _visit(self, node, low, high, start, stop, amount):
        """Add to the part of the range under the node; return its sum."""
        if stop <= low or high <= start:
            return 0
        if start <= low and high <= stop:
            if amount:
                self._give(node, high - low, amount)
            return self._sum[node]
        self._settle(node, low, high)
        middle = (low + high) // 2
        left = self._visit(2 * node, low, middle, start, stop, amount)
        right = self._visit(2 * node + 1, middle, high, start, stop, amount)
        self._sum[node] = self._sum[2 * node] + self._sum[2 * node + 1]
        return left + right
''',
        wrong="        self._owed[node] = amount\n",
        right="        self._owed[node] += amount\n",
        visible="""def test_totals():
    s = RangeSums([1, 2, 3, 4, 5])
    assert s.total(0, 5) == 15
    assert s.total(1, 3) == 5
    assert s.total(2, 2) == 0


def test_add_once():
    s = RangeSums([0, 0, 0, 0])
    s.add(0, 4, 5)
    assert s.total(1, 3) == 10


def test_add_twice():
    s = RangeSums([0, 0, 0, 0])
    s.add(0, 4, 5)
    s.add(0, 4, 2)
    assert s.total(0, 4) == 28
    assert s.total(0, 1) == 7


def test_overlapping():
    s = RangeSums([1, 1, 1])
    s.add(0, 2, 1)
    s.add(1, 3, 1)
    assert [s.total(i, i + 1) for i in range(3)] == [2, 3, 2]


def test_bad_range():
    with pytest.raises(IndexError):
        RangeSums([1]).total(0, 2)
""",
        hidden="""def each(s, n):
    return [s.total(i, i + 1) for i in range(n)]


def test_same_half_twice():
    s = RangeSums([1, 2, 3, 4, 5, 6, 7, 8])
    s.add(4, 8, 10)
    s.add(4, 8, 100)
    assert s.total(4, 8) == 466
    assert each(s, 8) == [1, 2, 3, 4, 115, 116, 117, 118]


def test_whole_after_half():
    s = RangeSums([0] * 6)
    s.add(0, 3, 4)
    s.add(0, 6, 1)
    assert each(s, 6) == [5, 5, 5, 1, 1, 1]


def test_add_and_take_back():
    s = RangeSums([3, 1, 4, 1])
    s.add(0, 4, 9)
    s.add(0, 4, -9)
    assert each(s, 4) == [3, 1, 4, 1]


def test_against_list():
    values = [i * i % 7 for i in range(13)]
    s = RangeSums(values)
    for step in range(60):
        start, stop = sorted((step * 5 % 14, step * 11 % 14))
        s.add(start, stop, step % 5 - 2)
        for i in range(start, stop):
            values[i] += step % 5 - 2
        assert s.total(step % 7, 13) == sum(values[step % 7:])
    assert each(s, 13) == values


def test_one_value():
    s = RangeSums([5])
    s.add(0, 1, 2)
    s.add(0, 1, 3)
    assert s.total(0, 1) == 10


def test_empty():
    with pytest.raises(ValueError):
        RangeSums([])
""",
    ),
    Program(
        name="few_stops",
        code=r'''"""Cheapest journeys with a limited number of flights."""

INFINITY = float("inf")


def fares(flights):
    """Map each (from, to) pair to its cheapest price."""
    best = {}
    for start, end, price in flights:
        if price < 0:
            raise ValueError("negative price")
        best[start, end] = min(price, best.get((start, end), INFINITY))
    return best


def cheapest(flights, start, goal, most):
    """The least price of a journey of at most `most` flights, or None.

    A journey from a place to itself needs no flight and costs nothing.
    """
    prices = fares(flights)
    cost = {start: 0}
    for _ in range(most):
        before = dict(cost)
        for (a, b), price in prices.items():
            offer = cost.get(a, INFINITY) + price
            if offer < before.get(b, INFINITY) and offer < cost.get(b, INFINITY):
                cost[b] = offer
        if cost == before:
            break
    return cost.get(goal)


def fewest(flights, start, goal):
    """The least number of flights that leads from start to goal, or None."""
    pairs = fares(flights)
    reached, rounds = {start}, 0
    while goal not in reached:
        more = {b for a, b in pairs if a in reached} - reached
        if not more:
            return None
        reached |= more
        rounds += 1
    return rounds


def offers(flights, start, goal):
    """(flights, price) pairs: each further pair is a longer, cheaper journey."""
    pairs = []
    places = {place for flight in flights for place in flight[:2]}
    for most in range(len(places) + 1):
        price = cheapest(flights, start, goal, most)
        if price is not None and (not pairs or price < pairs[-1][1]):
            pairs.append((most, price))
    return pairs
''',
        wrong="            offer = cost.get(a, INFINITY) + price\n",
        right="            offer = before.get(a, INFINITY) + price\n",
        visible="""FLIGHTS = [("A", "B", 100), ("B", "C", 100), ("A", "C", 500), ("C", "D", 50)]


def test_fares():
    assert fares([("A", "B", 7), ("A", "B", 5)]) == {("A", "B"): 5}


def test_one_flight_only():
    assert cheapest(FLIGHTS, "A", "C", 1) == 500


def test_two_flights():
    assert cheapest(FLIGHTS, "A", "C", 2) == 200


def test_fewest():
    assert fewest(FLIGHTS, "A", "D") == 2
    assert fewest(FLIGHTS, "D", "A") is None


def test_offers():
    assert offers(FLIGHTS, "A", "D") == [(2, 550), (3, 250)]


def test_home():
    assert cheapest(FLIGHTS, "A", "A", 0) == 0
""",
        hidden="""def test_not_enough_flights():
    line = [(i, i + 1, 1) for i in range(6)]
    assert cheapest(line, 0, 5, 4) is None
    assert cheapest(line, 0, 5, 5) == 5


def test_each_limit():
    flights = [("s", "a", 1), ("a", "b", 1), ("b", "t", 1), ("a", "t", 10), ("s", "t", 30)]
    assert [cheapest(flights, "s", "t", k) for k in range(5)] == [None, 30, 11, 3, 3]


def test_offers_of_three_lengths():
    flights = [("s", "a", 1), ("a", "b", 1), ("b", "t", 1), ("a", "t", 10), ("s", "t", 30)]
    assert offers(flights, "s", "t") == [(1, 30), (2, 11), (3, 3)]


def test_any_order_of_flights():
    flights = [("b", "t", 1), ("a", "b", 1), ("s", "a", 1)]
    assert cheapest(flights, "s", "t", 2) is None
    assert cheapest(flights, "s", "t", 3) == 3


def test_no_way():
    assert cheapest([("a", "b", 1)], "b", "a", 5) is None


def test_negative():
    with pytest.raises(ValueError):
        cheapest([("a", "b", -1)], "a", "b", 1)


def test_fewest_home():
    assert fewest([("a", "b", 1)], "a", "a") == 0
""",
    ),
    Program(
        name="semester_plan",
        code=r'''"""Plan courses over semesters so that each comes after what it needs."""


class CycleError(ValueError):
    """The courses need each other in a circle."""


def followers(needs):
    """Map each course to the list of the courses that need it."""
    after = {course: [] for course in needs}
    for course, earlier in needs.items():
        for other in earlier:
            after.setdefault(other, []).append(course)
    return after


def semesters(needs):
    """Map each course to the first semester (from 1) in which it can be taken.

    `needs` maps a course to the courses that must be taken in earlier
    semesters.  Courses that are only mentioned as needed need nothing.
    """
    after = followers(needs)
    missing = {course: len(set(needs.get(course, ()))) for course in after}
    semester = {course: 1 for course in after}
    ready = [course for course, count in missing.items() if count == 0]
    done = 0
    while ready:
        course = ready.pop()
        done += 1
        for later in set(after[course]):
            semester[later] = semester[course] + 1
            missing[later] -= 1
            if missing[later] == 0:
                ready.append(later)
    if done < len(after):
        raise CycleError(sorted(course for course in missing if missing[course]))
    return semester


def timetable(needs):
    """The sorted courses of each semester, as a list of lists."""
    semester = semesters(needs)
    rows = [[] for _ in range(max(semester.values(), default=0))]
    for course in sorted(semester):
        rows[semester[course] - 1].append(course)
    return rows


def all_needed(needs, course):
    """Everything that must be taken before a course, directly or not."""
    found, waiting = set(), list(needs.get(course, ()))
    while waiting:
        other = waiting.pop()
        if other not in found:
            found.add(other)
            waiting.extend(needs.get(other, ()))
    return found
''',
        wrong="            semester[later] = semester[course] + 1\n",
        right="            semester[later] = max(semester[later], semester[course] + 1)\n",
        visible="""def test_chain():
    assert semesters({"b": ["a"], "c": ["b"]}) == {"a": 1, "b": 2, "c": 3}


def test_free_courses():
    assert timetable({"x": [], "y": []}) == [["x", "y"]]
    assert timetable({}) == []


def test_short_and_long_way():
    needs = {"intro": [], "essay": [], "logic": ["intro"], "proofs": ["logic"]}
    assert semesters({**needs, "thesis": ["proofs", "essay"]})["thesis"] == 4
    assert semesters({"essay": [], **needs, "thesis": ["essay", "proofs"]})["thesis"] == 4
    needs = {"essay": [], "intro": [], "logic": ["intro"], "proofs": ["logic"]}
    assert semesters({**needs, "thesis": ["proofs", "essay"]})["thesis"] == 4


def test_circle():
    with pytest.raises(CycleError):
        semesters({"a": ["b"], "b": ["a"]})


def test_all_needed():
    assert all_needed({"c": ["b"], "b": ["a"]}, "c") == {"a", "b"}
""",
        hidden="""def test_two_ends():
    first = {"a": [], "z": [], "b": ["a"], "c": ["b"], "d": ["c", "z"]}
    second = {"z": [], "a": [], "b": ["a"], "c": ["b"], "d": ["c", "z"]}
    for needs in (first, second):
        assert timetable(needs) == [["a", "z"], ["b"], ["c"], ["d"]]


def test_each_comes_after_its_needs():
    needs = {n: [m for m in range(1, n) if n % m == 0] for n in range(1, 41)}
    plan = semesters(needs)
    assert all(plan[m] < plan[n] for n in needs for m in needs[n])
    assert plan[32] == 6 and plan[37] == 2


def test_reversed_order():
    needs = {n: [m for m in range(1, n) if n % m == 0] for n in range(40, 0, -1)}
    plan = semesters(needs)
    assert all(plan[m] < plan[n] for n in needs for m in needs[n])


def test_need_named_twice():
    assert semesters({"b": ["a", "a"]}) == {"a": 1, "b": 2}


def test_diamond():
    assert semesters({"d": ["b", "c"], "b": ["a"], "c": ["a"]}) == {"a": 1, "b": 2, "c": 2, "d": 3}


def test_circle_of_three():
    with pytest.raises(CycleError):
        timetable({"a": ["c"], "b": ["a"], "c": ["b"], "d": []})
""",
    ),
    Program(
        name="critical_links",
        code=r'''"""Links of a network without which it would fall apart."""


def network(links):
    """Map each node to the sorted list of its neighbours."""
    near = {}
    for a, b in links:
        if a == b:
            raise ValueError("a link needs two ends")
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    return {node: sorted(others) for node, others in near.items()}


def critical_links(links):
    """The links (smaller end first, sorted) whose loss would separate their ends."""
    near = network(links)
    number, low, found = {}, {}, []

    def visit(node, origin):
        number[node] = low[node] = len(number)
        for other in near[node]:
            if other == origin:
                continue
            if other in number:
                low[node] = min(low[node], number[other])
                continue
            visit(other, node)
            low[node] = min(low[node], low[other])
            if low[other] >= number[node]:
                found.append((min(node, other), max(node, other)))

    for node in near:
        if node not in number:
            visit(node, None)
    return sorted(found)


def is_robust(links):
    """Whether every link could be lost without separating its ends."""
    return not critical_links(links)


def groups(links):
    """The sorted groups of nodes that stay together if all critical links are lost."""
    near = network(links)
    cut = set(critical_links(links))
    seen, out = set(), []
    for start in sorted(near):
        if start in seen:
            continue
        seen.add(start)
        group, waiting = [], [start]
        while waiting:
            node = waiting.pop()
            group.append(node)
            for other in near[node]:
                if other not in seen and (min(node, other), max(node, other)) not in cut:
                    seen.add(other)
                    waiting.append(other)
        out.append(sorted(group))
    return out
''',
        wrong="            if low[other] >= number[node]:\n",
        right="            if low[other] > number[node]:\n",
        visible="""def test_path():
    assert critical_links([(2, 1), (2, 3)]) == [(1, 2), (2, 3)]


def test_triangle():
    assert critical_links([(1, 2), (2, 3), (3, 1)]) == []


def test_two_triangles_and_a_bridge():
    links = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6), (6, 4)]
    assert critical_links(links) == [(3, 4)]
    assert groups(links) == [[1, 2, 3], [4, 5, 6]]


def test_groups_of_path():
    assert groups([("a", "b"), ("c", "d")]) == [["a"], ["b"], ["c"], ["d"]]


def test_empty():
    assert is_robust([])


def test_loop():
    with pytest.raises(ValueError):
        critical_links([(1, 1)])
""",
        hidden="""def test_square_with_tail():
    links = [(1, 2), (2, 3), (3, 4), (4, 1), (4, 9)]
    assert critical_links(links) == [(4, 9)]
    assert not is_robust(links)


def test_ring():
    assert is_robust([(i, (i + 1) % 7) for i in range(7)])


def test_triangles_at_a_node():
    links = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 3)]
    assert critical_links(links) == []
    assert groups(links) == [[1, 2, 3, 4, 5]]


def test_same_link_twice():
    assert critical_links([(1, 2), (2, 1)]) == [(1, 2)]


def test_two_networks():
    links = [("a", "b"), ("x", "y"), ("y", "z"), ("z", "x")]
    assert critical_links(links) == [("a", "b")]
    assert groups(links) == [["a"], ["b"], ["x", "y", "z"]]


def test_star():
    assert critical_links([(0, i) for i in range(1, 5)]) == [(0, 1), (0, 2), (0, 3), (0, 4)]
""",
    ),
    Program(
        name="spanning_cables",
        code=r'''"""Join sites with the least length of cable."""


class Groups:
    """Which sites are joined already."""

    def __init__(self):
        self._parent = {}
        self._size = {}

    def find(self, site):
        """The site that stands for the group of a site."""
        if site not in self._parent:
            self._parent[site] = site
            self._size[site] = 1
        while self._parent[site] != site:
            self._parent[site] = self._parent[self._parent[site]]
            site = self._parent[site]
        return site

    def size(self, site):
        """How many sites are in the group of a site."""
        return self._size[self.find(site)]

    def join(self, a, b):
        """Make one group of two; False if they were one already."""
        top, low = self.find(a), self.find(b)
        if top == low:
            return False
        if self._size[top] < self._size[low]:
            top, low = low, top
        self._parent[low] = top
        self._size[a] += self._size[low]
        return True


def cheapest_cables(cables):
    """The (a, b, length) cables to lay, the shortest first, so that all is joined.

    Sites that no cables connect stay apart.  Of cables of equal length the one
    named first is preferred.
    """
    groups = Groups()
    return [cable for cable in sorted(cables, key=lambda c: c[2]) if groups.join(*cable[:2])]


def total_length(cables):
    """The length of all cables to lay."""
    return sum(cable[2] for cable in cheapest_cables(cables))


def largest_group(cables, longest):
    """The size of the largest group joined by cables of at most some length."""
    groups = Groups()
    best = 0
    for a, b, length in cables:
        if length <= longest:
            groups.join(a, b)
            best = max(best, groups.size(a))
    return best
''',
        wrong="        self._size[a] += self._size[low]\n",
        right="        self._size[top] += self._size[low]\n",
        visible="""CABLES = [("a", "b", 4), ("b", "c", 2), ("a", "c", 3), ("c", "d", 7)]


def test_cheapest():
    assert cheapest_cables(CABLES) == [("b", "c", 2), ("a", "c", 3), ("c", "d", 7)]


def test_total():
    assert total_length(CABLES) == 12
    assert total_length([]) == 0


def test_join():
    g = Groups()
    assert g.join(1, 2)
    assert not g.join(2, 1)
    assert g.find(1) == g.find(2)


def test_size():
    g = Groups()
    for a, b in [(1, 2), (2, 3), (4, 3)]:
        g.join(a, b)
    assert [g.size(n) for n in (1, 2, 3, 4, 5)] == [4, 4, 4, 4, 1]


def test_largest_group():
    assert largest_group(CABLES, 3) == 3
    assert largest_group(CABLES, 1) == 0
""",
        hidden="""def test_sizes_of_two_pairs():
    g = Groups()
    g.join("a", "b")
    g.join("c", "d")
    g.join("b", "d")
    assert [g.size(x) for x in "abcd"] == [4, 4, 4, 4]


def test_new_site_first():
    g = Groups()
    g.join(1, 2)
    g.join(3, 1)
    g.join(4, 2)
    assert g.size(2) == 4


def test_largest_group_of_chain():
    chain = [(i, i + 1, 1) for i in range(9)]
    assert largest_group(chain, 1) == 10
    assert largest_group(chain[::-1], 1) == 10


def test_largest_of_two_groups():
    cables = [(1, 2, 5), (3, 4, 1), (5, 4, 2), (2, 6, 9)]
    assert largest_group(cables, 5) == 3
    assert largest_group(cables, 9) == 3


def test_equal_lengths():
    cables = [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)]
    assert cheapest_cables(cables) == [("a", "b", 1), ("b", "c", 1)]


def test_apart():
    assert total_length([(1, 2, 3), (8, 9, 4)]) == 7
""",
    ),
    Program(
        name="typo_distance",
        code=r'''"""How many typing mistakes lie between two words."""


def distance(one, two):
    """The least number of mistakes that turn one word into the other.

    A mistake is a letter too many, a letter too few, a wrong letter, or two
    neighbouring letters in the wrong order.
    """
    rows, columns = len(one) + 1, len(two) + 1
    table = [[0] * columns for _ in range(rows)]
    for i in range(rows):
        table[i][0] = i
    for j in range(columns):
        table[0][j] = j
    for i in range(1, rows):
        for j in range(1, columns):
            table[i][j] = min(
                table[i - 1][j] + 1,
                table[i][j - 1] + 1,
                table[i - 1][j - 1] + (one[i - 1] != two[j - 1]),
            )
            if i > 1 and j > 1 and one[i - 2:i] == two[j - 2:j]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


def closest(word, words, most=2):
    """The known words with the fewest mistakes (at most `most`), sorted."""
    near = {other: distance(word, other) for other in words}
    best = min(near.values(), default=None)
    if best is None or best > most:
        return []
    return sorted(other for other in near if near[other] == best)


def similarity(one, two):
    """1.0 for equal words, 0.0 for words that have nothing in common."""
    longest = max(len(one), len(two))
    return 1.0 if longest == 0 else 1 - distance(one, two) / longest
''',
        wrong="one[i - 2:i] == two[j - 2:j]:",
        right="one[i - 2:i] == two[j - 2:j][::-1]:",
        visible="""def test_simple_mistakes():
    assert distance("house", "hose") == 1
    assert distance("cat", "cart") == 1
    assert distance("cat", "cut") == 1


def test_swapped_letters():
    assert distance("form", "from") == 1


def test_empty():
    assert distance("", "abc") == 3
    assert distance("", "") == 0


def test_closest():
    assert closest("hte", ["hat", "the", "hotel", "hate"]) == ["hate", "the"]
    assert closest("zzzzz", ["the"]) == []


def test_similarity():
    assert similarity("abcd", "abcx") == 0.75
""",
        hidden="""def test_swap_at_the_start():
    assert distance("ab", "ba") == 1


def test_swap_and_another():
    assert distance("wrold", "worlds") == 2


def test_two_swaps():
    assert distance("badc", "abcd") == 2


def test_equal_words_with_repeats():
    assert distance("aabbaa", "aabbaa") == 0
    assert distance("aaa", "aaaa") == 1


def test_known_pair():
    assert distance("kitten", "sitting") == 3
    assert distance("sunday", "saturday") == 3


def test_closest_prefers_swap():
    assert closest("recieve", ["receive", "relieve", "retrieve"]) == ["receive", "relieve"]
    assert closest("thier", ["their", "tier", "there"]) == ["their", "tier"]


def test_similarity_of_swap():
    assert similarity("ab", "ba") == 0.5
    assert similarity("", "") == 1.0
""",
    ),
    Program(
        name="palindrome_parts",
        code=r'''"""Palindromes hidden in a text."""


def longest_hidden(text):
    """The length of the longest palindrome left when letters are struck out."""
    size = len(text)
    if size == 0:
        return 0
    best = [[0] * size for _ in range(size)]
    for i in range(size):
        best[i][i] = 1
        for j in range(i + 1, size):
            if text[i] == text[j]:
                best[i][j] = best[i + 1][j - 1] + 2
            else:
                best[i][j] = max(best[i + 1][j], best[i][j - 1])
    return best[0][-1]


def strikes(text):
    """How few letters must be struck out to leave a palindrome."""
    return len(text) - longest_hidden(text)


def fewest_pieces(text):
    """The least number of palindromes the text can be cut into."""
    least = [0] + [len(text)] * len(text)
    for end in range(1, len(text) + 1):
        for start in range(end):
            piece = text[start:end]
            if piece == piece[::-1]:
                least[end] = min(least[end], least[start] + 1)
    return least[-1]


def longest_block(text):
    """The longest palindrome that stands in the text; the first of equals."""
    best = ""
    for middle in range(len(text)):
        for low, high in ((middle, middle), (middle, middle + 1)):
            while low >= 0 and high < len(text) and text[low] == text[high]:
                low -= 1
                high += 1
            if high - low - 1 > len(best):
                best = text[low + 1:high]
    return best
''',
        wrong="    for i in range(size):\n",
        right="    for i in range(size - 1, -1, -1):\n",
        visible="""def test_hidden_short():
    assert longest_hidden("") == 0
    assert longest_hidden("x") == 1
    assert longest_hidden("aa") == 2


def test_hidden():
    assert longest_hidden("character") == 5


def test_strikes():
    assert strikes("level") == 0
    assert strikes("abcda") == 2


def test_pieces():
    assert fewest_pieces("aab") == 2
    assert fewest_pieces("") == 0


def test_block():
    assert longest_block("banana") == "anana"
""",
        hidden="""def test_hidden_apart():
    assert longest_hidden("agbdba") == 5
    assert longest_hidden("bbbab") == 4


def test_palindrome_needs_no_strike():
    for word in ("noon", "racecar", "aaaa", "abacaba"):
        assert strikes(word) == 0


def test_all_different():
    assert longest_hidden("abcdef") == 1


def test_first_and_last():
    assert longest_hidden("axyza") == 3


def test_strikes_at_the_end():
    assert strikes("levels") == 1
    assert strikes("xnoon") == 1


def test_pieces_more():
    assert fewest_pieces("racecarannakayak") == 3
    assert fewest_pieces("abc") == 3


def test_block_even():
    assert longest_block("xabbay") == "abba"
    assert longest_block("ab") == "a"
""",
    ),
    Program(
        name="best_bookings",
        code=r'''"""Choose bookings of a room so that it earns the most."""

from bisect import bisect_left, bisect_right


def check(bookings):
    """Raise ValueError if a (start, end, pay) booking is not possible."""
    for start, end, pay in bookings:
        if start >= end or pay < 0:
            raise ValueError(f"bad booking {(start, end, pay)}")


def choose(bookings):
    """The pay and the chosen bookings, in order of time.

    A booking may start at the moment in which another one ends.
    """
    check(bookings)
    ordered = sorted(bookings, key=lambda booking: booking[1])
    ends = [end for _, end, _ in ordered]
    best = [0]
    fits = []
    for i, (start, _, pay) in enumerate(ordered):
        fits.append(bisect_left(ends, start, 0, i))
        best.append(max(best[i], best[fits[i]] + pay))
    chosen = []
    i = len(ordered)
    while i > 0:
        if best[i] == best[i - 1]:
            i -= 1
        else:
            chosen.append(ordered[i - 1])
            i = fits[i - 1]
    return best[-1], chosen[::-1]


def overlap(one, two):
    """Whether two bookings need the room at the same time."""
    return one[0] < two[1] and two[0] < one[1]


def busy_at(bookings, moment):
    """How many bookings want the room at a moment (their start counts, the end not)."""
    starts = sorted(start for start, _, _ in bookings)
    ends = sorted(end for _, end, _ in bookings)
    return bisect_right(starts, moment) - bisect_right(ends, moment)
''',
        wrong="        fits.append(bisect_left(ends, start, 0, i))\n",
        right="        fits.append(bisect_right(ends, start, 0, i))\n",
        visible="""def test_nothing():
    assert choose([]) == (0, [])


def test_apart():
    assert choose([(5, 6, 2), (1, 3, 4)]) == (6, [(1, 3, 4), (5, 6, 2)])


def test_overlapping():
    assert choose([(1, 4, 5), (3, 6, 7)]) == (7, [(3, 6, 7)])


def test_back_to_back():
    assert choose([(1, 3, 5), (3, 5, 6), (2, 4, 8)]) == (11, [(1, 3, 5), (3, 5, 6)])


def test_busy():
    assert busy_at([(1, 3, 0), (2, 4, 0)], 2) == 2
    assert busy_at([(1, 3, 0), (2, 4, 0)], 3) == 1


def test_bad():
    with pytest.raises(ValueError):
        choose([(3, 3, 1)])
""",
        hidden="""def test_whole_day():
    hours = [(h, h + 1, 1) for h in range(8, 18)]
    assert choose(hours) == (10, hours)


def test_touching_pair():
    assert choose([(0, 2, 3), (2, 9, 4)]) == (7, [(0, 2, 3), (2, 9, 4)])


def test_long_one_pays_more():
    assert choose([(0, 2, 3), (2, 4, 4), (1, 3, 10)]) == (10, [(1, 3, 10)])


def test_several_end_together():
    assert choose([(0, 5, 1), (2, 5, 9), (4, 5, 3), (5, 6, 2)]) == (11, [(2, 5, 9), (5, 6, 2)])


def test_chosen_do_not_overlap():
    bookings = [(s, s + 1 + s * 7 % 4, 1 + s * 5 % 6) for s in range(15)]
    pay, chosen = choose(bookings)
    assert pay == sum(b[2] for b in chosen)
    assert not any(overlap(a, b) for a in chosen for b in chosen if a is not b)


def test_against_all_subsets():
    from itertools import combinations
    bookings = [(s * 3 % 8, s * 3 % 8 + 1 + s % 3, 1 + s * 5 % 7) for s in range(8)]
    most = max(
        sum(b[2] for b in some)
        for n in range(9) for some in combinations(bookings, n)
        if not any(overlap(a, b) for a, b in combinations(some, 2))
    )
    assert choose(bookings)[0] == most


def test_overlap():
    assert not overlap((1, 3, 0), (3, 4, 0))
    assert overlap((1, 5, 0), (2, 3, 0))
""",
    ),
    Program(
        name="even_lines",
        code=r'''"""Break a text into lines of about the same length."""


def line_length(words):
    """The length of a line made of these words, with single spaces."""
    return sum(map(len, words)) + max(0, len(words) - 1)


def raggedness(lines, width):
    """The sum of the squares of the free places at the line ends.

    The last line may be as short as it likes and does not count.
    """
    return sum((width - len(line)) ** 2 for line in lines[:-1])


def break_evenly(text, width):
    """The lines of the text, none longer than `width`, with the least raggedness."""
    words = text.split()
    if any(len(word) > width for word in words):
        raise ValueError("a word is longer than the line")
    count = len(words)
    cost = [0] * (count + 1)
    ends = [count] * (count + 1)
    for start in range(count - 1, -1, -1):
        cost[start] = float("inf")
        for end in range(start + 1, count + 1):
            free = width - line_length(words[start:end])
            if free < 0:
                break
            price = free ** 2 + cost[end]
            if price < cost[start]:
                cost[start] = price
                ends[start] = end
    lines, start = [], 0
    while start < count:
        lines.append(" ".join(words[start:ends[start]]))
        start = ends[start]
    return lines


def break_greedily(text, width):
    """The lines of the text when each takes as many words as it can."""
    lines = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
''',
        wrong="            price = free ** 2 + cost[end]\n",
        right="            price = (free ** 2 if end < count else 0) + cost[end]\n",
        visible="""def test_length():
    assert line_length(["ab", "c"]) == 4
    assert line_length([]) == 0


def test_raggedness():
    assert raggedness(["aaa", "a", "b"], 4) == 10


def test_even():
    assert break_evenly("aaa bb cc ddddd", 6) == ["aaa", "bb cc", "ddddd"]


def test_short_last_line_is_free():
    assert break_evenly("aaaa bb cc d", 7) == ["aaaa bb", "cc d"]
    assert break_evenly("aa bb cc dd e", 11) == ["aa bb cc dd", "e"]


def test_greedy():
    assert break_greedily("aaa bb cc ddddd", 6) == ["aaa bb", "cc", "ddddd"]


def test_too_long():
    with pytest.raises(ValueError):
        break_evenly("abcdef", 5)
""",
        hidden="""def test_full_first_line():
    assert break_evenly("one two six ten a", 15) == ["one two six ten", "a"]


def test_two_words():
    assert break_evenly("abcd efg", 8) == ["abcd efg"]
    assert break_evenly("abcd efg", 7) == ["abcd", "efg"]


def test_never_worse_than_greedy():
    text = "the quick brown fox jumps over the lazy dog and runs away from it all in the end"
    for width in range(5, 40):
        even, greedy = break_evenly(text, width), break_greedily(text, width)
        assert raggedness(even, width) <= raggedness(greedy, width)
        assert " ".join(even) == text
        assert max(map(len, even)) <= width


def test_nothing():
    assert break_evenly("", 5) == []


def test_one_line():
    assert break_evenly("  a   b ", 10) == ["a b"]


def test_last_word_alone():
    assert break_evenly("aaa bbb cc", 7) == ["aaa bbb", "cc"]
    assert break_evenly("aaa bbb ccc d", 11) == ["aaa bbb ccc", "d"]
""",
    ),
    Program(
        name="distinct_subsets",
        code=r'''"""Enumerate choices from a bag whose items may repeat."""


def subsets(items):
    """All different sub-bags of the items, as sorted tuples.

    They come in lexicographic order, the empty one first; no sub-bag comes
    twice, even if the bag holds equal items.
    """
    ordered = sorted(items)
    found = []

    def extend(start, chosen):
        found.append(tuple(chosen))
        for i in range(start, len(ordered)):
            if i > 0 and ordered[i] == ordered[i - 1]:
                continue
            chosen.append(ordered[i])
            extend(i + 1, chosen)
            chosen.pop()

    extend(0, [])
    return found


def arrangements(items):
    """All different orders of the items, as tuples in lexicographic order."""
    ordered = sorted(items)
    used = [False] * len(ordered)
    found = []

    def extend(row):
        if len(row) == len(ordered):
            found.append(tuple(row))
            return
        last = None
        for i, item in enumerate(ordered):
            if used[i] or (last is not None and item == ordered[last]):
                continue
            last = i
            used[i] = True
            extend(row + [item])
            used[i] = False

    extend([])
    return found


def sums(numbers):
    """All different sums of sub-bags, sorted."""
    return sorted({sum(chosen) for chosen in subsets(numbers)})


def ways(numbers, target):
    """The different sub-bags with a certain sum."""
    return [chosen for chosen in subsets(numbers) if sum(chosen) == target]
''',
        wrong="            if i > 0 and ordered[i] == ordered[i - 1]:\n",
        right="            if i > start and ordered[i] == ordered[i - 1]:\n",
        visible="""def test_different_items():
    assert subsets([2, 1]) == [(), (1,), (1, 2), (2,)]


def test_equal_items():
    assert subsets([1, 2, 1]) == [(), (1,), (1, 1), (1, 1, 2), (1, 2), (2,)]


def test_arrangements():
    assert arrangements("aba") == [("a", "a", "b"), ("a", "b", "a"), ("b", "a", "a")]


def test_sums():
    assert sums([5, 3]) == [0, 3, 5, 8]


def test_ways():
    assert ways([1, 1, 2, 3], 4) == [(1, 1, 2), (1, 3)]
""",
        hidden="""def test_all_equal():
    assert subsets("aaa") == [(), ("a",), ("a", "a"), ("a", "a", "a")]


def test_no_repeats_and_complete():
    from itertools import combinations
    items = [3, 1, 3, 2, 2, 3]
    expected = {c for n in range(7) for c in combinations(sorted(items), n)}
    assert subsets(items) == sorted(expected)


def test_empty():
    assert subsets([]) == [()]
    assert arrangements([]) == [()]


def test_sums_of_equals():
    assert sums([2, 2, 2]) == [0, 2, 4, 6]


def test_ways_with_pairs():
    assert ways([2, 2, 4, 4], 8) == [(2, 2, 4), (4, 4)]


def test_arrangements_of_different():
    assert len(arrangements("abcd")) == 24
""",
    ),
    Program(
        name="change_ways",
        code=r'''"""Ways to pay an amount with coins."""


def ways(amount, coins):
    """All ways to pay the amount, each a list of coins from large to small.

    Every kind of coin may be used any number of times.  Ways with larger
    coins come first.
    """
    kinds = sorted(set(coins), reverse=True)
    if any(coin < 1 for coin in kinds):
        raise ValueError("coins must be positive")
    found = []

    def pay(rest, first, chosen):
        if rest == 0:
            found.append(chosen)
            return
        for i in range(first, len(kinds)):
            if kinds[i] <= rest:
                chosen.append(kinds[i])
                pay(rest - kinds[i], i, chosen)
                chosen.pop()

    pay(amount, 0, [])
    return found


def count_ways(amount, coins):
    """How many ways there are to pay the amount."""
    return len(ways(amount, coins))


def fewest(amount, coins):
    """A way with the fewest coins (the first such way), or None."""
    return min(ways(amount, coins), key=len, default=None)


def purse(way):
    """A text such as '2x5 1x1' that tells the coins of a way."""
    kinds = sorted(set(way), reverse=True)
    return " ".join(f"{way.count(coin)}x{coin}" for coin in kinds)
''',
        wrong="            found.append(chosen)\n",
        right="            found.append(chosen[:])\n",
        visible="""def test_ways():
    assert ways(5, [1, 2]) == [[2, 2, 1], [2, 1, 1, 1], [1, 1, 1, 1, 1]]


def test_no_way():
    assert ways(3, [2]) == []
    assert fewest(3, [2]) is None


def test_count():
    assert count_ways(10, [1, 5, 10]) == 4


def test_fewest():
    assert fewest(6, [1, 3, 4]) == [3, 3]


def test_purse():
    assert purse([5, 5, 1]) == "2x5 1x1"


def test_bad_coin():
    with pytest.raises(ValueError):
        ways(3, [0, 1])
""",
        hidden="""def test_each_way_adds_up():
    found = ways(12, [5, 2, 3])
    assert len(found) == 5
    assert all(sum(way) == 12 for way in found)


def test_ways_are_different():
    found = ways(8, [1, 2, 4])
    assert len({tuple(way) for way in found}) == len(found) == 9


def test_nothing_to_pay():
    assert ways(0, [1, 2]) == [[]]
    assert fewest(0, [1]) == []


def test_coin_named_twice():
    assert ways(4, [2, 2]) == [[2, 2]]


def test_fewest_prefers_large():
    assert fewest(6, [1, 5, 2, 4]) == [5, 1]


def test_purse_of_fewest():
    assert purse(fewest(13, [5, 1])) == "2x5 3x1"
""",
    ),
    Program(
        name="digit_targets",
        code=r'''"""Put +, - and * between digits to reach a number."""


def expressions(digits, target):
    """All ways to write the digits with signs so that they make the target.

    Between two digits there may be '+', '-', '*' or nothing (they then form a
    longer number, which must not begin with 0).  '*' binds more tightly than
    '+' and '-'.  The answer is sorted.
    """
    if not digits.isdigit():
        raise ValueError("digits only")
    found = []

    def extend(start, text, value, last):
        """`value` is what the text makes; `last` its last summand."""
        if start == len(digits):
            if value == target:
                found.append(text)
            return
        for end in range(start + 1, len(digits) + 1):
            piece = digits[start:end]
            if len(piece) > 1 and piece[0] == "0":
                break
            number = int(piece)
            if start == 0:
                extend(end, piece, number, number)
                continue
            extend(end, text + "+" + piece, value + number, number)
            extend(end, text + "-" + piece, value - number, number)
            extend(end, text + "*" + piece, value - last + last * number, last * number)

    extend(0, "", 0, 0)
    return sorted(found)


def shortest(digits, target):
    """The expression with the fewest signs (the first of them), or None."""
    return min(expressions(digits, target), key=len, default=None)


def reachable(digits, numbers):
    """Those of the numbers that can be made from the digits."""
    return [number for number in numbers if expressions(digits, number)]
''',
        wrong="value - number, number)",
        right="value - number, -number)",
        visible="""def test_plus_and_times():
    assert expressions("123", 6) == ["1*2*3", "1+2+3"]


def test_precedence():
    assert expressions("232", 8) == ["2*3+2", "2+3*2"]


def test_minus_before_times():
    assert "9-2*3" in expressions("923", 3)


def test_zero():
    assert expressions("105", 5) == ["1*0+5", "10-5"]


def test_shortest():
    assert shortest("1234", 46) == "12+34"
    assert shortest("11", 5) is None


def test_not_digits():
    with pytest.raises(ValueError):
        expressions("1a", 1)
""",
        hidden="""def test_all_are_true():
    for target in range(-30, 31):
        for text in expressions("3456", target):
            assert eval(text) == target


def test_none_is_missing():
    from itertools import product
    made = {}
    for signs in product(["", "+", "-", "*"], repeat=3):
        text = "7" + signs[0] + "2" + signs[1] + "3" + signs[2] + "4"
        made.setdefault(eval(text), []).append(text)
    for target, texts in made.items():
        assert expressions("7234", target) == sorted(texts)


def test_minus_and_two_times():
    assert "1-2*3*4" in expressions("1234", -23)


def test_minus_zero():
    assert expressions("500", 5) == ["5+0*0", "5+0+0", "5+0-0", "5-0*0", "5-0+0", "5-0-0"]


def test_one_digit():
    assert expressions("7", 7) == ["7"]
    assert expressions("7", 8) == []


def test_reachable():
    assert reachable("222", [-2, 0, 1, 2, 6, 8]) == [-2, 2, 6, 8]
""",
    ),
    Program(
        name="flat_settings",
        code=r'''"""Turn nested settings into flat ones and back."""


def flatten(settings, prefix=""):
    """Map dotted paths such as 'window.size.x' to the values.

    Lists count as settings with the keys 0, 1, 2, ...  Empty dicts and lists
    are values.
    """
    flat = {}
    pairs = settings.items() if isinstance(settings, dict) else enumerate(settings)
    for key, value in pairs:
        path = f"{prefix}.{key}" if prefix else str(key)
        if isinstance(value, (dict, list)):
            flat.update(flatten(value, path))
        else:
            flat[path] = value
    return flat


def nest(flat):
    """The nested dicts that belong to flat settings (lists are not restored)."""
    settings = {}
    for path, value in flat.items():
        *parents, last = path.split(".")
        place = settings
        for key in parents:
            place = place.setdefault(key, {})
            if not isinstance(place, dict):
                raise ValueError(f"{path}: {key} is a value")
        place[last] = value
    return settings


def changes(old, new):
    """Map each path whose value differs to an (old, new) pair; None if absent."""
    before, after = flatten(old), flatten(new)
    return {
        path: (before.get(path), after.get(path))
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    }


def depth(settings):
    """How many levels of dicts and lists there are."""
    if not isinstance(settings, (dict, list)):
        return 0
    values = settings.values() if isinstance(settings, dict) else settings
    return 1 + max(map(depth, values), default=0)
''',
        wrong="        if isinstance(value, (dict, list)):\n",
        right="        if isinstance(value, (dict, list)) and value:\n",
        visible="""def test_flatten_single():
    assert flatten({"a": {"b": {"c": 1}}}) == {"a.b.c": 1}


def test_flatten_several():
    assert flatten({"a": 1, "b": {"c": 2, "d": 3}}) == {"a": 1, "b.c": 2, "b.d": 3}


def test_flatten_list():
    assert flatten({"p": [7, 8]}) == {"p.0": 7, "p.1": 8}


def test_nest():
    assert nest({"a.b": 1, "a.c": 2, "d": 3}) == {"a": {"b": 1, "c": 2}, "d": 3}


def test_changes_to_and_from_empty():
    assert flatten({"a": {"b": []}, "c": 1}) == {"a.b": [], "c": 1}
    assert changes({"a": [1]}, {"a": []}) == {"a": (None, []), "a.0": (1, None)}


def test_nest_conflict():
    with pytest.raises(ValueError):
        nest({"a": 1, "a.b": 2})
""",
        hidden="""def test_depth():
    assert depth({"a": [1, {"b": 2}]}) == 3
    assert depth({"a": {}}) == 2
    assert depth(5) == 0


def test_after_a_group():
    settings = {"w": {"h": 1}, "t": "on", "u": {"v": {"k": 0}, "m": 2}}
    assert flatten(settings) == {"w.h": 1, "t": "on", "u.v.k": 0, "u.m": 2}


def test_list_of_dicts():
    assert flatten({"s": [{"n": 1}, {"n": 2}]}) == {"s.0.n": 1, "s.1.n": 2}


def test_empty_are_values():
    assert flatten({"a": {}, "b": []}) == {"a": {}, "b": []}
    assert flatten({}) == {}


def test_there_and_back():
    settings = {"a": {"b": 1, "c": {"d": 2, "e": {}}}, "f": []}
    assert nest(flatten(settings)) == settings


def test_changes():
    old = {"a": 1, "b": {"c": 2, "d": 3}}
    new = {"a": 1, "b": {"c": 5}, "e": 6}
    assert changes(old, new) == {"b.c": (2, 5), "b.d": (3, None), "e": (None, 6)}


def test_top_level_list():
    assert flatten(["p", "q"]) == {"0": "p", "1": "q"}
""",
    ),
    Program(
        name="csv_fields",
        code=r'''"""Read and write lines of comma separated fields."""


def split_line(line, comma=","):
    """The fields of a line.

    A field in double quotes may contain commas; within it a quote is written
    twice.  A line of n commas outside quotes has n + 1 fields.
    """
    fields, field = [], ""
    quoted = False
    i = 0
    while i < len(line):
        letter = line[i]
        if quoted:
            if letter != '"':
                field += letter
            elif line[i + 1] == '"':
                field += '"'
                i += 1
            else:
                quoted = False
        elif letter == '"':
            quoted = True
        elif letter == comma:
            fields.append(field)
            field = ""
        else:
            field += letter
        i += 1
    if quoted:
        raise ValueError("quote not closed")
    fields.append(field)
    return fields


def join_fields(fields, comma=","):
    """The line for some fields; quotes are used only where they are needed."""
    texts = []
    for field in fields:
        if comma in field or '"' in field:
            field = '"' + field.replace('"', '""') + '"'
        texts.append(field)
    return comma.join(texts)


def read_table(text, comma=","):
    """Dicts for the lines of a text whose first line holds the names."""
    lines = text.splitlines()
    if not lines:
        return []
    names = split_line(lines[0], comma)
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        fields = split_line(line, comma)
        if len(fields) != len(names):
            raise ValueError(f"line {number}: {len(fields)} fields")
        rows.append(dict(zip(names, fields)))
    return rows
''',
        wrong="line[i + 1] == ",
        right="line[i + 1:i + 2] == ",
        visible='''def test_plain():
    assert split_line("a,b,c") == ["a", "b", "c"]


def test_quotes():
    assert split_line('"a,b","say ""hi"""') == ["a,b", 'say "hi"']


def test_empty_fields():
    assert split_line("a,,b") == ["a", "", "b"]
    assert split_line("a,b,") == ["a", "b", ""]


def test_join():
    assert join_fields(["a", "b,c", 'd"e']) == 'a,"b,c","d""e"'


def test_table():
    assert read_table("x,y\\n1,2\\n3,") == [{"x": "1", "y": "2"}, {"x": "3", "y": ""}]


def test_open_quote():
    with pytest.raises(ValueError):
        split_line('a,"b')
''',
        hidden="""def test_only_commas():
    assert split_line(",") == ["", ""]
    assert split_line(";;", ";") == ["", "", ""]


def test_quoted_empty_at_the_end():
    assert split_line('a,""') == ["a", ""]


def test_there_and_back():
    for fields in (["a", ""], ["", "", "x"], ["p,q", '"', ""]):
        assert split_line(join_fields(fields)) == fields


def test_other_comma():
    assert split_line("a;b,c", ";") == ["a", "b,c"]


def test_too_few():
    with pytest.raises(ValueError):
        read_table("x,y\\n1")


def test_table_with_empty_last_column():
    assert read_table("n,note\\nann,\\nbob,ok\\n") == [
        {"n": "ann", "note": ""},
        {"n": "bob", "note": "ok"},
    ]


def test_no_lines():
    assert read_table("") == []
""",
    ),
    Program(
        name="run_lengths",
        code=r'''"""Run-length packing of texts without digits."""


def pack(text):
    """Write runs as a count and a letter; a single letter has no count.

    'aaab' becomes '3ab'.
    """
    if any(letter.isdigit() for letter in text):
        raise ValueError("digits cannot be packed")
    out = []
    start = 0
    for i in range(1, len(text) + 1):
        if i == len(text) or text[i] != text[start]:
            length = i - start
            out.append((str(length) if length > 1 else "") + text[start])
            start = i
    return "".join(out)


def runs(packed):
    """The (length, letter) runs of a packed text."""
    found = []
    count = 0
    for letter in packed:
        if letter.isdigit():
            count = count + int(letter)
        else:
            found.append((count or 1, letter))
            count = 0
    if count:
        raise ValueError("count without a letter")
    return found


def unpack(packed):
    """The text that was packed."""
    return "".join(length * letter for length, letter in runs(packed))


def saving(text):
    """Which part of the text packing saves, from 0 to 1."""
    if not text:
        return 0.0
    return 1 - len(pack(text)) / len(text)


def longest_run(packed):
    """The longest (length, letter) run, the first of equals; None if there is none."""
    return max(runs(packed), key=lambda run: run[0], default=None)
''',
        wrong="            count = count + int(letter)\n",
        right="            count = 10 * count + int(letter)\n",
        visible="""def test_pack():
    assert pack("aaab") == "3ab"
    assert pack("") == ""
    assert pack("x" * 12) == "12x"


def test_unpack():
    assert unpack("3ab2c") == "aaabcc"


def test_unpack_long_run():
    assert unpack("12x") == "x" * 12


def test_saving():
    assert saving("aaaa") == 0.5


def test_longest():
    assert longest_run("3ab3c") == (3, "a")
    assert longest_run("") is None


def test_dangling_count():
    with pytest.raises(ValueError):
        runs("a3")
""",
        hidden="""def test_there_and_back():
    for text in ("", "a", "ab", "aaaaaaaaaa", "b" * 99 + "a" * 101, "abbccc" * 3):
        assert unpack(pack(text)) == text


def test_runs_of_many_digits():
    assert runs("10a205bc") == [(10, "a"), (205, "b"), (1, "c")]


def test_longest_of_long_ones():
    assert longest_run("9a10b") == (10, "b")


def test_no_counts():
    assert runs("abc") == [(1, "a"), (1, "b"), (1, "c")]


def test_pack_digits():
    with pytest.raises(ValueError):
        pack("a1")


def test_saving_none():
    assert saving("abc") == 0.0
    assert saving("") == 0.0
""",
    ),
    Program(
        name="reverse_polish",
        code=r'''"""Arithmetic in reverse Polish notation."""

import re

BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
TO_THE_RIGHT = {"^"}


def tokens(text):
    """The numbers, signs and brackets of a formula."""
    found = re.findall(r"\d+|[-+*/^()]|\S", text)
    for token in found:
        if not (token.isdigit() or token in BINDING or token in "()"):
            raise ValueError(f"what is {token!r}?")
    return found


def to_polish(text):
    """The formula as a list of tokens in reverse Polish notation.

    '^' binds most tightly and groups to the right (2^3^2 is 2^9), the other
    signs group to the left.
    """
    out, waiting = [], []
    for token in tokens(text):
        if token.isdigit():
            out.append(token)
        elif token == "(":
            waiting.append(token)
        elif token == ")":
            while waiting and waiting[-1] != "(":
                out.append(waiting.pop())
            if not waiting:
                raise ValueError("bracket not opened")
            waiting.pop()
        else:
            need = BINDING[token] + (token in TO_THE_RIGHT)
            while waiting and waiting[-1] != "(" and BINDING[waiting[-1]] > need:
                out.append(waiting.pop())
            waiting.append(token)
    while waiting:
        if waiting[-1] == "(":
            raise ValueError("bracket not closed")
        out.append(waiting.pop())
    return out


def evaluate(text):
    """The value of a formula."""
    stack = []
    for token in to_polish(text):
        if token.isdigit():
            stack.append(int(token))
            continue
        right, left = stack.pop(), stack.pop()
        if token == "^":
            stack.append(left ** right)
        elif token == "/":
            stack.append(left / right)
        else:
            stack.append({"+": left + right, "-": left - right, "*": left * right}[token])
    return stack.pop()
''',
        wrong="BINDING[waiting[-1]] > need:",
        right="BINDING[waiting[-1]] >= need:",
        visible="""def test_tokens():
    assert tokens("12+(3 *4)") == ["12", "+", "(", "3", "*", "4", ")"]


def test_binding():
    assert to_polish("1+2*3") == ["1", "2", "3", "*", "+"]
    assert evaluate("2*(3+4)") == 14


def test_to_the_left():
    assert evaluate("10-4-3") == 3
    assert evaluate("24/4/2") == 3


def test_to_the_right():
    assert evaluate("2^3^2") == 512


def test_brackets():
    with pytest.raises(ValueError):
        to_polish("(1+2")
    with pytest.raises(ValueError):
        to_polish("1+2)")
""",
        hidden="""def test_minus_plus():
    assert evaluate("10-4+3") == 9
    assert to_polish("7-2+1") == ["7", "2", "-", "1", "+"]


def test_divide_times():
    assert evaluate("12/3*2") == 8


def test_power_before_times():
    assert evaluate("2*3^2") == 18
    assert evaluate("2^3*2") == 16


def test_mixed():
    assert evaluate("100-2*3-4^2-(5-1-1)") == 75


def test_power_is_right_after_others():
    assert evaluate("2^2^0-1-1") == 0


def test_single():
    assert evaluate("42") == 42


def test_unknown():
    with pytest.raises(ValueError):
        tokens("1 & 2")
""",
    ),
    Program(
        name="vigenere",
        code=r'''"""The Vigenere cipher."""

from string import ascii_lowercase


def _shifts(key):
    if not key or not all(letter in ascii_lowercase for letter in key.lower()):
        raise ValueError("the key must consist of letters")
    return [ascii_lowercase.index(letter) for letter in key.lower()]


def _turn(text, shifts):
    """Shift each letter; other signs stay and use up nothing of the key."""
    out = []
    used = 0
    for i, sign in enumerate(text):
        place = ascii_lowercase.find(sign.lower())
        if place < 0:
            out.append(sign)
            continue
        turned = ascii_lowercase[(place + shifts[i % len(shifts)]) % 26]
        out.append(turned.upper() if sign.isupper() else turned)
        used += 1
    return "".join(out)


def encrypt(text, key):
    """The secret text; only letters are changed, and their case is kept.

    The first letter of the text is shifted by the first of the key, the second
    letter by the second, and so on, beginning anew at the end of the key.
    """
    return _turn(text, _shifts(key))


def decrypt(text, key):
    """The text that was encrypted with the key."""
    return _turn(text, [-shift for shift in _shifts(key)])


def key_from(plain, secret):
    """The stretch of key letters that turned the plain text into the secret one."""
    pairs = [(a.lower(), b.lower()) for a, b in zip(plain, secret) if a.isalpha()]
    return "".join(
        ascii_lowercase[(ascii_lowercase.index(b) - ascii_lowercase.index(a)) % 26] for a, b in pairs
    )
''',
        wrong="shifts[i % len(shifts)]",
        right="shifts[used % len(shifts)]",
        visible="""def test_letters():
    assert encrypt("attackatdawn", "lemon") == "lxfopvefrnhr"


def test_case_is_kept():
    assert encrypt("AbC", "b") == "BcD"


def test_blanks_use_no_key():
    assert encrypt("attack at dawn", "Lemon") == "lxfopv ef rnhr"


def test_decrypt():
    assert decrypt("lxfopvefrnhr", "lemon") == "attackatdawn"


def test_key_from():
    assert key_from("hello", encrypt("hello", "abc")) == "abcab"


def test_bad_key():
    with pytest.raises(ValueError):
        encrypt("a", "k3y")
""",
        hidden="""def test_signs_at_the_start():
    assert encrypt("--ab", "bc") == "--bd"
    assert encrypt("-ab", "bc") == "-bd"


def test_decrypt_sentence():
    assert decrypt("Lxfopv, ef rnhr!", "lemon") == "Attack, at dawn!"


def test_there_and_back():
    text = "Meet me at 7, by the old bridge (bring 2 lamps)."
    assert decrypt(encrypt(text, "Quartz"), "Quartz") == text


def test_only_letters_matter():
    text = "we go, we stay; we go"
    secret = encrypt(text, "hidden")
    assert secret.replace(" ", "").replace(",", "").replace(";", "") == encrypt("wegowestaywego", "hidden")


def test_key_from_sentence():
    assert key_from("to be or", encrypt("to be or", "xyz")) == "xyzxyz"


def test_empty():
    assert encrypt("", "a") == ""
    with pytest.raises(ValueError):
        decrypt("x", "")
""",
    ),
    Program(
        name="repeating_decimals",
        code=r'''"""Fractions as decimals with a period."""


def decimal(numerator, denominator):
    """The exact decimal text of a fraction; the period stands in brackets.

    1/4 is '0.25', 1/6 is '0.1(6)', 6/3 is '2', -1/3 is '-0.(3)'.
    """
    if denominator == 0:
        raise ZeroDivisionError("denominator is zero")
    sign = "-" if numerator < 0 or denominator < 0 else ""
    whole, rest = divmod(abs(numerator), abs(denominator))
    if rest == 0:
        return f"{sign}{whole}" if whole else "0"
    digits, seen = [], {}
    while rest and rest not in seen:
        seen[rest] = len(digits)
        digit, rest = divmod(10 * rest, abs(denominator))
        digits.append(str(digit))
    text = "".join(digits)
    if rest:
        begin = seen[rest]
        text = f"{text[:begin]}({text[begin:]})"
    return f"{sign}{whole}.{text}"


def period(denominator):
    """The length of the period of 1/denominator (0 if it has none)."""
    text = decimal(1, denominator)
    if "(" not in text:
        return 0
    return text.index(")") - text.index("(") - 1


def longest_period(limit):
    """The denominator up to a limit whose period is longest (the least of equals)."""
    return max(range(1, limit + 1), key=period)


def fraction(text):
    """The (numerator, denominator) in lowest terms of a decimal without period."""
    whole, _, digits = text.partition(".")
    top, bottom = int(whole + digits), 10 ** len(digits)
    a, b = abs(top), bottom
    while b:
        a, b = b, a % b
    return top // a, bottom // a
''',
        wrong='    sign = "-" if numerator < 0 or denominator < 0 else ""\n',
        right='    sign = "-" if (numerator < 0) != (denominator < 0) else ""\n',
        visible="""def test_finite():
    assert decimal(1, 4) == "0.25"
    assert decimal(6, 3) == "2"
    assert decimal(0, 5) == "0"


def test_period():
    assert decimal(1, 6) == "0.1(6)"
    assert decimal(22, 7) == "3.(142857)"


def test_signs():
    assert decimal(-1, 3) == "-0.(3)"
    assert decimal(-6, -3) == "2"


def test_longest():
    assert longest_period(10) == 7
    assert period(8) == 0


def test_fraction():
    assert fraction("0.25") == (1, 4)


def test_zero():
    with pytest.raises(ZeroDivisionError):
        decimal(1, 0)
""",
        hidden="""def test_both_negative():
    assert decimal(-1, -4) == "0.25"
    assert decimal(-22, -7) == "3.(142857)"


def test_negative_denominator():
    assert decimal(1, -8) == "-0.125"
    assert decimal(9, -3) == "-3"


def test_zero_has_no_sign():
    assert decimal(0, -5) == "0"


def test_period_of_negative():
    assert period(-7) == 6


def test_mixed_period():
    assert decimal(7, 12) == "0.58(3)"
    assert decimal(-1, 12) == "-0.08(3)"


def test_longest_of_more():
    assert longest_period(30) == 29


def test_fraction_of_whole():
    assert fraction("12") == (12, 1)
    assert fraction("-1.5") == (-3, 2)
""",
    ),
    Program(
        name="totients",
        code=r'''"""Prime factors and what follows from them."""

from math import gcd, prod


def factors(n):
    """The prime factors of n as a dict from the prime to its power."""
    if n < 1:
        raise ValueError("n must be positive")
    found = {}
    p = 2
    while p * p < n:
        while n % p == 0:
            found[p] = found.get(p, 0) + 1
            n //= p
        p += 1
    if n > 1:
        found[n] = found.get(n, 0) + 1
    return found


def totient(n):
    """How many of the numbers 1..n have no factor in common with n."""
    result = n
    for p in factors(n):
        result -= result // p
    return result


def divisors(n):
    """All divisors of n, sorted."""
    found = [1]
    for p, power in factors(n).items():
        found = [d * p ** k for d in found for k in range(power + 1)]
    return sorted(found)


def radical(n):
    """The product of the different primes that divide n."""
    return prod(factors(n))


def is_square_free(n):
    """Whether no square of a prime divides n."""
    return all(power == 1 for power in factors(n).values())


def order(a, n):
    """The least k > 0 such that n divides a**k - 1."""
    if gcd(a, n) != 1:
        raise ValueError("a and n have a common factor")
    return next(k for k in divisors(totient(n)) if pow(a, k, n) == 1 % n)
''',
        wrong="    while p * p < n:\n",
        right="    while p * p <= n:\n",
        visible="""def test_factors():
    assert factors(360) == {2: 3, 3: 2, 5: 1}
    assert factors(97) == {97: 1}
    assert factors(1) == {}


def test_totient():
    assert totient(10) == 4
    assert totient(13) == 12


def test_totient_of_square():
    assert totient(49) == 42


def test_divisors():
    assert divisors(12) == [1, 2, 3, 4, 6, 12]


def test_square_free():
    assert is_square_free(30)
    assert not is_square_free(45)


def test_not_positive():
    with pytest.raises(ValueError):
        factors(0)
""",
        hidden="""def test_squares_of_primes():
    for p in (2, 3, 5, 7, 11, 13):
        assert factors(p * p) == {p: 2}
        assert divisors(p * p) == [1, p, p * p]


def test_totient_by_counting():
    from math import gcd
    for n in range(1, 200):
        assert totient(n) == sum(gcd(k, n) == 1 for k in range(1, n + 1))


def test_divisors_by_trying():
    for n in range(1, 200):
        assert divisors(n) == [d for d in range(1, n + 1) if n % d == 0]


def test_radical():
    assert radical(9) == 3
    assert radical(72) == 6
    assert radical(1) == 1


def test_square_not_free():
    assert not is_square_free(25)
    assert not is_square_free(2 * 49)


def test_order():
    assert order(2, 7) == 3
    assert order(3, 25) == 20
    with pytest.raises(ValueError):
        order(2, 4)
""",
    ),
    Program(
        name="remainder_puzzles",
        code=r'''"""Find numbers from their remainders."""


def bezout(a, b):
    """(g, x, y) with g the greatest common divisor of a, b >= 0 and a*x + b*y == g."""
    if b == 0:
        return a, 1, 0
    g, x, y = bezout(b, a % b)
    return g, y, x - a % b * y


def inverse(a, n):
    """The number in range(n) whose product with a leaves 1 when divided by n."""
    g, x, _ = bezout(a % n, n)
    if g != 1:
        raise ValueError(f"{a} has no inverse modulo {n}")
    return x % n


def merge(first, second):
    """Make one (remainder, modulus) of two; None if no number fits both."""
    r1, m1 = first
    r2, m2 = second
    g, x, _ = bezout(m1, m2)
    if (r2 - r1) % g:
        return None
    modulus = m1 * m2 // g
    return (r1 + (r2 - r1) // g * x * m1) % modulus, modulus


def least(conditions):
    """The least number >= 0 that leaves r when divided by m, for each (r, m).

    None if there is no such number.
    """
    state = (0, 1)
    for remainder, modulus in conditions:
        if modulus < 1:
            raise ValueError("modulus must be positive")
        state = merge(state, (remainder % modulus, modulus))
        if state is None:
            return None
    return state[0]


def solve(a, b, n):
    """All x in range(n) for which n divides a*x - b."""
    g, x, _ = bezout(a % n, n)
    if b % g:
        return []
    step = n // g
    return sorted((x * (b // g) + k * step) % n for k in range(g))
''',
        wrong="    return g, y, x - a % b * y\n",
        right="    return g, y, x - a // b * y\n",
        visible="""def test_gcd():
    assert bezout(12, 18)[0] == 6
    assert bezout(7, 0) == (7, 1, 0)


def test_bezout():
    g, x, y = bezout(30, 7)
    assert 30 * x + 7 * y == g == 1


def test_inverse():
    assert inverse(3, 11) == 4


def test_no_inverse():
    with pytest.raises(ValueError):
        inverse(4, 6)


def test_least():
    assert least([(2, 3), (3, 5), (2, 7)]) == 23
    assert least([(1, 2), (0, 4)]) is None


def test_no_solution():
    assert solve(4, 1, 6) == []
""",
        hidden="""def test_bezout_of_many():
    from math import gcd
    for a in range(40):
        for b in range(40):
            g, x, y = bezout(a, b)
            assert g == gcd(a, b)
            assert a * x + b * y == g


def test_all_inverses():
    for a in range(1, 101):
        assert a * inverse(a, 101) % 101 == 1


def test_merge():
    assert merge((3, 8), (7, 12)) == (19, 24)
    assert merge((1, 4), (2, 6)) is None


def test_least_of_big():
    n = 123456
    assert least([(n, 97), (n, 101), (n, 103)]) == n


def test_solve():
    for n in range(1, 25):
        for a in range(n):
            for b in range(n):
                assert solve(a, b, n) == [x for x in range(n) if (a * x - b) % n == 0]


def test_no_conditions():
    assert least([]) == 0


def test_bad_modulus():
    with pytest.raises(ValueError):
        least([(0, 0)])
""",
    ),
    Program(
        name="prime_window",
        code=r'''"""Primes in a window of the number line."""

from math import isqrt


def small_primes(limit):
    """All primes up to and including a limit."""
    if limit < 2:
        return []
    prime = [False, False] + [True] * (limit - 1)
    for p in range(2, isqrt(limit) + 1):
        if prime[p]:
            for multiple in range(p * p, limit + 1, p):
                prime[multiple] = False
    return [n for n, good in enumerate(prime) if good]


def primes_between(low, high):
    """All primes p with low <= p <= high, found without a sieve from 0 on."""
    low = max(low, 2)
    if high < low:
        return []
    prime = [True] * (high - low + 1)
    for p in small_primes(isqrt(high)):
        first = max(p * p, low // p * p)
        for multiple in range(first, high + 1, p):
            prime[multiple - low] = False
    return [low + i for i, good in enumerate(prime) if good]


def twins_between(low, high):
    """The pairs of primes with difference 2 in a window."""
    primes = primes_between(low, high)
    return [(p, q) for p, q in zip(primes, primes[1:]) if q - p == 2]


def widest_gap(low, high):
    """The neighbouring primes in a window that lie farthest apart (the first such).

    None if the window has fewer than two primes.
    """
    primes = primes_between(low, high)
    pairs = list(zip(primes, primes[1:]))
    return max(pairs, key=lambda pair: pair[1] - pair[0], default=None)


def next_prime(n):
    """The least prime above n."""
    width = 16
    while True:
        found = primes_between(n + 1, n + width)
        if found:
            return found[0]
        width *= 2
''',
        wrong="        first = max(p * p, low // p * p)\n",
        right="        first = max(p * p, -(-low // p) * p)\n",
        visible="""def test_small():
    assert small_primes(20) == [2, 3, 5, 7, 11, 13, 17, 19]
    assert small_primes(1) == []


def test_from_the_start():
    assert primes_between(0, 12) == [2, 3, 5, 7, 11]


def test_window():
    assert primes_between(90, 113) == [97, 101, 103, 107, 109, 113]
    assert primes_between(92, 113) == [97, 101, 103, 107, 109, 113]


def test_twins():
    assert twins_between(1, 20) == [(3, 5), (5, 7), (11, 13), (17, 19)]


def test_gap():
    assert widest_gap(2, 24) == (7, 11)
    assert widest_gap(24, 28) is None


def test_next():
    assert next_prime(10) == 11
""",
        hidden="""def test_all_windows():
    primes = small_primes(300)
    for low in range(0, 200, 7):
        for high in range(low, 300, 13):
            assert primes_between(low, high) == [p for p in primes if low <= p <= high]


def test_window_ends_in_prime():
    assert primes_between(8000, 8009) == [8009]


def test_empty_windows():
    assert primes_between(20, 10) == []
    assert primes_between(24, 28) == []


def test_next_from_any_number():
    primes = small_primes(520)
    for n in range(500):
        assert next_prime(n) == next(p for p in primes if p > n)


def test_twins_in_a_window():
    assert twins_between(100, 110) == [(101, 103), (107, 109)]


def test_gap_in_a_window():
    assert widest_gap(100, 130) == (113, 127)
""",
    ),
    Program(
        name="spiral_walk",
        code=r'''"""Read and write grids along a spiral."""


def spiral(grid):
    """The items of a rectangular grid from the top left corner inwards, clockwise."""
    out = []
    top, bottom = 0, len(grid) - 1
    left, right = 0, len(grid[0]) - 1 if grid else -1
    while top <= bottom and left <= right:
        for column in range(left, right + 1):
            out.append(grid[top][column])
        top += 1
        for row in range(top, bottom + 1):
            out.append(grid[row][right])
        right -= 1
        if top <= bottom:
            for column in range(right, left - 1, -1):
                out.append(grid[bottom][column])
            bottom -= 1
        if top <= bottom:
            for row in range(bottom, top - 1, -1):
                out.append(grid[row][left])
            left += 1
    return out


def coil(items, columns):
    """The grid with so many columns whose spiral is the items."""
    if columns < 1 or len(items) % columns:
        raise ValueError("the items do not fill a rectangle")
    rows = len(items) // columns
    places = spiral([[(row, column) for column in range(columns)] for row in range(rows)])
    grid = [[None] * columns for _ in range(rows)]
    for (row, column), item in zip(places, items):
        grid[row][column] = item
    return grid


def quarter_turn(grid):
    """The grid turned clockwise by a quarter."""
    return [list(row) for row in zip(*grid[::-1])]


def rings(grid):
    """The sums of the rings of a square grid of numbers, from the outside."""
    sums = [0] * ((len(grid) + 1) // 2)
    last = len(grid) - 1
    for i, row in enumerate(grid):
        for j, number in enumerate(row):
            sums[min(i, j, last - i, last - j)] += number
    return sums
''',
        wrong="""        if top <= bottom:
            for row in range(bottom""",
        right="""        if left <= right:
            for row in range(bottom""",
        visible="""def test_square():
    assert spiral([[1, 2, 3], [8, 9, 4], [7, 6, 5]]) == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_one_row():
    assert spiral([[1, 2, 3]]) == [1, 2, 3]
    assert spiral([]) == []


def test_one_column():
    assert spiral([[1], [2], [3]]) == [1, 2, 3]


def test_coil():
    assert coil([1, 2, 3, 4, 5, 6], 2) == [[1, 2], [6, 3], [5, 4]]


def test_turn():
    assert quarter_turn([[1, 2], [3, 4]]) == [[3, 1], [4, 2]]


def test_rings():
    assert rings([[1, 1, 1], [1, 5, 1], [1, 1, 1]]) == [8, 5]
""",
        hidden="""def test_tall_with_odd_columns():
    grid = [[1, 2, 3], [12, 13, 4], [11, 14, 5], [10, 15, 6], [9, 8, 7]]
    assert spiral(grid) == list(range(1, 16))


def test_every_size():
    for rows in range(1, 7):
        for columns in range(1, 7):
            grid = [[row * columns + column for column in range(columns)] for row in range(rows)]
            assert sorted(spiral(grid)) == list(range(rows * columns))


def test_long_column():
    assert spiral([[i] for i in range(8)]) == list(range(8))


def test_coil_and_spiral():
    for columns in (1, 2, 3, 4, 6, 12):
        assert spiral(coil(list(range(12)), columns)) == list(range(12))


def test_wide():
    assert spiral([[1, 2, 3, 4], [10, 11, 12, 5], [9, 8, 7, 6]]) == list(range(1, 13))


def test_coil_does_not_fit():
    with pytest.raises(ValueError):
        coil([1, 2, 3], 2)
""",
    ),
    Program(
        name="mine_hints",
        code=r'''"""The numbers on a mine field."""

MINE = "*"


def read_field(text):
    """The rows of a field written as lines of '*' (mine) and '.' (free)."""
    rows = text.split()
    if any(len(row) != len(rows[0]) for row in rows):
        raise ValueError("rows of different length")
    if any(sign not in "*." for row in rows for sign in row):
        raise ValueError("unknown sign")
    return rows


def around(rows, r, c):
    """The places (up to eight) next to a place of the field, row by row."""
    return [
        (i, j)
        for i in range(max(0, r - 1), min(len(rows), r + 2))
        for j in range(max(0, c - 1), min(len(rows), c + 2))
        if (i, j) != (r, c)
    ]


def hint(rows, r, c):
    """How many mines lie next to a place."""
    return sum(rows[i][j] == MINE for i, j in around(rows, r, c))


def show(rows):
    """The field as text, with the hints (blank for 0 as '.') instead of free places."""
    lines = []
    for r, row in enumerate(rows):
        signs = [MINE if sign == MINE else str(hint(rows, r, c) or ".") for c, sign in enumerate(row)]
        lines.append("".join(signs))
    return "\n".join(lines)


def open_place(rows, r, c):
    """The set of places that open on a step to a place; ValueError on a mine.

    A place without mines next to it opens all places around it in turn.
    """
    if rows[r][c] == MINE:
        raise ValueError("boom")
    opened, waiting = {(r, c)}, [(r, c)]
    while waiting:
        place = waiting.pop()
        if hint(rows, *place) == 0:
            fresh = set(around(rows, *place)) - opened
            opened |= fresh
            waiting.extend(fresh)
    return opened
''',
        wrong="        for j in range(max(0, c - 1), min(len(rows), c + 2))\n",
        right="        for j in range(max(0, c - 1), min(len(rows[0]), c + 2))\n",
        visible="""def test_square_field():
    assert show(read_field("*.. ... ..*")) == "*1.\\n121\\n.1*"


def test_wide_field():
    assert show(read_field("....* .....")) == "...1*\\n...11"


def test_around_corner():
    rows = read_field("... ... ...")
    assert around(rows, 0, 0) == [(0, 1), (1, 0), (1, 1)]


def test_hint():
    rows = read_field("*** *.* ***")
    assert hint(rows, 1, 1) == 8


def test_open():
    rows = read_field("... ..* ...")
    assert open_place(rows, 0, 0) == {(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)}
    with pytest.raises(ValueError):
        open_place(rows, 1, 2)


def test_read():
    with pytest.raises(ValueError):
        read_field(".. .")
""",
        hidden="""def test_tall_field():
    assert show(read_field("*. .. .. .*")) == "*1\\n11\\n11\\n1*"


def test_one_row():
    assert show(read_field(".*..*.")) == "1*11*1"


def test_one_column():
    assert show(["*", ".", "."]) == "*\\n1\\n."


def test_around_in_a_wide_field():
    rows = read_field("..... .....")
    assert around(rows, 1, 3) == [(0, 2), (0, 3), (0, 4), (1, 2), (1, 4)]
    assert len(around(rows, 0, 4)) == 3


def test_open_all_of_a_wide_field():
    rows = read_field("...... ......")
    assert len(open_place(rows, 0, 0)) == 12


def test_open_beside_a_mine():
    rows = read_field("..*.. .....")
    assert open_place(rows, 0, 1) == {(0, 1)}
    assert open_place(rows, 0, 4) == {(0, 4), (0, 3), (1, 4), (1, 3)}


def test_unknown_sign():
    with pytest.raises(ValueError):
        read_field("..x")
""",
    ),
    Program(
        name="block_sums",
        code=r'''"""Sums over rectangles of a grid of numbers."""


class BlockSums:
    """Answers for the sums of rectangles, prepared once for a whole grid."""

    def __init__(self, grid):
        if any(len(row) != len(grid[0]) for row in grid):
            raise ValueError("rows of different length")
        self.rows = len(grid)
        self.columns = len(grid[0]) if grid else 0
        self._sums = [[0] * (self.columns + 1) for _ in range(self.rows + 1)]
        for r, row in enumerate(grid):
            for c, number in enumerate(row):
                self._sums[r + 1][c + 1] = (
                    number + self._sums[r][c + 1] + self._sums[r + 1][c] - self._sums[r][c]
                )

    def total(self, top, left, bottom, right):
        """The sum of the rectangle; the bottom row and right column count too."""
        if not (0 <= top <= bottom < self.rows and 0 <= left <= right < self.columns):
            raise IndexError("no such rectangle")
        sums = self._sums
        return (
            sums[bottom + 1][right + 1]
            - sums[top][right + 1]
            - sums[bottom][left]
            + sums[top][left]
        )

    def whole(self):
        """The sum of the whole grid."""
        return self._sums[-1][-1]

    def best_square(self, size):
        """(sum, top, left) of the square of a size with the greatest sum.

        Of equal ones the topmost, then the leftmost; None if none fits.
        """
        best = None
        for top in range(self.rows - size + 1):
            for left in range(self.columns - size + 1):
                here = self.total(top, left, top + size - 1, left + size - 1)
                if best is None or here > best[0]:
                    best = (here, top, left)
        return best
''',
        wrong="            - sums[bottom][left]\n",
        right="            - sums[bottom + 1][left]\n",
        visible="""GRID = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]


def test_from_the_corner():
    assert BlockSums(GRID).total(0, 0, 1, 1) == 12


def test_inner():
    assert BlockSums(GRID).total(1, 1, 2, 2) == 28


def test_whole():
    assert BlockSums(GRID).whole() == 45
    assert BlockSums([]).whole() == 0


def test_best_square():
    assert BlockSums([[9, 9, 0], [9, 0, 0], [0, 0, 5]]).best_square(2) == (27, 0, 0)
    assert BlockSums(GRID).best_square(4) is None


def test_bad_rectangle():
    with pytest.raises(IndexError):
        BlockSums(GRID).total(0, 0, 3, 1)
""",
        hidden="""def test_single_places():
    grid = [[3, -1, 4], [1, 5, -9]]
    s = BlockSums(grid)
    assert [[s.total(r, c, r, c) for c in range(3)] for r in range(2)] == grid


def test_every_rectangle():
    grid = [[(r * 5 + c * 3) % 7 - 2 for c in range(5)] for r in range(4)]
    s = BlockSums(grid)
    for top in range(4):
        for bottom in range(top, 4):
            for left in range(5):
                for right in range(left, 5):
                    expected = sum(sum(row[left:right + 1]) for row in grid[top:bottom + 1])
                    assert s.total(top, left, bottom, right) == expected


def test_last_column():
    assert BlockSums([[1, 2], [3, 4]]).total(0, 1, 1, 1) == 6


def test_best_square_elsewhere():
    assert BlockSums([[1, 1, 1], [1, 7, 1], [1, 1, 2]]).best_square(2) == (11, 1, 1)


def test_best_square_first_of_equals():
    assert BlockSums([[2, 2, 2], [2, 2, 2]]).best_square(2) == (8, 0, 0)


def test_ragged():
    with pytest.raises(ValueError):
        BlockSums([[1], [1, 2]])
""",
    ),
    Program(
        name="exact_determinants",
        code=r'''"""Determinants and linear equations with exact fractions."""

from fractions import Fraction


def _copy(matrix):
    if any(len(row) != len(matrix) for row in matrix):
        raise ValueError("the matrix must be square")
    return [[Fraction(number) for number in row] for row in matrix]


def determinant(matrix):
    """The determinant of a square matrix."""
    rows = _copy(matrix)
    size = len(rows)
    sign, result = 1, Fraction(1)
    for step in range(size):
        pivot = next((r for r in range(step, size) if rows[r][step] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != step:
            rows[step], rows[pivot] = rows[pivot], rows[step]
            sign = -1
        result *= rows[step][step]
        for r in range(step + 1, size):
            share = rows[r][step] / rows[step][step]
            for c in range(step, size):
                rows[r][c] -= share * rows[step][c]
    return sign * result


def solve(matrix, right):
    """The list x with matrix * x == right; None if it is not unique."""
    whole = determinant(matrix)
    if whole == 0:
        return None
    answer = []
    for column in range(len(matrix)):
        changed = [
            [right[r] if c == column else number for c, number in enumerate(row)]
            for r, row in enumerate(matrix)
        ]
        answer.append(determinant(changed) / whole)
    return answer


def area(corners):
    """The area of the triangle with three (x, y) corners."""
    return abs(determinant([[x, y, 1] for x, y in corners])) / 2


def in_line(corners):
    """Whether three points lie on a line."""
    return area(corners) == 0
''',
        wrong="            sign = -1\n",
        right="            sign = -sign\n",
        visible="""def test_two():
    assert determinant([[1, 2], [3, 4]]) == -2


def test_one_exchange():
    assert determinant([[0, 1], [1, 0]]) == -1


def test_two_exchanges():
    assert determinant([[0, 1, 0], [0, 0, 1], [1, 0, 0]]) == 1


def test_singular():
    assert determinant([[1, 2], [2, 4]]) == 0
    assert solve([[1, 2], [2, 4]], [1, 1]) is None


def test_solve():
    assert solve([[2, 1], [1, 3]], [5, 10]) == [1, 3]


def test_not_square():
    with pytest.raises(ValueError):
        determinant([[1, 2]])
""",
        hidden="""def test_all_orders_of_four():
    from itertools import permutations
    for order in permutations(range(4)):
        matrix = [[int(c == order[r]) for c in range(4)] for r in range(4)]
        swaps = sum(order[i] > order[j] for i in range(4) for j in range(i + 1, 4))
        assert determinant(matrix) == (-1) ** swaps


def test_turned_upside_down():
    assert determinant([[0, 0, 0, 2], [0, 0, 3, 0], [0, 5, 0, 0], [7, 0, 0, 0]]) == 210


def test_solve_with_zeros():
    assert solve([[0, 2, 0], [0, 0, 4], [5, 0, 0]], [2, 8, 15]) == [3, 1, 2]


def test_third_order():
    assert determinant([[2, 0, 1], [1, 3, 2], [1, 1, 1]]) == 0
    assert determinant([[0, 2, 1], [1, 0, 0], [0, 3, 5]]) == -7


def test_area():
    assert area([(0, 0), (4, 0), (0, 3)]) == 6
    assert in_line([(0, 0), (1, 2), (2, 4)])


def test_empty():
    assert determinant([]) == 1
""",
    ),
    Program(
        name="bowling_scores",
        code=r'''"""Scores of a game of ten-pin bowling."""


def frames(rolls):
    """Cut the rolls of a whole game into ten frames (lists of rolls).

    A strike is a frame of one roll, except that the last frame keeps the
    extra rolls it earns.
    """
    if any(not 0 <= pins <= 10 for pins in rolls):
        raise ValueError("a roll takes 0 to 10 pins")
    cut = []
    i = 0
    for _ in range(9):
        length = 1 if rolls[i:i + 1] == [10] else 2
        cut.append(rolls[i:i + length])
        i += length
        if sum(cut[-1]) > 10:
            raise ValueError("more than ten pins in a frame")
    last = rolls[i:]
    if len(last) != (3 if sum(last[:2]) >= 10 else 2):
        raise ValueError("wrong number of rolls")
    return cut + [last]


def score(rolls):
    """The score of a whole game.

    A strike counts 10 and the next two rolls, a spare 10 and the next roll.
    """
    frames(rolls)
    total = 0
    i = 0
    for _ in range(10):
        if rolls[i] == 10:
            total += 10 + rolls[i + 1] + rolls[i + 2]
            i += 1
        elif rolls[i] + rolls[i + 1] == 10:
            total += 10 + rolls[i + 1]
            i += 2
        else:
            total += rolls[i] + rolls[i + 1]
            i += 2
    return total


def marks(rolls):
    """The sheet of the game: 'X' strike, '/' spare, '-' no pins."""
    texts = []
    for frame in frames(rolls):
        text, up = "", 10
        for pins in frame:
            if pins == up:
                text += "X" if up == 10 else "/"
                up = 10
            else:
                text += str(pins or "-")
                up = up - pins if up == 10 else 10
        texts.append(text)
    return " ".join(texts)
''',
        wrong="            total += 10 + rolls[i + 1]\n",
        right="            total += 10 + rolls[i + 2]\n",
        visible="""def test_open_game():
    assert score([3, 4] * 10) == 70


def test_perfect_game():
    assert score([10] * 12) == 300


def test_one_spare():
    assert score([7, 3, 4] + [0] * 17) == 18


def test_one_strike():
    assert score([10, 3, 4] + [0] * 16) == 24


def test_marks():
    assert marks([10, 7, 3, 0, 5] + [0] * 14) == "X 7/ -5 -- -- -- -- -- -- --"


def test_too_short():
    with pytest.raises(ValueError):
        score([1] * 19)
""",
        hidden="""def test_all_spares():
    assert score([5] * 21) == 150
    assert score([9, 1] * 10 + [9]) == 190


def test_spare_then_strike():
    assert score([6, 4, 10] + [0] * 16) == 30


def test_spare_at_the_end():
    assert score([0] * 18 + [2, 8, 7]) == 17


def test_known_game():
    assert score([1, 4, 4, 5, 6, 4, 5, 5, 10, 0, 1, 7, 3, 6, 4, 10, 2, 8, 6]) == 133


def test_no_pins_at_first():
    assert score([0, 10, 3] + [0] * 17) == 16


def test_too_many_pins():
    with pytest.raises(ValueError):
        score([7, 4] + [0] * 18)


def test_marks_of_the_last_frame():
    assert marks([0] * 18 + [10, 10, 10]).endswith(" XXX")
    assert marks([0] * 18 + [2, 8, 10]).endswith(" 2/X")
""",
    ),
    Program(
        name="four_in_a_row",
        code=r'''"""The game of four in a row."""


class Board:
    """Discs fall into columns; who has four in a line first has won."""

    def __init__(self, rows=6, columns=7):
        self.rows = rows
        self.columns = columns
        self._stacks = [[] for _ in range(columns)]
        self.turn = "X"
        self.winner = None

    def at(self, row, column):
        """The disc at a place (rows count from the bottom), or None."""
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return None
        stack = self._stacks[column]
        return stack[row] if row < len(stack) else None

    def _run(self, row, column, up, aside):
        """How many discs of the same kind follow a place in one direction."""
        disc, length = self.at(row, column), 0
        while self.at(row + up, column + aside) == disc:
            length += 1
            row, column = row + up, column + aside
        return length

    def drop(self, column):
        """The player whose turn it is drops a disc; returns the row it reaches."""
        if self.winner:
            raise ValueError("the game is over")
        stack = self._stacks[column]
        if len(stack) == self.rows:
            raise ValueError("the column is full")
        stack.append(self.turn)
        row = len(stack) - 1
        for up, aside in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if 1 + self._run(row, column, up, aside) + self._run(row, column, -up, aside) >= 4:
                self.winner = self.turn
        self.turn = "O" if self.turn == "X" else "X"
        return row

    def is_full(self):
        """Whether no disc can be dropped any more."""
        return all(len(stack) == self.rows for stack in self._stacks)

    def __str__(self):
        lines = []
        for row in reversed(range(self.rows)):
            lines.append("".join(self.at(row, column) or "." for column in range(self.columns)))
        return "\n".join(lines)


def play(columns):
    """The board after discs were dropped into these columns."""
    board = Board()
    for column in columns:
        board.drop(column)
    return board
''',
        wrong="self._run(row, column, -up, aside) >= 4:",
        right="self._run(row, column, -up, -aside) >= 4:",
        visible="""def test_upright():
    assert play([0, 1, 0, 1, 0, 1, 0]).winner == "X"


def test_row_from_the_end():
    assert play([3, 3, 2, 2, 1, 1]).winner is None
    assert play([3, 3, 2, 2, 1, 1, 0]).winner == "X"


def test_row_closed_in_the_middle():
    assert play([0, 0, 1, 1, 3, 3, 2]).winner == "X"


def test_two_are_not_enough():
    assert play([2, 6, 3, 6, 1]).winner is None


def test_text():
    assert str(play([0, 0, 6])).splitlines()[-2:] == ["O......", "X.....X"]


def test_over():
    with pytest.raises(ValueError):
        play([0, 1, 0, 1, 0, 1, 0, 1])
""",
        hidden="""def test_row_from_left_to_right():
    assert play([0, 0, 1, 1, 2, 2, 3]).winner == "X"


def test_three_in_a_row_win_nothing():
    assert play([0, 0, 2, 2, 1]).winner is None
    assert play([2, 0, 1, 0, 0]).winner is None


def test_rising_diagonal():
    assert play([0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3]).winner == "X"


def test_falling_diagonal():
    assert play([6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3]).winner == "X"


def test_three_from_the_right_win_nothing():
    board = play([5, 5, 4, 4, 3])
    assert board.winner is None
    assert board.turn == "O"


def test_second_player_wins():
    assert play([0, 1, 0, 2, 0, 3, 6, 4]).winner == "O"


def test_full_column():
    with pytest.raises(ValueError):
        play([0] * 7)
""",
    ),
    Program(
        name="round_robin",
        code=r'''"""Jobs that share a processor in turns."""

from collections import deque


def schedule(jobs, quantum):
    """The (name, start, end) turns of jobs given as (name, arrival, length).

    Each job in the queue gets the processor for at most `quantum` and, if it
    is not done, queues again, behind those that arrived until then.
    """
    if quantum < 1:
        raise ValueError("quantum must be positive")
    coming = deque(sorted(jobs, key=lambda job: job[1]))
    queue, turns = deque(), []
    clock = 0
    while coming or queue:
        if not queue:
            clock = max(clock, coming[0][1])
        while coming and coming[0][1] <= clock:
            name, _, length = coming.popleft()
            queue.append((name, length))
        name, left = queue.popleft()
        start = clock
        clock += quantum
        turns.append((name, start, clock))
        while coming and coming[0][1] <= clock:
            other, _, length = coming.popleft()
            queue.append((other, length))
        if left > clock - start:
            queue.append((name, left - (clock - start)))
    return turns


def finished(jobs, quantum):
    """Map the name of each job to the time at which it is done."""
    return {name: end for name, _, end in schedule(jobs, quantum)}


def average_wait(jobs, quantum):
    """The average time that jobs wait in the queue."""
    done = finished(jobs, quantum)
    waits = [done[name] - arrival - length for name, arrival, length in jobs]
    return sum(waits) / len(waits) if waits else 0.0


def idle_time(jobs, quantum):
    """How long the processor has nothing to do before the last job is done."""
    turns = schedule(jobs, quantum)
    return max((end for _, _, end in turns), default=0) - sum(e - s for _, s, e in turns)
''',
        wrong="        clock += quantum\n",
        right="        clock += min(quantum, left)\n",
        visible="""def test_one_job():
    assert schedule([("a", 0, 4)], 2) == [("a", 0, 2), ("a", 2, 4)]


def test_turns():
    assert schedule([("a", 0, 4), ("b", 0, 2)], 2) == [("a", 0, 2), ("b", 2, 4), ("a", 4, 6)]


def test_short_last_turn():
    assert finished([("a", 0, 3), ("b", 0, 1)], 2) == {"a": 4, "b": 3}


def test_wait():
    assert average_wait([("a", 0, 2), ("b", 0, 2)], 2) == 1.0
    assert average_wait([], 2) == 0.0


def test_idle():
    assert idle_time([("a", 1, 2), ("b", 5, 2)], 2) == 3


def test_bad_quantum():
    with pytest.raises(ValueError):
        schedule([], 0)
""",
        hidden="""def test_quantum_longer_than_all():
    jobs = [("a", 0, 3), ("b", 1, 2), ("c", 2, 4)]
    assert schedule(jobs, 100) == [("a", 0, 3), ("b", 3, 5), ("c", 5, 9)]


def test_turn_lengths_add_up():
    jobs = [("a", 0, 7), ("b", 2, 5), ("c", 3, 1), ("d", 30, 4)]
    turns = schedule(jobs, 3)
    for name, _, length in jobs:
        assert sum(e - s for n, s, e in turns if n == name) == length


def test_arrival_during_a_turn():
    jobs = [("a", 0, 5), ("b", 1, 3)]
    assert schedule(jobs, 2) == [("a", 0, 2), ("b", 2, 4), ("a", 4, 6), ("b", 6, 7), ("a", 7, 8)]


def test_wait_of_odd_lengths():
    assert average_wait([("a", 0, 1), ("b", 0, 1), ("c", 0, 1)], 5) == 1.0


def test_idle_of_short_jobs():
    assert idle_time([("a", 0, 1), ("b", 10, 1)], 4) == 9


def test_pause():
    assert schedule([("a", 0, 2), ("b", 6, 2)], 2) == [("a", 0, 2), ("b", 6, 8)]


def test_none():
    assert schedule([], 1) == []
    assert idle_time([], 1) == 0
""",
    ),
    Program(
        name="blackjack",
        code=r'''"""Hands and rounds of blackjack."""

VALUES = {"J": 10, "Q": 10, "K": 10, "A": 11}


def value(card):
    """What a card such as '7', 'K' or 'A' (11 at first) counts."""
    if card in VALUES:
        return VALUES[card]
    if card.isdigit() and 2 <= int(card) <= 10:
        return int(card)
    raise ValueError(f"no such card: {card!r}")


def total(hand):
    """The best total of a hand: an ace counts 11, or 1 where 11 would be too much."""
    points = sum(value(card) for card in hand)
    aces = hand.count("A")
    if points > 21 and aces:
        points -= 10
        aces -= 1
    return points


def is_blackjack(hand):
    """Whether a hand is 21 with the first two cards."""
    return len(hand) == 2 and total(hand) == 21


def draw_until(hand, deck, limit):
    """Add cards from the front of the deck until the total reaches a limit."""
    hand = list(hand)
    cards = iter(deck)
    while total(hand) < limit:
        hand.append(next(cards))
    return hand


def outcome(player, dealer):
    """'win', 'lose' or 'push' for the player.

    Who has more than 21 loses (the player even if the dealer has, too); a
    blackjack beats every other hand.
    """
    if total(player) > 21:
        return "lose"
    if total(dealer) > 21:
        return "win"
    mine = (total(player), is_blackjack(player))
    other = (total(dealer), is_blackjack(dealer))
    if mine == other:
        return "push"
    return "win" if mine > other else "lose"


def winnings(rounds, bet=2):
    """What (player, dealer) rounds earn in all; a blackjack wins one and a half bets."""
    money = 0
    for player, dealer in rounds:
        result = outcome(player, dealer)
        if result == "win":
            money += bet * 3 / 2 if is_blackjack(player) else bet
        elif result == "lose":
            money -= bet
    return money
''',
        wrong="    if points > 21 and aces:\n",
        right="    while points > 21 and aces:\n",
        visible="""def test_plain():
    assert total(["7", "K"]) == 17
    assert total([]) == 0


def test_one_ace():
    assert total(["A", "9"]) == 20
    assert total(["A", "9", "5"]) == 15


def test_two_aces():
    assert total(["A", "A", "K"]) == 12


def test_outcome():
    assert outcome(["K", "9"], ["K", "8"]) == "win"
    assert outcome(["A", "K"], ["7", "7", "7"]) == "win"
    assert outcome(["K", "9", "5"], ["K", "9", "5"]) == "lose"


def test_draw():
    assert draw_until(["5", "6"], ["4", "3", "2"], 17) == ["5", "6", "4", "3"]


def test_no_card():
    with pytest.raises(ValueError):
        total(["1"])
""",
        hidden="""def test_many_aces():
    assert total(["A"] * 3) == 13
    assert total(["A"] * 4) == 14
    assert total(["A"] * 21) == 21


def test_pair_of_aces():
    assert total(["A", "A"]) == 12


def test_aces_among_others():
    assert total(["A", "6", "A", "7"]) == 15
    assert total(["K", "Q", "A", "A"]) == 22


def test_outcome_with_aces():
    assert outcome(["A", "A", "9", "K"], ["K", "8"]) == "win"
    assert outcome(["K", "K"], ["A", "5", "A", "K"]) == "win"


def test_draw_aces():
    assert draw_until(["A", "5"], ["A", "K", "4"], 18) == ["A", "5", "A", "K", "4"]


def test_too_much_without_aces():
    assert total(["K", "Q", "5"]) == 25


def test_winnings():
    rounds = [(["A", "K"], ["9", "9"]), (["9", "9"], ["K", "9"]), (["9", "9"], ["K", "8"])]
    assert winnings(rounds, 10) == 5
""",
    ),
    Program(
        name="rank_list",
        code=r'''"""Result lists of competitions."""


def ranking(points):
    """(rank, name, points) rows, the most points first.

    Equal points share a rank, and the ranks they take up are left out after
    it: 1, 2, 2, 4.  Rows of equal points are sorted by name.
    """
    rows = []
    rank, before = 0, None
    for place, name in enumerate(sorted(points, key=lambda name: (-points[name], name)), start=1):
        if points[name] != before:
            rank += 1
            before = points[name]
        rows.append((rank, name, points[name]))
    return rows


def medals(points):
    """Map 'gold', 'silver' and 'bronze' to the names on the ranks 1, 2 and 3."""
    won = {"gold": [], "silver": [], "bronze": []}
    kinds = list(won)
    for rank, name, _ in ranking(points):
        if rank <= 3:
            won[kinds[rank - 1]].append(name)
    return won


def add_up(rounds):
    """The summed points of several rounds (dicts from names to points)."""
    total = {}
    for points in rounds:
        for name, number in points.items():
            total[name] = total.get(name, 0) + number
    return total


def lines(points):
    """The list as texts; a shared rank is shown in its first row only."""
    out, shown = [], None
    for rank, name, number in ranking(points):
        label = f"{rank}." if rank != shown else ""
        shown = rank
        out.append(f"{label:<4}{name} {number}")
    return out


def moved(old, new):
    """Map the names in both lists to the ranks they gained (or, negative, lost)."""
    before = {name: rank for rank, name, _ in ranking(old)}
    return {name: before[name] - rank for rank, name, _ in ranking(new) if name in before}
''',
        wrong="            rank += 1\n",
        right="            rank = place\n",
        visible="""def test_different():
    assert ranking({"ann": 3, "bob": 9}) == [(1, "bob", 9), (2, "ann", 3)]


def test_shared():
    rows = ranking({"a": 5, "b": 7, "c": 5, "d": 1})
    assert [row[0] for row in rows] == [1, 2, 2, 4]


def test_medals_two_golds():
    assert medals({"a": 5, "b": 5, "c": 4}) == {"gold": ["a", "b"], "silver": [], "bronze": ["c"]}


def test_add_up():
    assert add_up([{"a": 1, "b": 2}, {"b": 3}]) == {"a": 1, "b": 5}


def test_lines():
    assert lines({"a": 2, "b": 2}) == ["1.  a 2", "    b 2"]
    assert lines({}) == []
""",
        hidden="""def test_all_equal_but_one():
    points = {"a": 7, "b": 7, "c": 7, "d": 7, "e": 0}
    assert [row[0] for row in ranking(points)] == [1, 1, 1, 1, 5]


def test_two_shared_ranks():
    points = {"p": 9, "q": 9, "r": 4, "s": 4, "t": 1}
    assert ranking(points) == [(1, "p", 9), (1, "q", 9), (3, "r", 4), (3, "s", 4), (5, "t", 1)]


def test_medals_three_golds():
    points = {"a": 5, "b": 5, "c": 5, "d": 4}
    assert medals(points) == {"gold": ["a", "b", "c"], "silver": [], "bronze": []}


def test_moved():
    old = {"a": 5, "b": 5, "c": 4, "x": 0}
    new = {"a": 5, "b": 3, "c": 9, "y": 0}
    assert moved(old, new) == {"c": 2, "a": -1, "b": -2}


def test_lines_after_a_tie():
    assert lines({"a": 2, "b": 2, "c": 1}) == ["1.  a 2", "    b 2", "3.  c 1"]


def test_negative_points():
    assert ranking({"a": -2, "b": 0}) == [(1, "b", 0), (2, "a", -2)]
""",
    ),
    Program(
        name="member_ages",
        code=r'''"""Ages and birthdays of the members of a club."""

from datetime import date


def age_on(born, day):
    """The age in whole years on a day.

    A year is added on the birthday; who was born on 29 February has the
    birthday on 1 March in other years.
    """
    if day < born:
        raise ValueError("not born yet")
    years = day.year - born.year
    if day.month < born.month or day.day < born.day:
        years -= 1
    return years


def next_birthday(born, day):
    """The first birthday on or after a day."""
    for year in (day.year, day.year + 1):
        try:
            birthday = date(year, born.month, born.day)
        except ValueError:
            birthday = date(year, 3, 1)
        if birthday >= day:
            return birthday


def grown_up(members, day, least=18):
    """The sorted names of the members (name: date of birth) of at least some age."""
    return sorted(name for name, born in members.items() if age_on(born, day) >= least)


def round_birthdays(members, year):
    """(name, age) of those who become 10, 20, 30, ... in a year, the oldest first."""
    ages = {name: year - born.year for name, born in members.items()}
    found = [(name, age) for name, age in ages.items() if age > 0 and age % 10 == 0]
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))


def by_age_group(members, day):
    """Map the first age of each decade (0, 10, 20, ...) to sorted names."""
    groups = {}
    for name in sorted(members):
        decade = age_on(members[name], day) // 10 * 10
        groups.setdefault(decade, []).append(name)
    return dict(sorted(groups.items()))
''',
        wrong="    if day.month < born.month or day.day < born.day:\n",
        right="    if (day.month, day.day) < (born.month, born.day):\n",
        visible="""def test_around_the_birthday():
    born = date(2000, 6, 15)
    assert age_on(born, date(2020, 6, 14)) == 19
    assert age_on(born, date(2020, 6, 15)) == 20


def test_later_month():
    assert age_on(date(2000, 6, 15), date(2020, 9, 3)) == 20


def test_leap_day():
    assert age_on(date(2000, 2, 29), date(2001, 2, 28)) == 0


def test_next_birthday():
    assert next_birthday(date(2000, 5, 1), date(2021, 5, 2)) == date(2022, 5, 1)
    assert next_birthday(date(2000, 2, 29), date(2021, 1, 1)) == date(2021, 3, 1)


def test_grown_up():
    members = {"ann": date(2003, 4, 1), "bob": date(2005, 1, 1)}
    assert grown_up(members, date(2021, 7, 20)) == ["ann"]


def test_not_born():
    with pytest.raises(ValueError):
        age_on(date(2000, 1, 1), date(1999, 1, 1))
""",
        hidden="""def test_each_day_of_a_year():
    from datetime import timedelta
    born = date(1990, 8, 20)
    day = date(2019, 1, 1)
    while day.year == 2019:
        assert age_on(born, day) == (29 if day >= date(2019, 8, 20) else 28)
        day += timedelta(days=1)


def test_leap_birthday():
    assert age_on(date(2000, 2, 29), date(2001, 3, 1)) == 1
    assert age_on(date(2000, 2, 29), date(2004, 2, 29)) == 4


def test_day_of_birth():
    assert age_on(date(2000, 12, 31), date(2000, 12, 31)) == 0


def test_grown_up_on_first_of_month():
    members = {"cy": date(2003, 1, 31), "di": date(2003, 12, 1), "ed": date(2003, 8, 1)}
    assert grown_up(members, date(2021, 8, 1)) == ["cy", "ed"]


def test_age_groups():
    members = {"a": date(1990, 1, 30), "b": date(2001, 12, 1), "c": date(1999, 3, 9)}
    assert by_age_group(members, date(2020, 2, 5)) == {10: ["b"], 20: ["c"], 30: ["a"]}


def test_round():
    members = {"a": date(1990, 1, 30), "b": date(2000, 12, 1), "c": date(1999, 3, 9)}
    assert round_birthdays(members, 2020) == [("a", 30), ("b", 20)]
""",
    ),
    Program(
        name="team_hours",
        code=r'''"""Working hours of teams."""


def by_team(teams, entries):
    """Map each team to the (person, hours) entries of its people, in order.

    `teams` lists the teams, `entries` are (team, person, hours); teams without
    entries have an empty list.
    """
    groups = dict.fromkeys(teams, [])
    for team, person, hours in entries:
        if team not in groups:
            raise ValueError(f"unknown team {team!r}")
        groups[team].append((person, hours))
    return groups


def totals(teams, entries):
    """Map each team to the sum of its hours."""
    return {
        team: sum(hours for _, hours in rows) for team, rows in by_team(teams, entries).items()
    }


def people(entries):
    """Map each person to the sum of their hours in all teams, sorted by name."""
    sums = {}
    for _, person, hours in sorted(entries, key=lambda entry: entry[1]):
        sums[person] = sums.get(person, 0) + hours
    return sums


def idle_teams(teams, entries):
    """The teams in which nobody worked."""
    return [team for team, rows in by_team(teams, entries).items() if not rows]


def over(entries, limit):
    """The people with more hours than a limit, the most hours first."""
    sums = people(entries)
    return sorted((person for person in sums if sums[person] > limit), key=lambda p: (-sums[p], p))


def report(teams, entries):
    """One line for each team: its name, its hours, and its people, sorted."""
    lines = []
    for team, rows in by_team(teams, entries).items():
        names = ", ".join(sorted({person for person, _ in rows})) or "nobody"
        lines.append(f"{team}: {sum(hours for _, hours in rows)} ({names})")
    return lines
''',
        wrong="    groups = dict.fromkeys(teams, [])\n",
        right="    groups = {team: [] for team in teams}\n",
        visible="""ENTRIES = [("red", "ann", 3), ("blue", "bob", 4), ("red", "cy", 5), ("blue", "ann", 1)]


def test_one_team():
    assert by_team(["red"], [("red", "ann", 3)]) == {"red": [("ann", 3)]}


def test_totals():
    assert totals(["red", "blue"], ENTRIES) == {"red": 8, "blue": 5}


def test_people():
    assert people(ENTRIES) == {"ann": 4, "bob": 4, "cy": 5}


def test_over():
    assert over(ENTRIES, 3) == ["cy", "ann", "bob"]


def test_report():
    assert report(["red", "green"], [("red", "ann", 3)]) == ["red: 3 (ann)", "green: 0 (nobody)"]


def test_unknown():
    with pytest.raises(ValueError):
        totals(["red"], ENTRIES)
""",
        hidden="""def test_groups():
    entries = [("x", "p", 1), ("y", "q", 2), ("x", "q", 3)]
    assert by_team(["x", "y", "z"], entries) == {
        "x": [("p", 1), ("q", 3)],
        "y": [("q", 2)],
        "z": [],
    }


def test_idle():
    assert idle_teams(["a", "b", "c"], [("b", "p", 1)]) == ["a", "c"]
    assert idle_teams(["a"], []) == ["a"]


def test_order_of_teams():
    assert list(totals(["b", "a"], [("a", "p", 2)]).items()) == [("b", 0), ("a", 2)]


def test_report_of_two():
    entries = [("b", "zoe", 2), ("a", "ann", 1), ("b", "ann", 2), ("b", "zoe", 1)]
    assert report(["a", "b"], entries) == ["a: 1 (ann)", "b: 5 (ann, zoe)"]


def test_calls_do_not_mix():
    first = by_team(["a", "b"], [("a", "p", 1)])
    second = by_team(["a", "b"], [("b", "p", 1)])
    assert first == {"a": [("p", 1)], "b": []}
    assert second == {"a": [], "b": [("p", 1)]}


def test_nobody_over():
    assert over([("a", "p", 3)], 3) == []
""",
    ),
    Program(
        name="order_summary",
        code=r'''"""Summaries of the orders of a shop."""

from collections import namedtuple
from itertools import groupby

Order = namedtuple("Order", "number customer month amount")


def read_orders(text):
    """Orders from lines such as '17 smith 2024-03 49.50'; the amount is in cents."""
    orders = []
    for line in text.splitlines():
        if line.strip():
            number, customer, month, amount = line.split()
            orders.append(Order(int(number), customer, month, round(float(amount) * 100)))
    return orders


def _summary(orders, key):
    """Map each key to (count, sum of the amounts); the keys are sorted."""
    summary = {}
    for name, group in groupby(sorted(orders), key=key):
        amounts = [order.amount for order in group]
        summary[name] = (len(amounts), sum(amounts))
    return summary


def per_customer(orders):
    """Map each customer to (number of orders, cents), sorted by customer."""
    return _summary(orders, lambda order: order.customer)


def per_month(orders):
    """Map each month to (number of orders, cents), sorted by month."""
    return _summary(orders, lambda order: order.month)


def best_customer(orders):
    """The customer with the greatest sum (the first by name of equals), or None."""
    summary = per_customer(orders)
    return max(summary, key=lambda name: summary[name][1], default=None)


def first_orders(orders):
    """Map each customer to the number of the order with the lowest number."""
    first = {}
    for order in sorted(orders):
        first.setdefault(order.customer, order.number)
    return first


def euros(cents):
    """A text such as '1,234.50' for an amount in cents."""
    return f"{cents / 100:,.2f}"
''',
        wrong="groupby(sorted(orders), key=key):",
        right="groupby(sorted(orders, key=key), key=key):",
        visible='''TEXT = """
1 smith 2024-01 10.00
2 jones 2024-01 5.50
3 smith 2024-02 20.00
"""


def test_read():
    assert read_orders(TEXT)[1] == Order(2, "jones", "2024-01", 550)


def test_per_month():
    assert per_month(read_orders(TEXT)) == {"2024-01": (2, 1550), "2024-02": (1, 2000)}


def test_per_customer():
    assert per_customer(read_orders(TEXT)) == {"jones": (1, 550), "smith": (2, 3000)}


def test_best():
    assert best_customer(read_orders(TEXT)) == "smith"
    assert best_customer([]) is None


def test_first():
    assert first_orders(read_orders(TEXT)) == {"smith": 1, "jones": 2}


def test_euros():
    assert euros(123450) == "1,234.50"
''',
        hidden="""def orders(*rows):
    return [Order(number, *row) for number, row in enumerate(rows, start=1)]


def test_taking_turns():
    some = orders(("b", "m1", 1), ("a", "m1", 2), ("b", "m1", 4), ("a", "m1", 8), ("b", "m1", 16))
    assert per_customer(some) == {"a": (2, 10), "b": (3, 21)}


def test_customers_are_sorted():
    some = orders(("zed", "m1", 1), ("amy", "m1", 2))
    assert list(per_customer(some)) == ["amy", "zed"]


def test_months_out_of_order():
    some = orders(("a", "2024-02", 1), ("a", "2024-01", 2), ("b", "2024-02", 4))
    assert list(per_month(some).items()) == [("2024-01", (1, 2)), ("2024-02", (2, 5))]


def test_best_by_sum():
    some = orders(("a", "m", 5), ("b", "m", 7), ("a", "m", 5), ("b", "m", 1))
    assert best_customer(some) == "a"


def test_best_of_equals():
    some = orders(("y", "m", 5), ("x", "m", 5))
    assert best_customer(some) == "x"


def test_nothing():
    assert per_month([]) == {}
    assert read_orders("") == []


def test_first_of_mixed():
    some = orders(("y", "m", 5), ("x", "m", 5), ("y", "m", 1))
    assert first_orders(some[::-1]) == {"y": 1, "x": 2}
""",
    ),
)
