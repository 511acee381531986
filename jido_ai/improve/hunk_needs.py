"""Edits that need each other: names that one binds and another uses, and lines that only parse together. Pure."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from jido_ai.improve.hunks import LineEdit, joined
from jido_ai.text.change import lines_of
from jido_ai.text.python_tree import is_text, parsed, tree_to_read

_MOST_TO_PARSE: Final = 60_000_000  # characters, in search of edits of a file that parse only together
_WIDEST: Final = 40  # edits that are tried together

T = TypeVar("T")
U = TypeVar("U", bound=Hashable)


@dataclass(slots=True)
class Names:
    """The names that an edit of one file adds and removes.

    Attributes:
        binds, uses: names that it brings and the file did not have before.
        unbinds, unuses: names that it takes, those of `unbinds` from the whole file.
        defines, undefines: of these, names that other files can see: of functions, classes, attributes, parameters.
        reaches, leaves: names of other files that it begins or ceases to use.
    """

    binds: set[str] = field(default_factory=set[str])
    uses: set[str] = field(default_factory=set[str])
    unbinds: set[str] = field(default_factory=set[str])
    unuses: set[str] = field(default_factory=set[str])
    defines: set[str] = field(default_factory=set[str])
    undefines: set[str] = field(default_factory=set[str])
    reaches: set[str] = field(default_factory=set[str])
    leaves: set[str] = field(default_factory=set[str])


@dataclass(slots=True)
class _Lines:
    """The names of a text by line, from 1. Attributes begin with a dot."""

    binds: dict[int, set[str]] = field(default_factory=dict[int, set[str]])
    uses: dict[int, set[str]] = field(default_factory=dict[int, set[str]])
    defines: dict[int, set[str]] = field(default_factory=dict[int, set[str]])
    reaches: dict[int, set[str]] = field(default_factory=dict[int, set[str]])


def _between(lines: Mapping[int, Iterable[T]], start: int, end: int) -> Iterator[T]:
    """Yield what is in the lines with the indexes from `start` to `end`."""
    return (one for line in range(start + 1, end + 1) for one in lines.get(line, ()))


def names_of_edits(before: str, after: str, edits: Sequence[LineEdit]) -> list[Names]:
    """Return the names that each edit of a Python text adds and removes; none if a text does not parse.

    Args:
        after: the text with all edits, which are in order.
    """
    old, new = _lines(before), _lines(after)
    if old is None or new is None:
        return [Names() for _ in edits]
    had, has = _all(old.binds), _all(new.binds)
    found: list[Names] = []
    shift = 0
    for edit in edits:
        start = edit.start + shift
        ends = (edit.start, edit.end), (start, start + len(edit.added))
        shift += len(edit.added) - len(edit.removed)
        was = [set(_between(kind, *ends[0])) for kind in (old.binds, old.uses, old.defines, old.reaches)]
        now = [set(_between(kind, *ends[1])) for kind in (new.binds, new.uses, new.defines, new.reaches)]
        found.append(
            Names(
                binds=now[0] - was[0] - had,
                uses=now[1] - was[1] - had - now[0],
                unbinds=was[0] - now[0] - has,
                unuses=was[1] - now[1],
                defines=now[2] - was[2] - had,
                undefines=was[2] - now[2] - has,
                reaches=now[3] - was[3],
                leaves=was[3] - now[3],
            )
        )
    return found


def names_of_file(before: str | None, after: str | None, old_path: str | None, new_path: str | None) -> Names:
    """Return the names that a new, deleted or renamed Python file adds and removes."""
    old, new = _lines(before or ""), _lines(after or "")
    stems = [set((path or "").removesuffix(".py").split("/")) for path in (old_path, new_path)]
    brought, taken = stems[1] - stems[0], stems[0] - stems[1]
    if old is None or new is None:
        return Names(defines=brought, undefines=taken)
    return Names(
        defines=brought | (_all(new.defines) - _all(old.defines)),
        undefines=taken | (_all(old.defines) - _all(new.defines)),
        reaches=_all(new.reaches) - _all(old.reaches),
        leaves=_all(old.reaches) - _all(new.reaches),
    )


def _all(kind: Mapping[int, set[str]]) -> set[str]:
    return set[str]().union(*kind.values())


def _lines(text: str) -> _Lines | None:
    tree = tree_to_read(text)
    if tree is None:
        return None
    found = _Lines()
    for node, is_local in _walked(tree):
        _note(found, node, is_local=is_local)
    return found


def _walked(tree: ast.Module) -> Iterator[tuple[ast.AST, bool]]:
    """Yield every node, and whether it is in a function."""
    stack: list[tuple[ast.AST, bool]] = [(tree, False)]
    while stack:
        node, is_local = stack.pop()
        yield node, is_local
        inside = is_local or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        stack += [(child, inside) for child in ast.iter_child_nodes(node)]


def _note(found: _Lines, node: ast.AST, *, is_local: bool) -> None:
    def add(kind: dict[int, set[str]], line: int, *names: str) -> None:
        kind.setdefault(line, set()).update(names)

    match node:
        case ast.Name(id=name, ctx=ast.Load() | ast.Del()):
            add(found.uses, node.lineno, name)
        case ast.Name(id=name):
            add(found.binds, node.lineno, name)
            if not is_local:
                add(found.defines, node.lineno, name, f".{name}")
        case ast.Attribute(attr=name, ctx=ast.Store()):
            add(found.binds, node.end_lineno or node.lineno, f".{name}")
            add(found.defines, node.end_lineno or node.lineno, f".{name}")
        case ast.Attribute(attr=name):
            add(found.uses, node.end_lineno or node.lineno, f".{name}")
            add(found.reaches, node.end_lineno or node.lineno, f".{name}")
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            add(found.binds, node.lineno, node.name, f".{node.name}")
            if not is_local:
                add(found.defines, node.lineno, node.name, f".{node.name}")
        case ast.arg(arg=name):
            add(found.binds, node.lineno, name, f"{name}=")
            add(found.defines, node.lineno, f"{name}=")
        case ast.keyword(arg=str(name)):
            add(found.uses, node.lineno, f"{name}=")
            add(found.reaches, node.lineno, f"{name}=")
        case ast.alias():
            bound = node.asname or node.name.partition(".")[0]
            add(found.binds, node.lineno, bound)
            add(found.reaches, node.lineno, *node.name.split("."))
        case ast.ImportFrom(module=str(module)):
            add(found.reaches, node.lineno, *module.split("."))
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            add(found.binds, node.lineno, name)
        case ast.Constant(value=str(text)) if text.isidentifier():
            add(found.uses, node.lineno, text)
        case _:
            pass


# -- the flow of a function ------------------------------------------------------------------------


def flow_groups(before: str, after: str, edits: Sequence[LineEdit]) -> list[set[int]]:
    """Return the indexes of edits that change together how a function returns, raises or binds names.

    An edit that removes as many of each as it adds can be made alone, and one that adds or removes a call as a
    statement that no other removes or adds. The others of one function belong together: one
    that removes `return x` leaves a function that returns nothing unless the one that adds `return f(x)` is made too.
    """
    old, new = _flow(before), _flow(after)
    if old is None or new is None:
        return []
    changes: dict[str, dict[int, Counter[str]]] = {}
    shift = 0
    for number, edit in enumerate(edits):
        start = edit.start + shift
        shift += len(edit.added) - len(edit.removed)
        now = _between(new, start, start + len(edit.added))
        for sign, there in ((-1, _between(old, edit.start, edit.end)), (1, now)):
            for place, what in there:
                changes.setdefault(place, {}).setdefault(number, Counter())[what] += sign
    found: list[set[int]] = []
    for edited in changes.values():
        signs = {(what, count > 0) for changed in edited.values() for what, count in changed.items() if count}
        found.append(
            {
                number
                for number, changed in edited.items()
                for what, count in changed.items()
                if _is_of_flow(what, count, signs)
            }
        )
    return [numbers for numbers in found if len(numbers) > 1]


def _is_of_flow(what: str, count: int, signs: Collection[tuple[str, bool]]) -> bool:
    """Tell whether a change of a count is of the flow: of a call if it moves, of a use if bindings change, too."""
    kind, _, name = what.partition(" ")
    if kind == "call":
        return (what, True) in signs and (what, False) in signs
    if kind == "use":
        return count != 0 and ((f"bind {name}", True) in signs or (f"bind {name}", False) in signs)
    return count != 0


def _flow(text: str) -> dict[int, list[tuple[str, str]]] | None:
    """Return by line, from 1: the function, and what a statement that begins there does to its flow."""
    tree = tree_to_read(text)
    if tree is None:
        return None
    found: dict[int, list[tuple[str, str]]] = {}
    stack: list[tuple[ast.AST, str]] = [(tree, "")]
    while stack:
        node, place = stack.pop()
        if place:
            for what in _effects(node):
                found.setdefault(getattr(node, "lineno", 0), []).append((place, what))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{place}.{node.name}" if not isinstance(node, ast.ClassDef) or place else ""
            stack += [(child, inner if inner or place else f"{node.name}:") for child in ast.iter_child_nodes(node)]
        else:
            stack += [(child, place) for child in ast.iter_child_nodes(node)]
    return found


def _effects(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Return() | ast.Raise() | ast.Yield() | ast.YieldFrom() | ast.Break() | ast.Continue():
            yield type(node).__name__
        case ast.Expr(value=ast.Call(func=called) | ast.Await(value=ast.Call(func=called))):
            yield f"call {ast.unparse(called)}"
        case ast.Name(id=name, ctx=ast.Load()):
            yield f"use {name}"
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield f"bind {name}"
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
            yield f"bind .{name}"
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            yield f"bind {name}"
        case _:
            pass


# -- needs -----------------------------------------------------------------------------------------


def needs_of(names: Mapping[U, Names], files: Mapping[U, str]) -> dict[U, set[U]]:
    """Return for each edit the others that it needs.

    An edit needs the one that binds a name which it begins to use, and an edit that removes the last binding of a name
    needs those that cease to use it. Between files that is so for names that another file can see.

    Args:
        files: the path of each edit.
    """
    found: dict[U, set[U]] = {unit: set() for unit in names}
    binders, leavers = _index(names, "binds"), _index(names, "unuses")
    definers, strangers = _index(names, "defines"), _index(names, "leaves")
    for unit, one in names.items():
        mine = files[unit]
        for name in one.uses:
            found[unit].update(other for other in binders.get(name, ()) if files[other] == mine)
        for name in one.unbinds:
            found[unit].update(other for other in leavers.get(name, ()) if files[other] == mine)
        for name in one.reaches:
            found[unit].update(other for other in definers.get(name, ()) if files[other] != mine)
        for name in one.undefines:
            found[unit].update(other for other in strangers.get(name, ()) if files[other] != mine)
        found[unit].discard(unit)
    return found


def _index(names: Mapping[U, Names], kind: str) -> dict[str, list[U]]:
    found: dict[str, list[U]] = {}
    for unit, one in names.items():
        for name in getattr(one, kind):
            found.setdefault(name, []).append(unit)
    return found


def parse_groups(before: str, edits: Sequence[LineEdit]) -> list[list[int]]:
    """Return the indexes of edits that parse only together, in groups; the others are alone.

    Edits are in order, and together they parse. A text that does not parse before, or is too large to try, has no
    groups.
    """
    alone = [[number] for number in range(len(edits))]
    if len(edits) < 2 or len(edits) * len(before) > _MOST_TO_PARSE or tree_to_read(before) is None:
        return alone
    groups: list[list[int]] = []
    at = 0
    while at < len(edits):
        most = min(_WIDEST, len(edits) - at)
        width = next((size for size in range(1, most + 1) if _parses(before, edits[at : at + size])), 0)
        group = list(range(at, at + (width or 1)))
        at += len(group)
        for count in range(1, len(groups) + 1) if not width else ():  # lines of a block that an earlier edit begins
            whole = [number for one in groups[-count:] for number in one] + group
            if len(whole) > _WIDEST:
                break
            if _parses(before, [edits[number] for number in whole]):
                group = whole
                del groups[-count:]
                break
        groups.append(group)
    return groups


def _parses(before: str, edits: Sequence[LineEdit]) -> bool:
    if len(edits) == 1 and _is_plain(edits[0]):
        return True
    return parsed(joined(before, edits)) is not None


def _is_plain(edit: LineEdit) -> bool:
    """Tell whether an edit of whole simple statements cannot spoil the lines around it. Saves a parse of the file."""
    if not edit.removed or not edit.added:
        return False
    indents = [{line[: len(line) - len(line.lstrip())] for line in lines} for lines in (edit.removed, edit.added)]
    if len(indents[0]) != 1 or indents[0] != indents[1]:
        return False
    return all(
        (tree := parsed("".join(line.lstrip() for line in lines))) is not None
        and not any(isinstance(one, ast.stmt) and hasattr(one, "body") for one in tree.body)
        and not any(map(is_text, tree.body))
        and lines_of(lines[-1])[-1].endswith("\n")
        for lines in (edit.removed, edit.added)
    )


# -- order -----------------------------------------------------------------------------------------


def grouped(units: Sequence[U], needs: Mapping[U, Collection[U]]) -> list[list[U]]:
    """Return the units in groups that need each other, each group after those that it needs."""
    number: dict[U, int] = {}
    low: dict[U, int] = {}
    path: list[U] = []
    on_path: set[U] = set()
    groups: list[list[U]] = []
    places = {unit: place for place, unit in enumerate(units)}
    for root in units:
        if root in number:
            continue
        work: list[tuple[U, Iterator[U]]] = []
        pushed: list[U] = [root]
        while pushed or work:
            if pushed:
                unit = pushed.pop()
                number[unit] = low[unit] = len(number)
                path.append(unit)
                on_path.add(unit)
                work.append((unit, iter(sorted((one for one in needs.get(unit, ()) if one in places), key=places.get))))  # type: ignore[arg-type]
            unit, others = work[-1]
            for other in others:
                if other not in number:
                    pushed.append(other)
                    break
                if other in on_path:
                    low[unit] = min(low[unit], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == number[unit]:
                    group: list[U] = []
                    while not group or group[-1] != unit:
                        group.append(path.pop())
                        on_path.discard(group[-1])
                    groups.append(sorted(group, key=lambda one: places[one]))
    return groups
