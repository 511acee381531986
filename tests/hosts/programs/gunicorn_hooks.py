"""The configuration of gunicorn."""

import forking_app


def post_fork(server: object, worker: object) -> None:
    forking_app.make()
