"""Unified diffs: read as git and diff write them, and written as git and patch read them. Pure."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from jido_ai.errors import ConfigurationError
from jido_ai.text.change import lines_of

_HUNK: Final = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(.*)", re.DOTALL)
_ESCAPE: Final = re.compile(r'\\([abtnvfr"\\]|[0-7]{3})')
_ESCAPES: Final = dict(zip('abtnvfr"\\', '\a\b\t\n\v\f\r"\\', strict=True))
_NULL: Final = "/dev/null"
_EXTENDED: Final = (
    "old mode ", "new mode ", "deleted file mode ", "new file mode ", "copy from ", "copy to ", "rename from ",
    "rename to ", "similarity index ", "dissimilarity index ", "index ",
)  # fmt: skip
_NO_END: Final = "\\ No newline at end of file\n"
_LETTERS: Final = frozenset("abciow12")

Sign = Literal[" ", "-", "+"]


@dataclass(frozen=True, slots=True)
class Hunk:
    """One hunk.

    Attributes:
        start, new_start: the first line in the old and in the new text, from 1, as the header says.
        lines: each with its sign; a last line of a text without a line end has none.
        raw: as it was written, header included.
    """

    start: int
    new_start: int
    lines: tuple[tuple[Sign, str], ...]
    raw: str = ""

    @property
    def old(self) -> list[str]:
        """The lines of the old text."""
        return [text for sign, text in self.lines if sign != "+"]


@dataclass(frozen=True, slots=True)
class FilePatch:
    """The changes of one file.

    Attributes:
        old, new: paths as in the project, without the prefixes a/ and b/; None for a file that is not there.
        old_mode, new_mode: as git writes them; None if unknown.
        is_binary: its contents are not text.
        is_copy: `old` stays.
        raw: as it was written.
    """

    old: str | None
    new: str | None
    hunks: tuple[Hunk, ...] = ()
    old_mode: str | None = None
    new_mode: str | None = None
    is_binary: bool = False
    is_copy: bool = False
    raw: str = ""
    head: str = ""

    @property
    def path(self) -> str:
        """The path to name in a report."""
        return self.new or self.old or ""


# -- reading ---------------------------------------------------------------------------------------


def parse_patch(text: str) -> tuple[FilePatch, ...]:
    """Return the changes of each file, in order; nothing for a text of white space.

    Text before, between and after the diffs (a mail, `Index:` lines) is passed over.

    Raises:
        ConfigurationError: it is no unified diff, or is cut off; the message names the line.
    """
    reader = _Reader(lines_of(text))
    found: list[FilePatch] = []
    while (patch := reader.next_file()) is not None:
        found.append(patch)
    if not found and text.strip():
        raise ConfigurationError("no unified diff in it; expected lines such as --- a/FILE, +++ b/FILE, @@ -1 +1 @@")
    return tuple(found)


class _Reader:
    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._at = 0

    def _line(self, ahead: int = 0) -> str:
        place = self._at + ahead
        return self._lines[place] if place < len(self._lines) else ""

    def next_file(self) -> FilePatch | None:
        while self._at < len(self._lines):
            if self._line().startswith("diff --git "):
                return self._git()
            if self._is_header():
                return self._plain(self._at, {})
            if re.match(r"@@ -\d", self._line()):
                raise self._fault("a hunk without the names of its file (--- and +++), or with a header out of range")
            self._at += 1
        return None

    def _is_header(self) -> bool:
        """Tell whether the names of a file are here."""
        return self._line().startswith("--- ") and self._line(1).startswith("+++ ")

    def _git(self) -> FilePatch:
        begin = self._at
        names = _header_names(_bare(self._line())[len("diff --git ") :])
        told: dict[str, str] = {}
        self._at += 1
        while (line := _bare(self._line())).startswith(_EXTENDED):
            key = next(one for one in _EXTENDED if line.startswith(one))
            told[key.strip()] = line[len(key) :]
            self._at += 1
        if self._is_header():
            return self._plain(begin, told, names)
        is_binary = line.startswith(("GIT binary patch", "Binary files "))
        if is_binary:
            self._at += 1
            while self._at < len(self._lines) and not self._line().startswith(("diff --git ", "--- ", "From ")):
                self._at += 1
        if names is None and "rename to" not in told and "copy to" not in told:
            raise self._fault("the names of the file cannot be told apart", begin)
        old, new = names or (None, None)
        return self._file(begin, told, old, new, (), is_binary=is_binary)

    def _plain(self, begin: int, told: dict[str, str], names: tuple[str, str] | None = None) -> FilePatch:
        old, new = _name(self._line()[4:]), _name(self._line(1)[4:])
        self._at += 2
        old_name, new_name = _without_prefix(old, new)
        if names is not None:  # the names after `diff --git` tell whether there are prefixes
            old_name = None if old_name is None else names[0]
            new_name = None if new_name is None else names[1]
        head_end = self._at
        hunks: list[Hunk] = []
        while _HUNK.match(self._line()):
            hunks.append(self._hunk())
        if not hunks:
            raise self._fault(f"expected a hunk (@@ -1 +1 @@) of {new_name or old_name!r}")
        if old_name is None and new_name is None:
            raise self._fault("both names are /dev/null", begin)
        return self._file(begin, told, old_name, new_name, hunks, head_end=head_end)

    def _file(
        self,
        begin: int,
        told: dict[str, str],
        old: str | None,
        new: str | None,
        hunks: Sequence[Hunk],
        *,
        is_binary: bool = False,
        head_end: int | None = None,
    ) -> FilePatch:
        is_copy = "copy to" in told
        for key, other in (("rename", False), ("copy", True)):
            if f"{key} to" in told and f"{key} from" in told and other == is_copy:
                old, new = _unquoted(told[f"{key} from"]), _unquoted(told[f"{key} to"])
        old = None if "new file mode" in told else old
        new = None if "deleted file mode" in told else new
        end = head_end if head_end is not None else self._at
        return FilePatch(
            old,
            new,
            tuple(hunks),
            told.get("old mode") or told.get("deleted file mode") or _mode_of(told),
            told.get("new mode") or told.get("new file mode") or _mode_of(told),
            is_binary=is_binary,
            is_copy=is_copy,
            raw="".join(self._lines[begin : self._at]),
            head="".join(self._lines[begin:end]),
        )

    def _hunk(self) -> Hunk:
        begin = self._at
        found = _HUNK.match(self._line())
        assert found is not None
        start, count, new_start, new_count, _ = found.groups()
        left, new_left = int(count or "1"), int(new_count or "1")
        lines: list[tuple[Sign, str]] = []
        self._at += 1
        while left > 0 or new_left > 0:
            line = self._line()
            sign = line[:1]
            if sign in (" ", "\n") or line == "\r\n":
                left, new_left = left - 1, new_left - 1
                lines.append((" ", line[1:] if sign == " " else line))
            elif sign == "-":
                left -= 1
                lines.append(("-", line[1:]))
            elif sign == "+":
                new_left -= 1
                lines.append(("+", line[1:]))
            elif sign == "\\" and lines:
                lines[-1] = (lines[-1][0], _without_end(lines[-1][1]))
            else:
                raise self._fault("the hunk is cut off, or its header counts more lines than it has")
            if left < 0 or new_left < 0:
                raise self._fault("the hunk has more lines than its header counts")
            self._at += 1
        if self._line().startswith("\\") and lines:
            lines[-1] = (lines[-1][0], _without_end(lines[-1][1]))
            self._at += 1
        elif lines and not lines[-1][1].endswith("\n"):  # the patch itself ends without a line end
            lines[-1] = (lines[-1][0], f"{lines[-1][1]}\n")
        raw = "".join(self._lines[begin : self._at])
        return Hunk(int(start), int(new_start), tuple(lines), raw if raw.endswith("\n") else f"{raw}\n")

    def _fault(self, said: str, at: int | None = None) -> ConfigurationError:
        return ConfigurationError(f"line {(self._at if at is None else at) + 1} of the patch: {said}")


def _mode_of(told: dict[str, str]) -> str | None:
    """Return the mode at the end of an index line."""
    _, _, mode = told.get("index", "").partition(" ")
    return mode or None


def _bare(line: str) -> str:
    return line.rstrip("\r\n")


def _without_end(line: str) -> str:
    return line.removesuffix("\n")


def _name(text: str) -> str:
    """Return the name after --- or +++, without the time that may follow."""
    text = _bare(text)
    return _unquoted(text) if text.startswith('"') else text.partition("\t")[0].rstrip(" ")


def _unquoted(text: str) -> str:
    """Return a name that git has written between quotes if it has odd characters."""
    text = text.partition("\t")[0] if not text.startswith('"') else text
    if not (text.startswith('"') and '"' in text[1:]):
        return text
    inside = text[1 : text.rindex('"')]
    raw = _ESCAPE.sub(lambda one: _ESCAPES.get(one[1]) or chr(int(one[1], 8)), inside)
    try:
        return raw.encode("latin-1").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return raw  # it has characters that git would have escaped


def _header_names(text: str) -> tuple[str, str] | None:
    """Return both names after `diff --git`; None where they cannot be told apart."""
    if text.startswith('"') or text.endswith('"'):
        found = re.fullmatch(r'("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)', text)
        pairs = [(_unquoted(found[1]), _unquoted(found[2]))] if found else []
    else:
        places = [one.start() for one in re.finditer(" ", text)]
        pairs = [(text[:place], text[place + 1 :]) for place in places]
    for old, new in pairs:
        if old == new or old.partition("/")[2] == new.partition("/")[2] != "":
            first, second = _without_prefix(old, new)
            return (first or old, second or new)
    if len(pairs) == 1:
        first, second = _without_prefix(*pairs[0])
        return (first or pairs[0][0], second or pairs[0][1])
    return None


def _without_prefix(old: str, new: str) -> tuple[str | None, str | None]:
    """Return both names without the folder that only tells old from new; None for a file that is not there."""
    (first, _, rest), (second, _, other) = old.partition("/"), new.partition("/")
    if _NULL in (old, new):
        prefix, name, whole = (first, rest, old) if new == _NULL else (second, other, new)
        name = name if prefix in _LETTERS and name else whole
        return (None if old == _NULL else name), (None if new == _NULL else name)
    is_told = first != second and rest and (rest == other or (first in _LETTERS and second in _LETTERS and other))
    return (rest, other) if is_told else (old, new)


# -- writing ---------------------------------------------------------------------------------------


def diff_header(old: str | None, new: str | None, *, mode: str = "100644", has_lines: bool = True) -> str:
    """Return the lines before the hunks of a file, as git writes them."""
    first, second = old or new or "", new or old or ""
    lines = [f"diff --git {_quoted('a/', first)} {_quoted('b/', second)}"]
    if old is None:
        lines.append(f"new file mode {mode}")
    elif new is None:
        lines.append(f"deleted file mode {mode}")
    elif old != new:
        lines += [f"rename from {_quoted('', old)}", f"rename to {_quoted('', new)}"]
    if has_lines:
        names = [_NULL if old is None else _quoted("a/", old), _NULL if new is None else _quoted("b/", new)]
        names = [f"{name}\t" if " " in name and not name.startswith('"') else name for name in names]
        lines += [f"--- {names[0]}", f"+++ {names[1]}"]
    return "".join(f"{line}\n" for line in lines)


def rendered_hunk(start: int, new_start: int, lines: Iterable[tuple[Sign, str]]) -> str:
    """Return a hunk with its header; `start` and `new_start` are the indexes of its first line, from 0."""
    lines = list(lines)
    counts = [sum(sign != other for sign, _ in lines) for other in ("+", "-")]
    spans = [
        f"{first + (count > 0)}" + ("" if count == 1 else f",{count}")
        for first, count in zip((start, new_start), counts, strict=True)
    ]
    text = [sign + (line if line.endswith("\n") else f"{line}\n{_NO_END}") for sign, line in lines]
    return f"@@ -{spans[0]} +{spans[1]} @@\n" + "".join(text)


def patch_of_texts(
    path: str, old: str | None, new: str | None, old_mode: str | None = None, new_mode: str | None = None
) -> str:
    """Return the patch of one file from its texts; None for one that is not there, "" if nothing differs.

    A text with a NUL character is named as binary.
    """
    names = (path if old is not None else None, path if new is not None else None)
    mode = new_mode or old_mode or "100644"
    plain = diff_header(*names, mode=mode, has_lines=False)
    has_modes = old is not None and new is not None and old_mode != new_mode
    head = plain + (f"old mode {old_mode}\nnew mode {new_mode}\n" if has_modes else "")
    if old is not None and new is not None and old == new:
        return head if has_modes else ""
    if not old and not new:
        return head
    if "\0" in (old or "") or "\0" in (new or ""):
        return f"{head}Binary files a/{path} and b/{path} differ\n"
    head += diff_header(*names, mode=mode).removeprefix(plain)
    return head + "".join(_hunks(lines_of(old or ""), lines_of(new or "")))


def _hunks(old: list[str], new: list[str]) -> Iterator[str]:
    for number, line in enumerate(difflib.unified_diff(old, new)):
        if number >= 2:  # after the names
            yield line if line.endswith("\n") else f"{line}\n{_NO_END}"


def _quoted(prefix: str, name: str) -> str:
    """Return a name as git writes it, between quotes if it has characters that a patch cannot have."""
    whole = prefix + name
    if not any(char in '"\\' or ord(char) < 32 or ord(char) == 127 or 0xDC80 <= ord(char) <= 0xDCFF for char in whole):
        return whole
    shown = {char: f"\\{short}" for short, char in _ESCAPES.items()}
    parts = [
        shown.get(chr(byte)) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}")
        for byte in whole.encode("utf-8", "surrogateescape")
    ]
    return '"' + "".join(parts) + '"'
