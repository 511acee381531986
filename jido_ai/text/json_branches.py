"""Branches of a JSON text: their paths in words, and the text that takes some of them from another one. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final, cast

from jido_ai.text.json_spans import Path, value_spans
from jido_ai.values import Issue

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


def merged_branches(old: str, new: str, issues: Sequence[Issue], tags: Collection[str] = ()) -> str:
    """Return the new JSON text with the branches that have no finding as they are in the old one, byte for byte.

    That is done only where the structure around a finding is the same in both. The new text counts whole for a list
    with a finding in it, for an object with another tag, or with other names (some are new and some without a finding
    are gone), and for a value of another kind. New keys are kept. A
    finding without a JSON path is about the whole, and so is a critique without findings. Unless both texts are JSON,
    the new one is returned as it is.

    Args:
        tags: names of properties that say what kind of object it is.
    """
    try:
        before, after, spans = cast("object", json.loads(old)), cast("object", json.loads(new)), value_spans(old)
        paths = [path_of(issue) for issue in issues]
        is_known = [path in spans or path[:-1] in spans for path in paths]
        wrong = [path if known else () for path, known in zip(paths, is_known, strict=True)] or [()]
        return _Merge(old, spans, new, wrong, tags).text((), before, after, is_open=False)
    except (ValueError, RecursionError):
        return new


class _Merge:
    """Joins two JSON texts: branches without a finding come from the old one.

    In an open branch the data is that of the new text, and only the bytes of equal parts are those of the old one.
    """

    def __init__(
        self,
        old: str,
        spans: Mapping[Path, tuple[int, int]],
        new: str,
        wrong: Sequence[Path],
        tags: Collection[str],
    ) -> None:
        self._old, self._spans = old, spans
        self._new, self._new_spans = new, value_spans(new)
        self._wrong = frozenset(wrong)
        self._on_the_way = frozenset(path[:length] for path in wrong for length in range(len(path) + 1))
        self._tags = tags

    def text(self, path: Path, before: object, after: object, *, is_open: bool) -> str:
        """Return the text of one branch."""
        kept = self._old[slice(*self._spans[path])]
        if is_same(before, after):
            return kept
        is_open = is_open or path in self._wrong
        if not is_open and path not in self._on_the_way:
            return kept
        if isinstance(before, dict) and isinstance(after, dict):
            return self._members(
                path, kept, cast("dict[str, object]", before), cast("dict[str, object]", after), is_open
            )
        if isinstance(before, list) and isinstance(after, list):
            old, new = cast("list[object]", before), cast("list[object]", after)
            if len(old) == len(new):
                return self._items(path, kept, old, new)
        return self._from_new(path)

    def _members(
        self, path: Path, kept: str, before: dict[str, object], after: dict[str, object], is_open: bool
    ) -> str:
        lost = [name for name in before if name not in after and (*path, name) not in self._on_the_way]
        has_new = any(name not in before for name in after)
        is_another = any(not is_same(before.get(tag), after.get(tag)) for tag in self._tags)
        is_open = is_open or is_another or bool(lost and has_new)
        names = list(after) if is_open else [*before, *(name for name in after if name not in before)]
        members: list[str] = []
        for name in names:
            inner = (*path, name)
            if name not in after:
                if name not in lost:
                    continue
                text = self._old[slice(*self._spans[inner])]
            elif name not in before:
                text = self._from_new(inner)
            else:
                text = self.text(inner, before[name], after[name], is_open=is_open)
            members.append(f"{json.dumps(name, ensure_ascii=False)}: {text}")
        return _with_layout(kept, members)

    def _items(self, path: Path, kept: str, before: list[object], after: list[object]) -> str:
        """Return a list as the reply has it: only bytes of equal parts are old ones."""
        pairs = enumerate(zip(before, after, strict=True))
        return _with_layout(kept, [self.text((*path, index), *pair, is_open=True) for index, pair in pairs])

    def _from_new(self, path: Path) -> str:
        return self._new[slice(*self._new_spans[path])]


def is_same(one: object, other: object) -> bool:
    """Tell whether two values are the same JSON: 1 is neither true nor 1.0."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


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
