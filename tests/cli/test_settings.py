"""Settings: which file is found, and what comes of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.loop.settings import find_settings, load_settings


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def loaded(start: Path) -> dict[str, str]:
    return load_settings(start, environ={}).origins


def test_only_the_nearest_file_upwards_from_the_directory_is_read(tmp_path: Path) -> None:
    far = write(tmp_path / "jido.toml", 'critic = "ollama:far"')
    near = write(tmp_path / "a" / "jido.toml", 'model = "ollama:near"')
    below = tmp_path / "a" / "b" / "c"
    below.mkdir(parents=True)
    assert loaded(below) == {"model": str(near)}
    assert loaded(tmp_path) == {"critic": str(far)}


def test_jido_toml_overrides_the_table_in_pyproject_and_a_pyproject_without_it_is_skipped(tmp_path: Path) -> None:
    shared = write(tmp_path / "a" / "pyproject.toml", "[tool.jido]\nmax_lessons = 9")
    assert load_settings(tmp_path / "a", environ={}).max_lessons == 9
    write(tmp_path / "a" / "b" / "pyproject.toml", '[project]\nname = "uses-jido"')
    assert loaded(tmp_path / "a" / "b") == {"max_lessons": str(shared)}
    own = write(tmp_path / "a" / "jido.toml", "max_lessons = 4")
    assert loaded(tmp_path / "a") == {"max_lessons": str(own)}


def test_a_pyproject_without_jido_is_ignored(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "this is [no toml")
    assert find_settings(tmp_path) is None
    (tmp_path / "pyproject.toml").write_bytes(b"\xff\xfe")
    assert find_settings(tmp_path) is None


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"model = ", "not valid TOML"),
        (b"max_lessons = " + b"9" * 5_000, "not valid TOML"),
        (b"a = " + b"[" * 5_000, "not valid TOML"),
        (b"\xff", "are not UTF-8: byte 0"),
        (b"# " + b"x" * (1 << 20), "are longer than 1048576 bytes"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, raw: bytes, told: str) -> None:
    (tmp_path / "jido.toml").write_bytes(raw)
    with pytest.raises(ConfigurationError, match=told) as caught:
        load_settings(tmp_path, environ={})
    assert str(tmp_path / "jido.toml") in str(caught.value)


def test_a_directory_of_that_name_is_named(tmp_path: Path) -> None:
    (tmp_path / "jido.toml").mkdir()
    with pytest.raises(ConfigurationError, match=r"jido\.toml: the settings cannot be read: Is a directory"):
        load_settings(tmp_path, environ={})


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    write(tmp_path / "jido.toml", "").chmod(0)
    with pytest.raises(ConfigurationError, match="Permission denied"):
        load_settings(tmp_path, environ={})


NOBODY = 65534


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
@pytest.mark.parametrize("name", ["jido.toml", "pyproject.toml"])
def test_a_file_of_another_user_is_skipped_with_one_warning(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ours = write(tmp_path / "jido.toml", "max_lessons = 4")
    theirs = write(tmp_path / "a" / name, "max_lessons = 9" if name == "jido.toml" else "[tool.jido]\nmax_lessons = 9")
    os.chown(theirs, NOBODY, NOBODY)
    for _ in range(2):
        assert loaded(tmp_path / "a") == {"max_lessons": str(ours)}
    (told,) = caplog.messages
    assert str(theirs) in told
    assert "another user (uid 65534)" in told
    os.chown(theirs, 0, 0)
    assert loaded(tmp_path / "a") == {"max_lessons": str(theirs)}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_a_file_of_another_user_causes_no_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    broken = write(tmp_path / "jido.toml", "this is [no toml")
    os.chown(broken, NOBODY, NOBODY)
    own = write(tmp_path / "own.toml", "max_lessons = 9")
    (tmp_path / "a").mkdir()
    link = tmp_path / "a" / "jido.toml"
    link.symlink_to(own)
    os.chown(link, NOBODY, NOBODY, follow_symlinks=False)
    foreign = write(tmp_path / "a" / "pyproject.toml", '[project]\nname = "uses-jido"')
    os.chown(foreign, NOBODY, NOBODY)
    assert find_settings(tmp_path / "a") is None
    assert [str(path) in told for path, told in zip((link, broken), caplog.messages, strict=True)] == [True, True]


def test_a_world_writable_file_is_skipped_with_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write(tmp_path / "jido.toml", "max_lessons = 9")
    path.chmod(0o666)
    assert find_settings(tmp_path) is None
    assert "anybody may write it" in caplog.text
    path.chmod(0o664)
    assert loaded(tmp_path) == {"max_lessons": str(path)}


def test_a_pipe_of_that_name_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "jido.toml")
    with pytest.raises(ConfigurationError, match=r"jido\.toml: the settings cannot be read: Not a regular file"):
        load_settings(tmp_path, environ={})


def test_the_path_of_a_memory_is_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    write(tmp_path / "jido.toml", 'memory = "lessons/m.db"')
    below = tmp_path / "below"
    below.mkdir()
    assert load_settings(below, environ={}).memory == str(tmp_path / "lessons" / "m.db")
    write(tmp_path / "jido.toml", 'memory = "~/m.db"')
    assert load_settings(below, environ={}).memory == str(tmp_path / "home" / "m.db")
    assert load_settings(below, environ={"JIDO_MEMORY": "m.db"}).memory == "m.db"


def test_an_argument_of_none_sets_nothing(tmp_path: Path) -> None:
    write(tmp_path / "jido.toml", 'model = "ollama:m"')
    assert load_settings(tmp_path, environ={}, model=None).model == "ollama:m"
    assert load_settings(tmp_path, environ={}, model="ollama:n").model == "ollama:n"
