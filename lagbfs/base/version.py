"""The version of lagbfs."""

__all__ = ["VERSION"]

VERSION = "0.1.0"
