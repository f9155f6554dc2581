"""How the arm for each product is picked."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..backends.protocol import Selector
from .architectures import Cross, Strategy
from .elsewhere import forget_experience, load_experience, save_experience
from .learned import Learned
from .learning import Learning
from .policies import Beamer, Fixed, Oracle, Script
from .registry import names, register, unregister
from .thresholds import Relay, Switch, Threshold
from .totem import Totem

if TYPE_CHECKING:
    from .costmodel import CostModel
    from .switchpoint import SwitchPoint
    from .tree import DecisionTree

__all__ = [
    "Beamer",
    "CostModel",
    "Cross",
    "DecisionTree",
    "Fixed",
    "Learned",
    "Learning",
    "Oracle",
    "Relay",
    "Script",
    "Selector",
    "Strategy",
    "Switch",
    "SwitchPoint",
    "Threshold",
    "Totem",
    "forget_experience",
    "load_experience",
    "names",
    "register",
    "save_experience",
    "unregister",
]

_LATER = {"CostModel": "costmodel", "DecisionTree": "tree", "SwitchPoint": "switchpoint"}  # policies with models


def __getattr__(name: str) -> Any:
    """Load the policies that are seldom used when they are."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_LATER[name]}", __name__), name)
