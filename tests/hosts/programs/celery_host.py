"""A Celery worker with the pool prefork: prints the report of a task."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

os.environ["HOST_FOLDER"] = sys.argv[1]
from celery_app import ask

options = [
    "--pool",
    "prefork",
    "--concurrency",
    "1",
    "--without-gossip",
    "--without-heartbeat",
    "--without-mingle",
    "--loglevel",
    "ERROR",
]
command = [sys.executable, "-m", "celery", "-A", "celery_app", "worker", *options]
with subprocess.Popen(command, cwd=Path(__file__).parent, stdout=subprocess.DEVNULL) as worker:
    try:
        print(ask.delay().get(timeout=90))
    finally:
        worker.send_signal(signal.SIGQUIT)
