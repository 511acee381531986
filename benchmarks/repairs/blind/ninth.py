"""Programs of ten kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="recent_cache",
        code='''\
"""A small cache which forgets what has not been used for the longest time."""
from collections import OrderedDict


class RecentCache:
    """Keep at most `capacity` entries.

    When the cache is full, storing a new key drops the entry which was
    least recently used.  Both reading and writing count as a use.
    """

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._entries = OrderedDict()
        self.hits = 0
        self.misses = 0

    def __len__(self):
        return len(self._entries)

    def __contains__(self, key):
        return key in self._entries

    def get(self, key, default=None):
        """Return the value for key, or default when it is unknown."""
        if key not in self._entries:
            self.misses += 1
            return default
        self.hits += 1
        self._entries.move_to_end(key)
        return self._entries[key]

    def put(self, key, value):
        """Store value under key; the entry becomes the most recent one."""
        self._entries[key] = value
        if len(self._entries) > self.capacity:
            self._entries.popitem(last=False)

    def keys(self):
        """The keys, least recently used first."""
        return list(self._entries)
''',
        wrong="        self._entries[key] = value\n",
        right="        self._entries[key] = value\n        self._entries.move_to_end(key)\n",
        visible="""\
def test_put_and_get():
    cache = RecentCache(2)
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b", 7) == 7


def test_drops_oldest():
    cache = RecentCache(2)
    for key in "abc":
        cache.put(key, key.upper())
    assert cache.keys() == ["b", "c"]


def test_reading_is_a_use():
    cache = RecentCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert "a" in cache and "b" not in cache


def test_writing_again_is_a_use():
    cache = RecentCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 10)
    cache.put("c", 3)
    assert "b" not in cache
    assert cache.get("a") == 10


def test_counts():
    cache = RecentCache(1)
    cache.put("x", 1)
    cache.get("x")
    cache.get("y")
    assert (cache.hits, cache.misses) == (1, 1)
""",
        hidden="""\
def test_order_after_rewrite():
    cache = RecentCache(3)
    for key in (1, 2, 3):
        cache.put(key, key)
    cache.put(2, "two")
    assert cache.keys() == [1, 3, 2]


def test_rewrite_first_of_three():
    cache = RecentCache(3)
    for key in (1, 2, 3):
        cache.put(key, key)
    cache.put(1, 1)
    cache.put(4, 4)
    cache.put(5, 5)
    assert cache.keys() == [1, 4, 5]


def test_rewrite_does_not_evict():
    cache = RecentCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    assert len(cache) == 2
    assert cache.get("b") == 2 and cache.get("a") == 3


def test_contains_is_not_a_use():
    cache = RecentCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert "a" in cache
    cache.put("c", 3)
    assert cache.keys() == ["b", "c"]
""",
    ),
    Program(
        name="ring_log",
        code='''\
"""A log with fixed room: new lines overwrite the oldest ones."""


class RingLog:
    """Remembers the last `size` messages.

    Messages can be read in the order in which they were written, oldest
    first, and `total` says how many were ever written.
    """

    def __init__(self, size):
        if size <= 0:
            raise ValueError("size must be positive")
        self._slots = [None] * size
        self._next = 0
        self.total = 0

    def write(self, message):
        self._slots[self._next] = message
        self._next = (self._next + 1) % len(self._slots)
        self.total += 1

    def __len__(self):
        """How many messages can still be read."""
        return min(self.total, len(self._slots))

    def __iter__(self):
        """Yield the remembered messages, oldest first."""
        start = (self._next - len(self)) % len(self._slots)
        for offset in range(len(self)):
            yield self._slots[(start + offset) % len(self._slots)]

    def tail(self, count):
        """Return the newest `count` messages (or all, if there are fewer)."""
        messages = list(self)
        return messages[-count:] if count <= len(messages) else messages

    def clear(self):
        """Forget all messages; `total` starts again from zero."""
        self._slots = [None] * len(self._slots)
        self._next = 0
        self.total = 0
''',
        wrong="        return messages[-count:] if count <= len(messages) else messages\n",
        right="        return messages[max(len(messages) - count, 0):]\n",
        visible="""\
def test_keeps_order():
    log = RingLog(3)
    for word in ("one", "two"):
        log.write(word)
    assert list(log) == ["one", "two"]


def test_overwrites_oldest():
    log = RingLog(3)
    for number in range(5):
        log.write(number)
    assert list(log) == [2, 3, 4]
    assert log.total == 5


def test_tail():
    log = RingLog(4)
    for number in range(6):
        log.write(number)
    assert log.tail(2) == [4, 5]
    assert log.tail(10) == [2, 3, 4, 5]


def test_tail_of_nothing():
    log = RingLog(4)
    log.write("a")
    log.write("b")
    assert log.tail(0) == []


def test_clear():
    log = RingLog(2)
    log.write("x")
    log.clear()
    assert len(log) == 0 and list(log) == []
""",
        hidden="""\
def test_tail_zero_when_full():
    log = RingLog(2)
    for number in range(7):
        log.write(number)
    assert log.tail(0) == []


def test_tail_exact():
    log = RingLog(3)
    for number in range(3):
        log.write(number)
    assert log.tail(3) == [0, 1, 2]
    assert log.tail(1) == [2]


def test_tail_of_empty_log():
    log = RingLog(3)
    assert log.tail(0) == []
    assert log.tail(5) == []


def test_tail_more_than_there_are():
    log = RingLog(5)
    log.write("a")
    log.write("b")
    assert log.tail(3) == ["a", "b"]
    assert log.tail(5) == ["a", "b"]
""",
    ),
    Program(
        name="multi_index",
        code='''\
"""Records which can be looked up by tag as well as by id."""


class TagIndex:
    """Maps ids to sets of tags and tags back to ids."""

    def __init__(self):
        self._tags = {}
        self._ids = {}

    def add(self, ident, *tags):
        """Give the record `ident` more tags; unknown records are created."""
        own = self._tags.setdefault(ident, set())
        for tag in tags:
            own.add(tag)
            self._ids.setdefault(tag, set()).add(ident)

    def remove(self, ident):
        """Forget a record.  Tags which nobody uses any more disappear."""
        for tag in self._tags.pop(ident):
            self._ids[tag].discard(ident)
            if not self._ids[tag]:
                del self._ids[tag]

    def tags(self):
        """All tags in use, sorted."""
        return sorted(self._ids)

    def with_any(self, *tags):
        """Ids of the records which have at least one of the tags, sorted."""
        found = set()
        for tag in tags:
            found |= self._ids.get(tag, set())
        return sorted(found)

    def with_all(self, *tags):
        """Ids of the records which have every one of the tags, sorted.

        Without tags this is every record.
        """
        found = set(self._tags)
        for tag in tags:
            found &= self._ids.get(tag, found)
        return sorted(found)
''',
        wrong="self._ids.get(tag, found)",
        right="self._ids.get(tag, set())",
        visible="""\
def make():
    index = TagIndex()
    index.add(1, "red", "round")
    index.add(2, "red", "square")
    index.add(3, "blue", "round")
    return index


def test_any():
    assert make().with_any("blue", "square") == [2, 3]


def test_all():
    assert make().with_all("red", "round") == [1]
    assert make().with_all() == [1, 2, 3]


def test_all_with_unknown_tag():
    assert make().with_all("red", "huge") == []


def test_remove():
    index = make()
    index.remove(3)
    assert index.tags() == ["red", "round", "square"]
    assert index.with_any("round") == [1]


def test_any_unknown():
    assert make().with_any("huge") == []
""",
        hidden="""\
def test_only_unknown_tag():
    index = TagIndex()
    index.add("a", "x")
    assert index.with_all("y") == []


def test_tag_vanishes_with_its_record():
    index = TagIndex()
    index.add("a", "x", "y")
    index.add("b", "x")
    index.remove("a")
    assert index.with_all("x", "y") == []
    assert index.with_all("x") == ["b"]


def test_queries_leave_the_index_alone():
    index = TagIndex()
    index.add("a", "x")
    index.add("b", "y")
    index.with_all("x", "y")
    index.with_any("x", "y")
    assert index.with_all("x") == ["a"]
    assert index.tags() == ["x", "y"]


def test_unknown_first():
    index = TagIndex()
    index.add(1, "p", "q")
    index.add(2, "q")
    assert index.with_all("nope", "q") == []
    assert index.with_all("q", "p") == [1]
""",
    ),
    Program(
        name="task_heap",
        code='''\
"""A binary min-heap for tasks, kept in a plain list."""


class TaskHeap:
    """Tasks leave in order of priority, the smallest number first."""

    def __init__(self, tasks=()):
        self._heap = []
        for priority, task in tasks:
            self.push(priority, task)

    def __len__(self):
        return len(self._heap)

    def push(self, priority, task):
        heap = self._heap
        heap.append((priority, task))
        child = len(heap) - 1
        while child > 0:
            parent = (child - 1) // 2
            if heap[parent][0] <= heap[child][0]:
                break
            heap[parent], heap[child] = heap[child], heap[parent]
            child = parent

    def pop(self):
        """Remove and return the most urgent task; IndexError when empty."""
        heap = self._heap
        if not heap:
            raise IndexError("no tasks")
        top = heap[0]
        last = heap.pop()
        if heap:
            heap[0] = last
            self._sink(0)
        return top[1]

    def _sink(self, parent):
        heap = self._heap
        while True:
            smallest = parent
            for child in (2 * parent + 1, 2 * parent + 2):
                if child < len(heap) and heap[child][0] < heap[parent][0]:
                    smallest = child
            if smallest == parent:
                return
            heap[parent], heap[smallest] = heap[smallest], heap[parent]
            parent = smallest
''',
        wrong="heap[child][0] < heap[parent][0]:\n                    smallest",
        right="heap[child][0] < heap[smallest][0]:\n                    smallest",
        visible="""\
def test_two_tasks():
    heap = TaskHeap()
    heap.push(5, "sleep")
    heap.push(1, "eat")
    assert heap.pop() == "eat"
    assert heap.pop() == "sleep"


def test_empty():
    with pytest.raises(IndexError):
        TaskHeap().pop()


def test_length():
    heap = TaskHeap([(1, "a"), (2, "b"), (3, "c")])
    heap.pop()
    assert len(heap) == 2


def test_sorted_output():
    numbers = [7, 3, 9, 1, 8, 2, 6, 4, 5]
    heap = TaskHeap((n, str(n)) for n in numbers)
    assert [heap.pop() for _ in numbers] == [str(n) for n in sorted(numbers)]


def test_first_is_smallest():
    assert TaskHeap([(4, "d"), (2, "b"), (3, "c")]).pop() == "b"
""",
        hidden="""\
def test_already_sorted():
    heap = TaskHeap((n, n) for n in range(20))
    assert [heap.pop() for _ in range(20)] == list(range(20))


def test_many():
    import random
    source = random.Random(11)
    numbers = [source.randrange(1000) for _ in range(200)]
    heap = TaskHeap((n, n) for n in numbers)
    assert [heap.pop() for _ in numbers] == sorted(numbers)


def test_mixed_use():
    heap = TaskHeap([(3, "c"), (1, "a"), (2, "b"), (4, "d")])
    assert heap.pop() == "a"
    heap.push(0, "z")
    assert [heap.pop() for _ in range(4)] == ["z", "b", "c", "d"]


def test_tasks_need_not_be_comparable():
    heap = TaskHeap([(1, {"a": 1}), (1, {"b": 2}), (1, {"c": 3})])
    assert len([heap.pop() for _ in range(3)]) == 3
""",
    ),
    Program(
        name="flatten_settings",
        code='''\
"""Turn nested settings into flat dotted names and back."""


def flatten(settings, prefix=""):
    """Return a flat dict with dotted keys.

    {"db": {"host": "x", "pool": {"size": 3}}, "debug": True} becomes
    {"db.host": "x", "db.pool.size": 3, "debug": True}.  Empty dicts stay
    as values, so that nothing gets lost.
    """
    flat = {}
    for key, value in settings.items():
        name = f"{prefix}.{key}" if prefix else key
        if isinstance(value, dict) and value:
            flat.update(flatten(value, key))
        else:
            flat[name] = value
    return flat


def unflatten(flat):
    """The inverse of flatten."""
    settings = {}
    for name, value in flat.items():
        *parents, last = name.split(".")
        node = settings
        for parent in parents:
            node = node.setdefault(parent, {})
        node[last] = value
    return settings
''',
        wrong="flatten(value, key)",
        right="flatten(value, name)",
        visible="""\
def test_flat_stays_flat():
    assert flatten({"a": 1, "b": 2}) == {"a": 1, "b": 2}


def test_one_level():
    assert flatten({"db": {"host": "x", "port": 1}}) == {"db.host": "x", "db.port": 1}


def test_docstring_example():
    nested = {"db": {"host": "x", "pool": {"size": 3}}, "debug": True}
    assert flatten(nested) == {"db.host": "x", "db.pool.size": 3, "debug": True}


