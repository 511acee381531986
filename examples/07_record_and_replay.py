"""Record a model's answers once, then play them back in tests: no network, no key, always the same.

The recorded model is scripted here; use `OpenAIModel(...)` or any other model instead.

$ python examples/07_record_and_replay.py
recorded: Paris.
played back: Paris.
the key in the file: [redacted]
not recorded: NotFoundError
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path

from jido_ai import NotFoundError
from jido_ai.models import CompletionRequest, Message, RecordingModel, ReplayModel
from jido_ai.testing import ScriptedModel

KEY = "sk-" + "0123456789abcdef" * 2


def asking(text: str) -> CompletionRequest:
    return CompletionRequest((Message("user", text),))


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "capitals.jsonl"
        request = asking(f"My key is {KEY}. What is the capital of France?")
        recorder = RecordingModel(ScriptedModel(["Paris."]), file)
        print("recorded:", (await recorder.complete(request)).text)
        replay = ReplayModel(file)
        print("played back:", (await replay.complete(request)).text)
        written = json.loads(file.read_text())["request"]["messages"][0]["content"]
        print("the key in the file:", written.split()[3].rstrip("."))
        try:
            await replay.complete(asking("What is the capital of Peru?"))
        except NotFoundError as error:
            print(f"not recorded: {type(error).__name__}")


if __name__ == "__main__":
    asyncio.run(main())
