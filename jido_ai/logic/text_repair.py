"""Repairs of texts that are no programs, one small class per kind of issue; what to do is certain, or nothing is done.

To add one, write a class of the shape of `Repairer` and name it in `REPAIRERS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol

from jido_ai.logic.json_slips import mend_json
from jido_ai.logic.text_checks import check_text, parse_data
from jido_ai.logic.text_edits import Edit, apply_edits
from jido_ai.values import Issue

__all__ = ["REPAIRERS", "Repairer", "mend_text"]

_MAX_CHARS: Final = 100_000
_MAX_WORK: Final = 20_000_000  # characters that are parsed, all tries together
_ROW_END = re.compile(r"\r\n|\r|\n")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\w.+-]+|\S')
_WORDS: Final = {"True": "true", "False": "false", "None": "null", "undefined": "null"}


class Repairer(Protocol):
    """Knows how to mend one kind of issue.

    Attributes:
        rules: of the issues that it is for.
    """

    rules: frozenset[str]

    def repair(self, text: str, issue: Issue) -> str | None:
        """Return the text with this issue mended, None when it is not certain how."""
        ...


def mend_text(language: str, text: str, issue: Issue, schema: Mapping[str, Any] | None = None) -> str | None:
    """Return the text without this one issue, by the check that found it, and without any that was not there before.

    None when no repairer knows how, when its edit does not help, or makes something else worse. YAML that parses says
    the same afterwards.
    """
    if schema is not None and (issue.rule or "").startswith("schema-"):
        from jido_ai.logic.json_schema import mend_by_schema  # noqa: PLC0415 - slow to load, and seldom needed

        return mend_by_schema(text, schema, issue)
    repairer = next((one for one in REPAIRERS if issue.rule in one.rules), None)
    mended = repairer.repair(text, issue) if repairer is not None else None
    if mended is None or mended == text:
        return None
    before, after = check_text(language, text), check_text(language, mended)
    better = len(after) < len(before) and {one.rule for one in after} <= {one.rule for one in before}
    return mended if better and (language != "yaml" or _says_the_same(text, mended)) else None


def _says_the_same(text: str, mended: str) -> bool:
    """Tell whether two texts mean the same YAML; True as well when the first one means nothing."""
    from jido_ai.logic.yaml_text import yaml_meaning  # noqa: PLC0415 - the parser is loaded where there is YAML

    try:
        meaning = yaml_meaning(text)
    except ValueError:
        return True
    return yaml_meaning(mended) == meaning


class _Blanks:
    rules = frozenset({"trailing-whitespace"})

    def repair(self, text: str, issue: Issue) -> str | None:
        line = issue.location.line if issue.location else None
        rows = _ROW_END.split(text)
        if line is None or line > len(rows):
            return None
        row = rows[line - 1]
        return apply_edits(text, [Edit(line, len(row.rstrip(" \t")) + 1, line, len(row) + 1, "")])


class _Endings:
    rules = frozenset({"line-endings"})

    def repair(self, text: str, issue: Issue) -> str | None:
        line = issue.location.line if issue.location else None
        ends = list(_ROW_END.finditer(text))
        if line is None or line > len(ends):
            return None
        usual = max(("\n", "\r\n", "\r"), key=[end[0] for end in ends].count)
        end = ends[line - 1]
        return text[: end.start()] + usual + text[end.end() :]


class _FinalNewline:
    rules = frozenset({"final-newline"})

    def repair(self, text: str, issue: Issue) -> str | None:
        ends = _ROW_END.findall(text)
        return text + max(("\n", "\r\n", "\r"), key=ends.count)


class _Fence:
    """An open fence ends with the document, by CommonMark; the end is written down."""

    rules = frozenset({"unclosed-fence"})

    def repair(self, text: str, issue: Issue) -> str | None:
        fence = re.search(r"`{3,}|~{3,}", issue.message)
        end = max(("\n", "\r\n", "\r"), key=_ROW_END.findall(text).count)
        return None if fence is None else text + ("" if text.endswith(("\n", "\r")) else end) + fence[0] + end


class _Data:
    """JSON and TOML: one mark put in, taken away or exchanged near where the parser stumbled, if one meaning results.

    Tried are the row of the place and the nearest one above that is not blank. JSON that no such mark mends may have
    slips of a few kinds all over it: see `json_slips`.
    """

    rules = frozenset({"json", "toml"})

    def repair(self, text: str, issue: Issue) -> str | None:
        if issue.location is None or issue.location.line is None or len(text) > _MAX_CHARS:
            return None
        language, tries = issue.rule or "", _MAX_WORK // max(1, len(text))
        found: dict[str, str] = {}
        for edits in _marks(text, issue.location.line, language):
            tries -= 1
            if tries < 0:
                return None  # what was not seen might be as good
            mended = apply_edits(text, edits)
            try:
                meaning = repr(parse_data(language, mended))
            except ValueError:
                continue
            found.setdefault(meaning, mended)
        if not found and language == "json":
            return mend_json(text)
        return next(iter(found.values())) if len(found) == 1 else None


class _Yaml:
    rules = frozenset({"yaml", "yaml-tab"})

    def repair(self, text: str, issue: Issue) -> str | None:
        from jido_ai.logic.yaml_text import mend_yaml  # noqa: PLC0415 - the parser is loaded where there is YAML

        return mend_yaml(text, issue)


class _Markdown:
    rules = frozenset({"heading-space", "reversed-link", "table-columns"})

    def repair(self, text: str, issue: Issue) -> str | None:
        from jido_ai.logic.markdown_text import mend_markdown  # noqa: PLC0415 - loaded where there is Markdown

        return mend_markdown(text, issue)


def _marks(text: str, line: int, language: str) -> Iterator[tuple[Edit, ...]]:
    """Yield the edits of one mark in the rows in question; several of a kind in a row are one slip."""
    rows = _ROW_END.split(text)
    line = min(line, len(rows))
    above = next((row for row in range(line - 1, 0, -1) if rows[row - 1].strip()), None)
    for row in (number for number in (line, above) if number is not None):
        code = rows[row - 1]
        tokens = [(one[0], one.start() + 1, one.end() + 1) for one in _TOKEN.finditer(code)]
        for token, start, end in tokens:
            if token in ",:=]}":
                yield (Edit(row, start, row, end, ""),)
            for mark in ',:]}"' if language == "json" else '=,]"':
                yield (Edit(row, end, row, end, mark),)
            yield (Edit(row, start, row, start, '"'),)
            if language == "json" and token in _WORDS:
                yield (Edit(row, start, row, end, _WORDS[token]),)
        comment = re.search(r"//|#", code)
        if comment and language == "json":
            before = code[: comment.start()].rstrip()
            yield (Edit(row, len(before) + 1, row, len(code) + 1, ""),)
        single = list(re.finditer(r"'([^'\"\\]*)'", code))
        if single and language == "json":
            yield tuple(Edit(row, one.start() + 1, row, one.end() + 1, f'"{one[1]}"') for one in single)
        bare = list(re.finditer(r"(?<=[{,\s])([A-Za-z_]\w*)(?=\s*:)", " " + code))
        if bare and language == "json":
            yield tuple(Edit(row, one.start(), row, one.end(), f'"{one[1]}"') for one in bare)


REPAIRERS: Final[tuple[Repairer, ...]] = (
    _Blanks(),
    _Endings(),
    _FinalNewline(),
    _Fence(),
    _Data(),
    _Yaml(),
    _Markdown(),
)
"""All of them; the first whose rules name an issue is asked."""
