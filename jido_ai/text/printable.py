"""Text that can be shown or sent: no control characters, and no longer than asked for. Pure."""

from __future__ import annotations

import re
from typing import Final

CUT: Final = " […]"
_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Return the text with "\ufffd" for control characters and lone surrogates, which JSON requests may not carry."""
    if text.isascii() and text.replace("\n", "").isprintable():  # as most are, and twice as quick to see
        return text
    return _UNPRINTABLE.sub("\ufffd", text)


def clip(text: str, width: int) -> str:
    """Return at most `width` characters of `text`; a cut is visible as " […]" where that fits."""
    return text if len(text) <= width else text[: max(0, width - len(CUT))] + CUT[: max(0, width)]
