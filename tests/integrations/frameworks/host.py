"""What each framework is asked for by the contract of all frameworks: see `test_framework_contract.py`."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, ClassVar

from integration_helpers import PROMPT, Parts, piped
from pydantic import BaseModel

from jido_ai.values import Candidate, CritiqueResult


class NoSuchThing(Exception):
    """The framework has no such thing; the text says what it has instead."""


class Note(BaseModel):
    text: str


class TypedParts(Parts):
    """Parts whose candidates are notes."""

    async def generate(self, prompt: str, context: Any) -> Candidate:
        return self._note_of(await super().generate(prompt, context))

    async def critique(self, candidate: Candidate, context: Any) -> CritiqueResult:
        return await super().critique(Candidate(Note.model_validate_json(candidate.content).text), context)

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: Any) -> Candidate:
        bare = Candidate(Note.model_validate_json(candidate.content).text)
        return self._note_of(await super().revise(bare, critique, context))

    def _note_of(self, candidate: Candidate) -> Candidate:
        return Candidate(Note(text=candidate.content).model_dump_json(), metadata=candidate.metadata)


@dataclass
class Turn:
    """What came of a call: a text, or a question, and where the host must go on."""

    text: str | None = None
    question: dict[str, Any] | None = None
    place: Any = None
    report: dict[str, Any] = field(default_factory=dict)


class Host:
    """A part of a framework around a pipeline of `parts`.

    Args:
        make: makes the pipeline or graph of the parts.
        approve: each revision is asked about.
        asks: a person is asked, by the approval nodes of a graph if not by `approve`.
        database: address of a database for what the framework keeps.

    Attributes:
        column: of the table.
        drafts: "v0" is written by a model of the framework.
    """

    column: ClassVar[str]
    drafts: ClassVar[bool] = False
    keeps: ClassVar[str] = ""
    """What holds an open question, if it is no database; "" for a database."""
    decisions: ClassVar[dict[str, tuple[list[Any], str]]] = {
        "yes": (["v1", "v2", "v3"], "v3"),
        "no": (["v1"], "v0"),
        "v3": (["v1"], "v3"),
    }
    """The revisions that are asked about, and the answer, by the decision given to each."""
    decided: ClassVar[str] = ""
    """What is special about them."""
    keeps_draft: ClassVar[bool] = False
    """The draft is the answer if the pipeline fails."""
    repeats: ClassVar[str] = ""
    """Why an answer that comes twice is two answers; "" if it counts once."""
    takes_any: ClassVar[str] = ""
    """Why any text is an answer; "" if one that cannot be used is asked about again."""

    def __init__(
        self,
        parts: Parts | None = None,
        *,
        make: Any = piped,
        approve: bool = False,
        asks: bool = False,
        database: str = "",
        **options: Any,
    ) -> None:
        self.parts = parts or Parts()
        self.approve, self.asks, self.database = approve, asks or approve, database
        self.pipeline = make(self.parts, **options)
        self.stack = AsyncExitStack()

    async def __aenter__(self) -> Any:
        await self.stack.enter_async_context(self.pipeline)
        await self.open()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stack.aclose()

    async def open(self) -> None:
        """Make the framework's objects."""

    async def ask(self, prompt: str = PROMPT) -> Turn:
        """Begin."""
        raise NotImplementedError

    async def answer(self, turn: Turn, decision: Any) -> Turn:
        """Answer the question of a turn, also once more."""
        raise NotImplementedError

    async def go_on(self, turn: Turn) -> Turn:
        """Continue without an answer."""
        raise NotImplementedError

    async def both(self) -> list[str | None]:
        """Run two parts at once in one host, with a "yes" to each question; return their answers."""
        raise NotImplementedError

    async def streamed(self) -> tuple[int, str | None]:
        """Return how many critiques the stream told of, and the answer."""
        raise NotImplementedError

    async def typed(self) -> Any:
        """Return the answer of `TypedParts`."""
        return (await self.ask()).text

    async def after_messages(self) -> str | None:
        """Answer PROMPT after "before" and its answer."""
        raise NotImplementedError

    async def pending(self) -> str | None:
        """Answer while a tool call waits for its result; None if the part left the call alone."""
        raise NotImplementedError

    async def cancel(self, call: Any) -> None:
        """Cancel a call as the framework does."""
        call.cancel()


class Silent(Host):
    """A host whose framework has no question to a person."""

    why: ClassVar[str]

    def __init__(self, parts: Parts | None = None, *, approve: bool = False, **options: Any) -> None:
        if approve:
            raise NoSuchThing(self.why)
        super().__init__(parts, **options)
