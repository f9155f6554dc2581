"""lagbfs's own files, ``.lagbfs``: all that a search needs, as it lies in memory, so that the file is mapped, not read.

The arrays (sections.py) are

indptr indices values              the rows; of very many, row_ids too: those that have entries
t_indptr t_indices t_values        those of the transpose, unless it is the same, or the matrix is hypersparse
labels, or text and text_ends      integers; or UTF-8, of names or, if the head says so, of JSON; where each ends
native.user, …                     what an engine has prepared for searches, under the engine's name

What is mapped is trusted by the kernels: before that all of it is looked at, once for each file that does not change.
"""

from __future__ import annotations

import json
import secrets
from itertools import pairwise
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from .. import backends, host
from ..algebra.labels import Labels, LaterLabels
from ..algebra.matrix import Matrix
from ..backends import registry
from ..base import checks
from ..errors import FileFormatError, InvalidValueError, LagbfsError
from ..selector import context
from ..storage import csr as csrs
from ..storage.csr import Csr
from ..storage.rows import Rows
from ..storage.store import Store
from . import checked
from .gap import undirected
from .sections import Sections, write_sections
from .stream import Source

__all__ = ["read", "write"]

Array = NDArray[Any]


def read(source: Source, directed: bool | None, trust: bool, mapped: bool) -> Matrix:
    """Return the matrix in a file: mapped if it can be, and looked at unless it is trusted or was looked at before."""
    known = checked.place(source.number) if mapped else None
    data = source.mapped() if mapped else None
    sections = Sections(source, source.read() if data is None else data)
    trusted = trust or (data is not None and checked.is_known(known))
    if not trusted:
        sections.verify()
    try:
        A = _matrix(source, sections, trusted)
    except FileFormatError:
        raise
    except (LagbfsError, ValueError) as error:
        source.fail(f"the file is damaged: {error}")
    if not trusted and data is not None:
        checked.remember(known, source.number)
    return undirected(A) if directed is False and not A.is_symmetric else A


def _matrix(source: Source, sections: Sections, trusted: bool) -> Matrix:
    head = sections.head
    shape = int(head["nrows"]), int(head["ncols"])
    most = checks.MOST_POSITIONS if source.max_vertices is None else source.max_vertices
    if min(shape) < 0 or max(shape) > most:
        source.fail(f"its matrix is {shape[0]} × {shape[1]}, and may have {most} rows or columns")
    csr = _rows(source, sections, shape, "", trusted)
    other = _rows(source, sections, shape[::-1], "t_", trusted) if "t_indptr" in sections else None
    same = None if head["symmetric"] < 0 else bool(head["symmetric"])
    if not trusted:
        _check_transpose(source, csr, other, same)
    rows = Rows(Store(csr, symmetric=same, transpose=other))
    for name in {name.partition(".")[0] for name in sections if "." in name}:
        if registry.is_running(name):
            backends.get(name).adopt(rows, sections.under(name), trusted=trusted)
    labels = _labels(source, sections, shape[0])
    if labels is not None and not trusted:
        labels.names  # noqa: B018 (reads them, or fails)
    return Matrix.from_rows(rows, labels=labels)


def _rows(source: Source, sections: Sections, shape: tuple[int, int], prefix: str, trusted: bool) -> Csr:
    """Return the matrix, or with a prefix the transpose; what its length, and its ends tell is looked at always."""
    nrows, ncols = shape
    indptr, indices = (sections.integers(f"{prefix}{name}") for name in ("indptr", "indices"))
    iso = bool(sections.head["iso"])
    values = sections["values" if iso else f"{prefix}values"]
    ids = sections.integers("row_ids") if "row_ids" in sections else None
    right = len(indptr) == (nrows if ids is None else len(ids)) + 1 and indptr[0] == 0 and indptr[-1] == len(indices)
    if not right or len(values) != (1 if iso else len(indices)):
        source.fail(f"the arrays {prefix}indptr, {prefix}indices and {prefix}values do not fit together")
    if not trusted:
        if values.dtype == np.bool_ and values.view(np.uint8).max(initial=0) > 1:
            source.fail("its booleans are neither true nor false")
        wrong, *_ = host.routines().inspect_rows(indptr, indices, ncols, None, (1, 1, 1))
        if wrong < len(indptr) - 1:
            source.fail(f"row {wrong} of the array {prefix}indices is damaged")
    if ids is None:
        return csrs.make(indptr, indices, values, ncols, iso=iso)
    if not trusted and len(ids) and (ids[0] < 0 or ids[-1] >= nrows or np.any(ids[1:] <= ids[:-1])):
        source.fail("the array row_ids is damaged")
    return csrs.listed(ids, indptr, indices, values, shape, iso=iso)


