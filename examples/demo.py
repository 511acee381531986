"""The program of `make demo`, which is `jido demo`: it improves files with defects, without a key or a network.

It works on a copy, so that there is always something to improve. It ends with status 0 although issues are left, which
is part of the demonstration.
"""

import sys

from jido_ai.cli.demo import run_demo

if __name__ == "__main__":
    sys.exit(run_demo())
