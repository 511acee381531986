"""Repair of failing tests without a model: how many of twenty bugs of one line are mended, how soon, by how many tries.

Each program is mended twice: without memory, and with what the repairs of the programs before it taught. Then the tests
that were held back judge the result: a repair that fails them fits the tests and not the purpose, and is named.

    python benchmarks/bench_repair.py [--programs 20]

Prints a JSON line per program and one for all.
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

from repair_programs import PROGRAMS, Program

from jido_ai import Candidate, CritiqueResult, Declined, MemoryEntry, ReflexionMemory, RunContext, ToolCritiquer
from jido_ai.components.mutation_reviser import MutationReviser
from jido_ai.components.tools import PYTEST

QUICK = replace(PYTEST.with_arguments("-p", "no:hypothesispytest", "-p", "no:asyncio"), timeout_s=5.0)


def tests_of(expressions: tuple[str, ...]) -> str:
    tests = (f"\n\ndef test_{number}():\n    assert {text}\n" for number, text in enumerate(expressions))
    return "from program import *\n" + "".join(tests)


async def judged(code: str, tests: tuple[str, ...]) -> CritiqueResult:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_program.py").write_text(tests_of(tests))
        critiquer = ToolCritiquer([QUICK], root=folder, replaces="program.py")
        return await critiquer.critique(Candidate(code), RunContext(run_id="bench", prompt="judge"))


async def mended(program: Program, critique: CritiqueResult, lessons: tuple[MemoryEntry, ...]) -> dict[str, Any]:
    """Return what came of one search."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_program.py").write_text(tests_of(program.tests))
        reviser = MutationReviser(root=folder, replaces="program.py", tests=QUICK, max_parallel=1)
        context = RunContext(run_id="bench", prompt=f"repair {program.name}", lessons=lessons)
        began = time.perf_counter()
        try:
            result = await reviser.revise(Candidate(program.code), critique, context)
        except Declined as signal:
            return {"mended": False, "why": str(signal), "seconds": round(time.perf_counter() - began, 2)}
        seconds = round(time.perf_counter() - began, 2)
    held_back = await judged(result.content, program.held_back)
    return {
        "mended": True,
        "passes_held_back": not held_back.issues,
        "operator": result.metadata["operator"],
        "edit": f"{result.metadata['before']} => {result.metadata['after']}",
        "tried": result.metadata["tried"],
        "seconds": seconds,
        "reasoning": result.reasoning,
    }


async def bench(programs: tuple[Program, ...]) -> None:
    alone: list[dict[str, Any]] = []
    taught: list[dict[str, Any]] = []
    async with ReflexionMemory(similarity="weighted") as memory:
        for program in programs:
            critique = await judged(program.code, program.tests)
            assert any(issue.kind in ("test", "timeout") for issue in critique.issues), (
                f"{program.name}: {critique.issues}"
            )
            found = "\n".join(issue.message for issue in critique.issues)
            lessons = await memory.retrieve_similar(found)
            alone.append(await mended(program, critique, ()))
            taught.append(await mended(program, critique, tuple(scored.entry for scored in lessons)))
            if "reasoning" in taught[-1]:
                await memory.store(MemoryEntry(found, found, taught[-1].pop("reasoning"), kind="semantic"))  # type: ignore[arg-type]
            alone[-1].pop("reasoning", None)
            line = {"program": program.name, "lessons": len(lessons), "alone": alone[-1], "with_memory": taught[-1]}
            print(json.dumps(line), flush=True)
    named = [program.name for program, one in zip(programs, alone, strict=True) if one.get("passes_held_back") is False]
    named += [
        program.name for program, one in zip(programs, taught, strict=True) if one.get("passes_held_back") is False
    ]
    print(
        json.dumps(
            {
                "programs": len(programs),
                **{
                    name: {
                        "mended": sum(one["mended"] for one in results),
                        "passes_held_back": sum(one.get("passes_held_back", False) for one in results),
                        "tried": sum(one.get("tried", 0) for one in results),
                        "seconds": round(sum(one["seconds"] for one in results), 1),
                    }
                    for name, results in (("alone", alone), ("with_memory", taught))
                },
                "fails_held_back": sorted(set(named)),
            }
        )
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=len(PROGRAMS))
    asyncio.run(bench(PROGRAMS[: parser.parse_args().programs]))