def _check_transpose(source: Source, csr: Csr, other: Csr | None, same: bool | None) -> None:
    """Raise unless the transpose is that of the matrix, or the matrix its own: by a fingerprint nobody foresees."""
    if other is not None and same is not False:
        source.fail("it has a transpose though it is its own")
    if other is None and not same:
        return  # the transpose is made when it is wanted
    keys = tuple(secrets.randbits(64) | 1 for _ in range(3))
    prints = [_print(part, keys) for part in (csr, csr if other is None else other)]
    if prints[0][0] != prints[1][1]:
        source.fail("the transpose is another matrix's")


def _print(csr: Csr, keys: Any) -> tuple[int, int]:
    bits = None if csr.iso else _bits(csr.values)
    _, print_, turned = host.routines().inspect_rows(csr.indptr, csr.indices, csr.ncols, bits, keys)
    return print_, turned


def _bits(values: Array) -> Array:
    """Return values as unsigned integers; zeros of both signs are the same, and so is NaN of every kind."""
    if values.dtype.kind == "f":
        values = np.where(np.isnan(values), values.dtype.type(np.nan), values + values.dtype.type(0))
    return values.view(f"u{values.dtype.itemsize}")


def _labels(source: Source, sections: Sections, n: int) -> Labels | None:
    if "labels" in sections:
        numbers = sections.integers("labels")
        if len(numbers) != n:
            source.fail(f"there are {len(numbers)} labels for {n} vertices")
        return LaterLabels(n, numbers.tolist)
    if "text" not in sections:
        return None
    text, ends = sections["text"], sections.integers("text_ends")
    if len(ends) != n or text.dtype != np.uint8:
        source.fail(f"there are {len(ends)} labels for {n} vertices")
    decode = _from_json if sections.head["json"] else str

    def names() -> list[Any]:
        data, begins = text.tobytes(), [0, *ends.tolist()]
        if begins != sorted(begins) or begins[-1] != len(data):
            source.fail("the array 'text_ends' is damaged")
        try:
            parts = (data[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(begins))
            return [decode(part) for part in parts]
        except (ValueError, RecursionError) as error:
            source.fail(f"the labels are damaged: {error}")

    return LaterLabels(n, names)


def _from_json(text: str) -> Any:
    return _hashable(json.loads(text))


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def write(file: IO[bytes], A: Matrix) -> None:
    """Write a matrix with its transpose, its labels, and the layout of the engine in use, made if they are not."""
    csr, hyper = A.csr, A.rows.is_hypersparse
    arrays = {} if csr.row_ids is None else {"row_ids": csr.row_ids}
    arrays |= {"indptr": csr.starts, "indices": csr.indices, "values": csr.values}
    if not hyper and not A.is_symmetric:
        other = A.T.csr
        arrays |= {"t_indptr": other.indptr, "t_indices": other.indices}
        arrays |= {} if csr.iso else {"t_values": other.values}
    as_json = False
    if A.labels is not None:
        named, as_json = _written(A.labels)
        arrays |= named
    if A.nrows == A.ncols and not hyper:
        engine = backends.get(context.current().arms()[0].backend)
        arrays |= {f"{engine.name}.{name}": array for name, array in engine.prepared(A.rows).items()}
    symmetric = -1 if hyper else int(A.is_symmetric)
    shape = {"nrows": A.nrows, "ncols": A.ncols}
    write_sections(file, arrays, **shape, symmetric=symmetric, iso=csr.iso, json=as_json)


def _written(labels: tuple[Any, ...]) -> tuple[dict[str, Array], bool]:
    """Return labels as arrays, and whether they are JSON: that is what keeps all but texts and integers."""
    if all(type(label) is int and -(2**63) <= label < 2**63 for label in labels):
        return {"labels": np.array(labels, np.int64)}, False
    as_json = not all(type(label) is str for label in labels)
    texts = [(_as_json(label) if as_json else label).encode("utf-8", "surrogatepass") for label in labels]
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return {"text": np.frombuffer(b"".join(texts), np.uint8), "text_ends": ends}, as_json


def _as_json(label: Any) -> str:
    plain = label.item() if isinstance(label, np.generic) else label
    try:
        text = json.dumps(plain)
        if _from_json(text) == label:
            return text
    except (TypeError, ValueError, RecursionError):
        pass
    raise InvalidValueError(f"A has the label {label!r}, which no file keeps: make a text, a number or a tuple of it")
