"""The oldest Python that a project declares to work with. Pure."""

from __future__ import annotations

import ast
import configparser
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from jido_ai.text.python_tree import parsed

_Version = tuple[int, int]

_CLAUSE: Final = re.compile(r"(>=|>|~=|===|==|!=|<=|<|\^|~|=)?\s*v?(\d+|\*)(?:\.(\d+|\*))?[\w.*+!-]*", re.ASCII)
_CLASSIFIER: Final = re.compile(
    r"Programming\s+Language\s*::\s*Python\s*::\s*(\d)(?:\.(\d+))?\s*(?:::\s*Only\s*)?(?=[\"'\\\r\n,]|\Z)", re.ASCII
)
_TOX_BRACES: Final = re.compile(r"\bpy(\d?)\.?\{([^{}]*)\}", re.ASCII)
_TOX_PLAIN: Final = re.compile(r"\bpy(\d)\.?(\d*)(?![\d.])", re.ASCII)
_REQUIRES: Final = re.compile(r"python_requires\s*[=:]\s*[\"']([^\"']+)[\"']")
_KEYS: Final = ("python_requires", "python-requires", "requires_python", "requires-python")
CONFIGS_OF_RUFF: Final = (".ruff.toml", "ruff.toml", "pyproject.toml")
"""Names of files with a configuration of ruff; in one folder the first counts."""
_LAST_2: Final = (2, 7)
_MAX_DEPTH: Final = 20


@dataclass(frozen=True, slots=True)
class DeclaredPython:
    """The oldest Python that a project declares.

    Attributes:
        minimum: the oldest version, as (major, minor).
        source: the file and what in it says so, as "setup.py: python_requires".
    """

    minimum: _Version
    source: str


def declared_python(files: Mapping[str, str]) -> DeclaredPython | None:
    """Return the oldest Python that the files in a project's root declare; None when they declare none.

    A requirement comes before classifiers, and these before tox; of each, pyproject.toml before setup.cfg before
    setup.py. Of several classifiers or environments the oldest counts; Python 2 without a minor version is 2.7, Python
    3 is 3.0. setup.py is read and never run. Files that do not parse declare what their text shows, or nothing.

    Args:
        files: texts of pyproject.toml, setup.cfg, setup.py and tox.ini by name; others do not matter.
    """
    pyproject = _toml(files.get("pyproject.toml", ""))
    setup_cfg, tox = ini_of(files.get("setup.cfg", "")), ini_of(files.get("tox.ini", ""))
    setup_py = files.get("setup.py", "")
    requirements = (*_of_pyproject(pyproject), *_of_setup_cfg(setup_cfg), *_of_setup_py(setup_py))
    for source, specifier in requirements:
        if (minimum := _minimum(specifier)) is not None:
            return DeclaredPython(minimum, source)
    for name, texts in (
        ("pyproject.toml", _classifiers_of_pyproject(pyproject)),
        ("setup.cfg", (_option(setup_cfg, "metadata", key) for key in ("classifiers", "classifier"))),
        ("setup.py", [setup_py]),
    ):
        if versions := [_version(found[1], found[2]) for text in texts for found in _CLASSIFIER.finditer(text)]:
            return DeclaredPython(_oldest(versions), f"{name}: classifiers")
    legacy = _at(pyproject, "tool", "tox", "legacy_tox_ini")
    for name, texts in (
        ("tox.ini", (_option(tox, "tox", key) for key in ("envlist", "env_list"))),
        ("setup.cfg", (_option(setup_cfg, "tox:tox", key) for key in ("envlist", "env_list"))),
        ("pyproject.toml", _of_tox_table(pyproject, ini_of(legacy if isinstance(legacy, str) else ""))),
    ):
        if versions := [version for text in texts for version in _environments(text)]:
            return DeclaredPython(_oldest(versions), f"{name}: envlist")
    return None


def pinned_python(files: Mapping[str, str]) -> _Version | None:
    """Return the version in `.python-version`, the newest if there are several; None if it names none."""
    found = re.findall(r"(?m)^\s*(?:cpython-|python-?|pypy)?(\d+)\.(\d+)", files.get(".python-version", ""), re.ASCII)
    return max(((int(major), int(minor)) for major, minor in found), default=None)


def ruff_target(files: Mapping[str, str]) -> _Version | None:
    """Return the target version in a project's configuration of ruff; None if it gives none."""
    value = _at(_ruff_table(files), "target-version")
    found = re.fullmatch(r"py(\d)(\d+)", value, re.ASCII) if isinstance(value, str) else None
    return None if found is None else (int(found[1]), int(found[2]))


