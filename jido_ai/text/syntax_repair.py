"""Syntax repair of Python: the smallest edits, near the compiler's position, that make it parse.

Repairs are found by search. Each family below handles the small errors behind one message of the compiler and proposes
edits of the rows that the message names. An edit counts if the whole text compiles; edits with the same syntax tree
count as one. A single remaining meaning is a repair, several are not. No rows are added or removed, and rows without an
edit stay unchanged.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from jido_ai.text.edits import Edit, apply_edits
from jido_ai.text.python_tree import CANDIDATE, tree_of

MAX_CHARS: Final = 100_000
"""Longer texts are not repaired: each try parses the whole text."""

_MAX_TRIES: Final = 1_000
_MAX_WORK: Final = 6_000_000  # characters that are parsed, all tries together
_MAX_SLIPS: Final = 4  # one after the other in one text
_BEAM: Final = 24
_ROWS_BELOW: Final = 30
_LONGEST_ROW: Final = 4_000  # that is edited inside: the proposals for a row take the square of its tokens

_ROW_END = re.compile(r"\r\n|\r|\n")
_TOKEN = re.compile(
    r"""\s+|\#.*|[rbfuRBFU]{0,2}(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\w+|->|:=|\*\*|//|<<|>>|[-+*/%@&|^=!<>]=|."""
)
_CODE: Final = re.compile(
    r"""^\s*(?:@\w|(?:def|class|import|from|async)\s+\w|(?:if|elif|for|while|with|return|assert|raise|try|else|match)\b.*[:(=\[]\s*\S*)
    |^\s*[\w.\[\]"', ]+\s*[-+*/|&%]?=(?!=)|\w\(|^\s*[\[{(]|\bprint\b\s*["']""",
    re.MULTILINE | re.VERBOSE,
)
"""Marks of Python code: definitions, statements, assignments, calls. Prose has none; its apostrophes are no quotes."""
_STRINGS: Final = re.compile(r"""\"{3}|'{3}|\#.*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""")
_TRIPLE: Final = frozenset({3 * '"', 3 * "'"})
_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}
_CLOSERS: Final = frozenset(_PAIRS.values())
_SLIPS: Final = {
    "else if": "elif", "elseif": "elif", "elsif": "elif", "===": "==", "!==": "!=", "=<": "<=", "=>": ">=", "<>": "!=",
    "&&": "and", "||": "or",
}  # fmt: skip
"""Operators and words of other languages, and their Python equivalents."""
_LOOKALIKES: Final = str.maketrans(
    {
        "\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'", "\u2013": "-", "\u2212": "-", "\u00d7": "*",
        "\uff08": "(", "\uff09": ")", "\uff0c": ",", "\uff1a": ":", "\uff1b": ";", "\uff1d": "=", "\u00a0": " ",
        "\u200b": "", "\ufeff": "",
    }
)  # fmt: skip
"""Characters that word processors substitute for typed ones."""


@dataclass(frozen=True, slots=True)
class SyntaxRepair:
    """A repaired text.

    Attributes:
        rows: the edited rows, from 1, in order.
        size: number of inserted or replaced characters; 1 for a moved block.
        slips: number of fixed errors.
    """

    text: str
    rows: tuple[int, ...]
    size: int
    slips: int


