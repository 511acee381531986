"""Moving pictures of terminals, of real runs: `python tests/terminal_picture.py docs/demo.svg docs/demo-model.svg`.

`demo.svg` shows `jido demo`, and `demo-model.svg` a run of `make demo-model`, whose model answers differently each
time.

The text of `demo.svg` is that of every run, so it is stale when the output changes, and a test says so. What differs
between runs is left out (durations, dates, ids, numbers of edits), and so are pauses. Long lines go on in
the next one. Without animation (reduced motion, or a viewer that has none) it shows the first screen.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from pathlib import Path

__all__ = ["DEMO", "DEMO_MODEL", "Picture", "draw", "lines_of", "run_the_demo"]

COLUMNS, ROWS = 104, 27
LINE_HEIGHT, CHARACTER, MARGIN, TITLE_BAR = 19, 8.43, 16, 30
LAST_S = 6.0


@dataclass(frozen=True, slots=True)
class Picture:
    """What is run, the title of the terminal, and the description for those who do not see it."""

    command: tuple[str, ...]
    title: str
    about: str


DEMO = Picture(
    ("-m", "jido_ai", "demo"),
    "jido demo",
    "the gate keeps most of the fixes of ruff, a bug is repaired from a\n failing test, and a second run uses a"
    " lesson of the first.",
)
DEMO_MODEL = Picture(
    (str(Path(__file__).parents[1] / "benchmarks" / "real_model" / "demo.py"),),
    "make demo-model",
    "a small model is asked for a sentence, a function judges each answer,\n and the loop asks again until one passes.",
)
KINDS = (
    (r"\$ ", "command", 1.2),
    (r"\d\. ", "heading", 1.6),
    (r"(  fixed|  written) ", "good", 0.6),
    (r"(rejected|  asked) ", "warn", 0.8),
    (r"      Which is right", "warn", 2.4),
    (r"  \d+\. the ", "heading", 1.0),
    (r"     ✗", "bad", 1.2),
    (r"     ✓", "good", 1.2),
    (r"  The loop ends", "good", 1.2),
    (r"      ", "", 0.4),
    (r"(\d+ hunks|\d failing)", "heading", 1.6),
    (r"took ", "faint", 1.2),
    (r"Avoid ", "good", 1.2),
    (r"  [a-z]+ ", "faint", 0.3),
)
STYLE = """
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
text { fill: #24292f }
.paper { fill: #ffffff } .bar { fill: #eaeef2 } .edge { fill: none; stroke: #d0d7de }
.command, .heading { font-weight: 600 } .command { fill: #0550ae } .faint { fill: #57606a }
.good { fill: #116329 } .bad { fill: #a40e26 } .warn { fill: #7d4e00 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .paper { fill: #0d1117 } .bar { fill: #21262d } .edge { stroke: #30363d }
  .command { fill: #79c0ff } .faint { fill: #9198a1 } .good { fill: #7ee787 } .bad { fill: #ffa198 }
  .warn { fill: #e3b341 }
}
"""


def run_the_demo(folder: Path, picture: Picture = DEMO) -> str:
    """Return everything that a demonstration prints on standard output, in the order in which it prints it."""
    environment = {"HOME": str(folder), "TMPDIR": str(folder), "PATH": os.environ["PATH"], "PYTHONUNBUFFERED": "1"}
    if "XDG_CACHE_HOME" in os.environ:  # where the model may be
        environment["XDG_CACHE_HOME"] = os.environ["XDG_CACHE_HOME"]
    return subprocess.run(
        [sys.executable, *picture.command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if picture is DEMO else None,
        text=True,
        timeout=200,  # a loaded machine
        cwd=folder,
        env=environment,
        check=True,
    ).stdout


def lines_of(output: str) -> list[str]:
    """Return the lines to draw: the same for every run."""
    text = re.sub(
        r"(; \d+ s|; \d+ edits? tried|, [\d.]+ s; run graph_[0-9a-f]+)$", "", output.strip(), flags=re.MULTILINE
    )
    text = re.sub(r"^(  from +)graph_[0-9a-f]+/(\w+), .*$", r"\1\2", text, flags=re.MULTILINE)
    text = re.sub(r"^  id  .*\n", "", text, flags=re.MULTILINE)
    return [part for line in text.splitlines() for part in _wrapped(line)]


def _wrapped(line: str) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(line, COLUMNS, subsequent_indent=indent) if len(line) > COLUMNS else [line]


def draw(lines: Sequence[str], picture: Picture = DEMO) -> str:
    """Return the picture as SVG. Pure: the same lines give the same picture."""
    kinds = [next(((kind, s) for pattern, kind, s in KINDS if re.match(pattern, line)), ("", 0.15)) for line in lines]
    seconds = [0.0, *accumulate(pause for _, pause in kinds)]
    total = seconds[-1] + LAST_S
    height, width = ROWS * LINE_HEIGHT, round(COLUMNS * CHARACTER)
    moves, covers = [], []
    for shown, at in enumerate(seconds[:-1], start=1):
        moves.append(f"{100 * at / total:.2f}% {{ transform: translateY({-_scrolled(shown)}px) }}")
        covers.append(f"{100 * at / total:.2f}% {{ transform: translateY({min(shown, ROWS) * LINE_HEIGHT}px) }}")
    body = "\n".join(
        f'<text class="{kind}" y="{(index + 0.75) * LINE_HEIGHT:g}">{escape(line)}</text>'
        for index, (line, (kind, _)) in enumerate(zip(lines, kinds, strict=True))
        if line
    )
    outer, whole = width + 2 * MARGIN, height + TITLE_BAR + 2 * MARGIN
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{outer}" height="{whole}" viewBox="0 0 {outer} {whole}"
 role="img" aria-label="A terminal runs {picture.title}: {picture.about}">
<!-- Made by `python tests/terminal_picture.py docs/{picture.title.split()[1]}.svg` from a run. -->
<style>{STYLE}
.cover {{ transform: translateY({height}px) }}
@media (prefers-reduced-motion: no-preference) {{
  .lines {{ animation: lines {total:.1f}s step-end infinite }}
  .cover {{ animation: cover {total:.1f}s step-end infinite }}
}}
@keyframes lines {{ {" ".join(moves)} }}
@keyframes cover {{ {" ".join(covers)} }}
</style>
<clipPath id="screen"><rect width="{width}" height="{height}"/></clipPath>
<rect class="paper" width="100%" height="100%" rx="8"/>
<path class="bar" d="M0 8a8 8 0 0 1 8-8h{outer - 16}a8 8 0 0 1 8 8v{TITLE_BAR - 8}H0z"/>
<text class="faint" x="50%" y="{TITLE_BAR - 10}" text-anchor="middle">{picture.title}</text>
<g transform="translate({MARGIN} {TITLE_BAR + MARGIN})" clip-path="url(#screen)">
<g class="lines">
{body}
</g>
<rect class="paper cover" width="{width}" height="{height}"/>
</g>
<rect class="edge" x="0.5" y="0.5" width="{outer - 1}" height="{whole - 1}" rx="8"/>
</svg>
"""


def _scrolled(shown: int) -> int:
    return max(0, shown - ROWS) * LINE_HEIGHT


if __name__ == "__main__":
    import tempfile

    for target in map(Path, sys.argv[1:]):
        shown = DEMO_MODEL if target.stem == "demo-model" else DEMO
        with tempfile.TemporaryDirectory() as home:
            target.write_text(draw(lines_of(run_the_demo(Path(home), shown)), shown), "utf-8")
