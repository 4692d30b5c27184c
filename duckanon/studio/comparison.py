"""Records, distributions and associations before and after a decision."""

from collections.abc import Mapping
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.release.recoding.build import recoding_of
from duckanon.reports.distributions import distribution, read_values
from duckanon.reports.evidence import records_before_and_after
from duckanon.reports.utility import associations, drop_outcomes, make_outcomes
from duckanon.search import result
from duckanon.search.count import Counted
from duckanon.search.variants import variant

_RECORDS = 20


def before_and_after(
    engine: Engine, counted: Counted, levels: Mapping[str, int] | None, *, shows_records: bool
) -> dict[str, Any]:
    """Distributions and associations of the quasi-identifiers before and after, and twenty sample records if they are asked for.

    `levels` are those that a search has chosen; without them the job's algorithm searches. As `{feasible, columns, rows: [{before, after}],
    distributions: [{column, before, after, distance}], associations: [{columns, before, after}]}`, where `after` of a suppressed record is None.
    """
    searched = result.decide(engine, counted if levels is None else variant(counted, levels=levels), all_nodes=False)
    counted = searched.counted
    recoding = recoding_of(searched, counted)
    for statement in recoding.class_statements():
        engine.create_table(statement)
    suppresses = searched.figures.suppressed > 0
    attributes = make_outcomes(engine, counted, recoding)
    ordered = {attribute.name: not attribute.column.is_text for attribute in counted.attributes}
    bars = [distribution(name, values, is_ordered=ordered[name]) for name, values in read_values(engine, attributes).items()]
    pairs = associations(engine, attributes)
    drop_outcomes(engine, attributes)
    sampled = (
        records_before_and_after(engine, recoding, _RECORDS, suppresses=suppresses)
        if shows_records
        else {"columns": [], "rows": []}
    )
    return {
        "feasible": searched.is_feasible,
        **sampled,
        "distributions": [
            {
                "column": column["column"],
                "before": _shares(column["bars"], "before"),
                "after": _shares(column["bars"], "after"),
                "distance": column["distance"],
                "more": column["more"],
            }
            for column in bars
        ],
        "associations": [
            {"columns": [pair["first"], pair["second"]], "before": pair["before"], "after": pair["after"]} for pair in pairs
        ],
    }


def _shares(bars: list[dict[str, Any]], side: str) -> list[dict[str, Any]]:
    whole = sum(bar[side] for bar in bars)
    return [{"value": bar["label"], "share": bar[side] / whole if whole else 0.0} for bar in bars]
