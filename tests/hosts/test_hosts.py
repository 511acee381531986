"""The same work in every host that docs/how-to/hosts.md names."""

from __future__ import annotations

import asyncio
import importlib.util
import multiprocessing
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from host_work import Waiting, fast_pipeline, open_databases, work

from jido_ai.errors import ConfigurationError
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.pipeline import Pipeline

HERE = Path(__file__).parent
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="it forks")


def needs(*modules: str) -> pytest.MarkDecorator:
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


def program(name: str, *arguments: object, cwd: Path | None = None) -> str:
    """Run a program of the folder `programs` and return what it printed."""
    command = [sys.executable, "-W", "default", str(HERE / "programs" / f"{name}.py"), *map(str, arguments)]
    return printed(command, cwd)


def printed(command: list[str], cwd: Path | None) -> str:
    paths = os.pathsep.join([str(HERE), str(HERE / "programs")])
    done = subprocess.run(
        command,
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "was never awaited" not in done.stderr
    return done.stdout


# -- event loops -----------------------------------------------------------------------------------


def in_debug_mode(folder: Path) -> None:
    asyncio.run(work(folder), debug=True)


def on_uvloop(folder: Path) -> None:
    pytest.importorskip("uvloop", reason="uvloop is not installed").run(work(folder))


def with_eager_tasks(folder: Path) -> None:
    if sys.version_info < (3, 12):
        pytest.skip("eager tasks came with Python 3.12")

    async def eager() -> None:
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
        await work(folder)

    asyncio.run(eager())


def in_anyio(folder: Path) -> None:
    async def group() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(work, folder)

    anyio.run(group)


@pytest.mark.parametrize("run", [in_debug_mode, on_uvloop, with_eager_tasks, in_anyio])
def test_the_work_is_done_on_every_event_loop(
    run: Callable[[Path], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run(tmp_path)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


# -- threads and forks -----------------------------------------------------------------------------


def test_threads_share_one_blocking_pipeline(tmp_path: Path) -> None:
    with (
        BlockingPipeline(fast_pipeline(memory=str(tmp_path / "lessons.db"))) as blocking,
        ThreadPoolExecutor(8) as pool,
    ):
        assert all(result.accepted for result in pool.map(blocking.run, "abcdefghijklmnop"))
        assert all(len(results) == 2 for results in pool.map(blocking.run_many, [["a", "b"]] * 8))
    assert open_databases() == []


async def test_threads_of_an_event_loop_share_one_blocking_pipeline() -> None:
    with BlockingPipeline(fast_pipeline()) as blocking:
        results = await asyncio.gather(*(asyncio.to_thread(blocking.run, prompt) for prompt in "abcd"))
    assert all(result.accepted for result in results)


def _report(pipe: Any, blocking: BlockingPipeline, fresh: BlockingPipeline) -> None:
    try:
        blocking.run("q")
    except ConfigurationError as error:
        pipe.send(("fork" in str(error), fresh.run("q").accepted))
    blocking.close()


@posix_only
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_of_multiprocessing_uses_a_pipeline_of_its_own() -> None:
    here, there = multiprocessing.Pipe()
    with BlockingPipeline(fast_pipeline()) as blocking:
        blocking.run("q")
        child = multiprocessing.get_context("fork").Process(
            target=_report, args=(there, blocking, BlockingPipeline(fast_pipeline()))
        )
        child.start()
        assert here.poll(60)
        assert here.recv() == (True, True)
        child.join(60)
        assert child.exitcode == 0
        assert blocking.run("q").accepted


# -- frameworks ------------------------------------------------------------------------------------


@needs("fastapi", "uvicorn")
@pytest.mark.filterwarnings("ignore:.*python_multipart:PendingDeprecationWarning")  # of the oldest FastAPI
async def test_a_client_that_leaves_fastapi_ends_its_run_and_leaves_nothing_open(tmp_path: Path) -> None:
    import uvicorn
    from fastapi import FastAPI
    from fastapi.responses import StreamingResponse

    app, waiting = FastAPI(), Waiting()

    @app.get("/")
    async def ask() -> StreamingResponse:
        async def events() -> AsyncIterator[str]:
            async with Pipeline(None, waiting.critique, memory=str(tmp_path / "lessons.db")) as pipeline:
                async for event in pipeline.stream("q", "a"):
                    yield type(event).__name__

        return StreamingResponse(events())

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"RunStarted" in await reader.readuntil(b"RunStarted")
        await waiting.begun.wait()
        assert open_databases()
        writer.close()
        await waiting.ended.wait()
        server.should_exit = True
        await serving
    assert open_databases() == []


@pytest.mark.slow
@needs("django")
def test_django_runs_it_in_async_and_sync_views_and_cancels_it_for_a_client_that_leaves(tmp_path: Path) -> None:
    assert program("django_host", tmp_path).splitlines() == [
        "async 200 done",
        "sync 200 [True, True]",
        "left True []",
    ]


@pytest.mark.slow
@needs("nbclient", "ipykernel")
def test_the_cells_of_a_notebook_await_it(tmp_path: Path) -> None:
    assert program("jupyter_host", tmp_path, HERE).splitlines() == [
        "cell True",
        "entered in another cell True",
        "an event loop is running here: use `await reflect(...)`",
        "blocking True",
    ]


FORKED = "refused, fork; [True, True, True]"


@pytest.mark.slow
@posix_only
@needs("gunicorn")
def test_a_worker_of_gunicorn_uses_a_pipeline_that_was_not_used_before_the_fork(tmp_path: Path) -> None:
    assert program("gunicorn_host", tmp_path).strip() == FORKED


@pytest.mark.slow
@posix_only
@needs("celery")
def test_a_worker_of_celery_uses_a_pipeline_that_was_not_used_before_the_fork(tmp_path: Path) -> None:
    assert program("celery_host", tmp_path, cwd=tmp_path).strip() == FORKED


@pytest.mark.slow
def test_the_fixtures_of_pytest_asyncio_hold_pipelines(tmp_path: Path) -> None:
    shutil.copy(HERE / "programs" / "asyncio_cases.py", tmp_path / "test_cases.py")
    options = ["-q", "-W", "error", "-p", "no:cacheprovider", "-o", "asyncio_default_fixture_loop_scope=function"]
    assert "5 passed" in printed([sys.executable, "-m", "pytest", *options, "test_cases.py"], tmp_path)
