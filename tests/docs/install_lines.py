"""The lines that install the package: `python tests/docs/install_lines.py` writes them anew, with `SOURCE`.

There is no release yet, so pages install from a clone. With a release, change `SOURCE` to "jido-ai" and run this file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

__all__ = ["INSTALL", "SOURCE", "pages_that_install", "written_anew"]

SOURCE: Final = "."
ROOT: Final = Path(__file__).parents[2]
INSTALL: Final = re.compile(r"(pip install (?:--\S+ )*)('?)(\.|jido[-_]ai|\S*PATH_OF_THE_CLONE)(?=\[|'|`|\n|$)")
_RELEASED: Final = ("CHANGELOG.md", "planning", "install.md", "docker.md")  # these tell of both


def pages_that_install() -> list[Path]:
    """Return the pages for users that install the package."""
    pages = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]
    return [page for page in pages if not set(page.parts) & set(_RELEASED) and INSTALL.search(page.read_text("utf-8"))]


def written_anew(text: str) -> str:
    """Return the text of a page with lines that install from `SOURCE`."""
    return INSTALL.sub(rf"\g<1>\g<2>{SOURCE}", text)


if __name__ == "__main__":
    for page in pages_that_install():
        page.write_text(written_anew(page.read_text("utf-8")), "utf-8")
