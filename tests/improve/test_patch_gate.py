"""The gate keeps the hunks of a patch that break nothing that worked, and says of the others why."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from jido_ai.improve.patch_gate import PatchGate
from jido_ai.improve.patch_report import patch_json, patch_lines, patch_sarif, patch_status
from jido_ai.improve.patch_run import GateOptions, gate
from jido_ai.improve.patch_verdict import PatchVerdict
from jido_ai.improve.patches import patch_of_texts
from jido_ai.testing import ScriptedModel

A = """\
import json
import os
from typing import List


def load(text):
    return json.loads(text)


def dump(value):
    return json.dumps(value)


def _hidden(values: List[int]):
    return sum(values)


LIMIT = 3
"""
FILES = {
    "pyproject.toml": '[project]\nname = "p"\nrequires-python = ">=3.8"\n',
    "pkg/__init__.py": "",
    "pkg/a.py": A,
    "pkg/b.py": "from pkg.a import LIMIT, _hidden\n\n\ndef size():\n    return LIMIT + _hidden([])\n",
    "pkg/data.json": '{"a": 1}\n',
    "tests/test_a.py": "from pkg import a\n\n\ndef test_load():\n    assert a.load('1') == 1\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def patch_with(**texts: str | None) -> str:
    """Return the patch that gives the files (pkg__a: pkg/a.py) these texts."""
    found = ""
    for name, text in texts.items():
        path = f"{name.replace('__', '/')}.py"
        found += patch_of_texts(path, FILES.get(path), text)
    return found


async def judged(root: Path, patch: str, **options: str) -> PatchVerdict:
    return await PatchGate(root, **options).judge(patch)  # type: ignore[arg-type]


def reasons(verdict: PatchVerdict) -> dict[str, str | None]:
    return {f"{hunk.path}:{hunk.line}": hunk.reason for hunk in verdict.hunks}


async def test_hunks_that_break_nothing_are_kept_after_one_check(root: Path) -> None:
    new = A.replace("import os\n", "").replace("List[int]", "list").replace("from typing import List\n", "")
    verdict = await judged(root, patch_with(pkg__a=new))
    assert set(reasons(verdict).values()) == {None}
    assert (verdict.texts, verdict.checks, verdict.rejected) == ({"pkg/a.py": new}, 1, "")
    assert patch_status(verdict) == 0


async def test_a_public_name_that_goes_is_rejected_and_the_rest_is_kept(root: Path) -> None:
    verdict = await judged(root, patch_with(pkg__a=A.replace("import os\n", "").replace("LIMIT = 3\n", "")))
    assert reasons(verdict)["pkg/a.py:2"] is None
    assert "LIMIT" in (reasons(verdict)["pkg/a.py:18"] or "")
    assert verdict.texts == {"pkg/a.py": A.replace("import os\n", "")}
    assert patch_status(verdict) == 1


async def test_an_import_and_its_use_are_kept_or_rejected_together(root: Path) -> None:
    new = A.replace("import os\n", "import re\n").replace(
        "json.loads(text)", "json.loads(re.sub('x', '', text))  # noqa"
    )
    verdict = await judged(root, patch_with(pkg__a=new))
    assert "noqa" in (reasons(verdict)["pkg/a.py:7"] or "")
    new = A.replace("json\nimport os\n", "json\nimport nowhere_to_be_found\nimport os\n")
    new = new.replace("json.loads(text)", "nowhere_to_be_found.loads(text)")
    found = reasons(await judged(root, patch_with(pkg__a=new)))
    assert "cannot be imported" in (found["pkg/a.py:2"] or "")
    assert "needs another hunk" in (found["pkg/a.py:7"] or "")


async def test_a_private_function_may_be_renamed_over_files(root: Path) -> None:
    patch = patch_with(pkg__a=A.replace("_hidden", "_seen"), pkg__b=FILES["pkg/b.py"].replace("_hidden", "_seen"))
    verdict = await judged(root, patch)
    assert set(reasons(verdict).values()) == {None}
    assert len({hunk.group for hunk in verdict.hunks}) == 1
    assert set(reasons(await judged(root, patch_with(pkg__a=A.replace("_hidden", "_seen")))).values()) != {None}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    return json.dumps(value)", "    pass", "the empty body of 'dump'"),
        ("    return json.dumps(value)", "    # ... rest of the code unchanged ...", "does not parse any more"),
        ("    return json.dumps(value)", "    ...", "empty body"),
        ("    return json.dumps(value)", "    return json.dumps(value)  # type: ignore", "suppression: type: ignore"),
        ("    return json.dumps(value)", "    return json.dump(value", "does not parse any more"),
        ("    return json.dumps(value)", "    return jsn.dumps(value)", "the name 'jsn' is not defined"),
        ("import json\n", "", "the name 'json' is not defined"),
    ],
)
async def test_a_hunk_that_spoils_a_text_is_rejected(root: Path, old: str, new: str, said: str) -> None:
    verdict = await judged(root, patch_with(pkg__a=A.replace(old, new)))
    assert said in " ".join(filter(None, reasons(verdict).values()))
    assert verdict.texts == {}


async def test_a_data_file_must_still_parse(root: Path) -> None:
    patch = patch_of_texts("pkg/data.json", FILES["pkg/data.json"], '{"a": 1\n')
    assert "does not parse" in (reasons(await judged(root, patch))["pkg/data.json:1"] or "")


@pytest.mark.slow
async def test_a_hunk_that_makes_a_test_fail_is_rejected(root: Path) -> None:
    new = A.replace("json.loads(text)", "text").replace("import os\n", "")
    assert set(reasons(await judged(root, patch_with(pkg__a=new))).values()) == {None}
    found = reasons(await judged(root, patch_with(pkg__a=new), tests="tests"))
    assert found == {"pkg/a.py:2": None, "pkg/a.py:7": "tests/test_a.py::test_load fails"}


async def test_new_and_deleted_files_are_judged_whole(root: Path) -> None:
    new = patch_with(pkg__c="from pkg.a import LIMIT\n\nX = LIMIT\n", pkg__b=None)
    found = reasons(await judged(root, new))
    assert found["pkg/c.py:1"] is None
    assert "pkg.b cannot be imported any more" in (found["pkg/b.py:1"] or "")


async def test_a_new_module_and_the_import_of_it_are_kept(root: Path) -> None:
    patch = patch_with(pkg__c="X = 1\n", pkg__a=A.replace("import os\n", "import os\n\nfrom pkg.c import X\n"))
    verdict = await judged(root, patch)
    assert set(reasons(verdict).values()) == {None}
    assert set(verdict.texts) == {"pkg/a.py", "pkg/c.py"}


@pytest.mark.parametrize("path", ["../out.py", "/etc/out.py", ".git/config", ".env", "pkg/../../out.py", "link/out.py"])
async def test_a_patch_touches_nothing_outside_of_the_project(root: Path, path: str) -> None:
    (root / "link").symlink_to(root.parent)
    patch = f"--- {path}\n+++ {path}\n@@ -1 +1 @@\n-a\n+b\n" + patch_with(pkg__a=A.replace("import os\n", ""))
    verdict = await judged(root, patch)
    assert [hunk.is_kept for hunk in verdict.hunks] == [False, True]
    assert patch_json(verdict)["hunks"][0]["rule"] == "outside"


async def test_a_hunk_that_cannot_be_judged_is_rejected_with_the_reason(root: Path) -> None:
    (root / "pkg/link.py").symlink_to("a.py")
    (root / "p.bin").write_bytes(b"\0")
    one = "@@ -1 +1 @@\n-import json\n+import re\n"
    patch = (
        f"--- a/pkg/link.py\n+++ b/pkg/link.py\n{one}--- a/none.py\n+++ b/none.py\n{one}--- a/p.bin\n+++ b/p.bin\n{one}"
        f"diff --git a/q.png b/q.png\nBinary files a/q.png and b/q.png differ\n"
        f"--- /dev/null\n+++ b/pkg/a.py\n@@ -0,0 +1 @@\n+x\n"
        f"diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n"
    )
    verdict = await judged(root, patch)
    found = [hunk.reason or "" for hunk in verdict.hunks]
    wanted = ["a link; patch", "no such file", "binary", "binary", "exists already", "a link or a submodule"]
    assert all(said in reason for said, reason in zip(wanted, found, strict=True)), found


async def test_the_kept_and_the_rejected_patch_apply_one_after_the_other(root: Path) -> None:
    new = A.replace("import os\n", "").replace("LIMIT = 3\n", "LIMITS = 3\n").replace("json.dumps(value)", "str(value)")
    verdict = await judged(root, patch_with(pkg__a=new))
    for patch in (verdict.kept, verdict.rejected):
        subprocess.run(["patch", "-p1", "--fuzz=0"], input=patch.encode(), cwd=root, check=True, capture_output=True)
    assert (root / "pkg/a.py").read_text() == new


async def test_line_ends_and_other_encodings_are_kept_as_they_are(root: Path) -> None:
    old = b"# -*- coding: latin-1 -*-\r\nNAME = '\xe9'\r\nOLD = 1\r\n"
    (root / "pkg/c.py").write_bytes(old)
    new = old.replace(b"OLD = 1\r\n", b"OLD = 1\r\nNEW = 2")
    patch = patch_of_texts("pkg/c.py", *(raw.decode("utf-8", "surrogateescape") for raw in (old, new)))
    report = await gate(GateOptions(patch=patch, root=root, output="apply"))
    assert report.status == 0
    assert (root / "pkg/c.py").read_bytes() == new


async def test_a_mode_is_kept_and_written(root: Path) -> None:
    patch = "diff --git a/pkg/a.py b/pkg/a.py\nold mode 100644\nnew mode 100755\n"
    report = await gate(GateOptions(patch=patch, root=root, output="apply"))
    assert (report.status, report.verdict.kept) == (0, patch)
    assert (root / "pkg/a.py").stat().st_mode & 0o100


async def test_the_report_counts_and_names_each_rejected_hunk(root: Path) -> None:
    verdict = await judged(root, patch_with(pkg__a=A.replace("import os\n", "").replace("LIMIT = 3\n", "")))
    lines = patch_lines(verdict)
    assert lines[0].startswith("rejected  pkg/a.py:18 (+0 -1): ")
    assert lines[-1] == "2 hunks in 1 file: 1 kept, 1 rejected"
    found = patch_json(verdict)
    assert found["version"] == 1
    assert {name: found["summary"][name] for name in ("hunks", "kept", "rejected", "files")} == {
        "hunks": 2, "kept": 1, "rejected": 1, "files": 1,
    }  # fmt: skip
    (result,) = patch_sarif(verdict, version="1")["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 18


async def test_an_empty_patch_has_nothing_to_reject(root: Path) -> None:
    verdict = await judged(root, "")
    assert (verdict.hunks, patch_status(verdict)) == ((), 0)


async def test_the_second_diff_of_a_file_is_rejected(root: Path) -> None:
    patch = patch_with(pkg__a=A.replace("import os\n", ""))
    verdict = await judged(root, patch + patch)
    assert [hunk.is_kept for hunk in verdict.hunks] == [True, False]


async def test_a_model_makes_another_try_and_the_gate_judges_it(root: Path) -> None:
    wanted = A.replace("import os\n", "").replace("LIMIT = 3\n", "LIMITS = 3\n")
    better = wanted.replace("LIMITS = 3\n", "LIMITS = LIMIT = 3\n")
    model = ScriptedModel(lambda _: better)
    report = await gate(GateOptions(patch=patch_with(pkg__a=wanted), root=root, model=model))
    assert "has no LIMIT any more" in model.requests[0].messages[-1].content
    assert (report.status, report.verdict.texts) == (0, {"pkg/a.py": better})
    assert report.verdict.rejected == ""
    assert any(hunk.note for hunk in report.verdict.hunks)


async def test_a_model_that_breaks_it_too_changes_nothing(root: Path) -> None:
    fine = A.replace("import os\n", "")
    model = ScriptedModel(lambda _: fine.replace("LIMIT = 3\n", "OTHER = 3\n"))
    patch = patch_with(pkg__a=fine.replace("LIMIT = 3\n", "LIMITS = 3\n"))
    report = await gate(GateOptions(patch=patch, root=root, model=model))
    assert (report.status, report.verdict.texts) == (1, {"pkg/a.py": fine})
    assert 1 <= len(model.requests) <= 3


GUARD = "import sys\n\nif {}:\n    from typing import Literal\nelse:\n    Literal = dict\n"


@pytest.mark.parametrize(
    ("check", "is_kept"),
    [
        ("sys.version_info >= (3, 9)", False),
        ("(3, 10) <= sys.version_info[:2]", False),
        ("sys.version_info[1] > 8", False),
        ("sys.version_info >= (3, 8)", True),
        ("sys.version_info[0] >= 3", True),
        ("sys.version_info.major > 2", True),
    ],
)
async def test_a_check_of_the_version_goes_only_if_the_oldest_declared_python_does_not_need_it(
    root: Path, check: str, is_kept: bool
) -> None:
    (root / "pkg/c.py").write_text(GUARD.format(check))
    patch = patch_of_texts("pkg/c.py", GUARD.format(check), "from typing import Literal\n")
    verdict = await judged(root, patch)
    assert all(hunk.is_kept == is_kept for hunk in verdict.hunks), reasons(verdict)
    if not is_kept:
        assert "it removes a check for Python 3." in (verdict.hunks[0].reason or "")


async def test_a_suppression_on_a_line_that_a_hunk_changes_may_stay_and_on_another_it_is_new(root: Path) -> None:
    text = "def a(\n    x=1,\n):  # type: ignore\n    pass\n\n\n" + "".join(
        f"def {name}(\n    {name}=1,\n):\n    pass\n\n\n" for name in "bc"
    )
    (root / "pkg/c.py").write_text(text)
    new = text.replace("):  # type", ") -> None:  # type")
    assert set(reasons(await judged(root, patch_of_texts("pkg/c.py", text, new))).values()) == {None}
    moved = text.replace("):  # type: ignore", ") -> None:").replace("b=1,\n):", "b=1,\n) -> int:  # type: ignore")
    told = reasons(await judged(root, patch_of_texts("pkg/c.py", text, moved)))
    assert "it adds a suppression: type: ignore" in told.values()


async def test_hunks_that_the_oldest_declared_python_cannot_run_are_rejected_each(root: Path) -> None:
    new = A.replace("json.loads(text)", "json.loads(f'{text}')").replace("List[int]", "list[int]")
    verdict = await judged(root, patch_with(pkg__a=new))
    assert reasons(verdict) == {
        "pkg/a.py:7": None,
        "pkg/a.py:14": "list[...] needs Python 3.9, and the project declares 3.8",
    }


ORIGIN = "def origin(a):\n    s = '%s://' % a\n    # the scheme alone\n    return s\n"
REFUSE = """def check(part):
    if part < 0:
        raise ValueError(
            "a part below zero: {}".format(part)
        )
    return part
