"""HTTP, the OpenAI-compatible door and the observer's page over the same runs (extra `serve`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.serve.app import create_app as create_app
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
