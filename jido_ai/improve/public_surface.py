"""The public surface of a Python module, read from its text, and its losses by an edit. Pure.

Source: the breakages that `griffe check` knows. It compares two checkouts of a whole package; the gate needs the same
for one file of a patch, thousands of times.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from jido_ai.improve.blame import Damage
from jido_ai.text.python_tree import tree_to_read

_APART: Final = frozenset({"tests", "test", "testing", "docs", "doc", "examples", "benchmarks", "setup.py"})
_TELLING: Final = frozenset({"property", "cached_property", "classmethod", "staticmethod", "contextmanager"})
_ORDERED: Final = frozenset({"NamedTuple", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "TypedDict"})
_BUILD_FILES: Final = ("pyproject.toml", "setup.cfg", "setup.py")
_ENTRY_POINT: Final = re.compile(r"""[\w.-]+\s*=\s*["']?([A-Za-z_][\w.]*):([A-Za-z_]\w*)""")
_MUTABLE: Final = (ast.List, ast.Dict, ast.Set, ast.Call)


@dataclass(slots=True)
class _Function:
    is_async: bool
    decorators: frozenset[str]
    positional: list[str]
    needed: set[str]
    keywords: set[str]
    defaults: Mapping[str, str | None]
    takes_any: tuple[bool, bool]


@dataclass(slots=True)
class _Class:
    bases: set[str]
    members: dict[str, _Function | None] = field(default_factory=dict["str", "_Function | None"])
    fields: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    slots: tuple[str, ...] | None = None
    is_ordered: bool = False
    is_enum: bool = False


@dataclass(slots=True)
class _Surface:
    functions: dict[str, _Function] = field(default_factory=dict[str, _Function])
    classes: dict[str, _Class] = field(default_factory=dict[str, _Class])
    tuples: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    names: set[str] = field(default_factory=set[str])
    imports: set[str] = field(default_factory=set[str])
    listed: set[str] = field(default_factory=set[str])
    raised: Counter[str] = field(default_factory=Counter[str])


def broken_surface(path: str, before: str | None, after: str) -> tuple[Damage, ...]:
    """Return the losses of a module's users by an edit: names, members, parameters, defaults, fields, exceptions.

    Modules that are for nobody else (tests, examples, names with an underscore) have no surface.
    """
    parts = PurePosixPath(path).parts
    stem = PurePosixPath(path).stem
    is_apart = any(part in _APART for part in parts) or stem.startswith(("test_", "conftest"))
    if before is None or is_apart or (stem.startswith("_") and not stem.startswith("__")):
        return ()
    old, new = _surface_of(before), _surface_of(after)
    if old is None or new is None:
        return ()
    module = ".".join(parts).removesuffix(".py").removesuffix(".__init__").removeprefix("src.")
    return tuple(
        Damage(f"{module} {said}" if said.startswith("has no ") else f"{path}: {said}", path, (name,))
        for said, name in _lost(old, new)
    )


def broken_entry_points(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Damage, ...]:
    """Return the entry points of the build files that lead to a missing name, and did not before.

    Args:
        before, after: texts of the project's files, by path.
    """
    was = {(one, name) for _, one, name in _missing_entry_points(before)}
    return tuple(
        Damage(f"{path}: the entry point {module}:{name} leads nowhere", path, (name,))
        for path, module, name in _missing_entry_points(after)
        if (module, name) not in was
    )


