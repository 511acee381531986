"""`jido worker` and `jido submit` as they are typed, with real processes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("dbos", reason="dbos is not installed: make test-integrations")

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "graphs"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home directory whose jido.toml names the graph of a talk."""
    for name in ("talk.toml", "talk.answers.toml", "outline.rules.toml"):
        shutil.copy(EXAMPLES / name, tmp_path)
    (tmp_path / "jido.toml").write_text('[graphs.talk]\nfile = "talk.toml"\n')
    return tmp_path


def environment(home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_DATA_HOME": str(home / "data")}


def call(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "jido_ai", *arguments], capture_output=True, text=True, cwd=home,
        env=environment(home), timeout=150, check=False,
    )  # fmt: skip


@contextmanager
def started(home: Path, store: str) -> Iterator[subprocess.Popen[str]]:
    """Run a worker until the block is left; it takes runs when the block begins."""
    command = [sys.executable, "-m", "jido_ai", "worker", "--store", store, "--queue", "work", "--dead-after", "1"]
    worker = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=home, env=environment(home))
    try:
        assert worker.stderr is not None
        first = worker.stderr.readline()
        assert "takes runs of queue work (talk)" in first, first
        yield worker
    finally:
        worker.kill()
        worker.communicate(timeout=20)


def test_a_submitted_graph_prints_its_output_alone_on_stdout(home: Path, postgres: str) -> None:
    with started(home, postgres) as worker:
        queue = ("--store", postgres, "--queue", "work")
        done = call(home, "submit", *queue, "--wait", "30", "--run-id", "mine", "talk", "supervision")
        assert (done.returncode, done.stdout) == (
            0,
            "Actors fail alone. Supervisors begin again. What was learned stays.\n\n",
        )
        assert done.stderr == "run mine: completed\n"
        again = call(home, "submit", *queue, "--run-id", "mine", "talk", "supervision")
        assert (again.returncode, again.stdout) == (0, "mine\n")
        other = call(home, "submit", *queue, "--run-id", "mine", "talk", "dates")
        assert (other.returncode, other.stdout) == (2, "")
        assert "asks for something else" in other.stderr
        wrong = call(home, "submit", *queue, "tolk", "supervision")
        assert wrong.returncode == 2
        assert wrong.stderr == "jido: no worker of queue 'work' knows 'tolk'; did you mean 'talk'?\n"
        told = call(home, "doctor", "--memory", postgres).stdout
        assert "queue work            0 waiting, 0 running, 1 workers" in told
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(30) == 0
        assert worker.stderr is not None
        assert "draining: 0 runs in flight" in worker.stderr.readline()


def test_a_run_that_takes_longer_than_the_wait_continues(home: Path, tmp_path: Path) -> None:
    store = str(tmp_path / "runs.db")
    submit = ("submit", "--store", store, "--queue", "work", "--run-id", "r", "talk", "dates", "--wait")
    waits = call(home, *submit, "0")
    assert (waits.returncode, waits.stdout) == (1, "")
    assert waits.stderr == "jido submit: run r is still queued after 0 s, and was not cancelled\n"
    with started(home, store):
        done = call(
            home, "submit", "--store", store, "--queue", "work", "--wait", "30", "--run-id", "r", "talk", "dates"
        )
        assert (done.returncode, done.stderr) == (0, "run r: completed\n")


def test_a_completed_graph_that_is_not_good_enough_names_the_node_and_its_finding(home: Path, tmp_path: Path) -> None:
    rules = (home / "outline.rules.toml").read_text()
    (home / "outline.rules.toml").write_text(
        f'{rules}\n[[rules]]\nmust_match = "zebra"\nmessage = "there is no zebra"\n'
    )
    queue = ("--store", str(tmp_path / "runs.db"), "--queue", "work", "--run-id", "r")
    with started(home, queue[1]):
        done = call(home, "submit", *queue, "--wait", "30", "talk", "dates")
    told = done.stderr.splitlines()
    assert (done.returncode, told[0]) == (1, "run r: completed: all nodes have ended, but not all are good enough")
    assert told[1].startswith("left     outline: severity ") and "there is no zebra" in told[1]


def test_a_run_that_waits_for_a_person_is_decided_with_submit(home: Path, tmp_path: Path) -> None:
    for path in (*EXAMPLES.glob("approval*"), EXAMPLES / "letter.rules.toml"):
        shutil.copy(path, home)
    (home / "jido.toml").write_text('[graphs.talk]\nfile = "approval.toml"\n')
    queue = ("--store", str(tmp_path / "runs.db"), "--queue", "work", "--run-id", "r")
    with started(home, queue[1]):
        asked = call(home, "submit", *queue, "--wait", "30", "talk", "dates")
        assert asked.returncode == 1
        assert asked.stderr.endswith(f"decide   jido submit {' '.join(queue)} --decide yes|no|@FILE\n")
        done = call(home, "submit", *queue, "--decide", "yes", "--wait", "30")
        assert (done.returncode, done.stderr) == (0, "run r: completed\n")
        late = call(home, "submit", *queue, "--decide", "yes")
        assert (late.returncode, late.stderr) == (
            2,
            "jido: run 'r' waits for no decision (it is completed); nothing was changed\n",
        )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("submit", "--store", "r.db", "--queue", "q"), "jido: give the NAME of a pipeline or graph, or --run-id and"),
        (("submit", "--store", "r.db", "--queue", "q", "--decide", "yes"), "jido: --decide needs --run-id of the run"),
        (("submit", "--store", "r.db", "--queue", "q", "--decide", "7"), "jido: --decide must be yes, no or @FILE"),
        (
            ("submit", "--queue", "q", "talk", "x"),
            "jido: jido submit needs --store, with the value given to `jido worker`",
        ),
        (("submit", "--store", "r.db", "--queue", "q", "talk"), "jido: give a PROMPT or --input NAME=TEXT"),
        (("submit", "--store", "r.db", "--queue", "q", "-i", "x", "talk"), "jido: --input must be NAME=TEXT"),
        (("submit", "--store", "mysql://h/d", "--queue", "q", "talk", "x"), "jido: store must be postgresql://..."),
        (("submit", "--store", "r.db", "--queue", "a b", "talk", "x"), "jido: queue must be"),
        (("worker", "--store", "postgresql://u:secret@127.0.0.1:1/d", "--queue", "q"), "jido: cannot reach postgresql"),
        (("worker", "--store", "r.db", "--queue", "_dbos_x"), "jido: queue must be"),
        (("worker", "--queue", "q"), "jido: Missing option '--store'"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(home: Path, arguments: tuple[str, ...], says: str) -> None:
    done = call(home, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(says)
    assert done.stderr.count("\n") == 1
    assert "secret" not in done.stderr


def test_a_worker_without_pipelines_and_graphs_is_refused(tmp_path: Path) -> None:
    done = call(tmp_path, "worker", "--store", "r.db", "--queue", "q")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("jido: nothing to carry out: add [pipelines.NAME] or [graphs.NAME]")
