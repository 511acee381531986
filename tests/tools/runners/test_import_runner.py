"""The script that imports a project before and after an edit, in the real sandbox of this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jido_ai.improve.gate import ImportReport, parse_imports
from jido_ai.tools import runners
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.values.tool import ToolJob

SCRIPT = Path(runners.__file__).parent / "imports_json.py"
pytestmark = pytest.mark.skipif(SandboxExecutor().refusal() is not None, reason="no layer of the sandbox holds here")

USER = "from pkg.compat import loads\n\n\ndef read(text):\n    return loads(text)\n"
FILES = {
    "pkg/__init__.py": "",
    "pkg/compat.py": "from json import loads\nimport os\n\nNAME = os.name\n",
    "pkg/user.py": USER,
}


async def imports(root: Path, files: dict[str, str], after: dict[str, str], **job: object) -> ImportReport:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    names = {name: name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in files}
    asked = {
        "roots": ["."],
        "modules": [{"name": module, "path": path} for path, module in names.items()],
        "alone": list(names.values()),
        "after": after,
        "seconds": 40.0,
        **job,
    }
    run = await SandboxExecutor().run(
        ToolJob(
            argv=("python", "-P", "-s", str(SCRIPT), ".report.json", ".job.json"),
            files={".job.json": json.dumps(asked).encode()},
            tree=root,
            report=".report.json",
            timeout_s=60.0,
        )
    )
    assert run.report is not None, run.stderr
    assert run.exit_status == 0
    return parse_imports(run.report)


async def test_an_edit_without_effect_on_other_modules_breaks_and_loses_nothing(tmp_path: Path) -> None:
    found = await imports(tmp_path, FILES, {"pkg/user.py": USER.replace("text", "line")})
    assert found == ImportReport(broken={}, lost={}, unknown=(), failing={}, checked=3)


async def test_a_name_that_another_module_imports_is_missing_in_both(tmp_path: Path) -> None:
    found = await imports(tmp_path, FILES, {"pkg/compat.py": "import os\n\nNAME = os.name\n"})
    assert found.lost == {"pkg.compat": ("loads",)}
    assert list(found.broken) == ["pkg.user"]
    assert "ImportError: cannot import name 'loads' from 'pkg.compat'" in found.broken["pkg.user"]
    assert found.checked == 3


async def test_modules_are_not_public_names_and_names_in_all_are(tmp_path: Path) -> None:
    lazy = (
        "__all__ = ['late', 'gone']\nimport os\n\n\ndef __getattr__(name):\n    if name == 'late':\n        return 1\n"
    )
    lazy += "    raise AttributeError(name)\n"
    found = await imports(tmp_path, {"lazy.py": lazy}, {"lazy.py": "x = 1\n"})
    assert found.lost == {"lazy": ("late",)}


async def test_circular_imports_are_found_by_importing_each_module_first(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/a.py": "import pkg.b\n\nX = 1\n",
        "pkg/b.py": "def f():\n    from pkg.a import X\n\n    return X\n",
    }
    found = await imports(tmp_path, files, {"pkg/b.py": "from pkg.a import X\n\n\ndef f():\n    return X\n"})
    assert "circular import" in found.broken["pkg.a"]
    assert "pkg.b" not in found.broken
    reverse = dict(reversed(files.items()))
    found = await imports(tmp_path, reverse, {"pkg/b.py": "from pkg.a import X\n\n\ndef f():\n    return X\n"})
    assert found.broken["pkg.a"].startswith("imported first: ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import os\nos._exit(0)\n", "it ended the process"),
        ("import os\nos.kill(os.getpid(), 9)\n", "it ended the process"),
        ("raise SystemExit(0)\n", "SystemExit: 0"),
        ("import sys\nsys.exit()\n", "SystemExit"),
        ("def f(:\n", "SyntaxError"),
        ("raise ValueError('\\ud800')\n", "ValueError: \\ud800"),
        (
            "class E(Exception):\n    def __str__(self):\n        raise SystemExit\nraise E\n",
            "its message is not available",
        ),
        ("import os\nif os.fork():\n    os._exit(0)\n", "it ended the process"),
        ("import os\nos.closerange(3, 100)\n", "it ended the process"),
    ],
)
@pytest.mark.quick_cases(3)
async def test_a_module_that_cannot_be_imported_does_not_affect_others(text: str, said: str, tmp_path: Path) -> None:
    files = {"a.py": "x = 1\n", "b.py": "x = 1\n", "c.py": "x = 1\n"}
    found = await imports(tmp_path, files, {"b.py": text})
    assert list(found.broken) == ["b"]
    assert said in found.broken["b"]
    assert found.checked == 3
    assert found.unknown == ()


@pytest.mark.slow
async def test_a_module_that_never_ends_is_killed_and_the_others_continue(tmp_path: Path) -> None:
    files = {"a.py": "x = 1\n", "b.py": "x = 1\n", "c.py": "x = 1\n"}
    found = await imports(tmp_path, files, {"b.py": "while True:\n    pass\n"}, alone=[])
    assert found.broken == {"b": "it did not finish within 5 s"}
    assert found.checked == 3


async def test_endless_threads_and_processes_delay_nothing(tmp_path: Path) -> None:
    text = "import os, threading, time\nthreading.Thread(target=time.sleep, args=(1e6,)).start()\n"
    text += "if not os.fork():\n    time.sleep(1e6)\n"
    found = await imports(tmp_path, {"a.py": "x = 1\n", "b.py": "x = 1\n"}, {"a.py": text})
    assert (found.broken, found.checked) == ({}, 2)


async def test_modules_that_exclude_each_other_are_not_broken_by_being_imported_at_the_same_time(
    tmp_path: Path,
) -> None:
    text = "import os, time\nos.mkdir('lock')\ntime.sleep(0.02)\nos.rmdir('lock')\nX = 1\n"
    files = {f"m{number}.py": text for number in range(7)}
    found = await imports(tmp_path, files, dict.fromkeys(files, f"{text}Y = 1\n"))
    assert found == ImportReport(broken={}, lost={}, unknown=(), failing={}, checked=7)


async def test_a_module_that_could_not_be_imported_first_before_either_is_not_broken(tmp_path: Path) -> None:
    files = {"a.py": "import sys\nsys.flags_of_a = 1\n", "b.py": "import sys\nX = sys.flags_of_a\n"}
    found = await imports(tmp_path, files, {"b.py": f"{files['b.py']}Y = 1\n"})
    assert found == ImportReport(broken={}, lost={}, unknown=(), failing={}, checked=2)
    found = await imports(tmp_path, {**files, "b.py": "X = 1\n"}, {"b.py": files["b.py"]})
    assert list(found.broken) == ["b"]
    assert found.broken["b"].startswith("imported first: AttributeError")


async def test_modules_not_reached_in_time_are_unknown(tmp_path: Path) -> None:
    found = await imports(tmp_path, FILES, {}, seconds=0.0)
    assert found.unknown == ("pkg", "pkg.compat", "pkg.user")
    assert found.checked == 0


async def test_a_module_that_failed_before_is_not_broken_by_the_edit(tmp_path: Path) -> None:
    found = await imports(tmp_path, {"a.py": "1 / 0\n", "b.py": "x = 1\n"}, {"a.py": "import nothing_of_the_kind\n"})
    assert found.broken == {}
    assert found.failing == {"a": "ZeroDivisionError: division by zero"}


async def test_a_replaced_module_is_unknown(tmp_path: Path) -> None:
    found = await imports(tmp_path, {"json.py": "x = 1\n", "b.py": "x = 1\n"}, {})
    assert found.unknown == ("json",)


async def test_bytes_and_lone_surrogates_are_written_unchanged(tmp_path: Path) -> None:
    files = {"a.py": "X = 1\n", "b.py": "Y = 1\n"}
    raw = {"b.py": "IyBjb2Rpbmc6IGxhdGluLTEKWSA9ICfpJwo="}  # a coding line, and Y = an e with an accent in Latin 1
    found = await imports(tmp_path, files, {"a.py": "X = '\ud800'\n"}, after_b64=raw)
    assert list(found.broken) == ["a"]
    assert "SyntaxError" in found.broken["a"]


async def test_modules_are_found_in_a_root_that_is_not_the_top_directory(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "here.py").write_text("x = 1\n")
    modules = [{"name": "here", "path": "src/here.py"}]
    found = await imports(tmp_path, {}, {"src/here.py": "y = 1\n"}, roots=["src", "."], modules=modules, alone=["here"])
    assert found == ImportReport(broken={}, lost={"here": ("x",)}, unknown=(), failing={}, checked=1)
