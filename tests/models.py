"""Plain models that the tests compare with: dictionaries and loops, nothing shared with the library."""

from collections import deque

import numpy as np


def wrap(value, dtype):
    """Return a number as it is stored in `dtype`: integers wrap, floats end at its bounds, not zero is true."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return bool(value)
    if dtype.kind == "f":
        return float(dtype.type(value))
    if isinstance(value, float):
        low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
        return 0 if value != value else low if value <= low else high if value >= high else int(value)
    bits = 8 * dtype.itemsize
    value = int(value) & (2**bits - 1)
    return value - 2**bits if dtype.kind == "i" and value >> (bits - 1) else value


def index(x, y):
    """Return the dtype of positions beside operands of two dtypes."""
    return np.dtype(np.int32 if np.result_type(x, y) == np.int32 else np.int64)


ADD = {
    "min": min,
    "max": max,
    "plus": lambda x, y: x + y,
    "lor": lambda x, y: bool(x) or bool(y),
    "any": lambda x, y: x,
}
MULTIPLY = {
    "first": lambda x, y: x,
    "second": lambda x, y: y,
    "plus": lambda x, y: x + y,
    "times": lambda x, y: x * y,
    "pair": lambda x, y: 1,
    "land": lambda x, y: bool(x) and bool(y),
}
MULTIPLY_DTYPE = {
    "first": np.result_type,
    "second": np.result_type,
    "plus": np.result_type,
    "times": np.result_type,
    "pair": lambda x, y: np.dtype(np.int64),
    "land": np.result_type,
    "secondi": index,
}


def product_dtypes(name, left, right):
    """Return the dtypes of the terms and of the sums of a product in the semiring `name`."""
    add, multiply = name.split("_")
    term = np.dtype(MULTIPLY_DTYPE[multiply](left, right))
    counted = add == "plus" and term.kind == "b"
    return term, np.dtype(np.int64) if counted else np.dtype(bool) if add == "lor" else term


def product_terms(name, q, A, q_dtype, A_dtype, *, flipped=False):
    """Return for each j the terms q_k ⊗ A_kj, or A_kj ⊗ q_k if flipped, by looking at every pair."""
    multiply = name.split("_")[1]
    term, _ = product_dtypes(name, q_dtype, A_dtype)
    terms = {}
    for (k, j), a in A.items():
        if k in q:
            pair = (a, q[k]) if flipped else (q[k], a)
            value = k if multiply == "secondi" else MULTIPLY[multiply](*(wrap(x, term) for x in pair))
            terms.setdefault(j, []).append(wrap(value, term))
    return terms


def product(name, q, A, q_dtype, A_dtype, *, flipped=False):
    """Return w_j = ⊕_k q_k ⊗ A_kj as a dictionary from j to the set of values that it may have."""
    add = name.split("_")[0]
    _, dtype = product_dtypes(name, q_dtype, A_dtype)
    result = {}
    for j, terms in product_terms(name, q, A, q_dtype, A_dtype, flipped=flipped).items():
        if add == "any":
            result[j] = {wrap(x, dtype) for x in terms}
            continue
        total = terms[0]
        for x in terms[1:]:
            total = ADD[add](total, x)
        result[j] = {wrap(total, dtype)}
    return result


def allowed(mask, size):
    """Return the set of positions that a mask allows."""
    if mask is None:
        return set(range(size))
    found = mask.parent.to_dict()
    inside = {i for i, x in found.items() if mask.structural or x}
    return set(range(size)) - inside if mask.complement else inside


def write(w, t, allow, accum, replace):
    """Return the entries of w after w⟨allow, replace⟩ = w ⊙ t, as the GraphBLAS specification says.

    Section 3.5.4: z is t, or with an accumulator the union of w and t; then z is written where the mask allows.
    """
    z = dict(t)
    if accum is not None:
        z = {i: accum(w[i], t[i]) if i in w and i in t else t.get(i, w.get(i)) for i in w.keys() | t.keys()}
    kept = {} if replace else {i: x for i, x in w.items() if i not in allow}
    return kept | {i: x for i, x in z.items() if i in allow}


def levels(successors, sources, max_depth=None):
    """Return the distance of each vertex from the nearest source, -1 where there is no path."""
    found = [-1] * len(successors)
    queue = deque(sources)
    for v in sources:
        found[v] = 0
    while queue:
        u = queue.popleft()
        if max_depth is not None and found[u] >= max_depth:
            continue
        for v in successors[u]:
            if found[v] < 0:
                found[v] = found[u] + 1
                queue.append(v)
    return found


def smallest_parents(successors, sources):
    """Return for each vertex the smallest of its valid parents."""
    depth = levels(successors, sources)
    parents = [v if depth[v] == 0 else -1 for v in range(len(successors))]
    for u in reversed(range(len(successors))):
        for v in successors[u] if depth[u] >= 0 else ():
            if depth[v] == depth[u] + 1:
                parents[v] = u
    return parents


def valid_parents(successors, sources, parents, max_depth=None):
    """Whether `parents` belongs to a breadth-first search: each parent is one level above, over an edge."""
    depth = levels(successors, sources, max_depth)
    for v, p in enumerate(parents):
        if v in sources:
            good = p == v
        elif depth[v] < 0:
            good = p == -1
        else:
            good = 0 <= p < len(parents) and v in successors[p] and depth[p] == depth[v] - 1
        if not good:
            return False
    return True
