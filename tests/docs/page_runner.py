"""Carries out a page of the documentation: writes its files, runs its commands and its program, compares the output.

A block with `title="NAME"` is a file. The lines of a `console` block that begin with "$ " are commands; the lines
between them must occur in the output, in order, and "..." stands for any lines. Each line of a block without a kind is
a command whose output the page does not show; `NOT_RUN` has those that are not run. All other `python` blocks of a page
are one program, and its `text` blocks are what it prints.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

__all__ = ["NOT_RUN", "Block", "blocks_of", "carry_out", "plain_commands", "reason_not_to_run"]

NOT_RUN = {
    r"(python3 -m venv \.venv && .*|pip install '?\.(/jido_ai)?(\[[\w,-]+\])?'?( [\w-]+)?)": (
        "installs: test_install_lines.py, in a clean clone; frameworks in the environments of `make test-integrations`"
    ),
    r"make demo": "test_install_lines.py, in a clean clone",
    r"make test": "it is what runs the tests",
    r"make demo-model": "downloads 90 MB; test_real_model_benchmark.py plays its loop",
    r"\.venv/bin/python benchmarks/real_model/run\.py .*": "takes hours; test_real_model_benchmark.py runs its parts",
    r"createdb jido": "the server of the tests has the database",
    r"docker (build|run) .*": "there is no Docker in the tests",
}
"""Commands of blocks without a kind that pages show and that are not run with the page, each with the reason."""

BESIDE = {
    "improve report.py": {"report.py": "import os\n\nX = 1\n", "tests/test_report.py": "def test_a(): assert True\n"},
    "--schema invoice.json": {"invoice.json": '{"type": "object"}'},
}
"""Files of the reader's that a command needs and that the page does not show."""


def reason_not_to_run(command: str) -> str | None:
    return next((why for pattern, why in NOT_RUN.items() if re.fullmatch(pattern, command)), None)


def plain_commands(text: str) -> list[str]:
    """Return the commands of a block without a kind: its lines, without remarks."""
    return [line for row in text.splitlines() if (line := re.sub(r"(^|\s)#.*", "", row).strip())]


@dataclass(frozen=True, slots=True)
class Block:
    kind: str
    title: str
    text: str


def blocks_of(page: str) -> Iterator[Block]:
    for kind, title, text in re.findall(
        r'^```(\w*)(?: title="([^"]+)")?[^\n]*\n(.*?)^```', page, re.MULTILINE | re.DOTALL
    ):
        yield Block(kind, title, text)


def carry_out(page: str, folder: Path, environment: Mapping[str, str] = MappingProxyType({})) -> None:
    """Raise `AssertionError` at the first command whose status or output is not what the page says.

    Args:
        environment: more variables for the commands.
    """
    try:
        _carry_out(page, folder, environment)
    finally:
        for place in folder.glob("*.pid"):  # of a server that the page started and, by a failure, did not end
            with suppress(ProcessLookupError):
                os.kill(int(place.read_text()), signal.SIGKILL)


def _carry_out(page: str, folder: Path, environment: Mapping[str, str]) -> None:
    program, printed = "", ""
    for block in blocks_of(page):
        if block.title:
            place = folder / block.title
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(block.text, "utf-8")
        elif block.kind == "console":
            for command, expected in commands_of(block.text):
                check(run(["bash", "-c", command], folder, environment), command, expected)
        elif not block.kind:
            for command in plain_commands(block.text):
                if reason_not_to_run(command) is None:
                    _put_beside(command, folder)
                    done = run(["bash", "-c", command], folder, environment)
                    assert done.returncode in (0, 1), f"{command}: status {done.returncode}\n{done.stdout}"
        elif block.kind == "python":
            program += block.text
        elif block.kind == "text":
            printed += block.text
    if program:
        done = run([sys.executable, "-c", program], folder, environment)
        assert done.returncode == 0, done.stdout
        assert done.stdout == printed


def _put_beside(command: str, folder: Path) -> None:
    for part, files in BESIDE.items():
        for name, text in files.items() if part in command else ():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, "utf-8")


def commands_of(text: str) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found[-1][0].endswith("\\"):
            found[-1] = (f"{found[-1][0]}\n{line}", [])
        else:
            found[-1][1].append(line)
    return found


def check(done: subprocess.CompletedProcess[str], command: str, expected: list[str]) -> None:
    assert done.returncode == 0, f"{command}: status {done.returncode}\n{done.stdout}"
    if "..." not in expected:
        assert done.stdout.splitlines() == expected, f"{command}\n{done.stdout}"
    lines = iter(done.stdout.splitlines())
    for line in expected:
        assert line == "..." or line in lines, f"{command}: {line!r} is not in its place in\n{done.stdout}"


def run(
    command: list[str], folder: Path, more: Mapping[str, str] = MappingProxyType({})
) -> subprocess.CompletedProcess[str]:
    environment = {
        **more,
        "HOME": str(folder),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,  # a loaded machine
        check=False,
    )
