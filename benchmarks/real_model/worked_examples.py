"""Do accepted answers of earlier tasks help? 40 tasks are worked on first, then 40 others of the same kinds.

    python benchmarks/real_model/worked_examples.py FOLDER [--model FILE.gguf | --url URL] [--limit N] [--seeds 4]

Of the first 40 a memory keeps an accepted answer, if there is one within 8 samples. The others are then answered with
the memory and without it, four seeds each, by the public API alone. Every answer of the model is kept in the directory,
so a benchmark that was ended goes on where it stopped. The table is printed at the end, and after every tenth task.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from jido_ai import Candidate, CritiqueResult, LLMGenerator, LoopConfig, Pipeline, ReflexionMemory, RunContext, Usage
from jido_ai.loop.convergence import accepted
from jido_ai.models import CompatibleModel, Completion, CompletionRequest
from jido_ai.values import Regenerate
from real_model.cached_model import CachedModel, RunModel
from real_model.judging import TaskJudge
from real_model.lessons import interleaved
from real_model.server import model_server
from real_model.tasks import OTHERS, TASKS, Task

_CALLS: Final = 4
_FIRST_CALLS: Final = 8
_SEED_STEP: Final = 1_000


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


async def measure(model: CachedModel, folder: Path, limit: int, seeds: int) -> list[Row]:
    """Work on all tasks and return the rows of the second forty."""
    first, second = (interleaved(tasks)[:limit] for tasks in (TASKS, OTHERS))
    rows: list[Row] = []
    async with ReflexionMemory(similarity="weighted") as memory:
        for task in first:
            await run(task, model, 0, memory, _FIRST_CALLS, max_examples_shown=0, holdout=0)
        kept = sum(one.is_example for one in await memory.list_entries(None))
        print(f"{kept} of {len(first)} earlier tasks left an example", flush=True)
        for number, task in enumerate(second, 1):
            for seed in range(1, seeds + 1):
                rows.append(await run(task, model, seed, None, _CALLS))
                rows.append(await run(task, model, seed, memory, _CALLS, learn_from="nothing", holdout=0))
            if number % 10 == 0 or number == len(second):
                tell(rows)
            (folder / "rows.json").write_text(json.dumps([vars(row) for row in rows]))
    return rows


def tell(rows: Sequence[Row]) -> None:
    """Print the figures so far."""
    tasks = len({row.task for row in rows})
    for arm in ("without", "with"):
        mine = [row for row in rows if row.arm == arm]
        firsts, passed = sum(row.calls == 1 for row in mine), sum(row.calls is not None for row in mine)
        until = fmean(row.calls or _CALLS for row in mine)
        per_seed = len(mine) / tasks
        print(
            f"{arm:8} first answer passes {firsts / per_seed:.1f} of {tasks}, within {_CALLS} calls "
            f"{passed / per_seed:.1f}, calls until accepted {until:.2f}"
        )
    print(difference(rows), flush=True)


def difference(rows: Sequence[Row]) -> str:
    """Say how many more first answers pass with the memory, by task, with a 95 % interval."""
    pairs = {(row.task, row.seed, row.arm): float(row.calls == 1) for row in rows}
    by_task: dict[str, list[float]] = {}
    for task, seed, arm in pairs:
        if arm == "with":
            by_task.setdefault(task, []).append(pairs[task, seed, "with"] - pairs[task, seed, "without"])
    means = [fmean(gains) for gains in by_task.values()]
    middle = fmean(means)
    spread = sqrt(sum((one - middle) ** 2 for one in means) / max(1, len(means) - 1) / len(means))
    return (
        f"difference {100 * middle:+.1f} points ({100 * (middle - 1.96 * spread):+.1f} to "
        f"{100 * (middle + 1.96 * spread):+.1f}); better {sum(one > 0 for one in means)}, "
        f"worse {sum(one < 0 for one in means)}"
    )


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path, default=None)
    parser.add_argument("--url", default=None)
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--seeds", type=int, default=4)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with nullcontext(asked.url) if asked.url else model_server(asked.model) as url:
        name = "local" if asked.model is None else asked.model.stem
        model = CachedModel(
            CompatibleModel("smollm2", base_url=url, timeout_s=600.0), name, asked.folder / f"{name}.jsonl"
        )
        asyncio.run(measure(model, asked.folder, asked.limit, asked.seeds))


if __name__ == "__main__":
    main()
