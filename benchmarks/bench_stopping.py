"""The adaptive policy in a simulation of critics and revisers of known ability, beside the simulation's own policies.

The simulation is a separate file, not part of this project. A world draws drafts with defects, critics that see some of
them, report false ones and repeat earlier ones, and revisers that fix and break. The simulation knows the true quality
of every draft; a policy sees only the critics' reports. Regret is the utility (quality - price * calls) that a policy
loses compared with an oracle that knows when to stop. Three worlds are added to the simulation's seven, and three more
in which a program alone judges, which count in no mean: see `stopping_worlds`. Our policy is measured twice: with a
generator that cannot be told what was learnt, so that it only revises, and with one that can, so that it may begin
again.

    python benchmarks/bench_stopping.py --simulator PATH [--tasks 4000] [--seed 1 ...] [--price 0.01] [--ours]

Prints a JSON line per seed, world and policy, with the standard error of the regret; one per seed and policy with the
means over the seven worlds and over all ten; and one per policy with means and spread over the seeds. The simulation
can also be asked itself:

    python PATH --plugin benchmarks/bench_stopping.py:adaptive_policy
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from stopping_worlds import add_program_worlds, add_worlds

from jido_ai.loop.adaptive import adaptive
from jido_ai.loop.policies import policy_of
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, LoopConfig, Revise, Usage, Verdict

OURS = "jido_ai: adaptive"
OURS_WITH_FRESH = "jido_ai: adaptive, with a generator that uses attempts"
REVISIONS = 5
CHECK_SEVERITY = 0.5
TEXT_CHARS = 2_000
"""The simulation knows no lengths: its candidates are taken to be as long as 50 lines."""


def critique_of(seen: Any, critics: int) -> CritiqueResult:
    """Tell in our values what the simulation's critics said.

    Without critics, a program alone judges. Findings keep their identity as their message. An acceptance in spite of a
    severe finding is none, and a refusal
    without one is of threshold severity. Which finding is the tool's is not told, only how many are.
    """
    opinion = CritiqueResult(severity=1.0 - seen.score, source="model:critic")
    checks = CritiqueResult(
        severity=CHECK_SEVERITY if seen.tool_issues else 0.0,
        source="tool:checks",
        issues=[Issue(f"check {number} fails", severity=CHECK_SEVERITY) for number in range(seen.tool_issues)],
    )
    found = zip(seen.ids, seen.severities, strict=True)
    if critics == 0:
        issues = [Issue(in_letters(identity), severity=severity) for identity, severity in found]
        return CritiqueResult(severity=seen.max_sev, score=seen.score, issues=issues, source="tool:checks")
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


def run_with_fresh(tasks: Mapping[str, Any], price: float) -> tuple[float, int]:
    """Run our policy where it may begin again; return the quality of the result and the number of calls.

    A fresh draft is one of the simulation's mode "restart": it is told what the critics found in the draft before it. A
    plain sample is one of its mode "redraw".
    """
    config = LoopConfig(policy="adaptive", call_price=price, max_iterations=REVISIONS + 1)
    policy = policy_of(config, can_regenerate=True)
    critics = tasks["edit"].w.critics
    is_program = getattr(tasks["edit"].w, "is_program", False)
    keys: list[tuple[Any, ...]] = [(0,)]
    nodes = [tasks["edit"].node((0,))]
    history: list[Iteration] = []
    calls, base, move = 1, None, "sample"
    while True:
        index, seen = len(history), nodes[-1][0]
        calls += critics
        history.append(
            Iteration(
                index,
                Candidate(
                    f"draft {index}".ljust(TEXT_CHARS),
                    id=str(index),
                    score=seen.score,
                    parent_id=None if base is None else str(base),
                    metadata={"move": move},
                ),
                critique_of(seen, 0 if is_program else critics),
                change=None if base is None else seen.change,
                gain=None if base is None else seen.score - nodes[base][0].score,
                usage=Usage(1 + critics),
            )
        )
        decision = policy.rules[0](tuple(history), config)
        if isinstance(decision, Verdict):
            assert decision.pick is not None
            return nodes[decision.pick][1], calls
        if index == REVISIONS:
            return nodes[policy.best(history)][1], calls
        calls += 1
        if isinstance(decision, Revise):
            base = decision.base
            keys.append((*keys[base], index + 1))
            nodes.append(tasks["edit"].node(keys[-1], nodes[base]))
        else:
            base, move = None, "draft" if decision.with_findings else "sample"
            keys.append((*keys[-1], move, index + 1))
            nodes.append(tasks["restart" if decision.with_findings else "redraw"].node(keys[-1], nodes[-1]))


def measure(
    run: Callable[[Mapping[str, Any]], tuple[float, int]],
    tasks: list[Mapping[str, Any]],
    oracle: list[float],
    price: float,
) -> dict[str, float]:
    """Run a policy on all tasks of a world; `oracle` has the utility that was to be had on each."""
    regrets: list[float] = []
    qualities: list[float] = []
    calls: list[int] = []
    hurt = 0
    for task, utility in zip(tasks, oracle, strict=True):
        quality, used = run(task)
        regrets.append(utility - (quality - price * used))
        qualities.append(quality)
        calls.append(used)
        hurt += quality < task["edit"].node((0,))[1] - 1e-9
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
    judged = [*simulation.WORLDS, *add_worlds(simulation)]
    worlds = [*judged, *add_program_worlds(simulation)]
    policies = {OURS: Translated(simulation), **({} if options.ours else simulation.POLICIES)}

    def of_simulation(policy: Any) -> Callable[[Mapping[str, Any]], tuple[float, int]]:
        return lambda task: simulation.run_one(policy, task[policy.mode], options.price)[:2]

    runs = {name: of_simulation(policy) for name, policy in policies.items()}
    runs[OURS_WITH_FRESH] = lambda task: run_with_fresh(task, options.price)
    modes = {"edit", "restart", "redraw", *(policy.mode for policy in policies.values())}
    figures = ("regret", "quality", "calls", "hurt_percent")
    by_seed: dict[tuple[str, int], list[dict[str, float]]] = defaultdict(list)
    began = time.perf_counter()
    for seed in options.seed or [1]:
        by_world: dict[str, list[dict[str, float]]] = defaultdict(list)
        for world in worlds:
            tasks: list[Mapping[str, Any]] = [
                {mode: simulation.Env(world, seed * 1_000_003 + number, mode) for mode in modes}
                for number in range(options.tasks)
            ]
            ends = [simulation.oracle(task["edit"], options.price) for task in tasks]
            oracle = [quality - options.price * calls for quality, calls in ends]
            for name, run in runs.items():
                row = measure(run, tasks, oracle, options.price)
                by_world[name].append(row)
                show(seed=seed, world=world.name, policy=name, tasks=options.tasks, price=options.price, **row)
        for name, rows in by_world.items():
            for some in (rows[: len(simulation.WORLDS)], rows[: len(judged)]):
                means = {figure: fmean(row[figure] for row in some) for figure in figures}
                by_seed[name, len(some)].append(means)
                show(seed=seed, worlds=len(some), policy=name, worst_regret=max(row["regret"] for row in some), **means)
    order = sorted(by_seed.items(), key=lambda item: (item[0][1], fmean(row["regret"] for row in item[1])))
    for (name, count), rows in order:
        spread = [min(row["regret"] for row in rows), max(row["regret"] for row in rows)]
        means = {figure: fmean(row[figure] for row in rows) for figure in figures}
        show(seeds=len(rows), worlds=count, policy=name, regret_spread=[round(one, 5) for one in spread], **means)
    show(seconds=time.perf_counter() - began)


if __name__ == "__main__":
    main()
