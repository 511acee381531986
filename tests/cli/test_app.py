"""The command line, as a person at a keyboard meets it."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest
from command_line import run_jido

from jido_ai.cli.app import main

WORKSHOP = Path(__file__).parent / "workshop"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return an empty home directory with a copy of the workshop in it."""
    shutil.copytree(WORKSHOP, tmp_path / "workshop", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    return tmp_path


def environment(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONWARNINGS": "error", "PYTHONDONTWRITEBYTECODE": "1"}


def jido(home: Path, *arguments: str | Path, project: str = "workshop") -> subprocess.CompletedProcess[str]:
    return run_jido(home, home / project, *map(str, arguments))


def complaint(run: subprocess.CompletedProcess[str]) -> str:
    """Return the one line of a refusal."""
    assert run.returncode == 2, run.stdout + run.stderr
    assert run.stdout == ""
    lines = run.stderr.strip().splitlines()
    assert len(lines) == 1, run.stderr
    return lines[0]


def files_of(home: Path) -> dict[str, bytes]:
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}


# -- usage -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bogus"], "No such option: --bogus; see `jido --help`"),
        (["bogus"], "No such command 'bogus'; see `jido --help`"),
        (["ask"], "Missing argument 'TEXT'; see `jido ask --help`"),
        (
            ["improve", "a.py", "--bogus"],
            "No such option: --bogus (Possible options: --verbose); see `jido improve --help`",
        ),
        (["memory", "bogus"], "No such command 'bogus'; see `jido memory --help`"),
        (
            ["cost", "--by", "x"],
            "Invalid value for '--by': 'x' is not one of 'day', 'label', 'model'; see `jido cost --help`",
        ),
    ],
    ids=str,
)
def test_wrong_usage_is_one_line_that_names_the_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["jido", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr() == ("", f"jido: {said}\n")


@pytest.mark.parametrize("arguments", [[], ["memory"]], ids=str)
def test_a_command_that_needs_another_shows_its_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["jido", *arguments])
    with pytest.raises(SystemExit):
        main()
    assert "Usage: jido" in "".join(capsys.readouterr())


# -- improve ---------------------------------------------------------------------------------------


def test_improve_shows_progress_on_stderr_and_result_and_diff_on_stdout_and_writes_nothing(home: Path) -> None:
    before = (home / "workshop" / "inventory.py").read_bytes()
    run = jido(home, "improve", "--unsafe-fixes", "inventory.py")
    assert (run.returncode, run.stderr) == (1, "")
    assert "inventory.py:27:5: A001" in run.stdout
    assert "(ruff has no fix for it)" in run.stdout
    assert "inventory.py: 9 fixed, 2 left" in run.stdout
    assert not re.search("declined|iteration|severity|score", run.stdout)
    told = jido(home, "improve", "--unsafe-fixes", "inventory.py", "-v")
    assert "inventory.py: iteration 1: severity 0.70, 11 open issues" in told.stderr
    assert "fixed    inventory.py:3:8: F401" in told.stdout
    assert "\n+    if part is None:\n" in run.stdout
    assert (home / "workshop" / "inventory.py").read_bytes() == before


def test_improve_applies_and_the_next_run_finds_nothing_to_fix_and_a_clean_file_ends_with_status_0(home: Path) -> None:
    path = home / "workshop" / "clean.py"
    path.write_bytes(b"import os\r\n\r\n\r\ndef same(a):\r\n    return a == None\r\n")
    path.chmod(0o640)
    assert jido(home, "improve", "--unsafe-fixes", "clean.py", "--apply").returncode == 0
    assert path.read_bytes() == b"def same(a):\r\n    return a is None\r\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert jido(home, "improve", "clean.py", "--check").returncode == 0


def test_check_judges_the_file_as_it_is_and_neither_writes_nor_learns(home: Path) -> None:
    before = files_of(home)
    run = jido(home, "improve", "pricing.py", "--check")
    assert run.returncode == 1
    assert "pricing.py:3:8: F401" in run.stdout
    assert files_of(home) == before


