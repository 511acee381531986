"""Size of values that are to fit into a line of the journal. Pure."""

from __future__ import annotations

import json
from typing import Final

from jido_ai.memory import intake
from jido_ai.text.large_json import size_of
from jido_ai.text.plain_json import dumped
from jido_ai.values.base import Value

_BYTES_OF_A_CHARACTER: Final = 6
_BYTES_AROUND: Final = 2_000
"""What a line says beside the value."""


def too_large(what: str, value: object, instead: str) -> str | None:
    """Return a sentence if a value has more bytes as JSON than a line of the journal may have; None if it fits.

    Args:
        what: its name and verb, such as "the output has".
        instead: how to do without it.
    """
    most = intake.MOST_LINE_BYTES
    few = most // _BYTES_OF_A_CHARACTER
    if size_of(value, few) <= few:
        return None
    fields = dumped(value) if isinstance(value, Value) else value
    size = len(json.dumps(fields, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass"))
    if size <= most - _BYTES_AROUND:
        return None
    return f"{what} {size:,} bytes as JSON, too much for a line of the journal, which has {most:,}: {instead}"
