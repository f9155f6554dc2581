"""Policies over two architectures: engines of the host and engines on a device, such as a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .. import backends
from ..backends.protocol import Arm, Features, Selector
from ..base import checks
from ..errors import InvalidValueError
from .thresholds import Relay, Switch

__all__ = ["STRATEGIES", "Cross", "Strategy"]

STRATEGIES = ("TC", "TG", "BC", "BG", "BGC")


@dataclass(frozen=True, slots=True)
class Cross(Selector):
    """The combination of You, Bader and Dehnavi: push on the host, then pull on the device, then push on the device.

    A level is pushed while the frontier has less than 1/m of the edges and less than 1/n of the vertices, and pulled
    otherwise: `m1` and `n1` hold as long as the search is on the host, `m2` and `n2` on the device, from where it does
    not return. It is the `Relay` of the first engine of each kind; where one is missing, the other takes its levels.

    Parameters
    ----------
    m1, n1, m2, n2 : float
        The thresholds M₁, N₁, M₂, N₂ of "Designing a Heuristic Cross-Architecture Combination for Breadth-First
        Search", 2014, algorithm 3. There a regression finds them for each graph; the defaults are Beamer's.

    Examples
    --------
    >>> import lagbfs
    >>> A = lagbfs.graphs.star(100)
    >>> t = lagbfs.bfs(A, 1, backend="reference", selector=lagbfs.selector.Cross(m1=10))  # without a device
    >>> [step.arm.direction for step in t.trace]
    ['push', 'pull', 'pull']
    """

    m1: float = 15
    n1: float = 18
    m2: float = 15
    n2: float = 18

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the first arm of the architecture and direction that the rule picks."""
        host, device = (_engine(arms, on_device=kind) for kind in (False, True))
        first, then = Switch(self.m1, self.n1, host), Switch(self.m2, self.n2, device)
        if host and device:
            return Relay(first, then).choose(features, arms)
        return (first if host or features.arm is None else then).choose(features, arms)

    def why(self, features: Features) -> str:
        """Return the shares that the choice rests on."""
        edges, size = features.frontier_edges / max(features.m, 1), features.frontier_size / max(features.n, 1)
        return f"frontier has {edges:.2%} of the edges and {size:.2%} of the vertices"


@dataclass(frozen=True, slots=True)
class Strategy(Selector):
    """One of the five strategies of Zhang et al., all levels by it.

    Parameters
    ----------
    name : {"TC", "TG", "BC", "BG", "BGC"}
        Push (top-down) or pull (bottom-up), on the host (CPU) or the device (GPU), there also with the hubs in local
        memory: table 2 of "An adaptive breadth-first search algorithm on integrated architectures", 2018.

    Examples
    --------
    >>> import lagbfs
    >>> t = lagbfs.bfs(lagbfs.graphs.grid(3, 3), 0, backend="reference", selector="BC")
    >>> {str(step.arm) for step in t.trace}
    {'reference pull'}
    """

    name: str

    def __post_init__(self) -> None:
        checks.one_of("name", self.name, STRATEGIES)

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the first arm that is of the strategy."""
        direction = "push" if self.name[0] == "T" else "pull"
        on_device, hubs = "G" in self.name, self.name == "BGC"
        for arm in arms:
            if arm.direction == direction and _on_device(arm) == on_device and (arm.variant == "hubs" or not hubs):
                return arm
        needed = f"{direction} on {'a device' if on_device else 'the host'}{', with hubs' if hubs else ''}"
        raise InvalidValueError(
            f"selector {self.name!r} needs an arm for {needed}; there are {', '.join(map(str, arms))}: "
            "name engines of both kinds, as in backend=('native', 'cupyx')"
        )

    def why(self, features: Features) -> str:
        """Return that it was asked for."""
        return "asked for"


def _engine(arms: Sequence[Arm], *, on_device: bool) -> str:
    """Return the first engine of a kind, nothing if there is none."""
    return next((arm.backend for arm in arms if _on_device(arm) == on_device), "")


def _on_device(arm: Arm) -> bool:
    return backends.get(arm.backend).on_device
