"""`python -m jido_ai` is the command `jido`."""

from jido_ai.adapters.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
