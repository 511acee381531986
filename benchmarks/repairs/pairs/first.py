"""Functions and classes with one slip each: (name, code, wrong, right).

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from typing import Final

__all__ = ["PAIRS"]

PAIRS: Final = [
    (
        "merge_intervals",
        r'''def merge_intervals(intervals):
    """Merge overlapping or touching (start, end) intervals.

    The input may be in any order; the result is sorted and disjoint.
    """
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            last_start, last_end = merged[-1]
            merged[-1] = (last_start, end)
        else:
            merged.append((start, end))
    return merged
''',
        "merged[-1] = (last_start, end)",
        "merged[-1] = (last_start, max(last_end, end))",
    ),
    (
        "lru_cache_get",
        r'''from collections import OrderedDict


class LRUCache:
    """A mapping of limited size that evicts the least recently used key."""

    def __init__(self, maxsize=128):
        self.maxsize = maxsize
        self._data = OrderedDict()

    def get(self, key, default=None):
        """Return the value for key and mark the key as recently used."""
        if key not in self._data:
            return default
        return self._data[key]

    def put(self, key, value):
        """Store a value, dropping the least recently used one if full."""
        self._data[key] = value
        self._data.move_to_end(key)
        while len(self._data) > self.maxsize:
            self._data.popitem(last=False)

    def __len__(self):
        return len(self._data)
''',
        "        return self._data[key]\n",
        "        self._data.move_to_end(key)\n        return self._data[key]\n",
    ),
    (
        "parse_cookie_header",
        r'''from urllib.parse import unquote


def parse_cookies(header):
    """Parse a Cookie request header into a dict.

    Pieces without a '=' are ignored. Values may themselves contain '='.
    """
    cookies = {}
    for chunk in header.split(";"):
        chunk = chunk.strip()
        if "=" not in chunk:
            continue
        name, _, value = chunk.rpartition("=")
        name = name.strip()
        value = value.strip()
        if name:
            cookies[name] = unquote(value)
    return cookies
''',
        'chunk.rpartition("=")',
        'chunk.partition("=")',
    ),
    (
        "retry_backoff",
        r'''import time


def retry(func, attempts=3, delay=0.1, factor=2, exceptions=(Exception,), sleep=time.sleep):
    """Call func until it succeeds, at most `attempts` times.

    The pause between two attempts starts at `delay` seconds and grows by
    `factor`. The exception of the last attempt is passed on to the caller.
    """
    pause = delay
    for attempt in range(1, attempts + 1):
        try:
            return func()
        except exceptions:
            if attempt == attempts:
                raise
            sleep(pause)
            pause = delay * factor
''',
        "pause = delay * factor",
        "pause *= factor",
    ),
    (
        "topological_sort",
        r'''from collections import deque


def topological_sort(graph):
    """Return the nodes of a graph so that each comes before its successors.

    `graph` maps a node to the list of its successors; a node that occurs only
    as a successor need not be a key. Raises ValueError if there is a cycle.
    """
    indegree = {node: 0 for node in graph}
    for successors in graph.values():
        for succ in successors:
            indegree[succ] = indegree.get(succ, 0) + 1
    ready = deque(node for node, degree in indegree.items() if degree == 0)
    order = []
    while ready:
        node = ready.popleft()
        order.append(node)
        for succ in graph.get(node, ()):
            indegree[succ] -= 1
            if indegree[succ] == 0:
                ready.append(succ)
    if len(order) != len(graph):
        raise ValueError("graph contains a cycle")
    return order
''',
        "len(order) != len(graph)",
        "len(order) != len(indegree)",
    ),
    (
        "config_merge",
        r'''def deep_merge(base, override):
    """Return a new dict: `base` updated recursively with `override`.

    Where both sides hold a dict the two are merged, otherwise the value of
    `override` wins. Neither argument is changed.
    """
    result = dict(base)
    for key, value in override.items():
        current = result.get(key)
        if isinstance(current, dict) and isinstance(value, dict):
            current.update(deep_merge(current, value))
        else:
            result[key] = value
    return result
''',
        "current.update(deep_merge(current, value))",
        "result[key] = deep_merge(current, value)",
    ),
    (
        "format_duration",
        r'''def format_duration(seconds):
    """Format a number of seconds as H:MM:SS, or M:SS when below one hour.

    A negative duration gets a leading minus sign.
    """
    sign = "-" if seconds < 0 else ""
    total = abs(int(seconds))
    hours, rest = divmod(total, 3600)
    minutes, secs = divmod(rest, 60)
    if hours:
        return f"{sign}{hours}:{minutes}:{secs:02d}"
    return f"{sign}{minutes}:{secs:02d}"
''',
        "{hours}:{minutes}:{secs:02d}",
        "{hours}:{minutes:02d}:{secs:02d}",
    ),
    (
        "trie_prefix",
        r'''class Trie:
    """A set of words that can be asked for all words with a given prefix."""

    def __init__(self, words=()):
        self.children = {}
        self.is_word = False
        for word in words:
            self.add(word)

    def add(self, word):
        node = self
        for char in word:
            node = node.children.setdefault(char, Trie())
        node.is_word = True

    def with_prefix(self, prefix):
        """Return the sorted list of the words that start with prefix."""
        node = self
        for char in prefix:
            if char not in node.children:
                return []
            node = node.children[char]
        found = []
        stack = [(node, prefix)]
        while stack:
            node, text = stack.pop()
            if node.is_word:
                found.append(text)
            for char, child in node.children.items():
                stack.append((child, prefix + char))
        return sorted(found)
''',
        "stack.append((child, prefix + char))",
        "stack.append((child, text + char))",
    ),
    (
        "static_file_etag",
        r'''import os
from email.utils import formatdate, parsedate_to_datetime


def not_modified(path, headers):
    """Tell whether a 304 can be answered for a static file.

    An If-None-Match header takes precedence over If-Modified-Since. The etag
    is built from the time of modification and the size of the file.
    """
    stat = os.stat(path)
    etag = f'"{int(stat.st_mtime):x}-{stat.st_size:x}"'
    candidates = headers.get("If-None-Match")
    if candidates is not None:
        if candidates.strip() == "*":
            return True
        return etag in [tag.strip() for tag in candidates.split(",")]
    since = headers.get("If-Modified-Since")
    if since is None:
        return False
    try:
        since_time = parsedate_to_datetime(since).timestamp()
    except (TypeError, ValueError):
        return False
    return stat.st_mtime <= since_time
''',
        "return stat.st_mtime <= since_time",
        "return int(stat.st_mtime) <= since_time",
    ),
    (
        "rolling_mean",
        r'''from collections import deque


def rolling_mean(values, window):
    """Yield the mean of each run of `window` successive values.

    Nothing is yielded before the first window is complete.
    """
    if window < 1:
        raise ValueError("window must be positive")
    buffer = deque()
    total = 0
    for value in values:
        buffer.append(value)
        total += value
        if len(buffer) > window:
            total -= buffer.pop()
        if len(buffer) == window:
            yield total / window
''',
        "buffer.pop()",
        "buffer.popleft()",
    ),
    (
        "cli_confirm",
        r'''def confirm(question, default=None, input=input):
    """Ask a yes/no question on the terminal and return True or False.

    An empty answer selects `default` if one is given; the question is asked
    again on any other answer that is neither yes nor no.
    """
    if default is None:
        suffix = " [y/n]: "
    elif default:
        suffix = " [Y/n]: "
    else:
        suffix = " [y/N]: "
    while True:
        answer = input(question + suffix).strip().lower()
        if answer in ("y", "yes"):
            return True
        if answer in ("n", "no"):
            return False
        if answer == "" and default:
            return default
''',
        'answer == "" and default:',
        'answer == "" and default is not None:',
    ),
    (
        "matrix_rotate_layers",
        r'''def rotate(matrix):
    """Rotate a square matrix in place by 90 degrees clockwise."""
    n = len(matrix)
    for layer in range(n // 2):
        first = layer
        last = n - 1 - layer
        for i in range(first, last):
            offset = i - first
            top = matrix[first][i]
            matrix[first][i] = matrix[last - offset][first]
            matrix[last - offset][first] = matrix[last][last - offset]
            matrix[last][last - offset] = matrix[i][last]
            matrix[i][first] = top
    return matrix
''',
        "matrix[i][first] = top",
        "matrix[i][last] = top",
    ),
    (
        "csv_sniff_row",
        r'''def split_csv_line(line, sep=",", quote='"'):
    """Split one line of CSV text into its fields.

    A field may be enclosed in quotes; inside of it the separator has no
    meaning and a doubled quote stands for one quote.
    """
    fields = []
    current = []
    quoted = False
    i = 0
    while i < len(line):
        char = line[i]
        if quoted:
            if char == quote and line[i + 1:i + 2] == quote:
                current.append(quote)
            elif char == quote:
                quoted = False
            else:
                current.append(char)
        elif char == quote:
            quoted = True
        elif char == sep:
            fields.append("".join(current))
            current = []
        else:
            current.append(char)
        i += 1
    fields.append("".join(current))
    return fields
''',
        "                current.append(quote)\n",
        "                current.append(quote)\n                i += 1\n",
    ),
    (
        "job_scheduler_next_run",
        r'''from datetime import datetime, timedelta


def next_daily_run(now, hour, minute=0):
    """Return the next moment strictly after `now` at hour:minute.

    `now` is a datetime; the result is on the same day if the time of day
    has not yet come, otherwise on the following day.
    """
    if not (0 <= hour < 24 and 0 <= minute < 60):
        raise ValueError("invalid time of day")
    candidate = now.replace(hour=hour, minute=minute)
    if candidate <= now:
        candidate += timedelta(days=1)
    return candidate
''',
        "now.replace(hour=hour, minute=minute)",
        "now.replace(hour=hour, minute=minute, second=0, microsecond=0)",
    ),
    (
        "dijkstra",
        r'''import heapq


def shortest_path(graph, source, target):
    """Return (length, path) of a shortest path, or None if there is none.

    `graph` maps each node to a dict {neighbour: weight}, weights >= 0.
    """
    heap = [(0, source)]
    dist = {source: 0}
    prev = {}
    while heap:
        d, node = heapq.heappop(heap)
        if node == target:
            path = [node]
            while node != source:
                node = prev[node]
                path.append(node)
            return d, path[::-1]
        if d > dist[node]:
            continue
        for neighbour, weight in graph.get(node, {}).items():
            candidate = d + weight
            if neighbour not in dist or candidate < dist[neighbour]:
                prev[neighbour] = node
                heapq.heappush(heap, (candidate, neighbour))
    return None
''',
        "                prev[neighbour] = node\n",
        "                dist[neighbour] = candidate\n                prev[neighbour] = node\n",
    ),
    (
        "url_join_params",
        r'''from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit


def add_query_params(url, params):
    """Return the url with the given query parameters added.

    Parameters that the url already has are kept unless `params` has the same
    name; a value of None removes the parameter.
    """
    parts = urlsplit(url)
    query = [(key, value) for key, value in parse_qsl(parts.query) if key not in params]
    for key, value in params.items():
        if value is not None:
            query.append((key, value))
    return urlunsplit((parts.scheme, parts.netloc, parts.path, urlencode(query), parts.fragment))
''',
        "parse_qsl(parts.query)",
        "parse_qsl(parts.query, keep_blank_values=True)",
    ),
    (
        "tic_tac_toe_winner",
        r'''def winner(board):
    """Return 'X' or 'O' for the player with a full line, 'draw' or None.

    `board` is a list of three rows of three cells, each 'X', 'O' or None.
    None means that the game is not over.
    """
    lines = [list(row) for row in board]
    lines += [[board[r][c] for r in range(3)] for c in range(3)]
    lines.append([board[i][i] for i in range(3)])
    lines.append([board[i][2 - i] for i in range(3)])
    for a, b, c in lines:
        if a == b == c:
            return a
    if all(cell is not None for row in board for cell in row):
        return "draw"
    return None
''',
        "if a == b == c:",
        "if a is not None and a == b == c:",
    ),
    (
        "paginate",
        r'''class Page:
    """One page of a sequence of items, numbered from 1."""

    def __init__(self, items, number, per_page=10):
        self.total = len(items)
        self.per_page = per_page
        self.pages = max(1, -(-self.total // per_page))
        self.number = min(max(number, 1), self.pages)
        start = (self.number - 1) * per_page
        self.items = items[start:start + per_page]

    @property
    def has_next(self):
        return self.number < self.pages

    @property
    def has_previous(self):
        return self.number > 1

    @property
    def next_number(self):
        """Number of the following page, or None on the last one."""
        return self.number + 1 if self.has_next else None

    @property
    def previous_number(self):
        """Number of the page before, or None on the first one."""
        return self.number - 1 if self.has_next else None
''',
        "self.number - 1 if self.has_next",
        "self.number - 1 if self.has_previous",
    ),
    (
        "roman_numerals",
        r'''VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def from_roman(text):
    """Return the value of a roman numeral such as 'XIV' (in any case).

    Raises ValueError for a character that is no roman digit.
    """
    total = 0
    previous = 0
    for char in reversed(text.upper()):
        if char not in VALUES:
            raise ValueError(f"not a roman digit: {char!r}")
        value = VALUES[char]
        if value < previous:
            total -= value
        else:
            total += value
            previous = total
    return total
''',
        "previous = total",
        "previous = value",
    ),
    (
        "event_emitter_once",
        r'''class EventEmitter:
    """Calls the registered listeners of an event."""

    def __init__(self):
        self._listeners = {}

    def on(self, event, listener):
        self._listeners.setdefault(event, []).append(listener)

    def off(self, event, listener):
        """Remove a listener; it is no error if it is not registered."""
        listeners = self._listeners.get(event, [])
        if listener in listeners:
            listeners.remove(listener)

    def once(self, event, listener):
        """Register a listener that is called for the next event only."""
        def wrapper(*args, **kwargs):
            self.off(event, wrapper)
            return listener(*args, **kwargs)
        self.on(event, wrapper)

    def emit(self, event, *args, **kwargs):
        """Call every listener that is registered when emit starts."""
        for listener in self._listeners.get(event, []):
            listener(*args, **kwargs)
''',
        "for listener in self._listeners.get(event, []):",
        "for listener in list(self._listeners.get(event, [])):",
    ),
    (
        "bmp_row_padding",
        r'''import struct


def encode_bmp(pixels):
    """Encode rows of (r, g, b) tuples as a 24-bit BMP image.

    Rows are stored bottom-up, and each is padded to a multiple of 4 bytes.
    """
    height = len(pixels)
    width = len(pixels[0])
    padding = width * 3 % 4
    body = bytearray()
    for row in reversed(pixels):
        for r, g, b in row:
            body += bytes((b, g, r))
        body += b"\0" * padding
    header = struct.pack("<2sIHHI", b"BM", 54 + len(body), 0, 0, 54)
    info = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(body), 2835, 2835, 0, 0)
    return header + info + bytes(body)
''',
        "padding = width * 3 % 4",
        "padding = -width * 3 % 4",
    ),
    (
        "env_bool",
        r'''import os

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}


def env_bool(name, default=False, environ=os.environ):
    """Read a boolean environment variable.

    The spelling of the value is not case-sensitive. Raises ValueError when
    the variable is set to something that is not recognised.
    """
    if name not in environ:
        return default
    value = environ[name].strip()
    if value.lower() in TRUE:
        return True
    if value in FALSE:
        return False
    raise ValueError(f"{name} must be a boolean, not {value!r}")
''',
        "if value in FALSE:",
        "if value.lower() in FALSE:",
    ),
    (
        "gcd_fraction",
        r'''from math import gcd


class Fraction:
    """A reduced fraction with a positive denominator."""

    def __init__(self, num, den=1):
        if den == 0:
            raise ZeroDivisionError("denominator is zero")
        factor = gcd(num, den)
        if den < 0:
            factor = -factor
        self.num = num // factor
        self.den = den // factor

    def __add__(self, other):
        return Fraction(self.num * other.den + other.num * self.den, self.den * other.den)

    def __truediv__(self, other):
        return Fraction(self.num * other.den, self.den * other.num)

    def __eq__(self, other):
        return self.num == other.num and self.den == other.den

    def __lt__(self, other):
        return self.num * other.den < self.den * other.den

    def __repr__(self):
        return f"Fraction({self.num}, {self.den})"
''',
        "self.num * other.den < self.den * other.den",
        "self.num * other.den < other.num * self.den",
    ),
    (
        "log_tail",
        r'''import os


def tail(path, count=10, block_size=4096):
    """Return the last `count` lines of a file as a list of strings.

    The file is read backwards in blocks, so that large files are cheap.
    """
    if count <= 0:
        return []
    with open(path, "rb") as f:
        f.seek(0, os.SEEK_END)
        position = f.tell()
        data = b""
        while position > 0 and data.count(b"\n") <= count:
            step = min(block_size, position)
            position -= step
            f.seek(position)
            data += f.read(step)
    lines = data.decode("utf-8", "replace").splitlines()
    return lines[-count:]
''',
        "data += f.read(step)",
        "data = f.read(step) + data",
    ),
    (
        "bank_transfer",
        r'''class InsufficientFunds(Exception):
    pass


class Account:
    """A bank account that keeps a history of its bookings."""

    def __init__(self, owner, balance=0, overdraft=0):
        self.owner = owner
        self.balance = balance
        self.overdraft = overdraft
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        """Take money out; the balance may go down to minus the overdraft."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        if self.balance - amount < self.overdraft:
            raise InsufficientFunds(self.owner)
        self.balance -= amount
        self.history.append(("withdraw", amount))
