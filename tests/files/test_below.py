"""Names that strangers chose lead to no file outside of the directory they are used in."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jido_ai.errors import ConfigurationError, JidoError
from jido_ai.files.below import (
    create_below,
    read_below,
    remove_below,
    replace_below,
    set_executable_below,
    without_links,
)
from jido_ai.graph.orders import fault_of_run_id
from jido_ai.improve import patch_sources
from jido_ai.improve.git_changes import Git
from jido_ai.improve.patch_gate import PatchGate
from jido_ai.improve.patch_run import GateOptions, gate
from jido_ai.improve.patches import diff_header, parse_patch
from jido_ai.improve.repair.project_repair import ProjectRepair
from jido_ai.memory.files import read_files, write_files
from jido_ai.memory.stores.sqlite.store import SQLiteStore
from jido_ai.tools.sandbox.workspace import Workspace
from jido_ai.values import MemoryEntry

SECRET = "SECRET = 'of the user'\n"
PARTS = (
    "..", ".", "", "~", "-n", "a", "b.py", "kept", "link", "abs", "to_file", "loop", "link_in", "C:", "c:\\x", "..\\x",
    "\\", "\x00", "\n", "\x7f", "\ud800", "\udcff", "\u2024\u2024", "\uff0e\uff0e", "\u2215", "%2e%2e", "...", " ",
    "é", "e\u0301", "\u202e", ".git", ".GIT", ".env", ".ssh", "/etc/hostname", "con", "x" * 255, "x" * 256, "outside",
    "secret.py", '"', "\t", "a b",
)  # fmt: skip


def names(number: int, outside: Path) -> Iterator[str]:
    """Yield names of the kinds that have opened a directory somewhere, the same in each run."""
    chance = random.Random(55)
    for _ in range(number):
        name = "/".join(chance.choices(PARTS, k=chance.randint(1, 5)))
        kind = chance.random()
        yield f"{outside}/{name}" if kind < 0.1 else f"{'../' * chance.randint(1, 4)}{name}" if kind < 0.3 else name


class Place:
    """A directory with links of all kinds, and the directory of the user beside it, which stays as it is."""

    def __init__(self, base: Path) -> None:
        self.top, self.outside = base / "top", base / "outside"
        self.top.mkdir()
        self.outside.mkdir()
        (self.outside / "secret.py").write_text(SECRET)
        (self.top / "link").symlink_to("../outside")
        (self.top / "abs").symlink_to(self.outside)
        (self.top / "to_file").symlink_to(self.outside / "secret.py")
        (self.top / "loop").symlink_to("loop")
        (self.top / "folder").mkdir()
        (self.top / "link_in").symlink_to("folder")
        self._base, self._mode = base, (self.outside / "secret.py").stat().st_mode

    def check(self, name: object) -> None:
        assert {path.name for path in self._base.iterdir()} == {"top", "outside"}, repr(name)
        assert list(self.outside.iterdir()) == [self.outside / "secret.py"], repr(name)
        status = (self.outside / "secret.py").stat()
        assert (status.st_size, status.st_mode) == (len(SECRET), self._mode), repr(name)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def trees(place: Place, wanted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Write commits whose trees have these names, as git tells them of a tree made by hand."""
    told: dict[str, bytes] = {}

    def ask(_: Git, word: str, *_words: str, said: str = "") -> bytes:
        return told[word] if not said else told["cat-file"]

    monkeypatch.setattr(Git, "ask", ask)
    git = Git("git", place.top, "--branch")
    told["cat-file"] = b"f00 blob 1\nx\n"
    for name in wanted:
        if "\0" not in name:
            told["ls-tree"] = b"100755 blob f00\t" + os.fsencode(name) + b"\0"
            with suppress(JidoError):
                # the directory is worse than any copy
                patch_sources._write(git, "HEAD", place.top)  # pyright: ignore[reportPrivateUsage]
        place.check(name)


def patches(place: Place, wanted: list[str]) -> None:
    """Judge patches that make, change, rename and delete files of these names."""
    for name in wanted:
        header = diff_header(None, name)
        texts = [
            header + "@@ -0,0 +1 @@\n+x\n",
            diff_header(name, name) + "@@ -1 +1 @@\n-x\n+y\n",
            diff_header(name, None) + "@@ -1 +0,0 @@\n-x\n",
            diff_header("kept", name, has_lines=False),
        ]
        for text in texts:
            checker = PatchGate(place.top)
            with suppress(JidoError):
                checker._read(parse_patch(text), {})  # pyright: ignore[reportPrivateUsage]
            files = checker._files  # pyright: ignore[reportPrivateUsage]
            assert not any(SECRET in (one.before or "") for one in files), repr(name)


def workspaces(place: Place, wanted: list[str]) -> None:
    """Write candidates under these names."""
    workspace = Workspace(place.top, place.top, place.top)
    for name in wanted:
        with suppress(JidoError):
            workspace.write({name: b"x"})
        with suppress(JidoError, OSError):
            workspace.discard(name)
        place.check(name)


