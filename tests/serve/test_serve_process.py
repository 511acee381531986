"""`jido serve` and `jido token` as programs: start, drain, deadlines, kill -9."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from command_line import run_jido


def _jido(*args: str, cwd: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "jido_ai", *args], cwd=cwd, capture_output=True, text=True, timeout=60, **options
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a settings file, and a pipeline of scripted answers."""
    examples = Path(__file__).parents[2] / "examples" / "graphs"
    for name in ("talk.toml", "talk.answers.toml", "outline.rules.toml"):
        (tmp_path / name).write_text((examples / name).read_text())
    (tmp_path / "jido.toml").write_text(
        '[pipelines.outline]\nmodel = "scripted:talk.answers.toml"\ncritics = ["rules:outline.rules.toml"]\n'
        'max_iterations = 3\n[graphs.talk]\nfile = "talk.toml"\n'
    )
    return tmp_path


@contextmanager
def _serving(folder: Path, *args: str) -> Generator[tuple[str, subprocess.Popen[str]]]:
    command = [sys.executable, "-m", "jido_ai", "serve", "--port", "0", "--memory", "memory.db", *args]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("http://127.0.0.1:"), line + (process.stderr.read() if process.stderr else "")
        try:
            yield line.split()[0].rstrip("/"), process
        finally:
            process.kill()
            process.communicate()


def test_the_server_prints_its_address_serves_the_settings_file_and_exits_with_0(folder: Path) -> None:
    with _serving(folder) as (address, process):
        body = {"pipeline": "outline", "prompt": "Outline a talk on trees. Three points, one per line."}
        run = httpx.post(f"{address}/v1/runs?wait=20", json=body, timeout=30).json()
        assert run["status"] == "completed"
        run = httpx.post(f"{address}/v1/runs?wait=20", json={"graph": "talk", "inputs": {"topic": "trees"}}, timeout=30)
        assert run.json()["status"] == "completed"
        assert "<html" in httpx.get(address).text
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0


def test_a_signal_while_the_store_does_not_answer_ends_the_server_with_0(folder: Path) -> None:
    pytest.importorskip("asyncpg")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = f"postgresql://user:secret@127.0.0.1:{silent.getsockname()[1]}/memory"
        command = [sys.executable, "-m", "jido_ai", "serve", "--port", "0", "--memory", place]
        with subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            asked, _ = silent.accept()  # the server opens its store
            process.send_signal(signal.SIGTERM)
            assert process.communicate(timeout=20) == ("", ""), "the address is printed when the store is open"
            assert process.returncode == 0
            asked.close()


def test_requests_that_are_no_http_leave_no_line_in_the_log(folder: Path) -> None:
    with _serving(folder) as (address, process):
        host, _, port = address.removeprefix("http://").partition(":")
        for line in (b"M123 / HTTP/1.1", b"GET  / HTTP/9", b"\x00\x01"):
            with socket.create_connection((host, int(port))) as client:
                client.sendall(line + b"\r\nHost: localhost\r\n\r\n")
                assert b"400" in client.recv(100)
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=20)[1] == ""


def test_a_second_signal_cuts_off_half_sent_requests_without_a_traceback(folder: Path) -> None:
    with _serving(folder) as (address, process):
        host, _, port = address.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port))) as half:
            head = "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/json\r\n"
            half.sendall(f"{head}content-length: 9\r\nexpect: 100-continue\r\n\r\n".encode())
            assert half.recv(12) == b"HTTP/1.1 100"  # the body is awaited
            process.send_signal(signal.SIGTERM)
            with contextlib.suppress(ConnectionError):
                while True:  # until it takes no connections
                    socket.create_connection((host, int(port))).close()
            process.send_signal(signal.SIGTERM)
            assert "Traceback" not in process.communicate(timeout=20)[1]
        assert process.returncode == 0


def test_a_host_beyond_this_machine_needs_tokens(folder: Path) -> None:
    done = _jido("serve", "--host", "0.0.0.0", cwd=folder)
    assert done.returncode == 2
    assert "--tokens" in done.stderr


