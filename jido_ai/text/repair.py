"""Repairs of data and documents; only unambiguous ones are made. Pure.

There are two kinds of repair. For an issue at one place, a small class proposes edits (`PLACES`); the edits of all
issues are applied and checked together. For an issue of the whole text, such as JSON that does not parse, a class
returns a new text (`WHOLES`). To add a repair, write a `PlaceRepairer` or `WholeRepairer` and add it to the list.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

from jido_ai.text.checks import count_findings, parse_data, usual_end
from jido_ai.text.edits import Edit, apply_edits
from jido_ai.text.json_comments import without_comments
from jido_ai.text.json_slips import repair_json
from jido_ai.values import Issue

_BOM: Final = "\ufeff"
_MAX_CHARS: Final = 100_000
_MAX_WORK: Final = {"json": 20_000_000, "jsonc": 10_000_000, "toml": 2_000_000}  # characters parsed, all tries together
_LONGEST_ROW: Final = 10_000  # that is searched for a missing mark
_MOST_WHOLES: Final = 50  # issues of the whole text, each of which needs another check
_MOST_CHECKS: Final = 24  # of one revision, to find the edits that do not help
_QUICK_CHARS: Final = 500
_ROW_END = re.compile(r"\r\n|\r|\n")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\w.+-]+|\S')
_WORDS: Final = {"True": "true", "False": "false", "None": "null", "undefined": "null"}


class PlaceRepairer(Protocol):
    """Fixes issues at one place.

    Attributes:
        rules: the rules of the issues that it fixes.
    """

    rules: frozenset[str]

    def edits(self, rows: Rows, issue: Issue) -> Sequence[Edit]:
        """Return the edits that fix this issue, if any. An issue without a place covers all findings of its rule."""
        ...


class WholeRepairer(Protocol):
    """Fixes an issue of the whole text.

    Attributes:
        rules: the rules of the issues that it fixes.
    """

    rules: frozenset[str]

    def repair(self, text: str, issue: Issue) -> str | None:
        """Return the text with this issue fixed, None if the fix is not certain."""
        ...


def is_quick_repair(text: str, issues: Sequence[Issue]) -> bool:
    """True if these repairs take about as long as a few checks; see `text.checks.is_quick`."""
    return len(text) <= _QUICK_CHARS or not any(_is_searched(issue) for issue in issues)


def repair_texts(
    language: str, text: str, issues: Sequence[Issue], schema: Mapping[str, Any] | None = None
) -> tuple[str, tuple[Issue, ...]]:
    """Return the text with all unambiguous fixes, and the fixed issues.

    The check that found them no longer reports them, and no rule has more findings than before. YAML that parses keeps
    its meaning, duplicate keys stay, and so do all comments in JSON. A byte order mark, form feeds, blank rows at the
    beginning and line ends stay, unless an issue is about them.

    Issues with a place are fixed in one pass; the text is checked a few more times in total.
    """
    bom = _BOM if text.startswith(_BOM) else ""
    work = _Mending(language, text.removeprefix(bom), schema)
    work.wholes([issue for issue in issues if _is_whole(issue)][:_MOST_WHOLES])
    for repairer in PLACES:
        work.places(repairer, [issue for issue in issues if issue.rule in repairer.rules])
    work.layout([issue for issue in issues if issue.rule == "format"][:1])
    fixed = set(work.fixed)
    return bom + work.text, tuple(issue for issue in issues if issue in fixed)


class Rows:
    """The rows of a text, looked at by several repairs."""

    def __init__(self, text: str, language: str) -> None:
        self.language: Final = language
        self.texts: Final = _ROW_END.split(text)
        self.ends: Final[Sequence[str]] = [*_ROW_END.findall(text), ""]
        self.usual_end: Final = usual_end(text)


class _Mending:
    """One revision in progress: the text, its issues, and the fixed issues."""

    def __init__(self, language: str, text: str, schema: Mapping[str, Any] | None) -> None:
        self.text = text
        self.fixed: list[Issue] = []
        self._language = language
        self._schema = schema
        self._found: Counter[str] | None = None
        self._checks_left = _MOST_CHECKS

    def wholes(self, issues: Sequence[Issue]) -> None:
        """Fix issues of the whole text, one after the other."""
        for issue in issues:
            repaired = self._made(issue)
            is_by_schema = (issue.rule or "").startswith("schema-")  # which has been checked
            if repaired is not None and repaired != self.text and (is_by_schema or self._is_better(repaired)):
                self._take(repaired, [issue])

    def places(self, repairer: PlaceRepairer, issues: Sequence[Issue]) -> None:
        """Fix issues with a place: all at once, or by halves if that is no improvement."""
        rows = Rows(self.text, self._language) if issues else None
        edits = {} if rows is None else {issue: tuple(repairer.edits(rows, issue)) for issue in issues}
        wanted = [issue for issue in issues if edits[issue]]
        repaired = self._tried(edits, wanted)
        if repaired is not None:
            self._take(repaired, wanted)
            return
        if self._language == "yaml" and "trailing-whitespace" in repairer.rules and wanted:
            from jido_ai.text.yaml import block_rows  # noqa: PLC0415 - the parser is loaded where there is YAML

            kept = block_rows(self.text)
            edits = {issue: tuple(one for one in found if one.row not in kept) for issue, found in edits.items()}
            wanted = [issue for issue in wanted if edits[issue]]
        waiting, good, best = [wanted], list[Issue](), self.text
        while waiting:
            part = waiting.pop()
            repaired = self._tried(edits, [*good, *part])
            if repaired is not None:
                good, best = [*good, *part], repaired
            elif len(part) > 1:
                middle = len(part) // 2
                waiting += [part[middle:], part[:middle]]
        if good:
            self._take(best, good)

    def layout(self, issues: Sequence[Issue]) -> None:
        """Format the text if that leaves no findings."""
        for issue in issues:
            from jido_ai.text.markdown_layout import formatted_markdown  # noqa: PLC0415 - loaded where there is Markdown

            made = formatted_markdown(self.text)
            if made not in (None, self.text) and not count_findings(self._language, made):
                self._take(made, [issue])

    def _tried(self, edits: Mapping[Issue, Sequence[Edit]], issues: Sequence[Issue]) -> str | None:
        """Return the text with the edits of these issues if that is an improvement and checks are left."""
        if not issues or self._checks_left <= 0:
            return None
        self._checks_left -= 1
        try:
            repaired = apply_edits(self.text, {edit for issue in issues for edit in edits[issue]})
        except ValueError:  # two of them overlap
            return None
        return repaired if repaired != self.text and self._is_better(repaired) else None

    def _take(self, repaired: str, issues: Sequence[Issue]) -> None:
        self.text, self._found = repaired, None
        self.fixed += issues

    def _made(self, issue: Issue) -> str | None:
        rule = issue.rule or ""
        if self._schema is not None and rule.startswith("schema-"):
            from jido_ai.text.json_schema import repair_by_schema  # noqa: PLC0415 - slow to load, and seldom needed

            return repair_by_schema(self.text, self._schema, issue)
        repairer = next((one for one in WHOLES if rule in one.rules), None)
        return repairer.repair(self.text, issue) if repairer is not None else None

    def _is_better(self, repaired: str) -> bool:
        """True if there are fewer findings, for no rule more, and nothing is lost."""
        if self._found is None:
            self._found = count_findings(self._language, self.text)
        after = count_findings(self._language, repaired)
        if after.total() >= self._found.total() or not after <= self._found:
            return False
        if self._language in ("json", "jsonc"):
            return without_comments(self.text).comments == without_comments(repaired).comments
        return self._language != "yaml" or _says_the_same(self.text, repaired)


def _is_whole(issue: Issue) -> bool:
    rule = issue.rule or ""
    return rule.startswith("schema-") or any(rule in one.rules for one in WHOLES)


def _is_searched(issue: Issue) -> bool:
    """True if the repair is a search with many tries."""
    rule = issue.rule or ""
    return rule.startswith("schema-") or rule in _Data.rules or rule in _Yaml.rules


def _says_the_same(text: str, repaired: str) -> bool:
    """True if two YAML texts have the same meaning, or the first one does not parse."""
    from jido_ai.text.yaml import yaml_meaning  # noqa: PLC0415 - the parser is loaded where there is YAML

    try:
        meaning = yaml_meaning(text)
    except ValueError:
        return True
    return yaml_meaning(repaired) == meaning


# -- one place -------------------------------------------------------------------------------------


def _rows_of(rows: Rows, issue: Issue) -> Collection[int]:
    """Return the rows, from 1, of an issue: its own, or all if it has no place."""
    line = issue.location.line if issue.location else None
    if line is None:
        return range(1, len(rows.texts) + 1)
    return (line,) if line <= len(rows.texts) else ()


class _Blanks:
    """In Markdown two blanks are a line break; an issue for all rows does not include those."""

    rules = frozenset({"trailing-whitespace"})

    def edits(self, rows: Rows, issue: Issue) -> Sequence[Edit]:
        found = list[Edit]()
        for row in _rows_of(rows, issue):
            code = rows.texts[row - 1]
            is_break = rows.language == "markdown" and issue.location is None and _is_break(code)
            if code[-1:] in (" ", "\t") and not is_break:
                found.append(Edit(row, len(code.rstrip(" \t")) + 1, row, len(code) + 1, ""))
        return found


def _is_break(row: str) -> bool:
    return row.endswith("  ") and row[:-2].rstrip(" \t") == row[:-2] != ""


class _Endings:
    rules = frozenset({"line-endings"})

    def edits(self, rows: Rows, issue: Issue) -> Sequence[Edit]:
        return [
            Edit(row, len(rows.texts[row - 1]) + 1, row + 1, 1, rows.usual_end)
            for row in _rows_of(rows, issue)
            if rows.ends[row - 1] not in ("", rows.usual_end)
        ]


class _FinalNewline:
    rules = frozenset({"final-newline"})

    def edits(self, rows: Rows, issue: Issue) -> Sequence[Edit]:
        row, column = len(rows.texts), len(rows.texts[-1]) + 1
        return [Edit(row, column, row, column, rows.usual_end)] if column > 1 else []


class _Markdown:
    rules = frozenset({"heading-space", "reversed-link", "table-columns"})

    def edits(self, rows: Rows, issue: Issue) -> Sequence[Edit]:
        from jido_ai.text.markdown import markdown_edit  # noqa: PLC0415 - loaded where there is Markdown

        edit = markdown_edit(rows.texts, issue)
        return [] if edit is None else [edit]


# -- the whole text --------------------------------------------------------------------------------


class _Fence:
    """An open fence ends with the document, by CommonMark; the end is written down."""

    rules = frozenset({"unclosed-fence"})

    def repair(self, text: str, issue: Issue) -> str | None:
        rows, line = Rows(text, "markdown"), issue.location.line if issue.location else None
        fence = re.match(r" {0,3}(`{3,}|~{3,})", rows.texts[line - 1]) if line and line <= len(rows.texts) else None
        if fence is None:
            return None
        is_ended = text.endswith(("\n", "\r"))
        return f"{text}{fence[1]}{rows.usual_end}" if is_ended else f"{text}{rows.usual_end}{fence[1]}"


class _Data:
    """JSON and TOML: insert, remove or replace one mark near the error, if only one meaning results.

    It tries the row of the issue and the nearest row above that is not blank. For JSON with many errors, see
    `json_slips`.
    """

    rules = frozenset({"json", "toml"})

    def repair(self, text: str, issue: Issue) -> str | None:
        if issue.location is None or issue.location.line is None or len(text) > _MAX_CHARS:
            return None
        language = issue.rule or ""
        lenient = language == "json" and (issue.source == "tool:jsonc" or bool(without_comments(text).comments))
        language = "jsonc" if lenient else language
        tries = _MAX_WORK[language] // max(1, len(text))
        found: dict[str, str] = {}
        for edits in _marks(text, issue.location.line, issue.rule or ""):
            tries -= 1
            if tries < 0:
                return None  # what was not seen might be as good
            repaired = apply_edits(text, edits)
            try:
                meaning = _meaning(language, repaired)
            except ValueError:
                continue
            found.setdefault(meaning, repaired)
        if not found and language != "toml":
            return repair_json(text, lenient=lenient)
        return next(iter(found.values())) if len(found) == 1 else None


def _meaning(language: str, text: str) -> str:
    """Return the meaning of data in comparable form; duplicate keys count twice. Raises `ValueError`."""
    if language == "toml":
        return repr(parse_data("toml", text))
    try:
        plain = without_comments(text).plain if language == "jsonc" else text
        return repr(json.loads(plain, object_pairs_hook=lambda pairs: ("object", *pairs)))
    except RecursionError as error:
        raise ValueError("too deeply nested") from error


class _Yaml:
    rules = frozenset({"yaml", "yaml-tab"})

    def repair(self, text: str, issue: Issue) -> str | None:
        from jido_ai.text.yaml import repair_yaml  # noqa: PLC0415 - the parser is loaded where there is YAML

        return repair_yaml(text, issue)


def _marks(text: str, line: int, language: str) -> Iterator[tuple[Edit, ...]]:
    """Yield the edits of one mark in these rows; several of a kind in a row count as one error."""
    rows = _ROW_END.split(text)
    line = min(line, len(rows))
    above = next((row for row in range(line - 1, 0, -1) if rows[row - 1].strip()), None)
    for row in (number for number in (line, above) if number is not None):
        code = rows[row - 1]
        if len(code) > _LONGEST_ROW:
            continue
        tokens = [(one[0], one.start() + 1, one.end() + 1) for one in _TOKEN.finditer(code)]
        for token, start, end in tokens:
            if token in ",:=]}":
                yield (Edit(row, start, row, end, ""),)
            for mark in ',:]}"' if language == "json" else '=,]"':
                yield (Edit(row, end, row, end, mark),)
            yield (Edit(row, start, row, start, '"'),)
            if language == "json" and token in _WORDS:
                yield (Edit(row, start, row, end, _WORDS[token]),)
        single = list(re.finditer(r"'([^'\"\\]*)'", code))
        if single and language == "json":
            yield tuple(Edit(row, one.start() + 1, row, one.end() + 1, f'"{one[1]}"') for one in single)
        bare = list(re.finditer(r"(?<=[{,\s])([A-Za-z_]\w*)(?=\s*:)", " " + code))
        if bare and language == "json":
            yield tuple(Edit(row, one.start(), row, one.end(), f'"{one[1]}"') for one in bare)


PLACES: Final[tuple[PlaceRepairer, ...]] = (_Blanks(), _Endings(), _FinalNewline(), _Markdown())
WHOLES: Final[tuple[WholeRepairer, ...]] = (_Fence(), _Data(), _Yaml())
"""All repairers; the first one that handles an issue's rule is used."""
