"""The keys of a graph file, by table, and the JSON Schema made from them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jido_ai.graph.nodes import COMPARISONS
from jido_ai.graph.template import MOST_FIELD_CHARS

Schema = Mapping[str, Any]

_TEXT: Final[Schema] = {"type": "string", "minLength": 1}
_TEXTS: Final[Schema] = {"type": "array", "items": _TEXT, "minItems": 1}
_NAMES: Final[Schema] = {"type": "array", "items": _TEXT, "uniqueItems": True}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_FROM_1: Final[Schema] = {"type": "integer", "minimum": 1}
_SECONDS: Final[Schema] = {"type": "number", "exclusiveMinimum": 0}
_SHARE: Final[Schema] = {"type": "number", "minimum": 0, "maximum": 1}


def _one_of(*values: str) -> Schema:
    return {"type": "string", "enum": list(values)}


def _told(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description}


_COMMON: Final[Mapping[str, Schema]] = {
    "after": _told(_NAMES, "Nodes that must be done before, without an input from them."),
    "retries": _told(_COUNT, "How often a failed call is tried again."),
    "fallback": _told(_TEXT, "A text for a failed node, or the name of a node that runs only then."),
    "timeout_s": _told(_SECONDS, "Seconds for one try."),
    "max_field_chars": _told(
        {"type": "integer", "minimum": 1, "maximum": MOST_FIELD_CHARS}, "Most characters of one field in a prompt."
    ),
    "restart": _told(_one_of("permanent", "temporary"), "Whether the node's actor is restarted when it is killed."),
    "max_restarts": _told(_COUNT, "Restart intensity of the node's own actors."),
    "max_seconds": _told(_SECONDS, "Seconds in which max_restarts counts."),
}
_MODEL: Final = _told(_TEXT, 'A model: "PROVIDER:NAME", or "scripted:FILE" for answers from a file.')
_CRITICS: Final = _told(
    _TEXTS, 'Who judges: "model:PROVIDER:NAME", "tool:NAME" from the registry, "rules:FILE" beside this file.'
)
_PROJECT: Final[Mapping[str, Schema]] = {
    "root": _told(_TEXT, "A directory beside this file; every tool runs in its own copy of it."),
    "replaces": _told(_TEXT, "The file of that directory that the text replaces."),
}
LOOP_CONFIG: Final[Mapping[str, Schema]] = {
    "max_iterations": _told({"type": "integer", "minimum": 1, "maximum": 100}, "Most candidates judged."),
    "severity_threshold": _told(_SHARE, "A lower severity is good enough."),
    "change_threshold": _told(_SHARE, "Share of the text that must change for a revision to count."),
    "score_threshold": _told({"type": "number", "exclusiveMinimum": 0, "maximum": 1}, "Smallest gain that counts."),
    "patience": _told(_FROM_1, "Iterations without gain that are allowed."),
    "step_timeout_s": _told(_SECONDS, "Seconds for one call of a component."),
    "step_retries": _told(_COUNT, "How often such a call is tried again."),
    "accept": _told(_one_of("severity", "clean"), 'What is good enough: a low severity, or "clean": no open issue.'),
    "policy": _told(_one_of("documented", "adaptive"), "The stop rules."),
    "call_price": _told({"type": "number", "minimum": 0}, "Gain that a model call must be expected to bring."),
    "candidates": _told(_FROM_1, "First candidates."),
    "beam": _told(_FROM_1, "How many of them are revised."),
    "floor": _told(_one_of("first", "none"), "Whether later candidates must pass what the first one passed."),
}
"""The keys of a loop that are fields of `LoopConfig`."""
_LEARNING: Final[Mapping[str, Schema]] = {
    "max_lessons": _told(_FROM_1, "Most lessons offered to a run."),
    "max_lesson_tokens": _told(_FROM_1, "Limit for these lessons together, and for the examples, in tokens."),
    "learn_from": _told(
        _one_of("known", "accepted", "nothing"),
        "Which accepted answers become examples: those that a program or a person accepted, all, or none.",
    ),
    "max_examples": _told(_COUNT, "Most examples kept."),
    "max_examples_shown": _told(_COUNT, "Most examples shown to a run."),
    "holdout": _told(_SHARE, "Share of the runs that are shown nothing remembered."),
    "reward_threshold": _told({"type": "number", "minimum": -1, "maximum": 1}, "A lower reward is reflected on."),
}
"""The keys of a loop about what it learns and is shown."""

KINDS: Final = ("loop", "step", "check", "map", "choice", "approval", "graph")
CASE_KEYS: Final[Mapping[str, Schema]] = {
    "if": _told(_TEXT, "A template of one field, as {check.score}."),
    "is": _told(_one_of(*COMPARISONS), "How it is compared."),
    "than": _told({"type": ["string", "number", "boolean"]}, "What it is compared with."),
    "then": _told(_TEXT, "The node that continues."),
    "else": _told(_TEXT, "The node that continues if no case holds; the last case."),
}
_CASE_SCHEMA: Final[Schema] = {
    "oneOf": [
        {
            "type": "object",
            "properties": {name: CASE_KEYS[name] for name in ("if", "is", "than", "then")},
            "required": ["if", "is", "than", "then"],
            "additionalProperties": False,
        },
        {
            "type": "object",
            "properties": {"else": CASE_KEYS["else"]},
            "required": ["else"],
            "additionalProperties": False,
        },
    ]
}
_NODE_KEYS: Final[Mapping[str, Mapping[str, Schema]]] = {
    "loop": {
        "loop": _told(_TEXT, "Template of the prompt."),
        "model": _told(_MODEL, "Generates and revises."),
        "generator": _told(_MODEL, "Generates, in place of model."),
        "reviser": _told(_TEXT, 'Revises, in place of model: a model, or "targeted" for repairs without one.'),
        "critics": _CRITICS,
        "initial": _told(_TEXT, "Template of the first candidate, in place of generating it."),
        "task_type": _told(_TEXT, "Of the lessons; the node's name unless given."),
        "output": _told(
            {"type": ["object", "string"]},
            "Type of the answer: a JSON Schema, a file with one beside this file, or with --trust python:MODULE.TYPE.",
        ),
        **LOOP_CONFIG,
        **_LEARNING,
        **_PROJECT,
    },
    "step": {
        "step": _told(_TEXT, "A registered step, or with --trust python:MODULE.FUNCTION; with model, the prompt."),
        "uses": _told(_TEXT, "The same as step."),
        "model": _told(_MODEL, "Answers the prompt."),
        "prompt": _told(_TEXT, "Template of the prompt for model."),
        "inputs": _told({"type": "object"}, "Keywords of the step; texts are templates."),
    },
    "check": {
        "check": _told(_TEXT, "Template of the text to judge."),
        "critics": _CRITICS,
        "threshold": _told(_SHARE, "A lower severity is good enough."),
        "when": _told(_one_of("record", "fail"), "Whether a text that is not good enough fails the node."),
        **_PROJECT,
    },
    "map": {
        "map": _told(_TEXT, "Template of a list, as {outline.lines}."),
        "each": _told({"$ref": "#/$defs/node"}, "The node for each {item}."),
        "max_concurrency": _told(_FROM_1, "Most items at the same time."),
        "on_error": _told(_one_of("fail", "skip"), "Whether a failed item fails the map or is left out."),
    },
    "choice": {"choice": _told({"type": "array", "items": _CASE_SCHEMA, "minItems": 1}, "Cases in order.")},
    "approval": {
        "approval": _told(_TEXT, "Template of the text to approve."),
        "on_timeout": _told(_one_of("suspend", "pass", "refuse"), "What happens when approve takes too long."),
    },
    "graph": {
        "graph": _told(_TEXT, "Another graph file, in this directory or below."),
        "inputs": _told({"type": "object"}, "Its inputs; texts are templates."),
    },
}
BUDGET_KEYS: Final[Mapping[str, Schema]] = {
    "max_calls": _COUNT,
    "max_tokens": _COUNT,
    "max_cost_usd": {"type": "number", "minimum": 0},
    "max_wall_s": _SECONDS,
}
GRAPH_KEYS: Final[Mapping[str, Schema]] = {
    "name": _told(_TEXT, "Of the graph; the file's name unless given."),
    "inputs": _told(_NAMES, "What a run is given, by name."),
    "trusted": _told(_NAMES, "Inputs that only you write: prompts have them as they are, not as blocks of data."),
    "output": _told(_TEXT, "The node whose output is the graph's."),
    "timeout_s": _told(_SECONDS, "Seconds for a whole run."),
    "budget": _told(
        {"type": "object", "properties": dict(BUDGET_KEYS), "additionalProperties": False}, "Of a whole run."
    ),
    "max_concurrency": _told(_FROM_1, "Most steps, loops and checks at work at the same time."),
    "strategy": _told(_one_of("one_for_one", "one_for_all", "rest_for_one"), "Of the supervisor over the nodes."),
    "max_restarts": _told(_COUNT, "Restart intensity of the nodes together."),
    "max_seconds": _told(_SECONDS, "Seconds in which max_restarts counts."),
}


def node_keys(kind: str) -> Mapping[str, Schema]:
    """Return all keys of a table of that kind."""
    return {**_NODE_KEYS[kind], **_COMMON}


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a graph file, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A graph of critique-revise loops and steps",
        "type": "object",
        "properties": {
            "graph": {
                "type": "object",
                "properties": dict(GRAPH_KEYS),
                "required": ["output"],
                "additionalProperties": False,
            },
            "nodes": {"type": "object", "additionalProperties": {"$ref": "#/$defs/node"}, "minProperties": 1},
        },
        "required": ["graph", "nodes"],
        "additionalProperties": False,
        "$defs": {"node": {"oneOf": [_node_schema(kind) for kind in KINDS]}},
    }


def _node_schema(kind: str) -> dict[str, Any]:
    required = {"check": ["critics"], "map": ["each"]}.get(kind, [])
    alternatives: dict[str, Any] = {"required": [kind]}
    if kind == "step":
        alternatives = {"oneOf": [{"required": ["step"]}, {"required": ["uses"]}, {"required": ["model", "prompt"]}]}
    if kind == "loop":
        alternatives["anyOf"] = [{"required": ["critics"]}, {"required": ["output"]}]
    return {
        "title": kind,
        "type": "object",
        "properties": dict(node_keys(kind)),
        "additionalProperties": False,
        "allOf": [alternatives, {"required": required}],
    }
