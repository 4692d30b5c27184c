"""The utility of a release: distributions before and after, suppression by subgroup, associations, and errors of count queries, all computed from the outcome of each
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
from duckanon.search.count import Counted

AttributeParams = Sequence[Mapping[str, Any]]
"""Parameters of each quasi-identifier for the templates."""

_MOST_BARS = 40
MOST_GROUPS = 100
_HIDDEN = "hidden (*)"
_WITHOUT_POSITION = ("-inf", "inf", "nan")
_FEW_VALUES = 60
"""Columns with more values have no subgroups."""


@dataclass(frozen=True)
class Value:
    """A value of a quasi-identifier, or several neighbouring values, with its rows, released rows, and rows estimated from the release."""

    label: str
    is_missing: bool
    rows: int
    released: int
    estimated: float
    """Rows of the released labels, spread evenly over their values."""


@dataclass(frozen=True)
class Values:
    """The values of a quasi-identifier in their order, and the released rows whose label covers all of them and shows none."""

    values: Sequence[Value]
    hidden: int


def read_values(engine: Engine, attributes: AttributeParams) -> dict[str, Values]:
    """The values of each quasi-identifier."""
    read = {}
    for attribute in attributes:
        rows = engine.query(render("utility/distribution", column=attribute["name"]))
        read[attribute["name"]] = Values(
            [
                Value("NULL" if label is None else label, bool(is_missing), int(rows), int(released), float(estimated))
                for label, is_missing, rows, released, estimated, _ in rows
            ],
            int(rows[0][-1]) if rows else 0,
        )
    return read


def distribution(name: str, column: Values, *, is_ordered: bool) -> dict[str, Any]:
    """At most forty bars, and one of the rows that show no value. In an ordered column neighbouring values are joined, except those without a position; in another column the most frequent values are drawn, and `more` counts the others."""
    values = column.values
    if is_ordered and len(values) > _MOST_BARS:
        bars, more = _binned(values), 0
    else:
        frequent = sorted(range(len(values)), key=lambda place: -values[place].rows)[:_MOST_BARS]
        bars, more = [values[place] for place in sorted(frequent)], len(values) - len(frequent)
    hidden = [{"label": _HIDDEN, "before": 0, "after": float(column.hidden)}] if column.hidden else []
    return {
        "column": name,
        "kind": "number" if is_ordered else "text",
        "more": more,
        "bars": [*({"label": bar.label, "before": bar.rows, "after": bar.estimated} for bar in bars), *hidden],
        "distance": distance([(value.rows, value.estimated) for value in values] + [(0, column.hidden)]),
    }


def retained(column: Mapping[str, Any], before: int, after: int) -> dict[str, Any]:
    """The distribution of a retained sensitive column, whose values have `before` and `share` of so many rows."""
    counts = [(value["value"], before * value["before"], after * value["share"]) for value in column["values"]]
    bars = [{"label": label, "before": rows, "after": released} for label, rows, released in counts]
    return {"column": column["column"], "kind": "text", "more": column["more"], "bars": bars, "distance": column["change"]}


def distance(counts: Sequence[tuple[float, float]]) -> float:
    """Total variation distance between the shares of the input and those estimated from the release."""
    before, after = sum(rows for rows, _ in counts), sum(estimated for _, estimated in counts)
    if not before or not after:
        return 1.0
    return sum(abs(rows / before - estimated / after) for rows, estimated in counts) / 2


def subgroups(values: Mapping[str, Values]) -> list[dict[str, Any]]:
    """The groups with the largest share of suppressed rows; columns with many values have none."""
    groups: list[dict[str, Any]] = [
        {
            "column": name,
            "value": value.label,
            "rows": value.rows,
            "suppressed": value.rows - value.released,
            "share": (value.rows - value.released) / value.rows,
        }
        for name, column in values.items()
        if 1 < len(column.values) <= _FEW_VALUES
        for value in column.values
        if value.rows > value.released
    ]
    return sorted(groups, key=lambda group: (-group["share"], -group["suppressed"]))[:MOST_GROUPS]


def _binned(values: Sequence[Value]) -> list[Value]:
    """Bins of neighbouring values with the same number of values; missing and infinite values have their own, at the end."""
    placed, others = list[Value](), list[Value]()
    for value in values:
        (others if value.is_missing or value.label in _WITHOUT_POSITION else placed).append(value)
    width = -(-len(placed) // _MOST_BARS)
    parts = [placed[start : start + width] for start in range(0, len(placed), width)] if placed else []
    return [*map(_joined, parts), *others]


def _joined(part: Sequence[Value]) -> Value:
    return Value(
        part[0].label if len(part) == 1 else f"{part[0].label} to {part[-1].label}",
        False,
        sum(value.rows for value in part),
        sum(value.released for value in part),
        sum(value.estimated for value in part),
    )


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
    levels = [attribute["level"]] if "level" in attribute else list(range(attribute["least"], attribute["height"] + 1))
    about = {"attribute": attribute, "levels": [] if attribute["is_range"] else levels}
    return render("utility/covered", f"covered_{attribute['name']}", **about)


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
