"""Build the recoding of a search result."""

from typing import Any

from duckanon.job.resolve import carried
from duckanon.release.microaggregation import Aggregate
from duckanon.release.recoding.base import Recoding
from duckanon.release.recoding.node import NodeRecoding
from duckanon.release.recoding.region import RegionRecoding
from duckanon.search.count import Counted
from duckanon.search.result import SearchResult


def recoding_of(decided: SearchResult, counted: Counted) -> Recoding:
    """The recoding of a search result; `counted` may have dropped retained columns since the search."""
    common = _common(counted)
    if decided.full_domain is not None:
        return NodeRecoding(node=decided.full_domain.node, requirement=decided.requirement, stars=counted.job.stars, **common)
    return RegionRecoding(attribute_params=decided.regions or (), requirement=decided.requirement, **common)


def _common(counted: Counted) -> dict[str, Any]:
    """The arguments that both kinds of recoding have."""
    return {
        "attributes": tuple(counted.attributes),
        "columns": counted.plan.released,
        "followers": counted.plan.followers,
        "distributions": tuple(counted.distributions),
        "aggregates": _aggregates(counted),
        "show_extremes": counted.job.recoding.show_extremes,
        "treatments": counted.plan.treatments,
        "carried": carried(counted.plan, counted.columns),
    }


def _aggregates(counted: Counted) -> tuple[Aggregate, ...]:
    """The microaggregated columns."""
    plans = counted.job.columns
    columns = [column for column in counted.plan.released if column.name in plans and plans[column.name].microaggregate]
    return tuple(
        Aggregate(column, number, function, plans[column.name].round, plans[column.name].role == "quasi-identifier")
        for number, column in enumerate(columns, start=1)
        if (function := plans[column.name].microaggregate) is not None
    )