"""
REFUSED = """def check(part):
    if part < 0:
        message = (
            f"a part below zero: {part}"
        )
        raise ValueError(message)
    return part
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [(ORIGIN, "def origin(a):\n    return f'{a}://'\n    # the scheme alone\n"), (REFUSE, REFUSED)],
    ids=["return", "raise"],
)
async def test_hunks_of_a_function_that_return_or_raise_together_are_not_kept_by_halves(
    root: Path, before: str, after: str
) -> None:
    (root / "pyproject.toml").write_text('[project]\nname = "p"\nrequires-python = ">=2.7"\n')
    (root / "pkg/f.py").write_text(before)
    verdict = await judged(root, patch_of_texts("pkg/f.py", before, after))
    scope: dict[str, object] = {}
    exec(verdict.texts.get("pkg/f.py") or before, scope)
    if "origin" in scope:
        assert scope["origin"]("http") == "http://"  # type: ignore[operator]
    else:
        with pytest.raises(ValueError, match="-1"):
            scope["check"](-1)  # type: ignore[operator]
    assert not all(hunk.is_kept for hunk in verdict.hunks)


async def test_a_module_that_cannot_be_imported_here_is_judged_by_reading_and_called_unchecked(root: Path) -> None:
    before = "import nowhere_to_be_found\n\n\ndef main():\n    return 1\n"
    (root / "pkg/c.py").write_text(before)
    fine = await judged(root, patch_of_texts("pkg/c.py", before, before.replace("return 1", "return 2")))
    (hunk,) = fine.hunks
    assert (hunk.state, hunk.checked) == ("unchecked", ("syntax", "names"))
    assert "ModuleNotFoundError" in (hunk.unchecked or "")
    assert (patch_status(fine), patch_status(fine, strict=True)) == (0, 3)
    assert patch_lines(fine)[-1] == "1 hunk in 1 file: 0 kept, 0 rejected, 1 unchecked"
    told = patch_json(fine)
    assert (told["summary"]["unchecked"], told["hunks"][0]["state"]) == (1, "unchecked")
    assert [one["ruleId"] for one in patch_sarif(fine, version="1")["runs"][0]["results"]] == ["gate/unchecked"]
    bad = await judged(root, patch_of_texts("pkg/c.py", before, before.replace("def main", "def _main")))
    assert reasons(bad)["pkg/c.py:4"] is not None


