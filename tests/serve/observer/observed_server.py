"""A server of scripted pipelines in a process of its own: `python observed_server.py PORT MEMORY [TOKENS]`.

Environment: OBSERVED_PAUSE_S is how long each step of "essay" takes.
"""

from __future__ import annotations

import os
import sys

import uvicorn
from observed_things import observed_things

from jido_ai.serve import create_app


def main() -> None:
    port, memory, *more = sys.argv[1:]
    pause_s = float(os.environ.get("OBSERVED_PAUSE_S", "0"))
    app = create_app(observed_things(pause_s=pause_s), memory=memory, tokens=more[0] if more else None)
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="error", timeout_graceful_shutdown=1)


if __name__ == "__main__":
    main()
