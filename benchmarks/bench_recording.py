"""CPU time that recording every call of a model takes: a pipeline of 8 calls with and without it.

Generate, then critique and revise three times, then judge the last revision, with a scripted model in this process.
With a journal the lines of the calls go to SQLite with those of the steps. The modes take turns, run by run; medians.
The anchor is 0.3 ms a call.

    python benchmarks/bench_recording.py [--runs 60] [--chars 2000]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from typing import Any, Literal

from jido_ai import LLMCritiquer, LLMGenerator, LLMReviser, LoopConfig, Pipeline
from jido_ai.values import Completion, CompletionRequest, Usage

CALLS = 8
ANCHOR_MS = 0.3


class Scripted:
    """Answers with a draft, a critique or a revision, by the number of the call."""

    provider, model = "scripted", "scripted"

    def __init__(self, chars: int) -> None:
        self._text = ("The cache keeps the key of each token it has seen, and drops the oldest. " * 2000)[:chars]
        self._count = 0

    async def complete(self, request: CompletionRequest) -> Completion:
        place, self._count = self._count % CALLS, self._count + 1
        if place == 0:
            text = self._text
        elif place % 2:
            issue = {"message": f"Part {place} is vague.", "severity": 0.9 - place / 20}
            text = json.dumps({"issues": [issue], "suggestions": [], "severity": 0.9 - place / 20, "feedback": ""})
        else:
            text = json.dumps(
                {
                    "improved_response": f"{place} {self._text[::-1] if place == 4 else self._text}",
                    "changes_made": ["x"],
                    "parts_preserved": [],
                }
            )
        return Completion(text, usage=Usage(1, 500, 500, unpriced_calls=1))


async def main(runs: int, chars: int) -> int:
    rows: dict[str, list[float]] = {}
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for memory in (None, str(Path(folder) / "memory.db")):
            where = "no journal" if memory is None else "journal"
            async with AsyncExitStack() as stack:
                modes: tuple[Literal["off", "redacted", "full"], ...] = ("off", "redacted", "full")
                pipelines = {mode: await stack.enter_async_context(pipeline(memory, mode, chars)) for mode in modes}
                for number in range(runs):
                    for mode in (*modes[number % 3 :], *modes[: number % 3]):
                        gc.collect()
                        began = time.process_time()
                        result = await pipelines[mode].run(f"Explain how our cache works. {number}")
                        took_ms = (time.process_time() - began) * 1000
                        if number >= 3:
                            rows.setdefault(f"{where}, {mode}", []).append(took_ms)
                        if len(result.calls) != (0 if mode == "off" else CALLS):
                            sys.exit(f"{len(result.calls)} calls are recorded: {result.stop_reason} {result.error}")
    for name, took in rows.items():
        without = median(rows[f"{name.partition(',')[0]}, off"])
        a_call = (median(took) - without) / CALLS
        worst = max(worst, a_call)
        spread = [round(one, 2) for one in (min(took), max(took))]
        print(
            json.dumps(
                {"mode": name, "cpu_ms": round(median(took), 2), "spread": spread, "ms_a_call": round(a_call, 3)}
            )
        )
    print(json.dumps({"runs": runs, "chars": chars, "worst_ms_a_call": round(worst, 3), "anchor_ms": ANCHOR_MS}))
    return int(worst > ANCHOR_MS)


def pipeline(memory: str | None, mode: Literal["off", "redacted", "full"], chars: int) -> Pipeline[Any]:
    """Return a pipeline that makes eight calls."""
    model = Scripted(chars)
    config = LoopConfig(max_iterations=4, patience=9, severity_threshold=0.01, change_threshold=0.0)
    return Pipeline(LLMGenerator(model), LLMCritiquer(model), LLMReviser(model), memory, config, record_calls=mode)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--chars", type=int, default=2000)
    options = parser.parse_args()
    sys.exit(asyncio.run(main(options.runs, options.chars)))
