"""The same graphs of no-op steps in other frameworks; run by run.py in an environment of their own.

python peers.py PEER SHAPE RUNS [SQLITE_FILE]        prints one line of JSON: CPU seconds per node
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import Any

COUNT = 10
WARM_UP = 20
Run = Callable[[int], Awaitable[object]]


async def langgraph(shape: str, file: str | None) -> tuple[Run, int]:
    from langgraph.graph import END, START, StateGraph
    from typing_extensions import TypedDict

    keys = [f"n{number}" for number in range(COUNT)]
    State = TypedDict("State", {"t": str, "end": str} | dict.fromkeys(keys, str))
    graph = StateGraph(State)

    def step(source: str, target: str) -> Any:
        async def node(state: Any) -> dict[str, str]:
            return {target: state[source]}

        return node

    async def join(state: Any) -> dict[str, str]:
        return {"end": "ok"}

    if shape == "line":
        for number, key in enumerate(keys):
            graph.add_node(f"s{number}", step("t" if number == 0 else keys[number - 1], key))
            graph.add_edge(START if number == 0 else f"s{number - 1}", f"s{number}")
        graph.add_edge(f"s{COUNT - 1}", END)
    else:
        for number, key in enumerate(keys):
            graph.add_node(f"s{number}", step("t", key))
            graph.add_edge(START, f"s{number}")
        graph.add_node("join", join)
        graph.add_edge([f"s{number}" for number in range(COUNT)], "join")
        graph.add_edge("join", END)
    saver = None
    if file is not None:
        import aiosqlite
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        saver = AsyncSqliteSaver(await aiosqlite.connect(file))
        await saver.setup()
    app = graph.compile(checkpointer=saver)

    async def run(number: int) -> object:
        return await app.ainvoke({"t": "x"}, {"configurable": {"thread_id": str(number)}})

    return run, COUNT if shape == "line" else COUNT + 1


async def pydantic_graph(shape: str, file: str | None) -> tuple[Run, int]:
    from pydantic_graph import GraphBuilder, StepContext, reduce_list_append

    builder = GraphBuilder(input_type=str, output_type=Any)

    def step(number: int) -> Any:
        async def node(context: StepContext[None, None, Any]) -> Any:
            return context.inputs

        node.__name__ = f"s{number}"
        return builder.step(node)

    steps = [step(number) for number in range(COUNT)]
    if shape == "line":
        builder.add(builder.edge_from(builder.start_node).to(steps[0]))
        for one, other in pairwise(steps):
            builder.add(builder.edge_from(one).to(other))
        builder.add(builder.edge_from(steps[-1]).to(builder.end_node))
    else:
        join = builder.join(reduce_list_append, initial_factory=list)
        builder.add(builder.edge_from(builder.start_node).to(*steps))
        builder.add(builder.edge_from(*steps).to(join))
        builder.add(builder.edge_from(join).to(builder.end_node))
    graph = builder.build()

    async def run(number: int) -> object:
        return await graph.run(inputs="x")

    return run, COUNT if shape == "line" else COUNT + 1


async def haystack(shape: str, file: str | None) -> tuple[Run, int]:
    import haystack as package

    Pipeline = getattr(package, "AsyncPipeline", package.Pipeline)
    component = package.component

    @component
    class Step:
        @component.output_types(out=str)
        def run(self, text: str) -> dict[str, str]:
            return {"out": text}

        @component.output_types(out=str)
        async def run_async(self, text: str) -> dict[str, str]:
            return {"out": text}

    @component
    class Join:
        def __init__(self) -> None:
            component.set_input_types(self, **{f"n{number}": str for number in range(COUNT)})

        @component.output_types(out=str)
        def run(self, **texts: str) -> dict[str, str]:
            return {"out": "ok"}

        @component.output_types(out=str)
        async def run_async(self, **texts: str) -> dict[str, str]:
            return {"out": "ok"}

    pipeline = Pipeline()
    for number in range(COUNT):
        pipeline.add_component(f"s{number}", Step())
    if shape == "line":
        for number in range(1, COUNT):
            pipeline.connect(f"s{number - 1}.out", f"s{number}.text")
        data: Any = {"s0": {"text": "x"}}
    else:
        pipeline.add_component("join", Join())
        for number in range(COUNT):
            pipeline.connect(f"s{number}.out", f"join.n{number}")
        data = {f"s{number}": {"text": "x"} for number in range(COUNT)}

    async def run(number: int) -> object:
        return await pipeline.run_async(data)

    return run, COUNT if shape == "line" else COUNT + 1


async def agent_framework(shape: str, file: str | None) -> tuple[Run, int]:
    from agent_framework import Executor, WorkflowBuilder, WorkflowContext, handler

    class Step(Executor):
        @handler
        async def go(self, text: str, context: WorkflowContext[str]) -> None:
            await context.send_message(text)

    class Last(Executor):
        @handler
        async def go(self, text: str, context: WorkflowContext[Any, str]) -> None:
            await context.yield_output(text)

    class Join(Executor):
        @handler
        async def go(self, texts: list[str], context: WorkflowContext[Any, str]) -> None:
            await context.yield_output("ok")

    def build() -> Any:
        if shape == "line":
            steps: list[Any] = [Step(id=f"s{number}") for number in range(COUNT - 1)] + [Last(id="last")]
            builder = WorkflowBuilder(start_executor=steps[0])
            for one, other in pairwise(steps):
                builder = builder.add_edge(one, other)
            return builder.build()
        start, join = Step(id="start"), Join(id="join")
        steps = [Step(id=f"s{number}") for number in range(COUNT)]
        return (
            WorkflowBuilder(start_executor=start).add_fan_out_edges(start, steps).add_fan_in_edges(steps, join).build()
        )

    workflow = build()

    async def run(number: int) -> object:
        return await workflow.run("x")

    return run, COUNT if shape == "line" else COUNT + 2


PEERS = {
    "langgraph": langgraph,
    "pydantic-graph": pydantic_graph,
    "haystack": haystack,
    "agent-framework": agent_framework,
}


async def measure(run: Run, nodes: int, runs: int) -> float:
    for number in range(WARM_UP):
        await run(-1 - number)
    began = time.process_time()
    for number in range(runs):
        await run(number)
    return (time.process_time() - began) / runs / nodes


async def main() -> None:
    peer, shape, runs, *file = sys.argv[1:]
    run, nodes = await PEERS[peer](shape, file[0] if file else None)
    print(json.dumps(await measure(run, nodes, int(runs))), flush=True)
    os._exit(0)  # a saver's thread would keep the process


if __name__ == "__main__":
    asyncio.run(main())
