"""Choices: the measure, the embedder and the arithmetic that a memory's arguments name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, cast

from jido_ai.errors import ConfigurationError, describe
from jido_ai.memory.index.keyword_index import Counting
from jido_ai.memory.index.minilm_embedder import can_embed_with_minilm
from jido_ai.memory.index.numpy_scan import NumpyScan
from jido_ai.memory.index.similarity import MeasureName, measure_named
from jido_ai.memory.index.static_embedder import can_embed_statically
from jido_ai.memory.index.vector_index import Scan
from jido_ai.protocols import Embedder, TunedEmbedder
from jido_ai.registry import resolve

Similarity = MeasureName | Literal["auto", "minilm", "static", "embedding", "cosine"]
_NEAR: Final = 0.70  # SPEC C22


def measure_and_embedder(
    similarity: Similarity | None, embedder: Embedder | str | None
) -> tuple[MeasureName | Literal["embedding"], Embedder | str | None]:
    """Return the measure that `similarity` names, and the embedder to use with it.

    Raises:
        ConfigurationError: unknown measure, or an embedder that it does not use.
    """
    if similarity in ("minilm", "static") and embedder in (None, similarity):
        return "embedding", similarity
    if similarity == "auto" and embedder is None:
        offline = "minilm" if can_embed_with_minilm() else "static" if can_embed_statically() else None
        return ("embedding", offline) if offline else ("weighted", None)
    if embedder is not None and similarity in (None, "auto", "cosine", "embedding"):
        return "embedding", embedder
    if embedder is not None:
        raise ConfigurationError(f'embedder needs similarity="embedding", got {describe(similarity)}')
    if similarity == "embedding":
        return "embedding", None
    if similarity is None:
        return "jaccard", None
    return measure_named(similarity).name, None


def default_threshold(similarity: str, embedder: Embedder | None) -> float:
    """Return the minimum similarity for retrieval: the measure's or the embedder's."""
    if embedder is None:
        measure = measure_named(similarity)
        return 0.0 if measure.counts else measure.threshold
    return embedder.threshold if isinstance(embedder, TunedEmbedder) else _NEAR


def embedder_of(chosen: Embedder | str | None) -> Embedder:
    """Return the embedder for the `embedder` argument."""
    if chosen is None:
        chosen = "sentence-transformers"
    if isinstance(chosen, str):
        name, _, model = chosen.partition(":")
        make = cast("Callable[..., Embedder]", resolve("embedder", name))
        return make(model) if model else make()
    if not isinstance(chosen, Embedder):
        raise ConfigurationError(f"an embedder needs name, dim and embed(texts), got {describe(chosen)}")
    return chosen


def _numpy() -> Counting:
    return cast("Callable[[], Counting]", resolve("counting", "numpy"))()


def _numpy_if_there() -> Counting | None:
    try:
        return _numpy()
    except ConfigurationError:
        return None


COUNTINGS: Final[dict[str, Callable[[], Counting | None]]] = {
    "auto": _numpy_if_there,
    "python": lambda: None,
    "numpy": _numpy,
}

SCANS: Final[dict[str, Callable[[], Scan | None]]] = {
    "auto": lambda: None if _numpy_if_there() is None else NumpyScan(),
    "python": lambda: None,
    "numpy": NumpyScan,
}
