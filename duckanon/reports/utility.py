"""The utility of a release: suppression by subgroup, associations, and errors of count queries, all computed from the outcome of each
combination of quasi-identifier values.

A count query names one to three quasi-identifiers and a range of values of each, in their order (the workload of Xiao, Tao 2006; LeFevre
et al. 2006). The answer of the release assumes that the rows of a label are spread evenly over its values.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from statistics import quantiles
from typing import Any

from duckanon.engine.owner import step
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import Statement, ident, render
from duckanon.hierarchy.attributes import Attribute
from duckanon.release.recoding import Recoding
from duckanon.reports.distributions import AttributeParams, distribution, read_values, subgroups
from duckanon.search.count import Counted


def make_outcomes(engine: Engine, counted: Counted, recoding: Recoding) -> AttributeParams:
    """Build `outcomes` and `label_sets`, and `shown_<column>` and `covered_<column>` for each quasi-identifier, from the verified classes of the file."""
    levels = recoding.levels
    cut = {attribute["name"] for attribute in recoding.regional_params if attribute["is_ordered"]}
    attributes = [
        {
            "name": attribute.name,
            "number": number,
            "least": attribute.min_level,
            "height": attribute.height,
            "domain": marginal.domain,
            "is_range": attribute.name in cut,
            **_shown(attribute, number, levels),
        }
        for number, (attribute, marginal) in enumerate(zip(counted.attributes, counted.marginals, strict=True), start=1)
    ]
    about = {"regional": recoding.is_regional, "class_keys": recoding.class_columns}
    outcomes = render("utility/outcomes", attributes=attributes, **about)
    engine.create_table(outcomes, stage="comparing the release with the input")
    engine.create_table(render("utility/label_sets", attributes=attributes))
    for attribute in attributes:
        engine.create_table(render("utility/shown", f"shown_{attribute['name']}", attribute=attribute))
        engine.create_table(_covered(attribute))
    return attributes


def _shown(attribute: Attribute, number: int, levels: Mapping[str, int]) -> dict[str, Any]:
    """The key of the values of a quasi-identifier, and its released label and loss; `levels` are those of all rows, if all have the same."""
    if not levels:
        label, loss = f"regions.{ident(attribute.name)}", f"regions._leaf_loss_{number}"
        return {"least_key": attribute.name, "label": label, "loss": loss}
    level, own = levels[attribute.name], {"label": f"shown_{number}.label", "loss": f"shown_{number}.loss"}
    return {"least_key": attribute.key(attribute.min_level), "level": level, "key": attribute.key(level), **own}


def _covered(attribute: Mapping[str, Any]) -> Statement:
    """The values that each label of a quasi-identifier covers: those in its range, or those below it in the hierarchy."""
    name = f"covered_{attribute['name']}"
    if attribute["is_range"]:
        return render("utility/covered_by_range", name, attribute=attribute)
    levels = [attribute["level"]] if "level" in attribute else list(range(attribute["least"], attribute["height"] + 1))
    return render("utility/covered_by_level", name, attribute=attribute, levels=levels)


_MOST_ASSOCIATED = 10


def associations(engine: Engine, attributes: AttributeParams) -> list[dict[str, Any]]:
    """Each pair of the first ten quasi-identifiers: 0 is independence, 1 means that one determines the other; None if one has a single value, or a value of its own in each row."""
    pairs = [{"first": first, "second": second} for first, second in combinations(attributes[:_MOST_ASSOCIATED], 2)]
    if not pairs:
        return []
    read = {number: strengths for number, *strengths in engine.query(render("utility/associations", pairs=pairs))}
    return [
        {"first": pair["first"]["name"], "second": pair["second"]["name"], "before": before, "after": after}
        for number, pair in enumerate(pairs)
        for before, after in [read.get(number, (None, None))]
    ]


_QUERIES = 1_000
_SETS = 20
_MOST_COLUMNS = 3
_MOST_VALUES = 1_000
"""Columns with more values are asked about only if all have more."""
_SANITY = 0.001
"""Errors are relative to the truth, or to this share of the rows if the truth is less (Xiao, Wang, Gehrke 2010)."""


@dataclass(frozen=True)
class Query:
    """Some columns, each with a range of positions in the order of its values, both ends included."""

    columns: tuple[str, ...]
    ranges: tuple[tuple[int, int], ...]


def drawn(sizes: Mapping[str, int], seed: int) -> list[Query]:
    """A thousand queries on up to twenty sets of columns, from the number of values of each column; the same for one seed."""
    random, names = Random(seed), list(sizes)
    sets = [
        tuple(sorted(random.sample(names, random.randint(1, min(_MOST_COLUMNS, len(names)))), key=names.index))
        for _ in range(_SETS)
    ]
    return [
        Query(columns, tuple(_range(random, sizes[name]) for name in columns))
        for columns in sets
        for _ in range(_QUERIES // _SETS)
    ]


def _range(random: Random, size: int) -> tuple[int, int]:
    """A tenth to a half of the values, at least one."""
    width = max(1, round(size * random.uniform(0.1, 0.5)))
    low = random.randint(1, size - width + 1)
    return low, low + width - 1


def answered(engine: Engine, all_attributes: AttributeParams, queries: Sequence[Query]) -> Iterator[tuple[int, float]]:
    """For each query the true count and the count estimated from the release, in the order of the queries' column sets."""
    sets = {columns: number for number, columns in enumerate(dict.fromkeys(query.columns for query in queries))}
    rows = [{"_set": sets[query.columns], "_query": number, **_ends(query)} for number, query in enumerate(queries, start=1)]
    ends = {f"_{end}_{place}": int for place in range(1, _MOST_COLUMNS + 1) for end in ("low", "high")}
    engine.load("queries", rows, {"_set": int, "_query": int, **ends})
    for columns, number in sets.items():
        attributes = [attribute for attribute in all_attributes if attribute["name"] in columns]
        for _, truth, estimate in engine.query(render("utility/answers", attributes=attributes, number=number)):
            yield int(truth), float(estimate)


def _ends(query: Query) -> dict[str, int | None]:
    padded = [*query.ranges, *[(None, None)] * (_MOST_COLUMNS - len(query.ranges))]
    return {
        f"_{end}_{place}": bound
        for place, both in enumerate(padded, start=1)
        for end, bound in zip(("low", "high"), both, strict=True)
    }


def usefulness(
    engine: Engine, attributes: AttributeParams, sizes: Mapping[str, int], rows: int, *, seed: int = 0
) -> dict[str, Any]:
    """The quartiles and the maximum of the relative errors of a thousand random queries."""
    few = {name: size for name, size in sizes.items() if size <= _MOST_VALUES}
    answers = answered(engine, attributes, drawn(few or dict([min(sizes.items(), key=lambda item: item[1])]), seed))
    errors = sorted(abs(estimate - truth) / max(truth, _SANITY * rows) for truth, estimate in answers)
    quarter, median, three_quarters = quantiles(errors, n=4, method="inclusive")
    return {"asked": len(errors), "median": median, "quarter": quarter, "three_quarters": three_quarters, "most": errors[-1]}


@step
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
    return {
        "kl_divergence": divergence if is_whole else None,
        "ambiguity": ambiguity if is_whole else None,
        "withheld": {attribute["name"]: int(rows) / counted.rows for attribute, rows in zip(attributes, withheld, strict=True)},
        "distributions": [distribution(name, column, is_ordered=ordered[name]) for name, column in values.items()],
        "subgroups": subgroups(values),
        "associations": associations(engine, attributes),
        "queries": usefulness(engine, attributes, {name: len(column.values) for name, column in values.items()}, counted.rows),
    }
