"""Prompts of the user's own: how they are read from a directory, and which components use them."""

from __future__ import annotations

import contextvars
import json
import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.errors import ConfigurationError
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.own_prompts import prompts_in_use, read_prompts, use_prompts
from jido_ai.models.prompts.catalogue import PROMPTS, PromptText, prompt_as_text, read_prompt
from jido_ai.models.prompts.template import DATA_NOTE
from jido_ai.protocols import RunContext
from jido_ai.reflection.reflector import Reflector
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.testing import ScriptedModel
from jido_ai.values import Candidate, CritiqueResult, Episode

CONTEXT = RunContext(run_id="run", prompt="how far is the moon?")
CANDIDATE = Candidate("384,400")
CRITIQUE = CritiqueResult(severity=0.5, issues=["no unit"])
REPLIES = {
    "generation": "384,400 km",
    "critique": json.dumps({"issues": [], "severity": 0.1}),
    "checklist": json.dumps({"verdicts": [{"criterion": 1, "met": True}]}),
    "revision": "384,400 km",
    "reflection": json.dumps({"root_cause": "r", "problem": "p", "lesson": "name the unit", "confidence": 0.9}),
}


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    use_prompts(None)


def component(name: str, model: ScriptedModel, **texts: Any) -> Callable[[], Awaitable[object]]:
    """Make the component that asks with a prompt; return its call."""
    match name:
        case "generation":
            generator = LLMGenerator(model, **texts)
            return lambda: generator.generate(CONTEXT.prompt, CONTEXT)
        case "critique" | "checklist":
            critiquer = LLMCritiquer(model, criteria=["it has a unit"] if name == "checklist" else (), **texts)
            return lambda: critiquer.critique(CANDIDATE, CONTEXT)
        case "revision":
            reviser = LLMReviser(model, **texts)
            return lambda: reviser.revise(CANDIDATE, CRITIQUE, CONTEXT)
        case _:
            reflector = Reflector(model, strict=True, **texts)
            return lambda: reflector.reflect(Episode(CONTEXT.prompt, CANDIDATE, critique=CRITIQUE))


def own(name: str, system: str | None = "OWN SYSTEM") -> dict[str, PromptText]:
    """Return a prompt of the user's own that shows every field."""
    fields = "\n".join(f"${field}" for field in PROMPTS[name].fields)
    return {name: PromptText(system, f"OWN TEMPLATE\n{fields}")}


async def sent(name: str, **texts: Any) -> tuple[str, str]:
    """Return the system message and the request of a component that is made now."""
    model = ScriptedModel([REPLIES[name]])
    await component(name, model, **texts)()
    system, request = model.requests[0].messages
    return system.content, request.content


# -- which components use them ---------------------------------------------------------------------


@pytest.mark.parametrize("name", PROMPTS)
async def test_a_component_made_afterwards_uses_the_text(name: str) -> None:
    usual = await sent(name)
    use_prompts(own(name))
    system, request = await sent(name)
    assert system.startswith("OWN SYSTEM")
    assert request.startswith("OWN TEMPLATE\n")
    assert "OWN" not in "".join(usual)


@pytest.mark.parametrize("name", PROMPTS)
async def test_a_component_made_before_keeps_its_text(name: str) -> None:
    model = ScriptedModel([REPLIES[name]])
    call = component(name, model)
    use_prompts(own(name))
    await call()
    assert "OWN" not in str(model.requests[0].messages)


@pytest.mark.parametrize("name", PROMPTS)
async def test_a_component_made_with_a_template_or_system_message_uses_that(name: str) -> None:
    given = prompt_as_text(own(name)[name]).partition("---\n")[2].replace("OWN TEMPLATE", "GIVEN")
    use_prompts(own(name))
    system, request = await sent(name, template=given)
    assert (request.startswith("GIVEN\n"), system.startswith("OWN SYSTEM")) == (True, True)
    system, request = await sent(name, system="Be kind.")
    assert (request.startswith("OWN TEMPLATE\n"), system.startswith("Be kind.")) == (True, True)
    assert "OWN" not in "".join(await sent(name, template=given, system="Be kind."))


@pytest.mark.parametrize("name", PROMPTS)
async def test_a_template_without_a_system_message_keeps_the_usual_one(name: str) -> None:
    usual, _ = await sent(name)
    use_prompts(own(name, system=None))
    assert (await sent(name))[0] == usual


async def test_a_critic_with_criteria_uses_the_checklist_prompt_and_one_without_uses_the_critique_prompt() -> None:
    use_prompts(own("checklist"))
    assert "OWN" not in (await sent("critique"))[1]
    use_prompts(own("critique"))
    assert "OWN" not in (await sent("checklist"))[1]


