"""Intake: size checks and redaction of everything that is stored in a memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from itertools import chain, repeat
from operator import is_, itemgetter
from typing import Any, Final, cast, get_args

from jido_ai.errors import ConfigurationError, describe
from jido_ai.memory.importance import RETENTION
from jido_ai.memory.lessons import is_kept, lifetime
from jido_ai.text.large_json import joined_bytes, json_pieces
from jido_ai.text.numbers import is_number
from jido_ai.text.pieces import no_turn
from jido_ai.text.redaction import RedactLevel, may_need_redaction, redact, redact_values
from jido_ai.values import MOST_LEVELS, MemoryEntry, MemoryQuery, Scope, is_too_deep
from jido_ai.values.checks import checked, checked_id
from jido_ai.values.record import Claim, LogName, Record

MOST_LINE_BYTES: Final = 64 * 1024 * 1024
"""Maximum bytes of a record of the long logs, which may hold candidates as long as a prompt."""
_LOGS: Final = frozenset(get_args(LogName))
_LONG: Final = frozenset({"journal", "episodes", "compared", "served", "events"})
_LEVELS_OF_A_LINE: Final = MOST_LEVELS + 32
"""Records contain values, whose metadata may have the full depth."""
_LEVELS_OF_EVENTS: Final = _LEVELS_OF_A_LINE + 32
"""The last event of a graph has the outputs of all nodes, which had a line of the journal each."""
_SHORT: Final = 20_000
"""Bytes of JSON that are looked at in about a tenth of a millisecond."""
_LEAST_DAYS: Final = 1
_MOST_DAYS: Final = 365
"""SPEC M6."""
_FIXED: Final = ("id", "kind", "scope", "prompt", "mistake", "correction", "answer")
_LABELS: Final = ("domain", "task_type", "agent_id", "session_id")
_TEXTS: Final = ("prompt", "mistake", "correction", "answer", "id", *_LABELS, "source")

_LOOKED_AT: Final = itemgetter("prompt", "mistake", "correction", "tags", "id", "source", "metadata")
_RARE: Final = frozenset((*_LABELS, "evidence", "links", "answer"))
"""Fields that most entries leave at their defaults, which contain no text and are then not checked."""
_LOOKED_AT_TOGETHER: Final = itemgetter("scope", "metadata", "tags", "prompt", "mistake", "correction", "source")
_RARE_TOGETHER: Final = _RARE | {"id"}  # an unset id was generated here
_is_made_here: Final = re.compile("memory_[0-9a-f]{16}").fullmatch
"""Matches the ids that `new_id` generates. No secret has this form, so they are not searched for secrets."""


class Intake:
    """Checks and redacts entries and records before they are stored.

    Args:
        level: what to mask: "secrets", "all" or "none".
        max_text_bytes: maximum UTF-8 bytes of each text field, and of all metadata together; at least 1.
        retention_days: days to keep an entry of medium importance, 1 to 365; None keeps entries until evicted.

    Raises:
        ConfigurationError: an argument is invalid.
    """

    def __init__(self, level: RedactLevel, max_text_bytes: int, retention_days: float | None = None) -> None:
        if level not in get_args(RedactLevel):
            raise ConfigurationError(f"redact must be secrets, all or none, got {describe(level)}")
        if retention_days is not None and not (
            is_number(retention_days) and _LEAST_DAYS <= retention_days <= _MOST_DAYS
        ):
            raise ConfigurationError(
                f"retention_days must be None or {_LEAST_DAYS} to {_MOST_DAYS}, got {describe(retention_days)}"
            )
        self.level: RedactLevel = level
        self._max_text_bytes = at_least(1, "max_text_bytes", max_text_bytes)
        self._retention_days = retention_days
        self._fit_scope: Scope | None = None  # the scope checked last
        self._fit_claim: object = ...  # and the claim

    def entry(self, entry: MemoryEntry) -> MemoryEntry:
        """Return the entry ready to be stored, with all texts redacted, including lists and labels.

        Ids are never changed, because they are needed to find the entry again: an id that contains a secret raises an
        error, also in a link; so does a scope.

        Raises:
            ConfigurationError: the prompt is blank, a field is too long, an id or a scope contains a secret, or the
                metadata cannot be written as JSON.
        """
        fields = entry.__dict__
        if fields["scope"] is not self._fit_scope:
            self.scope(entry.scope)
        prompt, mistake, correction, tags, id, source, metadata = _LOOKED_AT(fields)
        if not prompt or prompt.isspace():
            self.text("prompt", prompt)
        whole = f"{prompt}\n{mistake}\n{correction}\n{source}\n"
        if tags:
            whole += "\n".join(tags)
        if not _RARE.isdisjoint(entry.__pydantic_fields_set__):
            labels = (label for name in _LABELS if (label := fields[name]))
            whole = "\n".join((whole, entry.answer, *entry.evidence, *(link.id for link in entry.links), *labels))
        if 4 * (len(whole) + len(id)) > self._max_text_bytes:
            self._check_sizes(entry)
        if not _is_made_here(id):
            checked_id(id, "id")
            whole = f"{whole}\n{id}"
        needs_redaction = may_need_redaction(whole, self.level)
        if not needs_redaction and not metadata and self._retention_days is None:
            return entry
        changes: dict[str, object] = self._redacted(entry) if needs_redaction else {}
        if metadata:
            changes["metadata"], _ = self._clean_json(metadata, "MemoryEntry.metadata")
        may_go = entry.expires_at is None and not entry.success_count and not is_kept(entry)
        if self._retention_days is not None and may_go:
            days = lifetime(self._retention_days, entry.importance)
            changes["expires_at"] = expires_at = entry.timestamp + timedelta(days=days)
            kept = cast("dict[str, Any]", changes.get("metadata", {}))
            changes["metadata"] = {**kept, RETENTION: expires_at.isoformat()}
        changes = {name: value for name, value in changes.items() if value != getattr(entry, name)}
        return entry.replace(**changes) if changes else entry

    def entries(self, entries: Sequence[MemoryEntry]) -> tuple[list[MemoryEntry], dict[int, Exception]]:
        """Apply `entry` to each; return the accepted entries, and the error of each rejected one by its index.

        The entries are first checked together, which takes less than half as long: most need no change.
        """
        taken, refused = list[MemoryEntry](), dict[int, Exception]()
        if self._are_fit(entries):
            return list(entries), refused
        for place, entry in enumerate(entries):
            try:
                taken.append(self.entry(entry))
            except Exception as error:  # noqa: BLE001 - raised to the caller that stores this entry
                refused[place] = error
        return taken, refused

    def _are_fit(self, entries: Sequence[MemoryEntry]) -> bool:
        """True if all can be stored unchanged; False if each needs its own check."""
        if self._retention_days is not None:
            return False
        if not all(map(_RARE_TOGETHER.isdisjoint, [entry.__pydantic_fields_set__ for entry in entries])):
            return False
        columns = zip(*[_LOOKED_AT_TOGETHER(entry.__dict__) for entry in entries], strict=True)
        scopes, metadata, tags, prompts, mistakes, corrections, sources = columns
        if any(metadata) or not all(map(is_, scopes, repeat(self._fit_scope))):
            return False
        if not all(prompts) or any(map(str.isspace, prompts)):
            return False
        whole = "\n".join((*prompts, *mistakes, *corrections, *sources, *chain.from_iterable(tags)))
        return 4 * len(whole) <= self._max_text_bytes and not may_need_redaction(whole, self.level)

    def _redacted(self, entry: MemoryEntry) -> dict[str, object]:
        """Return the redacted texts of an entry. Raises `ConfigurationError` if an id contains a secret."""
        for id in (entry.id, *(link.id for link in entry.links)):
            self._check_id(id)
        changes: dict[str, object] = {}
        for name in _TEXTS:
            text = getattr(entry, name)
            changes[name] = text and redact(text, self.level)
        for name in ("tags", "evidence"):
            changes[name] = tuple(redact(text, self.level) for text in getattr(entry, name))
        return changes

    def changed(self, change: Callable[[MemoryEntry], MemoryEntry], entry: MemoryEntry) -> MemoryEntry:
        """Return `change(entry)` ready to be stored, with the fields that differ redacted.

        Raises:
            ConfigurationError: `change` returns no entry or changes identity or texts; a field is too long, the id of a
                link contains a secret, or the metadata cannot be written as JSON.
        """
        old = entry.model_copy(deep=True) if entry.metadata else entry  # `change` may modify the mapping in place
        entry = change(entry)
        if not isinstance(entry, MemoryEntry):
            raise ConfigurationError(f"change must return a MemoryEntry, got {describe(entry)}")
        if any(getattr(entry, name) != getattr(old, name) for name in _FIXED):
            raise ConfigurationError(f"update cannot change {', '.join(_FIXED)}; store a new entry instead")
        changes: dict[str, object] = {}
        for link in entry.links:
            if link not in old.links:
                self._check_id(link.id)
        for name in (*_LABELS, "source"):
            text = getattr(entry, name)
            if text and text != getattr(old, name):
                self._check_size(name, text)
                changes[name] = redact(text, self.level)
        for name in ("tags", "evidence"):
            texts = getattr(entry, name)
            if texts != getattr(old, name):
                for text in texts:
                    self._check_size(name, text)
                changes[name] = tuple(redact(text, self.level) for text in texts)
        if entry.metadata and entry.metadata != old.metadata:
            changes["metadata"], _ = self._clean_json(entry.metadata, "MemoryEntry.metadata")
        changes = {name: value for name, value in changes.items() if value != getattr(entry, name)}
        return entry.replace(**changes) if changes else entry

    def scope(self, scope: Scope | None) -> Scope | None:
        """Return the scope. Raises `ConfigurationError`, without quoting the scope, if its names contain a secret.

        Scopes are never masked: two that differ only in the secret would become one and share their entries.
        """
        if scope is None or scope is self._fit_scope:
            return scope
        if not isinstance(scope, Scope):
            raise ConfigurationError(f"scope must be a Scope or None, got {describe(scope)}")
        for name in (scope.tenant, scope.project):  # an e-mail address may well be a tenant
            if self.level != "none" and may_need_redaction(name) and redact(name) != name:
                raise ConfigurationError("the scope's name contains a secret, which is never stored")
        self._fit_scope = scope
        return scope

    def claim(self, claim: Claim) -> Claim:
        """Return the claim. Raises `ConfigurationError` if it is none, or its id or scope is invalid."""
        if claim is not self._fit_claim:
            checked_id(checked("claim", claim, Claim).run_id)
            self.scope(checked("Claim.scope", claim.scope, Scope))
            self._fit_claim = claim
        return claim

    def query(self, query: MemoryQuery) -> MemoryQuery:
        """Return the query with its labels and tags redacted, as those of stored entries are.

        The text is not checked. Raises `ConfigurationError` if it is no query, or the scope contains a secret.
        """
        self.scope(checked("a query", query, MemoryQuery).scope)
        asked = [label for label in (*(getattr(query, name) for name in _LABELS), *query.tags) if label]
        if not asked or not may_need_redaction("\n".join(asked), self.level):
            return query
        labels = {name: label and redact(label, self.level) for name in _LABELS if (label := getattr(query, name))}
        return query.replace(**labels, tags=tuple(redact(tag, self.level) for tag in query.tags))

    def _check_id(self, id: str) -> None:
        if redact(id, self.level) != id:
            raise ConfigurationError("the id contains a secret, which is never stored; nothing was stored")

    def _check_sizes(self, entry: MemoryEntry) -> None:
        for name in _TEXTS:
            self._check_size(name, getattr(entry, name) or "")
        for name in ("tags", "evidence"):
            for text in getattr(entry, name):
                self._check_size(name, text)

    def records(
        self, records: Sequence[Record], others_turn: Callable[[], None] = no_turn, *, are_small: bool = False
    ) -> tuple[Record, ...]:
        """Return the records ready to be stored; calls `others_turn` often. Raises `ConfigurationError`.

        Args:
            are_small: see `json_pieces`.
        """
        return tuple([self._record(record, others_turn, are_small) for record in records])

    def _record(self, record: Record, others_turn: Callable[[], None], is_small: bool) -> Record:
        if not isinstance(record, Record):
            raise ConfigurationError(f"append needs Records, got {describe(record)}")
        if record.log not in _LOGS:
            log_named(record.log)
        if record.scope is not self._fit_scope:
            self.scope(checked("Record.scope", record.scope, Scope))
        if record.key.__class__ is not str or record.kind.__class__ is not str:
            checked("Record.key", record.key, str)
            checked("Record.kind", record.kind, str)
        if 4 * len(record.key + record.kind) > self._max_text_bytes:
            self._check_size("Record.key", record.key)
            self._check_size("Record.kind", record.kind)
        if record.log == "calls":  # a run bounds its calls itself, and masks them if it should
            return record
        limit = self._max_text_bytes
        if record.log in _LONG and limit < MOST_LINE_BYTES:
            limit = MOST_LINE_BYTES
        levels = _LEVELS_OF_EVENTS if record.log == "events" else _LEVELS_OF_A_LINE
        if record.json and self._is_fit(record.json, limit, levels):
            return record
        data, pieces = self._clean_json(record.data, "Record.data", limit, levels, others_turn, is_small=is_small)
        return Record(
            log=record.log,
            key=record.key,
            kind=record.kind,
            scope=record.scope,
            data=data,
            timestamp=record.timestamp,
            json=joined_bytes(pieces),
        )

    def _is_fit(self, json: bytes, limit: int, levels: int) -> bool:
        """Tell whether short JSON can be stored as it is; otherwise it is checked as a value."""
        size = len(json)
        if size > limit or size > _SHORT or json.count(b"{") + json.count(b"[") > levels:
            return False
        return not may_need_redaction(json.decode("utf-8", "surrogatepass"), self.level)

    def text(self, name: str, text: str) -> str:
        """Return the text. Raises `ConfigurationError` if it is blank, too long or not a string."""
        if not isinstance(text, str) or not text.strip():
            raise ConfigurationError(f"{name} must be a string that is not blank, got {describe(text)}")
        self._check_size(name, text)
        return text

    def _check_size(self, name: str, text: str) -> None:
        limit = self._max_text_bytes
        if 4 * len(text) > limit and (len(text) > limit or _bytes_in(text) > limit):
            raise _too_long(name, limit, len(text))

    def _clean_json(
        self,
        values: Mapping[str, Any],
        name: str,
        limit: int | None = None,
        levels: int = MOST_LEVELS,
        others_turn: Callable[[], None] = no_turn,
        *,
        is_small: bool = False,
    ) -> tuple[dict[str, object], Sequence[str]]:
        """Return the mapping as it will be read back, redacted (tuples as lists, keys as strings), and as JSON."""
        try:
            pieces, read = json_pieces(dict(values), others_turn, is_small=is_small)
        except (TypeError, ValueError, RecursionError) as error:
            self._check_depth(values, name, levels)
            raise ConfigurationError(f"{name} cannot be written as JSON: {error}") from error
        if sum([piece.count("{") + piece.count("[") for piece in pieces]) > levels:
            self._check_depth(values, name, levels)
        limit = self._max_text_bytes if limit is None else limit
        chars = sum(map(len, pieces))
        if 4 * chars > limit and (chars > limit or sum(map(_bytes_in, pieces)) > limit):
            raise _too_long(name, limit, chars)
        clean = cast("dict[str, object]", read)
        if len(pieces) == 1 and not may_need_redaction(pieces[0], self.level):  # small, and in most cases harmless
            return clean, pieces
        masked = redact_values(clean, self.level, others_turn)
        return (clean, pieces) if masked == clean else (masked, json_pieces(masked, others_turn)[0])

    @staticmethod
    def _check_depth(values: Mapping[str, Any], name: str, levels: int) -> None:
        if is_too_deep(values, levels):
            raise ConfigurationError(f"{name} is nested deeper than {levels} levels; nothing was stored")


def _bytes_in(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _too_long(name: str, limit: int, chars: int) -> ConfigurationError:
    return ConfigurationError(f"{name} is too long: at most {limit} bytes, got {chars} characters; nothing was stored")


def at_least(least: int, name: str, value: int) -> int:
    """Return `value`. Raises `ConfigurationError` if it is not an integer or less than `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ConfigurationError(f"{name} must be a whole number of at least {least}, got {describe(value)}")
    return value


def log_named(name: LogName) -> LogName:
    """Return `name`. Raises `ConfigurationError` if there is no such log."""
    if name not in _LOGS:
        raise ConfigurationError(f"log must be one of {', '.join(get_args(LogName))}, got {describe(name)}")
    return name
