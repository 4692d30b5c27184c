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
    for column in requirement.sensitive:
        engine.create_table(render("local_recoding/cell_values", f"cell_values_{column}", column=column, places=places))
    if requirement.counts_persons:
        engine.create_table(render("local_recoding/cell_entities", places=places, persons=requirement.persons))
        for column in requirement.sensitive:
            relation = f"cell_value_entities_{column}"
            engine.create_table(render("local_recoding/cell_value_entities", relation, column=column, places=places))
