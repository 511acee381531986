"""Pictures of the page for the documentation: `python tests/serve/observer/pictures.py docs/observer`."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

HERE = Path(__file__).parent
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
THEMES = ("light", "dark")


@contextmanager
def observed_server(folder: Path, *more: str, port: int | None = None) -> Generator[str]:
    """A server of scripted runs in a process of its own; gives its address."""
    if port is None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
    args = [sys.executable, str(HERE / "observed_server.py"), str(port), str(folder / "memory.db"), *more]
    address = f"http://127.0.0.1:{port}"
    with subprocess.Popen(args) as process:
        try:
            for _ in range(1200):  # a busy machine
                assert process.poll() is None, "the server ended"
                try:
                    httpx.get(f"{address}/healthz")
                    break
                except httpx.TransportError:
                    time.sleep(0.05)
            yield address
        finally:
            process.kill()


def start_runs(address: str, **headers: str) -> dict[str, str]:
    """Start one run of each kind; return their ids by what they show."""
    bodies: dict[str, Any] = {
        "essay": {"pipeline": "essay", "prompt": "Explain supervision to a newcomer in three sentences."},
        "again": {"pipeline": "essay", "prompt": "Explain supervision to a newcomer in three plain sentences."},
        "plateau": {"pipeline": "wobble", "prompt": "plateau: name seven words"},
        "worse": {"pipeline": "wobble", "prompt": "worse: name seven words"},
        "asks": {"pipeline": "asks", "prompt": "Explain supervision, and ask before each change."},
        "fails": {"pipeline": "fails", "prompt": "Explain supervision to a critic who falls ill."},
        "hostile": {"pipeline": "hostile", "prompt": '<img src=x onerror="document.title=1"> \u202egnp.exe\u202c'},
        "calendar": {"pipeline": "calendar", "prompt": "How many days has February 2023?"},
        "down": {"pipeline": "down", "prompt": "How many days has March?"},
        "typed": {"pipeline": "typed", "prompt": "Extract the invoice: apples, pears and plums."},
        "evil": {"pipeline": "evil", "prompt": "Be bad."},
        "letter": {"graph": "letter", "inputs": {"topic": "supervision trees"}},
    }
    for name, body in bodies.items():
        answer = httpx.post(
            f"{address}/v1/runs?wait=30", json={**body, "run_id": f"{name}-1"}, headers=headers, timeout=60
        )
        answer.raise_for_status()
    return {name: f"{name}-1" for name in bodies}


VIEWS = {
    "runs": "#/runs",
    "run": "#/runs/calendar-1",
    "compare": "#/compare/essay-1/calendar-1",
    "graph_run": "#/runs/letter-1",
    "tree": "#/tree",
    "memory": "#/memory",
    "progress": "#/progress",
    "cost": "#/cost",
}


NARROW = ("runs", "run", "graph_run", "compare")
WHOLE = ("run", "graph_run", "compare")


def main() -> None:
    from playwright.sync_api import sync_playwright

    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, observed_server(Path(name)) as address, sync_playwright() as play:
        start_runs(address)
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for theme in THEMES:
            for width, suffix, views in ((1280, "", tuple(VIEWS)), (400, "-narrow", NARROW)):
                size: Any = {"width": width, "height": 860}
                page = browser.new_page(viewport=size, color_scheme=theme)  # type: ignore[arg-type]
                for view in views:
                    page.goto(f"{address}/{VIEWS[view]}")
                    page.wait_for_timeout(1200)
                    if view in WHOLE:
                        whole = page.evaluate("document.documentElement.scrollHeight")
                        page.set_viewport_size({**size, "height": whole})
                        page.wait_for_timeout(300)
                    page.screenshot(path=target / f"{view}{suffix}-{theme}.png")
                    page.set_viewport_size(size)
        browser.close()


if __name__ == "__main__":
    main()
