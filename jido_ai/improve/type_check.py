"""The errors of the type checker that a project configures and has in its environment, before and after a change."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from jido_ai.errors import JidoError, ToolError
from jido_ai.improve.blame import Damage
from jido_ai.improve.project_files import ProjectFiles
from jido_ai.improve.project_python import ProjectPython
from jido_ai.protocols import ToolExecutor
from jido_ai.tools.ready import MYPY
from jido_ai.tools.reports.checks import parse_mypy
from jido_ai.tools.reports.linters import clean_end
from jido_ai.values.tool import ToolJob

_TYPES_S: Final = 120.0
_Error = tuple[str, str, str]


def has_types(files: Mapping[str, str], python: ProjectPython | None) -> bool:
    """Tell whether a project configures mypy and its environment has it; nothing is run to find out.

    Args:
        files: texts of the project's files, by path.
        python: its interpreter; None for the running one.
    """
    prefix = Path(sys.prefix) if python is None else python.executable.parent.parent
    is_configured = any(name in files and word in files[name] for name, word in MYPY.project_config.items())
    return is_configured and any(prefix.glob("lib/python3.*/site-packages/mypy"))


class TypeCheck:
    """Compares the errors of mypy in changed files, which it reads with the project's own configuration.

    Args:
        executor: runs it with the project's Python, in which plugins of mypy run, too.
        unsafe: see `ToolJob`.
    """

    def __init__(self, project: ProjectFiles, executor: ToolExecutor, *, unsafe: bool = False) -> None:
        self._project, self._executor, self._unsafe = project, executor, unsafe
        self._before: dict[tuple[str, ...], Counter[_Error]] = {}
        self.fault: str | None = None
        """Why it could not be run."""

    async def damage(self, texts: Mapping[str, str | None]) -> list[Damage]:
        """Return the errors that come with these texts; nothing once the checker could not be run."""
        new = {path: text for path, text in texts.items() if text is not None and path.endswith((".py", ".pyi"))}
        old = tuple(path for path in new if path in self._project.texts)
        if self.fault is not None or not new:
            return []
        try:
            if old not in self._before:
                self._before[old] = await self._errors({path: self._project.texts[path] for path in old})
            come = await self._errors(new) - self._before[old]
        except JidoError as error:
            self.fault = f"whether the types fit: {error}"
            return []
        return [Damage(f"{path}: {message} ({code}, new for mypy)", path) for path, code, message in sorted(come)]

    async def _errors(self, texts: Mapping[str, str]) -> Counter[_Error]:
        if not texts:
            return Counter()
        job = ToolJob(
            argv=("python", "-P", "-m", "mypy", *MYPY.argv[1:6], "--", *texts),
            files={path: text.encode("utf-8", "surrogateescape") for path, text in texts.items()},
            tree=self._project.root,
            timeout_s=_TYPES_S,
            executes=True,
            unsafe=self._unsafe,
            max_output_bytes=16 * 1024 * 1024,
        )
        run = await self._executor.run(job)
        if run.exit_status not in (0, 1):
            said = f"it took more than {_TYPES_S:g} s" if run.timed_out else run.stderr or run.stdout
            raise ToolError(f"mypy: {clean_end(said)}")
        found: Counter[_Error] = Counter()
        for issue in parse_mypy(run.stdout):
            path = issue.location.path if issue.location is not None else None
            found[path or "", issue.rule or "", issue.message] += 1
        return found
