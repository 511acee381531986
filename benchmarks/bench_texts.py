"""Checks and repairs of adversarial texts: CPU seconds at three sizes, and their growth.

    python benchmarks/bench_texts.py [--language markdown] [--small] [--seconds 10]

Twenty shapes for each language, see `adversarial_texts`; no randomness. Each is checked, and what was found is
repaired, in a process of its own, which is killed after so many CPU seconds: a text that needs more is "too large to
check" in `jido improve`, where a process has 10 seconds. Growth is the time at the largest size over that at half of it
(3 or less is wanted); below 20 ms it is noise, and not told. Prints a JSON line for each shape and each language.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial

from adversarial_texts import SHAPES

from jido_ai.text.checks import check_text, is_quick
from jido_ai.text.repair import repair_texts
from jido_ai.text.syntax_repair import syntax_repairs

_NOISE_S = 0.02


def work(language: str, text: str) -> tuple[float, float, int, int]:
    """Return CPU seconds of the check and of the repair, how many issues there are, and how many are repaired."""
    start = time.process_time()
    if language == "python":
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile(text, "<candidate>", "exec", dont_inherit=True)
            issues = 0
        except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError):
            issues = 1
        checked = time.process_time()
        fixed = len(syntax_repairs(text)) if issues else 0
    else:
        found = check_text(language, text)
        checked = time.process_time()
        issues, fixed = len(found), len(repair_texts(language, text, found)[1])
    return checked - start, time.process_time() - checked, issues, fixed


def limited(task: Callable[[], tuple[float, float, int, int]], seconds: int) -> tuple[float, float, int, int] | None:
    """Return what the task returns, from a process of its own; None when it was killed at the limit."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds + int(time.process_time()) + 1, resource.RLIM_INFINITY))
            os.write(writer, json.dumps(task()).encode())
        except BaseException as error:  # noqa: BLE001 - a child of fork must not go on as its parent
            os.write(2, f"{error!r}\n".encode())
            os._exit(1)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        said = answer.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        return None
    if status != 0:
        sys.exit("a check failed")
    return tuple(json.loads(said))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", choices=[*SHAPES])
    parser.add_argument("--small", action="store_true", help="2, 5 and 10 kB")
    parser.add_argument("--seconds", type=int, default=10)
    options = parser.parse_args()
    sizes = (2_000, 5_000, 10_000) if options.small else (100_000, 500_000, 1_000_000)
    for language in [options.language] if options.language else SHAPES:
        check_text("yaml" if language == "python" else language, "")  # loads what is needed
        steep, killed, most = 0, 0, 0.0
        for name, shape in SHAPES[language].items():
            times: list[float | None] = []
            row: dict[str, object] = {"language": language, "shape": name}
            for size in sizes:
                text = shape(size)
                done = None
                if None not in times:  # a larger one will not end, either
                    done = limited(partial(work, language, text), options.seconds)
                times.append(None if done is None else done[0] + done[1])
                key = f"{size // 1000} kB"
                row[key] = "too large" if done is None else [round(done[0], 3), round(done[1], 3)]
                if done is not None:
                    row["issues"], row["fixed"] = done[2:]
                row["in a process"] = language == "python" or not is_quick(language, text)
            half, whole = times[1:]
            if half is not None and whole is not None and half > _NOISE_S:
                row["growth"] = round(whole / half, 1)
                steep += whole / half > 3.0
            killed += None in times
            most = max(most, *(one for one in times if one is not None), 0.0)
            print(json.dumps(row), flush=True)
        told = {"language": language, "shapes": len(SHAPES[language]), "steeper than 3": steep, "too large": killed}
        print(json.dumps({**told, "longest_s": round(most, 2)}), flush=True)


if __name__ == "__main__":
    main()
