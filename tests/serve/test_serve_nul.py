"""A prompt with U+0000 is carried out and kept as it is, whatever the store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, Scope

NUL = "before\0after"


@pytest.fixture(params=["memory", "sqlite", "postgres", "pgbouncer"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str | None:
    match request.param:
        case "memory":
            return None
        case "sqlite":
            return str(tmp_path / "runs.db")
        case "postgres":
            return request.getfixturevalue("postgres")
        case _:
            return request.getfixturevalue("pooled_postgres")


async def accept(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


async def test_a_pipeline_keeps_texts_ids_and_scopes_with_u0000(store: str | None) -> None:
    scope = Scope(NUL, NUL)
    async with (
        ReflexionMemory(store) as memory,
        Pipeline(lambda *_: NUL, accept, lambda *_: NUL, memory) as pipeline,
    ):
        await pipeline.run(NUL, run_id=NUL, scope=scope, metadata={NUL: NUL})
        recorded = await RunJournal(memory).load(NUL, scope)
        (shown,) = await RunJournal(memory).list(scope)
    result = recorded.result()
    assert result is not None
    assert result.best_candidate is not None
    assert (result.prompt, result.best_candidate.content, shown.run_id) == (NUL, NUL, NUL)
    assert recorded.metadata == {NUL: NUL}


async def test_a_server_accepts_a_prompt_with_u0000(store: str | None, open_client: Callable[..., Any]) -> None:
    run = {"pipeline": "answer", "prompt": NUL, "run_id": "r", "metadata": {NUL: NUL}}
    async with open_client(memory=store) as client, asyncio.timeout(60.0):
        answer = await client.post("/v1/runs", json=run)
        assert answer.status_code == 202
        while (found := (await client.get("/v1/runs/r")).json())["status"] in ("queued", "running"):
            await asyncio.sleep(0.05)
    assert (found["status"], found["prompt"], found["metadata"]) == ("completed", NUL, {NUL: NUL})
