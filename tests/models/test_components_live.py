"""The components on llama.cpp's own server, whose model writes noise: its grammar keeps the form, nobody the sense."""

from __future__ import annotations

from collections.abc import Awaitable
from pathlib import Path

import pytest
from model_servers.llama_server import llama_server

from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.errors import ModelError, ParseError
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.providers.openai import CompatibleModel
from jido_ai.models.spending import Spending
from jido_ai.protocols import RunContext
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.text.change import unified_diff
from jido_ai.values import Candidate, CritiqueResult

CANDIDATE = Candidate("far")


@pytest.mark.slow
async def test_noise_becomes_either_a_whole_value_or_a_typed_error_and_is_counted(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    pytest.importorskip("gguf")
    found: list[object] = []
    errors: list[str] = []
    spending = Spending()
    context = RunContext(run_id="r", prompt="how far is the moon?", meter=spending)
    with llama_server(tmp_path, "key") as url:
        model = CompatibleModel("tiny", api_key="key", base_url=f"{url}/v1")
        critique = CritiqueResult(severity=0.5, issues=["no unit"])
        for seed in range(6):
            asked: list[Awaitable[object]] = [
                LLMGenerator(model, seed=seed, max_tokens=20).generate("hi", context),
                LLMCritiquer(model, seed=seed, max_tokens=200).critique(CANDIDATE, context),
                LLMReviser(model, seed=seed, max_tokens=600).revise(CANDIDATE, critique, context),
                LLMReviser(model, seed=seed, max_tokens=600, path="far.py", edits_above=0).revise(
                    CANDIDATE, critique, context
                ),
            ]
            for answer in asked:
                try:
                    found.append(await answer)
                except (ModelError, ParseError) as error:
                    errors.append(str(error))
        await model.aclose()
    assert all("compatible:tiny" in error for error in errors)
    revisions = [one for one in found if isinstance(one, Candidate)]
    assert revisions, "the grammar of the schema is not enforced"
    for one in revisions:
        assert one.metadata["diff"] == unified_diff("far", one.content)
    assert any(isinstance(one, tuple) for one in found)
    assert spending.spent.calls >= 18
    assert spending.spent.output_tokens > 0
    assert spending.set_aside.calls == 0
