"""Reflecting outside of a run: on an attempt of another agent."""

from __future__ import annotations

from jido_ai.components.component import as_reflection, in_own_context, method_of
from jido_ai.models.spending import enclosing_spending
from jido_ai.protocols import RunContext
from jido_ai.values import Episode, Reflection, new_id


async def reflected_outside(reflector: object, episode: Episode) -> Reflection:
    """Return the reflection on an episode; its calls count for the enclosing account, if there is one."""
    account = enclosing_spending.get()
    context = None
    if account is not None:
        context = RunContext(new_id("reflection"), episode.prompt, scope=episode.scope, meter=account)
    return as_reflection(await in_own_context(method_of(reflector, "reflect"), episode, (), context))
