"""`jido gate` and `jido improve --with`: a patch from somewhere, the gate, a model for the rest, and the report."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Final, Literal

from jido_ai.config import Settings
from jido_ai.errors import ConfigurationError, JidoError
from jido_ai.files.below import read_below, remove_below, replace_below, set_executable_below
from jido_ai.files.relative_path import relative_path
from jido_ai.files.replacement import write_whole
from jido_ai.improve.patch_gate import PatchGate
from jido_ai.improve.patch_report import patch_json, patch_lines, patch_sarif, patch_status
from jido_ai.improve.patch_sources import branch_changes, command_changes
from jido_ai.improve.patch_verdict import PatchVerdict
from jido_ai.improve.patches import parse_patch
from jido_ai.improve.project import below
from jido_ai.improve.project_python import project_python
from jido_ai.improve.project_tests import ProjectTests
from jido_ai.improve.source_files import MAX_BYTES, check_place, project_root, read_bytes
from jido_ai.loop.books import Books
from jido_ai.models.names import check_provider
from jido_ai.protocols import LanguageModel
from jido_ai.text.wording import counted

_MOST_PATCH: Final = 64 * 1024 * 1024  # bytes
_COMMAND_S: Final = 1_800.0
_MOST_TEST_FILES: Final = 1_000
_A_TEST: Final = re.compile(r"^[ \t]*(?:async[ \t]+)?def test", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class GateOptions:
    """The arguments of the command line; one of `patch`, `branch` and `commands` is given.

    Attributes:
        patch: a unified diff.
        branch: a git ref; see `branch_changes`.
        commands: commands that change a copy of the project.
        files: only hunks in these files and directories count; () for all.
        allows_api: hunks may change what the project offers to others.
        strict: the status is 3 if a hunk could be judged by no program.
        python: an interpreter or its environment for the project's code; None: found as `project_python` does.
        test_timeout_s: limit of one run of the tests; None is 30.
        output: "report" shows no diff, "diff" shows what is kept, "apply" writes it.
    """

    patch: str | None = None
    branch: str | None = None
    commands: Sequence[str] = ()
    files: Sequence[Path] = ()
    root: Path | None = None
    tests: Path | None = None
    python: Path | None = None
    test_timeout_s: float | None = None
    output: Literal["report", "diff", "apply"] = "report"
    as_json: bool = False
    sarif: Path | None = None
    kept: Path | None = None
    rejected: Path | None = None
    unsafe: bool = False
    allows_api: bool = False
    strict: bool = False
    verbosity: int = 0
    model: LanguageModel | str | None = None
    memory: Path | str | None = None
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True)
class GateReport:
    """The lines for standard output, the diff to show before the last of them, messages, and the exit status."""

    lines: Sequence[str]
    diff: str
    messages: Sequence[str]
    status: int
    verdict: PatchVerdict


async def gate(options: GateOptions, tell: Callable[[str], None] = lambda _: None) -> GateReport:
    """Check a patch and return the report; the status is 0 if every hunk is kept, 1 if one is rejected.

    2 stands for a file that could not be written.

    Raises:
        JidoError: bad input, found before anything is written.
    """
    _check_places(options)
    with contextlib.ExitStack() as stack:
        about = ""
        if options.branch is not None:
            changes = branch_changes(options.branch, options.root or Path())
            root, patch, about = await asyncio.to_thread(stack.enter_context, changes)
            project = await asyncio.to_thread(_top_of, options.root or Path())
        else:
            root = project = options.root or _root_for(options)
            patch = options.patch or ""
        tests = None if options.tests is None else below(options.tests, project)
        wanted = options.python or options.settings.python
        chosen = None if wanted is None else Path(wanted)
        python, doubt = await asyncio.to_thread(project_python, project, chosen, os.environ)
        if options.commands:
            tell("running the commands on a copy of the project")
            commands = list(options.commands)
            patch = await asyncio.to_thread(command_changes, root, commands, timeout_s=_COMMAND_S)
        patch = _only(options.files, root, patch)
        runs = ProjectTests(python, options.test_timeout_s)
        allows = options.allows_api
        checker = PatchGate(root, tests=tests, runs=runs, unsafe=options.unsafe, allows_api=allows, tell=tell)
        verdict = await checker.judge(patch)
        if options.model is not None and patch_status(verdict):
            verdict = await _asked(options, checker, verdict, tell)
        report = await asyncio.to_thread(_reported, options, root, verdict, about)
        return report if doubt is None else replace(report, messages=[doubt, *report.messages])


def _check_places(options: GateOptions) -> None:
    if isinstance(options.model, str):
        check_provider(options.model)
    for name in ("sarif", "kept", "rejected"):
        path: Path | None = getattr(options, name)
        if path is not None and (path.is_dir() or not path.parent.is_dir()):
            why = "a directory" if path.is_dir() else "its directory does not exist"
            raise ConfigurationError(f"--{name} {path}: {why}; name a file")
    for path in (*options.files, *((options.tests,) if options.tests else ())):
        check_place(path, options.root)
        if not path.exists():
            raise ConfigurationError(f"{path}: no such file or directory")
    if options.root is not None and not options.root.is_dir():
        raise ConfigurationError(f"{options.root}: no such directory; --root takes the project's")


def _root_for(options: GateOptions) -> Path:
    """Return the project: of the files named, else the nearest directory from here up that has the patch's files."""
    here = Path().absolute()
    if options.commands:
        root = project_root([here])
        named = [*options.files, *([options.tests] if options.tests else [])]
        return root if all(path.absolute().is_relative_to(root) for path in named) else project_root(named)
    paths = [patch.old for patch in parse_patch(options.patch or "") if patch.old is not None]
    top = project_root([here])
    folders = [here, *(folder for folder in here.parents if folder.is_relative_to(top))]
    folders += [folder for folder in here.parents if (folder / ".git").exists()][:1]
    return max(folders, key=lambda folder: sum(_is_in(folder, path) for path in paths))


