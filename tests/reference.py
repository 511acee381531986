"""Reference pages made from the code: `python tests/reference.py` writes them, a test fails when they are stale.

The words that the code does not have stand here.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import re
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from api_pages import api_pages
from pydantic import BaseModel, TypeAdapter
from release import LINE, OWN

from jido_ai.cli.app import _COMMANDS
from jido_ai.config import OwnPrice, Prompts, Provider, Settings, variables
from jido_ai.graph import events as graph_events
from jido_ai.loop import events as loop_events
from jido_ai.loop.events import BaseEvent
from jido_ai.revisers.edit_policy import RULES
from jido_ai.text.wording import EXPLAINED
from jido_ai.values import LoopConfig, MemoryEntry, ReflectionResult, StopReason

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "reference"
MADE = "<!-- Made by `python tests/reference.py`; edit that file or the docstrings. -->\n\n"
STATUSES = {
    0: "nothing is left to fix; the command did what it was asked",
    1: "issues are left; an answer is not good enough; something that `jido improve` needs is missing (`jido doctor`)",
    2: "wrong usage, bad input or configuration, or output that cannot be written: one line on standard error",
    130: "interrupted with ^C",
}
WHAT_TO_DO = {
    StopReason.ACCEPTED: "Use it.",
    StopReason.CYCLE: "The reviser repeats a text, often the one it was given, as small models do: give it clearer "
    'issues, or write `policy="adaptive"`, which also asks for fresh texts.',
    StopReason.REGRESSION: "The best candidate is the one before; a better reviser may help.",
    StopReason.MINIMAL_CHANGE: "The reviser has no further idea.",
    StopReason.SEVERITY_PLATEAU: "The reviser cannot fix the worst issue: see `open_issues`.",
    StopReason.SCORE_PLATEAU: "More `patience` allows more attempts.",
    StopReason.NO_EXPECTED_GAIN: 'Only with `policy="adaptive"`: a lower `call_price` allows more calls.',
    StopReason.DECLINED: "The reasons are in the result; another reviser, or a person, has to do it.",
    StopReason.MAX_ITERATIONS: "More `max_iterations` if the score was still rising.",
    StopReason.BUDGET: "A larger `Budget`, if it is worth it.",
    StopReason.DEADLINE: "A larger `timeout_s`, or faster components.",
    StopReason.CANCELLED: "The result has everything until then.",
    StopReason.ERROR: "`result.error` names the component and says how to fix it.",
    StopReason.SUSPENDED: "`resume(run_id, decision=...)` continues it.",
    StopReason.RULE: "See the rule of yours that `result.stopped_by` names.",
}


def made_pages() -> dict[str, str]:
    """Return the text of every page that is made, by file name."""
    pages = {
        "settings": settings_page(),
        "stop-reasons": stop_reasons_page(),
        "events": events_page(),
        "exit-statuses": exit_statuses_page(),
        "improve-rules": rules_page(),
        "json": json_page(),
        "support": support_page(),
        **api_pages(),
    }
    return {f"{name}.md": MADE + text.rstrip() + "\n" for name, text in pages.items()}


def table(*rows: tuple[str, ...]) -> str:
    head, *rest = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    lines = [head, ["---"] * len(head), *rest]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def attributes_of(kind: type) -> dict[str, str]:
    """Return what the docstring says of each attribute: "name, other: text"."""
    section = inspect.cleandoc(kind.__doc__ or "").partition("Attributes:\n")[2].partition("\n\n")[0]
    found: dict[str, str] = {}
    for names, text in re.findall(r"^    ([a-z_, ]+): (.*?)(?=^    \S|\Z)", section, re.MULTILINE | re.DOTALL):
        found.update(
            {name.strip(): re.sub(r" \(SPEC [^)]*\)", "", " ".join(text.split())) for name in names.split(",")}
        )
    return found


# -- settings --------------------------------------------------------------------------------------


def settings_page() -> str:
    by_setting: dict[str, list[str]] = {}
    for variable, key in variables().items():
        by_setting.setdefault(key, []).append(f"`{variable}`")
    told = attributes_of(Settings)
    rows = [
        (f"`{name}`", _default(field), told[name], ", ".join(by_setting.get(name, [])))
        for name, field in Settings.model_fields.items()
        if name != "origins"
    ]
    loop = attributes_of(LoopConfig)
    limits = [
        (f"`{name}`", _default(field), loop.get(name, _LOOP.get(name, "")))
        for name, field in LoopConfig.model_fields.items()
        if name != "stop_rules"
    ]
    about = attributes_of(Prompts)
    prompts = [(f"`{name}`", _default(field), about[name]) for name, field in Prompts.model_fields.items()]
    of_provider, of_price = attributes_of(Provider), attributes_of(OwnPrice)
    provider = [(f"`{name}`", _default(field), of_provider[name]) for name, field in Provider.model_fields.items()]
    price = [(f"`{name}`", of_price[name]) for name in OwnPrice.model_fields]
    return f"""# Settings

