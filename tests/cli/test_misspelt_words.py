"""A misspelt option, command, setting, key or field is told with the nearest one, wherever it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from jido_ai.argument_hints import nearest
from jido_ai.cli.app import app
from jido_ai.config import from_toml, resolve_settings
from jido_ai.errors import ConfigurationError


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["asc", "x"], "No such command 'asc'; did you mean 'ask'?"),
        (["ask", "x", "--critiquer", "m"], "(Possible options: --critic)"),
        (["ask", "x", "--judge", "m"], "did you mean '--critic'?"),
        (["ask", "x", "--max-iteration", "2"], "--max-iterations)"),
    ],
)
def test_a_misspelt_command_or_option_gets_the_nearest_one(words: list[str], hint: str) -> None:
    done = CliRunner().invoke(app, words)
    assert isinstance(done.exception, ConfigurationError)
    assert hint in str(done.exception)


@pytest.mark.parametrize(
    ("setting", "hint"),
    [
        ("critiquer", "did you mean 'critic'?"),
        ("judge", "did you mean 'critic'?"),
        ("severity_treshold", "did you mean 'severity_threshold'? It is in [loop]"),
        ("max_iteration", "did you mean 'max_iterations'? It is in [loop]"),
    ],
)
def test_a_misspelt_setting_gets_the_nearest_one_and_its_table(setting: str, hint: str) -> None:
    layer = from_toml(f"{setting} = 1", "jido.toml")
    assert layer is not None
    with pytest.raises(ConfigurationError) as told:
        resolve_settings(layer)
    assert str(told.value) == f"jido.toml: unknown setting '{setting}'; {hint}"


@pytest.mark.parametrize("word", ["critic", "critics", "critiquer", "judge", "judges"])
@pytest.mark.parametrize("known", ["critiquer", "critics", "--critic"])
def test_each_word_for_a_critic_leads_to_the_one_that_is_known(word: str, known: str) -> None:
    assert nearest(word, ["criteria", known]) == f"did you mean {known!r}?"


def test_a_misspelt_key_of_a_loop_in_a_graph_file_gets_the_nearest_one(tmp_path: Path) -> None:
    file = tmp_path / "g.toml"
    file.write_text('[graph]\noutput = "a"\n[nodes.a]\nloop = "x"\nmodel = "openai:x"\njudges = ["model:openai:x"]\n')
    done = CliRunner().invoke(app, ["graph", "check", str(file)])
    assert "nodes.a.judges: a loop has no such key; did you mean 'critics'?" in str(done.exception)
