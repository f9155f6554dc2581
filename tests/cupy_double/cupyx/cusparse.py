"""What says, by being imported, that cuSPARSE is there."""

__all__ = ()
