"""A search over engines: each advances it for as long as the selector keeps to its arms."""

from __future__ import annotations

from . import registry
from .protocol import Selector, State

__all__ = ["run"]


def run(state: State, selector: Selector) -> None:
    """Complete a search.

    Engines ask the selector themselves, and leave the state to others as soon as it is not theirs.
    """
    name = state.arms[0].backend
    while state.goes_on:
        engine = registry.get(name)
        if not engine.writes_levels:
            state.give_up_levels()
        engine.advance(state, selector)
        if state.goes_on:
            name = state.choose(selector).backend
    if not state.stays:
        state.settle()
