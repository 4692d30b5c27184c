"""The size of the suites: while working, in CI, before a release."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, settings


@dataclass(frozen=True)
class Level:
    """The size of every suite that has one."""

    examples: int
    """Tables that Hypothesis draws for a property."""
    cases: int
    """Hostile cases of `tests/trust/fuzz`, over all of its tests."""
    is_random: bool
    """Whether each run draws other examples and cases: before a release; CI must not fail by chance."""
    kill_every: int
    """A run is killed at each step, or at every so many."""
    cases_of: Mapping[str, int]
    """By folder: the most parameter sets of a test, the first ones."""
    tests_of: Mapping[str, int]
    """By folder: the most tests of a module, the first ones."""
    cells: int
    """Cells of each column that a test overwrites, one after the other, in each form of a release."""
    left_out: tuple[str, ...]
    """The markers of tests that do not run."""


LEVELS = {
    "check": Level(
        examples=6,
        cases=200,
        is_random=False,
        kill_every=9,
        cases_of={"proof": 1, "spark": 1, "trust": 1, "commands": 1},
        tests_of={"proof": 3},
        cells=2,
        left_out=("slow", "thorough"),
    ),
    "ci": Level(
        examples=12,
        cases=300,
        is_random=False,
        kill_every=5,
        cases_of={"proof": 2, "spark": 1, "trust": 1, "commands": 3},
        tests_of={},
        cells=2,
        left_out=("thorough",),
    ),
    "prove": Level(examples=200, cases=10_000, is_random=True, kill_every=1, cases_of={}, tests_of={}, cells=10, left_out=()),
}

_chosen: list[str] = []


def choose(name: str) -> None:
    """Set the level of this process, before any test module is imported."""
    _chosen[:] = [name]
    settings.register_profile(
        name,
        max_examples=LEVELS[name].examples,
        deadline=None,
        derandomize=not LEVELS[name].is_random,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    settings.load_profile(name)


def current() -> Level:
    """The level of this process."""
    return LEVELS[_chosen[0]]


def at_most(examples: int) -> int:
    """So many examples of a property whose runs are long, and never more than the level draws."""
    return min(examples, current().examples)


def sampled(values: Sequence[Any], sample: Sequence[Any]) -> list[Any]:
    """Values of a parameter, of which only those of the sample run below level `prove`."""
    assert all(value in values for value in sample)
    return [value if value in sample else pytest.param(value, marks=pytest.mark.thorough) for value in values]


def spread(*axes: Sequence[Any], turns: int = 1) -> list[Any]:
    """All combinations of some parameters; below level `prove` only as many that each value of each parameter occurs in `turns` of them.

    A turn goes along all axes at once, and each later turn combines the values in another way.
    """
    longest = max(map(len, axes))
    kept = {
        tuple((step + turn * at) % len(axis) for at, axis in enumerate(axes))
        for turn in range(turns)
        for step in range(longest)
    }
    combined = product(*(range(len(axis)) for axis in axes))
    return [
        pytest.param(
            *(axis[at] for axis, at in zip(axes, places, strict=True)), marks=() if places in kept else pytest.mark.thorough
        )
        for places in combined
    ]
