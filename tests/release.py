"""`make release`: build a release from a clean clone, check it in empty environments, and stop before it is published.

    python tests/release.py [--skip-tests] [--out dist]     with the standard library only
    python tests/release.py --version                       print the version and exit

What is built, the SBOM and the checksums replace those of an earlier call in `--out`; nothing else is changed.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import uuid
import zipfile
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

__all__ = ["changelog_date", "complaints", "locked", "sbom", "sign_off", "version_of"]

ROOT: Final = Path(__file__).resolve().parent.parent
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
HOSTS: Final = tuple(f"{name}.org" for name in ("pypi", "pythonhosted"))
"""Registries that no file of a release may name, spelled so that this file does not."""
LINE: Final = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;\\]+)")
OWN: Final = re.compile(r"jido-ai\[([^\]]+)\]")

PROBE: Final = """
import asyncio, importlib, pkgutil, jido_ai
from importlib.metadata import version
assert version("jido-ai") == jido_ai.__version__ == EXPECTED, jido_ai.__version__
from importlib.resources import files
assert files("jido_ai").joinpath("py.typed").is_file()
names = 0
for room in ["jido_ai", *(f"jido_ai.{one.name}" for one in pkgutil.iter_modules(jido_ai.__path__) if one.ispkg)]:
    module = importlib.import_module(room)
    for name in getattr(module, "__all__", ()):
        if room not in NEEDS_MORE:
            getattr(module, name)
            names += 1
from jido_ai import CritiqueResult, LLMGenerator, Pipeline
from jido_ai.testing import ScriptedModel
def judge(candidate, context):
    good = "second" in candidate.content
    return CritiqueResult(severity=0.0 if good else 0.9, issues=[] if good else ["not the second"])
async def main():
    model = ScriptedModel(["first"])
    async with Pipeline(LLMGenerator(model), judge, lambda *_: "second", memory="lessons.db") as pipeline:
        result = await pipeline.run("say second")
    assert result.answer.content == "second", result
