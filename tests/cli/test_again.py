"""Commands that are printed work as they are printed."""

from __future__ import annotations

import shlex
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from command_line import run_jido

from jido_ai.cli.again import command

APPROVAL = """
[graph]
inputs = ["topic"]
output = "letter"
[nodes.letter]
approval = "a letter about {topic}"
"""
TWO = (
    APPROVAL.replace('output = "letter"', 'output = "last"').replace("nodes.letter", "nodes.one")
    + """
[nodes.two]
approval = "another about {topic}"
[nodes.last]
approval = "{one} {two}"
"""
)


def jido(directory: Path, *arguments: str) -> CompletedProcess[str]:
    return run_jido(directory, directory, *arguments, XDG_DATA_HOME=str(directory / "data"))


def printed(text: str, label: str) -> list[str]:
    """Return the words of the command that a report names."""
    (line,) = [line for line in text.splitlines() if line.startswith(label)]
    return shlex.split(line.removeprefix(label).replace("|", "\\|"))


def decided(words: list[str]) -> list[str]:
    return [word.replace("yes|no|@FILE", "yes") for word in words]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "my graph.toml").write_text(APPROVAL)
    (tmp_path / "two.toml").write_text(TWO)
    return tmp_path


@pytest.mark.parametrize("memory", ["approval.db", "a memory.db"])
def test_the_command_that_decides_a_node_runs_as_it_is_printed(home: Path, memory: str) -> None:
    waits = jido(home, "run", "my graph.toml", "-i", "topic=bees", "--memory", memory)
    words = decided(printed(waits.stderr, "decide "))
    assert words[words.index("--memory") + 1] == memory
    done = jido(home, *words[1:])
    assert (done.returncode, done.stdout) == (0, "a letter about bees\n"), done.stderr


def test_the_command_that_decides_several_nodes_names_each(home: Path) -> None:
    waits = jido(home, "run", "two.toml", "-i", "topic=bees", "--memory", "m.db")
    words = decided(printed(waits.stderr, "decide "))
    assert words[-4:] == ["--decide", "one=yes", "--decide", "two=yes"]
    assert "waiting  last" in jido(home, *words[1:]).stderr


def test_a_waiting_run_is_shown_with_the_command_that_decides_it_from_any_directory(home: Path) -> None:
    jido(home, "run", "my graph.toml", "-i", "topic=bees", "--memory", "m.db")
    (home / "below").mkdir()
    shown = jido(home / "below", "runs", "show", "graph_", "--memory", "../m.db").stdout
    words = decided(printed(shown, "resume it with: "))
    assert words[1:3] == ["runs", "resume"]
    done = jido(home / "below", *words[1:])
    assert (done.returncode, done.stdout) == (0, "a letter about bees\n"), done.stderr


def test_a_command_is_quoted_for_the_shell_and_shows_no_password() -> None:
    made = command("run", "my graph.toml", resume="r", memory="postgresql://me:hunter2@db/x", trust=True, model=None)
    assert shlex.split(made)[:5] == ["jido", "run", "my graph.toml", "--resume", "r"]
    assert made.endswith("--trust")
    assert "hunter2" not in made


@pytest.mark.parametrize("memory", [(), ("--memory", "m.db")])
def test_a_list_of_runs_has_scopes_and_says_that_it_is_cut(home: Path, memory: tuple[str, ...]) -> None:
    for topic in "abc":
        jido(home, "run", "my graph.toml", "-i", f"topic={topic}", *memory)
    cut = jido(home, "runs", "list", "--limit", "2", *memory).stdout
    assert "default/default" in cut
    more = cut.splitlines()[-1]
    assert more.startswith("the 2 most recently active; more: jido runs list --limit 20")
    everything = jido(home, *shlex.split(more.partition("more: ")[2])[1:]).stdout
    assert len(everything.splitlines()) == 4
    assert "most recently active" not in everything


def test_the_tree_is_that_of_an_example_and_says_how_to_see_a_server(home: Path) -> None:
    assert jido(home, "tree").stdout.splitlines()[0].startswith("an example; of a running server: jido tree --url ")


@pytest.mark.parametrize(
    ("url", "says"), [("ftp://127.0.0.1", "takes the address"), ("http://127.0.0.1:1", "no `jido serve` answers at")]
)
def test_a_server_that_has_no_tree_is_reported_in_one_line(home: Path, url: str, says: str) -> None:
    done = jido(home, "tree", "--url", url)
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_doctor_names_each_extra_once(home: Path) -> None:
    lines = jido(home, "doctor").stdout.splitlines()
    extras = [line.split()[1] for line in lines if line.startswith("extra ")]
    assert extras == ["dbos", "improve", "mcp", "otel", "postgres", "prices", "semantic", "serve"]
