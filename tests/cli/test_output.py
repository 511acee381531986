"""Standard output that cannot be written: one line on standard error and status 2, for every command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import run_jido

from jido_ai.__main__ import main

QUICK = ["--version", "improve --rules", "memory list --json"]
SLOW = [
    "--help",
    "doctor",
    "tree",
    "improve a.py --check",
    "improve a.py --check --json",
    "memory list",
    "memory search import",
    "memory stats --json",
    "runs list",
    "runs list --json",
    "progress",
    "cost",
]
COMMANDS = [*QUICK, *(pytest.param(command, marks=pytest.mark.slow) for command in SLOW)]
FULL = "jido: standard output cannot be written: No space left on device\n"
GONE = "jido: standard output cannot be written: Broken pipe\n"
CLOSED = "jido: standard output cannot be written: Bad file descriptor\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home directory with a file to improve, and a memory."""
    path = tmp_path_factory.mktemp("home")
    (path / "a.py").write_text("import os\n\nx = 1\n")
    assert run_jido(path, path, "improve", "a.py").returncode in (0, 1)
    lesson = ("memory", "add", "Remove an import with the last use of its name.", "--prompt", "an unused import")
    assert run_jido(path, path, *lesson).returncode == 0
    return path


def run(home: Path, command: str, redirection: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell that redirects its output. Only its last line on standard error is kept."""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", f'"{sys.executable}" -m jido_ai {command} {redirection}'],
        capture_output=True,
        text=True,
        timeout=150,
        cwd=home,
        env={"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONWARNINGS": "error"},
        check=False,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_one_line_and_status_2(home: Path, command: str) -> None:
    done = run(home, command, "> /dev/full")
    assert done.returncode == 2, done.stderr
    assert done.stderr.endswith(FULL)
    assert "Traceback" not in done.stderr
    assert command.startswith("improve a.py") or done.stderr == FULL  # `improve` tells its progress before


@pytest.mark.parametrize(
    "command",
    [
        "--version",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("doctor", "memory list", "improve a.py --check")),
    ],
)
def test_a_lost_reader_or_a_closed_output_is_one_line_and_status_2(home: Path, command: str) -> None:
    for redirection, said in (("| true", GONE), (">&-", CLOSED)):
        done = run(home, command, redirection)
        assert done.returncode == 2, done.stderr
        assert done.stderr.endswith(said)
        assert command.startswith("improve a.py") or done.stderr == said


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("redirection", ["2> /dev/full", "2>&-"])
def test_the_result_is_printed_even_if_stderr_is_closed(home: Path, redirection: str) -> None:
    done = run(home, "improve a.py --check", redirection)
    assert (done.returncode, done.stderr) == (1, "")
    assert "a.py" in done.stdout


def test_wrong_usage_is_status_2_even_if_stderr_is_closed(home: Path) -> None:
    assert run(home, "bogus", "2> /dev/full").returncode == 2


def test_streams_of_a_test_are_used_unchanged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["jido", "--version"])
    before = sys.stdout
    with pytest.raises(SystemExit):
        main()
    assert sys.stdout is before
    assert capsys.readouterr().out.count(".") == 2
