"""Export and import formats: JSON snapshot, JSON lines, Markdown, index, and episodes as debate turns. Pure."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast, get_args

from jido_ai.errors import ConfigurationError, describe
from jido_ai.memory.lessons import MADE_AS, importance_label
from jido_ai.text.plain_json import plain as plain_json
from jido_ai.text.wording import shown_in_words
from jido_ai.values import Episode, EventType, MemoryEntry, MemoryKind, Scope

TurnPhase = Literal[
    "dehallucination",
    "self_evolvement",
    "proposal",
    "critique",
    "review",
    "optimization",
    "adversarial",
    "convergence",
]

_USUAL_SIZE: Final = 1000
_SAFE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


@dataclass(frozen=True, slots=True)
class ReadEntries:
    """The entries read from a document.

    Attributes:
        entries: oldest first.
        left_out: number of older entries skipped because the document holds more than its max_size.
    """

    entries: list[MemoryEntry]
    left_out: int = 0


def snapshot(entries: Sequence[MemoryEntry], max_size: int = _USUAL_SIZE) -> dict[str, Any]:
    """Return entries, oldest first, as the JSON document that `read_entries` reads. Source: SPEC H13."""
    return {"max_size": max_size, "episodes": [entry.model_dump(mode="json") for entry in entries]}


def read_entries(text: str, *, lines: bool = False) -> ReadEntries:
    """Return the entries of a document, oldest first, and how many were left out.

    The document is a snapshot ({"episodes": [...], "max_size": n}), a list of entries, one entry, or with `lines` one
    entry per line. Null instead of a list means no entries; a max_size of 0 or less means 1000. All entries are
    validated; of more than max_size the newest are returned and the others counted.
    An episode with `task_description` is read as in SPEC H1.

    Raises:
        ConfigurationError: the document is truncated or has another format; the message names the place.
    """
    if lines:
        # Not splitlines(): a JSON string may contain characters that Python treats as line ends, such as U+2028.
        rows = [(f"line {number}", _parsed(line)) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        return ReadEntries([_entry(value, where) for where, value in rows])
    value: Any = _parsed(text)
    size: int | None = None
    if isinstance(value, Mapping) and "episodes" in value:
        document = cast("Mapping[str, Any]", value)
        given = document.get("max_size", _USUAL_SIZE)
        if not isinstance(given, int) or isinstance(given, bool):
            raise ConfigurationError(f"max_size of a snapshot must be an integer, got {describe(given)}")
        size, value = (given if given > 0 else _USUAL_SIZE), document["episodes"]
    elif isinstance(value, Mapping):
        value = [value]
    if value is None:
        return ReadEntries([])
    if not isinstance(value, list):
        raise ConfigurationError(f"expected a list of episodes, got {describe(value)}")
    entries = [_entry(one, f"entry {number}") for number, one in enumerate(cast("list[object]", value), 1)]
    kept = entries if size is None else entries[-size:]
    return ReadEntries(kept, len(entries) - len(kept))


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"not valid JSON (truncated?): {error}") from error


def _entry(value: object, where: str) -> MemoryEntry:
    if not isinstance(value, Mapping):
        raise ConfigurationError(f"{where}: expected an object, got {describe(value)}")
    fields = dict(cast("Mapping[str, Any]", value))
    try:
        if "task_description" in fields:
            fields = _from_episode(fields)
        entry = MemoryEntry.model_validate(fields)
    except ValueError as error:  # pydantic's ValidationError is a ValueError
        raise ConfigurationError(f"{where}: {str(error).splitlines()[0]}") from error
    if MADE_AS not in entry.metadata:
        return entry
    # two people may have edited what two memories had learned in the same words: both lessons stay
    return entry.replace(metadata={name: value for name, value in entry.metadata.items() if name != MADE_AS})


_OF_THE_ATTEMPT: Final = ("turn_id", "attempt_number", "code", "test_results", "reflection")


def _from_episode(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry fields of an episode in the format of SPEC H1; what an entry has no field for is metadata."""
    taken = {name: fields[name] for name in ("id", "session_id", "agent_id", "timestamp") if fields.get(name)}
    given: object = fields.get("reflection")
    reflection: Mapping[str, Any] = cast("Mapping[str, Any]", given) if isinstance(given, Mapping) else {}
    about = {name: fields[name] for name in _OF_THE_ATTEMPT if fields.get(name)}
    return {
        **taken,
        "prompt": fields["task_description"],
        "mistake": fields.get("failure_analysis") or reflection.get("what_went_wrong") or "",
        "correction": fields.get("improvement") or reflection.get("what_to_change_next") or "",
        "confidence": fields.get("confidence"),
        "metadata": {**about, **dict(fields.get("metadata") or {})},
        "source": "import",
    }


