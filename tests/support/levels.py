"""How much the suites do: while working, in CI, before a release."""

from dataclasses import dataclass

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
    parameters: int
    """The most parameter sets of a test in `proof`, `spark` and `trust`, the first ones."""


LEVELS = {
    "check": Level(examples=6, cases=200, is_random=False, kill_every=9, parameters=1),
    "ci": Level(examples=12, cases=300, is_random=False, kill_every=5, parameters=2),
    "prove": Level(examples=200, cases=10_000, is_random=True, kill_every=1, parameters=1_000_000),
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
