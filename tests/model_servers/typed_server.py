"""Servers that answer requests for typed answers, each in a way in which real ones do, on loopback.

    with TypedServer("loose", {"name": "pen"}) as server:
        model = CompatibleModel("m", base_url=server.base_url("openai"))

The model behind them knows the right value. It writes JSON if it is told the schema, in words or, by a server that
hands it on, in the request; else it chats.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, Literal, cast

from jsonschema import Draft202012Validator
from model_servers.wire import Form, begin, end, form_of, piece, reason, sse, whole

Kind = Literal["strict", "loose", "ignoring", "refusing", "by tool call", "in thoughts"]
KINDS: Final[Mapping[Kind, str]] = {
    "strict": "enforces OpenAI's strict form",
    "loose": "enforces any schema, without bounds",
    "ignoring": "ignores `response_format`",
    "refusing": "refuses `response_format`",
    "by tool call": "answers by a tool call",
    "in thoughts": "answers in the field for thoughts",
}
_BOUNDS: Final = ("minimum", "maximum", "pattern", "minLength", "maxLength", "minItems", "maxItems", "multipleOf")
_NOT_STRICT: Final = (*_BOUNDS, "oneOf", "allOf", "prefixItems", "default", "format", "patternProperties", "not")
_IN_WORDS: Final = "JSON Schema: "
Schema = dict[str, Any]


class TypedServer:
    """See the module.

    Args:
        value: the right answer, as plain JSON values.

    Attributes:
        requests: bodies in order.
        impossible: replies that this kind of server could not have made, since its schema does not allow them.
    """

    def __init__(self, kind: Kind, value: object) -> None:
        self.kind = kind
        self.value = value
        self.requests: list[dict[str, Any]] = []
        self.impossible: list[str] = []
        served = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                served.requests.append(body)
                form = form_of(self.path)
                problem = served.refusal(body)
                stream = body.get("stream") and problem is None
                content = b"".join(served.events(form, body)) if stream else served.in_one_piece(form, body, problem)
                kind = "application/json"
                if stream:
                    kind = "application/x-ndjson" if form == "ollama" else "text/event-stream"
                self.send_response(200 if problem is None else 400)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self) -> TypedServer:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def base_url(self, form: Form = "openai") -> str:
        return f"http://127.0.0.1:{self._server.server_port}{'/v1' if form == 'openai' else ''}"

    def refusal(self, body: Mapping[str, Any]) -> str | None:
        """Return the message of a 400; None if the request is taken."""
        asked = body.get("response_format")
        if asked is None:
            return None
        if self.kind == "refusing":
            return "response_format json_schema is not supported by this model"
        schema = asked["json_schema"]
        if lost := list(_lost_references(schema["schema"])):
            return f"Invalid schema for response_format 'reply': cannot resolve {lost[0]}"
        if self.kind == "strict" and schema.get("strict") and (odd := _not_strict(schema["schema"])):
            return f"Invalid schema for response_format 'reply': {odd}"
        return None

    def in_one_piece(self, form: Form, body: Mapping[str, Any], problem: str | None) -> bytes:
        if problem is not None:
            return json.dumps({"error": {"message": problem, "type": "invalid_request_error"}}).encode()
        return json.dumps(whole(form, self.said(body), tool=form == "anthropic" and "tools" in body)).encode()

    def events(self, form: Form, body: Mapping[str, Any]) -> Iterator[bytes]:
        text = self.said(body)
        tool = form == "anthropic" and "tools" in body
        half = len(text) // 2
        yield from begin(form, tool=tool)
        for index, part in enumerate((text[:half], text[half:])):
            if form == "openai" and self.kind == "by tool call":
                named = {"id": "c1", "type": "function"} if index == 0 else {}
                function = {"arguments": part} | ({"name": "reply"} if index == 0 else {})
                yield _delta(tool_calls=[{"index": 0, "function": function, **named}])
            elif form == "openai" and self.kind == "in thoughts":
                yield _delta(reasoning_content=part)
            elif form == "ollama" and self.kind == "in thoughts":
                line = {"message": {"role": "assistant", "content": "", "thinking": part}, "done": False}
                yield json.dumps(line).encode() + b"\n"
            else:
                yield piece(form, part, tool=tool)
        yield from reason(form, tool=tool)
        yield from end(form)

    def said(self, body: Mapping[str, Any]) -> str:
        """Return the model's answer to a request."""
        sent, words = _sent_schema(body), _schema_in_words(body)
        if self.kind == "ignoring":
            sent = None
        schema = words if sent is None else sent
        if schema is None:
            return "With pleasure! The answer is on its way. Do you need anything else?"
        value = _as_in(schema, schema, self.value)
        is_kept = (self.kind == "strict" and _is_called_strict(body)) or self.kind == "loose"
        if is_kept and sent is not None:
            kept = _without_bounds(sent) if self.kind == "loose" else sent
            self.impossible += [error.message for error in Draft202012Validator(kept).iter_errors(value)]
        text = json.dumps(value)
        return text if sent is not None else f"Here is the JSON that you asked for:\n```json\n{text}\n```\nDone."


