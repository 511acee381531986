"""The user's files are read with every doubt settled, and replaced in one step or not at all."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.improve.source_files import (
    FileChangedError,
    check_place,
    check_writable,
    find_sources,
    kind_of,
    project_root,
    replace_file,
)


def write(path: Path, content: bytes | str = "x = 1\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refused(path: Path) -> str:
    with pytest.raises(ConfigurationError) as caught:
        find_sources([path])
    message = str(caught.value)
    assert str(path) in message
    assert "\n" not in message
    return message


# -- reading ---------------------------------------------------------------------------------------


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert "no such file" in refused(tmp_path / "missing.py")


@pytest.mark.skipif(os.getuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "secret.py")
    path.chmod(0)
    assert "cannot be read" in refused(path)


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    assert "binary" in refused(write(tmp_path / "a.py", b"x = 1\0\n"))


def test_a_file_that_is_not_utf8_is_refused_with_the_place_and_the_cure(tmp_path: Path) -> None:
    message = refused(write(tmp_path / "a.py", b"x = '\xe9'\n"))
    assert "byte 5" in message
    assert "iconv" in message


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_an_empty_file_is_left_alone_and_stops_no_other(tmp_path: Path, content: str) -> None:
    empty, other = write(tmp_path / "a.py", content), write(tmp_path / "b.py")
    found = find_sources([empty, other])
    assert found.left_alone == ((empty, "it is empty"),)
    assert [source.path for source in found.sources] == [other]


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("latin.py", b"x = '\xe9'\n", "not UTF-8"),
        ("-x.py", b"x = 1\n", "odd name"),
        ("a\nb.py", b"x = 1\n", "odd name"),
        ("binary.py", b"x = 1\n\0", "binary"),
        ("large.py", b"#" * (2 * 1024 * 1024 + 1), "larger than 2 MiB"),
    ],
)
def test_a_file_below_a_directory_that_cannot_be_worked_on_is_left_alone(
    tmp_path: Path, name: str, content: bytes, why: str
) -> None:
    write(tmp_path / "good.py")
    write(tmp_path / name, content)
    found = find_sources([tmp_path])
    assert [source.path.name for source in found.sources] == ["good.py"]
    ((path, reason),) = found.left_alone
    assert (path.name, why in reason) == (name, True)


@pytest.mark.parametrize("pattern", ["sub", "sub/", "c.py", "*/c.py", "s*"])
def test_files_that_match_a_pattern_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str) -> None:
    for name in ("a.py", "sub/c.py"):
        write(tmp_path / name)
    monkeypatch.chdir(tmp_path)
    found = find_sources([Path()], [pattern])
    assert [source.path.name for source in found.sources] == ["a.py"]
    assert [path.name for path, _ in found.left_alone] == ["c.py"]


def test_a_file_of_2_mib_is_taken_and_one_byte_more_is_refused(tmp_path: Path) -> None:
    full = write(tmp_path / "full.py", b"#" * (2 * 1024 * 1024))
    assert len(find_sources([full]).sources[0].text) == 2 * 1024 * 1024
    assert "2 MiB" in refused(write(tmp_path / "more.py", b"#" * (2 * 1024 * 1024 + 1)))


def test_a_link_out_of_its_tree_is_refused(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside.py")
    project = tmp_path / "project"
    write(project / "pyproject.toml", "")
    (project / "link.py").symlink_to(outside)
    assert "link out of its tree" in refused(project / "link.py")


def test_a_link_inside_its_tree_is_taken(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "")
    write(tmp_path / "package" / "real.py", "y = 2\n")
    (tmp_path / "link.py").symlink_to("package/real.py")
    assert find_sources([tmp_path / "link.py"]).sources[0].text == "y = 2\n"


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert "not a regular file" in refused(tmp_path / "pipe.py")


def test_a_directory_without_python_files_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "notes.txt")
    assert "no Python file" in refused(tmp_path)


def test_a_directory_gives_its_python_files_sorted_without_caches_links_and_blank_ones(tmp_path: Path) -> None:
    for name in ("b.py", "a.py", "sub/c.py", ".hidden/d.py", "venv/e.py", "__pycache__/f.py", "notes.txt"):
        write(tmp_path / name)
    write(tmp_path / "sub" / "__init__.py", "")
    write(tmp_path / "__init__.py", "\n \n")
    (tmp_path / "link.py").symlink_to("a.py")
    found = [source.path.relative_to(tmp_path).as_posix() for source in find_sources([tmp_path]).sources]
    assert found == ["a.py", "b.py", "sub/c.py"]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py")
    assert len(find_sources([path, tmp_path]).sources) == 1


def test_line_endings_and_byte_order_mark_are_part_of_the_text(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", "\ufeffx = 1\r\ny = 2\r\n")
    assert find_sources([path]).sources[0].text == "\ufeffx = 1\r\ny = 2\r\n"


def test_the_project_is_the_nearest_directory_with_a_project_file_above_all_files(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "")
    one, other = write(tmp_path / "src" / "a.py"), write(tmp_path / "tests" / "test_a.py")
    assert project_root([one, other]) == tmp_path
    write(tmp_path / "src" / "setup.cfg", "")
    assert project_root([one]) == tmp_path / "src"


def test_the_kind_of_a_file_follows_from_its_name() -> None:
    names = {"a.py": "python", "A.PY": "python", "a.md": "markdown", "a.yml": "yaml", "a.json": "json", "a.txt": "text"}
    assert {name: kind_of(Path(name)) for name in names} == names
    assert kind_of(Path("Makefile")) is None
    assert kind_of(Path("a.c")) is None


@pytest.mark.parametrize("name", ["Makefile", "a.c"])
def test_a_file_of_an_unknown_kind_is_refused_by_its_name(tmp_path: Path, name: str) -> None:
    assert "not supported" in refused(write(tmp_path / name))


def test_a_file_of_10_mb_is_refused_without_reading_all_of_it(tmp_path: Path) -> None:
    path = tmp_path / "large.py"
    with path.open("wb") as file:
        file.truncate(10_000_000)
    assert "2 MiB" in refused(path)


# -- paths, by their text alone --------------------------------------------------------------------


@pytest.fixture
def nothing_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*_arguments: object, **_options: object) -> None:
        raise AssertionError("a file was opened")

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr("io.open", opened)


@pytest.mark.usefixtures("nothing_is_opened")
@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("../a.py", "leads out"),
        ("sub/../../a.py", "leads out"),
        ("a\0.py", "control character"),
        ("a\n.py", "control character"),
        ("C:\\a.py", "drive letter"),
        ("c:/a.py", "drive letter"),
    ],
)
def test_a_path_that_leads_out_or_is_none_is_refused_before_anything_is_opened(path: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said) as caught:
        check_place(Path(path))
    assert "\n" not in str(caught.value)
    assert "\0" not in str(caught.value)


@pytest.mark.usefixtures("nothing_is_opened")
def test_with_a_root_every_path_stays_below_it(tmp_path: Path) -> None:
    for path in (tmp_path.parent / "a.py", tmp_path / ".." / "a.py", Path("/etc/a.py")):
        with pytest.raises(ConfigurationError, match="leads out"):
            check_place(path, tmp_path)
    check_place(tmp_path / "sub" / "a;b.py", tmp_path)
    check_place(Path("sub/../a.py"))


def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py")
    path.chmod(0o444)
    with pytest.raises(ConfigurationError, match="read-only"):
        check_writable(find_sources([path]).sources[0])


# -- replacing -------------------------------------------------------------------------------------


def test_replacing_keeps_mode_and_leaves_nothing_else_behind(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py")
    path.chmod(0o750)
    replace_file(find_sources([path]).sources[0], "x = 2\r\n")
    assert path.read_bytes() == b"x = 2\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    assert list(tmp_path.iterdir()) == [path]


def test_replacing_through_a_link_replaces_its_target(tmp_path: Path) -> None:
    target = write(tmp_path / "real.py")
    link = tmp_path / "link.py"
    link.symlink_to("real.py")
    replace_file(find_sources([link]).sources[0], "x = 2\n")
    assert link.is_symlink()
    assert target.read_text() == "x = 2\n"


def test_a_file_that_changed_meanwhile_is_left_as_it_is(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py")
    source = find_sources([path]).sources[0]
    path.write_text("x = 3\n")
    with pytest.raises(FileChangedError, match="changed since it was read"):
        replace_file(source, "x = 2\n")
    assert path.read_text() == "x = 3\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written_whole_is_left_as_it_is(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py")
    code = (
        "import sys; from pathlib import Path; from jido_ai.improve.source_files import *\n"
        "import resource; source = find_sources([Path(sys.argv[1])]).sources[0]\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try: replace_file(source, 'x' * 100_000)\n"
        "except OSError as error: print(error.strerror)\n"
    )
    run = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == os.strerror(27)  # EFBIG: what a limit says where a full disk says ENOSPC
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    assert path.read_text() == "x = 1\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("pause", range(0, 60, 10))
def test_a_kill_leaves_the_old_file_or_the_new_one(tmp_path: Path, pause: int) -> None:
    old, new = "x = 1\n" * 20_000, "y = 2\n" * 20_000
    path = write(tmp_path / "a.py", old)
    code = (
        "import sys; from pathlib import Path; from jido_ai.improve.source_files import *\n"
        "source = find_sources([Path(sys.argv[1])]).sources[0]; new = 'y = 2\\n' * 20_000; old = source.text\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    replace_file(source, new); source = find_sources([Path(sys.argv[1])]).sources[0]; old, new = new, old\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        for _ in range(pause * 1000):  # a few steps further each time
            pass
        process.kill()
    assert path.read_text() in (old, new)