def extended_config(files: Mapping[str, str]) -> str | None:
    """Return the path of the configuration that a project's configuration of ruff extends; None if it extends none."""
    value = _at(_ruff_table(files), "extend")
    return value if isinstance(value, str) and value and not value.startswith(("~", "$")) else None


def _ruff_table(files: Mapping[str, str]) -> object:
    """Return the project's configuration of ruff: the first of the files that is one."""
    for name in CONFIGS_OF_RUFF:
        if name not in files:
            continue
        table = _toml(files[name])
        if name != "pyproject.toml":
            return table
        return _at(table, "tool", "ruff")
    return None


# -- versions --------------------------------------------------------------------------------------


def _minimum(specifier: str) -> _Version | None:
    """Return the oldest version that a specifier admits (PEP 440 or Poetry); None when it has no lower bound."""
    alternatives = [_minimum_of_clauses(one) for one in re.split(r"\|\|?", specifier)]
    known = [one for one in alternatives if one is not None]
    return min(known) if known and len(known) == len(alternatives) else None


def _minimum_of_clauses(specifier: str) -> _Version | None:
    lowest: list[_Version] = []
    excluded: set[_Version] = set()
    for clause in re.findall(r"(?:[<>=!~^]+\s*)?[^\s,<>=!~^]+", specifier):
        found = _CLAUSE.fullmatch(clause.strip())
        if found is None or found[2] == "*":
            continue
        version = (int(found[2]), int(found[3]) if found[3] not in (None, "*") else 0)
        if found[1] == "!=":
            excluded |= {version} if clause.endswith(".*") else set()
        elif found[1] not in ("<", "<="):
            lowest.append(version)
    if not lowest:
        return None
    minimum = max(lowest)
    while minimum in excluded:
        minimum = (3, 0) if minimum == _LAST_2 else (minimum[0], minimum[1] + 1)
    return minimum


def _version(major: str, minor: str | None) -> _Version:
    return (int(major), int(minor) if minor else -1)


def _oldest(versions: Iterable[_Version]) -> _Version:
    """Return the oldest version; a major one alone (minor -1) counts only when no minor one of it is there."""
    known = set(versions)
    minors = {version for version in known if version[1] >= 0}
    rest = {version[0] for version in known} - {version[0] for version in minors}
    return min({*minors, *(_LAST_2 if major == 2 else (major, 0) for major in rest)})


def _environments(text: str) -> Iterator[_Version]:
    """Yield the versions in a list of environments of tox, such as `py27, py{36,310}-x, {py38,pypy3}`."""
    for major, names in _TOX_BRACES.findall(text):
        for name in names.split(","):
            if found := re.fullmatch(r"(\d)\.?(\d*)", major + name.strip().partition("-")[0], re.ASCII):
                yield _version(found[1], found[2])
    for major, minor in _TOX_PLAIN.findall(re.sub(r"\bpy(\d?)\.?\{", r"{", text)):
        yield _version(major, minor)


# -- files -----------------------------------------------------------------------------------------


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _at(table: object, *keys: str) -> object:
    for key in keys:
        table = cast("dict[str, object]", table).get(key) if isinstance(table, dict) else None
    return table


def _of_pyproject(table: dict[str, Any]) -> Iterator[tuple[str, str]]:
    found = _at(table, "project", "requires-python")
    poetry = _at(table, "tool", "poetry", "dependencies", "python")
    flit = _at(table, "tool", "flit", "metadata", "requires-python")
    if isinstance(poetry, dict):
        poetry = _at(cast("object", poetry), "version")
    for value, name in ((found, "requires-python"), (poetry, "poetry's python"), (flit, "flit's requires-python")):
        if isinstance(value, str):
            yield f"pyproject.toml: {name}", value


def _classifiers_of_pyproject(table: dict[str, Any]) -> Iterator[str]:
    for keys in (("project",), ("tool", "poetry"), ("tool", "flit", "metadata")):
        listed = _at(table, *keys, "classifiers")
        if isinstance(listed, list):
            yield from (one for one in cast("list[object]", listed) if isinstance(one, str))


def _of_tox_table(table: dict[str, Any], legacy: configparser.RawConfigParser) -> Iterator[str]:
    listed = _at(table, "tool", "tox", "env_list")
    if isinstance(listed, list):
        yield from (one for one in cast("list[object]", listed) if isinstance(one, str))
    yield from (_option(legacy, "tox", key) for key in ("envlist", "env_list"))


