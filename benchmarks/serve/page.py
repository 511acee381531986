"""The observer's page with 10,000 runs, and with a run of 100 iterations: first paint, and pauses while scrolling; and
a search, a filter and an order of all runs.

$ python benchmarks/serve/page.py --runs 10000 --rounds 5

Needs Chromium. A pause is the longest time between two frames while the list is scrolled to its end.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx
from playwright.sync_api import Page, sync_playwright

from jido_ai.graph.orders import RunOrder
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve.entries import accepted_record, ended_record

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "serve" / "observer"))
from pictures import CHROMIUM, observed_server

PAUSE = """
async () => {
  let longest = 0, last = performance.now(), isOver = false;
  const frame = (now) => {
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  for (let place = 0; place < document.documentElement.scrollHeight && place < 60000; place += 400) {
    scrollTo(0, place);
    await new Promise(requestAnimationFrame);
  }
  isOver = true;
  return longest;
}
"""
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1"


async def fill(path: Path, runs: int) -> None:
    """Store runs that ended, as a server does."""
    async with ReflexionMemory(str(path)) as memory:
        for first in range(0, runs, 500):
            records = []
            for number in range(first, min(runs, first + 500)):
                prompt = f"Explain supervision to reader number {number}"
                order = RunOrder(run_id=f"old-{number}", name="essay", prompt=prompt)
                summary = {
                    "score": number % 100 / 100,
                    "calls": 7,
                    "cost_usd": 0.01,
                    "duration_s": number % 7 / 2,
                    "stop_reason": "accepted",
                }
                records += [accepted_record(order), ended_record(order, "completed", None, summary)]
            await memory.append(records)


def seen(page: Page, address: str, words: str) -> tuple[float, float]:
    """Return milliseconds to the first paint, and of the longest pause."""
    page.goto("about:blank")
    page.goto(address)
    page.get_by_role("main").get_by_text(words, exact=False).locator("visible=true").first.wait_for()
    return page.evaluate(PAINT), page.evaluate(PAUSE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(fill(Path(name) / "memory.db", args.runs))
        with observed_server(Path(name)) as address, sync_playwright() as play:
            body = {"pipeline": "long", "prompt": "100", "run_id": "long-1"}
            httpx.post(f"{address}/v1/runs?wait=120", json=body, timeout=150).raise_for_status()
            for what, asked in LOOKS.items():
                figures = tuple(looked(address, asked) for _ in range(args.rounds))
                print(f"{what} of {args.runs:,} runs: {_told(figures)}, reach 300")
            page = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]).new_page()
            for what, place, words in (
                (f"{args.runs:,} runs", "#/runs", "old-"),
                ("100 iterations", "#/runs/long-1", "Candidates"),
            ):
                figures = [seen(page, f"{address}/{place}", words) for _ in range(args.rounds)]
                paints, pauses = zip(*figures, strict=True)
                print(f"{what}: first paint {_told(paints)}, reach 400; longest pause {_told(pauses)}, reach 100")


LOOKS = {
    "the first page": {},
    "a search that finds nothing": {"q": "nobody asked this"},
    "a search": {"q": "number 77"},
    "a filter": {"stop_reason": "accepted", "pipeline": "essay", "status": "completed"},
    "an order by score": {"sort": "-score", "since": "2020-01-01"},
}


def looked(address: str, asked: dict[str, str]) -> float:
    """Return the milliseconds of one look at the list, as the page makes it."""
    began = time.perf_counter()
    answer = httpx.get(f"{address}/v1/runs", params={"results": "false", "limit": "100", **asked}, timeout=60)
    assert answer.status_code == 200
    return (time.perf_counter() - began) * 1_000


def _told(figures: tuple[float, ...]) -> str:
    return f"{statistics.median(figures):.0f} ms ({min(figures):.0f} .. {max(figures):.0f})"


if __name__ == "__main__":
    main()
