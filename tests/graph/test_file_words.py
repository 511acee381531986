"""Errors in graph files name tables and keys as the file has them, each mistake once."""

from __future__ import annotations

from pathlib import Path

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.graph.graph import Graph

HEAD = '[graph]\ninputs = ["topic"]\noutput = "draft"\n'
MODEL = '"compatible:m@http://127.0.0.1:9/v1"'
LOOP = f'[nodes.draft]\nloop = "{{topic}}"\nmodel = {MODEL}\ncritics = ["model:compatible:m@http://127.0.0.1:9/v1"]\n'


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (LOOP.replace("{topic}", "{topik}"), "nodes.draft.loop: {topik} names neither"),
        (LOOP.replace(f"model = {MODEL}", 'generator = "opnai:m"'), "nodes.draft.generator: unknown model provider"),
        (f'{LOOP}reviser = "opnai:m"\n', "nodes.draft.reviser: unknown model provider"),
        (f"{LOOP}max_iterations = 0\n", "nodes.draft.max_iterations: "),
        ('[nodes.draft]\napproval = "{topik}"\n', "nodes.draft.approval: {topik}"),
        (f'[nodes.draft]\nstep = "{{topik}}"\nmodel = {MODEL}\n', "nodes.draft.step: {topik}"),
        (
            f'[nodes.draft]\nmap = "{{topic}}"\neach = {{ prompt = "{{itm}}", model = {MODEL} }}\n',
            "nodes.draft.each.prompt: {itm}",
        ),
        ('[nodes.drft]\napproval = "{topic}"\n', "graph.output: there is no node 'draft'"),
    ],
)
def test_a_mistake_is_one_line_in_the_words_of_the_file(tmp_path: Path, body: str, place: str) -> None:
    path = tmp_path / "g.toml"
    path.write_text(HEAD + body)
    with pytest.raises(ConfigurationError) as caught:
        Graph.from_toml(path)
    (line,) = str(caught.value).splitlines()
    assert line.startswith(f"{path}: {place}")


def test_a_refused_name_is_reported_once_and_not_again_where_it_is_used(tmp_path: Path) -> None:
    (tmp_path / "g.toml").write_text(HEAD + '[nodes.topic]\napproval = "a"\n[nodes.draft]\napproval = "b"\n'
                                     'after = ["topic"]\n')  # fmt: skip
    with pytest.raises(ConfigurationError) as caught:
        Graph.from_toml(tmp_path / "g.toml")
    assert len(str(caught.value).splitlines()) == 1


def test_a_file_names_a_model_on_this_machine(tmp_path: Path) -> None:
    (tmp_path / "g.toml").write_text(HEAD + LOOP)
    assert list(Graph.from_toml(tmp_path / "g.toml").nodes) == ["draft"]