def ini_of(text: str) -> configparser.RawConfigParser:
    """Return the sections of an INI file; none if it cannot be read."""
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text.removeprefix("\ufeff"))
    except (configparser.Error, ValueError, AttributeError):
        return configparser.RawConfigParser()
    return parser


def _option(parser: configparser.RawConfigParser, section: str, key: str) -> str:
    value: object = parser.get(section, key, fallback="")
    return re.sub(r"(?m)(?:^|\s)#.*$", "", value) if isinstance(value, str) else ""


def _of_setup_cfg(parser: configparser.RawConfigParser) -> Iterator[tuple[str, str]]:
    for section in ("options", "metadata"):
        for key in _KEYS:
            if value := _option(parser, section, key):
                yield f"setup.cfg: {key}", value


# -- setup.py --------------------------------------------------------------------------------------


def _of_setup_py(text: str) -> Iterator[tuple[str, str]]:
    source = "setup.py: python_requires"
    if "python_requires" not in text:
        return
    tree = parsed(text)
    if tree is None:
        yield from ((source, value) for value in _REQUIRES.findall(text))
        return
    constants: dict[str, ast.expr] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            constants.update({target.id: node.value for target in node.targets if isinstance(target, ast.Name)})
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            constants[node.target.id] = node.value
    for expression in _given(tree):
        value = _value(expression, constants)
        if isinstance(value, str):
            yield source, value


def _given(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the values of python_requires: an argument, an item of a dict, or an assignment to one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "python_requires":
            yield node.value
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "python_requires":
                    yield value
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                key = target.slice if isinstance(target, ast.Subscript) else None
                if isinstance(key, ast.Constant) and key.value == "python_requires":
                    yield node.value


def _value(node: ast.expr, constants: Mapping[str, ast.expr], depth: int = 0) -> object:
    """Return the value of an expression of constants; None when it is not one."""
    if depth > _MAX_DEPTH:
        return None

    def of(inner: ast.expr) -> object:
        return _value(inner, constants, depth + 1)

    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return of(constants[node.id]) if node.id in constants else None
    if isinstance(node, ast.Tuple | ast.List):
        return tuple(of(one) for one in node.elts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = of(node.left), of(node.right)
        return left + right if isinstance(left, str) and isinstance(right, str) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _filled(of(node.left), of(node.right))
    if isinstance(node, ast.JoinedStr):
        inner = [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
        return "".join(str(of(part)) for part in inner)
    if isinstance(node, ast.Subscript):
        key, table = of(node.slice), node.value
        if isinstance(table, ast.Name) and isinstance(constants.get(table.id), ast.Dict):
            table = cast("ast.Dict", constants[table.id])
        pairs = zip(table.keys, table.values, strict=True) if isinstance(table, ast.Dict) else ()
        return next((of(value) for name, value in pairs if name is not None and of(name) == key), None)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _called(of(node.func.value), node.func.attr, [*_arguments(node, constants, depth + 1)])
    return None


def _arguments(call: ast.Call, constants: Mapping[str, ast.expr], depth: int) -> Iterator[object]:
    for argument in call.args:
        value = _value(argument.value if isinstance(argument, ast.Starred) else argument, constants, depth)
        if isinstance(argument, ast.Starred) and isinstance(value, tuple):
            yield from cast("tuple[object, ...]", value)
        else:
            yield value


def _filled(template: object, values: object) -> str | None:
    """Return `template % values` of a template with nothing but %s and %d."""
    given = cast("tuple[object, ...]", values) if isinstance(values, tuple) else (values,)
    if not isinstance(template, str) or len(re.findall(r"%[sd]", template)) != len(given) or None in given:
        return None
    rest = iter(given)
    return re.sub(r"%[sd]", lambda _: str(next(rest)), template)


def _called(value: object, method: str, arguments: list[object]) -> object:
    if not isinstance(value, str) or None in arguments:
        return None
    if method == "join" and len(arguments) == 1 and isinstance(arguments[0], tuple):
        return value.join(str(part) for part in cast("tuple[object, ...]", arguments[0]))
    if method == "format" and re.fullmatch(r"(?:[^{}]|\{\d?\})*", value):
        places = iter(range(len(arguments)))

        def fill(found: re.Match[str]) -> str:
            place = int(found[1]) if found[1] else next(places, len(arguments))
            return str(arguments[place]) if place < len(arguments) else ""

        return re.sub(r"\{(\d?)\}", fill, value)
    return value.strip() if method == "strip" and not arguments else None
