"""The engines that compute products, by name."""

from .. import host
from .protocol import Arm, Backend, BackendInfo, Search
from .registry import available, default, get, names, register, routines, running, unregister
from .search import run

__all__ = [
    "Arm",
    "Backend",
    "BackendInfo",
    "Search",
    "available",
    "default",
    "get",
    "names",
    "register",
    "run",
    "running",
    "unregister",
]

host.provide(routines)
