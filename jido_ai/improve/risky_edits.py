"""Edits of Python that look harmless and change what a program does, read from the syntax trees. Pure."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, cast

from jido_ai.improve.blame import Damage
from jido_ai.text.python_tree import tree_to_read


@dataclass(slots=True)
class _Facts:
    """Facts of a text, counted by name; places are functions by their qualified names."""

    awaited: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    called: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    popped: Counter[str] = field(default_factory=Counter[str])
    deleted: Counter[str] = field(default_factory=Counter[str])
    shown: Counter[str] = field(default_factory=Counter[str])
    told: Counter[str] = field(default_factory=Counter[str])
    registered: Counter[str] = field(default_factory=Counter[str])
    typing_only: set[str] = field(default_factory=set[str])
    imported: set[str] = field(default_factory=set[str])
    used: set[str] = field(default_factory=set[str])
    joined: Counter[tuple[str, int]] = field(default_factory=Counter[tuple[str, int]])
    is_late: bool = False


def risky_edits(path: str, before: str | None, after: str) -> tuple[Damage, ...]:
    """Return the effects of a change of a file that it does not seem to have."""
    was, now = None if before is None else _facts_of(before), _facts_of(after)
    if was is None or now is None:
        return ()
    return tuple(Damage(f"{path}: {said}", path, names) for rule in _RULES for said, names in rule(was, now))


_CASTS: Final = frozenset({"bool", "bytes", "dict", "float", "int", "list", "set", "str", "tuple"})
_DISPLAYS: Final = (ast.Dict, ast.DictComp, ast.GeneratorExp, ast.List, ast.ListComp, ast.Set, ast.SetComp, ast.Tuple)
_EXACT: Final = frozenset({"caught exception", "constant"})
_ORDERED: Final = frozenset({"call with", "condition"})

# -- the rules -------------------------------------------------------------------------------------

_Found = Iterator[tuple[str, tuple[str, ...]]]


def _await_dropped(was: _Facts, now: _Facts) -> _Found:
    for (place, call), count in sorted(was.awaited.items()):
        if now.awaited[place, call] < count and now.called[place, call] > was.called[place, call]:
            yield f"{call}() is not awaited any more", (call.rpartition(".")[2],)


def _typing_import_used(was: _Facts, now: _Facts) -> _Found:
    for name in sorted((now.typing_only - now.imported) & now.used & was.imported):
        yield f"{name} is imported for type checkers alone, and used when the code runs", (name,)


def _registration_removed(was: _Facts, now: _Facts) -> _Found:
    for call in sorted(was.registered - now.registered):
        yield f"{call}() is not called at import any more", (call.rpartition(".")[2],)


def _key_may_be_missing(was: _Facts, now: _Facts) -> _Found:
    for place in sorted(was.popped - now.popped):
        if now.deleted[place] > was.deleted[place]:
            yield "pop(key, default) became del, which raises KeyError for a missing key", ("pop",)


def _repr_lost(was: _Facts, now: _Facts) -> _Found:
    for place in sorted((was.shown - now.shown) & (now.told - was.told)):
        yield f"a value is shown by str() in place of repr(){f' in {place}' if place else ''}", ()


def _comma_lost(was: _Facts, now: _Facts) -> _Found:
    wholes = dict(iter(now.joined))
    for text, count in sorted(was.joined):
        if wholes.get(text, count) < count:
            yield f"texts that stood apart are one: {count} became {wholes[text]}", ()


_RULES: Final[tuple[Callable[[_Facts, _Facts], _Found], ...]] = (
    _await_dropped, _typing_import_used, _registration_removed, _key_may_be_missing, _repr_lost, _comma_lost,
)  # fmt: skip


def taken_away(before: str, alone: str, after: str) -> str | None:
    """Return the loss of an edit that tests need not notice when they pass; None if it loses nothing.

    That is a call, comparison, condition, exception or cause with nothing of its kind in its place, a constant or a
    caught exception, an order of arguments or conditions, or a value that goes through a cast.

    Args:
        alone: the text with this edit only.
        after: with all edits, to which one that is gone may have moved.
    """
    old, new = _steps_of(before), _steps_of(alone)
    lost, gained = (old - new) & (old - _steps_of(after)), new - old
    for kind, text in sorted(lost):
        others = sorted(one for other, one in gained if other == kind)
        if kind in _ORDERED and any(sorted(one) == sorted(text) for one in others):
            return f"the order in {text} is another one"
        if kind in _EXACT and others:
            return f"the {kind} {text} became {others[0]}"
        if kind != "call with" and not others:
            return f"the {kind} {text} is gone"
    casts = [text for kind, text in gained if kind == "call" and text in _CASTS]
    return f"{casts[0]}() is new" if casts and not any(kind == "call" for kind, _ in lost) else None


@lru_cache(maxsize=8)
def _steps_of(text: str) -> Counter[tuple[str, str]]:
    """Return the steps of a program by kind, each with its text."""
    found: Counter[tuple[str, str]] = Counter()
    tree = tree_to_read(text)
    keys_alone = set[int]()  # calls of keys() that only say what the mapping does without it
    for node in ast.walk(tree) if tree is not None else ():
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[whole]):
                keys_alone.add(id(whole))
            case ast.For(iter=whole) | ast.comprehension(iter=whole):
                keys_alone.add(id(whole))
            case _:
                pass
        match node:
            case ast.Call(func=ast.Attribute(attr="keys"), args=[], keywords=[]) if id(node) in keys_alone:
                pass
            case ast.Call(func=ast.Name(id="dict" | "list" | "set" | "tuple"), args=[] | [_], keywords=[]) if all(
                isinstance(one, _DISPLAYS) for one in node.args
            ):
                pass
            case ast.Call(func=function):
                found["call", _dotted(function).rpartition(".")[2]] += 1
                if len(node.args) > 1:
                    found["call with", ast.unparse(node)] += 1
            case ast.Compare():
                found["comparison", ast.unparse(node)] += 1
            case ast.BoolOp():
                found["condition", ast.unparse(node)] += 1
            case ast.Name(id="NotImplemented"):
                found["value", "NotImplemented"] += 1
            case ast.Raise(cause=cause):
                found["exception", "raised here" if node.exc is None else ast.unparse(node.exc)] += 1
                if isinstance(cause, ast.Name):
                    found["cause", cause.id] += 1
            case ast.ExceptHandler(type=ast.expr() as caught):
                found["caught exception", ast.unparse(caught)] += 1
            case ast.Expr(value=ast.Constant(value=docstring)):
                found["constant", repr(docstring)] -= 1
            case ast.Constant(value=value) if value is not None and value is not ...:
                found["constant", repr(value)] += 1
            case _:
                pass
    return found


# -- reading ---------------------------------------------------------------------------------------


@lru_cache(maxsize=32)  # the search for what breaks asks for one text again and again
def _facts_of(text: str) -> _Facts | None:
    tree = tree_to_read(text)
    if tree is None:
        return None
    found = _Facts()
    future = [one for one in tree.body if isinstance(one, ast.ImportFrom) and one.module == "__future__"]
    found.is_late = any(alias.name == "annotations" for one in future for alias in one.names)
    for statement in tree.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            found.registered[_dotted(statement.value.func)] += 1
    _read(found, tree, "", is_typing=False)
    return found


def _read(found: _Facts, node: ast.AST, place: str, *, is_typing: bool) -> None:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            place = f"{place}.{node.name}" if place else node.name
        case ast.If(test=test) if _dotted(test).rpartition(".")[2] == "TYPE_CHECKING":
            for one in node.body:
                _read(found, one, place, is_typing=True)
            for one in node.orelse:
                _read(found, one, place, is_typing=is_typing)
            return
        case ast.Import() | ast.ImportFrom():
            names = {alias.asname or alias.name.partition(".")[0] for alias in node.names}
            (found.typing_only if is_typing else found.imported).update(names)
        case ast.Name(id=name, ctx=ast.Load()):
            found.used.add(name)
        case ast.Await(value=ast.Call(func=function)):
            found.awaited[place, _dotted(function)] += 1
            for one in ast.iter_child_nodes(node.value):
                _read(found, one, place, is_typing=is_typing)
            return
        case ast.Call(func=function):
            _note_call(found, node, function, place)
        case ast.Delete(targets=targets):
            found.deleted[place] += sum(isinstance(one, ast.Subscript) for one in targets)
        case ast.FormattedValue(conversion=114):
            found.shown[place] += 1
        case ast.FormattedValue(conversion=-1):
            found.told[place] += 1
        case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str(text))):
            found.shown[place] += text.count("%r")
            found.told[place] += text.count("%s")
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts) if parts:
            texts = [one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            if len(texts) == len(parts):
                found.joined["".join(texts), len(texts)] += 1
        case _:
            pass
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns") and (found.is_late or _is_local_annotation(node, place)):
            continue
        for one in cast("list[object]", value if isinstance(value, list) else [value]):
            if isinstance(one, ast.AST):
                _read(found, one, place, is_typing=is_typing)


def _note_call(found: _Facts, node: ast.Call, function: ast.expr, place: str) -> None:
    found.called[place, _dotted(function)] += 1
    match function:
        case ast.Attribute(attr="pop") if len(node.args) > 1:
            found.popped[place] += 1
        case ast.Attribute(value=ast.Constant(value=str(text)), attr="format"):
            found.shown[place] += text.count("!r}") + text.count("!r:")
            found.told[place] += text.count("{") - text.count("!r")
        case ast.Name(id="repr"):
            found.shown[place] += 1
        case _:
            pass


def _dotted(node: ast.expr) -> str:
    """Return a name with its attributes; of other expressions, the attributes alone."""
    if isinstance(node, ast.Name):
        return node.id
    return f"{_dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


def _is_local_annotation(node: ast.AST, place: str) -> bool:
    return isinstance(node, ast.AnnAssign) and bool(place)
