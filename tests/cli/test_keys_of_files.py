"""Where keys go is chosen by the user, not by a stranger's file: the table of docs/explanation/security.md."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from command_line import run_jido

from jido_ai import Graph
from jido_ai.config import Provider
from jido_ai.errors import ConfigurationError
from jido_ai.loop.settings import load_settings

PAGE = Path(__file__).parent.parent.parent / "docs" / "explanation" / "security.md"
HERE, THERE = "openai:m@http://127.0.0.1:9/v1", "compatible:m@http://elsewhere.example/v1"
PROVIDERS = '[providers.mine]\nbase_url = "http://127.0.0.1:9"\napi_key_env = "SOME_VARIABLE"\n'
GRAPH = '[graph]\noutput = "x"\n[nodes.x]\nprompt = "hi"\n'


def cells() -> list[tuple[str, int, str]]:
    rows = PAGE.read_text().partition("| who chooses |")[2].partition("\n\n")[0].splitlines()[2:]
    split = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return [(row[0], column, said) for row in split for column, said in enumerate(row[1:]) if said != "-"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = tmp_path / "home" / "project"
    project.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "config"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-user")
    monkeypatch.delenv("JIDO_TRUSTED", raising=False)
    return project


def choose(who: str, column: int, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = HERE if column == 0 else THERE
    text = PROVIDERS if column == 1 else f'model = "{model}"\n'
    if who.startswith("graph file"):
        (project / "g.toml").write_text(f"{GRAPH}{text}")
        Graph.from_toml(project / "g.toml", trust="--trust" in who)
    elif who.startswith("option"):
        mine = {"mine": Provider(base_url="http://127.0.0.1:9", api_key_env="SOME_VARIABLE")}
        load_settings(project, environ={}, **({"providers": mine} if column == 1 else {"model": model}))
    elif "variable" in who:
        load_settings(project, environ={"JIDO_MODEL": model})
    else:
        (project.parent if "home" in who else project).joinpath("jido.toml").write_text(text)
        if "trusted" in who:
            monkeypatch.setenv("JIDO_TRUSTED", str(project))
        load_settings(project, environ={})


def test_the_table_has_a_cell_for_each_who_and_what() -> None:
    assert len(cells()) == 18


@pytest.mark.parametrize(("who", "column", "said"), cells())
def test_the_table_of_who_may_choose_what_holds(
    who: str, column: int, said: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if said == "yes":
        choose(who, column, project, monkeypatch)
        return
    assert said == "no"
    with pytest.raises(ConfigurationError, match=r"on another machine|on this machine|--trust"):
        choose(who, column, project, monkeypatch)


@pytest.mark.parametrize("setting", ["model", "critic"])
@pytest.mark.parametrize("provider", ["openai", "anthropic", "compatible", "ollama"])
def test_no_built_in_key_follows_an_address_of_a_project(
    provider: str, setting: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{provider.upper()}_API_KEY", "a-key-of-the-user")
    name = f"{provider}:m@http://127.0.0.1:9/v1"
    (project / "jido.toml").write_text(f'{setting} = "{name}"\n')
    with pytest.raises(ConfigurationError, match=rf"jido\.toml: {setting}: .* key of {provider} goes.*--trust"):
        load_settings(project)
    assert getattr(load_settings(project, **{setting: name}), setting) == name
    (project / "g.toml").write_text(f'{GRAPH.replace("x", "y")}model = "{name}"\n')
    with pytest.raises(ConfigurationError, match=rf"nodes\.y\.model: .* key of {provider} goes.*--trust"):
        Graph.from_toml(project / "g.toml")


@pytest.fixture
def listener() -> Iterator[tuple[int, list[str]]]:
    """Give the port of a server of somebody else on this machine, and the heads and bodies that it was sent."""
    heard: list[str] = []

    class Ear(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            heard.append(f"{self.path}\n{self.headers}\n{body!r}")
            self.send_error(418)

        do_GET = do_POST

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Ear) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port, heard
        server.shutdown()
        thread.join()


KEY_NAMES = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "COMPATIBLE_API_KEY", "OLLAMA_API_KEY", "SOME_VARIABLE")
CHOICES = (
    *(f'{setting} = "{kind}:m@{{place}}"' for setting in ("model", "critic") for kind in ("openai", "anthropic")),
    *(f'model = "{kind}:m@{{place}}"' for kind in ("compatible", "ollama")),
    *(
        f'model = "mine:m"\n[providers.mine]\nkind = "{kind}"\nbase_url = "{{place}}"\napi_key_env = "SOME_VARIABLE"'
        for kind in ("openai", "compatible")
    ),
    'model = "mine:m"\n[providers.mine]\nkind = "openai"\nbase_url = "{place}"',
)


@pytest.mark.parametrize("choice", CHOICES)
def test_no_key_of_the_user_arrives_at_an_address_that_a_file_chose(
    choice: str, project: Path, listener: tuple[int, list[str]]
) -> None:
    port, heard = listener
    keys = {name: f"sk-of-the-user-{name.lower()}" for name in KEY_NAMES}
    text = choice.format(place=f"http://127.0.0.1:{port}/v1")
    (project / "jido.toml").write_text(text)
    (project / "g.toml").write_text(f"{GRAPH}{text.partition('[')[0]}")
    (project / "m.py").write_text("import os\n")
    commands = (("ask", "Write."), ("improve", "m.py"), ("graph", "run", "g.toml"), ("doctor",))
    for command in commands:
        run_jido(project.parent, project, *command, **keys)
    assert not [one for one in heard if "sk-of-the-user" in one]


def test_a_key_arrives_where_the_user_trusts_the_project(project: Path, listener: tuple[int, list[str]]) -> None:
    port, heard = listener
    (project / "jido.toml").write_text(f'model = "openai:m@http://127.0.0.1:{port}/v1"\n')
    run_jido(project.parent, project, "ask", "Write.", OPENAI_API_KEY="sk-of-the-user", JIDO_TRUSTED=str(project))
    assert [one for one in heard if "Bearer sk-of-the-user" in one]


def test_a_server_that_gets_no_key_needs_no_trust(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPATIBLE_API_KEY", raising=False)
    name = "compatible:m@http://127.0.0.1:9/v1"
    (project / "jido.toml").write_text(f'model = "{name}"\n')
    assert load_settings(project).model == name
