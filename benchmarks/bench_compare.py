"""The statistics of `compare` on simulated strategies with known rates: coverage of the intervals, and false alarms.

    python benchmarks/bench_compare.py [--sets N] [--seed N]

Each set has new tasks, some harder than others, on which all strategies depend. Two anchors: Wilson's 95 % intervals
contain the known rate in 93 to 97 % of 1,000 sets with rates from 0.1 to 0.9, and a difference of nothing is called one
in at most 5 % of the sets, whatever the number of strategies. Beside them: the coverage at single rates, which jumps
with the rate since tasks are whole numbers, with its exact value; and how often a real difference is found. Prints JSON
lines.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Iterator, Mapping, Sequence

from jido_ai.comparing.cases import Case, Verdict
from jido_ai.comparing.comparison import Comparison
from jido_ai.comparing.tasks import Check, Task
from jido_ai.memory.effect import wilson

_COVERAGE = "93 to 97 %"
_FALSE_ALARMS = "at most 5 %"


def simulated(rates: Mapping[str, float], tasks: int, sets: int, seed: int) -> Iterator[Comparison]:
    """Yield comparisons of strategies that pass a task of mean difficulty with these rates."""
    chance = random.Random(seed)
    lines = [Task(f"task {number}", [Check.exact("4")]) for number in range(tasks)]
    verdicts = {passed: Verdict(passed, "program") for passed in (True, False)}
    for _ in range(sets):
        cases: list[Case] = []
        for task in lines:
            ease = chance.uniform(-1.0, 1.0)
            for name, rate in rates.items():
                passed = chance.random() < rate + ease * min(rate, 1.0 - rate)
                cases.append(Case(task.key, name, 0, verdicts[passed], "4", 1, 10, 10, 0.0, 1.0))
        yield Comparison.of(cases, tasks=lines, names=list(rates), baseline="single")


def coverage(rates: Sequence[float], tasks: int, seed: int) -> float:
    """Return how many intervals contain their rate, in percent; one set for each rate."""
    found = 0
    for number, rate in enumerate(rates):
        [one] = simulated({"single": rate}, tasks, 1, seed + number)
        low, high = one.row("single").interval
        found += low <= rate <= high
    return round(100 * found / len(rates), 1)


def exact_coverage(rate: float, tasks: int) -> float:
    """Return the chance, in percent, that the interval contains the rate."""
    covered = 0.0
    for passed in range(tasks + 1):
        low, high = wilson(passed, tasks)
        if low <= rate <= high:
            covered += math.comb(tasks, passed) * rate**passed * (1.0 - rate) ** (tasks - passed)
    return round(100 * covered, 1)


def calls(rates: Mapping[str, float], tasks: int, sets: int, seed: int) -> dict[str, object]:
    """Return how many sets call some strategy better or worse than the first."""
    called = sum(
        any(row.against is not None and row.against.p < 0.05 for row in one.rows)
        for one in simulated(rates, tasks, sets, seed)
    )
    return {"rates": dict(rates), "tasks": tasks, "percent": round(100 * called / sets, 1)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args(arguments)
    about = {"sets": given.sets, "seed": given.seed}
    chance = random.Random(given.seed)
    mixed = [chance.uniform(0.1, 0.9) for _ in range(given.sets)]
    of_intervals = {"figure": "intervals that contain the rate"}
    for tasks in (40, 100):
        row = {**of_intervals, "rate": "0.1 to 0.9", "tasks": tasks, "percent": coverage(mixed, tasks, given.seed)}
        print(json.dumps({**row, "anchor": _COVERAGE, **about}), flush=True)
        for rate in (0.2, 0.5, 0.8):
            share = coverage([rate] * given.sets, tasks, given.seed)
            row = {**of_intervals, "rate": rate, "tasks": tasks, "percent": share}
            print(json.dumps({**row, "anchor": f"{exact_coverage(rate, tasks)} %, exactly", **about}), flush=True)
    for tasks in (40, 100):
        for count in (2, 5):
            rates = dict.fromkeys(["single", *(f"other {number}" for number in range(1, count))], 0.6)
            row = calls(rates, tasks, given.sets, given.seed)
            told = {"figure": "sets that call a difference of nothing one", **row, "anchor": _FALSE_ALARMS}
            print(json.dumps({**told, **about}), flush=True)
    for tasks in (40, 100):
        row = calls({"single": 0.6, "loop": 0.8}, tasks, given.sets, given.seed)
        print(json.dumps({"figure": "sets that find a real difference", **row, "anchor": None, **about}), flush=True)


if __name__ == "__main__":
    main()