def test_unflatten():
    assert unflatten({"a.b.c": 1, "a.d": 2}) == {"a": {"b": {"c": 1}, "d": 2}}


def test_empty_dict_stays():
    assert flatten({"a": {}}) == {"a": {}}
""",
        hidden="""\
def test_round_trip():
    nested = {"a": {"b": {"c": {"d": 1}}, "e": {"f": 2}}, "g": 3}
    assert unflatten(flatten(nested)) == nested


def test_four_levels():
    assert flatten({"a": {"b": {"c": {"d": 0}}}}) == {"a.b.c.d": 0}


def test_prefix():
    assert flatten({"x": {"y": 1}, "z": 2}, "app") == {"app.x.y": 1, "app.z": 2}


def test_same_inner_names():
    nested = {"a": {"p": {"q": 1}}, "b": {"p": {"q": 2}}}
    assert flatten(nested) == {"a.p.q": 1, "b.p.q": 2}


def test_deep_empty():
    assert flatten({"a": {"b": {}}}) == {"a.b": {}}
""",
    ),
    Program(
        name="pick_parcels",
        code='''\
"""Choose parcels for a van."""


def loads(weights, limit):
    """Return all ways to choose parcels whose total weight is `limit`.

    Each way is a list of positions in `weights`, in rising order; the ways
    are in lexicographic order.  Weights are positive.
    """
    found = []
    chosen = []

    def extend(start, room):
        if room == 0:
            found.append(chosen)
            return
        for position in range(start, len(weights)):
            if weights[position] > room:
                continue
            chosen.append(position)
            extend(position + 1, room - weights[position])
            chosen.pop()

    extend(0, limit)
    return found


def best_load(weights, limit):
    """Return the greatest total weight which does not exceed `limit`."""
    for total in range(limit, 0, -1):
        if loads(weights, total):
            return total
    return 0
''',
        wrong="found.append(chosen)",
        right="found.append(chosen[:])",
        visible="""\
def test_no_way():
    assert loads([5, 7], 3) == []


def test_single():
    assert loads([4, 2, 9], 9) == [[2]]


def test_several_ways():
    assert loads([1, 2, 3, 4], 5) == [[0, 3], [1, 2]]


def test_number_of_ways():
    assert len(loads([1, 1, 1, 1], 2)) == 6


def test_best_load():
    assert best_load([5, 7, 11], 17) == 16
    assert best_load([30], 20) == 0
""",
        hidden="""\
def test_three_of_three():
    assert loads([2, 3, 4], 9) == [[0, 1, 2]]


def test_equal_weights():
    assert loads([2, 2, 2], 4) == [[0, 1], [0, 2], [1, 2]]


def test_zero():
    assert loads([1, 2], 0) == [[]]


def test_ways_are_independent():
    ways = loads([1, 2, 3], 3)
    assert ways == [[0, 1], [2]]
    ways[0].append(99)
    assert ways[1] == [2]


def test_best_load_exact():
    assert best_load([8, 3, 5], 8) == 8
""",
    ),
    Program(
        name="formula_tree",
        code='''\
"""Formulas as nested tuples, for instance ("+", 1, ("*", "x", 3))."""

OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}

STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2}


def evaluate(formula, values=None):
    """Compute a formula; names are looked up in `values`."""
    values = values or {}
    if isinstance(formula, str):
        return values[formula]
    if not isinstance(formula, tuple):
        return formula
    operator, left, right = formula
    return OPERATORS[operator](evaluate(left, values), evaluate(right, values))


def render(formula):
    """Write a formula with no more parentheses than it needs.

    Operators of equal strength group from the left, so the right operand
    of an operator needs parentheses when its own operator is not stronger.
    """
    if not isinstance(formula, tuple):
        return str(formula)
    operator, left, right = formula
    strength = STRENGTH[operator]
    left_text, right_text = render(left), render(right)
    if isinstance(left, tuple) and STRENGTH[left[0]] < strength:
        left_text = f"({left_text})"
    if isinstance(right, tuple) and STRENGTH[right[0]] < strength:
        right_text = f"({right_text})"
    return f"{left_text} {operator} {right_text}"
''',
        wrong="STRENGTH[right[0]] < strength",
        right="STRENGTH[right[0]] <= strength",
        visible="""\
def test_evaluate():
    assert evaluate(("+", 1, ("*", 2, 3))) == 7


def test_evaluate_names():
    assert evaluate(("-", "x", "y"), {"x": 10, "y": 4}) == 6


def test_render_simple():
    assert render(("+", "a", ("*", 2, "b"))) == "a + 2 * b"


def test_render_weak_operand():
    assert render(("*", ("+", 1, 2), "x")) == "(1 + 2) * x"


def test_render_left_grouping():
    assert render(("-", ("-", 9, 4), 3)) == "9 - 4 - 3"


def test_render_right_grouping():
    assert render(("-", 9, ("-", 4, 3))) == "9 - (4 - 3)"
""",
        hidden="""\
def test_quotient_of_quotient():
    assert render(("/", 8, ("/", 4, 2))) == "8 / (4 / 2)"


def test_mixed_equal_strength():
    assert render(("/", "a", ("*", "b", "c"))) == "a / (b * c)"
    assert render(("*", ("/", "a", "b"), "c")) == "a / b * c"


def test_rendered_text_has_the_same_value():
    formulas = [
        ("-", 20, ("+", 3, 4)),
        ("/", 24, ("*", 2, 3)),
        ("-", ("-", 5, 1), ("-", 9, 2)),
        ("*", ("-", 5, 1), ("+", 2, 2)),
    ]
    for formula in formulas:
        assert eval(render(formula)) == evaluate(formula)


def test_stronger_right_operand_is_bare():
    assert render(("-", 1, ("/", 4, 2))) == "1 - 4 / 2"
""",
    ),
    Program(
        name="family_depth",
        code='''\
"""Questions about a tree of departments."""


class Department:
    """A department with its own staff and sub-departments."""

    def __init__(self, name, staff=0, parts=()):
        self.name = name
        self.staff = staff
        self.parts = list(parts)

    def headcount(self):
        """Staff of this department and everything below it."""
        return self.staff + sum(part.headcount() for part in self.parts)

    def depth(self):
        """Number of levels; a department without parts has depth 1."""
        return 1 + max((part.depth() for part in self.parts), default=0)

    def path_to(self, name):
        """Names from here down to the department called `name`.

        The first match in a depth-first walk wins; None if there is none.
        """
        if self.name == name:
            return [self.name]
        for part in self.parts:
            path = part.path_to(name)
            return [self.name] + path if path else None
        return None

    def outline(self, indent=0):
        """Return an indented text with one line for each department."""
        lines = ["  " * indent + self.name]
        for part in self.parts:
            lines.append(part.outline(indent + 1))
        return "\\n".join(lines)
''',
        wrong="            return [self.name] + path if path else None\n",
        right="            if path: return [self.name] + path\n",
        visible="""\
def company():
    return Department("company", 2, [
        Department("sales", 5, [Department("north", 3), Department("south", 4)]),
        Department("works", 20, [Department("paint", 6)]),
    ])


def test_headcount():
    assert company().headcount() == 40


def test_depth():
    assert company().depth() == 3
    assert Department("alone").depth() == 1


def test_path_down_the_first_branch():
    assert company().path_to("north") == ["company", "sales", "north"]
    assert company().path_to("nowhere") is None


def test_path_to_other_branch():
    assert company().path_to("paint") == ["company", "works", "paint"]


def test_outline():
    text = company().outline()
    assert text.splitlines()[:3] == ["company", "  sales", "    north"]
""",
        hidden="""\
def test_second_child():
    top = Department("a", 0, [Department("b"), Department("c")])
    assert top.path_to("c") == ["a", "c"]


def test_second_grandchild():
    top = Department("a", 0, [Department("b", 0, [Department("d"), Department("e")]), Department("c")])
    assert top.path_to("e") == ["a", "b", "e"]
    assert top.path_to("c") == ["a", "c"]


def test_first_match_wins():
    top = Department("a", 0, [Department("b", 0, [Department("x")]), Department("x")])
    assert top.path_to("x") == ["a", "b", "x"]


def test_self_and_missing():
    top = Department("a", 0, [Department("b"), Department("c")])
    assert top.path_to("a") == ["a"]
    assert top.path_to("z") is None
""",
    ),
    Program(
        name="quoted_fields",
        code='''\
"""Split a line of fields which may be quoted."""


def split_fields(line, separator=","):
    """Return the list of fields in `line`.

    A field may stand in double quotes; then it may contain the separator,
    and a doubled quote stands for one quote.  Spaces are kept.  A line
    always has at least one field, which may be empty.
    """
    fields = []
    current = []
    quoted = False
    position = 0
    while position < len(line):
        char = line[position]
        if quoted:
            if char == '"' and line[position + 1:position + 2] == '"':
                current.append('"')
                position += 1
            elif char == '"':
                quoted = False
            else:
                current.append(char)
        elif char == '"':
            quoted = True
        elif char == separator:
            fields.append("".join(current))
            current = []
        else:
            current.append(char)
        position += 1
    if quoted:
        raise ValueError("unclosed quote")
    return fields + ["".join(current)] if current else fields


def join_fields(fields, separator=","):
    """The inverse of split_fields; quotes only where it is necessary."""
    texts = []
    for field in fields:
        if separator in field or '"' in field:
            field = '"' + field.replace('"', '""') + '"'
        texts.append(field)
    return separator.join(texts)
''',
        wrong="""return fields + ["".join(current)] if current else fields""",
        right="""return fields + ["".join(current)]""",
        visible='''\
def test_plain():
    assert split_fields("a,b,c") == ["a", "b", "c"]


def test_quoted_separator():
    assert split_fields('x,"1,5",y') == ["x", "1,5", "y"]


def test_doubled_quote():
    assert split_fields('"say ""hi""",b') == ['say "hi"', "b"]


def test_empty_fields():
    assert split_fields("a,,b,") == ["a", "", "b", ""]


def test_unclosed():
    with pytest.raises(ValueError):
        split_fields('a,"b')


def test_join():
    assert join_fields(["a", "b,c", 'd"e']) == 'a,"b,c","d""e"'
''',
        hidden="""\
def test_empty_line():
    assert split_fields("") == [""]


def test_only_separators():
    assert split_fields(";;", ";") == ["", "", ""]


def test_empty_quotes_at_the_end():
    assert split_fields('a,""') == ["a", ""]


def test_round_trip():
    for fields in (["a", ""], ["", "x"], [""], ['"', ","], ["p", "q", "r"]):
        assert split_fields(join_fields(fields)) == fields


def test_no_extra_field():
    assert split_fields("a,b") == ["a", "b"]
""",
    ),
    Program(
        name="span_text",
        code='''\
"""Read and write lengths of time such as "1h 30m"."""
import re

UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
PART = re.compile(r"(\\d+)([dhms])")


def parse_span(text):
    """Return the number of seconds in a text such as "2d 4h" or "90s".

    Parts may be separated by spaces and each unit may occur once.
    Anything else is a ValueError.
    """
    rest = text.replace(" ", "")
    if not rest:
        raise ValueError("empty span")
    seconds = 0
    seen = set()
    while rest:
        match = PART.match(rest)
        if match is None:
            raise ValueError(f"cannot read {rest!r}")
        amount, unit = match.groups()
        if unit in seen:
            raise ValueError(f"unit {unit!r} occurs twice")
        seen.add(unit)
        seconds += int(amount) * UNITS[unit]
        rest = rest[match.end():]
    return seconds


def format_span(seconds):
    """Return the shortest text for a number of seconds; 0 is "0s"."""
    parts = []
    for unit, size in UNITS.items():
        amount, seconds = divmod(seconds, size)
        if amount > 1:
            parts.append(f"{amount}{unit}")
    return " ".join(parts) or "0s"
''',
        wrong="if amount > 1:",
        right="if amount > 0:",
        visible="""\
def test_parse():
    assert parse_span("2h 5m") == 7500
    assert parse_span("90s") == 90


def test_parse_errors():
    for text in ("", "5", "3x", "1h 2h"):
        with pytest.raises(ValueError):
            parse_span(text)


def test_format():
    assert format_span(7500) == "2h 5m"
    assert format_span(0) == "0s"


def test_format_one_of_each():
    assert format_span(86400 + 3600 + 60 + 1) == "1d 1h 1m 1s"
""",
        hidden="""\
def test_one_second():
    assert format_span(1) == "1s"


def test_one_hour():
    assert format_span(3600) == "1h"
    assert format_span(5400) == "1h 30m"


def test_round_trip():
    for seconds in (1, 59, 60, 61, 3599, 3601, 86400, 90061, 172800):
        assert parse_span(format_span(seconds)) == seconds


def test_no_zero_parts():
    assert format_span(2 * 86400 + 3) == "2d 3s"
""",
    ),
    Program(
        name="mail_template",
        code='''\
"""Fill in texts with placeholders such as "Dear {name}"."""


