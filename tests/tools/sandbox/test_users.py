"""The sandbox for a plain user, and where new namespaces are forbidden, as in many containers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import pytest

import jido_ai
from jido_ai.tools.sandbox.layers import LAYERS
from jido_ai.tools.sandbox.selftest import escapes

PACKAGE = Path(jido_ai.__file__).parent
BENCHMARKS = PACKAGE.parent / "benchmarks"
HERE = [layer for layer in LAYERS if escapes(layer) is None]
pytestmark = [
    pytest.mark.skipif(not HERE, reason=f"no layer holds here: {[escapes(layer) for layer in LAYERS]}"),
    pytest.mark.slow,
]
NOBODY = 61_000
PROBES = [
    "read a file that everybody may read", "read the environment of other processes", "write a file outside",
    "kill a process outside", "leave a daemon behind", "connect by TCP",
    "kill its parent and go on",
]  # fmt: skip

WITHOUT_NAMESPACES = f"""
import asyncio, json, sys
sys.path.insert(0, {str(PACKAGE / "tools" / "sandbox")!r})
import sandbox_lock
sys.path.pop(0)
no_new_privileges, unix, inet, inet6 = 38, 1, 2, 10
sandbox_lock.prctl(no_new_privileges, 1)
sandbox_lock.restrict_calls((unix, inet, inet6), own_files_open=False, signals_open=False)
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.tools.sandbox.selftest import escapes
from jido_ai.values.tool import ToolJob
run = asyncio.run(SandboxExecutor().run(ToolJob(argv=("echo", "hi"))))
print(json.dumps([escapes("strong"), run.sandbox, run.stdout]))
"""

PROBING = f"""
import asyncio, json, os, pathlib, sys
sys.path.insert(0, {str(BENCHMARKS)!r})
import sandbox_probes
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.tools.sandbox.selftest import escapes
from jido_ai.values.tool import ToolJob

async def main():
    tree = pathlib.Path(os.environ["HOME"], "tree")
    tree.mkdir()
    (tree / "a").write_text("kept")
    told = {{}}
    for layer in ("strong", "medium"):
        if escapes(layer):
            told[layer] = escapes(layer)
            continue
        executor = SandboxExecutor(layers=(layer,), sandbox_limits=sandbox_probes.LIMITS)
        through = [probe for probe in {PROBES!r} if (await sandbox_probes.run_probe(executor, probe))[0]]
        code = "print(open('a').read()); open('a', 'w').write('spoilt')"
        run = await executor.run(ToolJob(argv=("python", "-S", "-c", code), tree=tree))
        told[layer] = [through, run.stdout, (tree / "a").read_text()]
    print(json.dumps([os.getuid(), told]))

asyncio.run(main())
"""


@pytest.mark.skipif("medium" not in HERE, reason="the layer medium does not hold here")
def test_without_namespaces_the_layer_medium_is_used() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_NAMESPACES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    why_not_strong, layer, said = json.loads(done.stdout)
    assert why_not_strong
    assert (layer, said) == ("medium", "hi\n")


def interpreter_for_all(environment: dict[str, str]) -> str | None:
    """Return an interpreter that a user without rights may run and that finds this package."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for program in (sys.executable, f"/usr/bin/{version}"):
        try:
            subprocess.run(
                [program, "-c", "import jido_ai.tools.sandbox.executor"], user=NOBODY, group=NOBODY, extra_groups=[],
                env=environment, cwd="/", capture_output=True, check=True,
            )  # fmt: skip
        except (OSError, subprocess.CalledProcessError):
            continue
        return program
    return None


@pytest.mark.skipif(os.geteuid() != 0, reason="we are a plain user, so that every other test is this one")
def test_the_sandbox_works_for_a_plain_user_too() -> None:
    with tempfile.TemporaryDirectory(prefix="jido-") as home:  # pytest's own directories are not accessible to others
        os.chown(home, NOBODY, NOBODY)
        assert_held_and_served(home)


def assert_held_and_served(home: str) -> None:
    environment = {
        "HOME": home,
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": os.pathsep.join([str(PACKAGE.parent), sysconfig.get_path("purelib")]),
    }
    program = interpreter_for_all(environment)
    if program is None:
        pytest.skip("no interpreter here may be run by a user without rights")
    done = subprocess.run(
        [program, "-c", PROBING], user=NOBODY, group=NOBODY, extra_groups=[], env=environment, cwd=home,
        capture_output=True, text=True, timeout=150, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    uid, told = json.loads(done.stdout)
    assert uid == NOBODY
    assert any(isinstance(one, list) for one in told.values()), told
    assert all(one == [[], "kept\n", "kept"] for one in told.values() if isinstance(one, list)), told