asyncio.run(main())
print(names, "public names; a run:", "second")
"""


# -- pure parts ------------------------------------------------------------------------------------


def version_of(source: str) -> str:
    """Return the `__version__` of a module's source.

    Raises:
        ValueError: it has none.
    """
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and [ast.unparse(one) for one in node.targets] == ["__version__"]:
            return str(ast.literal_eval(node.value))
    raise ValueError("expected a line __version__ = '...', found none")


def changelog_date(changelog: str, version: str) -> str:
    """Return the date of a version's section.

    Raises:
        ValueError: the changelog has no section "## [VERSION] - YYYY-MM-DD".
    """
    found = re.search(rf"^## \[{re.escape(version)}\] - (\d{{4}}-\d\d-\d\d)$", changelog, re.MULTILINE)
    if not found:
        raise ValueError(f"CHANGELOG.md has no section '## [{version}] - YYYY-MM-DD'")
    return found[1]


def complaints(files: Mapping[str, bytes], *, expected: Iterable[str], paths: Iterable[str]) -> list[str]:
    """Return what is wrong with the contents of an archive, one sentence each.

    Args:
        files: the bytes of each member, by its path below the top directory.
        expected: members that must be there.
        paths: directories of this machine that no member may name.
    """
    told = [f"{name} is missing" for name in sorted(set(expected) - files.keys())]
    for name, data in sorted(files.items()):
        if "__pycache__" in name or name.endswith((".pyc", ".orig", ".rej")):
            told.append(f"{name} is a leftover")
        told.extend(f"{name} names the registry {host}" for host in HOSTS if host.encode() in data)
        told.extend(f"{name} names a path of this machine, {path}" for path in paths if path.encode() in data)
    return told


def locked(requirements: str) -> list[dict[str, Any]]:
    """Return name, version, digests and parents ("via") of each line of a locked requirements file.

    A package is there twice if Pythons need different versions of it.
    """
    packages: list[dict[str, Any]] = []
    for line in requirements.splitlines():
        if found := LINE.match(line):
            packages.append({**found.groupdict(), "sha256": [], "via": set()})
        elif "--hash=sha256:" in line:
            packages[-1]["sha256"].append(line.partition("sha256:")[2].strip(" \\"))
        elif packages and (parent := re.match(r"^ +# +(?:via +)?([A-Za-z0-9._-]+)", line)) and parent[1] != "via":
            packages[-1]["via"].add(parent[1])
    return packages


def sbom(requirements: str, project: Mapping[str, Any], version: str, date: str) -> dict[str, Any]:
    """Return a CycloneDX 1.6 document of the locked requirements. The same input gives the same document.

    The scope of a component is "required" for the library alone, "optional" for its extra `all`, "excluded" for tests.
    """
    packages = locked(requirements)
    extras = project["optional-dependencies"]
    direct = _names(project["dependencies"], extras)
    required, optional = _closure(direct, packages), _closure(_names(extras["all"], extras), packages)
    root = f"pkg:pypi/jido-ai@{version}"

    def address(package: Mapping[str, Any]) -> str:
        return f"pkg:pypi/{package['name']}@{package['version']}"

    def below(name: str) -> list[str]:
        return sorted(address(one) for one in packages if name in one["via"])

    components = [
        {
            "type": "library",
            "bom-ref": address(one),
            "name": one["name"],
            "version": one["version"],
            "scope": "required" if one["name"] in required else "optional" if one["name"] in optional else "excluded",
            "hashes": [{"alg": "SHA-256", "content": digest} for digest in one["sha256"]],
            "purl": address(one),
        }
        for one in packages
    ]
    serial = uuid.uuid5(uuid.NAMESPACE_URL, root + hashlib.sha256(requirements.encode()).hexdigest())
    own = {"type": "library", "bom-ref": root, "name": "jido-ai", "version": version, "purl": root}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "timestamp": f"{date}T00:00:00Z",
            "component": {**own, "licenses": [{"license": {"id": "Apache-2.0"}}]},
        },
        "components": components,
        "dependencies": [
            {"ref": root, "dependsOn": sorted(address(one) for one in packages if one["name"] in direct)},
            *({"ref": address(one), "dependsOn": below(one["name"])} for one in packages),
        ],
    }


def _names(lines: Iterable[str], extras: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the packages that requirement lines name; extras of our own are followed."""
    found: set[str] = set()
    for line in lines:
        if own := OWN.match(line):
            found |= _names((one for name in own[1].split(",") for one in extras[name]), extras)
        elif name := re.match(r"[A-Za-z0-9._-]+", line):
            found.add(name[0].lower().replace("_", "-"))
    return found


