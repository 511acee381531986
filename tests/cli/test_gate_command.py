"""`jido gate` and `jido improve --with`, as users call them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from command_line import run_jido

from jido_ai.improve.patches import patch_of_texts

A = "import os\nimport json\n\n\ndef load(text):\n    return json.loads(text)\n\n\nLIMIT = 3\n"
FINE = A.replace("import os\n", "")
MIXED = FINE.replace("LIMIT = 3", "LIMITS = 3")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "project"
    (place / "pkg").mkdir(parents=True)
    (place / "pkg/__init__.py").write_text("")
    (place / "pkg/a.py").write_text(A)
    return place


def patch_file(root: Path, new: str) -> str:
    (root.parent / "x.patch").write_text(patch_of_texts("pkg/a.py", A, new))
    return str(root.parent / "x.patch")


def git(root: Path, *words: str) -> None:
    who = ("-c", "user.name=n", "-c", "user.email=a@b.example", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


def test_status_0_means_that_every_hunk_is_kept(root: Path) -> None:
    run = run_jido(root.parent, root, "gate", "--patch", patch_file(root, FINE))
    assert (run.returncode, run.stdout) == (0, "1 hunk in 1 file: 1 kept, 0 rejected\n")
    assert (root / "pkg/a.py").read_text() == A


def test_status_1_means_that_one_is_rejected_and_both_patches_are_written(root: Path) -> None:
    patches = ("--kept", str(root.parent / "k"), "--rejected", str(root.parent / "r"))
    run = run_jido(root.parent, root, "gate", "--patch", patch_file(root, MIXED), *patches)
    assert run.returncode == 1
    assert run.stdout == (
        "rejected  pkg/a.py:9 (+1 -1): pkg.a has no LIMIT any more\n2 hunks in 1 file: 1 kept, 1 rejected\n"
    )
    for name, text in (("k", FINE), ("r", MIXED)):
        subprocess.run(["patch", "-p1", "-i", str(root.parent / name)], cwd=root, check=True, capture_output=True)
        assert (root / "pkg/a.py").read_text() == text


def test_the_report_is_json_and_sarif_on_request(root: Path) -> None:
    log = root.parent / "x.sarif"
    run = run_jido(root.parent, root, "gate", "--patch", patch_file(root, MIXED), "--json", "--sarif", str(log))
    told = json.loads(run.stdout)
    assert (told["version"], told["summary"]["rejected"], run.returncode) == (1, 1, 1)
    assert json.loads(log.read_text())["runs"][0]["results"][0]["ruleId"] == "gate/public-name"


def test_the_project_is_found_from_a_folder_below_it(root: Path) -> None:
    (root / "pyproject.toml").write_text("")
    run = run_jido(root.parent, root / "pkg", "gate", "--patch", patch_file(root, FINE))
    assert run.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give one of --patch FILE and --branch REF"),
        (("--patch", "x", "--branch", "y"), "give one of"),
        (("--patch", "none.patch"), "no such file"),
        (("--patch", "pkg/a.py"), "no unified diff"),
        (("--branch", "main"), "is not in a git repository"),
        (("--patch", "pkg/a.py", "--kept", "no/such/k"), "directory does not exist"),
        (("--patch", "pkg/a.py", "--tests", "none"), "no such"),
        (("--patch", "pkg/a.py", "--root", "none"), "no such directory"),
    ],
)
def test_bad_input_is_one_line_and_status_2(root: Path, arguments: tuple[str, ...], said: str) -> None:
    run = run_jido(root.parent, root, "gate", *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr
    assert run.stderr.count("\n") == 1


# -- branches --------------------------------------------------------------------------------------


@pytest.fixture
def repository(root: Path) -> Path:
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    return root


def test_the_changes_of_another_branch_are_those_since_it_left(repository: Path) -> None:
    git(repository, "checkout", "-qb", "other")
    (repository / "pkg/a.py").write_text(MIXED)
    git(repository, "commit", "-qam", "two")
    git(repository, "checkout", "-q", "main")
    (repository / "pkg/b.py").write_text("X = (\n")
    git(repository, "add", ".")
    git(repository, "commit", "-qam", "three")
    run = run_jido(repository.parent, repository, "gate", "--branch", "other")
    assert run.stdout.splitlines()[-1] == "2 hunks in 1 file: 1 kept, 1 rejected"
    assert "other since" in run.stderr


def test_a_commit_that_head_contains_is_compared_with_the_working_tree(repository: Path) -> None:
    (repository / "pkg/a.py").write_text(FINE)
    git(repository, "commit", "-qam", "two")
    (repository / "pkg/a.py").write_text(MIXED)
    (repository / "pkg/new.py").write_text("X = 1\n")
    run = run_jido(repository.parent, repository, "gate", "--branch", "HEAD")
    assert run.stdout.splitlines()[-1] == "2 hunks in 2 files: 1 kept, 1 rejected"
    run = run_jido(repository.parent, repository, "gate", "--branch", "HEAD~1")
    assert run.stdout.splitlines()[-1] == "3 hunks in 2 files: 2 kept, 1 rejected"


def test_an_unknown_branch_is_named(repository: Path) -> None:
    run = run_jido(repository.parent, repository, "gate", "--branch", "none")
    assert run.returncode == 2
    assert "git knows no commit 'none'" in run.stderr


# -- commands --------------------------------------------------------------------------------------

RUFF = "ruff check --fix --isolated --select F401 --quiet ."
SPOIL = "sed -i s/LIMIT/LIMITS/ pkg/a.py"


def test_a_command_changes_a_copy_and_what_is_kept_is_shown(root: Path) -> None:
    run = run_jido(root.parent, root, "improve", ".", "--with", RUFF)
    assert run.returncode == 0
    assert "-import os\n" in run.stdout
    assert (root / "pkg/a.py").read_text() == A


def test_apply_writes_what_is_kept_of_all_commands(root: Path) -> None:
    run = run_jido(root.parent, root, "improve", ".", "--with", RUFF, "--with", SPOIL, "--apply")
    assert run.stdout.splitlines()[-1] == "2 hunks in 1 file: 1 kept, 1 rejected; pkg/a.py written"
    assert (run.returncode, (root / "pkg/a.py").read_text()) == (1, FINE)


def test_only_the_files_named_are_changed(root: Path) -> None:
    (root / "other.py").write_text("import os\n")
    run = run_jido(root.parent, root, "improve", "pkg", "--root", ".", "--with", RUFF, "--apply")
    assert (run.returncode, (root / "other.py").read_text()) == (0, "import os\n")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("no-such-program", "cannot be run: No such file"),
        ("false", "ended with status 1"),
        ("'", "No closing quotation"),
        ("", "needs a command"),
    ],
)
def test_a_command_that_fails_is_one_line_and_status_2(root: Path, command: str, said: str) -> None:
    run = run_jido(root.parent, root, "improve", ".", "--with", command)
    assert run.returncode == 2
    assert said in run.stderr


def test_a_command_that_changes_nothing_has_nothing_to_check(root: Path) -> None:
    run = run_jido(root.parent, root, "improve", ".", "--with", "true")
    assert (run.returncode, run.stdout) == (0, "no hunks: there is nothing to check\n")


def test_an_option_that_a_command_makes_useless_is_refused(root: Path) -> None:
    run = run_jido(root.parent, root, "improve", ".", "--with", "true", "--select", "E")
    assert run.returncode == 2


def test_a_hunk_that_does_something_else_is_unchecked_and_the_tests_that_would_judge_it_are_offered(root: Path) -> None:
    (root / "tests").mkdir()
    (root / "tests/test_a.py").write_text(
        "def test_one():\n    assert True\n\n\nasync def test_two():\n    assert True\n"
    )
    patch = patch_file(root, A.replace("json.loads(text)", "json.loads(text.strip())"))
    run = run_jido(root.parent, root, "gate", "--patch", patch, "--strict")
    assert run.returncode == 3
    assert "unchecked pkg/a.py:6 (+1 -1): load does something else, and no test ran it" in run.stdout
    assert "tests/ has 2 tests; with --tests tests they judge, too" in run.stderr


def test_tests_judge_the_statements_that_they_run(root: Path) -> None:
    (root / "tests").mkdir()
    (root / "tests/test_a.py").write_text("from pkg.a import load\n\n\ndef test_load():\n    assert load('1') == 1\n")
    new = A.replace("json.loads(text)", "json.loads(text.strip())")
    run = run_jido(root.parent, root, "gate", "--patch", patch_file(root, new), "--tests", "tests", "--json")
    assert [hunk["state"] for hunk in json.loads(run.stdout)["hunks"]] == ["kept"]
    (root / "tests/test_a.py").write_text("from pkg.a import LIMIT\n\n\ndef test_limit():\n    assert LIMIT == 3\n")
    run = run_jido(root.parent, root, "gate", "--patch", patch_file(root, new), "--tests", "tests", "--json")
    assert [hunk["state"] for hunk in json.loads(run.stdout)["hunks"]] == ["unchecked"]
