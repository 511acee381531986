"""`make demo-model`: a small model on this machine, in a loop whose judge is a function. Nothing leaves the machine.

    python benchmarks/real_model/demo.py [--url URL --model NAME]

The first time, it downloads a model of 90 MB; after that it takes less than a minute. A function of a few lines judges
each answer; the loop says what it found and asks again, until an answer passes or ten tries are used up.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import textwrap
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from jido_ai import (
    Candidate,
    CandidateGenerated,
    Critiqued,
    CritiqueResult,
    Issue,
    LLMGenerator,
    Pipeline,
    ReflectionResult,
    Revised,
    RunContext,
    RunStopped,
    StopReason,
    Usage,
)
from jido_ai.critics import driven_by_tests
from jido_ai.models import CompatibleModel, Completion, CompletionRequest, LanguageModel, Message
from real_model.server import NAME, model_server, threads

__all__ = ["TASKS", "Screen", "Task", "play"]

_TRIES: Final = 10
_LIMIT_S: Final = 50.0
_TOKENS: Final = 60
"""Tokens of one answer: one sentence."""
_WIDTH: Final = 88


@dataclass(frozen=True, slots=True)
class Task:
    """One sentence to write, in which some words must occur."""

    asked: str
    words: tuple[str, ...]

    @property
    def prompt(self) -> str:
        quoted = " and ".join(f"'{word}'" for word in self.words)
        return f"{self.asked} Use the word{'s' if len(self.words) > 1 else ''} {quoted}."

    def judge(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Be the critic: no model is asked. A word in quotation marks does not count as used."""
        del context
        found = re.findall(r"[a-z'’\"“”-]+", candidate.content.lower())
        wrong = [f"The sentence must contain the word '{word}'." for word in self.words if word not in found]
        if len(set(found)) < 5:
            wrong.append("Write a whole sentence.")
        issues = tuple(Issue(one, severity=0.8, kind="form", source="tool:judge") for one in wrong)
        score = 1.0 - len(wrong) / (len(self.words) + 2)
        return CritiqueResult(severity=0.8 if wrong else 0.0, score=score, issues=issues, source="tool:judge")


TASKS: Final = (
    Task("Write one sentence about a garden.", ("bird",)),
    Task("Write one sentence about a garden.", ("apple", "bird")),
    Task("Write one sentence about a lighthouse.", ("night", "ships")),
)


