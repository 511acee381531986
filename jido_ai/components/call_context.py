"""Context of a component's call for the code below it: the run's meter, the call under way, the caller's wishes.

A component reserves at `context.meter` before it asks a model. The wrappers between the component and the provider see
only requests: they reserve here what only they know, such as a price, or a retry of a call that may have been billed,
and note what the component does not see: failed tries, the first token, the host that answers.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Final

from jido_ai.protocols import Meter, OpenCall
from jido_ai.text.output_type import OutputType

current_meter: ContextVar[Meter | None] = ContextVar("current_meter", default=None)
"""Set by the component's actor for each call of a component; None outside of a run."""


@contextmanager
def metering(meter: Meter | None) -> Generator[None]:
    """Charge calls inside of the `with` block to `meter`."""
    token = current_meter.set(meter)
    try:
        yield
    finally:
        current_meter.reset(token)


current_call: ContextVar[OpenCall | None] = ContextVar("current_call", default=None)
"""Set by a component while it asks a model; None if the call is not recorded."""


def note_thought(text: object) -> None:
    """Note a piece of the model's thoughts that came beside its reply; anything but a text is ignored."""
    call = current_call.get()
    if call is not None and isinstance(text, str):
        call.thought(text)


_OF_ANY_TEXT: Final = ("temperature", "top_p", "seed")
"""Settings that also suit texts other than the answer."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """The form and settings that the caller of one run asks for, in place of the settings of the components that write.

    Attributes:
        form: the type of the answer; None for any text.
        settings: by the fields of `CompletionRequest`: temperature, top_p, max_tokens, seed, stop.
    """

    form: OutputType[Any] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def inside(self) -> Wishes:
        """Return the wishes for a text that is not the answer itself."""
        return replace(self, form=None, settings={k: one for k, one in self.settings.items() if k in _OF_ANY_TEXT})


current_wishes: ContextVar[Wishes | None] = ContextVar("current_wishes", default=None)
"""The wishes for the next run that is started in this context."""
