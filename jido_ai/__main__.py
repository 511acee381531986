"""`python -m jido_ai` is the command `jido`."""

import atexit
import contextlib
import gc
import os
import sys
from importlib import import_module

from jido_ai.cli.interrupts import STATUS, ends_when_interrupted, tell_interrupted
from jido_ai.cli.output import OutputError, checked_output
from jido_ai.errors import ConfigurationError
from jido_ai.extras import require


def main() -> None:
    """Run the command line.

    ^C prints one line and ends with status 130, within two seconds, even while modules are being imported. An error on
    standard output prints one line and ends with status 2; see `checked_output`.
    """
    atexit.register(gc.freeze)  # the last collection, of a process that is over, takes 50 ms
    with ends_when_interrupted():
        try:
            if sys.argv[1:3] == ["improve", "--hook"]:
                hook = import_module("jido_ai.improve.quick_hook")
                if hook.are_clean(sys.argv[1:], os.environ):
                    return
            with checked_output():
                require("cli", "typer", "rich", "platformdirs")
                import_module("jido_ai.cli.app").main()
        except KeyboardInterrupt:
            tell_interrupted()
            sys.exit(STATUS)
        except (ConfigurationError, OutputError) as error:
            _say(str(error))
            sys.exit(2)
        except BaseExceptionGroup as group:  # from tasks that ran side by side
            failed = group.subgroup(OutputError)
            if failed is None:
                raise
            _say(_first(failed))
            sys.exit(2)


def _say(text: str) -> None:
    with contextlib.suppress(OSError, AttributeError):  # standard error may be closed or full, too
        sys.stderr.write(f"jido: {text}\n")
        sys.stderr.flush()


def _first(group: BaseExceptionGroup[OutputError]) -> str:
    one = group.exceptions[0]
    return _first(one) if isinstance(one, BaseExceptionGroup) else str(one)


if __name__ == "__main__":
    main()
