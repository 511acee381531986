"""A model whose answers are kept in a file, so that methods share them and a benchmark goes on where it was killed."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from jido_ai import Usage
from jido_ai.errors import BudgetExceededError
from jido_ai.models import Completion, CompletionRequest, LanguageModel

__all__ = ["CachedModel", "Caps", "RunModel", "lines_of"]


@dataclass(frozen=True, slots=True)
class Caps:
    """Limits of the tokens of one answer.

    Attributes:
        text: of a plain answer.
        structured: of one with a schema, which needs more tokens for the same content.
        is_cut_whole: a plain answer that reached its cap counts as it is: the cap is the benchmark's.
    """

    text: int = 160
    structured: int = 320
    is_cut_whole: bool = True


def lines_of(file: Path) -> list[dict[str, Any]]:
    """Return the objects of a file of JSON lines; a last line that was cut by a kill is removed from it."""
    if not file.exists():
        return []
    text = file.read_bytes()
    end = text.rfind(b"\n") + 1
    if end < len(text):
        file.write_bytes(text[:end])
    return [cast("dict[str, Any]", json.loads(line)) for line in text[:end].splitlines()]


@dataclass
class CachedModel:
    """Asks a model, and keeps every answer in a file of JSON lines, by the request and its seed."""

    model: LanguageModel
    name: str
    file: Path
    caps: Caps = field(default_factory=Caps)

    def __post_init__(self) -> None:
        self._answers = {told["key"]: told for told in lines_of(self.file)}

    async def answer(self, request: CompletionRequest) -> dict[str, Any]:
        """Return the kept answer to a request, or ask and keep it."""
        messages = [[message.role, message.content] for message in request.messages]
        identity = [self.name, messages, request.temperature, request.seed, request.max_tokens, request.schema]
        key = hashlib.sha256(json.dumps(identity, default=dict).encode()).hexdigest()[:32]
        if key not in self._answers:
            done = await self.model.complete(request)
            told = {"key": key, "text": done.text, "finish": done.finish_reason, "messages": messages}
            told |= {"input": done.usage.input_tokens, "output": done.usage.output_tokens, "seed": request.seed}
            with self.file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(told) + "\n")
            self._answers[key] = told
        return self._answers[key]

    @property
    def asked(self) -> int:
        """Answers that are kept."""
        return len(self._answers)

    @property
    def cut(self) -> int:
        """Kept answers that were cut off."""
        return sum(told["finish"] == "length" for told in self._answers.values())

    def for_run(self) -> RunModel:
        return RunModel(self)


@dataclass
class RunModel:
    """The model as one run sees it: the nth request of the same words has the seed n, so that runs share answers.

    Attributes:
        most: calls that are allowed; None where the loop itself keeps to its budget.
        calls, input_tokens, output_tokens: of this run, kept answers included.
        whole: the answers that were not cut off and are not blank, in order.
    """

    shared: CachedModel
    most: int | None = None
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    whole: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)

    async def complete(self, request: CompletionRequest) -> Completion:
        if self.most is not None and self.calls >= self.most:
            raise BudgetExceededError("max_calls", allowed=self.most, spent=self.calls)
        self.calls += 1
        words = "\0".join(message.content for message in request.messages)
        self.seen[words] += 1
        caps = self.shared.caps
        cap = caps.text if request.schema is None else caps.structured
        told = await self.shared.answer(request.model_copy(update={"seed": self.seen[words], "max_tokens": cap}))
        self.input_tokens += told["input"]
        self.output_tokens += told["output"]
        is_cap_fine = request.schema is None and caps.is_cut_whole and told["finish"] == "length"
        finish = "stop" if is_cap_fine else told["finish"]
        if finish == "stop" and told["text"].strip():
            self.whole.append(told["text"])
        usage = Usage(calls=1, input_tokens=told["input"], output_tokens=told["output"])
        return Completion(told["text"], usage=usage, finish_reason=finish)
