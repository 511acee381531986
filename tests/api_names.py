"""One public name on a reference page: its signature as in a stub file, and its docstring as Markdown."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

__all__ = ["described"]

_WIDTH: Final = 100
_LINE: Final = 120
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def described(name: str, module: str, public: set[str]) -> str:
    """Return the section about a name.

    Args:
        module: where it is defined, or imported from.
        public: names with a section of their own; methods inherited from other classes are shown.
    """
    home = str(getattr(getattr(import_module(module), name), "__module__", ""))
    module = home if home.startswith("jido_ai.") else module
    node, text = _definition(name, module)
    heading = f"## {name}\n\n"
    if isinstance(node, ast.ClassDef):
        return heading + _class(node, module, public)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return heading + _code(_signature(node)) + _markdown(ast.get_docstring(node))
    return heading + _code(_assigned(name, node)) + _markdown(text)


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(Path(import_module(module).__file__ or "").read_text("utf-8"))


def _definition(name: str, module: str) -> tuple[ast.stmt, str | None]:
    """Return the last definition of a name, which of overloads is the function itself, and a text behind it."""
    body = list(_statements(_tree(module).body))
    for node, after in reversed(list(zip(body, [*body[1:], None], strict=True))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            is_it = node.name == name
        else:
            targets = [*getattr(node, "targets", ()), getattr(node, "target", None), getattr(node, "name", None)]
            is_it = any(isinstance(one, ast.Name) and one.id == name for one in targets)
        if is_it:
            text = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else None
            return node, text if isinstance(text, str) else None
    raise LookupError(f"{module} does not define {name}")


def _assigned(name: str, node: ast.stmt) -> str:
    """Return an assignment; a long union has a line for each of its types."""
    code = ast.unparse(node)
    if len(code) <= _LINE:
        return code
    types: list[str] = []
    value: ast.AST | None = getattr(node, "value", None)
    while isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr):
        types.insert(0, ast.unparse(value.right))
        value = value.left
    if not types or value is None:
        return f"{name} = ..."
    return "\n    | ".join([f"{name} = (\n    {ast.unparse(value)}", *types]) + "\n)"


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module, those below a condition or a `with` included."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.With | ast.Try):
            yield from _statements([*node.body, *getattr(node, "orelse", ())])


# -- classes ---------------------------------------------------------------------------------------


def _class(node: ast.ClassDef, module: str, public: set[str]) -> str:
    bases = [ast.unparse(base) for base in node.bases if not ast.unparse(base).startswith(("Generic", "Protocol["))]
    lines = [f"class {node.name}({', '.join(bases)}):" if bases else f"class {node.name}:"]
    if len(lines[0]) > _LINE:
        lines = [f"class {node.name}(", f"    {', '.join(bases)}", "):"]
    methods = dict(_methods(node, module, public))
    start = methods.pop("__init__", None)  # of a value: what type checkers see instead of its fields
    lines += [f"    {line}" for line in (_fields(node) if start is None else _signature(start).splitlines())]
    for method in methods.values():
        if ast.get_docstring(method) is None:
            lines += [f"    {line}" for line in _signature(method).splitlines()]
    if len(lines) == 1:
        lines[-1] += " ..."
    parts = [_code("\n".join(lines)), _markdown(ast.get_docstring(node))]
    for name, method in methods.items():
        if (text := ast.get_docstring(method)) is not None:
            parts.append(f"### {node.name}.{name}\n\n" + _code(_signature(method)) + _markdown(text))
    return "".join(parts)


def _fields(node: ast.ClassDef) -> Iterator[str]:
    """Yield the fields of a value, as they are given to it, and the members of an enumeration."""
    is_enum = any("Enum" in ast.unparse(base) for base in node.bases)
    for line in node.body:
        if isinstance(line, ast.AnnAssign) and not ast.unparse(line.target).startswith("_"):
            kind = line.annotation
            if isinstance(kind, ast.Subscript) and ast.unparse(kind.value) in ("Annotated", "ClassVar"):
                if ast.unparse(kind.value) == "ClassVar":
                    continue
                kind = kind.slice.elts[0] if isinstance(kind.slice, ast.Tuple) else kind.slice
            default = _default(line.value)
            yield f"{ast.unparse(line.target)}: {ast.unparse(kind)}" + (f" = {default}" if default else "")
        elif is_enum and isinstance(line, ast.Assign):
            yield ast.unparse(line)


def _default(value: ast.expr | None) -> str | None:
    """Return the default of a field; `Field(...)` and `field(...)` may have it inside."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) in ("Field", "field"):
        given = {one.arg: one.value for one in value.keywords}
        if "default" in given:
            return ast.unparse(given["default"])
        return "..." if "default_factory" in given else None
    return None if value is None else ast.unparse(value)


