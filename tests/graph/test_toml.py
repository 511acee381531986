"""Graphs in TOML files: what they may say, and how each wrong one is refused."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from jido_ai import Graph
from jido_ai.errors import ConfigurationError
from jido_ai.graph.file_keys import json_schema
from jido_ai.graph.nodes import GraphNode, LoopNode, MapNode, StepNode
from jido_ai.values import Budget, LoopConfig

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "graphs"
HEAD = '[graph]\ninputs = ["a"]\noutput = "x"\n'
LOOP = 'loop = "{a}"\nmodel = "scripted:s.toml"\ncritics = ["rules:r.toml"]\n'
RULES = '[[rules]]\nof = "words"\nat_most = 3\n'
SCRIPT = '[[answers]]\ntext = "hello"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with files that graphs may name, below one with files that they may not."""
    folder = tmp_path / "graphs"
    folder.mkdir()
    (folder / "r.toml").write_text(RULES)
    (folder / "s.toml").write_text(SCRIPT)
    (folder / "inner.toml").write_text('[graph]\ninputs = ["b"]\noutput = "y"\n[nodes.y]\napproval = "{b}"\n')
    (folder / "steps.py").write_text("def shout(text):\n    return text.upper()\n")
    (tmp_path / "secret.toml").write_text(RULES)
    (folder / "link.toml").symlink_to(tmp_path / "secret.toml")
    return folder


def written(folder: Path, text: str) -> Path:
    path = folder / "g.toml"
    path.write_text(text)
    return path


async def test_a_graph_in_a_file_runs_as_one_in_python_does(folder: Path) -> None:
    graph = Graph.from_toml(written(folder, f"{HEAD}[nodes.x]\n{LOOP}"))
    async with graph:
        result = await graph.run({"a": "say hello"})
    assert (result.status, result.output) == ("completed", "hello")
    assert graph.name == "g"


def test_every_key_of_a_loop_reaches_its_node(folder: Path) -> None:
    keys = (
        'max_iterations = 7\naccept = "clean"\nbeam = 2\ncandidates = 3\nretries = 2\ntimeout_s = 5\ntask_type = "t"\n'
    )
    node = Graph.from_toml(written(folder, f"{HEAD}[nodes.x]\n{LOOP}{keys}")).nodes["x"]
    assert isinstance(node, LoopNode)
    assert node.config == LoopConfig(max_iterations=7, accept="clean", beam=2, candidates=3, timeout_s=5)
    assert (node.retries, node.timeout_s, node.task_type) == (2, 5, "t")


def test_the_learning_of_a_loop_is_read_from_its_keys_else_from_the_settings(folder: Path) -> None:
    path = written(folder, f'{HEAD}[nodes.x]\n{LOOP}learn_from = "accepted"\nholdout = 0.25\n')
    (node,) = Graph.from_toml(path, learning={"holdout": 0.5, "max_examples_shown": 1}).nodes.values()
    assert isinstance(node, LoopNode)
    assert (node.learn_from, node.holdout, node.max_examples_shown, node.max_examples) == ("accepted", 0.25, 1, 50)


def test_the_settings_of_a_graph_reach_its_config(folder: Path) -> None:
    head = '[graph]\nname = "n"\noutput = "x"\ntimeout_s = 9\nmax_concurrency = 2\n[graph.budget]\nmax_cost_usd = 1.5\n'
    graph = Graph.from_toml(written(folder, f'{head}[nodes.x]\napproval = "show this"\n'))
    assert graph.name == "n"
    assert (graph.config.timeout_s, graph.config.max_concurrency) == (9, 2)
    assert graph.config.budget == Budget(max_cost_usd=1.5)


