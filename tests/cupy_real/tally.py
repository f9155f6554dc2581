"""How much was computed over CuPy itself: told at the end of a session."""

from collections import Counter
from functools import wraps

from lagbfs.backends.cupyx import Cupyx
from lagbfs.backends.cupyx.search import Search

from .device import SIMULATOR, Simulator

COUNTS = Counter()


def _count(owner, method, what, when=lambda self: True):
    """Count the calls of a method, all of them or those at which something holds."""
    plain = getattr(owner, method)

    @wraps(plain)
    def counted(self, *arguments, **keywords):
        COUNTS[what] += when(self)
        return plain(self, *arguments, **keywords)

    setattr(owner, method, counted)


def start():
    """Count searches, crossings from and to other engines, products and faults."""
    _count(Search, "__init__", "searches")
    _count(Search, "take_over", "crossings", lambda search: search.state.features.level > 0)
    _count(Search, "finish", "crossings", lambda search: search.state.goes_on)
    _count(Cupyx, "product", "products")
    _count(Cupyx, "matrix_product", "products")
    _count(Simulator, "fail", "faults")


def told():
    """Return the counts in words."""
    said = [f"{COUNTS[what]} {what}" for what in ("searches", "crossings", "products", "faults")]
    return f"simulated devices: {', '.join(said)}, {SIMULATOR.launches} launches"
