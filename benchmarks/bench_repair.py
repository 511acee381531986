"""Repairs that a memory makes faster: the programs of the set `tune`, in how many tries, with and without a memory.

Each program is repaired three times: alone, without memory; by a pipeline with a memory of the programs before it
("others"); and again, when the memory knows all of them ("again"). Then held-back tests judge the results: a repair
that fails them overfits the tests, and is listed.

    python benchmarks/bench_repair.py [--programs 20] [--alone]

The rank of a repair is its place in the order of edits; some more are tried, since two processes work at once. Seconds
are of the search for a repair, with the plain run of the tests that has the last word. Prints a JSON line per program
and one for all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from repair_programs import SETS, Program

from jido_ai import (
    Candidate,
    CritiqueResult,
    Declined,
    LoopConfig,
    Pipeline,
    ReflexionMemory,
    RunContext,
    ToolCritiquer,
)
from jido_ai.repair.mutation_reviser import MutationReviser
from jido_ai.tools.ready import PYTEST
from jido_ai.values import Issue

QUICK = replace(PYTEST.with_arguments("--disable-plugin-autoload"), timeout_s=20.0)
FAILING = CritiqueResult(severity=0.9, issues=[Issue("it fails", kind="test", rule="test_program.py")])
CONFIG = LoopConfig(policy="adaptive", accept="clean", severity_threshold=1.0, score_threshold=0.01, max_iterations=2)


async def passes(code: str, tests: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_program.py").write_text(tests)
        critiquer = ToolCritiquer([QUICK], root=folder, replaces="program.py")
        return not (await critiquer.critique(Candidate(code), RunContext(run_id="bench", prompt="judge"))).issues


class Watched:
    """A reviser that records the outcome of its last search."""

    def __init__(self, folder: str) -> None:
        self._reviser = MutationReviser(root=folder, replaces="program.py", tests=QUICK)
        self.told: dict[str, Any] = {}

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        began = time.perf_counter()
        self.told = {"repaired": False, "lessons": len(context.lessons)}
        try:
            result = await self._reviser.revise(candidate, critique, context)
        except Declined as signal:
            self.told |= {"why": str(signal), "seconds": time.perf_counter() - began}
            raise
        made = result.metadata
        self.told |= {
            "repaired": True, **{key: made[key] for key in ("operator", "failure", "rank", "tried")},
            "edit": f"{made['before']} => {made['after']}", "seconds": round(time.perf_counter() - began, 2),
            "content": result.content,
        }  # fmt: skip
        return result


async def repaired(program: Program, memory: ReflexionMemory | None) -> dict[str, Any]:
    """Return the outcome of one search."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_program.py").write_text(program.visible_tests)
        reviser = Watched(folder)
        if memory is None:
            context = RunContext(run_id="bench", prompt=f"repair {program.name}")
            try:
                await reviser.revise(Candidate(program.code), FAILING, context)
            except Declined:
                pass
        else:
            critiquer = ToolCritiquer([QUICK], root=folder, replaces="program.py")
            async with Pipeline(
                critiquer=critiquer, reviser=reviser, memory=memory, config=CONFIG, recall_by="critique"
            ) as pipeline:
                await pipeline.run(f"improve {program.name}", program.code)
    content = reviser.told.pop("content", None)
    if content is not None:
        reviser.told["passes_held_back"] = await passes(content, program.hidden_tests)
    return reviser.told


def summary(results: list[dict[str, Any]]) -> dict[str, Any]:
    done = [one for one in results if one["repaired"]]
    return {
        "repaired": len(done),
        "passes_held_back": sum(one["passes_held_back"] for one in done),
        "ranks": sum(one["rank"] for one in done),
        "tried": sum(one["tried"] for one in done),
        "seconds": round(sum(one["seconds"] for one in results), 1),
    }


async def bench(programs: tuple[Program, ...], *, alone_only: bool) -> None:
    rounds: dict[str, list[dict[str, Any]]] = {"alone": []} if alone_only else {"alone": [], "others": [], "again": []}
    async with ReflexionMemory(similarity="weighted") as memory:
        for name, results in rounds.items():
            for program in programs:
                results.append(await repaired(program, None if name == "alone" else memory))
                print(json.dumps({"program": program.name, "memory": name, **results[-1]}), flush=True)
    named = [
        f"{program.name} ({name})"
        for name, results in rounds.items()
        for program, one in zip(programs, results, strict=True)
        if one.get("passes_held_back") is False
    ]
    total = {name: summary(results) for name, results in rounds.items()}
    print(json.dumps({"programs": len(programs), **total, "fails_held_back": named}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=len(SETS["tune"]))
    parser.add_argument("--alone", action="store_true", help="only without memory")
    options = parser.parse_args()
    asyncio.run(bench(SETS["tune"][: options.programs], alone_only=options.alone))
