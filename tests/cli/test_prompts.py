"""`jido prompts`, and [prompts] in a settings file."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jido_ai.cli.app import main
from jido_ai.cli.prompts import export_prompts, show_prompts
from jido_ai.errors import ConfigurationError
from jido_ai.loop.settings import load_settings
from jido_ai.models.own_prompts import prompts_in_use, read_prompts, use_prompts
from jido_ai.models.prompts.catalogue import PROMPTS, read_prompt

OWN = "You are strict.\n---\n$prompt\n\nJudge:\n$candidate"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Work in an empty directory, and forget the prompts afterwards."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    yield work
    use_prompts(None)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def shown(name: str | None = None) -> str:
    out = io.StringIO()
    show_prompts(name, out)
    return out.getvalue()


def exported(directory: str | Path) -> str:
    out = io.StringIO()
    export_prompts(Path(directory), out)
    return out.getvalue()


def settings_in(told: str) -> str:
    """Return the settings that `jido prompts export` says to write."""
    return told[told.index("[prompts]") :]


# -- show ------------------------------------------------------------------------------------------


def test_without_a_name_there_is_a_line_for_each_prompt() -> None:
    lines = shown().splitlines()
    assert [line.split()[0] for line in lines[: len(PROMPTS)]] == list(PROMPTS)
    assert all(line.endswith(prompt.about) for line, prompt in zip(lines, PROMPTS.values(), strict=False))


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_is_shown_as_it_is_sent_with_its_fields_and_the_fixed_parts(name: str) -> None:
    comments, _, text = shown(name).partition("\n\n")
    assert all(line.startswith("#") for line in comments.splitlines())
    assert [line.split()[1].rstrip(":") for line in comments.splitlines() if line.startswith("# $")] == [
        f"${field}" for field in PROMPTS[name].fields
    ]
    assert all(line in comments for line in PROMPTS[name].added.splitlines())
    assert read_prompt(name, text) == PROMPTS[name].text


def test_the_text_in_use_is_shown_and_marked_with_its_directory(project: Path) -> None:
    write(project / "mine" / "critique.txt", OWN)
    write(project / "jido.toml", '[prompts]\ndir = "mine"')
    mark = f"(from {project / 'mine'})"
    assert [line.split()[0] for line in shown().splitlines() if mark in line] == ["critique"]
    assert mark in shown("critique").splitlines()[0]
    assert shown("critique").endswith(f"\n\n{OWN}\n")
    assert mark not in shown("checklist")


def test_a_template_without_a_system_message_is_shown_with_the_default_one(project: Path) -> None:
    write(project / "mine" / "critique.txt", "Judge:\n$candidate")
    write(project / "jido.toml", '[prompts]\ndir = "mine"')
    assert shown("critique").endswith(f"\n\n{PROMPTS['critique'].text.system}\n---\nJudge:\n$candidate\n")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("critiqe", "did you mean 'critique'?"),
        ("xyz", "known: generation, critique, checklist, revision, reflection"),
    ],
)
def test_an_unknown_name_is_one_line_with_the_names_that_are_known(
    name: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["jido", "prompts", "show", name])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr() == ("", f"jido: there is no prompt '{name}'; {said}\n")


# -- export ----------------------------------------------------------------------------------------


def test_exported_prompts_equal_the_built_in_ones(project: Path) -> None:
    write(project / "mine" / "critique.txt", OWN)
    write(project / "jido.toml", '[prompts]\ndir = "mine"')
    load_settings()
    assert exported("all").count("wrote") == len(PROMPTS)
    assert read_prompts(project / "all") == {name: prompt.text for name, prompt in PROMPTS.items()}


def test_export_leaves_existing_files_unchanged(project: Path) -> None:
    mine = write(project / "mine" / "revision.txt", "mine")
    told = exported("mine")
    assert mine.read_text("utf-8") == "mine"
    assert f"kept     {Path('mine/revision.txt')}" in told
    assert told.count("wrote") == len(PROMPTS) - 1
    assert exported("mine").count("kept") == len(PROMPTS)


@pytest.mark.parametrize("directory", ["mine", "texts/mine", "../beside", "{absolute}"])
def test_the_settings_printed_by_export_use_the_exported_prompts(project: Path, directory: str) -> None:
    place = Path(directory.format(absolute=project / "far" / "away"))
    told = exported(place)
    (settings,) = [line.rpartition(" in ")[2].rstrip(":") for line in told.splitlines() if "these lines" in line]
    write(Path(settings), settings_in(told))
    assert load_settings(Path(settings).parent).prompts.dir == str(Path(settings).resolve().parent / _name_in(told))
    assert set(prompts_in_use()) == set(PROMPTS)


def _name_in(told: str) -> str:
    return settings_in(told).split('"')[1]


@pytest.mark.parametrize("directory", ["taken", "taken/below"])
def test_a_directory_that_cannot_be_made_is_named(project: Path, directory: str) -> None:
    write(project / "taken", "a file")
    with pytest.raises(ConfigurationError, match=f"{directory}: prompts cannot be written there"):
        exported(directory)


# -- [prompts] -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "table"),
    [("jido.toml", "[prompts]"), ("pyproject.toml", "[tool.jido.prompts]")],
    ids=["jido", "pyproject"],
)
def test_the_directory_is_relative_to_the_settings_file(project: Path, file: str, table: str) -> None:
    write(project / "texts" / "mine" / "critique.txt", OWN)
    write(project / file, f'{table}\ndir = "texts/mine"')
    (project / "a" / "b").mkdir(parents=True)
    settings = load_settings(project / "a" / "b", environ={})
    assert settings.prompts.dir == str(project / "texts" / "mine")
    assert prompts_in_use()["critique"].system == "You are strict."


@pytest.mark.parametrize("outside", ["../mine", "a/../../mine", "/tmp/mine", "..", "\\\\host\\mine", "c:/mine"])
def test_a_settings_file_cannot_name_a_directory_outside_its_own(project: Path, outside: str) -> None:
    write(project / "sub" / "jido.toml", f"[prompts]\ndir = '{outside}'")
    write(project / "mine" / "critique.txt", OWN)
    with pytest.raises(ConfigurationError, match=r"jido\.toml: prompts\.dir: need a relative path") as caught:
        load_settings(project / "sub", environ={})
    assert str(project / "sub") in str(caught.value)
    assert prompts_in_use() == {}


@pytest.mark.parametrize("inside", ["mine", "link/mine"])
def test_a_link_does_not_lead_to_another_directory_either(project: Path, inside: str) -> None:
    write(project / "far" / "mine" / "critique.txt", OWN)
    write(project / "sub" / "jido.toml", f'[prompts]\ndir = "{inside}"')
    link = project / "sub" / inside.split("/", maxsplit=1)[0]
    link.symlink_to(project / "far" / ("mine" if inside == "mine" else ""))
    with pytest.raises(ConfigurationError, match=f"prompts.dir: {inside} is a link to another directory"):
        load_settings(project / "sub", environ={})


@pytest.mark.parametrize("wrong", ["dir = 3", 'dir = ""', 'dirs = "mine"'])
def test_a_wrong_value_or_key_is_refused(project: Path, wrong: str) -> None:
    write(project / "jido.toml", f"[prompts]\n{wrong}")
    with pytest.raises(ConfigurationError, match="prompts"):
        load_settings(project, environ={})


def test_a_missing_directory_is_refused_with_the_command_that_makes_it(project: Path) -> None:
    write(project / "jido.toml", '[prompts]\ndir = "mine"')
    with pytest.raises(ConfigurationError, match=rf"`jido prompts export {project / 'mine'}` makes one"):
        load_settings(project, environ={})


def test_the_program_itself_may_name_any_directory(project: Path) -> None:
    write(project / "mine" / "critique.txt", OWN)
    (project / "sub").mkdir()
    load_settings(project / "sub", environ={}, prompts={"dir": str(project / "mine")})
    assert set(prompts_in_use()) == {"critique"}


def test_settings_without_a_directory_bring_the_built_in_prompts_back(project: Path) -> None:
    write(project / "mine" / "critique.txt", OWN)
    write(project / "sub" / "jido.toml", "max_lessons = 3")
    load_settings(project / "sub", environ={}, prompts={"dir": str(project / "mine")})
    load_settings(project / "sub", environ={})
    assert prompts_in_use() == {}
