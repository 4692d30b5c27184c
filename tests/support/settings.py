"""Keys of a job on the command line."""

from collections.abc import Mapping
from typing import Any

import yaml

from duckanon.job.options import Options

KEYS = {
    "accept": "accept",
    "aggregate": "recoding.aggregate",
    "decide_on": "decide-on",
    "k_column": "privacy",
    "linkable": "linkable",
    "max_loss": "columns.{}.max-loss",
    "max_nodes": "recoding.max-nodes",
    "missing_policy": "missing.policy",
    "objective": "recoding.objective",
    "partition_by": "output.partition-by",
    "population_size": "population-size",
    "refine": "recoding.refine",
    "shuffle": "output.shuffle",
    "suppress": "suppression.style",
    "suppress_isolated": "suppression.isolated",
    "weight": "recoding.weights.{}",
}
"""The keys that helpers of tests take as keyword arguments."""


def setting(*path: str, value: Any) -> list[str]:
    """`--set` with a key of any names and any value."""
    key = ".".join('"' + part.replace('"', '""') + '"' for part in path)
    text = (
        yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=2**31 - 1).strip().removesuffix("...").strip()
    )
    return ["--set", f"{key}={text}"]


def options_of(**options: Any) -> Options:
    """The options of a call; see `keywords_of`."""
    return Options(**keywords_of(**options))


def keywords_of(*, set: Mapping[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    """Keyword arguments, those of `KEYS` as keys of the job in `set`."""
    keys: dict[str, Any] = dict(set or {})
    for name in [name for name in options if name in KEYS]:
        value = options.pop(name)
        if name == "k_column":
            value = None if value is None else [{"model": "k-anonymity", "k-column": value}]
        if isinstance(value, Mapping):
            keys |= {KEYS[name].format(f'"{column}"'): each for column, each in value.items()}
        elif value not in (None, ()):
            keys[KEYS[name]] = value
    return options | ({"set": keys} if keys else {})
