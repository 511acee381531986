"""Missing steps: statements that a loop or a bookkeeping lacks, made of the names that are there. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from jido_ai.repair.program_code import Code, Function, Scope, is_in_loop, names_before
from jido_ai.repair.variable_kinds import collections_of_self, kinds_of

__all__ = ["PATTERNS", "steps_of", "undoes"]

PATTERNS: Final = {
    "update": "a missing step: NAME += 1, NAME.pop(), NAME.discard(x), self.flag = True ...",
    "prepare": "an argument in lower case, stripped, sorted, copied or positive, before it is used",
    "forget": "a collection of self is emptied where another one is filled",
    "step": "a missing step with names that are there: seen.add(x), memo[key] = value, previous = node ...",
}
"""The patterns and their replacements."""

_MOST_STEPS: Final = 12
_MOST_GIVEN: Final = 4
_UNDONE: Final = {"append": "pop", "add": "discard", "push": "pop", "appendleft": "popleft"}
_EMPTY: Final = re.compile(
    r"^[ \t]*((?:self\.)?\w+)(?:: [^=\n]+)? = "
    r"(\[\]|\[\w+\]$|set\(|\{\w+\}$|\{\w+: [^{}\n]*\}$|\{\}|list\(|dict\(|deque\()",
    re.MULTILINE,
)
_FILLED: Final = {"[]": "append", "list(": "append", "deque(": "append", "set(": "add"}
_SIMPLE: Final = (ast.Expr, ast.Assign, ast.AugAssign, ast.Break, ast.Continue, ast.Return, ast.Delete)


def undoes(step: str, done: str) -> bool:
    """Tell whether a step takes out of a collection what the one before it put in: nobody means both."""
    made = re.fullmatch(r"([\w.]+)\.(\w+)\(.*\)", done)
    return made is not None and step.startswith(f"{made[1]}.{_UNDONE.get(made[2])}(")


def steps_of(statement: ast.stmt, scope: Scope, function: Function, source: Code) -> Iterator[tuple[str, str]]:
    """Yield the patterns and the steps that may be missing before or after a statement of a function."""
    if isinstance(statement, _SIMPLE) or not getattr(statement, "orelse", None):
        yield from (("update", text) for text in _updates(scope, function, source))
    yield from (("prepare", text) for text in _prepared(statement, function))
    yield from (("forget", text) for text in _emptied(statement, function, source))
    steps = [*_filled(statement, scope, function, source), *_carried(statement, scope, function)]
    yield from (("step", text) for text in dict.fromkeys(steps))


def _updates(scope: Scope, function: Function, source: Code) -> list[str]:
    texts: list[str] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            base = source.of(node.func.value)
            if step := _UNDONE.get(node.func.attr):
                given = source.of(node.args[0]) if node.args and step == "discard" else ""
                texts.append(f"{base}.{step}({given})")
    texts += [f"self.{name} = {value}" for name, value in _flags(source, scope)]
    texts += [f"self.{name} += 1" for name, value in _flags(source, scope) if value == "0"]
    texts += [f"{name} += 1" for name in _counters(function)]
    tests = " ".join(source.of(node.test) for node in ast.walk(function) if isinstance(node, ast.While))
    texts += [f"{name} -= 1" for name in _counters(function) if re.search(rf"\b{name}\b", tests)]
    return list(dict.fromkeys(texts[:_MOST_STEPS]))


def _flags(source: Code, scope: Scope) -> list[tuple[str, str]]:
    """Return the attributes of self that the file sets to True, False, None or 0, with these values."""
    found = re.findall(r"self\.(\w+) = (True|False|None|0)\b(?!\.)", source.text)
    return [pair for pair in dict.fromkeys(found) if pair[0] in scope.members]


def _counters(function: Function) -> list[str]:
    """Return the names that start as a whole number in a function and get no other value than by counting."""
    assigned = [
        (target.id, node.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    computed = {name for name, value in assigned if not isinstance(value, ast.Constant)}
    starts = [name for name, value in assigned if isinstance(value, ast.Constant) and isinstance(value.value, int)]
    return [name for name in dict.fromkeys(starts) if name not in computed]


def _prepared(statement: ast.stmt, function: Function) -> Iterator[str]:
    """Yield the steps that prepare an argument, at the beginning of a function."""
    is_text = isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant)
    if statement is not function.body[is_text and len(function.body) > 1]:
        return
    kinds = kinds_of(function)
    for name in [one.arg for one in function.args.args if one.arg not in ("self", "cls")][:_MOST_GIVEN]:
        if name not in kinds.numbers:
            yield from (f"{name} = {name}.{method}()" for method in ("lower", "strip"))
            yield from (f"{name} = {made}({name})" for made in ("sorted", "list"))
        if name not in kinds.collections:
            yield f"{name} = abs({name})"


def _emptied(statement: ast.stmt, function: Function, source: Code) -> Iterator[str]:
    """Yield the steps that empty a collection of self, after one that fills another one."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Attribute(value=ast.Name(id="self")), attr=method))):
            if method in _UNDONE:
                done = source.of(function)
                yield from (f"{one}.clear()" for one in collections_of_self(source.text) if f"{one}." not in done)
        case _:
            pass


