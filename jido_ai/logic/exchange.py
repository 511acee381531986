"""How memory is written for others to read, and read back: one JSON document, JSON lines, Markdown, an index."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from jido_ai.errors import ConfigurationError, describe
from jido_ai.logic.lessons import importance_label
from jido_ai.values import MemoryEntry, MemoryKind

__all__ = ["as_markdown", "file_name", "index_row", "read_entries", "snapshot"]

_USUAL_SIZE: Final = 1000
_SAFE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


def snapshot(entries: Sequence[MemoryEntry], max_size: int = _USUAL_SIZE) -> dict[str, Any]:
    """Return entries, oldest first, as the JSON document that `read_entries` reads. Source: SPEC H13."""
    return {"max_size": max_size, "episodes": [entry.model_dump(mode="json") for entry in entries]}


def read_entries(text: str, *, lines: bool = False) -> list[MemoryEntry]:
    """Return the entries of a document, oldest first.

    It is a snapshot ({"episodes": [...], "max_size": n}), a list of entries, one entry, or with `lines` one per line.
    Null instead of a list is none; a max_size of 0 or less is 1000; of more than max_size entries the newest are taken.
    An episode with `task_description` is read as SPEC H1 has it.

    Raises:
        ConfigurationError: it is truncated or something else; the message names the place.
    """
    if lines:
        rows = [(f"line {number}", _parsed(line)) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        return [_entry(value, where) for where, value in rows]
    value: Any = _parsed(text)
    size: int | None = None
    if isinstance(value, Mapping) and "episodes" in value:
        document = cast("Mapping[str, Any]", value)
        given = document.get("max_size", _USUAL_SIZE)
        if not isinstance(given, int) or isinstance(given, bool):
            raise ConfigurationError(f"max_size of a snapshot must be a whole number, got {describe(given)}")
        size, value = (given if given > 0 else _USUAL_SIZE), document["episodes"]
    elif isinstance(value, Mapping):
        value = [value]
    if value is None:
        return []
    if not isinstance(value, list):
        raise ConfigurationError(f"a snapshot holds a list of episodes, got {describe(value)}")
    entries = [_entry(one, f"entry {number}") for number, one in enumerate(cast("list[object]", value), 1)]
    return entries if size is None else entries[-size:]


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"this is no JSON (is it truncated?): {error}") from error


def _entry(value: object, where: str) -> MemoryEntry:
    if not isinstance(value, Mapping):
        raise ConfigurationError(f"{where}: an entry is an object, got {describe(value)}")
    fields = dict(cast("Mapping[str, Any]", value))
    try:
        if "task_description" in fields:
            fields = _from_episode(fields)
        return MemoryEntry.model_validate(fields)
    except ValueError as error:  # what pydantic raises is one too
        raise ConfigurationError(f"{where}: {str(error).splitlines()[0]}") from error


def _from_episode(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an entry for an episode in the form of SPEC H1."""
    taken = {name: fields[name] for name in ("id", "session_id", "agent_id", "timestamp") if fields.get(name)}
    return {
        **taken,
        "prompt": fields["task_description"],
        "mistake": fields.get("failure_analysis") or "",
        "correction": fields.get("improvement") or "",
        "confidence": fields.get("confidence"),
        "metadata": dict(fields.get("metadata") or {}),
        "source": "import",
    }


# -- files -----------------------------------------------------------------------------------------


def file_name(entry: MemoryEntry) -> str:
    """Return a name for the file of an entry: its id, or a digest of it when it could be a path or a hidden file."""
    if _SAFE.fullmatch(entry.id):
        return entry.id
    return "id-" + hashlib.sha256(entry.id.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def index_row(entry: MemoryEntry) -> dict[str, Any]:
    """Return what an index says of an entry. Source: SPEC M43."""
    return {
        "id": entry.id,
        "path": f"{entry.kind.value}/{file_name(entry)}.json",
        "kind": entry.kind.value,
        "category": entry.domain or entry.task_type,
        "importance": importance_label(entry.importance),
        "quality": entry.success_rate if entry.use_count else None,
        "created": entry.timestamp.isoformat(),
        "expires": entry.expires_at and entry.expires_at.isoformat(),
        "tags": list(entry.tags),
        "uses": entry.use_count,
        "last_used": entry.last_used and entry.last_used.isoformat(),
    }


def as_markdown(entries: Iterable[MemoryEntry]) -> str:
    """Return a summary for people, one section per kind; stored text stands in code blocks, controls left out."""
    sections: dict[MemoryKind, list[str]] = {kind: [] for kind in MemoryKind}
    for entry in entries:
        about = f"{importance_label(entry.importance)}, helped {entry.success_count} of {entry.use_count}"
        parts = [f"### {file_name(entry)}", f"{entry.timestamp:%Y-%m-%d %H:%M} UTC, {about}"]
        named = (("Question", entry.prompt), ("Mistake", entry.mistake), ("Correction", entry.correction))
        parts.extend(f"{name}:\n\n{_fenced(text)}" for name, text in named if text.strip())
        sections[entry.kind].append("\n\n".join(parts))
    shown = [f"## {kind.value}\n\n" + "\n\n".join(texts) for kind, texts in sections.items() if texts]
    return "# What was learnt\n\n" + ("\n\n".join(shown) if shown else "Nothing yet.") + "\n"


def _fenced(text: str) -> str:
    text = "".join(one if one.isprintable() or one in "\n\t" else " " for one in text)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"
