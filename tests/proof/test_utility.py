"""The utility of a release, against definitions restated in plain Python, for full-domain and local recoding."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import quantiles
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duckanon.errors import Infeasible
from duckanon.job.model import Job
from duckanon.job.prepare import Run
from duckanon.observers import Silent
from duckanon.reports.utility import drawn
from duckanon.workflows.replay import reopen
from duckanon.workflows.report import accounted
from tests.support import levels
from tests.support.oracles import utility as oracle
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize

TREES: dict[str, dict[Any, tuple[str, ...]]] = {
    "n": {value: (str(value), f"{value // 2 * 2}+", "low" if value < 4 else "high", "*") for value in range(8)},
    "t": {value: (value, value[0].upper(), "*") for value in ("a1", "a2", "b1", "b2", "b3")},
    "u": {value: (value, "*") for value in ("x", "y")},
}
"""Each column's values, with their labels from level 0 on."""

ROWS = st.lists(st.tuples(*(st.sampled_from(list(tree)) for tree in TREES.values())), min_size=5, max_size=60)

WAYS: list[dict[str, Any]] = [
    {},
    {"suppression": {"limit": "40%", "style": "star"}},
    {"recoding": {"algorithm": "local"}},
    {"recoding": {"algorithm": "mondrian"}},
]


def values_under(column: str, label: str) -> frozenset[Any]:
    """The values that a label of the tree, or a printed range, stands for."""
    tree = TREES[column]
    if label.startswith("["):
        low, high = map(int, label[1:-1].split(", "))
        return frozenset(value for value in tree if low <= value <= high)
    if label.startswith("<= "):
        return frozenset(value for value in tree if value <= int(label[3:]))
    if label.startswith(">= "):
        return frozenset(value for value in tree if value >= int(label[3:]))
    return frozenset(value for value, labels in tree.items() if label in labels)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("utility")
    for name, tree in TREES.items():
        write_table(made / f"{name}.csv", list(tree.values()))
    return made


def released(folder: Path, rows: Sequence[tuple[Any, ...]], way: Mapping[str, Any]) -> tuple[oracle.Release, dict[str, Any]]:
    """The release, row by row by an id that only the test looks at, and its account."""
    source = write_parquet(
        folder / "rows.parquet", [{**dict(zip(TREES, row, strict=True)), "id": number} for number, row in enumerate(rows)]
    )
    columns = {name: {"role": "quasi-identifier", "hierarchy": str(folder / f"{name}.csv")} for name in TREES}
    job = {
        "columns": {**columns, "id": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "suppression": {"limit": "40%"},
        **way,
    }
    result = anonymize(source, folder / "out.parquet", job=job, run=Run(overwrite=True))
    shown = {row["id"]: tuple(str(row[name]) for name in TREES) for row in read_rows(folder / "out.parquet")}
    if Job.model_validate(job).keep_suppressed_rows and result["rows"]["suppressed"]:
        tops = ("*",) * len(TREES)
        shown = {number: row for number, row in shown.items() if row != tops}
    under: list[dict[Hashable, frozenset[Hashable]]] = [
        {label: values_under(name, label) for row in shown.values() for label in [row[place]]}
        for place, name in enumerate(TREES)
    ]
    release = oracle.Release(
        rows, [shown.get(number) for number in range(len(rows))], under, [len(tree) for tree in TREES.values()]
    )
    reopened = reopen(folder / "out.parquet.manifest.json", None, Run())
    return release, accounted(reopened, Run(), Silent())


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=("dropped", "masked", "local", "mondrian"))
@settings(max_examples=levels.at_most(8), deadline=None)
@given(ROWS)
def test_every_figure_is_the_oracles(folder: Path, way: dict[str, Any], drawn_rows: list[tuple[Any, ...]]) -> None:
    # each value once more, so that the values under a label are those that the data has
    rows = [*drawn_rows, *(tuple(list(tree)[number % len(tree)] for tree in TREES.values()) for number in range(8))]
    try:
        release, account = released(folder, rows, way)
    except Infeasible:
        return
    useful = account["utility"]
    metrics = {metric["name"]: metric["value"] for metric in useful["metrics"]}
    assert metrics["kl_divergence"] == pytest.approx(oracle.kl_divergence(release), abs=1e-9)
    assert metrics["ambiguity"] == oracle.ambiguity(release)
    assert metrics["average_class_size"] == pytest.approx(float(oracle.average_class_size(release) or 0))
    assert metrics["discernibility"] == oracle.discernibility(release)
    if way.get("recoding", {}).get("algorithm") != "mondrian":
        assert metrics["loss"] == pytest.approx(float(oracle.loss(release)))
        assert metrics["granularity"] == pytest.approx(float(oracle.granularity(release)))
    names = list(TREES)
    for place, entry in enumerate(useful["loss"]):
        nothing = [row is None or len(release.leaves[place][row[place]]) == release.domain[place] for row in release.released]
        assert entry["withheld"] == pytest.approx(sum(nothing) / len(rows))
    for association in useful["associations"]:
        before, after = oracle.association(release, names.index(association["first"]), names.index(association["second"]))
        assert association["before"] == (None if before is None else pytest.approx(before, abs=1e-9))
        assert association["after"] == (None if after is None else pytest.approx(after, abs=1e-9))
    check_distributions(release, useful)
    groups = {
        (name, str(value)): counts
        for place, name in enumerate(names)
        for value, counts in oracle.suppression(release, place).items()
        if counts[1]
    }
    by_subgroup = {
        (subgroup["column"], subgroup["value"]): (subgroup["rows"], subgroup["suppressed"]) for subgroup in useful["subgroups"]
    }
    assert groups.items() <= by_subgroup.items()
    check_queries(release, useful["queries"])


