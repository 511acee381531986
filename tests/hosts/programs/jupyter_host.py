"""A notebook whose cells await; prints what the cells print."""

from __future__ import annotations

import sys

from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

CELLS = [
    f"""
import sys
from pathlib import Path
sys.path.insert(0, {sys.argv[2]!r})
from host_work import critique, fast_pipeline, work
from jido_ai import BlockingPipeline, ConfigurationError, reflect, reflect_sync
""",
    f"await work(Path({sys.argv[1]!r}))",
    """
async with fast_pipeline(memory=True) as pipeline:
    result = await pipeline.run("q")
print("cell", result.accepted)
""",
    "pipeline = await fast_pipeline().__aenter__()",
    "print('entered in another cell', (await pipeline.run('q')).accepted)",
    "await pipeline.__aexit__(None, None, None)",
    """
try:
    reflect_sync("q", "a", critiquer=critique)
except ConfigurationError as error:
    print(error)
""",
    """
with BlockingPipeline(fast_pipeline()) as blocking:
    print("blocking", blocking.run("q").accepted)
""",
]

notebook = new_notebook(cells=[new_code_cell(source) for source in CELLS])
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
for cell in notebook.cells:
    for output in cell.outputs:
        print(output.get("text", output), end="")
