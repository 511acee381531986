"""Code on pages that is not one program: the files and the program about graphs, and the names that pages import."""

from __future__ import annotations

import ast
import shutil
import textwrap
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from api_pages import listed
from page_runner import blocks_of, run

from jido_ai.actors import Actor
from jido_ai.testing import ScriptedModel

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS.parent / "examples" / "graphs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "planning" not in page.parts]
GRAPHS = list(blocks_of((DOCS / "graphs.md").read_text("utf-8")))


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_graph_from_nothing_runs_until_it_waits_for_a_person(tmp_path: Path) -> None:
    first, rules, more, approval, *_ = [block.text for block in GRAPHS if block.kind == "toml"]
    graph = first.replace('output = "outline"', 'output = "talk"') + more + approval
    (tmp_path / "talk.toml").write_text(graph.replace("openai:gpt-4o-mini", "scripted:talk.answers.toml"))
    (tmp_path / "outline.rules.toml").write_text(rules)
    shutil.copy(EXAMPLES / "talk.answers.toml", tmp_path)
    check, start = next(block.text for block in GRAPHS if block.kind == "console").replace("$ ", "").splitlines()
    assert run(["bash", "-c", check], tmp_path).returncode == 0
    done = run(["bash", "-c", start], tmp_path)
    assert "suspended: a node waits for a decision" in done.stdout


def test_the_same_graph_in_python_waits_for_a_person_and_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code = next(block.text for block in GRAPHS if block.kind == "python")
    before, named, after = code.partition('model = "openai:gpt-4o-mini"\n')
    assert named
    verdict = '{"issues": [], "suggestions": [], "severity": 0.0, "feedback": ""}'
    model = ScriptedModel(lambda request: verdict if request.schema else "a text")
    exec(compile(before + after, "graphs.md", "exec"), {"model": model})
    assert capsys.readouterr().out == "suspended waiting\ncompleted a text\n"


def test_the_actor_of_the_page_on_supervision_is_one() -> None:
    names: dict[str, Any] = {"Actor": Actor}
    exec(next(b.text for b in blocks_of((DOCS / "supervision.md").read_text("utf-8")) if b.kind == "python"), names)
    assert issubclass(names["Store"], Actor)


def imports_of(page: Path) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for block in blocks_of(page.read_text("utf-8")):
        if block.kind == "python":
            for node in ast.walk(ast.parse(textwrap.dedent(block.text), feature_version=(3, 12))):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("jido_ai"):
                    found |= {(node.module or "", alias.name) for alias in node.names}
    return found


@pytest.mark.parametrize("page", [page for page in PAGES if imports_of(page)], ids=lambda page: page.stem)
def test_a_page_imports_names_that_are_public(page: Path) -> None:
    for module, name in imports_of(page):
        spec = find_spec(module)
        assert spec is not None, module
        assert spec.origin is not None
        tree = ast.parse(Path(spec.origin).read_text("utf-8"))  # not imported: its framework may not be here
        assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
        public = [ast.literal_eval(node.value) for node in assigned if ast.unparse(node.targets[0]) == "__all__"]
        public.append(listed(Path(spec.origin)))
        assert any(name in names for names in public), f"{page.name}: {module} has no public {name}"