''',
        "self.balance - amount < self.overdraft",
        "self.balance - amount < -self.overdraft",
    ),
    (
        "union_find",
        r'''class UnionFind:
    """Disjoint sets over the numbers 0..n-1, with union by size."""

    def __init__(self, n):
        self.parent = list(range(n))
        self.size = [1] * n
        self.count = n

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        """Join the sets of a and b; return False if they were joined before.

        `count` is always the number of disjoint sets.
        """
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += 1
        self.count -= 1
        return True
''',
        "self.size[a] += 1",
        "self.size[a] += self.size[b]",
    ),
    (
        "template_render",
        r'''import html
import re

VARIABLE = re.compile(r"\{\{\s*([\w.]+)\s*(\|\s*safe\s*)?\}\}")


def render(template, context):
    """Replace {{ name }} in a template by values of the context.

    A dotted name is looked up step by step in nested dicts; a missing value
    gives an empty string. Values are escaped for HTML unless the variable is
    marked with `| safe`.
    """
    def replace(match):
        value = context
        for part in match.group(1).split("."):
            if not isinstance(value, dict) or part not in value:
                return ""
            value = value[part]
        text = str(value)
        if match.group(2):
            return html.escape(text)
        return text

    return VARIABLE.sub(replace, template)
''',
        "if match.group(2):",
        "if not match.group(2):",
    ),
    (
        "bisect_last",
        r'''def find_last(items, value):
    """Return the last index of value in a sorted list, or -1.

    Runs in logarithmic time.
    """
    low, high = 0, len(items) - 1
    found = -1
    while low <= high:
        mid = (low + high) // 2
        if items[mid] < value:
            low = mid + 1
        elif items[mid] > value:
            high = mid - 1
        else:
            found = mid
            high = mid - 1
    return found
''',
        "found = mid\n            high = mid - 1",
        "found = mid\n            low = mid + 1",
    ),
    (
        "bst_delete",
        r'''class Node:
    def __init__(self, key, left=None, right=None):
        self.key = key
        self.left = left
        self.right = right


def delete(root, key):
    """Remove key from a binary search tree and return the new root."""
    if root is None:
        return None
    if key < root.key:
        root.left = delete(root.left, key)
    elif key > root.key:
        root.right = delete(root.right, key)
    else:
        if root.left is None:
            return root.right
        if root.right is None:
            return root.left
        successor = root.right
        while successor.left is not None:
            successor = successor.left
        root.key = successor.key
        root.right = delete(root.right, key)
    return root
''',
        "root.key = successor.key\n        root.right = delete(root.right, key)",
        "root.key = successor.key\n        root.right = delete(root.right, successor.key)",
    ),
    (
        "json_pointer",
        r'''def resolve_pointer(document, pointer):
    """Resolve an RFC 6901 JSON pointer such as '/a/0/b~1c'.

    The empty pointer is the whole document. In the parts of a pointer '~1'
    stands for '/' and '~0' for '~'. Raises LookupError if nothing is there.
    """
    if pointer == "":
        return document
    if not pointer.startswith("/"):
        raise ValueError("a pointer must start with '/'")
    current = document
    for part in pointer[1:].split("/"):
        part = part.replace("~0", "~").replace("~1", "/")
        if isinstance(current, list):
            current = current[int(part)]
        elif isinstance(current, dict):
            current = current[part]
        else:
            raise LookupError(pointer)
    return current
''',
        'part.replace("~0", "~").replace("~1", "/")',
        'part.replace("~1", "/").replace("~0", "~")',
    ),
    (
        "headers_dict",
        r'''from collections.abc import MutableMapping


class Headers(MutableMapping):
    """HTTP headers: names are case-insensitive, their spelling is kept."""

    def __init__(self, items=()):
        self._store = {}
        for name, value in dict(items).items():
            self[name] = value

    def __setitem__(self, name, value):
        self._store[name.lower()] = (name, value)

    def __getitem__(self, name):
        return self._store[name.lower()][1]

    def __delitem__(self, name):
        del self._store[name]

    def __iter__(self):
        return (name for name, _ in self._store.values())

    def __len__(self):
        return len(self._store)
''',
        "del self._store[name]",
        "del self._store[name.lower()]",
    ),
    (
        "levenshtein",
        r'''def edit_distance(a, b):
    """Return the Levenshtein distance of two strings."""
    if len(a) < len(b):
        a, b = b, a
    previous = list(range(len(b) + 1))
    for i, char_a in enumerate(a, 1):
        current = [0]
        for j, char_b in enumerate(b, 1):
            current.append(min(
                previous[j] + 1,
                current[j - 1] + 1,
                previous[j - 1] + (char_a != char_b),
            ))
        previous = current
    return previous[-1]
''',
        "current = [0]",
        "current = [i]",
    ),
    (
        "token_bucket",
        r'''import time


class TokenBucket:
    """Limits the rate of events to `rate` per second with bursts of `capacity`."""

    def __init__(self, rate, capacity, clock=time.monotonic):
        self.rate = rate
        self.capacity = capacity
        self.clock = clock
        self.tokens = capacity
        self.updated = clock()

    def _refill(self):
        now = self.clock()
        gained = (now - self.updated) * self.rate
        self.tokens = min(self.capacity, self.tokens + gained)

    def acquire(self, amount=1):
        """Take tokens if there are enough; return whether it worked."""
        self._refill()
        if self.tokens < amount:
            return False
        self.tokens -= amount
        return True
''',
        "        self.tokens = min(self.capacity, self.tokens + gained)\n",
        "        self.tokens = min(self.capacity, self.tokens + gained)\n        self.updated = now\n",
    ),
    (
        "game_of_life",
        r'''def step(alive):
    """Return the next generation of Conway's Game of Life.

    `alive` is a set of (x, y) cells on an unbounded board.
    """
    counts = {}
    for x, y in alive:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx != 0 and dy != 0:
                    cell = (x + dx, y + dy)
                    counts[cell] = counts.get(cell, 0) + 1
    return {
        cell
        for cell, count in counts.items()
        if count == 3 or (count == 2 and cell in alive)
    }
''',
        "if dx != 0 and dy != 0:",
        "if dx != 0 or dy != 0:",
    ),
    (
        "word_wrap",
        r'''def wrap(text, width):
    """Break text into lines of at most `width` characters.

    Words are separated by single spaces. A word longer than the width stands
    alone on a line of its own.
    """
    lines = []
    current = []
    length = 0
    for word in text.split():
        if current and length + len(word) > width:
            lines.append(" ".join(current))
            current = []
            length = 0
        current.append(word)
        length += len(word) + 1
    lines.append(" ".join(current))
    return lines
''',
        '    lines.append(" ".join(current))\n    return lines',
        '    if current:\n        lines.append(" ".join(current))\n    return lines',
    ),
    (
        "option_parser",
        r'''def parse_args(argv, flags=()):
    """Split a command line into (options, positionals).

    '--name=value' and '--name value' set an option; the names in `flags` take
    no value and are set to True. Everything after '--' is positional.
    """
    options = {}
    positionals = []
    args = list(argv)
    while args:
        arg = args.pop(0)
        if arg == "--":
            break
        if not arg.startswith("--"):
            positionals.append(arg)
            continue
        name, eq, value = arg[2:].partition("=")
        if eq:
            options[name] = value
        elif name in flags:
            options[name] = True
        elif args:
            options[name] = args.pop(0)
        else:
            raise SystemExit(f"option --{name} needs a value")
    return options, positionals
''',
        '        if arg == "--":\n            break',
        '        if arg == "--":\n            positionals.extend(args)\n            break',
    ),
    (
        "orm_save",
        r'''class Model:
    """A row of a table; subclasses set `table` and `columns`."""

    table = None
    columns = ()

    def __init__(self, **values):
        self.id = values.pop("id", None)
        for column in self.columns:
            setattr(self, column, values.get(column))

    def save(self, connection):
        """Insert the row if it is new, otherwise update it."""
        values = [getattr(self, column) for column in self.columns]
        if self.id is None:
            marks = ", ".join("?" for _ in self.columns)
            names = ", ".join(self.columns)
            connection.execute(
                f"INSERT INTO {self.table} ({names}) VALUES ({marks})", values)
        else:
            assignments = ", ".join(f"{column} = ?" for column in self.columns)
            connection.execute(
                f"UPDATE {self.table} SET {assignments} WHERE id = ?", values + [self.id])
        connection.commit()
        return self
''',
        """            connection.execute(
                f"INSERT INTO {self.table} ({names}) VALUES ({marks})", values)
""",
        """            cursor = connection.execute(
                f"INSERT INTO {self.table} ({names}) VALUES ({marks})", values)
            self.id = cursor.lastrowid
""",
    ),
    (
        "quickselect",
        r'''import random


def kth_smallest(items, k):
    """Return the k-th smallest item, counting from 0."""
    if not 0 <= k < len(items):
        raise IndexError("k is out of range")
    items = list(items)
    while True:
        pivot = random.choice(items)
        below = [item for item in items if item < pivot]
        equal = [item for item in items if item == pivot]
        if k < len(below):
            items = below
        elif k < len(below) + len(equal):
            return pivot
        else:
            k -= len(below)
            items = [item for item in items if item > pivot]
''',
        "k -= len(below)",
        "k -= len(below) + len(equal)",
    ),
    (
        "session_store",
        r'''import secrets
import time


class SessionStore:
    """Keeps the data of sessions in memory for a limited time of inactivity."""

    def __init__(self, lifetime=3600, clock=time.time):
        self.lifetime = lifetime
        self.clock = clock
        self._sessions = {}

    def create(self, **data):
        session_id = secrets.token_hex(16)
        self._sessions[session_id] = (self.clock() + self.lifetime, data)
        return session_id

    def load(self, session_id):
        """Return the data of a session and renew it; None if unknown or expired."""
        entry = self._sessions.get(session_id)
        if entry is None:
            return None
        expires, data = entry
        if expires <= self.clock():
            del self._sessions[session_id]
            return None
        self._sessions[session_id] = (expires, data)
        return data
''',
        "self._sessions[session_id] = (expires, data)",
        "self._sessions[session_id] = (self.clock() + self.lifetime, data)",
    ),
    (
        "pearson",
        r'''from math import sqrt


def correlation(xs, ys):
    """Return Pearson's correlation coefficient of two equally long samples.

    Raises ValueError if one of the samples has no variation.
    """
    n = len(xs)
    if n != len(ys) or n < 2:
        raise ValueError("need two samples of the same size")
    mean_x = sum(xs) / n
    mean_y = sum(ys) / n
    cov = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
    var_x = sum((x - mean_x) ** 2 for x in xs)
    var_y = sum((y - mean_y) ** 2 for y in ys)
    if var_x == 0 and var_y == 0:
        raise ValueError("a sample is constant")
    return cov / sqrt(var_x * var_y)
''',
        "var_x == 0 and var_y == 0",
        "var_x == 0 or var_y == 0",
    ),
    (
        "chunks_iter",
        r'''def chunked(iterable, size):
    """Yield lists of `size` successive items; the last one may be shorter.

    Every list that is yielded is independent of the ones before.
    """
    if size < 1:
        raise ValueError("size must be at least 1")
    chunk = []
    for item in iterable:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk.clear()
    if chunk:
        yield chunk
''',
        "chunk.clear()",
        "chunk = []",
    ),
    (
        "working_directory",
        r'''import contextlib
import os


@contextlib.contextmanager
def working_directory(path, create=False):
    """Change into a directory for the time of a with block.

    With `create` the directory is made if necessary. The former directory is
    restored at the end, also when the block raises.
    """
    previous = os.getcwd()
    if create:
        os.makedirs(path, exist_ok=True)
    os.chdir(path)
    yield path
    os.chdir(previous)
''',
        "    yield path\n    os.chdir(previous)\n",
        "    try:\n        yield path\n    finally:\n        os.chdir(previous)\n",
    ),
    (
        "undo_stack",
        r'''class History:
    """The states of a document, with undo and redo."""

    def __init__(self, state, limit=100):
        self.state = state
        self.limit = limit
        self._undo = []
        self._redo = []

    def change(self, state):
        """Set a new state; what had been undone can no longer be redone."""
        self._undo.append(self.state)
        del self._undo[:-self.limit]
        self.state = state

    def undo(self):
        if not self._undo:
            return False
        self._redo.append(self.state)
        self.state = self._undo.pop()
        return True

    def redo(self):
        if not self._redo:
            return False
        self._undo.append(self.state)
        self.state = self._redo.pop()
        return True