def placeholders(text):
    """Return the names of the placeholders in order of first appearance."""
    names = []
    start = text.find("{")
    while start >= 0:
        end = text.index("}", start)
        name = text[start + 1:end].strip()
        if name not in names:
            names.append(name)
        start = text.find("{", end)
    return names


def fill(text, values):
    """Replace each placeholder by its value.

    "{name|default}" uses the default when the name has no value.  A
    placeholder with neither is a KeyError.  Values are never searched for
    placeholders again.
    """
    pieces = []
    position = 0
    start = text.find("{")
    while start >= 0:
        pieces.append(text[position:start])
        end = text.index("}", start)
        name, bar, default = text[start + 1:end].partition("|")
        name = name.strip()
        if name in values:
            pieces.append(str(values[name]))
        elif default:
            pieces.append(default)
        else:
            raise KeyError(name)
        position = end + 1
        start = text.find("{", position)
    pieces.append(text[position:])
    return "".join(pieces)
''',
        wrong="""        name = text[start + 1:end].strip()
""",
        right="""        name = text[start + 1:end].partition("|")[0].strip()
""",
        visible="""\
def test_fill():
    assert fill("Dear {name}, hello", {"name": "Ann"}) == "Dear Ann, hello"


def test_default():
    assert fill("Dear {name|customer}!", {}) == "Dear customer!"


def test_missing():
    with pytest.raises(KeyError):
        fill("{a} {b}", {"a": 1})


def test_names():
    assert placeholders("{b} and {a} and {b}") == ["b", "a"]


def test_names_with_default():
    assert placeholders("Dear {name|customer}, {greeting}") == ["name", "greeting"]
""",
        hidden="""\
def test_name_once_with_and_once_without_default():
    assert placeholders("{x|1} {y} {x}") == ["x", "y"]


def test_spaces_before_bar():
    assert placeholders("{ first | nobody } {last}") == ["first", "last"]


def test_no_placeholder():
    assert placeholders("nothing here") == []
    assert fill("nothing here", {}) == "nothing here"


def test_names_are_enough_to_fill():
    text = "{a|1}-{b}-{c|x y}"
    assert fill(text, {name: name.upper() for name in placeholders(text)}) == "A-B-C"
""",
    ),
    Program(
        name="wrap_words",
        code='''\
"""Break text into lines of limited width."""


def wrap(text, width):
    """Return lines of at most `width` characters.

    Words are separated by single spaces.  Each line takes as many words
    as fit; a word longer than the width gets a line of its own.
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


def bullet(text, width, mark="-"):
    """Wrap text as a list item, with the later lines indented."""
    indent = " " * (len(mark) + 1)
    lines = wrap(text, width - len(indent))
    if not lines:
        return mark
    first, *others = lines
    return "\\n".join([f"{mark} {first}"] + [indent + line for line in others])
''',
        wrong="elif len(line) + len(word) <= width:",
        right="elif len(line) + 1 + len(word) <= width:",
        visible="""\
def test_short_text():
    assert wrap("hello there", 40) == ["hello there"]


def test_empty():
    assert wrap("   ", 10) == []


def test_breaks():
    assert wrap("the quick brown fox jumps", 10) == ["the quick", "brown fox", "jumps"]


def test_never_too_wide():
    text = "one two three four five six seven eight nine ten"
    for width in range(5, 20):
        assert all(len(line) <= width for line in wrap(text, width))


def test_bullet():
    assert bullet("red green", 8) == "- red\\n  green"
""",
        hidden="""\
def test_exact_fit():
    assert wrap("ab cd", 5) == ["ab cd"]


def test_one_too_many():
    assert wrap("ab cd", 4) == ["ab", "cd"]


def test_long_word():
    assert wrap("a internationally b", 6) == ["a", "internationally", "b"]


def test_greedy():
    assert wrap("aa bb cc dd ee", 8) == ["aa bb cc", "dd ee"]
    assert wrap("aa bb cc dd ee", 7) == ["aa bb", "cc dd", "ee"]


def test_bullet_width():
    assert bullet("abc def", 8, "*") == "* abc\\n  def"
    assert bullet("abc def", 9, "*") == "* abc def"
""",
    ),
    Program(
        name="share_bill",
        code='''\
"""Divide amounts of money without losing a cent.  All amounts are cents."""


def share_equally(amount, people):
    """Divide an amount among people as evenly as possible.

    The shares add up to the amount and differ by at most one cent; those
    who come first pay the extra cents.
    """
    if people < 1:
        raise ValueError("nobody to pay")
    base, extra = divmod(amount, people)
    return [base + 1] * extra + [base] * (people - extra)


def share_by_weight(amount, weights):
    """Divide an amount in proportion to the weights.

    Each share is first rounded down.  The cents which are left go, one
    each, to the shares that lost most by rounding; among equals the
    earlier one comes first.
    """
    total = sum(weights)
    if total <= 0:
        raise ValueError("weights must have a positive sum")
    shares = [amount * weight // total for weight in weights]
    lost = [amount * weight % total for weight in weights]
    left = amount - sum(shares)
    order = sorted(range(len(weights)), key=lambda i: lost[i])
    for position in order[:left]:
        shares[position] += 1
    return shares


def with_tip(amount, percent):
    """Add a tip, rounded up to a full cent."""
    return amount + -(-amount * percent // 100)
''',
        wrong="key=lambda i: lost[i])",
        right="key=lambda i: -lost[i])",
        visible="""\
def test_equally():
    assert share_equally(100, 3) == [34, 33, 33]
    assert share_equally(90, 3) == [30, 30, 30]


def test_no_people():
    with pytest.raises(ValueError):
        share_equally(10, 0)


def test_weights_without_rest():
    assert share_by_weight(100, [1, 3]) == [25, 75]


def test_weights_with_rest():
    assert share_by_weight(100, [1, 2, 4]) == [14, 29, 57]


def test_weights_sum():
    assert sum(share_by_weight(1001, [3, 3, 7, 11])) == 1001


def test_tip():
    assert with_tip(1000, 10) == 1100
    assert with_tip(105, 10) == 116
""",
        hidden="""\
def test_two_cents_left():
    # exact shares: 3.33, 3.33, 3.33 -> first gets the extra cent
    assert share_by_weight(10, [1, 1, 1]) == [4, 3, 3]


def test_most_lost_first():
    # exact shares 0.4, 2.8, 0.8 -> two cents left, for the 2nd and the 3rd
    assert share_by_weight(4, [1, 7, 2]) == [0, 3, 1]


def test_zero_weight_gets_nothing():
    assert share_by_weight(11, [0, 1, 1]) == [0, 6, 5]


def test_close_to_exact():
    weights = [5, 9, 2, 31, 17]
    for amount in range(200, 260):
        shares = share_by_weight(amount, weights)
        assert sum(shares) == amount
        assert all(abs(s - amount * w / 64) < 1 for s, w in zip(shares, weights))
        assert shares[3] == max(shares)
""",
    ),
    Program(
        name="loan_plan",
        code='''\
"""Repayment plans.  Amounts are Decimals in the main currency unit."""
from decimal import Decimal, ROUND_HALF_UP

CENT = Decimal("0.01")


def to_cent(amount):
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


def plan(debt, yearly_percent, payment):
    """Return the monthly rows (interest, repaid, debt left) of a loan.

    Each month interest on the current debt is charged, rounded to a cent;
    what the payment leaves after interest reduces the debt.  The last
    payment is only as large as it has to be.  A payment which does not
    exceed the first interest is a ValueError.
    """
    debt = Decimal(debt)
    payment = Decimal(payment)
    rate = Decimal(yearly_percent) / 1200
    if payment <= to_cent(debt * rate):
        raise ValueError("the payment is too small")
    rows = []
    while debt > 0:
        interest = to_cent(debt * rate)
        repaid = min(payment - interest, debt)
        debt -= repaid
        rows.append((interest, repaid, debt))
    return rows


def total_interest(rows):
    """Sum of the interest in a plan."""
    return sum((row[0] for row in rows), Decimal(0))


def total_paid(rows):
    """Everything the borrower pays: interest and repayment."""
    return sum((row[0] + row[2] for row in rows), Decimal(0))
''',
        wrong="row[0] + row[2]",
        right="row[0] + row[1]",
        visible="""\
def test_without_interest():
    from decimal import Decimal
    rows = plan(100, 0, 40)
    assert [row[1] for row in rows] == [40, 40, 20]
    assert rows[-1][2] == 0


def test_first_row():
    from decimal import Decimal
    assert plan(1000, 12, 110)[0] == (Decimal("10.00"), Decimal("100.00"), Decimal("900.00"))


def test_too_small():
    with pytest.raises(ValueError):
        plan(1000, 12, 10)


def test_total_interest():
    from decimal import Decimal
    assert total_interest(plan(200, 12, 101)) == Decimal("3.02")


def test_total_paid():
    from decimal import Decimal
    assert total_paid(plan(200, 12, 101)) == Decimal("203.02")
""",
        hidden="""\
def test_total_paid_without_interest():
    assert total_paid(plan(90, 0, 30)) == 90


def test_total_is_debt_plus_interest():
    for debt, percent, payment in ((500, 6, 100), (1234, 3, 77), (50, 24, 60)):
        rows = plan(debt, percent, payment)
        assert total_paid(rows) == debt + total_interest(rows)


def test_empty_plan():
    assert total_paid([]) == 0


def test_one_payment():
    from decimal import Decimal
    assert total_paid(plan(100, 12, 200)) == Decimal("101.00")
""",
    ),
    Program(
        name="tax_bands",
        code='''\
"""Income tax with progressive bands."""

# (upper limit of the band, percent); the last band has no limit
BANDS = (
    (10_000, 0),
    (30_000, 20),
    (80_000, 30),
    (None, 45),
)


def tax(income, bands=BANDS):
    """Return the tax on a yearly income, rounded down to full units.

    Only the part of the income that lies within a band is taxed at the
    rate of this band.
    """
    hundredths = 0
    lower = 0
    for upper, percent in bands:
        if upper is None or income <= upper:
            hundredths += (income - lower) * percent
            break
        hundredths += (upper - lower) * percent
    return hundredths // 100


def marginal_rate(income, bands=BANDS):
    """Return the percent that the next unit of income would be taxed at."""
    for upper, percent in bands:
        if upper is None or income < upper:
            return percent
    raise ValueError("the last band must have no limit")


def net(income, bands=BANDS):
    """What is left after tax."""
    return income - tax(income, bands)
''',
        wrong="        hundredths += (upper - lower) * percent\n",
        right="        hundredths += (upper - lower) * percent\n        lower = upper\n",
        visible="""\
def test_no_tax():
    assert tax(0) == 0
    assert tax(10_000) == 0


def test_second_band():
    assert tax(20_000) == 2_000


def test_top_band():
    assert tax(100_000) == 4_000 + 15_000 + 9_000


def test_marginal():
    assert marginal_rate(9_999) == 0
    assert marginal_rate(10_000) == 20
    assert marginal_rate(10**9) == 45


def test_net():
    assert net(8_000) == 8_000
""",
        hidden="""\
def test_limits():
    assert tax(30_000) == 4_000
    assert tax(80_000) == 19_000


def test_own_bands():
    bands = ((100, 10), (200, 20), (None, 50))
    assert tax(50, bands) == 5
    assert tax(150, bands) == 20
    assert tax(300, bands) == 80


def test_rounding_down():
    assert tax(10_004) == 0
    assert tax(10_005) == 1


def test_flat_tax():
    assert tax(1_000, ((None, 25),)) == 250


def test_net_third_band():
    assert net(40_000) == 40_000 - 7_000
""",
    ),
    Program(
        name="coin_box",
        code='''\
"""Give change from a box with a limited number of coins."""


class CoinBox:
    """Coins by value, for instance CoinBox({50: 2, 20: 5})."""

    def __init__(self, coins):
        self.coins = dict(coins)

    def total(self):
        """Value of all the coins in the box."""
        return sum(value * count for value, count in self.coins.items())

    def add(self, value, count=1):
        """Put coins into the box."""
        self.coins[value] = self.coins.get(value, 0) + count

    def change(self, amount):
        """Take coins for `amount` from the box, large coins first.

        Returns {value: count} without zero counts, or None when the large
        coins first rule does not lead to the exact amount; then the box
        stays as it was.
        """
        taken = {}
        rest = amount
        for value in sorted(self.coins):
            count = min(rest // value, self.coins[value])
            if count:
                taken[value] = count
                rest -= count * value
        if rest:
            return None
        for value, count in taken.items():
            self.coins[value] -= count
        return taken
''',
        wrong="sorted(self.coins):",
        right="sorted(self.coins, reverse=True):",
        visible="""\
def test_total():
    assert CoinBox({50: 2, 20: 5}).total() == 200


def test_single_coin():
    box = CoinBox({10: 3})
    assert box.change(20) == {10: 2}
    assert box.total() == 10


def test_large_coins_first():
    box = CoinBox({1: 100, 5: 10, 10: 10})
    assert box.change(27) == {10: 2, 5: 1, 1: 2}


