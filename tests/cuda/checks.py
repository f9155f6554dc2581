"""All checks of the kernels. A program too, which a sanitizer can watch and a seeded bug may bring down:

python tests/cuda/checks.py '{"sanitizer": "thread", "block": 64, "order": "random", "checks": ["searches"]}'
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

import dot_checks
import many_checks
import offset_checks
import product_checks
import search_checks
from machine import Machine

CHECKS = {
    "scans": [search_checks.check_scans],
    "conversions": [search_checks.check_conversions],
    "searches": [search_checks.check_empty_frontier, search_checks.check_searches, search_checks.check_most_hubs],
    "runs": [search_checks.check_runs],
    "many": many_checks.CHECKS,
    "products": [product_checks.check_products],
    "dots": [dot_checks.check_dots],
    "offsets": offset_checks.CHECKS,
}


def run(machine: Machine, names: Iterable[str] = CHECKS) -> None:
    """Raise at the first thing that is wrong."""
    for name in names:
        for check in CHECKS[name]:
            check(machine)


if __name__ == "__main__":
    options = json.loads(sys.argv[1])
    names = options.pop("checks", CHECKS)
    run(Machine(**options), names)