def syntax_repairs(text: str) -> tuple[SyntaxRepair, ...]:
    """Return the smallest repairs of `text`, one per meaning, in order of the first edit; empty if none is known.

    The search is bounded (1,000 tries, fewer for long texts; 4 successive errors) and deterministic for a text and a
    Python version. An incomplete search returns nothing, because it may have missed an equally small repair. A text
    that parses, is longer than `MAX_CHARS`, is too deeply nested, or has no row that looks like code has no repair.
    """
    if len(text) > MAX_CHARS or not _CODE.search(text):
        return ()
    try:
        return _Search(min(_MAX_TRIES, _MAX_WORK // max(1, len(text)))).run(text)
    except (RecursionError, MemoryError):
        return ()


@dataclass(frozen=True, slots=True)
class _Proposal:
    """Edits that belong together. Smaller ones come first; equal sizes are equally good."""

    size: int
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class _CompileError:
    """An error of the compiler, and the rows that it refers to."""

    message: str
    row: int
    column: int
    end_row: int
    rows: tuple[str, ...]

    def line(self, row: int) -> str:
        return self.rows[row - 1] if 1 <= row <= len(self.rows) else ""

    @property
    def rank(self) -> int:
        """Order in which errors must be fixed: ends of strings, then brackets, then the rest."""
        if self.message.startswith(("unterminated", "f-string")):
            return 0
        return 1 if re.search("never closed|unmatched|does not match opening", self.message) else 2

    def is_beyond(self, other: _CompileError, edited: Iterable[int]) -> bool:
        """True if `other` is solved: this error is below all edits, or after them in the same row."""
        if self.row == other.row:
            return (self.rank, self.column) > (other.rank, other.column)
        return self.rank > other.rank or (self.row > other.row and self.row > max(edited))


class _Search:
    """One search, with its remaining tries."""

    def __init__(self, tries: int) -> None:
        self._tries = tries

    def run(self, text: str) -> tuple[SyntaxRepair, ...]:
        problem = _problem(text)
        front = [] if problem is None else [(SyntaxRepair(text, (), 0, 0), problem)]
        while front:
            parsed: list[SyntaxRepair] = []
            beyond: list[tuple[SyntaxRepair, _CompileError]] = []
            for state, problem in front:
                for repair in self._steps(state, problem):
                    left = _problem(repair.text)
                    if left is None:
                        parsed.append(repair)
                    elif left.is_beyond(problem, repair.rows) and repair.slips < _MAX_SLIPS:
                        beyond.append((repair, left))
            if self._tries <= 0 or len(beyond) > _BEAM:
                return ()
            if parsed:
                return _meanings(parsed)
            front = beyond
        return ()

    def _steps(self, state: SyntaxRepair, problem: _CompileError) -> Iterator[SyntaxRepair]:
        """Yield the text with each proposal, smallest first; at most as many as there are tries."""
        seen = {state.text}
        for proposal in sorted(_proposals(problem), key=lambda one: one.size):
            text = apply_edits(state.text, proposal.edits)
            if text in seen:
                continue
            if self._tries <= 0:
                return
            self._tries -= 1
            seen.add(text)
            rows = tuple(sorted({*state.rows, *(edit.row for edit in proposal.edits)}))
            yield SyntaxRepair(text, rows, state.size + proposal.size, state.slips + 1)


def _problem(text: str) -> _CompileError | None:
    """Return the compiler's error for `text`."""
    try:
        compile(text, CANDIDATE, "exec", dont_inherit=True)
    except SyntaxError as error:
        rows = tuple(_ROW_END.split(text))
        row = min(max(1, error.lineno or 1), len(rows))
        return _CompileError(error.msg, row, max(1, error.offset or 1), max(row, error.end_lineno or row), rows)
    except (ValueError, MemoryError, RecursionError, OverflowError) as error:  # a NUL, or too deeply nested
        return _CompileError(str(error), 1, 1, 1, ())
    return None


def _meanings(repairs: Iterable[SyntaxRepair]) -> tuple[SyntaxRepair, ...]:
    """Return the smallest repairs; per syntax tree the one that edits the fewest rows."""
    found = sorted(repairs, key=lambda repair: (repair.size, len(repair.rows)))
    best = [repair for repair in found if repair.size == found[0].size]
    return tuple({ast.dump(tree_of(repair.text)): repair for repair in reversed(best)}.values())[::-1]


# -- rows ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of a row; columns from 1, `end` is the one after it."""

    text: str
    start: int
    end: int

    @property
    def begins_operand(self) -> bool:
        return self.text[0].isalnum() or self.text[0] in "_\"'([{"

    @property
    def ends_operand(self) -> bool:
        return self.text[0].isalnum() or self.text[0] == "_" or self.text[-1] in "\"')]}"


def _tokens(line: str) -> list[_Token]:
    """Return the tokens of the row, without blanks and comments; a broken string yields several.

    Empty for a row that is too long to be edited.
    """
    if len(line) > _LONGEST_ROW:
        return []
    found = (_Token(match[0], match.start() + 1, match.end() + 1) for match in _TOKEN.finditer(line))
    return [token for token in found if not token.text.isspace() and not token.text.startswith("#")]


def _code_end(line: str) -> int:
    """Return the column after the last piece of code."""
    tokens = _tokens(line)
    return tokens[-1].end if tokens else len(line) + 1


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _unit(rows: Iterable[str]) -> str:
    """Return the text's unit of indentation: a tab, or its smallest number of blanks; 4 blanks if there is none."""
    found = [indent for line in rows if line.strip() and (indent := _indent(line))]
    if any(indent.startswith("\t") for indent in found):
        return "\t"
    return " " * min((len(indent) for indent in found if len(indent) in (2, 4, 8)), default=4)


def _put(row: int, column: int, text: str, *, instead_of: int = 0) -> Edit:
    return Edit(row, column, row, column + instead_of, text)


def _one(edit: Edit) -> _Proposal:
    return _Proposal(max(len(edit.content), edit.end_column - edit.column), (edit,))


def _proposals(problem: _CompileError) -> Iterator[_Proposal]:
    for family in _FAMILIES:
        yield from family(problem)


# -- families of slips -----------------------------------------------------------------------------


def _colons(problem: _CompileError) -> Iterator[_Proposal]:
    """`if x` without its colon, at the place the compiler names or at the end of the row; `{"a" 1}`."""
    if ("':'" in problem.message and "==" not in problem.message) or problem.message == "invalid syntax":
        line = problem.line(problem.row)
        before = [token.end for token in _tokens(line) if token.end <= problem.column]
        for column in {*before[-1:], _code_end(line)}:
            yield _one(_put(problem.row, column, ":"))
    if re.search("dictionary key|forgot a comma", problem.message):
        yield from _after_operands(problem, ":")


def _commas(problem: _CompileError) -> Iterator[_Proposal]:
    """`f(a b)`, also when the two are on two rows."""
    if "forgot a comma" in problem.message:
        yield from _after_operands(problem, ",")


def _after_operands(problem: _CompileError, mark: str) -> Iterator[_Proposal]:
    for row in range(problem.row, min(problem.end_row, problem.row + _ROWS_BELOW) + 1):
        for token in _tokens(problem.line(row)):
            if token.ends_operand:
                yield _one(_put(row, token.end, mark))


def _brackets_left_open(problem: _CompileError) -> Iterator[_Proposal]:
    """`f(a` without its bracket: after any operand of the row, or at the end of a row below.

    A comma inside the bracket stays in it. Several brackets close where the first of them may, and the
    others at the end of the row.
    """
    line = problem.line(problem.row)
    tokens = _tokens(line)
    is_open = "never closed" in problem.message
    opened = _unclosed(tokens)
    if not opened or not (is_open or problem.rank == 2):
        return
    closers = "".join(_PAIRS[token.text] for token in reversed(opened))
    ends = [tokens[-2].end if tokens[-1].text == ":" and len(tokens) > 1 else tokens[-1].end]
    for index, token in reversed(list(enumerate(tokens))):
        if token.start < opened[-1].start or _comma_follows(tokens[index + 1 :]):
            continue
        for end in (column for column in ends if column >= token.end):
            edits = [_put(problem.row, token.end, closers[0]), _put(problem.row, end, closers[1:])]
            whole = [_put(problem.row, end, closers)] if token.end == end else edits
            yield _Proposal(len(closers), tuple(edit for edit in whole if edit.content))
    for row in range(problem.row + 1, min(len(problem.rows), problem.row + _ROWS_BELOW) + 1):
        below = problem.line(row)
        if below.strip():
            yield _one(_put(row, _code_end(below), closers))


def _unclosed(tokens: Iterable[_Token]) -> list[_Token]:
    opened: list[_Token] = []
    for token in tokens:
        if token.text in _PAIRS:
            opened.append(token)
        elif token.text in _CLOSERS and opened:
            opened.pop()
    return opened


def _comma_follows(tokens: Iterable[_Token]) -> bool:
    """True if there is a comma on the level of the first token, in its bracket."""
    depth = 0
    for token in tokens:
        depth += (token.text in _PAIRS) - (token.text in _CLOSERS)
        if depth < 0:
            return False
        if depth == 0 and token.text == ",":
            return True
    return False


def _brackets_that_do_not_fit(problem: _CompileError) -> Iterator[_Proposal]:
    """`f(a[1)` and `[1, 2)`: insert the other one before it, replace it or remove it. `a)`: remove it."""
    message, row, column = problem.message, problem.row, problem.column
    mismatch = re.match(r"closing parenthesis '.' does not match opening parenthesis '(.)'", message)
    unmatched = re.match(r"unmatched '(.)'", message)
    tokens, line = _tokens(problem.line(row)), problem.line(row)
    if (mismatch or unmatched) and not re.match(r"\w.\w", line[max(0, column - 2) : column + 1]):
        yield _one(_put(row, column, "", instead_of=1))
    if mismatch:
        closer = _PAIRS[mismatch[1]]
        opened = re.search(r"on line (\d+)$", message)
        for above in range(max(int(opened[1]), row - _ROWS_BELOW), row) if opened else ():
            found = _tokens(problem.line(above))
            if found:
                yield _one(_put(above, found[-1].start if found[-1].text == "," else found[-1].end, closer))
        yield _one(_put(row, column, closer, instead_of=1))
        for index, token in enumerate(tokens):
            if token.end <= column and token.ends_operand and not _comma_follows(tokens[index + 1 :]):
                yield _one(_put(row, token.end, closer))
    if unmatched:
        opener = {closer: opener for opener, closer in _PAIRS.items()}.get(unmatched[1], "(")
        starts = (token.start for token in tokens if token.start < column and token.begins_operand)
        yield from (_one(_put(row, start, opener)) for start in starts)


def _quotes(problem: _CompileError) -> Iterator[_Proposal]:
    """A string without its end or its beginning, and an apostrophe that ends one too early."""
    if not problem.message.startswith("unterminated"):
        return
    row, line = problem.row, problem.line(problem.row)
    found = re.compile("[\"']").search(line, problem.column - 1)
    if found is None or len(line) > _LONGEST_ROW:
        return
    quote, column = found[0], found.start() + 1
    if "triple-quoted" in problem.message:
        for below in range(row, min(len(problem.rows), row + _ROWS_BELOW) + 1):
            yield _one(_put(below, len(problem.line(below)) + 1, quote))
            yield _one(_put(below, len(problem.line(below)) + 1, 3 * quote))
        return
    yield _one(_put(row, column, "", instead_of=1))
    if not line[column:].strip():  # nothing stands after it: an empty string
        yield _one(_put(row, column + 1, quote))
    begin = len(_indent(line)) + 2
    for place in range(begin, len(line) + 2):
        around = line[place - 2 : place]
        is_edge = re.match(r"\w(\W|$)|\W\w", around) if place < column else not re.match(r"\w\w", around)
        if is_edge and quote not in around:
            yield _one(_put(row, place, quote))
    for apostrophe in re.finditer(rf"(?<=\w){quote}(?=\w)", line):
        yield _one(_put(row, apostrophe.start() + 1, "\\"))


def _braces_of_f_strings(problem: _CompileError) -> Iterator[_Proposal]:
    """`f"{x"`, for which the versions of Python have different words."""
    line = problem.line(problem.row)
    if "f-string" in problem.message and "}" in problem.message and len(line) <= _LONGEST_ROW:
        for end in range(2, len(line) + 2):
            if not re.match(r"\w\w", line[end - 2 : end]):
                yield _one(_put(problem.row, end, "}"))


def _equals(problem: _CompileError) -> Iterator[_Proposal]:
    """`if x = 1:`. `:=` may be meant as well where what is assigned is called for; a constant is only compared with."""
    if "'=='" not in problem.message:
        return
    line = problem.line(problem.row)
    for token in _tokens(line):
        if token.text == "=":
            yield _one(_put(problem.row, token.start, "="))
            if "(" in line[token.end - 1 :]:
                yield _one(_put(problem.row, token.start, ":"))


def _print_statements(problem: _CompileError) -> Iterator[_Proposal]:
    """`print "x"`, for which the compiler suggests the fix."""
    line = problem.line(problem.row)
    for found in re.finditer(r"\b(?:print|exec)(\s+)(?=\S)", line):
        if problem.message.startswith("Missing parentheses in call"):
            opening = _put(problem.row, found.start(1) + 1, "(", instead_of=len(found[1]))
            yield _Proposal(2, (opening, _put(problem.row, _code_end(line), ")")))


def _other_tongues(problem: _CompileError) -> Iterator[_Proposal]:
    """`else if`, `&&`, `===`: syntax of other languages."""
    line = problem.line(problem.row)
    for slip, python in _SLIPS.items():
        for found in re.finditer(
            rf"(?<![=!<>]){re.escape(slip)}(?![=<>\w])" if slip[0] in "=!<" else re.escape(slip), line
        ):
            yield _one(_put(problem.row, found.start() + 1, python, instead_of=len(slip)))


def _lookalikes(problem: _CompileError) -> Iterator[_Proposal]:
    """Typographic quotes, dashes and blanks, all of the row at once."""
    line = problem.line(problem.row)
    if problem.message.startswith("invalid") and "character" in problem.message:
        changed = [(column, char.translate(_LOOKALIKES)) for column, char in enumerate(line, 1)]
        edits = [_put(problem.row, column, new, instead_of=1) for column, new in changed if new != line[column - 1]]
        if edits:
            yield _Proposal(len(edits), tuple(edits))


def _twice(problem: _CompileError) -> Iterator[_Proposal]:
    """`f(a,, b)`: one of two equal marks."""
    tokens = _tokens(problem.line(problem.row))
    for one, other in pairwise(tokens):
        if one.text == other.text and one.text in {",", ":", ";", "."}:
            yield _one(_put(problem.row, other.start, "", instead_of=1))


def _blocks(problem: _CompileError) -> Iterator[_Proposal]:
    """A block that is not indented, indented for nothing, between two levels, or with tabs among blanks."""
    row, rows, unit = problem.row, problem.rows, _unit(problem.rows)
    message, here = problem.message, _indent(problem.line(problem.row))
    inside = _inside_strings(rows)
    above = [line for number, line in enumerate(rows[: row - 1], 1) if line.strip() and number not in inside]
    if "expected an indented block" in message and problem.line(row).strip():
        header = re.search(r"on line (\d+)", message)
        outer = _indent(problem.line(int(header[1]))) if header else here
        end, paragraphs = row, 1
        while end <= min(len(rows), row + _ROWS_BELOW):
            line = problem.line(end)
            if line.strip() and (len(_indent(line)) < len(here) or (paragraphs > 1 and _begins_anew(line))):
                return
            paragraphs += not line.strip()
            if line.strip():
                yield _moved(problem, range(row, end + 1), here, outer + unit, size=min(paragraphs, 2))
            end += 1
    elif message == "unexpected indent" and above:
        yield _moved(problem, _deeper(problem, here), here, _indent(above[-1]), size=1)
    elif message.startswith("unindent does not match"):
        for level in dict.fromkeys(_indent(line) for line in above):
            size = abs(len(level) - len(here))
            yield _moved(problem, _deeper(problem, here), here, level, size=size)
        odd = _indent(above[-1]) if above else here
        if odd.startswith(here) and odd != here:  # the rows above may be indented too far instead
            yield _moved(problem, _at_least(problem, odd), odd, here, size=len(odd) - len(here))
    elif "inconsistent use of tabs" in message:
        for level in dict.fromkeys(_indent(line) for line in above):
            if level.expandtabs(8) == here.expandtabs(8) or level.expandtabs(4) == here.expandtabs(4):
                yield _moved(problem, _deeper(problem, here), here, level, size=1)


def _begins_anew(line: str) -> bool:
    return line.lstrip().startswith(("def ", "class ", "@", "async def ", "if __name__"))


def _deeper(problem: _CompileError, indent: str) -> range:
    """Return the rows from the one of the problem on that are indented as it is, or deeper."""
    end = problem.row
    while end < len(problem.rows) and (not problem.line(end + 1).strip() or problem.line(end + 1).startswith(indent)):
        end += 1
    return range(problem.row, end + 1)


def _at_least(problem: _CompileError, indent: str) -> range:
    """Return the rows right above that of the problem that are indented so far, or deeper, or in a string."""
    begin, inside = problem.row, _inside_strings(problem.rows)
    while begin > 1:
        line = problem.line(begin - 1)
        if line.strip() and begin - 1 not in inside and not line.startswith(indent):
            break
        begin -= 1
    return range(begin, problem.row)


@lru_cache(maxsize=4)
def _inside_strings(rows: tuple[str, ...]) -> frozenset[int]:
    """Return the rows that begin inside of a string in triple quotes: blanks there are text."""
    inside: set[int] = set()
    quotes = ""
    for number, line in enumerate(rows, 1):
        if quotes:
            inside.add(number)
        at = 0
        while at < len(line):
            if quotes:
                end = line.find(quotes, at)
                at = len(line) if end < 0 else end + 3
                quotes = quotes if end < 0 else ""
                continue
            if len(line) > _LONGEST_ROW:  # a quote that nothing closes is looked for from each of its kind on
                break
            found = _STRINGS.search(line, at)
            at = len(line) if found is None else found.end()
            quotes = found[0] if found is not None and found[0] in _TRIPLE else ""
    return frozenset(inside)


def _moved(problem: _CompileError, rows: Iterable[int], old: str, new: str, *, size: int) -> _Proposal:
    """Return the proposal that puts `new` in the place of the indentation `old` in each of the rows.

    A form feed in an indentation stays: the text behind it moves.
    """
    inside = _inside_strings(problem.rows)
    edits: list[Edit] = []
    for row in rows:
        line = problem.line(row)
        feed = _indent(line).rfind("\f") + 1
        old_end, new_end = old[old.rfind("\f") + 1 :], new[new.rfind("\f") + 1 :]
        if row not in inside and line.strip() and line[feed:].startswith(old_end):
            edits.append(_put(row, feed + 1, new_end, instead_of=len(old_end)))
    return _Proposal(size, tuple(edits))


_FAMILIES: Final[tuple[Callable[[_CompileError], Iterator[_Proposal]], ...]] = (
    _colons, _commas, _brackets_left_open, _brackets_that_do_not_fit, _quotes, _braces_of_f_strings, _equals,
    _print_statements, _other_tongues, _lookalikes, _twice, _blocks,
)  # fmt: skip
