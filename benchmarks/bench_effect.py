"""How often is a memory told to help, or to hurt? Simulated histories, whose runs are held out at random.

    python benchmarks/bench_effect.py [--histories 1000]

A JSON line each: histories of 200 runs without an effect that are told as one (at most 5 %), and histories of 400 runs
with an effect of 15 points that are told to help (at least 60 % where the base is 80 %, or a fifth is held out; at a
tenth and a base of 30 to 50 % it is less, and then `more_runs` says so). One look, at the end.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from typing import Final

from jido_ai.memory.effect import Effect, effect

_EFFECT: Final = 0.15
_MOST_FALSE: Final = 0.05
_LEAST_FOUND: Final = 0.6
_CHANCE: Final = 2.6
"""Standard errors that a simulated share may be off by chance."""


def history(chance: random.Random, runs: int, holdout: float, base: float, gain: float) -> Effect:
    """Return what is told after so many runs."""
    held_out = sum(chance.random() < holdout for _ in range(runs))
    shown = runs - held_out
    passed = sum(chance.random() < base + gain for _ in range(shown))
    others = sum(chance.random() < base for _ in range(held_out))
    return effect(passed, shown, others, held_out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--histories", type=int, default=1_000)
    count = parser.parse_args().histories
    chance = random.Random(58)
    alarms: Counter[str] = Counter()
    for holdout in (0.1, 0.2):
        for base in (0.1, 0.3, 0.5, 0.7, 0.9):
            alarms.update(history(chance, 200, holdout, base, 0.0).verdict for _ in range(count))
    share = 1.0 - alarms["not shown"] / alarms.total()
    slack = _CHANCE * (_MOST_FALSE * (1 - _MOST_FALSE) / alarms.total()) ** 0.5
    figures = {"histories": alarms.total(), "ours": round(share, 4), "reach": f"<= {_MOST_FALSE}"}
    print(json.dumps({"name": "no effect, 200 runs, told as one", **figures, "reached": share <= _MOST_FALSE + slack}))
    for base, holdout in ((0.8, 0.1), (0.3, 0.2), (0.5, 0.2), (0.65, 0.2), (0.3, 0.1), (0.5, 0.1)):
        told = [history(chance, 400, holdout, base, _EFFECT) for _ in range(count)]
        share = sum(one.verdict == "helps" for one in told) / count
        row = {
            "name": f"15 points, 400 runs, base {base}, holdout {holdout}",
            "histories": count,
            "ours": round(share, 4),
        }
        if base == 0.8 or holdout >= 0.2:
            slack = _CHANCE * (_LEAST_FOUND * (1 - _LEAST_FOUND) / count) ** 0.5
            row |= {"reach": f">= {_LEAST_FOUND}", "reached": share >= _LEAST_FOUND - slack}
        else:
            silent = [one for one in told if one.verdict == "not shown"]
            row["says how many more runs"] = sum(one.more_runs is not None for one in silent) / max(1, len(silent))
        print(json.dumps(row))


if __name__ == "__main__":
    main()
