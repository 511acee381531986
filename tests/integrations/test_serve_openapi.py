"""The OpenAPI document, with schemathesis: no server error, no undocumented answer (FAULTS 23)."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("schemathesis")

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
SERVED = Path(__file__).parents[2] / "benchmarks" / "serve" / "served.py"


@pytest.fixture(scope="module")
def api() -> Generator[object]:
    """A real server on loopback, and the schema that it gives."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, str(SERVED), str(port), "-", "0"], stdout=subprocess.DEVNULL) as process:
        try:
            for _ in range(600):
                try:
                    httpx.get(f"http://127.0.0.1:{port}/healthz")
                    break
                except httpx.TransportError:
                    time.sleep(0.05)
            yield schemathesis.openapi.from_url(f"http://127.0.0.1:{port}/openapi.json")
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.filterwarnings("ignore")
def test_every_answer_is_documented(api: Any) -> None:
    operations = [one.ok() for one in api.get_all_operations()]
    assert len(operations) >= 20, "a test of nothing otherwise"
    for operation in operations:

        @settings(
            max_examples=40,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.explicit, Phase.generate],
        )
        @given(case=operation.as_strategy())
        def is_documented(case: schemathesis.Case) -> None:
            case.call_and_validate(checks=CHECKS)

        is_documented()