def test_impossible():
    box = CoinBox({20: 1, 50: 1})
    assert box.change(30) is None
    assert box.total() == 70


def test_add():
    box = CoinBox({})
    box.add(5, 2)
    box.add(5)
    assert box.coins == {5: 3}
""",
        hidden="""\
def test_limited_large_coins():
    box = CoinBox({50: 1, 20: 2, 10: 10})
    assert box.change(120) == {50: 1, 20: 2, 10: 3}


def test_nothing():
    assert CoinBox({5: 1}).change(0) == {}


def test_order_of_dict_does_not_matter():
    assert CoinBox({1: 9, 100: 1, 10: 9}).change(111) == {100: 1, 10: 1, 1: 1}
    assert CoinBox({100: 1, 10: 9, 1: 9}).change(19) == {10: 1, 1: 9}


def test_failure_of_the_rule():
    box = CoinBox({25: 1, 10: 3})
    assert box.change(30) is None
    assert box.coins == {25: 1, 10: 3}


def test_all_coins():
    box = CoinBox({2: 1, 5: 1})
    assert box.change(7) == {2: 1, 5: 1}
    assert box.total() == 0
""",
    ),
    Program(
        name="build_order",
        code='''\
"""Find an order in which modules can be built."""


class CycleError(Exception):
    """The dependencies contain a cycle."""


def build_order(needs):
    """Return all modules such that each comes after what it needs.

    `needs` maps a module to the modules it needs; modules which occur only
    on the right need nothing.  Among modules which are ready at the same
    time, the alphabetically first one is built first.
    """
    modules = set(needs)
    for parts in needs.values():
        modules.update(parts)
    waiting = {name: set(needs.get(name, ())) for name in modules}
    order = []
    while waiting:
        ready = [name for name, parts in waiting.items() if not parts]
        if not ready:
            raise CycleError(sorted(waiting))
        name = min(ready)
        order.append(name)
        del waiting[name]
        for parts in waiting.values():
            parts.discard(name)
    return order


def all_needs(module, needs):
    """Return the set of everything a module needs, directly or not."""
    found = set()
    stack = list(needs.get(module, ()))
    while stack:
        name = stack.pop()
        if name not in found:
            found.add(name)
            stack.extend(needs.get(module, ()))
    return found
''',
        wrong="            stack.extend(needs.get(module, ()))",
        right="            stack.extend(needs.get(name, ()))",
        visible="""\
NEEDS = {"app": ["lib", "ui"], "ui": ["draw"], "lib": ["base"], "draw": ["base"]}


def test_order():
    assert build_order(NEEDS) == ["base", "draw", "lib", "ui", "app"]


def test_cycle():
    with pytest.raises(CycleError):
        build_order({"a": ["b"], "b": ["a"]})


def test_direct_needs():
    assert all_needs("ui", {"ui": ["draw", "text"]}) == {"draw", "text"}


def test_indirect_needs():
    assert all_needs("app", NEEDS) == {"lib", "ui", "draw", "base"}


def test_no_needs():
    assert all_needs("base", NEEDS) == set()
""",
        hidden="""\
def test_chain():
    needs = {"a": ["b"], "b": ["c"], "c": ["d"]}
    assert all_needs("a", needs) == {"b", "c", "d"}
    assert all_needs("b", needs) == {"c", "d"}


def test_diamond():
    needs = {"top": ["left", "right"], "left": ["end"], "right": ["end"]}
    assert all_needs("top", needs) == {"left", "right", "end"}


def test_cycle_ends():
    needs = {"a": ["b"], "b": ["c"], "c": ["a"]}
    assert all_needs("a", needs) == {"a", "b", "c"}


def test_unknown_module():
    assert all_needs("x", {"a": ["b"]}) == set()
""",
    ),
    Program(
        name="cheapest_route",
        code='''\
"""Cheapest routes in a road network."""
import heapq


def make_roads(triples):
    """Build {town: {neighbour: toll}} from (town, town, toll); both ways.

    When the same road is listed twice, the cheaper toll counts.
    """
    roads = {}
    for start, end, toll in triples:
        for a, b in ((start, end), (end, start)):
            known = roads.setdefault(a, {})
            known[b] = min(toll, known.get(b, toll))
    return roads


def route(roads, start, goal):
    """Return (toll, towns on the way) for a cheapest route, or None."""
    best = {start: 0}
    before = {}
    queue = [(0, start)]
    done = set()
    while queue:
        toll, town = heapq.heappop(queue)
        if town in done:
            continue
        done.add(town)
        if town == goal:
            way = [town]
            while way[-1] != start:
                way.append(before[way[-1]])
            return toll, way[::-1]
        for neighbour, extra in roads.get(town, {}).items():
            cost = toll + extra
            if neighbour not in best:
                best[neighbour] = cost
                before[neighbour] = town
                heapq.heappush(queue, (cost, neighbour))
    return None
''',
        wrong="if neighbour not in best:",
        right="if neighbour not in best or cost < best[neighbour]:",
        visible="""\
def test_direct():
    roads = make_roads([("a", "b", 4)])
    assert route(roads, "a", "b") == (4, ["a", "b"])
    assert route(roads, "b", "a") == (4, ["b", "a"])


def test_detour_is_cheaper():
    roads = make_roads([("a", "b", 10), ("a", "c", 2), ("c", "b", 3)])
    assert route(roads, "a", "b") == (5, ["a", "c", "b"])


def test_unreachable():
    roads = make_roads([("a", "b", 1), ("c", "d", 1)])
    assert route(roads, "a", "d") is None


def test_same_town():
    assert route(make_roads([("a", "b", 1)]), "a", "a") == (0, ["a"])


def test_double_road():
    assert make_roads([("a", "b", 5), ("b", "a", 3)]) == {"a": {"b": 3}, "b": {"a": 3}}
""",
        hidden="""\
def test_long_detour():
    roads = make_roads([("a", "z", 100), ("a", "b", 1), ("b", "c", 1), ("c", "d", 1), ("d", "z", 1)])
    assert route(roads, "a", "z") == (4, ["a", "b", "c", "d", "z"])


def test_improved_on_the_way():
    roads = make_roads([("s", "x", 7), ("s", "y", 1), ("y", "x", 2), ("x", "t", 1), ("s", "t", 9)])
    assert route(roads, "s", "t") == (4, ["s", "y", "x", "t"])


def test_direct_when_cheaper():
    roads = make_roads([("a", "b", 3), ("a", "c", 2), ("c", "b", 2)])
    assert route(roads, "a", "b") == (3, ["a", "b"])


def test_unknown_start():
    assert route({}, "a", "b") is None
""",
    ),
    Program(
        name="lake_survey",
        code='''\
"""Find the lakes on a map of characters."""

WATER = "~"


def neighbours(row, column, height, width):
    """Yield the up to four cells beside a cell."""
    if row > 0:
        yield row - 1, column
    if row < height - 1:
        yield row + 1, column
    if column > 0:
        yield row, column - 1
    if column < height - 1:
        yield row, column + 1


def lakes(rows):
    """Return the sizes of all lakes, largest first.

    `rows` is a list of strings of equal length.  A lake is a largest group
    of water cells which are connected by their sides.
    """
    if not rows:
        return []
    height, width = len(rows), len(rows[0])
    seen = set()
    sizes = []
    for row in range(height):
        for column in range(width):
            if rows[row][column] != WATER or (row, column) in seen:
                continue
            size = 0
            stack = [(row, column)]
            seen.add((row, column))
            while stack:
                here = stack.pop()
                size += 1
                for r, c in neighbours(*here, height, width):
                    if rows[r][c] == WATER and (r, c) not in seen:
                        seen.add((r, c))
                        stack.append((r, c))
            sizes.append(size)
    return sorted(sizes, reverse=True)
''',
        wrong="if column < height - 1:",
        right="if column < width - 1:",
        visible="""\
def test_empty():
    assert lakes([]) == []
    assert lakes(["..", ".."]) == []


def test_square_map():
    assert lakes(["~~.", "..~", "~.~"]) == [2, 2, 1]


def test_diagonal_does_not_connect():
    assert lakes(["~.", ".~"]) == [1, 1]


def test_wide_map():
    assert lakes(["~~~~~~", "......", "...~~~"]) == [6, 3]


def test_all_water():
    assert lakes(["~~~"] * 3) == [9]
""",
        hidden="""\
def test_single_row():
    assert lakes(["~~.~~~"]) == [3, 2]


def test_single_column():
    assert lakes(["~", "~", ".", "~"]) == [2, 1]


def test_tall_map():
    assert lakes(["~.", "~.", "~~", ".~", ".~"]) == [6]


def test_neighbours():
    assert sorted(neighbours(0, 3, 2, 5)) == [(0, 2), (0, 4), (1, 3)]
    assert sorted(neighbours(3, 1, 4, 2)) == [(2, 1), (3, 0)]


def test_ring():
    assert lakes(["~~~~~", "~...~", "~~~~~"]) == [12]
""",
    ),
    Program(
        name="two_teams",
        code='''\
"""Split players into two teams so that no two rivals play together."""
from collections import deque


def two_teams(players, rivals):
    """Return two sorted lists, or None when it cannot be done.

    `rivals` is a list of pairs.  In every group of players connected by
    rivalry, the alphabetically first one belongs to the first team.
    Players without rivals belong to the first team.
    """
    against = {player: set() for player in players}
    for one, other in rivals:
        against[one].add(other)
        against[other].add(one)
    team = {}
    for first in sorted(players):
        if first in team:
            continue
        team[first] = 0
        queue = deque([first])
        while queue:
            player = queue.popleft()
            for rival in against[player]:
                if rival not in team:
                    team[rival] = 1 - team[first]
                    queue.append(rival)
                elif team[rival] == team[player]:
                    return None
    return (
        sorted(player for player in players if team[player] == 0),
        sorted(player for player in players if team[player] == 1),
    )
''',
        wrong="1 - team[first]",
        right="1 - team[player]",
        visible="""\
def test_no_rivals():
    assert two_teams(["b", "a"], []) == (["a", "b"], [])


def test_one_pair():
    assert two_teams(["x", "y", "z"], [("z", "x")]) == (["x", "y"], ["z"])


def test_triangle():
    assert two_teams("abc", [("a", "b"), ("b", "c"), ("c", "a")]) is None


def test_chain():
    assert two_teams("abcd", [("a", "b"), ("b", "c"), ("c", "d")]) == (["a", "c"], ["b", "d"])


def test_star():
    assert two_teams("abcd", [("a", "b"), ("a", "c"), ("a", "d")]) == (["a"], ["b", "c", "d"])
""",
        hidden="""\
def test_square():
    rivals = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    assert two_teams("abcd", rivals) == (["a", "c"], ["b", "d"])


def test_two_groups():
    rivals = [("a", "b"), ("b", "e"), ("c", "d")]
    assert two_teams("abcde", rivals) == (["a", "c", "e"], ["b", "d"])


def test_pentagon():
    rivals = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "a")]
    assert two_teams("abcde", rivals) is None


def test_hexagon_is_possible():
    rivals = [(i, (i + 1) % 6) for i in range(6)]
    assert two_teams(range(6), rivals) == ([0, 2, 4], [1, 3, 5])


def test_own_rival():
    assert two_teams("a", [("a", "a")]) is None
""",
    ),
    Program(
        name="undo_text",
        code='''\
"""A line of text which can undo and redo its changes."""


class Editor:
    """Holds a text; every change can be undone and redone."""

    def __init__(self, text=""):
        self.text = text
        self._undo = []
        self._redo = []

    def _change(self, text):
        """Set a new text and remember the old one."""
        self._undo.append(self.text)
        self.text = text

    def insert(self, position, words):
        """Insert words at a position."""
        self._change(self.text[:position] + words + self.text[position:])

    def delete(self, start, end):
        """Delete the characters from start up to, not including, end."""
        self._change(self.text[:start] + self.text[end:])

    def undo(self):
        """Take the last change back.  Returns whether there was one."""
        if not self._undo:
            return False
        self._redo.append(self.text)
        self.text = self._undo.pop()
        return True

    def redo(self):
        """Do again what was undone last.  Returns whether there was any.

        A new change makes it impossible to redo older ones.
        """
        if not self._redo:
            return False
        self._undo.append(self.text)
        self.text = self._redo.pop()
        return True
''',
        wrong="        self._undo.append(self.text)\n        self.text = text\n",
        right="        self._undo.append(self.text)\n        self._redo.clear()\n        self.text = text\n",
        visible="""\
def test_insert_and_delete():
    editor = Editor("helo")
    editor.insert(3, "l")
    assert editor.text == "hello"
    editor.delete(1, 5)
    assert editor.text == "h"


def test_undo():
    editor = Editor("a")
    editor.insert(1, "b")
    assert editor.undo()
    assert editor.text == "a"
    assert not editor.undo()


def test_redo():
    editor = Editor()
    editor.insert(0, "x")
    editor.undo()
    assert editor.redo()
    assert editor.text == "x"
    assert not editor.redo()


