"""A matrix on the device: each part is sent when an arm first needs it, and stays there with the matrix."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ...base import casts
from ...storage.csr import Csr
from ...storage.rows import Rows
from ...storage.store import Handle
from ..protocol import Arm
from . import device, launch
from .device import cupy, to_device
from .launch import blocks

T = TypeVar("T")
MOST_HUBS = 8192  # whose frontier bits fit into 1 KB of a block's shared memory
# What each arm reads, of the properties of a Graph.
_NEEDS: dict[tuple[str, str], tuple[str, ...]] = {
    **{("push", variant): ("rows",) for variant in ("edges", "vertex", "warp4", "warp8", "warp16", "warp32", "block")},
    ("push", "list"): ("rows", "origins"),
    ("push", "reversed"): ("indptr", "columns", "in_origins"),
    ("pull", "vertex"): ("indptr", "columns"),
    ("pull", "unvisited"): ("indptr", "columns"),
    ("pull", "hubs"): ("indptr", "columns", "hubs"),
}


class PartError(device.NoRoomError):
    """There is no room for a part of the matrix.

    Attributes
    ----------
    arms : frozenset
        Direction and variant of the arms that read it.
    """

    def __init__(self, part: str, said: str) -> None:
        super().__init__(said)
        self.arms = frozenset(name for name, needs in _NEEDS.items() if part in needs)


class Compressed(NamedTuple):
    """Compressed rows; offsets have 64 bits whatever the indices have."""

    indptr: Any
    indices: Any


class Hubs(NamedTuple):
    """The vertices of most out-edges, and the transpose's rows with them first, as ``~number``."""

    vertices: Any
    coded: Any


