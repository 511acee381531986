"""Graph files in graph files are read once each, and limited in number, depth and nodes."""

from __future__ import annotations

from pathlib import Path

import pytest

from jido_ai import Graph
from jido_ai.errors import ConfigurationError
from jido_ai.graph import toml_file

LEAVES = '[graph]\noutput = "n0"\n' + "".join(f'[nodes.n{n}]\napproval = "ok?"\n' for n in range(12))


def nested(folder: Path, depth: int, wide: int = 12) -> Path:
    """Write `depth` files, each with nodes that name the next."""
    for level in range(depth - 1):
        nodes = "".join(f'[nodes.n{n}]\ngraph = "g{level + 1}.toml"\n' for n in range(wide))
        (folder / f"g{level}.toml").write_text(f'[graph]\noutput = "n0"\n{nodes}')
    (folder / f"g{depth - 1}.toml").write_text(LEAVES)
    return folder / "g0.toml"


def test_a_file_that_many_nodes_name_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = toml_file.read_text

    def counted(path: Path, most: int) -> str:
        read.append(path.name)
        return real(path, most)

    monkeypatch.setattr(toml_file, "read_text", counted)
    Graph.from_toml(nested(tmp_path, 3))
    assert read == ["g0.toml", "g1.toml", "g2.toml"]


@pytest.mark.parametrize("depth", [4, 8])
def test_graphs_that_multiply_are_refused_in_one_line(depth: int, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"at most 2,000 nodes") as caught:
        Graph.from_toml(nested(tmp_path, depth))
    assert "\n" not in str(caught.value)


def test_more_than_a_hundred_files_are_refused(tmp_path: Path) -> None:
    for n in range(101):
        (tmp_path / f"i{n}.toml").write_text(LEAVES)
    for most in (99, 100):
        nodes = "".join(f'[nodes.n{n}]\ngraph = "i{n}.toml"\n' for n in range(most))
        (tmp_path / f"of{most}.toml").write_text(f'[graph]\noutput = "n0"\n{nodes}')
    Graph.from_toml(tmp_path / "of99.toml")
    with pytest.raises(ConfigurationError, match="at most 100 files"):
        Graph.from_toml(tmp_path / "of100.toml")


def test_the_depth_counts_for_a_file_that_was_read_already(tmp_path: Path) -> None:
    nested(tmp_path, 8, wide=1)
    head = '[graph]\noutput = "a"\n'
    (tmp_path / "below.toml").write_text(f'{head}[nodes.a]\ngraph = "g1.toml"\n[nodes.b]\ngraph = "g0.toml"\n')
    with pytest.raises(ConfigurationError, match="nested deeper than 8"):
        Graph.from_toml(tmp_path / "below.toml")
    (tmp_path / "top.toml").write_text(f'{head}[nodes.a]\ngraph = "g1.toml"\n[nodes.b]\ngraph = "c.toml"\n')
    (tmp_path / "c.toml").write_text(f'{head}[nodes.a]\ngraph = "g1.toml"\n')
    with pytest.raises(ConfigurationError, match=r"nested deeper than 8: top\.toml -> c\.toml -> g1\.toml"):
        Graph.from_toml(tmp_path / "top.toml")