@pytest.mark.slow
def test_a_bug_found_only_by_a_test_is_fixed_if_a_small_edit_passes_all_tests_and_a_note_says_so(
    home: Path,
) -> None:
    run = jido(home, "improve", "pricing.py", "--tests", "tests")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "\n+    return price - price * percent / 100\n" in run.stdout
    assert "fixed    tests/test_price_list.py" in run.stdout
    assert "only the tests vouch for it" in run.stdout


@pytest.mark.slow
def test_a_bug_beyond_small_edits_is_left_with_its_place_and_values(home: Path) -> None:
    pricing = home / "workshop" / "pricing.py"
    pricing.write_text(pricing.read_text().replace("price + price * percent / 100", "20.0"))
    run = jido(home, "improve", "pricing.py", "--tests", "tests")
    assert run.returncode == 1
    assert "refused  tests/test_price_list.py" in run.stdout
    assert "assert 20.0 == 180" in run.stdout
    assert "edits tried" in run.stdout


@pytest.mark.slow
def test_json_is_one_complete_document(home: Path) -> None:
    run = jido(home, "improve", "--unsafe-fixes", "inventory.py", "report.py", "--json")
    assert run.returncode == 1
    told = json.loads(run.stdout)
    assert (told["version"], told["summary"]["left"]) == (2, 2)
    inventory, report = told["files"]
    assert inventory["stop_reason"] == "declined"
    assert {issue["rule"] for issue in inventory["left"]} == {"A001"}
    assert "F401" in {issue["rule"] for issue in inventory["fixed"]}
    assert inventory["diff"].startswith("--- a/inventory.py")
    assert inventory["lessons_stored"] == []  # fixes by rule teach nothing
    assert report["stop_reason"] == "accepted"
    assert report["fixed"][0]["at"] == "report.py:4:17"


@pytest.mark.rows("H64", "C28")
def test_fixes_by_rule_teach_nothing_and_a_lesson_of_a_person_can_be_listed_searched_and_forgotten(home: Path) -> None:
    jido(home, "improve", "--unsafe-fixes", "inventory.py")
    assert "nothing found" in jido(home, "memory", "list").stdout
    lesson = "Remove an import with the last use of its name."
    assert jido(home, "memory", "add", lesson, "--prompt", "an unused import").returncode == 0
    (listed,) = map(json.loads, jido(home, "memory", "list", "--json").stdout.splitlines())
    assert (listed["kind"], listed["correction"]) == ("semantic", lesson)
    assert "similarity" in jido(home, "memory", "search", "unused import").stdout
    assert jido(home, "memory", "forget", listed["id"]).returncode == 0
    assert "nothing found" in jido(home, "memory", "list").stdout


@pytest.mark.slow
def test_the_memory_is_in_the_user_data_directory_by_default(home: Path) -> None:
    jido(home, "improve", "--unsafe-fixes", "inventory.py", "--memory", home / "elsewhere" / "m.db")
    assert (home / "elsewhere" / "m.db").exists()
    assert not (home / ".local").exists()
    jido(home, "improve", "--unsafe-fixes", "inventory.py")
    assert (home / ".local" / "share" / "jido-ai" / "memory.db").exists()


# -- other files than Python, SARIF, git -----------------------------------------------------------


def test_other_texts_are_improved_by_the_checks_of_their_kind(home: Path) -> None:
    shop = home / "workshop"
    texts = {
        "notes.md": ("##Notes\n\ntext \n", "## Notes\n\ntext\n"),
        "data.json": ('{"a": [1, 2,],\n b: 3}\n', '{"a": [1, 2],\n "b": 3}\n'),
        "conf.yaml": ("# why\na:\n\t- 1\n", "# why\na:\n  - 1\n"),
        "conf.toml": ('[a\nb = "c"\n', '[a]\nb = "c"\n'),
        "a;b.txt": ("x  \ny", "x\ny\n"),
    }
    for name, (before, _) in texts.items():
        (shop / name).write_text(before)
    run = jido(home, "improve", *texts, "--apply")
    assert run.returncode == 0, run.stdout + run.stderr
    assert {name: (shop / name).read_text() for name in texts} == {name: after for name, (_, after) in texts.items()}


