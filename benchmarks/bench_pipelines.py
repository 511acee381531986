"""Overhead of a pipeline over its HTTP requests: generate, then critique and revise three times.

Ours, with the components of language models, beside bare loops that make the same calls with httpx, with httpx on the
transport of aiohttp, and with aiohttp itself. The model is a scripted server in a process of its own.

    7 calls     generate, (critique, revise) x 3: nobody judges the last revision. Of ours, a critiquer of the user's
                own, a plain function, lets that one pass unseen: to a pipeline no candidate is the best that was not
                judged. All else is as it is with 8.
    8 calls     the last revision is judged, too, as a pipeline does it by itself.

    alone       one pipeline after the other, 0 ms per call: CPU and wall time of each
    together    --together at once, --latency ms per call: wall time of all, CPU, memory per pipeline in flight
    crowd       --crowd at once, the same

Every measurement is a process of its own; rounds take turns. JSON lines, and the medians last.

    python benchmarks/bench_pipelines.py [--small] [--rounds 5] [--calls 7 8] [--only ours ...]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import AsyncExitStack, contextmanager
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

PROMPT = "Explain how our cache works, and what it promises."
REVISIONS = 3
PASSING_THE_LAST, JUDGING_ALL = 2 * REVISIONS + 1, 2 * REVISIONS + 2
HERE = Path(__file__).parent
Run = Callable[[int], Awaitable[object]]

# -- the contestants -------------------------------------------------------------------------------


async def ours(base_url: str, stack: AsyncExitStack, connections: int, calls: int) -> Run:
    """Return a run of our pipeline; what is around the model is nothing."""
    from jido_ai.models.providers.openai import CompatibleModel

    return await _pipeline(CompatibleModel("scripted", base_url=base_url, max_connections=connections), stack, calls)


async def ours_wrapped(base_url: str, stack: AsyncExitStack, connections: int, calls: int) -> Run:
    """Return a run of our pipeline with the wrappers that a model named by a text gets."""
    from jido_ai.models.providers.openai import CompatibleModel
    from jido_ai.models.wrappers.with_limits import with_limits

    model = CompatibleModel("scripted", base_url=base_url, max_connections=connections)
    return await _pipeline(with_limits(model, max_concurrency=None), stack, calls, model)


async def _pipeline(model: Any, stack: AsyncExitStack, calls: int, closes: Any = None) -> Run:
    from jido_ai import (
        Candidate,
        CritiqueResult,
        LLMCritiquer,
        LLMGenerator,
        LLMReviser,
        LoopConfig,
        Pipeline,
        RunContext,
    )

    await stack.enter_async_context(closes or model)
    critic = LLMCritiquer(model)

    async def passes_the_last(candidate: Candidate, context: RunContext) -> CritiqueResult:
        if context.iteration < REVISIONS:
            return await critic.critique(candidate, context)
        return CritiqueResult(severity=0.0, source="nobody")

    critiquer = critic if calls == JUDGING_ALL else passes_the_last
    config = LoopConfig(max_iterations=REVISIONS + 1)
    pipeline = await stack.enter_async_context(
        Pipeline(LLMGenerator(model), critiquer, LLMReviser(model, format="json"), config=config)
    )

    async def run(number: int) -> None:
        result = await pipeline.run(f"{PROMPT} ({number})")
        assert result.error is None, result.error
        assert result.usage.calls == calls, result.usage
        assert result.best_candidate is not None
        assert result.best_candidate.content.startswith("DRAFT 3"), result.stop_reason

    return run


async def bare_httpx(base_url: str, stack: AsyncExitStack, connections: int, calls: int) -> Run:
    import httpx

    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    return await _bare_httpx(httpx.AsyncHTTPTransport(limits=limits), base_url, stack, calls)


async def bare_httpx_on_aiohttp(base_url: str, stack: AsyncExitStack, connections: int, calls: int) -> Run:
    import httpx
    from httpx_aiohttp import AiohttpTransport

    limits = httpx.Limits(max_connections=connections)
    return await _bare_httpx(AiohttpTransport(limits=limits), base_url, stack, calls)


async def _bare_httpx(transport: Any, base_url: str, stack: AsyncExitStack, calls: int) -> Run:
    import httpx

    client = await stack.enter_async_context(httpx.AsyncClient(transport=transport, timeout=120, trust_env=False))

    async def ask(body: dict[str, Any]) -> str:
        response = await client.post(f"{base_url}/chat/completions", json=body)
        response.raise_for_status()
        return response.json()["choices"][0]["message"]["content"]

    return _bare(ask, calls)


async def bare_aiohttp(base_url: str, stack: AsyncExitStack, connections: int, calls: int) -> Run:
    import aiohttp

    connector = aiohttp.TCPConnector(limit=connections)
    session = await stack.enter_async_context(aiohttp.ClientSession(connector=connector))

    async def ask(body: dict[str, Any]) -> str:
        async with session.post(f"{base_url}/chat/completions", json=body) as response:
            response.raise_for_status()
            return (await response.json())["choices"][0]["message"]["content"]

    return _bare(ask, calls)


def _bare(ask: Callable[[dict[str, Any]], Awaitable[str]], calls: int) -> Run:
    """Return the loop that anybody would write around `ask`: replies are checked by pydantic, nothing else."""
    from pydantic import BaseModel

    from jido_ai.models.prompts.critique import CritiquePrompt
    from jido_ai.models.prompts.revision import REVISION_FORMS, SCHEMAS, RevisionPrompt
    from jido_ai.models.prompts.template import MAX_CHARS

    class Issue(BaseModel):
        message: str
        severity: float
        kind: str

    class Critique(BaseModel):
        issues: list[Issue]
        suggestions: list[str]
        severity: float
        feedback: str

    class Revision(BaseModel):
        improved_response: str
        changes_made: list[str]
        parts_preserved: list[str]

    prompt = CritiquePrompt.of(domain=None, criteria=(), template=None, system=None, max_chars=MAX_CHARS)
    critic, reviser = prompt.system, f"{RevisionPrompt.of().role} {REVISION_FORMS['json']}"

    async def said(system: str | None, user: str, schema: Any = None) -> str:
        messages = [] if system is None else [{"role": "system", "content": system}]
        body: dict[str, Any] = {"model": "scripted", "messages": [*messages, {"role": "user", "content": user}]}
        if schema is not None:
            form = {"name": "reply", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        return await ask(body)

    async def judge(asked: str, text: str) -> Critique:
        question = f"What was asked for:\n{asked}\n\nThe candidate:\n{text}"
        return Critique.model_validate_json(await said(critic, question, prompt.schema))

    async def run(number: int) -> None:
        asked = f"{PROMPT} ({number})"
        text = await said(None, asked)
        for _ in range(REVISIONS):
            critique = await judge(asked, text)
            question = f"Asked:\n{asked}\n\nThe candidate:\n{text}\n\nThe critique:\n{critique.model_dump_json()}"
            reply = await said(reviser, question, SCHEMAS["json"])
            text = Revision.model_validate_json(reply).improved_response
        if calls == JUDGING_ALL:
            await judge(asked, text)
        assert text.startswith("DRAFT 3")

    return run


CONTESTANTS = {
    "ours": ours,
    "ours, wrapped": ours_wrapped,
    "bare httpx on aiohttp": bare_httpx_on_aiohttp,
    "bare aiohttp": bare_aiohttp,
    "bare httpx": bare_httpx,
}

# -- one measurement, in its own process ------------------------------------------------------------


def cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def resident_kib() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


@contextmanager
def peak_kib() -> Generator[list[int]]:
    """Give a list whose one number is the highest resident memory so far, looked at every 10 ms."""
    peak, over = [resident_kib()], threading.Event()

    def look() -> None:
        while not over.wait(0.01):
            peak[0] = max(peak[0], resident_kib())

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        over.set()
        thread.join()


async def alone(run: Run, count: int) -> dict[str, Any]:
    began, cpu = time.perf_counter(), cpu_s()
    for number in range(count):
        await run(number)
    each = 1e3 / count
    return {
        "cpu_ms": round((cpu_s() - cpu) * each, 3),
        "wall_ms": round((time.perf_counter() - began) * each, 3),
    }


async def at_once(run: Run, count: int) -> dict[str, Any]:
    before = resident_kib()
    with peak_kib() as peak:
        began, cpu = time.perf_counter(), cpu_s()
        outcomes = await asyncio.gather(*(run(number) for number in range(count)), return_exceptions=True)
        wall_s, used_s = time.perf_counter() - began, cpu_s() - cpu
    errors = [repr(outcome)[:200] for outcome in outcomes if isinstance(outcome, BaseException)]
    return {
        "wall_s": round(wall_s, 3),
        "cpu_ms": round(used_s / count * 1e3, 3),
        "kib": round((peak[0] - before) / count, 1),
        "errors": len(errors),
        "first_error": errors[0] if errors else None,
    }


async def child(options: argparse.Namespace) -> None:
    latency = 0 if options.mode == "alone" else options.latency
    async with AsyncExitStack() as stack:
        base_url = f"http://127.0.0.1:{options.port}/l{latency}/v1"
        calls = options.calls[0]
        run = await CONTESTANTS[options.child](base_url, stack, options.connections, calls)
        for number in range(-3, 0):
            await run(number)
        gc.collect()
        measure = alone if options.mode == "alone" else at_once
        row = await measure(run, options.count)
        named = {"name": options.child, "calls": calls, "mode": options.mode, "count": options.count}
        print(json.dumps({**named, **row}), flush=True)


# -- all of them -----------------------------------------------------------------------------------


@contextmanager
def server() -> Generator[int]:
    command = [sys.executable, HERE / "pipeline_server.py"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()
            process.wait(10)


def measured(case: dict[str, Any], port: int, options: argparse.Namespace) -> dict[str, Any] | None:
    """Return the row of one case, which is a contestant's name, its calls, the mode and the count."""
    command = [sys.executable, __file__, "--child", case["name"], "--port", str(port)]
    for key in ("calls", "mode", "count"):
        command += [f"--{key}", str(case[key])]
    command += ["--latency", str(options.latency), "--connections", str(options.connections)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.patience, check=False)
    except subprocess.TimeoutExpired:
        return {**case, "gave_up_after_s": options.patience}
    if done.returncode:
        print(done.stderr[-2000:], file=sys.stderr)
        return None
    return json.loads(done.stdout)


