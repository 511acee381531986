"""Pipelines in the fixtures of pytest-asyncio, in the event loop of a test and in that of a module."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from host_work import fast_pipeline, work

from jido_ai.errors import ConfigurationError
from jido_ai.loop.pipeline import Pipeline


@pytest_asyncio.fixture
async def own() -> AsyncIterator[Pipeline]:
    async with fast_pipeline(memory=True) as pipeline:
        yield pipeline


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def shared() -> AsyncIterator[Pipeline]:
    async with fast_pipeline(memory=True) as pipeline:
        yield pipeline


@pytest.mark.asyncio
async def test_work(tmp_path: Path) -> None:
    await work(tmp_path)


@pytest.mark.asyncio
async def test_own(own: Pipeline) -> None:
    assert (await own.run("q")).accepted


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("number", [1, 2])
async def test_shared(shared: Pipeline, number: int) -> None:
    assert (await shared.run("q")).accepted


@pytest.mark.asyncio
async def test_other_loop(shared: Pipeline) -> None:
    with pytest.raises(ConfigurationError, match="another event loop"):
        await shared.run("q")
