"""Every example runs offline and prints what its docstring says."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jido_ai.models import ScriptedAnswers
from jido_ai.testing import ScriptedModel

ROOT = Path(__file__).parent.parent
EXAMPLES = [*sorted((ROOT / "examples").glob("[0-9]*.py")), ROOT / "examples" / "invoice.py"]


def expected_output(example: Path) -> str:
    """Return the lines that follow the `$ python ...` line of the docstring."""
    docstring = ast.get_docstring(ast.parse(example.read_text("utf-8")))
    assert docstring is not None
    return docstring.split(f"$ python examples/{example.name}\n")[1].strip()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_prints_the_output_in_its_docstring(example: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "PYTHONWARNINGS": "error"}
    run = subprocess.run(
        [sys.executable, example],
        capture_output=True,
        text=True,
        timeout=150,
        env=environment,
        cwd=tmp_path,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == expected_output(example)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 4


def test_the_readmes_program_prints_what_the_readme_says_and_the_demo_is_the_same_program(
    capsys: pytest.CaptureFixture[str],
) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    code, printed = (readme.split(f"```{kind}\n")[1].split("```")[0] for kind in ("python", "text"))
    assert len([line for line in code.splitlines() if line]) <= 18
    script = (ROOT / "examples" / "invoice.answers.toml").read_text("utf-8")
    names: dict[str, Any] = {"scripted": ScriptedAnswers(script, "a model")}
    exec(compile(re.sub(r"^model = .*$", "model = scripted", code, flags=re.MULTILINE), "README.md", "exec"), names)
    assert capsys.readouterr().out == printed
    demo = (ROOT / "examples" / "invoice.py").read_text("utf-8")
    assert set(code.splitlines()) - set(demo.splitlines()) == {line for line in code.splitlines() if "openai:" in line}
    assert "examples/invoice.py" in (ROOT / "Makefile").read_text("utf-8").split("\ndemo:")[1].split("\n\n")[0]


def test_the_page_on_extending_prints_the_documented_output(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "extending.md").read_text("utf-8")
    blocks = re.findall(r"```(\w+)\n(.*?)```", page, re.DOTALL)
    code, printed = ("".join(text for kind, text in blocks if kind == wanted) for wanted in ("python", "text"))
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=150, cwd=tmp_path, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == printed


async def test_the_example_with_a_model_runs() -> None:
    page = (ROOT / "docs" / "how-to" / "models.md").read_text("utf-8")
    code = page.split('```python title="moon.py"\n')[1].split("```")[0]
    names: dict[str, Any] = {}
    exec(compile(code, "models.md", "exec"), names)
    good = json.dumps({"issues": [], "suggestions": [], "severity": 0.0, "feedback": ""})
    assert await names["answer"]("How far is the moon?", ScriptedModel(["384,400 km", good])) == "384,400 km"
