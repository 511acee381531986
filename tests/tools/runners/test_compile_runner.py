"""The script that compiles files, run by this interpreter and by other versions on the machine."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jido_ai.tools import runners
from jido_ai.tools.reports.linters import parse_compile

SCRIPT = Path(runners.__file__).parent / "compile_json.py"
OLD = ["python2.7", "python3.6", "python3.7", "python3.8", "python3.9", "python3.13"]


def run(*files: str, directory: Path, program: str = sys.executable) -> tuple[int, str]:
    flags = ["-E", "-s", "-S"] if program.endswith("2.7") else ["-I", "-S"]
    ended = subprocess.run([program, *flags, str(SCRIPT), *files], cwd=directory, capture_output=True, timeout=150)
    return ended.returncode, ended.stdout.decode()


def write(directory: Path, **files: str | bytes) -> list[str]:
    for name, text in files.items():
        (directory / f"{name}.py").write_bytes(text if isinstance(text, bytes) else text.encode())
    return [f"{name}.py" for name in files]


def test_a_file_has_its_problems_and_a_status_for_whether_it_compiles(tmp_path: Path) -> None:
    write(tmp_path, good="x = 1\n", odd="x = '\\d'\n", bad="def f(:\n")
    assert run("good.py", directory=tmp_path) == (0, '{"problems": []}')
    status, text = run("bad.py", directory=tmp_path)
    (issue,) = parse_compile(text)
    assert (status, issue.kind, issue.rule) == (1, "syntax", "SyntaxError")
    status, text = run("odd.py", directory=tmp_path)
    assert (status, [issue.kind for issue in parse_compile(text)]) == (0, ["warning"])
    status, text = run("gone.py", directory=tmp_path)
    assert (status, text) == (1, "")


def test_several_files_are_compiled_in_one_process_and_each_has_its_problems(tmp_path: Path) -> None:
    names = write(tmp_path, good="x = 1\n", bad="def f(:\n", nul=b"x = 1\0", latin=b"# coding: latin-1\nx = '\xe9'\n")
    status, text = run(*names, "gone.py", directory=tmp_path)
    files = json.loads(text)["files"]
    assert status == 1
    assert {name: bool(one["problems"]) for name, one in files.items()} == {
        "good.py": False, "bad.py": True, "nul.py": True, "latin.py": False, "gone.py": True
    }  # fmt: skip
    status, text = run("good.py", "latin.py", directory=tmp_path)
    assert (status, json.loads(text)) == (0, {"files": {"good.py": {"problems": []}, "latin.py": {"problems": []}}})


def test_nothing_of_a_file_is_executed_and_warnings_are_bounded(tmp_path: Path) -> None:
    write(tmp_path, evil="open('seen', 'w')\n", loud="".join(f"x{n} = '\\d'\n" for n in range(90)))
    _, text = run("evil.py", "loud.py", directory=tmp_path)
    assert not (tmp_path / "seen").exists()
    assert len(json.loads(text)["files"]["loud.py"]["problems"]) == 50


@pytest.mark.parametrize("program", OLD)
@pytest.mark.quick_cases(2)
def test_an_old_interpreter_reports_what_it_does_not_support(program: str, tmp_path: Path) -> None:
    if shutil.which(program) is None or subprocess.run([program, "-V"], capture_output=True, timeout=150).returncode:
        pytest.skip(f"{program} is not on this machine")
    names = write(
        tmp_path, old="x = 1\n", walrus="(x := 1)\n", string="x = f'{1}'\n", match="match 1:\n    case 1: pass\n"
    )
    status, text = run(*names, directory=tmp_path, program=program)
    minor = int(program.partition(".")[2])
    files = {name: not one["problems"] for name, one in json.loads(text)["files"].items()}
    is_three = program.startswith("python3")
    has_walrus, has_match = is_three and minor >= 8, is_three and minor >= 10
    assert files == {"old.py": True, "walrus.py": has_walrus, "string.py": is_three, "match.py": has_match}
    assert status == (0 if all(files.values()) else 1)
