"""Ids of runs in a queue: those of the server, since the journal of a loop is kept under RUN/NODE."""

from __future__ import annotations

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.integrations.dbos_orders import checked_run_id


@pytest.mark.parametrize("run_id", ["s1/draft", "g1/sections[0]", "..", ".", "a\nb"])
def test_an_id_that_the_server_refuses_is_refused_by_the_queue(run_id: str) -> None:
    with pytest.raises(ConfigurationError, match="run_id"):
        checked_run_id(run_id)
