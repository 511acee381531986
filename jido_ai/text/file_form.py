"""The form of a file: byte order mark, line ends, shebang, coding line and licence header, kept in a revision. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from jido_ai.text.comments import program_of

BOM: Final = "\ufeff"
_LINE: Final = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
_CODING: Final = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
_COMMENT: Final = re.compile(r"[ \t]*(?:#(?!!)|//|--(?!-)|;|%)")
_BLOCKS: Final = (("/*", "*/"), ("<!--", "-->"), ("(*", "*)"))
_LICENCE: Final = re.compile(
    r"SPDX-License-Identifier|SPDX-FileCopyrightText|copyright|©|licen[sc]ed?\b|all rights reserved", re.IGNORECASE
)
_SURE_LICENCE: Final = re.compile(
    r"SPDX-License-Identifier|SPDX-FileCopyrightText|copyright\s+(?:\(c\)|©|\d{4})|©\s*\d{4}|licensed under",
    re.IGNORECASE,
)
_SPDX: Final = re.compile(r"SPDX-License-Identifier", re.IGNORECASE)
_FENCES: Final = {
    mark: re.compile(rf"^([ \t]*)({opening})([^\n`]*)\n(.*?)^[ \t]*\2[ \t]*$\n?", re.DOTALL | re.MULTILINE)
    for mark, opening in (("```", "`{3,}"), ("~~~", r"~{3,}(?=[ \t]*\w)"))  # lines of ~ alone are also underlines
}
_WHOLE: Final = re.compile(r"(?:\s*\n)?([ \t]*)(`{3,}|~{3,})[^\n`]*\n(.*?)((?:\n[ \t]*)?\2\s*)?", re.DOTALL)
_PYTHON: Final = re.compile(r"[ \t]*py(?:thon)?3?\b", re.IGNORECASE)
_LONE_CLOSING: Final = re.compile(r"(.*\n)[ \t]*(`{3,}|~{3,})\s*", re.DOTALL)


def lines_with_ends(text: str) -> list[tuple[str, str]]:
    """Return every line with its line end; the last line may be empty, and has none."""
    return [(found[1], found[2]) for found in _LINE.finditer(text)]


def coding_line(text: str) -> tuple[int, str] | None:
    """Return the line that declares the encoding (PEP 263), with its index from 0; None if there is none."""
    for number, (line, _) in enumerate(lines_with_ends(text)[:2]):
        if _CODING.match(line):
            return number, line
        if line.strip() and not line.lstrip().startswith("#"):
            return None
    return None


def without_prose(text: str, *, is_python: bool = False) -> str:
    """Return the only fenced block of a text, if there is other text around it and the whole is not a Python program.

    A fence that is never closed counts on the first line, one that was never opened on the last.

    Args:
        is_python: of two blocks, the one marked as Python is returned, if the other is marked as something else.
    """
    whole = without_fence(text, may_be_open=True)
    if whole is not text:
        return whole
    for mark, fence in _FENCES.items():
        marks = text.count(mark)
        blocks = list(fence.finditer(text)) if marks == 2 or (marks == 4 and is_python) else []
        if len(blocks) == 2 and all(block[3].strip() for block in blocks):
            blocks = [block for block in blocks if _PYTHON.match(block[3])]
        if len(blocks) == 1 and blocks[0][4].strip() and program_of(text) is None:
            return _dedented(blocks[0][4], blocks[0][1])
    lone = _LONE_CLOSING.fullmatch(text)
    return lone[1] if lone and lone[2][:3] not in lone[1] and lone[1].strip() else text


def without_fence(text: str, *, may_be_open: bool = False) -> str:
    """Return the content of a fence around the whole text, without its indentation; without a fence, the text.

    Args:
        may_be_open: the closing fence may be missing.
    """
    found = _WHOLE.fullmatch(text)
    if found is None or found[2] in found[3] or not (found[4] or (may_be_open and found[3].strip())):
        return text
    return _dedented(found[3], found[1])


def _dedented(text: str, indent: str) -> str:
    return re.sub(rf"^[ \t]{{1,{len(indent)}}}", "", text, flags=re.MULTILINE) if indent else text


def in_form_of(old: str, new: str, *, is_file: bool) -> str:
    """Return the revised text in the form of the old one.

    Put back, as far as the new text lost them: the shebang, the coding line, the licence header, the last line end, the
    line ends (of all lines if those of the old text are all the same, else of the lines that it has) and the byte
    order mark. A shebang, a coding line or a licence that was changed stays as it is in the new text.

    Args:
        is_file: the text is a source file. In other texts a heading may look like a comment, so only an SPDX line or a
            notice with its year counts as a licence header.
    """
    if not old.strip() or not new.strip():
        return new
    before, text = old.removeprefix(BOM), new.removeprefix(BOM)
    text = _with_licence(before, _with_first_lines(before, text), _LICENCE if is_file else _SURE_LICENCE)
    if before.endswith(("\n", "\r")) and not text.endswith(("\n", "\r")):
        text += "\n"
    return (BOM if old.startswith(BOM) else "") + _with_ends(before, text)


def _with_ends(old: str, text: str) -> str:
    ends: dict[str, set[str]] = {}
    for line, end in lines_with_ends(old):
        if end:
            ends.setdefault(line, set()).add(end)
    kinds = set[str]().union(*ends.values())
    if len(kinds) == 1:
        return text.replace("\r\n", "\n").replace("\n", kinds.pop())
    kept = {line: next(iter(found)) for line, found in ends.items() if len(found) == 1}
    return "".join(line + (end and kept.get(line, end)) for line, end in lines_with_ends(text)) if kept else text


def _with_first_lines(old: str, text: str) -> str:
    if old.startswith("#!") and not text.startswith("#!"):
        text = f"{_lines(old)[0]}\n{text}"
    coding = coding_line(old)
    if coding is not None and coding_line(text) is None:
        lines = _lines(text)
        place = int(text.startswith("#!"))
        text = "\n".join([*lines[:place], coding[1], *lines[place:]])
    return text


def _with_licence(old: str, text: str, licence: re.Pattern[str]) -> str:
    before, lines = _lines(old), _lines(text)
    header = _header(before, licence)
    above = "\n".join(lines[: max((end for _, end in _comment_blocks(lines)), default=0)])
    is_lost = header and not (licence.search(above) and (_SPDX.search(above) or not _SPDX.search("\n".join(header))))
    if not is_lost:
        return text
    place = rest = _first(lines)
    while rest < len(lines) and (not lines[rest].strip() or lines[rest] in header):  # a part of it may be left
        rest += 1
    return "\n".join([*lines[:place], *header, *lines[rest:]])


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


def _first(lines: Sequence[str]) -> int:
    """Return the number of the first line, from 0, below the shebang and the coding line."""
    first = int(lines[0].startswith("#!"))
    coding = coding_line("\n".join(lines[:2]))
    return first + 1 if coding is not None and coding[0] == first else first


def _header(lines: Sequence[str], licence: re.Pattern[str]) -> list[str]:
    """Return the lines of the comments on top that are about the licence, with the blank lines below them."""
    found = [block for block in _comment_blocks(lines) if licence.search("\n".join(lines[slice(*block)]))]
    if not found:
        return []
    end = found[-1][1]
    while end < len(lines) and not lines[end].strip():
        end += 1
    return list(lines[found[0][0] : end])


def _comment_blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield first line and end of each comment before anything else; a blank line ends one."""
    row = _first(lines)
    while row < len(lines):
        first, line = row, lines[row].lstrip()
        close = next((close for begin, close in _BLOCKS if line.startswith(begin)), None)
        if close is not None:
            while row < len(lines) and close not in lines[row]:
                row += 1
            row += 1
        elif _COMMENT.match(line):
            while row < len(lines) and _COMMENT.match(lines[row]):
                row += 1
        elif line:
            return
        else:
            row += 1
            continue
        yield first, min(row, len(lines))
