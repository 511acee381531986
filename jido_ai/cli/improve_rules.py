"""`jido improve --rules`: what is looked for without a configuration, and which edits are made."""

from __future__ import annotations

from typing import Final, TextIO

from rich.console import Console
from rich.table import Table

from jido_ai.revisers.edit_policy import RULES

_EDITS: Final = {"safe": "fixed", "unsafe": "held back", "none": "reported"}


def print_rules(out: TextIO) -> None:
    """Print the rules as a table."""
    console = Console(file=out, highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("rule", "finds", "edit", "why it is held back"):
        table.add_column(heading, overflow="fold")
    for rule in RULES:
        table.add_row(rule.code, rule.finds, _EDITS[rule.edit], rule.why)
    console.print(table)
    console.print()
    console.print(
        "Held back: made with --unsafe-fixes, or when --tests pass and run the lines.\n"
        "A project's configuration of ruff replaces this list, one of flake8 narrows it; so do --select and --ignore.",
        soft_wrap=True,
    )