@pytest.mark.parametrize("name", ["critique", "checklist", "revision"])
async def test_the_note_about_data_and_the_form_of_the_reply_are_always_added(name: str) -> None:
    use_prompts(own(name))
    system, request = await sent(name)
    assert system == f"OWN SYSTEM {DATA_NOTE}"
    assert PROMPTS[name].added.split("\nor: ")[0] in request.split("<candidate>")[1]


@pytest.mark.parametrize("system", [None, "Be kind."])
async def test_an_own_system_message_replaces_the_guidance_of_the_domain(system: str | None) -> None:
    use_prompts(own("critique", system=system))
    model = ScriptedModel([REPLIES["critique"]])
    await LLMCritiquer(model, "math").critique(CANDIDATE, CONTEXT)
    assert ("The candidate is mathematics." in model.requests[0].messages[1].content) == (system is None)


def test_prompts_used_in_one_context_are_unknown_to_others() -> None:
    contextvars.copy_context().run(use_prompts, own("critique"))
    assert prompts_in_use() == {}


# -- reading ---------------------------------------------------------------------------------------


def test_files_of_known_names_are_read_and_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "critique.txt").write_bytes("\ufeffBe strict.\r\n---\r\n$candidate\r\n".encode())
    (tmp_path / "revision.txt").write_text("$candidate $critique", "utf-8")
    (tmp_path / "README.md").write_text("about $these texts", "utf-8")
    assert read_prompts(tmp_path) == {
        "critique": PromptText("Be strict.", "$candidate"),
        "revision": PromptText(None, "$candidate $critique"),
    }


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("critiqe.txt", "$candidate", "there is no prompt 'critiqe'; did you mean 'critique'?"),
        ("critique.txt", "$candidate $answer", r"field \$answer is unknown; known are: "),
        ("critique.txt", "$candidate $criteria", r"field \$criteria is unknown"),
        ("critique.txt", "$prompt", r"must show \$candidate"),
        ("checklist.txt", "$candidate", r"must show \$criteria"),
        ("revision.txt", "$candidate", r"must show \$critique"),
        ("reflection.txt", "$candidate", r"must show \$task"),
        ("generation.txt", "costs 5$", "a dollar sign is written"),
        ("generation.txt", "", "not blank"),
        ("generation.txt", "Be brief.\n---\n", "not blank"),
        ("generation.txt", "x" * (64 * 1024 + 1), "longer than 65536 bytes"),
        ("generation.txt", b"\xff$prompt", "utf-8"),
        ("generation.txt", None, "Not a regular file"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_the_reason(
    tmp_path: Path, file: str, text: str | bytes | None, why: str
) -> None:
    if text is None:
        os.mkfifo(tmp_path / file)
    else:
        (tmp_path / file).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ConfigurationError, match=why) as caught:
        read_prompts(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / file}: ")


@pytest.mark.parametrize("target", ["private.txt", "../private.txt", "nowhere/private.txt"])
def test_a_link_out_of_the_directory_is_not_read(tmp_path: Path, target: str) -> None:
    mine = tmp_path / "deep" / "mine"
    mine.mkdir(parents=True)
    (tmp_path / "deep" / "private.txt").write_text("a key", "utf-8")
    (tmp_path / "private.txt").write_text("a key", "utf-8")
    (mine / "generation.txt").symlink_to(mine.parent / target)
    with pytest.raises(ConfigurationError, match=r"generation\.txt: it is a link to another directory"):
        read_prompts(mine)


def test_a_link_within_the_directory_is_read(tmp_path: Path) -> None:
    (tmp_path / "short.md").write_text("Briefly: $prompt", "utf-8")
    (tmp_path / "generation.txt").symlink_to("short.md")
    assert read_prompts(tmp_path)["generation"].template == "Briefly: $prompt"


def test_a_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    (tmp_path / "generation.txt").write_text("$prompt".ljust(64 * 1024), "utf-8")
    assert read_prompts(tmp_path)["generation"].template == "$prompt"


@pytest.mark.parametrize("is_file", [False, True])
def test_a_directory_that_is_not_there_is_refused(tmp_path: Path, is_file: bool) -> None:
    if is_file:
        (tmp_path / "mine").write_text("$prompt", "utf-8")
    with pytest.raises(ConfigurationError, match="there is no such directory of prompts"):
        read_prompts(tmp_path / "mine")


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_written_as_a_text_is_read_again(name: str) -> None:
    assert read_prompt(name, prompt_as_text(PROMPTS[name].text)) == PROMPTS[name].text
    alone = PromptText(None, PROMPTS[name].text.template)
    assert read_prompt(name, prompt_as_text(alone)) == alone


def test_only_the_first_rule_divides_and_an_empty_system_message_is_no_system_message() -> None:
    assert read_prompt("generation", "---\n$prompt\n---\nsigned") == PromptText("", "$prompt\n---\nsigned")
    assert read_prompt("generation", "a --- b\n$prompt") == PromptText(None, "a --- b\n$prompt")
