"""The outcome of each combination of quasi-identifier values, from which all measures of utility are computed."""

from collections.abc import Mapping, Sequence
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import Statement, render
from duckanon.release.recoding.base import Recoding
from duckanon.search.count import Counted

AttributeParams = Sequence[Mapping[str, Any]]
"""Parameters of each quasi-identifier for the templates."""


def make_outcomes(engine: Engine, counted: Counted, recoding: Recoding) -> AttributeParams:
    """Build `outcomes` and `label_sets`, and `shown_<column>` and `covered_<column>` for each quasi-identifier, from the verified classes of the file."""
    levels = recoding.levels
    attributes = [
        {
            "name": attribute.name,
            "number": number,
            "least": attribute.min_level,
            "least_key": attribute.key(attribute.min_level),
            "height": attribute.height,
            "domain": marginal.domain,
            "is_range": attribute.name in recoding.cut_names,
            **({"level": levels[attribute.name], "key": attribute.key(levels[attribute.name])} if levels else {}),
        }
        for number, (attribute, marginal) in enumerate(zip(counted.attributes, counted.marginals, strict=True), start=1)
    ]
    template = "utility/outcomes_of_regions" if recoding.is_regional else "utility/outcomes_of_node"
    engine.create_table(render(template, "outcomes", attributes=attributes), stage="comparing the release with the input")
    engine.create_table(render("utility/label_sets", attributes=attributes))
    for attribute in attributes:
        engine.create_table(render("utility/shown", f"shown_{attribute['name']}", attribute=attribute))
        engine.create_table(_covered(attribute))
    return attributes


def _covered(attribute: Mapping[str, Any]) -> Statement:
    """The values that each label of a quasi-identifier covers: those in its range, or those below it in the hierarchy."""
    name = f"covered_{attribute['name']}"
    if attribute["is_range"]:
        return render("utility/covered_by_range", name, attribute=attribute)
    levels = [attribute["level"]] if "level" in attribute else list(range(attribute["least"], attribute["height"] + 1))
    return render("utility/covered_by_level", name, attribute=attribute, levels=levels)


def drop_outcomes(engine: Engine, attributes: AttributeParams) -> None:
    """Drop the relations that `make_outcomes` built."""
    for attribute in attributes:
        engine.drop(f"shown_{attribute['name']}")
        engine.drop(f"covered_{attribute['name']}")
    engine.drop("label_sets")
    engine.drop("outcomes")
