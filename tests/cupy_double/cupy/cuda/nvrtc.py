"""The run-time compiler, as far as lagbfs asks it."""

__all__ = ["NVRTCError", "getVersion"]


class NVRTCError(RuntimeError):
    """As CuPy's."""


def getVersion():
    return (13, 0)
