"""The documentation site builds without a warning, its navigation has every page, and its links are checked."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from documentation import broken_links, build, foreign_parts

ROOT = Path(__file__).parents[2]
ZENSICAL = ROOT / ".venv-docs" / "bin" / "zensical"


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(not ZENSICAL.exists(), reason="the tools of the documentation are not installed: make docs")
def test_the_site_builds_without_a_warning_and_its_links_lead_somewhere() -> None:
    assert build(ZENSICAL) == []


def pages_in(navigation: Any) -> Iterator[str]:
    for entry in navigation:
        for target in entry.values():
            yield from [target] if isinstance(target, str) else pages_in(target)


def test_the_navigation_has_every_page_once() -> None:
    navigation = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]["nav"]
    pages = [page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")]
    wanted = [page for page in pages if not page.startswith("planning/")]
    assert sorted(pages_in(navigation)) == sorted([*wanted, "planning/index.md"])  # the list of decisions is made


def test_links_anchors_and_parts_of_other_hosts_are_found(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "index.html").write_text('<h1 id="top">b</h1>')
    (tmp_path / "index.html").write_text(
        '<a href="b/#top">right</a><a href="b/#bottom">no anchor</a><a href="c/">no page</a><a href="https://d.example">'
        '<script src="https://e.example/x.js"></script><a href="../outside">'
    )
    (tmp_path / "outside.css").write_text("@import url(//f.example/font.css)")
    assert broken_links(tmp_path) == ["index.html: b/#bottom", "index.html: c/", "index.html: ../outside"]
    assert foreign_parts(tmp_path) == [
        "index.html: https://e.example/x.js",
        "outside.css: //f.example/font.css",
    ]
