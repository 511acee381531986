"""Markdown layout as mdformat writes it. Pure."""

from __future__ import annotations

import re
from typing import Final

_ROW_END: Final = re.compile(r"\r\n|\r|\n")
_BLANK_ROWS: Final = re.compile(r"(?:[ \t]*+(?:\r\n|\r|\n))*+")
_FRONT_MATTER: Final = re.compile(r"(?:---|\+\+\+)[ \t]*+(?:\r\n|\r|\n)")


def has_usual_layout(text: str) -> bool:
    """Tell whether the text has mdformat's layout, or must keep its own."""
    return formatted_markdown(text) in (None, text)


def formatted_markdown(text: str) -> str | None:
    """Return the text in mdformat's layout; None if it must keep its own.

    That is a text with front matter, which mdformat would take for a heading, one whose rows end in different ways, or
    one it renders otherwise afterwards. A byte order mark, blank rows at the beginning, what ends the rows, and a last
    row that does not end stay.
    """
    bom = "\ufeff" if text.startswith("\ufeff") else ""
    start = _BLANK_ROWS.match(text, len(bom))
    begin = text[: start.end()] if start is not None else bom
    body = text[len(begin) :]
    ends = set(_ROW_END.findall(text))
    if len(ends) > 1 or _FRONT_MATTER.match(body):
        return None
    import mdformat  # noqa: PLC0415 - slow to load, and seldom needed
    from markdown_it import MarkdownIt  # noqa: PLC0415

    end = next(iter(ends), "\n")
    try:
        made = mdformat.text(_ROW_END.sub("\n", body))  # pyright: ignore[reportUnknownMemberType]
    except Exception:  # noqa: BLE001 - a plug-in of the formatter may raise anything; the text is left as it is
        return None
    parser = MarkdownIt("commonmark").enable("table")
    same = parser.render(made) == parser.render(_ROW_END.sub("\n", body))  # pyright: ignore[reportUnknownMemberType]
    if not text.endswith(("\n", "\r")):
        made = made.removesuffix("\n")
    return begin + made.replace("\n", end) if same else None
