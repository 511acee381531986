"""`jido run` and `jido graph`: output on standard output, progress on standard error, status by what is left."""

from __future__ import annotations

import io
import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from command_line import run_jido
from model_servers.stand_in import StandIn
from rich.console import Console

from jido_ai.cli.graph_view import GraphView, picture_of
from jido_ai.graph.events import NodeStarted, NodeStopped
from jido_ai.graph.results import NodeResult

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "graphs"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


def call(home: Path, *arguments: str, **environ: str) -> CompletedProcess[str]:
    """Call the command in an empty home directory."""
    return run_jido(home, home, *arguments, XDG_DATA_HOME=str(home / "data"), **environ)


def test_a_talk_is_run_offline_with_its_output_alone_on_stdout(home: Path) -> None:
    done = call(home, "run", str(EXAMPLES / "talk.toml"), "-i", "topic=supervision")
    assert (done.returncode, done.stdout) == (
        0,
        "Actors fail alone. Supervisors begin again. What was learned stays.\n",
    )
    assert "sections[2]: done, accepted" in done.stderr
    assert "completed: all nodes are done" in done.stderr


@pytest.mark.parametrize(("learn_from", "is_kept"), [("known", True), ("nothing", False)])
def test_the_loops_of_a_graph_learn_as_the_settings_say(learn_from: str, is_kept: bool, home: Path) -> None:
    call(home, "run", str(EXAMPLES / "talk.toml"), "-i", "topic=supervision", JIDO_LEARN_FROM=learn_from)
    listed = call(home, "memory", "list", "--json").stdout.splitlines()
    assert any(json.loads(line)["answer"] for line in listed) is is_kept


def test_a_translation_that_comes_back_different_takes_the_other_branch(home: Path) -> None:
    done = call(home, "run", str(EXAMPLES / "translation.toml"), "-i", "text=The cat sleeps on the roof.", "--json")
    told = json.loads(done.stdout)
    assert told["status"] == "completed"
    assert told["output"] == "Le chat dort sur le toit."
    assert told["nodes"]["keep"]["status"] == "skipped"
    assert done.returncode == 1  # the comparison was not good enough


FILES = {
    "g.toml": """
[graph]
inputs = ["topic"]
output = "draft"

[nodes.draft]
loop = "Write about {topic}"
model = "scripted:a.toml"
critics = ["rules:r.toml"]
max_iterations = 1

[nodes.proof]
check = "{draft}"
critics = ["rules:r.toml"]

[nodes.each]
map = "{draft.lines}"
  [nodes.each.each]
  loop = "Write about {item}"
  model = "scripted:a.toml"
  critics = ["rules:r.toml"]
  max_iterations = 1
""",
    "a.toml": '[[answers]]\nwhen = "Write"\ntext = "about 384,400"\n',
    "r.toml": """
[[rules]]
must_match = "exactly"
message = "is vague"
severity = 0.3

[[rules]]
must_match = "km"
message = "has no unit"
severity = 0.8
""",
}


def written(home: Path, **changes: str) -> None:
    for name, text in FILES.items():
        (home / name).write_text(changes.get(name[0], text))


def test_a_graph_that_is_completed_but_not_accepted_names_each_node_and_its_worst_finding(home: Path) -> None:
    written(home)
    done = call(home, "run", "g.toml", "-i", "topic=x")
    assert (done.returncode, done.stdout) == (1, "about 384,400\n"), done.stderr
    status, *left = [line for line in done.stderr.splitlines() if line.startswith(("completed", "left"))]
    assert status == "completed: all nodes have ended, but not all are good enough"
    assert [(line.split()[1], line.split(": ", 1)[1]) for line in left] == [
        ("draft:", "severity 0.80, max_iterations: has no unit (and 1 more)"),
        ("proof:", "severity 0.80: has no unit (and 1 more)"),
        ("each[0]:", "severity 0.80, max_iterations: has no unit (and 1 more)"),
    ]