Commands take each setting from the first of these that gives it: an option of the command, the environment, the nearest
`jido.toml` or `[tool.jido]` of a `pyproject.toml` (in the working directory or above), the mode, the default.
`jido init` writes a file with all of them; `jido doctor` shows the values in use and where each came from.

A file that belongs to another user (except root), or that anybody may write, is skipped with a warning. A file may name
only addresses on this machine, for models and for memories; other addresses come from options or the environment.

A file says where a built-in provider's key goes, names `api_key_env`, or a memory or Python outside of its directory,
only if you trust the project: with `jido improve --trust` (once), or by its directory in `JIDO_TRUSTED` (several are
separated as in `PATH`).

The library does not read settings by itself: `load_settings` returns them.

{table(("setting", "default", "meaning", "environment"), *rows)}
## `[loop]` and `[task.NAME]`

The fields of `LoopConfig`. `[task.NAME]` overrides `[loop]` for runs of that task type. In code:
`Pipeline(..., config=LoopConfig(max_iterations=5))`.

{table(("field", "default", "meaning"), *limits)}
## `[prompts]`

{table(("field", "default", "meaning"), *prompts)}
See [See and change the prompts](../how-to/prompts.md).

## `[providers.NAME]`

Servers of your own; their models are named `NAME:MODEL`: see [Models](../how-to/models.md).

{table(("field", "default", "meaning"), *provider)}
## `[prices."PROVIDER:MODEL"]`

US dollars per million tokens; also written as a pair: `"PROVIDER:MODEL" = [0.1, 0.4]`.

{table(("field", "meaning"), *price)}
## `[pipelines.NAME]` and `[graphs.NAME]`

What `jido serve` and `jido mcp` offer: see [Serve runs over HTTP](../serve.md).
"""


_LOOP = {
    "budget": "limits on calls, tokens, dollars and seconds: `max_calls`, `max_tokens`, `max_cost_usd`, `max_wall_s`"
}


def _default(field: Any) -> str:
    value = field.get_default(call_default_factory=True)
    if isinstance(value, tuple):
        value = list(value)
    if isinstance(value, BaseModel):
        value = value.model_dump(exclude_defaults=True)
    return "none" if value is None else f"`{json.dumps(value)}`"


# -- stop reasons, statuses, rules -----------------------------------------------------------------


def stop_reasons_page() -> str:
    rows = [
        (f"`{reason.value}`", EXPLAINED[reason], "yes" if reason.is_converged else "no", WHAT_TO_DO[reason])
        for reason in StopReason
    ]
    return f"""# Stop reasons

Every run ends with one of these, in `result.stop_reason`; the figures that led to it are in `result.evidence`. A run
always returns the best candidate that it judged. *Converged* means that further iterations would not pay.

{table(("stop reason", "meaning", "converged", "what to do"), *rows)}"""


def exit_statuses_page() -> str:
    rows = [(f"`{status}`", meaning) for status, meaning in STATUSES.items()]
    commands = [(f"`jido {name}`", line) for name, line in _COMMANDS.items()]
    return f"""# Commands and exit statuses

{table(("command", "does"), *commands)}
`jido COMMAND --help` shows the options. Results go to standard output, progress and complaints to standard error. With
`--json`, standard output is one JSON document (or JSON lines); see [JSON shapes](json.md).

## Exit statuses

{table(("status", "meaning"), *rows)}
`jido demo` ends with 0 although one failing test is left to you.
"""


def rules_page() -> str:
    edits = {"safe": "fixed", "unsafe": "held back", "none": "reported"}
    rows = [(f"`{rule.code}`", rule.finds, edits[rule.edit], rule.why) for rule in RULES]
    return f"""# Rules of `jido improve`

The rules that are checked in Python files without a configuration; `jido improve --rules` prints them. A project's
configuration of ruff replaces this list, one of flake8 narrows it; so do `--select` and `--ignore`.

- *fixed*: the edit cannot change what a program does.
- *held back*: the edit may change it. It is made with `--unsafe-fixes`, or when `--tests` pass and run the lines.
- *reported*: there is no edit; a model (`--model`) or a person has to fix it.

{table(("rule", "finds", "edit", "why it is held back"), *rows)}"""


# -- events ----------------------------------------------------------------------------------------


def events_page() -> str:
    runs = table(("event", "when", "fields"), *_rows(loop_events))
    graphs = table(("event", "when", "fields"), *_rows(graph_events))
    names = table(("event", "emitted by"), *((f"`{name}`", f"`{place}`") for name, place in telemetry_names()))
    return f"""# Events

## Of a run

`Pipeline.stream(...)` yields them in order; `RunStopped` is the last, and has the result. `jido serve` sends them as
server-sent events. All have `seq`, `at` and `path`.

{runs}
## Of a graph's run

`Graph.stream(...)` yields these and, for each loop, the events of a run with the `path` of its node.

{graphs}
## Of actors, models and stores

The sink of `ActorSystem(sink=...)` receives these as `TelemetryEvent(name, data)`. They contain neither prompts nor
candidates.