def _methods(node: ast.ClassDef, module: str, public: set[str]) -> Iterator[tuple[str, _Function]]:
    """Yield the public methods of a class, and those of its bases that have no section of their own."""
    found: set[str] = set()
    for kind in getattr(import_module(module), node.name).__mro__:
        is_ours = kind.__module__.startswith("jido_ai") and (kind.__name__ == node.name or kind.__name__ not in public)
        if not is_ours or kind.__module__ == "jido_ai.values.base":
            continue
        defined, _ = _definition(kind.__name__, kind.__module__)
        last = {one.name: one for one in _statements(getattr(defined, "body", [])) if isinstance(one, _Function)}
        for name, method in last.items():
            if name not in found and (name == "__init__" or not name.startswith("_")):
                found.add(name)
                yield name, method


# -- signatures and texts --------------------------------------------------------------------------


def _signature(node: _Function) -> str:
    kinds = [ast.unparse(one) for one in node.decorator_list]
    shown = [f"@{kind}" for kind in kinds if kind in ("property", "classmethod", "staticmethod")]
    args = ast.parse(f"def f({ast.unparse(node.args)}): ...").body[0]
    assert isinstance(args, ast.FunctionDef)
    for several in (args.args.posonlyargs, args.args.args):
        if several and several[0].arg in ("self", "cls"):
            several.pop(0)
            break
    head = f"{'async ' if isinstance(node, ast.AsyncFunctionDef) else ''}def {node.name}("
    tail = ")" + (f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else "") + ": ..."
    arguments = list(_arguments(args.args))
    line = head + ", ".join(arguments) + tail
    if len(line) > _WIDTH:
        line = "\n".join([head, *(f"    {one}," for one in arguments), tail])
    return "\n".join([*shown, line])


def _arguments(args: ast.arguments) -> Iterator[str]:
    """Yield each argument as it is written, with its marks."""
    plain = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [*[None] * (len(plain) - len(args.defaults)), *args.defaults]
    for index, (one, default) in enumerate(zip(plain, defaults, strict=True)):
        yield _argument(one, default)
        if args.posonlyargs and index == len(args.posonlyargs) - 1:
            yield "/"
    if args.vararg:
        yield f"*{_argument(args.vararg, None)}"
    elif args.kwonlyargs:
        yield "*"
    for one, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield _argument(one, default)
    if args.kwarg:
        yield f"**{_argument(args.kwarg, None)}"


def _argument(one: ast.arg, default: ast.expr | None) -> str:
    equals = " = " if one.annotation else "="
    return ast.unparse(one) + (f"{equals}{ast.unparse(default)}" if default is not None else "")


def _code(text: str) -> str:
    text = re.sub(r"'([^'\"\\\n]*)'", r'"\1"', text)  # as ruff writes it
    return f"```python\n{text}\n```\n\n"


_SECTION = re.compile(r"(Args|Attributes|Raises|Returns|Yields)( \([^)]*\))?:$")


def _markdown(docstring: str | None) -> str:
    """Return a docstring as Markdown: the entries of its sections become a list."""
    lines: list[str] = []
    section = False
    text = re.sub(
        r"\s\(SPEC [^)]*\)|,? as in SPEC \w+|^Source: SPEC.*?(?=\n\n|\Z)",
        "",
        inspect.cleandoc(docstring or ""),
        flags=re.M | re.S,
    )
    for line in text.splitlines():
        if _SECTION.match(line):
            section = True
            lines += [f"**{line.rstrip(':').replace('Args', 'Arguments')}**", ""]
        elif section and re.match(r"    \S", line):
            names, colon, meaning = line.strip().partition(": ")
            lines.append(f"- `{names}`: {meaning}" if colon and "`" not in names else f"- {line.strip()}")
        elif section and line.startswith("     "):
            lines.append(f"  {line.strip()}")
        else:
            section = section and not line
            lines.append(line)
    return _escaped("\n".join(lines).strip()) + "\n\n" if lines else ""


def _escaped(text: str) -> str:
    """Return the text with `<` as a character, outside of code."""
    parts = re.split(r"(`[^`]*`|^ {4}.*$)", text, flags=re.MULTILINE)
    parts[::2] = [part.replace("<", "&lt;") for part in parts[::2]]
    return "".join(parts)
