"""CPU of the process for one run of eight plain functions, beside LangGraph with its checkpointers.

A draft, four judgements and three revisions, with nothing kept, in memory, and in an SQLite file. Each measurement is a
process of its own, and the contestants take turns. One JSON line per measurement: median and range in milliseconds of
CPU per run. LangGraph is left out if it is not installed (langgraph, langgraph-checkpoint-sqlite).

    python benchmarks/run_cost.py [--runs 100] [--repeats 5]
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import operator
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Annotated, Any, TypedDict

WARM_RUNS = 20
KINDS = ("nothing", "memory", "file")
ROUNDS = 4


def text_after(text: str) -> str:
    """Return a revision of a text, which has one more "+"."""
    return f"{text} +{'-' * text.count('+')}"


def severity_of(text: str) -> float:
    """Return 0.9 for a draft, and 0.3 less for each revision."""
    return max(0.0, 0.9 - 0.3 * text.count("+"))


async def cpu_ms(runs: int, run: Callable[[int], Awaitable[object]]) -> float:
    """Return the CPU of one warm run, in milliseconds."""
    for number in range(WARM_RUNS):
        await run(number)
    began = process_time()
    for number in range(WARM_RUNS, WARM_RUNS + runs):
        await run(number)
    return (process_time() - began) * 1000 / runs


def pipeline_of(memory: Any) -> Any:
    """Return a pipeline of plain functions: a draft, four judgements and three revisions a run."""
    from jido_ai import Candidate, CritiqueResult, LoopConfig, Pipeline, RunContext

    async def draft(prompt: str, context: RunContext) -> str:
        return "a first text"

    async def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
        severity = severity_of(candidate.content)
        return CritiqueResult(severity=severity, issues=("too short",) if severity > 0 else ())

    async def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return text_after(candidate.content)

    return Pipeline(draft, judge, revise, memory=memory, config=LoopConfig(max_iterations=ROUNDS))


async def of_jido(kind: str, runs: int, folder: Path) -> float:
    async with pipeline_of({"nothing": None, "memory": True, "file": str(folder / "memory.db")}[kind]) as pipeline:

        async def run(number: int) -> None:
            result = await pipeline.run(f"a text, number {number % 7}")
            assert len(result.iterations) == ROUNDS

        return await cpu_ms(runs, run)


class State(TypedDict):
    prompt: str
    text: str
    severity: float
    judged: Annotated[list[float], operator.add]


def graph_of() -> Any:
    """Return the same steps as a graph of LangGraph."""
    from langgraph.graph import END, START, StateGraph

    async def draft(state: State) -> dict[str, Any]:
        return {"text": "a first text"}

    async def judge(state: State) -> dict[str, Any]:
        severity = severity_of(state["text"])
        return {"severity": severity, "judged": [severity]}

    async def revise(state: State) -> dict[str, Any]:
        return {"text": text_after(state["text"])}

    def after(state: State) -> str:
        return END if state["severity"] < 0.1 else "revise"

    graph: Any = StateGraph(State)
    for name, step in (("draft", draft), ("judge", judge), ("revise", revise)):
        graph.add_node(name, step)
    graph.add_edge(START, "draft")
    graph.add_edge("draft", "judge")
    graph.add_conditional_edges("judge", after)
    graph.add_edge("revise", "judge")
    return graph


async def of_langgraph(kind: str, runs: int, folder: Path) -> float:
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    graph = graph_of()

    async def measured(saver: object) -> float:
        app = graph.compile(checkpointer=saver)

        async def run(number: int) -> None:
            config = {"configurable": {"thread_id": str(number)}} if saver is not None else None
            state = await app.ainvoke({"prompt": f"a text, number {number % 7}", "judged": []}, config=config)
            assert len(state["judged"]) == ROUNDS

        return await cpu_ms(runs, run)

    if kind == "file":
        async with AsyncSqliteSaver.from_conn_string(str(folder / "checkpoints.db")) as saver:
            return await measured(saver)
    return await measured(InMemorySaver() if kind == "memory" else None)


CONTESTANTS = {"jido_ai": of_jido, "langgraph": of_langgraph}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", nargs=2, metavar=("WHO", "KIND"), help="measure once, here")
    options = parser.parse_args()
    if options.only:
        who, kind = options.only
        with tempfile.TemporaryDirectory() as folder:
            print(asyncio.run(CONTESTANTS[who](kind, options.runs, Path(folder))))
        return
    there = [who for who in CONTESTANTS if importlib.util.find_spec(who) is not None]
    found: dict[tuple[str, str], list[float]] = {(kind, who): [] for kind in KINDS for who in there}
    for _ in range(options.repeats):
        for (kind, who), times in found.items():
            command = [sys.executable, __file__, "--runs", str(options.runs), "--only", who, kind]
            times.append(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
    for (kind, who), times in found.items():
        figures = {"median_ms": median(times), "min_ms": min(times), "max_ms": max(times)}
        about = {"what": "CPU of a run", "kept": kind, "of": who, "runs": options.runs, "repeats": options.repeats}
        print(json.dumps(about | {name: round(value, 2) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
