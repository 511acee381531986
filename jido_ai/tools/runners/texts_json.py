"""Check or repair one text and write the result as JSON. A script: it is run, never imported.

    python -P -s texts_json.py

Reads {"do": "check", "repair", "layout" or "syntax", "language", "text", "issues", "schema"} and writes {"issues"},
{"text", "fixed"}, {"is_usual"} or {"repairs"}. Parsers take quadratic time or more on some texts, so the caller must
set a time limit. Unlike the scripts beside it, which import only the standard library, it imports the rules of
`jido_ai.text`, because those may take long.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    if request["do"] == "syntax":
        from jido_ai.text.syntax_repair import syntax_repairs  # noqa: PLC0415 - each task imports only its own module

        return {"repairs": [dataclasses.asdict(repair) for repair in syntax_repairs(request["text"])]}
    language, text, schema = request["language"], request["text"], request["schema"]
    if request["do"] == "layout":
        from jido_ai.text.markdown_layout import has_usual_layout  # noqa: PLC0415

        return {"is_usual": has_usual_layout(text)}
    if request["do"] == "check":
        from jido_ai.text.checks import check_text  # noqa: PLC0415

        return {"issues": [issue.model_dump(mode="json") for issue in check_text(language, text, schema)]}
    from jido_ai.text.repair import repair_texts  # noqa: PLC0415
    from jido_ai.values import Issue  # noqa: PLC0415

    issues = [Issue.model_validate(one) for one in request["issues"]]
    repaired, fixed = repair_texts(language, text, issues, schema)
    return {"text": repaired, "fixed": [index for index, issue in enumerate(issues) if issue in fixed]}


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
    json.dump(_answer(json.load(sys.stdin)), sys.stdout)
