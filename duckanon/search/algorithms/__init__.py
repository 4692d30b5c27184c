"""The algorithms, one module each: its name is the word for `--algorithm`, and the first line of its docstring says what it does.

A module that searches the lattice has `search`, a `Search` of `duckanon.search.evaluation.outcome`, and `IS_WALK`: whether it only walks upwards,
so that steps back down may refine its answer. `mondrian` and `local` recode regions, and `duckanon.search.local_recoding` calls them.
"""

from importlib import import_module
from typing import Protocol, cast

from duckanon.search.evaluation.outcome import Search


class LatticeAlgorithm(Protocol):
    """A module that searches the lattice."""

    IS_WALK: bool
    search: Search


def lattice_algorithm(name: str) -> LatticeAlgorithm:
    """The module of an algorithm."""
    return cast(LatticeAlgorithm, import_module(f"{__name__}.{name}"))
