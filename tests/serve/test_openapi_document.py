"""The OpenAPI document: complete, with one name for each schema, and true."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import jsonschema
import pytest

from jido_ai import Pipeline
from jido_ai.serve import create_app
from jido_ai.serve.field_texts import FIELD_TEXTS
from tests.serve.conftest import RUN, Stub, client_of, things

SCHEMAS_IN = ("properties", "anyOf", "oneOf", "allOf", "items", "additionalProperties", "$defs")


def document_of(stub: Stub, served: Any = None) -> dict[str, Any]:
    return create_app(things(stub) if served is None else served).openapi()


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, list):
        for one in schema:
            yield from parts(one)
    elif isinstance(schema, dict):
        yield schema
        for key in SCHEMAS_IN:
            inside = schema.get(key)
            yield from parts(list(inside.values()) if key in ("properties", "$defs") and inside else inside)


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def check(document: dict[str, Any], name: str, value: object) -> None:
    whole = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
    jsonschema.validate(value, whole, jsonschema.Draft202012Validator)


def test_every_field_of_every_schema_has_a_description(stub: Stub) -> None:
    document = document_of(stub)
    bare = [
        f"{name}: {field}"
        for name, schema in document["components"]["schemas"].items()
        for part in parts(schema)
        for field, about in part.get("properties", {}).items()
        if not about.get("description")
    ]
    assert bare == []


def test_a_description_is_that_of_its_field(stub: Stub) -> None:
    schemas = document_of(stub)["components"]["schemas"]
    fields = {
        (field, about.get("description"))
        for schema in schemas.values()
        for part in parts(schema)
        for field, about in part.get("properties", {}).items()
    }
    for known, text in FIELD_TEXTS.items():
        users = {field for field, description in fields if description == text}
        assert users <= {name.rpartition(".")[2] for name, other in FIELD_TEXTS.items() if other == text}, known


def test_every_status_has_a_description_and_a_schema_and_every_parameter_a_description(stub: Stub) -> None:
    for name, operation in operations(document_of(stub)):
        assert operation["summary"], name
        for status, response in operation["responses"].items():
            assert response["description"], (name, status)
            [content] = response["content"].values()
            assert content["schema"], (name, status)
        for parameter in operation.get("parameters", []):
            assert parameter["description"], (name, parameter)


def test_every_schema_has_a_title_of_its_own(stub: Stub) -> None:
    schemas = document_of(stub)["components"]["schemas"]
    titles = Counter(part["title"] for schema in schemas.values() for part in parts(schema) if "title" in part)
    assert [title for title, count in titles.items() if count > 1] == []
    assert {name: schema["title"] for name, schema in schemas.items()} == {name: name for name in schemas}


@pytest.mark.parametrize("names", [("answer", "talk"), ("answer",), ("talk",), ()])
def test_every_example_is_valid_for_its_schema(stub: Stub, names: tuple[str, ...]) -> None:
    document = document_of(stub, {name: things(stub)[name] for name in names})
    checked = 0
    for name, schema in document["components"]["schemas"].items():
        for example in schema.get("examples", ()):
            check(document, name, example)
            checked += 1
    assert checked > 20


def test_every_body_and_every_answer_in_json_has_an_example(stub: Stub) -> None:
    document = document_of(stub)
    schemas = document["components"]["schemas"]
    for name, operation in operations(document):
        bodies = [operation["requestBody"]] if "requestBody" in operation else []
        for one in [*bodies, *operation["responses"].values()]:
            for kind, content in one["content"].items():
                if "json" in kind:
                    assert schemas[content["schema"]["$ref"].rpartition("/")[2]]["examples"], name


async def test_answers_are_as_the_document_says(client: httpx.AsyncClient, stub: Stub) -> None:
    document = document_of(stub)
    await client.post("/v1/runs?wait=30", json={**RUN, "run_id": "r1"})
    await client.post("/v1/runs?wait=30", json={"graph": "talk", "inputs": {"topic": "x"}, "run_id": "g1"})
    await client.post("/v1/runs?wait=30", json={"pipeline": "asks", "prompt": "x", "run_id": "s1"})
    failing = {"pipeline": "answer", "prompt": "x", "initial_candidate": "broken", "run_id": "f1"}
    await client.post("/v1/runs?wait=30", json=failing)
    await client.post("/v1/runs/r1/notes", json={"thumb": "up"})
    await client.post("/v1/memory/entries", json={"prompt": "a", "correction": "b"})
    asked = {
        "/v1/runs": "Runs",
        "/v1/runs/r1": "Run",
        "/v1/runs/g1": "Run",
        "/v1/runs/s1": "Run",
        "/v1/runs/f1": "Run",
        "/v1/runs/r1/calls": "Calls",
        "/v1/memory/entries": "Entries",
        "/v1/memory/search?q=a": "Found",
        "/v1/memory/stats": "Stats",
        "/v1/models": "Models",
        "/v1/things": "Things",
        "/v1/tree": "Tree",
        "/v1/queues": "Queues",
        "/v1/cost": "Cost",
        "/v1/progress": "Progress",
        "/healthz": "Health",
        "/readyz": "Ready",
        "/v1/runs/nothing": "Problem",
        "/v1/runs?limit=0": "Problem",
    }
    for path, name in asked.items():
        check(document, name, (await client.get(path)).json())
    critique = {"pipeline": "answer", "prompt": "a", "candidate": "draft 1"}
    check(document, "CritiqueResult", (await client.post("/v1/critiques", json=critique)).json())
    generated = await client.post("/api/v1/reflections/generate", json={"events": ["it failed"]})
    check(document, "GeneratedReflection", generated.json())


async def test_a_server_without_pipelines_has_a_document_without_examples_of_them(stub: Stub) -> None:
    async with client_of(stub, things={"line": things(stub)["line"]}) as client:
        document = (await client.get("/openapi.json")).json()
    schemas = document["components"]["schemas"]
    assert "examples" not in schemas["CritiqueRequest"]
    assert schemas["RunRequest"]["examples"] == [{"graph": "line", "inputs": {"topic": "trees"}}]
    json.dumps(document)


async def test_examples_of_requests_are_accepted(stub: Stub) -> None:
    stub.gate.set()
    named = {"answer": Pipeline(stub, stub, stub)}
    document = document_of(stub, named)
    async with client_of(stub, things=named) as client:
        await client.post("/v1/runs?wait=30", json=document["components"]["schemas"]["RunRequest"]["examples"][0])
        for name, operation in operations(document):
            if "requestBody" not in operation or "{node}" in name or "resume" in name:
                continue
            method, path = name.replace("{run_id}", "run-1").split()
            schema = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            for example in document["components"]["schemas"][schema]["examples"]:
                answered = await client.request(method, path, json=example)
                assert answered.status_code < 300, (name, answered.text)
