"""Scope: the owner of memories and runs."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import AfterValidator, Field

from jido_ai.values.base import Value

__all__ = ["Scope", "default_scope"]


def _scope_name(value: str) -> str:
    if not 1 <= len(value) <= 255:
        raise ValueError(f"needs 1 to 255 characters, got {len(value)}")
    return value


class Scope(Value):
    """Tenant and project that own the data. Scopes never see each other's data."""

    tenant: Annotated[str, AfterValidator(_scope_name)] = Field(default="default", kw_only=False)
    project: Annotated[str, AfterValidator(_scope_name)] = Field(default="default", kw_only=False)


_DEFAULT_SCOPE: Final = Scope()


def default_scope() -> Scope:
    return _DEFAULT_SCOPE