''',
        "        del self._undo[:-self.limit]\n",
        "        del self._undo[:-self.limit]\n        self._redo.clear()\n",
    ),
    (
        "number_words",
        r'''ONES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen "
        "fourteen fifteen sixteen seventeen eighteen nineteen").split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(n):
    """Spell a whole number from 0 to 999999 in English.

    Examples: 42 is 'forty-two', 300 is 'three hundred', 1015 is
    'one thousand fifteen'.
    """
    if n < 20:
        return ONES[n]
    if n < 100:
        tens, ones = divmod(n, 10)
        text = TENS[tens - 2]
        return f"{text}-{ONES[ones]}" if ones else text
    if n < 1000:
        unit, name = 100, "hundred"
    else:
        unit, name = 1000, "thousand"
    count, rest = divmod(n, unit)
    text = f"{ONES[count]} {name}"
    return f"{text} {in_words(rest)}" if rest else text
''',
        "{ONES[count]} {name}",
        "{in_words(count)} {name}",
    ),
    (
        "human_size",
        r'''UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def human_size(size):
    """Format a number of bytes for people, e.g. 1536 as '1.5 KiB'.

    Plain bytes are shown without decimals. Sizes beyond the largest unit are
    shown as a large number of that unit.
    """
    if size < 0:
        raise ValueError("size must not be negative")
    value = float(size)
    for unit in UNITS:
        if value < 1024:
            break
        value /= 1024
    if unit == "B":
        return f"{int(value)} B"
    return f"{value:.1f} {unit}"
''',
        "if value < 1024:",
        "if value < 1024 or unit == UNITS[-1]:",
    ),
    (
        "middleware_chain",
        r'''class App:
    """A handler wrapped by middleware.

    A middleware is a function (request, next) that returns a response. The
    one that is added first is the outermost.
    """

    def __init__(self, handler):
        self.handler = handler
        self.middleware = []

    def use(self, middleware):
        self.middleware.append(middleware)
        return middleware

    def __call__(self, request):
        call = self.handler
        for middleware in self.middleware:
            call = self._bind(middleware, call)
        return call(request)

    @staticmethod
    def _bind(middleware, following):
        def call(request):
            return middleware(request, following)
        return call
''',
        "for middleware in self.middleware:",
        "for middleware in reversed(self.middleware):",
    ),
    (
        "heap_sift_down",
        r'''def heapify(items):
    """Arrange a list in place as a min-heap."""
    for start in range(len(items) // 2 - 1, -1, -1):
        sift_down(items, start, len(items))


def sift_down(items, root, end):
    """Move the item at root down until both of its children are not smaller."""
    while True:
        child = 2 * root + 1
        if child >= end:
            return
        if child + 1 < end and items[child + 1] < items[root]:
            child += 1
        if items[root] <= items[child]:
            return
        items[root], items[child] = items[child], items[root]
        root = child
''',
        "items[child + 1] < items[root]",
        "items[child + 1] < items[child]",
    ),
    (
        "normalize_path",
        r'''def normalize(path):
    """Resolve '.', '..' and repeated slashes in a POSIX path.

    '..' at the root of an absolute path stays at the root; leading '..' of a
    relative path are kept. The empty result is written as '.'.
    """
    absolute = path.startswith("/")
    parts = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if parts:
                parts.pop()
            elif not absolute:
                parts.append(part)
        else:
            parts.append(part)
    result = "/".join(parts)
    if absolute:
        return "/" + result
    return result or "."
''',
        "            if parts:\n",
        '            if parts and parts[-1] != "..":\n',
    ),
    (
        "inventory",
        r'''class OutOfStock(Exception):
    pass


class Inventory:
    """Stock of articles with reservations."""

    def __init__(self):
        self.stock = {}
        self.reserved = {}

    def add(self, sku, amount):
        self.stock[sku] = self.stock.get(sku, 0) + amount

    def available(self, sku):
        return self.stock.get(sku, 0) - self.reserved.get(sku, 0)

    def reserve(self, sku, amount):
        """Set articles aside for an order; OutOfStock if there are too few."""
        if self.available(sku) < amount:
            raise OutOfStock(sku)
        self.reserved[sku] = self.reserved.get(sku, 0) + amount

    def ship(self, sku, amount):
        """Hand over articles that have been reserved before."""
        if self.reserved.get(sku, 0) < amount:
            raise ValueError(f"not reserved: {amount} x {sku}")
        self.stock[sku] -= amount
''',
        "        self.stock[sku] -= amount\n",
        "        self.stock[sku] -= amount\n        self.reserved[sku] -= amount\n",
    ),
    (
        "tokenizer",
        r'''def tokenize(text):
    """Split an arithmetic expression into numbers, names and operators.

    Numbers become int or float; a name starts with a letter or underscore
    and goes on with letters, digits and underscores.
    """
    tokens = []
    i = 0
    while i < len(text):
        char = text[i]
        start = i
        if char.isspace():
            i += 1
        elif char.isdigit():
            while i < len(text) and (text[i].isdigit() or text[i] == "."):
                i += 1
            word = text[start:i]
            tokens.append(float(word) if "." in word else int(word))
        elif char.isalpha() or char == "_":
            while i < len(text) and (text[i].isalpha() or text[i] == "_"):
                i += 1
            tokens.append(text[start:i])
        elif char in "+-*/()":
            tokens.append(char)
            i += 1
        else:
            raise SyntaxError(f"unexpected {char!r} at {i}")
    return tokens
''',
        "text[i].isalpha() or",
        "text[i].isalnum() or",
    ),
    (
        "rpn_eval",
        r'''import operator

OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def evaluate_rpn(expression):
    """Evaluate an expression in reverse Polish notation.

    '7 2 -' is 5. Raises ValueError if the expression is not well-formed.
    """
    stack = []
    for token in expression.split():
        if token in OPERATORS:
            if len(stack) < 2:
                raise ValueError("too few operands")
            left, right = stack.pop(), stack.pop()
            stack.append(OPERATORS[token](left, right))
        else:
            stack.append(float(token))
    if len(stack) != 1:
        raise ValueError("malformed expression")
    return stack[0]
''',
        "left, right = stack.pop(), stack.pop()",
        "right, left = stack.pop(), stack.pop()",
    ),
    (
        "memoize_kwargs",
        r'''import functools


def memoize(func):
    """Cache the results of a function by its arguments.

    Positional and keyword arguments count; all of them must be hashable. The
    cache is available as the attribute `cache` of the result.
    """
    cache = {}

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        key = (args, tuple(sorted(kwargs)))
        if key not in cache:
            cache[key] = func(*args, **kwargs)
        return cache[key]

    wrapper.cache = cache
    return wrapper
''',
        "sorted(kwargs)",
        "sorted(kwargs.items())",
    ),
    (
        "multipart_boundary",
        r'''def parse_content_type(value):
    """Split a Content-Type header into (media type, parameters).

    The media type and the parameter names are lower-cased; quotes around a
    parameter value are removed, the value itself is left unchanged.
    """
    media_type, *rest = value.split(";")
    params = {}
    for item in rest:
        name, eq, param = item.strip().partition("=")
        if not eq:
            continue
        param = param.strip().lower()
        if len(param) >= 2 and param[0] == param[-1] == '"':
            param = param[1:-1]
        params[name.strip().lower()] = param
    return media_type.strip().lower(), params
''',
        "param = param.strip().lower()",
        "param = param.strip()",
    ),
    (
        "permutations_backtrack",
        r'''def permutations(items):
    """Return all orderings of the items, as a list of lists."""
    items = list(items)
    result = []
    used = [False] * len(items)
    path = []

    def extend():
        if len(path) == len(items):
            result.append(path)
            return
        for i, item in enumerate(items):
            if used[i]:
                continue
            used[i] = True
            path.append(item)
            extend()
            path.pop()
            used[i] = False

    extend()
    return result
''',
        "result.append(path)",
        "result.append(list(path))",
    ),
    (
        "knapsack",
        r'''def best_value(items, capacity):
    """Return the largest total value that fits into a knapsack.

    `items` are (weight, value) pairs with positive whole weights; each of
    them can be taken at most once.
    """
    best = [0] * (capacity + 1)
    for weight, value in items:
        for room in range(weight, capacity + 1):
            candidate = best[room - weight] + value
            if candidate > best[room]:
                best[room] = candidate
    return best[capacity]
''',
        "range(weight, capacity + 1)",
        "range(capacity, weight - 1, -1)",
    ),
    (
        "caesar",
        r'''def shift_text(text, key):
    """Encrypt text with Caesar's cipher; a negative key decrypts.

    Only the letters A-Z and a-z are shifted, and they keep their case.
    """
    result = []
    for char in text:
        if "a" <= char <= "z":
            base = ord("a")
        elif "A" <= char <= "Z":
            base = ord("A")
        else:
            continue
        result.append(chr((ord(char) - base + key) % 26 + base))
    return "".join(result)
''',
        "            continue\n",
        "            result.append(char)\n            continue\n",
    ),
    (
        "ini_parser",
        r'''def parse_ini(text):
    """Parse an INI file into {section: {option: value}}.

    Lines that start with '#' or ';' are comments. An indented line continues
    the value of the option before, joined by a newline.
    """
    sections = {}
    section = None
    option = None
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped[0] in "#;":
            continue
        if line[0].isspace() and option is not None:
            section[option] += "\n" + stripped
        elif stripped.startswith("[") and stripped.endswith("]"):
            section = sections.setdefault(stripped[1:-1].strip(), {})
        elif section is None or "=" not in stripped:
            raise ValueError(f"line {number}: {stripped!r}")
        else:
            option, _, value = stripped.partition("=")
            option = option.strip().lower()
            section[option] = value.strip()
    return sections
''',
        "            section = sections.setdefault(stripped[1:-1].strip(), {})\n",
        "            section = sections.setdefault(stripped[1:-1].strip(), {})\n            option = None\n",
    ),
    (
        "follow_redirects",
        r'''from urllib.parse import urljoin


class TooManyRedirects(Exception):
    pass


def fetch(url, send, max_redirects=5):
    """Request a URL and follow redirects; return (final url, response).

    `send(url)` returns a response with `status` and `headers`. The Location
    of a redirect may be relative to the URL that was requested.
    """
    visited = []
    while True:
        response = send(url)
        location = response.headers.get("Location")
        if response.status not in (301, 302, 303, 307, 308) or not location:
            return url, response
        visited.append(url)
        if len(visited) > max_redirects:
            raise TooManyRedirects(visited)
        url = urljoin(visited[0], location)
''',
        "urljoin(visited[0], location)",
        "urljoin(url, location)",
    ),
    (
        "progress_bar",
        r'''class ProgressBar:
    """Draws lines such as '[#####.....]  50%'."""

    def __init__(self, total, width=40, fill="#", empty="."):
        self.total = total
        self.width = width
        self.fill = fill
        self.empty = empty
        self.done = 0

    def advance(self, steps=1):
        self.done = min(self.total, self.done + steps)

    @property
    def fraction(self):
        """The part that is done, from 0 to 1; with nothing to do it is 1."""
        return self.done / self.total

    def render(self):
        full = int(self.fraction * self.width)
        bar = self.fill * full + self.empty * (self.width - full)
        return f"[{bar}] {int(self.fraction * 100):3d}%"
''',
        "return self.done / self.total",
        "return self.done / self.total if self.total else 1.0",
    ),
    (
        "deprecated_decorator",
        r'''import functools
import warnings


def deprecated(reason, replacement=None):
    """Mark a function as deprecated: each call gives a warning.

    Apart from that the function works as before.
    """
    def decorate(func):
        message = f"{func.__name__} is deprecated: {reason}"
        if replacement:
            message += f" (use {replacement} instead)"

        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            func(*args, **kwargs)

        wrapper.__deprecated__ = reason
        return wrapper

    return decorate
''',
        "            func(*args, **kwargs)\n",
        "            return func(*args, **kwargs)\n",
    ),
    (
        "vector3",
        r'''class Vector:
    """A vector in three dimensions."""

    __slots__ = ("x", "y", "z")

    def __init__(self, x, y, z):
        self.x, self.y, self.z = x, y, z

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def dot(self, other):
        return self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other):
        """Return the cross product self x other."""
        return Vector(
            self.y * other.z - self.z * other.y,
            self.x * other.z - self.z * other.x,
            self.x * other.y - self.y * other.x,
        )

    def length(self):
        return self.dot(self) ** 0.5
''',
        "self.x * other.z - self.z * other.x",
        "self.z * other.x - self.x * other.z",
    ),
    (
        "prime_sieve",
        r'''def primes_up_to(limit):
    """Return the list of all primes not greater than limit."""
    if limit < 2:
        return []
    is_prime = bytearray([1]) * (limit + 1)
    is_prime[0] = is_prime[1] = 0
    candidate = 2
    while candidate * candidate < limit:
        if is_prime[candidate]:
            for multiple in range(candidate * candidate, limit + 1, candidate):
                is_prime[multiple] = 0
        candidate += 1
    return [n for n in range(2, limit + 1) if is_prime[n]]
''',
        "candidate * candidate < limit:",
        "candidate * candidate <= limit:",
    ),
    (
        "run_length",
        r'''def encode(text):
    """Run-length encode a string as a list of (char, count) pairs."""
    runs = []
    previous = None
    count = 0
    for char in text:
        if char == previous:
            count += 1
        else:
            if previous is not None:
                runs.append((previous, count))
            previous = char
            count = 0
    if previous is not None:
        runs.append((previous, count))
    return runs


def decode(runs):
    """Inverse of encode."""
    return "".join(char * count for char, count in runs)
''',
        "            count = 0\n",
        "            count = 1\n",
    ),
    (
        "ring_buffer",
        r'''class RingBuffer:
    """A queue of fixed capacity; when full, the oldest item is overwritten."""

    def __init__(self, capacity):
        self._items = [None] * capacity
        self._start = 0
        self._size = 0

    def append(self, item):
        capacity = len(self._items)
        end = (self._start + self._size) % capacity
        self._items[end] = item
        if self._size == capacity:
            self._start = (self._start + 1) % capacity
        else:
            self._size += 1

    def popleft(self):
        if not self._size:
            raise IndexError("buffer is empty")
        item = self._items[self._start]
        self._items[self._start] = None
        self._start += 1
        self._size -= 1
        return item

    def __iter__(self):
        for i in range(self._size):
            yield self._items[(self._start + i) % len(self._items)]

    def __len__(self):
        return self._size
''',
        "self._start += 1",
        "self._start = (self._start + 1) % len(self._items)",
    ),
    (
        "linked_list_remove",
        r'''class _Node:
    def __init__(self, value):
        self.value = value
        self.next = None


class LinkedList:
    """A singly linked list with access to both of its ends."""

    def __init__(self):
        self.head = None
        self.tail = None

    def append(self, value):
        node = _Node(value)
        if self.tail is None:
            self.head = node
        else:
            self.tail.next = node
        self.tail = node

    def pop_front(self):
        """Remove the first value and return it; IndexError if empty."""
        if self.head is None:
            raise IndexError("list is empty")
        node = self.head
        self.head = node.next
        return node.value
