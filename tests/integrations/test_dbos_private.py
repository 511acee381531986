"""The private part of DBOS that one file uses is where that file expects it."""

from __future__ import annotations

import inspect

import pytest

pytest.importorskip("dbos", reason="dbos is not installed: make test-integrations")

from dbos import DBOS


def test_the_private_functions_of_dbos_exist_where_they_are_used() -> None:
    from dbos import _recovery, _sys_db, _utils

    assert list(inspect.signature(_recovery.recover_pending_workflows).parameters) == ["dbos", "executor_ids"]
    one = inspect.signature(_sys_db.SystemDatabase.reenqueue_for_recovery)
    assert list(one.parameters) == ["self", "workflow_id", "executor_ids", "recovery_queue_name"]
    made = inspect.signature(_sys_db.SystemDatabase.create).parameters
    wanted = {"system_database_url", "engine_kwargs", "engine", "schema", "serializer", "executor_id"}
    assert wanted == {name for name, one in made.items() if one.default is inspect.Parameter.empty}
    assert isinstance(_utils.INTERNAL_QUEUE_NAME, str)
    assert "background_thread_stop_events" in inspect.getsource(DBOS.__init__)