def test_change_after_undo():
    editor = Editor()
    editor.insert(0, "one")
    editor.undo()
    editor.insert(0, "two")
    assert not editor.redo()
    assert editor.text == "two"
""",
        hidden="""\
def test_delete_also_ends_redo():
    editor = Editor("abc")
    editor.insert(3, "d")
    editor.undo()
    editor.delete(0, 1)
    assert editor.redo() is False
    assert editor.text == "bc"


def test_undo_after_change_goes_back_properly():
    editor = Editor("a")
    editor.insert(1, "b")
    editor.undo()
    editor.insert(1, "c")
    assert editor.undo() and editor.text == "a"
    assert editor.redo() and editor.text == "ac"
    assert not editor.redo()


def test_redo_does_not_end_redo():
    editor = Editor()
    for letter in "xyz":
        editor.insert(len(editor.text), letter)
    for _ in range(3):
        editor.undo()
    assert editor.redo() and editor.redo() and editor.redo()
    assert editor.text == "xyz"
""",
    ),
    Program(
        name="call_limit",
        code='''\
"""Limit how often each client may call a service."""
from collections import deque


class CallLimit:
    """Allow each client `limit` calls within any `window` seconds.

    A call at time t no longer counts at time t + window.  Refused calls
    do not count at all.
    """

    def __init__(self, limit, window):
        self.limit = limit
        self.window = window
        self._calls = {}

    def _recent(self, client, now):
        """Return the calls of the client which still count."""
        calls = self._calls.setdefault(client, deque())
        while calls and now - calls[0] > self.window:
            calls.popleft()
        return calls

    def allow(self, client, now):
        """Record a call and return True, or return False if it is refused."""
        calls = self._recent(client, now)
        if len(calls) >= self.limit:
            return False
        calls.append(now)
        return True

    def left(self, client, now):
        """How many calls the client may still make at once."""
        return self.limit - len(self._recent(client, now))

    def wait(self, client, now):
        """Seconds until the client may call again; 0 if it may now."""
        calls = self._recent(client, now)
        if len(calls) < self.limit:
            return 0
        return calls[0] + self.window - now
''',
        wrong="now - calls[0] > self.window:",
        right="now - calls[0] >= self.window:",
        visible="""\
def test_limit():
    limit = CallLimit(2, 10)
    assert limit.allow("a", 0)
    assert limit.allow("a", 1)
    assert not limit.allow("a", 2)


def test_clients_are_separate():
    limit = CallLimit(1, 10)
    assert limit.allow("a", 0)
    assert limit.allow("b", 0)


def test_old_calls_do_not_count():
    limit = CallLimit(1, 10)
    limit.allow("a", 5)
    assert not limit.allow("a", 14)
    assert limit.allow("a", 15)


def test_left():
    limit = CallLimit(3, 10)
    limit.allow("a", 0)
    assert limit.left("a", 4) == 2
    assert limit.left("a", 30) == 3


def test_wait():
    limit = CallLimit(1, 10)
    assert limit.wait("a", 0) == 0
    limit.allow("a", 0)
    assert limit.wait("a", 4) == 6
""",
        hidden="""\
def test_allowed_after_waiting():
    limit = CallLimit(2, 60)
    limit.allow("a", 0)
    limit.allow("a", 20)
    now = 30 + limit.wait("a", 30)
    assert now == 60
    assert limit.allow("a", now)
    assert not limit.allow("a", now)


def test_left_at_the_boundary():
    limit = CallLimit(2, 5)
    limit.allow("a", 1)
    limit.allow("a", 3)
    assert limit.left("a", 5) == 0
    assert limit.left("a", 6) == 1
    assert limit.left("a", 8) == 2


def test_refused_calls_do_not_count():
    limit = CallLimit(1, 10)
    limit.allow("a", 0)
    assert not limit.allow("a", 9)
    assert limit.allow("a", 11)
    assert limit.wait("a", 12) == 9
""",
    ),
    Program(
        name="stock_room",
        code='''\
"""Keeps count of what lies in a stock room, with reservations."""


class OutOfStock(Exception):
    """There is not enough free stock."""


class StockRoom:
    """Articles have a stock; a part of it may be reserved for orders."""

    def __init__(self):
        self._stock = {}
        self._reserved = {}

    def deliver(self, article, count):
        """Add newly delivered pieces."""
        self._stock[article] = self._stock.get(article, 0) + count

    def free(self, article):
        """Pieces which are there and not reserved."""
        reserved = sum(order.get(article, 0) for order in self._reserved.values())
        return self._stock.get(article, 0) - reserved

    def reserve(self, order, article, count):
        """Reserve free pieces for an order, in addition to earlier ones."""
        if count > self.free(article):
            raise OutOfStock(article)
        articles = self._reserved.setdefault(order, {})
        articles[article] = articles.get(article, 0) + count

    def cancel(self, order):
        """Give up all reservations of an order; unknown orders are ignored."""
        self._reserved.pop(order, None)

    def ship(self, order):
        """Take the reserved pieces out of the room and return them."""
        articles = self._reserved.get(order)
        if articles is None:
            raise KeyError(order)
        for article, count in articles.items():
            self._stock[article] -= count
        return articles
''',
        wrong="self._reserved.get(order)\n",
        right="self._reserved.pop(order, None)\n",
        visible="""\
def room():
    stock = StockRoom()
    stock.deliver("lamp", 10)
    stock.deliver("desk", 3)
    return stock


def test_reserve():
    stock = room()
    stock.reserve("o1", "lamp", 4)
    assert stock.free("lamp") == 6


def test_too_many():
    stock = room()
    stock.reserve("o1", "desk", 2)
    with pytest.raises(OutOfStock):
        stock.reserve("o2", "desk", 2)


def test_cancel():
    stock = room()
    stock.reserve("o1", "lamp", 4)
    stock.cancel("o1")
    assert stock.free("lamp") == 10


def test_ship():
    stock = room()
    stock.reserve("o1", "lamp", 4)
    assert stock.ship("o1") == {"lamp": 4}
    assert stock.free("lamp") == 6


def test_ship_unknown():
    with pytest.raises(KeyError):
        room().ship("o9")
""",
        hidden="""\
def test_ship_twice():
    stock = StockRoom()
    stock.deliver("cup", 5)
    stock.reserve("a", "cup", 2)
    stock.ship("a")
    with pytest.raises(KeyError):
        stock.ship("a")


def test_cancel_after_shipping_changes_nothing():
    stock = StockRoom()
    stock.deliver("cup", 5)
    stock.reserve("a", "cup", 2)
    stock.ship("a")
    stock.cancel("a")
    assert stock.free("cup") == 3


def test_all_can_be_shipped():
    stock = StockRoom()
    stock.deliver("cup", 4)
    stock.reserve("a", "cup", 2)
    stock.ship("a")
    stock.reserve("b", "cup", 2)
    assert stock.ship("b") == {"cup": 2}
    assert stock.free("cup") == 0


def test_other_orders_stay_reserved():
    stock = StockRoom()
    stock.deliver("cup", 6)
    stock.reserve("a", "cup", 1)
    stock.reserve("b", "cup", 2)
    stock.reserve("a", "cup", 1)
    assert stock.ship("a") == {"cup": 2}
    assert stock.free("cup") == 2
""",
    ),
    Program(
        name="savings_account",
        code='''\
"""Accounts with a history of bookings."""


class Refused(Exception):
    """A booking is not possible."""


class Account:
    """An account; amounts are cents.  It may be overdrawn up to a limit."""

    def __init__(self, owner, overdraft=0, history=[]):
        self.owner = owner
        self.overdraft = overdraft
        self.history = history

    @property
    def balance(self):
        return sum(amount for _, amount in self.history)

    def deposit(self, amount, note="deposit"):
        """Book an amount in."""
        if amount <= 0:
            raise Refused("amount must be positive")
        self.history.append((note, amount))

    def withdraw(self, amount, note="withdrawal"):
        """Book an amount out, if the limit allows it."""
        if amount <= 0:
            raise Refused("amount must be positive")
        if self.balance - amount < -self.overdraft:
            raise Refused("limit exceeded")
        self.history.append((note, -amount))

    def transfer(self, other, amount):
        """Move an amount to another account; both get a note about it."""
        self.withdraw(amount, f"to {other.owner}")
        other.deposit(amount, f"from {self.owner}")

    def statement(self):
        """Return a list of (note, amount, balance after the booking)."""
        lines, balance = [], 0
        for note, amount in self.history:
            balance += amount
            lines.append((note, amount, balance))
        return lines
''',
        wrong="        self.history = history\n",
        right="        self.history = list(history)\n",
        visible="""\
def test_overdraft():
    account = Account("Ann", 100, [])
    account.withdraw(100)
    with pytest.raises(Refused):
        account.withdraw(1)
    assert account.balance == -100


def test_refuses_negative_amounts():
    account = Account("Ann", 0, [])
    with pytest.raises(Refused):
        account.deposit(-5)


def test_deposit():
    account = Account("Bob")
    account.deposit(500)
    assert account.history[-1] == ("deposit", 500)


def test_transfer():
    ann, bob = Account("Ann"), Account("Bob")
    ann.deposit(1000)
    ann.transfer(bob, 300)
    assert ann.balance == 700
    assert bob.balance == 300


def test_statement():
    account = Account("Ann", 0, [("start", 50)])
    account.deposit(25, "gift")
    assert account.statement() == [("start", 50, 50), ("gift", 25, 75)]
""",
        hidden="""\
def test_new_account_is_empty():
    Account("Ann").deposit(10)
    assert Account("Bob").balance == 0
    assert Account("Bob").history == []


def test_notes_of_transfer():
    ann, bob = Account("Ann", 500), Account("Bob")
    ann.transfer(bob, 200)
    assert ann.history == [("to Bob", -200)]
    assert bob.history == [("from Ann", 200)]


def test_three_accounts():
    accounts = [Account(name) for name in "abc"]
    for number, account in enumerate(accounts, 1):
        account.deposit(number)
    assert [account.balance for account in accounts] == [1, 2, 3]


def test_given_history():
    account = Account("Ann", 0, [("start", 40)])
    assert account.balance == 40
    account.withdraw(40)
    assert account.balance == 0
""",
    ),
    Program(
        name="working_days",
        code='''\
"""Count in working days."""
from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


def is_working_day(day, holidays=()):
    """Monday to Friday, unless it is a holiday."""
    return day.weekday() < 5 and day not in holidays


def add_working_days(start, count, holidays=()):
    """Return the day `count` working days after `start`.

    With count 0 this is `start` itself, or the next working day if
    `start` is none.
    """
    day = start
    while not is_working_day(day, holidays):
        day += ONE_DAY
    while count > 0:
        day += ONE_DAY
        if is_working_day(day):
            count -= 1
    return day


def working_days_between(first, last, holidays=()):
    """Number of working days from first to last, both included."""
    total = 0
    day = first
    while day <= last:
        if is_working_day(day, holidays):
            total += 1
        day += ONE_DAY
    return total


def due_date(received, days, holidays=()):
    """Last day to answer a letter: `days` working days after its arrival."""
    return add_working_days(received, days, holidays)
''',
        wrong="if is_working_day(day):",
        right="if is_working_day(day, holidays):",
        visible="""\
def test_within_week():
    assert add_working_days(date(2024, 3, 4), 3) == date(2024, 3, 7)


def test_over_weekend():
    assert add_working_days(date(2024, 3, 8), 1) == date(2024, 3, 11)


def test_start_on_weekend():
    assert add_working_days(date(2024, 3, 9), 0) == date(2024, 3, 11)


def test_between():
    assert working_days_between(date(2024, 3, 4), date(2024, 3, 17)) == 10


def test_due_date_with_holiday():
    holidays = {date(2024, 5, 1)}
    assert due_date(date(2024, 4, 30), 2, holidays) == date(2024, 5, 3)
""",
        hidden="""\
def test_several_holidays():
    holidays = [date(2024, 12, 25), date(2024, 12, 26), date(2025, 1, 1)]
    assert add_working_days(date(2024, 12, 24), 1, holidays) == date(2024, 12, 27)
    assert add_working_days(date(2024, 12, 24), 4, holidays) == date(2025, 1, 2)


def test_holiday_as_target():
    holidays = {date(2024, 3, 11)}
    assert add_working_days(date(2024, 3, 8), 1, holidays) == date(2024, 3, 12)


def test_holiday_as_start():
    holidays = {date(2024, 3, 4)}
    assert add_working_days(date(2024, 3, 4), 0, holidays) == date(2024, 3, 5)
    assert add_working_days(date(2024, 3, 4), 1, holidays) == date(2024, 3, 6)


def test_agrees_with_counting():
    holidays = {date(2024, 3, 13), date(2024, 3, 29)}
    start = date(2024, 3, 4)
    for count in range(25):
        end = add_working_days(start, count, holidays)
        assert working_days_between(start, end, holidays) == count + 1
