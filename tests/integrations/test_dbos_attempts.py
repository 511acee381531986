"""A run that ends the process of each worker that takes it is given up after three of them, with real processes."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

pytest.importorskip("dbos", reason="dbos is not installed: make test-integrations")

from deadly_worker import QUEUE

from jido_ai.integrations.dbos import WorkClient, client
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve.state import Queues
from jido_ai.values import StopReason

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

HERE = Path(__file__).parent
TALK = HERE.parent.parent / "examples" / "graphs"


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "runs.db")


class Service:
    """Keeps one worker process running, as a service manager does, until it ended `most` times."""

    def __init__(self, store: str, folder: Path, most: int) -> None:
        self._most = most
        self._command = [sys.executable, str(HERE / "deadly_worker.py"), store, str(folder)]
        self._folder = folder
        self.process: subprocess.Popen[bytes] | None = None
        self.ends: list[int] = []

    def start(self) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *filter(None, sys.path)])}
        with (self._folder / "log").open("ab") as log:
            self.process = subprocess.Popen(self._command, stdout=log, stderr=subprocess.STDOUT, env=environment)

    async def run(self) -> None:
        """Start the worker again whenever it ended."""
        while len(self.ends) < self._most:
            if self.process is None:
                self.start()
            assert self.process is not None
            code = await asyncio.to_thread(self.process.wait)
            self.ends.append(code)
            self.process = None

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def log(self) -> str:
        return (self._folder / "log").read_text()

    def calls(self) -> list[str]:
        return (self._folder / "calls").read_text().splitlines()


@asynccontextmanager
async def at_work(store: str, folder: Path, most: int = 10) -> AsyncIterator[tuple[Service, WorkClient]]:
    service = Service(store, folder, most)
    async with client(store=store, queue=QUEUE) as work:
        running = asyncio.create_task(service.run())
        try:
            yield service, work
        finally:
            running.cancel()
            service.kill()
            await asyncio.wait({running})


@pytest.mark.parametrize(("kind", "how"), [("postgres", "exit"), ("sqlite", "crash"), ("sqlite", "kill")])
async def test_a_run_that_ends_three_workers_fails_with_the_steps_of_its_journal(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str, how: str
) -> None:
    store = request.getfixturevalue("postgres") if kind == "postgres" else str(tmp_path / "runs.db")
    async with at_work(store, tmp_path) as (service, work):
        deadly = await work.submit("answer", f"die {how}", "deadly")
        beside = await work.submit("answer", "live", "beside")
        result = await work.result(deadly, timeout_s=120.0)
        other = await work.result(beside, timeout_s=60.0)
        view, events = await work.view(), [event["type"] async for event in work.events(deadly)]
        assert await work.status(deadly) == "failed"
    assert len(service.ends) == service.calls().count("deadly v1") == 3
    assert (result.stop_reason, result.error.kind) == (StopReason.ERROR, "worker_died")
    assert "3 workers" in result.error.message
    assert (result.best_candidate.content, len(result.iterations)) == ("v1", 2)
    assert other.best_candidate.content == "v2"
    assert events[-1] == "RunStopped"
    assert [(one.run_id, one.attempts) for one in view.given_up] == [("deadly", 3)]
    assert "worker.gave_up run_id=deadly name=answer attempts=3" in service.log()
    async with ReflexionMemory(store) as memory:
        (last,) = [one for one in await memory.records("journal", key="deadly") if one.kind == "stopped"]
    assert last.data["error"]["kind"] == "worker_died"
    queues = Queues(store)
    ((queue,),) = (await queues.look(),)
    await queues.close()
    assert [one["run_id"] for one in queue["given_up"]] == ["deadly"]


@pytest.mark.parametrize("name", ["answer", "steps"])
async def test_a_component_that_raises_keyboard_interrupt_fails_its_run_and_leaves_the_worker_alive(
    store: str, tmp_path: Path, name: str
) -> None:
    async with at_work(store, tmp_path) as (service, work):
        asked = {"prompt": "die interrupt"} if name == "answer" else {"inputs": {"how": "interrupt"}}
        result = await work.result(await work.submit(name, **asked), timeout_s=60.0)
        other = await work.result(await work.submit("answer", "live"), timeout_s=60.0)
    assert service.ends == []
    assert result.error is not None
    assert "KeyboardInterrupt" in result.error.message
    assert other.best_candidate.content == "v2"


async def test_a_graph_that_ends_three_workers_fails_with_the_nodes_that_were_done(store: str, tmp_path: Path) -> None:
    async with at_work(store, tmp_path) as (service, work):
        run_id = await work.submit("steps", inputs={"how": "exit"})
        result = await work.result(run_id, timeout_s=120.0)
    assert service.calls() == ["step"] * 3
    assert (result.status, result.error.kind) == ("failed", "worker_died")
    assert {path: one.status for path, one in result.nodes.items()} == {"first": "done"}


async def test_jido_worker_prints_which_run_it_gave_up(store: str, tmp_path: Path) -> None:
    async with at_work(store, tmp_path, most=3) as (service, work):
        await work.submit("steps", inputs={"how": "exit"}, run_id="deadly")
        while len(service.ends) < 3:
            await asyncio.sleep(0.05)
        shutil.copy(TALK / "talk.toml", tmp_path)
        shutil.copy(TALK / "talk.answers.toml", tmp_path)
        shutil.copy(TALK / "outline.rules.toml", tmp_path)
        (tmp_path / "jido.toml").write_text('[graphs.steps]\nfile = "talk.toml"\n')
        command = [sys.executable, "-m", "jido_ai", "worker", "--store", store, "--queue", QUEUE, "--dead-after", "1"]
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment) as worker:
            try:
                await work.result("deadly", timeout_s=60.0)
            finally:
                worker.terminate()
            told = worker.communicate(timeout=60)[1]
    assert "jido worker: gave up run deadly of steps: 3 workers ended while carrying it out\n" in told
    doctor = [sys.executable, "-m", "jido_ai", "doctor", "--memory", store]
    shown = subprocess.run(doctor, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False).stdout
    assert re.search(r"given up +1 recently; \d+ s ago deadly, with which 3 workers ended\n", shown)


async def test_runs_that_were_only_beside_the_culprit_are_carried_out(store: str, tmp_path: Path) -> None:
    async with at_work(store, tmp_path) as (_, work):
        slow = [await work.submit("answer", "slow", f"slow-{number}") for number in range(2)]
        deadly = await work.submit("answer", "at once exit")
        gone = await work.result(deadly, timeout_s=150.0)
        (tmp_path / "go").touch()
        done = [await work.result(run_id, timeout_s=60.0) for run_id in slow]
    assert gone.error.kind == "worker_died"
    assert [one.stop_reason for one in done] == [StopReason.ACCEPTED] * 2


async def test_a_run_that_gets_further_ends_well_however_many_of_its_workers_end(store: str, tmp_path: Path) -> None:
    async with at_work(store, tmp_path) as (service, work):
        result = await work.result(await work.submit("answer", "unlucky"), timeout_s=150.0)
        view = await work.view()
    assert (result.stop_reason, len(result.iterations)) == (StopReason.ACCEPTED, 3)
    assert len(service.ends) == 6
    assert view.given_up == ()
