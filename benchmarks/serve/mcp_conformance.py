"""The official conformance suite of MCP, run against our server over HTTP with the fixtures that it asks for.

    npm install @modelcontextprotocol/conformance         # needs Node 22
    python benchmarks/serve/mcp_conformance.py node node_modules/@modelcontextprotocol/conformance/dist/index.js

Prints a line per scenario. Our own tools, resources and prompts stay mounted beside the fixtures.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import socket
import sys
from typing import Any, Final

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp_types import (
    AudioContent,
    Completion,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    SamplingMessage,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    UnsubscribeRequestParams,
)

from jido_ai import CritiqueResult, Pipeline
from jido_ai.mcp import StreamableHTTP, create_server

Ctx = Context[Any, Any]
_PNG: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
_WAV: Final = base64.b64encode(
    b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00"
    b"\x80\x3e\x00\x00\x02\x00\x10\x00data\x00\x00\x00\x00"
).decode()
_SHORT_S: Final = 0.05


def _resource(uri: str, text: str, kind: str = "text/plain") -> EmbeddedResource:
    return EmbeddedResource(type="resource", resource=TextResourceContents(uri=uri, mime_type=kind, text=text))


def _image() -> ImageContent:
    return ImageContent(type="image", data=_PNG, mime_type="image/png")


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _add_tools(server: MCPServer[Any]) -> None:
    tool = server.tool

    @tool(structured_output=False)
    def test_simple_text() -> str:
        """Return a text."""
        return "This is a simple text response for testing."

    @tool(structured_output=False)
    def test_image_content() -> Any:
        """Return an image."""
        return _image()

    @tool(structured_output=False)
    def test_audio_content() -> Any:
        """Return a sound."""
        return AudioContent(type="audio", data=_WAV, mime_type="audio/wav")

    @tool(structured_output=False)
    def test_embedded_resource() -> Any:
        """Return a resource."""
        return _resource("test://embedded-resource", "This is an embedded resource content.")

    @tool(structured_output=False)
    def test_multiple_content_types() -> Any:
        """Return a text, an image and a resource."""
        data = json.dumps({"test": "data", "value": 123})
        more = _resource("test://mixed-content-resource", data, "application/json")
        return [_text("Multiple content types test:"), _image(), more]

    @tool(structured_output=False)
    async def test_tool_with_logging(context: Ctx) -> str:
        """Send three lines of a log."""
        for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            await context.session.send_log_message("info", line, related_request_id=context.request_id)
            await asyncio.sleep(_SHORT_S)
        return "done"

    @tool(structured_output=False)
    async def test_tool_with_progress(context: Ctx) -> str:
        """Report progress."""
        for done in (0, 50, 100):
            await context.report_progress(done, 100)
            await asyncio.sleep(_SHORT_S)
        return "done"

    @tool(structured_output=False)
    def test_error_handling() -> str:
        """Fail."""
        raise ToolError("This tool intentionally returns an error for testing")

    @tool(structured_output=False)
    async def test_sampling(prompt: str, context: Ctx) -> str:
        """Ask the client's model."""
        asked = [SamplingMessage(role="user", content=_text(prompt))]
        told = await context.session.create_message(asked, max_tokens=100, related_request_id=context.request_id)
        return f"LLM response: {getattr(told.content, 'text', '')}"

    async def elicited(context: Ctx, message: str, properties: dict[str, Any], required: list[str]) -> str:
        schema = {"type": "object", "properties": properties, "required": required}
        told = await context.session.elicit_form(message, schema, related_request_id=context.request_id)
        return f"action={told.action}, content={json.dumps(told.content)}"

    @tool(structured_output=False)
    async def test_elicitation(message: str, context: Ctx) -> str:
        """Ask the client's person."""
        fields = {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"},
        }
        return f"User response: {await elicited(context, message, fields, ['username', 'email'])}"

    @tool(structured_output=False)
    async def test_elicitation_sep1034_defaults(context: Ctx) -> str:
        """Ask with defaults."""
        fields: dict[str, Any] = {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
            "verified": {"type": "boolean", "default": True},
        }
        return f"Elicitation completed: {await elicited(context, 'Defaults?', fields, [])}"

    @tool(structured_output=False)
    async def test_elicitation_sep1330_enums(context: Ctx) -> str:
        """Ask with choices."""
        one = [{"const": f"value{n}", "title": f"{word} Option"} for n, word in enumerate(("First", "Second"), 1)]
        many = [{"const": f"value{n}", "title": f"{word} Choice"} for n, word in enumerate(("First", "Second"), 1)]
        options = ["option1", "option2", "option3"]
        fields: dict[str, Any] = {
            "untitledSingle": {"type": "string", "enum": options},
            "titledSingle": {"type": "string", "oneOf": one},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
            "titledMulti": {"type": "array", "items": {"anyOf": many}},
        }
        return f"Elicitation completed: {await elicited(context, 'Choices?', fields, [])}"


def _add_others(server: MCPServer[Any]) -> None:
    @server.resource("test://static-text", description="A text.", mime_type="text/plain")
    def static_text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", description="An image.", mime_type="image/png")
    def static_binary() -> bytes:
        return base64.b64decode(_PNG)

    @server.resource("test://watched-resource", description="A text to watch.", mime_type="text/plain")
    def watched() -> str:
        return "Watched."

    @server.resource("test://template/{id}/data", description="A template.", mime_type="application/json")
    def template(id: str) -> str:
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})

    @server.prompt()
    def test_simple_prompt() -> str:
        """Return a text."""
        return "This is a simple prompt for testing."

    @server.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        """Return the arguments."""
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[Any]:
        """Return a resource."""
        made = _resource(resourceUri, "Embedded resource content for testing.")
        return [UserMessage(made), UserMessage("Please process the embedded resource above.")]

    @server.prompt()
    def test_prompt_with_image() -> list[Any]:
        """Return an image."""
        return [UserMessage(_image()), UserMessage("Please analyze the image above.")]

    @server.completion()
    async def complete(ref: Any, argument: Any, context: Any) -> Completion:
        return Completion(values=["paris", "park"], total=2, has_more=False)

    async def nothing(_: Any, __: Any) -> EmptyResult:
        return EmptyResult()

    low: Any = server._lowlevel_server
    low.add_request_handler("logging/setLevel", SetLevelRequestParams, nothing)
    low.add_request_handler("resources/subscribe", SubscribeRequestParams, nothing)
    low.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, nothing)


async def _main(command: list[str]) -> int:
    pipeline = Pipeline(None, lambda *_: CritiqueResult(severity=0.0), None)
    server = create_server({"polish": pipeline})
    _add_tools(server)
    _add_others(server)
    listener = socket.create_server(("127.0.0.1", 0))
    app: Any = StreamableHTTP(server)
    web = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on"))
    serving = asyncio.create_task(web.serve(sockets=[listener]))
    url = f"http://localhost:{listener.getsockname()[1]}/mcp"
    suite = await asyncio.create_subprocess_exec(
        *command, "server", "--url", url, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said, _ = await asyncio.wait_for(suite.communicate(), 300)
    web.should_exit = True
    await serving
    text = said.decode(errors="replace")
    print(text.partition("=== SUMMARY ===")[2].strip() or text[-2_000:])
    return 1 if re.search(r"^\N{BALLOT X}|[1-9]\d* failed", text, re.MULTILINE) else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(_main(sys.argv[1:] or ["npx", "conformance"])))
