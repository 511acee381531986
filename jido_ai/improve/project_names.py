"""Imports that a linter calls unused and the rest of the project needs. Pure."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from jido_ai.improve.import_in_file import (
    FoundImport,
    all_names,
    bound_name,
    comment_that_keeps,
    find_import,
    hidden_use,
)
from jido_ai.text.older_syntax import tree_of_newer
from jido_ai.text.python_tree import is_text

_FROM: Final = re.compile(
    r"from(?<!\wfrom)\s++(\.*+)\s*+((?!c?import\b)[\w.]*+)\s*+\bc?import\b\s*+"
    r"(\((?:[^()#]++|#[^\n]*+)*+\)|\*|(?:[^\n#;(\\]++|\\\r?\n|\\)*+)"
)
_IMPORTED: Final = re.compile(r"(\w+)(?:\s+as\s+\w+)?")
_COMPAT: Final = re.compile(
    r"\w*compat\w*|_?six(?:_?moves)?|_?moves|_*(?:py|python)_?(?:2|3|23|2to3|3k)|\w*_(?:py|python)_?[23]k?|\w*backports?\w*"
    r"|\w*shims?|\w*legacy\w*|\w*deprecated\w*|\w*polyfills?"
)
_ASIDE: Final = frozenset(
    {
        "test", "tests", "testing", "example", "examples", "demo", "demos", "doc", "docs", "script", "scripts", "bin",
        "tools", "benchmark", "benchmarks", "bench", "sample", "samples", "tutorial", "tutorials", "recipes",
    }
)  # fmt: skip
_INTERFACE: Final = re.compile(r"re-?export|backwards?[- ]compatib|compatibility (?:module|layer|shim)", re.IGNORECASE)
_SETUP_FILES: Final = ("setup.py", "setup.cfg", "pyproject.toml")
IMPORTS_WITH_EFFECTS: Final = frozenset(
    {
        "__future__", "__main__", "antigravity", "curses", "distutils", "encodings", "idlelib", "lib2to3",
        "multiprocessing", "readline", "rlcompleter", "site", "sitecustomize", "test", "this", "tkinter", "turtle",
        "turtledemo", "usercustomize",
    }
)  # fmt: skip
"""Modules of the standard library whose import does something, or may be meant to."""

_SUBMODULES: Final = frozenset(
    {
        "ElementTree", "abc", "charset", "client", "config", "cookiejar", "cookies", "decoder", "dom", "dummy",
        "encoder", "encoders", "entities", "error", "errors", "etree", "expat", "futures", "generator", "handler",
        "handlers", "header", "machinery", "message", "metadata", "mime", "minidom", "mock", "parse", "parser",
        "policy", "pool", "process", "pulldom", "request", "resources", "response", "robotparser", "sax", "saxutils",
        "server", "simple_server", "thread", "tool", "util", "utils", "wintypes",
    }
)  # fmt: skip
"""Names of modules in packages of the standard library that the package does not import by itself."""

_Parts = tuple[str, ...]
_From = tuple[int, _Parts, frozenset[str]]
"""The level, module and names of a `from ... import`."""


@dataclass(slots=True)
class _Module:
    """The use of other modules' names in a Python file.

    Attributes:
        aliases: for each local name, the modules that it may be: the level of the import, and the dotted name.
        chains: dotted expressions, such as ("m", "a", "b"), by their last name.
        passed: names that are used otherwise than before a dot.
        strings: the string constants.
    """

    aliases: dict[str, set[tuple[int, _Parts]]] = field(default_factory=dict[str, set[tuple[int, _Parts]]])
    chains: dict[str, set[_Parts]] = field(default_factory=dict[str, set[_Parts]])
    passed: set[str] = field(default_factory=set[str])
    strings: set[str] = field(default_factory=set[str])


class ProjectNames:
    """Finds the uses of a module's names in its project.

    Args:
        files: the text of every file that may matter (Python, stubs, documentation, configuration), by path relative
            to the project, with "/". It must not change.
    """

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files
        self._trees: dict[str, ast.Module | None] = {}
        self._modules: dict[str, _Module | None] = {}
        self._mentions: dict[str, list[str]] = {}
        self._from: dict[str, list[_From]] = {}
        self._reexports: dict[str, frozenset[str]] = {}

    def reason_to_keep(self, path: str, name: str, row: int) -> str | None:
        """Return one short reason why an import that seems unused must stay; None when it is safe to remove.

        Args:
            path: of the file with the import, as in `files`.
            name: that the import binds: "b" for `import a as b`, "os" for `import os.path`.
            row: of the import, from 1: the row of the name or any row of the statement.
        """
        text, tree = self._files.get(path), self._tree(path)
        if text is None or tree is None:
            return "the file is unknown or does not parse"
        found = find_import(tree, name, row)
        if found is None:
            return "there is no import of that name"
        return (
            _reason_in_statement(found)
            or self._reason_in_file(path, text, tree, found, name)
            or self._reason_by_effect(path, tree, found)
            or (None if found.in_function else self._reason_by_use(path, tree, name))
            or (None if found.in_function else self._reason_by_interface(path, tree, found, name))
        )

    def is_offered(self, path: str, name: str) -> bool:
        """Tell whether a module offers a name to others: it defines it, or imports it for them too."""
        text, tree = self._files.get(path), self._tree(path)
        if text is None or tree is None or name not in text:
            return True
        statements = [one for one in ast.walk(tree) if isinstance(one, ast.Import | ast.ImportFrom)]
        rows = [one.lineno for one in statements for alias in one.names if bound_name(one, alias) == name]
        found = find_import(tree, name, rows[0]) if rows else None
        if found is not None and getattr(found.statement, "module", None) == "__future__":
            return False
        if found is None or any(
            isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Store) for one in ast.walk(tree)
        ):
            return True
        reason = self._reason_in_file(path, text, tree, found, name)
        return bool(reason or self._reason_by_use(path, tree, name))

    # -- the file itself

    def _reason_in_file(self, path: str, text: str, tree: ast.Module, found: FoundImport, name: str) -> str | None:
        file = PurePosixPath(path)
        if comment := comment_that_keeps(text, found.statement):
            return f"a comment speaks for it: {comment[:60]}"
        if use := hidden_use(text, tree, name):
            return use
        if found.in_function:
            return None
        listed = all_names(tree)
        if listed and name in listed[0]:
            return "it is in __all__"
        if listed and not listed[1]:
            return "__all__ is computed"
        if file.name in ("__init__.py", "conftest.py"):
            return f"imports of {file.name} are its interface"
        if interface := self._why_interface(file, tree):
            return interface
        if _is_test(file) and _is_for_a_test_runner(tree, found, name):
            return "a test runner may find it by name"
        return None

    def _why_interface(self, file: PurePosixPath, tree: ast.Module) -> str | None:
        if any(_COMPAT.fullmatch(part) for part in (file.stem, *file.parent.parts)):
            return "a compatibility module: others import from it"
        if _INTERFACE.search(ast.get_docstring(tree) or ""):
            return "the module's docstring speaks of re-exports"
        if self._is_package(file.parent) and len(tree.body) > 1 and all(_is_import(one) for one in tree.body):
            return "the module does nothing but import: it is an interface"
        return None

    def is_reexport(self, path: str, message: str) -> bool:
        """Tell whether an import that the linter calls unused is there for others to import: no finding at all.

        That is an import of another module's name in an `__init__.py` without `__all__`, in a module that is an
        interface, or one that other files of the project import from here.

        Args:
            message: of the linter, which begins with the imported name, such as "`.termsize.get_size` imported".
        """
        return message.partition("` ")[0].removeprefix("`") in self._reexported(path)

    def _reexported(self, path: str) -> frozenset[str]:
        if path not in self._reexports:
            tree = self._tree(path)
            found = () if tree is None else self._find_reexports(path, tree)
            self._reexports[path] = frozenset(found)
        return self._reexports[path]

    def _find_reexports(self, path: str, tree: ast.Module) -> Iterator[str]:
        file = PurePosixPath(path)
        listed = all_names(tree)
        is_open = file.name == "__init__.py" and listed is None
        is_interface = listed is None and self._why_interface(file, tree) is not None
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or node.module == "__future__":
                continue
            module = "." * node.level + (node.module or "")
            is_standard = not node.level and module.partition(".")[0] in sys.stdlib_module_names
            for alias in node.names:
                name = alias.asname or alias.name
                if is_interface or (is_open and not is_standard) or self._reason_by_use(path, tree, name) is not None:
                    whole = f"{module}{alias.name}" if module.endswith(".") else f"{module}.{alias.name}"
                    yield from (whole, f"{whole} as {name}")  # versions of ruff differ

    # -- what importing does

    def _reason_by_effect(self, path: str, tree: ast.Module, found: FoundImport) -> str | None:
        statement, alias = found.statement, found.alias
        if isinstance(statement, ast.Import):
            module, level = tuple(alias.name.split(".")), 0
        else:
            module, level = tuple((statement.module or "").split(".")) if statement.module else (), statement.level
        own = self._own_module(path, level, module)
        if own is None and level == 0 and set(module[:1]) <= sys.stdlib_module_names:
            return self._reason_by_standard_library(path, found, module)
        where = "." * level + ".".join(module)
        if isinstance(statement, ast.Import):
            return f"importing {where} may have effects"
        if not _is_imported_anyway(tree, found):
            return f"nothing else in this file imports {where}, and importing it may have effects"
        is_own = own is not None or level > 0
        base = own if own is not None else _resolved(path, level, module)
        if self._has_module((*base, alias.name)) if is_own else alias.name.islower():
            return f"{alias.name} may be a module, and importing it may have effects"
        return None

    def _reason_by_standard_library(self, path: str, found: FoundImport, module: _Parts) -> str | None:
        if module[0] in IMPORTS_WITH_EFFECTS or module[0].startswith("_"):
            return f"importing {module[0]} may have effects"
        whole = module if isinstance(found.statement, ast.Import) else (*module, found.alias.name)
        if len(whole) < 2 or whole == ("os", "path") or (len(whole) > len(module) and whole[-1] not in _SUBMODULES):
            return None
        dotted = ".".join(whole)
        others = (text for other, text in self._files.items() if other != path and other.endswith((".py", ".pyi")))
        own = re.sub(rf"(?m)^\s*import\s+{re.escape(dotted)}\b", "", self._files[path])
        if dotted in own or any(dotted in text for text in others):
            return f"{dotted} is used elsewhere, perhaps because this import loads it"
        return None

    def _own_module(self, path: str, level: int, module: _Parts) -> _Parts | None:
        """Return the parts of the path of a project's own module; None when it is not the project's."""
        if level:
            parts = _resolved(path, level, module)
            return parts if self._has_module(parts) else None
        here = PurePosixPath(path).parent.parts
        for place in range(len(here) + 1):
            if self._has_module((*here[:place], *module[:1])):
                return (*here[:place], *module)
        for root in ("src", "lib", "python"):
            if self._has_module((root, *module[:1])):
                return (root, *module)
        return None

    def _has_module(self, parts: _Parts) -> bool:
        path = "/".join(parts)
        return any(f"{path}{end}" in self._files for end in (".py", "/__init__.py", ".pyi", "/__init__.pyi", ".pyx"))

    def _is_package(self, folder: PurePosixPath) -> bool:
        return str(folder / "__init__.py") in self._files

    # -- other files

    def _reason_by_use(self, path: str, tree: ast.Module, name: str) -> str | None:
        me = PurePosixPath(path).with_suffix("").parts
        listed = all_names(tree)
        is_carried = listed is None and not name.startswith("_")
        for other in self._with(me[-1]):
            for level, module, names in self._from_imports(other) if other != path else ():
                if (name in names or (is_carried and "*" in names)) and _is_module(me, other, level, module):
                    return f"{other} imports {'it' if name in names else 'everything'} from here"
        stub = self._files.get(str(PurePosixPath(path).with_suffix(".pyi")), "") if path.endswith(".py") else ""
        if re.search(rf"\bas\s+{re.escape(name)}\b|(?m:^{re.escape(name)}\s*[:=])|['\"]{re.escape(name)}['\"]", stub):
            return "the stub beside it declares it"
        dotted = re.compile(rf"\b{re.escape(me[-1])}[.:]{re.escape(name)}\b")
        for other in self._with(me[-1]):
            text = self._files[other]
            if other == path or name not in text:
                continue
            for place in (one.start() for one in dotted.finditer(text)):
                parts = _parts_before(text, place)
                if not parts or me[:-1][-len(parts) :] == parts:
                    return f"{other} mentions {me[-1]}.{name}"
            if other.endswith((".py", ".pyi")):
                if any(f"{before}{name}" in text for before in ".\"'") and self._uses(other, me, name):
                    return f"{other} uses it from here"
            elif re.search(rf"::\s*{re.escape(name)}\b", text):
                return f"{other} documents it"
        return None

    def _uses(self, other: str, me: _Parts, name: str) -> bool:
        """Tell whether a file may read the name as an attribute of this module, or by a string."""
        module = self._module(other)
        if module is None:  # Python 2, say
            return re.search(rf"\.\s*{re.escape(name)}\b|['\"]{re.escape(name)}['\"]", self._files[other]) is not None
        for chain in module.chains.get(name, ()):
            for level, parts in module.aliases.get(chain[0], ()):
                if _is_module(me, other, level, (*parts, *chain[1:-1])):
                    return True
        mine = {
            local
            for local, modules in module.aliases.items()
            if any(_is_module(me, other, level, parts) for level, parts in modules)
        }
        if mine & module.passed and name in module.chains:
            return True
        has_dotted = any(_names_module(string, me) for string in module.strings)
        if has_dotted and (name in module.chains or name in module.strings):
            return True
        return bool(mine) and name in module.strings

    def _reason_by_interface(self, path: str, tree: ast.Module, found: FoundImport, name: str) -> str | None:
        if isinstance(found.statement, ast.Import) or name.startswith("_"):
            return None
        file = PurePosixPath(path)
        if _is_test(file) or file.stem in ("setup", "__main__", "conf", "manage") or file.stem.startswith("_"):
            return None
        folder = file.parent
        if not self._is_package(folder):
            word = re.compile(rf"\b{re.escape(file.stem)}\b")
            is_named = any(word.search(self._files.get(one, "")) for one in _SETUP_FILES)
            return "a public module: others may import it from here" if is_named else None
        while self._is_package(folder):
            if folder.name.startswith("_"):
                return None
            folder = folder.parent
        said = "without __all__" if all_names(tree) is None else "whose __all__ does not keep others from it"
        return f"a public module {said}: others may import it from here"

    # -- what is remembered

    def _tree(self, path: str) -> ast.Module | None:
        if path not in self._trees:
            self._trees[path] = tree_of_newer(self._files.get(path, ""))
        return self._trees[path]

    def _module(self, path: str) -> _Module | None:
        if path not in self._modules:
            tree = self._tree(path)
            self._modules[path] = None if tree is None else _read(tree)
        return self._modules[path]

    def _with(self, word: str) -> list[str]:
        """Return the files whose text contains a word, in order."""
        if word not in self._mentions:
            self._mentions[word] = [path for path, text in self._files.items() if word in text]
        return self._mentions[word]

    def _from_imports(self, path: str) -> list[_From]:
        """Return every `from ... import` in a file, be it code, a string or prose."""
        if path not in self._from:
            text = self._files[path]
            self._from[path] = [
                (
                    len(dots),
                    tuple(part for part in module.split(".") if part),
                    frozenset(["*"] if names == "*" else _IMPORTED.findall(re.sub(r"#[^\n]*", "", names))),
                )
                for dots, module, names in (_FROM.findall(text.replace("\\n", "\n")) if "import" in text else ())
            ]
        return self._from[path]


def _reason_in_statement(found: FoundImport) -> str | None:
    if isinstance(found.statement, ast.ImportFrom) and found.statement.module == "__future__":
        return "it is from __future__"
    if found.alias.name == "*":
        return "it imports everything"
    if found.alias.asname == found.alias.name:
        return "`import x as x` exports it"
    if found.is_conditional:
        return "the import is conditional: it may be a check or a fallback"
    if found.in_class:
        return "it is an attribute of a class"
    return None


def _read(tree: ast.Module) -> _Module:
    module = _Module()
    before_dot: set[ast.expr] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                parts = tuple(alias.name.split("."))
                module.aliases.setdefault(alias.asname or parts[0], set()).add(
                    (0, parts if alias.asname else parts[:1])
                )
        elif isinstance(node, ast.ImportFrom):
            parts = tuple(node.module.split(".")) if node.module else ()
            for alias in node.names:
                module.aliases.setdefault(alias.asname or alias.name, set()).add((node.level, (*parts, alias.name)))
        elif isinstance(node, ast.Attribute):
            before_dot.add(node.value)
            module.chains.setdefault(node.attr, set()).add(_chain(node))
        elif isinstance(node, ast.Name):
            if node not in before_dot:
                module.passed.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            module.strings.update(node.value.split() if len(node.value) < 2_000 else ())
    return module


def _chain(node: ast.expr) -> _Parts:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    names.append(node.id if isinstance(node, ast.Name) else "")
    return tuple(reversed(names))


def _parts_before(text: str, place: int) -> _Parts:
    """Return the dotted names right before a place, as "a" and "b" before the place of "c" in "a.b.c"."""
    found = re.search(r"(?:\w+\.)+\Z", text[max(0, place - 200) : place])
    return tuple(found[0].split(".")[:-1]) if found else ()


def _resolved(path: str, level: int, module: _Parts) -> _Parts:
    """Return the parts of the path of a module that a file imports relatively."""
    here = PurePosixPath(path).parent.parts
    return (*here[: len(here) - max(0, level - 1)], *module)


def _is_module(me: _Parts, path: str, level: int, module: _Parts) -> bool:
    """Tell whether a file's import may mean this module, whose path must end with an absolute name."""
    if not module and not level:
        return False
    if level and path.endswith((".py", ".pyi")):
        return _resolved(path, level, module) == me
    return bool(module) and me[-len(module) :] == module


