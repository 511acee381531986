"""A stranger's repository leads to no file outside of it."""

import subprocess
from pathlib import Path

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.improve.patch_sources import branch_changes
from jido_ai.improve.patches import parse_patch
from jido_ai.improve.project_python import project_python


def _git(top: Path, *words: str, said: bytes = b"") -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    run = subprocess.run(["git", *who, *words], cwd=top, input=said, capture_output=True, check=True)
    return run.stdout.decode().strip()


@pytest.mark.parametrize("name", ["../outside.txt", "/absolute"])
def test_a_tree_with_a_name_that_leaves_the_copy_is_refused(tmp_path: Path, name: str) -> None:
    top, outside = tmp_path / "top", tmp_path / "outside.txt"
    top.mkdir()
    name = str(outside) if name == "/absolute" else name
    _git(top, "init", "-q")
    _git(top, "commit", "-q", "--allow-empty", "-m", "first")
    blob = _git(top, "hash-object", "-w", "--stdin", said=b"x")
    raw = b"100755 " + name.encode() + b"\0" + bytes.fromhex(blob)
    tree = _git(top, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", said=raw)
    commit = _git(top, "commit-tree", tree, "-p", "HEAD", "-m", "second")
    with pytest.raises(ConfigurationError, match="need a relative path"), branch_changes(commit, top):
        pass
    assert not outside.exists()


def test_an_interpreter_that_the_project_holds_is_passed_over(tmp_path: Path) -> None:
    program, library = tmp_path / "fake/bin/python3.11", tmp_path / "fake/lib/python3.11"
    packages = tmp_path / ".venv/lib/python3.11/site-packages/pytest"
    for folder in (program.parent, library, packages, tmp_path / ".venv/bin", tmp_path / ".git"):
        folder.mkdir(parents=True)
    program.touch(mode=0o755)
    (library / "os.py").touch()
    (tmp_path / "fake/lib/libpython-x").symlink_to("/")
    (tmp_path / ".venv/bin/python").symlink_to("../../fake/bin/python3.11")
    found, note = project_python(tmp_path, None, {})
    assert found is None
    assert note is not None
    assert "a file of the project" in note


def test_a_hunk_header_with_thousands_of_digits_is_a_typed_error() -> None:
    with pytest.raises(ConfigurationError):
        parse_patch(f"--- a/m.py\n+++ b/m.py\n@@ -{'9' * 5000},1 +1,1 @@\n-a\n+b\n")
