"""A pytest plugin for NetworkX's own tests: by module, which calls ran on the backend, which fell back, what passed."""

import json
import logging
import os
from collections import Counter, defaultdict
from pathlib import Path

_USING = "Using backend '%s' for call to '%s' with arguments: %s"
_RAISED = "Backend '%s' raised when calling '%s': %s; "
_LEFT = "Falling back to use 'networkx' instead of '%s' backend for call to '%s' with arguments: %s"

COUNTS = defaultdict(Counter)  # by module: ran, fell back, passed, xfailed, failed
RAN = Counter()  # by function
_module = [""]


class _Counting(logging.Handler):
    def emit(self, record):
        counts = COUNTS[_module[0]]
        if record.msg == _USING and record.args[0] == "lagbfs":
            RAN[record.args[1]] += 1
            counts["ran"] += 1
        elif record.msg.startswith(_RAISED) and record.args[0] == "lagbfs":
            RAN[record.args[1]] -= 1
            counts["ran"] -= 1
            counts["fell back"] += 1
        elif record.msg == _LEFT:
            counts["fell back"] += 1


def pytest_configure(config):
    logger = logging.getLogger("networkx.utils.backends")
    logger.addHandler(_Counting(logging.DEBUG))
    logger.setLevel(logging.DEBUG)
    logger.propagate = False


def pytest_runtest_protocol(item):
    _module[0] = item.module.__name__.removeprefix("networkx.")


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        told = "xfailed" if report.outcome == "skipped" and hasattr(report, "wasxfail") else report.outcome
        COUNTS[_module[0]][told] += 1


def pytest_terminal_summary(terminalreporter):
    kinds = ("ran", "fell back", "passed", "xfailed", "skipped", "failed")
    for module, counts in sorted(COUNTS.items()):
        told = ", ".join(f"{counts[kind]} {kind}" for kind in kinds if counts[kind])
        terminalreporter.write_line(f"{module}: {told}")
    if "NX_COUNTS" in os.environ:
        Path(os.environ["NX_COUNTS"]).write_text(json.dumps({"modules": COUNTS, "functions": +RAN}))
