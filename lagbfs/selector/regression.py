"""Support vector regression: fitted by scikit-learn, kept as plain numbers, evaluated with NumPy alone.

y(x) = Σ cᵢ exp(−γ ‖u(x) − sᵢ‖²) + b, where u brings each entry of x from its range in the training data to [0, 1]. What
lies outside the range counts as its end, so that nothing is extrapolated, and what never varied counts for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.optional import require
from ..errors import InvalidValueError
from .model_file import Check

__all__ = ["Regression", "fit"]

_MOST_SUPPORT, _LARGEST = 4096, 1e12
_DIGITS = 6  # after the point: a file that is read gives the same function, to the last bit
_KEYS = ("low", "high", "support", "coefficients", "gamma", "intercept")


@dataclass(frozen=True, slots=True, eq=False)
class Regression:
    """A function of several numbers.

    Attributes
    ----------
    low, high : ndarray
        The range of each number in the training data.
    support : ndarray
        The support vectors, scaled, one in each row.
    coefficients : ndarray
        The weight of each support vector.
    gamma, intercept : float
        The width of the kernel, and what is added.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    support: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    gamma: float
    intercept: float

    def __call__(self, x: ArrayLike) -> float:
        """Return the value at a point."""
        squares = ((self.scaled(x) - self.support) ** 2).sum(axis=1)
        return float(self.coefficients @ np.exp(-self.gamma * squares)) + self.intercept

    def scaled(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return points, the range of the training data being [0, 1]."""
        width = self.high - self.low
        inside: NDArray[np.float64] = np.clip(x, self.low, self.high) - self.low
        return inside / np.where(width > 0, width, 1.0)

    def varies(self) -> NDArray[np.bool_]:
        """Return which of the numbers the value depends on."""
        return self.high > self.low

    def content(self) -> dict[str, Any]:
        """Return what is kept of it in a file."""
        arrays = {name: getattr(self, name).tolist() for name in _KEYS[:4]}
        return {**arrays, "gamma": self.gamma, "intercept": self.intercept}

    @classmethod
    def parsed(cls, content: Any, name: str, size: int, check: Check) -> Regression:
        """Return the regression of so many numbers that was kept in a file."""
        kept = check.object(content, name, _KEYS)
        support = check.list(kept["support"], f"support vectors of {name}", 0, _MOST_SUPPORT)
        low, high = (
            np.array(check.numbers(kept[key], f"{key} of {name}", size, -_LARGEST, _LARGEST)) for key in ("low", "high")
        )
        check(bool((low <= high).all()), f"ranges of {name} that are not empty")
        rows = [check.numbers(row, f"a support vector of {name}", size, 0, 1) for row in support]
        return cls(
            low,
            high,
            np.array(rows, float).reshape(len(rows), size),
            np.array(check.numbers(kept["coefficients"], f"coefficients of {name}", len(rows), -_LARGEST, _LARGEST)),
            check.number(kept["gamma"], f"gamma of {name}", 0, _LARGEST),
            check.number(kept["intercept"], f"intercept of {name}", -_LARGEST, _LARGEST),
        )


def fit(x: ArrayLike, y: ArrayLike, *, C: float = 10.0, epsilon: float = 0.1) -> Regression:
    """Return the regression of `y` on the rows of `x`.

    Parameters
    ----------
    x, y : array_like
        Samples in rows, and their values.
    C, epsilon : float
        What an error costs, and the error that costs nothing.

    Examples
    --------
    >>> square = fit([[0], [1], [2], [3]], [0, 1, 4, 9], C=1000, epsilon=0.01)
    >>> round(square([2]), 1)
    4.0
    """
    points, values = np.asarray(x, float), np.asarray(y, float)
    if points.ndim != 2 or not len(points) or values.shape != points.shape[:1]:
        raise InvalidValueError("x must hold at least one sample in its rows, and y a value for each")
    svm = require("sklearn.svm", "learn")
    blank = Regression(points.min(axis=0), points.max(axis=0), np.empty((0, 0)), np.empty(0), 0.0, 0.0)
    scaled = blank.scaled(points)
    gamma = 1 / max(scaled.var() * scaled.shape[1], 1e-6)
    model = svm.SVR(kernel="rbf", C=C, epsilon=epsilon, gamma=gamma).fit(scaled, values)
    support, weights, intercept = (
        np.round(part, _DIGITS) for part in (model.support_vectors_, model.dual_coef_.ravel(), model.intercept_[0])
    )
    return Regression(blank.low, blank.high, support, weights, float(gamma), float(intercept))
