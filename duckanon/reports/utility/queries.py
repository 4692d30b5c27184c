"""Errors of count queries on a release (the workload of Xiao, Tao 2006; LeFevre et al. 2006).

A query names one to three quasi-identifiers and a range of values of each, in their order. The answer of the release
assumes that the rows of a label are spread evenly over its values.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import quantiles
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.reports.utility.outcomes import AttributeParams

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
    engine.drop("queries")


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