''',
        "        self.head = node.next\n",
        "        self.head = node.next\n        if self.head is None:\n            self.tail = None\n",
    ),
    (
        "query_builder",
        r'''class Query:
    """Builds a SELECT statement with parameters for the database driver."""

    def __init__(self, table):
        self.table = table
        self._where = []
        self._params = []
        self._limit = None

    def where(self, condition, *params):
        self._where.append(condition)
        self._params.append(params)
        return self

    def limit(self, count):
        self._limit = count
        return self

    def build(self):
        """Return (sql, flat list of the parameters)."""
        sql = f"SELECT * FROM {self.table}"
        params = list(self._params)
        if self._where:
            sql += " WHERE " + " AND ".join(f"({c})" for c in self._where)
        if self._limit is not None:
            sql += " LIMIT ?"
            params.append(self._limit)
        return sql, params
''',
        "self._params.append(params)",
        "self._params.extend(params)",
    ),
    (
        "flatten",
        r'''from collections.abc import Iterable


def flatten(items, depth=None):
    """Yield the items of nested iterables, in order.

    Strings and bytes are not taken apart. With `depth` only so many levels of
    nesting are removed; None removes them all.
    """
    for item in items:
        nested = isinstance(item, Iterable) and not isinstance(item, (str, bytes))
        if not nested or depth == 0:
            yield item
        elif depth is None:
            yield from flatten(item)
        else:
            yield flatten(item, depth - 1)
''',
        "yield flatten(item, depth - 1)",
        "yield from flatten(item, depth - 1)",
    ),
    (
        "glob_match",
        r'''def glob_match(pattern, text):
    """Match text against a pattern with '*' (any run) and '?' (any one char).

    The whole text has to match.
    """
    p = t = 0
    star = None
    mark = 0
    while t < len(text):
        if p < len(pattern) and pattern[p] == "*":
            star = p
            mark = t
            p += 1
        elif p < len(pattern) and pattern[p] in ("?", text[t]):
            p += 1
            t += 1
        elif star is not None:
            mark += 1
            t = mark
            p = star + 1
        else:
            return False
    return p == len(pattern)
''',
        "    return p == len(pattern)",
        '    while p < len(pattern) and pattern[p] == "*":\n        p += 1\n    return p == len(pattern)',
    ),
    (
        "luhn",
        r'''def luhn_valid(number):
    """Check the Luhn checksum of a card number given as a string.

    Spaces and hyphens are ignored; any other character that is not a digit,
    or an empty number, makes it invalid.
    """
    digits = number.replace(" ", "").replace("-", "")
    if not digits.isdigit():
        return False
    total = 0
    for position, char in enumerate(digits):
        digit = int(char)
        if position % 2 == 1:
            digit *= 2
            if digit > 9:
                digit -= 9
        total += digit
    return total % 10 == 0
''',
        "enumerate(digits)",
        "enumerate(reversed(digits))",
    ),
    (
        "to_base",
        r'''DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def to_base(number, base):
    """Write a whole number in the given base (2 to 36), e.g. -255 as '-ff'."""
    if not 2 <= base <= 36:
        raise ValueError("base must be from 2 to 36")
    if number == 0:
        return "0"
    negative = number < 0
    number = abs(number)
    digits = []
    while number >= base:
        number, digit = divmod(number, base)
        digits.append(DIGITS[digit])
    if negative:
        digits.append("-")
    return "".join(reversed(digits))
''',
        "while number >= base:",
        "while number:",
    ),
    (
        "blackjack_value",
        r'''FACES = {"J": 10, "Q": 10, "K": 10, "A": 11}


def hand_value(cards):
    """Return the value of a hand in blackjack.

    Cards are ranks: '2' to '10', 'J', 'Q', 'K', 'A'. Aces count 11, but as
    many of them as necessary count 1 to keep the hand at 21 or below.
    """
    total = 0
    aces = 0
    for card in cards:
        if card == "A":
            aces += 1
        total += FACES[card] if card in FACES else int(card)
    while total > 21 and aces:
        total -= 10
    return total


def is_blackjack(cards):
    """Two cards that are worth 21."""
    return len(cards) == 2 and hand_value(cards) == 21
''',
        "        total -= 10\n",
        "        total -= 10\n        aces -= 1\n",
    ),
    (
        "snake_turn",
        r'''OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
STEP = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class Snake:
    """The snake of the game; body[0] is its head."""

    def __init__(self, body, direction="right"):
        self.body = list(body)
        self.direction = direction
        self.growing = 0

    def turn(self, direction):
        """Change the direction, except straight backwards."""
        if direction != OPPOSITE[self.direction]:
            self.direction = direction

    def move(self):
        """Go one step ahead; the snake gets longer if it has eaten."""
        x, y = self.body[0]
        dx, dy = STEP[self.direction]
        self.body.insert(0, (x + dx, y + dy))
        if self.growing:
            self.growing -= 1
        self.body.pop()

    def bites_itself(self):
        return self.body[0] in self.body[1:]
''',
        "            self.growing -= 1\n        self.body.pop()",
        "            self.growing -= 1\n        else:\n            self.body.pop()",
    ),
    (
        "ranking_ties",
        r'''def ranking(scores):
    """Return [(rank, name, score), ...] from a dict of scores, best first.

    Equal scores share a rank and the following rank is skipped (1, 2, 2, 4).
    Names with the same score are in alphabetical order.
    """
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    result = []
    rank = 0
    previous = None
    for position, (name, score) in enumerate(ordered, 1):
        if score != previous:
            rank += 1
            previous = score
        result.append((rank, name, score))
    return result
''',
        "rank += 1",
        "rank = position",
    ),
    (
        "minesweeper_reveal",
        r'''def reveal(mines, width, height, start):
    """Return the cells that open up when a cell without a mine is clicked.

    `mines` is a set of (x, y). The neighbours of a cell are opened, too, if
    none of them holds a mine, and so on.
    """
    def neighbours(x, y):
        for nx in range(max(0, x - 1), min(width, x + 2)):
            for ny in range(max(0, y - 1), min(height, y + 2)):
                if (nx, ny) != (x, y):
                    yield nx, ny

    opened = set()
    stack = [start]
    while stack:
        cell = stack.pop()
        if cell in opened:
            continue
        opened.add(cell)
        around = list(neighbours(*cell))
        if any(other in opened for other in around):
            continue
        stack.extend(around)
    return opened
''',
        "any(other in opened for other in around)",
        "any(other in mines for other in around)",
    ),
    (
        "tetris_clear",
        r'''class Board:
    """The grid of a falling-blocks game; row 0 is the top."""

    POINTS = {0: 0, 1: 40, 2: 100, 3: 300, 4: 1200}

    def __init__(self, width=10, height=20):
        self.width = width
        self.height = height
        self.rows = [[None] * width for _ in range(height)]
        self.score = 0

    def place(self, cells, color):
        for x, y in cells:
            self.rows[y][x] = color

    def clear_lines(self):
        """Remove the full rows, let the rest fall and return their number."""
        kept = [row for row in self.rows if None in row]
        cleared = self.height - len(kept)
        fresh = [[None] * self.width for _ in range(cleared)]
        self.rows = kept + fresh
        self.score += self.POINTS[cleared]
        return cleared
''',
        "self.rows = kept + fresh",
        "self.rows = fresh + kept",
    ),
    (
        "max_subarray",
        r'''def max_subarray(values):
    """Return (sum, start, end) of the non-empty slice with the largest sum.

    The slice is values[start:end].
    """
    if not values:
        raise ValueError("values must not be empty")
    best = (values[0], 0, 1)
    current = values[0]
    start = 0
    for i in range(1, len(values)):
        if current < 0:
            current = values[i]
        else:
            current += values[i]
        if current > best[0]:
            best = (current, start, i + 1)
    return best
''',
        "            current = values[i]\n",
        "            current = values[i]\n            start = i\n",
    ),
    (
        "kmp_search",
        r'''def find_all(text, pattern):
    """Return all positions of pattern in text, also overlapping ones (KMP)."""
    if not pattern:
        raise ValueError("empty pattern")
    table = [0] * len(pattern)
    k = 0
    for i in range(1, len(pattern)):
        while k and pattern[i] != pattern[k]:
            k = table[k - 1]
        if pattern[i] == pattern[k]:
            k += 1
        table[i] = k
    positions = []
    k = 0
    for i, char in enumerate(text):
        while k and char != pattern[k]:
            k = table[k - 1]
        if char == pattern[k]:
            k += 1
        if k == len(pattern):
            positions.append(i - k + 1)
            k = 0
    return positions
''',
        "            positions.append(i - k + 1)\n            k = 0\n",
        "            positions.append(i - k + 1)\n            k = table[k - 1]\n",
    ),
    (
        "brackets",
        r'''PAIRS = {")": "(", "]": "[", "}": "{"}


def first_mismatch(text):
    """Return the index of the first wrong bracket in text, or None.

    A closing bracket is wrong if it does not match the last open one. If all
    the closing ones are right but some bracket is never closed, the index of
    the innermost unclosed bracket is returned.
    """
    stack = []
    for i, char in enumerate(text):
        if char in PAIRS.values():
            stack.append((char, i))
        elif char in PAIRS:
            if stack.pop()[0] != PAIRS[char]:
                return i
    if stack:
        return stack[-1][1]
    return None
''',
        "if stack.pop()[0] != PAIRS[char]:",
        "if not stack or stack.pop()[0] != PAIRS[char]:",
    ),
    (
        "sudoku_candidates",
        r'''def candidates(grid, row, col):
    """Return the set of digits that may be put into an empty cell of a sudoku.

    `grid` is a list of nine lists of nine numbers; 0 is an empty cell.
    """
    used = set(grid[row])
    used.update(grid[r][col] for r in range(9))
    top = row // 3 * 3
    left = col // 3
    for r in range(top, top + 3):
        for c in range(left, left + 3):
            used.add(grid[r][c])
    return set(range(1, 10)) - used


def first_empty(grid):
    """Return (row, col) of the first empty cell, or None."""
    for row in range(9):
        for col in range(9):
            if grid[row][col] == 0:
                return row, col
    return None
''',
        "left = col // 3",
        "left = col // 3 * 3",
    ),
    (
        "add_months",
        r'''import calendar
from datetime import date


def add_months(day, months):
    """Return the date so many months later (earlier if negative).

    The day of the month is reduced if the target month is shorter.
    """
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    month += 1
    last = calendar.monthrange(day.year, month)[1]
    return date(year, month, min(day.day, last))
''',
        "calendar.monthrange(day.year, month)",
        "calendar.monthrange(year, month)",
    ),
    (
        "age_at",
        r'''from datetime import date


def age(birthday, today=None):
    """Return the age of a person in completed years.

    `birthday` and `today` are dates; today defaults to the current date.
    """
    if today is None:
        today = date.today()
    if birthday > today:
        raise ValueError("birthday lies in the future")
    years = today.year - birthday.year
    if today.month < birthday.month or today.day < birthday.day:
        years -= 1
    return years
''',
        "today.month < birthday.month or today.day < birthday.day",
        "(today.month, today.day) < (birthday.month, birthday.day)",
    ),
    (
        "business_days",
        r'''from datetime import timedelta


def add_business_days(start, days, holidays=()):
    """Return the date that is `days` working days after start.

    Saturdays, Sundays and the dates in `holidays` do not count. A negative
    number goes back in time.
    """
    step = timedelta(days=1 if days >= 0 else -1)
    remaining = abs(days)
    current = start
    while remaining:
        current += step
        if current.weekday() > 5:
            continue
        if current in holidays:
            continue
        remaining -= 1
    return current
''',
        "current.weekday() > 5",
        "current.weekday() >= 5",
    ),
    (
        "cron_field",
        r'''def parse_cron_field(field, low, high):
    """Return the sorted values that a field of a crontab line stands for.

    A field is a comma-separated list of '*', 'n', 'a-b', each optionally
    followed by '/step'. 'n/step' means from n to the highest value.
    """
    values = set()
    for part in field.split(","):
        span, slash, step = part.partition("/")
        step = int(step) if slash else 1
        if span == "*":
            first, last = low, high
        elif "-" in span:
            first, last = map(int, span.split("-"))
        else:
            first = last = int(span)
        if not low <= first <= last <= high or step < 1:
            raise ValueError(f"invalid cron field: {field!r}")
        values.update(range(first, last + 1, step))
    return sorted(values)
''',
        "            first = last = int(span)\n",
        "            first = int(span)\n            last = high if slash else first\n",
    ),
    (
        "unique_slug",
        r'''import re
import unicodedata


def slugify(title, existing=()):
    """Turn a title into a slug that is not in `existing`.

    Accents are dropped and runs of other characters become one hyphen. If the
    slug is taken, '-2', '-3' and so on is appended.
    """
    text = unicodedata.normalize("NFKD", title)
    text = text.encode("ascii", "ignore").decode("ascii").lower()
    base = re.sub(r"[^a-z0-9]+", "-", text).strip("-") or "untitled"
    slug = base
    number = 2
    while slug in existing:
        slug = f"{slug}-{number}"
        number += 1
    return slug
''',
        'slug = f"{slug}-{number}"',
        'slug = f"{base}-{number}"',
    ),
    (
        "permission_check",
        r'''class User:
    def __init__(self, name, is_active=True, is_superuser=False, groups=(), permissions=()):
        self.name = name
        self.is_active = is_active
        self.is_superuser = is_superuser
        self.groups = list(groups)
        self.permissions = set(permissions)

    def all_permissions(self):
        """Own permissions together with those of the groups."""
        result = set(self.permissions)
        for group in self.groups:
            result |= group.permissions
        return result

    def has_permission(self, name):
        """Inactive users may do nothing, active superusers everything."""
        if self.is_superuser:
            return True
        if not self.is_active:
            return False
        return name in self.all_permissions()

    def has_permissions(self, names):
        """Whether the user has all of the permissions."""
        return all(self.has_permission(name) for name in names)
''',
        "        if self.is_superuser:\n            return True\n        if not self.is_active:\n            return False\n",
        "        if not self.is_active:\n            return False\n        if self.is_superuser:\n            return True\n",
    ),
    (
        "form_validate",
        r'''class Field:
    def __init__(self, convert=str, required=True, default=None):
        self.convert = convert
        self.required = required
        self.default = default


class Form:
    """Checks submitted text against fields; subclasses define `fields`."""

    fields = {}

    def __init__(self, data):
        self.data = data
        self.errors = {}
        self.cleaned = {}

    def is_valid(self):
        """Fill `cleaned` and `errors`; blank text counts as missing."""
        for name, field in self.fields.items():
            raw = self.data.get(name, "").strip()
            if not raw:
                if field.required:
                    self.errors[name] = "This field is required."
                self.cleaned[name] = field.default
                continue
            try:
                self.cleaned[name] = field.convert(raw)
            except ValueError as error:
                self.errors[name] = str(error)
        return bool(self.errors)
