"""The cells of a local recoding: the sets of quasi-identifier values, which its regions hold whole."""

from collections.abc import Mapping, Sequence
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.privacy.requirement import Requirement


def create_cells(
    engine: Engine,
    attributes: Sequence[Mapping[str, Any]],
    requirement: Requirement,
    keys: Sequence[str] = (),
) -> None:
    """Build `cells` with their sensitive values and persons: by label codes, of which cells have all of `keys`, or by positions in one partition."""
    places = [
        {"name": a["name"], "key": a["key"], "column": a["key"] if keys else a["name"], "is_position": not keys}
        for a in attributes
    ]
    held = [{"key": key, "column": key, "is_position": False} for key in keys] or places
    engine.create_table(render("local_recoding/cells", places=held, measures=requirement.measures, is_one_partition=not keys))
    seen = {f"cell_values_{column}": (f"sensitive_{column}", ["_value", "_value_rows"]) for column in requirement.sensitive}
    if requirement.counts_persons:
        persons = ["_entity", *(f"_entity_{number}" for number in range(2, requirement.persons + 1))]
        seen["cell_entities"] = ("combination_entities", persons)
        for column in requirement.sensitive:
            seen[f"cell_value_entities_{column}"] = (f"sensitive_entities_{column}", ["_value", "_entity"])
    for name, (relation, columns) in seen.items():
        engine.create_table(render("local_recoding/in_cells", name, relation=relation, columns=columns, places=places))
