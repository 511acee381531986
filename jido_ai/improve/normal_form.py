"""Python in a normal form: edits after which it is the same change nothing that a program does. Pure.

The table holds what linters and upgraders write in place of each other. What is not in it counts as a change of
behaviour, which a test has to judge.
"""

from __future__ import annotations

import ast
import re
import string
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

from jido_ai.text.python_tree import is_text, parsed, tree_to_read

_CONTEXT: Final = re.compile(r",? ?ctx=(?:Load|Store|Del)\(\)")
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_ENDS: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_IMPORTS: Final = (ast.Import, ast.ImportFrom)
_ALIASES: Final = {"IOError": "OSError", "EnvironmentError": "OSError", "WindowsError": "OSError"}
_BUILTINS: Final = {
    ("socket", "error"): "OSError", ("select", "error"): "OSError", ("os", "error"): "OSError",
    ("socket", "timeout"): "TimeoutError", ("asyncio", "TimeoutError"): "TimeoutError", ("io", "open"): "open",
}  # fmt: skip
_OPPOSITE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
}
_MIRRORED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.Eq, ast.NotEq: ast.NotEq, ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE
}  # fmt: skip
_DEFAULTS: Final[dict[tuple[str, object], object]] = {
    ("zip", "strict"): False, ("run", "check"): False, ("getLogger", "name"): None, ("open", "mode"): "r",
    ("sort", "reverse"): False, ("sorted", "reverse"): False,
}  # fmt: skip
_POSITIONAL: Final[dict[tuple[str, object], object]] = {
    ("open", 1): "r",
    ("get", 1): None,
    ("encode", 0): "utf-8",
    ("decode", 0): "utf-8",
}
_EAGER: Final = frozenset({"list", "set", "tuple", "sorted", "sum", "min", "max", "dict", "frozenset"})
_BARE: Final = frozenset({"lru_cache", "fixture", "dataclass", "total_ordering"})
_BLIND: Final = frozenset({
    "property", "cached_property", "setter", "getter", "deleter", "staticmethod", "classmethod", "abstractmethod",
    "override", "final", "contextmanager", "asynccontextmanager", "wraps", "cache", "lru_cache", "overload",
})  # fmt: skip
"""Decorators that do not look at annotations."""
_GENERICS: Final = frozenset({"List", "Dict", "Set", "FrozenSet", "Tuple", "Type"})


@dataclass(frozen=True, slots=True)
class _Part:
    """A statement, function or class header of a text, with its lines from 1.

    Attributes:
        name: of a function or class, with the classes around it; "" for a statement.
        source: its own lines.
        is_addition: where nothing of the name was before, nothing changes for anybody.
    """

    name: str
    first: int
    last: int
    source: str
    is_addition: bool


def changed_parts(
    before: str, after: str, removed: Sequence[tuple[int, int]], added: Sequence[tuple[int, int]]
) -> list[str]:
    """Return the names of the parts in these lines that do something else afterwards, "" for statements.

    Args:
        removed, added: the lines of the old and of the new text, from 1, with the last one; one that ends before it
            begins is the place between two lines.
    """
    old, new = _parts_of(before), _parts_of(after)
    names = {one.name for one in old}
    gone = [part.name for part in _touched(old, removed) if not _is_among(part, new)]
    come = [
        part.name
        for part in _touched(new, added)
        if not (part.is_addition and (part.name == "" or part.name not in names)) and not _is_among(part, old)
    ]
    return list(dict.fromkeys([*gone, *come]))


def _is_among(part: _Part, others: Sequence[_Part]) -> bool:
    named = [one for one in others if one.name == part.name]
    if any(one.source == part.source for one in named):
        return True
    form = _form(part.source)
    return any(_form(one.source) == form for one in named)


def _touched(parts: Sequence[_Part], lines: Sequence[tuple[int, int]]) -> Iterator[_Part]:
    for part in parts:
        if any(part.first <= max(last, first - 1) and first <= part.last for first, last in lines):
            yield part


@lru_cache(maxsize=32)
def _parts_of(text: str) -> tuple[_Part, ...]:
    tree = tree_to_read(text)
    return () if tree is None else tuple(_parts(tree.body, "", text.removeprefix("\ufeff").splitlines()))


