"""The one way to write a file: whole or not at all, with its mode, and through no planted link."""

from __future__ import annotations

import os
import select
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.text import Text

from jido_ai.cli.pictures import write_svg
from jido_ai.files import replacement as file_replacement
from jido_ai.files.replacement import write_whole
from jido_ai.improve import source_files
from jido_ai.improve.report import write_sarif
from jido_ai.improve.source_files import find_sources, replace_file
from jido_ai.memory.files import write_files

PACKAGE = Path(file_replacement.__file__).parents[1]


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def apply(path: Path) -> None:
    """Do what `jido improve --apply` does."""
    replace_file(find_sources([path]).sources[0], "x = 2\n")


WRITERS: dict[str, Callable[[Path], None]] = {
    "--sarif": lambda path: write_sarif(path, ()),
    "--svg": lambda path: write_svg(Text("picture"), "title", path),
    "export": lambda path: write_files(path, (), 10),
}


def test_a_new_file_is_written_with_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", b"text")
    finally:
        os.umask(before)
    assert (tmp_path / "new").read_bytes() == b"text"
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    assert names(tmp_path) == ["new"]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o664])
def test_the_mode_of_the_replaced_file_is_kept(tmp_path: Path, mode: int) -> None:
    (tmp_path / "old").write_text("old")
    (tmp_path / "old").chmod(mode)
    write_whole(tmp_path / "old", b"new")
    assert (tmp_path / "old").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "old").stat().st_mode) == mode


def test_a_mode_that_is_given_holds_for_old_and_new_files(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    for name in ("old", "new"):
        write_whole(tmp_path / name, b"text", mode=0o600)
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_of_the_replaced_file_is_kept(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    os.chown(tmp_path / "old", 12_345, 12_346)
    write_whole(tmp_path / "old", b"new")
    status = (tmp_path / "old").stat()
    assert (status.st_uid, status.st_gid) == (12_345, 12_346)


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_a_link_in_the_place_of_the_file_is_replaced_and_not_followed(
    tmp_path: Path, write: Callable[[Path], None]
) -> None:
    (tmp_path / "victim").write_text("")
    place = tmp_path / "out.json"
    place.symlink_to(tmp_path / "victim")
    write(place)
    assert not place.is_symlink()
    assert place.stat().st_size > 0
    assert (tmp_path / "victim").read_text() == ""


@pytest.mark.parametrize("write", [*WRITERS.values(), apply], ids=[*WRITERS, "--apply"])
def test_links_under_names_that_could_be_guessed_are_not_written_through(
    tmp_path: Path, write: Callable[[Path], None]
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("kept")
    place = tmp_path / ("out.py" if write is apply else "out.json")
    if write is apply:
        place.write_text("x = 1\n")
    pid = os.getpid()
    for name in (f".{place.name}.{pid}.jido", f"{place.name}.{pid}", f".{place.name}.jido", f"{place.name}.tmp"):
        (tmp_path / name).symlink_to(victim)
    write(place)
    assert victim.read_text() == "kept"
    assert place.is_file()


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_a_file_of_the_longest_name_is_written(tmp_path: Path, write: Callable[[Path], None]) -> None:
    write(tmp_path / ("x" * 250 + ".json"))
    assert len(names(tmp_path)) == 1


def test_names_of_new_files_are_never_the_same_and_one_that_is_taken_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "victim").write_text("kept")
    (tmp_path / ".taken.jido").symlink_to(tmp_path / "victim")
    tokens = iter(["taken", "taken", "free"])
    monkeypatch.setattr(file_replacement.secrets, "token_hex", lambda _: next(tokens))
    write_whole(tmp_path / "new", b"text")
    assert (tmp_path / "new").read_bytes() == b"text"
    assert (tmp_path / "victim").read_text() == "kept"


def test_an_error_of_the_last_check_changes_nothing(tmp_path: Path) -> None:
    def check() -> None:
        raise RuntimeError("changed")

    (tmp_path / "old").write_text("old")
    with pytest.raises(RuntimeError, match="changed"):
        write_whole(tmp_path / "old", b"new", check=check)
    assert (tmp_path / "old").read_text() == "old"
    assert names(tmp_path) == ["old"]


def test_a_directory_is_refused_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    (tmp_path / "place").mkdir()
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path / "place", b"new")
    assert names(tmp_path) == ["place"]


def test_a_pipe_with_a_reader_is_written_to_and_one_without_is_an_error(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError):
        write_whole(pipe, b"text")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        os.set_blocking(reader, True)
        writing = threading.Thread(target=write_whole, args=(pipe, b"x" * 200_000), daemon=True)
        writing.start()
        read = 0
        poll = select.poll()
        poll.register(reader, select.POLLIN)
        poll.poll()  # before anybody writes the pipe is at its end
        while chunk := os.read(reader, 65_536):
            read += len(chunk)
        writing.join()
    finally:
        os.close(reader)
    assert read == 200_000
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_stays_a_device() -> None:
    write_whole(Path("/dev/null"), b"text")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_source_that_became_a_huge_sparse_file_has_changed_and_is_not_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    source = find_sources([path]).sources[0]
    os.truncate(path, 20 << 30)
    with pytest.raises(source_files.FileChangedError):
        replace_file(source, "x = 2\n")
    assert path.stat().st_size == 20 << 30


def test_no_other_module_of_the_package_replaces_files() -> None:
    ways = ("os.replace(", ".write_text(", ".write_bytes(", "NamedTemporaryFile", "mkstemp")
    found = {
        f"{path.relative_to(PACKAGE).as_posix()}: {way}"
        for path in PACKAGE.rglob("*.py")
        for way in ways
        if path.parent.name != "runners" and way in path.read_text("utf-8")  # runners write in a directory of their own
    }
    assert found == {
        "files/replacement.py: os.replace(",
        "tools/sandbox/selftest.py: .write_text(",  # in a directory of its own
        "memory/stores/sqlite/file.py: .write_bytes(",  # in one, too
        "values/chart.py: .write_text(",  # a new picture, where a person asked for it
        "cli/memory.py: .write_text(",
    }