def _delta(**fields: object) -> bytes:
    return sse({"model": "served", "choices": [{"index": 0, "delta": fields, "finish_reason": None}]})


def _is_called_strict(body: Mapping[str, Any]) -> bool:
    return bool(body.get("response_format", {}).get("json_schema", {}).get("strict"))


def _sent_schema(body: Mapping[str, Any]) -> Schema | None:
    if "response_format" in body:
        return cast("Schema", body["response_format"]["json_schema"]["schema"])
    if "tools" in body:
        return cast("Schema", body["tools"][0]["input_schema"])
    return cast("Schema | None", body.get("format"))


def _schema_in_words(body: Mapping[str, Any]) -> Schema | None:
    for message in reversed(body["messages"]):
        _, found, rest = message["content"].rpartition(_IN_WORDS)
        if found:
            return cast("Schema", json.JSONDecoder().raw_decode(rest)[0])
    return None


def _parts(schema: object) -> Iterator[Schema]:
    """Yield everything in a schema that is an object; names of properties are no keywords."""
    if isinstance(schema, list):
        for one in schema:
            yield from _parts(one)
    elif isinstance(schema, dict):
        yield schema
        for name, one in schema.items():
            if name in ("properties", "$defs", "definitions"):
                for inner in one.values():
                    yield from _parts(inner)
            elif name not in ("enum", "const", "default", "examples"):
                yield from _parts(one)


def _lost_references(schema: Schema) -> Iterator[str]:
    for part in _parts(schema):
        if "$ref" in part and _resolved(schema, part) is None:
            yield part["$ref"]


def _resolved(whole: Schema, part: Schema) -> Schema | None:
    if "$ref" not in part:
        return part
    found: Any = whole
    for step in part["$ref"].split("/")[1:]:
        found = found.get(step) if isinstance(found, dict) else None
    return cast("Schema | None", found)


def _not_strict(schema: Schema) -> str | None:
    """Return what OpenAI's strict form refuses in a schema; None if it is of that form."""
    for part in _parts(schema):
        if odd := [name for name in _NOT_STRICT if name in part]:
            return f"{odd[0]!r} is not permitted"
        if "$ref" in part and part.keys() - {"$ref", "$defs"}:
            return "$ref cannot have keywords beside it"
        if part.get("type") == "object":
            if part.get("additionalProperties") is not False:
                return "'additionalProperties' is required to be supplied and to be false"
            if sorted(part.get("required", ())) != sorted(part.get("properties", {})):
                return "'required' is required to be an array including every key in properties"
        if not part.keys() & {"type", "$ref", "anyOf", "enum", "const"}:
            return "schema must have a 'type' key"
    return None if schema.get("type") == "object" else "schema must have type 'object'"


def _without_bounds(schema: Schema) -> Schema:
    copy = json.loads(json.dumps(schema))
    for part in _parts(copy):
        for name in _BOUNDS:
            part.pop(name, None)
    return cast("Schema", copy)


def _as_in(whole: Schema, part: object, value: object) -> object:
    """Return a value in the shape of a schema: in the order of its properties, null for required ones without value."""
    schema = _resolved(whole, part) if isinstance(part, dict) else None
    if schema is None:
        return value
    for branch in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        made = _as_in(whole, branch, value)
        if Draft202012Validator(branch | _defined(whole)).is_valid(made):
            return made
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return [_as_in(whole, schema["items"], one) for one in value]
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return value
    if not isinstance(value, dict) or ("value" not in value and list(properties) == ["value"]):
        return {"value": _as_in(whole, properties["value"], value)} if list(properties) == ["value"] else value
    made: dict[str, object] = {}
    for name, one in properties.items():
        if name in value:
            made[name] = _as_in(whole, one, value[name])
        elif name in schema.get("required", ()):
            made[name] = one.get("default")
    return made | {name: one for name, one in value.items() if name not in made}


def _defined(whole: Schema) -> Schema:
    return {name: whole[name] for name in ("$defs", "definitions") if name in whole}