def _closure(names: set[str], packages: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the packages of some names, and all that these bring."""
    found = names & {one["name"] for one in packages}
    while more := {one["name"] for one in packages if one["via"] & found} - found:
        found |= more
    return found


def sign_off(version: str, commit: str, missing: Sequence[str], *, tested: bool) -> str:
    """Return what a person checks before a release is published, and the commands that publish it."""
    left = (
        [f"The checks on Python {', '.join(missing)}, which this machine does not have: see the runs of ci."]
        if missing
        else []
    )
    left += [] if tested else ["Linters and tests were skipped here: ci passed for this commit."]
    checks = [
        *left,
        "CHANGELOG.md says what a user must know, breaking changes first.",
        "README.md reads well where the registry shows it; its links are right.",
        "`jido demo` from the wheel, in an empty directory, is what a stranger should see.",
        "SECURITY.md names a way to report that works.",
        "sbom.cdx.json: no package that you do not know.",
    ]
    return "\n".join(
        [
            f"\nReady: jido-ai {version} from commit {commit[:12]}. Nothing was tagged or published. A person checks:",
            *(f"  [ ] {one}" for one in checks),
            "\nThen tag it; the workflow `release` builds it again, and publishes it once its environment is approved:",
            f"  git tag -s v{version} -m 'jido_ai {version}' {commit}",
            f"  git push origin v{version}",
            "\nOr, without the workflow, with a token of the registry:",
            f"  python -m twine upload dist/jido_ai-{version}-py3-none-any.whl dist/jido_ai-{version}.tar.gz",
        ]
    )


# -- steps -----------------------------------------------------------------------------------------


@contextmanager
def step(name: str) -> Generator[None]:
    print(f"== {name} ...", flush=True)
    began = time.monotonic()
    yield
    print(f"== {name}: {time.monotonic() - began:.1f} s", flush=True)


def call(*command: str | Path, cwd: Path, env: Mapping[str, str] | None = None, quiet: bool = True) -> str:
    """Run a program and return its output.

    Raises:
        SystemExit: it failed; shows the end of what it printed.
    """
    done = subprocess.run(
        command, cwd=cwd, env=env, text=True, check=False,
        stdout=subprocess.PIPE if quiet else None, stderr=subprocess.STDOUT if quiet else None,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{(done.stdout or '')[-3000:]}\nrelease: status {done.returncode} of {' '.join(map(str, command))}")
    return done.stdout or ""


def python_for(version: str) -> str | None:
    """Return an interpreter of a version that works; None if the machine has none."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for candidate in (f"python{version}", *map(str, sorted(home.glob(f"{version}.*/bin/python")))):
        try:
            done = subprocess.run(
                [candidate, "-c", "import venv, sys; print(sys.executable)"],
                capture_output=True,
                text=True,
                check=False,
            )
        except OSError:
            continue
        if done.returncode == 0:
            return done.stdout.strip()
    return None


def members(archive: Path) -> dict[str, bytes]:
    """Return the files of a wheel, or of an sdist without its top directory."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist()}
    found = {}
    with tarfile.open(archive) as sdist:
        for member in sdist.getmembers():
            if (file := sdist.extractfile(member)) is not None:
                found[member.name.partition("/")[2]] = file.read()
    return found


def try_in_an_empty_environment(python: str, artifact: Path, version: str, folder: Path) -> None:
    """Install an artifact alone, then with `[cli]`, and use it in a directory that is not the repository."""
    home = folder / "home"
    home.mkdir(parents=True)
    call(python, "-m", "venv", folder / "env", cwd=home)
    inside = folder / "env" / "bin"
    install = (inside / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check")
    bare = {"HOME": str(home), "PATH": f"{inside}{os.pathsep}{os.defpath}", "TMPDIR": str(folder)}
    call(*install, artifact, cwd=home)
    more = "{'jido_ai.cli', 'jido_ai.serve', 'jido_ai.mcp', 'jido_ai.integrations', 'jido_ai.improve'}"
    probe = PROBE.replace("EXPECTED", repr(version)).replace("NEEDS_MORE", more)
    said = call(inside / "python", "-c", probe, cwd=home, env=bare).strip()
    call(*install, f"{artifact}[cli]", cwd=home)
    shown = call(inside / "jido", "--version", cwd=home, env=bare).strip()
    if shown != version:
        sys.exit(f"release: jido --version says {shown!r}, expected {version!r}")
    demo = call(inside / "jido", "demo", cwd=home, env=bare).strip().splitlines()
    print(f"   {artifact.suffix}: {said}; jido {shown}; jido demo: {len(demo)} lines, the last: {demo[-1].strip()}")


def checked_source(clone: Path) -> tuple[str, str]:
    """Return version and date of a clone whose files agree about them.

    Raises:
        SystemExit: they do not.
    """
    version = version_of((clone / "jido_ai" / "__init__.py").read_text("utf-8"))
    try:
        date = changelog_date((clone / "CHANGELOG.md").read_text("utf-8"), version)
    except ValueError as error:
        sys.exit(f"release: {error}")
    if f"version: {version}\n" not in (clone / "CITATION.cff").read_text("utf-8"):
        sys.exit(f"release: CITATION.cff has another version than {version}")
    return version, date


def check_contents(artifact: Path, package: set[str], paths: Sequence[str]) -> None:
    """Check the members of a wheel or sdist: all of the package, and in a wheel nothing else.

    Raises:
        SystemExit: something is wrong; lists the first 20.
    """
    files = members(artifact)
    needed = set(package)
    if artifact.suffix != ".whl":
        needed |= {"pyproject.toml", "README.md", "CHANGELOG.md"}
    told = complaints(files, expected=needed, paths=paths)
    if artifact.suffix == ".whl":
        others = (one for one in files.keys() - package if not re.match(r"jido_ai-[^/]+\.dist-info/", one))
        told += [f"{one} is not of the package" for one in sorted(others)]
    if told:
        sys.exit(f"release: {artifact.name}: " + f"\nrelease: {artifact.name}: ".join(told[:20]))
    print(f"   {artifact.name}: {len(files)} files, {artifact.stat().st_size / 1e6:.1f} MB")


def hand_over(built: Path, out: Path) -> None:
    """Write the checksums, and put all files in the place of those of an earlier call."""
    sums = [f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.name}\n" for one in sorted(built.iterdir())]
    (built / "SHA256SUMS").write_text("".join(sums), "utf-8")
    out.mkdir(parents=True, exist_ok=True)
    for old in (*out.glob("jido_ai-*"), out / "sbom.cdx.json", out / "SHA256SUMS"):
        old.unlink(missing_ok=True)
    for one in built.iterdir():
        shutil.copy(one, out)
    print("   " + "   ".join(sums).rstrip())


def release(out: Path, *, skip_tests: bool) -> None:
    """Carry out all steps; see the module."""
    commit = call("git", "rev-parse", "HEAD", cwd=ROOT).strip()
    if changed := call("git", "status", "--porcelain", cwd=ROOT).splitlines():
        print(f"== {len(changed)} changed files are not committed, so they are not in the release")
    with tempfile.TemporaryDirectory(prefix="release-") as name:
        work = Path(name)
        clone, built = work / "clone", work / "built"
        with step("a clean clone"):
            call("git", "clone", "-q", "--no-hardlinks", ROOT, clone, cwd=work)
            call("git", "checkout", "-q", commit, cwd=clone)
            version, date = checked_source(clone)
            package = set(call("git", "ls-files", "jido_ai", cwd=clone).splitlines())
        if not skip_tests:
            with step("linters and tests"):
                call("make", "lint", "test", f"PY={sys.executable}", cwd=clone, quiet=False)
        tools = work / "tools" / "bin" / "python"
        with step("the tools, from locked requirements"):
            call(sys.executable, "-m", "venv", work / "tools", cwd=work)
            locks = ("--no-deps", "--require-hashes", "-r", clone / "tests" / "release_requirements.txt")
            call(tools, "-m", "pip", "install", "-q", "--disable-pip-version-check", *locks, cwd=work)
        with step("wheel and sdist"):
            when = call("git", "log", "-1", "--format=%ct", cwd=clone).strip()
            environment = {**os.environ, "SOURCE_DATE_EPOCH": when}
            call(tools, "-m", "build", "--no-isolation", "--outdir", built, clone, cwd=work, env=environment)
            artifacts = sorted(built.iterdir())
            call(tools, "-m", "twine", "check", "--strict", *artifacts, cwd=work)
            for artifact in artifacts:
                check_contents(artifact, package, (str(ROOT), str(work)))
        pythons = {wanted: python_for(wanted) for wanted in PYTHONS}
        for wanted, python in pythons.items():
            if python is None:
                print(f"== Python {wanted} is not on this machine: skipped")
                continue
            with step(f"empty environments of Python {wanted}"):
                for artifact in artifacts:
                    try_in_an_empty_environment(python, artifact, version, work / f"{wanted}{artifact.suffix}")
        with step("SBOM and checksums"):
            project = tomllib.loads((clone / "pyproject.toml").read_text("utf-8"))["project"]
            document = sbom((clone / "requirements.lock").read_text("utf-8"), project, version, date)
            (built / "sbom.cdx.json").write_text(json.dumps(document, indent=1) + "\n", "utf-8")
            call(tools, "-c", _VALIDATE, built / "sbom.cdx.json", cwd=work)
            hand_over(built, out)
    missing = [wanted for wanted, python in pythons.items() if python is None]
    print(sign_off(version, commit, missing, tested=not skip_tests))


_VALIDATE: Final = """
import sys
from pathlib import Path
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
sys.exit(JsonStrictValidator(SchemaVersion.V1_6).validate_str(Path(sys.argv[1]).read_text("utf-8")))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Build and check a release; nothing is published.")
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    parser.add_argument(
        "--skip-tests", action="store_true", help="leave out linters and tests: ci passed for this commit"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the files of the release go")
    told = parser.parse_args()
    if told.version:
        print(version_of((ROOT / "jido_ai" / "__init__.py").read_text("utf-8")))
    else:
        release(told.out.resolve(), skip_tests=told.skip_tests)


if __name__ == "__main__":
    main()
