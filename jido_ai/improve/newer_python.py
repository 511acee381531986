"""Syntax and names that an older Python does not have, and checks of its version that it needs. Pure."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Final

from jido_ai.text.python_tree import tree_to_read

Version = tuple[int, int]

_GENERIC: Final = frozenset({"list", "dict", "set", "frozenset", "tuple", "type", "deque", "defaultdict"})
_NODES: Final[dict[str, tuple[Version, str]]] = {
    "JoinedStr": ((3, 6), "an f-string"),
    "AnnAssign": ((3, 6), "an annotated variable"),
    "Nonlocal": ((3, 0), "nonlocal"),
    "YieldFrom": ((3, 3), "yield from"),
    "AsyncFunctionDef": ((3, 5), "async"),
    "NamedExpr": ((3, 8), "the operator :="),
    "Match": ((3, 10), "match"),
    "TryStar": ((3, 11), "except*"),
    "TypeAlias": ((3, 12), "a type statement"),
}
_IMPORTS: Final[dict[tuple[str, str], Version]] = {
    ("collections.abc", ""): (3, 3), ("unittest.mock", ""): (3, 3), ("pathlib", ""): (3, 4), ("enum", ""): (3, 4),
    ("typing", ""): (3, 5), ("__future__", "annotations"): (3, 7), ("dataclasses", ""): (3, 7),
    ("importlib.metadata", ""): (3, 8), ("functools", "cached_property"): (3, 8), ("typing", "Literal"): (3, 8),
    ("typing", "Protocol"): (3, 8), ("typing", "Final"): (3, 8), ("typing", "TypedDict"): (3, 8),
    ("typing", "get_origin"): (3, 8), ("functools", "cache"): (3, 9), ("typing", "Annotated"): (3, 9),
    ("zoneinfo", ""): (3, 9), ("typing", "ParamSpec"): (3, 10), ("typing", "TypeAlias"): (3, 10),
    ("typing", "Self"): (3, 11), ("typing", "override"): (3, 12), ("tomllib", ""): (3, 11),
    ("datetime", "UTC"): (3, 11), ("enum", "StrEnum"): (3, 11),
}  # fmt: skip


_ALIASES: Final[dict[str, tuple[str, Version]]] = {
    "asyncio.TimeoutError": ("TimeoutError", (3, 11)), "concurrent.futures.TimeoutError": ("TimeoutError", (3, 11)),
    "futures.TimeoutError": ("TimeoutError", (3, 11)), "socket.timeout": ("TimeoutError", (3, 10)),
    "IOError": ("OSError", (3, 3)), "EnvironmentError": ("OSError", (3, 3)), "select.error": ("OSError", (3, 3)),
    "socket.error": ("OSError", (3, 3)), "io.open": ("open", (3, 0)),
}  # fmt: skip
"""Names that became another name for a builtin, and since when."""


def newer_aliases(minimum: Version, before: str | None, after: str) -> tuple[tuple[str, str, Version], ...]:
    """Return names exchanged for one that means the same only in newer Pythons: the old, the new, and since when.

    Args:
        minimum: the oldest Python, as (3, 8).
    """
    there = [name for name in _ALIASES if name.rpartition(".")[2] in (before or "")]
    old, new = (tree_to_read(before or ""), tree_to_read(after)) if there else (None, None)
    if old is None or new is None:
        return ()
    was, now = _names(old), _names(new)
    return tuple(
        (name, other, since)
        for name, (other, since) in _ALIASES.items()
        if since > minimum and was[name] > now[name] and now[other] > was[other]
    )


def _names(tree: ast.Module) -> Counter[str]:
    return Counter(ast.unparse(one) for one in ast.walk(tree) if isinstance(one, ast.Name | ast.Attribute))


def newer_than(minimum: Version, before: str | None, after: str) -> tuple[tuple[str, int, Version], ...]:
    """Return the needs of a new text that the oldest Python lacks and the old text did not have.

    Each comes with its line, from 1, and the first Python that has it. A text that does not parse has nothing.

    Args:
        minimum: the oldest Python, as (3, 8).
        before: None for a new file.
    """
    tree = tree_to_read(after)
    if tree is None:
        return ()
    old = tree_to_read(before or "")
    had = Counter(name for name, _, needed in _features(old) if needed > minimum) if old is not None else Counter[str]()
    found: list[tuple[str, int, Version]] = []
    for name, line, needed in sorted(_features(tree), key=lambda one: one[1]):
        if needed > minimum:
            had[name] -= 1
            if had[name] < 0:
                found.append((name, line, needed))
    return tuple(found)


def lost_guards(minimum: Version, before: str | None, after: str) -> tuple[Version, ...]:
    """Return the versions in checks of `sys.version_info` that a new text lacks and the oldest Python needs.

    `sys.version_info >= (3, 9)` tells 3.8 from 3.9, so a project that declares 3.8 needs it, and one with 3.9 does not.
    """
    if "version_info" not in (before or ""):
        return ()
    old, new = tree_to_read(before or ""), tree_to_read(after)
    if old is None or new is None:
        return ()
    return tuple(sorted((_guards(old, minimum) - _guards(new, minimum)).elements()))


def _guards(tree: ast.Module, minimum: Version) -> Counter[Version]:
    """Return the first versions on the newer side of each check that the oldest Python and a newer one differ on."""
    found = Counter[Version]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right, order = node.left, node.comparators[0], node.ops[0]
            for side, other, beyond in ((left, right, (ast.Gt, ast.LtE)), (right, left, (ast.Lt, ast.GtE))):
                version = _bound(side, other, is_beyond=isinstance(order, beyond))
                if version is not None and version > minimum:
                    found[version] += 1
    return found


def _bound(checked: ast.expr, value: ast.expr, *, is_beyond: bool) -> Version | None:
    """Return the first version on the newer side of a comparison with `sys.version_info`; None if it is none.

    Args:
        is_beyond: the value itself is on the older side, as in `sys.version_info[1] > 8`.
    """
    place: object = None
    is_whole = not isinstance(checked, ast.Subscript)
    if isinstance(checked, ast.Subscript):
        place = checked.slice.value if isinstance(checked.slice, ast.Constant) else None
        checked = checked.value
    elif isinstance(checked, ast.Attribute) and checked.attr in ("major", "minor"):
        place = ("major", "minor").index(checked.attr)
        checked = checked.value
    name = checked.attr if isinstance(checked, ast.Attribute) else checked.id if isinstance(checked, ast.Name) else ""
    if name != "version_info":
        return None
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    match place, [one.value for one in parts if isinstance(one, ast.Constant)]:
        case 1, [int(minor)]:
            return (3, minor + is_beyond)
        case None, [int(major), int(minor), *_]:
            return (major, minor + (is_beyond and not is_whole))
        case 0 | None, [int(_)]:
            return (3, 0)
        case _:
            return None


def _features(tree: ast.Module) -> Iterator[tuple[str, int, Version]]:
    is_late = any(
        isinstance(one, ast.ImportFrom) and one.module == "__future__" and one.names[0].name == "annotations"
        for one in tree.body
    )
    idle = set(_annotations(tree)) if is_late else set[ast.AST]()
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        stack += [child for child in ast.iter_child_nodes(node) if child not in idle]
        if (known := _NODES.get(type(node).__name__)) is not None:
            yield known[1], getattr(node, "lineno", 1), known[0]
        match node:
            case ast.Subscript(value=ast.Name(id=name)) if name in _GENERIC and isinstance(node.ctx, ast.Load):
                yield f"{name}[...]", node.lineno, (3, 9)
            case ast.Call(func=ast.Name(id="super"), args=[]):
                yield "super() without arguments", node.lineno, (3, 0)
            case ast.FunctionDef(args=ast.arguments() as arguments) | ast.AsyncFunctionDef(args=arguments):
                if arguments.posonlyargs:
                    yield "positional-only parameters", node.lineno, (3, 8)
            case ast.ClassDef(bases=[], keywords=[]):
                yield "a class without a base", node.lineno, (3, 0)
            case ast.ImportFrom(module=str(module), level=0):
                for alias in node.names:
                    needed = max(_IMPORTS.get((module, ""), (0, 0)), _IMPORTS.get((module, alias.name), (0, 0)))
                    yield f"{module}.{alias.name}", node.lineno, needed
            case ast.Import():
                for alias in node.names:
                    yield alias.name, node.lineno, _IMPORTS.get((alias.name, ""), (0, 0))
            case _:
                pass
    for note in _annotations(tree) if not is_late else ():
        for node in ast.walk(note):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
                yield "X | Y in an annotation", node.lineno, (3, 10)


def _annotations(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            if isinstance(note := getattr(node, name, None), ast.AST):
                yield note
