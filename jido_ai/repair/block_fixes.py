"""Block fixes: statements that real fixes insert, remove or move. Pure."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final

from jido_ai.repair import flow_fixes, missing_steps, twin_steps
from jido_ai.repair.program_code import Change, Code, Function, Place, Scope, is_in_loop, names_before, unread_members
from jido_ai.repair.variable_kinds import kinds_of

__all__ = ["PATTERNS", "fixes_of"]

PATTERNS: Final = {
    "insert": "a statement of the same function once more, before or after another one",
    "borrow": "a step that another method of the class does with self, before or after a statement",
    **missing_steps.PATTERNS,
    **flow_fixes.PATTERNS,
    **twin_steps.PATTERNS,
    "incomplete": "before the result is returned, an exception if it has not as many elements as it should",
    "early-return": "a new `if`, on equality, emptiness, None or a sign, that returns, raises or continues",
    "remove": "a statement removed",
    "level": "a statement one level further out, or in the block before it",
    "order": "two neighbouring statements swapped",
    "else": "an `else` that does what the function does elsewhere",
    "leave": "break or continue becomes a return, of a constant or a variable; a return in a loop one of them or an if",
    "super": "a method first or last does what the one that it overrides does",
}
"""The patterns and their replacements."""

_COSTS: Final = {
    "insert": 10, "borrow": 10, "update": 10, "step": 10, "early-return": 12, "remove": 7, "level": 6, "order": 7,
    "else": 10, "leave": 6, "super": 6, "forget": 8, "prepare": 9, "incomplete": 8,
    **flow_fixes.COSTS,
    **twin_steps.COSTS,
}  # fmt: skip
_MOST_COPIES: Final = 12
_MOST_NAMES: Final = 6
_MOST_GUARDED: Final = 3
_MOST_RAISED: Final = 2
_SIMPLE: Final = (ast.Expr, ast.Assign, ast.AugAssign, ast.Break, ast.Continue, ast.Return, ast.Delete)
_Found = Iterator[tuple[str, Place, str]]


def fixes_of(statement: ast.stmt, scope: Scope, source: Code) -> Iterator[Change]:
    """Yield the proposals of all patterns for a statement among its neighbours."""
    if scope.function is None or source.before(statement).strip():  # another statement stands on the same row
        return
    for pattern in _PATTERNS:
        for name, place, after in pattern(statement, scope, scope.function, source):
            yield Change(name, place, after, cost=_COSTS[name])


def _is_step(statement: ast.stmt) -> bool:
    """Tell whether a statement changes something, so that it may be missing or too much."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Call)
    return isinstance(statement, ast.Assign | ast.AugAssign | ast.Break | ast.Continue | ast.Delete)


def _around(statement: ast.stmt, text: str, source: Code) -> Iterator[tuple[Place, str]]:
    """Yield the insertions of a text of one row, or of rows below it, before and after a statement."""
    place, indent = Place.of(statement), source.before(statement)
    rows = text.replace("\n", f"\n{indent}")
    target = _target(source.of(statement))
    if text in source.of(statement) or (target and target == _target(text)):  # one of the two would be enough
        return
    if missing_steps.undoes(text, source.of(statement)) or missing_steps.undoes(source.of(statement), text):
        return
    yield Place(place.row, place.byte, place.row, place.byte), f"{rows}\n{indent}"
    if not isinstance(statement, ast.Return | ast.Break | ast.Continue | ast.Raise):
        yield Place(place.end_row, place.end_byte, place.end_row, place.end_byte), f"\n{indent}{rows}"


def _target(text: str) -> str:
    """Return the variable that a statement assigns or counts; nothing if it does neither."""
    found = re.match(r"([\w.]+) (?:[-+*/%|&]|//)?= ", text)
    return found[1] if found else ""


