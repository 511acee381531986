"""A Celery application whose queue is a folder."""

from __future__ import annotations

import os

from celery import Celery
from celery.signals import worker_process_init
from forking_app import make, report

FOLDER = os.environ["HOST_FOLDER"]

app = Celery("hosts", broker="filesystem://", backend=f"file://{FOLDER}")
app.conf.broker_transport_options = {
    "data_folder_in": FOLDER,
    "data_folder_out": FOLDER,
    "control_folder": FOLDER,
    "polling_interval": 0.1,
}
worker_process_init.connect(make, weak=False)


@app.task
def ask() -> str:
    return report()
