"""Unified diffs as `ruff format --diff` prints them: split by file, and applied. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_RANGES: Final = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@")


def diffs_by_file(diff: str) -> dict[str, str]:
    """Return the diff of each file by the file's name.

    Raises:
        ValueError: it is no unified diff.
    """
    lines = _LINE.findall(diff)
    starts: list[int] = []
    at = 0
    while at < len(lines):
        if lines[at].startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            starts.append(at)
            at += 2
        elif starts and lines[at].startswith("@@ "):
            *_, at = _hunk(lines, at)
        elif lines[at].strip():
            raise ValueError(f"not a line of a diff: {lines[at][:60]!r}")
        else:
            at += 1
    parts = (lines[start:end] for start, end in pairwise([*starts, len(lines)]))
    return {part[0][4:].rstrip("\r\n"): "".join(part) for part in parts}


def patched(text: str, diff: str) -> str:
    """Return the text with the diff of one file applied; an empty diff changes nothing.

    Raises:
        ValueError: it is no unified diff, or not of this text.
    """
    old, new, done = _LINE.findall(text), list[str](), 0
    for start, hunk in _hunks(_LINE.findall(diff)):
        new += old[done:start]
        done = start
        for sign, line in hunk:
            if sign != "+":
                if done >= len(old) or old[done] != line:
                    raise ValueError(f"the diff does not fit line {done + 1}")
                done += 1
            if sign != "-":
                new.append(line)
    return "".join([*new, *old[done:]])


def _hunks(lines: list[str]) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    at = 0
    while at < len(lines):
        if lines[at].startswith("@@ "):
            start, hunk, at = _hunk(lines, at)
            yield start, hunk
        else:
            at += 1


def _hunk(lines: list[str], at: int) -> tuple[int, list[tuple[str, str]], int]:
    """Return the index of a hunk's first old line, its lines with their signs, and the index after it."""
    ranges = _RANGES.match(lines[at])
    if ranges is None:
        raise ValueError(f"not a hunk header: {lines[at][:60]!r}")
    olds, news = (1 if size is None else int(size) for size in ranges.groups()[1:])
    start = int(ranges[1]) - (olds > 0)
    hunk: list[tuple[str, str]] = []
    at += 1
    while olds or news or (at < len(lines) and lines[at].startswith("\\")):
        line = lines[at] if at < len(lines) else ""
        at += 1
        if line.startswith("\\") and hunk:  # the line before has no end
            sign, last = hunk[-1]
            hunk[-1] = (sign, last.removesuffix("\n"))
            continue
        sign, rest = (line[0], line[1:]) if line[:1] in {" ", "-", "+"} else (" ", line)
        if not rest:
            raise ValueError("a hunk ends early")
        hunk.append((sign, rest))
        olds -= sign != "+"
        news -= sign != "-"
        if min(olds, news) < 0:
            raise ValueError("a hunk has more lines than it says")
    return start, hunk, at
