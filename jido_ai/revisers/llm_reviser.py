"""A reviser that is a language model."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, get_args

from jido_ai.components.component import check_max_concurrency, check_revise_call
from jido_ai.components.readings import current_readings
from jido_ai.errors import ConfigurationError, Declined, describe
from jido_ai.models.calls import AsksModel, EchoError, ModelCaller, answered_candidate, varied
from jido_ai.models.defaults import DefaultFloat
from jido_ai.models.own_prompts import own_prompt
from jido_ai.models.prompts.revision import (
    EDITS_ABOVE,
    SCHEMAS,
    SHAPES,
    Form,
    RevisionPrompt,
    read_edits,
    read_json,
    read_revision,
    read_text,
)
from jido_ai.models.prompts.source_file import SourceFile, source_file
from jido_ai.models.prompts.template import MAX_CHARS
from jido_ai.models.reply_limits import text_tokens
from jido_ai.protocols import AnyModel, RunContext
from jido_ai.text.change import unified_diff
from jido_ai.text.output_type import output_type
from jido_ai.values import Candidate, CritiqueResult, Iteration

Format = Literal["auto", "text", "json", "edits"]
_READERS: Final = {"text": read_text, "json": read_revision, "edits": read_edits}
_TEMPERATURE: Final = DefaultFloat(0.5)
_DIFF_ON_THE_LOOP: Final = 2_000


class LLMReviser(AsksModel):
    """Asks a model for a better candidate, from one and its critique.

    metadata of the revision: `diff` (unified, "" when nothing changed), `changes_made` (computed for a text; as the
    model tells them in JSON), `parts_preserved`, `model`. `reasoning` has the changes in one line. A reply that cannot
    be read is requested once more; half a text is never taken, nor one with a new placeholder such as "rest of the code
    unchanged" or an emptied function. Line ends, byte order mark, shebang, coding line and licence header of the
    candidate are put back. The request says which earlier revisions failed, and why.

    In a run whose answers have a type (`RunContext.output`) it asks for JSON of its schema, and of the reply takes only
    the branches that have a finding; all others stay as they are, byte for byte. A finding without a JSON path as
    `location.path` is about the whole.

    If the file name or the language is known, the request names them. With edits, every search text must occur exactly
    once; otherwise no edit is applied, the reply counts as unreadable, and it is requested once more.

    Args:
        model: a `LanguageModel`, a function of a request, or a name such as "openai:gpt-4o-mini".
        preserve_correct: tell the model to leave everything else unchanged.
        temperature, seed: as in `CompletionRequest`. The default temperature is 0.5; a model that refuses it is asked
            without one.
        max_tokens: limit of the reply; None is half a token per character of the candidate, at least 2,000.
        timeout_s: seconds for one whole answer; None is no limit, only limits of silence (see `HttpOptions`).
        template: replaces the default request; shows $candidate and $critique, and may show $prompt, $lessons, $file,
            $project and $attempts (earlier revisions that failed; without it they are added to $critique).
        system: replaces the default role. The format of the reply is always added.
        max_chars: of each text that goes out. A candidate that is longer is not revised at all: what the model does not
            see would be lost.
        name: the model's, in errors; by default its own.
        max_concurrency: how many candidates are revised at once; None is no limit.
        path: name of the file that the candidate is the text of; by default the run's metadata["path"], if any.
        language: of that file, such as "python"; by default the run's metadata["language"], else what the ending of
            `path` says.
        project: other files of the project, by path, for reference; shown as long as they have 8,000 characters or
            fewer together, by name otherwise.
        format: how a revision comes back: "text", the improved text alone; "json", an object that holds it; "edits",
            search and replace; "auto", edits for a source file longer than `edits_above`, else text.
        edits_above: characters.
        output: type of the answer, as in `Pipeline`, where the run has none.

    Raises:
        ConfigurationError: a setting is invalid.
        AuthenticationError: the named model's provider needs a key and there is none.
    """

    name = "llm"

    def __init__(
        self,
        model: AnyModel,
        preserve_correct: bool = True,
        *,
        temperature: float | None = _TEMPERATURE,
        max_tokens: int | None = None,
        seed: int | None = None,
        timeout_s: float | None = None,
        template: str | None = None,
        system: str | None = None,
        max_chars: int = MAX_CHARS,
        name: str | None = None,
        max_concurrency: int | None = None,
        path: str | None = None,
        language: str | None = None,
        project: Mapping[str, str] | None = None,
        format: Format = "auto",
        edits_above: int = EDITS_ABOVE,
        output: object = None,
    ) -> None:
        if format not in get_args(Format):
            raise ConfigurationError(f"format must be one of {', '.join(get_args(Format))}, got {describe(format)}")
        if isinstance(edits_above, bool) or not isinstance(edits_above, int) or edits_above < 0:
            raise ConfigurationError(f"edits_above must be a whole number of at least 0, got {describe(edits_above)}")
        self._source_of = functools.partial(source_file, path, language, project)
        self._source_of()  # refuses what can never work
        self._output = None if output is None else output_type(output)
        self._temperature = temperature
        self._format: Format = format
        self._edits_above = edits_above
        template, system = own_prompt("revision", template, system)
        self._prompt = RevisionPrompt.of(
            preserve_correct=preserve_correct, template=template, system=system, max_chars=max_chars
        )
        self.max_concurrency = check_max_concurrency(max_concurrency)
        self._model = ModelCaller(
            model,
            component="reviser",
            timeout_s=timeout_s,
            temperature=temperature,
            max_tokens=max_tokens,
            seed=seed,
            name=name,
        )

    def _form_for(self, source: SourceFile | None, length: int) -> Form:
        if self._format != "auto":
            return self._format
        return "edits" if source is not None and length > self._edits_above else "text"

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        """Ask for a revision.

        Raises:
            ConfigurationError: an argument is of another type.
            Declined: the candidate is longer than `max_chars`, or the model only repeats placeholders of the request.
            ParseError: the second reply cannot be read either, or its edits cannot be applied.
            TruncatedError, RefusalError, ModelError: see `ModelCaller.ask`.
            BudgetExceededError: the call would exceed the run's budget.
        """
        check_revise_call(candidate, critique, context)
        length, limit = len(candidate.content), self._prompt.max_chars
        if length > limit:
            raise Declined(f"the candidate has {length} characters; the model is shown {limit} (max_chars)")
        # a stand-in for a context may have fewer fields
        setbacks: Sequence[Iteration] = getattr(context, "setbacks", ())
        attempts: Sequence[Iteration] = getattr(context, "attempts", ())
        source = self._source_of(metadata=getattr(context, "metadata", {}))
        given: object = getattr(context, "output", None)
        output = self._output if given is None else output_type(given)
        form = self._form_for(source, length) if output is None else "text"
        make = functools.partial(
            self._prompt.messages,
            context.prompt,
            candidate.content,
            critique,
            context.lessons,
            setbacks,
            attempts=attempts,
            source=source,
            form=form,
        )
        # comparing texts takes a while
        messages = await asyncio.to_thread(make) if setbacks or attempts else make()
        is_file = source is not None and source.is_code
        if output is None:
            read = functools.partial(_READERS[form], candidate=candidate, is_file=is_file)
            schema, shape = SCHEMAS[form], SHAPES[form]
        else:
            known = current_readings.get()
            read = functools.partial(read_json, output=output, candidate=candidate, critique=critique, known=known)
            schema, shape = None, ""
        try:
            answer = await self._model.ask(
                messages,
                read,
                context,
                schema=schema,
                shape=shape,
                default_tokens=text_tokens(length),
                temperature=varied(self._temperature, context),
                output=output,
            )
        except EchoError as error:
            raise Declined(str(error)) from None
        revision, warnings = answer.value
        text = revision.improved_response
        if max(length, len(text)) > _DIFF_ON_THE_LOOP:
            diff = await asyncio.to_thread(unified_diff, candidate.content, text)
        else:
            diff = unified_diff(candidate.content, text)
        metadata: dict[str, Any] = {
            **answer.metadata,
            "changes_made": list(revision.changes_made),
            "parts_preserved": list(revision.parts_preserved),
            "diff": diff,
        }
        if warnings:
            metadata["warnings"] = [*metadata.get("warnings", ()), *warnings]
        return answered_candidate(
            text, answer, metadata, parent_id=candidate.id, reasoning="; ".join(revision.changes_made) or None
        )
