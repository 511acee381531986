"""Idiom patterns: what Python and its library offer, and people mean, in place of what a line says. Pure.

Each function proposes replacements like those of `revisers.fix_patterns`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, pairwise
from typing import Final

from jido_ai.repair.program_code import Code, Function, Place, Scope, names_before, own_nodes

__all__ = ["COSTS", "PATTERNS", "idioms_of"]

PATTERNS: Final = {
    "exception": "another exception, or two, in `except`; another one in `raise`",
    "ordering": "another order: part of a key descending instead of reverse=True, a second key, no reverse=True",
    "each": "a function applied to each element: map(int, x), map(str, x)",
    "convert": "a value converted by int, float, str, tuple or round",
    "member": "`x in (a, b)` becomes `x == a`; a collection of constants with one element less or more",
    "argument": "an argument becomes the variable that has the name of the parameter",
    "capture": "the value of a call is returned or assigned instead of forgotten",
    "library": "what is confused in the library: total_seconds() and seconds, keywords of timedelta, a rounding mode",
    "separate": "a mutable default, or one value for all keys, becomes one for each call or key",
    "conditional": "one more where a variable is true",
    "callee": "another function of the file, or method of its classes, with as many arguments; a missing ()",
    "filter": "a comprehension only of what is true, is not None or meets a condition of the file",
    "stride": "range() with a step",
    "exchange": "two variables of a statement, or two attributes of self, in each other's places",
    "self": "a variable becomes the attribute of self of the same name, or the other way round",
}
"""The patterns and their replacements."""

COSTS: Final = {
    "exception": 5, "ordering": 6, "each": 8, "convert": 7, "member": 5, "argument": 5, "capture": 6, "library": 5,
    "separate": 5, "conditional": 9, "exchange": 6, "self": 5,
    "callee": 6, "filter": 7, "stride": 5,
}  # fmt: skip
"""Each stands in place of the number of characters that a change removes and adds."""

_EXCEPTIONS: Final = (
    "ValueError", "KeyError", "TypeError", "IndexError", "AttributeError", "ZeroDivisionError", "LookupError",
    "OSError", "StopIteration",
)  # fmt: skip
_KNOWN: Final = re.compile(r"[A-Z]\w*(Error|Exception|Iteration)")
_TYPES: Final = ("int", "float", "str", "bool", "list", "dict", "tuple", "set")
_SPANS: Final = ("weeks", "days", "hours", "minutes", "seconds")
_MOST: Final = 6
_MOST_EXCHANGED: Final = 5
_MOST_OF_FILE: Final = 24  # functions, methods, exceptions and elements that are proposed instead of one
_PLAIN: Final = ast.Name | ast.Attribute | ast.Subscript
_Found = Iterator[tuple[str, Place, str]]


def idioms_of(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Yield the name, the place and the code of the proposals for a statement without its block.

    Args:
        values: the values that it uses as a whole.
    """
    for pattern in _PATTERNS:
        yield from pattern(statement, values, scope, source)