''',
        "return bool(self.errors)",
        "return not self.errors",
    ),
    (
        "safe_filename",
        r'''import os
import re

RESERVED = {"CON", "PRN", "AUX", "NUL", "COM1", "LPT1"}


def safe_filename(name, max_length=100):
    """Make the name of an uploaded file safe for storing.

    Directories are cut off and odd characters replaced by '_'. A too long
    name is shortened, but its extension is kept.
    """
    name = name.replace("\\", "/").rsplit("/", 1)[-1]
    name = re.sub(r"[^\w.-]+", "_", name).lstrip(".")
    stem, ext = os.path.splitext(name)
    if stem.upper() in RESERVED:
        stem = "_" + stem
    if len(stem) + len(ext) > max_length:
        stem = stem[:max_length]
    return (stem + ext) or "file"
''',
        "stem[:max_length]",
        "stem[:max_length - len(ext)]",
    ),
    (
        "ttl_cache",
        r'''import time


class TTLCache:
    """A cache whose entries are forgotten after some seconds."""

    def __init__(self, ttl, clock=time.monotonic):
        self.ttl = ttl
        self.clock = clock
        self._entries = {}

    def set(self, key, value, ttl=None):
        """Store a value; a ttl of 0 expires at once, None means the default."""
        lifetime = ttl or self.ttl
        self._entries[key] = (value, self.clock() + lifetime)

    def get(self, key, default=None):
        try:
            value, expires = self._entries[key]
        except KeyError:
            return default
        if self.clock() >= expires:
            del self._entries[key]
            return default
        return value

    def purge(self):
        """Remove all expired entries and return how many there were."""
        now = self.clock()
        expired = [key for key, (_, expires) in self._entries.items() if now >= expires]
        for key in expired:
            del self._entries[key]
        return len(expired)
''',
        "lifetime = ttl or self.ttl",
        "lifetime = self.ttl if ttl is None else ttl",
    ),
    (
        "worker_pool",
        r'''import queue
import threading


class WorkerPool:
    """Runs submitted functions in a number of threads."""

    def __init__(self, size=4):
        self._queue = queue.Queue()
        self.errors = []
        self._threads = [threading.Thread(target=self._run, daemon=True) for _ in range(size)]
        for thread in self._threads:
            thread.start()

    def submit(self, func, *args):
        self._queue.put((func, args))

    def _run(self):
        while True:
            func, args = self._queue.get()
            if func is None:
                break
            try:
                func(*args)
            except Exception as error:
                self.errors.append(error)

    def close(self):
        """Let the threads finish all the submitted work and wait for them."""
        self._queue.put((None, ()))
        for thread in self._threads:
            thread.join()
''',
        "        self._queue.put((None, ()))\n",
        "        for _ in self._threads:\n            self._queue.put((None, ()))\n",
    ),
    (
        "circuit_breaker",
        r'''import time


class CircuitOpen(Exception):
    pass


class CircuitBreaker:
    """Stops calling a service after a row of failures.

    After `threshold` successive failures the calls are refused for `timeout`
    seconds; then one call is let through as a trial.
    """

    def __init__(self, threshold=5, timeout=30, clock=time.monotonic):
        self.threshold = threshold
        self.timeout = timeout
        self.clock = clock
        self.failures = 0
        self.opened_at = None

    def call(self, func, *args, **kwargs):
        if self.opened_at is not None and self.clock() - self.opened_at < self.timeout:
            raise CircuitOpen()
        try:
            result = func(*args, **kwargs)
        except Exception:
            self.failures += 1
            if self.failures >= self.threshold:
                self.opened_at = self.clock()
            raise
        self.opened_at = None
        return result
''',
        "        self.opened_at = None\n        return result",
        "        self.failures = 0\n        self.opened_at = None\n        return result",
    ),
    (
        "dataclass_from_dict",
        r'''import dataclasses


def from_dict(cls, data):
    """Create an instance of a dataclass from a dict.

    Unknown keys are ignored. A field whose type is itself a dataclass is
    created from the nested dict. Raises TypeError if a value is missing that
    has neither a default nor a default factory.
    """
    values = {}
    for field in dataclasses.fields(cls):
        if field.name not in data:
            if (field.default is dataclasses.MISSING
                    and field.default_factory is dataclasses.MISSING):
                raise TypeError(f"missing value for {field.name}")
            continue
        value = data[field.name]
        if dataclasses.is_dataclass(field.type) and isinstance(value, dict):
            value = from_dict(cls, value)
        values[field.name] = value
    return cls(**values)
''',
        "value = from_dict(cls, value)",
        "value = from_dict(field.type, value)",
    ),
    (
        "json_encoder",
        r'''import json
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from uuid import UUID


class Encoder(json.JSONEncoder):
    """JSON with support for some more types.

    A datetime is written like '2024-05-01T12:30:00', a date like
    '2024-05-01', decimals and UUIDs as strings, sets as sorted lists and
    members of an Enum by their value.
    """

    def default(self, obj):
        if isinstance(obj, date):
            return obj.strftime("%Y-%m-%d")
        if isinstance(obj, datetime):
            return obj.strftime("%Y-%m-%dT%H:%M:%S")
        if isinstance(obj, (Decimal, UUID)):
            return str(obj)
        if isinstance(obj, (set, frozenset)):
            return sorted(obj)
        if isinstance(obj, Enum):
            return obj.value
        return super().default(obj)
''',
        """        if isinstance(obj, date):
            return obj.strftime("%Y-%m-%d")
        if isinstance(obj, datetime):
            return obj.strftime("%Y-%m-%dT%H:%M:%S")
""",
        """        if isinstance(obj, datetime):
            return obj.strftime("%Y-%m-%dT%H:%M:%S")
        if isinstance(obj, date):
            return obj.strftime("%Y-%m-%d")
""",
    ),
    (
        "range_header",
        r'''def parse_range(header, size):
    """Return (start, stop) of the bytes that a Range header asks for.

    `stop` is exclusive. Supports 'bytes=a-b', 'bytes=a-' and 'bytes=-n' (the
    last n bytes). Returns None if the range is malformed or cannot be served.
    """
    unit, _, spec = header.partition("=")
    if unit.strip().lower() != "bytes" or "," in spec:
        return None
    first, dash, last = spec.strip().partition("-")
    if not dash:
        return None
    try:
        if first == "":
            start, stop = max(0, size - int(last)), size
        else:
            start = int(first)
            stop = min(int(last), size) if last else size
    except ValueError:
        return None
    if start >= stop:
        return None
    return start, stop
''',
        "min(int(last), size)",
        "min(int(last) + 1, size)",
    ),
    (
        "atomic_write",
        r'''import os
import tempfile


def atomic_write(path, text, encoding="utf-8"):
    """Write a text file so that readers see either the old or the new content.

    No temporary file is left behind if writing fails.
    """
    directory = os.path.dirname(os.path.abspath(path))
    fd, temp_path = tempfile.mkstemp(dir=directory, prefix=".tmp-")
    try:
        with os.fdopen(fd, "w", encoding=encoding) as f:
            f.write(text)
            f.flush()
            os.fsync(f.fileno())
        os.replace(temp_path, path)
    except BaseException:
        os.unlink(path)
        raise
''',
        "os.unlink(path)",
        "os.unlink(temp_path)",
    ),
    (
        "file_watcher",
        r'''import os


class Watcher:
    """Finds the files in a directory that have changed between two calls."""

    def __init__(self, directory, suffixes=(".py",)):
        self.directory = directory
        self.suffixes = tuple(suffixes)
        self._seen = self._scan()

    def _scan(self):
        times = {}
        for root, _, names in os.walk(self.directory):
            for name in names:
                if name.endswith(self.suffixes):
                    path = os.path.join(self.directory, name)
                    try:
                        times[path] = os.stat(path).st_mtime
                    except FileNotFoundError:
                        continue
        return times

    def changes(self):
        """Return the sorted paths that were added, modified or removed."""
        before, now = self._seen, self._scan()
        self._seen = now
        paths = before.keys() | now.keys()
        return sorted(path for path in paths if before.get(path) != now.get(path))
''',
        "os.path.join(self.directory, name)",
        "os.path.join(root, name)",
    ),
    (
        "version_compare",
        r'''import re


def version_key(version):
    """Return a key by which versions can be sorted.

    '1.10' comes after '1.9'. A pre-release like '2.0a1', '2.0b3' or '2.0rc1'
    comes before '2.0'. Trailing zeros do not matter.
    """
    match = re.fullmatch(r"v?(\d+(?:\.\d+)*)(?:(a|b|rc)(\d+))?", version.strip())
    if match is None:
        raise ValueError(f"invalid version: {version!r}")
    release = [int(part) for part in match.group(1).split(".")]
    while len(release) > 1 and release[-1] == 0:
        release.pop()
    if match.group(2):
        pre = (match.group(2), match.group(3))
    else:
        pre = ("z", 0)
    return tuple(release), pre
''',
        "pre = (match.group(2), match.group(3))",
        "pre = (match.group(2), int(match.group(3)))",
    ),
    (
        "semver_bump",
        r'''class Version:
    """A semantic version MAJOR.MINOR.PATCH."""

    def __init__(self, major, minor=0, patch=0):
        self.major = major
        self.minor = minor
        self.patch = patch

    @classmethod
    def parse(cls, text):
        parts = text.lstrip("v").split(".")
        if not 1 <= len(parts) <= 3:
            raise ValueError(f"invalid version: {text!r}")
        return cls(*(int(part) for part in parts))

    def bump(self, part):
        """Return the next version; the parts right of `part` become zero."""
        if part == "major":
            return Version(self.major + 1)
        if part == "minor":
            return Version(self.major, self.minor + 1, self.patch)
        if part == "patch":
            return Version(self.major, self.minor, self.patch + 1)
        raise ValueError(f"unknown part: {part!r}")

    def __str__(self):
        return f"{self.major}.{self.minor}.{self.patch}"
''',
        "Version(self.major, self.minor + 1, self.patch)",
        "Version(self.major, self.minor + 1)",
    ),
    (
        "requirements_parse",
        r'''import re

REQUIREMENT = re.compile(r"([A-Za-z0-9][\w.-]*)\s*(\[[^\]]*\])?\s*(.*)")


def parse_requirements(lines):
    """Parse the lines of a requirements file into {name: specifier}.

    Blank lines, comments, and options (lines that start with '-') are left
    out. Names are normalised: lower case, with '_' and '.' replaced by '-'.
    """
    result = {}
    for line in lines:
        line = line.split("#")[0].strip()
        if line.startswith("-"):
            continue
        match = REQUIREMENT.match(line)
        if match is None:
            raise ValueError(f"invalid requirement: {line!r}")
        name = re.sub(r"[-_.]+", "-", match.group(1)).lower()
        result[name] = match.group(3).replace(" ", "")
    return result
''',
        'if line.startswith("-"):',
        'if not line or line.startswith("-"):',
    ),
    (
        "translate_fallback",
        r'''class Translator:
    """Looks up messages in catalogs by locale.

    A locale such as 'pt_BR' falls back to 'pt' and then to the default
    locale; a message that is found nowhere is returned unchanged.
    """

    def __init__(self, catalogs, default="en"):
        self.catalogs = catalogs
        self.default = default

    def _chain(self, locale):
        yield locale
        if "_" in locale:
            yield locale.split("_")[0]
        yield self.default

    def gettext(self, message, locale):
        for name in self._chain(locale):
            catalog = self.catalogs.get(name, {})
            if message in catalog:
                return catalog[message]
        return message

    def ngettext(self, singular, plural, n, locale):
        """Translate by number; the text may contain '{n}'."""
        message = singular if n == 1 else plural
        return self.gettext(message.format(n=n), locale)
''',
        "self.gettext(message.format(n=n), locale)",
        "self.gettext(message, locale).format(n=n)",
    ),
    (
        "hex_color",
        r'''def parse_color(text):
    """Convert '#rgb', '#rrggbb' or '#rrggbbaa' into a tuple of numbers 0-255.

    The leading '#' is optional. The result has four members only if an alpha
    value is given.
    """
    digits = text.strip().lstrip("#")
    if len(digits) == 3:
        digits = digits * 2
    if len(digits) not in (6, 8):
        raise ValueError(f"invalid color: {text!r}")
    try:
        return tuple(int(digits[i:i + 2], 16) for i in range(0, len(digits), 2))
    except ValueError:
        raise ValueError(f"invalid color: {text!r}") from None


def format_color(rgb):
    """Inverse of parse_color."""
    return "#" + "".join(f"{part:02x}" for part in rgb)
''',
        "digits = digits * 2",
        'digits = "".join(digit * 2 for digit in digits)',
    ),
    (
        "fit_size",
        r'''def fit(width, height, max_width=None, max_height=None):
    """Return the size to which an image is scaled to fit into a box.

    The proportions are kept and images are never enlarged. A limit of None
    means that this direction is not limited. Both sides are at least 1.
    """
    scale = 1.0
    if max_width is not None and width > max_width:
        scale = max_width / width
    if max_height is not None and height > max_height:
        scale = max_height / height
    return max(1, round(width * scale)), max(1, round(height * scale))
''',
        "scale = max_height / height",
        "scale = min(scale, max_height / height)",
    ),
    (
        "histogram_bins",
        r'''def histogram(values, bins=10):
    """Count values in bins of equal width between their minimum and maximum.

    Returns (counts, edges) with one edge more than counts. The last bin
    includes the maximum.
    """
    if not values:
        raise ValueError("no values")
    low, high = min(values), max(values)
    if low == high:
        low, high = low - 0.5, high + 0.5
    width = (high - low) / bins
    counts = [0] * bins
    for value in values:
        index = int((value - low) / width)
        counts[index] += 1
    edges = [low + i * width for i in range(bins + 1)]
    return counts, edges
''',
        "index = int((value - low) / width)",
        "index = min(int((value - low) / width), bins - 1)",
    ),
    (
        "interpolate",
        r'''from bisect import bisect_right


def interpolate(xs, ys, x):
    """Linear interpolation in a table with increasing xs.

    Outside of the table the first or the last value of ys is returned.
    """
    if len(xs) != len(ys) or not xs:
        raise ValueError("xs and ys must be of the same size and not empty")
    if x <= xs[0]:
        return ys[0]
    if x >= xs[-1]:
        return ys[-1]
    i = bisect_right(xs, x)
    x0, x1 = xs[i - 1], xs[i]
    y0, y1 = ys[i - 1], ys[i]
    return y0 + (y1 - y0) * (x - x0) / (x1 + x0)
''',
        "(x1 + x0)",
        "(x1 - x0)",
    ),
    (
        "simpson",
        r'''def simpson(func, a, b, n=100):
    """Integrate func from a to b by Simpson's rule with n (even) steps."""
    if n < 2 or n % 2:
        raise ValueError("n must be an even positive number")
    h = (b - a) / n
    total = func(a) + func(b)
    for i in range(1, n):
        weight = 4 if i % 2 else 2
        total += weight * func(i * h)
    return total * h / 3
