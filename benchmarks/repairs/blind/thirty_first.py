"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

PROGRAMS = (
    Program(
        name="t31_seismic_ring",
        code='''"""A fixed-size buffer for seismograph readings."""


class ReadingRing:
    """Keeps the latest `capacity` readings, oldest first."""

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self._slots = [None] * capacity
        self._start = 0
        self._count = 0

    def __len__(self):
        return self._count

    def push(self, reading):
        """Store a reading; return the one that it displaced, or None."""
        capacity = len(self._slots)
        position = (self._start + self._count) % capacity
        displaced = None
        if self._count == capacity:
            displaced = self._slots[position]
            self._start = (self._start + 1) % capacity
        else:
            self._count += 1
        self._slots[position] = reading
        return displaced

    def pop_oldest(self):
        """Remove and return the oldest reading."""
        if not self._count:
            raise IndexError("ring is empty")
        reading = self._slots[self._start]
        self._slots[self._start] = None
        self._start += 1
        self._count -= 1
        return reading

    def to_list(self):
        """The readings from oldest to newest."""
        size = len(self._slots)
        return [self._slots[(self._start + i) % size] for i in range(self._count)]
''',
        wrong="self._start += 1",
        right="self._start = (self._start + 1) % len(self._slots)",
        visible="""def test_push_until_full():
    ring = ReadingRing(3)
    for value in (4, 5, 6):
        assert ring.push(value) is None
    assert ring.to_list() == [4, 5, 6]


def test_push_displaces():
    ring = ReadingRing(2)
    ring.push("a")
    ring.push("b")
    assert ring.push("c") == "a"
    assert ring.to_list() == ["b", "c"]


def test_pop_from_partly_filled():
    ring = ReadingRing(4)
    for value in (1, 2, 3):
        ring.push(value)
    assert ring.pop_oldest() == 1
    assert ring.pop_oldest() == 2
    assert ring.pop_oldest() == 3
    assert len(ring) == 0


def test_pop_after_displacing():
    ring = ReadingRing(3)
    for value in range(5):
        ring.push(value)
    assert ring.pop_oldest() == 2
    assert ring.pop_oldest() == 3


def test_pop_empty():
    with pytest.raises(IndexError):
        ReadingRing(1).pop_oldest()


def test_bad_capacity():
    with pytest.raises(ValueError):
        ReadingRing(0)
""",
        hidden="""def test_pop_from_full():
    ring = ReadingRing(3)
    for value in range(5):
        ring.push(value)
    assert [ring.pop_oldest() for _ in range(3)] == [2, 3, 4]


def test_pop_single_then_push():
    ring = ReadingRing(3)
    ring.push(7)
    assert ring.pop_oldest() == 7
    ring.push(8)
    ring.push(9)
    assert ring.to_list() == [8, 9]
    assert len(ring) == 2


def test_three_of_five():
    ring = ReadingRing(5)
    for value in (10, 20, 30):
        ring.push(value)
    out = [ring.pop_oldest() for _ in range(3)]
    assert out == [10, 20, 30]
    assert ring.to_list() == []


def test_interleaved():
    ring = ReadingRing(2)
    ring.push(1)
    ring.push(2)
    assert ring.pop_oldest() == 1
    ring.push(3)
    assert ring.push(4) == 2
    assert ring.to_list() == [3, 4]


def test_capacity_one():
    ring = ReadingRing(1)
    ring.push(1)
    assert ring.push(2) == 1
    assert ring.pop_oldest() == 2
""",
    ),
    Program(
        name="t31_triage_heap",
        code='''"""A binary heap of patients for a triage desk."""


class TriageHeap:
    """Lowest urgency number comes out first."""

    def __init__(self, patients=()):
        self._heap = list(patients)
        for index in range(len(self._heap) // 2 - 1, -1, -1):
            self._sink(index)

    def __len__(self):
        return len(self._heap)

    def _sink(self, index):
        heap = self._heap
        size = len(heap)
        while True:
            child = 2 * index + 1
            if child >= size:
                return
            if child + 1 < size and heap[child + 1] < heap[index]:
                child += 1
            if heap[index] <= heap[child]:
                return
            heap[index], heap[child] = heap[child], heap[index]
            index = child

    def add(self, urgency, name):
        """Register a patient."""
        heap = self._heap
        heap.append((urgency, name))
        index = len(heap) - 1
        while index and heap[index] < heap[(index - 1) // 2]:
            parent = (index - 1) // 2
            heap[index], heap[parent] = heap[parent], heap[index]
            index = parent

    def call_next(self):
        """Remove the most urgent patient and return the name."""
        top = self._heap[0]
        last = self._heap.pop()
        if self._heap:
            self._heap[0] = last
            self._sink(0)
        return top[1]
''',
        wrong="heap[child + 1] < heap[index]:",
        right="heap[child + 1] < heap[child]:",
        visible="""def drain(heap):
    return [heap.call_next() for _ in range(len(heap))]


def test_add_in_order():
    heap = TriageHeap()
    heap.add(1, "ann")
    heap.add(2, "bob")
    assert drain(heap) == ["ann", "bob"]


def test_add_reversed():
    heap = TriageHeap()
    for urgency, name in ((3, "c"), (2, "b"), (1, "a")):
        heap.add(urgency, name)
    assert drain(heap) == ["a", "b", "c"]


def test_build_from_list():
    heap = TriageHeap([(5, "e"), (1, "a"), (3, "c"), (4, "d"), (2, "b")])
    assert drain(heap) == ["a", "b", "c", "d", "e"]


def test_empty():
    assert len(TriageHeap()) == 0
    with pytest.raises(IndexError):
        TriageHeap().call_next()
""",
        hidden="""def drain(heap):
    return [heap.call_next() for _ in range(len(heap))]


def test_three_from_list():
    assert drain(TriageHeap([(9, "z"), (1, "a"), (2, "b")])) == ["a", "b", "z"]


def test_many_added():
    heap = TriageHeap()
    for urgency in (6, 2, 8, 1, 7, 3, 5, 4):
        heap.add(urgency, str(urgency))
    assert drain(heap) == list("12345678")


def test_ties_by_name():
    heap = TriageHeap([(1, "zoe"), (1, "amy"), (0, "max")])
    assert drain(heap) == ["max", "amy", "zoe"]


def test_mixed_calls():
    heap = TriageHeap([(4, "d"), (2, "b")])
    heap.add(1, "a")
    assert heap.call_next() == "a"
    heap.add(3, "c")
    assert drain(heap) == ["b", "c", "d"]


def test_descending_build():
    assert drain(TriageHeap([(n, n) for n in range(12, 0, -1)])) == list(range(1, 13))
""",
    ),
    Program(
        name="t31_config_flatten",
        code='''"""Flatten nested settings to dotted keys and back."""


def flatten(settings, prefix=""):
    """Turn nested dicts and lists into one dict with dotted keys.

    List items are keyed by their index. Empty containers are kept as values.
    """
    flat = {}
    if isinstance(settings, dict):
        items = settings.items()
    else:
        items = enumerate(settings)
    for key, value in items:
        path = f"{prefix}.{key}" if prefix else str(key)
        if isinstance(value, (dict, list)) and value:
            flat.update(flatten(value, str(key)))
        else:
            flat[path] = value
    return flat


def unflatten(flat):
    """Rebuild nested dicts from dotted keys (lists come back as dicts)."""
    nested = {}
    for path, value in flat.items():
        *parents, leaf = path.split(".")
        node = nested
        for part in parents:
            node = node.setdefault(part, {})
        node[leaf] = value
    return nested
''',
        wrong="flatten(value, str(key))",
        right="flatten(value, path)",
        visible="""def test_flat_stays_flat():
    assert flatten({"a": 1, "b": "x"}) == {"a": 1, "b": "x"}


def test_one_level():
    assert flatten({"db": {"host": "h", "port": 1}}) == {"db.host": "h", "db.port": 1}


def test_list_in_dict():
    assert flatten({"tags": ["x", "y"]}) == {"tags.0": "x", "tags.1": "y"}


def test_two_levels():
    assert flatten({"a": {"b": {"c": 1}}}) == {"a.b.c": 1}


def test_unflatten():
    assert unflatten({"a.b": 1, "a.c": 2, "d": 3}) == {"a": {"b": 1, "c": 2}, "d": 3}
""",
        hidden="""def test_list_of_dicts():
    settings = {"servers": [{"ip": "1"}, {"ip": "2"}]}
    assert flatten(settings) == {"servers.0.ip": "1", "servers.1.ip": "2"}


def test_same_inner_names():
    settings = {"dev": {"log": {"level": 1}}, "prod": {"log": {"level": 2}}}
    assert flatten(settings) == {"dev.log.level": 1, "prod.log.level": 2}


def test_empty_containers():
    assert flatten({"a": {"b": {}, "c": []}}) == {"a.b": {}, "a.c": []}


def test_given_prefix():
    assert flatten({"x": {"y": 5}}, "root") == {"root.x.y": 5}


def test_round_trip():
    settings = {"p": {"q": {"r": {"s": 0}}}, "t": None}
    assert unflatten(flatten(settings)) == settings
""",
    ),
    Program(
        name="t31_csv_fields",
        code='''"""Split one line of a comma separated file."""


def split_fields(line, separator=",", quote='"'):
    """Return the fields of a line; quoted fields may hold separators.

    A doubled quote inside a quoted field stands for one quote.
    """
    fields = []
    buffer = []
    quoted = False
    index = 0
    while index < len(line):
        char = line[index]
        if quoted:
            if char == quote and line[index + 1:index + 2] == quote:
                buffer.append(quote)
                index += 2
            elif char == quote:
                quoted = False
            else:
                buffer.append(char)
        elif char == quote:
            quoted = True
        elif char == separator:
            fields.append("".join(buffer))
            buffer = []
        else:
            buffer.append(char)
        index += 1
    if quoted:
        raise ValueError("unterminated quote")
    fields.append("".join(buffer))
    return fields
''',
        wrong="index += 2",
        right="index += 1",
        visible='''def test_plain():
    assert split_fields("a,b,c") == ["a", "b", "c"]


def test_quoted_separator():
    assert split_fields('x,"1,2",y') == ["x", "1,2", "y"]


def test_doubled_quote():
    assert split_fields('"say ""hi""",z') == ['say "hi"', "z"]


def test_empty_fields():
    assert split_fields(",,") == ["", "", ""]


def test_unterminated():
    with pytest.raises(ValueError):
        split_fields('a,"b')
''',
        hidden='''def test_only_quotes():
    assert split_fields('""""') == ['"']


def test_doubled_in_middle():
    assert split_fields('"5"" pipe, steel",3') == ['5" pipe, steel', "3"]


def test_empty_quoted():
    assert split_fields('"",a') == ["", "a"]


def test_other_separator():
    assert split_fields("a;b,c;'d;e'", ";", "'") == ["a", "b,c", "d;e"]


def test_other_quote_doubled():
    assert split_fields("'it''s';ok", ";", "'") == ["it's", "ok"]


def test_empty_line():
    assert split_fields("") == [""]
''',
    ),
    Program(
        name="t31_mortgage",
        code='''"""Amortisation of a mortgage in whole cents."""


def monthly_payment(principal, yearly_percent, months):
    """The constant payment, in cents, that repays the principal."""
    if yearly_percent == 0:
        return -(-principal // months)
    rate = yearly_percent / 100 / 12
    growth = (1 + rate) ** months
    return round(principal * rate * growth / (growth - 1))


def schedule(principal, yearly_percent, months):
    """Rows of (month, interest, repaid, balance); the last payment is fitted."""
    payment = monthly_payment(principal, yearly_percent, months)
    rate = yearly_percent / 1200
    balance = principal
    rows = []
    for month in range(1, months + 1):
        interest = round(balance * rate)
        repaid = payment - interest
        if month == months and repaid > balance:
            repaid = balance
        balance -= repaid
        rows.append((month, interest, repaid, balance))
    return rows


def total_interest(principal, yearly_percent, months):
    """The interest paid over the whole term."""
    return sum(row[1] for row in schedule(principal, yearly_percent, months))
''',
        wrong="if month == months and repaid > balance:",
        right="if month == months or repaid > balance:",
        visible="""def test_payment():
    assert monthly_payment(100000, 12, 12) == 8885


def test_interest_free():
    assert schedule(1000, 0, 4) == [(1, 0, 250, 750), (2, 0, 250, 500), (3, 0, 250, 250), (4, 0, 250, 0)]


def test_first_row():
    assert schedule(100000, 12, 12)[0] == (1, 1000, 7885, 92115)


def test_second_row():
    assert schedule(100000, 12, 12)[1] == (2, 921, 7964, 84151)


def test_ends_at_zero():
    assert schedule(50000, 6, 10)[-1][3] == 0
    assert schedule(250000, 4, 60)[-1][3] == 0
""",
        hidden="""def test_interest_falls():
    interests = [row[1] for row in schedule(2000000, 5, 24)]
    assert all(a > b for a, b in zip(interests, interests[1:]))


def test_total_interest_close_to_payments():
    payment = monthly_payment(100000, 12, 12)
    assert abs(total_interest(100000, 12, 12) - (payment * 12 - 100000)) < 20


def test_last_repayment_is_near_payment():
    month, interest, repaid, balance = schedule(300000, 9, 36)[-1]
    assert (month, balance) == (36, 0)
    assert abs(interest + repaid - monthly_payment(300000, 9, 36)) < 40


def test_uneven_interest_free():
    assert [row[2] for row in schedule(100, 0, 3)] == [34, 34, 32]


def test_never_overpaid():
    rows = schedule(100, 0, 40)
    assert [row[3] for row in rows[-7:]] == [0] * 7
    assert sum(row[2] for row in rows) == 100


def test_repaid_sums_to_principal():
    for principal in (250000, 123456, 77777):
        assert sum(row[2] for row in schedule(principal, 4, 60)) == principal


def test_single_month():
    assert schedule(1200, 10, 1) == [(1, 10, 1200, 0)]
""",
    ),
    Program(
        name="t31_ferry_routes",
        code='''"""Cheapest ferry journeys between islands."""

import heapq


def cheapest(routes, start, goal):
    """Return (fare, islands) of the cheapest journey, or None.

    `routes` maps an island to a dict of neighbour: fare.
    """
    queue = [(0, start, [start])]
    settled = set()
    while queue:
        fare, island, journey = heapq.heappop(queue)
        if island == goal:
            return fare, journey
        if island in settled:
            continue
        settled.add(island)
        for neighbour, price in sorted(routes.get(island, {}).items()):
            if neighbour in settled:
                continue
            heapq.heappush(queue, (price, neighbour, journey + [neighbour]))
    return None


def reachable_within(routes, start, budget):
    """Islands that can be reached from `start` for at most `budget`, sorted."""
    islands = set(routes)
    for neighbours in routes.values():
        islands.update(neighbours)
    found = []
    for island in islands:
        trip = cheapest(routes, start, island)
        if trip is not None and trip[0] <= budget:
            found.append(island)
    return sorted(found)
''',
        wrong="(price, neighbour, journey + [neighbour])",
        right="(fare + price, neighbour, journey + [neighbour])",
        visible="""ROUTES = {"naxos": {"paros": 4, "ios": 10}, "paros": {"ios": 3, "syros": 6}, "ios": {"syros": 1}}


def test_direct():
    assert cheapest(ROUTES, "naxos", "paros") == (4, ["naxos", "paros"])


def test_two_legs():
    assert cheapest(ROUTES, "naxos", "ios") == (7, ["naxos", "paros", "ios"])


def test_start_is_goal():
    assert cheapest(ROUTES, "ios", "ios") == (0, ["ios"])


def test_no_journey():
    assert cheapest(ROUTES, "syros", "naxos") is None


def test_within_budget():
    assert reachable_within(ROUTES, "naxos", 7) == ["ios", "naxos", "paros"]
""",
        hidden="""def test_long_cheap_legs_lose():
    routes = {"a": {"b": 2, "d": 5}, "b": {"c": 2}, "c": {"d": 2}}
    assert cheapest(routes, "a", "d") == (5, ["a", "d"])


def test_three_legs_sum():
    routes = {"a": {"b": 1}, "b": {"c": 2}, "c": {"d": 3}}
    assert cheapest(routes, "a", "d") == (6, ["a", "b", "c", "d"])


def test_cycle():
    routes = {"a": {"b": 1}, "b": {"a": 1, "c": 1}}
    assert cheapest(routes, "a", "c") == (2, ["a", "b", "c"])


def test_budget_excludes():
    routes = {"a": {"b": 3}, "b": {"c": 3}, "c": {"d": 3}}
    assert reachable_within(routes, "a", 6) == ["a", "b", "c"]
    assert reachable_within(routes, "a", 5) == ["a", "b"]


def test_unknown_start():
    assert cheapest({}, "x", "y") is None
""",
    ),
    Program(
        name="t31_page_cache",
        code='''"""A least recently used cache of rendered pages."""

from collections import OrderedDict


class PageCache:
    """Keeps at most `limit` pages; the least recently used one is dropped."""

    def __init__(self, limit):
        self._limit = limit
        self._pages = OrderedDict()
        self.hits = 0
        self.misses = 0

    def __contains__(self, url):
        return url in self._pages

    def fetch(self, url, render):
        """Return the page of `url`, rendering it when it is not cached."""
        if url in self._pages:
            self.hits += 1
            self._pages.move_to_end(url)
            return self._pages[url]
        self.misses += 1
        page = render(url)
        self._pages[url] = page
        if len(self._pages) > self._limit:
            self._pages.popitem()
        return page

    def forget(self, url):
        """Drop one page; tell whether it was cached."""
        return self._pages.pop(url, None) is not None

    def hit_rate(self):
        """Share of fetches that were answered from the cache."""
        total = self.hits + self.misses
        return self.hits / total if total else 0.0
''',
        wrong="self._pages.popitem()",
        right="self._pages.popitem(last=False)",
        visible="""def test_miss_then_hit():
    cache = PageCache(2)
    assert cache.fetch("/a", str.upper) == "/A"
    assert cache.fetch("/a", str.upper) == "/A"
    assert (cache.hits, cache.misses) == (1, 1)


def test_oldest_goes():
    cache = PageCache(2)
    for url in ("/a", "/b", "/c"):
        cache.fetch(url, str.upper)
    assert "/a" not in cache
    assert "/c" in cache


def test_rate():
    cache = PageCache(5)
    assert cache.hit_rate() == 0.0
    cache.fetch("/a", str.upper)
    cache.fetch("/a", str.upper)
    assert cache.hit_rate() == 0.5


def test_forget():
    cache = PageCache(1)
    cache.fetch("/x", str.upper)
    assert cache.forget("/x")
    assert not cache.forget("/x")
""",
        hidden="""def test_use_protects():
    cache = PageCache(2)
    for url in ("a", "b", "a", "c"):
        cache.fetch(url, str.upper)
    assert "a" in cache and "c" in cache and "b" not in cache


def test_sequence_of_hits():
    cache = PageCache(3)
    for url in "abcdbcd":
        cache.fetch(url, str.upper)
    assert (cache.hits, cache.misses) == (3, 4)


def test_limit_one():
    cache = PageCache(1)
    for url in "aab":
        cache.fetch(url, str.upper)
    assert "b" in cache and "a" not in cache
    assert cache.hits == 1


def test_below_limit_keeps_all():
    cache = PageCache(3)
    for url in "xyz":
        cache.fetch(url, str.upper)
    assert all(url in cache for url in "xyz")


def test_render_called_once():
    calls = []
    cache = PageCache(2)
    for _ in range(3):
        cache.fetch("u", lambda url: calls.append(url) or "page")
    assert calls == ["u"]
""",
    ),
    Program(
        name="t31_spool_drain",
        code='''"""A print spooler that groups jobs by printer."""


class Spooler:
    """Collects jobs until a printer asks for them."""

    def __init__(self, batch_pages=20):
        self._batch_pages = batch_pages
        self._queues = {}
        self.printed = 0

    def submit(self, printer, title, pages):
        """Queue a job; pages must be positive."""
        if pages <= 0:
            raise ValueError("a job needs pages")
        self._queues.setdefault(printer, []).append((title, pages))

    def waiting(self, printer):
        """Titles of the jobs that wait for the printer."""
        return [title for title, _ in self._queues.get(printer, [])]

    def drain(self, printer):
        """Hand out all waiting jobs, in batches that fit into the tray.

        A job that is larger than a tray makes a batch of its own.
        """
        jobs = self._queues.get(printer, [])
        batches = []
        room = 0
        for title, pages in jobs:
            if pages > room:
                batches.append([])
                room = self._batch_pages
            batches[-1].append(title)
            room -= pages
            self.printed += pages
        return batches
''',
        wrong="jobs = self._queues.get(printer, [])",
        right="jobs = self._queues.pop(printer, [])",
        visible="""def test_waiting():
    spooler = Spooler()
    spooler.submit("laser", "memo", 2)
    spooler.submit("ink", "photo", 1)
    assert spooler.waiting("laser") == ["memo"]


def test_batches():
    spooler = Spooler(10)
    for title, pages in (("a", 6), ("b", 4), ("c", 1)):
        spooler.submit("laser", title, pages)
    assert spooler.drain("laser") == [["a", "b"], ["c"]]
    assert spooler.printed == 11


def test_nothing_left_after_drain():
    spooler = Spooler()
    spooler.submit("laser", "memo", 2)
    spooler.drain("laser")
    assert spooler.waiting("laser") == []


def test_unknown_printer():
    assert Spooler().drain("plotter") == []


def test_bad_job():
    with pytest.raises(ValueError):
        Spooler().submit("laser", "void", 0)
""",
        hidden="""def test_drain_twice():
    spooler = Spooler()
    spooler.submit("p", "x", 3)
    assert spooler.drain("p") == [["x"]]
    assert spooler.drain("p") == []
    assert spooler.printed == 3


def test_new_jobs_only():
    spooler = Spooler()
    spooler.submit("p", "x", 3)
    spooler.drain("p")
    spooler.submit("p", "y", 4)
    assert spooler.drain("p") == [["y"]]
    assert spooler.printed == 7


def test_other_printer_untouched():
    spooler = Spooler()
    spooler.submit("p", "x", 1)
    spooler.submit("q", "y", 1)
    spooler.drain("p")
    assert spooler.waiting("q") == ["y"]


def test_large_job_alone():
    spooler = Spooler(5)
    for title, pages in (("big", 9), ("s", 1), ("t", 4), ("u", 1)):
        spooler.submit("p", title, pages)
    assert spooler.drain("p") == [["big"], ["s", "t"], ["u"]]
""",
    ),
    Program(
        name="t31_gray_code",
        code='''"""Gray codes for a rotary encoder."""


def gray_codes(bits):
    """All codes of the given width; neighbours differ in one bit."""
    if bits == 0:
        return [""]
    shorter = gray_codes(bits - 1)
    plain = ["0" + code for code in shorter]
    mirrored = ["1" + code for code in shorter]
    return plain + mirrored


def position_of(code):
    """The position of a code in the sequence of its width."""
    value = 0
    for bit in code:
        value = value * 2 + (int(bit) ^ (value & 1))
    return value


def turns(codes):
    """Count steps forward minus steps backward in a list of readings."""
    total = 0
    for before, after in zip(codes, codes[1:]):
        size = 2 ** len(before)
        step = (position_of(after) - position_of(before)) % size
        total += step if step <= size // 2 else step - size
    return total
''',
        wrong='["1" + code for code in shorter]',
        right='["1" + code for code in reversed(shorter)]',
        visible="""def test_width_zero():
    assert gray_codes(0) == [""]


def test_width_one():
    assert gray_codes(1) == ["0", "1"]


def test_width_two():
    assert gray_codes(2) == ["00", "01", "11", "10"]


def test_position():
    assert [position_of(c) for c in ("00", "01", "11", "10")] == [0, 1, 2, 3]


def test_turns():
    assert turns(["00", "01", "11", "01"]) == 1
""",
        hidden="""def test_width_three():
    assert gray_codes(3) == ["000", "001", "011", "010", "110", "111", "101", "100"]


def test_neighbours():
    codes = gray_codes(5)
    for before, after in zip(codes, codes[1:] + codes[:1]):
        assert sum(a != b for a, b in zip(before, after)) == 1


def test_all_distinct():
    assert len(set(gray_codes(6))) == 64


def test_positions_match():
    assert [position_of(code) for code in gray_codes(4)] == list(range(16))


def test_wrap_around():
    assert turns(["10", "00"]) == 1
    assert turns(["000", "100"]) == -1
""",
    ),
    Program(
        name="t31_add_months",
        code='''"""Subscription dates: renewals by whole months."""

import calendar
from datetime import date


def add_months(day, months):
    """Shift a date by months, clamped to the end of the month."""
    index = day.year * 12 + day.month - 1 + months
    year, month0 = divmod(index, 12)
    last = calendar.monthrange(day.year, month0 + 1)[1]
    return date(year, month0 + 1, min(day.day, last))


def renewals(start, every, count):
    """The first `count` renewal dates; each one counts from the start date."""
    return [add_months(start, every * n) for n in range(1, count + 1)]


def months_between(start, end):
    """Whole months from start to end (end not before start)."""
    months = (end.year - start.year) * 12 + end.month - start.month
    if add_months(start, months) > end:
        months -= 1
    return months
''',
        wrong="calendar.monthrange(day.year, month0 + 1)",
        right="calendar.monthrange(year, month0 + 1)",
        visible="""from datetime import date


def test_simple():
    assert add_months(date(2023, 3, 15), 2) == date(2023, 5, 15)


def test_clamped():
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)


def test_over_year_end():
    assert add_months(date(2023, 11, 30), 3) == date(2024, 2, 29)


def test_renewals():
    assert renewals(date(2022, 5, 31), 1, 3) == [date(2022, 6, 30), date(2022, 7, 31), date(2022, 8, 31)]


def test_between():
    assert months_between(date(2022, 1, 10), date(2022, 4, 9)) == 2
""",
        hidden="""from datetime import date


def test_leap_to_common():
    assert add_months(date(2024, 2, 29), 12) == date(2025, 2, 28)


def test_common_to_leap():
    assert add_months(date(2019, 12, 31), 2) == date(2020, 2, 29)


def test_backwards():
    assert add_months(date(2025, 1, 30), -11) == date(2024, 2, 29)
    assert add_months(date(2025, 1, 15), -1) == date(2024, 12, 15)


def test_leap_yearly_renewals():
    assert renewals(date(2020, 2, 29), 12, 4) == [
        date(2021, 2, 28), date(2022, 2, 28), date(2023, 2, 28), date(2024, 2, 29)]


def test_between_years():
    assert months_between(date(2021, 12, 31), date(2022, 12, 31)) == 12
    assert months_between(date(2021, 12, 31), date(2022, 12, 30)) == 11
""",
    ),
    Program(
        name="t31_lexicon_trie",
        code='''"""A trie of dictionary words with counted prefixes."""


class Lexicon:
    """A set of words that can be counted by prefix."""

    def __init__(self, words=()):
        self._root = {"below": 0, "end": False, "next": {}}
        for word in words:
            self.add(word)

    def _walk(self, text):
        node = self._root
        for letter in text:
            node = node["next"].get(letter)
            if node is None:
                return None
        return node

    def __contains__(self, word):
        node = self._walk(word)
        return node is not None and node["end"]

    def add(self, word):
        """Add a word; tell whether it is new."""
        if self._walk(word) is not None:
            return False
        node = self._root
        node["below"] += 1
        for letter in word:
            node = node["next"].setdefault(letter, {"below": 0, "end": False, "next": {}})
            node["below"] += 1
        node["end"] = True
        return True

    def count(self, prefix):
        """How many words begin with the prefix."""
        node = self._walk(prefix)
        return node["below"] if node else 0
''',
        wrong="if self._walk(word) is not None:",
        right="if word in self:",
        visible="""def test_contains():
    lexicon = Lexicon(["tea", "toe"])
    assert "tea" in lexicon
    assert "te" not in lexicon


def test_count():
    lexicon = Lexicon(["tea", "ten", "toe"])
    assert lexicon.count("te") == 2
    assert lexicon.count("") == 3
    assert lexicon.count("x") == 0


def test_add_twice():
    lexicon = Lexicon(["owl"])
    assert not lexicon.add("owl")
    assert lexicon.count("o") == 1


def test_prefix_of_known_word():
    lexicon = Lexicon(["card"])
    assert lexicon.add("car")
    assert "car" in lexicon
    assert lexicon.count("car") == 2
""",
        hidden="""def test_shrinking_words():
    lexicon = Lexicon(["abc", "ab", "a"])
    assert all(word in lexicon for word in ("a", "ab", "abc"))
    assert lexicon.count("a") == 3


def test_growing_words():
    lexicon = Lexicon(["a", "ab", "abc"])
    assert lexicon.count("ab") == 2


def test_inner_prefix_not_word():
    lexicon = Lexicon(["plane"])
    assert "plan" not in lexicon
    assert lexicon.add("plan")
    assert not lexicon.add("plan")
    assert lexicon.count("plan") == 2


def test_empty_word():
    lexicon = Lexicon(["x"])
    assert lexicon.add("")
    assert "" in lexicon
    assert lexicon.count("") == 2


def test_unknown():
    assert Lexicon().count("q") == 0
    assert "q" not in Lexicon()
""",
    ),
    Program(
        name="t31_climbing_teams",
        code='''"""Rope teams that merge: a disjoint set with sizes."""


class RopeTeams:
    """Climbers who are tied together form one team."""

    def __init__(self, climbers):
        self._leader = {climber: climber for climber in climbers}
        self._size = {climber: 1 for climber in climbers}
        self.teams = len(self._leader)

    def leader(self, climber):
        """The climber that stands for the whole team."""
        while self._leader[climber] != climber:
            self._leader[climber] = self._leader[self._leader[climber]]
            climber = self._leader[climber]
        return climber

    def tie(self, one, other):
        """Merge two teams; False when they are one team already."""
        one, other = self.leader(one), self.leader(other)
        if one == other:
            return False
        if self._size[one] < self._size[other]:
            one, other = other, one
        self._leader[other] = one
        self._size[one] += 1
        self.teams -= 1
        return True

    def team_size(self, climber):
        """How many climbers are in the team of this one."""
        return self._size[self.leader(climber)]

    def largest(self):
        """Size of the largest team."""
        return max((self.team_size(c) for c in self._leader), default=0)
''',
        wrong="self._size[one] += 1",
        right="self._size[one] += self._size[other]",
        visible="""def test_alone():
    teams = RopeTeams("abc")
    assert teams.teams == 3
    assert teams.team_size("a") == 1


def test_tie_two():
    teams = RopeTeams("abc")
    assert teams.tie("a", "b")
    assert teams.leader("a") == teams.leader("b")
    assert teams.team_size("b") == 2


def test_tie_again():
    teams = RopeTeams("ab")
    teams.tie("a", "b")
    assert not teams.tie("b", "a")
    assert teams.teams == 1


def test_merge_pairs():
    teams = RopeTeams("abcd")
    teams.tie("a", "b")
    teams.tie("c", "d")
    teams.tie("b", "d")
    assert teams.team_size("a") == 4
    assert teams.teams == 1
""",
        hidden="""def test_chain_sizes():
    teams = RopeTeams(range(6))
    for climber in range(5):
        teams.tie(climber, climber + 1)
    assert teams.team_size(0) == 6


def test_pair_into_triple():
    teams = RopeTeams("abcde")
    teams.tie("a", "b")
    teams.tie("b", "c")
    teams.tie("d", "e")
    teams.tie("e", "a")
    assert teams.largest() == 5


def test_eight():
    teams = RopeTeams(range(8))
    for one, other in ((0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (4, 6), (1, 7)):
        assert teams.tie(one, other)
    assert teams.largest() == 8
    assert teams.teams == 1


def test_largest_of_none():
    assert RopeTeams([]).largest() == 0


def test_separate():
    teams = RopeTeams("wxyz")
    teams.tie("w", "x")
    assert teams.leader("y") != teams.leader("w")
    assert teams.largest() == 2
""",
    ),
    Program(
        name="t31_seat_rows",
        code='''"""Seat the guests of a dinner: all seatings with backtracking."""


def seatings(guests, feuds=()):
    """All orders of the guests in which no two feuding guests are neighbours."""
    hostile = {frozenset(pair) for pair in feuds}
    found = []
    row = []

    def place(left):
        if not left:
            found.append(row)
            return
        for index, guest in enumerate(left):
            if row and frozenset((row[-1], guest)) in hostile:
                continue
            row.append(guest)
            place(left[:index] + left[index + 1:])
            row.pop()

    place(list(guests))
    return found


def best_seating(guests, feuds, liking):
    """The seating with the greatest sum of likings of neighbours, or None.

    `liking` maps (left, right) to a number; missing pairs count nothing.
    """
    def score(row):
        return sum(liking.get(pair, 0) for pair in zip(row, row[1:]))

    return max(seatings(guests, feuds), key=score, default=None)
''',
        wrong="found.append(row)",
        right="found.append(row[:])",
        visible="""def test_two_guests():
    assert seatings(["ida", "leo"]) == [["ida", "leo"], ["leo", "ida"]]


def test_count_of_four():
    assert len(seatings("abcd")) == 24


def test_feud():
    assert seatings("abc", [("a", "b")]) == [["a", "c", "b"], ["b", "c", "a"]]


def test_impossible():
    assert seatings("ab", [("b", "a")]) == []
    assert best_seating("ab", [("a", "b")], {}) is None


def test_best():
    assert best_seating("abc", [], {("c", "a"): 5, ("a", "b"): 1}) == ["c", "a", "b"]
""",
        hidden="""def test_nobody():
    assert seatings([]) == [[]]


def test_single():
    assert seatings(["x"]) == [["x"]]


def test_all_three():
    assert ["".join(row) for row in seatings("abc")] == ["abc", "acb", "bac", "bca", "cab", "cba"]


def test_rows_independent():
    rows = seatings("pq")
    rows[0].append("z")
    assert rows[1] == ["q", "p"]


def test_best_with_feud():
    assert best_seating("abc", [("a", "b")], {("b", "c"): 2}) == ["b", "c", "a"]


def test_two_feuds():
    rows = seatings("abcd", [("a", "b"), ("c", "d")])
    assert len(rows) == 8
    assert all({row[0], row[1]} not in ({"a", "b"}, {"c", "d"}) for row in rows)
""",
    ),
    Program(
        name="t31_roman_years",
        code='''"""Roman numerals on cornerstones."""

_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

_PARTS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)


def to_number(numeral):
    """Read a numeral; a smaller sign before a greater one is subtracted."""
    total = 0
    previous = 0
    for sign in reversed(numeral.strip().upper()):
        value = _VALUES[sign]
        if value <= previous:
            total -= value
        else:
            total += value
        previous = value
    return total


def to_numeral(number):
    """Write a number from 1 to 3999 as a numeral."""
    if not 1 <= number <= 3999:
        raise ValueError(f"cannot write {number}")
    signs = []
    for value, sign in _PARTS:
        times, number = divmod(number, value)
        signs.append(sign * times)
    return "".join(signs)


def is_valid(numeral):
    """Whether the text is a numeral in its usual form."""
    text = numeral.strip().upper()
    if not text or any(sign not in _VALUES for sign in text):
        return False
    number = to_number(text)
    return 1 <= number <= 3999 and to_numeral(number) == text
''',
        wrong="if value <= previous:",
        right="if value < previous:",
        visible="""def test_additive():
    assert to_number("XVI") == 16


def test_subtractive():
    assert to_number("XIV") == 14


def test_repeated():
    assert to_number("MDCCCLXX") == 1870


def test_write():
    assert to_numeral(1994) == "MCMXCIV"


def test_out_of_range():
    with pytest.raises(ValueError):
        to_numeral(0)


def test_valid():
    assert is_valid(" mcmxciv ")
    assert not is_valid("IC")
""",
        hidden="""def test_three_ones():
    assert to_number("III") == 3


def test_year():
    assert to_number("MMXXIII") == 2023


def test_round_trip():
    assert all(to_number(to_numeral(n)) == n for n in range(1, 400))


def test_valid_repeats():
    assert is_valid("XXX")
    assert not is_valid("IIII")
    assert not is_valid("ABC")
    assert not is_valid("")


def test_ordinary():
    assert to_number("cdxliv") == 444


def test_limits():
    assert to_numeral(3999) == "MMMCMXCIX"
    with pytest.raises(ValueError):
        to_numeral(4000)
""",
    ),
    Program(
        name="t31_knit_pattern",
        code='''"""Knitting patterns in short form: k3p2 is kkkpp, and groups repeat."""


def expand(pattern):
    """Expand a pattern; a letter or a group in parentheses may have a count.

    >>> expand("k2(yp)2")
    'kkypyp'
    """
    stack = [[]]
    index = 0
    while index < len(pattern):
        char = pattern[index]
        index += 1
        if char == "(":
            stack.append([])
            continue
        if char == ")":
            if len(stack) == 1:
                raise ValueError("closed too often")
            stitch = "".join(stack.pop())
        elif char.isalpha():
            stitch = char
        else:
            raise ValueError(f"unexpected {char!r}")
        count = 0
        while index < len(pattern) and pattern[index].isdigit():
            count = count * 10 + int(pattern[index])
            index += 1
        stack[0].append(stitch * (count or 1))
    if len(stack) != 1:
        raise ValueError("group not closed")
    return "".join(stack[0])


def stitches(pattern):
    """How many stitches of each kind a row needs."""
    row = expand(pattern)
    return {kind: row.count(kind) for kind in sorted(set(row))}
''',
        wrong="stack[0].append(stitch * (count or 1))",
        right="stack[-1].append(stitch * (count or 1))",
        visible="""def test_single_digits():
    assert expand("k3p2") == "kkkpp"


def test_group():
    assert expand("k(yp)2k") == "kypypk"


def test_long_run():
    assert expand("k12") == "k" * 12


def test_not_closed():
    with pytest.raises(ValueError):
        expand("(kp")


def test_closed_too_often():
    with pytest.raises(ValueError):
        expand("k)")


def test_stitches():
    assert stitches("k2(p2k)3") == {"k": 5, "p": 6}
""",
        hidden="""def test_group_ten_times():
    assert expand("(kp)10") == "kp" * 10


def test_three_digits():
    assert len(expand("p105")) == 105


def test_nested():
    assert expand("(k(p2)2)2") == "kppppkpppp"


def test_stitch_counts():
    assert stitches("k20(p3k)11") == {"k": 31, "p": 33}


def test_bad_sign():
    with pytest.raises(ValueError):
        expand("k-p")


def test_empty():
    assert expand("") == ""
    assert stitches("") == {}
""",
    ),
    Program(
        name="t31_night_shift",
        code='''"""Shifts of a hospital ward, given as minutes of the day."""

DAY = 24 * 60


def to_minutes(clock):
    """Turn 'HH:MM' into minutes after midnight."""
    hours, minutes = clock.split(":")
    value = int(hours) * 60 + int(minutes)
    if not 0 <= value < DAY:
        raise ValueError(f"no time of day: {clock}")
    return value


def length(start, end):
    """Minutes from start to end; a shift may run past midnight."""
    return (to_minutes(end) - to_minutes(start)) % DAY


def pieces(start, end):
    """The shift as ranges (from, to) within one day."""
    first, last = to_minutes(start), to_minutes(end)
    if first <= last:
        return [(first, last)]
    return [(first, DAY), (0, last)]


def overlap(shift, other):
    """Minutes that two shifts have in common."""
    total = 0
    for a, b in pieces(*shift):
        for c, d in pieces(*other):
            total += max(0, min(b, d) - min(a, c))
    return total


def night_minutes(start, end):
    """Minutes of a shift that are paid as night work (22:00 to 06:00)."""
    return overlap((start, end), ("22:00", "06:00"))
''',
        wrong="min(b, d) - min(a, c))",
        right="min(b, d) - max(a, c))",
        visible="""def test_minutes():
    assert to_minutes("07:30") == 450
    with pytest.raises(ValueError):
        to_minutes("24:00")


def test_length():
    assert length("08:00", "16:30") == 510
    assert length("22:00", "06:00") == 480


def test_overlap_by_day():
    assert overlap(("08:00", "12:00"), ("11:00", "15:00")) == 60


def test_no_overlap():
    assert overlap(("08:00", "10:00"), ("12:00", "13:00")) == 0


def test_night():
    assert night_minutes("20:00", "23:00") == 60
    assert night_minutes("21:00", "07:00") == 480


def test_same_shift():
    assert overlap(("09:00", "10:00"), ("09:00", "10:00")) == 60
""",
        hidden="""def test_contained():
    assert overlap(("08:00", "18:00"), ("09:15", "09:45")) == 30


def test_touching():
    assert overlap(("08:00", "10:00"), ("10:00", "12:00")) == 0


def test_symmetric():
    assert overlap(("06:00", "14:00"), ("13:00", "21:00")) == 60
    assert overlap(("13:00", "21:00"), ("06:00", "14:00")) == 60


def test_both_over_midnight():
    assert overlap(("23:00", "02:00"), ("22:00", "01:00")) == 120


def test_day_shift_has_no_night():
    assert night_minutes("06:00", "22:00") == 0


def test_early_shift():
    assert night_minutes("04:30", "12:00") == 90
""",
    ),
    Program(
        name="t31_build_order",
        code='''"""The order in which the crates of a workspace are built."""

from collections import deque


class CycleError(ValueError):
    """The crates need each other."""


def build_order(needs):
    """Order crates so that each one comes after all that it needs.

    `needs` maps a crate to the crates it needs. Ties are resolved by name.
    """
    open_needs = {}
    users = {}
    for crate, required in needs.items():
        open_needs.setdefault(crate, 0)
        for other in set(required):
            open_needs.setdefault(other, 0)
            open_needs[crate] += 1
            users.setdefault(other, []).append(crate)
    ready = deque(sorted(c for c, count in open_needs.items() if count == 0))
    order = []
    while ready:
        crate = ready.popleft()
        order.append(crate)
        for user in sorted(users.get(crate, [])):
            open_needs[user] -= 1
            if open_needs[user] <= 1:
                ready.append(user)
    if len(order) != len(open_needs):
        raise CycleError(sorted(set(open_needs) - set(order)))
    return order
''',
        wrong="if open_needs[user] <= 1:",
        right="if open_needs[user] == 0:",
        visible="""def test_chain():
    assert build_order({"app": ["lib"], "lib": ["core"]}) == ["core", "lib", "app"]


def test_independent_by_name():
    assert build_order({"b": [], "a": []}) == ["a", "b"]


def test_two_needs():
    assert build_order({"app": ["net", "fs"]}) == ["fs", "net", "app"]


def test_cycle():
    with pytest.raises(CycleError):
        build_order({"a": ["b"], "b": ["a"]})


def test_nothing():
    assert build_order({}) == []
""",
        hidden="""def test_diamond():
    needs = {"top": ["left", "right"], "left": ["base"], "right": ["base"]}
    assert build_order(needs) == ["base", "left", "right", "top"]


def test_doubled_need():
    assert build_order({"x": ["y", "y"]}) == ["y", "x"]


def test_three_needs_late():
    needs = {"z": ["a", "b", "c"], "c": ["b"], "b": ["a"]}
    assert build_order(needs) == ["a", "b", "c", "z"]


def test_self_need():
    with pytest.raises(CycleError):
        build_order({"a": ["a"]})


def test_partial_cycle():
    with pytest.raises(CycleError) as info:
        build_order({"a": [], "b": ["a", "c"], "c": ["b"]})
    assert info.value.args[0] == ["b", "c"]
""",
    ),
    Program(
        name="t31_robot_vacuum",
        code='''"""Shortest ways of a vacuum robot through a room."""

from collections import deque

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def distances(room, dock):
    """Distance of each free tile that the robot can reach from its dock.

    `room` is a list of strings of equal length; '#' is furniture.
    """
    height = len(room)
    width = len(room[0])
    found = {dock: 0}
    queue = deque([dock])
    while queue:
        row, column = queue.popleft()
        for down, right in STEPS:
            tile = (row + down, column + right)
            if not (0 <= tile[0] < height and tile[1] < width):
                continue
            if room[tile[0]][tile[1]] == "#" or tile in found:
                continue
            found[tile] = found[(row, column)] + 1
            queue.append(tile)
    return found


def unreachable(room, dock):
    """Free tiles that the robot never cleans, in reading order."""
    clean = distances(room, dock)
    return [
        (row, column)
        for row, line in enumerate(room)
        for column, char in enumerate(line)
        if char != "#" and (row, column) not in clean
    ]
''',
        wrong="< height and tile[1] < width):",
        right="< height and 0 <= tile[1] < width):",
        visible="""def test_square():
    assert distances(["..", ".."], (0, 0)) == {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 2}


def test_around_furniture():
    found = distances([".#.", ".#.", "..."], (0, 0))
    assert found[(0, 2)] == 6
    assert (0, 1) not in found


def test_wide():
    assert distances(["....", "...."], (0, 0))[(1, 3)] == 4


def test_closed_corner():
    assert unreachable(["..#", ".#.", "..#"], (0, 0)) == [(1, 2)]
""",
        hidden="""def test_corridor():
    assert distances(["....."], (0, 0)) == {(0, n): n for n in range(5)}


def test_tall():
    assert distances([".", ".", "."], (2, 0)) == {(2, 0): 0, (1, 0): 1, (0, 0): 2}


def test_wide_all_clean():
    assert unreachable(["......", ".####.", "......"], (0, 0)) == []


def test_wide_detour():
    assert distances([".#...", "....."], (0, 0))[(0, 2)] == 4


def test_blocked():
    assert unreachable([".#.."], (0, 0)) == [(0, 2), (0, 3)]
""",
    ),
    Program(
        name="t31_card_account",
        code='''"""A prepaid card with reservations, as petrol pumps use them."""


class Declined(Exception):
    """The card does not cover the amount."""


class PrepaidCard:
    """Balance and reservations in cents."""

    def __init__(self, balance=0):
        self.balance = balance
        self._reserved = {}

    @property
    def available(self):
        """What may still be spent."""
        return self.balance - sum(self._reserved.values())

    def load(self, amount):
        """Add money to the card."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount

    def reserve(self, reference, amount):
        """Set an amount aside; a reference may be used once."""
        if reference in self._reserved:
            raise ValueError(f"reference {reference} in use")
        if amount > self.balance:
            raise Declined(reference)
        self._reserved[reference] = amount

    def settle(self, reference, amount):
        """Pay the final amount, at most the reserved one."""
        if amount > self._reserved[reference]:
            raise Declined(reference)
        del self._reserved[reference]
        self.balance -= amount

    def release(self, reference):
        """Give a reservation up."""
        self._reserved.pop(reference, None)
''',
        wrong="if amount > self.balance:",
        right="if amount > self.available:",
        visible="""def test_load():
    card = PrepaidCard()
    card.load(500)
    assert card.balance == card.available == 500
    with pytest.raises(ValueError):
        card.load(0)


def test_reserve_and_settle():
    card = PrepaidCard(1000)
    card.reserve("pump 1", 800)
    assert card.available == 200
    card.settle("pump 1", 650)
    assert card.balance == card.available == 350


def test_second_reservation_declined():
    card = PrepaidCard(1000)
    card.reserve("one", 700)
    with pytest.raises(Declined):
        card.reserve("two", 400)


def test_settle_too_much():
    card = PrepaidCard(1000)
    card.reserve("one", 300)
    with pytest.raises(Declined):
        card.settle("one", 301)


def test_reference_once():
    card = PrepaidCard(10)
    card.reserve("r", 1)
    with pytest.raises(ValueError):
        card.reserve("r", 1)
""",
        hidden="""def test_exactly_available():
    card = PrepaidCard(100)
    card.reserve("a", 60)
    card.reserve("b", 40)
    assert card.available == 0


def test_one_cent_too_much():
    card = PrepaidCard(100)
    card.reserve("a", 60)
    with pytest.raises(Declined):
        card.reserve("b", 41)
    assert card.available == 40


def test_release_frees():
    card = PrepaidCard(100)
    card.reserve("a", 100)
    with pytest.raises(Declined):
        card.reserve("b", 1)
    card.release("a")
    card.reserve("b", 100)
    assert card.available == 0


def test_more_than_balance():
    with pytest.raises(Declined):
        PrepaidCard(5).reserve("x", 6)


def test_load_after_reserve():
    card = PrepaidCard(100)
    card.reserve("a", 90)
    card.load(50)
    card.reserve("b", 60)
    assert card.available == 0
    assert card.balance == 150
""",
    ),
    Program(
        name="t31_editor_history",
        code='''"""Undo and redo for a drawing editor."""


class History:
    """A stack of named states."""

    def __init__(self, state):
        self._past = []
        self._future = []
        self.state = state

    @property
    def can_undo(self):
        return bool(self._past)

    @property
    def can_redo(self):
        return bool(self._future)

    def apply(self, change):
        """Apply a function to the state; what was undone is lost."""
        self._past.append(self.state)
        self._future.clear()
        self.state = change(self.state)

    def undo(self, steps=1):
        """Go back by some steps, as far as there are any; return their number."""
        done = 0
        while done < steps and self._past:
            self._future.append(self.state)
            self.state = self._past.pop()
            done += 1
        return done

    def redo(self, steps=1):
        """Go forward again; return how many steps were done."""
        done = 0
        while done < steps and self._future:
            self._past.append(self.state)
            self.state = self._future.pop(0)
            done += 1
        return done
''',
        wrong="self._future.pop(0)",
        right="self._future.pop()",
        visible="""def test_apply():
    history = History(1)
    history.apply(lambda n: n + 1)
    assert history.state == 2
    assert history.can_undo and not history.can_redo


def test_undo_redo_once():
    history = History("a")
    history.apply(str.upper)
    assert history.undo() == 1
    assert history.state == "a"
    assert history.redo() == 1
    assert history.state == "A"


def test_undo_two_redo_one():
    history = History(0)
    for _ in range(2):
        history.apply(lambda n: n + 5)
    assert history.undo(2) == 2
    history.redo()
    assert history.state == 5


def test_apply_drops_future():
    history = History(0)
    history.apply(lambda n: n + 1)
    history.undo()
    history.apply(lambda n: n - 1)
    assert not history.can_redo
    assert history.state == -1


def test_undo_too_far():
    assert History(0).undo(3) == 0
""",
        hidden="""def test_redo_all():
    history = History("")
    for letter in "abc":
        history.apply(lambda text, letter=letter: text + letter)
    history.undo(3)
    seen = []
    while history.redo():
        seen.append(history.state)
    assert seen == ["a", "ab", "abc"]


def test_redo_several():
    history = History(1)
    for _ in range(4):
        history.apply(lambda n: n * 2)
    history.undo(4)
    assert history.redo(2) == 2
    assert history.state == 4


def test_undo_after_redo():
    history = History(1)
    for _ in range(3):
        history.apply(lambda n: n * 3)
    history.undo(3)
    history.redo()
    history.undo()
    assert history.state == 1
    assert history.redo(9) == 3
    assert history.state == 27


def test_redo_nothing():
    history = History(7)
    assert history.redo() == 0
    assert history.state == 7


def test_zero_steps():
    history = History(7)
    history.apply(lambda n: 8)
    assert history.undo(0) == 0
    assert history.state == 8
""",
    ),
    Program(
        name="t31_tariff_table",
        code='''"""A timetable of electricity tariffs."""

from bisect import bisect_left, bisect_right


class TariffTable:
    """Prices that hold from a given hour until the next entry."""

    def __init__(self):
        self._hours = []
        self._prices = []

    def set_price(self, hour, price):
        """Let a price hold from the hour on; an entry of that hour is replaced."""
        place = bisect_left(self._hours, hour)
        if place < len(self._hours) and self._hours[place] == hour:
            self._prices[place] = price
        else:
            self._hours.insert(place, hour)
            self._prices.insert(place, price)

    def price_at(self, hour):
        """The price that holds at the hour; None before the first entry."""
        later = bisect_left(self._hours, hour)
        return self._prices[later - 1] if later else None

    def changes(self, start, end):
        """Entries (hour, price) with start <= hour <= end."""
        low = bisect_left(self._hours, start)
        high = bisect_right(self._hours, end)
        return list(zip(self._hours[low:high], self._prices[low:high]))

    def cost(self, hours, kilowatts=1):
        """The cost of using power during the given full hours."""
        return sum((self.price_at(hour) or 0) * kilowatts for hour in hours)
''',
        wrong="later = bisect_left(self._hours, hour)",
        right="later = bisect_right(self._hours, hour)",
        visible="""def table():
    tariffs = TariffTable()
    for hour, price in ((6, 30), (22, 18), (0, 20)):
        tariffs.set_price(hour, price)
    return tariffs


def test_between_entries():
    assert table().price_at(12) == 30
    assert table().price_at(23) == 18


def test_exactly_at_entry():
    assert table().price_at(6) == 30


def test_before_first():
    tariffs = TariffTable()
    tariffs.set_price(5, 10)
    assert tariffs.price_at(4) is None


def test_replace():
    tariffs = table()
    tariffs.set_price(6, 31)
    assert tariffs.changes(0, 10) == [(0, 20), (6, 31)]


def test_changes_include_ends():
    assert table().changes(6, 22) == [(6, 30), (22, 18)]
""",
        hidden="""def table():
    tariffs = TariffTable()
    for hour, price in ((8, 5), (2, 1), (16, 3)):
        tariffs.set_price(hour, price)
    return tariffs


def test_all_entries():
    assert [table().price_at(hour) for hour in (2, 8, 16)] == [1, 5, 3]


def test_just_before_entries():
    assert [table().price_at(hour) for hour in (1, 7, 15)] == [None, 1, 5]


def test_after_last():
    assert table().price_at(40) == 3


def test_cost():
    assert table().cost([7, 8, 9], 2) == 22
    assert table().cost([0, 1]) == 0


def test_empty():
    assert TariffTable().price_at(3) is None
    assert TariffTable().changes(0, 24) == []
""",
    ),
    Program(
        name="t31_playlist_links",
        code='''"""A playlist as a singly linked list."""


class _Track:
    __slots__ = ("title", "next")

    def __init__(self, title):
        self.title = title
        self.next = None


class Playlist:
    """Tracks in playing order, with quick appending."""

    def __init__(self, titles=()):
        self._head = None
        self._tail = None
        for title in titles:
            self.append(title)

    def __iter__(self):
        track = self._head
        while track is not None:
            yield track.title
            track = track.next

    def append(self, title):
        """Put a track at the end."""
        track = _Track(title)
        if self._tail is None:
            self._head = track
        else:
            self._tail.next = track
        self._tail = track

    def remove(self, title):
        """Remove the first track of that title; tell whether there was one."""
        previous = None
        track = self._head
        while track is not None and track.title != title:
            previous, track = track, track.next
        if track is None:
            return False
        if previous is None:
            self._head = track.next
        else:
            previous.next = track.next
        if track is self._tail:
            self._tail = self._head
        return True
''',
        wrong="self._tail = self._head",
        right="self._tail = previous",
        visible="""def test_order():
    assert list(Playlist(["a", "b", "c"])) == ["a", "b", "c"]


def test_remove_first():
    playlist = Playlist(["a", "b"])
    assert playlist.remove("a")
    playlist.append("c")
    assert list(playlist) == ["b", "c"]


def test_remove_last_then_append():
    playlist = Playlist(["a", "b", "c"])
    assert playlist.remove("c")
    playlist.append("d")
    assert list(playlist) == ["a", "b", "d"]


def test_remove_only():
    playlist = Playlist(["a"])
    playlist.remove("a")
    playlist.append("b")
    assert list(playlist) == ["b"]


def test_remove_missing():
    assert not Playlist(["a"]).remove("z")
""",
        hidden="""def test_remove_last_of_four():
    playlist = Playlist("wxyz")
    playlist.remove("z")
    playlist.append("q")
    assert "".join(playlist) == "wxyq"


def test_remove_last_twice():
    playlist = Playlist("wxyz")
    playlist.remove("z")
    playlist.remove("y")
    playlist.append("1")
    playlist.append("2")
    assert "".join(playlist) == "wx12"


def test_remove_middle():
    playlist = Playlist("abc")
    playlist.remove("b")
    playlist.append("d")
    assert "".join(playlist) == "acd"


def test_first_of_equal_titles():
    playlist = Playlist(["x", "y", "x"])
    playlist.remove("x")
    assert list(playlist) == ["y", "x"]


def test_empty():
    playlist = Playlist()
    assert not playlist.remove("a")
    assert list(playlist) == []


def test_two_remove_last():
    playlist = Playlist("ab")
    playlist.remove("b")
    playlist.append("c")
    assert "".join(playlist) == "ac"
""",
    ),
    Program(
        name="t31_symbolic_slope",
        code='''"""Derivatives of small expressions.

An expression is a number, a variable name, or a tuple (operator, left, right)
with one of the operators '+', '-', '*' and '^' (the exponent is a number).
"""


def derive(expr, variable):
    """The derivative of the expression, not simplified."""
    if isinstance(expr, (int, float)):
        return 0
    if isinstance(expr, str):
        return 1 if expr == variable else 0
    operator, left, right = expr
    if operator in "+-":
        return ("+", derive(left, variable), derive(right, variable))
    if operator == "*":
        return ("+", ("*", derive(left, variable), right), ("*", left, derive(right, variable)))
    if operator == "^":
        return ("*", ("*", right, ("^", left, right - 1)), derive(left, variable))
    raise ValueError(f"unknown operator {operator!r}")


def evaluate(expr, values):
    """The value of the expression for the given variables."""
    if isinstance(expr, (int, float)):
        return expr
    if isinstance(expr, str):
        return values[expr]
    operator, left, right = expr
    a, b = evaluate(left, values), evaluate(right, values)
    if operator == "+":
        return a + b
    if operator == "-":
        return a - b
    if operator == "*":
        return a * b
    return a ** b


def slope(expr, variable, **values):
    """The value of the derivative."""
    return evaluate(derive(expr, variable), values)
''',
        wrong='return ("+", derive(left, variable), derive(right, variable))',
        right="return (operator, derive(left, variable), derive(right, variable))",
        visible="""def test_leaves():
    assert derive(7, "x") == 0
    assert derive("x", "x") == 1
    assert derive("y", "x") == 0


def test_sum():
    assert derive(("+", "x", 3), "x") == ("+", 1, 0)


def test_difference():
    assert slope(("-", ("^", "x", 2), ("*", 3, "x")), "x", x=5) == 7


def test_power():
    assert slope(("^", "x", 3), "x", x=2) == 12


def test_product_with_number():
    assert slope(("*", 5, "x"), "x", x=2) == 5


def test_square_as_product():
    assert slope(("*", "x", "x"), "x", x=4) == 8


def test_unknown():
    with pytest.raises(ValueError):
        derive(("/", 1, "x"), "x")
""",
        hidden="""def test_number_second():
    assert slope(("*", "x", 9), "x", x=1) == 9


def test_two_variables():
    expr = ("*", ("+", "x", "y"), ("-", "x", "y"))
    assert slope(expr, "x", x=3, y=2) == 6
    assert slope(expr, "y", x=3, y=2) == -4


def test_polynomial():
    expr = ("+", ("*", 2, ("^", "x", 2)), ("*", -3, "x"))
    assert slope(expr, "x", x=5) == 17


def test_chain_rule():
    expr = ("^", ("+", ("*", 2, "x"), 1), 2)
    assert slope(expr, "x", x=1) == 12


def test_shape():
    assert derive(("*", "a", "b"), "b") == ("+", ("*", 0, "b"), ("*", "a", 1))


def test_constant_factor():
    assert slope(("*", "y", "z"), "x", y=1, z=2) == 0
""",
    ),
    Program(
        name="t31_parts_list",
        code='''"""Bills of materials: what a product is made of."""


class CircularPart(ValueError):
    """A part would contain itself."""


def raw_parts(product, bill, quantity=1, _above=()):
    """Count the raw parts of a quantity of products.

    `bill` maps a part to (component, count) pairs; a part without an entry is
    raw.
    """
    if product in _above:
        raise CircularPart(product)
    if product not in bill:
        return {product: quantity}
    totals = {}
    for component, count in bill[product]:
        below = raw_parts(component, bill, count, _above + (product,))
        for part, number in below.items():
            totals[part] = totals.get(part, 0) + number
    return totals


def cost(product, bill, prices):
    """The price of all raw parts of one product."""
    return sum(prices[part] * count for part, count in raw_parts(product, bill).items())


def depth(product, bill):
    """Levels of assembly; a raw part has none."""
    if product not in bill:
        return 0
    return 1 + max((depth(part, bill) for part, _ in bill[product]), default=0)
''',
        wrong="raw_parts(component, bill, count, _above + (product,))",
        right="raw_parts(component, bill, quantity * count, _above + (product,))",
        visible="""BILL = {
    "bike": [("wheel", 2), ("frame", 1)],
    "wheel": [("spoke", 28), ("rim", 1)],
}


def test_raw():
    assert raw_parts("rim", BILL) == {"rim": 1}


def test_one_level():
    assert raw_parts("wheel", BILL) == {"spoke": 28, "rim": 1}


def test_two_levels():
    assert raw_parts("bike", BILL) == {"spoke": 56, "rim": 2, "frame": 1}


def test_depth():
    assert depth("bike", BILL) == 2
    assert depth("spoke", BILL) == 0


def test_circular():
    with pytest.raises(CircularPart):
        raw_parts("a", {"a": [("b", 1)], "b": [("a", 1)]})
""",
        hidden="""BILL = {
    "desk": [("leg", 4), ("top", 1), ("screw", 6)],
    "leg": [("tube", 1), ("screw", 2)],
    "top": [("board", 3), ("screw", 8)],
}


def test_shared_part():
    assert raw_parts("desk", BILL) == {"tube": 4, "screw": 22, "board": 3}


def test_quantity():
    assert raw_parts("leg", BILL, 10) == {"tube": 10, "screw": 20}


def test_three_levels():
    bill = {"a": [("b", 2)], "b": [("c", 3)], "c": [("d", 5)]}
    assert raw_parts("a", bill) == {"d": 30}


def test_cost():
    assert cost("desk", BILL, {"tube": 5, "screw": 1, "board": 10}) == 72


def test_raw_quantity():
    assert raw_parts("nail", {}, 12) == {"nail": 12}


def test_depth_of_empty_assembly():
    assert depth("kit", {"kit": []}) == 1
    assert raw_parts("kit", {"kit": []}) == {}
""",
    ),
    Program(
        name="t31_family_tree",
        code='''"""Draw a tree of descendants with ASCII branches."""


def draw(person, children, _indent=""):
    """Lines of the drawing; `children` maps a name to a list of names."""
    lines = [person] if not _indent else []
    young = children.get(person, [])
    for number, child in enumerate(young, 1):
        last = number == len(young)
        lines.append(_indent + ("`-- " if last else "|-- ") + child)
        deeper = _indent + ("|   " if last else "    ")
        lines.extend(draw(child, children, deeper))
    return lines


def generations(person, children):
    """Names by generation, beginning with the person."""
    rows = [[person]]
    for child in children.get(person, []):
        for level, names in enumerate(generations(child, children), 1):
            if level == len(rows):
                rows.append([])
            rows[level].extend(names)
    return rows
''',
        wrong='("|   " if last else "    ")',
        right='("    " if last else "|   ")',
        visible="""def test_childless():
    assert draw("Eve", {}) == ["Eve"]


def test_two_children():
    assert draw("Eve", {"Eve": ["Ann", "Bo"]}) == ["Eve", "|-- Ann", "`-- Bo"]


def test_grandchild_of_last():
    tree = {"Eve": ["Ann", "Bo"], "Bo": ["Cy"]}
    assert draw("Eve", tree) == ["Eve", "|-- Ann", "`-- Bo", "    `-- Cy"]


def test_generations():
    tree = {"Eve": ["Ann", "Bo"], "Ann": ["Di"], "Bo": ["Cy"]}
    assert generations("Eve", tree) == [["Eve"], ["Ann", "Bo"], ["Di", "Cy"]]
""",
        hidden="""def test_grandchild_of_first():
    tree = {"Eve": ["Ann", "Bo"], "Ann": ["Di"]}
    assert draw("Eve", tree) == ["Eve", "|-- Ann", "|   `-- Di", "`-- Bo"]


def test_only_line():
    tree = {"a": ["b"], "b": ["c"], "c": ["d"]}
    assert draw("a", tree) == ["a", "`-- b", "    `-- c", "        `-- d"]


def test_mixed():
    tree = {"r": ["x", "y"], "x": ["p", "q"], "p": ["z"]}
    assert draw("r", tree) == [
        "r", "|-- x", "|   |-- p", "|   |   `-- z", "|   `-- q", "`-- y"]


def test_three_children():
    assert draw("r", {"r": ["1", "2", "3"]}) == ["r", "|-- 1", "|-- 2", "`-- 3"]


def test_uneven_generations():
    assert generations("r", {"r": ["a", "b"], "b": ["c"]}) == [["r"], ["a", "b"], ["c"]]
""",
    ),
    Program(
        name="t31_query_string",
        code='''"""Parse and build query strings without percent signs in keys."""

_HEX = "0123456789abcdefABCDEF"


def decode(text):
    """Resolve '+' and percent escapes; broken escapes stay as they are."""
    out = []
    index = 0
    text = text.replace("+", " ")
    while index < len(text):
        code = text[index + 1:index + 3]
        if text[index] == "%" and len(code) == 2 and all(c in _HEX for c in code):
            out.append(chr(int(code, 16)))
            index += 3
        else:
            out.append(text[index])
            index += 1
    return "".join(out)


def parse(query):
    """Return a dict of lists of values; a key without '=' has the value ''."""
    params = {}
    for pair in query.removeprefix("?").split("&"):
        if not pair:
            continue
        key, _, value = pair.rpartition("=") if "=" in pair else (pair, "", "")
        params.setdefault(decode(key), []).append(decode(value))
    return params


def build(params):
    """Build a query from a dict of lists; keys are sorted."""
    pairs = []
    for key in sorted(params):
        for value in params[key]:
            safe = "".join(c if c.isalnum() else f"%{ord(c):02X}" for c in str(value))
            pairs.append(f"{key}={safe}")
    return "&".join(pairs)
''',
        wrong='pair.rpartition("=")',
        right='pair.partition("=")',
        visible="""def test_simple():
    assert parse("?a=1&b=2") == {"a": ["1"], "b": ["2"]}


def test_repeated_key():
    assert parse("t=x&t=y") == {"t": ["x", "y"]}


def test_value_with_equals():
    assert parse("filter=age=30") == {"filter": ["age=30"]}


def test_without_value():
    assert parse("debug&x=") == {"debug": [""], "x": [""]}


def test_escapes():
    assert parse("q=caf%65+au+lait%2") == {"q": ["cafe au lait%2"]}


def test_build():
    assert build({"b": ["x y"], "a": [1, 2]}) == "a=1&a=2&b=x%20y"
""",
        hidden="""def test_base64_padding():
    assert parse("token=YWI==&n=1") == {"token": ["YWI=="], "n": ["1"]}


def test_expression():
    assert parse("where=a==b") == {"where": ["a==b"]}


def test_empty_key():
    assert parse("=v") == {"": ["v"]}


def test_empty():
    assert parse("") == {}
    assert parse("?&&") == {}


def test_round_trip():
    params = {"e": ["1=1", "a&b"], "f": ["ok"]}
    assert parse(build(params)) == params


def test_decode_only():
    assert decode("%41%zz%") == "A%zz%"
""",
    ),
    Program(
        name="t31_mail_headers",
        code='''"""Read the header block of a mail."""


class Headers:
    """Header fields; names are not case sensitive."""

    def __init__(self):
        self._fields = {}

    def add(self, name, value):
        """Add a value; a field may occur several times."""
        self._fields.setdefault(name.lower(), []).append(value)

    def get(self, name, default=None):
        """The first value of a field."""
        return self._fields.get(name.lower(), [default])[0]

    def get_all(self, name):
        """All values of a field."""
        return list(self._fields.get(name.lower(), []))

    def __len__(self):
        return sum(map(len, self._fields.values()))


def parse_headers(text):
    """Parse lines up to the first empty one; indented lines continue a field."""
    unfolded = []
    for line in text.splitlines():
        if not line.strip():
            break
        if line[0] in " \\t" and unfolded:
            unfolded[-1] += " " + line
        else:
            unfolded.append(line)
    headers = Headers()
    for line in unfolded:
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError(f"no header: {line!r}")
        headers.add(name.strip(), value.strip())
    return headers
''',
        wrong='unfolded[-1] += " " + line',
        right='unfolded[-1] += " " + line.strip()',
        visible="""def test_simple():
    headers = parse_headers("To: ann@x.org\\nSubject:  Tea \\n")
    assert headers.get("to") == "ann@x.org"
    assert headers.get("SUBJECT") == "Tea"


def test_stops_at_empty_line():
    assert len(parse_headers("A: 1\\n\\nB: 2")) == 1


def test_folded():
    headers = parse_headers("Subject: a long\\n  story\\nTo: bob")
    assert headers.get("Subject") == "a long story"


def test_repeated():
    headers = parse_headers("Received: x\\nreceived: y")
    assert headers.get_all("Received") == ["x", "y"]
    assert headers.get("Received") == "x"


def test_no_header():
    with pytest.raises(ValueError):
        parse_headers("hello")
""",
        hidden="""def test_folded_with_tab():
    assert parse_headers("X: 1;\\n\\t2").get("x") == "1; 2"


def test_folded_twice():
    headers = parse_headers("List: a,\\n b, \\n    c")
    assert headers.get("list") == "a, b, c"


def test_colon_in_value():
    assert parse_headers("Date: 10:20:30").get("date") == "10:20:30"


def test_missing_field():
    headers = parse_headers("A: 1")
    assert headers.get("b") is None
    assert headers.get("b", "?") == "?"
    assert headers.get_all("b") == []


def test_blank_line_of_spaces_ends():
    assert len(parse_headers("A: 1\\n   \\nB: 2")) == 1


def test_folded_with_colon():
    headers = parse_headers("Via: host\\n   port: 25\\nC: d")
    assert headers.get("via") == "host port: 25"
    assert len(headers) == 2
""",
    ),
    Program(
        name="t31_poster_wrap",
        code='''"""Wrap and centre text for posters."""


def wrap(text, width):
    """Break text into lines of at most `width` characters at spaces.

    A word that is longer than the width has a line of its own.
    """
    lines = []
    line = []
    used = 0
    for word in text.split():
        if line and used + len(word) > width:
            lines.append(" ".join(line))
            line = []
            used = len(word)
        line.append(word)
        used += len(word) + 1
    if line:
        lines.append(" ".join(line))
    return lines


def centred(lines, width):
    """Pad lines on both sides; an odd space goes to the right."""
    result = []
    for line in lines:
        room = max(0, width - len(line))
        left = room // 2
        result.append(" " * left + line + " " * (room - left))
    return result


def poster(text, width):
    """The wrapped and centred text in a frame."""
    border = "+" + "-" * width + "+"
    rows = [f"|{line}|" for line in centred(wrap(text, width), width)]
    return "\\n".join([border, *rows, border])
''',
        wrong="used = len(word)",
        right="used = 0",
        visible="""def test_wrap():
    assert wrap("the quick brown fox", 9) == ["the quick", "brown fox"]


def test_three_lines():
    assert wrap("to be or not to be", 5) == ["to be", "or", "not", "to be"]


def test_long_word():
    assert wrap("an extraordinary day", 5) == ["an", "extraordinary", "day"]


def test_empty():
    assert wrap("  ", 10) == []
    assert centred([], 4) == []


def test_centred():
    assert centred(["ab", "abc"], 4) == [" ab ", "abc "]


def test_poster():
    assert poster("big sale", 6) == "+------+\\n| big  |\\n| sale |\\n+------+"
""",
        hidden="""def test_exact_width():
    assert wrap("aa bb cc", 5) == ["aa bb", "cc"]
    assert centred(["full"], 4) == ["full"]


def test_odd_space():
    assert centred(["x"], 4) == [" x  "]


def test_empty_line():
    assert centred([""], 3) == ["   "]


def test_too_long():
    assert centred(["longer"], 3) == ["longer"]


def test_equal_lengths():
    rows = poster("come and see the show tonight", 11).splitlines()
    assert {len(row) for row in rows} == {13}


def test_one_letter_words():
    assert wrap("a b c d e", 3) == ["a b", "c d", "e"]
""",
    ),
    Program(
        name="t31_court_deadlines",
        code='''"""Deadlines in working days."""

from datetime import date, timedelta

SATURDAY = 5


def is_working(day, holidays=()):
    """Monday to Friday, unless it is a holiday."""
    return day.weekday() < SATURDAY and day not in holidays


def deadline(start, days, holidays=()):
    """The day on which the given number of working days after start has passed."""
    day = start
    while days > 0:
        day += timedelta(days=1)
        if is_working(day, holidays):
            days -= 1
    return day


def next_working(day, holidays=()):
    """The day itself if it is a working day, else the first one after it."""
    while not is_working(day, holidays):
        day += timedelta(days=1)
    return day


def working_days(start, end, holidays=()):
    """Count working days after start, up to and including end."""
    span = (end - start).days
    return sum(is_working(start + timedelta(days=n), holidays) for n in range(1, span))


def overdue(filed, start, days, holidays=()):
    """Working days by which a filing is late; 0 if it is in time."""
    limit = deadline(start, days, holidays)
    return max(0, working_days(limit, filed, holidays))
''',
        wrong="for n in range(1, span))",
        right="for n in range(1, span + 1))",
        visible="""from datetime import date


def test_deadline_over_weekend():
    assert deadline(date(2024, 3, 7), 3) == date(2024, 3, 12)


def test_deadline_with_holiday():
    assert deadline(date(2024, 4, 30), 1, [date(2024, 5, 1)]) == date(2024, 5, 2)


def test_next_working():
    assert next_working(date(2024, 3, 9)) == date(2024, 3, 11)
    assert next_working(date(2024, 3, 8)) == date(2024, 3, 8)


def test_working_days_of_a_week():
    assert working_days(date(2024, 3, 4), date(2024, 3, 11)) == 5


def test_in_time():
    assert overdue(date(2024, 3, 5), date(2024, 3, 4), 3) == 0
""",
        hidden="""from datetime import date


def test_next_day():
    assert working_days(date(2024, 3, 4), date(2024, 3, 5)) == 1


def test_same_day():
    assert working_days(date(2024, 3, 4), date(2024, 3, 4)) == 0


def test_end_on_weekend():
    assert working_days(date(2024, 3, 7), date(2024, 3, 10)) == 1


def test_holiday_at_end():
    assert working_days(date(2024, 4, 29), date(2024, 5, 1), [date(2024, 5, 1)]) == 1


def test_late():
    assert overdue(date(2024, 3, 11), date(2024, 3, 4), 3) == 2
    assert overdue(date(2024, 3, 8), date(2024, 3, 4), 3) == 1


def test_inverse_of_deadline():
    start = date(2024, 2, 1)
    assert all(working_days(start, deadline(start, n)) == n for n in range(12))
""",
    ),
    Program(
        name="t31_power_bridges",
        code='''"""Critical lines of a power grid: those whose loss splits it."""


def grid_from(lines):
    """Build an adjacency dict from pairs of stations."""
    grid = {}
    for one, other in lines:
        grid.setdefault(one, []).append(other)
        grid.setdefault(other, []).append(one)
    return grid


def critical_lines(lines):
    """Sorted pairs whose removal disconnects their ends.

    Lines are not doubled and do not join a station to itself.
    """
    grid = grid_from(lines)
    seen_at = {}
    lowest = {}
    found = []

    def visit(station, parent):
        seen_at[station] = lowest[station] = len(seen_at)
        for other in grid[station]:
            if other == parent:
                continue
            if other in seen_at:
                lowest[station] = min(lowest[station], seen_at[other])
                continue
            visit(other, station)
            lowest[station] = min(lowest[station], lowest[other])
            if lowest[other] >= seen_at[station]:
                found.append(tuple(sorted((station, other))))

    for station in sorted(grid):
        if station not in seen_at:
            visit(station, None)
    return sorted(found)


def is_resilient(lines):
    """Whether no single line is critical."""
    return not critical_lines(lines)
''',
        wrong="if lowest[other] >= seen_at[station]:",
        right="if lowest[other] > seen_at[station]:",
        visible="""def test_chain():
    assert critical_lines(["ab", "bc"]) == [("a", "b"), ("b", "c")]


def test_triangle():
    assert critical_lines(["ab", "bc", "ca"]) == []


def test_tail_on_triangle():
    assert critical_lines(["ab", "bc", "ca", "cd"]) == [("c", "d")]


def test_empty():
    assert critical_lines([]) == []
    assert is_resilient([])


def test_adjacency():
    assert grid_from(["ab", "ac"]) == {"a": ["b", "c"], "b": ["a"], "c": ["a"]}
""",
        hidden="""def test_two_triangles_joined():
    lines = ["ab", "bc", "ca", "cd", "de", "ef", "fd"]
    assert critical_lines(lines) == [("c", "d")]


def test_separate_parts():
    assert critical_lines(["ab", "xy", "yz", "zx"]) == [("a", "b")]


def test_ring_of_five():
    assert is_resilient([(n, (n + 1) % 5) for n in range(5)])


def test_star():
    assert critical_lines(["ma", "mb", "mc"]) == [("a", "m"), ("b", "m"), ("c", "m")]


def test_triangles_sharing_a_station():
    assert is_resilient(["ab", "bc", "ca", "cx", "xy", "yc"])


def test_not_resilient():
    assert not is_resilient(["pq"])
""",
    ),
    Program(
        name="t31_egyptian_shares",
        code='''"""Shares of a harvest as sums of different unit fractions."""

from fractions import Fraction


def unit_parts(share):
    """Denominators of the greedy Egyptian fraction of a share below one.

    >>> unit_parts(Fraction(3, 4))
    [2, 4]
    """
    if not 0 <= share < 1:
        raise ValueError("share must be at least 0 and below 1")
    parts = []
    while share:
        denominator = share.denominator // share.numerator + 1
        parts.append(denominator)
        share -= Fraction(1, denominator)
        if len(parts) > 40:
            raise ArithmeticError("no end in sight")
    return parts


def total(parts):
    """The share that the denominators stand for."""
    return sum((Fraction(1, part) for part in parts), Fraction(0))


def written(share):
    """The share as text, for example '1/2 + 1/4'; nothing is '0'."""
    whole, rest = divmod(share, 1)
    terms = [str(whole)] if whole else []
    terms += [f"1/{part}" for part in unit_parts(rest)]
    return " + ".join(terms) or "0"
''',
        wrong="share.denominator // share.numerator + 1",
        right="-(-share.denominator // share.numerator)",
        visible="""from fractions import Fraction


def test_nothing():
    assert unit_parts(Fraction(0)) == []


def test_total():
    assert total([2, 3]) == Fraction(5, 6)
    assert total([]) == 0


def test_half():
    assert unit_parts(Fraction(1, 2)) == [2]


def test_three_quarters():
    assert unit_parts(Fraction(3, 4)) == [2, 4]


def test_out_of_range():
    with pytest.raises(ValueError):
        unit_parts(Fraction(5, 4))


def test_written_whole():
    assert written(Fraction(3)) == "3"
    assert written(Fraction(0)) == "0"
""",
        hidden="""from fractions import Fraction


def test_unit_stays():
    assert unit_parts(Fraction(1, 7)) == [7]


def test_known():
    assert unit_parts(Fraction(4, 13)) == [4, 18, 468]
    assert unit_parts(Fraction(2, 3)) == [2, 6]


def test_sums_and_distinct():
    for n in range(1, 12):
        parts = unit_parts(Fraction(n, 12))
        assert total(parts) == Fraction(n, 12)
        assert len(set(parts)) == len(parts)


def test_written():
    assert written(Fraction(7, 4)) == "1 + 1/2 + 1/4"
    assert written(Fraction(5, 6)) == "1/2 + 1/3"


def test_negative():
    with pytest.raises(ValueError):
        unit_parts(Fraction(-1, 2))
""",
    ),
    Program(
        name="t31_book_numbers",
        code='''"""Check digits of book numbers."""


def _digits(text):
    return text.replace("-", "").replace(" ", "").upper()


def check_digit_10(first_nine):
    """The check digit of an ISBN-10: '0' to '9' or 'X'."""
    total = sum(int(d) * weight for weight, d in zip(range(10, 1, -1), first_nine))
    value = -total % 11
    return "X" if value == 10 else str(value)


def check_digit_13(first_twelve):
    """The check digit of an ISBN-13; weights alternate between 1 and 3."""
    total = sum(int(d) * (3 if place % 2 else 1) for place, d in enumerate(first_twelve, 1))
    return str(-total % 10)


def is_valid(number):
    """Whether the text is an ISBN-10 or an ISBN-13."""
    digits = _digits(number)
    body, check = digits[:-1], digits[-1:]
    if not body.isdigit():
        return False
    if len(digits) == 10:
        return check_digit_10(body) == check
    if len(digits) == 13:
        return check_digit_13(body) == check
    return False


def to_13(number):
    """Turn a valid ISBN-10 into an ISBN-13 without dashes."""
    digits = _digits(number)
    if len(digits) != 10 or not is_valid(digits):
        raise ValueError(f"no ISBN-10: {number}")
    body = "978" + digits[:-1]
    return body + check_digit_13(body)
''',
        wrong="enumerate(first_twelve, 1)",
        right="enumerate(first_twelve)",
        visible="""def test_check_10():
    assert check_digit_10("030640615") == "2"


def test_check_10_x():
    assert check_digit_10("080442957") == "X"


def test_check_13():
    assert check_digit_13("978030640615") == "7"
    assert check_digit_13("978316148410") == "0"


def test_valid_10():
    assert is_valid("0-306-40615-2")
    assert not is_valid("0-306-40615-3")


def test_conversion():
    assert to_13("0306406152") == "9780306406157"


def test_garbage():
    assert not is_valid("")
    assert not is_valid("abc-12")
""",
        hidden="""def test_valid_13():
    assert is_valid("978-3-16-148410-0")
    assert is_valid("9780131103627")


def test_wrong_13():
    assert not is_valid("978-3-16-148410-1")


def test_swapped_digits():
    assert not is_valid("9780131130627")


def test_small_x():
    assert is_valid("0-8044-2957-x")
    assert to_13("0-8044-2957-x") == "9780804429573"


def test_no_isbn_10():
    with pytest.raises(ValueError):
        to_13("9780306406157")
    with pytest.raises(ValueError):
        to_13("0306406153")


def test_wrong_length():
    assert not is_valid("12345678901")
""",
    ),
    Program(
        name="t31_race_times",
        code='''"""Finishing times of a long race."""

from datetime import datetime, timedelta


def clock(span):
    """Write a timedelta as H:MM:SS; hours may exceed a day."""
    seconds = span.seconds
    sign = "-" if seconds < 0 else ""
    hours, rest = divmod(abs(seconds), 3600)
    return f"{sign}{hours}:{rest // 60:02d}:{rest % 60:02d}"


def parse_clock(text):
    """Read H:MM:SS or MM:SS."""
    seconds = 0
    for part in text.split(":"):
        seconds = seconds * 60 + int(part)
    return timedelta(seconds=seconds)


def ranking(start, finishes):
    """Rows (place, name, time, gap to the winner); equal times share a place.

    `finishes` maps names to datetimes.
    """
    rows = []
    ordered = sorted(finishes.items(), key=lambda item: (item[1], item[0]))
    for number, (name, moment) in enumerate(ordered, 1):
        if rows and moment == finishes[rows[-1][1]]:
            place = rows[-1][0]
        else:
            place = number
        rows.append((place, name, clock(moment - start), clock(moment - ordered[0][1])))
    return rows
''',
        wrong="seconds = span.seconds",
        right="seconds = int(span.total_seconds())",
        visible="""from datetime import datetime, timedelta


def test_short():
    assert clock(timedelta(minutes=75, seconds=9)) == "1:15:09"


def test_more_than_a_day():
    assert clock(timedelta(days=1, hours=2)) == "26:00:00"


def test_parse():
    assert parse_clock("2:00:30") == timedelta(hours=2, seconds=30)
    assert parse_clock("4:05") == timedelta(minutes=4, seconds=5)


def test_ranking():
    start = datetime(2024, 6, 1, 8)
    finishes = {"ulla": datetime(2024, 6, 1, 10, 30), "jon": datetime(2024, 6, 1, 10)}
    assert ranking(start, finishes) == [(1, "jon", "2:00:00", "0:00:00"), (2, "ulla", "2:30:00", "0:30:00")]


def test_shared_place():
    start = datetime(2024, 6, 1, 8)
    noon = datetime(2024, 6, 1, 12)
    assert [row[0] for row in ranking(start, {"a": noon, "b": noon, "c": datetime(2024, 6, 1, 13)})] == [1, 1, 3]
""",
        hidden="""from datetime import datetime, timedelta


def test_negative():
    assert clock(timedelta(seconds=-61)) == "-0:01:01"


def test_three_days():
    assert clock(timedelta(days=3, seconds=1)) == "72:00:01"


def test_zero():
    assert clock(timedelta(0)) == "0:00:00"


def test_round_trip():
    for text in ("0:00:59", "23:59:59", "24:00:00", "100:10:10"):
        assert clock(parse_clock(text)) == text


def test_ultra_ranking():
    start = datetime(2024, 6, 1, 8)
    rows = ranking(start, {"x": datetime(2024, 6, 2, 9), "y": datetime(2024, 6, 3, 10)})
    assert rows == [(1, "x", "25:00:00", "0:00:00"), (2, "y", "50:00:00", "25:00:00")]


def test_nobody():
    assert ranking(datetime(2024, 1, 1), {}) == []
""",
    ),
    Program(
        name="t31_village_cables",
        code='''"""Cheapest cabling that joins all villages."""


def cheapest_cabling(villages, offers):
    """Choose offers (one, other, price) that join all villages.

    Returns the chosen offers in the order in which they were chosen; raises
    ValueError when the offers do not join all villages. Among equal prices
    the earlier offer is preferred.
    """
    group = {village: {village} for village in villages}
    chosen = []
    for one, other, price in sorted(offers):
        if group[one] is group[other]:
            continue
        merged = group[one] | group[other]
        for village in merged:
            group[village] = merged
        chosen.append((one, other, price))
    if len(chosen) < len(group) - 1:
        raise ValueError("villages cannot be joined")
    return chosen


def price_of(offers):
    """The sum of the prices."""
    return sum(price for _, _, price in offers)


def saving(villages, offers):
    """What is saved against accepting every offer."""
    return price_of(offers) - price_of(cheapest_cabling(villages, offers))
''',
        wrong="in sorted(offers):",
        right="in sorted(offers, key=lambda offer: offer[2]):",
        visible="""def test_two_villages():
    assert cheapest_cabling("ab", [("a", "b", 7)]) == [("a", "b", 7)]


def test_triangle():
    offers = [("a", "b", 9), ("a", "c", 2), ("b", "c", 3)]
    assert cheapest_cabling("abc", offers) == [("a", "c", 2), ("b", "c", 3)]


def test_not_joined():
    with pytest.raises(ValueError):
        cheapest_cabling("abc", [("a", "b", 1)])


def test_single():
    assert cheapest_cabling("a", []) == []


def test_saving():
    assert saving("abc", [("a", "b", 1), ("b", "c", 2), ("c", "a", 5)]) == 5
""",
        hidden="""OFFERS = [("a", "b", 4), ("a", "d", 8), ("b", "c", 6), ("b", "d", 1), ("c", "d", 3)]


def test_four():
    assert cheapest_cabling("abcd", OFFERS) == [("b", "d", 1), ("c", "d", 3), ("a", "b", 4)]


def test_price():
    assert price_of(cheapest_cabling("abcd", OFFERS)) == 8


def test_saving_of_four():
    assert saving("abcd", OFFERS) == 14


def test_doubled_offer():
    assert cheapest_cabling("xy", [("x", "y", 5), ("y", "x", 2)]) == [("y", "x", 2)]


def test_equal_prices_keep_order():
    offers = [("z", "y", 1), ("a", "z", 1), ("a", "y", 1)]
    assert cheapest_cabling("ayz", offers) == [("z", "y", 1), ("a", "z", 1)]


def test_two_islands():
    with pytest.raises(ValueError):
        cheapest_cabling("abcd", [("a", "b", 1), ("c", "d", 1), ("b", "a", 2)])
""",
    ),
    Program(
        name="t31_rival_camps",
        code='''"""Split people into two camps so that rivals are never in one camp."""


def split_camps(people, rivalries):
    """Return two sorted lists, or None when no split exists.

    Of each connected group the first person (by name) joins the first camp.
    """
    rivals = {person: set() for person in people}
    for one, other in rivalries:
        rivals[one].add(other)
        rivals[other].add(one)
    camp = {}
    for first in sorted(rivals):
        if first in camp:
            continue
        camp[first] = 0
        waiting = [first]
        while waiting:
            person = waiting.pop()
            for rival in rivals[person]:
                if rival not in camp:
                    camp[rival] = 1 - camp[person]
                    waiting.append(rival)
                elif camp[rival] == camp[person]:
                    break
    return tuple(sorted(p for p in camp if camp[p] == side) for side in (0, 1))


def can_split(people, rivalries):
    """Whether there is a split at all."""
    return split_camps(people, rivalries) is not None


def imbalance(people, rivalries):
    """Difference of the sizes of the camps."""
    first, second = split_camps(people, rivalries)
    return abs(len(first) - len(second))
''',
        wrong="                    break",
        right="                    return None",
        visible="""def test_no_rivals():
    assert split_camps("ba", []) == (["a", "b"], [])


def test_pair():
    assert split_camps("ab", ["ab"]) == (["a"], ["b"])


def test_triangle():
    assert not can_split("abc", ["ab", "bc", "ca"])


def test_chain():
    assert split_camps("abcd", ["ab", "bc", "cd"]) == (["a", "c"], ["b", "d"])


def test_star():
    assert imbalance("abcd", ["ab", "ac", "ad"]) == 2


def test_two_groups():
    assert split_camps("abcd", ["ab", "cd"]) == (["a", "c"], ["b", "d"])
""",
        hidden="""def test_square():
    assert split_camps("abcd", ["ab", "bc", "cd", "da"]) == (["a", "c"], ["b", "d"])


def test_ring_of_five():
    assert not can_split("abcde", ["ab", "bc", "cd", "de", "ea"])


def test_ring_of_six():
    assert can_split("abcdef", ["ab", "bc", "cd", "de", "ef", "fa"])


def test_nobody():
    assert split_camps("", []) == ([], [])


def test_chain_of_three_imbalance():
    assert imbalance("xyz", ["xy", "yz"]) == 1


def test_late_group_impossible():
    assert not can_split("abxyz", ["ab", "xy", "yz", "zx"])
""",
    ),
    Program(
        name="t31_critical_path",
        code='''"""How long a film production takes, and which tasks may not slip."""


def earliest_finish(tasks):
    """Earliest finishing day of each task.

    `tasks` maps a name to (days, list of tasks that come before it).
    """
    finish = {}

    def visit(name):
        if name not in finish:
            days, before = tasks[name]
            finish[name] = days + max((visit(other) for other in before), default=0)
        return finish[name]

    for name in tasks:
        visit(name)
    return finish


def latest_finish(tasks):
    """Latest finishing day of each task that does not delay the whole."""
    finish = earliest_finish(tasks)
    end = max(finish.values(), default=0)
    latest = {name: end for name in tasks}
    for name in sorted(tasks, key=finish.get):
        days, before = tasks[name]
        for other in before:
            latest[other] = min(latest[other], latest[name] - days)
    return latest


def critical(tasks):
    """Names of the tasks without slack, by finishing day."""
    early, late = earliest_finish(tasks), latest_finish(tasks)
    return sorted((n for n in tasks if early[n] == late[n]), key=lambda n: (early[n], n))
''',
        wrong="for name in sorted(tasks, key=finish.get):",
        right="for name in sorted(tasks, key=finish.get, reverse=True):",
        visible="""FILM = {
    "script": (10, []),
    "cast": (4, ["script"]),
    "sets": (7, ["script"]),
    "shoot": (20, ["cast", "sets"]),
}


def test_earliest():
    assert earliest_finish(FILM) == {"script": 10, "cast": 14, "sets": 17, "shoot": 37}


def test_latest():
    assert latest_finish(FILM) == {"script": 10, "cast": 17, "sets": 17, "shoot": 37}


def test_critical():
    assert critical(FILM) == ["script", "sets", "shoot"]


def test_single():
    assert critical({"pitch": (3, [])}) == ["pitch"]


def test_nothing():
    assert earliest_finish({}) == {}
    assert latest_finish({}) == {}
""",
        hidden="""def test_chain():
    tasks = {"a": (1, []), "b": (2, ["a"]), "c": (3, ["b"])}
    assert latest_finish(tasks) == {"a": 1, "b": 3, "c": 6}
    assert critical(tasks) == ["a", "b", "c"]


def test_two_ends():
    tasks = {"a": (5, []), "b": (1, ["a"]), "c": (4, ["a"])}
    assert latest_finish(tasks) == {"a": 5, "b": 9, "c": 9}


def test_independent():
    tasks = {"long": (9, []), "short": (2, [])}
    assert critical(tasks) == ["long"]


def test_slack_through_chain():
    tasks = {"p": (1, []), "q": (1, ["p"]), "r": (10, []), "s": (2, ["q", "r"])}
    assert latest_finish(tasks) == {"p": 9, "q": 10, "r": 10, "s": 12}
    assert critical(tasks) == ["r", "s"]


def test_order_of_definition_is_free():
    tasks = {"z": (2, ["y"]), "y": (2, ["x"]), "x": (2, [])}
    assert earliest_finish(tasks) == {"x": 2, "y": 4, "z": 6}
    assert critical(tasks) == ["x", "y", "z"]
""",
    ),
    Program(
        name="t31_login_guard",
        code='''"""Lock accounts after too many failed logins in a short time."""

from collections import deque


class LoginGuard:
    """Locks a user for `lock` seconds after `limit` failures in `window` seconds."""

    def __init__(self, limit=3, window=60, lock=300):
        self._limit = limit
        self._window = window
        self._lock = lock
        self._failures = {}
        self._locked_until = {}

    def is_locked(self, user, now):
        """Whether the user may not log in at the moment."""
        return now < self._locked_until.get(user, 0)

    def failed(self, user, now):
        """Note a failed login; return whether the user is locked now."""
        if self.is_locked(user, now):
            return True
        recent = self._failures.get(user, deque())
        recent.append(now)
        while recent[0] <= now - self._window:
            recent.popleft()
        if len(recent) >= self._limit:
            self._locked_until[user] = now + self._lock
            recent.clear()
            return True
        return False

    def succeeded(self, user, now):
        """Note a login; it is refused (False) while the user is locked."""
        if self.is_locked(user, now):
            return False
        self._failures.pop(user, None)
        return True
''',
        wrong="self._failures.get(user, deque())",
        right="self._failures.setdefault(user, deque())",
        visible="""def test_not_locked_at_first():
    guard = LoginGuard()
    assert not guard.is_locked("kim", 0)
    assert not guard.failed("kim", 1)


def test_locks_at_limit():
    guard = LoginGuard(limit=2)
    guard.failed("kim", 10)
    assert guard.failed("kim", 11)
    assert guard.is_locked("kim", 12)


def test_lock_lasts():
    guard = LoginGuard(limit=1, window=10, lock=100)
    guard.failed("kim", 0)
    assert guard.is_locked("kim", 99)
    assert not guard.is_locked("kim", 100)


def test_old_failures_do_not_count():
    guard = LoginGuard(limit=2, window=10)
    guard.failed("kim", 0)
    assert not guard.failed("kim", 10)


def test_success_resets():
    guard = LoginGuard(limit=2)
    guard.failed("kim", 0)
    assert guard.succeeded("kim", 1)
    assert not guard.failed("kim", 2)
""",
        hidden="""def test_short_lock():
    guard = LoginGuard(limit=1, window=50, lock=5)
    assert guard.failed("u", 10)
    assert guard.is_locked("u", 14)
    assert guard.succeeded("u", 15)


def test_default_lock():
    guard = LoginGuard()
    for now in (0, 1, 2):
        guard.failed("u", now)
    assert guard.is_locked("u", 301)
    assert not guard.is_locked("u", 302)


def test_refused_while_locked():
    guard = LoginGuard(limit=1, window=1, lock=30)
    guard.failed("u", 0)
    assert not guard.succeeded("u", 20)
    assert guard.failed("u", 29)
    assert guard.succeeded("u", 30)


def test_users_are_separate():
    guard = LoginGuard(limit=1)
    guard.failed("u", 0)
    assert not guard.is_locked("v", 0)


def test_fresh_count_after_lock():
    guard = LoginGuard(limit=2, window=100, lock=20)
    guard.failed("u", 0)
    guard.failed("u", 1)
    assert not guard.failed("u", 21)
    assert guard.failed("u", 22)


def test_sliding_window():
    guard = LoginGuard(limit=3, window=10)
    assert [guard.failed("u", now) for now in (0, 6, 12, 15)] == [False, False, False, True]
""",
    ),
    Program(
        name="t31_proxy_auction",
        code='''"""An auction in which bidders name their limit in secret."""


class Auction:
    """The price is only as high as is needed to beat the second best limit."""

    def __init__(self, start_price, step=1):
        self._start_price = start_price
        self._step = step
        self._limits = {}
        self.closed = False

    def bid(self, bidder, limit):
        """Set or raise the limit of a bidder; return whether it counts."""
        if self.closed:
            raise RuntimeError("auction is over")
        if limit < self._start_price or limit <= self._limits.get(bidder, -1):
            return False
        self._limits.pop(bidder, None)
        self._limits[bidder] = limit
        return True

    @property
    def leader(self):
        """The bidder with the highest limit; among equals the earlier one."""
        return max(self._limits, key=self._limits.get, default=None)

    @property
    def price(self):
        """What the leader would pay at the moment."""
        others = [n for who, n in self._limits.items() if who != self.leader]
        if not others:
            return self._start_price
        return max(self._limits[self.leader], max(others) + self._step)

    def close(self):
        """End the auction; return (bidder, price) or None without bids."""
        self.closed = True
        return (self.leader, self.price) if self._limits else None
''',
        wrong="return max(self._limits[self.leader], max(others) + self._step)",
        right="return min(self._limits[self.leader], max(others) + self._step)",
        visible="""def test_single_bidder_pays_start():
    auction = Auction(10)
    assert auction.bid("ada", 50)
    assert (auction.leader, auction.price) == ("ada", 10)


def test_two_bidders():
    auction = Auction(10)
    auction.bid("ada", 50)
    auction.bid("ben", 30)
    assert (auction.leader, auction.price) == ("ada", 31)


def test_too_low():
    auction = Auction(10)
    assert not auction.bid("ada", 9)
    assert auction.close() is None


def test_over():
    auction = Auction(10)
    auction.bid("ada", 12)
    assert auction.close() == ("ada", 10)
    with pytest.raises(RuntimeError):
        auction.bid("ben", 99)


def test_equal_limits():
    auction = Auction(10)
    auction.bid("ada", 20)
    auction.bid("ben", 20)
    assert (auction.leader, auction.price) == ("ada", 20)
""",
        hidden="""def test_large_step():
    auction = Auction(100, step=25)
    auction.bid("a", 200)
    auction.bid("b", 150)
    assert auction.price == 175


def test_step_limited_by_limit():
    auction = Auction(100, step=25)
    auction.bid("a", 160)
    auction.bid("b", 150)
    assert auction.price == 160


def test_three_bidders():
    auction = Auction(1)
    for bidder, limit in (("a", 5), ("b", 40), ("c", 17)):
        auction.bid(bidder, limit)
    assert auction.close() == ("b", 18)


def test_raise_needed():
    auction = Auction(1)
    auction.bid("a", 10)
    assert not auction.bid("a", 10)
    assert auction.bid("a", 11)
    assert auction.price == 1


def test_raising_takes_the_lead():
    auction = Auction(1)
    auction.bid("a", 10)
    auction.bid("b", 12)
    auction.bid("a", 30)
    assert (auction.leader, auction.price) == ("a", 13)


def test_no_bids():
    auction = Auction(3)
    assert auction.leader is None
    assert auction.price == 3
""",
    ),
    Program(
        name="t31_glob_match",
        code='''"""Match file names against patterns with *, ? and [abc]."""


def matches(pattern, name):
    """Whether the whole name matches the pattern.

    '*' stands for any text, '?' for one character, '[abc]' for one of the
    characters and '[!abc]' for any other one.
    """
    if not pattern:
        return not name
    head = pattern[0]
    if head == "*":
        return matches(pattern[1:], name) or bool(name) and matches(pattern[1:], name[1:])
    if not name:
        return False
    if head == "[" and "]" in pattern:
        end = pattern.index("]")
        choice = pattern[1:end]
        if choice.startswith("!"):
            fits = name[0] not in choice[1:]
        else:
            fits = name[0] in choice
        return fits and matches(pattern[end + 1:], name[1:])
    return head in ("?", name[0]) and matches(pattern[1:], name[1:])


def select(patterns, names):
    """Names that match a pattern; patterns with a leading '-' exclude."""
    chosen = []
    for name in names:
        wanted = False
        for pattern in patterns:
            if pattern.startswith("-"):
                wanted = wanted and not matches(pattern[1:], name)
            else:
                wanted = wanted or matches(pattern, name)
        if wanted:
            chosen.append(name)
    return chosen
''',
        wrong="bool(name) and matches(pattern[1:], name[1:])",
        right="bool(name) and matches(pattern, name[1:])",
        visible="""def test_plain():
    assert matches("notes.txt", "notes.txt")
    assert not matches("notes.txt", "notes.tx")


def test_question_mark():
    assert matches("?at", "cat")
    assert not matches("?at", "at")


def test_star():
    assert matches("*.py", "main.py")
    assert not matches("*.py", "main.pyc")


def test_choice():
    assert matches("v[123]", "v2")
    assert not matches("v[!123]", "v2")


def test_select():
    assert select(["*", "-a?"], ["ab", "b", "abc"]) == ["b", "abc"]


def test_empty():
    assert matches("", "")
    assert not matches("", "x")
""",
        hidden="""def test_star_alone():
    assert matches("*", "")
    assert matches("*", "anything at all")


def test_two_stars():
    assert matches("*ab*", "xxabyy")
    assert not matches("*ab*", "xxbayy")


def test_star_at_end():
    assert matches("log*", "log")
    assert matches("log*", "logbook")


def test_star_and_choice():
    assert matches("*[0123456789].txt", "chapter9.txt")
    assert not matches("*[!0].txt", "chapter0.txt")


def test_select_many():
    names = ["main.c", "util.c", "util.h", "test_util.c"]
    assert select(["*.c", "-test*"], names) == ["main.c", "util.c"]


def test_open_bracket():
    assert matches("a[b", "a[b")
    assert not matches("a[b", "ab")
""",
    ),
    Program(
        name="t31_release_versions",
        code='''"""Compare release numbers such as 1.10.0-rc2."""

import re
from functools import total_ordering

_FORM = re.compile(r"v?(\\d+(?:\\.\\d+)*)(?:-([a-z]+)(\\d*))?$")
_STAGES = {"alpha": 0, "beta": 1, "rc": 2}
_FINAL = 9


@total_ordering
class Release:
    """A release; trailing zeros do not matter, pre-releases come first."""

    def __init__(self, text):
        match = _FORM.match(text.strip())
        if not match or match[2] and match[2] not in _STAGES:
            raise ValueError(f"no release number: {text!r}")
        numbers = match[1].split(".")
        while len(numbers) > 1 and int(numbers[-1]) == 0:
            numbers.pop()
        stage = _STAGES[match[2]] if match[2] else _FINAL
        self.key = (tuple(numbers), stage, int(match[3] or 0))

    def __eq__(self, other):
        return self.key == other.key

    def __lt__(self, other):
        return self.key < other.key

    def __hash__(self):
        return hash(self.key)

    @property
    def is_final(self):
        return self.key[1] == _FINAL


def newest(texts, finals_only=True):
    """The text of the newest release, or None."""
    candidates = [t for t in texts if Release(t).is_final or not finals_only]
    return max(candidates, key=Release, default=None)
''',
        wrong="self.key = (tuple(numbers), stage, int(match[3] or 0))",
        right="self.key = (tuple(map(int, numbers)), stage, int(match[3] or 0))",
        visible="""def test_order():
    assert Release("1.2") < Release("1.3")
    assert Release("1.9") < Release("1.10")


def test_trailing_zero():
    assert Release("2.0.0") == Release("v2")


def test_pre_release():
    assert Release("1.0-beta1") < Release("1.0-rc1") < Release("1.0")


def test_newest_final():
    assert newest(["0.1", "0.2-rc1"]) == "0.1"
    assert newest(["0.1", "0.2-rc1"], finals_only=False) == "0.2-rc1"


def test_bad():
    for text in ("", "one", "1.0-gamma"):
        with pytest.raises(ValueError):
            Release(text)
""",
        hidden="""def test_major():
    assert Release("9.9") < Release("10.0")


def test_sorting():
    texts = ["1.10", "1.2", "1.2.11", "1.2.3", "12.0"]
    assert sorted(texts, key=Release) == ["1.2", "1.2.3", "1.2.11", "1.10", "12.0"]


def test_leading_zero():
    assert Release("1.07") == Release("1.7")
    assert len({Release("2024.01"), Release("2024.1.0")}) == 1


def test_numbered_candidates():
    assert Release("3.0-rc2") < Release("3.0-rc10")


def test_newest_none():
    assert newest([]) is None
    assert newest(["1.0-alpha"]) is None


def test_newest():
    assert newest(["3.8", "3.12", "3.9"]) == "3.12"
""",
    ),
)
