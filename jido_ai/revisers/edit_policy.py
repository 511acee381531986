"""Edit policy: the edits that `jido improve` makes by default because they do not change the program. Pure.

A project without a configuration is searched for errors, not for old or unfashionable code, and of ruff's edits only
those of `SAFE_RULES` are made. With a configuration the project's rules apply, and of their edits those that ruff marks
as safe are made, except those that this file holds back. All other edits are unsafe: they are made if the user asks for
them, or if passing tests run the edited lines.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from jido_ai.revisers.edit_guards import same_but_imports, same_program
from jido_ai.revisers.halving import unit_name
from jido_ai.text.change import lines_of
from jido_ai.text.older_syntax import tree_of_newer

if TYPE_CHECKING:
    from jido_ai.tools.reports.linters import RuffDiagnostic


@dataclass(frozen=True, slots=True)
class EditRule:
    """A rule of the linter that is enabled by default, without a configuration.

    Attributes:
        code: ruff's code, or a prefix of several.
        finds: short description of the finding.
        edit: "safe": fixed; "unsafe": fixed only on request or if tests run the lines; "none": only reported.
        why: for an unsafe edit, what it could break.
    """

    code: str
    finds: str
    edit: str = "none"
    why: str = ""


RULES: Final = (
    EditRule("E9", "the file cannot be read or parsed"),
    EditRule("F", "findings of pyflakes: undefined names, wrong formats, comparisons that are never true"),
    EditRule("F401", "an unused import", "safe"),
    EditRule("F541", "an f-string without placeholders", "safe"),
    EditRule("F811", "a name that is redefined before it is used", "unsafe", "the first definition may be used"),
    EditRule("F841", "a variable that is never used", "unsafe", "its name or its value may still be needed"),
    EditRule("F632", "`is` with a literal", "unsafe", "equality is not identity"),
    EditRule("E711", "a comparison with None by ==", "unsafe", "an object may define == (columns, arrays)"),
    EditRule("E722", "a bare except", "unsafe", "exceptions outside Exception would no longer be caught"),
    EditRule("W605", "an invalid escape sequence", "safe"),
    EditRule("B002", "++n, which does nothing"),
    EditRule("B003", "assignment to os.environ"),
    EditRule("B005", "strip() with a repeated character"),
    EditRule("B006", "a mutable default argument", "unsafe", "callers may rely on sharing the object between calls"),
    EditRule("B012", "return, break or continue in finally"),
    EditRule("B015", "a comparison whose result is not used"),
    EditRule("B018", "an expression whose value is not used"),
    EditRule("B020", "a loop variable that overrides what it iterates over"),
    EditRule("B021", "an f-string as docstring"),
    EditRule("B023", "a function that uses a variable of the loop it is made in"),
    EditRule("B025", "an exception that is caught twice"),
    EditRule("B029", "except (), which catches nothing"),
    EditRule("B030", "except with something that is not an exception"),
    EditRule("B031", "a group of itertools.groupby that is used twice"),
    EditRule("B032", "an annotation where an assignment was meant"),
    EditRule("B033", "a value that is in a set twice", "unsafe", "values of other types may be equal"),
    EditRule("B035", "a dict comprehension with a constant key"),
    EditRule("PLE", "pylint errors"),
)
"""The rules for a project without a configuration, in the order of display."""

_LEFT_OUT: Final = ("F403", "F405")  # star imports: old, not wrong
SELECTED: Final = (tuple(rule.code for rule in RULES), _LEFT_OUT)
"""The values of ruff's --select and --ignore for these rules."""
COMPILER: Final = "E9,F6,F7,W605"
"""Rules for what the compiler warns of, which a project may not have chosen."""
SAFE_RULES: Final = frozenset(rule.code for rule in RULES if rule.edit == "safe")
_WHY: Final[Mapping[str, str]] = {rule.code: rule.why for rule in RULES if rule.edit == "unsafe"}
_PROVEN: Final = frozenset({"F541", "W605"})
"""Rules whose edits must leave the program the same, compared by syntax tree."""
_ONLY_WHEN_ASKED: Final = frozenset({"F841"})
"""Rules whose edits tests cannot confirm: the remaining unused value is rarely what the author wants."""
_NEW_SYNTAX: Final = ("UP", "FURB", "FA", "PTH", "SIM", "C4", "PERF", "RUF", "PIE", "RSE", "FLY", "TRY", "RET", "PLR")
"""Families whose edits write Python 3.7 or newer, the oldest version that ruff knows."""
_OLDEST_OF_RUFF: Final = (3, 7)
_MUTATING: Final = frozenset(
    {
        "add",
        "append",
        "clear",
        "discard",
        "extend",
        "insert",
        "pop",
        "popitem",
        "remove",
        "setdefault",
        "sort",
        "update",
    }
)


