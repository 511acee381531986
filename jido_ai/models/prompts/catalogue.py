"""The prompts by name, for a user to see and replace. Pure.

A prompt is a system message and the template of a request (`template`), written as one text: the system message, a line
`---`, and the template. A text without that line is a template alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from jido_ai.argument_hints import nearest_name
from jido_ai.errors import ConfigurationError
from jido_ai.models.prompts.critique import (
    CHECKLIST_FORM,
    CHECKLIST_TEMPLATE,
    CRITIQUE_FORM,
    CRITIQUE_ROLE,
    CRITIQUE_TEMPLATE,
    CritiquePrompt,
)
from jido_ai.models.prompts.generation import GENERATION_ROLE, GENERATION_TEMPLATE, GenerationPrompt
from jido_ai.models.prompts.reflection import REFLECTION_ROLE, REFLECTION_TEMPLATE, ReflectionPrompt
from jido_ai.models.prompts.revision import REVISION_FORMS, REVISION_ROLE, REVISION_TEMPLATE, RevisionPrompt
from jido_ai.models.prompts.template import DATA_NOTE

_RULE: Final = re.compile(r"(?m)^---[ \t]*$\n?")


@dataclass(frozen=True, slots=True)
class PromptText:
    """A prompt as its user wrote it; a `system` of None is the usual one."""

    system: str | None
    template: str


@dataclass(frozen=True, slots=True)
class NamedPrompt:
    """A prompt that a user may replace.

    Attributes:
        about: what is asked with it.
        fields: that the template may show, each with what it stands for.
        added: the end of every request, whatever the template says; a critique's also has the guidance of its domain.
        system_end: the end of every system message, whatever its text.
        check: raises `ConfigurationError` for a text that cannot be used.
    """

    about: str
    text: PromptText
    fields: Mapping[str, str]
    added: str
    check: Callable[..., Any]
    system_end: str = DATA_NOTE


_COMMON: Final = {
    "prompt": "the task, as its user wrote it",
    "lessons": "lessons of earlier runs",
    "file": "name and language of a source file",
    "project": "other files of the project",
    "candidate": "the answer so far",
}


def _fields(*names: str, **own: str) -> dict[str, str]:
    return {**{name: _COMMON[name] for name in names}, **own}


PROMPTS: Final[Mapping[str, NamedPrompt]] = {
    "generation": NamedPrompt(
        "Writes a first answer, and further ones that are told what was wrong.",
        PromptText(GENERATION_ROLE, GENERATION_TEMPLATE),
        _fields("prompt", "lessons", findings="what was wrong with earlier answers"),
        "",
        GenerationPrompt.of,
        system_end="",
    ),
    "critique": NamedPrompt(
        "Judges an answer.",
        PromptText(CRITIQUE_ROLE, CRITIQUE_TEMPLATE),
        _fields("prompt", "candidate", "lessons", "file", "project"),
        CRITIQUE_FORM,
        CritiquePrompt.of,
    ),
    "checklist": NamedPrompt(
        "Judges an answer by criteria.",
        PromptText(CRITIQUE_ROLE, CHECKLIST_TEMPLATE),
        _fields("prompt", "candidate", "lessons", "file", "project", criteria="the criteria, numbered"),
        CHECKLIST_FORM,
        partial(CritiquePrompt.of, criteria=("a criterion",)),
    ),
    "revision": NamedPrompt(
        "Improves an answer.",
        PromptText(REVISION_ROLE, REVISION_TEMPLATE),
        _fields(
            "prompt",
            "candidate",
            "lessons",
            "file",
            "project",
            critique="the faults, a line each",
            attempts="earlier revisions that failed, and why",
        ),
        "\nor: ".join(REVISION_FORMS.values()),
        RevisionPrompt.of,
    ),
    "reflection": NamedPrompt(
        "Draws a lesson from an attempt.",
        PromptText(REFLECTION_ROLE, REFLECTION_TEMPLATE),
        dict.fromkeys(("task", "goal", "attempt", "outcome", "candidate", "critique", "errors", "trace", "priors"), ""),
        "The question (it depends on how the attempt ended), and the form of the reply (it depends on the depth).",
        ReflectionPrompt.of,
    ),
}


def named_prompt(name: str) -> NamedPrompt:
    """Return the prompt of that name. Raises `ConfigurationError`, which names the nearest one."""
    if name in PROMPTS:
        return PROMPTS[name]
    near = nearest_name(name, list(PROMPTS))
    hint = f"did you mean {near!r}?" if near else f"known: {', '.join(PROMPTS)}"
    raise ConfigurationError(f"there is no prompt {name!r}; {hint}")


def prompt_as_text(prompt: PromptText) -> str:
    """Return a prompt as one text, which `read_prompt` reads."""
    return prompt.template if prompt.system is None else f"{prompt.system}\n---\n{prompt.template}\n"


def read_prompt(name: str, text: str) -> PromptText:
    """Return the prompt that a user wrote.

    Raises:
        ConfigurationError: the text cannot be used as this prompt; it says why.
    """
    first, *rest = _RULE.split(text.replace("\r\n", "\n"), maxsplit=1)
    prompt = PromptText(first.strip() if rest else None, (rest[0] if rest else first).strip())
    named_prompt(name).check(system=prompt.system, template=prompt.template)
    return prompt
