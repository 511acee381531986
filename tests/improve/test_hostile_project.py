"""A stranger's repository leads to no file outside of it."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from jido_ai.cli.doctor import doctor
from jido_ai.cli.trust import trusted_settings
from jido_ai.errors import ConfigurationError
from jido_ai.improve.patch_gate import PatchGate
from jido_ai.improve.patch_sources import branch_changes
from jido_ai.improve.patches import parse_patch, patch_of_texts
from jido_ai.improve.project_python import project_python
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.tools.sandbox.layers import LAYERS, Layer
from jido_ai.tools.sandbox.selftest import escapes
from jido_ai.tools.sandbox.workspace import is_left_out
from jido_ai.values.tool import ToolJob


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


def _raw_tree(top: Path, *entries: tuple[bytes, str, str]) -> str:
    raw = b"".join(mode + b" " + name.encode() + b"\0" + bytes.fromhex(digest) for mode, name, digest in entries)
    return _git(top, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", said=raw)


@pytest.mark.parametrize("kind", ["nested", "twice", "file and folder", "link and folder"])
def test_no_tree_made_by_hand_writes_outside_or_over_a_file(kind: str, tmp_path: Path) -> None:
    top, outside = tmp_path / "top", tmp_path / "outside"
    top.mkdir()
    outside.mkdir()
    _git(top, "init", "-q")
    _git(top, "commit", "-q", "--allow-empty", "-m", "first")
    blob = _git(top, "hash-object", "-w", "--stdin", said=b"x")
    place = _git(top, "hash-object", "-w", "--stdin", said=str(outside).encode())
    folder = _raw_tree(top, (b"100755", "m.py", blob))
    trees = {
        "nested": [(b"40000", "..", _raw_tree(top, (b"40000", "..", folder)))],
        "twice": [(b"100644", "m.py", blob), (b"100644", "m.py", blob)],
        "file and folder": [(b"100644", "a", blob), (b"40000", "a", folder)],
        "link and folder": [(b"120000", "a", place), (b"40000", "a", folder)],
    }
    commit = _git(top, "commit-tree", _raw_tree(top, *trees[kind]), "-p", "HEAD", "-m", "second")
    if kind == "link and folder":  # the link is left out
        with branch_changes(commit, top) as (_, patch, _):
            assert "+++ b/a/m.py" in patch
    else:
        with pytest.raises(ConfigurationError, match=r"need a relative path|twice"), branch_changes(commit, top):
            pass
    assert not list(tmp_path.rglob("outside/*"))


@pytest.mark.parametrize("name", [".git", ".GIT", ".Git", ".SSH", ".Venv"])
def test_a_folder_of_version_control_or_secrets_is_left_out_in_any_case(name: str) -> None:
    assert is_left_out(name)


def test_no_link_beside_an_interpreter_opens_what_lies_elsewhere(tmp_path: Path) -> None:
    secret, base, environment = tmp_path / "secret", tmp_path / "base", tmp_path / "top/.venv"
    for folder in (base / "bin", base / "lib/python3.11", environment / "lib/python3.11/site-packages/pytest"):
        folder.mkdir(parents=True)
    (environment / "bin").mkdir()
    secret.touch()
    (base / "bin/python3.11").touch(mode=0o755)
    (base / "lib/python3.11/os.py").touch()
    (base / "lib/libpython3.11.so.1.0").touch()
    (base / "lib/libpython3.11.so").symlink_to("libpython3.11.so.1.0")
    (base / "lib/libpython-x").symlink_to(secret)
    (environment / "bin/python").symlink_to(base / "bin/python3.11")
    found, _ = project_python(tmp_path / "top", None, {})
    assert found is not None
    assert secret not in {one.resolve() for one in found.readable}
    assert base / "lib/libpython3.11.so.1.0" in found.readable
    assert base / "lib/python3.11" in found.readable


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


def _python_of_its_own(top: Path) -> None:
    """Make the files of an interpreter in a repository, with a link that would open everything."""
    for folder in ("fake/bin", "fake/lib/python3.11", ".venv/bin", ".venv/lib/python3.11/site-packages/pytest", ".git"):
        (top / folder).mkdir(parents=True)
    (top / "fake/bin/python3.11").touch(mode=0o755)
    (top / "fake/lib/python3.11/os.py").touch()
    (top / "fake/lib/libpython-x").symlink_to("/")
    (top / ".venv/bin/python").symlink_to("../../fake/bin/python3.11")


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("name", [None, ".venv", "fake/bin/python3.11"])
async def test_no_interpreter_in_a_repository_opens_a_file_of_the_user(
    layer: Layer, name: str | None, tmp_path: Path
) -> None:
    if (reason := escapes(layer)) is not None:
        pytest.skip(reason)
    top, secret = tmp_path / "top", tmp_path / "secret"
    secret.write_text("of the user")
    _python_of_its_own(top)
    found, _ = project_python(top, None if name is None else top / name, {})
    readable = () if found is None else found.readable
    code = f"print(open({str(secret)!r}).read())"
    executor = SandboxExecutor(layers=(layer,), readable=readable)
    run = await executor.run(ToolJob(argv=("python", "-c", code), tree=top))
    assert run.stdout == ""
    assert run.exit_status == 1


def test_a_link_to_an_interpreter_does_not_make_the_folder_of_the_link_readable(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(Path(sys.base_prefix) / "bin" / Path(sys.executable).resolve().name)
    found, _ = project_python(tmp_path / "project", tmp_path / "bin" / "python3", {})
    assert found is not None
    assert not any(tmp_path.is_relative_to(one) or one.is_relative_to(tmp_path) for one in found.readable)


@pytest.mark.parametrize("name", ["fake/bin/python3.11", ".venv", "../outside", "link"])
def test_the_settings_of_a_project_choose_no_interpreter_without_trust(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = tmp_path / "top"
    _python_of_its_own(top)
    (tmp_path / "outside").mkdir()
    (top / "link").symlink_to(tmp_path / "outside")
    (top / "jido.toml").write_text(f'python = "{name}"\n')
    monkeypatch.chdir(top)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(ConfigurationError, match=r"jido\.toml: python: a project may not choose"):
        trusted_settings("python")
    monkeypatch.setenv("JIDO_TRUSTED", str(top))
    assert trusted_settings("python").python is not None


def test_the_settings_of_a_project_may_name_an_environment_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "env" / "bin").mkdir(parents=True)
    (tmp_path / "env" / "bin" / "python").symlink_to(sys.executable)
    monkeypatch.chdir(tmp_path)
    for name in ("env", "env/bin/python"):
        (tmp_path / "jido.toml").write_text(f'python = "{name}"\n')
        assert trusted_settings("python").python == str(tmp_path / name)


def test_a_hunk_header_with_thousands_of_digits_is_a_typed_error() -> None:
    with pytest.raises(ConfigurationError):
        parse_patch(f"--- a/m.py\n+++ b/m.py\n@@ -{'9' * 5000},1 +1,1 @@\n-a\n+b\n")


async def test_a_patch_that_makes_a_file_too_large_is_refused_before_it_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "m.txt").write_text("line\n")
    line = "x" * 1023 + "\n"
    told: list[str] = []
    for name, old, count in (("new.txt", None, 2048), ("new.txt", None, 2049), ("m.txt", "line\n", 2048)):
        checker = PatchGate(tmp_path, tell=told.append)
        verdict = await checker.judge(patch_of_texts(name, old, line * count if old is None else old + line * count))
        (hunk,) = verdict.hunks
        assert (hunk.reason is None) == (name == "new.txt" and count == 2048)
        assert hunk.reason in (None, "the file would have more than 2 MiB; split it")
    assert told.count("checking a patch of 2.1 MB: it may take half a minute for each MB") == 3


def test_the_doctor_tells_a_memory_that_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.db").write_bytes(b"no database" * 500)
    out = io.StringIO()
    assert doctor(tmp_path / "m.db", out) == 1
    (row,) = [line for line in out.getvalue().splitlines() if line.startswith("memory")]
    assert "(refused: " in row
    assert "not an SQLite file" in row