def test_a_loop_whose_critic_fails_is_reported_with_its_unjudged_text(home: Path) -> None:
    written(home, g=FILES["g.toml"].replace('["rules:r.toml"]', '["model:scripted:a.toml"]', 1))
    done = call(home, "run", "g.toml", "-i", "topic=x")
    assert (done.returncode, done.stdout) == (1, "")
    assert "failed: there is no output" in done.stderr
    assert "left     draft: not judged, error: about 384,400" in done.stderr


def test_the_cost_of_a_run_is_in_the_ledger_of_its_memory(home: Path) -> None:
    with StandIn("") as server:
        graph = '[graph]\noutput = "x"\n[nodes.x]\nstep = "Say hello"\nmodel = "compatible:m"\n'
        (home / "hello.toml").write_text(graph)
        done = call(home, "run", "hello.toml", "--memory", "m.db", COMPATIBLE_BASE_URL=f"{server.url}/v1")
        assert (done.returncode, done.stdout) == (0, "well then\n"), done.stderr
    told = json.loads(call(home, "cost", "--by", "label", "--memory", "m.db", "--json").stdout)
    assert [(row["label"], row["calls"]) for row in told["rows"]] == [("run", 1)]


def test_a_waiting_approval_is_decided_later(home: Path) -> None:
    waits = call(home, "run", str(EXAMPLES / "approval.toml"), "-i", "guest=Ada")
    assert (waits.returncode, waits.stdout) == (1, "")
    assert "waiting  letter\n         Dear Ada, the house is finished. Come and see it on Sunday.\n" in waits.stderr
    run = waits.stderr.rpartition("--resume ")[2].split()[0]
    (home / "mine.txt").write_text("Dear Ada, come on Sunday.")
    done = call(home, "run", str(EXAMPLES / "approval.toml"), "--resume", run, "--decide", "@mine.txt")
    assert (done.returncode, done.stdout) == (0, "Dear Ada, come on Sunday.\n")
    again = call(home, "run", str(EXAMPLES / "approval.toml"), "--resume", run, "--decide", "yes")
    assert again.returncode == 2
    assert run in call(home, "runs", "list").stdout
    shown = call(home, "runs", "show", run).stdout
    assert "input  guest: Ada" in shown
    assert "stopped: completed" in shown


def test_a_waiting_run_of_a_graph_is_shown_and_resumed_by_its_id_alone(home: Path) -> None:
    waits = call(home, "run", str(EXAMPLES / "approval.toml"), "-i", "guest=Ada")
    run = waits.stderr.rpartition("--resume ")[2].split()[0]
    shown = call(home, "runs", "show", run).stdout
    assert "stopped: suspended" in shown
    assert shown.count(" Dear Ada, the house is finished. Come and see it on Sunday.\n") == 2  # and to decide on
    assert f"jido runs resume {run}" in shown
    assert f"jido runs show {run} --calls" in shown
    done = call(home, "runs", "resume", run, "--decide", "yes")
    assert (done.returncode, done.stdout) == (0, "Dear Ada, the house is finished. Come and see it on Sunday.\n")


def test_a_prefix_of_the_id_is_enough_to_show_and_resume_a_run(home: Path) -> None:
    call(home, "run", str(EXAMPLES / "approval.toml"), "-i", "guest=Ada")
    assert "stopped: suspended" in call(home, "runs", "show", "graph_").stdout
    done = call(home, "run", str(EXAMPLES / "approval.toml"), "--resume", "graph_", "--decide", "yes")
    assert (done.returncode, done.stdout) == (0, "Dear Ada, the house is finished. Come and see it on Sunday.\n")