def _names_module(string: str, me: _Parts) -> bool:
    """Tell whether a string is the dotted name of this module, be it relative."""
    parts = tuple(part for part in string.removesuffix(".py").replace("/", ".").replace(":", ".").split(".") if part)
    return bool(parts) and me[-len(parts) :] == parts


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import | ast.ImportFrom) or is_text(statement)


def _is_test(file: PurePosixPath) -> bool:
    is_named = file.stem.startswith("test_") or file.stem.endswith(("_test", "_tests")) or file.stem in _ASIDE
    return is_named or any(part in _ASIDE for part in file.parent.parts)


def _is_for_a_test_runner(tree: ast.Module, found: FoundImport, name: str) -> bool:
    if re.match(r"test|setup|teardown|set_?up|tear_?down|load_tests|pytest_", name, re.IGNORECASE):
        return True
    if isinstance(found.statement, ast.Import):
        return False
    return any(isinstance(node, ast.arg) and node.arg == name for node in ast.walk(tree))  # a fixture


def _is_imported_anyway(tree: ast.Module, found: FoundImport) -> bool:
    """Tell whether another name is imported from the same module, in the same statement or above, and is used."""
    assert isinstance(found.statement, ast.ImportFrom)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return any(
        alias is not found.alias and bound_name(one, alias) in used for one, alias in _kin(tree, found.statement)
    )


def _kin(tree: ast.Module, statement: ast.ImportFrom) -> Iterator[tuple[ast.ImportFrom, ast.alias]]:
    for one in [*tree.body, statement]:
        is_same = isinstance(one, ast.ImportFrom) and (one.module, one.level) == (statement.module, statement.level)
        if isinstance(one, ast.ImportFrom) and is_same and one.lineno <= statement.lineno:
            yield from ((one, alias) for alias in one.names)
