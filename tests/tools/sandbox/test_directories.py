"""Our temporary directories: removed with any contents, and swept once their owner is gone."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from jido_ai.tools.sandbox import directories as work_directories
from jido_ai.tools.sandbox.directories import own_directory, remove_tree, sweep

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it needs /proc")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory for temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def left_by_a_killed_process(place: Path) -> Path:
    code = "import os\nfrom jido_ai.tools.sandbox.workspace import fresh_workspace\n"
    code += "with fresh_workspace() as made:\n  (made.work / 'file').write_text('x')\n  os.kill(os.getpid(), 9)"
    environment = {**os.environ, "TMPDIR": str(place)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == -9
    (left,) = place.iterdir()
    return left


def renamed(path: Path, place: int, value: str) -> Path:
    """Return the directory with a name that differs in one part: 1 is the process, 2 its start, 3 the boot."""
    parts = path.name.split("-")
    parts[place] = value
    return path.rename(path.with_name("-".join(parts)))


def nest(directory: Path, levels: int, name: str) -> int:
    """Create nested directories; return a handle on the innermost."""
    handle = os.open(directory, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=handle)
        above, handle = handle, os.open(name, os.O_RDONLY, dir_fd=handle)
        os.close(above)
    return handle


# -- swept


def test_directories_of_a_killed_process_are_swept_at_the_next_start(place: Path) -> None:
    left = left_by_a_killed_process(place)
    code = "from jido_ai.tools.sandbox.workspace import fresh_workspace\nwith fresh_workspace(): pass"
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "TMPDIR": str(place)}, check=True)
    assert not left.exists()
    assert list(place.iterdir()) == []


def test_directories_of_a_living_process_are_never_swept(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_directories, "_UNKNOWN_S", -1.0)
    with own_directory() as used:
        assert sweep(place) == 0
        assert used.is_dir()


def test_another_process_with_the_same_id_is_another_owner(place: Path) -> None:
    left = left_by_a_killed_process(place)
    left = renamed(left, 1, str(os.getpid()))
    assert sweep(place) == 1
    assert not left.exists()


@pytest.mark.parametrize("part", [3, 4])
def test_directories_of_another_boot_or_container_are_swept_after_a_day_without_use(
    place: Path, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = renamed(left_by_a_killed_process(place), part, "0" * 8)
    assert sweep(place) == 0
    monkeypatch.setattr(work_directories, "_UNKNOWN_S", -1.0)
    assert sweep(place) == 1
    assert not left.exists()


def test_a_link_with_such_a_name_is_not_followed(place: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    left = left_by_a_killed_process(place)
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "file").write_text("kept")
    (left / "work" / "link").symlink_to(elsewhere)
    planted = left.with_name(left.name[:-1] + ("0" if left.name[-1] != "0" else "1"))
    planted.symlink_to(elsewhere)
    assert sweep(place) == 1
    assert planted.is_symlink()
    assert (elsewhere / "file").read_text() == "kept"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give directories away")
def test_directories_of_another_user_are_left_alone(place: Path) -> None:
    left = left_by_a_killed_process(place)
    os.chown(left, 12_345, 12_345)
    assert sweep(place) == 0
    os.chown(left, 61_200, 61_200)  # the user of a program
    assert sweep(place) == 1


@pytest.mark.parametrize("name", ["jido-1-1", "jido-x", "jido-1-1-aaaaaaaa-bbbbbbbb-" + "0" * 17, "other"])
def test_directories_with_other_names_are_left_alone(place: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_directories, "_UNKNOWN_S", -1.0)
    (place / name).mkdir()
    assert sweep(place) == 0


def test_a_sweep_stops_when_its_time_is_over_and_the_next_one_continues(place: Path) -> None:
    left = left_by_a_killed_process(place)
    assert sweep(place, longest_s=0.0) == 0
    assert left.exists()
    assert sweep(place) == 1


# -- removed


@pytest.mark.parametrize(("levels", "name"), [(3_000, "d"), (100, "d" * 200), (1, "-rf")])
def test_a_directory_is_removed_however_deep_it_is_nested(place: Path, levels: int, name: str) -> None:
    with own_directory() as directory:
        handle = nest(directory, levels, name)
        os.close(os.open("file", os.O_CREAT, dir_fd=handle))
        os.close(handle)
    assert list(place.iterdir()) == []


def test_a_directory_without_any_rights_is_removed(place: Path) -> None:
    with own_directory() as directory:
        (directory / "a" / "b" / "c").mkdir(parents=True)
        for path in ("a/b/c", "a/b", "a", "."):
            (directory / path).chmod(0)
    assert list(place.iterdir()) == []


def test_the_target_of_a_link_in_a_directory_is_not_removed(
    place: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    kept = tmp_path_factory.mktemp("kept")
    (kept / "file").write_text("kept")
    with own_directory() as directory:
        (directory / "link").symlink_to(kept)
        os.link(kept / "file", directory / "file")
    assert (kept / "file").read_text() == "kept"


def test_only_directories_are_removed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    (tmp_path / "link").symlink_to(tmp_path)
    for name in ("file", "link"):
        with pytest.raises(OSError):
            remove_tree(tmp_path / name)
    assert (tmp_path / "file").exists()


def test_removing_a_missing_directory_is_no_error(tmp_path: Path) -> None:
    remove_tree(tmp_path / "gone")
    assert not list(tmp_path.iterdir())