@pytest.mark.slow
def test_sarif_lists_the_remaining_issues_with_their_places_in_the_file_on_disk(home: Path) -> None:
    log = home / "left.sarif"
    run = jido(home, "improve", "--unsafe-fixes", "inventory.py", "--sarif", log)
    assert run.returncode == 1
    written = json.loads(log.read_text())
    results = written["runs"][0]["results"]
    assert [one["ruleId"] for one in results] == ["A001", "A001"]
    source = (home / "workshop" / "inventory.py").read_text().splitlines()
    for result in results:
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "inventory.py"
        region = place["region"]
        assert source[region["startLine"] - 1][region["startColumn"] - 1 :].startswith("id")
    first = log.read_bytes()
    jido(home, "improve", "--unsafe-fixes", "inventory.py", "--sarif", log)
    assert log.read_bytes() == first


def git(home: Path, *words: str) -> None:
    command = ["git", "-c", "user.email=a@b", "-c", "user.name=n", "-c", "commit.gpgsign=false", *words]
    subprocess.run(command, cwd=home / "workshop", check=True, capture_output=True, env=environment(home))


def test_since_selects_changed_and_new_files_and_no_others(home: Path) -> None:
    shop = home / "workshop"
    git(home, "init", "-q", ".")
    git(home, "add", ".")
    git(home, "commit", "-q", "-m", "one")
    unchanged = jido(home, "improve", "--since", "HEAD", "--json")
    assert (unchanged.returncode, json.loads(unchanged.stdout)["files"]) == (0, [])
    assert "nothing to do" in unchanged.stderr
    (shop / "pricing.py").unlink()
    (shop / "report.py").write_text("x = 1\n")
    (shop / "new ü.py").write_text("y = 2\n")
    (shop / "new.c").write_text("int x;\n")
    (shop / "link.py").symlink_to("report.py")
    run = jido(home, "improve", "--since", "HEAD", "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["clean"] == ["new ü.py", "report.py"]
    narrowed = jido(home, "improve", "report.py", "--since", "HEAD", "--json")
    assert json.loads(narrowed.stdout)["clean"] == ["report.py"]


def test_since_needs_a_repository_and_an_existing_commit(home: Path) -> None:
    assert "is not in a git repository" in complaint(jido(home, "improve", "--since", "HEAD"))
    git(home, "init", "-q", ".")
    for ref in ("HEAD", "no-such-branch", "--output=x", "", "a\nb"):
        assert "knows no commit" in complaint(jido(home, "improve", f"--since={ref}"))
    assert not (home / "workshop" / "x").exists()


def test_git_runs_no_program_that_a_repository_names(home: Path) -> None:
    git(home, "init", "-q", ".")
    git(home, "add", ".")
    git(home, "commit", "-q", "-m", "one")
    trap = home / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {home}/sprung\n")
    trap.chmod(0o755)
    (home / "workshop" / ".gitattributes").write_text("*.py diff=trap filter=Trap.one\n")
    for key in ("core.fsmonitor", "diff.external", "diff.trap.textconv", "diff.trap.command", "core.pager"):
        git(home, "config", key, str(trap))
    for key in ("clean", "process", "smudge"):
        git(home, "config", f"filter.Trap.one.{key}", str(trap))
    git(home, "config", "filter.Trap.one.required", "true")
    (home / "workshop" / "report.py").write_text("x = 1\n")
    (home / "sprung").unlink(missing_ok=True)  # by the set-up
    assert jido(home, "improve", "--since", "HEAD", "--check").returncode == 0
    assert not (home / "sprung").exists()
    git(home, "config", "filter.a=b.clean", str(trap))  # which no option can switch off
    assert "'a=b'" in complaint(jido(home, "improve", "--since", "HEAD", "--check"))


def test_git_never_fetches_missing_objects(home: Path) -> None:
    git(home, "init", "-q", ".")
    git(home, "add", ".")
    git(home, "commit", "-q", "-m", "one")
    objects = home / "workshop" / ".git" / "objects"
    shutil.rmtree(objects)
    objects.mkdir()
    for key, value in (
        ("extensions.partialClone", "origin"),
        ("core.repositoryformatversion", "1"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", f"ext::touch {home}/sprung"),
        ("protocol.ext.allow", "always"),
    ):
        git(home, "config", key, value)
    complaint(jido(home, "improve", "--since", "HEAD", "--check"))
    assert not (home / "sprung").exists()


def test_a_changed_file_with_an_unusable_name_is_rejected(home: Path) -> None:
    git(home, "init", "-q", ".")
    git(home, "add", ".")
    git(home, "commit", "-q", "-m", "one")
    odd = home / "workshop" / "a\nb.py"
    odd.write_text("x = 1\n")
    assert "control character" in complaint(jido(home, "improve", "--since", "HEAD"))
    odd.rename(odd.with_name("-rf.py"))
    assert "-rf.py" in complaint(jido(home, "improve", "--since", "HEAD"))


# -- bad input: one clear line, status 2, nothing changed ------------------------------------------


def test_bad_files_are_refused_before_anything_starts(home: Path) -> None:
    shop = home / "workshop"
    (shop / "binary.py").write_bytes(b"\0\1")
    (shop / "latin.py").write_bytes(b"# \xe9\n")
    (shop / "huge.py").write_bytes(b"#" * 2_200_000)
    (home / "outside.py").write_text("x = 1\n")
    (shop / "link.py").symlink_to("../outside.py")
    (shop / "nothing").mkdir()
    before = files_of(home)
    expected = {
        "missing.py": "no such file",
        "binary.py": "binary",
        "latin.py": "not UTF-8",
        "huge.py": "2 MiB",
        "link.py": "link out of its tree",
        "nothing": "no Python file",
    }
    for name, word in expected.items():
        line = complaint(jido(home, "improve", "inventory.py", name, "--apply"))
        assert name in line
        assert word in line
    assert files_of(home) == before


def test_missing_tests_are_refused(home: Path) -> None:
    assert "no such tests" in complaint(jido(home, "improve", "pricing.py", "--tests", "nowhere"))


def test_a_file_outside_the_project_named_by_root_is_refused(home: Path) -> None:
    assert "--root" in complaint(jido(home, "improve", "pricing.py", "--root", "tests"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../outside.py", "leads out"),
        ("C:\\a.py", "drive letter"),
        ("a\nb.py", "control character"),
        ("/etc/passwd", "not supported"),
        ("-rf.py", "reads like an option"),
        ("Makefile", "not supported"),
    ],
)
def test_a_path_that_leads_outside_or_names_an_unknown_kind_of_file_is_refused(
    home: Path, name: str, said: str
) -> None:
    (home / "outside.py").write_text("import os\n")
    for odd in ("-rf.py", "a\nb.py", "Makefile"):
        (home / "workshop" / odd).write_text("import os\n")
    before = files_of(home)
    assert said in complaint(jido(home, "improve", "--apply", "--", name))
    assert files_of(home) == before


@pytest.mark.slow
def test_a_file_named_by_a_link_in_its_tree_is_improved_in_place(home: Path) -> None:
    place = home / "workshop"
    (place / "package").mkdir()
    (place / "package" / "real.py").write_text("import os\n\nx = 1\n")
    (place / "link.py").symlink_to("package/real.py")
    (place / "folder").symlink_to("package")
    checked = jido(home, "improve", "folder/real.py", "--check")
    assert checked.returncode == 1, checked.stderr
    assert "package/real.py:1" in checked.stdout
    applied = jido(home, "improve", "link.py", "--apply")
    assert applied.returncode == 0, applied.stderr
    assert (place / "link.py").is_symlink()
    assert (place / "package" / "real.py").read_text() == "x = 1\n"


def test_a_read_only_file_is_refused_if_it_would_be_written(home: Path) -> None:
    path = home / "workshop" / "report.py"
    path.chmod(0o444)
    assert "read-only" in complaint(jido(home, "improve", "report.py", "--apply"))
    assert jido(home, "improve", "report.py").returncode == 0


@pytest.mark.slow
def test_a_file_that_changes_during_the_run_is_left_and_the_others_are_written(home: Path) -> None:
    shop = home / "workshop"
    one, other = shop / "one.py", shop / "other.py"
    for path in (one, other):
        path.write_text("import os\n\nx = 1\n")
    command = [sys.executable, "-m", "jido_ai", "improve", "--unsafe-fixes", "one.py", "other.py", "--apply", "-v"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=shop, env=environment(home)
    ) as process:
        assert process.stderr is not None
        next(line for line in process.stderr if "one.py: iteration 1" in line)
        one.write_text("mine = True\n")
        out, err = process.communicate(timeout=150)
    assert process.returncode == 2
    assert "jido: one.py: changed since it was read" in err
    assert "other.py: 1 fixed, 0 left" in out
    assert one.read_text() == "mine = True\n"
    assert other.read_text() == "x = 1\n"


@pytest.mark.parametrize("log", ["nowhere/left.sarif", "tests"])
def test_an_impossible_path_of_the_sarif_log_is_refused_before_anything_starts(home: Path, log: str) -> None:
    assert "--sarif" in complaint(jido(home, "improve", "report.py", "--sarif", log))


def test_contradicting_options_are_refused(home: Path) -> None:
    assert "cannot be combined" in complaint(jido(home, "improve", "pricing.py", "--apply", "--check"))


def test_a_missing_tool_is_named_with_its_installation_command(home: Path) -> None:
    code = (
        "import sys; from jido_ai.cli import app as cli; from jido_ai.tools import ready as tools\n"
        "import dataclasses, jido_ai.registry as registry\n"
        "tools.RUFF = dataclasses.replace(tools.RUFF, argv=('no-such-linter', '{file}'), project_argv=None)\n"
        "sys.argv = ['jido', 'improve', 'pricing.py']; cli.main()\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=home / "workshop",
        env=environment(home),
        check=False,
    )
    line = complaint(run)
    assert "no-such-linter" in line
    assert "ruff" in line


@pytest.mark.parametrize("command", [("improve", "pricing.py"), ("memory", "list")])
def test_a_damaged_memory_file_is_refused_and_left_as_it_is(home: Path, command: tuple[str, ...]) -> None:
    memory = home / "memory.db"
    memory.write_bytes(b"this is no database" * 1000)
    before = files_of(home)
    assert "memory.db" in complaint(jido(home, *command, "--memory", memory))
    assert files_of(home) == before


def test_there_is_no_memory_before_the_first_lesson(home: Path) -> None:
    assert "no memory yet" in complaint(jido(home, "memory", "list"))


@pytest.mark.slow
def test_forgetting_an_unknown_id_says_so(home: Path) -> None:
    jido(home, "improve", "--unsafe-fixes", "inventory.py")
    assert "memory_unknown" in complaint(jido(home, "memory", "forget", "memory_unknown"))


def test_wrong_usage_ends_with_status_2(home: Path) -> None:
    assert jido(home, "improve").returncode == 2
    assert jido(home, "no-such-command").returncode == 2
    assert jido(home, "improve", "pricing.py", "--max-iterations", "0").returncode == 2


# -- interrupted -----------------------------------------------------------------------------------


def alive_in(directory: Path) -> list[str]:
    """Return the command lines of processes whose environment names `directory`."""
    found: list[str] = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(directory).encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_bytes().decode())
    return found


def running(mark: str) -> bool:
    """Tell whether a process runs that has `mark` as its last argument."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (process / "cmdline").read_bytes().endswith(f"\0{mark}\0".encode()):
                return True
    return False


@pytest.mark.timeout(120)
@pytest.mark.slow
def test_ctrl_c_reports_the_best_so_far_and_leaves_neither_a_process_nor_a_change(home: Path) -> None:
    shop = home / "workshop"
    mark = f"slow-test-of-{home.name}-{os.getpid()}"  # seen from outside of any sandbox, in the list of processes
    (shop / "tests" / "test_slow.py").write_text(
        "import subprocess, sys\ndef test_slow():\n"
        f"    subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)', {mark!r}])\n"
    )
    before = {path: path.read_bytes() for path in shop.rglob("*.py")}
    command = [sys.executable, "-m", "jido_ai", "improve", "pricing.py", "--tests", "tests", "--apply"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=shop, env=environment(home)
    ) as process:
        deadline = time.monotonic() + 30
        while not running(mark) and time.monotonic() < deadline and process.poll() is None:
            os.sched_yield()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "interrupted" in err
    assert {path: path.read_bytes() for path in shop.rglob("*.py")} == before
    assert alive_in(home) == []
    assert not running(mark)


@pytest.mark.parametrize("moment", ["iteration 1", "revised", None])
@pytest.mark.slow
def test_kill_9_leaves_the_old_file_or_the_new_one_and_a_memory_that_opens(home: Path, moment: str | None) -> None:
    path = home / "workshop" / "inventory.py"
    jido(home, "memory", "add", "Take min to keep a value below a limit.")  # something acknowledged to lose
    known = jido(home, "memory", "list", "--json").stdout
    old = path.read_bytes()
    command = [sys.executable, "-m", "jido_ai", "improve", "--unsafe-fixes", "inventory.py", "--apply", "-v"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=path.parent, env=environment(home)
    ) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        if moment is None:
            process.stdout.readline()  # it is writing its report: the file is written
        else:
            next(line for line in process.stderr if moment in line)
        process.kill()
    new = path.read_bytes()
    assert new == old or b"if part is None" in new
    ast.parse(new)
    listed = jido(home, "memory", "list", "--json")
    assert listed.returncode == 0
    assert {json.loads(line)["id"] for line in known.splitlines()} <= {
        json.loads(line)["id"] for line in listed.stdout.splitlines()
    }


# -- doctor ----------------------------------------------------------------------------------------


def test_doctor_shows_installed_extras_tools_and_data_directories(home: Path) -> None:
    run = jido(home, "doctor")
    assert run.returncode == 0
    for word in ("python", "pydantic", "tool ruff", "tool pytest", "sandbox", str(home / ".local")):
        assert word in run.stdout


def test_doctor_shows_the_address_of_every_provider_or_what_is_missing(home: Path) -> None:
    lines = {line[:22].strip(): line[22:] for line in jido(home, "doctor").stdout.splitlines()}
    assert "set OPENAI_API_KEY" in lines["model openai"]
    assert "set ANTHROPIC_API_KEY" in lines["model anthropic"]
    assert "set COMPATIBLE_BASE_URL" in lines["model compatible"]
    assert lines["model ollama"] == 'would be asked at http://127.0.0.1:11434, as in "ollama:NAME"'
    assert lines["max_lesson_tokens"].startswith("512 ")


def test_tree_draws_a_running_example_with_kinds_states_and_restarts(home: Path) -> None:
    run = jido(home, "tree")
    assert run.returncode == 0
    assert run.stderr == ""
    lines = run.stdout.splitlines()
    (critiquer,) = [line for line in lines if "example.critiquer" in line]
    assert "ComponentActor running  restarts 1" in critiquer
    assert sum("ReflectionLoop running" in line for line in lines) == 3
    assert any("MemoryActor running" in line for line in lines)


def test_version_is_the_version_of_the_distribution(home: Path) -> None:
    assert jido(home, "--version").stdout == f"{version('jido-ai')}\n"


@pytest.mark.slow
def test_a_reader_that_closes_the_pipe_is_not_an_error(home: Path) -> None:
    command = f"{sys.executable} -m jido_ai doctor | true"
    run = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment(home), check=False)
    assert "Traceback" not in run.stderr


def test_omitted_issues_are_counted(home: Path) -> None:
    (home / "workshop" / "many.py").write_text("".join(f"import os{number}\n" for number in range(1_001)))
    run = jido(home, "improve", "many.py", "--check")
    assert "more     ruff found 1,001 issues; only the first 1,000 are judged" in run.stdout
    assert run.returncode == 1
