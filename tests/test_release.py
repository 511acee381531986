"""The pure parts of `make release`, and the files that the forge reads."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from release import HOSTS, changelog_date, complaints, locked, sbom, sign_off, version_of
from ruamel.yaml import YAML

import jido_ai

ROOT = Path(__file__).parent.parent
FORGE = sorted([*(ROOT / ".github").rglob("*.yml"), ROOT / "CITATION.cff", ROOT / ".pre-commit-hooks.yaml"])
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
LOCK = """\
outer==1.0 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
    # via jido-ai (pyproject.toml)
inner==2.0 ; python_full_version < '3.12' \\
    --hash=sha256:cc
    # via
    #   outer
    #   tester
extra==3.0 \\
    --hash=sha256:dd
    # via jido-ai (pyproject.toml)
tester==4.0 \\
    --hash=sha256:ee
    # via jido-ai (pyproject.toml)
"""
PROJECT: dict[str, Any] = {
    "dependencies": ["outer>=1"],
    "optional-dependencies": {"all": ["jido-ai[more]"], "more": ["extra>=3,<4"], "test": ["tester"]},
}


def read(path: Path) -> Any:
    return YAML(typ="safe").load(path.read_text("utf-8"))


@pytest.mark.parametrize("line", ["__version__ = '1.2.3'", '__version__ = "1.2.3"\nx = 1'])
def test_the_version_is_read_from_the_source(line: str) -> None:
    assert version_of(line) == "1.2.3"


def test_a_source_without_a_version_is_refused() -> None:
    with pytest.raises(ValueError, match="__version__"):
        version_of("version = '1'")


def test_the_changelog_has_a_dated_section_of_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert date.fromisoformat(changelog_date(text, jido_ai.__version__))
    assert "## [Unreleased]" in text


@pytest.mark.parametrize("section", ["## [0.2.0]", "## [0.2.01] - 2026-01-01", "## [0x2.0] - 2026-01-01", ""])
def test_a_changelog_without_a_dated_section_is_refused(section: str) -> None:
    with pytest.raises(ValueError, match=r"## \[0\.2\.0\]"):
        changelog_date(section, "0.2.0")


def test_contents_that_are_right_have_no_complaints() -> None:
    assert complaints({"a": b"x"}, expected={"a"}, paths=["/some/where"]) == []


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, "a is missing"),
        ({"a": b"", "b/__pycache__/c.pyc": b""}, "b/__pycache__/c.pyc is a leftover"),
        ({"a": b"see /some/where/x"}, "a names a path of this machine, /some/where"),
        ({"a": f"https://{HOSTS[0]}/simple".encode()}, f"a names the registry {HOSTS[0]}"),
        ({"a": f"files.{HOSTS[1]}".encode()}, f"a names the registry {HOSTS[1]}"),
    ],
)
def test_contents_that_are_wrong_have_one_complaint_each(files: dict[str, bytes], told: str) -> None:
    assert complaints(files, expected={"a"}, paths=["/some/where"]) == [told]


def test_locked_packages_have_version_digests_and_parents() -> None:
    outer, inner, *_ = locked(LOCK)
    assert outer == {"name": "outer", "version": "1.0", "sha256": ["aa", "bb"], "via": {"jido-ai"}}
    assert inner["via"] == {"outer", "tester"}


def test_both_versions_of_a_package_that_is_locked_twice_are_in_the_sbom() -> None:
    twice = LOCK + "inner==2.1 ; python_full_version >= '3.12' \\\n    --hash=sha256:ff\n    # via outer\n"
    document = sbom(twice, PROJECT, "1.0", "2026-01-02")
    assert [one["version"] for one in document["components"] if one["name"] == "inner"] == ["2.0", "2.1"]
    below = {one["ref"]: one["dependsOn"] for one in document["dependencies"]}
    assert below["pkg:pypi/outer@1.0"] == ["pkg:pypi/inner@2.0", "pkg:pypi/inner@2.1"]


def test_the_sbom_tells_the_library_its_extras_and_its_tests_apart() -> None:
    document = sbom(LOCK, PROJECT, "1.0", "2026-01-02")
    scopes = {one["name"]: one["scope"] for one in document["components"]}
    assert scopes == {"outer": "required", "inner": "required", "extra": "optional", "tester": "excluded"}
    below = {one["ref"]: one["dependsOn"] for one in document["dependencies"]}
    assert below["pkg:pypi/jido-ai@1.0"] == ["pkg:pypi/outer@1.0"]
    assert below["pkg:pypi/tester@4.0"] == ["pkg:pypi/inner@2.0"]
    assert document == sbom(LOCK, PROJECT, "1.0", "2026-01-02")


def test_the_sbom_of_the_project_lists_every_locked_package_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    text = (ROOT / "requirements.lock").read_text("utf-8")
    listed = [one["bom-ref"] for one in sbom(text, project, jido_ai.__version__, "2026-01-02")["components"]]
    assert len(listed) == len(set(listed)) == len(re.findall(r"^[A-Za-z0-9._-]+==", text, re.MULTILINE))


@pytest.mark.parametrize("tested", [True, False])
def test_the_sign_off_has_the_commands_and_names_what_was_left_out(tested: bool) -> None:
    text = sign_off("1.2.3", "c" * 40, ["3.14"], tested=tested)
    assert f"git tag -s v1.2.3 -m 'jido_ai 1.2.3' {'c' * 40}\n" in text
    assert "Python 3.14, which this machine does not have" in text
    assert ("tests were skipped" in text) is not tested


def test_the_citation_has_version_and_date_of_the_release() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert citation["version"] == jido_ai.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert str(citation["date-released"]) == changelog_date(changelog, jido_ai.__version__)


@pytest.mark.parametrize("path", FORGE, ids=lambda path: path.name)
def test_the_files_of_the_forge_are_yaml_and_name_no_registry(path: Path) -> None:
    assert read(path)
    assert not any(host in path.read_text("utf-8") for host in HOSTS)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_has_least_rights_time_limits_and_actions_of_one_major_version(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            assert step.keys() & {"uses", "run"}
            if "uses" in step:
                assert re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|release/v\d+)", step["uses"])
            if "checkout" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


def test_only_the_job_that_publishes_waits_for_a_person_and_it_has_no_token() -> None:
    jobs = read(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    assert jobs["publish"]["environment"] == "release"
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert "secrets." not in (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")


def test_ci_runs_every_supported_python() -> None:
    jobs = read(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]
    assert jobs["quick"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert any(step.get("run") == ".ci/run" for step in jobs["all"]["steps"])


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml")), ids=lambda path: path.name
)
def test_an_issue_form_has_a_name_and_questions_with_labels(path: Path) -> None:
    form = read(path)
    assert form["name"]
    assert form["description"]
    questions = [one for one in form["body"] if one["type"] != "markdown"]
    assert all(one["attributes"]["label"] and one["id"] for one in questions)
