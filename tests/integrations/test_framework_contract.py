"""One contract for all frameworks: what each does in each situation, as docs/integrations/situations.md says."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from frameworks.host import Host, NoSuchThing, Note, TypedParts
from integration_helpers import APPROVED, PROMPT, TENANT, Parts, graphed, piped

from jido_ai.errors import ComponentError, OtherQuestionError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult

PAGE = Path(__file__).parents[2] / "docs/integrations/situations.md"
MODULES = {
    "langgraph": "langgraph",
    "pydantic_ai": "pydantic_ai",
    "openai_agents": "agents",
    "autogen": "autogen_agentchat",
    "agent_framework": "agent_framework",
    "google_adk": "google.adk",
    "a2a": "a2a",
    "ag_ui": "ag_ui",
    "dspy": "dspy",
    "crewai": "crewai",
}
Kind = type[Host]


class Held(Parts):
    """Parts whose critiques do not end."""

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        self.in_flight += 1
        try:
            self.begun.set()
            await asyncio.Event().wait()
        finally:
            self.in_flight -= 1
        raise AssertionError


@pytest.fixture(params=MODULES)
def kind(request: pytest.FixtureRequest) -> Kind:
    package = MODULES[request.param]
    if find_spec(package.partition(".")[0]) is None or ("." in package and find_spec(package) is None):
        pytest.skip(f"{package} is not installed: make test-integrations")
    return import_module(f"frameworks.{request.param}").Host


def kept() -> ReflexionMemory:
    return ReflexionMemory(store=InProcessStore())


def judged(parts: Parts) -> list[str]:
    return [call for call in parts.calls if call.startswith("critique")]


VERSIONS = [f"critique v{i}" for i in range(4)]


async def fresh(kind: Kind, _: Any) -> str:
    async with piped() as direct, kind() as host:
        expected = await direct.run(PROMPT, "v0")
        turn = await host.ask()
    assert turn.text == "v3"
    assert judged(host.parts) == VERSIONS
    told = {"stop_reason": expected.stop_reason.value, "iterations": expected.total_iterations}
    assert {name: turn.report.get(name, value) for name, value in told.items()} == told
    return ""


async def asked(kind: Kind, _: Any) -> str:
    for decision, expected in kind.decisions.items():
        async with kind(approve=True, memory=kept()) as host:
            turn, questions = await host.ask(), []
            while turn.question:
                questions.append(turn.question.get("revision"))
                turn = await host.answer(turn, decision)
            assert len(host.parts.calls) == len(set(host.parts.calls)), "no step was repeated"
        assert (questions, turn.text) == expected
    return kind.decided


async def graph_asks(kind: Kind, _: Any) -> str:
    for decision, expected in APPROVED.items():
        async with kind(make=partial(graphed, asks=True), asks=True, memory=kept()) as host:
            turn, questions = await host.ask(), []
            while turn.question:
                questions.append(turn.question["revision"])
                turn = await host.answer(turn, decision)
        assert (questions, turn.text) == expected
    return ""


async def badly(kind: Kind, _: Any) -> str:
    async with kind(approve=True, memory=kept()) as host:
        first = again = await host.ask()
        problem: Exception | None = None
        try:
            again = await host.answer(first, "  ")
        except Exception as error:
            problem = error
        if kind.takes_any:
            assert again.text == "  "
            raise NoSuchThing(kind.takes_any)
        assert again.question
        assert problem or again.question["problem"]
        assert again.question["revision"] == "v1"
        second = await host.answer(again, "yes")
        assert second.question, "the next answer counts"
        assert second.question["revision"] == "v2"
    if problem is not None:
        raise problem
    return ""


async def twice(kind: Kind, _: Any) -> str:
    async with kind(approve=True, memory=kept()) as host:
        first = await host.ask()
        second = await host.answer(first, "yes")
        calls, problem = list(host.parts.calls), None
        try:
            again = await host.answer(first, "yes")
        except OtherQuestionError as error:
            problem, again = error, second
        if kind.repeats:
            assert host.parts.calls == calls * 2
            raise NoSuchThing(kind.repeats)
        assert second.question
        assert again.question
        assert again.question["revision"] == second.question["revision"] == "v2"
        assert host.parts.calls == calls
        third = await host.answer(again, "yes")
        assert third.question, "the question stays"
        assert third.question["revision"] == "v3"
    if problem is not None:
        raise problem
    return ""


async def continued(kind: Kind, _: Any) -> str:
    async with kind(approve=True, memory=kept()) as host:
        first = await host.ask()
        second = await host.answer(first, "yes")
        waiting = second if second.question else await host.ask()  # OpenAI Agents asks only once
        calls = list(host.parts.calls)
        again = await host.go_on(waiting)
        assert waiting.question
        assert again.question
        assert again.question.get("revision") == waiting.question.get("revision")
        assert host.parts.calls == calls
    return ""


async def parallel(kind: Kind, _: Any) -> str:
    async with kind() as host:
        assert await host.both() == ["v3", "v3"]
    return ""


async def parallel_questions(kind: Kind, _: Any) -> str:
    async with kind(approve=True, memory=kept()) as host:
        first = await host.ask()
        await host.answer(first, "yes")
        assert await host.both() == ["v3", "v3"]
    return ""


async def stored(kind: Kind, database: str) -> str:
    parts = Parts()
    ours, _, schema = database.partition("&schema=")
    theirs = ours if schema else f"{ours}.theirs"  # another file, or another schema

    def host() -> Host:
        return kind(parts, approve=True, memory=database, database=theirs)

    async with host() as opened:
        turn = await opened.ask()
        assert turn.question
    while turn.question:
        async with host() as opened:
            turn = await opened.answer(turn, "yes")
    assert turn.text == "v3"
    return kind.keeps


async def streamed(kind: Kind, _: Any) -> str:
    async with kind() as host:
        told, text = await host.streamed()
    assert text == "v3"
    assert told in (0, 4)
    return "" if told else "the answer in one piece"


async def typed(kind: Kind, _: Any) -> str:
    async with kind(TypedParts(), output=Note) as host:
        answer = await host.typed()
    assert (answer if isinstance(answer, Note) else Note.model_validate_json(answer)) == Note(text="v3")
    return "" if isinstance(answer, Note) else "as JSON"


async def pending(kind: Kind, _: Any) -> str:
    async with kind() as host:
        answer = await host.pending()
    assert answer == ("v3" if host.parts.calls else None)
    return "the task is answered" if answer else "the call goes on without it"


async def after_messages(kind: Kind, _: Any) -> str:
    async with kind() as host:
        assert await host.after_messages() == "v3"
    assert any(PROMPT in prompt for prompt in host.parts.seen)
    return ""


async def cancelled(kind: Kind, _: Any) -> str:
    parts = Held()
    async with kind(parts) as host:
        call = asyncio.create_task(host.ask())
        await parts.begun.wait()
        await host.cancel(call)
        async with asyncio.timeout(60):
            while parts.in_flight or host.pipeline.runs_in_flight():
                await asyncio.sleep(0)
        await asyncio.wait({call})
        assert call.cancelled() or call.exception()
    return ""


async def failing(kind: Kind, _: Any) -> str:
    async with kind(Parts(fail=ComponentError("broken", component="critiquer"))) as host:
        if kind.keeps_draft:
            assert (await host.ask()).text == "v0"
            return "the draft is the answer"
        with pytest.raises(Exception, match="broken") as caught:
            await host.ask()
    return type(caught.value).__name__


async def twenty(kind: Kind, _: Any) -> str:
    async with kind() as host:

        async def caller(name: str) -> None:
            TENANT.set(name)
            await host.ask(name)

        await asyncio.gather(*(asyncio.create_task(caller(f"tenant {i}")) for i in range(20)))
    assert host.parts.seen == {f"tenant {i}": {f"tenant {i}"} for i in range(20)}
    return ""


async def graph(kind: Kind, _: Any) -> str:
    async with kind(make=partial(graphed, judges=kind.drafts)) as host:
        assert (await host.ask()).text == "v3"
    assert judged(host.parts) == VERSIONS
    return ""


Situation = Callable[[Kind, Any], Awaitable[str]]
SITUATIONS: dict[str, Situation] = {
    "a fresh run": fresh,
    "a person is asked": asked,
    "the approval nodes of a graph ask": graph_asks,
    "an answer that is none": badly,
    "an answer twice": twice,
    "continued without an answer": continued,
    "in parallel branches": parallel,
    "questions in parallel branches": parallel_questions,
    "a question kept in SQLite": stored,
    "a question kept in PostgreSQL": stored,
    "streamed": streamed,
    "typed": typed,
    "a tool call pending": pending,
    "after other messages": after_messages,
    "cancelled": cancelled,
    "a component fails": failing,
    "twenty at once": twenty,
    "a graph in place of a pipeline": graph,
}


def cells() -> dict[tuple[str, str], tuple[str, str]]:
    """Return the outcome that the page tells for each situation and framework: a word, and the text of its note."""
    text = PAGE.read_text()
    notes = dict(re.findall(r"^(\d+)\. (.*)$", text, re.MULTILINE))
    head, _, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"
    ]
    found = {}
    for name, *told in rows:
        for column, cell in zip(head[1:], told, strict=True):
            word, _, number = cell.partition(" ")
            found[name, column] = word, notes[number] if number else ""
    return found


@pytest.mark.parametrize("situation", SITUATIONS)
async def test_a_framework_does_in_a_situation_what_the_page_says(
    kind: Kind, situation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    database = "kept.db"
    if "PostgreSQL" in situation:
        database = request.getfixturevalue("postgres")
    try:
        outcome = "does", await SITUATIONS[situation](kind, database)
    except NoSuchThing as none:
        outcome = "none", str(none)
    except AssertionError:
        raise
    except Exception as error:
        told = re.sub(r"'[^']+'", "...", f"{type(error).__name__}: {error}".partition("\n")[0])
        outcome = "refuses", told
    assert outcome == cells()[situation, kind.column]
