"""The program of `make demo`, which is `jido demo`: the gate, a repair and a lesson, without a key or a network.

It works on a copy, so that there is always something to repair. It ends with status 0 although a test is left to
decide, which is part of the demonstration.
"""

import sys

from jido_ai.cli.demo import run_demo

if __name__ == "__main__":
    sys.exit(run_demo())