class CarefulEdits:
    """Decides about the edits in one file.

    Args:
        keeps: returns why an import reported as unused must stay, given its name and row; None if it may be removed.
        minimum: oldest Python version that the project declares; None if it declares none.
        has_own_rules: the rules were selected by the project's configuration or by the user.
        is_named: the user named this file explicitly; a broken file found in a directory may be broken on purpose.
        unsafe: the user asked for unsafe edits.
        covered: the edits (`halving.unit_name`) whose lines are run by passing tests.
    """

    def __init__(
        self,
        keeps: Callable[[str, int], str | None],
        *,
        minimum: tuple[int, int] | None = None,
        has_own_rules: bool = False,
        is_named: bool = True,
        unsafe: bool = False,
        covered: Collection[str] = (),
    ) -> None:
        self._keeps = keeps
        self._minimum = minimum
        self._has_own_rules = has_own_rules
        self._is_named = is_named
        self._unsafe = unsafe
        self._covered = frozenset(covered)
        self._known: dict[tuple[str, str, int, int], str | None] = {}
        self._without: frozenset[str] = frozenset()
        self.held_back: dict[str, str] = {}

    @contextmanager
    def without(self, units: Collection[str]) -> Generator[None]:
        """Make none of these edits inside the `with` block."""
        before, self._without = self._without, self._without | frozenset(units)
        try:
            yield
        finally:
            self._without = before

    def hold_back(self, text: str, finding: RuffDiagnostic) -> str | None:
        """Return why a finding's edit is not made; None if it is. The reason is kept in `held_back`, by unit name."""
        rule, row = finding.code or "", finding.location.row if finding.location else 1
        if self._without and unit_name(text, rule, finding.message, row) in self._without:
            return "it was reverted"
        key = (rule, finding.message, row, hash(text))
        if key not in self._known:
            unit = unit_name(text, rule, finding.message, row)
            why = self._reason(text, finding, rule, row, unit)
            self._known[key] = why
            if why is not None:
                self.held_back[unit] = why
        return self._known[key]

    def fault(self, before: str, after: str, rules: Collection[str]) -> str | None:
        """Return why a text with the edits of these rules must be rejected; None if it may stay."""
        if set(rules) <= _PROVEN and not same_program(before, after):
            return "it would change what the program does"
        if set(rules) <= _PROVEN | {"F401"}:
            removed = _imported_names(before) - _imported_names(after)
            if not same_but_imports(before, after, removed):
                return "it would change more than the imports"
        if self._minimum is not None and _is_too_new(before, after, self._minimum):
            return f"it needs a newer Python than {_version(self._minimum)}, which the project declares"
        return None

    def _reason(self, text: str, finding: RuffDiagnostic, rule: str, row: int, unit: str) -> str | None:
        if finding.is_syntax_error:
            return self._why_broken()
        applicability = "unsafe" if finding.fix is None else finding.fix.applicability
        if rule == "F401":
            return self._why_imported(text, finding, row, applicability)
        if self._minimum is not None and self._minimum < _OLDEST_OF_RUFF and rule.startswith(_NEW_SYNTAX):
            return f"the project declares Python {_version(self._minimum)}, and such edits are made for newer ones"
        if applicability == "safe" and (rule in SAFE_RULES or (self._has_own_rules and rule not in _WHY)):
            return None
        if self._unsafe:
            return None
        why = _WHY.get(rule, "it may change what the program does")
        if unit not in self._covered or rule in _ONLY_WHEN_ASKED:
            return f"unsafe: {why}"
        if rule == "B006" and keeps_state(text, row):
            return "unsafe: the default keeps state between calls"
        if (comment := _comment_at(text, row)) is not None:
            return f"unsafe: {why}, and a comment speaks of it: {comment}"
        return None

    def _why_broken(self) -> str | None:
        """Return why a file that does not parse is left alone; None if it may be fixed."""
        if self._minimum is not None and self._minimum < (3, 0):
            return f"the project declares Python {_version(self._minimum)}: it may parse there"
        return None if self._is_named or self._unsafe else "unsafe: it may be broken on purpose; name the file"

    def _why_imported(self, text: str, finding: RuffDiagnostic, row: int, applicability: str) -> str | None:
        name = imported_name(text, row, finding.location.column if finding.location else 1)
        if name is None:
            return "it is not clear which name the import binds"
        if (why := self._keeps(name, row) or _why_fixture(text, name)) is not None:
            return f"unsafe: {why}"
        if applicability != "safe" and not self._unsafe:
            return "unsafe: the import may be there for others"
        return None