""",
    ),
    Program(
        name="month_steps",
        code='''\
"""Dates of monthly payments."""
import calendar
from datetime import date


def add_months(day, months):
    """Return the same day of the month, `months` months later.

    If that month is too short, its last day is taken.  `months` may be
    negative.
    """
    index = day.year * 12 + (day.month - 1) + months
    year, month = divmod(index, 12)
    month += 1
    last = calendar.monthrange(year, month)[1]
    return date(year, month, min(day.day, last))


def payment_dates(first, count, every=1):
    """Return `count` dates, `every` months apart, starting with `first`.

    A first date at the end of a month must not drift: after 31 January and
    29 February comes 31 March.
    """
    dates = []
    day = first
    for number in range(count):
        dates.append(day)
        day = add_months(day, every)
    return dates


def months_between(start, end):
    """Full months from start to end (which is not earlier)."""
    months = (end.year - start.year) * 12 + end.month - start.month
    if end.day < start.day:
        months -= 1
    return months
''',
        wrong="        day = add_months(day, every)\n",
        right="        day = add_months(first, every * (number + 1))\n",
        visible="""\
def test_add_months():
    assert add_months(date(2024, 11, 15), 3) == date(2025, 2, 15)
    assert add_months(date(2024, 1, 15), -1) == date(2023, 12, 15)


def test_short_month():
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)


def test_payment_dates():
    assert payment_dates(date(2024, 5, 10), 3) == [date(2024, 5, 10), date(2024, 6, 10), date(2024, 7, 10)]


def test_no_drift():
    assert payment_dates(date(2024, 1, 31), 3) == [date(2024, 1, 31), date(2024, 2, 29), date(2024, 3, 31)]


def test_quarterly():
    assert payment_dates(date(2024, 1, 1), 3, 3)[-1] == date(2024, 7, 1)


def test_months_between():
    assert months_between(date(2024, 1, 15), date(2024, 4, 14)) == 2
""",
        hidden="""\
