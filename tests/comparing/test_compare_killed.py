"""A comparison that is killed goes on where it was, with a real process and a real server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

ISSUE = {"message": "too short", "severity": 0.9}
CRITIQUE = {"severity": 0.9, "issues": [ISSUE], "suggestions": [], "feedback": ""}
STRATEGIES = "single,best-of-3,self-refine,loop,loop+memory"
TASKS = 8


class Server:
    """Answers like a model, notes every request, and kills the process that asks at the nth one.

    Attributes:
        asked: how often each request came.
        kill_at: number of requests, from the next one on, after which the client is killed; None lets it live.
        client: its process.
    """

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.kill_at: int | None = None
        self.client: subprocess.Popen[str] | None = None
        self._turn = threading.Lock()
        handler = type("Handler", (_Handler,), {"owner": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)

    def answer(self, body: dict[str, Any]) -> str:
        """Return the answer, which the client does not see if this request is its last one."""
        with self._turn:
            self.asked[json.dumps(body, sort_keys=True)] += 1
            if self.kill_at is not None:
                self.kill_at -= 1
                if self.kill_at <= 0 and self.client is not None:
                    self.kill_at = None
                    os.kill(self.client.pid, signal.SIGKILL)
        if "response_format" in body:
            return json.dumps(CRITIQUE)
        return "blue" if body["seed"] % 2 else "red"


class _Handler(BaseHTTPRequestHandler):
    owner: Server

    def log_message(self, *_: object) -> None:
        """Keep the tests' output clean."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = self.owner.answer(body)
        told = {
            "model": "served",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 30, "completion_tokens": 3},
        }
        data = json.dumps(told).encode()
        with suppress(ConnectionError):
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)


@pytest.fixture
def server() -> Generator[Server]:
    with Server() as server:
        yield server


def started(server: Server, folder: Path, memory: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "jido_ai", "compare", "tasks.jsonl", "--model", f"compatible:m@{server.url}"]
    words += ["--strategies", STRATEGIES, "--memory", memory, "--run-id", "r", "--concurrency", "1", "--json"]
    return subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def compared(server: Server, folder: Path, memory: str, *, kill_at: int | None = None) -> tuple[int, str]:
    """Run the command, and return its status and its output."""
    server.kill_at = kill_at
    with started(server, folder, memory) as process:
        server.client = process
        out, err = process.communicate(timeout=120)
    assert process.returncode in (0, -signal.SIGKILL), err
    return process.returncode, out


def without_times(text: str) -> Any:
    told = json.loads(text)
    for one in (*told["rows"], *told["cases"]):
        for name in ("p50_s", "p95_s", "duration_s", "run_id"):
            one.pop(name, None)
    return told


def write_tasks(folder: Path) -> None:
    lines = [
        json.dumps({"id": f"t{number}", "prompt": f"Colour {number} of the sky?", "checks": [{"contains": "blue"}]})
        for number in range(TASKS)
    ]
    (folder / "tasks.jsonl").write_text("\n".join(lines))


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_killed_three_times_and_resumed_it_makes_the_same_table_with_no_call_twice(
    server: Server, tmp_path: Path
) -> None:
    write_tasks(tmp_path)
    status, whole = compared(server, tmp_path, "whole.db")
    assert status == 0
    once = server.asked.copy()
    assert set(once.values()) == {1}

    server.asked.clear()
    for kill_at in (2, 17, 40):
        assert compared(server, tmp_path, "killed.db", kill_at=kill_at)[0] == -signal.SIGKILL
    status, resumed = compared(server, tmp_path, "killed.db")
    assert status == 0
    assert without_times(resumed) == without_times(whole)
    assert server.asked.keys() == once.keys()
    assert server.asked.total() == once.total() + 3  # the three calls that were in flight

    asked = server.asked.total()
    assert compared(server, tmp_path, "killed.db") == (0, resumed)
    assert server.asked.total() == asked


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_processes_on_one_database_share_a_comparison_though_one_of_them_is_killed(
    server: Server, postgres: str, tmp_path: Path
) -> None:
    write_tasks(tmp_path)
    _, whole = compared(server, tmp_path, "whole.db")
    once = server.asked.copy()

    server.asked.clear()
    server.kill_at = 30
    with started(server, tmp_path, postgres) as killed, started(server, tmp_path, postgres) as left:
        server.client = killed
        out, err = left.communicate(timeout=200)
        assert killed.wait(10) == -signal.SIGKILL
    assert left.returncode == 0, err
    assert without_times(out) == without_times(whole)
    assert server.asked.keys() == once.keys()
    assert server.asked.total() <= once.total() + 1  # the call in flight
