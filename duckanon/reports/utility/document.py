"""The utility of a release for reports."""

from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.release.recoding.base import Recoding
from duckanon.reports.utility.associations import associations
from duckanon.reports.utility.distributions import distribution, read_values, subgroups
from duckanon.reports.utility.outcomes import drop_outcomes, make_outcomes
from duckanon.reports.utility.queries import usefulness
from duckanon.search.count import Counted


def utility(engine: Engine, counted: Counted, recoding: Recoding) -> dict[str, Any]:
    """Distributions, subgroups, associations, count queries, divergence and ambiguity, and for each column the share of rows without
    information: suppressed, or with the top label.

    Values are those of the least levels that the job allows. The divergence is None if these are not the original values.
    """
    attributes = make_outcomes(engine, counted, recoding)
    values = read_values(engine, attributes)
    ordered = {attribute.name: not attribute.column.is_text for attribute in counted.attributes}
    [(divergence, ambiguity, *withheld)] = engine.query(render("utility/divergence", attributes=attributes))
    is_whole = all(attribute.min_level == 0 for attribute in counted.attributes)
    document = {
        "kl_divergence": divergence if is_whole else None,
        "ambiguity": ambiguity if is_whole else None,
        "withheld": {attribute["name"]: int(rows) / counted.rows for attribute, rows in zip(attributes, withheld, strict=True)},
        "distributions": [distribution(name, column, is_ordered=ordered[name]) for name, column in values.items()],
        "subgroups": subgroups(values),
        "associations": associations(engine, attributes),
        "queries": usefulness(engine, attributes, {name: len(column.values) for name, column in values.items()}, counted.rows),
    }
    drop_outcomes(engine, attributes)
    return document