def _parts(body: Sequence[ast.stmt], owner: str, lines: Sequence[str]) -> Iterator[_Part]:
    for statement in body:
        first = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))])
        last = statement.end_lineno or first
        source = textwrap.dedent("\n".join(lines[first - 1 : last]))
        if isinstance(statement, ast.ClassDef):
            name = f"{owner}{statement.name}"
            header = ast.ClassDef(
                statement.name,
                statement.bases,
                statement.keywords,
                [ast.Pass()],
                decorator_list=statement.decorator_list,
            )
            end = max(statement.body[0].lineno - 1, statement.lineno)
            yield _Part(name, first, end, ast.unparse(header), is_addition=True)
            yield _Part(f"{name}, fields", first, last, f"({','.join(_fields(statement))})", is_addition=True)
            yield from _parts(statement.body, f"{name}.", lines)
        elif isinstance(statement, _FUNCTIONS):
            yield _Part(f"{owner}{statement.name}", first, last, source, is_addition=not owner)
        elif not isinstance(statement, _IMPORTS) and not is_text(statement):
            is_name = isinstance(statement, ast.Assign) and not owner
            is_typing = isinstance(statement, ast.If) and all(isinstance(one, _IMPORTS) for one in statement.body)
            yield _Part("", first, last, source, is_addition=is_name or is_typing)


def _fields(statement: ast.ClassDef) -> Iterator[str]:
    """Yield the fields whose order may matter to a base or a decorator."""
    is_plain = all(_name(one) == "object" for one in statement.bases) and not statement.decorator_list
    for one in () if is_plain else statement.body:
        target = (
            one.target if isinstance(one, ast.AnnAssign) else one.targets[0] if isinstance(one, ast.Assign) else None
        )
        if isinstance(target, ast.Name):
            yield target.id


@lru_cache(maxsize=4_096)
def _form(source: str) -> str:
    tree = parsed(source)
    return source if tree is None else _dumped(ast.Module(_Normal().block(tree.body), []))


def _dumped(node: ast.AST | None) -> str:
    """Return a tree as a text; whether a name is read or written follows from its place."""
    return "" if node is None else _CONTEXT.sub("", ast.dump(node))


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


