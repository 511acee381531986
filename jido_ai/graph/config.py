"""GraphConfig: limits of a graph's runs and the supervision of its nodes. Pure."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from jido_ai.values import Budget, Count, Positive, Value


class GraphConfig(Value):
    """Limits of a graph's runs, and how its nodes are supervised.

    Attributes:
        timeout_s: seconds for a whole run; None is no limit.
        budget: of a whole run, all nodes together.
        max_concurrency: most steps, loops and checks at work at the same time, in all runs of the graph together; None
            is no limit.
        strategy: of the supervisor over the nodes.
        max_restarts, max_seconds: its restart intensity.
    """

    timeout_s: Positive | None = Field(default=None, kw_only=False)
    budget: Budget | None = Field(default=None, kw_only=False)
    max_concurrency: Annotated[int, Field(strict=True, ge=1)] | None = Field(default=None, kw_only=False)
    strategy: Literal["one_for_one", "one_for_all", "rest_for_one"] = Field(default="one_for_one", kw_only=False)
    max_restarts: Count = 200
    max_seconds: Positive = 1.0