def _inserted(statement: ast.stmt, scope: Scope, function: Function, source: Code) -> _Found:
    steps = [one for one in ast.walk(function) if isinstance(one, ast.stmt) and _is_step(one)]
    copies = dict.fromkeys(source.of(one) for one in steps if not isinstance(one, ast.Break | ast.Continue))
    for text in [one for one in copies if "\n" not in one][:_MOST_COPIES]:
        for place, after in _around(statement, text, source):
            yield "insert", place, after
    for step in _done_elsewhere(scope, function):
        if source.of(step) not in copies:
            for place, after in _around(statement, source.of(step), source):
                yield "borrow", place, after
    for guarded in ast.walk(function):
        if isinstance(guarded, ast.If) and not guarded.orelse and len(guarded.body) == 1 and _is_step(guarded.body[0]):
            text = f"if {source.of(guarded.test)}:\n    {source.of(guarded.body[0])}"
            if guarded is not statement and text.count("\n") == 1:
                for place, after in _around(statement, text, source):
                    yield "insert", place, after


def _done_elsewhere(scope: Scope, function: Function) -> list[ast.stmt]:
    """Return the steps that other methods of the class do on self, of names that are known in this one.

    Those that would call the function again are left out, and those of the constructor.
    """
    calling = {function.name, *(one.name for one in scope.siblings if function.name in _attributes_of(one))}
    found: list[ast.stmt] = []
    for method in (one for one in scope.siblings if one is not function and one.name != "__init__"):
        stored = {
            node.id for node in ast.walk(method) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        own = stored | {node.arg for node in ast.walk(method.args) if isinstance(node, ast.arg)}
        for step in ast.walk(method):
            if isinstance(step, ast.Expr | ast.Assign | ast.AugAssign) and _is_step(step) and _is_of_self(step):
                foreign = {node.id for node in ast.walk(step) if isinstance(node, ast.Name)} & own - {"self"}
                if (
                    foreign <= scope.names
                    and step.lineno == step.end_lineno
                    and calling.isdisjoint(_attributes_of(step))
                ):
                    found.append(step)
    return found[:_MOST_COPIES]


def _attributes_of(node: ast.AST) -> set[str]:
    return {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}


def _is_of_self(step: ast.stmt) -> bool:
    """Tell whether a step calls a method of self or of its attributes, or assigns one of them."""
    whole = step.value if isinstance(step, ast.Expr) else step.targets[0] if isinstance(step, ast.Assign) else step
    return any(isinstance(node, ast.Name) and node.id == "self" for node in ast.walk(whole))


def _missing(statement: ast.stmt, scope: Scope, function: Function, source: Code) -> _Found:
    for name, text in missing_steps.steps_of(statement, scope, function, source):
        for place, after in _around(statement, text, source):
            yield name, place, after


def _returned_early(statement: ast.stmt, scope: Scope, function: Function, source: Code) -> _Found:
    place, indent = Place.of(statement), source.before(statement)
    begin = Place(place.row, place.byte, place.row, place.byte)
    names = names_before(statement, scope, function)[:_MOST_NAMES]
    nodes = list(ast.walk(function))
    given = [source.of(node.value) for node in nodes if isinstance(node, ast.Return) and node.value is not None]
    constants = [one for one in given if one in ("True", "False", "None", "0", "1", "[]", "{}", '""')]
    answers = list(dict.fromkeys([*constants, *(("False",) if constants == ["True"] else ())]))
    conditions = [f"{one} == {other}" for one, other in combinations(names, 2)]
    conditions += [condition for name in names for condition in (f"not {name}", f"{name} is None")]
    kinds = kinds_of(function)
    several = [one for one in names if one in kinds.collections][:2]
    single = [one for one in names if one not in kinds.collections][:2]
    conditions += [f"{one} {word} {all_}" for all_ in several for one in single for word in ("in", "not in")]
    ends = [f"return {answer}" for answer in answers]
    if statement is function.body[0] or statement is function.body[-1]:
        ends += [f"return {one}" for one in ("0", "1", "[]", "None", *names[:2]) if one not in answers]
        ends += [f"return self.{one}" for one in unread_members(scope, source.text)]
        is_of_text = any(isinstance(node, ast.Call) and source.of(node.func).endswith("join") for node in nodes)
        ends += ['return "0"'] if is_of_text else []
    ends += [] if given or any(isinstance(node, ast.Yield) for node in nodes) else ["return"]
    ends += ["continue"] if is_in_loop(statement, function) else []
    for end in ends:
        for condition in conditions:
            yield "early-return", begin, f"if {condition}:\n{indent}    {end}\n{indent}"
    for end in _raised(scope, source):
        for name in names[:_MOST_GUARDED]:
            for condition in (f"{name} < 0", f"not {name}", f"{name} is None"):
                yield "early-return", begin, f"if {condition}:\n{indent}    {end}\n{indent}"


def _incomplete(statement: ast.stmt, scope: Scope, function: Function, source: Code) -> _Found:
    if not isinstance(statement, ast.Return) or statement is not function.body[-1] or len(function.body) < 2:
        return
    place, indent = Place.of(statement), source.before(statement)
    begin = Place(place.row, place.byte, place.row, place.byte)
    kinds = kinds_of(function)
    names = names_before(statement, scope, function)
    own = source.of(statement.value) if isinstance(statement.value, ast.Name) else ""
    several = [one for one in names if one in kinds.collections and one != own][:_MOST_GUARDED]
    counted = [one for one in names if one not in kinds.collections and one != own][:_MOST_GUARDED]
    conditions = [f"len({own}) {sign} len({other})" for other in several for sign in ("<", "!=") if own]
    conditions += [f"{one} {sign} len({other})" for other in several for one in counted for sign in ("!=", "<")]
    for end in _raised(scope, source) or ('raise ValueError("incomplete")',):
        for condition in conditions:
            yield "incomplete", begin, f"if {condition}:\n{indent}    {end}\n{indent}"


def _raised(scope: Scope, source: Code) -> list[str]:
    """Return the exceptions that functions of the file raise with names that are known here."""
    raised = [node for one in scope.functions.values() for node in ast.walk(one) if isinstance(node, ast.Raise)]
    known = {*scope.names, *dir(builtins), "self"}
    fitting = [
        source.of(node)
        for node in raised
        if node.exc is not None and {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} <= known
    ]
    return [text for text in dict.fromkeys(fitting) if "\n" not in text][:_MOST_RAISED]


def _removed(statement: ast.stmt, scope: Scope, _function: Function, source: Code) -> _Found:
    if _is_step(statement) and len(scope.block) > 1:
        at = scope.block.index(statement)
        if at + 1 < len(scope.block):
            follower = Place.of(scope.block[at + 1])
            whole = Place.of(statement)
            yield "remove", Place(whole.row, whole.byte, follower.row, follower.byte), ""
        else:
            before = Place.of(scope.block[at - 1])
            whole = Place.of(statement)
            yield "remove", Place(before.end_row, before.end_byte, whole.end_row, whole.end_byte), ""
    elif isinstance(statement, ast.If) and not statement.orelse and len(statement.body) == 1:
        yield "remove", Place.of(statement), source.of(statement.body[0])


def _levelled(statement: ast.stmt, scope: Scope, _function: Function, source: Code) -> _Found:
    """Move the last statement of a block out of it, or the first one after a block into it."""
    at = scope.block.index(statement)
    code, indent = source.of(statement), source.before(statement)
    if isinstance(statement, ast.For | ast.While | ast.If | ast.With) and not bool(getattr(statement, "orelse", None)):
        last = statement.body[-1]
        if isinstance(last, _SIMPLE) and len(statement.body) > 1 and "\n" not in source.of(last):
            gap = Place.of(statement.body[-2]).to(Place.of(last))
            yield "level", gap, f"\n{indent}"
        follower = scope.block[at + 1] if at + 1 < len(scope.block) else None
        if isinstance(follower, _SIMPLE) and "\n" not in source.of(follower):
            gap = Place.of(statement).to(Place.of(follower))
            yield "level", gap, f"\n{source.before(last)}"
    elif isinstance(statement, _SIMPLE) and "\n" not in code and at == len(scope.block) - 1 and at > 0:
        gap = Place.of(scope.block[at - 1]).to(Place.of(statement))
        if len(indent) >= 8:
            yield "level", gap, f"\n{indent[:-4]}"


def _ordered(statement: ast.stmt, scope: Scope, _function: Function, source: Code) -> _Found:
    at = scope.block.index(statement)
    if at + 1 < len(scope.block):
        follower = scope.block[at + 1]
        is_short = isinstance(follower, ast.If) and not follower.orelse and len(follower.body) < _MOST_GUARDED
        if isinstance(statement, _SIMPLE) and (isinstance(follower, _SIMPLE) or is_short):
            one, other = Place.of(statement), Place.of(follower)
            gap = source.at(one.to(other))
            yield "order", one.around(other), source.of(follower) + gap + source.of(statement)


def _other_branch(statement: ast.stmt, _scope: Scope, function: Function, source: Code) -> _Found:
    if not isinstance(statement, ast.If) or statement.orelse:
        return
    indent, below = source.before(statement), source.before(statement.body[0])
    if indent.strip() or below.strip():
        return
    place = Place.of(statement)
    end = Place(place.end_row, place.end_byte, place.end_row, place.end_byte)
    done = [source.of(one) for one in statement.body]
    made = [one for one in function.body if isinstance(one, ast.Assign) and isinstance(one.value, ast.BinOp | ast.Call)]
    several = [one for one in ast.walk(function) if isinstance(one, ast.stmt) and _is_step(one) and one not in made]
    steps = [source.of(one) for one in several]  # a table that is made at the beginning is not made again
    for text in [one for one in dict.fromkeys(steps) if one not in done and "\n" not in one][:_MOST_COPIES]:
        yield "else", end, f"\n{indent}else:\n{below}{text}"


def _left(statement: ast.stmt, scope: Scope, function: Function, source: Code) -> _Found:
    if isinstance(statement, ast.Break | ast.Continue):
        names = names_before(statement, scope, function)[:_MOST_NAMES]
        for value in ("True", "False", "None", *names):
            yield "leave", Place.of(statement), f"return {value}"
    elif isinstance(statement, ast.Return) and is_in_loop(statement, function):
        for word in ("continue", "break"):
            yield "leave", Place.of(statement), word
        yield from _left_if_found(statement, source)


def _left_if_found(statement: ast.Return, source: Code) -> _Found:
    """Return from a loop only if there is something to return; otherwise the loop goes on."""
    indent, value, place = source.before(statement), statement.value, Place.of(statement)
    if isinstance(value, ast.IfExp):
        yield "leave", place, f"if {source.of(value.test)}:\n{indent}    return {source.of(value.body)}"
    elif isinstance(value, ast.Call):
        for test in ("found", "found is not None"):
            kept = f"found = {source.of(value)}\n{indent}if {test}:\n{indent}    return found"
            yield "leave", place, kept
    elif isinstance(value, ast.Name | ast.Compare | ast.BoolOp | ast.UnaryOp):
        yield "leave", place, f"if {source.of(value)}:\n{indent}    return {source.of(value)}"
        if isinstance(value, ast.Name):
            yield "leave", place, f"if {value.id} is not None:\n{indent}    return {value.id}"


def _overridden(statement: ast.stmt, scope: Scope, function: Function, source: Code) -> _Found:
    if not scope.siblings or "super()." in source.of(function):
        return
    given = ", ".join(one.arg for one in function.args.args[1:])
    place, indent = Place.of(statement), source.before(statement)
    step = f"super().{function.name}({given})"
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    first = function.body[1] if is_text and len(function.body) > 1 else function.body[0]
    if statement is first:
        yield "super", Place(place.row, place.byte, place.row, place.byte), f"{step}\n{indent}"
    if statement is function.body[-1] and not isinstance(statement, ast.Return | ast.Raise):
        yield "super", Place(place.end_row, place.end_byte, place.end_row, place.end_byte), f"\n{indent}{step}"
    elif isinstance(statement, ast.Return) and statement is function.body[-1] and statement.value is None:
        yield "super", place, f"return {step}"


_PATTERNS: Final[tuple[Callable[[ast.stmt, Scope, Function, Code], _Found], ...]] = (
    _inserted, _missing, _incomplete, _returned_early, _removed, _levelled, _ordered, _other_branch, _left,
    _overridden, flow_fixes.flows_of, twin_steps.twins_of,
)  # fmt: skip