def _missing_entry_points(texts: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for build in _BUILD_FILES:
        for module, name in _ENTRY_POINT.findall(texts.get(build, "")):
            stem = module.replace(".", "/")
            places = [f"{root}{stem}{end}" for root in ("", "src/") for end in (".py", "/__init__.py")]
            path = next((place for place in places if place in texts), None)
            tree = None if path is None else tree_to_read(texts[path])
            if path is not None and tree is not None and name not in _bound(tree):
                yield path, module, name


def _bound(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for statement in _statements(tree.body):
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(statement.name)
            case ast.Import() | ast.ImportFrom():
                found |= {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
            case _:
                found |= {one.id for one in ast.walk(statement) if isinstance(one, ast.Name)}
    return found


def _lost(old: _Surface, new: _Surface) -> Iterator[tuple[str, str]]:
    """Yield each loss, in words, with the name that it is about."""
    for name in sorted(old.listed - new.listed):
        yield f"__all__ has no {name} any more", name
    for name in sorted(old.functions.keys() & new.functions.keys()):
        yield from _lost_of_function(name, name, old.functions[name], new.functions[name])
    for name in sorted(old.names - new.names - new.imports):
        yield f"has no {name} any more", name
    for name in sorted(old.tuples.keys() & new.tuples.keys()):
        if old.tuples[name] != new.tuples[name][: len(old.tuples[name])]:
            yield f"the fields of {name} change their order or go", name
    for name in sorted(old.classes.keys() & new.classes.keys()):
        yield from _lost_of_class(name, old.classes[name], new.classes[name])
    others = sorted(new.raised - old.raised)
    for name in sorted(old.raised - new.raised) if others else ():
        yield f"it raises {', '.join(others)} in place of {name}", name


def _lost_of_class(name: str, old: _Class, new: _Class) -> Iterator[tuple[str, str]]:
    for base in sorted(old.bases - new.bases - {"object"}):
        yield f"the class {name} has no base {base} any more", base
    for member in sorted(old.members.keys() - new.members.keys()):
        yield f"{name} has no {member} any more", member
    for member in sorted(old.members.keys() & new.members.keys()):
        was, now = old.members[member], new.members[member]
        if was is not None and now is not None:
            yield from _lost_of_function(f"{name}.{member}", member, was, now)
        elif was is not None and now is None:
            yield f"{name}.{member} is no function any more", member
    if old.slots is not None and new.slots is not None and old.slots != new.slots:
        yield f"the __slots__ of {name} change, and code may depend on their order", "__slots__"
    if old.is_ordered and new.is_ordered:
        was, now = [one for one, _ in old.fields], [one for one, _ in new.fields]
        kept = [one for one in now if one in was]
        if [one for one in was if one in kept] != kept:
            yield f"the fields of {name} change their order", name
    values = dict(new.fields)
    for one, value in old.fields if old.is_enum else ():
        if one in values and values[one] != value:
            yield f"{name}.{one} has another value", one


def _lost_of_function(shown: str, name: str, old: _Function, new: _Function) -> Iterator[tuple[str, str]]:
    if old.is_async != new.is_async:
        yield f"{shown} is {'no longer' if old.is_async else 'now'} async", name
    if (changed := (old.decorators ^ new.decorators) & _TELLING) or {
        one for one in old.decorators - new.decorators if one.endswith((".setter", ".deleter"))
    }:
        yield f"{shown} is {'no longer' if changed & old.decorators else 'now'} a {', '.join(sorted(changed))}", name
        return
    gone = [
        one
        for one in (*old.positional, *old.keywords)
        if one not in new.positional and one not in new.keywords and not new.takes_any[1]
    ]
    for one in gone:
        yield f"{shown} has no parameter {one} any more", f"{one}="
    for one in sorted(new.needed - old.needed):
        yield f"{shown} needs {one}", f"{one}="
    common = [one for one in old.positional if one not in gone]
    if not gone and new.positional[: len(common)] != common and not new.takes_any[0]:
        yield f"the positional parameters of {shown} change", name
    for one, value in old.defaults.items():
        now = new.defaults.get(one)
        if value is not None and now is not None and now != value:
            yield f"{shown} has another default for {one}", f"{one}="


# -- reading ---------------------------------------------------------------------------------------


@lru_cache(maxsize=32)  # the search for what breaks asks for one text again and again
def _surface_of(text: str) -> _Surface | None:
    tree = tree_to_read(text)
    if tree is None:
        return None
    found = _Surface()
    for statement in _statements(tree.body):
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if _is_public(statement.name):
                found.functions.setdefault(statement.name, _function(statement))
                found.names.add(statement.name)
            case ast.ClassDef() if _is_public(statement.name):
                found.classes[statement.name] = _class(statement)
                found.names.add(statement.name)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() if statement.value is not None:
                _assigned(found, statement, statement.value)
            case ast.Import() | ast.ImportFrom():
                found.imports |= {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name("__all__")), args=args)):
                found.listed |= {text for one in args for text in _texts(one)}
            case _:
                pass
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            if isinstance(raised, ast.Name | ast.Attribute) and ast.unparse(raised)[:1].isupper():
                found.raised[ast.unparse(raised)] += 1
    return found


def _assigned(found: _Surface, statement: ast.Assign | ast.AnnAssign | ast.AugAssign, value: ast.expr) -> None:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names = [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
    if "__all__" in names:
        found.listed |= set(_texts(value))
    found.names |= {name for name in names if _is_public(name)}
    if isinstance(value, ast.Call) and ast.unparse(value.func).endswith("namedtuple") and len(value.args) > 1:
        fields = value.args[1]
        texts = list(_texts(fields))
        if isinstance(fields, ast.Constant) and isinstance(fields.value, str):
            texts = fields.value.replace(",", " ").split()
        found.tuples |= dict.fromkeys(names, texts)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements, also of the blocks in which a module or class defines names under a condition."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With):
            for block in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(statement, block, []))
            for handler in getattr(statement, "handlers", []):
                yield from _statements(handler.body)


def _class(node: ast.ClassDef) -> _Class:
    bases = {ast.unparse(base) for base in node.bases}
    short = {base.rpartition(".")[2].partition("[")[0] for base in bases}
    decorators = {_name(one) for one in node.decorator_list}
    is_data = any(one.rpartition(".")[2] in ("dataclass", "define", "frozen", "attrs", "s") for one in decorators)
    found = _Class({base.partition("[")[0] for base in bases}, is_ordered=is_data or bool(short & _ORDERED))
    found.is_enum = any(base.endswith(("Enum", "Flag")) for base in short)
    for statement in _statements(node.body):
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if _is_public(statement.name) or statement.name.startswith("__"):
                    found.members.setdefault(statement.name, _function(statement))
                for one in ast.walk(statement):
                    if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store):
                        is_own = isinstance(one.value, ast.Name) and one.value.id == "self"
                        if is_own and _is_public(one.attr):
                            found.members.setdefault(one.attr, None)
            case ast.ClassDef() if _is_public(statement.name):
                found.members.setdefault(statement.name, None)
            case ast.Assign(targets=[ast.Name("__slots__")], value=value):
                found.slots = tuple(_texts(value))
            case ast.Assign(targets=[ast.Name(name)], value=value) if _is_public(name):
                found.members.setdefault(name, None)
                found.fields.append((name, ast.unparse(value)))
            case ast.AnnAssign(target=ast.Name(name)) if _is_public(name):
                found.members.setdefault(name, None)
                found.fields.append((name, "" if statement.value is None else ast.unparse(statement.value)))
            case _:
                pass
    return found


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> _Function:
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    given = dict(zip([one.arg for one in reversed(positional)], reversed(arguments.defaults), strict=False))
    given |= {
        one.arg: value
        for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if value is not None
    }
    names = [one.arg for one in positional]
    keywords = {one.arg for one in arguments.kwonlyargs}
    return _Function(
        isinstance(node, ast.AsyncFunctionDef),
        frozenset(map(_name, node.decorator_list)),
        names,
        {name for name in (*names, *keywords) if name not in given},
        keywords,
        # a mutable default is shared, so its change to None and a new object is a fix
        {name: None if isinstance(value, _MUTABLE) else ast.unparse(value) for name, value in given.items()},
        (arguments.vararg is not None, arguments.kwarg is not None),
    )


def _name(decorator: ast.expr) -> str:
    return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the texts of a list, tuple or set, also of a sum of them."""
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def _is_public(name: str) -> bool:
    return not name.startswith("_")