class Graph(Handle):
    """The parts of a matrix that the device has; `host` is the matrix there.

    All parts are on one device, which was current when the first was sent. `told` says whether a user has been warned
    that it has not enough room.
    """

    def __init__(self, host: Rows) -> None:
        self.host = host
        self.told = False
        self._device: int | None = None
        self._parts: dict[Any, Any] = {}
        self._ready: set[Arm] = set()
        self._lock = threading.RLock()

    @property
    def index(self) -> np.dtype[Any]:
        """The dtype of vertices, in all parts: that of the matrix's indices, whatever its offsets have."""
        return self.host.index_dtype

    @property
    def kernels(self) -> launch.Module:
        """The kernels that walk over such indices."""
        return launch.module("traversal", self.index)

    def guard(self) -> Any:
        """Return the context in which the matrix's device is current; the first time, that is the one that is."""
        with self._lock:
            if self._device is None:
                self._device = cupy().cuda.Device().id
        return cupy().cuda.Device(self._device)

    def stay(self, device: int) -> None:
        """Send the matrix to this device, unless some of it was sent to another."""
        with self._lock:
            if self._device is None:
                self._device = device

    @property
    def holds(self) -> bool:
        """Whether the device has something of the matrix."""
        return bool(self._parts)

    @property
    def nbytes(self) -> int:
        """Memory that the parts hold on the device."""
        parts = [*self._parts.values()]  # other threads may be adding some
        arrays = (a for part in parts for a in (part if isinstance(part, tuple) else (part,)))
        return sum({id(a): a.nbytes for a in arrays}.values())

    @property
    def layout(self) -> str:
        """What the device has of the matrix, in words; empty if nothing."""
        return f"{self.nbytes / 1e6:.1f} MB on the device" if self._parts else ""

    def prepare(self, arm: Arm) -> str:
        """Send what an arm needs and is not there yet; return what that took, in words, empty if nothing."""
        if arm in self._ready:
            return ""
        with self._lock:
            began, held = perf_counter(), self.nbytes
            self.kernels.compile()
            for part in _NEEDS[arm.direction, arm.variant]:
                self._have(part)
            self._ready.add(arm)
        sent = self.nbytes - held
        return f"{sent / 1e6:.1f} MB sent to the device, {(perf_counter() - began) * 1e3:.1f} ms" if sent else ""

    def _have(self, part: str) -> None:
        try:
            getattr(self, part)
        except device.no_room() as error:
            raise PartError(part, str(error)) from error

    @property
    def indptr(self) -> Any:
        """Where the rows of the matrix begin: the degrees."""
        return self._part("indptr", lambda: _sent(self.host.csr.indptr, "the graph", np.int64))

    def offsets_of(self, degrees: Any) -> Any:
        """Return where rows of these degrees, which are always the same, would begin."""
        return self._part(
            "offsets", lambda: _sent(np.append(0, np.cumsum(degrees, dtype=np.int64)), "a part", np.int64)
        )

    @property
    def rows(self) -> Compressed:
        """The rows of the matrix: the out-edges."""
        return Compressed(self.indptr, self._part("indices", lambda: self._send_indices(self.host.csr, "the graph")))

    @property
    def columns(self) -> Compressed:
        """The rows of the transpose: the in-edges."""
        if self._is_symmetric:
            return self.rows
        return self._part("columns", lambda: self._send_transpose(self.host.T.csr))

    @property
    def _is_symmetric(self) -> bool:
        return self.host.T.csr is self.host.csr

    @property
    def origins(self) -> Any:
        """The row of each entry of `rows`."""
        return self._part("origins", lambda: self._origins(self.rows))

    @property
    def in_origins(self) -> Any:
        """The row of each entry of `columns`."""
        if self._is_symmetric:
            return self.origins
        return self._part("in_origins", lambda: self._origins(self.columns))

    @property
    def hubs(self) -> Hubs:
        """The hubs, and the in-edges in their terms."""
        return self._part("hubs", self._hubs)

    def values(self, dtype: np.dtype[Any], transposed: bool) -> Any:
        """Return the values of the entries of `rows` or `columns` as `dtype`; one element if they are all the same."""
        other = transposed and not self._is_symmetric
        csr = self.host.T.csr if other else self.host.csr
        what = "the values of the matrix"
        return self._part((dtype, other), lambda: _sent(casts.cast(csr.values, dtype), what, dtype))

    def forget(self) -> None:
        """Give back all that the device holds of the matrix."""
        with self._lock:
            self._parts.clear()
            self._ready.clear()
        with suppress(*device.failures()), self.guard():
            device.give_back()

    def _part(self, key: Any, make: Callable[[], T]) -> T:
        with self._lock:
            if key not in self._parts:
                with self.guard() as there:
                    part = make()
                    there.synchronize()  # other threads may use other streams
                self._parts[key] = part
            found: T = self._parts[key]
            return found

    def _send_transpose(self, csr: Csr) -> Compressed:
        what = "the graph's transpose"
        device.check_room(8 * len(csr.indptr) + self.index.itemsize * csr.nvals, what)
        return Compressed(_sent(csr.indptr, what, np.int64), self._send_indices(csr, what))

    def _send_indices(self, csr: Csr, what: str) -> Any:
        return _sent(csr.indices, what, self.index)

    def _origins(self, rows: Compressed) -> Any:
        edges = len(rows.indices)
        device.check_room(rows.indices.nbytes, "the list of edges")
        origins = cupy().empty(edges, self.index)
        size = len(rows.indptr) - 1
        self.kernels.launch("edge_origins", blocks(edges, launch.SPAN), rows.indptr, size, edges, origins)
        return origins

    def _hubs(self) -> Hubs:
        indptr, indices = self.columns
        n = self.host.nrows
        device.check_room(indices.nbytes + 4 * n, "the graph in terms of its hubs")
        vertices = _of_most_edges(self.host.degrees, min(MOST_HUBS, n))
        number = np.full(n, -1, np.int32)
        number[vertices] = np.arange(len(vertices), dtype=np.int32)
        coded = cupy().empty(len(indices), self.index)
        columns = self.host.ncols
        self.kernels.launch("encode_hubs", blocks(columns), indptr, indices, columns, to_device(number), coded)
        return Hubs(to_device(vertices.astype(self.index)), coded)


def _sent(array: Any, what: str, dtype: Any) -> Any:
    """Return an array on the device, as `dtype`, provided that there is room for it."""
    device.check_room(len(array) * np.dtype(dtype).itemsize, what)
    return to_device(array, dtype)


def _offsets(degrees: Any) -> Any:
    """Return where rows of these degrees begin, and where the last one ends."""
    return np.append(0, np.cumsum(degrees, dtype=np.int64))


def _of_most_edges(degrees: Any, count: int) -> Any:
    """Return the vertices of the highest degrees, highest first."""
    most = np.argpartition(degrees, len(degrees) - count)[len(degrees) - count :] if count else np.zeros(0, np.int64)
    return most[np.argsort(-degrees[most].astype(np.int64), kind="stable")]
