"""Comparisons over HTTP: their overviews, newest first, for administrators."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jido_ai.learning import Check, Task, best_of, compare, single
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve.tokens import add_token
from jido_ai.testing import ScriptedModel
from tests.serve.conftest import Stub, client_of

MODEL = ScriptedModel(lambda request: "4" if request.seed == 1 else "5")
STRATEGIES = {"single": single(MODEL), "frequent": best_of(MODEL, 3, picks="most_frequent")}
TASKS = [Task(f"What is {n} + {4 - n}?", [Check.exact("4")], id=f"t{n}") for n in range(3)]


async def compared(memory: ReflexionMemory, *run_ids: str) -> None:
    for run_id in run_ids:
        await compare(TASKS, STRATEGIES, memory=memory, run_id=run_id)


async def test_comparisons_have_the_table_its_meaning_and_the_tasks_lost() -> None:
    async with ReflexionMemory() as memory:
        await compared(memory, "older", "newer", "newer")
        async with client_of(Stub(), memory=memory) as client:
            found = (await client.get("/v1/comparisons")).json()["data"]
    assert [one["run_id"] for one in found] == ["newer", "older"]
    [row, other] = found[0]["rows"]
    assert (row["name"], row["passed"], row["total"], other["against"]["lost"]) == ("single", 3, 3, 3)
    assert found[0]["tasks"] == 3 and found[0]["baseline"] == "single"
    [lost] = found[0]["lost"]
    assert lost["strategy"] == "frequent" and lost["of"] == 3
    assert lost["tasks"][0] == {"id": "t0", "prompt": "What is 0 + 4?"}
    assert any("frequent" in remark for remark in found[0]["remarks"])


async def test_a_server_without_comparisons_has_none() -> None:
    async with client_of(Stub()) as client:
        assert (await client.get("/v1/comparisons")).json() == {"data": []}


async def test_a_token_without_admin_sees_no_comparison(tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    reader: Any = add_token(file, tenant="a", project="b", rights=("read",))
    admin: Any = add_token(file, tenant="a", project="b", rights=("read", "admin"))
    async with ReflexionMemory() as memory:
        await compared(memory, "r")
        async with client_of(Stub(), memory=memory, tokens=file) as client:
            found = [
                (await client.get("/v1/comparisons", headers={"authorization": f"Bearer {token}"})).json()["data"]
                for token in (reader, admin)
            ]
    assert [len(one) for one in found] == [0, 1]
