"""The whole contract between whoever asks for products and searches, selectors, and engines."""

from .arm import DIRECTIONS, Arm
from .backend import Backend, BackendInfo
from .expansion import expanded
from .features import FEATURES, FORMS, Features, GraphSizes, MatrixFeatures, ProductFeatures
from .flat import START, Flat, FlatBeamer, FlatCosts, FlatFixed, FlatNode, FlatScript, FlatTree
from .fused import Fused
from .many import WAYS, ManyFound, ManyWanted
from .part import Part
from .selector import Figures, Selector, check_choice
from .state import Held, State
from .trace import Step, Trace, features_before

__all__ = [
    "DIRECTIONS",
    "FEATURES",
    "FORMS",
    "START",
    "WAYS",
    "Arm",
    "Backend",
    "BackendInfo",
    "Features",
    "Figures",
    "Flat",
    "FlatBeamer",
    "FlatCosts",
    "FlatFixed",
    "FlatNode",
    "FlatScript",
    "FlatTree",
    "Fused",
    "GraphSizes",
    "Held",
    "ManyFound",
    "ManyWanted",
    "MatrixFeatures",
    "Part",
    "ProductFeatures",
    "Selector",
    "State",
    "Step",
    "Trace",
    "check_choice",
    "expanded",
    "features_before",
]
