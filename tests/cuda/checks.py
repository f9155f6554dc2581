"""All checks of the kernels. A program too, which a sanitizer can watch and a seeded bug may bring down:

    python tests/cuda/checks.py '{"sanitizer": "thread", "block": 64, "order": "random"}'
"""

from __future__ import annotations

import json
import sys

import product_checks
import search_checks
from machine import Machine

CHECKS = [
    search_checks.check_scans,
    search_checks.check_conversions,
    search_checks.check_empty_frontier,
    search_checks.check_searches,
    product_checks.check_products,
]


def run_all(machine: Machine) -> None:
    """Raise at the first thing that is wrong."""
    for check in CHECKS:
        check(machine)


if __name__ == "__main__":
    run_all(Machine(**json.loads(sys.argv[1])))
