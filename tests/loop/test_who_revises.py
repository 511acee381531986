"""Who revises where no reviser is named: a model that generates, or a generator that uses the attempts so far."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from command_line import run_jido

from jido_ai import Graph, LoopNode
from jido_ai.comparing.run import compare
from jido_ai.comparing.tasks import Check, Task
from jido_ai.graph.served import read_served
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.pipeline import reflect as reflect_once
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.protocols import RunContext
from jido_ai.testing import ScriptedModel
from jido_ai.values import Candidate, CritiqueResult, Episode, LoopConfig, Reflection, ReflectionResult, StopReason

CONFIG = LoopConfig(max_iterations=3, patience=3)


async def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    bad = 0.9 - 0.2 * len(candidate.content)
    return CritiqueResult(severity=max(0.0, bad), issues=["too short"], source="tool:length")


async def reflect(episode: Episode, priors: Sequence[Reflection], context: RunContext) -> Reflection:
    return Reflection(f"make it longer than {episode.attempt}", root_cause="it was short")


class Drafting:
    uses_attempts = True

    def __init__(self) -> None:
        self.told: list[tuple[list[str], list[str]]] = []

    async def generate(self, prompt: str, context: RunContext) -> str:
        lessons = [lesson.correction for lesson in context.lessons]
        self.told.append(([one.candidate.content for one in context.attempts], lessons))
        return "x" * len(self.told)


@pytest.mark.parametrize("policy", ["documented", "adaptive"])
async def test_a_generator_that_uses_attempts_drafts_again_with_all_reflections_of_the_run(policy: Any) -> None:
    author = Drafting()
    config = LoopConfig(max_iterations=3, patience=3, policy=policy)
    async with Pipeline(author, judge, memory=True, config=config, reflector=reflect) as pipeline:
        result = await pipeline.run("count to three")
    assert [one.candidate.content for one in result.iterations] == ["x", "xx", "xxx"]
    assert [attempts for attempts, _ in author.told] == [[], ["x"], ["x", "xx"]]
    assert [len(lessons) for _, lessons in author.told] == [0, 1, 2]
    assert len(result.reflections) == 2  # the last one is good enough


async def test_a_draft_in_place_of_a_revision_is_approved_as_one() -> None:
    seen: list[str] = []

    async def approve(revision: Candidate, before: Any, context: RunContext) -> bool:
        seen.append(revision.content)
        return len(seen) < 2

    async with Pipeline(Drafting(), judge, config=CONFIG, approve=approve) as pipeline:
        result = await pipeline.run("count to three")
    assert seen == ["xx", "xxx"]
    assert (result.stop_reason, result.total_iterations) == (StopReason.DECLINED, 2)
    assert result.iterations[0].revised


@pytest.mark.parametrize("named", [True, False])
async def test_a_language_model_that_generates_also_revises(named: bool) -> None:
    model = ScriptedModel(["x", '{"improved_response": "xxxx", "changes_made": [], "parts_preserved": []}'])
    generator: Any = model if named else LLMGenerator(model)
    async with Pipeline(generator, judge, config=CONFIG) as pipeline:
        result = await pipeline.run("count")
    assert [one.candidate.content for one in result.iterations] == ["x", "xxxx"]


async def test_without_either_the_run_judges_and_says_what_to_name() -> None:
    async with ReflexionMemory() as memory, Pipeline(lambda prompt, context: "x", judge, memory=memory) as pipeline:
        result = await pipeline.run("count")
    assert (result.stop_reason, result.total_iterations) == (StopReason.DECLINED, 1)
    assert "reviser=" in result.evidence["reasons"][0]
    assert "uses_attempts" in result.evidence["reasons"][0]


# -- by every door ---------------------------------------------------------------------------------


FILES: Final = Path(__file__).parents[2] / "examples" / "graphs"
MODEL: Final = "scripted:approval.answers.toml"
LOOP: Final = 'loop = "Write an invitation for {guest}"\ncritics = ["rules:letter.rules.toml"]\nmax_iterations = 2\n'


def letter(candidate: Candidate, context: RunContext) -> CritiqueResult:
    is_polite = candidate.content.startswith("Dear")
    return CritiqueResult(severity=0.0 if is_polite else 0.9, issues=[] if is_polite else ["it begins with Dear"])


def writer() -> LLMGenerator:
    revised = json.dumps({"improved_response": "Dear Ada", "changes_made": [], "parts_preserved": []})
    return LLMGenerator(ScriptedModel(["Come on Sunday.", revised]))


async def by_pipeline(folder: Path) -> str:
    async with Pipeline(writer(), letter) as pipeline:
        return text_of(await pipeline.run("Write an invitation for Ada"))


async def by_reflect(folder: Path) -> str:
    return text_of(await reflect_once("Write an invitation", generator=writer(), critiquer=letter))


async def by_loop_node(folder: Path) -> str:
    node = LoopNode("Write an invitation for {guest}", generator=writer(), critiquer=letter)
    async with Graph({"a": node}, inputs=["guest"], output="a") as graph:
        return str((await graph.run({"guest": "Ada"})).output)


def text_of(result: ReflectionResult) -> str:
    assert result.best_candidate is not None
    return result.best_candidate.content


async def by_graph_file(folder: Path, key: str = "model") -> str:
    file = folder / "graph.toml"
    file.write_text(f'[graph]\ninputs = ["guest"]\noutput = "a"\n[nodes.a]\n{key} = "{MODEL}"\n{LOOP}', "utf-8")
    async with Graph.from_toml(file) as graph:
        return str((await graph.run({"guest": "Ada"})).output)


async def by_served_pipeline(folder: Path) -> str:
    table = {"model": MODEL, "critics": ["rules:letter.rules.toml"], "max_iterations": 2}
    served = read_served(folder / "jido.toml", {"letter": table}, {})["letter"]
    assert isinstance(served, Pipeline)
    async with served:
        return text_of(await served.run("Write an invitation for Ada"))


async def by_comparison(folder: Path) -> str:
    task = Task("Write an invitation for Ada", [Check.contains("Ada")])
    compared = await compare([task], {"loop": Pipeline(writer(), letter)}, baseline="loop")
    return str(compared.cases[0].answer)


def by_command(folder: Path) -> str:
    asyncio.run(by_graph_file(folder))
    return run_jido(folder, folder, "run", "graph.toml", "-i", "guest=Ada").stdout


DOORS: Final[dict[str, Callable[[Path], Coroutine[Any, Any, str] | str]]] = {
    "Pipeline": by_pipeline,
    "reflect": by_reflect,
    "LoopNode": by_loop_node,
    "graph file, model": by_graph_file,
    "graph file, generator": lambda folder: by_graph_file(folder, "generator"),
    "pipeline of the settings": by_served_pipeline,
    "compare": by_comparison,
    "jido run": by_command,
}


@pytest.mark.parametrize("door", DOORS)
def test_a_model_that_generates_revises_at_every_door(door: str, tmp_path: Path) -> None:
    for name in ("approval.answers.toml", "letter.rules.toml"):
        shutil.copy(FILES / name, tmp_path)
    answer = DOORS[door](tmp_path)
    assert (answer if isinstance(answer, str) else asyncio.run(answer)).startswith("Dear Ada")
