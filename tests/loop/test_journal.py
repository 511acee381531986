"""The journal of runs: every step is written before the next begins, and finished steps are not repeated."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from scripted import PROMPT, Scripted, hang, raising

from jido_ai.errors import (
    ConfigurationError,
    NotFoundError,
    StoreDamagedError,
    StoreFullError,
    StoreVersionError,
)
from jido_ai.loop import calls as calls_module
from jido_ai.loop.calls import LoopParts, RunCalls, RunRequest
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.state import Resumed
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.spending import Spending
from jido_ai.values import Candidate, CritiqueResult, LoopConfig, MemoryEntry, ReflectionResult, Scope, Usage
from jido_ai.values.record import Record

SEVERITIES = (0.9, 0.7, 0.5, 0.1)
STEPS = ["generate", "critique 0", "revise 0", "critique 1", "revise 1", "critique 2", "revise 2", "critique 3"]
CONFIG = LoopConfig(max_iterations=4, timeout_s=600.0)
KILLED_RUNS = int(os.environ.get("JIDO_KILLED_RUNS", "6"))  # 40 for 200 kills


@pytest.fixture
async def memory() -> AsyncIterator[ReflexionMemory]:
    async with ReflexionMemory() as memory:
        yield memory


def piped(script: Any, memory: ReflexionMemory, **arguments: Any) -> Pipeline:
    return Pipeline(script, script, script, memory, arguments.pop("config", CONFIG), **arguments)


async def interrupted_at(step: str, memory: ReflexionMemory) -> Scripted:
    """Start a run and drop it in the middle of a step, as a dying process does."""
    reached = asyncio.Event()

    async def stop_here() -> None:
        reached.set()
        await hang()

    script = Scripted(*SEVERITIES, at={step: stop_here})
    pipeline = piped(script, memory)
    await pipeline.__aenter__()
    run = asyncio.ensure_future(pipeline.run(PROMPT, run_id="r"))
    await reached.wait()
    object.__setattr__(pipeline._runs._runs["r"].work._parts, "journal", Deaf())  # a dead process writes nothing more
    run.cancel()
    await asyncio.wait({run})
    await pipeline.__aexit__(None, None, None)
    return script


class Deaf:
    async def write(self, *lines: object, is_last: bool = False) -> None:
        pass


# -- resuming --------------------------------------------------------------------------------------


@pytest.mark.rows("J17")
@pytest.mark.parametrize("step", STEPS)
async def test_a_resumed_run_continues_after_its_last_finished_step(step: str, memory: ReflexionMemory) -> None:
    before = await interrupted_at(step, memory)
    script = Scripted(*SEVERITIES)
    script._judged["r"] = sum(call.startswith("critique") for call in before.calls[:-1])
    async with piped(script, memory) as pipeline:
        result = await pipeline.resume("r")
    assert before.calls[:-1] + script.calls == STEPS  # only the step in flight is repeated
    assert result.accepted
    assert [iteration.critique.severity for iteration in result.iterations] == list(SEVERITIES)
    assert [iteration.index for iteration in result.iterations] == [0, 1, 2, 3]
    assert [iteration.revised for iteration in result.iterations] == [True, True, True, False]


async def test_a_resumed_run_has_the_same_result_as_an_uninterrupted_one(memory: ReflexionMemory) -> None:
    async with piped(Scripted(*SEVERITIES), memory) as pipeline:
        whole = await pipeline.run(PROMPT, run_id="whole")
    await interrupted_at("revise 1", memory)
    script = Scripted(*SEVERITIES)
    script._judged["r"] = 2
    async with piped(script, memory) as pipeline:
        pieced = await pipeline.resume("r")

    def gist(result: ReflectionResult) -> list[Any]:
        steps = [(one.candidate.content, one.critique, one.change, one.gain, one.revised) for one in result.iterations]
        findings = [(one.issue.message, one.status, one.first_iteration) for one in result.findings]
        return [steps, findings, result.stop_reason, result.evidence, result.best_candidate.content]

    assert gist(pieced) == gist(whole)


async def test_a_finished_run_is_not_repeated(memory: ReflexionMemory) -> None:
    async with piped(Scripted(*SEVERITIES), memory) as pipeline:
        first = await pipeline.run(PROMPT, run_id="r")
    script = Scripted(*SEVERITIES)
    async with piped(script, memory) as pipeline:
        again = await pipeline.resume("r")
    assert script.calls == []
    assert again == first


@pytest.mark.parametrize("config", [LoopConfig(max_iterations=2), CONFIG.replace(stop_rules=())])
async def test_limits_end_a_run_for_good(config: LoopConfig, memory: ReflexionMemory) -> None:
    async with piped(Scripted(), memory, config=config.replace(max_iterations=2)) as pipeline:
        first = await pipeline.run(PROMPT, run_id="r")
        assert await pipeline.resume("r") == first


async def test_a_run_that_ended_with_an_error_can_be_resumed(memory: ReflexionMemory) -> None:
    broken = Scripted(*SEVERITIES, at={"revise 1": raising(RuntimeError("no"))})
    async with piped(broken, memory, config=CONFIG.replace(step_retries=0)) as pipeline:
        failed = await pipeline.run(PROMPT, run_id="r")
    assert failed.stop_reason == "error"
    script = Scripted(*SEVERITIES)
    script._judged["r"] = 2
    async with piped(script, memory) as pipeline:
        assert (await pipeline.resume("r")).accepted
    assert script.calls == STEPS[4:]


async def test_spending_before_the_resumption_counts(memory: ReflexionMemory) -> None:
    def critic(candidate: Candidate, context: object) -> CritiqueResult:
        return CritiqueResult(severity=0.9, metadata={"usage": Usage(calls=2)})

    parts = {"critiquer": critic, "reviser": lambda candidate, critique, context: candidate.content + "x"}
    config = LoopConfig(max_iterations=2, stop_rules=())
    async with Pipeline(lambda prompt, context: "a", memory=memory, config=config, **parts) as pipeline:
        assert (await pipeline.run(PROMPT, run_id="r")).usage.calls == 4
    assert (await RunJournal(memory).load("r")).spent.calls == 4


async def test_the_lessons_of_a_run_stay_the_same(memory: ReflexionMemory) -> None:
    await memory.store(MemoryEntry(PROMPT, "m", "c"))
    await interrupted_at("critique 1", memory)
    await memory.clear()
    script = Scripted(*SEVERITIES)
    script._judged["r"] = 1
    async with piped(script, memory) as pipeline:
        result = await pipeline.resume("r")
    assert [lesson.correction for lesson in result.lessons_used] == ["c"]
    assert [lesson.correction for lesson in script.contexts[0].lessons] == ["c"]


async def test_a_reused_run_id_starts_a_new_run(memory: ReflexionMemory) -> None:
    async with piped(Scripted(*SEVERITIES), memory) as pipeline:
        await pipeline.run(PROMPT, run_id="r")
        await pipeline.run("something else", run_id="r")
    assert (await RunJournal(memory).load("r")).prompt == "something else"


# -- what is refused -------------------------------------------------------------------------------


async def test_a_run_that_is_cancelled_before_its_first_step_is_in_its_journal(memory: ReflexionMemory) -> None:
    script = Scripted(*SEVERITIES)
    async with piped(script, memory) as pipeline:
        handle = await pipeline.start(PROMPT, run_id="r")
        await pipeline.cancel("r")
        result = await handle.result()
        assert result.stop_reason == "cancelled"
        assert (await pipeline.run_or_resume(PROMPT, run_id="r")).stop_reason == "cancelled"
        assert (await RunJournal(memory).load("r")).result() == result.replace(calls=())
    assert script.calls == []


async def test_a_run_that_is_cancelled_while_its_lessons_are_sought_is_in_its_journal(
    memory: ReflexionMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    sought = asyncio.Event()

    async def recall(*_: object, **__: object) -> None:
        sought.set()
        await hang()

    monkeypatch.setattr(memory, "recall", recall)
    script = Scripted(*SEVERITIES)
    async with piped(script, memory) as pipeline:
        run = asyncio.create_task(pipeline.run(PROMPT, run_id="r"))
        await sought.wait()
        await pipeline.cancel("r")
        assert (await run).stop_reason == "cancelled"
        assert (await pipeline.run_or_resume(PROMPT, run_id="r")).stop_reason == "cancelled"
    assert script.calls == []


async def test_an_unknown_run_is_not_found(memory: ReflexionMemory) -> None:
    async with piped(Scripted(), memory) as pipeline:
        with pytest.raises(NotFoundError, match="'nope'"):
            await pipeline.resume("nope")


async def test_without_a_memory_there_is_no_journal() -> None:
    with pytest.raises(ConfigurationError, match="memory"):
        Pipeline(critiquer=Scripted(), journal=True)
    async with Pipeline(critiquer=Scripted()) as pipeline:
        with pytest.raises(ConfigurationError, match="no journal"):
            await pipeline.resume("r")


async def test_a_run_with_a_masked_candidate_cannot_be_resumed(memory: ReflexionMemory) -> None:
    config = LoopConfig(max_iterations=1, timeout_s=600.0)
    secret = "key = 'sk-proj-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'"
    async with Pipeline(critiquer=raising_critic, memory=memory, config=config) as pipeline:
        await pipeline.run(PROMPT, secret, run_id="r")
        assert "sk-proj" not in repr(await memory.records("journal"))
        with pytest.raises(ConfigurationError, match="masked"):
            await pipeline.resume("r")


def raising_critic(candidate: Candidate, context: object) -> CritiqueResult:
    raise RuntimeError("no")


STOPPED = {
    "reason": "accepted", "evidence": {}, "error": None, "best": 0, "lessons_stored": [], "duration_s": 1.0,
    "reflections_skipped": 0,
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "data", "error"),
    [
        ("started", {}, StoreDamagedError),
        ("judged", {"slot": 0}, StoreDamagedError),
        ("started", {"version": 99}, StoreVersionError),
        ("stopped", {**STOPPED, "reason": "boredom"}, StoreDamagedError),
        ("stopped", {**STOPPED, "best": 9}, StoreDamagedError),
        ("stopped", {**STOPPED, "best": -1}, StoreDamagedError),
    ],
)
async def test_a_journal_that_cannot_be_read_is_named(
    kind: str, data: dict[str, Any], error: type[Exception], memory: ReflexionMemory
) -> None:
    async with piped(Scripted(*SEVERITIES), memory) as pipeline:
        await pipeline.run(PROMPT, run_id="r")
    await memory.append([Record(log="journal", key="r", kind="stopped", data=STOPPED)])
    assert (await RunJournal(memory).load("r")).stopped is not None
    await memory.append([Record(log="journal", key="r", kind=kind, data=data)])
    async with piped(Scripted(), memory) as pipeline:
        with pytest.raises(error, match="'r'"):
            await pipeline.resume("r")


async def test_two_scopes_may_have_a_run_of_one_id(memory: ReflexionMemory) -> None:
    async with piped(Scripted(*SEVERITIES), memory) as pipeline:
        await pipeline.run(PROMPT, run_id="r", scope=Scope("a"))
        await pipeline.run("other", run_id="r", scope=Scope("b"))
    journal = RunJournal(memory)
    with pytest.raises(NotFoundError, match="give one as scope"):
        await journal.load("r")
    assert (await journal.load("r", Scope("b"))).prompt == "other"
    await journal.forget("r", Scope("a"))
    assert (await journal.load("r")).prompt == "other"


# -- a journal that fails --------------------------------------------------------------------------


class Failing:
    """A journal that cannot write for a while."""

    def __init__(self, lines: Any, until: int) -> None:
        self.lines, self.left = lines, until

    async def write(self, *lines: Any, is_last: bool = False) -> None:
        self.left -= 1
        if self.left >= 0:
            raise StoreFullError("no space left")
        await self.lines.write(*lines)


@pytest.mark.parametrize("failures", [1, 5])
async def test_lines_that_could_not_be_written_are_written_later(
    failures: int, memory: ReflexionMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = RunJournal.lines
    monkeypatch.setattr(RunJournal, "lines", lambda *args: Failing(whole(*args), failures))
    async with piped(Scripted(*SEVERITIES), memory) as pipeline:
        result = await pipeline.run(PROMPT, run_id="r")
        assert result.accepted
        assert result.error is None
    assert (await RunJournal(memory).load("r")).result() == result


async def test_a_journal_that_fails_until_the_end_is_named_in_the_result(
    memory: ReflexionMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RunJournal, "lines", lambda *args: Failing(None, 1000))
    async with piped(Scripted(*SEVERITIES), memory) as pipeline:
        result = await pipeline.run(PROMPT)
    assert result.accepted
    assert (result.error.kind, result.error.component) == ("StoreFullError", "journal")


async def test_a_run_that_must_be_journaled_ends_when_it_cannot_be(
    memory: ReflexionMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RunJournal, "lines", lambda *args: Failing(None, 1000))
    script = Scripted(*SEVERITIES)
    async with piped(script, memory, journal=True) as pipeline:
        result = await pipeline.run(PROMPT)
    assert (result.stop_reason, result.error.component) == ("error", "journal")
    assert script.calls == []


async def test_without_a_journal_nothing_is_written(memory: ReflexionMemory) -> None:
    async with piped(Scripted(*SEVERITIES), memory, journal=False) as pipeline:
        await pipeline.run(PROMPT)
    assert await memory.records("journal") == []


# -- listing ---------------------------------------------------------------------------------------


async def test_runs_are_listed_by_their_last_line_newest_first(memory: ReflexionMemory) -> None:
    async with piped(Scripted(*SEVERITIES), memory) as pipeline:
        await pipeline.run("first", run_id="a")
    await interrupted_at("revise 0", memory)
    found = await RunJournal(memory).list()
    assert [(run.run_id, run.status, run.prompt) for run in found] == [
        ("r", "interrupted", PROMPT),
        ("a", "accepted", "first"),
    ]


# -- kill -9 ---------------------------------------------------------------------------------------

PROGRAM = """
import asyncio, json, os, signal, sys
from jido_ai import CritiqueResult, LoopConfig, Pipeline

