"""`jido gate` and `jido improve --with`: shows progress, and prints the report."""

from __future__ import annotations

import asyncio
from typing import TextIO

from jido_ai.improve.patch_run import GateOptions
from jido_ai.improve.patch_run import gate as check
from jido_ai.text.printable import printable


def gate(options: GateOptions, out: TextIO, err: TextIO) -> int:
    """Check a patch, print the report, and return the exit status.

    Raises:
        JidoError: see `patch_run.gate`.
    """

    def tell(text: str) -> None:
        if err.isatty() and options.verbosity >= 0:
            err.write(f"{printable(text)}\n")

    report = asyncio.run(check(options, tell))
    if report.diff:
        out.write(report.diff.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    out.writelines(f"{line}\n" for line in report.lines)
    err.writelines(f"{printable(message)}\n" for message in report.messages)
    return report.status
