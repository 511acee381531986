"""Shared parts of pictures on a terminal, and the same picture as SVG."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final, TextIO

from rich.console import Console, RenderableType

from jido_ai.cli.output import write_file

WIDTH: Final = 110

# Rich's own template fetches a font from a host on the net; our pictures fetch nothing.
_SVG: Final = """<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: monospace; font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-family: sans-serif; font-size: 18px; font-weight: bold; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix" xml:space="preserve">
{matrix}
</g>
</g>
</svg>
"""


def console_for(out: TextIO) -> Console:
    """Return a console that never reads markup in what it prints, as wide as a terminal, else `WIDTH`."""
    return Console(file=out, highlight=False, markup=False, width=None if out.isatty() else WIDTH)


def write_svg(picture: RenderableType, title: str, path: Path) -> None:
    """Write the same picture as SVG.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    console = Console(record=True, width=WIDTH, file=io.StringIO(), highlight=False, markup=False)
    console.print(picture)
    write_file(path, console.export_svg(title=title, code_format=_SVG), "--svg")
