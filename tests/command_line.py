"""The command `jido` in the process of the tests, which spares the start of a Python for each call."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from jido_ai.__main__ import main


def run_jido(home: Path, directory: Path, *arguments: str, **environ: str) -> CompletedProcess[str]:
    """Run the command in a directory, with an environment that has only the search path, a home and `environ`."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name in set(os.environ) - {"PATH"}:
            patch.delenv(name)
        for name, value in {"HOME": str(home), **environ}.items():
            patch.setenv(name, value)
        patch.chdir(directory)
        patch.setattr(sys, "argv", ["jido", *arguments])
        status: object = 0
        try:
            main()
        except SystemExit as ended:
            status = ended.code
    return CompletedProcess(
        ["jido", *arguments], status if isinstance(status, int) else 0, out.getvalue(), err.getvalue()
    )
