"""API keys, which are never shown."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from jido_ai.text.redaction import MASK

__all__ = ["Secret", "is_placeholder"]

_SHORTEST_MASKED: Final = 4
_PLACEHOLDER: Final = re.compile(
    r"your[-_]?(?:own|real|open_?ai|anthropic|api|key|secret|token)|change[-_]?me|replace[-_]?me|placeholder|"
    r"\.\.\.|^<.*>$|^(?:sk-)?(?:ant-)?(?:x{3,}|\*{3,})$",
    re.IGNORECASE,
)


def is_placeholder(key: str) -> bool:
    """Tell whether a key is what an example has in the place of one: "sk-...", "your-api-key", "changeme"."""
    return _PLACEHOLDER.search(key.strip()) is not None


class Secret:
    """A text that neither `repr`, `str`, a copy of its attributes nor a pickle shows.

    Args:
        text: white space around it is no part of it; it is often read from a file that ends with a line break.

    Raises:
        ValueError: it is empty, or holds a character that no header may carry. The text is not quoted.
    """

    __slots__ = ("__reveal",)

    def __init__(self, text: str) -> None:
        text = text.strip()
        if not text or not all("!" <= character <= "~" for character in text):
            raise ValueError("a key is made of printable ASCII characters without spaces")
        self.__reveal = lambda: text

    def reveal(self) -> str:
        """Return the text, for the one place that sends it."""
        return self.__reveal()

    def mask(self, text: str) -> str:
        """Return `text` with every occurrence of the key masked; keys of three characters or fewer hide nothing."""
        key = self.__reveal()
        return text.replace(key, MASK) if len(key) >= _SHORTEST_MASKED else text

    def __repr__(self) -> str:
        return "Secret(...)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret cannot be pickled or copied")
