"""When the device fails: searches are completed, and products computed, by an engine of the host."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from ... import backends
from ...selector import Beamer
from ..protocol import Arm, State
from . import device

if TYPE_CHECKING:
    from ...mask import Mask
    from ...semiring import Semiring
    from ...vector import Vector
    from .graph import Graph
    from .search import Search

NAME = "cupyx"


def go_on_elsewhere(error: BaseException, search: Search | None, state: State, before: State) -> None:
    """Complete a search on the host: from the last complete level or, if that cannot be had, from `before`."""
    if not _recovered(search, state):
        state.back_to(before)
        if state.held:  # levels before that were found on the device
            _start_again(state)
    _finish(error, state)


def search_again(error: BaseException, state: State) -> None:
    """Search on the host from the start, because what the device has found cannot be had."""
    _start_again(state)
    _finish(error, state)


def product_elsewhere(
    error: BaseException, arm: Arm, handle: Graph, vector: Vector, mask: Mask | None, semiring: Semiring
) -> Vector:
    """Compute on the host what the device failed to compute."""
    engine = backends.get(backends.default())
    handle.forget()
    other = next(a for a in engine.arms if a.direction == arm.direction)
    here = None if mask is None else mask.over(mask.vector.to_host())
    result = engine.product(other, engine.load(handle.matrix), vector.to_host(), here, semiring)
    _warn(f"the device failed ({_said(error)}): a product was computed by {engine.name}")
    return result


def _recovered(search: Search | None, state: State) -> bool:
    """Bring the state after the last complete level to the host; return whether that was possible."""
    try:
        if search is None or not search.recover(state):
            return False
    except device.failures():
        return False
    state.held.clear()
    return True


def _start_again(state: State) -> None:
    notes, arms = state.trace.notes, state.arms
    state.back_to(state.afresh())
    state.trace.notes, state.arms = notes, arms
    state.unfold()


def _finish(error: BaseException, state: State) -> None:
    """Complete the search by the other engines it may use, or by the default one; tell about it."""
    from ...bfs import run

    state.matrix.handle(backends.get(NAME)).forget()
    arms = [arm for arm in state.arms if arm.backend != NAME] or backends.get(backends.default()).arms
    note = f"the device failed ({_said(error)}): {arms[0].backend} went on from level {state.level}"
    state.trace.notes.append(note)
    _warn(note)
    state.arms = arms
    state.took(None)
    run(state, Beamer())


def _said(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _warn(note: str) -> None:
    warnings.warn(note, RuntimeWarning, stacklevel=2)
