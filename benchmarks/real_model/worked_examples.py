"""Do accepted answers of earlier tasks help? 40 tasks are worked on first, then 40 others of the same kinds.

    python benchmarks/real_model/worked_examples.py FOLDER [--model FILE.gguf | --url URL] [--limit N] [--seeds 4]
    python benchmarks/real_model/worked_examples.py FOLDER --tasks FILE.py    # tasks of your own: "train" before "test"

Of the first 40 a memory keeps an accepted answer, if there is one within 8 samples. The others are then answered with
the memory and without it, four seeds each, by the public API alone. Every answer of the model is kept in the directory,
so a benchmark that was ended goes on where it stopped. The table is printed after every seed, beside what was reached
by the same model with an accepted answer put before the task by hand: 27.8 to 31.8 of 40 first answers, 1.80 to 1.53
calls, and 34.0 to 35.6 of 40 passed within four calls.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from jido_ai import Candidate, CritiqueResult, LLMGenerator, LoopConfig, Pipeline, ReflexionMemory, RunContext, Usage
from jido_ai.loop.convergence import accepted
from jido_ai.models import CompatibleModel, Completion, CompletionRequest
from jido_ai.values import Regenerate
from real_model.cached_model import CachedModel, Caps, RunModel
from real_model.judging import TaskJudge
from real_model.lessons import interleaved
from real_model.run import load_tasks
from real_model.server import model_server
from real_model.tasks import OTHERS, TASKS, Task

_CALLS: Final = 4
_FIRST_CALLS: Final = 8
_SEED_STEP: Final = 1_000
_DRAWS: Final = 10_000


@dataclass
class Seeded:
    """The model of one run: its requests have seeds of their own."""

    model: RunModel
    first: int

    async def complete(self, request: CompletionRequest) -> Any:
        shared = self.model.shared
        told = self.model
        told.calls += 1
        seed = self.first * _SEED_STEP + told.calls
        answer = await shared.answer(request.model_copy(update={"seed": seed, "max_tokens": shared.caps.text}))
        return Completion(answer["text"], usage=Usage(calls=1, input_tokens=answer["input"]))


def sample_again(history: Any, config: LoopConfig) -> Any:
    """Return the verdict for an accepted candidate, else ask for one more sample."""
    return accepted(history, config) or Regenerate(with_findings=False)


@dataclass
class Row:
    """One run: calls until an answer passed, None if none did, and whether examples were shown."""

    task: str
    seed: int
    arm: str
    calls: int | None
    shown: int


async def run(
    task: Task, model: CachedModel, seed: int, memory: ReflexionMemory | None, calls: int, **options: Any
) -> Row:
    """Work on one task."""
    judge = TaskJudge(task)

    async def critic(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0 if await judge.passes(candidate.content) else 0.9)

    config = LoopConfig(calls, stop_rules=(sample_again,), timeout_s=3_600.0, step_timeout_s=600.0)
    generator = LLMGenerator(Seeded(model.for_run(), seed), system="", temperature=0.7)
    async with Pipeline(generator, critic, None, memory, config, **options) as pipeline:
        result = await pipeline.run(task.prompt, metadata={"task_type": task.family})
    passed = next((one.index + 1 for one in result.iterations if one.critique.severity < 0.3), None)
    return Row(task.id, seed, "with" if memory else "without", passed, len(result.examples_used))


def halves_of(place: str) -> tuple[list[Task], list[Task]]:
    """Return the tasks to learn from and the others: ours, or those of a Python file by their `half`."""
    if place == "ours":
        return interleaved(TASKS), interleaved(OTHERS)
    tasks = interleaved(load_tasks(place))
    first, second = ([task for task in tasks if task.half == half] for half in ("train", "test"))
    return first, second


async def measure(model: CachedModel, asked: argparse.Namespace) -> list[Row]:
    """Work on all tasks and return the rows of the second half."""
    first, second = (tasks[: asked.limit] for tasks in halves_of(asked.tasks))
    rows: list[Row] = []
    async with ReflexionMemory(similarity="weighted") as memory:

        async def learn(task: Task) -> None:
            await run(task, model, 0, memory, _FIRST_CALLS, max_examples_shown=0, holdout=0)

        async def compare(task: Task, seed: int) -> None:
            rows.append(await run(task, model, seed, None, _CALLS))
            options = {"learn_from": "nothing", "holdout": 0, "max_examples_shown": asked.shown}
            rows.append(await run(task, model, seed, memory, _CALLS, **options))

        await side_by_side(asked.workers, [partial(learn, task) for task in first])
        kept = sum(one.is_example for one in await memory.list_entries(None))
        print(f"{kept} of {len(first)} earlier tasks left an example", flush=True)
        for seed in range(1, asked.seeds + 1):
            await side_by_side(asked.workers, [partial(compare, task, seed) for task in second])
            tell(rows)
            print(f"{model.cut} of {model.asked} answers were cut at {model.caps.text} tokens", flush=True)
            (asked.folder / f"{model.name}.rows.json").write_text(json.dumps([vars(row) for row in rows]))
    return rows


async def side_by_side(workers: int, works: Sequence[Callable[[], Awaitable[None]]]) -> None:
    """Do works, so many at once."""
    waiting = iter(works)

    async def work() -> None:
        for one in waiting:
            await one()

    async with asyncio.TaskGroup() as group:
        for _ in range(workers):
            group.create_task(work())


def tell(rows: Sequence[Row]) -> None:
    """Print the figures so far: of each arm, and of the memory beside none with 95 % intervals."""
    tasks = len({row.task for row in rows})
    for arm in ("without", "with"):
        mine = [row for row in rows if row.arm == arm]
        per_seed = len(mine) / tasks
        print(
            f"{arm:8} first answer passes {sum(row.calls == 1 for row in mine) / per_seed:.1f} of {tasks}, within "
            f"{_CALLS} calls {sum(row.calls is not None for row in mine) / per_seed:.1f}, calls until accepted "
            f"{fmean(row.calls or _CALLS for row in mine):.2f}"
        )
    print(f"first answers: {difference(rows)}")
    passed, low, high = (40 * one for one in bootstrapped(rows, lambda row: row.calls is not None))
    print(f"passed within {_CALLS} calls, of 40: {passed:+.1f} ({low:+.1f} to {high:+.1f})")
    ratio, low, high = bootstrapped(rows, lambda row: row.calls or _CALLS, as_ratio=True)
    print(f"calls until accepted: {ratio:.2f} x ({low:.2f} to {high:.2f})", flush=True)


def bootstrapped(
    rows: Sequence[Row], figure: Callable[[Row], float], *, as_ratio: bool = False
) -> tuple[float, float, float]:
    """Return how much the mean of a figure differs with the memory, and the ends of a 95 % interval.

    Whole tasks are drawn again: the seeds of a task are no runs of their own.

    Args:
        as_ratio: with the memory as a multiple of without it.
    """
    sums: dict[str, dict[str, float]] = {}
    for row in rows:
        of_task = sums.setdefault(row.task, {"with": 0.0, "without": 0.0})
        of_task[row.arm] += figure(row)
    seeds = len(rows) / 2 / len(sums)

    def told(tasks: Sequence[str]) -> float:
        with_it, without = (fmean(sums[task][arm] for task in tasks) / seeds for arm in ("with", "without"))
        return with_it / without if as_ratio else with_it - without

    chance = random.Random(0)
    tasks = sorted(sums)
    drawn = sorted(told(chance.choices(tasks, k=len(tasks))) for _ in range(_DRAWS))
    return told(tasks), drawn[round(0.025 * _DRAWS)], drawn[round(0.975 * _DRAWS) - 1]


def difference(rows: Sequence[Row]) -> str:
    """Say how many more first answers pass with the memory, with a 95 % interval by task."""
    middle, low, high = (100 * one for one in bootstrapped(rows, lambda row: row.calls == 1))
    gains: Counter[str] = Counter()
    for row in rows:
        gains[row.task] += (row.calls == 1) * (1 if row.arm == "with" else -1)
    better, worse = sum(one > 0 for one in gains.values()), sum(one < 0 for one in gains.values())
    return f"difference {middle:+.1f} points ({low:+.1f} to {high:+.1f}); {better} tasks better, {worse} worse"


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path, default=None)
    parser.add_argument("--url", default=None)
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--tasks", default="ours", metavar="ours|FILE.py")
    parser.add_argument("--shown", type=int, default=2, help="examples shown at most")
    parser.add_argument("--max-tokens", type=int, default=320)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--name", help="of the model")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with nullcontext(asked.url) if asked.url else model_server(asked.model) as url:
        name = asked.name or ("local" if asked.model is None else asked.model.stem)
        model = CachedModel(
            CompatibleModel("smollm2", base_url=url, timeout_s=600.0),
            name,
            asked.folder / f"{name}.jsonl",
            Caps(asked.max_tokens),
        )
        asyncio.run(measure(model, asked))


if __name__ == "__main__":
    main()
