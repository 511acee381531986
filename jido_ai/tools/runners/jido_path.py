"""Where the modules of a project are, for the scripts beside this file: its copy comes first on `sys.path`."""

from __future__ import annotations

import os
import sys


def project_first() -> None:
    """Put the working directory on the path, and its "src": a package installed from its sources has the original's."""
    here = os.getcwd()  # noqa: PTH109 - pathlib is not needed, and a test may have changed it
    src = os.path.join(here, "src")  # noqa: PTH118
    is_package = os.path.exists(os.path.join(src, "__init__.py"))  # noqa: PTH110, PTH118
    sys.path[:0] = [here] if is_package or not os.path.isdir(src) else [here, src]  # noqa: PTH112
