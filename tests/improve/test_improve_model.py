"""`jido improve --model`: a model revises what nobody else can, and judges only when asked to."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from jido_ai.cli.improve import improve
from jido_ai.errors import ConfigurationError, ModelUnavailableError
from jido_ai.improve.outcome import ImproveOptions
from jido_ai.testing import ScriptedModel

BROKEN = 'def area(r):\n    """Give the area."""\n    return pi * r * r\n'
MENDED = BROKEN.replace("pi", "3.14159")

DIFFERENCE = [
    " def area(r):", '     """Give the area."""', "-    return pi * r * r", "+    return 3.14159 * r * r",
]  # fmt: skip


def run(path: Path, **options: Any) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    chosen = {"files": [path], "memory": path.parent / "m.db", "root": path.parent, **options}
    status = improve(ImproveOptions(**chosen), out, err)
    return status, out.getvalue(), err.getvalue()


def source(tmp_path: Path, text: str = BROKEN) -> Path:
    path = tmp_path / "area.py"
    path.write_text(text, "utf-8")
    return path


def revising(text: str, change: str = "pi was not defined") -> ScriptedModel:
    reply = {"improved_response": text, "changes_made": [change], "parts_preserved": []}
    return ScriptedModel(lambda request: json.dumps(reply))


def test_a_model_fixes_findings_that_the_built_in_fixers_cannot(tmp_path: Path) -> None:
    path, model = source(tmp_path), revising(MENDED)
    status, out, _ = run(path, model=model, output="apply")
    assert (status, path.read_text("utf-8")) == (0, MENDED)
    assert len(model.requests) == 1
    assert "Undefined name `pi`" in model.requests[0].messages[-1].content
    assert "note     scripted: pi was not defined" in out
    assert "took     1 model call," in out


def test_without_a_critic_no_model_judges_and_with_one_its_findings_are_listed_beside_the_tools(tmp_path: Path) -> None:
    said = {"issues": [{"message": "no unit", "severity": 0.4}], "suggestions": [], "feedback": "", "severity": 0.4}
    critic = ScriptedModel(lambda request: json.dumps(said))
    status, out, _ = run(source(tmp_path, MENDED), critic=critic, output="check", as_json=True)
    (told,) = json.loads(out)["files"]
    assert (status, [issue["source"] for issue in told["left"]]) == (1, ["model:scripted"])
    assert told["usage"]["calls"] == 1


@pytest.mark.parametrize("option", ["model", "critic"])
@pytest.mark.parametrize("name", ["nonsense", "nobody:m"])
@pytest.mark.parametrize("text", ["X = 1\n", BROKEN, ""])
def test_a_name_of_no_model_is_refused_before_a_file_is_read(tmp_path: Path, option: str, name: str, text: str) -> None:
    path = source(tmp_path, text)
    with pytest.raises(ConfigurationError, match=r"a model is named|unknown model provider 'nobody'"):
        run(path, **{option: name}, output="apply")
    assert path.read_text("utf-8") == text
    assert [one.name for one in tmp_path.iterdir()] == ["area.py"]


@pytest.mark.parametrize("verdict", [{"severity": 0.8}, {"severity": 0.8, "issues": [], "feedback": "It is vague."}])
def test_a_severity_alone_is_a_finding_of_the_critic(tmp_path: Path, verdict: dict[str, Any]) -> None:
    path = tmp_path / "note.md"
    path.write_text("# Note\n\nSome text.\n", "utf-8")
    fine = '{"severity": 0.0, "issues": []}'
    critic = ScriptedModel(lambda request: fine if "Better" in request.messages[-1].content else json.dumps(verdict))
    reviser = ScriptedModel(lambda request: "# Note\n\nBetter text.\n")
    status, out, _ = run(path, model=reviser, critic=critic, output="apply", as_json=True)
    (told,) = json.loads(out)["files"]
    assert (status, path.read_text("utf-8")) == (0, "# Note\n\nBetter text.\n")
    assert [issue["message"] for issue in told["fixed"]] == [
        verdict.get("feedback", "the model gives severity 0.8 and names no issue")
    ]


def test_a_mild_severity_alone_is_no_finding(tmp_path: Path) -> None:
    critic = ScriptedModel(lambda request: '{"severity": 0.2}')
    assert run(source(tmp_path, MENDED), critic=critic, output="check")[0] == 0


SHARED = "def one(x=[]):\n    return x\n"


@pytest.mark.parametrize(
    "text",
    [
        SHARED.replace(":\n", ":  # noqa: B006\n"),
        SHARED.replace(":\n", ":  # noqa\n"),
        f"# ruff: noqa: B006\n{SHARED}",
        f"# ruff: noqa\n{SHARED}",
    ],
)
def test_a_model_that_silences_a_finding_fixes_nothing_and_nothing_is_written(tmp_path: Path, text: str) -> None:
    path = source(tmp_path, SHARED)
    status, out, _ = run(path, model=revising(text), output="apply", select="B006")
    assert (status, path.read_text("utf-8")) == (1, SHARED)
    assert "; 0 fixed, 1 left" in out


def test_a_reply_that_silences_one_finding_and_fixes_another_is_not_written(tmp_path: Path) -> None:
    before = f"{SHARED}\n\n{BROKEN}"
    path = source(tmp_path, before)
    text = f"{SHARED.replace(':', ':  # noqa: B006', 1)}\n\n{MENDED}"
    status, _, _ = run(path, model=revising(text), output="apply", select="B006,F821")
    assert (status, path.read_text("utf-8")) == (1, before)


def test_a_model_that_leaves_code_out_is_asked_again_and_nothing_is_written(tmp_path: Path) -> None:
    before = f"def one():\n    return 1\n\n\n{BROKEN}"
    path, model = source(tmp_path, before), revising(f"# ... rest of the code remains unchanged ...\n\n\n{MENDED}")
    status, _, _ = run(path, model=model, output="apply")
    assert (status, path.read_text("utf-8")) == (1, before)
    assert "the placeholder" in model.requests[1].messages[-1].content


def test_a_file_keeps_its_form_when_a_model_revises_it(tmp_path: Path) -> None:
    path = tmp_path / "area.py"
    top = "\ufeff# SPDX-License-Identifier: MIT\n"
    path.write_bytes(f"{top}{BROKEN}".replace("\n", "\r\n").encode())
    reply = f"Here is the file:\n```python\n{MENDED}```\nDone."
    assert run(path, model=revising(reply), output="apply")[0] == 0
    assert path.read_bytes() == f"{top}{MENDED}".replace("\n", "\r\n").encode()


def test_no_model_is_called_when_none_is_needed(tmp_path: Path) -> None:
    model = revising("nonsense")
    status, _, _ = run(source(tmp_path, "import os\n\nX = 1\n"), model=model)
    assert (status, model.requests) == (0, [])


def test_a_form_feed_ends_no_line_of_a_diff(tmp_path: Path) -> None:
    path = source(tmp_path, f"X = 1\n\x0c\n{BROKEN}")
    _, out, _ = run(path, model=revising(f"X = 1\n\x0c\n{MENDED}"))
    diff = out[out.index("--- a/") :].split("\n")
    assert diff[2:-2] == ["@@ -2,4 +2,4 @@", " \x0c", *DIFFERENCE]  # the last line tells of all files


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_control_characters_are_not_sent_to_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    model = revising(MENDED.replace("area.", "area\x1b]0;owned\x07."), "\x1b]0;owned\x07")
    out = Terminal()
    options = ImproveOptions([source(tmp_path)], tmp_path / "m.db", root=tmp_path, model=model, select="F")
    improve(options, out, io.StringIO())
    assert "3.14159" in out.getvalue()
    assert "scripted: " in out.getvalue()
    assert "\x1b]" not in out.getvalue()
    assert not out.getvalue().endswith("\n\n")


@pytest.mark.parametrize("output", ["apply", "diff"])
def test_fixes_of_rules_stay_when_the_model_cannot_be_reached(tmp_path: Path, output: str) -> None:
    path = source(tmp_path, f"import os\n\n\n{BROKEN}")
    down = ScriptedModel(lambda request: ModelUnavailableError("nobody is there", provider="p"))
    status, out, _ = run(path, model=down, output=output)
    assert status == 1
    assert "1 improved" in out and "1 fixed, 1 left" in out
    assert "nobody is there" in out
    assert "-import os" in out if output == "diff" else path.read_text("utf-8") == BROKEN
