"""`jido ask`: the answer on standard output, all else on standard error."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from model_servers.fault_server import FaultServer
from rich.console import Console
from typer.testing import CliRunner

from jido_ai.cli.app import app, main
from jido_ai.cli.ask import AskOptions, ask, question
from jido_ai.cli.decisions import decision_of
from jido_ai.cli.live import LiveView, picture_of
from jido_ai.config import GIVEN, Settings
from jido_ai.errors import AuthenticationError, ConfigurationError, JidoError
from jido_ai.loop.events import CandidateGenerated, Critiqued
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.record import RecordedRun
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.telemetry import TelemetryEvent
from jido_ai.testing import ScriptedModel
from jido_ai.text.wording import money, taken
from jido_ai.values import Candidate, Completion, CritiqueResult, Iteration, Usage


def critique(severity: float, *issues: str) -> str:
    return json.dumps({"issues": issues, "suggestions": [], "severity": severity, "feedback": ""})


def revision(text: str) -> str:
    return json.dumps({"improved_response": text, "changes_made": ["a"], "parts_preserved": []})


def run(*replies: Any, **options: Any) -> tuple[int, str, str, ScriptedModel]:
    model = ScriptedModel(replies)
    out, err = io.StringIO(), io.StringIO()
    status = ask(AskOptions(**{"text": "how far is the moon?", "model": model, **options}), out, err)
    return status, out.getvalue(), err.getvalue(), model


def test_the_answer_alone_goes_to_stdout_and_progress_and_cost_to_stderr() -> None:
    status, out, err, model = run("384,400", critique(0.6, "no unit"), "384,400 km", critique(0.1))
    assert (status, out) == (0, "384,400 km\n")
    assert "answer: iteration 1: severity 0.60, 1 open issue; 2 model calls" in err
    assert "answer: wrote a new draft, judging with scripted" in err
    assert "stopped  accepted after 2 iterations: the result is good enough" in err
    assert "severity 0.60 -> 0.10, judged by scripted" in err
    assert "took     4 model calls," in err
    assert len(model.requests) == 4


def test_remaining_issues_are_listed_with_status_1() -> None:
    status, out, err, _ = run("384", critique(0.9, "no unit"), max_iterations=1)
    assert (status, out) == (1, "384\n")
    assert "left     no unit" in err
    assert "iteration limit reached" in err


def test_an_answer_that_is_not_good_enough_names_the_scale_and_the_command_that_shows_why(tmp_path: Path) -> None:
    memory = tmp_path / "m.db"
    settings = Settings(memory=str(memory), origins={"memory": GIVEN})
    _, _, err, _ = run("384", critique(0.9, "no unit"), max_iterations=1, memory=memory, settings=settings)
    assert "severity 0.90 -> 0.90, judged by scripted; 0 is flawless, below 0.3 is good enough" in err
    shown = err.partition("why      ")[2].splitlines()[0]
    assert shown.startswith("jido runs show ask_") and shown.endswith(f"--memory {memory} --transcript")
    result = CliRunner().invoke(app, shown.split()[1:])
    assert "issue: no unit" in result.output, result.output


def test_an_accepted_answer_and_one_that_is_kept_nowhere_have_no_command_that_shows_why(tmp_path: Path) -> None:
    assert "why " not in run("384", critique(0.1), memory=tmp_path / "m.db")[2]
    assert "why " not in run("384", critique(0.9, "no unit"), max_iterations=1)[2]


def test_ask_says_how_many_examples_the_answer_was_made_with(tmp_path: Path) -> None:
    learning = {"learn_from": "accepted", "holdout": 0.0}
    settings = Settings(**learning, origins=dict.fromkeys(learning, GIVEN))
    asked: dict[str, Any] = {"memory": tmp_path / "m.db", "settings": settings}
    first = run("384,400 km", critique(0.1), as_json=True, **asked)
    assert json.loads(first[1])["examples_used"] == []
    _, _, err, model = run("150 million km", critique(0.1), text="how far is the sun?", **asked)
    assert "recalled 1 example: accepted answers of similar tasks" in err
    assert "384,400 km" in [message.content for message in model.requests[0].messages]
    settings = settings.model_copy(update={"holdout": 1.0})
    _, out, err, model = run(
        "far", critique(0.1), text="how far is the sea?", as_json=True, **{**asked, "settings": settings}
    )
    assert (json.loads(out)["examples_used"], json.loads(out)["held_out"]) == ([], True)
    assert "held out" in err


def test_one_json_document_with_an_unknown_cost_as_null() -> None:
    replies = [Completion(text, usage=Usage(1, 10, 5, unpriced_calls=1)) for text in ("384", critique(0.1))]
    status, out, err, _ = run(*replies, as_json=True)
    told = json.loads(out)
    assert status == 0
    assert (told["answer"], told["accepted"], told["severity"], told["left"]) == ("384", True, [0.1, 0.1], [])
    assert told["usage"] == {
        "calls": 2,
        "input_tokens": 20,
        "output_tokens": 10,
        "cost_usd": None,
        "unpriced_calls": 2,
        "input_tokens_cached": 0,
        "reasoning_tokens": 0,
    }
    assert "20 tokens in, 10 out, price unknown" in err


def test_with_approve_a_run_stops_at_each_revision_until_it_is_decided(tmp_path: Path) -> None:
    memory = tmp_path / "memory.db"
    status, out, err, _ = run(
        *("384", critique(0.9, "no unit"), revision("384 km")), memory=memory, approve=True, max_iterations=3
    )
    assert (status, out) == (1, "384\n")
    assert "suspended after 1 iteration: waiting for a decision" in err
    assert "+384 km" in err
    run_id = err.rpartition("jido runs resume ")[2].split()[0]
    status, out, err, model = resumed(
        run_id, memory, "@" + written(tmp_path, "384 Mm"), critique(0.5, "rounded"), revision("384.4 Mm")
    )
    assert (status, out) == (1, "384 Mm\n")
    assert "+384.4 Mm" in err
    assert len(model.requests) == 2
    status, out, err, _ = resumed(run_id, memory, "no")
    assert (status, out) == (1, "384 Mm\n")
    assert "declined" in err
    with pytest.raises(ConfigurationError, match="waits for no decision"):
        resumed(run_id, memory, "yes")


def written(tmp_path: Path, text: str) -> str:
    (tmp_path / "mine.txt").write_text(text)
    return str(tmp_path / "mine.txt")


def resumed(run_id: str, memory: Path, decide: str, *replies: Any) -> tuple[int, str, str, ScriptedModel]:
    """Resume a run as the command does, with a scripted model in the place of the one whose name it noted."""

    async def load() -> RecordedRun:
        async with ReflexionMemory(memory) as known:
            return await RunJournal(known).load(run_id)

    model = ScriptedModel(replies)
    out, err = io.StringIO(), io.StringIO()
    recorded = asyncio.run(load())
    decision = decision_of(decide)
    options = AskOptions(recorded.prompt, model, memory=memory, max_iterations=3, approve=True, decision=decision)
    return ask(options, out, err, recorded), out.getvalue(), err.getvalue(), model


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("maybe", "--decide must be yes, no or @FILE, got 'maybe'"),
        ("@", "--decide must be yes, no or @FILE, got '@'"),
        ("@missing.txt", "missing.txt: cannot be read: No such file or directory"),
        ("@blank.txt", "blank.txt: blank; a revision needs a text"),
        ("@binary.txt", "binary.txt: not UTF-8 text: invalid start byte"),
        ("@.", ".: cannot be read: Not a regular file"),
    ],
)
def test_a_wrong_decision_is_refused_before_anything_is_read(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "blank.txt").write_text(" \n")
    (tmp_path / "binary.txt").write_bytes(b"\xff")
    with pytest.raises(ConfigurationError) as refusal:
        decision_of(text)
    assert str(refusal.value) == message


def test_another_model_may_judge() -> None:
    judge = ScriptedModel([critique(0.0)], model="strict")
    status, out, err, writer = run("384 km", critic=judge)
    assert (status, out, len(judge.requests), len(writer.requests)) == (0, "384 km\n", 1, 1)
    assert "judged by strict" in err


def test_a_missing_answer_is_an_error_that_names_provider_and_model() -> None:
    refused = AuthenticationError("the key was refused; check X_KEY", provider="x", model="m", status=401)
    with pytest.raises(JidoError, match="x:m: the key was refused; check X_KEY"):
        run(refused)
    with pytest.raises(ConfigurationError, match="nothing to answer"):
        run(text=" ")


def test_an_answer_that_could_not_be_judged_is_printed_with_a_warning_and_status_1() -> None:
    status, out, err, _ = run("384", *["junk"] * 4)
    assert (status, out) == (1, "384\n")
    assert "warning  the answer was not judged; --critic NAME lets another model judge" in err
    assert "error    critiquer: scripted:scripted: neither the reply nor the one after it can be read" in err
    status, out, _, _ = run("384", *["junk"] * 4, as_json=True)
    assert status == 1
    told = json.loads(out)
    assert (told["answer"], told["judged"], told["severity"]) == ("384", False, None)


def test_a_dash_reads_the_question_from_standard_input() -> None:
    assert question("-", io.StringIO("how far\nis it?\n")) == "how far\nis it?\n"
    assert question("how far?", io.StringIO("unread")) == "how far?"
    for text, given in (("-", " \n"), (" ", ""), ("-", "x" * 1_000_001)):
        with pytest.raises(ConfigurationError):
            question(text, io.StringIO(given))


def test_a_reviser_that_fails_leaves_the_answer_and_says_so() -> None:
    judged = ("384", critique(0.9, "no unit"))
    status, out, err, _ = run(*judged, *judged, *[" "] * 6)  # after a draft that is the same again it revises
    assert (status, out) == (1, "384\n")
    assert "error    reviser: scripted:scripted: neither the reply nor the one after it can be read" in err


def test_control_characters_are_not_sent_to_a_terminal() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out, err = Terminal(), io.StringIO()
    replies = ["\x1b]0;owned\x07 km", critique(0.9, "\x1b[2Jgone")]
    ask(AskOptions("q", ScriptedModel(replies), max_iterations=1), out, err)
    assert "\x1b" not in out.getvalue() + err.getvalue()


def lines_of(screen: io.StringIO) -> list[str]:
    return [line.rstrip() for line in screen.getvalue().splitlines() if line.strip()]


@pytest.mark.parametrize("columns", [80, 60, 48])
def test_the_live_view_shows_progress_and_findings_at_any_width(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    view = LiveView({"answer": "judging with m"}, io.StringIO(), noun="", waiting="writing")
    screen = io.StringIO()
    console = Console(file=screen, width=columns)
    console.print(picture_of(view, console))
    assert "writing, 0 s" in screen.getvalue()
    critique = CritiqueResult(severity=0.7, issues=["no unit", "no source"])
    usage = Usage(2, 1_000, 234, cost_usd=0.0123)
    at = Iteration(1, Candidate("384"), critique, revised=False, change=0.1, gain=0.38, duration_s=1.0, usage=usage)
    view.show("answer", Critiqued("run", at))
    screen.seek(0)
    screen.truncate()
    console.print(picture_of(view, console))
    head, row = lines_of(screen)
    assert head.split() == ["judged", "severity", "open", "gain", "tokens", "cost"]
    assert row.split()[:7] == ["answer", "2", "0.70", "2", "+0.38", "1,234", "$0.0123"]
    if columns == 80:
        assert row.endswith("revising, 0 s")


def test_a_wait_for_a_model_is_a_note_in_the_live_view_until_something_happens() -> None:
    err = io.StringIO()
    view = LiveView({"answer": "judging with m"}, err, noun="", waiting="writing")
    facts = {"provider": "p", "model": "m\x1b[2J", "host": "box:80", "reason": "too many requests", "tries": 5}
    view.waits(TelemetryEvent("model.retried", {**facts, "retry": 1, "wait_s": 2.0}))
    assert err.getvalue() == "p:m\ufffd[2J at box:80: too many requests; waiting 2.0 s, try 2 of 5\n"
    assert view.last_note == err.getvalue().strip()
    view.waits(TelemetryEvent("model.gave_up", facts))
    view.show("answer", CandidateGenerated("run", Candidate("384")))
    assert view.last_note == ""
    view.note("running the tests")
    view.show("answer", CandidateGenerated("run", Candidate("384")))
    assert view.last_note == "running the tests"


def test_a_finished_run_is_reported_once(tmp_path: Path) -> None:
    _, _, err, _ = run("384", critique(0.0))
    assert err.count("accepted") == 1


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        (Usage(1, 1234, 5, 0.01), "1 model call, 1,234 tokens in, 5 out, $0.0100"),
        (
            Usage(2, 1, 1, 0.5, unpriced_calls=1),
            "2 model calls, 1 tokens in, 1 out, $0.5000 and 1 call of unknown price",
        ),
        (
            Usage(2, 1, 1, unpriced_calls=2),
            "2 model calls, 1 tokens in, 1 out, price unknown",
        ),
    ],
)
def test_an_unknown_price_is_shown_as_unknown(usage: Usage, words: str) -> None:
    assert taken(usage) == words
    assert words.endswith(money(usage))


# -- as a person at a keyboard meets it ------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "needs"),
    [
        ("openai:gpt-4o-mini", ["openai:gpt-4o-mini", "OPENAI_API_KEY"]),
        ("anthropic:claude", ["anthropic:claude", "ANTHROPIC_API_KEY"]),
        ("gpt-4o-mini", ["PROVIDER:NAME"]),
        ("nobody:gpt", ["unknown model provider 'nobody'", "openai"]),
        ("compatible:m@ftp://here", ["ftp://here"]),
    ],
)
def test_an_error_is_one_line_that_says_how_to_fix_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], model: str, needs: list[str]
) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    arguments = ["ask", "why?", "--model", model, "--memory", str(tmp_path / "m.db")]
    monkeypatch.setattr(sys, "argv", ["jido", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (2, "")
    (line,) = told.err.strip().splitlines()
    assert line.startswith("jido: ")
    assert all(word in line for word in needs), line


@pytest.mark.slow
def test_ctrl_c_ends_it_at_once_without_a_traceback(tmp_path: Path) -> None:
    with FaultServer() as server:
        name = f"compatible:hangs@{server.base_url()}"
        run = subprocess.Popen(
            [sys.executable, "-m", "jido_ai", "ask", "why?", "--model", name],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONWARNINGS": "error"},
        )
        with run:
            while not server.calls and run.poll() is None:
                time.sleep(0.01)
            run.send_signal(signal.SIGINT)
            out, err = run.communicate(timeout=40)
    assert (run.returncode, out) == (130, "")
    assert "interrupted: there is no answer yet\n" in err and "Traceback" not in err


@pytest.mark.slow
def test_an_unreachable_server_is_named_after_a_few_tries(tmp_path: Path) -> None:
    with socket.socket() as taken:  # bound, and not listening: nobody else gets the port, and nobody answers
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        run = subprocess.run(
            [sys.executable, "-m", "jido_ai", "ask", "why?", "--model", f"compatible:m@http://{address}/v1"],
            capture_output=True,
            text=True,
            timeout=150,
            env={"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONWARNINGS": "error"},
            check=False,
        )
    assert (run.returncode, run.stdout) == (2, "")
    *progress, last = run.stderr.strip().splitlines()
    assert [line.rpartition(", ")[2] for line in progress if "waiting" in line] == ["try 2 of 3", "try 3 of 3"], (
        run.stderr
    )
    assert last.startswith(f"jido: compatible:m at {address}: cannot reach http://{address}/v1")


SCHEMA = {"type": "object", "required": ["km"], "properties": {"km": {"type": "integer"}}}


def test_with_a_schema_the_answer_is_json_that_conforms_to_it() -> None:
    status, out, _, model = run('{"km": "far"}', '{"km": 384400}', critique(0.1), schema=SCHEMA)
    assert (status, json.loads(out)) == (0, {"km": 384400})
    assert model.requests[0].schema == SCHEMA


def test_an_answer_that_never_conforms_to_the_schema_is_printed_with_its_findings_and_status_1() -> None:
    status, out, err, _ = run("no idea", "no idea", "no idea", "none", "none", "none", "x", "x", schema=SCHEMA)
    assert (status, out.strip()) == (1, "no idea")
    assert "left     line 1: not JSON" in err


@pytest.mark.parametrize("content", [None, "{", '{"type": "nope"}', "[]", "3"])
def test_a_bad_schema_file_is_status_2_and_one_line(
    content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "schema.json"
    if content is not None:
        path.write_text(content)
    monkeypatch.setattr(sys, "argv", ["jido", "ask", "how far?", "--model", "openai:m", "--schema", str(path)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert str(path) in said
    assert said.count("\n") == 1
