"""Branches of a JSON text: their paths in words, and the text that takes some of them from another one. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, cast

from jido_ai.text.json_spans import Path, value_spans
from jido_ai.values import Issue

__all__ = ["json_path", "merged_branches", "path_of"]

_NAME: Final = re.compile(r"[^\W\d]\w*")
_STEP: Final = re.compile(r'\.?(?P<name>[^\W\d]\w*)|\[(?P<index>\d+)\]|\[(?P<key>"(?:[^"\\]|\\.)*")\]')


def json_path(path: Path) -> str:
    """Return a path in words: `items[2].price`; `$` for the whole."""
    parts: list[str] = []
    for part in path:
        if isinstance(part, int):
            parts.append(f"[{part}]")
        elif _NAME.fullmatch(part):
            parts.append(f".{part}" if parts else part)
        else:
            parts.append(f"[{json.dumps(part, ensure_ascii=False)}]")
    return "".join(parts) or "$"


def path_of(issue: Issue) -> Path:
    """Return the path in an issue's location, the reverse of `json_path`; () if there is none, or no JSON path."""
    said = (issue.location.path if issue.location else None) or "$"
    path: list[str | int] = []
    at = 0
    while said != "$" and at < len(said):
        found = _STEP.match(said, at)
        if found is None:
            return ()
        name, index, key = found["name"], found["index"], found["key"]
        path.append(name if name is not None else int(index) if index is not None else cast("str", json.loads(key)))
        at = found.end()
    return tuple(path)


def merged_branches(old: str, new: str, issues: Sequence[Issue]) -> str:
    """Return the new JSON text with every branch that has no finding as it is in the old one, byte for byte.

    A finding without a JSON path is about the whole, and so is a critique without findings. Unless both texts are JSON,
    the new one is returned as it is.
    """
    try:
        before, after, spans = cast("object", json.loads(old)), cast("object", json.loads(new)), value_spans(old)
        paths = [path_of(issue) for issue in issues]
        is_known = [path in spans or path[:-1] in spans for path in paths]
        wrong = [path if known else () for path, known in zip(paths, is_known, strict=True)] or [()]
        merge = _Merge(old, spans, new, wrong)
        return merge.text((), before, after)
    except (ValueError, RecursionError):
        return new


class _Merge:
    """Joins two JSON texts: branches without a finding come from the old one."""

    def __init__(self, old: str, spans: Mapping[Path, tuple[int, int]], new: str, open_paths: Sequence[Path]) -> None:
        self._old, self._spans = old, spans
        self._new, self._new_spans = new, value_spans(new)
        self._open = open_paths

    def text(self, path: Path, before: object, after: object) -> str:
        """Return the text of one branch."""
        start, end = self._spans[path]
        kept = self._old[start:end]
        if _is_same(before, after) or not self._may_change_within(path):
            return kept
        if isinstance(before, dict) and isinstance(after, dict):
            return self._members(path, kept, cast("dict[str, object]", before), cast("dict[str, object]", after))
        if isinstance(before, list) and isinstance(after, list):
            old, new = cast("list[object]", before), cast("list[object]", after)
            if len(old) == len(new) or not self._may_change(path):
                pairs = zip(range(len(old)), old, [*new, *old[len(new) :]], strict=False)
                return _with_layout(kept, [self.text((*path, index), one, other) for index, one, other in pairs])
        return self._from_new(path) if self._may_change(path) else kept

    def _members(self, path: Path, kept: str, before: dict[str, object], after: dict[str, object]) -> str:
        members: list[str] = []
        for name, value in before.items():
            inner = (*path, name)
            if name in after:
                text = self.text(inner, value, after[name])
            elif self._may_change(inner):
                continue
            else:
                text = self._old[slice(*self._spans[inner])]
            members.append(f"{json.dumps(name, ensure_ascii=False)}: {text}")
        added = [name for name in after if name not in before and self._may_change((*path, name))]
        members += [f"{json.dumps(name, ensure_ascii=False)}: {self._from_new((*path, name))}" for name in added]
        return _with_layout(kept, members)

    def _from_new(self, path: Path) -> str:
        return self._new[slice(*self._new_spans[path])]

    def _may_change(self, path: Path) -> bool:
        return any(path[: len(one)] == one for one in self._open)

    def _may_change_within(self, path: Path) -> bool:
        return self._may_change(path) or any(one[: len(path)] == path for one in self._open)


def _is_same(one: object, other: object) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)  # 1 is neither True nor 1.0


def _with_layout(old: str, parts: Sequence[str]) -> str:
    """Return a container of these parts, with the brackets and, if it has several rows, the indent of the old one."""
    if not parts:
        return old[0] + old[-1]
    indent = re.match(r".(\s*\n[ \t]*)", old)
    if indent is None:
        return f"{old[0]}{', '.join(parts)}{old[-1]}"
    rest = re.search(r"\s*.$", old)
    assert rest is not None
    return f"{old[0]}{indent[1]}{f',{indent[1]}'.join(parts)}{rest[0]}"
