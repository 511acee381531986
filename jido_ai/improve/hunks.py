"""Hunks: a patch split into edits that can be made one by one, and joined again. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from jido_ai.errors import ConfigurationError
from jido_ai.improve.patches import FilePatch, Hunk, Sign, diff_header, rendered_hunk
from jido_ai.text.change import lines_of

_CONTEXT: Final = 3  # lines around the hunks that are written
_LONGEST_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class LineEdit:
    """Lines that replace others: a run of changed lines between unchanged ones.

    Attributes:
        start: index of the first replaced line of the old text, from 0; lines are inserted before it if none is
            replaced.
    """

    start: int
    removed: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def end(self) -> int:
        """Index after the last replaced line."""
        return self.start + len(self.removed)


def placed_edits(hunk: Hunk, old: Sequence[str], after: int = 0) -> tuple[LineEdit, ...]:
    """Return the edits of a hunk at their places in the lines of the old text.

    Lines must be found as the hunk has them, where it says, or else at one other place only.

    Args:
        after: index in the old text before which an earlier hunk ends.

    Raises:
        ConfigurationError: the place cannot be found, or is taken.
    """
    place = _place(hunk, old)
    if place < after:
        raise ConfigurationError("it overlaps the hunk before it")
    edits = tuple(_edits(hunk, place))
    for edit in edits:
        if any(not line.endswith("\n") for line in edit.added[:-1]) or (
            edit.added and not edit.added[-1].endswith("\n") and edit.end != len(old)
        ):
            raise ConfigurationError("it leaves a line without an end within the file")
        if not edit.removed and edit.start == len(old) and old and not old[-1].endswith("\n"):
            raise ConfigurationError("it adds lines after a last line without an end")
    return edits


def _place(hunk: Hunk, old: Sequence[str]) -> int:
    wanted = hunk.old
    if not wanted:
        if hunk.start > len(old):
            raise ConfigurationError(f"the file has {len(old)} lines, and the hunk adds some after line {hunk.start}")
        return hunk.start
    size, expected = len(wanted), hunk.start - 1
    if list(old[max(expected, 0) : expected + size]) == wanted and expected >= 0:
        return expected
    places = [at for at in range(len(old) - size + 1) if old[at] == wanted[0] and list(old[at : at + size]) == wanted]
    if len(places) == 1:
        return places[0]
    if places:
        raise ConfigurationError(f"its lines are not at line {hunk.start}, and at {len(places)} other places")
    for number, line in enumerate(wanted):
        found = old[expected + number] if 0 <= expected + number < len(old) else None
        if found != line:
            break
    else:
        found, line, number = None, wanted[0], 0
    if found is not None and found.rstrip("\r\n") == line.rstrip("\r\n"):
        raise ConfigurationError(f"its line ends differ from those of the file at line {hunk.start + number}")
    there = "ends before" if found is None else f"has {_shown(found)}"
    raise ConfigurationError(f"line {hunk.start + number} should be {_shown(line)}, and the file {there}")


def _shown(line: str) -> str:
    text = line.strip()
    return repr(text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}...")


def _edits(hunk: Hunk, place: int) -> Iterator[LineEdit]:
    removed: list[str] = []
    added: list[str] = []
    for sign, line in (*hunk.lines, (" ", "")):
        if sign == "-":
            removed.append(line)
        elif sign == "+":
            added.append(line)
        else:
            if removed or added:
                yield LineEdit(place, tuple(removed), tuple(added))
                place += len(removed)
                removed, added = [], []
            place += 1


def joined(text: str, edits: Collection[LineEdit]) -> str:
    """Return the text with these edits, which do not overlap."""
    old = lines_of(text)
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        parts += [*old[at : edit.start], *edit.added]
        at = edit.end
    return "".join([*parts, *old[at:]])


def rendered(path: str, text: str, edits: Collection[LineEdit], others: Collection[LineEdit] = ()) -> str:
    """Return a patch that makes these edits; "" without any.

    Args:
        others: edits that may have been made before: the hunks have no line of theirs as context, so that the patch
            applies with them and without them.
    """
    if not edits:
        return ""
    old = lines_of(text)
    ordered = sorted(edits, key=lambda one: (one.start, one.end))
    walls = sorted((one.start, one.end) for one in others)
    parts = [diff_header(path, path)]
    shift = 0
    for group in _groups(ordered, walls):
        first, last = group[0].start, group[-1].end
        before = min(_CONTEXT, first - max((end for _, end in walls if end <= first), default=0))
        after = min(_CONTEXT, min((start for start, _ in walls if start >= last), default=len(old)) - last)
        if first == before > 0 and any(start == 0 for start, _ in walls):
            before -= 1  # a hunk at line 1 would have to begin there
        if walls and first > before and last + after < len(old):
            # to `patch`, fewer lines on one side mean that the file begins or ends there
            before, after = min(before, max(after, 1)), min(after, max(before, 1))
        begin, end = first - before, last + after
        parts.append(rendered_hunk(begin, begin + shift, _hunk_lines(old, group, begin, end)))
        shift += sum(len(one.added) - len(one.removed) for one in group)
    return "".join(parts)


def _groups(edits: Sequence[LineEdit], walls: Sequence[tuple[int, int]]) -> Iterator[list[LineEdit]]:
    """Yield the edits that share a hunk: near each other, and no other edit between."""
    group: list[LineEdit] = []
    for edit in edits:
        if group:
            end = group[-1].end
            is_far = edit.start - end > 2 * _CONTEXT
            if is_far or any(end <= start and stop <= edit.start for start, stop in walls):
                yield group
                group = []
        group.append(edit)
    if group:
        yield group


def _hunk_lines(old: Sequence[str], edits: Sequence[LineEdit], begin: int, end: int) -> Iterator[tuple[Sign, str]]:
    at = begin
    for edit in edits:
        for line in old[at : edit.start]:
            yield " ", line
        for line in edit.removed:
            yield "-", line
        for line in edit.added:
            yield "+", line
        at = edit.end
    for line in old[at:end]:
        yield " ", line


def whole_file(patch: FilePatch, before: str, after: str, mode: str) -> str:
    """Return a patch that creates, deletes or renames a file, with all its lines."""
    old, new = lines_of(before), lines_of(after)
    if patch.old is not None and patch.new is not None:
        edits: list[LineEdit] = []
        for hunk in patch.hunks:
            edits += placed_edits(hunk, old)
        body = rendered(patch.new, before, edits)
        head = diff_header(patch.old, patch.new, has_lines=bool(edits))
        return head + body.removeprefix(diff_header(patch.new, patch.new))
    head = diff_header(patch.old, patch.new, mode=mode, has_lines=bool(old or new))
    signs: tuple[tuple[Sign, list[str]], ...] = (("-", old), ("+", new))
    lines: list[tuple[Sign, str]] = [(sign, line) for sign, mine in signs for line in mine]
    return head + (rendered_hunk(0, 0, lines) if lines else "")
