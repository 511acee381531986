"""What the worlds of `bench_stopping`'s simulation assume of a model that judges itself, beside what was measured.

    python benchmarks/real_model/run.py --compare --out build/compared.json
    python benchmarks/bench_constants.py --simulator PATH --compared build/compared.json [--tasks 20000] [--seed 1]

A world's rates are counted on simulated tasks; a draft is right if it has no defect. The measured ones are counted on
the tasks of a comparison with the strategies single, loop and oracle, whose first answers are the same; a draft is
right if it passes the checks. Each rate is printed with its 95 % Wilson interval.

first      first drafts that are right
faulted    wrong first drafts that the critic wants revised
alarms     right first drafts that the critic wants revised
mended     of the wrong ones that were revised: right in the end, after up to two revisions
spoilt     of the right ones that were revised: wrong in the end
sampled    wrong first drafts for which one of three more samples is right
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

from bench_stopping import load

from jido_ai.memory.effect import wilson

RATES: Final = {
    "first": ("right", "drafts"),
    "faulted": ("wrong faulted", "wrong"),
    "alarms": ("right faulted", "right"),
    "mended": ("mended", "wrong faulted"),
    "spoilt": ("spoilt", "right faulted"),
    "sampled": ("sampled", "wrong"),
}
"""Each rate: what is counted, and of how many."""
_REVISIONS: Final = 2
_SAMPLES: Final = 3


def counted(*, was_right: bool, was_faulted: bool, is_right: bool, is_sampled: bool) -> Counter[str]:
    """Return what one task adds to the counts."""
    first = "right" if was_right else "wrong"
    return Counter(
        {
            "drafts": 1,
            first: 1,
            f"{first} faulted": was_faulted,
            "mended": was_faulted and not was_right and is_right,
            "spoilt": was_faulted and was_right and not is_right,
            "sampled": not was_right and is_sampled,
        }
    )


def of_a_world(simulation: Any, world: Any, tasks: int, seed: int) -> Counter[str]:
    """Count on simulated tasks: the last draft is revised while the critic wants it, twice at most."""
    total: Counter[str] = Counter()
    for number in range(tasks):
        rng = random.Random(f"{seed} {world.name} {number}")
        drawn = world.draw(rng)
        first = draft = simulation.fresh(drawn, rng)
        was_faulted = False
        for turn in range(_REVISIONS):
            seen, found, false = simulation.critique(drawn, rng, draft, turn, 1.0)
            if seen.verdict == "accept":
                break
            was_faulted = True
            draft, _ = simulation.revise(drawn, rng, draft, found, false, turn)
        total += counted(
            was_right=not first.d,
            was_faulted=was_faulted,
            is_right=not draft.d,
            is_sampled=any(not simulation.redraw(drawn, rng, first).d for _ in range(_SAMPLES)),
        )
    return total


def of_a_comparison(path: Path) -> Counter[str]:
    """Count on the tasks of a comparison: a loop that took more calls than an answer and a verdict was revised."""
    cases: dict[str, dict[str, dict[str, Any]]] = {}
    for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
        cases.setdefault(case["task_id"], {})[case["strategy"]] = case
    total: Counter[str] = Counter()
    for of in cases.values():
        if missing := {"single", "loop", "oracle"} - of.keys():
            sys.exit(f"{path}: a task without the strategies {', '.join(sorted(missing))}")
        total += counted(
            was_right=of["single"]["verdict"]["passed"],
            was_faulted=of["loop"]["calls"] > 2,
            is_right=of["loop"]["verdict"]["passed"],
            is_sampled=of["oracle"]["verdict"]["passed"],
        )
    return total


def row(name: str, counts: Counter[str]) -> str:
    """Return a line of the table."""
    cells = []
    for what, of in RATES.values():
        low, high = wilson(counts[what], counts[of])
        share = f"{counts[what] / counts[of]:.0%} [{low:.0%}, {high:.0%}]" if counts[of] else "-"
        cells.append(share.ljust(18))
    return f"{name:<50.50}{''.join(cells)}".rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulator", type=Path, required=True, help="the simulation's file")
    parser.add_argument("--compared", type=Path, required=True, help="the result of a comparison, as JSON")
    parser.add_argument("--tasks", type=int, default=20_000, help="simulated tasks for each world")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    simulation = load(told.simulator)
    print(f"{'':<50}{''.join(name.ljust(18) for name in RATES)}".rstrip())
    print(row(f"measured: {told.compared.name}", of_a_comparison(told.compared)))
    for world in simulation.WORLDS:
        print(row(world.name, of_a_world(simulation, world, told.tasks, told.seed)), flush=True)


if __name__ == "__main__":
    main()
