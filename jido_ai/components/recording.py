"""Recording: the call under way in this context, for the wrappers and providers between a component and its answer.

They know what the component does not see: failed tries, the first token, the host that answers.
"""

from __future__ import annotations

from contextvars import ContextVar

from jido_ai.protocols import OpenCall

current_call: ContextVar[OpenCall | None] = ContextVar("current_call", default=None)
"""Set by a component while it asks a model; None if the call is not recorded."""


def note_thought(text: object) -> None:
    """Note a piece of the model's thoughts that came beside its reply; anything but a text is ignored."""
    call = current_call.get()
    if call is not None and isinstance(text, str):
        call.thought(text)
