"""Why each level of a search went where it did."""

from __future__ import annotations

from collections.abc import Sequence

from ..backends.protocol import Arm, Features, Selector, Step

__all__ = ["reasons"]


def reasons(trace: Sequence[Step], n: int, m: int, arms: Sequence[Arm], policy: Selector) -> list[str]:
    """Return for each step of a search with `arms` to choose from what the policy says of its choice."""
    directions = {arm.direction for arm in arms}
    if len(directions) == 1:
        return [f"only {directions.pop()} was allowed"] * len(trace)
    why = getattr(policy, "why", lambda _: f"chosen by {type(policy).__name__}")
    found, previous_size, previous_arm = [], 0, None
    for step in trace:
        features = Features(
            n=n,
            m=m,
            frontier_size=step.frontier_size,
            frontier_edges=step.frontier_edges,
            unvisited_size=step.unvisited_size,
            unvisited_edges=step.unvisited_edges,
            level=step.level,
            previous_size=previous_size,
            arm=previous_arm,
        )
        found.append(why(features))
        previous_size, previous_arm = step.frontier_size, step.arm
    return found
