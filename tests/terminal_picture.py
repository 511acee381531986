"""The moving picture of the README: `python tests/terminal_picture.py docs/terminal.svg` runs `jido demo` and draws it.

The text is that of a real run, so the picture is stale when the output changes, and a test says so. What differs
between runs is left out (durations, dates, ids, which of two files was faster), and so are pauses. Lines are cut at the
width of the terminal. Without animation (reduced motion, or a viewer that has none) it shows the first screen.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from html import escape
from itertools import accumulate
from pathlib import Path

__all__ = ["draw", "lines_of", "run_the_demo"]

COLUMNS, ROWS = 104, 27
LINE_HEIGHT, CHARACTER, MARGIN, TITLE_BAR = 19, 8.43, 16, 30
LAST_S = 6.0
KINDS = (
    (r"\$ ", "command", 1.2),
    (r"(Tools|A test|The lessons) ", "heading", 1.4),
    (r"(\+\+\+|---|@@) ", "faint", 0.15),
    (r"\+", "good", 0.15),
    (r"-", "bad", 0.15),
    (r"  (fixed|written) ", "good", 0.25),
    (r"  left ", "warn", 0.25),
    (r"  lesson ", "good", 0.6),
    (r"\(", "faint", 2.4),
    (r"[a-z]+\.py: (iteration|revised|stopped|\d lesson)|\d of \d|checking|running", "faint", 0.45),
    (r"[a-z]+\.py: |\d improved", "heading", 0.5),
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


def run_the_demo(folder: Path) -> str:
    """Return everything that `jido demo` prints, in the order in which it prints it."""
    environment = {"HOME": str(folder), "TMPDIR": str(folder), "PATH": os.environ["PATH"], "PYTHONUNBUFFERED": "1"}
    return subprocess.run(
        [sys.executable, "-m", "jido_ai", "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=200,  # a loaded machine
        cwd=folder,
        env=environment,
        check=True,
    ).stdout


def lines_of(output: str) -> list[str]:
    """Return the lines to draw: the same for every run."""
    text = re.sub(r", in [\d.]+ s$", "", output.strip(), flags=re.MULTILINE)
    text = re.sub(r"^memory_[0-9a-f]+  (\w+)  \d{4}-\d\d-\d\d \d\d:\d\d", r"\1", text, flags=re.MULTILINE)
    return [line if len(line) <= COLUMNS else f"{line[: COLUMNS - 1]}…" for line in _in_order(text.splitlines())]


def _in_order(lines: list[str]) -> list[str]:
    """Sort the progress of files that are improved side by side by name, and the lessons by what they are about."""
    progress = r"(?:\d of \d: )?([a-z]+\.py): (?:iteration|revised|stopped|\d lesson)"
    first = next(index for index, line in enumerate(lines) if re.match(progress, line))
    last = next(index for index in range(first, len(lines)) if lines[index].startswith("checking"))
    block = sorted(lines[first:last], key=lambda line: re.match(progress, line)[1])  # type: ignore[index]
    ends = iter(range(1, len(block) + 1))
    block = [re.sub(r"^\d of", lambda _: f"{next(ends)} of", line) for line in block]
    listed = lines.index("$ jido memory list") + 1
    lessons = sorted("\n".join(lines[listed:]).partition("\n\n")[0].split("\nsemantic"))
    lessons = [f"semantic{lesson.removeprefix('semantic')}" for lesson in lessons]
    after = lines[lines.index("", listed) :]
    return [*lines[:first], *block, *lines[last:listed], *"\n".join(lessons).splitlines(), *after]


def draw(lines: Sequence[str]) -> str:
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
 role="img" aria-label="A terminal runs make demo: tools find issues in Python files, a reviser fixes some of them,
 tools check again, and the lessons are stored.">
<!-- Made by `python tests/terminal_picture.py docs/terminal.svg` from a run of `jido demo`. -->
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
<text class="faint" x="50%" y="{TITLE_BAR - 10}" text-anchor="middle">make demo</text>
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

    with tempfile.TemporaryDirectory() as home:
        Path(sys.argv[1]).write_text(draw(lines_of(run_the_demo(Path(home)))), "utf-8")
