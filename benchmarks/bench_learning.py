"""Does memory help? A stream of tasks from families, and a model that fails at each in its own way until it is told.

A task belongs to a family. What the model answers at first is wrong in the way of that family, unless a lesson in its
prompt tells it the family's rule; of several rules it is told for the family it follows one, whichever. A revision
tries a rule that was not tried yet: one it is told, or an idea of its own, which is right half of the time. The
pipeline, its prompts, its memory (similarity "weighted", as pipelines have it) and what it learns are the real ones.

Three worlds: nothing planted; wrong lessons planted in some families, a fifth of all that will be there once each
family has its right one ("planted"); and every family with four right lessons and a wrong one ("crowded"). Each is
played with memory and without, on the same tasks.

    python benchmarks/bench_learning.py [--tasks 300] [--families 20] [--seeds 5] [--small]

Prints a JSON line per world and seed, and one per world with means and spread over the seeds. A use is a run that was
offered lessons; the share of wrong ones is that among all lessons offered after `uses`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Any

from jido_ai.critics.acceptance import accepted
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.protocols import RunContext
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.testing import ScriptedModel
from jido_ai.values import Candidate, CompletionRequest, CritiqueResult, LoopConfig, MemoryEntry

NOUNS = [
    "invoice",
    "calendar",
    "weather",
    "recipe",
    "ledger",
    "postcode",
    "passport",
    "timetable",
    "catalogue",
    "playlist",
    "telescope",
    "harbour",
    "orchard",
    "violin",
    "glacier",
    "lantern",
    "compass",
    "cathedral",
    "tournament",
    "parliament",
]
VERBS = ["read", "sort", "merge", "check", "print", "split"]
EXTRA = ["quickly", "nightly", "again", "today", "twice", "abroad", "offline", "carefully", "upstairs", "outside"]
WORLDS = ("none", "planted", "crowded")


@dataclass
class World:
    """Tasks, and a model that finds them hard.

    Attributes:
        luck: of the model, drawn for each call.
    """

    families: int
    seed: int
    luck: random.Random = field(default_factory=random.Random)

    def tasks(self, count: int) -> list[str]:
        """Return prompts, each family equally often, in any order."""
        rng = random.Random(self.seed)
        order = [number % self.families for number in range(count)]
        rng.shuffle(order)
        return [self.prompt(family, rng) for family in order]

    def prompt(self, family: int, rng: random.Random) -> str:
        noun = NOUNS[family % len(NOUNS)] + ("s" * (family // len(NOUNS)))
        return f"{rng.choice(VERBS)} the {noun} entries of the {noun} archive {rng.choice(EXTRA)} {rng.choice(EXTRA)}"

    def lesson(self, family: int, rule: str, number: int, rng: random.Random) -> MemoryEntry:
        return MemoryEntry(
            self.prompt(family, rng), "it failed", f"way {number}: apply {rule}-{family} first", kind="semantic"
        )

    def answer(self, request: CompletionRequest) -> str:
        """Be the model."""
        text = "\n".join(message.content for message in request.messages)
        family = next(number for number in range(self.families) if re.search(rf"\b{self._noun(number)}\b", text))
        tried = set(re.findall(r"tried ([\w/]+-\d+)", text))
        told = re.findall(rf"apply ((?:right|wrong)\w*-{family})\b", text)
        options = [rule for rule in told if rule not in tried]
        is_revision = "improved_response" in text
        if is_revision:
            own = "right" if self.luck.random() < 0.5 else f"guess{self.luck.randrange(10_000)}"
            options.append(f"{own}-{family}")
        rule = self.luck.choice(options) if options else f"habit-{family}"
        answer = f"tried {rule}"
        if not is_revision:
            return answer
        before = " ".join(f"tried {one}" for one in sorted(tried))
        return json.dumps({"improved_response": f"{before} {answer}", "changes_made": [f"apply {rule} first"]})

    def _noun(self, family: int) -> str:
        return NOUNS[family % len(NOUNS)] + ("s" * (family // len(NOUNS)))


async def judge(candidate: Candidate, _: RunContext) -> CritiqueResult:
    """Find the last rule that was tried right or not."""
    rule, family = re.findall(r"tried ([a-z]+)\d*-(\d+)", candidate.content)[-1]
    if rule == "right":
        return CritiqueResult(severity=0.0)
    return CritiqueResult(severity=0.8, issues=[f"it fails as family {family} does"])


async def play(
    world: World, tasks: list[str], planted: list[MemoryEntry], *, remembers: bool, uses: int
) -> dict[str, Any]:
    """Run the tasks one after the other, and tell how many attempts they took and what was offered."""
    world.luck = random.Random(world.seed + 1)
    model = ScriptedModel(world.answer)
    attempts: list[int] = []
    offered: list[tuple[int, int]] = []  # of each run with lessons: how many, how many of them wrong
    async with ReflexionMemory(similarity="weighted") as memory:
        for lesson in planted:
            await memory.store(lesson)
        pipeline = Pipeline(
            LLMGenerator(model),
            judge,
            LLMReviser(model, format="json"),
            memory=memory if remembers else None,
            learn_from="nothing",  # this world is about lessons: its model would take examples for attempts of its own
            holdout=0,
            config=LoopConfig(max_iterations=8, stop_rules=(accepted,)),
        )
        async with pipeline:
            for task in tasks:
                result = await pipeline.run(task)
                assert result.error is None, result.error
                attempts.append(result.total_iterations)
                if result.lessons_used:
                    wrong = sum("wrong" in lesson.correction for lesson in result.lessons_used)
                    offered.append((len(result.lessons_used), wrong))
    late = offered[uses:]
    return {
        "attempts": attempts,
        "offered": sum(count for count, _ in offered),
        "uses": len(offered),
        "wrong_first": _share(offered[:20]),
        "wrong_late": _share(late),
        "late_runs": len(late),
    }


def _share(offered: list[tuple[int, int]]) -> float:
    return sum(wrong for _, wrong in offered) / max(1, sum(count for count, _ in offered))


def planted_in(name: str, world: World) -> list[MemoryEntry]:
    """Return the lessons that a world begins with."""
    rng = random.Random(world.seed + 2)
    if name == "none":
        return []
    if name == "planted":  # makes up a fifth once each family has its right lesson
        return [
            world.lesson(family, "wrong", 0, rng) for family in rng.sample(range(world.families), world.families // 4)
        ]
    lessons = [world.lesson(family, "right", number, rng) for family in range(world.families) for number in range(4)]
    lessons += [world.lesson(family, "wrong", 4, rng) for family in range(world.families)]
    rng.shuffle(lessons)
    return lessons


async def measure(name: str, seed: int, tasks: int, families: int, uses: int) -> dict[str, float]:
    world = World(families, seed)
    stream, planted = world.tasks(tasks), planted_in(name, world)
    memory = await play(world, stream, planted, remembers=True, uses=uses)
    without = await play(world, stream, [], remembers=False, uses=uses)
    ours, theirs = fmean(memory["attempts"]), fmean(without["attempts"])
    return {
        "attempts_with": ours,
        "attempts_without": theirs,
        "ratio": ours / theirs,
        "ratio_first_half": fmean(memory["attempts"][: tasks // 2]) / fmean(without["attempts"][: tasks // 2]),
        "uses": memory["uses"],
        "wrong_share_first_20": memory["wrong_first"],
        "wrong_share_late": memory["wrong_late"],
        "late_runs": memory["late_runs"],
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", type=int, default=300)
    parser.add_argument("--families", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--uses", type=int, default=200, help="after so many the share of wrong lessons is taken")
    parser.add_argument("--small", action="store_true", help="100 tasks of 4 families, 3 seeds, 50 uses")
    options = parser.parse_args()
    if options.small:
        options.tasks, options.families, options.seeds, options.uses = 100, 4, 3, 50
    size = {"tasks": options.tasks, "families": options.families}
    for name in WORLDS:
        rows = []
        for seed in range(options.seeds):
            row = asyncio.run(measure(name, seed, options.tasks, options.families, options.uses))
            rows.append(row)
            show(world=name, seed=seed, **size, **row)
        spread = {
            figure: {
                "mean": fmean(row[figure] for row in rows),
                "stdev": stdev(row[figure] for row in rows) if len(rows) > 1 else 0.0,
                "worst": max(row[figure] for row in rows),
            }
            for figure in ("attempts_with", "attempts_without", "ratio", "ratio_first_half", "wrong_share_late")
        }
        show(world=name, seeds=options.seeds, **size, **spread)


def show(**row: object) -> None:
    print(json.dumps(rounded(row)), flush=True)


def rounded(value: object) -> object:
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    return round(value, 4) if isinstance(value, float) else value


if __name__ == "__main__":
    main()
