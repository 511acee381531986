"""What does a memory keep of the first 25 tasks? Judge the list row by row: 10 of 12 should be worth keeping.

python benchmarks/real_model/kept.py FOLDER [--model FILE.gguf | --url URL] [--limit 25]
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from jido_ai import ReflexionMemory
from jido_ai.models import CompatibleModel
from real_model.cached_model import CachedModel, Caps
from real_model.judging import TaskJudge
from real_model.lessons import interleaved
from real_model.methods import Trial, adaptive
from real_model.server import model_server
from real_model.tasks import TASKS


async def work(url: str, folder: Path, limit: int) -> None:
    """Work on the tasks with one memory, and print how each run ended."""
    model = CachedModel(CompatibleModel("m", base_url=url, timeout_s=600.0), "m", folder / "m.jsonl", Caps(320))
    async with ReflexionMemory(folder / "m.db") as memory:
        for task in interleaved(TASKS)[:limit]:
            trial = Trial(task.prompt, TaskJudge(task), model.for_run(), 4, 300.0, family=task.family, memory=memory)
            print(f"{task.id}: {(await adaptive(trial)).stop}", flush=True)


def main() -> None:
    """Parse the arguments, work on the tasks, and say how the list is shown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path, default=None)
    parser.add_argument("--url", default=None)
    parser.add_argument("--limit", type=int, default=25)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with nullcontext(asked.url) if asked.url else model_server(asked.model) as url:
        asyncio.run(work(url, asked.folder, asked.limit))
    print(f"jido memory list --memory {asked.folder / 'm.db'}")


if __name__ == "__main__":
    main()
