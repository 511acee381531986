"""Imports within one file: their position, comments about them, and hidden uses of their names. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_HEADING: Final = re.compile(
    r"[\W_]*(?:(?:python|std|standard|stdlib|lib|libs|library|libraries|built-?ins?|builtins?|system|core|third|party|3rd|"
    r"external|local|own|project|internal|application|app|other|modules?|packages?|imports?|dependenc\w+|from|general|"
    r"common|utils?|the|and|django|related|specific|typing|types)\b[\W_]*)*",
    re.IGNORECASE,
)
_KEEP: Final = re.compile(
    r"noqa|nopep8|export|compat|\bkeep\b|\bused by|\bused in|public|\bapi\b|backward|isort|pylint|flake8|pyflakes|ruff"
    r"|type:|mypy|pragma|side.?effect|regist|\border\b|\bmust\b|need|requir|remov|delet|deprecat|legacy|alias"
    r"|convenien|shortcut|expos|namespace|plugin|hook|patch|circular|lazy|\bload|trigger|fixture|doctest|availab"
    r"|provid|shim|unused|so that|in case",
    re.IGNORECASE,
)
_STRONG: Final = re.compile(
    r"re-?\s?export|backwards?[- ]compat|compatibility|noqa|unused-import|W0611|F401|isort:"
    r"|implicit-reexport",
    re.IGNORECASE,
)
_WHOLE_FILE: Final = re.compile(
    r"#.*(?:(?:flake8|ruff)\s*[:=]\s*noqa(?!\s*:)|(?:flake8|ruff)\s*[:=]\s*noqa\s*:.*\bF(?:401)?\b|unused-import|W0611"
    r"|pyflakes\s*:\s*ignore|implicit-reexport)",
    re.IGNORECASE,
)
_TYPE_COMMENT: Final = re.compile(r"#\s*type:\s*(?!\s*ignore)([^\r\n]*)")
_DYNAMIC: Final = frozenset({"globals", "locals", "vars", "eval", "exec", "execfile"})
_REFLECTIVE: Final = frozenset({"getattr", "setattr", "hasattr", "delattr", "object", "attrgetter"})
_CONTAINERS: Final = frozenset({"list", "dict", "tuple", "type", "set", "frozenset", "deque", "defaultdict"})
_TYPING_CALLS: Final = frozenset(
    {"cast", "TypeVar", "NewType", "NamedTuple", "TypedDict", "ForwardRef", "ParamSpec", "TypeAliasType", "assert_type"}
)


@dataclass(frozen=True, slots=True)
class FoundImport:
    """One name of an import statement.

    Attributes:
        is_conditional: it is inside a try, if, with, loop or match.
        in_function, in_class: it is inside a function or a class.
    """

    statement: ast.Import | ast.ImportFrom
    alias: ast.alias
    is_conditional: bool
    in_function: bool
    in_class: bool


def bound_name(statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    """Return the name that an import binds: "b" for `import a as b`, "os" for `import os.path`."""
    return alias.asname or (alias.name.partition(".")[0] if isinstance(statement, ast.Import) else alias.name)


def find_import(tree: ast.Module, name: str, row: int) -> FoundImport | None:
    """Return the import of `name` whose statement is at that row (from 1); None if there is none.

    If a statement binds the name twice, the one at exactly that row.
    """
    found: FoundImport | None = None
    stack: list[tuple[ast.AST, bool, bool, bool]] = [(tree, False, False, False)]
    while stack:
        node, conditional, function, klass = stack.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            if node.lineno <= row <= (node.end_lineno or node.lineno):
                for alias in node.names:
                    if bound_name(node, alias) == name and (found is None or alias.lineno == row):
                        found = FoundImport(node, alias, conditional, function, klass)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            stack += [(child, False, True, klass) for child in node.body]
        elif isinstance(node, ast.ClassDef):
            stack += [(child, conditional, function, True) for child in node.body]
        elif not isinstance(node, ast.expr):
            inside = conditional or not isinstance(node, ast.Module)
            stack += [(child, inside, function, klass) for child in ast.iter_child_nodes(node)]
    return found


def all_names(tree: ast.Module) -> tuple[frozenset[str], bool] | None:
    """Return the names in `__all__` and whether they are complete (nothing in it is computed); None without one."""
    names: set[str] = set()
    has_one, is_whole = False, True
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            targets: Sequence[ast.expr] = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = node.value.func
            targets = [called.value] if isinstance(called, ast.Attribute) else []
        elif isinstance(node, ast.ImportFrom) and any(bound_name(node, alias) == "__all__" for alias in node.names):
            has_one, is_whole = True, False
            continue
        else:
            continue
        if not any(isinstance(one, ast.Name) and one.id == "__all__" for target in targets for one in ast.walk(target)):
            continue
        has_one = True
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                names.update(re.split(r"[\s,]+", part.value))
            elif isinstance(part, ast.Name):
                is_whole = is_whole and part.id in ("__all__", "list", "tuple", "sorted", "str")
            elif isinstance(part, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.Starred):
                is_whole = False
    return (frozenset(names), is_whole) if has_one else None


# -- comments --------------------------------------------------------------------------------------


def comment_that_keeps(text: str, statement: ast.stmt) -> str | None:
    """Return a comment that gives a reason to keep an import; None if there is none.

    Any comment beside the statement does, and any directly above it that is not a heading such as "# third party".
    Comments further up in the same paragraph, or alone in the paragraph above, count if they have words such as
    "re-exported". At the top of the file only a few such words count, since a licence has many.
    """
    rows = re.split(r"\r\n|\r|\n", text)
    if whole := next((row for row in rows if "#" in row and _WHOLE_FILE.search(row)), None):
        return whole.strip()
    for row in rows[statement.lineno - 1 : statement.end_lineno]:
        if "#" in row:
            return row[row.index("#") :].strip()
    header = next((number for number, row in enumerate(rows) if not row.startswith("#")), len(rows))
    is_near, gaps = True, 0
    for number in range(statement.lineno - 2, -1, -1):
        row = rows[number].strip()
        if not row:
            gaps += 1
            is_near = False
            continue
        if gaps > 1 or (gaps == 1 and not row.startswith("#")):
            return None
        if not row.startswith("#"):
            is_near = False
        elif number < header:
            if _STRONG.search(row):
                return row
        elif (is_near and not _HEADING.fullmatch(row)) or _KEEP.search(row):
            return row
    return None


# -- uses that linters do not see ------------------------------------------------------------------


def hidden_use(text: str, tree: ast.Module, name: str) -> str | None:
    """Return how this file may use a name that no code mentions; None if it does not."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    if any(word.search(comment) for comment in _TYPE_COMMENT.findall(text)):
        return "a type comment uses it"
    if re.search(r"sys\s*\.\s*modules\s*\[\s*__name__", text):
        return "the file looks up its own names in sys.modules"
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in _DYNAMIC:
            return f"the file uses {node.id}, which may access it"
        if isinstance(node, ast.Global) and name in node.names:
            return "a global statement declares it"
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if ">>>" in node.value and _in_doctest(node.value, word):
                return "a doctest uses it"
        elif isinstance(node, ast.Call):
            called = _last_name(node.func)
            words = [*node.args, *(keyword.value for keyword in node.keywords)]
            if called in _REFLECTIVE and any(isinstance(one, ast.Constant) and one.value == name for one in words):
                return f"{called} is called with its name"
            if called in _TYPING_CALLS and any(word.search(one) for arg in words for one in _strings(arg)):
                return "an annotation in quotes uses it"
        elif any(word.search(one) for annotation in _annotations(node) for one in _strings(annotation)):
            return "an annotation in quotes uses it"
    return None


def _in_doctest(text: str, word: re.Pattern[str]) -> bool:
    lines = (line.strip() for line in text.splitlines())
    return any(word.search(line) for line in lines if line.startswith((">>>", "...")))


def _annotations(node: ast.AST) -> Iterable[ast.expr]:
    if isinstance(node, ast.AnnAssign):
        is_alias = _last_name(node.annotation) == "TypeAlias"
        return [node.annotation, *([node.value] if is_alias and node.value else [])]
    if isinstance(node, ast.arg):
        return [node.annotation] if node.annotation else []
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return [node.returns] if node.returns else []
    if isinstance(node, ast.Subscript):
        base = _last_name(node.value)
        return [node.slice] if base in _CONTAINERS or base[:1].isupper() else []
    return []


def _strings(node: ast.expr) -> Iterator[str]:
    return (
        one.value
        for one in ast.walk(node)
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value
    )


def _last_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
