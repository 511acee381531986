#!/usr/bin/env bash
# llama-index-core 0.14.25: QueryFusionRetriever with mode relative_score scales the scores of each retriever by
# themselves, so the only hit of one counts as its best: similarity 0.1 is level with 0.9. Guess: the poor hit comes
# last.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "llama-index-core==0.14.25" 2>/dev/null
cat > "$folder/program.py" <<'PY'
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import NodeWithScore, TextNode


class Fixed(BaseRetriever):
    def __init__(self, name, score):
        self.found = [NodeWithScore(node=TextNode(text=name, id_=name), score=score)]
        super().__init__()

    def _retrieve(self, query):
        return self.found


retrievers = [Fixed("near", 0.9), Fixed("far", 0.1)]
fusion = QueryFusionRetriever(retrievers, llm=MockLLM(), num_queries=1, mode="relative_score", use_async=False)
print([(hit.node.text, round(hit.score, 2)) for hit in fusion.retrieve("q")])
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="[('near', 0.5), ('far', 0.5)]"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