def direct(place: Place, wanted: list[str]) -> None:
    """Do all that can be done to a file below a directory."""
    for name in wanted:
        with suppress(ConfigurationError, OSError):
            create_below(place.top, name, b"x")
        with suppress(ConfigurationError, OSError):
            replace_below(place.top, name, b"y", durable=False)
        with suppress(ConfigurationError, OSError):
            set_executable_below(place.top, name, executable=True)
        with suppress(ConfigurationError, OSError):
            assert SECRET.encode() != read_below(place.top, name, 100), repr(name)
        with suppress(ConfigurationError, OSError):
            assert SECRET.encode() != read_below(place.top, without_links(place.top, name), 100), repr(name)
        with suppress(ConfigurationError, OSError):
            remove_below(place.top, name)
        place.check(name)


def forged_reports(place: Place, wanted: list[str]) -> None:
    """Read the files that a report of tests names."""
    repair = ProjectRepair(place.top)

    async def read() -> None:
        for name in wanted:
            assert await repair.source(name, {}) != SECRET, repr(name)

    asyncio.run(read())


def ids(place: Place, wanted: list[str]) -> None:
    """Keep lessons of these ids in one store, and export and import them; check runs of these ids."""
    some = [name for name in dict.fromkeys(wanted) if name.isprintable() and 0 < len(name) < 200]
    entries: list[MemoryEntry] = []
    for name in some:
        with suppress(ValueError):  # no id
            entries.append(MemoryEntry(id=name, prompt="p", timestamp=datetime(2026, 1, 1, tzinfo=UTC)))

    async def keep() -> None:
        store = SQLiteStore(place.top / "memory.db")
        await store.open()
        try:
            await store.add_all(entries, max_entries=len(entries) + 1)
            for entry in entries:
                assert await store.get(entry.id) is not None
        finally:
            await store.close()

    asyncio.run(keep())
    write_files(place.top / "export", entries, len(entries) + 1)
    assert {one.id for one in read_files(place.top / "export").entries} == {entry.id for entry in entries}
    for name in wanted:
        assert fault_of_run_id(name) is not None or ("/" not in name and name not in ("", ".", ".."))
    place.check("ids")


def fuzzed(place: Place, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(names(number, place.outside))
    direct(place, found)
    workspaces(place, found)
    of_bytes = [name for name in found if "\ud800" not in name]
    trees(place, of_bytes, monkeypatch)
    patches(place, of_bytes)
    forged_reports(place, found)
    ids(place, found)
    place.check("all")


def test_no_name_of_a_stranger_leads_outside(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    fuzzed(place, 300, monkeypatch)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_none_of_100_000_names_of_strangers_leads_outside(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    fuzzed(place, 100_000, monkeypatch)


def test_a_patch_is_applied_to_files_of_the_project_only(place: Place) -> None:
    found = [name for name in dict.fromkeys(names(60, place.outside)) if "\ud800" not in name]
    patch = "".join(diff_header(None, name) + "@@ -0,0 +1 @@\n+x\n" for name in [*found, "new/file.txt"])
    report = asyncio.run(gate(GateOptions(patch=patch, root=place.top, output="apply")))
    assert (place.top / "new/file.txt").read_text() == "x\n"
    assert report.status == 1
    place.check("gate")


def test_folders_are_made_and_only_what_is_new_is_created(tmp_path: Path) -> None:
    create_below(tmp_path, "a/b/c", b"x", mode=0o777)
    assert (tmp_path / "a/b/c").read_bytes() == b"x"
    assert os.access(tmp_path / "a/b/c", os.X_OK)
    with pytest.raises(FileExistsError):
        create_below(tmp_path, "a/b/c", b"y")
    replace_below(tmp_path, "a/b/c", b"z")
    assert read_below(tmp_path, "a/b/c", 1) == b"z"
    assert read_below(tmp_path, "a/b/c", 0) is None
    remove_below(tmp_path, "a/b/c")
    remove_below(tmp_path, "a/b/c")
    assert not (tmp_path / "a/b/c").exists()


def test_a_link_may_lead_to_another_place_inside_only(place: Place) -> None:
    assert without_links(place.top, "link_in/x") == "folder/x"
    for name in ("link/secret.py", "to_file", "abs/x", "loop"):
        with pytest.raises(ConfigurationError, match="leads out"):
            without_links(place.top, name)


def test_an_export_follows_no_link_in_the_place_of_one_of_its_folders(place: Place) -> None:
    entry = MemoryEntry(id="one", prompt="p", timestamp=datetime(2026, 1, 1, tzinfo=UTC))
    export = place.top / "export"
    write_files(export, [entry], 2)
    folder = export / entry.kind.value
    (folder / "one.json").unlink()
    folder.rmdir()
    folder.symlink_to(place.outside)
    (place.outside / "secret.py").rename(place.outside / "a.json")
    for entries in ([entry], []):
        with pytest.raises(ConfigurationError, match="cannot be written"):
            write_files(export, entries, 2)
    assert list(place.outside.iterdir()) == [place.outside / "a.json"]