def test_a_port_in_use_is_an_error_before_anything_starts(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = _jido("serve", "--port", str(taken.getsockname()[1]), "--memory", "new.db", cwd=folder)
    assert done.returncode == 2
    assert "choose another --port" in done.stderr
    assert not (folder / "new.db").exists()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('[pipelines.a]\nmodle = "x"', "pipelines.a.modle: unknown key; did you mean 'model'?"),
        ('[pipelines.a]\nmodel = "scripted:nix.toml"\ncritics = ["rules:outline.rules.toml"]', "there is no nix.toml"),
        ('[pipelines.a]\nmodel = "scripted:talk.answers.toml"', "pipelines.a.critics"),
        ('[graphs.a]\nfile = "../talk.toml"', "graphs.a.file"),
        ("[graphs.a]", "graphs.a.file"),
        ("pipelines = 3", "pipelines: must be a table"),
        (
            '[graphs.a]\nfile = "talk.toml"\n[pipelines.a]\nmodel="scripted:talk.answers.toml"\n'
            'critics=["rules:outline.rules.toml"]',
            "too",
        ),
        (
            '[pipelines.a]\nmodel = "openai:x@http://evil.example"\ncritics = ["rules:outline.rules.toml"]',
            "pipelines.a",
        ),
    ],
)
def test_a_wrong_settings_file_is_one_line_and_2(folder: Path, settings: str, said: str) -> None:
    (folder / "jido.toml").write_text(settings)
    done = run_jido(folder, folder, "serve", "--port", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_token_new_prints_the_token_last_and_keeps_its_digest(folder: Path) -> None:
    made = _jido(
        "token", "new", "--tokens", "t.json", "--tenant", "a", "--project", "b", "--runs-at-once", "3", cwd=folder
    )
    token = made.stdout.splitlines()[-1]
    assert made.returncode == 0
    assert token not in (folder / "t.json").read_text()
    assert json.loads((folder / "t.json").read_text())["tokens"][0]["quota"] == {"runs_at_once": 3}
    with _serving(folder, "--tokens", "t.json") as (address, _):
        assert httpx.get(f"{address}/v1/runs").status_code == 401
        assert httpx.get(f"{address}/v1/runs", headers={"authorization": f"Bearer {token}"}).status_code == 200


@pytest.mark.parametrize(
    "args", [["--scope", "run,fly"], ["--runs-at-once", "0"], ["--dollars-a-day", "-1"], ["--tenant", ""]]
)
def test_a_wrong_option_of_token_new_is_2_and_makes_no_file(folder: Path, args: list[str]) -> None:
    given = ["--tokens", "t.json", "--tenant", "a", "--project", "b", *args]
    assert _jido("token", "new", *given, cwd=folder).returncode == 2
    assert not (folder / "t.json").exists()


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_a_request_without_a_complete_head_is_ended_by_its_deadline(folder: Path) -> None:
    with _serving(folder) as (address, _):
        host, _, port = address.removeprefix("http://").partition(":")

        async def half(text: bytes) -> bytes:
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(text)
            try:
                return await asyncio.wait_for(reader.read(), 15)
            finally:
                writer.close()

        sent = [b"", b"GET / HT", b"POST /v1/runs HTTP/1.1\r\nhost: localhost\r\ncontent-"]
        answers = await asyncio.gather(*(half(text) for text in sent * 20))
        assert all(answer.startswith(b"HTTP/1.1 408") for answer in answers)
        try:
            large = await half(b"GET / HTTP/1.1\r\nhost: localhost\r\nx: " + b"y" * 200_000)
        except ConnectionResetError:  # it was still sending
            large = b"HTTP/1.1 431"
        assert large.startswith(b"HTTP/1.1 431")
        assert httpx.get(f"{address}/healthz").status_code == 200


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_kill_9_loses_no_run_and_repeats_none(tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "benchmarks" / "serve" / "kills.py"
    env = {**os.environ, "PYTHONPATH": str(script.parent)}
    done = subprocess.run(
        [sys.executable, str(script), "--kills", "4", "--clients", "8", "--runs", "4"],
        capture_output=True, text=True, timeout=170, env=env, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "runs lost            0" in done.stdout


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_events_of_killed_runs_are_complete_and_in_order_after_the_restart(folder: Path) -> None:
    topics = [f"trees {number}" for number in range(5)]
    outlines = [
        {"pipeline": "outline", "prompt": f"Outline a talk on {topic}.", "run_id": f"o {topic}"} for topic in topics
    ]
    talks = [{"graph": "talk", "inputs": {"topic": topic}, "run_id": f"t {topic}"} for topic in topics]
    bodies = [body for pair in zip(outlines, talks, strict=True) for body in pair]
    for ended in (1, 4):
        with _serving(folder) as (address, process), httpx.Client(base_url=address, timeout=60) as client:
            for body in bodies:
                client.post("/v1/runs", json=body)
            while len(client.get("/v1/runs?status=completed").json()["data"]) < ended:
                pass
            process.kill()
    with _serving(folder) as (address, _), httpx.Client(base_url=address, timeout=60) as client:
        for body in bodies:
            told = client.post("/v1/runs?wait=60", json=body).json()
            assert told["status"] == "completed"
            lines = client.get(f"/v1/runs/{body['run_id']}/events").text.splitlines()
            events = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
            calls = client.get(f"/v1/runs/{body['run_id']}/calls").json()["data"]
            assert _faults(events, [(call["seq"], call["started"]) for call in calls]) == [], body["run_id"]


def _faults(events: list[dict[str, Any]], calls: list[tuple[int, str]]) -> list[str]:
    """Return where events break the order of a run and its loops."""
    found: list[str] = []
    if [event["seq"] for event in events] != list(range(1, len(events) + 1)):
        found.append("numbers")
    told = [(event["call"]["seq"], event["call"]["started"]) for event in events if event["type"] == "ModelCalled"]
    if sorted(told) != sorted(calls):
        found.append(f"calls {told} of {calls}")
    by_loop: dict[str, list[str]] = {}
    for event in events:
        by_loop.setdefault(event.get("path", "").partition("/iteration ")[0], []).append(event["type"])
    for path, kinds in by_loop.items():
        first, last = kinds[0], kinds[-1]
        if first not in ("RunStarted", "GraphStarted", "NodeStarted") or last not in (
            "RunStopped",
            "GraphStopped",
            "NodeStopped",
        ):
            found.append(f"{path}: {kinds}")
        if any(kinds.count(kind) > 1 for kind in ("RunStarted", "RunStopped", "NodeStarted", "NodeStopped")):
            found.append(f"{path}: twice, {kinds}")
        judged = 0
        for kind in kinds:
            judged += (kind in ("CandidateGenerated", "Revised")) - (kind == "Critiqued")
            if judged < 0:
                found.append(f"{path}: judged before it was made, {kinds}")
                break
    return found
