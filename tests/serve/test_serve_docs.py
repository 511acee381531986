"""The page on serving: its settings and programs work."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest

from jido_ai.cli.served import load_served
from jido_ai.loop.settings import load_settings
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve.app import create_app
from tests.serve.conftest import Stub, served

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", (ROOT / "docs" / "serve.md").read_text("utf-8"), re.DOTALL)


def _blocks(kind: str) -> list[str]:
    return [text for one, text in BLOCKS if one == kind]


@asynccontextmanager
async def _client(app: Any) -> AsyncGenerator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost") as one,
    ):
        yield one


async def test_the_settings_of_the_page_serve_the_examples(tmp_path: Path) -> None:
    for file in (ROOT / "examples" / "graphs").glob("*.toml"):
        shutil.copy(file, tmp_path)
    (tmp_path / "jido.toml").write_text(_blocks("toml")[0])
    app = create_app(load_served(start=tmp_path))
    async with _client(app) as client:
        body = {"pipeline": "outline", "prompt": "Outline a talk on trees."}
        assert (await client.post("/v1/runs?wait=30", json=body)).json()["status"] == "completed"


async def test_a_served_pipeline_learns_as_the_settings_say_unless_its_table_does(tmp_path: Path) -> None:
    (tmp_path / "script.toml").write_text('[[answers]]\ntext = "a"\n')
    (tmp_path / "rules.toml").write_text('[[rules]]\nof = "words"\nat_most = 3\n')
    table = 'model = "scripted:script.toml"\ncritics = ["rules:rules.toml"]\n'
    text = f'learn_from = "nothing"\n[pipelines.a]\n{table}[pipelines.b]\n{table}learn_from = "known"\n'
    (tmp_path / "jido.toml").write_text(text)
    kept: dict[str, int] = {}
    for name in ("a", "b"):
        app = create_app(load_served(load_settings(tmp_path, environ={}), start=tmp_path), memory=ReflexionMemory())
        async with _client(app) as client:
            await client.post("/v1/runs?wait=30", json={"pipeline": name, "prompt": "Name a red fruit."})
            entries = (await client.get("/v1/memory/entries")).json()["data"]
            kept[name] = sum(bool(one["answer"]) for one in entries)
    assert kept == {"a": 0, "b": 1}


async def test_the_program_that_uses_openais_package_prints_an_answer(
    stub: Stub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = _blocks("python")[0].replace('model="outline"', 'model="line"')
    async with served(stub) as address:
        real = openai.OpenAI
        monkeypatch.setattr(openai, "OpenAI", lambda base_url, api_key: real(base_url=f"{address}/v1", api_key=api_key))
        await asyncio.to_thread(exec, compile(code, "serve.md", "exec"), {})
    assert capsys.readouterr().out.startswith("draft 3")


async def test_the_application_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(_blocks("python")[1], "serve.md", "exec"), names)
    async with _client(names["app"]) as client:
        body = {"pipeline": "short", "prompt": "Shorten this.", "initial_candidate": "long " * 40}
        run = (await client.post("/v1/runs?wait=30", json=body)).json()
        assert run["result"]["stop_reason"] == "accepted"
