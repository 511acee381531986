"""`jido init` writes a settings file that works, and names the next command."""

from __future__ import annotations

import io
import os
import shlex
import tomllib
from pathlib import Path

import pytest

from jido_ai.cli.app import app
from jido_ai.cli.init import Findings, find_out, init, next_command, settings_text
from jido_ai.config import Settings, from_toml, resolve_settings
from jido_ai.errors import ConfigurationError
from jido_ai.loop.settings import load_settings
from jido_ai.values import LoopConfig


def uncommented(text: str) -> str:
    """Return the file with every setting that it offers switched on."""
    lines = [line.removeprefix("# ") for line in text.splitlines()]
    return "\n".join(line for line in lines if "=" in line.partition("#")[0] or line.startswith("["))


def said_by_init(directory: Path, **options: str) -> str:
    out = io.StringIO()
    init(directory, out, **options)
    return out.getvalue()


def test_the_new_file_changes_no_setting(tmp_path: Path) -> None:
    said_by_init(tmp_path)
    assert load_settings(tmp_path, environ={}) == Settings()


def test_every_setting_that_the_file_offers_works_and_shows_its_default() -> None:
    offered = tomllib.loads(uncommented(settings_text(Findings())))
    layer = from_toml(uncommented(settings_text(Findings())), "jido.toml")
    assert layer is not None
    resolve_settings(layer)
    assert set(offered) - {"pipelines", "graphs"} == set(Settings.model_fields) - {"task", "origins"}
    defaults = Settings().model_dump(mode="json")
    examples = {"model", "critic", "memory", "retention_days", "monthly_budget_usd", "holdout"}
    examples |= {"loop", "prompts", "pipelines", "graphs", "providers", "prices", "python"}
    assert {key: value for key, value in offered.items() if key not in examples} == {
        key: defaults[key] for key in offered if key not in examples
    }
    loop = LoopConfig(**offered["loop"])
    assert loop == LoopConfig(max_iterations=loop.max_iterations)


def test_the_next_command_names_the_existing_packages_and_tests(tmp_path: Path) -> None:
    for name in ("shop/__init__.py", "my lib/__init__.py", "tests/__init__.py", "docs/__init__.py", "setup.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    said = said_by_init(tmp_path).splitlines()[-1]
    inside = f"cd {shlex.quote(str(tmp_path))} && "
    assert said == f"next: {inside}jido improve 'my lib' shop --tests tests    # shows a diff and writes nothing"


@pytest.mark.parametrize(
    ("names", "sources"),
    [
        (["src/deep/a.py"], ("src",)),
        (["src/a.c", "b.py"], ("b.py",)),
        (["README.md"], ("README.md",)),
        ([".hidden.py", "x.c"], ()),
        ([f"{n}.py" for n in range(9)], ("0.py", "1.py", "2.py", "3.py", "4.py")),
    ],
    ids=str,
)
def test_sources_are_packages_or_else_scripts_or_else_texts(
    tmp_path: Path, names: list[str], sources: tuple[str, ...]
) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert find_out(tmp_path, {}).sources == sources


def test_in_an_empty_project_the_demo_is_suggested() -> None:
    assert next_command(Findings()) == "jido demo"


def test_a_model_whose_key_is_set_is_offered_but_not_switched_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    said = said_by_init(tmp_path)
    text = (tmp_path / "jido.toml").read_text()
    assert "ANTHROPIC_API_KEY is set" in said
    assert '# model = "anthropic:claude-sonnet-4-5"' in text
    assert "sk-secret" not in said + text
    assert load_settings(tmp_path, environ={}).model is None


def test_a_model_that_is_given_is_switched_on(tmp_path: Path) -> None:
    said_by_init(tmp_path, model="ollama:llama3.2")
    assert load_settings(tmp_path, environ={}).model == "ollama:llama3.2"


@pytest.mark.parametrize("model", ["gpt", "compatible:m@http://elsewhere.example/v1"])
def test_a_model_not_allowed_in_a_file_is_refused_and_nothing_is_written(tmp_path: Path, model: str) -> None:
    with pytest.raises(ConfigurationError):
        said_by_init(tmp_path, model=model)
    assert not (tmp_path / "jido.toml").exists()


def test_existing_settings_are_refused_and_left_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "jido.toml"
    path.write_text("mode = 'full'\n")
    with pytest.raises(ConfigurationError, match="exists already; edit it, or remove it first"):
        said_by_init(tmp_path)
    assert path.read_text() == "mode = 'full'\n"
    path.unlink()
    path.symlink_to("nowhere")
    with pytest.raises(ConfigurationError, match="exists already"):
        said_by_init(tmp_path)
    path.unlink()
    (tmp_path / "pyproject.toml").write_text("[tool.jido]\nmode = 'full'\n")
    with pytest.raises(ConfigurationError, match=r"pyproject.toml: has \[tool.jido\] already"):
        said_by_init(tmp_path)
    assert not path.exists()


def test_settings_further_up_that_no_longer_apply_are_named(tmp_path: Path) -> None:
    (tmp_path / "jido.toml").write_text("mode = 'full'\n")
    (tmp_path / "part").mkdir()
    assert f"the settings in {tmp_path / 'jido.toml'} no longer apply here" in said_by_init(tmp_path / "part")


def test_a_missing_or_unwritable_directory_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no such directory"):
        said_by_init(tmp_path / "missing")
    if os.geteuid() == 0:  # root may write anywhere
        return
    tmp_path.chmod(0o500)
    with pytest.raises(ConfigurationError, match="cannot be written"):
        said_by_init(tmp_path)


def test_the_file_is_used_with_every_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        said_by_init(tmp_path, model="ollama:x")
    finally:
        os.umask(before)
    assert load_settings(tmp_path, environ={}).model == "ollama:x"


def test_the_command_writes_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").touch()
    app(["init"], standalone_mode=False)
    assert capsys.readouterr().out.splitlines()[-1] == "next: jido improve a.py    # shows a diff and writes nothing"
