"""The pages of the documentation: their programs run, their links lead somewhere, made pages are up to date."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest
from api_pages import listed
from model_servers.stand_in import StandIn
from page_runner import NOT_RUN, blocks_of, carry_out, plain_commands, reason_not_to_run
from reference import FOLDER, STATUSES, WHAT_TO_DO, made_pages

import jido_ai
from jido_ai.values import StopReason

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
DATABASE = "postgresql://jido@db.internal/jido"  # on a page; here a server of the tests
LOCAL = "http://127.0.0.1:8080"  # the same for a model
CRITIQUE = '{"issues": [], "suggestions": [], "severity": 0.0, "feedback": ""}'
RUN = sorted(page for room in ("tutorial", "how-to", "actors", "cookbook") for page in (DOCS / room).glob("*.md"))
READ = [*sorted(DOCS.rglob("*.md")), *sorted(ROOT.glob("*.md"))]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.slow
@pytest.mark.timeout(900)  # for a loaded machine: alone, a page takes 2 to 30 s
@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_a_page_that_is_followed_from_top_to_bottom_works(
    page: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    text = page.read_text("utf-8")
    if DATABASE in text:
        server = request.getfixturevalue("postgres")
        text = text.replace(f'"{DATABASE}"', f'"{server}"').replace(DATABASE, shlex.quote(server))
    with StandIn("key", critique=CRITIQUE) as model:
        keys = {f"{name}_API_KEY": "key" for name in ("OPENAI", "ANTHROPIC", "OLLAMA", "COMPATIBLE")}
        hosts = {"OPENAI_BASE_URL": f"{model.url}/v1", "ANTHROPIC_BASE_URL": model.url, "OLLAMA_HOST": model.url}
        carry_out(text.replace(LOCAL, model.url), tmp_path, {**keys, **hosts, "BASE": "HEAD"})


ELSEWHERE = {
    "docs/graphs.md": "test_code_of_pages.py",
    "docs/serve.md": "how-to/web-service.md, which starts a server and asks it; serve/test_serve_process.py",
    "docs/workers.md": "its doctor shows a queue of the reader's",
}
"""Pages outside of the folders that are followed whose `console` blocks other tests run."""


def test_each_page_with_a_session_is_followed_or_says_which_test_runs_it() -> None:
    with_sessions = {
        name_of(page)
        for page in READ
        if page not in RUN and not {"planning", "reference"} & set(page.parts)
        if any(block.kind == "console" for block in blocks_of(page.read_text("utf-8")))
    }
    assert with_sessions == set(ELSEWHERE)


def test_each_command_without_shown_output_is_on_a_page_that_is_followed_or_says_why_not() -> None:
    left = [
        (name_of(page), command)
        for page in READ
        if page not in RUN and not {"planning", "reference"} & set(page.parts)
        for block in blocks_of(page.read_text("utf-8"))
        if not block.kind
        for command in plain_commands(block.text)
        if reason_not_to_run(command) is None
    ]
    assert left == []


def test_each_reason_not_to_run_a_command_has_a_command() -> None:
    blocks = [block for page in READ for block in blocks_of(page.read_text("utf-8")) if not block.kind]
    commands = [command for block in blocks for command in plain_commands(block.text)]
    assert [pattern for pattern in NOT_RUN if not any(re.fullmatch(pattern, command) for command in commands)] == []


def without_code(page: Path) -> str:
    return re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors_of(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", without_code(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", READ, ids=name_of)
def test_links_between_files_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", without_code(page))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        place = page.parent / name if name else page
        assert place.exists(), f"{name_of(page)}: {target}"
        assert not anchor or anchor in anchors_of(place), f"{name_of(page)}: {target}"


def test_a_page_names_tests_that_exist() -> None:
    found = [
        (page, name, place)
        for page in READ
        for name, place in re.findall(r"\[(test_\w+)\]\(([^)]+)\)", page.read_text("utf-8"))
    ]
    assert len(found) > 30
    for page, name, place in found:
        assert f"def {name}(" in (page.parent / place).read_text("utf-8"), f"{name_of(page)}: {name}"


def test_the_page_of_errors_has_messages_that_the_program_prints() -> None:
    trees = [ast.parse(file.read_text("utf-8")) for file in (ROOT / "jido_ai").rglob("*.py")]
    texts = [node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    said = "\n".join(text for text in texts if isinstance(text, str))
    rows = re.findall(r"^\| `(.*?)` \|", (DOCS / "how-to" / "errors.md").read_text("utf-8"), re.MULTILINE)
    assert len(rows) > 12
    for message in rows:
        for part in filter(str.strip, message.split("...")):
            assert part.strip() in said, f"{message!r}: no message has {part!r}"


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return made_pages()


def test_the_made_pages_say_what_the_code_says(made: dict[str, str]) -> None:
    old = [name for name, text in made.items() if (FOLDER / name).read_text("utf-8") != text]
    assert old == [], "renew them: python tests/reference.py"


def test_the_reference_in_a_checkout_has_the_signature_and_the_docstring_of_every_public_name(
    made: dict[str, str],
) -> None:
    sections = {
        name: text
        for page in made
        if page.startswith("api-")
        for name, text in re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", made[page], re.MULTILINE | re.DOTALL)
    }
    for name in listed(Path(jido_ai.__file__)):
        assert sections[name].lstrip().startswith("```python"), name
        assert len(sections[name].split("```")[-1].strip()) > 10, name
    assert "initial_candidate: Candidate | str | None = None" in sections["reflect_sync"]  # not one of the overloads
    assert "### Pipeline.run\n" in sections["Pipeline"]  # it is inherited
    assert "- `critiquer`: judges candidates" in sections["Pipeline"]
    assert not [name for name, text in sections.items() if "SPEC" in text or ":::" in text]


def test_every_stop_reason_has_advice_and_every_status_a_meaning() -> None:
    assert list(WHAT_TO_DO) == list(StopReason)
    assert set(STATUSES) == {0, 1, 2, 130}
