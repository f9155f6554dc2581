"""A pytest plugin for NetworkX's own tests: how many calls ran on the backend, by function, and how many fell back."""

import logging
from collections import Counter

RAN, FELL = Counter(), Counter()
_USING = "Using backend '%s' for call to '%s' with arguments: %s"
_RAISED = "Backend '%s' raised when calling '%s': %s; "


class _Counting(logging.Handler):
    def emit(self, record):
        if record.msg == _USING and record.args[0] == "lagbfs":
            RAN[record.args[1]] += 1
        elif record.msg.startswith(_RAISED) and record.args[0] == "lagbfs":
            RAN[record.args[1]] -= 1
            FELL[record.args[1]] += 1


def pytest_configure(config):
    logger = logging.getLogger("networkx.utils.backends")
    logger.addHandler(_Counting(logging.DEBUG))
    logger.setLevel(logging.DEBUG)
    logger.propagate = False


def pytest_terminal_summary(terminalreporter):
    told = terminalreporter.write_line
    told(f"on lagbfs: {sum(RAN.values())} calls of {len(+RAN)} functions, {sum(FELL.values())} fell back")
    told(f"calls: {dict(RAN)}")