class _Normal(ast.NodeTransformer):
    """Writes trees in the normal form, from the leaves up."""

    _shares = False
    """The function assigns to names of others, which see what it keeps in them."""

    # -- statements -----------------------------------------------------------------------------------

    def block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in body:
            if isinstance(statement, (*_IMPORTS, ast.Pass)) or is_text(statement):
                continue
            new = self.visit(statement)
            found += new if isinstance(new, list) else [new] if new is not None else []
        for rule in (_flat, _as_expression, *(() if self._shares else (_returned,)), _as_truth):
            found = rule(found)
        return found or [ast.Pass()]

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for name, value in ast.iter_fields(node):
            if isinstance(value, list) and name in ("body", "orelse", "finalbody"):
                blocks = cast("list[ast.stmt]", value)
                new = self.block(blocks) if blocks else []
                setattr(node, name, [] if name != "body" and all(isinstance(one, ast.Pass) for one in new) else new)
            elif isinstance(value, list):
                parts = cast("list[object]", value)
                setattr(node, name, [self.visit(one) if isinstance(one, ast.AST) else one for one in parts])
            elif isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        if all(_name(one.func if isinstance(one, ast.Call) else one) in _BLIND for one in node.decorator_list):
            node.returns = None
            for one in ast.walk(node.args):
                if isinstance(one, ast.arg):
                    one.annotation = None
        _without_unused(node)
        node.decorator_list = [_bare(one) for one in node.decorator_list]
        before, self._shares = self._shares, any(isinstance(one, ast.Global | ast.Nonlocal) for one in ast.walk(node))
        self.generic_visit(node)
        self._shares = before
        if isinstance(node.body[-1], ast.Return) and node.body[-1].value is None:
            node.body = node.body[:-1] or [ast.Pass()]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.bases = [one for one in node.bases if _name(one) != "object"]
        node.decorator_list = [_bare(one) for one in node.decorator_list]
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        annotation = _typing(node.annotation)
        self.generic_visit(node)
        node.annotation = annotation
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(args=arguments, body=body)):
                return ast.FunctionDef(name=name, args=arguments, body=[ast.Return(body)], decorator_list=[])
            case _:
                return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Constant) and node.value.value is None:
            node.value = None
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.exc, ast.Name) and node.exc.id[:1].isupper():
            node.exc = ast.Call(node.exc, [], [])
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.If(body=[ast.If(orelse=[]) as inner], orelse=[]):
                return ast.If(_conjunction(ast.And(), [node.test, inner.test]), inner.body, [])
            case _:
                return node

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = _iterated(node.iter)
        match node:
            case ast.For(target=ast.Name(id=name), body=[ast.Expr(ast.Yield(ast.Name(id=given)))], orelse=[]) if (
                name == given
            ):
                return ast.Expr(ast.YieldFrom(node.iter))
            case _:
                return node

    def visit_Try(self, node: ast.Try) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Try(
                handlers=[ast.ExceptHandler(type=ast.expr() as kind, body=[ast.Pass()])], orelse=[], finalbody=[]
            ):
                kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
                return ast.With([ast.withitem(ast.Call(ast.Name("suppress"), kinds, []))], node.body)
            case _:
                return node

    def visit_With(self, node: ast.With) -> ast.AST:
        self.generic_visit(node)
        for item in node.items:
            call = item.context_expr
            if isinstance(call, ast.Call) and _name(call.func) == "suppress":
                kinds = _kinds(ast.Tuple(call.args))
                item.context_expr = ast.Call(
                    ast.Name("suppress"), kinds.elts if isinstance(kinds, ast.Tuple) else [kinds], []
                )
        match node:
            case ast.With(body=[ast.With() as inner]):
                return ast.With([*node.items, *inner.items], inner.body)
            case _:
                return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self.generic_visit(node)
        if node.type is not None:
            node.type = _kinds(node.type)
        return node

    # -- expressions ----------------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(_ALIASES.get(node.id, node.id))

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        name = _BUILTINS.get((_name(node.value), node.attr)) if isinstance(node.value, ast.Name) else None
        return ast.Attribute(node.value, node.attr) if name is None else ast.Name(name)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(node.value)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.UnaryOp(ast.Not(), ast.Compare(left, [operator], others)) if type(operator) in _OPPOSITE:
                return self.visit(ast.Compare(left, [_OPPOSITE[type(operator)]()], others))
            case _:
                return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Compare(ast.Constant() as left, [operator], [right]) if type(
                operator
            ) in _MIRRORED and not isinstance(right, ast.Constant):
                return ast.Compare(right, [_MIRRORED[type(operator)]()], [left])
            case ast.Compare(left, [_, _, *_], others) if all(
                isinstance(one, ast.Name | ast.Constant) for one in others[:-1]
            ):
                pairs = zip([left, *others], node.ops, others, strict=False)
                parts = [self.visit(ast.Compare(one, [operator], [other])) for one, operator, other in pairs]
                return ast.BoolOp(ast.And(), parts)
            case ast.Compare(left, [(ast.In() | ast.NotIn()) as operator], [right]):
                if isinstance(right, (ast.List, ast.Set)) and all(isinstance(one, ast.Constant) for one in right.elts):
                    right = ast.Tuple(right.elts)
                return ast.Compare(left, [operator], [_iterated(right)])
            case _:
                return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        return _conjunction(node.op, node.values)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return _conditional(node.test, node.body, node.orelse)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.BinOp(ast.Constant(value=str(left)), ast.Add(), ast.Constant(value=str(right))):
                return ast.Constant(left + right)
            case ast.BinOp(ast.List(elts=first), ast.Add(), ast.List(elts=second)):
                return ast.List([*first, *second])
            case ast.BinOp(left, ast.Add(), ast.List(elts=second)):
                return ast.List([ast.Starred(left), *second])
            case ast.BinOp(ast.List(elts=first), ast.Add(), right):
                return ast.List([*first, ast.Starred(right)])
            case ast.BinOp(ast.Constant(value=str(text)), ast.Mod(), ast.Tuple(elts=values)):
                return _formatted(_percent(text), values, {}) or node
            case _:
                return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        self.generic_visit(node)
        return _joined(node.values)

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        self.generic_visit(node)
        return _comprehension(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = _iterated(node.iter)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        node.keywords = [
            ast.keyword("text" if one.arg == "universal_newlines" else one.arg, one.value)
            for one in node.keywords
            if not _is_default((_name(node.func), one.arg), one.value, _DEFAULTS)
        ]
        place = len(node.args) - 1
        if node.args and _is_default((_name(node.func), place), node.args[-1], _POSITIONAL):
            node.args = node.args[:-1]
        return _called(node)


# -- rules for statements --------------------------------------------------------------------------------


def _flat(body: list[ast.stmt]) -> list[ast.stmt]:
    """Move what stands in an `else` after a part that never goes on behind the `if`."""
    found: list[ast.stmt] = []
    for place, statement in enumerate(body):
        if isinstance(statement, ast.If) and statement.orelse and isinstance(statement.body[-1], _ENDS):
            rest = [*statement.orelse, *body[place + 1 :]]
            return [*found, ast.If(statement.test, statement.body, []), *_flat(rest)]
        found.append(statement)
    return found


def _returned(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return or raise what was kept in a variable for that alone."""
    match body:
        case [*others, ast.Assign([ast.Name(id=name)], value), ast.Return(ast.Name(id=given))] if name == given:
            return [*others, ast.Return(value)]
        case [
            *others,
            ast.Assign([ast.Name(id=name)], value),
            ast.Raise(ast.Call(kind, [ast.Name(id=given)], []), by),
        ] if name == given:
            return [*others, ast.Raise(ast.Call(kind, [value], []), by)]
        case _:
            return body


def _as_expression(body: list[ast.stmt]) -> list[ast.stmt]:
    """Write an `if` with one assignment on each side, or one return, as one statement."""
    found: list[ast.stmt] = []
    for statement in reversed(body):
        match statement, found:
            case ast.If(test, [ast.Assign([one], value)], [ast.Assign([other], otherwise)]), _ if _dumped(
                one
            ) == _dumped(other):
                found.insert(0, ast.Assign([one], _conditional(test, value, otherwise)))
            case ast.If(test, [ast.Return(ast.expr() as value)], []), [ast.Return(ast.expr() as otherwise)]:
                found[0] = ast.Return(_conditional(test, value, otherwise))
            case _:
                found.insert(0, statement)
    return found


def _as_truth(body: list[ast.stmt]) -> list[ast.stmt]:
    """Write a loop that looks for one true element as `any` or `all`."""
    match body[-2:]:
        case [
            ast.For(target, source, [ast.If(test, [ast.Return(ast.Constant(value=bool(first)))], [])], []),
            ast.Return(ast.Constant(value=bool(last))),
        ] if first is not last:
            found = ast.GeneratorExp(test if first else _negated(test), [ast.comprehension(target, source, [], 0)])
            return [*body[:-2], ast.Return(ast.Call(ast.Name("any" if first else "all"), [found], []))]
        case _:
            return body


def _without_unused(function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Call loop variables and names of exceptions that nothing reads by one name, and drop names kept for nothing."""
    names = [one for one in ast.walk(function) if isinstance(one, ast.Name)]
    read = {one.id for one in names if not isinstance(one.ctx, ast.Store)}
    if "locals" in read or any(isinstance(one, (ast.Global, ast.Nonlocal)) for one in ast.walk(function)):
        return
    for node in ast.walk(function):
        if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            for one in ast.walk(node.target):
                if isinstance(one, ast.Name) and one.id not in read:
                    one.id = "_"
        elif isinstance(node, ast.ExceptHandler) and node.name is not None and node.name not in read:
            node.name = None
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and not isinstance(node, ast.ClassDef):
                setattr(node, field, [_untyped(one, read) for one in cast("list[ast.stmt]", block)])


def _untyped(statement: ast.stmt, read: set[str]) -> ast.stmt:
    """Return a statement in a function without an annotation, and without a name that nothing reads."""
    match statement:
        case ast.AnnAssign(target=ast.Name(), value=None):
            return ast.Pass()
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return _untyped(ast.Assign([target], value), read)
        case ast.Assign([ast.Name(id=name)], value) if name not in read:
            return ast.Pass() if isinstance(value, (ast.Constant, ast.Name)) else ast.Expr(value)
        case _:
            return statement


# -- rules for expressions -----------------------------------------------------------------------------


def _bare(decorator: ast.expr) -> ast.expr:
    match decorator:
        case ast.Call(func, [], []) if _name(func) in _BARE:
            return func
        case ast.Call(func, [], [ast.keyword("maxsize", ast.Constant(value=None))]) if _name(func) == "lru_cache":
            return ast.Name("cache")
        case _:
            return ast.Name("cache") if _name(decorator) == "cache" else decorator


def _typing(annotation: ast.expr) -> ast.expr:
    """Return an annotation of a class's attribute with today's spelling."""
    match annotation:
        case ast.Constant(value=str(text)):
            tree = parsed(text)
            inner = tree.body[0] if tree is not None and tree.body else None
            return _typing(inner.value) if isinstance(inner, ast.Expr) else annotation
        case ast.Subscript(value, inner) if _name(value) == "Optional":
            return ast.BinOp(_typing(inner), ast.BitOr(), ast.Constant(None))
        case ast.Subscript(value, ast.Tuple(elts=[first, *others])) if _name(value) == "Union":
            whole = _typing(first)
            for one in others:
                whole = ast.BinOp(whole, ast.BitOr(), _typing(one))
            return whole
        case ast.Subscript(value, inner):
            return ast.Subscript(_typing(value), _typing(inner))
        case ast.Tuple(elts=parts):
            return ast.Tuple([_typing(one) for one in parts])
        case ast.BinOp(left, operator, right):
            return ast.BinOp(_typing(left), operator, _typing(right))
        case ast.Name() | ast.Attribute():
            name = _name(annotation)
            return ast.Name(name.lower() if name in _GENERICS else name)
        case _:
            return annotation


def _kinds(kind: ast.expr) -> ast.expr:
    if not isinstance(kind, ast.Tuple):
        return kind
    by_form = {ast.dump(one): one for one in kind.elts}
    kinds = [by_form[form] for form in sorted(by_form)]
    return kinds[0] if len(kinds) == 1 else ast.Tuple(kinds)


def _iterated(source: ast.expr) -> ast.expr:
    """Return a mapping for its keys and a tuple for a list, which a loop goes over alike."""
    match source:
        case ast.Call(ast.Attribute(value, "keys"), [], []):
            return value
        case ast.List(elts=parts):
            return ast.Tuple(parts)
        case _:
            return source


def _negated(test: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.Compare(left, [operator], others) if type(operator) in _OPPOSITE:
            return ast.Compare(left, [_OPPOSITE[type(operator)]()], others)
        case _:
            return ast.UnaryOp(ast.Not(), test)


def _is_truth(test: ast.expr) -> bool:
    match test:
        case ast.Compare() | ast.UnaryOp(ast.Not()):
            return True
        case ast.Call(func):
            return _name(func) in ("isinstance", "issubclass", "any", "all", "bool", "callable", "hasattr")
        case ast.BoolOp(values=values):
            return all(map(_is_truth, values))
        case _:
            return False


def _conditional(test: ast.expr, value: ast.expr, otherwise: ast.expr) -> ast.expr:
    match test, value, otherwise:
        case _, ast.Constant(value=True), ast.Constant(value=False) if _is_truth(test):
            return test
        case _, ast.Constant(value=False), ast.Constant(value=True):
            return _negated(test)
        case ast.Name(), _, _ if _dumped(test) == _dumped(value):
            return _conjunction(ast.Or(), [test, otherwise])
        case ast.UnaryOp(ast.Not(), operand), _, _:
            return _conditional(operand, otherwise, value)
        case ast.Compare(left, [(ast.NotEq() | ast.IsNot()) as operator], others), _, _:
            return ast.IfExp(ast.Compare(left, [_OPPOSITE[type(operator)]()], others), otherwise, value)
        case _:
            return ast.IfExp(test, value, otherwise)


def _conjunction(operator: ast.boolop, values: Sequence[ast.expr]) -> ast.expr:
    """Return `and` or `or`, flat, with tests of one value in one."""
    flat: list[ast.expr] = []
    for one in values:
        flat += one.values if isinstance(one, ast.BoolOp) and type(one.op) is type(operator) else [one]
    found: list[ast.expr] = []
    for one in flat:
        merged = _merged(operator, found[-1], one) if found else None
        if merged is None:
            found.append(one)
        else:
            found[-1] = merged
    return found[0] if len(found) == 1 else ast.BoolOp(operator, found)


def _merged(operator: ast.boolop, left: ast.expr, right: ast.expr) -> ast.expr | None:
    is_or = isinstance(operator, ast.Or)
    match left, right:
        case ast.Call(one, [value, kind], []), ast.Call(other, [same, more], []) if (
            is_or and _name(one) == _name(other) and _name(one) in ("isinstance", "issubclass")
            and _dumped(value) == _dumped(same)
        ):  # fmt: skip
            return ast.Call(one, [value, ast.Tuple([*_elements(kind), *_elements(more)])], [])
        case ast.Call(ast.Attribute(value, one), [kind], []), ast.Call(ast.Attribute(same, other), [more], []) if (
            is_or and one == other and one in ("startswith", "endswith") and _dumped(value) == _dumped(same)
        ):
            return ast.Call(ast.Attribute(value, one), [ast.Tuple([*_elements(kind), *_elements(more)])], [])
        case (
            ast.Compare(ast.Name() as one, [ast.Eq() | ast.In()], [(ast.Constant() | ast.Tuple()) as first]),
            ast.Compare(other, [ast.Eq()], [ast.Constant() as second]),
        ) if is_or and _dumped(one) == _dumped(other):
            return ast.Compare(one, [ast.In()], [ast.Tuple([*_elements(first), second])])
        case _:
            return None


def _elements(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _is_default(key: tuple[str, object], value: ast.expr, table: dict[tuple[str, object], object]) -> bool:
    if key not in table or not isinstance(value, ast.Constant):
        return False
    said = value.value.lower() if isinstance(value.value, str) else value.value
    return said == table[key] and type(said) is type(table[key])


def _comprehension(node: ast.ListComp | ast.GeneratorExp) -> ast.expr:
    """Return a comprehension that gives every element as it is as a list of its source."""
    match node:
        case ast.ListComp(ast.Name(id=name), [ast.comprehension(ast.Name(id=given), source, [], 0)]) if name == given:
            return ast.Call(ast.Name("list"), [source], [])
        case _:
            return node


def _called(node: ast.Call) -> ast.expr:
    match node:
        case ast.Call(ast.Name("super"), [_, _], []):
            return ast.Call(node.func, [], [])
        case ast.Call(ast.Name("cast") | ast.Attribute(attr="cast"), [ast.Constant(value=str()) as kind, value], []):
            return ast.Call(node.func, [_typing(kind), value], [])
        case ast.Call(ast.Name("dict"), [], []):
            return ast.Dict([], [])
        case ast.Call(ast.Name("dict"), [], keywords) if all(one.arg is not None for one in keywords):
            return ast.Dict([ast.Constant(one.arg) for one in keywords], [one.value for one in keywords])
        case ast.Call(ast.Name("list"), [], []):
            return ast.List([])
        case ast.Call(ast.Name("tuple"), [], []):
            return ast.Tuple([])
        case ast.Call(ast.Name("list"), [ast.GeneratorExp(element, parts)], []):
            return _comprehension(ast.ListComp(element, parts))
        case ast.Call(ast.Name("set"), [ast.GeneratorExp(element, parts) | ast.ListComp(element, parts)], []):
            return ast.SetComp(element, parts)
        case ast.Call(ast.Name("set"), [(ast.List(elts=[_, *_]) | ast.Tuple(elts=[_, *_])) as source], []):
            return ast.Set(source.elts)
        case ast.Call(ast.Name("dict"), [(ast.GeneratorExp() | ast.ListComp()) as source], []) if (
            isinstance(source.elt, ast.Tuple) and len(source.elt.elts) == 2
        ):
            return ast.DictComp(source.elt.elts[0], source.elt.elts[1], source.generators)
        case ast.Call(ast.Name("list"), [ast.Call(ast.Name("sorted")) as inner], []):
            return inner
        case ast.Call(ast.Name(name), [ast.Call(ast.Name("list"), [source], []), *others], keywords) if name in _EAGER:
            return ast.Call(node.func, [source, *others], keywords)
        case ast.Call(
            ast.Name(name) | ast.Attribute(ast.Constant(), "join" as name), [ast.ListComp() as source, *others]
        ):
            if name in _EAGER or name == "join":
                return ast.Call(node.func, [ast.GeneratorExp(source.elt, source.generators), *others], node.keywords)
            return node
        case ast.Call(ast.Attribute(ast.Constant(value=str(text)), "format"), values, keywords):
            named = {one.arg: one.value for one in keywords if one.arg is not None}
            fields = list(_braces(text)) if len(named) == len(keywords) else None
            return _formatted(fields, values, named) or node
        case ast.Call(ast.Name("str"), [ast.Constant(value=str(text))], []):
            return ast.Constant(text)
        case _:
            return node


# -- texts with fields --------------------------------------------------------------------------------------

_Field = tuple[str, str | None, int, str]
"""The text before a field, its name or number (None: there is none), its conversion and its specification."""


def _percent(text: str) -> list[_Field] | None:
    """Return the fields of a text for `%`; None if there are others than `%s` and `%r`."""
    found: list[_Field] = []
    rest, number = text.replace("%%", "\0"), 0
    while "%" in rest:
        before, _, rest = rest.partition("%")
        if rest[:1] not in ("s", "r"):
            return None
        found.append((before.replace("\0", "%"), str(number), -1 if rest[0] == "s" else 114, ""))
        rest, number = rest[1:], number + 1
    return [*found, (rest.replace("\0", "%"), None, -1, "")]


def _braces(text: str) -> Iterator[_Field]:
    number = 0
    try:
        for before, name, specification, conversion in string.Formatter().parse(text):
            said = name
            if name == "":
                said, number = str(number), number + 1
            yield before, said, ord(conversion) if conversion else -1, specification or ""
    except ValueError:
        yield "", "?", -1, ""


def _formatted(
    fields: Sequence[_Field] | None, values: Sequence[ast.expr], named: dict[str, ast.expr]
) -> ast.expr | None:
    """Return a text with fields as an f-string; None if it is none, or a value stands for no field or for two."""
    known = {**{str(number): value for number, value in enumerate(values)}, **named}
    asked = [name for _, name, _, _ in fields or () if name is not None]
    if fields is None or sorted(asked) != sorted(known) or any("{" in one for _, _, _, one in fields):
        return None
    if any(isinstance(one, ast.Starred) for one in values):
        return None
    parts: list[ast.expr] = []
    for before, name, conversion, specification in fields:
        parts.append(ast.Constant(before))
        if name is not None:
            form = ast.Constant(specification) if specification else None
            parts.append(ast.FormattedValue(known[name], conversion, form))
    return _joined(parts)


def _joined(parts: Sequence[ast.expr]) -> ast.expr:
    found: list[ast.expr] = []
    for part in parts:
        match part, found[-1] if found else None:
            case ast.Constant(value=""), _:
                continue
            case ast.Constant(value=str(text)), ast.Constant(value=str(before)):
                found[-1] = ast.Constant(before + text)
            case ast.FormattedValue(value, 115, None), _:
                found.append(ast.FormattedValue(value, -1, None))
            case ast.FormattedValue(ast.Call(ast.Name("str"), [value], []), -1, None), _:
                found.append(ast.FormattedValue(value, -1, None))
            case ast.FormattedValue(ast.Call(ast.Name("repr"), [value], []), -1, None), _:
                found.append(ast.FormattedValue(value, 114, None))
            case _:
                found.append(part)
    match found:
        case [] | [ast.Constant()]:
            return found[0] if found else ast.Constant("")
        case _:
            return ast.JoinedStr(found)
