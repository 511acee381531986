"""The adaptive policy in a simulation of critics and revisers of known ability, beside the simulation's own policies.

The simulation is a separate file, not part of this project. A world draws drafts with defects, critics that see some of
them, report false ones and repeat earlier ones, and revisers that fix and break. The simulation knows the true quality
of every draft; a policy sees only the critics' reports. Regret is the utility (quality - price * calls) that a policy
loses compared with an oracle that knows when to stop.

    python benchmarks/bench_stopping.py --simulator PATH [--tasks 4000] [--seed 1 ...] [--price 0.01] [--ours]

Prints a JSON line per seed, world and policy, with the standard error of the regret; one per seed and policy with the
means over all worlds; and one per policy with means and spread over the seeds. The simulation can also be asked itself:

    python PATH --plugin benchmarks/bench_stopping.py:adaptive_policy
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from jido_ai.loop.adaptive import adaptive
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, LoopConfig, Usage, Verdict

OURS = "jido_ai: adaptive"
REVISIONS = 5
CHECK_SEVERITY = 0.5


def critique_of(seen: Any, critics: int) -> CritiqueResult:
    """Tell in our values what the simulation's critics said.

    Findings keep their identity as their message. An acceptance in spite of a severe finding is none, and a refusal
    without one is of threshold severity. Which finding is the tool's is not told, only how many are.
    """
    opinion = CritiqueResult(severity=1.0 - seen.score, source="model:critic")
    checks = CritiqueResult(
        severity=CHECK_SEVERITY if seen.tool_issues else 0.0,
        source="tool:checks",
        issues=[Issue(f"check {number} fails", severity=CHECK_SEVERITY) for number in range(seen.tool_issues)],
    )
    found = zip(seen.ids, seen.severities, strict=True)
    return CritiqueResult(
        severity=seen.max_sev if seen.verdict == "accept" else max(0.3, seen.max_sev),
        score=seen.score,
        issues=[Issue(in_letters(identity), severity=severity) for identity, severity in found],
        source="panel",
        parts=(*((checks,) if seen.tool_share > 0 else ()), *((opinion,) * critics)),
    )


def in_letters(number: int) -> str:
    """Return a word for a number: numbers in a message do not tell findings apart."""
    return "".join(chr(ord("a") + int(digit, 16)) for digit in f"{number:x}")


class Translated:
    """The adaptive policy as the simulation wants one; `classes` has the simulation's `Stop` and `Go`."""

    cap = REVISIONS
    looks = True
    on_cap = "best"
    mode = "edit"

    def __init__(self, classes: Any) -> None:
        self._classes = classes
        self._history: list[Iteration] = []
        self._base = 0
        self._critics = 1

    def __call__(self, seen: Sequence[Any], context: Any) -> Any:
        if len(seen) == 1:  # a new task
            self._history, self._base, self._critics = [], 0, context.calls - 1
        index = len(self._history)
        self._history.append(
            Iteration(
                index,
                Candidate(
                    f"draft {index}", id=str(index), score=seen[-1].score, parent_id=str(self._base) if index else None
                ),
                critique_of(seen[-1], self._critics),
                change=seen[-1].change if index else None,
                gain=seen[-1].score - seen[self._base].score if index else None,
                usage=Usage(1 + self._critics),
            )
        )
        config = LoopConfig(policy="adaptive", call_price=context.cost, max_iterations=self.cap + 1)
        decision = adaptive(tuple(self._history), config)
        if isinstance(decision, Verdict):
            return self._classes.Stop(decision.pick, decision.reason.value)
        self._base = decision.base
        return self._classes.Go(decision.base)


def adaptive_policy(seen: Sequence[Any], context: Any) -> Any:
    """The policy for a simulation that is the main program."""
    return _of_main(seen, context)


_of_main = Translated(sys.modules["__main__"])


def load(path: Path) -> Any:
    """Load the simulation."""
    spec = importlib.util.spec_from_file_location("stopping_simulation", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise SystemExit(f"{path}: no Python file; --simulator takes the path of the simulation")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def measure(
    simulation: Any, policy: Callable[..., Any], tasks: list[Any], oracle: list[float], price: float
) -> dict[str, float]:
    """Run a policy on all tasks of a world; `oracle` has the utility that was to be had on each."""
    regrets: list[float] = []
    qualities: list[float] = []
    calls: list[int] = []
    hurt = 0
    for task, utility in zip(tasks, oracle, strict=True):
        quality, used, _, _ = simulation.run_one(policy, task, price)
        regrets.append(utility - (quality - price * used))
        qualities.append(quality)
        calls.append(used)
        hurt += quality < task.chain()[0] - 1e-9
    return {
        "regret": fmean(regrets),
        "standard_error": stdev(regrets) / len(regrets) ** 0.5,
        "quality": fmean(qualities),
        "calls": fmean(calls),
        "hurt_percent": 100 * hurt / len(tasks),
    }


def show(**row: Any) -> None:
    print(json.dumps({name: round(value, 5) if isinstance(value, float) else value for name, value in row.items()}))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--simulator", type=Path, required=True)
    parser.add_argument("--tasks", type=int, default=4000, help="per world")
    parser.add_argument("--seed", type=int, action="append", help="repeatable; default: 1")
    parser.add_argument("--price", type=float, default=0.01)
    parser.add_argument("--ours", action="store_true", help="without the simulation's own policies")
    options = parser.parse_args()
    simulation = load(options.simulator)
    policies = {OURS: Translated(simulation), **({} if options.ours else simulation.POLICIES)}
    figures = ("regret", "quality", "calls", "hurt_percent")
    by_seed: dict[str, list[dict[str, float]]] = defaultdict(list)
    began = time.perf_counter()
    for seed in options.seed or [1]:
        by_world: dict[str, list[dict[str, float]]] = defaultdict(list)
        for world in simulation.WORLDS:
            tasks = {
                mode: [simulation.Env(world, seed * 1_000_003 + number, mode) for number in range(options.tasks)]
                for mode in {"edit", *(policy.mode for policy in policies.values())}
            }
            ends = [simulation.oracle(task, options.price) for task in tasks["edit"]]
            oracle = [quality - options.price * calls for quality, calls in ends]
            for name, policy in policies.items():
                row = measure(simulation, policy, tasks[policy.mode], oracle, options.price)
                by_world[name].append(row)
                show(seed=seed, world=world.name, policy=name, tasks=options.tasks, price=options.price, **row)
        for name, rows in by_world.items():
            means = {figure: fmean(row[figure] for row in rows) for figure in figures}
            by_seed[name].append(means)
            show(seed=seed, world="all", policy=name, worst_regret=max(row["regret"] for row in rows), **means)
    for name, rows in sorted(by_seed.items(), key=lambda item: fmean(row["regret"] for row in item[1])):
        spread = [min(row["regret"] for row in rows), max(row["regret"] for row in rows)]
        means = {figure: fmean(row[figure] for row in rows) for figure in figures}
        show(seeds=len(rows), policy=name, regret_spread=[round(regret, 5) for regret in spread], **means)
    show(seconds=time.perf_counter() - began)


if __name__ == "__main__":
    main()
