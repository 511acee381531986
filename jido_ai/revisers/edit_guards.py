"""Edit guards: properties of Python text that every edit must preserve, whichever linter proposed it. Pure."""

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final, cast

from jido_ai.text.file_form import BOM, coding_line, lines_with_ends
from jido_ai.text.older_syntax import tree_of_newer
from jido_ai.text.python_tree import tree_of

_MAX_CHARS: Final = 2_000_000
_MAX_DIFF_LINES: Final = 1_500
_NEAR: Final = 2_000  # characters

_Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


# -- the text --------------------------------------------------------------------------------------


def edit_fault(before: str, after: str) -> str | None:
    """Return why an edit of Python text is not acceptable; None if it is.

    An edit must preserve: the byte order mark, the shebang and the coding line in their places, blank lines at the
    top, form feeds, line ends (of every remaining line, and no new kind of line end), whether the last line ends,
    every comment except on lines whose code was all removed, and the place of every docstring (its text may change).
    A text that parses must still parse.

    Texts over 2,000,000 characters, or nested too deeply to be parsed, are refused. Never raises.
    """
    if before == after:
        return None
    if max(len(before), len(after)) > _MAX_CHARS:
        return "the text is too large to check the edit"
    for fault in (_top_fault, _line_end_fault, _form_feed_fault, _parse_fault, _comment_fault):
        if found := fault(before, after):
            return found
    return None


def _top_fault(before: str, after: str) -> str | None:
    if before.startswith(BOM) != after.startswith(BOM):
        return "the byte order mark was added or lost"
    old, new = before.removeprefix(BOM), after.removeprefix(BOM)
    shebangs = [text.splitlines()[0] if text.startswith("#!") else "" for text in (old, new)]
    if shebangs[0] != shebangs[1]:
        return "the first line (#!) was changed or moved"
    if coding_line(old) != coding_line(new):
        return "the coding line was changed or moved"
    if after and _blank_lines_on_top(new) < _blank_lines_on_top(old):
        return "a blank line at the top was removed"
    return None


def _blank_lines_on_top(text: str) -> int:
    for number, (line, end) in enumerate(lines_with_ends(text)):
        if line.strip() or not end:
            return number
    return 0


def _line_end_fault(before: str, after: str) -> str | None:
    old, new = lines_with_ends(before), lines_with_ends(after)
    if before and after and (before[-1] in "\r\n") != (after[-1] in "\r\n"):
        return "the end of the last line was added or lost"
    kinds = {end for _, end in old if end}
    if kinds and any(end and end not in kinds for _, end in new):
        return "line ends were changed"
    if len(kinds) > 1:
        old_ends, new_ends = _ends_by_line(old), _ends_by_line(new)
        for line, ends in old_ends.items():
            found = new_ends.get(line, [])
            if len(found) == len(ends) and sorted(found) != sorted(ends):
                return "line ends were changed"
    return None