folder, kills = sys.argv[1], json.loads(sys.argv[2])


def note(text):
    '''Write down what began or ended; die at the note of the number that was asked for.'''
    file = os.open(f"{folder}/notes", os.O_APPEND | os.O_CREAT | os.O_WRONLY)
    os.write(file, f"{text}\\n".encode())
    os.close(file)
    note.left -= 1
    if note.left == 0:
        os.kill(os.getpid(), signal.SIGKILL)


async def generate(prompt, context):
    note("began generate")
    note("ended generate")
    return "0"


async def critique(candidate, context):
    note(f"began critique {candidate.content}")
    note(f"ended critique {candidate.content}")
    return CritiqueResult(severity=1.0 - 0.25 * int(candidate.content), issues=[candidate.content])


async def revise(candidate, critique, context):
    note(f"began revise {candidate.content}")
    note(f"ended revise {candidate.content}")
    return str(int(candidate.content) + 1)


async def main(run_id, store):
    config = LoopConfig(max_iterations=3, stop_rules=())
    async with Pipeline(generate, critique, revise, f"{folder}/{store}", config, journal=True) as pipeline:
        known = [one.key for one in await pipeline.memory.summaries("journal")]
        result = await (pipeline.resume(run_id) if run_id in known else pipeline.run("p", run_id=run_id))
    print(run_id, result.stop_reason.value, [one.critique.score for one in result.iterations], flush=True)


