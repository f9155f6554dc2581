"""When the device fails: searches are completed, and products computed, by an engine of the host."""

from __future__ import annotations

import logging
import warnings
from typing import Protocol

from ...base import arrays
from ...errors import DeviceWarning
from ...operators.semiring import AnySemiring
from ...storage import forms
from ...storage.csr import Csr
from ...storage.forms import Form
from ...storage.masks import Mask
from ...storage.matrix_masks import MatrixMask
from ...storage.rows import Rows
from .. import registry
from ..protocol import Arm, Backend, Held, State
from ..search import run
from . import device
from .graph import Graph

NAME = "cupyx"
log = logging.getLogger("lagbfs")


class Recoverable(Held, Protocol):
    """A search on the device, as far as it can be brought home."""

    def recover(self) -> bool:
        """Bring home everything, if what is there is the state after the last complete level; return whether it is."""
        ...


def go_on_elsewhere(error: BaseException, state: State, before: State) -> None:
    """Complete a search on the host: from the last complete level or, if that cannot be had, from `before`."""
    if not _recovered(state):
        state.back_to(before)
        if state.held:  # levels before that were found on the device
            _start_again(state)
    _finish(error, state)


def search_again(error: BaseException, state: State) -> None:
    """Search on the host from the start, because what the device has found cannot be had."""
    _start_again(state)
    _finish(error, state)


def product_elsewhere(
    error: BaseException, arm: Arm, handle: Graph, vector: Form, mask: Mask | None, semiring: AnySemiring
) -> Form:
    """Compute on the host what the device failed to compute."""
    engine, other = _stand_in(arm)
    forget(error, handle)
    here = None if mask is None else mask.moved(arrays.to_host)
    result = engine.product(other, engine.load(handle.host), forms.moved(vector, arrays.to_host), here, semiring)
    warn(f"the device failed ({_said(error)}): a product was computed by {engine.name}", error, handle)
    goes_back = arrays.on_device(vector.values) and isinstance(error, device.no_room())
    return forms.moved(result, arrays.to_device) if goes_back else result


def matrix_product_elsewhere(
    error: BaseException | None,
    arm: Arm,
    left: Rows,
    right: Rows,
    mask: MatrixMask | None,
    semiring: AnySemiring,
    threads: int | None,
) -> Csr:
    """Compute on the host a product of two matrices that the device failed to compute or, without an error, cannot."""
    engine, other = _stand_in(arm)
    if error is None:
        log.info("the device has no %s of such matrices under such a mask: computed by %s", semiring, engine.name)
    else:
        gpu = registry.get(NAME)
        for rows in (left, right, right.T):
            forget(error, rows.handle(gpu))
        said = f"the device failed ({_said(error)}): a product of matrices was computed by {engine.name}"
        warn(said, error, left.handle(gpu))
    return engine.matrix_product(other, left, right, mask, semiring, threads=threads)


def searches_one_by_one(error: BaseException, handle: Graph) -> str:
    """Give up searches in step, which the device failed to make, for ordinary ones; return what is told about it."""
    forget(error, handle)
    note = f"the device failed ({_said(error)}): searches are made one after the other"
    warn(note, error, handle)
    return note


def _stand_in(arm: Arm) -> tuple[Backend, Arm]:
    """Return the engine of the host that computes products for the device, and its arm."""
    engine = registry.get(registry.default())
    return engine, next(other for other in engine.arms if other.direction == arm.direction)


def _recovered(state: State) -> bool:
    """Bring the state after the last complete level to the host; return whether that was possible."""
    search: Recoverable | None = state.held.get(NAME)  # type: ignore[assignment]
    try:
        if search is None or not search.recover():
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
    handle = state.rows.handle(registry.get(NAME))
    forget(error, handle)
    arms = [arm for arm in state.arms if arm.backend != NAME] or registry.get(registry.default()).arms
    note = f"the device failed ({_said(error)}): {arms[0].backend} went on from level {state.features.level}"
    state.trace.notes.append(note)
    warn(note, error, handle)
    state.arms = arms
    state.took(None)
    run(state, state.fallback)


def _said(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def warn(note: str, error: BaseException, handle: Graph) -> None:
    """Warn; of what lasts, as a lack of room, once for each matrix, since every search would meet it again."""
    if isinstance(error, device.lasting()):
        if handle.told:
            return
        handle.told = True
    warnings.warn(note, DeviceWarning, stacklevel=2)


def forget(error: BaseException, handle: Graph) -> None:
    """Give up what the device has of a matrix, unless it can still be used."""
    if not isinstance(error, device.lasting()):
        handle.forget()
