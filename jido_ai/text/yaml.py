"""YAML: its errors, its meaning, and certain repairs. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol, cast

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode
from ruamel.yaml.scanner import RoundTripScanner

from jido_ai.text.edits import Edit, apply_edits
from jido_ai.values import Issue, Location

MAX_YAML_CHARS: Final = 1_000_000
"""Longer texts are not checked, which is reported as a finding: the parser is slow."""

_MAX_FLOW_DEPTH: Final = 100
"""Maximum depth of nested brackets: the parser's time is at least quadratic in it."""
_MAX_REPAIR_CHARS: Final = 100_000
_MAX_TRIES: Final = 100
_MAX_WORK: Final = 1_000_000  # characters that are parsed, all tries together
_LONGEST_ROW: Final = 10_000  # that is edited
_MAX_SLIPS: Final = 4
_ROW_END = re.compile(r"\r\n|\r|\n")
_VALUE = re.compile(
    r"(?P<head>\s*(?:- +)*(?:[\w.-]+ *: +)?)(?P<value>[^\s#'\"\[{|>&!](?:.*?\S)??)(?P<tail>\s*(?:\s#.*)?)"
)
_CLOSERS: Final = {"[": "]", "{": "}"}


def yaml_issues(text: str) -> Iterator[Issue]:
    """Yield the errors: a syntax error (rule "yaml", or "yaml-tab" for a tab in an indentation), else duplicate keys of
    mappings ("duplicate-key"), in the order of the text. All are of kind "syntax": YAML forbids them.
    """
    if len(text) > MAX_YAML_CHARS:
        yield Issue(f"longer than {MAX_YAML_CHARS} characters: not checked", kind="cannot-run", rule="cannot-run")
        return
    try:
        documents = _composed(text)
    except MarkedYAMLError as error:
        yield _problem(text, error)
    except (YAMLError, RecursionError, ValueError) as error:
        why = "too deeply nested" if isinstance(error, RecursionError) else str(error).splitlines()[0]
        yield Issue(why, kind="syntax", rule="yaml", location=Location(None, 1, 1))
    else:
        for document in documents:
            yield from _duplicates(document)


def yaml_meaning(text: str) -> str:
    """Return the meaning of the text in comparable form: tags and values of all documents.

    Raises:
        ValueError: the text does not parse.
    """
    try:
        return "\n".join(_told(document) for document in _composed(text))
    except (YAMLError, RecursionError) as error:
        raise ValueError(str(error)) from error


def block_rows(text: str) -> frozenset[int]:
    """Return the rows, from 1, of block scalars (`|`, `>`), in which trailing blanks are content.

    Empty if the text does not parse.
    """
    found: set[int] = set()
    try:
        documents = _composed(text)
    except (YAMLError, RecursionError, ValueError):
        return frozenset()
    for node in _nodes(documents):
        if _is(node, ScalarNode) and node.style in ("|", ">"):
            end = node.end_mark.line + (2 if node.end_mark.column else 1)
            found.update(range(node.start_mark.line + 2, end))
    return frozenset(found)