{names}"""


def _rows(module: ModuleType) -> list[tuple[str, ...]]:
    kinds = [getattr(module, name) for name in module.__all__]
    found: list[tuple[str, ...]] = []
    for kind in kinds:
        if inspect.isclass(kind) and issubclass(kind, BaseEvent) and kind is not BaseEvent:
            shared = {field.name for field in dataclasses.fields(BaseEvent)}
            names = [f"`{field.name}`" for field in dataclasses.fields(kind) if field.name not in shared]
            line = (inspect.getdoc(kind) or "").partition("\n")[0]
            found.append((f"`{kind.__name__}`", line, ", ".join(names)))
    return found


_EMITS: Final = re.compile("emit|tell_event|TelemetryEvent|_notify")


def telemetry_names() -> list[tuple[str, str]]:
    """Return the names of all events that the package emits, each with the first file that emits it."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "jido_ai").rglob("*.py")):
        text = path.read_text("utf-8")
        if "workshop" in path.parts or not _EMITS.search(text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and _EMITS.search(ast.unparse(node.func)):
                for argument in node.args[:1]:
                    for part in ast.walk(argument):
                        if isinstance(part, ast.Constant) and re.fullmatch(r"[a-z]+(\.[a-z_]+)+", str(part.value)):
                            found.setdefault(part.value, path.relative_to(ROOT).as_posix())
    return sorted(found.items())


# -- JSON ------------------------------------------------------------------------------------------


def json_page() -> str:
    parts = [_shape(ReflectionResult, "A result"), _shape(MemoryEntry, "A lesson")]
    return "\n".join(
        [
            """# JSON shapes

Values travel as JSON: over HTTP, in the journal, and in what `model_dump(mode="json")` returns. Fields may be added in
any version; a reader should ignore those that it does not know. Times are ISO 8601 with a zone. For the HTTP
interface, `GET /openapi.json` describes every request and reply; for graph files, `jido graph schema` prints a schema.

The complete JSON Schema of a value, with those inside of it:

```python
import json

from pydantic import TypeAdapter

from jido_ai import ReflectionResult

schema = TypeAdapter(ReflectionResult).json_schema(mode="serialization")
print(schema["title"], len(schema["required"]) > 0)
```

```text
ReflectionResult True
```
""",
            *parts,
        ]
    )


def _shape(kind: type[BaseModel], title: str) -> str:
    schema = TypeAdapter(kind).json_schema(mode="serialization")
    told = attributes_of(kind)
    rows = [
        (f"`{name}`", _type(field), told.get(name, field.get("description", "").partition("\n")[0]))
        for name, field in schema["properties"].items()
    ]
    return f"## {title}: `{kind.__name__}`\n\n{table(('field', 'type', 'meaning'), *rows)}"


def _type(field: dict[str, Any]) -> str:
    if "$ref" in field:
        return field["$ref"].rpartition("/")[2]
    if "anyOf" in field:
        return " or ".join(_type(one) for one in field["anyOf"])
    if "enum" in field or "const" in field:
        return " or ".join(json.dumps(one) for one in field.get("enum", [field.get("const")]))
    if field.get("type") == "array":
        return f"array of {_type(field['items'])}" if field.get("items") else "array"
    return str(field.get("type", "any"))


_TOOLS: Final = {"all", "bench", "dev", "host-tests", "integration-tests", "lint", "openapi-tests", "test"}


def support_page() -> str:
    """Return the page of Pythons, extras and frameworks, with the versions in the locked requirements."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    files = [ROOT / "requirements.lock", *sorted((ROOT / "tests" / "integrations" / "requirements").glob("*.txt"))]
    tried: dict[str, list[str]] = {}
    for file in files:
        for found in filter(None, map(LINE.match, file.read_text("utf-8").splitlines())):
            versions = tried.setdefault(found["name"], [])
            if found["version"] not in versions:
                versions.append(found["version"])
    pythons = [
        line.rpartition(" ")[2]
        for line in project["classifiers"]
        if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", line)
    ]

    def rows(lines: list[str], extra: str) -> list[tuple[str, ...]]:
        made = []
        for line in lines:
            if OWN.match(line):
                made.append((extra, f"`{line}`", ""))
                continue
            bare = line.partition(";")[0].strip()
            name = re.match(r"[A-Za-z0-9._-]+", bare)
            assert name
            made.append((extra, f"`{bare}`", ", ".join(tried.get(name[0], [])) or "not by our tests"))
        return made

    extras = project["optional-dependencies"]
    return "\n".join(
        [
            "# What was tried together\n",
            f"Python {', '.join(pythons)}; [Versions](../explanation/versions.md) says for how long. The versions are",
            "those of the locked requirements, with which our tests pass. Two stand where frameworks need different",
            "ones: each group has an environment of its own.\n",
            "## The library\n",
            table(("extra", "asks for", "tried"), *rows(project["dependencies"], "")),
            "## Extras and frameworks\n",
            table(
                ("extra", "asks for", "tried"),
                *(row for extra in sorted(extras.keys() - _TOOLS) for row in rows(extras[extra], f"`{extra}`")),
            ),
        ]
    )


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in made_pages().items():
        (FOLDER / name).write_text(text, "utf-8")
