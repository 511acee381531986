"""Stop a worker (SIGSTOP) in the middle of a run, let another one finish it, and wake the first.

    python benchmarks/workers/stopped.py --rounds 10

Each round: the woken owner's write must be refused, the run has one end, and at most the call in flight is made twice.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import signal
import sys
from collections import Counter

from model import CALLS_OF_A_RUN, Model
from processes import at_work, cluster

from jido_ai.memory.reflexion_memory import ReflexionMemory

LEASE_S = 1.5
REFUSED = r"worker\.store_failed run_id={run} error=RunClaimedError"


async def measure(rounds: int) -> int:
    again, refused, ends, other = [], 0, Counter(), 0
    with cluster() as server:
        store = server.address("stopped")
        async with (
            Model(0.2) as model,
            at_work(store, model.port, 2, concurrency=1, dead_after=1.0, lease=LEASE_S) as (workers, work),
        ):
            for number in range(rounds):
                run = await work.submit("count", "count", f"run-{number}")
                async with asyncio.timeout(60.0):
                    while len(model.calls[run]) < 1 + number % CALLS_OF_A_RUN:
                        await asyncio.sleep(0.005)
                pid = model.calls[run][-1][1]
                owner, process = next((n, one) for n, one in workers.processes.items() if one.pid == pid)
                process.send_signal(signal.SIGSTOP)
                result = await work.result(run, timeout_s=60.0)
                process.send_signal(signal.SIGCONT)
                other += result.stop_reason != "accepted"
                async with asyncio.timeout(30.0):
                    while not re.search(REFUSED.format(run=run), workers.log(owner).read_text()):
                        await asyncio.sleep(0.02)
                refused += 1
                again.append(len(model.calls[run]) - CALLS_OF_A_RUN)
                print(f"\r{number + 1} rounds", end="", file=sys.stderr)
        async with ReflexionMemory(store) as memory:
            ends = Counter(one.key for one in await memory.records("journal") if one.kind == "stopped")
    wrong = other + sum(count != 1 for count in ends.values()) + (len(ends) != rounds) + (max(again) > 1)
    print(f"\n{rounds} rounds, lease {LEASE_S} s: late write refused {refused} times; calls again {Counter(again)}; "
          f"ended otherwise {other}; ends of a run {Counter(ends.values())}")  # fmt: skip
    return int(wrong > 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    sys.exit(asyncio.run(measure(parser.parse_args().rounds)))


if __name__ == "__main__":
    main()
