"""Programs of six kinds.

Written by somebody who had not seen this project.
"""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    # ---------------------------------------------------------------- structures
    Program(
        name="booked_ranges",
        code=r'''
"""A set of whole numbers kept as sorted, disjoint ranges, for example the booked minutes of a room."""


class BookedRanges:
    """Half-open ranges [start, stop); ranges that overlap or touch are kept as one."""

    def __init__(self, ranges=()):
        self._ranges = []
        for start, stop in ranges:
            self.add(start, stop)

    def __iter__(self):
        return iter(self._ranges)

    def __contains__(self, point):
        return any(start <= point < stop for start, stop in self._ranges)

    def total(self):
        """How many numbers there are in the set."""
        return sum(stop - start for start, stop in self._ranges)

    def add(self, start, stop):
        """Adds all numbers from start up to, not including, stop."""
        if start >= stop:
            return
        kept = []
        for left, right in self._ranges:
            if right < start or left > stop:
                kept.append((left, right))
            else:
                start = min(start, left)
                stop = right
        kept.append((start, stop))
        self._ranges = sorted(kept)

    def remove(self, start, stop):
        """Takes out all numbers from start up to, not including, stop."""
        if start >= stop:
            return
        kept = []
        for left, right in self._ranges:
            if left < start:
                kept.append((left, min(right, start)))
            if right > stop:
                kept.append((max(left, stop), right))
        self._ranges = kept

    def gaps(self, start, stop):
        """The ranges between start and stop of which nothing is in the set, in order."""
        free = BookedRanges([(start, stop)])
        for left, right in self._ranges:
            free.remove(left, right)
        return list(free)
''',
        wrong="stop = right",
        right="stop = max(stop, right)",
        visible="""
def test_empty():
    booked = BookedRanges()
    assert list(booked) == []
    assert booked.total() == 0
    assert 0 not in booked
    booked.add(4, 4)
    booked.add(5, 2)
    assert list(booked) == []


def test_separate_ranges_are_sorted():
    booked = BookedRanges([(20, 30), (0, 5), (10, 12)])
    assert list(booked) == [(0, 5), (10, 12), (20, 30)]
    assert booked.total() == 17
    assert 0 in booked and 4 in booked
    assert 5 not in booked and 30 not in booked


def test_add_before_joins():
    booked = BookedRanges([(10, 20)])
    booked.add(5, 12)
    assert list(booked) == [(5, 20)]
    booked.add(3, 5)
    assert list(booked) == [(3, 20)]


def test_add_after_joins():
    booked = BookedRanges([(10, 20)])
    booked.add(15, 25)
    assert list(booked) == [(10, 25)]
    booked.add(25, 30)
    assert list(booked) == [(10, 30)]
    assert booked.total() == 20


def test_remove():
    booked = BookedRanges([(0, 10), (20, 30)])
    booked.remove(5, 25)
    assert list(booked) == [(0, 5), (25, 30)]
    booked.remove(1, 3)
    assert list(booked) == [(0, 1), (3, 5), (25, 30)]
    booked.remove(0, 100)
    assert list(booked) == []


def test_gaps():
    booked = BookedRanges([(10, 20), (30, 40)])
    assert booked.gaps(0, 50) == [(0, 10), (20, 30), (40, 50)]
    assert booked.gaps(12, 18) == []
    assert booked.gaps(15, 35) == [(20, 30)]
""",
        hidden="""
def test_bridge_between_two_ranges():
    booked = BookedRanges([(0, 5), (10, 15), (30, 31)])
    booked.add(4, 11)
    assert list(booked) == [(0, 15), (30, 31)]
    assert booked.total() == 16
    booked.add(15, 30)
    assert list(booked) == [(0, 31)]


def test_add_within_changes_nothing():
    booked = BookedRanges([(0, 100)])
    booked.add(20, 30)
    assert list(booked) == [(0, 100)]
    booked.add(0, 1)
    booked.add(99, 100)
    assert list(booked) == [(0, 100)]
    assert 99 in booked and 100 not in booked


def test_add_over_several():
    booked = BookedRanges([(2, 4), (6, 8), (10, 12)])
    booked.add(0, 20)
    assert list(booked) == [(0, 20)]
    booked = BookedRanges([(2, 4), (6, 8), (10, 12)])
    booked.add(3, 9)
    assert list(booked) == [(2, 9), (10, 12)]
    assert booked.total() == 9


def test_same_as_a_plain_set():
    steps = [(3, 9), (15, 18), (5, 16), (0, 1), (1, 3), (30, 41), (33, 35), (25, 31), (50, 52), (48, 60)]
    booked, plain = BookedRanges(), set()
    for start, stop in steps:
        booked.add(start, stop)
        plain |= set(range(start, stop))
        assert booked.total() == len(plain)
        assert {n for n in range(70) if n in booked} == plain


def test_gaps_after_long_additions():
    booked = BookedRanges([(5, 6), (4, 9)])
    assert booked.gaps(0, 10) == [(0, 4), (9, 10)]
    booked.remove(5, 7)
    assert booked.gaps(0, 10) == [(0, 4), (5, 7), (9, 10)]
""",
    ),
    Program(
        name="pairing_heap",
        code=r'''
"""A pairing heap: a priority queue that can take over another one in a single step."""


def meld(first, second=None):
    """Joins two trees (value, children) into one; the greater root becomes a child of the other."""
    if first is None or second is None:
        return first or second
    if second[0] < first[0]:
        first, second = second, first
    first[1].append(second)
    return first


class PairingHeap:
    """The smallest value comes out first."""

    def __init__(self, values=()):
        self._root = None
        self._size = 0
        for value in values:
            self.push(value)

    def __len__(self):
        return self._size

    def push(self, value):
        """Adds a value."""
        self._root = meld(self._root, (value, []))
        self._size += 1

    def peek(self):
        """The smallest value, which stays where it is."""
        if self._root is None:
            raise IndexError('empty heap')
        return self._root[0]

    def pop(self):
        """Takes out the smallest value: its children are melded in pairs, then the pairs from the last to the first."""
        value = self.peek()
        children = self._root[1]
        pairs = [meld(*children[i:i + 2]) for i in range(0, len(children) - 1, 2)]
        root = None
        for tree in reversed(pairs):
            root = meld(root, tree)
        self._root = root
        self._size -= 1
        return value

    def take_over(self, other):
        """Moves all values of the other heap into this one; the other is empty afterwards."""
        self._root = meld(self._root, other._root)
        self._size += other._size
        other._root, other._size = None, 0
''',
        wrong="len(children) - 1, 2",
        right="len(children), 2",
        visible="""
def test_empty():
    heap = PairingHeap()
    assert len(heap) == 0
    with pytest.raises(IndexError):
        heap.peek()
    with pytest.raises(IndexError):
        heap.pop()
    heap.push(3)
    assert heap.pop() == 3
    assert len(heap) == 0


def test_peek_is_the_smallest():
    heap = PairingHeap([5, 8])
    assert heap.peek() == 5
    heap.push(2)
    assert heap.peek() == 2
    heap.push(9)
    assert heap.peek() == 2
    assert len(heap) == 4


def test_pop_in_order():
    heap = PairingHeap([4, 1, 3, 9, 7])
    assert [heap.pop() for _ in range(5)] == [1, 3, 4, 7, 9]
    assert len(heap) == 0


def test_pop_twice_of_three():
    heap = PairingHeap([1, 6, 2])
    assert heap.pop() == 1
    assert heap.peek() == 2
    assert len(heap) == 2


def test_meld():
    assert meld(None) is None
    assert meld((1, []), None) == (1, [])
    assert meld((2, []), (1, [])) == (1, [(2, [])])
    assert meld((1, []), (2, [])) == (1, [(2, [])])


def test_take_over():
    one, two = PairingHeap([5, 6]), PairingHeap([3])
    one.take_over(two)
    assert len(one) == 3 and len(two) == 0
    assert one.peek() == 3
    with pytest.raises(IndexError):
        two.peek()
""",
        hidden="""
def drain(heap):
    values = []
    while len(heap):
        values.append(heap.pop())
    return values


def test_two_values():
    assert drain(PairingHeap([1, 2])) == [1, 2]
    assert drain(PairingHeap([2, 1])) == [1, 2]
    assert drain(PairingHeap([1, 1])) == [1, 1]
    assert drain(PairingHeap([1, 2, 3, 4])) == [1, 2, 3, 4]


def test_sorts_everything():
    values = [n * 37 % 101 for n in range(100)]
    assert drain(PairingHeap(values)) == sorted(values)
    assert drain(PairingHeap(range(20))) == list(range(20))
    assert drain(PairingHeap(range(20, 0, -1))) == list(range(1, 21))
    assert drain(PairingHeap('pairingheap')) == sorted('pairingheap')


def test_push_and_pop_in_turns():
    heap = PairingHeap([10, 30, 20])
    assert heap.pop() == 10
    heap.push(15)
    heap.push(40)
    assert heap.pop() == 15
    assert heap.pop() == 20
    heap.push(5)
    assert drain(heap) == [5, 30, 40]


def test_take_over_keeps_all():
    one, two = PairingHeap([1, 4, 7]), PairingHeap([2, 5, 6, 8])
    one.take_over(two)
    assert drain(one) == [1, 2, 4, 5, 6, 7, 8]
    two.push(3)
    assert drain(two) == [3]
    one.take_over(PairingHeap())
    assert drain(one) == []
""",
    ),
    Program(
        name="line_editor",
        code=r'''
"""The line that is being typed, as a text before the cursor and a text after it."""


class Line:
    """The characters after the cursor are kept in reverse order, so that the next one is the last of its list."""

    def __init__(self, text=''):
        self._before = list(text)
        self._after = []

    @property
    def text(self):
        """The whole line."""
        return ''.join(self._before) + ''.join(reversed(self._after))

    @property
    def cursor(self):
        """How many characters there are before the cursor."""
        return len(self._before)

    def type(self, text):
        """Inserts a text at the cursor, which is behind it afterwards."""
        self._before.extend(text)

    def left(self):
        """Moves the cursor one character to the left, if there is one."""
        if self._before:
            self._after.append(self._before.pop())

    def right(self):
        """Moves the cursor one character to the right, if there is one."""
        if self._after:
            self._before.append(self._after.pop())

    def home(self):
        """Moves the cursor to the start of the line."""
        self._after.extend(self._before)
        self._before.clear()

    def end(self):
        """Moves the cursor to the end of the line."""
        while self._after:
            self.right()

    def backspace(self):
        """Deletes the character before the cursor, if there is one."""
        if self._before:
            self._before.pop()

    def kill(self):
        """Deletes everything after the cursor and returns it."""
        killed = ''.join(reversed(self._after))
        self._after.clear()
        return killed
''',
        wrong="self._after.extend(self._before)",
        right="self._after.extend(reversed(self._before))",
        visible="""
def test_typing_at_the_end():
    line = Line('ab')
    assert line.text == 'ab' and line.cursor == 2
    line.type('cd')
    assert line.text == 'abcd' and line.cursor == 4
    assert Line().text == ''


def test_left_and_right():
    line = Line('abc')
    line.left()
    line.left()
    assert line.text == 'abc' and line.cursor == 1
    line.type('X')
    assert line.text == 'aXbc' and line.cursor == 2
    line.right()
    assert line.text == 'aXbc' and line.cursor == 3
    line.end()
    line.right()
    assert line.cursor == 4


def test_backspace():
    line = Line('abc')
    line.backspace()
    assert line.text == 'ab'
    line.left()
    line.backspace()
    assert line.text == 'b' and line.cursor == 0
    line.backspace()
    assert line.text == 'b'


def test_home():
    line = Line('world')
    line.home()
    assert line.cursor == 0
    assert line.text == 'world'
    line.type('hello ')
    assert line.text == 'hello world'
    line.end()
    assert line.cursor == 11


def test_kill():
    line = Line('hello')
    line.left()
    line.left()
    assert line.kill() == 'lo'
    assert line.text == 'hel'
    assert line.kill() == ''
""",
        hidden="""
def test_home_from_the_middle():
    line = Line('abcdef')
    line.left()
    line.left()
    line.home()
    assert line.text == 'abcdef' and line.cursor == 0
    line.right()
    assert line.cursor == 1
    line.type('-')
    assert line.text == 'a-bcdef'


def test_home_twice_and_when_empty():
    line = Line('xyz')
    line.home()
    line.home()
    assert line.text == 'xyz' and line.cursor == 0
    line.left()
    assert line.cursor == 0
    empty = Line()
    empty.home()
    assert empty.text == '' and empty.cursor == 0


def test_kill_whole_line():
    line = Line('print(1)')
    line.home()
    assert line.kill() == 'print(1)'
    assert line.text == '' and line.cursor == 0
    line.type('ok')
    assert line.text == 'ok'


def test_home_then_end():
    line = Line('abcd')
    line.home()
    line.end()
    assert line.text == 'abcd' and line.cursor == 4
    line.backspace()
    assert line.text == 'abc'
    line.home()
    line.backspace()
    assert line.text == 'abc'
    line.right()
    line.backspace()
    assert line.text == 'bc'


def test_home_after_typing_in_the_middle():
    line = Line('ad')
    line.left()
    line.type('bc')
    line.home()
    assert line.text == 'abcd'
    assert line.kill() == 'abcd'
""",
    ),
    Program(
        name="tag_index",
        code=r'''
"""Photos and their tags, to be looked up from either side."""


class TagIndex:
    """Which photo has which tags. A tag exists as long as a photo has it."""

    def __init__(self):
        self._photos = {}
        self._tags = {}

    def attach(self, photo, *tags):
        """Gives tags to a photo; those it has already it keeps."""
        for tag in tags:
            self._photos.setdefault(tag, set()).add(photo)
            self._tags.setdefault(photo, set()).add(tag)

    def detach(self, photo, tag):
        """Takes a tag from a photo; KeyError if the photo has it not."""
        self._tags[photo].remove(tag)
        self._photos[tag].remove(photo)
        if not self._photos[tag]:
            del self._photos[tag]
        if not self._tags[photo]:
            del self._tags[photo]

    def rename(self, old, new):
        """Gives a tag another name. If there is a tag of that name already, the two become one."""
        if old == new:
            return
        photos = self._photos.pop(old)
        for photo in photos:
            self._tags[photo].remove(old)
            self._tags[photo].add(new)
        self._photos[new] = photos

    def tags(self, photo=None):
        """The tags of a photo, or all tags there are, sorted."""
        return sorted(self._photos if photo is None else self._tags.get(photo, ()))

    def photos(self, *tags):
        """The photos that have all of these tags, sorted."""
        sets = [self._photos.get(tag, set()) for tag in tags]
        return sorted(set.intersection(*sets)) if sets else sorted(self._tags)
''',
        wrong="self._photos[new] = photos",
        right="self._photos.setdefault(new, set()).update(photos)",
        visible="""
def test_attach_and_look_up():
    index = TagIndex()
    index.attach('p1', 'sea', 'sun')
    index.attach('p2', 'sea')
    assert index.tags('p1') == ['sea', 'sun']
    assert index.photos('sea') == ['p1', 'p2']
    assert index.photos('sea', 'sun') == ['p1']
    assert index.photos('snow') == []
    assert index.tags('p3') == []


def test_all():
    index = TagIndex()
    assert index.tags() == [] and index.photos() == []
    index.attach('b', 'x')
    index.attach('a', 'y', 'x')
    assert index.tags() == ['x', 'y']
    assert index.photos() == ['a', 'b']


def test_detach():
    index = TagIndex()
    index.attach('p', 'a', 'b')
    index.detach('p', 'a')
    assert index.tags('p') == ['b']
    assert index.tags() == ['b']
    with pytest.raises(KeyError):
        index.detach('p', 'a')
    index.detach('p', 'b')
    assert index.photos() == []


def test_rename():
    index = TagIndex()
    index.attach('p1', 'cat')
    index.attach('p2', 'cat', 'tree')
    index.rename('cat', 'cats')
    assert index.photos('cats') == ['p1', 'p2']
    assert index.photos('cat') == []
    assert index.tags('p2') == ['cats', 'tree']
    with pytest.raises(KeyError):
        index.rename('dog', 'dogs')


def test_rename_to_an_existing_tag():
    index = TagIndex()
    index.attach('p1', 'kitten')
    index.attach('p2', 'cat')
    index.rename('kitten', 'cat')
    assert index.tags() == ['cat']
    assert index.tags('p1') == ['cat']
    assert index.photos('cat') == ['p1', 'p2']
""",
        hidden="""
def test_merge_of_overlapping_tags():
    index = TagIndex()
    index.attach('a', 'lake', 'water')
    index.attach('b', 'water')
    index.attach('c', 'lake')
    index.attach('d', 'water', 'boat')
    index.rename('lake', 'water')
    assert index.photos('water') == ['a', 'b', 'c', 'd']
    assert index.photos('lake') == []
    assert index.photos('water', 'boat') == ['d']
    assert index.tags('a') == ['water']


def test_detach_after_a_merge():
    index = TagIndex()
    index.attach('p', 'one')
    index.attach('q', 'two')
    index.rename('one', 'two')
    index.detach('q', 'two')
    assert index.photos('two') == ['p']
    assert index.tags('q') == []
    index.detach('p', 'two')
    assert index.tags() == []


def test_rename_to_itself_and_back():
    index = TagIndex()
    index.attach('p', 'x')
    index.rename('x', 'x')
    assert index.photos('x') == ['p']
    index.rename('x', 'y')
    index.rename('y', 'x')
    assert index.photos('x') == ['p']
    assert index.tags() == ['x']
    assert index.tags('p') == ['x']


def test_merge_into_both_directions():
    for old, new in (('red', 'rot'), ('rot', 'red')):
        index = TagIndex()
        index.attach(1, 'red')
        index.attach(2, 'rot')
        index.attach(3, 'red', 'rot')
        index.rename(old, new)
        assert index.photos(new) == [1, 2, 3]
        assert index.photos(old) == []
        assert [index.tags(n) for n in (1, 2, 3)] == [[new], [new], [new]]


def test_attach_after_rename_is_separate():
    index = TagIndex()
    index.attach('p', 'old')
    index.rename('old', 'new')
    index.attach('q', 'old')
    assert index.photos('old') == ['q']
    assert index.photos('new') == ['p']
    assert index.photos('old', 'new') == []
""",
    ),
    Program(
        name="sparse_sheet",
        code=r'''
"""A sheet of cells like that of a spreadsheet, most of which are empty."""


class Sheet:
    """Cells by row and column, both counted from 0; an empty cell holds None."""

    def __init__(self, rows=()):
        self._cells = {}
        for row, values in enumerate(rows):
            for column, value in enumerate(values):
                self[row, column] = value

    def __getitem__(self, place):
        return self._cells.get(place)

    def __setitem__(self, place, value):
        if value is None:
            self._cells.pop(place, None)
        else:
            self._cells[place] = value

    def size(self):
        """The number of rows and of columns up to the last cell that is not empty."""
        rows = max((row + 1 for row, _ in self._cells), default=0)
        columns = max((column + 1 for _, column in self._cells), default=0)
        return rows, columns

    def insert_row(self, at):
        """Puts an empty row at this place; the one that was there and those below it move down."""
        self._cells = {(row + (row > at), column): value for (row, column), value in self._cells.items()}

    def delete_row(self, at):
        """Removes a row with its cells; those below it move up."""
        self._cells = {(row - (row > at), column): value
                       for (row, column), value in self._cells.items() if row != at}

    def transpose(self):
        """Makes rows of the columns."""
        self._cells = {(column, row): value for (row, column), value in self._cells.items()}

    def rows(self):
        """All cells as lists, row after row."""
        height, width = self.size()
        return [[self[row, column] for column in range(width)] for row in range(height)]
''',
        wrong="row + (row > at)",
        right="row + (row >= at)",
        visible="""
def test_cells():
    sheet = Sheet([[1, 2], [3, None]])
    assert sheet[0, 0] == 1 and sheet[1, 0] == 3
    assert sheet[1, 1] is None and sheet[7, 7] is None
    sheet[1, 1] = 4
    assert sheet.rows() == [[1, 2], [3, 4]]
    sheet[1, 1] = sheet[1, 0] = None
    assert sheet.rows() == [[1, 2]]


def test_size():
    sheet = Sheet()
    assert sheet.size() == (0, 0)
    assert sheet.rows() == []
    sheet[2, 4] = 'x'
    assert sheet.size() == (3, 5)
    sheet[2, 4] = 0
    assert sheet.size() == (3, 5)
    sheet[2, 4] = None
    assert sheet.size() == (0, 0)


def test_insert_row():
    sheet = Sheet([['a'], ['b'], ['c']])
    sheet.insert_row(1)
    assert sheet.rows() == [['a'], [None], ['b'], ['c']]
    sheet.insert_row(4)
    assert sheet.size() == (4, 1)


def test_delete_row():
    sheet = Sheet([['a'], ['b'], ['c']])
    sheet.delete_row(1)
    assert sheet.rows() == [['a'], ['c']]
    sheet.delete_row(0)
    assert sheet.rows() == [['c']]
    sheet.delete_row(5)
    assert sheet.rows() == [['c']]


def test_transpose():
    sheet = Sheet([[1, 2, 3], [4, 5, 6]])
    sheet.transpose()
    assert sheet.rows() == [[1, 4], [2, 5], [3, 6]]
    assert sheet.size() == (3, 2)
    sheet.transpose()
    assert sheet.rows() == [[1, 2, 3], [4, 5, 6]]
""",
        hidden="""
def test_insert_at_the_top():
    sheet = Sheet([[1, 2], [3, 4]])
    sheet.insert_row(0)
    assert sheet.rows() == [[None, None], [1, 2], [3, 4]]
    sheet[0, 0] = 9
    assert sheet.rows() == [[9, None], [1, 2], [3, 4]]
    sheet.insert_row(0)
    assert sheet[0, 0] is None and sheet[1, 0] == 9


def test_insert_at_the_last_row():
    sheet = Sheet([['p'], ['q']])
    sheet.insert_row(1)
    assert sheet.rows() == [['p'], [None], ['q']]
    sheet.insert_row(2)
    assert sheet.rows() == [['p'], [None], [None], ['q']]
    sheet.insert_row(9)
    assert sheet.size() == (4, 1)


def test_insert_keeps_every_cell():
    for at in range(5):
        sheet = Sheet([[10 * r + c for c in range(3)] for r in range(4)])
        sheet.insert_row(at)
        assert [sheet[at, c] for c in range(3)] == [None] * 3
        assert [sheet[r + (r >= at), 2] for r in range(4)] == [2, 12, 22, 32]
        sheet.delete_row(at)
        assert sheet.rows() == [[10 * r + c for c in range(3)] for r in range(4)]


def test_insert_column_by_transposing():
    sheet = Sheet([[1, 2], [3, 4]])
    sheet.transpose()
    sheet.insert_row(1)
    sheet.transpose()
    assert sheet.rows() == [[1, None, 2], [3, None, 4]]
    assert sheet.size() == (2, 3)
""",
    ),
    Program(
        name="lowest_queue",
        code=r'''
"""A queue of numbers that knows the lowest of them at any time, made of two stacks."""


class LowestQueue:
    """Each entry of the two stacks is a value and the lowest one from the bottom of its stack up to it."""

    def __init__(self, values=()):
        self._back = []
        self._front = []
        for value in values:
            self.enter(value)

    def __len__(self):
        return len(self._back) + len(self._front)

    @staticmethod
    def _push(stack, value):
        lowest = min(value, stack[-1][1]) if stack else value
        stack.append((value, lowest))

    def enter(self, value):
        """Adds a value at the end of the queue."""
        self._push(self._back, value)

    def leave(self):
        """Takes out the value that has been in the queue longest."""
        if not self._front:
            while self._back:
                value, lowest = self._back.pop()
                self._push(self._front, lowest)
        if not self._front:
            raise IndexError('empty queue')
        return self._front.pop()[0]

    def lowest(self):
        """The lowest of all values in the queue."""
        if not self:
            raise ValueError('empty queue')
        return min(stack[-1][1] for stack in (self._back, self._front) if stack)


def lowest_of_each(values, width):
    """The lowest value of every run of so many consecutive values."""
    queue = LowestQueue()
    result = []
    for value in values:
        queue.enter(value)
        if len(queue) > width:
            queue.leave()
        if len(queue) == width:
            result.append(queue.lowest())
    return result
''',
        wrong="self._push(self._front, lowest)",
        right="self._push(self._front, value)",
        visible="""
def test_empty():
    queue = LowestQueue()
    assert len(queue) == 0
    with pytest.raises(IndexError):
        queue.leave()
    with pytest.raises(ValueError):
        queue.lowest()


def test_first_in_first_out_of_falling_values():
    queue = LowestQueue([9, 7, 4])
    assert queue.leave() == 9
    queue.enter(2)
    assert queue.leave() == 7
    assert queue.leave() == 4
    assert queue.leave() == 2
    assert len(queue) == 0


def test_lowest_while_entering():
    queue = LowestQueue()
    lows = []
    for value in [5, 8, 3, 6, 1]:
        queue.enter(value)
        lows.append(queue.lowest())
    assert lows == [5, 5, 3, 3, 1]
    assert len(queue) == 5


def test_lowest_after_the_lowest_has_left():
    queue = LowestQueue([1, 5, 3])
    assert queue.leave() == 1
    assert queue.lowest() == 3
    assert queue.leave() == 5
    assert queue.leave() == 3


def test_lowest_of_each_run_with_falling_values():
    assert lowest_of_each([9, 8, 6, 5], 2) == [8, 6, 5]
    assert lowest_of_each([4, 2], 3) == []
    assert lowest_of_each([], 1) == []
    assert lowest_of_each([3, 1, 2], 3) == [1]
""",
        hidden="""
def leave_all(queue):
    return [queue.leave() for _ in range(len(queue))]


def test_first_in_first_out():
    assert leave_all(LowestQueue([2, 7, 1, 8, 2, 8])) == [2, 7, 1, 8, 2, 8]
    assert leave_all(LowestQueue(range(6))) == [0, 1, 2, 3, 4, 5]
    queue = LowestQueue([1, 2])
    assert queue.leave() == 1
    queue.enter(3)
    queue.enter(9)
    assert leave_all(queue) == [2, 3, 9]


def test_lowest_all_along():
    values = [4, 6, 2, 9, 2, 7, 8, 5, 10, 11]
    queue = LowestQueue(values)
    while values:
        assert queue.lowest() == min(values)
        assert queue.leave() == values.pop(0)
        assert len(queue) == len(values)
    with pytest.raises(IndexError):
        queue.leave()


def test_lowest_over_both_stacks():
    queue = LowestQueue([3, 1, 6])
    queue.leave()
    queue.enter(2)
    assert queue.lowest() == 1
    queue.leave()
    assert queue.lowest() == 2
    queue.enter(0)
    assert queue.lowest() == 0
    assert leave_all(queue) == [6, 2, 0]


def test_lowest_of_each_run():
    values = [n * 29 % 31 for n in range(60)]
    for width in (1, 2, 3, 7, 59, 60):
        assert lowest_of_each(values, width) == [min(values[i:i + width]) for i in range(61 - width)]
    assert lowest_of_each([1, 2, 3, 4], 2) == [1, 2, 3]
    assert lowest_of_each([1, 2, 3], 1) == [1, 2, 3]
""",
    ),
    Program(
        name="run_list",
        code=r'''
"""A long sequence with many equal neighbours, kept as runs."""

from bisect import bisect_left, bisect_right


class RunList:
    """Like a list that one can only append to. For each run it keeps the value and the index after its last item."""

    def __init__(self, values=()):
        self._values = []
        self._ends = []
        for value in values:
            self.append(value)

    def __len__(self):
        return self._ends[-1] if self._ends else 0

    def append(self, value, times=1):
        """Adds a value, so many times, at the end."""
        if times <= 0:
            return
        end = len(self) + times
        if self._values and self._values[-1] == value:
            self._ends[-1] = end
        else:
            self._values.append(value)
            self._ends.append(end)

    def __getitem__(self, index):
        """The item at an index; a negative one counts from the end."""
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._values[bisect_left(self._ends, index)]

    def runs(self):
        """The runs in order, each with the value and its length."""
        starts = [0] + self._ends[:-1]
        return [(value, end - start) for value, start, end in zip(self._values, starts, self._ends)]

    def start_of_run(self, index):
        """The index of the first item of the run that holds this index."""
        run = bisect_right(self._ends, index)
        return self._ends[run - 1] if run else 0
''',
        wrong="self._values[bisect_left(self._ends, index)]",
        right="self._values[bisect_right(self._ends, index)]",
        visible="""
def test_runs():
    assert RunList().runs() == []
    assert RunList('aaab').runs() == [('a', 3), ('b', 1)]
    assert RunList([1, 2, 1]).runs() == [(1, 1), (2, 1), (1, 1)]
    assert RunList([5]).runs() == [(5, 1)]


def test_append_many():
    runs = RunList()
    runs.append('x', 4)
    runs.append('x', 2)
    runs.append('y', 0)
    runs.append('y', 3)
    assert runs.runs() == [('x', 6), ('y', 3)]
    assert len(runs) == 9


def test_items():
    runs = RunList('aabccc')
    assert ''.join(runs[i] for i in range(6)) == 'aabccc'
    assert runs[-1] == 'c'
    assert runs[-6] == 'a'


def test_index_out_of_range():
    runs = RunList('ab')
    for index in (2, 5, -3):
        with pytest.raises(IndexError):
            runs[index]
    with pytest.raises(IndexError):
        RunList()[0]


def test_start_of_run():
    runs = RunList('aabccc')
    assert [runs.start_of_run(i) for i in range(6)] == [0, 0, 2, 3, 3, 3]
    assert RunList('z').start_of_run(0) == 0
""",
        hidden="""
def test_like_a_list():
    for text in ('a', 'ab', 'aab', 'abb', 'abab', 'aaabbbcccaaa', 'zzyxxxxw'):
        runs = RunList(text)
        assert len(runs) == len(text)
        assert [runs[i] for i in range(len(text))] == list(text)
        assert [runs[-i] for i in range(1, len(text) + 1)] == list(reversed(text))


def test_ends_of_long_runs():
    runs = RunList()
    runs.append('day', 1000)
    runs.append('night', 500)
    runs.append('day', 1)
    assert len(runs) == 1501
    assert runs[0] == runs[999] == runs[1500] == 'day'
    assert runs[1000] == runs[1499] == 'night'
    assert runs[-1] == 'day' and runs[-2] == 'night' and runs[-502] == 'day'
    with pytest.raises(IndexError):
        runs[1501]


def test_start_and_item_belong_together():
    text = 'mississippi'
    runs = RunList(text)
    for index in range(len(text)):
        start = runs.start_of_run(index)
        assert start <= index
        assert set(text[start:index + 1]) == {runs[index]}
        assert start == 0 or text[start - 1] != text[start]


def test_iteration_by_index():
    assert list(RunList('hello')) == list('hello')
    assert list(RunList([None, None, 0, 0, False])) == [None, None, 0, 0, 0]
    assert 'l' in RunList('hello') and 'x' not in RunList('hello')
""",
    ),
    # ---------------------------------------------------------------- recursion
    Program(
        name="groupings",
        code=r'''
"""All ways to divide people into groups."""


def groupings(people):
    """All ways to divide a list of different people into groups, each a list of lists.

    The groups are in the order of their first members, and the members of a group in the order of the list.
    """
    if not people:
        return [[]]
    *others, last = people
    result = []
    for groups in groupings(others):
        for i, group in enumerate(groups):
            result.append(groups[:i] + [group + [last]] + groups[i:])
        result.append(groups + [[last]])
    return result


def groupings_of_size(people, least, most):
    """Those groupings in which every group has at least and at most so many members."""
    return [groups for groups in groupings(people) if all(least <= len(group) <= most for group in groups)]


def teams(people, number):
    """Those groupings that have exactly this number of groups."""
    return [groups for groups in groupings(people) if len(groups) == number]


def count_groupings(number):
    """How many groupings of so many people there are, without listing them (the Bell number)."""
    row = [1]
    for _ in range(number):
        following = [row[-1]]
        for value in row:
            following.append(following[-1] + value)
        row = following
    return row[0]
''',
        wrong="groups[i:])",
        right="groups[i + 1:])",
        visible="""
def test_nobody():
    assert groupings([]) == [[]]
    assert groupings_of_size([], 1, 2) == [[]]
    assert teams([], 0) == [[]]
    assert teams([], 1) == []


def test_one_person():
    assert groupings(['a']) == [[['a']]]
    assert teams(['a'], 1) == [[['a']]]
    assert teams(['a'], 2) == []


def test_two_people():
    assert sorted(groupings(['a', 'b'])) == [[['a'], ['b']], [['a', 'b']]]
    assert len(groupings([1, 2])) == 2


def test_bell_numbers():
    assert [count_groupings(n) for n in range(8)] == [1, 1, 2, 5, 15, 52, 203, 877]
    assert count_groupings(10) == 115975


def test_all_alone():
    assert [[1], [2], [3]] in groupings([1, 2, 3])
    assert groupings_of_size([1, 2, 3], 1, 1) == [[[1], [2], [3]]]
    assert teams([1, 2, 3], 3)[-1] == [[1], [2], [3]]
""",
        hidden="""
def test_three_people():
    assert sorted(groupings('abc')) == sorted([
        [['a'], ['b'], ['c']], [['a', 'b'], ['c']], [['a', 'c'], ['b']], [['a'], ['b', 'c']], [['a', 'b', 'c']]])


def test_everybody_once():
    for number in range(6):
        people = list(range(number))
        found = groupings(people)
        assert len(found) == count_groupings(number)
        assert len({str(groups) for groups in found}) == len(found)
        for groups in found:
            assert sorted(p for group in groups for p in group) == people


def test_order_within_a_grouping():
    for groups in groupings([3, 1, 2, 4]):
        order = [3, 1, 2, 4].index
        assert all(group == sorted(group, key=order) for group in groups)
        firsts = [order(group[0]) for group in groups]
        assert firsts == sorted(firsts)


def test_teams():
    assert [len(teams(range(4), n)) for n in range(6)] == [0, 1, 7, 6, 1, 0]
    assert [len(teams(range(5), n)) for n in range(1, 6)] == [1, 15, 25, 10, 1]


def test_sizes():
    pairs = groupings_of_size(['a', 'b', 'c', 'd'], 2, 2)
    assert sorted(pairs) == [[['a', 'b'], ['c', 'd']], [['a', 'c'], ['b', 'd']], [['a', 'd'], ['b', 'c']]]
    assert len(groupings_of_size(range(4), 1, 2)) == 10
    assert groupings_of_size([1, 2, 3], 2, 2) == []
""",
    ),
    Program(
        name="quad_image",
        code=r'''
"""Square images as trees of quarters: an area of one colour is kept as that colour alone."""


def compress(image):
    """The tree of an image, which is a list of rows whose side is a power of two.

    A tree is a colour (not a tuple), or a tuple of the trees of the four quarters: upper left, upper right,
    lower left, lower right. Four quarters of one and the same colour become that colour.
    """
    if len(image) == 1:
        return image[0][0]
    half = len(image) // 2
    upper, lower = image[:half], image[half:]
    quarters = tuple(compress([row[a:a + half] for row in rows]) for rows in (upper, lower) for a in (0, half))
    if all(q == quarters[0] for q in quarters):
        return quarters[0]
    return quarters


def expand(tree, side):
    """The image, of this side, of a tree."""
    if not isinstance(tree, tuple):
        return [[tree] * side for _ in range(side)]
    a, b, c, d = (expand(quarter, side // 2) for quarter in tree)
    return [left + right for left, right in zip(a, b)] + [left + right for left, right in zip(c, d)]


def leaves(tree):
    """How many areas of one colour a tree consists of."""
    return sum(map(leaves, tree)) if isinstance(tree, tuple) else 1


def mirror(tree):
    """The tree of the image with left and right exchanged."""
    if not isinstance(tree, tuple):
        return tree
    a, b, c, d = map(mirror, tree)
    return b, a, d, c


def area(tree, colour, side):
    """How many points of an image of this side have a colour."""
    if not isinstance(tree, tuple):
        return side * side if tree == colour else 0
    return sum(area(quarter, colour, side // 2) for quarter in tree)
''',
        wrong="if all(q == quarters[0] for q in quarters):",
        right="if not isinstance(quarters[0], tuple) and all(q == quarters[0] for q in quarters):",
        visible="""
def test_single_colours():
    assert compress([['r']]) == 'r'
    assert compress(['aa', 'aa']) == 'a'
    assert compress(['bbbb'] * 4) == 'b'
    assert leaves(compress(['bbbb'] * 4)) == 1


def test_quarters():
    assert compress(['ab', 'cd']) == ('a', 'b', 'c', 'd')
    assert compress(['aabb', 'aabb', 'ccdd', 'ccdd']) == ('a', 'b', 'c', 'd')
    assert compress(['abcc', 'aacc', 'cccc', 'cccc']) == (('a', 'b', 'a', 'a'), 'c', 'c', 'c')


def test_expand():
    assert expand('x', 2) == [['x', 'x'], ['x', 'x']]
    assert expand((1, 2, 3, 4), 2) == [[1, 2], [3, 4]]
    assert expand((1, 0, 0, (1, 0, 0, 1)), 4) == [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


def test_there_and_back():
    for rows in (['ab', 'ba'], ['aaab', 'aaaa', 'aaaa', 'aaaa'], ['abab', 'baba', 'abab', 'baba']):
        assert expand(compress(rows), len(rows)) == [list(row) for row in rows]


def test_mirror():
    assert mirror('a') == 'a'
    assert mirror((1, 2, 3, 4)) == (2, 1, 4, 3)
    assert mirror(((1, 2, 3, 4), 5, 6, 7)) == (5, (2, 1, 4, 3), 7, 6)


def test_area():
    assert area('a', 'a', 4) == 16
    assert area(('a', 'b', 'b', ('a', 'a', 'a', 'b')), 'a', 4) == 7
    assert area(('a', 'b', 'b', 'b'), 'c', 2) == 0
""",
        hidden="""
def test_repeated_pattern_stays():
    stripes = ['xyxy'] * 4
    assert compress(stripes) == (('x', 'y', 'x', 'y'),) * 4
    assert leaves(compress(stripes)) == 16
    assert area(compress(stripes), 'x', 4) == 8


def test_larger_repeated_pattern():
    rows = ['aabb' * 2, 'aabb' * 2, 'bbaa' * 2, 'bbaa' * 2] * 2
    tree = compress(rows)
    assert tree == (('a', 'b', 'b', 'a'),) * 4
    assert expand(tree, 8) == [list(row) for row in rows]
    assert mirror(tree) == (('b', 'a', 'a', 'b'),) * 4


def test_repetition_within_a_quarter():
    rows = ['1010....', '0101....', '1010....', '0101....'] + ['........'] * 4
    tree = compress(rows)
    assert tree == ((('1', '0', '0', '1'),) * 4, '.', '.', '.')
    assert expand(tree, 8) == [list(row) for row in rows]
    assert leaves(tree) == 19


def test_one_colour_of_a_large_image():
    assert compress([[0] * 8 for _ in range(8)]) == 0
    assert compress([[0] * 8 for _ in range(7)] + [[0] * 7 + [1]]) == (0, 0, 0, (0, 0, 0, (0, 0, 0, 1)))
    assert compress(['aabb', 'aabb', 'aabb', 'aabb']) == ('a', 'b', 'a', 'b')


def test_every_two_coloured_image_of_side_two():
    for n in range(16):
        bits = [n >> k & 1 for k in range(4)]
        tree = compress([bits[:2], bits[2:]])
        assert tree == (bits[0] if n in (0, 15) else tuple(bits))
        image = [(bits[:2]) * 2, (bits[2:]) * 2] * 2
        assert expand(compress(image), 4) == image
""",
    ),
    Program(
        name="slopes",
        code=r'''
"""Formulas of one variable, and the formulas of their slopes.

A formula is a number, the letter 'x', or a tuple of an operator and one or two formulas:
('+', f, g), ('-', f, g), ('*', f, g), ('/', f, g), ('^', f, whole number), ('sqrt', f).
"""

from math import sqrt


def value(formula, x):
    """The value of a formula at x."""
    if formula == 'x':
        return x
    if not isinstance(formula, tuple):
        return formula
    operator, *parts = formula
    values = [value(part, x) for part in parts]
    match operator:
        case '+': return values[0] + values[1]
        case '-': return values[0] - values[1]
        case '*': return values[0] * values[1]
        case '/': return values[0] / values[1]
        case '^': return values[0] ** values[1]
        case 'sqrt': return sqrt(values[0])
    raise ValueError(operator)


def slope(formula):
    """The formula of the slope (the first derivative) of a formula; it is not simplified."""
    if formula == 'x':
        return 1
    if not isinstance(formula, tuple):
        return 0
    operator, f, *rest = formula
    df = slope(f)
    if operator == 'sqrt':
        return ('/', df, ('*', 2, formula))
    g = rest[0]
    dg = slope(g)
    match operator:
        case '+' | '-': return (operator, df, dg)
        case '*': return ('+', ('*', df, g), ('*', f, dg))
        case '/': return ('/', ('-', ('*', df, g), ('*', f, dg)), ('^', g, 2))
        case '^': return ('*', ('*', g, ('^', f, g - 1)), dg)
    raise ValueError(operator)
''',
        wrong="('^', f, g - 1)), dg)",
        right="('^', f, g - 1)), df)",
        visible="""
def at(formula, x):
    return value(slope(formula), x)


def test_value():
    assert value(7, 3) == 7
    assert value('x', 3) == 3
    assert value(('+', ('*', 2, 'x'), ('^', 'x', 2)), 5) == 35
    assert value(('-', ('/', 'x', 2), ('sqrt', 'x')), 16) == 4
    with pytest.raises(ValueError):
        value(('?', 1, 2), 0)


def test_simple_slopes():
    assert slope(5) == 0
    assert slope('x') == 1
    assert at(('+', 'x', 3), 9) == 1
    assert at(('-', 3, 'x'), 9) == -1


def test_product():
    assert at(('*', 4, 'x'), 7) == 4
    assert at(('*', 'x', 'x'), 7) == 14
    assert at(('*', ('+', 'x', 1), ('-', 'x', 1)), 3) == 6


def test_quotient():
    assert at(('/', 'x', 4), 3) == 0.25
    assert at(('/', 1, 'x'), 2) == -0.25
    assert at(('/', ('+', 'x', 1), ('-', 'x', 1)), 3) == -0.5


def test_power():
    assert at(('^', 'x', 2), 5) == 10
    assert at(('^', 'x', 3), 2) == 12
    assert at(('^', 5, 2), 1) == 0


def test_root():
    assert at(('sqrt', 'x'), 4) == 0.25
    assert at(('sqrt', ('*', 9, 'x')), 1) == 1.5
""",
        hidden="""
def at(formula, x):
    return value(slope(formula), x)


def test_power_of_a_formula():
    assert at(('^', ('+', ('*', 3, 'x'), 1), 2), 2) == 42
    assert at(('^', ('-', 5, 'x'), 3), 3) == -12
    assert at(('^', ('*', 'x', 'x'), 2), 2) == 32
    assert at(('^', ('^', 'x', 2), 3), 1) == 6


def test_small_and_negative_exponents():
    assert at(('^', 'x', 1), 9) == 1
    assert at(('^', 'x', 0), 9) == 0
    assert at(('^', 'x', -1), 2) == -0.25
    assert at(('^', ('*', 2, 'x'), 1), 4) == 2


def test_polynomial_close_to_difference_quotient():
    formula = ('+', ('-', ('^', 'x', 4), ('*', 3, ('^', 'x', 2))), ('*', 5, 'x'))
    for x in (-2, -1, 0, 1, 3):
        assert at(formula, x) == 4 * x ** 3 - 6 * x + 5
        h = 1e-5
        assert abs((value(formula, x + h) - value(formula, x - h)) / (2 * h) - at(formula, x)) < 1e-3


def test_power_inside_others():
    assert at(('/', ('^', 'x', 2), 'x'), 5) == 1
    assert at(('sqrt', ('^', 'x', 2)), 3) == 1
    assert at(('^', ('sqrt', 'x'), 2), 4) == 1
    assert value(slope(slope(('*', 'x', ('*', 'x', 'x')))), 2) == 12


def test_unknown_operator():
    for wrong in (('%', 'x', 2), ('max', 'x', 'x')):
        with pytest.raises(ValueError):
            slope(wrong)
""",
    ),
    Program(
        name="till",
        code=r'''
"""The till of a shop: which coins and notes can be handed out, with only so many of each."""


def ways(amount, stock):
    """All ways to pay an amount exactly from a stock of coins, a dict of how many there are of each value.

    A way is a dict of how many of each coin to take, without those of which none is taken. Ways with more of the
    most valuable coins come first.
    """
    def pay(rest, coins):
        if not coins:
            return [{}] if rest == 0 else []
        coin, *smaller = coins
        found = []
        for number in reversed(range(min(stock[coin], rest // coin))):
            taken = {coin: number} if number else {}
            found += [taken | way for way in pay(rest - number * coin, smaller)]
        return found

    return pay(amount, sorted(stock, reverse=True))


def fewest(amount, stock):
    """The way to pay an amount with the fewest coins, the first one of several, or None if there is no way."""
    return min(ways(amount, stock), key=lambda way: sum(way.values()), default=None)


def worth(stock):
    """The amount of money in a stock."""
    return sum(coin * number for coin, number in stock.items())


def hand_out(amount, stock):
    """Takes an amount out of a stock with the fewest coins and returns them; ValueError if that cannot be done."""
    way = fewest(amount, stock)
    if way is None:
        raise ValueError(f'cannot pay {amount}')
    for coin, number in way.items():
        stock[coin] -= number
    return way
''',
        wrong="range(min(stock[coin], rest // coin))",
        right="range(min(stock[coin], rest // coin) + 1)",
        visible="""
def test_nothing_to_pay_from_nothing():
    assert ways(0, {}) == [{}]
    assert ways(5, {}) == []
    assert fewest(0, {}) == {}
    assert fewest(1, {}) is None


def test_worth():
    assert worth({}) == 0
    assert worth({5: 3, 2: 2}) == 19
    assert worth({10: 0}) == 0


def test_cannot_be_paid():
    assert ways(3, {2: 5}) == []
    assert fewest(100, {10: 9}) is None
    with pytest.raises(ValueError):
        hand_out(1, {5: 4, 2: 4})


def test_refusal_keeps_the_stock():
    stock = {5: 2, 2: 1}
    with pytest.raises(ValueError):
        hand_out(8, stock)
    assert stock == {5: 2, 2: 1}
    assert worth(stock) == 12


def test_all_ways():
    assert ways(6, {5: 1, 2: 3, 1: 2}) == [{5: 1, 1: 1}, {2: 3}, {2: 2, 1: 2}]
    assert ways(4, {2: 2}) == [{2: 2}]
    assert ways(0, {2: 2, 1: 1}) == [{}]
""",
        hidden="""
def test_limited_stock():
    assert ways(10, {5: 1, 1: 5}) == [{5: 1, 1: 5}]
    assert ways(10, {5: 1, 1: 4}) == []
    assert ways(10, {10: 0, 5: 2}) == [{5: 2}]
    assert ways(3, {5: 9, 1: 3}) == [{1: 3}]


def test_number_of_ways():
    plenty = {50: 99, 20: 99, 10: 99, 5: 99, 2: 99, 1: 99}
    assert [len(ways(n, plenty)) for n in range(13)] == [1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 11, 12, 15]
    for way in ways(37, {20: 2, 10: 2, 5: 3, 2: 6}):
        assert worth(way) == 37
        assert all(0 < number <= {20: 2, 10: 2, 5: 3, 2: 6}[coin] for coin, number in way.items())


def test_everything_in_the_till():
    stock = {7: 2, 3: 4, 1: 1}
    assert ways(worth(stock), stock) == [stock]
    assert ways(worth(stock) + 1, stock) == []
    assert hand_out(27, stock) == {7: 2, 3: 4, 1: 1}
    assert stock == {7: 0, 3: 0, 1: 0}


def test_fewest():
    assert fewest(6, {4: 1, 3: 2, 1: 5}) == {3: 2}
    assert fewest(6, {4: 1, 3: 1, 1: 5}) == {4: 1, 1: 2}
    assert fewest(8, {4: 2, 5: 1, 3: 1}) == {5: 1, 3: 1}
    assert fewest(0, {4: 2}) == {}


def test_handing_out_several_times():
    stock = {5: 2, 2: 2, 1: 1}
    assert hand_out(7, stock) == {5: 1, 2: 1}
    assert hand_out(7, stock) == {5: 1, 2: 1}
    assert stock == {5: 0, 2: 0, 1: 1}
    assert hand_out(1, stock) == {1: 1}
    with pytest.raises(ValueError):
        hand_out(1, stock)
""",
    ),
    Program(
        name="name_pattern",
        code=r'''
"""Patterns for names: * stands for any text, ? for one character, [abc] for one of some, [!abc] for any but these."""


def split_set(pattern):
    """Splits a pattern that starts with [ into the characters of the set, whether it is negated, and the rest."""
    end = pattern.find(']', 2)
    if end < 0:
        raise ValueError(f'no ] in {pattern!r}')
    inside, rest = pattern[1:end], pattern[end + 1:]
    negated = inside.startswith('!')
    return inside.removeprefix('!'), negated, rest


def matches(pattern, name):
    """Whether the whole name matches the pattern."""
    if not pattern:
        return not name
    first = pattern[0]
    if first == '*':
        return matches(pattern[1:], name) or bool(name) and matches(pattern[1:], name[1:])
    if not name:
        return False
    if first == '[':
        chars, negated, rest = split_set(pattern)
        return (name[0] in chars) != negated and matches(rest, name[1:])
    return first in ('?', name[0]) and matches(pattern[1:], name[1:])


def select(names, *patterns):
    """The names that match the patterns, in their order.

    A name is taken if the last of the patterns that matches it does not start with a minus sign;
    the sign is not a part of the pattern proper. A name that no pattern matches is not taken.
    """
    taken = []
    for name in names:
        take = False
        for pattern in patterns:
            if matches(pattern.removeprefix('-'), name):
                take = not pattern.startswith('-')
        if take:
            taken.append(name)
    return taken
''',
        wrong="bool(name) and matches(pattern[1:], name[1:])",
        right="bool(name) and matches(pattern, name[1:])",
        visible="""
def test_plain():
    assert matches('abc', 'abc')
    assert not matches('abc', 'ab')
    assert not matches('ab', 'abc')
    assert matches('', '')
    assert not matches('', 'a')


def test_question_mark():
    assert matches('a?c', 'abc')
    assert matches('???', 'xyz')
    assert not matches('?', '')
    assert not matches('a?', 'a')


def test_sets():
    assert matches('[abc]x', 'bx')
    assert not matches('[abc]x', 'dx')
    assert matches('[!abc]x', 'dx')
    assert not matches('[!abc]x', 'ax')
    with pytest.raises(ValueError):
        matches('[abc', 'a')


def test_split_set():
    assert split_set('[ab]c') == ('ab', False, 'c')
    assert split_set('[!x]') == ('x', True, '')
    assert split_set('[]]z') == (']', False, 'z')


def test_star():
    assert matches('*', '')
    assert matches('*', 'x')
    assert matches('*.py', 'program.py')
    assert matches('a*', 'abcdef')
    assert not matches('*.py', 'program.txt')


def test_select():
    names = ['a1', 'b1', 'a2', 'c']
    assert select(names, '?1') == ['a1', 'b1']
    assert select(names, '??', '-a?') == ['b1']
    assert select(names, 'a?', '-a2', '??') == ['a1', 'b1', 'a2']
    assert select(names) == []
""",
        hidden="""
def test_star_in_the_middle():
    assert matches('a*z', 'az')
    assert matches('a*z', 'abz')
    assert matches('a*z', 'abcdefz')
    assert not matches('a*z', 'abcdef')
    assert not matches('a*z', 'bcdefz')


def test_several_stars():
    assert matches('*a*b*', 'xxaxxbxx')
    assert matches('*a*b*', 'ab')
    assert not matches('*a*b*', 'xxbxxaxx')
    assert matches('**', 'anything')
    assert matches('*?*?*', 'ab')
    assert not matches('*?*?*', 'a')


def test_star_may_have_to_go_on():
    assert matches('*ab', 'aab')
    assert matches('*abc', 'ababcabc')
    assert matches('a*a', 'aaaa')
    assert not matches('a*a', 'a')


def test_star_with_sets():
    assert matches('*[0-9]*', 'page-12')
    assert matches('report*[!~]', 'report2024.txt')
    assert not matches('report*[!~]', 'report2024.txt~')
    assert matches('*]', 'list[1]')


def test_select_with_stars():
    names = ['main.py', 'test_main.py', 'notes.txt', 'test_data.txt', '.hidden']
    assert select(names, '*', '-.*') == ['main.py', 'test_main.py', 'notes.txt', 'test_data.txt']
    assert select(names, '*.py', '-test_*') == ['main.py']
    assert select(names, '-test_*', '*.txt') == ['notes.txt', 'test_data.txt']
    assert select(names, '*', '-*') == []
""",
    ),
    Program(
        name="settings_difference",
        code=r'''
"""What has changed between two nested dicts of settings, and how to apply such changes to another."""

MISSING = '<missing>'


def differences(old, new, path=()):
    """A list of (path, old value, new value), sorted by path; a path is the tuple of the keys that lead to a value.

    Where both values are dicts, the differences within them are listed. A key that is only on one side has the value
    MISSING on the other.
    """
    found = []
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key, MISSING), new.get(key, MISSING)
        if isinstance(before, dict) and isinstance(after, dict):
            found += differences(before, after, (key,))
        elif before != after:
            found.append((path + (key,), before, after))
    return found


def put(settings, path, value):
    """A copy of nested settings with another value at a path; the dicts on the way are made if need be."""
    key, *rest = path
    changed = dict(settings)
    if rest:
        inner = settings.get(key)
        changed[key] = put(inner if isinstance(inner, dict) else {}, rest, value)
    elif value == MISSING:
        changed.pop(key, None)
    else:
        changed[key] = value
    return changed


def apply(settings, changes):
    """The settings with the new values of a list of differences."""
    for path, _, after in changes:
        settings = put(settings, path, after)
    return settings


def describe(changes):
    """One line of text for each difference."""
    return [f'{".".join(path)}: {before} -> {after}' for path, before, after in changes]
''',
        wrong="differences(before, after, (key,))",
        right="differences(before, after, path + (key,))",
        visible="""
def test_no_difference():
    assert differences({}, {}) == []
    assert differences({'a': 1}, {'a': 1}) == []
    assert differences({'a': {'b': {'c': 1}}}, {'a': {'b': {'c': 1}}}) == []


def test_flat():
    assert differences({'a': 1, 'b': 2}, {'a': 1, 'b': 3}) == [(('b',), 2, 3)]
    assert differences({'x': 1}, {'y': 2}) == [(('x',), 1, MISSING), (('y',), MISSING, 2)]
    assert differences({'a': {'k': 1}}, {'a': 5}) == [(('a',), {'k': 1}, 5)]


def test_nested():
    old = {'window': {'width': 80, 'font': {'name': 'Mono', 'size': 10}}}
    new = {'window': {'width': 100, 'font': {'name': 'Mono', 'size': 12}}}
    assert differences(old, new) == [(('window', 'font', 'size'), 10, 12), (('window', 'width'), 80, 100)]
    assert differences({'a': {'b': 1}}, {'a': {}}) == [(('a', 'b'), 1, MISSING)]


def test_put():
    settings = {'a': {'b': 1}}
    assert put(settings, ('a', 'b'), 2) == {'a': {'b': 2}}
    assert put(settings, ('a', 'c', 'd'), 3) == {'a': {'b': 1, 'c': {'d': 3}}}
    assert put(settings, ('a', 'b'), MISSING) == {'a': {}}
    assert settings == {'a': {'b': 1}}


def test_apply():
    assert apply({'a': 1}, []) == {'a': 1}
    assert apply({'a': 1}, [(('a',), 1, 2), (('b', 'c'), MISSING, 3)]) == {'a': 2, 'b': {'c': 3}}
    assert apply({'a': 1, 'z': 0}, [(('a',), 1, MISSING)]) == {'z': 0}


def test_describe():
    assert describe([(('a', 'b'), 1, 2)]) == ['a.b: 1 -> 2']
    assert describe([(('x',), MISSING, 'y')]) == ['x: <missing> -> y']
    assert describe([]) == []
""",
        hidden="""
def test_path_of_four_keys():
    old = {'a': {'b': {'c': {'d': 1, 'e': 2}}}}
    new = {'a': {'b': {'c': {'d': 1, 'e': 3, 'f': 4}}}}
    assert differences(old, new) == [(('a', 'b', 'c', 'e'), 2, 3), (('a', 'b', 'c', 'f'), MISSING, 4)]
    assert describe(differences(old, new)) == ['a.b.c.e: 2 -> 3', 'a.b.c.f: <missing> -> 4']


def test_start_path_is_kept():
    assert differences({'k': 1}, {'k': 2}, ('top',)) == [(('top', 'k'), 1, 2)]
    assert differences({'k': {'l': 1}}, {'k': {'l': 2}}, ('top', 'sub')) == [(('top', 'sub', 'k', 'l'), 1, 2)]


def test_apply_makes_the_new_settings():
    old = {'net': {'proxy': {'host': 'a', 'port': 1}, 'retries': 3}, 'ui': {'dark': {'on': True}}, 'v': 1}
    new = {'net': {'proxy': {'host': 'b', 'tls': {'min': 2}}, 'retries': 3}, 'ui': {'dark': {'on': False}}, 'w': 1}
    changes = differences(old, new)
    assert apply(old, changes) == new
    assert [path for path, _, _ in changes] == [
        ('net', 'proxy', 'host'), ('net', 'proxy', 'port'), ('net', 'proxy', 'tls'), ('ui', 'dark', 'on'),
        ('v',), ('w',)]


def test_brothers_do_not_share_paths():
    old = {'a': {'x': {'n': 1}, 'y': {'n': 1}}, 'b': {'x': {'n': 1}}}
    new = {'a': {'x': {'n': 2}, 'y': {'n': 3}}, 'b': {'x': {'n': 4}}}
    assert differences(old, new) == [(('a', 'x', 'n'), 1, 2), (('a', 'y', 'n'), 1, 3), (('b', 'x', 'n'), 1, 4)]
    assert differences(new, old) == [(('a', 'x', 'n'), 2, 1), (('a', 'y', 'n'), 3, 1), (('b', 'x', 'n'), 4, 1)]


def test_dict_against_plain_value_deep_down():
    old = {'a': {'b': {'c': 1}}}
    new = {'a': {'b': 7}}
    assert differences(old, new) == [(('a', 'b'), {'c': 1}, 7)]
    assert apply(old, differences(old, new)) == new
    assert apply(new, differences(new, old)) == old
""",
    ),
    Program(
        name="outline",
        code=r'''
"""Prints trees, such as the chapters of a book, with lines that show what belongs where.

A tree is a pair of a title and a list of trees.
"""


def outline(tree):
    """The lines of text for a tree: its title, and below it its parts, each behind a branch."""
    title, parts = tree
    lines = [title]
    for part in parts:
        last = part is parts[-1]
        first_line, *more = outline(part)
        lines.append(('`-- ' if last else '|-- ') + first_line)
        lines += [('|   ' if last else '    ') + line for line in more]
    return lines


def numbered(tree, number=()):
    """The same tree with numbers such as 2.1.3 before the titles of all parts, but not before that of the whole."""
    title, parts = tree
    label = '.'.join(map(str, number))
    return (f'{label} {title}'.lstrip(), [numbered(part, number + (i,)) for i, part in enumerate(parts, 1)])


def depth(tree):
    """How many levels of titles a tree has."""
    return 1 + max(map(depth, tree[1]), default=0)


def prune(tree, levels):
    """The tree with only its first levels, at least one."""
    title, parts = tree
    return (title, [prune(part, levels - 1) for part in parts] if levels > 1 else [])


def find(tree, wanted):
    """The titles on the way from the whole to the first part with a title, both included, or None."""
    title, parts = tree
    if title == wanted:
        return [title]
    for part in parts:
        if (way := find(part, wanted)) is not None:
            return [title] + way
    return None
''',
        wrong="('|   ' if last else '    ')",
        right="('    ' if last else '|   ')",
        visible="""
BOOK = ('Book', [('Start', []), ('Middle', [('Rise', []), ('Fall', [])]), ('End', [])])


def test_outline_of_flat_trees():
    assert outline(('Only', [])) == ['Only']
    assert outline(('Top', [('a', [])])) == ['Top', '`-- a']
    assert outline(('Top', [('a', []), ('b', [])])) == ['Top', '|-- a', '`-- b']


def test_outline():
    assert outline(BOOK) == [
        'Book', '|-- Start', '|-- Middle', '|   |-- Rise', '|   `-- Fall', '`-- End']
    assert len(outline(prune(BOOK, 2))) == 4


def test_numbered():
    assert numbered(('Only', [])) == ('Only', [])
    assert numbered(BOOK) == (
        'Book', [('1 Start', []), ('2 Middle', [('2.1 Rise', []), ('2.2 Fall', [])]), ('3 End', [])])


def test_depth():
    assert depth(('Only', [])) == 1
    assert depth(BOOK) == 3
    assert depth(('a', [('b', [('c', [('d', [])])]), ('e', [])])) == 4


def test_prune():
    assert prune(BOOK, 1) == ('Book', [])
    assert prune(BOOK, 2) == ('Book', [('Start', []), ('Middle', []), ('End', [])])
    assert prune(BOOK, 3) == BOOK == prune(BOOK, 9)


def test_find():
    assert find(BOOK, 'Fall') == ['Book', 'Middle', 'Fall']
    assert find(BOOK, 'Book') == ['Book']
    assert find(BOOK, 'Winter') is None
""",
        hidden="""
def test_parts_of_the_last_part():
    assert outline(('r', [('a', []), ('b', [('c', []), ('d', [])])])) == [
        'r', '|-- a', '`-- b', '    |-- c', '    `-- d']


def test_chain():
    assert outline(('1', [('2', [('3', [('4', [])])])])) == ['1', '`-- 2', '    `-- 3', '        `-- 4']
    assert outline(('1', [('2', [('3', [])]), ('x', [])])) == ['1', '|-- 2', '|   `-- 3', '`-- x']


def test_deep_mixture():
    tree = ('r', [('a', [('b', [('c', []), ('d', [])]), ('e', [('f', [])])]), ('g', [('h', [('i', [])])])])
    assert outline(tree) == [
        'r',
        '|-- a',
        '|   |-- b',
        '|   |   |-- c',
        '|   |   `-- d',
        '|   `-- e',
        '|       `-- f',
        '`-- g',
        '    `-- h',
        '        `-- i']


def test_outline_of_numbered():
    tree = ('T', [('a', [('b', [])]), ('c', [('d', []), ('e', [])])])
    assert outline(numbered(tree)) == [
        'T', '|-- 1 a', '|   `-- 1.1 b', '`-- 2 c', '    |-- 2.1 d', '    `-- 2.2 e']
    assert outline(prune(tree, 2)) == ['T', '|-- a', '`-- c']
    assert outline(tree)[0] == 'T'
""",
    ),
    # ---------------------------------------------------------------- strings
    Program(
        name="sound_code",
        code=r'''
"""Codes for names that sound alike (American Soundex)."""

GROUPS = {'BFPV': '1', 'CGJKQSXZ': '2', 'DT': '3', 'L': '4', 'MN': '5', 'R': '6'}
DIGITS = {letter: digit for letters, digit in GROUPS.items() for letter in letters}


def sound_code(name):
    """The first letter of a name and three digits for the sounds that follow, filled up with zeros.

    Neighbouring letters of the same digit count once, also if the first letter of the name is one of them, and also
    if H or W stands between them; a vowel (or Y) between them makes them count twice. Vowels, H, W and Y have no
    digit. Everything but the letters A to Z is ignored.
    """
    letters = [c for c in name.upper() if 'A' <= c <= 'Z']
    if not letters:
        raise ValueError(f'no letters in {name!r}')
    code = letters[0]
    previous = ''
    for letter in letters[1:]:
        digit = DIGITS.get(letter, '')
        if digit and digit != previous:
            code += digit
        if letter not in 'HW':
            previous = digit
    return code[:4].ljust(4, '0')


def alike(one, other):
    """Whether two names sound alike."""
    return sound_code(one) == sound_code(other)


def group_by_sound(names):
    """The names by their codes, in the order in which they come."""
    groups = {}
    for name in names:
        groups.setdefault(sound_code(name), []).append(name)
    return groups
''',
        wrong="previous = ''",
        right="previous = DIGITS.get(code, '')",
        visible="""
def test_well_known_codes():
    assert sound_code('Robert') == 'R163'
    assert sound_code('Rupert') == 'R163'
    assert sound_code('Rubin') == 'R150'
    assert sound_code('Honeyman') == 'H555'


def test_short_names():
    assert sound_code('A') == 'A000'
    assert sound_code('Lee') == 'L000'
    assert sound_code("O'Hara") == 'O600'
    assert sound_code('kim') == 'K500'


def test_no_letters():
    for name in ('', ' ', '123'):
        with pytest.raises(ValueError):
            sound_code(name)


def test_same_digit_counts_once():
    assert sound_code('Tymczak') == 'T522'
    assert sound_code('Ashcraft') == 'A261'
    assert sound_code('Gutierrez') == 'G362'
    assert sound_code('Pfister') == 'P236'


def test_alike():
    assert alike('Robert', 'Rupert')
    assert alike('Smith', 'Smyth')
    assert not alike('Robert', 'Rubin')
    assert not alike('Carr', 'Karr')


def test_groups():
    assert group_by_sound(['Meyer', 'Maier', 'Mueller']) == {'M600': ['Meyer', 'Maier'], 'M460': ['Mueller']}
    assert group_by_sound([]) == {}
""",
        hidden="""
def test_double_letter_at_the_start():
    assert sound_code('Lloyd') == 'L300'
    assert sound_code('Llewellyn') == 'L450'
    assert sound_code('Ffoulkes') == 'F422'
    assert alike('Lloyd', 'Loyd')


def test_group_of_letters_at_the_start():
    assert sound_code('Schmidt') == 'S530'
    assert sound_code('Scott') == 'S300'
    assert sound_code('Czerny') == 'C650'
    assert sound_code('Mnemon') == 'M550'
    assert sound_code('Pfeffer') == 'P160'


def test_h_or_w_behind_the_first_letter():
    assert sound_code('Shchuka') == 'S200'
    assert sound_code('Thdor') == 'T600'
    assert sound_code('Dwtan') == 'D500'
    assert sound_code('Whitehw') == 'W300'


def test_vowel_behind_the_first_letter():
    assert sound_code('Tod') == 'T300'
    assert sound_code('Susan') == 'S250'
    assert sound_code('Nyman') == 'N550'
    assert sound_code('Eiffel') == 'E140'


def test_first_letter_without_a_digit():
    assert sound_code('Arran') == 'A650'
    assert sound_code('Hallo') == 'H400'
    assert sound_code('Yllmann') == 'Y455'
    assert sound_code('Washington') == 'W252'


def test_groups_of_spellings():
    names = ['Schmidt', 'Smith', 'Schmid', 'Lloyd', 'Loyd', 'Ladd']
    assert group_by_sound(names) == {'S530': ['Schmidt', 'Smith', 'Schmid'], 'L300': ['Lloyd', 'Loyd', 'Ladd']}
""",
    ),
    Program(
        name="release_order",
        code=r'''
"""The order of versions such as 1.4.0, 2.0.0-beta.2 and 2.0.0 (Semantic Versioning)."""


def parse(text):
    """The numbers of a version as a tuple, and the list of the parts of its pre-release, which is often empty.

    A build note, from a + sign to the end, is of no importance and is dropped.
    """
    text = text.partition('+')[0]
    core, _, pre = text.removeprefix('v').partition('-')
    numbers = tuple(int(n) for n in core.split('.'))
    if len(numbers) != 3:
        raise ValueError(f'not a version: {text!r}')
    return numbers, pre.split('.') if pre else []


def sort_key(text):
    """A key by which versions can be compared.

    A pre-release comes before its release. Of two pre-releases the first parts that differ decide: numbers are
    compared as numbers and come before words, words are compared as texts; if all are equal as far as the shorter
    one goes, the shorter one comes first.
    """
    numbers, pre = parse(text)
    parts = [(0, int(part), '') if part.isdigit() else (0, 0, part) for part in pre]
    return numbers, not pre, parts


def latest(versions, pre_releases=False):
    """The latest version, without regard to pre-releases unless they are wanted; None if there is none."""
    wanted = [v for v in versions if pre_releases or not parse(v)[1]]
    return max(wanted, key=sort_key, default=None)


def is_breaking(old, new):
    """Whether an update can break things: another first number, or, as long as that is 0, another second one."""
    (major, minor, _), _ = parse(old)
    return parse(new)[0][:1 if major else 2] != (major, minor)[:1 if major else 2]
''',
        wrong="else (0, 0, part)",
        right="else (1, 0, part)",
        visible="""
def in_order(text):
    return sorted(reversed(text.split()), key=sort_key) == text.split()


def test_parse():
    assert parse('1.2.3') == ((1, 2, 3), [])
    assert parse('v10.0.1-rc.1+build.5') == ((10, 0, 1), ['rc', '1'])
    assert parse('1.0.0+linux-x86') == ((1, 0, 0), [])
    with pytest.raises(ValueError):
        parse('1.2')


def test_releases():
    assert in_order('0.9.9 1.0.0 1.0.2 1.0.10 1.2.0 1.10.0 2.0.0 10.0.0')
    assert sort_key('v1.0.0') == sort_key('1.0.0+abc')


def test_pre_release_before_release():
    assert in_order('1.0.0-alpha 1.0.0 1.0.1-alpha 1.0.1')
    assert in_order('1.0.0-alpha 1.0.0-alpha.1 1.0.0-beta 1.0.0-rc 1.0.0')


def test_numbers_and_words():
    assert in_order('1.0.0-beta.2 1.0.0-beta.11')
    assert in_order('1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta')


def test_latest():
    versions = ['1.0.0', '1.2.0', '2.0.0-rc.1', '1.10.0']
    assert latest(versions) == '1.10.0'
    assert latest(versions, pre_releases=True) == '2.0.0-rc.1'
    assert latest([]) is None
    assert latest(['1.0.0-a']) is None


def test_is_breaking():
    assert is_breaking('1.2.3', '2.0.0')
    assert not is_breaking('1.2.3', '1.9.0')
    assert is_breaking('0.2.3', '0.3.0')
    assert not is_breaking('0.2.3', '0.2.9')
    assert is_breaking('0.2.0', '1.2.0')
""",
        hidden="""
def in_order(text):
    return sorted(reversed(text.split()), key=sort_key) == text.split()


def test_example_of_the_specification():
    assert in_order('1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 '
                    '1.0.0-rc.1 1.0.0')


def test_any_number_before_any_word():
    assert in_order('1.0.0-0 1.0.0-7 1.0.0-99 1.0.0-a 1.0.0-z')
    assert in_order('1.0.0-x.1000 1.0.0-x.a 1.0.0-x.a.1 1.0.0-x.a.a 1.0.0-x.b')
    assert in_order('2.0.0-5.b 2.0.0-6.1 2.0.0-6.a 2.0.0-a.0')


def test_words():
    assert in_order('1.0.0-A 1.0.0-B 1.0.0-a 1.0.0-b')
    assert in_order('1.0.0-a 1.0.0-a1 1.0.0-a10 1.0.0-a2')
    assert in_order('1.0.0-1a 1.0.0-a')
    assert sort_key('1.0.0-a') == sort_key('1.0.0-a+x')


def test_latest_pre_release():
    assert latest(['1.0.0-dev.7', '1.0.0-dev.x', '1.0.0-dev.30'], True) == '1.0.0-dev.x'
    assert latest(['1.0.0-9', '1.0.0-rc'], True) == '1.0.0-rc'
    assert latest(['1.0.0-9', '1.0.0-10'], True) == '1.0.0-10'
    assert latest(['1.0.0-rc', '0.9.0'], False) == '0.9.0'


def test_shorter_first():
    assert in_order('1.0.0-a 1.0.0-a.0 1.0.0-a.0.0 1.0.0-a.b')
    assert in_order('1.0.0-1 1.0.0-1.1 1.0.0-1.a 1.0.0-2')
""",
    ),
    Program(
        name="headline",
        code=r'''
"""Headlines in the style of newspapers: Most Words with a Capital, but Not All of Them."""

SMALL = frozenset('a an and as at but by for from in nor of on or the to with'.split())


def capital(word):
    """The word with its first letter made a capital; signs before it, such as a quote, are skipped."""
    for i, c in enumerate(word):
        if c.isalpha():
            return word[:i] + c.upper() + word[i + 1:]
    return word


def is_small(word):
    """Whether a word, without the signs around it, is one of those that get no capital."""
    return word.strip('.,:;!?"()').lower() in SMALL


def headline(text):
    """The text in headline style.

    Small words are written in lower case, all others with a capital. The first word, the last one, and each that
    follows a colon have a capital in any case. Words that contain capitals already, such as NASA or iPhone, are left
    as they are, unless they are small ones. White space becomes a single space.
    """
    words = text.split()
    result = []
    for i, word in enumerate(words):
        edge = i in (0, len(words)) or words[i - 1].endswith(':')
        if is_small(word):
            result.append(capital(word.lower()) if edge else word.lower())
        elif word != word.lower():
            result.append(word)
        else:
            result.append(capital(word))
    return ' '.join(result)


def initials(text):
    """The first letters of the words of a text that are not small ones, as capitals."""
    letters = [[c for c in word if c.isalpha()] for word in text.split() if not is_small(word)]
    return ''.join(found[0].upper() for found in letters if found)
''',
        wrong="i in (0, len(words))",
        right="i in (0, len(words) - 1)",
        visible="""
def test_capital():
    assert capital('word') == 'Word'
    assert capital('"word"') == '"Word"'
    assert capital('42') == '42'
    assert capital('') == ''
    assert capital('x') == 'X'


def test_plain_headlines():
    assert headline('storm over the lake') == 'Storm Over the Lake'
    assert headline('the wind in the willows') == 'The Wind in the Willows'
    assert headline('') == ''
    assert headline('  two   words ') == 'Two Words'


def test_first_and_last():
    assert headline('of mice and men') == 'Of Mice and Men'
    assert headline('the') == 'The'
    assert headline('what are you waiting for?') == 'What Are You Waiting For?'


def test_colon():
    assert headline('the news: a summary') == 'The News: A Summary'
    assert headline('the news of a day') == 'The News of a Day'


def test_words_with_capitals():
    assert headline('NASA and the iPhone') == 'NASA and the iPhone'
    assert headline('a day AT THE office') == 'A Day at the Office'


def test_initials():
    assert initials('the lord of the rings') == 'LR'
    assert initials('"as seen" on tv') == 'ST'
    assert initials('') == ''
""",
        hidden="""
def test_small_word_at_the_end():
    assert headline('a place to stand on') == 'A Place to Stand On'
    assert headline('come in') == 'Come In'
    assert headline('the one they were looking AT') == 'The One They Were Looking At'
    assert headline('the best (and the rest of)') == 'The Best (and the Rest Of)'


def test_small_word_before_the_end():
    assert headline('life with the cat') == 'Life with the Cat'
    assert headline('up to a') == 'Up to A'
    assert headline('go to it') == 'Go to It'
    assert headline('a a a') == 'A a A'


def test_one_and_two_words():
    assert headline('of') == 'Of'
    assert headline('OF') == 'Of'
    assert headline('or not') == 'Or Not'
    assert headline('and "or"') == 'And "Or"'


def test_colon_and_end():
    assert headline('home: the end of: an') == 'Home: The End of: An'
    assert headline('by: by by by') == 'By: By by By'
    assert headline('waiting for: the bus') == 'Waiting for: The Bus'


def test_last_word_that_is_no_small_one():
    assert headline('the return of the iPod') == 'The Return of the iPod'
    assert headline('a tale of 2') == 'A Tale of 2'
    assert headline('in the DARK') == 'In the DARK'
""",
    ),
    Program(
        name="query_text",
        code=r'''
"""The part of a web address after the question mark: names and values such as q=tea&lang=en."""

KEPT = frozenset('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~')


def escape(text):
    """The text with every character that may not stand in an address as % and the hexadecimal code of its bytes."""
    return ''.join(c if c in KEPT else ''.join(f'%{byte:02X}' for byte in c.encode()) for c in text)


def unescape(text):
    """The opposite of escape; a + sign becomes a space. A % without two hexadecimal digits behind it stays."""
    first, *others = text.replace('+', ' ').split('%')
    data = bytearray(first.encode())
    for piece in others:
        try:
            if len(piece) < 2 or not piece[:2].isalnum():
                raise ValueError
            data.append(int(piece[:2], 16))
            data += piece[2:].encode()
        except ValueError:
            data += b'%' + piece.encode()
    return data.decode(errors='replace')


def parse(query):
    """A dict with the list of values for each name. A name without = has the value True; empty parts are skipped."""
    found = {}
    for part in query.removeprefix('?').split('&'):
        if not part:
            continue
        if '=' in part:
            name, _, value = part.rpartition('=')
            value = unescape(value)
        else:
            name, value = part, True
        found.setdefault(unescape(name), []).append(value)
    return found


def build(values):
    """The query for a dict as parse returns it."""
    return '&'.join(escape(name) if value is True else f'{escape(name)}={escape(value)}'
                    for name, entries in values.items() for value in entries)
''',
        wrong="part.rpartition('=')",
        right="part.partition('=')",
        visible="""
def test_escape():
    assert escape('tea') == 'tea'
    assert escape('a b&c') == 'a%20b%26c'
    assert escape('é') == '%C3%A9'
    assert escape('') == ''


def test_unescape():
    assert unescape('a%20b+c') == 'a b c'
    assert unescape('%C3%A9') == 'é'
    assert unescape('100%') == '100%'
    assert unescape('%zz%4') == '%zz%4'


def test_parse():
    assert parse('?q=tea&lang=en') == {'q': ['tea'], 'lang': ['en']}
    assert parse('a=1&a=2&b=') == {'a': ['1', '2'], 'b': ['']}
    assert parse('') == {}
    assert parse('&&x=1&') == {'x': ['1']}


def test_names_alone():
    assert parse('debug&x=1') == {'debug': [True], 'x': ['1']}
    assert parse('a%20b') == {'a b': [True]}


def test_values_with_special_signs():
    assert parse('text=a%26b%3Dc') == {'text': ['a&b=c']}
    assert parse('token=YWJj==&x=1') == {'token': ['YWJj=='], 'x': ['1']}


def test_build():
    assert build({'q': ['green tea'], 'n': ['1', '2']}) == 'q=green%20tea&n=1&n=2'
    assert build({'debug': [True]}) == 'debug'
    assert build({}) == ''
""",
        hidden="""
def test_value_with_equals_sign():
    assert parse('filter=size=3') == {'filter': ['size=3']}
    assert parse('?a=b=c=d&e=f') == {'a': ['b=c=d'], 'e': ['f']}
    assert parse('x==') == {'x': ['=']}
    assert parse('x==1') == {'x': ['=1']}


def test_empty_name_or_value():
    assert parse('=5') == {'': ['5']}
    assert parse('=') == {'': ['']}
    assert parse('k=') == {'k': ['']}
    assert parse('==') == {'': ['=']}


def test_escaped_equals_sign_in_the_name():
    assert parse('a%3Db=c') == {'a=b': ['c']}
    assert parse('a%3Db=c=d') == {'a=b': ['c=d']}
    assert parse('a%3Db') == {'a=b': [True]}


def test_there_and_back():
    values = {'a=b': ['c=d', '='], 'plus+': ['1+1=2'], 'flag': [True], 'ü': ['50%', '']}
    assert parse(build(values)) == values
    assert parse('?' + build({'k': ['==']})) == {'k': ['==']}


def test_order_and_repetition():
    assert parse('b=1&a=x=y&b=2=3&b') == {'b': ['1', '2=3', True], 'a': ['x=y']}
    assert list(parse('b=1&a=2&b=3')) == ['b', 'a']
    assert unescape('%41%2b+%2B') == 'A+ +'
""",
    ),
    Program(
        name="remark_stripper",
        code=r'''
"""Takes the remarks out of the lines of a settings file. A remark goes from a # to the end of its line."""

QUOTES = '"' + "'"


def strip_remark(line):
    """The line without its remark and without the white space before that and at the end.

    A # within quotes does not start a remark. What starts with one kind of quote ends with the same kind; the other
    kind has no meaning within it. A backslash takes the meaning from the character that follows it.
    """
    quote = ''
    escaped = False
    for i, c in enumerate(line):
        if escaped:
            escaped = False
        elif c == '\\':
            escaped = True
        elif quote:
            if c in QUOTES:
                quote = ''
        elif c in QUOTES:
            quote = c
        elif c == '#':
            return line[:i].rstrip()
    return line.rstrip()


def lines_of(text):
    """The lines of a text without remarks; those of which nothing is left are dropped."""
    return [line for line in map(strip_remark, text.splitlines()) if line]


def settings(text):
    """The settings of a text: a dict of what stands before and after the first = of each line.

    Quotes around a value are taken off. A line without = raises ValueError.
    """
    found = {}
    for line in lines_of(text):
        name, sign, value = line.partition('=')
        if not sign:
            raise ValueError(f'no value: {line!r}')
        value = value.strip()
        if len(value) >= 2 and value[0] in QUOTES and value[-1] == value[0]:
            value = value[1:-1]
        found[name.strip()] = value
    return found
''',
        wrong="    if c in QUOTES:",
        right="    if c == quote:",
        visible="""
def test_no_remark():
    assert strip_remark('size = 3') == 'size = 3'
    assert strip_remark('') == ''
    assert strip_remark('  x  ') == '  x'


def test_plain_remarks():
    assert strip_remark('size = 3  # in metres') == 'size = 3'
    assert strip_remark('# nothing else') == ''
    assert strip_remark('a # b # c') == 'a'
    assert strip_remark('a#b') == 'a'


def test_quotes():
    assert strip_remark('colour = "#ff0000"  # red') == 'colour = "#ff0000"'
    assert strip_remark("sign = '#'#") == "sign = '#'"
    assert strip_remark('x = "it\\'s #1" # best') == 'x = "it\\'s #1"'


def test_backslash():
    assert strip_remark('a = \\\\# b # c') == 'a = \\\\# b'
    assert strip_remark('"\\\\"#" # x') == '"\\\\"#"'


def test_lines():
    assert lines_of('a = 1\\n# all\\n\\n   # of it\\nb = 2 # two') == ['a = 1', 'b = 2']
    assert lines_of('') == []


def test_settings():
    assert settings('a = 1 # x\\nb="#"\\n') == {'a': '1', 'b': '#'}
    assert settings("c = 'x=y'") == {'c': 'x=y'}
    with pytest.raises(ValueError):
        settings('nothing')
""",
        hidden="""
def test_other_kind_within_quotes():
    assert strip_remark("say = 'a \\"# b' # c") == "say = 'a \\"# b'"
    assert strip_remark('say = "don\\'t # stop" # now') == 'say = "don\\'t # stop"'
    assert strip_remark("'\\"' # x") == "'\\"'"


def test_quotes_one_after_the_other():
    assert strip_remark('"\\'" # x') == '"\\'"'
    assert strip_remark('"a"\\'#\\'"b" # x') == '"a"\\'#\\'"b"'
    assert strip_remark('"" # x') == '""'
    assert strip_remark('"\\'\\'" "#" # x') == '"\\'\\'" "#"'


def test_quote_that_is_never_closed():
    assert strip_remark('a = "b # c') == 'a = "b # c'
    assert strip_remark('it\\'s "all" # open') == 'it\\'s "all" # open'
    assert strip_remark('\\\\\\'s # closed') == '\\\\\\'s'


def test_backslash_within_quotes():
    assert strip_remark("'it\\\\'s # fine' # yes") == "'it\\\\'s # fine'"
    assert strip_remark('"\\\\\\\\" # two') == '"\\\\\\\\"'
    assert strip_remark('"\\\\\\'#" # two') == '"\\\\\\'#"'


def test_settings_with_both_kinds():
    text = 'a = "5\\' # 6" # feet\\nb = \\'say "#"\\' # word\\n'
    assert settings(text) == {'a': "5' # 6", 'b': 'say "#"'}
    assert settings('k = "\\'"') == {'k': "'"}
    assert settings('k = "\\' # no end"') == {'k': "' # no end"}
""",
    ),
    Program(
        name="plain_table",
        code=r'''
"""Tables as plain text."""


def is_number(text):
    """Whether a text is a number, perhaps with a sign and a decimal point."""
    digits = text.removeprefix('-').replace('.', '', 1)
    return digits.isascii() and digits.isdigit()


def table(header, rows, gap=2):
    """The lines of a table: the header, a line of dashes, and the rows.

    Each column is as wide as the longest of its texts, with a gap of so many spaces to the next. A column of numbers
    only (and empty texts), with a number in it at least, is aligned to the right, all others to the left. There are
    no spaces at the ends of lines. Rows that are too short are filled up with empty texts.
    """
    rows = [[str(cell) for cell in row] + [''] * (len(header) - len(row)) for row in rows]
    columns = list(zip(*rows)) if rows else [()] * len(header)
    widths = [max(map(len, cells), default=0) for title, cells in zip(header, columns)]
    right = [any(cells) and all(is_number(cell) for cell in cells if cell) for cells in columns]

    def line(cells):
        parts = [cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(cells, widths, right)]
        return (' ' * gap).join(parts).rstrip()

    return [line(header), line(['-' * w for w in widths]), *map(line, rows)]


def from_dicts(records, gap=2):
    """The table of some dicts. Its columns are their keys, in the order in which they first occur."""
    header = list(dict.fromkeys(key for record in records for key in record))
    return table(header, [[record.get(key, '') for key in header] for record in records], gap)
''',
        wrong="max(map(len, cells), default=0)",
        right="max(map(len, (title, *cells)))",
        visible="""
def test_is_number():
    assert is_number('12') and is_number('-3.5') and is_number('0')
    assert not is_number('') and not is_number('-')
    assert not is_number('1.2.3') and not is_number('1e5') and not is_number('x')


def test_texts_to_the_left():
    assert table(['who', 'what'], [['Anna', 'bread'], ['Bo', 'salt']]) == [
        'who   what',
        '----  -----',
        'Anna  bread',
        'Bo    salt']


def test_numbers_to_the_right():
    assert table(['x', 'n'], [['a', 5], ['b', 12], ['c', -100]]) == [
        'x     n',
        '-  ----',
        'a     5',
        'b    12',
        'c  -100']


def test_long_titles():
    assert table(['product', 'price'], [['tea', 3], ['milk', 12]]) == [
        'product  price',
        '-------  -----',
        'tea          3',
        'milk        12']


def test_gap_and_short_rows():
    assert table(['a', 'b'], [['x', 'y'], ['z']], gap=1) == ['a b', '- -', 'x y', 'z']
    assert table(['a', 'b'], [['1'], ['22', '3']]) == [' a  b', '--  -', ' 1', '22  3']


def test_from_dicts():
    assert from_dicts([{'k': 'one', 'v': 1}, {'k': 'two', 'z': 'yes'}]) == [
        'k    v  z',
        '---  -  ---',
        'one  1',
        'two     yes']
""",
        hidden="""
def test_no_rows():
    assert table(['name', 'age'], []) == ['name  age', '----  ---']
    assert table([], []) == ['', '']
    assert from_dicts([]) == ['', '']


def test_title_longer_than_cells():
    assert table(['identifier', 'ok'], [['a', 'yes'], ['b', 'no']]) == [
        'identifier  ok',
        '----------  ---',
        'a           yes',
        'b           no']
    assert table(['count', 'x'], [[1, 'p'], [20, 'q']]) == [
        'count  x', '-----  -', '    1  p', '   20  q']


def test_title_of_the_last_column():
    assert table(['a', 'remark'], [['x', 'ok'], ['y', '']]) == ['a  remark', '-  ------', 'x  ok', 'y']
    assert table(['a', 'number'], [['x', 7]]) == ['a  number', '-  ------', 'x       7']


def test_column_of_empty_texts():
    assert table(['empty', 'b'], [['', 'x'], ['', 'y']]) == [
        'empty  b', '-----  -', '       x', '       y']
    assert table(['e', 'long'], [['', '']]) == ['e  long', '-  ----', '']


def test_mixed_column_is_no_number_column():
    assert table(['value'], [['12'], ['n/a']]) == ['value', '-----', '12', 'n/a']
    assert table(['value'], [['12'], ['']]) == ['value', '-----', '   12', '']
    assert from_dicts([{'city': 'Rome', 'altitude': 21}, {'city': 'Bern', 'altitude': 540}], gap=3) == [
        'city   altitude', '----   --------', 'Rome         21', 'Bern        540']
""",
    ),
    Program(
        name="hanging_wrap",
        code=r'''
"""Fills paragraphs of text into lines of limited width."""


def wrap(text, width, indent=''):
    """The words of a text in lines of at most `width` characters; all lines but the first begin with the indent.

    As many words as possible are on a line. A word that is too long for a line has one of its own.
    """
    lines = []
    line = ''
    empty = True
    for word in text.split():
        if not empty and len(line) + len(word) > width:
            lines.append(line)
            line = indent
            empty = True
        line += word if empty else ' ' + word
        empty = False
    return lines if empty else lines + [line]


def item_list(items, width, bullet='- '):
    """The lines of a list: every item behind a bullet, its other lines moved in as far as the bullet is long."""
    lines = []
    for item in items:
        first, *others = wrap(bullet.strip() + ' ' * (bullet[-1:] == ' ') + item, width, ' ' * len(bullet))
        lines += [first, *others]
    return lines


def paragraphs(text):
    """The paragraphs of a text, which are separated by lines that are empty or blank; each as one line."""
    found = [[]]
    for line in text.splitlines():
        if line.strip():
            found[-1].append(line.strip())
        elif found[-1]:
            found.append([])
    return [' '.join(lines) for lines in found if lines]


def fill(text, width):
    """All paragraphs of a text wrapped, with an empty line between any two."""
    return '\n\n'.join('\n'.join(wrap(paragraph, width)) for paragraph in paragraphs(text))
''',
        wrong="len(line) + len(word) > width",
        right="len(line) + 1 + len(word) > width",
        visible="""
def test_one_line():
    assert wrap('a few words', 40) == ['a few words']
    assert wrap('', 10) == []
    assert wrap('   ', 10) == []
    assert wrap('word', 4) == ['word']


def test_several_lines():
    assert wrap('the quick brown fox', 12) == ['the quick', 'brown fox']
    assert wrap('one two three', 6) == ['one', 'two', 'three']
    assert wrap('aaa bbb ccc', 7) == ['aaa bbb', 'ccc']


def test_long_word():
    assert wrap('an extraordinarily long word', 6) == ['an', 'extraordinarily', 'long', 'word']
    assert wrap('extraordinarily', 3) == ['extraordinarily']


def test_indent():
    assert wrap('aa bb cc dd', 6, '..') == ['aa bb', '..cc', '..dd']
    assert wrap('aa bb cc', 20, '..') == ['aa bb cc']


def test_paragraphs():
    assert paragraphs('one\\ntwo\\n\\n \\nthree\\n') == ['one two', 'three']
    assert paragraphs('') == []
    assert paragraphs('\\n\\n  a  \\n  b\\n\\n') == ['a b']


def test_fill():
    assert fill('a b\\nc\\n\\nd', 80) == 'a b c\\n\\nd'
    assert fill('', 5) == ''
""",
        hidden="""
def test_no_line_is_too_long():
    text = 'it was the best of times it was the worst of times it was the age of wisdom'
    for width in range(5, 60):
        lines = wrap(text, width)
        assert max(map(len, lines)) <= max(width, 6)
        assert ' '.join(lines) == text
        for line, following in zip(lines, lines[1:]):
            assert len(line) + 1 + len(following.split()[0]) > width


def test_exactly_full():
    assert wrap('abc def', 7) == ['abc def']
    assert wrap('abc def', 6) == ['abc', 'def']
    assert wrap('a b c d', 3) == ['a b', 'c d']
    assert wrap('a b c d', 2) == ['a', 'b', 'c', 'd']


def test_exactly_full_with_indent():
    assert wrap('abcd ef gh ij', 7, '  ') == ['abcd ef', '  gh ij']
    assert wrap('abcd ef gh ij', 6, '  ') == ['abcd', '  ef', '  gh', '  ij']
    assert wrap('x y z', 2, '----') == ['x', '----y', '----z']


def test_item_list():
    assert item_list(['red apples', 'pears'], 8) == ['- red', '  apples', '- pears']
    assert item_list(['red apples', 'pears'], 12) == ['- red apples', '- pears']
    assert item_list(['a b c'], 5, '* ') == ['* a b', '  c']
    assert item_list([], 5) == []


def test_fill_several_paragraphs():
    assert fill('aa bb cc\\n\\ndd ee', 5) == 'aa bb\\ncc\\n\\ndd ee'
    assert fill('aa bb cc\\n\\ndd ee', 4) == 'aa\\nbb\\ncc\\n\\ndd\\nee'
    assert fill('one\\ntwo\\n\\n\\nthree four', 9) == 'one two\\n\\nthree\\nfour'
""",
    ),
    # ---------------------------------------------------------------- arithmetic
    Program(
        name="chain_fractions",
        code=r'''
"""Continued fractions: 43/19 is 2 + 1/(3 + 1/(1 + 1/4)), written [2, 3, 1, 4]."""

from fractions import Fraction


def terms(value):
    """The terms of a fraction; all but the first are positive, and the last of several is greater than 1."""
    n, d = value.numerator, value.denominator
    found = []
    while d:
        found.append(n // d)
        n, d = d, n % d
    return found


def convergents(numbers):
    """The fractions that one gets by breaking off after the first term, the second, and so on."""
    p, previous_p = 1, 0
    q, previous_q = 0, 1
    for a in numbers:
        p, previous_p = a * p + previous_p, p
        q, previous_q = a * q + previous_q, q
        yield Fraction(p, q)


def evaluate(numbers):
    """The fraction with these terms, of which there is at least one."""
    value = Fraction(numbers[-1])
    for a in reversed(numbers[:-1]):
        value = a + 1 / value
    return value


def gear_ratio(ratio, most_teeth):
    """The last convergent of a positive ratio for which no wheel, neither that of the numerator nor that of the
    denominator, needs more than so many teeth; None if there is none."""
    best = None
    for fraction in convergents(terms(ratio)):
        if fraction.denominator > most_teeth:
            break
        if fraction.numerator:
            best = fraction
    return best
''',
        wrong="if fraction.denominator > most_teeth:",
        right="if max(fraction.numerator, fraction.denominator) > most_teeth:",
        visible="""
def test_terms():
    assert terms(Fraction(43, 19)) == [2, 3, 1, 4]
    assert terms(Fraction(3)) == [3]
    assert terms(Fraction(1, 3)) == [0, 3]
    assert terms(Fraction(-7, 3)) == [-3, 1, 2]
    assert terms(Fraction(0)) == [0]


def test_convergents():
    assert list(convergents([2, 3, 1, 4])) == [2, Fraction(7, 3), Fraction(9, 4), Fraction(43, 19)]
    assert list(convergents([])) == []
    assert list(convergents([1, 1, 1, 1, 1])) == [1, 2, Fraction(3, 2), Fraction(5, 3), Fraction(8, 5)]


def test_evaluate():
    assert evaluate([2, 3, 1, 4]) == Fraction(43, 19)
    assert evaluate([5]) == 5
    assert evaluate([0, 2, 2]) == Fraction(2, 5)
    assert evaluate(terms(Fraction(355, 113))) == Fraction(355, 113)


def test_gear_ratio_of_a_small_ratio():
    ratio = Fraction(19, 43)
    assert gear_ratio(ratio, 100) == Fraction(19, 43)
    assert gear_ratio(ratio, 42) == Fraction(4, 9)
    assert gear_ratio(ratio, 8) == Fraction(3, 7)
    assert gear_ratio(ratio, 1) is None


def test_gear_ratio_of_a_great_ratio():
    ratio = Fraction(43, 19)
    assert gear_ratio(ratio, 43) == ratio
    assert gear_ratio(ratio, 42) == Fraction(9, 4)
    assert gear_ratio(ratio, 8) == Fraction(7, 3)
""",
        hidden="""
def test_pi():
    pi = Fraction(314159265, 100000000)
    assert gear_ratio(pi, 355) == Fraction(355, 113)
    assert gear_ratio(pi, 354) == Fraction(333, 106)
    assert gear_ratio(pi, 113) == Fraction(22, 7)
    assert gear_ratio(pi, 22) == Fraction(22, 7)
    assert gear_ratio(pi, 7) == 3
    assert gear_ratio(pi, 2) is None


def test_both_wheels_count():
    for n in range(1, 30):
        for d in range(1, 30):
            ratio = Fraction(n, d)
            for most in (1, 5, 12, 29):
                found = gear_ratio(ratio, most)
                assert found is None or 0 < found.numerator <= most and found.denominator <= most
            assert gear_ratio(ratio, 29) == ratio


def test_upside_down():
    for n, d in ((43, 19), (100, 7), (17, 12), (8, 5), (50, 49)):
        for most in range(1, 101):
            found, other = gear_ratio(Fraction(n, d), most), gear_ratio(Fraction(d, n), most)
            assert (found is None) == (other is None)
            assert found is None or found == 1 / other


def test_whole_numbers():
    assert gear_ratio(Fraction(12), 12) == 12
    assert gear_ratio(Fraction(12), 11) is None
    assert gear_ratio(Fraction(1, 12), 12) == Fraction(1, 12)
    assert gear_ratio(Fraction(1, 12), 11) is None


def test_convergents_end_with_the_fraction():
    for n, d in ((13, 31), (31, 13), (144, 89), (5, 1)):
        *_, last = convergents(terms(Fraction(n, d)))
        assert last == Fraction(n, d) == evaluate(terms(Fraction(n, d)))
""",
    ),
    Program(
        name="balanced_ternary",
        code=r'''
"""Numbers to the base of three with the digits -1, 0 and 1, written as -, 0 and +; so 5 is +--."""

SIGNS = {-1: '-', 0: '0', 1: '+'}
DIGITS = {sign: digit for digit, sign in SIGNS.items()}


def digits(number):
    """The digits of a whole number, the lowest first, without zeros at the end; none for 0."""
    found = []
    while number:
        digit = number % 3
        if digit == 2:
            digit = -1
        found.append(digit)
        number = number // 3
    return found


def write(number):
    """A whole number in signs, the highest first."""
    return ''.join(SIGNS[digit] for digit in reversed(digits(number))) or '0'


def read(text):
    """The number that a text of signs means; KeyError if there is another sign in it."""
    number = 0
    for sign in text:
        number = number * 3 + DIGITS[sign]
    return number


def negate(text):
    """The signs of the opposite number."""
    return text.translate(str.maketrans('+-', '-+'))


def weighing(weight, stones):
    """How to weigh something on a pair of scales with stones of 1, 3, 9, 27, ... (so many stones).

    Returns the stones beside the thing and those on the other side, or None if the stones do not suffice.
    """
    found = digits(weight)
    if len(found) > stones:
        return None
    beside = [3 ** i for i, digit in enumerate(found) if digit == -1]
    opposite = [3 ** i for i, digit in enumerate(found) if digit == 1]
    return beside, opposite
''',
        wrong="number = number // 3",
        right="number = (number - digit) // 3",
        visible="""
def test_zero():
    assert digits(0) == []
    assert write(0) == '0'
    assert read('0') == 0
    assert read('') == 0
    assert weighing(0, 3) == ([], [])


def test_numbers_without_minus():
    assert [write(n) for n in (1, 3, 4, 9, 10, 13)] == ['+', '+0', '++', '+00', '+0+', '+++']
    assert digits(12) == [0, 1, 1]


def test_read():
    assert read('+--') == 5
    assert read('-') == -1
    assert read('+0-') == 8
    assert read('00+') == 1
    with pytest.raises(KeyError):
        read('+x')


def test_negate():
    assert negate('+0-') == '-0+'
    assert negate('0') == '0'
    assert read(negate('+--')) == -5


def test_numbers_with_minus():
    assert write(2) == '+-'
    assert write(5) == '+--'
    assert write(8) == '+0-'
    assert digits(7) == [1, -1, 1]


def test_weighing():
    assert weighing(4, 2) == ([], [1, 3])
    assert weighing(13, 2) is None
    assert weighing(40, 4) == ([], [1, 3, 9, 27])
""",
        hidden="""
def test_there_and_back():
    for number in range(300):
        assert read(write(number)) == number
        assert set(digits(number)) <= {-1, 0, 1}
        assert not digits(number) or digits(number)[-1] == 1


def test_carry_over_several_digits():
    assert write(14) == '+---'
    assert write(26) == '+00-'
    assert write(80) == '+000-'
    assert write(41) == '+----'
    assert digits(17) == [-1, 0, -1, 1]


def test_weighing_with_stones_beside():
    assert weighing(2, 2) == ([1], [3])
    assert weighing(14, 4) == ([1, 3, 9], [27])
    assert weighing(14, 3) is None
    for weight in range(41):
        beside, opposite = weighing(weight, 4)
        assert sum(opposite) - sum(beside) == weight
    assert weighing(41, 4) is None


def test_remainder_one():
    assert [write(n) for n in (7, 16, 25, 31)] == ['+-+', '+--+', '+0-+', '+0++']
    assert [write(3 * n) for n in range(1, 9)] == [write(n) + '0' for n in range(1, 9)]


def test_large():
    assert read(write(10 ** 12)) == 10 ** 12
    assert write((3 ** 20 - 1) // 2) == '+' * 20
    assert write((3 ** 20 + 1) // 2) == '+' + '-' * 20
""",
    ),
    Program(
        name="fair_shares",
        code=r'''
"""Divides amounts of money, in cents, so that nothing is lost by rounding."""


def shares(amount, weights):
    """Divides an amount that is not negative in proportion to some weights, which are whole numbers.

    Everyone gets the exact share rounded down; the cents that are left go, one each, to those whose shares were
    rounded down by the most, and among equals to the first ones. ValueError if all weights are 0.
    """
    total = sum(weights)
    if total <= 0:
        raise ValueError('no weights')
    result = [amount * weight // total for weight in weights]
    lost = [amount * weight % total for weight in weights]
    order = sorted(range(len(weights)), key=lambda i: (lost[i], i))
    for i in order[:amount - sum(result)]:
        result[i] += 1
    return result


def evenly(amount, number):
    """Divides an amount among so many; the first ones get a cent more than the others, if it must be."""
    return shares(amount, [1] * number)


def percentages(counts):
    """Whole percentages that add up to 100, for counts by name."""
    return dict(zip(counts, shares(100, list(counts.values()))))


def split_bill(items, tip=0):
    """What everyone has to pay: what they had themselves, and of the tip a part in proportion to that.

    The items are pairs of a name and a price; the names come in the order in which they first occur.
    """
    owed = {}
    for name, price in items:
        owed[name] = owed.get(name, 0) + price
    extra = shares(tip, list(owed.values())) if owed and tip else [0] * len(owed)
    return {name: price + more for (name, price), more in zip(owed.items(), extra)}
''',
        wrong="key=lambda i: (lost[i], i)",
        right="key=lambda i: (-lost[i], i)",
        visible="""
def test_exact():
    assert shares(100, [1, 1]) == [50, 50]
    assert shares(100, [1, 3]) == [25, 75]
    assert shares(0, [2, 5]) == [0, 0]
    assert shares(7, [4]) == [7]


def test_evenly():
    assert evenly(10, 3) == [4, 3, 3]
    assert evenly(11, 3) == [4, 4, 3]
    assert evenly(2, 4) == [1, 1, 0, 0]


def test_cents_that_are_left():
    assert shares(10, [1, 2]) == [3, 7]
    assert shares(100, [1, 1, 4]) == [17, 17, 66]
    assert sum(shares(101, [3, 5, 9])) == 101


def test_no_weights():
    with pytest.raises(ValueError):
        shares(5, [])
    with pytest.raises(ValueError):
        shares(5, [0, 0])
    with pytest.raises(ValueError):
        percentages({})


def test_percentages():
    assert percentages({'yes': 1, 'no': 1}) == {'yes': 50, 'no': 50}
    assert percentages({'a': 1, 'b': 1, 'c': 1}) == {'a': 34, 'b': 33, 'c': 33}
    assert percentages({'x': 0, 'y': 5}) == {'x': 0, 'y': 100}


def test_split_bill():
    assert split_bill([('Ann', 500), ('Bob', 300), ('Ann', 200)]) == {'Ann': 700, 'Bob': 300}
    assert split_bill([('Ann', 700), ('Bob', 300)], tip=100) == {'Ann': 770, 'Bob': 330}
    assert split_bill([]) == {}
""",
        hidden="""
def test_greatest_losses_first():
    assert shares(3, [1, 1, 9]) == [0, 0, 3]
    assert shares(10, [5, 8, 2]) == [4, 5, 1]
    assert shares(100, [10, 20, 40]) == [14, 29, 57]
    assert shares(1, [1, 2, 3]) == [0, 0, 1]
    assert shares(1, [1, 5, 5]) == [0, 1, 0]


def test_seats():
    assert shares(10, [47, 16, 15, 12, 6, 4]) == [5, 2, 1, 1, 1, 0]
    assert shares(25, [1500, 1500, 900, 500, 500, 200]) == [7, 7, 4, 3, 3, 1]
    assert shares(26, [1500, 1500, 900, 500, 500, 200]) == [8, 8, 5, 2, 2, 1]


def test_within_one_of_the_exact_share():
    weights = [7, 1, 13, 4, 0, 4]
    for amount in range(120):
        found = shares(amount, weights)
        assert sum(found) == amount
        assert all(abs(part * 29 - amount * weight) < 29 for part, weight in zip(found, weights))
        worst_up = min((amount * w % 29 for p, w in zip(found, weights) if p * 29 > amount * w), default=29)
        best_down = max(amount * w % 29 for p, w in zip(found, weights) if p * 29 <= amount * w)
        assert worst_up >= best_down
        assert found[4] == 0


def test_percentages_of_many():
    assert percentages({'a': 1, 'b': 2, 'c': 4}) == {'a': 14, 'b': 29, 'c': 57}
    assert percentages({'a': 5, 'b': 1}) == {'a': 83, 'b': 17}
    assert percentages({'a': 1, 'b': 5}) == {'a': 17, 'b': 83}


def test_tip_in_proportion():
    assert split_bill([('A', 100), ('B', 200)], tip=50) == {'A': 117, 'B': 233}
    assert split_bill([('A', 200), ('B', 100)], tip=10) == {'A': 207, 'B': 103}
    assert split_bill([('A', 999), ('B', 1)], tip=1) == {'A': 1000, 'B': 1}
    assert split_bill([('B', 1), ('A', 999)], tip=1) == {'B': 1, 'A': 1000}
""",
    ),
    Program(
        name="meeting_days",
        code=r'''
"""Days of meetings, such as the second Tuesday or the last Friday of every month."""

from datetime import date, timedelta

NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']


def month_end(year, month):
    """The last day of a month."""
    following = date(year + month // 12, month % 12 + 1, 1)
    return following - timedelta(days=1)


def nth_day(year, month, name, n):
    """The n-th day of that name in a month; n = -1 is the last, -2 the last but one.

    ValueError if n is 0 or if there are not so many in the month.
    """
    weekday = NAMES.index(name.lower())
    if n > 0:
        first = date(year, month, 1)
        day = 1 + (weekday - first.weekday()) % 7 + 7 * (n - 1)
    elif n < 0:
        last = month_end(year, month)
        day = last.day - (weekday - last.weekday()) % 7 + 7 * (n + 1)
    else:
        raise ValueError('there is no day number 0')
    if not 1 <= day <= month_end(year, month).day:
        raise ValueError(f'not so many {name}s in {year}-{month:02}')
    return date(year, month, day)


def next_meeting(after, name, n):
    """The first such day that is later than a given one; months that have no such day are left out."""
    year, month = after.year, after.month
    while True:
        try:
            day = nth_day(year, month, name, n)
        except ValueError:
            day = after
        if day > after:
            return day
        year, month = year + month // 12, month % 12 + 1


def meetings(year, name, n):
    """All such days of a year that exist, in order."""
    day, found = date(year - 1, 12, 31), []
    while (day := next_meeting(day, name, n)).year == year:
        found.append(day)
    return found
''',
        wrong="last.day - (weekday - last.weekday()) % 7",
        right="last.day - (last.weekday() - weekday) % 7",
        visible="""
def test_month_end():
    assert month_end(2023, 2) == date(2023, 2, 28)
    assert month_end(2024, 2) == date(2024, 2, 29)
    assert month_end(2023, 12) == date(2023, 12, 31)
    assert month_end(2023, 4) == date(2023, 4, 30)


def test_nth_day():
    assert nth_day(2024, 5, 'Wednesday', 1) == date(2024, 5, 1)
    assert nth_day(2024, 5, 'tuesday', 1) == date(2024, 5, 7)
    assert nth_day(2024, 11, 'thursday', 4) == date(2024, 11, 28)
    assert nth_day(2024, 5, 'friday', 5) == date(2024, 5, 31)


def test_last_day():
    assert nth_day(2024, 5, 'friday', -1) == date(2024, 5, 31)
    assert nth_day(2024, 5, 'monday', -1) == date(2024, 5, 27)
    assert nth_day(2024, 5, 'friday', -2) == date(2024, 5, 24)


def test_no_such_day():
    with pytest.raises(ValueError):
        nth_day(2024, 5, 'monday', 5)
    with pytest.raises(ValueError):
        nth_day(2024, 5, 'monday', 0)
    with pytest.raises(ValueError):
        nth_day(2024, 5, 'moonday', 1)


def test_next_meeting():
    assert next_meeting(date(2024, 5, 1), 'wednesday', 1) == date(2024, 6, 5)
    assert next_meeting(date(2024, 4, 30), 'wednesday', 1) == date(2024, 5, 1)
    assert next_meeting(date(2024, 12, 15), 'sunday', 1) == date(2025, 1, 5)


def test_meetings():
    assert len(meetings(2024, 'monday', 2)) == 12
    assert meetings(2024, 'monday', 2)[:2] == [date(2024, 1, 8), date(2024, 2, 12)]
    assert meetings(2024, 'saturday', 5) == [
        date(2024, 3, 30), date(2024, 6, 29), date(2024, 8, 31), date(2024, 11, 30)]
""",
        hidden="""
def days_named(year, month, weekday):
    days = [date(year, month, d) for d in range(1, month_end(year, month).day + 1)]
    return [day for day in days if day.weekday() == weekday]


def test_against_lists_of_days():
    for year, month in ((2023, 2), (2024, 2), (2024, 7), (2024, 12), (2025, 3)):
        for weekday, name in enumerate(NAMES):
            days = days_named(year, month, weekday)
            for i, day in enumerate(days):
                assert nth_day(year, month, name, i + 1) == day
                assert nth_day(year, month, name, i - len(days)) == day


def test_not_so_many_from_the_end():
    for weekday, name in enumerate(NAMES):
        number = len(days_named(2024, 6, weekday))
        assert number in (4, 5)
        with pytest.raises(ValueError):
            nth_day(2024, 6, name, -number - 1)
        with pytest.raises(ValueError):
            nth_day(2024, 6, name, number + 1)


def test_day_before_and_after_the_last_weekday():
    assert nth_day(2024, 9, 'monday', -1) == date(2024, 9, 30)
    assert nth_day(2024, 9, 'sunday', -1) == date(2024, 9, 29)
    assert nth_day(2024, 9, 'tuesday', -1) == date(2024, 9, 24)
    assert nth_day(2024, 9, 'sunday', -5) == date(2024, 9, 1)


def test_next_meeting_from_the_end():
    assert next_meeting(date(2024, 5, 27), 'monday', -1) == date(2024, 6, 24)
    assert next_meeting(date(2024, 5, 26), 'monday', -1) == date(2024, 5, 27)
    assert next_meeting(date(2023, 12, 31), 'wednesday', -1) == date(2024, 1, 31)


def test_meetings_from_the_end():
    assert meetings(2025, 'sunday', -1)[2] == date(2025, 3, 30)
    assert meetings(2025, 'sunday', -1)[9] == date(2025, 10, 26)
    assert len(meetings(2025, 'tuesday', -1)) == 12
    assert meetings(2024, 'thursday', -5) == [date(2024, 2, 1), date(2024, 5, 2), date(2024, 8, 1), date(2024, 10, 3)]
""",
    ),
    Program(
        name="polynomials",
        code=r'''
"""Polynomials as lists of coefficients, the constant first: 3 + 2x^2 is [3, 0, 2]. The last one is never 0."""


def trim(coefficients):
    """The coefficients without zeros at the end."""
    trimmed = list(coefficients)
    while trimmed and trimmed[-1] == 0:
        trimmed.pop()
    return trimmed


def add(p, q):
    """The sum of two polynomials."""
    size = max(len(p), len(q))
    padded = [r + [0] * (size - len(r)) for r in (p, q)]
    return trim(a + b for a, b in zip(*padded))


def multiply(p, q):
    """The product of two polynomials."""
    product = [0] * (len(p) + len(q))
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] = a * b
    return trim(product)


def evaluate(p, x):
    """The value of a polynomial at x."""
    value = 0
    for a in reversed(p):
        value = value * x + a
    return value


def compose(p, q):
    """The polynomial whose value at x is that of p at the value of q at x."""
    result = []
    for a in reversed(p):
        result = add(multiply(result, q), [a])
    return result


def from_roots(*roots):
    """The polynomial with these roots and 1 as its last coefficient."""
    p = [1]
    for root in roots:
        p = multiply(p, [-root, 1])
    return p
''',
        wrong="product[i + j] = a * b",
        right="product[i + j] += a * b",
        visible="""
def test_trim():
    assert trim([1, 2, 0, 0]) == [1, 2]
    assert trim([0, 0]) == []
    assert trim([0, 1]) == [0, 1]
    assert trim([]) == []


def test_add():
    assert add([1, 2], [3]) == [4, 2]
    assert add([], [5, 6]) == [5, 6]
    assert add([1, 2, 3], [0, 0, -3]) == [1, 2]
    assert add([1], [-1]) == []


def test_evaluate():
    assert evaluate([], 5) == 0
    assert evaluate([3, 0, 2], 2) == 11
    assert evaluate([1, 1, 1, 1], -1) == 0


def test_multiply_by_a_single_term():
    assert multiply([1, 2, 3], [2]) == [2, 4, 6]
    assert multiply([1, 2], [0, 0, 1]) == [0, 0, 1, 2]
    assert multiply([1, 2], []) == []
    assert multiply([], []) == []


def test_multiply():
    assert multiply([1, 1], [1, 1]) == [1, 2, 1]
    assert multiply([1, 1], [1, -1]) == [1, 0, -1]
    assert multiply([1, 2], [3, 4]) == [3, 10, 8]


def test_from_roots():
    assert from_roots() == [1]
    assert from_roots(3) == [-3, 1]
    assert from_roots(0, 0) == [0, 0, 1]
""",
        hidden="""
def test_products_of_longer_ones():
    assert multiply([1, 2, 3], [4, 5, 6]) == [4, 13, 28, 27, 18]
    assert multiply([1, 1, 1], [-1, 1]) == [-1, 0, 0, 1]
    assert multiply([2, 0, 1], [2, 0, -1]) == [4, 0, 0, 0, -1]
    assert multiply([1, 2], [3, 4]) == multiply([3, 4], [1, 2])


def test_product_of_values():
    p, q = [3, -1, 0, 2], [-2, 5, 1]
    for x in range(-4, 5):
        assert evaluate(multiply(p, q), x) == evaluate(p, x) * evaluate(q, x)
        assert evaluate(add(p, q), x) == evaluate(p, x) + evaluate(q, x)
        assert evaluate(compose(p, q), x) == evaluate(p, evaluate(q, x))


def test_roots():
    assert from_roots(1, 2, 3) == [-6, 11, -6, 1]
    assert from_roots(1, -1) == [-1, 0, 1]
    assert from_roots(-1, -1, -1, -1) == [1, 4, 6, 4, 1]
    assert all(evaluate(from_roots(2, 5, -7, 0), x) == 0 for x in (2, 5, -7, 0))


def test_compose():
    assert compose([0, 0, 1], [1, 1]) == [1, 2, 1]
    assert compose([1, 1], [0, 0, 3]) == [1, 0, 3]
    assert compose([], [1, 2]) == []
    assert compose([5, 1, 1], [2]) == [11]


def test_arguments_are_not_changed():
    p, q = [1, 2], [2, 1]
    assert multiply(p, q) == [2, 5, 2]
    assert add(p, q) == [3, 3]
    assert (p, q) == ([1, 2], [2, 1])
""",
    ),
    Program(
        name="square_residues",
        code=r'''
"""Which numbers are squares if only remainders count, and the Jacobi symbol that tells something about it."""


def jacobi(a, n):
    """The Jacobi symbol of a whole number a and an odd positive n: 1, -1, or 0 if they have a common divisor.

    For a prime n it is 1 if a has the remainder of a square, and -1 if not.
    """
    if n <= 0 or n % 2 == 0:
        raise ValueError('n must be odd and positive')
    a %= n
    sign = 1
    while a:
        while a % 2 == 0:
            a //= 2
            if n % 8 in (3, 5):
                sign = -sign
        a, n = n, a
        if a % 4 == 3 and n % 4 == 3:
            sign = -sign
        a %= n
    return sign


def residues(n):
    """The remainders of the squares by n, sorted."""
    return sorted({x * x % n for x in range(n)})


def root(a, n):
    """The smallest number whose square has the same remainder by n as a, or None."""
    return next((x for x in range(n) if (x * x - a) % n == 0), None)


def looks_prime(n, bases=(2, 3, 5, 7, 11)):
    """Whether a whole number passes the test of Solovay and Strassen with some bases.

    Below 1000 that is the case for the primes and for no other number.
    """
    if n < 2 or n % 2 == 0:
        return n == 2
    for base in bases:
        if base % n == 0:
            continue
        symbol = jacobi(base, n)
        if symbol == 0 or pow(base, n // 2, n) != symbol % n:
            return False
    return True
''',
        wrong="return sign",
        right="return sign if n == 1 else 0",
        visible="""
def test_residues():
    assert residues(1) == [0]
    assert residues(7) == [0, 1, 2, 4]
    assert residues(8) == [0, 1, 4]
    assert residues(11) == [0, 1, 3, 4, 5, 9]


def test_root():
    assert root(2, 7) == 3
    assert root(9, 7) == 3
    assert root(3, 7) is None
    assert root(-1, 5) == 2
    assert root(0, 9) == 0


def test_jacobi_for_primes():
    assert [jacobi(a, 7) for a in range(1, 7)] == [1, 1, -1, 1, -1, -1]
    assert [jacobi(a, 5) for a in range(1, 5)] == [1, -1, -1, 1]
    assert jacobi(-1, 13) == 1
    assert jacobi(-1, 11) == -1
    assert jacobi(1001, 9907) == -1


def test_jacobi_wants_odd_numbers():
    for n in (0, 2, 10, -3):
        with pytest.raises(ValueError):
            jacobi(3, n)
    assert jacobi(3, 1) == 1


def test_jacobi_with_common_divisor():
    assert jacobi(3, 9) == 0
    assert jacobi(14, 21) == 0
    assert jacobi(0, 5) == 0
    assert jacobi(2, 9) == 1


def test_looks_prime():
    assert [n for n in range(30) if looks_prime(n)] == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    assert not looks_prime(561)
    assert not looks_prime(-7)
    assert looks_prime(104729)
""",
        hidden="""
def common(a, b):
    while b:
        a, b = b, a % b
    return abs(a)


def test_zero_exactly_for_common_divisors():
    for n in range(1, 60, 2):
        for a in range(-10, 70):
            assert (jacobi(a, n) == 0) == (common(a, n) > 1)


def test_primes_by_their_squares():
    for p in (3, 5, 7, 11, 13, 17, 19, 23):
        squares = residues(p)
        assert jacobi(0, p) == jacobi(p, p) == jacobi(-2 * p, p) == 0
        for a in range(1, p):
            assert jacobi(a, p) == (1 if a in squares else -1)


def test_products():
    for n in (9, 15, 21, 45):
        for a in range(20):
            for b in range(20):
                assert jacobi(a * b, n) == jacobi(a, n) * jacobi(b, n)
    for a in range(1, 30):
        assert jacobi(a, 15) == jacobi(a, 3) * jacobi(a, 5)


def test_one():
    assert jacobi(0, 1) == 1
    assert jacobi(5, 1) == 1
    assert jacobi(1, 99) == 1
    assert jacobi(-98, 99) == 1


def test_primes_below_a_thousand():
    primes = [n for n in range(2, 1000) if all(n % d for d in range(2, 32) if d < n)]
    assert [n for n in range(1000) if looks_prime(n)] == primes
    assert len(primes) == 168
    assert not looks_prime(9, bases=(3,))
    assert not looks_prime(25, bases=(5, 10))
""",
    ),
    Program(
        name="decimal_periods",
        code=r'''
"""Fractions as decimal numbers whose repeating digits are in brackets: 1/6 is 0.1(6)."""

from math import gcd


def expand(n, d, base=10):
    """The digits of n/d behind the point, for 0 <= n < d, as two lists: those before the period, and the period."""
    found = []
    seen = {}
    while n and not seen.get(n):
        seen[n] = len(found)
        digit, n = divmod(n * base, d)
        found.append(digit)
    start = seen[n] if n else len(found)
    return found[:start], found[start:]


def write(n, d):
    """The fraction n/d as a text."""
    if d == 0:
        raise ZeroDivisionError('denominator is 0')
    sign = '-' if n * d < 0 else ''
    whole, rest = divmod(abs(n), abs(d))
    before, period = (''.join(map(str, part)) for part in expand(rest, abs(d)))
    text = f'{sign}{whole}'
    if before or period:
        text += '.' + before
    return text + f'({period})' if period else text


def read(text):
    """The fraction, in lowest terms, that a text such as -0.1(6) stands for, as numerator and denominator."""
    sign = -1 if text.startswith('-') else 1
    whole, _, digits = text.lstrip('-').partition('.')
    before, _, period = digits.rstrip(')').partition('(')
    d = 10 ** len(before)
    n = int(whole + before)
    if period:
        nines = 10 ** len(period) - 1
        n, d = n * nines + int(period), d * nines
    common = gcd(n, d)
    return sign * n // common, d // common


def longest_period(limit):
    """The d below a limit for which the period of 1/d is longest; the smallest one of several."""
    return max(range(1, limit), key=lambda d: len(expand(1 % d, d)[1]))
''',
        wrong="while n and not seen.get(n):",
        right="while n and n not in seen:",
        visible="""
def test_finite():
    assert write(1, 4) == '0.25'
    assert write(7, 8) == '0.875'
    assert write(6, 3) == '2'
    assert write(0, 5) == '0'
    assert write(-5, 2) == '-2.5'


def test_period_after_other_digits():
    assert write(1, 6) == '0.1(6)'
    assert write(5, 12) == '0.41(6)'
    assert write(-1, -12) == '0.08(3)'


def test_pure_period():
    assert write(1, 3) == '0.(3)'
    assert write(2, 11) == '0.(18)'
    assert write(-22, 7) == '-3.(142857)'


def test_denominator_zero():
    with pytest.raises(ZeroDivisionError):
        write(1, 0)
    with pytest.raises(ZeroDivisionError):
        write(0, 0)


def test_read():
    assert read('0.25') == (1, 4)
    assert read('0.1(6)') == (1, 6)
    assert read('-3.(142857)') == (-22, 7)
    assert read('12') == (12, 1)
    assert read('0.(9)') == (1, 1)


def test_expand():
    assert expand(0, 7) == ([], [])
    assert expand(1, 2) == ([5], [])
    assert expand(1, 8, base=2) == ([0, 0, 1], [])
""",
        hidden="""
def test_there_and_back():
    for d in range(1, 40):
        for n in range(-5, 45):
            common = max(k for k in range(1, d + 1) if n % k == 0 and d % k == 0)
            assert read(write(n, d)) == (n // common, d // common)


def test_no_digits_before_the_period_if_coprime_to_ten():
    for d in (3, 7, 9, 11, 13, 21, 37, 99):
        for n in range(1, d):
            before, period = expand(n, d)
            assert before == []
            assert int(''.join(map(str, period))) * d == n * (10 ** len(period) - 1)


def test_shortest_period():
    assert write(1, 7) == '0.(142857)'
    assert write(1, 9) == '0.(1)'
    assert write(1, 99) == '0.(01)'
    assert write(1, 37) == '0.(027)'
    assert write(10, 3) == '3.(3)'


def test_other_bases():
    assert expand(1, 3, base=2) == ([], [0, 1])
    assert expand(1, 5, base=2) == ([], [0, 0, 1, 1])
    assert expand(1, 6, base=2) == ([0], [0, 1])
    assert expand(1, 2, base=3) == ([], [1])
    assert expand(1, 10, base=5) == ([0], [2])


def test_longest_period():
    assert longest_period(2) == 1
    assert longest_period(10) == 7
    assert longest_period(20) == 19
    assert len(expand(1, 19)[1]) == 18
    assert len(expand(1, 17)[1]) == 16
    assert len(expand(1, 3)[1]) == 1
""",
    ),
    # ---------------------------------------------------------------- graphs
    Program(
        name="call_groups",
        code=r'''
"""Which functions of a program call each other, directly or in a circle."""


def callers(calls):
    """The graph with all arrows turned round: for each function the list of those that call it, sorted."""
    turned = {name: [] for name in names(calls)}
    for caller in sorted(calls):
        for callee in calls[caller]:
            turned[callee].append(caller)
    return turned


def names(calls):
    """All functions that occur, sorted. `calls` is a dict of lists of the functions that a function calls."""
    return sorted(set(calls).union(*calls.values()))


def visit(graph, start, seen):
    """The functions that can be reached from one through others not yet seen; each comes after those it leads to.

    They are added to those seen.
    """
    if start in seen:
        return []
    seen.add(start)
    found = []
    for following in graph.get(start, ()):
        found += visit(graph, following, seen)
    return found + [start]


def groups(calls):
    """The functions in groups: two are in the same group if each leads to the other. Each group is sorted.

    A group comes before those that its functions call.
    """
    seen = set()
    order = []
    for name in names(calls):
        order += visit(calls, name, seen)
    seen = set()
    found = [visit(calls, name, seen) for name in reversed(order)]
    return [sorted(group) for group in found if group]


def recursive(calls):
    """The functions that can come to call themselves, sorted."""
    circles = {name for group in groups(calls) if len(group) > 1 for name in group}
    return sorted(circles | {name for name in calls if name in calls[name]})
''',
        wrong="visit(calls, name, seen) for name in reversed(order)",
        right="visit(callers(calls), name, seen) for name in reversed(order)",
        visible="""
def test_names_and_callers():
    calls = {'main': ['read', 'show'], 'read': ['show']}
    assert names(calls) == ['main', 'read', 'show']
    assert callers(calls) == {'main': [], 'read': ['main'], 'show': ['main', 'read']}
    assert names({}) == []


def test_visit():
    calls = {'a': ['b', 'c'], 'b': ['d'], 'c': ['d']}
    seen = set()
    assert visit(calls, 'a', seen) == ['d', 'b', 'c', 'a']
    assert seen == {'a', 'b', 'c', 'd'}
    assert visit(calls, 'b', seen) == []
    assert visit(calls, 'a', {'b'}) == ['d', 'c', 'a']


def test_no_calls():
    assert groups({}) == []
    assert sorted(groups({'a': [], 'b': []})) == [['a'], ['b']]
    assert recursive({'a': [], 'b': []}) == []


def test_circle():
    assert groups({'a': ['b'], 'b': ['c'], 'c': ['a']}) == [['a', 'b', 'c']]
    assert recursive({'a': ['b'], 'b': ['a']}) == ['a', 'b']


def test_one_calls_the_other():
    assert groups({'a': ['b']}) == [['a'], ['b']]
    assert groups({'main': ['even'], 'even': ['odd'], 'odd': ['even']}) == [['main'], ['even', 'odd']]


def test_function_that_calls_itself():
    assert recursive({'f': ['f']}) == ['f']
    assert groups({'f': ['f']}) == [['f']]
""",
        hidden="""
def test_chain():
    assert groups({'a': ['b'], 'b': ['c'], 'c': ['d']}) == [['a'], ['b'], ['c'], ['d']]
    assert groups({'d': ['c'], 'c': ['b'], 'b': ['a']}) == [['d'], ['c'], ['b'], ['a']]
    assert recursive({'a': ['b'], 'b': ['c']}) == []


def test_two_circles():
    calls = {'a': ['b'], 'b': ['a', 'c'], 'c': ['d'], 'd': ['c', 'e']}
    assert groups(calls) == [['a', 'b'], ['c', 'd'], ['e']]
    assert recursive(calls) == ['a', 'b', 'c', 'd']
    turned = {'c': ['d', 'b'], 'd': ['c'], 'b': ['a'], 'a': ['b'], 'e': ['d']}
    assert groups(turned) == [['e'], ['c', 'd'], ['a', 'b']]


def test_calls_without_circles():
    calls = {'main': ['load', 'run'], 'run': ['step', 'load'], 'step': ['log'], 'load': ['log']}
    found = groups(calls)
    assert sorted(found) == [['load'], ['log'], ['main'], ['run'], ['step']]
    place = {group[0]: i for i, group in enumerate(found)}
    assert all(place[a] < place[b] for a in calls for b in calls[a])
    assert recursive(calls) == []


def test_circles_that_share_a_function():
    calls = {'x': ['y', 'z'], 'y': ['x'], 'z': ['x', 'w'], 'w': [], 'v': ['x']}
    assert groups(calls) == [['v'], ['x', 'y', 'z'], ['w']]
    assert recursive(calls) == ['x', 'y', 'z']


def test_by_reaching_each_other():
    calls = {n: [n * 2 % 9, (n * n + 1) % 9] for n in range(9)}
    reach = {n: set(visit(calls, n, set())) for n in range(9)}
    for group in groups(calls):
        for n in group:
            assert group == sorted(m for m in range(9) if m in reach[n] and n in reach[m])
    assert sorted(n for group in groups(calls) for n in group) == list(range(9))
""",
    ),
    Program(
        name="work_plan",
        code=r'''
"""Plans of work in which some tasks can only start when others are done (critical path method)."""


def order(needs):
    """The tasks in an order in which they can be done; ValueError if there is none.

    `needs` is a dict with the list of the tasks that must be done before a task; each task is a key of it.
    """
    done = []
    while len(done) < len(needs):
        ready = [task for task in needs if task not in done and all(other in done for other in needs[task])]
        if not ready:
            raise ValueError('tasks that wait for each other')
        done += ready
    return done


def earliest(days, needs):
    """For each task the day on which it can start at the earliest; the plan starts on day 0."""
    start = {}
    for task in order(needs):
        start[task] = max((start[other] + days[other] for other in needs[task]), default=0)
    return start


def length(days, needs):
    """How many days the whole plan takes."""
    return max((start + days[task] for task, start in earliest(days, needs).items()), default=0)


def latest(days, needs):
    """For each task the day on which it must start at the latest, if the plan is to take no longer."""
    end = length(days, needs)
    start = {}
    for task in reversed(order(needs)):
        followers = [other for other in needs if task in needs[other]]
        start[task] = max((start[other] for other in followers), default=end) - days[task]
    return start


def slack(days, needs):
    """By how many days the start of each task can be put off without making the plan longer."""
    early, late = earliest(days, needs), latest(days, needs)
    return {task: late[task] - early[task] for task in needs}


def critical(days, needs):
    """The tasks that cannot be put off, in the order in which they are done."""
    spare = slack(days, needs)
    return [task for task in order(needs) if spare[task] == 0]
''',
        wrong="max((start[other] for other in followers), default=end)",
        right="min((start[other] for other in followers), default=end)",
        visible="""
def test_order():
    assert order({}) == []
    assert order({'eat': ['cook'], 'cook': ['buy'], 'buy': []}) == ['buy', 'cook', 'eat']
    assert order({'a': [], 'b': [], 'c': ['a', 'b']}) == ['a', 'b', 'c']
    with pytest.raises(ValueError):
        order({'a': ['b'], 'b': ['a']})


def test_earliest():
    needs = {'a': [], 'b': ['a'], 'c': ['a'], 'd': ['b', 'c']}
    assert earliest({'a': 2, 'b': 3, 'c': 5, 'd': 1}, needs) == {'a': 0, 'b': 2, 'c': 2, 'd': 7}
    assert earliest({}, {}) == {}


def test_length():
    assert length({}, {}) == 0
    assert length({'a': 4, 'b': 6}, {'a': [], 'b': []}) == 6
    assert length({'a': 4, 'b': 6}, {'a': [], 'b': ['a']}) == 10


def test_chain_has_no_slack():
    days, needs = {'a': 1, 'b': 2, 'c': 3}, {'a': [], 'b': ['a'], 'c': ['b']}
    assert latest(days, needs) == {'a': 0, 'b': 1, 'c': 3}
    assert slack(days, needs) == {'a': 0, 'b': 0, 'c': 0}
    assert critical(days, needs) == ['a', 'b', 'c']


def test_tasks_side_by_side():
    days, needs = {'long': 9, 'short': 2}, {'long': [], 'short': []}
    assert latest(days, needs) == {'long': 0, 'short': 7}
    assert critical(days, needs) == ['long']


def test_slack():
    days = {'a': 2, 'b': 3, 'c': 5, 'd': 1}
    needs = {'a': [], 'b': ['a'], 'c': ['a'], 'd': ['b', 'c']}
    assert slack(days, needs) == {'a': 0, 'b': 2, 'c': 0, 'd': 0}
    assert critical(days, needs) == ['a', 'c', 'd']
""",
        hidden="""
HOUSE = {'dig': [], 'walls': ['dig'], 'pipes': ['dig'], 'roof': ['walls'], 'floor': ['pipes', 'walls'],
         'paint': ['roof', 'floor'], 'garden': ['dig']}
DAYS = {'dig': 3, 'walls': 10, 'pipes': 4, 'roof': 5, 'floor': 2, 'paint': 4, 'garden': 6}


def test_house():
    assert length(DAYS, HOUSE) == 22
    assert latest(DAYS, HOUSE) == {
        'dig': 0, 'walls': 3, 'pipes': 12, 'roof': 13, 'floor': 16, 'paint': 18, 'garden': 16}
    assert critical(DAYS, HOUSE) == ['dig', 'walls', 'roof', 'paint']


def test_slack_is_never_negative():
    assert all(spare >= 0 for spare in slack(DAYS, HOUSE).values())
    for task in DAYS:
        spare = slack(DAYS, HOUSE)[task]
        assert length(DAYS | {task: DAYS[task] + spare}, HOUSE) == 22
        assert length(DAYS | {task: DAYS[task] + spare + 1}, HOUSE) == 23


def test_followers_of_different_urgency():
    needs = {'a': [], 'b': ['a'], 'c': ['a'], 'd': ['a']}
    days = {'a': 1, 'b': 2, 'c': 8, 'd': 5}
    assert latest(days, needs) == {'a': 0, 'b': 7, 'c': 1, 'd': 4}
    assert slack(days, needs) == {'a': 0, 'b': 6, 'c': 0, 'd': 3}


def test_follower_of_a_follower():
    needs = {'a': [], 'b': ['a'], 'c': ['a', 'b']}
    days = {'a': 2, 'b': 3, 'c': 4}
    assert slack(days, needs) == {'a': 0, 'b': 0, 'c': 0}
    assert latest(days, needs) == {'a': 0, 'b': 2, 'c': 5}
    assert critical(days, {'c': ['b', 'a'], 'b': ['a'], 'a': []}) == ['a', 'b', 'c']


def test_nothing_to_do():
    assert latest({}, {}) == slack({}, {}) == {}
    assert critical({}, {}) == []
    assert latest({'a': 0}, {'a': []}) == {'a': 0}
    with pytest.raises(ValueError):
        latest({'a': 1}, {'a': ['a']})
""",
    ),
    Program(
        name="fragile_lines",
        code=r'''
"""Networks of stations and the lines between them: on which lines everything depends."""


def network(*lines):
    """The neighbours of each station, for lines such as 'a-b'. Stations without a line are written alone."""
    near = {}
    for line in lines:
        a, _, b = line.partition('-')
        near.setdefault(a, [])
        if b:
            near.setdefault(b, [])
            near[a].append(b)
            near[b].append(a)
    return near


def fragile(near):
    """The lines without which the stations at their ends would not be connected any more.

    Each is a sorted pair of stations; they are sorted. If there are two lines between two stations, neither counts.
    """
    number = {}
    lowest = {}
    found = []

    def visit(here, before):
        number[here] = lowest[here] = len(number)
        for there in near[here]:
            if there == before:
                before = None
            elif there in number:
                lowest[here] = min(number[there], lowest[here])
            else:
                visit(there, here)
                lowest[here] = min(lowest[here], number[there])
                if lowest[there] > number[here]:
                    found.append(tuple(sorted((here, there))))

    for station in near:
        if station not in number:
            visit(station, None)
    return sorted(found)


def safe_areas(near):
    """The sorted lists of stations that stay connected whichever single line fails, sorted."""
    cut = fragile(near)
    areas = []
    for station in near:
        if not any(station in area for area in areas):
            area = [station]
            for here in area:
                area += [there for there in near[here]
                         if there not in area and tuple(sorted((here, there))) not in cut]
            areas.append(area)
    return sorted(sorted(set(area)) for area in areas)
''',
        wrong="lowest[here] = min(lowest[here], number[there])",
        right="lowest[here] = min(lowest[here], lowest[there])",
        visible="""
def test_network():
    assert network('a-b', 'b-c') == {'a': ['b'], 'b': ['a', 'c'], 'c': ['b']}
    assert network('x') == {'x': []}
    assert network() == {}
    assert network('a-b', 'a-b') == {'a': ['b', 'b'], 'b': ['a', 'a']}


def test_every_line_of_a_tree_is_fragile():
    assert fragile(network('a-b')) == [('a', 'b')]
    assert fragile(network('b-a', 'c-b', 'b-d')) == [('a', 'b'), ('b', 'c'), ('b', 'd')]
    assert fragile(network('p-q', 'r-s')) == [('p', 'q'), ('r', 's')]


def test_nothing_is_fragile():
    assert fragile(network()) == []
    assert fragile(network('a', 'b')) == []
    assert fragile(network('a-b', 'b-a')) == []


def test_double_line_in_a_chain():
    assert fragile(network('a-b', 'b-c', 'b-c', 'c-d')) == [('a', 'b'), ('c', 'd')]
    assert fragile(network('a-b', 'a-b', 'b-c')) == [('b', 'c')]


def test_circle():
    assert fragile(network('a-b', 'b-c', 'c-a')) == []
    assert fragile(network('a-b', 'b-c', 'c-a', 'c-d')) == [('c', 'd')]


def test_safe_areas_of_trees():
    assert safe_areas(network('a-b', 'b-c')) == [['a'], ['b'], ['c']]
    assert safe_areas(network('a-b', 'a-b', 'b-c')) == [['a', 'b'], ['c']]
    assert safe_areas(network()) == []
""",
        hidden="""
def connected(near, start, goal, without):
    todo, seen = [start], {start}
    while todo:
        here = todo.pop()
        for there in near[here]:
            if tuple(sorted((here, there))) != without and there not in seen:
                seen.add(there)
                todo.append(there)
    return goal in seen


def check(*lines):
    near = network(*lines)
    pairs = {tuple(sorted((a, b))) for a in near for b in near[a]}
    expected = sorted(p for p in pairs if near[p[0]].count(p[1]) == 1 and not connected(near, *p, p))
    assert fragile(near) == expected


def test_long_circles():
    assert fragile(network('a-b', 'b-c', 'c-d', 'd-e', 'e-a')) == []
    assert fragile(network('a-b', 'b-c', 'c-d', 'd-b')) == [('a', 'b')]
    assert fragile(network('a-b', 'b-c', 'c-a', 'c-d', 'd-e', 'e-f', 'f-d')) == [('c', 'd')]


def test_against_a_slow_way():
    check('a-b', 'b-c', 'c-d', 'd-a', 'd-e', 'e-f', 'f-g', 'g-e', 'g-h')
    check('a-b', 'a-c', 'a-d', 'b-e', 'c-e', 'd-f')
    check('a-f', 'f-b', 'b-g', 'g-c', 'c-h', 'g-f', 'h-d', 'd-i', 'i-h')
    check('s-t', 't-u', 'u-v', 'v-w', 'w-t', 'u-w', 'x-y')


def test_same_for_every_start():
    lines = ['a-b', 'b-c', 'c-a', 'c-d', 'd-e', 'e-f', 'f-d', 'f-g']
    for i in range(len(lines)):
        assert fragile(network(*lines[i:], *lines[:i])) == [('c', 'd'), ('f', 'g')]


def test_safe_areas():
    near = network('a-b', 'b-c', 'c-a', 'c-d', 'd-e', 'e-f', 'f-d', 'f-g')
    assert safe_areas(near) == [['a', 'b', 'c'], ['d', 'e', 'f'], ['g']]
    assert safe_areas(network('a-b', 'b-c', 'c-d', 'd-a')) == [['a', 'b', 'c', 'd']]
    assert safe_areas(network('a-b', 'b-c', 'c-d', 'd-b', 'z')) == [['a'], ['b', 'c', 'd'], ['z']]


def test_figure_of_eight():
    assert fragile(network('a-b', 'b-c', 'c-a', 'a-d', 'd-e', 'e-a')) == []
    assert fragile(network('a-b', 'b-c', 'c-a', 'a-d', 'd-e')) == [('a', 'd'), ('d', 'e')]
    assert safe_areas(network('a-b', 'b-c', 'c-a', 'a-d', 'd-e', 'e-a')) == [['a', 'b', 'c', 'd', 'e']]
""",
    ),
    Program(
        name="heaviest_truck",
        code=r'''
"""Routes for heavy trucks over bridges that bear only so many tons."""

from heapq import heappop, heappush
from math import inf


class Roads:
    """Places and the bridges between them, which can be used in both directions."""

    def __init__(self):
        self._bridges = {}

    def add(self, one, other, tons):
        """Adds a bridge. Of several between the same places the strongest counts."""
        for a, b in ((one, other), (other, one)):
            near = self._bridges.setdefault(a, {})
            near[b] = max(tons, near.get(b, 0))

    def limits(self, start):
        """The weight of the heaviest truck that can get from the start to each place that can be reached at all.

        The places with the highest limits are settled first.
        """
        return {place: limit for place, (limit, _) in self._search(start).items()}

    def route(self, start, goal):
        """The places on a way for the heaviest possible truck, start and goal included; None if there is no way."""
        found = self._search(start)
        if goal not in found:
            return None
        way = [goal]
        while way[-1] != start:
            way.append(found[way[-1]][1])
        return way[::-1]

    def _search(self, start):
        best = {start: (inf, None)}
        settled = set()
        heap = [(-inf, start)]
        while heap:
            _, place = heappop(heap)
            if place in settled:
                continue
            settled.add(place)
            for following, tons in self._bridges.get(place, {}).items():
                limit = min(best[place][0], tons)
                if following not in settled and limit > best.get(following, (0, None))[0]:
                    best[following] = limit, place
                    heappush(heap, (limit, following))
        return best
''',
        wrong="heappush(heap, (limit, following))",
        right="heappush(heap, (-limit, following))",
        visible="""
from math import inf


def roads(*bridges):
    made = Roads()
    for a, b, tons in bridges:
        made.add(a, b, tons)
    return made


def test_no_roads():
    assert Roads().limits('a') == {'a': inf}
    assert Roads().route('a', 'a') == ['a']
    assert Roads().route('a', 'b') is None


def test_chain():
    chain = roads(('a', 'b', 30), ('b', 'c', 10), ('c', 'd', 20))
    assert chain.limits('a') == {'a': inf, 'b': 30, 'c': 10, 'd': 10}
    assert chain.limits('d') == {'d': inf, 'c': 20, 'b': 10, 'a': 10}
    assert chain.route('d', 'a') == ['d', 'c', 'b', 'a']


def test_several_bridges_between_two_places():
    two = roads(('a', 'b', 5), ('b', 'a', 8), ('a', 'b', 7))
    assert two.limits('a')['b'] == 8
    assert two.limits('b')['a'] == 8


def test_not_connected():
    parts = roads(('a', 'b', 5), ('x', 'y', 9))
    assert parts.limits('a') == {'a': inf, 'b': 5}
    assert parts.route('a', 'x') is None


def test_way_round():
    town = roads(('a', 'b', 3), ('a', 'c', 10), ('c', 'b', 8))
    assert town.limits('a') == {'a': inf, 'b': 8, 'c': 10}
    assert town.route('a', 'b') == ['a', 'c', 'b']
    assert town.route('b', 'c') == ['b', 'c']
""",
        hidden="""
from math import inf


def roads(*bridges):
    made = Roads()
    for a, b, tons in bridges:
        made.add(a, b, tons)
    return made


def slow_limits(bridges, start):
    best = {start: inf}
    for _ in bridges:
        for a, b, tons in bridges:
            for x, y in ((a, b), (b, a)):
                if x in best:
                    best[y] = max(best.get(y, 0), min(best[x], tons))
    return best


def test_long_way_round():
    town = roads(('a', 'e', 2), ('a', 'b', 9), ('b', 'c', 8), ('c', 'd', 7), ('d', 'e', 6), ('e', 'f', 20))
    assert town.limits('a') == {'a': inf, 'b': 9, 'c': 8, 'd': 7, 'e': 6, 'f': 6}
    assert town.route('a', 'f') == ['a', 'b', 'c', 'd', 'e', 'f']
    assert town.route('f', 'a') == ['f', 'e', 'd', 'c', 'b', 'a']


def test_against_a_slow_way():
    for step in (3, 5, 7):
        bridges = [(n, n * step % 11, 1 + n * n * step % 17) for n in range(11)]
        bridges += [(n, (n + 4) % 11, 1 + n * 5 % 13) for n in range(11)]
        town = roads(*bridges)
        for start in range(11):
            assert town.limits(start) == slow_limits(bridges, start)


def test_route_bears_the_limit():
    bridges = [(n, m, 1 + (n * 7 + m * 3) % 10) for n in range(7) for m in range(n)]
    town = roads(*bridges)
    strength = {frozenset((a, b)): tons for a, b, tons in bridges}
    for start in range(7):
        for goal in range(7):
            way = town.route(start, goal)
            assert way[0] == start and way[-1] == goal
            bearing = min((strength[frozenset(pair)] for pair in zip(way, way[1:])), default=inf)
            assert bearing == town.limits(start)[goal]


def test_same_limit_in_both_directions():
    town = roads(('p', 'q', 4), ('q', 'r', 12), ('p', 's', 11), ('s', 'r', 10), ('s', 'q', 1), ('r', 't', 3))
    for a in 'pqrst':
        for b in 'pqrst':
            assert town.limits(a)[b] == town.limits(b)[a]
    assert town.limits('p') == {'p': inf, 'q': 10, 'r': 10, 's': 11, 't': 3}


def test_equal_limits():
    square = roads(('a', 'b', 5), ('b', 'c', 5), ('c', 'd', 5), ('d', 'a', 5))
    assert square.limits('a') == {'a': inf, 'b': 5, 'c': 5, 'd': 5}
    assert square.route('a', 'c') in (['a', 'b', 'c'], ['a', 'd', 'c'])
    assert square.route('c', 'c') == ['c']
""",
    ),
    Program(
        name="mole_tunnels",
        code=r'''
"""A mole looks for the way on which it has to dig least. In its garden # is firm earth and . is a tunnel."""

from collections import deque

STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))


def neighbours(garden, place):
    """The places above, left, right and below one, as far as they are in the garden."""
    row, column = place
    for down, right in STEPS:
        r, c = row + down, column + right
        if 0 <= r < len(garden) and 0 <= c < len(garden[r]):
            yield r, c


def digging(garden, start):
    """For each place in the garden the smallest number of pieces of firm earth to dig through on a way to it.

    The place itself counts, the start does not. Places that are reached without further digging are taken before
    those that need it, so each place is settled with its final number.
    """
    settled = {}
    waiting = deque([(start, 0)])
    while waiting:
        place, dug = waiting.popleft()
        if place in settled:
            continue
        settled[place] = dug
        for r, c in neighbours(garden, place):
            if garden[r][c] == '#':
                waiting.append(((r, c), dug + 1))
            else:
                waiting.append(((r, c), dug))
    return settled


def least(garden, start, goal):
    """The number of pieces of firm earth on the best way; None if the goal is not in the garden."""
    return digging(garden, start).get(goal)


def within(garden, start, strength):
    """How many places a mole can visit, including the start, if it can dig through so many pieces at most on a way."""
    return sum(dug <= strength for dug in digging(garden, start).values())


def chambers(garden):
    """The number of parts into which the tunnels fall as long as nobody digs."""
    left = {(r, c) for r, row in enumerate(garden) for c, sign in enumerate(row) if sign == '.'}
    number = 0
    while left:
        number += 1
        left -= {place for place, dug in digging(garden, min(left)).items() if dug == 0}
    return number
''',
        wrong="waiting.append(((r, c), dug))",
        right="waiting.appendleft(((r, c), dug))",
        visible="""
def test_neighbours():
    assert list(neighbours(['..', '..'], (0, 0))) == [(0, 1), (1, 0)]
    assert list(neighbours(['...', '...', '...'], (1, 1))) == [(0, 1), (1, 0), (1, 2), (2, 1)]
    assert list(neighbours(['.'], (0, 0))) == []


def test_single_row():
    assert least(['.#.##.'], (0, 0), (0, 5)) == 3
    assert least(['.#.##.'], (0, 5), (0, 0)) == 3
    assert digging(['#.#'], (0, 0)) == {(0, 0): 0, (0, 1): 0, (0, 2): 1}
    assert least(['...'], (0, 0), (1, 0)) is None


def test_straight_is_best():
    garden = ['..#', '.#.', '#..']
    assert least(garden, (0, 0), (2, 2)) == 1
    assert least(garden, (0, 0), (0, 1)) == 0
    assert least(garden, (0, 0), (0, 0)) == 0


def test_tunnel_round_the_earth():
    garden = ['.##.',
              '.##.',
              '....']
    assert least(garden, (0, 0), (0, 3)) == 0
    assert least(garden, (0, 0), (0, 2)) == 1
    assert least(garden, (0, 3), (0, 1)) == 1


def test_within():
    assert within(['.#.##.'], (0, 0), 0) == 1
    assert within(['.#.##.'], (0, 0), 1) == 3
    assert within(['..', '..'], (1, 1), 0) == 4


def test_chambers():
    assert chambers(['.#.', '###', '.#.']) == 4
    assert chambers(['...']) == 1
    assert chambers(['##']) == 0
    assert chambers(['..#.', '#.#.']) == 2
""",
        hidden="""
def slow(garden, start):
    places = [(r, c) for r in range(len(garden)) for c in range(len(garden[r]))]
    best = {place: 999 for place in places} | {start: 0}
    for _ in places:
        for r, c in places:
            for place in neighbours(garden, (r, c)):
                best[place] = min(best[place], best[r, c] + (garden[place[0]][place[1]] == '#'))
    return best


SPIRAL = ['.......', '######.', '.....#.', '.###.#.', '.#...#.', '.#####.', '.......']


def test_spiral():
    assert least(SPIRAL, (0, 0), (4, 2)) == 0
    assert least(SPIRAL, (0, 0), (1, 0)) == 1
    assert least(SPIRAL, (3, 3), (0, 0)) == 0
    assert chambers(SPIRAL) == 1
    assert within(SPIRAL, (0, 0), 0) == sum(row.count('.') for row in SPIRAL)


def test_against_a_slow_way():
    for garden in (SPIRAL, ['.#.#.', '##.##', '.#.#.', '..#..'], ['.###.', '.#.#.', '.#.#.', '...#.', '####.']):
        for r in range(len(garden)):
            for c in range(len(garden[r])):
                assert digging(garden, (r, c)) == slow(garden, (r, c))


def test_long_tunnel_or_short_digging():
    garden = ['.#..',
              '.##.',
              '.##.',
              '....']
    assert least(garden, (0, 0), (0, 2)) == 0
    assert least(garden, (0, 0), (1, 2)) == 1
    assert digging(garden, (0, 0))[0, 1] == 1
    assert within(garden, (0, 0), 0) == 11
    assert within(garden, (0, 0), 1) == 16


def test_chambers_of_winding_tunnels():
    assert chambers(['...', '##.', '...', '.##', '...']) == 1
    assert chambers(['.#...', '.#.#.', '.#.#.', '...#.', '####.']) == 1
    assert chambers(['.#...', '.#.#.', '.###.', '...#.', '####.']) == 2
    assert chambers([]) == 0


def test_all_earth():
    assert digging(['##', '##'], (0, 0)) == {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 2}
    assert within(['####'], (0, 1), 1) == 3
    assert least(['#.', '.#'], (1, 1), (0, 0)) == 1
""",
    ),
    Program(
        name="recipe_circles",
        code=r'''
"""Recipes that are made from other recipes, and the mistake that one needs itself in the end."""


def circle(recipes):
    """The first circle that is found, as a list of names that begins and ends with the same one; None if there is none.

    `recipes` is a dict of the lists of what is needed for each; what is not a key of it can be bought. The recipes
    are tried in the order of the dict, and what they need in the order of the lists.
    """
    sound = set()

    def follow(name, trail):
        if name in trail:
            return trail + [name]
        if name in sound:
            return None
        for needed in recipes.get(name, ()):
            found = follow(needed, trail + [name])
            if found:
                return found
        sound.add(name)
        return None

    for name in recipes:
        found = follow(name, [])
        if found:
            return found
    return None


def shopping(recipes, name):
    """What has to be bought for a recipe, and how often it is needed, by name. ValueError if there is a circle."""
    if found := circle(recipes):
        raise ValueError(' needs '.join(found))
    if name not in recipes:
        return {name: 1}
    total = {}
    for needed in recipes[name]:
        for thing, number in shopping(recipes, needed).items():
            total[thing] = total.get(thing, 0) + number
    return total


def stages(recipes, name):
    """How many recipes must be made one after the other at least, 0 for what can be bought."""
    if name not in recipes:
        return 0
    return 1 + max((stages(recipes, needed) for needed in recipes[name]), default=0)
''',
        wrong="return trail + [name]",
        right="return trail[trail.index(name):] + [name]",
        visible="""
def test_no_circle():
    assert circle({}) is None
    assert circle({'bread': ['flour', 'water']}) is None
    assert circle({'pizza': ['dough', 'sauce'], 'dough': ['flour'], 'sauce': ['tomato']}) is None
    assert circle({'a': ['b', 'c'], 'b': ['d'], 'c': ['d'], 'd': []}) is None


def test_circle_from_the_first_recipe():
    assert circle({'a': ['a']}) == ['a', 'a']
    assert circle({'a': ['b'], 'b': ['a']}) == ['a', 'b', 'a']
    assert circle({'b': ['c'], 'c': ['d', 'b'], 'd': []}) == ['b', 'c', 'b']


def test_recipe_that_leads_into_a_circle():
    assert circle({'cake': ['cream'], 'cream': ['milk', 'foam'], 'foam': ['cream']}) == ['cream', 'foam', 'cream']
    assert circle({'x': ['y'], 'y': ['y']}) == ['y', 'y']


def test_shopping():
    recipes = {'pizza': ['dough', 'sauce', 'cheese'], 'dough': ['flour', 'water'], 'sauce': ['tomato', 'water']}
    assert shopping(recipes, 'pizza') == {'flour': 1, 'water': 2, 'tomato': 1, 'cheese': 1}
    assert shopping(recipes, 'salt') == {'salt': 1}
    assert shopping({'air': []}, 'air') == {}


def test_shopping_with_a_circle():
    with pytest.raises(ValueError, match='^a needs b needs a$'):
        shopping({'a': ['b'], 'b': ['a']}, 'a')
    with pytest.raises(ValueError):
        shopping({'a': ['a'], 'b': []}, 'b')


def test_stages():
    recipes = {'pizza': ['dough', 'cheese'], 'dough': ['flour', 'yeast mix'], 'yeast mix': ['yeast', 'water']}
    assert stages(recipes, 'pizza') == 3
    assert stages(recipes, 'yeast mix') == 1
    assert stages(recipes, 'water') == 0
""",
        hidden="""
def test_long_way_into_a_circle():
    recipes = {'1': ['2'], '2': ['3'], '3': ['4'], '4': ['5'], '5': ['6'], '6': ['4']}
    assert circle(recipes) == ['4', '5', '6', '4']
    recipes['6'] = ['2']
    assert circle(recipes) == ['2', '3', '4', '5', '6', '2']
    recipes['6'] = ['1']
    assert circle(recipes) == ['1', '2', '3', '4', '5', '6', '1']


def test_circle_behind_sound_recipes():
    recipes = {'a': ['b', 'c'], 'b': ['d'], 'c': ['d', 'e'], 'd': [], 'e': ['f'], 'f': ['d', 'c']}
    assert circle(recipes) == ['c', 'e', 'f', 'c']
    assert circle({'s': ['t'], 't': [], 'u': ['t', 'v'], 'v': ['v']}) == ['v', 'v']


def test_each_of_a_circle_needs_the_next():
    for step in (2, 3, 4):
        recipes = {n: [(n * step + 1) % 13] for n in range(13)}
        found = circle(recipes)
        assert found[0] == found[-1]
        assert len(set(found)) == len(found) - 1
        assert all(b in recipes[a] for a, b in zip(found, found[1:]))


def test_message():
    with pytest.raises(ValueError, match='^b needs c needs b$'):
        shopping({'a': ['b'], 'b': ['c'], 'c': ['b']}, 'a')
    with pytest.raises(ValueError, match='^egg needs egg$'):
        shopping({'soup': ['water', 'egg'], 'egg': ['egg']}, 'water')


def test_circle_stays_out_of_the_way_of_plain_names():
    assert circle({'a': ['x', 'x', 'x'], 'b': ['a', 'a']}) is None
    assert shopping({'a': ['x', 'x'], 'b': ['a', 'a', 'y']}, 'b') == {'x': 4, 'y': 1}
    assert stages({'a': ['x', 'x'], 'b': ['a', 'a', 'y']}, 'b') == 2
""",
    ),
    # ---------------------------------------------------------------- state
    Program(
        name="data_allowance",
        code=r'''
"""The data volume of a telephone contract, which grows by the hour and can be saved up to a limit."""


class Allowance:
    """Volume in megabytes; times are in whole hours and must not go back."""

    def __init__(self, per_hour, most, now=0):
        """Starts with all the volume that can be saved."""
        self._per_hour = per_hour
        self._most = most
        self._left = most
        self._now = now
        self._refused = 0

    def _go_to(self, now):
        if now < self._now:
            raise ValueError('time goes back')
        self._left = min(self._most, self._left + (now - self._now) * self._per_hour)
        self._now = now

    def left(self, now):
        """What can be used at this time."""
        self._go_to(now)
        return self._left

    def use(self, volume, now):
        """Uses so much, if there is so much left, and tells whether it did."""
        self._go_to(now)
        if volume > self._left:
            self._refused += 1
            return False
        self._left =- volume
        return True

    def hours_until(self, volume, now):
        """In how many hours so much can be used; None if that is never the case."""
        self._go_to(now)
        if volume > self._most:
            return None
        return max(0, -(-(volume - self._left) // self._per_hour))

    def change(self, per_hour, most, now):
        """Changes the contract; what is above the new limit is lost."""
        self._go_to(now)
        self._per_hour, self._most = per_hour, most
        self._left = min(self._left, most)

    @property
    def refused(self):
        """How often something could not be used."""
        return self._refused
''',
        wrong="self._left =- volume",
        right="self._left -= volume",
        visible="""
def test_full_at_the_start():
    allowance = Allowance(10, 100)
    assert allowance.left(0) == 100
    assert allowance.left(5) == 100
    assert allowance.refused == 0


def test_too_much():
    allowance = Allowance(10, 100)
    assert not allowance.use(101, 0)
    assert not allowance.use(500, 3)
    assert allowance.left(3) == 100
    assert allowance.refused == 2


def test_use():
    allowance = Allowance(10, 100)
    assert allowance.use(30, 0)
    assert allowance.left(0) == 70
    assert allowance.left(2) == 90
    assert allowance.left(9) == 100


def test_time_goes_back():
    allowance = Allowance(1, 5, now=8)
    assert allowance.left(8) == 5
    assert allowance.left(9) == 5
    with pytest.raises(ValueError):
        allowance.left(8)
    with pytest.raises(ValueError):
        allowance.use(1, 0)


def test_hours_until():
    allowance = Allowance(10, 100)
    assert allowance.hours_until(100, 0) == 0
    assert allowance.hours_until(1, 4) == 0
    assert allowance.hours_until(101, 4) is None


def test_change():
    allowance = Allowance(10, 100)
    allowance.change(5, 40, 2)
    assert allowance.left(2) == 40
    allowance.change(5, 60, 3)
    assert allowance.left(3) == 40
    assert allowance.left(6) == 55
""",
        hidden="""
def test_use_several_times():
    allowance = Allowance(10, 100)
    assert [allowance.use(40, 0) for _ in range(3)] == [True, True, False]
    assert allowance.left(0) == 20
    assert allowance.use(20, 0)
    assert allowance.left(0) == 0
    assert allowance.use(0, 0)
    assert not allowance.use(1, 0)
    assert allowance.refused == 2


def test_use_and_grow():
    allowance = Allowance(3, 20, now=100)
    assert allowance.use(20, 101)
    assert allowance.left(103) == 6
    assert not allowance.use(7, 103)
    assert allowance.use(7, 104)
    assert allowance.left(104) == 2
    assert allowance.left(109) == 17
    assert allowance.left(111) == 20


def test_half_used():
    allowance = Allowance(1, 50)
    assert allowance.use(25, 0)
    assert allowance.left(0) == 25
    assert allowance.use(10, 0)
    assert allowance.left(0) == 15
    assert allowance.left(1) == 16


def test_hours_until_after_use():
    allowance = Allowance(10, 100)
    assert allowance.use(95, 0)
    assert allowance.hours_until(5, 0) == 0
    assert allowance.hours_until(6, 0) == 1
    assert allowance.hours_until(15, 0) == 1
    assert allowance.hours_until(16, 0) == 2
    assert allowance.hours_until(100, 3) == 7
    assert allowance.hours_until(101, 3) is None


def test_change_after_use():
    allowance = Allowance(10, 100)
    assert allowance.use(60, 0)
    allowance.change(20, 90, 1)
    assert allowance.left(1) == 50
    assert allowance.left(3) == 90
    allowance.change(1, 30, 3)
    assert allowance.use(29, 3)
    assert allowance.left(3) == 1
""",
    ),
    Program(
        name="table_tennis",
        code=r'''
"""Keeps the score of a match of table tennis."""


class Match:
    """Two players, 0 and 1; who first wins a number of games wins the match."""

    def __init__(self, games_to_win=3, first_server=0):
        self._wanted = games_to_win
        self._first_server = first_server
        self.points = [0, 0]
        self.games = [0, 0]
        self.finished = []

    @property
    def winner(self):
        """The player who has won the match, or None."""
        return next((player for player in (0, 1) if self.games[player] == self._wanted), None)

    def point(self, player):
        """A point for a player. A game is won with 11 points or more and at least 2 more than the other player."""
        if self.winner is not None:
            raise RuntimeError('the match is over')
        self.points[player] += 1
        if self.points[player] >= 11 and self.points[player] - self.points[1 - player] >= 2:
            self.games[player] += 1
            self.finished.append(tuple(self.points))
            self.points = [0, 0]

    def server(self):
        """Who serves the next point.

        The players serve first in turns from game to game. Within a game the service changes after every two points;
        as soon as both have 10 points or more, it changes after each.
        """
        played = sum(self.points)
        deuce = self.points[0] >= 10 or self.points[1] >= 10
        changes = played if deuce else played // 2
        return (self._first_server + len(self.finished) + changes) % 2

    def game_points(self):
        """The players who would win the game with the next point; at most one."""
        return [p for p in (0, 1) if self.points[p] >= 10 and self.points[p] > self.points[1 - p]]

    def score(self):
        """The score as a text such as '2:1 (11:7 9:11 13:11) 4:5'; without the brackets in the first game, and
        without the points of the game after the end of the match."""
        parts = ['{}:{}'.format(*self.games)]
        if self.finished:
            parts.append('(' + ' '.join('{}:{}'.format(*points) for points in self.finished) + ')')
        if self.winner is None:
            parts.append('{}:{}'.format(*self.points))
        return ' '.join(parts)
''',
        wrong="self.points[0] >= 10 or self.points[1] >= 10",
        right="self.points[0] >= 10 and self.points[1] >= 10",
        visible="""
def play(points, **settings):
    match = Match(**settings)
    for player in points:
        match.point(int(player))
    return match


def test_start():
    match = Match()
    assert match.points == [0, 0] and match.games == [0, 0]
    assert match.winner is None
    assert match.server() == 0
    assert Match(first_server=1).server() == 1
    assert match.score() == '0:0 0:0'


def test_game_is_won():
    assert play('0' * 11).games == [1, 0]
    assert play('0' * 10).games == [0, 0]
    assert play('01' * 10 + '0').games == [0, 0]
    assert play('01' * 10 + '00').games == [1, 0]
    assert play('01' * 12 + '11').finished == [(12, 14)]


def test_match_is_won():
    match = play('1' * 22, games_to_win=2)
    assert match.winner == 1
    assert match.score() == '0:2 (0:11 0:11)'
    with pytest.raises(RuntimeError):
        match.point(0)


def test_server_at_the_start_of_a_game():
    assert [play('01' * n).server() for n in range(5)] == [0, 1, 0, 1, 0]
    assert [play('0' * n).server() for n in range(6)] == [0, 0, 1, 1, 0, 0]
    assert play('0' * 11).server() == 1
    assert play('0' * 13).server() == 0


def test_server_at_the_end_of_a_game():
    assert play('01' * 10).server() == 0
    assert play('01' * 10 + '0').server() == 1
    assert play('01' * 11).server() == 0
    assert play('0' * 10 + '1' * 8).server() == 1
    assert play('0' * 9 + '1' * 9).server() == 1


def test_game_points():
    assert play('0' * 10).game_points() == [0]
    assert play('01' * 10).game_points() == []
    assert play('01' * 10 + '1').game_points() == [1]
    assert play('0' * 9).game_points() == []
""",
        hidden="""
def play(points, **settings):
    match = Match(**settings)
    for player in points:
        match.point(int(player))
    return match


def test_server_all_along_one_sided_games():
    for other in range(10):
        for mine in range(11):
            expected = (other + mine) // 2 % 2
            assert play('1' * other + '0' * mine).server() == expected
            assert play('0' * other + '1' * mine).server() == expected


def test_server_with_ten_points_of_one():
    assert play('1' * 10).server() == 1
    assert play('1' * 10 + '000').server() == 0
    assert play('0' * 10 + '1' * 4).server() == 1
    assert play('0' * 10 + '1' * 9).server() == 1
    assert play('0' * 10 + '1' * 7, first_server=1).server() == 1


def test_server_after_ten_all():
    servers = [play(('01' * 20)[:n]).server() for n in range(16, 27)]
    assert servers == [0, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0]
    assert play('01' * 10, first_server=1).server() == 1
    assert play('01' * 10 + '1', first_server=1).server() == 0


def test_server_from_game_to_game():
    assert play('0' * 11 + '1' * 10).server() == 0
    assert play('0' * 11 + '1' * 11).server() == 0
    assert play('0' * 11 + '1' * 11 + '0' * 10 + '1' * 2).server() == 0
    assert play('0' * 11 + '01' * 10 + '1').server() == 0


def test_score():
    match = play('0' * 11 + '01' * 10 + '11' + '0' * 4 + '1' * 5)
    assert match.score() == '1:1 (11:0 10:12) 4:5'
    assert match.games == [1, 1] and match.winner is None
    assert match.server() == 0
    assert match.game_points() == []
""",
    ),
    Program(
        name="frost_heater",
        code=r'''
"""A heater that protects a greenhouse from frost, controlled by a thermostat."""


class Heater:
    """Goes on below the lower temperature and off above the upper one; between them it stays as it is."""

    def __init__(self, low, high):
        if low >= high:
            raise ValueError('low must be lower than high')
        self._low = low
        self._high = high
        self._locked = False
        self.on = False
        self.switched = 0
        self.minutes_on = 0

    def _switch(self, on):
        if on != self.on:
            self.on = on
            self.switched += 1

    def lock(self):
        """Turns the heater off and keeps it off until it is unlocked."""
        self._locked = True
        self._switch(False)

    def unlock(self):
        """Lets the thermostat work again; the heater is still off."""
        self._locked = False

    def measure(self, temperature, minutes=1):
        """Takes a temperature, switches if need be, and lets so many minutes go by. Returns whether the heater is on."""
        if not self._locked:
            if temperature < self._low:
                self._switch(True)
            else:
                self._switch(False)
        if self.on:
            self.minutes_on += minutes
        return self.on


def simulate(heater, start, loss, power, steps):
    """The temperatures of so many minutes, beginning with the one at the start.

    In each minute it becomes colder by `loss`, and warmer by `power` if the heater is on after a measurement.
    """
    found = [start]
    for _ in range(steps):
        change = power if heater.measure(found[-1]) else 0
        found.append(found[-1] - loss + change)
    return found
''',
        wrong="else:",
        right="elif temperature > self._high:",
        visible="""
def test_limits():
    with pytest.raises(ValueError):
        Heater(5, 5)
    with pytest.raises(ValueError):
        Heater(6, 2)
    heater = Heater(2, 5)
    assert not heater.on
    assert heater.switched == heater.minutes_on == 0


def test_on_and_off():
    heater = Heater(2, 5)
    assert heater.measure(1)
    assert heater.measure(-7)
    assert not heater.measure(6)
    assert not heater.measure(20)
    assert heater.switched == 2
    assert heater.minutes_on == 2


def test_stays_off_between():
    heater = Heater(2, 5)
    assert not heater.measure(5)
    assert not heater.measure(3)
    assert not heater.measure(2)
    assert heater.switched == 0


def test_stays_on_between():
    heater = Heater(2, 5)
    assert heater.measure(0)
    assert heater.measure(3)
    assert heater.measure(4)
    assert not heater.measure(6)
    assert heater.switched == 2


def test_lock():
    heater = Heater(2, 5)
    heater.measure(0, 10)
    heater.lock()
    assert not heater.on
    assert not heater.measure(-20, 10)
    heater.unlock()
    assert not heater.on
    assert heater.measure(-20, 10)
    assert heater.minutes_on == 20


def test_simulate_without_heating():
    assert simulate(Heater(0, 3), 6, 1, 2, 4) == [6, 5, 4, 3, 2]
    assert simulate(Heater(0, 3), 6, 1, 2, 0) == [6]
""",
        hidden="""
def test_exactly_at_the_limits():
    heater = Heater(2, 5)
    assert not heater.measure(2)
    assert heater.measure(1.9)
    assert heater.measure(2)
    assert heater.measure(5)
    assert not heater.measure(5.1)
    assert not heater.measure(5)


def test_sequence():
    heater = Heater(-1, 1)
    temperatures = [0, -1, -2, -1, 0, 1, 2, 1, 0, -1, -2, 0, 2]
    assert [heater.measure(t) for t in temperatures] == [
        False, False, True, True, True, True, False, False, False, False, True, True, False]
    assert heater.switched == 4
    assert heater.minutes_on == 6


def test_simulate():
    heater = Heater(2, 4)
    assert simulate(heater, 3, 1, 2, 9) == [3, 2, 1, 2, 3, 4, 5, 4, 3, 2]
    assert heater.switched == 2
    assert heater.minutes_on == 4


def test_minutes_between_the_limits():
    heater = Heater(0, 10)
    heater.measure(-5, 30)
    heater.measure(5, 45)
    heater.measure(10, 5)
    heater.measure(11, 60)
    heater.measure(5, 60)
    assert heater.minutes_on == 80
    assert heater.switched == 2


def test_lock_between_the_limits():
    heater = Heater(0, 10)
    heater.measure(-1)
    heater.measure(4)
    assert heater.on
    heater.lock()
    heater.unlock()
    assert not heater.measure(4)
    assert heater.measure(-1)
    assert heater.measure(9)
    assert heater.switched == 3
""",
    ),
    Program(
        name="card_boxes",
        code=r'''
"""A box for learning words with cards: what one knows is asked less and less often (Leitner's system)."""


class CardBoxes:
    """Cards in boxes 1, 2, 3, ...; a new card is in box 1. Lessons are counted from 1."""

    def __init__(self, boxes=4):
        self._last = boxes
        self._box = {}
        self._answered = set()
        self.lesson = 1

    def add(self, *cards):
        """Adds new cards; those that are there already stay where they are."""
        for card in cards:
            self._box.setdefault(card, 1)

    def box(self, card):
        """The box in which a card is."""
        return self._box[card]

    def period(self, box):
        """The cards of box 1 are asked in every lesson, those of box 2 in every second, of box 3 in every fourth..."""
        return 2 ** box - 1

    def due(self):
        """The cards to be asked in this lesson that have not been answered yet, those of the lowest box first.

        A box is asked in the lessons whose number can be divided by its period.
        """
        cards = [card for card, box in self._box.items()
                 if self.lesson % self.period(box) == 0 and card not in self._answered]
        return sorted(cards, key=self._box.get)

    def answer(self, card, known):
        """Puts a card into the next box if it was known, else back into box 1; ValueError if it is not due."""
        if card not in self.due():
            raise ValueError(f'{card!r} is not due')
        self._answered.add(card)
        self._box[card] = min(self._box[card] + 1, self._last) if known else 1

    def next_lesson(self):
        """Goes to the next lesson in which there is something to ask; cards not answered stay in their boxes."""
        self._answered.clear()
        self.lesson += 1
        while self._box and not self.due():
            self.lesson += 1

    def counts(self):
        """How many cards there are in each box."""
        boxes = list(self._box.values())
        return [boxes.count(box) for box in range(1, self._last + 1)]
''',
        wrong="2 ** box - 1",
        right="2 ** (box - 1)",
        visible="""
def test_new_cards():
    cards = CardBoxes()
    assert cards.due() == []
    cards.add('dog', 'cat')
    assert cards.due() == ['dog', 'cat']
    assert cards.box('dog') == 1
    assert cards.counts() == [2, 0, 0, 0]


def test_answer():
    cards = CardBoxes()
    cards.add('dog', 'cat')
    cards.answer('dog', True)
    cards.answer('cat', False)
    assert cards.box('dog') == 2 and cards.box('cat') == 1
    assert cards.due() == []
    with pytest.raises(ValueError):
        cards.answer('dog', True)


def test_unknown_cards_come_in_every_lesson():
    cards = CardBoxes()
    cards.add('dog')
    for lesson in range(1, 6):
        assert cards.lesson == lesson
        cards.answer('dog', False)
        cards.next_lesson()
    assert cards.counts() == [1, 0, 0, 0]


def test_known_cards_come_less_often():
    cards = CardBoxes()
    cards.add('dog')
    lessons = []
    for _ in range(4):
        lessons.append(cards.lesson)
        cards.answer('dog', True)
        cards.next_lesson()
    assert lessons == [1, 2, 4, 8]
    assert cards.lesson == 16
    assert cards.box('dog') == 4


def test_add_again():
    cards = CardBoxes(2)
    cards.add('dog')
    cards.answer('dog', True)
    cards.add('dog', 'cow')
    assert cards.box('dog') == 2
    assert cards.counts() == [1, 1]
    assert cards.due() == ['cow']


def test_lessons_without_cards():
    cards = CardBoxes()
    cards.next_lesson()
    assert cards.lesson == 2
    assert cards.due() == []
""",
        hidden="""
def test_periods():
    cards = CardBoxes(6)
    assert [cards.period(box) for box in range(1, 7)] == [1, 2, 4, 8, 16, 32]


def test_second_box():
    cards = CardBoxes(2)
    cards.add('a', 'b')
    cards.answer('a', True)
    cards.answer('b', False)
    due = []
    for _ in range(5):
        cards.next_lesson()
        due.append((cards.lesson, cards.due()))
    assert due == [(2, ['b', 'a']), (3, ['b']), (4, ['b', 'a']), (5, ['b']), (6, ['b', 'a'])]


def test_back_to_the_first_box():
    cards = CardBoxes()
    cards.add('x')
    for known in (True, True, False):
        cards.answer('x', known)
        cards.next_lesson()
    assert cards.lesson == 5
    assert cards.box('x') == 1
    cards.answer('x', True)
    cards.next_lesson()
    assert cards.lesson == 6
    assert cards.due() == ['x']


def test_lowest_box_first():
    cards = CardBoxes(3)
    cards.add('old')
    cards.answer('old', True)
    cards.next_lesson()
    cards.add('new')
    assert cards.due() == ['new', 'old']
    cards.answer('old', True)
    cards.answer('new', True)
    assert cards.counts() == [0, 1, 1]
    cards.next_lesson()
    assert cards.lesson == 4
    assert cards.due() == ['new', 'old']


def test_last_box():
    cards = CardBoxes(3)
    cards.add('k')
    lessons = []
    for _ in range(6):
        lessons.append((cards.lesson, cards.box('k')))
        cards.answer('k', True)
        cards.next_lesson()
    assert lessons == [(1, 1), (2, 2), (4, 3), (8, 3), (12, 3), (16, 3)]
    with pytest.raises(ValueError):
        cards.answer('unknown', True)
""",
    ),
    Program(
        name="tool_library",
        code=r'''
"""A place where neighbours lend tools to each other."""


class Tool:
    """A tool of which there are some pieces, the people who have one, and those who wait for one, in their order."""

    def __init__(self, name, pieces=1):
        self.name = name
        self._pieces = pieces
        self._lent = []
        self._waiting = []

    @property
    def free(self):
        """How many pieces are not lent."""
        return self._pieces - len(self._lent)

    def waiting(self):
        """Those who wait, the first one first."""
        return list(self._waiting)

    def may_take(self, person):
        """Whether a person may take a piece now.

        Free pieces are kept for those who have waited longest, one for each. Others may take one only if more are
        free than there are people waiting. Nobody may have two.
        """
        if person in self._lent or self.free == 0:
            return False
        kept = self._waiting
        return person in kept or self.free > len(self._waiting)

    def take(self, person):
        """Lends a piece to a person, who waits no longer; PermissionError if that is not allowed."""
        if not self.may_take(person):
            raise PermissionError(f'{person} cannot take the {self.name}')
        self._lent.append(person)
        if person in self._waiting:
            self._waiting.remove(person)

    def give_back(self, person):
        """Takes a piece back and returns the people for whom one is kept now; ValueError if the person has none."""
        self._lent.remove(person)
        return self._waiting[:self.free]

    def wait(self, person):
        """Puts a person at the end of those who wait and returns the place; who waits already keeps the place.

        ValueError if the person has a piece.
        """
        if person in self._lent:
            raise ValueError(f'{person} has the {self.name}')
        if person not in self._waiting:
            self._waiting.append(person)
        return self._waiting.index(person) + 1
''',
        wrong="kept = self._waiting",
        right="kept = self._waiting[:self.free]",
        visible="""
def test_take_and_give_back():
    saw = Tool('saw')
    assert saw.free == 1
    assert saw.may_take('Ann')
    saw.take('Ann')
    assert saw.free == 0
    assert not saw.may_take('Bob')
    assert saw.give_back('Ann') == []
    assert saw.may_take('Bob')


def test_nobody_has_two():
    saw = Tool('saw', 2)
    saw.take('Ann')
    with pytest.raises(PermissionError):
        saw.take('Ann')
    saw.take('Bob')
    with pytest.raises(PermissionError):
        saw.take('Cat')
    assert saw.free == 0


def test_wait():
    saw = Tool('saw')
    saw.take('Ann')
    assert saw.wait('Bob') == 1
    assert saw.wait('Cat') == 2
    assert saw.wait('Bob') == 1
    assert saw.waiting() == ['Bob', 'Cat']
    with pytest.raises(ValueError):
        saw.wait('Ann')


def test_give_back_what_one_has_not():
    saw = Tool('saw')
    with pytest.raises(ValueError):
        saw.give_back('Ann')
    saw.take('Ann')
    with pytest.raises(ValueError):
        saw.give_back('Bob')


def test_first_one_takes():
    saw = Tool('saw')
    saw.take('Ann')
    saw.wait('Bob')
    assert not saw.may_take('Bob')
    assert saw.give_back('Ann') == ['Bob']
    assert not saw.may_take('Ann')
    saw.take('Bob')
    assert saw.waiting() == []


def test_second_one_has_to_wait():
    saw = Tool('saw')
    saw.take('Ann')
    saw.wait('Bob')
    saw.wait('Cat')
    assert saw.give_back('Ann') == ['Bob']
    assert saw.may_take('Bob')
    assert not saw.may_take('Cat')
    with pytest.raises(PermissionError):
        saw.take('Cat')
""",
        hidden="""
def lent_out(pieces, takers, waiters):
    tool = Tool('drill', pieces)
    for person in takers:
        tool.take(person)
    for person in waiters:
        tool.wait(person)
    return tool


def test_one_piece_three_waiting():
    drill = lent_out(1, 'A', 'BCD')
    assert [drill.may_take(p) for p in 'ABCDE'] == [False] * 5
    assert drill.give_back('A') == ['B']
    assert [drill.may_take(p) for p in 'ABCDE'] == [False, True, False, False, False]
    drill.take('B')
    assert drill.waiting() == ['C', 'D']
    assert drill.give_back('B') == ['C']
    assert [drill.may_take(p) for p in 'ABCDE'] == [False, False, True, False, False]


def test_two_pieces_three_waiting():
    drill = lent_out(2, 'AB', 'CDE')
    assert drill.give_back('A') == ['C']
    assert [drill.may_take(p) for p in 'CDE'] == [True, False, False]
    assert drill.give_back('B') == ['C', 'D']
    assert [drill.may_take(p) for p in 'CDEF'] == [True, True, False, False]
    drill.take('D')
    assert [drill.may_take(p) for p in 'CDEF'] == [True, False, False, False]
    assert drill.waiting() == ['C', 'E']


def test_more_free_than_waiting():
    drill = lent_out(3, 'ABC', 'D')
    drill.give_back('A')
    assert not drill.may_take('X')
    drill.give_back('B')
    assert drill.may_take('X')
    assert drill.may_take('D')
    drill.take('X')
    assert not drill.may_take('Y')
    assert drill.may_take('D')


def test_refused_person_changes_nothing():
    drill = lent_out(1, 'A', 'BC')
    drill.give_back('A')
    for person in 'CAX':
        with pytest.raises(PermissionError):
            drill.take(person)
    assert drill.free == 1
    assert drill.waiting() == ['B', 'C']
    drill.take('B')
    assert drill.free == 0
    assert drill.waiting() == ['C']


def test_back_in_the_line():
    drill = lent_out(1, 'A', 'B')
    drill.give_back('A')
    assert drill.wait('A') == 2
    assert not drill.may_take('A')
    drill.take('B')
    drill.give_back('B')
    assert drill.wait('B') == 2
    assert not drill.may_take('B')
    drill.take('A')
    assert drill.waiting() == ['B']
""",
    ),
    Program(
        name="stage_lights",
        code=r'''
"""The control desk for the lights on a stage."""


class Desk:
    """Lamps with levels from 0 to 100, and cues: states of all lamps that are recorded under a name."""

    def __init__(self, *lamps):
        self._levels = dict.fromkeys(lamps, 0)
        self._cues = {}
        self._dark = False

    def set(self, lamp, level):
        """Sets the level of a lamp, at most 100 and at least 0; KeyError if there is no such lamp."""
        if lamp not in self._levels:
            raise KeyError(lamp)
        self._levels[lamp] = max(0, min(100, level))

    def shift(self, amount):
        """Makes all lamps that are not off brighter by an amount, or darker if it is negative."""
        for lamp, level in self._levels.items():
            if level:
                self.set(lamp, level + amount)

    def output(self):
        """The levels of the lamps as they are seen: all 0 while the stage is kept dark."""
        return {lamp: 0 if self._dark else level for lamp, level in self._levels.items()}

    def dark(self, on):
        """Keeps the stage dark, or lets the lamps be seen again; their levels are not changed."""
        self._dark = on

    def record(self, name):
        """Records the levels that are set now as a cue; a cue of that name is replaced."""
        self._cues[name] = self._levels

    def cues(self):
        """The names of the cues, in the order in which they were first recorded."""
        return list(self._cues)

    def go(self, name, percent=100):
        """Sets the levels of a cue, or goes only so many percent of the way from the present levels to them."""
        cue = self._cues[name]
        self._levels = {lamp: level + (cue[lamp] - level) * percent // 100 for lamp, level in self._levels.items()}

    def changes(self, name):
        """The lamps whose levels a cue would change, with the new ones."""
        return {lamp: level for lamp, level in self._cues[name].items() if level != self._levels[lamp]}
''',
        wrong="self._cues[name] = self._levels",
        right="self._cues[name] = dict(self._levels)",
        visible="""
def test_start():
    desk = Desk('left', 'right')
    assert desk.output() == {'left': 0, 'right': 0}
    assert desk.cues() == []
    with pytest.raises(KeyError):
        desk.go('opening')


def test_set():
    desk = Desk('left', 'right')
    desk.set('left', 40)
    assert desk.output() == {'left': 40, 'right': 0}
    desk.set('left', 150)
    desk.set('right', -3)
    assert desk.output() == {'left': 100, 'right': 0}
    with pytest.raises(KeyError):
        desk.set('middle', 5)


def test_shift():
    desk = Desk('a', 'b', 'c')
    desk.set('a', 50)
    desk.set('b', 95)
    desk.shift(10)
    assert desk.output() == {'a': 60, 'b': 100, 'c': 0}
    desk.shift(-70)
    assert desk.output() == {'a': 0, 'b': 30, 'c': 0}


def test_dark():
    desk = Desk('a')
    desk.set('a', 70)
    desk.dark(True)
    assert desk.output() == {'a': 0}
    desk.set('a', 80)
    assert desk.output() == {'a': 0}
    desk.dark(False)
    assert desk.output() == {'a': 80}


def test_record_and_go():
    desk = Desk('a', 'b')
    desk.set('a', 30)
    desk.record('evening')
    desk.set('a', 90)
    desk.set('b', 10)
    assert desk.changes('evening') == {'a': 30, 'b': 0}
    desk.go('evening')
    assert desk.output() == {'a': 30, 'b': 0}


def test_names_of_cues():
    desk = Desk('a')
    desk.record('two')
    desk.record('one')
    desk.record('two')
    assert desk.cues() == ['two', 'one']
    assert desk.changes('one') == {}
""",
        hidden="""
def test_several_cues():
    desk = Desk('a', 'b')
    for name, a, b in (('morning', 20, 40), ('noon', 100, 100), ('night', 0, 5)):
        desk.set('a', a)
        desk.set('b', b)
        desk.record(name)
    desk.go('morning')
    assert desk.output() == {'a': 20, 'b': 40}
    desk.go('noon')
    assert desk.output() == {'a': 100, 'b': 100}
    assert desk.changes('night') == {'a': 0, 'b': 5}
    assert desk.changes('noon') == {}


def test_changes_after_go_do_not_change_the_cue():
    desk = Desk('a', 'b')
    desk.set('a', 50)
    desk.record('x')
    desk.go('x')
    desk.set('a', 60)
    desk.shift(5)
    assert desk.changes('x') == {'a': 50}
    desk.go('x')
    assert desk.output() == {'a': 50, 'b': 0}
    desk.set('b', 1)
    desk.go('x')
    assert desk.output() == {'a': 50, 'b': 0}


def test_part_of_the_way():
    desk = Desk('a', 'b')
    desk.set('a', 100)
    desk.record('bright')
    desk.set('a', 0)
    desk.set('b', 40)
    desk.go('bright', 50)
    assert desk.output() == {'a': 50, 'b': 20}
    desk.go('bright', 50)
    assert desk.output() == {'a': 75, 'b': 10}
    desk.go('bright', 0)
    assert desk.output() == {'a': 75, 'b': 10}
    desk.go('bright')
    assert desk.output() == {'a': 100, 'b': 0}


def test_recorded_while_dark():
    desk = Desk('a')
    desk.set('a', 70)
    desk.dark(True)
    desk.record('hidden')
    desk.set('a', 10)
    desk.go('hidden')
    assert desk.output() == {'a': 0}
    desk.dark(False)
    assert desk.output() == {'a': 70}


def test_recording_again_replaces():
    desk = Desk('a', 'b')
    desk.set('a', 10)
    desk.record('one')
    desk.record('copy')
    desk.set('a', 20)
    desk.record('one')
    desk.set('a', 0)
    assert desk.changes('one') == {'a': 20}
    assert desk.changes('copy') == {'a': 10}
    desk.go('copy')
    assert desk.output() == {'a': 10, 'b': 0}
""",
    ),
)
