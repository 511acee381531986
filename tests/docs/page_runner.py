"""Carries out a page of the documentation: writes its files, runs its commands and its program, compares the output.

A block with `title="NAME"` is a file. The lines of a `console` block that begin with "$ " are commands; the lines
between them must occur in the output, in order, and "..." stands for any lines. All other `python` blocks of a page are
one program, and its `text` blocks are what it prints.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Block", "blocks_of", "carry_out"]


@dataclass(frozen=True, slots=True)
class Block:
    kind: str
    title: str
    text: str


def blocks_of(page: str) -> Iterator[Block]:
    for kind, title, text in re.findall(
        r'^```(\w+)(?: title="([^"]+)")?[^\n]*\n(.*?)^```', page, re.MULTILINE | re.DOTALL
    ):
        yield Block(kind, title, text)


def carry_out(page: str, folder: Path) -> None:
    """Raise `AssertionError` at the first command whose status or output is not what the page says."""
    try:
        _carry_out(page, folder)
    finally:
        for place in folder.glob("*.pid"):  # of a server that the page started and, by a failure, did not end
            with suppress(ProcessLookupError):
                os.kill(int(place.read_text()), signal.SIGKILL)


def _carry_out(page: str, folder: Path) -> None:
    program, printed = "", ""
    for block in blocks_of(page):
        if block.title:
            place = folder / block.title
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(block.text, "utf-8")
        elif block.kind == "console":
            for command, expected in commands_of(block.text):
                check(run(["bash", "-c", command], folder), command, expected)
        elif block.kind == "python":
            program += block.text
        elif block.kind == "text":
            printed += block.text
    if program:
        done = run([sys.executable, "-c", program], folder)
        assert done.returncode == 0, done.stdout
        assert done.stdout == printed


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


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
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