''',
        "func(i * h)",
        "func(a + i * h)",
    ),
    (
        "determinant",
        r'''def determinant(matrix):
    """Return the determinant of a square matrix by Gaussian elimination."""
    rows = [list(map(float, row)) for row in matrix]
    n = len(rows)
    result = 1.0
    for col in range(n):
        pivot = max(range(col, n), key=lambda r: abs(rows[r][col]))
        if rows[pivot][col] == 0:
            return 0.0
        if pivot != col:
            rows[pivot], rows[col] = rows[col], rows[pivot]
        result *= rows[col][col]
        for r in range(col + 1, n):
            factor = rows[r][col] / rows[col][col]
            for c in range(col, n):
                rows[r][c] -= factor * rows[col][c]
    return result
''',
        "            rows[pivot], rows[col] = rows[col], rows[pivot]\n",
        "            rows[pivot], rows[col] = rows[col], rows[pivot]\n            result = -result\n",
    ),
    (
        "weighted_choice",
        r'''import random


def weighted_choice(weights, rng=random):
    """Return a random key of a dict with probability proportional to its value.

    Keys with weight zero are never chosen. Raises ValueError if no weight is
    positive or one is negative.
    """
    if any(weight < 0 for weight in weights.values()):
        raise ValueError("negative weight")
    total = sum(weights.values())
    if total <= 0:
        raise ValueError("no positive weight")
    point = rng.random() * total
    for key, weight in weights.items():
        if weight == 0:
            continue
        if point < weight:
            break
    return key
''',
        "        if point < weight:\n            break\n",
        "        if point < weight:\n            break\n        point -= weight\n",
    ),
    (
        "reservoir_sample",
        r'''import random


def sample(iterable, k, rng=random):
    """Draw k items of an iterable of unknown length with equal probability.

    Fewer items are returned if the iterable is shorter than k.
    """
    if k < 0:
        raise ValueError("k must not be negative")
    reservoir = []
    for index, item in enumerate(iterable):
        if index < k:
            reservoir.append(item)
        else:
            slot = rng.randint(0, index)
            reservoir[slot % k] = item
    return reservoir
''',
        "            reservoir[slot % k] = item\n",
        "            if slot < k:\n                reservoir[slot] = item\n",
    ),
    (
        "route_regex",
        r'''import re

CONVERTERS = {"int": (r"\d+", int), "str": (r"[^/]+", str), "path": (r".+", str)}


class Route:
    """Matches URL paths against a pattern such as '/user/<int:id>/edit'."""

    def __init__(self, pattern, handler):
        self.handler = handler
        self.converters = {}
        regex = ""
        for piece in re.split(r"(<[^>]+>)", pattern):
            if piece.startswith("<"):
                kind, colon, name = piece[1:-1].rpartition(":")
                expression, convert = CONVERTERS[kind or "str"]
                regex += f"(?P<{name}>{expression})"
                self.converters[name] = convert
            else:
                regex += re.escape(piece)
        self.regex = re.compile(regex)

    def match(self, path):
        """Return the converted arguments if the whole path matches, else None."""
        found = self.regex.match(path)
        if found is None:
            return None
        return {name: self.converters[name](text) for name, text in found.groupdict().items()}
''',
        "self.regex.match(path)",
        "self.regex.fullmatch(path)",
    ),
    (
        "async_gather_limit",
        r'''import asyncio


async def gather_limited(limit, *coroutines):
    """Run coroutines with at most `limit` of them at a time.

    Returns their results in the order of the arguments.
    """
    if limit < 1:
        raise ValueError("limit must be at least 1")
    semaphore = asyncio.Semaphore(limit)

    async def run(coroutine):
        async with semaphore:
            return coroutine

    return await asyncio.gather(*(run(coroutine) for coroutine in coroutines))
''',
        "            return coroutine\n",
        "            return await coroutine\n",
    ),
    (
        "http_error_init",
        r'''class APIError(Exception):
    """Base of the errors that the API reports to its clients."""

    status = 500

    def __init__(self, message, details=None):
        super().__init__(message)
        self.message = message
        self.details = details or {}

    def to_dict(self):
        return {"status": self.status, "error": self.message, "details": self.details}


class ValidationError(APIError):
    """Input that cannot be accepted, with messages for each of the fields."""

    status = 422

    def __init__(self, fields):
        self.fields = fields
        names = ", ".join(sorted(fields))
        super().__init__(f"invalid: {names}", details=names)
''',
        "details=names",
        "details=fields",
    ),
    (
        "tree_walk_filter",
        r'''class TreeNode:
    """A node of a document tree."""

    def __init__(self, tag, attrs=None, children=()):
        self.tag = tag
        self.attrs = attrs or {}
        self.children = list(children)

    def find_by_id(self, value):
        """Return the first node in document order with that id, or None."""
        if self.attrs.get("id") == value:
            return self
        for child in self.children:
            found = child.find_by_id(value)
            return found
        return None

    def find_all(self, tag):
        """Yield the descendants with that tag in document order."""
        for child in self.children:
            if child.tag == tag:
                yield child
            yield from child.find_all(tag)
''',
        "            return found\n",
        "            if found is not None:\n                return found\n",
    ),
    (
        "blueprint_state",
        r'''class Blueprint:
    """A group of routes that is registered under a common prefix."""

    routes = []

    def __init__(self, name, prefix=""):
        self.name = name
        self.prefix = prefix.rstrip("/")

    def route(self, path):
        """Decorator that adds a handler for a path of this blueprint."""
        def decorate(func):
            self.routes.append((path, func))
            return func
        return decorate

    def register(self, app_routes):
        """Add the routes of this blueprint to the dict of an application."""
        for path, func in self.routes:
            full = self.prefix + "/" + path.lstrip("/")
            if full in app_routes:
                raise ValueError(f"route {full} is already taken")
            app_routes[full] = func
        return app_routes
''',
        """    routes = []

    def __init__(self, name, prefix=""):
        self.name = name
""",
        """    def __init__(self, name, prefix=""):
        self.routes = []
        self.name = name
""",
    ),
    (
        "default_list_param",
        r'''def collect_files(tree, suffix, prefix="", found=[]):
    """Return the paths in a directory tree that end with suffix.

    The tree is a dict that maps names to a dict (a directory) or to anything
    else (a file). The result is sorted within each directory.
    """
    for name in sorted(tree):
        entry = tree[name]
        path = f"{prefix}/{name}" if prefix else name
        if isinstance(entry, dict):
            collect_files(entry, suffix, path, found)
        elif name.endswith(suffix):
            found.append(path)
    return found
''',
        '''found=[]):
    """Return the paths in a directory tree that end with suffix.

    The tree is a dict that maps names to a dict (a directory) or to anything
    else (a file). The result is sorted within each directory.
    """
''',
        '''found=None):
    """Return the paths in a directory tree that end with suffix.

    The tree is a dict that maps names to a dict (a directory) or to anything
    else (a file). The result is sorted within each directory.
    """
    if found is None:
        found = []
''',
    ),
    (
        "invoice_total",
        r'''from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


class Invoice:
    """An invoice with positions, a discount in percent and a tax rate."""

    def __init__(self, discount=0, tax_rate="0.19"):
        self.positions = []
        self.discount = Decimal(discount)
        self.tax_rate = Decimal(tax_rate)

    def add(self, text, price, quantity=1):
        self.positions.append((text, Decimal(price), quantity))

    @property
    def net(self):
        """Sum of the positions after the discount, rounded to cents."""
        total = sum((price * quantity for _, price, quantity in self.positions), Decimal(0))
        return (total * (1 - self.discount)).quantize(CENT, ROUND_HALF_UP)

    @property
    def tax(self):
        return (self.net * self.tax_rate).quantize(CENT, ROUND_HALF_UP)

    @property
    def gross(self):
        return self.net + self.tax
''',
        "(1 - self.discount)",
        "(1 - self.discount / 100)",
    ),
    (
        "split_amount",
        r'''def split_evenly(cents, people):
    """Divide an amount of cents so that nothing is lost.

    Returns a list with the share of each person; the shares differ by at
    most one cent and the larger ones come first.
    """
    if people < 1:
        raise ValueError("at least one person is needed")
    if cents < 0:
        raise ValueError("amount must not be negative")
    share, rest = divmod(cents, people)
    shares = []
    for i in range(people):
        extra = 1 if i <= rest else 0
        shares.append(share + extra)
    return shares
''',
        "i <= rest",
        "i < rest",
    ),
    (
        "upload_hash",
        r'''import hashlib


def store_upload(stream, storage, chunk_size=65536):
    """Save an uploaded binary file under the name of its SHA-256 digest.

    `storage` is a dict from digest to content; a file that is already there
    is not stored again. Returns (digest, size, whether it is new). The stream
    must be seekable.
    """
    sha = hashlib.sha256()
    size = 0
    while True:
        chunk = stream.read(chunk_size)
        if not chunk:
            break
        sha.update(chunk)
        size += len(chunk)
    digest = sha.hexdigest()
    is_new = digest not in storage
    if is_new:
        storage[digest] = stream.read()
    return digest, size, is_new
''',
        "        storage[digest] = stream.read()\n",
        "        stream.seek(0)\n        storage[digest] = stream.read()\n",
    ),
    (
        "timer_units",
        r'''import time


class Stopwatch:
    """Measures time over several laps."""

    def __init__(self, clock=time.perf_counter):
        self.clock = clock
        self.elapsed = 0.0
        self._started = None

    @property
    def running(self):
        return self._started is not None

    def start(self):
        if self.running:
            raise RuntimeError("already running")
        self._started = self.clock()

    def stop(self):
        """Stop and return the seconds of all laps together."""
        if not self.running:
            raise RuntimeError("not running")
        self.elapsed = self.clock() - self._started
        self._started = None
        return self.elapsed

    def reset(self):
        self.elapsed = 0.0
        self._started = None
''',
        "self.elapsed = self.clock() - self._started",
        "self.elapsed += self.clock() - self._started",
    ),
    (
        "callback_closure",
        r'''class Menu:
    """A menu of a text interface; the entries are chosen by their number."""

    def __init__(self, title):
        self.title = title
        self.entries = []

    def add(self, label, action):
        self.entries.append((label, action))

    def add_choices(self, values, on_select):
        """Add an entry for each value that calls on_select with this value."""
        for value in values:
            self.add(str(value), lambda: on_select(value))

    def render(self):
        lines = [self.title]
        lines += [f"{i}. {label}" for i, (label, _) in enumerate(self.entries, 1)]
        return "\n".join(lines)

    def choose(self, number):
        """Run the action of an entry, counted from 1 as shown."""
        if not 1 <= number <= len(self.entries):
            raise ValueError(f"no entry {number}")
        return self.entries[number - 1][1]()
''',
        "lambda: on_select(value)",
        "lambda value=value: on_select(value)",
    ),
    (
        "group_rows",
        r'''def group_rows(rows, key):
    """Group dicts by the value of a column.

    Returns a list of (value, rows) in the order in which the values occur
    first. Rows without the column are in the group None.
    """
    groups = {}
    for row in rows:
        groups.setdefault(row[key], []).append(row)
    return list(groups.items())


def count_by(rows, key):
    """Return {value: number of rows}, the largest group first."""
    counts = [(value, len(members)) for value, members in group_rows(rows, key)]
    counts.sort(key=lambda item: item[1], reverse=True)
    return dict(counts)