def test_whole_year_from_the_31st():
    dates = payment_dates(date(2023, 1, 31), 12)
    assert [d.day for d in dates] == [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def test_quarterly_from_the_30th():
    dates = payment_dates(date(2023, 11, 30), 4, 3)
    assert dates == [date(2023, 11, 30), date(2024, 2, 29), date(2024, 5, 30), date(2024, 8, 30)]


def test_no_payments():
    assert payment_dates(date(2024, 1, 1), 0) == []


def test_leap_day_yearly():
    dates = payment_dates(date(2020, 2, 29), 5, 12)
    assert [d.day for d in dates] == [29, 28, 28, 28, 29]


def test_one_payment():
    assert payment_dates(date(2024, 8, 31), 1) == [date(2024, 8, 31)]
""",
    ),
    Program(
        name="free_slots",
        code='''\
"""Find free time in a day's calendar.  Times are minutes since midnight."""


def merge(meetings):
    """Join meetings which overlap or touch; returns sorted (start, end)."""
    merged = []
    for start, end in sorted(meetings):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def free_slots(meetings, opens, closes, length=1):
    """Return the gaps of at least `length` minutes between the meetings.

    Only the time from `opens` to `closes` counts; meetings may reach
    beyond it.
    """
    slots = []
    begin = opens
    for start, end in merge(meetings):
        gap_end = min(start, closes)
        if gap_end - begin >= length:
            slots.append((begin, gap_end))
        begin = max(begin, end)
    if closes - begin >= length:
        slots.append((begin, closes))
    return slots


def first_slot(calendars, opens, closes, length):
    """Return the first start at which everybody is free, or None."""
    together = [meeting for calendar in calendars for meeting in calendar]
    slots = free_slots(together, opens, closes, length)
    return slots[0][0] if slots else None
''',
        wrong="(merged[-1][0], end)",
        right="(merged[-1][0], max(merged[-1][1], end))",
        visible="""\
def test_merge():
    assert merge([(60, 90), (0, 30), (80, 120)]) == [(0, 30), (60, 120)]
    assert merge([(0, 10), (10, 20)]) == [(0, 20)]


def test_merge_contained():
    assert merge([(0, 100), (20, 40)]) == [(0, 100)]


def test_free():
    assert free_slots([(540, 600), (660, 720)], 480, 780) == [(480, 540), (600, 660), (720, 780)]


def test_length():
    assert free_slots([(500, 600)], 480, 700, 30) == [(600, 700)]


def test_first_slot():
    calendars = [[(480, 540)], [(540, 570)]]
    assert first_slot(calendars, 480, 720, 60) == 570


def test_all_day():
    assert free_slots([], 480, 1020) == [(480, 1020)]
""",
        hidden="""\
def test_long_meeting_with_two_inside():
    assert merge([(0, 60), (5, 10), (20, 30)]) == [(0, 60)]


def test_first_slot_with_contained_meeting():
    calendars = [[(480, 720)], [(500, 530)], [(600, 630)]]
    assert first_slot(calendars, 480, 900, 30) == 720


def test_free_with_contained_meeting():
    assert free_slots([(100, 200), (120, 150)], 90, 210) == [(90, 100), (200, 210)]


def test_same_start():
    assert merge([(10, 50), (10, 20), (60, 70)]) == [(10, 50), (60, 70)]


def test_nothing_free():
    assert first_slot([[(0, 1440)], [(500, 510)]], 480, 600, 15) is None
""",
    ),
    Program(
        name="weekly_backup",
        code='''\
"""Decide which daily backups to keep."""
from datetime import date, timedelta


def week_of(day):
    """Return the Monday of the week in which a day lies."""
    return day - timedelta(days=day.weekday())


def keep(backups, today, daily=7, weekly=4):
    """Return the backups to keep, newest first.

    These are the backups of the last `daily` days (today included) and,
    among the older ones, the newest of each week, for at most `weekly`
    weeks.  Backups from the future are kept, too.
    """
    kept = []
    weeks = []
    border = today - timedelta(days=daily)
    for day in sorted(backups, reverse=True):
        if day > border:
            kept.append(day)
            continue
        week = week_of(day)
        if week in weeks:
            continue
        if len(weeks) > weekly:
            break
        weeks.append(week)
        kept.append(day)
    return kept


def drop(backups, today, daily=7, weekly=4):
    """Return the backups to delete, oldest first."""
    kept = set(keep(backups, today, daily, weekly))
    return sorted(day for day in backups if day not in kept)
''',
        wrong="if len(weeks) > weekly:",
        right="if len(weeks) >= weekly:",
        visible="""\
def days(*numbers):
    return [date(2024, 7, number) for number in numbers]


def test_week_of():
    assert week_of(date(2024, 7, 4)) == date(2024, 7, 1)
    assert week_of(date(2024, 7, 1)) == date(2024, 7, 1)


def test_recent_ones_stay():
    assert keep(days(25, 26, 27, 28), date(2024, 7, 28)) == days(28, 27, 26, 25)


def test_newest_of_week():
    assert keep(days(8, 9, 10, 30, 31), date(2024, 7, 31)) == days(31, 30, 10)


def test_number_of_weeks():
    backups = [date(2024, 7, 31) - timedelta(days=n) for n in range(60)]
    assert len(keep(backups, date(2024, 7, 31), 7, 4)) == 11


def test_drop():
    assert drop(days(8, 9, 10, 31), date(2024, 7, 31)) == days(8, 9)
""",
        hidden="""\
def test_no_weekly():
    backups = [date(2024, 7, n) for n in range(1, 32)]
    assert keep(backups, date(2024, 7, 31), 3, 0) == [date(2024, 7, n) for n in (31, 30, 29)]


def test_one_weekly():
    backups = [date(2024, 7, n) for n in (3, 10, 17, 31)]
    assert keep(backups, date(2024, 7, 31), 2, 1) == [date(2024, 7, 31), date(2024, 7, 17)]


def test_drop_and_keep_are_everything():
    backups = [date(2024, 1, 1) + timedelta(days=n) for n in range(0, 150, 3)]
    today = date(2024, 5, 28)
    kept, dropped = keep(backups, today, 10, 6), drop(backups, today, 10, 6)
    assert sorted(kept + dropped) == backups
    assert sum(day <= today - timedelta(days=10) for day in kept) == 6


def test_future():
    assert keep([date(2025, 1, 1)], date(2024, 7, 31)) == [date(2025, 1, 1)]


def test_border_of_daily():
    assert keep([date(2024, 7, 24), date(2024, 7, 25)], date(2024, 7, 31), 7, 0) == [date(2024, 7, 25)]
""",
    ),
    Program(
        name="plain_table",
        code='''\
"""Plain text tables for the terminal."""


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def table(header, rows, gap="  "):
    """Return a table as text.

    Each column is as wide as its widest cell, header included.  Columns
    which hold only numbers are aligned to the right, the others to the
    left.  There are no spaces at the ends of lines.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    columns = list(zip(header, *cells))
    widths = [max(map(len, column)) for column in columns]
    right = [all(map(is_number, column)) for column in columns]

    def line(texts):
        parts = []
        for text, width, to_right in zip(texts, widths, right):
            parts.append(text.rjust(width) if to_right else text.ljust(width))
        return gap.join(parts).rstrip()

    ruler = gap.join("-" * width for width in widths)
    return "\\n".join([line(header), ruler] + [line(row) for row in cells])
''',
        wrong="all(map(is_number, column)) for",
        right="all(map(is_number, column[1:])) for",
        visible="""\
def test_text_columns():
    assert table(["name", "town"], [["Ann", "Oslo"], ["Robert", "Rome"]]) == (
        "name    town\\n------  ----\\nAnn     Oslo\\nRobert  Rome"
    )


def test_wide_header():
    assert table(["long name"], [["x"]]).splitlines()[1] == "-" * 9


def test_number_column():
    lines = table(["item", "price"], [["tea", 3], ["coffee", 12.5]]).splitlines()
    assert lines[2] == "tea         3"
    assert lines[3] == "coffee   12.5"


def test_mixed_column_is_text():
    lines = table(["value"], [["12"], ["n/a"]]).splitlines()
    assert lines[2:] == ["12", "n/a"]


def test_gap():
    assert table(["ab", "cd"], [["x", "y"]], " | ").splitlines()[0] == "ab | cd"
""",
        hidden="""\
def test_header_over_numbers():
    lines = table(["n"], [[1], [100]]).splitlines()
    assert lines == ["  n", "---", "  1", "100"]


def test_negative_and_decimal():
    lines = table(["amount", "note"], [["-1.5", "a"], ["20", "b"]]).splitlines()
    assert lines[2:] == ["  -1.5  a", "    20  b"]


def test_numeric_header_over_text():
    lines = table(["2024"], [["no"], ["yes"]]).splitlines()
    assert lines[2:] == ["no", "yes"]


def test_header_counts_for_width():
    assert table(["quantity"], [[5]]).splitlines()[2] == "       5"
""",
    ),
    Program(
        name="invoice_text",
        code='''\
"""Print invoices.  Prices are cents."""


def money(cents):
    """Format cents: 123456 -> "1,234.56", -5 -> "-0.05"."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{whole:,}.{rest}"


def line_total(count, price, discount=0):
    """Price of some pieces, less a discount in percent, rounded down."""
    return count * price * (100 - discount) // 100


def invoice(lines, width=40):
    """Return the text of an invoice.

    Each line is (name, count, price) or (name, count, price, discount).
    Names stand on the left, amounts on the right, with dots between; the
    last line shows the total under a ruler.
    """
    text = []
    total = 0
    for name, count, price, *discount in lines:
        amount = line_total(count, price, *discount)
        total += amount
        label = f"{count} x {name} "
        text.append(label + ("  " + money(amount)).rjust(width - len(label), "."))
    text.append("-" * width)
    text.append("Total" + money(total).rjust(width - 5))
    return "\\n".join(text)
''',
        wrong='{whole:,}.{rest}"',
        right='{whole:,}.{rest:02}"',
        visible="""\
def test_money():
    assert money(123456) == "1,234.56"
    assert money(1999) == "19.99"


def test_small_money():
    assert money(-5) == "-0.05"


def test_line_total():
    assert line_total(3, 250) == 750
    assert line_total(1, 999, 10) == 899


def test_invoice_width():
    text = invoice([("pen", 2, 120), ("book", 1, 1599)], 30)
    assert [len(line) for line in text.splitlines()] == [30] * 4


def test_invoice_total():
    text = invoice([("pen", 2, 100), ("book", 1, 1500, 50)], 20)
    assert text.splitlines()[-1] == "Total           9.50"
""",
        hidden="""\
def test_round_amounts():
    assert money(0) == "0.00"
    assert money(100) == "1.00"
    assert money(100000000) == "1,000,000.00"


def test_one_cent():
    assert money(1) == "0.01"
    assert money(1009) == "10.09"


def test_tens_of_cents():
    assert money(10) == "0.10"
    assert money(-250) == "-2.50"


def test_whole_invoice():
    assert invoice([("tea", 1, 300)], 20) == "1 x tea ......  3.00\\n" + "-" * 20 + "\\nTotal           3.00"
""",
    ),
    Program(
        name="bar_chart",
        code='''\
"""Bar charts made of characters."""


def bar_chart(values, width=20, mark="#"):
    """Return one line for each entry of the dict `values`.

    The largest value gets a bar of `width` marks, the others are scaled
    to it and rounded; a positive value has at least one mark.  Labels are
    padded to the same length.  Lines are in the order of the dict.
    """
    if not values:
        return ""
    top = max(values.values())
    pad = max(len(label) for label in values)
    lines = []
    for label, value in values.items():
        size = round(value / top * width) if top else 0
        if value > 0:
            size = min(size, 1)
        lines.append(f"{label.ljust(pad)} |{mark * size} {value}")
    return "\\n".join(lines)


def tally(items):
    """Count items; the most frequent first, equal ones alphabetically."""
    counts = {}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def histogram(numbers, step):
    """Count numbers by class; a class is named by its lower end."""
    counts = {}
    for number in sorted(numbers):
        low = number // step * step
        counts[low] = counts.get(low, 0) + 1
    return counts
''',
        wrong="size = min(size, 1)",
        right="size = max(size, 1)",
        visible="""\
def test_empty():
    assert bar_chart({}) == ""


def test_scaled():
    assert bar_chart({"a": 10, "b": 5}, 10) == "a |########## 10\\nb |##### 5"


def test_at_least_one_mark():
    assert bar_chart({"big": 1000, "x": 1}, 5).splitlines()[1] == "x   |# 1"


def test_all_zero():
    assert bar_chart({"a": 0}) == "a | 0"


def test_tally():
    assert list(tally(["b", "a", "c", "b", "a"]).items()) == [("a", 2), ("b", 2), ("c", 1)]


def test_histogram():
    assert histogram([1, 12, 5, 19, 30], 10) == {0: 2, 10: 2, 30: 1}
""",
        hidden="""\
def test_single_bar():
    assert bar_chart({"x": 3}, 4, "*") == "x |**** 3"


def test_zero_has_no_mark():
    assert bar_chart({"x": 2, "yy": 0}, 3) == "x  |### 2\\nyy | 0"


def test_rounding():
    lines = bar_chart({"a": 3, "b": 2, "c": 1}, 10).splitlines()
    assert [line.count("#") for line in lines] == [10, 7, 3]


def test_tiny_values():
    lines = bar_chart({"a": 10**6, "b": 1, "c": 2}, 30).splitlines()
    assert [line.count("#") for line in lines] == [30, 1, 1]
""",
    ),
    Program(
        name="file_sizes",
        code='''\
"""Report how much room files take."""

UNITS = ("B", "KB", "MB", "GB", "TB")


def human(size):
    """Return a size in bytes as a short text.

    The unit is the largest one that gives a number of at least 1; a unit
    is 1024 of the one before.  Bytes are whole numbers, all other units
    have one decimal: 512 -> "512 B", 1536 -> "1.5 KB".
    """
    number = float(size)
    unit = 0
    while number > 1024 and unit < len(UNITS) - 1:
        number /= 1024
        unit += 1
    if unit == 0:
        return f"{size} B"
    return f"{number:.1f} {UNITS[unit]}"


def by_extension(files):
    """Sum the sizes of (name, size) pairs by extension.

    The extension is what follows the last dot, in lower case; names
    without a dot count under "".
    """
    sums = {}
    for name, size in files:
        _, dot, extension = name.rpartition(".")
        key = extension.lower() if dot else ""
        sums[key] = sums.get(key, 0) + size
    return sums


def report(files):
    """One line for each extension, the largest sum first."""
    sums = by_extension(files)
    lines = []
    for key in sorted(sums, key=lambda key: (-sums[key], key)):
        lines.append(f"{key or '(none)'}: {human(sums[key])}")
    return "\\n".join(lines)
''',
        wrong="while number > 1024 and",
        right="while number >= 1024 and",
        visible="""\
def test_bytes():
    assert human(0) == "0 B"
    assert human(512) == "512 B"


def test_fraction():
    assert human(1536) == "1.5 KB"


def test_exact_units():
    assert human(1024) == "1.0 KB"
    assert human(1024 ** 2) == "1.0 MB"


def test_by_extension():
    files = [("a.txt", 1), ("b.TXT", 2), ("README", 5), ("x.tar.gz", 7)]
    assert by_extension(files) == {"txt": 3, "": 5, "gz": 7}


def test_report():
    files = [("a.txt", 100), ("b.png", 3000), ("Makefile", 20)]
    assert report(files) == "png: 2.9 KB\\ntxt: 100 B\\n(none): 20 B"
""",
        hidden="""\
def test_just_below():
    assert human(1023) == "1023 B"


def test_all_units():
    assert [human(1024 ** n) for n in range(1, 5)] == ["1.0 KB", "1.0 MB", "1.0 GB", "1.0 TB"]


def test_beyond_the_last_unit():
    assert human(1024 ** 5) == "1024.0 TB"


def test_larger_numbers():
    assert human(5 * 1024 ** 3) == "5.0 GB"
    assert human(1025) == "1.0 KB"


def test_report_with_exact_sum():
    assert report([("a.c", 512), ("b.c", 512)]) == "c: 1.0 KB"
""",
    ),
    Program(
        name="layered_config",
        code='''\
"""Configuration from several layers, the later ones win."""
import copy


def merge(base, extra):
    """Return `base` with the values of `extra` put over it.

    Where both have a dict, the dicts are merged in the same way; a None in
    `extra` removes the key.  Neither argument is changed.
    """
    result = dict(base)
    for key, value in extra.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merge(result[key], value)
        else:
            result[key] = copy.deepcopy(value)
    return result


def load(layers):
    """Merge any number of layers, from the most general to the most special."""
    config = {}
    for layer in layers:
        config = merge(layer, config)
    return config


def lookup(config, path, default=None):
    """Follow a dotted path; default when any part is missing."""
    node = config
    for part in path.split("."):
        if not isinstance(node, dict) or part not in node:
            return default
        node = node[part]
    return node
''',
        wrong="merge(layer, config)",
        right="merge(config, layer)",
        visible="""\
def test_merge():
    assert merge({"a": 1, "b": 2}, {"b": 3, "c": 4}) == {"a": 1, "b": 3, "c": 4}


def test_merge_nested():
    assert merge({"db": {"host": "x", "port": 1}}, {"db": {"port": 2}}) == {"db": {"host": "x", "port": 2}}


def test_merge_removes():
    assert merge({"a": 1, "b": 2}, {"a": None}) == {"b": 2}


def test_load():
    layers = [{"level": "info", "size": 5}, {"level": "debug"}]
    assert load(layers) == {"level": "debug", "size": 5}


def test_lookup():
    config = {"db": {"pool": {"size": 3}}}
    assert lookup(config, "db.pool.size") == 3
    assert lookup(config, "db.user.name", "?") == "?"
""",
        hidden="""\
def test_three_layers():
    assert load([{"a": 1}, {"a": 2}, {"a": 3}]) == {"a": 3}


def test_load_nested():
    layers = [{"ui": {"theme": "light", "font": 10}}, {"ui": {"theme": "dark"}}, {"ui": {"font": 12}}]
    assert load(layers) == {"ui": {"theme": "dark", "font": 12}}


def test_later_layer_removes():
    assert load([{"a": 1, "b": 2}, {"b": None}]) == {"a": 1}


def test_removed_and_set_again():
    assert load([{"a": 1}, {"a": None}, {"a": 5}]) == {"a": 5}


def test_nothing():
    assert load([]) == {}
    assert load([{"x": [1]}]) == {"x": [1]}
""",
    ),
    Program(
        name="form_check",
        code='''\
"""Check submitted forms against a description of their fields."""


class Field:
    """Describes one field of a form."""

    def __init__(self, kind, required=True, default=None, low=None, high=None):
        self.kind = kind
        self.required = required
        self.default = default
        self.low = low
        self.high = high

    def check(self, value):
        """Return a message about what is wrong with value, or None."""
        if not isinstance(value, self.kind):
            return f"must be of type {self.kind.__name__}"
        size = len(value) if isinstance(value, str) else value
        if self.low is not None and size < self.low:
            return f"must be at least {self.low}"
        if self.high is not None and size > self.high:
            return f"must be at most {self.high}"
        return None


def check_form(fields, data):
    """Return (clean data, messages by field).

    A field is missing when it is not in the data or None.  Missing fields
    get their default, unless they are required.  Fields which are not
    described are reported as unknown.
    """
    clean, messages = {}, {}
    for name, field in fields.items():
        value = data.get(name)
        if not value:
            if field.required:
                messages[name] = "is missing"
            else:
                clean[name] = field.default
            continue
        message = field.check(value)
        if message:
            messages[name] = message
        else:
            clean[name] = value
    for name in data.keys() - fields.keys():
        messages[name] = "is unknown"
    return clean, messages
''',
        wrong="        if not value:\n",
        right="        if value is None:\n",
        visible="""\
FIELDS = {
    "name": Field(str, low=1, high=20),
    "age": Field(int, low=0, high=150),
    "note": Field(str, required=False, default="-"),
}


def test_good():
    assert check_form(FIELDS, {"name": "Ann", "age": 30}) == ({"name": "Ann", "age": 30, "note": "-"}, {})


def test_missing_and_unknown():
    _, messages = check_form(FIELDS, {"name": "Ann", "size": 3})
    assert messages == {"age": "is missing", "size": "is unknown"}


def test_wrong_type():
    _, messages = check_form(FIELDS, {"name": 5, "age": 3})
    assert messages == {"name": "must be of type str"}


def test_range():
    assert check_form(FIELDS, {"name": "Ann", "age": 200})[1] == {"age": "must be at most 150"}


def test_newborn():
    clean, messages = check_form(FIELDS, {"name": "Bo", "age": 0})
    assert messages == {}
    assert clean["age"] == 0
""",
        hidden="""\
def test_false_is_a_value():
    fields = {"news": Field(bool, required=False, default=True)}
    assert check_form(fields, {"news": False}) == ({"news": False}, {})


def test_empty_text_is_too_short():
    fields = {"name": Field(str, low=1)}
    assert check_form(fields, {"name": ""}) == ({}, {"name": "must be at least 1"})


def test_empty_optional_text():
    fields = {"note": Field(str, required=False, default="none")}
    assert check_form(fields, {"note": ""}) == ({"note": ""}, {})


def test_none_is_missing():
    fields = {"a": Field(int), "b": Field(int, required=False, default=7)}
    assert check_form(fields, {"a": None, "b": None}) == ({"b": 7}, {"a": "is missing"})
""",
    ),
    Program(
        name="port_ranges",
        code='''\
"""Read and write sets of ports such as "22,80,8000-8010"."""

HIGHEST = 65535


def parse_ports(text):
    """Return the sorted list of ports in a specification.

    The parts are separated by commas; a part is a port or a range, both
    ends included.  Spaces do not matter, empty parts are ignored and each
    port is listed once.  Ports must be from 1 to 65535 and ranges must not
    run backwards, otherwise it is a ValueError.
    """
    ports = set()
    for part in text.split(","):
        part = part.strip()
        if not part:
            continue
        first, dash, last = part.partition("-")
        low = int(first)
        high = int(last) if dash else low
        if low < 1 or high > HIGHEST:
            raise ValueError(f"port out of range: {part}")
        if high < low:
            raise ValueError(f"backward range: {part}")
        ports.update(range(low, high + 1))
    return sorted(ports)


def format_ports(ports):
    """Return the shortest specification for some ports.

    Three or more consecutive ports are written as a range.
    """
    runs = []
    for port in sorted(set(ports)):
        if runs and port == runs[-1][-1] + 1:
            runs[-1].append(port)
        else:
            runs.append([port])
    parts = []
    for run in runs:
        if len(run) >= 3:
            parts.append(f"{run[0]}-{run[1]}")
        else:
            parts.extend(map(str, run))
    return ",".join(parts)
''',
        wrong="{run[0]}-{run[1]}",
        right="{run[0]}-{run[-1]}",
        visible="""\
def test_parse():
    assert parse_ports("80, 22,8000-8003") == [22, 80, 8000, 8001, 8002, 8003]


def test_parse_overlap():
    assert parse_ports("1-3,2-4,") == [1, 2, 3, 4]


def test_parse_errors():
    for text in ("0", "70000", "9-7", "abc"):
        with pytest.raises(ValueError):
            parse_ports(text)


def test_format_single():
    assert format_ports([443, 80]) == "80,443"
    assert format_ports([]) == ""


def test_format_range():
    assert format_ports([5, 3, 4, 6, 10]) == "3-6,10"
""",
        hidden="""\
def test_three_are_a_range():
    assert format_ports([7, 8, 9]) == "7-9"


def test_two_are_no_range():
    assert format_ports([7, 8, 20, 21, 22, 23]) == "7,8,20-23"


def test_round_trip():
    for text in ("1-100", "1,3,5-7", "22,80,8000-8010", "65533-65535"):
        assert format_ports(parse_ports(text)) == text


def test_double_ports():
    assert format_ports([4, 4, 5, 5, 6, 6]) == "4-6"
""",
    ),
    Program(
        name="ini_reader",
        code='''\
"""A reader for simple configuration files with sections."""

WORDS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def convert(text):
    """Turn a text into a bool or an int where that is possible."""
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    try:
        return int(text)
    except ValueError:
        return text


def read(text):
    """Return {section: {key: value}}.

    Empty lines and lines starting with # or ; are skipped.  Keys are case
    insensitive and stored in lower case; the value is everything after the
    first "=".  Settings before the first section belong to "main".  A
    section may be continued later in the file.
    """
    sections = {}
    current = "main"
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("[") and line.endswith("]"):
            current = line[1:-1].strip()
            sections.setdefault(current, {})
            continue
        key, equals, value = line.rpartition("=")
        if not equals:
            raise ValueError(f"line {number}: no '=' in {line!r}")
        sections.setdefault(current, {})[key.strip().lower()] = convert(value.strip())
    return sections
''',
        wrong='line.rpartition("=")',
        right='line.partition("=")',
        visible="""\
def test_sections():
    text = "[server]\\nhost = example\\nPort = 80\\n\\n[log]\\nactive = yes\\n"
    assert read(text) == {"server": {"host": "example", "port": 80}, "log": {"active": True}}


def test_comments():
    assert read("# one\\n; two\\na = 1") == {"main": {"a": 1}}


def test_error():
    with pytest.raises(ValueError):
        read("[x]\\nnothing")


def test_value_with_equals():
    assert read("[db]\\nurl = host?user=ann&mode=rw") == {"db": {"url": "host?user=ann&mode=rw"}}


def test_convert():
    assert convert("Off") is False
    assert convert("-3") == -3
    assert convert("3.5") == "3.5"
""",
        hidden="""\
def test_formula():
    assert read("rule = a == b") == {"main": {"rule": "a == b"}}


def test_trailing_equals():
    assert read("token = abc==") == {"main": {"token": "abc=="}}


def test_empty_value():
    assert read("[a]\\nx =\\n") == {"a": {"x": ""}}


def test_continued_section():
    assert read("[a]\\nx=1\\n[b]\\n[a]\\ny=2") == {"a": {"x": 1, "y": 2}, "b": {}}
""",
    ),
    Program(
        name="cell_colony",
        code='''\
"""Conway's Game of Life on an endless plane."""


def neighbours(cell):
    """Yield the eight cells around a cell."""
    x, y = cell
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            if dx and dy:
                yield x + dx, y + dy


def step(alive):
    """Return the set of cells which live in the next generation.

    A living cell with two or three living neighbours survives; a dead cell
    with exactly three comes to life.
    """
    counts = {}
    for cell in alive:
        for other in neighbours(cell):
            counts[other] = counts.get(other, 0) + 1
    return {
        cell
        for cell, count in counts.items()
        if count == 3 or (count == 2 and cell in alive)
    }


def read(text):
    """Return the living cells of a picture, where # is alive."""
    return {
        (x, y)
        for y, line in enumerate(text.splitlines())
        for x, char in enumerate(line)
        if char == "#"
    }


def period(alive, limit=50):
    """Return after how many steps the colony looks the same, or None."""
    now = alive
    for count in range(1, limit + 1):
        now = step(now)
        if now == alive:
            return count
    return None
''',
        wrong="if dx and dy:",
        right="if dx or dy:",
        visible="""\
def test_read():
    assert read(".#\\n#.") == {(1, 0), (0, 1)}


def test_lonely_cell_dies():
    assert step({(0, 0)}) == set()


def test_blinker():
    assert step({(0, 0), (1, 0), (2, 0)}) == {(1, -1), (1, 0), (1, 1)}


def test_block_is_stable():
    assert period(read("##\\n##")) == 1


def test_no_period():
    assert period(read("##")) is None
""",
        hidden="""\
def test_neighbours():
    assert len(set(neighbours((0, 0)))) == 8
    assert (0, 0) not in set(neighbours((0, 0)))
    assert (4, 6) in set(neighbours((4, 5)))


def test_blinker_period():
    assert period(read("###")) == 2


def test_glider_moves():
    glider = read(".#.\\n..#\\n###")
    now = glider
    for _ in range(4):
        now = step(now)
    assert now == {(x + 1, y + 1) for x, y in glider}


def test_overcrowded():
    full = {(x, y) for x in range(3) for y in range(3)}
    assert (1, 1) not in step(full)
    assert (0, 0) in step(full)
""",
    ),
    Program(
        name="four_in_line",
        code='''\
"""The rules of a game in which four discs in a line win."""


class Board:
    """A board of columns into which discs fall; players are "X" and "O"."""

    def __init__(self, width=7, height=6):
        self.width = width
        self.height = height
        self.columns = [[] for _ in range(width)]

    def drop(self, column, player):
        """Let a disc fall into a column; ValueError if it is full."""
        if len(self.columns[column]) >= self.height:
            raise ValueError("column is full")
        self.columns[column].append(player)

    def at(self, column, row):
        """The player at a place (row 0 is at the bottom), or None."""
        if 0 <= column < self.width and 0 <= row < len(self.columns[column]):
            return self.columns[column][row]
        return None

    def winner(self):
        """Return the player with four discs in a row, column or diagonal."""
        for column in range(self.width):
            for row in range(self.height):
                player = self.at(column, row)
                if player is None:
                    continue
                for dx, dy in ((1, 0), (0, 1), (1, 1)):
                    line = [self.at(column + i * dx, row + i * dy) for i in range(4)]
                    if line == [player] * 4:
                        return player
        return None

    def is_full(self):
        return all(len(column) == self.height for column in self.columns)

    def show(self):
        """Return the board as text, top row first."""
        rows = []
        for row in reversed(range(self.height)):
            rows.append("".join(self.at(column, row) or "." for column in range(self.width)))
        return "\\n".join(rows)
''',
        wrong="((1, 0), (0, 1), (1, 1)):",
        right="((1, 0), (0, 1), (1, 1), (1, -1)):",
        visible="""\
def play(*columns):
    board = Board()
    for column in columns:
        for number, player in enumerate(column[1:]):
            board.drop(int(column[0]), player)
    return board


def test_row():
    assert play("2X", "3X", "4X", "5X").winner() == "X"
    assert play("2X", "3X", "4X").winner() is None


def test_column():
    assert play("0XOOOO").winner() == "O"


def test_rising_diagonal():
    assert play("0X", "1OX", "2OOX", "3OXOX").winner() == "X"


def test_falling_diagonal():
    assert play("3X", "2OX", "1OOX", "0OXOX").winner() == "X"


def test_full_column():
    with pytest.raises(ValueError):
        play("0XOXOXOX")
""",
        hidden="""\
def test_falling_at_the_right_edge():
    board = Board()
    for column, discs in ((3, "XXOO"), (4, "XXO"), (5, "XO"), (6, "O")):
        for disc in discs:
            board.drop(column, disc)
    assert board.winner() == "O"


def test_three_falling_are_not_enough():
    board = Board()
    for column, discs in ((0, "OOX"), (1, "OX"), (2, "X")):
        for disc in discs:
            board.drop(column, disc)
    assert board.winner() is None


def test_small_board_falling():
    board = Board(4, 4)
    for column, discs in enumerate(("OXOX", "XOX", "OX", "X")):
        for disc in discs:
            board.drop(column, disc)
    assert board.winner() == "X"
    assert board.show() == "X...\\nOX..\\nXOX.\\nOXOX"


def test_full_without_winner():
    board = Board(2, 2)
    for column in (0, 1):
        for disc in "XO":
            board.drop(column, disc)
    assert board.is_full() and board.winner() is None
""",
    ),
    Program(
        name="ten_pins",
        code='''\
"""Scores for ten-pin bowling."""

FRAMES = 10


def frames(rolls):
    """Split the rolls of a complete game into ten frames.

    A strike is a frame of its own; the last frame holds all that is left.
    """
    result = []
    position = 0
    for _ in range(FRAMES - 1):
        size = 1 if rolls[position] == 10 else 2
        result.append(rolls[position:position + size])
        position += size
    result.append(rolls[position:])
    return result


def score(rolls):
    """Return the score of a complete game.

    For a spare the next roll counts in addition, for a strike the next
    two rolls.
    """
    total = 0
    position = 0
    for _ in range(FRAMES):
        first, second = rolls[position], rolls[position + 1]
        if first == 10:
            total += 10 + second + rolls[position + 2]
            position += 1
        elif first + second == 10:
            total += 10 + rolls[position + 1]
            position += 2
        else:
            total += first + second
            position += 2
    return total


def show(rolls):
    """Return a score sheet: X for strikes, / for spares, - for zero."""
    def pin(roll):
        return "X" if roll == 10 else str(roll or "-")

    texts = []
    for frame in frames(rolls):
        text = pin(frame[0])
        for before, roll in zip(frame, frame[1:]):
            spare = before < 10 and before + roll == 10 and not text.endswith("/")
            text += "/" if spare else pin(roll)
        texts.append(text)
    return " ".join(texts)
''',
        wrong="total += 10 + rolls[position + 1]",
        right="total += 10 + rolls[position + 2]",
        visible="""\
def test_gutter_game():
    assert score([0] * 20) == 0


def test_all_ones():
    assert score([1] * 20) == 20


def test_spare():
    assert score([7, 3, 4] + [0] * 17) == 18


def test_strike():
    assert score([10, 3, 4] + [0] * 16) == 24


def test_perfect_game():
    assert score([10] * 12) == 300


def test_show():
    assert show([10, 7, 3, 0, 5] + [1, 1] * 7) == "X 7/ -5 11 11 11 11 11 11 11"
""",
        hidden="""\
def test_all_spares():
    assert score([5] * 21) == 150


def test_nine_and_miss_spares():
    assert score([9, 1] * 10 + [9]) == 190


def test_spare_in_last_frame():
    assert score([0] * 18 + [8, 2, 6]) == 16


def test_strike_and_spare_in_turn():
    assert score([10, 4, 6] * 5 + [10]) == 200


def test_spare_before_strike():
    assert score([2, 8, 10, 1, 2] + [0] * 14) == 20 + 13 + 3
""",
    ),
    Program(
        name="shop_queue",
        code='''\
"""Simulate customers waiting at the tills of a shop."""
import heapq


class Result:
    """What came out of a simulation."""

    def __init__(self, waits, closed):
        self.waits = waits
        self.closed = closed

    @property
    def longest(self):
        """The longest waiting time; 0 if nobody came."""
        return max(self.waits, default=0)

    @property
    def average(self):
        """The average waiting time; 0 if nobody came."""
        return sum(self.waits) / len(self.waits) if self.waits else 0


def simulate(customers, tills):
    """Serve (arrival, minutes needed) pairs, sorted by arrival.

    Everybody goes to the till which is free first.  The result has the
    waiting time of each customer and the time when the last one is done.
    """
    if tills < 1:
        raise ValueError("at least one till is needed")
    free_at = [0] * tills
    waits = []
    closed = 0
    for arrival, minutes in customers:
        free = heapq.heappop(free_at)
        begin = max(arrival, free)
        waits.append(begin - arrival)
        end = begin + minutes
        heapq.heappush(free_at, end)
        closed = end
    return Result(waits, closed)


def tills_needed(customers, patience):
    """Smallest number of tills with which nobody waits beyond patience."""
    tills = 1
    while simulate(customers, tills).longest > patience:
        tills += 1
    return tills
''',
        wrong="        closed = end\n",
        right="        closed = max(closed, end)\n",
        visible="""\
def test_one_till():
    result = simulate([(0, 5), (1, 5), (2, 5)], 1)
    assert result.waits == [0, 4, 8]
    assert result.closed == 15


def test_two_tills():
    result = simulate([(0, 10), (1, 2), (2, 3)], 2)
    assert result.waits == [0, 0, 1]
    assert result.closed == 10


def test_nobody():
    result = simulate([], 3)
    assert (result.longest, result.average, result.closed) == (0, 0, 0)


def test_average():
    assert simulate([(0, 4), (0, 4)], 1).average == pytest.approx(2)


def test_tills_needed():
    customers = [(0, 10), (0, 10), (0, 10), (0, 10)]
    assert tills_needed(customers, 0) == 4
    assert tills_needed(customers, 10) == 2
""",
        hidden="""\
def test_slow_first_customer():
    assert simulate([(0, 60), (5, 1), (10, 1)], 2).closed == 60


def test_slow_customer_in_the_middle():
    assert simulate([(0, 3), (1, 30), (2, 4)], 3).closed == 31


def test_pause():
    result = simulate([(0, 2), (10, 2)], 1)
    assert result.waits == [0, 0]
    assert result.closed == 12


def test_no_tills():
    with pytest.raises(ValueError):
        simulate([(0, 1)], 0)


def test_many_tills():
    customers = [(n, 20 - n) for n in range(8)]
    assert simulate(customers, 8).closed == 20
    customers = [(n, 20 - 2 * n) for n in range(8)]
    assert simulate(customers, 8).closed == 20
""",
    ),
)
