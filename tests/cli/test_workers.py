"""`jido worker` and `jido submit` where DBOS is not installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("words", [("worker",), ("submit", "answer", "question")], ids=" ".join)
@pytest.mark.quick_cases(1)
def test_without_dbos_the_commands_name_the_extra(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "jido.toml").write_text('[pipelines.answer]\nmodel = "ollama:x"\ncritics = ["model:ollama:x"]\n')
    code = (
        "import sys\nsys.modules['dbos'] = None\n"
        f"sys.argv = ['jido', *{[*words, '--store', 'r.db', '--queue', 'q']!r}]\n"
        "from jido_ai.__main__ import main\nmain()\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=150, cwd=tmp_path
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert "is not installed: pip install 'jido-ai[dbos]'" in run.stderr
    assert run.stderr.count("\n") == 1
    assert not (tmp_path / "r.db").exists()
