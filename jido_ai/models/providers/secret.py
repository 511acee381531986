"""API keys, which are never shown."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from jido_ai.text.redaction import MASK

_SHORTEST_MASKED: Final = 4
_PLACEHOLDER: Final = re.compile(
    r"your[-_]?(?:own|real|open_?ai|anthropic|api|key|secret|token)|change[-_]?me|replace[-_]?me|placeholder|"
    r"\.\.\.|^<.*>$|^(?:sk-)?(?:ant-)?(?:x{3,}|\*{3,})$",
    re.IGNORECASE,
)


def is_placeholder(key: str) -> bool:
    """True if a key is a placeholder from an example: "sk-...", "your-api-key", "changeme"."""
    return _PLACEHOLDER.search(key.strip()) is not None


class Secret:
    """A text that `repr`, `str`, its attributes and pickles never show.

    Args:
        text: surrounding white space is removed, because keys are often read from files that end with a line break.

    Raises:
        ValueError: the text is empty or has a character that headers cannot contain. The text is not quoted.
    """

    __slots__ = ("__reveal",)

    def __init__(self, text: str) -> None:
        text = text.strip()
        if not text or not all("!" <= character <= "~" for character in text):
            raise ValueError("a key must consist of printable ASCII characters without spaces")
        self.__reveal = lambda: text

    def reveal(self) -> str:
        """Return the text, for the code that sends it."""
        return self.__reveal()

    def mask(self, text: str) -> str:
        """Return `text` with every occurrence of the key masked; keys of up to three characters are not masked."""
        key = self.__reveal()
        return text.replace(key, MASK) if len(key) >= _SHORTEST_MASKED else text

    def __repr__(self) -> str:
        return "Secret(...)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret cannot be pickled or copied")