def summary(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return median, lowest and highest of every figure, by contestant, calls and mode.

    Beside them stands what it is to the bare loops that make as many calls: on the same transport, and on aiohttp.
    """
    lines: list[dict[str, Any]] = []
    for name, calls in sorted({(row["name"], row["calls"]): None for row in rows}, key=lambda one: one[1]):
        line: dict[str, Any] = {"median of": name, "calls": calls}
        for mode in dict.fromkeys(row["mode"] for row in rows):
            mine = [row for row in rows if (row["name"], row["calls"], row["mode"]) == (name, calls, mode)]
            for figure in ("cpu_ms", "wall_s", "kib", "errors"):
                values = [row[figure] for row in mine if figure in row]
                if values:
                    line[f"{mode}_{figure}"] = [round(median(values), 3), min(values), max(values)]
        lines.append(line)
    for name, anchor in (("bare", "bare httpx on aiohttp"), ("aiohttp", "bare aiohttp")):
        bare = {line["calls"]: line for line in lines if line["median of"] == anchor}
        for line in lines:
            beside = bare.get(line["calls"], {})
            for figure in ("alone_cpu_ms", "together_wall_s", "crowd_wall_s"):
                if figure in line and beside.get(figure, [0.0])[0]:
                    line[f"{figure}_times_{name}"] = round(line[figure][0] / beside[figure][0], 2)
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--alone", type=int, default=100)
    parser.add_argument("--together", type=int, default=200)
    parser.add_argument("--crowd", type=int, default=1000)
    parser.add_argument("--latency", type=int, default=50)
    parser.add_argument("--connections", type=int, default=256)
    parser.add_argument("--patience", type=float, default=60.0, help="seconds for one measurement")
    parser.add_argument("--only", nargs="+", choices=list(CONTESTANTS))
    parser.add_argument(
        "--calls", type=int, nargs="+", choices=[PASSING_THE_LAST, JUDGING_ALL], default=[PASSING_THE_LAST, JUDGING_ALL]
    )
    parser.add_argument("--modes", nargs="+", choices=["alone", "together", "crowd"])
    parser.add_argument("--small", action="store_true", help="see that it runs")
    for name, kind in (("--child", str), ("--mode", str), ("--count", int), ("--port", int)):
        parser.add_argument(name, type=kind, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        asyncio.run(child(options))
        return 0
    if options.small:
        options.rounds, options.alone, options.together, options.crowd = 1, 2, 4, 6
    rows: list[dict[str, Any]] = []
    failed = False
    with server() as port:
        for _ in range(options.rounds):
            for mode, count in (("alone", options.alone), ("together", options.together), ("crowd", options.crowd)):
                if options.modes and mode not in options.modes:
                    continue
                for name, calls in product(options.only or CONTESTANTS, options.calls):
                    case = {"name": name, "calls": calls, "mode": mode, "count": count}
                    row = measured(case, port, options)
                    failed = failed or row is None
                    if row is not None:
                        rows.append(row)
                        print(json.dumps(row), flush=True)
    for line in summary(rows):
        print(json.dumps(line), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
