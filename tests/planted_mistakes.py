"""A program of a user of the package with planted mistakes: type checkers must report each line marked MISTAKE.

The lines without a mark are right. See `test_planted_mistakes.py`.
"""

# ruff: noqa: T201
from __future__ import annotations

import asyncio
from dataclasses import dataclass

from jido_ai.actors import Actor, ActorRef, ActorSystem, Ask, Bounded, ChildSpec, Supervisor, ThreadActor, WhichChildren
from jido_ai.critics.panel import PanelCritiquer
from jido_ai.errors import Declined
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import CheckNode, LoopNode, StepNode
from jido_ai.graph.results import GraphResult
from jido_ai.loop.pipeline import Pipeline, reflect, reflect_sync
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, LoopConfig, ReflectionResult


@dataclass(frozen=True)
class Add(Ask[int]):
    by: int


@dataclass(frozen=True)
class Name(Ask[str]):
    pass


@dataclass(frozen=True)
class Reset:
    pass


class Counter(Actor[Add | Name | Reset]):
    def __init__(self, start: int, *, name: str = "counter") -> None:
        self.count = start
        self.label = name

    async def on_receive(self, message: Add | Name | Reset) -> int | str | None:
        match message:
            case Add(by):
                self.count += by
                return self.reply(message, self.count)
            case Name():
                return self.reply(message, self.count)  # MISTAKE: a handler that answers Ask[str] with an int
            case Reset():
                self.count = 0
                return None


class Lengths(ThreadActor[str]):
    def on_receive(self, message: str) -> int:
        return len(message)


class Picky(Actor[Add]):
    async def on_receive(self, message: str) -> int:  # MISTAKE: a handler of other messages
        return len(message)


async def actors(system: ActorSystem) -> None:
    counter = await system.spawn(Counter, 10)
    named = await system.spawn(Counter, 10, name="counter", mailbox=Bounded(10))
    await system.spawn(ChildSpec(id="counter", start=(Counter, (10,), {})))
    supervisor = await system.spawn(Supervisor, [], strategy="one_for_all")
    children = await supervisor.ask(WhichChildren())
    (await system.spawn(Lengths)).tell(children[0].id)
    counter.tell(Reset())
    only_adds: ActorRef[Add] = counter
    total: int = await only_adds.ask(Add(1), timeout_s=1.0)
    label: str = await named.ask(Name())
    print(total, label)

    counter.tell("junk")  # MISTAKE: a message that it does not accept
    named.tell(1)  # MISTAKE: the same with a name
    await counter.ask("junk")  # MISTAKE: an ask without a reply type
    text: str = await counter.ask(Add(1))  # MISTAKE: the reply is an int
    await system.spawn(Counter, 1, 2, 3)  # MISTAKE: too many arguments
    await system.spawn(Counter, "ten")  # MISTAKE: an argument of the wrong type
    await system.spawn(dict)  # MISTAKE: not an actor
    others: ActorRef[str] = counter  # MISTAKE: a ref of other messages
    ChildSpec(id="counter", start=lambda: Counter(1), restart="sometimes")  # MISTAKE: an unknown restart
    ChildSpec(id="counter", start=5)  # MISTAKE: a start that cannot be called
    print(text, others)


class Judge:
    async def critique(self, text: Candidate, _: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0 if text.content else 1.0)


class Wrong:
    async def critique(self, candidate: Candidate) -> str:
        return candidate.content


def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.1 if context.prompt in candidate.content else 0.9)


def wrong_judge(candidate: Candidate, context: RunContext) -> list[int]:
    return [len(candidate.content), context.iteration]


async def generate(prompt: str, context: RunContext) -> str:
    return f"{prompt} {context.iteration}"


def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
    if critique.severity < context.iteration:
        raise Declined
    return candidate


async def pipelines() -> None:
    async with Pipeline(generate, [Judge(), judge], revise, config=LoopConfig(max_iterations=2)) as pipeline:
        result = await pipeline.run("prompt", "first", run_id="run-1")
        answer: str | None = result.output
        await pipeline.resume("run-1", decision=True)
        print(answer)

        await pipeline.run("prompt", "first", "run-1")  # MISTAKE: a run id by position
        await pipeline.resume("run-1", decision=1.5)  # MISTAKE: a decision of the wrong type
        number: int | None = result.output  # MISTAKE: the output of a pipeline is a text
        print(number, result.best_candidat)  # MISTAKE: a misspelt attribute
    await reflect("prompt", critiquer=judge, generator=generate, mode="full")
    reflect_sync("prompt", "first", critiquer=judge, reviser=revise, max_lessons=3)

    Pipeline(42, judge)  # MISTAKE: a number for a generator
    Pipeline(generate, critiquer=Wrong())  # MISTAKE: a critiquer with another method
    Pipeline(generate, judge, reviser=42)  # MISTAKE: a number for a reviser
    Pipeline(generate, [judge, wrong_judge])  # MISTAKE: a function that returns numbers
    PanelCritiquer([judge, "strict"])  # MISTAKE: a text in a panel
    reflect_sync("prompt", critiquer=judge, reviserr=revise)  # MISTAKE: a misspelt keyword
    reflect_sync("prompt", generator=generate)  # MISTAKE: no critiquer
    await reflect("prompt", critiquer=judge, mode="complete")  # MISTAKE: an unknown mode
    LoopConfig(max_iteration=3)  # MISTAKE: a misspelt field


def tidy(text: str) -> str:
    return text.strip()


async def graphs() -> None:
    steps = {"tidy": StepNode(tidy, inputs={"text": "{draft}"}, retries=2)}
    draft = LoopNode("{topic}", critiquer=[judge, "openai:gpt-4o-mini"], generator="openai:gpt-4o-mini")
    step = StepNode("openai:gpt-4o-mini", prompt="Shorten: {tidy}")
    async with Graph({"draft": draft, **steps, "short": step}, inputs=["topic"], output="short") as graph:
        result = await graph.run({"topic": "trees"})
        print(result.output.anything)
    typed: GraphResult[int] = GraphResult("run", 1, "completed", {})

    StepNode("bogus")  # MISTAKE: a text without a prompt
    StepNode(tidy, retry=2)  # MISTAKE: a misspelt field
    LoopNode("{topic}", critiquer=42)  # MISTAKE: a number for a critiquer
    CheckNode("{draft}", critiquer=wrong_judge)  # MISTAKE: a function that returns numbers
    Graph.from_toml("graph.toml", memery=True)  # MISTAKE: a misspelt keyword
    word: str = typed.output  # MISTAKE: the output is an int
    print(word)


def of_values(result: ReflectionResult) -> Candidate | None:
    return result.best_candidate


if __name__ == "__main__":
    asyncio.run(pipelines())
