"""Orders and outcomes as JSON in the queue of DBOS, and the place of its tables."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from jido_ai.errors import ConfigurationError, describe
from jido_ai.graph.orders import RunOrder, RunOutcome, fault_of_run_id
from jido_ai.loop.record import trace_of
from jido_ai.text.redaction import redact
from jido_ai.values import ErrorInfo, Scope

VERSION: Final = 1
_WITH_ANSWERS: Final = 2
"""Version of orders with answers; workers that know only the first one leave them to others."""
_RESUMED: Final = "#resumed-"
_SCHEMA_CHARS: Final = 63
_SUFFIX: Final = "_dbos"
_QUEUE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ID_CHARS: Final = 255


@dataclass(frozen=True, slots=True)
class QueueAddress:
    """The place of a queue's tables: beside the journal.

    Attributes:
        store: address of the journal.
        url: of the database, for DBOS; may contain a password.
        schema: of DBOS's tables and ours; None in a file.
    """

    store: str = field(repr=False)
    url: str = field(repr=False)
    schema: str | None


def place_of(store: object) -> QueueAddress:
    """Return where the queue of a store is: another schema of its database, or for a file the file "STORE.queue".

    Args:
        store: postgresql://..., or the path of an SQLite file for workers of one machine.

    Raises:
        ConfigurationError: it is neither, or this Python's SQLite is too old for DBOS. The message quotes no password.
    """
    given = cast("str | os.PathLike[str] | None", store)
    text: object = os.fspath(given) if isinstance(given, str | os.PathLike) else None
    if not isinstance(text, str) or not text.strip() or "\0" in text or text == ":memory:":
        raise ConfigurationError(f"store must be postgresql://... or a file name, got {redact(describe(given))}")
    scheme, is_address, _ = text.partition("://")
    if not is_address:
        # From Python 3.12 on, DBOS's tables use unixepoch('subsec'), which is NULL in SQLite before 3.42.
        if sys.version_info >= (3, 12) and sqlite3.sqlite_version_info < (3, 42):
            raise ConfigurationError(
                "a queue in a file needs SQLite 3.42 or newer, or Python 3.11; this is SQLite "
                f"{sqlite3.sqlite_version} with Python {sys.version_info[0]}.{sys.version_info[1]}. Use one of these, "
                "or PostgreSQL"
            )
        return QueueAddress(text, f"sqlite:///{Path(text).absolute()}.queue", None)
    if scheme not in ("postgresql", "postgres"):
        raise ConfigurationError(f"store must be postgresql://... or a file name, got {scheme}://...")
    try:
        parts = urlsplit(text)
        options = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:
        raise ConfigurationError("invalid PostgreSQL address; write postgresql://user@host/database") from None
    schema = dict(options).get("schema", "jido_ai")[: _SCHEMA_CHARS - len(_SUFFIX)] + _SUFFIX
    query = urlencode([(name, value) for name, value in options if name != "schema"])
    return QueueAddress(text, urlunsplit(parts._replace(scheme="postgresql", query=query)), schema)


def is_at(place: QueueAddress, address: str) -> bool:
    """Tell whether the address of a memory is that of a place."""
    try:
        other = place_of(address)
    except ConfigurationError:
        return False
    if place.schema is None or other.schema is None:
        return place.schema == other.schema and Path(place.store).resolve() == Path(other.store).resolve()
    return (place.url, place.schema) == (other.url, other.schema)


def checked_queue(name: object) -> str:
    """Return the name of a queue. Raises `ConfigurationError` if it can be none."""
    if not isinstance(name, str) or _QUEUE.fullmatch(name) is None:
        raise ConfigurationError(
            f"queue must be 1 to 100 letters, digits, '_', '-' and '.', beginning with a letter or digit, "
            f"got {describe(name)}"
        )
    return name


def checked_run_id(run_id: object) -> str:
    """Return an id. Raises `ConfigurationError` if no run of a queue can have it, whatever its store is."""
    if not isinstance(run_id, str) or not run_id.strip() or len(run_id) > _ID_CHARS or not _is_column(run_id):
        raise ConfigurationError(
            f"run_id must be a string of 1 to {_ID_CHARS} characters that is not blank, without U+0000 and lone "
            f"surrogates, got {describe(run_id)}"
        )
    fault = fault_of_run_id(run_id)
    if fault is not None:  # the journal of a loop in a graph is kept under RUN/NODE
        raise ConfigurationError(fault)
    return run_id


def check_order(data: Mapping[str, Any]) -> None:
    """Raise `ConfigurationError` if the rows of a queue cannot hold an order, whatever its store is.

    They are JSON in UTF-8; the tenant has a column of its own.
    """
    for name, value in data.items():
        if _SURROGATE.search(json.dumps(value, ensure_ascii=False)):
            raise ConfigurationError(
                f"{name} has a lone surrogate (half of a character, U+D800 to U+DFFF), which a queue cannot hold"
            )
    if not _is_column(data["tenant"]):
        raise ConfigurationError(f"a tenant of a queue must not contain U+0000, got {describe(data['tenant'])}")


def _is_column(text: str) -> bool:
    return "\0" not in text and _SURROGATE.search(text) is None


def workflow_of(run_id: str, resumptions: int) -> str:
    """Return the id of the workflow of a run after a number of resumptions."""
    return f"{run_id}{_RESUMED}{resumptions}" if resumptions else run_id


def run_of(workflow_id: str) -> str:
    """Return the id of the run that a workflow carries out."""
    run_id, mark, number = workflow_id.rpartition(_RESUMED)
    return run_id if mark and number.isdecimal() else workflow_id


def resumptions_of(workflow_id: str) -> int:
    """Return how often its run was resumed up to a workflow."""
    run_id = run_of(workflow_id)
    return 0 if run_id == workflow_id else int(workflow_id[len(run_id) + len(_RESUMED) :])


def map_of(order: RunOrder) -> dict[str, Any]:
    """Return an order as JSON; the id is that of the workflow."""
    answers = {"answers": dict(order.answers), "questions": dict(order.questions)} if order.answers else {}
    return {
        "version": _WITH_ANSWERS if answers else VERSION,
        **answers,
        "name": order.name,
        "prompt": order.prompt,
        "inputs": None if order.inputs is None else dict(order.inputs),
        "tenant": order.scope.tenant,
        "project": order.scope.project,
        "metadata": dict(order.metadata or {}),
        **({} if order.trace is None else {"trace": dict(order.trace)}),
    }


def order_of(run_id: str, data: Mapping[str, Any]) -> RunOrder | None:
    """Return the order of a run; None if a newer version wrote it, which this one may misread."""
    if data.get("version") not in (VERSION, _WITH_ANSWERS):
        return None
    return RunOrder(
        run_id=run_id,
        name=data["name"],
        prompt=data["prompt"],
        inputs=data["inputs"],
        scope=Scope(data["tenant"], data["project"]),
        metadata=data["metadata"] or None,
        answers=data.get("answers", {}),
        questions=data.get("questions", {}),
        trace=trace_of(data),
    )


def digest_of(data: Mapping[str, Any]) -> str:
    """Return the fingerprint of an order: two orders that request the same run have the same one."""
    asked = {name: value for name, value in data.items() if name != "trace"}
    text = json.dumps(asked, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def outcome_map(outcome: RunOutcome) -> dict[str, Any]:
    """Return an outcome as JSON; one with a lone surrogate as JSON text in ASCII, which rows can hold."""
    error = None if outcome.error is None else outcome.error.model_dump(mode="json")
    data = {**asdict(replace(outcome, error=None)), "error": error}
    text = json.dumps(data, ensure_ascii=False)
    return data if _SURROGATE.search(text) is None else {"ascii": json.dumps(data)}


def outcome_of(data: object) -> RunOutcome:
    """Return the outcome that `outcome_map` wrote."""
    found: dict[str, Any] = dict(cast("Mapping[str, Any]", data))
    if "ascii" in found:
        found = json.loads(found["ascii"])
    if found["error"] is not None:
        found["error"] = ErrorInfo.model_validate(found["error"])
    return RunOutcome(**found)