def imported_name(text: str, row: int, column: int) -> str | None:
    """Return the name that the import at this place binds; None if there is no import, or the name is ambiguous.

    Args:
        row, column: of the module or name in the import statement, from 1, columns in characters.
    """
    found = [
        alias.asname or (alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name)
        for node in _walk(text)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if alias.lineno == row and _column(text, row, alias.col_offset) == column
    ]
    return found[0] if len(found) == 1 else None


def import_rows(text: str, name: str) -> list[int]:
    """Return the rows, from 1, of the imports that bind a name."""
    return [
        alias.lineno
        for node in _walk(text)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if (alias.asname or (alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name)) == name
    ]


def _why_fixture(text: str, name: str) -> str | None:
    """Return why pytest may use a name: it finds fixtures and test classes by their names."""
    if name.startswith(("test", "Test")) or name.endswith(("Test", "Tests", "TestCase")):
        return "it looks like a test, which pytest collects where it is imported"
    for node in _walk(text):
        if isinstance(node, ast.arg) and node.arg == name:
            return "a parameter has its name, so it may be a fixture"
    return None


def keeps_state(text: str, row: int) -> bool:
    """Tell whether a function changes, returns or passes on the default in this row, so that calls may share it."""
    for node in _walk(text):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        arguments = node.args
        names = [*arguments.posonlyargs, *arguments.args][-len(arguments.defaults) :] if arguments.defaults else []
        pairs = [
            *zip(names, arguments.defaults, strict=True),
            *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
        ]
        for argument, default in pairs:
            if default is not None and default.lineno <= row <= (default.end_lineno or row):
                body = node.body if isinstance(node.body, list) else [node.body]
                if argument.arg.startswith("_") or any(_may_share(step, argument.arg) for step in body):
                    return True
    return False


def _may_share(tree: ast.AST, name: str) -> bool:
    """Tell whether a use of the name may change the object, or leak it from the function."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=used), attr=attribute) if used == name and attribute in _MUTATING:
                return True
            case ast.Subscript(value=ast.Name(id=used), ctx=ast.Store() | ast.Del()) if used == name:
                return True
            case ast.AugAssign(target=ast.Name(id=used)) if used == name:
                return True
            case ast.Return(value=ast.Name(id=used)) | ast.Yield(value=ast.Name(id=used)) if used == name:
                return True
            case ast.Assign(value=ast.Name(id=used)) if used == name:
                return True
            case ast.Call(args=arguments, keywords=keywords):
                given = [*arguments, *(keyword.value for keyword in keywords)]
                if any(isinstance(one, ast.Name) and one.id == name for one in given):
                    return True
            case _:
                pass
    return False


def _comment_at(text: str, row: int) -> str | None:
    """Return the comment in this row or the one above; None if there is none. A "#" in a string counts as well."""
    rows = lines_of(text)
    for number in (row, row - 1):
        line = rows[number - 1].strip() if 1 <= number <= len(rows) else ""
        if "#" in line and (number == row or line.startswith("#")):
            return line[line.index("#") :][:80]
    return None


def _imported_names(text: str) -> set[str]:
    return {
        alias.asname or (alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name)
        for node in _walk(text)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


@lru_cache(maxsize=4)
def _walk(text: str) -> tuple[ast.AST, ...]:
    tree = tree_of_newer(text)
    return () if tree is None else tuple(ast.walk(tree))


def _column(text: str, row: int, offset: int) -> int:
    """Return the column in characters, from 1, of an offset in bytes."""
    rows = lines_of(text)
    line = rows[row - 1] if row <= len(rows) else ""
    return len(line.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore")) + 1


def _is_too_new(before: str, after: str, minimum: tuple[int, int]) -> bool:
    """Tell whether only the later text has syntax that the oldest Python does not support, as far as `ast` knows."""
    return minimum >= (3, 3) and _parses(before, minimum) and not _parses(after, minimum)


def _parses(text: str, version: tuple[int, int]) -> bool:
    try:
        ast.parse(text.removeprefix("\ufeff"), feature_version=version)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _version(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"