class _OneLine:
    """The model, held to one line: small ones do not know when to end. Counts what it is used for."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.usage = Usage()

    async def complete(self, request: CompletionRequest) -> Completion:
        short = request.model_copy(update={"max_tokens": _TOKENS, "stop": ("\n",)})
        done = await self._model.complete(short)
        self.usage += done.usage
        return done.model_copy(update={"finish_reason": "stop"})


class Screen:
    """Prints, in colours only on a terminal."""

    def __init__(self) -> None:
        self._has_colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        self._began = time.monotonic()
        self.tries = 0

    def paint(self, text: str, code: int) -> str:
        return f"\033[{code}m{text}\033[0m" if self._has_colours else text

    def say(self, text: str = "") -> None:
        print(text, flush=True)

    def field(self, name: str, text: str) -> None:
        self.say(textwrap.fill(text, _WIDTH, initial_indent=f"  {name:<10}", subsequent_indent=" " * 12))

    def candidate(self, how: str, text: str) -> None:
        self.tries += 1
        self.say(f"\n  {self.paint(f'{self.tries}. {how}', 1)}  {self.paint(f'{self.seconds():.1f} s', 2)}")
        self.say(textwrap.fill(" ".join(text.split()), _WIDTH, initial_indent=" " * 5, subsequent_indent=" " * 5))

    def judged(self, critique: CritiqueResult) -> None:
        for issue in critique.issues:
            self.say(f"     {self.paint('✗', 31)} {issue.message}")
        if not critique.issues:
            self.say(f"     {self.paint('✓', 32)} the judge finds nothing")

    def seconds(self) -> float:
        return time.monotonic() - self._began


_WHY: Final = {
    StopReason.ACCEPTED: "the last answer passes",
    StopReason.MAX_ITERATIONS: f"all {_TRIES} tries are used up",
    StopReason.DEADLINE: f"{_LIMIT_S:g} seconds are over",
    StopReason.ERROR: "the model gave no usable answer",
}


async def play(model: LanguageModel, task: Task, screen: Screen) -> ReflectionResult:
    """Run the loop on one task and print what happens, as it happens."""
    held = _OneLine(model)

    async def ask_again(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        """Be the reviser: a very small model does best if it is told the task and the findings, not its failure."""
        del candidate
        lines = [context.prompt, *(issue.message for issue in critique.issues)]
        request = CompletionRequest(messages=(Message("user", "\n".join(lines)),), temperature=0.7)
        return (await held.complete(request)).text

    config = driven_by_tests(max_attempts=_TRIES, timeout_s=_LIMIT_S)
    screen.field("task", task.prompt)
    screen.field("judge", "a function of this program that looks for the word; no second model is asked")
    screen.field("loop", f"asks again with what the judge found, at most {_TRIES} tries and {_LIMIT_S:g} seconds")
    async with Pipeline(LLMGenerator(held), task.judge, ask_again, config=config) as pipeline:
        async for event in pipeline.stream(task.prompt):
            match event:
                case CandidateGenerated(candidate=candidate):
                    screen.candidate("the first draft", candidate.content)
                case Revised(candidate=candidate):
                    screen.candidate("the next try, told what was wrong", candidate.content)
                case Critiqued(iteration=iteration):
                    screen.judged(iteration.critique)
                case RunStopped(result=result):
                    tell(result, held.usage, screen)
                    return result
                case _:
                    pass
    raise AssertionError("a stream ends with RunStopped")


def tell(result: ReflectionResult, used: Usage, screen: Screen) -> None:
    """Say why the loop ended, and what came of it."""
    reason = result.stop_reason
    screen.say(f"\n  {screen.paint('The loop ends', 1)} ({reason.value}): {_WHY.get(reason, 'see above')}.")
    if result.best_candidate is not None:
        first = len(result.iterations[0].critique.issues)
        left = len(result.open_issues)
        screen.field("result", result.best_candidate.content.strip())
        screen.field("faults", f"{first} in the first draft, {left} in the result")
    screen.field(
        "cost", f"{used.calls} calls of the model, {used.input_tokens} tokens read, {used.output_tokens} written"
    )
    screen.field("time", f"{result.duration_s:.1f} s")
    if reason is StopReason.ERROR and result.error:
        screen.field("error", result.error.message)


async def show(url: str, name: str) -> int:
    """Play tasks until one needed more than one try: a loop that has nothing to do is no demonstration."""
    screen = Screen()
    async with CompatibleModel(name, base_url=url, timeout_s=_LIMIT_S) as model:
        for task in TASKS:
            screen.say()
            screen.tries = 0
            result = await play(model, task, screen)
            if result.stop_reason is StopReason.ERROR:
                return 1
            if result.total_iterations > 1:
                break
            screen.say("\n  The first draft was right, so there was nothing to do. Another task:")
    screen.say("\n  The same with a model of your own: docs/how-to/local-model.md")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Watch a small model in a loop that checks it.")
    parser.add_argument("--url", help="base address of an OpenAI-compatible server; else one is started")
    parser.add_argument("--model", default=NAME, help="name of the model on the server")
    told = parser.parse_args()
    with ExitStack() as stack:
        url = told.url or stack.enter_context(model_server())
        where = told.url or f"llama.cpp on this machine, threads: {threads()}"
        print(f"\n  model     {told.model} ({where})")
        try:
            return asyncio.run(show(url, told.model))
        except KeyboardInterrupt:
            return 130


if __name__ == "__main__":
    sys.exit(main())
