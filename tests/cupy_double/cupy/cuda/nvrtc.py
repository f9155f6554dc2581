"""The run-time compiler, as far as lagbfs asks it."""

__all__ = ["getVersion"]


def getVersion():
    return (13, 0)
