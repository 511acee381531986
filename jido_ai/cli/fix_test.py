"""`jido fix-test`: finds the tests, searches the project, prints what was found, and writes what is sure."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from jido_ai.cli.memory_place import memory_address
from jido_ai.cli.trust import trusted_settings
from jido_ai.errors import ConfigurationError, JidoError, ToolError
from jido_ai.files.below import without_links
from jido_ai.improve.failing_tests import repair_lines, repairs_json
from jido_ai.improve.project import below, project_scope
from jido_ai.improve.project_files import ProjectFiles
from jido_ai.improve.project_python import project_python
from jido_ai.improve.project_tests import ProjectTests
from jido_ai.improve.repair.project_repair import ProjectRepair
from jido_ai.improve.repair.repairs import TestRepairs
from jido_ai.improve.repair_lessons import repair_lessons
from jido_ai.improve.source_files import ProjectSource, project_root, replace_file
from jido_ai.loop.books import Books
from jido_ai.text.printable import printable

_SILENT_S = 1.0


@dataclass(frozen=True, slots=True)
class FixTestOptions:
    """The arguments of the command line."""

    tests: Sequence[str] = ()
    apply: bool = False
    root: Path | None = None
    time_limit_s: float = 120.0
    test_timeout_s: float | None = None
    python: Path | None = None
    model: str | None = None
    memory: str | None = None
    as_json: bool = False
    is_quiet: bool = False
    unsafe: bool = False


def fix_test(options: FixTestOptions, out: TextIO, err: TextIO) -> int:
    """Search, print and write; return the exit status.

    Raises:
        ConfigurationError: bad input, found before anything runs.
        ToolError: the tests cannot be run.
    """
    root, tests = _project(options)
    settings = trusted_settings("python", memory=options.memory, model=options.model)
    wanted = options.python or settings.python
    python, doubt = project_python(root, None if wanted is None else Path(wanted), os.environ)
    own = ProjectTests(python, options.test_timeout_s)
    executor = own.executor()
    refusal = None if options.unsafe else executor.refusal()
    if refusal is not None:
        raise ConfigurationError(refusal)
    if doubt is not None:
        err.write(f"{printable(doubt)}\n")
    books = Books(memory_address(settings.memory), settings, "fix-test")
    began = time.monotonic()

    def tell(text: str) -> None:
        is_told = time.monotonic() - began > _SILENT_S or not text.startswith("running")
        if err.isatty() and not options.is_quiet and is_told:
            err.write(f"{printable(text)}\n")
            err.flush()

    search = ProjectRepair(
        root,
        tests=own.tool(*tests),
        executor=executor,
        max_seconds=options.time_limit_s,
        run_seconds=options.test_timeout_s,
        model=books.model(options.model),
        unsafe=options.unsafe,
        tell=tell,
    )
    try:
        found = asyncio.run(_searched(search, books, root))
    except ToolError as error:
        if (missing := own.missing(str(error), ProjectFiles.read(root).texts)) is not None:
            raise ToolError(missing) from None
        raise ToolError(f"{error}; run `python -m pytest {' '.join(options.tests)}` to see why") from None
    if found.missing:
        found = replace(found, why=own.told_missing(found.missing[0]))
    written, errors = _write(root, found) if options.apply else ((), ())
    if options.as_json:
        out.write(json.dumps(repairs_json(found, written), indent=2) + "\n")
    else:
        out.writelines(
            f"{line}\n" for line in repair_lines(found, written, is_written=options.apply, has_diff=not options.apply)
        )
    err.writelines(f"{printable(error)}\n" for error in errors)
    if errors:
        return 2
    return 1 if found.left or found.why else 0


async def _searched(search: ProjectRepair, books: Books, root: Path) -> TestRepairs:
    """Search, and remember the edits that are sure."""
    async with books:
        found = await search.run()
        await books.remember(repair_lessons(found, project_scope(root)))
    return found


def _project(options: FixTestOptions) -> tuple[Path, list[str]]:
    """Return the project and the tests, relative to it.

    Raises:
        ConfigurationError: a test does not exist, or is outside of the project.
    """
    if options.root is not None and not options.root.is_dir():
        raise ConfigurationError(f"{options.root}: no such directory; --root takes the project's")
    pairs = [one.partition("::") for one in options.tests]
    for path, _, _ in pairs:
        if path.startswith("-") or not path or not Path(path).exists():
            raise ConfigurationError(f"{path or '(empty)'}: no such tests; name a file, a directory or FILE::TEST")
    root = options.root or project_root([Path(path) for path, _, _ in pairs] or [Path.cwd()])
    return root.absolute(), [f"{below(Path(path), root)}{mark}{test}" for path, mark, test in pairs]


def _write(root: Path, found: TestRepairs) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Write the edits that are sure; return the files written, and the errors."""
    written: list[str] = []
    errors: list[str] = []
    for path, text in found.texts.items():
        before = found.sources[path]
        digest = hashlib.sha256(before.encode("utf-8")).digest()
        try:
            source = ProjectSource(root / without_links(root, path), before, digest)
            replace_file(source, text)
            written.append(path)
        except (OSError, JidoError) as error:
            errors.append(f"{path}: not written: {error}")
    return tuple(written), tuple(errors)