note.left = 0
asyncio.run(main("warm up", "other.db"))  # so that children need not import
os.unlink(f"{folder}/notes")
for number, kill_at in enumerate(kills):  # every run has its own id; one that was killed is gone on with by the next
    run_id = f"r{sum(kill == 0 for kill in kills[:number])}"
    child = os.fork()
    if child == 0:
        note.left = kill_at
        note(f"start {run_id}")
        asyncio.run(main(run_id, "runs.db"))
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == (-signal.SIGKILL if kill_at else 0), (run_id, kill_at, status)
"""
STEPS_OF_SIX = ["generate", "critique 0", "revise 0", "critique 1", "revise 1", "critique 2"]


def runs_with_kills(folder: Path, runs: Sequence[Sequence[int]]) -> tuple[list[list[str]], list[str]]:
    """Do one run per list of kill points, each in a new process that dies there; return notes and answers."""
    (folder / "program.py").write_text(PROGRAM)
    kills = [kill_at + 1 if kill_at else 0 for run in runs for kill_at in (*run, 0)]  # "start" is a note, too
    command = [sys.executable, str(folder / "program.py"), str(folder), json.dumps(kills)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30 + 5 * len(kills))
    assert done.returncode == 0, done.stderr
    notes: dict[str, list[str]] = {}
    run_id = ""
    for line in (folder / "notes").read_text().splitlines():
        if line.startswith("start "):
            run_id = line.removeprefix("start ")
        notes.setdefault(run_id, []).append(line)
    return list(notes.values()), done.stdout.splitlines()[1:]


def assert_nothing_was_done_twice(notes: Sequence[str], kills: int) -> None:
    begun = [note.removeprefix("began ") for note in notes if note.startswith("began")]
    ended = [note.removeprefix("ended ") for note in notes if note.startswith("ended")]
    assert list(dict.fromkeys(begun)) == STEPS_OF_SIX
    assert len(begun) <= len(STEPS_OF_SIX) + kills  # only the step in flight is repeated, at most once per kill
    for step in STEPS_OF_SIX:
        assert ended.count(step) >= 1


@pytest.mark.slow
def test_a_run_killed_at_any_step_can_be_resumed(tmp_path: Path) -> None:
    runs = [[kill_at] for kill_at in range(1, 13)]
    notes, answers = runs_with_kills(tmp_path, runs)
    assert answers == [f"r{number} max_iterations [0.0, 0.25, 0.5]" for number in range(len(runs))]
    for of_one in notes:
        assert_nothing_was_done_twice(of_one, 1)


@pytest.mark.slow
def test_kills_at_random_lose_no_finished_step(tmp_path: Path) -> None:
    dice = random.Random(7)
    runs = [[dice.randint(1, 3) for _ in range(5)] for _ in range(KILLED_RUNS)]
    notes, answers = runs_with_kills(tmp_path, runs)
    assert answers == [f"r{number} max_iterations [0.0, 0.25, 0.5]" for number in range(len(runs))]
    for of_one in notes:
        assert_nothing_was_done_twice(of_one, 5)


# -- odd answers of components ----------------------------------------------------------------------


async def test_metadata_that_is_not_json_harms_neither_the_run_nor_its_journal(memory: ReflexionMemory) -> None:
    odd = {"object": object(), "nan": float("nan"), "set": {1}, "bytes": b"x"}

    def critic(candidate: Candidate, context: object) -> CritiqueResult:
        return CritiqueResult(severity=0.0, metadata=odd)

    async with Pipeline(critiquer=critic, memory=memory) as pipeline:
        result = await pipeline.run(PROMPT, Candidate("text", metadata=odd), run_id="r", metadata=odd)
    assert result.accepted
    assert result.error is None
    recorded = (await RunJournal(memory).load("r")).iterations[0]
    assert recorded.critique.metadata["nan"] is None
    assert recorded.candidate.content == "text"


async def test_a_candidate_of_ten_megabytes_is_journaled(memory: ReflexionMemory) -> None:
    def critic(candidate: Candidate, context: object) -> CritiqueResult:
        return CritiqueResult(severity=0.0)

    async with Pipeline(critiquer=critic, memory=memory) as pipeline:
        result = await pipeline.run(PROMPT, "x" * 10_000_000, run_id="r")
    assert result.error is None
    assert (await RunJournal(memory).load("r")).iterations[0].candidate.content == "x" * 10_000_000


async def test_without_a_journal_no_line_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    parts: Any = LoopParts(None, None, None, None, CONFIG, ())  # pyright: ignore[reportArgumentType] - nobody is asked
    calls = RunCalls(RunRequest("r", PROMPT), parts, lambda event: None, Spending())
    monkeypatch.setattr(calls_module, "line_of", None)
    assert await calls.write(Resumed()) is None