def test_maps_choices_and_inner_graphs_are_read(folder: Path) -> None:
    text = f"""{HEAD}
    [nodes.m]
    map = "{{a}}"
    max_concurrency = 3
    each = {{ graph = "each.toml" }}
    [nodes.c]
    choice = [{{ if = "{{a}}", is = "==", than = "yes", then = "x" }}, {{ else = "y" }}]
    [nodes.x]
    graph = "inner.toml"
    inputs = {{ b = "{{m.texts}}" }}
    fallback = "nothing"
    [nodes.y]
    approval = "{{a}}"
    """
    (folder / "each.toml").write_text('[graph]\ninputs = ["item"]\noutput = "y"\n[nodes.y]\napproval = "{item}"\n')
    with pytest.raises(ConfigurationError, match="output"):  # it may be skipped: found by the checks of `Graph`
        Graph.from_toml(written(folder, text))
    text = text.replace('output = "x"', 'output = "m"')
    graph = Graph.from_toml(written(folder, text))
    node = graph.nodes["m"]
    assert isinstance(node, MapNode)
    assert isinstance(node.node, Graph)
    assert isinstance(graph.nodes["x"], GraphNode)


async def test_python_functions_are_loaded_only_with_trust(folder: Path) -> None:
    path = written(folder, f'{HEAD}[nodes.x]\nstep = "python:steps.shout"\ninputs = {{ text = "{{a}}" }}\n')
    with pytest.raises(
        ConfigurationError, match=r"nodes\.x\.step: python:steps\.shout is Python code; run it with --trust"
    ):
        Graph.from_toml(path)
    graph = Graph.from_toml(path, trust=True)
    assert isinstance(graph.nodes["x"], StepNode)
    async with graph:
        assert (await graph.run({"a": "hello"})).output == "HELLO"


async def test_a_model_can_be_given_for_all_nodes_that_name_none(folder: Path) -> None:
    from jido_ai.models.scripted_answers import ScriptedAnswers

    path = written(folder, f"{HEAD}[nodes.x]\n" + LOOP.replace('model = "scripted:s.toml"', ""))
    with pytest.raises(ConfigurationError, match=r"nodes\.x\.model: names no model"):
        Graph.from_toml(path)
    async with Graph.from_toml(path, model=ScriptedAnswers(SCRIPT, "given")) as graph:
        assert (await graph.run({"a": "say hello"})).output == "hello"


