"""Commands that are printed to be copied: quoted for the shell, with the options that they need. Pure."""

from __future__ import annotations

import shlex

from jido_ai.text.printable import printable
from jido_ai.text.redaction import redact

DECISION = "yes|no|@FILE"
"""Stands for the decision in a command; a person writes one of the three."""


def command(*words: object, **options: object) -> str:
    """Return a command of `jido`, as in `command("runs", "resume", "r1", memory="m.db")`.

    Args:
        options: True is a flag; None and False are left out. A password in an address is masked.
    """
    parts = ["jido", *map(str, words)]
    for name, value in options.items():
        if value is None or value is False:
            continue
        parts.append(f"--{name.replace('_', '-')}")
        if value is not True:
            parts.append(redact(str(value)))
    return printable(shlex.join(parts))