def _ends_by_line(lines: list[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line, end in lines:
        if end:
            found.setdefault(line, []).append(end)
    return found


def _form_feed_fault(before: str, after: str) -> str | None:
    if "\f" not in before and "\f" not in after:
        return None
    old, new = _form_feeds(before), _form_feeds(after)
    if len(old) != len(new):
        return "a form feed was added or lost"
    for one, other in zip(old, new, strict=True):
        if one[0] != other[0] and one[1] != other[1]:
            return "a form feed was moved"
    return None


def _form_feeds(text: str) -> list[tuple[str, str]]:
    """Return, for every form feed, the nearest lines before and after it that are not blank."""
    found: list[tuple[str, str]] = []
    for place in (one.start() for one in re.finditer("\f", text)):
        above, below = text[max(0, place - _NEAR) : place], text[place + 1 : place + _NEAR]
        found.append((_first_text(reversed(above.splitlines())), _first_text(below.splitlines())))
    return found


def _first_text(lines: Iterable[str]) -> str:
    return next((line.strip() for line in lines if line.strip()), "")


# -- comments --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The comments of a text with their lines (from 1), and its code without them.

    Attributes:
        code: the tokens of each line of code, without comments.
        names: for each line, the tokens that distinguish it from others: names, numbers, strings.
        is_whole: the whole text could be tokenized.
    """

    comments: list[tuple[str, int]]
    code: dict[int, list[str]]
    names: dict[int, set[str]]
    is_whole: bool


_LAYOUT: Final = frozenset(
    {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.ENCODING}
)


def _tokens(text: str) -> _Tokens:
    text = text.removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n")
    comments: list[tuple[str, int]] = []
    code: dict[int, list[str]] = {}
    names: dict[int, set[str]] = {}
    spoilt: set[int] = set()
    is_whole = True
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            row = token.start[0]
            if token.type == tokenize.COMMENT:
                comments.append((token.string.rstrip(), row))
            elif token.type == tokenize.ERRORTOKEN and token.string.strip():
                spoilt.add(row)
            elif token.type not in _LAYOUT:
                code.setdefault(row, []).append(token.string)
                if token.string not in ",()[]{}:;.=" and not keyword.iskeyword(token.string):
                    names.setdefault(row, set()).add(token.string)
    except (tokenize.TokenError, SyntaxError):
        is_whole = False
    return _Tokens([one for one in comments if one[1] not in spoilt], code, names, is_whole and not spoilt)


def _comment_fault(before: str, after: str) -> str | None:
    if "#" not in before:
        return None
    old, new = _tokens(before), _tokens(after)
    missing = Counter(text for text, _ in old.comments) - Counter(text for text, _ in new.comments)
    if not missing or not new.is_whole:
        return None
    kept = _rows_with_code_left(old, new)
    for text in missing:
        rows = [row for comment, row in old.comments if comment == text]
        gone = sum(row in old.code and row not in kept for row in rows)
        if gone < missing[text]:
            return f"a comment was lost: {text[:60]}"
    return None


def _rows_with_code_left(old: _Tokens, new: _Tokens) -> set[int]:
    """Return the rows of the old text whose code is still partly present, as far as can be determined."""
    rows, new_rows = sorted(old.code), sorted(new.code)
    lines, new_lines = [tuple(old.code[row]) for row in rows], [tuple(new.code[row]) for row in new_rows]
    start = 0
    while start < min(len(lines), len(new_lines)) and lines[start] == new_lines[start]:
        start += 1
    end = 0
    while end < min(len(lines), len(new_lines)) - start and lines[-1 - end] == new_lines[-1 - end]:
        end += 1
    middle, new_middle = lines[start : len(lines) - end], new_lines[start : len(new_lines) - end]
    if max(len(middle), len(new_middle)) > _MAX_DIFF_LINES:
        return set(rows)
    kept = {*rows[:start], *rows[len(rows) - end :]}
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, middle, new_middle, autojunk=False).get_opcodes():
        if tag == "equal":
            kept.update(rows[start + i1 : start + i2])
        elif tag == "replace":
            there = set[str]().union(*(new.names.get(new_rows[start + j], set[str]()) for j in range(j1, j2)))
            kept.update(row for row in rows[start + i1 : start + i2] if old.names.get(row, set[str]()) & there)
    return kept


# -- the tree --------------------------------------------------------------------------------------


def _tree(text: str) -> ast.Module | str:
    """Return the tree of the text, or why it has none."""
    try:
        return tree_of(text.removeprefix(BOM))
    except SyntaxError as error:
        return f"it does not parse: line {error.lineno}: {error.msg}"
    except (RecursionError, MemoryError):
        return "it is too deeply nested to parse"
    except (ValueError, SystemError) as error:
        return f"it does not parse: {error}"


def _parse_fault(before: str, after: str) -> str | None:
    old = _tree(before)
    if isinstance(old, str):
        return old if "nested" in old else None
    new = _tree(after)
    if isinstance(new, str):
        return f"after the edit {new}"
    was, now = _docstrings(old), _docstrings(new)
    for name, places in was.items():
        found = now.get(name, [])
        if len(found) != len(places):
            continue  # a definition was added or removed
        for had, has in zip(places, found, strict=True):
            if had and not has:
                return f"{name} lost its docstring, or code was put before it"
            if has and not had:
                return f"{name} got a docstring that was an expression before"
    return None


def _docstrings(tree: ast.Module) -> dict[str, list[bool]]:
    """Return, for each module, class and function, by name and in order, whether it has a docstring."""
    found: dict[str, list[bool]] = {"the module": [_has_docstring(tree.body)]}
    stack: list[tuple[ast.AST, str]] = [(tree, "")]
    while stack:
        node, path = stack.pop()
        for child in reversed(list(ast.iter_child_nodes(node))):
            inner = path
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                inner = f"{path}.{child.name}" if path else child.name
                found.setdefault(inner, []).append(_has_docstring(child.body))
            if not isinstance(child, ast.expr):
                stack.append((child, inner))
    return found


def _has_docstring(body: Sequence[ast.stmt]) -> bool:
    first = body[0] if body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)


# -- programs --------------------------------------------------------------------------------------


def same_program(before: str, after: str) -> bool:
    """Tell whether both texts are the same program: their trees differ only in positions.

    An f-string without placeholders equals the plain string. False if a text does not parse, is over 2,000,000
    characters long, or is nested too deeply. Never raises.
    """
    return _same_but(before, after, frozenset())


def same_but_imports(before: str, after: str, removed: Collection[str]) -> bool:
    """Tell whether `after` is the program `before` without imports of exactly these names.

    Each name must have been removed from at least one import statement, at any depth, and nothing else may differ. An
    import statement without names is removed, and a block without statements has `pass` (an `else` or `finally` may be
    removed). An import from `__future__` must stay, and no other expression may become a docstring.

    Args:
        removed: names as imports bind them: "b" for `import a as b`, "os" for `import os.path`.
    """
    return _same_but(before, after, frozenset(removed))


def _same_but(before: str, after: str, removed: frozenset[str]) -> bool:
    if max(len(before), len(after)) > _MAX_CHARS:
        return False
    old, new = tree_of_newer(before), tree_of_newer(after)
    return old is not None and new is not None and _Comparison(removed).holds(old, new)


def _folded(node: ast.AST) -> ast.AST:
    """Return a plain string for an f-string without placeholders; any other node unchanged."""
    if not isinstance(node, ast.JoinedStr):
        return node
    parts: list[str] = []
    for part in node.values:
        if not isinstance(part, ast.Constant) or not isinstance(part.value, str):
            return node
        parts.append(part.value)
    return ast.Constant("".join(parts), kind=None)


def _equal(one: object, other: object) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, float | complex):
        return repr(one) == repr(other)  # -0.0 is not 0.0
    return one == other


class _Comparison:
    """Compares two trees without recursion, except for imports of the names `removed`."""

    def __init__(self, removed: frozenset[str]) -> None:
        self._removed = removed
        self._gone: set[str] = set()
        self._left: list[tuple[object, object]] = []

    def holds(self, old: ast.Module, new: ast.Module) -> bool:
        self._left.append((old, new))
        while self._left:
            one, other = self._left.pop()
            if isinstance(one, ast.AST) and isinstance(other, ast.AST):
                one, other = _folded(one), _folded(other)
                if type(one) is not type(other) or not all(self._is_same(one, other, name) for name in one._fields):
                    return False
            elif not _equal(one, other):
                return False
        return self._gone >= self._removed  # `_taken` prevents others

    def _is_same(self, one: ast.AST, other: ast.AST, name: str) -> bool:
        """Tell whether a field may be the same; its children are compared later."""
        mine: object = getattr(one, name, None)
        others: object = getattr(other, name, None)
        if not isinstance(mine, list) or not isinstance(others, list):
            self._left.append((cast("object", mine), cast("object", others)))
            return True
        items, other_items = cast("list[Any]", mine), cast("list[Any]", others)
        if any(isinstance(item, ast.stmt) for item in (items or other_items)[:1]):
            if name == "body" and isinstance(one, _Scope) and _has_docstring(items) != _has_docstring(other_items):
                return False
            may_be_empty = isinstance(one, ast.Module) or name in ("orelse", "finalbody")
            return self._is_same_block(items, other_items, may_be_empty=may_be_empty)
        self._left += zip(items, other_items, strict=False)
        return len(items) == len(other_items)

    def _is_same_block(self, mine: Sequence[ast.stmt], others: Sequence[ast.stmt], *, may_be_empty: bool) -> bool:
        place = 0
        has_lost = False
        for statement in mine:
            other = others[place] if place < len(others) else None
            if isinstance(statement, ast.Import | ast.ImportFrom) and self._removed:
                taken = _taken(statement, other, self._removed)
                if taken is None:
                    return False
                self._gone |= {_bound(alias, statement) for alias in taken}
                has_lost = has_lost or bool(taken)
                place += len(taken) < len(statement.names)
            elif other is None:
                return False
            else:
                self._left.append((statement, other))
                place += 1
        rest = others[place:]
        if place == 0 and has_lost:  # the block became empty
            return len(rest) == 1 and isinstance(rest[0], ast.Pass) if rest else may_be_empty
        return not rest


def _taken(
    statement: ast.Import | ast.ImportFrom, other: ast.stmt | None, removed: frozenset[str]
) -> list[ast.alias] | None:
    """Return the names that an import lost compared with the other; None if anything else differs.

    All its names if the other statement is not a remainder of it.
    """
    if isinstance(statement, ast.Import):
        is_kin = isinstance(other, ast.Import)
    else:
        is_kin = isinstance(other, ast.ImportFrom) and (other.module, other.level) == (
            statement.module,
            statement.level,
        )
    left = list(_keys(other.names)) if is_kin and isinstance(other, ast.Import | ast.ImportFrom) else []
    taken: list[ast.alias] = []
    for alias, key in zip(statement.names, _keys(statement.names), strict=True):
        if left and left[0] == key:
            left.pop(0)
        else:
            taken.append(alias)
    if left:  # the other import belongs to a later statement
        taken = list(statement.names)
    is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
    if taken and (is_future or not all(_bound(alias, statement) in removed for alias in taken)):
        return None
    return taken


def _keys(names: Sequence[ast.alias]) -> Iterator[tuple[str, str | None]]:
    return ((alias.name, alias.asname) for alias in names)


def _bound(alias: ast.alias, statement: ast.stmt) -> str:
    return alias.asname or (alias.name.partition(".")[0] if isinstance(statement, ast.Import) else alias.name)
