"""The whole contract between whoever asks for products and searches, selectors, and engines."""

from .arm import DIRECTIONS, Arm
from .backend import Backend, BackendInfo
from .exchange import Exchange, frontier_form
from .expansion import expanded
from .features import FEATURES, FORMS, Features, GraphSizes, MatrixFeatures, ProductFeatures
from .flat import START, Flat, FlatBeamer, FlatCosts, FlatFixed, FlatNode, FlatScript, FlatTree
from .fused import Fused
from .many import WAYS, ManyFound, ManyWanted
from .part import Names, Part, ProductPart
from .search import Search
from .selector import Figures, Selector, check_choice
from .state import Held, State
from .trace import Share, Step, Trace, features_before

__all__ = [
    "DIRECTIONS",
    "FEATURES",
    "FORMS",
    "START",
    "WAYS",
    "Arm",
    "Backend",
    "BackendInfo",
    "Exchange",
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
    "Names",
    "Part",
    "ProductFeatures",
    "ProductPart",
    "Search",
    "Selector",
    "Share",
    "State",
    "Step",
    "Trace",
    "check_choice",
    "expanded",
    "features_before",
    "frontier_form",
]
