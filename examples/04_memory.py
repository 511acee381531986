"""Memory: a lesson is retrieved for a similar prompt, and inserted into prompts as data.

$ python examples/04_memory.py
found 1, similarity 0.80
<lessons ...> in the block: True
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from jido_ai import MemoryEntry, ReflexionMemory, format_for_prompt


async def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        path = Path(home, "memory.db")
        lesson = MemoryEntry(
            prompt="parse a date from user input",
            mistake="assumed the day comes first",
            correction="ask for ISO 8601, and refuse ambiguous dates",
            kind="semantic",
        )
        async with ReflexionMemory(path) as memory:
            await memory.store(lesson)
        async with ReflexionMemory(path) as memory:  # another process would see the same
            found = await memory.retrieve_similar("parse a date from the user input field")
            print(f"found {len(found)}, similarity {found[0].similarity:.2f}")
            block = format_for_prompt([scored.entry for scored in found])
            print(f"<lessons ...> in the block: {'ISO 8601' in block}")


if __name__ == "__main__":
    asyncio.run(main())
