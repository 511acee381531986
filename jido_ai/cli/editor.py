"""The user's editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from jido_ai.errors import ConfigurationError


def edited(text: str, otherwise: str) -> str:
    """Return the text as it was left by the editor that VISUAL or EDITOR names.

    Args:
        otherwise: what to do without an editor, for the error.

    Raises:
        ConfigurationError: there is no editor, or it fails.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise ConfigurationError(f"no editor: set EDITOR, or {otherwise}")
    with tempfile.TemporaryDirectory(prefix="jido-edit-") as folder:
        file = Path(folder) / "text.txt"
        file.write_text(f"{text}\n", "utf-8")
        try:
            subprocess.run([*shlex.split(editor), str(file)], check=True)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            raise ConfigurationError(f"the editor {editor!r} failed: {error}; nothing was changed") from error
        return file.read_text("utf-8", "replace")
