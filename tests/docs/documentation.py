"""The documentation site: builds it into build/site and checks it. `make docs` runs this; it needs zensical only.

It is built from a copy of docs/ in build/docs, to which are added a list of the decisions, and the files outside of
docs/ that pages link to. Every warning is an error. Afterwards each link and anchor of every page must lead somewhere
inside of the site, and nothing may be loaded from another host.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["Page", "broken_links", "build", "foreign_parts", "stage"]

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
STAGED = ROOT / "build" / "docs"
SITE = ROOT / "build" / "site"
LOADS = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
NOT_LOADED = {"canonical", "next", "prev", "edit"}


class Page(HTMLParser):
    """The links, loaded parts and anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors = {"", "__top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in LOADS and LOADS[tag] in found and found.get("rel", "") not in NOT_LOADED:
            self.loaded.append(found[LOADS[tag]])


def broken_links(site: Path) -> list[str]:
    """Return each link of the site that leads nowhere in it, with its page."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}
    found: list[str] = []
    for path, page in pages.items():
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            place = Path(os.path.normpath(path.parent / unquote(parts.path))) if parts.path else path
            place = place / "index.html" if place.is_dir() and (place / "index.html").exists() else place
            is_there = place.is_file() and place.is_relative_to(site)
            if not is_there or (place in pages and unquote(parts.fragment) not in pages[place].anchors):
                found.append(f"{path.relative_to(site)}: {link}")
    return found


def foreign_parts(site: Path) -> list[str]:
    """Return everything that a page or a style sheet loads from another host."""
    found = [
        f"{path.relative_to(site)}: {part}"
        for path in sorted(site.rglob("*.html"))
        for part in Page(path.read_text("utf-8")).loaded
        if re.match(r"(https?:)?//", part)
    ]
    for path in sorted(site.rglob("*.css")):
        parts = re.findall(r"url\(['\"]?((?:https?:)?//[^)]+)", path.read_text("utf-8"))
        found += [f"{path.relative_to(site)}: {part}" for part in parts]
    return found


def stage() -> None:
    """Make the copy that the site is built from."""
    shutil.rmtree(STAGED, ignore_errors=True)
    shutil.copytree(DOCS, STAGED)
    decisions = [(path, path.read_text("utf-8").splitlines()[0]) for path in sorted(DOCS.glob("planning/*.md"))]
    lines = [f"- [{title.lstrip('# ')}]({path.name})" for path, title in decisions]
    lines.append("- [Earlier decisions](archive/README.md)")
    (STAGED / "planning" / "index.md").write_text("# Decisions\n\n" + "\n".join(lines) + "\n", "utf-8")
    for page in sorted(DOCS.rglob("*.md")):
        (STAGED / page.relative_to(DOCS)).write_text(_with_links_of_the_site(page), "utf-8")


def _with_links_of_the_site(page: Path) -> str:
    """Return the text of a page; what it links to outside of docs/ is copied, and folders become their first page."""

    def link(match: re.Match[str]) -> str:
        target = Path(os.path.normpath(page.parent / match[1]))
        if not match[1] or ":" in match[1] or not target.exists():
            return match[0]
        if target.is_dir():
            first = next((target / name for name in ("index.md", "README.md") if (target / name).exists()), None)
            target = first or target / "index.md"
        if not target.is_relative_to(DOCS):
            copy = STAGED / "repository" / target.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if target.exists():
                shutil.copy(target, copy)
            else:
                files = sorted(path.name for path in target.parent.iterdir() if path.is_file())
                for name in files:
                    shutil.copy(target.parent / name, copy.parent / name)
                text = "\n".join(f"- [{name}]({name})" for name in files)
                copy.write_text(f"# {target.parent.relative_to(ROOT)}\n\n{text}\n", "utf-8")
            target = DOCS / copy.relative_to(STAGED)
        return f"]({os.path.relpath(target, page.parent)}{match[2] or ''})"

    parts = re.split(r"(^```.*?^```)", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [re.sub(r"\]\(([^)\s#]*)(#[^)\s]*)?\)", link, part) for part in parts[::2]]
    return "".join(parts)


def build(program: Path) -> list[str]:
    """Build the site; return the complaints, none if all is well. It uses no network."""
    stage()
    done = subprocess.run(
        [program, "build", "--clean", "--strict"],
        cwd=ROOT,
        env={**os.environ, **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    usual = ("Build started", "No issues found", "Build finished")
    complaints = [line for line in said if not line.startswith(usual)]
    if done.returncode:
        return complaints or [f"{program.name}: status {done.returncode}"]
    return [*complaints, *broken_links(SITE), *foreign_parts(SITE)]


if __name__ == "__main__":
    complaints = build(Path(sys.executable).parent / "zensical")
    sys.stdout.write("\n".join([*complaints, f"{len(complaints)} complaints; see {SITE}"]) + "\n")
    sys.exit(1 if complaints else 0)