def _filled(statement: ast.stmt, scope: Scope, function: Function, source: Code) -> Iterator[str]:
    """Yield the steps that put a value into a collection that this file makes, empty or of another one."""
    used = {source.of(node) for node in ast.walk(function) if isinstance(node, ast.Name | ast.Attribute)}
    tested = [
        (source.of(node.comparators[0]), source.of(node.left))
        for node in ast.walk(function)
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn)
    ]
    given = names_before(statement, scope, function)[:_MOST_GIVEN]
    for name, empty in dict.fromkeys(_EMPTY.findall(source.text)):
        if name.startswith("self."):
            yield f"{name}.clear()"
        if name not in used and not name.startswith("self."):
            continue
        keys = list(dict.fromkeys([*(key for one, key in tested if one == name), *given]))
        for key in (one for one in keys if one != name):
            is_table = ":" in empty
            method = _FILLED.get(empty) or {"[": "append", "{": "add"}.get(
                "" if len(empty) < 3 or is_table else empty[0]
            )
            if method is not None:
                yield f"{name}.{method}({key})"
                if name.startswith("self."):
                    yield f"{name}.{'remove' if method == 'append' else 'discard'}({key})"
            else:
                if name.startswith("self."):
                    yield f"del {name}[{key}]"
                    yield f"{name}.pop({key}, None)"
                yield from (f"{name}[{key}] = {value}" for value in given if value not in (key, name))


def _carried(statement: ast.stmt, scope: Scope, function: Function) -> Iterator[str]:
    """Yield the steps of a loop that assign to a variable which the function assigns only once, a constant or name."""
    if not is_in_loop(statement, function):
        return
    assigned = [
        (node.targets[0].id, node.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    ]
    often = [name for name, _ in assigned]
    flags = [name for node in ast.walk(function) for name in _flags_of(node)]
    yield from (f"{name} = not {name}" for name in dict.fromkeys(flags) if often.count(name) < 2)
    for node in ast.walk(function):
        if isinstance(node, ast.If) and statement in node.body and isinstance(node.test, ast.Compare):
            one, other = node.test.left, node.test.comparators[0]
            if isinstance(one, ast.Name) and isinstance(other, ast.Name):  # the best so far is not kept
                yield from (f"{one.id} = {other.id}", f"{other.id} = {one.id}")
    given = names_before(statement, scope, function)[:_MOST_GIVEN]
    for name, value in assigned:
        if often.count(name) == 1 and isinstance(value, ast.Constant | ast.Name):
            yield from (f"{name} = {other}" for other in given if other != name)


def _flags_of(node: ast.AST) -> list[str]:
    """Return the variables that an assignment sets to True or False."""
    if not isinstance(node, ast.Assign):
        return []
    target, value = node.targets[0], node.value
    pairs: list[tuple[ast.expr, ast.expr]] = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = list(zip(target.elts, value.elts, strict=False))
    return [
        one.id
        for one, given in pairs
        if isinstance(one, ast.Name) and isinstance(given, ast.Constant) and isinstance(given.value, bool)
    ]
