"""Errors of runs as callers are told them: without the texts of foreign exceptions. Pure.

The text of an exception that a component raised may hold a prompt, a path or a key. The run's journal has it; a caller
gets its kind and the component. Errors of jido_ai say nothing of that sort, and keep their texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from jido_ai.errors import __all__ as _ERRORS

_WHERE: Final = "the run's journal on the server has the text"
_QUOTING: Final = frozenset({"ComponentError", "ParseError", "EditError"})
_OURS: Final = frozenset(_ERRORS) - _QUOTING


def told_error(error: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return an error of a run for its caller."""
    if error is None:
        return None
    kind = str(error["kind"])
    if kind in _OURS or kind.islower():  # a reason of ours, as in "cancelled"
        return dict(error)
    where = error.get("component") or "a component"
    return {**error, "message": f"{where} failed with {kind}; {_WHERE}"}


def told_call(call: dict[str, Any]) -> dict[str, Any]:
    """Return a call of a model as JSON for its caller: of tries that foreign exceptions ended, their kind."""
    kinds = [(one, str(one["error"]).partition(":")[0]) for one in call["tries"]]
    return {**call, "tries": [one if kind in _OURS else {**one, "error": f"{kind}; {_WHERE}"} for one, kind in kinds]}


def told_result(result: Any) -> Any:
    """Return a result or an event of a run as JSON for its caller; errors inside are told likewise."""
    if not isinstance(result, Mapping):
        return result
    told: dict[str, Any] = dict(cast("Mapping[str, Any]", result))
    if isinstance(told.get("error"), Mapping):
        told["error"] = told_error(told["error"])
    elif told.get("type") == "ComponentRestarted":
        told["error"] = f"{told['component']} failed; {_WHERE}"
    for name in ("result", "iteration", "critique", "revision"):
        if name in told:
            told[name] = told_result(told[name])
    for name in ("items", "iterations"):
        if isinstance(told.get(name), list):
            told[name] = [told_result(one) for one in told[name]]
    if isinstance(told.get("nodes"), Mapping):
        told["nodes"] = {name: told_result(node) for name, node in told["nodes"].items()}
    if isinstance(told.get("metadata"), Mapping):
        metadata: dict[str, Any] = dict(told["metadata"])
        if isinstance(metadata.get("failed"), list):  # members of a panel
            metadata["failed"] = [f"{str(one).partition(':')[0]}: {_WHERE}" for one in metadata["failed"]]
            told["metadata"] = metadata
    return told
