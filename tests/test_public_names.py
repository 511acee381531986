"""The public names: a small front door, and rooms that have the rest."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from api_pages import listed

import jido_ai

PACKAGE = Path(jido_ai.__file__).parent
PLACES = {
    ".".join(("jido_ai", *path.parent.relative_to(PACKAGE).parts)): path
    for path in (PACKAGE / "__init__.py", *sorted(PACKAGE.glob("*/__init__.py")))
    if listed(path)
}
CONTRACT = {
    "jido_ai": """
        ApprovalNode BlockingPipeline Budget Candidate CandidateGenerated ChainReviser CheckNode ChoiceNode
        ComponentRestarted ConfigurationError CritiqueResult Critiqued Critiquer Declined Episode Finding
        Generator Graph GraphConfig GraphNode GraphResult Issue Iteration JidoError LLMCritiquer LLMGenerator
        LLMReviser LessonsRetrieved Location LoopConfig LoopNode MapNode MemoryEntry NodeResult NotFoundError
        PanelCritiquer Pipeline PytestCritiquer Reflection ReflectionResult Reflector ReflexionMemory Revised
        Reviser RunClaimedError RunContext RunHandle RunStarted RunStopped SUSPEND Scope StepNode StopReason
        StoreError TargetedReviser Tool ToolCritiquer Usage format_for_prompt reflect reflect_sync
    """,
    "jido_ai.actors": """
        Actor ActorDeadError ActorError ActorRef ActorSystem AlreadyPresentError AlreadyRegisteredError
        AlreadyStartedError Ask AskTimeoutError Bounded CallCycleError CallError ChildCounts ChildInfo
        ChildRunningError ChildSpec Continue CountChildren Crashed DeleteChild Down DynamicSupervisor
        Exit ExitReason Exited IdleTimeout Ignore Killed MailboxFullError MaxChildrenError
        NameTakenError NoProc Normal NotFoundError Ok PartitionRef PartitionSupervisor Registry
        RegistryRef RestartChild RestartingError Shutdown StartChild StartError Supervisor
        SupervisorError Task TaskStream TaskSupervisor TaskSupervisorRef TerminateChild ThreadActor
        WhichChildren via
    """,
    "jido_ai.critics": "LLMCritiquer PanelCritiquer PytestCritiquer PytestResult TestExecutor ToolCritiquer",
    "jido_ai.errors": """
        ActorDeadError AskTimeoutError CallError ConfigurationError Declined JidoError NotFoundError
        ParseError RunClaimedError StoreDamagedError StoreError StoreFullError StoreUnavailableError
        StoreVersionError ToolError
    """,
    "jido_ai.events": """
        CandidateGenerated ComponentRestarted Critiqued GraphStarted GraphStopped LessonsRetrieved NodeStarted
        NodeStopped Revised RunStarted RunStopped
    """,
    "jido_ai.graph": "Case Graph",
    "jido_ai.learning": "LearningProgress Maintenance learning_progress maintain",
    "jido_ai.loop": "ErrorInfo Pipeline Regenerate Revise SelfRefine SelfRefineResult Verdict replay",
    "jido_ai.loop.convergence": "accepted cycle minimal_change regression score_plateau severity_plateau",
    "jido_ai.mcp": "create_server",
    "jido_ai.memory": """
        Embedder Link MemoryEntry MemoryKind MemoryQuery MemoryStore ReflexionMemory Scored extract_keywords
        jaccard
    """,
    "jido_ai.models": "Completion CompletionRequest LLMGenerator LanguageModel Message RetryPolicy format_for_prompt",
    "jido_ai.reflection": """
        Episode ErrorClass Event EventType Outcome Reflection Reflector classify_error needs_reflection
    """,
    "jido_ai.revisers": "ChainReviser LLMReviser TargetedReviser",
    "jido_ai.serve": "create_app",
    "jido_ai.testing": "ScriptedModel VirtualClockLoop supervised virtual_run without_waits",
    "jido_ai.tools": "Tool",
}
"""Names that the contract promises, and where they are."""


def loaded_by(code: str) -> set[str]:
    """Return the modules that a fresh process has loaded after `code`, beyond those it began with."""
    program = f"import sys\nbefore = set(sys.modules)\n{code}\nprint(*sorted(set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_the_root_has_at_most_65_names() -> None:
    assert 45 <= len(jido_ai.__all__) <= 65


@pytest.mark.parametrize("place", CONTRACT)
def test_names_of_the_contract_are_importable(place: str) -> None:
    module = import_module(place)
    assert [name for name in CONTRACT[place].split() if not hasattr(module, name)] == []


@pytest.mark.parametrize("place", PLACES)
def test_every_name_that_type_checkers_see_is_importable(place: str) -> None:
    module = import_module(place)
    assert module.__all__ == sorted(listed(PLACES[place]))
    for name, home in listed(PLACES[place]).items():
        value = getattr(module, name)
        assert value is getattr(import_module(home), name)
        assert not isinstance(value, ModuleType), f"{place} has a submodule of the name {name}"


@pytest.mark.parametrize("place", PLACES)
def test_no_submodule_hides_a_public_name(place: str) -> None:
    assert {entry.stem for entry in PLACES[place].parent.iterdir()} & set(listed(PLACES[place])) == set()


@pytest.mark.parametrize("place", PLACES)
def test_importing_a_room_loads_nothing_else(place: str) -> None:
    ours = {name for name in loaded_by(f"import {place}") if name.partition(".")[0] not in sys.stdlib_module_names}
    assert ours == {"jido_ai", "jido_ai.lazy_names", place}


def test_no_name_of_the_root_loads_the_command_line() -> None:
    loaded = loaded_by("from jido_ai import *")
    assert "jido_ai.loop.pipeline" in loaded, "a test of nothing otherwise"
    assert {name for name in loaded if name.startswith("jido_ai.cli")} == set()
    assert loaded & {"typer", "rich", "ruff"} == set()


def test_a_room_shows_its_names_in_dir_before_they_are_loaded() -> None:
    code = "import jido_ai.serve\nassert 'create_app' in dir(jido_ai.serve)"
    assert "jido_ai.serve.app" not in loaded_by(code)


@pytest.mark.parametrize("place", PLACES)
def test_an_unknown_name_is_an_attribute_error(place: str) -> None:
    with pytest.raises(AttributeError, match=rf"'{place}' has no attribute 'no_such_name'"):
        import_module(place).no_such_name  # noqa: B018


def test_a_name_that_left_the_root_is_an_import_error() -> None:
    with pytest.raises(ImportError, match="turn_row"):
        from jido_ai import turn_row  # noqa: F401