async def test_a_hunk_says_what_judged_it(root: Path) -> None:
    data = patch_of_texts("pkg/data.json", '{"a": 1}\n', '{"a": 2}\n')
    verdict = await judged(root, patch_with(pkg__a=A.replace("import os\n", "")) + data)
    assert [hunk.checked for hunk in verdict.hunks] == [("syntax", "names", "import"), ("syntax",)]
    assert patch_status(verdict, strict=True) == 0


@pytest.mark.parametrize("allows", [False, True])
async def test_the_public_surface_may_change_only_if_it_is_allowed(root: Path, allows: bool) -> None:
    new = A.replace("def load(text):", "def load(text, strict):")
    verdict = await PatchGate(root, allows_api=allows).judge(patch_with(pkg__a=new))
    assert verdict.hunks[0].is_kept == allows
    assert allows or "load needs strict" in (verdict.hunks[0].reason or "")


async def test_a_build_file_must_stay_readable(root: Path) -> None:
    before = "[metadata]\nname = p\n[options]\nzip_safe = no\n"
    (root / "setup.cfg").write_text(before)
    broken = await judged(root, patch_of_texts("setup.cfg", before, before.replace("[options]", "[options")))
    assert "setup.cfg does not parse" in (broken.hunks[0].reason or "")
    fine = await judged(root, patch_of_texts("setup.cfg", before, before.replace("no\n", "yes\n")))
    assert fine.hunks[0].is_kept


async def test_a_hunk_that_needs_an_unchecked_one_is_unchecked_too(root: Path) -> None:
    new = A.replace("import os\n", "").replace("import json\n", "").replace("json.loads(text)", "text")
    new = new.replace("json.dumps(value)", "value")
    states = {hunk.line: hunk.state for hunk in (await judged(root, patch_with(pkg__a=new))).hunks}
    assert states == {1: "unchecked", 7: "unchecked", 11: "unchecked"}


@pytest.mark.parametrize(("new", "state"), [("int(x)", "unchecked"), ("abs(float(x))", "kept")])
async def test_passing_tests_do_not_judge_what_is_only_taken_away(root: Path, new: str, state: str) -> None:
    before = "def f(x):\n    return abs(int(x))\n"
    (root / "pkg/f.py").write_text(before)
    (root / "tests/test_f.py").write_text("from pkg.f import f\n\n\ndef test_f():\n    assert f('1') == 1\n")
    patch = patch_of_texts("pkg/f.py", before, before.replace("abs(int(x))", new))
    (hunk,) = (await judged(root, patch, tests="tests")).hunks
    assert hunk.state == state
    assert hunk.unchecked is None or "the call abs is gone" in hunk.unchecked
