"""Repairs that generalise: how many small programs with one wrong line are fixed for good, and how fast.

The search over a project (`jido fix-test`) sees the visible tests of a program; its hidden tests then judge the repair:

    right       written, and the hidden tests pass
    wrong       written, but a hidden test fails
    asked       not written: edits that pass differ; `offered` if one of those shown passes the hidden tests
    refused     no edit passes

    python benchmarks/bench_repairs.py [SET ...] [--seconds 60] [--only NAME ...] [--pairs] [--lines 0]
        [--sample 40 --seed 1]

The sets are those of `repair_programs`; by default `tune` and `report`. With --lines, a program is followed by that
many lines of other functions. With --pairs, two programs are one file with two wrong lines. Prints a JSON line per
program and one per set.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from repair_programs import SETS, Program

from jido_ai import Candidate, RunContext, ToolCritiquer
from jido_ai.improve.repair.project_repair import ProjectRepair
from jido_ai.tools.ready import PYTEST

_ANCHOR = {"right": 18, "wrong": 5, "refused": 7, "median_s": 21, "longest_s": 41}
QUICK = replace(PYTEST.with_arguments("--disable-plugin-autoload"), timeout_s=60.0)


async def passes(program: Program, texts: Mapping[str, str]) -> bool:
    """Tell whether the program with these texts passes its hidden tests, in the sandbox."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in {**files_of(program), **texts, "test_program.py": program.hidden_tests}.items():
            Path(folder, path).write_text(text)
        critiquer = ToolCritiquer([QUICK], root=folder, replaces="program.py")
        code = texts.get("program.py", program.code)
        return not (await critiquer.critique(Candidate(code), RunContext(run_id="bench", prompt="judge"))).issues


def files_of(program: Program) -> dict[str, str]:
    return {"program.py": program.code} | ({"beside.py": program.beside} if program.beside else {})


def paired(programs: tuple[Program, ...]) -> tuple[Program, ...]:
    """Return two neighbours each as one program, unless both define a name."""
    return tuple(
        Program(
            f"{one.name}+{other.name}",
            f"{one.code}\n\n{other.code}",
            one.wrong,
            one.right,
            f"{one.visible}\n\n{other.visible}",
            f"{one.hidden}\n\n{other.hidden}",
        )
        for one, other in zip(programs[::2], programs[1::2], strict=False)
        if not names_in(one) & names_in(other)
    )


def long(program: Program, lines: int) -> Program:
    """Return the program with other code below it, in functions of five lines."""
    others = (
        f"\n\ndef other_{number}(values, least={number}):\n    found = [one for one in values if one > least]\n"
        f"    return sorted(found)[:{number}]\n"
        for number in range(lines // 5)
    )
    return replace(program, code=program.code + "".join(others))


def names_in(program: Program) -> set[str]:
    """Return the names of functions, classes and constants of a program and its tests."""
    texts = "\n".join((program.code, program.visible, program.hidden))
    return set(re.findall(r"^(?:def |class )?(\w+)(?=\(| =|:)", texts, re.MULTILINE))


async def searched(program: Program, max_seconds: float) -> dict[str, Any]:
    """Return the outcome of the search over a project with this one program."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, text in {**files_of(program), "test_program.py": program.visible_tests}.items():
            (root / path).write_text(text)
        began, used = time.perf_counter(), _cpu_s()
        found = await ProjectRepair(root, tests=QUICK, max_seconds=max_seconds).run()
        spent = _spent(began, used)
    if not found.repairs:
        return {"outcome": "refused", **spent, "why": [one.why for one in found.refusals]}
    first = found.repairs[0]
    shown = [await passes(program, {one.path: one.text}) for one in first.choices]
    told = {"edits": [f"{one.before} => {one.after}" for one in first.choices], "doubt": first.doubt}
    told |= {"tried": first.tried, "passed": first.passed, "tests": len(first.fixed), "is_sure": first.is_sure}
    if first.is_sure and not found.left:
        good = await passes(program, found.texts)
        return {"outcome": "right" if good else "wrong", **spent, **told}
    return {"outcome": "asked", **spent, **told, "offered": any(shown), "first_is_right": shown[0]}


async def bench(name: str, programs: tuple[Program, ...], max_seconds: float) -> None:
    """Search each program as a project and print the outcomes, and how often edits of each kind were right."""
    results: list[dict[str, Any]] = []
    for program in programs:
        results.append(await searched(program, max_seconds))
        print(json.dumps({"program": program.name, **results[-1]}), flush=True)
    counts = Counter(one["outcome"] for one in results)
    seconds = [one["seconds"] for one in results]
    told = {outcome: counts[outcome] for outcome in ("right", "wrong", "asked", "refused")}
    kinds: dict[str, list[bool]] = {}
    for one in results:
        if one["outcome"] != "refused":
            is_right = one["outcome"] == "right" or bool(one.get("first_is_right"))
            kind = f"several tests {one['tests'] > 1}, sure {one['is_sure']}"
            kinds.setdefault(kind, []).append(is_right)
    offered = sum(bool(one.get("offered")) for one in results)
    times = {"median_s": statistics.median(seconds), "longest_s": max(seconds)}
    right = {kind: f"{sum(some)} of {len(some)}" for kind, some in kinds.items()}
    print(
        json.dumps({"of": name, "programs": len(programs), **told, "offered": offered, **times, "first right": right})
    )
    print(json.dumps({"anchor": "2e66c58, 30 other programs", **_ANCHOR}))


def _cpu_s() -> float:
    return sum(os.times()[:4])


def _spent(began: float, used: float) -> dict[str, float]:
    return {"seconds": round(time.perf_counter() - began, 2), "cpu_s": round(_cpu_s() - used, 2)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", default=["tune", "report"], help=", ".join(SETS))
    parser.add_argument("--seconds", type=float, default=60.0, help="limit of a search; more on a busy machine")
    parser.add_argument("--pairs", action="store_true", help="programs with two wrong lines")
    parser.add_argument("--lines", type=int, default=0, help="of other code below each program")
    parser.add_argument("--only", nargs="*", default=None, metavar="NAME", help="only these programs")
    parser.add_argument("--sample", type=int, default=0, help="only so many programs of the sets named")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    options = parser.parse_args()
    if options.sample:
        every = [one for title in options.sets for one in SETS[title]]
        some = tuple(random.Random(options.seed).sample(every, options.sample))
        asyncio.run(bench(f"sample {options.sample}, seed {options.seed}", some, options.seconds))
        raise SystemExit
    for title in options.sets:
        chosen = tuple(one for one in SETS[title] if options.only is None or one.name in options.only)
        chosen = tuple(long(one, options.lines) for one in (paired(chosen) if options.pairs else chosen))
        if chosen:
            asyncio.run(bench(title, chosen, options.seconds))