@pytest.mark.slow
def test_a_change_of_a_program_is_tidied_and_judged_by_its_tests(home: Path) -> None:
    code = EXAMPLES / "pricing" / "prices.py"
    done = call(home, "run", str(EXAMPLES / "code_change.toml"), "-i", f"code=@{code}", "--out", "prices.py")
    assert "tests: done, score 1.00" in done.stderr, done.stderr
    written = (home / "prices.py").read_text()
    assert "import os" not in written
    assert "discount is None" in written
    assert "import os" in code.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "missing.toml"), "missing.toml: cannot be read: No such file or directory"),
        (("run", "TALK"), "the graph needs --input topic=..."),
        (("run", "TALK", "-i", "topik=a"), "did you mean 'topic'?"),
        (("run", "TALK", "-i", "topic=a", "-i", "topic=b"), "--input topic is given twice"),
        (("run", "TALK", "-i", "topic=@missing"), "missing: cannot be read"),
        (("run", "TALK", "--decide", "yes"), "--decide needs --resume RUN"),
        (("run", "TALK", "--resume", "r", "-i", "topic=a"), "omit --input"),
        (("run", "TALK", "--resume", "r", "--decide", "maybe"), "--decide must be yes, no or @FILE"),
        (("run", "TALK", "--resume", "unknown"), "no run 'unknown' in the journal"),
        (("graph", "draw", "TALK", "--as", "png"), "the form of a picture is text, mermaid, svg; got 'png'"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(arguments: tuple[str, ...], said: str, home: Path) -> None:
    done = call(home, *(str(EXAMPLES / "talk.toml") if one == "TALK" else one for one in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_live_view_shows_each_item_below_its_map_and_no_pending_nodes() -> None:
    view = GraphView(("outline", "sections", "talk"), io.StringIO())
    for path in ("outline", "sections", "sections[0]", "sections[1]"):
        view.show(NodeStarted("run", path=path))
    view.show(NodeStopped("run", NodeResult("sections[1]", "done", score=0.9), path="sections[1]"))
    assert [path for path, _ in view.in_order()] == ["outline", "sections", "sections[0]", "sections[1]", "talk"]
    screen = io.StringIO()
    Console(file=screen, width=80).print(picture_of(view))
    lines = screen.getvalue().splitlines()
    assert lines[-1].split() == ["talk"]
    assert lines[-2].split()[:3] == ["sections[1]", "done", "0.90"]


def test_check_lists_the_nodes_of_a_graph_and_the_available_models(home: Path) -> None:
    done = call(home, "graph", "check", str(EXAMPLES / "talk.toml"))
    assert done.returncode == 0
    assert "ok       3 nodes (1 loop, 1 map, 1 step); inputs: topic" in done.stdout
    assert "model    scripted:talk.answers.toml: answers from the file" in done.stdout
    graph = '[graph]\noutput = "x"\n[nodes.x]\nstep = "Say hello"\nmodel = "openai:gpt-4o-mini"\n'
    (home / "g.toml").write_text(graph)
    done = call(home, "graph", "check", "g.toml")
    assert done.returncode == 1
    assert "model    openai:gpt-4o-mini: cannot be asked: " in done.stdout


def test_draw_and_schema_print_output_for_pipes(home: Path) -> None:
    assert "map of loops <- outline.lines" in call(home, "graph", "draw", str(EXAMPLES / "talk.toml")).stdout
    assert call(home, "graph", "draw", str(EXAMPLES / "talk.toml"), "--as", "svg", "--out", "t.svg").returncode == 0
    assert (home / "t.svg").read_text().startswith("<svg")
    assert json.loads(call(home, "graph", "schema").stdout)["title"]


@pytest.mark.parametrize("place", ["missing/talk.txt", "."])
def test_an_output_file_that_cannot_be_is_refused_before_the_graph_runs(place: str, home: Path) -> None:
    done = call(home, "run", str(EXAMPLES / "talk.toml"), "-i", "topic=supervision", "--out", place)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"jido: --out {place}: ")


def test_a_picture_of_a_graph_that_cannot_be_written_is_one_line_and_status_2(home: Path) -> None:
    done = call(home, "graph", "draw", str(EXAMPLES / "talk.toml"), "--out", "missing/talk.svg")
    assert (done.returncode, done.stderr) == (
        2,
        "jido: missing/talk.svg: cannot be written: No such file or directory; name another --out\n",
    )
