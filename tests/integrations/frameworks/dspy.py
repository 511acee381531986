"""DSPy: a module that is run until its prediction is accepted; there is no pipeline to give."""

from __future__ import annotations

import asyncio
from typing import Any

import dspy
from dspy.utils.dummies import DummyLM
from frameworks.host import NoSuchThing, Note, Silent, Turn
from integration_helpers import CONFIG, PROMPT

from jido_ai.graph.graph import Graph
from jido_ai.integrations.dspy import ReflectiveModule


class Writer(dspy.Module):
    """Answers "v0", "v1", ... one per call."""

    def __init__(self, signature: Any = "question -> answer") -> None:
        super().__init__()
        self.write = dspy.Predict(signature)

    def forward(self, **given: Any) -> Any:
        return self.write(**given)

    async def aforward(self, **given: Any) -> Any:
        return await self.write.acall(**given)


def dummy(count: int = 6, **fields: Any) -> DummyLM:
    return DummyLM([{"answer": f"v{i}"} for i in range(count)])


class Talk(dspy.Signature):
    history: dspy.History = dspy.InputField()
    question: str = dspy.InputField()
    answer: str = dspy.OutputField()


class Typed(dspy.Signature):
    question: str = dspy.InputField()
    answer: Note = dspy.OutputField()


class Host(Silent):
    column = "DSPy"
    drafts = True
    why = "a module asks nobody"

    async def open(self) -> None:
        if isinstance(self.pipeline, Graph):
            raise NoSuchThing("a module takes critics, and no pipeline or graph")

    def module(self, writer: Any = None) -> Any:
        return ReflectiveModule(writer or Writer(), critiquer=self.parts, config=CONFIG)

    async def ask(self, prompt: str = PROMPT) -> Turn:
        with dspy.context(lm=dummy()):
            return Turn((await self.module().acall(question=prompt)).answer)

    async def both(self) -> list[str | None]:
        turns = await asyncio.gather(self.ask(), self.ask())
        return [turn.text for turn in turns]

    async def streamed(self) -> tuple[int, str | None]:
        with dspy.context(lm=dummy()):
            pieces = [piece async for piece in dspy.streamify(self.module())(question=PROMPT)]
        return 0, pieces[-1].answer

    async def typed(self) -> Any:
        lm = DummyLM([{"answer": f'{{"text": "v{i}"}}'} for i in range(6)])
        with dspy.context(lm=lm):
            return (await self.module(Writer(Typed)).acall(question=PROMPT)).answer

    async def after_messages(self) -> str | None:
        history = dspy.History(messages=[{"question": "before", "answer": "so"}])
        with dspy.context(lm=dummy()):
            return (await self.module(Writer(Talk)).acall(question=PROMPT, history=history)).answer

    async def pending(self) -> str | None:
        raise NoSuchThing("a module has run its tools before it answers")
