"""The algorithms, one module each: its name is the value of `--algorithm` (`descent` runs within others only), and the first line of its docstring describes it.

A module that searches the lattice defines `search`, a `Search` of `duckanon.search.outcome`, and `IS_WALK`: whether it only moves
upwards, so that `refine` may move its result down again. `duckanon.search.local_recoding` calls `mondrian` and `local`, which recode regions.
"""

from importlib import import_module
from typing import Protocol, cast

from duckanon.search.outcome import Search


class LatticeAlgorithm(Protocol):
    """A module that searches the lattice."""

    IS_WALK: bool
    search: Search


def lattice_algorithm(name: str) -> LatticeAlgorithm:
    """The module of an algorithm."""
    return cast(LatticeAlgorithm, import_module(f"{__name__}.{name}"))
