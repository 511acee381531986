"""The arguments of a job, from the templates of its node and the outputs so far."""

from __future__ import annotations

import json
from typing import Any, cast

from jido_ai.errors import ComponentError
from jido_ai.graph.job import Job, NodeError
from jido_ai.graph.nodes import ApprovalNode, LoopNode, StepNode
from jido_ai.graph.output import value_of
from jido_ai.graph.template import as_text


def prepare(job: Job) -> None:
    """Set the arguments of a job, and a warning for each text that was cut. Raises `ComponentError`."""
    node = job.node
    spec = node.spec
    match spec:
        case StepNode():
            job.args = keywords_of(job) if spec.prompt is None else _prompt(job)
        case LoopNode():
            initial = node.templates.get("initial")
            prompt = _prompt(job)
            job.args = prompt, None if initial is None else as_text(initial.value(job.read))
        case ApprovalNode():
            job.args = as_text(node.templates["show"].value(job.read))
        case _:
            template = node.templates.get("text")
            job.args = None if template is None else template.value(job.read)


def _prompt(job: Job) -> str:
    filled = job.node.templates["prompt"].prompt(job.read, job.node.spec.max_field_chars)
    job.warnings, job.asked = filled.cuts, filled.plain
    if not filled.value.strip():
        raise NodeError("ComponentError", "the prompt is blank", job.path)
    return filled.value


def keywords_of(job: Job) -> dict[str, Any]:
    """Return the keywords of a call. Raises `ComponentError` if a field is not there."""
    outs, frame = job.frame.outs, job.frame
    keywords: dict[str, Any] = {}
    for binding in job.node.bindings:
        if binding.source >= 0 and frame.is_smooth:
            keywords[binding.name] = value_of(outs[binding.source])
        elif binding.template is None:
            keywords[binding.name] = binding.constant
        else:
            keywords[binding.name] = binding.template.value(job.read)
    return keywords


def items_of(job: Job) -> list[Any]:
    """Return the items of a map. Raises `ComponentError` if there is no list."""
    template = job.node.templates["over"]
    value = template.value(job.read)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = None
    if isinstance(value, list):
        return cast("list[Any]", value)
    error = ComponentError(
        f"{template.source} is not a list; for the lines of a text use {{node.lines}}", component=job.path
    )
    error.retryable = False
    raise error
