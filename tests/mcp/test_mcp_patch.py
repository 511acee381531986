"""The tool check_patch: coding agents ask before they apply a patch."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp_helpers import structured

pytest.importorskip("mcp.server.mcpserver", reason="mcp 2 is not installed")

from mcp import Client

from jido_ai.cli.mcp import patch_checker
from jido_ai.improve.patches import patch_of_texts
from jido_ai.mcp.server import create_server

A = "import os\n\nLIMIT = 3\nEND = 1\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/__init__.py").write_text("")
    (tmp_path / "pkg/a.py").write_text(A)
    return tmp_path


async def checked(root: Path, patch: str) -> dict[str, object]:
    async with Client(create_server({}, check_patch=patch_checker(root, None))) as client:
        return structured(await client.call_tool("check_patch", {"patch": patch}))


async def test_a_patch_is_checked_hunk_by_hunk_and_no_file_is_changed(root: Path) -> None:
    new = A.replace("import os\n", "").replace("LIMIT", "LIMITS")
    found = await checked(root, patch_of_texts("pkg/a.py", A, new))
    assert [(one["line"], one["kept"], one["rule"]) for one in found["hunks"]] == [  # type: ignore[attr-defined]
        (1, True, None),
        (3, False, "public-name"),
    ]
    assert (root / "pkg/a.py").read_text() == A


@pytest.mark.parametrize("path", ["../a.py", "/etc/passwd"])
async def test_a_patch_of_a_file_outside_of_the_project_is_rejected_unread(root: Path, path: str) -> None:
    found = await checked(root, f"--- {path}\n+++ {path}\n@@ -1 +1 @@\n-a\n+b\n")
    assert found["hunks"][0]["rule"] == "outside"  # type: ignore[index]


async def test_a_text_that_is_no_patch_is_an_error_of_the_tool(root: Path) -> None:
    async with Client(create_server({}, check_patch=patch_checker(root, None))) as client:
        reply = await client.call_tool("check_patch", {"patch": "hello"})
        assert reply.is_error
        assert "no unified diff" in str(reply.content)


async def test_a_server_without_a_project_has_no_such_tool() -> None:
    async with Client(create_server({})) as client:
        assert "check_patch" not in {tool.name for tool in (await client.list_tools()).tools}
