"""JSON texts of plain values. Pure."""

from __future__ import annotations

import json
from typing import Any

from jido_ai.errors import ConfigurationError, describe


def text_of_json(value: Any) -> str:
    """Return the value as JSON on one line. Raises `ConfigurationError` for a value that JSON cannot hold."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"JSON cannot hold {describe(value)}") from error
