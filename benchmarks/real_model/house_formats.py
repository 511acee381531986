"""Do accepted answers teach a form that the prompt does not tell? 24 forms of a house, 2 tasks of each before 3 others.

    python benchmarks/real_model/house_formats.py FOLDER [--model FILE.gguf | --url URL] [--limit KINDS] [--seeds 1]

A prompt names its kind ("the duration of the house") and never the form. A memory has a person's answer to the first
task of each kind, as `jido memory add --answer` puts it there; on the second one the loop works, told by a checker the
part of the form that it knows, at most 4 calls. Then the first answers to the other tasks are compared, with the memory
and without it; and those to tasks of kinds that were never seen.
Every answer of the model is kept in the directory, so a benchmark that was ended goes on where it stopped.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from jido_ai import Candidate, CritiqueResult, Issue, LLMGenerator, LoopConfig, MemoryEntry, Pipeline, ReflexionMemory
from jido_ai.loop.convergence import accepted
from jido_ai.models import CompatibleModel
from jido_ai.values import Regenerate
from real_model.cached_model import CachedModel
from real_model.lessons import interleaved
from real_model.server import model_server
from real_model.tasks import OTHERS, Task
from real_model.worked_examples import Row, Seeded, difference, run

_CALLS: Final = 4
_LEARNED: Final = 2
_OF_ONE_TASK: Final = "test"
"""Kind of the findings: no lesson in words is made of them, so that examples are measured alone."""

FORMS: Final = [
    line.split("\t") for line in Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8").splitlines()
]
"""Kind, form, the part of the form that the checker can tell, five things to write in it, and the first one written."""


def _check(form: str, hint: str) -> Callable[[str], list[str]]:
    def check(text: str) -> list[str]:
        lines = text.strip().splitlines()
        if len(lines) != 1:
            return ["the answer must be one line and nothing else"]
        return [] if re.fullmatch(form, lines[0].strip()) else [f"it is not in our form: {hint}"]

    return check


def tasks_of(limit: int) -> tuple[list[Task], list[Task]]:
    """Return the tasks to learn from, and the others, of the first kinds."""
    first: list[Task] = []
    second: list[Task] = []
    for kind, form, hint, things, _ in FORMS[:limit]:
        for number, thing in enumerate(things.split("|")):
            prompt = f"Write the {kind} of our house for this, and nothing else: {thing}"
            task = Task(f"{kind}/{number}", "house", prompt, _check(form, hint))
            (first if number < _LEARNED else second).append(task)
    return first, second


async def learn(task: Task, model: CachedModel, memory: ReflexionMemory) -> None:
    """Work on a task with drafts that are told what is wrong; the memory keeps what is accepted."""

    def critic(candidate: Candidate, _: object) -> CritiqueResult:
        assert task.check is not None
        wrong = task.check(candidate.content)
        return CritiqueResult(severity=0.8 if wrong else 0.0, issues=[Issue(one, kind=_OF_ONE_TASK) for one in wrong])

    def again(history: Any, config: LoopConfig) -> Any:
        return accepted(history, config) or Regenerate(with_findings=True)

    config = LoopConfig(_CALLS, stop_rules=(again,), timeout_s=3_600.0, step_timeout_s=600.0)
    generator = LLMGenerator(Seeded(model.for_run(), 0), system="", temperature=0.7)
    async with Pipeline(generator, critic, None, memory, config, holdout=0) as pipeline:
        await pipeline.run(task.prompt, metadata={"task_type": task.family})


async def measure(model: CachedModel, folder: Path, limit: int, seeds: int) -> None:
    """Learn, then compare the first answers, of tasks of known kinds and of others."""
    first, second = tasks_of(limit)
    async with ReflexionMemory(similarity="weighted") as memory:
        for task, one in zip(first[::_LEARNED], FORMS, strict=False):
            await memory.store(MemoryEntry(task.prompt, answer=one[-1], task_type=task.family, source="person"))
        for task in first[1::_LEARNED]:
            await learn(task, model, memory)
        kept = sum(one.is_example for one in await memory.list_entries(None))
        print(f"{kept} of {len(first)} earlier tasks left an example", flush=True)
        unseen = [Task(one.id, "house", one.prompt, one.check, one.tests, one.n_checks) for one in interleaved(OTHERS)]
        for name, tasks in (("known kinds", second), ("kinds never seen", unseen[: 2 * limit])):
            rows: list[Row] = []
            for task in tasks:
                for seed in range(1, seeds + 1):
                    rows.append(await run(task, model, seed, None, 1))
                    rows.append(await run(task, model, seed, memory, 1, learn_from="nothing", holdout=0))
                (folder / f"{name.replace(' ', '_')}.json").write_text(json.dumps([vars(row) for row in rows]))
            for arm in ("without", "with"):
                mine = [row for row in rows if row.arm == arm]
                shown = sum(row.shown > 0 for row in mine)
                passed = sum(row.calls == 1 for row in mine)
                print(f"{name}: {arm} {passed} of {len(mine)} first answers pass, {shown} were shown an example")
            print(f"{name}: {difference(rows)}", flush=True)


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path, default=None)
    parser.add_argument("--url", default=None)
    parser.add_argument("--limit", type=int, default=len(FORMS))
    parser.add_argument("--seeds", type=int, default=1)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with nullcontext(asked.url) if asked.url else model_server(asked.model) as url:
        name = "local" if asked.model is None else asked.model.stem
        answers = asked.folder / f"{name}.jsonl"
        model = CachedModel(CompatibleModel("smollm2", base_url=url, timeout_s=600.0), name, answers)
        asyncio.run(measure(model, asked.folder, asked.limit, asked.seeds))


if __name__ == "__main__":
    main()