''',
        "row[key]",
        "row.get(key)",
    ),
    (
        "table_format",
        r'''def format_table(headers, rows, gap=2):
    """Format a table as text with columns that are wide enough.

    Numbers are aligned to the right, everything else to the left. A line of
    hyphens separates the headers from the rows.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [len(header) for header in headers]
    for row in cells:
        for i, cell in enumerate(row):
            widths[i] = max(widths[i], len(cell))
    sep = " " * gap
    lines = [sep.join(h.ljust(w) for h, w in zip(headers, widths)).rstrip()]
    lines.append(sep.join("-" * w for w in widths))
    for row, texts in zip(rows, cells):
        parts = []
        for value, text, width in zip(row, texts, widths):
            if isinstance(text, (int, float)):
                parts.append(text.rjust(width))
            else:
                parts.append(text.ljust(width))
        lines.append(sep.join(parts).rstrip())
    return "\n".join(lines)
''',
        "isinstance(text, (int, float))",
        "isinstance(value, (int, float))",
    ),
    (
        "left_join",
        r'''def left_join(left, right, on, suffix="_right"):
    """Join two lists of dicts on a column, keeping all rows of the left one.

    A left row is repeated for each right row that matches. Columns of the
    right side that exist on the left get the suffix; without a match they
    are None.
    """
    index = {}
    columns = []
    for row in right:
        index.setdefault(row[on], []).append(row)
        for column in row:
            if column != on and column not in columns:
                columns.append(column)
    result = []
    for row in left:
        for match in index.get(row[on], []):
            joined = dict(row)
            for column in columns:
                name = column + suffix if column in row else column
                joined[name] = match.get(column)
            result.append(joined)
    return result
''',
        "index.get(row[on], [])",
        "index.get(row[on], [{}])",
    ),
    (
        "card_order",
        r'''import functools


@functools.total_ordering
class Card:
    """A playing card; cards are ordered by rank and then by suit."""

    RANKS = "23456789TJQKA"
    SUITS = "CDHS"

    def __init__(self, text):
        rank, suit = text
        if rank not in self.RANKS or suit not in self.SUITS:
            raise ValueError(f"invalid card: {text!r}")
        self.rank = rank
        self.suit = suit

    def _key(self):
        return self.RANKS.index(self.rank), self.SUITS.index(self.suit)

    def __eq__(self, other):
        if not isinstance(other, Card):
            return NotImplemented
        return self._key() == other._key()

    def __lt__(self, other):
        if not isinstance(other, Card):
            return NotImplemented
        return self._key() < other._key()

    def __hash__(self):
        return hash(id(self))
''',
        "hash(id(self))",
        "hash(self._key())",
    ),
    (
        "mailbox_reply",
        r'''class Message:
    """An e-mail in a simple form."""

    def __init__(self, sender, to, subject, body, cc=()):
        self.sender = sender
        self.to = list(to)
        self.cc = list(cc)
        self.subject = subject
        self.body = body

    def reply(self, me, text, to_all=False):
        """Return an answer that quotes the message.

        It goes to the sender; with `to_all` the other recipients get a copy,
        but not the person who answers. 'Re:' is not repeated in the subject.
        """
        subject = self.subject
        if not subject.lower().startswith("re:"):
            subject = "Re: " + subject
        cc = []
        if to_all:
            for address in self.to + self.cc:
                if address not in (me, self.sender) and address not in cc:
                    cc.append(address)
        quoted = "\n".join("> " + line for line in self.body.splitlines())
        return Message(me, self.sender, subject, f"{quoted}\n\n{text}", cc)
''',
        "Message(me, self.sender, subject,",
        "Message(me, [self.sender], subject,",
    ),
    (
        "plugin_registry",
        r'''class Registry:
    """Holds plugins by name; names are case-insensitive."""

    def __init__(self):
        self._plugins = {}

    def register(self, name=None, override=False):
        """Decorator for classes; the name of the class is the default name.

        Raises KeyError if the name is taken, unless `override` is set.
        """
        def decorate(cls):
            key = (name or cls.__name__).lower()
            if key in self._plugins and not override:
                raise KeyError(f"plugin {key!r} exists")
            self._plugins[key] = cls
        return decorate

    def create(self, name, *args, **kwargs):
        try:
            cls = self._plugins[name.lower()]
        except KeyError:
            known = ", ".join(sorted(self._plugins))
            raise KeyError(f"unknown plugin {name!r}, known: {known}") from None
        return cls(*args, **kwargs)
''',
        "            self._plugins[key] = cls\n",
        "            self._plugins[key] = cls\n            return cls\n",
    ),
    (
        "subprocess_env",
        r'''import os
import subprocess


class CommandError(Exception):
    def __init__(self, command, code, output):
        super().__init__(f"{command[0]} exited with status {code}")
        self.code = code
        self.output = output


def run(command, cwd=None, env=None, check=True):
    """Run a command and return its standard output as text.

    `env` gives variables in addition to those of the current process. With
    `check` a status other than 0 raises CommandError.
    """
    full_env = None
    if env is not None:
        full_env = dict(os.environ)
        full_env.update(env)
    result = subprocess.run(
        command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if check and result.returncode != 0:
        raise CommandError(command, result.returncode, result.stderr)
    return result.stdout
''',
        "env=env, stdout",
        "env=full_env, stdout",
    ),
    (
        "markdown_inline",
        r'''import html
import re


def render_inline(text):
    """Render **bold**, *italic*, `code` and [links](url) as HTML.

    Special characters of HTML are escaped; a link may only lead to http,
    https or a path of the same site.
    """
    text = html.escape(text, quote=True)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*(.+)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"\*(.+?)\*", r"<em>\1</em>", text)

    def link(match):
        label, url = match.groups()
        if not re.match(r"https?://|/", url):
            return label
        return f'<a href="{url}">{label}</a>'

    return re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", link, text)
''',
        r'''r"\*\*(.+)\*\*"''',
        r'''r"\*\*(.+?)\*\*"''',
    ),
    (
        "markdown_toc",
        r'''def build_toc(lines):
    """Return the headings of a Markdown text as (level, title) pairs.

    Headings are lines of one to six '#' and a space. Lines inside of fenced
    code blocks (between lines that start with three backticks) do not count.
    """
    toc = []
    in_code = False
    for line in lines:
        if line.startswith("```"):
            in_code = True
            continue
        if in_code:
            continue
        marks, space, title = line.partition(" ")
        if space and marks and set(marks) == {"#"} and len(marks) <= 6:
            toc.append((len(marks), title.strip().rstrip("#").rstrip()))
    return toc


def render_toc(toc):
    """Format the headings as an indented list."""
    return "\n".join("  " * (level - 1) + "- " + title for level, title in toc)
''',
        "in_code = True",
        "in_code = not in_code",
    ),
    (
        "state_machine_order",
        r'''class InvalidTransition(Exception):
    pass


class Order:
    """An order in a shop that goes through a number of states."""

    TRANSITIONS = {
        "new": {"paid", "cancelled"},
        "paid": {"shipped", "refunded"},
        "shipped": {"delivered"},
        "delivered": {"refunded"},
    }

    def __init__(self):
        self.state = "new"
        self.log = []

    @property
    def is_final(self):
        return not self.TRANSITIONS.get(self.state)

    def advance(self, state):
        """Go to another state and log (old, new) if that is allowed."""
        if state not in self.TRANSITIONS[self.state]:
            raise InvalidTransition(f"{self.state} -> {state}")
        self.log.append((self.state, state))
        self.state = state
''',
        "self.TRANSITIONS[self.state]",
        "self.TRANSITIONS.get(self.state, ())",
    ),
    (
        "line_reader",
        r'''class LineReader:
    """Assembles lines from blocks of bytes as they come from a socket."""

    def __init__(self, encoding="utf-8", max_length=65536):
        self.encoding = encoding
        self.max_length = max_length
        self._rest = b""

    def feed(self, data):
        """Take a block and return the lines that are complete now.

        Lines end with '\n' or '\r\n'; the ends are removed. An incomplete
        line is kept for the next call.
        """
        *lines, self._rest = data.split(b"\n")
        if len(self._rest) > self.max_length:
            raise ValueError("line too long")
        return [self._decode(line) for line in lines]

    def close(self):
        """Return the last line if it was not ended, otherwise None."""
        rest, self._rest = self._rest, b""
        return self._decode(rest) if rest else None

    def _decode(self, line):
        if line.endswith(b"\r"):
            line = line[:-1]
        return line.decode(self.encoding)
''',
        'data.split(b"\\n")',
        '(self._rest + data).split(b"\\n")',
    ),
    (
        "contingency_counter",
        r'''class Counter2D:
    """Counts pairs (row, column) and knows the totals of both directions."""

    def __init__(self):
        self.cells = {}
        self.row_totals = {}
        self.column_totals = {}
        self.total = 0

    def add(self, row, column, count=1):
        self.cells[row, column] = self.cells.get((row, column), 0) + count
        self.row_totals[row] = self.row_totals.get(row, 0) + count
        self.column_totals[column] = self.column_totals.get(column, 0) + count
        self.total += 1

    def expected(self, row, column):
        """The count to be expected if rows and columns are independent."""
        return self.row_totals[row] * self.column_totals[column] / self.total

    def chi_square(self):
        """Sum of (observed - expected)^2 / expected over all the cells."""
        result = 0.0
        for row in self.row_totals:
            for column in self.column_totals:
                expected = self.expected(row, column)
                result += (self.cells.get((row, column), 0) - expected) ** 2 / expected
        return result
''',
        "self.total += 1",
        "self.total += count",
    ),
    (
        "median_quantile",
        r'''def median(values):
    """Return the median: the middle value, or the mean of the middle two."""
    ordered = sorted(values)
    n = len(ordered)
    if n == 0:
        raise ValueError("no values")
    middle = n // 2
    if n % 2 == 1:
        return ordered[middle]
    return (ordered[middle] + ordered[middle + 1]) / 2


def mad(values):
    """Return the median absolute deviation from the median."""
    center = median(values)
    return median([abs(value - center) for value in values])
''',
        "ordered[middle] + ordered[middle + 1]",
        "ordered[middle - 1] + ordered[middle]",
    ),
    (
        "softmax",
        r'''from math import exp, log


def softmax(scores):
    """Turn scores into probabilities, also when the scores are large."""
    top = max(scores)
    weights = [exp(score) for score in scores]
    total = sum(weights)
    return [weight / total for weight in weights]


def cross_entropy(scores, target):
    """Return the negative log-probability of the target index."""
    top = max(scores)
    log_total = top + log(sum(exp(score - top) for score in scores))
    return log_total - scores[target]
''',
        "weights = [exp(score) for score in scores]",
        "weights = [exp(score - top) for score in scores]",
    ),
    (
        "kmeans_step",
        r'''def assign(points, centers):
    """Return for each point the index of the nearest center."""
    labels = []
    for px, py in points:
        distances = [(px - cx) ** 2 + (py - cy) ** 2 for cx, cy in centers]
        labels.append(distances.index(min(distances)))
    return labels


def update(points, labels, centers):
    """Return the new centers: the means of the points assigned to them.

    A center without points stays where it is.
    """
    result = []
    for i, center in enumerate(centers):
        members = [p for p, label in zip(points, labels) if label == i]
        if not members:
            continue
        n = len(members)
        result.append((sum(x for x, _ in members) / n, sum(y for _, y in members) / n))
    return result
''',
        "            continue\n",
        "            result.append(center)\n            continue\n",
    ),
    (
        "train_test_split",
        r'''import random


def train_test_split(rows, labels, test_share=0.25, seed=None):
    """Shuffle and split data into (train_x, test_x, train_y, test_y).

    Rows and labels stay together. The arguments are not changed. The test
    part has at least one row.
    """
    if len(rows) != len(labels):
        raise ValueError("rows and labels differ in length")
    order = list(range(len(rows)))
    random.Random(seed).shuffle(order)
    count = max(1, int(len(rows) * test_share))
    test, train = order[:count], order[count:]
    return (
        [rows[i] for i in train],
        [rows[i] for i in test],
        [labels[i] for i in test],
        [labels[i] for i in train],
    )
''',
        "        [labels[i] for i in test],\n        [labels[i] for i in train],\n",
        "        [labels[i] for i in train],\n        [labels[i] for i in test],\n",
    ),
    (
        "priority_queue",
        r'''import heapq
import itertools


class PriorityQueue:
    """A queue that gives out the task with the lowest priority number first.

    Tasks of the same priority come in the order in which they were added;
    the tasks themselves need not be comparable. A task can be removed.
    """

    def __init__(self):
        self._heap = []
        self._entries = {}
        self._counter = itertools.count()

    def add(self, task, priority=0):
        """Add a task or change the priority of one that is waiting."""
        if task in self._entries:
            self.remove(task)
        entry = [priority, next(self._counter), task, True]
        self._entries[task] = entry
        heapq.heappush(self._heap, entry)

    def remove(self, task):
        self._entries.pop(task)[3] = False

    def pop(self):
        while self._heap:
            _, _, task, alive = heapq.heappop(self._heap)
            if alive:
                return task
        raise KeyError("queue is empty")
''',
        "                return task\n",
        "                del self._entries[task]\n                return task\n",
    ),
    (
        "spiral_order",
        r'''def spiral(matrix):
    """Return the items of a rectangular matrix in clockwise spiral order."""
    result = []
    if not matrix or not matrix[0]:
        return result
    top, bottom = 0, len(matrix) - 1
    left, right = 0, len(matrix[0]) - 1
    while top <= bottom and left <= right:
        for c in range(left, right + 1):
            result.append(matrix[top][c])
        for r in range(top + 1, bottom + 1):
            result.append(matrix[r][right])
        if top < bottom:
            for c in range(right - 1, left - 1, -1):
                result.append(matrix[bottom][c])
            for r in range(bottom - 1, top, -1):
                result.append(matrix[r][left])
        top, bottom = top + 1, bottom - 1
        left, right = left + 1, right - 1
    return result
''',
        "if top < bottom:",
        "if top < bottom and left < right:",
    ),
    (
        "lcs_diff",
        r'''def diff(old, new):
    """Return the edit script of two lists of lines by their longest common
    subsequence: ('=', line), ('-', line) and ('+', line) entries.
    """
    n, m = len(old), len(new)
    length = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            if old[i] == new[j]:
                length[i][j] = length[i + 1][j + 1] + 1
            else:
                length[i][j] = max(length[i + 1][j], length[i][j + 1])
    script = []
    i = j = 0
    while i < n and j < m:
        if old[i] == new[j]:
            script.append(("=", old[i]))
            i, j = i + 1, j + 1
        elif length[i + 1][j] >= length[i][j + 1]:
            script.append(("-", old[i]))
            i += 1
        else:
            script.append(("+", new[j]))
            j += 1
    script += [("-", line) for line in old[i:]]
    return script
''',
        """    script += [("-", line) for line in old[i:]]
""",
        """    script += [("-", line) for line in old[i:]]
    script += [("+", line) for line in new[j:]]
