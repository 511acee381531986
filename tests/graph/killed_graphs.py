"""A graph of the examples whose process is killed at each call: `python killed_graphs.py GRAPH STORE FIRST EVERY`.

STORE is a folder for SQLite files, or the address of a PostgreSQL database. Each place is the beginning or the end of a
piece of work that an observer sees. One process dies there by SIGKILL; another one brings the run to its end. The
standard output has the number of places tried, and those after which the run or the memory differs from an uncut one.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from cuts import timeless

from jido_ai import Graph, ReflexionMemory
from jido_ai.telemetry import OBSERVING

RUN: Final = "r"
EXAMPLES: Final = Path(__file__).parents[2] / "examples" / "graphs"
INPUTS: Final[dict[str, dict[str, Any]]] = {
    "talk": {"topic": "trees"},
    "approval": {"guest": "Ada"},
    "code_change": {"code": (EXAMPLES / "pricing" / "prices.py").read_text("utf-8")},
}
_IDS: Final = re.compile(r"\b(candidate|memory|reflection|critique|event|link)_[0-9a-z]{6,}")
_OF_THE_WAY: Final = {"spent", "usage", "seq", "first_token_s", "own_rules", "metrics"}


class Killer:
    """Ends this process at a place; counts the places without one."""

    def __init__(self, place: int | None) -> None:
        self.place = place
        self.count = 0

    def begin(self, work: str, facts: Mapping[str, Any]) -> Killer:
        self.end()
        return self

    def end(self, outcome: object = None, error: BaseException | None = None) -> None:
        if self.count == self.place:
            os.kill(os.getpid(), signal.SIGKILL)
        self.count += 1

    def happened(self, name: str, facts: Mapping[str, Any]) -> None:
        pass

    def trace(self) -> None:
        pass


async def lived(name: str, store: str) -> dict[str, Any]:
    """Begin the run or continue it, to its end; return what it was and left."""
    async with ReflexionMemory(store) as memory, Graph.from_toml(EXAMPLES / f"{name}.toml", memory=memory) as graph:
        result = await graph.run_or_resume(INPUTS[name], run_id=RUN)
        if result.status == "suspended":
            result = await graph.resume(RUN, decision=True)
        told = json.loads(json.dumps(result.to_map()))
        logs = [
            (record.log, record.key, record.kind, _settled(dict(record.data)))
            for record in (*await memory.records("journal"), *await memory.records("episodes"))
            if record.kind not in ("resumed", "graph_resumed", "stopped")
        ]
        entries = [_settled(entry.model_dump(mode="json")) for entry in await memory.list_entries(None)]
        usage = told.pop("usage")
    return {
        "result": _told(_settled(told)),
        "usage": usage,
        "logs": sorted(map(_told, logs)),
        "entries": sorted(map(_told, entries)),
    }


def _settled(value: Any) -> Any:
    """Return a value without times, and without spending, which depends on the order of work side by side."""
    if isinstance(value, dict):
        return {name: _settled(one) for name, one in timeless(value).items() if name not in _OF_THE_WAY}
    return [_settled(one) for one in value] if isinstance(value, list | tuple) else value


def _told(value: Any) -> str:
    return _IDS.sub(r"\1", json.dumps(value, sort_keys=True, default=str))


def in_a_process(work: Callable[[], object]) -> int:
    """Do the work in a copy of this process; return how that ended."""
    pid = os.fork()
    if not pid:
        try:
            work()
        except BaseException as error:
            sys.stderr.write(f"{error!r}\n")
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1]


def main(name: str, stores: str, first: int, every: int) -> None:
    """Kill a run at one place after the other."""
    scratch = Path(os.environ["SCRATCH"])

    def life(number: int, place: int | None = None) -> None:
        address = f"{stores}_{number}" if "://" in stores else str(Path(stores, f"{number}.db"))
        killer = Killer(place)
        OBSERVING.observer = killer  # type: ignore[assignment]
        told = asyncio.run(lived(name, address))
        (scratch / "told.json").write_text(json.dumps({**told, "places": killer.count}), "utf-8")

    def told() -> dict[str, Any]:
        return json.loads((scratch / "told.json").read_text("utf-8"))

    assert in_a_process(lambda: life(0)) == 0
    expected = told()
    places = expected.pop("places")
    tried: list[int] = []
    differences: list[str] = []
    for place in range(first, places, every):
        if in_a_process(lambda place=place: life(place + 1, place)) != signal.SIGKILL:
            continue  # of work side by side there may be less in one run than in another
        tried.append(place)
        assert in_a_process(lambda place=place: life(place + 1)) == 0
        after = told()
        differences += [f"{place}: {part}" for part in expected if after[part] != expected[part]]
    sys.stdout.write(json.dumps({"places": places, "tried": len(tried), "differences": differences}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
