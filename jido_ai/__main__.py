"""`python -m jido_ai` is the command `jido`."""

import sys
from importlib import import_module

__all__ = ["main"]


def main() -> None:
    """Run the command line. ^C is one line and exit status 130, also while its modules, a second's worth, are read."""
    try:
        import_module("jido_ai.adapters.cli").main()
    except KeyboardInterrupt:
        sys.stderr.write("jido: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
