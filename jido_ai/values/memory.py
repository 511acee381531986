"""Memory entries, links between them, queries."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from jido_ai.values.base import (
    ByValue,
    Count,
    Metadata,
    NotNegative,
    Signed,
    Texts,
    Unit,
    Value,
    new_id,
    or_new,
    utc_now,
)
from jido_ai.values.scope import Scope, default_scope
from jido_ai.values.words import extract_keywords

__all__ = ["Link", "MemoryEntry", "MemoryKind", "MemoryQuery", "Scored"]


class MemoryKind(StrEnum, metaclass=ByValue):
    """Kind of a memory entry. Episodic entries are history, never merged; semantic and procedural ones are lessons."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    META = "meta"
    FEEDBACK = "feedback"


class MemoryEntry(Value):
    """Something remembered; for a lesson, `mistake` is the pattern and `correction` the lesson.

    Attributes:
        answer: an accepted answer to the prompt, which makes the entry a worked example. Its kind is then procedural.
        frequency: how often it was learned; at least 1.
        impact: in [0, 1], how much it improved results.
        use_count, success_count: number of runs in which a component looked at it, and of those that went well.
        evidence: ids of the episodes or runs it comes from.
        links: other entries, by type.
    """

    prompt: str = Field(kw_only=False)
    mistake: str = Field(default="", kw_only=False)
    correction: str = Field(default="", kw_only=False)
    id: Annotated[str, or_new("memory")] = Field(default_factory=lambda: new_id("memory"))
    kind: MemoryKind = MemoryKind.EPISODIC
    scope: Scope = Field(default_factory=default_scope)
    severity: Unit = 0.5
    importance: Unit = 0.5
    confidence: Unit | None = None
    reward: Signed | None = None
    tags: Texts = ()
    domain: str | None = None
    task_type: str | None = None
    agent_id: str | None = None
    session_id: str | None = None
    timestamp: AwareDatetime = Field(default_factory=utc_now)
    expires_at: AwareDatetime | None = None
    frequency: Annotated[int, Field(strict=True, ge=1)] = 1
    impact: Unit = 0.0
    use_count: Count = 0
    success_count: Count = 0
    last_used: AwareDatetime | None = None
    evidence: Texts = ()
    links: tuple[Link, ...] = ()
    source: str = "loop"
    metadata: Metadata = Field(default_factory=dict[str, Any])
    answer: str = ""

    def __hash__(self) -> int:  # see Candidate
        return hash(self.id)

    @property
    def is_example(self) -> bool:
        """True for a worked example: a prompt with an accepted answer."""
        return bool(self.answer)

    @property
    def sent_prompt(self) -> str:
        """Return the prompt as it went to a generator, with its blocks of data, as far as they are known."""
        sent: object = self.metadata.get("sent")
        return sent if isinstance(sent, str) and sent.strip() else self.prompt

    @property
    def success_rate(self) -> float:
        """Return the share of uses that went well; 0.0 before the first use."""
        return self.success_count / self.use_count if self.use_count else 0.0

    @property
    def prompt_hash(self) -> str:
        """Return the SHA-256 of the prompt, 64 hexadecimal digits."""
        return hashlib.sha256(self.prompt.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def keywords(self) -> frozenset[str]:
        """Return the words of the prompt without stop words."""
        return extract_keywords(self.prompt)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.answer:
            if not self.answer.strip():
                raise ValueError("answer must not be blank; leave it out for an entry that is no example")
            if self.kind is MemoryKind.EPISODIC:  # the default
                object.__setattr__(self, "kind", MemoryKind.PROCEDURAL)
                self.__pydantic_fields_set__.add("kind")
            elif self.kind is not MemoryKind.PROCEDURAL:
                raise ValueError(f"an entry with an answer is an example, of kind procedural, not {self.kind.value}")
        if self.success_count > self.use_count:
            raise ValueError(f"success_count {self.success_count} is larger than use_count {self.use_count}")
        return self


class Link(Value):
    """A tie from one memory entry to another; strength in [0, 1]."""

    id: str = Field(kw_only=False)
    type: Literal["similar", "contradicts", "builds-on", "prerequisite", "outcome", "merged"] = Field(kw_only=False)
    strength: Unit = Field(default=1.0, kw_only=False)


class Scored(Value):
    """A memory entry and its similarity to the query, in [0, 1]."""

    entry: MemoryEntry = Field(kw_only=False)
    similarity: NotNegative = Field(kw_only=False)


class MemoryQuery(Value):
    """A query: filters first, then similarity to `text`, then rank. An entry with any of the tags matches.

    Attributes:
        k: most entries to return, at least 0.
        since, until: bounds of the entry's timestamp, inclusive.
    """

    text: str | None = Field(default=None, kw_only=False)
    scope: Scope = Field(default_factory=default_scope)
    kinds: tuple[MemoryKind, ...] = ()
    tags: Texts = ()
    domain: str | None = None
    task_type: str | None = None
    agent_id: str | None = None
    session_id: str | None = None
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    min_importance: Unit | None = None
    min_similarity: Unit | None = None
    k: Count = 5
    include_expired: bool = False
