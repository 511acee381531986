"""^C: a command ends soon, whatever its threads do, and at once the second time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

# A command ends within 2 s; here it may take longer before the test fails, for a machine that is busy with other tests.
PATIENCE_S = 60

BUSY = """
import asyncio, sys, threading, time
from jido_ai.cli import interrupts

{setting}

def stuck():
    print("busy", flush=True)
    while True:
        {work}

async def main():
    await asyncio.to_thread(stuck)

with interrupts.ends_when_interrupted():
    try:
        {start}
    except KeyboardInterrupt:
        interrupts.tell_interrupted()
        sys.exit(130)
"""
WORKS = {
    "waits": "time.sleep(3600)",
    "computes": "sum(range(1000))",
    "reads": "sys.stdin.read()",
}
STARTS = {
    "on a thread": "asyncio.run(main())",
    "on the main thread, without heed": "exec('while True:\\n try: stuck()\\n except BaseException: pass')",
}


def _take_signals() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def start(code: str, *arguments: str, home: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *(("-c", code) if code else ("-m", "jido_ai")), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=home,
        env={"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONWARNINGS": "error"},
        # pytest may run in the background of a shell, where SIGINT is ignored, by its children as well
        preexec_fn=_take_signals,
    )


@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS.keys())
@pytest.mark.parametrize("begin", STARTS.values(), ids=STARTS.keys())
def test_a_busy_thread_does_not_keep_the_process_alive(tmp_path: Path, work: str, begin: str) -> None:
    with start(BUSY.format(setting="interrupts.GRACE_S = 0.1", work=work, start=begin), home=tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "busy\n"
        process.send_signal(signal.SIGINT)
        try:
            _, err = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
    assert (process.returncode, err) == (130, "jido: interrupted\n")


def test_the_second_interruption_does_not_wait_for_the_end_of_the_grace(tmp_path: Path) -> None:
    code = BUSY.format(setting="interrupts.GRACE_S = 3600", work=WORKS["waits"], start=STARTS["on a thread"])
    with start(code, home=tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "busy\n"
        process.send_signal(signal.SIGINT)
        try:
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(timeout=1)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
    assert (process.returncode, err) == (130, "jido: interrupted\n")


def test_without_an_interruption_nothing_is_left_behind(tmp_path: Path) -> None:
    code = (
        "import os, signal, threading\n"
        "from jido_ai.cli.interrupts import ends_when_interrupted\n"
        "before = os.listdir('/proc/self/fd')\n"
        "with ends_when_interrupted():\n"
        "    watch = next(one for one in threading.enumerate() if one.name == 'jido-interrupts')\n"
        "watch.join(10)\n"
        "print(watch.is_alive(), len(os.listdir('/proc/self/fd')) - len(before), signal.set_wakeup_fd(-1))\n"
    )
    with start(code, home=tmp_path) as process:
        out, err = process.communicate(timeout=PATIENCE_S)
    assert (out, err) == ("False 0 -1\n", "")


SHAPES = {
    "a.md": "| a |\n|-" + " " * 200_000 + "x\n",
    "a.txt": "word \n" * 30_000,
    "a.toml": "a." * 100_000 + "b=1",
    "a.yaml": "- a: [b, {c: d}]\n" * 50_000,
    "a.json": '{"a": ' * 100_000,
    "tsconfig.json": "/*" * 200_000,
    "a.py": "x = (" + "a b, " * 20_000 + "\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_ctrl_c_ends_the_work_on_a_text_that_takes_long(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(SHAPES[name])
    with start("", "improve", name, home=tmp_path) as process:
        try:
            process.wait(timeout=4)  # by now it is at work, if it is not done
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
    ended_by_signal = -signal.SIGINT  # a shell says 130: the command was done, and the interpreter was ending
    assert process.returncode in (0, 1, 130, ended_by_signal), err
    assert "Traceback" not in out + err
    assert process.returncode != 130 or "interrupted" in err