def check_distributions(release: oracle.Release, useful: Mapping[str, Any]) -> None:
    for place, (name, distribution) in enumerate(zip(TREES, useful["distributions"], strict=False)):
        before, after = Counter(row[place] for row in release.rows), defaultdict[Any, Fraction](Fraction)
        values: list[Any] = sorted(TREES[name])
        for row in release.kept:
            under = release.leaves[place][row[place]]
            # a label of all values shows none of them
            shown = ["hidden (*)"] if len(under) == len(values) > 1 else under
            for value in shown:
                after[value] += Fraction(1, len(shown))
        values += ["hidden (*)"] if after["hidden (*)"] else []
        assert [bar["label"] for bar in distribution["bars"]] == [str(value) for value in values]
        assert [bar["before"] for bar in distribution["bars"]] == [before[value] for value in values]
        assert [bar["after"] for bar in distribution["bars"]] == pytest.approx([float(after[value]) for value in values])
        assert distribution["column"] == name


def check_queries(release: oracle.Release, measured: Mapping[str, Any]) -> None:
    names = list(TREES)
    queries = [
        {
            names.index(column): set(sorted(TREES[column])[low - 1 : high])
            for column, (low, high) in zip(query.columns, query.ranges, strict=True)
        }
        for query in drawn({name: len(tree) for name, tree in TREES.items()}, seed=0)
    ]
    errors = [float(oracle.relative_error(release, query)) for query in queries]
    assert measured["asked"] == len(errors) == 1_000
    assert [measured["quarter"], measured["median"], measured["three_quarters"]] == pytest.approx(
        quantiles(errors, n=4, method="inclusive")
    )
    assert measured["most"] == pytest.approx(max(errors))


def test_queries_are_the_same_each_time_and_lie_inside() -> None:
    sizes = {"a": 1, "b": 7, "c": 100_000}
    assert drawn(sizes, 0) == drawn(sizes, 0) != drawn(sizes, 1)
    for query in drawn(sizes, 0):
        assert all(1 <= low <= high <= sizes[name] for name, (low, high) in zip(query.columns, query.ranges, strict=True))
    assert len({query.columns for query in drawn(sizes, 0)}) > 5