def _is_in(folder: Path, path: str) -> bool:
    try:
        return (folder / relative_path(path)).exists()
    except ConfigurationError:
        return False


def _top_of(directory: Path) -> Path:
    from jido_ai.improve.git_changes import Git  # noqa: PLC0415 - only of a branch

    return Git.of(directory, "--branch").top


def _only(files: Sequence[Path], root: Path, patch: str) -> str:
    """Return the part of a patch that is about these files and directories."""
    if not files:
        return patch
    wanted = [Path(os.path.normpath(below(path, root))) for path in files]
    parts = parse_patch(patch)
    return "".join(one.raw for one in parts if any(Path(one.path).is_relative_to(path) for path in wanted))


async def _asked(
    options: GateOptions, checker: PatchGate, verdict: PatchVerdict, tell: Callable[[str], None]
) -> PatchVerdict:
    from jido_ai.improve.patch_model import revise_rejected  # noqa: PLC0415 - loaded where a model is asked

    usual = {
        "max_iterations": 3,
        "accept": "clean",
        "severity_threshold": 1.0,
        "timeout_s": 600.0,
        "step_timeout_s": 300.0,
    }
    config = options.settings.loop_config("gate", usual=usual)
    books = Books(options.memory, options.settings, "gate")
    model = books.model(options.model)
    assert model is not None
    async with books:
        return await revise_rejected(checker, verdict, model, books=books, config=config, tell=tell)


# -- the report ------------------------------------------------------------------------------------


def _reported(options: GateOptions, root: Path, verdict: PatchVerdict, about: str) -> GateReport:
    """Write what is to be written, and return the report. Blocks: use a thread."""
    failed: list[str] = []
    written: list[str] = []
    if options.output == "apply":
        for path, text in verdict.texts.items():
            try:
                _write(root, path, verdict.before.get(path), text, verdict.modes.get(path))
                written.append(path)
            except OSError as error:
                failed.append(f"{path}: cannot be written: {error.strerror}; it was left as it is")
            except JidoError as error:
                failed.append(str(error))
        for path, mode in verdict.modes.items():
            if path not in verdict.texts:
                try:
                    set_executable_below(root, path, executable=mode == "100755")
                    written.append(path)
                except OSError as error:
                    failed.append(f"{path}: its mode cannot be changed: {error.strerror}")
    log = json.dumps(patch_sarif(verdict, version=version_of("jido-ai")), indent=2) + "\n"
    for name, text in (("kept", verdict.kept), ("rejected", verdict.rejected), ("sarif", log)):
        place: Path | None = getattr(options, name)
        if place is not None:
            try:
                write_whole(place, text.encode("utf-8", "surrogateescape"))
            except OSError as error:
                failed.append(f"{place}: cannot be written: {error.strerror}; name another --{name}")
    if options.as_json:
        found = patch_json(verdict, written=written)
        lines = [json.dumps(found, indent=2, ensure_ascii=True)]
    else:
        lines = patch_lines(verdict, verbosity=options.verbosity)
        if written:
            wrote = f"; {len(written)} written" if len(written) > 1 else f"; {written[0]} written"
            lines[-1] += wrote
    messages = [f"checked: {about}"] if about and options.verbosity >= 0 else []
    messages += [f"not checked: {one}" for one in verdict.unchecked]
    if options.tests is None and options.verbosity >= 0 and any(hunk.state == "unchecked" for hunk in verdict.hunks):
        messages += _tests_to_offer(root)
    messages += [f"jido: {one}" for one in failed]
    diff = verdict.kept if options.output == "diff" and options.verbosity >= 0 and not options.as_json else ""
    return GateReport(lines, diff, messages, 2 if failed else patch_status(verdict, strict=options.strict), verdict)


def _tests_to_offer(root: Path) -> list[str]:
    """Return a line about the tests that the project has, if it has some. Blocks: use a thread."""
    for name in ("tests", "test"):
        files = [*(root / name).glob("**/test_*.py"), *(root / name).glob("**/*_test.py")][:_MOST_TEST_FILES]
        number = sum(len(_A_TEST.findall(path.read_text("utf-8", "replace"))) for path in files if path.is_file())
        if number:
            return [f"{name}/ has {counted(number, 'test')}; with --tests {name} they judge, too"]
    return []


def _write(root: Path, path: str, before: str | None, text: str | None, mode: str | None) -> None:
    """Write or delete one file, unless it has changed since it was read."""

    def check() -> None:
        changed = before is not None
        with contextlib.suppress(FileNotFoundError):
            changed = read_below(root, path, MAX_BYTES) != _raw(before or "") or before is None
        if changed:
            raise JidoError(f"{path}: changed since it was read; it was left as it is, run again")

    check()
    if text is None:
        remove_below(root, path)
        return
    replace_below(root, path, _raw(text), check=check)
    if mode is not None:
        set_executable_below(root, path, executable=mode == "100755")


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def read_patch(path: Path) -> str:
    """Return the text of a patch from a file.

    Raises:
        ConfigurationError: it cannot be read, or has more than 64 MiB.
    """
    return read_bytes(path, _MOST_PATCH).decode("utf-8", "surrogateescape")


def patch_text(raw: bytes) -> str:
    """Return a patch as text; bytes that are not UTF-8 are kept as surrogates.

    Raises:
        ConfigurationError: it has more than 64 MiB.
    """
    if len(raw) > _MOST_PATCH:
        raise ConfigurationError(f"the patch is larger than {_MOST_PATCH >> 20} MiB; split it")
    return raw.decode("utf-8", "surrogateescape")