def _exceptions(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    known = list(dict.fromkeys(one[0] for one in _KNOWN.finditer(source.text)))[:_MOST_OF_FILE]
    others = tuple(dict.fromkeys((*known, *_EXCEPTIONS)))
    if isinstance(statement, ast.Try):
        for caught in (one.type for one in statement.handlers if isinstance(one.type, ast.Name | ast.Tuple)):
            code = source.of(caught)
            for other in (one for one in others if one not in code):
                if isinstance(caught, ast.Name):
                    yield "exception", Place.of(caught), other
                    yield "exception", Place.of(caught), f"({code}, {other})"
                else:
                    yield "exception", Place.of(caught), f"{code[:-1].rstrip(', ')}, {other})"
    elif isinstance(statement, ast.Raise) and isinstance(statement.exc, ast.Call | ast.Name):
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        for other in others:
            if other != source.of(raised):
                yield "exception", Place.of(raised), other


# -- orders ----------------------------------------------------------------------------------------


def _orders(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        name = _called(node)
        if not isinstance(node, ast.Call) or name not in ("sort", "sorted", "min", "max"):
            continue
        words = {one.arg: one for one in node.keywords}
        key, reverse = words.get("key"), words.get("reverse")
        if key is not None and isinstance(key.value, ast.Lambda):
            yield from _of_lambda(node, key.value, reverse, source)
        elif key is not None:
            code = source.of(key.value)
            for sign in ("", "-") if code == "len" or code.endswith(".get") else ("",):
                yield "ordering", Place.of(key.value), f"lambda one: ({sign}{code}(one), one)"
        elif reverse is None and source.of(node).endswith(")"):
            begin = source.of(node)[:-1] + (", " if node.args else "")
            known = re.findall(r"\bkey=([\w.]+)[,)]", source.text)
            known += ["key"] if "key" in scope.names else []
            for other in (
                *dict.fromkeys(known),
                *scope.helpers[:_MOST],
                "len",
                "lambda one: one[0]",
                "lambda one: one[1]",
                "lambda one: one[2]",
                "str.lower",
            ):
                yield "ordering", Place.of(node), f"{begin}key={other})"
        if reverse is not None and reverse is node.keywords[-1]:
            yield "ordering", _without_last(node), ""


def _of_lambda(node: ast.Call, key: ast.Lambda, reverse: ast.keyword | None, source: Code) -> _Found:
    given = key.args.args[0].arg if key.args.args else ""
    place, body = Place.of(key.body), key.body
    parts = list(body.elts) if isinstance(body, ast.Tuple) else [body]
    codes = [source.of(one) for one in parts]
    if reverse is not None and reverse is node.keywords[-1] and key is node.keywords[0].value:
        gone = _without_last(node)
        kept = source.at(place.to(gone))
        chosen = [some for size in range(1, len(parts) + 1) for some in combinations(range(len(parts)), size)]
        for some in chosen[:_MOST]:
            signed = [
                _negated(code, part) if at in some else code
                for at, (code, part) in enumerate(zip(codes, parts, strict=True))
            ]
            text = f"({', '.join(signed)})" if len(signed) > 1 else signed[0]
            yield "ordering", Place(place.row, place.byte, gone.end_row, gone.end_byte), f"{text}{kept}"
    seconds = [given, *_siblings(parts[0], given, source)]
    if len(parts) == 1:
        for second in dict.fromkeys(one for one in seconds if one and one != codes[0]):
            yield "ordering", place, f"({codes[0]}, {second})"
            if not isinstance(parts[0], ast.UnaryOp):
                yield "ordering", place, f"({_negated(codes[0], parts[0])}, {second})"
            else:
                yield "ordering", place, f"({codes[0]}, -{second})"
    else:
        for at in range(len(codes)):
            rest = codes[:at] + codes[at + 1 :]
            yield "ordering", place, f"({', '.join(rest)})" if len(rest) > 1 else rest[0]


def _siblings(part: ast.expr, given: str, source: Code) -> list[str]:
    """Return other elements or attributes of what is sorted."""
    if isinstance(part, ast.UnaryOp):
        part = part.operand
    if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Constant) and source.of(part.value) == given:
        if part.slice.value in (0, 1):
            return [f"{given}[{1 - part.slice.value}]"]
        if isinstance(part.slice.value, str):
            keys = dict.fromkeys(re.findall(r"""\[("\w+"|'\w+')\]""", source.text))
            return [f"{given}[{one}]" for one in keys if one != source.of(part.slice)][:_MOST]
    if isinstance(part, ast.Attribute):
        names = dict.fromkeys(re.findall(r"self\.([a-z]\w*)\b(?!\()|^    ([a-z]\w*): ", source.text, re.MULTILINE))
        return [f"{given}.{one or other}" for one, other in names if (one or other) != part.attr][:_MOST]
    return []


def _negated(code: str, part: ast.expr) -> str:
    return f"-{code}" if isinstance(part, _PLAIN | ast.Call) else f"-({code})"


def _without_last(node: ast.Call) -> Place:
    """Return the place of the last keyword with the comma before it."""
    last = Place.of(node.keywords[-1])
    others = [*node.args, *(one.value for one in node.keywords[:-1])]
    if not others:
        return last
    before = Place.of(others[-1])
    return Place(before.end_row, before.end_byte, last.end_row, last.end_byte)


def _called(node: ast.expr) -> str:
    """Return the name of the function or method that a call calls; empty if the node is no such call."""
    func = node.func if isinstance(node, ast.Call) else None
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


# -- values ----------------------------------------------------------------------------------------


def _converted(statement: ast.stmt, values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in values:
        code = source.of(node)
        if isinstance(node, _PLAIN | ast.Call | ast.BinOp | ast.BoolOp):
            for function in ("int", "float", "str", "tuple"):
                is_number = isinstance(node, ast.BinOp | ast.BoolOp)
                if _called(node) != function and not (is_number and function == "tuple"):
                    yield "convert", Place.of(node), f"{function}({code})"
            if isinstance(node, ast.BinOp) or _called(node) == "sum":
                yield "convert", Place.of(node), f"round({code})"
                yield "convert", Place.of(node), f"round({code}, 2)"
    for node in own_nodes(statement):
        taken = _called(node) in ("tuple", "list", "set", "sum", "max", "min", "sorted", "join", "frozenset")
        if isinstance(node, ast.Call) and taken and len(node.args) == 1 and isinstance(node.args[0], _PLAIN | ast.Call):
            for function in ("int", "str", "float", "len"):
                yield "each", Place.of(node.args[0]), f"map({function}, {source.of(node.args[0])})"


def _members(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    repeated = {
        side
        for node in own_nodes(statement)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)
        for side in (node.left, node.right)
    }
    for node in own_nodes(statement):
        if node in repeated:  # [None] * size
            continue
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
            several, code = node.comparators[0], source.operand(node.left)
            is_in = isinstance(node.ops[0], ast.In)
            if is_in and isinstance(several, ast.Name | ast.Attribute) and scope.function is not None:
                for name in [one for one in names_before(statement, scope, scope.function) if one != code][
                    :_MOST_EXCHANGED
                ]:
                    yield "member", Place.of(node), f"{source.of(several)}.get({code}) == {name}"
                    yield "member", Place.of(node), f"{code} == {name}"
            if isinstance(several, ast.Tuple | ast.List | ast.Set):
                equal, same = ("==", "is") if isinstance(node.ops[0], ast.In) else ("!=", "is not")
                for one in several.elts:
                    is_type = isinstance(one, ast.Name) and one.id in _TYPES
                    yield "member", Place.of(node), f"{code} {same if is_type else equal} {source.of(one)}"
        if isinstance(node, ast.Call) and _called(node) == "isinstance" and len(node.args) == 2:
            kind = node.args[1]
            if isinstance(kind, ast.Name):
                for other in (one for one in _TYPES if one != kind.id):
                    yield "member", Place.of(kind), f"({kind.id}, {other})"
                    yield "member", Place.of(kind), other
            elif isinstance(kind, ast.Tuple):
                for one in kind.elts:
                    yield "member", Place.of(kind), source.of(one)
        if isinstance(node, ast.Tuple | ast.List | ast.Set) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            constants = [one for one in node.elts if isinstance(one, ast.Constant)]
            is_written = source.of(node)[0] in "([{"
            if len(constants) == len(node.elts) > 1 and is_written:
                yield from _one_more_or_less(node, scope, source)
            elif constants and is_written:
                code, known = source.of(node), [source.of(one) for one in node.elts]
                for name in [one for one in scope.constants if one not in known][:_MOST]:
                    yield "member", Place.of(node), f"{code[:-1]}, {name}{code[-1]}"


def _one_more_or_less(node: ast.Tuple | ast.List | ast.Set, scope: Scope, source: Code) -> _Found:
    codes = [source.of(one) for one in node.elts]
    begin, end = source.of(node)[0], source.of(node)[-1]
    if len(codes) > 2:
        for at in range(len(codes))[:_MOST_OF_FILE]:
            yield "member", Place.of(node), f"{begin}{', '.join(codes[:at] + codes[at + 1 :])}{end}"
    is_text = isinstance(node.elts[0], ast.Constant) and isinstance(node.elts[0].value, str)
    known = [
        one
        for one in (scope.texts if is_text else scope.numbers)
        if one not in codes and one[1:-1] not in source.of(node)
    ]
    for other in known[:_MOST]:
        yield "member", Place.of(node), f"{begin}{', '.join(codes)}, {other}{end}"


def _directions(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    """Add, to a collection of pairs of numbers, one of them with another sign."""
    for node in own_nodes(statement):
        pairs = (
            [one for one in node.elts if isinstance(one, ast.Tuple)] if isinstance(node, ast.Tuple | ast.List) else []
        )
        if not isinstance(node, ast.Tuple | ast.List) or len(pairs) < 2 or len(pairs) < len(node.elts):
            continue
        codes = [source.of(one) for one in pairs]
        new: list[str] = []
        for one in pairs:
            for at, part in enumerate(one.elts):
                if isinstance(part, ast.Constant) and isinstance(part.value, int) and part.value > 0:
                    signed = [
                        f"-{part.value}" if at == place else source.of(other) for place, other in enumerate(one.elts)
                    ]
                    new.append(f"({', '.join(signed)})")
        last = Place.of(pairs[-1])
        missing = list(dict.fromkeys(one for one in new if one not in codes))[:_MOST]
        twice = [one for one in pairs if codes.count(source.of(one)) > 1]
        for one in twice:
            yield from (("member", Place.of(one), text) for text in missing)
        for text in missing if not twice else ():
            yield "member", Place(last.end_row, last.end_byte, last.end_row, last.end_byte), f", {text}"


def _arguments(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if not isinstance(node, ast.Call) or (called := scope.functions.get(source.of(node.func))) is None:
            continue
        named = [one.arg for one in (*called.args.posonlyargs, *called.args.args) if one.arg not in ("self", "cls")]
        for name, given in zip(named, node.args, strict=False):
            if name in scope.names and not isinstance(given, ast.Starred) and source.of(given) != name:
                yield "argument", Place.of(given), name
        for word in node.keywords:
            if word.arg in scope.names and source.of(word.value) != word.arg:
                yield "argument", Place.of(word.value), str(word.arg)


def _captured(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    value = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(value, ast.Call) or scope.function is None:
        return
    begin = Place.of(statement)
    start = Place(begin.row, begin.byte, begin.row, begin.byte)
    name = source.of(value.func)
    given = {one.arg for around in scope.around[1:] for one in around.args.args}
    if (
        name in scope.functions
        or name in given
        or name.rpartition(".")[2] in ("strip", "lower", "upper", "replace", "get", "pop")
    ):
        yield "capture", start, "return "
    made = ("strip", "lower", "upper", "replace", "rstrip", "lstrip", "union", "copy")
    match value.func:
        case ast.Attribute(value=ast.Name(id=receiver), attr=method) if method in made:
            yield "capture", start, f"{receiver} = "
        case _:
            pass
    targets = dict.fromkeys(source.of(one) for one in value.args if isinstance(one, ast.Name | ast.Attribute))
    if name in scope.functions:
        for target in [*targets][:_MOST]:
            yield "capture", start, f"{target} = "
            yield "capture", start, f"{target} += "


def _library(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    unused = [name for name in sorted(scope.imported) if len(re.findall(rf"\b{re.escape(name)}\b", source.text)) == 1]
    for node in own_nodes(statement):
        place = Place.of(node)
        if isinstance(node, ast.Attribute) and node.attr == "seconds":
            yield "library", place, f"{source.operand(node.value)}.total_seconds()"
            yield "library", place, f"int({source.operand(node.value)}.total_seconds())"
        elif isinstance(node, ast.Attribute) and node.attr == "days":
            yield "library", place, f"{source.operand(node.value)}.total_seconds() / 86400"
        if not isinstance(node, ast.Call) or not source.of(node).endswith(")"):
            continue
        code, name = source.of(node), _called(node)
        if name == "timedelta":
            for word in node.keywords:
                for other in _SPANS:
                    if word.arg in _SPANS and other != word.arg:
                        yield "library", Place.of(word), f"{other}={source.of(word.value)}"
        match node:
            case ast.Call(
                func=ast.Attribute(value=moved, attr="replace"),
                keywords=[
                    ast.keyword(arg="day" | "hour" | "minute" as unit, value=ast.BinOp(op=ast.Add(), right=added))
                ],
            ) if "timedelta" in source.text:
                span = "timedelta" if "timedelta" in scope.imported else "datetime.timedelta"
                yield "library", place, f"{source.of(moved)} + {span}({unit}s={source.of(added)})"
            case _:
                pass
        if name == "zip" and {"itertools", "zip_longest"} & scope.imported and not node.keywords:
            longest = "zip_longest" if "zip_longest" in scope.imported else "itertools.zip_longest"
            for filling in ("", ', fillvalue=""', ", fillvalue=0"):
                yield "library", place, f"{longest}{code[len(source.of(node.func)) : -1]}{filling})"
        if name in ("zip", "chain", "union") and node.args:
            first = Place.of(node.args[0])
            known = [source.of(one) for one in node.args]
            for one in [one for one in sorted(scope.names) if one not in known][: 2 * _MOST]:
                yield "library", Place(first.row, first.byte, first.row, first.byte), f"{one}, "
        if name == "quantize" and len(node.args) == 1 and not node.keywords:
            for mode in [one for one in sorted(scope.imported) if one.startswith("ROUND_")][:_MOST]:
                yield "library", place, f"{code[:-1]}, rounding={mode})"
        comma = ", " if node.args or node.keywords else ""
        for one in unused[:2]:
            if not one.startswith("ROUND_") and one[:1].islower() and len(node.args) == 1:
                yield "library", place, f"{one}({code})"
            yield "library", place, f"{code[:-1]}{comma}{one})"


def _separated(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, ast.Call) and source.of(node.func) == "dict.fromkeys" and len(node.args) == 2:
            keys, value = (source.of(one) for one in node.args)
            yield "separate", Place.of(node), f"{{one: {value} for one in {keys}}}"
    if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    first = statement.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(statement.body) > 1:
        first = statement.body[1]
    begin, indent = Place.of(first), source.before(first)
    named = [*statement.args.posonlyargs, *statement.args.args]
    pairs = zip(named[len(named) - len(statement.args.defaults) :], statement.args.defaults, strict=True)
    for name, default in pairs:
        is_shared = isinstance(default, ast.List | ast.Dict | ast.Set) or _called(default) in ("list", "dict", "set")
        if is_shared and not indent.strip() and begin.row > statement.lineno:
            place = Place.of(default)
            between = source.at(place.to(begin))
            text = f"None{between}if {name.arg} is None:\n{indent}    {name.arg} = {source.of(default)}\n{indent}"
            yield "separate", Place(place.row, place.byte, begin.row, begin.byte), text


def _conditionals(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if not isinstance(statement, ast.AugAssign | ast.Assign) or scope.function is None:
        return
    counted = statement.value
    if not any(_called(node) == "len" for node in ast.walk(counted) if isinstance(node, ast.expr)):
        return
    target = source.of(statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0])
    names = names_before(statement, scope, scope.function)
    for name in [one for one in names if one != target][: 2 * _MOST]:
        yield "conditional", Place.of(counted), f"{source.operand(counted)} + (1 if {name} else 0)"


def _of_self(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if not scope.siblings or scope.function is None:
        return
    for node in own_nodes(statement):
        match node:
            case ast.Name(id=name) if name in scope.members:
                yield "self", Place.of(node), f"self.{name}"
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if name in scope.names:
                yield "self", Place.of(node), name
            case _:
                pass


def _exchanged(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    read = [node for node in own_nodes(statement) if isinstance(node, ast.Name | ast.Attribute)]
    of_self = [node for node in read if isinstance(node, ast.Attribute) and source.of(node.value) == "self"]
    for some in ([node for node in read if isinstance(node, ast.Name) and node.id in scope.names], of_self):
        names = list(dict.fromkeys(source.of(node) for node in some))[:_MOST_EXCHANGED]
        for one, other in combinations(names, 2):
            found = [node for node in some if source.of(node) in (one, other)]
            nodes = sorted(found, key=lambda node: (node.lineno, node.col_offset))
            gaps = [source.at(Place.of(left).to(Place.of(right))) for left, right in pairwise(nodes)]
            new = [other if source.of(node) == one else one for node in nodes]
            text = "".join(name + gap for name, gap in zip(new, [*gaps, ""], strict=True))
            yield "exchange", Place.of(nodes[0]).around(Place.of(nodes[-1])), text


def _callees(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    of_class = {name.removeprefix("self."): one for name, one in scope.functions.items() if name.startswith("self.")}
    methods = {name: one for name, one in of_class.items() if not name.startswith("__")}
    functions = {name: one for name, one in scope.functions.items() if "." not in name}
    called = {node.func for node in own_nodes(statement) if isinstance(node, ast.Call)}
    for node in own_nodes(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in scope.functions:
            for name in _like(functions, node.func.id, len(node.args)):
                yield "callee", Place.of(node.func), name
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in methods:
            for name in _like(methods, node.func.attr, len(node.args) + 1):
                yield "callee", Place.of(node.func).last(node.func.attr), name
        elif isinstance(node, ast.Attribute) and node not in called and node.attr in methods:
            for name in _like(methods, node.attr, len(methods[node.attr].args.args)):
                yield "callee", Place.of(node).last(node.attr), name
            is_property = bool(methods[node.attr].decorator_list)
            if not is_property and isinstance(node.ctx, ast.Load):
                yield "callee", Place.of(node), f"{source.of(node)}()"


def _like(functions: Mapping[str, Function], name: str, arguments: int) -> list[str]:
    """Return the other functions that take so many arguments."""
    fitting = [other for other, one in functions.items() if other != name and _takes(one, arguments)]
    return fitting[:_MOST_OF_FILE]


def _takes(function: Function, arguments: int) -> bool:
    most = len(function.args.args)
    return most - len(function.args.defaults) <= arguments <= most and not function.decorator_list


def _filtered(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if not isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            continue
        last = node.generators[-1]
        if last.ifs:
            continue
        end = Place.of(last.iter)
        place = Place(end.end_row, end.end_byte, end.end_row, end.end_byte)
        names = [one.id for one in ast.walk(last.target) if isinstance(one, ast.Name)]
        for name in names:
            yield "filter", place, f" if {name}"
            yield "filter", place, f" if {name} is not None"
            for other in scope.attributes:
                if f"{name}.{other}" in source.text:
                    yield "filter", place, f" if {name}.{other}"
                    yield "filter", place, f" if not {name}.{other}"
        for condition in scope.conditions[:_MOST]:
            if any(re.search(rf"\b{re.escape(name)}\b", condition) for name in names):
                yield "filter", place, f" if {condition}"


def _stepped(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, ast.Call) and _called(node) == "range" and len(node.args) < 3:
            codes = [source.of(one) for one in node.args]
            begin, end = (codes[0], codes[1]) if len(codes) == 2 else ("0", codes[0]) if codes else ("", "")
            names = names_before(statement, scope, scope.function) if scope.function is not None else []
            steps = [one for one in names if one not in codes][:_MOST]
            for step in ("2", *steps) if end else ():
                yield "stride", Place.of(node), f"range({begin}, {end}, {step})"
            if end:
                yield "stride", Place.of(node), f"range({end}, {begin}, -1)"
                first = source.plus(node.args[-1], -1)
                last = source.plus(node.args[0], -1) if len(codes) == 2 else "-1"
                yield "stride", Place.of(node), f"range({first}, {last}, -1)"


_PATTERNS: Final[tuple[Callable[[ast.stmt, list[ast.expr], Scope, Code], _Found], ...]] = (
    _exceptions, _orders, _converted, _members, _directions, _arguments, _captured, _library, _separated, _conditionals,
    _of_self, _exchanged, _callees, _filtered, _stepped,
)  # fmt: skip
