"""Compiler errors."""

__all__ = ["CompileException"]


class CompileException(Exception):  # noqa: N818 (CuPy's name)
    """As CuPy's."""

    def __init__(self, msg, source, name, options, backend="nvrtc"):
        super().__init__(msg)