def repair_yaml(text: str, issue: Issue) -> str | None:
    """Return the repaired text if all known repairs lead to the same meaning; else None.

    Known errors: tabs in the indentation, a value that needs quotes, an unclosed quote or bracket, a row with
    unexpected indentation; up to four, one below the other. Rows without an edit stay unchanged.
    """
    if issue.location is None or issue.location.line is None or len(text) > _MAX_REPAIR_CHARS:
        return None
    search = _YamlSearch(min(_MAX_TRIES, _MAX_WORK // max(1, len(text))))
    search.repair(text, issue.location.line, issue.rule or "", _MAX_SLIPS)
    return next(iter(search.meanings.values())) if len(search.meanings) == 1 and search.tries >= 0 else None


class _YamlSearch:
    """One search: the remaining tries, below 0 if they were not enough, and a text for each meaning found."""

    def __init__(self, tries: int) -> None:
        self.tries = tries
        self.meanings: dict[str, str] = {}

    def repair(self, text: str, line: int, rule: str, slips: int) -> None:
        for edits in _slips(text, line, tabs=rule == "yaml-tab"):
            self.tries -= 1
            if self.tries < 0:
                return
            repaired = apply_edits(text, edits)
            left = list(yaml_issues(repaired))
            if not left:
                self.meanings.setdefault(yaml_meaning(repaired), repaired)
                continue
            place = left[0].location
            below = place.line if place is not None and left[0].rule in ("yaml", "yaml-tab") else None
            if below is not None and below > line and slips > 1:
                self.repair(repaired, below, left[0].rule or "", slips - 1)


# -- reading ---------------------------------------------------------------------------------------


class _Mark(Protocol):
    line: int
    column: int


class _Node(Protocol):
    """A node of the parser: the value of a scalar is a text, of a sequence nodes, of a mapping pairs of nodes."""

    tag: object
    value: Any
    style: str | None
    start_mark: _Mark
    end_mark: _Mark


class _Scanner(RoundTripScanner):
    """Stops at brackets that are too deeply nested: raises `RecursionError`, as the parser would much later."""

    def fetch_flow_collection_start(self, TokenClass: Any, to_push: str) -> None:
        if self.flow_level >= _MAX_FLOW_DEPTH:
            raise RecursionError(f"more than {_MAX_FLOW_DEPTH} nested brackets")
        super().fetch_flow_collection_start(TokenClass, to_push)  # pyright: ignore[reportUnknownMemberType] - its types are half known


def _composed(text: str) -> list[_Node]:
    parser: Any = YAML(typ="rt", pure=True)
    parser.Scanner = _Scanner
    return [document for document in parser.compose_all(text) if document is not None]


def _is(node: _Node, kind: type) -> bool:
    return isinstance(node, kind)


def _inside(node: _Node) -> list[_Node]:
    """Return the children of a node, keys before their values."""
    if _is(node, SequenceNode):
        return list(cast("list[_Node]", node.value))
    if _is(node, MappingNode):
        return [one for pair in cast("list[tuple[_Node, _Node]]", node.value) for one in pair]
    return []


def _problem(text: str, error: MarkedYAMLError) -> Issue:
    fault: Any = error
    mark: _Mark | None = fault.problem_mark or fault.context_mark
    if "end of stream" in (fault.problem or "") and fault.context_mark is not None:
        mark = fault.context_mark  # an unclosed quote or bracket is reported where it opens
    line, column = (1, 1) if mark is None else (mark.line + 1, mark.column + 1)
    said = ": ".join(str(part) for part in (fault.context, fault.problem) if part) or "it does not parse"
    rows = _ROW_END.split(text)
    row = rows[line - 1] if line <= len(rows) else ""
    rule = "yaml-tab" if re.match(r" *\t", row) else "yaml"
    return Issue(said, kind="syntax", rule=rule, location=Location(None, line, column))


def _nodes(roots: Sequence[_Node]) -> Iterator[_Node]:
    """Yield each node below the roots once, including those that aliases refer to."""
    seen: set[int] = set()
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if id(node) in seen:  # an alias
            continue
        seen.add(id(node))
        waiting += _inside(node)
        yield node


def _duplicates(document: _Node) -> Iterator[Issue]:
    for node in _nodes([document]):
        if not _is(node, MappingNode):
            continue
        keys: dict[tuple[str, str], int] = {}
        for key in _inside(node)[::2]:
            if not _is(key, ScalarNode) or key.value == "<<":
                continue
            name, line = (str(key.tag), str(key.value)), key.start_mark.line + 1
            if name in keys:
                message = f"the key {name[1]!r} is in this mapping already, in row {keys[name]}"
                place = Location(None, line, key.start_mark.column + 1)
                yield Issue(message, kind="syntax", rule="duplicate-key", location=place)
            keys.setdefault(name, line)


def _told(document: _Node) -> str:
    """Return tags and values in the order of the text; an alias is only marked as one."""
    numbers: dict[int, int] = {}
    parts: list[str] = []
    waiting: list[_Node | str] = [document]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            parts.append(node)
        elif id(node) in numbers:
            parts.append(f"*{numbers[id(node)]}")
        else:
            numbers[id(node)] = len(numbers)
            parts.append(f"{node.tag} {node.value!r}" if _is(node, ScalarNode) else f"{node.tag} (")
            waiting += [] if _is(node, ScalarNode) else [")", *reversed(_inside(node))]
    return "\n".join(parts)


# -- slips -----------------------------------------------------------------------------------------


def _slips(text: str, line: int, *, tabs: bool) -> Iterator[list[Edit]]:
    rows = _ROW_END.split(text)
    if tabs:
        for width in (2, 4, 8):
            yield [
                Edit(row, 1, row, len(indent) + 1, indent.replace("\t", " " * width))
                for row, indent in enumerate((one[: len(one) - len(one.lstrip(" \t"))] for one in rows), 1)
                if "\t" in indent and rows[row - 1].strip()
            ]
        return
    above = next((row for row in range(min(line, len(rows)) - 1, 0, -1) if rows[row - 1].strip()), line)
    for row in dict.fromkeys((line, above)):
        code = rows[row - 1] if row <= len(rows) else ""
        if len(code) > _LONGEST_ROW:
            continue
        yield from _quoted(row, code)
        yield from _closed(row, code)
    if line <= len(rows) and rows[line - 1].startswith(" "):
        yield from _moved(rows, line)


def _quoted(row: int, code: str) -> Iterator[list[Edit]]:
    """`a: B c: d`, `a: *.py`, `a: @x`: values that need quotes. `a: b: c` may be meant as `a: {b: c}`."""
    found = _VALUE.fullmatch(code)
    if found is not None and not re.search(r"[\"\\]|^\*[\w-]+$|^%", found["value"]):
        value = found["value"]
        if re.match(r"[\w.-]+: ", value):
            yield [Edit(row, found.start("value") + 1, row, found.end("value") + 1, f"{{{value}}}")]
        yield [Edit(row, found.start("value") + 1, row, found.end("value") + 1, f'"{value}"')]


def _closed(row: int, code: str) -> Iterator[list[Edit]]:
    comment = re.search(r"\s#", code)
    end = len(code[: comment.start() if comment else None].rstrip()) + 1
    for quote in ('"', "'"):
        if code.count(quote) % 2:
            yield [Edit(row, end, row, end, quote)]
    opened = [one for one in re.sub(r"\"[^\"]*\"|'[^']*'", "", code) if one in "[]{}"]
    closers: list[str] = []
    for mark in opened:
        if mark in _CLOSERS:
            closers.append(_CLOSERS[mark])
        elif closers and closers[-1] == mark:
            closers.pop()
    if closers:
        yield [Edit(row, end, row, end, "".join(reversed(closers)))]


def _moved(rows: list[str], line: int) -> Iterator[list[Edit]]:
    """A row, with the rows below that are indented at least as deep, moved to each level of the rows above."""
    indent = len(rows[line - 1]) - len(rows[line - 1].lstrip(" "))
    last = line
    while last < len(rows) and (not rows[last].strip() or rows[last].startswith(" " * indent)):
        last += 1
    levels = {len(one) - len(one.lstrip(" ")) for one in rows[: line - 1] if one.strip()}
    for level in sorted(levels):
        yield [Edit(row, 1, row, indent + 1, " " * level) for row in range(line, last + 1) if rows[row - 1].strip()]