""",
    ),
    (
        "two_coloring",
        r'''def two_color(graph):
    """Color the nodes of an undirected graph with 0 and 1.

    Neighbours get different colors. Returns a dict, or None if the graph is
    not bipartite. `graph` maps every node to its neighbours; it need not be
    connected.
    """
    color = {}
    for start in graph:
        if start in color:
            continue
        color[start] = 0
        queue = [start]
        while queue:
            node = queue.pop()
            for other in graph[node]:
                if other not in color:
                    color[other] = 1 - color[start]
                    queue.append(other)
                elif color[other] == color[node]:
                    return None
    return color
''',
        "1 - color[start]",
        "1 - color[node]",
    ),
    (
        "varint",
        r'''def encode_varint(number):
    """Encode a number >= 0 in groups of 7 bits, the lowest group first.

    All bytes but the last one have the highest bit set.
    """
    if number < 0:
        raise ValueError("number must not be negative")
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def decode_varint(data, offset=0):
    """Return (number, offset of the byte after it)."""
    number = 0
    shift = 0
    while True:
        if offset >= len(data):
            raise EOFError("incomplete number")
        byte = data[offset]
        offset += 1
        number |= (byte & 0x7F) << shift
        if not byte & 0x80:
            return number, offset
        shift += 8
''',
        "shift += 8",
        "shift += 7",
    ),
    (
        "huffman",
        r'''import heapq
from collections import Counter


def huffman_codes(text):
    """Return a prefix code {char: bits} that is optimal for the text.

    A text with only one kind of character gets the code '0'.
    """
    counts = Counter(text)
    heap = [(count, i, char) for i, (char, count) in enumerate(sorted(counts.items()))]
    heapq.heapify(heap)
    serial = len(heap)
    while len(heap) > 1:
        count_a, _, a = heapq.heappop(heap)
        count_b, _, b = heapq.heappop(heap)
        heapq.heappush(heap, (count_a + count_b, serial, (a, b)))
        serial += 1
    codes = {}

    def assign(tree, prefix):
        if isinstance(tree, tuple):
            assign(tree[0], prefix + "0")
            assign(tree[1], prefix + "1")
        else:
            codes[tree] = prefix

    if heap:
        assign(heap[0][2], "")
    return codes
''',
        "codes[tree] = prefix",
        'codes[tree] = prefix or "0"',
    ),
    (
        "bowling",
        r'''def bowling_score(rolls):
    """Return the score of a complete game of ten-pin bowling.

    A strike counts 10 and the next two rolls, a spare 10 and the next roll.
    The extra rolls after the tenth frame count only as such a bonus.
    """
    score = 0
    i = 0
    for _ in range(10):
        if rolls[i] == 10:
            score += 10 + rolls[i + 1] + rolls[i + 2]
            i += 1
        elif rolls[i] + rolls[i + 1] == 10:
            score += 10 + rolls[i + 1]
            i += 2
        else:
            score += rolls[i] + rolls[i + 1]
            i += 2
    return score
''',
        "score += 10 + rolls[i + 1]\n",
        "score += 10 + rolls[i + 2]\n",
    ),
    (
        "avl_rotate",
        r'''class AVLNode:
    """A node of a balanced search tree; a leaf has height 1."""

    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None
        self.height = 1


def height(node):
    return node.height if node else 0


def update(node):
    node.height = 1 + max(height(node.left), height(node.right))


def rotate_left(node):
    """Rotate so that the right child becomes the root; return the new root."""
    pivot = node.right
    node.right = pivot.left
    pivot.left = node
    update(pivot)
    update(node)
    return pivot
''',
        "    update(pivot)\n    update(node)\n",
        "    update(node)\n    update(pivot)\n",
    ),
    (
        "polynomial",
        r'''class Polynomial:
    """A polynomial; coefficients are given from the lowest power on."""

    def __init__(self, coefficients):
        self.coefficients = list(coefficients)
        while len(self.coefficients) > 1 and self.coefficients[-1] == 0:
            self.coefficients.pop()

    def __call__(self, x):
        result = 0
        for coefficient in reversed(self.coefficients):
            result = result * x + coefficient
        return result

    def __mul__(self, other):
        product = [0] * (len(self.coefficients) + len(other.coefficients) - 1)
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(other.coefficients):
                product[i + j] = a * b
        return Polynomial(product)

    def derivative(self):
        if len(self.coefficients) == 1:
            return Polynomial([0])
        return Polynomial(i * c for i, c in enumerate(self.coefficients) if i)
''',
        "product[i + j] = a * b",
        "product[i + j] += a * b",
    ),
    (
        "truncate_utf8",
        r'''def truncate_bytes(text, limit, ellipsis="..."):
    """Shorten text so that it takes at most `limit` bytes in UTF-8.

    A text that is cut ends with the ellipsis, which counts as well. No
    character is cut in two.
    """
    data = text.encode("utf-8")
    if len(data) <= limit:
        return text
    tail = ellipsis.encode("utf-8")
    if len(tail) > limit:
        raise ValueError("limit is too small for the ellipsis")
    head = data[:limit]
    while head:
        try:
            return head.decode("utf-8") + ellipsis
        except UnicodeDecodeError:
            head = head[:-1]
    return ellipsis
''',
        "head = data[:limit]",
        "head = data[:limit - len(tail)]",
    ),
    (
        "webhook_signature",
        r'''import hashlib
import hmac
import time


def sign(secret, timestamp, body):
    """Return the signature of a webhook as a hexadecimal string."""
    message = str(timestamp).encode() + b"." + body
    return hmac.new(secret, message, hashlib.sha256).hexdigest()


def verify(secret, header, body, tolerance=300, now=None):
    """Check a header such as 't=1700000000,v1=ab12...'.

    The timestamp may differ from the current time by `tolerance` seconds in
    either direction. There can be several signatures; one has to be right.
    """
    now = time.time() if now is None else now
    timestamp = None
    signatures = []
    for item in header.split(","):
        name, _, value = item.strip().partition("=")
        if name == "t" and value.isdigit():
            timestamp = int(value)
        elif name == "v1":
            signatures.append(value)
    if timestamp is None or now - timestamp > tolerance:
        return False
    expected = sign(secret, timestamp, body)
    return any(hmac.compare_digest(expected, value) for value in signatures)
''',
        "now - timestamp > tolerance",
        "abs(now - timestamp) > tolerance",
    ),
    (
        "safe_redirect",
        r'''from urllib.parse import urlsplit


def safe_redirect(target, host, default="/"):
    """Return the target of a redirect after login if it is safe.

    Allowed are paths of this site and http(s) URLs of the same host; all
    else, such as '//evil.example' or 'javascript:...', gives the default.
    """
    if not target:
        return default
    target = target.strip().replace("\\", "/")
    try:
        parts = urlsplit(target)
    except ValueError:
        return default
    if not parts.scheme and not parts.netloc:
        return target if target.startswith("/") else default
    if parts.scheme not in ("http", "https", ""):
        return default
    if not parts.netloc.endswith(host):
        return default
    return target
''',
        "if not parts.netloc.endswith(host):",
        "if parts.netloc != host:",
    ),
    (
        "migrations",
        r'''import re


def pending_migrations(filenames, applied):
    """Return the migrations that are still to be run, in order.

    A migration is a file such as '12_add_users.sql'; other files are ignored.
    They are ordered by their number. `applied` holds names without '.sql'.
    """
    found = []
    for filename in filenames:
        match = re.fullmatch(r"(\d+)_(\w+)\.sql", filename)
        if match is None:
            continue
        name = filename[:-len(".sql")]
        found.append((match.group(1), name))
    numbers = [number for number, _ in found]
    if len(numbers) != len(set(numbers)):
        raise ValueError("two migrations have the same number")
    return [name for _, name in sorted(found) if name not in applied]
''',
        "found.append((match.group(1), name))",
        "found.append((int(match.group(1)), name))",
    ),
    (
        "log_rotate",
        r'''import os


def rotate(path, keep=5):
    """Rename log files: path -> path.1 -> path.2 and so on.

    At most `keep` old files remain; the oldest one is removed. Nothing is done
    if there is no file to rotate.
    """
    if not os.path.exists(path):
        return False
    oldest = f"{path}.{keep}"
    if os.path.exists(oldest):
        os.remove(oldest)
    for number in range(1, keep):
        source = f"{path}.{number}"
        if os.path.exists(source):
            os.replace(source, f"{path}.{number + 1}")
    os.replace(path, f"{path}.1")
    return True
''',
        "range(1, keep)",
        "range(keep - 1, 0, -1)",
    ),
    (
        "chat_command",
        r'''class CommandBot:
    """Dispatches chat messages such as '!say hello world' to functions."""

    def __init__(self, prefix="!"):
        self.prefix = prefix
        self.commands = {}

    def command(self, name, aliases=()):
        """Decorator that registers a function (user, argument text)."""
        def decorate(func):
            for key in (name, *aliases):
                self.commands[key.lower()] = func
            return func
        return decorate

    def handle(self, user, message):
        """Return the answer to a message, None if it is not a command."""
        message = message.strip()
        if not message.startswith(self.prefix):
            return None
        name, _, rest = message.partition(" ")
        func = self.commands.get(name.lower())
        if func is None:
            return f"Unknown command: {name}"
        return func(user, rest.strip())
''',
        'message.partition(" ")',
        'message[len(self.prefix):].partition(" ")',
    ),
    (
        "calendar_conflicts",
        r'''class Calendar:
    """Appointments with a start and an end (the end is exclusive)."""

    def __init__(self):
        self.appointments = []

    def conflicts(self, start, end):
        """Return the appointments that overlap with a period."""
        return [
            item for item in self.appointments
            if start < item["end"] and item["start"] < end
        ]

    def book(self, title, start, end):
        if end <= start:
            raise ValueError("end must be after start")
        if self.conflicts(start, end):
            raise ValueError("the time is not free")
        self.appointments.append({"title": title, "start": start, "end": end})

    def move(self, title, start, end):
        """Move an appointment; it may overlap with its own former time."""
        for item in self.appointments:
            if item["title"] == title:
                if self.conflicts(start, end):
                    raise ValueError("the time is not free")
                item["start"], item["end"] = start, end
                return
        raise KeyError(title)
''',
        """                if self.conflicts(start, end):
""",
        """                if any(other is not item for other in self.conflicts(start, end)):
""",
    ),
    (
        "password_policy",
        r'''import string


def password_problems(password, username="", min_length=10):
    """Return a list of what is wrong with a new password (empty if good).

    It must be long enough, contain a lower-case letter, an upper-case letter
    and a digit or punctuation, and it must not contain the user's name.
    """
    problems = []
    if len(password) < min_length:
        problems.append(f"shorter than {min_length} characters")
    if not any(char.islower() for char in password):
        problems.append("no lower-case letter")
    if not any(char.isupper() for char in password):
        problems.append("no upper-case letter")
    if not any(char.isdigit() or char in string.punctuation for char in password):
        problems.append("no digit or punctuation")
    if username.lower() in password.lower():
        problems.append("contains the user name")
    return problems
''',
        "if username.lower() in password.lower():",
        "if username and username.lower() in password.lower():",
    ),
    (
        "xml_escape",
        r'''def escape(text, quotes=False):
    """Replace the special characters of XML by entities."""
    text = text.replace("<", "&lt;")
    text = text.replace(">", "&gt;")
    text = text.replace("&", "&amp;")
    if quotes:
        text = text.replace('"', "&quot;")
    return text


def element(tag, content="", **attributes):
    """Return an XML element with text content; None attributes are left out."""
    attrs = "".join(
        f' {name}="{escape(str(value), quotes=True)}"'
        for name, value in attributes.items()
        if value is not None
    )
    if not content:
        return f"<{tag}{attrs}/>"
    return f"<{tag}{attrs}>{escape(content)}</{tag}>"
''',
        """    text = text.replace("<", "&lt;")
    text = text.replace(">", "&gt;")
    text = text.replace("&", "&amp;")
""",
        """    text = text.replace("&", "&amp;")
    text = text.replace("<", "&lt;")
    text = text.replace(">", "&gt;")
""",
    ),
    (
        "cached_property",
        r'''class cached_property:
    """A property that is computed once for each instance and then kept.

    Deleting the attribute makes it be computed again. On the class itself the
    descriptor is returned.
    """

    def __init__(self, func):
        self.func = func
        self.name = func.__name__
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = instance.__dict__.get(self.name)
        if value is None:
            value = self.func(instance)
        return value
''',
        "            value = self.func(instance)\n",
        "            value = self.func(instance)\n            instance.__dict__[self.name] = value\n",
    ),
    (
        "transaction_nested",
        r'''class Store:
    """A key-value store with nested transactions."""

    def __init__(self):
        self._data = {}
        self._snapshots = []

    def get(self, key, default=None):
        return self._data.get(key, default)

    def set(self, key, value):
        self._data[key] = value

    def delete(self, key):
        self._data.pop(key, None)

    def begin(self):
        self._snapshots.append(self._data)

    def commit(self):
        """Keep the changes of the innermost transaction."""
        if not self._snapshots:
            raise RuntimeError("no transaction")
        self._snapshots.pop()

    def rollback(self):
        """Take back the changes of the innermost transaction."""
        if not self._snapshots:
            raise RuntimeError("no transaction")
        self._data = self._snapshots.pop()
''',
        "self._snapshots.append(self._data)",
        "self._snapshots.append(dict(self._data))",
    ),
    (
        "dotenv",
        r'''import re

LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$")
REFERENCE = re.compile(r"\$\{(\w+)\}")


def load_dotenv(text, environ):
    """Read NAME=value lines of a .env file into a dict of variables.

    Values may be quoted. ${NAME} is replaced by a variable, except within
    single quotes. Variables that are already set in environ are not changed.
    """
    for line in text.splitlines():
        if line.lstrip().startswith("#"):
            continue
        match = LINE.match(line)
        if match is None:
            continue
        name, value = match.groups()
        literal = value.startswith("'")
        if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        if not literal:
            value = REFERENCE.sub(lambda m: environ.get(m.group(1), ""), value)
        environ[name] = value
    return environ
''',
        "environ[name] = value",
        "environ.setdefault(name, value)",
    ),
    (
        "feature_rollout",
        r'''import hashlib


class FeatureFlags:
    """Switches features on for a percentage of the users.

    A user always gets the same answer, and different features are switched on
    for different users. Users in `allow` always have the feature.
    """

    def __init__(self, flags):
        self.flags = flags

    def _bucket(self, feature, user_id):
        digest = hashlib.md5(f"{user_id}".encode()).hexdigest()
        return int(digest[:8], 16) % 100

    def is_enabled(self, feature, user_id):
        flag = self.flags.get(feature)
        if flag is None:
            return False
        if user_id in flag.get("allow", ()):
            return True
        return self._bucket(feature, user_id) < flag.get("percent", 0)
''',
        'f"{user_id}".encode()',
        'f"{feature}:{user_id}".encode()',
    ),
    (
        "shopping_cart",
        r'''class Cart:
    """A shopping cart; prices are in cents."""

    def __init__(self, free_shipping_from=5000, shipping=490):
        self.free_shipping_from = free_shipping_from
        self.shipping = shipping
        self.items = {}
        self.coupon = None

    def add(self, sku, price, quantity=1):
        """Add an article; more of the same article increases the quantity."""
        _, before = self.items.get(sku, (price, 0))
        self.items[sku] = (price, before + quantity)

    def subtotal(self):
        return sum(price * quantity for price, quantity in self.items.values())

    def discount(self):
        """The value of the coupon, but not more than the articles cost."""
        return min(self.coupon or 0, self.subtotal())

    def total(self):
        """Price with discount and shipping; an empty cart costs nothing.

        Shipping is free if the price after the discount is high enough.
        """
        if not self.items:
            return 0
        amount = self.subtotal() - self.discount()
        if self.subtotal() < self.free_shipping_from:
            amount += self.shipping
        return amount
''',
        "if self.subtotal() < self.free_shipping_from:",
        "if amount < self.free_shipping_from:",
    ),
    (
        "dict_changes",
        r'''def changes(old, new, path=""):
    """List the differences of two nested dicts.

    Returns sorted (path, old value, new value) tuples; the path joins the keys
    by dots and a value that does not exist is given as None.
    """
    result = []
    for key in old.keys() | new.keys():
        here = f"{path}.{key}" if path else str(key)
        before = old.get(key)
        after = new.get(key)
        if isinstance(before, dict) and isinstance(after, dict):
            result.extend(changes(before, after, key))
        elif before != after:
            result.append((here, before, after))
    result.sort(key=lambda item: item[0])
    return result
''',
        "changes(before, after, key)",
        "changes(before, after, here)",
    ),
    (
        "currency_convert",
        r'''from decimal import Decimal


class Converter:
    """Converts money between currencies.

    `rates` tells how many units of a currency one unit of the base is worth,
    such as {'USD': '1.10', 'GBP': '0.85'} with the base 'EUR'.
    """

    def __init__(self, base, rates):
        self.base = base
        self.rates = {code: Decimal(rate) for code, rate in rates.items()}
        self.rates[base] = Decimal(1)

    def convert(self, amount, source, target):
        for code in (source, target):
            if code not in self.rates:
                raise KeyError(f"unknown currency: {code}")
        in_base = Decimal(amount) * self.rates[source]
        return (in_base * self.rates[target]).quantize(Decimal("0.01"))
''',
        "Decimal(amount) * self.rates[source]",
        "Decimal(amount) / self.rates[source]",
    ),
    (
        "pubsub_unsubscribe",
        r'''import threading


class PubSub:
    """Delivers messages to subscribers; may be used by several threads.

    A topic pattern that ends with '.*' stands for all topics below it.
    """

    def __init__(self):
        self._lock = threading.Lock()
        self._subscribers = []

    def subscribe(self, pattern, callback):
        """Register a callback and return a function that removes it again."""
        entry = (pattern, callback)
        with self._lock:
            self._subscribers.append(entry)

        def unsubscribe():
            with self._lock:
                if entry in self._subscribers:
                    self._subscribers.remove(entry)
        return unsubscribe

    def publish(self, topic, message):
        with self._lock:
            for pattern, callback in self._subscribers:
                prefix = pattern[:-1] if pattern.endswith(".*") else None
                if pattern == topic or (prefix and topic.startswith(prefix)):
                    callback(topic, message)
''',
        """            for pattern, callback in self._subscribers:
                prefix = pattern[:-1] if pattern.endswith(".*") else None
                if pattern == topic or (prefix and topic.startswith(prefix)):
                    callback(topic, message)
""",
        """            subscribers = list(self._subscribers)
        for pattern, callback in subscribers:
            prefix = pattern[:-1] if pattern.endswith(".*") else None
            if pattern == topic or (prefix and topic.startswith(prefix)):
                callback(topic, message)
""",
    ),
]