WRONG: dict[str, tuple[str, str]] = {
    "not TOML": ("[graph", "not TOML"),
    "an unknown table": (f"{HEAD}[nodez.x]\n{LOOP}", "nodez: unknown table; did you mean 'nodes'?"),
    "no graph": (f"[nodes.x]\n{LOOP}", "graph: must be a table"),
    "no nodes": (HEAD, "nodes: must be a table"),
    "no output": ('[graph]\ninputs = ["a"]\n[nodes.x]\n' + LOOP, "graph.output: must name a node"),
    "another output": (HEAD.replace('"x"', '"y"') + f"[nodes.x]\n{LOOP}", "output"),
    "an unknown key of the graph": (
        f'{HEAD}outptu = "x"\n[nodes.x]\n{LOOP}',
        "graph.outptu: unknown key; did you mean",
    ),
    "inputs that are a text": (HEAD.replace('["a"]', '"a"') + f"[nodes.x]\n{LOOP}", "graph.inputs: must be a list"),
    "a blank name": (f'{HEAD}name = " "\n[nodes.x]\n{LOOP}', "graph.name: must be a string"),
    "a strategy that is unknown": (f'{HEAD}strategy = "one"\n[nodes.x]\n{LOOP}', "graph.strategy: "),
    "a budget with an unknown key": (
        f"{HEAD}[graph.budget]\nmax_cost = 1\n[nodes.x]\n{LOOP}",
        "graph.budget.max_cost: unknown key; did you mean 'max_cost_usd'?",
    ),
    "a negative budget": (f"{HEAD}[graph.budget]\nmax_calls = -1\n[nodes.x]\n{LOOP}", "graph.budget.max_calls: "),
    "a node that is a text": (f'{HEAD}nodes.x = "loop"\n', "nodes"),
    "a node of no kind": (f'{HEAD}[nodes.x]\nlop = "a"\n', "nodes.x: needs exactly one of loop"),
    "a node of two kinds": (f'{HEAD}[nodes.x]\n{LOOP}check = "a"\n', "it has loop and check"),
    "an unknown key of a node": (
        f"{HEAD}[nodes.x]\n{LOOP}max_iteration = 2\n",
        "nodes.x.max_iteration: a loop has no such key; did you mean 'max_iterations'?",
    ),
    "a value out of range": (f"{HEAD}[nodes.x]\n{LOOP}max_iterations = 0\n", "nodes.x.max_iterations: "),
    "a text where a number belongs": (f'{HEAD}[nodes.x]\n{LOOP}retries = "2"\n', "nodes.x"),
    "no critics": (f'{HEAD}[nodes.x]\nloop = "{{a}}"\nmodel = "scripted:s.toml"\n', "nodes.x.critics: must be a list"),
    "a critic of no kind": (f"{HEAD}[nodes.x]\n{LOOP.replace('rules:r.toml', 'ruff')}", "nodes.x.critics[0]: must be"),
    "an unknown tool": (
        f"{HEAD}[nodes.x]\n{LOOP.replace('rules:r.toml', 'tool:ruf')}",
        "nodes.x.critics[0]: unknown tool 'ruf'; did you mean 'ruff'?",
    ),
    "a tool that is a path": (f"{HEAD}[nodes.x]\n{LOOP.replace('rules:r.toml', 'tool:/bin/sh')}", "unknown tool"),
    "a rule file that is not there": (
        f"{HEAD}[nodes.x]\n{LOOP.replace('r.toml', 'rr.toml')}",
        "nodes.x.critics[0]: there is no rr.toml; did you mean",
    ),
    "a rule file above": (f"{HEAD}[nodes.x]\n{LOOP.replace('r.toml', '../secret.toml')}", "need a relative path"),
    "an absolute path": (f"{HEAD}[nodes.x]\n{LOOP.replace('r.toml', '/etc/passwd')}", "it is absolute"),
    "a link that leads outside": (f"{HEAD}[nodes.x]\n{LOOP.replace('r.toml', 'link.toml')}", "leads outside"),
    "a file that is no rules": (f"{HEAD}[nodes.x]\n{LOOP.replace('rules:r', 'rules:s')}", "needs [[rules]] tables"),
    "a script that is no answers": (f"{HEAD}[nodes.x]\n{LOOP.replace('d:s', 'd:r')}", "needs [[answers]] tables"),
    "a model without a provider": (
        f"{HEAD}[nodes.x]\n{LOOP.replace('scripted:s.toml', 'gpt')}",
        'named "PROVIDER:NAME"',
    ),
    "an unknown provider": (
        f"{HEAD}[nodes.x]\n{LOOP.replace('scripted:s.toml', 'opnai:gpt')}",
        "nodes.x.model: unknown model provider 'opnai'; did you mean 'openai'?",
    ),
    "an address": (
        f"{HEAD}[nodes.x]\n{LOOP.replace('scripted:s.toml', 'compatible:m@http://evil.example/v1')}",
        "a graph file names no address",
    ),
    "an address of a critic": (
        f"{HEAD}[nodes.x]\n{LOOP.replace('rules:r.toml', 'model:openai:m@http://evil.example')}",
        "nodes.x.critics[0]: a graph file names no address",
    ),
    "a share above one": (f"{HEAD}[nodes.x]\n{LOOP}holdout = 1.5\n", "nodes.x.holdout: must be None or a number in"),
    "an unknown way to learn": (f'{HEAD}[nodes.x]\n{LOOP}learn_from = "all"\n', "nodes.x.learn_from: must be known,"),
    "a number for a model": (
        f"{HEAD}[nodes.x]\n" + LOOP.replace('"scripted:s.toml"', "7"),
        "nodes.x.model: must be a string",
    ),
    "an unknown step": (f'{HEAD}[nodes.x]\nstep = "join"\n', "nodes.x.step: unknown step 'join'"),
    "a text for a step without a model": (
        f'{HEAD}[nodes.x]\nstep = "Say {{a}} aloud."\n',
        "nodes.x.step: names a function; a text for the default model is prompt = ...",
    ),
    "step and uses": (
        f'{HEAD}[nodes.x]\nstep = "a"\nuses = "b"\n',
        "nodes.x: needs exactly one of the keys step and uses",
    ),
    "a template of an unknown node": (f"{HEAD}[nodes.x]\n{LOOP.replace('{a}', '{aa}')}", "did you mean 'a'?"),
    "a template that is not closed": (f"{HEAD}[nodes.x]\n{LOOP.replace('{a}', '{a')}", "nodes.x"),
    "a choice that is a text": (f'{HEAD}[nodes.x]\nchoice = "a"\n', "nodes.x.choice: must be a list of cases"),
    "a case without then": (
        f'{HEAD}[nodes.x]\nchoice = [{{ if = "{{a}}", is = "==", than = 1 }}]\n',
        "nodes.x.choice[0]: needs the keys if, is, than and then; then is missing",
    ),
    "a comparison that is unknown": (
        f'{HEAD}[nodes.x]\nchoice = [{{ if = "{{a}}", is = "=", than = 1, then = "y" }}, {{ else = "y" }}]\n'
        '[nodes.y]\napproval = "{a}"\n',
        "nodes.x",
    ),
    "no last case": (
        f'{HEAD}[nodes.x]\nchoice = [{{ if = "{{a}}", is = "==", than = 1, then = "y" }}]\n'
        '[nodes.y]\napproval = "{a}"\n',
        "has no last case",
    ),
    "a map of nothing": (f'{HEAD}[nodes.x]\nmap = "{{a}}"\n', "nodes.x.each: must be a table"),
    "a root alone": (f'{HEAD}[nodes.x]\n{LOOP}root = "."\n', "nodes.x.root: root and replaces belong together"),
    "an unknown input of an inner graph": (
        f'{HEAD}[nodes.x]\ngraph = "inner.toml"\ninputs = {{ zz = "{{a}}" }}\n',
        "nodes.x.inputs.zz: the graph has no such input",
    ),
    "inputs of an inner graph that are a text": (
        f'{HEAD}[nodes.x]\ngraph = "inner.toml"\ninputs = "{{a}}"\n',
        "nodes.x.inputs: must be a mapping",
    ),
    "a graph that is not there": (f'{HEAD}[nodes.x]\ngraph = "iner.toml"\n', "did you mean 'inner.toml'?"),
    "a graph that names itself": (
        f'{HEAD}[nodes.x]\ngraph = "g.toml"\ninputs = {{ a = "{{a}}" }}\n',
        "name each other",
    ),
    "a cycle": (
        f'{HEAD}[nodes.x]\napproval = "{{y}}{{a}}"\n[nodes.y]\napproval = "{{x}}"\n',
        "cycle",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_file_is_refused_with_file_table_key_and_the_nearest_word(case: str, folder: Path) -> None:
    text, said = WRONG[case]
    path = written(folder, text)
    before = sorted(folder.rglob("*"))
    with pytest.raises(ConfigurationError) as refusal:
        Graph.from_toml(path)
    first = str(refusal.value).splitlines()[0]
    assert first.startswith(f"{path}: ")
    assert said in str(refusal.value)
    assert len(first) < 600
    assert str(refusal.value) == first, "one mistake is told once"
    assert sorted(folder.rglob("*")) == before


def test_the_wrong_files_are_at_least_forty() -> None:
    assert len(WRONG) >= 40


@pytest.mark.parametrize(
    "content", [None, b"\xff", b"#" * (1 << 20) + b"\n"], ids=["missing", "not UTF-8", "too large"]
)
def test_a_file_that_cannot_be_read_is_refused(content: bytes | None, folder: Path) -> None:
    path = folder / "g.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"g\.toml: "):
        Graph.from_toml(path)


def tables(path: Path) -> Any:
    return json.loads(json.dumps(tomllib.loads(path.read_text())))


GRAPHS = [path for path in sorted(EXAMPLES.glob("*.toml")) if "[graph]" in path.read_text()]


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_the_examples_fit_the_schema(path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())
    jsonschema.validate(tables(path), json_schema(), cls=jsonschema.Draft202012Validator)


@pytest.mark.parametrize(
    "case", ["an unknown key of a node", "a node of two kinds", "an unknown key of the graph", "no output"]
)
def test_the_schema_refuses_what_the_reader_refuses(case: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(WRONG[case][0]), json_schema(), cls=jsonschema.Draft202012Validator)
