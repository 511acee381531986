"""Kill `jido run` with SIGKILL after every line of the journal, for the graphs in `examples/graphs`, and resume it.

    python benchmarks/graphs/kills_of_examples.py [--kills 200]

The models are asked over HTTP: a server on loopback gives the answers of the examples and counts the calls. Every
resumed run must end with the output of an undisturbed one, and only calls that were in flight at the kill may be made
again: one, or four where a map has four items at work. Prints one JSON line per example; status 1 if a run ended
differently or a finished call was repeated.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from jido_ai.models.scripted_answers import ScriptedAnswers
from jido_ai.values import CompletionRequest, Message

GRAPHS: Final = Path(__file__).parent.parent.parent / "examples" / "graphs"
EXAMPLES: Final = {
    "talk": ["-i", "topic=supervision"],
    "translation": ["-i", "text=The cat sleeps on the roof."],
    "approval": ["-i", "guest=Ada"],
    "code_change": ["-i", f"code=@{GRAPHS / 'pricing' / 'prices.py'}"],
}
IN_FLIGHT: Final = 4
_NONCE: Final = re.compile(r"_[0-9a-f]{12}\b")


class Server(ThreadingHTTPServer):
    """Answers as the scripts of the examples do, and counts the calls by what was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.calls: Counter[str] = Counter()
        self.lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        messages = [Message(role=one["role"], content=one["content"]) for one in asked["messages"]]
        with self.server.lock:
            self.server.calls[_NONCE.sub("_", json.dumps(asked["messages"]))] += 1
        script = ScriptedAnswers((GRAPHS / f"{asked['model']}.answers.toml").read_text(), asked["model"])
        answer = asyncio.run(script.complete(CompletionRequest(messages=tuple(messages))))
        choice = {"index": 0, "message": {"role": "assistant", "content": answer.text}, "finish_reason": "stop"}
        reply = {"id": "a", "object": "chat.completion", "model": asked["model"], "choices": [choice]}
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def served() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def lines(memory: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{memory}?mode=ro", uri=True)) as db:
            return db.execute("SELECT count(*) FROM record WHERE log = 'journal'").fetchone()[0]
    except sqlite3.Error:
        return 0


def run_id(memory: Path) -> str | None:
    with closing(sqlite3.connect(f"file:{memory}?mode=ro", uri=True)) as db:
        found = db.execute("SELECT key FROM record WHERE kind = 'graph' LIMIT 1").fetchone()
    return None if found is None else found[0]


class Trial:
    """Runs one example in a folder of its own."""

    def __init__(self, folder: Path, name: str, port: int) -> None:
        self._graph = folder / f"{name}.toml"
        self._memory = folder / "memory.db"
        self._name = name
        base = f"http://127.0.0.1:{port}/v1"
        self._env = {**os.environ, "HOME": str(folder), "COMPATIBLE_BASE_URL": base, "COMPATIBLE_API_KEY": "none"}

    def _start(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "jido_ai", "run", str(self._graph), "--memory", str(self._memory), *arguments]
        return subprocess.Popen(command, env=self._env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def forget(self) -> None:
        for path in self._memory.parent.glob("memory.db*"):
            path.unlink()

    def output(self, killed_after: int | None) -> tuple[str, bool]:
        """Return the output, and whether a kill hit a run under way."""
        child = self._start(*EXAMPLES[self._name])
        if killed_after is None:
            return self._decided(child.communicate(timeout=60.0)[0]), False
        while child.poll() is None and lines(self._memory) < killed_after:
            time.sleep(0.001)
        hit = child.poll() is None
        child.send_signal(signal.SIGKILL)
        text = child.communicate(timeout=60.0)[0]
        if hit:
            found = run_id(self._memory)
            again = ["--resume", found] if found else EXAMPLES[self._name]
            text = self._start(*again).communicate(timeout=60.0)[0]
        return self._decided(text), hit

    def _decided(self, text: str) -> str:
        if self._name != "approval":
            return text
        found = run_id(self._memory)
        assert found is not None
        return self._start("--resume", found, "--decide", "yes").communicate(timeout=60.0)[0]

    def lines(self) -> int:
        return lines(self._memory)


def trials(name: str, kills: int, server: Server) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        shutil.copytree(GRAPHS, folder, dirs_exist_ok=True)
        graph = folder / f"{name}.toml"
        graph.write_text(graph.read_text().replace(f"scripted:{name}.answers.toml", f"compatible:{name}"))
        trial = Trial(folder, name, server.server_address[1])
        expected, _ = trial.output(None)
        plain, last = Counter(server.calls), trial.lines()
        different, repeated, hits = 0, 0, 0
        for n in range(kills):
            trial.forget()
            server.calls.clear()
            got, hit = trial.output(1 + n % last)
            different += got != expected
            hits += hit
            extra = sum((server.calls - plain).values())
            repeated = max(repeated, extra)
        server.calls.clear()
    ok = different == 0 and repeated <= IN_FLIGHT and bool(expected)
    return {
        "example": name,
        "kills": kills,
        "hit a run under way": hits,
        "journal lines": last,
        "calls undisturbed": sum(plain.values()),
        "ended differently": different,
        "most calls again": repeated,
        "ok": ok,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=200, help="of all examples together")
    options = parser.parse_args()
    is_ok = True
    with served() as server:
        for name in EXAMPLES:
            found = trials(name, max(1, options.kills // len(EXAMPLES)), server)
            is_ok &= found["ok"]
            print(json.dumps(found), flush=True)
    raise SystemExit(0 if is_ok else 1)


if __name__ == "__main__":
    main()