def turn_row(episode: Episode, *, phase: TurnPhase = "self_evolvement", round: int | None = None) -> dict[str, Any]:
    """Return an episode as a JSON-ready row of a table of debate turns.

    `reflections` is a list with the episode's reflection, or empty. `agent_role` and `provider` come from
    the metadata, `test_results` from there or from its critique; missing ones are None or empty. `confidence` is the
    candidate's score, rounded to 4 decimals; `response_time_ms` comes from `metrics["duration_s"]`.

    Args:
        phase: phase of the debate.
        round: at least 1; None uses the number of the attempt.

    Raises:
        ConfigurationError: not an episode, an unknown phase, or a round below 1.

    Source: SPEC H14, H15.
    """
    if not isinstance(episode, Episode):
        raise ConfigurationError(f"turn_row needs an Episode, got {describe(episode)}")
    if phase not in get_args(TurnPhase):
        raise ConfigurationError(f"phase must be one of {', '.join(get_args(TurnPhase))}, got {describe(phase)}")
    if round is not None and round < 1:
        raise ConfigurationError(f"round must be at least 1, got {describe(round)}")
    plain = episode.model_dump(mode="json")
    candidate, metadata = episode.candidate, plain["metadata"]
    score = None if candidate is None else candidate.score
    took_s = episode.metrics.get("duration_s")
    return {
        "id": episode.id,
        "session_id": episode.session_id,
        "round": episode.attempt if round is None else round,
        "phase": phase,
        "agent_id": episode.agent_id,
        "agent_role": metadata.get("agent_role"),
        "provider": metadata.get("provider"),
        "model": None if candidate is None else candidate.model,
        "content": "" if candidate is None else candidate.content,
        "confidence": None if score is None else _rounded(score),
        "tool_calls": [event for event in plain["events"] if event["type"] == EventType.TOOL_CALL.value],
        "test_results": plain["metadata"].get("test_results") or plain_json(episode.test_results) or {},
        "reflections": [] if plain["reflection"] is None else [plain["reflection"]],
        "metadata": metadata,
        "created_at": plain["timestamp"],
        "response_time_ms": None if took_s is None else int(1000 * took_s + 0.5),
    }


def _rounded(score: float) -> float:
    return int(10_000 * score + 0.5) / 10_000


# -- files -----------------------------------------------------------------------------------------


def file_name(entry: MemoryEntry) -> str:
    """Return the file name for an entry: its id, or a digest of an id that is not a safe file name.

    Ids are unique only within a scope, so outside the default scope the name ends with a digest of the scope.
    """
    name = entry.id if _SAFE.fullmatch(entry.id) else f"id-{_digest(entry.id)[:32]}"
    scope = entry.scope
    if scope == Scope():
        return name
    return f"{name}-{_digest(f'{len(scope.tenant)}:{scope.tenant}{scope.project}')[:12]}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def index_row(entry: MemoryEntry) -> dict[str, Any]:
    """Return the index row of an entry. Source: SPEC M43."""
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
    """Return a readable summary, one section per kind; stored text is in code blocks, without control characters."""
    sections: dict[MemoryKind, list[str]] = {kind: [] for kind in MemoryKind}
    for entry in entries:
        about = f"{importance_label(entry.importance)}, {shown_in_words(entry.use_count, entry.success_count)}"
        parts = [f"### {file_name(entry)}", f"{entry.timestamp:%Y-%m-%d %H:%M} UTC, {about}"]
        said = (entry.prompt, entry.mistake, entry.correction, entry.answer)
        named = zip(("Question", "Mistake", "Correction", "Answer"), said, strict=True)
        parts.extend(f"{name}:\n\n{_fenced(text)}" for name, text in named if text.strip())
        sections[entry.kind].append("\n\n".join(parts))
    shown = [f"## {kind.value}\n\n" + "\n\n".join(texts) for kind, texts in sections.items() if texts]
    return "# Lessons and episodes\n\n" + ("\n\n".join(shown) if shown else "No entries yet.") + "\n"


def _fenced(text: str) -> str:
    text = "".join(one if one.isprintable() or one in "\n\t" else " " for one in text)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"
